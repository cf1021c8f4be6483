"""Tasks and exercises of chapter 21: distortion, k-means, starts, shares, the bound, M-steps, silhouettes, BIC."""

import numpy as np

from mlteach.exercises.base import Wrong, call, exercise, expect_close, expect_function, numbers

# --- Tasks of the core ---------------------------------------------------------------------------------------------


@exercise(
    "21.a",
    "Another cut",
    start="Where is the best centre of a group?",
    hints=[
        "The best centre of a group is its mean, by (21.2).",
        "The means are 3.5 and 44/3. J is the sum of the squared distances of all seven numbers from their own mean.",
    ],
    solution=(44 / 3, 569 / 3),
    explanation="The means are 3.5 and 14.667; 29 + 160.667 = 189.667.",
)
def _(center, J):
    known = [
        (10.0, "That is the median of the group. The squared distances are least from its mean."),
        (3.5, "That is the centre of the first group. Asked is the second, {9, 10, 25}."),
        (44.0, "That is the sum of the group. Divide by its three members."),
        (44 / 4, "The second group has three members: divide by 3."),
        (44 / 2, "The second group has three members: divide by 3."),
        (58 / 7, "That is the mean of all seven numbers. Take the group {9, 10, 25} alone."),
        (17.0, "That is the middle between 9 and 25. The squared distances are least from the mean."),
        (13.0, "13 is the mean of {8, 9, 10, 25}. Here 8 belongs to the other group."),
    ]
    expect_close(center, 44 / 3, "The second centre", known=known, rtol=0, atol=0.006, reveal=False)
    X = np.array([1.0, 2, 3, 8, 9, 10, 25])
    c = np.array([3.5] * 4 + [44 / 3] * 3)
    known = [
        (29.0, "That is the part of the first group. Add that of the second."),
        (569 / 3 - 29, "That is the part of the second group. Add that of the first."),
        (np.abs(X - c).sum(), "You added the distances. J adds their squares."),
        (569 / 21, "You divided by the number of points. J is a sum."),
        (569 / 6, "You divided by the number of groups. J is a sum."),
        (29 / 4 + (569 / 3 - 29) / 3, "You added the variances. J adds the squares, without dividing."),
        (29 / 3 + (569 / 3 - 29) / 2, "You added the variances. J adds the squares, without dividing."),
        (196.0, "That is J of the cut after 3, with the centres 2 and 13. Here 8 belongs to the first group."),
        (29 + 227, "You measured the second group from its median, 10. Take its mean."),
        (569**0.5 / 3**0.5, "That is the root of J. Asked is J."),
    ]
    expect_close(J, 569 / 3, "J", known=known, rtol=0, atol=0.06, reveal=False)
    return "Right. It is less than 196, where k-means stopped: a better cut was one point away."


@exercise(
    "21.b",
    "Three rounds by hand",
    start="Which points are nearer to 1 than to 2?",
    hints=[
        "Only 1 chooses the first centre. The second moves to the mean of the other five.",
        "After the first round the centres are 1 and 6.8, after the second 1.5 and 8. Now 4 changes sides.",
    ],
    solution=(7 / 3, 28 / 3),
    explanation="Centres 1 and 6.8, then {1, 2} and the rest: 1.5 and 8, then {1, 2, 4} and {5, 11, 12}: 7/3 and 28/3.",
)
def _(first, second):
    both = numbers((first, second), "first centre, second centre")
    rounds = [
        ((1.0, 6.8), "Those are the centres after one round. Two more are asked for: choose, then move."),
        ((1.5, 8.0), "Those are the centres after two rounds. Do one more: choose, then move."),
        ((3.0, 11.5), "Those are the centres at the end, after four rounds. Asked is the third."),
        ((2.0, 11.0), "You took medians. A centre moves to the mean of its points."),
        ((7 / 3, 8.0), "Both centres move in each round, to the means of the points that chose them."),
        ((1.5, 28 / 3), "Both centres move in each round, to the means of the points that chose them."),
    ]
    for wrong, words in rounds:
        if np.allclose(np.ravel(both), wrong, atol=0.02):
            raise Wrong(words)
    known = [
        (28 / 3, "The first centre is the one that started at 1, the smaller number."),
        (1.5, "In the third round 4 is nearer to 1.5 than to 8, so the first centre moves."),
        (2.0, "You took the median of {1, 2, 4}. The centre moves to the mean."),
        (3.0, "5 is nearer to 8 than to 1.5: it joins in the fourth round only."),
    ]
    expect_close(first, 7 / 3, "The first centre", known=known, rtol=0, atol=0.006, reveal=False)
    known = [
        (11.0, "You took the median of {5, 11, 12}. The centre moves to the mean."),
        (6.8, "That is where it was after the first round."),
        (8.0, "That is where it was after the second round."),
        (11.5, "5 is nearer to 8 than to 1.5: it stays in the second group for one more round."),
    ]
    expect_close(second, 28 / 3, "The second centre", known=known, rtol=0, atol=0.006, reveal=False)
    return "Right. One round later the centres are 3 and 11.5, and there they stay."


@exercise(
    "21.c",
    "Far points first",
    start="How far is each point from the nearest centre so far?",
    hints=["Square the distances: 1, 0, 9, 81.", "81 out of 91. Then, with centres at 1 and 10, 1 and 9 are left."],
    solution=(81 / 91, 0.9),
    explanation="From 1 the squared distances are 1, 0, 9, 81: 81/91. With 1 and 10 chosen, 1, 0, 9, 0: 9/10.",
)
def _(second, third):
    known = [
        (9 / 13, "Square the distances: (21.4) has D²."),
        (81.0, "That is D². Divide by the sum over all points."),
        (1 / 3, "Those are equal chances. In k-means++ a far point is more likely."),
        (0.25, "Those are equal chances. In k-means++ a far point is more likely."),
        (100 / 117, "The distances are measured from the first centre, 1, not from 0."),
        (81 / 90, "The squared distances of all points count: 1 for the point 0 as well."),
        (81 / 92, "The centre itself has distance 0: the sum is 91."),
        (1.0, "The farthest point is likely, not certain."),
        (89.0, "That is in per cent. Give a probability, at most 1."),
        (8100 / 91, "That is in per cent. Give a probability, at most 1."),
        (81 / 82, "The squared distances of all points count: 9 for the point 4 as well."),
    ]
    expect_close(second, 81 / 91, "The chance of 10", known=known, rtol=0, atol=0.006, reveal=False)
    known = [
        (0.75, "Square the distances: 1 and 9."),
        (0.9 * 81 / 91, "That is the chance of both draws. Asked is the third, given that 10 was the second."),
        (90.0, "That is in per cent. Give a probability, at most 1."),
        (9 / 46, "The point 4 is nearer to 1 than to 10: D is the distance to the nearest centre."),
        (36 / 37, "The point 4 is nearer to 1 than to 10: D is the distance to the nearest centre."),
        (0.5, "Those are equal chances. The point 4 is three times as far away as 0, and squares count."),
        (0.1, "That is the chance of the point 0; or 10 still counts in your sum, though it is a centre now."),
        (1.0, "The point 0 is left as well, with D² = 1."),
        (9.0, "That is D². Divide by the sum over all points."),
    ]
    expect_close(third, 0.9, "The chance of 4", known=known, rtol=0, atol=0.006, reveal=False)
    return "Right. Three draws, three places: rarely do two centres fall into one cloud."


@exercise(
    "21.d",
    "Shares",
    start="Write both terms of (21.6) at x = 1.",
    hints=[
        "The ratio of the densities is exp(-1/2) / exp(-9/2) = exp(4). The weights multiply it.",
        "r = 0.2 e⁴ / (0.2 e⁴ + 0.8). The border solves 0.2 exp(-x²/2) = 0.8 exp(-(x - 4)²/2): take logarithms.",
    ],
    solution=(float(0.2 * np.exp(4) / (0.2 * np.exp(4) + 0.8)), float(2 - np.log(4) / 4)),
    explanation="0.2 e⁴ = 10.92, so r = 10.92/11.72 = 0.932. The border: 4(2 - x) = ln 4, so x = 2 - 0.347 = 1.653.",
)
def _(share, border):
    e4 = np.exp(4)
    right = 0.2 * e4 / (0.2 * e4 + 0.8)
    known = [
        (e4 / (e4 + 1), "The weights are missing: 0.2 and 0.8 multiply the densities."),
        (1 - right, "That is the share of the second component."),
        (93.2, "That is in per cent. Give a share, at most 1."),
        (100 * right, "That is in per cent. Give a share, at most 1."),
        (0.8 * e4 / (0.8 * e4 + 0.2), "The weights are exchanged: 0.2 belongs to N(0, 1)."),
        (0.2, "That is the weight, the share before x was seen."),
        (0.25 * e4, "That is the ratio of the two terms. The share is one term over their sum."),
        (0.2 * np.exp(8) / (0.2 * np.exp(8) + 0.8), "The ½ in the exponent is missing: exp(-x²/2)."),
        (0.2 * np.exp(-0.5) / np.sqrt(2 * np.pi), "That is the joint density. Divide by the sum of both."),
        (0.2 * np.exp(2) / (0.2 * np.exp(2) + 0.8), "The distances are squared: 1² and 3² in the exponents."),
    ]
    expect_close(share, right, "The share", known=known, rtol=0, atol=0.0006, reveal=False)
    at = 2 - np.log(4) / 4
    known = [
        (2.0, "Half way the densities are equal, but not the weights: the border moves towards the rarer component."),
        (2 + np.log(4) / 4, "The other way: the rarer component gets less room."),
        (2 - np.log10(4) / 4, "The logarithm is the natural one."),
        (2 - np.log(4), "Divide the logarithm by the distance of the means, 4."),
        (2 - np.log(2) / 4, "The ratio of the weights is 4, not 2."),
        (2 - np.log(4) / 8, "The difference of the exponents is 8 - 4x: check its factor."),
        (2 - np.log(4) / 2, "The difference of the exponents is 8 - 4x: check its factor."),
        (0.8, "That weighs the two means by their probabilities. Set the two terms equal."),
    ]
    expect_close(border, at, "The border", known=known, rtol=0, atol=0.0006, reveal=False)
    return "Right. The rarer component gives ground: the border is not half way."


@exercise(
    "21.e",
    "A bound by hand",
    start="Put q = (0.5, 0.5) into (21.9).",
    hints=["0.5 ln(0.06/0.5) + 0.5 ln(0.04/0.5).", "The gap is ln 0.1 minus the bound."],
    solution=(float(0.5 * np.log(0.12) + 0.5 * np.log(0.08)), float(np.log(0.1) - 0.5 * np.log(0.0096))),
    explanation="The bound is -2.3230, ln p(x) = ln 0.1 = -2.3026, the gap 0.0204; the posterior is (0.6, 0.4).",
)
def _(bound, gap):
    F = 0.5 * np.log(0.12) + 0.5 * np.log(0.08)
    known = [
        (0.5 * np.log(0.06) + 0.5 * np.log(0.04), "The q under the fraction is missing: ln(p/q), not ln p."),
        (np.log(0.1), "That is ln p(x), what the bound stays below."),
        (np.log(0.12) + np.log(0.08), "Each logarithm has the weight q = 0.5."),
        (-2.52887, "That is the bound for q = (0.9, 0.1)."),
        (0.06 * np.log(0.12) + 0.04 * np.log(0.08), "The weights are q, not p(x, z)."),
        (0.6 * np.log(0.12) + 0.4 * np.log(0.08), "The weights are q = 0.5, not the posterior."),
        (
            0.5 * np.log(0.6 / 0.5) + 0.5 * np.log(0.4 / 0.5),
            "Put p(x, z) into the fraction, not the posterior p(z | x).",
        ),
        (0.5 * np.log10(0.12) + 0.5 * np.log10(0.08), "The logarithm is the natural one."),
        (0.5 * np.log2(0.12) + 0.5 * np.log2(0.08), "The logarithm is the natural one."),
        (-F, "The sign is wrong: both fractions are smaller than one."),
    ]
    expect_close(bound, F, "The bound", known=known, rtol=0, atol=0.004, reveal=False)
    known = [
        (F - np.log(0.1), "The gap is ln p(x) minus the bound: it is never negative."),
        (0.6 * np.log(1.2) + 0.4 * np.log(0.8), "That is KL(posterior ‖ q). The gap is KL(q ‖ posterior)."),
        (0.22629, "That is the gap for q = (0.9, 0.1)."),
        (0.0, "It would be zero only if q were the posterior (0.6, 0.4)."),
        ((np.log(0.1) - F) / np.log(2), "The logarithm is the natural one; those are bits."),
    ]
    expect_close(gap, np.log(0.1) - F, "The gap", known=known, rtol=0, atol=6e-5, reveal=False)
    return "Right. A guess nearer to the posterior, (0.6, 0.4), lies closer to the likelihood."


@exercise(
    "21.f",
    "An M-step by hand",
    start="How many points does component 1 have, counted in shares?",
    hints=[
        "N₁ = 1 + 0.2 + 0 = 1.2, of n = 3 points.",
        "The mean is (1·1 + 0.2·13)/1.2; the variance averages (x - mean)² with the same shares.",
    ],
    solution=(0.4, 3.0, 20.0),
    explanation="N = 1.2; weight 1.2/3 = 0.4; mean 3.6/1.2 = 3; variance (2² + 0.2·10²)/1.2 = 20.",
)
def _(weight, mean, variance):
    known = [
        (1.2, "That is N₁. The weight is its share of all n = 3 points."),
        (0.6, "Divide N₁ by n = 3: the third point counts as well."),
        (0.5, "The new weights need not be equal: N₁ / n."),
        (1 / 3, "Count the shares, not the points that are certain."),
        (2 / 3, "Count the shares: 1 + 0.2 + 0 = 1.2 of 3."),
    ]
    expect_close(weight, 0.4, "The weight", known=known, rtol=0, atol=0.006, reveal=False)
    known = [
        (1.2, "Divide by N₁ = 1.2, the sum of the shares, not by n."),
        (7.0, "Weigh with the shares: the point 13 counts 0.2."),
        (3.6, "Divide by N₁ = 1.2, the sum of the shares."),
        (29 / 3, "That is the mean of all points. Weigh them with the shares."),
        (1.8, "Divide by N₁ = 1.2, the sum of the shares, not by the number of points with a share."),
    ]
    expect_close(mean, 3.0, "The mean", known=known, rtol=0, atol=0.006, reveal=False)
    known = [
        (20**0.5, "That is the standard deviation. Asked is the variance."),
        (10 / 3, "Square the distances from the mean."),
        (24.0, "Divide by N₁ = 1.2, the sum of the shares."),
        (8.0, "Neither divide by n, nor square the shares: Σ r (x - mean)² / N₁."),
        (12.0, "Divide by N₁ = 1.2, not by the number of points with a share."),
        (20 / 3, "The shares are not squared: 0.2 (x - mean)²."),
        (52.0, "The point 13 counts 0.2 in the variance, too."),
        (104 / 1.2, "The point 13 counts 0.2 in the variance, too."),
        (120.0, "Divide by N₁ = 1.2; EM's M-step has no N - 1."),
        (29.0, "Take the distances from the new mean, 3; or subtract its square from the mean of x²."),
        (344 / 9, "That is the variance of all three points. Weigh with the shares."),
        (248 / 3, "Weigh the squares with the shares: the point 15 counts 0."),
        (36.0, "Take the distances from the new mean, 3."),
        ((676 + 0.2 * 100) / 9 / 1.2, "Take the distances from the new mean, 3."),
    ]
    expect_close(variance, 20.0, "The variance", known=known, rtol=0, atol=0.006, reveal=False)
    return "Right. A weighted mean, a weighted variance: counting, with fractions of points."


@exercise(
    "21.g",
    "Two silhouettes",
    start="How far is the point from its own group, and how far from the other?",
    hints=["For 2: a = 2, b = (3 + 4 + 8)/3.", "For 5: a = (1 + 5)/2, b = (5 + 3)/2."],
    solution=(0.6, 0.25),
    explanation="Point 2: a = 2, b = 5, s = 3/5. Point 5: a = 3, b = 4, s = 1/4.",
)
def _(of_two, of_five):
    known = [
        (0.8, "a is the mean distance to the other points: the point itself does not count, nor does a centre."),
        (3.0, "That is b - a. Divide by the larger of the two."),
        (1.5, "You divided by a. Divide by the larger of a and b."),
        (-0.6, "It is b - a, not a - b: the point is nearer to its own group."),
        (1 / 3, "b is the mean distance to all three points of the other group, not to the nearest."),
        (0.75, "b is the mean distance to all three points of the other group, not to the farthest."),
        (0.4, "That is a/b. The silhouette is (b - a)/max(a, b)."),
        (3 / 7, "Divide by the larger of a and b, not by their sum."),
    ]
    expect_close(of_two, 0.6, "The silhouette of 2", known=known, rtol=0, atol=0.006, reveal=False)
    known = [
        (0.5, "a is the mean distance to the other two, (1 + 5)/2: without the point itself, and not to a centre."),
        (2 / 3, "a is the mean distance to both other points of its group, not to the nearest."),
        (1.0, "That is b - a. Divide by the larger of the two."),
        (1 / 3, "You divided by a. Divide by the larger of a and b."),
        (-0.25, "It is b - a, not a - b."),
        (0.0, "b is the mean distance to both points of the other group, (5 + 3)/2."),
        (0.75, "That is a/b. The silhouette is (b - a)/max(a, b)."),
        (1 / 7, "Divide by the larger of a and b, not by their sum."),
    ]
    expect_close(of_five, 0.25, "The silhouette of 5", known=known, rtol=0, atol=0.006, reveal=False)
    return "Right. The point 5 sits near the edge of its group, and its silhouette says so."


# --- Exercises at the end ------------------------------------------------------------------------------------------


def _tried(answer, cases, number):
    """Return what the answer gives for one of the cases; the worked example comes first."""
    for case in (cases[0], cases[number]):
        result = call(answer, *(part.copy() for part in case))
    return result


def _part(result, number, shape):
    """Return one of several results (or the only one, None) as an array, if it has the right shape."""
    try:
        part = np.asarray(result if number is None else result[number], dtype=float)
    except (TypeError, ValueError, IndexError, KeyError):
        return None
    return part if part.shape == shape else None


def kmeans_round(X, centers):
    distance = ((X[:, None] - centers) ** 2).sum(axis=2)
    labels = distance.argmin(axis=1)
    moved = np.array(centers, dtype=float)
    for k in range(len(centers)):
        if (labels == k).any():
            moved[k] = X[labels == k].mean(axis=0)
    return labels, moved


def _round_cases():
    corners = np.array([[0.0, 0], [0, 1], [4, 0], [4, 1]])
    rng = np.random.default_rng(211)
    X = rng.normal(size=(12, 2)) * [3.0, 1.0]
    return [
        (corners, np.array([[0.0, 0.0], [4.0, 1.0]])),
        (X, X[:3] + 0.1),
        (X, np.array([[-1.0, 0.5], [40.0, 40.0], [2.0, 0.0], [0.3, -0.8]])),  # the second centre gets no point
        (rng.normal(size=(9, 3)) + [5.0, 0, -2], rng.normal(size=(2, 3)) + [5.0, 0, -2]),
    ]


def _round(choose=None, move=None, keep=True, steps=1):
    """Return a round that chooses or moves in another way."""
    choose = choose or (lambda X, c: ((X[:, None] - c) ** 2).sum(axis=2).argmin(axis=1))
    move = move or (lambda A: A.mean(axis=0))

    def wrong(X, centers):
        c = np.array(centers, dtype=float)
        for _ in range(steps):
            labels = choose(X, c)
            for k in range(len(c)):
                mine = X[labels == k]
                if len(mine):
                    c[k] = move(mine)
                elif not keep:
                    c[k] = 0.0
        return labels, c

    return wrong


def _relabelled(X, centers):
    _, c = kmeans_round(X, centers)
    return kmeans_round(X, c)[0], c


def _sent_away(X, centers):
    labels, moved = kmeans_round(X, centers)
    far = np.argmax(((X - moved[labels]) ** 2).sum(axis=1))
    return labels, np.where(np.isin(np.arange(len(moved)), labels)[:, None], moved, X[far])


def _at_the_end(X, centers):
    for _ in range(50):
        labels, centers = kmeans_round(X, centers)
    return labels, centers


@exercise(
    "21.1",
    "One round of k-means",
    start="First the labels, from the centres that were given.",
    hints=[
        "All squared distances at once: ((X[:, None] - centers) ** 2).sum(axis=2) has the shape (n, K).",
        "Copy the centres, and overwrite those that have points with the mean of X[labels == k].",
    ],
    solution=kmeans_round,
    explanation="The labels belong to the old centres, the new centres to these labels. An empty mean would be nan.",
)
def _(answer):
    slips = [
        (
            _round(lambda X, c: ((X[:, None] - c) ** 2).sum(axis=2).argmax(axis=1)),
            "Your points choose the farthest centre. The nearest has the least distance: argmin.",
        ),
        (
            _round(lambda X, c: np.abs(X[:, None] - c).sum(axis=2).argmin(axis=1)),
            "You measure |x₁ - c₁| + |x₂ - c₂|. k-means squares the differences.",
        ),
        (
            _round(lambda X, c: ((X[:, None] - c).sum(axis=2) ** 2).argmin(axis=1)),
            "Square the differences first, then sum over the features.",
        ),
        (
            _round(lambda X, c: np.abs(X[:, None] - c).max(axis=2).argmin(axis=1)),
            "You compare the largest difference of each pair. k-means sums the squares of all of them.",
        ),
        (_round(move=lambda A: np.median(A, axis=0)), "Your centres move to the median. J is least at the mean."),
        (_round(move=lambda A: A.mean()), "Your mean runs over the features, too: mean(axis=0)."),
        (_round(keep=False), "A centre without points should stay where it was; yours moves to 0."),
        (_sent_away, "In this exercise a centre without points stays; the package sends it to the farthest point."),
        (
            _round(lambda X, c: np.abs(X[:, None, 0] - c[:, 0]).argmin(axis=1)),
            "You compare the first feature only. All features count in a distance.",
        ),
        (_relabelled, "Your labels belong to the new centres. Return those from which the centres were computed."),
        (_round(steps=2), "You do two rounds. One is asked for."),
        (_at_the_end, "You iterate to the end. One round is asked for."),
        (
            lambda X, centers: (kmeans_round(X, centers)[0], np.array(centers, dtype=float)),
            "Your centres have not moved.",
        ),
        (lambda X, centers: kmeans_round(X, centers)[::-1], "The labels come first, then the centres."),
        (
            lambda X, centers: (kmeans_round(X, centers)[0] + 1, kmeans_round(X, centers)[1]),
            "Labels count from 0, as the rows of centers do.",
        ),
    ]
    new = _part(_tried(answer, _round_cases(), 2), 1, (4, 2))
    if new is not None and np.isnan(new[1]).any() and not np.isnan(new[0]).any():
        raise Wrong("The mean of no points is nan. A centre that nobody chose should stay where it was.")
    expect_function(answer, kmeans_round, _round_cases(), "The round", slips=slips, names="labels, centres")
    return "Right. Repeat it until no label changes, and you have k-means."


def _log_joint(x, weights, means, variances):
    return np.log(weights) - 0.5 * np.log(2 * np.pi * variances) - (x[:, None] - means) ** 2 / (2 * variances)


def e_step(x, weights, means, variances):
    log_joint = _log_joint(x, weights, means, variances)
    top = log_joint.max(axis=1, keepdims=True)
    log_p = top + np.log(np.exp(log_joint - top).sum(axis=1, keepdims=True))
    return np.exp(log_joint - log_p), log_p.sum()


def _e_cases():
    return [
        (np.array([0.0, 1, 2, 8, 9, 10]), np.array([0.5, 0.5]), np.array([1.0, 8]), np.array([4.0, 4])),
        (np.array([0.3, 1.7, -2.2]), np.array([0.2, 0.5, 0.3]), np.array([0.0, 1, -3]), np.array([0.7, 1.6, 0.4])),
        (np.array([0.0, 3.0, 900.0]), np.array([0.9, 0.1]), np.array([0.0, 5]), np.array([1.0, 2.5])),
    ]


def _e(density=None, weights=True, total=None):
    """Return an E-step with another density, without weights, or with another log-likelihood."""
    density = density or (lambda a, v: -0.5 * np.log(2 * np.pi * v) - a**2 / (2 * v))

    def wrong(x, w, m, v):
        L = (np.log(w) if weights else 0) + density(x[:, None] - m, v)
        top = L.max(axis=1, keepdims=True)
        p = top + np.log(np.exp(L - top).sum(axis=1, keepdims=True))
        return np.exp(L - p), (total or (lambda p, L: p.sum()))(p, L)

    return wrong


@exercise(
    "21.2",
    "The E-step",
    start="Which two factors does p(x, z = k) have?",
    hints=[
        "Work with logarithms: ln weight + ln density, for each point and component, shape (n, K).",
        "Subtract each row's maximum before exp, and add it again after log: far points then give no 0/0.",
    ],
    solution=e_step,
    explanation="Only differences of logarithms enter the shares, so the largest may be taken out of each row.",
)
def _(answer):
    slips = [
        (_e(weights=False), "The weights are missing: ln weight + ln density."),
        (
            _e(lambda a, v: -0.5 * np.log(2 * np.pi * v**2) - a**2 / (2 * v**2)),
            "variances are σ² already: do not square them.",
        ),
        (
            _e(lambda a, v: -0.5 * np.log(v) - a**2 / (2 * v)),
            "The 2π of the density is missing: the shares do not need it, the log-likelihood does.",
        ),
        (_e(lambda a, v: -(a**2) / (2 * v)), "The factor 1/√(2πσ²) is missing. It differs between components."),
        (_e(lambda a, v: -0.5 * np.log(2 * np.pi * v) - a**2 / v), "The exponent is -(x - μ)²/(2σ²): a 2 is missing."),
        (
            _e(lambda a, v: -np.log(2 * np.pi * v) - a**2 / (2 * v)),
            "The density has the root of 2πσ²: half its logarithm.",
        ),
        (_e(total=lambda p, L: p.mean()), "You return the mean log-likelihood. Asked is the sum over the points."),
        (_e(total=lambda p, L: -p.sum()), "The log-likelihood has the wrong sign."),
        (_e(total=lambda p, L: L.sum()), "ln p(x) is the logarithm of the sum over k, not the sum of the logarithms."),
        (_e(total=lambda p, L: L.max(axis=1).sum()), "ln p(x) sums over all components, not only the largest."),
        (_e(total=lambda p, L: np.exp(p).sum()), "You sum the densities. The log-likelihood sums their logarithms."),
        (
            lambda *a: (np.exp(_log_joint(*a)), e_step(*a)[1]),
            "Those are the joint densities. Divide each row by its sum: the shares of a point sum to 1.",
        ),
        (
            lambda *a: (np.exp(_log_joint(*a) - np.logaddexp.reduce(_log_joint(*a))), e_step(*a)[1]),
            "Your columns sum to 1. The shares of one point, a row, do.",
        ),
        (
            lambda *a: (e_step(*a)[0], (e_step(*a)[0] * _log_joint(*a)).sum()),
            "That is Q of (21.11), without the entropies. The log-likelihood sums ln of the sum over k.",
        ),
        (
            lambda *a: (e_step(*a)[0], e_step(*a)[1] / np.log(10)),
            "The logarithm is the natural one.",
        ),
        (lambda *a: (e_step(*a)[0].T, e_step(*a)[1]), "Rows belong to points, columns to components: transpose."),
        (
            lambda x, w, m, v: (np.eye(len(w))[e_step(x, w, m, v)[0].argmax(axis=1)], e_step(x, w, m, v)[1]),
            "Those are hard labels. Asked are the shares.",
        ),
    ]
    cases = _e_cases()
    far = _tried(answer, cases, 2)
    shares, total = _part(far, 0, (3, 2)), _part(far, 1, ())
    if (shares is not None and np.isnan(shares).any()) or (total is not None and not np.isfinite(total)):
        raise Wrong(
            "At x = 900 both densities underflow to 0, and 0/0 is nan. Subtract the largest logarithm of each row "
            "before exp: one for all points does not help the far ones."
        )
    expect_function(answer, e_step, cases, "The E-step", slips=slips, names="shares, log-likelihood")
    return "Right, also where every density is too small for a double."


def m_step(x, r):
    N = r.sum(axis=0)
    means = r.T @ x / N
    variances = (r * (x[:, None] - means) ** 2).sum(axis=0) / N
    return N / len(x), means, variances


def _m_cases():
    rng = np.random.default_rng(213)
    cases = [(np.array([1.0, 13, 15]), np.array([[1.0, 0], [0.2, 0.8], [0, 1]]))]
    for n, k in ((6, 2), (9, 3), (5, 4)):
        cases.append((rng.normal(size=n) * 3 + 1, rng.dirichlet(np.ones(k), n)))
    return cases


def _m(weights=None, means=None, variances=None):
    """Return an M-step with one formula replaced; each gets x, r, N and the right means."""

    def wrong(x, r):
        N = r.sum(axis=0)
        mu = r.T @ x / N
        m = means(x, r, N) if means else mu
        v = variances(x, r, N, m) if variances else (r * (x[:, None] - m) ** 2).sum(axis=0) / N
        return (weights(x, r, N) if weights else N / len(x)), m, v

    return wrong


@exercise(
    "21.3",
    "The M-step",
    start="N = r.sum(axis=0): how many points each component has, in shares.",
    hints=[
        "Weights N / n, means r.T @ x / N.",
        "The variances use the new means: (r * (x[:, None] - means) ** 2).sum(axis=0) / N.",
    ],
    solution=m_step,
    explanation="Every formula is the one for known labels, with shares in the place of 0 and 1.",
)
def _(answer):
    def spread(x, m):
        return (x[:, None] - m) ** 2

    slips = [
        (_m(weights=lambda x, r, N: N), "Those are the counts N. The weights are their share of n: they sum to 1."),
        (_m(weights=lambda x, r, N: np.full(len(N), 1 / len(N))), "Your weights are all equal. They are N / n."),
        (_m(weights=lambda x, r, N: N / len(N)), "Divide N by the number of points, not of components."),
        (_m(means=lambda x, r, N: r.T @ x / len(x)), "Divide the means by N, not by n."),
        (_m(means=lambda x, r, N: r.T @ x), "Divide the means by N."),
        (_m(means=lambda x, r, N: np.full(len(N), x.mean())), "Your means ignore the shares."),
        (
            _m(means=lambda x, r, N: np.array([x[r.argmax(axis=1) == k].mean() for k in range(len(N))])),
            "You made hard labels first. Every point counts in every component, by its share.",
        ),
        (
            _m(variances=lambda x, r, N, m: (r * spread(x, m)).sum(axis=0) / len(x)),
            "Divide the variances by N, not by n.",
        ),
        (_m(variances=lambda x, r, N, m: (r * spread(x, m)).sum(axis=0)), "Divide the variances by N."),
        (
            _m(variances=lambda x, r, N, m: (r * spread(x, m)).sum(axis=0) / (N - 1)),
            "The M-step divides by N, not by N - 1.",
        ),
        (
            _m(variances=lambda x, r, N, m: np.sqrt((r * spread(x, m)).sum(axis=0) / N)),
            "Those are standard deviations. Asked are variances.",
        ),
        (
            _m(variances=lambda x, r, N, m: (r * spread(x, x.mean())).sum(axis=0) / N),
            "Take the distances from the component's own new mean.",
        ),
        (_m(variances=lambda x, r, N, m: spread(x, m).mean(axis=0)), "Weigh the squares with the shares."),
        (_m(variances=lambda x, r, N, m: (r**2 * spread(x, m)).sum(axis=0) / N), "The shares are not squared."),
        (_m(variances=lambda x, r, N, m: r.T @ x**2 / N), "That is the mean of x². Subtract the square of the mean."),
        (lambda x, r: m_step(x, r)[::-1], "The order is weights, means, variances."),
    ]
    expect_function(answer, m_step, _m_cases(), "The M-step", slips=slips, names="weights, means, variances")
    return "Right. With the E-step of 21.2 this is all of EM."


def silhouettes(D, labels):
    labels = np.asarray(labels)
    s = np.zeros(len(D))
    for i in range(len(D)):
        own = labels == labels[i]
        if own.sum() > 1:
            a = D[i, own].sum() / (own.sum() - 1)
            b = min(D[i, labels == k].mean() for k in set(labels.tolist()) - {labels[i].item()})
            s[i] = (b - a) / max(a, b)
    return s


def _silhouette_cases():
    def table(x):
        x = np.asarray(x, dtype=float)
        return np.abs(x[:, None] - x)

    rng = np.random.default_rng(214)
    X = rng.normal(size=(9, 2)) * 2
    D = np.sqrt(((X[:, None] - X) ** 2).sum(axis=2))
    return [
        (table([0, 2, 5, 6, 10]), np.array([0, 0, 1, 1, 1])),
        (D, np.array([2, 0, 1, 0, 2, 1, 1, 0, 2])),
        (table([0, 1, 7, 3, 20]), np.array([2, 2, 7, 7, 5])),  # one point alone, and labels with gaps
        (table([0, 0, 1, 4, 5.5]), np.array([1, 1, 1, 0, 0])),  # two equal points
    ]


def _s(own_self=False, b=None, last=None, alone=0.0):
    """Return silhouettes with one part replaced."""

    def wrong(D, labels):
        out = np.empty(len(D))
        for i in range(len(D)):
            own = labels == labels[i]
            a = D[i, own].mean() if own_self else D[i, own].sum() / max(own.sum() - 1, 1)
            others = [D[i, labels == k] for k in np.unique(labels) if k != labels[i]]
            far = min(map(np.mean, others)) if b is None else b(others)
            value = (far - a) / max(a, far) if last is None else last(a, far)
            out[i] = alone if own.sum() == 1 and alone is not None else value
        return out

    return wrong


def _no_zeros(D, labels):
    """Return silhouettes that leave out the point itself by its distance 0."""
    out = silhouettes(D, labels)
    for i in range(len(D)):
        near = D[i, (labels == labels[i]) & (D[i] > 0)]
        if len(near):
            a, b = near.mean(), min(D[i, labels == k].mean() for k in np.unique(labels) if k != labels[i])
            out[i] = (b - a) / max(a, b)
    return out


@exercise(
    "21.4",
    "Silhouettes from distances",
    start="For each point: its own group without itself, and every other group.",
    hints=[
        "a is D[i, own].sum() / (own.sum() - 1): the point's own 0 is in the sum and not in the count.",
        "b is the least of the means D[i, labels == k].mean() over the other groups. Alone in its group: 0.",
    ],
    solution=silhouettes,
    explanation="The mean over a group that contains the point itself would count its distance 0 to itself.",
)
def _(answer):
    slips = [
        (_s(own_self=True), "You counted the point itself among its group: leave it out of a."),
        (_no_zeros, "Two points may be equal: leave out the point itself, not every distance 0."),
        (_s(b=lambda o: min(map(np.min, o))), "b is a mean over a whole group, not the distance to the nearest point."),
        (_s(b=lambda o: max(map(np.mean, o))), "b belongs to the nearest other group: take the least mean."),
        (_s(b=lambda o: np.concatenate(o).mean()), "b belongs to the nearest other group, not to all others together."),
        (_s(b=lambda o: np.mean(o[0])), "Compare all other groups, and take the least mean."),
        (_s(last=lambda a, b: (a - b) / max(a, b)), "It is b - a: positive where the point is near its own group."),
        (_s(last=lambda a, b: (b - a) / b), "Divide by the larger of a and b; b may be the smaller."),
        (_s(last=lambda a, b: (b - a) / a if a else 0.0), "Divide by the larger of a and b."),
        (_s(last=lambda a, b: b - a), "Divide by the larger of a and b."),
        (_s(last=lambda a, b: (b - a) / (a + b)), "Divide by the larger of a and b, not by their sum."),
        (_s(alone=None), "A point that is alone in its group gets 0 by definition; yours gets 1."),
        (lambda D, labels: silhouettes(D**2, labels), "D holds distances. Do not square them."),
        (lambda D, labels: np.maximum(silhouettes(D, labels), 0), "Silhouettes may be negative: keep their sign."),
        (_s(alone=-1.0), "A point that is alone in its group gets 0 by definition."),
        (_s(alone=1.0), "A point that is alone in its group gets 0 by definition."),
        (lambda D, labels: silhouettes(D, labels).mean(), "That is the mean. Asked is one value for each point."),
    ]
    cases = _silhouette_cases()
    result = _part(_tried(answer, cases, 2), None, (5,))
    if result is not None and np.isnan(result[:4]).any():
        raise Wrong("Labels need not be 0, 1, 2, …; with 2, 2, 7, 7, 5 you get nan. Take those that occur: np.unique.")
    if result is not None and np.isnan(result[4]):
        raise Wrong("A point that is alone in its group has no a: 0/0 is nan. By definition it gets 0.")
    expect_function(answer, silhouettes, cases, "The array of silhouettes", slips=slips)
    return "Right. Their mean is what `silhouette` returns."


def mixture_bic(log_likelihood, k, d, n):
    parameters = (k - 1) + k * d + k * d * (d + 1) // 2
    return -2 * log_likelihood + parameters * np.log(n)


@exercise(
    "21.5",
    "The price of a component",
    start="How many numbers describe one mean, and one covariance matrix?",
    hints=["A covariance matrix is symmetric: d (d + 1)/2 numbers.", "The K weights sum to 1: K - 1 are free."],
    solution=mixture_bic,
    explanation="K - 1 weights, K d means, K d(d + 1)/2 entries of covariances; each costs ln n.",
)
def _(answer):
    def with_count(count):
        return lambda l, k, d, n: -2 * l + count(k, d) * np.log(n)

    slips = [
        (with_count(lambda k, d: k + k * d + k * d * (d + 1) // 2), "The weights sum to 1: K - 1 of them are free."),
        (with_count(lambda k, d: k * d + k * d * (d + 1) // 2), "The weights are missing: K - 1 of them are free."),
        (with_count(lambda k, d: k - 1 + k * d + k * d * d), "A covariance matrix is symmetric: d (d + 1)/2 numbers."),
        (with_count(lambda k, d: k - 1 + k * d + k * d), "Covariances between features are missing: d (d + 1)/2 each."),
        (with_count(lambda k, d: k - 1 + k * d), "The covariances are missing: d (d + 1)/2 numbers each."),
        (with_count(lambda k, d: k - 1 + k * d * (d + 1) // 2), "K d numbers are missing: means, or the diagonals."),
        (with_count(lambda k, d: k - 1 + k * d + d * (d + 1) // 2), "Every component has a covariance of its own."),
        (with_count(lambda k, d: k - 1 + k * d + k), "That is one variance each. A full one has d (d + 1)/2 numbers."),
        (lambda l, k, d, n: -2 * l + mixture_bic(0, k, d, n) / np.log(2), "The logarithm is the natural one."),
        (lambda l, k, d, n: -2 * l + mixture_bic(0, k, d, n) / np.log(10), "The logarithm is the natural one."),
        (with_count(lambda k, d: k), "Count the free parameters, not the components."),
        (lambda l, k, d, n: 2 * l + (mixture_bic(0, k, d, n)), "The likelihood enters with -2: a good fit lowers BIC."),
        (lambda l, k, d, n: -l + mixture_bic(0, k, d, n), "The factor 2 before the log-likelihood is missing."),
        (lambda l, k, d, n: -2 * l - mixture_bic(0, k, d, n), "Parameters cost: their term is added."),
        (lambda l, k, d, n: -2 * l + 2 * mixture_bic(0, k, d, np.e), "That is AIC. BIC has ln n in the place of 2."),
        (lambda l, k, d, n: -2 * l + mixture_bic(0, k, d, np.e) * n, "Each parameter costs ln n, not n."),
        (lambda l, k, d, n: l - mixture_bic(0, k, d, n) / 2, "That is -1/2 times (21.20). Keep to its form."),
    ]
    cases = [(-500.0, 3, 2, 150), (-812.5, 1, 4, 60), (37.25, 5, 3, 1000), (-90.0, 2, 1, 31)]
    expect_function(answer, mixture_bic, cases, "The BIC", slips=slips)
    return "Right. In 13 dimensions one more component costs 105 parameters."

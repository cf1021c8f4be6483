"""Tasks and exercises of chapter 21: distortion, k-means, starts, shares, the bound, M-steps, silhouettes, BIC."""

import numpy as np
from numpy import exp, log

from mlteach.exercises.base import Wrong, call
from mlteach.exercises.tasks import number, task

task("21.a", "Another cut",
    start="Where is the best centre of a group?",
    hints=[
        "The best centre of a group is its mean, by (21.2).",
        "The means are 3.5 and 44/3. J is the sum of the squared distances of all seven numbers from their own mean.",
    ],
    center=number("The second centre", "(9 + 10 + 25) / 3", to=0.006, slips="""
        10     | That is the median of the group. The squared distances are least from its mean.
        3.5    | That is the centre of the first group. Asked is the second, {9, 10, 25}.
        44     | That is the sum of the group. Divide by its three members.
        44 / 4 | The second group has three members: divide by 3.
        44 / 2 | The second group has three members: divide by 3.
        58 / 7 | That is the mean of all seven numbers. Take the group {9, 10, 25} alone.
        17     | That is the middle between 9 and 25. The squared distances are least from the mean.
        13     | 13 is the mean of {8, 9, 10, 25}. Here 8 belongs to the other group.
        """),
    J=number("J", "29 + 482 / 3", to=0.06, slips="""
        29                   | That is the part of the first group. Add that of the second.
        482 / 3              | That is the part of the second group. Add that of the first.
        9 + 62 / 3           | You added the distances. J adds their squares.
        569 / 21             | You divided by the number of points. J is a sum.
        569 / 6              | You divided by the number of groups. J is a sum.
        29 / 4 + 482 / 9     | You added the variances. J adds the squares, without dividing.
        29 / 3 + 482 / 6     | You added the variances. J adds the squares, without dividing.
        196                  | That is J of the cut after 3, with the centres 2 and 13. Here 8 is in the first group.
        29 + 227             | You measured the second group from its median, 10. Take its mean.
        (569 / 3) ** 0.5     | That is the root of J. Asked is J.
        """),
    right="Right. It is less than 196, where k-means stopped: a better cut was one point away.",
    explanation="The means are 3.5 and 14.667; 29 + 160.667 = 189.667.",
)  # fmt: skip

task("21.b", "Three rounds by hand",
    start="Which points are nearer to 1 than to 2?",
    hints=[
        "Only 1 chooses the first centre. The second moves to the mean of the other five.",
        "After the first round the centres are 1 and 6.8, after the second 1.5 and 8. Now 4 changes sides.",
    ],
    slips="""
        (1, 6.8)      | Those are the centres after one round. Two more are asked for: choose, then move.
        (1, 2)        | Those are the centres at the start. Do three rounds: choose, then move.
        (1.5, 8)      | Those are the centres after two rounds. Do one more: choose, then move.
        (3, 11.5)     | Those are the centres at the end, after four rounds. Asked is the third.
        (2, 11)       | You took medians. A centre moves to the mean of its points.
        (7 / 3, 8)    | Both centres move in each round, to the means of the points that chose them.
        (1.5, 28 / 3) | Both centres move in each round, to the means of the points that chose them.
        (28 / 3, ...) | The first centre is the one that started at 1, the smaller number.
        """,
    first=number("The first centre", "(1 + 2 + 4) / 3", to=0.006, slips="""
        2   | You took the median of {1, 2, 4}. The centre moves to the mean.
        3   | 5 is nearer to 8 than to 1.5: it joins in the fourth round only.
        7   | That is the sum of {1, 2, 4}. The centre moves to their mean.
        """),
    second=number("The second centre", "(5 + 11 + 12) / 3", to=0.006, slips="""
        11   | You took the median of {5, 11, 12}. The centre moves to the mean.
        6.8  | That is where it was after the first round.
        11.5 | 5 is nearer to 8 than to 1.5: it stays in the second group for one more round.
        28   | That is the sum of {5, 11, 12}. The centre moves to their mean.
        28 / 4 | Three points chose the second centre: divide by 3.
        """),
    right="Right. One round later the centres are 3 and 11.5, and there they stay.",
    explanation="Centres 1 and 6.8, then {1, 2} and the rest: 1.5 and 8, then {1, 2, 4} and {5, 11, 12}: 7/3 and 28/3.",
)  # fmt: skip

task("21.c", "Far points first",
    start="How far is each point from the nearest centre so far?",
    hints=["Square the distances: 1, 0, 9, 81.", "81 out of 91. Then, with centres at 1 and 10, 1 and 9 are left."],
    second=number("The chance of 10", "9**2 / (1**2 + 3**2 + 9**2)", to=0.006, slips="""
        9 / 13    | Square the distances: (21.4) has D².
        81        | That is D². Divide by the sum over all points.
        1 / 3     | Those are equal chances. In k-means++ a far point is more likely.
        1 / 4     | Those are equal chances. In k-means++ a far point is more likely.
        100 / 117 | The distances are measured from the first centre, 1, not from 0.
        81 / 90   | The squared distances of all points count: 1 for the point 0 as well.
        81 / 92   | The centre itself has distance 0: the sum is 91.
        1         | The farthest point is likely, not certain.
        81 / 82   | The squared distances of all points count: 9 for the point 4 as well.
        9 / 91    | That is the chance of the point 4; or the square is missing above the line, where 9² belongs.
        10 / 15   | You took the places of the points. The chance goes with the squared distance from the centre.
        """),
    third=number("The chance of 4", "3**2 / (1**2 + 3**2)", to=0.006, slips="""
        3 / 4         | Square the distances: 1 and 9.
        0.9 * 81 / 91 | That is the chance of both draws; asked is the third, given that 10 was the second. Or you took
            the places, 4 and 1: the chance goes with the squared distance.
        9 / 46        | The point 4 is nearer to 1 than to 10: D is the distance to the nearest centre.
        36 / 37       | The point 4 is nearer to 1 than to 10: D is the distance to the nearest centre.
        36 / 136      | The point 4 is nearer to 1 than to 10: D is the distance to the nearest centre.
        0.5           | Those are equal chances. The point 4 is three times as far away as 0, and squares count.
        0.1           | That is the chance of the point 0; or 10 still counts in your sum, though it is a centre now.
        1             | The point 0 is left as well, with D² = 1.
        9             | That is D². Divide by the sum over all points.
        45 / 146      | You added the squared distances to both centres. D is the distance to the nearest one.
        """),
    right="Right. Three draws, three places: rarely do two centres fall into one cloud.",
    explanation="From 1 the squared distances are 1, 0, 9, 81: 81/91. With 1 and 10 chosen, 1, 0, 9, 0: 9/10.",
)  # fmt: skip

E4 = float(exp(4))
SHARE, BORDER = 0.2 * E4 / (0.2 * E4 + 0.8), float(2 - log(4) / 4)

task("21.d", "Shares",
    start="What are both terms of (21.6) at x = 1?",
    hints=[
        "The ratio of the densities is exp(-1/2) / exp(-9/2) = exp(4). The weights multiply it.",
        "r = 0.2 e⁴ / (0.2 e⁴ + 0.8). The border solves 0.2 exp(-x²/2) = 0.8 exp(-(x - 4)²/2): take logarithms.",
    ],
    share=number("The share", "0.2 * E4 / (0.2 * E4 + 0.8)", to=0.0006, slips="""
        E4 / (E4 + 1)                      | The weights are missing: 0.2 and 0.8 multiply the densities.
        1 - SHARE                          | That is the share of the second component.
        0.8 * E4 / (0.8 * E4 + 0.2)        | The weights are exchanged: 0.2 belongs to N(0, 1).
        0.2                                | That is the weight, the share before x was seen.
        0.25 * E4                          | That is the ratio of the two terms. The share is one term over their sum.
        0.2 * exp(8) / (0.2 * exp(8) + .8) | The ½ in the exponent is missing: exp(-x²/2).
        0.2 * exp(-0.5) / (2 * np.pi)**0.5 | That is the joint density. Divide by the sum of both.
        0.2 * exp(2) / (0.2 * exp(2) + .8) | The distances are squared: 1² and 3² in the exponents.
        0.2 * exp(1) / (0.2 * exp(1) + .8) | The distances are squared: 1² and 3² in the exponents.
        """),
    border=number("The border", "2 - log(4) / 4", to=0.0006, slips="""
        2                    | Half way the densities are equal, but not the weights: the border moves towards the
            rarer component.
        2 + log(4) / 4       | The other way: the rarer component gets less room.
        2 - np.log10(4) / 4  | The logarithm is the natural one.
        2 - log(4)           | Divide the logarithm by the distance of the means, 4.
        2 - log(2) / 4       | The ratio of the weights is 4, not 2; or the ½ of the exponents is missing.
        2 - log(4) / 2       | The difference of the exponents is 8 - 4x: check its factor.
        0.8                  | That weighs the two means by their probabilities. Set the two terms equal.
        3.2                  | That is the mean of the whole mixture. Set the two terms equal.
        2 - log(0.8) / 4     | The logarithm is that of the ratio of the weights, 0.8/0.2, not of one weight.
        -log(4) / 4          | That is the shift alone. It is counted from half way between the means, 2.
        """),
    right="Right. The rarer component gives ground: the border is not half way.",
    explanation="0.2 e⁴ = 10.92, so r = 10.92/11.72 = 0.932. The border: 4(2 - x) = ln 4, so x = 2 - 0.347 = 1.653.",
)  # fmt: skip

BOUND = 0.5 * log(0.12) + 0.5 * log(0.08)

task("21.e", "A bound by hand",
    start="What does (21.9) say with q = (0.5, 0.5)?",
    hints=["0.5 ln(0.06/0.5) + 0.5 ln(0.04/0.5).", "The gap is ln 0.1 minus the bound."],
    bound=number("The bound", "0.5 * log(0.06 / 0.5) + 0.5 * log(0.04 / 0.5)", to=0.004, slips="""
        0.5 * log(0.06) + 0.5 * log(0.04)         | The q under the fraction is missing: ln(p/q), not ln p.
        log(0.1)                                  | That is ln p(x), what the bound stays below.
        log(0.12) + log(0.08)                     | Each logarithm has the weight q = 0.5.
        -2.52887                                  | That is the bound for q = (0.9, 0.1).
        0.06 * log(0.12) + 0.04 * log(0.08)       | The weights are q, not p(x, z).
        0.6 * log(0.12) + 0.4 * log(0.08)         | The weights are q = 0.5, not the posterior.
        0.5 * log(0.6 / 0.5) + 0.5 * log(0.4/0.5) | Put p(x, z) into the fraction, not the posterior p(z | x).
        BOUND / log(10)                           | The logarithm is the natural one.
        BOUND / log(2)                            | The logarithm is the natural one.
        -BOUND                                    | The sign is wrong: both fractions are smaller than one.
        exp(BOUND)                                | That is e to the bound. The bound itself is a sum of logarithms.
        0.5 * log(0.06) + 0.5 * log(0.04) - log(2) | The entropy of q is added, not subtracted: ln(p/q) = ln p - ln q.
        """),
    gap=number("The gap", "log(0.1) - BOUND", to=6e-5, slips="""
        BOUND - log(0.1)              | The gap is ln p(x) minus the bound: it is never negative.
        0.6 * log(1.2) + .4 * log(.8) | That is KL(posterior ‖ q). The gap is KL(q ‖ posterior).
        0.22629                       | That is the gap for q = (0.9, 0.1).
        0                             | It would be zero only if q were the posterior (0.6, 0.4).
        (log(0.1) - BOUND) / log(2)   | The logarithm is the natural one; those are bits.
        0.1 - exp(BOUND)              | Subtract the logarithms, not the probabilities.
        -BOUND                        | That is the bound without its sign. Compare q with the posterior, p(x, z)/p(x),
            or subtract the bound from ln p(x).
        """),
    right="Right. A guess nearer to the posterior, (0.6, 0.4), lies closer to the likelihood.",
    explanation="The bound is -2.3230, ln p(x) = ln 0.1 = -2.3026, the gap 0.0204; the posterior is (0.6, 0.4).",
)  # fmt: skip

task("21.f", "An M-step by hand",
    start="How many points does component 1 have, counted in shares?",
    hints=[
        "N₁ = 1 + 0.2 + 0 = 1.2, of n = 3 points.",
        "The mean is (1·1 + 0.2·13)/1.2; the variance averages (x - mean)² with the same shares.",
    ],
    slips="""
        (0.6, 127 / 9, 80 / 81) | Those are the numbers of component 2. Asked is component 1.
        (..., 1, 0) | You gave each point to one component, and only 1 is left for this one. Count 0.2 of the point 13,
            too.
        """,
    weight=number("The weight", "(1 + 0.2) / 3", to=0.006, slips="""
        1.2   | That is N₁. The weight is its share of all n = 3 points.
        0.6   | Divide N₁ by n = 3: the third point counts as well. (Or that is the weight of component 2.)
        0.5   | The new weights need not be equal: N₁ / n.
        1 / 3 | Count the shares, not the points that are certain.
        2 / 3 | Count the shares: 1 + 0.2 + 0 = 1.2 of 3.
        """),
    mean=number("The mean", "(1 + 0.2 * 13) / (1 + 0.2)", to=0.006, slips="""
        1.2    | Divide by N₁ = 1.2, the sum of the shares, not by n.
        7      | Weigh with the shares: the point 13 counts 0.2.
        3.6    | Divide by N₁ = 1.2, the sum of the shares.
        29 / 3 | That is the mean of all points. Weigh them with the shares.
        1.8    | Divide by N₁ = 1.2, the sum of the shares, not by the number of points with a share.
        """),
    variance=number("The variance", "((1 - 3)**2 + 0.2 * (13 - 3)**2) / (1 + 0.2)", to=0.006, slips="""
        20**0.5     | That is the standard deviation. Asked is the variance.
        10 / 3      | Square the distances from the mean.
        24          | Divide by N₁ = 1.2, the sum of the shares.
        8           | Neither divide by n, nor square the shares: Σ r (x - mean)² / N₁.
        12          | Divide by N₁ = 1.2, not by the number of points with a share.
        20 / 3      | The shares are not squared: 0.2 (x - mean)².
        52          | The point 13 counts 0.2 in the variance, too.
        104 / 1.2   | The point 13 counts 0.2 in the variance, too.
        120         | Divide by N₁ = 1.2; EM's M-step has no N - 1.
        29          | Take the distances from the new mean, 3; or subtract its square from the mean of x².
        344 / 9     | That is the variance of all three points. Weigh with the shares.
        248 / 3     | Weigh the squares with the shares: the point 15 counts 0.
        36          | Take the distances from the new mean, 3.
        696 / 10.8  | Take the distances from the new mean, 3.
        """),
    right="Right. A weighted mean, a weighted variance: counting, with fractions of points.",
    explanation="N = 1.2; weight 1.2/3 = 0.4; mean 3.6/1.2 = 3; variance (2² + 0.2·10²)/1.2 = 20.",
)  # fmt: skip

task("21.g", "Two silhouettes",
    start="How far is the point from its own group, and how far from the other?",
    hints=["For 2: a = 2, b = (3 + 4 + 8)/3.", "For 5: a = (1 + 5)/2, b = (5 + 3)/2."],
    slips="""
        (77 / 89, 4 / 17) | You squared the distances, as J does. A silhouette takes the distances themselves.
        (0.425, 0.425)    | That is the mean of the two. Asked is each of them.
        (21 / 25, 7 / 16) | You squared a and b. A silhouette takes them as they are.
        """,
    of_two=number("The silhouette of 2", "(5 - 2) / max(2, 5)", to=0.003, slips="""
        0.8   | a is the mean distance to the other points: the point itself does not count, nor does a centre.
        3     | That is b - a. Divide by the larger of the two.
        1.5   | You divided by a. Divide by the larger of a and b.
        -0.6  | It is b - a, not a - b: the point is nearer to its own group.
        1 / 3 | b is the mean distance to all three points of the other group, not to the nearest.
        0.75  | b is the mean distance to all three points of the other group, not to the farthest.
        0.4   | That is a/b. The silhouette is (b - a)/max(a, b).
        3 / 7 | Divide by the larger of a and b, not by their sum.
        """),
    of_five=number("The silhouette of 5", "((5 + 3) / 2 - 3) / max(3, 4)", to=0.003, slips="""
        0.5   | a is the mean distance to the other two, (1 + 5)/2: without the point itself, and not to a centre.
        2 / 3 | a is the mean distance to both other points of its group, not to the nearest.
        1     | That is b - a. Divide by the larger of the two.
        1 / 3 | You divided by a. Divide by the larger of a and b.
        -0.25 | It is b - a, not a - b.
        0     | b is the mean distance to both points of the other group, (5 + 3)/2.
        0.75  | That is a/b. The silhouette is (b - a)/max(a, b).
        1 / 7 | Divide by the larger of a and b, not by their sum.
        0.4   | b is the mean distance to both points of the other group, (5 + 3)/2, not to the farther one.
        -0.2  | a is the mean distance to the other two, (1 + 5)/2, not to the farther one.
        0.2   | Divide by the larger of a = 3 and b = 4, not by the largest distance.
        0.3   | That is rounded too far: give two decimals.
        """),
    right="Right. The point 5 sits near the edge of its group, and its silhouette says so.",
    explanation="Point 2: a = 2, b = 5, s = 3/5. Point 5: a = 3, b = 4, s = 1/4.",
)  # fmt: skip


def kmeans_round(X, centers):
    distance = ((X[:, None] - centers) ** 2).sum(axis=2)
    labels = distance.argmin(axis=1)
    moved = np.array(centers, dtype=float)
    for k in range(len(centers)):
        if (labels == k).any():
            moved[k] = X[labels == k].mean(axis=0)
    return labels, moved


def round_cases():
    rng = np.random.default_rng(211)
    X = rng.normal(size=(12, 2)) * [3.0, 1.0]
    return [
        (np.array([[0.0, 0], [0, 1], [4, 0], [4, 1]]), np.array([[0.0, 0.0], [4.0, 1.0]])),
        (X, X[:3] + 0.1),
        (X, np.array([[-1.0, 0.5], [40.0, 40.0], [2.0, 0.0], [0.3, -0.8]])),  # the second centre gets no point
        (rng.normal(size=(9, 3)) + [5.0, 0, -2], rng.normal(size=(2, 3)) + [5.0, 0, -2]),
        (np.array([[0.0], [1], [5]]), np.array([[0], [5]])),  # whole numbers: the means are none
        (np.array([[0.0, 1], [5, 5]]), np.array([[9.0, 9], [0, 3], [5, 4]])),  # more centres than points
    ]


def points_choose(answer):
    """Raise Wrong where the centres choose: as many points as centres, or the labels would stop the function."""
    got = call(answer, np.array([[1.0], [2], [9]]), np.array([[1.2], [8], [-30]]))
    if isinstance(got, tuple) and got and np.array_equal(got[0], [0, 2, 0]):
        raise Wrong("Your minimum runs over the points. Each point chooses among the centres: axis=1.")


def relabelled(X, centers):
    _, moved = kmeans_round(X, centers)
    return kmeans_round(X, moved)[0], moved


def sent_away(X, centers):
    labels, moved = kmeans_round(X, centers)
    far = np.argmax(((X - moved[labels]) ** 2).sum(axis=1))
    return labels, np.where(np.isin(np.arange(len(moved)), labels)[:, None], moved, X[far])


def several_rounds(n):
    def rounds(X, centers):
        for _ in range(n):
            labels, centers = kmeans_round(X, centers)
        return labels, centers

    return rounds


task("21.1", "One round of k-means", kmeans_round, cases=round_cases, what="The round", names="labels, centres",
    guard=points_choose,
    start="Which of the given centres is nearest to each point?",
    hints=[
        "All squared distances at once: ((X[:, None] - centers) ** 2).sum(axis=2) has the shape (n, K).",
        "Copy the centres, and overwrite those that have points with the mean of X[labels == k].",
    ],
    slips=["""
        argmin => argmax | Your points choose the farthest centre. The nearest has the least distance: argmin.
        ((X[:, None] - centers) ** 2).sum(axis=2) => -(X @ centers.T) | You take the largest dot product. The nearest
            centre has the least distance.
        moved = np.array(centers, dtype=float) => moved = np.array(centers, dtype=float); moved[:] =
            X[distance.min(axis=1).argmax()] | A centre without points should stay where it was; yours goes to the
            farthest point, as in the package.
        return labels, moved => return labels, (centers + moved) / 2 | Your centres go half way. They move to the mean
            itself.
        ((X[:, None] - centers) ** 2) => abs(X[:, None] - centers) | You measure |x₁ - c₁| + |x₂ - c₂|. k-means squares
            the differences.
        ((X[:, None] - centers) ** 2).sum(axis=2) => (X[:, None] - centers).sum(axis=2) ** 2 | Square the differences
            first, then sum over the features.
        ((X[:, None] - centers) ** 2).sum(axis=2) => abs(X[:, None] - centers).max(axis=2) | You compare the largest
            difference of each pair. k-means sums the squares of all of them.
        X[labels == k].mean(axis=0) => np.median(X[labels == k], axis=0) | Your centres move to the median. J is least
            at the mean.
        .mean(axis=0) => .mean() | Your mean runs over the features, too: mean(axis=0).
        np.array(centers, dtype=float) => np.zeros(np.shape(centers)) | A centre without points should stay where it
            was; yours moves to 0.
        if (labels == k).any(): => if True: | The mean of no points is nan. A centre that nobody chose should stay where
            it was.
        dtype=float => dtype=np.asarray(centers).dtype | Whole-number centres cut off the fraction of a mean: copy them
            as floats, np.array(centers, dtype=float).
        ((X[:, None] - centers) ** 2).sum(axis=2) => abs(X[:, None, 0] - centers[:, 0]) | You compare the first feature
            only. All features count in a distance.
        return labels, moved => return labels, np.array(centers, dtype=float) | Your centres have not moved.
        return labels, moved => return moved, labels | The labels come first, then the centres.
        return labels, moved => return labels + 1, moved | Labels count from 0, as the rows of centers do.
        """,
        (sent_away, "In this exercise a centre without points stays; the package sends it to the farthest point."),
        (relabelled, "Your labels belong to the new centres. Return those from which the centres were computed."),
        (several_rounds(2), "You do two rounds. One is asked for."),
        (several_rounds(50), "You iterate to the end. One round is asked for."),
    ],
    right="Right. Repeat it until no label changes, and you have k-means.",
    explanation="The labels belong to the old centres, the new centres to these labels. An empty mean would be nan.",
)  # fmt: skip


def e_step(x, weights, means, variances):
    log_joint = np.log(weights) - 0.5 * np.log(2 * np.pi * variances) - (x[:, None] - means) ** 2 / (2 * variances)
    top = log_joint.max(axis=1, keepdims=True)
    log_p = top + np.log(np.exp(log_joint - top).sum(axis=1, keepdims=True))
    return np.exp(log_joint - log_p), log_p.sum()


UNDERFLOW = (
    "At x = 900 both densities underflow to 0, and 0/0 is nan. Subtract the largest logarithm of each row before exp: "
    "one for all points, or that of one component, does not help the far ones."
)

task("21.2", "The E-step", e_step, what="The E-step", names="shares, log-likelihood", nan=UNDERFLOW,
    cases=[
        (np.array([0.0, 1, 2, 8, 9, 10]), np.array([0.5, 0.5]), np.array([1.0, 8]), np.array([4.0, 4])),
        (np.array([0.3, 1.7, -2.2]), np.array([0.2, 0.5, 0.3]), np.array([0.0, 1, -3]), np.array([0.7, 1.6, 0.4])),
        (np.array([0.0, 3.0, 900.0]), np.array([0.9, 0.1]), np.array([0.0, 5]), np.array([1.0, 2.5])),
        (np.array([900.0, 1.0]), np.array([0.4, 0.6]), np.array([0.0, 5]), np.array([25.0, 1.0])),
    ],
    start="Which two factors does p(x, z = k) have?",
    hints=[
        "Work with logarithms: ln weight + ln density, for each point and component, shape (n, K).",
        "Subtract each row's maximum before exp, and add it again after log: far points then give no 0/0.",
    ],
    slips="""
        np.log(weights) - 0.5 => - 0.5 | The weights are missing: ln weight + ln density.
        np.pi * variances) => np.pi * variances**2) ;; / (2 * variances) => / (2 * variances**2) | variances are σ²
            already: do not square them.
        np.log(2 * np.pi * variances) => np.log(variances) | The 2π of the density is missing: the shares do not need
            it, the log-likelihood does.
        - 0.5 * np.log(2 * np.pi * variances) => | The factor 1/√(2πσ²) is missing. It differs between components.
        / (2 * variances) => / variances | The exponent is -(x - μ)²/(2σ²): a 2 is missing.
        0.5 * np.log => np.log | The density has the root of 2πσ²: half its logarithm.
        log_p.sum() => log_p.mean() | You return the mean log-likelihood. Asked is the sum over the points.
        log_p.sum() => -log_p.sum() | The log-likelihood has the wrong sign.
        log_p.sum() => np.exp(log_p.sum()) | That is the likelihood. Asked is its logarithm.
        log_p.sum() => log_joint.sum() | ln p(x) is the logarithm of the sum over k, not the sum of the logarithms.
        log_p.sum() => top.sum() | ln p(x) sums over all components, not only the largest.
        log_p.sum() => np.exp(log_p).sum() | You sum the densities. The log-likelihood sums their logarithms.
        np.exp(log_joint - log_p), => np.exp(log_joint), | Those are the joint densities. Divide each row by its sum:
            the shares of a point sum to 1.
        np.exp(log_joint - log_p), => np.exp(log_joint - np.logaddexp.reduce(log_joint)), | Your columns sum to 1. The
            shares of one point, a row, do.
        np.exp(log_joint - log_p), => np.exp(log_joint - log_p) / np.exp(log_joint - log_p).sum(axis=0), | Your columns
            sum to 1. The shares of one point, a row, do: axis=1.
        return np.exp(log_joint - log_p), log_p.sum() => p = np.exp(log_joint) + 1e-300; return p / p.sum(axis=1,
            keepdims=True), np.log(p.sum(axis=1)).sum() | A tiny number added to the densities makes the shares of far
            points equal. Subtract the largest logarithm of each row before exp.
        log_p.sum() => (np.exp(log_joint - log_p) * log_joint).sum() | That is Q of (21.11), without the entropies. The
            log-likelihood sums ln of the sum over k.
        log_p.sum() => log_p.sum() / np.log(10) | The logarithm is the natural one.
        np.exp(log_joint - log_p), => np.exp(log_joint - log_p).T, | Rows belong to points, columns to components:
            transpose.
        np.exp(log_joint - log_p), => np.eye(len(weights))[log_joint.argmax(axis=1)], | Those are hard labels. Asked are
            the shares.
        log_p = top + np.log => log_p = np.log ;; log_joint - log_p => log_joint - top - log_p | The maximum that you
            subtracted must be added again: it belongs to ln p(x).
        """,
    right="Right, also where every density is too small for a double.",
    explanation="Only differences of logarithms enter the shares, so the largest may be taken out of each row.",
)  # fmt: skip


def m_step(x, r):
    N = r.sum(axis=0)
    weights = N / len(x)
    means = r.T @ x / N
    variances = (r * (x[:, None] - means) ** 2).sum(axis=0) / N
    return weights, means, variances


def m_cases():
    rng = np.random.default_rng(213)
    cases = [(np.array([1.0, 13, 15]), np.array([[1.0, 0], [0.2, 0.8], [0, 1]]))]
    return cases + [(rng.normal(size=n) * 3 + 1, rng.dirichlet(np.ones(k), n)) for n, k in ((6, 2), (9, 3), (5, 4))]


task("21.3", "The M-step", m_step, cases=m_cases, what="The M-step", names="weights, means, variances",
    start="How many points does each component have, in shares?",
    hints=[
        "Weights N / n, means r.T @ x / N.",
        "The variances use the new means: (r * (x[:, None] - means) ** 2).sum(axis=0) / N.",
    ],
    slips="""
        N / len(x) => N                    | Those are the counts N. The weights are their share of n: they sum to 1.
        N / len(x) => N * 0 + 1 / len(N)   | Your weights are all equal. They are N / n.
        N / len(x) => N / len(N)           | Divide N by the number of points, not of components.
        N / len(x) => r.sum(axis=1) / len(x) | You sum over the components. The weights sum over the points: axis=0.
        r.T @ x / N => r.T @ x / len(x)    | Divide the means by N, not by n.
        r.T @ x / N => r.T @ x             | Divide the means by N.
        r.T @ x / N => N * 0 + x.mean()    | Your means ignore the shares.
        N = r.sum(axis=0) => N = r.sum(axis=0); r = np.eye(len(N))[r.argmax(axis=1)]; N = r.sum(axis=0) | You made hard
            labels first. Every point counts in every component, by its share.
        .sum(axis=0) / N => .sum(axis=0) / len(x)  | Divide the variances by N, not by n.
        .sum(axis=0) / N => .sum(axis=0)           | Divide the variances by N.
        .sum(axis=0) / N => .sum(axis=0) / (N - 1) | The M-step divides by N, not by N - 1.
        return weights, means, variances => return weights, means, variances**0.5 | Those are standard deviations. Asked
            are variances.
        x[:, None] - means => x[:, None] - x.mean()  | Take the distances from the component's own new mean.
        (r * (x[:, None] - means) ** 2).sum(axis=0) / N => ((x[:, None] - means) ** 2).mean(axis=0) | Weigh the squares
            with the shares.
        (r * (x[:, None] => (r**2 * (x[:, None]      | The shares are not squared.
        return weights, means, variances => return weights, means, np.full(len(N), weights @ variances) | You pooled the
            variances. Each component has its own.
        x[:, None] - means => x[:, None]             | That is the mean of x². Subtract the square of the mean.
        return weights, means, variances => return variances, means, weights | The order is weights, means, variances.
        """,
    right="Right. With the E-step of 21.2 this is all of EM.",
    explanation="Every formula is the one for known labels, with shares in the place of 0 and 1.",
)  # fmt: skip


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


def silhouette_cases():
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
        (table([0, 1, 5, 6.5, 20, 22]), np.array([-1, -1, 0, 0, 1, 1])),  # whole numbers may be negative
    ]


task("21.4", "Silhouettes from distances", silhouettes, cases=silhouette_cases, what="The array of silhouettes",
    start="How far is each point from the others of its own group, and from every other group?",
    hints=[
        "a is D[i, own].sum() / (own.sum() - 1): the point's own 0 is in the sum and not in the count.",
        "b is the least of the means D[i, labels == k].mean() over the other groups. Alone in its group: 0.",
    ],
    slips="""
        (own.sum() - 1) => own.sum() | You counted the point itself among its group: leave it out of a.
        (own.sum() - 1) => own.sum() ;; if own.sum() > 1: => if True: | You counted the point itself among its group:
            leave it out of a, and let a point alone get 0.
        D[i, own].sum() / (own.sum() - 1) => np.sort(D[i, own])[1] | a is the mean distance to all others of the group,
            not to the nearest.
        D[i, own].sum() / (own.sum() - 1) => D[i, own].max() | a is the mean distance to all others of the group, not to
            the farthest.
        min(D[i, labels == k].mean() for k in set(labels.tolist()) - {labels[i].item()}) => np.mean([D[i, labels ==
            k].mean() for k in set(labels.tolist()) - {labels[i].item()}]) | b is the least of the means over the other
            groups, not their mean.
        set(labels.tolist()) => {k for k in range(labels.max() + 1) if k in labels} | Labels may be negative: you leave
            out the group -1. Take those that occur: np.unique.
        a = D[i, own].sum() / (own.sum() - 1) => near = D[i, own & (D[i] > 0)]; a = near.mean() | Two points may be
            equal: leave out the point itself, not every distance 0.
        labels == k].mean() => labels == k].min() | b is a mean over a whole group, not the distance to the nearest
            point.
        b = min( => b = max( | b belongs to the nearest other group: take the least mean.
        min(D[i, labels == k].mean() for k in set(labels.tolist()) - {labels[i].item()}) => D[i, ~own].mean() | b
            belongs to the nearest other group, not to all others together.
        min(D[i, labels == k].mean() for k in set(labels.tolist()) - {labels[i].item()})
            => next(D[i, labels == k].mean() for k in np.unique(labels) if k != labels[i]) | Compare all other groups,
            and take the least mean.
        set(labels.tolist()) => set(range(labels.max() + 1)) | Labels need not be 0, 1, 2, …; with 2, 2, 7, 7, 5 you get
            nan. Take those that occur: np.unique.
        (b - a) / => (a - b) / | It is b - a: positive where the point is near its own group.
        / max(a, b) => / b | Divide by the larger of a and b; b may be the smaller.
        / max(a, b) => / a if a else 0.0 | Divide by the larger of a and b.
        / max(a, b) => | Divide by the larger of a and b.
        / max(a, b) => / (a + b) | Divide by the larger of a and b, not by their sum.
        if own.sum() > 1: => if True: ;; (own.sum() - 1) => max(own.sum() - 1, 1) | A point that is alone in its group
            gets 0 by definition; yours gets 1.
        if own.sum() > 1: => if True: | A point that is alone in its group has no a: 0/0 is nan. Let it get 0.
        np.zeros(len(D)) => -np.ones(len(D)) | A point that is alone in its group gets 0 by definition.
        s = np.zeros => D = D**2; s = np.zeros | D holds distances. Do not square them.
        return s => return np.maximum(s, 0) | Silhouettes may be negative: keep their sign.
        return s => return s.mean() | That is the mean. Asked is one value for each point.
        """,
    right="Right. Their mean is what `silhouette` returns.",
    explanation="The mean over a group that contains the point itself would count its distance 0 to itself.",
)  # fmt: skip


def mixture_bic(log_likelihood, k, d, n):
    parameters = (k - 1) + k * d + k * d * (d + 1) // 2
    return -2 * log_likelihood + parameters * np.log(n)


task("21.5", "The price of a component", mixture_bic, what="The BIC",
    cases=[(-500.0, 3, 2, 150), (-812.5317, 1, 4, 60), (37.25, 5, 3, 1000), (-90.0, 2, 1, 31)],
    start="How many numbers describe one mean, and one covariance matrix?",
    hints=["A covariance matrix is symmetric: d (d + 1)/2 numbers.", "The K weights sum to 1: K - 1 are free."],
    slips="""
        (k - 1) => k                              | The weights sum to 1: K - 1 of them are free.
        (k - 1) + k => k                          | The weights are missing: K - 1 of them are free.
        k * d * (d + 1) // 2 => k * d * d         | A covariance matrix is symmetric: d (d + 1)/2 numbers.
        k * d * (d + 1) // 2 => k * d             | Covariances between features are missing: d (d + 1)/2 each.
        + k * d * (d + 1) // 2 =>                 | The covariances are missing: d (d + 1)/2 numbers each.
        (k - 1) + k * d + k * d => (k - 1) + k * d | K d numbers are missing: means, or the diagonals.
        k * d * (d + 1) // 2 => d * (d + 1) // 2  | Every component has a covariance of its own.
        k * d * (d + 1) // 2 => k                 | That is one variance each. A full one has d (d + 1)/2 numbers.
        np.log(n) => np.log2(n)                   | The logarithm is the natural one.
        np.log(n) => np.log10(n)                  | The logarithm is the natural one.
        (k - 1) + k * d + k * d * (d + 1) // 2 => k | Count the free parameters, not the components.
        -2 * log => 2 * log                       | The likelihood enters with -2: a good fit lowers BIC.
        -2 * log => -log                          | The factor 2 before the log-likelihood is missing.
        + parameters * => - parameters *          | Parameters cost: their term is added.
        * np.log(n) => * 2                        | That is AIC. BIC has ln n in the place of 2.
        * np.log(n) => * n                        | Each parameter costs ln n, not n.
        * np.log(n) => * np.log(n) / 2            | Each parameter costs ln n; you took half of it.
        -2 * log_likelihood + parameters * np.log(n) => parameters | That is the number of parameters. BIC is -2ℓ plus
            ln n for each of them.
        -2 * log_likelihood + parameters * np.log(n) => (-2 * log_likelihood + parameters * np.log(n)) / n | You divided
            by n. Keep to (21.20).
        -2 * log_likelihood => -2 * np.log(abs(log_likelihood)) | The log-likelihood is a logarithm already: take no
            other.
        (k - 1) + k * d + k * d * (d + 1) // 2 => (k - 1) * (d + d * (d + 1) // 2) | Only the weights lose one: each of
            the K components has a mean and a covariance.
        -2 * log_likelihood + parameters => log_likelihood - 0.5 * parameters | That is -1/2 times (21.20). Keep to its
            form.
        """,
    right="Right. In 13 dimensions one more component costs 105 parameters.",
    explanation="K - 1 weights, K d means, K d(d + 1)/2 entries of covariances; each costs ln n.",
)  # fmt: skip

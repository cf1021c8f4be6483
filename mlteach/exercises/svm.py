"""Tasks of chapter 16: margins, duality, multipliers, kernels, SMO, many classes, a threshold, the bias, the gap."""

import numpy as np

from mlteach.datasets import blobs
from mlteach.exercises.base import (
    Wrong,
    call,
    exercise,
    expect_close,
    expect_function,
    expect_set,
    letters,
    numbers,
    points,
)  # fmt: skip
from mlteach.kernels import rbf_kernel
from mlteach.svm import SVC


@exercise(
    "16.a",
    "Two margins of one point",
    start="Compute y(x) = w . x + b first. What does the label do to it?",
    hints=[
        "y(2, 4) = 6 · 2 - 8 · 4 + 5. Multiply it by the label.",
        "The geometric margin (16.2) divides by the length of w = (6, -8), which is 10.",
    ],
    solution=(15.0, 1.5),
    explanation="y = -15 and t = -1: the point is on its own side, 1.5 away from the plane.",
)
def _(functional_margin, geometric_margin):
    functional, geometric = numbers([functional_margin, geometric_margin], "functional margin, geometric margin")
    expect_close(
        [functional, geometric],
        [15.0, 1.5],
        "Your pair",
        names="functional margin, geometric margin",
        known=[
            ((1.5, 15), "The two are exchanged: the functional margin is t y(x), the geometric one a distance."),
            ((-15, ...), "That is y(x). Multiply by the label t = -1: the point is on its own side."),
            ((20, ...), "The bias is missing: y = 6 x1 - 8 x2 + 5."),
            ((25, ...), "The sign of b is wrong: y = 6 x1 - 8 x2 + 5."),
            ((-25, ...), "The sign of b is wrong: y = 6 x1 - 8 x2 + 5, and then comes the label."),
            ((..., -1.5), "The geometric margin needs the label too: t y(x) / |w|."),
            ((15, 0.15), "You divided by |w|² = 100; divide by the length |w| = 10."),
            ((15, 15), "The geometric margin divides by the length of w = (6, -8)."),
            ((49, ...), "The second weight is -8, not 8: y = 6 x1 - 8 x2 + 5."),
            ((-49, ...), "The second weight is -8, not 8: y = 6 x1 - 8 x2 + 5, and then comes the label."),
            ((15, 150), "You multiplied by the length of w; divide by it."),
            ((15, 15 / 14), "The length of (6, -8) is √(6² + 8²), not 6 + 8."),
        ],
        reveal=False,
    )
    return "Right. Multiply w and b by ten: the first becomes 150, the second stays."


def canonical(X, t, w, b):
    least = np.min(t * (X @ w + b))
    return w / least, b / least


@exercise(
    "16.b",
    "The canonical form",
    start="Which number should the worst point have afterwards, and which one does it have now?",
    hints=["Functional margins: t * (X @ w + b). The worst one is their minimum.", "Divide w and b by it."],
    solution=canonical,
    explanation="A positive factor moves no plane; it makes the worst functional margin one, so the margin is 1/|w|.",
)
def _(answer):
    X6 = np.array([[1, 1], [2, 2], [2, 0], [0, 0], [1, 0], [0, 1]], dtype=float)
    t6 = np.array([1, 1, 1, -1, -1, -1])
    X5 = np.array([[-3.0, 1], [-1, 2], [4, 0.5], [5, -3], [-2, -2]])
    t5 = np.array([-1, -1, 1, 1, -1])
    cases = [
        (X6, t6, np.array([20.0, 20]), -30.0),
        (X5, t5, np.array([3.0, -1]), -2.5),
        (X5, t5, np.array([0.2, 0.02]), -0.1),
        (X5 + 3, -t5, np.array([-0.5, 0.1]), 2.0),
    ]

    def by(divisor):
        return lambda X, t, w, b: (w / divisor(X, t, w, b), b / divisor(X, t, w, b))

    expect_function(
        answer,
        canonical,
        cases,
        "The canonical form",
        names="w, b",
        slips=[
            (by(lambda X, t, w, b: np.linalg.norm(w)), "This is (16.4), |w| = 1. The canonical form (16.5) divides by "
             "the functional margin of the worst point."),
            (by(lambda X, t, w, b: np.max(t * (X @ w + b))), "You divide by the largest functional margin; the worst "
             "point has the least."),
            (by(lambda X, t, w, b: np.mean(t * (X @ w + b))), "You divide by the mean functional margin; the worst "
             "point must get the value one, so divide by the least."),
            (by(lambda X, t, w, b: np.min(t * (X @ w - b))), "The sign of b is wrong: y(x) = w . x + b."),
            (lambda X, t, w, b: (w, b), "You return w and b as they were given; the worst point must get the value "
             "one."),
            (by(lambda X, t, w, b: 10.0), "You divide by 10, which is right for one example only: divide by the "
             "functional margin of the worst point."),
            (by(lambda X, t, w, b: np.min(X @ w + b)), "The labels are missing: the functional margin is t y(x)."),
            (by(lambda X, t, w, b: np.min(t * (X @ w))), "The bias is missing in y(x) = w . x + b."),
            (by(lambda X, t, w, b: np.min(t * (X @ w + b)) / np.linalg.norm(w)), "You divide by the geometric margin; "
             "the functional margin of the worst point must become one."),
            (lambda X, t, w, b: (canonical(X, t, w, b)[0], b), "b must be divided too, or the plane moves."),
            (lambda X, t, w, b: (w * np.min(t * (X @ w + b)), b * np.min(t * (X @ w + b))), "Divide by the functional "
             "margin; you multiply by it."),
        ],
    )  # fmt: skip
    return "Right. Its margin is now 1/|w|, and a small |w| means a wide street."


@exercise(
    "16.c",
    "A dual by hand",
    start="Which g(w) is at most zero exactly where w is allowed?",
    hints=[
        "Write the constraint as g(w) = 4 - w ≤ 0; then L = (w - 1)² + α (4 - w).",
        "Set the derivative of L with respect to w to zero: 2 (w - 1) = α.",
        "Insert w = 1 + α/2: θ_D = α²/4 + α (3 - α/2) = 3α - α²/4. Where is it largest?",
    ],
    solution=(6.0, 9.0),
    explanation="θ_D = 3α - α²/4 is largest at α = 6, where w = 4; d* = 9 = (4 - 1)² = p*.",
)
def _(price, dual_value):
    pair = numbers([price, dual_value], "price, dual value")
    expect_close(
        pair,
        [6.0, 9.0],
        "Your pair",
        names="price, dual value",
        known=[
            ((9, 6), "The two are exchanged: enter the price α first, then the dual value."),
            ((-6, ...), "Prices are not negative. Write the constraint as g = 4 - w ≤ 0."),
            ((3, ...), "Look at θ_D again: with w = 1 + α/2 it is 3α - α²/4, not 3α - α²/2."),
            ((12, ...), "Look at the derivative of θ_D = 3α - α²/4: it is 3 - α/2."),
            ((8, ...), "That belongs to the minimum of w². Here w = 1 + α/2."),
            ((4, ...), "That is the best w. The price is the α that belongs to it: w = 1 + α/2."),
            ((6, 4), "That is the best w; the dual value is θ_D there."),
            ((6, 16), "That is w². The objective is (w - 1)²."),
            ((2, ...), "That is the price of the example above, w² with w ≥ 1. Here 2 (w - 1) = α, and w = 4."),
            ((0, ...), "With α = 0 the lowest place of L is w = 1, which is not allowed: the constraint has a price."),
            ((6, 27), "The part -α²/4 of θ_D = 3α - α²/4 is subtracted."),
            ((6, 0), "You subtracted α²/2; with w = 1 + α/2 it is θ_D = 3α - α²/4."),
            ((6, 18), "That is 3α; the part -α²/4 of θ_D is missing."),
        ],
        reveal=False,
    )
    return "Right: d* = 9 equals p* = (4 - 1)², as strong duality promises."


@exercise(
    "16.d",
    "Two points on paper",
    start="What ties the two multipliers together?",
    hints=[
        "Both are equal because of Σ αt = 0; write W as a function of that one number.",
        "w = α (x₊ - x₋) = α (3, 4), so |w|² = 25 α².",
        "W(α) = 2α - ½ · 25 α². Set its derivative to zero.",
        "α = 2/25, |w| = 5 α, and the margin is 1/|w|: half the distance between the points.",
    ],
    solution=(0.08, 2.5),
    explanation="In general α = 2/D² and the margin is D/2, with D the distance between the two points.",
)
def _(alpha, margin):
    expect_close(
        numbers([alpha, margin], "α, margin"),
        [0.08, 2.5],
        "Your pair",
        names="α, margin",
        known=[
            ((2.5, 0.08), "The two are exchanged: enter α first, then the margin."),
            ((0.4, ...), "You divided by the distance 5; W(α) contains its square."),
            ((0.04, ...), "That is 1/25. The linear part of W has two multipliers, 2α."),
            ((0.16, ...), "That is 4/25: mind the factor ½ in W, whose derivative is 2 - 25 α."),
            ((0.08, 5), "That is the width of the whole street. The margin runs from the boundary to the kerb."),
            ((0.08, 0.4), "That is the length of w; the margin is one over it."),
            ((0.2, ...), "That is one over the distance 5; set the derivative of W(α) = 2α - ½ · 25 α² to zero."),
            ((2, ...), "That belongs to the four points above. Here W(α) = 2α - ½ · 25 α²."),
            ((-0.08, ...), "Multipliers are prices, and not negative: W(α) = 2α - ½ · 25 α²."),
            ((0.08, 12.5), "That is one over α; the margin is one over |w|, and w = α (3, 4)."),
            ((0.08, 6.25), "That is one over |w|²; the margin is one over |w|."),
        ],
        reveal=False,
    )
    return "Right: α = 2/D² and half the distance D. Two far points need only a small force to hold the street."


def _twelve():
    data = blobs(12, centers=[[-1, 0], [1, 0]], spread=1.1, rng=17)
    return data, SVC(C=1, tol=1e-9).fit(data.X, data.y)


@exercise(
    "16.e",
    "Read the street",
    start="Look for the points that (16.16) sends to the ceiling.",
    hints=[
        "A point with slack has α = C. Slack means: not yet at its own kerb.",
        "Circles (t = -1) belong beyond the upper dashed line, squares (t = +1) beyond the lower one. List all that "
        "do not reach their line.",
    ],
    solution=np.flatnonzero(_twelve()[1].alpha_ == 1).tolist(),
    explanation="These points lie inside the street or on the wrong side; the ones exactly on a dashed line are free, "
    "and all others have α = 0.",
)
def _(answer):
    data, model = _twelve()
    ceiling, vectors = set(np.flatnonzero(model.alpha_ == 1).tolist()), set(model.support_.tolist())
    answer, wrong = points(answer, 12), set(np.flatnonzero(model.predict(data.X) != data.y).tolist())
    if answer < ceiling and wrong - answer and answer != vectors - ceiling:
        raise Wrong("Not all are there: a point on the wrong side pays slack too, even beyond the street.")
    expect_set(
        answer,
        ceiling,
        "Points with α = C",
        known=[
            (vectors, "These are all support vectors. Those exactly on a kerb are free: 0 < α < C."),
            (vectors - ceiling, "These lie on the kerb and are free: 0 < α < C. The ceiling is for those with slack."),
            (
                wrong,
                "These are misclassified. Points on the right side but inside the street pay slack as well.",
            ),
            (set(range(12)) - vectors, "These have α = 0: they lie beyond their kerb and nobody needs them."),
        ],
    )
    return "Right. Which side of the boundary they are on does not matter; what matters is that slack is paid."


@exercise(
    "16.f",
    "What a kernel machine answers",
    start="Start from (16.19): one term for each support vector, then the bias.",
    hints=["k(0, 1) = (0 + 1)² and k(2, 1) = (2 + 1)².", "y = (1/12) · 1 - (1/12) · 9 + 1."],
    solution=1 / 3,
    explanation="y(1) = (1 - 9)/12 + 1: the label of a support vector is the sign of its vote.",
)
def _(answer):
    expect_close(
        answer,
        1 / 3,
        "Your y(1)",
        rtol=2e-3,
        known=[
            (11 / 6, "The labels are missing: the second support vector votes with t = -1."),
            (5 / 3, "The labels are exchanged: x = 0 votes with t = +1, x = 2 with t = -1."),
            (-2 / 3, "The bias is missing."),
            (-5 / 3, "The bias has the wrong sign: it is added."),
            (-7, "The multipliers are missing: each vote counts with α = 1/12."),
            (5 / 6, "The square is missing: k = (x x' + 1)²."),
            (2 / 3, "The one inside the bracket is missing: k = (x x' + 1)²."),
            (1, "That is the class, or y(0). Wanted is y(1), the value before its sign is taken."),
            (-1, "That is y(2), the value at the second support vector. Wanted is y(1)."),
            (0, "The middle between the support vectors is not on this boundary: insert x = 1 into (16.19)."),
        ],
        reveal=False,
    )
    return (
        "Right. The middle, x = 1, belongs to class +1: the boundary halves the way in the features, not on the line."
    )


@exercise(
    "16.g",
    "One step of SMO",
    start="Which of (16.20), (16.21) and (16.22) gives which number?",
    hints=[
        "The top (16.21): 0.2 + (-1)(-1 - 0.4)/2.",
        "The labels differ, so L = max(0, -0.4) and H = min(1, 0.6) by (16.20). Clip.",
        "α_i = 0.6 + t_i t_j (0.2 - new α_j), with t_i t_j = -1.",
    ],
    solution=(0.9, 1.0, 0.6),
    explanation="The top is at 0.9, the segment is [0, 0.6], so α_j = 0.6, and α_i grows by the same 0.4.",
)
def _(top, alpha_i, alpha_j):
    expect_close(
        numbers([top, alpha_i, alpha_j], "top, α_i, α_j"),
        [0.9, 1.0, 0.6],
        "Your answer",
        names="top, α_i, α_j",
        known=[
            ((0.9, 0.6, 1.0), "The last two are exchanged: enter α_i before α_j."),
            ((1.6, ..., ...), "η is missing: divide t_j (E_i - E_j) by η = 2."),
            ((0.55, ..., ...), "You divided by η²; (16.21) divides by η = 2."),
            ((-0.5, ..., ...), "The step has the wrong sign: α_j moves by t_j (E_i - E_j)/η = +0.7."),
            ((0.5, ..., ...), "You added the errors; the step is t_j (E_i - E_j)/η."),
            ((0.7, ..., ...), "That is the step; the top is the old α_j plus the step."),
            ((1.3, ..., ...), "You moved α_i. (16.21) moves α_j, which starts at 0.2, and α_i follows."),
            ((0.6, ..., 0.6), "Enter the top of the parabola before it is clipped."),
            ((0.9, ..., 0.9), "α_j is not clipped to [L, H]. The box holds for both, and α_i must stay in it as well."),
            ((0.9, ..., 0.8), "That is the segment for equal labels. Here they differ, and the difference is kept."),
            ((0.9, ..., 1.0), "Clip α_j to [L, H] of (16.20); H is where α_i meets the ceiling."),
            ((0.9, 0.2, 0.6), "α_i moves the wrong way: it changes by t_i t_j (old α_j - new α_j), and t_i t_j = -1."),
            ((0.9, 0.6, 0.6), "α_i must follow, or Σ αt changes."),
            ((0.9, 1.3, 0.6), "Let α_i follow the clipped α_j, not the top: it moves by 0.4."),
            ((0.9, 0.6, 0.2), "Nothing has moved: α_j goes to the top of the parabola, or as near as [L, H] lets it."),
        ],
        reveal=False,
    )
    return "Right. The difference of the two stays 0.4, and the pair stops where α_i meets the ceiling."


@exercise(
    "16.h",
    "Six machines, four classes",
    start="Who won how often? And which pair is asked first?",
    hints=[
        "Count how often each letter is the answer.",
        "The DAG starts with the first against the last of A, B, C, D: A or D. Strike the loser off and repeat.",
        "The answer A strikes D off, then A or C strikes A off, and B or C is left.",
    ],
    solution=([2, 1, 2, 1], "B"),
    explanation="A and C have two votes each, and yet the DAG ends with B: it never asked A against B.",
)
def _(votes, winner):
    expect_close(
        votes,
        [2, 1, 2, 1],
        "Your list of votes",
        names="A, B, C, D",
        known=[
            ([1, 2, 1, 2], "You counted defeats; a vote goes to the class that the machine names."),
            ([3, 3, 3, 3], "That is how many machines know each class; count how many of them name it."),
        ],
    )
    winner = letters(winner, "ABCD")
    if len(winner) != 1:
        raise Wrong(f"The DAG ends with one class; you entered {winner}.")
    if winner != "B":
        raise Wrong(
            {
                "A": "A has most votes, with C, but the DAG strikes it off at its second question: A or C, answer C.",
                "C": "C wins if each winner meets the next of the list. The DAG asks the first against the last.",
                "D": "The first question, A against D, strikes D off.",
            }[winner]
        )
    return "Right. By votes A and C tie; the DAG takes B. In the order A, C, B, D it would have taken C."


_SCORES = np.array([2.1, 1.4, 0.6, 0.2, -0.3]), np.array([0.3, -0.1, -0.4, -0.7, -1.8])  # malignant, benign


@exercise(
    "16.i",
    "Where to put the threshold",
    start="What is the lowest score of a malignant mass?",
    hints=[
        "A mass is missed if it is malignant and its score is not above the threshold.",
        "-0.3 must be above the threshold, and 0 is not below it. Then count the benign scores above it.",
    ],
    solution=(-0.5, 3),
    explanation="Above -0.5 lie all five malignant scores, and the benign ones 0.3, -0.1 and -0.4.",
)
def _(threshold, alarms):
    ill, well = _SCORES
    threshold, alarms = numbers([threshold, alarms], "threshold, false alarms")
    if threshold not in (0.5, 0, -0.5, -1):
        raise Wrong(f"The threshold is one of 0.5, 0, -0.5 and -1; you entered {threshold:g}.")
    missed = int(np.sum(ill <= threshold))
    if missed:
        raise Wrong(f"At {threshold:g} you miss {missed} of the five malignant masses.")
    if threshold != -0.5:
        raise Wrong(
            f"At {threshold:g} no malignant mass is missed, but a higher threshold does that with fewer alarms."
        )
    expect_close(
        alarms,
        3,
        "Your number of false alarms",
        known=[
            (2, "The two scores nearest to the threshold are -0.4 and -0.7: which of them lies above -0.5?"),
            (1, "That is the number of false alarms at 0."),
            (8, "That is the number of all masses called malignant; false alarms are the benign ones among them."),
            (5, "That is the number of malignant masses; count the benign ones above the threshold."),
            (0.6, "A number is asked for, not a share."),
        ],
        reveal=False,
    )
    return "Right: no miss at the price of three false alarms, where the threshold 0 has one miss and one alarm."


def bias(alpha, t, K, C):
    free = (alpha > 1e-8 * C) & (alpha < C - 1e-8 * C)
    F = t - K @ (alpha * t)
    return F[free].mean()


@exercise(
    "16.1",
    "The bias from the right points",
    start="Which multipliers guarantee that a point lies exactly on its kerb?",
    hints=[
        "Only 0 < α < C puts a point on its kerb, see (16.16).",
        "F = t - K @ (alpha * t); average F over the free points.",
        "free = (alpha > 1e-8 * C) & (alpha < C - 1e-8 * C)",
    ],
    solution=bias,
    explanation="Points at the ceiling have slack, so their F is not the bias (16.17).",
)
def _(answer):
    cases = [_almost_solved(seed, C) for seed, C in ((1, 1.0), (5, 0.3), (8, 5.0))]

    def one(place):
        return lambda alpha, t, K, C: (t - K @ (alpha * t))[free(alpha, C)][place]

    def among_free(alpha, t, K, C):
        on = free(alpha, C)
        return (t[on] - K[on][:, on] @ (alpha * t)[on]).mean()

    def mean_over(which, shrink=1.0):
        def mean(alpha, t, K, C):
            F = t - K @ (alpha * t)
            return F[which(alpha, C)].mean() * shrink

        return mean

    def free(alpha, C):
        return (alpha > 1e-8 * C) & (alpha < C - 1e-8 * C)

    expect_function(
        answer,
        bias,
        cases,
        "The bias",
        rtol=1e-5,
        atol=1e-7,
        slips=[
            (mean_over(lambda a, C: a > 1e-8 * C), "You averaged over all support vectors. Those at α = C are not on "
             "the kerb."),
            (mean_over(lambda a, C: a > 0), "You averaged over all support vectors, and without the tolerance. Those "
             "at α = C are not on the kerb."),
            (mean_over(lambda a, C: a >= C - 1e-8 * C), "You averaged over the points at the ceiling; those pay slack. "
             "Take 0 < α < C."),
            (mean_over(lambda a, C: a >= 0), "You averaged over all points. Only the free ones, 0 < α < C, lie on the "
             "kerb."),
            (mean_over(lambda a, C: a < C - 1e-8 * C), "You left out α = C but kept α = 0: those points lie beyond the "
             "kerb."),
            (mean_over(lambda a, C: (a > 0) & (a < C)), "You compare exactly. Some multipliers are a hair from their "
             "bound, as a solver leaves them: use the tolerance 1e-8 * C at both ends."),
            (mean_over(lambda a, C: (a > 1e-8 * C) & (a < C)), "Your tolerance is missing at the ceiling: α within "
             "1e-8 * C of C counts as C."),
            (mean_over(lambda a, C: (a > 0) & (a < C - 1e-8 * C)), "Your tolerance is missing at zero: α below "
             "1e-8 * C counts as zero."),
            (mean_over(lambda a, C: (a > 1e-8) & (a < C - 1e-8)), "Your tolerance does not grow with C; 1e-8 * C is "
             "wanted."),
            (mean_over(lambda a, C: (a > 1e-8) & (a < 1 - 1e-8)), "C is taken to be 1: the ceiling is C."),
            (one(0), "You take the first free point. A solver stops near the optimum, so take the mean over them all."),
            (one(-1), "You take the last free point. A solver stops near the optimum, so take the mean over them all."),
            (among_free, "Your sum runs over the free points only. F needs all support vectors; only the mean is over "
             "the free ones."),
            (lambda alpha, t, K, C: (t - K @ (alpha * t))[free(alpha, C)].sum(), "That is the sum over the free "
             "points; divide by their number."),
            (lambda alpha, t, K, C: (t - K @ alpha)[free(alpha, C)].mean(), "The labels are missing in the sum: "
             "K @ (alpha * t)."),
            (lambda alpha, t, K, C: (1 - K @ (alpha * t))[free(alpha, C)].mean(), "On its kerb a point has y = t, "
             "not y = 1: F = t - K @ (alpha * t)."),
            (lambda alpha, t, K, C: -bias(alpha, t, K, C), "The sign is the wrong way round: b = t - Σ α t k."),
        ],
    )  # fmt: skip
    return "Right. With no free point at all, (16.17) leaves an interval."


def _almost_solved(seed, C):
    """Return alpha, t, K and C of a machine as a solver leaves it: some multipliers a hair from their bound."""
    data = blobs(40, centers=[[0, 0], [1.5, 1]], spread=1.0, rng=seed)
    kernel = rbf_kernel(beta=0.5)
    alpha = SVC(C=C, kernel=kernel, tol=0.01).fit(data.X, data.y).alpha_
    hair = C * np.array([0, 0.6e-8, 1e-10])[np.arange(40) % 3]
    alpha = np.where(alpha == 0, hair, np.where(alpha == C, C - hair, alpha))
    return alpha, 2.0 * data.y - 1, kernel(data.X), C


def duality_gap(w, b, alpha, X, t, C):
    slack = np.maximum(0, 1 - t * (X @ w + b))
    primal = 0.5 * w @ w + C * slack.sum()
    v = (alpha * t) @ X
    dual = alpha.sum() - 0.5 * v @ v
    return primal - dual


@exercise(
    "16.2",
    "How far from the optimum?",
    start="Which two values does the gap compare?",
    hints=[
        "Compute the slacks first: max(0, 1 - t y).",
        "Primal: ½ |w|² + C Σ ξ, with the w that was given.",
        "Dual: Σ α - ½ |Σ α t x|². Its vector Σ α t x need not be the given w.",
    ],
    solution=duality_gap,
    explanation="Weak duality (16.9) keeps the difference from being negative; at the optimum it is zero.",
)
def _(answer):
    def hinge(slack):
        return np.maximum(0, slack).sum()

    def parts(w, b, alpha, X, t, C, labels=(True, True), with_b=1, cost=hinge):
        slack = 1 - (t if labels[0] else 1) * (X @ w + with_b * b)
        v = (alpha * (t if labels[1] else 1)) @ X
        return w @ w, cost(slack), alpha.sum(), v @ v

    def gap(half=(0.5, 0.5), price=True, same=False, total=1, **form):
        def value(w, b, alpha, X, t, C):
            ww, slack, prices, vv = parts(w, b, alpha, X, t, C, **form)
            return half[0] * ww + (C if price else 1) * slack - total * prices + half[1] * (ww if same else vv)

        return value

    def only(primal):
        def value(w, b, alpha, X, t, C):
            ww, slack, prices, vv = parts(w, b, alpha, X, t, C)
            return 0.5 * ww + C * slack if primal else prices - 0.5 * vv

        return value

    expect_function(
        answer,
        duality_gap,
        [_nine_points(C) for C in (0.4, 3.0)],
        "The gap",
        slips=[
            (lambda *a: -duality_gap(*a), "The order is primal minus dual; the gap is never negative."),
            (only(True), "That is the primal value only; subtract the dual."),
            (only(False), "That is the dual value only; the gap is primal minus dual."),
            (gap(price=False), "The price C is missing in front of the slacks."),
            (gap(cost=np.sum), "Slack is never negative: use max(0, 1 - t y)."),
            (gap(cost=lambda s: hinge(s) / 9), "You take the mean of the slacks; (16.14) has their sum."),
            (gap(cost=lambda s: np.sum(s > 0)), "You count the points with slack; (16.14) adds the slacks themselves."),
            (
                gap(cost=lambda s: np.sum(np.maximum(0, s) ** 2)),
                "You square the slacks; (16.14) adds them as they are.",
            ),
            (gap(cost=lambda s: hinge(s - 1)), "The kerb is at t y = 1: the slack is max(0, 1 - t y)."),
            (gap(half=(0, 0.5)), "The part ½ |w|² is missing in the primal."),
            (gap(half=(1, 0.5)), "The factor ½ is missing in the primal."),
            (gap(half=(0.5, 1)), "The factor ½ is missing in the dual."),
            (gap(half=(1, 1)), "The factor ½ is missing, in the primal and in the dual."),
            (gap(half=(0.5, -0.5)), "The dual is Σ α minus ½ |Σ α t x|²; mind the signs when you subtract it."),
            (gap(total=0), "Σ α is missing in the dual."),
            (gap(half=(0.5, 0)), "The quadratic part ½ |Σ α t x|² is missing in the dual."),
            (gap(same=True), "The dual uses Σ α t x, not the w of the primal."),
            (gap(labels=(False, True)), "The labels are missing in the slacks: max(0, 1 - t y)."),
            (gap(labels=(True, False)), "The labels are missing in the dual: Σ α t x."),
            (gap(with_b=0), "The bias b is missing in the slacks."),
        ],
    )
    return "Right. A solver that knows this number knows when to stop."


def _nine_points(C):
    rng = np.random.default_rng(6)
    X, t = rng.normal(size=(9, 3)), np.array([1, -1, 1, -1, 1, -1, 1, 1, -1.0])
    alpha = rng.uniform(0, C, 9)
    alpha[t > 0] *= 0.8 * alpha[t < 0].sum() / alpha[t > 0].sum()
    alpha[t < 0] *= 0.8
    return rng.normal(size=3) + C, 0.3 + C, alpha, X, t, C


def working_set(F, alpha, t, K, C):
    up = np.where(t > 0, alpha < C, alpha > 0)
    low = np.where(t > 0, alpha > 0, alpha < C)
    i = np.argmax(np.where(up, F, -np.inf))
    eta = K[i, i] + np.diag(K) - 2 * K[i]
    better = low & (F < F[i])
    gain = np.where(better, (F[i] - F) ** 2 / np.where(better, 2 * eta, 1), -1)
    return i, np.argmax(gain)


@exercise(
    "16.3",
    "The pair that gains most",
    start="Which points may i be, and which ones j?",
    hints=[
        "Build the two masks I_up and I_low of (16.17) first.",
        "I_up: t = +1 and α < C, or t = -1 and α > 0. I_low: t = +1 and α > 0, or t = -1 and α < C.",
        "i = argmax of F with -inf outside I_up.",
        "eta = K[i, i] + diag(K) - 2 K[i]; j = argmax of (F[i] - F)² / (2 eta) where j is in I_low and F[j] < F[i].",
    ],
    solution=working_set,
    explanation="The steepest partner may lie far away in feature space, where a long step brings little: η is large.",
)
def _(answer):
    cases = _pair_cases()
    got = [_read_pair(call(answer, *(part.copy() for part in case[:4]), case[4])) for case in cases]
    wanted = [tuple(int(n) for n in working_set(*case)) for case in cases]
    if got == wanted:
        return "Right. This is the working-set rule of the shipped SMO."
    for wrong, words in _PAIR_SLIPS:
        if got == [tuple(int(n) for n in wrong(*case)) for case in cases]:
            raise Wrong(words)
    for (F, alpha, t, _, C), mine, right in zip(cases, got, wanted):
        if mine != right:
            _explain_pair(F, alpha, t, C, mine, right)


def _pair_cases():
    """Return problems of eight points with a violating pair, for several C, some multipliers at a bound."""
    rng, cases = np.random.default_rng(7), []
    while len(cases) < 60:
        X, t, C = (
            rng.normal(size=(8, 2)) * (1, 3),
            np.where(np.arange(8) % 2, 1.0, -1.0),
            (1.0, 0.5, 3.0)[len(cases) % 3],
        )
        K, alpha = X @ X.T, C * rng.choice([0.0, 1.0, 0.4], size=8)
        F = t - K @ (alpha * t) + rng.normal(size=8)
        up, low = np.where(t > 0, alpha < C, alpha > 0), np.where(t > 0, alpha > 0, alpha < C)
        if up.any() and (low & (F < F[up].max())).any():
            cases.append((F, alpha, t, K, C))
    return cases


def _read_pair(pair):
    i, j = numbers(pair, "i, j")
    if i not in range(8) or j not in range(8):
        raise Wrong(f"For eight points you return {i:g} and {j:g}; both must be indices from 0 to 7.")
    return int(i), int(j)


def _squared_slope_over_eta(slope, eta):
    return slope**2 / np.maximum(eta, 1e-12)


def _masked_pair(up, low, steep=False, both_ways=False, gain=_squared_slope_over_eta, mixed=-2):
    """Return a wrong version of `working_set` with other masks."""

    def pair(F, alpha, t, K, C):
        i = np.argmax(np.where(up(alpha, t, C), F, -np.inf))
        if steep:
            return i, np.argmin(np.where(low(alpha, t, C), F, np.inf))
        better = low(alpha, t, C) & (both_ways | (F < F[i]))
        eta = K[i, i] + np.diag(K) + mixed * K[i]
        return i, np.argmax(np.where(better, gain(F[i] - F, eta), -np.inf))

    return pair


def _best_of_all_pairs(F, alpha, t, K, C):
    slope = F[:, None] - F
    eta = np.maximum(np.diag(K)[:, None] + np.diag(K) - 2 * K, 1e-12)
    allowed = _up(alpha, t, C)[:, None] & _low(alpha, t, C) & (slope > 0)
    return np.unravel_index(np.argmax(np.where(allowed, slope**2 / eta, -1)), K.shape)


def _place_in_subset(F, alpha, t, K, C):
    i, j = working_set(F, alpha, t, K, C)
    return i, np.sum((_low(alpha, t, C) & (F < F[i]))[:j])


def _up(alpha, t, C):
    return np.where(t > 0, alpha < C, alpha > 0)


def _low(alpha, t, C):
    return np.where(t > 0, alpha > 0, alpha < C)


def _anyone(alpha, t, C):
    return np.ones(len(t), bool)


_STEEPEST = "Your j is the steepest partner (smallest F in I_low). Weigh by 1/η: use the gain (16.24)."
_PAIR_SLIPS = [
    (lambda *case: working_set(*case)[::-1], "The two are exchanged: return (i, j), i from I_up first."),
    (lambda F, alpha, t, K, C: working_set(F, alpha, t, K, 1.0), "C is taken to be 1: a multiplier at its bound has "
     "α = C."),
    (_masked_pair(_up, _low, steep=True), _STEEPEST),
    (_masked_pair(_low, _up), "The two sets are exchanged: i comes from I_up, where t α may grow, j from I_low."),
    (_masked_pair(_low, _up, steep=True), "The two sets are exchanged: i comes from I_up, where t α may grow, j from "
     "I_low."),
    (_masked_pair(lambda a, t, C: a < C, _low), "Your I_up ignores the labels: for t = -1 it holds α > 0, not α < C."),
    (_masked_pair(lambda a, t, C: a < C, lambda a, t, C: a > 0), "Your I_up ignores the labels, and I_low too: for "
     "t = -1 the two change places."),
    (_masked_pair(lambda a, t, C: a < C, lambda a, t, C: a > 0, steep=True), "Your I_up ignores the labels, and I_low "
     "too: for t = -1 the two change places."),
    (_masked_pair(_up, lambda a, t, C: a > 0), "Your I_low ignores the labels: for t = -1 it holds α < C, not α > 0."),
    (_masked_pair(_anyone, _anyone, steep=True), "Your i has the largest F of all points; it must be able to move up: "
     "look in I_up only, and for j in I_low only."),
    (_masked_pair(_anyone, _low), "Your i has the largest F of all points; it must be able to move up: look in I_up "
     "only."),
    (_masked_pair(_up, _anyone), "Your j may be any point; t_j α_j must be able to fall: look in I_low only."),
    (_masked_pair(_up, _anyone, steep=True), "Your j may be any point; t_j α_j must be able to fall: look in I_low "
     "only."),
    (_masked_pair(_up, _low, gain=lambda slope, eta: slope / np.maximum(eta, 1e-12)), "The square is missing: the gain "
     "(16.24) is (F_i - F_j)²/(2η)."),
    (_masked_pair(_up, _low, gain=lambda slope, eta: slope**2 * eta), "Divide by η in the gain (16.24); you multiply "
     "by it."),
    (_masked_pair(_up, _low, mixed=2), "The sign in η is wrong: η = k_ii + k_jj - 2 k_ij."),
    (_masked_pair(_up, _low, mixed=0), "The part -2 k_ij of η is missing: η = k_ii + k_jj - 2 k_ij."),
    (_masked_pair(_up, _low, mixed=-1), "The factor 2 is missing in η = k_ii + k_jj - 2 k_ij."),
    (_place_in_subset, "Your j counts within the members of I_low only; return the number among all points."),
    (_best_of_all_pairs, "You look for the best of all pairs. The rule fixes i first, the largest "
     "F in I_up, and then searches j only."),
    (_masked_pair(_up, _low, both_ways=True), "Your j may have F_j ≥ F_i, so the pair cannot rise: the square hides "
     "the sign. Ask for F_j < F_i."),
]  # fmt: skip


def _explain_pair(F, alpha, t, C, mine, right):
    """Say what is wrong with the first pair that differs, if no slip explains all of them."""
    if mine[0] != right[0] and not _up(alpha, t, C)[mine[0]]:
        raise Wrong(f"Your i = {mine[0]} is not in I_up: t_i α_i cannot grow (α = {alpha[mine[0]]:g}, C = {C:g}).")
    if mine[0] != right[0]:
        raise Wrong(f"i should be {right[0]}, the largest F in I_up; you return {mine[0]}.", plain=True)
    if not _low(alpha, t, C)[mine[1]]:
        raise Wrong(f"Your j = {mine[1]} is not in I_low: t_j α_j cannot fall (α = {alpha[mine[1]]:g}, C = {C:g}).")
    if F[mine[1]] >= F[mine[0]]:
        raise Wrong("Your j has F_j ≥ F_i, so the pair cannot rise: the square hides the sign. Ask for F_j < F_i.")
    raise Wrong(f"j should be {right[1]}, the largest gain (16.24) in I_low; you return {mine[1]}.", plain=True)

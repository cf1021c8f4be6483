"""Tasks of chapter 16: margins, duality, multipliers, kernels, SMO, many classes, a threshold, the bias, the gap."""

import numpy as np

from mlteach.datasets import blobs
from mlteach.exercises.base import Wrong, call, numbers, points
from mlteach.exercises.tasks import chosen, number, spelt, task
from mlteach.kernels import rbf_kernel
from mlteach.svm import SVC

task("16.a", "Two margins of one point",
    start="Compute y(x) = w . x + b first. What does the label do to it?",
    hints=[
        "y(2, 4) = 6 · 2 - 8 · 4 + 5. Multiply it by the label.",
        "The geometric margin (16.2) divides by the length of w = (6, -8), which is 10.",
    ],
    functional_margin=number("The functional margin", "-(6 * 2 - 8 * 4 + 5)", slips="""
        -15 | That is y(x). Multiply by the label t = -1: the point is on its own side.
        20  | The bias is missing: y = 6 x1 - 8 x2 + 5.
        25  | The sign of b is wrong: y = 6 x1 - 8 x2 + 5.
        -25 | The sign of b is wrong: y = 6 x1 - 8 x2 + 5, and then comes the label.
        49  | The second weight is -8, not 8: y = 6 x1 - 8 x2 + 5.
        -49 | The second weight is -8, not 8: y = 6 x1 - 8 x2 + 5, and then comes the label.
        """),
    geometric_margin=number("The geometric margin", "-(6 * 2 - 8 * 4 + 5) / (6**2 + 8**2) ** 0.5", to=6e-4, slips="""
        -1.5    | The geometric margin needs the label too: t y(x) / |w|.
        0.15    | You divided by |w|² = 100; divide by the length |w| = 10.
        15      | The geometric margin divides by the length of w = (6, -8).
        150     | You multiplied by the length of w; divide by it.
        15 / 14 | The length of (6, -8) is √(6² + 8²), not 6 + 8.
        15 / 20**0.5  | You divided by the length of x = (2, 4); divide by that of w = (6, -8).
        15 / 125**0.5 | The bias 5 is no part of w: divide by the length of (6, -8).
        """),
    right="Right. Multiply w and b by ten: the first becomes 150, the second stays.",
    explanation="y = -15 and t = -1: the point is on its own side, 1.5 away from the plane.",
)  # fmt: skip


def canonical(X, t, w, b):
    least = np.min(t * (X @ w + b))
    return w / least, b / least


X6, T6 = np.array([[1.0, 1], [2, 2], [2, 0], [0, 0], [1, 0], [0, 1]]), np.array([1, 1, 1, -1, -1, -1])
X5, T5 = np.array([[-3.0, 1], [-1, 2], [4, 0.5], [5, -3], [-2, -2]]), np.array([-1, -1, 1, 1, -1])

task("16.b", "The canonical form", canonical, what="The canonical form", names="w, b",
    cases=[
        (X6, T6, np.array([20.0, 20]), -30.0),
        (X5, T5, np.array([3.0, -1]), -2.5),
        (X5, T5, np.array([0.2, 0.02]), -0.1),
        (X5 + 3, -T5, np.array([-0.5, 0.1]), 2.0),
    ],
    start="Which number should the worst point have afterwards, and which one does it have now?",
    hints=["Functional margins: t * (X @ w + b). The worst one is their minimum.", "Divide w and b by it."],
    slips="""
        np.min(t * (X @ w + b)) => np.linalg.norm(w) | This is (16.4), |w| = 1. The canonical form (16.5) divides by the
            functional margin of the worst point.
        np.min => np.max       | You divide by the largest functional margin; the worst point has the least.
        np.min => np.mean      | You divide by the mean functional margin; the worst point must get the value one, so
            divide by the least.
        w + b)) => w - b))     | The sign of b is wrong: y(x) = w . x + b.
        return w / least, b / least => return w, b | You return w and b as they were given; the worst point must get the
            value one.
        np.min(t * (X @ w + b)) => 10.0 | You divide by 10, which is right for one example only: divide by the
            functional margin of the worst point.
        t * (X @ w + b) => X @ w + b | The labels are missing: the functional margin is t y(x).
        w + b)) => w))         | The bias is missing in y(x) = w . x + b.
        least = np.min(t * (X @ w + b)) => least = np.min(t * (X @ w + b)) / np.linalg.norm(w) | You divide by the
            geometric margin; the functional margin of the worst point must become one.
        b / least => b         | b must be divided too, or the plane moves.
        w / least, b / least => w, b / least | w must be divided too, or the plane moves.
        b / least => b - least | b is divided by the least margin, as w is; you subtract it.
        return w / least, b / least => z = X @ w / least; return w / least, -(z[t > 0].min() + z[t < 0].max()) / 2 | You
            moved the plane to the middle of the street; the canonical form only rescales it: divide b, too.
        np.min => np.sum       | You divide by the sum of the functional margins; divide by the least.
        np.min(t * (X @ w + b)) => np.min(t * (X @ w + b)) ** 2 | You divide by the square of the least functional
            margin; divide by it once.
        np.min(t * (X @ w + b)) => np.mean((X @ w + b)[t > 0]) | You take the mean over the positive points; the worst
            point of both classes counts.
        np.min(t * (X @ w + b)) => np.min((X @ w + b)[t > 0]) | You look at the positive points only; the worst point
            may be a negative one.
        np.min(t * (X @ w + b)) => t[0] * (X[0] @ w + b) | You divide by the functional margin of the first point; the
            worst one counts.
        return w / least, b / least => return w * least, b * least | Divide by the functional margin; you multiply by
            it.
        """,
    right="Right. Its margin is now 1/|w|, and a small |w| means a wide street.",
    explanation="A positive factor moves no plane; it makes the worst functional margin one, so the margin is 1/|w|.",
)  # fmt: skip

task("16.c", "A dual by hand",
    start="Which g(w) is at most zero exactly where w is allowed?",
    hints=[
        "Write the constraint as g(w) = 4 - w ≤ 0; then L = (w - 1)² + α (4 - w).",
        "Set the derivative of L with respect to w to zero: 2 (w - 1) = α.",
        "Insert w = 1 + α/2: θ_D = α²/4 + α (3 - α/2) = 3α - α²/4. Where is it largest?",
    ],
    price=number("The price", "2 * (4 - 1)", slips="""
        -6 | Prices are not negative. Write the constraint as g = 4 - w ≤ 0.
        3  | Look at θ_D again: with w = 1 + α/2 it is 3α - α²/4, not 3α - α²/2.
        12 | Look at the derivative of θ_D = 3α - α²/4: it is 3 - α/2.
        8  | That belongs to the minimum of w². Here w = 1 + α/2.
        4  | That is the best w. The price is the α that belongs to it: w = 1 + α/2.
        2  | That is the price of the example above, w² with w ≥ 1. Here 2 (w - 1) = α, and w = 4.
        0  | With α = 0 the lowest place of L is w = 1, which is not allowed: the constraint has a price.
        """),
    dual_value=number("The dual value", "3 * 6 - 6**2 / 4", slips="""
        4  | That is the best w; the dual value is θ_D there.
        16 | That is w². The objective is (w - 1)².
        27 | The part -α²/4 of θ_D = 3α - α²/4 is subtracted.
        0  | You subtracted α²/2; with w = 1 + α/2 it is θ_D = 3α - α²/4.
        18 | That is 3α; the part -α²/4 of θ_D is missing.
        """),
    right="Right: d* = 9 equals p* = (4 - 1)², as strong duality promises.",
    explanation="θ_D = 3α - α²/4 is largest at α = 6, where w = 4; d* = 9 = (4 - 1)² = p*.",
)  # fmt: skip

task("16.d", "Two points on paper",
    start="What ties the two multipliers together?",
    hints=[
        "Both are equal because of Σ αt = 0; write W as a function of that one number.",
        "w = α (x₊ - x₋) = α (3, 4), so |w|² = 25 α².",
        "W(α) = 2α - ½ · 25 α². Set its derivative to zero.",
        "α = 2/25, |w| = 5 α, and the margin is 1/|w|: half the distance between the points.",
    ],
    alpha=number("α", "2 / (3**2 + 4**2)", slips="""
        0.4   | You divided by the distance 5; W(α) contains its square.
        0.04  | That is 1/25. The linear part of W has two multipliers, 2α.
        0.16  | That is 4/25: mind the factor ½ in W, whose derivative is 2 - 25 α.
        0.2   | That is one over the distance 5; set the derivative of W(α) = 2α - ½ · 25 α² to zero.
        2     | That belongs to the four points above. Here W(α) = 2α - ½ · 25 α².
        -0.08 | Multipliers are prices, and not negative: W(α) = 2α - ½ · 25 α².
        2 / 7 | The distance of the points is √(3² + 4²) = 5, not 3 + 4; and W(α) contains its square.
        """),
    margin=number("The margin", "(3**2 + 4**2) ** 0.5 / 2", slips="""
        5    | That is the width of the whole street. The margin runs from the boundary to the kerb.
        0.4  | That is the length of w; the margin is one over it.
        12.5 | That is one over α; the margin is one over |w|, and w = α (3, 4).
        6.25 | That is one over |w|²; the margin is one over |w|.
        0.2  | That is one over the distance of the points; the margin is half the distance.
        25   | That is the squared distance of the points; the margin is half the distance.
        1    | That is the functional margin of a point on the kerb; divide it by |w|.
        3.5  | The distance of the points is √(3² + 4²) = 5, not 3 + 4.
        """),
    right="Right: α = 2/D² and half the distance D. Two far points need only a small force to hold the street.",
    explanation="In general α = 2/D² and the margin is D/2, with D the distance between the two points.",
)  # fmt: skip


def twelve():
    """Return the points of Figure 16.5 that lie at the ceiling, that support the street, that are misclassified."""
    data = blobs(12, centers=[[-1, 0], [1, 0]], spread=1.1, rng=17)
    model = SVC(C=1, tol=1e-9).fit(data.X, data.y)
    masks = model.alpha_ == 1, model.alpha_ > 0, model.predict(data.X) != data.y
    return (set(np.flatnonzero(mask).tolist()) for mask in masks)


CEILING, VECTORS, MISSED = twelve()


def all_with_slack(answer):
    """Raise Wrong where points at the ceiling are missing, and a misclassified one among them."""
    answer = points(answer, 12)
    if answer < CEILING and MISSED - answer:
        raise Wrong("Not all are there: a point on the wrong side pays slack too, even beyond the street.")


task("16.e", "Read the street", guard=all_with_slack,
    start="Which points does (16.16) send to the ceiling?",
    hints=[
        "A point with slack has α = C. Slack means: not yet at its own kerb.",
        "Circles (t = -1) belong beyond the upper dashed line, squares (t = +1) beyond the lower one. List all that "
        "do not reach their line.",
    ],
    answer=chosen("Points with α = C", CEILING, 12, slips="""
        VECTORS               | These are all support vectors. Those exactly on a kerb are free: 0 < α < C.
        VECTORS - CEILING     | These lie on the kerb and are free: 0 < α < C. The ceiling is for those with slack.
        MISSED                | These are misclassified. Points on the right side but inside the street pay slack as
            well.
        {*range(12)} - VECTORS | These have α = 0: they lie beyond their kerb and nobody needs them.
        {*range(12)} - CEILING | These are the others, without slack. The ceiling is for those that pay it.
        """),
    right="Right. Which side of the boundary they are on does not matter; what matters is that slack is paid.",
    explanation="These points lie inside the street or on the wrong side; the ones exactly on a dashed line are free, "
    "and all others have α = 0.",
)  # fmt: skip

task("16.f", "What a kernel machine answers",
    start="Which points have a term in (16.19)?",
    hints=["k(0, 1) = (0 + 1)² and k(2, 1) = (2 + 1)².", "y = (1/12) · 1 - (1/12) · 9 + 1."],
    answer=number("Your y(1)", "(0 * 1 + 1) ** 2 / 12 - (2 * 1 + 1) ** 2 / 12 + 1", rtol=2e-3, slips="""
        11 / 6 | The labels are missing: the second support vector votes with t = -1.
        5 / 3  | The labels are exchanged: x = 0 votes with t = +1, x = 2 with t = -1.
        -2 / 3 | The bias is missing.
        -5 / 3 | The bias has the wrong sign: it is added.
        -7     | The multipliers are missing: each vote counts with α = 1/12.
        5 / 6  | The square is missing: k = (x x' + 1)².
        2 / 3  | The one inside the bracket is missing: k = (x x' + 1)².
        3 / 4  | The one is missing in the second kernel value: k(2, 1) = (2 + 1)².
        1 / 4  | The first support vector is missing: k(0, 1) = (0 + 1)² is not 0.
        0.3    | That is rounded too far: give three digits, or a fraction.
        1      | That is the class, or y(0). Wanted is y(1), the value before its sign is taken.
        -1     | That is y(2), the value at the second support vector. Wanted is y(1).
        0      | The middle between the support vectors is not on this boundary: insert x = 1 into (16.19).
        """),
    right="Right. The middle, x = 1, belongs to class +1: the boundary halves the way in the features, not on the "
    "line.",
    explanation="y(1) = (1 - 9)/12 + 1: the label of a support vector is the sign of its vote.",
)  # fmt: skip

task("16.g", "One step of SMO",
    start="Which of (16.20), (16.21) and (16.22) gives which number?",
    hints=[
        "The top (16.21): 0.2 + (-1)(-1 - 0.4)/2.",
        "The labels differ, so L = max(0, -0.4) and H = min(1, 0.6) by (16.20). Clip.",
        "α_i = 0.6 + t_i t_j (0.2 - new α_j), with t_i t_j = -1.",
    ],
    slips="""
        (0.9, 0.6, 1)   | The last two are exchanged: enter α_i before α_j.
        (0.9, 0.6, 0.2) | Nothing has moved: α_j goes to the top of the parabola, or as near as [L, H] lets it.
        (0.9, ..., 0.9) | α_j is not clipped to [L, H]. The box holds for both, and α_i must stay in it as well.
        (0.9, ..., 0.8) | That is the segment for equal labels. Here they differ, and the difference is kept.
        (0.9, ..., 1)   | Clip α_j to [L, H] of (16.20); H is where α_i meets the ceiling.
        """,
    top=number("The top", "0.2 - (-1 - 0.4) / 2", slips="""
        1.6  | η is missing: divide t_j (E_i - E_j) by η = 2.
        0.55 | You divided by η²; (16.21) divides by η = 2.
        -0.5 | The step has the wrong sign: α_j moves by t_j (E_i - E_j)/η = +0.7.
        0.5  | You added the errors; the step is t_j (E_i - E_j)/η.
        0.7  | That is the step; the top is the old α_j plus the step.
        1.3  | You moved α_i. (16.21) moves α_j, which starts at 0.2, and α_i follows.
        0.6  | Enter the top of the parabola before it is clipped.
        """),
    alpha_i=number("α_i", "0.6 - (0.2 - 0.6)", slips="""
        0.2 | α_i moves the wrong way: it changes by t_i t_j (old α_j - new α_j), and t_i t_j = -1.
        0.6 | α_i must follow, or Σ αt changes.
        1.3 | Let α_i follow the clipped α_j, not the top: it moves by 0.4.
        """),
    alpha_j=number("α_j", "min(1, 1 + 0.2 - 0.6)", slips="""
        0.2 | That is α_j before the step. It goes to the top, or as near as [L, H] lets it.
        """),
    right="Right. The difference of the two stays 0.4, and the pair stops where α_i meets the ceiling.",
    explanation="The top is at 0.9, the segment is [0, 0.6], so α_j = 0.6, and α_i grows by the same 0.4.",
)  # fmt: skip


def six_votes(votes):
    """Return words for votes whose sum is not the number of machines."""
    if votes.sum() != 6:
        return f"Six machines give six votes; yours sum to {votes.sum():g}. Count each answer once."


task("16.h", "Six machines, four classes",
    start="Who won how often? And which pair is asked first?",
    hints=[
        "Count how often each letter is the answer.",
        "The DAG starts with the first against the last of A, B, C, D: A or D. Strike the loser off and repeat.",
        "The answer A strikes D off, then A or C strikes A off, and B or C is left.",
    ],
    votes=number("Your list of votes", [2, 1, 2, 1], names="A, B, C, D", reveal=True, say=six_votes, slips="""
        [1, 2, 1, 2] | You counted defeats; a vote goes to the class that the machine names.
        [3, 3, 3, 3] | That is how many machines know each class; count how many of them name it.
        [2, 1, 1, 2] | One vote of C went to D: look again at what the machine C or D answers, and count in the order A,
            B, C, D.
        np.array([2, 1, 2, 1]) / 6 | Those are shares; the numbers of votes are wanted.
        """),
    winner=spelt("The one class with which the DAG ends", "B", "ABCD", ordered=False, slips="""
        A  | A has most votes, with C, but the DAG strikes it off at its second question: A or C, answer C.
        C  | C wins if each winner meets the next of the list. The DAG asks the first against the last.
        D  | The first question, A against D, strikes D off.
        AC | Those two have most votes. The DAG does not count votes, and ends with one class.
        ABC | Those win a question on the way. Only the class that is left at the end is wanted.
        """),
    right="Right. By votes A and C tie; the DAG takes B. In the order A, C, B, D it would have taken C.",
    explanation="A and C have two votes each, and yet the DAG ends with B: it never asked A against B.",
)  # fmt: skip

task("16.i", "Where to put the threshold",
    start="What is the lowest score of a malignant mass?",
    hints=[
        "A mass is missed if it is malignant and its score is not above the threshold.",
        "-0.3 must be above the threshold, and 0 is not below it. Then count the benign scores above it.",
    ],
    threshold=number("The threshold (0.5, 0, -0.5 or -1)", -0.5, slips="""
        0.5  | At 0.5 you miss 2 of the five malignant masses.
        0    | At 0 you miss 1 of the five malignant masses.
        -1   | At -1 no malignant mass is missed, but a higher threshold does that with fewer alarms.
        -0.3 | That is the lowest malignant score. The threshold is one of 0.5, 0, -0.5 and -1.
        """),
    alarms=number("Your number of false alarms", 3, slips="""
        2   | The two scores nearest to the threshold are -0.4 and -0.7: which of them lies above -0.5?
        1   | That is the number of false alarms at 0.
        8   | That is the number of all masses called malignant; false alarms are the benign ones among them.
        5   | That is the number of malignant masses; count the benign ones above the threshold.
        0.6 | A number is asked for, not a share.
        3 / 8 | A number is asked for, not a share.
        0   | That is the number of malignant masses missed, or of false alarms at 0.5; count the benign ones above your
            threshold.
        4   | That is the number of false alarms at -1.
        """),
    right="Right: no miss at the price of three false alarms, where the threshold 0 has one miss and one alarm.",
    explanation="Above -0.5 lie all five malignant scores, and the benign ones 0.3, -0.1 and -0.4.",
)  # fmt: skip


def bias(alpha, t, K, C):
    free = (alpha > 1e-8 * C) & (alpha < C - 1e-8 * C)
    F = t - K @ (alpha * t)
    return F[free].mean()


def almost_solved(seed, C):
    """Return alpha, t, K and C of a machine as a solver leaves it: some multipliers a hair from their bound."""
    data = blobs(40, centers=[[0, 0], [1.5, 1]], spread=1.0, rng=seed)
    kernel = rbf_kernel(beta=0.5)
    alpha = SVC(C=C, kernel=kernel, tol=0.01).fit(data.X, data.y).alpha_
    hair = C * np.array([0, 0.6e-8, 1e-10])[np.arange(40) % 3]
    alpha = np.where(alpha == 0, hair, np.where(alpha == C, C - hair, alpha))
    return alpha, 2.0 * data.y - 1, kernel(data.X), C


def bias_cases():
    solved = [almost_solved(seed, C) for seed, C in ((1, 1.0), (5, 0.3), (8, 5.0))]
    X, t = np.array([[0.0], [0.4], [1.0], [1.5], [2.5]]), np.array([1.0, -1, 1, -1, 1])
    small = np.array([5e-4, 0.5, 0.3, 1.0, 1 - 7e-7])  # near their bounds, and yet free
    return [*solved, (small, t, rbf_kernel(beta=0.5)(X), 1.0)]


task("16.1", "The bias from the right points", bias, cases=bias_cases, what="The bias", rtol=1e-5, atol=1e-7,
    start="Which multipliers guarantee that a point lies exactly on its kerb?",
    hints=[
        "Only 0 < α < C puts a point on its kerb, see (16.16).",
        "F = t - K @ (alpha * t); average F over the free points.",
        "free = (alpha > 1e-8 * C) & (alpha < C - 1e-8 * C)",
    ],
    slips="""
        & (alpha < C - 1e-8 * C) => | You averaged over all support vectors. Those at α = C are not on the kerb.
        (alpha > 1e-8 * C) & (alpha < C - 1e-8 * C) => alpha > 0 | You averaged over all support vectors, and without
            the tolerance. Those at α = C are not on the kerb.
        (alpha > 1e-8 * C) & (alpha < C - 1e-8 * C) => alpha >= C - 1e-8 * C | You averaged over the points at the
            ceiling; those pay slack. Take 0 < α < C.
        F[free] => F           | You averaged over all points. Only the free ones, 0 < α < C, lie on the kerb.
        (alpha > 1e-8 * C) & =>  | You left out α = C but kept α = 0: those points lie beyond the kerb.
        (alpha > 1e-8 * C) & (alpha < C - 1e-8 * C) => (alpha > 0) & (alpha < C) | You compare exactly. Some multipliers
            are a hair from their bound, as a solver leaves them: use the tolerance 1e-8 * C at both ends.
        C - 1e-8 * C => C      | Your tolerance is missing at the ceiling: α within 1e-8 * C of C counts as C.
        alpha > 1e-8 * C => alpha > 0 | Your tolerance is missing at zero: α below 1e-8 * C counts as zero.
        alpha > 1e-8 * C => alpha > 1e-8 ;; C - 1e-8 * C => C - 1e-8 | Your tolerance does not grow with C; 1e-8 * C is
            wanted.
        alpha > 1e-8 * C => alpha > 1e-8 ;; C - 1e-8 * C => 1 - 1e-8 | C is taken to be 1: the ceiling is C.
        F[free].mean() => F[free][0]  | You take the first free point. A solver stops near the optimum, so take the mean
            over them all.
        F[free].mean() => F[free][-1] | You take the last free point. A solver stops near the optimum, so take the mean
            over them all.
        K @ (alpha * t) => K @ (free * alpha * t) | Your sum runs over the free points only. F needs all support
            vectors; only the mean is over the free ones.
        F[free].mean() => np.median(F[free]) | That is the median over the free points; take their mean.
        .mean() => .sum()      | That is the sum over the free points; divide by their number.
        .mean() => .sum() / len(alpha) | You divided by the number of all points; divide by that of the free ones.
        .mean() => .sum() / (alpha > 1e-8 * C).sum() | You divided by the number of support vectors; divide by that of
            the free ones.
        alpha > 1e-8 * C => alpha > 1e-3 * C ;; C - 1e-8 * C => C - 1e-3 * C | Your tolerance is too wide: multipliers
            that small are free. It is 1e-8 * C.
        alpha > 1e-8 * C => alpha > 1e-6 * C ;; C - 1e-8 * C => C - 1e-6 * C | Your tolerance is too wide: multipliers
            that near to a bound are free. It is 1e-8 * C.
        K @ (alpha * t) => K @ alpha | The labels are missing in the sum: K @ (alpha * t).
        K @ (alpha * t) => K @ alpha * t | Without brackets K @ alpha * t is (K @ alpha) * t; write K @ (alpha * t).
        t - K @ (alpha * t) => t * (1 - K @ (alpha * t)) | The label multiplies the sum, too; F is t - K @ (alpha * t),
            with t in front only.
        F = t - => F = - | The label t_i is missing: F = t - K @ (alpha * t).
        F = t - => F = 1 -     | On its kerb a point has y = t, not y = 1: F = t - K @ (alpha * t).
        return F => return -F  | The sign is the wrong way round: b = t - Σ α t k.
        """,
    right="Right. With no free point at all, (16.17) leaves an interval.",
    explanation="Points at the ceiling have slack, so their F is not the bias (16.17).",
)  # fmt: skip


def duality_gap(w, b, alpha, X, t, C):
    slack = np.maximum(0, 1 - t * (X @ w + b))
    primal = 0.5 * w @ w + C * slack.sum()
    v = (alpha * t) @ X
    dual = alpha.sum() - 0.5 * v @ v
    return primal - dual


def nine_points(C):
    rng = np.random.default_rng(6)
    X, t = rng.normal(size=(9, 3)), np.array([1, -1, 1, -1, 1, -1, 1, 1, -1.0])
    alpha = rng.uniform(0, C, 9)
    alpha[t > 0] *= 0.8 * alpha[t < 0].sum() / alpha[t > 0].sum()
    alpha[t < 0] *= 0.8
    return rng.normal(size=3) + C, 0.3 + C, alpha, X, t, C


task("16.2", "How far from the optimum?", duality_gap, cases=[nine_points(0.4), nine_points(3.0)], what="The gap",
    start="Which two values does the gap compare?",
    hints=[
        "Compute the slacks first: max(0, 1 - t y).",
        "Primal: ½ |w|² + C Σ ξ, with the w that was given.",
        "Dual: Σ α - ½ |Σ α t x|². Its vector Σ α t x need not be the given w.",
    ],
    slips="""
        primal - dual => dual - primal | The order is primal minus dual; the gap is never negative.
        primal - dual => primal        | That is the primal value only; subtract the dual.
        primal - dual => dual          | That is the dual value only; the gap is primal minus dual.
        C * slack => slack             | The price C is missing in front of the slacks.
        np.maximum(0, 1 - t * (X @ w + b)) => 1 - t * (X @ w + b) | Slack is never negative: use max(0, 1 - t y).
        slack.sum() => slack.mean()    | You take the mean of the slacks; (16.14) has their sum.
        slack.sum() => (slack > 0).sum() | You count the points with slack; (16.14) adds the slacks themselves.
        slack.sum() => (slack**2).sum() | You square the slacks; (16.14) adds them as they are.
        (0, 1 - t => (0, -t            | The kerb is at t y = 1: the slack is max(0, 1 - t y).
        0.5 * w @ w + =>               | The part ½ |w|² is missing in the primal.
        0.5 * w @ w => w @ w           | The factor ½ is missing in the primal.
        0.5 * w @ w => 0.5 * np.linalg.norm(w) | The length of w is squared in the primal: ½ |w|².
        0.5 * w @ w => 0.5 * np.linalg.norm(w) ;; 0.5 * v @ v => 0.5 * np.linalg.norm(v) | The lengths are squared, in
            the primal and in the dual: ½ |w|².
        0.5 * v @ v => v @ v           | The factor ½ is missing in the dual.
        0.5 * w @ w => w @ w ;; 0.5 * v @ v => v @ v | The factor ½ is missing, in the primal and in the dual.
        alpha.sum() - => alpha.sum() + | The dual is Σ α minus ½ |Σ α t x|²; mind the signs when you subtract it.
        alpha.sum() - => -             | Σ α is missing in the dual.
        - 0.5 * v @ v =>               | The quadratic part ½ |Σ α t x|² is missing in the dual.
        v = (alpha * t) @ X => v = w   | The dual uses Σ α t x, not the w of the primal.
        1 - t * (X => 1 - (X           | The labels are missing in the slacks: max(0, 1 - t y).
        (alpha * t) @ X => alpha @ X   | The labels are missing in the dual: Σ α t x.
        (X @ w + b) => (X @ w)         | The bias b is missing in the slacks.
        """,
    right="Right. A solver that knows this number knows when to stop.",
    explanation="Weak duality (16.9) keeps the difference from being negative; at the optimum it is zero.",
)  # fmt: skip


def working_set(F, alpha, t, K, C):
    up = np.where(t > 0, alpha < C, alpha > 0)
    low = np.where(t > 0, alpha > 0, alpha < C)
    i = np.argmax(np.where(up, F, -np.inf))
    eta = K[i, i] + np.diag(K) - 2 * K[i]
    better = low & (F < F[i])
    gain = (F[i] - F) ** 2 / np.maximum(2 * eta, 1e-12)
    j = np.argmax(np.where(better, gain, -np.inf))
    return i, j


def partners(F, up, low):
    """Yield whether some j is left for the right i, and for wrong ones: a mistake should not end in an empty list."""
    yield (low & (F < F[up].max())).any()
    yield (up & (F < F[low].max())).any()  # the two sets exchanged
    yield (low & (F < F[np.argmax(F[up])])).any()  # the position within I_up


def pair_cases():
    """Return problems of eight points with a violating pair, for several C, some multipliers at a bound."""
    rng, cases = np.random.default_rng(7), []
    while len(cases) < 60:
        t, C = np.where(np.arange(8) % 2, 1.0, -1.0), (1, 0.5, 3)[len(cases) % 3]
        X = rng.normal(size=(8, 2)) * (1, 3) * (1 if len(cases) < 50 else 0.1)  # the last ones have a small η
        K, alpha = X @ X.T, C * rng.choice([0.0, 1.0, 0.4], size=8)
        F = t - K @ (alpha * t) + rng.normal(size=8)
        up, low = np.where(t > 0, alpha < C, alpha > 0), np.where(t > 0, alpha > 0, alpha < C)
        if up.any() and low.any() and all(partners(F, up, low)):
            cases.append((F, alpha, t, K, float(C)))
    return cases


def pair(got):
    """Return a result as two numbers of points."""
    i, j = numbers(got, "i, j")
    if i not in range(8) or j not in range(8):
        raise Wrong(f"For eight points you return {i:g} and {j:g}; both must be indices from 0 to 7.")
    return int(i), int(j)


def from_the_top(answer):
    """Raise Wrong where i has the smallest F of I_up, for which other cases have no j left."""
    t, alpha = np.where(np.arange(8) % 2, 1.0, -1.0), np.array([0, 1, *[0.4] * 6])
    if pair(call(answer, np.arange(8.0), alpha, t, np.eye(8), 1.0))[0] == 2:
        raise Wrong("Your i has the smallest F of I_up; take the largest.")


def best_of_all_pairs(F, alpha, t, K, C):
    slope = F[:, None] - F
    eta = np.maximum(np.diag(K)[:, None] + np.diag(K) - 2 * K, 1e-12)
    up, low = np.where(t > 0, alpha < C, alpha > 0), np.where(t > 0, alpha > 0, alpha < C)
    gain = np.where(up[:, None] & low & (slope > 0), slope**2 / eta, -1)
    return np.unravel_index(np.argmax(gain), K.shape)


task("16.3", "The pair that gains most", working_set, cases=pair_cases, what="The pair", names="i, j", read=pair,
    guard=from_the_top,
    start="Which points may i be, and which ones j?",
    hints=[
        "Build the two masks I_up and I_low of (16.17) first.",
        "I_up: t = +1 and α < C, or t = -1 and α > 0. I_low: t = +1 and α > 0, or t = -1 and α < C.",
        "i = argmax of F with -inf outside I_up.",
        "eta = K[i, i] + diag(K) - 2 K[i]; j = argmax of (F[i] - F)² / (2 eta) where j is in I_low and F[j] < F[i].",
    ],
    slips=["""
        return i, j => return j, i | The two are exchanged: return (i, j), i from I_up first.
        up = np.where => C = 1.0; up = np.where | C is taken to be 1: a multiplier at its bound has α = C.
        np.argmax(np.where(better, gain, -np.inf)) => np.argmin(np.where(low, F, np.inf)) | Your j is the steepest
            partner (smallest F in I_low). Weigh by 1/η: use the gain (16.24).
        i = np.argmax => up, low = low, up; i = np.argmax | The two sets are exchanged: i comes from I_up, where t α may
            grow, j from I_low.
        i = np.argmax => up, low = low, up; i = np.argmax ;; np.argmax(np.where(better, gain, -np.inf))
            => np.argmin(np.where(low, F, np.inf)) | The two sets are exchanged, I_up and I_low; and j, your steepest
            partner, has not the largest gain.
        np.where(t > 0, alpha < C, alpha > 0) => alpha < C | Your I_up ignores the labels: for t = -1 it holds α > 0,
            not α < C.
        np.where(t > 0, alpha < C, alpha > 0) => alpha < C ;; np.where(t > 0, alpha > 0, alpha < C) => alpha > 0 | Your
            I_up ignores the labels, and I_low too: for t = -1 the two change places.
        np.where(t > 0, alpha < C, alpha > 0) => alpha < C ;; np.argmax(np.where(better, gain, -np.inf))
            => np.argmin(np.where(alpha > 0, F, np.inf)) | Your I_up ignores the labels, and I_low too: for t = -1 the
            two change places. And take the largest gain, not the smallest F.
        np.where(t > 0, alpha > 0, alpha < C) => alpha > 0 | Your I_low ignores the labels: for t = -1 it holds α < C,
            not α > 0.
        np.where(up, F, -np.inf) => F ;; np.argmax(np.where(better, gain, -np.inf)) => np.argmin(F) | Your i has the
            largest F of all points; it must be able to move up: look in I_up only, and for j in I_low only.
        np.where(up, F, -np.inf) => F | Your i has the largest F of all points; it must be able to move up: look in I_up
            only.
        low & (F < F[i]) => F < F[i] | Your j may be any point; t_j α_j must be able to fall: look in I_low only.
        np.argmax(np.where(better, gain, -np.inf)) => np.argmin(F) | Your j has the smallest F of all points; t_j α_j
            must be able to fall: look in I_low only, for the largest gain.
        (F[i] - F) ** 2 => (F[i] - F) | The square is missing, or η is squared as well: the gain (16.24) is (F_i -
            F_j)²/(2η).
        / np.maximum(2 * eta, 1e-12) => * eta | Divide by η in the gain (16.24); you multiply by it.
        - 2 * K[i] => + 2 * K[i]     | The sign in η is wrong: η = k_ii + k_jj - 2 k_ij.
        - 2 * K[i] =>                | The part -2 k_ij of η is missing: η = k_ii + k_jj - 2 k_ij.
        - 2 * K[i] => - K[i]         | The factor 2 is missing in η = k_ii + k_jj - 2 k_ij.
        K[i, i] + np.diag(K) - 2 * K[i] => np.diag(K) | Your η is k_jj only: η = k_ii + k_jj - 2 k_ij.
        K[i, i] + np.diag(K) - 2 * K[i] => K[i] ;; np.maximum(2 * eta, 1e-12) => (2 * eta) | Your η is k_ij only: η =
            k_ii + k_jj - 2 k_ij.
        np.argmax(np.where(better, gain, -np.inf)) => np.argmin(np.where(better, gain, np.inf)) | Your j has the
            smallest gain: take the largest; or your fraction is upside down: (F_i - F_j)²/(2η).
        np.argmax(np.where(up, F, -np.inf)) => np.argmax(F[up]) | Your i counts within the members of I_up only; return
            the number among all points: np.flatnonzero(up)[...].
        return i, j => return i, better[:j].sum() | Your j counts within the members of I_low only; return the number
            among all points.
        low & (F < F[i]) => low      | Your j may have F_j ≥ F_i, so the pair cannot rise: the square hides the sign.
            Ask for F_j < F_i.
        """,
        (best_of_all_pairs, "You look for the best of all pairs. The rule fixes i first, the largest F in I_up, and "
         "then searches j only."),
    ],
    right="Right. This is the working-set rule of the shipped SMO.",
    explanation="The steepest partner may lie far away in feature space, where a long step brings little: η is large.",
)  # fmt: skip

"""Tasks of chapter 16: margins, duality, multipliers, kernels, steps of SMO and of descent, the bias, the gap."""

import numpy as np

from mlteach.datasets import blobs
from mlteach.exercises.base import Wrong, call, exercise, expect_close, expect_function, expect_set, numbers, points
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
    start="Write the constraint as g(w) = 4 - w ≤ 0; then L = (w - 1)² + α (4 - w).",
    hints=[
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
    start="Both multipliers are equal because of Σ αt = 0; write W as a function of that one number.",
    hints=[
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
    expect_set(
        points(answer, 12),
        ceiling,
        "Points with α = C",
        known=[
            (vectors, "These are all support vectors. Those exactly on a kerb are free: 0 < α < C."),
            (vectors - ceiling, "These lie on the kerb and are free: 0 < α < C. The ceiling is for those with slack."),
            (
                np.flatnonzero(model.predict(data.X) != data.y),
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
    hints=["k(0, 1) = (0 + 1)² and k(2, 1) = (2 + 1)².", "y = +1 · 1 - 1 · 9 + ½."],
    solution=-7.5,
    explanation="y(1) = 1 · 1 · 1 + 1 · (-1) · 9 + 0.5: the label of a support vector is the sign of its vote.",
)
def _(answer):
    expect_close(
        answer,
        -7.5,
        "Your y(1)",
        known=[
            (10.5, "The labels are missing: the second support vector votes with t = -1."),
            (8.5, "The labels are exchanged: x = 0 votes with t = +1, x = 2 with t = -1."),
            (-8, "The bias is missing."),
            (-8.5, "The bias has the wrong sign: it is added."),
            (-1.5, "The square is missing: k = (x x' + 1)²."),
            (-3.5, "The one inside the bracket is missing: k = (x x' + 1)²."),
            (-1, "That is the class. y(1) is the value before its sign is taken."),
        ],
        reveal=False,
    )
    return "Right. Its sign says class -1, and it lies far beyond the kerb at -1."


@exercise(
    "16.g",
    "One step of SMO",
    start="First the top of the parabola (16.21), then the segment (16.20), then the partner (16.22).",
    hints=[
        "The top: 0.5 + (-1)(-1 - 0.4)/2.",
        "The labels differ, so L = max(0, 0.3) and H = min(1, 1.3). Clip.",
        "α_i = 0.2 + t_i t_j (0.5 - new α_j), with t_i t_j = -1.",
    ],
    solution=(0.7, 1.0),
    explanation="The top is at 1.2, the segment is [0.3, 1], so α_j = 1, and α_i grows by the same 0.5.",
)
def _(alpha_i, alpha_j):
    expect_close(
        numbers([alpha_i, alpha_j], "α_i, α_j"),
        [0.7, 1.0],
        "Your pair",
        names="α_i, α_j",
        known=[
            ((1.0, 0.7), "The two are exchanged: enter α_i first."),
            ((0.9, 1.2), "α_j leaves the box: clip 1.2 to [L, H]."),
            ((..., 1.2), "α_j leaves the box: clip 1.2 to [L, H]."),
            ((-0.3, 1.0), "α_i moves the wrong way: it changes by t_i t_j (old α_j - new α_j), and t_i t_j = -1."),
            ((0.0, 1.0), "α_i moves the wrong way: it changes by t_i t_j (old α_j - new α_j), and t_i t_j = -1."),
            ((0.2, 1.0), "α_i must follow, or Σ αt changes."),
            ((0.9, 1.0), "Let α_i follow the clipped α_j, not the top: it moves by 0.5."),
            ((0.0, 0.3), "The step has the wrong sign: α_j moves by t_j (E_i - E_j)/η = +0.7, and stops at H."),
            ((0.5, 0.8), "You added the errors; the step is t_j (E_i - E_j)/η."),
            ((0.2, 0.5), "Nothing has moved: the top of the parabola is at α_j + t_j (E_i - E_j)/η."),
            ((0.5, 0.2), "With equal labels the sum is kept; here the labels differ and the difference is kept."),
        ],
        reveal=False,
    )
    return "Right. The difference stays 0.3, and the pair stops at the ceiling."


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
    alpha = SVC(C=C, kernel=kernel, tol=1e-9).fit(data.X, data.y).alpha_
    hair = C * np.array([0, 0.6e-8, 1e-10])[np.arange(40) % 3]
    alpha = np.where(alpha == 0, hair, np.where(alpha == C, C - hair, alpha))
    return alpha, 2.0 * data.y - 1, kernel(data.X), C


def clip_pair(alpha_i, alpha_j, t_i, t_j, step, C):
    if t_i != t_j:  # the difference of the two is kept
        low, high = max(0, alpha_j - alpha_i), min(C, C + alpha_j - alpha_i)
    else:  # their sum is kept
        low, high = max(0, alpha_i + alpha_j - C), min(C, alpha_i + alpha_j)
    new_j = min(max(alpha_j + step, low), high)
    return alpha_i + t_i * t_j * (alpha_j - new_j), new_j


@exercise(
    "16.2",
    "Two multipliers at a time",
    start="Start from the constraint: what must the change of α_i be if α_j changes by d?",
    hints=[
        "t_i α_i + t_j α_j is kept. Multiply by t_i: α_i + t_i t_j α_j is kept as well.",
        "Clip α_j to [L, H] of (16.20), which keeps both multipliers in the box, and only then compute α_i.",
        "Different labels: L = max(0, α_j - α_i), H = min(C, C + α_j - α_i). Equal labels: L = max(0, α_i + α_j - C), "
        "H = min(C, α_i + α_j). Then α_i grows by t_i t_j (old α_j - new α_j).",
    ],
    solution=clip_pair,
    explanation="Equations (16.20) and (16.22): the segment first, then the clipped move, then the partner.",
)
def _(answer):
    rng, cases = np.random.default_rng(2), []
    for trial in range(60):
        C = (1.0, 2.5)[trial % 2]
        labels = ((1, 1), (1, -1), (-1, 1), (-1, -1))[trial % 4]
        cases.append((*rng.uniform(0, C, 2), *labels, rng.normal() * C * (0.1, 1.5)[trial % 3 > 0], C))
    got = [numbers(call(answer, *case), "alpha_i, alpha_j") for case in cases]
    for slip, words in _CLIP_SLIPS:
        if np.allclose(got, [slip(*case) for case in cases]):
            raise Wrong(words)
    for case, new in zip(cases, got):
        _judge_pair(case, new)
    return "Right. With step = t_j (E_i - E_j) / η this is all that SMO does."


def _exchanged_segments(alpha_i, alpha_j, t_i, t_j, step, C):
    other = clip_pair(alpha_i, alpha_j, t_i, -t_j, step, C)[1]
    return alpha_i + t_i * t_j * (alpha_j - other), other


def _all_or_nothing(alpha_i, alpha_j, t_i, t_j, step, C):
    pair = alpha_i - t_i * t_j * step, alpha_j + step
    return pair if min(pair) >= 0 and max(pair) <= C else (alpha_i, alpha_j)


_CLIP_SLIPS = [
    (lambda *case: clip_pair(*case[:5], 1.0), "The ceiling is C, not 1."),
    (lambda a, b, t_i, t_j, step, C: clip_pair(a, b, t_i, t_j, -step, C), "α_j moves the wrong way: add the step."),
    (lambda a, b, t_i, t_j, step, C: clip_pair(a, b, t_i, t_j, t_j * step, C), "The step already is the change of "
     "α_j; do not multiply it by t_j."),
    (lambda a, b, t_i, t_j, step, C: clip_pair(b, a, t_j, t_i, step, C)[::-1], "You move α_i by the step; it is α_j "
     "that moves, and α_i follows."),
    (_exchanged_segments, "The two cases of [L, H] in (16.20) are exchanged: look at different and equal labels."),
    (_all_or_nothing, "You do not move at all if the box is in the way. Move as far as it lets the pair go."),
]  # fmt: skip


def _judge_pair(given, new):
    a_i, a_j, t_i, t_j, step, C = given
    right = clip_pair(a_i, a_j, t_i, t_j, step, C)
    case = f"with α = ({a_i:.2f}, {a_j:.2f}), t = ({t_i}, {t_j}), step {step:.2f}, C = {C:g}"
    if not np.isfinite(new).all():
        raise Wrong(f"{case} you return {new[0]} and {new[1]}, which are not finite.")
    change = t_i * (new[0] - a_i) + t_j * (new[1] - a_j)
    if np.allclose(new, right[::-1]) and not np.allclose(new, right):
        raise Wrong("The two are exchanged: return (alpha_i, alpha_j).")
    if abs(change) > 1e-6 * C:
        equal = "=" if t_i == t_j else "≠"
        reason = "The sign of the change of α_i depends on t_i t_j."
        if np.allclose(new, [2 * a_i - right[0], right[1]]):
            reason = "α_i moves the wrong way: it must change by t_i t_j (old α_j - new α_j)."
        elif np.allclose(new, np.clip([a_i - t_i * t_j * step, a_j + step], 0, C)):
            reason = "You clipped both multipliers on their own; clip α_j to [L, H] and let α_i follow."
        raise Wrong(f"The sum Σ αt changed by {change:.2f} when t_i {equal} t_j. {reason}")
    if min(new) < -1e-9 or max(new) > C + 1e-9:
        who = "α_i" if new[0] < -1e-9 or new[0] > C + 1e-9 else "α_j"
        raise Wrong(f"{who} leaves the box [0, C] {case}: you return ({new[0]:.2f}, {new[1]:.2f}).")
    expect_close(new, right, f"The pair {case}")


def hinge_step(w, b, X, t, lam, rate):
    pays = t * (X @ w + b) < 1
    return w - rate * (lam * w - (t * pays) @ X / len(t)), b + rate * np.mean(t * pays)


@exercise(
    "16.3",
    "A step down the hinge",
    start="Which points pay? Only those have a slope.",
    hints=[
        "A point that pays, t y < 1, has the slope -t x (and -t for b); all others have slope zero.",
        "The mean over all N points, plus lam * w; b has no penalty.",
        "pull = lam * w - (t * pays) @ X / len(t); then w - rate * pull and b + rate * mean(t * pays).",
    ],
    solution=hinge_step,
    explanation="The sub-gradient of (16.18): the penalty's slope plus the mean slope of the hinges.",
)
def _(answer):
    rng = np.random.default_rng(9)
    X, t = rng.normal(size=(7, 2)).round(2), np.array([1, -1, 1, 1, -1, -1, 1])
    kerb = np.array([[0.5, 0.0], [-1.5, 0.5], [-0.25, 0.0], [-3.5, 1.0]])  # the first two lie on their kerb
    cases = [
        (np.array([0.4, -0.3]), 0.2, X, t, 0.05, 0.1),
        (np.array([1.0, 0.0]), 0.5, kerb, np.array([1, -1, 1, -1]), 0.3, 0.7),
        (np.array([-0.7, 1.5]), -0.4, 2 * X, t, 0.2, 0.5),
    ]

    def variant(who=lambda m: m < 1, scale=lambda n: n, sign=1, penalty=1, on_b=0, labels=True, old_b=False, with_b=1):
        def step(w, b, X, t, lam, rate):
            pays = who(t * (X @ w + with_b * b))
            pull = (t * pays if labels else pays).astype(float)
            new_w = w - sign * rate * (penalty * lam * w - pull @ X / scale(len(t)))
            return new_w, b if old_b else b - sign * rate * (on_b * lam * b - pull.sum() / scale(len(t)))

        return step

    def over_payers(w, b, X, t, lam, rate):
        pays = t * (X @ w + b) < 1
        return w - rate * (lam * w - t[pays] @ X[pays] / pays.sum()), b + rate * t[pays].mean()

    def b_uphill(w, b, *rest):
        new_w, new_b = hinge_step(w, b, *rest)
        return new_w, 2 * b - new_b

    def step_only(w, b, *rest):
        new_w, new_b = hinge_step(w, b, *rest)
        return new_w - w, new_b - b

    expect_function(
        answer,
        hinge_step,
        cases,
        "The new (w, b)",
        names="w, b",
        slips=[
            (variant(who=lambda m: m <= 1), "A point exactly on its kerb, t y = 1, does not pull: use <, not <=."),
            (variant(who=lambda m: m < 0), "You let only misclassified points pull. The hinge pulls wherever t y < 1."),
            (variant(who=lambda m: m < np.inf), "All points pull in your step; beyond the kerb the hinge is flat."),
            (variant(scale=lambda n: 1), "You add the slopes of the points; (16.18) has their mean, 1/N."),
            (variant(sign=-1), "You walk uphill: subtract the sub-gradient."),
            (variant(penalty=0), "The penalty is missing: its slope is lam * w."),
            (variant(penalty=2), "The penalty is ½ λ |w|², so its slope is lam * w, not 2 lam * w."),
            (variant(on_b=1), "The bias is never penalised."),
            (variant(labels=False), "The labels are missing in the slope: it is -t x."),
            (variant(with_b=0), "The bias is missing where you ask who pays: t y(x) < 1 with y = w . x + b."),
            (over_payers, "You take the mean over the points that pay; (16.18) divides by all N points."),
            (b_uphill, "b moves the wrong way: the slope of a hinge in b is -t, so b grows by rate * mean(t)."),
            (step_only, "That is the step alone; add it to the old w and b."),
            (variant(old_b=True), "b must move too, by rate * mean(t) over the points that pay."),
        ],
    )
    return "Right. Repeat it with a falling rate, and you have trained a support vector machine."


def duality_gap(w, b, alpha, X, t, C):
    slack = np.maximum(0, 1 - t * (X @ w + b))
    primal = 0.5 * w @ w + C * slack.sum()
    v = (alpha * t) @ X
    dual = alpha.sum() - 0.5 * v @ v
    return primal - dual


@exercise(
    "16.4",
    "How far from the optimum?",
    start="Compute the slacks first: max(0, 1 - t y).",
    hints=[
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
    "16.5",
    "The pair that gains most",
    start="Build the two masks I_up and I_low of (16.17) first.",
    hints=[
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

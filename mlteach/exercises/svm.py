"""Exercises of chapter 16: margins, multipliers, the bias, and one step of SMO."""

import numpy as np

from mlteach.datasets import blobs
from mlteach.exercises.base import Wrong, exercise, expect_close, points
from mlteach.kernels import rbf_kernel
from mlteach.svm import SVC


def signed_distance(X, w, b):
    return (X @ w + b) / np.linalg.norm(w)


@exercise(
    "16.1",
    "Distance with a sign",
    start="Start from y(x) = w . x + b and equation (16.1).",
    hints=[
        "X @ w + b gives y for all rows at once.",
        "Divide by the length of w, np.linalg.norm(w), not by its square. Keep the sign.",
    ],
    solution=signed_distance,
    explanation="Equation (16.1): y grows by the length of w for each unit that one walks along w.",
)
def _(answer):
    rng = np.random.default_rng(1)
    for d in (2, 5):
        X, w, b = rng.normal(size=(7, d)), 2 * rng.normal(size=d), 1.7
        y, length = X @ w + b, np.linalg.norm(w)
        expect_close(
            answer(X, w, b),
            y / length,
            f"The vector of distances of 7 points in {d} dimensions",
            known=[
                (y, "You return y(x), which grows with the length of w. Divide by the length of w."),
                (y / length**2, "You divide by the square of the length; that is the number of steps w to the plane."),
                ((X @ w - b) / length, "The sign of b is wrong: the plane is w . x + b = 0, so y = w . x + b."),
                (X @ w / length, "The intercept b is missing: this is the distance to a parallel plane through 0."),
                (X @ w / length + b, "Divide b by the length of w too."),
                (abs(y) / length, "The sign is lost: points behind the plane need a negative distance."),
            ],
        )
    return "Right. Multiply by the label and you have the geometric margin (16.2)."


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
    rng = np.random.default_rng(2)
    for trial in range(60):
        C = (1.0, 2.5)[trial % 2]
        t_i, t_j = ((1, 1), (1, -1), (-1, 1), (-1, -1))[trial % 4]
        (a_i, a_j), step = rng.uniform(0, C, 2), rng.normal() * C * (0.1, 1.5)[trial % 3 > 0]
        case = f"with α = ({a_i:.2f}, {a_j:.2f}), t = ({t_i}, {t_j}), step {step:.2f}, C = {C:g}"
        got = answer(a_i, a_j, t_i, t_j, step, C)
        if not isinstance(got, (tuple, list, np.ndarray)) or np.shape(got) != (2,):
            raise Wrong("Return two numbers, (alpha_i, alpha_j).")
        new_i, new_j = (float(value) for value in got)
        if not np.isfinite([new_i, new_j]).all():
            raise Wrong(f"{case} you return {new_i} and {new_j}, which are not finite.")
        change = t_i * (new_i - a_i) + t_j * (new_j - a_j)
        if abs(change) > 1e-9:
            equal = "=" if t_i == t_j else "≠"
            right_i, right_j = clip_pair(a_i, a_j, t_i, t_j, step, C)
            reason = "The sign of the change of α_i depends on t_i t_j."
            if np.allclose([new_i, new_j], [2 * a_i - right_i, right_j]):
                reason = "α_i moves the wrong way: it must change by t_i t_j (old α_j - new α_j)."
            elif np.allclose([new_i, new_j], np.clip([a_i - t_i * t_j * step, a_j + step], 0, C)):
                reason = "You clipped both multipliers on their own; clip α_j to [L, H] and let α_i follow."
            raise Wrong(f"The sum Σ αt changed by {change:.2f} when t_i {equal} t_j. {reason}")
        if min(new_i, new_j) < -1e-9 or max(new_i, new_j) > C + 1e-9:
            who = "α_i" if new_i < -1e-9 or new_i > C + 1e-9 else "α_j"
            raise Wrong(f"{who} leaves the box [0, C] {case}: you return ({new_i:.2f}, {new_j:.2f}).")
        expect_close([new_i, new_j], clip_pair(a_i, a_j, t_i, t_j, step, C), f"The pair {case}")
    return "Right. With step = t_j (E_i - E_j) / η this is all that SMO does."


def _twelve():
    data = blobs(12, centers=[[-1, 0], [1, 0]], spread=1.1, rng=17)
    return data, SVC(C=1, tol=1e-9).fit(data.X, data.y)


@exercise(
    "16.3",
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
    got, alpha = points(answer, 12), model.alpha_
    ceiling, vectors = set(np.flatnonzero(alpha == 1).tolist()), set(model.support_.tolist())
    misclassified = set(np.flatnonzero(model.predict(data.X) != data.y).tolist())
    if got == ceiling:
        return "Right. Which side of the boundary they are on does not matter; what matters is that slack is paid."
    if got == vectors:
        raise Wrong("These are all support vectors. Those exactly on a kerb are free: 0 < α < C.")
    if got == vectors - ceiling:
        raise Wrong("These lie on the kerb and are free: 0 < α < C. The ceiling is for points that pay slack.")
    if got == misclassified:
        raise Wrong("These are misclassified. Points on the right side but inside the street pay slack as well.")
    if got == set(range(12)) - vectors:
        raise Wrong("These have α = 0: they lie beyond their kerb and nobody needs them.")
    extra, missing = sorted(got - ceiling), sorted(ceiling - got)
    parts = [f"{extra} do not pay slack"] * bool(extra) + [
        f"points that pay slack are missing ({len(missing)})"
    ] * bool(missing)
    raise Wrong(f"Not quite: {' and '.join(parts)}. A circle must reach the upper dashed line, a square the lower one.")


@exercise(
    "16.4",
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
def _(answer):
    if not isinstance(answer, (tuple, list, np.ndarray)) or len(answer) != 2 or any(np.size(v) != 1 for v in answer):
        raise Wrong("Enter two numbers, the multiplier and the margin, and no pair inside a pair.")
    alpha, margin = (np.asarray(value, dtype=float).item() for value in answer)
    if np.allclose([alpha, margin], [2.5, 0.08]):
        raise Wrong("Both numbers are right, in the wrong order: the multiplier first, then the margin.")
    expect_close(
        alpha,
        0.08,
        "The multiplier",
        known=[
            (0.4, "You divided by the distance 5; W(α) contains its square."),
            (0.04, "That is 1/25. The linear part of W has two multipliers, 2α."),
            (0.16, "That is 4/25: mind the factor ½ in W, whose derivative is 2 - 25 α."),
        ],
        reveal=False,
    )
    expect_close(
        margin,
        2.5,
        "The margin",
        known=[
            (5, "That is the width of the whole street. The margin runs from the boundary to the kerb."),
            (0.4, "That is the length of w; the margin is one over it."),
        ],
        reveal=False,
    )
    return "Right: α = 2/D² and half the distance D. Two far points need only a small force to hold the street."


def bias(alpha, t, K, C):
    free = (alpha > 1e-8 * C) & (alpha < C - 1e-8 * C)
    F = t - K @ (alpha * t)
    return F[free].mean()


@exercise(
    "16.5",
    "The bias from the right points",
    start="Which multipliers guarantee that a point lies exactly on its kerb?",
    hints=[
        "Only 0 < α < C puts a point on its kerb, see (16.16).",
        "F = t - K @ (alpha * t); average F over the free points.",
    ],
    solution=bias,
    explanation="Points at the ceiling have slack, so their F is not the bias (16.17).",
)
def _(answer):
    for seed, C in ((1, 1.0), (5, 0.3), (8, 5.0)):
        data = blobs(40, centers=[[0, 0], [1.5, 1]], spread=1.0, rng=seed)
        kernel = rbf_kernel(beta=0.5)
        model = SVC(C=C, kernel=kernel, tol=1e-9).fit(data.X, data.y)
        alpha, t, K = model.alpha_, 2.0 * data.y - 1, kernel(data.X)
        # A solver stops a hair off the bounds: 0.6e-8 C and 1e-10 C are still on them
        hair = C * np.array([0, 0.6e-8, 1e-10])[np.arange(40) % 3]
        alpha = np.where(alpha == 0, hair, np.where(alpha == C, C - hair, alpha))
        F, free = t - K @ (alpha * t), (alpha > 1e-8 * C) & (alpha < C - 1e-8 * C)
        low, high = alpha <= 1e-8 * C, alpha >= C - 1e-8 * C
        exact, absolute = (alpha > 0) & (alpha < C), (alpha > 1e-8) & (alpha < C - 1e-8)
        expect_close(
            answer(alpha.copy(), t.copy(), K.copy(), C),
            F[free].mean(),
            f"The bias for 40 points and C = {C:g}",
            known=[
                (
                    F[exact].mean(),
                    "You compare with 0 and C exactly. A multiplier within 1e-8 * C of a bound counts as on it.",
                ),
                *[(F[absolute].mean(), "Your tolerance does not grow with C; 1e-8 * C is wanted.")] * (C > 1),
                (F[~low].mean(), "You averaged over all support vectors. Those at α = C are not on the kerb."),
                (F[high].mean(), "You averaged over the points at the ceiling; those pay slack. Take 0 < α < C."),
                (F.mean(), "You averaged over all points. Only the free ones, 0 < α < C, lie on the kerb."),
                (F[~high].mean(), "You left out α = C but kept α = 0: those points lie beyond the kerb."),
                (F[free].sum(), "That is the sum over the free points; divide by their number."),
                ((t - K @ alpha)[free].mean(), "The labels are missing in the sum: K @ (alpha * t)."),
                (-F[free].mean(), "The sign is the wrong way round: b = t - Σ α t k."),
            ],
            rtol=1e-5,
            atol=1e-7,
        )
    return "Right. With no free point at all, (16.17) leaves an interval."


def duality_gap(w, b, alpha, X, t, C):
    slack = np.maximum(0, 1 - t * (X @ w + b))
    primal = 0.5 * w @ w + C * slack.sum()
    v = (alpha * t) @ X
    dual = alpha.sum() - 0.5 * v @ v
    return primal - dual


@exercise(
    "16.6",
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
    rng = np.random.default_rng(6)
    for C in (0.4, 3.0):
        X, t = rng.normal(size=(9, 3)), np.array([1, -1, 1, -1, 1, -1, 1, 1, -1.0])
        w, b, alpha = rng.normal(size=3), 0.3, rng.uniform(0, C, 9)
        alpha[t > 0] *= 0.8 * alpha[t < 0].sum() / alpha[t > 0].sum()
        alpha[t < 0] *= 0.8
        margin, v = t * (X @ w + b), (alpha * t) @ X
        slack, dual = np.maximum(0, 1 - margin), alpha.sum() - 0.5 * v @ v
        primal = 0.5 * w @ w + C * slack.sum()
        no_labels, no_b = np.maximum(0, 1 - (X @ w + b)), np.maximum(0, 1 - t * (X @ w))
        u = alpha @ X
        expect_close(
            answer(w.copy(), b, alpha.copy(), X.copy(), t.copy(), C),
            primal - dual,
            f"The gap for nine points and C = {C:g}",
            known=[
                (dual - primal, "The order is primal minus dual; the gap is never negative."),
                (0.5 * w @ w + slack.sum() - dual, "The price C is missing in front of the slacks."),
                (0.5 * w @ w + C * (1 - margin).sum() - dual, "Slack is never negative: use max(0, 1 - t y)."),
                (w @ w + C * slack.sum() - dual, "The factor ½ is missing in the primal."),
                (primal - alpha.sum() + v @ v, "The factor ½ is missing in the dual."),
                (primal - alpha.sum() + 0.5 * w @ w, "The dual uses Σ α t x, not the w of the primal."),
                (primal, "That is the primal value only."),
                (dual, "That is the dual value only; the gap is the primal minus it."),
                (primal + 0.5 * v @ v, "Σ α is missing in the dual."),
                (primal - alpha.sum(), "The quadratic part ½ |Σ α t x|² is missing in the dual."),
                (0.5 * w @ w + C * no_labels.sum() - dual, "The labels are missing in the slacks: max(0, 1 - t y)."),
                (0.5 * w @ w + C * no_b.sum() - dual, "The bias b is missing in the slacks."),
                (primal - alpha.sum() + 0.5 * u @ u, "The labels are missing in the dual: Σ α t x."),
            ],
        )
    return "Right. A solver that knows this number knows when to stop."


def working_set(F, alpha, t, K, C):
    up = np.where(t > 0, alpha < C, alpha > 0)
    low = np.where(t > 0, alpha > 0, alpha < C)
    i = np.argmax(np.where(up, F, -np.inf))
    eta = K[i, i] + np.diag(K) - 2 * K[i]
    better = low & (F < F[i])
    gain = np.where(better, (F[i] - F) ** 2 / np.where(better, 2 * eta, 1), -1)
    return i, np.argmax(gain)


@exercise(
    "16.7",
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
    rng, cases = np.random.default_rng(7), []
    while len(cases) < 45:
        X, t = rng.normal(size=(8, 2)) * (1, 3), np.where(np.arange(8) % 2, 1.0, -1.0)
        C = (1.0, 2.5, 0.7)[len(cases) % 3]
        K, alpha = X @ X.T, rng.choice([0.0, C, 0.4 * C], size=8)
        F = t - K @ (alpha * t) + rng.normal(size=8)
        up, low = _masks(alpha, t, C)
        if up.any() and (low & (F < F[up].max())).any():
            got = answer(F, alpha, t, K, C)
            if not isinstance(got, (tuple, list, np.ndarray)) or np.shape(got) != (2,):
                raise Wrong("Return two indices, (i, j).")
            if not np.isin(np.asarray(got, dtype=float), np.arange(8)).all():
                raise Wrong(f"For eight points you return {got[0]} and {got[1]}; both must be indices from 0 to 7.")
            cases.append(((F, alpha, t, K, C), working_set(F, alpha, t, K, C), tuple(int(k) for k in got)))
    _explain_pair(cases)
    return "Right. This is the working-set rule of the shipped SMO."


def _masks(alpha, t, C):
    return np.where(t > 0, alpha < C, alpha > 0), np.where(t > 0, alpha > 0, alpha < C)


def _masks_exchanged(F, alpha, t, K, C):
    """Return the pair that exchanged masks give, to recognise them."""
    low, up = _masks(alpha, t, C)
    i = np.argmax(np.where(up, F, -np.inf))
    better = low & (F < F[i])
    eta = K[i, i] + np.diag(K) - 2 * K[i]
    return i, np.argmax(np.where(better, (F[i] - F) ** 2 / np.where(better, 2 * eta, 1), -1))


def _explain_pair(cases):
    """Raise Wrong with the reason if the pairs are not the right ones."""

    def always(slip):
        return all(got == tuple(int(k) for k in slip(*case)) for case, _, got in cases)

    if all(got == tuple(right) for _, right, got in cases):
        return
    if all(got == tuple(right)[::-1] for _, right, got in cases):
        raise Wrong("The two indices are exchanged: return (i, j), with i from I_up first.")
    if always(lambda F, alpha, t, K, C: working_set(F, alpha, t, K, 1.0)):
        raise Wrong("You compare α with 1, which is C in one example only. Use the argument C.")
    if always(_masks_exchanged):
        raise Wrong("I_up and I_low are exchanged: for t = +1 a point can move up if α < C, and down if α > 0.")
    if all(got[0] == np.argmax(np.where(alpha < C, F, -np.inf)) for (F, alpha, _, _, C), _, got in cases):
        raise Wrong("Your I_up ignores the labels: for t = -1 it holds α > 0, not α < C.")
    wrong_i = [(case, i, got[0]) for case, (i, _), got in cases if got[0] != i]
    for (F, *_), i, got in wrong_i[:1]:
        if got == F.argmax():
            raise Wrong("Your i has the largest F of all points; it must be able to move up: look in I_up only.")
        raise Wrong(f"i should be {i}, the largest F in I_up; you return {got}.")
    for (F, alpha, t, _, C), (i, j), (_, got) in cases:
        low = _masks(alpha, t, C)[1]
        if got == j:
            continue
        if not low[got] and all(alpha[mine] > 0 for (_, alpha, *_), _, (_, mine) in cases):
            raise Wrong("Your I_low ignores the labels: for t = -1 it holds α < C, not α > 0.")
        if not low[got]:
            raise Wrong(f"Your j = {got} is not in I_low, so t_j α_j cannot fall.")
        if F[got] >= F[i]:
            raise Wrong("Your j has F_j ≥ F_i, so the pair cannot rise: the square hides the sign. Ask for F_j < F_i.")
        if got == np.argmin(np.where(low, F, np.inf)):
            raise Wrong("Your j is the steepest partner (smallest F in I_low). Weigh by 1/η: use the gain (16.24).")
        raise Wrong(f"j should be {j}, the largest gain in I_low; you return {got}.")

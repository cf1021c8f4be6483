"""Exercises of chapter 05: safe rates, Nesterov, curves, step counts, batch sizes, Adam and backtracking."""

import numpy as np

from mlteach.exercises.base import Wrong, exercise, expect_close, numbers


def rates(H):
    curvatures = np.linalg.eigvalsh(H)
    mu, L = curvatures[0], curvatures[-1]
    return 2 / L, 2 / (L + mu)


@exercise(
    "5.1",
    "The limit and the best rate",
    start="Start from the eigenvalues of H: which of them forbids large steps?",
    hints=[
        "np.linalg.eigvalsh(H) returns the curvatures in ascending order.",
        "L is the largest, mu the smallest. The limit is 2/L (5.11), the best rate 2/(L + mu) (5.12).",
    ],
    solution=rates,
    explanation="Each eigen-direction is multiplied by 1 - eta lambda; the steepest one fixes the limit, and the best "
    "rate makes the steepest and the flattest shrink equally fast.",
)
def _(answer):
    rng = np.random.default_rng(51)
    for d in (3, 5, 2, 4):
        M = rng.normal(size=(d, d + 1))
        H = M @ M.T + 0.3 * np.eye(d) if d != 4 else np.diag([2, 5, 0.7, 3])  # eigvals keeps this order
        unsorted = np.linalg.eigvals(H).real
        ends = unsorted[-1] + unsorted[0]
        values = np.linalg.eigvalsh(H)
        L, mu = values[-1], values[0]
        got = answer(H.copy())
        _pair(got, "(limit, best)")
        expect_close(
            got[0],
            2 / L,
            f"The limit for a Hessian of {d} dimensions",
            known=[
                *(
                    (
                        2 / value,
                        "You took the first or last of np.linalg.eigvals, which come in no order. Take max and "
                        "min, or np.linalg.eigvalsh, which sorts.",
                    )
                    for value in unsorted[[0, -1]]
                    if value not in (L, mu)
                ),
                (1 / L, "You return 1/L, the safe rate, as the limit. Descent still converges up to 2/L."),
                (2 / mu, "You divide by the smallest curvature. The steepest direction diverges first."),
                (2 / np.trace(H), "You divide by the trace, the sum of all curvatures. Only the largest counts."),
                (2 / np.diag(H).max(), "You took the largest diagonal entry. Use the eigenvalues of H."),
                (2 / (L + mu), "The order is (limit, best): your first number is the best rate."),
                (L / 2, "That is one over the limit: the steeper, the smaller the rate must be."),
            ],
        )
        expect_close(
            got[1],
            2 / (L + mu),
            f"The best rate for a Hessian of {d} dimensions",
            known=[
                *[(2 / ends, "L and mu are the largest and the smallest eigenvalue; np.linalg.eigvals does not sort.")]
                * (not np.isclose(ends, L + mu)),
                (1 / L, "1/L is the safe rate for any smooth function; on a quadratic 2/(L + mu) shrinks faster."),
                (1 / (L + mu), "The numerator is 2: solve 1 - eta mu = eta L - 1 for eta."),
                (2 / (L - mu), "The sign of mu is wrong: solve 1 - eta mu = eta L - 1 for eta."),
                ((L - mu) / (L + mu), "That is the factor per step (5.12), not the rate."),
            ],
        )
    return "Right. All eigenvalues in between shrink faster than these two."


def nesterov_step(w, v, gradient, eta, beta):
    v = beta * v - eta * gradient(w + beta * v)
    return w + v, v


@exercise(
    "5.2",
    "One step of Nesterov",
    start="Start from the look-ahead place: where will the old velocity carry w?",
    hints=[
        "The slope is measured at w + beta v, not at w.",
        "v = beta * v - eta * gradient(w + beta * v), then w + v with the new v.",
    ],
    solution=nesterov_step,
    explanation="Equation (5.33). The look-ahead uses the old velocity, the move the new one.",
)
def _(answer):
    rng = np.random.default_rng(52)
    M = rng.normal(size=(3, 3))
    H, c = M @ M.T + np.eye(3), rng.normal(size=3)

    def gradient(w):
        return H @ w - c + 0.2 * w**3

    for eta, beta in ((0.05, 0.9), (0.13, 0.6)):
        w, v = rng.normal(size=3), rng.normal(size=3)

        def after(slope, v=v, w=w, eta=eta, beta=beta):
            return w + beta * v - eta * slope

        new_v = beta * v - eta * gradient(w + beta * v)
        got = answer(w, v, gradient, eta, beta)
        _pair(got, "(w, v)")
        if np.shape(got[0]) == (3,) and np.allclose(got[0], new_v) and not np.allclose(got[1], new_v):
            raise Wrong("You return (v, w); the place comes first.")
        expect_close(
            got[0],
            w + new_v,
            f"The new place for eta = {eta:g}, beta = {beta:g}",
            known=[
                (after(gradient(w)), "You measure the slope at w. That is plain momentum; look ahead to w + beta v."),
                (after(gradient(w + eta * v)), "You look ahead by eta v. The step already decided is beta v."),
                (after(gradient(w + v)), "You look ahead by the whole v; only the part beta of it survives."),
                (w - new_v, "You subtract the velocity. It already points downhill: add it."),
                (
                    w + beta * v + new_v,
                    "You moved w to the look-ahead place and stepped from there. The look-ahead only serves the slope: "
                    "move from the old w.",
                ),
                (w + v, "You move with the old velocity. Update v first, then move with the new one."),
                (w + beta * v, "That is only the look-ahead place; the slope has not been used."),
                (w - eta * gradient(w), "That is plain gradient descent: the velocity is missing."),
                (w + beta * v - eta * gradient(w - beta * v), "You look back: the look-ahead is w plus beta v."),
                (after(-gradient(w + beta * v)), "The sign of the slope is wrong: this accelerates uphill."),
            ],
        )
        expect_close(
            got[1],
            new_v,
            "The new velocity",
            known=[
                (v, "You return the old velocity; the next step needs the new one."),
                (w + new_v, "You return the place twice."),
            ],
        )
    return "Right. With beta = 0 it is gradient descent."


_CURVES = (0.1, 0.205, 0.02, 0.18)


@exercise(
    "5.3",
    "Read the curves",
    start="Begin with the one that is above the limit 2/L = 0.2.",
    hints=[
        "Only one rate is above the limit 2/L = 0.2: its curve rises in the end.",
        "Below the limit the long run belongs to the slower direction. For the rates 0.02, 0.1 and 0.18 the flat one "
        "has the factors 0.98, 0.9 and 0.82.",
        "B rises, so it is 0.205. The flattest of the others, C, is 0.02 and the steepest, D, is 0.18.",
    ],
    solution=list(_CURVES),
    explanation="In the long run the height shrinks by the square of the worst factor a step: 0.96 for 0.02, 0.81 for "
    "0.1, 0.67 for 0.18. At 0.205 the steep direction has the factor -1.05; the height falls first, as long as the "
    "flat direction dominates, and then rises.",
)
def _(answer):
    values = np.array(numbers(answer, "A, B, C, D"))
    if not np.allclose(np.sort(values), np.sort(_CURVES)):
        raise Wrong("Use each of 0.02, 0.1, 0.18 and 0.205 once.")
    wrong = [name for name, value, right in zip("ABCD", values, _CURVES) if not np.isclose(value, right)]
    if not wrong:
        return "Right. The falling start of B shows that the first steps say little about stability."
    if "B" in wrong:
        raise Wrong("One rate is above 2/L = 0.2. It must belong to the curve that rises in the end.")
    if np.allclose(values[[0, 2, 3]], [0.1, 0.18, 0.02]):
        raise Wrong("C and D are swapped: the smallest rate crawls, it does not dive.")
    raise Wrong(f"{', '.join(wrong)}: below the limit, a larger rate (up to 0.1818) falls faster in the long run.")


@exercise(
    "5.4",
    "How many steps?",
    start="First the condition number, then the factor per step (5.12), then a logarithm.",
    hints=[
        "The factor (5.12) multiplies the distance, not its square. What is kappa?",
        "kappa = 100. Solve (99/101)^k <= 1e-6: k >= ln(1e6) / ln(101/99), and round up.",
    ],
    solution=691,
    explanation="ln(1e6) / ln(101/99) = 690.75. By (5.32) the best momentum has the factor 9/11 in the "
    "long run, which alone would take 69 steps. Its roots coincide at both ends, so the error falls like k (9/11)^k, "
    "and real runs take 83 to 95 steps: about an eighth.",
)
def _(answer):
    _round_up(answer, 690.7529, 0.05, "Right so far; steps are whole. Round up.")
    expect_close(
        answer,
        691,
        "The number of steps",
        known=[
            (690, "After 690 steps the bound is still above a millionth: round up."),
            (692, "Fewer steps suffice."),
            (346, "You used the height, which shrinks by the square of the factor. The distance is asked for."),
            (1375, "You used the rate 1/L with the factor 1 - 1/kappa. The best fixed rate is 2/(L + mu)."),
            (1374, "You used the rate 1/L with the factor 1 - 1/kappa. The best fixed rate is 2/(L + mu)."),
            (69, "That is for the best momentum, and only its factor in the long run. Plain descent is asked for."),
            (1382, "You approximated the factor by e^(-1/kappa); it is (kappa - 1)/(kappa + 1)."),
        ],
        atol=1e-3,
        rtol=0,
        reveal=False,
    )
    return "Right. About kappa/2 times ln(1e6) = 13.8; the rule of thumb gives 690.8."


@exercise(
    "5.5",
    "Buy less noise",
    start="Write (5.24) with the numbers, B left open, and compare with 0.2 squared.",
    hints=[
        "V is a variance: the standard deviation 0.2 means V = 0.04.",
        "V = 0.1 * 9 / (B * 2 * (2 - 0.2)) = 0.25 / B.",
        "0.25 / B <= 0.04 means B >= 6.25.",
    ],
    solution=7,
    explanation="V = eta sigma^2 / (B lambda (2 - eta lambda)) = 0.9 / (3.6 B) = 0.25 / B, and 0.25 / 7 = 0.036.",
)
def _(answer):
    _round_up(answer, 6.25, 0.0501, "A batch has a whole number of samples: round up.")
    expect_close(
        answer,
        7,
        "The batch size",
        known=[
            (6, "With 6 the variance by the exact form, with 2 - eta lambda = 1.8, is still above 0.04: round up."),
            (8, "Fewer samples suffice."),
            (5.625, "That is the form for small eta. Use the exact one, with 2 - eta lambda = 1.8, and round up."),
            (2, "You compared the variance with 0.2. The standard deviation is asked for: V must be at most 0.04."),
            (3, "You used sigma instead of its square: variances add, so sigma² = 9 enters."),
            (11.25, "The factor (2 - eta lambda) in the denominator is missing."),
            (12, "The factor (2 - eta lambda) in the denominator is missing."),
        ],
        atol=1e-9,
        rtol=0,
        reveal=False,
    )
    return "Right. A smaller rate lowers the floor too, at no cost per step, but takes more steps to get there."


def adam_step(w, m, s, g, k, eta, beta1, beta2, eps):
    m = beta1 * m + (1 - beta1) * g
    s = beta2 * s + (1 - beta2) * g**2
    mean, square = m / (1 - beta1**k), s / (1 - beta2**k)
    return w - eta * mean / (np.sqrt(square) + eps), m, s


@exercise(
    "5.6",
    "One step of Adam",
    start="First the two averages, then their correction, then the step.",
    hints=[
        "m = beta1 * m + (1 - beta1) * g, and s likewise with beta2 and g squared.",
        "Divide m by 1 - beta1**k and s by 1 - beta2**k, into new names: the averages themselves are returned as they "
        "are.",
        "w - eta * mean / (np.sqrt(square) + eps).",
    ],
    solution=adam_step,
    explanation="Equation (5.38): the weights of k slopes sum to 1 - beta^k, so dividing by it makes them an average.",
)
def _(answer):
    rng = np.random.default_rng(56)
    for k, eps in ((3, 0.05), (7, 0.2), (1, 1e-8)):
        w, m, g = rng.normal(size=(3, 4))
        s = rng.uniform(0.1, 2, 4)
        if k == 1:
            m, s = np.zeros(4), np.zeros(4)
        args = (w, m, s, g, k, 0.1, 0.8, 0.95, eps)
        got = answer(*args)
        if not isinstance(got, (tuple, list)) or len(got) != 3:
            raise Wrong("Return three things, (w, m, s).")
        _explain_adam(got, *args)
    return "Right. At k = 1 the step is eta times the sign of the slope, whatever its size."


def _explain_adam(got, w, m, s, g, k, eta, beta1, beta2, eps):
    new_w, new_m, new_s = adam_step(w, m, s, g, k, eta, beta1, beta2, eps)
    a, b = 1 - beta1**k, 1 - beta2**k
    right = (new_w, new_m, new_s)
    if k > 1 and not all(_same(x, y) for x, y in zip(got, right)) and all(any(_same(x, y) for x in got) for y in right):
        raise Wrong("The three are right, but in another order: return (w, m, s).")
    expect_close(
        got[1],
        new_m,
        f"The average m at step {k}",
        known=[
            (new_m / a, "You return the corrected m. Keep m itself for the next step, and correct a copy."),
            (beta2 * m + (1 - beta2) * g, "beta1 and beta2 are swapped: m averages with beta1, s with beta2."),
            (m, "You return the old m; the next step needs the new one."),
            (beta1 * m + g, "The share 1 - beta1 is missing in front of g: this is a sum, not an average."),
            ((1 - beta1) * m + beta1 * g, "beta1 and 1 - beta1 are swapped: the old average keeps the part beta1."),
        ],
    )
    expect_close(
        got[2],
        new_s,
        f"The average s at step {k}",
        known=[
            (new_s / b, "You return the corrected s. Keep s itself for the next step, and correct a copy."),
            (s, "You return the old s; the next step needs the new one."),
            (s + g**2, "You add up the squares. That is AdaGrad; Adam averages them with beta2."),
            (beta2 * s + (1 - beta2) * g, "s averages the squares of the slopes: use g**2."),
            (beta1 * s + (1 - beta1) * g**2, "s has its own memory: beta2, not beta1."),
        ],
    )

    def step(mean, square):
        return w - eta * mean / (np.sqrt(square) + eps)

    known = [
        (step(new_m, new_s), "The correction is missing: divide m by 1 - beta1^k and s by 1 - beta2^k."),
        (step(new_m / a, new_s), "The correction of s is missing: divide by 1 - beta2^k."),
        (step(new_m, new_s / b), "The correction of m is missing: divide by 1 - beta1^k."),
        (w - eta * (new_m / a) / np.sqrt(new_s / b + eps), "eps is inside the root; it stands outside."),
        (w - eta * (new_m / a) / (new_s / b + eps), "The root is missing: divide by the root of the mean square."),
        (
            w - eta * np.sqrt(b) / a * new_m / (np.sqrt(new_s) + eps),
            "eps is added to the root of s before the correction. Correct s first, then take the root and add eps.",
        ),
        (2 * w - new_w, "The sign is wrong: this step climbs."),
        (step(g, new_s / b), "You step along g. Adam steps along the average m."),
        (
            step(new_m / (1 - beta1 ** (k + 1)), new_s / (1 - beta2 ** (k + 1))),
            "The powers are k + 1; here k counts from 1, so the first step divides by 1 - beta.",
        ),
    ]
    if k > 1:
        late = step(new_m / (1 - beta1 ** (k - 1)), new_s / (1 - beta2 ** (k - 1)))
        known.append((late, "The powers are k - 1; after k steps k weights have been given, so divide by 1 - beta^k."))
    expect_close(got[0], new_w, f"The new w at step {k}", known=known)


def backtrack(f, gradient, w):
    g, eta = gradient(w), 1.0
    while not f(w - eta * g) <= f(w) - 0.5 * eta * g @ g:
        eta = eta / 2
    return eta


@exercise(
    "5.7",
    "Find the step without knowing L",
    start="Compute the gradient once, then test eta = 1, 1/2, 1/4, ... until the inequality holds.",
    hints=[
        "A while loop that halves eta as long as the inequality does not hold.",
        "Not enough: f(w - eta g) > f(w) - eta |g|²/2. g @ g is the squared length. Return eta, not the new place.",
    ],
    solution=backtrack,
    explanation="As soon as eta is at most 1/L the inequality is sure to hold, so the loop ends with eta above 1/(2L) "
    "(or at 1). Where the surface is flatter it accepts a larger step: the search adapts to the place.",
)
def _(answer):
    rng = np.random.default_rng(57)
    cases = []
    for scale, reach in ((0.02, 200), (0.3, 1), (3.0, 1), (40.0, 1)):
        M = rng.normal(size=(3, 3))
        H = scale * (M @ M.T + 0.2 * np.eye(3))
        cases += [(lambda w, H=H: 0.5 * w @ H @ w, lambda w, H=H: H @ w, reach * rng.normal(size=3)) for _ in range(4)]
    for _ in range(6):
        w = 2 * rng.normal(size=3)
        cases.append((lambda w: np.sum(w**4) + np.sum(np.cosh(w)), lambda w: 4 * w**3 + np.sinh(w), w))
    rights = [backtrack(*case) for case in cases]
    got = []
    for f, gradient, w in cases:
        value = answer(_limited(f), gradient, w.copy())
        if isinstance(value, np.ndarray) and value.shape == (3,):
            raise Wrong("You return a place; the rate eta is wanted.")
        if value is None or isinstance(value, (str, bool, tuple, list, dict)) or np.size(value) != 1:
            raise Wrong(f"Return one number, the rate; got {type(value).__name__}.")
        got.append(float(np.asarray(value).item()))
    _explain_backtrack(cases, got, rights)
    f, gradient, _ = cases[0]
    flat = answer(_limited(f, "At a flat place, where g = 0, your search does not end: there both sides of the "
                           "inequality are equal. It asks for <=, not for <."), gradient, np.zeros(3))  # fmt: skip
    expect_close(flat, 1.0, "The rate at a flat place, where g = 0 and eta = 1 satisfies the inequality,")
    return "Right. It never needs L, and it notices where the surface is flat."


def _explain_backtrack(cases, got, rights):
    """Raise Wrong with the reason if the rates are not the right ones."""

    def all_are(test):
        wanted = []
        for f, gradient, w in cases:
            g, eta = gradient(w), 1.0
            while not test(f, w, g, eta) and eta > 0:
                eta /= 2
            wanted.append(eta)
        return _same(got, wanted)

    if _same(got, rights):
        return
    if all_are(lambda f, w, g, eta: f(w + eta * g) <= f(w) - 0.5 * eta * g @ g):
        raise Wrong("You step uphill: the new place is w - eta g, with a minus.")
    if all_are(lambda f, w, g, eta: f(w - eta * g) < f(w)) or all_are(lambda f, w, g, eta: f(w - eta * g) <= f(w)):
        raise Wrong("You accept any decrease. The inequality asks for a gain of at least eta |g|²/2.")
    if all_are(lambda f, w, g, eta: f(w - eta * g) <= f(w) - eta * g @ g):
        raise Wrong("The factor ½ in front of eta |g|² is missing.")
    if all_are(lambda f, w, g, eta: f(w - eta * g) <= f(w) - 0.5 * eta * np.sqrt(g @ g)):
        raise Wrong("You used the length of the gradient; the inequality has its square, g @ g.")
    if all_are(lambda f, w, g, eta: f(w - eta * g) <= f(w) - 0.5 * g @ g):
        raise Wrong("The factor eta in front of |g|² is missing: a shorter step promises less.")
    if max(got) < 1e-3 * min(rights):
        raise Wrong(
            f"Your rate falls to {min(got):.0e} in every test: what you ask for never holds. Is the factor ½ in front "
            "of eta |g|² there? Without it you ask for all that the tangent promises, and a convex f lies above it."
        )
    if min(got) < 1e-3 * min(rights):
        raise Wrong(
            f"Your rate falls to {min(got):.0e}: what you test hardly ever holds. Is the factor eta in front of |g|² "
            "there? A shorter step promises less."
        )
    if _same(got, np.array(rights) / 2):
        raise Wrong("You halve once more after the inequality holds. Return the first eta that satisfies it.")
    if _same(got, [1.0 if eta == 1 else 2 * eta for eta in rights]) or _same(got, 2 * np.array(rights)):
        raise Wrong("You return the last eta that failed. Return the first that satisfies the inequality.")
    if all(eta in (1.0, mine) for eta, mine in zip(rights, got)):
        raise Wrong(f"Start with eta = 1: on a flat surface 1 already satisfies the inequality; you return {got[0]:g}.")
    k = int(np.argmax(~np.isclose(got, rights, rtol=1e-9)))
    raise Wrong(f"In test {k + 1} of {len(cases)} the rate should be {rights[k]:g}; you return {got[k]:g}.")


def _same(got, wanted):
    return np.shape(got) == np.shape(wanted) and np.allclose(got, wanted, rtol=1e-9, atol=0)


def _round_up(answer, exact, width, words):
    if np.ndim(answer) == 0 and not isinstance(answer, str) and abs(float(answer) - exact) < width:
        raise Wrong(words)


def _limited(f, words="", calls=2000):
    """Return f, but stop a search that does not end."""
    count = iter(range(calls))
    words = words or (
        f"Your search called f more than {calls} times: it does not end. Halve eta in every round, and test for a "
        "gain of eta |g|²/2: without the factor eta a short step can never gain enough."
    )

    def counted(w):
        if next(count, None) is None:
            raise Wrong(words)
        return f(w)

    return counted


def _pair(got, names):
    if not isinstance(got, (tuple, list, np.ndarray)) or len(got) != 2:
        raise Wrong(f"Return two things, {names}.")

"""Exercises of chapter 08: one sample, a curve, a stable loss, a Newton step, a penalty, softmax, a geometric law."""

import numpy as np

from mlteach.exercises.base import Wrong, exercise, expect_close, numbers


def _sigma(a):
    return 1 / (1 + np.exp(-np.asarray(a, dtype=float)))


# --- 8.1 -----------------------------------------------------------------------------------------------------------


def _sample(a=1.5, t=0.0):
    p = float(_sigma(a))
    loss = -np.log(p) if t == 1 else -np.log(1 - p)
    return p, loss, p - t, 2 * (p - t), 0.5 * (p - t)


@exercise(
    "8.1",
    "One sample by hand",
    start="Compute the score a = w . x + b first.",
    hints=[
        "a = 1 * 2 - 2 * 0.5 + 0.5 = 1.5. Then p = 1 / (1 + exp(-a)).",
        "For t = 0 the loss is -ln(1 - p). Its derivatives are (p - t) times 1, x1 and x2.",
        "p = 1 / (1 + exp(-1.5)); loss = ln(1 + exp(1.5)); derivatives p, 2 p and 0.5 p.",
    ],
    solution=tuple(round(float(v), 4) for v in _sample()),
    explanation="By (8.8) the loss is ln(1 + e^1.5) for t = 0; by (8.9) its gradient is (p - 0)(1, 2, 0.5).",
)
def _(answer):
    right = np.array(_sample())
    p, loss = right[:2]
    x = np.array([1, 2, 0.5])
    expect_close(
        answer,
        right,
        "Your list",
        names="p, the loss, the derivative by b, the derivative by w1, the derivative by w2",
        rtol=0,
        atol=0.002,
        reveal=False,
        known=[
            (_sample(t=1.0), "This is the loss for t = 1; the target here is 0."),
            (_sample(a=1.0), "The score is 1.0 in your answer: the bias 0.5 is missing."),
            ((p, p**2, *(2 * p * p * (1 - p) * x)), "This is the squared error; the logistic loss is wanted."),
            ((..., -loss, ..., ..., ...), "The loss is minus the logarithm of a probability, so it is positive."),
            ((..., loss / np.log(2), ..., ..., ...), "You took the logarithm with base 2; the natural one is wanted."),
            ((..., -np.log(p), ..., ..., ...), "Your loss is -ln p, that of t = 1; the target here is 0: -ln(1 - p)."),
            ((1 - p, ..., ..., ..., ...), "Your p is the chance of t = 0; p is that of t = 1."),
            ((..., ..., *-right[2:]), "The derivatives have the wrong sign: prediction minus target, times input."),
            (
                (..., ..., *(p * p * (1 - p) * x)),
                "Your derivatives have a factor p (1 - p) that belongs to the squared error; here it cancels.",
            ),
            (
                (..., ..., *(2 * p * p * (1 - p) * x)),
                "These are derivatives of the squared error (8.4); those of the logistic loss are wanted.",
            ),
            (
                (..., ..., *right[[3, 4, 2]]),
                "The derivatives are right, but in another order: b first, then w1 and w2.",
            ),
        ],
    )
    return "Right: the gradient is (p - t) times (1, x)."


# --- 8.2 -----------------------------------------------------------------------------------------------------------


def mystery_curve(x):
    """Return the curve of the picture, whose weight and bias are to be read off."""
    return _sigma(1.5 * np.asarray(x) - 4.5)


@exercise(
    "8.2",
    "Read the curve",
    start="Which score belongs to p = 0.5, and which to p = 0.9?",
    hints=[
        "p = 0.5 at x = 3 (score 0), and p = 0.9 at about x = 4.46 (score ln 9).",
        "Between the two points the score w x + b rises from 0 to ln 9 = 2.197. So w = 2.197 divided by the distance.",
        "w = 2.197 / 1.46 and b = -3 w.",
    ],
    solution=(1.5, -4.5),
    explanation="Log-odds 0 at x = 3 and ln 9 at x = 4.465: w = 2.197 / 1.465 = 1.5, and 3 w + b = 0 gives b = -4.5.",
)
def _(answer):
    w, b = numbers(answer, "w, b")
    if not np.isfinite([w, b]).all():
        raise Wrong("Both numbers must be finite.")
    if abs(w - 1.5) <= 0.075 and abs(b + 4.5) <= 0.225:
        return "Right: the log-odds rise by ln 9 between the two marked points."
    if abs(w + 1.5) <= 0.075:
        raise Wrong("The curve rises, so w is positive.")
    if abs(b - 1.5) <= 0.075 and abs(w + 4.5) <= 0.225:
        raise Wrong("The two are right, in the wrong order: first w, then b.")
    if abs(w - 0.375) <= 0.012:
        raise Wrong("This is the slope of p at the middle. The slope of the log-odds, w, is four times that.")
    if abs(w - 0.4 / 1.465) <= 0.02:
        raise Wrong("You took the rise of p, 0.4. Take the rise of the log-odds ln(p / (1 - p)).")
    if abs(w - 0.4) <= 0.012:
        raise Wrong("0.4 is the rise of p between the points. Take the rise of the log-odds ln(p / (1 - p)), and "
                    "divide it by the distance of the points.")  # fmt: skip
    if abs(w - 1.465 / np.log(9)) <= 0.007:
        raise Wrong("The fraction is upside down: w is the rise of the log-odds divided by the distance.")
    if abs(w - np.log(9)) <= 0.06:
        raise Wrong("That is the rise of the log-odds, ln 9. Divide it by the distance of the two points.")
    if abs(w - np.log10(9) / 1.465) <= 0.007:
        raise Wrong("You used the logarithm with base 10; the natural one is wanted.")
    if abs(w - 1.5) <= 0.075 and abs(b - 4.5) <= 0.225:
        raise Wrong("w is right; b has the wrong sign: w x + b must be 0 at x = 3.")
    if abs(w - 1.5) <= 0.075 and abs(abs(b) - 3) <= 0.2:
        raise Wrong("w is right; b is -3 w, not the place of the middle itself.")
    if abs(w - 1.5) <= 0.075:
        raise Wrong("w is right; b is not. w x + b must be 0 where p = 0.5.")
    raise Wrong(f"w is not {w:.4g}. Divide the rise of the log-odds by the distance of the two points.")


# --- 8.3 -----------------------------------------------------------------------------------------------------------


def total_loss(a, t):
    margin = (2 * t - 1) * a
    return np.sum(np.maximum(-margin, 0) + np.log1p(np.exp(-np.abs(margin))))


@exercise(
    "8.3",
    "A loss that survives",
    start="Write the loss with scores, as in (8.8), and take no exponential of a large positive number.",
    hints=[
        "Let m = (2 t - 1) a, positive for a score on the right side. The loss of one sample is ln(1 + exp(-m)).",
        "For m < 0 write ln(1 + exp(-m)) = -m + ln(1 + exp(m)); both cases are max(-m, 0) + log1p(exp(-|m|)).",
        "np.sum(np.maximum(-m, 0) + np.log1p(np.exp(-np.abs(m)))); np.logaddexp(0, -m) does the same.",
    ],
    solution=total_loss,
    explanation="log1p keeps the digits where exp(-|m|) is tiny, and no exponential is larger than one.",
)
def _(answer):
    for seed, size in ((1, 7), (2, 12), (3, 5)):
        rng = np.random.default_rng(seed)
        a, t = rng.normal(0.3, 2, size), np.append([0, 1], rng.integers(0, 2, size - 2))
        value = answer(a, t)
        wanted = total_loss(a, t)
        each = np.logaddexp(0, -(2 * t - 1) * a)
        expect_close(
            value,
            wanted,
            "The loss",
            known=[
                (each.mean(), "This is the mean over the samples; the sum is wanted."),
                (each, "These are the losses of the samples one by one; add them up."),
                (total_loss(a, 1 - t), "The classes are swapped: for t = 1 the loss is ln(1 + exp(-a))."),
                (total_loss(a, np.ones(size)), "You used -ln p for every sample; those with t = 0 cost -ln(1 - p)."),
                (wanted / np.log(2), "You took logarithms with base 2; natural ones are wanted."),
                (np.sum((t - _sigma(a)) ** 2), "This is the squared error; the logistic loss is wanted."),
                (
                    np.sum(np.logaddexp(0, -t * a)),
                    "You use t as if it were -1 and +1. Here t is 0 and 1: put 2 t - 1 in its place.",
                ),
                (np.sum(t * np.log(_sigma(a))) * -1, "The samples with t = 0 are missing: they cost -ln(1 - p)."),
            ],
        )
    for a, t in (([1000, -1000], [0, 1]), ([800, -900, 40.0], [1, 1, 0]), ([-1000.0, 1000], [0, 1])):
        with np.errstate(all="ignore"):
            value = answer(np.array(a, dtype=float), np.array(t))
        wanted = total_loss(np.array(a, dtype=float), np.array(t))
        value = numbers(value, "The loss for large scores")[0]
        if wanted > 1 and (abs(value) < 1e-6 or np.isfinite(value) and abs(value) > 1e300):
            raise Wrong(f"For scores {a} and targets {t} the loss is {wanted:.6g}; yours is {value:.3g}. Replacing nan "
                        "or inf afterwards (np.nan_to_num) hides the overflow; avoid it with (8.8).")  # fmt: skip
        if not np.isfinite(value):
            raise Wrong(f"For scores {a} and targets {t} the loss is {wanted:.6g}; yours is {value}. An exponential "
                        "overflows, or a logarithm of 0 is taken.")  # fmt: skip
        if not np.isclose(value, wanted, rtol=1e-6, atol=1e-9):
            raise Wrong(f"For scores {a} and targets {t} the loss is {wanted:.6g}, not {value:.6g}: clipping p changes "
                        "the loss.")  # fmt: skip
    a, t = np.array([50.0]), np.array([1])
    if not np.isclose(answer(a, t), total_loss(a, t), rtol=1e-6, atol=0):
        return ("Right. One refinement: for score 50 and t = 1 the loss is 1.9e-22, and yours is rounded away. Put the "
                "sign in first, ln(1 + exp(-m)) with m = (2 t - 1) a, and take np.log1p or np.logaddexp.")  # fmt: skip
    return "Right, from tiny losses to huge ones."


# --- 8.4 -----------------------------------------------------------------------------------------------------------


def irls_step(Phi, t, v):
    p = 1 / (1 + np.exp(-Phi @ v))
    H = Phi.T @ ((p * (1 - p))[:, None] * Phi)
    return v - np.linalg.solve(H, Phi.T @ (p - t))


def _step_with(Phi, t, v, *, weights=True, sign=1.0, inverse=True, start=True, half=1.0):
    """Return a step with one thing changed, to recognise typical slips."""
    p = _sigma(Phi @ v)
    r = p * (1 - p) if weights else np.ones(len(p))
    H, g = Phi.T @ (r[:, None] * Phi) * half, Phi.T @ (p - t)
    delta = np.linalg.solve(H, g) if inverse else H @ g
    return (v if start else 0 * v) - sign * delta


def _unrooted(Phi, t, v):
    """Return the least-squares solution with rows scaled by p (1 - p) instead of its root."""
    p = _sigma(Phi @ v)
    r = p * (1 - p)
    return np.linalg.lstsq(r[:, None] * Phi, r * (Phi @ v) + t - p, rcond=None)[0]


def _problem(seed, n=25, m=3):
    rng = np.random.default_rng(seed)
    Phi = np.column_stack([np.ones(n), rng.normal(0.5, 1.5, size=(n, m))])
    return Phi, rng.permutation(np.where(np.arange(n) < n // 2 + 2, 1.0, 0.0)), rng.normal(0, 0.5, size=m + 1)


@exercise(
    "8.4",
    "One step of IRLS",
    start="Compute p first, then the gradient (8.9) and the Hessian (8.10).",
    hints=[
        "p = 1 / (1 + exp(-Phi @ v)). The gradient is Phi.T @ (p - t).",
        "The Hessian is Phi.T @ R @ Phi with R = diag(p (1 - p)). Subtract the solution of H delta = gradient from v.",
        "H = Phi.T @ ((p * (1 - p))[:, None] * Phi); return v - np.linalg.solve(H, Phi.T @ (p - t)).",
    ],
    solution=irls_step,
    explanation="R need not be built: multiply each row of Phi by its weight. solve is safer than the inverse.",
)
def _(answer):
    for seed, n, m in ((1, 25, 3), (2, 40, 2), (3, 18, 1)):
        Phi, t, v = _problem(seed, n, m)
        value = answer(Phi, t, v)
        p = _sigma(Phi @ v)
        expect_close(
            value,
            irls_step(Phi, t, v),
            "The vector of new weights",
            known=[
                (_step_with(Phi, t, v, sign=-1.0), "You went uphill: subtract the step, do not add it."),
                (_step_with(Phi, t, v, weights=False), "The weights p (1 - p) are missing in the Hessian."),
                (_step_with(Phi, t, v, inverse=False), "You multiplied by the Hessian; solve with it instead."),
                (_step_with(Phi, t, v, start=False), "This is the step; add it to v and return the new weights."),
                (-_step_with(Phi, t, v, start=False), "This is minus the step; return v minus it."),
                (v - Phi.T @ (p - t), "This is a step of gradient descent with rate 1; Newton's also solves with H."),
                (_step_with(Phi, t, v, half=2.0), "Your step is half as long as it should be."),
                (_step_with(Phi, t, 0 * v), "You started from zero weights; start from v."),
                (_unrooted(Phi, t, v), "Least squares squares the weights: scale the rows by the roots of p (1 - p)."),
            ],
        )
    return "Right. A few more of these and the gradient is zero."


# --- 8.5 -----------------------------------------------------------------------------------------------------------


@exercise(
    "8.5",
    "The price of a slope",
    start="Write down the derivative of E + lam w² / 2 for the two points and set it to zero.",
    hints=[
        "Both points have the same loss ln(1 + exp(-w)), with derivative -sigma(-w).",
        "So lam w = 2 sigma(-w), and sigma(-ln 3) = 1 / (1 + 3).",
        "lam = 2 * (1/4) / ln 3.",
    ],
    solution=round(0.5 / np.log(3), 6),
    explanation="lam ln 3 = 2 sigma(-ln 3) = 2 / (1 + 3) = 1/2, so lam = 0.455.",
)
def _(answer):
    ln3 = np.log(3)
    expect_close(
        answer,
        0.5 / ln3,
        "The penalty",
        rtol=0,
        atol=0.0011,
        reveal=False,
        known=[
            (0.25 / ln3, "You counted one point; both contribute to the gradient."),
            (1.5 / ln3, "You took sigma(w) = 3/4; the residual of the point with t = 1 is p - 1 = -1/4."),
            (0.5, "Divide by w = ln 3: the derivative of the penalty is lam w."),
            (1 / ln3, "The derivative of lam w² / 2 is lam w, without a factor one half or two."),
            (0.5 / ln3**2, "The derivative of lam w² / 2 is lam w, not lam w²."),
            (0.5 / 3, "w is ln 3, not 3."),
            (0.5 / np.log10(3), "ln is the natural logarithm; you took base 10."),
        ],
    )
    return "Right: lam w balances the pull 2 sigma(-w) of the two points."


# --- 8.6 -----------------------------------------------------------------------------------------------------------


def softmax_step_direction(W, X, y):
    A = X @ W.T
    P = np.exp(A - A.max(axis=1, keepdims=True))
    P /= P.sum(axis=1, keepdims=True)
    P[np.arange(len(y)), y] -= 1
    return P.T @ X


def _direction_with(W, X, y, *, axis=1, hard=False, target=True):
    """Return the gradient with one thing changed, to recognise typical slips."""
    A = X @ W.T
    P = np.exp(A - A.max())
    P = P / P.sum(axis=axis, keepdims=True)
    if hard:
        P = np.eye(len(W))[A.argmax(axis=1)]
    return (P - np.eye(len(W))[y] * target).T @ X


def _classes(seed, n, k, m):
    rng = np.random.default_rng(seed)
    X = np.column_stack([np.ones(n), rng.normal(0.3, 1.2, size=(n, m))])
    return rng.normal(size=(k, m + 1)), X, rng.integers(0, max(2, k - seed % 2), n)


@exercise(
    "8.6",
    "The gradient of softmax regression",
    start="Compute the probabilities P (N, K), then prediction minus one-hot target, times input.",
    hints=[
        "The scores are X @ W.T, shape (N, K). Take the softmax of each row; subtract the largest score first.",
        "One-hot targets: np.eye(K)[y] with K = len(W). Do not take K from the labels: a class may be absent.",
        "(P - np.eye(len(W))[y]).T @ X.",
    ],
    solution=softmax_step_direction,
    explanation="This is (8.22) for all classes at once. The K rows of the result add up to the zero vector.",
)
def _(answer):
    for seed, n, k, m in ((1, 12, 4, 2), (2, 15, 3, 3), (3, 9, 5, 1)):
        W, X, y = _classes(seed, n, k, m)
        try:
            value = answer(W, X, y)
        except Wrong:
            answer(W, X, np.arange(n) % k)  # if this stops as well, its message is the one to show
            raise Wrong("It works if every class has a sample, and stops if one is absent: take K from W.") from None
        wanted = softmax_step_direction(W, X, y)
        if value is not None and np.shape(value) == (len(np.unique(y)), m + 1) != wanted.shape:
            raise Wrong("You counted the classes in y; a class may be absent. K is the number of rows of W.")
        expect_close(
            value,
            wanted,
            "The gradient",
            known=[
                (-wanted, "This is the direction downhill; the gradient itself is wanted: prediction minus target."),
                (wanted / n, "This is the mean over the samples; the sum is wanted."),
                (_direction_with(W, X, y, hard=True), "You used one-hot predictions; the probabilities are wanted."),
                (_direction_with(W, X, y, axis=0), "Your softmax sums over the samples; it must sum over the classes."),
                (
                    (_sigma(X @ W.T) - np.eye(k)[y]).T @ X,
                    "You took a sigmoid per class; the softmax divides by the sum over the classes.",
                ),
                (_direction_with(W, X, y, target=False), "The targets are missing: prediction minus target."),
            ],
        )
    W, X, y = _classes(4, 10, 3, 2)
    with np.errstate(all="ignore"):
        value = np.asarray(answer(500 * W, X, y), dtype=float)
    if not np.isfinite(value).all():
        raise Wrong("For large scores your gradient is not finite: subtract the largest score of each row first.")
    expect_close(value, softmax_step_direction(500 * W, X, y), "The gradient for large scores")
    return "Right. Its K rows add up to the zero vector, because a shift of all scores changes nothing."


# --- 8.7 -----------------------------------------------------------------------------------------------------------


@exercise(
    "8.7",
    "A fifth member",
    start="Write the law as the exponential of one expression and compare it with the form of the family.",
    hints=[
        "(1 - q) q^y = exp(y ln q + ln(1 - q)). Read off θ and A, and write A with θ alone.",
        "A = -ln(1 - exp(θ)), so A' = exp(θ) / (1 - exp(θ)) = q / (1 - q). Differentiate once more for the variance.",
        "A'' = exp(θ) / (1 - exp(θ))² = q / (1 - q)². Put in q = 0.8.",
    ],
    solution=(round(-float(np.log(0.2)), 4), 4.0, 20.0),
    explanation="A = -ln 0.2 = 1.6094, mean 0.8 / 0.2 = 4, variance 0.8 / 0.04 = 20: much larger than the mean.",
)
def _(answer):
    A = -np.log(0.2)
    expect_close(
        answer,
        (A, 4, 20),
        "Your triple",
        names="A, the mean, the variance",
        rtol=0,
        atol=0.002,
        reveal=False,
        known=[
            ((-A, ..., ...), "A enters with a minus sign: exp(θ y - A), so A = -ln(1 - q), which is positive."),
            ((..., 4, 4), "The variance is A'', not A'. Equal mean and variance belong to the Poisson law."),
            ((..., 5, 20), "5 is the mean of a count that starts at 1; here y starts at 0."),
            ((..., 5, 25), "You differentiated by q. The derivatives are by θ = ln q."),
            ((..., ..., np.sqrt(20)), "This is the standard deviation; the variance is its square."),
            ((-np.log(0.8), 0.25, 0.3125), "You swapped q and 1 - q."),
        ],
    )
    return "Right: variance 20 with mean 4, five times what a Poisson law would allow."

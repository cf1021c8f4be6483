"""Exercises of chapter 04: the line, its gradient, a safe learning rate, residuals, errors and fair scores."""

import numpy as np

from mlteach.exercises.base import Wrong, exercise, expect_close, letters


def _problem(seed, n=9):
    """Return a skewed x (n,) and a noisy target t (n,): no mean is zero, nothing is symmetric."""
    rng = np.random.default_rng(seed)
    x = rng.gamma(2.0, 1.5, n) + 1
    return x, 3 - 1.7 * x + rng.normal(0, 0.8, n)


def _matrix(seed, n=11, d=2):
    rng = np.random.default_rng(seed)
    X = np.column_stack([np.ones(n), rng.normal(1, 2, (n, d))])
    return X, rng.normal(2, 1, n) + X @ np.arange(1.0, d + 2)


# --- 4.1 -----------------------------------------------------------------------------------------------------------


def line_of(x, t):
    dx, dt = x - x.mean(), t - t.mean()
    w1 = np.sum(dx * dt) / np.sum(dx**2)
    return t.mean() - w1 * x.mean(), w1


@exercise(
    "4.1",
    "The line by hand",
    start="Begin with the deviations from the means, x - x.mean() and t - t.mean().",
    hints=[
        "The slope is the sum of the products of the deviations, divided by the sum of the squared deviations of x.",
        "The line passes through the mean point: w0 = t.mean() - w1 * x.mean().",
        "Return two numbers, the intercept first: return t.mean() - w1 * x.mean(), w1.",
    ],
    solution=line_of,
    explanation="This is (4.3). Deviations are taken once and used twice; the intercept follows from the mean point.",
)
def _(answer):
    for seed in (1, 2, 3):
        x, t = _problem(seed)
        w0, w1 = line_of(x, t)
        dx, dt = x - x.mean(), t - t.mean()
        origin = np.sum(x * t) / np.sum(x**2)
        reverse = np.sum(dx * dt) / np.sum(dt**2)
        n, correlation = len(x), np.corrcoef(x, t)[0, 1]

        def through_the_means(slope, x=x, t=t):
            return t.mean() - slope * x.mean(), slope

        expect_close(
            answer(x.copy(), t.copy()),
            (w0, w1),
            "The pair (intercept, slope)",
            known=[
                ((w1, w0), "Both numbers are right, in the wrong order: return the intercept first, then the slope."),
                (
                    through_the_means(origin),
                    "You used x and t themselves in the slope; take their deviations from the means.",
                ),
                ((0.0, origin), "This line is forced through the origin; the intercept is forgotten."),
                (
                    through_the_means(reverse),
                    "You divided by the squared deviations of t. That is the line that predicts x from t.",
                ),
                (
                    line_of(t, x),
                    "x and t are exchanged: this line predicts x from t. Divide by the squared deviations of x.",
                ),
                *(
                    (
                        through_the_means(slope),
                        "One of your sums was divided by N, the other by N - 1: np.cov and np.var "
                        "differ in that. Use sums, or ddof alike in both.",
                    )
                    for slope in (w1 * n / (n - 1), w1 * (n - 1) / n)
                ),
                (through_the_means(correlation), "Your slope is the correlation. Multiply it by std(t) / std(x)."),
                ((t.mean() + w1 * x.mean(), w1), "The sign in the intercept is wrong: it is mean t minus w1 mean x."),
                ((t.mean(), w1), "The slope is right. The intercept is the mean of t only if the mean of x is zero."),
            ],
        )
    return "Right. Two sums and two means; no derivative is left in sight."


# --- 4.2 -----------------------------------------------------------------------------------------------------------


def mean_gradient(w, X, t):
    return X.T @ (X @ w - t) / len(t)


@exercise(
    "4.2",
    "The mean gradient",
    start="Start from the errors X @ w - t, one for each sample.",
    hints=[
        "Each error multiplies the row of X it came from; add these rows up.",
        "The sum of error times row is X.T @ (X @ w - t).",
        "The loss has the factor 1/N: divide by len(t). The factor 1/2 has cancelled the 2 of the square.",
    ],
    solution=mean_gradient,
    explanation="(4.5) divided by N. The transpose collects, for each weight, what all samples say about it.",
)
def _(answer):
    for seed, d in ((4, 2), (5, 3)):
        X, t = _matrix(seed, d=d)
        w = np.random.default_rng(seed + 50).normal(size=d + 1)
        wanted = mean_gradient(w, X, t)
        expect_close(
            answer(w.copy(), X.copy(), t.copy()),
            wanted,
            "The gradient",
            known=[
                (wanted * len(t), "This is the gradient of the sum. The loss has the factor 1/N: divide by len(t)."),
                (2 * wanted, "This is twice the gradient. The loss has a 1/2, which cancels the 2 from the square."),
                (
                    -wanted,
                    "This points downhill: it is minus the gradient. The error is prediction minus target, X @ w - t.",
                ),
                (-wanted * len(t), "Wrong sign, and the factor 1/N is missing. The error is X @ w - t."),
                (2 * wanted * len(t), "The factors 1/2 and 1/N of the loss are both missing."),
                (X.T @ (X @ w) / len(t), "The targets do not occur in your gradient; the error is X @ w - t."),
                (
                    np.full(d + 1, np.mean(X @ w - t)),
                    "You averaged the errors without multiplying each by its row of X.",
                ),
                (np.mean((X @ w - t) ** 2) / 2, "This is the loss itself. Its gradient has one entry for each weight."),
            ],
        )
    return "Right. Each entry is the mean of error times input."


# --- 4.3 -----------------------------------------------------------------------------------------------------------


def largest_rate():
    H = np.array([[1, 1], [1, 5 / 3]])  # means of 1, x and x^2 for x = 0, 1, 2
    return 2 / np.linalg.eigvalsh(H)[-1]


@exercise(
    "4.3",
    "A safe rate, on paper",
    start="H holds the means of 1, x and x² over the three samples.",
    hints=[
        "The means are 1 (of 1), 1 (of x) and 5/3 (of x²), so H = [[1, 1], [1, 5/3]].",
        "An eigenvalue solves λ² - trace·λ + determinant = 0 with trace 8/3 and determinant 2/3.",
        "λ_max = 4/3 + √(16/9 - 2/3) = 2.387. The limit is 2 divided by it.",
    ],
    solution=0.8377,
    explanation="H = [[1, 1], [1, 5/3]] has trace 8/3 and determinant 2/3, so λ = 4/3 ± √(10/9) = 2.387 and 0.279, "
    "and 2/λ_max = 0.838. The small eigenvalue decides the speed, the large one the limit.",
)
def _(answer):
    H = np.array([[1, 1], [1, 5 / 3]])
    low, high = np.linalg.eigvalsh(H)
    expect_close(
        answer,
        2 / high,
        "The limit",
        known=[
            (
                2 / (3 * high),
                "0.279 is the smaller eigenvalue of H, and also 2/λ_max of the sum X'X. Wanted is 2 divided by the "
                "larger eigenvalue of the mean, H = X'X/3.",
            ),
            (2 / low, "You used the smaller eigenvalue. The largest one is the strictest."),
            (1 / high, "This is 1/λ_max. The factor |1 - ηλ| stays below 1 until ηλ = 2."),
            (2 / (5 / 3), "You left out the intercept: X has a column of ones, and H is 2 × 2."),
            (high, "This is the largest eigenvalue itself; the limit is 2 divided by it."),
        ],
        rtol=2e-3,
        atol=0,
        reveal=False,
    )
    return "Right: 0.838. Compare with max_stable_rate([[0], [1], [2]])."


# --- 4.4 -----------------------------------------------------------------------------------------------------------


@exercise(
    "4.4",
    "Read the residuals",
    start='Look at each panel: do the residuals bend, do they widen, or neither? Answer with a string such as "ABC".',
    hints=[
        "Where a curve is missing the residuals are of one sign in the middle and of the other at both ends.",
        "Where the noise grows the cloud is a wedge: narrow on one side, wide on the other.",
        "The wedge is panel A and the bend is panel C.",
    ],
    solution="CAB",
    explanation="C bends: the line misses a parabola, so a basis function is lacking. A widens: the variance is not "
    "constant, so (4.15) and the tests built on it do not hold as they stand. B is a shapeless band.",
)
def _(answer):
    panels = letters(answer, "ABC", once=True)
    if panels == "CAB":
        return "Right. Residuals are the cheapest microscope there is."
    if panels == "CBA":
        raise Wrong("The curve is found. Of the other two, which cloud is narrow on the left and wide on the right?")
    if panels == "ACB":
        raise Wrong(
            "Curve and growing noise are exchanged: a bend runs high, low, high; growing noise looks like a wedge."
        )
    if panels == "BAC":
        raise Wrong("The growing noise is found. Of the other two panels, one bends: look at both ends and the middle.")
    raise Wrong("The panel that bends comes first, then the wedge, then the one without a shape.")


# --- 4.5 -----------------------------------------------------------------------------------------------------------


def slope_error(x, t):
    dx, dt = x - x.mean(), t - t.mean()
    w1 = np.sum(dx * dt) / np.sum(dx**2)
    rss = np.sum((dt - w1 * dx) ** 2)
    return np.sqrt(rss / (len(x) - 2) / np.sum(dx**2))


@exercise(
    "4.5",
    "The standard error of a slope",
    start="Fit the line first (your line_of will do), then take its residuals.",
    hints=[
        "σ̂² is the residual sum of squares divided by the degrees of freedom of the residuals.",
        "A line has M = 2 weights, so divide by len(x) - 2.",
        "The standard error is the root of σ̂² divided by the sum of the squared deviations of x.",
    ],
    solution=slope_error,
    explanation="The second diagonal entry of (XᵀX)⁻¹ is 1 / Σ(x - mean)², so (4.15) becomes σ̂² / Σ(x - mean)².",
)
def _(answer):
    for seed in (6, 7, 8):
        x, t = _problem(seed)
        n, wanted = len(x), slope_error(x, t)
        dx = x - x.mean()
        rss = wanted**2 * (n - 2) * np.sum(dx**2)
        expect_close(
            answer(x.copy(), t.copy()),
            wanted,
            "The standard error",
            known=[
                (
                    np.sqrt(rss / n / np.sum(dx**2)),
                    "You divided RSS by N. The residuals have N - 2 degrees of freedom.",
                ),
                (
                    np.sqrt(rss / (n - 1) / np.sum(dx**2)),
                    "You divided RSS by N - 1. A line has two weights, so N - 2 degrees of freedom remain.",
                ),
                (
                    np.sqrt(rss / (n - 2) * (1 / n + x.mean() ** 2 / np.sum(dx**2))),
                    "This is the standard error of the intercept; that of the slope is wanted.",
                ),
                (wanted**2, "This is the variance of the slope; the standard error is its root."),
                (np.sqrt(rss / (n - 2)), "This is σ̂, the noise. Divide it by the root of Σ(x - mean)²."),
                (
                    np.sqrt(rss / (n - 2)) / np.sum(dx**2),
                    "Divide σ̂ by the square root of Σ(x - mean)², not by the sum.",
                ),
                (
                    np.sqrt(rss / (n - 2) / np.sum(x**2)),
                    "You summed the squares of x; take its deviations from the mean.",
                ),
                (
                    np.sqrt(rss / (n - 2) / np.mean(dx**2)),
                    "You used the mean of the squared deviations of x; (4.15) has their sum.",
                ),
            ],
        )
    return "Right. Divide the slope by it and you have the t statistic of (4.16)."


# --- 4.6 -----------------------------------------------------------------------------------------------------------


@exercise(
    "4.6",
    "Adjust it",
    start="Count the weights first: the intercept is one of them.",
    hints=[
        "RSS/TSS is 1 - 0.50. Replace both sums by variances: RSS/(N - M) and TSS/(N - 1).",
        "M = 5: four inputs and the intercept. So N - M = 15 and N - 1 = 19.",
        "The answer is 1 - 0.50 × 19/15.",
    ],
    solution=11 / 30,
    explanation="1 - 0.50 × 19/15 = 0.367. It is zero when R² = 1 - 15/19 = 4/19 = 0.21: four useless inputs reach "
    "that much on average. To pass the F-test at 5 % it must exceed 0.449: then F = (R²/4) / ((1 - R²)/15) is 3.06.",
)
def _(answer):
    expect_close(
        answer,
        11 / 30,
        "The adjusted R²",
        known=[
            (1 - 0.5 * 19 / 14, "You subtracted the intercept twice: M = 5 already counts it, so N - M = 15."),
            (1 - 0.5 * 19 / 16, "You forgot the intercept: four inputs and an intercept make M = 5."),
            (1 - 0.5 * 20 / 15, "TSS has N - 1 = 19 degrees of freedom: the mean was estimated."),
            (1 - 0.5 * 15 / 19, "The fraction is upside down: RSS is divided by the smaller number, N - M."),
            (0.5 * 19 / 15, "This is the adjusted share that is left over; subtract it from 1."),
            (0.5, "This is R² itself, not adjusted."),
            *(
                (v, "This answers the second question. The first asks for the adjusted value where R² is 0.50.")
                for v in (4 / 19, 0.21)
            ),
            *(
                (
                    v,
                    "This is the R² that passes the F-test, the last question. Asked is the adjusted R².",
                )
                for v in (0.449, 0.45)
            ),
            (0.37, "Right to two digits; give three."),
        ],
        rtol=2e-3,
        atol=0,
        reveal=False,
    )
    return (
        "Right: 0.367. R² has to exceed 4/19 = 0.21 before the adjusted value is positive, and 0.449 before the "
        "F-test rejects at 5 %: F(4, 15) = 3.06."
    )


# --- 4.7 -----------------------------------------------------------------------------------------------------------


def leave_one_out(X, t):
    Q, R = np.linalg.qr(X)
    residual = t - Q @ (Q.T @ t)
    leverage = np.sum(Q**2, axis=1)  # diagonal of P = QQ'
    return np.mean((residual / (1 - leverage)) ** 2)


@exercise(
    "4.7",
    "Leave one out, without refitting",
    start="You need the residuals of one fit and the diagonal of the hat matrix.",
    hints=[
        "With X = QR the hat matrix is P = QQᵀ, so the fit is Q @ (Q.T @ t).",
        "The diagonal of QQᵀ is the sum of the squares in each row of Q: np.sum(Q**2, axis=1).",
        "Return np.mean((residual / (1 - leverage)) ** 2).",
    ],
    solution=leave_one_out,
    explanation="Why r/(1-h): replace t_n by the prediction of the fit without sample n. That sample then costs "
    "nothing, so this fit is also the full fit of the changed targets. Prediction n of a fit changes by h_n times the "
    "change of t_n, so the miss m satisfies m = r + h m.",
)
def _(answer):
    for seed, d, first in ((9, 1, 0), (10, 3, 0), (11, 2, 0), (12, 3, 1)):
        X, t = _matrix(seed, d=d)
        X = X[:, first:]  # the last one has no column of ones
        more = np.linalg.qr(np.column_stack([np.ones(len(t)), X[:, 1 - first :]]))[0]
        Q, _ = np.linalg.qr(X)
        r, h, n = t - Q @ (Q.T @ t), np.sum(Q**2, axis=1), len(t)
        wanted = leave_one_out(X, t)
        expect_close(
            answer(X.copy(), t.copy()),
            wanted,
            "The leave-one-out error",
            known=[
                (np.mean(r**2), "This is the training error. Divide each residual by 1 - leverage first."),
                (np.mean(r**2 / (1 - h)), "Square the whole miss r/(1 - h); you squared the residual only."),
                (wanted * n, "This is the sum of the squared misses; take their mean."),
                (np.sqrt(wanted), "This is the root of the error; the mean of the squares is wanted."),
                (
                    np.mean((r / h) ** 2),
                    "You divided by the leverage. A point with little leverage must keep its residual: use 1 - h.",
                ),
                (
                    np.mean(((t - more @ (more.T @ t)) / (1 - np.sum(more**2, axis=1))) ** 2),
                    "You added a column of ones. X is a design matrix already: use it as it is.",
                ),
                (
                    np.mean(r**2) / (1 - X.shape[1] / n) ** 2,
                    "This is the generalised form (GCV), with the mean leverage M/N for all; each sample has its own.",
                ),
                (np.var(r / (1 - h)), "np.var subtracts the mean of the misses; take the mean of their squares."),
                (np.mean(r / (1 - h)), "You averaged the misses without squaring them."),
                (np.mean((r * (1 - h)) ** 2), "You multiplied by 1 - h. A left-out point is missed by more: divide."),
            ],
        )
    x = np.arange(1.0, 6)
    five = answer(np.column_stack([np.ones(5), x]), np.array([2.0, 3, 5, 4, 6]))
    expect_close(five, 0.747194, "The leave-one-out error of the five points of section 4.1", rtol=1e-5)
    return "Right. One fit is enough; if yours loops over the samples, compare it with the solution."

"""Tasks of chapter 04: lines, steps, errors and residuals on paper; then gradient and leave-one-out as code."""

import numpy as np

from mlteach.exercises.base import Wrong, exercise, expect_close, letters, numbers


def _problem(seed, n=9):
    """Return a skewed x (n,) and a noisy target t (n,): no mean is zero, nothing is symmetric."""
    rng = np.random.default_rng(seed)
    x = rng.gamma(2.0, 1.5, n) + 1
    return x, 3 - 1.7 * x + rng.normal(0, 0.8, n)


def _matrix(seed, n=11, d=2):
    rng = np.random.default_rng(seed)
    X = np.column_stack([np.ones(n), rng.normal(1, 2, (n, d))])
    return X, rng.normal(2, 1, n) + X @ np.arange(1.0, d + 2)


def _rounded_too(known):
    """Return the known wrong answers, and each of them as a student may round it, to four digits or to three."""

    def short(value, digits):
        if isinstance(value, tuple):
            return tuple(short(part, digits) for part in value)
        return value if value is ... else float(f"{value:.{digits}g}")

    return [*known, *((short(value, digits), words) for digits in (4, 3) for value, words in known)]


# --- 4.a -----------------------------------------------------------------------------------------------------------


@exercise(
    "4.a",
    "A line on paper",
    start="Begin with the two means, then write down the deviations from them.",
    hints=[
        "The means are 2 and 3, so the deviations of x are -2, -1, 0, 3 and those of t are -2, 0, 1, 1.",
        "The products add up to 7, the squares of the deviations of x to 14.",
        "The slope is 7/14. The line passes through the mean point (2, 3).",
    ],
    solution=(2.0, 0.5),
    explanation="By (4.3) the slope is 7/14 = 0.5 and the intercept 3 - 0.5 · 2 = 2.",
)
def _(intercept, slope):
    w0, w1 = numbers((intercept, slope), "intercept, slope")
    known = _rounded_too(
        [
            ((0.5, 2.0), "Both numbers are right, in the wrong order: the intercept comes first."),
            (
                (0.0, 31 / 30),
                "This line is forced through the origin. Let it pass through the mean point, and take deviations "
                "from the means in the slope.",
            ),
            ((..., 31 / 30), "You used x and t themselves in the slope; take their deviations from the means."),
            ((1.0, 0.6), "This is the line through the first and the last point. All four points count: use (4.3)."),
            ((..., 7 / 6), "You divided by the squared deviations of t; divide by those of x."),
            ((..., 2.0), "This slope is upside down: the products stand above, the squared deviations of x below."),
            ((..., 7 / 3), "One sum was divided by a number of points and the other was not: divide sum by sum."),
            ((3.0, 0.5), "The slope is right. The intercept is the mean of t only if the mean of x is zero."),
            ((4.0, 0.5), "The sign in the intercept is wrong: it is mean t minus slope times mean x."),
            ((1.0, 0.5), "The slope is right. The line passes through the mean point, not through the first one."),
            ((..., 0.5), "The slope is right. The intercept is the mean of t minus the slope times the mean of x."),
        ]
    )
    if abs(w0 + 2 * w1 - 3) < 0.01:
        words = (
            f"Your line passes through the mean point, so the intercept fits your slope; but the slope is not {w1:g}."
        )
        known.append(((w0, w1), words))
    expect_close(
        (w0, w1),
        (2.0, 0.5),
        "The pair (intercept, slope)",
        known=known,
        reveal=False,
        names="intercept, slope",
    )
    return "Right: 2 + 0.5 x. It meets none of the four points, and no line has a smaller sum of squares."


# --- 4.b -----------------------------------------------------------------------------------------------------------


@exercise(
    "4.b",
    "Two residuals from two",
    start="Which two equations must the residuals of a line with intercept satisfy?",
    hints=[
        "The residual is at a right angle to the column of ones and to the column of x.",
        "So the residuals sum to zero, and the residuals times x sum to zero.",
        "With r3 and r4 unknown: r3 + r4 = 1 and 2 r3 + 3 r4 = 1.5.",
    ],
    solution=(1.5, -0.5),
    explanation="0.5 - 1.5 + r3 + r4 = 0 and 0 · 0.5 - 1 · 1.5 + 2 r3 + 3 r4 = 0 give r4 = -0.5 and r3 = 1.5.",
)
def _(third, fourth):
    third, fourth = numbers((third, fourth), "third, fourth")
    if np.allclose((third, fourth), (1.5, -0.5), atol=1e-6):
        return "Right. N residuals, M equations: N - M of them are free."
    if np.allclose((third, fourth), (-0.5, 1.5), atol=1e-6):
        raise Wrong("Both numbers are right, in the wrong order: the third residual belongs to x = 2.")
    total, moment = -1.0 + third + fourth, -1.5 + 2 * third + 3 * fourth
    if abs(total) > 1e-6 and abs(moment) > 1e-6:
        raise Wrong(f"The residuals must sum to 0 and be at a right angle to x; yours sum to {total:g}.")
    if abs(total) > 1e-6:
        raise Wrong(f"Residuals times x do sum to 0, but the residuals themselves sum to {total:g}: use both columns.")
    raise Wrong(f"The residuals sum to 0, but residuals times x sum to {moment:g}: they must be at a right angle to x.")


# --- 4.c -----------------------------------------------------------------------------------------------------------


@exercise(
    "4.c",
    "One step of LMS",
    start="First the prediction at x = 3, then its error.",
    hints=[
        "The prediction is 1 + 0.5 · 3 = 2.5, so the error, prediction minus target, is -1.5.",
        "The input vector is (1, 3): the constant belongs to the intercept.",
        "w - 0.1 · (-1.5) · (1, 3).",
    ],
    solution=(1.15, 0.95),
    explanation="The error is 2.5 - 4 = -1.5. Against its gradient: (1, 0.5) + 0.15 · (1, 3) = (1.15, 0.95).",
)
def _(w0, w1):
    expect_close(
        (w0, w1),
        (1.15, 0.95),
        "The pair of weights",
        known=[
            ((0.95, 1.15), "Both numbers are right, in the wrong order: the intercept first."),
            ((0.85, 0.05), "You stepped uphill: the prediction is too low, so both weights must grow."),
            (
                (0.85, 0.35),
                "You stepped uphill: the prediction is too low, so both weights must grow. And in the slope the error "
                "is multiplied by its input, 3.",
            ),
            ((1.25, 1.25), "You left the intercept out of the prediction: it is 1 + 0.5 · 3."),
            ((1.0, 0.95), "The intercept is a weight too: its input is the constant 1."),
            ((1.0, 0.5), "The weights have not moved: subtract rate times error times input from each."),
            ((1.15, 0.5), "The slope is a weight too: its input is x = 3."),
            ((1.075, 0.725), "This step is half as long: the 2 from the square has cancelled the 1/2 of the loss."),
            ((1.15, 0.65), "In the slope the error is multiplied by its input, 3."),
            ((1.45, 0.95), "The intercept's input is the constant 1, not x."),
            ((1.3, 1.4), "This step is twice as long: the loss has a 1/2, which cancels the 2 from the square."),
            ((2.5, 5.0), "You forgot the learning rate 0.1."),
            ((1.4, 1.7), "You multiplied by the target; (4.8) has the error, prediction minus target."),
            ((0.15, 0.45), "This is the step itself; add it to the weights (1, 0.5)."),
            ((-0.15, -0.45), "This is the gradient times the rate; subtract it from the weights (1, 0.5)."),
        ],
        reveal=False,
        names="w0, w1",
    )
    return (
        "Right. The prediction at x = 3 is now 4.0, the target: a rate of 1/|x|² = 0.1 corrects the sample in one step."
    )


# --- 4.d -----------------------------------------------------------------------------------------------------------


def largest_rate():
    H = np.array([[1, 1], [1, 5 / 3]])  # means of 1, x and x^2 for x = 0, 1, 2
    return 2 / np.linalg.eigvalsh(H)[-1]


@exercise(
    "4.d",
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
            (
                2 / (low + high),
                "This is 2/(λ_min + λ_max), 2 over the trace: the fastest rate. The limit has λ_max alone.",
            ),
            (2 / 5, "This is safe for single samples, 2/max|x|². All samples together bear more: 2/λ_max of H."),
            (2 / (5 / 3), "You left out the intercept: X has a column of ones, and H is 2 × 2."),
            (high, "This is the largest eigenvalue itself; the limit is 2 divided by it."),
        ],
        rtol=2e-3,
        atol=0,
        reveal=False,
    )
    return "Right: 0.838. Compare with max_stable_rate([[0], [1], [2]])."


# --- 4.e -----------------------------------------------------------------------------------------------------------


@exercise(
    "4.e",
    "Two lines in one model",
    start="Put u = 1 into the formula and collect what stands before x.",
    hints=[
        "With u = 1: y = 2 + x + 3 - 0.4 x.",
        "Collect: the constants make the intercept, the factors of x the slope.",
        "The intercept is 2 + 3, the slope 1 - 0.4.",
    ],
    solution=(5.0, 0.6),
    explanation="y = (2 + 3) + (1 - 0.4) x. The dummy shifts the line, the interaction tilts it.",
)
def _(intercept, slope):
    expect_close(
        (intercept, slope),
        (5.0, 0.6),
        "The pair (intercept, slope)",
        known=[
            ((0.6, 5.0), "Both numbers are right, in the wrong order: the intercept comes first."),
            ((2.0, 1.0), "This is the line for u = 0."),
            ((3.0, -0.4), "These are the changes against the group u = 0; add them to its intercept and slope."),
            ((5.0, -0.4), "The slope changes by w3; it does not become w3."),
            ((5.0, 1.0), "The interaction is missing: for u = 1 it changes the slope too."),
            ((2.0, 0.6), "The dummy itself is missing: for u = 1 it shifts the intercept."),
            ((3.0, 0.6), "The intercept changes by w2; it does not become w2."),
            ((5.0, 1.4), "Mind the sign of w3."),
            ((1.6, 4.0), "You paired w0 with w3 and w1 with w2; w2 stands alone, w3 beside x."),
            ((5.0, ...), "The intercept is right. For u = 1 the slope is w1 + w3."),
            ((..., 0.6), "The slope is right. For u = 1 the intercept is w0 + w2."),
        ],
        reveal=False,
        names="intercept, slope",
    )
    return "Right: 5 + 0.6 x against 2 + x for the other group. The two lines cross at x = 7.5."


# --- 4.f -----------------------------------------------------------------------------------------------------------


@exercise(
    "4.f",
    "A t statistic on paper",
    start="First the noise: what is RSS divided by?",
    hints=[
        "A line has two weights, so σ̂² = 40/(12 - 2) = 4.",
        "The standard error of the slope is σ̂/√25 = 2/5.",
        "t is the slope divided by its standard error.",
    ],
    solution=1.75,
    explanation="σ̂ = √(40/10) = 2, the standard error is 2/√25 = 0.4, and t = 0.7/0.4 = 1.75. With ten degrees of "
    "freedom 2.23 would be needed at the 5 % level: this slope cannot be told from zero.",
)
def _(answer):
    expect_close(
        answer,
        1.75,
        "The t statistic",
        known=_rounded_too(
            [
                (
                    0.7 / np.sqrt(40 / 12 / 25),
                    "You divided RSS by N. The residuals have N - M = 10 degrees of freedom.",
                ),
                (0.7 / np.sqrt(40 / 11 / 25), "You divided RSS by N - 1. A line has two weights: N - M = 10."),
                (0.7 / np.sqrt(40 / 25), "You did not divide RSS by its degrees of freedom, N - M = 10."),
                (0.7 * 5, "The noise is missing: the standard error is σ̂/√25, with σ̂² = RSS/(N - M)."),
                (0.4, "This is the standard error; t is the slope divided by it."),
                (0.7 * 0.4, "You multiplied the slope by its standard error; divide."),
                (0.7 / 0.16, "You divided by the variance of the slope; the standard error is its root."),
                (0.35, "You divided by σ̂ alone. The standard error of the slope is σ̂/√25."),
                (0.7 / (2 / 25), "Divide σ̂ by the square root of Σ(x - mean)², not by the sum."),
                (0.7 / (4 / 5), "Take the root of σ̂² first: σ̂ = 2."),
                (0.7 / 10, "Take the root of Σ(x - mean)² and divide σ̂ by it; you multiplied."),
            ]
        ),
        rtol=2e-3,
        atol=0,
        reveal=False,
    )
    return (
        "Right: 1.75. With ten degrees of freedom q is 2.23, so this slope cannot be told from zero at the 5 % level."
    )


# --- 4.g -----------------------------------------------------------------------------------------------------------


@exercise(
    "4.g",
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
                (v, "At this R² the adjusted value is zero. Asked is the adjusted value where R² is 0.50.")
                for v in (4 / 19, 0.211, 0.21)
            ),
            *((v, "This is the R² that passes the F-test at 5 %. Asked is the adjusted R².") for v in (0.449, 0.45)),
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


# --- 4.h -----------------------------------------------------------------------------------------------------------


@exercise(
    "4.h",
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
    for seed, n in ((1, 9), (2, 7), (3, 12)):
        x, t = _problem(seed, n)
        w0, w1 = line_of(x, t)
        dx, dt = x - x.mean(), t - t.mean()
        origin = np.sum(x * t) / np.sum(x**2)
        uneven = (
            "One of your sums was divided by N, the other by N - 1: np.cov and np.var differ in that. Use sums, or "
        )
        uneven += "ddof alike in both."
        expect_close(
            answer(x.copy(), t.copy()),
            (w0, w1),
            "The pair (intercept, slope)",
            known=[
                ((w1, w0), "Both numbers are right, in the wrong order: return the intercept first, then the slope."),
                ((0.0, origin), "This line is forced through the origin; the intercept is forgotten."),
                ((..., origin), "You used x and t themselves in the slope; take their deviations from the means."),
                (
                    line_of(t, x),
                    "x and t are exchanged: this line predicts x from t. Divide by the squared deviations of x.",
                ),
                (
                    (..., np.sum(dx * dt) / np.sum(dt**2)),
                    "You divided by the squared deviations of t. That is the slope that predicts x from t.",
                ),
                *(((..., slope), uneven) for slope in (w1 * n / (n - 1), w1 * (n - 1) / n)),
                ((..., np.corrcoef(x, t)[0, 1]), "Your slope is the correlation. Multiply it by std(t) / std(x)."),
                (
                    (..., (t[-1] - t[0]) / (x[-1] - x[0])),
                    "Your slope is that of the line through the first and the last point. All points count.",
                ),
                ((t.mean(), 0.0), "This is the best constant; the slope is missing."),
                ((t.mean() + w1 * x.mean(), w1), "The sign in the intercept is wrong: it is mean t minus w1 mean x."),
                ((t.mean(), w1), "The slope is right. The intercept is the mean of t only if the mean of x is zero."),
                ((..., w1), "The slope is right. The line passes through the mean point: w0 = mean t - w1 mean x."),
            ],
            names="intercept, slope",
        )
    return "Right. By (4.3) two sums and two means are enough; no derivative is left in sight."


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
    for seed, d, n in ((4, 2, 11), (5, 3, 8)):
        X, t = _matrix(seed, n, d)
        w = np.arange(1.0, d + 2) + np.random.default_rng(seed + 50).normal(size=d + 1)  # misses of both signs
        wanted = mean_gradient(w, X, t)
        expect_close(
            answer(w.copy(), X.copy(), t.copy()),
            wanted,
            "The gradient",
            known=[
                (wanted * len(t), "This is the gradient of the sum. The loss has the factor 1/N: divide by len(t)."),
                (wanted / 2, "This is half the gradient. The 2 from the square cancels the 1/2 of the loss."),
                (
                    wanted * len(t) / len(w),
                    "You divided by the number of weights. The mean is over the samples: divide by len(t).",
                ),
                (wanted / len(w), "You divided by all entries of X. The mean is over the samples: divide by len(t)."),
                (wanted * n / (n - 1), "You divided by N - 1; the loss has the factor 1/N."),
                (X.T @ (X @ w - t) ** 2 / n, "You squared the errors. The derivative of a square is linear in them."),
                (X.T @ np.abs(X @ w - t) / n, "The errors keep their sign: multiply X @ w - t itself by the rows."),
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


def slope_error(x, t):
    dx, dt = x - x.mean(), t - t.mean()
    w1 = np.sum(dx * dt) / np.sum(dx**2)
    rss = np.sum((dt - w1 * dx) ** 2)
    return np.sqrt(rss / (len(x) - 2) / np.sum(dx**2))


@exercise(
    "4.3",
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
    for seed, n in ((6, 9), (7, 12), (8, 7)):
        x, t = _problem(seed, n)
        wanted = slope_error(x, t)
        dx, dt = x - x.mean(), t - t.mean()
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
                (np.sqrt(rss / np.sum(dx**2)), "You did not divide RSS by its degrees of freedom, N - 2."),
                (
                    np.sqrt(rss / 3 / np.sum(dx**2)),
                    f"You divided RSS by 3, which is right for five points. Here N - 2 is {n - 2}.",
                ),
                (
                    np.sqrt(rss / (n - 2) / n),
                    "σ̂/√N would be the standard error of a mean. For a slope divide σ̂ by the root of Σ(x - mean)².",
                ),
                (slope_error(t, x), "x and t are exchanged: this is for the line that predicts x from t."),
                (line_of(x, t)[1] / wanted, "This is the t statistic; its denominator is wanted."),
                *(
                    (
                        np.sqrt(np.sum(dt**2) / free / np.sum(dx**2)),
                        "You used the spread of t itself. σ̂ comes from the residuals, t minus the fitted line.",
                    )
                    for free in (n, n - 1, n - 2)
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


# --- 4.4 -----------------------------------------------------------------------------------------------------------


def leave_one_out(X, t):
    Q, R = np.linalg.qr(X)
    residual = t - Q @ (Q.T @ t)
    leverage = np.sum(Q**2, axis=1)  # diagonal of P = QQ'
    return np.mean((residual / (1 - leverage)) ** 2)


@exercise(
    "4.4",
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
    for seed, n, d, first in ((9, 11, 1, 0), (10, 9, 3, 0), (11, 8, 2, 0), (12, 11, 3, 1)):
        X, t = _matrix(seed, n, d)
        X = X[:, first:]  # the last one has no column of ones
        more = np.linalg.qr(np.column_stack([np.ones(len(t)), X[:, 1 - first :]]))[0]
        Q, _ = np.linalg.qr(X)
        r, h = t - Q @ (Q.T @ t), np.sum(Q**2, axis=1)
        wanted = leave_one_out(X, t)
        expect_close(
            answer(X.copy(), t.copy()),
            wanted,
            "The leave-one-out error",
            known=[
                (np.mean(r**2), "This is the training error. Divide each residual by 1 - leverage first."),
                (np.mean(r**2 / (1 - h)), "Square the whole miss r/(1 - h); you squared the residual only."),
                (wanted * n, "This is the sum of the squared misses; take their mean."),
                (wanted * n / (n - 1), "You divided by N - 1; the mean over all N samples is wanted."),
                (leave_one_out(X[:, 1:], t), "You left out the first column of X: use the design matrix as it is."),
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
                (np.mean(np.abs(r / (1 - h))), "You averaged the sizes of the misses; square them first."),
                *(
                    (np.mean(miss**2), "Mind the sign: a left-out point is missed by more, r/(1 - h).")
                    for miss in (r / (1 + h), r * (1 + h))
                ),
                (np.mean((r * (1 - h)) ** 2), "You multiplied by 1 - h. A left-out point is missed by more: divide."),
            ],
        )
    x = np.arange(1.0, 6)
    five = answer(np.column_stack([np.ones(5), x]), np.array([2.0, 3, 5, 4, 6]))
    expect_close(five, 0.747194, "The leave-one-out error of the five points of section 4.1", rtol=1e-5)
    return "Right. One fit is enough; if yours loops over the samples, compare it with the solution."

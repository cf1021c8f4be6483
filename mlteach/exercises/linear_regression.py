"""Tasks of chapter 04: lines, steps, errors and residuals on paper; then gradient and leave-one-out as code."""

import numpy as np

from mlteach.exercises.base import Wrong, numbers
from mlteach.exercises.slips import wrong_values
from mlteach.exercises.tasks import number, spelt, task


def rounded_too(table):
    """Return the wrong values of a table, and each of them as a student may round it, to four digits or to three."""

    def short(value, digits):
        if isinstance(value, tuple):
            return tuple(short(part, digits) for part in value)
        return value if value is ... else float(f"{value:.{digits}g}")

    known = wrong_values(table, globals())
    return [*known, *((short(value, digits), words) for digits in (4, 3) for value, words in known)]


def one_of_two(intercept, slope):
    """Say which of the two is right, or that the intercept fits its slope, where no more is known of the other one."""
    w0, w1 = numbers((intercept, slope), "intercept, slope")
    if abs(w1 - 0.5) < 1e-6 and min(abs(w0 - known) for known in (2, 3, 4, 1, 0.5)) > 0.005:
        raise Wrong("The slope is right. The intercept is the mean of t minus the slope times the mean of x.")
    if (
        abs(w0 + 2 * w1 - 3) < 0.01
        and min(abs(w1 - known) for known in (0.5, 31 / 30, 7 / 6, 2, 7 / 3, 7 / 84**0.5, 7 / 4, 2 / 3)) > 0.005
    ):
        raise Wrong(
            f"Your line passes through the mean point, so the intercept fits your slope; but the slope is not {w1:g}."
        )


task("4.a", "A line on paper", guard=one_of_two,
    start="Which point does the best line always pass through?",
    hints=[
        "The means are 2 and 3, so the deviations of x are -2, -1, 0, 3 and those of t are -2, 0, 1, 1.",
        "The products add up to 7, the squares of the deviations of x to 14.",
        "The slope is 7/14. The line passes through the mean point (2, 3).",
    ],
    slips=rounded_too("""
        (0.5, 2.0)     | Both numbers are right, in the wrong order: the intercept comes first.
        (0.0, 31 / 30) | This line is forced through the origin. Let it pass through the mean point, and take deviations
            from the means in the slope.
        (..., 31 / 30) | You used x and t themselves in the slope; take their deviations from the means.
        (1.0, 0.6) | This is the line through the first and the last point. All four points count: use (4.3).
        (..., 7 / 6)   | You divided by the squared deviations of t; divide by those of x.
        (..., 2.0)     | This slope is upside down: the products stand above, the squared deviations of x below.
        (..., 7 / 3)   | One sum was divided by a number of points and the other was not: divide sum by sum.
        (3.0, 0.5)     | The slope is right. The intercept is the mean of t only if the mean of x is zero.
        (4.0, 0.5)     | The sign in the intercept is wrong: it is mean t minus slope times mean x.
        (1.0, 0.5)     | The slope is right. The line passes through the mean point, not through the first one.
        (0.5, 0.5)     | The slope is right. In the intercept the two means are exchanged: mean t is 3, mean x is 2.
        (..., 7 / 84**0.5) | That is the correlation. The slope divides by the squared deviations of x alone.
        (..., 7 / 4) | That is the covariance. The slope divides it by the variance of x.
        (..., 2 / 3) | One sum was divided by N - 1 and the other by N: divide sum by sum.
        """),
    intercept=number("The intercept", 2.0),
    slope=number("The slope", "(-2 * -2 + -1 * 0 + 0 * 1 + 3 * 1) / (2**2 + 1**2 + 0**2 + 3**2)"),
    right="Right: 2 + 0.5 x. It meets none of the four points, and no line has a smaller sum of squares.",
    explanation="By (4.3) the slope is 7/14 = 0.5 and the intercept 3 - 0.5 · 2 = 2.",
)  # fmt: skip


def two_equations(third, fourth):
    """Raise Wrong with the equation that two residuals break."""
    third, fourth = numbers((third, fourth), "third, fourth")
    total, moment = -1.0 + third + fourth, -1.5 + 2 * third + 3 * fourth
    if np.allclose((third, fourth), (-0.5, 1.5), atol=1e-6):
        raise Wrong("Both numbers are right, in the wrong order: the third residual belongs to x = 2.")
    if abs(total) > 1e-6 and abs(moment) > 1e-6:
        raise Wrong(f"The residuals must sum to 0 and be at a right angle to x; yours sum to {total:g}.")
    if abs(total) > 1e-6:
        raise Wrong(f"Residuals times x do sum to 0, but the residuals themselves sum to {total:g}: use both columns.")
    if abs(moment) > 1e-6:
        raise Wrong(
            f"The residuals sum to 0, but residuals times x sum to {moment:g}: they must be at a right angle to x."
        )


task("4.b", "Two residuals from two", guard=two_equations,
    start="Which two equations must the residuals of a line with intercept satisfy?",
    hints=[
        "The residual is at a right angle to the column of ones and to the column of x.",
        "So the residuals sum to zero, and the residuals times x sum to zero.",
        "With r3 and r4 unknown: r3 + r4 = 1 and 2 r3 + 3 r4 = 1.5.",
    ],
    third=number("The third residual", 1.5, to=1e-5),
    fourth=number("The fourth residual", -0.5, to=1e-5),
    right="Right. N residuals, M equations: N - M of them are free.",
    explanation="0.5 - 1.5 + r3 + r4 = 0 and 0 · 0.5 - 1 · 1.5 + 2 r3 + 3 r4 = 0 give r4 = -0.5 and r3 = 1.5.",
)  # fmt: skip

task("4.c", "One step of LMS",
    start="What does the line predict at x = 3, and is that too low or too high?",
    hints=[
        "The prediction is 1 + 0.5 · 3 = 2.5, so the error, prediction minus target, is -1.5.",
        "The input vector is (1, 3): the constant belongs to the intercept.",
        "w - 0.1 · (-1.5) · (1, 3).",
    ],
    slips="""
        (0.85, 0.05)   | You stepped uphill: the prediction is too low, so both weights must grow.
        (0.85, 0.35)   | You stepped uphill: the prediction is too low, so both weights must grow. And in the slope the
            error is multiplied by its input, 3.
        (1.25, 1.25)   | You left the intercept out of the prediction: it is 1 + 0.5 · 3.
        (1.0, 0.95)    | The intercept is a weight too: its input is the constant 1.
        (1.0, 0.5)     | The weights have not moved: subtract rate times error times input from each.
        (1.15, 0.5)    | The slope is a weight too: its input is x = 3.
        (1.075, 0.725) | This step is half as long: the 2 from the square has cancelled the 1/2 of the loss.
        (1.15, 0.65)   | In the slope the error is multiplied by its input, 3.
        (1.45, 0.95)   | The intercept's input is the constant 1, not x.
        (1.45, 1.85)   | The intercept's input is the constant 1, the slope's is 3: each once.
        (1.3, 1.4)     | This step is twice as long: the loss has a 1/2, which cancels the 2 from the square.
        (2.5, 5.0)     | You forgot the learning rate 0.1.
        (1.4, 1.7)     | You multiplied by the target; (4.8) has the error, prediction minus target.
        (0.75, -0.25)  | You multiplied by the prediction; (4.8) has the error, prediction minus target.
        (0.15, 0.45)   | This is the step itself; add it to the weights (1, 0.5).
        (-0.15, -0.45) | This is the gradient times the rate; subtract it from the weights (1, 0.5).
        (..., 0.905) | You took the new w0 for the second weight. Both steps start from the old weights.
        (..., 1.85) | The slope's step has its input x once, not its square.
        (1.05, 0.65) | The prediction is w0 + w1 x: you exchanged the two weights.
        (-1.5, -4.5) | This is the gradient; the weights move against it, 0.1 times as far.
        (1.45, 0.65) | The two inputs are exchanged: the intercept has the constant 1, the slope x = 3.
        """,
    w0=number("The intercept", "1 - 0.1 * (1 + 0.5 * 3 - 4) * 1"),
    w1=number("The slope", "0.5 - 0.1 * (1 + 0.5 * 3 - 4) * 3"),
    right="Right. The prediction at x = 3 is now 4.0, the target: a rate of 1/|x|² = 0.1 corrects the sample in one "
    "step.",
    explanation="The error is 2.5 - 4 = -1.5. Against its gradient: (1, 0.5) + 0.15 · (1, 3) = (1.15, 0.95).",
)  # fmt: skip

LOW, HIGH = 4 / 3 - (10 / 9) ** 0.5, 4 / 3 + (10 / 9) ** 0.5  # the eigenvalues of H

task("4.d", "A safe rate, on paper",
    start="Which three means does H hold?",
    hints=[
        "The means are 1 (of 1), 1 (of x) and 5/3 (of x²), so H = [[1, 1], [1, 5/3]].",
        "An eigenvalue solves λ² - trace·λ + determinant = 0 with trace 8/3 and determinant 2/3.",
        "λ_max = 4/3 + √(16/9 - 2/3) = 2.387. The limit is 2 divided by it.",
    ],
    limit=number("The limit", "2 / (4 / 3 + ((4 / 3) ** 2 - 2 / 3) ** 0.5)", rtol=2e-3, slips="""
        2 / (3 * HIGH)   | 0.279 is the smaller eigenvalue of H, and also 2/λ_max of the sum X'X. Wanted is 2 divided by
            the larger eigenvalue of the mean, H = X'X/3.
        2 / LOW          | You used the smaller eigenvalue. The largest one is the strictest.
        1 / HIGH         | This is 1/λ_max. The factor |1 - ηλ| stays below 1 until ηλ = 2.
        2 / (LOW + HIGH) | This is 2/(λ_min + λ_max), 2 over the trace: the fastest rate. The limit has λ_max alone.
        2 / 5            | This is safe for single samples, 2/max|x|². All samples together bear more: 2/λ_max of H.
        2 / (5 / 3)      | You left out the intercept: X has a column of ones, and H is 2 × 2.
        HIGH             | This is the largest eigenvalue itself; the limit is 2 divided by it.
        4 / 3 / (4 / 3 + ((4 / 3) ** 2 - 2 / 3) ** 0.5) | You divided H by N - 1. The cost is a mean over all N
            samples.
        2 | You centred the inputs. H has them as they are, beside the column of ones.
        3 | You divided by the determinant of H. The largest eigenvalue sets the limit.
        """),
    right="Right: 0.838. Compare with max_stable_rate([[0], [1], [2]]).",
    explanation="H = [[1, 1], [1, 5/3]] has trace 8/3 and determinant 2/3, so λ = 4/3 ± √(10/9) = 2.387 and 0.279, "
    "and 2/λ_max = 0.838. The small eigenvalue decides the speed, the large one the limit.",
)  # fmt: skip

task("4.e", "Two lines in one model",
    start="What does the formula become for u = 1?",
    hints=[
        "With u = 1: y = 2 + x + 3 - 0.4 x.",
        "Collect: the constants make the intercept, the factors of x the slope.",
        "The intercept is 2 + 3, the slope 1 - 0.4.",
    ],
    slips="""
        (0.6, 5.0)  | Both numbers are right, in the wrong order: the intercept comes first.
        (2.0, 1.0)  | This is the line for u = 0.
        (3.0, -0.4) | These are the changes against the group u = 0; add them to its intercept and slope.
        (5.0, -0.4) | The slope changes by w3; it does not become w3.
        (5.0, 1.0)  | The interaction is missing: for u = 1 it changes the slope too.
        (2.0, 0.6)  | The dummy itself is missing: for u = 1 it shifts the intercept.
        (3.0, 0.6)  | The intercept changes by w2; it does not become w2.
        (5.0, 1.4)  | Mind the sign of w3.
        (5.0, 0.4)  | This is w3 without its sign. For u = 1 the slope is w1 + w3.
        (1.6, 4.0)  | You paired w0 with w3 and w1 with w2; w2 stands alone, w3 beside x.
        (3.0, 2.6)  | You paired w0 with w1 and w2 with w3; w0 and w2 stand alone, w1 and w3 beside x.
        """,
    intercept=number("The intercept", 5, say=lambda w: f"The intercept is not {w:g}: for u = 1 it is w0 + w2."),
    slope=number("The slope", 0.6, say=lambda w: "The intercept is right. For u = 1 the slope is w1 + w3."),
    right="Right: 5 + 0.6 x against 2 + x for the other group. The two lines cross at x = 7.5.",
    explanation="y = (2 + 3) + (1 - 0.4) x. The dummy shifts the line, the interaction tilts it.",
)  # fmt: skip

task("4.f", "A t statistic on paper",
    start="First the noise: what is RSS divided by?",
    hints=[
        "A line has two weights, so σ̂² = 40/(12 - 2) = 4.",
        "The standard error of the slope is σ̂/√25 = 2/5.",
        "t is the slope divided by its standard error.",
    ],
    t=number("The t statistic", "0.7 / (40 / (12 - 2) / 25) ** 0.5", rtol=2e-3, slips=rounded_too("""
        0.7 / (40 / 12 / 25) ** 0.5 | You divided RSS by N. The residuals have N - M = 10 degrees of freedom.
        0.7 / (40 / 11 / 25) ** 0.5 | You divided RSS by N - 1. A line has two weights: N - M = 10.
        0.7 / (40 / 25) ** 0.5      | You did not divide RSS by its degrees of freedom, N - M = 10.
        0.7 * 5                     | The noise is missing: the standard error is σ̂/√25, with σ̂² = RSS/(N - M).
        0.4                         | This is the standard error; t is the slope divided by it.
        0.7 * 0.4                   | You multiplied the slope by its standard error; divide.
        0.7 / 0.16                  | You divided by the variance of the slope; the standard error is its root.
        0.7 / 2                     | You divided by σ̂ alone. The standard error of the slope is σ̂/√25.
        0.7 / (2 / 25)              | Divide σ̂ by the square root of Σ(x - mean)², not by the sum.
        0.7 / (4 / 5)               | Take the root of σ̂² first: σ̂ = 2.
        0.7 / 10                    | Take the root of Σ(x - mean)² and divide σ̂ by it; you multiplied.
        0.7 / (2 / 12**0.5)         | σ̂/√N would be the standard error of a mean. That of the slope is σ̂/√25.
        0.7 / (4 / (25 / 12)) ** 0.5 | You divided Σ(x - mean)² by N. The standard error has the sum itself: σ̂/√25.
        """)),
    right="Right: 1.75. With ten degrees of freedom q is 2.23, so this slope cannot be told from zero at the 5 % "
    "level.",
    explanation="σ̂ = √(40/10) = 2, the standard error is 2/√25 = 0.4, and t = 0.7/0.4 = 1.75. With ten degrees of "
    "freedom 2.23 would be needed at the 5 % level: this slope cannot be told from zero.",
)  # fmt: skip

task("4.g", "Read the residuals",
    start='Look at each panel: do the residuals bend, do they widen, or neither? Answer with a string such as "ABC".',
    hints=[
        "Where a curve is missing the residuals are of one sign in the middle and of the other at both ends.",
        "Where the noise grows the cloud is a wedge: narrow on one side, wide on the other.",
        "The wedge is panel A and the bend is panel C.",
    ],
    panels=spelt("The order", "CAB", "ABC", once=True, slips="""
        CBA | The curve is found. Of the other two, which cloud is narrow on the left and wide on the right?
        ACB | Curve and growing noise are exchanged: a bend runs high, low, high; growing noise looks like a wedge.
        BAC | The growing noise is found. Of the other two panels, one bends: look at both ends and the middle.
        ABC | The panel that bends comes first, then the wedge, then the one without a shape.
        BCA | The panel that bends comes first, then the wedge, then the one without a shape.
        """),
    right="Right. Residuals are the cheapest microscope there is.",
    explanation="C bends: the line misses a parabola, so a basis function is lacking. A widens: the variance is not "
    "constant, so (4.15) and the tests built on it do not hold as they stand. B is a shapeless band.",
)  # fmt: skip

task("4.h", "An input left out",
    start="Which of the slopes in (4.24) are given, and which one is asked for?",
    hints=[
        "The slope alone is 5, the weights side by side are 3 and 4.",
        "Solve 5 = 3 + 4 δ.",
    ],
    rise=number("The rise of the score", "(5 - 3) / 4", slips="""
        5 - 3       | This is what ability adds to the slope of school, w2 δ. Divide it by the weight of ability.
        (3 - 5) / 4 | The sign is wrong: alone the slope is larger, so ability rises with school.
        (5 - 3) / 3 | You divided by the weight of school; the part that is left over belongs to ability.
        (5 - 3) / 5 | You divided by the slope alone; the part that is left over belongs to ability.
        (5 - 4) / 4 | You took the weight of ability from the slope alone; that of school is 3.
        (5 - 4) / 3 | The two weights are exchanged: school has 3, ability 4.
        5 / 4       | You left the weight of school out: 5 = 3 + 4 δ.
        5 + 3       | You added the two slopes; (4.24) has 5 = 3 + 4 δ.
        5 + 3 * 4   | Here the slope alone, 5, is known and δ is asked for.
        3 + 4 * 5   | Here the slope alone, 5, is known and δ is asked for.
        3 / 4       | You divided the two weights. (4.24) has 5 = 3 + 4 δ: what is left of 5 for ability?
        5 / 3       | You divided the two slopes of school. (4.24) has 5 = 3 + 4 δ.
        3 / 5       | That is the share of school in its slope. (4.24) has 5 = 3 + 4 δ.
        """),
    right="Right. Of the slope 5 only 3 is school; 4 · 0.5 is ability.",
    explanation="(4.24): 5 = 3 + 4 δ, so δ = 0.5.",
)  # fmt: skip


def line_of(x, t):
    dx, dt = x - x.mean(), t - t.mean()
    w1 = np.sum(dx * dt) / np.sum(dx**2)
    w0 = t.mean() - w1 * x.mean()
    return w0, w1


FIVE = np.arange(1.0, 6), np.array([2.0, 3, 5, 4, 6])  # the points of section 4.1


def problem(seed, n):
    """Return a skewed x (n,) and a noisy target t (n,): no mean is zero, nothing is symmetric."""
    rng = np.random.default_rng(seed)
    x = rng.gamma(2.0, 1.5, n) + 1
    return x, 3 - 1.7 * x + rng.normal(0, 0.8, n)


task("4.1", "The line by hand", line_of, what="The pair (intercept, slope)", names="intercept, slope",
    cases=lambda: [FIVE, problem(1, 9), problem(2, 7), problem(3, 12)],
    start="Which two sums stand in (4.3)?",
    hints=[
        "The slope is the sum of the products of the deviations, divided by the sum of the squared deviations of x.",
        "The line passes through the mean point: w0 = t.mean() - w1 * x.mean().",
        "Return two numbers, the intercept first: return t.mean() - w1 * x.mean(), w1.",
    ],
    slips="""
        return w0, w1 => return w1, w0 | Both numbers are right, in the wrong order: return the intercept first, then
            the slope.
        np.sum(dx * dt) / np.sum(dx**2) => np.sum(x * t) / np.sum(x**2) | You used x and t themselves in the slope; take
            their deviations from the means.
        return w0, w1 => return 0.0, np.sum(x * t) / np.sum(x**2) | This line is forced through the origin; the
            intercept is forgotten.
        np.sum(dx * dt) => np.sum(x * t) | You used x and t themselves above; take their deviations from the means.
        np.sum(dx**2) => np.sum(x**2) | You used x itself below; take its deviations from the mean.
        dx, dt = x - x.mean(), t - t.mean() => x, t = t, x; dx, dt = x - x.mean(), t - t.mean() | x and t are exchanged:
            this line predicts x from t. Divide by the squared deviations of x.
        dx**2 => dt**2 | You divided by the squared deviations of t. That is the slope that predicts x from t.
        np.sum(dx**2) => np.sum(dx**2) * len(x) / (len(x) - 1) | One of your sums was divided by N, the other by N - 1:
            np.cov and np.var differ in that. Use sums, or ddof alike in both.
        np.sum(dx**2) => np.sum(dx**2) * (len(x) - 1) / len(x) | One of your sums was divided by N, the other by N - 1:
            np.cov and np.var differ in that. Use sums, or ddof alike in both.
        np.sum(dx**2) => np.mean(dx**2) | One sum was divided by the number of points and the other was not: divide sum
            by sum.
        np.sum(dx**2) => np.sqrt(np.sum(dx**2) * np.sum(dt**2)) | Your slope is the correlation. Multiply it by std(t) /
            std(x).
        np.sum(dx * dt) / np.sum(dx**2) => (t[-1] - t[0]) / (x[-1] - x[0]) | Your slope is that of the line through the
            first and the last point. All points count.
        np.sum(dx * dt) / np.sum(dx**2) => np.sum(dx**2) / np.sum(dx * dt) | This slope is upside down: the products
            stand above, the squared deviations of x below.
        np.sum(dx * dt) / np.sum(dx**2) => np.sum(dt) / np.sum(dx) | Deviations sum to zero: multiply them point by
            point, and sum the products.
        t.mean() - w1 => t.mean() + w1            | The sign in the intercept is wrong: it is mean t minus w1 mean x.
        t.mean() - w1 * x.mean() => t.mean() | The intercept is the mean of t only if the mean of x
            is zero.
        return w0, w1 => return t.mean(), 0.0     | This is the best constant; the slope is missing.
        t.mean() - w1 * x.mean() => x.mean() - w1 * t.mean() | In the intercept the two means are
            exchanged.
        t.mean() - w1 * x.mean() => t[0] - w1 * x[0] | The line passes through the mean point, not
            through the first one.
        t.mean() - w1 * x.mean() => 0.0 | The line passes through the mean point: w0 = mean t - w1
            mean x.
        / np.sum(dx**2) => / len(x) | That is the covariance. The slope divides it by the variance of x.
        """,
    right="Right. By (4.3) two sums and two means are enough; no derivative is left in sight.",
    explanation="This is (4.3). Deviations are taken once and used twice; the intercept follows from the mean point.",
)  # fmt: skip


def mean_gradient(w, X, t):
    error = X @ w - t
    return X.T @ error / len(t)


def matrix(seed, n, d):
    rng = np.random.default_rng(seed)
    X = np.column_stack([np.ones(n), rng.normal(1, 2, (n, d))])
    return X, rng.normal(2, 1, n) + X @ np.arange(1.0, d + 2)


def gradient_cases():
    def misses_of_both_signs(seed, d):
        return np.arange(1.0, d + 2) + np.random.default_rng(seed + 50).normal(size=d + 1)

    return [(misses_of_both_signs(seed, d), *matrix(seed, n, d)) for seed, d, n in ((4, 2, 11), (5, 3, 8))]


task("4.2", "The mean gradient", mean_gradient, cases=gradient_cases, what="The gradient",
    start="What does one sample add to the gradient?",
    hints=[
        "Each error multiplies the row of X it came from; add these rows up.",
        "The sum of error times row is X.T @ (X @ w - t).",
        "The loss has the factor 1/N: divide by len(t). The factor 1/2 has cancelled the 2 of the square.",
    ],
    slips="""
        / len(t) => | This is the gradient of the sum. The loss has the factor 1/N: divide by len(t).
        / len(t) => / len(t) / 2 | This is half the gradient. The 2 from the square cancels the 1/2 of the loss.
        / len(t) => / len(w) | You divided by the number of weights. The mean is over the samples: divide by len(t).
        / len(t) => / X.size | You divided by all entries of X. The mean is over the samples: divide by len(t).
        / len(t) => / (len(t) - 1) | You divided by N - 1; the loss has the factor 1/N.
        X.T @ error => X.T @ error**2 | You squared the errors. The derivative of a square is linear in them.
        X.T @ error => X.T @ np.abs(error) | The errors keep their sign: multiply X @ w - t itself by the rows.
        / len(t) => / len(t) * 2 | This is twice the gradient. The loss has a 1/2, which cancels the 2 from the square.
        X @ w - t => t - X @ w | This points downhill: it is minus the gradient. The error is prediction minus target, X
            @ w - t.
        X @ w - t => t - X @ w ;; / len(t) => | Wrong sign, and the factor 1/N is missing. The error is X @ w - t.
        / len(t) => * 2 | The factors 1/2 and 1/N of the loss are both missing.
        X @ w - t => X @ w | The targets do not occur in your gradient; the error is X @ w - t.
        X @ w - t => X @ w + t | The error is prediction minus target, X @ w - t; you added the target.
        X.T @ error / len(t) => np.full(len(w), np.mean(error)) | You averaged the errors without multiplying each by
            its row of X.
        X.T @ error / len(t) => np.mean(error**2) / 2 | This is the loss itself. Its gradient has one entry for each
            weight.
        X.T @ error / len(t) => error.mean() * X.mean(axis=0) | You multiplied two means. Take the mean of the
            products, error times input.
        X.T @ error / len(t) => np.linalg.solve(X.T @ X, X.T @ t) | Those are the best weights. Asked is the gradient
            at w.
        X.T @ error / len(t) => np.linalg.solve(X.T @ X, X.T @ error) | That is Newton's step. Asked is the gradient
            alone.
        X.T @ error / len(t) => error[0] * X[0] | That is the first sample alone. Take the mean over all.
        X.T @ error / len(t) => X.T @ np.sign(error) / len(t) | That is the gradient of absolute errors. Squares have
            the error itself, not its sign.
        """,
    right="Right. Each entry is the mean of error times input.",
    explanation="(4.5) divided by N. The transpose collects, for each weight, what all samples say about it.",
)  # fmt: skip


def slope_error(x, t):
    dx, dt = x - x.mean(), t - t.mean()
    w1 = np.sum(dx * dt) / np.sum(dx**2)
    rss = np.sum((dt - w1 * dx) ** 2)
    return np.sqrt(rss / (len(x) - 2) / np.sum(dx**2))


task("4.3", "The standard error of a slope", slope_error, what="The standard error",
    cases=lambda: [FIVE, problem(6, 9), problem(7, 12), problem(8, 7)],
    start="Which residuals does the noise come from?",
    hints=[
        "σ̂² is the residual sum of squares divided by the degrees of freedom of the residuals.",
        "A line has M = 2 weights, so divide by len(x) - 2.",
        "The standard error is the root of σ̂² divided by the sum of the squared deviations of x.",
    ],
    slips="""
        (len(x) - 2) => len(x) | You divided RSS by N. The residuals have N - 2 degrees of freedom.
        (len(x) - 2) => (len(x) - 1) | You divided RSS by N - 1. A line has two weights, so N - 2 degrees of freedom
            remain.
        / np.sum(dx**2)) => * (1 / len(x) + x.mean() ** 2 / np.sum(dx**2))) | This is the standard error of the
            intercept; that of the slope is wanted.
        rss / (len(x) - 2) => rss | You did not divide RSS by its degrees of freedom, N - 2.
        (len(x) - 2) => 3 | You divided RSS by 3, which is right for five points. Divide by N - 2, whatever N is.
        / np.sum(dx**2)) => / len(x)) | σ̂/√N would be the standard error of a mean. For a slope divide σ̂ by the root
            of Σ(x - mean)².
        dx, dt = x - x.mean() => x, t = t, x; dx, dt = x - x.mean() | x and t are exchanged: this is for the line that
            predicts x from t.
        return np.sqrt => return w1 / np.sqrt | This is the t statistic; its denominator is wanted.
        rss = np.sum((dt - w1 * dx) ** 2) => rss = np.sum(dt**2) | You used the spread of t itself. σ̂ comes from the
            residuals, t minus the fitted line.
        rss / (len(x) - 2) => np.var(t) | You used the spread of t itself. σ̂ comes from the residuals, t minus the
            fitted line.
        rss / (len(x) - 2) => np.var(t, ddof=1) | You used the spread of t itself. σ̂ comes from the residuals, t minus
            the fitted line.
        rss = np.sum((dt - w1 * dx) ** 2) => rss = np.sum((t - w1 * x) ** 2) | The intercept is missing in your
            residuals: t - w0 - w1 x.
        np.sqrt(rss / (len(x) - 2) / np.sum(dx**2)) => rss / (len(x) - 2) / np.sum(dx**2) | This is the variance of the
            slope; the standard error is its root.
        (len(x) - 2) / np.sum(dx**2) => (len(x) - 2) | This is σ̂, the noise. Divide it by the root of Σ(x - mean)².
        (len(x) - 2) / np.sum(dx**2)) => (len(x) - 2)) / np.sum(dx**2) | Divide σ̂ by the square root of Σ(x - mean)²,
            not by the sum.
        (len(x) - 2) / np.sum(dx**2) => (len(x) - 2) / np.sum(x**2) | You summed the squares of x; take its deviations
            from the mean.
        (len(x) - 2) / np.sum(dx**2) => (len(x) - 2) / np.mean(dx**2) | You used the mean of the squared deviations of
            x; (4.15) has their sum.
        w1 = => dx, dt = x, t; w1 = ;; len(x) - 2 => len(x) - 1 | That is a line through the origin. Take deviations
            from the means, and len(x) - 2.
        """,
    right="Right. Divide the slope by it and you have the t statistic of (4.16).",
    explanation="The second diagonal entry of (XᵀX)⁻¹ is 1 / Σ(x - mean)², so (4.15) becomes σ̂² / Σ(x - mean)².",
)  # fmt: skip


task("4.4", "Adjust it",
    start="How many weights does the model have?",
    hints=[
        "RSS/TSS is 1 - 0.50. Replace both sums by variances: RSS/(N - M) and TSS/(N - 1).",
        "M = 5: four inputs and the intercept. So N - M = 15 and N - 1 = 19.",
        "The answer is 1 - 0.50 × 19/15.",
    ],
    adjusted=number("The adjusted R²", "1 - (1 - 0.5) * (20 - 1) / (20 - 5)", rtol=2e-3, slips="""
        1 - 0.5 * 19 / 14 | You subtracted the intercept twice: M = 5 already counts it, so N - M = 15.
        1 - 0.5 * 19 / 16 | You forgot the intercept: four inputs and an intercept make M = 5.
        1 - 0.5 * 20 / 15 | TSS has N - 1 = 19 degrees of freedom: the mean was estimated.
        1 - 0.5 * 15 / 19 | The fraction is upside down: RSS is divided by the smaller number, N - M.
        0.5 * 19 / 15     | This is the adjusted share that is left over; subtract it from 1.
        0.5               | This is R² itself, not adjusted.
        4 / 19            | At this R² the adjusted value is zero. Asked is the adjusted value where R² is 0.50.
        0.211             | At this R² the adjusted value is zero. Asked is the adjusted value where R² is 0.50.
        0.21              | At this R² the adjusted value is zero. Asked is the adjusted value where R² is 0.50.
        0.449             | This is the R² that passes the F-test at 5 %. Asked is the adjusted R².
        0.45              | This is the R² that passes the F-test at 5 %. Asked is the adjusted R².
        0.37              | Right to two digits; give three.
        0.5 * 15 / 19 | The ratio multiplies 1 - R², and then it is subtracted from 1.
        0.375 | The intercept is one of the M = 5 parameters, and 19 stands above: (N - 1)/(N - M).
        0.05 | R² is a square already: do not square it again.
        0.25 | The correction is not M/N: it multiplies 1 - R² by (N - 1)/(N - M).
        1 - 0.5 * 18 / 15 | TSS has N - 1 = 19 degrees of freedom: one mean was estimated.
        0.5 - 4 / 19      | Nothing is subtracted from R²: 1 - R² is multiplied by (N - 1)/(N - M).
        0.5 - 5 / 19      | Nothing is subtracted from R²: 1 - R² is multiplied by (N - 1)/(N - M).
        """),
    right="Right: 0.367. R² has to exceed 4/19 = 0.21 before the adjusted value is positive, and 0.449 before the "
    "F-test rejects at 5 %: F(4, 15) = 3.06.",
    explanation="1 - 0.50 × 19/15 = 0.367. It is zero when R² = 1 - 15/19 = 4/19 = 0.21: four useless inputs reach "
    "that much on average. To pass the F-test at 5 % it must exceed 0.449: then F = (R²/4) / ((1 - R²)/15) is 3.06.",
)  # fmt: skip


def leave_one_out(X, t):
    Q, R = np.linalg.qr(X)
    residual = t - Q @ (Q.T @ t)
    leverage = np.sum(Q**2, axis=1)  # diagonal of P = QQ'
    return np.mean((residual / (1 - leverage)) ** 2)


def left_out_cases():
    X, t = matrix(12, 11, 3)
    five = np.column_stack([np.ones(5), FIVE[0]]), FIVE[1]
    return [five, matrix(9, 11, 1), matrix(10, 9, 3), matrix(11, 8, 2), (X[:, 1:], t)]  # the last without ones


task("4.5", "Leave one out, without refitting", leave_one_out, cases=left_out_cases, what="The leave-one-out error",
    start="What does the miss of a left-out sample need from the one fit?",
    hints=[
        "With X = QR the hat matrix is P = QQᵀ, so the fit is Q @ (Q.T @ t).",
        "The diagonal of QQᵀ is the sum of the squares in each row of Q: np.sum(Q**2, axis=1).",
        "Return np.mean((residual / (1 - leverage)) ** 2).",
    ],
    slips="""
        (residual / (1 - leverage)) ** 2 => residual**2 | This is the training error. Divide each residual by 1 -
            leverage first.
        (residual / (1 - leverage)) ** 2 => residual**2 / (1 - leverage) | Square the whole miss r/(1 - h); you squared
            the residual only.
        np.mean => np.sum                       | This is the sum of the squared misses; take their mean.
        ** 2) => ** 2) * len(t) / (len(t) - 1)  | You divided by N - 1; the mean over all N samples is wanted.
        qr(X) => qr(X[:, 1:])                   | You left out the first column of X: use the design matrix as it is.
        return np.mean((residual / (1 - leverage)) ** 2) => return np.sqrt(np.mean((residual / (1 - leverage)) ** 2)) |
            This is the root of the error; the mean of the squares is wanted.
        (1 - leverage) => leverage | You divided by the leverage. A point with little leverage must keep its residual:
            use 1 - h.
        qr(X) => qr(X if (X[:, 0] == 1).all() else np.column_stack([np.ones(len(t)), X])) | You added a column of ones.
            X is a design matrix already: use it as it is.
        (1 - leverage) => (1 - leverage.mean()) | This is the generalised form (GCV), with the mean leverage M/N for
            all; each sample has its own.
        np.mean((residual / (1 - leverage)) ** 2) => np.var(residual / (1 - leverage)) | np.var subtracts the mean of
            the misses; take the mean of their squares.
        (residual / (1 - leverage)) ** 2 => residual / (1 - leverage) | You averaged the misses without squaring them.
        (residual / (1 - leverage)) ** 2 => np.abs(residual / (1 - leverage)) | You averaged the sizes of the misses;
            square them first.
        (1 - leverage) => (1 + leverage)        | Mind the sign: a left-out point is missed by more, r/(1 - h).
        / (1 - leverage) => * (1 + leverage)    | Mind the sign: a left-out point is missed by more, r/(1 - h).
        / (1 - leverage) => * (1 - leverage)    | You multiplied by 1 - h. A left-out point is missed by more: divide.
        np.sum(Q**2, axis=1) => np.sqrt(np.sum(Q**2, axis=1)) | The leverage is the sum of the squares in a row of Q,
            without a root.
        np.sum(Q**2, axis=1) => 1 / len(t) + np.sum(Q**2, axis=1) | X is a design matrix already: the diagonal of P is
            the whole leverage, without a further 1/N.
        np.mean((residual / (1 - leverage)) ** 2) => np.sum(residual**2) / (len(t) - X.shape[1]) | That is the estimate
            of the noise variance. Divide each residual by its own 1 - h.
        (1 - leverage)) => (1 - 1 / len(t))) | Each point has a leverage of its own, the diagonal of P; it is not 1/N.
        np.mean((residual / (1 - leverage)) ** 2) => np.mean(residual / (1 - leverage)) ** 2 | Square each miss first,
            then take the mean.
        """,
    right="Right. One fit is enough; if yours loops over the samples, compare it with the solution.",
    explanation="Why r/(1-h): replace t_n by the prediction of the fit without sample n. That sample then costs "
    "nothing, so this fit is also the full fit of the changed targets. Prediction n of a fit changes by h_n times the "
    "change of t_n, so the miss m satisfies m = r + h m.",
)  # fmt: skip

"""Tasks of chapter 06: ridge, shrinkage, bias, lasso, leave-one-out, a posterior, units; paths, gap and GCV."""

import numpy as np

from mlteach.exercises.slips import wrong_values
from mlteach.exercises.tasks import number, spelt, task
from mlteach.regularization import ElasticNet, Lasso, Ridge, regularization_path


def problem(seed, n=12, p=3):
    """Return inputs (n, p) far from centred, of different spreads, and targets (n,) with a large mean."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) * np.arange(1, p + 1) + np.arange(p) - 2.0
    return X, 7 + X @ rng.normal(size=p) + rng.normal(size=n)


def centred_problem(seed, n=12, p=4):
    """Return centred inputs and targets whose lasso has zeros, weights to start from, and a penalty."""
    X, t = problem(seed, n, p)
    A, t = X - X.mean(axis=0), t - t.mean()
    w = np.random.default_rng(seed + 70).normal(size=p)
    w[1] = 0.0
    return A, t, w, 0.3 * np.abs(A.T @ t).max()


task("6.a", "Ridge by hand",
    start="What are the means of x and t?",
    hints=[
        "The means are 3 and 4. Subtract them: x̃ = -2, -1, 3 and t̃ = -3, 1, 2.",
        "Σx̃² = 14 and Σx̃t̃ = 6 - 1 + 6 = 11. The derivative of the cost is (14 + λ)w - 11.",
        "The intercept puts the line through the mean point (3, 4): b = 4 - 3w.",
    ],
    slope=number("The slope", "(-2 * -3 + -1 * 1 + 3 * 2) / (2**2 + 1**2 + 3**2 + 8)", to=0.004, slips="""
        11 / 14   | The slope is that of least squares: λ must stand beside the 14 of Σx̃².
        47 / 49   | The slope comes from x and t themselves. Subtract the means first: Σx̃² is 14, Σx̃t̃ is 11.
        11 / 30   | You added 2λ. The 2 of the derivative and the half in the price cancel: add λ.
        11 / 18   | You added λ/2. The 2 of the derivative and the half in the price cancel: add λ.
        11 / 38   | You added Nλ. The misfit is a sum here, not a mean: add λ.
        11 / 78   | You added λ². The derivative of the price is λw: add λ.
        409 / 458 | You charged the intercept as well. It goes free: subtract the means, and charge for the slope alone.
        47 / 57   | λ is in its place, but subtract the means first: Σx̃² is 14, Σx̃t̃ is 11.
        33 / 50   | You added λ/N. The misfit is a sum here, not a mean: add λ.
        0.9       | That is the slope of the five points above; the three points here have Σx̃² = 14.
        2         | The slope is upside down: Σx̃t̃ goes above, Σx̃² + λ below.
        11 / 6    | You subtracted λ. The derivative of the price is +λw: add λ.
        3 / 14 | You subtracted λ above, as the lasso does. Ridge adds it below.
        """),
    intercept=number("The intercept", "4 - 0.5 * 3", to=0.004, slips="""
        1.0 | The slope is right. In b = t̄ - w x̄ the two means are exchanged: t̄ is 4, x̄ is 3.
        4.0 | The slope is right. The intercept is the value at x = 0, not the mean of t: b = t̄ - w x̄.
        5.5 | The slope is right. The intercept is t̄ - w x̄: subtract.
        3.5 | The slope is right. In b = t̄ - w x̄ the slope multiplies the mean of x, which is 3.
        0.0 | The slope is right. The line passes through the mean point (3, 4), not through the origin.
        4 - 3 * 11 / 14 | That goes with the slope of least squares. Take the shrunken one.
        """),
    right="Right: 11/22, through the mean point (3, 4).",
    explanation="w = 11/(14 + 8) = 0.5, and by (6.3) b = 4 - 0.5 · 3 = 2.5.",
)  # fmt: skip

task("6.b", "Degrees of freedom, on paper",
    start="What is left of each of the three axes?",
    hints=[
        "Each singular value d contributes d²/(d² + λ).",
        "Square the singular values first: 36, 4 and 1.",
        "With λ = 4 the shrinkage factors are 36/40, 4/8 and 1/5.",
        "0.9 + 0.5 + 0.2.",
    ],
    dof=number("The number of degrees of freedom", "36 / (36 + 4) + 4 / (4 + 4) + 1 / (1 + 4)", to=0.005, slips="""
        6 / 10 + 2 / 6 + 1 / 5    | Square the singular values: d²/(d² + λ).
        6 / 40 + 2 / 8 + 1 / 5    | That is d/(d² + λ), which belongs to the weights; the fit has d²/(d² + λ).
        1 / 40 + 1 / 8 + 1 / 5    | Above stands d², not 1: d²/(d² + λ).
        3                         | Three is the count at λ = 0. The penalty takes part of each direction away.
        1.4                       | These are the shares that the penalty takes away, λ/(d² + λ); add what is left.
        36 / 52 + 4 / 20 + 1 / 17 | You squared λ: only d is squared in (6.11).
        36 / 44 + 4 / 12 + 1 / 9  | Your λ is doubled: d²/(d² + λ).
        36 / 38 + 4 / 6 + 1 / 3   | Your λ is halved, or its root is taken: d²/(d² + λ).
        0.81 + 0.25 + 0.04        | You squared the factors; (6.11) adds them as they are.
        1.6 / 3                   | Add the three factors; do not average them.
        0.9 * 0.5 * 0.2           | Add the three factors; do not multiply them.
        41 / 45                   | Each direction has its own factor; form the three of them and then add.
        2.6                       | That includes the free intercept; (6.11) leaves it out.
        41                        | These are the squares themselves; each is divided by itself plus λ.
        9                         | These are the singular values themselves; add d²/(d² + λ).
        2 | You counted the directions with d² ≥ λ. Each counts by its share d²/(d² + λ).
        """),
    right="Right: 0.9 + 0.5 + 0.2.",
    explanation="0.9 + 0.5 + 0.2: wide directions are nearly free, the middle one counts half, the narrow one a fifth.",
)  # fmt: skip

task("6.c", "The best penalty for one axis",
    start="How large is the noise against the signal?",
    hints=[
        "The error falls until λ = σ²/a². The noise variance σ² is 18; it need not be squared again.",
        "λ = 18/9 = 2. Now insert it: (λ²a² + σ²d²)/(d² + λ)².",
        "(4 · 9 + 18 · 16)/18².",
    ],
    lam=number("The best λ", "18 / 3**2", to=0.005, slips="""
        0.5         | λ is upside down: noise over signal, σ²/a².
        6           | Square a: the best λ is σ²/a².
        18**2 / 9   | 18 is the variance σ² already; do not square it.
        18**0.5 / 3 | That is σ/a; the best λ is σ²/a².
        18 / 16     | You divided by d², which gives the error of least squares. The best λ is σ²/a².
        18 / 4      | You divided by d. The best λ is σ²/a²; the spread d does not matter for it.
        18          | That is the noise; divide it by the signal, a².
        32          | The spread d does not matter for the best λ: σ²/a².
        9 * 18      | Noise over signal: divide σ² by a², do not multiply.
        0 | Some shrinking always helps: at λ = 0 the variance falls faster than the bias² grows.
        """),
    error=number("The least error", "(2**2 * 3**2 + 18 * 4**2) / (4**2 + 2) ** 2", to=0.005, slips="""
        18 / 16               | λ is right. The error is that of least squares, λ = 0; insert λ = 2 into (6.12).
        36 / 324              | λ is right. The error is the squared bias alone; add the variance.
        288 / 324             | λ is right. The error is the variance alone; add the squared bias.
        36 / 18 + 288 / 18    | λ is right. In (6.12) the denominator is squared: (d² + λ)².
        (4 * 9 + 18 * 4) / 36 | λ is right. In (6.12) d is squared in both places: d² = 16.
        324 / 36              | λ is right. In the denominator d is squared as well: (d² + λ)² = 18².
        108 / 324             | λ is right. The variance has d² = 16 above, not d.
        36 / 324 + 288 / 18   | λ is right. Both denominators are squared: (d² + λ)².
        36 / 18 + 288 / 324   | λ is right. Both denominators are squared: (d² + λ)².
        (2 * 9 + 288) / 324   | λ is right. In the squared bias λ is squared as well: λ²a².
        (4 * 3 + 288) / 324   | λ is right. In the squared bias a is squared as well: λ²a².
        1 / 3 + 288 / 324 | The bias was not squared.
        16 | That is the error of the fitted value, d² times as large. Asked is that of the weight.
        """),
    right="Right. Least squares has 1.125: a bias pays here, if only a little.",
    explanation="λ = 18/9 = 2. The error is (36 + 288)/324 = 1, against 18/16 = 1.125 of least squares.",
)  # fmt: skip

task("6.d", "A lasso by hand",
    start="What is the residual at w = 0, and how strongly does it pull at each column?",
    hints=[
        "They are 5 and 4. By (6.24) both weights are zero from the larger of them on.",
        "At λ = 4, start with the first weight: S(5, 4)/2. Then the second, with the residual that is left.",
        "After w₁ = 0.5 the residual is (2.5, 1.5, 1), and its inner product with (1, 0, 1) is 3.5: below λ.",
    ],
    lam_max=number("λmax", "max(3 + 2, 3 + 1)", to=0.005, slips="""
        4       | Take the larger of the two inner products: below 5 the first weight is not zero.
        9       | Take the largest inner product, not their sum.
        2.5     | Do not divide by the squared length: the threshold is compared with x·r itself.
        41**0.5 | Take the largest inner product, not the length of their vector.
        10      | With the half in the cost λmax is the inner product itself, not twice it.
        3       | That is the largest target. Take the inner products of t with the two columns.
        5 / 2**0.5 | Do not divide by the length of the column: the threshold is compared with x·r itself.
        1 | You centred columns and targets. There is no intercept here.
        5 / 3 | You divided by N. The cost of (6.9) is a sum.
        """),
    weights=number("The pair of weights", "[(3 + 2 - 4) / 2, 0]", to=0.005, names="w₁, w₂", slips="""
        (26 / 35, 19 / 35) | Those are weights of ridge regression. The lasso sets one to zero.
        (4 / 3, 1 / 3) | The threshold is λ here, not λ/2.
        (0.5**0.5, 0) | You divided by the length of the column. Divide by its square, 2.
        (1.0, ...)     | w₁ is not divided by the squared length of its column, 2.
        (2 / 3, -1 / 3) | That solves (6.23) as if both weights were positive; w₂ came out negative, so it is 0.
        (0.5, -0.5)    | 3.5 lies below λ = 4, so the soft threshold makes w₂ zero, not negative.
        (0.5, 0.25)    | The sign is lost: 3.5 lies below λ = 4, so the soft threshold makes w₂ zero.
        (5 / 3, 2 / 3) | That is the solution for λ = 1; here λ is 4.
        (2, 1)         | That is least squares; the threshold takes λ = 4 off each inner product.
        (2, 0.5)       | That is the first sweep for λ = 1; here λ is 4.
        (0.5, -0.25)   | |3.5| lies below λ = 4, so the soft threshold makes w₂ zero, not negative.
        (0.5, 1.75)    | w₂ is thresholded as well: S(3.5, 4) = 0.
        (2.5, ...)     | The threshold is missing: S(5, 4) = 1, and then divide by 2.
        (0, 0)         | λ = 4 lies below λmax = 5, so the first weight is not zero.
        (0, 0.5)       | The columns are exchanged: the first has the larger inner product, 5.
        """),
    right="Right. The second column must wait until λ is small enough.",
    explanation="λmax = max(5, 4) = 5. At λ = 4: w₁ = (5 - 4)/2 = 0.5; then |3.5| ≤ 4, so w₂ = 0, and (6.23) holds.",
)  # fmt: skip


def either_sign(table):
    known = wrong_values(table, globals())
    return known + [(-wrong, f"{words} The sign is wrong, too: target minus prediction.") for wrong, words in known]


task("6.e", "Leave one out, without refitting",
    start="How far is the last point from the fitted line, and how large is its leverage?",
    hints=[
        "The fitted line gives 4 + 0.6 · (5 - 3) = 5.2 at x = 5, so the residual is 6 - 5.2 = 0.8.",
        "The leverage is h = 1/N + x̃²/(Σx̃² + λ), with N = 5, x̃ = 2, Σx̃² = 10 and λ = 5.",
        "h = 1/5 + 4/15 = 7/15. Divide 0.8 by 8/15.",
    ],
    miss=number("The miss", "(6 - (4 + 0.6 * (5 - 3))) / (1 - (1 / 5 + 2**2 / (10 + 5)))", to=0.006, slips=[
        (-1.5, "The size is right. Target minus prediction: the prediction lies below the target."),
        (2.25, "This is the squared miss; the miss itself is wanted."),
        (4.5, "This is the prediction without the point; target minus prediction is wanted."),
        *either_sign("""
        0.8                | This is the residual of the full fit; divide it by 1 - h.
        0.8 / 0.8          | The leverage has two parts; the slope's, x̃²/(Σx̃² + λ), is missing.
        0.8 * 15 / 11      | The leverage has two parts; the intercept's, 1/N, is missing.
        0.8 / 0.4          | λ is missing in the leverage: x̃²/(Σx̃² + λ).
        0.8 / 0.6          | The leverage is 1/N + x̃²/(Σx̃² + λ): both the intercept's 1/N and λ are missing.
        0.8 * 15 / 7       | Divide by 1 - h = 8/15; yours is h.
        0.8 * 8 / 15       | Divide by 1 - h, do not multiply.
        5.2                | This is the prediction of the full fit at x = 5; it has seen the point.
        0.8 * 7 / 15       | Divide by 1 - h; do not multiply by h.
        0.8 * (15 / 8) ** 2 | Divide by 1 - h once; the square belongs to the squared error.
        0.2 / 0.4          | That is least squares, slope 0.9. Here λ = 5: slope 0.6, and λ stands in the leverage.
        1.1 / 0.6          | That is λ = 10; here λ = 5 and the slope 0.6.
        0.8 / (0.8 - 25 / 60) | Measure x from its mean, in both sums of the leverage: x̃ = 5 - 3 = 2.
        0.8 / (0.8 - 5 / 3) | Measure x from its mean: x̃ = 5 - 3 = 2 in the leverage.
        0.8 / (0.8 - 2 / 15) | Each point has its own leverage, with x̃ squared: 4/(Σx̃² + λ).
        """)]),
    right="Right. The four other points alone give the slope 0.4, and 4.5 at x = 5.",
    explanation="0.8/(1 - 7/15) = 1.5. Fit the four other points and you get the same: slope 0.4, 4.5 at x = 5.",
)  # fmt: skip

task("6.f", "A posterior by hand",
    start="What does the prior bring to the sum of precisions, and what each measurement?",
    hints=[
        "Precisions add: that of the prior is 1/4, each measurement adds 1.",
        "The posterior precision is 1/4 + 3 = 3.25; the posterior variance is its inverse.",
        "The mean is (sum of the measurements / noise variance) / precision = 9 / 3.25.",
        "A prediction has the noise on top: variance 1 + 1/3.25.",
    ],
    mean=number("The posterior mean", "(2 + 3 + 4) / (1 / 4 + 3)", to=0.0015, slips="""
        3                | The mean ignores the prior: its precision 1/4 is to be added to the 3 of the data.
        9 / 7            | You used 4 as the precision of the prior; 4 is its variance, the precision is 1/4.
        9 / 3.5          | You used 1/2, one over the standard deviation; a precision is one over the variance, 1/4.
        9 / (3 + 1 / 16) | You used 1/16. In N(0, 4) the 4 is the variance, not the standard deviation.
        3 / 3.25         | All three measurements vote: their sum is 9.
        9 / 4            | The prior counts like a quarter of a measurement, not like a whole one: precision 1/4.
        9 * 3.25         | Divide the votes by the precision, do not multiply.
        9 / 3.75         | The precision is 1/4 + 3: the prior counts once, and each measurement adds 1.
        """),
    variance=number("The predictive variance", "1 + 1 / (1 / 4 + 3)", to=0.0015, slips="""
        1 / 3.25              | The mean is right. The variance is that of w alone; a measurement has noise on top.
        (1 + 1 / 3.25) ** 0.5 | The mean is right. The second number is the standard deviation, not its square.
        4.25                  | The mean is right. For the variance, invert the precision 3.25 before adding the noise.
        1 + 1 / 3             | The mean is right. The variance ignores the prior: the precision is 3.25.
        1 + 1 / 4.25          | The mean is right. The fourth measurement is not in yet: the precision is 3.25.
        3.25                  | The mean is right. 3.25 is the precision; invert it, and add the noise.
        5 | The mean is right. With three measurements in, the variance of w is 1/3.25, not the prior's 4.
        1 + 1 / 3.25**2       | The mean is right. The variance of w is 1/3.25; do not square it again.
        1 + 1 / 3.25**0.5     | The mean is right. Variances add, not standard deviations: 1 + 1/3.25.
        1 | The mean is right. The variance is that of the noise alone; add our ignorance of w, 1/3.25.
        1 - 1 / 3.25          | The mean is right. Variances of independent terms add.
        1 + 3 / 3.25 | The doubt about w is one over the posterior precision, once, not once for each sample.
        2 | The mean is right. The doubt about w is 1/3.25, less than the noise of one measurement.
        """),
    right="Right. The prior counts like a quarter of a measurement with the value 0.",
    explanation="m = 9/3.25 = 2.769, the mean 3 of the data pulled towards 0; variance 1 + 1/3.25 = 1.308.",
)  # fmt: skip

task("6.g", "A change of units",
    start="What becomes of the weight when all its inputs are a thousand times as large?",
    hints=[
        "The predictions stay if the weight is divided by 1000.",
        "Then w² is a millionth of what it was, and |w| a thousandth. Which λ keeps the price the same?",
    ],
    slips="(1000, 1000000) | Both numbers are right, in the wrong order: ridge first.",
    ridge_factor=number("The factor for ridge", 1_000_000, rtol=1e-6, slips="""
        1e3  | The weight is a thousandth, and ridge charges for its square.
        1e-6 | Upside down: the weights become smaller, so their price must grow.
        1e-3 | The weights become smaller, so their price must grow; and ridge charges for the square.
        1    | With the same λ the smaller weight costs almost nothing: ridge would hardly shrink it.
        2e3  | The weight is a thousandth; its square is a millionth, not half a thousandth.
        1e9  | The weight is a thousandth, and the price has its square, not its cube.
        1e4  | A metre has 1000 millimetres, and ridge charges for the square: 1000².
        """),
    lasso_factor=number("The factor for the lasso", 1000, rtol=1e-6, slips="""
        1e6  | Ridge is right. The lasso charges for |w|, not for its square.
        1e-3 | Ridge is right. For the lasso it is upside down: the weight becomes smaller.
        1    | Ridge is right. The lasso's price depends on the units as well.
        1000**0.5 | Ridge is right. The lasso charges for |w|, not for its root.
        """),
    right="Right. That is why features are standardised before a penalty is set.",
    explanation="The weight is divided by 1000. The price stays if λ is multiplied by 1000² for w², by 1000 for |w|.",
)  # fmt: skip


def ridge_weights(X, t, lams):
    A, y = X - X.mean(axis=0), t - t.mean()
    U, d, Vt = np.linalg.svd(A, full_matrices=False)
    lams = np.asarray(lams)[:, None]
    return (d / (d**2 + lams) * (U.T @ y)) @ Vt


def ridge_cases():
    return [
        (*problem(1), np.array([2.5, 0.4, 30.0, 7.0])),  # m ≠ p, so that shapes cannot agree by chance
        (*problem(2, p=2), np.array([0.7, 5.0])),
        (*problem(3, n=9, p=4), np.array([11.0])),
    ]


task("6.1", "All penalties from one factorisation", ridge_weights, cases=ridge_cases, what="The matrix of weights",
    start="What has to happen to the intercept before (6.9) applies?",
    hints=[
        "Centre X (to A) and t: that removes the intercept.",
        "U, d, Vt = np.linalg.svd(A, full_matrices=False) gives all that (6.9) needs. The rows of Vt are the v_j.",
        "One penalty: w = Vt.T @ (d / (d**2 + lam) * (U.T @ t)).",
        "All of them: give lams the shape (m, 1), so that d / (d**2 + lams) has the shape (m, p); then (...) @ Vt.",
    ],
    slips="""
        X - X.mean(axis=0), t - t.mean() => X, t | There is no intercept in your model: centre X and t first.
        X - X.mean(axis=0), t - t.mean() => np.column_stack([np.ones(len(t)), X]), t ;; @ Vt => @ Vt[:, 1:] | You
            penalised the intercept too. Centre X and t, and leave out the column of ones.
        X - X.mean(axis=0) => X                      | You centred t alone; centre the columns of X, too.
        X - X.mean(axis=0) => X - X.mean()           | Each column has its own mean: X.mean(axis=0).
        X - X.mean(axis=0) => (X - X.mean(axis=0)) / X.std(axis=0) | You standardised X. That is wise in practice, but
            here the weights of X itself are wanted.
        np.asarray(lams) => 2 * np.asarray(lams)     | Your λ is doubled. Both halves in the cost cancel the 2.
        np.asarray(lams) => 0.5 * np.asarray(lams)   | Your λ is halved. Both halves in the cost cancel the 2.
        np.asarray(lams) => np.square(lams)          | You squared λ: in (6.9) only d is squared.
        np.asarray(lams) => np.asarray(lams * len(t)) | Your λ is N times too large: the misfit is a sum.
        np.asarray(lams) => np.asarray(lams / len(t)) | Your λ is N times too small: the misfit is a sum.
        np.asarray(lams) => np.asarray(0 * lams)     | This is least squares: λ has no effect.
        d / (d**2 + lams) => d**2 / (d**2 + lams) | You have the shrinkage factors f alone; (6.9) divides by d, too.
        @ Vt => @ Vt.T                     | numpy's third result is Vᵀ: its rows are the v_j. You used its columns.
        d / (d**2 + lams) => d / (d + lams)          | Square the d below: d/(d² + λ).
        np.asarray(lams) => np.sqrt(lams)            | You took the root of λ; (6.9) has λ itself.
        np.asarray(lams) => np.sort(lams) | The rows stand in the order of growing λ; keep the order of lams.
        d / (d**2 + lams) => 1 / (d + lams)          | Square the singular values in (6.9): d/(d² + λ).
        d / (d**2 + lams) => 1 / (d**2 + lams)       | The factor on u·t is d/(d² + λ): a d is missing above.
        return (d / (d**2 + lams) * (U.T @ y)) @ Vt => return ((d / (d**2 + lams) * (U.T @ y)) @ Vt).T | Rows and
            columns are exchanged: one row for each λ.
        return (d => W = (d ;; @ Vt => @ Vt; return np.column_stack([t.mean() - W @ X.mean(axis=0), W]) | The weights
            without the intercepts are wanted; your first column holds them.
        d / (d**2 + lams) => d**3 / (d**2 + lams) ** 2 | You shrink twice: the factor d²/(d² + λ) acts once.
        """,
    right="The weights are right. From one SVD each further λ costs next to nothing: so the package draws a path.",
    explanation="The factorisation is paid once; each further λ costs p numbers and one small product.",
)  # fmt: skip


def sweep(w, A, t, lam, rho):
    w = np.array(w, dtype=float)
    for j, x in enumerate(A.T):
        r = t - A @ w + w[j] * x
        z = x @ r
        w[j] = np.sign(z) * max(abs(z) - lam * rho, 0) / (x @ x + lam * (1 - rho))
    return w


def sweep_cases():
    cases = [(np.array([1.0, -1]), np.array([[1.0, 1], [1, 0], [0, 1]]), np.array([3.0, 2, 1]), 1.0, 0.75)]
    for seed, p, rho in ((4, 4, 0.3), (5, 3, 0.6), (6, 5, 1.0), (13, 4, 0.0)):  # lasso and ridge among them
        A, t, w, lam = centred_problem(seed, p=p)
        cases.append((w, A, t, 0.9 * lam, rho))
    return cases


def sweeps(n):
    def several(w, *rest):
        for _ in range(n):
            w = sweep(w, *rest)
        return w

    return several


task("6.2", "One sweep of the elastic net", sweep, cases=sweep_cases, what="The vector of weights after one sweep",
    start="What do the other weights leave for column j?",
    hints=[
        "The residual that the others leave is t - A @ w + w[j] * A[:, j]; z is the inner product of column j with it. "
        "Soft-threshold it by lam * rho.",
        "Divide by x @ x + lam * (1 - rho), after the threshold.",
        "Store w[j] at once, so that the next column sees it. Start with w = np.array(w, dtype=float).",
    ],
    slips=["""
        + w[j] * x => | Add the own part back: the residual r_j leaves out column j, w[j] * A[:, j].
        w = np.array(w, dtype=float) => old, w = w, np.array(w, dtype=float) ;; A @ w + w[j] => A @ old + old[j] | All
            updates use the old weights. Store each new weight at once, for the next column.
        abs(z) - lam * rho => abs(z) - lam            | The threshold is λρ, the absolute part of the price only.
        abs(z) - lam * rho => abs(z) - lam * rho / 2  | Your threshold is halved; (6.32) has λρ.
        abs(z) - lam * rho => abs(z) - 2 * lam * rho  | Your threshold is doubled; (6.32) has λρ.
        abs(z) - lam * rho => abs(z) - rho            | The threshold is λρ; λ is missing.
        lam * (1 - rho) => (1 - rho)                  | Below stands λ(1 - ρ); λ is missing.
        abs(z) - lam * rho => abs(z)                  | Nothing is thresholded: this is a sweep of ridge.
        x @ x + lam * (1 - rho) => x @ x              | The square price is missing below: ‖x‖² + λ(1 - ρ).
        lam * (1 - rho) => lam                        | Below stands λ(1 - ρ), the square part of the price only.
        lam * (1 - rho) => lam * rho                  | ρ and 1 - ρ are exchanged below: ‖x‖² + λ(1 - ρ).
        lam * rho => lam * (1 - rho) ;; x @ x + lam * (1 - rho) => x @ x + lam * rho | ρ and 1 - ρ are exchanged: ρ is
            the share of the absolute price.
        / (x @ x + lam * (1 - rho)) =>                | Divide by ‖x‖² + λ(1 - ρ).
        lam * rho, 0) => lam, 0) ;; x @ x + lam * (1 - rho) => x @ x | This is the lasso's sweep (6.25); the elastic net
            has λρ above and λ(1 - ρ) below.
        np.sign(z) * max(abs(z) - lam * rho, 0) => z * (abs(z) > lam * rho) | You keep z untouched above the threshold:
            that is the hard threshold. The soft one takes λρ off.
        np.sign(z) * max => max                       | The sign is lost: S(z, λ) = sign(z) max(|z| - λ, 0).
        np.sign(z) * max(abs(z) - lam * rho, 0) => (z - lam * rho) | The threshold stops at zero, and negative z move
            up: sign(z) max(|z| - λ, 0).
        max(abs(z) - lam * rho, 0) => (abs(z) - lam * rho) | The threshold stops at zero: max(|z| - λρ, 0); without the
            max small z change their sign.
        np.sign(z) * max(abs(z) => max(z              | Negative z have weights, too: sign(z) max(|z| - λρ, 0).
        abs(z) - lam * rho => abs(z) + lam * rho      | The threshold is taken off |z|, not added.
        lam * (1 - rho) => lam * (1 - rho) / 2 | The half of the square price cancels the 2 of the derivative: λ(1 - ρ)
            below, not half of it.
        lam * (1 - rho) => 2 * lam * (1 - rho)        | Below stands λ(1 - ρ), not twice it.
        (x @ x + => ((x @ x) ** 0.5 +                 | Below stands the squared length ‖x‖²; yours is ‖x‖.
        + w[j] * x => - w[j] * x | Add the own part back, do not subtract it again: t - A @ w + w[j] * A[:, j].
        enumerate(A.T) => enumerate(A.T[:0])          | You return the weights that were given: nothing has moved.
        z = x @ r => z = x @ r / (x @ x + lam * (1 - rho)) ;; 0) / (x @ x + lam * (1 - rho)) => 0) | You divided before
            the threshold; then the threshold must be divided as well.
        w = np.array => A, t = A - A.mean(axis=0), t - t.mean(); w = np.array | There is no intercept here: do not
            centre A and t.
        enumerate(A.T) => reversed([*enumerate(A.T)]) | You went through the columns backwards; begin with j = 0.
        np.array(w, dtype=float) => np.zeros(len(w))  | You started from zero; start from the w that is given.
        abs(z) - lam * rho => abs(z) / len(t) - lam * rho ;; (x @ x + => (x @ x / len(t) + | You divide by N, as
            scikit-learn does. Here the loss is a sum.
        """,
        (sweeps(2), "This is the result of two sweeps; one is wanted."),
        (sweeps(300), "You swept until nothing moves; one sweep is wanted."),
    ],
    right="Right. With ρ = 1 it is the lasso's sweep, with ρ = 0 ridge's.",
    explanation="(6.32). Each weight is set to its exact minimum, and the next one already knows it.",
)  # fmt: skip


def mystery_paths(X, t, lams):
    """Return three regularisation paths by letter; which is which is the question."""
    kinds = ElasticNet(l1_ratio=0.5), Ridge(), Lasso()
    return {letter: regularization_path(kind, X, t, lams) for letter, kind in zip("ABC", kinds)}


ZEROS = "some of its curves lie exactly on zero over a range of λ. Ridge only comes near zero."

task("6.3", "Read the paths",
    start="By which features do you know each of the three?",
    hints=[
        "One kind never reaches zero. Of the two others, one keeps the near copies together.",
        "Look at the right end, where λ is large: in which panel do the curves approach zero without ever reaching it?",
        "Look at the solid lines in the two other panels: where do the near copies run together, and where does one of "
        "them stay at zero while the other has all the weight?",
        "Ridge is smooth everywhere (B). The lasso lets one copy wait at zero (C). The elastic net keeps both (A).",
    ],
    panels=spelt("The order", "BCA", "ABC", once=True, slips=f"""
        ABC | Panel A is not ridge: {ZEROS}
        ACB | Panel A is not ridge: {ZEROS}
        CAB | Panel C is not ridge: {ZEROS}
        CBA | Panel C is not ridge: {ZEROS}
        BAC | Ridge is right. Lasso and elastic net are exchanged: which of them keeps near copies together?
        """),
    right="Right. No numbers are needed: zeros tell ridge from the others, and the twins tell those two apart.",
    explanation="Ridge shrinks smoothly; lasso and elastic net have kinks and zeros; only the lasso parts the copies.",
)  # fmt: skip


def gap(w, A, t, lam):
    r = t - A @ w
    gamma = min(1, lam / np.abs(A.T @ r).max())
    nu = gamma * r
    cost = 0.5 * r @ r + lam * np.abs(w).sum()
    return cost - (nu @ t - 0.5 * nu @ nu)


def gap_cases():
    cases = [(np.array([2.0, 0.5]), np.array([[1.0, 1], [1, 0], [0, 1]]), np.array([3.0, 2, 1]), 1.0)]
    for seed in (7, 8, 9):
        A, t, start, lam = centred_problem(seed)
        near = Lasso(lam, intercept=False).fit(A, t).w_
        # A rough start, a place where the residual is allowed as it is (γ = 1), one where nothing is used, a small λ
        small = 0.5 * np.abs(A.T @ (t - A @ start)).min()
        slack = 1.3 * np.abs(A.T @ (t - A @ (0.9 * near))).max()
        cases += [(start, A, t, lam), (0.9 * near, A, t, slack), (np.zeros(4), A, t, lam), (start, A, t, small)]
    return cases


task("6.4", "A certificate", gap, cases=gap_cases, what="The duality gap",
    start="By how much must the residual be shrunk before it may stand in (6.27)?",
    hints=[
        "With r = t - A @ w, shrink the residual until it is allowed: γ = min(1, lam / max|A'r|), ν = γr.",
        "The dual value is D(ν) = ν·t - ½ν·ν; the cost is ½r·r + lam * sum|w|.",
        "Return the cost minus the dual value: one number, never negative.",
    ],
    slips="""
        gamma * r => r           | You used ν = r without shrinking it; it violates |x_j·ν| ≤ λ. Multiply by γ.
        min(1, lam / np.abs(A.T @ r).max()) => lam / np.abs(A.T @ r).max() | γ must not exceed 1: take min(1,
            λ/max|x_j·r|).
        np.abs(A.T @ r).max() => (A.T @ r).max()     | Take the largest absolute value of x_j·r, not the largest.
        lam / np.abs(A.T @ r).max() => np.abs(A.T @ r).max() / lam | γ is upside down: λ/max|x_j·r|.
        - 0.5 * nu @ nu => - nu @ nu                 | In D(ν) the term ν·ν has the factor ½.
        - 0.5 * nu @ nu => + 0.5 * nu @ nu           | In D(ν) the term ½ν·ν is subtracted: D = ν·t - ½ν·ν.
        - 0.5 * nu @ nu =>                           | In D(ν) the term ½ν·ν is missing: D = ν·t - ½ν·ν.
        return cost - (nu @ t - 0.5 * nu @ nu) => return cost | This is the cost alone; subtract the dual value D(ν).
        min(1, => max(1,                             | γ is at most 1: min, not max.
        np.abs(A.T @ r).max() => np.abs(A.T @ r).sum() | γ compares λ with the largest |x_j·r|, not the sum.
        np.abs(A.T @ r).max() => np.linalg.norm(A.T @ r) | γ compares λ with the largest |x_j·r|, not with the length of
            the vector.
        np.abs(A.T @ r).max() => np.abs(A.T @ r).min() | γ compares λ with the largest |x_j·r|, not the least.
        nu @ t - 0.5 => - 0.5                        | D(ν) = ν·t - ½ν·ν: the first term is missing.
        (nu @ t => (0.5 * nu @ t                     | In D(ν) only ν·ν has the factor ½, not ν·t.
        nu @ t => nu @ r                  | In D(ν) ν is multiplied by the targets t, not by the residual.
        np.abs(A.T @ r) => np.abs(A.T @ t)     | γ is formed with the residual, λ/max|x_j·r|; you used the targets.
        r = t - A @ w => r = A @ w - t               | The residual is t - Aw; yours has the other sign.
        lam * np.abs(w) => np.abs(w)                 | The sum of |w_j| is multiplied by λ.
        lam * np.abs(w).sum() => 0.5 * lam * w @ w | The penalty is the sum of absolute values; yours is ridge's.
        return cost - (nu @ t - 0.5 * nu @ nu) => return (cost - (nu @ t - 0.5 * nu @ nu)) / len(t) | You divided by the
            number of samples; the cost is a sum.
        cost = 0.5 * r @ r => cost = r @ r           | The squared error in the cost has the factor ½.
        np.abs(w).sum() => w.sum()                   | The penalty is the sum of absolute values.
        np.abs(w).sum() => w @ w                     | The penalty is the sum of absolute values.
        + lam * np.abs(w).sum() =>                   | The cost lacks its penalty, λ times the sum of |w_j|.
        return cost - => return                      | This is the dual value alone; the gap is the cost minus it.
        """,
    right="Right. A number like this tells when to stop, whatever the method.",
    explanation="(6.28). The gap is zero exactly at the minimum, and bounds the distance from it everywhere else.",
)  # fmt: skip


def gcv(X, t, lam):
    A, y = X - X.mean(axis=0), t - t.mean()
    H = A @ np.linalg.solve(A.T @ A + lam * np.eye(A.shape[1]), A.T)
    r, n = y - H @ y, len(t)
    return np.mean(r**2) / (1 - (1 + np.trace(H)) / n) ** 2


def gcv_cases():
    five = np.arange(1.0, 6)[:, None], np.array([2.0, 3, 5, 4, 6])
    return [(*five, 1.0), (*problem(10), 3.0), (*problem(11, n=9, p=2), 0.5), (*problem(12, n=8, p=5), 2.5)]


task("6.5", "Generalised cross-validation", gcv, cases=gcv_cases, what="The score",
    start="What does (6.34) need besides the residuals?",
    hints=[
        "With A = X - X.mean(axis=0): H = A (A'A + lam I)^-1 A'. The residuals are (t - mean) - H (t - mean).",
        "The degrees of freedom are np.trace(H); the free intercept counts one more.",
        "np.mean(r**2) / (1 - (1 + np.trace(H)) / n) ** 2.",
    ],
    slips="""
        / (1 - (1 + np.trace(H)) / n) ** 2 =>        | This is the training error; divide it by (1 - (1 + dof)/N)².
        (1 + np.trace(H)) => np.trace(H)             | The free intercept counts, too: 1 + dof.
        np.mean(r**2) => np.sum(r**2)    | Above stands the mean of the squared residuals; yours is their sum.
        / n) ** 2 => / n)                            | The denominator is squared in (6.34).
        np.mean(r**2) => np.mean(r**2) ** 0.5 ;; / n) ** 2 => / n) | This is the root of the score; (6.34) has no root.
        np.mean(r**2) / (1 - (1 + np.trace(H)) / n) ** 2 => np.mean((r / (1 - 1 / n - np.diag(H))) ** 2) | This is
            leave-one-out (6.33), with each sample's own leverage; GCV takes the mean of them for all.
        np.trace(H) => X.shape[1] | You counted the weights; the effective degrees of freedom are the trace of H.
        + lam * np.eye => + lam**2 * np.eye          | You squared λ.
        + lam * np.eye => + 2 * lam * np.eye         | Your λ is doubled.
        + lam * np.eye => + lam / 2 * np.eye         | Your λ is halved.
        + lam * np.eye => + lam / len(t) * np.eye    | Your λ is N times too small: the misfit of ridge is a sum.
        + lam * np.eye => + lam * len(t) * np.eye    | Your λ is N times too large: the misfit of ridge is a sum.
        + lam * np.eye => + lam**0.5 * np.eye        | You took the root of λ.
        X - X.mean(axis=0) => (X - X.mean(axis=0)) / X.std(axis=0) | You standardised X; here ridge on X itself is
            scored.
        np.mean(r**2) => np.sum(r**2) / (n - 1)      | The mean of squares is over N, not N - 1.
        (1 - (1 + np.trace(H)) / n) => np.trace(H)   | Divide 1 + dof by N before you take it from 1.
        / (1 - (1 + np.trace(H)) / n) ** 2 => * (1 - (1 + np.trace(H)) / n) ** 2 | Divide by the square of 1 - (1 +
            dof)/N; you multiplied.
        (1 - (1 + => (1 - (1 -                       | The free intercept counts one more: 1 + dof.
        (1 - (1 + => (1 + (1 +                       | The bracket is 1 minus (1 + dof)/N.
        np.trace(H) => sum(d / (d + lam) for d in np.linalg.svd(A, compute_uv=False)) | The degrees of freedom have
            squares: d²/(d² + λ).
        X - X.mean(axis=0) => X ;; (1 + np.trace(H)) => np.trace(H) | You centred t alone; centre the columns of X, too.
        X - X.mean(axis=0) => X                      | You centred t alone; centre the columns of X, too.
        + lam * np.eye => + 1e-12 * np.eye           | λ has no effect in your function.
        X - X.mean(axis=0), t - t.mean() => np.column_stack([np.ones(len(t)), X]), t ;; (1 + np.trace(H)) =>
            np.trace(H) | You penalised the column of ones. Centre X and t, and count 1 + dof.
        X - X.mean(axis=0), t - t.mean() => X, t ;; (1 + np.trace(H)) => np.trace(H) | There is no intercept in your
            model: centre X and t.
        X - X.mean(axis=0), t - t.mean() => X, t     | There is no intercept in your model: centre X and t.
        """,
    right="Right. One fit for each λ, and no fold at all.",
    explanation="Leave-one-out (6.33) with the mean leverage (1 + dof)/N in the place of each sample's own.",
)  # fmt: skip

"""Tasks and exercises of chapter 23: losses of copies, planes, thresholds, divergences, draws, games and attacks."""

import numpy as np

from mlteach.exercises.base import exercise, expect_close, expect_function

# --- Tasks of the core ---------------------------------------------------------------------------------------------

ENTROPY = float(-np.log(0.9) - 2 * np.log(0.8))


@exercise(
    "23.a",
    "Two losses of one copy",
    start="Which entries should be 0, and which 1? Put them into (23.2).",
    hints=["Where x = 1 the term is -ln x~, where x = 0 it is -ln(1 - x~).", "-ln 0.9 - ln 0.8 - ln 0.8."],
    solution=(0.09, ENTROPY),
    explanation="0.01 + 0.04 + 0.04 = 0.09, and -ln 0.9 - ln 0.8 - ln 0.8 = 0.552.",
)
def _(squares, entropy):
    known = [
        (0.045, "(23.2) has no ½ in front of the squares."),
        (0.03, "That is the mean over the entries. (23.2) sums over them."),
        (0.3, "That is the distance. The loss is its square."),
        (0.5, "Those are the errors themselves. Square each."),
        (ENTROPY, "That is the cross-entropy. The squared error comes first."),
    ]
    expect_close(squares, 0.09, "The squared error", known=known, rtol=0, atol=6e-4, reveal=False)
    known = [
        (float(-np.log(0.8)), "The entries that should be 0 count too, with -ln(1 - x~)."),
        (float(-np.log(0.1) - 2 * np.log(0.2)), "x and 1 - x are exchanged: where x = 0 the term is -ln(1 - x~)."),
        (float(-np.log(0.1) - np.log(0.8) - np.log(0.2)), "Where x = 0 the term is -ln(1 - x~), not -ln x~."),
        (ENTROPY / 3, "That is the mean over the entries. (23.2) sums over them."),
        (ENTROPY / np.log(2), "Use the natural logarithm; you used base 2."),
        (ENTROPY / np.log(10), "Use the natural logarithm; you used base 10."),
        (-ENTROPY, "The logarithms are negative; the loss has a minus in front."),
        (0.09, "That is the squared error. The cross-entropy comes second."),
    ]
    expect_close(entropy, ENTROPY, "The cross-entropy", known=known, rtol=0, atol=6e-4, reveal=False)
    return "Right. Both are 0 only for a perfect copy."


@exercise(
    "23.b",
    "The plane and a saddle",
    start="Which eigenvalues does PCA's plane leave out?",
    hints=["(23.5): the loss is the sum of the eigenvalues left out.", "Left out are 2 and 1; at the saddle 4 and 1."],
    solution=(3.0, 5.0),
    explanation="The best plane keeps 7 and 4 and loses 2 + 1 = 3. The plane of the first and third keeps 7 and 2 and "
    "loses 4 + 1 = 5.",
)
def _(least, saddle):
    known = [
        (11.0, "That is what is kept. The loss is what is left out."),
        (1.0, "Two directions are left out, not one."),
        (2.0, "Two directions are left out, not one."),
        (1.5, "That is the mean of the two left out. The loss is their sum."),
        (5.0, "That is the loss of the other plane. The least one comes first."),
        (3 / 14, "That is the share that is lost. Asked is the loss itself."),
        (5.0**0.5, "Eigenvalues are squares already: add them."),
        (14.0, "That is the loss if nothing is kept."),
    ]
    expect_close(least, 3.0, "The least loss", known=known, rtol=0, atol=0.006, reveal=False)
    known = [
        (9.0, "That is what this plane keeps: 7 and 2. The loss is the rest."),
        (4.0, "The fourth direction is lost too."),
        (3.0, "That is the least loss. This plane keeps the third axis in place of the second."),
        (6.0, "This plane loses the second and the fourth: 4 and 1."),
        (2.5, "That is the mean of the two left out. The loss is their sum."),
        (12.0, "This plane keeps the first axis."),
    ]
    expect_close(saddle, 5.0, "The loss of the other plane", known=known, rtol=0, atol=0.006, reveal=False)
    return "Right. A descent may linger at 5, but it does not stay."


DELTA = float(0.4 + np.sqrt(0.02))


@exercise(
    "23.c",
    "A threshold and its promise",
    start="Mean and standard deviation, with n in the divisor.",
    hints=["The squared deviations are 0.04, 0.01, 0, 0.01, 0.04.", "(23.8) with k = 2: 1/(1 + 4)."],
    solution=(DELTA, 0.2),
    explanation="The mean is 0.4, the variance 0.1/5 = 0.02: δ = 0.4 + 0.1414. Cantelli: 1/(1 + 2²) = 0.2.",
)
def _(delta, share):
    known = [
        (float(0.4 + np.sqrt(0.025)), "The standard deviation has n in its divisor here, not n - 1."),
        (0.42, "You added the variance. Add its root."),
        (float(np.sqrt(0.02)), "That is the standard deviation alone. Add it to the mean."),
        (0.4, "That is the mean alone."),
        (float(0.4 + 2 * np.sqrt(0.02)), "That is for k = 2. The threshold asked for has k = 1."),
        (float(0.4 - np.sqrt(0.02)), "Anomalies have large losses: mean plus standard deviation."),
        (0.52, "You added the mean absolute deviation. Add the standard deviation."),
        (0.2, "That is the share. The threshold comes first."),
    ]
    expect_close(delta, DELTA, "The threshold", known=known, rtol=0, atol=6e-3, reveal=False)
    known = [
        (0.25, "That is Chebyshev's 1/k². Cantelli's bound for one side is 1/(1 + k²)."),
        (0.5, "That is for k = 1."),
        (1 / 3, "Square k: 1/(1 + k²)."),
        (0.8, "That is the share below at least. Asked are the false alarms."),
        (0.0228, "That is what a normal law would give. Asked is what holds for any law."),
        (0.023, "That is what a normal law would give. Asked is what holds for any law."),
        (0.05, "That is the rule for a normal law and both sides. Asked is what holds for any law."),
        (20.0, "A share is a number between 0 and 1, not per cent."),
    ]
    expect_close(share, 0.2, "The share", known=known, rtol=0, atol=6e-4, reveal=False)
    return "Right. A promise for every law is weak: for the normal law 2.3 % would do."


KL = float(0.5 * (1 + 0.25 - np.log(0.25) - 1) + 2)


@exercise(
    "23.d",
    "A divergence by hand",
    start="Put each coordinate into (23.12) and add.",
    hints=["σ² = 0.25 and 1; their logarithms are -1.386 and 0.", "½(1 + 0.25 + 1.386 - 1) + ½(4 + 1 - 0 - 1)."],
    solution=(KL, 0.0),
    explanation="½(1 + 0.25 + 1.386 - 1) = 0.818 and ½ · 4 = 2, together 2.818. It is 0 for μ = 0, σ = 1 only.",
)
def _(divergence, least):
    mixed = 0.5 * (1 + 0.5 - np.log(0.5) - 1) + 2
    known = [
        (2 * KL, "The factor ½ is missing."),
        (float(mixed), "The formula has σ², and σ = 0.5 was given: square it."),
        (KL / float(np.log(2)), "Use the natural logarithm throughout: nats, not bits."),
        (KL - 2, "The second coordinate counts too."),
        (2.0, "The first coordinate counts too."),
        (float(0.5 * (1 + 0.25 + np.log(0.25) - 1) + 2), "Minus ln σ²: the logarithm of 0.25 is negative."),
        (float(0.5 * (0.25 - np.log(0.25) - 1)), "The means are missing: μ² in each coordinate."),
        (float(0.5 * (1 + 0.25 - np.log(0.5) - 1) + 2), "ln σ², not ln σ."),
        (float(0.5 * (1 + 0.25 - np.log(0.25)) + 0.5 * 5), "Minus 1 for each coordinate."),
        (float(0.5 * (1 + 0.25 - np.log(0.25) - 1) + 0.5 * (-2 + 1 - 1)), "The mean is squared: (-2)² = 4."),
        (0.0, "That is the least value. The divergence of this law comes first."),
    ]
    expect_close(divergence, KL, "The divergence", known=known, rtol=0, atol=6e-3, reveal=False)
    known = [(1.0, "Put μ = 0, σ = 1 into (23.12)."), (-np.inf, "A divergence is never negative.")]
    expect_close(least, 0.0, "The least value", known=known, rtol=0, atol=1e-6, reveal=False)
    return "Right. Each number that the code says about x has its price in nats."


@exercise(
    "23.e",
    "One draw, two slopes",
    start="What is z, and how does z² change with μ and with σ?",
    hints=["z = 1.5 + 0.8 · (-0.5) = 1.1.", "The chain rule: 2z · dz/dμ and 2z · dz/dσ, with dz/dσ = ε."],
    solution=(2.2, -1.1),
    explanation="z = 1.1. 2z · 1 = 2.2 and 2z · ε = -1.1. Over many ε they average 2μ = 3 and 2σ = 1.6.",
)
def _(in_mean, in_sigma):
    known = [
        (3.0, "That is the slope of the expectation, 2μ. Asked is the slope of this one draw."),
        (1.1, "That is z. The slope of z² is 2z."),
        (1.21, "That is z². Asked is its slope."),
        (3.8, "The sign of ε: z = 1.5 - 0.4."),
        (-1.1, "That is the slope in σ. The one in μ comes first."),
        (1.76, "dz/dμ = 1, not σ."),
    ]
    expect_close(in_mean, 2.2, "The slope in μ", known=known, rtol=0, atol=6e-3, reveal=False)
    known = [
        (1.6, "That is the slope of the expectation, 2σ. Asked is the slope of this one draw."),
        (2.2, "dz/dσ is ε, not 1."),
        (1.1, "ε is negative: so is this slope."),
        (-0.5, "That is dz/dσ. Multiply by 2z."),
        (-0.55, "The slope of z² is 2z, not z."),
        (1.76, "dz/dσ is ε, not σ."),
        (-0.88, "dz/dσ is ε, not σε."),
    ]
    expect_close(in_sigma, -1.1, "The slope in σ", known=known, rtol=0, atol=6e-3, reveal=False)
    return "Right. One draw is noisy, 2.2 for 3 and -1.1 for 1.6, but right on average."


@exercise(
    "23.f",
    "The best expert",
    start="Which share of the points at this place is real?",
    hints=["(23.16): p/(p + q).", "With p = q everywhere D = ½, and V = ln ½ + ln ½."],
    solution=(0.75, float(-np.log(4))),
    explanation="0.3/0.4 = 0.75. At the end D = ½ everywhere: V = 2 ln ½ = -1.386.",
)
def _(best, value):
    known = [
        (0.25, "That is q/(p + q), the probability of being made."),
        (3.0, "That is p/q. D is a probability: p/(p + q)."),
        (0.3, "That is the density. D compares it with q."),
        (0.5, "That is the answer where p = q."),
        (float(np.log(0.75)), "That is ln D. Asked is D."),
        (75.0, "A probability is a number between 0 and 1, not per cent."),
        (-1.386, "That is the value. What the expert answers comes first."),
    ]
    expect_close(best, 0.75, "D", known=known, rtol=0, atol=6e-4, reveal=False)
    known = [
        (float(np.log(4)), "The logarithm of one half is negative."),
        (float(-np.log(2)), "V has two terms, one for real and one for made points."),
        (0.0, "That is the value of an expert who is always right. Here D = ½ everywhere."),
        (-2.0, "Use the natural logarithm; you used base 2."),
        (0.5, "That is D. The value is the sum of two logarithms."),
        (-0.602, "Use the natural logarithm; you used base 10."),
    ]
    expect_close(value, -np.log(4), "The value", known=known, rtol=0, atol=6e-3, reveal=False)
    return "Right. -1.386 says that the expert can do no better than toss a coin."


@exercise(
    "23.g",
    "Just enough to flip",
    start="By how much does the score fall for a step ε in every pixel?",
    hints=["(23.21): the score falls by ε times the sum of all |w|.", "1.05/(0.5 + 1 + 2)."],
    solution=(0.3, 150.0),
    explanation="1.05/(0.5 + 1 + 2) = 0.3. 3,000 weights of size 0.5: 0.1 · 0.5 · 3000 = 150.",
)
def _(epsilon, fall):
    known = [
        (1.05 / 1.5, "Take the sizes of the weights: -1 counts as 1."),
        (float(1.05 / np.sqrt(5.25)), "You divided by the length ‖w‖₂. A step ε in every pixel moves by ε‖w‖₁."),
        (1.05 / 5.25, "You divided by the squared length. The score falls by ε‖w‖₁."),
        (1.05 / 2, "All three pixels move, not only the one with the largest weight."),
        (3.675, "Divide the score by ‖w‖₁; you multiplied."),
        (0.1, "That is shared among the three pixels. Each moves by ε."),
        (150.0, "That is the answer to the second question."),
    ]
    expect_close(epsilon, 0.3, "The step", known=known, rtol=0, atol=6e-4, reveal=False)
    known = [
        (0.0, "The signs do not cancel: each pixel moves with the sign of its own weight."),
        (1500.0, "Mind ε = 0.1."),
        (0.05, "That is one pixel. All 3,000 move."),
        (float(0.1 * 0.5 * np.sqrt(3000)), "That is what random signs do. Here all steps pull the same way."),
        (300.0, "Each weight is 0.5."),
        (15.0, "3,000 pixels, not 300."),
    ]
    expect_close(fall, 150.0, "The fall", known=known, rtol=0, atol=6e-3, reveal=False)
    return "Right. Random signs would move the score by about 0.1 · 0.5 · √3000 = 2.7 only."


# --- Exercises -----------------------------------------------------------------------------------------------------


def _points(n, d, seed):
    rng = np.random.default_rng(seed)
    X = (rng.normal(size=(n, d)) * np.arange(d, 0, -1)) @ np.linalg.qr(rng.normal(size=(d, d)))[0]
    return X - X.mean(axis=0)


def best_decoder(X, W):
    Z = X @ W
    V = np.linalg.lstsq(Z, X, rcond=None)[0]
    return V, float(np.mean(np.sum((X - Z @ V) ** 2, axis=1)))


def _decoder(V, loss=lambda E: np.mean(np.sum(E**2, axis=1))):
    def answer(X, W):
        D = V(X, W)
        return D, float(loss(X - X @ W @ D))

    return answer


def _left_out(X, m):
    """Return the sum of the eigenvalues that PCA with m axes leaves out."""
    return float(np.linalg.eigvalsh(X.T @ X / len(X))[:-m].sum())


FOUR = np.array([[2.0, 0.0], [-2.0, 0.0], [0.0, 1.0], [0.0, -1.0]])


@exercise(
    "23.1",
    "The best decoder",
    start="The codes Z = XW are given. Which V makes ZV closest to X?",
    hints=["A least-squares problem with the codes as inputs and X as targets.", "np.linalg.lstsq(X @ W, X)[0]."],
    solution=best_decoder,
    explanation="(23.6): the normal equations Z'ZV = Z'X. No orthonormality is asked of W.",
)
def _(answer):
    rng = np.random.default_rng(0)
    expect_function(
        answer,
        best_decoder,
        [
            (FOUR, np.array([[1.0], [1.0]])),
            (_points(30, 4, 1), rng.normal(size=(4, 2))),
            (_points(12, 5, 2), rng.normal(size=(5, 3))),
        ],
        "Decoder and loss",
        slips=[
            (_decoder(lambda X, W: W.T), "The transposed encoder is the best decoder only for PCA's orthonormal axes."),
            (
                _decoder(lambda X, W: np.linalg.pinv(W)),
                "The pseudo-inverse of W knows nothing of the data. Use X, too.",
            ),
            (
                _decoder(lambda X, W: best_decoder(X, W)[0], lambda E: np.mean(E**2)),
                "The loss sums over the features and averages over the points; you averaged over both.",
            ),
            (
                _decoder(lambda X, W: best_decoder(X, W)[0], lambda E: np.sum(E**2)),
                "The loss is a mean over the points; you took the sum.",
            ),
            (
                _decoder(lambda X, W: best_decoder(X, W)[0], lambda E: np.mean(np.sqrt(np.sum(E**2, axis=1)))),
                "The loss is the mean squared distance; you took the mean distance.",
            ),
            (
                lambda X, W: (best_decoder(X, W)[0].T, best_decoder(X, W)[1]),
                "The decoder has shape (m, d): rows and columns are exchanged.",
            ),
            (
                _decoder(lambda X, W: np.linalg.eigh(X.T @ X)[1][:, ::-1][:, : W.shape[1]].T),
                "Those are PCA's axes. Asked is the best decoder for this encoder.",
            ),
            (
                lambda X, W: (best_decoder(X, W)[0], _left_out(X, W.shape[1])),
                "That is the loss of PCA's plane. Asked is the loss of this encoder with its best decoder.",
            ),
        ],
        names="decoder, loss",
    )
    return "Right. The best encoder for that decoder, and so on: this is all that (23.6) does."


def kl_normals(mu1, var1, mu2, var2):
    return float(0.5 * np.sum((var1 + (mu1 - mu2) ** 2) / var2 - 1 + np.log(var2 / var1)))


@exercise(
    "23.2",
    "Two normal laws",
    start="Repeat (23.12) with a second law that is not standard.",
    hints=[
        "E ln p under q: the square is E(z - μ₂)² = σ₁² + (μ₁ - μ₂)².",
        "½ Σ [ (σ₁² + (μ₁ - μ₂)²)/σ₂² - 1 + ln(σ₂²/σ₁²) ].",
    ],
    solution=kl_normals,
    explanation="With μ₂ = 0 and σ₂ = 1 it is (23.12).",
)
def _(answer):
    a = np.array
    expect_function(
        answer,
        kl_normals,
        [
            (a([1.0, -2.0]), a([0.25, 1.0]), a([0.0, 0.0]), a([1.0, 1.0])),
            (a([0.5]), a([0.3]), a([-1.0]), a([2.5])),
            (a([1.0, 0.2, -0.7]), a([0.6, 1.7, 0.4]), a([0.3, 0.3, 1.1]), a([0.9, 0.5, 3.0])),
        ],
        "The divergence",
        slips=[
            (lambda m1, v1, m2, v2: kl_normals(m2, v2, m1, v1), "The two laws are exchanged: KL is not symmetric."),
            (
                lambda m1, v1, m2, v2: 0.5 * np.sum(m1**2 + v1 - np.log(v1) - 1),
                "That is (23.12), for a standard normal second law. mu2 and var2 are not used.",
            ),
            (
                lambda m1, v1, m2, v2: 0.5 * np.sum((v1**2 + (m1 - m2) ** 2) / v2**2 - 1 + np.log(v2**2 / v1**2)),
                "var1 and var2 are variances already: do not square them.",
            ),
            (
                lambda m1, v1, m2, v2: 0.5 * np.sum((v1 + (m1 - m2) ** 2) / v2 - 1 - np.log(v2 / v1)),
                "The sign of the logarithm: ln(σ₂²/σ₁²) is added.",
            ),
            (
                lambda m1, v1, m2, v2: 0.5 * np.sum(v1 / v2 + (m1 - m2) ** 2 - 1 + np.log(v2 / v1)),
                "The squared distance of the means is divided by σ₂², too.",
            ),
            (
                lambda m1, v1, m2, v2: 0.5 * np.sum((v1 + (m1 - m2) ** 2) / v2 + np.log(v2 / v1)),
                "Minus 1 for each coordinate.",
            ),
            (
                lambda m1, v1, m2, v2: 0.5 * np.sum((v1 + (m1 - m2) ** 2) / v2 + np.log(v2 / v1)) - 0.5,
                "Minus 1 for each coordinate, not once.",
            ),
            (
                lambda m1, v1, m2, v2: kl_normals(m1, v1, m2, v2) / len(m1),
                "Sum over the coordinates; you took the mean.",
            ),
            (
                lambda m1, v1, m2, v2: 0.5 * np.sum(v1 / v2 - 1 + np.log(v2 / v1)),
                "The means are missing.",
            ),
            (lambda *laws: kl_normals(*laws) / np.log(2), "Use the natural logarithm throughout: nats, not bits."),
            (
                lambda m1, v1, m2, v2: 0.5 * np.sum((v1 + (m1 - m2) ** 2) / v2 - 1),
                "The logarithm ln(σ₂²/σ₁²) is missing.",
            ),
            (
                lambda m1, v1, m2, v2: 0.5 * np.sum((v1 + m1 - m2) / v2 - 1 + np.log(v2 / v1)),
                "The distance of the means is squared.",
            ),
            (
                lambda m1, v1, m2, v2: kl_normals(m1, v1, m2, v2) + kl_normals(m2, v2, m1, v1),
                "That is the sum of both directions. Asked is one of them.",
            ),
        ],
    )
    return "Right. It is 0 only if the two laws are the same."


def bound_estimate(x, mu, var, eps, decode, noise):
    Z = mu + np.sqrt(var) * eps
    errors = np.array([np.sum((x - decode(z)) ** 2) for z in Z])
    reconstruction = -0.5 * (len(x) * np.log(2 * np.pi * noise) + errors / noise)
    return float(reconstruction.mean() - 0.5 * np.sum(mu**2 + var - np.log(var) - 1))


def _estimate(z=lambda mu, var, eps: mu + np.sqrt(var) * eps, constant=True, half=0.5, kl=1.0, square=False):
    def answer(x, mu, var, eps, decode, noise):
        s2 = noise**2 if square else noise
        errors = np.array([np.sum((x - decode(each)) ** 2) for each in z(mu, var, eps)])
        parts = -half * errors / s2 - constant * 0.5 * len(x) * np.log(2 * np.pi * s2)
        return float(parts.mean() - kl * 0.5 * np.sum(mu**2 + var - np.log(var) - 1))

    return answer


def _bend(z):
    z = np.asarray(z)
    return np.array([z[0] - 0.5 * z[1], z[0] * z[1], np.tanh(z[1])])


def _line(z):
    return np.array([2.0, 1.0]) * np.asarray(z)[0] + np.array([0.0, 1.0])


@exercise(
    "23.3",
    "The bound of one picture",
    start="Which z belongs to a row of eps?",
    hints=[
        "z = mu + sqrt(var) * eps, one row at a time; decode(z) is the mean of x.",
        "Mean over the rows of -½[d ln(2π noise) + |x - decode(z)|²/noise], minus (23.12).",
    ],
    solution=bound_estimate,
    explanation="(23.11), with the expectation replaced by the mean over the rows of eps.",
)
def _(answer):
    rng = np.random.default_rng(5)
    expect_function(
        answer,
        bound_estimate,
        [
            (np.array([1.0, 2.0]), np.array([0.5]), np.array([0.25]), rng.normal(size=(3, 1)), _line, 0.4),
            (
                np.array([0.3, -1.0, 0.8]),
                np.array([0.2, -0.9]),
                np.array([0.5, 0.1]),
                rng.normal(size=(4, 2)),
                _bend,
                1.7,
            ),
            (
                np.array([-1.0, 0.0, 0.2]),
                np.array([1.1, 0.4]),
                np.array([0.3, 1.6]),
                rng.normal(size=(1, 2)),
                _bend,
                0.2,
            ),
        ],
        "The bound",
        slips=[
            (_estimate(kl=0.0), "The divergence is missing."),
            (_estimate(kl=-1.0), "The divergence is subtracted: it is a price."),
            (_estimate(kl=2.0), "The divergence has a factor ½."),
            (_estimate(constant=False), "ln(2π noise) is missing: with a noise of its own the constant counts."),
            (_estimate(half=1.0), "The squared error has a factor ½."),
            (_estimate(square=True), "noise is a variance already: do not square it."),
            (_estimate(lambda mu, var, eps: mu + var * eps), "var is a variance: take its root for σ."),
            (_estimate(lambda mu, var, eps: mu + 0 * eps), "You decode the mean of the code. Decode the draws."),
            (_estimate(lambda mu, var, eps: eps), "You decode eps itself: z = mu + sqrt(var) * eps."),
            (_estimate(lambda mu, var, eps: (mu + np.sqrt(var) * eps)[:1]), "Average over all rows of eps."),
            (
                lambda x, mu, var, eps, decode, noise: -bound_estimate(x, mu, var, eps, decode, noise),
                "That is the loss. The bound is minus the loss.",
            ),
            (
                lambda x, mu, var, eps, decode, noise: _estimate(lambda m, v, e: [(m + np.sqrt(v) * e).mean(axis=0)])(
                    x, mu, var, eps, decode, noise
                ),
                "Decode each draw and average the terms. You averaged the draws first.",
            ),
            (
                lambda x, mu, var, eps, decode, noise: _estimate(constant=False)(x, mu, var, eps, decode, 0.5),
                "MSE plus KL: divide the squared error by 2 noise, and mind the constant.",
            ),
            (
                lambda x, mu, var, eps, decode, noise: -_estimate(constant=False)(x, mu, var, eps, decode, 0.5),
                "MSE plus KL is a loss, with the wrong weight: divide the squared error by 2 noise.",
            ),
            (
                lambda x, mu, var, eps, decode, noise: len(eps) * bound_estimate(x, mu, var, eps, decode, noise),
                "Take the mean over the rows of eps; you took the sum.",
            ),
            (
                lambda x, mu, var, eps, decode, noise: (
                    bound_estimate(x, mu, var, eps, decode, noise) + 0.5 * (len(x) - 1) * np.log(2 * np.pi * noise)
                ),
                "Each of the d entries of x has its own -½ ln(2π noise).",
            ),
        ],
    )
    return "Right. With one row of eps a picture this is what training climbs."


def game_value(p, q):
    m = (p + q) / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(p > 0, p * np.log(p / (2 * m)), 0) + np.where(q > 0, q * np.log(q / (2 * m)), 0)
    return float(terms.sum())


def _jsd(p, q):
    return (game_value(p, q) + np.log(4)) / 2


@exercise(
    "23.4",
    "The value of the game",
    start="Put the best D into V: which two terms does each place give?",
    hints=["Sum of p ln(p/(p + q)) + q ln(q/(p + q)).", "0 ln 0 counts as 0: look where p or q is 0, or both."],
    solution=game_value,
    explanation="(23.18). A place that only one law visits gives ln 1 = 0; two laws that never meet give the value 0.",
)
def _(answer):
    a = np.array
    expect_function(
        answer,
        game_value,
        [
            (a([0.5, 0.5]), a([0.25, 0.75])),
            (a([0.2, 0.3, 0.5]), a([0.2, 0.3, 0.5])),
            (a([0.6, 0.4, 0.0]), a([0.1, 0.2, 0.7])),
            (a([1.0, 0.0]), a([0.0, 1.0])),
            (a([0.5, 0.5, 0.0, 0.0]), a([0.25, 0.0, 0.75, 0.0])),
        ],
        "The value",
        slips=[
            (_jsd, "That is the Jensen-Shannon divergence. The value is twice it, minus ln 4."),
            (lambda p, q: game_value(p, q) + np.log(4), "ln 4 is to be subtracted: at p = q the value is -ln 4."),
            (lambda p, q: game_value(p, q) / np.log(2), "Use the natural logarithm; you used base 2."),
            (lambda p, q: game_value(p, q) / 2, "Both laws count in full: no factor ½."),
            (lambda p, q: np.sum(p * np.log(p / (p + q))), "The made points count, too: + q ln(q/(p + q))."),
            (
                lambda p, q: np.sum(p * np.log(p / (p + q)) + q * np.log(q / (p + q))),
                "0 ln 0 counts as 0: you get nan.",
            ),
            (
                lambda p, q: np.sum(p * np.log((p + 1e-300) / (p + q)) + q * np.log((q + 1e-300) / (p + q))),
                "A place that neither law visits counts 0: you get nan where p + q = 0.",
            ),
            (lambda p, q: np.sum(np.where(p > 0, p * np.log(p / q), 0)), "That is KL(p‖q). The best D is p/(p + q)."),
        ],
        atol=1e-6,
    )
    return "Right. 0 for two laws that never meet, -ln 4 for equal ones."


def attack(w, b, x, t, epsilon):
    p = 1 / (1 + np.exp(-(w @ x + b)))
    return np.clip(x + epsilon * np.sign((p - t) * w), 0, 1)


def _attack(step, clip=True):
    def answer(w, b, x, t, epsilon):
        p = 1 / (1 + np.exp(-(w @ x + b)))
        moved = x + step(w, p, t, epsilon)
        return np.clip(moved, 0, 1) if clip else moved

    return answer


def _half_clipped(keep, end):
    return lambda w, b, x, t, epsilon: keep(x + epsilon * np.sign((0.5 - t) * w), end)


@exercise(
    "23.5",
    "The fast gradient",
    start="What is the slope of the cross-entropy in x?",
    hints=["p = σ(w·x + b), and the slope in x is (p - t) w.", "np.clip(x + epsilon * np.sign((p - t) * w), 0, 1)."],
    solution=attack,
    explanation="(23.20), kept inside 0..1. Since p - t has the sign of ½ - t, p itself is not needed.",
)
def _(answer):
    rng = np.random.default_rng(8)
    w, x = np.array([0.5, -1.0, 2.0, 0.0]), np.array([0.2, 0.8, 0.9, 0.5])
    expect_function(
        answer,
        attack,
        [
            (w, 0.1, x, 1, 0.3),
            (w, -0.2, x, 0, 0.15),
            (rng.normal(size=6), 0.4, rng.random(6), 1, 0.05),
            (rng.normal(size=6), -1.4, rng.random(6), 0, 0.25),
        ],
        "The attacked picture",
        slips=[
            (_attack(lambda w, p, t, e: -e * np.sign((p - t) * w)), "That lowers the loss. Climb: plus the sign."),
            (_attack(lambda w, p, t, e: e * np.sign((p - t) * w), clip=False), "Pixels stay between 0 and 1: clip."),
            (_half_clipped(np.minimum, 1), "Pixels stay between 0 and 1: yours fall below 0."),
            (_half_clipped(np.maximum, 0), "Pixels stay between 0 and 1: yours rise above 1."),
            (_attack(lambda w, p, t, e: e * (p - t) * w), "Take the sign of the slope: every pixel moves by epsilon."),
            (_attack(lambda w, p, t, e: e * np.sign(w)), "The direction depends on the label t: (p - t) w."),
            (_attack(lambda w, p, t, e: -e * np.sign(w)), "The direction depends on the label t: (p - t) w."),
            (
                _attack(lambda w, p, t, e: e * np.where((p - t) * w >= 0, 1.0, -1.0)),
                "A pixel with weight 0 does not change the loss: it stays.",
            ),
            (
                _attack(lambda w, p, t, e: e * np.where((p - t) * w > 0, 1.0, -1.0)),
                "A pixel with weight 0 does not change the loss: it stays.",
            ),
            (
                _attack(lambda w, p, t, e: e * (p - t) * w / np.linalg.norm((p - t) * w)),
                "That is a step of length epsilon along the gradient. Asked is epsilon in every pixel: its sign.",
            ),
            (_attack(lambda w, p, t, e: np.sign((p - t) * w)), "epsilon is missing."),
            (
                lambda w, b, x, t, epsilon: epsilon * np.sign((0.5 - t) * w),
                "That is the step. Add it to x, and clip.",
            ),
        ],
    )
    return "Right. One gradient, one sign, and a model that was sure is sure of something else."

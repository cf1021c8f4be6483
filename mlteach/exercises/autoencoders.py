"""Tasks and exercises of chapter 23: losses of copies, planes, thresholds, divergences, draws, games and attacks."""

import numpy as np
from numpy import log

from mlteach.exercises.tasks import number, task

ENTROPY = float(-log(0.9) - 2 * log(0.8))

task("23.a", "Two losses of one copy",
    start="Which entries should be 0, and which 1? Put them into (23.2).",
    hints=["Where x = 1 the term is -ln x~, where x = 0 it is -ln(1 - x~).", "-ln 0.9 - ln 0.8 - ln 0.8."],
    squares=number("The squared error", "0.1**2 + 0.2**2 + 0.2**2", to=6e-4, slips="""
        0.045   | (23.2) has no ½ in front of the squares.
        0.03    | That is the mean over the entries. (23.2) sums over them.
        0.3     | That is the distance. The loss is its square.
        0.5     | Those are the errors themselves. Square each.
        ENTROPY | That is the cross-entropy. The squared error comes first.
        """),
    entropy=number("The cross-entropy", "-log(0.9) - log(0.8) - log(0.8)", to=6e-4, slips="""
        -log(0.8)                       | The entries that should be 0 count too, with -ln(1 - x~).
        -log(0.1) - 2 * log(0.2)        | x and 1 - x are exchanged: where x = 0 the term is -ln(1 - x~).
        -log(0.1) - log(0.8) - log(0.2) | Where x = 0 the term is -ln(1 - x~), not -ln x~.
        ENTROPY / 3                     | That is the mean over the entries. (23.2) sums over them.
        ENTROPY / log(2)                | Use the natural logarithm; you used base 2.
        ENTROPY / log(10)               | Use the natural logarithm; you used base 10.
        -ENTROPY                        | The logarithms are negative; the loss has a minus in front.
        0.09                            | That is the squared error. The cross-entropy comes second.
        """),
    right="Right. Both are 0 only for a perfect copy.",
    explanation="0.01 + 0.04 + 0.04 = 0.09, and -ln 0.9 - ln 0.8 - ln 0.8 = 0.552.",
)  # fmt: skip

task("23.b", "The plane and a saddle",
    start="Which eigenvalues does PCA's plane leave out?",
    hints=["(23.5): the loss is the sum of the eigenvalues left out.", "Left out are 2 and 1; at the saddle 4 and 1."],
    least=number("The least loss", "7 + 4 + 2 + 1 - 7 - 4", to=0.006, slips="""
        11      | That is what is kept. The loss is what is left out.
        1       | Two directions are left out, not one.
        2       | Two directions are left out, not one.
        1.5     | That is the mean of the two left out. The loss is their sum.
        5       | That is the loss of the other plane. The least one comes first.
        3 / 14  | That is the share that is lost. Asked is the loss itself.
        5**0.5  | Eigenvalues are squares already: add them.
        14      | That is the loss if nothing is kept.
        """),
    saddle=number("The loss of the other plane", "7 + 4 + 2 + 1 - 7 - 2", to=0.006, slips="""
        9   | That is what this plane keeps: 7 and 2. The loss is the rest.
        4   | The fourth direction is lost too.
        3   | That is the least loss. This plane keeps the third axis in place of the second.
        6   | This plane loses the second and the fourth: 4 and 1.
        2.5 | That is the mean of the two left out. The loss is their sum.
        12  | This plane keeps the first axis.
        """),
    right="Right. A descent may linger at 5, but it does not stay.",
    explanation="The best plane keeps 7 and 4 and loses 2 + 1 = 3. The plane of the first and third keeps 7 and 2 and "
    "loses 4 + 1 = 5.",
)  # fmt: skip

task("23.c", "A threshold and its promise",
    start="What are mean and standard deviation, and what stands in the divisor?",
    hints=["The squared deviations are 0.04, 0.01, 0, 0.01, 0.04.", "(23.8) with k = 2: 1/(1 + 4)."],
    delta=number("The threshold", "0.4 + np.sqrt(0.1 / 5)", to=6e-3, slips="""
        0.4 + np.sqrt(0.1 / 4)      | The standard deviation has n in its divisor here, not n - 1.
        0.42                     | You added the variance. Add its root.
        np.sqrt(0.02)               | That is the standard deviation alone. Add it to the mean.
        0.4                      | That is the mean alone.
        0.4 + 2 * np.sqrt(0.02)     | That is for k = 2. The threshold asked for has k = 1.
        0.4 - np.sqrt(0.02)         | Anomalies have large losses: mean plus standard deviation.
        0.52                     | You added the mean absolute deviation. Add the standard deviation.
        0.2                      | That is the share. The threshold comes first.
        """),
    share=number("The share", "1 / (1 + 2**2)", to=6e-4, slips="""
        0.25   | That is Chebyshev's 1/k². Cantelli's bound for one side is 1/(1 + k²).
        0.5    | That is for k = 1.
        1 / 3  | Square k: 1/(1 + k²).
        0.8    | That is the share below at least. Asked are the false alarms.
        0.0228 | That is what a normal law would give. Asked is what holds for any law.
        0.05   | That is the rule for a normal law and both sides. Asked is what holds for any law.
        """),
    right="Right. A promise for every law is weak: for the normal law 2.3 % would do.",
    explanation="The mean is 0.4, the variance 0.1/5 = 0.02: δ = 0.4 + 0.1414. Cantelli: 1/(1 + 2²) = 0.2.",
)  # fmt: skip

KL = float(0.5 * (1 + 0.25 - log(0.25) - 1) + 2)

task("23.d", "A divergence by hand",
    start="What is (23.12) for each coordinate?",
    hints=["σ² = 0.25 and 1; their logarithms are -1.386 and 0.", "½(1 + 0.25 + 1.386 - 1) + ½(4 + 1 - 0 - 1)."],
    divergence=number("The divergence", "0.5 * (1 + 0.25 - log(0.25) - 1) + 0.5 * (4 + 1 - 0 - 1)", to=6e-3, slips="""
        2 * KL                                     | The factor ½ is missing.
        0.5 * (1 + 0.5 - log(0.5) - 1) + 2         | The formula has σ², and σ = 0.5 was given: square it.
        KL / log(2)                                | Use the natural logarithm throughout: nats, not bits.
        KL - 2                                     | The second coordinate counts too.
        2                                          | The first coordinate counts too.
        0.5 * (1 + 0.25 + log(0.25) - 1) + 2       | Minus ln σ²: the logarithm of 0.25 is negative.
        0.5 * (0.25 - log(0.25) - 1)               | The means are missing: μ² in each coordinate.
        0.5 * (1 + 0.25 - log(0.5) - 1) + 2        | ln σ², not ln σ.
        0.5 * (1 + 0.25 - log(0.25)) + 0.5 * 5     | Minus 1 for each coordinate.
        0.5 * (1 + 0.25 - log(0.25) - 1) - 1       | The mean is squared: (-2)² = 4.
        0                                          | That is the least value. The divergence of this law comes first.
        """),
    least=number("The least value", 0.0, to=1e-6, slips="""
        1       | Put μ = 0, σ = 1 into (23.12).
        -np.inf | A divergence is never negative.
        """),
    right="Right. Each number that the code says about x has its price in nats.",
    explanation="½(1 + 0.25 + 1.386 - 1) = 0.818 and ½ · 4 = 2, together 2.818. It is 0 for μ = 0, σ = 1 only.",
)  # fmt: skip

task("23.e", "One draw, two slopes",
    start="What is z, and how does z² change with μ and with σ?",
    hints=["z = 1.5 + 0.8 · (-0.5) = 1.1.", "The chain rule: 2z · dz/dμ and 2z · dz/dσ, with dz/dσ = ε."],
    in_mean=number("The slope in μ", "2 * (1.5 + 0.8 * -0.5)", to=6e-3, slips="""
        3    | That is the slope of the expectation, 2μ. Asked is the slope of this one draw.
        1.1  | That is z. The slope of z² is 2z.
        1.21 | That is z². Asked is its slope.
        3.8  | The sign of ε: z = 1.5 - 0.4.
        -1.1 | That is the slope in σ. The one in μ comes first.
        1.76 | dz/dμ = 1, not σ.
        """),
    in_sigma=number("The slope in σ", "2 * (1.5 + 0.8 * -0.5) * -0.5", to=6e-3, slips="""
        1.6   | That is the slope of the expectation, 2σ. Asked is the slope of this one draw.
        2.2   | dz/dσ is ε, not 1.
        1.1   | ε is negative: so is this slope.
        -0.5  | That is dz/dσ. Multiply by 2z.
        -0.55 | The slope of z² is 2z, not z.
        1.76  | dz/dσ is ε, not σ.
        -0.88 | dz/dσ is ε, not σε.
        """),
    right="Right. One draw is noisy, 2.2 for 3 and -1.1 for 1.6, but right on average.",
    explanation="z = 1.1. 2z · 1 = 2.2 and 2z · ε = -1.1. Over many ε they average 2μ = 3 and 2σ = 1.6.",
)  # fmt: skip

task("23.f", "The best expert",
    start="Which share of the points at this place is real?",
    hints=["(23.16): p/(p + q).", "With p = q everywhere D = ½, and V = ln ½ + ln ½."],
    best=number("D", "0.3 / (0.3 + 0.1)", to=6e-4, slips="""
        0.25      | That is q/(p + q), the probability of being made.
        3         | That is p/q. D is a probability: p/(p + q).
        0.3       | That is the density. D compares it with q.
        0.5       | That is the answer where p = q.
        log(0.75) | That is ln D. Asked is D.
        -log(4)   | That is the value. What the expert answers comes first.
        """),
    value=number("The value", "log(0.5) + log(0.5)", to=6e-3, slips="""
        log(4)         | The logarithm of one half is negative.
        -log(2)        | V has two terms, one for real and one for made points.
        0              | That is the value of an expert who is always right. Here D = ½ everywhere.
        -2             | Use the natural logarithm; you used base 2.
        0.5            | That is D. The value is the sum of two logarithms.
        -np.log10(4)   | Use the natural logarithm; you used base 10.
        """),
    right="Right. -1.386 says that the expert can do no better than toss a coin.",
    explanation="0.3/0.4 = 0.75. At the end D = ½ everywhere: V = 2 ln ½ = -1.386.",
)  # fmt: skip

task("23.g", "Just enough to flip",
    start="By how much does the score fall for a step ε in every pixel?",
    hints=["(23.21): the score falls by ε times the sum of all |w|.", "1.05/(0.5 + 1 + 2)."],
    epsilon=number("The step", "1.05 / (0.5 + 1 + 2)", to=6e-4, slips="""
        1.05 / 1.5        | Take the sizes of the weights: -1 counts as 1.
        1.05 / np.sqrt(5.25) | You divided by the length ‖w‖₂. A step ε in every pixel moves by ε‖w‖₁.
        1.05 / 5.25       | You divided by the squared length. The score falls by ε‖w‖₁.
        1.05 / 2          | All three pixels move, not only the one with the largest weight.
        3.675             | Divide the score by ‖w‖₁; you multiplied.
        0.1               | That is shared among the three pixels. Each moves by ε.
        150               | That is the answer to the second question. This one comes first.
        """),
    fall=number("The fall", "0.1 * 0.5 * 3000", to=6e-3, slips="""
        0                      | The signs do not cancel: each pixel moves with the sign of its own weight.
        1500                   | Mind ε = 0.1.
        0.05                   | That is one pixel. All 3,000 move.
        0.1 * 0.5 * np.sqrt(3000) | That is what random signs do. Here all steps pull the same way.
        300                    | Each weight is 0.5.
        15                     | 3,000 pixels, not 300.
        """),
    right="Right. Random signs would move the score by about 0.1 · 0.5 · √3000 = 2.7 only.",
    explanation="1.05/(0.5 + 1 + 2) = 0.3. 3,000 weights of size 0.5: 0.1 · 0.5 · 3000 = 150.",
)  # fmt: skip


def best_decoder(X, W):
    Z = X @ W
    V = np.linalg.lstsq(Z, X, rcond=None)[0]
    E = X - Z @ V
    return V, np.mean(np.sum(E**2, axis=1))


def encoders():
    rng = np.random.default_rng(0)
    cases = [(np.array([[2.0, 0.0], [-2.0, 0.0], [0.0, 1.0], [0.0, -1.0]]), np.array([[1.0], [1.0]]))]
    for n, d, m, seed in ((30, 4, 2, 1), (12, 5, 3, 2)):
        own = np.random.default_rng(seed)
        X = (own.normal(size=(n, d)) * np.arange(d, 0, -1)) @ np.linalg.qr(own.normal(size=(d, d)))[0]
        cases.append((X - X.mean(axis=0), rng.normal(size=(d, m))))
    return cases


LSTSQ = "np.linalg.lstsq(Z, X, rcond=None)[0]"

task("23.1", "The best decoder", best_decoder, cases=encoders, what="Decoder and loss", names="decoder, loss",
    start="The codes Z = XW are given. Which V makes ZV closest to X?",
    hints=["A least-squares problem with the codes as inputs and X as targets.", "np.linalg.lstsq(X @ W, X)[0]."],
    slips=f"""
        {LSTSQ} => W.T | The transposed encoder is the best decoder only for PCA's orthonormal axes.
        {LSTSQ} => np.linalg.pinv(W) | The pseudo-inverse of W knows nothing of the data. Use X, too.
        np.mean(np.sum(E**2, axis=1)) => np.mean(E**2) | The loss sums over the features and averages over the points;
            you averaged over both.
        np.mean(np.sum(E**2, axis=1)) => np.sum(E**2) | The loss is a mean over the points; you took the sum.
        np.sum(E**2, axis=1) => np.sum(E**2, axis=1) ** 0.5 | The loss is the mean squared distance; you took the mean
            distance.
        return V, => return V.T, | The decoder has shape (m, d): rows and columns are exchanged.
        {LSTSQ} => np.linalg.eigh(X.T @ X)[1][:, ::-1][:, : W.shape[1]].T | Those are PCA's axes. Asked is the best
            decoder for this encoder.
        np.mean(np.sum(E**2, axis=1)) => np.linalg.eigvalsh(X.T @ X / len(X))[: -W.shape[1]].sum() | That is the loss of
            PCA's plane. Asked is the loss of this encoder with its best decoder.
        """,
    right="Right. The best encoder for that decoder, and so on: this is all that (23.6) does.",
    explanation="(23.6): the normal equations Z'ZV = Z'X. No orthonormality is asked of W.",
)  # fmt: skip


def kl_normals(mu1, var1, mu2, var2):
    squares = var1 + (mu1 - mu2) ** 2
    return 0.5 * np.sum(squares / var2 - 1 + np.log(var2 / var1))


LAWS = [
    ([1.0, -2.0], [0.25, 1.0], [0.0, 0.0], [1.0, 1.0]),
    ([0.5], [0.3], [-1.0], [2.5]),
    ([1.0, 0.2, -0.7], [0.6, 1.7, 0.4], [0.3, 0.3, 1.1], [0.9, 0.5, 3.0]),
]

task("23.2", "Two normal laws", kl_normals, cases=[tuple(map(np.array, law)) for law in LAWS], what="The divergence",
    start="What changes in (23.12) if the second law is not standard?",
    hints=[
        "E ln p under q: the square is E(z - μ₂)² = σ₁² + (μ₁ - μ₂)².",
        "½ Σ [ (σ₁² + (μ₁ - μ₂)²)/σ₂² - 1 + ln(σ₂²/σ₁²) ].",
    ],
    slips="""
        squares = var1 => mu1, var1, mu2, var2 = mu2, var2, mu1, var1; squares = var1 | The two laws are exchanged: KL
            is not symmetric.
        squares = var1 => mu2, var2 = 0, 1; squares = var1 | That is (23.12), for a standard normal second law. mu2 and
            var2 are not used.
        squares = var1 => var1, var2 = var1**2, var2**2; squares = var1 | var1 and var2 are variances already: do not
            square them.
        1 + np.log => 1 - np.log | The sign of the logarithm: ln(σ₂²/σ₁²) is added.
        squares / var2 => var1 / var2 + (mu1 - mu2) ** 2 | The squared distance of the means is divided by σ₂², too.
        / var2 - 1 => / var2 | Minus 1 for each coordinate.
        np.sum(squares / var2 - 1 + np.log(var2 / var1)) => (np.sum(squares / var2 + np.log(var2 / var1)) - 1) | Minus 1
            for each coordinate, not once.
        np.sum( => np.mean( | Sum over the coordinates; you took the mean.
        var1 + (mu1 - mu2) ** 2 => var1 | The means are missing.
        var2 / var1)) => var2 / var1)) / np.log(2) | Use the natural logarithm throughout: nats, not bits.
        - 1 + np.log(var2 / var1) => - 1 | The logarithm ln(σ₂²/σ₁²) is missing.
        (mu1 - mu2) ** 2 => (mu1 - mu2) | The distance of the means is squared.
        + np.log(var2 / var1) => + (var2 + (mu1 - mu2) ** 2) / var1 - 1 | That is the sum of both directions. Asked is
            one of them.
        """,
    right="Right. It is 0 only if the two laws are the same.",
    explanation="With μ₂ = 0 and σ₂ = 1 it is (23.12).",
)  # fmt: skip


def bound_estimate(x, mu, var, eps, decode, noise):
    Z = mu + np.sqrt(var) * eps
    errors = np.array([np.sum((x - decode(z)) ** 2) for z in Z])
    constant = len(x) * np.log(2 * np.pi * noise)
    kl = 0.5 * np.sum(mu**2 + var - np.log(var) - 1)
    return np.mean(-0.5 * (constant + errors / noise)) - kl


def line(z):
    return np.array([2.0, 1.0]) * np.asarray(z)[0] + np.array([0.0, 1.0])


def bend(z):
    z = np.asarray(z)
    return np.array([z[0] - 0.5 * z[1], z[0] * z[1], np.tanh(z[1])])


def decoders():
    a, rng = np.array, np.random.default_rng(5)
    return [
        (a([1.0, 2.0]), a([0.5]), a([0.25]), rng.normal(size=(3, 1)), line, 0.4),
        (a([0.3, -1.0, 0.8]), a([0.2, -0.9]), a([0.5, 0.1]), rng.normal(size=(4, 2)), bend, 1.7),
        (a([-1.0, 0.0, 0.2]), a([1.1, 0.4]), a([0.3, 1.6]), rng.normal(size=(1, 2)), bend, 0.2),
    ]


task("23.3", "The bound of one picture", bound_estimate, cases=decoders, what="The bound",
    start="Which z belongs to a row of eps?",
    hints=[
        "z = mu + sqrt(var) * eps, one row at a time; decode(z) is the mean of x.",
        "Mean over the rows of -½[d ln(2π noise) + |x - decode(z)|²/noise], minus (23.12).",
    ],
    slips="""
        ) - kl => ) | The divergence is missing.
        ) - kl => ) + kl | The divergence is subtracted: it is a price.
        kl = 0.5 * np => kl = np | The divergence has a factor ½.
        constant + errors => errors | ln(2π noise) is missing: with a noise of its own the constant counts.
        errors / noise => 2 * errors / noise | The squared error has a factor ½.
        Z = mu => noise = noise**2; Z = mu | noise is a variance already: do not square it.
        np.sqrt(var) => var | var is a variance: take its root for σ.
        np.sqrt(var) * eps => 0 * eps | You decode the mean of the code. Decode the draws.
        mu + np.sqrt(var) * eps => eps | You decode eps itself: z = mu + sqrt(var) * eps.
        for z in Z => for z in Z[:1] | Average over all rows of eps.
        -0.5 * (constant => 0.5 * (constant ;; ) - kl => ) + kl | That is the loss. The bound is minus the loss.
        for z in Z => for z in [Z.mean(axis=0)] | Decode each draw and average the terms. You averaged the draws first.
        -0.5 * (constant + errors / noise) => -errors | MSE plus KL: divide the squared error by 2 noise, and mind the
            constant.
        np.mean(-0.5 * (constant + errors / noise)) - kl => np.mean(errors) + kl | MSE plus KL is a loss, with the wrong
            weight: divide the squared error by 2 noise.
        return np => return len(eps) * (np ;; ) - kl => ) - kl) | Take the mean over the rows of eps; you took the sum.
        len(x) * => | Each of the d entries of x has its own -½ ln(2π noise).
        """,
    right="Right. With one row of eps a picture this is what training climbs.",
    explanation="(23.11), with the expectation replaced by the mean over the rows of eps.",
)  # fmt: skip


def game_value(p, q):
    value = 0.0
    for a, b in zip(p, q):
        if a > 0:
            value += a * np.log(a / (a + b))
        if b > 0:
            value += b * np.log(b / (a + b))
    return value


PAIRS = [
    ([0.5, 0.5], [0.25, 0.75]),
    ([0.2, 0.3, 0.5], [0.2, 0.3, 0.5]),
    ([0.6, 0.4, 0.0], [0.1, 0.2, 0.7]),
    ([1.0, 0.0], [0.0, 1.0]),
    ([0.5, 0.5, 0.0, 0.0], [0.25, 0.0, 0.75, 0.0]),
]

task("23.4", "The value of the game", game_value, cases=[tuple(map(np.array, pair)) for pair in PAIRS], atol=1e-6,
    what="The value",
    start="Put the best D into V: which two terms does each place give?",
    hints=["Sum of p ln(p/(p + q)) + q ln(q/(p + q)).", "0 ln 0 counts as 0: look where p or q is 0, or both."],
    slips=["""
        return value => return (value + np.log(4)) / 2 | That is the Jensen-Shannon divergence. The value is twice it,
            minus ln 4.
        return value => return value + np.log(4) | ln 4 is to be subtracted: at p = q the value is -ln 4.
        return value => return value / np.log(2) | Use the natural logarithm; you used base 2.
        return value => return value / 2 | Both laws count in full: no factor ½.
        value += b * np.log(b / (a + b)) => pass | The made points count, too: + q ln(q/(p + q)).
        if a > 0: => if True: ;; if b > 0: => if True: | 0 ln 0 counts as 0: you get nan.
        a / (a + b) => a / b ;; value += b * np.log(b / (a + b)) => pass | That is KL(p‖q). The best D is p/(p + q).
        """,
        (
            lambda p, q: np.sum(p * np.log((p + 1e-300) / (p + q)) + q * np.log((q + 1e-300) / (p + q))),
            "A place that neither law visits counts 0: you get nan where p + q = 0.",
        ),
        (lambda p, q: np.sum(p * np.log(p / (p + q))), "The made points count, too: + q ln(q/(p + q))."),
    ],
    right="Right. 0 for two laws that never meet, -ln 4 for equal ones.",
    explanation="(23.18). A place that only one law visits gives ln 1 = 0; two laws that never meet give the value 0.",
)  # fmt: skip


def attack(w, b, x, t, epsilon):
    p = 1 / (1 + np.exp(-(w @ x + b)))
    slope = (p - t) * w
    moved = x + epsilon * np.sign(slope)
    return np.clip(moved, 0, 1)


def pictures():
    rng = np.random.default_rng(8)
    w, x = np.array([0.5, -1.0, 2.0, 0.0]), np.array([0.2, 0.8, 0.9, 0.5])
    return [
        (w, 0.1, x, 1, 0.3),
        (w, -0.2, x, 0, 0.15),
        (rng.normal(size=6), 0.4, rng.random(6), 1, 0.05),
        (rng.normal(size=6), -1.4, rng.random(6), 0, 0.25),
        (w, -0.5, x, 1, 0.1),  # a score between 0 and 1
    ]


task("23.5", "The fast gradient", attack, cases=pictures, what="The attacked picture",
    start="What is the slope of the cross-entropy in x?",
    hints=["p = σ(w·x + b), and the slope in x is (p - t) w.", "np.clip(x + epsilon * np.sign((p - t) * w), 0, 1)."],
    slips="""
        x + epsilon => x - epsilon | That lowers the loss. Climb: plus the sign.
        np.clip(moved, 0, 1) => moved | Pixels stay between 0 and 1: clip.
        np.clip(moved, 0, 1) => np.minimum(moved, 1) | Pixels stay between 0 and 1: yours fall below 0.
        np.clip(moved, 0, 1) => np.maximum(moved, 0) | Pixels stay between 0 and 1: yours rise above 1.
        np.sign(slope) => slope | Take the sign of the slope: every pixel moves by epsilon.
        (p - t) * w => w | The direction depends on the label t: (p - t) w.
        (p - t) * w => -w | The direction depends on the label t: (p - t) w.
        np.sign(slope) => np.where(slope >= 0, 1, -1) | A pixel with weight 0 does not change the loss: it stays.
        np.sign(slope) => np.where(slope > 0, 1, -1) | A pixel with weight 0 does not change the loss: it stays.
        np.sign(slope) => slope / np.linalg.norm(slope) | That is a step of length epsilon along the gradient. Asked is
            epsilon in every pixel: its sign.
        epsilon * np.sign => np.sign | epsilon is missing.
        np.clip(moved, 0, 1) => moved - x | That is the step. Add it to x, and clip.
        """,
    right="Right. One gradient, one sign, and a model that was sure is sure of something else.",
    explanation="(23.20), kept inside 0..1. Since p - t has the sign of ½ - t, p itself is not needed.",
)  # fmt: skip

"""Tasks and exercises of chapter 17: conditioning, kernels, posteriors, bands, evidence, and draws."""

import numpy as np
from numpy import exp, log, sqrt

from mlteach.exercises.base import Wrong, brief, letters
from mlteach.exercises.tasks import number, spelt, task

task("17.a", "Two levels",
    start="How much does the noise change the variance of what is seen?",
    hints=[
        "What is the variance of t₁ = f₁ + ε, and what is its covariance with f₂?",
        "The variance of t₁ is 4 + 1 = 5; its covariance with f₂ is still 3. Put them into (17.2).",
    ],
    mean=number("The mean", "3 / (4 + 1) * 2.5", to=0.006, slips="""
        1.875    | That is c/a times t₁. The noise belongs to the variance of what is seen: a + σ².
        7.5 / 9  | You divided by b, the variance of f₂. Divide by the variance of what is seen, a + σ².
        0.75     | You divided by b + σ². The noise is in t₁: the variance of what is seen is a + σ².
        0.6      | That is the weight c/(a + σ²). Multiply by t₁.
        0.5      | The covariance is missing: c/(a + σ²) times t₁.
        7.5      | That is c times t₁. Divide by a + σ².
        12.5 / 3 | The fraction is upside down: c/(a + σ²).
        1.25     | You used the correlation. The weight is c/(a + σ²), with covariance and variance.
        2.5      | That is t₁ itself. What it says about f₂ has the weight c/(a + σ²).
        """),
    variance=number("The variance", "9 - 3**2 / (4 + 1)", to=0.006, slips="""
        6.75     | That is b - c²/a. The noise belongs to the variance of what is seen: a + σ².
        8.2      | You added σ² at the end. f₂ itself has no noise: b - c²/(a + σ²).
        7.75     | You added σ² at the end. Noise on t₁ changes the divisor: b - c²/(a + σ²).
        8.4      | Square the covariance: c²/(a + σ²).
        10.8     | What is seen takes variance away: b minus c²/(a + σ²).
        7.2**0.5 | That is the standard deviation. Asked is the variance.
        1.8      | That is what the measurement takes away. What is left is b minus that.
        9        | That is the variance before. The measurement takes c²/(a + σ²) away.
        2.75     | You started from a. The variance of f₂ before is b = 9.
        2.2      | You started from a. The variance of f₂ before is b = 9.
        8        | You divided by b. Divide c² by the variance of what is seen, a + σ².
        """),
    right="Right. Noise makes what is seen less telling: without it, 1.88 and 6.75.",
    explanation="c/(a + σ²) = 3/5; the mean is 3/5 x 2.5 = 1.5, the variance 9 - 9/5 = 7.2.",
)  # fmt: skip

task("17.b", "A third level",
    start="Which two equations must the weights obey?",
    hints=[
        "Write C w = k as two equations, and eliminate one of the weights.",
        "2 w₁ + w₂ = 1.5 and w₁ + 2 w₂ = 0.5. Then the mean is w . t, the variance 2 - w . k.",
    ],
    mean=number("The mean", "5 / 6 * 1.2 + 1 / 6 * 0.9", to=0.006, slips="""
        1.5 / 2 * 1.2 - 0.5 / 2 * 0.9 | You treated the two seen values as independent. Solve C w = k with the whole
            matrix.
        1.5 * 1.2 - 0.5 * 0.9 | That is k . t. The weights are C⁻¹k.
        3.5 * 1.2 - 2.5 * 0.9 | You multiplied by C. The weights solve C w = k.
        0.9                   | That is the mean from the first value alone.
        -0.95                 | You exchanged the two covariances: 1.5 belongs to the first.
        0.85                  | The second weight is negative and so is the second target: their product counts
            positive.
        1                     | That is the first weight times the first value. The second value counts as well.
        """),
    variance=number("The variance", "2 - (5 / 6 * 1.5 - 1 / 6 * 0.5)", to=0.006, slips="""
        0.75           | Either you treated the two seen values as independent, or you dropped the second term of w . k.
            Solve C w = k with the whole matrix, and take both terms.
        2 - 1.5**2 / 2 | That is the variance given the first value alone.
        7 / 6          | That is what the two values take away. What is left is 2 minus that.
        (5 / 6)**0.5   | That is the standard deviation. Asked is the variance.
        2 - 1.15       | You subtracted the mean. The variance is 2 - w . k, without the targets.
        2 - 4 / 3      | Both weights were taken as positive: the second is -1/6.
        2              | That is the variance before. The measurements take w . k away.
        """),
    right="Right. Through t₁ alone t₂ would have the covariance 0.75 with f*. It has only 0.5: what is new in t₂ "
    "speaks against f*, hence the negative weight.",
    explanation="w = (5/6, -1/6): the mean is 1 + 0.15 = 1.15, the variance 2 - 1.25 + 1/12 = 0.8333. The second "
    "weight is negative: through t₁ alone t₂ would have the covariance 1.5 x 1/2 = 0.75 with f*, but it has only 0.5. "
    "So what is new in t₂ has the covariance -0.25 with f*.",
)  # fmt: skip

HALF = float(2 * sqrt(2 * log(2)))

task("17.c", "Half correlated",
    start="Which equation says that half of the correlation is left?",
    hints=[
        "Set exp(-d²/2ℓ²) equal to one half and take logarithms.",
        "d = 2 sqrt(2 ln 2); the covariance is v times the correlation.",
    ],
    distance=number("The distance", "2 * sqrt(2 * log(2))", to=0.006, slips="""
        HALF / 2               | That is for ℓ = 1. The distance is in units of ℓ.
        2 * sqrt(log(2))       | The 2 in 2ℓ² is missing: d² = 2 ℓ² ln 2.
        HALF**2                | That is d². Take the root.
        4 * log(2)             | You used ℓ instead of ℓ² under the root, or forgot the square of d.
        2 * sqrt(2 * log(6))   | You set the covariance, not the correlation, equal to one half: v drops out.
        2 * sqrt(2 * np.log10(2)) | The logarithm is the natural one: np.log.
        2                      | At ℓ the correlation is 0.61. It sinks to one half a little later.
        HALF / 4               | You divided by ℓ. The distance is proportional to it.
        2 * sqrt(2 * 2)        | You took 2 for ln 2.
        """),
    covariance=number("The covariance", "3 * 0.5", to=0.006, slips="""
        0.5           | That is the correlation. The covariance is v times as large.
        3             | That is the variance, the covariance at distance 0.
        3 * exp(-0.5) | That is the covariance at distance ℓ.
        3**0.5 / 2    | The covariance is v times the correlation, not its root: v is a variance already.
        4.5           | The kernel has v once, not squared.
        1 / 6         | Multiply the correlation by v.
        """),
    right="Right. Correlation forgets v; covariance does not.",
    explanation="d = ℓ sqrt(2 ln 2) = 2.355 km; the covariance there is 3 x 0.5 = 1.5.",
)  # fmt: skip

K1, C1 = float(exp(-0.5)), 1.25
LEFT = 1 - K1**2 / C1

task("17.d", "One point by hand",
    start="With one point C and k are single numbers. Which?",
    hints=[
        "The mean is k t / C with k = 0.6065 and C = 1.25.",
        "The variance of f is 1 - k²/C; a new t has 0.25 more.",
    ],
    mean=number("The mean", "exp(-1 / 2) * 2 / (1 + 0.25)", to=6e-4, slips="""
        2 * K1          | The noise is missing: divide by C = 1 + 0.25.
        2 * K1 / 1.0625 | You squared the noise variance: 0.25 is σ² already.
        2 * K1 / 1.5    | You added σ, not σ²: 0.25 is the variance.
        2 * K1**2 / C1  | The mean has k once, and k is exp(-1/2), not exp(-1): the kernel has 2ℓ² below.
        K1 / C1         | Multiply by the target, 2.
        2 / C1          | The covariance between the two places is missing: k = exp(-1/2).
        2 * K1 * C1     | Divide by C; you multiplied.
        2 * K1 / 0.25   | C is k(x, x) plus the noise: 1 + 0.25.
        """),
    f_variance=number("The variance of f", "1 - exp(-1 / 2)**2 / (1 + 0.25)", to=6e-4, slips="""
        1 - K1**2         | The noise is missing: divide k² by C = 1 + 0.25.
        1 - K1 / C1       | Square the covariance: k²/C.
        LEFT + 0.25       | That is the variance of a new measurement; it comes third.
        LEFT**0.5         | That is the standard deviation. Asked is the variance.
        K1**2 / C1        | That is what the point takes away. What is left is 1 minus that.
        1 - exp(-2) / C1  | The kernel has 2ℓ² below: k = exp(-1/2), so k² = exp(-1).
        1 - 2 * K1 / C1   | You subtracted the mean. The target does not enter the variance.
        1 - 2 * K1**2 / C1 | The target does not enter the variance: 1 - k²/C.
        1 + K1**2 / C1    | The point takes variance away: 1 minus k²/C.
        """),
    t_variance=number("The variance of a new t", "1 + 0.25 - exp(-1 / 2)**2 / (1 + 0.25)", to=6e-4, slips="""
        LEFT                 | That is the variance of f again. A new measurement has its own noise, σ² = 0.25 more.
        LEFT + 0.5           | Add σ² = 0.25, once.
        LEFT + 0.0625        | 0.25 is σ² already: do not square it.
        LEFT - 0.25          | Noise adds to the doubt.
        (LEFT + 0.25)**0.5   | That is the standard deviation. Asked is the variance.
        0.25                 | That is the noise alone. The curve is not known exactly either.
        LEFT**0.5 + 0.5      | Variances add, standard deviations do not.
        1.25                 | That is the variance before the point was seen.
        """),
    right="Right. One noisy point a length scale away takes a third of the variance, no more.",
    explanation="k = exp(-1/2) = 0.6065; mean 0.6065 x 2 / 1.25 = 0.970; variance of f 1 - 0.3679/1.25 = 0.706; "
    "of a new measurement 0.956.",
)  # fmt: skip


def no_targets(answer):
    """Raise Wrong with what is missing, where a target was chosen beside something else."""
    chosen = set(letters(answer, "ABCDE", ordered=False))
    absent = {"B": "another place", "C": "the noise", "E": "the kernel"}
    lacking = [words for letter, words in absent.items() if letter not in chosen]
    if chosen & {"A", "D"} and 0 < len(lacking) < 3:
        raise Wrong(f"No target stands in (17.11), and {' and '.join(lacking)} {'do' if lacking[1:] else 'does'}.")


task("17.e", "What moves the band", guard=no_targets,
    start="What stands in (17.11), and what does not?",
    hints=["The targets do not appear in (17.11).", "Places, kernel and noise do."],
    answer=spelt("The answer", "BCE", "ABCDE", ordered=False, slips="""
        ABCE  | Doubled targets double the mean; the variance (17.11) has no targets in it.
        ABCDE | Two of them change targets only. The variance (17.11) has no targets in it.
        BCDE  | Shifted targets shift the mean; the variance (17.11) has no targets in it.
        AD    | Those two change the mean only. The variance (17.11) has no targets in it.
        BC    | The kernel has a say, too: a shorter length scale lets points speak for less.
        BE    | The noise has a say, too: with more of it the points tell less about f.
        CE    | A measurement at a nearby place tells something about 5.5 km, whatever comes out.
        B     | Kernel and noise stand in (17.11), too.
        C     | Places and kernel stand in (17.11), too.
        E     | Places and noise stand in (17.11), too.
        A     | Doubled targets double the mean; the variance (17.11) has no targets in it. Something else has a say.
        D     | Shifted targets shift the mean; the variance (17.11) has no targets in it. Something else has a say.
        """),
    right="Right. Places, kernel and noise make the band; targets move its middle.",
    explanation="(17.11) has the places (B), the noise (C) and the kernel (E) in it, and no target (A, D).",
)  # fmt: skip

task("17.f", "Penalty and noise",
    start="What stands in (17.10) at the place that λ has in (17.13)?",
    hints=[
        "With the same kernel as the process, λ = σ².",
        "With a kernel that is 4 times smaller, λ is 4 times smaller.",
    ],
    scaled=number("λ for the scaled kernel", 0.5, rtol=1e-3, slips="""
        0.125    | That is for the plain kernel. With the process' own kernel λ is σ².
        2        | The factor is in the kernel already: λ = σ² there.
        8        | That is τ²/σ². With the process' own kernel λ is σ².
        0.25     | 0.5 is σ² already: do not square it.
        4        | That is τ². The penalty is the noise variance.
        0.5**0.5 | 0.5 is σ² already: no root is wanted.
        """),
    plain=number("λ for the plain kernel", "0.5 / 4", rtol=1e-3, slips="""
        0.5        | The kernel is 4 times smaller here, and λ with it.
        2          | The other way round: a smaller kernel wants a smaller λ, σ²/τ².
        8          | That is τ²/σ². Turn it upside down.
        0.25       | Divide by τ² = 4, not by τ.
        0.5 / 16   | τ² is 4 already: do not square it.
        0.0625     | 0.5 is σ² already: do not square it.
        0.125**0.5 | Variances are divided, not standard deviations: σ²/τ².
        """),
    right="Right. Only the ratio of noise to kernel decides the curve.",
    explanation="The process has the kernel 4 phi.phi', so there λ = σ² = 0.5; for phi.phi' alone it is σ²/τ² = 0.125.",
)  # fmt: skip

task("17.g", "Three kernels",
    start="What is ln p(t) of each, but for the constant?",
    hints=["The sums are -9.0, -7.6 and -9.2.", "A difference of logarithms is a factor: exp of it."],
    kernel=spelt("The best kernel", "B", "ABC", ordered=False, slips="""
        A   | A has the best fit. Its flexibility costs more than that: add both terms.
        C   | C has the best complexity term. Its fit costs more than that: add both terms.
        AB  | One letter is wanted, that of the largest sum.
        AC  | One letter is wanted, that of the largest sum.
        BC  | One letter is wanted, that of the largest sum.
        ABC | One letter is wanted, that of the largest sum.
        """),
    factor=number("The factor", "exp((-5.5 - 2.1) - (-3.0 - 6.0))", to=0.05, slips="""
        1.4      | That is the difference of the logarithms. The factor is its exponential.
        1.6      | That is the difference to C, of logarithms. Take the runner-up, and the exponential.
        exp(1.6) | That is the factor over C. The runner-up is A.
        10**1.4  | The logarithm is the natural one: exp(1.4).
        9 / 7.6  | Logarithms are subtracted, not divided: exp(-7.6 + 9.0).
        exp(-1.4) | That is one over the factor: how many times as probable is B?
        exp(2.5) | You compared the fits only.
        exp(3.9) | You compared the complexity terms only.
        2**1.4   | The logarithm is the natural one: exp(1.4).
        """),
    right="Right. B is neither the closest fit nor the stiffest, and it explains the data best, by a factor of four.",
    explanation="A -9.0, B -7.6, C -9.2. B is first, A second: exp(1.4) = 4.06.",
)  # fmt: skip


def gram_smooth(x, y, length, variance):
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    d = x[:, None] - y
    return variance * np.exp(-(d**2) / (2 * length**2))


task("17.1", "A Gram matrix", gram_smooth, what="The Gram matrix",
    cases=[
        (np.array([0.0, 1.0, 3.5]), np.array([0.5, 2.0]), 1.0, 1.0),
        (np.array([0.0, 1.0, 3.5]), np.array([0.5, 2.0]), 1.7, 3.0),
        (np.array([-2.0, 0.3]), np.array([4.0, 0.0, 1.0]), 0.6, 0.4),
        (np.array([5.0]), np.array([5.0, 6.0]), 3.0, 1.5),
    ],
    start="How do you get the differences of all pairs at once?",
    hints=["Square, divide by 2 length², exponential of minus that.", "Multiply by the variance at the end."],
    slips="""
        (2 * length**2) => length**2        | The 2 in 2 length² is missing.
        (2 * length**2) => (2 * length)     | Square the length scale: 2 length².
        -(d**2) => -abs(d)                  | Square the distance; that kernel is the rough one.
        -(d**2) / (2 * length**2) => -abs(d) / length | Square the distance; that kernel is the rough one.
        variance * np.exp => variance**2 * np.exp | The variance is v itself: do not square it.
        variance * np.exp => variance**0.5 * np.exp | The variance is v itself: no root.
        variance * np.exp => np.exp         | Multiply by the variance.
        -(d**2) => -d                       | Square the distance: (x - y)².
        variance * np.exp(- => np.exp(-variance * | The variance stands before the exponential, not in it.
        np.exp(- => np.exp(-variance *      | The variance stands before the exponential only.
        -(d**2) => (d**2)                   | Far places must be less similar: minus in the exponent.
        (2 * length**2) => length           | The distance is divided by 2 length², not by length.
        / (2 * length**2) => / 2 * length**2 | Python divides by 2 only: write / (2 * length**2).
        variance * np.exp => variance + np.exp | The variance is a factor, not a summand.
        / (2 * length**2) => * length       | In (17.6) the distance is divided by the length scale.
        / (2 * length**2) => * length / 2   | In (17.6) the distance is divided by 2 length².
        x[:, None] - y => x[:, None] - x    | You compared x with itself. The columns belong to y.
        x[:, None] - y => x - y[:, None]    | Rows belong to x and columns to y: transpose.
        """,
    right="Right. The whole prior is in this matrix.",
    explanation="Broadcasting makes all pairs at once; variance is v itself, no square and no root.",
)  # fmt: skip


def posterior(K, k, k_star, t, noise):
    C = K + noise * np.eye(len(t))
    w = np.linalg.solve(C, k)
    mean = w @ t
    f_variance = k_star - w @ k
    return mean, f_variance, f_variance + noise


def posterior_cases():
    rng = np.random.default_rng(172)
    four = [0, 1, 2, 3]
    K, k = gram_smooth(four, four, 1.0, 1.0), gram_smooth(four, [1.5], 1.0, 1.0)[:, 0]
    cases = [(K, k, 1.0, np.array([0.0, 1.0, 4.0, 9.0]), 0.1)]
    for n, length, v, noise in ((3, 0.8, 2.0, 0.3), (5, 1.4, 0.7, 1.2), (1, 1.0, 1.0, 0.25)):
        x, new = np.sort(rng.uniform(0, 4, n)), rng.uniform(0, 4, 1)
        cases.append((gram_smooth(x, x, length, v), gram_smooth(x, new, length, v)[:, 0], v, rng.normal(size=n), noise))
    return cases


task("17.2", "The posterior", posterior, cases=posterior_cases, what="The posterior",
    names="mean, variance of f, variance of t",
    start="Which matrix is the covariance of noisy targets?",
    hints=[
        "Build C from K and the noise, and solve C w = k.",
        "The mean is w . t, the variance of f is k_star - w . k; the third number is the second plus the noise.",
    ],
    slips="""
        K + noise * np.eye(len(t)) => K  | The noise is missing from C: K + noise times the unit matrix.
        noise * np.eye(len(t)) => noise  | K + noise adds the noise to every entry. It belongs on the diagonal:
            K + noise * np.eye(n).
        noise * np.eye => noise**2 * np.eye   | noise is a variance already: do not square it.
        noise * np.eye => noise**0.5 * np.eye | noise is a variance already: no root.
        f_variance + noise => f_variance      | The third number lacks the noise of the new measurement.
        f_variance, f_variance + noise => f_variance + noise, f_variance | You exchanged the variances: first that of f,
            then that of a new measurement.
        f_variance, f_variance + noise => f_variance**0.5, (f_variance + noise) ** 0.5 | Those are standard deviations.
            Return variances.
        f_variance, f_variance + noise => f_variance + noise, f_variance + noise | The variance of f itself has no noise
            of a new measurement in it: k_star - w . k.
        f_variance + noise => f_variance + 2 * noise | The variance of a new t has the noise once more than that of f,
            not twice.
        k_star - w @ k => k_star - w @ k + noise | Both variances have the noise once too often: that of f is
            k_star - w . k.
        np.linalg.solve(C, k) => C @ k         | You multiplied by C. The weights solve C w = k.
        np.linalg.solve(C, k) => k / np.diag(C) | You used the diagonal of C only. The points seen are correlated with
            each other.
        mean = w @ t => mean = k @ t           | Your mean is k . t. The weights are w = C⁻¹k: w . t.
        k_star - w @ k => k_star - w @ w       | You took w . w off. The variance of f is k_star - w . k.
        k_star - w @ k => k_star - k @ k       | You took k . k off. The variance of f is k_star - w . k.
        k_star - w @ k => k_star - w @ t       | You took the mean off. No target stands in the variance.
        k_star - w @ k => k_star + w @ k       | What is seen takes variance away: k_star minus w . k.
        k_star - w @ k => w @ k                | That is what the points take away. What is left is k_star minus w . k.
        f_variance + noise => f_variance + noise**2 | noise is a variance already: add it, not its square.
        """,
    right="Right. That is Gaussian-process regression, whole.",
    explanation="One system serves mean and variance; nothing is inverted.",
)  # fmt: skip


def evidence_terms(C, t):
    L = np.linalg.cholesky(C)
    z = np.linalg.solve(L, t)
    fit = -0.5 * z @ z
    complexity = -np.sum(np.log(np.diag(L)))
    constant = -0.5 * len(t) * np.log(2 * np.pi)
    return fit, complexity, fit + complexity + constant


def evidence_cases():
    rng = np.random.default_rng(173)
    squares = gram_smooth([0, 1, 2, 3], [0, 1, 2, 3], 1.0, 1.0) + 0.1 * np.eye(4)
    cases = [(squares, np.array([0.0, 1.0, 4.0, 9.0]))]
    for n, length, v, noise in ((3, 0.8, 2.0, 0.3), (6, 1.5, 0.6, 0.8)):
        x = np.sort(rng.uniform(0, 5, n))
        cases.append((gram_smooth(x, x, length, v) + noise * np.eye(n), rng.normal(size=n)))
    x = np.arange(200.0)
    cases.append((gram_smooth(x, x, 0.5, 0.002) + 0.001 * np.eye(200), 0.05 * rng.normal(size=200)))
    return cases


task("17.3", "Fit and complexity", evidence_terms, cases=evidence_cases, what="Your answer",
    names="fit, complexity, total",
    nan="Your answer is not finite: the determinant of 200 targets is below the smallest number. Add the logarithms of "
    "the root's diagonal.",
    start="Which root gives both terms?",
    hints=[
        "t' C⁻¹ t is |L⁻¹ t|²; ln|C| is twice the sum of ln L_ii.",
        "fit = -0.5 z.z with L z = t; complexity = -sum(log(diag(L))); add -n/2 log(2 pi).",
    ],
    slips="""
        fit = -0.5 * z @ z => fit = -z @ z | The fit has a factor 1/2.
        -np.sum(np.log => -2 * np.sum(np.log | The complexity is half of -ln|C|: -sum(log(diag(L))).
        -np.sum(np.log => -0.5 * np.sum(np.log | The sum of ln L_ii is already half of ln|C|: no further factor 1/2.
        complexity + constant => complexity | The third number lacks the constant -n/2 ln 2π.
        0.5 * len(t) * => 0.5 *             | The constant has the factor n: -n/2 ln 2π.
        0.5 * len(t) * => 2 *               | The constant is that of four targets. It is -n/2 ln 2π, with n = len(t).
        0.5 * len(t) * np.log(2 * np.pi) => 0.5 * np.log(2 * np.pi * len(t)) | n stands before the logarithm:
            -n/2 ln 2π.
        0.5 * len(t) * => len(t) *          | The constant is -n/2 ln 2π, with one half.
        complexity + constant => complexity - constant | The constant is subtracted: -n/2 ln 2π.
        fit = -0.5 => fit = 0.5             | The fit is negative: -1/2 t' C⁻¹ t.
        -np.sum(np.log => np.sum(np.log     | The complexity is -1/2 ln|C|: mind the sign.
        z @ z => t @ C @ t                  | You multiplied by C. The fit has its inverse: solve C a = t.
        np.log(np.diag(L)) => np.log10(np.diag(L)) | The logarithm is the natural one: np.log.
        z @ z => t @ t                      | The fit weighs the targets with C⁻¹: -1/2 t' C⁻¹ t.
        z @ z => t @ z                      | You applied L⁻¹ once. With z = L⁻¹ t the fit is -1/2 z . z.
        fit = -0.5 => fit = 0.5 ;; -np.sum(np.log => np.sum(np.log | Both terms have the wrong sign: -1/2 t' C⁻¹ t and
            -1/2 ln|C|.
        -np.sum(np.log(np.diag(L))) => -0.5 * np.sum(np.log(np.diag(C))) | That is the diagonal of C. The determinant
            needs the diagonal of its root L.
        """,
    right="Right. One root, three numbers, and no determinant was computed.",
    explanation="The determinant of 200 targets is below the smallest number of the computer; the sum of logarithms "
    "of the diagonal is not.",
)  # fmt: skip


def draw_posterior(K, K_cross, K_new, t, noise, z):
    C = K + noise * np.eye(len(t))
    W = np.linalg.solve(C, K_cross)
    mean = W.T @ t
    covariance = K_new - W.T @ K_cross
    return mean + np.linalg.cholesky(covariance) @ z


def draw_cases():
    rng = np.random.default_rng(174)
    cases = []
    for n, m, length, v, noise in ((3, 2, 1.0, 1.0, 0.1), (4, 3, 0.7, 2.0, 0.4), (2, 4, 0.5, 0.6, 1.1)):
        x, new = np.sort(rng.uniform(0, 5, n)), np.sort(rng.permutation(9)[:m] * 0.6)
        K, K_cross, K_new = (gram_smooth(*pair, length, v) for pair in ((x, x), (x, new), (new, new)))
        cases.append((K, K_cross, K_new, rng.normal(size=n), noise, rng.normal(size=m)))
    return cases


task("17.4", "Functions through the points", draw_posterior, cases=draw_cases, what="The function",
    rtol=1e-5, atol=1e-7,
    start="What are mean and covariance of the posterior, and how does one draw from a normal law?",
    hints=[
        "W = C⁻¹ K_cross has the weights as columns: the mean is W.T @ t, the covariance K_new - W.T @ K_cross.",
        "mean + np.linalg.cholesky(covariance) @ z.",
    ],
    slips="""
        return mean + => return                | The mean of the posterior is missing.
        K_new - W.T @ K_cross => K_new         | That is the root of the prior's covariance.
        np.linalg.cholesky(covariance) => covariance | You multiplied z by the covariance. Take its root.
        (covariance) @ z => (covariance).T @ z | That is the upper root. L z with the lower one is wanted.
        np.linalg.cholesky(covariance) @ => np.sqrt(np.diag(covariance)) * | You drew each place by itself. Neighbours
            are correlated: take the root of the whole covariance.
        K_new - W.T @ K_cross => K_new - W.T @ K_cross + noise * np.eye(len(z)) | Functions are asked for, not
            measurements: no noise is added at the new places.
        K + noise * np.eye(len(t)) => K        | The noise is missing from C: K + noise times the unit matrix.
        noise * np.eye => noise**2 * np.eye    | noise is a variance already: do not square it.
        mean + np.linalg.cholesky(covariance) => np.linalg.cholesky(K_new) | That is a function of the prior. Use the
            data.
        mean + np.linalg.cholesky(covariance) @ z => mean | That is the mean alone. Add the root of the covariance
            times z.
        np.linalg.cholesky(covariance) => (lambda values, U: U * np.sqrt(values))(*np.linalg.eigh(covariance)) | That is
            a root, too, but made of eigenvectors. Asked is the lower triangular one, np.linalg.cholesky.
        np.linalg.cholesky(covariance) => (lambda values, U: U * np.sqrt(values) @ U.T)(*np.linalg.eigh(covariance))
            | That is the symmetric root. Asked is the lower triangular one, np.linalg.cholesky.
        noise * np.eye => noise**0.5 * np.eye  | noise is a variance already: no root.
        noise * np.eye(len(t)) => noise        | K + noise adds the noise to every entry. It belongs on the diagonal:
            K + noise * np.eye(n).
        return mean + => return mean -         | Add the root times z; you subtracted it.
        """,
    right="Right. Draw many of them, and their spread is the band.",
    explanation="The posterior is normal with that mean and that covariance; (17.7) draws from it.",
)  # fmt: skip


def next_place(K, seen, noise):
    K, seen = np.asarray(K, dtype=float), list(seen)
    variance = np.diag(K).copy()
    if seen:
        C = K[np.ix_(seen, seen)] + noise * np.eye(len(seen))
        variance -= np.sum(K[seen] * np.linalg.solve(C, K[seen]), axis=0)
    return int(np.argmax(np.round(variance, 9)))


def place_cases():
    def uneven(x, variances):
        return np.sqrt(np.outer(variances, variances)) * gram_smooth(x, x, 1.5, 1.0)

    line = [0.0, 0.7, 1.9, 2.4, 4.1, 5.0, 7.2]
    K, other = gram_smooth(line, line, 1.5, 1.0), uneven(line, [0.3, 1.0, 0.6, 1.1, 0.5, 1.3, 0.4])
    close = uneven([0.4, 0.6, 0.8, 1.1, 2.9, 5.1], [1.4, 0.6, 1.4, 0.7, 1.5, 1.2])
    far = uneven([0.2, 0.8, 3.1, 3.5, 5.4], [0.8, 0.7, 1.4, 1.5, 0.6])
    A = np.random.default_rng(175).normal(size=(5, 3))
    G = A @ A.T + 0.1 * np.eye(5)
    return [
        (K, [2], 0.1), (K, [], 0.1), (K, [6, 4], 0.05), (K, [2], 0.8), (other, [5, 1], 0.2), (other, [5, 3], 6.0),
        (other, [], 1.0), (close, [2, 3], 0.3), (far, [1, 3], 3.0), (G, [0, 3], 0.3), (G, [1], 2.0), (G, [4, 2], 0.01),
        (G, [3], 3.0), (G, [4], 0.0),
    ]  # fmt: skip


def one_place(got):
    """Return a result if it is one number."""
    if isinstance(got, bool | np.bool_ | str) or np.size(got) != 1:
        raise Wrong(f"Return one whole number, the number of a candidate; got {brief(got)}.")
    return got


task("17.5", "The most uncertain place", next_place, cases=place_cases, what="The number of the place", read=one_place,
    start="Which formula says how uncertain f is at a candidate?",
    hints=[
        "With nothing seen the variances are the diagonal of K.",
        "C = K[np.ix_(seen, seen)] + noise I; take sum(K[seen] * solve(C, K[seen]), axis=0) off the diagonal.",
    ],
    slips="""
        argmax => argmin        | That is the place known best. Take the greatest.
        if seen: => if False:   | Those are the variances before anything was seen.
        return int => variance[seen] = -1; return int | A place may be measured again: with much noise it can still be
            the most uncertain.
        np.linalg.solve(C, K[seen]) => K[seen] / np.diag(C)[:, None] | You treated the places seen as independent. Solve
            with the whole matrix C.
        noise * np.eye => 1e-9 * np.eye | Your answer does not follow the noise that it is given:
            C = K[seen, seen] + noise I.
        noise * np.eye => noise**2 * np.eye | noise is a variance already: do not square it.
        return int => return 1 + int | Candidates are counted from 0, as numpy does.
        int(np.argmax(np.round(variance, 9))) => variance.max() | That is the greatest variance. Asked is the number of
            the place that has it: argmax.
        np.argmax(np.round(variance, 9)) => len(K) - 1 - np.argmax(np.round(variance, 9)[::-1]) | Of several equal
            places the first is asked for; yours is the last.
        np.diag(K).copy() => np.zeros(len(K)) | Start from the diagonal of K: the prior variances differ from place to
            place.
        list(seen) => list(seen)[-1:] | You used the last place seen only. All of them count.
        noise * np.eye(len(seen)) => noise | The noise belongs on the diagonal of C: noise * np.eye(n).
        return int => return 0 if not seen else int | With nothing seen, the greatest variance is on the diagonal of K.
        return int => variance[seen] += noise; return int | Compare the variance of f at all places, without the noise
            of a measurement.
        """,
    right="Right. Whoever knows the band knows where to measure next.",
    explanation="The variance has no targets in it, so the plan can be made before any measurement. A place that was "
    "measured may be the most uncertain one again, if its noise is large.",
)  # fmt: skip

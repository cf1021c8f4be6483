"""Tasks and exercises of chapter 17: conditioning, kernels, posteriors, bands, evidence, and draws."""

import numpy as np

from mlteach.exercises.base import Wrong, brief, call, exercise, expect_close, expect_function, expect_set, letters

# --- Tasks of the core ---------------------------------------------------------------------------------------------


@exercise(
    "17.a",
    "Two levels",
    start="How much does the noise change the variance of what is seen?",
    hints=[
        "What is the variance of t₁ = f₁ + ε, and what is its covariance with f₂?",
        "The variance of t₁ is 4 + 1 = 5; its covariance with f₂ is still 3. Put them into (17.2).",
    ],
    solution=(1.5, 7.2),
    explanation="c/(a + σ²) = 3/5; the mean is 3/5 x 2.5 = 1.5, the variance 9 - 9/5 = 7.2.",
)
def _(mean, variance):
    known = [
        (1.875, "That is c/a times t₁. The noise belongs to the variance of what is seen: a + σ²."),
        (7.5 / 9, "You divided by b, the variance of f₂. Divide by the variance of what is seen, a + σ²."),
        (0.75, "You divided by b + σ². The noise is in t₁: the variance of what is seen is a + σ²."),
        (0.6, "That is the weight c/(a + σ²). Multiply by t₁."),
        (0.5, "The covariance is missing: c/(a + σ²) times t₁."),
        (7.5, "That is c times t₁. Divide by a + σ²."),
        (12.5 / 3, "The fraction is upside down: c/(a + σ²)."),
        (1.25, "You used the correlation. The weight is c/(a + σ²), with covariance and variance."),
        (2.5, "That is t₁ itself. What it says about f₂ has the weight c/(a + σ²)."),
    ]
    expect_close(mean, 1.5, "The mean", known=known, rtol=0, atol=0.006, reveal=False)
    known = [
        (6.75, "That is b - c²/a. The noise belongs to the variance of what is seen: a + σ²."),
        (8.2, "You added σ² at the end. f₂ itself has no noise: b - c²/(a + σ²)."),
        (7.75, "You added σ² at the end. Noise on t₁ changes the divisor: b - c²/(a + σ²)."),
        (8.4, "Square the covariance: c²/(a + σ²)."),
        (10.8, "What is seen takes variance away: b minus c²/(a + σ²)."),
        (7.2**0.5, "That is the standard deviation. Asked is the variance."),
        (1.8, "That is what the measurement takes away. What is left is b minus that."),
        (9.0, "That is the variance before. The measurement takes c²/(a + σ²) away."),
        (2.75, "You started from a. The variance of f₂ before is b = 9."),
        (2.2, "You started from a. The variance of f₂ before is b = 9."),
        (8.0, "You divided by b. Divide c² by the variance of what is seen, a + σ²."),
    ]
    expect_close(variance, 7.2, "The variance", known=known, rtol=0, atol=0.006, reveal=False)
    return "Right. Noise makes what is seen less telling: without it, 1.88 and 6.75."


@exercise(
    "17.b",
    "A third level",
    start="Find the weights from C w = k, as in the example.",
    hints=[
        "Write C w = k as two equations, and eliminate one of the weights.",
        "2 w₁ + w₂ = 1.5 and w₁ + 2 w₂ = 0.5. Then the mean is w . t, the variance 2 - w . k.",
    ],
    solution=(1.15, 5 / 6),
    explanation="w = (5/6, -1/6): the mean is 1 + 0.15 = 1.15, the variance 2 - 1.25 + 1/12 = 0.8333. The second "
    "weight is negative: through t₁ alone t₂ would have the covariance 1.5 x 1/2 = 0.75 with f*, but it has only 0.5. "
    "So what is new in t₂ has the covariance -0.25 with f*.",
)
def _(mean, variance):
    t, k, C = np.array([1.2, -0.9]), np.array([1.5, 0.5]), np.array([[2.0, 1.0], [1.0, 2.0]])
    known = [
        (float(k / 2 @ t), "You treated the two seen values as independent. Solve C w = k with the whole matrix."),
        (float(k @ t), "That is k . t. The weights are C⁻¹k."),
        (float((C @ k) @ t), "You multiplied by C. The weights solve C w = k."),
        (0.9, "That is the mean from the first value alone."),
        (float(k[::-1] @ np.linalg.solve(C, t)), "You exchanged the two covariances: 1.5 belongs to the first."),
        (0.85, "The second weight is negative and so is the second target: their product counts positive."),
        (1.0, "That is the first weight times the first value. The second value counts as well."),
    ]
    expect_close(mean, 1.15, "The mean", known=known, rtol=0, atol=0.006, reveal=False)
    known = [
        (
            0.75,
            "Either you treated the two seen values as independent, or you dropped the second term of w . k. Solve "
            "C w = k with the whole matrix, and take both terms.",
        ),
        (2 - 1.5**2 / 2, "That is the variance given the first value alone."),
        (7 / 6, "That is what the two values take away. What is left is 2 minus that."),
        ((5 / 6) ** 0.5, "That is the standard deviation. Asked is the variance."),
        (2 - 1.15, "You subtracted the mean. The variance is 2 - w . k, without the targets."),
        (2 - 4 / 3, "Both weights were taken as positive: the second is -1/6."),
        (2.0, "That is the variance before. The measurements take w . k away."),
    ]
    expect_close(variance, 5 / 6, "The variance", known=known, rtol=0, atol=0.006, reveal=False)
    return (
        "Right. Through t₁ alone t₂ would have the covariance 0.75 with f*. It has only 0.5: what is new in t₂ speaks "
        "against f*, hence the negative weight."
    )


@exercise(
    "17.c",
    "Half correlated",
    start="Which equation says that half of the correlation is left?",
    hints=[
        "Set exp(-d²/2ℓ²) equal to one half and take logarithms.",
        "d = 2 sqrt(2 ln 2); the covariance is v times the correlation.",
    ],
    solution=(2 * np.sqrt(2 * np.log(2)), 1.5),
    explanation="d = ℓ sqrt(2 ln 2) = 2.355 km; the covariance there is 3 x 0.5 = 1.5.",
)
def _(distance, covariance):
    right = 2 * np.sqrt(2 * np.log(2))
    known = [
        (right / 2, "That is for ℓ = 1. The distance is in units of ℓ."),
        (2 * np.sqrt(np.log(2)), "The 2 in 2ℓ² is missing: d² = 2 ℓ² ln 2."),
        (right**2, "That is d². Take the root."),
        (4 * np.log(2), "You used ℓ instead of ℓ² under the root, or forgot the square of d."),
        (8 * np.log(2), "That is d². Take the root."),
        (2 * np.sqrt(2 * np.log(6)), "You set the covariance, not the correlation, equal to one half: v drops out."),
        (2 * np.sqrt(2 * np.log10(2)), "The logarithm is the natural one: np.log."),
        (2.0, "At ℓ the correlation is 0.61. It sinks to one half a little later."),
        (np.sqrt(2 * np.log(2)) / 2, "You divided by ℓ. The distance is proportional to it."),
        (2 * np.sqrt(2 * 2), "You took 2 for ln 2."),
    ]
    expect_close(distance, right, "The distance", known=known, rtol=0, atol=0.006, reveal=False)
    known = [
        (0.5, "That is the correlation. The covariance is v times as large."),
        (3.0, "That is the variance, the covariance at distance 0."),
        (3 * np.exp(-0.5), "That is the covariance at distance ℓ."),
        (3**0.5 / 2, "The covariance is v times the correlation, not its root: v is a variance already."),
        (4.5, "The kernel has v once, not squared."),
        (1 / 6, "Multiply the correlation by v."),
    ]
    expect_close(covariance, 1.5, "The covariance", known=known, rtol=0, atol=0.006, reveal=False)
    return "Right. Correlation forgets v; covariance does not."


@exercise(
    "17.d",
    "One point by hand",
    start="With one point C and k are single numbers. Which?",
    hints=[
        "The mean is k t / C with k = 0.6065 and C = 1.25.",
        "The variance of f is 1 - k²/C; a new t has 0.25 more.",
    ],
    solution=(
        2 * np.exp(-0.5) / 1.25,
        1 - np.exp(-1) / 1.25,
        1.25 - np.exp(-1) / 1.25,
    ),
    explanation="k = exp(-1/2) = 0.6065; mean 0.6065 x 2 / 1.25 = 0.970; variance of f 1 - 0.3679/1.25 = 0.706; "
    "of a new measurement 0.956.",
)
def _(mean, f_variance, t_variance):
    k, C = np.exp(-0.5), 1.25
    known = [
        (2 * k, "The noise is missing: divide by C = 1 + 0.25."),
        (2 * k / 1.0625, "You squared the noise variance: 0.25 is σ² already."),
        (2 * k / 1.5, "You added σ, not σ²: 0.25 is the variance."),
        (2 * np.exp(-1) / C, "The kernel has 2ℓ² below: exp(-1/2), not exp(-1)."),
        (k / C, "Multiply by the target, 2."),
        (2 / C, "The covariance between the two places is missing: k = exp(-1/2)."),
        (2 * k**2 / C, "The mean has k once: k t / C."),
        (2 * k * C, "Divide by C; you multiplied."),
        (2 * k / 0.25, "C is k(x, x) plus the noise: 1 + 0.25."),
    ]
    expect_close(mean, 2 * k / C, "The mean", known=known, rtol=0, atol=6e-4, reveal=False)
    right = 1 - k**2 / C
    known = [
        (1 - k**2, "The noise is missing: divide k² by C = 1 + 0.25."),
        (1 - k / C, "Square the covariance: k²/C."),
        (right + 0.25, "That is the variance of a new measurement; it comes third."),
        (right**0.5, "That is the standard deviation. Asked is the variance."),
        (k**2 / C, "That is what the point takes away. What is left is 1 minus that."),
        (1 - np.exp(-2) / C, "The kernel has 2ℓ² below: k = exp(-1/2), so k² = exp(-1)."),
        (1 - 2 * k / C, "You subtracted the mean. The target does not enter the variance."),
        (1 - 2 * k**2 / C, "The target does not enter the variance: 1 - k²/C."),
        (1 + k**2 / C, "The point takes variance away: 1 minus k²/C."),
    ]
    expect_close(f_variance, right, "The variance of f", known=known, rtol=0, atol=6e-4, reveal=False)
    known = [
        (right, "That is the variance of f again. A new measurement has its own noise, σ² = 0.25 more."),
        (right + 0.5, "Add σ² = 0.25, once."),
        (right + 0.0625, "0.25 is σ² already: do not square it."),
        (right - 0.25, "Noise adds to the doubt."),
        ((right + 0.25) ** 0.5, "That is the standard deviation. Asked is the variance."),
        (0.25, "That is the noise alone. The curve is not known exactly either."),
        (right**0.5 + 0.5, "Variances add, standard deviations do not."),
        (1.25, "That is the variance before the point was seen."),
    ]
    expect_close(t_variance, right + 0.25, "The variance of a new t", known=known, rtol=0, atol=6e-4, reveal=False)
    return "Right. One noisy point a length scale away takes a third of the variance, no more."


@exercise(
    "17.e",
    "What moves the band",
    start="Look at (17.10).",
    hints=["The targets do not appear in (17.10).", "Places, kernel and noise do."],
    solution="BCE",
    explanation="(17.10) has the places (B), the noise (C) and the kernel (E) in it, and no target (A, D).",
)
def _(answer):
    chosen = set(letters(answer, "ABCDE", ordered=False))
    known = [
        ("ABCE", "Doubled targets double the mean; the variance (17.10) has no targets in it."),
        ("ABCDE", "Two of them change targets only. The variance (17.10) has no targets in it."),
        ("BCDE", "Shifted targets shift the mean; the variance (17.10) has no targets in it."),
        ("AD", "Those two change the mean only. The variance (17.10) has no targets in it."),
        ("BC", "The kernel has a say, too: a shorter length scale lets points speak for less."),
        ("BE", "The noise has a say, too: with more of it the points tell less about f."),
        ("CE", "A measurement at a nearby place tells something about 5.5 km, whatever comes out."),
        ("B", "Kernel and noise stand in (17.10), too."),
        ("C", "Places and kernel stand in (17.10), too."),
        ("E", "Places and noise stand in (17.10), too."),
        ("A", "Doubled targets double the mean; the variance (17.10) has no targets in it. Something else has a say."),
        ("D", "Shifted targets shift the mean; the variance (17.10) has no targets in it. Something else has a say."),
    ]
    known = {frozenset(wrong): words for wrong, words in known}
    absent = {"B": "another place", "C": "the noise", "E": "the kernel"}
    lacking = [words for letter, words in absent.items() if letter not in chosen]
    if chosen & {"A", "D"} and lacking and frozenset(chosen) not in known:
        raise Wrong(f"No target stands in (17.10), and {' and '.join(lacking)} {'do' if lacking[1:] else 'does'}.")
    expect_set(chosen, "BCE", "Your letters", known=[(set(wrong), words) for wrong, words in known.items()])
    return "Right. Places, kernel and noise make the band; targets move its middle."


@exercise(
    "17.f",
    "Penalty and noise",
    start="Compare (17.9) with (17.12).",
    hints=[
        "With the same kernel as the process, λ = σ².",
        "With a kernel that is 4 times smaller, λ is 4 times smaller.",
    ],
    solution=(0.5, 0.125),
    explanation="The process has the kernel 4 phi.phi', so there λ = σ² = 0.5; for phi.phi' alone it is σ²/τ² = 0.125.",
)
def _(scaled, plain):
    known = [
        (0.125, "That is for the plain kernel. With the process' own kernel λ is σ²."),
        (2.0, "The factor is in the kernel already: λ = σ² there."),
        (8.0, "That is τ²/σ². With the process' own kernel λ is σ²."),
        (0.25, "0.5 is σ² already: do not square it."),
        (4.0, "That is τ². The penalty is the noise variance."),
        (0.5**0.5, "0.5 is σ² already: no root is wanted."),
    ]
    expect_close(scaled, 0.5, "λ for the scaled kernel", known=known, rtol=1e-3, reveal=False)
    known = [
        (0.5, "The kernel is 4 times smaller here, and λ with it."),
        (2.0, "The other way round: a smaller kernel wants a smaller λ, σ²/τ²."),
        (8.0, "That is τ²/σ². Turn it upside down."),
        (0.25, "Divide by τ² = 4, not by τ."),
        (0.5 / 16, "τ² is 4 already: do not square it."),
        (0.0625, "0.5 is σ² already: do not square it."),
        (0.125**0.5, "Variances are divided, not standard deviations: σ²/τ²."),
    ]
    expect_close(plain, 0.125, "λ for the plain kernel", known=known, rtol=1e-3, reveal=False)
    return "Right. Only the ratio of noise to kernel decides the curve."


@exercise(
    "17.g",
    "Three kernels",
    start="What is ln p(t) of each, but for the constant?",
    hints=["The sums are -9.0, -7.6 and -9.2.", "A difference of logarithms is a factor: exp of it."],
    solution=("B", float(np.exp(1.4))),
    explanation="A -9.0, B -7.6, C -9.2. B is first, A second: exp(1.4) = 4.06.",
)
def _(kernel, factor):
    chosen = letters(kernel, "ABC", ordered=False)
    if len(chosen) != 1:
        raise Wrong(f"One letter is wanted, A, B or C; got {brief(kernel)}.")
    (letter,) = chosen
    if letter == "A":
        raise Wrong("A has the best fit. Its flexibility costs more than that: add both terms.")
    if letter == "C":
        raise Wrong("C has the best complexity term. Its fit costs more than that: add both terms.")
    known = [
        (1.4, "That is the difference of the logarithms. The factor is its exponential."),
        (1.6, "That is the difference to C, of logarithms. Take the runner-up, and the exponential."),
        (np.exp(1.6), "That is the factor over C. The runner-up is A."),
        (10**1.4, "The logarithm is the natural one: exp(1.4)."),
        (9 / 7.6, "Logarithms are subtracted, not divided: exp(-7.6 + 9.0)."),
        (np.exp(-1.4), "That is one over the factor: how many times as probable is B?"),
        (np.exp(2.5), "You compared the fits only."),
        (np.exp(3.9), "You compared the complexity terms only."),
        (2**1.4, "The logarithm is the natural one: exp(1.4)."),
    ]
    expect_close(factor, np.exp(1.4), "The factor", known=known, rtol=0, atol=0.05, reveal=False)
    return "Right. B is neither the closest fit nor the stiffest, and it explains the data best, by a factor of four."


# --- Exercises at the end ------------------------------------------------------------------------------------------


def gram_smooth(x, y, length, variance):
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    return variance * np.exp(-((x[:, None] - y) ** 2) / (2 * length**2))


@exercise(
    "17.1",
    "A Gram matrix",
    start="Differences of all pairs first: x[:, None] - y has the shape (n, m).",
    hints=["Square, divide by 2 length², exponential of minus that.", "Multiply by the variance at the end."],
    solution=gram_smooth,
    explanation="Broadcasting makes all pairs at once; variance is v itself, no square and no root.",
)
def _(answer):
    cases = [
        (np.array([0.0, 1.0, 3.5]), np.array([0.5, 2.0]), 1.0, 1.0),
        (np.array([0.0, 1.0, 3.5]), np.array([0.5, 2.0]), 1.7, 3.0),
        (np.array([-2.0, 0.3]), np.array([4.0, 0.0, 1.0]), 0.6, 0.4),
        (np.array([5.0]), np.array([5.0, 6.0]), 3.0, 1.5),
    ]

    def slip(form):
        return lambda x, y, length, variance: form(x[:, None] - y, length, variance)

    slips = [
        (slip(lambda d, l, v: v * np.exp(-(d**2) / l**2)), "The 2 in 2 length² is missing."),
        (slip(lambda d, l, v: v * np.exp(-(d**2) / (2 * l))), "Square the length scale: 2 length²."),
        (
            slip(lambda d, l, v: v * np.exp(-np.abs(d) / (2 * l**2))),
            "Square the distance; that kernel is the rough one.",
        ),
        (slip(lambda d, l, v: v * np.exp(-np.abs(d) / l)), "Square the distance; that kernel is the rough one."),
        (slip(lambda d, l, v: v**2 * np.exp(-(d**2) / (2 * l**2))), "The variance is v itself: do not square it."),
        (slip(lambda d, l, v: np.sqrt(v) * np.exp(-(d**2) / (2 * l**2))), "The variance is v itself: no root."),
        (slip(lambda d, l, v: np.exp(-(d**2) / (2 * l**2))), "Multiply by the variance."),
        (slip(lambda d, l, v: v * np.exp(-d / (2 * l**2))), "Square the distance: (x - y)²."),
        (
            slip(lambda d, l, v: np.exp(-v * d**2 / (2 * l**2))),
            "The variance stands before the exponential, not in it.",
        ),
        (slip(lambda d, l, v: v * np.exp(-v * d**2 / (2 * l**2))), "The variance stands before the exponential only."),
        (
            slip(lambda d, l, v: v * np.exp(d**2 / (2 * l**2))),
            "Far places must be less similar: minus in the exponent.",
        ),
        (slip(lambda d, l, v: v * np.exp(-(d**2) / l)), "The distance is divided by 2 length², not by length."),
        (slip(lambda d, l, v: v * np.exp(-(d**2) / 2 * l**2)), "Python divides by 2 only: write / (2 * length**2)."),
        (slip(lambda d, l, v: v + np.exp(-(d**2) / (2 * l**2))), "The variance is a factor, not a summand."),
        (slip(lambda d, l, v: v * np.exp(-(d**2) * l)), "In (17.6) the distance is divided by the length scale."),
        (slip(lambda d, l, v: v * np.exp(-l * d**2 / 2)), "In (17.6) the distance is divided by 2 length²."),
        (
            lambda x, y, length, variance: gram_smooth(x, x, length, variance),
            "You compared x with itself. The columns belong to y.",
        ),
        (
            lambda x, y, length, variance: gram_smooth(y, x, length, variance),
            "Rows belong to x and columns to y: transpose.",
        ),
    ]
    expect_function(answer, gram_smooth, cases, "The Gram matrix", slips=slips)
    return "Right. The whole prior is in this matrix."


def posterior(K, k, k_star, t, noise):
    C = K + noise * np.eye(len(t))
    w = np.linalg.solve(C, k)
    variance = k_star - w @ k
    return w @ t, variance, variance + noise


def _posterior_cases():
    rng = np.random.default_rng(172)
    cases = []
    example = gram_smooth([0, 1, 2, 3], [0, 1, 2, 3], 1.0, 1.0)
    cases.append((example, gram_smooth([0, 1, 2, 3], [1.5], 1.0, 1.0)[:, 0], 1.0, np.array([0.0, 1.0, 4.0, 9.0]), 0.1))
    for n, length, v, noise in ((3, 0.8, 2.0, 0.3), (5, 1.4, 0.7, 1.2), (1, 1.0, 1.0, 0.25)):
        x, new = np.sort(rng.uniform(0, 4, n)), rng.uniform(0, 4, 1)
        cases.append((gram_smooth(x, x, length, v), gram_smooth(x, new, length, v)[:, 0], v, rng.normal(size=n), noise))
    return cases


def _with_solver(solver, *, add=True):
    """Return a posterior that solves another system, and adds the noise at the end or not."""

    def wrong(K, k, k_star, t, noise):
        w = solver(K, k, noise)
        variance = k_star - w @ k
        return w @ t, variance, variance + noise if add else variance

    return wrong


def _with_parts(mean=lambda k, w, t: w @ t, taken=lambda k, w, t: w @ k):
    """Return a posterior with another mean, or with something else taken off the prior variance."""

    def wrong(K, k, k_star, t, noise):
        w = np.linalg.solve(K + noise * np.eye(len(t)), k)
        variance = k_star - taken(k, w, t)
        return mean(k, w, t), variance, variance + noise

    return wrong


@exercise(
    "17.2",
    "The posterior",
    start="Which matrix is the covariance of noisy targets?",
    hints=[
        "Build C from K and the noise, and solve C w = k.",
        "The mean is w . t, the variance of f is k_star - w . k; the third number is the second plus the noise.",
    ],
    solution=posterior,
    explanation="One system serves mean and variance; nothing is inverted.",
)
def _(answer):
    slips = [
        (
            _with_solver(lambda K, k, noise: np.linalg.solve(K, k)),
            "The noise is missing from C: K + noise times the unit matrix.",
        ),
        (
            _with_solver(lambda K, k, noise: np.linalg.solve(K + noise, k)),
            "K + noise adds the noise to every entry. It belongs on the diagonal: K + noise * np.eye(n).",
        ),
        (
            _with_solver(lambda K, k, noise: np.linalg.solve(K + noise**2 * np.eye(len(k)), k)),
            "noise is a variance already: do not square it.",
        ),
        (
            _with_solver(lambda K, k, noise: np.linalg.solve(K + np.sqrt(noise) * np.eye(len(k)), k)),
            "noise is a variance already: no root.",
        ),
        (
            _with_solver(lambda K, k, noise: np.linalg.solve(K + noise * np.eye(len(k)), k), add=False),
            "The third number lacks the noise of the new measurement.",
        ),
        (
            lambda K, k, k_star, t, noise: _swapped(posterior(K, k, k_star, t, noise)),
            "You exchanged the variances: first that of f, then that of a new measurement.",
        ),
        (
            lambda K, k, k_star, t, noise: _roots(posterior(K, k, k_star, t, noise)),
            "Those are standard deviations. Return variances.",
        ),
        (
            lambda K, k, k_star, t, noise: _plus(posterior(K, k, k_star, t, noise), noise),
            "The variance of f itself has no noise of a new measurement in it: k_star - w . k.",
        ),
        (
            lambda K, k, k_star, t, noise: _two_noises(K, k, k_star, t, noise),
            "The variance of a new t has the noise once more than that of f, not twice.",
        ),
        (
            lambda K, k, k_star, t, noise: _plus(_two_noises(K, k, k_star, t, noise), noise),
            "Both variances have the noise once too often: that of f is k_star - w . k.",
        ),
        (
            _with_solver(lambda K, k, noise: (K + noise * np.eye(len(k))) @ k),
            "You multiplied by C. The weights solve C w = k.",
        ),
        (
            _with_solver(lambda K, k, noise: k / (np.diag(K) + noise)),
            "You used the diagonal of C only. The points seen are correlated with each other.",
        ),
        (_with_parts(mean=lambda k, w, t: k @ t), "Your mean is k . t. The weights are w = C⁻¹k: w . t."),
        (_with_parts(taken=lambda k, w, t: w @ w), "You took w . w off. The variance of f is k_star - w . k."),
        (_with_parts(taken=lambda k, w, t: k @ k), "You took k . k off. The variance of f is k_star - w . k."),
        (_with_parts(taken=lambda k, w, t: w @ t), "You took the mean off. No target stands in the variance."),
        (_with_parts(taken=lambda k, w, t: -w @ k), "What is seen takes variance away: k_star minus w . k."),
        (
            lambda K, k, k_star, t, noise: _taken(posterior(K, k, k_star, t, noise), k_star, noise),
            "That is what the points take away. What is left is k_star minus w . k.",
        ),
        (
            lambda K, k, k_star, t, noise: _squared_noise(posterior(K, k, k_star, t, noise), noise),
            "noise is a variance already: add it, not its square.",
        ),
    ]
    expect_function(
        answer, posterior, _posterior_cases(), "The posterior", slips=slips, names="mean, variance of f, variance of t"
    )
    return "Right. That is Gaussian-process regression, whole."


def _swapped(result):
    return result[0], result[2], result[1]


def _roots(result):
    return result[0], result[1] ** 0.5, result[2] ** 0.5


def _plus(result, noise):
    return result[0], result[1] + noise, result[2]


def _taken(result, k_star, noise):
    return result[0], k_star - result[1], k_star - result[1] + noise


def _squared_noise(result, noise):
    return result[0], result[1], result[1] + noise**2


def _two_noises(K, k, k_star, t, noise):
    mean, f, t_variance = posterior(K, k, k_star, t, noise)
    return mean, f, t_variance + noise


def evidence_terms(C, t):
    L = np.linalg.cholesky(C)
    z = np.linalg.solve(L, t)
    fit, complexity = -0.5 * z @ z, -np.sum(np.log(np.diag(L)))
    return fit, complexity, fit + complexity - 0.5 * len(t) * np.log(2 * np.pi)


def _evidence_cases():
    rng = np.random.default_rng(173)
    squares = gram_smooth([0, 1, 2, 3], [0, 1, 2, 3], 1.0, 1.0) + 0.1 * np.eye(4)
    cases = [(squares, np.array([0.0, 1.0, 4.0, 9.0]))]
    for n, length, v, noise in ((3, 0.8, 2.0, 0.3), (6, 1.5, 0.6, 0.8)):
        x = np.sort(rng.uniform(0, 5, n))
        cases.append((gram_smooth(x, x, length, v) + noise * np.eye(n), rng.normal(size=n)))
    x = np.arange(400.0)
    cases.append((gram_smooth(x, x, 0.5, 0.002) + 0.001 * np.eye(400), 0.05 * rng.normal(size=400)))
    return cases


def _terms(fit, log_det, constant):
    """Return wrong terms made of functions of (C, t)."""

    def wrong(C, t):
        a, b = fit(C, t), log_det(C, t)
        return a, b, a + b + constant(t)

    return wrong


def _quadratic(C, t):
    return t @ np.linalg.solve(C, t)


def _log_det(C, t):
    return np.linalg.slogdet(C)[1]


def _constant(t):
    return -0.5 * len(t) * np.log(2 * np.pi)


@exercise(
    "17.3",
    "Fit and complexity",
    start="Which root gives both terms?",
    hints=[
        "t' C⁻¹ t is |L⁻¹ t|²; ln|C| is twice the sum of ln L_ii.",
        "fit = -0.5 z.z with L z = t; complexity = -sum(log(diag(L))); add -n/2 log(2 pi).",
    ],
    solution=evidence_terms,
    explanation="The determinant of 400 targets is below the smallest number of the computer; the sum of logarithms "
    "of the diagonal is not.",
)
def _(answer):
    def fit(C, t):
        return -0.5 * _quadratic(C, t)

    def complexity(C, t):
        return -0.5 * _log_det(C, t)

    slips = [
        (_terms(lambda C, t: -_quadratic(C, t), complexity, _constant), "The fit has a factor 1/2."),
        (_terms(fit, lambda C, t: -_log_det(C, t), _constant), "The complexity is half of -ln|C|: -sum(log(diag(L)))."),
        (
            _terms(fit, lambda C, t: 0.5 * complexity(C, t), _constant),
            "The sum of ln L_ii is already half of ln|C|: no further factor 1/2.",
        ),
        (_terms(fit, complexity, lambda t: 0.0), "The third number lacks the constant -n/2 ln 2π."),
        (
            _terms(fit, complexity, lambda t: -0.5 * np.log(2 * np.pi)),
            "The constant has the factor n: -n/2 ln 2π.",
        ),
        (
            _terms(fit, complexity, lambda t: -2 * np.log(2 * np.pi)),
            "The constant is that of four targets. It is -n/2 ln 2π, with n = len(t).",
        ),
        (
            _terms(fit, complexity, lambda t: -0.5 * np.log(2 * np.pi * len(t))),
            "n stands before the logarithm: -n/2 ln 2π.",
        ),
        (_terms(fit, complexity, lambda t: -len(t) * np.log(2 * np.pi)), "The constant is -n/2 ln 2π, with one half."),
        (
            _terms(fit, complexity, lambda t: 0.5 * len(t) * np.log(2 * np.pi)),
            "The constant is subtracted: -n/2 ln 2π.",
        ),
        (_terms(lambda C, t: -fit(C, t), complexity, _constant), "The fit is negative: -1/2 t' C⁻¹ t."),
        (_terms(fit, lambda C, t: -complexity(C, t), _constant), "The complexity is -1/2 ln|C|: mind the sign."),
        (
            _terms(lambda C, t: -0.5 * t @ C @ t, complexity, _constant),
            "You multiplied by C. The fit has its inverse: solve C a = t.",
        ),
        (
            _terms(fit, lambda C, t: complexity(C, t) / np.log(10), _constant),
            "The logarithm is the natural one: np.log.",
        ),
        (
            _terms(lambda C, t: -0.5 * t @ t, complexity, _constant),
            "The fit weighs the targets with C⁻¹: -1/2 t' C⁻¹ t.",
        ),
        (
            _terms(lambda C, t: -0.5 * t @ np.linalg.solve(np.linalg.cholesky(C), t), complexity, _constant),
            "You applied L⁻¹ once. With z = L⁻¹ t the fit is -1/2 z . z.",
        ),
        (
            _terms(lambda C, t: -fit(C, t), lambda C, t: -complexity(C, t), _constant),
            "Both terms have the wrong sign: -1/2 t' C⁻¹ t and -1/2 ln|C|.",
        ),
        (
            _terms(fit, lambda C, t: -0.5 * np.log(np.diag(C)).sum(), _constant),
            "That is the diagonal of C. The determinant needs the diagonal of its root L.",
        ),
    ]
    for case in _evidence_cases():
        got = call(answer, *case)
        if np.shape(got) == (3,) and not np.isfinite(np.asarray(got, dtype=float)).all():
            raise Wrong(
                f"For {len(case[1])} targets your answer is not finite: the determinant is below the smallest number. "
                f"Add the logarithms of the root's diagonal."
            )
    expect_function(
        answer, evidence_terms, _evidence_cases(), "Your answer", slips=slips, names="fit, complexity, total"
    )
    return "Right. One root, three numbers, and no determinant was computed."


def draw_posterior(K, K_cross, K_new, t, noise, z):
    C = K + noise * np.eye(len(t))
    W = np.linalg.solve(C, K_cross)
    return W.T @ t + np.linalg.cholesky(K_new - W.T @ K_cross) @ z


def _draw_cases():
    rng = np.random.default_rng(174)
    cases = []
    for n, m, length, v, noise in ((3, 2, 1.0, 1.0, 0.1), (4, 3, 0.7, 2.0, 0.4), (2, 4, 0.5, 0.6, 1.1)):
        x, new = np.sort(rng.uniform(0, 5, n)), np.sort(rng.permutation(9)[:m] * 0.6)
        cases.append(
            (
                gram_smooth(x, x, length, v),
                gram_smooth(x, new, length, v),
                gram_smooth(new, new, length, v),
                rng.normal(size=n),
                noise,
                rng.normal(size=m),
            )
        )
    return cases


def _draw_with(mean, covariance, root):
    def wrong(K, K_cross, K_new, t, noise, z):
        W = np.linalg.solve(K + noise * np.eye(len(t)), K_cross)
        return mean(W, t) + root(covariance(W, K_cross, K_new, noise)) @ z

    return wrong


def _eigen_root(S):
    values, vectors = np.linalg.eigh(S)
    return vectors * np.sqrt(np.maximum(values, 0))


def _symmetric_root(S):
    return _eigen_root(S) @ np.linalg.eigh(S)[1].T


@exercise(
    "17.4",
    "Functions through the points",
    start="Mean and covariance of the posterior first; then the root of the covariance.",
    hints=[
        "W = C⁻¹ K_cross has the weights as columns: the mean is W.T @ t, the covariance K_new - W.T @ K_cross.",
        "mean + np.linalg.cholesky(covariance) @ z.",
    ],
    solution=draw_posterior,
    explanation="The posterior is normal with that mean and that covariance; (17.7) draws from it.",
)
def _(answer):
    def mean(W, t):
        return W.T @ t

    def covariance(W, K_cross, K_new, noise):
        return K_new - W.T @ K_cross

    chol = np.linalg.cholesky
    slips = [
        (_draw_with(lambda W, t: 0.0, covariance, chol), "The mean of the posterior is missing."),
        (_draw_with(mean, lambda W, c, new, noise: new, chol), "That is the root of the prior's covariance."),
        (_draw_with(mean, covariance, lambda S: S), "You multiplied z by the covariance. Take its root."),
        (
            _draw_with(mean, covariance, lambda S: chol(S).T),
            "That is the upper root. L z with the lower one is wanted.",
        ),
        (
            _draw_with(mean, covariance, lambda S: np.diag(np.sqrt(np.diag(S)))),
            "You drew each place by itself. Neighbours are correlated: take the root of the whole covariance.",
        ),
        (
            _draw_with(mean, lambda W, c, new, noise: covariance(W, c, new, noise) + noise * np.eye(len(new)), chol),
            "Functions are asked for, not measurements: no noise is added at the new places.",
        ),
        (
            lambda K, K_cross, K_new, t, noise, z: draw_posterior(K, K_cross, K_new, t, 1e-12, z),
            "The noise is missing from C: K + noise times the unit matrix.",
        ),
        (
            lambda K, K_cross, K_new, t, noise, z: draw_posterior(K, K_cross, K_new, t, noise**2, z),
            "noise is a variance already: do not square it.",
        ),
        (lambda K, K_cross, K_new, t, noise, z: chol(K_new) @ z, "That is a function of the prior. Use the data."),
        (
            lambda K, K_cross, K_new, t, noise, z: mean(np.linalg.solve(K + noise * np.eye(len(t)), K_cross), t),
            "That is the mean alone. Add the root of the covariance times z.",
        ),
        (
            _draw_with(mean, covariance, _eigen_root),
            "That is a root, too, but made of eigenvectors. Asked is the lower triangular one, np.linalg.cholesky.",
        ),
        (
            _draw_with(mean, covariance, _symmetric_root),
            "That is the symmetric root. Asked is the lower triangular one, np.linalg.cholesky.",
        ),
        (
            lambda K, K_cross, K_new, t, noise, z: draw_posterior(K, K_cross, K_new, t, noise**0.5, z),
            "noise is a variance already: no root.",
        ),
        (
            lambda K, K_cross, K_new, t, noise, z: draw_posterior(
                K + noise - noise * np.eye(len(t)), K_cross, K_new, t, noise, z
            ),
            "K + noise adds the noise to every entry. It belongs on the diagonal: K + noise * np.eye(n).",
        ),
        (_draw_with(mean, covariance, lambda S: -chol(S)), "Add the root times z; you subtracted it."),
    ]
    expect_function(answer, draw_posterior, _draw_cases(), "The function", slips=slips, rtol=1e-5, atol=1e-7)
    return "Right. Draw many of them, and their spread is the band."


def next_place(K, seen, noise):
    K, seen = np.asarray(K, dtype=float), list(seen)
    variance = np.diag(K).copy()
    if seen:
        C = K[np.ix_(seen, seen)] + noise * np.eye(len(seen))
        variance -= np.sum(K[seen] * np.linalg.solve(C, K[seen]), axis=0)
    return int(np.argmax(np.round(variance, 9)))


def _place_cases():
    rng = np.random.default_rng(175)
    line = np.array([0.0, 0.7, 1.9, 2.4, 4.1, 5.0, 7.2])
    K = gram_smooth(line, line, 1.5, 1.0)
    uneven = np.sqrt(np.array([0.3, 1.0, 0.6, 1.1, 0.5, 1.3, 0.4]))
    cases = [(K, [2], 0.1), (K, [], 0.1), (K, [6, 4], 0.05), (np.outer(uneven, uneven) * K, [5, 1], 0.2)]
    cases += [(np.outer(uneven, uneven) * K, [5, 3], 6.0), (np.outer(uneven, uneven) * K, [], 1.0)]
    close, size = np.array([0.4, 0.6, 0.8, 1.1, 2.9, 5.1]), np.sqrt([1.4, 0.6, 1.4, 0.7, 1.5, 1.2])
    cases.append((np.outer(size, size) * gram_smooth(close, close, 1.5, 1.0), [2, 3], 0.3))
    far, size = np.array([0.2, 0.8, 3.1, 3.5, 5.4]), np.sqrt([0.8, 0.7, 1.4, 1.5, 0.6])
    cases.append((np.outer(size, size) * gram_smooth(far, far, 1.5, 1.0), [1, 3], 3.0))
    A = rng.normal(size=(5, 3))
    cases += [(A @ A.T + 0.1 * np.eye(5), [0, 3], 0.3), (A @ A.T + 0.1 * np.eye(5), [1], 2.0)]
    cases += [(A @ A.T + 0.1 * np.eye(5), [4, 2], 0.01), (A @ A.T + 0.1 * np.eye(5), [3], 3.0)]
    return cases


def _place_with(score):
    def wrong(K, seen, noise):
        K, seen = np.asarray(K, dtype=float), list(seen)
        return int(np.argmax(np.round(score(K, seen, noise), 9)))

    return wrong


def _left(K, seen, noise):
    variance = np.diag(K).copy()
    if seen:
        C = K[np.ix_(seen, seen)] + noise * np.eye(len(seen))
        variance -= np.sum(K[seen] * np.linalg.solve(C, K[seen]), axis=0)
    return variance


def _never_again(K, seen, noise):
    variance = _left(K, seen, noise)
    variance[seen] = -1
    return variance


def _one_at_a_time(K, seen, noise):
    variance = np.diag(K).copy()
    for i in seen:
        variance -= K[i] ** 2 / (K[i, i] + noise)
    return variance


def _noise_everywhere(K, seen, noise):
    variance = np.diag(K).copy()
    if seen:
        variance -= np.sum(K[seen] * np.linalg.solve(K[np.ix_(seen, seen)] + noise, K[seen]), axis=0)
    return variance


def _not_empty(K, seen, noise):
    return next_place(K, seen, noise) if len(seen) else 0


@exercise(
    "17.5",
    "The most uncertain place",
    start="Which formula says how uncertain f is at a candidate?",
    hints=[
        "With nothing seen the variances are the diagonal of K.",
        "C = K[np.ix_(seen, seen)] + noise I; take sum(K[seen] * solve(C, K[seen]), axis=0) off the diagonal.",
    ],
    solution=next_place,
    explanation="The variance has no targets in it, so the plan can be made before any measurement. A place that was "
    "measured may be the most uncertain one again, if its noise is large.",
)
def _(answer):
    cases = _place_cases()
    for case in cases:
        got = call(answer, *case)
        if isinstance(got, bool | np.bool_) or np.size(got) != 1 or isinstance(got, str):
            raise Wrong(f"Return one whole number, the number of a candidate; got {brief(got)}.")
    slips = [
        (
            _place_with(lambda K, seen, noise: -_left(K, seen, noise)),
            "That is the place known best. Take the greatest.",
        ),
        (_place_with(lambda K, seen, noise: np.diag(K)), "Those are the variances before anything was seen."),
        (
            _place_with(_never_again),
            "A place may be measured again: with much noise it can still be the most uncertain.",
        ),
        (_place_with(_one_at_a_time), "You treated the places seen as independent. Solve with the whole matrix C."),
        (
            _place_with(lambda K, seen, noise: _left(K, seen, 1e-9)),
            "Your answer does not follow the noise that it is given: C = K[seen, seen] + noise I.",
        ),
        (
            _place_with(lambda K, seen, noise: _left(K, seen, noise**2)),
            "noise is a variance already: do not square it.",
        ),
        (
            lambda K, seen, noise: next_place(K, seen, noise) + 1,
            "Candidates are counted from 0, as numpy does.",
        ),
        (
            lambda K, seen, noise: float(_left(np.asarray(K, dtype=float), list(seen), noise).max()),
            "That is the greatest variance. Asked is the number of the place that has it: argmax.",
        ),
        (
            lambda K, seen, noise: len(K) - 1 - next_place(K[::-1, ::-1], [len(K) - 1 - i for i in seen], noise),
            "Of several equal places the first is asked for; yours is the last.",
        ),
        (
            _place_with(lambda K, seen, noise: _left(K, seen, noise) - np.diag(K)),
            "Start from the diagonal of K: the prior variances differ from place to place.",
        ),
        (
            lambda K, seen, noise: next_place(K, list(seen)[-1:], noise),
            "You used the last place seen only. All of them count.",
        ),
        (_place_with(_noise_everywhere), "The noise belongs on the diagonal of C: noise * np.eye(n)."),
        (_not_empty, "With nothing seen, the greatest variance is on the diagonal of K."),
        (
            _place_with(lambda K, seen, noise: _left(K, seen, noise) + noise * np.isin(np.arange(len(K)), seen)),
            "Compare the variance of f at all places, without the noise of a measurement.",
        ),
    ]
    expect_function(answer, next_place, cases, "The number of the place", slips=slips)
    return "Right. Whoever knows the band knows where to measure next."

"""Tasks and exercises of chapter 22: axes, errors, small matrices, posteriors, factors and unmixing."""

import numpy as np

from mlteach.exercises.base import exercise, expect_close, expect_function

# --- Tasks of the core ---------------------------------------------------------------------------------------------


@exercise(
    "22.a",
    "Variance along an axis",
    start="Which equation gives the variance along u?",
    hints=[
        "(22.1): u'Su, with the off-diagonal entry counted twice.",
        "0.36 x 5 + 2 x 0.48 x 2 + 0.64 x 2. The largest is an eigenvalue: λ² - 7λ + 6 = 0.",
    ],
    solution=(5.0, 6.0),
    explanation="1.8 + 1.92 + 1.28 = 5. The eigenvalues of S solve λ² - 7λ + (10 - 4) = 0: 6 and 1.",
)
def _(variance, largest):
    known = [
        (4.04, "The off-diagonal entry counts twice: u₁u₂S₁₂ + u₂u₁S₂₁."),
        (3.08, "The off-diagonal terms are missing: 2 u₁u₂S₁₂."),
        (5.0**0.5, "That is the standard deviation. Asked is the variance."),
        (7.4, "The entries of u are squared in u'Su: 0.36 and 0.64."),
        (6.2, "The entries of u are squared in u'Su: 0.36 and 0.64."),
        (7.0, "That is the trace, the variance along both axes together."),
        (5.96, "You exchanged the entries of u: 0.6 belongs to the first feature."),
        (3.5, "That is the mean of the two variances. Use u'Su."),
        (6.0, "That is the largest variance along any axis. The one along u comes first."),
    ]
    expect_close(variance, 5.0, "The variance along u", known=known, rtol=0, atol=0.006, reveal=False)
    known = [
        (1.0, "That is the smallest variance, the other eigenvalue."),
        (3.0, "That is half the right value: is λ² - 7λ + 6 = 0 solved by it?"),
        (12.0, "That is more than the trace, 7: no axis has so much."),
        (5.0, "That is the variance along one axis that was given. Others have more: look for the eigenvalues of S."),
        (7.0, "That is the trace. One axis cannot hold the variance of both."),
        (6.0**0.5, "That is the standard deviation. Asked is the variance."),
        (29**0.5, "That is the length of a column of S. The largest u'Su is the largest eigenvalue."),
    ]
    expect_close(largest, 6.0, "The largest variance", known=known, rtol=0, atol=0.006, reveal=False)
    return "Right. The best axis is (2, 1)/√5; the given one loses 1 of 6."


@exercise(
    "22.b",
    "What is lost",
    start="Which eigenvalues are left out?",
    hints=["(22.7): the error is the sum of the eigenvalues left out.", "1.2 + 0.8; and 12 of 14."],
    solution=(2.0, 12 / 14),
    explanation="The error is 1.2 + 0.8 = 2, the kept share 12/14 = 0.857.",
)
def _(error, share):
    known = [
        (12.0, "That is what is kept. The error is the sum of the eigenvalues left out."),
        (1.0, "That is their mean, the noise of probabilistic PCA. The error is their sum."),
        (0.8, "Two components are left out, not one."),
        (2 / 14, "That is the share that is lost. Asked is the error itself."),
        (1.2, "Two components are left out, not one."),
        (2.0**0.5, "That is the root. Asked is the mean squared error."),
        (1.2**2 + 0.8**2, "Eigenvalues are variances already: do not square them."),
        (4.0, "That is an eigenvalue that you keep. The error is the sum of those left out."),
        (12 / 14, "That is the share. The error comes first."),
    ]
    expect_close(error, 2.0, "The error", known=known, rtol=0, atol=0.006, reveal=False)
    known = [
        (2 / 14, "That is the share that is lost."),
        (0.5, "That is the share of the components, not of the variance."),
        (8 / 14, "That is the first component alone."),
        (12.0, "Divide by the sum of all eigenvalues."),
        ((64 + 16) / (64 + 16 + 1.44 + 0.64), "Eigenvalues are variances already: do not square them."),
        (6.0, "That is kept over lost. A share is kept over all."),
        *((percent, "A share is a number between 0 and 1, not per cent.") for percent in (85.7, 85.71, 1200 / 14, 86)),
    ]
    expect_close(share, 12 / 14, "The share", known=known, rtol=0, atol=6e-4, reveal=False)
    return "Right. Kept and lost add up to the trace, 14."


@exercise(
    "22.c",
    "Fifty photographs",
    start="How many directions do 50 centred points span at most?",
    hints=["d = 9,000 pixels, N = 50.", "At least d - N + 1 zeros; the small matrix is N x N."],
    solution=(8951, 2500),
    explanation="50 centred points span 49 of 9,000 directions at most: 8,951 zeros. The small matrix is 50 x 50.",
)
def _(zeros, entries):
    known = [
        (8950, "Centring takes one more direction away: 50 centred points span 49 at most."),
        (8949, "Two too few: d - (N - 1)."),
        (2500, "That is the number of entries of the small matrix. The zeros come first."),
        (49, "That is how many need not be zero. Asked is the number of zeros."),
        (50, "That is the number of photographs. The zeros are the other directions."),
        (0, "50 points cannot vary in 9,000 directions."),
        (9000, "Not all: the points vary in up to 49 directions."),
    ]
    expect_close(zeros, 8951, "The number of zeros", known=known, rtol=0, atol=1e-6, reveal=False)
    known = [
        (50, "That is its number of rows. It has 50 x 50 entries."),
        (49 * 49, "It has a row for each photograph: 50 x 50 entries."),
        (9000**2, "That is the large matrix, S."),
        (450_000, "That is the table of data. The small matrix holds inner products of photographs."),
        (1275, "Symmetric entries were counted once. The matrix has 50 x 50 entries."),
        (1225, "The matrix has 50 x 50 entries."),
    ]
    expect_close(entries, 2500, "The number of entries", known=known, rtol=0, atol=1e-6, reveal=False)
    return "Right. 2,500 numbers instead of 81 million."


@exercise(
    "22.d",
    "Three rules",
    start="Running sums for the first rule, single shares for the second.",
    hints=[
        "Running sums: 4, 6, 6.7, 7.3, 7.9, 8.45, 8.9, 9.3, ... Five per cent of 10 is 0.5.",
        "For the elbow: the straight line falls by 3.65/9 = 0.406 a step. Which eigenvalue lies farthest below it?",
    ],
    solution=(8, 6, 2),
    explanation="Eight components reach 9.3 of 10 (seven only 8.9). Six exceed 0.5. The line from 4 to 0.35 stands at "
    "3.19 over the third eigenvalue, 0.7, the largest gap: two stand before it.",
)
def _(share, each, elbow):
    known = [
        (7, "Seven components hold 8.9 of 10, which is 89 %."),
        (9, "That is for 95 %; or you kept one too many: eight hold 93 %."),
        (2, "Two hold 60 %."),
        (6, "That is the second rule, or a running sum of 8.45."),
        (4, "Four hold 7.3 of 10, which is 73 %."),
        (10, "Eight hold 93 % already."),
    ]
    expect_close(share, 8, "The 90 % rule", known=known, rtol=0, atol=1e-6, reveal=False)
    known = [
        (5, "0.55 of 10 is 5.5 %: it counts too."),
        (7, "0.45 of 10 is 4.5 %, less than 5 %."),
        (10, "You compared with 0.05. The shares are eigenvalues over their sum, 10."),
        (2, "0.7 of 10 is 7 %: it counts too."),
        (3, "0.6 of 10 is 6 %: it counts too."),
        (4, "There are two eigenvalues of 0.6, and 0.55 of 10 is 5.5 %."),
        (8, "That is the 90 % rule."),
    ]
    expect_close(each, 6, "The 5 % rule", known=known, rtol=0, atol=1e-6, reveal=False)
    known = [
        (3, "The third eigenvalue is the bend itself. Keep those before it."),
        (1, "The second eigenvalue lies 1.59 below the line, the third 2.49."),
        (4, "The fourth eigenvalue lies 2.18 below the line, the third 2.49; and keep those before the bend."),
        (8, "That is the 90 % rule."),
        (6, "That is the 5 % rule."),
    ]
    expect_close(elbow, 2, "The elbow", known=known, rtol=0, atol=1e-6, reveal=False)
    return "Right. 8, 6 or 2: three rules, three questions."


@exercise(
    "22.e",
    "One hidden number",
    start="With one hidden number M is a number. Which?",
    hints=["M = 2² + 1² + 0.5 = 5.5, and W'(x - µ) = 2 x 3 + 1 x 1.", "Mean 7/5.5, variance 0.5/5.5."],
    solution=(7 / 5.5, 0.5 / 5.5),
    explanation="M = 5 + 0.5 = 5.5. Mean 7/5.5 = 1.273, variance 0.5/5.5 = 0.091.",
)
def _(mean, variance):
    known = [
        (7 / 5, "That is the foot on the axis, counted in lengths of W: no noise, no prior. M also contains σ²."),
        (7 / 5**0.5, "That is PCA's code, for an axis of length 1. Divide by M = W'W + σ²."),
        (0.5 / 5.5, "That is the variance. The mean comes first."),
        (7 / 6, "You took σ² = 1. It is 0.5."),
        (7.0, "That is W'(x - µ). Divide by M."),
        (7 / 5.25, "0.5 is σ² already: do not square it."),
        (7 / 3.5, "Square the entries of W: W'W = 4 + 1."),
        (38.5, "Divide by M; you multiplied."),
        (3.5 / 5.5, "The mean has no σ² in front: M⁻¹W'(x - µ)."),
    ]
    expect_close(mean, 7 / 5.5, "The mean", known=known, rtol=0, atol=6e-4, reveal=False)
    known = [
        (1 / 5.5, "Multiply by σ²: the covariance is σ²M⁻¹."),
        (2.75, "That is σ²M. The covariance is σ²M⁻¹: more noise means more doubt, a steeper W less."),
        (0.1, "That is σ²/W'W. M also contains σ²."),
        ((0.5 / 5.5) ** 0.5, "That is the standard deviation. Asked is the variance."),
        (0.25 / 5.5, "0.5 is σ² already: do not square it."),
        (5.5, "That is M. The variance is σ²/M."),
        (0.5, "That is the noise of x. The variance of z is σ²/M."),
        (1.0, "That is the variance of z before x is seen."),
    ]
    expect_close(variance, 0.5 / 5.5, "The variance", known=known, rtol=0, atol=6e-4, reveal=False)
    return "Right. Without noise z would be 1.4, the foot in lengths of W; the prior pulls it towards 0."


@exercise(
    "22.f",
    "Counting",
    start="A covariance is symmetric: count each pair once.",
    hints=["d(d + 1)/2 for the full one; d m + d for loadings and noise.", "The rank is at most N - 1."],
    solution=(210, 60, 11),
    explanation="20 x 21/2 = 210; 20 x 2 + 20 = 60; 12 centred points span at most 11 directions.",
)
def _(full, factor, rank):
    known = [
        (400, "The matrix is symmetric: count each pair once, d(d + 1)/2."),
        (190, "The variances on the diagonal count too: d(d + 1)/2."),
        (20, "Those are the variances. The covariances count too."),
        (230, "The mean is not part of the covariance."),
        (60, "That is the number for loadings and noise. The full covariance comes first."),
    ]
    expect_close(full, 210, "The full covariance", known=known, rtol=0, atol=1e-6, reveal=False)
    known = [
        (40, "The noise counts too: 20 variances."),
        (41, "Factor analysis has one noise variance per feature, 20 of them; one for all is probabilistic PCA."),
        (22, "The loadings are d x m numbers."),
        (80, "The mean is not part of the covariance."),
        (59, "The rotation of the factors was not to be subtracted."),
        (44, "The noise has one variance per feature, not per factor."),
    ]
    expect_close(factor, 60, "Loadings and noise", known=known, rtol=0, atol=1e-6, reveal=False)
    known = [
        (12, "Centring takes one direction away."),
        (20, "12 samples cannot span 20 directions."),
        (2, "That is the rank of the loadings. Asked is the sample covariance."),
        (13, "Centring takes a direction away, it adds none."),
    ]
    expect_close(rank, 11, "The rank", known=known, rtol=0, atol=1e-6, reveal=False)
    return "Right. 210 numbers from a matrix of rank 11: no wonder that it is singular."


@exercise(
    "22.g",
    "Density of a mixture",
    start="What are the sources at x = 0, and their densities?",
    hints=["g'(0) = 1/4 for each source.", "|det W| = |2 x (-1) - 0| = 2."],
    solution=0.125,
    explanation="(22.20): |det W| x 1/4 x 1/4 = 2/16 = 0.125.",
)
def _(density):
    known = [
        (-0.125, "The determinant is -2, but volumes are positive: |det W|."),
        (1 / 16, "The factor |det W| is missing."),
        (1 / 32, "|det W| multiplies: W takes a small cell of x to a larger one of s."),
        (0.5, "There are two sources: 1/4 for each. Or the sigmoid itself was used, not its slope."),
        (np.log(0.125), "That is the logarithm of the density."),
        (1 / 8 + 3 / 8, "The densities of independent sources multiply."),
        (2.0, "The densities of the two sources at 0 are missing."),
        (0.25, "That is the density of one source."),
    ]
    expect_close(density, 0.125, "The density", known=known, rtol=0, atol=6e-4, reveal=False)
    return "Right. The bars matter: det W = -2."


# --- Exercises -----------------------------------------------------------------------------------------------------


def _points(n, d, seed, shift=3.0):
    rng = np.random.default_rng(seed)
    return (rng.normal(size=(n, d)) * np.arange(d, 0, -1)) @ np.linalg.qr(rng.normal(size=(d, d)))[0] + shift


def rebuild(X, m):
    mean = X.mean(axis=0)
    _, U = np.linalg.eigh((X - mean).T @ (X - mean) / len(X))
    U = U[:, ::-1][:, :m]
    return mean + (X - mean) @ U @ U.T


def _rebuilt(pick=lambda U, m: U[:, ::-1][:, :m], centre=True, back=True):
    def answer(X, m):
        mean = X.mean(axis=0) * centre
        U = pick(np.linalg.eigh((X - mean).T @ (X - mean) / len(X))[1], m)
        return X.mean(axis=0) * back * centre + (X - mean) @ U @ U.T

    return answer


def _axes(X, m):
    return np.linalg.eigh(np.cov(X.T))[1][:, ::-1][:, :m]


def _codes(X, m):
    return (X - X.mean(axis=0)) @ _axes(X, m)


def _axes_of_origin(X, m):
    U = np.linalg.eigh(X.T @ X)[1][:, ::-1][:, :m]
    return X.mean(axis=0) + (X - X.mean(axis=0)) @ U @ U.T


def _by_correlations(X, m):
    U = np.linalg.eigh(np.corrcoef(X.T))[1][:, ::-1][:, :m]
    return X.mean(axis=0) + (X - X.mean(axis=0)) @ U @ U.T


TEN = np.array(
    [(2.5, 2.4), (0.5, 0.7), (2.2, 2.9), (1.9, 2.2), (3.1, 3), (2.3, 2.7), (2, 1.6), (1, 1.1), (1.5, 1.6), (1.1, 0.9)]
)


@exercise(
    "22.1",
    "There and back",
    start="Centre first; then which eigenvectors?",
    hints=[
        "eigh returns the smallest eigenvalue first: the last m columns are wanted.",
        "mean + (X - mean) @ U @ U.T with U of shape (d, m).",
    ],
    solution=rebuild,
    explanation="U U' projects on the plane; the mean goes off before and comes back after.",
)
def _(answer):
    expect_function(
        answer,
        rebuild,
        [(TEN, 1), (_points(30, 4, 0), 2), (_points(12, 5, 1, -2.0), 3), (_points(20, 3, 2), 3)],
        "The picture",
        slips=[
            (_rebuilt(lambda U, m: U[:, :m]), "Those are the axes of least variance: eigh puts the smallest first."),
            (_rebuilt(back=False), "The mean is missing: add it back after the projection."),
            (_rebuilt(centre=False), "Centre first: axes through the origin are not principal axes of these points."),
            (_axes_of_origin, "Centre before you form the matrix: the axes of X'X are not those of the covariance."),
            (
                lambda X, m: rebuild(X, m) + X.mean(axis=0) @ _axes(X, m) @ _axes(X, m).T,
                "Project X - mean, not X: the mean is counted twice.",
            ),
            (lambda X, m: X, "That is X itself: keep only m axes."),
            (lambda X, m: X - rebuild(X, m), "That is what is lost, X minus its picture. Asked is the picture."),
            (_codes, "Those are the codes (n, m). Rebuild the points from them: Z U' and the mean."),
            (
                lambda X, m: rebuild(X / X.std(axis=0), m) * X.std(axis=0),
                "You standardised first. The plane is wanted for the points as they are.",
            ),
            (
                _by_correlations,
                "Those are eigenvectors of the correlations. Take those of the covariance.",
            ),
            (lambda X, m: rebuild(X, 1), "You kept one axis whatever m is."),
            (lambda X, m: rebuild(X, 2), "You kept two axes whatever m is."),
            (lambda X, m: np.tile(X.mean(axis=0), (len(X), 1)), "That is the mean alone: add z_k u_k for each axis."),
            (
                _rebuilt(lambda U, m: U[::-1][:m].T),
                "You took rows of U. The eigenvectors are its columns.",
            ),
            (
                _rebuilt(lambda U, m: U[:m].T),
                "You took rows of U. The eigenvectors are its columns.",
            ),
        ],
    )
    return "Right. Its mean squared error is the sum of the eigenvalues left out."


def lift(X, v, lam):
    u = X.T @ v
    return u / np.linalg.norm(u)


def _small(n, d, seed, which, length):
    X = np.random.default_rng(seed).normal(size=(n, d))
    X = X - X.mean(axis=0)
    lam, V = np.linalg.eigh(X @ X.T / n)
    return X, length * V[:, which], float(lam[which])


@exercise(
    "22.2",
    "From the small matrix",
    start="(22.9); but v need not have length 1.",
    hints=["X.T @ v has the right direction.", "Divide by its length: it need not be √(n λ) if v is not of length 1."],
    solution=lift,
    explanation="Dividing by the length works for any v; for a v of length 1 it is √(N λ).",
)
def _(answer):
    expect_function(
        answer,
        lift,
        [_small(4, 10, 0, -1, 1.0), _small(3, 8, 1, -2, -2.5), _small(6, 7, 2, -3, 0.3)],
        "The axis",
        slips=[
            (
                lambda X, v, lam: X.T @ v / np.sqrt(len(X) * lam),
                "Right only if v has length 1. Here it may have any: divide by the length of X'v.",
            ),
            (lambda X, v, lam: X.T @ v / np.sqrt(lam), "N is missing under the root, and v may have any length."),
            (lambda X, v, lam: X.T @ v / (len(X) * lam), "The root is missing, and v may have any length."),
            (lambda X, v, lam: X.T @ v, "The axis must have length 1: divide by its length."),
            (lambda X, v, lam: -lift(X, v, lam), "It points the other way. It should point as X'v does."),
            (
                lambda X, v, lam: X.T @ v / (np.linalg.norm(v) * np.sqrt(lam)),
                "N is missing under the root: √(N λ).",
            ),
            (
                lambda X, v, lam: X.T @ v / np.linalg.norm(v),
                "v has length 1 now, X'v has not: divide by the length of X'v.",
            ),
            (lambda X, v, lam: X.T @ v / np.sum((X.T @ v) ** 2), "Divide by the length of X'v, not by its square."),
            (
                lambda X, v, lam: np.linalg.eigh(X.T @ X)[1][:, -1],
                "That is always the first axis. Wanted is the one that belongs to v.",
            ),
            (
                lambda X, v, lam: -np.linalg.eigh(X.T @ X)[1][:, -1],
                "That is always the first axis. Wanted is the one that belongs to v.",
            ),
            (
                lambda X, v, lam: X.T @ v / (np.sqrt(len(X)) * np.sqrt(lam) * (v @ v)),
                "Divide by the length of v, not by its square.",
            ),
        ],
    )
    return "Right. All that is large here is one product with X'."


def ppca_log_density(x, mu, W, s2):
    d = len(x)
    C = W @ W.T + s2 * np.eye(d)
    r = x - mu
    return -0.5 * (d * np.log(2 * np.pi) + np.linalg.slogdet(C)[1] + r @ np.linalg.solve(C, r))


def _density(change):
    def answer(x, mu, W, s2):
        d, r = len(x), x - mu
        return change(d, r, W, s2)

    return answer


def _normal(d, r, C, constant=True, half=True, det=1.0, inverse=True):
    logs = det * np.linalg.slogdet(C)[1] + d * np.log(2 * np.pi) * constant
    return -0.5 * (logs + r @ (np.linalg.solve(C, r) if inverse else C @ r)) * (1 if half else 2)


def _across(r, W, s2):
    return r - W @ np.linalg.solve(W.T @ W + s2 * np.eye(W.shape[1]), W.T @ r)


@exercise(
    "22.3",
    "How likely is a point?",
    start="Which covariance has x?",
    hints=["(22.11): C = W W' + σ² I.", "-½ (d ln 2π + ln |C| + r' C⁻¹ r) with r = x - µ; np.linalg.slogdet helps."],
    solution=ppca_log_density,
    explanation="x is normal with mean µ and covariance W W' + σ² I; z has been summed out.",
)
def _(answer):
    rng = np.random.default_rng(3)
    W3 = np.array([[1, 0], [0.5, 1], [0, 2.0]])
    cases = [(np.array([2.0, 1, 4]), np.array([1.0, 2, 3]), W3, 0.5)]
    for d, m, s2 in ((3, 1, 0.2), (5, 2, 1.7), (4, 3, 0.05)):
        W = rng.normal(size=(d, m))
        cases.append((rng.normal(size=d), rng.normal(size=d), W, s2))
    expect_function(
        answer,
        ppca_log_density,
        cases,
        "The log density",
        slips=[
            (
                _density(lambda d, r, W, s2: _normal(d, r, W @ W.T + s2**2 * np.eye(d))),
                "s2 is σ² already: do not square it.",
            ),
            (
                _density(lambda d, r, W, s2: _normal(d, r, W @ W.T + np.sqrt(s2) * np.eye(d))),
                "The covariance has σ² on the diagonal, not σ.",
            ),
            (
                _density(lambda d, r, W, s2: _normal(d, r, s2 * np.eye(d))),
                "W is missing: the covariance is W W' + σ² I.",
            ),
            (
                _density(lambda d, r, W, s2: _normal(d, r, W @ W.T + s2 * np.eye(d), constant=False)),
                "d ln 2π is missing.",
            ),
            (
                _density(lambda d, r, W, s2: _normal(d, r, W @ W.T + s2 * np.eye(d), half=False)),
                "The factor ½ is missing.",
            ),
            (_density(lambda d, r, W, s2: _normal(d, r, W @ W.T + s2 * np.eye(d), det=0.0)), "ln |C| is missing."),
            (
                _density(lambda d, r, W, s2: _normal(d, r, W @ W.T + s2 * np.eye(d), det=-1.0)),
                "ln |C| has the wrong sign.",
            ),
            (
                _density(lambda d, r, W, s2: np.exp(_normal(d, r, W @ W.T + s2 * np.eye(d)))),
                "That is the density. Asked is its logarithm.",
            ),
            (
                lambda x, mu, W, s2: _normal(len(x), x, W @ W.T + s2 * np.eye(len(x))),
                "The mean is missing: r = x - µ.",
            ),
            (
                _density(lambda d, r, W, s2: _normal(d, r, np.diag(np.diag(W @ W.T + s2 * np.eye(d))))),
                "You kept the diagonal of C only. W W' makes features correlated.",
            ),
            (
                _density(lambda d, r, W, s2: _normal(d, r, W @ W.T + s2 * np.eye(d), inverse=False)),
                "C is to be inverted: r' C⁻¹ r.",
            ),
            (
                _density(
                    lambda d, r, W, s2: (
                        _normal(d, r, W @ W.T + s2 * np.eye(d), det=0.0) - 0.5 * np.linalg.det(W @ W.T + s2 * np.eye(d))
                    )
                ),
                "The logarithm of |C| is missing.",
            ),
            (
                _density(lambda d, r, W, s2: _normal(d, r, W @ W.T + s2 * np.eye(d), det=2.0)),
                "ln |C| is to be halved too.",
            ),
            (
                _density(lambda d, r, W, s2: _normal(W.shape[1], r, W @ W.T + s2 * np.eye(d))),
                "x has d features: d ln 2π, not m ln 2π.",
            ),
            (
                _density(
                    lambda d, r, W, s2: (
                        _normal(d, r, W @ W.T + s2 * np.eye(d), det=0.0)
                        - 0.5 * np.linalg.slogdet(W.T @ W + s2 * np.eye(W.shape[1]))[1]
                    )
                ),
                "That is ln |M|. The density has ln |C|, which also counts the d - m directions across the plane.",
            ),
            (
                _density(lambda d, r, W, s2: _normal(d, _across(r, W, s2), s2 * np.eye(d))),
                "That is ln p(x | z) at the posterior mean of z. z must be summed out: C = W W' + σ² I.",
            ),
        ],
    )
    return "Right. No integral was needed: the marginal is normal."


def fill_in(x, mu, L, psi):
    seen = ~np.isnan(x)
    A = L[seen].T / psi[seen]
    z = np.linalg.solve(np.eye(L.shape[1]) + A @ L[seen], A @ (x - mu)[seen])
    return np.where(seen, x, mu + L @ z)


def _filled(factors, full=False, mean=True):
    """Return a way to fill in, given how it finds the factors from what is seen."""

    def answer(x, mu, L, psi):
        seen = ~np.isnan(x)
        guess = L @ factors((x - mu)[seen], L[seen], psi[seen]) + mu * mean
        return guess if full else np.where(seen, x, guess)

    return answer


def _factors(r, L, psi):
    return np.linalg.solve(np.eye(L.shape[1]) + L.T / psi @ L, L.T / psi @ r)


def _mean_as_seen(x, mu, L, psi):
    z = _factors(np.where(np.isnan(x), 0, x - mu), L, psi)
    return np.where(np.isnan(x), mu + L @ z, x)


def _zero_as_seen(x, mu, L, psi):
    z = _factors(np.where(np.isnan(x), 0, x) - mu, L, psi)
    return np.where(np.isnan(x), mu + L @ z, x)


def _first_only(x, mu, L, psi):
    missing = np.flatnonzero(np.isnan(x))[:1]
    answer = x.copy()
    answer[missing] = fill_in(x, mu, L, psi)[missing]
    return answer


def _broken(d, m, seed, *missing):
    rng = np.random.default_rng(seed)
    L, psi, mu = rng.normal(size=(d, m)), rng.uniform(0.3, 2.0, size=d), rng.normal(size=d) + 2
    x = mu + L @ rng.normal(size=m) + rng.normal(size=d) * np.sqrt(psi)
    x[list(missing)] = np.nan
    return x, mu, L, psi


@exercise(
    "22.4",
    "A sensor is missing",
    start="The sensors that are seen say something about z, and z about the missing one.",
    hints=[
        "Use (22.17) with the rows of Λ and the entries of Ψ that belong to what is seen.",
        "seen = ~np.isnan(x); z = G Λ'Ψ⁻¹(x - µ) from seen rows; missing entries are (µ + Λz).",
    ],
    solution=fill_in,
    explanation="What is missing drops out of the E step; the factors that the seen features suggest give its mean.",
)
def _(answer):
    expect_function(
        answer,
        fill_in,
        [
            (np.array([3.0, 1.0, np.nan]), np.zeros(3), np.array([[2.0], [1.0], [3.0]]), np.array([0.5, 0.5, 1.0])),
            _broken(5, 2, 0, 1),
            _broken(6, 2, 1, 0, 4),
            _broken(4, 3, 2, 3),
            _broken(4, 1, 3),
        ],
        "The filled point",
        slips=[
            (
                lambda x, mu, L, psi: np.where(np.isnan(x), mu, x),
                "That is the mean of the missing feature. The others say more: find the factors first.",
            ),
            (
                _mean_as_seen,
                "You put the mean in and treat it as seen. A missing feature must drop out: leave its row of Λ away, "
                "in G too.",
            ),
            (lambda x, mu, L, psi: x, "The missing entries are still nan."),
            (_first_only, "Several entries can be missing: fill them all."),
            (lambda x, mu, L, psi: np.nan_to_num(x), "0 is no guess: find the factors from what is seen."),
            (
                lambda x, mu, L, psi: fill_in(x, 0 * mu, L, psi),
                "µ is not used: subtract it first, and add it at the end.",
            ),
            (
                lambda x, mu, L, psi: fill_in(x, mu, L, np.full(len(psi), psi.mean())),
                "You took one noise for all features. Each has its own.",
            ),
            (_zero_as_seen, "You put 0 in and treat it as seen. A missing feature must drop out."),
            (_filled(_factors, full=True), "Keep what was seen: replace the missing entries only."),
            (_filled(_factors, mean=False), "The mean is missing: µ + Λz."),
            (
                _filled(lambda r, L, psi: np.linalg.lstsq(L, r, rcond=None)[0]),
                "That is least squares: it takes all noise as equal, and forgets that z is N(0, I). Use (22.17).",
            ),
            (
                _filled(lambda r, L, psi: np.linalg.pinv(L.T / psi @ L) @ (L.T / psi @ r)),
                "I is missing in G: z is N(0, I) before anything is seen.",
            ),
            (
                _filled(lambda r, L, psi: _factors(r, L, np.ones(len(psi)))),
                "psi is not used: each feature counts by Λ/Ψ.",
            ),
            (_filled(lambda r, L, psi: _factors(r, L, psi**2)), "psi holds variances already: do not square it."),
            (_filled(lambda r, L, psi: _factors(r, L, np.sqrt(psi))), "Ψ holds variances: take no root."),
            (_filled(lambda r, L, psi: _factors(r, L, 1 / psi)), "Divide by the noise: Λ'Ψ⁻¹."),
            (_filled(lambda r, L, psi: L.T / psi @ r), "G is missing: z = G Λ'Ψ⁻¹(x - µ)."),
            (
                _filled(lambda r, L, psi: np.linalg.solve(np.eye(L.shape[1]) + L.T / psi @ L, L.T @ r)),
                "Ψ⁻¹ is missing after G: z = G Λ'Ψ⁻¹(x - µ).",
            ),
            (
                lambda x, mu, L, psi: np.where(
                    np.isnan(x), mu + L @ _factors(x[~np.isnan(x)], L[~np.isnan(x)], psi[~np.isnan(x)]), x
                ),
                "Subtract the mean before you look for the factors.",
            ),
        ],
    )
    return "Right. This is how a law fills in missing pixels."


def ica_step(W, x, eta):
    g = 1 / (1 + np.exp(-W @ x))
    return W + eta * (np.outer(1 - 2 * g, x) + np.linalg.inv(W).T)


def _first(W, x):
    return np.outer(-np.tanh(W @ x / 2), x)


def _ascend(form):
    def answer(W, x, eta):
        g = 1 / (1 + np.exp(-W @ x))
        return form(W, x, eta, g)

    return answer


@exercise(
    "22.5",
    "Learning from one sound sample",
    start="The gradient has two parts; which shapes?",
    hints=[
        "(1 - 2 g(Wx)) is a column, x' a row: their outer product is (d, d).",
        "W + eta * (np.outer(1 - 2 * g, x) + np.linalg.inv(W).T).",
    ],
    solution=ica_step,
    explanation="The first part makes the sources likely, the second keeps W from shrinking to nothing.",
)
def _(answer):
    cases = [(np.array([[1.0, 2.0], [3.0, 1.0]]), np.array([0.5, -1.0]), 0.1)]
    for d, seed, eta in ((3, 4, 0.05), (2, 5, 0.7)):
        rng = np.random.default_rng(seed)
        cases.append((rng.normal(size=(d, d)) + 2 * np.eye(d), rng.normal(size=d), eta))
    expect_function(
        answer,
        ica_step,
        cases,
        "The new W",
        slips=[
            (
                _ascend(lambda W, x, eta, g: W + eta * (np.outer(1 - 2 * g, x) + np.linalg.inv(W))),
                "Transpose the inverse.",
            ),
            (_ascend(lambda W, x, eta, g: W + eta * np.outer(1 - 2 * g, x)), "The part of ln |det W| is missing: W⁻ᵀ."),
            (
                _ascend(lambda W, x, eta, g: W - eta * (np.outer(1 - 2 * g, x) + np.linalg.inv(W).T)),
                "You walk downhill: the likelihood is to grow.",
            ),
            (
                _ascend(lambda W, x, eta, g: W + eta * (np.outer(x, 1 - 2 * g) + np.linalg.inv(W).T)),
                "The outer product is the other way round: row j belongs to source j.",
            ),
            (
                _ascend(lambda W, x, eta, g: W + eta * (np.outer(1 - g, x) + np.linalg.inv(W).T)),
                "The slope of ln g' is 1 - 2g.",
            ),
            (
                _ascend(lambda W, x, eta, g: W + eta * (np.outer(1 - 2 * g, x) + W.T)),
                "W⁻ᵀ is the transposed inverse, not the transpose.",
            ),
            (
                _ascend(lambda W, x, eta, g: W + eta * np.outer(1 - 2 * g, x) + np.linalg.inv(W).T),
                "eta belongs to both parts.",
            ),
            (
                lambda W, x, eta: W + eta * (np.outer(-np.tanh(W @ x), x) + np.linalg.inv(W).T),
                "1 - 2g(s) is -tanh(s/2), not -tanh(s).",
            ),
            (
                _ascend(lambda W, x, eta, g: eta * (np.outer(1 - 2 * g, x) + np.linalg.inv(W).T)),
                "That is the step. Add it to W.",
            ),
            (
                _ascend(lambda W, x, eta, g: W + eta * (np.outer(2 * g - 1, x) + np.linalg.inv(W).T)),
                "The slope of ln g' is 1 - 2g, not 2g - 1; or the sign in the sigmoid is wrong.",
            ),
            (
                _ascend(lambda W, x, eta, g: W + eta * (np.outer(1 - 2 * g, x) - np.linalg.inv(W).T)),
                "ln |det W| is added to the likelihood: plus W⁻ᵀ.",
            ),
            (
                _ascend(lambda W, x, eta, g: W + eta * ((1 - 2 * g) * x + np.linalg.inv(W).T)),
                "(1 - 2g) x' is an outer product, a matrix. You multiplied entry by entry.",
            ),
            (
                _ascend(lambda W, x, eta, g: W + eta * ((1 - 2 * g) @ x + np.linalg.inv(W).T)),
                "(1 - 2g) x' is an outer product, a matrix. You took the inner product, a number.",
            ),
            (
                _ascend(lambda W, x, eta, g: W + eta * (np.outer(g * (1 - g), x) + np.linalg.inv(W).T)),
                "g(1 - g) is the density g'. The slope of its logarithm is 1 - 2g.",
            ),
            (_ascend(lambda W, x, eta, g: W + np.outer(1 - 2 * g, x) + np.linalg.inv(W).T), "eta is missing."),
            (
                lambda W, x, eta: ica_step(W, x, eta) + eta * (_first(W.T, x) - _first(W, x)),
                "The sources are W x, not W' x.",
            ),
        ],
    )
    return "Right. Over many samples this unmixes the party."

"""Tasks and exercises of chapter 22: axes, errors, small matrices, posteriors, factors and unmixing."""

import numpy as np

from mlteach.exercises.tasks import number, task

task("22.a", "Variance along an axis",
    start="Which equation gives the variance along u?",
    hints=[
        "(22.1): u'Su, with the off-diagonal entry counted twice.",
        "0.36 x 5 + 2 x 0.48 x 2 + 0.64 x 2. The largest is an eigenvalue: λ² - 7λ + 6 = 0.",
    ],
    variance=number("The variance along u", "0.6**2 * 5 + 2 * 0.6 * 0.8 * 2 + 0.8**2 * 2", to=0.006, slips="""
        4.04    | The off-diagonal entry counts twice: u₁u₂S₁₂ + u₂u₁S₂₁.
        3.08    | The off-diagonal terms are missing: 2 u₁u₂S₁₂.
        5**0.5  | That is the standard deviation. Asked is the variance.
        7.4     | The entries of u are squared in u'Su: 0.36 and 0.64.
        6.2     | The entries of u are squared in u'Su: 0.36 and 0.64.
        7       | That is the trace, the variance along both axes together.
        5.84    | You exchanged the entries of u: 0.6 belongs to the first feature.
        3.5     | That is the mean of the two variances. Use u'Su.
        6       | That is the largest variance along any axis. The one along u comes first.
        4.6 | The entries of u are squared in u'Su: 0.36 and 0.64.
        11 | That is the sum of the entries of S. Each is multiplied by two entries of u.
        29**0.5 | That is the length of S u. The variance is u'Su, a number: multiply by u' once more.
        5 / 1.96 | u has length 1 already: its entries need not sum to 1.
        """),
    largest=number("The largest variance", "(7 + (7**2 - 4 * 6) ** 0.5) / 2", to=0.006, slips="""
        1       | That is the smallest variance, the other eigenvalue.
        3       | That is half the right value: is λ² - 7λ + 6 = 0 solved by it?
        12      | That is more than the trace, 7: no axis has so much.
        5       | That is the variance along one axis that was given. Others have more: look for the eigenvalues of S.
        7       | That is the trace. One axis cannot hold the variance of both.
        6**0.5  | That is the standard deviation. Asked is the variance.
        29**0.5 | That is the length of a column of S. The largest u'Su is the largest eigenvalue.
        """),
    right="Right. The best axis is (2, 1)/√5; the given one loses 1 of 6.",
    explanation="1.8 + 1.92 + 1.28 = 5. The eigenvalues of S solve λ² - 7λ + (10 - 4) = 0: 6 and 1.",
)  # fmt: skip

task("22.b", "What is lost",
    start="Which eigenvalues are left out?",
    hints=["(22.7): the error is the sum of the eigenvalues left out.", "1.2 + 0.8; and 12 of 14."],
    error=number("The error", "1.2 + 0.8", to=0.006, slips="""
        12              | That is what is kept. The error is the sum of the eigenvalues left out.
        1               | That is their mean, the noise of probabilistic PCA. The error is their sum.
        0.8             | Two components are left out, not one.
        2 / 14          | That is the share that is lost. Asked is the error itself.
        1.2             | Two components are left out, not one.
        2**0.5          | That is the root. Asked is the mean squared error.
        1.2**2 + 0.8**2 | Eigenvalues are variances already: do not square them.
        4               | That is an eigenvalue that you keep. The error is the sum of those left out.
        12 / 14         | That is the share. The error comes first.
        0.5 | The error is the sum of the eigenvalues left out. Do not divide it by d.
        6 | That is the error with one component. Two are kept.
        """),
    share=number("The share", "(8 + 4) / (8 + 4 + 1.2 + 0.8)", to=6e-4, slips="""
        2 / 14     | That is the share that is lost.
        0.5        | That is the share of the components, not of the variance.
        8 / 14     | That is the first component alone.
        12         | Divide by the sum of all eigenvalues.
        80 / 82.08 | Eigenvalues are variances already: do not square them.
        6          | That is kept over lost. A share is kept over all.
        """),
    right="Right. Kept and lost add up to the trace, 14.",
    explanation="The error is 1.2 + 0.8 = 2, the kept share 12/14 = 0.857.",
)  # fmt: skip

task("22.c", "Three rules",
    start="Which rule adds shares up, and which looks at single ones?",
    hints=[
        "Running sums: 4, 6, 6.7, 7.3, 7.9, 8.45, 8.9, 9.3, ... Five per cent of 10 is 0.5.",
        "For the elbow: the straight line falls by 3.65/9 = 0.406 a step. Which eigenvalue lies farthest below it?",
    ],
    share=number("The 90 % rule", 8, to=1e-6, slips="""
        7  | Seven components hold 8.9 of 10, which is 89 %.
        9  | That is for 95 %; or you kept one too many: eight hold 93 %.
        2  | Two hold 60 %.
        6  | That is the second rule, or a running sum of 8.45.
        4  | Four hold 7.3 of 10, which is 73 %.
        10 | Eight hold 93 % already.
        0.93 | That is the share that eight hold. How many are kept?
        """),
    each=number("The 5 % rule", 6, to=1e-6, slips="""
        5  | 0.55 of 10 is 5.5 %: it counts too.
        7  | 0.45 of 10 is 4.5 %, less than 5 %.
        10 | You compared with 0.05, or with 5 % of the first eigenvalue. The shares are eigenvalues over their sum, 10.
        2  | 0.7 of 10 is 7 %: it counts too.
        3  | 0.6 of 10 is 6 %: it counts too.
        4  | There are two eigenvalues of 0.6, and 0.55 of 10 is 5.5 %.
        8  | That is the 90 % rule.
        """),
    elbow=number("The elbow", 2, to=1e-6, slips="""
        3  | The third eigenvalue is the bend itself. Keep those before it.
        1  | The second eigenvalue lies 1.59 below the line, the third 2.49.
        4  | The fourth eigenvalue lies 2.18 below the line, the third 2.49; and keep those before the bend.
        8  | That is the 90 % rule.
        6  | That is the 5 % rule.
        """),
    right="Right. 8, 6 or 2: three rules, three questions.",
    explanation="Eight components reach 9.3 of 10 (seven only 8.9). Six exceed 0.5. The line from 4 to 0.35 stands at "
    "3.19 over the third eigenvalue, 0.7, the largest gap: two stand before it.",
)  # fmt: skip

task("22.d", "One hidden number",
    start="With one hidden number M is a number. Which?",
    hints=["M = 2² + 1² + 0.5 = 5.5, and W'(x - µ) = 2 x 3 + 1 x 1.", "Mean 7/5.5, variance 0.5/5.5."],
    mean=number("The mean", "(2 * 3 + 1 * 1) / (2**2 + 1**2 + 0.5)", to=6e-4, slips="""
        7 / 5      | That is the foot on the axis, counted in lengths of W: no noise, no prior. M also contains σ².
        7 / 5**0.5 | That is PCA's code, for an axis of length 1. Divide by M = W'W + σ².
        0.5 / 5.5  | That is the variance. The mean comes first.
        7 / 6      | You took σ² = 1. It is 0.5.
        7          | That is W'(x - µ). Divide by M.
        7 / 5.25   | 0.5 is σ² already: do not square it.
        7 / 3.5    | Square the entries of W: W'W = 4 + 1.
        38.5       | Divide by M; you multiplied.
        3.5 / 5.5  | The mean has no σ² in front: M⁻¹W'(x - µ).
        5 / 5.5 | W'(x - µ) pairs equal rows: 2 with 3, and 1 with 1.
        """),
    variance=number("The variance", "0.5 / (2**2 + 1**2 + 0.5)", to=6e-4, slips="""
        1 / 5.5    | Multiply by σ²: the covariance is σ²M⁻¹.
        2.75       | That is σ²M. The covariance is σ²M⁻¹: more noise means more doubt, a steeper W less.
        0.1        | That is σ²/W'W. M also contains σ².
        (0.5 / 5.5) ** 0.5 | That is the standard deviation. Asked is the variance.
        0.25 / 5.5 | 0.5 is σ² already: do not square it.
        5.5        | That is M. The variance is σ²/M.
        0.5        | That is the noise of x. The variance of z is σ²/M.
        1          | That is the variance of z before x is seen.
        """),
    right="Right. Without noise z would be 1.4, the foot in lengths of W; the prior pulls it towards 0.",
    explanation="M = 5 + 0.5 = 5.5. Mean 7/5.5 = 1.273, variance 0.5/5.5 = 0.091.",
)  # fmt: skip

task("22.e", "Counting",
    start="How many different entries does a symmetric matrix have?",
    hints=["Loadings: d m; noise: d; how many angles has a rotation in m dimensions?", "The rank is at most N - 1."],
    full=number("The full covariance", "20 * (20 + 1) // 2", to=1e-6, slips="""
        400 | The matrix is symmetric: count each pair once, d(d + 1)/2.
        190 | The variances on the diagonal count too: d(d + 1)/2.
        20  | Those are the variances. The covariances count too.
        230 | The mean is not part of the covariance.
        59  | That is the number for loadings and noise. The full covariance comes first.
        78 | The covariance is one of features, 20 of them, not of the 12 samples.
        """),
    factor=number("Loadings and noise", "20 * 2 + 20 - 1", to=1e-6, slips="""
        60 | Two factors can be turned by an angle, and the law stays: one number is not free.
        58 | A rotation of two factors has one angle, m(m - 1)/2, not two.
        40 | The noise counts too: 20 variances.
        39 | The noise counts too: 20 variances.
        41 | Factor analysis has one noise variance per feature, 20 of them; one for all is probabilistic PCA.
        22 | The loadings are d x m numbers.
        80 | The mean is not part of the covariance.
        44 | The noise has one variance per feature, not per factor.
        42 | The noise has one variance per feature, not per factor.
        36 | There are 20 features; 12 is the number of samples.
        63 | The covariance of the factors is I: there is nothing to learn.
        57 | A rotation of two factors has one angle, m(m - 1)/2, not m(m + 1)/2.
        """),
    rank=number("The rank", "12 - 1", to=1e-6, slips="""
        12 | Centring takes one direction away.
        20 | 12 samples cannot span 20 directions.
        2  | That is the rank of the loadings. Asked is the sample covariance.
        13 | Centring takes a direction away, it adds none.
        10 | Centring takes one direction away, not two.
        19 | The samples set the limit here, 12 of them, not the features.
        """),
    right="Right. 210 numbers from a matrix of rank 11: no wonder that it is singular.",
    explanation="20 x 21/2 = 210; 20 x 2 + 20, less 1 for an angle, is 59; 12 points span 11 directions, once centred.",
)  # fmt: skip

task("22.f", "Density of a mixture",
    start="What are the sources at x = 0, and their densities?",
    hints=["g'(0) = 1/4 for each source.", "|det W| = |2 x (-1) - 0| = 2."],
    density=number("The density", "abs(2 * (-1) - 0) * (1 / 4) * (1 / 4)", to=6e-4, slips="""
        -0.125        | The determinant is -2, but volumes are positive: |det W|.
        1 / 16        | The factor |det W| is missing.
        1 / 32        | |det W| multiplies: W takes a small cell of x to a larger one of s.
        0.5           | There are two sources: 1/4 for each. Or the sigmoid itself was used, not its slope.
        np.log(0.125) | That is the logarithm of the density.
        1             | The densities of independent sources multiply: 1/4 x 1/4, not 1/4 + 1/4.
        2             | The densities of the two sources at 0 are missing.
        0.25          | That is the density of one source.
        2 / (2 * np.pi) | The sources have the density g', 1/4 at 0, not the normal one.
        """),
    right="Right. The bars matter: det W = -2.",
    explanation="(22.20): |det W| x 1/4 x 1/4 = 2/16 = 0.125.",
)  # fmt: skip


def rebuild(X, m):
    mean = X.mean(axis=0)
    S = (X - mean).T @ (X - mean) / len(X)
    U = np.linalg.eigh(S)[1][:, ::-1][:, :m]
    return mean + (X - mean) @ U @ U.T


def points(n, d, seed, shift=3.0):
    rng = np.random.default_rng(seed)
    return (rng.normal(size=(n, d)) * np.arange(d, 0, -1)) @ np.linalg.qr(rng.normal(size=(d, d)))[0] + shift


TEN = np.array(
    [(2.5, 2.4), (0.5, 0.7), (2.2, 2.9), (1.9, 2.2), (3.1, 3), (2.3, 2.7), (2, 1.6), (1, 1.1), (1.5, 1.6), (1.1, 0.9)]
)

task("22.1", "There and back", rebuild, what="The picture",
    cases=[(TEN, 1), (points(30, 4, 0), 2), (points(12, 5, 1, -2.0), 3), (points(20, 3, 2), 3)],
    start="Centre first; then which eigenvectors?",
    hints=[
        "eigh returns the smallest eigenvalue first: the last m columns are wanted.",
        "mean + (X - mean) @ U @ U.T with U of shape (d, m).",
    ],
    slips="""
        [:, ::-1][:, :m] => [:, :m]              | Those are the axes of least variance: eigh puts the smallest first.
        mean + (X - mean) @ => (X - mean) @      | The mean is missing: add it back after the projection.
        mean = X.mean(axis=0) => mean = 0 * X[0] | Centre first: axes through the origin are not principal axes of these
            points.
        (X - mean).T @ (X - mean) => X.T @ X     | Centre before you form the matrix: the axes of X'X are not those of
            the covariance.
        mean + (X - mean) => mean + X            | Project X - mean, not X: the mean is counted twice.
        mean + (X - mean) @ U @ U.T => X         | That is X itself: keep only m axes.
        mean + (X - mean) @ U @ U.T => X - mean - (X - mean) @ U @ U.T | That is what is lost, X minus its picture.
            Asked is the picture.
        mean + (X - mean) @ U @ U.T => (X - mean) @ U | Those are the codes (n, m). Rebuild the points from them: Z U'
            and the mean.
        mean = X.mean(axis=0) => s = X.std(axis=0); X = X / s; mean = X.mean(axis=0) ;; return mean + (X - mean) @ U
            @ U.T => return s * (mean + (X - mean) @ U @ U.T) | You standardised first. The plane is wanted for the
            points as they are.
        (X - mean).T @ (X - mean) / len(X) => np.corrcoef(X.T) | Those are eigenvectors of the correlations. Take those
            of the covariance.
        :m] => :1]                               | You kept one axis whatever m is.
        :m] => :2]                               | You kept two axes whatever m is.
        (X - mean) @ U @ U.T => 0 * X            | That is the mean alone: add z_k u_k for each axis.
        [:, ::-1][:, :m] => [::-1][:m].T         | You took rows of U. The eigenvectors are its columns.
        [:, ::-1][:, :m] => [:m].T               | You took rows of U. The eigenvectors are its columns.
        mean + (X - mean) @ U @ U.T => X @ U @ U.T | The axes are right. The points are to be centred before the
            projection, and the mean added after it.
        mean = X.mean(axis=0) => mean = X[0] | You counted from the first point. Count from the mean.
        U = np.linalg.eigh(S)[1][:, ::-1][:, :m] => U = np.real(np.linalg.eig(S)[1])[:, :m] | eig returns the
            eigenvalues in no order: take eigh, or sort them.
        [:, ::-1][:, :m] => [:, ::-1][:, 1 : m + 1] | You left the first axis out.
        [:, ::-1][:, :m] => [:, ::-1][:, m - 1 : m] | That is the m-th axis alone. Keep the first m.
        [:, ::-1][:, :m] => [:, ::-1][:, : m + 1] | You kept one axis too many.
        """,
    right="Right. Its mean squared error is the sum of the eigenvalues left out.",
    explanation="U U' projects on the plane; the mean goes off before and comes back after.",
)  # fmt: skip


def lift(X, v, lam):
    u = X.T @ v
    return u / np.linalg.norm(u)


def small(n, d, seed, which, length):
    X = np.random.default_rng(seed).normal(size=(n, d))
    X = X - X.mean(axis=0)
    lam, V = np.linalg.eigh(X @ X.T / n)
    return X, length * V[:, which], float(lam[which])


task("22.2", "From the small matrix", lift, what="The axis",
    cases=[small(4, 10, 0, -1, 1.0), small(3, 8, 1, -2, -2.5), small(6, 7, 2, -3, 0.3)],
    start="What does (22.9) say, and what if v has not length 1?",
    hints=["X.T @ v has the right direction.", "Divide by its length: it need not be √(n λ) if v is not of length 1."],
    slips="""
        np.linalg.norm(u) => np.sqrt(len(X) * lam) | Right only if v has length 1. Here it may have any: divide by the
            length of X'v.
        np.linalg.norm(u) => np.sqrt(lam)          | N is missing under the root, and v may have any length.
        np.linalg.norm(u) => (len(X) * lam)        | The root is missing, and v may have any length.
        / np.linalg.norm(u) =>                     | The axis must have length 1: divide by its length.
        return u => return -u                      | It points the other way. It should point as X'v does.
        np.linalg.norm(u) => (np.linalg.norm(v) * np.sqrt(lam)) | N is missing under the root: √(N λ).
        np.linalg.norm(u) => np.linalg.norm(v)     | v has length 1 now, X'v has not: divide by the length of X'v.
        np.linalg.norm(u) => (u @ u)               | Divide by the length of X'v, not by its square.
        u = X.T @ v => u = np.linalg.eigh(X.T @ X)[1][:, -1]  | That is always the first axis. Wanted is the one that
            belongs to v.
        u = X.T @ v => u = -np.linalg.eigh(X.T @ X)[1][:, -1] | That is always the first axis. Wanted is the one that
            belongs to v.
        np.linalg.norm(u) => (np.sqrt(len(X) * lam) * (v @ v)) | Divide by the length of v, not by its square.
        np.linalg.norm(u) => u.sum() | Length 1 means that the squares sum to one, not the entries.
        np.linalg.norm(u) => np.abs(u).sum() | Length 1 means that the squares sum to one, not the absolute values.
        """,
    right="Right. All that is large here is one product with X'.",
    explanation="Dividing by the length works for any v; for a v of length 1 it is √(N λ).",
)  # fmt: skip


def ppca_log_density(x, mu, W, s2):
    d = len(x)
    C = W @ W.T + s2 * np.eye(d)
    r = x - mu
    log_det = np.linalg.slogdet(C)[1]
    return -0.5 * (d * np.log(2 * np.pi) + log_det + r @ np.linalg.solve(C, r))


def density_cases():
    rng = np.random.default_rng(3)
    cases = [(np.array([2.0, 1, 4]), np.array([1.0, 2, 3]), np.array([[1, 0], [0.5, 1], [0, 2.0]]), 0.5)]
    for d, m, s2 in ((3, 1, 0.2), (5, 2, 1.7), (4, 3, 0.05)):
        W = rng.normal(size=(d, m))
        cases.append((rng.normal(size=d), rng.normal(size=d), W, s2))
    many = rng.normal(size=(400, 2))
    return [*cases, (rng.normal(size=400), np.zeros(400), many, 20.0)]  # |C| is beyond all numbers


task("22.3", "How likely is a point?", ppca_log_density, cases=density_cases, what="The log density",
    start="Which covariance has x?",
    hints=["(22.11): C = W W' + σ² I.", "-½ (d ln 2π + ln |C| + r' C⁻¹ r) with r = x - µ; np.linalg.slogdet helps."],
    nan="With 400 features your log density is not finite: |C| is too large, or too small, for a number. "
    "np.linalg.slogdet gives its logarithm.",
    slips="""
        s2 * np => s2**2 * np            | s2 is σ² already: do not square it.
        s2 * np => s2**0.5 * np          | The covariance has σ² on the diagonal, not σ.
        W @ W.T + =>                     | W is missing: the covariance is W W' + σ² I.
        d * np.log(2 * np.pi) + =>       | d ln 2π is missing.
        -0.5 * => -                      | The factor ½ is missing.
        + log_det =>                     | ln |C| is missing.
        + log_det => - log_det           | ln |C| has the wrong sign.
        -0.5 * (d => np.exp(-0.5) ** (d  | That is the density. Asked is its logarithm.
        x - mu => x                      | The mean is missing: r = x - µ.
        r = => C = np.diag(np.diag(C)); r = | You kept the diagonal of C only. W W' makes features correlated.
        np.linalg.solve(C, r) => C @ r   | C is to be inverted: r' C⁻¹ r.
        np.linalg.slogdet(C)[1] => np.linalg.det(C) | The logarithm of |C| is missing.
        + log_det => + 2 * log_det       | ln |C| is to be halved too.
        (d * np.log => (W.shape[1] * np.log | x has d features: d ln 2π, not m ln 2π.
        slogdet(C) => slogdet(W.T @ W + s2 * np.eye(W.shape[1])) | That is ln |M|. The density has ln |C|, which also
            counts the d - m directions across the plane.
        C = W @ W.T + => M = W.T @ W + s2 * np.eye(W.shape[1]); C = ;;
            x - mu => x - mu; r = r - W @ np.linalg.solve(M, W.T @ r) | That is ln p(x | z) at the posterior mean of z.
            z must be summed out: C = W W' + σ² I.
        -0.5 * (d * np.log(2 * np.pi) + log_det + r @ => -0.5 * (d * np.log(2 * np.pi) + log_det + 2 * r @ | The
            quadratic term is halved too.
        """,
    right="Right. No integral was needed: the marginal is normal.",
    explanation="x is normal with mean µ and covariance W W' + σ² I; z has been summed out.",
)  # fmt: skip


def fill_in(x, mu, L, psi):
    seen = ~np.isnan(x)
    A = L[seen].T / psi[seen]
    z = np.linalg.solve(np.eye(L.shape[1]) + A @ L[seen], A @ (x - mu)[seen])
    return np.where(seen, x, mu + L @ z)


def broken(d, m, seed, *missing):
    rng = np.random.default_rng(seed)
    L, psi, mu = rng.normal(size=(d, m)), rng.uniform(0.3, 2.0, size=d), rng.normal(size=d) + 2
    x = mu + L @ rng.normal(size=m) + rng.normal(size=d) * np.sqrt(psi)
    x[list(missing)] = np.nan
    return x, mu, L, psi


task("22.4", "A sensor is missing", fill_in, what="The filled point",
    cases=[
        (np.array([3.0, 1.0, np.nan]), np.zeros(3), np.array([[2.0], [1.0], [3.0]]), np.array([0.5, 0.5, 1.0])),
        broken(5, 2, 0, 1), broken(6, 2, 1, 0, 4), broken(4, 3, 2, 3), broken(4, 1, 3), broken(3, 1, 4, 0, 1, 2),
    ],
    start="What do the sensors that are seen say of z, and z of the missing one?",
    hints=[
        "Use (22.17) with the rows of Λ and the entries of Ψ that belong to what is seen.",
        "seen = ~np.isnan(x); z = G Λ'Ψ⁻¹(x - µ) from seen rows; missing entries are (µ + Λz).",
    ],
    nan="Your point contains nan. Fill all that is missing, and let none of it enter a sum: take the seen rows.",
    slips="""
        mu + L @ z => mu                    | That is the mean of the missing feature. The others say more: find the
            factors first.
        A = L[seen].T / psi[seen] => A = L.T / psi ;; A @ L[seen], A @ (x - mu)[seen]
            => A @ L, A @ np.where(seen, x - mu, 0) | You put the mean in and treat it as seen. A missing feature must
            drop out: leave its row of Λ away, in G too.
        np.where(seen, x, mu + L @ z) => x  | The missing entries are still nan. If they enter a sum, all of it is nan:
            take the rows of what is seen only.
        np.where(seen, x, mu + L @ z) => np.where(~seen & (np.cumsum(~seen) == 1), mu + L @ z, x) | Several entries can
            be missing: fill them all.
        np.where(seen, x, mu + L @ z) => np.nan_to_num(x) | 0 is no guess: find the factors from what is seen.
        seen = => mu = 0 * mu; seen =       | µ is not used: subtract it first, and add it at the end.
        seen = => psi = 0 * psi + psi.mean(); seen = | You took one noise for all features. Each has its own.
        A = L[seen].T / psi[seen] => A = L.T / psi ;; A @ L[seen], A @ (x - mu)[seen]
            => A @ L, A @ (np.nan_to_num(x) - mu) | You put 0 in and treat it as seen. A missing feature must drop out.
        np.where(seen, x, mu + L @ z) => mu + L @ z | Keep what was seen: replace the missing entries only.
        mu + L @ z => L @ z                 | The mean is missing: µ + Λz.
        np.linalg.solve(np.eye(L.shape[1]) + A @ L[seen], A @ (x - mu)[seen])
            => np.linalg.lstsq(L[seen], (x - mu)[seen], rcond=None)[0] | That is least squares: it takes all noise as
            equal, and forgets that z is N(0, I). Use (22.17).
        np.linalg.solve(np.eye(L.shape[1]) + A @ L[seen], A => np.linalg.pinv(A @ L[seen]) @ (A | I is missing in G: z
            is N(0, I) before anything is seen.
        / psi[seen] =>                      | psi is not used: each feature counts by Λ/Ψ.
        / psi[seen] => / psi[seen] ** 2     | psi holds variances already: do not square it.
        / psi[seen] => / psi[seen] ** 0.5   | Ψ holds variances: take no root.
        / psi[seen] => * psi[seen]          | Divide by the noise: Λ'Ψ⁻¹.
        np.linalg.solve(np.eye(L.shape[1]) + A @ L[seen], A @ (x - mu)[seen]) => A @ (x - mu)[seen] | G is missing:
            z = G Λ'Ψ⁻¹(x - µ).
        A @ (x - mu)[seen] => L[seen].T @ (x - mu)[seen] | Ψ⁻¹ is missing after G: z = G Λ'Ψ⁻¹(x - µ).
        (x - mu)[seen] => x[seen]           | Subtract the mean before you look for the factors.
        mu + L @ z => x[seen].mean() if seen.any() else mu | That is the mean of what is seen. Each feature has its own
            mean, and the factors say more.
        mu + L @ z => mu + L @ z + np.sqrt(psi) | The noise has the expected value 0: do not add it.
        np.linalg.solve(np.eye(L.shape[1]) + A @ L[seen], A @ (x - mu)[seen]) => (np.eye(L.shape[1]) + A @ L[seen]) @ A
            @ (x - mu)[seen] |
            G is the inverse of I + Λ'Ψ⁻¹Λ: solve, do not multiply.
        """,
    right="Right. This is how a law fills in missing pixels.",
    explanation="What is missing drops out of the E step; the factors that the seen features suggest give its mean.",
)  # fmt: skip


def ica_step(W, x, eta):
    g = 1 / (1 + np.exp(-W @ x))
    gradient = np.outer(1 - 2 * g, x) + np.linalg.inv(W).T
    return W + eta * gradient


def ica_cases():
    cases = [(np.array([[1.0, 2.0], [3.0, 1.0]]), np.array([0.5, -1.0]), 0.1)]
    for d, seed, eta in ((3, 4, 0.05), (2, 5, 0.7)):
        rng = np.random.default_rng(seed)
        cases.append((rng.normal(size=(d, d)) + 2 * np.eye(d), rng.normal(size=d), eta))
    return cases


task("22.5", "Learning from one sound sample", ica_step, cases=ica_cases, what="The new W",
    start="The gradient has two parts; which shapes?",
    hints=[
        "(1 - 2 g(Wx)) is a column, x' a row: their outer product is (d, d).",
        "W + eta * (np.outer(1 - 2 * g, x) + np.linalg.inv(W).T).",
    ],
    slips="""
        inv(W).T => inv(W)                     | Transpose the inverse.
        + np.linalg.inv(W).T =>                | The part of ln |det W| is missing: W⁻ᵀ.
        W + eta => W - eta                     | You walk downhill: the likelihood is to grow.
        1 - 2 * g, x => x, 1 - 2 * g           | The outer product is the other way round: row j belongs to source j.
        1 - 2 * g => 1 - g                     | The slope of ln g' is 1 - 2g.
        np.linalg.inv(W).T => W.T              | W⁻ᵀ is the transposed inverse, not the transpose.
        eta * gradient => eta * gradient + (1 - eta) * np.linalg.inv(W).T | eta belongs to both parts.
        1 - 2 * g => -np.tanh(W @ x)           | 1 - 2g(s) is -tanh(s/2), not -tanh(s).
        W + eta => eta                         | That is the step. Add it to W.
        1 - 2 * g => 2 * g - 1                 | The slope of ln g' is 1 - 2g, not 2g - 1; or the sign in the sigmoid is
            wrong.
        + np.linalg => - np.linalg             | ln |det W| is added to the likelihood: plus W⁻ᵀ.
        np.outer(1 - 2 * g, x) => (1 - 2 * g) * x | (1 - 2g) x' is an outer product, a matrix. You multiplied entry by
            entry.
        np.outer(1 - 2 * g, x) => (1 - 2 * g) @ x | (1 - 2g) x' is an outer product, a matrix. You took the inner
            product, a number.
        1 - 2 * g => g * (1 - g)               | g(1 - g) is the density g'. The slope of its logarithm is 1 - 2g.
        eta * gradient => gradient             | eta is missing.
        -W @ x => -W.T @ x                     | The sources are W x, not W' x.
        1 - 2 * g => g | The slope of ln g' is 1 - 2g.
        1 / (1 + np.exp(-W @ x)) => np.tanh(W @ x) | g is the sigmoid here.
        np.outer(1 - 2 * g, x) => np.outer(1 - 2 * g, W @ x) | The row of the outer product is x, not the sources.
        eta * gradient => eta * gradient @ W.T @ W | That is the natural gradient. Asked is the plain one.
        W + eta * gradient => gradient | That is the gradient. Go from W a step eta along it.
        """,
    right="Right. Over many samples this unmixes the party.",
    explanation="The first part makes the sources likely, the second keeps W from shrinking to nothing.",
)  # fmt: skip

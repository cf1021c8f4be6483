"""Two laws for data with a few hidden factors: probabilistic PCA (equal noise) and factor analysis (own noise).

Both say x = mean + W z + noise with z ~ N(0, I), so that x ~ N(mean, W W' + Psi); sections 22.6 and 22.7.
"""

import numpy as np

from mlteach.base import Transformer
from mlteach.latent_factors.em import FLOOR, NO_NOISE, STILL, EMStep, linear_gaussian_em
from mlteach.latent_factors.pca import PCA
from mlteach.numerics import as_codes, centre, constant_columns, squarable
from mlteach.parameters import Real, Whole
from mlteach.validation import as_rng, check_integer


class _LinearGaussian(Transformer):
    """What the two share, with loadings ``_W`` (d, m) and noise variances ``_psi`` (d,)."""

    task = "transform"

    def transform(self, X):
        """Return the posterior mean of the factors (n, m): E z = (I + W' Psi^-1 W)^-1 W' Psi^-1 (x - mean)."""
        A, M = self._posterior()
        return np.linalg.solve(M, A @ (self._points(X) - self.mean_).T).T

    def posterior_covariance(self):
        """Return the covariance (m, m) of the factors given a point; it is the same for all points."""
        return np.linalg.inv(self._posterior()[1])

    def inverse_transform(self, Z):
        """Return the points mean + W z (n, d) for factors ``Z`` (n, m), without noise."""
        self._require_fit()
        return as_codes(Z, self._W.shape[1]) @ self._W.T + self.mean_

    def covariance(self):
        """Return the covariance of x under the model, W W' + Psi (d, d)."""
        self._require_fit()
        return self._W @ self._W.T + np.diag(self._psi)

    def log_likelihood(self, X):
        """Return the total log-likelihood of the rows of ``X``.

        With r = x - mean and M = I + W' Psi^-1 W (m x m), |W W' + Psi| = |M| |Psi| and
        r' (W W' + Psi)^-1 r = r' Psi^-1 r - a' M^-1 a with a = W' Psi^-1 r: no d x d matrix is needed.
        """
        A, M = self._posterior()
        R = self._points(X) - self.mean_
        a = A @ R.T
        distance = np.sum(R**2 / self._psi) - np.sum(a * np.linalg.solve(M, a))
        log_det = np.linalg.slogdet(M)[1] + np.log(self._psi).sum()
        return float(-0.5 * (len(R) * (R.shape[1] * np.log(2 * np.pi) + log_det) + distance))

    def score(self, X, y=None):
        """Return the mean log-likelihood of the rows of ``X``, as scikit-learn does."""
        return self.log_likelihood(X) / len(self._points(X))

    def sample(self, n, rng=0):
        """Return ``n`` new points (n, d): draw factors, map them, add noise."""
        self._require_fit()
        n, rng = check_integer(n, "n", low=1), as_rng(rng)
        d, m = self._W.shape
        return self.mean_ + rng.normal(size=(n, m)) @ self._W.T + rng.normal(size=(n, d)) * np.sqrt(self._psi)

    def _posterior(self):
        self._require_fit()
        A = self._W.T / self._psi
        return A, np.eye(len(A)) + A @ self._W


class ProbabilisticPCA(_LinearGaussian):
    """PCA as a law: x = mean + W z + noise of one variance sigma^2 for all features.

    Marginal   x ~ N(mean, W W' + sigma^2 I)                                                         (22.11)
    Posterior  z | x ~ N(M^-1 W' (x - mean), sigma^2 M^-1),  M = W'W + sigma^2 I                     (22.12)
    Fit        sigma^2 = mean of the d - m eigenvalues left out,  W = U (L - sigma^2 I)^1/2          (22.14)

    Parameters: ``m`` < d, the number of factors.

    Attributes: ``W_`` (d, m); ``noise_variance_``, sigma^2; ``mean_`` (d,). Eigenvalues have the divisor n here, since
    the fit is the most likely one. Where the features left out do not vary at all, the likelihood has no bound:
    sigma^2 is held at 1e-8 of the mean variance, and a warning says so. `ppca_em` finds the same by EM.

    >>> model = ProbabilisticPCA(1).fit([[2, 0], [-2, 0], [0, 1], [0, -1]])
    >>> model.noise_variance_, model.covariance().round(6).tolist()
    (0.5, [[2.0, 0.0], [0.0, 0.5]])
    """

    params = {"m": Whole(1)}

    def __init__(self, m=1):
        self.m = m

    def learn(self, X):
        """Take W and sigma^2 from the eigenvectors of the covariance."""
        (n, d), m = X.shape, self.m
        # 1. Eigenvalues, largest first, and eigenvectors of the covariance
        pca = PCA().fit(X)
        eigenvalues, U, total = pca.explained_variance_ * (n - 1) / n, pca.components_.T, _total_variance(X)
        # 2. The noise is the mean of those left out, held off zero                                  (22.14)
        kept = min(m, len(eigenvalues))
        sigma2 = max(max(total - eigenvalues[:kept].sum(), 0.0) / (d - m), FLOOR * total / d)
        # 3. The rest of the others makes the loadings
        W = np.zeros((d, m))
        W[:, :kept] = U[:, :kept] * np.sqrt(np.maximum(eigenvalues[:kept] - sigma2, 0.0))
        self.mean_, self.W_, self.noise_variance_ = pca.mean_, W, float(sigma2)
        self._W, self._psi = W, np.full(d, sigma2)

    def advice(self, X):
        """Say that the noise was kept from vanishing."""
        if self.noise_variance_ <= FLOOR * _total_variance(X) / X.shape[1]:
            yield (
                f"{self.m} components explain all of the variance, and without noise the likelihood has no bound: "
                f"noise_variance_ is held at {self.noise_variance_:.3g}. Take a smaller m."
            )

    def _check_data(self, X):
        _refuse_few(X, self.m, "ProbabilisticPCA")


class FactorAnalysis(_LinearGaussian):
    """A few common factors and a noise of its own for each feature: x = mean + L z + noise.

    Marginal   x ~ N(mean, L L' + Psi),  Psi diagonal                                                (22.16)
    E step     B = (I + L' Psi^-1 L)^-1 L' Psi^-1,  E z = B (x - mean)                               (22.17)
    M step     L <- S B' (I - B L + B S B')^-1,  Psi <- diag(S - L B S) with the new L               (22.18)

    Parameters: ``m`` < d, the number of factors; EM stops when a step gains less than ``tol`` a point, or after
    ``max_iter`` steps; ``history``: False keeps only the first and the last record of the run.

    Attributes: ``loadings_`` (d, m), fixed up to a rotation of the factors; ``noise_variance_`` (d,), the diagonal of
    Psi; ``mean_``; ``history_`` with W, noise_variance and log_likelihood; ``n_iter_``, ``converged_``.

    The fit does not depend on the units of the features. EM starts from the principal components of the standardised
    features. No noise variance falls below 1e-8 of its feature's variance (a constant feature: of the mean variance):
    features that the factors explain completely can make the likelihood infinite, as with at most m + 1 points. A
    warning says so.

    >>> X = np.random.default_rng(1).normal(size=(200, 1)) @ [[2.0, 1.0, -1.0, 1.0]]
    >>> X = X + np.random.default_rng(2).normal(size=(200, 4)) * [1.0, 0.5, 2.0, 1.0]
    >>> FactorAnalysis(1).fit(X).noise_variance_.round(1).tolist()
    [1.1, 0.2, 3.1, 1.1]
    """

    params = {"m": Whole(1), "max_iter": Whole(1), "tol": Real(0)}

    def __init__(self, m=1, *, max_iter=5000, tol=1e-7, history=True):
        self.m = m
        self.max_iter = max_iter
        self.tol = tol
        self.history = history

    def learn(self, X):
        """Climb the likelihood by EM."""
        # 1. Units that do not matter: standardise
        (centred, self.mean_), spread = centre(X), _spread(X)
        Y = centred / spread
        # 2. Start at the principal components
        W, psi = _start(Y, self.m)
        # 3. EM
        run = linear_gaussian_em(Y, W, psi, equal=False, max_iter=self.max_iter, tol=self.tol, history=self.history)
        # 4. Back to the units of the data; densities change by the product of the spreads
        shift = -len(X) * np.log(spread).sum()
        self.history_ = [
            EMStep(step.W * spread[:, None], step.noise_variance * spread**2, step.log_likelihood + shift)
            for step in run.history
        ]
        self.loadings_, self.noise_variance_, _ = self.history_[-1]
        self.n_iter_, self.converged_ = run.n_iter, run.converged
        self._W, self._psi = self.loadings_, self.noise_variance_

    def advice(self, X):
        """Say that EM was not done, and where noise was kept from vanishing."""
        if not self.converged_:
            yield f"EM still gained more than tol={self.tol:g} a point after max_iter={self.max_iter} steps."
        explained = np.flatnonzero(_varies(X) & (self.noise_variance_ <= 1.001 * FLOOR * _spread(X) ** 2))
        if len(explained):
            yield NO_NOISE.format(f"the factors explain {_listed(explained)} completely")

    def _check_data(self, X):
        squarable(X)
        _refuse_few(X, self.m, "FactorAnalysis")
        if not _varies(X).any():
            raise ValueError(STILL)


def _varies(X):
    """Say for each feature whether it varies by more than rounding."""
    return ~constant_columns(X) & (X.std(axis=0) > 0)


def _spread(X):
    """Return the standard deviations, for features that do not vary the largest of them."""
    spread = X.std(axis=0)
    return np.where(_varies(X), spread, spread.max())


def _total_variance(X):
    """Return the sum of the variances of the features; refuse points that are all equal."""
    total = float(np.mean(centre(X)[0] ** 2) * X.shape[1])
    if total <= 0:
        raise ValueError(STILL)
    return total


def _listed(features):
    """Return the numbers of at most three features in words."""
    shown = ", ".join(str(j) for j in features[:3])
    return f"feature {shown}" if len(features) == 1 else f"features {shown}" + ", ..." * (len(features) > 3)


def _start(Y, m):
    """Return the loadings of the first principal components, and for each feature the variance that they leave."""
    pca = PCA().fit(Y)
    kept = min(m, len(pca.components_))
    W = np.zeros((Y.shape[1], m))
    W[:, :kept] = pca.components_[:kept].T * np.sqrt(pca.explained_variance_[:kept])
    variances = np.maximum(Y.var(axis=0), FLOOR)
    return W, np.maximum(variances - np.sum(W**2, axis=1), 0.1 * variances)


def _refuse_few(X, m, who):
    """Refuse data with too few points or features for m factors."""
    n, d = X.shape
    if n < 2:
        raise ValueError(f"{who} needs at least 2 points to vary; got n_samples = 1.")
    if d < 2:
        raise ValueError(f"{who} needs features to share factors; X has 1 feature(s) and a minimum of 2 is required.")
    check_integer(m, "m", high=d - 1, why="fewer than features")

"""Gaussian discriminant analysis: a Gaussian per class, with a shared or an own covariance (sections 10.3 to 10.5)."""

import numpy as np

from mlteach.clients import Weights
from mlteach.generative_classifiers.bayes import GenerativeClassifier
from mlteach.numerics import centre
from mlteach.parameters import FLAG, Real
from mlteach.validation import as_rng, check_integer


class GaussianDiscriminant(Weights, GenerativeClassifier):
    """A Gaussian for each class; linear boundaries if they share one covariance, quadratic ones if not.

    Model      P(C_k) = pi_k,  p(x | C_k) = N(x; mu_k, Sigma)  or  N(x; mu_k, Sigma_k)
    Estimates  pi_k = N_k / N,  mu_k = mean of class k,  S_k = covariance of class k,
               Sigma = sum_k (N_k / N) S_k  (10.5)  or  Sigma_k = S_k
    Two classes, shared    P(C_1 | x) = sigma(w.x + b),  w = Sigma^-1 (mu_1 - mu_0)  (10.3)
    K classes, shared      softmax of  w_k.x + b_k,  w_k = Sigma^-1 mu_k  (10.6)

    Also called linear (shared) and quadratic (own) discriminant analysis, LDA and QDA.

    Parameters
    ----------
    shared_covariance : True for one covariance of all classes, False for one each.
    shrinkage : between 0 and 1; the covariance becomes (1 - s) Sigma + s v I with v the mean of its diagonal, which
        mends a singular one.

    Attributes
    ----------
    classes_ (K,), priors_ (K,), means_ (K, d), covariances_ (K, d, d), all equal if shared;
    if shared, also covariance_ (d, d) and w_ (d,), b_ for two classes, W_ (K, d), b_ (K,) for more.

    >>> model = GaussianDiscriminant().fit([[1], [2], [3], [5], [6], [7]], [0, 0, 0, 1, 1, 1])
    >>> print(model.w_.round(6), round(model.b_, 6), model.predict_proba([[4.5]]).round(5))
    [6.] -24.0 [[0.04743 0.95257]]
    """

    largest, params = 1e100, {"shared_covariance": FLAG, "shrinkage": Real(0, 1)}
    remedy = "It lies so far out that its density is 0 in a double; change the unit, or look at it."

    def __init__(self, shared_covariance=True, *, shrinkage=0.0):
        self.shared_covariance, self.shrinkage = shared_covariance, shrinkage

    def learn(self, X, y):
        """Estimate shares, means and covariances by maximum likelihood."""
        # 1. The shares and the means of the classes (10.5)
        counts, K = self._keep_shares(y), len(self.classes_)
        deviations, means = zip(*[centre(X[y == k]) for k in range(K)])
        # 2. The covariance of each class, or their mean, weighted with the shares
        scatters = np.array([A.T @ A for A in deviations])
        shared = self.shared_covariance
        covariances = [scatters.sum(axis=0) / len(X)] * K if shared else scatters / counts[:, None, None]
        # 3. Shrunk, and factorised
        self.means_, self.covariances_ = (
            np.array(means),
            np.array([_shrunk(Sigma, self.shrinkage) for Sigma in covariances]),
        )
        whose = [f"class {label!r}" for label in self.classes_.tolist()]
        self._factors = np.array([_factor(Sigma, shared, who) for Sigma, who in zip(self.covariances_, whose)])
        if shared:
            self._keep_plane()

    def sample(self, n, rng=0):
        """Return ``n`` new points (n, d) and their classes (n,): draw a class, then a point of its Gaussian."""
        self._require_fit()
        n, rng = check_integer(n, "n", low=1), as_rng(rng)
        k = rng.choice(len(self.classes_), size=n, p=self.priors_)
        z = rng.normal(size=(n, self.n_features_in_))
        return self.means_[k] + np.einsum("nij,nj->ni", self._factors[k], z), self.classes_[k]

    def _log_joint(self, X):
        d = X.shape[1]
        J = np.empty((len(X), len(self.classes_)))
        with np.errstate(over="ignore", invalid="ignore"):
            for k, (mu, L) in enumerate(zip(self.means_, self._factors)):
                u = np.linalg.solve(L, (X - mu).T)
                J[:, k] = -0.5 * (u**2).sum(axis=0) - np.log(np.diag(L)).sum()
        return J - 0.5 * d * np.log(2 * np.pi) + self._log_priors

    def _keep_plane(self):
        """Write a shared covariance's decision as a plane, (10.3) or (10.6)."""
        self.covariance_ = self.covariances_[0]
        u = np.linalg.solve(self._factors[0], self.means_.T)
        W = np.linalg.solve(self._factors[0].T, u).T
        b = -0.5 * (u**2).sum(axis=0) + self._log_priors
        if len(W) > 2:
            self.W_, self.b_ = W, b
        else:
            self.w_, self.b_ = W[1] - W[0], float(b[1] - b[0])


def _shrunk(Sigma, s):
    d = len(Sigma)
    return (1 - s) * Sigma + s * np.trace(Sigma) / d * np.eye(d)


def _factor(Sigma, shared, who):
    """Return L with L L' = Sigma, or say why there is no density."""
    scale = np.sqrt(np.diag(Sigma))
    flat = np.flatnonzero(scale == 0)
    if len(flat) == 0:
        R = Sigma / np.outer(scale, scale)  # correlations: the unit of a feature does not make it singular
        try:
            L = np.linalg.cholesky(R)
        except np.linalg.LinAlgError:
            L = np.zeros_like(R)
        if (np.diag(L) ** 2 > len(R) * 1e-13).all():
            return scale[:, None] * L
    why = f"feature {flat[0]} is constant there" if len(flat) else "some features depend on the others there"
    mend = "Use shrinkage=0.1" if shared else "Use shared_covariance=True or shrinkage=0.1"
    what = "the shared covariance" if shared else f"the covariance of {who}"
    raise ValueError(f"{what} is singular: {why}. {mend}, or leave such features out.")

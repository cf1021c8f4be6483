"""Mixtures of normal laws, fitted by EM: soft shares instead of hard labels (sections 21.3 and 21.5).

The E-step computes the share of each component in each point, the M-step weighted means and covariances. Neither
lowers the likelihood. Beside them stand the shapes of covariances and the floor under the variances
(`_covariances.py`), and where EM starts (`_start.py`).
"""

from typing import NamedTuple

import numpy as np

from mlteach.base import Estimator
from mlteach.clustering._covariances import NOBODY, SHAPES, Shape, n_free
from mlteach.clustering._normals import log_normals
from mlteach.clustering._start import MixtureUnits, Start, given_covariances, given_weights
from mlteach.history import History
from mlteach.numerics import log_sum_exp, squarable
from mlteach.parameters import ANY, Choice, Real, Whole
from mlteach.validation import as_matrix, as_rng, check_integer


class MixtureStep(NamedTuple):
    """Parameters after one iteration of EM, and their log-likelihood; the first record is the start."""

    weights: np.ndarray  # (K,)
    means: np.ndarray  # (K, d)
    covariances: np.ndarray  # (K, d, d)
    log_likelihood: float  # total


class GaussianMixture(Estimator):
    """A weighted sum of K normal laws, fitted by expectation maximisation.

        Model    p(x) = sum_k pi_k N(x | mu_k, Sigma_k)                                   (21.6)
        E-step   r_ik = pi_k N(x_i | mu_k, Sigma_k) / p(x_i)                              (21.7)
        M-step   N_k = sum_i r_ik,  pi_k = N_k / n,  mu_k = sum_i r_ik x_i / N_k,         (21.14), (21.15)
                 Sigma_k = sum_i r_ik (x_i - mu_k)(x_i - mu_k)' / N_k                     (21.16)

    Parameters
    ----------
    k : number of components, at most n
    rng : seed or Generator
    covariance : "full", "tied" (one for all), "diagonal", "spherical" (one variance each), or "fixed": weights and
        covariances stay as given, and only the means are learned
    weights, means, covariances : the start, (K,), (K, d) and (K, d, d); a number or one matrix (d, d) serves all
        components. Where means are missing, the start comes from k-means; else equal weights and the data's covariance.
        Covariances are brought to the wanted shape and lifted to the floor: EM climbs from a start that it may keep
    floor : no variance, in any direction, gets smaller than this share of the data's (of each feature's)
    n_init : number of starts by k-means, of which the one with the highest likelihood is kept
    max_iter, tol, history : EM stops when the log-likelihood per point rises by at most ``tol``

    Attributes
    ----------
    weights_, means_, covariances_ : (K,), (K, d), (K, d, d)
    log_likelihood_ : total over the points of fit
    labels_ : (n,) the component with the largest share
    floored_ : (K,) True where a variance is held at the floor; then a warning says so, too
    history_ : records (`MixtureStep`); n_iter_, converged_

    >>> x = [[0.0], [1], [2], [8], [9], [10]]
    >>> model = GaussianMixture(2, means=[[1.0], [8.0]], covariances=4.0).fit(x)
    >>> [round(step.log_likelihood, 6) for step in model.history_[:3]]
    [-14.688691, -11.531637, -11.456119]
    """

    task = "cluster"
    params = {
        "k": Whole(1, "n", "X has {n} rows, n_samples={n}"),
        "covariance": Choice(*SHAPES),
        **dict.fromkeys(("weights", "means", "covariances"), ANY),
        "floor": Real(above=0),
        "n_init": Whole(1),
        "max_iter": Whole(1),
        "tol": Real(0),
    }

    def __init__(
        self, k=3, rng=0, *, covariance="full", weights=None, means=None, covariances=None, floor=1e-6, n_init=1,
        max_iter=300, tol=3e-4, history=True,
    ):  # fmt: skip
        self.k, self.rng, self.covariance = k, rng, covariance
        self.weights, self.means, self.covariances = weights, means, covariances
        self.floor, self.n_init, self.max_iter, self.tol, self.history = floor, n_init, max_iter, tol, history

    @classmethod
    def from_parameters(cls, weights, means, covariances):
        """Return a mixture with these parameters as if it had learned them: it has shares, densities and samples.

        ``weights`` (K,), ``means`` (K, d), ``covariances`` (K, d, d), or one (d, d) or a variance for all.

        >>> GaussianMixture.from_parameters([0.5, 0.5], [[0.0], [4.0]], 1.0).responsibilities([[1.0]]).round(3)
        array([[0.982, 0.018]])
        """
        means = as_matrix(means, "means")
        k, d = means.shape
        model = cls(k, weights=weights, means=means, covariances=covariances)
        model.weights_, model.means_ = given_weights(weights, k), means
        model.covariances_, model._shape = given_covariances(covariances, k, d), "full"
        model._keep_features(d, None)
        return model

    def learn(self, X):
        """Climb by EM from each start, and keep the highest summit."""
        # 1. Units in which the data have variance 1
        units, shape = MixtureUnits(X, self.covariance), Shape(self.covariance, self.floor)
        Z, start = units.inside(X), Start(self, units, shape, m_step)
        # 2. EM from each start
        climbs = (climb(Z, start.draw(Z, self.rng), shape, self) for _ in range(start.n))
        history, self.converged_, r = max(climbs, key=lambda found: found[0][-1].log_likelihood)
        # 3. Back to the units of the data
        self.history_, self.n_iter_ = [units.record(step, len(X)) for step in history], history.n_steps
        self.weights_, self.means_, self.covariances_, self.log_likelihood_ = self.history_[-1]
        self.labels_, self.floored_ = r.argmax(axis=1), shape.floored(history[-1].covariances)
        self._shape = self.covariance

    def advice(self, X):
        """Warn of components that have collapsed, and of a run that was cut short."""
        flat = [f"{k} (weight {self.weights_[k]:.3g})" for k in np.flatnonzero(self.floored_)]
        if flat:
            more = f" and {len(flat) - 3} more" if len(flat) > 3 else ""
            which = f"component {flat[0]} has" if len(flat) == 1 else f"components {', '.join(flat[:3])}{more} have"
            yield (
                f"{which} collapsed in at least one direction, onto equal or aligned points or a constant feature: the "
                f"variance there is held at floor={self.floor:g} times that of the data. Take a smaller k, another "
                f"start, or a larger floor."
            )
        if not self.converged_:
            yield f"GaussianMixture has not converged after max_iter={self.max_iter} iterations. Raise max_iter or tol."

    def _read_points(self, X):
        return squarable(super()._read_points(X))

    def log_joint(self, X):
        """Return ln( pi_k N(x | mu_k, Sigma_k) ) for each row of ``X`` and each component, (n, K)."""
        return log_joint(self._points(X), self.weights_, self.means_, self.covariances_)

    def responsibilities(self, X):
        """Return the share of each component in each row of ``X``, (n, K); rows sum to one (21.7)."""
        L = self.log_joint(X)
        return np.exp(L - log_sum_exp(L)[:, None])

    def predict_proba(self, X):
        """Return the responsibilities, under scikit-learn's name."""
        return self.responsibilities(X)

    def predict(self, X):
        """Return the component with the largest share in each row of ``X``."""
        return self.log_joint(X).argmax(axis=1)

    def fit_predict(self, X, y=None):
        """Fit and return the labels."""
        return self.fit(X).labels_

    def log_density(self, X):
        """Return ln p(x) for each row of ``X``, (n,)."""
        return log_sum_exp(self.log_joint(X))

    def score(self, X, y=None):
        """Return the mean log-density of the rows of ``X``: larger is better."""
        return float(self.log_density(X).mean())

    @property
    def n_parameters_(self):
        """The number of free parameters: weights, means and covariances."""
        self._require_fit()
        return n_free(self._shape, *self.means_.shape)

    def bic(self, X):
        """Return -2 ln p(X) + (number of parameters) ln n: smaller is better (21.20)."""
        logs = self.log_density(X)
        return -2 * float(logs.sum()) + self.n_parameters_ * float(np.log(len(logs)))

    def sample(self, n=1, rng=0):
        """Draw ``n`` points: first the component, then the point; return ``(X, labels)``, (n, d) and (n,)."""
        self._require_fit()
        n, rng = check_integer(n, "n", low=1), as_rng(rng)
        labels = rng.choice(len(self.weights_), n, p=self.weights_ / self.weights_.sum())
        roots = np.linalg.cholesky(self.covariances_)
        normal = rng.normal(size=(n, self.means_.shape[1]))
        return self.means_[labels] + np.einsum("nij,nj->ni", roots[labels], normal), labels


def climb(X, theta, shape, options):
    """Run EM from the parameters ``theta`` = weights, means, covariances until the likelihood rises no more.

    ``shape`` is what the covariances may be; ``options`` has max_iter, tol and history. Returns the history, whether it
    has converged, and the last shares.
    """
    # 1. E-step: shares of the start
    r, l = e_step(X, *theta)
    history = History([MixtureStep(*theta, l)], whole=options.history)
    for _ in range(options.max_iter):
        # 2. M-step: weighted averages
        theta = shape.allow(m_step(X, r), theta)
        # 3. E-step: shares under the new parameters
        before = l
        r, l = e_step(X, *theta)
        history.append(MixtureStep(*theta, l))
        # 4. Stop when the likelihood rises no more
        if l - before <= options.tol * len(X):
            return history, True, r
    return history, False, r


def e_step(X, weights, means, covariances):
    """Return the shares r_ik = pi_k N(x_i | mu_k, Sigma_k) / p(x_i) (n, K) and the log-likelihood sum_i ln p(x_i)."""
    L = log_joint(X, weights, means, covariances)
    log_p = log_sum_exp(L)
    return np.exp(L - log_p[:, None]), float(log_p.sum())  # (21.7)


def m_step(X, r):
    """Return the weights, means and covariances that are best for the shares ``r`` (n, K)."""
    N = np.maximum(r.sum(axis=0), NOBODY)
    weights = N / len(X)  # (21.14)
    means = r.T @ X / N[:, None]  # (21.15)
    covariances = []
    for k, mu in enumerate(means):
        A = X - mu
        covariances.append((r[:, k] * A.T) @ A / N[k])  # (21.16)
    return weights, means, np.array(covariances)


def log_joint(X, weights, means, covariances):
    """Return ln( pi_k N(x_i | mu_k, Sigma_k) ) for each point and component, (n, K)."""
    with np.errstate(divide="ignore"):  # ln 0 = -inf: a component of weight 0 has no share in anything
        return np.log(weights) + log_normals(X, means, covariances)

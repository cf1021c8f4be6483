"""Mixtures of normal laws, fitted by EM: soft shares instead of hard labels (sections 21.3 and 21.5).

The E-step computes the share of each component in each point, the M-step weighted means and covariances. Neither
lowers the likelihood, also with the floor on the variances: it is the exact M-step under the constraint that no
variance is smaller.
"""

import numbers
import warnings
from typing import NamedTuple

import numpy as np

from mlteach.base import Estimator
from mlteach.clustering.kmeans import KMeans
from mlteach.history import History
from mlteach.numerics import Units, log_sum_exp, squarable
from mlteach.validation import (
    ConvergenceWarning,
    as_array,
    as_matrix,
    as_rng,
    as_table,
    check_choice,
    check_integer,
    check_number,
    check_probabilities,
)

SHAPES = ("full", "tied", "diagonal", "spherical", "fixed")


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

    def __init__(
        self, k=3, rng=0, *, covariance="full", weights=None, means=None, covariances=None, floor=1e-6, n_init=1,
        max_iter=300, tol=3e-4, history=True,
    ):  # fmt: skip
        self.k, self.rng, self.covariance = k, rng, covariance
        self.weights, self.means, self.covariances = weights, means, covariances
        self.floor, self.n_init, self.max_iter, self.tol, self.history = floor, n_init, max_iter, tol, history

    def fit(self, X, y=None):
        """Alternate E-step and M-step until the likelihood rises no more; return self."""
        X, names = as_table(X)
        n, d = squarable(X).shape
        k = check_integer(self.k, "k", low=1, high=n, why=f"X has {n} rows, n_samples={n}")
        shape, rng = check_choice(self.covariance, "covariance", SHAPES), as_rng(self.rng)
        floor, tol = check_number(self.floor, "floor", low=0, open_low=True), check_number(self.tol, "tol", low=0)
        n_init, max_iter = (check_integer(getattr(self, p), p, low=1) for p in ("n_init", "max_iter"))
        unit = _Unit(X, per_feature=shape not in ("spherical", "fixed"))
        Z, m_step = unit.inside(X), MStep(shape, floor)
        start = _Start(self, k, d, unit)

        best = None
        for _ in range(n_init if start.drawn else 1):
            theta = start.parameters(Z, m_step, rng)
            run = climb(Z, theta, m_step, max_iter, tol, self.history)
            if best is None or run[0][-1].log_likelihood > best[0][-1].log_likelihood:
                best = run
        history, self.converged_, r = best
        self.floored_ = m_step.floored(history[-1].covariances)
        _tell(self.floored_, r, self.converged_, max_iter, floor)
        self.history_, self.n_iter_ = [unit.record(step, n) for step in history], history.n_steps
        self.weights_, self.means_, self.covariances_, self.log_likelihood_ = self.history_[-1]
        self.labels_, self._shape = r.argmax(axis=1), shape
        self._keep_features(d, names)
        return self

    def _read_points(self, X):
        return squarable(super()._read_points(X))

    def log_joint(self, X):
        """Return ln( pi_k N(x | mu_k, Sigma_k) ) for each row of ``X`` and each component, (n, K)."""
        return _log_joint(self._points(X), self.weights_, self.means_, self.covariances_)

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
        k, d = self.means_.shape
        one = d * (d + 1) // 2
        shapes = {"full": k * one, "tied": one, "diagonal": k * d, "spherical": k, "fixed": 0}[self._shape]
        return k * d + shapes + (k - 1 if self._shape != "fixed" else 0)

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


def climb(X, theta, m_step, max_iter, tol, whole):
    """Run EM from the parameters ``theta``; return history, convergence and the last responsibilities."""
    # 1. E-step: shares of the start
    r, l = e_step(X, *theta)
    history = History([MixtureStep(*theta, l)], whole=whole)
    for _ in range(max_iter):
        # 2. M-step: weighted averages
        theta = m_step(X, r, *theta)
        # 3. E-step: shares under the new parameters
        before = l
        r, l = e_step(X, *theta)
        history.append(MixtureStep(*theta, l))
        # 4. Stop when the likelihood rises no more
        if l - before <= tol * len(X):
            return history, True, r
    return history, False, r


def e_step(X, weights, means, covariances):
    """Return the responsibilities (n, K) and the total log-likelihood."""
    L = _log_joint(X, weights, means, covariances)
    log_p = log_sum_exp(L)
    return np.exp(L - log_p[:, None]), float(log_p.sum())


def _log_joint(X, weights, means, covariances):
    (n, d), K = X.shape, len(means)
    roots = np.linalg.cholesky(covariances)
    whiten = np.linalg.inv(roots)  # the quadratic form is |u|^2 with u = L^-1 (x - mu)
    with np.errstate(divide="ignore"):
        constant = (
            np.log(weights) - np.log(np.diagonal(roots, axis1=1, axis2=2)).sum(axis=1) - d * np.log(2 * np.pi) / 2
        )
    L = np.empty((K, n))
    for some in _portions(K, n * d):
        u = (X - means[some, None]) @ whiten[some].swapaxes(1, 2)
        L[some] = constant[some, None] - 0.5 * np.einsum("knd,knd->kn", u, u)
    return L.T


class MStep:
    """The M-step of one shape of covariance, with variances held at the floor."""

    def __init__(self, shape, floor):
        self.shape, self.floor = shape, floor

    def __call__(self, X, r, weights, means, covariances):
        """Return new weights, means and covariances; a component without any share keeps its place."""
        N = r.sum(axis=0)
        alive = N > 1e-300
        safe = np.where(alive, N, 1)[:, None]
        means = np.where(alive[:, None], r.T @ X / safe, means)
        if self.shape == "fixed":
            return weights, means, covariances
        S = _scatter(X, r, means)
        if self.shape == "tied":
            S = np.broadcast_to(self._held((S.sum(axis=0) / len(X))[None]), S.shape)
        else:
            S = np.where(alive[:, None, None], self._held(S / safe[:, :, None]), covariances)
        return N / len(X), means, S

    def _held(self, S):
        """Return covariances of the wanted shape, with no variance below the floor: eigenvalues are lifted to it."""
        d = S.shape[1]
        variances = np.diagonal(S, axis1=1, axis2=2)
        if self.shape == "spherical":
            return np.maximum(variances.mean(axis=1), self.floor)[:, None, None] * np.eye(d)
        if self.shape == "diagonal":
            return np.maximum(variances, self.floor)[:, :, None] * np.eye(d)
        if d == 2 and _surely_above(S, self.floor):
            return S
        values, vectors = np.linalg.eigh(S)
        if values.min() >= self.floor:
            return S
        return (vectors * np.maximum(values, self.floor)[:, None, :]) @ vectors.swapaxes(1, 2)

    def shaped(self, S):
        """Return the covariances of a start as this shape and the floor allow them."""
        if self.shape == "fixed":
            return S
        return self._held(np.broadcast_to(S.mean(axis=0), S.shape) if self.shape == "tied" else S)

    def floored(self, covariances):
        """Say for each component whether a variance lies at the floor."""
        if self.shape == "fixed":
            return np.zeros(len(covariances), dtype=bool)
        return np.linalg.eigvalsh(covariances).min(axis=1) <= self.floor * (1 + 1e-6)


def _surely_above(S, floor):
    """Say whether both eigenvalues of all (2, 2) matrices exceed the floor, by trace and determinant."""
    trace = S[:, 0, 0] + S[:, 1, 1]
    det = S[:, 0, 0] * S[:, 1, 1] - S[:, 0, 1] ** 2
    return bool((det > 1.01 * floor * trace).all())  # the smaller one is at least det / trace


def _scatter(X, r, means):
    """Return sum_i r_ik (x_i - mu_k)(x_i - mu_k)' for each component, (K, d, d)."""
    S = np.empty((len(means), X.shape[1], X.shape[1]))
    for some in _portions(len(means), X.size):
        A = X - means[some, None]
        S[some] = (r.T[some, :, None] * A).swapaxes(1, 2) @ A
    return S


def _portions(K, size):
    """Return slices of the components, as many at a time as fit into a few megabytes."""
    step = max(1, 400_000 // size)
    return [slice(k, k + step) for k in range(0, K, step)]


class _Unit(Units):
    """The scale in which EM works: data around 0 with variance 1, so that the floor means the same for any unit.

    Shapes that a change of unit would spoil ("spherical", "fixed") get one scale for all features.
    """

    def record(self, step, n):
        """Return a record in the user's units."""
        square = np.multiply.outer(self.scale, self.scale)
        return MixtureStep(
            step.weights,
            self.outside(step.means),
            step.covariances * square,
            step.log_likelihood - n * float(np.log(self.scale).sum()),
        )


class _Start:
    """The parameters EM starts from: those given, or the M-step on the labels of k-means."""

    def __init__(self, model, k, d, unit):
        self.k, self.d, self.unit = k, d, unit
        self.weights = None if model.weights is None else _given_weights(model.weights, k)
        self.means = None if model.means is None else _given_means(model.means, k, d)
        self.covariances = None if model.covariances is None else _given_covariances(model.covariances, k, d)
        if model.covariance == "fixed" and self.covariances is None:
            raise ValueError('covariance="fixed" needs the covariances that stay as they are; give covariances=...')
        self.drawn = self.means is None

    def parameters(self, Z, m_step, rng):
        """Return weights, means and covariances in EM's scale."""
        square = np.multiply.outer(self.unit.scale, self.unit.scale)
        means = None if self.drawn else self.unit.inside(self.means)
        covariances = None if self.covariances is None else m_step.shaped(self.covariances / square)
        rest = np.broadcast_to(np.eye(self.d), (self.k, self.d, self.d))
        if self.drawn:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ConvergenceWarning)  # equal points: the floor takes care of them
                labels = KMeans(self.k, rng=rng, history=False).fit(Z).labels_
            r = np.eye(self.k)[labels]
            made = m_step(Z, r, np.full(self.k, 1 / self.k), np.zeros((self.k, self.d)), rest)
        else:
            pooled = m_step(Z, np.full((len(Z), self.k), 1 / self.k), np.ones(self.k), means, rest)[2]
            made = np.full(self.k, 1 / self.k), means, pooled
        if m_step.shape == "fixed":
            made = np.full(self.k, 1 / self.k), made[1], covariances
        given = self.weights, means, covariances
        return tuple(m if g is None else g for g, m in zip(given, made))


def _given_weights(weights, k):
    weights = check_probabilities(weights, "weights")
    if weights.shape != (k,):
        raise ValueError(f"weights must have one entry per component, shape {(k,)}; got {weights.shape}.")
    return weights


def _given_means(means, k, d):
    means = as_matrix(means, "means")
    if means.shape != (k, d):
        raise ValueError(f"means must have one row per component, shape {(k, d)}; got {means.shape}.")
    return means


def _given_covariances(covariances, k, d):
    """Return (K, d, d) from a variance, one matrix, or one matrix per component."""
    if isinstance(covariances, np.ndarray) and covariances.ndim == 0:
        covariances = covariances.item()
    if isinstance(covariances, numbers.Real):
        return check_number(covariances, "covariances", low=0, open_low=True) * np.broadcast_to(np.eye(d), (k, d, d))
    S = as_array(covariances, "covariances")
    if S.shape == (d, d):
        S = np.broadcast_to(S, (k, d, d))
    if S.shape != (k, d, d):
        raise ValueError(f"covariances must be a number or have shape {(d, d)} or {(k, d, d)}; got {S.shape}.")
    if not np.allclose(S, S.swapaxes(1, 2)) or np.linalg.eigvalsh(S).min() <= 0:
        raise ValueError("covariances must be symmetric with positive eigenvalues.")
    return S


def _tell(floored, r, converged, max_iter, floor):
    """Warn of components that have collapsed, and of a run that was cut short."""
    flat = [f"{k} (weight {r[:, k].mean():.3g})" for k in np.flatnonzero(floored)]
    if flat:
        more = f" and {len(flat) - 3} more" if len(flat) > 3 else ""
        which = f"component {flat[0]} has" if len(flat) == 1 else f"components {', '.join(flat[:3])}{more} have"
        warnings.warn(
            f"{which} collapsed in at least one direction, onto equal or aligned points or a constant feature: the "
            f"variance there is held at floor={floor:g} times that of the data. Take a smaller k, another start, or a "
            f"larger floor.",
            ConvergenceWarning,
            stacklevel=3,
        )
    if not converged:
        warnings.warn(
            f"GaussianMixture has not converged after max_iter={max_iter} iterations. Raise max_iter or tol.",
            ConvergenceWarning,
            stacklevel=3,
        )

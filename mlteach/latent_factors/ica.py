"""Independent component analysis: unmix signals by making them as independent as a linear map can.

Derived in section 22.8 of the chapter: the likelihood of an unmixing matrix, its gradient, and why normal sources
cannot be unmixed.
"""

from typing import NamedTuple

import numpy as np

from mlteach.base import Transformer
from mlteach.history import History
from mlteach.latent_factors.em import STILL
from mlteach.latent_factors.pca import PCA
from mlteach.numerics import as_codes
from mlteach.parameters import Choice, Maybe, Real, Whole
from mlteach.validation import as_array, as_matrix, check_integer


class ICAStep(NamedTuple):
    """State of ICA after one step: the matrix (m, m) that unmixes the whitened data, and how far the step moved it."""

    W: np.ndarray
    change: float


class ICA(Transformer):
    """Independent components: s = W (x - mean), with W such that the entries of s are independent.

    Model      x = A s,  the sources s independent and at most one of them normal                    (22.19)
    Fit        whiten, then turn until the likelihood (22.21) of the sources is largest

    Parameters: ``rng`` draws the start. ``solver`` "newton" (fixed-point steps with tanh, for sources with peaks and
    for flat ones) or "ascent" (gradient of the likelihood (22.22) with the logistic density, for peaked sources only).
    ``m``: number of sources, None for as many as X has directions that vary by more than rounding, however little.
    It stops when a step changes no entry of the matrix by more than ``tol``, or after ``max_iter`` steps; ``history``:
    False keeps only the first and the last record of the run.

    Attributes: ``unmixing_`` (m, d), ``mixing_`` (d, m), its pseudo-inverse; ``mean_`` (d,); ``history_``,
    ``n_iter_``, ``converged_``. Order, sign and size of sources cannot be known: they come with variance 1 (divisor
    n), those farthest from normal first, the largest entry of each column of
    ``mixing_`` positive.

    >>> s = np.random.default_rng(0).laplace(size=(2000, 2))
    >>> model = ICA(0).fit(s @ np.array([[1.0, 0.4], [0.6, 1.0]]))
    >>> np.abs(model.unmixing_ @ [[1.0, 0.6], [0.4, 1.0]]).round(1).max(axis=1).tolist()
    [0.7, 0.7]
    """

    task = "transform"
    params = {"m": Maybe(Whole(1)), "solver": Choice("newton", "ascent"), "max_iter": Whole(1), "tol": Real(0)}

    def __init__(self, rng=0, *, m=None, solver="newton", max_iter=500, tol=1e-7, history=True):
        self.rng = rng
        self.m = m
        self.solver = solver
        self.max_iter = max_iter
        self.tol = tol
        self.history = history

    def learn(self, X):
        """Whiten, turn until the sources are as independent as possible."""
        # 1. Whiten: uncorrelated, variance 1
        self.mean_, V = _whitening(X, self.m)
        Z = (X - self.mean_) @ V.T
        # 2. Start from a random turn
        W, self.converged_ = orthogonal(self.rng.normal(size=(len(V), len(V)))), False
        run, step = History([ICAStep(W, np.inf)], whole=self.history), STEPS[self.solver]
        while run.n_steps < self.max_iter and not self.converged_:
            # 3. One step uphill
            W, change = step(W, Z)
            self.converged_ = change <= self.tol
            run.append(ICAStep(W, change))
        # 4. Size, order, sign: a convention, for the data do not say
        W = W / np.std(Z @ W.T, axis=0)[:, None]
        W = W[np.argsort(-np.abs(kurtosis(Z @ W.T)), kind="stable")]
        mixing = np.linalg.pinv(W @ V)
        signs = np.where(mixing[np.argmax(np.abs(mixing), axis=0), np.arange(len(W))] < 0, -1.0, 1.0)
        self.unmixing_, self.mixing_, self.history_ = signs[:, None] * (W @ V), mixing * signs, run

    def advice(self, X):
        """Say that the sources have not come to rest."""
        if not self.converged_:
            yield (
                f"the sources still turned by more than tol={self.tol:g} after max_iter={self.max_iter} steps; "
                f"more than one of them may be normal, and then no turn is better than another."
            )

    def _check_data(self, X):
        if len(X) < 2:
            raise ValueError("ICA needs at least 2 points; got n_samples = 1.")

    def transform(self, X):
        """Return the sources (n, m), each with mean 0 and variance 1 on the data of ``fit``."""
        return (self._points(X) - self.mean_) @ self.unmixing_.T

    def inverse_transform(self, Z):
        """Return the mixtures (n, d) of the sources ``Z`` (n, m)."""
        self._require_fit()
        return as_codes(Z, len(self.unmixing_)) @ self.mixing_.T + self.mean_

    def score(self, X, y=None):
        """Return the mean log-likelihood (22.21) of the rows of ``X``, with logistic densities of variance 1."""
        S = np.pi / np.sqrt(3) * self.transform(X)
        half = 0.5 * np.linalg.slogdet(self.unmixing_ @ self.unmixing_.T)[1]  # ln |det W| where W is square
        return float(np.mean(_log_density(S)) + half + len(self.unmixing_) * np.log(np.pi / np.sqrt(3)))


def ica_log_likelihood(W, X):
    """Return the mean log-likelihood of the unmixing matrix ``W`` (d, d), each source with the logistic density.

    sum_j ln g'(w_j . x) + ln |det W|,  g the sigmoid                                                 (22.21)

    >>> round(ica_log_likelihood([[2.0]], [[0.0]]), 6)  # ln 1/4 + ln 2
    -0.693147
    """
    W, X = _square(W, X)
    return float(np.mean(_log_density(X @ W.T)) + np.linalg.slogdet(W)[1])


def ica_gradient(W, X):
    """Return the gradient (d, d) of `ica_log_likelihood`: the mean of (1 - 2 g(Wx)) x', plus (W')^-1      (22.22)

    >>> ica_gradient([[2.0]], [[0.0]]).tolist()
    [[0.5]]
    """
    W, X = _square(W, X)
    return -np.tanh(X @ W.T / 2).T @ X / len(X) + np.linalg.inv(W).T


def kurtosis(S):
    """Return the excess kurtosis of each column: E s^4 / (E s^2)^2 - 3, zero for a normal law.

    ``S`` is (n, m).

    >>> kurtosis([[1.0], [-1.0], [1.0], [-1.0]]).tolist()
    [-2.0]
    """
    S = as_array(S, "S")
    if S.ndim == 0:
        raise ValueError("S must have shape (n,) or (n, m); got a single number.")
    large = np.abs(S).max(axis=0)
    S = S - S.mean(axis=0)
    size = np.abs(S).max(axis=0)
    if (size <= 1e-14 * large).any():
        raise ValueError("S has a column that does not vary, and that has no kurtosis.")
    S = S / size  # no units, and no square under- or overflows
    return np.mean(S**4, axis=0) / np.mean(S**2, axis=0) ** 2 - 3


def _log_density(Y):
    """Return for each row the sum of ln g'(y) = -|y| - 2 ln(1 + exp(-|y|)), which never overflows."""
    return np.sum(-np.abs(Y) - 2 * np.log1p(np.exp(-np.abs(Y))), axis=1)


def orthogonal(W):
    """Return the orthogonal matrix nearest to ``W``, (W W')^-1/2 W."""
    U, _, V = np.linalg.svd(W)
    return U @ V


def _newton(W, Z):
    """One fixed-point step for all rows, E psi(w.z) z - E psi'(w.z) w with psi = tanh, then back to orthogonal."""
    T = np.tanh(Z @ W.T)
    new = orthogonal(T.T @ Z / len(Z) - np.mean(1 - T**2, axis=0)[:, None] * W)
    return new, float(np.max(np.abs(np.abs(np.sum(new * W, axis=1)) - 1)))


def _ascent(W, Z):
    """One step along the gradient (22.22) times W'W: (I - E psi(y) y') W with psi(y) = tanh(y / 2)."""
    Y = Z @ W.T
    step = np.eye(len(W)) - np.tanh(Y / 2).T @ Y / len(Z)
    return W + 0.5 * step @ W, float(np.max(np.abs(step)))


STEPS = {"newton": _newton, "ascent": _ascent}


def _whitening(X, m):
    """Return the mean and the matrix V (m, d) that makes V (x - mean) uncorrelated with variance 1."""
    pca = PCA().fit(X)
    n = len(X)
    variances = pca.explained_variance_ * (n - 1) / n
    rank = int(np.sum(variances > 0))
    if rank == 0:
        raise ValueError(STILL)
    m = rank if m is None else check_integer(m, "m", low=1, high=rank, why="directions of X that vary")
    return pca.mean_, pca.components_[:m] / np.sqrt(variances[:m, None])


def _square(W, X):
    X, W = as_matrix(X), as_matrix(W, "W")
    if W.shape != (X.shape[1],) * 2:
        raise ValueError(f"W must be square with a row per feature of X, ({X.shape[1]}, {X.shape[1]}); got {W.shape}.")
    if np.linalg.slogdet(W)[0] == 0:
        raise ValueError("W must be invertible; its determinant is 0.")
    return W, X

"""EM for linear models with normal hidden factors: x = mean + W z + noise, z ~ N(0, I), noise ~ N(0, Psi).

Psi is sigma^2 I for probabilistic PCA and any diagonal for factor analysis; that is the only difference between the
two. Derived in sections 22.6.3 and 22.7.2. All that EM needs of the data is their covariance S (divisor n).
"""

import warnings
from typing import NamedTuple

import numpy as np

from mlteach.history import History
from mlteach.numerics import centre, squarable
from mlteach.validation import (
    ConvergenceWarning,
    as_matrix,
    as_rng,
    as_vector,
    check_choice,
    check_integer,
    check_number,
)

FLOOR = 1e-8  # the least noise variance, as a share of a feature's variance
STILL = "X does not vary: all points are equal, or too close for squares of their differences."
NO_NOISE = (
    f"{{}}, and without noise the likelihood may have no bound: the noise is held at {FLOOR:g} of the variance. "
    "Take fewer factors, or more points."
)


class EMStep(NamedTuple):
    """State of EM after one iteration; ``log_likelihood`` is the total of the data at this W and noise."""

    W: np.ndarray  # (d, m)
    noise_variance: object  # a number for probabilistic PCA, (d,) for factor analysis
    log_likelihood: float


class EMRun(NamedTuple):
    """A run of EM: its last state, and its history from the start on."""

    mean: np.ndarray
    W: np.ndarray
    noise_variance: object
    log_likelihood: float
    history: list
    n_iter: int
    converged: bool


def ppca_em(X, m, *, max_iter=1000, tol=1e-9, rng=0):
    """Fit probabilistic PCA by EM from a random start; return an EMRun.

    E step     E z = M^-1 W' (x - mean),  M = W'W + sigma^2 I                                        (22.12)
    M step     W <- (sum of (x - mean) E z') (sum of E zz')^-1,  sigma^2 <- mean of what is left     (22.15)

    It needs no eigenvectors, and ends where the closed form (22.14) is, up to a rotation of the factors.

    >>> X = np.random.default_rng(0).normal(size=(50, 3)) * [3, 1, 1]
    >>> run = ppca_em(X, 1)
    >>> bool(np.all(np.diff([step.log_likelihood for step in run.history]) > -1e-9))
    True
    """
    X = as_matrix(X)
    squarable(X)
    d = X.shape[1]
    m = check_integer(m, "m", low=1, high=d - 1, why="fewer than features")
    variance = float(np.mean(centre(X)[0] ** 2))
    if variance == 0:
        raise ValueError(STILL)
    W = as_rng(rng).normal(size=(d, m)) * np.sqrt(variance / m)
    run = linear_gaussian_em(X, W, np.full(d, variance), equal=True, max_iter=max_iter, tol=tol)
    if run.noise_variance <= 1.001 * FLOOR * variance:
        words = NO_NOISE.format(f"{m} components explain all of the variance")
        warnings.warn(words, ConvergenceWarning, stacklevel=2)
    return run


def linear_gaussian_em(X, W, psi, *, equal, max_iter=1000, tol=1e-9, history=True):
    """Run EM from loadings ``W`` (d, m) and noise variances ``psi`` (d,) on the rows of ``X`` (n, d); return an EMRun.

    ``equal`` holds all noise variances equal. EM stops when a step gains at most ``tol`` a point, or at ``max_iter``.
    """
    X, W = as_matrix(X), as_matrix(W, "W")
    squarable(X)
    if len(W) != X.shape[1]:
        raise ValueError(f"W must have a row per feature of X, {X.shape[1]}; got {len(W)}.")
    psi = as_vector(psi, "psi")
    if len(psi) != X.shape[1]:
        raise ValueError(f"psi must have an entry per feature of X, {X.shape[1]}; got {len(psi)}.")
    if (psi <= 0).any():
        raise ValueError(f"psi must hold positive variances; psi[{np.argmin(psi)}] is {psi.min():g}.")
    max_iter, tol = check_integer(max_iter, "max_iter", low=1), check_number(tol, "tol", low=0)
    check_choice(equal, "equal", (True, False))
    centred, mean = centre(X)
    data = _Moments(centred)

    # 1. What the start says about the factors
    expected, height = data.e_step(W, psi)
    steps, converged = History([EMStep(W, _noise(psi, equal), height)], whole=history), False
    while steps.n_steps < max_iter and not converged:
        # 2. M step: the best loadings and noise for these factors                                   (22.15), (22.18)
        W, psi = data.m_step(expected, equal)
        # 3. E step: the factors under the new loadings, and the likelihood                          (22.12), (22.17)
        before, (expected, height) = height, data.e_step(W, psi)
        steps.append(EMStep(W, _noise(psi, equal), height))
        converged = height - before <= tol * len(X)
    return EMRun(mean, W, _noise(psi, equal), height, list(steps), steps.n_steps, bool(converged))


class _Moments:
    """The covariance S of centred points, formed only where that is cheaper than the points themselves."""

    def __init__(self, centred):
        self.X, (self.n, self.d) = centred, centred.shape
        self.variances = np.mean(centred**2, axis=0)
        self.S = centred.T @ centred / self.n if self.n > self.d else None
        self.floor = np.where(self.variances > 0, FLOOR * self.variances, FLOOR * max(self.variances.mean(), 1e-300))

    def e_step(self, W, psi):
        """Return S B' and the mean of E zz', and the log-likelihood; B (x - mean) is the expected z."""
        A = W.T / psi  # W' Psi^-1
        M = np.eye(W.shape[1]) + A @ W
        B = np.linalg.solve(M, A)
        SB = self.S @ B.T if self.S is not None else self.X.T @ (self.X @ B.T) / self.n
        log_det = np.linalg.slogdet(M)[1] + np.log(psi).sum()  # ln |W W' + Psi|
        distance = np.sum(self.variances / psi) - np.sum(A.T * SB)  # tr (W W' + Psi)^-1 S
        height = -0.5 * self.n * (self.d * np.log(2 * np.pi) + log_det + distance)
        return (SB, np.linalg.inv(M) + B @ SB), float(height)

    def m_step(self, expected, equal):
        """Return the loadings and the noise variances that suit the expected factors best."""
        SB, Ezz = expected
        W = np.linalg.solve(Ezz, SB.T).T
        left = self.variances - np.sum(W * SB, axis=1)  # the diagonal of S - W B S
        if equal:
            return W, np.full(self.d, max(left.mean(), self.floor.mean()))
        return W, np.maximum(left, self.floor)


def _noise(psi, equal):
    return float(psi[0]) if equal else psi

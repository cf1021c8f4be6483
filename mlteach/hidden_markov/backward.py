"""Backward: what later observations say of a state (section 31.5), and both together: the smoother.

beta_t(i) = P(z_{t+1} ... z_T | x_t = i) looks at the observations *after* t only; beta_T = 1.
"""

import numpy as np

from mlteach.hidden_markov import _fast
from mlteach.hidden_markov.forward import log_forward, log_sum, run_forward, shrunk


def backward(A, b):
    """Return beta (T, S) without scaling (31.7); b[t, j] = P(z_t | j)."""
    beta = np.ones(b.shape)
    for t in range(len(b) - 2, -1, -1):
        beta[t] = A @ (b[t + 1] * beta[t + 1])
    return beta


def scaled_backward(A, b):
    """Return beta (T, S) with each row divided by its sum: in (31.8) such factors cancel.

    ``A`` (S, S) are the transitions, ``b`` (T, S) is P(z_t | j).
    """
    beta = np.full(b.shape, 1 / b.shape[1])
    for t in range(len(b) - 2, -1, -1):
        row = A @ (b[t + 1] * beta[t + 1])
        beta[t] = row / row.sum()
    return beta


def run_backward(A, log_b):
    """Return the scaled beta (T, S) from ln P(z_t | j), by whichever of the two passes is faster."""
    b = np.exp(log_b - log_b.max(axis=1, keepdims=True))
    return (_fast.scaled_backward if len(b) >= _fast.LONG else scaled_backward)(A, b)


def combine(belief, beta):
    """Return P(x_t | all z) (T, S), the belief weighed by beta and normalised (31.8)."""
    both = belief * beta
    return both / both.sum(axis=1, keepdims=True)


def pairs(belief, beta, A, log_b):
    """Return xi (T - 1, S, S): P(x_t = i, x_{t+1} = j | all z), in proportion a_t(i) A_ij b_j beta_{t+1}(j) (31.13)."""
    b = np.exp(log_b - log_b.max(axis=1, keepdims=True))
    xi = belief[:-1, :, None] * A * (b * beta)[1:, None, :]
    return xi / xi.sum(axis=(1, 2), keepdims=True)


def posteriors(start, A, log_b, *, moves=False):
    """Return ln c (T,), gamma (T, S) of (31.8) and, if ``moves``, xi (T - 1, S, S) of (31.13), otherwise None."""
    belief, log_c = run_forward(start, A, log_b)
    if not shrunk(belief, A, log_b):
        beta = run_backward(A, log_b)
        return log_c, combine(belief, beta), pairs(belief, beta, A, log_b) if moves else None
    log_alpha, log_beta = log_forward(start, A, log_b), log_backward(A, log_b)
    gamma = _normal(log_alpha + log_beta)
    if not moves:
        return log_c, gamma, None
    with np.errstate(divide="ignore"):
        ways = log_alpha[:-1, :, None] + np.log(A) + (log_b + log_beta)[1:, None, :]
    return log_c, gamma, _normal(ways.reshape(-1, A.size)).reshape(ways.shape)


def log_backward(A, log_b, steps=None):
    """Return ln beta (T, S) by sums of exponentials; with ``steps``, each from so many later observations only."""
    with np.errstate(divide="ignore"):
        log_A = np.log(A)
    beta = np.zeros(log_b.shape)
    if steps is None:
        for t in range(len(log_b) - 2, -1, -1):
            beta[t] = log_sum((log_A + log_b[t + 1] + beta[t + 1]).T)
        return beta
    for _ in range(min(steps, len(log_b) - 1)):
        beta[:-1] = log_sum((log_A + (log_b + beta)[1:, None, :]).transpose(2, 0, 1))
    return beta


def _normal(logs):
    """Return exp(logs), each row divided by its sum."""
    return np.exp(logs - log_sum(logs.T)[:, None])


def fixed_lag(start, A, log_b, lag):
    """Return P(x_t | z up to t + lag) (T, S): beta over a window of ``lag`` observations, for all t at once."""
    belief = run_forward(start, A, log_b).belief
    if shrunk(belief, A, log_b):
        return _normal(log_forward(start, A, log_b) + log_backward(A, log_b, lag))
    b = np.exp(log_b - log_b.max(axis=1, keepdims=True))
    beta = np.ones(b.shape)
    for _ in range(min(lag, len(b) - 1)):
        window = np.ones(b.shape)
        window[:-1] = (b[1:] * beta[1:]) @ A.T
        beta = window / window.sum(axis=1, keepdims=True)
    return combine(belief, beta)

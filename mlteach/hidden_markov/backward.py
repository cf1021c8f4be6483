"""Backward: what later observations say of a state (section 31.5), and both together: the smoother.

beta_t(i) = P(z_{t+1} ... z_T | x_t = i) looks at the observations *after* t only; beta_T = 1.
"""

import numpy as np

from mlteach.hidden_markov import _fast


def backward(A, b):
    """Return beta (T, S) without scaling (31.7); b[t, j] = P(z_t | j)."""
    beta = np.ones(b.shape)
    for t in range(len(b) - 2, -1, -1):
        beta[t] = A @ (b[t + 1] * beta[t + 1])
    return beta


def scaled_backward(A, b):
    """Return beta (T, S) with each row divided by its sum: in (31.8) such factors cancel."""
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


def fixed_lag(belief, A, log_b, lag):
    """Return P(x_t | z up to t + lag) (T, S): beta over a window of ``lag`` observations, for all t at once."""
    b = np.exp(log_b - log_b.max(axis=1, keepdims=True))
    beta = np.ones(b.shape)
    for _ in range(min(lag, len(b) - 1)):
        window = np.ones(b.shape)
        window[:-1] = (b[1:] * beta[1:]) @ A.T
        beta = window / window.sum(axis=1, keepdims=True)
    return combine(belief, beta)

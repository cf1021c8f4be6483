"""Gradient descent for a linear autoencoder from a start of one's choice (section 23.3)."""

from typing import NamedTuple

import numpy as np

from mlteach.numerics import squarable
from mlteach.validation import as_matrix, check_integer, check_number


class LinearPath(NamedTuple):
    """The states of a run, first the start: encoders (k, d, m), decoders (k, m, d), losses (k,)."""

    W: np.ndarray
    V: np.ndarray
    losses: np.ndarray


def linear_descent(X, W, V, learning_rate=0.1, steps=100):
    """Descend on the mean squared error of x~ = mean + (x - mean) W V; return the `LinearPath`.

        J = tr (I - WV)' S (I - WV),   E = 2 S (WV - I),   dJ/dW = E V',   dJ/dV = W' E      (23.4)

    X (n, d); W (d, m) encodes, V (m, d) decodes. A run that leaves the range of the computer ends there.

    >>> X = np.array([[2.0, 0], [-2, 0], [0, 1], [0, -1]])
    >>> path = linear_descent(X, [[0.5], [0.5]], [[0.5, 0.5]], 0.1, 200)
    >>> path.losses[[0, -1]].round(6).tolist()
    [1.5625, 0.5]
    """
    X, W, V = as_matrix(X), as_matrix(W, "W"), as_matrix(V, "V")
    squarable(X)
    d = X.shape[1]
    if W.shape[0] != d or V.shape != W.shape[::-1]:
        raise ValueError(f"W must have shape ({d}, m) and V (m, {d}); got {W.shape} and {V.shape}.")
    eta = check_number(learning_rate, "learning_rate", low=0, open_low=True)
    steps = check_integer(steps, "steps", low=0)
    S, one = np.cov(X.T, bias=True).reshape(d, d), np.eye(d)

    def loss(W, V):
        return float(np.trace((one - W @ V).T @ S @ (one - W @ V)))

    states = [(W, V, loss(W, V))]
    with np.errstate(over="ignore", invalid="ignore"):
        for _ in range(steps):
            E = 2 * S @ (W @ V - one)
            W, V = W - eta * E @ V.T, V - eta * W.T @ E
            if not np.isfinite(loss(W, V)):
                break
            states.append((W, V, loss(W, V)))
    return LinearPath(*map(np.array, zip(*states)))

"""t-SNE: a map on which neighbours stay neighbours, and little else may be read (section 22.9.3)."""

from typing import NamedTuple

import numpy as np

from mlteach.numerics import squarable
from mlteach.validation import as_matrix, as_rng, check_integer, check_number

EVERY = 50  # steps from one record to the next


class MapStep(NamedTuple):
    """The map after some steps."""

    step: int  # steps so far
    Y: np.ndarray  # (n, 2), around 0
    divergence: float  # KL(P || Q)


class Embedding(NamedTuple):
    """A map ``Y`` (n, 2), and the records of the way to it: the start, then every 50 steps, and the end."""

    Y: np.ndarray
    history: list[MapStep]


def tsne(X, perplexity=30.0, *, max_iter=500, learning_rate=None, rng=0):
    """Return an Embedding of the rows of ``X`` (n, d) in the plane.

    Near in space   p(j|i) ~ exp(-|x_i - x_j|^2 / 2 s_i^2),  s_i such that exp(entropy of p(.|i)) = perplexity
    Near on the map q_ij ~ 1 / (1 + |y_i - y_j|^2)
    Descend         KL(P || Q), gradient 4 sum_j (p_ij - q_ij) (y_i - y_j) / (1 + |y_i - y_j|^2)

    All pairs are computed, n^2 of them in each step: for some hundred points.

    ``learning_rate`` is the step size; None takes one that suits n.

    >>> two = np.repeat([[0.0, 0, 0], [9, 9, 9]], 10, axis=0) + np.random.default_rng(0).normal(size=(20, 3))
    >>> Y = tsne(two, perplexity=5, max_iter=200).Y
    >>> apart, wide = np.linalg.norm(Y[:10].mean(0) - Y[10:].mean(0)), Y[:10].std()
    >>> bool(apart > 2 * wide)
    True
    """
    X = as_matrix(X)
    squarable(X)
    n = len(X)
    if n < 4:
        raise ValueError(f"t-SNE needs at least 4 points; got {n}.")
    perplexity = check_number(perplexity, "perplexity", low=1, high=n - 1, open_low=True, open_high=True)
    max_iter = check_integer(max_iter, "max_iter", low=1)
    P = neighbour_probabilities(X, perplexity)
    eta = max(n / 12, 50.0) if learning_rate is None else check_number(learning_rate, "learning_rate", low=0)
    history = _descend(P, 1e-4 * as_rng(rng).normal(size=(n, 2)), eta, max_iter)
    return Embedding(history[-1].Y, history)


def _descend(P, Y, eta, max_iter):
    """Go downhill from the map ``Y`` with momentum and a gain for each coordinate; return the history."""
    velocity, gains, early = np.zeros_like(Y), np.ones_like(Y), min(150, max_iter // 3)
    history = [_record(0, P, Y)]
    for step in range(max_iter):
        # 1. How near are the points on the map?
        near = _nearness(Y)
        Q = near / near.sum()
        # 2. Exaggerate the attraction at first, so that groups find together
        pull = ((12 if step < early else 1) * P - Q) * near
        gradient = 4 * (pull.sum(axis=1)[:, None] * Y - pull @ Y)
        # 3. Move, faster where the direction stays the same
        gains = np.maximum(np.where(gradient * velocity < 0, gains + 0.2, 0.8 * gains), 0.01)
        velocity = (0.5 if step < early else 0.8) * velocity - eta * gains * gradient
        Y = Y + velocity
        if (step + 1) % EVERY == 0 or step + 1 == max_iter:
            history.append(_record(step + 1, P, Y))
    return history


def _nearness(Y):
    """Return 1 / (1 + |y_i - y_j|^2) for all pairs (n, n), and 0 for a point and itself."""
    near = 1 / (1 + _squares(Y))
    np.fill_diagonal(near, 0)
    return near


def _record(step, P, Y):
    near = _nearness(Y)
    divergence = np.sum(P * np.log(np.maximum(P, 1e-12) / np.maximum(near / near.sum(), 1e-12)))
    return MapStep(step, Y - Y.mean(axis=0), float(divergence))


def neighbour_probabilities(X, perplexity):
    """Return P (n, n), symmetric, sum 1; halving finds the width at which a point has ``perplexity`` neighbours."""
    D = _squares(X)
    n = len(D)
    np.fill_diagonal(D, np.inf)
    D = D - D.min(axis=1)[:, None]  # does not change p, and exp cannot underflow everywhere
    low, high = np.zeros(n), np.full(n, np.inf)
    beta = 1 / np.maximum(np.median(np.where(np.isfinite(D), D, 0), axis=1), 1e-12)
    for _ in range(60):
        p = np.exp(-beta[:, None] * D)
        p /= p.sum(axis=1)[:, None]
        entropy = -np.sum(np.where(p > 0, p * np.log(np.maximum(p, 1e-300)), 0), axis=1)
        wide = entropy > np.log(perplexity)
        low, high = np.where(wide, beta, low), np.where(wide, high, beta)
        beta = np.where(np.isfinite(high), (low + high) / 2, 2 * beta)
    return (p + p.T) / (2 * n)


def _squares(X):
    """Return all squared distances (n, n)."""
    norms = np.sum(X**2, axis=1)
    return np.maximum(norms[:, None] + norms - 2 * X @ X.T, 0)

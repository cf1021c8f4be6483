"""Interpolate between the points of a grid: the kind of fitting that cannot diverge (section 30.3)."""

from itertools import product
from typing import NamedTuple

import numpy as np

from mlteach.policy_search.cells import cell_points, read_box
from mlteach.validation import as_matrix, check_integer, check_number


class Interpolated(NamedTuple):
    """What `interpolated_value_iteration` found."""

    V: np.ndarray  # (N,) at the points of the grid
    n_iter: int
    change: float  # largest change of the last sweep


class Hats:
    """Multilinear interpolation on a grid: each point of the box is a mean of its 2^d corners.

    ``hats(x)`` (n, N) has rows that are not negative and sum to one. So x -> hats(x) @ V never leaves the range of V,
    and never makes two V differ by more than they did: with it an iteration keeps its contraction.

    >>> Hats(0, 1, 3)([[0.25]]).tolist()
    [[0.5, 0.5, 0.0]]
    """

    def __init__(self, low, high, cells):
        self.low, self.high, self.counts = read_box(low, high, cells)
        self.points, self.n = cell_points(low, high, cells), int(np.prod(self.counts))

    def corners(self, x):
        """Return the numbers (n, 2^d) of the corners around each point, and their weights (n, 2^d)."""
        x = as_matrix(x, "x", n_features=len(self.low))
        scaled = np.clip((x - self.low) / (self.high - self.low), 0, 1) * (self.counts - 1)
        base = np.minimum(scaled.astype(int), self.counts - 2)
        rest, places, weights = scaled - base, [], []
        for corner in product((0, 1), repeat=len(self.low)):
            places.append(np.ravel_multi_index(tuple((base + corner).T), tuple(self.counts.tolist())))
            weights.append(np.where(corner, rest, 1 - rest).prod(axis=1))
        return np.stack(places, axis=1), np.stack(weights, axis=1)

    def __call__(self, x):
        """Return the weights of all points of the grid as a matrix (n, N)."""
        places, weights = self.corners(x)
        rows = np.zeros((len(places), self.n))
        rows[np.arange(len(places))[:, None], places] = weights
        return rows

    def value(self, V, x):
        """Return the interpolated values (n,) at the points x (n, d)."""
        places, weights = self.corners(x)
        return (np.asarray(V, float)[places] * weights).sum(axis=1)


def interpolated_value_iteration(model, hats, gamma, *, tol=1e-6, max_iter=2000):
    """Return values at the points of a grid: V <- max_a [r + gamma sum_i w_i V_i] until no value changes by ``tol``.

    The w_i are the weights of the corners around the next state; an end counts 0. It is value iteration (27.10) in a
    world that jumps to a corner with probability w_i, and so a contraction for gamma < 1. With gamma = 1 it stops
    after ``max_iter`` sweeps at the latest.

    ``model`` as in `cells_mdp`; ``hats`` are the grid, as `Hats`.
    """
    gamma, tol = check_number(gamma, "gamma", low=0, high=1), check_number(tol, "tol", low=0, open_low=True)
    max_iter = check_integer(max_iter, "max_iter", low=1)
    following, reward, ended = model(hats.points)
    n, A = reward.shape
    places, weights = hats.corners(following.reshape(n * A, -1))
    weights = gamma * weights * ~ended.reshape(-1, 1)
    V, change, sweeps = np.zeros(n), np.inf, 0
    while change >= tol and sweeps < max_iter:
        new = (reward + (V[places] * weights).sum(axis=1).reshape(n, A)).max(axis=1)
        V, change, sweeps = new, float(np.abs(new - V).max()), sweeps + 1
    return Interpolated(V, sweeps, change)

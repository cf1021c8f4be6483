"""Beliefs on a grid: an ordinary decision process, whose values are too large (section 32.8)."""

from itertools import combinations

import numpy as np

from mlteach.mdp import MDP, finite_horizon, policy_iteration, q_from_v
from mlteach.pomdp.model import as_belief, as_beliefs, below_one
from mlteach.validation import check_integer

LARGEST = 3000  # points of a grid


def belief_grid(n_states, points):
    """Return all beliefs whose entries are multiples of 1 / (points - 1): an array (N, S), the first state rising last.

    ``n_states`` is S.

    >>> belief_grid(2, 3).tolist()
    [[0.0, 1.0], [0.5, 0.5], [1.0, 0.0]]
    """
    M = check_integer(points, "points", low=2) - 1
    bars = np.array(list(combinations(range(M + n_states - 1), n_states - 1)))  # stars and bars
    edges = np.column_stack([np.full(len(bars), -1), bars, np.full(len(bars), M + n_states - 1)])
    return (np.diff(edges, axis=1) - 1) / M


def corners(beliefs, points):
    """Return for beliefs (n, S) the grid points around each, (n, S, S), and their weights (n, S).

    The triangulation of Freudenthal: with x_i = (points - 1)(b_i + ... + b_S), the cell of whole numbers below x is
    cut into simplices by the order of the fractions; S corners, no more, are needed.
    """
    b = np.atleast_2d(beliefs)
    M, S = points - 1, b.shape[1]
    x = M * np.cumsum(b[:, ::-1], axis=1)[:, ::-1]
    x = np.where(np.abs(x - np.round(x)) < 1e-9, np.round(x), x)
    x[:, 0] = M
    low = np.floor(x)
    rest = x - low
    order = np.argsort(-rest[:, 1:], axis=1, kind="stable") + 1  # the largest fraction steps up first
    steps = np.zeros((len(b), S, S))
    for k in range(1, S):
        steps[:, k] = steps[:, k - 1]
        steps[np.arange(len(b)), k, order[:, k - 1]] += 1
    vertices = low[:, None] + steps
    ranked = np.take_along_axis(rest, order, axis=1)
    weights = -np.diff(np.column_stack([np.ones(len(b)), ranked, np.zeros(len(b))]), axis=1)
    return -np.diff(vertices, axis=2, append=0) / M, weights


def places(vertices, points):
    """Return the rows of `belief_grid` in which grid points (..., S) stand; what is no belief gives some row."""
    M, S = points - 1, vertices.shape[-1]
    grid = np.round(belief_grid(S, points) * M).astype(int)
    radix = (M + 1) ** np.arange(S)[::-1]
    return np.searchsorted(grid @ radix, np.round(vertices * M).astype(int) @ radix).clip(0, len(grid) - 1)


def belief_mdp(pomdp, points):
    """Return the grid (N, S) and the `MDP` on it: a belief that falls between grid points goes to those around it.

    p(b_j | b_i, a) = sum_z P(z | b_i, a) w_j(SE(b_i, a, z)),   r(b_i, a) = rho(b_i, a)          (32.13)
    """
    grid = belief_grid(pomdp.n_states, points)
    if len(grid) > LARGEST:
        raise ValueError(f"a grid of {len(grid):,} beliefs is too large (at most {LARGEST:,}); use fewer points.")
    P = np.zeros((len(grid), pomdp.n_actions, len(grid)))
    for a in range(pomdp.n_actions):
        joint = (grid @ pomdp.P[:, a])[:, :, None] * pomdp.O[a]  # (N, S', Z)
        for z in range(pomdp.n_observations):
            chance = joint[:, :, z].sum(axis=1)
            rows = np.flatnonzero(chance > 0)
            vertices, weights = corners(joint[rows, :, z] / chance[rows, None], points)
            np.add.at(P, (rows[:, None], a, places(vertices, points)), chance[rows, None] * weights)
    P /= P.sum(axis=2, keepdims=True)  # against rounding
    return grid, MDP(P, grid @ pomdp.R, pomdp.gamma, actions=pomdp.actions)


class Discretized:
    """Values on a grid of beliefs, and between its points by interpolation: never below the true ones.

    Attributes: ``grid`` (N, S), ``V`` (N,), ``Q`` (N, A), ``points``, ``pomdp``.
    """

    def __init__(self, pomdp, points, grid, Q):
        self.pomdp, self.points, self.grid, self.Q, self.V = pomdp, points, grid, Q, Q.max(axis=1)

    def value(self, belief):
        """Return V(b), for one belief (S,) or for beliefs (n, S)."""
        values = self._between(belief, self.V[:, None])[..., 0]
        return float(values) if values.ndim == 0 else values

    def action_values(self, belief):
        """Return Q(b, a), interpolated: (A,) or (n, A)."""
        return self._between(belief, self.Q)

    def act(self, beliefs):
        """Return the numbers of the best actions for beliefs (n, S)."""
        return np.argmax(self.action_values(beliefs), axis=-1)

    def _between(self, belief, table):
        one = np.ndim(belief) < 2
        beliefs = as_belief(self.pomdp, belief)[None] if one else as_beliefs(belief, self.pomdp.n_states)
        bad = (beliefs < 0).any(axis=1) | (np.abs(beliefs.sum(axis=1) - 1) > 1e-8)
        if bad.any():
            i = int(np.argmax(bad))
            raise ValueError(f"each belief must have no negative entry and sum to one; belief[{i}] is {beliefs[i]}.")
        vertices, weights = corners(beliefs, self.points)
        values = np.einsum("nk,nka->na", weights, table[places(vertices, self.points)])
        return values[0] if one else values


def solve_discretized(pomdp, points, horizon=None):
    """Return the values of a grid with ``points`` on each edge (`Discretized`), over ``horizon`` steps or for ever.

    The grid is an MDP of chapter 27, and is solved as one: backward induction, or policy iteration.

    >>> from mlteach.pomdp import tiger
    >>> [round(solve_discretized(tiger(), n).value([0.5, 0.5]), 2) for n in (5, 41, 401)]
    [46.66, 20.26, 19.37]
    """
    if horizon is None:
        below_one(pomdp, "an endless horizon")
    else:
        horizon = check_integer(horizon, "horizon", low=1)
    grid, mdp = belief_mdp(pomdp, points)
    ahead = policy_iteration(mdp).V if horizon is None else finite_horizon(mdp, horizon - 1).V[0]
    return Discretized(pomdp, points, grid, q_from_v(mdp, ahead))

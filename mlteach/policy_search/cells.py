"""Cut a continuous space into cells and treat each as one state (section 30.2)."""

import numpy as np

from mlteach.mdp import from_gymnasium
from mlteach.validation import as_array, as_matrix, check_integer


def read_box(low, high, cells):
    """Return the corners and the numbers of cells of a box as arrays (d,)."""
    low, high = (np.atleast_1d(as_array(x, name)) for x, name in ((low, "low"), (high, "high")))
    if low.shape != high.shape or low.ndim != 1 or (low >= high).any():
        raise ValueError(f"low must lie below high, axis by axis; got {low.tolist()} and {high.tolist()}.")
    counts = np.atleast_1d(np.asarray(cells))
    if counts.size not in (1, len(low)):
        raise ValueError(f"cells must be one number or one for each of the {len(low)} axes; got {counts.size}.")
    counts = np.array([check_integer(n, "cells", low=2) for n in np.broadcast_to(counts, low.shape).tolist()])
    return low, high, counts


def discretize(x, low, high, cells):
    """Return the number of the cell (n,) that each point (n, d) lies in; a single point (d,) gives one number.

    Each axis has ``cells`` equally spaced points from ``low`` to ``high``, both ends among them; a point belongs to the
    nearest, and to the lower one if it lies midway between two (up to rounding). Points outside the box belong to its
    rim. Cells are counted with the last axis running fastest.

    >>> discretize([[0.0], [0.3], [0.9]], 0, 1, 5).tolist()
    [0, 1, 4]
    """
    low, high, counts = read_box(low, high, cells)
    given = as_array(x, "x")
    points = as_matrix(given.reshape(-1, len(low)) if given.ndim < 2 else given, "x", n_features=len(low))
    places = [nearest(column, np.linspace(*ends)) for column, ends in zip(points.T, zip(low, high, counts.tolist()))]
    index = np.ravel_multi_index(places, tuple(counts.tolist()))
    return int(index[0]) if given.ndim < 2 and given.size == len(low) else index


def nearest(x, points):
    """Return the place (n,) of the nearest of equally spaced points; of two that are equally near, the lower one."""
    gaps = np.abs(x[:, None] - points)
    # Rounding must not decide between equals: it differs from one way of computing x to the next
    return (gaps <= gaps.min(axis=1, keepdims=True) + 1e-9 * (points[1] - points[0])).argmax(axis=1)


def cell_points(low, high, cells):
    """Return the point (N, d) that stands for each cell, in the order of `discretize`.

    ``low`` and ``high`` (d,) bound the box, ``cells`` says how many it has each way.

    >>> cell_points([0, 0], [1, 10], [2, 3]).tolist()
    [[0.0, 0.0], [0.0, 5.0], [0.0, 10.0], [1.0, 0.0], [1.0, 5.0], [1.0, 10.0]]
    """
    low, high, counts = read_box(low, high, cells)
    axes = [np.linspace(*ends) for ends in zip(low, high, counts.tolist())]
    return np.stack([axis.ravel() for axis in np.meshgrid(*axes, indexing="ij")], axis=1)


def cells_mdp(model, low, high, cells, gamma):
    """Return the MDP of the cells: from the point of a cell one step of the model, then to the nearest point.

    ``model(states)`` gives next states (n, A, d), rewards (n, A) and whether the episode ends (n, A). An end leads to
    one more state, the last.

    ``low``, ``high`` and ``cells`` as in `cell_points`.
    """
    points = cell_points(low, high, cells)
    following, reward, ended = model(points)
    n, A = reward.shape
    to = np.where(ended, n, discretize(following.reshape(n * A, -1), low, high, cells).reshape(n, A))
    rows = zip(to.tolist(), reward.tolist(), ended.tolist())
    table = {s: {a: [(1.0, *what)] for a, what in enumerate(zip(*row))} for s, row in enumerate(rows)}
    table[n] = {a: [(1.0, n, 0.0, True)] for a in range(A)}
    return from_gymnasium(table, gamma)

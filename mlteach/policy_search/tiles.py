"""Tile coding: several coarse grids, each shifted a little, see as finely as one fine grid (section 30.4)."""

import numpy as np

from mlteach.policy_search.cells import read_box
from mlteach.validation import as_matrix, check_integer


class Tiles:
    """Features that are 1 in the tiles that hold a point and 0 elsewhere; ``tilings`` grids of ``cells`` tiles an axis.

    Tiling k is shifted by k / tilings of a tile, times 1, 3, 5, ... along the axes. With one tiling it is a table.

    Attributes
    ----------
    n : number of features, tilings * (cells + 1)^d, or cells^d with one tiling
    """

    def __init__(self, low, high, cells, tilings=1):
        self.low, self.high, counts = read_box(low, high, cells)
        self.tilings, d = check_integer(tilings, "tilings", low=1), len(self.low)
        self.shape = tuple((counts + (self.tilings > 1)).tolist())
        self.scale = counts / (self.high - self.low)
        self.shift = np.arange(self.tilings)[:, None] * (2 * np.arange(d) + 1) / self.tilings % 1
        self.size = int(np.prod(self.shape))
        self.n = self.tilings * self.size
        self._plain = self.low.tolist(), self.high.tolist(), self.scale.tolist(), self.shape
        self._shifts, self._ones = self.shift.tolist(), np.ones(self.tilings)

    def active(self, x):
        """Return the numbers (n, tilings) of the features that are 1 at the points x (n, d)."""
        x = np.clip(as_matrix(x, "x", n_features=len(self.low)), self.low, self.high)
        places = ((x - self.low) * self.scale)[:, None, :] + self.shift
        places = np.minimum(places.astype(int), np.array(self.shape) - 1)
        return np.ravel_multi_index(tuple(np.moveaxis(places, 2, 0)), self.shape) + self.size * np.arange(self.tilings)

    def one(self, x):
        """Return the places (tilings,) of the ones at a single point, and the ones; quicker than `active`."""
        low, high, scale, shape = self._plain
        x = [min(max(float(value), a), b) for value, a, b in zip(x, low, high)]
        where = []
        for k, shift in enumerate(self._shifts):
            place = 0
            for value, a, per, move, n in zip(x, low, scale, shift, shape):
                place = place * n + min(int((value - a) * per + move), n - 1)
            where.append(place + k * self.size)
        return where, self._ones

    def __call__(self, x):
        """Return the features as a matrix (n, n_features)."""
        active = self.active(x)
        rows = np.zeros((len(active), self.n))
        rows[np.arange(len(active))[:, None], active] = 1.0
        return rows

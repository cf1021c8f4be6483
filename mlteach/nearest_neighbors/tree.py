"""A k-d tree: find neighbours without looking at every point (section 14.7.2)."""

import heapq
from typing import NamedTuple

import numpy as np

from mlteach.validation import as_matrix, as_vector, check_integer


class Found(NamedTuple):
    """The answer to one search."""

    index: np.ndarray  # (k,) rows of the nearest points, nearest first
    distance: np.ndarray  # (k,)
    visited: int  # points whose distance was computed


class Node(NamedTuple):
    """A point and the two halves of the others: smaller or equal in feature ``axis``, and larger or equal."""

    row: int
    axis: int
    left: "Node | None"
    right: "Node | None"


class KDTree:
    """Cut the points at the median of one feature after the other; search one side, the other only if it may help.

    Rule   leave out the far side of a cut if |x_axis - cut| exceeds the k-th smallest distance found so far   (14.11)

    >>> tree = KDTree([[2, 3], [5, 4], [9, 6], [4, 7], [8, 1], [7, 2]])
    >>> found = tree.query([9, 2])
    >>> int(found.index[0]), round(float(found.distance[0]), 4)
    (4, 1.4142)
    """

    def __init__(self, X):
        self.X = as_matrix(X)
        self.root = self._build(np.arange(len(self.X)), 0)

    def query(self, x, k=1):
        """Return the k nearest points of one query (d,); of equal distances the earlier row."""
        x = as_vector(x, "x")
        if len(x) != self.X.shape[1]:
            raise ValueError(f"x must have {self.X.shape[1]} features, as the tree has; got {len(x)}.")
        k = check_integer(k, "k", low=1, high=len(self.X), why="the tree has no more points")
        best = []
        visited = self._search(self.root, x, k, best)
        pairs = sorted((-far, -row) for far, row in best)
        return Found(np.array([row for _, row in pairs]), np.sqrt([far for far, _ in pairs]), visited)

    def _build(self, rows, depth):
        if not len(rows):
            return None
        axis = depth % self.X.shape[1]
        rows = rows[np.argsort(self.X[rows, axis], kind="stable")]
        half = len(rows) // 2
        sides = (self._build(side, depth + 1) for side in (rows[:half], rows[half + 1 :]))
        return Node(int(rows[half]), axis, *sides)

    def _search(self, node, x, k, best):
        """Improve ``best``, a heap of (-squared distance, -row), and return how many points were visited."""
        if node is None:
            return 0
        # 1. The point at the cut itself
        far = float(np.sum((self.X[node.row] - x) ** 2))
        heapq.heappush(best, (-far, -node.row))
        if len(best) > k:
            heapq.heappop(best)
        # 2. The side on which the query lies
        gap = x[node.axis] - self.X[node.row, node.axis]
        near, other = (node.left, node.right) if gap < 0 else (node.right, node.left)
        visited = 1 + self._search(near, x, k, best)
        # 3. The other side, unless the cut is farther away than the k-th best (14.11)
        if len(best) < k or gap**2 <= -best[0][0]:
            visited += self._search(other, x, k, best)
        return visited

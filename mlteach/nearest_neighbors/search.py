"""What the models of this chapter share: they keep the data, and look for what lies near a query (section 14.2)."""

import numpy as np

from mlteach.nearest_neighbors.distances import (
    METRICS,
    comparable,
    kernel_squared,
    smallest,
    true_distances,
)
from mlteach.parameters import Choice, Whole

BLOCK = 1 << 15  # entries of a table of distances that is kept at once: it stays in the fast memory of a processor


class Neighborhood:
    """The stored points, and the search for the k nearest of them; base of `KNNClassifier` and `KNNRegressor`."""

    largest = 1e100
    params = {
        "k": Whole(1, "n", "X has {samples}"),
        "weights": Choice("uniform", "distance"),
        "metric": Choice(*METRICS),
    }

    def neighbors(self, X):
        """Return row numbers (m, k) of the k nearest training points and their distances (m, k), nearest first.

        Of points that are equally far the earlier row comes first.
        """
        X = self._points(X)
        parts = [self._search(X[rows]) for rows in blocks(len(X), len(self.X_))]
        return tuple(np.concatenate(part) for part in zip(*parts))

    def _search(self, X):
        D = self._compare(X)
        index = smallest(D, self.k_)
        return index, true_distances(np.take_along_axis(D, index, axis=1), self._metric)

    def _compare(self, X):
        return comparable(X, self.X_, self._metric)

    def _influence(self, X):
        """Return the row numbers of the neighbours (m, k) and what each counts (m, k), with sum one."""
        index, distance = self.neighbors(X)
        if self._weights == "uniform":
            return index, np.full(index.shape, 1 / self.k_)
        # 1 / distance, unless a neighbour lies on the query: then those that do share everything
        on_it = distance[:, :1] == 0
        weight = np.where(on_it, distance == 0, distance[:, :1] / np.where(distance > 0, distance, 1))
        return index, weight / weight.sum(axis=1, keepdims=True)


class KernelNeighborhood(Neighborhood):
    """The same with the distance of a kernel, where one is given."""

    def _check_data(self, X, y):
        if self.kernel is not None and self.metric != "euclidean":
            raise ValueError(f"a kernel brings its own distance; leave out metric={self.metric!r}.")

    def _compare(self, X):
        return super()._compare(X) if self._kernel is None else kernel_squared(X, self.X_, self._kernel)


def blocks(m, n):
    """Yield slices of m queries whose tables of distances from n points fit into memory."""
    step = max(1, BLOCK // n)
    return (slice(i, i + step) for i in range(0, m, step))

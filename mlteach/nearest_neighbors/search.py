"""What the models of this chapter share: they keep the data, and look for what lies near a query (section 14.2)."""

import numpy as np

from mlteach.linear import read_points
from mlteach.nearest_neighbors.distances import (
    METRICS,
    check_kernel,
    comparable,
    kernel_squared,
    smallest,
    true_distances,
)
from mlteach.validation import as_table, check_choice, check_integer

BLOCK = 1 << 15  # entries of a table of distances that is kept at once: it stays in the fast memory of a processor
WEIGHTS = ("uniform", "distance")


class Neighborhood:
    """The stored points, and the search for the k nearest of them; base of `KNNClassifier` and `KNNRegressor`."""

    def _read(self, X):
        """Return X, the names of its columns and the checked parameters k, weights and metric."""
        X, names = as_table(X)
        X = read_points(X)
        k = check_integer(self.k, "k", low=1, high=len(X), why=f"there are only {_samples(len(X))} to choose from")
        weights = check_choice(self.weights, "weights", WEIGHTS)
        return X, names, k, weights, check_choice(self.metric, "metric", METRICS)

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

    def _read(self, X):
        if self.kernel is not None:
            check_kernel(self.kernel)
            if self.metric != "euclidean":
                raise ValueError(f"a kernel brings its own distance; leave out metric={self.metric!r}.")
        return super()._read(X)

    def _compare(self, X):
        return super()._compare(X) if self._kernel is None else kernel_squared(X, self.X_, self._kernel)


def blocks(m, n):
    """Yield slices of m queries whose tables of distances from n points fit into memory."""
    step = max(1, BLOCK // n)
    return (slice(i, i + step) for i in range(0, m, step))


def _samples(n):
    return f"{n} sample{'s' * (n != 1)}"

"""Numbers by the mean of the K nearest neighbours (sections 14.4 and 14.8)."""

from mlteach.base import Estimator
from mlteach.nearest_neighbors.search import Neighborhood
from mlteach.validation import as_array


class KNNRegressor(Neighborhood, Estimator):
    """The mean target of the K nearest neighbours.

    Model    y(x) = 1/K sum of t_n over the K training points nearest to x   (14.4)

    Parameters: ``k`` neighbours; ``weights``, "uniform" or "distance" for a mean weighted with 1/distance; ``metric``,
    "euclidean", "manhattan" or "chebyshev". Of equally distant points the earlier row is nearer.

    Attributes: X_ (n, d) and y_ (n,) or (n, q) the stored data, k_ the number of neighbours.

    >>> KNNRegressor(2).fit([[0], [1], [2], [3]], [0, 1, 4, 9]).predict([[1.5]])
    array([2.5])
    """

    task = "regression"

    def __init__(self, k=5, *, weights="uniform", metric="euclidean"):
        self.k = k
        self.weights = weights
        self.metric = metric

    def learn(self, X, y):
        """Store the data."""
        self.X_, self.y_, self.k_, self._weights, self._metric = X, y, self.k, self.weights, self.metric

    def _read_targets(self, y, n):
        return read_targets(y, n)

    def predict(self, X):
        """Return the mean of the neighbours' targets, (m,) or (m, q)."""
        index, weight = self._influence(X)
        if self.y_.ndim == 1:
            return (weight * self.y_[index]).sum(axis=1)
        return (weight[:, :, None] * self.y_[index]).sum(axis=1)


def read_targets(y, n):
    """Return targets of shape (n,), or (n, q) for several outputs."""
    y = as_array(y, "y")
    if y.ndim not in (1, 2):
        raise ValueError(f"y must have shape (n,) or (n, q); got {y.shape}.")
    if len(y) != n:
        raise ValueError(f"y must have one entry per row of X: {n} rows, but y has {len(y)}.")
    return y

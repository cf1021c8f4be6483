"""Regressions that are fitted anew around every query: a weighted mean and a weighted line (section 14.8)."""

import numpy as np

from mlteach.base import Estimator
from mlteach.nearest_neighbors.distances import comparable, smallest
from mlteach.nearest_neighbors.regression import read_targets
from mlteach.nearest_neighbors.search import blocks
from mlteach.parameters import Maybe, Real, Whole


class NadarayaWatson(Estimator):
    """A mean of all targets, each weighted by how near its point lies.

    Model      y(x) = sum_n q_n t_n / sum_n q_n,   q_n = exp(-|x - x_n|^2 / (2 tau^2))   (14.12)

    It is the best constant around x in the weighted squared error (section 14.8.2). Far from all data the nearest
    point decides: the weights are computed relative to the largest, so none of them is 0/0.

    Parameters: ``bandwidth`` tau > 0, in the unit of X.

    Attributes: X_ (n, d) and y_ (n,) or (n, q) the stored data, bandwidth_.

    >>> NadarayaWatson(1.0).fit([[0], [1], [2], [3]], [0, 1, 4, 9]).predict([[1.5]]).round(6)
    array([3.037883])
    """

    task, largest, params = "regression", 1e100, {"bandwidth": Real(above=0)}

    def __init__(self, bandwidth=0.3):
        self.bandwidth = bandwidth

    def learn(self, X, y):
        """Store the data."""
        self.X_, self.y_, self.bandwidth_ = X, y, self.bandwidth

    def _read_targets(self, y, n):
        return read_targets(y, n)

    def weights(self, X):
        """Return what each training point counts for each query, (m, n); rows sum to one."""
        W = gaussian_weights(comparable(self._points(X), self.X_, "euclidean"), self.bandwidth_)
        return W / W.sum(axis=1, keepdims=True)

    def predict(self, X):
        """Return the weighted means, (m,) or (m, q)."""
        X = self._points(X)
        return np.concatenate([self.weights(X[rows]) @ self.y_ for rows in blocks(len(X), len(self.X_))])


class LocallyWeightedRegression(Estimator):
    """A line (a plane) fitted anew for every query x, in which near points count more.

    Objective  J(w, b) = sum_n q_n (t_n - w . x_n - b)^2,   q_n = exp(-|x - x_n|^2 / (2 tau^2))   (14.13)
    Solution   (A' Q A) v = A' Q t,   A = [X, 1], Q = diag(q_n), v = (w, b)                       (14.14)

    ``LocallyWeightedRegression(tau)`` weights all points. ``LocallyWeightedRegression(k=5)`` fits the 5 nearest points
    with equal weights; with both, the k nearest are weighted. With neither, tau is 1. In a direction in which the
    weighted points do not spread the slope is 0.

    Parameters: ``tau`` > 0, in the unit of X, or None; ``k`` >= 1 or None.

    Attributes: X_ (n, d) and y_ (n,) or (n, q) the stored data, tau_, k_.

    >>> squares = LocallyWeightedRegression(0.5).fit([[0], [1], [2], [3]], [0, 1, 4, 9])
    >>> squares.predict([[0.9]]).round(6)
    array([1.031069])
    """

    task, largest = "regression", 1e100
    params = {"tau": Maybe(Real(above=0)), "k": Maybe(Whole(1, "n", "there are no more samples"))}

    def __init__(self, tau=None, k=None):
        self.tau = tau
        self.k = k

    def learn(self, X, y):
        """Store the data."""
        self.X_, self.y_, self.k_ = X, y, len(X) if self.k is None else self.k
        self.tau_ = 1.0 if self.tau is None and self.k is None else self.tau

    def _read_targets(self, y, n):
        return read_targets(y, n)

    def predict(self, X):
        """Return the value of each query's own line at the query, (m,) or (m, q)."""
        X = self._points(X)
        w, mean_x, mean_y = self._lines(X)
        rise = np.einsum("md,mdq->mq", X - mean_x, w) + mean_y
        return rise[:, 0] if self.y_.ndim == 1 else rise

    def coefficients(self, X):
        """Return the lines themselves: slopes (m, d) and intercepts (m,), for one output."""
        if self._points(X) is not None and self.y_.ndim == 2:
            raise ValueError(f"coefficients are for one output; y has {self.y_.shape[1]}.")
        w, mean_x, mean_y = self._lines(self._points(X))
        w = w[:, :, 0]
        return w, mean_y[:, 0] - (w * mean_x).sum(axis=1)

    def _lines(self, Q):
        """Return slopes (m, d, q) and the weighted means that each line passes through, (m, d) and (m, q)."""
        T = self.y_.reshape(len(self.y_), -1)
        found = []
        for rows in blocks(len(Q), len(self.X_) * (self.X_.shape[1] + T.shape[1])):
            D = comparable(Q[rows], self.X_, "euclidean")
            near = smallest(D, self.k_) if self.k_ < len(self.X_) else np.broadcast_to(np.arange(len(T)), D.shape)
            D = np.take_along_axis(D, near, axis=1)
            found.append(weighted_lines(self.X_[near], T[near], gaussian_weights(D, self.tau_)))
        return tuple(np.concatenate(part) for part in zip(*found))


def gaussian_weights(squared, tau):
    """Return exp(-squared / (2 tau^2)) divided by the largest of its row, or ones where tau is None."""
    if tau is None:
        return np.ones_like(squared)
    gap = np.sqrt(squared - squared.min(axis=1, keepdims=True)) / tau
    with np.errstate(over="ignore", under="ignore"):
        return np.exp(-0.5 * gap**2)


def weighted_lines(X, T, weight):
    """Solve (14.14) for each query: X (m, k, d), T (m, k, q) and weights (m, k) around it.

    Measured from the weighted means the intercept drops out; the singular value decomposition of what is left gives
    the slopes, the shortest where the points leave a choice.
    """
    share = (weight / weight.sum(axis=1, keepdims=True))[:, :, None]
    mean_x, mean_t = (share * X).sum(axis=1), (share * T).sum(axis=1)
    root = np.sqrt(weight)[:, :, None]
    U, s, Vt = np.linalg.svd(root * (X - mean_x[:, None]), full_matrices=False)
    rest = np.swapaxes(U, 1, 2) @ (root * (T - mean_t[:, None]))
    enough = s > s[:, :1] * max(X.shape[1:]) * np.finfo(float).eps
    inverse = np.divide(1, s, out=np.zeros_like(s), where=enough)
    return np.swapaxes(Vt, 1, 2) @ (inverse[:, :, None] * rest), mean_x, mean_t

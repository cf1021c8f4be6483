"""What the linear models of several chapters share: the predictor, and the arithmetic around it.

Model  y(x) = w . x + b for one output, y_k(x) = w_k . x + b_k for K of them: chapter 04 derives it for numbers,
chapter 07 for classes. The chapters differ in how they choose w and b; here is what they do before and after that.
"""

import numpy as np

from mlteach.clients import Weights
from mlteach.numerics import check_range
from mlteach.validation import as_labels, as_matrix, as_vector


class LinearPredictor(Weights):
    """A model with ``w_`` (d,) and ``b_`` float, or with ``W_`` (K, d) and ``b_`` (K,)."""

    def _scores(self, X):
        """Return y(x) for each row of ``X`` (n, d): shape (n,), or (n, K)."""
        X = self._points(X)
        return X @ (self.w_ if hasattr(self, "w_") else self.W_.T) + self.b_


class LinearRegressor(LinearPredictor):
    """A linear predictor whose outputs are the answer."""

    def predict(self, X):
        """Return y(x) = w . x + b for each row of ``X`` (n, d): shape (n,), or (n, K) for K outputs."""
        return self._scores(X)


class LinearClassifier(LinearPredictor):
    """A linear predictor whose outputs are scores of classes: the sign decides between two, the largest among K."""

    def scores(self, X):
        """Return y(x) = w . x + b, (n,), or where each class has a score of its own y_k(x), (n, K)."""
        return self._scores(X)

    def decision_function(self, X):
        """Return y(x), (n,), positive for ``classes_[1]``, also as y_2(x) - y_1(x); for K > 2 the scores (n, K)."""
        return two_class_scores(self._scores(X))

    def predict(self, X):
        """Return the class that the scores choose, the first of equals."""
        y = self.decision_function(X)
        return choose_class(self.classes_, y)


def two_class_scores(scores):
    """Return scores (n, K) as they are, but two of them as their difference (n,), positive for the second class."""
    return scores[:, 1] - scores[:, 0] if scores.ndim == 2 and scores.shape[1] == 2 else scores


def choose_class(classes, scores):
    """Return the class of each sample: by the sign of its score (n,), or by the largest of its scores (n, K)."""
    return classes[(scores > 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)]


def read_points(X):
    """Return X (n, d), of a size whose products can be computed."""
    X = as_matrix(X)
    check_range(X.ravel(), "X", largest=1e100)  # rate times x times x stays inside the range of a double
    return X


def read_classes(X, y):
    """Return X (n, d), the sorted classes (k,), and the index of each sample's class (n,)."""
    X = read_points(X)
    classes, index = as_labels(y, length=len(X))
    return X, classes, index


def as_weights(w, d, name="w"):
    """Return ``w`` as a vector with one entry for each of the ``d`` columns of X."""
    w = as_vector(w, name)
    if len(w) != d:
        raise ValueError(f"{name} must have one entry per column of X: X has {d} columns, {name} has {len(w)} entries.")
    return w


def power_of_two(values):
    """Return the columns divided by powers of two that bring their largest entry to between 1 and 2, and the powers.

    No digit is lost, no column dwarfs the others, and no square leaves the range of a double.

    >>> power_of_two(np.array([[3.0, 100.0], [-6.0, 0.0]]))
    (array([[ 0.75  ,  1.5625],
           [-1.5   ,  0.    ]]), array([ 4., 64.]))
    """
    largest = np.abs(values).max(axis=0).astype(float)
    scale = np.ldexp(1.0, np.where(largest > 0, np.frexp(largest)[1] - 1, 0))
    return values / scale, scale


def numerical_rank(s, shape, *, most=None):
    """Return how many singular values ``s`` (falling) of a matrix of this shape are more than rounding.

    ``most`` is what the caller knows of the rank: centred columns of n samples span at most n - 1 dimensions.

    >>> numerical_rank(np.array([2.0, 1.0, 1e-17]), (5, 3))
    2
    """
    return int(np.sum(s[:most] > s[0] * max(shape) * np.finfo(float).eps))

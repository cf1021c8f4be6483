"""Centred data: with inputs and targets measured from their means, the free intercept drops out of the problem."""

from typing import NamedTuple

import numpy as np

from mlteach.validation import as_matrix, as_vector, check_choice

LARGEST, SMALLEST = 1e140, 1e-140  # beyond these, sums of squares leave the range of a double


class Centred(NamedTuple):
    """Inputs and targets minus their means; the means are 0 without an intercept."""

    A: np.ndarray  # (n, d), X minus x_mean
    t: np.ndarray  # (n,), y minus t_mean
    x_mean: np.ndarray  # (d,)
    t_mean: float

    def intercept(self, w):
        """Return the b that puts the plane with weights ``w`` (d,) through the mean point."""
        return float(self.t_mean - self.x_mean @ w)


def centre(X, y, intercept):
    """Return the checked data, centred if ``intercept`` is true."""
    check_choice(intercept, "intercept", (True, False))
    X = as_matrix(X)
    y = as_vector(y, length=len(X))
    for values, name in ((X, "X"), (y, "y")):
        _refuse_extremes(values, name)
    if not intercept:
        return Centred(X, y, np.zeros(X.shape[1]), 0.0)
    x_mean, t_mean = X.mean(axis=0), float(y.mean())
    A = np.where(X.min(axis=0) == X.max(axis=0), 0, X - x_mean)  # the rounded mean of a constant column may miss it
    t = y - t_mean if y.min() < y.max() else np.zeros(len(y))
    return Centred(A, t, x_mean, t_mean)


def _refuse_extremes(values, name):
    size = np.abs(values).max(axis=0)
    if np.any(size > LARGEST) or np.any((size < SMALLEST) & (size > 0)):
        worst = np.max(size) if np.any(size > LARGEST) else np.min(size[size > 0]) if values.ndim > 1 else size
        raise ValueError(
            f"{name} holds values of size {float(worst):.0e}; their squares leave the range of a double. "
            f"Change the unit of {name}."
        )

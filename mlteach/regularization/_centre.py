"""Centred data: with inputs and targets measured from their means, the free intercept drops out of the problem."""

from typing import NamedTuple

import numpy as np

from mlteach.numerics import centre, check_range
from mlteach.validation import as_matrix, as_vector, check_choice


class Centred(NamedTuple):
    """Inputs and targets minus their means; the means are 0 without an intercept."""

    A: np.ndarray  # (n, d), X minus x_mean
    t: np.ndarray  # (n,), y minus t_mean
    x_mean: np.ndarray  # (d,)
    t_mean: float

    def intercept(self, w):
        """Return the b that puts the plane with weights ``w`` (d,) through the mean point."""
        return float(self.t_mean - self.x_mean @ w)


def centre_data(X, y, intercept):
    """Return the checked data, centred if ``intercept`` is true."""
    check_choice(intercept, "intercept", (True, False))
    X = as_matrix(X)
    y = as_vector(y, length=len(X))
    for values, name in ((X, "X"), (y, "y")):
        check_range(values, name)
    if not intercept:
        return Centred(X, y, np.zeros(X.shape[1]), 0.0)
    (A, x_mean), (t, t_mean) = centre(X), centre(y)
    return Centred(A, t, x_mean, float(t_mean))

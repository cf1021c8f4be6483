"""Coordinates in which Newton's method meets no singular matrix: centred, scaled, without dependent columns."""

from typing import NamedTuple

import numpy as np

from mlteach.linear import numerical_rank, power_of_two
from mlteach.numerics import centre, triangular_factor


class Design(NamedTuple):
    """Scores b + Xw written as Zv, with v = (c, u), w = Bu and b = c - mean . w."""

    Z: np.ndarray  # (n, 1 + r): ones, then r independent columns
    B: np.ndarray  # (d, r)
    mean: np.ndarray  # (d,), of the columns of X
    P: np.ndarray  # (r, r) with |Pu| = |w|

    def plane(self, v):
        """Return w (d,) and b for the coordinates ``v`` (1 + r,)."""
        w = self.B @ v[1:]
        return w, float(v[0] - self.mean @ w)


def reduce_columns(X):
    """Return the `Design` of ``X`` (n, d).

    Where columns depend on each other, or d >= n, many w give the same scores. All w = Bu are orthogonal to the
    directions that change no score, so the w found is the shortest of those that fit equally well.
    """
    # 1. Centre: the intercept goes its own way. Scale by powers of two: no digit is lost, none dwarfs the others
    A, mean = centre(X)
    A, scale = power_of_two(A)
    # 2. Count the independent columns
    s, Vt = np.linalg.svd(A if len(A) <= A.shape[1] else triangular_factor(A), full_matrices=False)[1:]
    r = numerical_rank(s, A.shape, most=len(X) - 1)
    if r == A.shape[1]:
        return Design(_with_ones(A), np.diag(1 / scale), mean, np.diag(1 / scale))
    # 3. A basis of the space they span, orthonormal in the units of w
    B = np.linalg.qr((Vt[:r] * scale).T)[0]
    return Design(_with_ones((A * scale) @ B), B, mean, np.eye(r))


def _with_ones(A):
    return np.column_stack([np.ones(len(A)), A])

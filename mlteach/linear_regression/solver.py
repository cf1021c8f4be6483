"""Least squares for a design matrix: by QR to compute with, by the normal equations to look at (section 4.4).

Forming Phi'Phi squares the condition number, so twice as many digits are lost. QR works on Phi itself. Beside it, in
`_columns.py`, stands what happens where columns depend on each other, and in `_refinement.py` the step that wins back
what rounding took.
"""

from typing import NamedTuple

import numpy as np

from mlteach.linear import numerical_rank, power_of_two
from mlteach.linear_regression._columns import independent, shortest
from mlteach.linear_regression._refinement import refine
from mlteach.validation import as_array, as_matrix, as_vector, check_integer


class LeastSquares(NamedTuple):
    """Solution of  min 1/2 |Phi w - t|^2  (4.4)."""

    w: np.ndarray  # (M,), or (M, k) for k targets; the shortest one if there are many
    residual: np.ndarray  # t - Phi w, the shape of t
    rank: int  # number of independent columns
    R: np.ndarray  # triangular, R'R = Phi'Phi; shape (min(n, M), M)


def least_squares(Phi, t):
    """Solve a least-squares problem by QR, and refine the solution.

    Objective  1/2 |Phi w - t|^2                            (4.4)
    Solution   R w = Q't  with  Phi = QR                    (4.7)

    Parameters: ``Phi`` (n, M), used as it is (no column of ones is added); ``t`` (n,) or (n, k).
    Where the columns are dependent the shortest of all solutions is returned: w = pinv(Phi) t.

    >>> least_squares([[1, 0], [1, 1], [1, 2], [1, 3]], [1, 3, 5, 8]).w.round(6)
    array([0.8, 2.3])
    """
    Phi = as_matrix(Phi, "Phi")
    t = as_targets(t, "t", length=len(Phi), like="Phi")
    found = solve_least_squares(Phi, t)
    if found.rank < Phi.shape[1]:
        return found
    w, residual = refine(Phi, t, found.w, found.R)
    return found._replace(w=w, residual=residual)


def solve_least_squares(A, t, *, max_rank=None):
    """Solve a least-squares problem by QR as in (4.7); `least_squares` refines what comes out.

    Parameters: ``A`` (n, M) and ``t`` (n,) or (n, k); ``max_rank`` is what the caller knows of the rank: centred
    columns of n samples span at most n - 1 dimensions. Returns `LeastSquares`.

    >>> solve_least_squares([[1, 0], [1, 1], [1, 2], [1, 3]], [1, 3, 5, 8]).w.round(6)
    array([0.8, 2.3])
    """
    A = as_matrix(A, "A")
    t = as_targets(t, "t", length=len(A), like="A")
    max_rank = None if max_rank is None else check_integer(max_rank, "max_rank", low=0)
    # 1. Factor the matrix itself: A = QR
    Q, R = np.linalg.qr(A)
    # 2. Multiply the targets by Q'
    z = Q.T @ t
    # 3. Solve R w = z from the last row up; where columns depend on each other, take the shortest of all solutions
    rank = independent(R, A.shape, most=max_rank)
    w = np.linalg.solve(R, z) if rank == A.shape[1] else shortest(R, z, rank)
    return LeastSquares(w, t - A @ w, rank, R)


def normal_equations(Phi, t):
    """Solve Phi'Phi w = Phi't (4.6), for showing; it loses twice as many digits as `least_squares`.

    Parameters: ``Phi`` (n, M) with its own column of ones if there is to be one; ``t`` (n,). Returns w (M,).
    Refuses columns so nearly dependent that Phi'Phi, its columns scaled to length 1, is singular to 16 digits.

    >>> normal_equations([[1, 0], [1, 1], [1, 2], [1, 3]], [1, 3, 5, 8]).round(6)
    array([0.8, 2.3])
    """
    Phi = as_matrix(Phi, "Phi")
    t = as_vector(t, "t", length=len(Phi), like="Phi")
    M = Phi.shape[1]
    scaled, _ = power_of_two(Phi)
    s = np.linalg.svd(scaled / np.maximum(np.linalg.norm(scaled, axis=0), 1), compute_uv=False)
    rank = numerical_rank(s**2, Phi.shape)  # s^2 are the eigenvalues of the scaled Phi'Phi
    if rank < M:
        raise ValueError(
            f"the {M} columns of Phi are dependent, or too nearly so for 16 digits: Phi'Phi has numerical rank {rank}. "
            "Drop dependent columns, or use least_squares, which does not form Phi'Phi."
        )
    return np.linalg.solve(Phi.T @ Phi, Phi.T @ t)


def as_targets(y, name="y", *, length, like="X"):
    """Return targets of shape (n,) or (n, k)."""
    y = as_array(y, name)
    if y.ndim not in (1, 2):
        raise ValueError(f"{name} must have shape (n,) or (n, k); got {y.shape}.")
    if len(y) != length:
        raise ValueError(f"{name} must have one entry per row of {like}: {length} rows, but {name} has {len(y)}.")
    return y

"""Least squares for a design matrix: the normal equations to look at, QR and the SVD to compute with (section 4.4).

Forming Phi'Phi squares the condition number, so twice as many digits are lost. QR works on Phi itself. One step of
refinement, with the residual in extended precision where the machine has it, wins back what rounding took.
"""

from typing import NamedTuple

import numpy as np

from mlteach.linear import numerical_rank, power_of_two
from mlteach.validation import as_array, as_matrix, as_vector, check_integer


class LeastSquares(NamedTuple):
    """Solution of  min 1/2 |Phi w - t|^2  (4.4)."""

    w: np.ndarray  # (M,), or (M, k) for k targets; the shortest one if there are many
    residual: np.ndarray  # t - Phi w, the shape of t
    rank: int  # number of independent columns
    R: np.ndarray  # triangular, R'R = Phi'Phi; shape (min(n, M), M)


def least_squares(Phi, t):
    """Solve a least-squares problem by QR, or by the SVD where columns depend on each other.

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
    return found._replace(w=found.w.astype(float), residual=found.residual.astype(float))


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


def solve_least_squares(A, t, *, max_rank=None):
    """Solve least squares in extended precision, with a factorisation in double precision.

    Parameters: ``A`` (n, M) and ``t`` (n,) or (n, k), as floats or as the longer ``np.longdouble``; ``max_rank`` is
    what the caller knows of the rank: centred columns of n samples span at most n - 1 dimensions.
    """
    A, t = _extended(A, as_matrix(A, "A")), _extended(t, as_targets(t, "t", length=len(A), like="A"))
    max_rank = None if max_rank is None else check_integer(max_rank, "max_rank", low=0)
    # 1. Scale the columns by powers of two: no digit is lost, and none dwarfs the others
    A, scale = power_of_two(A)
    # 2. Factor the matrix itself                                       (4.7)
    Q, R = np.linalg.qr(A.astype(float))
    # 3. Count the independent columns
    s = np.linalg.svd(R, compute_uv=False)
    rank = numerical_rank(s, A.shape, most=max_rank)
    z = Q.T @ t.astype(float)
    if rank < A.shape[1]:
        w = _shortest(R, z, rank, scale) * _column(scale, t)
    else:
        # 4. Solve R w = Q't from the last row up                       (4.7)
        w = np.linalg.solve(R, z)
        # 5. Refine once: the gradient that rounding left, through R'R dw = A'(t - A w)
        gradient = (A.T @ (t - A @ w)).astype(float)
        w = w + np.linalg.solve(R, np.linalg.solve(R.T, gradient)).astype(t.dtype)
    return LeastSquares(w / _column(scale, t), t - A @ w, rank, R * scale)


def as_targets(y, name="y", *, length, like="X"):
    """Return targets of shape (n,) or (n, k)."""
    y = as_array(y, name)
    if y.ndim not in (1, 2):
        raise ValueError(f"{name} must have shape (n,) or (n, k); got {y.shape}.")
    if len(y) != length:
        raise ValueError(f"{name} must have one entry per row of {like}: {length} rows, but {name} has {len(y)}.")
    return y


def _extended(given, checked):
    """Return the array in extended precision: as it was given if it is so already, else what the check made of it."""
    long = isinstance(given, np.ndarray) and given.dtype == np.longdouble
    return given if long else checked.astype(np.longdouble)


def _shortest(R, z, rank, scale):
    """Return the shortest w, in the units before scaling, among all that minimise |R (scale * w) - z|."""
    U, s, Vt = np.linalg.svd(R, full_matrices=False)
    # 1. What the data determine: V'(scale * w) = c in the `rank` directions they span
    c = (U[:, :rank].T @ z) / _column(s[:rank], z)
    # 2. The shortest w that meets these equations lies in the span of their rows
    Q, L = np.linalg.qr((Vt[:rank] * scale).T)
    return Q @ np.linalg.solve(L.T, c)


def _column(values, like):
    """Shape (M,) values so that they multiply the rows of an array with as many dimensions as ``like``."""
    return values if like.ndim == 1 else values[:, None]

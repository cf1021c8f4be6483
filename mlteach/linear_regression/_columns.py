"""Columns that depend on each other: how many do not, and the shortest weights where the data leave a choice."""

import numpy as np

from mlteach.linear import numerical_rank, power_of_two


def independent(R, shape, *, most=None):
    """Return how many columns of a matrix QR of this shape are independent, at most ``most``; no unit matters."""
    s = np.linalg.svd(power_of_two(R)[0], compute_uv=False)
    return numerical_rank(s, shape, most=most)


def shortest(R, z, rank):
    """Return the shortest w among all that minimise |R w - z|, where ``rank`` columns of R are independent.

    ``z`` is (n,), or (n, k) for k targets at once.
    """
    R, scale = power_of_two(R)
    U, s, Vt = np.linalg.svd(R, full_matrices=False)
    # 1. What the data determine: V'(scale * w) = c in the `rank` directions they span
    c = ((U[:, :rank].T @ z).T / s[:rank]).T
    # 2. The shortest w that meets these equations lies in the span of their rows
    Q, L = np.linalg.qr((Vt[:rank] * scale).T)
    return Q @ np.linalg.solve(L.T, c)

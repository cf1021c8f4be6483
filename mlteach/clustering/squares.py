"""Squared distances of many points from a few centres, the work of every step of section 21.2."""

import numpy as np

FEW = 12  # up to so many features, differences are formed one by one: no digits are lost


def squared_distances(X, C):
    """Return |x_i - c_k|^2 for the rows of X (n, d) and of C (K, d): shape (n, K).

    >>> squared_distances(np.array([[0.0], [3.0]]), np.array([[1.0], [5.0]])).tolist()
    [[1.0, 25.0], [4.0, 4.0]]
    """
    if X.shape[1] > FEW:  # |x|^2 - 2 x.c + |c|^2, around the middle of the centres, where less cancels
        middle = C.mean(axis=0)
        X, C = X - middle, C - middle
        D = (X**2).sum(axis=1)[:, None] - 2 * (X @ C.T) + (C**2).sum(axis=1)
        return np.maximum(D, 0, out=D)
    D = np.square(X[:, :1] - C[:, 0])
    for x, c in zip(X.T[1:], C.T[1:]):
        gap = x[:, None] - c
        D += np.square(gap, out=gap)
    return D


def nearest(X, C):
    """Return for each row of X (n, d) the number of the nearest row of C (K, d), the first of equals, and |x - c|^2.

    >>> [a.tolist() for a in nearest(np.array([[0.0], [3.0]]), np.array([[1.0], [5.0]]))]
    [[0, 0], [1.0, 4.0]]
    """
    if X.shape[1] > FEW:
        D = squared_distances(X, C)
        z = D.argmin(axis=1)
        return z, D[np.arange(len(X)), z]
    columns, z = np.ascontiguousarray(X.T), np.zeros(len(X), dtype=np.intp)
    least = _from_one(columns, C[0])
    for k in range(1, len(C)):  # one centre after the other: fast for few centres and many points
        d = _from_one(columns, C[k])
        z[d < least] = k
        np.minimum(least, d, out=least)
    return z, least


def _from_one(columns, c):
    """Return |x - c|^2 for points given by their columns."""
    d = columns[0] - c[0]
    d *= d
    for x, at in zip(columns[1:], c[1:]):
        gap = x - at
        gap *= gap
        d += gap
    return d

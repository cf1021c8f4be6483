"""Arithmetic that several chapters share: guards of the range of a double, sums of exponentials, units, Gram matrices.

Nothing here is a lesson of its own; `mlteach.validation` reads what comes in, `mlteach.linear` has the linear models.
"""

import math

import numpy as np

from mlteach.validation import as_array, as_matrix

LARGEST = 1e140  # the sum of many squares of such numbers is still a floating-point number
TALL = 500  # a matrix with so many times more rows than columns is factored in blocks
ROUNDING = 16 * np.finfo(float).eps  # a column that varies by so small a share of its size is constant but for rounding


def squarable(X, name="X"):
    """Return ``X`` if the squares of its entries can be summed, or say that they are too large.

    >>> squarable(np.array([[3.0]])).tolist()
    [[3.0]]
    """
    top = np.abs(X).max()
    if top > LARGEST:
        raise ValueError(f"{name} has entries of size {top:.0e}, too large for their squares; change its units.")
    return X


def check_range(values, name, *, largest=LARGEST):
    """Refuse columns whose largest entry lies outside [1/largest, largest], unless it is 0.

    For models that divide by squares, so that tiny columns are as bad as huge ones. A smaller ``largest`` leaves room
    for a product of three, as learning rate times x times x; a larger one does where numbers are only added up.
    """
    # Nothing is too large, and the first entries show that no column is too small: then few have to be looked at
    inside = values.max() <= largest and values.min() >= -largest
    if inside and (np.abs(values[:16]).max(axis=0) >= 1 / largest).all():
        return
    size = np.atleast_1d(np.abs(values).max(axis=0))
    outside = size[(size > largest) | ((size < 1 / largest) & (size > 0))]
    if len(outside):
        raise ValueError(
            f"{name} holds values up to {outside.max():.0e}; their products leave the range of a double. "
            f"Change the unit of {name}."
        )


def constant_columns(X):
    """Say of each column (of a vector: say) whether its values are equal, or differ by nothing but rounding.

    The mean of equal numbers may miss them by a unit in the last place, so that a variance of 0 comes out as 1e-34:
    what divides by a spread asks here first.

    >>> constant_columns(np.array([[0.1, 1.0], [0.3 - 0.2, 2.0], [0.1, 3.0]])).tolist()
    [True, False]
    """
    # A column whose first entries differ enough does so as a whole: few have to be looked at to their end
    near = _varies_little(X[:16], 2 * ROUNDING)
    if X.ndim == 1 or not near.any():
        return near if not near.any() else _varies_little(X, ROUNDING)
    near[near] = _varies_little(X[:, near], ROUNDING)
    return near


def _varies_little(X, share):
    with np.errstate(over="ignore"):
        return np.ptp(X, axis=0) <= share * np.abs(X).max(axis=0)


def centre(values):
    """Return the columns minus their means, exactly 0 for `constant_columns`, and the means.

    >>> centre(np.array([[1.0, 5.0], [3.0, 5.0]]))
    (array([[-1.,  0.],
           [ 1.,  0.]]), array([2., 5.]))
    """
    constant = constant_columns(values)
    mean = np.where(constant, values[0], values.mean(axis=0))
    return (np.where(constant, 0.0, values - mean) if constant.any() else values - mean), mean


def triangular_factor(A, t=None):
    """Return R of A = QR, and with ``t`` (n,) or (n, k) also Q't; a tall A is taken in blocks, which is sooner.

    >>> R, z = triangular_factor(np.array([[3.0, 0.0], [4.0, 5.0]]), np.array([1.0, 2.0]))
    >>> np.abs(R).round(6).tolist(), np.linalg.solve(R, z).round(6).tolist()
    ([[5.0, 4.0], [0.0, 3.0]], [0.333333, 0.133333])
    """
    n, d = A.shape
    if t is None:
        return np.linalg.qr(_stacked(A), mode="r")
    if n < TALL * max(d, 8):
        Q, R = np.linalg.qr(A)
        return R, Q.T @ t
    R = np.linalg.qr(_stacked(np.column_stack([A, t])), mode="r")
    return R[:d, :d], R[:d, d] if t.ndim == 1 else R[:d, d:]


def _stacked(A):
    """Return a matrix with the R of a tall A: the triangles of its blocks, one below the other."""
    n, d = A.shape
    if n < TALL * max(d, 8):
        return A
    rows = 32 * max(d, 8)
    whole = n // rows * rows
    triangles = np.linalg.qr(A[:whole].reshape(-1, rows, d), mode="r")
    return np.vstack([triangles.reshape(-1, d), A[whole:]])


def log_sum_exp(L):
    """Return ln sum_k exp(L_ik) for each row of ``L`` (n, K): the largest is taken out, so nothing under- or overflows.

    >>> log_sum_exp(np.array([[-1000.0, -1000.0]])).round(4).tolist()
    [-999.3069]
    """
    top = L.max(axis=1)
    safe = np.where(np.isfinite(top), top, 0)
    with np.errstate(divide="ignore"):
        return safe + np.log(np.exp(L - safe[:, None]).sum(axis=1))


def softplus(a):
    """Return ln(1 + exp(a)) of a float array; no size of a overflows.

    >>> softplus(np.array([-1000.0, 0.0, 1000.0])).round(4).tolist()
    [0.0, 0.6931, 1000.0]
    """
    return np.maximum(a, 0) + np.log1p(np.exp(-np.abs(a)))


def one_hot(index, k):
    """Return a row of k zeros with a one at each index, (n, k).

    >>> one_hot(np.array([1, 0]), 3).tolist()
    [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]
    """
    return np.eye(k)[index]


def pack(arrays):
    """Return all numbers of some arrays as one vector, a copy.

    >>> pack([np.array([[1.0, 2.0]]), np.array([3.0])])
    array([1., 2., 3.])
    """
    return np.concatenate([a.ravel() for a in arrays])


def unpack(w, shapes):
    """Return the arrays of these shapes that `pack` joined, as views of the vector ``w``.

    >>> unpack(np.array([1.0, 2.0, 3.0]), [(1, 2), (1,)])
    [array([[1., 2.]]), array([3.])]
    """
    arrays, start = [], 0
    for shape in shapes:
        end = start + math.prod(shape)
        arrays.append(w[start:end].reshape(shape))
        start = end
    return arrays


class Units:
    """Data around 0 with variance 1: inside a model no unit matters, and tolerances mean the same for all data.

    A feature that does not vary is left in its unit. ``per_feature=False`` takes one scale for all features, for
    models in which distances count: the root of the mean variance.

    Attributes: middle (d,), scale (d,); for a vector of targets both are numbers.

    >>> Units(np.array([[0.0, 7.0], [4.0, 7.0]])).inside(np.array([[1.0, 8.0]]))
    array([[-0.5,  1. ]])
    """

    def __init__(self, X, *, per_feature=True):
        centred, self.middle = centre(X)
        variance = np.square(centred).mean(axis=0)
        if not per_feature:
            variance = np.full(variance.shape, variance.mean())
        self.scale = np.where(variance > 0, np.sqrt(variance), 1.0)

    def inside(self, X):
        """Return points in the units of the model."""
        return (X - self.middle) / self.scale

    def outside(self, Z):
        """Return points in the units of the data."""
        return self.middle + Z * self.scale


def as_codes(Z, m):
    """Return ``Z`` as a matrix of codes (n, m), one row for each point that a model of fewer numbers describes."""
    Z = as_matrix(Z, "Z")
    if Z.shape[1] != m:
        raise ValueError(f"Z must have {m} columns, one for each number of a code; got {Z.shape[1]}.")
    return Z


def as_gram(K, n, name, *, slip=1e-10):
    """Return ``K`` as a finite, symmetric matrix of shape (n, n); a float array is not copied, for it may be large.

    ``slip`` is the share of the largest entry by which K[i, j] and K[j, i] may differ: next to nothing where a linear
    system is solved from one half of K, more where K is only multiplied with.
    """
    K = K if isinstance(K, np.ndarray) and K.dtype == float else as_array(K, name)
    if K.shape != (n, n):
        raise ValueError(f"{name} must have shape ({n}, {n}); got {K.shape}.")
    if not np.isfinite(_largest(K)):
        raise ValueError(
            f"{name} must be finite; some of its entries overflow. Scale the points, or choose beta smaller."
        )
    most = slip * _largest(K)
    for rows, columns in upper_blocks(n):
        skew = np.abs(K[rows, columns] - K[columns, rows].T)
        if skew.max() > most:
            i, j = (int(k) for k in np.unravel_index(skew.argmax(), skew.shape))
            i, j = rows.start + i, columns.start + j
            raise ValueError(
                f"{name} must be symmetric; entry [{i}, {j}] is {K[i, j]:g} and [{j}, {i}] is {K[j, i]:g}. "
                f"A kernel has k(x, x') = k(x', x)."
            )
    return K


def upper_blocks(n, size=256):
    """Yield (rows, columns) of square blocks that cover the upper half of an (n, n) matrix, small enough to be fast."""
    for i in range(0, n, size):
        for j in range(i, n, size):
            yield slice(i, i + size), slice(j, j + size)


def _largest(K):
    """Return the largest |entry|, nan if one is nan."""
    return max(K.max(), -K.min())

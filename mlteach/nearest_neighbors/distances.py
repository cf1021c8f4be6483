"""How far is it: three metrics, the distance that a kernel implies, and who is nearest (sections 14.2 and 14.6)."""

import numpy as np

from mlteach.validation import as_array, as_matrix, check_choice, check_integer

FEW = 16  # up to so many neighbours are found one by one
METRICS = ("euclidean", "manhattan", "chebyshev")


def distances(X, Y=None, metric="euclidean"):
    """Return the distance of each row of X (n, d) from each row of Y (m, d), which defaults to X: shape (n, m).

        euclidean   sqrt(sum_j (x_j - y_j)^2)     (14.1)
        manhattan   sum_j |x_j - y_j|
        chebyshev   max_j |x_j - y_j|

    >>> [float(distances([[0, 0]], [[3, 4]], metric)[0, 0]) for metric in METRICS]
    [5.0, 7.0, 4.0]
    """
    X = as_matrix(X)
    Y = X if Y is None else as_matrix(Y, "Y")
    if X.shape[1] != Y.shape[1]:
        raise ValueError(f"X and Y must have as many features; X has {X.shape[1]}, Y has {Y.shape[1]}.")
    return true_distances(comparable(X, Y, check_choice(metric, "metric", METRICS)), metric)


def comparable(X, Y, metric):
    """Return the distances, the Euclidean ones squared: what the search for the nearest needs, without the root."""
    D = np.zeros((len(X), len(Y)))
    with np.errstate(over="ignore"):
        for x, y in zip(X.T, Y.T):  # one feature at a time: no array of shape (n, m, d)
            gap = x[:, None] - y
            if metric == "euclidean":
                D += np.square(gap, out=gap)
            elif metric == "manhattan":
                D += np.abs(gap, out=gap)
            else:
                np.maximum(D, np.abs(gap, out=gap), out=D)
    if not np.isfinite(D).all():
        raise ValueError("a distance in X leaves the range of a double. Change the unit of X.")
    return D


def true_distances(D, metric):
    """Return what `comparable` gave as distances."""
    return np.sqrt(D) if metric == "euclidean" else D


def kernel_distance(X, Y, kernel):
    """Return the *squared* distances of the images of X and Y in the feature space of a kernel (14.9).

        |phi(x) - phi(y)|^2 = k(x, x) + k(y, y) - 2 k(x, y)

    Two points (d,) give a number, two sets (n, d) and (m, d) a matrix (n, m). ``kernel`` is called with two sets of
    points and returns their Gram matrix, as the kernels of chapter 15 do.

    >>> kernel_distance([1, 0], [5, 5], lambda X, Y: X @ Y.T)
    41.0
    >>> kernel_distance([1, 0], [5, 5], lambda X, Y: (X @ Y.T + 1) ** 2)
    2533.0
    """
    X, Y = as_array(X, "X"), as_array(Y, "Y")
    if X.ndim not in (1, 2) or X.ndim != Y.ndim or X.shape[-1] != Y.shape[-1]:
        raise ValueError(f"X and Y must be two points (d,) or two sets (n, d) and (m, d); got {X.shape} and {Y.shape}.")
    check_kernel(kernel)
    D = kernel_squared(np.atleast_2d(X), np.atleast_2d(Y), kernel)
    return float(D[0, 0]) if X.ndim == 1 else D


def check_kernel(kernel):
    """Return ``kernel`` if it can be called."""
    if not callable(kernel):
        raise ValueError(f"kernel must be called with two sets of points, as rbf_kernel() is; got {kernel!r}.")
    return kernel


def kernel_squared(X, Y, kernel):
    """Return the squared distances (n, m) in feature space; a rounding error below zero becomes zero."""
    with np.errstate(invalid="ignore", over="ignore"):
        D = _self_products(X, kernel)[:, None] + _self_products(Y, kernel) - 2 * np.asarray(kernel(X, Y))
    if not np.isfinite(D).all():
        raise ValueError("the kernel gives values that are not finite. Change the unit of X, or the kernel.")
    return np.maximum(D, 0.0)


def _self_products(X, kernel):
    """Return k(x, x) of every row: the diagonal, a block at a time, for a kernel gives whole matrices."""
    blocks = (X[i : i + 32] for i in range(0, len(X), 32))
    return np.concatenate([np.diagonal(np.asarray(kernel(block, block))) for block in blocks])


def nearest(D, k):
    """Return the columns of the k smallest entries of each row of D (m, n), nearest first: shape (m, k).

    Of equal distances the earlier column comes first, so the answer never hangs on the way of searching.

    >>> nearest([[3.0, 1.0, 1.0, 0.5]], 2).tolist()
    [[3, 1]]
    """
    D = as_array(D, "D", ndim=2)
    return smallest(D, check_integer(k, "k", low=1, high=D.shape[1], why="D has no more columns"))


def smallest(D, k):
    """Return what `nearest` returns, without its checks."""
    if k <= FEW:
        return _one_by_one(D, k)
    if k == D.shape[1]:
        return np.argsort(D, axis=1, kind="stable")
    # 1. The k-th smallest of each row, in time proportional to n
    limit = np.partition(D, k - 1, axis=1)[:, k - 1 : k]
    # 2. All that is nearer belongs to it; of those just as far, the first ones
    chosen = limit >= D
    crowded = np.flatnonzero(np.count_nonzero(chosen, axis=1) > k)
    if len(crowded):
        nearer, level = D[crowded] < limit[crowded], D[crowded] == limit[crowded]
        room = k - np.count_nonzero(nearer, axis=1)[:, None]
        chosen[crowded] = nearer | (level & (np.cumsum(level, axis=1) <= room))
    index = np.nonzero(chosen)[1].reshape(len(D), k)
    # 3. Nearest first
    order = np.argsort(np.take_along_axis(D, index, axis=1), axis=1, kind="stable")
    return np.take_along_axis(index, order, axis=1)


def _one_by_one(D, k):
    """Take the nearest, the first of equals, and strike it out; k times."""
    rows, index = np.arange(len(D)), np.empty((len(D), k), dtype=int)
    D = D.copy() if k > 1 else D
    for i in range(k):
        index[:, i] = D.argmin(axis=1)
        if i < k - 1:
            D[rows, index[:, i]] = np.inf
    return index

"""Five learners with one knob each, for fixed inputs on a line: their weights l_i(x), or all their fits at once.

Polynomials, ridge regression, nearest neighbours and bagged trees that are fully grown are linear in the targets, so
(24.2) gives their bias and variance exactly; single trees are not, and are grown for many data sets together.
Derived in sections 24.2 and 24.3; section 24.3 shows them on one axis.
"""

from typing import NamedTuple

import numpy as np

from mlteach.nearest_neighbors import KNNRegressor
from mlteach.validation import as_matrix, as_rng, as_vector, check_integer, check_number


class BaggedParts(NamedTuple):
    """Exact parts of the error of an average over B trees, each fully grown on its own bootstrap sample."""

    bias2: np.ndarray  # (m,), the same for every B
    single: np.ndarray  # (m,), variance of one tree
    shared: np.ndarray  # (m,), covariance of two trees on the same data: what averaging cannot remove

    def variance(self, B):
        """Return the variance (m,) of the average of ``B`` trees: shared + (single - shared) / B."""
        return self.shared + (self.single - self.shared) / check_integer(B, "B", low=1)


def polynomial_weights(x, x_new, degree, lam=0.0):
    """Return the weights (m, n) of a polynomial of this degree, fitted to ``x`` (n,) by ridge regression.

    Legendre's polynomials on the interval of ``x`` are the columns; all but the constant one are penalised.

    ``x_new`` (m,) are the queries, ``lam`` is ridge's penalty.

    >>> polynomial_weights([0.0, 1.0, 2.0], [3.0], 1).round(4).tolist()
    [[-0.6667, 0.3333, 1.3333]]
    """
    x, x_new = as_vector(x, "x"), as_vector(x_new, "x_new")
    degree = check_integer(degree, "degree", low=0)
    lam = check_number(lam, "lam", low=0)
    if lam == 0 and degree >= len(np.unique(x)):
        raise ValueError(f"degree must be less than the number of different x, {len(np.unique(x))}; got {degree}.")
    Phi, new = (_legendre(v, x, degree) for v in (x, x_new))
    price = np.sqrt(lam) * np.eye(degree + 1)[1:]  # rows that pull every weight but the first to 0
    inverse = np.linalg.pinv(np.vstack([Phi, price]))
    return new @ inverse[:, : len(x)]


def neighbor_weights(x, x_new, k):
    """Return the weights (m, n) of K-nearest-neighbour regression: 1/K for each neighbour.

    ``x`` (n,) are the samples, ``x_new`` (m,) the queries, ``k`` is the K.

    >>> neighbor_weights([0.0, 1.0, 2.0], [1.2], 2).tolist()
    [[0.0, 0.5, 0.5]]
    """
    x, x_new = as_vector(x, "x"), as_vector(x_new, "x_new")
    return KNNRegressor(k).fit(x[:, None], np.eye(len(x))).predict(x_new[:, None])


def bagged_tree_parts(x, x_new, f_train, f_test, noise_variance):
    """Return the exact `BaggedParts` of averages of fully grown trees on a line.

    A tree that is grown until each leaf holds one value of x cuts half way between neighbours: it is the nearest
    neighbour among the points that its bootstrap sample has drawn. The j-th nearest of n points is that one with
    probability ((n - j + 1)/n)^n - ((n - j)/n)^n: the j - 1 nearer ones are missing, and it is not.

    ``x`` (n,) and ``x_new`` (m,) are the places of the samples and of the queries, ``f_train`` and ``f_test`` the true
    curve there, ``noise_variance`` that of the targets.

    >>> parts = bagged_tree_parts([0.0, 1.0], [0.1], [0.0, 2.0], [0.0], 1.0)
    >>> parts.bias2.tolist(), parts.shared.tolist(), parts.variance(1).tolist()  # weights 3/4 and 1/4
    ([0.25], [0.625], [1.75])
    """
    x, x_new = as_vector(x, "x"), as_vector(x_new, "x_new")
    f_train = as_vector(f_train, "f_train", length=len(x), like="x")
    f_test = as_vector(f_test, "f_test", length=len(x_new), like="x_new")
    noise_variance = check_number(noise_variance, "noise_variance", low=0)
    n = len(x)
    absent = (np.arange(n, -1, -1) / n) ** n  # that the j nearest are all missing, j = 0, ..., n
    rank = np.argsort(np.argsort(np.abs(x - x_new[:, None]), axis=1, kind="stable"), axis=1, kind="stable")
    L = (absent[:-1] - absent[1:])[rank]  # (m, n), mean weights of one tree
    mean = L @ f_train
    single = noise_variance + L @ f_train**2 - mean**2
    return BaggedParts((mean - f_test) ** 2, single, noise_variance * (L**2).sum(axis=1))


def bagged_tree_fits(x, T, x_new, B, rng=0):
    """Return what ``B`` fully grown trees say at ``x_new``, each on a bootstrap sample of a row of ``T``: (R, B, m).

    Each row of ``T`` (R, n) has its own B samples. The average over the first b trees is a bagged fit of b trees.

    >>> bagged_tree_fits([0.0, 1.0, 2.0], [[5.0, 6.0, 7.0]], [0.2, 1.9], 2).shape
    (1, 2, 2)
    """
    x, x_new, T = as_vector(x, "x"), as_vector(x_new, "x_new"), as_matrix(T, "T")
    B, rng = check_integer(B, "B", low=1), as_rng(rng)
    if T.shape[1] != len(x):
        raise ValueError(f"T must have one column per x: {len(x)} values of x, {T.shape[1]} columns.")
    R, n = T.shape
    drawn = np.zeros((R, B, n), bool)
    np.put_along_axis(drawn, rng.integers(n, size=(R, B, n)), True, axis=2)
    near = np.argsort(np.abs(x - x_new[:, None]), axis=1, kind="stable")  # (m, n), the nearest first
    chosen = np.zeros((R, B, len(x_new)), int)
    open_ = np.ones(chosen.shape, bool)
    for column in near.T:  # the nearest one that was drawn
        here = open_ & drawn[:, :, column]
        chosen = np.where(here, column, chosen)
        open_ &= ~here
        if not open_.any():
            break
    return T[np.arange(R)[:, None, None], chosen]


def tree_fits(x, T, x_new, depth):
    """Return what regression trees of this depth say at ``x_new``, one for each row of ``T`` (R, n): shape (R, m).

    All trees grow together, level by level: each segment of the line is cut where the squared error falls most.

    >>> tree_fits([0.0, 1.0, 2.0, 3.0], [[0.0, 1.0, 5.0, 6.0]], [0.5, 9.0], 1).tolist()
    [[0.5, 5.5]]
    """
    x, x_new, T = as_vector(x, "x"), as_vector(x_new, "x_new"), as_matrix(T, "T")
    depth = check_integer(depth, "depth", low=0)
    if T.shape[1] != len(x):
        raise ValueError(f"T must have one column per x: {len(x)} values of x, {T.shape[1]} columns.")
    if np.any(np.diff(x) <= 0):
        raise ValueError("x must rise from entry to entry, with no value twice.")
    R, n = T.shape
    S = np.concatenate([np.zeros((R, 1)), np.cumsum(T - T.mean(axis=1, keepdims=True), axis=1)], axis=1)
    cuts = np.zeros((R, n + 1), bool)
    cuts[:, [0, n]] = True
    for _ in range(depth):
        cuts |= _best_cuts(S, cuts)
    a, b = _ends(cuts)
    fitted = np.take_along_axis(S, b, 1) - np.take_along_axis(S, a, 1)
    fitted = fitted / (b - a) + T.mean(axis=1, keepdims=True)
    return fitted[:, np.searchsorted((x[1:] + x[:-1]) / 2, x_new)]


def _best_cuts(S, cuts):
    """Return the place (R, n + 1) in each segment where one more cut lowers the squared error most."""
    R, n = len(S), S.shape[1] - 1
    rows, c = np.arange(R)[:, None], np.arange(1, n)
    a, b = (ends[:, 1:] for ends in _ends(cuts))  # of the segment in which a cut at c would lie
    free = ~cuts[:, 1:n]
    left, right = np.where(free, c - a, 1), np.where(free, b - c, 1)
    gain = (S[rows, c] - S[rows, a]) ** 2 / left + (S[rows, b] - S[rows, c]) ** 2 / right
    gain -= (S[rows, b] - S[rows, a]) ** 2 / (left + right)
    gain = np.where(free, gain, 0.0)
    best = np.zeros((R, n))
    np.maximum.at(best, (np.broadcast_to(rows, a.shape), a), gain)
    chosen = np.zeros(cuts.shape, bool)
    chosen[:, 1:n] = (gain > 1e-12) & (gain >= best[rows, a] * (1 - 1e-12))
    count = np.cumsum(chosen, axis=1)
    chosen[:, 1:n] &= count[:, 1:n] - count[rows, a] == 1  # of equal places the first
    return chosen


def _ends(cuts):
    """Return where the segment of each sample begins and ends, both (R, n)."""
    n = cuts.shape[1] - 1
    starts = np.where(cuts[:, :n], np.arange(n), 0)
    ends = np.where(cuts[:, 1:], np.arange(1, n + 1), n)
    return np.maximum.accumulate(starts, axis=1), np.minimum.accumulate(ends[:, ::-1], axis=1)[:, ::-1]


def _legendre(values, x, degree):
    """Return Legendre's polynomials up to ``degree`` at ``values``, on the interval of ``x``."""
    low, high = x.min(), x.max()
    unit = (2 * values - low - high) / (high - low) if high > low else 0 * values
    return np.polynomial.legendre.legvander(unit, degree)

"""Which columns? All subsets, forward selection, backward elimination (sections 24.7 and 24.8).

Every model is least squares with an intercept, judged by its residual sum of squares. One factorisation of the data
serves all of them: QR of the centred columns and targets keeps every such sum in a small triangle.
"""

from itertools import combinations
from typing import NamedTuple

import numpy as np

from mlteach.numerics import centre
from mlteach.validation import as_matrix, as_vector, check_integer

MOST = 20  # columns for which all subsets, about a million, can be tried


class Subset(NamedTuple):
    """A model on some columns."""

    columns: tuple  # of column numbers, rising
    rss: float  # residual sum of squares, with an intercept


def all_subsets(X, y):
    """Return all 2^d subsets of the d columns, the small ones first.

    >>> [s.columns for s in all_subsets([[0, 1], [1, 0], [2, 2], [3, 0]], [0, 1, 2, 4])]
    [(), (0,), (1,), (0, 1)]
    """
    rss = _Sums(X, y)
    d = rss.d
    if d > MOST:
        raise ValueError(f"{d} columns have 2^{d} subsets; at most {MOST} columns. Use forward_selection.")
    of_size = [list(combinations(range(d), k)) for k in range(d + 1)]
    return [Subset(S, value) for group in of_size for S, value in zip(group, rss.of_all(group))]


def best_subsets(X, y):
    """Return the best subset of each size 0 to d, by trying all 2^d of them: a list of `Subset`.

    Parameters: ``X`` (n, d), ``y`` (n,). Of equally good subsets the first in the order of columns is taken.

    >>> [s.columns for s in best_subsets([[0, 1], [1, 0], [2, 2], [3, 0]], [0, 1, 2, 4])]
    [(), (0,), (0, 1)]
    """
    tried = all_subsets(X, y)
    of_size = [[s for s in tried if len(s.columns) == k] for k in range(len(tried[-1].columns) + 1)]
    slack = 1e-12 * tried[0].rss
    return [group[_least([s.rss for s in group], slack)] for group in of_size]


def forward_selection(X, y, k=None, *, score=None):
    """Return ``k`` columns in the order of choice: add the column that helps most, one at a time.

    Parameters: ``X`` (n, d), ``y`` (n,); ``k`` from 0 to d, all of them by default; ``score(columns)``, a number that
    should be small for a list of columns, by default the residual sum of squares of least squares with an intercept.

    >>> forward_selection([[0, 1], [1, 0], [2, 2], [3, 0]], [0, 1, 2, 4], 1)
    [0]
    """
    score, d, slack = _scored(X, y, score)
    k = d if k is None else check_integer(k, "k", low=0, high=d, why=f"X has {d} columns")
    chosen, left = [], list(range(d))
    while len(chosen) < k:
        # 1. Try each column that is left together with those chosen
        values = [score([*chosen, j]) for j in left]
        # 2. Keep the best, for ever
        chosen.append(left.pop(_least(values, slack)))
    return chosen


def backward_elimination(X, y, k=1, *, score=None):
    """Return the ``k`` columns that remain, rising: start with all, drop the one that is missed least, one at a time.

    Parameters as in `forward_selection`. Least squares needs more samples than columns for a start with all of them.

    >>> backward_elimination([[0, 1], [1, 0], [2, 2], [3, 0]], [0, 1, 2, 4], 1)
    [0]
    """
    own = score is None
    score, d, slack = _scored(X, y, score)
    k = check_integer(k, "k", low=0, high=d, why=f"X has {d} columns")
    n = len(as_matrix(X))
    if own and n <= d + 1 and k < d:
        raise ValueError(f"with {n} samples all {d} columns and an intercept fit every target: go forward instead.")
    kept = list(range(d))
    while len(kept) > k:
        # 1. Try to do without each column
        values = [score([i for i in kept if i != j]) for j in kept]
        # 2. Drop the one without which the fit is best
        kept.pop(_least(values, slack))
    return kept


def _least(values, slack):
    """Return the index of the least value, the first of those that differ by rounding only."""
    values = np.asarray(values, dtype=float)
    if np.isnan(values).any():
        raise ValueError("score must return a number; it returned nan.")
    return int(np.argmax(values <= values.min() + slack))


def _scored(X, y, score):
    rss = _Sums(X, y)
    return (rss, rss.d, 1e-12 * rss([])) if score is None else (score, rss.d, 0.0)


class _Sums:
    """The residual sum of squares of any columns: ``rss(columns)``, or ``rss.of_all(list of equally many columns)``."""

    def __init__(self, X, y):
        X = as_matrix(X)
        y = as_vector(y, length=len(X))
        A, t = centre(X)[0], centre(y)[0]
        length = np.linalg.norm(A, axis=0)
        R = np.linalg.qr(np.column_stack([A / np.where(length > 0, length, 1), t]), mode="r")
        self.d, self.columns, self.target = X.shape[1], R[:, :-1], R[:, -1]

    def __call__(self, chosen):
        return self.of_all([list(chosen)])[0]

    def of_all(self, group):
        """Return one sum for each list of columns; all of one length, so that numpy takes them together."""
        if len(group[0]) == 0:
            return [float(self.target @ self.target)] * len(group)
        sums = []
        for start in range(0, len(group), 4096):  # not too many at once: memory
            C = self.columns[:, np.asarray(group[start : start + 4096])].transpose(1, 0, 2)
            # 1. An orthonormal basis of each set of columns, without directions that are rounding only
            U, size, _ = np.linalg.svd(C, full_matrices=False)
            U = U * (size > 1e-10 * size[:, :1])[:, None, :]
            # 2. What of the target lies outside
            residual = self.target - (U @ (self.target @ U)[:, :, None])[:, :, 0]
            sums += (residual**2).sum(axis=1).tolist()
        return sums

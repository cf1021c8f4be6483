"""Filters: rank columns by what each of them alone says about the target (section 24.8)."""

import numpy as np

from mlteach.numerics import centre
from mlteach.probability import mutual_information
from mlteach.validation import as_categories, as_matrix, as_vector, check_integer


def correlations(X, y):
    """Return the correlation of each column with ``y``, (d,); 0 for a column that does not vary.

    >>> correlations([[1, 5], [2, 5], [3, 5]], [3, 2, 1]).round(6).tolist()
    [-1.0, 0.0]
    """
    X = as_matrix(X)
    y = as_vector(y, length=len(X))
    A, t = centre(X)[0], centre(y)[0]
    scale = np.linalg.norm(A, axis=0) * np.linalg.norm(t)
    return np.clip(np.where(scale > 0, A.T @ t, 0) / np.where(scale > 0, scale, 1), -1, 1)


def pearson_ranking(X, y):
    """Return all columns, the one with the largest \\|correlation\\| first; of equals the earlier one.

    >>> pearson_ranking([[1, 1], [0, 2], [2, 3]], [3, 2, 1])  # correlations -0.5 and -1
    [1, 0]
    """
    return _ranked(np.abs(correlations(X, y)))


def information(X, y, *, bins=8):
    """Return the mutual information of each column with ``y`` in nats, (d,), from the shares of their values.

    A column, or y, with more than ``bins`` different numbers is cut at its quantiles into that many parts. The estimate
    is never negative, so that noise gets a little too much: about (parts - 1)(parts of y - 1)/(2n).

    >>> information([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 1, 1]).round(4).tolist()
    [0.6931, 0.0]
    """
    X = as_categories(X)
    bins = check_integer(bins, "bins", low=2)
    target = _parts(as_categories(np.asarray(y, dtype=object)[:, None], "y")[:, 0], bins)
    if len(target) != len(X):
        raise ValueError(f"y must have one entry per row of X: {len(X)} rows, but y has {len(target)}.")
    return np.array([_information(_parts(column, bins), target) for column in X.T])


def mutual_information_ranking(X, y, *, bins=8):
    """Return all columns, the one with the largest mutual information with ``y`` first; of equals the earlier one.

    Parameters: ``X`` (n, d) numbers or categories, ``y`` (n,) of either kind; ``bins`` as in `information`.

    >>> x = np.array([-1, 0, 1, -1, 0, 1])
    >>> mutual_information_ranking(np.column_stack([[0, 0, 0, 1, 1, 1], x]), x**2)
    [1, 0]
    """
    return _ranked(information(X, y, bins=bins))


def _ranked(values):
    return np.argsort(-np.round(values, 12), kind="stable").tolist()


def _parts(column, bins):
    """Return a whole number for each entry: the index of its value, or of the part of the range in which it lies."""
    values, index = np.unique(column, return_inverse=True)
    if len(values) <= bins or not all(isinstance(v, int | float | np.number) for v in values.tolist()):
        return index
    numbers = column.astype(float)
    cuts = np.unique(np.quantile(numbers, np.arange(1, bins) / bins))
    return np.searchsorted(cuts, numbers, side="left")


def _information(a, b):
    table = np.zeros((a.max() + 1, b.max() + 1))
    np.add.at(table, (a, b), 1 / len(a))
    return mutual_information(table, base=np.e)

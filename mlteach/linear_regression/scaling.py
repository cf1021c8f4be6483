"""Feature scaling, column by column: z-score, min-max, unit length (section 4.5).

Each function returns the scaled array. Test data must be scaled with the numbers of the training data:
``standardize(X_test, like=X_train)``. The shape is (n, d), or (n,) for a single feature.
"""

import numpy as np

from mlteach.linear import power_of_two
from mlteach.numerics import constant_columns
from mlteach.validation import as_array, check_integer


def standardize(X, *, like=None, ddof=1):
    """Return z-scores: each column minus its mean, over its standard deviation.

    z = (x - mean) / s_x,  s_x^2 = sum (x - mean)^2 / (N - 1)

    Mean and s_x come from ``like`` (by default X itself); ``ddof=0`` divides by N instead of N - 1.

    >>> standardize([180, 184, 174]).round(6)
    array([ 0.132453,  0.927173, -1.059626])
    """
    X, like = _both(X, like)
    ddof = check_integer(ddof, "ddof", low=0, high=1)
    _refuse(constant_columns(like), like, "is constant, so its standard deviation is 0")
    deviations, unit = power_of_two(like - like.mean(axis=0))  # so that no square leaves the range of a double
    return (X - like.mean(axis=0)) / unit / deviations.std(axis=0, ddof=ddof)


def min_max_scale(X, *, like=None):
    """Return each column mapped linearly so that its smallest value becomes 0 and its largest 1.

    z = (x - min) / (max - min)

    Both ends come from ``like`` (by default X itself), so other data can fall outside [0, 1].

    >>> min_max_scale([2, 4, 10])
    array([0.  , 0.25, 1.  ])
    """
    X, like = _both(X, like)
    _refuse(np.ptp(like, axis=0) == 0, like, "is constant, so max - min is 0")
    return (X - like.min(axis=0)) / np.ptp(like, axis=0)


def unit_scale(X, *, like=None):
    """Return each column divided by its Euclidean length; ``unit_scale(X.T).T`` does so for each sample.

    z = x / |x|

    The length comes from ``like`` (by default X itself).

    >>> unit_scale([2, 4, 10]).round(6)
    array([0.182574, 0.365148, 0.912871])
    """
    X, like = _both(X, like)
    _refuse((like == 0).all(axis=0), like, "is zero throughout, so its length is 0")
    like, unit = power_of_two(like)
    return X / unit / np.linalg.norm(like, axis=0)


def _both(X, like):
    X = as_array(X, "X")
    like = X if like is None else as_array(like, "like")
    if X.ndim not in (1, 2):
        raise ValueError(f"X must have shape (n, d), or (n,) for one feature; got {X.shape}.")
    if X.shape[1:] != like.shape[1:] or X.ndim != like.ndim:
        raise ValueError(f"like must have the columns of X: X has shape {X.shape}, like has {like.shape}.")
    return X, like


def _refuse(bad, like, why):
    if np.any(bad):
        which = f"column {int(np.argmax(bad))}" if like.ndim == 2 else "the feature"
        raise ValueError(f"{which} {why}; drop it before scaling.")

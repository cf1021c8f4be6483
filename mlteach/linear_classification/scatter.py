"""Scatter within and between classes, and Fisher's criterion, which compares them along a direction (section 7.6)."""

import numpy as np

from mlteach.linear import read_classes, read_points
from mlteach.numerics import centre
from mlteach.validation import as_array


def scatter_within(X, y):
    """Return the scatter of the samples around the mean of their class, S_W (d, d).

    S_W = sum_k sum_{n in C_k} (x_n - m_k)(x_n - m_k)'

    >>> scatter_within([[1, 2], [2, 3], [3, 3], [6, 5], [7, 8], [8, 7]], [1, 1, 1, 2, 2, 2]).round(4)
    array([[4.    , 3.    ],
           [3.    , 5.3333]])
    """
    X, classes, index = read_classes(X, y)
    return _gram(from_class_means(X, index, len(classes))[0])


def scatter_between(X, y):
    """Return the scatter of the class means around the mean of all, each as often as it has samples, S_B (d, d).

    S_B = sum_k N_k (m_k - m)(m_k - m)'

    Its rank is at most K - 1. For two classes it is N1 N2 / N times (m2 - m1)(m2 - m1)', the S_B of that case.

    >>> scatter_between([[1, 2], [2, 3], [3, 3], [6, 5], [7, 8], [8, 7]], [1, 1, 1, 2, 2, 2]).round(4)
    array([[37.5, 30. ],
           [30. , 24. ]])
    """
    X, classes, index = read_classes(X, y)
    A, _ = centre(X)
    return _gram(A - from_class_means(A, index, len(classes))[0])


def scatter_total(X):
    """Return the scatter of all samples around their mean, S_T (d, d); it is S_W + S_B (7.35).

    S_T = sum_n (x_n - m)(x_n - m)'

    >>> scatter_total([[0, 0], [2, 4]])
    array([[2., 4.],
           [4., 8.]])
    """
    X = read_points(X)
    return _gram(centre(X)[0])


def fisher_criterion(w, X, y):
    """Return Fisher's J: how far apart the projected classes lie, against their scatter.

    Two classes, one direction w (d,)   J(w) = w.S_B w / w.S_W w = (w.m2 - w.m1)^2 / (s1^2 + s2^2)    (7.30)
    K classes, or directions W (d, m)   J(W) = tr((W'S_W W)^-1 W'S_B W)  with that of `scatter_between`  (7.36)

    s_k^2 is the sum of squares of class k around its projected mean. J does not change with the length of w.
    In the second case S_B counts samples: for two classes it gives N1 N2 / N times the first J. J is infinite where a
    single direction shows no scatter within the classes.

    >>> X, y = [[1, 2], [2, 3], [3, 3], [6, 5], [7, 8], [8, 7]], [1, 1, 1, 2, 2, 2]
    >>> round(fisher_criterion([1, 0], X, y), 6), round(fisher_criterion([22, 1.5], X, y), 6)
    (6.25, 6.27027)
    """
    X, classes, index = read_classes(X, y)
    W = as_array(w, "w")
    if W.ndim not in (1, 2) or len(W) != X.shape[1]:
        raise ValueError(f"w must have shape ({X.shape[1]},), or ({X.shape[1]}, m) for m directions; got {W.shape}.")
    Z = X @ (W / np.abs(W).max() if W.any() else W)
    inner, means = from_class_means(Z.reshape(len(X), -1), index, len(classes))
    if W.ndim == 1 and len(classes) == 2:
        return _ratio(float((means[1, 0] - means[0, 0]) ** 2), float((inner**2).sum()))
    outer = (means - Z.reshape(len(X), -1).mean(axis=0))[index]
    if W.ndim == 1:
        return _ratio(float((outer**2).sum()), float((inner**2).sum()))
    S = _gram(inner)
    if np.linalg.matrix_rank(S, hermitian=True) < W.shape[1]:
        raise ValueError("W'S_W W is singular: the directions depend on each other, or one shows no scatter within.")
    return float(np.trace(np.linalg.solve(S, _gram(outer))))


def from_class_means(X, index, k):
    """Return the samples minus the mean of their class (n, d), and the class means (k, d)."""
    members = (index == np.arange(k)[:, None]).astype(float)
    means = (members @ X) / members.sum(axis=1)[:, None]
    return X - means[index], means


def _gram(A):
    return A.T @ A


def _ratio(between, within):
    if within > 0:
        return between / within
    if between > 0:
        return np.inf
    raise ValueError("J is 0/0: along w all samples fall on one point. Choose another direction.")

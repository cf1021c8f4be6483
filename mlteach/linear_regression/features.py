"""Basis functions: a model linear in w and bent in x, y = sum_j w_j phi_j(x)  (4.11), section 4.6.

Each function takes ``x`` (n,) and returns the matrix with entry phi_j(x_n) in row n and column j.
"""

import numpy as np

from mlteach.validation import as_matrix, as_vector, check_integer, check_number


def design_matrix(X):
    """Return ``X`` (n, d) with the column of ones in front, (n, d + 1): the first weight becomes the bias.

    >>> design_matrix([[7, 8], [5, 4]])
    array([[1., 7., 8.],
           [1., 5., 4.]])
    """
    X = as_matrix(X)
    return np.column_stack([np.ones(len(X)), X])


def polynomial_features(x, degree, *, bias=True):
    """Return the powers of x up to ``degree``, (n, degree + 1): D + 1 columns for degree D.

    phi_j(x) = x^j,  j = 0, ..., D                          (4.11)

    ``bias=False`` leaves out phi_0 = 1, for models with an intercept of their own such as `LinearRegression`.

    >>> polynomial_features([2, 3], 3)
    array([[ 1.,  2.,  4.,  8.],
           [ 1.,  3.,  9., 27.]])
    """
    x = as_vector(x, "x")
    first = 0 if bias else 1
    degree = check_integer(degree, "degree", low=first)
    return x[:, None] ** np.arange(first, degree + 1)


def gaussian_features(x, centers, width):
    """Return one bump per centre, (n, k).

    phi_j(x) = exp(-(x - c_j)^2 / (2 width^2))              (4.11)

    >>> gaussian_features([0, 1], centers=[0, 2], width=1).round(4)
    array([[1.    , 0.1353],
           [0.6065, 0.6065]])
    """
    return np.exp(-0.5 * _distance(x, centers, width) ** 2)


def sigmoid_features(x, centers, width):
    """Return one smooth step from 0 to 1 per centre, (n, k).

    phi_j(x) = 1 / (1 + exp(-(x - c_j) / width))            (4.11)

    >>> sigmoid_features([0, 1], centers=[0, 2], width=1).round(4)
    array([[0.5   , 0.1192],
           [0.7311, 0.2689]])
    """
    return 0.5 + 0.5 * np.tanh(0.5 * _distance(x, centers, width))  # no overflow far from the centre


def tanh_features(x, centers, width):
    """Return one smooth step from -1 to 1 per centre, (n, k).

    phi_j(x) = tanh((x - c_j) / width)                      (4.11)

    >>> tanh_features([0, 1], centers=[0, 2], width=1).round(4)
    array([[ 0.    , -0.964 ],
           [ 0.7616, -0.7616]])
    """
    return np.tanh(_distance(x, centers, width))


def piecewise_features(x, edges):
    """Return the indicator of each half-open bin (edges[j], edges[j+1]], (n, len(edges) - 1).

    phi_j(x) = 1 if edges[j] < x <= edges[j+1], else 0      (4.11)

    Outside all bins every feature is 0, and so is the predictor.

    >>> piecewise_features([0, 0.5, 1, 1.5], edges=[0, 1, 2])
    array([[0., 0.],
           [1., 0.],
           [1., 0.],
           [0., 1.]])
    """
    x = as_vector(x, "x")[:, None]
    edges = as_vector(edges, "edges")
    if len(edges) < 2 or (np.diff(edges) <= 0).any():
        raise ValueError(f"edges must hold at least two increasing numbers; got {edges.tolist()}.")
    return ((edges[:-1] < x) & (x <= edges[1:])).astype(float)


def periodic_features(x, frequency=3.0):
    """Return a parabola and a wave, (n, 4).

    phi(x) = [1, x, x^2, cos(frequency x)]                  (4.11)

    >>> periodic_features([2]).round(6)
    array([[1.     , 2.     , 4.     , 0.96017]])
    """
    x = as_vector(x, "x")
    frequency = check_number(frequency, "frequency")
    return np.column_stack([np.ones_like(x), x, x**2, np.cos(frequency * x)])


def _distance(x, centers, width):
    width = check_number(width, "width", low=0, open_low=True)
    return (as_vector(x, "x")[:, None] - as_vector(centers, "centers")) / width

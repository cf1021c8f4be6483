"""Margins of a hyperplane, and the loss of the tube."""

import numpy as np

from mlteach.svm.dual import as_signs
from mlteach.validation import as_array, as_matrix, as_vector, check_number


def functional_margin(X, t, w, b):
    """Return t_i (w . x_i + b) for every point; it grows with the length of (w, b).

    >>> functional_margin([[3, 4]], [1], [3, 4], -5), functional_margin([[3, 4]], [1], [30, 40], -50)
    (array([20.]), array([200.]))
    """
    X = as_matrix(X)
    w = as_vector(w, "w")
    if len(w) != X.shape[1]:
        raise ValueError(f"w must have one entry per column of X: X has {X.shape[1]} columns, w has {len(w)} entries.")
    return as_signs(t, length=len(X)) * (X @ w + check_number(b, "b"))


def geometric_margin(X, t, w, b):
    """Return t_i r_i for every point, with the signed distance r = y(x) / |w| to the hyperplane (16.1).

    Positive where the point is on its own side; unchanged when (w, b) is multiplied by a positive number.

    >>> geometric_margin([[3, 4]], [1], [3, 4], -5), geometric_margin([[3, 4]], [1], [30, 40], -50)
    (array([4.]), array([4.]))
    """
    margin = functional_margin(X, t, w, b)
    length = float(np.linalg.norm(as_vector(w, "w")))
    if length == 0:
        raise ValueError("w must not be the zero vector; it defines no hyperplane.")
    return margin / length


def epsilon_insensitive(residual, epsilon):
    """Return max(0, |residual| - epsilon): nothing inside the tube, the distance to the tube outside.

    >>> epsilon_insensitive([0.05, 0.1, 0.3, -0.4], 0.1).round(6)
    array([0. , 0. , 0.2, 0.3])
    """
    epsilon = check_number(epsilon, "epsilon", low=0)
    return np.maximum(0.0, np.abs(as_array(residual, "residual")) - epsilon)

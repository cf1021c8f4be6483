"""The plane w . x + b = 0: how far a point is from it, on which side, and which point of it is nearest (section 7.2).

With the label t = -1 or +1 of a point the distance becomes a margin: positive where the point is on its own side.
"""

import numpy as np

from mlteach.linear import as_weights, power_of_two
from mlteach.validation import as_matrix, as_signs, as_vector, check_number


def signed_distance(X, w, b):
    """Return the distance of each point to the plane w . x + b = 0, positive on the side to which w points.

    r = (w . x + b) / |w|      (7.2)

    Parameters: ``X`` (n, d), ``w`` (d,) not zero, ``b`` float. Returns (n,). Multiplying (w, b) by a positive number
    changes nothing. The origin lies at b / |w|.

    >>> signed_distance([[0, 0], [3, 4], [1.2, 1.6]], [3, 4], -10).round(6)
    array([-2.,  3.,  0.])
    """
    X = as_matrix(X)
    w, b = _unit_of_one(w, b)
    return geometric_margin(X, np.ones(len(X)), w, b)


def nearest_on_plane(X, w, b):
    """Return for each point the nearest one on the plane w . x + b = 0.

    x_perp = x - r w / |w|  with the signed distance r

    Parameters: as in `signed_distance`. Returns (n, d).

    >>> nearest_on_plane([[0, 0]], [3, 4], -10)
    array([[1.2, 1.6]])
    """
    r = signed_distance(X, w, b)
    w, _ = _unit_of_one(w, b)
    return as_matrix(X) - r[:, None] * (w / np.linalg.norm(w))


def functional_margin(X, t, w, b):
    """Return t_i (w . x_i + b) for every point; it grows with the length of (w, b).

    ``t`` (n,) holds the classes -1 and +1.

    >>> functional_margin([[3, 4]], [1], [3, 4], -5), functional_margin([[3, 4]], [1], [30, 40], -50)
    (array([20.]), array([200.]))
    """
    X = as_matrix(X)
    return as_signs(t, length=len(X)) * (X @ as_weights(w, X.shape[1]) + check_number(b, "b"))


def geometric_margin(X, t, w, b):
    """Return t_i r_i for every point, with the signed distance r = y(x) / |w| to the hyperplane (7.2).

    Positive where the point is on its own side; unchanged when (w, b) is multiplied by a positive number.

    ``t`` (n,) holds the classes -1 and +1.

    >>> geometric_margin([[3, 4]], [1], [3, 4], -5), geometric_margin([[3, 4]], [1], [30, 40], -50)
    (array([4.]), array([4.]))
    """
    margin = functional_margin(X, t, w, b)
    length = float(np.linalg.norm(as_vector(w, "w")))
    if length == 0:
        raise ValueError("w must not be the zero vector; it defines no hyperplane.")
    return margin / length


def _unit_of_one(w, b):
    """Return the same plane with the largest entry of w between 1 and 2, so that |w| neither over- nor underflows."""
    w, unit = power_of_two(as_vector(w, "w"))
    b = check_number(b, "b") / float(unit)
    if not np.isfinite(b):
        raise ValueError("b is too large for this w: the plane is farther away than any number can say.")
    return w, b

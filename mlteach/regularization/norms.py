"""The penalties |w|_q and the balls they bound: corners on the axes, where weights are zero, for q <= 1.

Derived in section 6.5 of the chapter.
"""

from typing import NamedTuple

import numpy as np

from mlteach.regularization.lasso import Lasso
from mlteach.regularization.ridge import ridge_svd
from mlteach.validation import as_array, as_vector, check_choice, check_integer, check_number


def lq_penalty(w, q):
    """Return sum_j |w_j|^q over the last axis; for q = 0 the number of weights that are not zero.

    >>> lq_penalty([3, 0, -4], 2), lq_penalty([3, 0, -4], 1), lq_penalty([3, 0, -4], 0)
    (25.0, 7.0, 2.0)
    """
    q = check_number(q, "q", low=0)
    w = np.abs(_weights(w))
    with np.errstate(over="ignore"):
        total = np.sum(w > 0 if q == 0 else w**q, axis=-1).astype(float)
    return float(total) if total.ndim == 0 else total


def lq_norm(w, q):
    """Return the length of w under the q-norm, over the last axis; a norm for q >= 1, a quasi-norm below.

    |w|_q = (sum_j |w_j|^q)^(1/q),  max_j |w_j| for q = infinity

    Parameters: ``w`` (..., p); ``q`` > 0 or ``np.inf``.

    >>> lq_norm([3, -4], 1), lq_norm([3, -4], 2), lq_norm([3, -4], np.inf), round(lq_norm([1, -2], 3), 6)
    (7.0, 5.0, 4.0, 2.080084)
    """
    w = np.abs(_weights(w))
    largest = w.max(axis=-1, keepdims=True)
    if not (isinstance(q, float) and q == np.inf):
        q = check_number(q, "q", low=0, open_low=True)
    unit = np.where(largest > 0, largest, 1)
    with np.errstate(over="ignore"):  # many weights and a tiny q: longer than any number
        length = largest[..., 0] if q == np.inf else unit[..., 0] * np.sum((w / unit) ** q, axis=-1) ** (1 / q)
    return float(length) if length.ndim == 0 else length


def group_norm(groups, p=2, q=1):
    """Return the l_{p,q} norm of weights in groups: q-norm of the groups' p-norms. (2, 1) is the group lasso's.

    |w|_{p,q} = (sum_g |w_g|_p^q)^(1/q)

    Parameters: ``groups``, the rows of a matrix or a list of vectors of any lengths.

    >>> group_norm([[3, 4], [0, 0], [1, 0]])
    6.0
    """
    try:
        groups = list(groups)
    except TypeError:
        raise ValueError(f"groups must be a list of vectors; got {groups!r}.") from None
    if not groups:
        raise ValueError("groups is empty; at least one group of weights is needed.")
    if not (isinstance(p, float) and p == np.inf):
        check_number(p, "p", low=0, open_low=True)
    return lq_norm([lq_norm(as_vector(g, f"groups[{i}]"), p) for i, g in enumerate(groups)], q)


def lq_ball(q, radius=1.0, n=400):
    """Return the boundary |w_1|^q + |w_2|^q = radius^q as a closed curve, (n + 1, 2), for drawing.

    The points lie at equal angles; for n divisible by 4 the four tips on the axes are among them.

    >>> lq_ball(1, n=8).round(6)[:3].tolist()
    [[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]]
    """
    radius = check_number(radius, "radius", low=0, open_low=True)
    n = check_integer(n, "n", low=4)
    quarter = 4 * np.arange(n + 1) / n % 4
    # An angle in the first quarter, then whole quarter turns: the tips have exact zeros
    turn, angle = np.floor(quarter).astype(int), (quarter % 1) * np.pi / 2
    c, s = np.array([1, 0, -1, 0])[turn], np.array([0, 1, 0, -1])[turn]
    direction = np.column_stack([c * np.cos(angle) - s * np.sin(angle), s * np.cos(angle) + c * np.sin(angle)])
    return radius * direction / np.reshape(lq_norm(direction, q), (-1, 1))


class BallFit(NamedTuple):
    """Least squares inside a ball; see `least_squares_in_ball`."""

    w: np.ndarray  # (p,)
    b: float
    lam: float  # the penalty with the same solution; 0 where the ball holds the free solution


def least_squares_in_ball(X, y, q, radius, *, intercept=True):
    """Minimise the squared error with a budget for the weights: the constrained form of ridge and lasso.

    min |t - Xw - b|^2  with  |w|_q <= radius;  for q = 2 solved by `Ridge`, for q = 1 by `Lasso`, for the lam whose
    solution lies on the ball

    Parameters: ``X`` (n, p), ``y`` (n,), ``q`` 1 or 2, ``radius`` > 0. Returns a `BallFit`.

    >>> X, y = [[1, 0], [-1, 0], [0, 2], [0, -2]], [3, -3, 1, -1]
    >>> fit = least_squares_in_ball(X, y, q=1, radius=1)
    >>> fit.w.round(6).tolist(), round(fit.lam, 6)
    ([1.0, 0.0], 4.0)
    """
    check_choice(q, "q", (1, 2))
    radius = check_number(radius, "radius", low=0, open_low=True)
    svd = ridge_svd(X, y, intercept=intercept)
    free = svd.weights(0)
    if lq_norm(free, q) <= radius:
        return BallFit(free, svd.centred.intercept(free), 0.0)
    # 1. The norm falls as lam grows: halve the interval that holds the lam whose solution lies on the ball
    low, high = (0.0, free), (_penalty_inside(svd, q, radius), np.zeros_like(free))
    while high[0] - low[0] > 1e-12 * high[0] and not (q == 1 and _same_signs(low[1], high[1])):
        lam = 0.5 * (low[0] + high[0])
        w = svd.weights(lam) if q == 2 else Lasso(lam, tol=1e-12, intercept=intercept).fit(X, y, start=high[1]).w_
        low, high = ((lam, w), high) if lq_norm(w, q) > radius else (low, (lam, w))
    # 2. Between its ends the path is straight: exactly so for the lasso while the signs stay, to rounding for ridge
    outer, inner = lq_norm(low[1], q), lq_norm(high[1], q)
    share = (radius - inner) / (outer - inner)
    lam, w = (share * a + (1 - share) * b for a, b in zip(low, high))
    return BallFit(w, svd.centred.intercept(w), lam)


def _weights(w):
    w = as_array(w, "w")
    if w.ndim == 0:
        raise ValueError(f"w must have shape (..., p); got one number. Use [{w:g}].")
    return w


def _same_signs(a, b):
    """Return whether two solutions have the same zeros and signs; then (6.23) holds on the line between them, too."""
    return np.array_equal(np.sign(a), np.sign(b))


def _penalty_inside(svd, q, radius):
    """Return a lam whose solution lies inside the ball: |w|_2 < |A't| / lam, and w = 0 from lambda_max on."""
    slope = svd.Vt.T @ (svd.d * svd.z)  # A't
    return float(np.linalg.norm(slope) / radius if q == 2 else np.abs(slope).max())

"""Novikoff's bound: a perceptron that corrects one sample at a time makes at most (R / gamma)^2 mistakes (section 7.5).

With the constant 1 in front of every input, x~ = (1, x), the plane passes through the origin. If a unit vector u has
t_n u . x~_n >= gamma for all n, each mistake adds at least gamma to u . w~ and at most R^2 to |w~|^2 (eta = 1), so
after M mistakes  M gamma <= u . w~ <= |w~| <= sqrt(M) R, equation (7.24) of the notebook.
"""

from typing import NamedTuple

import numpy as np

from mlteach.linear import as_weights, power_of_two
from mlteach.linear_classification._data import read_signs
from mlteach.validation import check_number


class MistakeBound(NamedTuple):
    """The most mistakes the perceptron can make, and where the number comes from."""

    R: float  # largest |(1, x_n)|
    gamma: float  # smallest t_n (w . x_n + b) / |(b, w)|; 0 or less if (w, b) does not separate
    bound: float  # (R / gamma)^2, infinite if (w, b) does not separate
    w: np.ndarray  # (d,) the separator, with |(b, w)| = 1
    b: float


def perceptron_bound(X, y, w=None, b=None):
    """Return R, the margin gamma and the bound (R / gamma)^2 on the mistakes of the perceptron.

    R = max |x~_n|,   gamma = min t_n u . x~_n  with  x~ = (1, x),  u = (b, w) / |(b, w)|

    Parameters: ``X`` (n, d), ``y`` (n,) with two classes, and a separator ``w`` (d,), ``b``. Without one the best is
    taken, with the widest gamma, hence the least bound. Where no plane separates the classes gamma is 0, w and b are 0,
    and the bound is infinite. A gamma below 1e-14 R counts as none: it is rounding.

    >>> X, y = [[-1], [3]], ["no", "yes"]
    >>> round(perceptron_bound(X, y, w=[1], b=0).bound, 6)
    10.0
    >>> best = perceptron_bound(X, y)
    >>> round(best.bound, 6), best.w.round(4), round(best.b, 4)
    (5.0, array([0.7071]), -0.7071)
    """
    X, t, _ = read_signs(X, y, "the perceptron")
    Z = t[:, None] * np.column_stack([np.ones(len(X)), X])
    R = float(np.linalg.norm(Z, axis=1).max())
    u = _best_direction(Z / R) if w is None and b is None else _given_direction(w, b, X.shape[1])
    gamma = float((Z @ u).min())
    bound = (R / gamma) ** 2 if gamma > 0 else np.inf
    return MistakeBound(R, gamma, float(bound), u[1:], float(u[0]))


def _given_direction(w, b, d):
    if w is None or b is None:
        raise ValueError(
            f"w and b come together: give both, or neither for the best; {'w' if w is None else 'b'} is None."
        )
    u, _ = power_of_two(np.append(check_number(b, "b"), as_weights(w, d)))
    if not u.any():
        raise ValueError("w and b must not both be zero; they define no plane.")
    return u / np.linalg.norm(u)


def _best_direction(Z):
    """Return the unit u with the largest min Z u, or zeros if none makes all of Z u positive.

    u points to the point of the convex hull of the rows that is nearest to the origin, sum_n a_n z_n with a >= 0;
    a solves  min |sum_n a_n z_n|^2 + (1 - sum_n a_n)^2  (Lawson and Hanson, Solving Least Squares Problems, ch. 23).
    """
    E = np.vstack([Z.T, np.ones(len(Z))])
    a = _nonnegative_least_squares(E, np.append(np.zeros(Z.shape[1]), 1.0))
    # the rows with a_n > 0 all have the margin gamma: solved for itself, this keeps the digits that |z|^2 loses
    on_margin = np.linalg.lstsq(Z[a > 0], np.ones(np.sum(a > 0)), rcond=None)[0]
    u = max(_unit(Z.T @ a), _unit(on_margin), key=lambda u: (Z @ u).min())
    return u if (Z @ u).min() > 1e-14 else np.zeros(Z.shape[1])


def _unit(v):
    return v / np.linalg.norm(v) if v.any() else v


def _nonnegative_least_squares(E, f):
    """Return the a >= 0 with the least |E a - f|: free the entry that promises most, drop those that turn negative."""
    a, free, stuck = np.zeros(E.shape[1]), np.zeros(E.shape[1], dtype=bool), np.zeros(E.shape[1], dtype=bool)
    for _ in range(20 * sum(E.shape)):
        # 1. The gradient says which entry at zero should grow
        promise = np.where(free | stuck, -np.inf, E.T @ (f - E @ a))
        j = int(promise.argmax())
        if promise[j] <= 4 * np.finfo(float).eps:
            break
        free[j] = True
        s = _free_solution(E, f, free)
        if s[j] <= 0:  # a promise made of rounding only
            free[j], stuck[j] = False, True
            continue
        # 2. Walk towards the solution over the free entries as far as none turns negative
        while (low := free & (s <= 0)).any():
            a = a + (a[low] / (a[low] - s[low])).min() * (s - a)
            free &= a > 1e-15 * a.max()
            a[~free] = 0.0
            s = _free_solution(E, f, free)
        a, stuck[:] = s, False
    return a


def _free_solution(E, f, free):
    s = np.zeros(E.shape[1])
    s[free] = np.linalg.lstsq(E[:, free], f, rcond=None)[0]
    return s

"""A step of refinement wins back what rounding took from the solution of least squares.

The residual of the solution, and the gradient that it leaves, are sums in which nearly everything cancels: they are
formed with more digits than a double has. Cut factors to their leading digits, so few that every sum of their products
fits into a double: then any machine computes these sums without an error, and what was cut off is small. No longer
numbers are needed, which some machines have and others have not.
"""

import numpy as np

from mlteach.linear import power_of_two


def refine(A, t, v, R, middle=None):
    """Return the weights ``v`` after one step of refinement, and the residual t - A v.

        r = t - A v,    R'R dv = A'r

    ``A`` (n, M); ``t`` (n,) and ``v`` (M,), or (n, k) and (M, k) for k targets; ``R`` is the triangular factor of A. If
    the means ``middle`` (M - 1,) of its columns are given, the first column of A holds ones, and R (M - 1, M - 1) is
    the factor of the others minus their means:

        R'R dw = (A - middle)'r,    db = mean r - middle . dw
    """
    # 1. Units that are powers of two: no digit changes, no product leaves the range of a double
    (A, unit), (t, size) = power_of_two(np.asfortranarray(A)), power_of_two(t)  # a column lies in one piece: fast
    v = (v.T * unit).T / size
    parts = slices(A, _bits(A))
    # 2. The residual
    high, low = product(parts, v)
    r, missing = exact_sum(t, -high)
    low = missing - low
    # 3. The gradient that rounding left
    g, rest = product([part.T for part in parts], r)
    g = g + (rest + A.T @ low)
    # 4. The step that takes it away
    dv = _through(R / unit, g) if middle is None else _centred(R / unit[1:], g, middle / unit[1:], len(A))
    return ((v + dv).T / unit).T * size, (r + low - A @ dv) * size


def refine_plane(X, y, w, b, R, x_mean):
    """Return w, b and residual of the plane y = b + w . x after one step; ``R`` factors the centred columns."""
    v, residual = refine(np.vstack([np.ones(len(X)), X.T]).T, y, np.concatenate([[b], w]), R, x_mean)
    return v[1:], v[0], residual


def _through(R, g):
    return np.linalg.solve(R, np.linalg.solve(R.T, g))


def _centred(R, g, middle, n):
    dw = _through(R, g[1:] - np.multiply.outer(middle, g[0]))
    return np.concatenate([[g[0] / n - middle @ dw], dw])


def product(parts, v):
    """Return the product A v as a double, and what is missing in it, for a matrix A in three `slices`.

    >>> A, v = np.array([[1.0, 1.0 + 2.0**-40]]), np.array([-1.0, 1.0 - 2.0**-40])
    >>> high, missing = product(slices(A, 25), v)
    >>> float(high[0] + missing[0]) == -(2.0**-80)
    True
    """
    (A1, A2, A3), (v1, v2, v3) = parts, slices(v, _bits(parts[0]))
    high, missing = exact_sum(A1 @ v1, A1 @ v2 + A2 @ v1)
    return high, missing + (A1 @ v3 + A2 @ (v2 + v3) + A3 @ v)


def slices(values, bits):
    """Return three arrays with the given values as their sum: the first two have so few digits as ``bits`` says.

    >>> [part.tolist() for part in slices(np.array([0.703125, 0.5]), 3)]
    [[0.75, 0.5], [-0.046875, 0.0], [0.0, 0.0]]
    """
    unit = np.ldexp(1.5, np.frexp(np.abs(values).max())[1] + 52 - bits)  # a number whose last digit is the cut
    first = (values + unit) - unit
    rest, unit = values - first, np.ldexp(unit, -bits)
    second = (rest + unit) - unit
    return first, second, rest - second


def _bits(A):
    """Return how many digits factors may have so that sums of so many products fit into the 53 of a double."""
    return (52 - int(np.ceil(np.log2(max(A.shape))))) // 2


def exact_sum(a, b):
    """Return a + b, rounded, and the error of rounding.

    >>> exact_sum(1.0, 1e-20)
    (1.0, 1e-20)
    """
    s = a + b
    c = s - a
    return s, (a - (s - c)) + (b - c)

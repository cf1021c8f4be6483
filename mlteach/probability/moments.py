"""Covariance and correlation of equally likely points, of weighted outcomes, and of samples; Jensen's inequality.

Derived in sections 3.8 and 3.11 of the chapter.
"""

import numpy as np

from mlteach.validation import as_array, as_vector, check_integer, check_probabilities


def covariance(x, y=None, *, p=None, ddof=0):
    """Return how two quantities vary together.

    Cov(x, y) = E[(x - E x)(y - E y)] = E[x y] - E x E y;   Cov(x, x) = Var(x)   (3.20)

    ``x`` and ``y`` (n,) give a number; ``x`` (n, d) alone gives the matrix (d, d), ``x`` (n,) alone the variance.
    The n points are equally likely unless ``p`` (n,) holds their probabilities. The default divides by n, as for a
    known distribution; ``ddof=1`` divides by n - 1, the unbiased estimate from a sample.

    >>> covariance([1, 2, 3, 4], [2, 4, 5, 9])
    2.75
    """
    X, p, as_number = _points(x, y, p)
    n, ddof = len(X), check_integer(ddof, "ddof", low=0, high=1)
    if ddof and p is not None:
        raise ValueError("ddof=1 is for samples; with probabilities p use ddof=0.")
    if n <= ddof:
        raise ValueError(f"ddof=1 needs at least 2 points; got {n}.")
    dX, p, exponent = _deviations(X, p)
    with np.errstate(over="ignore"):
        C = np.ldexp((dX.T * p) @ dX * (n / (n - ddof)), exponent + exponent[:, None])
    C = C[0, -1] if as_number else C
    if not np.isfinite(C).all():
        raise ValueError("the covariance is too large for a floating-point number; change the units of x or y.")
    return float(C) if as_number else C


def correlation(x, y=None, *, p=None):
    """Return the correlation coefficient, the covariance in units of both standard deviations.

    rho = Cov(x, y) / sqrt(Var(x) Var(y)),  -1 <= rho <= 1,  |rho| = 1 only on a straight line   (3.22)

    Arguments as in `covariance`; ``x`` (n, d) alone gives the matrix (d, d). rho = 0 does not mean independent.

    >>> round(correlation([1, 2, 3, 4], [2, 4, 5, 9]), 5)
    0.96476
    """
    X, p, as_number = _points(x, y, p)
    seen = X if p is None else X[p > 0]
    constant = (seen == seen[0]).all(axis=0)
    if constant.any():
        which = int(np.argmax(constant))
        name = "xy"[which] if y is not None else f"column {which} of x"
        raise ValueError(f"{name} is constant, so its variance is 0 and the correlation is not defined.")
    dX, p, _ = _deviations(X, p)
    dX = dX * np.sqrt(p)[:, None]
    dX = dX / np.abs(dX).max(axis=0)  # rho has no units: no square under- or overflows
    U = dX / np.linalg.norm(dX, axis=0)
    rho = np.clip(U.T @ U, -1, 1)  # the rounding of |u| = 1 may leave a last digit over
    np.fill_diagonal(rho, 1)
    return float(rho[0, -1]) if as_number else rho


def jensen_gap(f, x, p=None):
    """Return E[f(x)] - f(E[x]): not negative for convex f, not positive for concave f: Jensen (3.42).

    It is zero for affine f, whatever x, and for constant x, whatever f. ``f`` maps an array to an array, ``x`` (n,)
    holds the outcomes, ``p`` (n,) their probabilities (by default equal); f is not asked where p is zero.

    >>> float(jensen_gap(np.square, [1, 4]))
    2.25
    """
    if not callable(f):
        raise TypeError(f"f must be a function of an array; got {f!r}.")
    X, p, _ = _points(as_vector(x, "x"), None, p)
    x = X[:, 0]
    p = np.full(len(x), 1 / len(x)) if p is None else p
    x, p = x[p > 0], p[p > 0]
    try:
        values = f(x)
    except (TypeError, ValueError) as error:
        raise TypeError(f"f must map an array to an array, as np.exp does and math.exp does not: {error}.") from error
    fx = as_vector(values, "f(x)", length=len(x), like="x")
    return float(p @ fx - as_array(f(np.array([p @ x])), "f(E[x])")[0])


def _points(x, y, p):
    """Return the points (n, d), their probabilities or None, and whether the answer is one number."""
    if y is not None:
        x = as_vector(x, "x")
        X = np.column_stack([x, as_vector(y, "y", length=len(x), like="x")])
    else:
        X = as_array(x, "x")
        if X.ndim not in (1, 2):
            raise ValueError(f"x must have shape (n,) or (n, d); got {X.shape}.")
    if p is not None:
        p = check_probabilities(as_vector(p, "p", length=len(X), like="x"), "p")
        p = p / p.sum()
    return X.reshape(len(X), -1), p, y is not None or X.ndim == 1


def _deviations(X, p):
    """Return (X - E X) / 2^exponent, p, and the exponent of each column, which keeps the squares in range."""
    p = np.full(len(X), 1 / len(X)) if p is None else p
    exponent = np.frexp(np.abs(X).max(axis=0))[1]
    X = np.ldexp(X, -exponent)
    return X - p @ X, p, exponent

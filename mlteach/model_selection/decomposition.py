"""Bias, variance and noise: by drawing the data again and again, and exactly where a fit is linear in its targets.

Derived in section 24.2 of the chapter.
"""

from typing import NamedTuple

import numpy as np

from mlteach.validation import as_matrix, as_rng, as_vector, check_integer, check_number


class BiasVariance(NamedTuple):
    """Parts of the expected squared error, each a mean over the test points."""

    bias2: float  # (mean fit - f)^2
    variance: float  # of the fits around their mean
    noise: float  # of a new target around f
    error: float  # measured: fits against new targets
    error_stderr: float  # standard error of ``error`` over the data sets


class ExactParts(NamedTuple):
    """Exact bias^2 and variance at each test point."""

    bias2: np.ndarray  # (m,)
    variance: np.ndarray  # (m,)


def bias_variance(make, data, X_test, f_test, noise_variance, n_repeats=200, rng=0):
    """Measure the three parts of the error, and beside them the error itself (24.1).

    E (t - y)^2 = sigma^2 + (f - E y)^2 + E (y - E y)^2,  the mean over data sets, noise and test points

    Parameters: ``make``, a function that returns a new model; ``data(generator)`` returns a new training set X, y;
    ``X_test`` (m, d) and ``f_test`` (m,), the true function there; ``noise_variance`` of a new target; ``n_repeats``
    data sets, at least 2; ``rng``. The parts come from the fits, the error from fits and new noise. The estimate of
    ``bias2`` is too large by variance / n_repeats on average, since the mean of the fits is itself estimated.

    >>> from mlteach.linear_regression import LinearRegression
    >>> def line(generator):
    ...     x = np.arange(5.0)[:, None]
    ...     return x, 1 + 2 * x[:, 0] + generator.normal(size=5)
    >>> parts = bias_variance(LinearRegression, line, [[2.0]], [5.0], 1.0, n_repeats=500)
    >>> print(f"{parts.bias2:.2f} {parts.variance:.1f} {parts.noise:.1f}")  # exactly 0, 1/5, 1
    0.00 0.2 1.0
    """
    X_test = as_matrix(X_test, "X_test")
    f = as_vector(f_test, "f_test", length=len(X_test), like="X_test")
    noise_variance = check_number(noise_variance, "noise_variance", low=0)
    n_repeats, rng = check_integer(n_repeats, "n_repeats", low=2), as_rng(rng)
    for function, name in ((make, "make"), (data, "data")):
        if not callable(function):
            raise ValueError(f"{name} must be a function; got {function!r}.")
    # 1. Draw a training set, fit, and note what the fit says at the test points
    Y = np.empty((n_repeats, len(f)))
    for r in range(n_repeats):
        X, y = data(rng)
        said = np.asarray(make().fit(X, y).predict(X_test), dtype=float)
        if said.shape != f.shape:
            raise ValueError(
                f"predict must return one number for each test point, {f.shape}; it returned {said.shape}."
            )
        Y[r] = said
    # 2. How far is the mean fit from f, and how far are the fits from their mean?
    mean = Y.mean(axis=0)
    bias2, variance = np.mean((mean - f) ** 2), np.mean((Y - mean) ** 2)
    # 3. The error itself, against new targets
    T = f + np.sqrt(noise_variance) * rng.normal(size=Y.shape)
    errors = np.mean((T - Y) ** 2, axis=1)
    stderr = errors.std(ddof=1) / np.sqrt(n_repeats)
    return BiasVariance(float(bias2), float(variance), noise_variance, float(errors.mean()), float(stderr))


def linear_bias_variance(L, f_train, f_test, noise_variance):
    """Return the exact bias^2 and variance of a fit that is linear in its targets, with fixed inputs (24.2).

    y(x) = sum_i l_i(x) t_i:  bias^2 = (sum_i l_i f_i - f)^2,  variance = sigma^2 sum_i l_i^2

    Parameters: ``L`` (m, n), row j the weights at test point j; ``f_train`` (n,), ``f_test`` (m,);
    ``noise_variance`` of independent noise. Returns `ExactParts`.

    >>> linear_bias_variance([[0.5, 0.5]], [0.0, 2.0], [1.5], 0.1)
    ExactParts(bias2=array([0.25]), variance=array([0.05]))
    """
    L = as_matrix(L, "L")
    f_train = as_vector(f_train, "f_train")
    if len(f_train) != L.shape[1]:
        raise ValueError(f"f_train must have one entry per column of L: {L.shape[1]} columns, {len(f_train)} entries.")
    f_test = as_vector(f_test, "f_test", length=len(L), like="L")
    noise_variance = check_number(noise_variance, "noise_variance", low=0)
    return ExactParts((L @ f_train - f_test) ** 2, noise_variance * (L**2).sum(axis=1))

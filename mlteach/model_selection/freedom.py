"""Degrees of freedom: how much of the noise a fit follows (section 24.5)."""

import numpy as np

from mlteach.model_selection.leave_out import leverages
from mlteach.validation import as_matrix, as_rng, as_vector, check_integer, check_number


def degrees_of_freedom(X, lam=0.0):
    """Return the trace of the hat matrix of ridge regression, the free intercept included (24.7).

    df = sum_i h_i = 1 + sum_j d_j^2 / (d_j^2 + lam);  for lam = 0 the number of independent columns, plus 1

    Parameters: ``X`` (n, d), ``lam`` >= 0.

    >>> degrees_of_freedom([[1], [2], [3], [4], [5]]), round(degrees_of_freedom([[1], [2], [3], [4], [5]], 10), 6)
    (2.0, 1.5)
    """
    X = as_matrix(X)
    return round(float(leverages(X, np.zeros(len(X)), lam).h.sum()), 12)


def smoother_matrix(make, X):
    """Return H (n, n) with fits = H targets, for a learner whose fit is linear in its targets.

    Column i is the fit to targets that are 1 for sample i and 0 for the others. A learner that is not linear (a tree, a
    lasso, one that scales y) is refused where adding two targets does not add the fits.

    ``make`` is the learner, or a function that returns a new one.

    >>> from mlteach.nearest_neighbors import KNNRegressor
    >>> np.trace(smoother_matrix(lambda: KNNRegressor(2), [[0], [1], [5], [6], [8], [9]])).round(6)  # n/K
    np.float64(3.0)
    """
    X = as_matrix(X)
    unit = np.eye(len(X))
    H = np.column_stack([_fitted(make, X, e) for e in unit])
    t = np.random.default_rng(0).normal(size=len(X))
    if not np.allclose(_fitted(make, X, t), H @ t, atol=1e-6):
        raise ValueError("the fit of this learner is not linear in its targets: use covariance_freedom.")
    return H


def covariance_freedom(make, X, f, noise_variance, *, n_repeats=200, rng=0):
    """Estimate the degrees of freedom of any learner: sum_i Cov(y_i, t_i) / sigma^2 (24.6).

    Parameters: ``make``, a function that returns a new model; ``X`` (n, d) fixed inputs; ``f`` (n,) the true function
    there; ``noise_variance`` > 0 of normal noise; ``n_repeats`` >= 2; ``rng``. Returns estimate and standard error.

    >>> from mlteach.linear_regression import LinearRegression
    >>> df, stderr = covariance_freedom(LinearRegression, [[0], [1], [2], [3]], [0, 0, 0, 0], 1.0)
    >>> abs(df - 2) < 3 * stderr
    True
    """
    X = as_matrix(X)
    f = as_vector(f, "f", length=len(X))
    sigma2 = check_number(noise_variance, "noise_variance", low=0, open_low=True)
    n_repeats, rng = check_integer(n_repeats, "n_repeats", low=2), as_rng(rng)
    noise = np.sqrt(sigma2) * rng.normal(size=(n_repeats, len(f)))
    fits = np.array([_fitted(make, X, f + e) for e in noise])
    each = (noise * (fits - fits.mean(axis=0))).sum(axis=1) / sigma2 * n_repeats / (n_repeats - 1)
    return float(each.mean()), float(each.std(ddof=1) / np.sqrt(n_repeats))


def _fitted(make, X, t):
    return np.asarray(make().fit(X, t).predict(X), dtype=float)

"""Maximum likelihood for the chance of success and for the normal law (section 9.4)."""

import numpy as np

from mlteach.probability import Normal, bernoulli_pmf, covariance
from mlteach.validation import as_array, as_matrix


def fit_bernoulli(x):
    """Return the theta that makes these successes and failures most probable: the share of successes.

    theta_ML = argmax sum_i ln P(x_i | theta) = s / N   (9.12)

    ``x`` (n,) holds 1 for a success and 0 for a failure, or True and False.

    >>> fit_bernoulli([1, 1, 1, 1, 1, 1, 1, 0, 0, 0])
    0.7
    """
    return float(zeros_and_ones(x, "x").mean())


def log_likelihood(x, theta):
    """Return ln P(x_1, ..., x_N | theta) of successes and failures ``x`` (n,), -inf where they are impossible (9.11).

    >>> round(log_likelihood([1, 1, 1, 1, 1, 1, 1, 0, 0, 0], 0.7), 6)
    -6.108643
    """
    return float(bernoulli_pmf(zeros_and_ones(x, "x"), theta, log=True).sum())


def fit_gaussian(X):
    """Return the normal law that makes these points most probable, as `Normal` (mu, Sigma) of chapter 03.

    mu_ML = 1/N sum_i x_i,   Sigma_ML = 1/N sum_i (x_i - mu_ML)(x_i - mu_ML)'   (9.14), (9.16)

    ``X`` (n,) gives two numbers, the mean and the *variance*; ``X`` (n, d) gives mu (d,) and Sigma (d, d). The variance
    divides by N and is biased: its mean is (N - 1)/N times the true one (9.15).

    >>> fit_gaussian([11, 13, 14, 15, 17])
    Normal(mu=14.0, Sigma=4.0)
    """
    given = as_array(X, "X")
    points = as_matrix(given[:, None] if given.ndim == 1 else given)
    n, d = points.shape
    centred = points - points.mean(axis=0)
    size = np.abs(centred).max(axis=0)
    if n < 2 or not size.all() or np.linalg.matrix_rank(centred / size) < d:
        raise ValueError(
            f"the likelihood has no maximum: these {n} points of {d} dimension{'s' * (d != 1)} lie in a flat set, and "
            "the density there grows without bound as the law gets thinner. Give more points, or drop a column that "
            "follows from the others."
        )
    if given.ndim == 1:
        return Normal(float(points.mean()), float(covariance(points[:, 0])))
    return Normal(points.mean(axis=0), covariance(points))


def zeros_and_ones(x, name):
    """Return ``x`` as floats (n,) that are 0 or 1, or say what else was found."""
    x = as_array(x, name, ndim=1)
    odd = ~np.isin(x, (0.0, 1.0))
    if odd.any():
        raise ValueError(f"{name} must hold 0 and 1 only; {name}[{int(odd.argmax())}] is {x[odd][0]:g}.")
    return x

"""What averaging and voting are worth: the variance of a mean of correlated predictors, the accuracy of a majority.

Derived in sections 13.2 and 13.3.
"""

from typing import NamedTuple

import numpy as np

from mlteach.validation import as_array, check_integer


class Measured(NamedTuple):
    """What a table of predictions says about its predictors."""

    variance: float  # sigma^2, the mean of their variances
    rho: float  # the mean covariance of two different ones, divided by sigma^2


def ensemble_variance(n, rho, variance=1.0):
    """Return the variance of the mean of n predictors, each with this variance, any two with correlation rho.

    var(mean) = rho sigma^2 + (1 - rho) sigma^2 / n                                      (13.5)

    The second term falls with n; the first stays: no number of equal-minded predictors averages it away.

    Parameters: ``n`` a whole number >= 1; ``rho`` from -1/(n - 1), the least that n predictors can have, to 1;
    ``variance`` >= 0. All three may be arrays that fit each other.

    >>> ensemble_variance(25, 0.0, 1.0), ensemble_variance(25, 0.5, 1.0), ensemble_variance(25, 1.0, 1.0)
    (0.04, 0.52, 1.0)
    """
    n, rho, variance = as_array(n, "n"), as_array(rho, "rho"), as_array(variance, "variance")
    if (n < 1).any() or (n != np.floor(n)).any():
        wrong = n[(n < 1) | (n != np.floor(n))].flat[0]
        raise ValueError(f"n must be a whole number of predictors, at least 1; got {wrong:g}.")
    if (variance < 0).any():
        raise ValueError(f"variance must not be negative; got {variance.min():g}.")
    try:
        n, rho, variance = np.broadcast_arrays(n, rho, variance)
    except ValueError:
        raise ValueError(
            f"n, rho and variance must fit each other; got {n.shape}, {rho.shape}, {variance.shape}."
        ) from None
    least = -1 / np.maximum(n - 1, 1)
    wrong = (rho > 1) | (rho < least - 1e-12)
    if wrong.any():
        raise ValueError(
            f"rho must lie between -1/(n - 1) = {least[wrong].flat[0]:g} and 1 for {n[wrong].flat[0]:g} predictors; "
            f"got {rho[wrong].flat[0]:g}."
        )
    result = np.maximum(rho * variance + (1 - rho) * variance / n, 0.0)
    return result if result.ndim else float(result)


def measure_correlation(predictions):
    """Return the mean variance of several predictors and the mean correlation of two of them, as `Measured`.

    sigma^2 = mean_i var(y_i),   rho = mean_(i != j) cov(y_i, y_j) / sigma^2

    Parameters: ``predictions`` (r, n): row by row what n predictors say, each row after a new training set (or, for
    one training set, at a new point). With the two numbers `ensemble_variance` gives the variance of the mean of the n
    columns exactly, and of other numbers of such predictors as far as they are alike.

    >>> measure_correlation([[1, 2], [2, 4], [3, 0]])
    Measured(variance=2.5, rho=-0.4)
    """
    P = as_array(predictions, "predictions", ndim=2)
    r, n = P.shape
    if r < 2 or n < 2:
        raise ValueError(f"predictions needs at least 2 rows and 2 predictors (columns); got shape {P.shape}.")
    # The sum over all pairs is the variance of the sum: no n x n table is needed
    variance = P.var(axis=0, ddof=1).mean()
    covariance = (P.sum(axis=1).var(ddof=1) - n * variance) / (n * (n - 1))
    if variance == 0:
        raise ValueError("predictions must vary from row to row; every column is constant, so rho is not defined.")
    return Measured(float(variance), float(covariance / variance))


def majority_accuracy(k, p):
    """Return the chance that most of k independent voters are right, each of them with chance p.

    sum_(j > k/2) C(k, j) p^j (1 - p)^(k - j)                                            (13.1)

    For even k a tie is settled by a coin and counts one half.

    Parameters: ``k`` a whole number >= 1; ``p`` a chance or an array of them.

    >>> round(majority_accuracy(5, 0.75), 6), round(majority_accuracy(17, 0.75), 6)
    (0.896484, 0.987615)
    """
    from scipy.special import bdtrc  # slow to load, and needed only here

    k, p = check_integer(k, "k", low=1), as_array(p, "p")
    if (p < 0).any() or (p > 1).any():
        wrong = p[(p < 0) | (p > 1)].flat[0]
        raise ValueError(f"p must be a chance, from 0 to 1; got {wrong:g}.")
    k += k % 2 - 1  # with its coin an even number of voters is worth one voter less
    result = bdtrc(k // 2, k, p)
    return result if result.ndim else float(result)

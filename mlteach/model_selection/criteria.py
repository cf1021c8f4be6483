"""Prices of complexity: Cp, AIC, BIC, and the one-standard-error rule (section 24.7)."""

import numpy as np

from mlteach.validation import as_vector, check_integer, check_number


def mallows_cp(rss, n, d, sigma2):
    """Return Mallows' Cp as an estimate of the error on new targets at the same inputs (24.8).

    Cp = (RSS + 2 d sigma^2) / n

    Parameters: ``rss`` of the model; ``n`` samples; ``d``, every fitted number, the intercept included; ``sigma2``, the
    noise variance as the *full* model estimates it. Textbooks also print n Cp / sigma2 - n, which ranks models alike.

    >>> round(mallows_cp(1.9, 5, 2, 1.9 / 3), 6)
    0.886667
    """
    rss, n, d = check_number(rss, "rss", low=0), check_integer(n, "n", low=1), check_number(d, "d", low=0)
    return (rss + 2 * d * check_number(sigma2, "sigma2", low=0)) / n


def gaussian_log_likelihood(rss, n):
    """Return the log-likelihood of a least-squares fit at its maximum, where the noise variance is RSS / n.

    l = -n/2 ( ln(2 pi RSS/n) + 1 )

    ``rss`` is the residual sum of squares of ``n`` samples.

    >>> round(gaussian_log_likelihood(1.9, 5), 6)
    -4.675733
    """
    rss, n = check_number(rss, "rss", low=0, open_low=True), check_integer(n, "n", low=1)
    return float(-n / 2 * (np.log(2 * np.pi * rss / n) + 1))


def aic(log_likelihood, k):
    """Return Akaike's criterion, -2 l + 2 k (24.12); small is good.

    ``k`` counts the fitted numbers. R counts the noise variance among them, others do not: for models of one kind this
    shifts all values by 2.

    ``log_likelihood`` is the l at its maximum.

    >>> round(aic(gaussian_log_likelihood(1.9, 5), 2), 6)
    13.351465
    """
    return -2 * check_number(log_likelihood, "log_likelihood") + 2 * check_number(k, "k", low=0)


def aicc(log_likelihood, k, n):
    """Return AIC corrected for few samples, AIC + 2 k (k + 1) / (n - k - 1).

    Exact for Gaussian linear models that contain the truth, if ``k`` counts the noise variance; needs n > k + 1.

    ``log_likelihood`` as in `aic`.

    >>> aicc(-10.0, 3, 13)
    28.666666666666668
    """
    k, n = check_number(k, "k", low=0), check_integer(n, "n", low=1)
    if n <= k + 1:
        raise ValueError(f"n must be greater than k + 1 = {k + 1:g}; got {n}.")
    return aic(log_likelihood, k) + 2 * k * (k + 1) / (n - k - 1)


def bic(log_likelihood, k, n):
    """Return Schwarz's criterion, -2 l + k ln n (24.13); small is good.

    A fitted number costs more than in AIC if ln n > 2, that is from n = 8 on. ``k`` as in `aic`.

    ``log_likelihood`` as in `aic`.

    >>> round(bic(gaussian_log_likelihood(1.9, 5), 2, 5), 6)
    12.570341
    """
    n = check_integer(n, "n", low=1)
    return -2 * check_number(log_likelihood, "log_likelihood") + check_number(k, "k", low=0) * float(np.log(n))


def one_standard_error(errors, stderrs):
    """Return the index of the first model whose error is within one standard error of the least.

    Parameters: ``errors`` (m,) and ``stderrs`` (m,), the models in order from the simplest.

    >>> one_standard_error([5.0, 3.2, 3.0, 3.1], [0.4, 0.3, 0.3, 0.3])
    1
    """
    errors = as_vector(errors, "errors")
    stderrs = as_vector(stderrs, "stderrs", length=len(errors), like="errors")
    if stderrs.min() < 0:
        raise ValueError(f"stderrs must not be negative; the smallest is {stderrs.min():g}.")
    best = int(errors.argmin())
    return int(np.argmax(errors <= errors[best] + stderrs[best]))

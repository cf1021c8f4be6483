"""Mass functions of whole numbers: Bernoulli, binomial, Poisson (section 3.9)."""

import numpy as np

from mlteach.probability.logs import deviance, log_binomial, stirling_error
from mlteach.validation import as_array, check_integer, check_number


def bernoulli_pmf(x, p, *, log=False):
    """Return the probability of ``x`` in one trial that succeeds (x = 1) with probability p.

    P(x) = p^x (1 - p)^(1 - x),  x in {0, 1};   mean p, variance p (1 - p)   (3.24)

    ``x`` may have any shape; every value other than 0 and 1 has probability zero.

    >>> bernoulli_pmf([0, 1, 2], p=0.3).tolist()
    [0.7, 0.3, 0.0]
    """
    x = as_array(x, "x")
    p = check_number(p, "p", low=0, high=1)
    mass = np.select([x == 0, x == 1], [1 - p, p], 0.0)
    if not log:
        return mass[()]
    with np.errstate(divide="ignore"):
        return np.where(x == 0, np.log1p(-p), np.log(mass))[()]


def binomial_pmf(k, n, p, *, log=False):
    """Return the probability of ``k`` successes in n independent trials, each with probability p.

    P(k) = n! / (k! (n - k)!)  p^k (1 - p)^(n - k),  k in {0, ..., n};   mean n p, variance n p (1 - p)   (3.25)

    ``k`` may have any shape; outside the support (k < 0, k > n, fractions) the probability is zero.

    >>> binomial_pmf([0, 3, 11], n=10, p=0.3).round(7).tolist()
    [0.0282475, 0.2668279, 0.0]
    >>> float(binomial_pmf(500, n=1000, p=0.5).round(7))
    0.025225
    """
    k = as_array(k, "k")
    n = check_integer(n, "n", low=0, high=2**53, why="larger counts are not exact as floating-point numbers")
    p = check_number(p, "p", low=0, high=1)
    if p in (0, 1):  # a certain number of successes
        return _exp(np.where(k == n * p, 0.0, -np.inf), log)
    logs = np.full(k.shape, -np.inf)
    support = (k >= 0) & (k <= n) & (k == np.floor(k))
    logs[support] = log_binomial(k[support], n - k[support], p)
    return _exp(logs, log)


def poisson_pmf(k, lam, *, log=False):
    """Return the probability of ``k`` events where lam are expected: the binomial for n -> infinity, n p -> lam.

    P(k) = lam^k exp(-lam) / k!,  k in {0, 1, 2, ...};   mean lam, variance lam   (3.27)

    ``k`` may have any shape; outside the support (k < 0, fractions) the probability is zero.

    >>> poisson_pmf([0, 1, 2, -1], lam=3).round(6).tolist()
    [0.049787, 0.149361, 0.224042, 0.0]
    >>> float(poisson_pmf(10_000, lam=1e4).round(9))
    0.00398939
    """
    k = as_array(k, "k")
    lam = check_number(lam, "lam", low=0, high=2**53)
    logs = np.where(k == 0, -lam, -np.inf)
    positive = (k > 0) & (k == np.floor(k))
    if lam > 0:
        k = k[positive]
        logs[positive] = -0.5 * (np.log(2 * np.pi) + np.log(k)) - stirling_error(k) - deviance(k, lam)
    return _exp(logs, log)


def _exp(logs, log):
    return logs[()] if log else np.exp(logs)[()]

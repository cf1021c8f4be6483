"""The logarithms under the binomial, Poisson and Beta laws and the KL divergence, without large cancelling terms.

log n! = 1/2 log(2 pi n) + n log n - n + delta(n) turns the factorials into a small correction delta and the deviance
D(x, m) = x log(x/m) + m - x >= 0, which is zero at x = m (C. Loader, Fast and accurate computation of binomial
probabilities, 2000). The difference of two log-factorials of 10^9 would lose ten digits;
what is lost here grows with |k - n p| only.

They serve the laws of sections 3.9 and 3.12.
"""

import math

import numpy as np

_STIRLING = [1 / 1188, -1 / 1680, 1 / 1260, -1 / 360, 1 / 12]  # delta(n) = 1/(12 n) - 1/(360 n^3) + ...


def stirling_error(n):
    """Return delta(n) = log Gamma(n + 1) - [1/2 log(2 pi n) + n log n - n] for an array of n > 0."""
    n = np.asarray(n, dtype=float)
    large = np.maximum(n, 16)
    delta = np.array(np.polyval(_STIRLING, (1 / large) ** 2) / large)
    small = n < 16  # the series is not exact there, and log Gamma still is
    log_gamma = np.array([math.lgamma(v + 1) for v in n[small]])
    delta[small] = log_gamma - (0.5 * np.log(2 * np.pi * n[small]) + n[small] * np.log(n[small]) - n[small])
    return delta


def deviance(x, m):
    """Return D(x, m) = x log(x/m) + m - x elementwise for x, m >= 0: m at x = 0, infinite at m = 0 < x."""
    x, m = np.broadcast_arrays(np.asarray(x, dtype=float), np.asarray(m, dtype=float))
    D = np.where(x > 0, np.inf, m)
    both = (x > 0) & (m > 0)
    x, m = x[both], m[both]
    with np.errstate(over="ignore"):
        D[both] = x * (np.log(x) - np.log(m)) + m - x
    # x log(x/m) = 2x artanh(v): near x = m the leading terms combine to (x - m) v, the rest is a short series
    v = (x - m) / (x + m)
    near = np.abs(v) < 0.1
    x, m, v = x[near], m[near], v[near]
    both[both] = near
    D[both] = (x - m) * v + 2 * x * v * v**2 * np.polyval([1 / j for j in range(19, 1, -2)], v**2)
    return D


def log_binomial(k, m, p):
    """Return log[C(k + m, k) p^k (1 - p)^m]: k successes, m failures, both >= 0 and perhaps real, 0 < p < 1."""
    k, m, p = np.broadcast_arrays(*(np.asarray(v, dtype=float) for v in (k, m, p)))
    logs = np.where(k == 0, m * np.log1p(-p), k * np.log(p))
    inside = (k > 0) & (m > 0)
    k, m, p = k[inside], m[inside], p[inside]
    n = k + m
    s = np.minimum(n, 1)  # D(x, m) = s D(x/s, m/s): with n < 1 the product n p could underflow
    logs[inside] = (
        0.5 * (np.log(n) - np.log(2 * np.pi) - np.log(k) - np.log(m))
        + (stirling_error(n) - stirling_error(k) - stirling_error(m))
        - s * deviance(k / s, n / s * p)
        - s * deviance(m / s, n / s * (1 - p))
    )
    return logs

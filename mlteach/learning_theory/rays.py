"""The exact law of the largest gap for rays: Kolmogorov's statistic, and the bound of Dvoretzky, Kiefer, Wolfowitz.

A ray calls x positive if x >= θ. If every example is negative, the error of ray θ is P(x >= θ), its training error is
the share of the sample there, and the largest difference over all θ is Kolmogorov's D (section 25.9).
"""

import math
from functools import lru_cache

import numpy as np

from mlteach.validation import as_rng, check_integer, check_number


def ray_gaps(n, n_runs, rng=0):
    """Return the largest gap between true and training error over all rays, in ``n_runs`` samples of ``n`` (25.17).

    The inputs are uniform on (0, 1); any continuous law gives the same gaps. Sorted uniform numbers are drawn as
    partial sums of exponential ones, divided by the last.
    """
    n, n_runs, rng = check_integer(n, "n", low=1), check_integer(n_runs, "n_runs", low=1), as_rng(rng)
    sums = rng.exponential(size=(n_runs, n + 1)).cumsum(axis=1)
    x, i = sums[:, :-1] / sums[:, -1:], np.arange(1, n + 1)
    return np.maximum(i / n - x, x - (i - 1) / n).max(axis=1)


def kolmogorov_cdf(gap, n):
    """Return P(D_n <= gap) exactly, by the matrix power of Marsaglia, Tsang and Wang (2003).

    >>> round(kolmogorov_cdf(0.274, 10), 4)
    0.6285
    """
    gap, n = check_number(gap, "gap"), check_integer(n, "n", low=1)
    if gap <= 0.5 / n:
        return 0.0
    if gap >= 1 or n * gap**2 > 18:  # beyond, at most 2 exp(-2 n gap²) < 5e-16 is missing
        return 1.0
    k = int(n * gap) + 1
    m, h = 2 * k - 1, k - n * gap
    i, j = np.indices((m, m))
    H = (i - j + 1 >= 0).astype(float)
    H[:, 0] -= h ** np.arange(1, m + 1)
    H[-1] -= h ** np.arange(m, 0, -1)
    H[-1, 0] += max(2 * h - 1, 0.0) ** m
    steps = np.maximum(i - j + 1, 0)
    H *= np.exp(-_log_factorials(m)[steps])
    Q, log_scale = _power(H, n)
    log_p = np.log(max(Q[k - 1, k - 1], 1e-300)) + log_scale + math.lgamma(n + 1) - n * math.log(n)
    return float(min(1.0, np.exp(log_p)))


def ray_gap(n, delta):
    """Return the gap that is exceeded with probability ``delta``, exactly: the quantile of Kolmogorov's statistic.

    >>> round(ray_gap(1000, 0.05), 4)
    0.0428
    """
    n = check_integer(n, "n", low=1)
    return _quantile(n, check_number(delta, "delta", low=0, high=1, open_low=True, open_high=True))


def dkw_gap(n, delta):
    """Return sqrt(ln(2/δ) / (2n)): Dvoretzky, Kiefer and Wolfowitz's bound, with Massart's constant.

    ``delta`` is the chance δ that the promise fails.

    >>> round(dkw_gap(1000, 0.05), 4)
    0.0429
    """
    n = check_integer(n, "n", low=1)
    return math.sqrt(math.log(2 / check_number(delta, "delta", low=0, high=1, open_low=True)) / (2 * n))


@lru_cache(maxsize=1024)
def _quantile(n, delta):
    """Return where Kolmogorov's law has 1 - delta below it."""
    from scipy.special import kolmogi

    # The limit law is close; widen around it, then halve the false position (Illinois)
    start = kolmogi(delta) / (math.sqrt(n) + 0.12 + 0.11 / math.sqrt(n))
    low, high = max(0.5 / n, 0.9 * start), min(1.0, 1.1 * start)
    while kolmogorov_cdf(low, n) > 1 - delta:
        low *= 0.8
    while kolmogorov_cdf(high, n) < 1 - delta:
        high = min(1.0, 1.2 * high)
    f_low, f_high = kolmogorov_cdf(low, n) - 1 + delta, kolmogorov_cdf(high, n) - 1 + delta
    for _ in range(60):
        middle = high - f_high * (high - low) / (f_high - f_low)
        f = kolmogorov_cdf(middle, n) - 1 + delta
        if f * f_high < 0:
            low, f_low = high, f_high
        else:
            f_low /= 2
        high, f_high = middle, f
        if abs(f) < 1e-10 or abs(high - low) < 1e-12:
            break
    return float(high)


def _power(H, n):
    """Return H^n as a matrix and the logarithm of a factor that was taken out, by repeated squaring."""
    Q, log_q, log_h = np.eye(len(H)), 0.0, 0.0
    while n:
        if n % 2:
            Q, log_q = Q @ H, log_q + log_h
            Q, log_q = Q / Q.max(), log_q + math.log(Q.max())
        H, log_h, n = H @ H, 2 * log_h, n // 2
        H, log_h = H / H.max(), log_h + math.log(H.max())
    return Q, log_q


def _log_factorials(m):
    """Return ln 0!, ln 1!, ..., ln m!."""
    return np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, m + 1)))])

"""How far a frequency strays from its probability: Hoeffding, Chernoff, the exact tail, and the luckiest of many.

Derived in section 25.3 of the chapter.
"""

import numpy as np

from mlteach.validation import check_integer, check_number


def hoeffding(n, epsilon):
    """Return Hoeffding's bound exp(-2 n ε²) on P(ν - p >= ε), one-sided (25.4).

    ν is the share of successes in ``n`` independent trials of probability p, whatever p is. For deviations to both
    sides double it.

    >>> round(hoeffding(100, 0.1), 4)
    0.1353
    """
    n, epsilon = check_integer(n, "n", low=1), check_number(epsilon, "epsilon", low=0)
    return float(np.exp(-2 * n * epsilon**2))


def chernoff(n, epsilon, p):
    """Return Chernoff's bound exp(-n KL(p + ε || p)) on P(ν - p >= ε), one-sided (25.3).

    >>> round(chernoff(100, 0.1, 0.1), 4)
    0.0118
    """
    n, epsilon = check_integer(n, "n", low=1), check_number(epsilon, "epsilon", low=0)
    p = check_number(p, "p", low=0, high=1, open_low=True, open_high=True)
    q = p + epsilon
    return 0.0 if q > 1 + 1e-12 else float(np.exp(-n * _divergence(min(q, 1.0), p)))


def exact_tail(n, epsilon, p):
    """Return P(ν - p >= ε) itself, the sum of binomial probabilities; what equals p + ε but for rounding counts.

    >>> round(exact_tail(100, 0.1, 0.5), 4)
    0.0284
    """
    n, epsilon = check_integer(n, "n", low=1), check_number(epsilon, "epsilon", low=0)
    p = check_number(p, "p", low=0, high=1)
    from scipy.special import bdtrc

    least = int(np.ceil(n * (p + epsilon) - 1e-9))
    return 1.0 if least <= 0 else float(bdtrc(least - 1, n, p)) if least <= n else 0.0


def luckiest(n_rules, n, p=0.5):
    """Return the expected share of errors of the luckiest of ``n_rules`` independent rules on ``n`` examples.

    Each rule errs with probability ``p``. E min = Σ_k P(all rules have at least k errors) / n.

    >>> round(luckiest(1000, 10), 4)
    0.0376
    """
    n_rules, n = check_integer(n_rules, "n_rules", low=1), check_integer(n, "n", low=1)
    p = check_number(p, "p", low=0, high=1)
    from scipy.special import bdtrc

    at_least = np.asarray(bdtrc(np.arange(n), n, p))  # P(at least k errors) for k = 1, ..., n
    return float((at_least**n_rules).sum() / n)


def _divergence(q, p):
    """Return KL(q || p) of two Bernoulli laws in nats."""
    from scipy.special import xlogy

    return float(xlogy(q, q / p) + xlogy(1 - q, (1 - q) / (1 - p)))

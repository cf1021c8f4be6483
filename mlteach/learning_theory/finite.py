"""Promises for finitely many hypotheses: the union bound turned into sample sizes and errors.

Consistent learners are derived in section 25.5, the agnostic case in section 25.4. All bounds are
one-sided: the true error is not much *larger* than the training error.
"""

import math

from mlteach.validation import check_integer, check_number


def pac_sample_size(h_size, epsilon, delta):
    """Return the least whole N >= (ln|H| + ln 1/δ) / ε (25.9).

    With so many examples every consistent hypothesis has a true error of at most ``epsilon``, with probability at
    least 1 - ``delta``. ``h_size`` may be any whole number, 3**1000 too.

    >>> pac_sample_size(3**10, 0.1, 0.05)
    140
    """
    epsilon = check_number(epsilon, "epsilon", low=0, high=1, open_low=True)
    return _whole(_capacity(h_size, delta) / epsilon, epsilon)


def pac_error(h_size, n, delta):
    """Return the ε that ``n`` examples buy a consistent learner: (ln|H| + ln 1/δ) / N (25.10).

    ``h_size`` is |H|, ``delta`` the chance δ that the promise fails.

    >>> round(pac_error(1000, 500, 0.05), 6)
    0.019807
    """
    return _capacity(h_size, delta) / check_integer(n, "n", low=1)


def agnostic_sample_size(h_size, epsilon, delta):
    """Return the least whole N >= (ln|H| + ln 1/δ) / (2ε²), when no hypothesis may be perfect (25.7).

    ``h_size`` is |H|, ``delta`` the chance δ that the promise fails.

    >>> agnostic_sample_size(3**10, 0.1, 0.05)
    700
    """
    epsilon = check_number(epsilon, "epsilon", low=0, high=1, open_low=True)
    return _whole(_capacity(h_size, delta) / epsilon / epsilon / 2, epsilon)


def agnostic_gap(h_size, n, delta):
    """Return how far any true error may exceed its training error: sqrt((ln|H| + ln 1/δ) / (2N)) (25.6).

    ``h_size`` is |H|, ``delta`` the chance δ that the promise fails.

    >>> round(agnostic_gap(1000, 500, 0.05), 6)
    0.099516
    """
    return math.sqrt(_capacity(h_size, delta) / (2 * check_integer(n, "n", low=1)))


def _whole(n, epsilon):
    """Return n, rounded up, if it is a number."""
    if n == math.inf:
        raise ValueError(f"epsilon is too small for any sample size; got {epsilon!r}.")
    return math.ceil(n)


def _capacity(h_size, delta):
    """Return ln|H| + ln 1/δ."""
    h_size = check_integer(h_size, "h_size", low=1)
    delta = check_number(delta, "delta", low=0, high=1, open_low=True)
    return math.log(h_size) - math.log(delta)

"""Promises for infinitely many hypotheses: the VC dimension in the place of ln|H| (section 25.9)."""

import math

from mlteach.validation import check_integer, check_number


def vc_gap(vc, n, delta):
    """Return how far any true error may exceed its training error (25.16).

    sqrt((VC (ln(2N/VC) + 1) + ln(4/δ)) / N), for a family of VC dimension ``vc`` and N = ``n`` examples. It rests on
    Sauer's lemma for 2N points, and so needs 2N >= VC.

    ``delta`` is the chance δ that the promise fails.

    >>> round(vc_gap(3, 1000, 0.05), 6)
    0.163978
    """
    vc, n = check_integer(vc, "vc", low=1), check_integer(n, "n", low=1)
    delta = check_number(delta, "delta", low=0, high=1, open_low=True)
    if 2 * n < vc:
        raise ValueError(f"the bound needs at least vc/2 examples; got n={n} and vc={vc}.")
    return math.sqrt((vc * (math.log(2 * n / vc) + 1) + math.log(4 / delta)) / n)


def vc_sample_size(vc, epsilon, delta):
    """Return the smallest N with N >= 8/ε² ln(4((2N)^VC + 1)/δ), Learning From Data (2.13).

    ``vc`` is the VC dimension, ``delta`` the chance δ that the promise fails.

    >>> vc_sample_size(3, 0.1, 0.1)
    29300
    """
    vc = check_integer(vc, "vc", low=1)
    epsilon = check_number(epsilon, "epsilon", low=0, high=1, open_low=True)
    delta = check_number(delta, "delta", low=0, high=1, open_low=True)

    if epsilon**2 == 0:
        raise ValueError(f"epsilon is too small for any sample size; got {epsilon!r}.")

    def enough(N):
        power = vc * math.log(2 * N)
        return N >= 8 / epsilon**2 * (math.log(4 / delta) + power + math.log1p(math.exp(-power)))

    # N minus the right side is convex and negative at N = 1: it changes its sign once
    high = 2
    while not enough(high):
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high

"""The best of many: what the winner's score is worth, exactly (section 24.9)."""

from typing import NamedTuple

import numpy as np

from mlteach.validation import check_integer, check_number


class Winner(NamedTuple):
    """Law of the best of m scores."""

    scores: np.ndarray  # (n + 1,) 0, 1/n, ..., 1
    probability: np.ndarray  # (n + 1,) that the best has this score
    mean: float
    low: float  # a tenth of all winners lie below ``low``, a tenth above ``high``
    high: float


def best_of_many(m, n, p=0.5):
    """Return the law of the best of ``m`` scores, each the share of ``n`` independent answers that are right.

    All m models are right with probability p, and independent of each other. Their best number of right answers is at
    most j if all m are: F(j)^m with the binomial law's F. So  E best = 1/n sum_(j=0)^(n-1) (1 - F(j)^m)    (24.15)

    >>> [round(best_of_many(m, 100).mean, 3) for m in (1, 10, 100, 1000)]
    [0.5, 0.577, 0.625, 0.661]
    """
    from scipy.special import bdtr

    m, n = check_integer(m, "m", low=1), check_integer(n, "n", low=1)
    p = check_number(p, "p", low=0, high=1)
    F = bdtr(np.arange(n + 1), n, p) ** m
    scores = np.arange(n + 1) / n
    low, high = (float(scores[np.argmax(F >= share - 1e-12)]) for share in (0.1, 0.9))
    return Winner(scores, np.diff(F, prepend=0.0), float((1 - F[:-1]).sum() / n), low, high)

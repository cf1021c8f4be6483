"""Confidence intervals for the true error, from the error on n test samples that training never saw (section 2.3)."""

from typing import NamedTuple

import numpy as np

from mlteach.evaluation._labels import label_array, label_pair
from mlteach.validation import check_integer, check_number


class Interval(NamedTuple):
    """A confidence interval."""

    low: float
    high: float


def z_value(confidence):
    """Return z such that a standard normal variable lies in [-z, z] with probability ``confidence``.

    >>> [round(z_value(c), 2) for c in (0.5, 0.8, 0.9, 0.95, 0.98, 0.99)]
    [0.67, 1.28, 1.64, 1.96, 2.33, 2.58]
    """
    from statistics import NormalDist

    confidence = check_number(confidence, "confidence", low=0, high=1, open_low=True, open_high=True)
    return abs(NormalDist().inv_cdf((1 - confidence) / 2))


def error_interval(error, n, confidence=0.95):
    """Return the `Interval` of a procedure that hits the true error in about this share of all test sets.

    error +- z sqrt(error (1 - error) / n)

    Parameters: ``error`` in [0, 1], measured on ``n`` independent samples not used in training, and ``confidence``
    in (0, 1). The normal approximation wants some twenty mistakes and twenty right answers to be expected, np and
    n(1 - p) of 20 or more; with fewer the interval is too short and may leave [0, 1]. `wilson_interval` never leaves
    it and falls short far less.

    >>> low, high = error_interval(12 / 40, 40)
    >>> round(low, 4), round(high, 4)
    (0.158, 0.442)
    """
    error, n, z = _checked(error, n, confidence)
    half = float(z * np.sqrt(error * (1 - error) / n))
    return Interval(error - half, error + half)


def wilson_interval(error, n, confidence=0.95):
    """Return Wilson's `Interval` for the true error: all e that the observed error does not contradict.

    |error - e| <= z sqrt(e (1 - e) / n),  solved for e:
    (error + z^2/2n +- z sqrt(error (1 - error)/n + z^2/4n^2)) / (1 + z^2/n)

    Parameters as in `error_interval`. It never leaves [0, 1]. Its coverage is near the promise on average over e; at
    single e it can fall short, a promise of 0.95 to about 0.84.

    >>> low, high = wilson_interval(0, 20)
    >>> round(low, 4), round(high, 4)
    (0.0, 0.1611)
    """
    error, n, z = _checked(error, n, confidence)
    centre = error + z**2 / (2 * n)
    half = z * np.sqrt(error * (1 - error) / n + z**2 / (4 * n**2))
    high = float((centre + half) / (1 + z**2 / n))
    # The product of the two ends is error^2 / (1 + z^2/n): no difference of nearly equal numbers
    low = float(error * (error / (high * (1 + z**2 / n))))
    return Interval(min(low, error), 1.0 if error == 1 else min(1.0, max(high, error)))


def difference_interval(error_1, n_1, error_2, n_2, confidence=0.95):
    """Return the `Interval` for the difference of two hypotheses' true errors, measured on independent samples.

    d = error_1 - error_2,  d +- z sqrt(error_1 (1 - error_1)/n_1 + error_2 (1 - error_2)/n_2)

    ``confidence`` is the share of such intervals that shall hold the true difference.

    >>> low, high = difference_interval(0.30, 100, 0.20, 100)
    >>> round(low, 4), round(high, 4)
    (-0.0192, 0.2192)
    """
    error_1, n_1, z = _checked(error_1, n_1, confidence, "error_1", "n_1")
    error_2, n_2, z = _checked(error_2, n_2, confidence, "error_2", "n_2")
    half = float(z * np.sqrt(error_1 * (1 - error_1) / n_1 + error_2 * (1 - error_2) / n_2))
    return Interval(error_1 - error_2 - half, error_1 - error_2 + half)


def paired_difference_interval(y, predicted_1, predicted_2, confidence=0.95):
    """Return the `Interval` for the difference of two hypotheses' true errors, measured on the same samples.

    d_i = [h1 wrong on i] - [h2 wrong on i],  d = mean d_i,  d +- z sqrt((b + c)/n - d^2) / sqrt(n)

    where b samples are wrong for h1 only and c for h2 only; samples on which both are right or both are wrong do
    not count. The normal approximation wants b + c of 30 or more: with few disputed samples the interval is too short,
    and `mcnemar_test` is the better question.

    Parameters: ``y`` (n,) true labels, ``predicted_1`` (n,) and ``predicted_2`` (n,), ``confidence`` in (0, 1).

    >>> y, first, second = [1] * 100, [1] * 80 + [0] * 20, [1] * 70 + [0] * 30
    >>> low, high = paired_difference_interval(y, first, second)
    >>> round(low, 4), round(high, 4)
    (-0.1588, -0.0412)
    """
    z = z_value(confidence)
    wrong_1, wrong_2 = _wrong(y, predicted_1, predicted_2)
    d = wrong_1 - wrong_2
    half = float(z * d.std() / np.sqrt(len(d)))
    return Interval(float(d.mean()) - half, float(d.mean()) + half)


def mcnemar_test(y, predicted_1, predicted_2):
    """Return the p-value of McNemar's exact test: could two equally good hypotheses split the disputed samples so?

    p = min(1, 2 P(r <= min(b, c))),  r heads in b + c throws of a fair coin

    where b samples are wrong for h1 only and c for h2 only. With no disputed sample p = 1.

    Parameters: ``y`` (n,) true labels, ``predicted_1`` (n,) and ``predicted_2`` (n,).

    >>> y, first, second = [1] * 20, [0] * 6 + [1] * 14, [1] * 17 + [0] * 3
    >>> round(mcnemar_test(y, first, second), 4)
    0.5078
    """
    from math import comb

    wrong_1, wrong_2 = _wrong(y, predicted_1, predicted_2)
    b, c = int(np.sum(wrong_1 > wrong_2)), int(np.sum(wrong_2 > wrong_1))
    tail = sum(comb(b + c, r) for r in range(min(b, c) + 1))
    return min(1.0, 2 * tail / 2 ** (b + c))


def _wrong(y, predicted_1, predicted_2):
    """Return for both hypotheses 1 where they are wrong and 0 where they are right, each (n,)."""
    y = label_array(y, "y")
    wrong = []
    for name, predicted in (("predicted_1", predicted_1), ("predicted_2", predicted_2)):
        label_array(predicted, name, length=len(y))
        wrong.append((label_pair(y, predicted)[1] != y).astype(int))
    return wrong


def _checked(error, n, confidence, error_name="error", n_name="n"):
    error = check_number(error, error_name, low=0, high=1)
    return error, check_integer(n, n_name, low=1), z_value(confidence)

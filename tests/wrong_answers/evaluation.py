"""Typical wrong answers to the exercises of chapter 02, each with words that the check must say."""

from functools import partial
from math import comb

import numpy as np

from mlteach.exercises import evaluation


def _around(half):
    def interval(mistakes, n, z):
        e = mistakes / n
        return e - half(e, n, z), e + half(e, n, z)

    return interval


def _wilson(mistakes, n, z):
    e = mistakes / n
    half = z * np.sqrt(e * (1 - e) / n + z**2 / (4 * n**2))
    return (e + z**2 / (2 * n) - half) / (1 + z**2 / n), (e + z**2 / (2 * n) + half) / (1 + z**2 / n)


def _swapped_ends(mistakes, n, z):
    return evaluation.interval(mistakes, n, z)[::-1]


def _counts(mistakes, n, z):
    return tuple(n * end for end in evaluation.interval(mistakes, n, z))


def _precision_recall(C):
    return evaluation.recall_precision(C)[::-1]


def _over_all(C):
    return np.diag(C) / C.sum(), np.diag(C) / C.sum()


def _one_against_rest(C):
    d = np.diag(C)
    right = (C.sum() - C.sum(axis=0) - C.sum(axis=1) + 2 * d) / C.sum()
    return right, right


def _recall_twice(C):
    return (evaluation.recall_precision(C)[0],) * 2


def _accuracy(C):
    return (np.full(len(C), np.trace(C) / C.sum()),) * 2


def _mean_recall(C):
    return tuple(part.mean() for part in evaluation.recall_precision(C))


def _p_value(last, factor=2, cap=True):
    def sign_test(b, c):
        p = factor * sum(comb(b + c, k) for k in range(last(b, c) + 1)) / 2 ** (b + c)
        return min(1, p) if cap else p

    return sign_test


def _one_outcome(b, c):
    return 2 * comb(b + c, min(b, c)) / 2 ** (b + c)


def _costs_swapped(y, scores, cost_fp, cost_fn):
    return evaluation.cheapest_threshold(y, scores, cost_fn, cost_fp)


def _no_costs(y, scores, cost_fp, cost_fn):
    return evaluation.cheapest_threshold(y, scores, 1, 1)


def _classes_swapped(y, scores, cost_fp, cost_fn):
    return evaluation.cheapest_threshold(1 - y, scores, cost_fp, cost_fn)


def _formula(y, scores, cost_fp, cost_fn):
    return cost_fp / (cost_fp + cost_fn) + 0.0123


WRONG = {
    "2.1": [
        (_swapped_ends, "swapped"),
        (_counts, "divide by n"),
        (_around(lambda e, n, z: z * e * (1 - e) / n), "root is missing"),
        (_around(lambda e, n, z: z * np.sqrt(e * (1 - e))), "did not divide by n"),
        (_around(lambda e, n, z: z * np.sqrt(e * (1 - e)) / n), "under the root|twice"),
        (_around(lambda e, n, z: np.sqrt(e * (1 - e) / n)), "z is missing"),
        (_around(lambda e, n, z: z * 0.5 / np.sqrt(n)), "worst case"),
        (_around(lambda e, n, z: z * np.sqrt(e / n)), "factor 1 - error"),
        (_around(lambda e, n, z: 0.9 * z * np.sqrt(e * (1 - e) / n)), "should be"),
        (_wilson, "Wilson's interval"),
        (lambda mistakes, n, z: evaluation.interval(mistakes, n, 1.96), "1.96 whatever z is given"),
        (lambda mistakes, n, z: mistakes / n, "two numbers"),
        (lambda *case: np.clip(evaluation.interval(*case), 0, 1), "Do not clip"),
        (lambda *case: np.round(evaluation.interval(*case), 3), "Do not round"),
    ],
    "2.2": [
        ((9604, 3458), "factor 1/4"),
        ((2401, 864), "Round up"),
        ((2401, 864.36), "whole number"),
        ((2401, 961), "p instead of p"),
        ((865, 2401), "unknown one first"),
        ((601, 217), "half-width"),
        ((2400, 865), r"int\(\) cuts that off"),
        ((2401, 2401), "0.09"),
        (2401, "two whole numbers"),
        ((2400.91, 864.33), "2400.91 is no whole number of samples: round up"),
        ((2401, 864.33), "Round up to a whole number"),
        ((2500, 900), "z = 2"),
    ],
    "2.3": [
        (_precision_recall, "recalls first"),
        (_over_all, "all samples"),
        (_one_against_rest, "one class against the rest"),
        (_recall_twice, "row sums"),
        (_accuracy, "one value for each class"),
        (_mean_recall, "mean over the classes"),
        (lambda C: np.diag(C) / C.sum(axis=1), "two arrays|shape"),
    ],
    "2.4": [
        ("A", "five times"),
        ("C", "comes second"),
        ("D", "Only 10 %"),
        ("e", "seven in ten"),
        ("F", "one of the letters"),
        (0.242, "as a string"),
    ],
    "2.5": [
        (_p_value(min, cap=False), "Cut off at 1"),
        (_p_value(min, factor=1), "one tail"),
        (_p_value(lambda b, c: min(b, c) - 1), "too early"),
        (_one_outcome, "more uneven"),
        (_p_value(lambda b, c: b), "rarer side"),
        (_p_value(lambda b, c: c), "rarer side"),
        (evaluation._chi_squared, "χ² form"),
        (partial(evaluation._chi_squared, correction=1), "χ² form with its correction"),
        (_p_value(max), "smaller of b and c|rarer side"),
    ],
    "2.6": [
        ((4, 10.8, 13 / 3), "squared loss chooses the mean"),
        ((10.8, 10.8, 13 / 3), "median"),
        ((3.5, 4, 13 / 3), "left out the outlier"),
        ((10.8, 4, 4), "add up to 1"),
        ((10.8, 4, 10.8), "may pull with 3 only"),
        ((10.8, 4, 3.5), "left out the 40"),
        ((10.8, 4, 17 / 4), "pulls with -3"),
        ((10.8, 4, 5.5), "is not 5.5"),
        ((10.8, 4), "three numbers"),
        ((10.8, 4, None), "three numbers"),
        ((10.8, 4.0001, 13 / 3), "not 4.0001"),
        ((10.8, 4, 4.3), "two decimals"),
    ],
    "2.7": [
        (_costs_swapped, "costs are swapped"),
        (_no_costs, "use the costs"),
        (_classes_swapped, "roles of 0 and 1"),
        (partial(evaluation._variant, nobody=False), "np.inf"),
        (partial(evaluation._variant, smallest=True), "largest threshold"),
        (partial(evaluation._variant, strict=True), "use >="),
        (_formula, "none of the scores"),
        (lambda y, scores, cost_fp, cost_fn: cost_fp / (cost_fp + cost_fn), r"\(2.24\), which needs calibrated scores"),
        (lambda y, scores, cost_fp, cost_fn: cost_fn / (cost_fp + cost_fn), "upside down"),
        (lambda y, scores, cost_fp, cost_fn: scores, "one number"),
    ],
}

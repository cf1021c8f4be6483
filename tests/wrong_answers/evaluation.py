"""Typical wrong answers to the exercises of chapter 02, each with words that the check must say."""

from functools import partial
from math import comb

import numpy as np

from mlteach.exercises import evaluation


def _precision_recall(C):
    return evaluation.recall_precision(C)[::-1]


def _over_all(C):
    return np.diag(C) / C.sum(), np.diag(C) / C.sum()


def _one_against_rest(C):
    d = np.diag(C)
    right = (C.sum() - C.sum(axis=0) - C.sum(axis=1) + 2 * d) / C.sum()
    return right, right


def _by_loops(C):
    K = len(C)
    recalls = [C[i][i] / sum(C[i][j] for j in range(K)) for i in range(K)]
    return np.array([recalls, [C[j][j] / sum(C[i][j] for i in range(K)) for j in range(K)]])


def _from_the_top(b, c):
    n = b + c
    return min(1, sum(comb(n, k) for k in range(max(b, c), n + 1)) / 2 ** (n - 1))


def _by_argmin(y, scores, cost_fp, cost_fn):
    tried = np.append(np.inf, np.unique(scores)[::-1])
    costs = [cost_fp * np.sum((scores >= t) & (y == 0)) + cost_fn * np.sum((scores < t) & (y == 1)) for t in tried]
    return np.array([tried[int(np.argmin(costs))]])


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


def _by_rates(y, scores, cost_fp, cost_fn):
    return evaluation.cheapest_threshold(y, scores, cost_fp / np.sum(y == 0), cost_fn / np.sum(y == 1))


def _formula(y, scores, cost_fp, cost_fn):
    return cost_fp / (cost_fp + cost_fn) + 0.0123


WRONG = {
    "2.a": [
        ((20, 0.04, 400), "share, 20 of 100"),
        ((0.8, 0.04, 400), "accuracy"),
        ((0.2, 0.0016, 400), "variance .2.4."),
        ((0.2, 0.4, 400), "spread of one letter"),
        ((0.2, 0.004, 400), "under the root"),
        ((0.2, 4, 400), "number of mistakes"),
        ((0.2, 0.05, 400), "worst case"),
        ((0.2, np.sqrt(0.002), 400), "1 - p is missing"),
        ((0.2, 0.04, 200), "halve the variance"),
        ((0.2, 0.04, 300), "in all"),
        ((0.2, 0.04, 50), "larger"),
        ((0.04, 0.2, 400), "expectation first"),
    ],
    "2.b": [
        ((0, 0), "does not shrink to a point"),
        ((0.1386, 0.0713), "worst case"),
        ((0.071, 0), "first"),
        ((0, 0.0768), "1 . z²/n is missing"),
        ((0, 0.0357), "centre"),
        ((0, 0.0384), "add the root"),
        ((0, 0.06), "rule of three"),
        ((0, 0.1611), "twenty letters"),
        ((0, 0.0377), "squared"),
        ((0, 0.0582), "one-sided"),
        ((0, 0.07), "rounded"),
        ((0, 7.1), "per cent"),
        ((0, 0.038), "About half is missing"),
    ],
    "2.c": [
        ((60, 216), "refit"),
        ((66, 216), "Only the winner"),
        ((10, 216), "each of six degrees"),
        ((16, 216), "times folds"),
        ((62, 216), "no fit happens"),
        ((61, 240), "left out"),
        ((61, 270), "locked away"),
        ((61, 24), "learns from the others"),
        ((61, 210), "a tenth of 240"),
        ((216, 61), "fits first"),
    ],
    "2.d": [
        ((14, 0.0528), "14 of 200"),
        ((14 / 30, 0.0528), "all 200"),
        ((-0.07, 0.0528), "sign"),
        ((0.15, 0.0528), "b - c"),
        ((0.11, 0.0528), "alone"),
        ((0.0528, 0.07), "difference first"),
        ((0.07, 0.0802), r"\(2.16\)"),
        ((0.07, 0.08), r"\(2.16\)"),
        ((0.07, 0.0537), "square of the difference"),
        ((0.07, 0.054), "square of the difference"),
        ((0.07, 1.96 * np.sqrt(0.08 / 200)), "to be squared"),
        ((0.07, 1.96 * np.sqrt(0.1549 / 200)), "Subtract the square"),
        ((0.07, 0.0904), "only one program"),
        ((0.07, 0.091), "only one program"),
        ((0.07, 0.0269), "z is missing"),
        ((0.07, 0.7466), "divide by n"),
        ((0.07, 0.1363), "not the disputed"),
        ((0.07, 0.00373), "n belongs under the root"),
        ((0.07, 0.0007255), "the variance"),
        ((0.07, 0.001422), "root is missing"),
        ((0.07, 0.1056), "whole width"),
        ((0.07, 0.7590), "as a share"),
        ((0.07, 0.0354), "no error rate"),
    ],
    "2.e": [
        ((0.6, 0.75, 0.875, 2 / 3), "swapped"),
        ((0.15, 0.6, 0.875, 2 / 3), "not by everybody"),
        ((0.75, 0.6, 0.125, 2 / 3), "false positive rate"),
        ((0.75, 0.6, 0.9333, 2 / 3), "called negative"),
        ((0.75, 0.6, 0.7, 2 / 3), "not by everybody"),
        ((0.75, 0.6, 0.875, 0.675), "plain mean"),
        ((0.75, 0.6, 0.875, 0.671), "geometric mean"),
        ((0.75, 0.6, 0.875, 0.7), "rounded"),
        ((0.75, 0.6, 0.875, 0.5), "TP counts twice"),
        ((0.75, 0.6, 0.875, 0.85), "accuracy"),
        ((0.75, 0.85, 0.875, 2 / 3), "accuracy"),
        ((0.75, 0.6, 0.875), "4 answers are wanted"),
    ],
    "2.f": [
        (4.5, "number of pairs"),
        (4 / 6, "counted it as lost"),
        (0.667, "counted it as lost"),
        (5 / 6, "counted it as won"),
        (0.25, "one minus"),
        (0.8, "Leave no pair out"),
        (0.9, "not by the number of samples"),
        (0.5, "is not 0.5"),
    ],
    "2.1": [
        ((9604, 3458), "factor 1/4"),
        ((2401, 864), "Round up"),
        ((2401, 864.36), "whole number"),
        ((2401, 961), "p instead of p"),
        ((865, 2401), "unknown one first"),
        ((601, 217), "half-width"),
        ((2400, 865), r"int\(\) cuts that off"),
        ((2401, 2401), "0.09"),
        (2401, "2 answers are wanted"),
        ((2400.91, 864.33), "2400.91 is no whole number of samples: round up"),
        ((2401, 864.33), "Round up to a whole number"),
        ((2500, 900), "z = 2"),
        ((2401, 97), "p² instead"),
        ((2401, 9604), "is missing"),
        ((2401, 3458), "do not halve"),
        ((2401, 217), "half-width 0.04"),
        ((2401, 30), "to be squared"),
        ((4148, 865), "99 %"),
    ],
    "2.2": [
        (_precision_recall, "recalls first"),
        (_over_all, "all samples"),
        (_one_against_rest, "one class against the rest"),
        (_recall_twice, "row sums"),
        (_accuracy, "one value for each class"),
        (_mean_recall, "mean over the classes"),
        (lambda C: np.diag(C) / C.sum(axis=1), "two arrays|shape"),
        (lambda C: (C.max(axis=1) / C.sum(axis=1), C.max(axis=0) / C.sum(axis=0)), "on the diagonal"),
        (lambda C: (evaluation.recall_precision(C)[0], C.max(axis=0) / C.sum(axis=0)), "on the diagonal"),
        (lambda C: (np.trace(C) / C.sum(axis=1), np.trace(C) / C.sum(axis=0)), "np.trace"),
        (lambda C: (np.diag(C) / (C.sum(axis=1) - np.diag(C)),) * 2, "diagonal belongs to the sum"),
        (lambda C: (np.diag(C), np.diag(C)), "These are counts"),
        (lambda C: None, "without returning"),
    ],
    "2.3": [
        ("A", "five times"),
        ("C", "comes second"),
        ("D", "Only 10 %"),
        ("e", "seven in ten"),
        ("F", "one of the letters"),
        (0.242, "as a string"),
    ],
    "2.4": [
        (_p_value(min, cap=False), "Cut off at 1"),
        (_p_value(min, factor=1), "one tail"),
        (_p_value(lambda b, c: min(b, c) - 1), "too early"),
        (_one_outcome, "more uneven"),
        (_p_value(lambda b, c: b), "rarer side"),
        (_p_value(lambda b, c: c), "rarer side"),
        (evaluation._chi_squared, "χ² form"),
        (partial(evaluation._chi_squared, correction=1), "χ² form with its correction"),
        (_p_value(max), "smaller of b and c"),
        (lambda b, c: max(1, _p_value(min, cap=False)(b, c)), "not max"),
        (lambda b, c: 0.508, "whatever it is given"),
        (lambda b, c: None, "without returning"),
    ],
    "2.g": [
        ((4, 10.8, 13 / 3), "squared loss chooses the mean"),
        ((10.8, 10.8, 13 / 3), "median"),
        ((3.5, 4, 13 / 3), "left out the outlier"),
        ((10.8, 4, 4), "add up to 1"),
        ((10.8, 4, 10.8), "may pull with 3 only"),
        ((10.8, 4, 3.5), "left out the 40"),
        ((10.8, 4, 17 / 4), "pulls with -3"),
        ((10.8, 4, 5.5), "add up to -3, not 0. Move down"),
        ((10.8, 4, 3.2), "add up to 3.4, not 0. Move up"),
        ((10.8, 2, 13 / 3), "As many values"),
        ((10.8, 20.5, 13 / 3), "middle .sample"),
        ((20.5, 4, 13 / 3), "middle between"),
        ((13.5, 4, 13 / 3), "by 5"),
        ((10.8, 4), "3 answers are wanted"),
        ((10.8, "four", 13 / 3), "number"),
        ((10.8, 4.01, 13 / 3), "is not 4.01"),
        ((10.8, 4, 4.3), "two decimals"),
    ],
    "2.5": [
        (_costs_swapped, "costs are swapped"),
        (_no_costs, "use the costs"),
        (_classes_swapped, "roles of 0 and 1"),
        (partial(evaluation._variant, nobody=False), "np.inf"),
        (partial(evaluation._variant, smallest=True), "largest threshold"),
        (partial(evaluation._variant, strict=True), "use >="),
        (_formula, "none of the scores"),
        (lambda y, scores, cost_fp, cost_fn: cost_fp / (cost_fp + cost_fn), r"\(2.25\), which needs calibrated scores"),
        (lambda y, scores, cost_fp, cost_fn: cost_fn / (cost_fp + cost_fn), "upside down"),
        (lambda y, scores, cost_fp, cost_fn: scores, "one number"),
        (lambda y, scores, cost_fp, cost_fn: "0.4", "one number"),
        (lambda y, scores, cost_fp, cost_fn: 0.4, "whatever it is given"),
        (lambda y, scores, cost_fp, cost_fn: evaluation.cheapest_threshold(y, scores, 1, 5), "same costs"),
        (_by_rates, "rates"),
        (evaluation._least_cost, "least cost"),
        (evaluation._place_of(0), "place in the list"),
        (evaluation._place_of(1), "place in the list"),
    ],
}

RIGHT = {
    "2.a": [(1 / 5, np.float32(0.04), np.array([400.0])), [0.2, 0.04, 400]],
    "2.b": [(0, 0.0713), (0, 0.071), (0.0, 0.07135), [0, 1.96**2 / 53.8416]],
    "2.c": [(61.0, np.int64(216)), [61, 216]],
    "2.d": [(0.07, 0.0528), (14 / 200, 0.053), np.float32([0.07, 0.052793]).tolist()],
    "2.e": [(3 / 4, 3 / 5, 7 / 8, 0.667), [0.75, 0.6, 0.875, 0.6667], (0.75, 0.6, 0.88, 0.67)],
    "2.f": [3 / 4, np.array([0.75]), np.float32(0.75)],
    "2.g": [(10.8, 4, 4.33), (54 / 5, 4, 4.333), [10.8, 4.0, 13 / 3]],
    "2.1": [[2401, 865], (2401.0, np.int64(865))],
    "2.2": [lambda C: [part.tolist() for part in evaluation.recall_precision(C)], _by_loops],
    "2.3": ["b", " B ", ["B"]],
    "2.4": [_from_the_top],
    "2.5": [
        _by_argmin,
        lambda *case: [evaluation.cheapest_threshold(*case)],
        lambda *case: np.float32(evaluation.cheapest_threshold(*case)),
    ],
}

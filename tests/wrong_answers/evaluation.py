"""Chapter 02: wrong answers that no table holds, with words that the check must say, and right ones of another form."""

from math import comb

import numpy as np

from mlteach.exercises import evaluation


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


WRONG = {
    "2.a": [((0.04, 0.2, 400), "expectation first"), ((0.2, 4, 400), "number of mistakes")],
    "2.b": [((0.071, 0), "first"), ((0, 0.07), "rounded"), ((0, 7.1), "per cent"), ((0.0713, 0.0713), "first")],
    "2.c": [((216, 61), "fits first")],
    "2.d": [
        ((-0.07, 0.0528), "sign"),
        ((0.0528, 0.07), "difference first"),
        ((0.07, 0.08), r"\(2.16\)"),
        ((0.07, 0.054), "square of the difference"),
        ((0.07, 0.091), "only one program"),
    ],
    "2.e": [
        ((0.6, 0.75, 0.875, 2 / 3), "swapped"),
        ((0.75, 0.6, 0.875, 0.7), "rounded"),
        ((0.75, 0.6, 0.875), "4 answers are wanted"),
        ((0.75, 0.875, 0.6, 2 / 3), "another order"),
    ],
    "2.f": [(0.667, "counted it as lost"), (0.5, "is not 0.5")],
    "2.g": [
        ((4, 10.8, 13 / 3), "another order"),
        ((10.8, 4, 4), "add up to 1"),
        ((10.8, 4, 5.5), "add up to -3, not 0. Move down"),
        ((10.8, 4, 3.2), "add up to 3.4, not 0. Move up"),
        ((10.8, 4), "3 answers are wanted"),
        ((10.8, "four", 13 / 3), "number"),
        ((10.8, 4.01, 13 / 3), "is not 4.01"),
    ],
    "2.1": [
        ((865, 2401), "unknown one first"),
        ((2401, 864.36), "no whole number"),
        ((2400.91, 864.33), "2400.91 is no whole number of samples: round up"),
        (2401, "2 answers are wanted"),
    ],
    "2.2": [
        (lambda C: (np.diag(C) / C.sum(), np.diag(C) / C.sum()), "all samples"),
        (lambda C: (np.diag(C) / (C.sum(axis=1) - np.diag(C)),) * 2, "diagonal belongs to the sum"),
        (lambda C: (np.diag(C), np.diag(C)), "These are counts"),
        (lambda C: None, "without returning"),
    ],
    "2.3": [("e", "seven in ten"), ("F", "letters A to E"), (0.242, "as a string")],
    "2.4": [(lambda b, c: 0.508, "whatever it is given"), (lambda b, c: None, "without returning")],
    "2.5": [
        (lambda y, scores, cost_fp, cost_fn: cost_fp / (cost_fp + cost_fn) + 0.0123, "none of the scores"),
        (lambda y, scores, cost_fp, cost_fn: scores, "one number"),
        (lambda y, scores, cost_fp, cost_fn: "0.4", "one number"),
        (lambda y, scores, cost_fp, cost_fn: 0.4, "whatever it is given"),
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

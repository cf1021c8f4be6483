"""Answers to the tasks of chapter 16 that no table holds: right ones of another form, and wrong ones."""

import numpy as np

from mlteach.exercises import svm

CEILING, VECTORS, MISSED = sorted(svm.CEILING), sorted(svm.VECTORS), sorted(svm.MISSED)
MASK = np.isin(np.arange(12), CEILING)


def _sets(alpha, t, C):
    """Return I_up and I_low of (16.17)."""
    return np.where(t > 0, alpha < C, alpha > 0), np.where(t > 0, alpha > 0, alpha < C)


def _pair_by_loops(F, alpha, t, K, C, first=max, gain=lambda slope, eta: slope**2 / (2 * eta)):
    up, low = _sets(alpha, t, C)
    i = first(np.flatnonzero(up), key=lambda i: F[i])
    partners = [j for j in np.flatnonzero(low) if F[j] < F[i]]
    return i, max(partners, key=lambda j: gain(F[i] - F[j], K[i, i] + K[j, j] - 2 * K[i, j]))


def _bias_between_bounds(alpha, t, K, C):
    free = np.minimum(alpha, C - alpha) > 1e-8 * C
    return [sum((t - K @ (alpha * t))[free]) / sum(free)]


WRONG = {
    "16.a": [((1.5, 15), "another order"), ((20, 2), "bias is missing"), (15, "2 answers"), ((15, 3), "twice")],
    "16.b": [
        (lambda X, t, w, b: svm.canonical(X, t, w, b)[::-1], "another order"),
        (lambda X, t, w, b: (np.array([2.0, 2]), -3.0), "whatever it is given"),
        (lambda X, t, w, b: (w / np.abs(w).max(), b / np.abs(w).max()), "w"),
    ],
    "16.c": [((9, 6), "another order"), ((8, 16), "w²"), ((0, 0), "not allowed"), ((6, 8), "dual value is not 8")],
    "16.d": [((2.5, 0.08), "another order"), ((2, 0.5), "four points"), ((0.1, 2.5), "not 0.1"), (0.08, "answers")],
    "16.e": [
        (CEILING[:-1], "missing"), (sorted({*CEILING} - {5}), "even beyond the street"),
        (sorted({*CEILING} - {5, 8}), "Not all are there"), (sorted({*CEILING} - {8}), "Not all are there"),
        ([*CEILING, 0 if 0 not in CEILING else 1], "should not be there"), ([99], "between 0 and 11"),
        (np.isin(np.arange(12), VECTORS), "all support vectors"), (~MASK, "without slack"),
    ],
    "16.f": [(-1 / 3, "wrong sign"), (0.4, "is not 0.4"), (0.35, "not 0.35")],
    "16.g": [
        ((0.55, 0.95, 0.55), "η²"), ((0.5, 0.9, 0.5), "added the errors"), ((0.9, 1.3, 0.9), "not clipped"),
        ((0.9, 0.0, 0.8), "equal labels"), ((0.9, 1.2, 0.8), "equal labels"), ((0.9, 1.4, 1.0), "meets the ceiling"),
        ((1.0, 0.9, 0.6), "another order"), ((0.9, 0.95, 0.55), "α_i is not 0.95"),
    ],
    "16.h": [
        (([2, 1, 2, 1], "BC"), "one class"), (([2, 1, 2, 1], "E"), "letters A to D"), (([2, 1, 2, 1], 1), "Letters"),
        (([2, 2, 1, 1], "B"), "another order"), (([2, 1, 2], "B"), "4|four"), (([2, 1, 2, 2], "B"), "sum to 7"),
    ],
    "16.i": [((-0.3, 2), "one of 0.5, 0"), ((-0.7, 2), "0.5, 0"), ((3, -0.5), "another order"), ((-0.5, 7), "not 7")],
    "16.1": [
        (lambda alpha, t, K, C: 2 * svm.bias(alpha, t, K, C), "twice"),
    ],
    "16.2": [
        (lambda w, b, alpha, X, t, C: svm.duality_gap(w, b, alpha, X, t, 0.4), "You use C = 0.4"),


        (lambda *a: abs(svm.duality_gap(*a)) ** 0.5, "square root"),
    ],
    "16.3": [
        (lambda F, *a: _pair_by_loops(F, *a, gain=lambda slope, eta: -slope), "it should be"),
        (lambda F, *a: _pair_by_loops(F, *a, first=min), "smallest F of I_up"),
        (lambda *a: svm.working_set(*a)[0], "two numbers"),
        (lambda *a: (99, 0), "from 0 to 7"),
    ],
}  # fmt: skip

RIGHT = {
    "16.a": [(np.float32(15), np.array([1.5])), [15, 1.5]],
    "16.b": [lambda X, t, w, b: [list(v) if np.ndim(v) else v for v in svm.canonical(X, t, w, b)]],
    "16.c": [[6, 9], (np.array(6.0), np.array([9]))],
    "16.d": [[2 / 25, 5 / 2], (np.float32(0.08), np.float32(2.5))],
    "16.e": [set(CEILING), MASK, CEILING[::-1], np.array(CEILING, dtype=float)],
    "16.f": [np.array([1 / 3]), np.float32(1 / 3), 0.333, 0.3333],
    "16.g": [[0.9, 1, 0.6], (np.array([0.9]), 1, np.float32(0.6))],
    "16.h": [((2, 1, 2, 1), "b"), (np.array([2.0, 1, 2, 1]), ["B"])],
    "16.i": [[-0.5, 3], (np.float32(-0.5), np.array([3.0]))],
    "16.1": [lambda *a: np.array([svm.bias(*a)]), _bias_between_bounds],
    "16.2": [lambda *a: np.array([svm.duality_gap(*a)])],
    "16.3": [_pair_by_loops, lambda *a: np.array(svm.working_set(*a), dtype=float)],
}

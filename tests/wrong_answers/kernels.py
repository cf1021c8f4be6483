"""Answers to the tasks of chapter 15 that no table lists: wrong ones with words that the check must say, right ones."""

import math

import numpy as np

from mlteach.exercises.kernels import (
    R3,
    bump_features,
    distance_to_mean,
    leave_one_out,
    normalised,
    one_pass,
    shared_pieces,
)


def _in_place(K):
    K /= np.sqrt(np.outer(np.diag(K), np.diag(K)))
    return K


def _refit(K, t, lam):
    """Leave one out the long way."""
    out = []
    for n in range(len(t)):
        keep = [m for m in range(len(t)) if m != n]
        a = np.linalg.solve(K[np.ix_(keep, keep)] + lam * np.eye(len(keep)), t[keep])
        out.append(float(t[n] - K[n, keep] @ a))
    return out


def _loop_features(x, beta, n):
    values, term = [], math.exp(-beta * x * x)
    for j in range(n):
        values.append(term)
        term *= x * math.sqrt(2 * beta / (j + 1))
    return values


def _pass_as_loop(K, t):
    a = [0] * len(t)
    for n in range(len(t)):
        score = sum(a[m] * int(t[m]) * float(K[m][n]) for m in range(len(t)))
        if t[n] * score <= 0:
            a[n] += 1
    return a


def _pairs_of_places(s, u, p):
    return sum(s[i : i + p] == u[j : j + p] for i in range(len(s) - p + 1) for j in range(len(u) - p + 1))


WRONG = {
    "15.a": [(64, "number|list|shape"), ((1, 5.2, 15.59, 26), "the feature of power 3")],
    "15.b": [((0.6, 4), "another order"), ((math.sqrt(8), 0.5), r"left out the \+ 1"), (4, "2 answers")],
    "15.c": [
        ((1, 1, 1), "mix the signs"),
        ((-1, -2, 0), "mix the signs"),
        ((1, 0, 0), "One weight alone"),
        ((0, 0, 0), "All weights are zero"),
        ((1, -1, 1), "farthest apart"),
        ((1, -1), "three numbers"),
        ((1, 0, math.inf), "finite"),
        ((2, -3, 1), "the sum 0, which a squared length may be"),
    ],
    "15.d": [
        ("CDF", "name the kernels"),
        ("ABCE", "C should not be there"),
        ("ABDE", "determinant"),
        ("ABEF", "no length"),
        ("AB", "two factors"),
        ("AE", "cosines and sines"),
        ("BE", "sum and product"),
        ("ABG", "letter"),
    ],
    "15.e": [
        (lambda x, beta, n: bump_features(x, beta, 3), "n = 3"),
        (lambda x, beta, n: bump_features(x, 1.0, n), "beta = 1"),
        (lambda x, beta, n: bump_features(x, beta, n + 1), "4 entries; 3 are wanted"),
        (lambda x, beta, n: None, "return"),
    ],
    "15.f": [("lul", "number"), (14, "is not")],
    "15.g": [
        (lambda K, t: [1, 1, 0], "whatever it is given"),
    ],
    "15.h": [((1.75, 2.25, 8.5), "λ is missing"), ((1, 2), "3 answers"), ((1, 2, 14), "twice")],
    "15.i": [((90_000, 31_500), "another order"), ((31_500, 94_500), "is not"), (31_500, "2 answers")],
    "15.1": [(_in_place, "in place"), (lambda K: normalised(K)[0], "shape")],
    "15.2": [
        (lambda s, u, p: shared_pieces(s, u, 2), "p = 2"),
        (lambda s, u, p: s, "number|text"),
    ],
    "15.3": [
        (lambda K, k_x, k_xx: k_xx - np.sum(k_x) + np.sum(K) / 4, "squared distance is"),
        (lambda K, k_x, k_xx: distance_to_mean(K, k_x, 10.0), "k_xx = 10"),
    ],
    "15.4": [
        (lambda K, t, lam: leave_one_out(K, t, 1.0), "lam = 1"),
        (lambda K, t, lam: leave_one_out(K, t[::-1], lam), "residual"),
    ],
}

RIGHT = {
    "15.a": [[1, 3 * R3, 9 * R3, 27], np.float32([1, 3 * R3, 9 * R3, 27]), (1, 5.2, 15.59, 27)],
    "15.b": [[4, 0.6], (np.float32(4), np.array([0.6]))],
    "15.c": [[-1, 0, 1], np.array([2.0, -1, -3]), (0, 1, -1), np.float32([1, -5, 0])],
    "15.d": [{"A", "B", "E"}, ["a", "b", "e"], "E, B, A", ("B", "a", "E")],
    "15.e": [_loop_features, lambda x, beta, n: np.float32(bump_features(x, beta, n))],
    "15.f": [12, np.float32(12), [12], np.array([12.0])],
    "15.g": [_pass_as_loop, lambda K, t: tuple(one_pass(K, t))],
    "15.h": [[1, 2, 7], np.array([1.0, 2, 7])],
    "15.i": [[31_500, 90_000], np.array([31_500.0, 90_000])],
    "15.1": [lambda K: [[K[i, j] / math.sqrt(K[i, i] * K[j, j]) for j in range(len(K))] for i in range(len(K))]],
    "15.2": [_pairs_of_places, lambda s, u, p: np.array([float(_pairs_of_places(s, u, p))])],
    "15.3": [lambda K, k, kxx: np.array([kxx + sum(sum(K)) / len(K) ** 2 - 2 * sum(k) / len(k)])],
    "15.4": [_refit],
}

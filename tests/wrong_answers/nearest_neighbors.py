"""Typical wrong answers to the tasks of chapter 14, each with words that the check must say, and right ones in form."""

import re

import numpy as np

from mlteach.exercises.nearest_neighbors import (
    FOLD_SLIPS,
    LINE_SLIPS,
    LOO_SLIPS,
    SCALING_SLIPS,
    VOTE_SLIPS,
    fold_errors,
    local_line,
    loo_error,
    scale_inside,
    vote,
)
from mlteach.nearest_neighbors import KNNClassifier


def _scaled_in_place(train, test):
    test -= train.mean(axis=0)
    test /= train.std(axis=0, ddof=1)
    return test


def _printed(train, test):
    print((test - train.mean(axis=0)) / train.std(axis=0, ddof=1))


def _shifts_in_place(X, t, query, K):
    X -= query
    return vote(X, t, 0 * query, K)


def _sorts_in_place(X, t, K):
    t.sort()
    return loo_error(X, t, K)


def _bincount(X, t, query, K):
    rows = np.argsort(np.sum((X - query) ** 2, axis=1), kind="stable")[:K]
    return int(np.bincount(t[rows]).argmax())


def _dropped(*args):
    fold_errors(*args)


def _sqrt_both(x, t, query, tau):
    root = np.sqrt(np.exp(-((x - query) ** 2) / (2 * tau**2)))
    A = root[:, None] * np.column_stack([x, np.ones(len(x))])
    return np.linalg.lstsq(A, root * t, rcond=None)[0]


def _normal(x, t, query, tau):
    q = np.exp(-((x - query) ** 2) / (2 * tau**2))
    A = np.column_stack([x, np.ones(len(x))])
    return list(np.linalg.solve(A.T @ (q[:, None] * A), A.T @ (q * t)))


def _twice(x, t, query, tau):
    q = np.exp(-((x - query) ** 2) / (2 * tau**2))
    A = q[:, None] * np.column_stack([x, np.ones(len(x))])
    return np.linalg.lstsq(A, q * t, rcond=None)[0]


def _ranked(X, t, query, K):
    far = [float(np.linalg.norm(x - query)) for x in X]
    rows = sorted(range(len(X)), key=lambda n: (round(far[n], 9), n))[:K]
    votes = {}
    for n in rows:
        votes[int(t[n])] = votes.get(int(t[n]), 0) + 1
    return min(votes, key=lambda c: (-votes[c], c))


def _refitted(X, t, K):
    misses = [
        _ranked(np.delete(X, n, axis=0), np.delete(t, n), X[n], min(K, len(X) - 1)) != t[n] for n in range(len(X))
    ]
    return np.float32(np.mean(misses))


def _by_hand(X, t, K, fold):
    errors = []
    for number in sorted(set(fold.tolist())):
        train, test = np.flatnonzero(fold != number), np.flatnonzero(fold == number)
        m, s = X[train].mean(axis=0), X[train].std(axis=0, ddof=1)
        said = [_ranked((X[train] - m) / s, t[train], (X[n] - m) / s, K) for n in test]
        errors.append(np.mean(np.array(said) != t[test]))
    return np.array(errors)


def _weighted(exponents):
    q = np.exp(-np.array(exponents))
    return round(float(q @ [2, 6, 1] / q.sum()), 4)


def _named(slips):
    """Every slip that a check knows, with the words that it must say."""
    return [(wrong, re.escape(words)) for wrong, words in slips]


_MEAN = _weighted([1 / 4.5, 0, 4 / 4.5])

WRONG = {
    "14.a": [
        ((1 / 3, 0.6), "shares of class 0"),
        ((2, 2), "divide each by its K"),
        ((0.333, 0.333), "divide by K"),
        ((0.4, 0.667), "exchanged"),
        ((0.33, 0.4), r"\(0, 0\) in place of"),
        ((0.667, 0.6), "share of class 0"),
        ((0.667, 0.5), "nearest five"),
        ((1.0, 0.4), r"missed \(2, 1\)"),
        ((1, 0), "names the class"),
        ((66.67, 40), "per cent"),
        ((67, 40), "per cent"),
        ((0.67, 0.33), "five points vote"),
        ((0.5, 0.5), "all six"),
        ((0.67, 0.2), "two of the five"),
        ((0.66, 0.4), "last one rounded"),
    ],
    "14.b": [
        (2.5, "leans"),
        (3.5, "Manhattan"),
        (20 / 6, r"left out \|a\|²"),
        (19 / 3, "factor 2"),
        (19 / 8, r"b - a = \(3, 2\)"),
        (1.9, "x2 = 0"),
        (16 / 6, r"4² \+ 2²"),
        (17 / 6, r"16 \+ 4"),
        (2.803, "half of the distance"),
        (3.16, "last one rounded"),
        ("19/6 or so", "should be a number"),
    ],
    "14.c": [
        ((0.0401, 0.0232), "noise of its own"),
        ((0.09, 0.165), "its square"),
        ((0.0801, 0.0932), "quarter of 0.04"),
        ((0.0801, 0.0725), "gap of the mean"),
        ((0.08, 0.05), "squared bias is missing"),
        ((0.0801, 0.05), "then took f"),
        ((0.0632, 0.0801), "exchanged"),
        ((0.0001, 0.0132), "alone"),
        ((0.0801, 0.2616), "divide the sum of f by four"),
        ((0.0801, 0.1125), "not the farthest"),
        ((0.0801, 0.0732), "root of K"),
        ((0.0401, 0.0532), "variance is missing"),
        ((0.09, 0.0525), "places for the targets"),
        ((0.0801, 0.0525), "places for the targets"),
        ((0.0401, 0.0632), "K = 1 a term is missing"),
    ],
    "14.d": [
        ((0.25, 0.375), "at each place"),
        ((0.25, 0.5), "is the bound"),
        ((0.35, 0.33), "averaged η"),
        ((0.25, 0.165), "two ways"),
        ((0.33, 0.25), "exchanged"),
        ((0.5, 0.66), "not sums"),
        ((0.75, 0.67), "to be right"),
        ((0.25, 0.67), "agree"),
        ((0.25, 0.25), "a draw, too"),
        ((0.25, 0.455), "mean of η into"),
        ((0.25, 0.18), "average over both"),
        ((0.25, 0.48), "average over both"),
        ((0.4, 0.48), "average over both"),
    ],
    "14.e": [
        *_named(SCALING_SLIPS),
        (_scaled_in_place, "in place"),
        (_printed, "without returning"),
        (lambda train, test: scale_inside(test, train), "exchanged"),
        (lambda train, test: scale_inside(np.array([[1.0, 10.0], [2.0, 40.0], [6.0, 70.0]]), test), "stops|shape"),
    ],
    "14.f": [
        (2, "plain squared distance"),
        (4, "three kernel values"),
        (31, "factor 2"),
        (58, "subtracted"),
        (40, "missing"),
        (18, r"\+ 1 inside"),
        (4.690, "its square"),
        (34, r"k\(x, x'\)"),
        (9, "alone"),
    ],
    "14.g": [
        (0.05**20, "20th root"),
        (0.0025, "divided by 20"),
        (0.05, "share itself"),
        (0.9974, "holds 95 %"),
        (0.794, "holds 1 %"),
        (0.741, "ten dimensions"),
        (0.2236, "two dimensions"),
        (1.0838, "share 0.05"),
        (0.1391, "what is left"),
        (86.1, "per cent"),
        (0.9659, "holds 50 %"),
    ],
    "14.h": [
        (_weighted([1 / 2, 0, 4 / 2]), "τ = 1;"),
        (_weighted([1 / 2.25, 0, 4 / 2.25]), "2τ² = 4.5"),
        (_weighted([1 / 3, 0, 4 / 3]), "divided by 2τ;"),
        (_weighted([1 / 4.5, 0, 2 / 4.5]), "squared in the exponent"),
        (_weighted([0, 1 / 4.5, 9 / 4.5]), "query is 1"),
        (_weighted([-1 / 4.5, 0, -4 / 4.5]), "minus in the exponent"),
        (3.0, "plain mean"),
        (8.0126, "sum of the weights"),
        (2.6709, "not by the number"),
        (6.0, "nearest target"),
        (1.6608, "with the weight 1"),
        (_weighted([1 / 9, 0, 4 / 9]), "only τ is squared"),
        (_weighted([1 / 1.5, 0, 4 / 1.5]), "divided by τ;"),
        (_weighted([1, 0, 4]), "bandwidth is missing"),
    ],
    "14.1": [
        *_named(VOTE_SLIPS),
        (_shifts_in_place, "in place"),
        (_bincount, "stops with ValueError"),
        (lambda X, t, query, K: vote(X, t, query, 1), "one neighbour"),
        (lambda X, t, query, K: vote(X, t, np.array([5.0, 5.0]), K), "do not fit together"),
        (lambda X, t, query, K: None, "without returning"),
    ],
    "14.2": [
        *_named(LOO_SLIPS),
        (_sorts_in_place, "in place"),
        (lambda X, t, K: loo_error(X, t, 1), "one neighbour"),
        (lambda X, t, K: None, "without returning"),
        (lambda X, t, K: 0.2, "whatever it is given"),
    ],
    "14.3": [
        *_named(LINE_SLIPS),
        (_twice, "weighted twice"),
        (lambda x, t, query, tau: local_line(x, t, query, 0.5), "tau"),
        (lambda x, t, query, tau: local_line(x, t, 0.9, tau), "query"),
        (lambda x, t, query, tau: local_line(t, x, query, tau), "exchanged"),
        (lambda x, t, query, tau: local_line(x, t, tau, query), "exchanged"),
    ],
    "14.4": [
        *_named(FOLD_SLIPS),
        (_dropped, "without returning"),
        (lambda X, t, K, fold: fold_errors(X, t, 3, fold), "You use K = 3"),
    ],
}


RIGHT = {
    "14.a": [(0.67, 0.40), [2 / 3, 0.4], np.array([0.6667, 0.4]), (np.float32(0.6667), np.array([0.4]))],
    "14.b": [3.17, 19 / 6, np.array([3.167]), np.float32(3.1667)],
    "14.c": [(0.0801, 0.0632), [0.0801, 0.063225], np.array([0.0801, 0.06323])],
    "14.d": [(0.25, 0.33), [1 / 4, 0.33], np.array([0.25, 0.33])],
    "14.e": [
        lambda train, test: ((test - np.mean(train, 0)) / np.std(train, 0, ddof=1)).tolist(),
        lambda train, test: scale_inside(train, test).astype(np.float32),
        lambda train, test: scale_inside(train, test).round(6),
        lambda a, b: (b - a.mean(axis=0)) / np.sqrt(np.sum((a - a.mean(axis=0)) ** 2, axis=0) / (len(a) - 1)),
    ],
    "14.f": [22, 22.0, np.array([22]), np.float32(22)],
    "14.g": [0.861, 0.8609, 0.05**0.05, np.array(0.86089)],
    "14.h": [3.622, 3.623, _MEAN, np.array([3.6225]), np.float32(3.6225)],
    "14.1": [
        _ranked,
        lambda X, t, query, K: KNNClassifier(K).fit(X, t).predict([query]),
        lambda X, t, query, K: np.array([vote(X, t, query, K)]),
        lambda X, t, q, K: float(vote(X, t, q, K)),
    ],
    "14.2": [_refitted, lambda X, t, K: np.array([loo_error(X, t, K)]), lambda X, t, K: round(loo_error(X, t, K), 4)],
    "14.3": [_normal, _sqrt_both, lambda x, t, query, tau: np.array(local_line(x, t, query, tau), dtype=np.float32)],
    "14.4": [_by_hand, lambda *args: tuple(fold_errors(*args)), lambda *args: np.round(fold_errors(*args), 4)],
}

"""Answers to the tasks of chapter 14 that no table lists: wrong ones with words that the check must say, right ones."""

import numpy as np

from mlteach.exercises.nearest_neighbors import GAPS, fold_errors, local_line, loo_error, scale_inside, smooth, vote
from mlteach.nearest_neighbors import KNNClassifier


def _scaled_in_place(train, test):
    test -= train.mean(axis=0)
    test /= train.std(axis=0, ddof=1)
    return test


def _shifts_in_place(X, t, query, K):
    X -= query
    return vote(X, t, 0 * query, K)


def _bincount(X, t, query, K):
    rows = np.argsort(np.sum((X - query) ** 2, axis=1), kind="stable")[:K]
    return int(np.bincount(t[rows]).argmax())


def _normal(x, t, query, tau):
    q = np.exp(-((x - query) ** 2) / (2 * tau**2))
    A = np.column_stack([x, np.ones(len(x))])
    return list(np.linalg.solve(A.T @ (q[:, None] * A), A.T @ (q * t)))


def _rows_times(power):
    def line(x, t, query, tau):
        q = np.exp(-((x - query) ** 2) / (2 * tau**2)) ** power
        A = q[:, None] * np.column_stack([x, np.ones(len(x))])
        return np.linalg.lstsq(A, q * t, rcond=None)[0]

    return line


def _ranked(X, t, query, K):
    far = [float(np.linalg.norm(x - query)) for x in X]
    rows = sorted(range(len(X)), key=lambda n: (round(far[n], 9), n))[:K]
    labels = [int(t[n]) for n in rows]
    return min(labels, key=lambda c: (-labels.count(c), c))


def _refitted(X, t, K):
    said = [_ranked(np.delete(X, n, axis=0), np.delete(t, n), X[n], min(K, len(X) - 1)) for n in range(len(X))]
    return np.float32(np.mean(said != t))


def _by_hand(X, t, K, fold):
    errors = []
    for number in sorted(set(fold.tolist())):
        train, test = np.flatnonzero(fold != number), np.flatnonzero(fold == number)
        m, s = X[train].mean(axis=0), X[train].std(axis=0, ddof=1)
        said = [_ranked((X[train] - m) / s, t[train], (X[n] - m) / s, K) for n in test]
        errors.append(np.mean(np.array(said) != t[test]))
    return np.array(errors)


WRONG = {
    "14.a": [((0.4, 0.667), "another order"), ((67, 40), "per cent"), ((0.66, 0.4), "last one rounded")],
    "14.b": [(3.16, "last one rounded"), ("19/6 or so", "should be a number")],
    "14.c": [((0.0632, 0.0801), "another order"), ((0.0401, 0.0632), "K = 1 a term is missing")],
    "14.d": [((0.33, 0.25), "another order"), ((0.75, 0.67), "to be right"), ((0.4, 0.48), "average over both")],
    "14.e": [
        (_scaled_in_place, "in place"),
        (lambda train, test: print(scale_inside(train, test)), "without returning"),
        (lambda train, test: scale_inside(np.array([[1.0, 10.0], [2.0, 40.0], [6.0, 70.0]]), test), "stops|shape"),
    ],
    "14.f": [(0, "is not"), (-22, "wrong sign")],
    "14.g": [(86.1, "per cent"), (0.86, "rounded")],
    "14.h": [(3.6, "rounded"), (smooth(GAPS**2 / 4.5) + 1, "is not")],
    "14.1": [
        (_shifts_in_place, "in place"),
        (_bincount, "stops with ValueError"),
        (lambda X, t, query, K: vote(X, t, np.array([5.0, 5.0]), K), "do not fit together"),
        (lambda X, t, query, K: None, "without returning"),
    ],
    "14.2": [
        (lambda X, t, K: t.sort() or loo_error(X, t, K), "in place"),
        (lambda X, t, K: None, "without returning"),
        (lambda X, t, K: 0.2, "whatever it is given"),
    ],
    "14.3": [
        (lambda x, t, query, tau: local_line(x, t, query, 0.5), "tau"),
        (lambda x, t, query, tau: local_line(x, t, 0.9, tau), "query"),
        (lambda x, t, query, tau: local_line(t, x, query, tau), "exchanged"),
        (lambda x, t, query, tau: local_line(x, t, tau, query), "exchanged"),
    ],
    "14.4": [
        (lambda *args: print(fold_errors(*args)), "without returning"),
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
    "14.h": [3.622, 3.623, np.array([3.6225]), np.float32(3.6225)],
    "14.1": [
        _ranked,
        lambda X, t, query, K: KNNClassifier(K).fit(X, t).predict([query]),
        lambda X, t, query, K: np.array([vote(X, t, query, K)]),
        lambda X, t, q, K: float(vote(X, t, q, K)),
    ],
    "14.2": [_refitted, lambda X, t, K: np.array([loo_error(X, t, K)]), lambda X, t, K: round(loo_error(X, t, K), 4)],
    "14.3": [_normal, _rows_times(0.5), lambda *args: np.array(local_line(*args), dtype=np.float32)],
    "14.4": [_by_hand, lambda *args: tuple(fold_errors(*args)), lambda *args: np.round(fold_errors(*args), 4)],
}

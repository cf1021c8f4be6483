"""Chapter 21: wrong answers that no table holds, with words that the check must say, and right ones of another form."""

from fractions import Fraction

import numpy as np

from mlteach.exercises import clustering as right

SHARE, BORDER = right.SHARE, right.BORDER
BOUND, GAP = right.BOUND, np.log(0.1) - right.BOUND


def _loop_round(X, centers):
    labels = [min(range(len(centers)), key=lambda k: sum((x - centers[k]) ** 2)) for x in X]
    moved = []
    for k, center in enumerate(centers):
        mine = [x for x, label in zip(X, labels) if label == k]
        moved.append(sum(mine) / len(mine) if mine else center)
    return labels, moved


def _spoils_centers(X, centers):
    labels, moved = right.kmeans_round(X, centers)
    centers[:] = moved
    return labels, centers


def _centers_choose(X, centers):
    labels = ((X[:, None] - centers) ** 2).sum(axis=2).argmin(axis=0)
    return labels, np.array([X[labels == k].mean(axis=0) for k in range(len(centers))])


def _densities(x, w, m, v):
    return w * np.exp(-((x[:, None] - m) ** 2) / (2 * v)) / np.sqrt(2 * np.pi * v)


def _naive_e(*a):
    p = _densities(*a)
    return p / p.sum(axis=1, keepdims=True), np.log(p.sum(axis=1)).sum()


def _log_joint(x, w, m, v):
    return np.log(w) - 0.5 * np.log(2 * np.pi * v) - (x[:, None] - m) ** 2 / (2 * v)


def _shifted_e(shift):
    def e_step(*a):
        L = _log_joint(*a)
        top = shift(L)
        p = np.exp(L - top)
        return p / p.sum(axis=1, keepdims=True), (np.log(p.sum(axis=1, keepdims=True)) + top).sum()

    return e_step


def _by_logaddexp(*a):
    p = np.logaddexp.reduce(_log_joint(*a), axis=1)
    return np.exp(_log_joint(*a) - p[:, None]).tolist(), float(p.sum())


def _loop_m(x, r):
    out = []
    for k in range(r.shape[1]):
        N = sum(r[:, k])
        mean = sum(r[:, k] * x) / N
        out.append((N / len(x), mean, sum(r[:, k] * x**2) / N - mean**2))
    return tuple(zip(*out))


def _two_mistakes(x, r):
    N = r.sum(axis=0)
    return N / len(x), r.T @ x / len(x), (r * x[:, None] ** 2).sum(axis=0)


WRONG = {
    "21.a": [((10, 256), "median"), ((189.667, 14.667), "another order"), ((14.667, 18967), "J is not")],
    "21.b": [((2, 9), "median.*rounded"), ((28 / 3, 7 / 3), "started at 1"), ((2, 28 / 3), "median")],
    "21.c": [((89, 90), "per cent"), ((0.9, 0.89), "another order"), ((0.6, 0.9), "chance of 10")],
    "21.d": [((93.2, BORDER), "per cent"), ((BORDER, SHARE), "another order"), ((SHARE, 2 - np.log(2) / 4), "½")],
    "21.e": [((GAP, BOUND), "another order")],
    "21.f": [((0.6, 14.11, 0.99), "component 2"), ((0.4, 20, 3), "another order")],
    "21.g": [((0.865, 0.235), "squared"), ((0.425, 0.425), "mean of the two"), ((0.25, 0.6), "another order")],
    "21.1": [
        (_spoils_centers, "changes its argument centers"), (_centers_choose, "runs over the points"),
        (lambda X, centers: ([[1], [2, 3]], [[1, 2], [3]]), "labels"),
        (lambda X, centers: right.kmeans_round(X, centers[:1]), "labels|centres"),
    ],
    "21.2": [
        (_naive_e, "underflow"),
        (_shifted_e(lambda L: L.max()), "each row"),
        (_shifted_e(lambda L: L[:, -1:]), "one component"),
        (_shifted_e(lambda L: L[:, :1]), "one component"),
        (lambda *a: right.e_step(*a)[0], "should be 2 things"),
    ],
    "21.3": [(_two_mistakes, "Divide the means by N, not by n")],
        "21.5": [
        (lambda l, k, d, n: right.mixture_bic(l, k, d, n) + 1, "the BIC"),
        (lambda l, k, d, n: right.mixture_bic(l, k, 2, n), "You use d = 2"),
        (lambda l, k, d, n: right.mixture_bic(l, d, k, n), "k and d are exchanged"),
    ],
}  # fmt: skip

RIGHT = {
    "21.a": [(14.67, 189.67), [44 / 3, 569 / 3], (Fraction(44, 3), Fraction(569, 3)), np.array([14.67, 189.7])],
    "21.b": [[2.33, 9.33], np.array([7 / 3, 28 / 3], dtype=np.float32), (Fraction(7, 3), Fraction(28, 3))],
    "21.c": [(0.89, 0.9), [Fraction(81, 91), Fraction(9, 10)], np.array([81 / 91, 0.9])],
    "21.d": [(0.932, 1.653), [SHARE, BORDER], np.array([SHARE, BORDER], dtype=np.float32)],
    "21.e": [(-2.323, 0.0204), [BOUND, GAP], np.array([BOUND, GAP])],
    "21.f": [(0.4, 3, 20), [Fraction(2, 5), Fraction(3), Fraction(20)], np.array([0.4, 3.0, 20.0], dtype=np.float32)],
    "21.g": [(0.6, 0.25), [Fraction(3, 5), Fraction(1, 4)], np.array([0.6, 0.25], dtype=np.float32)],
    "21.1": [_loop_round, lambda X, centers: list(right.kmeans_round(X, centers))],
    "21.2": [_by_logaddexp],
    "21.3": [_loop_m, lambda x, r: [part.tolist() for part in right.m_step(x, r)]],
    "21.4": [lambda D, labels: right.silhouettes(D, labels).tolist()],
    "21.5": [lambda l, k, d, n: np.array([right.mixture_bic(l, k, d, n)])],
}

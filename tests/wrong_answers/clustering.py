"""Typical wrong answers to the exercises of chapter 21, each with words that the check must say."""

from fractions import Fraction

import numpy as np

from mlteach.exercises import clustering as right

E4 = np.exp(4)
SHARE, BORDER = 0.2 * E4 / (0.2 * E4 + 0.8), 2 - np.log(4) / 4
BOUND = 0.5 * np.log(0.12) + 0.5 * np.log(0.08)
GAP = np.log(0.1) - BOUND


def _loop_round(X, centers):
    labels = [min(range(len(centers)), key=lambda k: sum((x - centers[k]) ** 2)) for x in X]
    moved = []
    for k, center in enumerate(centers):
        mine = [x for x, label in zip(X, labels) if label == k]
        moved.append(sum(mine) / len(mine) if mine else center)
    return labels, moved


def _nan_round(X, centers):
    labels = right.kmeans_round(X, centers)[0]
    return labels, np.array([X[labels == k].mean(axis=0) for k in range(len(centers))])


def _spoils_centers(X, centers):
    labels, moved = right.kmeans_round(X, centers)
    centers[:] = moved
    return labels, centers


def _naive_e(x, w, m, v):
    p = w * np.exp(-((x[:, None] - m) ** 2) / (2 * v)) / np.sqrt(2 * np.pi * v)
    return p / p.sum(axis=1, keepdims=True), np.log(p.sum(axis=1)).sum()


def _by_logaddexp(x, w, m, v):
    L = np.log(w) - 0.5 * np.log(2 * np.pi * v) - (x[:, None] - m) ** 2 / (2 * v)
    p = np.logaddexp.reduce(L, axis=1)
    return np.exp(L - p[:, None]).tolist(), float(p.sum())


def _loop_m(x, r):
    out = []
    for k in range(r.shape[1]):
        N = sum(r[:, k])
        mean = sum(r[:, k] * x) / N
        out.append((N / len(x), mean, sum(r[:, k] * x**2) / N - mean**2))
    return tuple(zip(*out))


def _lonely_nan(D, labels):
    out = right.silhouettes(D, labels)
    for i in range(len(D)):
        if (labels == labels[i]).sum() == 1:
            out[i] = np.nan
    return out


def _labels_from_zero(D, labels):
    out = np.zeros(len(D))
    for i in range(len(D)):
        own = labels == labels[i]
        if own.sum() > 1:
            a = D[i, own].sum() / (own.sum() - 1)
            b = min(D[i, labels == k].mean() for k in range(labels.max() + 1) if k != labels[i])
            out[i] = (b - a) / max(a, b)
    return out


def _one_maximum(*a):
    L = right._log_joint(*a)
    p = np.exp(L - L.max())
    return p / p.sum(axis=1, keepdims=True), (np.log(p.sum(axis=1)) + L.max()).sum()


def _by_columns(*a):
    L = right._log_joint(*a)
    return np.exp(L - np.logaddexp.reduce(L, axis=0)), right.e_step(*a)[1]


WRONG = {
    "21.a": [
        ((10.0, 256.0), "median"),
        ((3.5, 189.667), "first group"),
        ((44.0, 189.667), "sum of the group"),
        ((58 / 7, 189.667), "all seven"),
        ((14.667, 29.0), "Add that of the second"),
        ((14.667, 160.667), "Add that of the first"),
        ((14.667, 29.667), "distances"),
        ((14.667, 27.095), "number of points"),
        ((14.667, 196.0), "8 belongs to the first group"),
        ((14.667, 256.0), "median"),
    ],
    "21.b": [
        ((1.0, 6.8), "after one round"),
        ((1.5, 8.0), "after two rounds"),
        ((3.0, 11.5), "at the end"),
        ((7 / 3, 8.0), "Both centres move"),
        ((28 / 3, 7 / 3), "started at 1"),
        ((2.0, 11.0), "median"),
        ((2.0, 28 / 3), "median"),
        ((7 / 3, 11.5), "one more round"),
    ],
    "21.c": [
        ((9 / 13, 0.9), "Square the distances"),
        ((81.0, 0.9), "Divide by the sum"),
        ((1 / 3, 0.9), "equal chances"),
        ((100 / 117, 0.9), "not from 0"),
        ((81 / 91, 0.75), "Square the distances"),
        ((81 / 91, 9 / 91), "centre now"),
        ((81 / 91, 9 / 46), "nearest centre"),
        ((81 / 91, 0.1), "point 0"),
        ((81 / 91, 0.9 * 81 / 91), "both draws"),
        ((89.0, 90.0), "per cent"),
        ((81 / 82, 0.9), "point 4"),
        ((0.6, 0.9), "chance of 10"),
    ],
    "21.d": [
        ((E4 / (E4 + 1), BORDER), "weights are missing"),
        ((1 - SHARE, BORDER), "second component"),
        ((0.8 * E4 / (0.8 * E4 + 0.2), BORDER), "exchanged"),
        ((0.25 * E4, BORDER), "ratio"),
        ((0.2, BORDER), "before x was seen"),
        ((93.2, BORDER), "per cent"),
        ((SHARE, 2.0), "moves towards the rarer"),
        ((SHARE, 2 + np.log(4) / 4), "other way"),
        ((SHARE, 2 - np.log(4)), "distance of the means"),
        ((SHARE, 2 - np.log(2) / 4), "ratio of the weights"),
    ],
    "21.e": [
        ((0.5 * np.log(0.06) + 0.5 * np.log(0.04), GAP), "under the fraction"),
        ((np.log(0.1), GAP), "stays below"),
        ((2 * BOUND, GAP), "weight q"),
        ((-2.52887, GAP), r"q = \(0.9, 0.1\)"),
        ((-BOUND, GAP), "sign"),
        ((BOUND, -GAP), "never negative"),
        ((BOUND, 0.6 * np.log(1.2) + 0.4 * np.log(0.8)), "KL"),
        ((BOUND, GAP / np.log(2)), "bits"),
        ((BOUND, 0.0), "only if q"),
    ],
    "21.f": [
        ((1.2, 3.0, 20.0), "That is N"),
        ((0.6, 3.0, 20.0), "n = 3"),
        ((0.5, 3.0, 20.0), "need not be equal"),
        ((0.4, 1.2, 20.0), "not by n"),
        ((0.4, 7.0, 20.0), "counts 0.2"),
        ((0.4, 29 / 3, 20.0), "all points"),
        ((0.4, 3.0, 20**0.5), "standard deviation"),
        ((0.4, 3.0, 10 / 3), "Square the distances"),
        ((0.4, 3.0, 24.0), "Divide by N"),
        ((0.4, 3.0, 29.0), "subtract its square"),
        ((0.4, 3.0, 8.0), "divide by n"),
        ((0.4, 3.0, 20 / 3), "not squared"),
        ((0.4, 3.0, 52.0), "counts 0.2"),
        ((0.4, 3.0, 64.44), "new mean"),
        ((0.4, 3.0, 38.22), "all three"),
        ((0.4, 3.0, 82.67), "counts 0"),
    ],
    "21.g": [
        ((0.8, 0.25), "itself does not count, nor does a centre"),
        ((3.0, 0.25), "b - a"),
        ((-0.6, 0.25), "not a - b"),
        ((1 / 3, 0.25), "not to the nearest"),
        ((3 / 7, 0.25), "not by their sum"),
        ((0.6, 0.5), "itself, and not to a centre"),
        ((0.6, 2 / 3), "not to the nearest"),
        ((0.6, 1 / 3), "divided by a"),
        ((0.6, -0.25), "not a - b"),
    ],
    "21.1": [
        (right._round(lambda X, c: ((X[:, None] - c) ** 2).sum(axis=2).argmax(axis=1)), "farthest"),
        (right._round(move=lambda A: np.median(A, axis=0)), "median"),
        (_nan_round, "stay where it was"),
        (right._round(keep=False), "moves to 0"),
        (right._relabelled, "new centres"),
        (right._sent_away, "stays; the package"),
        (right._round(lambda X, c: np.abs(X[:, None, 0] - c[:, 0]).argmin(axis=1)), "first feature only"),
        (right._round(lambda X, c: np.abs(X[:, None] - c).max(axis=2).argmin(axis=1)), "largest difference"),
        (lambda X, centers: ([[1], [2, 3]], [[1, 2], [3]]), "labels"),
        (right._at_the_end, "One round"),
        (right._round(steps=2), "two rounds"),
        (lambda X, centers: right.kmeans_round(X, centers)[::-1], "labels come first"),
        (lambda X, centers: (right.kmeans_round(X, centers)[0], centers), "not moved"),
        (_spoils_centers, "changes"),
        (lambda X, centers: right.kmeans_round(X, centers[:1]), "labels|centres"),
    ],
    "21.2": [
        (_naive_e, "underflow"),
        (right._e(weights=False), "weights are missing"),
        (right._e(lambda a, v: -0.5 * np.log(2 * np.pi * v**2) - a**2 / (2 * v**2)), "already"),
        (right._e(lambda a, v: -(a**2) / (2 * v)), "differs between components"),
        (right._e(lambda a, v: -0.5 * np.log(v) - a**2 / (2 * v)), "2π"),
        (right._e(total=lambda p, L: p.mean()), "mean log-likelihood"),
        (right._e(total=lambda p, L: L.sum()), "sum of the logarithms"),
        (lambda *a: (right.e_step(*a)[0].T, right.e_step(*a)[1]), "transpose"),
        (_one_maximum, "each row"),
        (lambda *a: (np.exp(right._log_joint(*a)), right.e_step(*a)[1]), "joint densities"),
        (_by_columns, "columns sum to 1"),
        (lambda *a: (right.e_step(*a)[0], (right.e_step(*a)[0] * right._log_joint(*a)).sum()), "entropies"),
        (lambda *a: right.e_step(*a)[0], "log-likelihood|two|2"),
    ],
    "21.3": [
        (right._m(weights=lambda x, r, N: N), "sum to 1"),
        (right._m(weights=lambda x, r, N: np.full(len(N), 1 / len(N))), "all equal"),
        (right._m(means=lambda x, r, N: r.T @ x / len(x)), "by N, not by n"),
        (right._m(means=lambda x, r, N: np.full(len(N), x.mean())), "ignore the shares"),
        (right._m(variances=lambda x, r, N, m: (r * (x[:, None] - m) ** 2).sum(axis=0) / len(x)), "by N, not by n"),
        (right._m(variances=lambda x, r, N, m: ((x[:, None] - m) ** 2).mean(axis=0)), "Weigh the squares"),
        (right._m(variances=lambda x, r, N, m: r.T @ x**2 / N), "square of the mean"),
        (right._m(variances=lambda x, r, N, m: np.sqrt((r * (x[:, None] - m) ** 2).sum(axis=0) / N)), "standard dev"),
        (lambda x, r: right.m_step(x, r)[::-1], "order"),
    ],
    "21.4": [
        (right._s(own_self=True), "itself"),
        (right._s(b=lambda o: min(map(np.min, o))), "nearest point"),
        (right._s(b=lambda o: max(map(np.mean, o))), "least mean"),
        (right._s(b=lambda o: np.concatenate(o).mean()), "all others together"),
        (right._s(last=lambda a, b: (a - b) / max(a, b)), "b - a"),
        (right._s(last=lambda a, b: (b - a) / b), "larger"),
        (right._s(alone=None), "alone"),
        (_lonely_nan, "alone"),
        (_labels_from_zero, "need not be 0, 1, 2"),
        (right._no_zeros, "Two points may be equal"),
        (lambda D, labels: right.silhouettes(D**2, labels), "not square"),
        (lambda D, labels: np.maximum(right.silhouettes(D, labels), 0), "negative"),
        (lambda D, labels: right.silhouettes(D, labels).mean(), "each point"),
    ],
    "21.5": [
        (lambda l, k, d, n: right.mixture_bic(l, k, d, n) + np.log(n), "K - 1"),
        (lambda l, k, d, n: -2 * l + (k - 1 + k * d + k * d * d) * np.log(n), "symmetric"),
        (lambda l, k, d, n: -2 * l + (k - 1 + k * d) * np.log(n), "covariances are missing"),
        (lambda l, k, d, n: -2 * l + (k - 1 + k * d + k * d * (d - 1) // 2) * np.log(n), "or the diagonals"),
        (lambda l, k, d, n: -2 * l + (k - 1 + k * d + k * d * (d + 1) // 2) * np.log2(n), "natural"),
        (lambda l, k, d, n: right.mixture_bic(l, k, d, n) / n, "The BIC|the BIC"),
        (lambda l, k, d, n: right.mixture_bic(-l, k, d, n), "-2"),
        (lambda l, k, d, n: right.mixture_bic(l / 2, k, d, n), "factor 2"),
        (lambda l, k, d, n: -2 * l + 2 * (k - 1 + k * d + k * d * (d + 1) // 2), "AIC"),
        (lambda l, k, d, n: right.mixture_bic(l, k, 2, n), "d"),
        (lambda l, k, d, n: right.mixture_bic(l, k, d, 150), "n"),
        (lambda l, k, d, n: right.mixture_bic(l, d, k, n), "exchange|order|swap"),
    ],
}

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

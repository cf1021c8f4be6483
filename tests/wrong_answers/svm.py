"""Typical wrong answers to the exercises of chapter 16, each with words that the check must say."""

import numpy as np

from mlteach.exercises import svm


def _first_order(F, alpha, t, K, C):
    up, low = np.where(t > 0, alpha < C, alpha > 0), np.where(t > 0, alpha > 0, alpha < C)
    return np.argmax(np.where(up, F, -np.inf)), np.argmin(np.where(low, F, np.inf))


def _no_up(F, alpha, t, K, C):
    return np.argmax(F), np.argmin(F)


def _no_low(F, alpha, t, K, C):
    i, _ = svm.working_set(F, alpha, t, K, C)
    return i, np.argmin(F)


def _no_labels(F, alpha, t, K, C):
    return np.argmax(np.where(alpha < C, F, -np.inf)), np.argmin(np.where(alpha > 0, F, np.inf))


def _gain_over(which):
    def pair(F, alpha, t, K, C):
        i, _ = svm.working_set(F, alpha, t, K, C)
        eta = K[i, i] + np.diag(K) - 2 * K[i]
        return i, np.argmax(np.where(which(alpha, t, C), (F[i] - F) ** 2 / np.maximum(eta, 1e-12), -1))

    return pair


def _low(alpha, t, C):
    return np.where(t > 0, alpha > 0, alpha < C)


def _wrong_way(a, b, t_i, t_j, step, C):
    i, j = svm.clip_pair(a, b, t_i, t_j, step, C)
    return 2 * a - i, j


def _both_clipped(a, b, t_i, t_j, step, C):
    return np.clip(a - t_i * t_j * step, 0, C), np.clip(b + step, 0, C)


def _j_clipped(a, b, t_i, t_j, step, C):
    new = np.clip(b + step, 0, C)
    return a + t_i * t_j * (b - new), new


def _labels_forgotten(a, b, t_i, t_j, step, C):
    low, high = max(0, a + b - C), min(C, a + b)
    new = min(max(b + step, low), high)
    return a + b - new, new


def _gap(w, b, alpha, X, t, C, half=0.5, price=True, same=False, clip=True, bias=1, labels=(1, 1)):
    slack = 1 - (t if labels[0] else 1) * (X @ w + bias * b)
    slack = np.maximum(0, slack) if clip else slack
    v = w if same else (alpha * (t if labels[1] else 1)) @ X
    return half * w @ w + (C if price else 1) * slack.sum() - alpha.sum() + 0.5 * v @ v


def _bias(which, signs=True, sign=1):
    def bias(alpha, t, K, C):
        F = t - K @ (alpha * t if signs else alpha)
        return sign * F[which(alpha, C)].mean()

    return bias


def _free(alpha, C):
    return (alpha > 1e-8 * C) & (alpha < C - 1e-8 * C)


_data, _model = svm._twelve()
_vectors = _model.support_.tolist()
_ceiling = np.flatnonzero(_model.alpha_ == 1).tolist()


def _dual(w, b, alpha, X, t, C):
    v = (alpha * t) @ X
    return alpha.sum() - 0.5 * v @ v


WRONG = {
    "16.1": [
        (lambda X, w, b: X @ w + b, "grows with the length"),
        (lambda X, w, b: (X @ w + b) / (w @ w), "square of the length"),
        (lambda X, w, b: X @ w / np.linalg.norm(w), "intercept b is missing"),
        (lambda X, w, b: abs(X @ w + b) / np.linalg.norm(w), "sign is lost"),
        (lambda X, w, b: X @ w / np.linalg.norm(w) + b, "Divide b"),
        (lambda X, w, b: (X @ w - b) / np.linalg.norm(w), "sign of b"),
    ],
    "16.2": [
        (lambda a, b, t_i, t_j, step, C: (a - step, b + step), "depends on t_i t_j|leaves the box"),
        (_labels_forgotten, "when t_i ≠ t_j"),
        (_both_clipped, "clipped both"),
        (_wrong_way, "wrong way"),
        (_j_clipped, "α_i leaves the box"),
        (lambda a, b, t_i, t_j, step, C: (a, b), "it should be"),
        (lambda a, b, t_i, t_j, step, C: svm.clip_pair(a, b, t_i, t_j, step, C)[1], "two numbers"),
    ],
    "16.3": [
        (_vectors, "all support vectors"),
        (sorted(set(_vectors) - set(_ceiling)), "are free"),
        (np.flatnonzero(_model.predict(_data.X) != _data.y), "misclassified"),
        (sorted(set(range(12)) - set(_vectors)), "α = 0"),
        (_ceiling[:-1], "missing"),
        ([99], "between 0 and 11"),
        (set(_vectors), "all support vectors"),
    ],
    "16.4": [
        ((0.08, 5), "whole street"),
        ((0.04, 2.5), "1/25"),
        ((0.4, 2.5), "its square"),
        ((0.16, 2.5), "4/25"),
        ((0.08, 0.4), "length of w"),
        (0.08, "two numbers"),
        (((0.08, 2.5),), "no pair inside"),
        ((0.08, (2.5, 5)), "no pair inside"),
        ((0.1, 2.5), "is not 0.1"),
        ((2.5, 0.08), "wrong order"),
    ],
    "16.5": [
        (_bias(lambda alpha, C: (alpha > 0) & (alpha < C)), "exactly"),
        (_bias(lambda alpha, C: (alpha > 1e-8) & (alpha < C - 1e-8)), "does not grow with C"),
        (_bias(lambda alpha, C: alpha > 1e-8 * C), "all support vectors"),
        (_bias(lambda alpha, C: alpha >= 0), "all points"),
        (_bias(lambda alpha, C: alpha < C - 1e-8 * C), "kept α = 0"),
        (_bias(lambda alpha, C: alpha >= C - 1e-8 * C), "at the ceiling"),
        (_bias(_free, signs=False), "labels are missing"),
        (_bias(_free, sign=-1), "sign"),
    ],
    "16.6": [
        (_dual, "dual value only"),
        (lambda w, b, alpha, X, t, C: svm.duality_gap(w, b, alpha, X, t, C) + alpha.sum(), "Σ α is missing"),
        (lambda *a: -svm.duality_gap(*a), "primal minus dual"),
        (lambda *a: _gap(*a, price=False), "price C"),
        (lambda *a: _gap(*a, clip=False), "never negative"),
        (lambda *a: _gap(*a, half=1), "½ is missing in the primal"),
        (lambda *a: _gap(*a, same=True), "not the w of the primal"),
        (lambda *a: _gap(*a, bias=0), "bias b is missing"),
        (lambda *a: _gap(*a, labels=(0, 1)), "labels are missing in the slacks"),
        (lambda *a: _gap(*a, labels=(1, 0)), "labels are missing in the dual"),
    ],
    "16.7": [
        (lambda F, alpha, t, K, C: svm.working_set(F, alpha, t, K, 1.0), "Use the argument C"),
        (lambda *a: svm.working_set(*a)[::-1], "exchanged: return"),
        (svm._masks_exchanged, "I_up and I_low are exchanged"),
        (_first_order, "steepest partner"),
        (_no_up, "I_up only"),
        (_no_low, "not in I_low|steepest"),
        (lambda *a: svm.working_set(*a)[0], "two indices"),
        (lambda *a: (99, 0), "from 0 to 7"),
        (_no_labels, "I_up ignores the labels"),
        (_gain_over(lambda alpha, t, C: alpha > 0), "I_low ignores the labels"),
        (_gain_over(_low), "F_j ≥ F_i"),
    ],
}

RIGHT = {
    "16.3": [
        _model.alpha_ == 1,
        (_model.alpha_ == 1).tolist(),
        set(_ceiling),
        np.array(_ceiling)[::-1],
        tuple(_ceiling),
    ],
    "16.4": [[0.08, 2.5], np.array([0.08, 2.5]), (np.array([0.08]), 2.5)],
    "16.6": [lambda *a: np.array([svm.duality_gap(*a)])],
    "16.7": [lambda *a: np.array(svm.working_set(*a)), lambda *a: [int(k) for k in svm.working_set(*a)]],
}

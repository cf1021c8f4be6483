"""Typical wrong answers to the tasks of chapter 16, each with words that the check must say, and right ones."""

import numpy as np

from mlteach.exercises import svm


def _scaled(divisor):
    return lambda X, t, w, b: (w / divisor(X, t, w, b), b / divisor(X, t, w, b))


def _first_order(F, alpha, t, K, C):
    return np.argmax(np.where(_up(alpha, t, C), F, -np.inf)), np.argmin(np.where(_low(alpha, t, C), F, np.inf))


def _no_labels(F, alpha, t, K, C):
    return np.argmax(np.where(alpha < C, F, -np.inf)), np.argmin(np.where(alpha > 0, F, np.inf))


def _no_low(F, alpha, t, K, C):
    return svm.working_set(F, alpha, t, K, C)[0], np.argmin(F)


def _gain_over(which, curvature=True):
    def pair(F, alpha, t, K, C):
        i = np.argmax(np.where(_up(alpha, t, C), F, -np.inf))
        eta = K[i, i] + np.diag(K) - 2 * K[i] if curvature else K[i, i] + np.diag(K)
        better = which(alpha, t, C) & (F < F[i])
        return i, np.argmax(np.where(better, (F[i] - F) ** 2 / np.maximum(eta, 1e-12), -1))

    return pair


def _no_square(F, alpha, t, K, C):
    i = np.argmax(np.where(_up(alpha, t, C), F, -np.inf))
    better = _low(alpha, t, C) & (F < F[i])
    return i, np.argmax(np.where(better, (F[i] - F) / np.maximum(K[i, i] + np.diag(K) - 2 * K[i], 1e-12), -1))


def _best_pair(F, alpha, t, K, C):
    pairs = [(i, j) for i in np.flatnonzero(_up(alpha, t, C)) for j in np.flatnonzero(_low(alpha, t, C)) if F[i] > F[j]]
    return max(pairs, key=lambda p: (F[p[0]] - F[p[1]]) ** 2 / (K[p[0], p[0]] + K[p[1], p[1]] - 2 * K[p]))


def _signless(F, alpha, t, K, C):
    i = np.argmax(np.where(_up(alpha, t, C), F, -np.inf))
    eta = np.maximum(K[i, i] + np.diag(K) - 2 * K[i], 1e-12)
    return i, np.argmax(np.where(_low(alpha, t, C), (F[i] - F) ** 2 / eta, -1))


def _eta_without_two(F, alpha, t, K, C):
    i = np.argmax(np.where(_up(alpha, t, C), F, -np.inf))
    better = _low(alpha, t, C) & (F < F[i])
    return i, np.argmax(np.where(better, (F[i] - F) ** 2 / np.maximum(K[i, i] + np.diag(K) - K[i], 1e-12), -np.inf))


def _index_in_subset(F, alpha, t, K, C):
    i = np.argmax(np.where(_up(alpha, t, C), F, -np.inf))
    some = np.flatnonzero(_low(alpha, t, C) & (F < F[i]))
    return i, np.argmax((F[i] - F[some]) ** 2 / (K[i, i] + K[some, some] - 2 * K[i, some]))


def _swapped_masks(F, alpha, t, K, C):
    return svm.working_set(F, C - alpha, t, K, C)


def _up(alpha, t, C):
    return np.where(t > 0, alpha < C, alpha > 0)


def _low(alpha, t, C):
    return np.where(t > 0, alpha > 0, alpha < C)


def _gap(w, b, alpha, X, t, C, half=0.5, price=True, same=False, clip=True, bias=1, labels=(1, 1), total=1, power=1):
    slack = 1 - (t if labels[0] else 1) * (X @ w + bias * b)
    slack = np.maximum(0, slack) if clip else slack
    v = w if same else (alpha * (t if labels[1] else 1)) @ X
    return half * w @ w + (C if price else 1) * (slack**power).sum() - total * alpha.sum() + 0.5 * v @ v


def _dual(w, b, alpha, X, t, C):
    v = (alpha * t) @ X
    return alpha.sum() - 0.5 * v @ v


def _bias(which, signs=True, sign=1, one=False):
    def bias(alpha, t, K, C):
        F = (1 if one else t) - K @ (alpha * t if signs else alpha)
        return sign * F[which(alpha, C)].mean()

    return bias


def _free(alpha, C):
    return (alpha > 1e-8 * C) & (alpha < C - 1e-8 * C)


def _F_free(alpha, t, K, C):
    return (t - K @ (alpha * t))[_free(alpha, C)]


def _among_free(alpha, t, K, C):
    on = _free(alpha, C)
    return np.mean(t[on] - K[np.ix_(on, on)] @ (alpha * t)[on])


_data, _model = svm._twelve()
_vectors = _model.support_.tolist()
_ceiling = np.flatnonzero(_model.alpha_ == 1).tolist()

WRONG = {
    "16.a": [
        ((1.5, 15), "exchanged"),
        ((-15, -1.5), "Multiply by the label"),
        ((15, -1.5), "label too"),
        ((15, 0.15), "length"),
        ((15, 15), "divides by the length"),
        ((20, 2), "bias is missing"),
        ((25, 2.5), "sign of b"),
        ((15, 15 / 14), "not 6 \\+ 8"),
        ((-49, -4.9), "second weight"),
        ((15, 150), "divide by it"),
        (15, "two numbers|answers|2 answers|wanted"),
        ((15, 3), "geometric margin is not 3|twice"),
    ],
    "16.b": [
        (_scaled(lambda X, t, w, b: np.linalg.norm(w)), "\\|w\\| = 1"),
        (_scaled(lambda X, t, w, b: np.max(t * (X @ w + b))), "largest"),
        (_scaled(lambda X, t, w, b: np.min(X @ w + b)), "labels are missing"),
        (_scaled(lambda X, t, w, b: np.min(t * (X @ w))), "bias is missing"),
        (_scaled(lambda X, t, w, b: np.min(t * (X @ w + b)) / np.linalg.norm(w)), "geometric"),
        (_scaled(lambda X, t, w, b: 10), "one example only"),
        (_scaled(lambda X, t, w, b: np.mean(t * (X @ w + b))), "mean functional margin"),
        (_scaled(lambda X, t, w, b: np.min(t * (X @ w - b))), "sign of b"),
        (lambda X, t, w, b: (w, b), "as they were given"),
        (lambda X, t, w, b: (svm.canonical(X, t, w, b)[0], b), "b must be divided"),
        (lambda X, t, w, b: (w * np.min(t * (X @ w + b)), b * np.min(t * (X @ w + b))), "you multiply"),
        (lambda X, t, w, b: svm.canonical(X, t, w, b)[::-1], "another order|exchange"),
        (lambda X, t, w, b: (np.array([2.0, 2]), -3.0), "whatever it is given"),
    ],
    "16.c": [
        ((9, 6), "exchanged"),
        ((3, 9), "not 3α"),
        ((12, 9), "derivative of θ_D"),
        ((-6, 9), "not negative"),
        ((8, 16), "w²"),
        ((4, 9), "best w"),
        ((6, 4), "best w"),
        ((6, 16), "That is w²"),
        ((6, 18), "missing"),
        ((2, 1), "example above"),
        ((0, 0), "not allowed"),
        ((6, 27), "subtracted"),
        ((6, 8), "dual value is not 8"),
    ],
    "16.d": [
        ((0.08, 5), "whole street"),
        ((0.04, 2.5), "1/25"),
        ((0.4, 2.5), "its square"),
        ((0.16, 2.5), "4/25"),
        ((0.08, 0.4), "length of w"),
        ((2.5, 0.08), "exchanged"),
        ((0.08, 6.25), "one over"),
        ((0.2, 2.5), "one over the distance"),
        ((2, 0.5), "four points"),
        ((-0.08, 2.5), "not negative"),
        ((0.08, 12.5), "one over α"),
        ((0.1, 2.5), "α is not 0.1"),
        (0.08, "answers"),
    ],
    "16.e": [
        (_vectors, "all support vectors"),
        (sorted(set(_vectors) - set(_ceiling)), "are free"),
        (np.flatnonzero(_model.predict(_data.X) != _data.y), "misclassified"),
        (sorted(set(range(12)) - set(_vectors)), "α = 0"),
        (_ceiling[:-1], "missing"),
        (sorted({*_ceiling} - {5}), "even beyond the street"),
        (sorted({*_ceiling} - {5, 8}), "Not all are there: a point on the wrong side"),
        (sorted({*_ceiling} - {8}), "Not all are there: a point on the wrong side"),
        ([*_ceiling, 0 if 0 not in _ceiling else 1], "should not be there"),
        ([99], "between 0 and 11"),
        (set(_vectors), "all support vectors"),
        (_model.alpha_ > 0, "all support vectors"),
    ],
    "16.f": [
        (11 / 6, "labels are missing"),
        (-2 / 3, "bias is missing"),
        (5 / 3, "labels are exchanged"),
        (-5 / 3, "wrong sign"),
        (5 / 6, "square is missing"),
        (2 / 3, "inside the bracket"),
        (-7, "multipliers are missing"),
        (1, "the class"),
        (-1, "y\\(2\\)"),
        (0, "not on this boundary"),
        (-1 / 3, "wrong sign"),
        (0.4, "is not 0.4"),
    ],
    "16.g": [
        ((0.9, 0.6, 1.0), "exchanged"),
        ((1.6, 1.0, 0.6), "η is missing"),
        ((0.55, 0.95, 0.55), "η²"),
        ((-0.5, 0.4, 0.0), "wrong sign"),
        ((0.5, 0.9, 0.5), "added the errors"),
        ((0.7, 1.0, 0.6), "That is the step"),
        ((1.3, 1.0, 0.6), "You moved α_i"),
        ((0.6, 1.0, 0.6), "before it is clipped"),
        ((0.9, 1.3, 0.9), "not clipped"),
        ((0.9, 1.0, 0.9), "not clipped"),
        ((0.9, 0.0, 0.8), "equal labels"),
        ((0.9, 1.2, 0.8), "equal labels"),
        ((0.9, 1.4, 1.0), "meets the ceiling"),
        ((0.9, 0.2, 0.6), "wrong way"),
        ((0.9, 0.6, 0.6), "must follow"),
        ((0.9, 1.3, 0.6), "clipped α_j"),
        ((0.9, 0.6, 0.2), "Nothing has moved"),
        ((0.9, 0.95, 0.55), "is not 0.95|α_j is not"),
    ],
    "16.h": [
        (([2, 1, 2, 1], "A"), "second question"),
        (([2, 1, 2, 1], "C"), "first against the last"),
        (([2, 1, 2, 1], "D"), "strikes D off"),
        (([2, 1, 2, 1], "AC"), "one class"),
        (([2, 1, 2, 1], "E"), "letters A to D"),
        (([2, 1, 2, 1], 1), "Letters|letters"),
        (([1, 2, 1, 2], "B"), "defeats"),
        (([3, 3, 3, 3], "B"), "know each class"),
        (([2, 2, 1, 1], "B"), "order|is not|should be"),
        (([2, 1, 2], "B"), "4|four"),
    ],
    "16.i": [
        ((0, 1), "miss 1 of the five"),
        ((0.5, 0), "miss 2 of the five"),
        ((-1, 4), "fewer alarms"),
        ((-0.3, 2), "one of 0.5, 0"),
        ((-0.5, 2), "above -0.5"),
        ((-0.5, 1), "at 0"),
        ((-0.5, 8), "all masses"),
        ((-0.5, 0.6), "not a share"),
        ((3, -0.5), "one of 0.5, 0"),
        ((-0.5, 4), "is not 4"),
    ],
    "16.1": [
        (lambda alpha, t, K, C: _F_free(alpha, t, K, C)[0], "first free point"),
        (lambda alpha, t, K, C: _F_free(alpha, t, K, C)[-1], "last free point"),
        (_among_free, "over the free points only"),
        (_bias(lambda alpha, C: alpha > 0), "all support vectors"),
        (_bias(lambda alpha, C: alpha > 1e-8 * C), "all support vectors"),
        (_bias(lambda alpha, C: alpha >= 0), "all points"),
        (_bias(lambda alpha, C: alpha < C - 1e-8 * C), "kept α = 0"),
        (_bias(lambda alpha, C: alpha >= C - 1e-8 * C), "at the ceiling"),
        (_bias(lambda alpha, C: (alpha > 0) & (alpha < C)), "compare exactly"),
        (_bias(lambda alpha, C: (alpha > 1e-8) & (alpha < C - 1e-8)), "does not grow with C"),
        (_bias(lambda alpha, C: (alpha > 1e-8 * C) & (alpha < C)), "missing at the ceiling"),
        (_bias(lambda alpha, C: (alpha > 0) & (alpha < C - 1e-8 * C)), "missing at zero"),
        (_bias(lambda alpha, C: (alpha > 1e-8) & (alpha < 1 - 1e-8)), "C is taken to be 1|worked example"),
        (_bias(_free, signs=False), "labels are missing"),
        (_bias(_free, sign=-1), "sign"),
        (_bias(_free, one=True), "not y = 1"),
    ],
    "16.2": [
        (lambda *a: -svm.duality_gap(*a), "primal minus dual"),
        (lambda *a: _gap(*a, price=False), "price C"),
        (lambda w, b, alpha, X, t, C: _gap(w, b, alpha, X, t, 0.4), "C"),
        (lambda *a: _gap(*a, clip=False), "never negative"),
        (lambda *a: _gap(*a, half=1), "½ is missing in the primal"),
        (lambda *a: _gap(*a, half=0), "½ \\|w\\|² is missing"),
        (lambda *a: _gap(*a, power=2), "square the slacks"),
        (lambda *a: _gap(*a, same=True), "not the w of the primal"),
        (lambda *a: _gap(*a, bias=0), "bias b is missing"),
        (lambda *a: _gap(*a, labels=(0, 1)), "labels are missing in the slacks"),
        (lambda *a: _gap(*a, labels=(1, 0)), "labels are missing in the dual"),
        (lambda *a: _gap(*a, total=0), "Σ α is missing"),
        (lambda w, b, alpha, X, t, C: svm.duality_gap(w, b, 0 * alpha, X, t, C) - alpha.sum(), "quadratic part"),
        (_dual, "dual value only"),
        (lambda *a: svm.duality_gap(*a) + _dual(*a), "primal value only"),
    ],
    "16.3": [
        (_eta_without_two, "factor 2 is missing"),
        (_index_in_subset, "among all points"),
        (_first_order, "steepest partner"),
        (lambda F, alpha, t, K, C: (np.argmax(F), np.argmin(F)), "I_up only"),
        (_no_low, "I_low only"),
        (lambda *a: svm.working_set(*a)[0], "two numbers"),
        (lambda *a: (99, 0), "from 0 to 7"),
        (_no_labels, "I_up ignores the labels"),
        (_gain_over(lambda alpha, t, C: alpha > 0), "I_low ignores the labels"),
        (_gain_over(_low, curvature=False), "-2 k_ij"),
        (_no_square, "square is missing"),
        (_best_pair, "best of all pairs"),
        (_signless, "F_j ≥ F_i"),
        (lambda F, alpha, t, K, C: svm.working_set(F, alpha, t, K, 1.0), "C is taken to be 1"),
        (lambda *a: svm.working_set(*a)[::-1], "exchanged"),
        (_swapped_masks, "exchanged"),
    ],
}

RIGHT = {
    "16.a": [(np.float32(15), np.array([1.5])), [15, 1.5]],
    "16.b": [lambda X, t, w, b: [list(v) if np.ndim(v) else v for v in svm.canonical(X, t, w, b)]],
    "16.c": [[6, 9], (np.array(6.0), np.array([9]))],
    "16.d": [[2 / 25, 5 / 2], (np.float32(0.08), np.float32(2.5))],
    "16.e": [set(_ceiling), _model.alpha_ == 1, _ceiling[::-1], np.array(_ceiling, dtype=float)],
    "16.f": [np.array([1 / 3]), np.float32(1 / 3), 0.333, 0.3333],
    "16.g": [[0.9, 1, 0.6], (np.array([0.9]), 1, np.float32(0.6))],
    "16.h": [((2, 1, 2, 1), "b"), (np.array([2.0, 1, 2, 1]), ["B"])],
    "16.i": [[-0.5, 3], (np.float32(-0.5), np.array([3.0]))],
    "16.1": [lambda *a: np.array([svm.bias(*a)]), _bias(lambda a, C: np.minimum(a, C - a) > 1e-8 * C)],
    "16.2": [lambda *a: np.array([svm.duality_gap(*a)])],
    "16.3": [lambda *a: np.array(svm.working_set(*a)), lambda *a: [float(n) for n in svm.working_set(*a)]],
}

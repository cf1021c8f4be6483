"""Typical wrong answers to the tasks of chapter 07, each with words that the check must say; and right ones."""

import numpy as np

from mlteach.exercises.linear_classification import (
    _FOUR,
    _bound_with,
    _covariances,
    _delta,
    _direction_with,
    _mean,
    _mean_before,
    _mean_of_changes,
    _pass,
    _pooled,
    _scores_with,
    _scores_without_inverse,
    _until_clean,
    _weights,
    averaged_pass,
    fisher_direction,
    mistake_bound,
    scores,
)


def _in_place(w, X, t):
    total = 0 * w
    for x, sign in zip(X, t):
        if sign * (w @ x) <= 0:
            w += sign * x
        total = total + w
    return total / len(X)


def _sum_from_the_start(w, X, t):
    """The sum starts from w instead of zero."""
    total = w
    for x, sign in zip(X, t):
        if sign * (w @ x) <= 0:
            w = w + sign * x
        total = total + w
    return total / len(X)


def _gap(X, y):
    return X[y == 1].mean(axis=0) - X[y == 0].mean(axis=0)


def _unit(v):
    return v / np.linalg.norm(v)


WRONG = {
    "7.a": [
        ((-0.9, 4.9), "divide both"),
        ((0.4563, 2.4844), "other side"),
        ((-0.4563, -2.4844), "not signed"),
        ((-0.9 / 3.89, 4.9 / 3.89), r"\|w\|²"),
        ((-0.1704, 0.9277), "no part of the normal"),
        ((2.4844, -0.4563), "swapped"),
        ((-0.5, 2.5), "is not"),
        (-0.4563, "2 answers are wanted"),
    ],
    "7.b": [
        (["B", "H"], "claimed by nobody"),
        (["C", "E", "G"], "claimed by two"),
        (["A", "D", "F"], "clear points"),
        (["B", "C", "E", "G"], "missing"),
        (list("ABCDEFGH"), "exactly one claim"),
        ({"B", "X"}, "letters A to H only"),
        ([1, 2], "Letters are wanted"),
    ],
    "7.c": [
        (62 / 3, "seven points"),
        (28, "mean of x²"),
        (49 / 3, "mean of x²"),
        (18, "mean of x²"),
        (50 / 3, "denominator"),
        (7 / 3, "does not move"),
        (40, "sum of squares"),
        (2, "limit"),
        (28 / 3, "v is subtracted"),
        (20, "already passed"),
        (10, "is not"),
    ],
    "7.d": [
        (((0, 2, -1), 3), "bias comes first"),
        (((0, -1, 3), 4), "of the moment"),
        (((0, -1, 1), 2), "a score of 0 is a mistake"),
        (((0, 0, 0), 0), "never left"),
        (((0, 0, 2), 3), "bias stays"),
        (((-2, 0, 4), 3), "twice as long"),
        ((_weights(np.zeros(3), *_FOUR, rate=-1.0), 3), "worse"),
        ((_until_clean(np.zeros(3), *_FOUR)[0], 5), "one pass is wanted"),
        ((_delta(np.zeros(3), *_FOUR), 4), "delta rule"),
        (((0, 2), 3), "b, w₁, w₂"),
        (((-1, 0, 2), 4), "third sample is right"),
        (((-1, 0, 2), 2), "counts as well"),
        (((-1, 0, 1), 3), "w₂ is not 1"),
    ],
    "7.e": [
        ((5**-0.5, 17**0.5, 85), "another order"),
        ((17**0.5, 5**-0.5, 80), "the bound is not 80"),
        ((17**0.5, 0.4, 85), "γ is not 0.4"),
        ((4, 1, 16), "not folded in"),
        ((17**0.5, 1, 17), "not divided"),
        ((4, 5**-0.5, 80), "include the 1"),
        ((17**0.5, 5**-0.5, 85**0.5), "square of their ratio"),
        ((17, 5**-0.5, 85), "R²"),
        ((17**0.5, 2 * 5**-0.5, 21.25), "worst point"),
        ((17**0.5, 0.2, 425), "divides by the length"),
    ],
    "7.f": [
        (lambda X, y: -fisher_direction(X, y), "from class 1 to class 0"),
        (lambda X, y: np.linalg.solve(_pooled(X, y), _gap(X, y)), "divide it by its length"),
        (lambda X, y: 3 * fisher_direction(X, y), "divide it by its length"),
        (lambda X, y: _unit(_gap(X, y)), "line between the means"),
        (_gap, "difference of the means"),
        (lambda X, y: _direction_with(X, y, _covariances(X, y)), "covariances"),
        (lambda X, y: _unit(_pooled(X, y) @ _gap(X, y)), "inverse"),
        (lambda X, y: _direction_with(X, y, np.diag(np.diag(_pooled(X, y)))), "diagonal"),
    ],
    "7.g": [
        (-1.0986, "away from the frequent class"),
        (-1.6, "mean of all samples"),
        (0, "equal frequencies only"),
        (0.5493, "variance is 2"),
        (0.7768, "standard deviation"),
        (2.1972, "w x = c|squared"),
        (4.394, "divide"),
        (0.4771, "base 10"),
        (0.2939, "0.9/0.1"),
        (2, "is not"),
    ],
    "7.1": [
        (lambda X, y, Z: _scores_with(X, y, Z, ones=False), "no bias"),
        (lambda X, y, Z: _scores_with(X, y, Z, low=-1.0), "-1 and"),
        (_scores_without_inverse, "inverse of"),
        (lambda X, y, Z: scores(X, y, Z) - np.eye(y.max() + 1)[y].mean(axis=0), "mean back"),
        (lambda X, y, Z: scores(X, y, Z).argmax(axis=1), "predicted classes"),
        (lambda X, y, Z: scores(X, y, Z).max(axis=1), "largest scores"),
        (lambda X, y, Z: scores(X, y, X), "training rows"),
        (lambda X, y, Z: scores(X, y, Z).T, "swapped"),
        (lambda X, y, Z: (lambda e: e / e.sum(axis=1, keepdims=True))(np.exp(scores(X, y, Z))), "softmax"),
    ],
    "7.2": [
        (_weights, "last weights"),
        (lambda w, X, t: _pass(w, X, t).sum(axis=0), "divide it by the number of rows"),
        (_mean_before, "after the correction"),
        (_mean_of_changes, "mistakes only"),
        (lambda w, X, t: np.vstack([[w], _pass(w, X, t)]).mean(axis=0), "counted the start"),
        (_mean(strict=True), "score of 0"),
        (_mean(fresh=False), "old weights"),
        (_mean(every=True), "every row"),
        (_mean(label=False), "subtracted"),
        (_mean(rate=2.0), "twice"),
        (_mean(rate=-1.0), "worse"),
        (_mean(bias=0.0), "bias stays"),
        (lambda w, X, t: averaged_pass(0 * w, X, t), "started from 0"),
        (_in_place, "changes its argument w in place"),
        (_sum_from_the_start, "mean of the weights"),
        (lambda w, X, t: np.array([-0.25, -0.25, 1.5]), "whatever it is given"),
    ],
    "7.3": [
        (lambda v, X, t: mistake_bound(v, X, t) if np.min(t * (X @ v)) > 0 else "inf", "quotation marks: np.inf"),
        (lambda v, X, t: _bound_with(v, X, t, size=1.0), "length of v"),
        (lambda v, X, t: _bound_with(v, X, t, size=np.linalg.norm(v[1:])), "w alone"),
        (lambda v, X, t: _bound_with(v, X, t, power=1), "square"),
        (lambda v, X, t: _bound_with(v, X, t, rows=X[:, 1:]), "whole row"),
        (lambda v, X, t: _bound_with(v, X, t, pick=np.mean), "not their mean"),
        (lambda v, X, t: _bound_with(v, X, t, pick=np.max), "not the largest"),
        (lambda v, X, t: _bound_with(v, X, t), "gives no bound"),
        (lambda v, X, t: mistake_bound(v, X, np.ones_like(t)), "Is t part"),
        (lambda v, X, t: mistake_bound(v, X, t) if np.min(t * (X @ v)) else 1e9, "on the plane"),
    ],
}


def _as_lists(w, X, t):
    return averaged_pass(w, X, t).tolist()


def _by_stacking(w, X, t):
    return np.mean(_pass(w, X, t), axis=0, dtype=np.float64)


RIGHT = {
    "7.a": [(np.float32(-0.4563), np.array([2.484])), ([-0.46], 2.48), (-0.9 / 3.89**0.5, 4.9 / 3.89**0.5)],
    "7.b": ["B, C, E, G, H", "BCEGH", "h-g-e-c-b", {"B", "C", "E", "G", "H"}, np.array(list("BCEGH")), tuple("BCEGH")],
    "7.c": [np.float32(56 / 3), [18.67], 18.667],
    "7.d": [([-1, 0, 2], 3.0), (np.array([-1.0, 0, 2]), np.int64(3)), ({"b": -1, "w₁": 0, "w₂": 2}, [3])],
    "7.e": [(np.sqrt(17), 1 / np.sqrt(5), 85), (np.float32(4.123), [0.4472], 85.0)],
    "7.f": [lambda X, y: fisher_direction(X, y).tolist(), lambda X, y: fisher_direction(X, y).astype(np.float32)],
    "7.g": [np.log(9) / 2, 1.1, np.float32(1.0986)],
    "7.2": [_as_lists, _by_stacking],
    "7.3": [lambda v, X, t: np.array([mistake_bound(v, X, t)])],
}

"""Typical wrong answers to the exercises of chapter 07, each with words that the check must say."""

import numpy as np

from mlteach.exercises.linear_classification import (
    _bound_with,
    _covariances,
    _delta,
    _direction_with,
    _pass_with,
    _pooled,
    _scores_with,
    _scores_without_inverse,
    _stubborn,
    _until_clean,
    fisher_direction,
    mistake_bound,
    one_pass,
    scores,
)


def _in_place(w, X, t):
    mistakes = 0
    for x, sign in zip(X, t):
        if sign * (w @ x) <= 0:
            w += sign * x
            mistakes += 1
    return w, mistakes


def _gap(X, y):
    return X[y == 1].mean(axis=0) - X[y == 0].mean(axis=0)


def _unit(v):
    return v / np.linalg.norm(v)


WRONG = {
    "7.1": [
        ((-0.9, 4.9), "divide both"),
        ((0.4563, 2.4844), "other side"),
        ((-0.4563, -2.4844), "not signed"),
        ((-0.9 / 3.89, 4.9 / 3.89), r"\|w\|²"),
        ((-0.1704, 0.9277), "no part of the normal"),
        ((2.4844, -0.4563), "swapped"),
        ((-0.5, 2.5), "is not"),
        (-0.4563, "shape"),
    ],
    "7.2": [
        (["B", "H"], "claimed by nobody"),
        (["C", "E", "G"], "claimed by two"),
        (["A", "D", "F"], "clear points"),
        (["B", "C", "E", "G"], "missing"),
        (list("ABCDEFGH"), "exactly one claim"),
        ({"B", "X"}, "letters A to H only"),
        ([1, 2], "Letters are wanted"),
    ],
    "7.3": [
        (_until_clean, "one pass is wanted"),
        (lambda w, X, t: (_delta(w, X, t), len(t)), "delta rule"),
        (lambda w, X, t: (_delta(w, X, t, every=False), 3), "delta rule"),
        (lambda w, X, t: _pass_with(w, X, t, bias=0.0), "bias stays"),
        (lambda w, X, t: _pass_with(w, X, t, fresh=False), "old weights"),
        (lambda w, X, t: _pass_with(w, X, t, every=True), "every row"),
        (lambda w, X, t: _pass_with(w, X, t, label=False), "subtracted"),
        (lambda w, X, t: _pass_with(w, X, t, rate=2.0), "twice"),
        (lambda w, X, t: _pass_with(w, X, t, rate=-1.0), "worse"),
        (lambda w, X, t: _pass_with(w, X, t, strict=True), "score of 0"),
        (lambda w, X, t: one_pass(0 * w, X, t), "started from 0"),
        (lambda w, X, t: (_stubborn(w, X, t), 0), "until it was right"),
        (lambda w, X, t: one_pass(w, X, t)[0], "two things"),
        (lambda w, X, t: one_pass(w, X, t)[::-1], "weights come first"),
        (lambda w, X, t: (one_pass(w, X, t)[0], len(t)), "number of mistakes"),
        (_in_place, "changes its argument w in place"),
    ],
    "7.4": [
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
    "7.5": [
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
    "7.6": [
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
    "7.7": [
        (lambda X, y: -fisher_direction(X, y), "from class 1 to class 0"),
        (lambda X, y: np.linalg.solve(_pooled(X, y), _gap(X, y)), "divide it by its length"),
        (lambda X, y: 3 * fisher_direction(X, y), "divide it by its length"),
        (lambda X, y: _unit(_gap(X, y)), "line between the means"),
        (_gap, "difference of the means"),
        (lambda X, y: _direction_with(X, y, _covariances(X, y)), "covariances"),
        (lambda X, y: _unit(_pooled(X, y) @ _gap(X, y)), "inverse"),
        (lambda X, y: _direction_with(X, y, np.diag(np.diag(_pooled(X, y)))), "diagonal"),
    ],
    "7.8": [
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
    w, mistakes = one_pass(w, X, t)
    return [w.tolist(), float(mistakes)]


RIGHT = {
    "7.2": ["B, C, E, G, H", "BCEGH", "h-g-e-c-b", {"B", "C", "E", "G", "H"}, np.array(list("BCEGH")), tuple("BCEGH")],
    "7.3": [_as_lists],
    "7.5": [np.float32(56 / 3), [18.67], 18.667],
    "7.8": [lambda v, X, t: np.array([mistake_bound(v, X, t)])],
}

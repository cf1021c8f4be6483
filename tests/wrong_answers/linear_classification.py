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
    _mean_delta,
    _mean_of_changes,
    _mean_of_passes,
    _mean_with_sign_of_zero,
    _mean_without_t,
    _pass,
    _pooled,
    _scores_with,
    _scores_without_inverse,
    _sum_of_changes,
    _unit,
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


def _fit(X, y):
    return np.linalg.lstsq(np.column_stack([np.ones(len(X)), X]), np.eye(y.max() + 1)[y], rcond=None)


def _gap(X, y):
    return X[y == 1].mean(axis=0) - X[y == 0].mean(axis=0)


WRONG = {
    "7.a": [
        ((-0.9, 4.9), "divide both"),
        ((0.4563, 2.4844), "other side"),
        ((-0.4563, -2.4844), "not signed"),
        ((-0.9 / 3.89, 4.9 / 3.89), r"\|w\|²"),
        ((-0.1704, 0.9277), "no part of the normal"),
        ((-0.1704, 4.9 / 3.89**0.5), "no part of the normal"),
        ((-0.4563, 4.9), r"second number is \|b\|"),
        ((-0.9, 2.4844), "first number is y"),
        ((0.4563, -2.4844), "other side"),
        ((-2.25 / 3.89**0.5, 2.4844), r"it is \(5, 4.5\)"),
        ((8.9 / 3.89**0.5, 2.4844), "b is -4.9"),
        ((-0.9 / 2.7, 4.9 / 2.7), "not 1.7"),
        ((-0.9 / 0.7, 7), "not 1.7 - 1"),
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
        (42, "sum of squares"),
        (14, "v is missing"),
        (4.667, "That is v"),
        (2, "limit"),
        (28 / 3, "v is subtracted"),
        (20, "already passed"),
        (35 / 3, "lacks μ"),
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
        (((1, 1, 2), 1), "second sample has the score"),
        (((1, -2, 0), 3), "not added"),
        (((-2, -2, 1), 4), "two passes"),
        (((0, 2), 3), "b, w₁, w₂"),
        (((-1, 0, 2), 4), "third sample is right"),
        (((-1, 0, 2), 2), "counts as well"),
        (((-1, 0, 1), 3), "w₂ is not 1"),
    ],
    "7.e": [
        ((5**-0.5, 17**0.5, 85), "swapped"),
        ((17**0.5, 5**-0.5, 80), "the bound is not 80"),
        ((17**0.5, 5**-0.5, 85.2), "the bound is not 85.2"),
        ((17**0.5, 0.4, 85), "γ is not 0.4"),
        ((4, 1, 16), "not folded in"),
        ((17**0.5, 1, 17), "not divided"),
        ((4, 5**-0.5, 80), "include the 1"),
        ((17**0.5, 5**-0.5, 85**0.5), "square of their ratio"),
        ((17, 5**-0.5, 85), "R²"),
        ((17**0.5, 2 * 5**-0.5, 21.25), "worst point"),
        ((17**0.5, 0.2, 425), "divides by the length"),
        ((17**0.5, 0.2, 85), "divides by the length"),
        ((17**0.5, -(5**-0.5), 85), "counts t"),
        ((17**0.5, 5 / 3 * 5**-0.5, 30.6), "worst point"),
        ((17**0.5, 5**-0.5, 1 / 85), "not \\(γ/R"),
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
        (lambda X, y: _direction_with(X, y, X.T @ X), "mean of its class"),
        (lambda X, y: _direction_with(X, y, np.cov(X[y == 0].T)), "class 0 only"),
        (lambda X, y: _direction_with(X, y, np.cov(X[y == 1].T)), "class 1 only"),
        (lambda X, y: _unit(np.linalg.solve(_pooled(X, y), X[y == 1].sum(axis=0) - X[y == 0].sum(axis=0))), "sums"),
        (lambda X, y: _unit((1 / _pooled(X, y)) @ _gap(X, y)), "each entry"),
        (
            lambda X, y: _unit(
                np.linalg.solve(_pooled(X, y), np.full(X.shape[1], X[y == 1].mean() - X[y == 0].mean()))
            ),
            "axis=0",
        ),
        (lambda X, y: fisher_direction(X, y) * np.nan, "contains nan"),
        (lambda X, y: (fisher_direction(X, y), 1.0), "direction"),
    ],
    "7.g": [
        (-0.6479, "away from the frequent class"),
        (-0.6, "mean of all samples"),
        (1, "equal frequencies only"),
        (1.6479, "Halfway is missing"),
        (1.5493, "variance is 3"),
        (1.9514, "standard deviation"),
        (5.9437, "squared the variance"),
        (3.5306, "That is the cut for w x"),
        (3.1972, "undivided"),
        (3.9296, "multiplied"),
        (1.7157, "base 10"),
        (2.7269, "0.9/0.1"),
        (7.75, "logarithm"),
        (2, "is not"),
    ],
    "7.h": [
        ((2, 9), "swapped"),
        ((10, 2), "one dimension less"),
        ((64, 2), "at most K - 1"),
        ((63, 2), "not features"),
        ((45, 2), "pairs"),
        ((9, 4), "two features"),
        ((9, 5), "no more than"),
        ((9, 1), "not features"),
        ((9, 10), "pairs"),
        ((9, 3), "is not 3"),
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
        (lambda X, y, Z: scores(X, y, Z) - scores(X, y, 0 * Z), "bias is lost"),
        (lambda X, y, Z: scores(X, y, Z).clip(0, 1), "cut the scores"),
        (lambda X, y, Z: np.column_stack([Z, np.ones(len(Z))]) @ _fit(X, y)[0], "same side"),
        (lambda X, y, Z: scores(X, y, Z)[:, ::-1], "reverse order"),
        (lambda X, y, Z: scores(X - X.mean(axis=0), y, Z - Z.mean(axis=0)), "its own mean"),
        (lambda X, y, Z: _fit(X, y)[0], "These are the weights"),
        (lambda X, y, Z: _fit(X, y), "four things"),
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
        (_sum_of_changes, "outside the if"),
        (_mean_without_t, "without t"),
        (lambda w, X, t: _pass(w, X, t).sum(axis=0) / (len(X) + 1), "number of rows"),
        (_mean_delta(True), "delta rule"),
        (_mean_delta(False), "delta rule"),
        (_mean_with_sign_of_zero(1), "for both classes"),
        (_mean_with_sign_of_zero(-1), "for both classes"),
        (_mean_of_passes, "one pass is wanted"),
        (_sum_from_the_start, "mean of the weights"),
        (lambda w, X, t: np.array([-0.25, -0.25, 1.5]), "whatever it is given"),
    ],
    "7.3": [
        (lambda v, X, t: mistake_bound(v, X, t) if np.min(t * (X @ v)) > 0 else "inf", "quotation marks: np.inf"),
        (lambda v, X, t: _bound_with(v, X, t, size=1.0), "length of v"),
        (lambda v, X, t: _bound_with(v, X, t, size=np.linalg.norm(v[1:])), "w alone"),
        (lambda v, X, t: _bound_with(v, X, t, power=1), "square"),
        (lambda v, X, t: _bound_with(v, X, t, rows=X[:, 1:]), "whole row"),
        (lambda v, X, t: _bound_with(v, X, t, size=v @ v), r"\|v\|²"),
        (lambda v, X, t: _bound_with(v, X, t, rows=X[:, 1:], size=np.linalg.norm(v[1:])), "not folded in"),
        (lambda v, X, t: _bound_with(v, X, t, rows=X.T), "longest row"),
        (lambda v, X, t: _bound_with(v, X, t, rows=X.reshape(1, -1)), "longest row"),
        (lambda v, X, t: _bound_with(v, X, t, pick=np.mean), "not their mean"),
        (lambda v, X, t: _bound_with(v, X, t, pick=np.max), "not the largest"),
        (lambda v, X, t: _bound_with(v, X, t), "gives no bound"),
        (lambda v, X, t: _bound_with(v, X, t, pick=lambda m: np.min(np.abs(m))), "with its sign"),
        (lambda v, X, t: mistake_bound(v, X, t) if np.min(t * (X @ v)) > 0 else 0.0, "gives no bound"),
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
    "7.e": [
        (np.sqrt(17), 1 / np.sqrt(5), 85),
        (np.float32(4.123), [0.4472], 85.0),
        (4.123, 0.447, (4.123 / 0.447) ** 2),
    ],
    "7.f": [lambda X, y: fisher_direction(X, y).tolist(), lambda X, y: fisher_direction(X, y).astype(np.float32)],
    "7.g": [1 + 0.75 * np.log(9), 2.65, np.float32(2.6479)],
    "7.h": [(9.0, np.int64(2)), ([9], [2])],
    "7.1": [lambda X, y, Z: scores(X, y, Z).tolist(), lambda X, y, Z: scores(X, y, Z).astype(np.float32)],
    "7.2": [_as_lists, _by_stacking],
    "7.3": [lambda v, X, t: np.array([mistake_bound(v, X, t)])],
}

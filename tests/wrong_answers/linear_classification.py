"""Chapter 07: wrong answers that no table holds, with words that the check must say, and right ones of another form."""

import numpy as np

from mlteach.exercises.linear_classification import averaged_pass, fisher_direction, mistake_bound, scores


def _in_place(w, X, t):
    total = 0 * w
    for x, sign in zip(X, t):
        if sign * (w @ x) <= 0:
            w += sign * x
        total = total + w
    return total / len(X)


def _fit(X, y):
    return np.linalg.lstsq(np.column_stack([np.ones(len(X)), X]), np.eye(y.max() + 1)[y], rcond=None)


WRONG = {
    "7.a": [
        ((-0.1704, 4.9 / 3.89**0.5), "no part of the normal"),
        ((0.4563, -2.4844), "other side"),
        ((2.4844, -0.4563), "swapped"),
        ((-0.5, 2.5), "is not|rounded"),
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
    "7.c": [(10, "is not")],
    "7.d": [(((0, 2), 3), "entries|shape"), (((-1, 0, 1), 3), "w₂ is not 1"), (((0, 0, 0), 0), "never left")],
    "7.e": [
        ((17**0.5, 5**-0.5, 80), "bound is not 80"),
        ((17**0.5, 0.4, 85), "γ is"),
        ((17**0.5, 1, 17), "not divided"),
        ((4, 5**-0.5, 80), "include the 1"),
    ],
    "7.f": [
        (lambda X, y: 3 * fisher_direction(X, y), "divide it by its length"),
        (lambda X, y: fisher_direction(X, y) * np.nan, "contains nan"),
        (lambda X, y: (fisher_direction(X, y), 1.0), "direction"),
    ],
    "7.g": [(2, "is not")],
    "7.h": [((2, 9), "swapped"), ((9, 3), "is not 3|one too")],
    "7.1": [(lambda X, y, Z: _fit(X, y), "four things"), (lambda X, y, Z: scores(X, y, Z).T, "swapped")],
    "7.2": [(_in_place, "changes its argument w"), (lambda w, X, t: np.array([-0.25, -0.25, 1.5]), "whatever it is")],
    "7.3": [
        (lambda v, X, t: mistake_bound(v, X, t) if np.min(t * (X @ v)) > 0 else "inf", "quotation marks: np.inf"),

        (lambda v, X, t: mistake_bound(v, X, t) if np.min(t * (X @ v)) else 1e9, "on the plane"),
    ],
}  # fmt: skip


def _as_lists(w, X, t):
    return averaged_pass(w, X, t).tolist()


def _by_stacking(w, X, t):
    path = [w := w + sign * x if sign * (w @ x) <= 0 else w for x, sign in zip(X, t)]
    return np.mean(path, axis=0, dtype=np.float64)


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

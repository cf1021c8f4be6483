"""Chapter 04: wrong answers that no table holds, with words that the check must say, and right ones of another form."""

import numpy as np

from mlteach.exercises import linear_regression as right


def _refitted(X, t):
    misses = []
    for n in range(len(t)):
        rest = np.arange(len(t)) != n
        misses.append(t[n] - X[n] @ np.linalg.lstsq(X[rest], t[rest], rcond=None)[0])
    return np.mean(np.square(misses))


WRONG = {
    "4.a": [
        ((0.93, 1.03), "x and t themselves"), ((0, 1.033), "forced through the origin"), ((1.3, 0.9), "is not"),
        ((1.2, 0.9), "the slope is not 0.9"), ((2.5, 0.5), "slope is right"), ((-1.0, 2.0), "upside down"),
        ((2.0, "0.5"), "text"), ((2.0,), "2 answers"),
    ],
    "4.b": [
        ((-0.5, 1.5), "wrong order"), ((1.0, 0.0), "times x sum to 0.5"), ((0.75, 0.0), "themselves sum to -0.25"),
        ((0.0, 0.0), "yours sum to -1"), ((1.5, "-0.5"), "text"),
    ],
    "4.c": [((0.95, 1.15), "another order"), ((1.4, 0.8), "is not")],
    "4.d": [(0.84, "give 3 significant digits"), ("0.838", "is the text '0.838'"), (0.9, "is not 0.9")],
    "4.e": [((5.0, 0.7), r"w1 \+ w3"), ((6.0, 0.6), r"w0 \+ w2"), ((4.0, 0.5), "is not")],
    "4.f": [(1.84, "N - 1"), (0.5534, "degrees of freedom"), (-1.75, "wrong sign"), (1.96, "is not 1.96")],
    "4.4": [(0.41, "is not 0.41"), (36.7, "per cent")],
    "4.g": [("ABB", "once"), (7, "string"), (["C", "A", 2], "string")],
    "4.h": [(2, "what ability adds"), (0.65, "is not 0.65"), ("0.5", "text")],
    "4.1": [
        (lambda x, t: (0.3, np.sum(x * t) / np.sum(x**2)), "x and t themselves"),
        (lambda x, t: right.line_of(x, t)[1], "shape"), (lambda x, t: (1.3, 0.9), "worked example only"),
        (lambda x, t: (right.line_of(x, t)[0] + 1, right.line_of(x, t)[1]), "intercept is"),
        (lambda x: x, "does not take the arguments"),
    ],
    "4.2": [
        (lambda w, X, t: right.mean_gradient(w, X, t) * len(t) / 11, "should be"),
        (lambda w, X, t: X @ (X @ w - t), "inner sizes are 3 and 11"),
        (lambda w, X, t: right.mean_gradient(w, X, t)[:, None], "shape"),

    ],
    "4.3": [
        (lambda x, t: right.slope_error(x, t) * np.sqrt((len(x) - 2) / 7), "should be"),

    ],
    }  # fmt: skip

RIGHT = {
    "4.a": [[2, 0.5], (np.float32(2), np.array([0.5])), (2, 1 / 2)],
    "4.b": [[1.5, -0.5], (np.array(1.5), np.float32(-0.5))],
    "4.c": [(np.float32(1.15), np.float32(0.95)), [1.15, 0.95]],
    "4.d": [0.838, np.float32(0.8377), np.array([0.8377])],
    "4.e": [(5, 0.6), (np.array([5.0]), np.array([0.6]))],
    "4.f": [np.array([1.75]), np.float32(1.75), 7 / 4],
    "4.4": [0.367, 11 / 30, np.array([0.3667])],
    "4.g": ["C-A-B", "c, a, b", ["C", "A", "B"], ("c", "a", "b")],
    "4.h": [0.5, 1 / 2, np.float32(0.5), np.array([0.5])],
    "4.1": [lambda x, t: list(right.line_of(x, t)), lambda x, t: np.polyfit(x, t, 1)[::-1]],
    "4.2": [
        lambda w, X, t: right.mean_gradient(*(a.astype(np.float32) for a in (w, X, t))),
        lambda w, X, t: right.mean_gradient(w, X, t).tolist(),
    ],
    "4.3": [lambda x, t: np.array([right.slope_error(x, t)]), lambda x, t: float(right.slope_error(x, t))],
    "4.5": [lambda X, t: np.array([right.leave_one_out(X, t)]), _refitted],
}

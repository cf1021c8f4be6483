"""Typical wrong answers to the tasks of chapter 06, each with words that the check must say."""

import numpy as np

from mlteach.exercises.regularization import (
    GAP_SLIPS,
    GCV_SLIPS,
    RIDGE_SLIPS,
    SWEEP_SLIPS,
    gap,
    gcv,
    ridge_weights,
    sweep,
)


def _slips(table):
    """Return wrong functions with the first words of what is said about them, as a pattern."""
    return [(wrong, words.split(".")[0][:40].translate({ord(c): "." for c in "()[]|*+²?"})) for wrong, words in table]


def _in_place(w, A, t, lam, rho):
    w[:] = sweep(w, A, t, lam, rho)
    return w


def _centre_in_place(X, t, lams):
    X -= X.mean(axis=0)
    t -= t.mean()
    return ridge_weights(X, t, lams)


WRONG = {
    "6.a": [
        ((11 / 14, 4 - 33 / 14), "least squares"),
        ((47 / 49, 0), "Subtract the means"),
        ((11 / 30, 2.9), "added 2λ"),
        ((11 / 18, 2.1667), "added λ/2"),
        ((11 / 38, 3.1316), "added Nλ"),
        ((11 / 78, 3.577), "added λ²"),
        ((2, -2), "upside down"),
        ((2.5, 0.5), "wrong order"),
        ((0.5, 4), "not the mean of t"),
        ((0.5, 5.5), "subtract"),
        ((0.5, 3.5), "mean of x"),
        ((0.5, 0), "origin"),
        ((0.5, 2.6), "is not 2.6"),
        ((-0.5, 5.5), "wrong sign"),
        (("0.5", 2.5), "without quotation marks"),
    ],
    "6.b": [
        (3 / 4 + 1 / 2 + 0.5 / 1.5, "Square"),
        (3 / 10 + 1 / 2 + 0.5 / 1.25, "belongs to the weights"),
        (3, "at λ = 0"),
        (1.4, "takes away"),
        (2.6, "intercept"),
        (0.7, "is not"),
        (1.6 / 3, "average"),
        (0.09, "multiply"),
        (10.25, "divided by itself"),
        ("1.6 or so", "a number"),
    ],
    "6.c": [
        ((0.5, 1), "upside down"),
        ((6, 1), "Square a"),
        ((36, 1), "variance σ² already"),
        ((1.414, 1), "σ/a"),
        ((1.125, 1), "divided by d²"),
        ((4.5, 1), "divided by d"),
        ((162, 1), "do not multiply"),
        ((1, 2), "wrong order"),
        ((2, 1.125), "least squares"),
        ((2, 1 / 9), "bias alone"),
        ((2, 8 / 9), "variance alone"),
        ((2, 18), "denominator is squared"),
        ((2, 3), "d is squared"),
        ((2, 306 / 324), "λ is squared"),
        ((2, 300 / 324), "a is squared"),
        ((3, 1), "is not 3"),
    ],
    "6.d": [
        ((4, [0.5, 0]), "larger of the two"),
        ((9, [0.5, 0]), "not their sum"),
        ((2.5, [0.5, 0]), "squared length"),
        ((10, [0.5, 0]), "not twice"),
        ((6.403, [0.5, 0]), "length of their vector"),
        ((5, [1, 0]), "not divided"),
        ((5, [5 / 3, 2 / 3]), "for λ = 1"),
        ((5, [2, 1]), "least squares"),
        ((5, [2, 0.5]), "first sweep for λ = 1"),
        ((5, [0.5, -0.25]), "not negative"),
        ((5, [0.5, 1.75]), "thresholded as well"),
        ((5, [2.5, 0]), "threshold is missing"),
        ((5, [0, 0]), "below λmax"),
        ((5, [0, 0.5]), "exchanged"),
        ((5, [0.7, 0]), "is not 0.7"),
        ((5, 0.5), "two numbers"),
    ],
    "6.e": [
        (1.833, "prediction lies above"),
        (-1.1, "divide it by 1 - h"),
        (-1.375, "two parts"),
        (-2.75, "h itself, or"),
        (-0.66, "do not multiply"),
        (-3.056, "once"),
        (3.361, "squared miss"),
        (-0.5, "least squares"),
        (-1.4667, "its square is 4"),
        (3.833, "target minus prediction"),
        (-2, "is not -2"),
    ],
    "6.f": [
        ((1 + 1 / 3.25, 9 / 3.25), "wrong order"),
        ((2.769, 0.308), "noise on top"),
        ((2.769, 1.144), "standard deviation"),
        ((3, 1.333), "ignores the prior"),
        ((1.286, 1.143), "precision is 1/4"),
        ((2.571, 1.286), "one over the standard"),
        ((2.939, 1.327), "not the standard deviation"),
        ((0.923, 1.308), "All three"),
        ((2.25, 1.25), "not like a whole"),
        ((29.25, 1.308), "do not multiply"),
        ((2.4, 1.2667), "prior counts once"),
        ((2.769, 4.25), "invert"),
        ((2.769, 1.3333), "ignores the prior"),
        ((2.769, 1.2353), "not in yet"),
        ((2.769, 1), "noise alone"),
        ((2.769, 0.6923), "add"),
        ((2.77, 1.3), "round|is not"),
    ],
    "6.1": [
        *_slips(RIDGE_SLIPS),
        (lambda X, t, lams: ridge_weights(X, t, lams).T, "one row for each|Rows and columns"),
        (lambda X, t, lams: -ridge_weights(X, t, lams), "wrong sign"),
        (lambda X, t, lams: ridge_weights(X, t, lams)[0], "shape|entries"),
        (lambda X, t, lams: ridge_weights(X, t, [2.5, 0.4, 30.0][: len(lams)]), "should be|2.5"),
        (_centre_in_place, "in place"),
    ],
    "6.2": [
        *_slips(SWEEP_SLIPS),
        (lambda w, A, t, lam, rho: sweep(w, A, t, 1.0, rho), "lam = 1"),
        (lambda w, A, t, lam, rho: sweep(w, A, t, lam, 0.75), "rho = 0.75"),
        (lambda w, A, t, lam, rho: sweep(w, A, t, rho, lam), "exchanged|should be|nan"),
        (_in_place, "in place"),
    ],
    "6.3": [
        ("ABC", "not ridge"),
        ("CBA", "not ridge"),
        ("BAC", "exchanged"),
        ("bac", "exchanged"),
        (["B", "A", "C"], "exchanged"),
        ("AAB", "exactly once"),
        ("B", "exactly once"),
        ({"B", "C", "A"}, "no order"),
    ],
    "6.4": [
        *_slips(GAP_SLIPS),
        (lambda w, A, t, lam: -gap(w, A, t, lam), "wrong sign"),
        (lambda w, A, t, lam: gap(w, A, t, 1.0), "lam = 1"),
    ],
    "6.5": [
        *_slips(GCV_SLIPS),
        (lambda X, t, lam: gcv(X, t, 1.0), "lam = 1"),
        (lambda X, t, lam: 1.029412, "whatever it is given|round"),
    ],
}

RIGHT = {
    "6.a": [[0.5, 2.5], (np.array(0.5), np.float32(2.5)), ([0.5], [2.5])],
    "6.b": [1.60, np.array([1.6]), [1.6]],
    "6.c": [(2, 1), (np.array([2.0]), 1.0)],
    "6.d": [(5, (0.5, 0)), (np.array(5.0), np.array([0.5, 0.0])), ([5], {"w₁": 0.5, "w₂": 0.0})],
    "6.e": [-1.83, np.array([-1.8333]), -11 / 6],
    "6.f": [[2.769, 1.308], (9 / 3.25, 1 + 1 / 3.25), (np.array([2.7692]), np.float32(1.3077))],
    "6.1": [
        lambda X, t, lams: [w.tolist() for w in ridge_weights(X, t, lams)],
        lambda X, t, lams: ridge_weights(X, t, lams).astype(np.float32),
    ],
    "6.2": [lambda w, A, t, lam, rho: sweep(w, A, t, lam, rho).tolist()],
    "6.3": ["bca", "B, C, A", ("B", "C", "A"), ["b", "c", "a"], np.array(["B", "C", "A"])],
    "6.4": [lambda w, A, t, lam: gap(w, A, t, lam) * np.ones(1)],
    "6.5": [lambda X, t, lam: np.array([gcv(X, t, lam)]), lambda X, t, lam: np.float32(gcv(X, t, lam))],
}

"""Answers to the exercises of chapter 17 that no table holds: right ones of another form, and wrong ones."""

from fractions import Fraction

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from mlteach.exercises import gaussian_processes as right

MEAN, VAR_F, VAR_T = 0.97045, 0.70570, 0.95570  # the numbers of 17.d
HALF = 2 * np.sqrt(2 * np.log(2))


def _pairs(x, y, length, variance):
    return [[variance * np.exp(-((a - b) ** 2) / (2 * length**2)) for b in y] for a in x]


def _spoils_x(x, y, length, variance):
    K = right.gram_smooth(x, y, length, variance)
    x *= 0
    return K


def _spoils_K(K, k, k_star, t, noise):
    K += noise * np.eye(len(t))
    w = np.linalg.solve(K, k)
    return w @ t, k_star - w @ k, k_star - w @ k + noise


def _by_root(K, k, k_star, t, noise):
    root = cho_factor(K + noise * np.eye(len(t)), lower=True)
    f = k_star - k @ cho_solve(root, k)
    return [float(k @ cho_solve(root, t)), float(f), float(f + noise)]


def _by_det(C, t):
    fit, complexity = -0.5 * t @ np.linalg.solve(C, t), -0.5 * np.log(np.linalg.det(C))
    return fit, complexity, fit + complexity - 0.5 * len(t) * np.log(2 * np.pi)


def _by_slogdet(C, t):
    fit, complexity = -0.5 * t @ np.linalg.solve(C, t), -0.5 * np.linalg.slogdet(C)[1]
    return [fit, complexity, fit + complexity - len(t) / 2 * np.log(2 * np.pi)]


def _by_parts(K, K_cross, K_new, t, noise, z):
    L = np.linalg.cholesky(K + noise * np.eye(len(t)))
    v = np.linalg.solve(L, K_cross)
    return (v.T @ np.linalg.solve(L, t) + np.linalg.cholesky(K_new - v.T @ v) @ z).tolist()


def _left(K, seen, noise):
    left = [K[j][j] for j in range(len(K))]
    for j in range(len(K) if len(seen) else 0):
        k = np.array([K[i][j] for i in seen])
        C = np.array([[K[a][b] for b in seen] for a in seen]) + noise * np.eye(len(seen))
        left[j] -= k @ np.linalg.solve(C, k)
    return np.round(left, 9)


WRONG = {
    "17.a": [((7.2, 1.5), "another order"), ((-1.5, 7.2), "wrong sign"), (("1.5", 7.2), "number")],
    "17.b": [((5 / 6, 1.15), "another order"), ((0.85, 2 / 3), "second weight is negative")],
    "17.c": [((2.4, 1.5), "rounded"), ((2, 0.5), "0.61"), ((1.5, HALF), "another order")],
    "17.d": [((MEAN, VAR_T, VAR_F), "another order"), ((MEAN, VAR_T, VAR_T), "third"), ((97, 71, 96), "per cent")],
    "17.e": [
        ("ABE", "the noise does"), ("BCD", "the kernel does"), ("DE", "another place and the noise do"),
        ("BCEF", "letters A to E"), (2, "Letters are wanted"),
    ],
    "17.f": [((0.125, 0.5), "another order"), ((8, 8), "τ²/σ²"), ((0.5, 12.5), "per cent")],
    "17.g": [(("B", 4.3), "not 4.3"), (("B", 4), "rounded"), (("D", 4.06), "letters A to C"), ((4.06, "B"), "text")],
    "17.1": [
        (lambda x, y, length, variance: right.gram_smooth(x, y, variance, length), "exchanged"),
        (lambda x, y, length, variance: right.gram_smooth(x, y, 1.0, variance), "You use length = 1"),
        (_spoils_x, "changes its argument x"),
        (lambda x, y, length, variance: None, "return"),
    ],
    "17.2": [
        (lambda K, k, k_star, t, noise: right.posterior(K, k, k_star, t, 0.1), "You use noise = 0.1"),
        (lambda K, k, k_star, t, noise: right.posterior(K, k, 1.0, t, noise), "You use k_star = 1"),
        (_spoils_K, "changes its argument K"),
    ],
    "17.3": [(_by_det, "not finite"), (lambda C, t: right.evidence_terms(C, t)[2], "3|three")],
    "17.4": [
        (lambda K, c, n, t, noise, z: right.draw_posterior(K, c, n, t, 0.1, z), "You use noise = 0.1"),
        (lambda K, c, n, t, noise, z: right.draw_posterior(K, c, n, t, noise, z) + 1, "the function"),
    ],
    "17.5": [
        (lambda K, seen, noise: np.argmax(np.diag(K) - np.sum(K[seen] ** 2, axis=0)), "place"),
        (_left, "one whole number"),
        (lambda K, seen, noise: 0, "whatever it is given"),
        (lambda K, seen, noise: "6", "whole number"),
    ],
}  # fmt: skip

RIGHT = {
    "17.a": [[1.5, 7.2], (Fraction(3, 2), Fraction(36, 5)), np.array([1.5, 7.2], dtype=np.float32)],
    "17.b": [(1.15, 0.83), [1.15, 0.8333], np.array([1.15, 5 / 6]), (Fraction(23, 20), Fraction(5, 6))],
    "17.c": [(2.35, 1.5), (2.355, 1.5), (np.float32(HALF), 1.5)],
    "17.d": [(0.970, 0.706, 0.956), np.array([MEAN, VAR_F, VAR_T], dtype=np.float32)],
    "17.e": ["bce", "E, C, B", ["B", "C", "E"], {"B", "C", "E"}, "B C E"],
    "17.f": [(0.5, 0.125), [Fraction(1, 2), Fraction(1, 8)], np.array([0.5, 0.125])],
    "17.g": [("b", 4.1), ("B", 4.06), (["B"], 4.055)],
    "17.1": [_pairs],
    "17.2": [_by_root],
    "17.3": [_by_slogdet, lambda C, t: np.array(right.evidence_terms(C, t))],
    "17.4": [_by_parts],
    "17.5": [lambda *a: np.int64(_left(*a).argmax()), lambda *a: np.array([right.next_place(*a)])],
}

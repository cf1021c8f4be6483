"""Answers to the exercises of chapter 18 that no table holds: right ones of another form, and wrong ones."""

from fractions import Fraction

import numpy as np

from mlteach.exercises import neural_networks as right
from mlteach.neural_networks import sigmoid

LOSS, SLOPES = right.LOSS, right.SLOPES
DELTAS = [0.56, 0.0]
SHAPES = (50, 3), (50, 20), (10, 20)


def _spoils_w(f, w, eps):
    slopes = right.differences(f, w, eps)
    w += eps
    return slopes


def _by_steps(f, w, eps, flat=False):
    """Move along the rows of a unit matrix; a careless one hands f a flat array, whatever the shape of w."""
    steps, shape = eps * np.eye(w.size), -1 if flat else w.shape
    slopes = [(f(w.reshape(shape) + e.reshape(shape)) - f(w.reshape(shape) - e.reshape(shape))) / 2 for e in steps]
    return np.reshape(slopes, w.shape) / eps


def _vectors_only(f, w, eps):
    slopes = []
    for k in range(len(w)):
        up, down = w.copy(), w.copy()
        up[k] += eps
        down[k] -= eps
        slopes.append((f(up) - f(down)) / (2 * eps))
    return slopes


def _bump(edges=lambda left, right: (left, right), scale=1.0, b2=0.0):
    def weights(left, right, height, s):
        p, q = edges(left, right)
        return [[s, s]], [-s * p, -s * q], [[height * scale], [-height * scale]], b2

    return weights


def _spoils_W1(X, t, W1, b1, W2, b2, eta):
    new = right.train_step(X, t, W1, b1, W2, b2, eta)
    W1 -= eta
    return new


def _in_place(X, t, W1, b1, W2, b2, eta):
    for old, new in zip((W1, b1, W2, b2), right.train_step(X, t, W1, b1, W2, b2, eta)):
        old[...] = new
    return W1, b1, W2, b2


def _rows(X, t, W1, b1, W2, b2, eta):
    """Sample by sample, with lists at the end."""
    slopes = [np.zeros(p.shape) for p in (W1, b1, W2, b2)]
    for x, target in zip(X, t):
        a = np.tanh(x @ W1 + b1)
        d2 = sigmoid(a @ W2 + b2) - target
        d1 = W2[:, 0] * d2[0] * (1 - a**2)
        for total, part in zip(slopes, (np.outer(x, d1), d1, np.outer(a, d2), d2)):
            total += part / len(t)
    return [(p - eta * g).tolist() for p, g in zip((W1, b1, W2, b2), slopes)]


WRONG = {
    "18.a": [
        ((1, 1, -1.5), "That is AND"), ((1, 1, -0.5), "That is OR"), ((-1, 1, -0.5), "exchanged"),
        ((-1, 1, 0.5), "Change all three signs"), ((1, -1, 0), "b = 0"), ((1, -1, -2), "never fires"),
        ((1, -1, 5), "always fires"), ((1, 0, -0.5), "copies x₁"), ((0, -1, 0.5), "not x₂"),
        ((1, -1, 0.5), "must be below 0"), ((0, 1, -1), r"At x = \(0, 1\) the sum is 0, so the unit fires"),
        ((1, 1, 0), "0 is enough to fire"), (("1", -1, -0.5), "number"), ((1, np.nan, -0.5), "finite"),
        ((1, -np.inf, -0.5), "finite"),
    ],
    "18.b": [((0.19, 0.09, 1), "another order"), ((0.09, 0.09, 1), "sigmoid"), ((9, 19, 100), "per cent")],
    "18.c": [((-1, 0.5), "another order"), ((0.25, -1), "half")],
    "18.d": [((702.7, 563), "not 702.7"), ((563, 703), "another order"), ((703, 562.8), "not 562.8")],
    "18.e": [((LOSS, SLOPES[[1, 0, 2]]), "another order"), ((2.4, SLOPES), "rounded"), ((LOSS, -0.91), "Three slopes")],
    "18.f": [((0.93, [0.0, 0.56], -0.56), "exchange"), ((0.93, 0.56, -0.56), "2|two|shape")],
    "18.g": [((SHAPES[1], SHAPES[0], SHAPES[2]), "another order"), ((150, *SHAPES[1:]), "D₂")],
    "18.h": [(57, "not 57"), (59.3, "not 59.3"), (118, "twice")],
    "18.1": [
        (lambda D, W, A: D @ W * A * (1 - A), "transpose"),
        (lambda D, W, A: -(D @ W.T) * A * (1 - A), "wrong sign"),
        (lambda D, W, A: D @ W.T * A * (1 + A), "with a plus where a minus belongs"),
    ],
    "18.2": [
        (lambda f, w, eps: right.differences(f, w, 0.1), "You use eps = 0.1"),
        (lambda f, w, eps: right.differences(f, w, eps / 2), "array of differences"),
        (_vectors_only, r"shape|\(3,\)|entries"),
        (_spoils_w, "changes its argument w"),
        (lambda f, w, eps: _by_steps(f, w, eps, flat=True), "stops with|inner sizes|multiplies with"),
        (lambda f, w, eps: 3 * w**2, "array of differences|shape"),
    ],
    "18.3": [
        (_bump(scale=0.5), "half the right value"),
        (_bump(b2=0.5), "b2 must be 0"),
        (_bump(lambda left, right: (1.0, 3.0)), "Given left = -0.5.*y at x = 2 is"),
        (_bump(lambda left, right: (right, left)), "the other way"),
        (lambda left, r, height, s: (np.array([s, s]), np.zeros(2), np.ones((2, 1)), np.zeros(1)), "W1 must have"),
        (lambda left, r, height, s: ("W1", 2, 3, 4), "must hold numbers"),
        (lambda left, r, height, s: 3.0, "four arrays"),
        (lambda left, r, height, s: None, "four arrays"),
    ],
    "18.4": [
        (lambda X, t, *rest: right.train_step(X, np.ones(len(X)), *rest), "it should be"),
        (lambda *a: right.train_step(*a[:-1], 0.5), "You use eta = 0.5"),
        (lambda *a: right.train_step(*a)[::-1], "another order"),
        (lambda *a: right.train_step(*a)[:2], "4 things"),
        (_spoils_W1, "changes its argument W1"),
        (_in_place, "changes its argument W1"),
    ],
}  # fmt: skip

RIGHT = {
    "18.a": [(1, -1, -0.5), (1, -1, -1), (2.5, -7.0, -0.1), (np.float32(1), [-1], np.array([-0.5])), (1, -1, -1e-9)],
    "18.b": [(0.09, 0.19, 1), (np.float32(0.09), [0.19], 1.0), (Fraction(9, 100), Fraction(19, 100), 1)],
    "18.c": [(0.5, -1), ([0.5], np.array([-1]))],
    "18.d": [(703, 563), (703.0, np.int64(563))],
    "18.e": [(2.41, [0.67, 0.24, -0.91]), (2.4076, tuple(np.float32(SLOPES))), (LOSS, SLOPES[None])],
    "18.f": [(0.93, (0.56, 0), -0.56), ([0.93], np.float32(DELTAS), -0.56), (0.93, [[0.56], [0.0]], -0.56)],
    "18.g": [([50, 3], np.array([50, 20]), (10.0, 20.0))],
    "18.h": [59, 59.0, np.array([59])],
    "18.1": [
        lambda D, W, A: np.einsum("nk,mk->nm", D, W) * (A - A**2),
        lambda D, W, A: [[A[n, m] * (1 - A[n, m]) * (W[m] @ D[n]) for m in range(len(W))] for n in range(len(D))],
    ],
    "18.2": [_by_steps],
    "18.3": [
        _bump(),
        lambda left, r, height, s: ([[-s, s]], [s * r, -s * left], [[height], [height]], [-height]),
        lambda left, r, height, s: [np.array(p) for p in ([[s, s]], [-s * r, -s * left], [[-height], [height]], [0.0])],
    ],
    "18.4": [_rows],
}

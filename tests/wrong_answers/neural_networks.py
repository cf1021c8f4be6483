"""Typical wrong answers to the exercises of chapter 18, each with words that the check must say."""

from fractions import Fraction

import numpy as np

from mlteach.exercises import neural_networks as right
from mlteach.neural_networks import sigmoid

P = np.exp([1.0, 0, -1]) / np.exp([1.0, 0, -1]).sum()
LOSS, SLOPES = -np.log(P[2]), P - [0, 0, 1]
DELTAS = [0.56, 0.0]


def _spoils_w(f, w, eps):
    slopes = right.differences(f, w, eps)
    w += eps
    return slopes


def _one_sided(f, w, eps):
    slopes = np.zeros(w.shape)
    for k in np.ndindex(w.shape):
        up = w.copy()
        up[k] += eps
        slopes[k] = (f(up) - f(w)) / eps
    return slopes


def _eps_only(f, w, eps):
    return 2 * right.differences(f, w, eps)


def _own_eps(f, w, eps):
    return right.differences(f, w, 0.1)


def _hands_flat(f, w, eps):
    """Hand f a flat array, whatever the shape of w."""
    steps = eps * np.eye(w.size)
    return np.array([(f(w.ravel() + e) - f(w.ravel() - e)) / (2 * eps) for e in steps]).reshape(w.shape)


def _vectors_only(f, w, eps):
    slopes = []
    for k in range(len(w)):
        up, down = w.copy(), w.copy()
        up[k] += eps
        down[k] -= eps
        slopes.append((f(up) - f(down)) / (2 * eps))
    return slopes


def _bump(W1, b1, W2, b2=0.0):
    return lambda left, right, height, s: (
        np.array([W1(s)]),
        np.array(b1(left, right, s)),
        np.array([[w] for w in W2(height)]),
        np.array([b2]),
    )


def _both(s):
    return [s, s]


def _edges(left, right, s):
    return [-s * left, -s * right]


def _up_down(height):
    return [height, -height]


def _other_way_round(left, right, height, s):
    return [[-s, s]], [s * right, -s * left], [[height], [height]], [-height]


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
        ((1, 1, -1.5), "That is AND"),
        ((1, 1, -0.5), "That is OR"),
        ((-1, 1, -0.5), "exchanged"),
        ((-1, 1, 0.5), "Change all three signs"),
        ((1, -1, 0), "b = 0"),
        ((1, -1, -2), "never fires"),
        ((1, -1, 5), "always fires"),
        ((1, 0, -0.5), "copies x₁"),
        ((0, -1, 0.5), "not x₂"),
        ((1, -1, 0.5), "must be below 0"),
        (("1", -1, -0.5), "number"),
        ((1, np.nan, -0.5), "finite"),
        ((1, -np.inf, -0.5), "finite"),
        ((np.nan, -1, -0.5), "finite"),
    ],
    "18.b": [
        ((0.19, 0.09, 1), "slope of tanh"),
        ((sigmoid(0.9) * (1 - sigmoid(0.9)), 0.19, 1), "output a"),
        ((0.1, 0.19, 1), "Multiply by a"),
        ((0.25, 0.19, 1), "largest slope"),
        ((0.81, 0.19, 1), "a²"),
        ((0.09, 1 - np.tanh(0.9) ** 2, 1), "at z = 0.9"),
        ((0.09, 0.1, 1), "Square the output"),
        ((0.09, 0.81, 1), "1 minus"),
        ((0.09, 0.09, 1), "sigmoid"),
        ((0.09, 0.19, 0.9), "output"),
        ((0.09, 0.19, 0), "it is on"),
    ],
    "18.c": [
        ((1.0, -1), "weight -2"),
        ((2.5, -1), "-2, not 2"),
        ((1.5, -1), "That is h₁"),
        ((0, -1), "0 and 1 only"),
        ((0.5, 1), "weight -2"),
        ((0.5, 7), "-2, not 2"),
        ((0.5, 3), "That is h₁"),
        ((0.5, 0), "no ReLU"),
    ],
    "18.d": [
        ((660, 563), "offsets are missing"),
        ((53, 563), "Those are the units"),
        ((43, 563), "Add the weights"),
        ((12000, 563), "Layers add"),
        ((713, 563), "inputs have no offsets"),
        ((283, 563), "between the two hidden"),
        ((702.7, 563), "not 702.7"),
        ((563, 703), "exchanged"),
        ((703, 562.8), "not 562.8"),
        ((703, 520), "offsets are missing"),
        ((703, 1200), "Layers add"),
        ((703, 573), "inputs have no offsets"),
    ],
    "18.e": [
        ((-np.log(P[0]), SLOPES), "first class"),
        ((P[2], SLOPES), "minus its logarithm"),
        ((np.log(P[2]), SLOPES), "minus it"),
        ((-np.log10(P[2]), SLOPES), "natural"),
        ((0.5 * np.sum(SLOPES**2), SLOPES), "half the squared error"),
        ((1 - P[2], SLOPES), "not 1 - y"),
        ((LOSS, P), "Subtract the targets"),
        ((LOSS, -SLOPES), "not t - y"),
        ((LOSS, P - [1, 0, 0]), "third class is true"),
        ((LOSS, P * (1 - P)), "slopes of y"),
        ((LOSS, SLOPES * P * (1 - P)), "cancels"),
        ((LOSS, P[2] - 1), "Three slopes"),
        ((LOSS, SLOPES[::-1]), "reverse"),
    ],
    "18.f": [
        ((0.63, DELTAS, -0.56), "offset of the output"),
        ((1.17, DELTAS, -0.56), "negative sum"),
        ((0.8, DELTAS, -0.56), "y - t"),
        ((0.5, DELTAS, -0.56), "of the example"),
        ((0.58, DELTAS, -0.56), "column of W₁"),
        ((0.93, [0.56, -0.48], -0.56), "is off"),
        ((0.93, [-0.56, 0], -0.56), "y - t"),
        ((0.93, [0.504, 0], -0.56), "not the output"),
        ((0.93, [0.72, 0], -0.56), "slopes of the second layer"),
        ((0.93, [0.8, 0], -0.56), "weight of the output"),
        ((0.93, [0.77, -0.13], -0.56), "output units only"),
        ((0.93, DELTAS, 0.56), "x₂ is -1"),
        ((0.93, DELTAS, 0.168), "weight itself"),
        ((0.93, DELTAS, 0), "second hidden unit"),
        ((0.93, DELTAS, -0.8), "not that of the output"),
    ],
    "18.g": [
        (((3, 50), (50, 20), (10, 20)), "exchange the two"),
        (((50, 3), (20, 50), (10, 20)), "exchange the two"),
        (((50, 3), (50, 20), (20, 10)), "row for each input"),
        (((50, 3), (50, 10), (10, 20)), "input table"),
        (((50, 3), (50, 3), (10, 20)), "one layer down"),
        (((50, 3), (50, 20), (50, 20)), "sums over the samples"),
        (((50, 3), (50, 20), (11, 20)), "only the weights"),
        (((50, 3), (50, 20), (20, 3)), "shape of W₂"),
        (((1, 3), (50, 20), (10, 20)), "each of the 50 samples"),
        ((150, (50, 20), (10, 20)), "D₂"),
    ],
    "18.h": [
        (60, "number of cells"),
        (120, "bound of sigmoids"),
        (119, "bound of sigmoids"),
        (61, "not one more"),
        (29, "2 long"),
        (20, "Λ = 3"),
        (58, "not 58"),
        (59.3, "not 59.3"),
    ],
    "18.1": [
        (lambda D, W, A: D @ W.T, "slope of the units below"),
        (lambda D, W, A: D @ W.T * sigmoid(A) * (1 - sigmoid(A)), "outputs already"),
        (lambda D, W, A: D @ W.T * (1 - A**2), "slope of tanh"),
        (lambda D, W, A: D @ W.T * A, "multiplies by the output"),
        (lambda D, W, A: A.T @ D, "slope of the weights"),
        (lambda D, W, A: D @ W.T * A * (1 - A) / len(D), "in D already"),
        (lambda D, W, A: D @ W * A * (1 - A), "transpose"),
        (lambda D, W, A: -(D @ W.T) * A * (1 - A), "wrong sign"),
    ],
    "18.2": [
        (_one_sided, "one-sided"),
        (_eps_only, "2 eps"),
        (_own_eps, "eps"),
        (_vectors_only, "shape|\\(3,\\)|entries"),
        (_spoils_w, "chang"),
        (_hands_flat, "stops with|inner sizes|multiplies with"),
        (lambda f, w, eps: right.differences(f, w, eps) * 2 * eps / 2 * eps, "write / \\(2"),
        (lambda f, w, eps: np.full(w.shape, (f(w + eps) - f(w - eps)) / (2 * eps)), "all entries at once"),
        (lambda f, w, eps: right.differences(f, w, eps).ravel(), "shape of w"),
        (lambda f, w, eps: 3 * w**2, "."),
    ],
    "18.3": [
        (_bump(_both, lambda left, r, s: [-left, -r], _up_down), "-s times the edge"),
        (_bump(_both, lambda left, r, s: [s * left, s * r], _up_down), "wrong sign"),
        (_bump(_both, _edges, lambda h: [h, h]), "count down"),
        (_bump(_both, _edges, lambda h: [-h, h]), "other way"),
        (_bump(lambda s: [1, 1], lambda left, r, s: [-left, -r], _up_down), "steepness s is missing"),
        (_bump(_both, _edges, lambda h: [1, -1]), "height is missing"),
        (_bump(_both, _edges, lambda h: [h / 2, -h / 2]), "gives 1.25"),
        (_bump(_both, _edges, _up_down, 0.5), "b2 must be 0"),
        (_bump(_both, lambda left, r, s: [-s * 1.0, -s * 3.0], _up_down), "Given left=-0.5"),
        (lambda left, r, height, s: (np.array([s, s]), np.zeros(2), np.ones((2, 1)), np.zeros(1)), "W1 must have"),
        (lambda left, r, height, s: 3.0, "four arrays"),
        (lambda left, r, height, s: None, "four arrays"),
    ],
    "18.4": [
        (right._step_with(sign=-1.0), "uphill"),
        (right._step_with(mean=False), "slope of the sum"),
        (right._step_with(top=lambda y, t, z: (y - t) * y * (1 - y)), "squared error"),
        (right._step_with(top=lambda y, t, z: z - t), "sigmoid"),
        (right._step_with(slope=lambda A, Z: np.ones_like(A)), "slope of tanh"),
        (right._step_with(slope=lambda A, Z: A * (1 - A)), "Hidden units are tanh"),
        (right._step_with(old=False), "old weights"),
        (right._hidden_target, "output only"),
        (right._offset_means, "not their mean"),
        (right._sigmoid_hidden, "Hidden units are tanh"),
        (lambda *a: right.train_step(*a[:-1], 1.0), "eta"),
        (lambda *a: [p - q for p, q in zip(a[2:6], right.train_step(*a[:-1], 1.0))], "Those are the slopes"),
        (lambda *a: [q - p for p, q in zip(a[2:6], right.train_step(*a))], "steps alone"),
        (right._step_with(half=True), "first layer did not move"),
        (lambda X, t, *rest: right.train_step(X, np.ones(len(X)), *rest), "it should be"),
        (_spoils_W1, "chang"),
        (_in_place, "chang"),
        (lambda X, t, W1, b1, W2, b2, eta: right.train_step(X, t, W1, b1, W2, b2, 0.5), "eta"),
    ],
}

RIGHT = {
    "18.a": [(1, -1, -0.5), (1, -1, -1), (2.5, -7.0, -0.1), (np.float32(1), [-1], np.array([-0.5])), (1, -1, -1e-9)],
    "18.b": [(0.09, 0.19, 1), (np.float32(0.09), [0.19], 1.0), (Fraction(9, 100), Fraction(19, 100), 1)],
    "18.c": [(0.5, -1), ([0.5], np.array([-1]))],
    "18.d": [(703, 563), (703.0, np.int64(563))],
    "18.e": [
        (2.41, [0.67, 0.24, -0.91]),
        (LOSS, tuple(SLOPES)),
        (2.4076, (SLOPES * 1.0).astype(np.float32)),
        (LOSS, SLOPES[None]),
    ],
    "18.f": [
        (0.93, (0.56, 0), -0.56),
        ([0.93], np.array([0.56, 0.0]), np.float32(-0.56)),
        (0.93, [[0.56], [0.0]], -0.56),
    ],
    "18.g": [((50, 3), (50, 20), (10, 20)), ([50, 3], np.array([50, 20]), (10.0, 20.0))],
    "18.h": [59, 59.0, np.array([59])],
    "18.1": [
        lambda D, W, A: np.einsum("nk,mk->nm", D, W) * (A - A**2),
        lambda D, W, A: [[A[n, m] * (1 - A[n, m]) * (W[m] @ D[n]) for m in range(len(W))] for n in range(len(D))],
    ],
    "18.2": [
        lambda f, w, eps: np.array(
            [(f(w + e.reshape(w.shape)) - f(w - e.reshape(w.shape))) / (2 * eps) for e in eps * np.eye(w.size)]
        ).reshape(w.shape),
    ],
    "18.3": [
        _other_way_round,
        lambda left, r, height, s: ([[s, s]], [-s * left, -s * r], [[height], [-height]], 0.0),
        lambda left, r, height, s: [np.array(p) for p in ([[s, s]], [-s * r, -s * left], [[-height], [height]], [0.0])],
    ],
    "18.4": [_rows],
}

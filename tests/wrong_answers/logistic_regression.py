"""Chapter 08: wrong answers that no table holds, with words that the check must say, and right ones of another form."""

import numpy as np

from mlteach.exercises.logistic_regression import penalised_step, sample, sigma, softmax_step_direction, total_loss

P, LOSS, *G = sample(1.5, 0)


def _naive(a, t, least=0.0):
    p = np.clip(sigma(a), least, 1 - least)
    return -np.sum(t * np.log(p) + (1 - t) * np.log(1 - p))


def _patched(a, t, each=np.nan_to_num, whole=np.array):
    p = sigma(a)
    return -np.sum(whole(each(t * np.log(p)) + each((1 - t) * np.log(1 - p))))


def _zeroed(a, t):
    return _patched(a, t, np.array, lambda value: np.nan_to_num(value, nan=0, neginf=0))


def _loss_in_place(a, t):
    a *= 2 * t - 1
    return np.logaddexp(0, -a).sum()


def _in_place(Phi, t, v, lam):
    v -= v - penalised_step(Phi, t, v, lam)
    return v


def _gradient(W, X, y, K):
    E = np.exp(X @ W.T)
    return (E / E.sum(axis=1, keepdims=True) - np.eye(K)[y]).T @ X


def _counted(W, X, y):
    K = len(np.unique(y))
    return _gradient(W[:K], X, np.minimum(y, K - 1), K)


def _direction_in_place(W, X, y):
    X -= X.mean()
    return softmax_step_direction(W, X, y)


WRONG = {
    "8.a": [(4 / 7, "one minus"), (42.857, "per cent"), (42.9, "per cent"), (43, "per cent"), (0.35, "is not 0.35")],
    "8.b": [
        ((0.8, 1.7, 0.8), "3 entries; 5 are wanted"), ((P, 2.0, *G), "the loss is not 2"),
        ((P, LOSS, *G[:2], 0.5), "the derivative by w2 is not 0.5"),
        ((0.5, 1, 0.5, 1, 0.25), r"p is not 0.5. \(5 of 5 entries differ"),
    ],
    "8.c": [(2, "is not 2")],
    "8.d": [((0, 0.8), "w is right"), ((-2, 1), "b is right"), ((1, 1), "is not"), (-2, "one number; shape")],
    "8.e": [((5.977, 1.844), "wrong order"), ((1.84, 6.5), "upper end is not 6.5")],
    "8.f": [(0.3, "is not")],
    "8.g": [
        ((np.log(2), 2 / 3, -0.5, 0.5), "sigmoid per class"), ((np.log(12), 2 / 3, -0.5, 0.5), "sigmoid per class"),
        ((np.log(4), 0.5, -0.75, 0.3), "by b3 is not 0.3"),
    ],
    "8.h": [
        ((1.6094, 4, 21), "the variance is not 21"), ((1.6094, 3, 20), "the mean is not 3"),
        ((1.6, 4, 20), "rounded or cut off too far"),
    ],
    "8.1": [
        ((0.375, -1.125), "slope of p"), ((0.4, -1.2), "rise of p"), ((0.273, -0.82), "rise of the log-odds"),
        ((0.651, -1.95), "base 10"), ((0.667, -2), "one over w"), ((2.197, -6.6), "divide it by the distance"),
        ((6.14, -18.4), "odds 9"), ((0.614, -1.84), "p = 0.9 itself"), ((0.401, -1.2), "of ln p"),
        ((-4.5, 1.5), "wrong order"), ((1.5, 0), "b is not"), ((2.5, -7.5), "w is not"), (1.5, "two numbers: w, b"),
        (("1.5", "-4.5"), "is the text '1.5'"), ((float("nan"), 1), "nan"),
    ],
    "8.2": [
        (_naive, "overflows"),
        (lambda a, t: _naive(a, t, 1e-12), "clipping"),
        (lambda a, t: total_loss(np.clip(a, -500, 500), t), "or the scores"),
        (_patched, "logarithm of 0"),
        (lambda a, t: np.nan_to_num(_naive(a, t)), "nan_to_num"),
        (lambda a, t: np.sum(np.nan_to_num(np.log1p(np.exp(-(2 * t - 1) * a)))), "overflows"),
        (_zeroed, "nan_to_num"),
        (lambda a, t: _naive(a, t) / len(a), "mean"),
        (lambda a, t: -_naive(a, t), "wrong sign"),
        (lambda a, t: -np.sum(t * np.log(sigma(a))), "t = 0 are missing"),
        (lambda a, t: 1.6265233750364456, "whatever it is given"),
        (_loss_in_place, "changes its argument a in place"),
    ],
    "8.3": [(lambda Phi, t, v, lam: penalised_step(Phi, t, v, 0.7), "0.7"), (_in_place, "changes its argument v in")],
    "8.4": [
        (lambda W, X, y: softmax_step_direction(W, X, y).T, "swapped"),
        (lambda W, X, y: _gradient(W, X, y, 3), "stops for 4"),
        (lambda W, X, y: _gradient(W, X, y, y.max() + 1), "absent"),
        (_counted, "absent"),
        (lambda W, X, y: _gradient(W, X, y, len(W)), "largest score"),
        (lambda W, X, y: _gradient(W, X, y, len(W)) / len(y), "mean"),
        (_direction_in_place, "changes its argument X in place"),
    ],
}  # fmt: skip

RIGHT = {
    "8.a": [3 / 7, np.array([0.4286]), 0.429],
    "8.b": [list(sample(1.5, 0)), np.array(sample(1.5, 0), dtype=np.float32), (0.818, 1.701, 0.818, 1.635, 0.409)],
    "8.c": [np.log(3), 1.099, np.array(1.0986)],
    "8.d": [[-2, 0.8], np.array([-2.0, 0.8]), {"b": -2, "w": 0.8}],
    "8.e": [(1.84, 5.98), [1.844, 5.977], np.exp([0.612, 1.788])],
    "8.f": [0.455, np.float32(0.4551), [0.455]],
    "8.g": [[np.log(4), 0.5, -0.75, 0.25], (1.386, 0.5, -0.75, 0.25)],
    "8.h": [[1.609, 4, 20], (1.6094, 4.0, 20)],
    "8.1": [[1.5, -4.5], np.array([1.49, -4.47]), {"w": 1.5, "b": -4.5}, (np.array([1.52]), -4.6)],
    "8.2": [
        lambda a, t: np.logaddexp(0, -(2 * t - 1) * a).sum(),
        lambda a, t: np.array([np.logaddexp(0, a).sum() - np.sum(t * a)]),
        lambda a, t: float(sum(np.logaddexp(0, a[i] if t[i] == 0 else -a[i]) for i in range(len(a)))),
    ],
    "8.3": [
        lambda Phi, t, v, lam: list(penalised_step(Phi, t, v, lam)),
        lambda Phi, t, v, lam: tuple(penalised_step(Phi, t, v, lam).astype(np.float32)),
    ],
    "8.4": [
        lambda W, X, y: softmax_step_direction(W, X, y).tolist(),
        lambda W, X, y: sum(softmax_step_direction(W, X[[n]], y[[n]]) for n in range(len(y))),
    ],
}

"""Typical wrong answers to the tasks of chapter 08, each with words that the check must say, and right ones in form."""

import numpy as np

from mlteach.exercises.logistic_regression import (
    _descent,
    _direction_with,
    _last_free,
    _mean_step,
    _own_class_only,
    _sample,
    _sigma,
    _step_with,
    _targets_times_weight,
    _twice,
    penalised_step,
    softmax_step_direction,
    total_loss,
)

_P, _LOSS, *_G = _sample()
_LN4 = np.log(4)


def _naive(a, t):
    p = _sigma(a)
    return -np.sum(t * np.log(p) + (1 - t) * np.log(1 - p))


def _clipped(a, t):
    p = np.clip(_sigma(a), 1e-12, 1 - 1e-12)
    return -np.sum(t * np.log(p) + (1 - t) * np.log(1 - p))


def _patched(a, t):
    p = _sigma(a)
    return -np.sum(np.nan_to_num(t * np.log(p)) + np.nan_to_num((1 - t) * np.log(1 - p)))


def _zeroed(a, t):
    p = _sigma(a)
    return -np.sum(np.nan_to_num(t * np.log(p) + (1 - t) * np.log(1 - p), nan=0, neginf=0))


def _loss_in_place(a, t):
    a *= 2 * t - 1
    return np.logaddexp(0, -a).sum()


def _in_place(Phi, t, v, lam):
    v -= v - penalised_step(Phi, t, v, lam)
    return v


def _stuck(Phi, t, v, lam):
    return penalised_step(Phi, t, v, 0.7)


def _counted(W, X, y):
    K = len(np.unique(y))
    return _direction_with(W[:K], X, np.minimum(y, K - 1))


def _from_labels(W, X, y):
    P = np.exp(X @ W.T)
    return (P / P.sum(axis=1, keepdims=True) - np.eye(y.max() + 1)[y]).T @ X


def _three_classes(W, X, y):
    P = np.exp(X @ W.T)
    return (P / P.sum(axis=1, keepdims=True) - np.eye(3)[y]).T @ X


def _overflowing(W, X, y):
    P = np.exp(X @ W.T)
    return (P / P.sum(axis=1, keepdims=True) - np.eye(len(W))[y]).T @ X


def _direction_in_place(W, X, y):
    W *= 1.0
    X -= X.mean()
    return softmax_step_direction(W, X, y)


WRONG = {
    "8.a": [
        (0.6, "multiplied the probability"),
        (0.75, "new odds"),
        (1 / 13, "divided the odds"),
        (3, "odds ratio itself"),
        (float(_sigma(np.log(0.25) + 3)), "ln 3"),
        (4 / 7, "one minus"),
        (42.857, "per cent"),
        (42.9, "per cent"),
        (0.35, "is not 0.35"),
        (0.375, "took the risk 0.2 for odds"),
        (_sigma(0.2 + np.log(3)), "0.2 for the log-odds"),
        (0.25, "without the treatment"),
        (1 / 65, "multiplied the log-odds"),
        (-0.288, "new log-odds"),
    ],
    "8.b": [
        (_sample(t=1.0), "the target here is 0"),
        ((_P, -_LOSS, *_G), "positive"),
        ((_P, _LOSS, *(-g for g in _G)), "prediction minus target"),
        ((_P, _LOSS / np.log(2), *_G), "base 2"),
        ((_P, _LOSS / np.log(10), *_G), "base 10"),
        ((_P, _LOSS, *(g * _P * (1 - _P) for g in _G)), "squared error"),
        ((_P, _LOSS, *(2 * g * _P * (1 - _P) for g in _G)), "squared error"),
        ((_P, _P**2, *_G), "squared error"),
        ((_P, -np.log(_P), *_G), "that of t = 1"),
        (_sample(a=1.0), "bias"),
        (_sample(a=3.5), "w2 is -2"),
        (_sample(a=0.5), "bias is added"),
        (_sample(a=-0.5), "each weight by its input"),
        (_sample(a=-3.0), "belongs to w1"),
        ((1 - _P, _LOSS, *_G), "chance of t = 0"),
        ((_P, _LOSS, _P, _P, _P), "factors x1 and x2"),
        ((_P, _LOSS, _P, _P, -2 * _P), "by the weights"),
        ((1.5, _LOSS, *_G), "1.5 is the score"),
        ((_P, _LOSS, _P - 1, 2 * (_P - 1), 0.5 * (_P - 1)), "those for t = 1"),
        ((0.8, 1.7, 0.8), "3 entries; 5 are wanted"),
        ((_P, 2.0, *_G), "the loss is not 2"),
        ((_P, _LOSS, _G[1], _G[2], _G[0]), "b first"),
        ((_P, _LOSS, _G[0], _G[1], 0.5), "the derivative by w2 is not 0.5"),
        ((0.5, 1, 0.5, 1, 0.25), r"p is not 0.5. \(5 of 5 entries differ"),
    ],
    "8.c": [
        (0.75, "This is p"),
        (3, "odds"),
        (np.log(0.75), "ln p"),
        (np.log10(3), "base 10"),
        (np.log2(3), "base 2"),
        (-np.log(3), "sign"),
        (_sigma(0.75), "applied σ"),
        (0, "20 ones"),
        (2, "is not 2"),
    ],
    "8.d": [
        ((2, -0.8), "uphill"),
        ((0.8, -2), "first"),
        ((-0.5, 0.2), "weights p"),
        ((0, 3.5), "gradient descent"),
        ((13.125, 48.125), "multiplied by the Hessian"),
        ((-3.03507, 1.21403), "first step is wanted"),
        ((0, -3.5), "This is the gradient"),
        ((0, 3.5 / 13.75), "diagonal"),
        ((-2.14, 0.95), "eight points"),
        ((-2.142857, 0.952381), "eight points"),
        ((-8, 3.2), "twice"),
        ((-2.688e-16, 0.2), "least squares with the targets t"),
        ((-1, 0.4), "not 1/2"),
        ((-0.125, 0.05), "you multiplied"),
        ((0, 0.8), "w is right"),
        ((-2, 1), "b is right"),
        ((1, 1), "is not"),
        (-2, "one number; shape"),
    ],
    "8.e": [
        ((0.612, 1.788), "take exponentials"),
        ((1.226, 1.815), "one year"),
        ((3.679, 5.444), "multiply"),
        ((2.729, 4.039), "three times that of w"),
        (tuple(np.exp([1.2 - 0.196 * 3**0.5, 1.2 + 0.196 * 3**0.5])), "√3"),
        (tuple(np.exp([0.9, 1.5])), "68 %"),
        ((3.3201 - 0.588, 3.3201 + 0.588), "exponentiate its ends"),
        (tuple(np.exp([1.2 - 0.4935, 1.2 + 0.4935])), "90 %"),
        ((1.822, 6.05), "2 standard errors"),
        ((5.977, 1.844), "wrong order"),
        ((1.84, 6.5), "upper end is not 6.5"),
    ],
    "8.f": [
        (0.25 / np.log(3), "or took the mean"),
        (1.5 / np.log(3), "3/4"),
        (0.5, "Divide by w"),
        (1 / np.log(3), "factor"),
        (0.5 / np.log(3) ** 2, "not lam w²"),
        (1 / 6, "not 3"),
        (2 * _sigma(-3) / 3, "not 3"),
        (0.5 * np.log(3), "instead of multiplying"),
        (np.log(3), "This is w"),
        (0.5 / np.log10(3), "base 10"),
        (0, "no minimiser"),
        (0.3, "is not"),
    ],
    "8.g": [
        ((_LN4, -0.5, 0.75, -0.25), "wrong sign"),
        ((_LN4, 0.5, 0.25, 0.25), "subtract the one-hot"),
        ((np.log(2), 0.5, -0.75, 0.25), "loss of class 1"),
        ((-_LN4, 0.5, -0.75, 0.25), "positive"),
        ((2, 0.5, -0.75, 0.25), "base 2"),
        ((np.log10(4), 0.5, -0.75, 0.25), "base 10"),
        ((4, 0.5, -0.75, 0.25), "sum of the exponentials"),
        ((_LN4, np.log(2), -1, 0), "softmax first"),
        ((0.25, 0.5, -0.75, 0.25), "chance of the true class"),
        ((_LN4, -0.5, 0.25, 0.25), "stands second"),
        ((_LN4, 0.5, 0.25, -0.75), "stands second"),
        ((_LN4, 1, -1, 0), "one-hot prediction"),
        ((_LN4, 2 / 3, -0.5, 0.5), "sigmoid per class"),
        ((np.log(2), 2 / 3, -0.5, 0.5), "sigmoid per class"),
        ((np.log(12), 2 / 3, -0.5, 0.5), "sigmoid per class"),
        ((_LN4, 0.5, 0.75, 0.25), "and negative"),
        ((2.3671, 0.5, -0.75, 0.25), "yes/no loss for each class"),
        ((_LN4, 0.5, -0.75, 0.3), "by b3 is not 0.3"),
    ],
    "8.1": [
        ((1.5, 4.5), "wrong sign"),
        ((1.5, -3), "-3 w"),
        ((0.375, -1.125), "slope of p"),
        ((0.4, -1.2), "rise of p"),
        ((0.273, -0.82), "rise of the log-odds"),
        ((0.651, -1.95), "base 10"),
        ((0.667, -2), "one over w"),
        ((2.197, -6.6), "divide it by the distance"),
        ((6.14, -18.4), "odds 9"),
        ((0.614, -1.84), "p = 0.9 itself"),
        ((-1.5, 4.5), "rises"),
        ((-4.5, 1.5), "wrong order"),
        ((1.5, 0), "b is not"),
        ((2.5, -7.5), "w is not"),
        (1.5, "two numbers: w, b"),
        (("1.5", "-4.5"), "is the text '1.5'"),
        ((float("nan"), 1), "nan"),
    ],
    "8.2": [
        (_naive, "overflows"),
        (_clipped, "clipping"),
        (lambda a, t: total_loss(np.clip(a, -500, 500), t), "or the scores"),
        (_patched, "logarithm of 0"),
        (lambda a, t: np.nan_to_num(_naive(a, t)), "nan_to_num"),
        (lambda a, t: np.sum(np.nan_to_num(np.log1p(np.exp(-(2 * t - 1) * a)))), "overflows"),
        (_zeroed, "nan_to_num"),
        (lambda a, t: total_loss(a, t) / len(a), "mean"),
        (lambda a, t: np.logaddexp(0, -(2 * t - 1) * a), "one by one"),
        (lambda a, t: total_loss(a, 1 - t), "swapped"),
        (lambda a, t: -total_loss(a, t), "wrong sign"),
        (lambda a, t: total_loss(a, np.ones(len(a))), "every sample"),
        (lambda a, t: np.logaddexp(0, -t * a).sum(), "-1 and 1"),
        (lambda a, t: total_loss(a, t) / np.log(2), "base 2"),
        (lambda a, t: total_loss(a, t) / np.log(10), "base 10"),
        (lambda a, t: np.logaddexp(0, a).sum(), "-t a"),
        (lambda a, t: np.maximum(-(2 * t - 1) * a, 0).sum(), "logarithm ln"),
        (lambda a, t: np.maximum(1 - (2 * t - 1) * a, 0).sum(), "hinge"),
        (lambda a, t: np.sum((t - _sigma(a)) ** 2), "squared error"),
        (lambda a, t: -np.sum(t * np.log(_sigma(a))), "missing"),
        (lambda a, t: 1.6265233750364456, "whatever it is given"),
        (_loss_in_place, "changes its argument a in place"),
    ],
    "8.3": [
        (_step_with(bias=(1, 1)), "penalise the bias"),
        (_step_with(bias=(1, 0)), "In the gradient you penalise the bias"),
        (_step_with(bias=(0, 1)), "In the Hessian you penalise the bias"),
        (_step_with(pull=-1.0), "you took t - p"),
        (_step_with(r=lambda p: p), "you took p"),
        (_mean_step, "divided loss or gradient by N"),
        (_last_free, "the bias is the first"),
        (_targets_times_weight, "you multiplied"),
        (_twice, "two steps"),
        (_step_with(slope=0.0, bend=0.0), "penalty is missing"),
        (_step_with(slope=0.0), "missing in the gradient"),
        (_step_with(bend=0.0), "missing in the Hessian"),
        (_step_with(slope=2.0, bend=2.0), "without a 2"),
        (_step_with(slope=0.5, bend=0.5), "half of each"),
        (_step_with(slope=2.0), "2 lam w"),
        (_step_with(slope=0.5), "half of it"),
        (lambda Phi, t, v, lam: v - Phi.T @ (_sigma(Phi @ v) - t), "without the penalty"),
        (_step_with(slope=-1.0), "wrong sign"),
        (_step_with(sign=-1.0), "uphill"),
        (_step_with(r=np.ones_like), "weights p"),
        (_step_with(inverse=False), "solve"),
        (_step_with(start=False), "add it to v"),
        (_step_with(start=False, sign=-1.0), "minus the step"),
        (_step_with(fresh=True), "zero weights"),
        (_descent, "gradient descent"),
        (_stuck, "0.7"),
        (_in_place, "changes its argument v in place"),
    ],
    "8.4": [
        (lambda W, X, y: -softmax_step_direction(W, X, y), "downhill"),
        (lambda W, X, y: softmax_step_direction(W, X, y) / len(y), "mean"),
        (lambda W, X, y: _direction_with(W, X, y, hard=True), "one-hot"),
        (lambda W, X, y: _direction_with(W, X, y, axis=0), "over the classes"),
        (lambda W, X, y: _direction_with(W, X, y, axis=0, by_row=True), "over the classes"),
        (lambda W, X, y: _direction_with(W, X, y, target=False), "targets are missing"),
        (lambda W, X, y: softmax_step_direction(W, X, y).T, "swapped"),
        (lambda W, X, y: (_sigma(X @ W.T) - np.eye(len(W))[y]).T @ X, "sigmoid per class"),
        (lambda W, X, y: _direction_with(W, X, y, axis=None), "whole table"),
        (lambda W, X, y: _direction_with(W, X, y, slope=True), "cancels"),
        (_own_class_only, "pushes down"),
        (lambda W, X, y: W - softmax_step_direction(W, X, y), "after a step"),
        (lambda W, X, y: softmax_step_direction(W, X, y - 1), "shifted"),
        (lambda W, X, y: (X @ W.T - np.eye(len(W))[y]).T @ X, "their softmax"),
        (_three_classes, "stops for 4"),
        (_counted, "absent"),
        (_from_labels, "absent"),
        (_overflowing, "largest score"),
        (_direction_in_place, "changes its argument X in place"),
    ],
    "8.h": [
        ((np.log(0.2), 4, 20), "minus sign"),
        ((-np.log(0.2), 4, 4), "Poisson"),
        ((-np.log(0.2), 5, 20), "starts at 1"),
        ((-np.log(0.2), 5, 25), "by q"),
        ((-np.log(0.2), 4, 20**0.5), "standard deviation"),
        ((-np.log(0.2), 4, 36), "square of the mean"),
        ((-np.log(0.8), 0.25, 0.3125), "swapped"),
        ((np.log(0.8), 4, 20), "This is θ"),
        ((-np.log(0.8), 4, 20), "This is -ln q"),
        ((-np.log10(0.2), 4, 20), "base 10"),
        ((-np.log2(0.2), 4, 20), "base 2"),
        ((-np.log(0.2), 0.8, 0.16), "of a coin"),
        ((-np.log(0.2), 4, 16), "square of the mean"),
        ((-np.log(0.2), 4, 4.47), "standard deviation"),
        ((-np.log(0.2), 4, 25), "by q"),
        ((-np.log(0.2), 4, 5), "second derivative"),
        ((-np.log(0.2), 1.25, 20), "the mean is A'"),
        ((1.6094, 4, 21), "the variance is not 21"),
        ((1.6094, 3, 20), "the mean is not 3"),
        ((1.6, 4, 20), "rounded or cut off too far"),
    ],
}

RIGHT = {
    "8.a": [3 / 7, np.array([0.4286]), 0.429],
    "8.b": [list(_sample()), np.array(_sample(), dtype=np.float32), (0.818, 1.701, 0.818, 1.635, 0.409)],
    "8.c": [np.log(3), 1.099, np.array(1.0986)],
    "8.d": [[-2, 0.8], np.array([-2.0, 0.8]), {"b": -2, "w": 0.8}],
    "8.e": [(1.84, 5.98), [1.844, 5.977], np.exp([0.612, 1.788])],
    "8.f": [0.455, np.float32(0.4551), [0.455]],
    "8.g": [[np.log(4), 0.5, -0.75, 0.25], (1.386, 0.5, -0.75, 0.25)],
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
    "8.h": [[1.609, 4, 20], (1.6094, 4.0, 20)],
}

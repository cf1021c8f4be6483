"""Typical wrong answers to the exercises of chapter 08, each with words that the check must say."""

import numpy as np

from mlteach.exercises.logistic_regression import (
    _direction_with,
    _sample,
    _sigma,
    _step_with,
    _unrooted,
    irls_step,
    softmax_step_direction,
    total_loss,
)

_P, _LOSS, *_G = _sample()


def _naive(a, t):
    p = _sigma(a)
    return -np.sum(t * np.log(p) + (1 - t) * np.log(1 - p))


def _clipped(a, t):
    p = np.clip(_sigma(a), 1e-12, 1 - 1e-12)
    return -np.sum(t * np.log(p) + (1 - t) * np.log(1 - p))


def _in_place(Phi, t, v):
    v -= v - irls_step(Phi, t, v)
    return v


def _counted(W, X, y):
    K = len(np.unique(y))
    return _direction_with(W[:K], X, np.minimum(y, K - 1))


def _overflowing(W, X, y):
    P = np.exp(X @ W.T)
    return (P / P.sum(axis=1, keepdims=True) - np.eye(len(W))[y]).T @ X


def _normalised(Phi, t, v):
    p = _sigma(Phi @ v)
    return v - Phi.T @ (p - t)


WRONG = {
    "8.1": [
        (_sample(t=1.0), "the target here is 0"),
        ((_P, -_LOSS, *_G), "positive"),
        ((_P, _LOSS, *(-g for g in _G)), "prediction minus target"),
        ((_P, _LOSS / np.log(2), *_G), "base 2"),
        ((_P, _LOSS, *(g * _P * (1 - _P) for g in _G)), "squared error"),
        (_sample(a=1.0), "bias"),
        ((1 - _P, _LOSS, *_G), "chance of t = 0"),
        ((0.8, 1.7, 0.8), "3 entries; 5 are wanted"),
        ((0.5, 1, 0.5, 1, 0.25), r"p is not 0.5. \(5 of 5 entries differ"),
        ((_P, 2.0, *_G), "the loss is not 2"),
        ((_P, -np.log(_P), *_G), "Your loss is -ln p"),
        ((_P, _LOSS, _G[1], _G[2], _G[0]), "b first"),
        ((_P, _LOSS, _G[0], _G[1], 0.5), "the derivative by w2 is not 0.5"),
    ],
    "8.2": [
        ((1.5, 4.5), "wrong sign"),
        ((1.5, -3), "-3 w"),
        ((0.375, -1.125), "slope of p"),
        ((0.273, -0.82), "rise of the log-odds"),
        ((0.651, -1.95), "base 10"),
        ((-1.5, 4.5), "rises"),
        ((1.5, 0), "b is not"),
        ((2.5, -7.5), "w is not"),
        (1.5, "two numbers: w, b"),
        ((0.667, -2.0), "upside down"),
        ((0.40, -1.2), "rise of p between the points"),
        ((2.197, -6.6), "Divide it by the distance"),
        ((-4.5, 1.5), "wrong order"),
        (("1.5", "-4.5"), "is the text '1.5'"),
        ((float("nan"), 1), "finite"),
    ],
    "8.3": [
        (lambda a, t: np.nan_to_num(_naive(a, t)), "nan_to_num"),
        (lambda a, t: np.sum(np.nan_to_num(np.log1p(np.exp(-(2 * t - 1) * a)))), "overflows"),
        (lambda a, t: np.sum(np.logaddexp(0, -t * a)), "as if it were -1"),
        (_naive, "overflows"),
        (_clipped, "clipping"),
        (lambda a, t: total_loss(a, t) / len(a), "mean"),
        (lambda a, t: np.logaddexp(0, -(2 * t - 1) * a), "one by one"),
        (lambda a, t: total_loss(a, 1 - t), "swapped"),
        (lambda a, t: -total_loss(a, t), "wrong sign"),
        (lambda a, t: total_loss(a, np.ones(len(a))), "every sample"),
        (lambda a, t: total_loss(a, t) / np.log(2), "base 2"),
        (lambda a, t: np.sum((t - _sigma(a)) ** 2), "squared error"),
        (lambda a, t: -np.sum(t * np.log(_sigma(a))), "missing"),
    ],
    "8.4": [
        (lambda Phi, t, v: _step_with(Phi, t, v, sign=-1.0), "uphill"),
        (lambda Phi, t, v: _step_with(Phi, t, v, weights=False), "weights p"),
        (lambda Phi, t, v: _step_with(Phi, t, v, inverse=False), "solve"),
        (lambda Phi, t, v: irls_step(Phi, t, v) - v, "add it to v"),
        (lambda Phi, t, v: v - irls_step(Phi, t, v), "minus the step"),
        (_normalised, "gradient descent"),
        (lambda Phi, t, v: (irls_step(Phi, t, v) + v) / 2, "half"),
        (lambda Phi, t, v: irls_step(Phi, t, 0 * v), "zero weights"),
        (_unrooted, "roots"),
        (_in_place, "changes its argument v in place"),
    ],
    "8.5": [
        (0.25 / np.log(3), "one point"),
        (1.5 / np.log(3), "3/4"),
        (0.5, "Divide by w"),
        (1 / np.log(3), "factor"),
        (0.5 / np.log(3) ** 2, "not lam w²"),
        (1 / 6, "not 3"),
        (0.3, "is not"),
    ],
    "8.6": [
        (lambda W, X, y: -softmax_step_direction(W, X, y), "downhill"),
        (lambda W, X, y: softmax_step_direction(W, X, y) / len(y), "mean"),
        (lambda W, X, y: _direction_with(W, X, y, hard=True), "one-hot"),
        (lambda W, X, y: _direction_with(W, X, y, axis=0), "over the classes"),
        (lambda W, X, y: _direction_with(W, X, y, target=False), "targets are missing"),
        (lambda W, X, y: softmax_step_direction(W, X, y).T, "swapped"),
        (lambda W, X, y: (_sigma(X @ W.T) - np.eye(len(W))[y]).T @ X, "sigmoid per class"),
        (_counted, "absent"),
        (_overflowing, "largest score"),
    ],
    "8.7": [
        ((np.log(0.2), 4, 20), "minus sign"),
        ((-np.log(0.2), 4, 4), "Poisson"),
        ((-np.log(0.2), 5, 20), "starts at 1"),
        ((-np.log(0.2), 5, 25), "by q"),
        ((-np.log(0.2), 4, 20**0.5), "standard deviation"),
        ((-np.log(0.8), 0.25, 0.3125), "swapped"),
        ((1.6094, 4, 21), "the variance is not 21"),
        ((1.6094, 3, 20), "the mean is not 3"),
        ((1.6, 4, 20), "rounded too far"),
    ],
}

RIGHT = {
    "8.1": [list(_sample()), np.array(_sample(), dtype=np.float32)],
    "8.2": [[1.5, -4.5], {"w": 1.5, "b": -4.5}, (np.array([1.5]), -4.5)],
    "8.3": [lambda a, t: np.array([total_loss(a, t)])],
    "8.5": [np.float64(0.5 / np.log(3)), [0.455]],
    "8.7": [[1.609, 4, 20]],
}

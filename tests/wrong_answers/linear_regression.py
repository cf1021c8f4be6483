"""Typical wrong answers to the exercises of chapter 04, each with words that the check must say."""

import numpy as np

from mlteach.exercises.linear_regression import leave_one_out, line_of, mean_gradient, slope_error


def _through_origin(x, t):
    return 0.0, np.sum(x * t) / np.sum(x**2)


def _raw_moments(x, t):
    w1 = np.sum(x * t) / np.sum(x**2)
    return t.mean() - w1 * x.mean(), w1


def _other_way(x, t):
    w1 = np.sum((x - x.mean()) * (t - t.mean())) / np.sum((t - t.mean()) ** 2)
    return t.mean() - w1 * x.mean(), w1


def _residual(X, t):
    Q, _ = np.linalg.qr(X)
    return t - Q @ (Q.T @ t), np.sum(Q**2, axis=1)


def _with_ones(X, t):
    P = np.column_stack([np.ones(len(t)), X])
    P = P @ np.linalg.pinv(P)
    return np.mean(((t - P @ t) / (1 - np.diag(P))) ** 2)


def _slope_error_over(lost):
    def wrong(x, t):
        return slope_error(x, t) * np.sqrt((len(x) - 2) / (len(x) - lost))

    return wrong


def _with_slope(slope):
    return lambda x, t: (t.mean() - slope(x, t) * x.mean(), slope(x, t))


def _intercept_error(x, t):
    X = np.column_stack([np.ones(len(x)), x])
    w, rss, *_ = np.linalg.lstsq(X, t, rcond=None)
    return np.sqrt(rss[0] / (len(x) - 2) * np.linalg.inv(X.T @ X)[0, 0])


def _gcv(X, t):
    n, M = X.shape
    residual = t - X @ np.linalg.lstsq(X, t, rcond=None)[0]
    return np.mean(residual**2) / (1 - M / n) ** 2


def _variance_of_misses(X, t):
    H = X @ np.linalg.pinv(X)
    return np.var((t - H @ t) / (1 - np.diag(H)))


WRONG = {
    "4.a": [
        ((0.5, 2.0), "wrong order"),
        ((3 - 2 * 31 / 30, 31 / 30), "deviations from the means"),
        ((0.933, 1.033), "x and t themselves"),
        ((0.93, 1.03), "x and t themselves"),
        ((0.0, 31 / 30), "forced through the origin"),
        ((0, 1.033), "forced through the origin"),
        ((1, 0.6), "first and the last point"),
        ((1.2, 0.9), "the slope is not 0.9"),
        ((2.5, 0.5), "slope is right"),
        ((3 - 14 / 6, 7 / 6), "deviations of t"),
        ((-1.0, 2.0), "upside down"),
        ((3.0, 0.5), "mean of x is zero"),
        ((4.0, 0.5), "sign in the intercept"),
        ((1.0, 0.5), "mean point"),
        ((1.3, 0.9), "is not"),
        ((2.0, "0.5"), "text"),
        ((2.0,), "2 answers"),
    ],
    "4.b": [
        ((-0.5, 1.5), "wrong order"),
        ((1.0, 0.0), "times x sum to 0.5"),
        ((0.75, 0.0), "themselves sum to -0.25"),
        ((0.0, 0.0), "yours sum to -1"),
        ((-1.5, 0.5), "sum to -2"),
        ((1.5, "-0.5"), "text"),
    ],
    "4.c": [
        ((0.95, 1.15), "wrong order"),
        ((0.85, 0.05), "uphill"),
        ((1.0, 0.95), "weight too"),
        ((1.15, 0.65), "its input, 3"),
        ((1.45, 0.95), "constant 1, not x"),
        ((1.3, 1.4), "1/2"),
        ((2.5, 5.0), "learning rate"),
        ((1.4, 1.7), "prediction minus target"),
        ((0.15, 0.45), "step itself"),
        ((-0.15, -0.45), "subtract it"),
        ((1, 0.5), "not moved"),
        ((1.15, 0.5), "slope is a weight too"),
        ((1.075, 0.725), "half as long"),
        ((1.25, 1.25), "left the intercept out"),
        ((0.85, 0.35), "uphill.*its input, 3"),
        ((1.2, 0.9), "is not"),
    ],
    "4.e": [
        ((0.6, 5.0), "wrong order"),
        ((2.0, 1.0), "u = 0"),
        ((3.0, -0.4), "changes against"),
        ((5.0, -0.4), "does not become w3"),
        ((5.0, 1.0), "interaction is missing"),
        ((2.0, 0.6), "dummy itself"),
        ((3.0, 0.6), "does not become w2"),
        ((5.0, 1.4), "sign of w3"),
        ((1.6, 4.0), "w3 beside x"),
        ((5.0, 0.4), "w1 \\+ w3"),
        ((6.0, 0.6), "w0 \\+ w2"),
        ((4.0, 0.5), "is not"),
    ],
    "4.f": [
        (0.7 / np.sqrt(40 / 12 / 25), "by N\\."),
        (0.7 / np.sqrt(40 / 11 / 25), "N - 1"),
        (0.4, "standard error"),
        (0.28, "multiplied"),
        (0.7 / 0.16, "variance"),
        (0.35, "alone"),
        (8.75, "not by the sum"),
        (0.875, "root of σ̂²"),
        (-1.75, "wrong sign"),
        (1.84, "N - 1"),
        (3.5, "noise is missing"),
        (0.5534, "degrees of freedom"),
        (0.553, "degrees of freedom"),
        (1.96, "is not 1.96"),
    ],
    "4.h": [
        ("CBA", "narrow on the left"),
        ("ACB", "exchanged"),
        ("BAC", "both ends"),
        ("ABC", "bends comes first"),
        ("ABB", "once"),
        (7, "string"),
        (["C", "A", 2], "string"),
    ],
    "4.1": [
        (_with_slope(lambda x, t: np.cov(x, t)[0, 1] / np.var(x)), "divided by N, the other by N - 1"),
        (_with_slope(lambda x, t: np.cov(x, t, ddof=0)[0, 1] / np.var(x, ddof=1)), "the other by N - 1"),
        (_with_slope(lambda x, t: np.corrcoef(x, t)[0, 1]), "slope is the correlation"),
        (lambda x, t: line_of(x, t)[::-1], "wrong order"),
        (_through_origin, "origin"),
        (_raw_moments, "deviations"),
        (_other_way, "predicts x from t"),
        (lambda x, t: (t.mean(), line_of(x, t)[1]), "mean of x is zero"),
        (lambda x, t: (t.mean() + line_of(x, t)[1] * x.mean(), line_of(x, t)[1]), "sign"),
        (lambda x, t: line_of(t, x), "exchanged"),
        (lambda x, t: line_of(x, t)[1], "shape"),
        (lambda x, t: (1.3, 0.9), "should be"),
        (lambda x, t: (t.mean(), 0.0), "best constant"),
        (lambda x, t: (line_of(x, t)[0] + 1, line_of(x, t)[1]), "slope is right"),
        (_with_slope(lambda x, t: (t[-1] - t[0]) / (x[-1] - x[0])), "first and the last"),
        (lambda x: x, "does not take the arguments"),
    ],
    "4.2": [
        (lambda w, X, t: mean_gradient(w, X, t) * len(t), "divide by len"),
        (lambda w, X, t: -mean_gradient(w, X, t), "downhill"),
        (lambda w, X, t: 2 * mean_gradient(w, X, t), "twice"),
        (lambda w, X, t: mean_gradient(w, X, t) / 2, "half the gradient"),
        (lambda w, X, t: X.T @ (X @ w - t) / len(w), "number of weights"),
        (lambda w, X, t: X.T @ (X @ w - t) / X.size, "all entries"),
        (lambda w, X, t: X.T @ (X @ w - t) / 11, "should be"),
        (lambda w, X, t: X.T @ (X @ w - t) / (len(t) - 1), "N - 1"),
        (lambda w, X, t: X.T @ (X @ w - t) ** 2 / len(t), "squared the errors"),
        (lambda w, X, t: X.T @ abs(X @ w - t) / len(t), "keep their sign"),
        (lambda w, X, t: X.T @ (t - X @ w), "Wrong sign"),
        (lambda w, X, t: 2 * X.T @ (X @ w - t), "both missing"),
        (lambda w, X, t: np.mean((X @ w - t) ** 2) / 2, "loss itself"),
        (lambda w, X, t: np.full(len(w), np.mean(X @ w - t)), "without multiplying"),
        (lambda w, X, t: X.T @ X @ w / len(t), "targets do not occur"),
        (lambda w, X, t: X @ (X @ w - t), "inner sizes are 3 and 11"),
        (lambda w, X, t: mean_gradient(w, X, t)[:, None], "shape"),
    ],
    "4.d": [
        (0.84, "rounded or cut off too far: give 3 significant digits"),
        ("0.838", "is the text '0.838'"),
        (2 / (3 * 2.387426), "larger eigenvalue of the mean"),
        (2 / 0.279241, "smaller eigenvalue"),
        (1 / 2.387426, "1/λ_max"),
        (1.2, "intercept"),
        (0.75, "fastest rate"),
        (0.4, "single samples"),
        (2.387426, "itself"),
        (0.9, "is not 0.9"),
        ("a lot", "a number"),
    ],
    "4.3": [
        (_intercept_error, "standard error of the intercept"),
        (lambda x, t: line_of(x, t)[1] / slope_error(x, t), "t statistic"),
        (lambda x, t: slope_error(x, t) * np.sqrt((len(x) - 2) / 7), "should be"),
        (lambda x, t: slope_error(x, t) * np.sqrt((len(x) - 2) / 3), "five points"),
        (lambda x, t: slope_error(x, t) * np.sqrt(len(x) - 2), "degrees of freedom"),
        (lambda x, t: slope_error(x, t) * np.std(x), "error of a mean"),
        (lambda x, t: slope_error(t, x), "exchanged"),
        (lambda x, t: np.std(t, ddof=1) / np.sqrt(np.sum((x - x.mean()) ** 2)), "spread of t"),
        (lambda x, t: np.std(t) / np.sqrt(np.sum((x - x.mean()) ** 2)), "spread of t"),
        (_slope_error_over(0), "by N\\."),
        (_slope_error_over(1), "N - 1"),
        (lambda x, t: slope_error(x, t) ** 2, "variance"),
        (lambda x, t: slope_error(x, t) * np.sqrt(np.sum((x - x.mean()) ** 2)), "noise"),
        (lambda x, t: slope_error(x, t) * np.sqrt(len(x)), "mean of the squared"),
        (lambda x, t: slope_error(x, t) * np.sqrt(np.sum((x - x.mean()) ** 2) / np.sum(x**2)), "deviations"),
        (lambda x, t: slope_error(x, t) / np.sqrt(np.sum((x - x.mean()) ** 2)), "square root"),
    ],
    "4.g": [
        (0.21, "adjusted value is zero"),
        (0.211, "adjusted value is zero"),
        (0.449, "F-test"),
        (1 - 0.5 * 19 / 14, "twice"),
        (1 - 0.5 * 19 / 16, "forgot the intercept"),
        (0.5, "not adjusted"),
        (0.5 * 19 / 15, "subtract it from 1"),
        (1 - 0.5 * 15 / 19, "upside down"),
        (1 - 0.5 * 20 / 15, "N - 1"),
        (4 / 19, "adjusted value is zero"),
        (0.37, "two digits"),
        (0.4, "is not 0.4"),
    ],
    "4.4": [
        (_gcv, "GCV"),
        (lambda X, t: leave_one_out(X, t) * len(t) / (len(t) - 1), "N - 1"),
        (lambda X, t: leave_one_out(X[:, 1:], t), "first column"),
        (lambda X, t: np.mean(abs(_residual(X, t)[0] / (1 - _residual(X, t)[1]))), "sizes of the misses"),
        (lambda X, t: np.mean((_residual(X, t)[0] / (1 + _residual(X, t)[1])) ** 2), "Mind the sign"),
        (_variance_of_misses, "np.var subtracts"),
        (_with_ones, "as it is"),
        (lambda X, t: np.mean(_residual(X, t)[0] ** 2), "training error"),
        (lambda X, t: np.mean(_residual(X, t)[0] ** 2 / (1 - _residual(X, t)[1])), "whole miss"),
        (lambda X, t: leave_one_out(X, t) * len(t), "sum"),
        (lambda X, t: np.sqrt(leave_one_out(X, t)), "root"),
        (lambda X, t: np.mean((_residual(X, t)[0] / _residual(X, t)[1]) ** 2), "little leverage"),
        (lambda X, t: np.mean(_residual(X, t)[0] / (1 - _residual(X, t)[1])), "without squaring"),
        (lambda X, t: np.mean((_residual(X, t)[0] * (1 - _residual(X, t)[1])) ** 2), "divide"),
    ],
}

RIGHT = {
    "4.a": [[2, 0.5], (np.float32(2), np.array([0.5])), (2, 1 / 2)],
    "4.b": [[1.5, -0.5], (np.array(1.5), np.float32(-0.5))],
    "4.c": [(np.float32(1.15), np.float32(0.95)), [1.15, 0.95]],
    "4.e": [(5, 0.6), (np.array([5.0]), np.array([0.6]))],
    "4.f": [np.array([1.75]), np.float32(1.75), 7 / 4],
    "4.g": [0.367, 11 / 30, np.array([0.3667])],
    "4.3": [lambda x, t: np.array([slope_error(x, t)]), lambda x, t: float(slope_error(x, t))],
    "4.1": [lambda x, t: list(line_of(x, t)), lambda x, t: np.polyfit(x, t, 1)[::-1]],
    "4.2": [
        lambda w, X, t: mean_gradient(*(a.astype(np.float32) for a in (w, X, t))),
        lambda w, X, t: mean_gradient(w, X, t).tolist(),
    ],
    "4.d": [0.838, np.float32(0.8377), np.array([0.8377])],
    "4.h": ["C-A-B", "c, a, b", ["C", "A", "B"], ("c", "a", "b")],
    "4.4": [lambda X, t: np.array([leave_one_out(X, t)])],
}

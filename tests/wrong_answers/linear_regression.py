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
        (lambda x: x, "does not take the arguments"),
    ],
    "4.2": [
        (lambda w, X, t: mean_gradient(w, X, t) * len(t), "divide by len"),
        (lambda w, X, t: -mean_gradient(w, X, t), "downhill"),
        (lambda w, X, t: 2 * mean_gradient(w, X, t), "twice"),
        (lambda w, X, t: X.T @ (t - X @ w), "Wrong sign"),
        (lambda w, X, t: 2 * X.T @ (X @ w - t), "both missing"),
        (lambda w, X, t: np.mean((X @ w - t) ** 2) / 2, "loss itself"),
        (lambda w, X, t: np.full(len(w), np.mean(X @ w - t)), "without multiplying"),
        (lambda w, X, t: X.T @ X @ w / len(t), "targets do not occur"),
        (lambda w, X, t: X @ (X @ w - t), "inner sizes are 3 and 11"),
        (lambda w, X, t: mean_gradient(w, X, t)[:, None], "shape"),
    ],
    "4.3": [
        (0.84, "rounded too far: give 3 significant digits"),
        ("0.838", "is the text '0.838'"),
        (2 / (3 * 2.387426), "larger eigenvalue of the mean"),
        (2 / 0.279241, "smaller eigenvalue"),
        (1 / 2.387426, "1/λ_max"),
        (1.2, "intercept"),
        (2.387426, "itself"),
        (0.9, "is not 0.9"),
        ("a lot", "a number"),
    ],
    "4.4": [
        ("CBA", "narrow on the left"),
        ("ACB", "exchanged"),
        ("BAC", "both ends"),
        ("ABC", "bends comes first"),
        ("ABB", "once"),
        (7, "string"),
        (["C", "A", 2], "string"),
    ],
    "4.5": [
        (_intercept_error, "standard error of the intercept"),
        (_slope_error_over(0), "by N\\."),
        (_slope_error_over(1), "N - 1"),
        (lambda x, t: slope_error(x, t) ** 2, "variance"),
        (lambda x, t: slope_error(x, t) * np.sqrt(np.sum((x - x.mean()) ** 2)), "noise"),
        (lambda x, t: slope_error(x, t) * np.sqrt(len(x)), "mean of the squared"),
        (lambda x, t: slope_error(x, t) * np.sqrt(np.sum((x - x.mean()) ** 2) / np.sum(x**2)), "deviations"),
        (lambda x, t: slope_error(x, t) / np.sqrt(np.sum((x - x.mean()) ** 2)), "square root"),
    ],
    "4.6": [
        (0.21, "second question"),
        (0.449, "F-test"),
        (1 - 0.5 * 19 / 14, "twice"),
        (1 - 0.5 * 19 / 16, "forgot the intercept"),
        (0.5, "not adjusted"),
        (0.5 * 19 / 15, "subtract it from 1"),
        (1 - 0.5 * 15 / 19, "upside down"),
        (1 - 0.5 * 20 / 15, "N - 1"),
        (4 / 19, "second question"),
        (0.37, "two digits"),
        (0.4, "is not 0.4"),
    ],
    "4.7": [
        (_gcv, "GCV"),
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
    "4.1": [lambda x, t: list(line_of(x, t)), lambda x, t: np.polyfit(x, t, 1)[::-1]],
    "4.2": [
        lambda w, X, t: mean_gradient(*(a.astype(np.float32) for a in (w, X, t))),
        lambda w, X, t: mean_gradient(w, X, t).tolist(),
    ],
    "4.3": [0.838, np.float32(0.8377), np.array([0.8377])],
    "4.4": ["C-A-B", "c, a, b", ["C", "A", "B"], ("c", "a", "b")],
    "4.7": [lambda X, t: np.array([leave_one_out(X, t)])],
}

"""Typical wrong answers to the tasks of chapter 00, each with words that the check must say; and right ones."""

import numpy as np

WRONG = {
    "0.a": [
        (18.5, "before any step"),
        (50, "off"),
        (36.8, "intercept is missing"),
        ("sixty-four", "number|text"),
        ("64.4", "text"),
    ],
    "0.b": [("rrm", "Change 2"), ("mmw", "Change 1"), ("rmm", "Change 3"), ("rm", "Three letters"), ("abc", "letters")],
    "0.c": [
        (lambda w0, w1, hours, mark: mark - w0 - w1 * hours, "prediction minus mark"),
        (lambda w0, w1, hours, mark: abs(w0 + w1 * hours - mark), "sign"),
        (lambda w0, w1, hours, mark: w0 + w1 * hours, "subtract"),
        (lambda w0, w1, hours, mark: w1 * hours - mark, "intercept"),
        (lambda w0, w1, hours, mark: w0 + w1 * 5 - mark, "hours"),
        (lambda w0, w1, hours, mark: 5, "whatever it is given"),
        (lambda hours: hours, "arguments that the task names"),
        (lambda w0, w1, hours, mark: "sixty", "number|text"),
    ],
    "0.d": [
        ((27.8, 64.3), "order"),
        ((64.3, 0), "intercept"),
        ((64.3, 8.59), "slope"),
        ((36.5, 27.8), "intercept is missing"),
        ((60, 27.8), "thirteenth"),
    ],
    "0.e": [
        ([3, 5, 7], "follow their own arrows"),
        ([3, 4, 5, 7, 8], "itself"),
        ([3, 5], "missing"),
        ([1, 3, 4, 5, 7], "1 should not"),
    ],
    "0.1": [
        (lambda w0, w1, hours, marks: np.sum((w0 + w1 * hours - marks) ** 2), "mean"),
        (lambda w0, w1, hours, marks: np.mean(w0 + w1 * hours - marks), "cancel"),
        (lambda w0, w1, hours, marks: np.mean(abs(w0 + w1 * hours - marks)), "square"),
        (lambda w0, w1, hours, marks: np.sqrt(np.mean((w0 + w1 * hours - marks) ** 2)), "root"),
        (lambda w0, w1, hours, marks: np.mean((10 * hours - marks) ** 2), "w0|intercept|worked example"),
    ],
    "0.2": [("BAC", "not the best"), ("ACB", "exchanged"), ("AB", "exactly once"), ("CBA", "not the best")],
    "0.3": [
        (
            lambda w0, w1, hours, marks, rate: (
                w0 + rate * 2 * np.mean(w0 + w1 * hours - marks),
                w1 + rate * 2 * np.mean((w0 + w1 * hours - marks) * hours),
            ),
            "uphill",
        ),
        (
            lambda w0, w1, hours, marks, rate: (
                w0 - rate * np.mean(w0 + w1 * hours - marks),
                w1 - rate * np.mean((w0 + w1 * hours - marks) * hours),
            ),
            "factor two",
        ),
        (
            lambda w0, w1, hours, marks, rate: (
                w0 - rate * 2 * np.mean(w0 + w1 * hours - marks),
                w1 - rate * 2 * np.mean(w0 + w1 * hours - marks),
            ),
            "left out the hours",
        ),
        (
            lambda w0, w1, hours, marks, rate: (
                w0 - 0.1 * 2 * np.mean(w0 + w1 * hours - marks),
                w1 - 0.1 * 2 * np.mean((w0 + w1 * hours - marks) * hours),
            ),
            "rate",
        ),
    ],
}

RIGHT = {
    "0.a": [64, np.float32(64.4), [64.9], np.array(63.8)],
    "0.b": ["R, M, W", ["r", "m", "w"], "r-m-w"],
    "0.d": [(64.31, 27.79), np.array([64.3, 27.8]), (np.float32(64.3), np.array([27.8]))],
    "0.e": [{3, 4, 5, 7}, (7, 5, 4, 3), np.array([3, 4, 5, 7])],
    "0.2": ["a-b-c", ["A", "B", "C"]],
}

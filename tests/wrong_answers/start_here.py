"""Chapter 00: wrong answers that no table holds, with words that the check must say, and right ones of another form."""

import numpy as np


def _step(w0, w1, hours, marks, rate):
    misses = w0 + w1 * hours - marks
    return np.array([w0, w1]) - 2 * rate * np.array([np.mean(misses), np.mean(misses * hours)])


WRONG = {
    "0.a": [(50, "is not 50"), ((27.6, 8.65), "predicted mark"), ("sixty-four", "number|text"), ("64.4", "text")],
    "0.b": [
        ("rmw", "Change 1"),
        ("wwm", "Change 2"),
        ("wrr", "Change 3"),
        ("wr", "Three letters"),
        ("abc", "letters R, M and W only"),
        (1, "Letters are wanted"),
    ],
    "0.c": [
        (lambda w0, w1, hours, mark: w0 + w1 * 5 - mark, "hours"),
        (lambda w0, w1, hours, mark: 5, "whatever it is given"),
        (lambda hours: hours, "arguments that the task names"),
        (lambda w0, w1, hours, mark: "sixty", "number|text"),
    ],
    "0.d": [((27.8, 64.3), "order"), ((60, 27.8), "thirteenth"), ((64.3, 27.9), "no study is not 27.9")],
    "0.e": [
        ([3, 5, 7], "what those need"),
        ([3, 4, 5, 7, 8], "itself"),
        ([3, 5], "Look at 08 again"),
        ([4, 5, 7], "Look at 08 again"),
        ([7, 5, 3, 2], "Look at 07 again"),
        ([1, 3, 4, 5, 7], "without 01"),
        ([0, 3, 4, 5, 7], "Leave out 00"),
        (["03", "04", "05", "07"], "quotation marks: 3\\."),
        ("03, 04, 05, 07", "list of chapter numbers"),
        ([3, 4, 5, 7, 80], "chapter numbers between 0 and 32"),
    ],
    "0.1": [(lambda w0, w1, hours, marks: np.mean((10 * hours - marks) ** 2), "w0|intercept|worked example")],
    "0.2": [("AB", "exactly once")],
    "0.3": [
        (lambda *case: _step(*case[:4], 2 * case[4]), "number that is one too large|w0 is"),
        (lambda *case: _step(*case[:4], 0.1), "rate"),
    ],
}

RIGHT = {
    "0.a": [64, np.float32(64.4), [64.9], np.array(63.8)],
    "0.b": ["W, R, M", ["w", "r", "m"], "w-r-m"],
    "0.c": [lambda w0, w1, hours, mark: -(mark - (w1 * hours + w0)), lambda *a: np.array([a[0] + a[1] * a[2] - a[3]])],
    "0.d": [(64.31, 27.79), np.array([64.3, 27.8]), (np.float32(64.3), np.array([27.8])), (64.3444, 27.8182)],
    "0.e": [{3, 4, 5, 7}, (7, 5, 4, 3), np.array([3, 4, 5, 7]), [3, 4, 5, 7, 3]],
    "0.1": [
        lambda w0, w1, hours, marks: sum((w0 + w1 * x - t) ** 2 for x, t in zip(hours, marks)) / len(hours),
        lambda w0, w1, hours, marks: np.var(w1 * hours - marks) + np.mean(w0 + w1 * hours - marks) ** 2,
    ],
    "0.2": ["b-c-a", ["B", "C", "A"], "B < C < A"],
    "0.3": [_step, lambda *case: dict(zip(("w0", "w1"), _step(*case)))],
}

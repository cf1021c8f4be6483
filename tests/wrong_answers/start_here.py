"""Typical wrong answers to the tasks of chapter 00, each with words that the check must say; and right ones."""

import numpy as np


def _step(move, bent=lambda misses, hours: misses):
    """Return a version of `step` that moves (w0, w1) by ``move`` and bends the misses."""

    def step(w0, w1, hours, marks, rate):
        misses = bent(w0 + w1 * hours - marks, hours)
        return tuple(move(np.array([w0, w1]), 2 * np.array([np.mean(misses), np.mean(misses * hours)]), rate))

    return step


WRONG = {
    "0.a": [
        (18.5, "before any step"),
        (50, "off"),
        (36.8, "intercept is missing"),
        (36.25, "Multiply it by the hours"),
        (36.6, "intercept is missing"),
        (27.6, "intercept alone"),
        (125.95, "exchanged"),
        (154.1, "slope only"),
        (62.2, "4 hours"),
        (70.85, "5 hours"),
        ((27.6, 8.65), "Enter a number"),
        ("sixty-four", "number|text"),
        ("64.4", "text"),
    ],
    "0.b": [
        ("rmw", "Change 1"),
        ("wwm", "Change 2"),
        ("wrr", "Change 3"),
        ("wr", "Three letters"),
        ("abc", "letters R, M and W only"),
        (1, "Letters are wanted"),
    ],
    "0.c": [
        (lambda w0, w1, hours, mark: mark - w0 - w1 * hours, "prediction minus mark"),
        (lambda w0, w1, hours, mark: abs(w0 + w1 * hours - mark), "sign"),
        (lambda w0, w1, hours, mark: w0 + w1 * hours, "subtract"),
        (lambda w0, w1, hours, mark: w1 * hours - mark, "intercept"),
        (lambda w0, w1, hours, mark: w0 + w1 * 5 - mark, "hours"),
        (lambda w0, w1, hours, mark: 5, "whatever it is given"),
        (lambda w0, w1, hours, mark: w0 + w1 * hours + mark, "add the mark"),
        (lambda w0, w1, hours, mark: (w0 + w1) * hours - mark, "without brackets"),
        (lambda w0, w1, hours, mark: max(0, w0 + w1 * hours - mark), "negative"),
        (lambda w0, w1, hours, mark: int(w0 + w1 * hours - mark), "leave out int"),
        (lambda w0, w1, hours, mark: round(w0 + w1 * hours - mark), "leave out round"),
        (lambda w0, w1, hours, mark: (w0 + w1 * hours - mark) ** 2, "squared"),
        (lambda w0, w1, hours, mark: w1 + w0 * hours - mark, "exchanged"),
        (lambda hours: hours, "arguments that the task names"),
        (lambda w0, w1, hours, mark: "sixty", "number|text"),
    ],
    "0.d": [
        ((27.8, 64.3), "order"),
        ((64.3, 0), "intercept"),
        ((64.3, 8.59), "slope"),
        ((36.5, 27.8), "intercept is missing"),
        ((60, 27.8), "thirteenth"),
        ((64.4, 27.6), "200 steps.*best"),
        ((64.3, 27.6), "200 steps.*best"),
        ((64.4, 27.8), "a little too large"),
        ((64, 28), "one decimal"),
        ((64.3, 36.4), "one hour"),
        ((36.4, 27.8), "slope counts once"),
        ((64.3, 27.9), "no study is not 27.9"),
        ((64.2, 27.8), "thirteenth student is not 64.2"),
    ],
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
    "0.1": [
        (lambda w0, w1, hours, marks: np.sum((w0 + w1 * hours - marks) ** 2), "mean"),
        (lambda w0, w1, hours, marks: np.mean(w0 + w1 * hours - marks), "cancel"),
        (lambda w0, w1, hours, marks: np.mean(abs(w0 + w1 * hours - marks)), "square"),
        (lambda w0, w1, hours, marks: np.sqrt(np.mean((w0 + w1 * hours - marks) ** 2)), "root"),
        (lambda w0, w1, hours, marks: np.mean((10 * hours - marks) ** 2), "w0|intercept|worked example"),
        (lambda w0, w1, hours, marks: np.mean((w1 * hours - marks) ** 2), "intercept"),
        (lambda w0, w1, hours, marks: np.sum((w0 + w1 * hours - marks) ** 2) / 2, "divide by 2"),
        (lambda w0, w1, hours, marks: (w0 + w1 * hours[0] - marks[0]) ** 2, "first student only"),
        (lambda w0, w1, hours, marks: (w0 + w1 * hours - marks) ** 2, "take their mean"),
        (lambda w0, w1, hours, marks: np.mean(w0 + w1 * hours - marks) ** 2, "mean of the squares"),
    ],
    "0.2": [
        ("ABC", "not the best"),
        ("BAC", "exchanged"),
        ("AB", "exactly once"),
        ("CBA", "not the best"),
        ("ACB", "largest to the smallest"),
    ],
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
            "miss × hours",
        ),
        (_step(lambda w, slope, rate: w - slope), "rate is missing"),
        (_step(lambda w, slope, rate: -rate * slope), "return the change"),
        (_step(lambda w, slope, rate: rate * slope), "rate times the steepness"),
        (_step(lambda w, slope, rate: slope), "return the two steepnesses"),
        (_step(lambda w, slope, rate: w - rate * slope[::-1]), "steepnesses are exchanged"),
        (_step(lambda w, slope, rate: w - rate * slope * [1, 0]), "leave w1"),
        (_step(lambda w, slope, rate: w - rate * slope * [0, 1]), "leave w0"),
        (_step(lambda w, slope, rate: w - rate * slope, lambda r, x: r**2), "not squared"),
        (_step(lambda w, slope, rate: w - rate * slope, lambda r, x: r * len(x)), "add the misses up"),
        (_step(lambda w, slope, rate: w - 2 * rate * slope), "w0 is"),
        (_step(lambda w, slope, rate: (w - rate * slope)[:1]), "w0 alone"),
        (
            lambda w0, w1, hours, marks, rate: (
                w0 - rate * 2 * (w0 + w1 * hours - marks),
                w1 - rate * 2 * (w0 + w1 * hours - marks) * hours,
            ),
            "take their means",
        ),
        (
            lambda w0, w1, hours, marks, rate: (
                w0 - rate * 2 * np.mean(w0 + w1 * hours - marks),
                w1 - rate * 2 * np.mean(w0 + w1 * hours - marks) * np.mean(hours),
            ),
            "each miss by its hours",
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
    "0.b": ["W, R, M", ["w", "r", "m"], "w-r-m"],
    "0.c": [lambda w0, w1, hours, mark: -(mark - (w1 * hours + w0)), lambda *a: np.array([a[0] + a[1] * a[2] - a[3]])],
    "0.d": [(64.31, 27.79), np.array([64.3, 27.8]), (np.float32(64.3), np.array([27.8])), (64.3444, 27.8182)],
    "0.e": [{3, 4, 5, 7}, (7, 5, 4, 3), np.array([3, 4, 5, 7]), [3, 4, 5, 7, 3]],
    "0.1": [
        lambda w0, w1, hours, marks: sum((w0 + w1 * x - t) ** 2 for x, t in zip(hours, marks)) / len(hours),
        lambda w0, w1, hours, marks: np.var(w1 * hours - marks) + np.mean(w0 + w1 * hours - marks) ** 2,
    ],
    "0.2": ["b-c-a", ["B", "C", "A"], "B < C < A"],
    "0.3": [
        _step(lambda w, slope, rate: w - rate * slope),
        lambda *case: dict(zip(("w0", "w1"), _step(lambda w, slope, rate: w - rate * slope)(*case))),
    ],
}

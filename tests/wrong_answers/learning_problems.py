"""Typical wrong answers to the exercises of chapter 01, each with words that the check must say."""

import numpy as np

from mlteach.exercises import learning_problems as own


def _fits(rules, examples, test):
    return [rule for rule in rules if test((x in rule, label) for x, label in examples.items())]


def _words(**changed):
    return [changed.get(place, word) for place, word in zip("abcdefgh", [*own.TYPES, *own.BIASES])]


def _over(keep):
    def least_general(X, y):
        return own.least_general(X, [keep(label) for label in y])

    return least_general


def _only_last_pair(X, y):
    rows = [x for x, label in zip(X, y) if label]
    return [a if a == b else "?" for a, b in zip(rows[-1], rows[max(len(rows) - 2, 0)])]


def _from_first_row(X, y):
    return own.least_general(X, [True, *y[1:]])


def _forgets(X, y):
    """A '?' becomes a value again."""
    rows = [x for x, label in zip(X, y) if label]
    values = list(rows[0])
    for before, x in zip(rows, rows[1:]):
        values = [b if a == b else "?" for a, b in zip(before, x)]
    return values


def _yes(rules, x):
    return sum(x in rule for rule in rules)


def _at_worst(rules, x):
    return max(_yes(rules, x), len(rules) - _yes(rules, x))


def _values(build):
    return lambda X, w, outcome: build(X @ w, outcome)


def _sorts(X, y):
    result = own.least_general(X, y)
    X.sort()
    return result


def _sorts_instances(rules, instances):
    instances.sort()
    return own.best_question(rules, instances)


WRONG = {
    "1.1": [
        (lambda rules, examples: _fits(rules, examples, lambda p: all(s for s, t in p if t)), "positive examples only"),
        (
            lambda rules, examples: _fits(rules, examples, lambda p: all(not s for s, t in p if not t)),
            "negative examples only",
        ),
        (lambda rules, examples: _fits(rules, examples, lambda p: any(s == t for s, t in p)), "right about some"),
        (lambda rules, examples: [r for r in rules if r not in own.survivors(rules, examples)], "struck out"),
        (lambda rules, examples: len(own.survivors(rules, examples)), "not their number"),
        (lambda rules, examples: own.survivors(rules, examples)[::-1], "order"),
        (lambda rules, examples: own.survivors(rules, examples)[1:], "struck out a rule that fits"),
        (lambda rules, examples: rules, "kept a rule"),
        (lambda rules, examples: [{99}], "not one of the rules"),
        (lambda rules, examples: [True] * len(rules), "list with the surviving rules"),
    ],
    "1.2": [
        (_words(a="regression"), "two classes"),
        (_words(b="classification"), "number of litres"),
        (_words(c="classification"), "inputs only"),
        (_words(d="classification"), "only a reward"),
        (_words(e="classification"), "the output"),
        (_words(f="language"), "not in the data"),
        (_words(g="language"), "not restricted"),
        (_words(h="search"), "prefers no survivor"),
        (_words(g="language", h="search"), "1 more to mend"),
        (_words(a="language"), "must be one of"),
        (_words(f="classification"), "must be one of"),
        (own.TYPES, "eight words"),
        ("classification", "eight words"),
        ([*own.TYPES, None, 1, 2], "eight words"),
    ],
    "1.3": [
        ([1, 2, 3, 6, 7, 8, 12], "some of them are examples"),
        ([7], "unanimous no"),
        ([1, 2], "unanimous yes"),
        ([4, 5, 9, 10, 11], "disputed"),
        ([3, 12], "These are examples"),
        ({1, 2, 4, 5, 7, 9, 11}, "majority"),
        ([1, 7], "1 missing"),
        ([1, 2, 5, 7], "should not be there"),
        ([0], "between 1 and 12"),
        (True, "list of numbers"),
    ],
    "1.4": [
        ([-2.5, 8.75, -12.5], "wrong way"),
        ([5, 12.5, -5], "twice the step"),
        ([2.5, 12.5, -7.5], "own feature"),
        ([0, 11.25, -7.5], "w0 learns too"),
        ([2, 11, -8], "V̂ is not zero"),
        ([1.5, 10.75, -8.5], "mind its sign"),
        ([25, 22.5, 15], "learning rate is missing"),
        ([2.5, 1.25, 2.5], "add it to the weights"),
        ([25, 12.5, 25], "the old weights"),
        ([2.5, 1.25, -2.5], "sign of error times feature"),
        (2.5, "shape"),
    ],
    "1.5": [
        (_sorts, "changes its argument X in place"),
        (_over(lambda label: True), "all rows"),
        (_over(lambda label: not label), "negative rows|one entry per attribute"),
        (lambda X, y: [x for x, label in zip(X, y) if label][0], "single positive row"),
        (lambda X, y: [x for x, label in zip(X, y) if label][-1], "single positive row"),
        (lambda X, y: ["?"] * len(X[0]), "only '\\?'"),
        (lambda X, y: ["?", *own.least_general(X, y)[1:]], "Keep every value"),
        (_only_last_pair, "does not cover them all"),
        (_forgets, "does not cover them all"),
        (_from_first_row, "first row even where it is negative"),
        (lambda X, y: "?", "one entry per attribute"),
    ],
    "1.6": [
        ((9, 10), "wrong places"),
        ((9, 9), "512"),
        ((10, 10), "973/1024"),
        ((9.93, 9), "round up"),
        ((10, 9.93), "round down"),
        ((972, 9), "one hypothesis a question"),
        ((487, 9), "again and again"),
        ((7, 9), "natural logarithm"),
        ((3, 9), "base 10"),
        ((10.005, 9), "least number of questions"),
        ((10, 9.005), "largest number of mistakes"),
        ((96, 9), "Well seen"),
        ((13, 12), "5120"),
        ((973, 973), "number of hypotheses"),
        (10, "two numbers"),
    ],
    "1.7": [
        (_sorts_instances, "changes its argument instances in place"),
        (lambda rules, xs: max(xs, key=lambda x: _yes(rules, x)), "most yes votes"),
        (lambda rules, xs: min(xs, key=lambda x: _yes(rules, x)), "fewest yes votes"),
        (lambda rules, xs: max(xs, key=lambda x: _at_worst(rules, x)), "most uneven"),
        (lambda rules, xs: max(sorted(xs), key=lambda x: (-_at_worst(rules, x), x)), "on a tie"),
        (lambda rules, xs: min(xs, key=lambda x: abs(_yes(rules, x) - len(rules) // 2)), "on a tie"),
        (lambda rules, xs: min(xs), "in the worst case"),
        (lambda rules, xs: 99, "one of the given"),
        (lambda rules, xs: xs, "one of the given"),
    ],
    "1.8": [
        (lambda X, w, outcome: np.append(X[1:] @ w, 100.0), "100 whoever won"),
        (_values(lambda value, outcome: value), "themselves"),
        (_values(lambda value, outcome: np.full(len(value), outcome)), "every board the outcome"),
        (_values(lambda value, outcome: np.append(value[:-1], outcome)), "shifted by one"),
        (_values(lambda value, outcome: value[1:]), "last board is missing"),
        (_values(lambda value, outcome: np.append(outcome, value[:-1])), "wrong way"),
        (_values(lambda value, outcome: np.append(value, outcome)), "One value too many"),
        (_values(lambda value, outcome: np.append(outcome, value[1:])), "not to the first"),
        (own._moving_values, "same w for all boards"),
        (_values(lambda value, outcome: np.append(value[1:], outcome) - value), "error V_train"),
    ],
}

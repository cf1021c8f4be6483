"""Chapter 01: wrong answers that no table holds, with words that the check must say, and right ones of another form."""

import numpy as np

from mlteach.exercises import learning_problems as own
from mlteach.learning_problems import all_conjunctions, find_s, version_space


def _with_one_mistake(rules, examples):
    return [rule for rule in rules if sum((x in rule) != label for x, label in examples.items()) < 2]


def _words(right, **changed):
    return [changed.get(place, word) for place, word in zip("abcd", right)]


def _h(X, y):
    return own.least_general(X, y)[0]


def _and_fits(find):
    """A function that finds h in a wrong way and judges it rightly."""

    def least_general(X, y):
        return find(X, y), own.least_general(X, y)[1]

    return least_general


def _and_says(judge):
    """A function that finds h rightly and judges it in a wrong way: judge(covered), one truth value a negative row."""

    def least_general(X, y):
        h = _h(X, y)
        negative = [x for x, label in zip(X, y) if not label]
        return h, judge([all(a in ("?", b) for a, b in zip(h, x)) for x in negative])

    return least_general


def _over(keep):
    return _and_fits(lambda X, y: _h(X, [keep(label) for label in y]) if any(map(keep, y)) else ["?"] * len(X[0]))


def _positive(X, y):
    return [x for x, label in zip(X, y) if label]


def _only_last_pair(X, y):
    rows = _positive(X, y)
    return [a if a == b else "?" for a, b in zip(rows[-1], rows[max(len(rows) - 2, 0)])]


def _from_first_row(X, y):
    return _h(X, [True, *y[1:]])


def _forgets(X, y):
    """A '?' becomes a value again."""
    rows = _positive(X, y)
    values = list(rows[0])
    for before, x in zip(rows, rows[1:]):
        values = [b if a == b else "?" for a, b in zip(before, x)]
    return values


def _yes(rules, x):
    return sum(x in rule for rule in rules)


def _sorts(X, y):
    result = own.least_general(X, y)
    X.sort()
    return result


def _sorts_instances(rules, instances):
    instances.sort()
    return own.best_question(rules, instances)


WRONG = {
    "1.a": [
        (_words(own.TYPES, a="regression"), "two classes"),
        (_words(own.TYPES, b="classification"), "whole number does not matter"),
        (_words(own.TYPES, c="classification"), "inputs only"),
        (_words(own.TYPES, d="classification"), "only a reward"),
        (_words(own.TYPES, b="classification", c="classification"), "1 more to mend"),
        (_words(own.TYPES, a="language"), "must be one of"),
        (own.TYPES[:3], "4 words"),
        ("classification", "4 words"),
        ([*own.TYPES[:3], 1], "4 words"),
        (own.TYPES[::-1], "two classes"),
    ],
    "1.b": [((32, 500), "evaluations is not 500"), (32, "shape")],
    "1.c": [
        ([1, 2, 3, 6, 7, 8, 12], "some of them are examples"),
        ([7], "unanimous no"),
        ([1, 2], "unanimous yes"),
        ([4, 5, 9, 10, 11], "disputed"),
        ([3, 12], "These are examples"),
        ({1, 2, 4, 5, 7, 9, 11}, "majority"),
        ([1, 7], "not all that are decided"),
        ([1, 2, 5, 7], "disagree about 5"),
        ([1, 2, 3, 7], "asked about 3"),
        (range(1, 13), "disagree about 4, 5, 9, 10, 11; the teacher was asked about 3, 6, 8, 12"),
        ([False] * 12, "chose none"),
        (set(), "chose none"),
        ([0], "between 1 and 12"),
        (True, "list of point numbers"),
        ("1, 2, 7", "list of point numbers"),
    ],
    "1.d": [
        (_words(own.BIASES, a="language"), "not in the data"),
        (_words(own.BIASES, b="language"), "not restricted"),
        (_words(own.BIASES, c="search"), "prefers no survivor"),
        (_words(own.BIASES, b="none", c="none"), "1 more to mend"),
        (_words(own.BIASES, a="nothing"), "must be one of"),
        ("language", "3 words"),
        (["none", "language", "search"], "not restricted"),
    ],
    "1.e": [((24, 60, 60), "two ways more"), ((24, 120), "3")],
    "1.f": [((4, 8, 4), "do not lie above S"), ((2, 6), "3")],
    "1.g": [(2.5, "shape")],
    "1.1": [
        (lambda rules, examples: len(own.survivors(rules, examples)), "not their number"),
        (lambda rules, examples: own.survivors(rules, examples)[::-1], "order"),
        (lambda rules, examples: own.survivors(rules, examples)[1:], "struck out a rule that fits"),
        (lambda rules, examples: own.survivors(rules, examples) if examples else [], "no examples at all"),
        (lambda rules, examples: own.survivors(rules, examples) or rules[:1], "kept a rule"),
        (lambda rules, examples: [{99}], "not one of the rules"),
        (lambda rules, examples: [r for r in own.survivors(rules, examples) if r], "the empty set"),
        (lambda rules, examples: 2 * own.survivors(rules, examples), "twice"),
        (lambda rules, examples: _with_one_mistake(rules, examples), "says yes to 6"),
        (lambda rules, examples: rules.clear(), "remove, sort and item assignment"),
        (lambda rules, examples: own.survivors(rules, examples) or None, "returns None"),
        (lambda rules, examples: [True] * len(rules), "list with the surviving rules"),
    ],
    "1.2": [
        (_sorts, "changes its argument X in place"),
        (_over(lambda label: True), "all rows"),
        (_over(lambda label: not label), "negative rows"),
        (_and_fits(lambda X, y: _positive(X, y)[0]), "single positive row"),
        (_and_fits(lambda X, y: _positive(X, y)[-1]), "single positive row"),
        (_and_fits(lambda X, y: ["?"] * len(X[0])), "always '\\?'"),
        (_and_fits(lambda X, y: ["?", *_h(X, y)[1:]]), "Keep every value"),
        (_and_fits(_only_last_pair), "does not cover them all"),
        (_and_fits(_forgets), "does not cover them all"),
        (_and_fits(_from_first_row), "first row even where it is negative"),
        (_and_fits(lambda X, y: [None if v == "?" else v for v in _h(X, y)]), "write '\\?'"),
        (_and_fits(lambda X, y: ["∅"] * len(X[0])), "'∅' is no value"),
        (_and_fits(lambda X, y: "?"), "one entry per attribute"),
        (_h, "two things"),
        (lambda X, y: own.least_general(X, y) if y[0] else None, "got None"),
        (lambda X, y: own.least_general(X, y)[::-1], "one entry per attribute"),
        (lambda X, y: (_h(X, y), "yes"), "True or False"),
        (_and_says(lambda covered: True), "always say True"),
        (_and_says(lambda covered: False), "always say False"),
        (_and_says(lambda covered: any(covered)), "exchanged"),
        (_and_says(lambda covered: not covered or not all(covered)), "every negative row"),
        (_and_says(lambda covered: not any(covered[:1])), "every negative row"),
        (_and_says(lambda covered: not covered), "it fits"),
        (lambda X, y: (_h(X, y), "?" not in _h(X, y)), "it fits|every negative row"),
        (lambda X, y: (_h(X, y), set(_h(X, y)) != {"?"}), "it fits|every negative row"),
    ],
    "1.4": [
        (_sorts_instances, "changes its argument instances in place"),
        (lambda rules, xs: min(xs, key=lambda x: abs(_yes(rules, x) - len(rules) // 2)), "on a tie"),
        (lambda rules, xs: min(xs), "in the worst case"),
        (lambda rules, xs: own.best_question(rules, set().union(*rules)), "one of the given"),
        (lambda rules, xs: 99, "one of the given"),
        (lambda rules, xs: xs, "one of the given"),
    ],
}


def _by_columns(X, y):
    h = tuple(column[0] if len(set(column)) == 1 else "?" for column in zip(*_positive(X, y)))
    fits = find_s(X, y).covered_negatives
    return [h, np.bool_(len(fits) == 0)]


def _by_listing(X, y):
    domains = [sorted({*column, "no day has it"}) for column in zip(*X)]
    return np.array(_h(X, y)), int(len(version_space(all_conjunctions(domains), X, y)) > 0)


RIGHT = {
    "1.a": [tuple(own.TYPES), np.array(own.TYPES), ", ".join(own.TYPES), [word.upper() for word in own.TYPES]],
    "1.b": [[32, 512], np.array([32.0, 512]), (np.int64(32), 512)],
    "1.c": [{1, 2, 7}, (7, 2, 1), np.array([1.0, 2, 7]), [x in (1, 2, 7) for x in range(1, 13)]],
    "1.d": [tuple(own.BIASES), np.array(own.BIASES), "none, search, language", ["None", " Search bias", "language"]],
    "1.e": [[24, 120, 61], np.array([24, 120, 61.0])],
    "1.f": [[2, 6, 2], np.array([2, 6, 2])],
    "1.g": [(2.5, 11.25, -7.5), np.array([2.5, 11.25, -7.5], dtype=np.float32)],
    "1.1": [
        lambda rules, examples: tuple(own.survivors(rules, examples)),
        lambda rules, examples: [frozenset(rule) for rule in own.survivors(rules, examples)],
        lambda rules, examples: filter(lambda rule: all((x in rule) == examples[x] for x in examples), rules),
    ],
    "1.2": [_by_columns, _by_listing],
    "1.3": [
        lambda X, w, outcome: [*(X @ w)[1:], outcome],
        lambda X, w, outcome: np.where(np.arange(len(X)) < len(X) - 1, np.roll(X @ w, -1), outcome),
    ],
    "1.4": [
        lambda rules, xs: np.int64(own.best_question(rules, xs)),
        lambda rules, xs: np.array(float(own.best_question(rules, xs))),
        lambda rules, xs: min(xs, key=lambda x: (abs(2 * _yes(rules, x) - len(rules)), x)),
    ],
}

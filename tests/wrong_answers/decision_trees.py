"""Answers to the tasks of chapter 12 that no table lists: wrong ones with words that the check must say, right ones."""

import math

import numpy as np

from mlteach.exercises.decision_trees import (
    ENTROPY,
    GAIN_B,
    GAIN_E,
    GINI,
    WARMTH,
    WIND,
    best_cut,
    best_pruning,
    bits,
    chance,
    gain,
)


def _of_all_classes(log):
    """Return the gain with the logarithm of every class's share, also of one that is absent."""

    def wrong(values, labels):
        classes = sorted(set(labels), key=repr)

        def entropy(group):
            shares = [group.count(c) / len(group) for c in classes]
            return -sum(p * log(p) for p in shares)

        groups = [[c for v, c in zip(values, labels) if v == value] for value in set(values)]
        return entropy(labels) - sum(len(g) / len(labels) * entropy(g) for g in groups)

    return wrong


def _nan_at_pure_sides(x, y):
    def entropy(group):
        p = np.mean(group)
        return -p * np.log2(p) - (1 - p) * np.log2(1 - p)

    best = (None, -1.0)
    for c in (np.unique(x)[1:] + np.unique(x)[:-1]) / 2:
        left = x < c
        gained = entropy(y) - left.mean() * entropy(y[left]) - (1 - left.mean()) * entropy(y[~left])
        if gained > best[1]:
            best = c, gained
    return best


def _chance_of_floats(tree, day):
    """Take only floats for leaves."""
    if isinstance(tree, float):
        return tree
    attribute, branches = tree
    if attribute in day:
        return _chance_of_floats(branches[day[attribute]][1], day)
    total = sum(count for count, _ in branches.values())
    return sum(count / total * _chance_of_floats(below, day) for count, below in branches.values())


def _gain_by_arrays(values, labels):
    values, labels = np.array(values), np.array(labels)

    def entropy(group):
        p = np.unique(group, return_counts=True)[1] / len(group)
        return -(p * np.log2(p)).sum()

    return np.float32(entropy(labels) - sum((values == v).mean() * entropy(labels[values == v]) for v in {*values}))


WRONG = {
    "12.a": [(20, "is not 20"), ("24", "text")],
    "12.b": [(0.2, "three decimals"), (19.57, "per cent"), (-GAIN_B, "wrong sign"), (1 - bits(5, 2) / 2, "is not")],
    "12.c": [
        ((WIND, WARMTH), "wrong order"),
        ((WARMTH, 0.3), "Wind is not"),
        ((0.3, WIND), "Temperature is not"),
        ((WARMTH, 0.02057), "Wind is not"),
        (WARMTH, "is wanted"),
    ],
    "12.d": [
        ((0, GINI, 0.3), "entropy is not"),
        ((0, 0.3, ENTROPY), "Gini is not"),
        ((0.1, GINI, ENTROPY), "misclassification is not"),
        ((0, 0.09, 0.237), "rounded"),
        ((0, GINI), "2 entries; 3 are wanted"),
    ],
    "12.e": [((10, GAIN_E), "parts these values alike"), ((GAIN_E, 10.5), "another order"), (10.5, "2 answers")],
    "12.f": [(42.9, "per cent"), (0.3, "is not")],
    "12.g": [
        (("DBA", 11), "11 errors"),
        (("A", 8), "training examples"),
        (("A", 6), "training examples"),  # the leaf labelled by the validation days
        (("DCB", 7), "training examples"),
        (("DBB", 7), "at most once"),
        (("DB", 4), "is not 4"),
        (("DX", 7), "letters"),
    ],
    "12.1": [
        (_of_all_classes(np.log2), "0 log 0"),
        (_of_all_classes(math.log2), "0 log 0"),
        (lambda values, labels: gain(values, labels[::-1]), "should be"),
        (lambda values, labels: values.sort() or gain(values, labels), "in place"),
        (lambda values, labels: -gain(values, labels), "wrong sign"),
        (lambda values, labels: 0.2467498, "whatever it is given"),
        (lambda values, labels: print(gain(values, labels)), "without returning"),
    ],
    "12.2": [
        (_nan_at_pure_sides, "nan is never"),
        (lambda x, y: best_cut(x, y)[0], "return two"),
        (lambda x, y: x.sort() or best_cut(x, y), "in place"),
    ],
    "12.3": [
        (lambda tree, day: chance(tree[1][day[tree[0]]][1], day), "may be missing"),
        (_chance_of_floats, "stops with TypeError"),
        (lambda tree, day: 6 / 14, "whatever it is given"),
        (lambda tree, day: day.update(Outlook="Rain") or chance(tree, day), "in place"),
    ],
    "12.4": [
        (lambda node: best_pruning(node)[::-1], "wrong order"),
        (lambda node: best_pruning(node)[0], "one number|two"),
        (lambda node: node["children"].clear() or (node["errors"], 1), "in place"),
    ],
}

RIGHT = {
    "12.a": [24.0, [24], np.int64(24)],
    "12.b": [0.196, 0.1957, np.array([GAIN_B]), np.float32(GAIN_B)],
    "12.c": [[0.571, 0.02], np.array([WARMTH, WIND]), {"Temperature": 0.571, "Wind": 0.0200}],
    "12.d": [[0, 0.089, 0.237], np.array([0, GINI, ENTROPY]), (0.0, 0.0893, 0.2366)],
    "12.e": [[10.5, 0.522], np.array([10.5, GAIN_E]), (np.float32(10.5), [0.5216])],
    "12.f": [3 / 7, 0.429, np.array(0.42857), [0.4286]],
    "12.g": [("D-B", 7.0), (["d", "b"], np.array([7])), ("D, B", np.int64(7))],
    "12.1": [_gain_by_arrays, lambda values, labels: [gain(values, labels)]],
    "12.2": [lambda x, y: list(best_cut(x, y)), lambda x, y: np.array(best_cut(x.tolist(), y.tolist()))],
    "12.3": [lambda tree, day: np.float64(chance(tree, day)), lambda tree, day: [chance(tree, day)]],
    "12.4": [lambda node: list(best_pruning(node)), lambda node: np.array(best_pruning(node))],
}

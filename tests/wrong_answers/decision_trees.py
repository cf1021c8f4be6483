"""Typical wrong answers to the tasks of chapter 12, each with words that the check must say, and right ones in form."""

import math

import numpy as np

from mlteach.exercises.decision_trees import (
    _ENTROPY_D,
    _FED,
    _GAIN_B,
    _GAIN_E,
    _GAIN_LOW,
    _GINI_D,
    _HUNGRY,
    _TEMPERATURE,
    _WIND,
    _added_up,
    _all_midpoints,
    _best_first,
    _bits,
    _chance_at_gaps,
    _chance_with,
    _children_only,
    _counting,
    _cut_by_mask,
    _cut_left_over,
    _cut_scan,
    _cut_with,
    _every_example,
    _gain_with,
    _leaves_only,
    _pruning_with,
    _ratio,
    _split_of,
    _two_classes,
    _two_levels,
    _unsorted_midpoints,
    best_cut,
    best_pruning,
    chance,
    gain,
)


def _gain_of_the_sorted(values, labels):
    values.sort()
    return gain(values, labels)


def _log_of_zero(values, labels):
    classes = sorted(set(labels), key=repr)

    def H(group):
        p = np.array([group.count(c) for c in classes]) / len(group)
        return -np.sum(p * np.log2(p))

    groups = [[c for v, c in zip(values, labels) if v == value] for value in set(values)]
    return H(labels) - sum(len(g) / len(labels) * H(g) for g in groups)


def _log_of_nothing(values, labels):
    """The same with math.log2, which stops."""
    classes = sorted(set(labels), key=repr)

    def H(group):
        return -sum(group.count(c) / len(group) * math.log2(group.count(c) / len(group)) for c in classes)

    groups = [[c for v, c in zip(values, labels) if v == value] for value in set(values)]
    return H(labels) - sum(len(g) / len(labels) * H(g) for g in groups)


def _yes_only(values, labels):
    """Counts the label "Yes" of the worked example."""

    def H(group):
        p = group.count("Yes") / len(group)
        return sum(-q * np.log2(q) for q in (p, 1 - p) if q > 0)

    groups = [[c for v, c in zip(values, labels) if v == value] for value in set(values)]
    return H(labels) - sum(len(g) / len(labels) * H(g) for g in groups)


def _cut_in_place(x, y):
    x.sort()
    return best_cut(x, y)


def _last_best(x, y):
    """Only the first place where the class changes."""
    order = np.argsort(x)
    a, b = x[order], y[order]
    k = next(k for k in range(1, len(a)) if b[k] != b[k - 1] and a[k] > a[k - 1])
    return (a[k - 1] + a[k]) / 2, best_cut(x, y)[1]


def _prune_in_place(node):
    node["children"].clear()
    return node["errors"], 1


def _chance_by_keys(tree, day):
    attribute, branches = tree
    return chance(branches[day[attribute]][1], day)


def _chance_of_floats(tree, day):
    """Takes only floats for leaves."""
    if isinstance(tree, float):
        return tree
    attribute, branches = tree
    if attribute in day:
        return _chance_of_floats(branches[day[attribute]][1], day)
    total = sum(count for count, _ in branches.values())
    return sum(count / total * _chance_of_floats(below, day) for count, below in branches.values())


WRONG = {
    "12.a": [
        (3, "number of Yes paths"),
        (9, "Yes rows"),
        (8, "three values"),
        (12, "Overcast alone"),
        (6, "one path alone"),
        (18, "is missing"),
        (36, "all combinations"),
        (14, "rows in the table"),
        (2 / 3, "share of the combinations"),
        (5, "number of leaves"),
        (20, "is not 20"),
        ("24", "text"),
    ],
    "12.b": [
        (1 - _GAIN_B, "entropy that is left"),
        (1 - (_HUNGRY + _FED) / 2, "plain mean"),
        (1 - (5 * _HUNGRY + 7 * _FED) / 12, "exchanged"),
        (1 - _HUNGRY - _FED, "weights are missing"),
        (_GAIN_B * np.log(2), "natural logarithms"),
        (_GAIN_B * np.log10(2), "base 10"),
        (0.5 - (7 * 20 / 49 + 5 * 8 / 25) / 12, "Gini"),
        (0.25, "misclassification"),
        (0.863, "hungry guests"),
        (0.722, "not hungry"),
        (_GAIN_B / _bits(7, 5), "entropy of 7 and 5"),
        (1 - _HUNGRY, "hungry guests alone"),
        (1 - 7 / 12 * _HUNGRY, "second group is missing"),
        (1 - 5 / 12 * _FED, "first group is missing"),
        (0.2, "three decimals"),
        (19.57, "per cent"),
        (100 * _GAIN_B, "per cent"),
        (-_GAIN_B, "wrong sign"),
    ],
    "12.c": [
        ((_WIND, _TEMPERATURE), "wrong order"),
        ((0.0292, 0.0481), "at the root"),
        ((_TEMPERATURE - 0.03066, _WIND - 0.03066), "0.940"),
        ((0.6376, 0.0118), "plain means"),
        ((0.6376, _WIND), "plain mean of three"),
        ((_TEMPERATURE, 0.0118), "plain mean of two"),
        ((0.4, 0.951), "left"),
        ((_TEMPERATURE * np.log(2), _WIND * np.log(2)), "natural"),
        ((0.971, _WIND), "Humidity"),
        ((0.57, 0.02), "Three decimals"),
        ((0.0200, 0.971), "rainy days"),
        ((_TEMPERATURE, 0.3), "Wind is not"),
        ((0.3, _WIND), "Temperature is not"),
        (_TEMPERATURE, "is wanted"),
    ],
    "12.d": [
        ((_ENTROPY_D, _GINI_D, 0), "wrong order"),
        ((0, _ENTROPY_D, _GINI_D), "exchanged"),
        ((0.25, 0.2857, 0.5747), "after the split"),
        ((0.25, 0.375, 0.8113), "before the split"),
        ((1 / 4 - 3 / 14, _GINI_D, _ENTROPY_D), "plain mean"),
        ((0, 0.375 - 12 / 49, _ENTROPY_D), "For Gini you took the plain mean"),
        ((0, _GINI_D / 2, _ENTROPY_D), "factor 2"),
        ((0, _GINI_D, _ENTROPY_D * np.log(2)), "nats"),
        ((0, _GINI_D, _bits(90, 30) - _bits(40, 30) / 2), "entropy you took the plain mean"),
        ((0, 0.08, 0.2364), "example of the text"),
        ((0, _GINI_D, 0.3), "entropy is not"),
        ((0, 0.3, _ENTROPY_D), "Gini is not"),
        ((0.1, _GINI_D, _ENTROPY_D), "30 mistakes"),
        ((0, _GINI_D), "2 entries; 3 are wanted"),
    ],
    "12.e": [
        ((5.5, _GAIN_E), "gains 0.470"),
        ((8, 0.128), "gains 0.128"),
        ((9, _GAIN_E), "midway"),
        ((12, _GAIN_E), "midway"),
        ((10, _GAIN_E), "parts these values alike"),
        ((_GAIN_E, 10.5), "wrong order"),
        ((18, 0.1), "sorted order"),
        ((10.5, 0.4636), "entropy left"),
        ((10.5, _bits(4, 3) - _bits(1, 3)), "weight 4/7"),
        ((10.5, _bits(4, 3) - _bits(1, 3) / 2), "not with halves"),
        ((10.5, _bits(4, 3) - 3 / 7 * _bits(1, 3)), "exchanged"),
        ((10.5, 1 - 4 / 7 * _bits(1, 3)), "0.985, not 1"),
        ((10.5, _GAIN_E * np.log(2)), "nats"),
        ((10.5, 0.52), "rounded too far"),
        ((10.5, _GAIN_LOW), "gain at 5.5"),
        ((10.5, 0.128), "gain at 8"),
        (10.5, "two numbers"),
    ],
    "12.f": [
        (9 / 14, "share of Yes at the root"),
        (11 / 14, "weak wind"),
        (5 / 28 + 4 / 14, "not of all 14"),
        (2 / 15 + 1 / 3, "do not weigh the same"),
        (1 / 2, "six windy days"),
        (0, "all three branches"),
        (1, "all three branches"),
        (1 / 3, "do not weigh the same"),
        (4 / 14, "Overcast alone"),
        (2 / 14, "sunny branch alone"),
        (8 / 14, "chance of No"),
        (2 / 5, "Outlook is missing too"),
        (2 / 5 + 4 / 14, "multiply"),
        (5 / 14, "weight of one branch"),
        (42.9, "per cent"),
    ],
    "12.g": [
        (("BD", 7), "best cut comes first"),
        (("DBA", 11), "11 errors"),
        (("A", 8), "training examples"),
        (("DCB", 7), "training examples"),
        (("D", 8), "another cut"),
        (("B", 9), "lacks it"),
        (("DBB", 7), "at most once"),
        (("DB", 10), "before any cut"),
        (("DB", 8), "first cut"),
        (("DB", 9), "saves two"),
        (("DB", 3), "are saved"),
        (("DB", 6), "below B"),
        (("DB", 4), "is not 4"),
        (("DX", 7), "letters"),
    ],
    "12.1": [
        (_gain_with(weights="mean"), "plain mean"),
        (_gain_with(weights="none"), "weights"),
        (_gain_with(weights="counts"), "not with their number"),
        (_gain_with("nats"), "nats"),
        (_gain_with("tens"), "base 10"),
        (_gain_with("classes"), "any number of classes"),
        (_gain_with("gini"), "Gini"),
        (_gain_with("errors"), "misclassification"),
        (_gain_with(before=False), "left"),
        (_split_of, "split information"),
        (_ratio, "gain ratio"),
        (_two_classes, "more than two classes"),
        (_every_example, "set\\(values\\)"),
        (_yes_only, "should be"),
        (_log_of_zero, "0 log 0"),
        (_log_of_nothing, "0 log 0"),
        (_gain_of_the_sorted, "in place"),
        (lambda values, labels: 0.2467498, "whatever it is given"),
        (lambda values, labels: print(gain(values, labels)), "without returning"),
    ],
    "12.2": [
        (_cut_with(sort=False), "Sort"),
        (_cut_with(place="left"), "to its left"),
        (_cut_with(place="right"), "to its right"),
        (_cut_with(repeats=True), "Equal values"),
        (_cut_with(kind="gini"), "Gini"),
        (_cut_with(kind="errors"), "misclassification"),
        (_cut_with(kind="nats"), "nats"),
        (_cut_with(weighted=False), "Weight the two sides"),
        (_cut_with(worst=True), "smallest gain"),
        (_cut_with(interior=True), "single example"),
        (lambda x, y: best_cut(x, y)[::-1], "another order"),
        (_cut_left_over, "entropy left"),
        (lambda x, y: best_cut(x, y)[0], "return two"),
        (_cut_by_mask(_all_midpoints), "two equal values"),
        (_cut_by_mask(_unsorted_midpoints), "Sort"),
        (_cut_by_mask(np.sort), "to its left"),
        (_cut_by_mask(lambda x: (np.unique(x)[1:] + np.unique(x)[:-1]) / 2, nan=True), "nan is never"),
        (_last_best, "should be"),
        (_cut_scan(sort_x=False, sort_y=False), "Sort the values first"),
        (_cut_scan(sort_x=False, sort_y=False, rising=False), "Sort the values first"),
        (_cut_scan(sort_y=False), "labels must move"),
        (_cut_scan(changes=True), "both classes"),
        (_cut_scan(changes=True, rising=False), "Equal values"),
        (_cut_scan(changes=True, first=True), "first change"),
        (_cut_in_place, "in place"),
    ],
    "12.3": [
        (_chance_with(weights="common"), "most common branch"),
        (_chance_with(weights="equal"), "do not weigh the same"),
        (_chance_with(weights="count"), "Divide the counts"),
        (_chance_with(known=False), "follow its branch alone"),
        (_chance_with(deep=False), "not by that of the root"),
        (lambda tree, day: 1 - chance(tree, day), "chance of No"),
        (lambda tree, day: round(chance(tree, day)), "not the decision"),
        (_chance_by_keys, "may be missing"),
        (_chance_at_gaps(_leaves_only), "on the subtrees too"),
        (_chance_at_gaps(lambda branches: 0.5), "one half"),
        (_chance_of_floats, "stops with TypeError"),
        (lambda tree, day: 6 / 14, "whatever it is given"),
        (lambda tree, day: day.update(Outlook="Rain") or chance(tree, day), "in place"),
    ],
    "12.4": [
        (_pruning_with(keep_ties=True), "smaller tree"),
        (_pruning_with(pruned_below=False), "after they were pruned"),
        (_pruning_with(leaves_only=True), "without any pruning"),
        (_pruning_with(root_only=True), "Prune the children too"),
        (lambda node: best_pruning(node)[::-1], "wrong order"),
        (lambda node: (node["errors"], 1), "root as a leaf"),
        (lambda node: best_pruning(node)[0], "one number|two"),
        (_children_only, "children as leaves only"),
        (_best_first, "best first"),
        (_two_levels, "two levels"),
        (_added_up(sum, len), "do not count the children"),
        (_added_up(max, sum), "not take the largest"),
        (_added_up(min, sum), "not take the smallest"),
        (_counting(1, 1), "only leaves"),
        (_counting(0, 1), "count the inner nodes"),
        (_counting(0, 0), "itself one leaf"),
        (_prune_in_place, "in place"),
    ],
}


def _gain_by_arrays(values, labels):
    values, labels = np.array(values), np.array(labels)

    def H(group):
        p = np.unique(group, return_counts=True)[1] / len(group)
        return -(p * np.log2(p)).sum()

    return np.float32(H(labels) - sum((values == v).mean() * H(labels[values == v]) for v in np.unique(values)))


RIGHT = {
    "12.a": [24.0, [24], np.int64(24)],
    "12.b": [0.196, 0.1957, np.array([_GAIN_B]), np.float32(_GAIN_B)],
    "12.c": [[0.571, 0.02], np.array([_TEMPERATURE, _WIND]), {"Temperature": 0.571, "Wind": 0.0200}],
    "12.d": [[0, 0.089, 0.237], np.array([0, _GINI_D, _ENTROPY_D]), (0.0, 0.0893, 0.2366)],
    "12.e": [[10.5, 0.522], np.array([10.5, _GAIN_E]), (np.float32(10.5), [0.5216])],
    "12.f": [3 / 7, 0.429, np.array(0.42857), [0.4286]],
    "12.g": [("D-B", 7.0), (["d", "b"], np.array([7])), ("D, B", np.int64(7))],
    "12.1": [_gain_by_arrays, lambda values, labels: [gain(values, labels)]],
    "12.2": [lambda x, y: list(best_cut(x, y)), lambda x, y: np.array(best_cut(x.tolist(), y.tolist()))],
    "12.3": [lambda tree, day: np.float64(chance(tree, day)), lambda tree, day: [chance(tree, day)]],
    "12.4": [lambda node: list(best_pruning(node)), lambda node: np.array(best_pruning(node))],
}

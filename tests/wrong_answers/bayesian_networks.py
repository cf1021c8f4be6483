"""Typical wrong answers to the exercises of chapter 11, each with words that the check must say."""

import itertools
from fractions import Fraction
from statistics import NormalDist

import numpy as np

from mlteach.exercises import bayesian_networks as right

PHI = NormalDist().cdf
CAR = 0.65 * 0.95 * 0.25


def _pairs(P, query, evidence):
    """Sum over all cases in a loop, a right answer."""
    p = np.zeros(P.shape[query])
    for case in itertools.product(*map(range, P.shape)):
        if all(case[axis] == value for axis, value in evidence.items()):
            p[case[query]] += P[case]
    return (p / p.sum()).tolist()


def _not_normalised(P, query, evidence):
    index = tuple(evidence.get(axis, slice(None)) for axis in range(P.ndim))
    return right.ask(P, query, evidence) * P[index].sum()


def _axis_not_moved(P, query, evidence):
    """Sum as if the observed axes were still there."""
    index = tuple(evidence.get(axis, slice(None)) for axis in range(P.ndim))
    p = P[index]
    p = p.sum(axis=tuple(axis for axis in range(p.ndim) if axis != query))
    return p / p.sum()


def _largest(P, query, evidence):
    p = right.ask(P, query, evidence)
    return p / p.max()


def _spoils(P, query, evidence):
    P /= P.sum()
    return right.ask(P, query, evidence)


def _takes_in_turn(P, query, evidence):
    """Take one observed axis after another, with the numbers they had at first."""
    for axis, value in evidence.items():
        P = np.take(P, value, axis=axis)
    p = P.sum(axis=tuple(k for k in range(P.ndim) if k != query))
    return p / p.sum()


def _by_max(P, query, evidence):
    p = np.moveaxis(P, query, -1)[tuple(evidence.get(k, slice(None)) for k in range(P.ndim) if k != query)]
    p = p.reshape(-1, P.shape[query]).max(axis=0)
    return p / p.sum()


def _evidence_given_query(P, query, evidence):
    return _not_normalised(P, query, evidence) / right.ask(P, query, {})


def _substring(parents, name):
    found = set(parents[name])
    for child in parents:
        if name in str(parents[child]):
            found |= {child, *parents[child]}
    return found - {name}


def _grandchildren(parents, name):
    below = _children(parents, name)
    return set(parents[name]) | below | {d for c in below for d in _children(parents, c)}


def _draws(p, children):
    return int(np.random.default_rng().random() < right.redraw_chance(p, children))


def _sums(p, children):
    yes, no = p, 1 - p
    if children:
        yes, no = yes * sum(a for a, _ in children), no * sum(b for _, b in children)
    return yes / (yes + no)


def _only_seen(parent, child, shape, alpha):
    """Count only the states that occur."""
    rows, columns = np.unique(parent), np.unique(child)
    counts = np.array([[np.sum((parent == r) & (child == c)) + alpha for c in columns] for r in rows])
    return counts / counts.sum(axis=1, keepdims=True)


def _children(parents, name):
    return {child for child, group in parents.items() if name in group}


def _takes_away(parents, name):
    found = right.blanket(parents, name)
    parents.pop(name)
    return found


def _loop_blanket(parents, name):
    found = list(parents[name])
    for child in parents:
        if name in parents[child]:
            found += [child, *parents[child]]
    return sorted(set(found) - {name})


def _by_loop(parent, child, shape, alpha):
    table = [[alpha] * shape[1] for _ in range(shape[0])]
    for p, c in zip(parent, child):
        table[p][c] += 1
    return [[entry / sum(row) if sum(row) else 1 / shape[1] for entry in row] for row in table]


def _once(parent, child, shape, alpha):
    counts = np.full(shape, float(alpha))
    counts[parent, child] += 1
    return counts / counts.sum(axis=1, keepdims=True)


def _raw(parent, child, shape, alpha):
    counts = np.full(shape, float(alpha))
    np.add.at(counts, (parent, child), 1)
    return counts


def _two_by_two(parent, child, shape, alpha):
    return right.learn_table(np.minimum(parent, 1), np.minimum(child, 1), (2, 2), alpha)


def _no_empty_rows(parent, child, shape, alpha):
    """Forget the imagined samples where a parent's state never occurs."""
    table = right.learn_table(parent, child, shape, alpha)
    table[[k for k in range(shape[0]) if k not in parent]] = 0
    return table


WRONG = {
    "11.a": [
        (CAR * 0.10 * 0.60 * 0.95, "row T F F of Late"),
        (CAR * 0.85 * 0.60 * 0.95, "row T T T"),
        (0.65 * 0.05 * 0.25 * 0.20 * 0.60 * 0.95, "chance of a jam"),
        (0.35 * 0.95 * 0.25 * 0.20 * 0.60 * 0.95, "chance of the bicycle"),
        (0.65 * 0.95 * 0.75 * 0.20 * 0.60 * 0.95, "dry day"),
        (CAR * 0.20 * 0.15 * 0.50, "somebody in time"),
        (CAR * 0.20 * 0.15 * 0.95, "0.15, the row of somebody in time"),
        (CAR * 0.20 * 0.60 * 0.50, "For Demo"),
        (CAR * 0.20 * 0.40 * 0.95, "does not wait"),
        (0.20 * 0.60 * 0.95, "parents are part of the case"),
        (CAR * 0.20, "Wait and Demo are part"),
        (CAR * 0.60 * 0.95, "factor of Late"),
        (CAR * 0.20 * 0.60 * 0.05, "no demonstration"),
        (sum(right.CAR_LATE), "added the factors"),
        (0.176, "decimal point"),
        (0.00176, "decimal point"),
        (0.0053, "case of the text"),
        (0.053, "decimal point|dry day"),
        ("0.0176", "without quotation marks"),
        (1.7599, "per cent|decimal|100"),
    ],
    "11.b": [
        (0.0094002, "not yet divided"),
        (0.0109624, r"P\(alarm\)"),
        (0.142507, "no burglar"),
        (0.143, "no burglar"),
        (0.373551, "first town"),
        (3.73551, "Normalise anew"),
        (6.01729, "odds"),
        (0.90472, "earthquake out"),
        (0.0320, "earthquake as certain"),
        (0.94, "the other way round"),
        (0.94002, "the other way round"),
        (0.86, "rounded"),
        (0.01 * 0.945 / (0.01 * 0.945 + 0.99 * 0.1455), "not equally likely"),
        (85.7, "per cent"),
    ],
    "11.c": [
        ([False, False, True, True, False], "wrong way round"),
        ([True, False, False, False, True], "Number 2"),
        ([True, True, True, False, True], "Number 3 .*descendant of the collider"),
        ([True, True, False, True, True], "Number 4 .*fork at Smoker"),
        ([False, True, False, False, True], "Number 1"),
        ([True, True, False, False, False], "Number 5"),
        ([True, True, False], "Five answers"),
        (["yes", True, False, False, True], "without quotation marks"),
        (["T", "T", "F", "F", "T"], "without quotation marks|True or False"),
        (True, "Five answers"),
    ],
    "11.d": [
        ((270, 3**30), "last one is asked"),
        ((87, 3**30), "3 x 3 entries"),
        ((116, 3**30), "two states"),
        ((783, 3**30), "nine products"),
        ((252, 3**30), "too few"),
        ((264, 3**30), "divisions"),
        ((255, 3**30), "last step"),
        ((435, 3**30), "additions"),
        ((120, 3**30), "two states"),
        ((2**31 - 4, 3**30), "enumeration"),
        ((261, 264), "own tables"),
        ((261, 270), "30 tables"),
        ((261, 176), "free numbers"),
        ((261, 2**30 - 2), "three states"),
        ((261, 3**30 - 1), "free entries"),
        ((3**30, 3**30), "full joint"),
        ((261, 2**30), "three states"),
        ((261, 30**3), "other way round"),
        ((261, 90), "Cases multiply"),
        ((261, 3**29), "One variable is missing"),
    ],
    "11.e": [
        ((0.001798, 0.00176), "factors of what was drawn"),
        ((0.0018, 0.00176), "factors of what was drawn"),
        ((0.1827, 0.00176), "drawn, not observed"),
        ((0.497, 0.00176), "alarm is silent"),
        ((0.087, 0.00176), "does not call"),
        ((0.203, 0.002084), "both calls"),
        ((0.29, 0.00176), "Mary's call is evidence"),
        ((0.70, 0.00176), "alarm is evidence"),
        ((0.658, 0.00176), "other way round"),
        ((0.665, 0.00176), "both causes"),
        ((0.0007, 0.00176), "without any cause"),
        ((0.261, 0.00176), "John's chance"),
        ((0.99, 0.00176), "You added"),
        ((0.63, 0.00176), "John's was drawn"),
        ((0.000405594, 0.00176), "drawn, not observed"),
        ((0.000365, 0.00176), "joint of the case"),
        ((0.0017612, 0.203), "values drawn"),
        ((0.203, 0.002516), "Mary must call"),
        ((0.203, 0.0022644), "John's chance"),
        ((0.203, 0.00158508), "no evidence"),
        ((0.203, 0.203), "That is the weight"),
        ((0.203, 0.011736), r"P\(m\)"),
        ((0.203, 0.998239), "rejected"),
    ],
    "11.f": [
        ([0, 0.3, 0.7], "shares of the counts"),
        ([2 / 12, 5 / 12, 9 / 12], "added alpha once"),
        ([0.2, 0.5, 0.9], "denominator"),
        ([2 / 14, 5 / 14, 9 / 14], "two states"),
        ([1 / 13, 4 / 13, 8 / 13], "alpha = 1"),
        ([2, 5, 9], "Divide by their sum"),
        ([0, 5 / 14, 9 / 14], "unseen state"),
        ([2 / 16, 3 / 16, 7 / 16], "also those that were seen"),
        ([1 / 18, 3.6666667 / 12, 7.6666667 / 12], "shared out"),
        ([9 / 16, 5 / 16, 2 / 16], "order"),
        ([2 / 16, 5 / 16], "entries|shape"),
    ],
    "11.g": [
        (1 - PHI(3 / 13**0.5), "does not wait"),
        (PHI(1.5), "exactly 7 minutes"),
        (PHI(1.0), "patience has a spread"),
        (0.84, "patience has a spread"),
        (0.203, "does not wait"),
        (PHI(0.6), "Variances add"),
        (PHI(3 / 13), "not by the variance"),
        (PHI(3 / 22**0.5), "rain is known"),
        (PHI(1 / 22**0.5), "averaged over it"),
        (PHI(1 / 13**0.5), "mean rain"),
        (PHI(6.5 / 2.5), "with an umbrella"),
        (PHI(3.5), "rain in mm/h"),
        (PHI(6.5 / 1.5), "with an umbrella"),
        (PHI(6.5 / 13**0.5), "with an umbrella"),
        (PHI(4 / 13**0.5), "left the 1 out"),
        (PHI(7 / 13**0.5), "rain in mm/h"),
        (PHI(3 / 5**0.5), "Square both"),
        (1 - PHI(1.5), "exactly 7 minutes"),
    ],
    "11.1": [
        (_not_normalised, "divide by its sum"),
        (lambda P, query, evidence: right.ask(P, query, {}), "ignore the evidence"),
        (_axis_not_moved, "axis has moved"),
        (_largest, "should"),
        (_spoils, "in place"),
        (_by_max, "largest entry"),
        (_takes_in_turn, "move up"),
        (_evidence_given_query, "given the query"),
        (lambda P, query, evidence: right.ask(P, 0, evidence) if 0 not in evidence else right.ask(P, query, evidence),
         "entries; 3 are wanted"),
        (lambda P, query, evidence: right.ask(P, query, dict(list(evidence.items())[:1])), "should|order"),
        (lambda P, query, evidence: right.ask(P, query, evidence)[0], "shape|number"),
    ],
    "11.2": [
        (lambda parents, name: set(parents[name]) | _children(parents, name), "other parents are missing"),
        (lambda parents, name: set(parents[name]), "Those are the parents"),
        (_children, "Those are the children"),
        (lambda parents, name: right.blanket(parents, name) | {name}, "itself does not belong"),
        (lambda parents, name: set(parents) - {name}, "all others"),
        (lambda parents, name: right.blanket(parents, name) - set(parents[name]), "parents are missing|should be"),
        (lambda parents, name: right.blanket(parents, name) - _children(parents, name), "children themselves"),
        (lambda parents, name: len(right.blanket(parents, name)), "Return a set"),
        (lambda parents, name: right.blanket(right.GRAPHS[0], "Alarm"), "should be"),
        (_takes_away, "in place"),
        (_substring, "Rainbow"),
        (_grandchildren, "grandchildren"),
        (lambda parents, name: _grandchildren(parents, name) | right.blanket(parents, name), "grandchildren"),
        (lambda parents, name: [*parents[name], *_loop_blanket(parents, name)], "twice"),
    ],
    "11.3": [
        (lambda p, children: p * np.prod([a for a, _ in children]), "not yet normalised"),
        (lambda p, children: p, "children are missing"),
        (_draws, "draws"),
        (_sums, "added them up"),
        (lambda p, children: 1 - right.redraw_chance(p, children), "chance of false|one minus"),
        (lambda p, children: right.redraw_chance(p, children[:1]), "first child only"),
        (lambda p, children: right.redraw_chance(p, children[-1:]), "last child only"),
        (lambda p, children: right.redraw_chance(0.5, children), "own table is missing"),
        (lambda p, children: right.redraw_chance(0.94, children), "p = 0.94"),
        (lambda p, children: right.redraw_chance(p, [c[::-1] for c in children]), "exchanged"),
        (lambda p, children: right.redraw_chance(p, [(a, 1 - a) for a, _ in children]), "two worlds"),
        (lambda p, children: right.redraw_chance(p, children) / (1 - right.redraw_chance(p, children)), "odds"),
        (lambda p, children: p * np.prod([a for a, _ in children])
         / (p * np.prod([a for a, _ in children]) + np.prod([b for _, b in children])), "1 - p"),
    ],
    "11.4": [
        (_once, "counts a pair once"),
        (_raw, "Those are counts"),
        (lambda *case: _raw(*case) / _raw(*case).sum(), "the joint"),
        (lambda *case: _raw(*case) / _raw(*case).sum(axis=0), r"P\(parent \| child\)"),
        (lambda parent, child, shape, alpha: right.learn_table(parent, child, shape, 1.0), "alpha = 1"),
        (lambda parent, child, shape, alpha: right.learn_table(parent, child, shape, 0.0), "are missing"),
        (lambda parent, child, shape, alpha: _raw(parent, child, shape, alpha)
         / _raw(parent, child, shape, 0).sum(axis=1, keepdims=True), "denominator"),
        (lambda parent, child, shape, alpha: _raw(parent, child, shape, alpha)
         / (_raw(parent, child, shape, 0).sum(axis=1, keepdims=True) + alpha), "K times alpha"),
        (lambda parent, child, shape, alpha: _raw(parent, child, shape, alpha)
         / (_raw(parent, child, shape, 0).sum(axis=1, keepdims=True) + 2 * alpha), "two states only"),
        (lambda *case: right.learn_table(*case).T, "transposed|shape"),
        (_two_by_two, "shape"),
        (_only_seen, "states that never occur"),
        (lambda parent, child, shape, alpha: _raw(parent, child, shape, alpha)
         / (_raw(parent, child, shape, 0).sum(axis=1, keepdims=True) + shape[0] * alpha), r"shape\[1\]"),
        (_no_empty_rows, "should"),
    ],
}  # fmt: skip

RIGHT = {
    "11.a": [0.0176, [0.017599], np.float32(0.0175988), Fraction(17599, 1000000)],
    "11.b": [0.857, np.array([0.85749])],
    "11.c": [(True, True, False, False, True), np.array([True, True, False, False, True]), [1, 1, 0, 0, 1]],
    "11.d": [(261, 2.0589e14), [261.0, 3**30], np.array([261, 3**30])],
    "11.e": [(0.203, 0.00176), np.array([0.203, 0.0017612])],
    "11.f": [(0.125, 0.3125, 0.5625), np.array([0.125, 0.312, 0.562], dtype=np.float32)],
    "11.g": [0.797, 0.7973],
    "11.1": [_pairs],
    "11.2": [
        _loop_blanket,
        lambda parents, name: np.array(_loop_blanket(parents, name)),
        lambda parents, name: tuple(_loop_blanket(parents, name)),
    ],
    "11.3": [
        lambda p, children: np.array([right.redraw_chance(p, children)]),
        lambda p, children: float(np.float32(right.redraw_chance(p, children))),
    ],
    "11.4": [_by_loop, lambda *case: right.learn_table(*case).tolist()],
}

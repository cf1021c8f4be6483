"""Chapter 11: wrong answers that no table holds, with words that the check must say, and right ones of another form."""

import itertools
import math
from fractions import Fraction

import numpy as np

from mlteach.exercises import bayesian_networks as right


def _pairs(P, query, evidence):
    """Sum over all cases in a loop, a right answer."""
    p = np.zeros(P.shape[query])
    for case in itertools.product(*map(range, P.shape)):
        if all(case[axis] == value for axis, value in evidence.items()):
            p[case[query]] += P[case]
    return (p / p.sum()).tolist()


def _spoils(P, query, evidence):
    P /= P.sum()
    return right.ask(P, query, evidence)


def _takes_in_turn(P, query, evidence):
    """Take one observed axis after another, with the numbers they had at first."""
    for axis, value in evidence.items():
        P = np.take(P, value, axis=axis)
    p = P.sum(axis=tuple(k for k in range(P.ndim) if k != query))
    return p / p.sum()


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


def _draws(p, children):
    return int(np.random.default_rng().random() < right.redraw_chance(p, children))


def _by_log_odds(p, children):
    return 1 / (1 + math.exp(math.log((1 - p) / p) + sum(math.log(f / t) for t, f in children)))


def _only_seen(parent, child, shape, alpha):
    """Count only the states that occur."""
    rows, columns = np.unique(parent), np.unique(child)
    counts = np.array([[np.sum((parent == r) & (child == c)) + alpha for c in columns] for r in rows])
    return counts / counts.sum(axis=1, keepdims=True)


def _by_loop(parent, child, shape, alpha):
    table = [[alpha] * shape[1] for _ in range(shape[0])]
    for p, c in zip(parent, child):
        table[p][c] += 1
    return [[entry / sum(row) if sum(row) else 1 / shape[1] for entry in row] for row in table]


WRONG = {
    "11.a": [
        (0.65 * 0.95 * 0.20 * 0.60 * 0.95, r"P\(r\) = 0.25 is missing"),
        ("0.0176", "without quotation marks"),
        (1.7599, "per cent|decimal|100"),
    ],
    "11.b": [
        (0.86, "rounded"),
        (85.7, "per cent"),
        ({True: right.THERE, False: 1 - right.THERE}, "one number, that of a burglar"),
        ([right.THERE, 1 - right.THERE], "one number, that of a burglar"),
    ],
    "11.c": [
        ([False, False, True, True, False], "wrong way round"),
        ([True, False, False, False, True], "Number 2"),
        ([True, True, True, False, True], "Number 3 .*descendant of the collider"),
        ([True, True, False, True, True], "Number 4 .*fork at Smoker"),
        ([False, True, False, False, False], "Number 1 .*Number 5"),
        ([True, True, False], "Five answers"),
        (["T", "T", "F", "F", "T"], "without quotation marks"),
        (True, "Five answers"),
    ],
    "11.d": [((261, 3**30 - 1), "free entries"), ((3**30, 261), "first"), ((261, 2**30 - 1), "three states")],
    "11.e": [((0.0017612, 0.203), "another order|first"), ((0.18, 0.00176), "drawn, not observed")],
    "11.f": [([9 / 16, 5 / 16, 2 / 16], "order"), ([2 / 16, 5 / 16], "entries|shape")],
    "11.g": [(79.7, "per cent"), (right.Phi(3 / (9 - 4) ** 0.5), "add"), (right.Phi(6.5 / 1.5), "with an umbrella")],
    "11.1": [
        (_spoils, "in place"),
        (_takes_in_turn, "move up"),
        (lambda P, query, evidence: right.ask(P, query if 0 in evidence else 0, evidence), "entries; 3 are wanted"),
        (lambda P, query, evidence: right.ask(P, query, evidence)[0], "shape|number"),
    ],
    "11.2": [
        (lambda parents, name: len(right.blanket(parents, name)), "Return a set"),
        (lambda parents, name: right.blanket(right.GRAPHS[0], "Alarm"), "whatever it is given"),
        (lambda parents, name: [*parents[name], *_loop_blanket(parents, name)], "twice"),
        (_takes_away, "in place"),
    ],
    "11.3": [
        (_draws, "draws"),
        (lambda p, children: right.redraw_chance(p, children) > 0.5, "likelier"),
        (lambda p, children: right.redraw_chance(0.94, children), "p = 0.94"),
    ],
    "11.4": [
        (lambda parent, child, shape, alpha: right.learn_table(parent, child, shape, 1.0), "alpha = 1"),
        (lambda parent, child, shape, alpha: right.learn_table(parent % 2, child % 2, (2, 2), alpha), "shape"),
        (_only_seen, "states that never occur"),
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
    "11.2": [_loop_blanket, lambda *case: np.array(_loop_blanket(*case)), lambda *case: tuple(_loop_blanket(*case))],
    "11.3": [lambda *case: np.array([right.redraw_chance(*case)]), _by_log_odds],
    "11.4": [_by_loop, lambda *case: right.learn_table(*case).tolist()],
}

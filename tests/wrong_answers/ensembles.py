"""Answers to the tasks of chapter 13 that no table lists: wrong ones with words that the check must say, right ones."""

import numpy as np

from mlteach.exercises.ensembles import ALPHA, OUT, best_stump_1d, best_vote, margins, oob_error

FIRST, SECOND = 0.1 / 1.3, 0.2 / 0.7


def _oob_in_place(in_bag, votes, y):
    votes *= in_bag == 0
    return np.mean((votes.sum(axis=0) * y <= 0)[(in_bag == 0).any(axis=0)])


def _oob_loop(in_bag, votes, y):
    wrong, counted = 0, 0
    for n in range(len(y)):
        heard = [votes[b, n] for b in range(len(votes)) if in_bag[b, n] == 0]
        if heard:
            counted += 1
            wrong += sum(heard) * y[n] <= 0
    return wrong / counted


def _stump_sums(x, t, w):
    """Find the stump by running sums over the sorted points, as a fast program does it."""
    order = np.argsort(x, kind="stable")
    a, signed = x[order], (w * t)[order]
    below = np.cumsum(signed)[:-1]
    edge = below + (np.sum(w) - np.sum(signed)) / 2  # error of the stump that says +1 above
    options = [(e, k, 1) for k, e in enumerate(edge)] + [(np.sum(w) - e, k, -1) for k, e in enumerate(edge)]
    options = [o for o in options if a[o[1]] < a[o[1] + 1]]
    error, k, side = min(options)
    return [(a[k] + a[k + 1]) / 2, side, error]


WRONG = {
    "13.a": [(83.4, "per cent"), (0.85, "is not"), (0.8, "rounded")],
    "13.b": [
        (2.4, "2 answers are wanted"),
        ((18, 2.4), "another order: first the variance"),
        ((2.4, -18), "sign"),
        ((1.8 + 7.2 / 11, 18), "one too small"),
    ],
    "13.c": [
        ((0.368, 5.06), "limit"),
        ((0.125**8, 5.251), "7/8 a draw"),
        ((34.36, 5.251), "per cent"),
        ((34.4, 5.25), "per cent"),
        ((5.25, 0.344), "another order: first the chance"),
        ((OUT, 5.057), "limit"),
    ],
    "13.d": [(40, "per cent"), (0.45, "is not 0.45")],
    "13.e": [
        ((0.4, np.log(1.5), 0.1, 0.25), "counted points"),
        ((35, ALPHA, FIRST, SECOND), "per cent"),
        ((0.35, 0.62, FIRST, SECOND), "rounded"),
        ((0.35, ALPHA, 0.1 * np.exp(-ALPHA), 0.2 * np.exp(ALPHA)), "right ones stay"),
        ((0.35, ALPHA, FIRST, 0.3), "of point 2 is not"),
        ((0.35, ALPHA, 0.09, SECOND), "of point 1 is not"),
        ((0.35, ALPHA), "4 answers are wanted"),
    ],
    "13.f": [(86.83, "whole numbers"), (61, "is not 61")],
    "13.g": [((20, 97.15), "per cent"), ((0.9715, 20), "another order: first the cost")],
    "13.1": [
        (lambda votes, p: np.sum(np.log(p / (1 - p)) * votes), "sign of the sum"),
        (lambda votes, p: 1 if np.sum(np.log(p / (1 - p)) * votes) > 0 else 0, r"\+1 or -1"),
        (lambda votes, p: np.sum(np.log(p / (1 - p)) * votes) > 0, r"the number \+1 or -1"),
        (lambda votes, p: best_vote(votes, np.array([0.6, 0.7, 0.9])), "do not fit"),
        (lambda votes, p: None, "without returning"),
        (lambda votes, p: 1, "whatever it is given"),
    ],
    "13.2": [(lambda in_bag, votes, y: 0.4, "whatever it is given"), (_oob_in_place, "in place")],
    "13.3": [
        (lambda H, eps, t: margins(H, 0.3, t), "stops with ValueError"),
        (lambda H, eps, t: margins(H[::-1], eps, t), "should be"),
    ],
    "13.4": [
        (lambda x, t, w: x.sort() or best_stump_1d(x, t, w), "in place"),
        (lambda x, t, w: best_stump_1d(x, t, w)[1:], "The stump"),
    ],
}

RIGHT = {
    "13.a": [0.834, np.float32(0.834), [0.834], np.array([0.834])],
    "13.b": [(2.4, 18), [2.4, 18.0], np.array([2.4, 18])],
    "13.c": [(OUT, 8 * (1 - OUT)), [0.344, 5.25], [np.float32(0.3436), 5.25], np.array([0.3436, 5.2512])],
    "13.d": [0.4, 2 / 5, np.float32(0.4), [0.4]],
    "13.e": [(0.35, 0.619, 0.0769, 0.2857), [0.35, 0.619, 0.077, 0.286], np.array([0.35, ALPHA, FIRST, SECOND])],
    "13.f": [87, 87.0, np.int64(87), [87]],
    "13.g": [(20, 0.9715), [20.0, 0.972], np.array([20, 0.9715])],
    "13.1": [
        lambda votes, p: np.sign(np.log(p / (1 - p)) @ votes),
        lambda votes, p: 1 if np.prod(np.where(votes > 0, p, 1 - p)) > np.prod(np.where(votes > 0, 1 - p, p)) else -1,
        lambda votes, p: np.array([best_vote(votes, p)]),
    ],
    "13.2": [_oob_loop, lambda in_bag, votes, y: [oob_error(in_bag, votes, y)]],
    "13.3": [
        lambda H, eps, t: list(margins(H, eps, t)),
        lambda H, eps, t: t * (0.5 * np.log(1 / eps - 1) @ H) / (0.5 * np.log(1 / eps - 1)).sum(),
    ],
    "13.4": [_stump_sums, lambda x, t, w: np.array(best_stump_1d(x, t, w))],
}

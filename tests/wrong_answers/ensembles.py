"""Typical wrong answers to the tasks of chapter 13, each with words that the check must say, and right ones in form."""

import math

import numpy as np

from mlteach.exercises.ensembles import (
    _A5,
    _OOB,
    _RAISED,
    _RIGHT5,
    _counted,
    _largest,
    _loudest,
    _normalised,
    _outside,
    _repeated,
    _stump_with,
    _turned,
    _unsorted,
    _weighed,
    _x_alone,
    best_stump_1d,
    best_vote,
    margins,
    oob_error,
)

_E, _A, _FIRST, _SECOND = _RIGHT5
_OUT = 0.875**8


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


def _stump_in_place(x, t, w):
    x.sort()
    return best_stump_1d(x, t, w)


def _stump_sums(x, t, w):
    """The same by running sums over the sorted points, as a fast program does it."""
    order = np.argsort(x, kind="stable")
    a, signed = x[order], (w * t)[order]
    below = np.cumsum(signed)[:-1]
    edge = below + (np.sum(w) - np.sum(signed)) / 2  # error of the stump that says +1 above
    options = [(e, k, 1) for k, e in enumerate(edge)] + [(np.sum(w) - e, k, -1) for k, e in enumerate(edge)]
    options = [o for o in options if a[o[1]] < a[o[1] + 1]]
    error, k, side = min(options)
    return [(a[k] + a[k + 1]) / 2, side, error]


def _no_threshold(x, t, w):
    return best_stump_1d(x, t, w)[1:]


def _four_class(votes, p):
    return 1 if np.sum(np.log(p / (1 - p)) * votes) > 0 else 0


WRONG = {
    "13.a": [
        (0.378, "all three are right"),
        (0.456, "exactly two"),
        (0.988, "at least one"),
        (0.166, "majority is wrong"),
        (0.8246, "mean chance"),
        (0.733, "mean of the three"),
        (0.9, "best voter alone"),
        (0.7, "middle voter"),
        (0.784, "every voter the chance 0.7"),
        (0.252, "one outcome"),
        (0.162, "one outcome"),
        (0.042, "one outcome"),
        (1.59, "three times"),
        (83.4, "per cent"),
        (0.85, "is not"),
        (0.8, "rounded"),
    ],
    "13.b": [
        ((0.75, 18), "independent"),
        ((0.6, 18), "does not fall"),
        ((1.8, 18), "limit"),
        ((7.35, 18), "wrong part"),
        ((21.6, 18), "squared the 9"),
        ((0.8, 18), "deviation σ = 3"),
        ((1.549, 18), "deviation of the mean"),
        ((2.55, 18), "factor 1 - ρ"),
        ((1.85, 18), "not by n²"),
        ((9, 18), "one predictor"),
        ((0.2, 18), "once more"),
        ((28.8, 18), "divide"),
        ((2.4, 17), "still above"),
        ((2.4, 19), "smaller n"),
        ((2.4, 4), "does not fall"),
        ((2.4, 5), "does not fall"),
        ((2.4, 23), "not 9 / n"),
        ((2.4, 22.5), "whole number"),
        ((2.4, 36), "smaller n"),
        (2.4, "two numbers"),
        ((18, 2.4), "exchanged"),
        ((2.4, -18), "sign"),
    ],
    "13.c": [
        ((0.3679, 5.251), "limit"),
        ((0.368, 5.06), "limit"),
        ((1 - _OUT, 5.251), "left out is wanted"),
        ((0.632, 5.251), "left out is wanted"),
        ((0.875, 5.251), "all eight draws"),
        ((0.125, 5.251), "all eight draws"),
        ((0.125**8, 5.251), "with replacement"),
        ((0, 8), "with replacement"),
        ((0.875**7, 5.251), "eight factors"),
        ((34.36, 5.251), "per cent"),
        ((34.4, 5.25), "per cent"),
        ((5.25, 0.344), "exchanged"),
        ((0.3436, 2.749), "left out"),
        ((0.3436, 0.656), "eight times"),
        ((0.3436, 5.057), "limit"),
        ((0.3436, 8), "seldom"),
        ((0.3436, 5), "no whole number"),
        ((0.3436, 7), "not 7/8"),
    ],
    "13.d": [
        (0.0, "all five trees vote"),
        (1 / 3, "divided by all six"),
        (0.5, "counted E as a mistake"),
        (5 / 11, "single votes"),
        (13 / 30, "the trees' own errors"),
        (1 / 19, "the points that it drew"),
        (0.2, "look at B"),
        (0.6, "the error is wanted"),
        (2, "number of mistakes"),
        (40, "per cent"),
        (0.45, "is not 0.45"),
    ],
    "13.e": [
        ((0.4, math.log(1.5), 0.1, 0.25), "counted points"),
        ((0.65, _A, _FIRST, _SECOND), "points that are right"),
        ((0.175, _A, _FIRST, _SECOND), "number of wrong points"),
        ((0.07, _A, _FIRST, _SECOND), "sum to one already"),
        ((0.2, _A, _FIRST, _SECOND), "Two points"),
        ((35, _A, _FIRST, _SECOND), "per cent"),
        ((0.55, _A, _FIRST, _SECOND), "from 0"),
        ((_E, 0.62, _FIRST, _SECOND), "rounded"),
        ((_E, _A / 2, _FIRST, _SECOND), "no factor 1/2"),
        ((_E, -_A, _FIRST, _SECOND), "upside down"),
        ((_E, 0.65 / 0.35, _FIRST, _SECOND), "logarithm"),
        ((_E, _A / math.log(10), _FIRST, _SECOND), "base 10"),
        ((_E, _A / math.log(2), _FIRST, _SECOND), "base 2"),
        ((_E, math.log(1.5), _FIRST, _SECOND), "0.35"),
        ((_E, _A, _RAISED[0], _RAISED[1]), "by their sum"),
        (
            (_E, _A, *_normalised(np.array([0.1, 0.2, 0.3, 0.15, 0.25]), np.array([-1, 1, -1, 1, -1]), _A5)),
            "raise the wrong",
        ),
        (
            (_E, _A, *_normalised(np.array([0.1, 0.2, 0.3, 0.15, 0.25]), np.array([1, -1, 1, -1, 1]), _A5 / 2)),
            "alpha/2",
        ),
        ((_E, _A, *_normalised(np.full(5, 0.2), np.array([1, -1, 1, -1, 1]))), "equal weights"),
        ((_E, _A, 0.1, 0.2), "old weights"),
        ((_E, _A, _SECOND, _FIRST), "Exchange"),
        ((_E, _A, 0.1 * math.exp(-_A / 2), 0.2 * math.exp(_A / 2)), "by their sum"),
        ((_E, _A, 0.1 * math.exp(-_A), 0.2 * math.exp(_A)), "right ones stay"),
        ((_E, _A, _FIRST, 0.3), "of point 2 is not"),
        ((_E, _A, 0.09, _SECOND), "of point 1 is not"),
        ((_E, _A), "four numbers"),
    ],
    "13.f": [
        (86, "round up"),
        (86.83, "whole numbers"),
        (91, "weaker bound"),
        (90, "weaker bound"),
        (88, "already"),
        (4, "ε itself"),
        (6, "factor 2 or the root"),
        (44, "squared"),
        (45, "N = 50"),
        (60, "is not 60"),
    ],
    "13.g": [
        ((18.85, 0.9715), "what it sees"),
        ((80, 0.9715), "0.05 of all cases"),
        ((18, 0.9715), "pays for stage 1"),
        ((317, 0.9715), "most stop early"),
        ((300, 0.9715), "never reach"),
        ((194, 0.9715), "passed on what each stage keeps"),
        ((140, 0.9715), "multiply"),
        ((5, 0.9715), "third stage"),
        ((20, 0.8379), "do not multiply"),
        ((20, 0.9433), "share of cases that it keeps"),
        ((20, 1.215), "not what it sees"),
        ((20, 0.974), "three quarters"),
        ((20, 0.964), "weigh it by 0.15"),
        ((20, 0.0285), "This is the error"),
        ((20, 97.15), "per cent"),
        ((0.9715, 20), "exchanged"),
        ((17, 0.9715), "second stage"),
        ((20, 0.9265), "third stage"),
        ((20, 0.96553), "one stage only"),
    ],
    "13.1": [
        (lambda votes, p: 1 if votes.sum() > 0 else -1, "ignore p"),
        (_weighed(lambda p: p), "weigh each vote by p"),
        (_weighed(lambda p: p - 0.5), "log-odds"),
        (_weighed(lambda p: p / (1 - p)), "logarithm"),
        (_weighed(lambda p: abs(np.log(p / (1 - p)))), "absolute value"),
        (_weighed(lambda p: np.maximum(np.log(p / (1 - p)), 0)), "opposite"),
        (lambda votes, p: 1 if np.where(p < 0.5, -votes, votes).sum() > 0 else -1, "count all alike"),
        (_loudest, "best voter alone"),
        (lambda votes, p: -best_vote(votes, p), "wrong way round"),
        (lambda votes, p: np.sum(np.log(p / (1 - p)) * votes), "sign of the sum"),
        (_four_class, r"\+1 or -1"),
        (lambda votes, p: np.sum(np.log(p / (1 - p)) * votes) > 0, r"the number \+1 or -1"),
        (lambda votes, p: best_vote(votes, np.array([0.6, 0.7, 0.9])), "do not fit"),
        (lambda votes, p: None, "without returning"),
        (lambda votes, p: 1, "whatever it is given"),
    ],
    "13.2": [
        *[
            (_OOB[name], words)
            for name, words in {
                "every_tree": "did not draw it",
                "inside": "those that did not",
                "all_points": "divide by all points",
                "unvoted_wrong": "have no vote",
                "pooled": "single votes",
                "by_tree": "single trees",
                "ties_right": "tie as right",
                "ties_plus": r"decide it for \+1",
                "ties_minus": "decide it for -1",
                "drawn_once": "drawn twice",
                "inside_all": "those that did not",
                "inside_judged": "those that did not",
                "draws": "number of draws",
                "one_minus": "drawn twice",
                "ties_out": "leave tied points out",
                "number": "number of mistakes",
            }.items()
        ],
        (lambda in_bag, votes, y: 1 - oob_error(in_bag, votes, y), "accuracy"),
        (lambda in_bag, votes, y: 0.4, "whatever it is given"),
        (_oob_in_place, "in place"),
    ],
    "13.3": [
        (lambda H, eps, t: t * (np.log((1 - eps) / eps) @ H), "sum of alpha"),
        (lambda H, eps, t: t * (np.log((1 - eps) / eps) @ H) / len(eps), "number of rounds"),
        (lambda H, eps, t: t * H.mean(axis=0), "equally"),
        (lambda H, eps, t: t * ((1 - eps) @ H) / (1 - eps).sum(), "1 - eps"),
        (lambda H, eps, t: t * (eps @ H) / eps.sum(), "by eps"),
        (lambda H, eps, t: t * (np.log(eps) @ H) / np.log(eps).sum(), "ln eps"),
        (lambda H, eps, t: t * ((0.5 - eps) @ H) / (0.5 - eps).sum(), "edge"),
        (lambda H, eps, t: t * (np.log((1 - eps) / eps) @ H) / len(t), "number of points"),
        (lambda H, eps, t: np.log((1 - eps) / eps) @ H / np.log((1 - eps) / eps).sum(), "label t"),
        (lambda H, eps, t: t * np.sign(np.log((1 - eps) / eps) @ H), "keeps its size"),
        (lambda H, eps, t: abs(margins(H, eps, t)), "absolute value"),
        (lambda H, eps, t: -margins(H, eps, t), r"ln\(\(1 - eps\) / eps\)"),
        (lambda H, eps, t: margins(H, eps, t).min(), "least margin"),
        (lambda H, eps, t: t * ((1 - eps) / eps @ H) / ((1 - eps) / eps).sum(), "its logarithm"),
    ],
    "13.4": [
        (_stump_with(weigh=lambda w: np.full(len(w), 1 / len(w))), "ignore the weights"),
        (_stump_with(weigh=np.ones_like), "ignore the weights"),
        (_stump_with(sides=(1,)), "only one side"),
        (_stump_with(sides=(-1,)), "only one side"),
        (_stump_with(at="value"), "halfway"),
        (_unsorted, "Sort x"),
        (_repeated, "Repeated values"),
        (_x_alone, "sorted x alone"),
        (_outside, "beyond all values"),
        (_counted, "add up their weights"),
        (_turned, "above the threshold"),
        (_largest, "smallest is wanted"),
        (_stump_in_place, "in place"),
        (_no_threshold, "The stump"),
        (lambda x, t, w: (8.5, -1, 3 / 14), "whatever it is given"),
    ],
}

RIGHT = {
    "13.a": [0.834, np.float32(0.834), [0.834], np.array([0.834])],
    "13.b": [(2.4, 18), [2.4, 18.0], np.array([2.4, 18]), {"the variance": 2.4, "n": 18}],
    "13.c": [(_OUT, 8 * (1 - _OUT)), [0.344, 5.25], [np.float32(0.3436), 5.25], np.array([0.3436, 5.2512])],
    "13.d": [0.4, 2 / 5, np.float32(0.4), [0.4]],
    "13.e": [(0.35, 0.619, 0.0769, 0.2857), [0.35, 0.619, 0.077, 0.286], np.array(_RIGHT5)],
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

"""Chapter 09: wrong answers that no table holds, with words that the check must say, and right ones of another form."""

from fractions import Fraction
from math import lgamma

import numpy as np

from mlteach.exercises import bayesian_learning as right


def _loop_lime(prior, q, limes, cherries):
    total = lime = 0.0
    for p, share in zip(prior, q):
        weight = p * share**limes * (1 - share) ** cherries
        total, lime = total + weight, lime + weight * share
    return lime / total


def _spoils_prior(prior, q, limes, cherries):
    prior *= q**limes * (1 - q) ** cherries
    return float(prior @ q / prior.sum())


def _loop_vote(belief, tables):
    chances = [sum(p * row[k] for p, row in zip(belief, tables)) for k in range(len(tables[0]))]
    best = max(range(len(chances)), key=chances.__getitem__)
    return [best, 1 - chances[best]]


def _by_gamma(a, b, data):
    s, n = sum(data), len(data)
    logs = lgamma(a + s) + lgamma(b + n - s) - lgamma(a + b + n) - lgamma(a) - lgamma(b) + lgamma(a + b)
    return np.exp(logs)


def _takes_data(a, b, data):
    chance = right.sequence_chance(a, b, data)
    data.clear()
    return chance


def _counted(cherry, red):
    pairs = list(zip(cherry.tolist(), red.tolist()))
    c = sum(x for x, _ in pairs)
    return [c / len(pairs), sum(r for x, r in pairs if x) / c, sum(r for x, r in pairs if not x) / (len(pairs) - c)]


def _mean_first(x, sigma, mu_0, tau):
    if not len(x):
        return mu_0, tau
    w = (len(x) / sigma**2) / (len(x) / sigma**2 + 1 / tau**2)
    return (1 - w) * mu_0 + w * np.mean(x), np.sqrt(1 / (1 / tau**2 + len(x) / sigma**2))


WRONG = {
    "9.a": [([0, 21.4, 57.1, 21.4, 0], "per cent"), ([21.4, 57.1, 21.4], "5")],
    "9.b": [((7 / 26, 0.5), "another order"), ((0.5, 26.9), "per cent")],
    "9.c": [
        (("poisonous", 0.45), "most probable hypothesis says poisonous"),
        (("edible", 0.55), "being right"),
        (("edible", 0.65), "not the true one"),
        (("edible", 0.35), "one hypothesis"),
        (("edible", 0.4), "share of hypotheses"),
        (("edible", 0.6), "counted hypotheses"),
        (("edible", 0.495), "drawn at random"),
        (("edible", 0.75), "add their beliefs"),
        (("edible", 0.1), "more belief"),
        (("extremely poisonous", 0.45), "poisonous.*or.*edible"),
        (("mushroom", 0.45), "poisonous.*or.*edible"),
        ((1, 0.45), "a word in quotation marks"),
    ],
    "9.d": [(([0.375, 0.8, 0.4], 54.5), "per cent"), ((0.375, 24 / 44), "dials")],
    "9.e": [((15, 6, 4.5), "another order"), ((15, 9, 6), "twice")],
    "9.f": [((11, 9, 0.45, 4 / 9), "another order"), ((13, 7, 0.65, 2 / 3), "exchanged")],
    "9.g": [((0, 0.05, 1.47), "per cent"), ((0.05, 0, 1 / 68), "another order")],
    "9.1": [
        (lambda p, q, k, m: right.next_lime(p, np.sort(q), k, m), "q"),
        (lambda p, q, k, m: right.next_lime(p, q, 3, m), "limes = 3"),
        (lambda p, q, k, m: right.next_lime(right.PRIOR, right.Q, k, m), "prior|q"),
        (_spoils_prior, "in place"),
    ],
    "9.2": [
        (lambda p, t: right.bayes_vote(p, t)[0], "2|two|shape|pair"),

    ],
    "9.3": [
        (lambda a, b, d: right.sequence_chance(a, b, d) if d else None, "without returning"),
        (_takes_data, "in place"),
    ],
    "9.4": [
        (lambda c, r: (0.6, 0.75, 0.25), "whatever it is given"),

    ],
    "9.5": [
        (lambda x, s, m, t: right.normal_belief(x, 2.0, m, t), "sigma = 2"),
        (lambda x, s, m, t: right.normal_belief(x, s, 10.0, t), "mu_0 = 10"),
        (lambda x, s, m, t: right.normal_belief(x, s, m, 3.0), "tau = 3"),
    ],
}  # fmt: skip

RIGHT = {
    "9.a": [(0, 0.2143, 0.5714, 0.2143, 0), [0, Fraction(3, 14), Fraction(4, 7), Fraction(3, 14), 0],
            np.array([0, 0.214, 0.571, 0.214, 0])],
    "9.b": [(0.5, 0.269), [0.5, Fraction(7, 26)], np.array([0.5, 0.2692])],
    "9.c": [("Edible", 0.45), ("edible ", np.float32(0.45)), ["e", 0.45]],
    "9.d": [((0.375, 0.8, 0.4), 0.5455), (np.array([0.375, 0.8, 0.4]), Fraction(24, 44)), ([0.375, 0.8, 0.4], 0.545)],
    "9.e": [(15, 4.5, 6), [15.0, 4.5, 6.0], np.array([15, 4.5, 6])],
    "9.f": [(9, 11, 0.45, 0.444), [9.0, 11.0, 0.45, Fraction(4, 9)]],
    "9.g": [(0, 0.05, 0.0147), [0.0, Fraction(1, 20), Fraction(1, 68)], np.array([0, 0.05, 0.0147])],
    "9.1": [_loop_lime, lambda *case: np.array([right.next_lime(*case)])],
    "9.2": [_loop_vote, lambda p, t: np.array(right.bayes_vote(p, t))],
    "9.3": [_by_gamma],
    "9.4": [_counted, lambda c, r: np.array(right.fit_wrappers(c, r))],
    "9.5": [_mean_first, lambda *case: list(right.normal_belief(*case))],
}  # fmt: skip

"""Typical wrong answers to the exercises of chapter 09, each with words that the check must say."""

from fractions import Fraction
from math import comb, lgamma

import numpy as np

from mlteach.exercises import bayesian_learning as right

PRIOR, Q = right.PRIOR, right.Q


def _share(weights):
    return np.asarray(weights) / np.sum(weights)


def _loop_lime(prior, q, limes, cherries):
    total = lime = 0.0
    for p, share in zip(prior, q):
        weight = p * share**limes * (1 - share) ** cherries
        total, lime = total + weight, lime + weight * share
    return lime / total


def _spoils_prior(prior, q, limes, cherries):
    prior *= q**limes * (1 - q) ** cherries
    return float(prior @ q / prior.sum())


def _map_lime(prior, q, limes, cherries):
    return float(q[np.argmax(prior * q**limes * (1 - q) ** cherries)])


def _three_limes(prior, q, limes, cherries):
    return right.next_lime(prior, q, 3, cherries)


def _joint_lime(prior, q, limes, cherries):
    return float((prior * q**limes * (1 - q) ** cherries) @ q)


def _map_vote(belief, tables):
    v = int(np.argmax(tables[np.argmax(belief)]))
    return v, 1 - (belief @ tables)[v]


def _equal_vote(belief, tables):
    mean = tables.mean(axis=0)
    return int(np.argmax(mean)), 1 - mean.max()


def _hard_vote(belief, tables):
    votes = np.bincount(tables.argmax(axis=1), weights=belief, minlength=tables.shape[1])
    return int(np.argmax(votes)), 1 - votes.max()


def _loop_vote(belief, tables):
    chances = [sum(p * row[k] for p, row in zip(belief, tables)) for k in range(len(tables[0]))]
    best = max(range(len(chances)), key=chances.__getitem__)
    return [best, 1 - chances[best]]


def _no_update(a, b, data):
    return float(np.prod([(a if x else b) / (a + b) for x in data]))


def _after(a, b, data):
    chance = 1.0
    for x in data:
        a, b = a + x, b + 1 - x
        chance *= (a if x else b) / (a + b)
    return chance


def _added(a, b, data):
    total = 0.0
    for x in data:
        total += (a if x else b) / (a + b)
        a, b = a + x, b + 1 - x
    return total


def _last_factor(a, b, data):
    return right.sequence_chance(a, b, data) / right.sequence_chance(a, b, data[:-1]) if data else 1.0


def _fixed_total(a, b, data):
    chance, n = 1.0, a + b
    for x in data:
        chance *= (a if x else b) / n
        a, b = a + x, b + 1 - x
    return chance


def _only_a(a, b, data):
    chance = 1.0
    for x in data:
        chance *= (a if x else b) / (a + b)
        a += x
    return chance


def _never_empty(a, b, data):
    return right.sequence_chance(a, b, data) if data else 0.0


def _by_gamma(a, b, data):
    s, n = sum(data), len(data)
    logs = lgamma(a + s) + lgamma(b + n - s) - lgamma(a + b + n) - lgamma(a) - lgamma(b) + lgamma(a + b)
    return np.exp(logs)


def _takes_data(a, b, data):
    chance = right.sequence_chance(a, b, data)
    data.clear()
    return chance


def _of_all(cherry, red):
    return cherry.mean(), (cherry * red).mean(), ((1 - cherry) * red).mean()


def _turned(cherry, red):
    return right.fit_wrappers(red, cherry)


def _counted(cherry, red):
    pairs = list(zip(cherry.tolist(), red.tolist()))
    c = sum(x for x, _ in pairs)
    return [c / len(pairs), sum(r for x, r in pairs if x) / c, sum(r for x, r in pairs if not x) / (len(pairs) - c)]


def _mean_first(x, sigma, mu_0, tau):
    """Weigh prior mean and sample mean, a right answer; without data the prior stays."""
    if not len(x):
        return mu_0, tau
    w = (len(x) / sigma**2) / (len(x) / sigma**2 + 1 / tau**2)
    return (1 - w) * mu_0 + w * np.mean(x), np.sqrt(1 / (1 / tau**2 + len(x) / sigma**2))


def _changed(x, sigma, mu_0, tau, what):
    mean, sd = right.normal_belief(x, sigma, mu_0, tau)
    return mean, what(sd)


def _mean_of(x, sigma, mu_0, tau, top):
    return top / (1 / tau**2 + len(x) / sigma**2), right.normal_belief(x, sigma, mu_0, tau)[1]


WRONG = {
    "9.a": [
        (PRIOR * Q * (1 - Q), "Those are the products"),
        (_share(Q * (1 - Q)), "prior is missing"),
        (Q * (1 - Q), "Those are the likelihoods"),
        (_share(PRIOR * Q), "after the lime"),
        (_share(PRIOR * (1 - Q)), "a cherry alone"),
        (_share(PRIOR * Q**2), "two limes"),
        (_share(PRIOR * (1 - Q) ** 2), "two cherries"),
        (_share(PRIOR**2 * Q * (1 - Q)), "prior twice"),
        (PRIOR, "That is the prior"),
        (PRIOR * Q * (1 - Q) / 0.5, r"P\(lime\), the evidence of one"),
        ([0, 3 / 26, 4 / 13, 3 / 26, 0], "evidence of two limes"),
        ([0, 0.25, 0.5, 0.25, 0], "only struck out"),
        (_share(PRIOR * (Q * (1 - Q)) ** 2), "candies twice"),
        ([0.2] * 5, "neither equally common"),
        ([3 / 14, 4 / 7, 3 / 14], "five|shape|5"),
        ([0, 21.4, 57.1, 21.4, 0], "per cent|100"),
    ],
    "9.b": [
        ((0.65, 7 / 26), "after one lime"),
        ((0.35, 7 / 26), "after one cherry"),
        ((4 / 7, 7 / 26), "belief in h3"),
        ((0.5, 19 / 26), "chance of cherry"),
        ((0.5, 0.35), "after one cherry"),
        ((0.5, 0.65), "second candy is cherry"),
        ((0.5, 0.25), "most probable bag"),
        ((0.5, 0.0), "ML bag"),
        ((0.5, 0.5), "before any candy"),
        ((0.0875, 7 / 26), "average with the posterior"),
        ((0.175, 7 / 26), "the evidence"),
        ((0.25, 7 / 26), "not independent"),
        ((0.5, 0.0875), "average with the posterior"),
        ((0.5, 0.325), "the evidence"),
    ],
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
        (("edibel", 0.45), "poisonous.*or.*edible"),
        (("mushroom", 0.45), "poisonous.*or.*edible"),
        ((1, 0.45), "a word in quotation marks"),
    ],
    "9.d": [
        (([30 / 80, 24 / 80, 20 / 80], 24 / 44), "among the cherries"),
        (([30 / 80, 0.8, 0.25], 24 / 44), "50 limes, not among all"),
        (([30 / 80, 24 / 44, 20 / 44], 24 / 44), "shares among the red"),
        (([30 / 80, 0.4, 0.8], 24 / 44), "exchange"),
        (([50 / 80, 0.8, 0.4], 24 / 44), "not of limes"),
        (([30 / 80, 0.2, 0.6], 24 / 44), "green paper"),
        (([31 / 82, 25 / 32, 21 / 52], 24 / 44), "added one"),
        (([30 / 80, 0.8, 20 / 30], 24 / 44), "there are 50 limes"),
        (([0.375, 0.8, 0.4], 0.8), r"P\(red \| cherry\)"),
        (([0.375, 0.8, 0.4], 0.375), r"That is P\(cherry\)"),
        (([0.375, 0.8, 0.4], 0.3), r"cherry and red"),
        (([0.375, 0.8, 0.4], 0.55), r"0.55 is P\(red\).*three digits"),
        (([0.375, 0.8, 0.4], 0.25), "lime and red"),
        (([0.375, 0.8, 0.4], 0.8 / 0.55), "factor P"),
        (([30, 24, 20], 24 / 44), "counts"),
        (([0.375, 0.8, 0.6], 24 / 44), "share of green"),
        (([0.625, 0.4, 0.8], 24 / 44), "exchanged cherries and limes"),
        (([0.6, 0.75, 0.25], 24 / 44), "example above"),
        (([0.375, 0.8, 0.4], 20 / 44), r"lime \| red"),
        (([0.375, 0.8, 0.4], 2 / 3), "equally common"),
    ],
    "9.e": [
        ((60, 4.5, 6), "That is the sum"),
        ((15, 6, 6), "divided by N - 1"),
        ((15, 18, 6), "sum of squares"),
        ((15, 4.5**0.5, 6), "standard deviation"),
        ((15, 1.5, 6), "absolute"),
        ((15, 0, 6), "sum to zero"),
        ((15, 4.5, 4.5), "ML variance again"),
        ((15, 4.5, 3.375), "other way"),
        ((15, 4.5, 6**0.5), "standard deviation"),
        ((15, 4.5, 9), "N - 2"),
        ((20, 4.5, 6), "mean divides by N"),
        ((14, 4, 5), "five weights above"),
        ((15, 4.5, 18), "Divide by N - 1"),
        ((15, 4.5, 5.625), "not 5"),
    ],
    "9.f": [
        ((18, 11, 0.45, 4 / 9), "all candies. Add the 5"),
        ((9, 16, 0.45, 4 / 9), "all candies. Add the 9"),
        ((5, 9, 0.45, 4 / 9), "virtual ones"),
        ((13, 7, 0.65, 2 / 3), "exchanged"),
        ((9, 11, 5 / 14, 4 / 9), "ML estimate"),
        ((9, 11, 4 / 9, 4 / 9), "That is the mode"),
        ((9, 11, 0.55, 4 / 9), "failure"),
        ((9, 11, 2 / 3, 4 / 9), "mean of the prior"),
        ((9, 11, 9 / 11, 4 / 9), "odds"),
        ((9, 11, 0.375, 4 / 9), "uniform prior"),
        ((9, 11, 0.45, 0.45), "That is the mean"),
        ((9, 11, 0.45, 5 / 14), "peak of the likelihood"),
        ((9, 11, 0.45, 0.4), "divide by a"),
        ((9, 11, 0.45, 10 / 18), "mode for failures"),
        ((10, 12, 10 / 22, 0.45), "one more to each"),
        ((6, 10, 0.375, 5 / 14), "uniform law"),
        ((4, 2, 2 / 3, 0.75), "That is the prior"),
        ((9, 14, 9 / 23, 8 / 21), "9 failures"),
        ((9, 11, 0.4, 4 / 9), "for the mode only"),
        ((9, 11, 0.45, 10 / 22), "instead of adding"),
        ((9, 11, 0.45, 9 / 19), "take one off"),
        ((9, 11, 0.45, 0.75), "mode of the prior"),
    ],
    "9.g": [
        ((1.0, 0.05, 1 / 68), "arrived"),
        ((0.05, 0.05, 1 / 68), "share itself"),
        ((0, 1 / 19, 1 / 68), "grows by two"),
        ((0, 1 / 18, 1 / 68), "denominator"),
        ((0, 0.95, 1 / 68), "arrives"),
        ((0, 0.0, 1 / 68), "maximum likelihood"),
        ((0, 0.05, 67 / 68), "arrives"),
        ((0, 0.05, 0.02), "mean of the prior"),
        ((0, 0.05, 1 / 67), "divide by a"),
        ((0, 0.05, 19 / 68), "failures here"),
        ((0, 0.05, 2 / 70), "one more"),
        ((0, 0.05, 0), "The prediction is the mean"),
        ((0, 0.5 / 19, 1 / 68), "adds one to each"),
        ((0, 0.05, 0.05), "add-one rule again"),
        ((0, 0.05, 18 / 68), "counts losses"),
        ((0, 0.05, 49 / 68), "virtual count is 1"),
        ((0, 0.05, 2 / 68), "No parcel was lost"),
    ],
    "9.1": [
        (_joint_lime, "Normalise"),
        (_map_lime, "MAP"),
        (lambda p, q, k, m: float(q[np.argmax(q**k * (1 - q) ** m)]), "ML"),
        (lambda p, q, k, m: right.next_lime(np.ones(len(q)), q, k, m), "prior is missing"),
        (lambda p, q, k, m: right.next_lime(p, q, m, k), "exchanged"),
        (lambda p, q, k, m: right.next_lime(p, q, k, 0), "cherries are missing"),
        (lambda p, q, k, m: 1 - right.next_lime(p, q, k, m), "chance of cherry"),
        (lambda p, q, k, m: float(p @ q), "before any data"),
        (lambda p, q, k, m: right.next_lime(p, q, k + m, 0), "cherries for limes"),
        (lambda p, q, k, m: right.next_lime(p, q, k + 1, m), "before it came"),
        (lambda p, q, k, m: right.next_lime(p, 1 - q, k, m), "share of limes"),
        (lambda p, q, k, m: (k + 1) / (k + m + 2), "add-one rule"),
        (lambda p, q, k, m: k / (k + m) if k + m else 0.5, "so far"),
        (lambda p, q, k, m: float((p * q**k * (1 - q) ** m).sum()), "evidence"),
        (lambda p, q, k, m: right.next_lime(p, np.sort(q), k, m), "q"),
        (_three_limes, "limes"),
        (lambda p, q, k, m: right.next_lime(PRIOR, Q, k, m), "prior|q"),
        (_spoils_prior, "in place"),
    ],
    "9.2": [
        (_map_vote, "most probable hypothesis only"),
        (_equal_vote, "equal weight"),
        (_hard_vote, "average the rows"),
        (lambda p, t: (right.bayes_vote(p, t)[0], 1 - right.bayes_vote(p, t)[1]), "being right"),
        (lambda p, t: right.bayes_vote(p, t)[::-1], "class first"),
        (lambda p, t: right.bayes_vote(p, t)[0], "2|two|shape|pair"),
        (lambda p, t: (right.bayes_vote(p, t)[0] + 1, right.bayes_vote(p, t)[1]), "counted from 0"),
        (lambda p, t: (right.bayes_vote(p, t)[0], 1 - ((p @ t) ** 2).sum()), "drawn at random"),
        (lambda p, t: (right.bayes_vote(p, t)[0], 1 - t[np.argmax(p)].max()), "that of one row"),
        (lambda p, t: (right.bayes_vote(p, t)[0], (p @ t).min()), "three classes"),
        (lambda p, t: (int(np.argmax((p[:, None] * t).max(0))), 1 - (p[:, None] * t).max()), "single product"),
    ],
    "9.3": [
        (_no_update, "with the prior"),
        (lambda a, b, d: comb(len(d), sum(d)) * right.sequence_chance(a, b, d), "any order"),
        (_after, "before you predict"),
        (lambda a, b, d: right.sequence_chance(b, a, d), "exchanged"),
        (lambda a, b, d: right.sequence_chance(1.0, 1.0, d), r"start from Beta\(1, 1\)"),
        (_added, "add the chances"),
        (_last_factor, "last entry"),
        (_fixed_total, "denominator grows"),
        (_only_a, "adds one to b"),
        (lambda a, b, d: (a + sum(d)) / (a + b + len(d)), "next one"),
        (_never_empty, "1"),
        (_takes_data, "in place"),
    ],
    "9.4": [
        (_of_all, "divided by all"),
        (_turned, "arrow round"),
        (lambda c, r: tuple(np.array(right.fit_wrappers(c, r))[[0, 2, 1]]), "exchange"),
        (lambda c, r: right.fit_wrappers(1 - c, r), "took it for lime"),
        (lambda c, r: right.fit_wrappers(c, 1 - r), "green paper"),
        (lambda c, r: (c.mean(), r.mean(), r.mean()), "within one flavour"),
        (lambda c, r: (c.sum(), r[c == 1].sum(), r[c == 0].sum()), "counts"),
        (lambda c, r: (c.mean(), c[r == 1].mean(), 1 - c[r == 1].mean()), "shares among the red"),
        (lambda c, r: (c.mean(), r[c].mean(), r[1 - c].mean()), "as places"),
        (lambda c, r: (1 - c.mean(), r[c == 1].mean(), r[c == 0].mean()), "not of limes"),
        (lambda c, r: (c.mean(), r[c == 1].mean(), ((1 - c) * r).mean()), "not among all"),
        (lambda c, r: (c.mean(), r[c == 1].mean(), 1 - r[c == 1].mean()), "dial of its own"),
        (lambda c, r: (0.6, 0.75, 0.25), "whatever it is given"),
    ],
    "9.5": [
        (lambda x, s, m, t: right.normal_belief(x, t, m, s), "exchanged"),
        (lambda x, s, m, t: right.normal_belief(x, s**0.5, m, t**0.5), "square sigma"),
        (lambda *case: _changed(*case, lambda sd: sd**2), "variance"),
        (lambda *case: _changed(*case, lambda sd: sd**-2), "precision"),
        (lambda x, s, m, t: _changed(x, s, m, t, lambda sd: np.hypot(sd, s)), "next value"),
        (lambda x, s, m, t: (np.mean(x), s / len(x) ** 0.5) if len(x) else (m, t), "prior is missing"),
        (lambda x, s, m, t: ((m + np.sum(x)) / (1 + len(x)), right.normal_belief(x, s, m, t)[1]), "one datum"),
        (lambda x, s, m, t: _mean_of(x, s, m, t, m / s**2 + np.sum(x) / t**2), "belongs to mu_0"),
        (lambda x, s, m, t: _mean_of(x, s, m, t, m / t**2 + np.mean([*x] or 0) / s**2), "N times their mean"),
        (lambda x, s, m, t: _mean_of(x, s, m, t, np.sum(x) / s**2), "mu_0 is missing"),
        (lambda x, s, m, t: (m / t**2 + np.sum(x) / s**2, right.normal_belief(x, s, m, t)[1]), "Divide the weighted"),
        (lambda x, s, m, t: (right.normal_belief(x, s, m, t)[0], 1 / (1 / t + len(x) / s)), "root at the end"),
        (lambda x, s, m, t: right.normal_belief(x, 2.0, m, t), "sigma"),
        (lambda x, s, m, t: right.normal_belief(x, s, 10.0, t), "mu_0"),
        (lambda x, s, m, t: right.normal_belief(x, s, m, 3.0), "tau"),
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

"""Typical wrong answers to the exercises of chapter 03, each with words that the check must say."""

from statistics import NormalDist

import numpy as np

from mlteach.exercises import probability
from mlteach.probability import poisson_pmf


def _long_sum(lam, mu):
    k = np.arange(30_000)
    log_p = k * np.log(lam) - lam - np.concatenate([[0], np.cumsum(np.log(k[1:]))])
    return np.sum(np.exp(log_p) * (k * np.log(lam / mu) + mu - lam))


def _by(test):
    """Return an answer to 3.4 that applies a test to the table and to all slices."""
    return lambda P: (bool(test(P.sum(axis=2))), all(test(S / S.sum()) for S in np.moveaxis(P, 2, 0)))


def _correlation_zero(T):
    x, y = np.arange(len(T)), np.arange(len(T[0]))
    mean_x, mean_y = x @ T.sum(axis=1), y @ T.sum(axis=0)
    return abs(np.sum(T * np.outer(x - mean_x, y - mean_y))) < 1e-9


def _in_place(P):
    P /= P.sum(axis=0)
    return P


def _divides(P):
    P /= P.sum(axis=(0, 1))
    return True, True


def _some_slice(P):
    return any(probability.independences(P[:, :, [z]])[1] for z in range(P.shape[2]))


def _series(lam, mu):  # the sum that (3.45) asks for, cut at 100
    k = np.arange(100)
    p = poisson_pmf(k, lam)
    return float(np.sum(p * (poisson_pmf(k, lam, log=True) - poisson_pmf(k, mu, log=True))))


def _one(prior, found, alarm):
    return probability.after_tests(prior, found, alarm, 1)


def _spread(spread):
    """Return an answer to 3.h with another standard deviation."""

    def answer(mu, sigma, n, a, b):
        law = NormalDist(mu, spread(sigma, n))
        return law.cdf(b) - law.cdf(a)

    return answer


def _of_the_sum(mu, sigma, n, a, b):
    law = NormalDist(n * mu, sigma * n**0.5)
    return law.cdf(b) - law.cdf(a)


def _densities(mu, sigma, n, a, b):
    low, high = ((limit - mu) * n**0.5 / sigma for limit in (a, b))
    return NormalDist().pdf(high) - NormalDist().pdf(low)


def _by_z(mu, sigma, n, a, b):
    low, high = ((limit - mu) * np.sqrt(n) / sigma for limit in (a, b))
    return np.array([NormalDist().cdf(high) - NormalDist().cdf(low)])


WRONG = {
    "3.a": [
        ((0.75, 0.85), "four itself does not belong"),
        ((0.7, 0.85), "neither less than four nor a prime"),
        ((1 / 2, 2 / 3), "This die is loaded"),
        ((2 / 3, 5 / 6), "fair die"),
        ((0.6, 0.8), "Two eyes are less than four"),
        ((0.3, 0.8), "not less than four"),
        ((0.8, 0.8), "Less than four alone comes first"),
        ((0.7, 1.1), "No probability exceeds one"),
        ((0.7, 0.3), "probability of both"),
        ((0.7, 0.7), "Five is a prime"),
        ((0.7, 0.28), "You multiplied"),
        ((0.7, 0.82), "subtracted the product"),
        ((0.7, 0.9), "Both 2 and 3"),
        ((0.7, 0.5), "once, not twice"),
        ((0.7, 0.4), "probability of a prime"),
        ((0.7, 2 / 3), "This one is loaded"),
        ((70, 80), "per cent"),
        ((0.8, 0.7), "exchanged"),
    ],
    "3.d": [
        ((12, 14 / 3), "plain mean of 3, 8 and 25"),
        ((4.2, 14 / 3), "complaints are missing"),
        ((36, 5), "sum of 3, 8 and 25"),
        ((6.7, 4.2), "sum to 0.9"),
        ((6.7, 5.5), "twice as frequent"),
        ((6.7, 6.7), "mean of all calls"),
        ((6.7, 6.7 / 0.9), "still in the sum"),
        ((7, 14 / 3), "significant digits"),
        ((14 / 3, 6.7), "exchanged"),
        ((14 / 3, 5), "mean of all calls comes first"),
        ((6.7 / 3, 14 / 3), "once more"),
        ((6.7, 1.4), "not divided by 3"),
        ((6.7, 2.1), "not divided by 2"),
        ((6.7, 4.4), "Divide both"),
    ],
    "3.f": [
        ((np.exp(-0.7), 14**0.5), "Multiply it by 280"),
        ((280 * 0.7 * np.exp(-0.7), 14**0.5), "for one death"),
        ((280 - 280 * np.exp(-0.7), 14**0.5), "at least one death"),
        ((196, 14**0.5), "expected number of deaths"),
        ((84, 14**0.5), "It is a mean"),
        ((140, 14**0.5), "as one half"),
        ((144, 14**0.5), "was observed"),
        ((280 * np.exp(-14), 14**0.5), "twenty years together"),
        ((20 * np.exp(-0.7), 14**0.5), "for one corps in twenty years"),
        ((14**0.5, 139.04), "exchanged"),
        ((139.04, 14), "standard deviation is the root"),
        ((139.04, 0.7**0.5), "for one year"),
        ((139.04, 20 * 0.7**0.5), "added standard deviations"),
        ((139.04, 0.7), "variance of one year"),
        ((139.04, (0.7 / 20) ** 0.5), "mean of twenty years"),
        ((139.04, 0.7 * 20**0.5), "not its standard deviation"),
        ((139.04, 20**0.5), "rate is missing"),
        ((139.04, 4.2**0.5), "not a probability"),
    ],
    "3.g": [
        ((1, 1), "time at the mean speed"),
        ((8 / 3, 1), "sum of the two"),
        ((80, 60), "In hours"),
        ((2 / 3, 1), "90 km/h alone"),
        ((4 / 3, 4 / 3), "That is the mean time"),
        ((4 / 3, 60), "In hours"),
        ((4 / 3, 0.5), "is 60, not 120"),
        ((1, 4 / 3), "exchanged"),
        ((45, 1), "a speed"),
        ((1.3, 1), "3 significant digits"),
        ((3 / 4, 1), "wrong way round"),
        ((4 / 3, 2 / 3), "mean speed is 60"),
    ],
    "3.h": [
        (_spread(lambda sigma, n: sigma), "spread of one draw"),
        (_spread(lambda sigma, n: sigma / n), "divide sigma by n"),
        (_spread(lambda sigma, n: sigma**2 / n), "is the variance of the mean"),
        (_spread(lambda sigma, n: sigma * n**0.5), "spread of the sum"),
        (_spread(lambda sigma, n: sigma / 6), "n = 36"),
        (_spread(lambda sigma, n: 1.7 / n**0.5), "sigma = 1.7"),
        (lambda mu, sigma, n, a, b: probability.mean_within(3.5, sigma, n, a, b), "mu = 3.5"),
        (lambda mu, sigma, n, a, b: probability.mean_within(mu, sigma, n, 3.0, b), "a = 3"),
        (lambda mu, sigma, n, a, b: probability.mean_within(mu, sigma, n, b, a), "order is reversed"),
        (lambda mu, sigma, n, a, b: probability.mean_within(0.0, sigma, n, a, b), "not subtracted"),
        (lambda mu, sigma, n, a, b: 1 - probability.mean_within(mu, sigma, n, a, b), "outside"),
        (lambda mu, sigma, n, a, b: NormalDist(mu, sigma / n**0.5).cdf(b), "Subtract the part"),
        (lambda mu, sigma, n, a, b: 0.922, "whatever it is given"),
        (lambda mu, sigma, n, a, b: 2 * NormalDist(mu, sigma / n**0.5).cdf(b) - 1, "symmetrically"),
        (lambda mu, sigma, n, a, b: NormalDist(mu, sigma / n**0.5).cdf(a), "below the interval"),
        (lambda mu, sigma, n, a, b: 1 - NormalDist(mu, sigma / n**0.5).cdf(b), "above the interval"),
        (_spread(lambda sigma, n: (sigma / n) ** 0.5), "only n stands under the root"),
        (_spread(lambda sigma, n: sigma**2 / n**0.5), "sigma² is the variance"),
        (_spread(lambda sigma, n: sigma / (n - 1) ** 0.5), "n - 1"),
        (_spread(lambda sigma, n: 1), "not divided"),
        (_of_the_sum, "law of the sum"),
        (_densities, "use cdf, not pdf"),
    ],
    "3.b": [
        (lambda P: P / P.sum(axis=1, keepdims=True), "P\\(y \\| x\\)"),
        (lambda P: P / P.sum(), "joint table again"),
        (lambda P: P, "joint table again"),
        (lambda P: P / np.outer(P.sum(axis=1), P.sum(axis=0)), "both marginals"),
        (lambda P: np.outer(P.sum(axis=1), P.sum(axis=0)), "independent"),
        (lambda P: P * P.sum(axis=0), "wrong way round"),
        (lambda P: P.sum(axis=0), "shape"),
        (lambda P: P / P.max(axis=0), "largest entry"),
        (lambda P: (P / P.sum(axis=0)).T, "swapped|transposed"),
        (_in_place, "changes its argument P in place"),
        (lambda P: P / P.sum(axis=1), r"arrays of shapes \(2, 4\) and \(2,\), which do not fit together"),
    ],
    "3.c": [
        (lambda prior, found, alarm, k: probability.after_tests(prior, 1 - found, alarm, k), "you used 1 - found"),
        (lambda prior, found, alarm, k: 100 * probability.after_tests(prior, found, alarm, k), "per cent"),
        (lambda prior, found, alarm, k: f"{probability.after_tests(prior, found, alarm, k):.3f}", "is the text '0"),
        (lambda prior, found, alarm, k: prior * found**k, "not yet divided"),
        (lambda prior, found, alarm, k: found**k, "likelihood"),
        (lambda prior, found, alarm, k: 1 - probability.after_tests(prior, found, alarm, k), "being well"),
        (lambda prior, found, alarm, k: found**k / (found**k + alarm**k), "prior is missing"),
        (lambda prior, found, alarm, k: prior * found**k / (prior * found**k + alarm**k), "1 - prior"),
        (lambda prior, found, alarm, k: _one(prior, found, alarm), "for one test"),
        (lambda prior, found, alarm, k: _one(prior, found, alarm) ** k, "raise the posterior"),
        (lambda prior, found, alarm, k: 1 - (1 - _one(prior, found, alarm)) ** k, "do not combine"),
        (lambda prior, found, alarm, k: prior * found**k / ((1 - prior) * alarm**k), "the odds"),
        (lambda prior, found, alarm, k: probability.after_tests(prior, found, 1 - alarm, k), "1 - alarm"),
        (lambda prior, found, alarm, k: prior * found**k / (prior * found**k + (1 - prior) * alarm), "alarm\\*\\*k"),
        (lambda prior, found, alarm, k: prior, "tests are missing"),
        (lambda prior, found, alarm, k: probability.after_tests(0.01, found, alarm, k), "prior = 0.01"),
        (lambda prior, found, alarm, k: probability.after_tests(prior, 0.9, alarm, k), "found = 0.9"),
        (lambda prior, found, alarm, k: probability.after_tests(prior, found, 0.09, k), "alarm = 0.09"),
        (lambda prior, found, alarm, k: probability.after_tests(prior, found, alarm, max(k, 1)), "No test, k = 0"),
        (lambda prior, found, alarm, k: probability.after_tests(prior, found, alarm, k) if k else 0.0, "No test, k"),
        (lambda prior, found, alarm, k: prior * (found / (prior * found + (1 - prior) * alarm)) ** k, "only given the"),
        (lambda prior, found, alarm, k: 1 / (1 + ((1 - prior) * alarm / prior / found) ** k), "It enters once"),
        (lambda prior, found, alarm, k: prior * found**k + (1 - prior) * alarm**k, "denominator alone"),
        (lambda prior, found, alarm, k: probability.after_tests(prior, 1 - found, 1 - alarm, k), "k negative tests"),
        (lambda prior, found, alarm, k: probability.after_tests(prior, found, alarm, k + 1), "too many"),
        (lambda prior, found, alarm, k: probability.after_tests(prior, alarm, found, k), "exchanged"),
        (lambda prior, found, alarm, k: probability.after_tests(prior, found, 1 - found, k), "1 - found for the false"),
        (lambda prior, found, alarm, k: prior * found / (prior * found + (1 - prior) * alarm**k), "the ill as well"),
        (lambda prior, found, alarm, k: prior * found**k / (prior * found + (1 - prior) * alarm), "denominator has k"),
    ],
    "3.1": [
        (lambda a, S: a**2 @ np.diag(S), "covariances are missing"),
        (lambda a, S: a @ np.diag(S), "squared"),
        (lambda a, S: S.sum(), "weights are missing"),
        (lambda a, S: (a @ S @ a) ** 0.5, "standard deviation"),
        (lambda a, S: (a @ S @ a + a**2 @ np.diag(S)) / 2, "twice"),
        (lambda a, S: a**2 @ S @ a**2, "squared them all"),
        (lambda a, S: S @ a, "Multiply by a once more"),
        (lambda a, S: 2 * a @ S @ a, "doubled everything"),
        (lambda a, S: a**2 @ np.diag(S) + 2 * a @ S @ a, "whole already"),
        (lambda a, S: a**2 @ np.diag(S) + a @ S @ a, "counted twice"),
        (lambda a, S: (a @ S).sum(), "a_i without a_j"),
        (lambda a, S: (a**2 @ S).sum(), "you squared a_i"),
        (lambda a, S: a**2 @ np.diag(S) + S.sum() - np.trace(S), "need their weights"),
        (lambda a, S: 2 * a**2 @ np.diag(S) - a @ S @ a, "enter with plus"),
        (lambda a, S: a @ np.linalg.inv(S) @ a, "not its inverse"),
        (lambda a, S: a[:2] @ S[:2, :2] @ a[:2], "first two variables only"),
        (lambda a, S: S.__imul__(np.outer(a, a)).sum(), "changes its argument S"),
    ],
    "3.e": [
        ((35 / 6, 1 / 36, 1 / 216), "variance of S"),
        ((35 / 12, 1 / 36, 1 / 216), "variance of one die"),
        ((1, 1 / 36, 1 / 216), "is not 1"),
        ((-35 / 12, 1 / 36, 1 / 216), "minus the variance of one die"),
        ((0, 1 / 36, 1 / 66), "eleven sums"),
        ((0, 1 / 36, 1 / 121), "Neither the eleven sums"),
        ((0, 1 / 216, 1 / 216), "Count pairs"),
        ((0, 1 / 6, 1 / 216), "six doubles"),
        ((0, 1, 1 / 216), "D=0 \\| S=12"),
        ((0, 1 / 36, 1 / 36), "joint probability again"),
        ((0, 1 / 36, 1 / 1296), "doubles"),
        ((0, 1 / 36, 1 / 6), "P\\(D=0\\) alone"),
        ((0, 1 / 11, 1 / 216), "not equally probable"),
        ((7, 1 / 36, 1 / 216), "7 is E\\[S\\]"),
        ((0, 0.0278, 0.0046), "3 significant digits"),
        ((0, 0.028, 1 / 216), "3 significant digits"),
    ],
    "3.2": [
        (lambda mu, S, x: (mu[0] + S[0, 1] / S[0, 0] * (x - mu[1]), 1), "first variable"),
        (lambda mu, S, x: (mu[0] + S[0, 1] / S[1, 1] * x, 1), "not subtracted"),
        (lambda mu, S, x: (S[0, 1] / S[1, 1] * (x - mu[1]), 1), "mu\\[0\\], is missing"),
        (lambda mu, S, x: (mu[0] + S[0, 1] * (x - mu[1]), 1), "must be divided"),
        (lambda mu, S, x: (mu[0] + S[0, 1] / (S[0, 0] * S[1, 1]) ** 0.5 * (x - mu[1]), 1), "correlation"),
        (lambda mu, S, x: (mu[0], S[0, 0]), "without the observation"),
        (lambda mu, S, x: (mu[1] + S[0, 1] / S[0, 0] * (x - mu[0]), 1), "Swap"),
        (lambda mu, S, x: probability.first_given(mu, S, x)[::-1], "\\(variance, mean\\)"),
        (lambda mu, S, x: probability.first_given(mu, S, x)[0], "two numbers"),
        (lambda mu, S, x: (np.ones(2), np.eye(2)), "array of several"),
        (lambda mu, S, x: (mu[0] - S[0, 1] / S[1, 1] * (x - mu[1]), 1), "sign of the deviation"),
        (lambda mu, S, x: (mu[0] + S[0, 1] / S[1, 1] ** 0.5 * (x - mu[1]), 1), "not by its root"),
        (lambda mu, S, x: (mu[0] + S[0, 1] / S[1, 1] * (x - mu[0]), 1), "mean of the first"),
        (lambda mu, S, x: (x, 1), "observation itself"),
        (lambda mu, S, x: (mu[0] + S[1, 1] / S[0, 1] * (x - mu[1]), 1), "upside down"),
        (lambda mu, S, x: (mu[0] + S[0, 1] / (S[0, 0] * S[1, 1]) ** 0.5 * S[0, 0] / S[1, 1] * (x - mu[1]), 1), "roots"),
        (lambda mu, S, x: (mu[0] + S[0, 1] / S[1, 1] ** 2 * (x - mu[1]), 1), "not by its square"),
        (lambda mu, S, x: (probability.first_given(mu, S, x)[0], S[0, 0] ** 2 - S[0, 0] * S[0, 1] ** 2 / S[1, 1]),
         "do not square it"),
        (lambda mu, S, x: (probability.first_given(mu, S, x)[0], S[0, 1] ** 2 / S[1, 1]), "variable explains"),
        (lambda mu, S, x: (probability.first_given(mu, S, x)[0], np.linalg.inv(S)[0, 0]), "one over the"),
        (lambda mu, S, x: (probability.first_given(mu, S, x), S.__imul__(2))[0], "changes its argument S"),
        (lambda mu, S, x: (probability.first_given(mu, S, x)[0], S[0, 0]), "without the observation"),
        (lambda mu, S, x: (probability.first_given(mu, S, x)[0], S[0, 0] + S[0, 1] ** 2 / S[1, 1]), "sign is wrong"),
        (lambda mu, S, x: (probability.first_given(mu, S, x)[0], S[0, 0] - S[0, 1] ** 2), "divided by Sigma"),
        (lambda mu, S, x: tuple(np.sqrt(v) if i else v for i, v in enumerate(probability.first_given(mu, S, x))),
         "standard deviation"),
    ],
    "3.3": [
        (_long_sum, "Do you add up terms"),
        (lambda lam, mu: probability.poisson_kl(mu, lam), "under P"),
        (lambda lam, mu: lam * np.log2(lam / mu) + (mu - lam) / np.log(2), "bits"),
        (lambda lam, mu: lam * np.log(lam / mu), "missing"),
        (lambda lam, mu: lam * np.log(lam / mu) + lam - mu, "sign"),
        (lambda lam, mu: np.log(lam / mu) + mu - lam, "expectation lam ln"),
        (lambda lam, mu: mu * np.log(lam / mu) + mu - lam, "not mu"),
        (lambda lam, mu: 0.0, "should be"),
        (_series, "lam = 400"),
        (lambda lam, mu: lam * np.log(mu / lam) + mu - lam, "upside down"),
        (lambda lam, mu: lam * np.log2(lam / mu) + mu - lam, "in one term only"),
        (lambda lam, mu: mu - lam, "is missing"),
        (lambda lam, mu: mu - lam * np.log(mu), "cross-entropy"),
        (lambda lam, mu: probability.poisson_kl(lam, mu) + probability.poisson_kl(mu, lam), "Only the first"),
    ],
    "3.4": [
        (_by(probability._covariance_zero), "covariance is zero"),
        (_by(_correlation_zero), "covariance is zero"),
        (_by(probability._first_entry), "one entry only"),
        (lambda P: (_by(_correlation_zero)(P)[0], probability.independences(P)[1]), "covariance is zero"),
        (lambda P: (probability.independences(P)[0], _by(probability._first_entry)(P)[1]), "one entry only"),
        (lambda P: probability.independences(P)[::-1], "exchanged"),
        (lambda P: probability.independences(P)[0], "two truth values"),
        (lambda P: (1.0, 0.5), "two truth values"),
        (lambda P: (probability.independences(P)[0], bool(probability._last_slice(P))), "last slice alone"),
        (_by(probability._diagonal), "diagonal only"),
        (lambda P: probability.independences(np.moveaxis(P, 0, 2)), "sum over the first axis"),
        (lambda P: probability.independences(np.moveaxis(P, 1, 2)), "sum over the second axis"),
        (lambda P: [not v for v in probability.independences(P)], "reversed"),
        (lambda P: (False, probability.independences(P)[1]), "False instead of True.*up to rounding"),
        (lambda P: (probability._all_three(P), False), "Sum over z first"),
        (lambda P: (True, probability.independences(P)[1]), "first answer is wrong for a table"),
        (lambda P: (probability._undivided(P), probability.independences(P)[1]), "first answer is wrong"),
        (lambda P: (probability.independences(P)[0], bool(probability._against_margins(P))), "margins of that slice"),
        (lambda P: (probability.independences(P)[0], probability._undivided(P)), "divide it by its sum"),
        (lambda P: (probability.independences(P)[0], probability._first_slice(P)), "One slice, such as the first"),
        (lambda P: (probability.independences(P)[0], _some_slice(P)), "must hold for every z"),
        (lambda P: (probability.independences(P)[0], probability._all_three(P)), "all three|margins"),
        (lambda P: (probability.independences(P)[0],) * 2, "always the same"),
        (lambda P: (probability.independences(P)[1],) * 2, "are the conditional one"),
        (lambda P: (probability.independences(P)[0], True), "second answer is wrong for a table"),
        (_divides, "changes its argument P in place"),
    ],
}  # fmt: skip

RIGHT = {
    "3.a": [(7 / 10, 0.80), (np.float32(0.7), [0.8])],
    "3.b": [lambda P: (P / P.sum(axis=0)).tolist(), lambda P: np.array([c / sum(c) for c in np.transpose(P)]).T],
    "3.c": [
        lambda prior, found, alarm, k: 1 / (1 + (1 - prior) / prior * (alarm / found) ** k),
        lambda prior, found, alarm, k: np.array([probability.after_tests(prior, found, alarm, k)]),
    ],
    "3.d": [(6.7, 4.67), ([6.7], np.array(14 / 3))],
    "3.e": [(0, 1 / 36, 1 / 216), (0.0, 0.0278, 0.00463)],
    "3.f": [(139, 3.74), (np.array([139.04]), 14**0.5)],
    "3.g": [(1.33, 1), (np.float32(4 / 3), 1.0)],
    "3.h": [_by_z],
    "3.1": [lambda a, S: np.sum(np.outer(a, a) * S), lambda a, S: [a @ S @ a]],
    "3.2": [
        lambda mu, S, x: list(probability.first_given(mu, S, x)),
        lambda mu, S, x: (np.array([probability.first_given(mu, S, x)[0]]), 1 / np.linalg.inv(S)[:1, :1]),
    ],
    "3.3": [lambda lam, mu: np.array([probability.poisson_kl(lam, mu)])],
    "3.4": [
        lambda P: list(probability.independences(P)),
        lambda P: np.array(probability.independences(P)),
        lambda P: tuple(map(int, probability.independences(P))),
    ],
}

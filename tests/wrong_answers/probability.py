"""Chapter 03: wrong answers that no table holds, with words that the check must say, and right ones of another form."""

from statistics import NormalDist

import numpy as np

from mlteach.exercises import probability
from mlteach.probability import poisson_pmf


def _long_sum(lam, mu):
    k = np.arange(30_000)
    log_p = k * np.log(lam) - lam - np.concatenate([[0], np.cumsum(np.log(k[1:]))])
    return np.sum(np.exp(log_p) * (k * np.log(lam / mu) + mu - lam))


def _series(lam, mu):  # the sum that (3.45) asks for, cut at 100
    k = np.arange(100)
    p = poisson_pmf(k, lam)
    return float(np.sum(p * (poisson_pmf(k, lam, log=True) - poisson_pmf(k, mu, log=True))))


def _correlation_zero(T):
    x, y = np.arange(len(T)), np.arange(len(T[0]))
    mean_x, mean_y = x @ T.sum(axis=1), y @ T.sum(axis=0)
    return abs(np.sum(T * np.outer(x - mean_x, y - mean_y))) < 1e-9


def _by_correlation(P):
    return bool(_correlation_zero(P.sum(axis=2))), all(_correlation_zero(S / S.sum()) for S in np.moveaxis(P, 2, 0))


def _in_place(P):
    P /= P.sum(axis=0)
    return P


def _divides(P):
    P /= P.sum(axis=(0, 1))
    return True, True


def _all_three(P):
    return np.allclose(P, np.einsum("i,j,k->ijk", P.sum(axis=(1, 2)), P.sum(axis=(0, 2)), P.sum(axis=(0, 1))))


def _by_z(mu, sigma, n, a, b):
    low, high = ((limit - mu) * np.sqrt(n) / sigma for limit in (a, b))
    return np.array([NormalDist().cdf(high) - NormalDist().cdf(low)])


def _by_law(mu, sigma, n, a, b):
    law = NormalDist(mu, sigma / n**0.5)
    return law.cdf(b) - law.cdf(a)


WRONG = {
    "3.a": [((2 / 3, 5 / 6), "fair die"), ((70, 80), "per cent"), ((0.8, 0.7), "comes first")],
    "3.b": [
        (lambda P: P.sum(axis=0), "shape"),
        (lambda P: (P / P.sum(axis=0)).T, "swapped|transposed"),
        (_in_place, "changes its argument P in place"),
        (lambda P: P / P.sum(axis=1), r"arrays of shapes \(2, 4\) and \(2,\), which do not fit together"),
    ],
    "3.c": [
        (lambda prior, found, alarm, k: 100 * probability.after_tests(prior, found, alarm, k), "per cent"),
        (lambda prior, found, alarm, k: f"{probability.after_tests(prior, found, alarm, k):.3f}", "is the text '0"),
        (lambda prior, found, alarm, k: probability.after_tests(0.01, found, alarm, k), "prior = 0.01"),
        (lambda prior, found, alarm, k: probability.after_tests(prior, 0.9, alarm, k), "found = 0.9"),
        (lambda prior, found, alarm, k: probability.after_tests(prior, found, 0.09, k), "alarm = 0.09"),
        (lambda prior, found, alarm, k: probability.after_tests(prior, alarm, found, k), "exchanged"),

    ],
    "3.d": [((7, 14 / 3), "significant digits"), ((14 / 3, 6.7), "comes first"), ((14 / 3, 5), "comes first")],
    "3.e": [((1, 1 / 36, 1 / 216), "is not 1"), ((0, 0.0278, 0.0046), "3 significant digits")],
    "3.f": [((14**0.5, 139.04), "another order"), ((139.04, 14), "standard deviation is the root")],
    "3.g": [((80, 60), "In hours"), ((1, 4 / 3), "another order"), ((1.3, 1), "3 significant digits")],
    "3.h": [
        (lambda mu, sigma, n, a, b: probability.mean_within(mu, sigma, 36, a, b), "n = 36"),
        (lambda mu, sigma, n, a, b: probability.mean_within(mu, 1.7, n, a, b), "sigma = 1.7"),
        (lambda mu, sigma, n, a, b: probability.mean_within(3.5, sigma, n, a, b), "mu = 3.5"),
        (lambda mu, sigma, n, a, b: probability.mean_within(mu, sigma, n, 3.0, b), "a = 3"),
        (lambda mu, sigma, n, a, b: 0.922, "whatever it is given"),
    ],
    "3.1": [(lambda a, S: S.__imul__(np.outer(a, a)).sum(), "changes its argument S")],
    "3.2": [
        (lambda mu, S, x: (mu[0] + S[0, 1] / S[0, 0] * (x - mu[1]), 1), "first variable"),
        (lambda mu, S, x: (mu[0] - S[0, 1] / S[1, 1] * (x - mu[1]), S[0, 0]), "sign of the deviation"),
        (lambda mu, S, x: (probability.first_given(mu, S, x), S.__imul__(2))[0], "changes its argument S"),
    ],
    "3.3": [(_long_sum, "Do you add up terms"), (_series, "lam = 400"), (lambda lam, mu: 0.0, "whatever it is given")],
    "3.4": [
        (lambda P: (_by_correlation(P)[0], probability.independences(P)[1]), "covariance is zero"),
        (lambda P: probability.independences(P)[0], "two truth values"),
        (lambda P: (1.0, 0.5), "two truth values"),
        (lambda P: (False, probability.independences(P)[1]), "up to rounding"),
        (lambda P: (_all_three(P), False), "Sum over z first"),
        (lambda P: (True, probability.independences(P)[1]), "first answer is wrong for a table"),

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
    "3.h": [_by_z, _by_law],
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

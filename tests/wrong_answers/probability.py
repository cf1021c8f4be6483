"""Typical wrong answers to the exercises of chapter 03, each with words that the check must say."""

import numpy as np

from mlteach.exercises import probability
from mlteach.probability import poisson_pmf


def _long_sum(lam, mu):
    k = np.arange(30_000)
    log_p = k * np.log(lam) - lam - np.concatenate([[0], np.cumsum(np.log(k[1:]))])
    return np.sum(np.exp(log_p) * (k * np.log(lam / mu) + mu - lam))


def _by(test):
    """Return an answer to 3.8 that applies a test to the table and to all slices."""
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


def _series(lam, mu):  # the sum that (3.41) asks for, cut at 100
    k = np.arange(100)
    p = poisson_pmf(k, lam)
    return float(np.sum(p * (poisson_pmf(k, lam, log=True) - poisson_pmf(k, mu, log=True))))


def _one(prior, found, alarm):
    return probability.after_tests(prior, found, alarm, 1)


WRONG = {
    "3.1": [
        (lambda P: P / P.sum(axis=1, keepdims=True), "P\\(y \\| x\\)"),
        (lambda P: P / P.sum(), "sum of all entries"),
        (lambda P: P / np.outer(P.sum(axis=1), P.sum(axis=0)), "both marginals"),
        (lambda P: np.outer(P.sum(axis=1), P.sum(axis=0)), "independent"),
        (lambda P: P * P.sum(axis=0), "wrong way round"),
        (lambda P: P.sum(axis=0), "shape"),
        (lambda P: (P / P.sum(axis=0)).T, "swapped|transposed"),
        (_in_place, "changes its argument P in place"),
        (lambda P: P / P.sum(axis=1), r"arrays of shapes \(2, 4\) and \(2,\), which do not fit together"),
    ],
    "3.2": [
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
        (lambda prior, found, alarm, k: prior, "is not"),
    ],
    "3.3": [
        (lambda a, S: a**2 @ np.diag(S), "covariances are missing"),
        (lambda a, S: a @ np.diag(S), "squared"),
        (lambda a, S: S.sum(), "weights are missing"),
        (lambda a, S: (a @ S @ a) ** 0.5, "standard deviation"),
        (lambda a, S: (a @ S @ a + a**2 @ np.diag(S)) / 2, "twice"),
        (lambda a, S: a**2 @ S @ a**2, "squared them all"),
        (lambda a, S: S @ a, "Multiply by a once more"),
    ],
    "3.4": [
        ((35 / 6, 1 / 36, 1 / 216), "variance of S"),
        ((35 / 12, 1 / 36, 1 / 216), "variance of one die"),
        ((1, 1 / 36, 1 / 216), "is not 1"),
        ((0, 1 / 216, 1 / 216), "Count pairs"),
        ((0, 1 / 6, 1 / 216), "six doubles"),
        ((0, 1, 1 / 216), "D=0 \\| S=12"),
        ((0, 1 / 36, 1 / 36), "joint probability again"),
        ((0, 1 / 36, 1 / 1296), "doubles"),
        ((0, 1 / 36), "three numbers"),
        ((0, 0.0278, 0.0046), "three significant digits"),
        ((0, 0.028, 1 / 216), "three significant digits"),
    ],
    "3.5": [
        ("AD", "independent"),
        ("BCE", "correlated"),
        ("ABDE", "independent as well"),
        ("BEA", "vertical cut"),
        ("BDE", "wider than high"),
        ("B", "missing"),
        ("XY", "A to E"),
        (["B"], "missing"),
        (3, "string"),
    ],
    "3.6": [
        (lambda mu, S, x: (mu[0] + S[0, 1] / S[0, 0] * (x - mu[1]), 1), "first variable"),
        (lambda mu, S, x: (mu[0] + S[0, 1] / S[1, 1] * x, 1), "not subtracted"),
        (lambda mu, S, x: (S[0, 1] / S[1, 1] * (x - mu[1]), 1), "mu\\[0\\], is missing"),
        (lambda mu, S, x: (mu[0] + S[0, 1] * (x - mu[1]), 1), "must be divided"),
        (lambda mu, S, x: (mu[0] + S[0, 1] / (S[0, 0] * S[1, 1]) ** 0.5 * (x - mu[1]), 1), "correlation"),
        (lambda mu, S, x: (mu[0], S[0, 0]), "without the observation"),
        (lambda mu, S, x: (mu[1] + S[0, 1] / S[0, 0] * (x - mu[0]), 1), "Swap"),
        (lambda mu, S, x: probability.guess_first(mu, S, x)[::-1], "\\(variance, mean\\)"),
        (lambda mu, S, x: probability.guess_first(mu, S, x)[0], "two numbers"),
        (lambda mu, S, x: (np.array([1.0]), np.array([[1.0]])), "plain numbers"),
        (lambda mu, S, x: (probability.guess_first(mu, S, x)[0], S[0, 0]), "without the observation"),
        (lambda mu, S, x: (probability.guess_first(mu, S, x)[0], S[0, 0] + S[0, 1] ** 2 / S[1, 1]), "sign is wrong"),
        (lambda mu, S, x: (probability.guess_first(mu, S, x)[0], S[0, 0] - S[0, 1] ** 2), "divided by Sigma"),
        (lambda mu, S, x: tuple(np.sqrt(v) if i else v for i, v in enumerate(probability.guess_first(mu, S, x))),
         "standard deviation"),
    ],
    "3.7": [
        (_long_sum, "Do you add up terms"),
        (lambda lam, mu: probability.poisson_kl(mu, lam), "under P"),
        (lambda lam, mu: lam * np.log2(lam / mu) + (mu - lam) / np.log(2), "bits"),
        (lambda lam, mu: lam * np.log(lam / mu), "missing"),
        (lambda lam, mu: lam * np.log(lam / mu) + lam - mu, "sign"),
        (lambda lam, mu: np.log(lam / mu) + mu - lam, "expectation lam ln"),
        (lambda lam, mu: mu * np.log(lam / mu) + mu - lam, "not mu"),
        (lambda lam, mu: 0.0, "should be"),
        (_series, "lam = 400"),
    ],
    "3.8": [
        (_by(probability._covariance_zero), "covariance is zero"),
        (_by(_correlation_zero), "covariance is zero"),
        (_by(probability._first_entry), "one entry only"),
        (lambda P: (_by(_correlation_zero)(P)[0], probability.independences(P)[1]), "covariance is zero"),
        (lambda P: (probability.independences(P)[0], _by(probability._first_entry)(P)[1]), "one entry only"),
        (lambda P: probability.independences(P)[::-1], "exchanged"),
        (lambda P: probability.independences(P)[0], "two truth values"),
        (lambda P: (1, 0), "two truth values"),
        (lambda P: (probability._all_three(P), False), "Sum over z first"),
        (lambda P: (True, probability.independences(P)[1]), "first answer is wrong for a table"),
        (lambda P: (probability._undivided(P), probability.independences(P)[1]), "first answer is wrong"),
        (lambda P: (probability.independences(P)[0], bool(probability._against_margins(P))), "margins of that slice"),
        (lambda P: (probability.independences(P)[0], probability._undivided(P)), "divide it by its sum"),
        (lambda P: (probability.independences(P)[0], probability._first_slice(P)), "One slice, such as the first"),
        (lambda P: (probability.independences(P)[0], _some_slice(P)), "must hold for every z"),
        (lambda P: (probability.independences(P)[0], probability._all_three(P)), "all three|margins"),
        (lambda P: (probability.independences(P)[0],) * 2, "always the same"),
        (lambda P: (probability.independences(P)[0], True), "second answer is wrong for a table"),
        (_divides, "changes its argument P in place"),
    ],
}  # fmt: skip

"""Typical wrong answers to the exercises of chapter 17, each with words that the check must say."""

from fractions import Fraction

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from mlteach.exercises import gaussian_processes as right

E, C1 = np.exp(-0.5), 1.25  # the numbers of 17.d
MEAN, VAR_F, VAR_T = 2 * E / C1, 1 - E**2 / C1, 1.25 - E**2 / C1
HALF = 2 * np.sqrt(2 * np.log(2))


def _pairs(x, y, length, variance):
    return [[variance * np.exp(-((a - b) ** 2) / (2 * length**2)) for b in y] for a in x]


def _gram(form):
    return lambda x, y, length, variance: form(x[:, None] - y, length, variance)


def _spoils_x(x, y, length, variance):
    K = right.gram_smooth(x, y, length, variance)
    x *= 0
    return K


def _posterior(solve, finish=lambda mean, f, noise: (mean, f, f + noise)):
    def answer(K, k, k_star, t, noise):
        w = solve(K, k, noise)
        return finish(w @ t, k_star - w @ k, noise)

    return answer


def _solve(K, k, noise):
    return np.linalg.solve(K + noise * np.eye(len(k)), k)


def _spoils_K(K, k, k_star, t, noise):
    K += noise * np.eye(len(t))
    w = np.linalg.solve(K, k)
    return w @ t, k_star - w @ k, k_star - w @ k + noise


def _by_root(K, k, k_star, t, noise):
    root = cho_factor(K + noise * np.eye(len(t)), lower=True)
    f = k_star - k @ cho_solve(root, k)
    return [float(k @ cho_solve(root, t)), float(f), float(f + noise)]


def _taken_off(taken):
    def answer(K, k, k_star, t, noise):
        w = _solve(K, k, noise)
        f = k_star - taken(k, w, t)
        return w @ t, f, f + noise

    return answer


def _only_taken(K, k, k_star, t, noise):
    w = _solve(K, k, noise)
    return w @ t, w @ k, w @ k + noise


def _kt_mean(K, k, k_star, t, noise):
    return k @ t, *right.posterior(K, k, k_star, t, noise)[1:]


def _noise_of_example(K, k, k_star, t, noise):
    return right.posterior(K, k, k_star, t, 0.1)


def _prior_one(K, k, k_star, t, noise):
    return right.posterior(K, k, 1.0, t, noise)


def _by_det(C, t):
    with np.errstate(all="ignore"):
        fit, complexity = -0.5 * t @ np.linalg.solve(C, t), -0.5 * np.log(np.linalg.det(C))
        return fit, complexity, fit + complexity - 0.5 * len(t) * np.log(2 * np.pi)


def _by_slogdet(C, t):
    fit, complexity = -0.5 * t @ np.linalg.solve(C, t), -0.5 * np.linalg.slogdet(C)[1]
    return [fit, complexity, fit + complexity - len(t) / 2 * np.log(2 * np.pi)]


def _changed(fit=1.0, complexity=1.0, constant=1.0, each=False):
    def answer(C, t):
        a, b, total = right.evidence_terms(C, t)
        c = (total - a - b) / (len(t) if each else 1)
        return fit * a, complexity * b, fit * a + complexity * b + constant * c

    return answer


def _hard_n(C, t):
    a, b, _ = right.evidence_terms(C, t)
    return a, b, a + b - 2 * np.log(2 * np.pi)


def _log_n(C, t):
    a, b, _ = right.evidence_terms(C, t)
    return a, b, a + b - 0.5 * np.log(2 * np.pi * len(t))


def _once(C, t):
    L = np.linalg.cholesky(C)
    a, b = -0.5 * t @ np.linalg.solve(L, t), -np.log(np.diag(L)).sum()
    return a, b, a + b - 0.5 * len(t) * np.log(2 * np.pi)


def _diagonal_of_C(C, t):
    a, b = right.evidence_terms(C, t)[0], -0.5 * np.log(np.diag(C)).sum()
    return a, b, a + b - 0.5 * len(t) * np.log(2 * np.pi)


def _only_total(C, t):
    return right.evidence_terms(C, t)[2]


def _spoils_C(C, t):
    out = right.evidence_terms(C, t)
    C[0, 0] = 0
    return out


def _draw(root, mean=True, noise_new=False, prior=False):
    def answer(K, K_cross, K_new, t, noise, z):
        W = np.linalg.solve(K + noise * np.eye(len(t)), K_cross)
        S = K_new.copy() if prior else K_new - W.T @ K_cross
        if noise_new:
            S = S + noise * np.eye(len(S))
        return (W.T @ t if mean else 0.0) + root(S) @ z

    return answer


def _noise_everywhere(K, K_cross, K_new, t, noise, z):
    W = np.linalg.solve(K + noise, K_cross)
    return W.T @ t + np.linalg.cholesky(K_new - W.T @ K_cross) @ z


def _by_parts(K, K_cross, K_new, t, noise, z):
    L = np.linalg.cholesky(K + noise * np.eye(len(t)))
    v = np.linalg.solve(L, K_cross)
    return (v.T @ np.linalg.solve(L, t) + np.linalg.cholesky(K_new - v.T @ v) @ z).tolist()


def _scores(K, seen, noise):
    return right._left(np.asarray(K, dtype=float), list(seen), noise)


def _loop_place(K, seen, noise):
    best, largest = 0, -1.0
    for j in range(len(K)):
        v = K[j][j]
        if len(seen):
            k = np.array([K[i][j] for i in seen])
            C = np.array([[K[a][b] for b in seen] for a in seen]) + noise * np.eye(len(seen))
            v = v - k @ np.linalg.solve(C, k)
        if v > largest + 1e-9:
            best, largest = j, v
    return np.int64(best)


def _place(score):
    return lambda K, seen, noise: int(np.argmax(np.round(score(np.asarray(K, dtype=float), list(seen), noise), 9)))


def _last_place(K, seen, noise):
    left = _scores(K, seen, noise).round(9)
    return max(range(len(left)), key=lambda i: (left[i], i))


def _counted_from_one(K, seen, noise):
    return right.next_place(K, seen, noise) + 1


WRONG = {
    "17.a": [
        ((1.875, 6.75), "c/a times"),
        ((7.5 / 9, 7.2), "divided by b"),
        ((0.75, 7.2), "b \\+ σ²"),
        ((0.6, 7.2), "weight"),
        ((7.5, 7.2), "c times t"),
        ((12.5 / 3, 7.2), "upside down"),
        ((2.5, 7.2), "t₁ itself"),
        ((-1.5, 7.2), "wrong sign"),
        ((1.5, 6.75), "noise belongs"),
        ((1.5, 8.2), "added σ² at the end"),
        ((1.5, 7.75), "added σ² at the end"),
        ((1.5, 8.4), "Square the covariance"),
        ((1.5, 10.8), "takes variance away"),
        ((1.5, 7.2**0.5), "standard deviation"),
        ((1.5, 1.8), "takes away"),
        ((1.5, 9), "variance before"),
        ((1.5, 8.0), "divided by b"),
        ((1.5, 2.2), "started from a"),
        ((7.2, 1.5), "is not 7.2"),
        (("1.5", 7.2), "number"),
    ],
    "17.b": [
        ((0.675, 5 / 6), "independent"),
        ((1.35, 5 / 6), r"k \. t"),
        ((0.9, 5 / 6), "first value alone"),
        ((0.85, 2 / 3), "second weight is negative"),
        ((1.0, 5 / 6), "second value counts"),
        ((-0.95, 5 / 6), "exchanged"),
        ((1.95, 5 / 6), "multiplied by C"),
        ((1.15, 2 - 1.25), "independent"),
        ((1.15, 0.875), "first value alone"),
        ((1.15, 7 / 6), "take away"),
        ((1.15, (5 / 6) ** 0.5), "standard deviation"),
        ((1.15, 0.85), "subtracted the mean"),
        ((1.15, 2 / 3), "Both weights"),
        ((1.15, 2), "variance before"),
    ],
    "17.c": [
        ((HALF / 2, 1.5), "ℓ = 1"),
        ((2 * np.sqrt(np.log(2)), 1.5), "2 in 2ℓ²"),
        ((HALF**2, 1.5), "Take the root"),
        ((4 * np.log(2), 1.5), "instead of ℓ²"),
        ((2 * np.sqrt(2 * np.log(6)), 1.5), "not the correlation"),
        ((2 * np.sqrt(2 * np.log10(2)), 1.5), "natural"),
        ((2, 1.5), "0.61"),
        ((HALF, 0.5), "That is the correlation"),
        ((HALF, 3), "distance 0"),
        ((HALF, 3 * E), "at distance ℓ"),
        ((HALF, 4.5), "not squared"),
        ((2.4, 1.5), "rounded"),
    ],
    "17.d": [
        ((2 * E, VAR_F, VAR_T), "noise is missing"),
        ((2 * E / 1.0625, VAR_F, VAR_T), "squared the noise"),
        ((2 * E / 1.5, VAR_F, VAR_T), "not σ²"),
        ((2 * E**2 / C1, VAR_F, VAR_T), "exp\\(-1/2\\)|k once"),
        ((E / C1, VAR_F, VAR_T), "Multiply by the target"),
        ((MEAN, 1 - E**2, VAR_T), "noise is missing"),
        ((MEAN, 1 - E / C1, VAR_T), "Square the covariance"),
        ((MEAN, VAR_T, VAR_F), "comes third"),
        ((MEAN, VAR_F**0.5, VAR_T), "standard deviation"),
        ((MEAN, E**2 / C1, VAR_T), "takes away"),
        ((MEAN, 1 - MEAN, VAR_T), "subtracted the mean"),
        ((MEAN, VAR_F, VAR_F), "again"),
        ((MEAN, VAR_F, VAR_F + 0.5), "once"),
        ((MEAN, VAR_F, VAR_F + 0.0625), "do not square"),
        ((MEAN, VAR_F, VAR_T**0.5), "standard deviation"),
        ((MEAN, VAR_F, 1.25), "before the point"),
        ((MEAN, VAR_F, 0.25), "noise alone"),
    ],
    "17.e": [
        ("ABCE", "Doubled targets"),
        ("ABCDE", "Two of them"),
        ("BCDE", "Shifted targets"),
        ("AD", "mean only"),
        ("BC", "kernel has a say"),
        ("BE", "noise has a say"),
        ("CE", "whatever comes out"),
        ("B", "Kernel and noise"),
        ("ABE", "the noise does"),
        ("BCD", "the kernel does"),
        ("D", "Shifted targets"),
        ("DE", "another place and the noise do"),
        ("BCEF", "letters A to E"),
        (2, "Letters are wanted"),
    ],
    "17.f": [
        ((0.125, 0.125), "plain kernel"),
        ((2, 0.125), "in the kernel already"),
        ((8, 8), "τ²/σ²"),
        ((0.25, 0.125), "do not square"),
        ((4, 0.125), "That is τ²"),
        ((0.5, 0.5), "4 times smaller"),
        ((0.5, 2), "other way round"),
        ((0.5, 8), "upside down"),
        ((0.5, 0.25), "not by τ"),
        ((0.5, 0.5 / 16), "τ² is 4 already"),
        ((0.5, 0.354), "Variances are divided|not 0.354"),
    ],
    "17.g": [
        (("A", 4.06), "best fit"),
        (("C", 4.06), "best complexity"),
        (("AB", 4.06), "One letter"),
        (("B", 1.4), "difference of the logarithms"),
        (("B", np.exp(1.6)), "over C"),
        (("B", 10**1.4), "natural"),
        (("B", 9 / 7.6), "not divided"),
        (("B", np.exp(-1.4)), "one over"),
        (("B", np.exp(2.5)), "fits only"),
        (("B", 4.3), "not 4.3"),
        (("B", 4), "rounded"),
        (("D", 4.06), "letters A to C"),
    ],
    "17.1": [
        (_gram(lambda d, l, v: v * np.exp(-(d**2) / l**2)), "The 2 in"),
        (_gram(lambda d, l, v: v * np.exp(-(d**2) / (2 * l))), "Square the length"),
        (_gram(lambda d, l, v: v * np.exp(-np.abs(d) / (2 * l**2))), "rough"),
        (_gram(lambda d, l, v: v**2 * np.exp(-(d**2) / (2 * l**2))), "do not square"),
        (_gram(lambda d, l, v: v * np.exp(-(d**2) / l)), "not by length"),
        (_gram(lambda d, l, v: np.exp(-v * d**2 / (2 * l**2))), "not in it"),
        (_gram(lambda d, l, v: v * np.exp(-d / (2 * l**2))), "Square the distance"),
        (_gram(lambda d, l, v: v * np.exp(-(d**2) / 2 * l**2)), "Python divides by 2 only"),
        (_gram(lambda d, l, v: v + np.exp(-(d**2) / (2 * l**2))), "not a summand"),
        (_gram(lambda d, l, v: np.exp(-(d**2) / (2 * l**2))), "Multiply by the variance"),
        (_gram(lambda d, l, v: v * np.exp(d**2 / (2 * l**2))), "minus in the exponent"),
        (lambda x, y, length, variance: right.gram_smooth(x, y, variance, length), "exchange|swap|order"),
        (lambda x, y, length, variance: right.gram_smooth(y, x, length, variance), "transpose|Rows"),
        (lambda x, y, length, variance: right.gram_smooth(x, y, 1.0, variance), "length"),
        (lambda x, y, length, variance: right.gram_smooth(x, x, length, variance), "x with itself"),
        (_spoils_x, "change"),
        (lambda x, y, length, variance: None, "return"),
    ],
    "17.2": [
        (_posterior(lambda K, k, noise: np.linalg.solve(K, k)), "noise is missing from C"),
        (_posterior(lambda K, k, noise: np.linalg.solve(K + noise, k)), "every entry"),
        (_posterior(lambda K, k, noise: _solve(K, k, noise**2)), "do not square"),
        (_posterior(lambda K, k, noise: _solve(K, k, noise**0.5)), "no root"),
        (_posterior(_solve, lambda m, f, noise: (m, f, f)), "third number lacks"),
        (_posterior(_solve, lambda m, f, noise: (m, f + noise, f)), "exchanged the variances"),
        (_posterior(_solve, lambda m, f, noise: (m, f**0.5, (f + noise) ** 0.5)), "standard deviations"),
        (_posterior(_solve, lambda m, f, noise: (m, f + noise, f + noise)), "f itself"),
        (_posterior(_solve, lambda m, f, noise: (m, f, f + 2 * noise)), "not twice"),
        (_posterior(lambda K, k, noise: k / (np.diag(K) + noise)), "diagonal of C only"),
        (_posterior(lambda K, k, noise: (K + noise * np.eye(len(k))) @ k), "multiplied by C"),
        (_posterior(_solve, lambda m, f, noise: (m, f + noise, f + 2 * noise)), "once too often"),
        (_posterior(_solve, lambda m, f, noise: (m, f, f + noise**2)), "not its square"),
        (_taken_off(lambda k, w, t: w @ w), r"w \. w off"),
        (_taken_off(lambda k, w, t: k @ k), r"k \. k off"),
        (_taken_off(lambda k, w, t: w @ t), "mean off"),
        (_taken_off(lambda k, w, t: -w @ k), "takes variance away"),
        (_only_taken, "points take away"),
        (_kt_mean, r"k \. t"),
        (_noise_of_example, "noise"),
        (_prior_one, "k_star"),
        (_spoils_K, "change"),
    ],
    "17.3": [
        (_changed(fit=2), "factor 1/2"),
        (_changed(complexity=2), "half of -ln"),
        (_changed(complexity=0.5), "already half"),
        (_changed(constant=0), "lacks the constant"),
        (_changed(each=True), "factor n"),
        (_changed(constant=2), "one half"),
        (_changed(constant=-1), "subtracted"),
        (_changed(fit=-1), "fit is negative"),
        (_changed(complexity=-1), "mind the sign"),
        (_changed(complexity=1 / np.log(10)), "natural"),
        (_changed(fit=-1, complexity=-1), "Both terms"),
        (_once, "L⁻¹ once"),
        (_diagonal_of_C, "diagonal of C"),
        (_hard_n, "four targets"),
        (_log_n, "n stands before"),
        (_by_det, "not finite"),
        (_only_total, "three|3"),
        (_spoils_C, "change"),
    ],
    "17.4": [
        (_draw(np.linalg.cholesky, mean=False), "mean of the posterior is missing"),
        (_draw(np.linalg.cholesky, prior=True), "prior's covariance"),
        (_draw(lambda S: S), "Take its root"),
        (_draw(lambda S: np.linalg.cholesky(S).T), "upper root"),
        (_draw(lambda S: np.diag(np.sqrt(np.diag(S)))), "each place by itself"),
        (_draw(np.linalg.cholesky, noise_new=True), "not measurements"),
        (_draw(right._eigen_root), "eigenvectors"),
        (_draw(right._symmetric_root), "symmetric root"),
        (_draw(lambda S: 0 * S), "mean alone"),
        (_draw(lambda S: -np.linalg.cholesky(S)), "subtracted"),
        (_draw(np.linalg.cholesky, mean=False, prior=True), "function of the prior"),
        (lambda K, c, n, t, noise, z: right.draw_posterior(K, c, n, t, noise**2, z), "do not square"),
        (lambda K, c, n, t, noise, z: right.draw_posterior(K, c, n, t, noise**0.5, z), "no root"),
        (lambda K, c, n, t, noise, z: _noise_everywhere(K, c, n, t, noise, z), "every entry"),
        (lambda K, c, n, t, noise, z: right.draw_posterior(K, c, n, t, 0.1, z), "noise"),
    ],
    "17.5": [
        (_place(lambda K, seen, noise: -_scores(K, seen, noise)), "known best"),
        (_place(lambda K, seen, noise: np.diag(K)), "before anything"),
        (_place(right._never_again), "measured again"),
        (_place(right._one_at_a_time), "independent"),
        (_place(lambda K, seen, noise: _scores(K, seen, 1e-9)), "does not follow the noise"),
        (lambda K, seen, noise: right.next_place(K, seen, 0.1), "does not follow the noise"),
        (lambda K, seen, noise: right.next_place(K, list(seen)[-1:], noise), "last place seen only"),
        (_last_place, "yours is the last"),
        (_place(lambda K, seen, noise: 1 + _scores(K, seen, noise) - np.diag(K)), "prior variances differ"),
        (lambda K, seen, noise: right.next_place(K, seen, noise) if len(seen) else 0, "nothing seen"),
        (_counted_from_one, "counted from 0"),
        (lambda K, seen, noise: _scores(K, seen, noise).max(), "Asked is the number"),
        (_place(right._noise_everywhere), "on the diagonal"),
        (_scores, "one whole number"),
        (lambda K, seen, noise: 0, "whatever it is given"),
        (lambda K, seen, noise: "6", "whole number"),
    ],
}

RIGHT = {
    "17.a": [[1.5, 7.2], (Fraction(3, 2), Fraction(36, 5)), np.array([1.5, 7.2], dtype=np.float32)],
    "17.b": [(1.15, 0.83), [1.15, 0.8333], np.array([1.15, 5 / 6]), (Fraction(23, 20), Fraction(5, 6))],
    "17.c": [(2.35, 1.5), (2.355, 1.5), (np.float32(HALF), 1.5)],
    "17.d": [(0.970, 0.706, 0.956), (MEAN, VAR_F, VAR_T), np.array([MEAN, VAR_F, VAR_T], dtype=np.float32)],
    "17.e": ["bce", "E, C, B", ["B", "C", "E"], {"B", "C", "E"}, "B C E"],
    "17.f": [(0.5, 0.125), [Fraction(1, 2), Fraction(1, 8)], np.array([0.5, 0.125])],
    "17.g": [("b", 4.1), ("B", 4.06), (["B"], 4.055)],
    "17.1": [_pairs],
    "17.2": [_by_root, _posterior(_solve)],
    "17.3": [_by_slogdet, lambda C, t: np.array(right.evidence_terms(C, t))],
    "17.4": [_by_parts],
    "17.5": [_loop_place, lambda K, seen, noise: np.array([right.next_place(K, seen, noise)])],
}

"""Typical wrong answers to the tasks of chapter 15, each with words that the check must say, and right ones."""

import math

import numpy as np

from mlteach.exercises import kernels
from mlteach.exercises.kernels import _bump, _counted, _pass

R3 = math.sqrt(3)


def _entrywise(divisor):
    return lambda K: K / divisor(np.asarray(K, dtype=float))


def _in_place(K):
    K /= np.sqrt(np.outer(np.diag(K), np.diag(K)))
    return K


def _inverse(f):
    return lambda K, t, lam: f(np.linalg.inv(K + lam * np.eye(len(t))), t, lam)


def _penalised(f):
    return lambda K, t, lam: np.linalg.inv(f(K, lam)) @ t / np.diag(np.linalg.inv(f(K, lam)))


def _refit(K, t, lam):
    """Leave one out the long way."""
    out = []
    for n in range(len(t)):
        keep = [m for m in range(len(t)) if m != n]
        a = np.linalg.solve(K[np.ix_(keep, keep)] + lam * np.eye(len(keep)), t[keep])
        out.append(float(t[n] - K[n, keep] @ a))
    return out


def _without_penalty_inside(K, t, lam):
    keep = [[m for m in range(len(t)) if m != n] for n in range(len(t))]
    return [t[n] - K[n, k] @ np.linalg.pinv(K[np.ix_(k, k)]) @ t[k] for n, k in enumerate(keep)]


def _powers_not_rooted(x, beta, n):
    return [math.exp(-beta * x * x) * (2 * beta) ** j / math.sqrt(math.factorial(j)) * x**j for j in range(n)]


def _loose_power(x, beta, n):
    return [math.exp(-beta * x * x) * math.sqrt(2 * beta**j / math.factorial(j)) * x**j for j in range(n)]


def _j_for_factorial(x, beta, n):
    return [math.exp(-beta * x * x) * math.sqrt((2 * beta) ** j / max(j, 1)) * x**j for j in range(n)]


def _factorial_not_rooted(x, beta, n):
    return [math.exp(-beta * x * x) * math.sqrt((2 * beta) ** j) / math.factorial(j) * x**j for j in range(n)]


def _blackboard(K, t, passes=100):
    """The whole run of section 15.6, where one pass is asked for."""
    a = np.zeros(len(t))
    for _ in range(passes):
        mistakes = 0
        for n in range(len(t)):
            if t[n] * np.sum(a * t * K[:, n]) <= 0:
                a[n] += 1
                mistakes += 1
        if mistakes == 0:
            break
    return a


def _without_its_weight(K, t, lam):
    """Set a_n to zero in the full fit instead of fitting again."""
    a = np.linalg.solve(K + lam * np.eye(len(t)), t)
    return [t[n] - K[n] @ np.where(np.arange(len(t)) == n, 0, a) for n in range(len(t))]


def _loop_features(x, beta, n):
    values, term = [], math.exp(-beta * x * x)
    for j in range(n):
        values.append(term)
        term *= x * math.sqrt(2 * beta / (j + 1))
    return values


def _pass_as_loop(K, t):
    a = [0] * len(t)
    for n in range(len(t)):
        score = sum(a[m] * int(t[m]) * float(K[m][n]) for m in range(len(t)))
        if t[n] * score <= 0:
            a[n] += 1
    return a


def _dictionary(s, u, p):
    a, b = {}, {}
    for word, counts in ((s, a), (u, b)):
        for i in range(len(word) - p + 1):
            counts[word[i : i + p]] = counts.get(word[i : i + p], 0) + 1
    return sum(n * b.get(piece, 0) for piece, n in a.items())


WRONG = {
    "15.a": [
        ((1, 3, 9, 27), "plain powers"),
        ((1, 9, 27, 27), "take its root"),
        ((27, 9 * R3, 3 * R3, 1), "falling powers"),
        ((1, 2 * R3, 4 * R3, 8), "x = 2"),
        ((1, R3, R3, 1), "x = 1"),
        ((1, 3, 3, 1), "coefficients of"),
        ((1, 3 * math.sqrt(2), 9), "cube has four"),
        ((1, 9, 81, 729), "belongs? to one point"),
        ((1, 27, 243, 729), "root of each"),
        ((3 * R3, 9 * R3, 27), "constant 1"),
        (64, "number|list|shape"),
        ((1, -3 * R3, 9 * R3, 27), "positive roots"),
        ((1, 3 * math.sqrt(2), 9 * math.sqrt(2), 27), "so it is √3"),
        ((1, 3 * R3, 9, 27), "x² lacks"),
        ((1, 3, 9 * R3, 27), "x lacks"),
        ((3, 9 * R3, 27 * R3, 81), "one too high"),
        ((1, 3, 3 * R3, 3 * R3), "whole power"),
        ((1, R3, 3 * R3, 27), "you divide"),
        ((1, 5.2, 15.59, 26), "the feature of power 3"),
    ],
    "15.b": [
        ((0.6, 4), "exchanged"),
        ((16, 0.6), "take the root"),
        ((5, 0.6), "counts twice"),
        ((25, 0.6), "counts twice"),
        ((math.sqrt(2), 0.6), "points themselves"),
        ((math.sqrt(34), 0.6), "missing"),
        ((math.sqrt(52), 0.6), "subtracted"),
        ((math.sqrt(8), 0.5), "left out the \\+ 1"),
        ((4, 0.04), "root is missing"),
        ((4, 9 / 34), "not by their sum"),
        ((4, 0.7071), "points themselves"),
        ((4, 0.5), "left out the \\+ 1"),
        ((4, 9), "divide it by"),
        ((4, 0.36), "not squared"),
        ((4, 0.9273), "angle"),
        ((4, 53.13), "angle"),
        ((4, 0.8), "sine"),
        (4, "two|2 answers|answers"),
    ],
    "15.c": [
        ((1, 1, 1), "mix the signs"),
        ((-1, -2, 0), "mix the signs"),
        ((1, 0, 0), "One weight alone"),
        ((0, 0, 0), "All weights are zero"),
        ((1, -1, 1), "farthest apart"),
        ((1, -1), "three numbers|3 numbers"),
        ((1, 0, math.inf), "finite"),
        ((2, -3, 1), "the sum 0, which a squared length may be"),
    ],
    "15.d": [
        ("CDF", "name the kernels"),
        ("ABCE", "C should not be there"),
        ("ABDE", "determinant"),
        ("ABEF", "no length"),
        ("AB", "two factors"),
        ("AE", "cosines and sines"),
        ("BE", "sum and product"),
        ("A", "lacks B"),
        ("ABCDEF", "C should not be there"),
        ("E", "lacks A"),
        ("BF", r"k\(0, 0\) = 0"),
        ("ABD", "Gram matrix"),
        ("ABG", "A|letter"),
    ],
    "15.e": [
        (_bump(root=False), "root is missing"),
        (_bump(envelope=lambda x, b: 1.0), "exp\\(-beta x²\\) is missing"),
        (_bump(envelope=lambda x, b: np.exp(-(x**2))), "your beta is 1"),
        (_bump(envelope=lambda x, b: np.exp(-2 * b * x**2)), "without a 2"),
        (_bump(envelope=lambda x, b: np.exp(b * x**2)), "minus"),
        (_bump(envelope=lambda x, b: np.exp(-b * abs(x))), "squared"),
        (_bump(envelope=lambda x, b: np.exp(-b * x)), "squared"),
        (_bump(envelope=lambda x, b: np.exp(-b * x**2 / 2)), "no half"),
        (_j_for_factorial, "factorial"),
        (_factorial_not_rooted, "under the root, together"),
        (_bump(base=lambda b: b), "2 comes from"),
        (_bump(base=lambda b: 2.0), "leave out beta"),
        (_powers_not_rooted, "under the root together"),
        (_loose_power, "as a whole"),
        (_bump(shift=1), "j = 0"),
        (_bump(factorial=False), "j! is missing"),
        (_bump(sign=False), "sign of x"),
        (lambda x, beta, n: kernels.bump_features(x, beta, 3), "n|shape|3"),
        (lambda x, beta, n: kernels.bump_features(x, 1.0, n), "beta"),
        (lambda x, beta, n: None, "return"),
        (lambda x, beta, n: kernels.bump_features(x, beta, n + 1), "shape|entries|numbers"),
    ],
    "15.f": [
        (8, "longer runs"),
        (4, "single letters"),
        (5, "once"),
        (6, "smaller number"),
        (7, "lull only"),
        (15, "multiplied"),
        (11, "One is lacking"),
        (10, "Two are lacking"),
        (13, "One too many"),
        (16, "with itself"),
        (0.75, "cosine"),
        ("lul", "number"),
        (14, "is not"),
    ],
    "15.g": [
        (_pass(lambda t, y: t * y < 0), "never starts"),
        (_pass(fresh=False), "this moment"),
        (_pass(label=False), "labels are missing"),
        (_pass(step=lambda t: t), "grows by one"),
        (_pass(lambda t, y: y <= 0), "without the label"),
        (_pass(lambda t, y: t * y > 0), "never starts"),
        (_pass(lambda t, y: t * y <= 1), "margin of 1"),
        (_pass(lambda t, y: True), "only where t y"),
        (_pass(passes=2), "two passes"),
        (_pass(bias=True), "Use K as it is|use K as it is"),
        (lambda K, t: t * kernels.one_pass(K, t), "counts a alone"),
        (lambda K, t: kernels.one_pass(K, t).sum(), "number of mistakes"),
        (_blackboard, "one pass is wanted"),
        (_pass(first_only=True), "first mistake"),
        (lambda K, t: kernels.one_pass(K[::-1, ::-1], t[::-1])[::-1], "backwards"),
        (lambda K, t: K @ (kernels.one_pass(K, t) * t), "scores"),
        (lambda K, t: [1, 1, 0], "whatever it is given|shape|list"),
    ],
    "15.h": [
        ((2, 1, 7), "exchanged"),
        ((1.75, 2.25, 8.5), "λ is missing"),
        ((-0.25, 2.25, 6.5), "diagonal only"),
        ((2, 13 / 6, 8.5), "couple"),
        ((4, 2.6, 5.2), "the \\+ 1 is missing"),
        ((4, 13, 7), "targets"),
        ((3, 4, 7), "primal"),
        ((3, 11, 7), "fitted values"),
        ((1, 2, 6), "both points"),
        ((1, 2, 3), "weighs each a"),
        ((1, 2, 4), "left out the \\+ 1"),
        ((1, 2, 5), "k\\(2, 1\\)"),
        ((1, 2, 11), "y\\(2\\)"),
        ((1, 2, 8.5), "without λ"),
        ((1, 2, 43), "multiply them by a"),
        ((1, 2), "three numbers|3 numbers"),
    ],
    "15.1": [
        (_entrywise(lambda K: np.outer(np.diag(K), np.diag(K))), "roots are missing"),
        (_entrywise(lambda K: np.diag(K)[:, None]), "row by its own"),
        (_entrywise(np.diag), "column by its own"),
        (_entrywise(lambda K: np.sqrt(np.diag(K))[:, None]), "one of the two"),
        (_entrywise(np.max), "largest entry"),
        (_entrywise(np.linalg.norm), "one number for the whole"),
        (_entrywise(lambda K: np.linalg.norm(K, axis=1, keepdims=True)), "length of a row"),
        (_entrywise(lambda K: np.add.outer(np.diag(K), np.diag(K)) / 2), "root of their product"),
        (lambda K: np.diag(np.sqrt(np.diag(K))) @ K @ np.diag(np.sqrt(np.diag(K))), "divide by them"),
        (_entrywise(lambda K: np.sqrt(np.diag(K)).sum()), "one number for the whole"),
        (_in_place, "chang|modif"),
        (lambda K: kernels.normalised(K)[0], "shape"),
    ],
    "15.2": [
        (_counted(lambda m, n: 1), "each shared piece once"),
        (_counted(min), "smaller count"),
        (_counted(max), "larger count"),
        (_counted(lambda m, n: m + n), "add the two"),
        (_counted(lambda m, n: m), "first word only"),
        (lambda s, u, p: kernels.shared_pieces(s, u, 2), "p"),
        (lambda s, u, p: kernels.shared_pieces(s[:-1], u[:-1], p), "last piece"),
        (lambda s, u, p: kernels.shared_pieces(s.lower(), u.lower(), p), "Capital"),
        (lambda s, u, p: sum(kernels.shared_pieces(s, u, q) for q in range(1, p + 1)), "all lengths"),
        (lambda s, u, p: sum(s[i : i + p] == u[i : i + p] for i in range(min(len(s), len(u)) - p + 1)), "same place"),
        (lambda s, u, p: sum(s[i : i + p] in u for i in range(len(s) - p + 1)), "each of its places"),
        (
            lambda s, u, p: sum(s.count(x) * u.count(x) for x in {s[i : i + p] for i in range(len(s) - p + 1)}),
            "overlap",
        ),
        (
            lambda s, u, p: sum(s[i : i + p] == u[j : j + p] for i in range(len(s)) for j in range(len(u))),
            "shorter than p",
        ),
        (kernels._cosine, "cosine"),
        (kernels._scattered, "gaps"),
        (lambda s, u, p: sum(kernels.shared_pieces(s, u, q) for q in range(p, 12)), "from p on"),
        (lambda s, u, p: s, "number|text"),
    ],
    "15.3": [
        (lambda K, k, kxx: math.sqrt(max(kernels.distance_to_mean(K, k, kxx), 0)), "its square is wanted|square"),
        (lambda K, k, kxx: kxx - np.mean(k) + np.mean(K), "factor 2"),
        (lambda K, k, kxx: kxx - 2 * np.sum(k) + np.sum(K), "sum where the mean"),
        (lambda K, k, kxx: kxx - 2 * np.mean(k) + np.sum(K) / len(K), "not over N"),
        (lambda K, k, kxx: kxx - 2 * np.mean(k) + np.trace(K) / len(K), "all entries of K"),
        (lambda K, k, kxx: kxx - 2 * np.mean(k), "mean itself is missing"),
        (lambda K, k, kxx: kxx + 2 * np.mean(k) + np.mean(K), "subtracted"),
        (lambda K, k, kxx: 1 - 2 * np.mean(k) + np.mean(K), "normalised"),
        (lambda K, k, kxx: kxx - np.mean(K), "k\\(x_n, x\\) is missing"),
        (lambda K, k, kxx: kxx**2 - 2 * np.mean(k) + np.mean(K), "squared length already"),
        (lambda K, k, kxx: kxx**0.5 - 2 * np.mean(k) + np.mean(K), "no root"),
        (kernels._without_diagonal, "diagonal too"),
        (lambda K, k, kxx: min(kxx - 2 * k[i] + K[i, i] for i in range(len(K))), "nearest point"),
        (lambda K, k, kxx: kxx - 2 * np.sum(k) / 2 + np.sum(K) / 4, "squared distance"),
    ],
    "15.4": [
        (_inverse(lambda G, t, lam: lam * G @ t), "fit to all points"),
        (_inverse(lambda G, t, lam: G @ t), "dual weights"),
        (_inverse(lambda G, t, lam: -(G @ t) / np.diag(G)), "sign"),
        (_inverse(lambda G, t, lam: lam * (G @ t) / np.diag(G)), "one factor too many"),
        (_inverse(lambda G, t, lam: t - (G @ t) / np.diag(G)), "These are the predictions"),
        (_inverse(lambda G, t, lam: ((G @ t) / np.diag(G)) ** 2), "Do not square"),
        (_inverse(lambda G, t, lam: np.mean(((G @ t) / np.diag(G)) ** 2)), "mean square"),
        (_without_penalty_inside, "λ is missing"),
        (_without_its_weight, "other weights change"),
        (_penalised(lambda K, lam: K + lam), "not in every entry"),
        (_penalised(lambda K, lam: K + lam**2 * np.eye(len(K))), "not squared"),
        (_penalised(lambda K, lam: K + 2 * lam * np.eye(len(K))), "2λ"),
        (_penalised(lambda K, lam: K + len(K) * lam * np.eye(len(K))), "not Nλ"),
        (_inverse(lambda G, t, lam: lam * (G @ t) / (1 - lam * np.diag(G))), "not by h_n"),
        (_inverse(lambda G, t, lam: (G @ t) / np.diag(G).mean()), "their mean"),
        (lambda K, t, lam: kernels.leave_one_out(K, t, 1.0), "lam"),
        (lambda K, t, lam: kernels.leave_one_out(K, t[::-1], lam), "residual"),
    ],
}

RIGHT = {
    "15.a": [
        [1, 3 * R3, 9 * R3, 27],
        np.array([1, 5.196, 15.588, 27]),
        np.float32([1, 3 * R3, 9 * R3, 27]),
        (1, 5.2, 15.59, 27),
    ],
    "15.b": [[4, 0.6], (np.float32(4), np.array([0.6]))],
    "15.c": [[-1, 0, 1], np.array([2.0, -1, -3]), (0, 1, -1), np.float32([1, -5, 0])],
    "15.d": [{"A", "B", "E"}, ["a", "b", "e"], "E, B, A", ("B", "a", "E")],
    "15.e": [_loop_features, lambda x, beta, n: np.float32(kernels.bump_features(x, beta, n))],
    "15.f": [12, np.float32(12), [12], np.array([12.0])],
    "15.g": [_pass_as_loop, lambda K, t: tuple(kernels.one_pass(K, t))],
    "15.h": [[1, 2, 7], np.array([1.0, 2, 7])],
    "15.1": [lambda K: [[K[i, j] / math.sqrt(K[i, i] * K[j, j]) for j in range(len(K))] for i in range(len(K))]],
    "15.2": [
        _dictionary,
        lambda s, u, p: float(_dictionary(s, u, p)),
        lambda s, u, p: np.array([_dictionary(s, u, p)]),
    ],
    "15.3": [lambda K, k, kxx: np.array([kxx + sum(sum(K)) / len(K) ** 2 - 2 * sum(k) / len(k)])],
    "15.4": [_refit],
}

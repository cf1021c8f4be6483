"""Typical wrong answers to the exercises of chapter 05, each with words that the check must say."""

import numpy as np

from mlteach.exercises import optimization


def _ends(H):
    values = np.linalg.eigvalsh(H)
    return values[-1], values[0]


def _rates(rule):
    return lambda H: rule(H, *_ends(H))


def _nesterov(place, sign=1, order=1, old=False):
    def step(w, v, gradient, eta, beta):
        new = beta * v - eta * gradient(place(w, v, eta, beta))
        moved = w + sign * (v if old else new)
        return (moved, new)[::order]

    return step


def _ahead(w, v, eta, beta):
    return w + beta * v


def _adam(power=lambda beta, k: 1 - beta**k, correct=(True, True), inside=False, root=True, sign=1, kept=True):
    def step(w, m, s, g, k, eta, beta1, beta2, eps):
        m, s = beta1 * m + (1 - beta1) * g, beta2 * s + (1 - beta2) * g**2
        mean = m / power(beta1, k) if correct[0] else m
        square = s / power(beta2, k) if correct[1] else s
        below = np.sqrt(square + eps) if inside else (np.sqrt(square) if root else square) + eps
        out = (m, s) if kept else (mean, square)
        return w - sign * eta * mean / below, *out

    return step


def _nesterov_in_place(w, v, gradient, eta, beta):
    v *= beta
    v -= eta * gradient(w + v)
    w += v
    return w, v


def _adam_in_place(w, m, s, g, k, eta, beta1, beta2, eps):
    w[:], m[:], s[:] = optimization.adam_step(w, m, s, g, k, eta, beta1, beta2, eps)
    return w, m, s


def _early_eps(w, m, s, g, k, eta, beta1, beta2, eps):
    _, m, s = optimization.adam_step(w, m, s, g, k, eta, beta1, beta2, eps)
    return w - eta * np.sqrt(1 - beta2**k) / (1 - beta1**k) * m / (np.sqrt(s) + eps), m, s


def _averages(change):
    def step(w, m, s, g, k, eta, beta1, beta2, eps):
        new_w, new_m, new_s = optimization.adam_step(w, m, s, g, k, eta, beta1, beta2, eps)
        return (new_w, *change(new_m, new_s, m, s, g, beta1, beta2))

    return step


def _search(test, after=1.0, first=1.0):
    def search(f, gradient, w):
        g, eta = gradient(w), first
        while not test(f, w, g, eta):
            eta /= 2
        return after * eta

    return search


def _endless(f, gradient, w):
    while f(w) > -1:
        pass
    return 1.0


def _enough(f, w, g, eta):
    return f(w - eta * g) <= f(w) - 0.5 * eta * g @ g


def _unsorted(small, large):
    def rates(H):
        values = np.linalg.eigvals(H)
        return 2 / values[large], 2 / (values[large] + values[small])

    return rates


def _from_ahead(w, v, gradient, eta, beta):
    w = w + beta * v
    v = beta * v - eta * gradient(w)
    return w + v, v


WRONG = {
    "5.1": [
        (_unsorted(0, -1), "does not sort|in no order"),
        (_unsorted(-1, 0), "does not sort|in no order"),
        (_rates(lambda H, L, mu: (1 / L, 2 / (L + mu))), "safe rate, as the limit"),
        (_rates(lambda H, L, mu: (2 / mu, 2 / (L + mu))), "smallest curvature"),
        (_rates(lambda H, L, mu: (2 / np.trace(H), 2 / (L + mu))), "trace"),
        (_rates(lambda H, L, mu: (2 / np.diag(H).max(), 2 / (L + mu))), "diagonal"),
        (_rates(lambda H, L, mu: (2 / (L + mu), 2 / L)), "order"),
        (_rates(lambda H, L, mu: (2 / L, 1 / L)), "safe rate for any"),
        (_rates(lambda H, L, mu: (2 / L, 1 / (L + mu))), "numerator is 2"),
        (_rates(lambda H, L, mu: (2 / L, 2 / (L - mu))), "sign of mu"),
        (_rates(lambda H, L, mu: (2 / L, (L - mu) / (L + mu))), "factor per step"),
        (_rates(lambda H, L, mu: 2 / L), "two things"),
    ],
    "5.2": [
        (_from_ahead, "move from the old w"),
        (_nesterov(lambda w, v, eta, beta: w), "plain momentum"),
        (_nesterov(lambda w, v, eta, beta: w + eta * v), "look ahead by eta v"),
        (_nesterov(lambda w, v, eta, beta: w + v), "whole v"),
        (_nesterov(lambda w, v, eta, beta: w - beta * v), "look back"),
        (_nesterov(_ahead, sign=-1), "subtract the velocity"),
        (_nesterov(_ahead, order=-1), "place comes first"),
        (_nesterov(_ahead, old=True), "old velocity"),
        (lambda w, v, gradient, eta, beta: (w - eta * gradient(w), v), "plain gradient descent"),
        (lambda w, v, gradient, eta, beta: w, "two things"),
        (_nesterov_in_place, "in place"),
    ],
    "5.3": [
        ([0.1, 0.02, 0.205, 0.18], "rises in the end"),
        ([0.1, 0.205, 0.18, 0.02], "C and D are swapped"),
        ([0.18, 0.205, 0.02, 0.1], "falls faster"),
        ([0.1, 0.205, 0.02], "four numbers: A, B, C, D"),
        ([0.1, 0.2, 0.02, 0.18], "each of"),
    ],
    "5.4": [
        (690, "round up"),
        (346, "height"),
        (1375, "rate 1/L"),
        (69, "momentum"),
        (np.log(1e6) / np.log(101 / 99), "whole"),
        (690.75, "whole"),
        (690.8, "whole"),
        (692, "Fewer"),
        (1000, "is not"),
    ],
    "5.5": [
        (6, "round up"),
        (6.25, "whole number"),
        (6.2, "whole number"),
        (8, "Fewer"),
        (2, "standard deviation"),
        (3, "sigma²"),
        (12, "missing"),
        (5.625, "small eta"),
        (100, "is not"),
    ],
    "5.6": [
        (_adam(correct=(False, False)), "correction is missing"),
        (_adam(correct=(True, False)), "correction of s"),
        (_adam(correct=(False, True)), "correction of m"),
        (_adam(inside=True), "inside the root"),
        (_adam(root=False), "root is missing"),
        (_adam(sign=-1), "climbs"),
        (_adam(kept=False), "corrected m"),
        (_adam(power=lambda beta, k: 1 - beta ** (k + 1)), r"powers are k \+ 1"),
        (_adam(power=lambda beta, k: 1 - beta ** max(k - 1, 1)), "powers are k - 1"),
        (_averages(lambda m, s, m0, s0, g, b1, b2: (b1 * m0 + g, s)), "not an average"),
        (_averages(lambda m, s, m0, s0, g, b1, b2: ((1 - b1) * m0 + b1 * g, s)), "swapped"),
        (_averages(lambda m, s, m0, s0, g, b1, b2: (m, s0 + g**2)), "AdaGrad"),
        (_averages(lambda m, s, m0, s0, g, b1, b2: (m, b2 * s0 + (1 - b2) * g)), "squares of the slopes"),
        (_averages(lambda m, s, m0, s0, g, b1, b2: (m, b1 * s0 + (1 - b1) * g**2)), "beta2, not beta1"),
        (lambda *a: optimization.adam_step(*a)[0], "three things"),
        (lambda *a: optimization.adam_step(*a)[::-1], "another order"),
        (lambda *a: optimization.adam_step(*a)[1:] + optimization.adam_step(*a)[:1], "another order"),
        (lambda *a: optimization.adam_step(*a[:6], a[7], a[6], a[8]), "swapped"),
        (_averages(lambda m, s, m0, s0, g, b1, b2: (m0, s)), "old m"),
        (_averages(lambda m, s, m0, s0, g, b1, b2: (m, s0)), "old s"),
        (_early_eps, "before the correction"),
        (_adam_in_place, "in place"),
    ],
    "5.7": [
        (_search(lambda f, w, g, eta: f(w - eta * g) < f(w) - 0.5 * eta * g @ g), "<=, not for <"),
        (_search(lambda f, w, g, eta: f(w + eta * g) <= f(w) - 0.5 * eta * g @ g), "uphill"),
        (_search(lambda f, w, g, eta: f(w - eta * g) < f(w)), "any decrease"),
        (_search(lambda f, w, g, eta: f(w - eta * g) <= f(w) - 0.5 * eta * np.sqrt(g @ g)), "its square"),
        (_search(_enough, after=0.5), "once more"),
        (_search(_enough, after=2.0), "last eta that failed"),
        (lambda f, gradient, w: w - 0.1 * gradient(w), "place"),
        (lambda f, gradient, w: 0.25, "should be"),
        (_endless, "does not end"),
        (_search(_enough, first=0.5), "Start with eta = 1"),
        (_search(_enough, first=2.0), "Start with eta = 1"),
        (_search(_enough, first=4.0), "Start with eta = 1"),
        (_search(lambda f, w, g, eta: f(w - eta * g) <= f(w) - 0.5 * g @ g or eta < 1e-9), "factor eta"),
        (_search(lambda f, w, g, eta: f(w - eta * g) <= f(w) - eta * g @ g or eta < 1e-13), "factor ½"),
        (_search(lambda f, w, g, eta: f(w - eta * g) <= f(w) - eta * g @ g), "factor ½"),
        (_search(lambda f, w, g, eta: f(w - eta * g) <= f(w) - 0.5 * g @ g), "without the factor eta"),
        (lambda f, gradient, w: (optimization.backtrack(f, gradient, w), w), "one number"),
    ],
}


def _by_max_and_min(H):
    values = np.linalg.eigvals(H)
    return 2 / max(values), 2 / (max(values) + min(values))


RIGHT = {
    "5.1": [_by_max_and_min, lambda H: np.array(optimization.rates(H))],
    "5.3": [
        {"A": 0.1, "B": 0.205, "C": 0.02, "D": 0.18},
        {"d": 0.18, "a": 0.1, "b": 0.205, "c": 0.02},
        (0.1, 0.205, 0.02, 0.18),
        np.array([0.1, 0.205, 0.02, 0.18]),
    ],
    "5.4": [691.0, np.array([691])],
    "5.7": [lambda f, gradient, w: np.array([optimization.backtrack(f, gradient, w)])],
}

"""Typical wrong answers to the exercises of chapter 05, each with words that the check must say."""

import numpy as np

from mlteach.exercises import optimization


def _ends(H):
    values = np.linalg.eigvalsh(H)
    return values[-1], values[0]


def _rates(rule):
    return lambda H: rule(H, *_ends(H))


def _unsorted(small, large):
    def rates(H):
        values = np.linalg.eigvals(H)
        return 2 / values[large], 2 / (values[large] + values[small])

    return rates


def _changes(curvatures, eta):
    curvatures *= eta
    return np.max(np.abs(1 - curvatures))


def _gain(g, eta, L):
    return eta * (1 - L * eta / 2) * float(np.sum(np.square(g)))


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


def _old_averages(w, m, s, g, k, eta, beta1, beta2, eps):
    _, new_m, new_s = optimization.adam_step(w, m, s, g, k, eta, beta1, beta2, eps)
    return w - eta * m / (1 - beta1**k) / (np.sqrt(s / (1 - beta2**k)) + eps), new_m, new_s


def _averages(change):
    def step(w, m, s, g, k, eta, beta1, beta2, eps):
        new_w, new_m, new_s = optimization.adam_step(w, m, s, g, k, eta, beta1, beta2, eps)
        return (new_w, *change(new_m, new_s, m, s, g, beta1, beta2))

    return step


def _overwritten(w, v, gradient, eta, beta):
    w = w + beta * v
    v = beta * v - eta * gradient(w)
    return w + v, v


def _uphill(f, gradient, w):
    g, eta = gradient(w), 1.0
    while f(w + eta * g) > f(w) - 0.5 * eta * g @ g:
        eta /= 2
    return eta


def _search(test, after=1.0, first=1.0, shrink=0.5):
    def search(f, gradient, w):
        g, eta = gradient(w), first
        while not test(f, w, g, eta):
            eta *= shrink
        return after * eta

    return search


def _wandering(f, gradient, w):
    g, eta = gradient(w), 1.0
    while not _enough(f, w, g, eta):
        w, eta = w - eta * g, eta / 2
    return eta


def _wandering_slopes(f, gradient, w):
    eta = 1.0
    while not _enough(f, w, gradient(w), eta):
        w, eta = w - eta * gradient(w), eta / 2
    return eta


def _endless(f, gradient, w):
    while f(w) > -1:
        pass
    return 1.0


def _enough(f, w, g, eta):
    return f(w - eta * g) <= f(w) - 0.5 * eta * g @ g


ROOT = 104**0.5
WRONG = {
    "5.a": [
        (([2 / ROOT, -10 / ROOT], ROOT), "uphill"),
        (([-2, 10], ROOT), "length is not one"),
        (([2, -10], ROOT), "points uphill"),
        (([-2 / 5**0.5, 1 / 5**0.5], 5**0.5), "10 times w2"),
        (([-2 / ROOT, -10 / ROOT], ROOT), "sign of w2"),
        (([0, 1], 10), "Both weights"),
        (([-0.196, 0.981], 12), "add the two slopes"),
        (([-0.196, 0.981], 10), "slope in w2 alone"),
        (([-0.196, 0.981], -10.198), "wrong sign"),
        (([-0.196, 0.981], 104), "square of the right"),
        (([10 / ROOT, -2 / ROOT], ROOT), "not 0.98|wrong order|uphill"),
        ((-0.196, 10.198), "shape"),
        (([-2 / 404**0.5, 20 / 404**0.5], 404**0.5), "slope in w2 is 10 w2"),
        (([-1 / 6, 5 / 6], ROOT), "squares add up"),
        (([-(0.5**0.5), -(0.5**0.5)], 200**0.5), "place of the example"),
        (([-0.196, 0.981], 7), "height"),
    ],
    "5.b": [
        (lambda c, eta: max(1 - eta * c), "signs"),
        (lambda c, eta: min(abs(1 - eta * c)), "fastest"),
        (lambda c, eta: abs(1 - eta * max(c)), "steepest direction only"),
        (lambda c, eta: abs(1 - eta * min(c)), "flattest direction only"),
        (lambda c, eta: abs(1 - eta * c[-1]), "last curvature"),
        (lambda c, eta: abs(1 - 10 * eta), "should be|steepest"),
        (lambda c, eta: max(abs(1 - 0.19 * c)), "eta = 0.19"),
        (lambda c, eta: max(abs(1 - eta * np.array([1, 10]))), "should be|one example"),
        (lambda c, eta: max((1 - eta * c) ** 2), "height"),
        (lambda c, eta: abs(1 - eta * c), "all directions"),
        (lambda c, eta: abs(np.prod(1 - eta * c)), "do not multiply"),
        (lambda c, eta: np.mean(abs(1 - eta * c)), "mean"),
        (lambda c, eta: min(1, max(abs(1 - eta * c))), "stop at 1"),
        (lambda c, eta: max(abs(1 - c)), "rate is missing"),
        (lambda c, eta: (1 - eta * c)[np.argmax(abs(1 - eta * c))], "without its sign"),
        (lambda c, eta: 0.9, "whatever it is given"),
        (lambda c, eta: max(1 + eta * c), "sign is wrong"),
        (lambda c, eta: sum(abs(1 - eta * c)), "do not add up"),
        (lambda c, eta: abs(1 - eta * np.mean(c)), "mean curvature"),
        (lambda c, eta: max(abs(1 - eta * c[0]), abs(1 - eta * c[-1])), "first and the last"),
        (_changes, "in place"),
    ],
    "5.c": [
        (1726, "round up"),
        (864, "height"),
        (863.5, "height"),
        (346, "not 50"),
        (345, "not 50"),
        (69, "not 10"),
        (3447, "rate 1/L"),
        (3454, "approximated"),
        (750, "base 10"),
        (3977, "base 10"),
        (np.log(1e6) / np.log(251 / 249), "whole"),
        (1726.9, "whole"),
        (1728, "Fewer"),
        (1000, "is not"),
    ],
    "5.d": [
        (lambda g, eta, L: eta * (1 - L * eta / 2) * np.linalg.norm(g), "its square"),
        (lambda g, eta, L: eta * g @ g, "tangent"),
        (lambda g, eta, L: eta * (1 - L * eta) * g @ g, "factor ½"),
        (lambda g, eta, L: g @ g / (2 * L), "best rate 1/L"),
        (lambda g, eta, L: (1 - L * eta / 2) * g @ g, "factor eta"),
        (lambda g, eta, L: eta * g @ g - L / 2 * eta * g @ g, "eta twice"),
        (lambda g, eta, L: max(0, _gain(g, eta, L)), "cut it off"),
        (lambda g, eta, L: -_gain(g, eta, L), "positive where it falls"),
        (lambda g, eta, L: eta * (1 + L * eta / 2) * g @ g, "sign is wrong"),
        (lambda g, eta, L: _gain(g, eta, 4.0), "L = 4"),
        (lambda g, eta, L: _gain(g, 0.1, L), "eta = 0.1"),
        (lambda g, eta, L: _gain(g, L, eta), "exchanged"),
        (lambda g, eta, L: 0.8, "whatever it is given"),
        (lambda g, eta, L: eta / 2 * g @ g, "line search"),
        (lambda g, eta, L: eta * (1 - eta / 2) * g @ g, "L is missing"),
        (lambda g, eta, L: eta * (1 - L * eta / 2) * np.sum(g) ** 2, "Square first"),
        (lambda g, eta, L: eta * (1 - L * eta / 2) * np.mean(g**2), "not their mean"),
    ],
    "5.e": [
        (6, "round up"),
        (6.25, "whole number"),
        (6.2, "whole number"),
        (6.3, "whole number"),
        (8, "Fewer"),
        (2, "standard deviation"),
        (1.25, "standard deviation"),
        (3, "sigma²"),
        (12, "missing, or lambda"),
        (11.84, "in two places"),
        (13, "in front of the bracket"),
        (5.625, "small eta"),
        (5.63, "small eta"),
        (100, "is not"),
    ],
    "5.f": [
        (lambda mu, L: (4 / (L**0.5 + mu**0.5) ** 2, (L**0.5 - mu**0.5) / (L**0.5 + mu**0.5)), "square it"),
        (lambda mu, L: (2 / (L + mu), optimization.best_momentum(mu, L)[1]), "without momentum"),
        (lambda mu, L: (4 / (L + mu), optimization.best_momentum(mu, L)[1]), "Add the roots"),
        (lambda mu, L: (1 / L, optimization.best_momentum(mu, L)[1]), "safe rate"),
        (lambda mu, L: (4 / (L**0.5 + mu**0.5), optimization.best_momentum(mu, L)[1]), "is a square"),
        (lambda mu, L: (optimization.best_momentum(mu, L)[0] / 2, optimization.best_momentum(mu, L)[1]), "is 4"),
        (lambda mu, L: (optimization.best_momentum(mu, L)[0], ((L - mu) / (L + mu)) ** 2), "root of kappa"),
        (lambda mu, L: (optimization.best_momentum(mu, L)[0], (L - mu) / (L + mu)), "plain descent"),
        (lambda mu, L: optimization.best_momentum(mu, L)[::-1], "another order"),
        (lambda mu, L: (2 / (L + mu), (L - mu) / (L + mu)), "its best rate and its factor"),
        (lambda mu, L: (4 / (L + mu) ** 2, optimization.best_momentum(mu, L)[1]), "roots are missing in eta"),
        (lambda mu, L: (4 / (np.sqrt(L) - np.sqrt(mu)) ** 2, optimization.best_momentum(mu, L)[1]), "add the roots"),
        (lambda mu, L: (4 / ((L / mu) ** 0.5 + 1) ** 2, optimization.best_momentum(mu, L)[1]), "not only kappa"),
        (lambda mu, L: optimization.best_momentum(1.0, L), "mu = 1"),
        (lambda mu, L: optimization.best_momentum(mu, 100.0), "L = 100"),
        (lambda mu, L: (4 / 121, 81 / 121), "whatever it is given"),
        (lambda mu, L: 4 / (L**0.5 + mu**0.5) ** 2, "shape|2 things|one number"),
    ],
    "5.g": [
        (([-0.0009, 12], [-0.316, 0.316]), "size of a slope"),
        (([-0.0003, 4], [-0.316, 0.316]), "three steps"),
        (([-0.1, 0.1], [-0.316, 0.316]), "after one step"),
        (([0.3, -0.3], [-0.316, 0.316]), "uphill"),
        (([-0.3, -0.3], [-0.316, 0.316]), "second slope is negative"),
        (([-0.3, 0.3], [-0.1, 0.1]), "does not correct"),
        (([-0.3, 0.3], [0.316, -0.316]), "uphill"),
        (([-0.3, 0.3], [-1, 1]), "root of a tenth"),
        (([-0.3, 0.3], [-0.1054, 0.1054]), "not rho"),
        (([-0.3, 0.3], [-0.949, 0.949]), "not -0.949"),
        (([-0.316, 0.316], [-0.3, 0.3]), "without correction"),
        (([-1.236, 1.236], [-0.316, 0.316]), "corrections are missing"),
        (([-0.228, 0.228], [-0.316, 0.316]), "AdaGrad"),
        (([-3, 3], [-3.16, 3.16]), "rate 0.1 is missing"),
        (([-0.3, 0.3], [-3.16, 3.16]), "rate 0.1 is missing"),
        (([-0.3, 0.3], [-0.3, 0.3]), "Adam's place"),
        (([-0.3, 0.3], [-0.738, 0.738]), "after three steps"),
        (([-0.3, 0.3], [-0.0316, 0.0316]), "multiply by it"),
    ],
    "5.1": [
        (_rates(lambda H, L, mu: (1 / L, 2 / (L + mu))), "safe rate, as the limit"),
        (_rates(lambda H, L, mu: (2 / mu, 2 / (L + mu))), "smallest curvature"),
        (_rates(lambda H, L, mu: (2 / np.trace(H), 2 / (L + mu))), "trace"),
        (_rates(lambda H, L, mu: (2 / np.diag(H).max(), 2 / (L + mu))), "diagonal"),
        (_unsorted(0, -1), "keeps no order"),
        (_unsorted(-1, 0), "keeps no order"),
        (_unsorted(1, 0), "keeps no order"),
        (lambda H: (2 / np.linalg.eigvalsh(H)[1], 2 / np.linalg.eigvalsh(H)[:2].sum()), "first two"),
        (_rates(lambda H, L, mu: (2 / np.linalg.norm(H), 2 / (L + mu))), "mixes all"),
        (_rates(lambda H, L, mu: (2 / L, 2 / (L / mu + 1))), "not kappa"),
        (_rates(lambda H, L, mu: (2 / L, 4 / (L**0.5 + mu**0.5) ** 2)), "momentum's rate"),
        (lambda H: (0.2, 2 / 11), "whatever it is given"),
        (_rates(lambda H, L, mu: (2 / (L + mu), 2 / L)), "wrong order|another order"),
        (_rates(lambda H, L, mu: (2 / L, 1 / L)), "safe rate for any"),
        (_rates(lambda H, L, mu: (2 / L, 1 / (L + mu))), "numerator is 2"),
        (_rates(lambda H, L, mu: (2 / L, 2 / (L - mu))), "sign of mu"),
        (_rates(lambda H, L, mu: (2 / L, (L - mu) / (L + mu))), "factor per step"),
        (_rates(lambda H, L, mu: 2 / L), "should be|shape|two|2"),
    ],
    "5.2": [
        (_nesterov(lambda w, v, eta, beta: w), "plain momentum"),
        (_nesterov(lambda w, v, eta, beta: w + eta * v), "look ahead by eta v"),
        (_nesterov(lambda w, v, eta, beta: w + v), "whole v"),
        (_nesterov(lambda w, v, eta, beta: w - beta * v), "look back"),
        (_nesterov(_ahead, sign=-1), "subtract the velocity"),
        (_nesterov(_ahead, order=-1), "place comes first"),
        (_nesterov(_ahead, old=True), "old velocity"),
        (lambda w, v, gradient, eta, beta: (w - eta * gradient(w), v), "plain gradient descent"),
        (lambda w, v, gradient, eta, beta: w, "2 things"),
        (_nesterov_in_place, "in place"),
        (_overwritten, "overwrite w"),
        (lambda w, v, f, eta, beta: (w + v - eta * f(w + beta * v), v - eta * f(w + beta * v)), "must fade"),
        (lambda w, v, f, eta, beta: (w + beta * v - eta * f(w + beta * v), -eta * f(w + beta * v)), "part beta"),
        (lambda w, v, gradient, eta, beta: _nesterov(_ahead)(w, v, gradient, 0.05, beta), "eta = 0.05"),
        (lambda w, v, gradient, eta, beta: _nesterov(_ahead)(w, v, gradient, eta, 0.9), "beta = 0.9"),
    ],
    "5.3": [
        ([0.1, 0.02, 0.205, 0.18], "rises in the end"),
        ([0.1, 0.205, 0.18, 0.02], "C and D are swapped"),
        ([0.18, 0.205, 0.02, 0.1], "falls faster"),
        ([0.1, 0.205, 0.02], "four numbers"),
        ([0.1, 0.2, 0.02, 0.18], "each of"),
        ({"A": 0.18, "B": 0.205, "C": 0.02, "D": 0.1}, "falls faster"),
    ],
    "5.4": [
        (_adam(correct=(False, False)), "correction is missing"),
        (_adam(correct=(True, False)), "correction of s"),
        (_adam(correct=(False, True)), "correction of m"),
        (_adam(inside=True), "inside the root"),
        (_adam(root=False), "root is missing"),
        (_adam(sign=-1), "climbs"),
        (_adam(kept=False), "corrected m and s"),
        (_adam(power=lambda beta, k: 1 - beta ** (k + 1)), r"powers are k \+ 1"),
        (_adam(power=lambda beta, k: 1 - beta ** max(k - 1, 1)), "powers are k - 1"),
        (_averages(lambda m, s, m0, s0, g, b1, b2: (b1 * m0 + g, s)), "not an average"),
        (_averages(lambda m, s, m0, s0, g, b1, b2: ((1 - b1) * m0 + b1 * g, s)), "swapped"),
        (_averages(lambda m, s, m0, s0, g, b1, b2: (m, s0 + g**2)), "AdaGrad"),
        (_averages(lambda m, s, m0, s0, g, b1, b2: (m, b2 * s0 + (1 - b2) * g)), "squares of the slopes"),
        (_averages(lambda m, s, m0, s0, g, b1, b2: (m, b1 * s0 + (1 - b1) * g**2)), "beta2, not beta1"),
        (lambda *a: optimization.adam_step(*a)[0], "3 things"),
        (lambda *a: optimization.adam_step(*a)[::-1], "another order"),
        (lambda *a: optimization.adam_step(*a)[1:] + optimization.adam_step(*a)[:1], "another order"),
        (lambda *a: optimization.adam_step(*a[:6], a[7], a[6], a[8]), "exchanged"),
        (_averages(lambda m, s, m0, s0, g, b1, b2: (m0, s)), "old m"),
        (_averages(lambda m, s, m0, s0, g, b1, b2: (m, s0)), "old s"),
        (_early_eps, "before the correction"),
        (_adam(power=lambda beta, k: 1 - beta ** (k - 1) or np.float64(0)), "powers are k - 1"),
        (_averages(lambda m, s, m0, s0, g, b1, b2: (m, b2 * s0 + (1 - b2) * g @ g)), "not their sum"),
        (_old_averages, "old m and s. Update"),
        (_adam_in_place, "in place"),
        (_adam(power=lambda beta, k: 1 - beta), "in every step"),
        (lambda *a: optimization.adam_step(*a[:5], 0.1, *a[6:]), "eta = 0.1"),
        (lambda *a: optimization.adam_step(*a[:6], 0.9, *a[7:]), "beta1 = 0.9"),
        (lambda *a: optimization.adam_step(*a[:8], 1e-8), "not the one given"),
    ],
    "5.5": [
        (_search(lambda f, w, g, eta: f(w - eta * g) < f(w)), "any decrease"),
        (_search(lambda f, w, g, eta: f(w - eta * g) <= f(w) - 0.5 * eta * np.sqrt(g @ g)), "its square"),
        (_search(_enough, after=0.5), "once more"),
        (_search(_enough, after=2.0), "last eta that failed"),
        (lambda f, gradient, w: w - 0.1 * gradient(w), "place"),
        (lambda f, gradient, w: 0.25, "whatever it is given"),
        (lambda f, gradient, w: None, "without returning"),
        (_endless, "without end"),
        (_search(lambda f, w, g, eta: not _enough(f, w, g, eta)), "inequality fails"),
        (_wandering, "w and g stay"),
        (_wandering_slopes, "w and g stay"),
        (lambda f, gradient, w: 1.0 if _enough(f, w, gradient(w), 1.0) else 0.5, "One halving"),
        (lambda f, gradient, w: -np.log2(optimization.backtrack(f, gradient, w)), "number of halvings"),
        (_search(lambda f, w, g, eta: f(w - eta * g) <= f(w) + 0.5 * eta * g @ g), "sign is wrong"),
        (_search(lambda f, w, g, eta: f(w - eta * g) <= f(w) - 0.5 * eta**2 * g @ g), "not squared"),
        (_search(_enough, shrink=0.9), "Halve eta"),
        (_search(_enough, shrink=0.1), "Halve eta"),
        (_search(_enough, first=0.5), "search with eta = 1"),
        (_search(_enough, first=2.0), "search with eta = 1"),
        (_search(_enough, first=4.0), "search with eta = 1"),
        (_search(lambda f, w, g, eta: f(w - eta * g) <= f(w) - 0.5 * g @ g or eta < 1e-9), "factor eta"),
        (_search(lambda f, w, g, eta: f(w - eta * g) <= f(w) - eta * g @ g or eta < 1e-13), "factor ½"),
        (_search(lambda f, w, g, eta: f(w - eta * g) <= f(w) - eta * g @ g), "factor ½"),
        (_search(lambda f, w, g, eta: f(w - eta * g) <= f(w) - 0.5 * g @ g), "without the factor eta"),
        (lambda f, gradient, w: (optimization.backtrack(f, gradient, w), w), "should be a number"),
        (_search(lambda f, w, g, eta: f(w - eta * g) < f(w) - 0.5 * eta * g @ g), "ask for <=, not for <"),
        (_search(lambda f, w, g, eta: f(w - eta * g) <= f(w) - 1e-4 * eta * g @ g), "any decrease"),
        (_uphill, "uphill"),
    ],
}


def _while(f, gradient, w):
    g, eta = gradient(w), 1
    while f(w - eta * g) > f(w) - eta * np.sum(g**2) / 2:
        eta *= 0.5
    return np.array([eta])


def _by_max_and_min(H):
    values = np.linalg.eigvals(H)
    return 2 / max(values), 2 / (max(values) + min(values))


def _adam_as_list(w, m, s, g, k, eta, beta1, beta2, eps):
    return [x.tolist() for x in optimization.adam_step(w, m, s, g, k, eta, beta1, beta2, eps)]


RIGHT = {
    "5.a": [
        (np.array([-2, 10]) / ROOT, np.array([ROOT])),
        ((-0.1961, 0.9806), 10.2),
        ([-0.196, 0.981], np.float32(10.198)),
    ],
    "5.b": [
        lambda c, eta: max(abs(1 - eta * x) for x in c),
        lambda c, eta: np.array([np.linalg.norm(1 - eta * c, np.inf)]),
    ],
    "5.c": [1727.0, np.int64(1727), np.array([1727])],
    "5.d": [_gain, lambda g, eta, L: eta * g @ g - L / 2 * np.linalg.norm(eta * g) ** 2],
    "5.e": [7.0, np.array(7)],
    "5.f": [
        lambda mu, L: {"eta": optimization.best_momentum(mu, L)[0], "beta": optimization.best_momentum(mu, L)[1]},
        lambda mu, L: np.array([(2 / (L**0.5 + mu**0.5)) ** 2, (1 - 2 / (1 + (L / mu) ** 0.5)) ** 2]),
    ],
    "5.g": [([-0.3, 0.3], [-0.316, 0.316]), (np.array([-0.3, 0.3]), (-0.3162, 0.3162))],
    "5.1": [
        _by_max_and_min,
        lambda H: np.array(optimization.rates(H)),
        lambda H: {"limit": optimization.rates(H)[0], "best": optimization.rates(H)[1]},
    ],
    "5.2": [lambda w, v, gradient, eta, beta: list(_nesterov(_ahead)(w, v, gradient, eta, beta))],
    "5.3": [
        {"A": 0.1, "B": 0.205, "C": 0.02, "D": 0.18},
        {"d": 0.18, "a": 0.1, "b": 0.205, "c": 0.02},
        np.array([0.1, 0.205, 0.02, 0.18]),
        (0.1, 0.205, 0.02, 0.18),
    ],
    "5.4": [_adam_as_list],
    "5.5": [_while, lambda f, gradient, w: next(e for e in 0.5 ** np.arange(60) if _enough(f, w, gradient(w), e))],
}

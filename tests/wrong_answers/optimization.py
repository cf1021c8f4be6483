"""Chapter 05: wrong answers that no table holds, with words that the check must say, and right ones of another form."""

import numpy as np

from mlteach.exercises import optimization as right

ROOT = 104**0.5


def _changes(curvatures, eta):
    curvatures *= eta
    return np.max(np.abs(1 - curvatures))


def _nesterov_in_place(w, v, gradient, eta, beta):
    v *= beta
    v -= eta * gradient(w + v)
    w += v
    return w, v


def _adam_in_place(w, m, s, *rest):
    w[:], m[:], s[:] = right.adam_step(w, m, s, *rest)
    return w, m, s


def _average_alone(w, m, s, g, k, eta, beta1, beta2, eps):
    w, _, new_s = right.adam_step(w, m, s, g, k, eta, beta1, beta2, eps)
    return w, (1 - beta1) * m + beta1 * g, new_s


def _enough(f, w, g, eta):
    return f(w - eta * g) <= f(w) - 0.5 * eta * g @ g


def _search(test):
    def search(f, gradient, w):
        g, eta = gradient(w), 1.0
        while not test(f, w, g, eta):
            eta *= 0.5
        return eta

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


def _while(f, gradient, w):
    g, eta = gradient(w), 1
    while f(w - eta * g) > f(w) - eta * np.sum(g**2) / 2:
        eta *= 0.5
    return np.array([eta])


def _by_max_and_min(H):
    values = np.linalg.eigvals(H)
    return 2 / max(values), 2 / (max(values) + min(values))


WRONG = {
    "5.a": [
        (([-2 / 5**0.5, 1 / 5**0.5], 5**0.5), "10 times w2"), (([-0.196, 0.981], -10.198), "wrong sign"),
        (([-0.196, 0.981], 104), "square of the right"), (([10 / ROOT, -2 / ROOT], ROOT), "wrong order"),
        ((-0.196, 10.198), "shape"), (([-0.196, 0.981], 5**0.5), "distance of"),
    ],
    "5.b": [
        (_changes, "in place"), (lambda c, eta: 0.9, "whatever it is given"),
        (lambda c, eta: max(abs(1 - 0.19 * c)), "eta = 0.19"), (lambda c, eta: abs(1 - 10 * eta), "should be|steepest"),
    ],
    "5.c": [(1726, "round up"), (864, "height"), (863.5, "height"), (346, "not 50"), (1000, "is not")],
    "5.d": [
        (lambda g, eta, L: right.guaranteed_gain(g, eta, 4.0), "L = 4"),
        (lambda g, eta, L: right.guaranteed_gain(g, L, eta), "exchanged"),

    ],
    "5.e": [(6, "round up"), (6.3, "whole number"), (2, "standard deviation.*sigma²"), (100, "is not")],
    "5.f": [
        (lambda mu, L: right.best_momentum(1.0, L), "mu = 1"), (lambda mu, L: (4 / 121, 81 / 121), "whatever"),
        (lambda mu, L: 4 / (L**0.5 + mu**0.5) ** 2, "shape|2 things|one number"),
        (lambda mu, L: (2 / (L + mu), mu / L), "without momentum; here it is 4"),
    ],
    "5.g": [
        (([-0.316, 0.316], [-0.3, 0.3]), "without correction"), (([-3, 3], [-3.16, 3.16]), "rate 0.1 is missing"),
        (([-0.3, 0.3], [-0.95, 0.95]), "three times"),
    ],
    "5.1": [
        (lambda H: (0.2, 2 / 11), "whatever it is given"), (lambda H: right.rates(H)[::-1], "another order|wrong"),
        (lambda H: right.rates(H)[0], "should be|shape|two|2"),
        (lambda H: (right.rates(H)[0] + 0.1, 1 / np.linalg.eigvalsh(H)[0]), "best rate is 2"),
    ],
    "5.2": [
        (_nesterov_in_place, "in place"), (lambda w, v, gradient, eta, beta: w, "2 things"),
        (lambda w, v, gradient, eta, beta: right.nesterov_step(w, v, gradient, 0.05, beta), "eta = 0.05"),

    ],
    "5.3": [
        ([0.1, 0.205, 0.02], "four numbers"), ([0.1, 0.2, 0.02, 0.18], "each of"),
        ({"A": 0.18, "B": 0.205, "C": 0.02, "D": 0.1}, "falls faster"), ([0.205, 0.205, 0.02, 0.18], "each of"),
    ],
    "5.4": [
        (_adam_in_place, "in place"), (_average_alone, "swapped"),
        (lambda *a: right.adam_step(*a)[0], "3 things"), (lambda *a: right.adam_step(*a)[::-1], "another order"),
        (lambda *a: right.adam_step(*a[:6], a[7], a[6], a[8]), "exchanged"),
        (lambda *a: right.adam_step(*a[:6], 0.9, *a[7:]), "beta1 = 0.9"),
        (lambda *a: right.adam_step(*a[:8], 1e-8), "not the one given"),
    ],
    "5.5": [
        (lambda f, gradient, w: w - 0.1 * gradient(w), "place"), (lambda f, gradient, w: 0.25, "whatever it is given"),
        (lambda f, gradient, w: None, "without returning"), (_endless, "without end"),
        (_search(lambda *a: not _enough(*a)), "inequality fails"),
        (_wandering, "w and g stay"), (_wandering_slopes, "w and g stay"),
        (_search(lambda f, w, g, eta: f(w + eta * g) <= f(w) - 0.5 * eta * g @ g), "uphill"),
        (_search(lambda f, w, g, eta: f(w - eta * g) <= f(w) - eta * g @ g or eta < 1e-13), "factor ½"),
        (_search(lambda f, w, g, eta: f(w - eta * g) <= f(w) - 0.5 * g @ g), "without the factor eta"),
        (_search(lambda f, w, g, eta: f(w - eta * g) < f(w) - 0.5 * eta * g @ g), "ask for <=, not for <"),
        (lambda f, gradient, w: (right.backtrack(f, gradient, w), w), "should be a number"),

    ],
}  # fmt: skip

RIGHT = {
    "5.a": [(np.array([-2, 10]) / ROOT, np.array([ROOT])), ((-0.1961, 0.9806), 10.2), ([-0.196, 0.981], 10.198)],
    "5.b": [
        lambda c, eta: max(abs(1 - eta * x) for x in c),
        lambda c, eta: np.array([np.linalg.norm(1 - eta * c, np.inf)]),
    ],
    "5.c": [1727.0, np.int64(1727), np.array([1727])],
    "5.d": [lambda g, eta, L: eta * g @ g - L / 2 * np.linalg.norm(eta * g) ** 2],
    "5.e": [7.0, np.array(7)],
    "5.f": [
        lambda mu, L: dict(zip(("eta", "beta"), right.best_momentum(mu, L))),
        lambda mu, L: np.array([(2 / (L**0.5 + mu**0.5)) ** 2, (1 - 2 / (1 + (L / mu) ** 0.5)) ** 2]),
    ],
    "5.g": [([-0.3, 0.3], [-0.316, 0.316]), (np.array([-0.3, 0.3]), (-0.3162, 0.3162))],
    "5.1": [
        _by_max_and_min,
        lambda H: np.array(right.rates(H)),
        lambda H: dict(zip(("limit", "best"), right.rates(H))),
    ],
    "5.2": [lambda *a: list(right.nesterov_step(*a))],
    "5.3": [{"d": 0.18, "a": 0.1, "b": 0.205, "c": 0.02}, np.array(right.CURVES), list(right.CURVES)],
    "5.4": [lambda *a: [part.tolist() for part in right.adam_step(*a)]],
    "5.5": [_while, lambda f, gradient, w: next(e for e in 0.5 ** np.arange(60) if _enough(f, w, gradient(w), e))],
}

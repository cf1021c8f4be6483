"""Chapter 23: wrong answers that no table holds, with words that the check must say, and right ones of another form."""

import numpy as np

from mlteach.exercises import autoencoders as right


def _spoils_X(X, W):
    answer = right.best_decoder(X, W)
    X += 1
    return answer


def _by_normal_equations(X, W):
    Z = X @ W
    V = np.linalg.solve(Z.T @ Z, Z.T @ X)
    return [V.astype(np.float32), np.array([np.sum((X - Z @ V) ** 2) / len(X)])]


def _kl_by_deviations(mu1, var1, mu2, var2):
    s1, s2 = np.sqrt(var1), np.sqrt(var2)
    return np.array([np.sum(np.log(s2 / s1) + (s1**2 + (mu1 - mu2) ** 2) / (2 * s2**2) - 0.5)])


def _bound_in_a_loop(x, mu, var, eps, decode, noise):
    total = 0.0
    for row in eps:
        e = x - decode(mu + row * var**0.5)
        total += -0.5 * e @ e / noise - 0.5 * len(x) * np.log(2 * np.pi * noise)
    return total / len(eps) + 0.5 * (1 + np.log(var) - mu**2 - var).sum()


def _value_by_places(p, q):
    value = 0.0
    for a, b in zip(p, q):
        value += (a * np.log(a / (a + b)) if a > 0 else 0) + (b * np.log(b / (a + b)) if b > 0 else 0)
    return value


def _value_by_a_clipped_expert(p, q):
    D = np.clip(p / np.maximum(p + q, 1e-300), 1e-9, 1 - 1e-9)
    return np.sum(p * np.log(D) + q * np.log(1 - D))


def _attack_without_p(w, b, x, t, epsilon):
    return np.minimum(np.maximum(x - epsilon * np.sign(w) * (1 if t else -1), 0), 1).tolist()


def _attack_in_place(w, b, x, t, epsilon):
    x += epsilon * np.sign((0.5 - t) * w)
    return np.clip(x, 0, 1)


WRONG = {
    "23.a": [((0.552, 0.09), "comes first")],
    "23.b": [((5, 3), "comes first")],
    "23.c": [((0.5414, 20), "per cent"), ((0.2, 0.5414), "comes first"), ((0.5414, 0.023), "normal law")],
    "23.d": [((0, 2.818), "comes first")],
    "23.e": [((-1.1, 2.2), "comes first")],
    "23.f": [((75, -1.386), "per cent"), ((-1.386, 0.75), "comes first"), ((0.75, -0.602), "base 10")],
    "23.g": [((150, 0.3), "comes first")],
    "23.1": [
        (_spoils_X, "changes its argument X"),
        (lambda X, W: (right.best_decoder(X, W)[0], right.best_decoder(X, W)[1] / 2), "loss is half"),
    ],
    "23.2": [(lambda a, b, c, d: 2 * right.kl_normals(a, b, c, d), "twice")],
    "23.3": [(lambda *a: right.bound_estimate(*a[:5], 0.4), "noise")],
    "23.4": [(lambda p, q: -right.game_value(p, q), "sign")],
    "23.5": [
        (lambda w, b, x, t, e: right.attack(w, b, x, t, 0.3), "epsilon"),
        (_attack_in_place, "changes its argument x"),
        (lambda w, b, x, t, e: np.minimum(np.abs(x + e * np.sign((0.5 - t) * w)), 1), "it should be 0"),
    ],
}

RIGHT = {
    "23.a": [([0.09], np.float32(0.552)), (0.09, 0.5516)],
    "23.b": [(3.0, np.array([5.0])), [3, 5]],
    "23.c": [(0.5414, 1 / 5), (np.float32(0.541), 0.2), (0.54, 0.2)],
    "23.d": [(2.82, 0), (np.array([2.8181]), 0.0)],
    "23.e": [(2.2, -1.1), (np.float32(2.2), [-1.1])],
    "23.f": [(3 / 4, -1.386), (np.array([0.75]), np.log(1 / 4)), (0.75, -1.39)],
    "23.g": [(0.3, 150), (np.float32(0.3), [150.0])],
    "23.1": [_by_normal_equations],
    "23.2": [_kl_by_deviations],
    "23.3": [_bound_in_a_loop],
    "23.4": [_value_by_places, _value_by_a_clipped_expert],
    "23.5": [_attack_without_p],
}

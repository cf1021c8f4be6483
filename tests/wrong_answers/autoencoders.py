"""Typical wrong answers to the exercises of chapter 23, each with words that the check must say."""

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


def _value_with_a_crumb(p, q):
    with np.errstate(all="ignore"):
        return np.sum(p * np.log((p + 1e-300) / (p + q)) + q * np.log((q + 1e-300) / (p + q)))


def _value_by_a_clipped_expert(p, q):
    D = np.clip(p / np.maximum(p + q, 1e-300), 1e-9, 1 - 1e-9)
    return np.sum(p * np.log(D) + q * np.log(1 - D))


def _attack_without_p(w, b, x, t, epsilon):
    return np.minimum(np.maximum(x - epsilon * np.sign(w) * (1 if t else -1), 0), 1).tolist()


def _attack_in_place(w, b, x, t, epsilon):
    x += epsilon * np.sign((0.5 - t) * w)
    return np.clip(x, 0, 1)


WRONG = {
    "23.a": [
        ((0.045, 0.552), "no ½"),
        ((0.03, 0.552), "mean over the entries"),
        ((0.3, 0.552), "distance"),
        ((0.5, 0.552), "Square each"),
        ((0.552, 0.09), "comes first"),
        ((0.09, 0.223), "count too"),
        ((0.09, 5.521), "exchanged"),
        ((0.09, 4.135), "1 - x~"),
        ((0.09, 0.184), "mean over the entries"),
        ((0.09, 0.796), "base 2"),
        ((0.09, 0.2395), "base 10"),
        ((0.09, -0.552), "minus in front"),
    ],
    "23.b": [
        ((11, 5), "what is kept"),
        ((1, 5), "not one"),
        ((1.5, 5), "mean of the two"),
        ((5, 3), "comes first"),
        ((3 / 14, 5), "share"),
        ((14, 5), "nothing is kept"),
        ((3, 9), "keeps"),
        ((3, 4), "fourth direction"),
        ((3, 3), "least loss"),
        ((3, 6), "4 and 1"),
    ],
    "23.c": [
        ((0.5581, 0.2), "not n - 1"),
        ((0.42, 0.2), "variance"),
        ((0.1414, 0.2), "alone"),
        ((0.4, 0.2), "mean alone"),
        ((0.6828, 0.2), "k = 2"),
        ((0.2586, 0.2), "large losses"),
        ((0.5414, 0.25), "Chebyshev"),
        ((0.5414, 0.5), "k = 1"),
        ((0.5414, 1 / 3), "Square k"),
        ((0.5414, 0.8), "false alarms"),
        ((0.5414, 0.0228), "normal law"),
        ((0.5414, 20), "per cent"),
        ((0.2, 0.5414), "comes first"),
    ],
    "23.d": [
        ((5.636, 0), "½ is missing"),
        ((2.5966, 0), "square it"),
        ((0.818, 0), "second coordinate"),
        ((2.0, 0), "first coordinate"),
        ((1.432, 0), "negative"),
        ((2.4716, 0), "ln σ²"),
        ((3.818, 0), "Minus 1"),
        ((-0.1819, 0), "squared"),
        ((0, 2.818), "comes first"),
        ((2.818, 1), "μ = 0"),
        ((4.0657, 0), "not bits"),
    ],
    "23.e": [
        ((3.0, -1.1), "slope of the expectation"),
        ((1.1, -1.1), "That is z"),
        ((1.21, -1.1), "z²"),
        ((3.8, -1.1), "sign of ε"),
        ((-1.1, 2.2), "comes first"),
        ((2.2, 1.6), "slope of the expectation"),
        ((2.2, 2.2), "ε, not 1"),
        ((2.2, 1.1), "negative"),
        ((2.2, -0.5), "Multiply by 2z"),
        ((2.2, -0.55), "not z"),
    ],
    "23.f": [
        ((0.25, -1.386), "being made"),
        ((3.0, -1.386), "p/q"),
        ((0.3, -1.386), "density"),
        ((0.5, -1.386), "where p = q"),
        ((75, -1.386), "per cent"),
        ((0.75, 1.386), "negative"),
        ((0.75, -0.693), "two terms"),
        ((0.75, 0), "always right"),
        ((0.75, -2), "base 2"),
        ((0.75, 0.5), "That is D"),
        ((-1.386, 0.75), "comes first"),
    ],
    "23.g": [
        ((0.7, 150), "sizes of the weights"),
        ((0.4583, 150), "‖w‖₂"),
        ((0.2, 150), "squared length"),
        ((0.525, 150), "All three pixels"),
        ((3.675, 150), "you multiplied"),
        ((0.3, 1500), "ε = 0.1"),
        ((0.3, 0.05), "one pixel"),
        ((0.3, 2.7386), "random signs"),
        ((0.3, 300), "0.5"),
        ((0.3, 0), "do not cancel"),
        ((0.3, 0.05), "one pixel"),
    ],
    "23.1": [
        (right._decoder(lambda X, W: W.T), "transposed encoder"),
        (right._decoder(lambda X, W: np.linalg.pinv(W)), "nothing of the data"),
        (right._decoder(lambda X, W: right.best_decoder(X, W)[0], lambda E: np.mean(E**2)), "averaged over both"),
        (right._decoder(lambda X, W: right.best_decoder(X, W)[0], lambda E: np.sum(E**2)), "the sum"),
        (
            right._decoder(lambda X, W: right.best_decoder(X, W)[0], lambda E: np.mean(np.sqrt(np.sum(E**2, axis=1)))),
            "mean distance",
        ),
        (lambda X, W: (right.best_decoder(X, W)[0].T, right.best_decoder(X, W)[1]), "(m, d)"),
        (right._decoder(lambda X, W: np.linalg.eigh(X.T @ X)[1][:, ::-1][:, : W.shape[1]].T), "PCA's axes"),
        (_spoils_X, "X"),
        (lambda X, W: (right.best_decoder(X, W)[0], right._left_out(X, W.shape[1])), "PCA's plane"),
        (lambda X, W: (right.best_decoder(X, W)[0], right.best_decoder(X, W)[1] / 2), "loss"),
    ],
    "23.2": [
        (lambda a, b, c, d: right.kl_normals(c, d, a, b), "exchanged"),
        (lambda a, b, c, d: 0.5 * np.sum(a**2 + b - np.log(b) - 1), "mu2 and var2"),
        (lambda a, b, c, d: right.kl_normals(a, b**2, c, d**2), "do not square"),
        (lambda a, b, c, d: 0.5 * np.sum((b + (a - c) ** 2) / d - 1 - np.log(d / b)), "sign of the logarithm"),
        (lambda a, b, c, d: 0.5 * np.sum(b / d + (a - c) ** 2 - 1 + np.log(d / b)), "divided by σ₂²"),
        (lambda a, b, c, d: 0.5 * np.sum((b + (a - c) ** 2) / d + np.log(d / b)), "Minus 1"),
        (lambda a, b, c, d: 0.5 * np.sum((b + (a - c) ** 2) / d + np.log(d / b)) - 0.5, "not once"),
        (lambda a, b, c, d: 2 * right.kl_normals(a, b, c, d), "twice"),
        (lambda a, b, c, d: right.kl_normals(a, b, c, d) / len(a), "mean"),
        (lambda a, b, c, d: 0.5 * np.sum(b / d - 1 + np.log(d / b)), "means are missing"),
        (lambda *laws: right.kl_normals(*laws) / np.log(2), "not bits"),
        (lambda a, b, c, d: 0.5 * np.sum((b + (a - c) ** 2) / d - 1), "is missing"),
        (lambda a, b, c, d: 0.5 * np.sum((b + a - c) / d - 1 + np.log(d / b)), "squared"),
        (lambda a, b, c, d: right.kl_normals(a, b, c, d) + right.kl_normals(c, d, a, b), "both directions"),
    ],
    "23.3": [
        (right._estimate(kl=0.0), "divergence is missing"),
        (right._estimate(kl=-1.0), "subtracted"),
        (right._estimate(kl=2.0), "factor ½"),
        (right._estimate(constant=False), "2π noise"),
        (right._estimate(half=1.0), "factor ½"),
        (right._estimate(square=True), "do not square"),
        (right._estimate(lambda mu, var, eps: mu + var * eps), "root"),
        (right._estimate(lambda mu, var, eps: mu + 0 * eps), "Decode the draws"),
        (right._estimate(lambda mu, var, eps: eps), "eps itself"),
        (right._estimate(lambda mu, var, eps: (mu + np.sqrt(var) * eps)[:1]), "all rows"),
        (lambda *a: -right.bound_estimate(*a), "minus the loss"),
        (lambda *a: right.bound_estimate(*a[:5], 0.4), "noise"),
        (lambda *a: right._estimate(constant=False)(*a[:5], 0.5), "MSE plus KL"),
        (lambda *a: -right._estimate(constant=False)(*a[:5], 0.5), "MSE plus KL"),
        (lambda *a: len(a[3]) * right.bound_estimate(*a), "the sum"),
        (lambda *a: right.bound_estimate(*a) + 0.5 * (len(a[0]) - 1) * np.log(2 * np.pi * a[5]), "d entries"),
    ],
    "23.4": [
        (right._jsd, "Jensen-Shannon"),
        (lambda p, q: right.game_value(p, q) + np.log(4), "ln 4"),
        (lambda p, q: right.game_value(p, q) / np.log(2), "base 2"),
        (lambda p, q: right.game_value(p, q) / 2, "no factor ½"),
        (lambda p, q: -right.game_value(p, q), "sign"),
        (lambda p, q: np.sum(p * np.log(p / (p + q)) + q * np.log(q / (p + q))), "0 ln 0"),
        (lambda p, q: np.sum(np.where(p > 0, p * np.log(p / q), 0)), r"KL\(p‖q\)"),
        (_value_with_a_crumb, "neither law"),
    ],
    "23.5": [
        (right._attack(lambda w, p, t, e: -e * np.sign((p - t) * w)), "lowers the loss"),
        (right._attack(lambda w, p, t, e: e * np.sign((p - t) * w), clip=False), "clip"),
        (right._attack(lambda w, p, t, e: e * (p - t) * w), "sign of the slope"),
        (right._attack(lambda w, p, t, e: e * np.sign(w)), "label t"),
        (right._attack(lambda w, p, t, e: -e * np.sign(w)), "label t"),
        (right._attack(lambda w, p, t, e: e * np.where((p - t) * w >= 0, 1.0, -1.0)), "weight 0"),
        (right._attack(lambda w, p, t, e: e * (p - t) * w / np.linalg.norm((p - t) * w)), "length epsilon"),
        (right._attack(lambda w, p, t, e: np.sign((p - t) * w)), "epsilon is missing"),
        (right._attack(lambda w, p, t, e: 0.3 * np.sign((p - t) * w)), "epsilon"),
        (lambda w, b, x, t, e: e * np.sign((0.5 - t) * w), "Add it to x"),
        (_attack_in_place, "x"),
        (lambda w, b, x, t, e: np.minimum(x + e * np.sign((0.5 - t) * w), 1), "below 0"),
        (lambda w, b, x, t, e: np.clip(x + e * np.sign((0.5 - t) * w), -1, 1), "below 0"),
        (lambda w, b, x, t, e: np.maximum(x + e * np.sign((0.5 - t) * w), 0), "above 1"),
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

"""Chapter 24: wrong answers that no table holds, with words that the check must say, and right ones of another form."""

import numpy as np

from mlteach.exercises import model_selection as right


def _loo_by_a_loop(H, t):
    total = 0.0
    for i in range(len(t)):
        total += ((t[i] - sum(H[i, j] * t[j] for j in range(len(t)))) / (1 - H[i, i])) ** 2
    return np.array([total / len(t)])


def _spoils_t(H, t):
    answer = right.loo(H, t)
    t -= t.mean()
    return answer


def _hard_coded_five(H, t):
    return np.sum(((t - H @ t) / (1 - np.diag(H))) ** 2) / 5


def _decompose_by_places(fits, f, sigma2):
    R, m = len(fits), len(f)
    mean = [sum(row[j] for row in fits) / R for j in range(m)]
    bias2 = sum((mean[j] - f[j]) ** 2 for j in range(m)) / m
    variance = sum((row[j] - mean[j]) ** 2 for row in fits for j in range(m)) / (R * m)
    return [np.float32(bias2), variance, np.array(bias2 + variance + sigma2)]


def _decompose_with_the_noise_of_the_example(fits, f, sigma2):
    bias2, variance, _ = right.decompose(fits, f, sigma2)
    return bias2, variance, bias2 + variance + 0.5


def _forward_as_a_tuple_of_numpy_numbers(X, t, k):
    chosen = []
    for _ in range(k):
        A = np.column_stack([np.ones(len(t)), X[:, chosen]])
        Q = np.linalg.qr(A)[0]
        r, B = t - Q @ (Q.T @ t), X - Q @ (Q.T @ X)
        gain = (B.T @ r) ** 2 / np.maximum((B**2).sum(axis=0), 1e-12)
        gain[chosen] = -1
        chosen.append(np.int64(gain.argmax()))
    return tuple(chosen)


def _forward_always_two(X, t, k):
    return right.forward(X, t, 2)


def _nested_in_a_loop(inner, outer):
    return sum(outer[i][int(np.argmin(inner[i]))] for i in range(len(outer))) / len(outer)


def _nested_of_three_folds(inner, outer):
    return sum(outer[i][int(np.argmin(inner[i]))] for i in range(len(outer))) / 3


WRONG = {
    "24.a": [((2, 4, 9), "order"), ((4, 2, 6), "noise"), ((4, 2, 11), "twice"), ((4, 2, 17), "leaves 14")],
    "24.b": [((2.9, 1.4, "B"), "comes first"), ((1.4, 2.9, "V"), "Compare")],
    "24.c": [((3.8, 8), "order"), ((8, 3.5), "factor 2")],
    "24.d": [(_spoils_t, "changes its argument t"), (_hard_coded_five, "it should be")],
    "24.e": [
        ((-0.02, 1.062, -0.339), "another order"),
        ((-0.02, 0.339, -1.062), "Negative"),
        ((-0.5, -0.34, 1.06), "textbook"),
        ((-0.075, -0.34, 1.06), "largest model"),
    ],
    "24.f": [((220, 33), "order"), ((33, 4096), "triples")],
    "24.g": [(68.75, "per cent"), (0.5, "better one")],
    "24.h": [((205, "F"), "winner"), ((205, "L"), "choosing again"), ((204, "N"), "exchanged")],
    "24.i": [("AC", "gap"), ("BC", "variance"), ("B", "two")],
    "24.1": [(_decompose_with_the_noise_of_the_example, "Use sigma2")],
    "24.2": [(_forward_always_two, "k")],
    "24.3": [(_nested_of_three_folds, "")],
}

RIGHT = {
    "24.a": [(4, 2, 9), (np.float32(4), [2], np.array(9.0))],
    "24.b": [(1.4, 2.9, "b"), (np.float32(1.4), [2.9], "B")],
    "24.c": [(8, 3.8), (8.0, np.array([3.8]))],
    "24.d": [_loo_by_a_loop],
    "24.e": [(-0.02, -0.34, 1.06), (np.float32(-0.02), -0.3389, 1.0623)],
    "24.f": [(33, 220), (33.0, np.int64(220))],
    "24.g": [0.6875, 11 / 16, 0.69, np.float32(0.688)],
    "24.h": [(205, "N"), (205, "n")],
    "24.i": ["BD", "DB", "B, D", ["D", "B"]],
    "24.1": [_decompose_by_places],
    "24.2": [_forward_as_a_tuple_of_numpy_numbers],
    "24.3": [_nested_in_a_loop],
}

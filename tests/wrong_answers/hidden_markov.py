"""Chapter 31: wrong answers that no table holds, with words that the check must say, and right ones of another form."""

import math

import numpy as np

from mlteach.exercises import hidden_markov as right


def _step_by_loops(belief, A, likelihood):
    S = len(belief)
    new = [sum(belief[i] * A[i][j] for i in range(S)) * likelihood[j] for j in range(S)]
    return [p / sum(new) for p in new]


def _step_in_place(belief, A, likelihood):
    belief[:] = (belief @ A) * likelihood
    belief /= belief.sum()
    return belief


def _smooth_by_paths(start, A, b):
    """Brute force over all paths."""
    from itertools import product

    T, S = b.shape
    total = np.zeros((T, S))
    for path in product(range(S), repeat=T):
        p = start[path[0]] * b[0, path[0]]
        for t in range(1, T):
            p *= A[path[t - 1], path[t]] * b[t, path[t]]
        for t in range(T):
            total[t, path[t]] += p
    return (total / total.sum(axis=1, keepdims=True)).tolist()


def _smooth_normalised(start, A, b):
    T = len(b)
    alpha, beta = np.zeros(b.shape), np.full(b.shape, 1 / b.shape[1])
    predicted = start
    for t in range(T):
        alpha[t] = predicted * b[t] / (predicted * b[t]).sum()
        predicted = alpha[t] @ A
    for t in range(T - 2, -1, -1):
        row = A @ (b[t + 1] * beta[t + 1])
        beta[t] = row / row.sum()
    both = alpha * beta
    return both / both.sum(axis=1, keepdims=True)


def _filtered_states(start, A, b):
    alpha = start * b[0]
    path = [int(alpha.argmax())]
    for look in b[1:]:
        alpha = (alpha @ A) * look
        alpha = alpha / alpha.sum()
        path.append(int(alpha.argmax()))
    return path


def _path_as_array(start, A, b):
    return np.array(right.viterbi_path(start, A, b), dtype=float)


def _m_by_loops(gamma, xi, z, n_symbols):
    T, S = gamma.shape
    A = [[sum(xi[t][i][j] for t in range(T - 1)) / sum(gamma[t][i] for t in range(T - 1)) for j in range(S)]
         for i in range(S)]  # fmt: skip
    B = [[sum(gamma[t][i] for t in range(T) if z[t] == k) / sum(gamma[t][i] for t in range(T))
          for k in range(n_symbols)] for i in range(S)]  # fmt: skip
    return list(gamma[0]), A, B


def _path_by_scaled_products(start, A, b):
    delta, back = start * b[0], []
    for look in b[1:]:
        ways = delta[:, None] * A
        back.append(ways.argmax(axis=0))
        delta = ways.max(axis=0) * look
        delta = delta / delta.sum()
    path = [int(delta.argmax())]
    for came in reversed(back):
        path.append(int(came[path[-1]]))
    return path[::-1]


def _log_sum_exp(start, A, b):
    with np.errstate(divide="ignore"):
        alpha, log_A, log_b = np.log(start) + np.log(b[0]), np.log(A), np.log(b)
    for look in log_b[1:]:
        alpha = np.logaddexp.reduce(alpha[:, None] + log_A, axis=0) + look
    return np.logaddexp.reduce(alpha)


WRONG = {
    "31.a": [((0.2, 0.15), ""), ((0.6, 0.5), "columns"), ((0.4, 0.2), "Today is clear"), ((0.15, 0.5), "transposed")],
    "31.b": [
        ((0.7, 0.8636), "step before the first look"),
        ((0.75, 0.9277), "transposed"),
        ((0.75, 0.8508), "before the first look"),
        ((0.8636, 0.75), "another order"),
    ],
    "31.c": [
        (_step_in_place, ""),
    ],
    "31.d": [
        ((0.46, 0.75), "filter"),
        ((0.322, 0.8961), "later ones"),
        ((0.46, 0.5519), "first look"),
        ((0.46, 0.9837), "twice"),
    ],
    "31.e": [
        ((-2.2275, 308), "loses digits"),
        ((-2.2275, 323), "still be written"),
        ((-2.2275, 325), "one step before"),
    ],
    "31.f": [
        ((0.1323, "FC"), "sum over both ways"),
        ((0.0756, "CC"), "Compare"),
        ((0.439, "FC"), "do not divide"),
        ((0.1722, "FC"), "likelihood"),
    ],
    "31.g": [((0.5, 0.25), "border"), ((0.4, 0.25), "lead into"), ((2 / 3, 0.2), "ones seen")],
    "31.h": [((9, 679.06, 708.46), "first state"), ((11, 708.46, 679.06), ""), ((11, 679.06, 699.11), "k = 9")],
    "31.1": [
        (_filtered_states, ""),
    ],
}

RIGHT = {
    "31.a": [(np.float32(0.15), [0.2])],
    "31.b": [(3 / 4, 19 / 22)],
    "31.c": [_step_by_loops],
    "31.d": [(0.46, 0.896)],
    "31.e": [(math.log(0.1078), 324), (-2.2275, 324.0)],
    "31.f": [(0.0756, ["F", "C"]), (0.0756, "F, C"), (0.0756, "fc")],
    "31.g": [(2 / 3, 0.25)],
    "31.h": [(11, 679.055, 708.456)],
    "31.1": [_smooth_by_paths, _smooth_normalised],
    "31.2": [_path_as_array, _path_by_scaled_products],
    "31.3": [_m_by_loops],
    "31.4": [_log_sum_exp],
}

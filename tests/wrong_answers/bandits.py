"""Chapter 26: wrong answers that no table holds, with words that the check must say, and right ones of another form."""

import numpy as np

from mlteach.exercises import bandits as right


def _bounds_in_a_loop(Q, N, t, c):
    Q, N = np.asarray(Q), np.asarray(N)
    out = np.empty(Q.shape)
    for place in np.ndindex(Q.shape):
        out[place] = np.inf if N[place] == 0 else Q[place] + c * (np.log(t) / N[place]) ** 0.5
    return out.tolist()


def _bounds_that_spoil(Q, N, t, c):
    answer = right.bounds(Q, N, t, c)
    N += 1
    return answer


def _bounds_that_spoil_zeros(Q, N, t, c):
    N[N == 0] = 1e-300
    return np.where(N > 1e-300, Q + c * np.sqrt(np.log(t) / np.maximum(N, 1)), np.inf)


def _policy_in_a_loop(Q, epsilon):
    rows = np.atleast_2d(Q)
    out = np.full(rows.shape, epsilon / rows.shape[1])
    for row, p in zip(rows, out):
        ties = np.flatnonzero(row == max(row))
        p[ties] += (1 - epsilon) / len(ties)
    return out.reshape(np.shape(Q)).astype(np.float32)


def _softmax_by_differences(Q, b):
    return [1 / sum(b ** (other - own) for other in Q) for own in Q]


def _value_with_a_memory(n, s1, f1, s2, f2, memory=None):
    memory = {} if memory is None else memory
    key = (n, s1, f1, s2, f2)
    if n == 0:
        return 0
    if key not in memory:
        best = []
        for arm, (s, f) in enumerate(((s1, f1), (s2, f2))):
            m = (s + 1) / (s + f + 2)
            up = (s1 + (arm == 0), f1, s2 + (arm == 1), f2)
            down = (s1, f1 + (arm == 0), s2, f2 + (arm == 1))
            best.append(
                m + m * _value_with_a_memory(n - 1, *up, memory) + (1 - m) * _value_with_a_memory(n - 1, *down, memory)
            )
        memory[key] = max(best)
    return np.array([memory[key]])


def _commit_by_ndtr(m, T, gap):
    from scipy.special import ndtr

    return gap * (m + (T - 2 * m) * ndtr(-gap * np.sqrt(m / 2)))


def _policy_of_a_near_tie(Q, epsilon):
    near = np.asarray(Q) >= np.max(Q, axis=-1, keepdims=True) - 0.3
    return epsilon / np.shape(Q)[-1] + (1 - epsilon) * near / near.sum(axis=-1, keepdims=True)


def _value_of_at_least_one(n, s1, f1, s2, f2):
    return 1 - (1 - max((1 + s1) / (2 + s1 + f1), (1 + s2) / (2 + s2 + f2))) ** n


WRONG = {
    "26.a": [
        ((3, 1.5), "another order"),
        ((1.5, 2), "numbered from 1"),
        ((1.3, 3), "pull by pull"),
        ((9, 3), "there are four"),
    ],
    "26.b": [
        ((-4, 5), "comes first"),
        ((7.7, -4), "cannot leave"),
        ((5.3, -4), "how many rewards"),
        ((5, -5), "the old estimate"),
    ],
    "26.c": [
        ((85, 0.79), "per cent"),
        ((0.8, 0.79), "once in four"),
        ((1.3, 0.79), "between 0 and 1"),
        ((0.3, 0.79), "already"),
        ((0.88, 0.79), "among four"),
        ((0.85, 2), "worth between"),
        ((0.85, 0.3), "the mean of"),
    ],
    "26.d": [
        (_bounds_that_spoil, "changes its argument N"),
        (_bounds_that_spoil_zeros, "changes its argument N"),
        (lambda Q, N, t, c: np.where(N > 0, Q + c * np.sqrt(np.log(t) / np.maximum(N, 1)), 77.0), "yours is 77"),
        (lambda Q, N, t, c: np.where(N > 0, Q + 0.25, np.inf), "you add 0.25 to Q. The doubt there is 1.3712"),
    ],
    "26.e": [
        ((200, "c"), "ever more slowly"),
        ((5000, "b"), "costs 4,000"),
        ((0, "b"), "does not end"),
        ((250, "b"), "How many"),
    ],
    "26.f": [
        ((1 / 12, 13 / 12), "another order"),
        ((1.25, 0.25), "forgets the prior"),
        ((1, 0), "staying whatever"),
        ((0.9, 0), "no less"),
        ((1.45, 0), "knows both"),
        ((1.21, 0), "how often"),
        ((13 / 12, 0.3), "1/2 each"),
    ],
    "26.g": [
        ((0.6, -0.6), "2 - 5 is negative"),
        ((0.7, 0.6), "below the baseline"),
        ((-0.7, 0.6), "product of three"),
        ((-0.6, -0.1), "rises from 0"),
        ((-0.6, 0.1), "0 - π"),
    ],
    "26.h": [
        ((0.4096, 0.1024), "comes first"),
        ((0.3, 0.4096), "only shrunk"),
        ((0.09, 0.4096), "came after"),
        ((0.1024, 2), "only shrunk"),
        ((0.1024, 0.3), "four updates"),
    ],
    "26.1": [
        (_policy_of_a_near_tie, r"you favour the arms with Q = \[0.99, 1.0\]"),
        (lambda Q, epsilon: np.ones(Q.shape) / 7, "your probabilities sum to 0.5714"),
    ],
    "26.2": [
        (lambda Q, b: right.softmax_base(np.clip(Q, -50, 50), b), "Only differences of exponents"),
        (lambda Q, b: right.softmax_base(np.round(Q), b), "yours stand as 1 : 7 : 343 : 7"),
        (lambda Q, b: -right.softmax_base(Q, b) / 3, "negative"),
    ],
    "26.3": [
        (_value_of_at_least_one, "as in 26.f"),
        (lambda n, *c: right.best_value(n, *c) if n != 1 else 0.3, "the larger of the means, 0.6667 and 0.25"),
        (lambda n, *c: right.best_value(n, *c) if n != 5 else 0.3, "leave behind"),
        (lambda n, *c: right.best_value(n, *c) if n else 0.3, "nothing more is won"),
    ],
    "26.4": [
        (lambda m, T, gap: m * gap + 3, "probability 0.1318, spoils the other 980 pulls"),
        (lambda m, T, gap: right.commit_regret(m, T, gap) + (T == 50) * (gap > 0.5), "no pull is left"),
    ],
}
RIGHT = {
    "26.a": [(1.5, 3), (np.float32(1.5), [3]), [1.5, 3.0]],
    "26.b": [(5, -4), (np.array([5.0]), -4.0)],
    "26.c": [(0.85, 0.79), (17 / 20, np.array(0.79))],
    "26.e": [(200, "b"), (200.0, "B"), ([200], "(b)")],
    "26.f": [(13 / 12, 1 / 12), (1.083, 0.083), (1.0833, 0.0833)],
    "26.g": [(-0.6, 0.6), ([-0.6], np.float32(0.6))],
    "26.h": [(0.1024, 0.4096), (np.array(0.1024), [0.4096])],
    "26.d": [_bounds_in_a_loop],
    "26.1": [_policy_in_a_loop],
    "26.2": [_softmax_by_differences],
    "26.3": [_value_with_a_memory],
    "26.4": [_commit_by_ndtr],
}

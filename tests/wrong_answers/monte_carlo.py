"""Chapter 28: wrong answers that no table holds, with words that the check must say, and right ones of another form."""

from fractions import Fraction

import numpy as np

from mlteach.exercises import monte_carlo as right


def _loop_estimates(ratios, returns):
    above = sum(r * g for r, g in zip(ratios, returns))
    total, squares = sum(ratios), sum(r * r for r in ratios)
    return [above / len(ratios), above / total if total else 0, total * total / squares if squares else 0]


def _spoils(Q, N, states, actions, rewards, gamma):
    new_Q, new_N = right.learn_episode(Q, N, states, actions, rewards, gamma)
    Q[:], N[:] = new_Q, new_N
    return Q, N


def _forwards(Q, N, states, actions, rewards, gamma):
    Q, N, seen = np.array(Q, float), np.array(N), set()
    for t, pair in enumerate(zip(states, actions)):
        if pair not in seen:
            seen.add(pair)
            N[pair] += 1
            Q[pair] += (sum(gamma**k * r for k, r in enumerate(rewards[t:])) - Q[pair]) / N[pair]
    return Q, N


def _list_policy(q, epsilon):
    top = [a for a, value in enumerate(q) if value == max(q)]
    return [epsilon / len(q) + (1 - epsilon) / len(top) * (a in top) for a in range(len(q))]


def _leans(q, epsilon):
    p = right.soft_policy(q, epsilon)
    top = np.flatnonzero(np.asarray(q) == np.max(q))
    if len(top) > 1:
        p[top[0]] += 0.1
        p[top[-1]] -= 0.1
    return p


def _half_paid(Q, N, states, actions, rewards, gamma):
    return right.learn_episode(Q, N, states, actions, rewards[:1] + [r / 2 for r in rewards[1:]], gamma)


def _counts_unmet(Q, N, *episode):
    Q, N = right.learn_episode(Q, N, *episode)
    return Q, N + (N == 0)


def _counts_three(Q, N, *episode):
    new, counts = right.learn_episode(Q, N, *episode)
    return new, N + 3 * (counts - N)


def _moves_unmet(Q, N, *episode):
    new, counts = right.learn_episode(Q, N, *episode)
    return new + (counts == N), counts


def _one_less(q, epsilon):
    p = [epsilon / (len(q) - 1)] * len(q)
    for a, value in enumerate(q):
        if value == max(q):
            p[a] = (1 - epsilon) / list(q).count(max(q))
    return p


def _method_policy(q, epsilon):
    return epsilon / len(q) + (1 - epsilon) * (q == q.max()) / (q == q.max()).sum()


WRONG = {
    "28.a": [
        ([9, 9, 9, 9], "last step nothing follows"),
        ([9, 9, 9, 4], r"G2 does not fit your G3: .* the reward -1"),
        ([9, 0.5, 1, 4], r"G0 does not fit your G1: .* the reward 2"),
        ([2.25, 0.5, 1], "4|four"),
        ([2, 1, -0.5, 3.75], "forwards"),
    ],
    "28.b": [
        (-85.4, "per cent"),
        (-0.6194, "has the chance 0.200"),
        (1.5, "no mean of the two"),
        (-2, "no mean of the two"),
    ],
    "28.c": [
        ((460800, 9216), "another order|first"),
        ((2500, 460800), r"standard error is 0.96 / √N = 0.0192, not"),
        ((9216, 100_000), "comes 2,000 times"),
        ((-3, 460800), "visits"),
    ],
    "28.d": [((9, 11), "another order|mean over all visits"), ((7, 9), "that of step 0"), ((11, 7), "sum to 21")],
    "28.e": [(1690, "are 0.0632. They should"), (-7, "visits")],
    "28.f": [
        ((4.7, 0.7), "another order"),
        ((0.7, 4.8), "0.1, 0.8 and 0.1"),
        ((0.7, 4.1), "sum to 0.9"),
        ((0.9, 4.7), "another mean"),
        ((7.5, 4.7), "between −3 and 6"),
        ((0.7, 3.4), "has the chance 0.600"),
        ((0.7, 6.5), "between the two"),
    ],
    "28.g": [((0, 8), "another order|hits on 13"), ((12, 0), "multiply to 12"), ((8, 0.7), "multiply to 0.7")],
    "28.i": [
        ((2, 0.7), "another order"),
        ((0.56, 2), "p/β, is 1.25"),
        ((1.2, 2), "is a probability"),
        ((0.7, 2.5), "mean square of 3.5"),
    ],
    "28.h": [
        (lambda ratios, returns: (*right.off_policy_estimates(ratios, returns)[:2], returns.sum()), "Σρ² = 21.13"),
        (lambda ratios, returns: (0, 0, 0), "whatever it is given"),
    ],
    "28.2": [
        (_spoils, "changes its argument"),
        (_half_paid, r"pair \(0, 1\) is met first at step 0. .* as if the return there were 1.5"),
        (_counts_unmet, r"pair \(0, 0\) was not met: its count stays"),
        (_counts_three, r"pair \(0, 1\) was met: it counts one visit more. Yours went from 0 to 3"),
        (_moves_unmet, r"pair \(0, 0\) was not met: its mean stays"),
    ],
    "28.3": [
        (lambda *a: 3 * right.ordinary_values(*a), "ρ = 1.8 and G = 2; your product is 10.8"),
        (lambda *a: right.ordinary_values(*a) + (right.ordinary_values(*a) == 0), "not visited, so it has 0|ρ = 0"),
    ],
    "28.1": [
        (lambda q, epsilon: [1.0] * len(q), "sum to 2, not to 1"),
        (lambda q, epsilon: np.roll(right.soft_policy(q, epsilon), 1), "action 0 is not best"),
        (_leans, "equally good best actions are equally likely; yours have 0.3 and 0.5"),
        (_one_less, "shared by all"),
    ],
}

RIGHT = {
    "28.a": [np.array([2.25, 0.5, 1, 4]), (2.25, 0.5, 1.0, 4.0)],
    "28.b": [-0.854, Fraction(903 - 12000, 13000)],
    "28.c": [(9216, 460800), [9216.0, 460_800.0]],
    "28.d": [(11, 9), np.array([11.0, 9.0])],
    "28.e": [4225, 4225.0, np.float32(4225)],
    "28.f": [(0.7, 4.7), [Fraction(7, 10), Fraction(47, 10)]],
    "28.g": [(8, 0), [8.0, 0.0]],
    "28.i": [(0.7, 2), [Fraction(7, 10), 2.0]],
    "28.h": [_loop_estimates, lambda ratios, returns: np.array(right.off_policy_estimates(ratios, returns))],
    "28.1": [_list_policy, _method_policy],
    "28.2": [_forwards],
    "28.3": [lambda *a: right.ordinary_values(*a).tolist()],
}

"""Chapter 28: wrong answers that no table holds, with words that the check must say, and right ones of another form."""

from fractions import Fraction

import numpy as np

from mlteach.exercises import monte_carlo as right


def _loop_estimates(ratios, returns):
    above = sum(r * g for r, g in zip(ratios, returns))
    total, squares = sum(ratios), sum(r * r for r in ratios)
    return [above / len(ratios), above / total if total else 0, total * total / squares if squares else 0]


def _nan_estimates(ratios, returns):
    with np.errstate(all="ignore"):
        total = ratios.sum()
        return (ratios * returns).mean(), (ratios * returns).sum() / total, total**2 / (ratios**2).sum()


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


def _per_decision(states, actions, rewards, pi, b, gamma, n_states):
    found, G = np.zeros(n_states), 0.0
    for t in range(len(states) - 1, -1, -1):
        s, a = states[t], actions[t]
        G = pi[s][a] / b[s][a] * (rewards[t] + gamma * G)
        found[s] = G
    return found


WRONG = {
    "28.a": [([9, 9, 9, 9], "G0"), ([2.25, 0.5, 1], "4|four")],
    "28.b": [(-85.4, "per cent")],
    "28.c": [((460800, 9216), "another order|first")],
    "28.d": [((9, 11), "another order|mean over all visits")],
    "28.f": [((4.1, 1.4), "another order")],
    "28.g": [((0, 8), "another order|hits on 13")],
    "28.i": [((2, 0.7), "another order")],
    "28.h": [(_nan_estimates, "0"), (lambda ratios, returns: (0, 0, 0), "whatever it is given")],
    "28.2": [(_spoils, "changes its argument")],
    "28.3": [(_per_decision, "ρG|reward")],
    "28.1": [(lambda q, epsilon: [1.0] * len(q), "policy")],
}

RIGHT = {
    "28.a": [np.array([2.25, 0.5, 1, 4]), (2.25, 0.5, 1.0, 4.0)],
    "28.b": [-0.854, Fraction(903 - 12000, 13000)],
    "28.c": [(9216, 460800), [9216.0, 460_800.0]],
    "28.d": [(11, 9), np.array([11.0, 9.0])],
    "28.e": [4225, 4225.0, np.float32(4225)],
    "28.f": [(1.4, 4.1), [Fraction(14, 10), Fraction(41, 10)]],
    "28.g": [(8, 0), [8.0, 0.0]],
    "28.i": [(0.7, 2), [Fraction(7, 10), 2.0]],
    "28.h": [_loop_estimates, lambda ratios, returns: np.array(right.off_policy_estimates(ratios, returns))],
    "28.1": [_list_policy],
    "28.2": [_forwards],
    "28.3": [lambda *a: right.ordinary_values(*a).tolist()],
}

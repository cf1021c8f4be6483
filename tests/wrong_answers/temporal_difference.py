"""Chapter 29: wrong answers that no table holds, with words that the check must say, and right ones of another form."""

import numpy as np

from mlteach.exercises import temporal_difference as right


def _step_by_weights(Q, s, a, r, s2, over, alpha, gamma, choose):
    after = choose(Q[s2])
    return [np.float32((1 - alpha) * Q[s][a] + alpha * (r + gamma * (0 if over else Q[s2][after]))), np.int64(after)]


def _draws_twice(Q, s, a, r, s2, over, alpha, gamma, choose):
    target = r if over else r + gamma * Q[s2][choose(Q[s2])]
    return Q[s][a] + alpha * (target - Q[s][a]), choose(Q[s])


def _draws_twice_at_s2(Q, s, a, r, s2, over, alpha, gamma, choose):
    target = r if over else r + gamma * Q[s2][choose(Q[s2])]
    return Q[s][a] + alpha * (target - Q[s][a]), choose(Q[s2])


def _draws_at_random(Q, s, a, r, s2, over, alpha, gamma, choose):
    a2 = int(np.random.default_rng().integers(len(Q[s2])))
    return Q[s][a] + alpha * ((r if over else r + gamma * Q[s2][a2]) - Q[s][a]), a2


def _chooses_by_state(Q, s, a, r, s2, over, alpha, gamma, choose):
    a2 = choose(s2)
    return Q[s][a] + alpha * ((r if over else r + gamma * Q[s2][a2]) - Q[s][a]), a2


def _ends_with(action):
    """At the end any action will do."""

    def step(Q, s, a, r, s2, over, alpha, gamma, choose):
        if over:
            return Q[s][a] + alpha * (r - Q[s][a]), a if action == "a" else action
        a2 = choose(Q[s2])
        return Q[s][a] + alpha * (r + gamma * Q[s2][a2] - Q[s][a]), a2

    return step


def _ends_in_the_last_state(V, states, rewards, alpha, gamma, lam):
    """A state that ends an episode is never left, so its number tells the end as well."""
    V, e = np.array(V, float), np.zeros(len(V))
    for s, s2, r in zip(states, states[1:], rewards):
        delta = r + gamma * (0 if s2 == states[-1] else V[s2]) - V[s]
        e *= gamma * lam
        e[s] += 1
        V += alpha * delta * e
    return V


def _fades_afterwards(V, states, rewards, alpha, gamma, lam):
    V, e = np.array(V, float), np.zeros(len(V))
    for t, (s, r) in enumerate(zip(states, rewards)):
        ahead = V[states[t + 1]] if t + 1 < len(rewards) else 0
        e[s] += 1
        V, e = V + alpha * (r + gamma * ahead - V[s]) * e, gamma * lam * e
    return V


def _others_only(P, R, epsilon):
    P, R, A = np.asarray(P, float), np.asarray(R, float), np.shape(R)[1]
    tremble = np.full((A, A), epsilon / (A - 1)) + np.eye(A) * (1 - epsilon - epsilon / (A - 1))
    return np.einsum("ab,sbt->sat", tremble, P), R @ tremble.T


def _update_in_place(Q, s, a, r, s2, terminated, alpha, gamma):
    Q[s, a] += alpha * ((r if terminated else r + gamma * Q[s2].max()) - Q[s, a])
    return Q


def _update_by_loop(Q, s, a, r, s2, terminated, alpha, gamma):
    rows = [list(map(float, row)) for row in Q]
    best = max(rows[s2])
    rows[s][a] = (1 - alpha) * rows[s][a] + alpha * (r + gamma * best * (not terminated))
    return rows


def _world_by_loops(P, R, epsilon):
    S, A, _ = np.shape(P)
    soft, paid = np.zeros((S, A, S)), np.zeros((S, A))
    for s in range(S):
        for a in range(A):
            for b in range(A):
                chance = (1 - epsilon) * (a == b) + epsilon / A
                soft[s, a] += chance * P[s][b]
                paid[s, a] += chance * R[s][b]
    return [soft.tolist(), paid.tolist()]


WRONG = {
    "29.a": [
        ((2.75, 3.5), "comes first"),
        ((3.75, 2.75), "reward"),
        ((4.5, 2.75), "subtracted"),
        ((3.5, 3), "neither"),
    ],
    "29.b": [((6.5, 5), "comes first"), ((9, 6.5), "last target"), ((5, 6), "begins at 10"), ((3, 6.5), "first two")],
    "29.c": [((2, 11 / 6), "comes first"), ((2, 2), "was taken for 1"), ((11 / 6, 1.25), "passed through A")],
    "29.d": [
        ((3.6, 2.6, 3.46), ""),
        ((2.6, 3.6, 3.4), r"0\.7 \+ 0\.1"),
        ((2.6, 3.6, 3.54), "ε/3"),
        ((3.4, 3.6, 3.46), "subtracted"),
    ],
    "29.e": [
        (_draws_twice, "once"),
        (_draws_twice_at_s2, "once"),
        (_draws_at_random, "never call choose"),
        (_chooses_by_state, "number of a state"),
    ],
    "29.f": [((0, 90, 3), "exchanged"), ((90, 0, 9), "moves")],
    "29.g": [((5.5, 1), "")],
    "29.h": [((5.75, 4.9375), "do not sum to one"), ((2.75, 5.6875), "begins with the first"), ((5, 5.6875), "guess")],
    "29.1": [
        (_update_in_place, ""),
    ],
    "29.3": [
        (_others_only, "intended action"),
    ],
}

RIGHT = {
    "29.c": [(1.83, 2), (np.float32(11 / 6), [2.0])],
    "29.e": [_step_by_weights, _ends_with(0), _ends_with("a"), _ends_with(None)],
    "29.f": [(90, 0, 3.0)],
    "29.h": [(5.75, 5.69)],
    "29.1": [_update_by_loop],
    "29.2": [lambda *a: right.td_lambda_episode(*a).tolist(), _ends_in_the_last_state, _fades_afterwards],
    "29.3": [_world_by_loops],
}

"""Chapter 29: wrong answers that no table holds, with words that the check must say, and right ones of another form."""

import numpy as np

from mlteach.exercises import temporal_difference as right


def _step_by_weights(Q, s, a, r, s2, over, alpha, gamma, choose):
    after = choose(Q[s2])
    return [np.float32((1 - alpha) * Q[s][a] + alpha * (r + gamma * (0 if over else Q[s2][after]))), np.int64(after)]


def _draws_twice(Q, s, a, r, s2, over, alpha, gamma, choose):
    target = r if over else r + gamma * Q[s2][choose(Q[s2])]
    return Q[s][a] + alpha * (target - Q[s][a]), choose(Q[s])


def _update_in_place(Q, s, a, r, s2, terminated, alpha, gamma):
    Q[s, a] += alpha * ((r if terminated else r + gamma * Q[s2].max()) - Q[s, a])
    return Q


def _update_by_loop(Q, s, a, r, s2, terminated, alpha, gamma):
    rows = [list(map(float, row)) for row in Q]
    best = max(rows[s2])
    rows[s][a] = (1 - alpha) * rows[s][a] + alpha * (r + gamma * best * (not terminated))
    return rows


def _episode_forward(V, states, rewards, alpha, gamma, lam):
    """The forward view on the first values: right only off-line."""
    V0, G, changes = np.array(V, float), 0.0, np.zeros(len(V))
    for t in reversed(range(len(rewards))):
        ahead = 0.0 if t == len(rewards) - 1 else V0[states[t + 1]]
        G = rewards[t] + gamma * ((1 - lam) * ahead + lam * G)
        changes[states[t]] += alpha * (G - V0[states[t]])
    return V0 + changes


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
    "29.a": [((2.75, 3.5), "comes first")],
    "29.b": [((3.5, 3), "comes first")],
    "29.c": [((2, 11 / 6), "comes first")],
    "29.d": [((3.6, 2.6), "")],
    "29.e": [(_draws_twice, "")],
    "29.g": [((5.5, 1), "")],
    "29.1": [(_update_in_place, "")],
    "29.2": [(_episode_forward, "")],
}

RIGHT = {
    "29.c": [(1.83, 2), (np.float32(11 / 6), [2.0])],
    "29.e": [_step_by_weights],
    "29.f": [(90, 0, 3.0)],
    "29.1": [_update_by_loop],
    "29.2": [lambda *a: right.td_lambda_episode(*a).tolist()],
    "29.3": [_world_by_loops],
}

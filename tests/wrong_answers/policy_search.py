"""Chapter 30: wrong answers that no table holds, with words that the check must say, and right ones of another form."""

import math

import numpy as np


def _gradient_by_loops(scores, rewards, gamma, baseline):
    T, d = np.shape(scores)
    b = np.broadcast_to(baseline, T)
    total = [0.0] * d
    for t in range(T):
        G = sum(gamma ** (k - t) * rewards[k] for k in range(t, T))
        for j in range(d):
            total[j] += gamma**t * (G - b[t]) * scores[t][j]
    return total


def _round_by_normal_equations(Phi, Phi_next, rewards, gamma, theta):
    y = np.max(np.array(rewards) + gamma * np.einsum("nam,m->na", Phi_next, theta), axis=1)
    return np.linalg.solve(Phi.T @ Phi, Phi.T @ y).tolist()


def _score_by_lists(theta, x, a):
    h = [sum(t * v for t, v in zip(theta, row)) for row in np.asarray(x).tolist()]
    p = [math.exp(v - max(h)) for v in h]
    mean = [sum(w * row[j] for w, row in zip(p, np.asarray(x).tolist())) / sum(p) for j in range(len(theta))]
    return [float(x[a][j]) - mean[j] for j in range(len(theta))]


def _car_by_numpy(position, velocity, action):
    velocity = np.clip(velocity + (action - 1) * 0.001 + np.cos(3 * position) * -0.0025, -0.07, 0.07)
    position = np.clip(position + velocity, -1.2, 0.6)
    velocity = 0 if position == -1.2 and velocity < 0 else velocity
    return [position, velocity]


def _combined_by_masks(signs, results, eta):
    A = np.zeros(signs.shape[1])
    for j in range(signs.shape[1]):
        low, same, high = (results[signs[:, j] == k].mean() for k in (-1, 0, 1))
        if not (same > low and same > high):
            A[j] = high - low
    return A if not A.any() else eta * A / np.linalg.norm(A)


def _combined_by_numpy(signs, results, eta):
    signs, results = np.array(signs), np.array(results)
    low, same, high = (((signs == k) * results[:, None]).sum(0) / (signs == k).sum(0) for k in (-1, 0, 1))
    A = np.where((same > low) & (same > high), 0.0, high - low)
    return (eta * A / max(np.linalg.norm(A), 1e-300)).tolist()


WRONG = {
    "30.a": [((4, 160_000), ""), ((160_000, int(0.55 / 1.8 * 13)), "12 gaps"), ((160_000, 3.6667), "whole")],
    "30.b": [([3.3, 1.6], "negative"), ([2.7], ""), ([3, 1], "discount"), ([2.9, 0.8], "reward is -1")],
    "30.c": [((13 / 15, 15 / 13), "comes first"), ((1.2, 5 / 6), "features 1 and 2")],
    "30.d": [([0.25, 0.75], "probabilities"), ([0.5, -0.5], "¼ and ¾")],
    "30.f": [([1, 2], "earlier episodes"), ([3, 5], "")],
    "30.g": [((-44.21, -12), "comes first"), ((-6, -22.105), "numerator")],
    "30.h": [([6, 4.5], "7.5"), ([0.7071, 0.7071], "averages")],
}

RIGHT = {
    "30.a": [(160_000.0, 4.0), (np.int64(160_000), [4])],
    "30.b": [(2.7, 0.4), np.array([2.7, 0.4], np.float32)],
    "30.c": [(1.154, 0.867)],
    "30.d": [(0.75, -0.75)],
    "30.e": [_gradient_by_loops],
    "30.f": [{4, 2, 1}, (4, 1, 2), np.array([1, 2, 4])],
    "30.g": [(-12, -44.2)],
    "30.1": [_round_by_normal_equations],
    "30.2": [_score_by_lists],
    "30.3": [_car_by_numpy],
    "30.4": [_combined_by_numpy, _combined_by_masks],
}

"""Chapter 32: wrong answers that no table holds, with words that the check must say, and right ones of another form."""

import math

import numpy as np


def _update_by_loops(b, P, sensor, z):
    new = [sensor[t][z] * sum(P[s][t] * b[s] for s in range(len(b))) for t in range(len(b))]
    return [x / sum(new) for x in new]


def _update_in_place(b, P, sensor, z):
    b[:] = sensor[:, z] * (b @ P)
    b /= b.sum()
    return b


def _growls_by_logarithm(accuracy, threshold):
    odds = threshold / (1 - threshold)
    return np.int64(max(0, math.ceil(math.log(odds) / math.log(accuracy / (1 - accuracy)) - 1e-9)))


def _backup_by_einsum(P, sensor, r, gamma, after):
    return np.float32(r + gamma * np.einsum("st,tz,zt->s", P, sensor, after)).tolist()


def _sweep_by_einsum(Q, P, sensor, R, gamma):
    return (R + gamma * np.einsum("sat,atz,tb->sazb", P, sensor, Q).max(axis=3).sum(axis=2)).tolist()


def _value_without_chance(b, P, sensor, R, gamma, steps):
    """Hands the joint on, and so counts the chance once: right, as the value is homogeneous."""
    if steps == 0:
        return 0.0
    return max(
        b @ R[:, a]
        + gamma
        * sum(
            _value_without_chance(sensor[a, :, z] * (b @ P[:, a]), P, sensor, R, gamma, steps - 1)
            for z in range(sensor.shape[2])
        )
        for a in range(R.shape[1])
    )


def _value_of_impossible(b, P, sensor, R, gamma, steps):
    """Divides by zero where an observation is impossible."""
    if steps == 0:
        return 0.0
    values = []
    for a in range(R.shape[1]):
        v = b @ R[:, a]
        for z in range(sensor.shape[2]):
            x = sensor[a, :, z] * (b @ P[:, a])
            v = v + gamma * x.sum() * _value_of_impossible(x / x.sum(), P, sensor, R, gamma, steps - 1)
        values.append(v)
    return max(values)


WRONG = {
    "32.a": [((2187, 36), ""), ((36, 216), "histories of three steps"), ((42, 2187), "one and of two steps")],
    "32.b": [((0.38, 0.6316), ""), ((0.425, 0.5), ""), ((0.7083, 0.36), "This ear has 0.8")],
    "32.c": [(_update_in_place, "")],
    "32.d": [((4.5, 90), ""), ((-94.5, 0.1), "")],
    "32.e": [((-16.0575, 6.9325), "")],
    "32.f": [(({0, 2}, 4), ""), (({3, 4}, 4), "can go")],
    "32.g": [((189, 0.9), "")],
    "32.h": [((5.5, 0), "")],
    "32.1": [(lambda a, t: 2, ""), (lambda a, t: 1, "")],
    "32.4": [
        (_value_of_impossible, ""),
    ],
}

RIGHT = {
    "32.a": [(36, 2187.0), (np.int64(36), [2187])],
    "32.b": [(0.632, 0.38), (12 / 19, np.float32(0.38))],
    "32.c": [_update_by_loops],
    "32.d": [(4.5, 0.9)],
    "32.e": [(6.93, -16.06)],
    "32.f": [([2, 0, 1], 4), ((0, 1, 2), 4.0), (np.array([True, True, True, False, False]), 4)],
    "32.h": [(0, 5.5)],
    "32.1": [_growls_by_logarithm],
    "32.2": [_backup_by_einsum],
    "32.3": [_sweep_by_einsum],
    "32.4": [_value_without_chance],
}

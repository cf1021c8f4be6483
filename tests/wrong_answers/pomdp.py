"""Chapter 32: wrong answers that no table holds, with words that the check must say, and right ones of another form."""

import math

import numpy as np

from mlteach.exercises import pomdp as right


def _update_by_loops(b, P, sensor, z):
    new = [sensor[t][z] * sum(P[s][t] * b[s] for s in range(len(b))) for t in range(len(b))]
    return [x / sum(new) for x in new]


def _update_then_move(b, P, sensor, z):
    """Weighs the state that was left."""
    joint = sensor[:, z] * b
    return joint / joint.sum() @ P


def _update_in_place(b, P, sensor, z):
    b[:] = sensor[:, z] * (b @ P)
    b /= b.sum()
    return b


def _growls_by_logarithm(accuracy, threshold):
    odds = threshold / (1 - threshold)
    return np.int64(max(0, math.ceil(math.log(odds) / math.log(accuracy / (1 - accuracy)) - 1e-9)))


def _growls_rounded_down(accuracy, threshold):
    return int(math.log(threshold / (1 - threshold)) / math.log(accuracy / (1 - accuracy)))


def _growls_more_than(accuracy, threshold):
    k, p = 0, 0.5
    while p <= threshold:
        p = accuracy * p / (accuracy * p + (1 - accuracy) * (1 - p))
        k += 1
    return k


def _backup_by_einsum(P, sensor, r, gamma, after):
    return np.float32(r + gamma * np.einsum("st,tz,zt->s", P, sensor, after)).tolist()


def _backup_old_state(P, sensor, r, gamma, after):
    """The value of the state that was left: s for s'."""
    return r + gamma * sum(sensor[:, z] * after[z] for z in range(sensor.shape[1]))


def _backup_best_plan_of_all(P, sensor, r, gamma, after):
    """One plan for all observations."""
    return r + gamma * P @ after.max(axis=0)


def _sweep_by_einsum(Q, P, sensor, R, gamma):
    return (R + gamma * np.einsum("sat,atz,tb->sazb", P, sensor, Q).max(axis=3).sum(axis=2)).tolist()


def _sweep_one_action_for_all(Q, P, sensor, R, gamma):
    """The same next action whatever is observed."""
    return R + gamma * np.einsum("sat,atz,tb->sab", P, sensor, Q).max(axis=2)


def _sweep_is_qmdp(Q, P, sensor, R, gamma):
    return R + gamma * P @ Q.max(axis=1)


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


def _value_of_the_old_state(b, P, sensor, R, gamma, steps):
    if steps == 0:
        return 0.0
    values = []
    for a in range(R.shape[1]):
        v = b @ R[:, a]
        for z in range(sensor.shape[2]):
            x = (sensor[a, :, z] * b) @ P[:, a]
            if x.sum() > 0:
                v = v + gamma * x.sum() * _value_of_the_old_state(x / x.sum(), P, sensor, R, gamma, steps - 1)
        values.append(v)
    return max(values)


def _value_one_step_late(b, P, sensor, R, gamma, steps):
    return right.plan_value(b, P, sensor, R, gamma, steps + 1)


WRONG = {
    "32.a": [((2187, 36), ""), ((36, 216), "histories of three steps"), ((42, 2187), "one and of two steps")],
    "32.b": [((0.38, 0.6316), ""), ((0.425, 0.5), ""), ((0.7083, 0.36), "This ear has 0.8")],
    "32.c": [(_update_then_move, "the state that was left"), (_update_in_place, "")],
    "32.d": [((4.5, 90), ""), ((-94.5, 0.1), "")],
    "32.e": [((-16.0575, 6.9325), "")],
    "32.f": [(({0, 2}, 4), ""), (({3, 4}, 4), "can go")],
    "32.g": [((189, 0.9), "")],
    "32.h": [((5.5, 0), "")],
    "32.1": [(_growls_rounded_down, ""), (_growls_more_than, "at least"), (lambda a, t: 2, ""), (lambda a, t: 1, "")],
    "32.2": [(_backup_old_state, ""), (_backup_best_plan_of_all, "")],
    "32.3": [(_sweep_is_qmdp, "QMDP"), (_sweep_one_action_for_all, "each z has a maximum of its own")],
    "32.4": [
        (_value_one_step_late, ""),
        (_value_of_impossible, ""),
        (_value_of_the_old_state, "the state that was left"),
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

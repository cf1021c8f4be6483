"""REINFORCE in the short corridor with plain numbers, for pictures that must follow a slider.

`climb_corridor` is `reinforce` with a softmax policy of two weights in a `ShortCorridor`: a test compares the two step
by step. It is thirty times as fast, because in this world everything that matters is one probability.
"""

import math

import numpy as np

GOES = ((0, 1), (2, 0), (1, 3))  # where left and right lead from the three cells


def climb_corridor(alpha, theta, episodes, seed, *, learn=True, beta=0.1, max_steps=100):
    """Return the probability of right (episodes + 1,) before the first and after each episode.

    ``theta`` is where it starts, ``seed`` that of its draws; ``learn=False`` keeps the baseline at 0, ``beta`` is the
    step size of one that is learnt.
    """
    rng = np.random.default_rng(seed)
    rng.integers(2**31)  # what `reinforce` draws for the world, which needs no chance
    left, right, w, history = float(theta[0]), float(theta[1]), 0.0, []
    draws, used = rng.random(4096).tolist(), 0
    for _ in range(episodes):
        p = 1 / (1 + math.exp(min(left - right, 700.0)))
        history.append(p)
        if used + max_steps > len(draws):
            draws, used = draws[used:] + rng.random(4096).tolist(), 0
        s, actions = 0, []
        while s != 3 and len(actions) < max_steps:
            a = int(draws[used] >= 1 - p)
            used += 1
            s = GOES[s][a]
            actions.append(a)
        T = len(actions)
        # Undiscounted, -1 a step: what is still to come at step t is -(T - t)
        slope = sum((-(T - t) - w) * (a - p) for t, a in enumerate(actions))
        left, right = left - alpha * slope, right + alpha * slope
        if learn:
            w += beta * (-(T + 1) / 2 - w)
    history.append(1 / (1 + math.exp(min(left - right, 700.0))))
    return np.array(history)

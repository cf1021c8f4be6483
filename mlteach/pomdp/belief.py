"""The belief, and how an action and an observation change it: a filter with actions (sections 32.3 and 32.4)."""

from typing import NamedTuple

import numpy as np

from mlteach.pomdp.model import as_belief


class Branch(NamedTuple):
    """One thing that may be observed after an action."""

    observation: object
    probability: float  # P(z | b, a)
    belief: np.ndarray  # (S,), SE(b, a, z)


def belief_update(pomdp, belief, action, observation):
    """Return the belief (S,) after an action and what was observed: the state estimator SE(b, a, z).

    b'(s') = o(z | s', a) sum_s p(s' | s, a) b(s) / P(z | b, a)        (32.4)

    ``observation`` is that z.

    >>> from mlteach.pomdp import tiger
    >>> b = belief_update(tiger(), [0.5, 0.5], "listen", "left")
    >>> b.round(6).tolist(), belief_update(tiger(), b, "listen", "left").round(6).tolist()
    ([0.85, 0.15], [0.969799, 0.030201])
    """
    b, a, z = as_belief(pomdp, belief), pomdp.action(action), pomdp.observed(observation)
    # 1. Predict: where does the action lead?
    predicted = b @ pomdp.P[:, a]
    # 2. Weigh each state reached by how likely it makes the observation
    joint = pomdp.O[a, :, z] * predicted
    # 3. Divide by the probability of the observation
    total = joint.sum()
    if total <= 0:
        raise ValueError(
            f"observation {pomdp.observations[z]!r} is impossible after action {pomdp.actions[a]!r} from this belief: "
            "its probability is 0. Is it the right observation, or a zero in the table that should be small?"
        )
    return joint / total


def observation_probabilities(pomdp, belief, action):
    """Return P(z | b, a) for every observation (Z,).

    P(z | b, a) = sum_s' o(z | s', a) sum_s p(s' | s, a) b(s)          (32.3)

    ``belief`` (S,) is b, ``action`` is a.
    """
    a = pomdp.action(action)
    return as_belief(pomdp, belief) @ pomdp.P[:, a] @ pomdp.O[a]


def branches(pomdp, belief, action):
    """Return what may follow an action from a belief: tau(b, a, .) as a list of `Branch`, impossible ones left out."""
    chances = observation_probabilities(pomdp, belief, action)
    return [
        Branch(pomdp.observations[z], float(p), belief_update(pomdp, belief, action, pomdp.observations[z]))
        for z, p in enumerate(chances)
        if p > 0
    ]


def belief_reward(pomdp, belief, action):
    """Return rho(b, a) = sum_s b(s) r(s, a)                           (32.6)

    ``belief`` (S,) is b, ``action`` is a.

    >>> from mlteach.pomdp import tiger
    >>> belief_reward(tiger(), [0.5, 0.5], "open left")
    -45.0
    """
    return float(as_belief(pomdp, belief) @ pomdp.R[:, pomdp.action(action)])


def belief_walk(pomdp, belief, actions, observations):
    """Return the beliefs (T + 1, S) of a walk, the first one included.

    ``belief`` (S,) is the first, ``actions`` and ``observations`` (T,) are what follows.

    >>> from mlteach.pomdp import tiger
    >>> belief_walk(tiger(), [0.5, 0.5], ["listen"] * 2, ["left", "right"]).round(6).tolist()
    [[0.5, 0.5], [0.85, 0.15], [0.5, 0.5]]
    """
    if len(actions) != len(observations):
        raise ValueError(f"each action needs its observation; got {len(actions)} and {len(observations)}.")
    walk = [as_belief(pomdp, belief)]
    for a, z in zip(actions, observations):
        walk.append(belief_update(pomdp, walk[-1], a, z))
    return np.array(walk)

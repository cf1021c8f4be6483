"""Episodes: played from start to end, and read backwards (sections 28.2 and 28.11.2)."""

from typing import NamedTuple

import numpy as np

from mlteach.validation import as_array, check_choice, check_integer, check_number

CUTS = ("bootstrap", "drop", "complete")


class Episode(NamedTuple):
    """What happened: in ``states[t]`` the agent took ``actions[t]`` and was paid ``rewards[t]``."""

    states: list
    actions: list
    rewards: list
    last: object  # the observation in which it ended
    terminated: bool  # False: it was cut off, and more would have come


def play(env, act, s, max_steps=10_000):
    """Play one episode from the observation ``s``, with actions ``act(s)``, and return it."""
    states, actions, rewards = [], [], []
    step, terminated = env.step, False
    for _ in range(max_steps):
        a = act(s)
        states.append(s)
        actions.append(a)
        s, r, terminated, truncated, _ = step(a)
        rewards.append(r)
        if terminated or truncated:
            break
    return Episode(states, actions, rewards, s, bool(terminated))


def discounted_returns(rewards, gamma=1.0, tail=0.0):
    """Return the return after each step, backwards: G_t = R_{t+1} + gamma * G_{t+1}   (28.1).

    ``tail`` is what the end is worth: 0 where the episode has terminated.

    ``rewards`` are R_1, R_2, ...

    >>> discounted_returns([1, 2, 3], gamma=0.5)
    array([2.75, 3.5 , 3.  ])
    """
    rewards, gamma = as_array(rewards, "rewards", ndim=1), check_number(gamma, "gamma", low=0, high=1)
    G, found = check_number(tail, "tail"), np.empty(len(rewards))
    for t in range(len(rewards) - 1, -1, -1):
        G = rewards[t] + gamma * G
        found[t] = G
    return found


def first_visits(keys):
    """Return a dict from each key to the first place where it stands.

    ``keys`` are the states, or pairs of state and action, in the order in which they came.

    >>> first_visits("abba")
    {'a': 0, 'b': 1}
    """
    n = len(keys)
    return dict(zip(reversed(keys), range(n - 1, -1, -1)))


class Settings(NamedTuple):
    """What all learners of the chapter are told, checked once."""

    episodes: int
    gamma: float
    cut: str
    alpha: float | None
    initial: float
    at: frozenset
    max_steps: int


def settings(episodes, gamma, cut, alpha, initial, at, max_steps):
    """Check what all learners are told."""
    episodes = check_integer(episodes, "episodes", low=1)
    if alpha is not None:
        alpha = check_number(alpha, "alpha", low=0, high=1, open_low=True)
    return Settings(
        episodes,
        check_number(gamma, "gamma", low=0, high=1),
        check_choice(cut, "cut", CUTS),
        alpha,
        check_number(initial, "initial"),
        frozenset(check_integer(k, "at", low=1) for k in at),
        check_integer(max_steps, "max_steps", low=1),
    )


def seed_of(rng):
    """Return a seed for the world, so that world and agent draw from different streams."""
    return int(rng.integers(2**31))


def as_table(env, found, empty):
    """Return a dict from observations as an array where they are whole numbers, with ``empty`` where none is known."""
    n = getattr(getattr(env, "observation_space", None), "n", None)
    if n is None and found and all(isinstance(s, int | np.integer) for s in found):
        n = 1 + max(found)
    if n is None:
        return {s: np.array(v) if isinstance(v, list) else v for s, v in found.items()}
    table = np.full((int(n), *np.shape(empty)), empty, dtype=np.asarray(empty).dtype)
    for s, v in found.items():
        table[s] = v
    return table

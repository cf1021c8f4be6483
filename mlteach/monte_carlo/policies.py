"""Policies in every form that an agent may be given: none, a function, an array, a dict (section 28.2)."""

import numpy as np

from mlteach.validation import as_array, check_integer, check_number


def as_probabilities(policy, n_actions, name="policy"):
    """Return a policy as a function from an observation to the probabilities (n_actions,) of its actions.

    policy   None (every action alike); a function of the observation, an array or a dict, each with an action or with
             probabilities for every state

    ``name`` is what messages call it.

    >>> as_probabilities([1, 0], 2)(0)
    array([0., 1.])
    """
    if policy is None:
        uniform = np.full(n_actions, 1 / n_actions)
        return lambda s: uniform
    look = reader(policy, name)
    kept = {}

    def probabilities(s):
        given = look(s)
        if np.ndim(given) == 0:
            action = _action(given, s, n_actions, name)
            if action not in kept:
                kept[action] = np.eye(n_actions)[action]
            return kept[action]
        return _weights(given, s, n_actions, name)

    return probabilities


def as_actor(policy, n_actions, uniform, name="policy"):
    """Return a policy as a function from an observation to an action; ``uniform()`` gives random numbers in [0, 1).

    There are ``n_actions``; ``name`` is what messages call the policy.
    """
    if policy is None:
        return lambda s: int(uniform() * n_actions)
    look = reader(policy, name)
    drawn = {}  # from probabilities that were seen, as a tuple, to their running sums

    def act(s):
        given = look(s)
        if type(given) is int and 0 <= given < n_actions:
            return given
        if np.ndim(given) == 0:
            return _action(given, s, n_actions, name)
        key = tuple(given)
        sums = drawn.get(key)
        if sums is None:
            sums = drawn[key] = np.cumsum(_weights(given, s, n_actions, name)).tolist()
        u = uniform() * sums[-1]
        for a, limit in enumerate(sums):
            if u < limit:
                return a
        return n_actions - 1

    return act


def soft_greedy(q, epsilon):
    """Return the probabilities (A,) of the epsilon-greedy policy for values ``q`` (A,); equal ones share (28.10).

    >>> soft_greedy([1, 3], 0.2)
    array([0.1, 0.9])
    """
    q, epsilon = as_array(q, "q", ndim=1), check_number(epsilon, "epsilon", low=0, high=1)
    top = q == q.max()
    return epsilon / len(q) + (1 - epsilon) * top / top.sum()


def uniforms(rng, block=512):
    """Return a function that gives the next random number in [0, 1); numbers are drawn in blocks, which is fast."""

    def numbers():
        while True:
            yield from rng.random(block).tolist()

    return numbers().__next__


def reader(policy, name):
    """Return a function from an observation to what the policy holds for it."""
    if callable(policy):
        return policy
    if isinstance(policy, dict):
        table = policy
    else:
        array = as_array(policy, name)
        if array.ndim not in (1, 2):
            raise ValueError(f"{name} must hold actions (S,) or probabilities (S, A); got shape {array.shape}.")
        table = dict(enumerate(array.astype(int).tolist() if (array.ndim == 1) and _whole(array) else array.tolist()))

    def look(s):
        try:
            return table[s]
        except KeyError:
            raise ValueError(f"{name} says nothing about state {s!r}; it knows {len(table)} states.") from None

    return look


def _whole(array):
    return (array == np.floor(array)).all()


def _action(given, s, n_actions, name):
    """Return an action as an int; True is 1."""
    try:
        number = float(given)
    except (TypeError, ValueError):  # None, a word
        number = np.nan
    if not (0 <= number < n_actions and number == np.floor(number)):
        raise ValueError(f"{name} must choose one of the actions 0 to {n_actions - 1}; in {s!r} it says {given!r}.")
    return int(number)


def _weights(given, s, n_actions, name):
    """Return probabilities (n_actions,), checked."""
    weights = np.asarray(given, dtype=float)
    if weights.shape != (n_actions,) or not (weights >= 0).all() or abs(weights.sum() - 1) > 1e-8:
        raise ValueError(
            f"{name} must give {n_actions} probabilities that sum to one; in {s!r} it gives {np.asarray(given)}."
        )
    return weights


def count_actions(env):
    """Return the number of actions of an environment, or say what it lacks."""
    n = getattr(getattr(env, "action_space", None), "n", None)
    if n is None or not callable(getattr(env, "step", None)) or not callable(getattr(env, "reset", None)):
        raise TypeError(
            "env must have reset(seed=...), step(action) and action_space.n, as in Gymnasium; "
            f"got {type(env).__name__}."
        )
    return check_integer(int(n), "action_space.n", low=1)

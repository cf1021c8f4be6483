"""States that are not seen, actions, signs of the state, rewards: the partially observable process (section 32.2)."""

import numpy as np

from mlteach.mdp import MDP
from mlteach.validation import as_array, check_number, is_hashable


class POMDP:
    """A finite Markov decision process whose state is not seen.

        Transitions    p(s' | s, a) = transition[s, a, s']
        Observations   o(z | s', a) = observation[a, s', z],  s' the state that was reached
        Rewards        r(s, a) = reward[s, a]

    Parameters
    ----------
    transition : (S, A, S) probabilities
    observation : (A, S, Z) probabilities
    reward : (S, A)
    gamma : discount, from 0 to 1
    states, actions, observations : names; numbers where none are given

    Attributes
    ----------
    P, O, R : the three arrays
    n_states, n_actions, n_observations, gamma, states, actions, observations

    >>> coin = POMDP([[[1, 0]], [[0, 1]]], [[[0.9, 0.1], [0.4, 0.6]]], [[1], [0]], 0.5, states=("fair", "bent"))
    >>> coin
    POMDP of 2 states, 1 action, 2 observations, gamma = 0.5
    """

    def __init__(self, transition, observation, reward, gamma, states=None, actions=None, observations=None):
        self.P = _read(transition, "transition", 3, "(S, A, S): state, action, next state")
        S, A = self.P.shape[:2]
        if self.P.shape[2] != S:
            remedy = " That is (A, S, S): use transition.transpose(1, 0, 2)." if A == self.P.shape[2] else ""
            raise ValueError(
                f"transition must have shape (S, A, S): state, action, next state; got {self.P.shape}.{remedy}"
            )
        self.O = _read(observation, "observation", 3, "(A, S, Z): action, state reached, observation")
        if self.O.shape[:2] != (A, S):
            remedy = " That is (S, A, Z): use observation.transpose(1, 0, 2)." if self.O.shape[:2] == (S, A) else ""
            raise ValueError(f"observation must have shape ({A}, {S}, Z): action, state reached, observation; "
                             f"got {self.O.shape}.{remedy}")  # fmt: skip
        self.R = _read(reward, "reward", 2, "(S, A): state, action")
        if self.R.shape != (S, A):
            remedy = " Use reward.T." if self.R.shape == (A, S) else ""
            raise ValueError(f"reward must have shape ({S}, {A}), state by action; got {self.R.shape}.{remedy}")
        self.gamma = check_number(gamma, "gamma", low=0, high=1)
        self.states = _names(states, S, "states")
        self.actions = _names(actions, A, "actions")
        self.observations = _names(observations, self.O.shape[2], "observations")
        self.n_states, self.n_actions, self.n_observations = S, A, self.O.shape[2]
        _check_rows(self.P, "transition", ("state", self.states), ("action", self.actions))
        _check_rows(self.O, "observation", ("action", self.actions), ("state reached", self.states))

    def __repr__(self):
        """Say how large it is."""
        sizes = [(self.n_states, "state"), (self.n_actions, "action"), (self.n_observations, "observation")]
        words = ", ".join(f"{n} {noun}{'s' * (n != 1)}" for n, noun in sizes)
        return f"POMDP of {words}, gamma = {self.gamma:g}"

    def mdp(self):
        """Return the process with its state in sight (chapter 27)."""
        return MDP(self.P, self.R, self.gamma, states=self.states, actions=self.actions)

    def with_sensor(self, observation, observations=None):
        """Return the same process seen through another sensor (A, S, Z)."""
        return POMDP(self.P, observation, self.R, self.gamma, states=self.states, actions=self.actions,
                     observations=observations)  # fmt: skip

    def blindfolded(self):
        """Return the same process with a sensor that says nothing: one observation, always the same."""
        return self.with_sensor(np.ones((self.n_actions, self.n_states, 1)), ("nothing",))

    def action(self, a):
        """Return the number of an action, given by name or number."""
        return _number(a, self.actions, "action")

    def observed(self, z):
        """Return the number of an observation, given by name or number."""
        return _number(z, self.observations, "observation")


def as_belief(pomdp, belief, name="belief"):
    """Return a belief as probabilities (S,), or say why it is none; a dict may name the states.

    >>> from mlteach.pomdp import tiger
    >>> as_belief(tiger(), {"left": 0.75, "right": 0.25}).tolist()
    [0.75, 0.25]
    """
    if isinstance(belief, dict):
        unknown = [state for state in belief if state not in pomdp.states]
        if unknown:
            raise ValueError(f"{name} names the state {unknown[0]!r}; the states are {_list(pomdp.states)}.")
        belief = [belief.get(state, 0.0) for state in pomdp.states]
    b = as_array(belief, name)
    if b.shape != (pomdp.n_states,):
        remedy = (
            f" Use [1 - p, p] for one probability p of {pomdp.states[1]!r}."
            if b.ndim == 0 and pomdp.n_states == 2
            else ""
        )
        raise ValueError(f"{name} must hold one probability for each of the {pomdp.n_states} states; "
                         f"got shape {b.shape}.{remedy}")  # fmt: skip
    if (b < 0).any():
        s = int(np.argmax(b < 0))
        raise ValueError(f"{name} must not be negative; that of state {pomdp.states[s]!r} is {b[s]:g}.")
    if abs(b.sum() - 1) > 1e-8:
        raise ValueError(f"{name} must sum to one; it sums to {b.sum():.6g}. Divide it by its sum.")
    return b


def as_beliefs(belief, n_states, name="belief"):
    """Return one belief (S,) or many (n, S) as an array, or say which shape is wanted."""
    b = as_array(belief, name)
    if b.ndim not in (1, 2) or b.shape[-1] != n_states:
        raise ValueError(f"{name} must have shape ({n_states},), or (n, {n_states}) for many; got {b.shape}.")
    return b


def below_one(pomdp, what):
    """Refuse gamma = 1 where the horizon has no end."""
    if pomdp.gamma == 1:
        raise ValueError(
            f"{what} needs gamma < 1, since nothing ends; got gamma = 1. Give a horizon, or another gamma."
        )


def _read(values, name, ndim, form):
    array = as_array(values, name)
    if array.ndim != ndim:
        raise ValueError(f"{name} must have shape {form}; got {array.shape}.")
    return array


def _check_rows(table, name, first, second):
    """Say which row is no distribution: ``first`` and ``second`` are what its two indices mean, and their names."""
    for bad, words in ((table < 0).any(axis=2), "must not be negative"), (np.abs(table.sum(axis=2) - 1) > 1e-8, ""):
        if bad.any():
            i, j = (int(k) for k in np.argwhere(bad)[0])
            place = f"({first[0]} {first[1][i]!r}, {second[0]} {second[1][j]!r})"
            if words:
                raise ValueError(f"{name} {words}; {name}[{i}, {j}] has {table[i, j].min():g} {place}.")
            total = table[i, j].sum()
            raise ValueError(f"{name}[{i}, {j}] must sum to one; it sums to {total:.6g} {place}.")


def _names(names, n, what):
    if names is None:
        return list(range(n))
    names = list(names)
    if len(names) != n:
        raise ValueError(f"{what} must hold {n} names; got {len(names)}.")
    if not all(is_hashable(name) for name in names) or len(set(names)) != n:
        raise ValueError(f"{what} must be different names, text or numbers; got {_list(names)}.")
    return names


def _number(value, names, what):
    """Return the place of a name; a whole number is a place where the names are no numbers."""
    if np.ndim(value) == 0 and is_hashable(value) and value in names:
        return names.index(value)
    whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if whole and 0 <= value < len(names):
        return int(value)
    raise ValueError(f"unknown {what} {value!r}; the {what}s are {_list(names)}.")


def _list(names):
    return ", ".join(map(repr, names))

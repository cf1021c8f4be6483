"""What all learners of the chapter share: a world that is walked, a table that grows, and a choice of actions.

A learner's own file holds its lecture: five lines inside two loops. Here stands what would bury them: reading the
arguments, drawing random numbers in stock (one call of numpy for a thousand steps), counting, and the form of the
answer. Plain lists and floats are used on purpose: for rows of four numbers they are several times faster than arrays.
"""

import math
import numbers
from typing import NamedTuple

import numpy as np

from mlteach.validation import as_array, as_rng, check_choice, check_integer, check_number, is_hashable

STOCK = 1024  # random numbers drawn at once


class Step(NamedTuple):
    """One step of a learner in its world, and what it made of it."""

    episode: int
    state: object
    action: int
    reward: float
    next_state: object
    terminated: bool
    truncated: bool
    target: float  # what the value of (state, action), or of the state, was moved towards
    value: float  # that value afterwards
    table: int = 0  # double Q-learning: which of the two tables
    traces: dict | None = None  # methods with traces: what the error was sent back to, and with which weight


class Learned(NamedTuple):
    """What a control method has learned."""

    Q: object  # (S, A) where the states are whole numbers, else a dict from observation to array (A,)
    returns: np.ndarray  # (episodes,) sum of the rewards of each episode, not discounted
    lengths: np.ndarray  # (episodes,) its number of steps
    history: list  # of `Step`, if it was asked for
    tables: tuple = ()  # double Q-learning: its two tables, whose mean is Q


class Evaluated(NamedTuple):
    """What a method of evaluation has learned of a policy."""

    V: object  # (S,) where the states are whole numbers, else a dict from observation to number
    returns: np.ndarray
    lengths: np.ndarray
    history: list


class Table(dict):
    """Values by state, made when a state is first met; ``new(state)`` is what a new one holds."""

    def __init__(self, new):
        super().__init__()
        self.new = new

    def __missing__(self, state):
        value = self[state] = self.new(state)
        return value


class Walk:
    """Episodes of an agent in a world with Gymnasium's ``reset`` and ``step``.

    ``over`` says whether the episode has ended, in whichever way. A step returns only what the agent may learn from:
    the next state, the reward, and whether the world has *terminated*. One that was cut short (truncated, or after
    ``max_steps``) goes on in thought: its last state has a value.
    """

    def __init__(self, env, episodes, gamma, rng, max_steps, history):
        self.env, self.n_actions = env, _count_actions(env)
        self.episodes = check_integer(episodes, "episodes", low=1)
        self.gamma = check_number(gamma, "gamma", low=0, high=1)
        self.max_steps = math.inf if max_steps is None else check_integer(max_steps, "max_steps", low=1)
        self.rng = as_rng(rng)
        self.draw = uniform_numbers(self.rng)
        self.history = [] if check_choice(history, "history", (True, False)) else None
        self.returns, self.lengths, self.ends = [], [], set()
        self.episode, self.over = -1, True

    def starts(self):
        """Yield the first state of each episode."""
        seed = int(self.rng.integers(2**31))  # the world draws from a stream of its own
        for k in range(self.episodes):
            self.episode = k
            s, _ = self.env.reset(seed=seed) if k == 0 else self.env.reset()
            if k == 0:
                _check_state(s)
            self.over, self.total, self.length = False, 0.0, 0
            yield s
            if not math.isfinite(self.total):
                raise ValueError(f"rewards must be finite; those of episode {k} sum to {self.total}.")
            self.returns.append(self.total)
            self.lengths.append(self.length)

    def step(self, a):
        """Do ``a``; return the next state, the reward, and whether the world has terminated."""
        s2, r, terminated, truncated, _ = self.env.step(a)
        self.total += r
        self.length += 1
        if terminated:
            self.over = True
            self.ends.add(s2)
        elif truncated or self.length >= self.max_steps:
            self.over = True
        return s2, r, terminated

    def note(self, s, a, r, s2, terminated, target, value, table=0, traces=None):
        """Keep the record of a step, if a history is wanted."""
        if self.history is not None:
            cut = bool(self.over and not terminated)
            self.history.append(
                Step(self.episode, s, a, float(r), s2, bool(terminated), cut, target, value, table, traces)
            )

    def counts(self):
        """Return sums of rewards and numbers of steps of all episodes, and the history."""
        return np.array(self.returns, float), np.array(self.lengths, int), self.history or []


class Control(Walk):
    """A walk with a table Q, actions chosen epsilon-greedily, and a step size."""

    def __init__(self, env, episodes, alpha, gamma, epsilon, rng, initial, max_steps, history):
        super().__init__(env, episodes, gamma, rng, max_steps, history)
        self.possible = possible_actions(env, self.n_actions)
        self.new_row = _rows(initial, self.n_actions, self.possible, _count_states(env))
        self.Q = Table(self.new_row)
        self.epsilon_of = _schedule(epsilon, "epsilon", low=0)
        self.epsilon = self.epsilon_of(0)
        self.rate = step_size(alpha)

    def starts(self):
        """Yield the first state of each episode; epsilon may change from one to the next."""
        for s in super().starts():
            self.epsilon = self.epsilon_of(self.episode)
            yield s

    def choose(self, s):
        """Return an epsilon-greedy action: with probability epsilon any, else one of the best, ties at random."""
        draw = self.draw
        if draw() < self.epsilon:
            if self.possible is None:
                return int(draw() * self.n_actions)
            some = self.possible(s)
            return some[int(draw() * len(some))]
        return best_action(self.Q[s], draw)

    def expected(self, s):
        """Return sum_a pi(a | s) Q(s, a) of the epsilon-greedy policy: (1 - epsilon) max + epsilon mean."""
        row = self.Q[s]
        some = row if self.possible is None else [row[a] for a in self.possible(s)]
        return (1 - self.epsilon) * max(row) + self.epsilon * sum(some) / len(some)

    def learn(self, s, a, target):
        """Move Q(s, a) towards the target; return the new value."""
        row = self.Q[s]
        row[a] += self.rate(s, a) * (target - row[a])
        return row[a]

    def table(self, Q=None):
        """Return a table in the form of the answer."""
        Q, n = self.Q if Q is None else Q, self.n_actions
        return _answer(Q, self.env, self.new_row, self.ends, lambda row: np.array(row, float), np.zeros(n))

    def result(self):
        """Return what was learned."""
        return Learned(self.table(), *self.counts())


class Prediction(Walk):
    """A walk with a table V, under a policy that is given."""

    def __init__(self, env, policy, episodes, alpha, gamma, rng, initial, max_steps, history):
        super().__init__(env, episodes, gamma, rng, max_steps, history)
        self.act = as_actor(policy, env, self.draw)
        self.V = Table(_numbers(initial, _count_states(env)))
        self.rate = step_size(alpha)

    def learn(self, s, target):
        """Move V(s) towards the target; return the new value."""
        V = self.V
        V[s] += self.rate(s, None) * (target - V[s])
        return V[s]

    def result(self):
        """Return what was learned."""
        return Evaluated(_answer(self.V, self.env, self.V.new, self.ends, float, 0.0), *self.counts())


def uniform_numbers(rng):
    """Return a function that gives one uniform number of [0, 1) at each call, drawn in stock."""

    def stock():
        while True:
            yield from rng.random(STOCK).tolist()

    return stock().__next__


def best_action(row, draw):
    """Return the place of the largest number of a row; among equals, one at random."""
    best = max(row)
    n = row.count(best)
    if n == 1:
        return row.index(best)
    k = int(draw() * n)
    return [a for a, q in enumerate(row) if q == best][k]


def as_actor(policy, env, draw):
    """Return a function from state to action.

    ``policy`` is None (any action alike), actions (S,), probabilities (S, A), or a function of the observation that
    returns an action.
    """
    n = _count_actions(env)
    if policy is None:
        possible = possible_actions(env, n)
        if possible is None:
            return lambda s: int(draw() * n)
        return lambda s: possible(s)[int(draw() * len(possible(s)))]
    if callable(policy):
        return policy
    given = np.asarray(policy)
    if given.ndim == 1:
        actions = as_array(policy, "policy", ndim=1)
        if not (np.isin(actions, np.arange(n))).all():
            raise ValueError(f"policy must hold actions, whole numbers from 0 to {n - 1}; got {actions.tolist()}.")
        _check_rows(actions, "policy", _count_states(env))
        return actions.astype(int).tolist().__getitem__
    chances = as_array(policy, "policy", ndim=2)
    if chances.shape[1] != n or (chances < 0).any() or np.abs(chances.sum(axis=1) - 1).max() > 1e-8:
        raise ValueError(
            f"policy must hold one action for each state, or probabilities (S, {n}) whose rows sum to one; "
            f"got shape {chances.shape} with sums from {chances.sum(axis=1).min():.6g} "
            f"to {chances.sum(axis=1).max():.6g}."
        )
    _check_rows(chances, "policy", _count_states(env))
    limits = np.cumsum(chances, axis=1).tolist()
    last = [int(np.flatnonzero(row)[-1]) for row in chances]

    def act(s):
        u = draw()
        for a, limit in enumerate(limits[s]):
            if u < limit:
                return a
        return last[s]  # the limits may fall short of 1 by rounding

    return act


def possible_actions(env, n):
    """Return a function from a state to its actions if a table ``env.P`` lists fewer than ``n`` of some, else None."""
    P = getattr(env, "P", None)
    if not isinstance(P, dict) or all(len(row) == n for row in P.values()):
        return None
    return {s: sorted(row) for s, row in P.items()}.__getitem__


def _count_actions(env):
    for name in ("reset", "step", "action_space"):
        if not hasattr(env, name):
            raise ValueError(f"env must have Gymnasium's reset, step and action_space; {env!r} has no {name}.")
    n = getattr(env.action_space, "n", None)
    if not isinstance(n, numbers.Integral):
        raise ValueError(f"env must have a finite number of actions, action_space.n; got {env.action_space!r}.")
    return int(n)


def _count_states(env):
    """Return the number of states if the world says it, else 0."""
    n = getattr(getattr(env, "observation_space", None), "n", 0)
    return int(n) if isinstance(n, numbers.Integral) else 0


def _check_rows(array, name, n):
    if len(array) < n:
        raise ValueError(f"{name} must have an entry for each of the {n} states; got {len(array)}.")


def _check_state(s):
    if not is_hashable(s):
        raise ValueError(
            f"a table needs observations that can be hashed: numbers, text, tuples; got {type(s).__name__}. "
            "Make a tuple of it, or cut it into cells."
        )


def _schedule(value, name, *, low, open_low=False):
    """Return a function of the episode's number; a plain number is the same in all of them."""
    if callable(value):
        return lambda k: check_number(value(k), f"{name}({k})", low=low, high=1, open_low=open_low)
    number = check_number(value, name, low=low, high=1, open_low=open_low)
    return lambda k: number


def step_size(alpha):
    """Return a function of (s, a): the step size, where ``alpha`` may be a function of the *earlier* visits to it."""
    if not callable(alpha):
        number = check_number(alpha, "alpha", low=0, high=1, open_low=True)
        return lambda s, a: number
    visits = {}

    def rate(s, a):
        n = visits.get((s, a), 0)
        visits[s, a] = n + 1
        return check_number(alpha(n), f"alpha({n})", low=0, high=1, open_low=True)

    return rate


def one_over_visits(n):
    """Return 1 / (1 + n) for ``n`` earlier visits: the value is then the mean of all targets so far (29.3).

    >>> [one_over_visits(n) for n in range(3)]
    [1.0, 0.5, 0.3333333333333333]
    """
    return 1 / (1 + n)


def _rows(initial, n, possible, states):
    """Return a function from a state to its first row of Q: -inf where an action is not possible."""
    start = _initial(initial, (n,), states)

    def new(s):
        value = start(s)
        row = [float(value)] * n if np.ndim(value) == 0 else np.asarray(value, float).tolist()
        if possible is not None:
            some = possible(s)
            row = [q if a in some else -math.inf for a, q in enumerate(row)]
        return row

    return new


def _numbers(initial, states):
    start = _initial(initial, (), states)
    return lambda s: float(start(s))


def _initial(initial, shape, states):
    """Return a function from a state to its first value: one number for all, an array by state, or a dict."""
    if isinstance(initial, dict):
        for s, value in initial.items():
            if np.shape(value) != shape:
                raise ValueError(f"initial[{s!r}] must have shape {shape}; got {np.shape(value)}.")
        return lambda s: initial.get(s, 0.0)
    if np.ndim(initial) == 0:
        number = check_number(initial, "initial")
        return lambda s: number
    array = as_array(initial, "initial", ndim=1 + len(shape))
    if array.shape[1:] != shape:
        raise ValueError(f"initial must be one number, or have shape (S, {shape[0]}); got {array.shape}.")
    _check_rows(array, "initial", states)
    return array.__getitem__


def _answer(table, env, new, ends, read, nothing):
    """Return a table as an array where all states are whole numbers, else as a dict.

    A state in which an episode terminated and in which nobody ever acted has no value: 0.
    """
    ended = {s for s in ends if s not in table}
    states = [*table, *ended]
    whole = all(isinstance(s, numbers.Integral) and s >= 0 for s in states)
    if not whole:
        return {s: read(value) for s, value in table.items()} | {s: nothing for s in ended}
    size = max([_count_states(env), *(int(s) + 1 for s in states)])
    return np.array([nothing if s in ended else read(table[s] if s in table else new(s)) for s in range(size)])

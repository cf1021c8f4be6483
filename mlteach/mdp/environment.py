"""A world to act in: Gymnasium's interface, without Gymnasium (section 27.11).

`TabularEnv` draws from an MDP or from a table ``P[s][a]``. It is plain Python with everything that can be computed
beforehand computed beforehand: a step costs about half a microsecond, and agents of the next chapters take millions.
"""

from bisect import bisect_right

import numpy as np

from mlteach.mdp.model import MDP, _read_table, from_gymnasium
from mlteach.validation import as_rng, as_vector, check_integer

BLOCK = 4096  # uniform numbers that are drawn at once


class Discrete:
    """The whole numbers 0 to n - 1, as Gymnasium's space of that name.

    >>> Discrete(4).n, 3 in Discrete(4), 4 in Discrete(4)
    (4, True, False)
    """

    def __init__(self, n, rng=0):
        self.n, self._rng = check_integer(n, "n", low=1), as_rng(rng)

    def sample(self):
        """Draw one of them."""
        return int(self._rng.integers(self.n))

    def contains(self, x):
        """Say whether ``x`` is one of them."""
        return isinstance(x, int | np.integer) and not isinstance(x, bool) and 0 <= x < self.n

    __contains__ = contains

    def __eq__(self, other):
        """Compare the sizes."""
        return isinstance(other, Discrete) and self.n == other.n

    __hash__ = None

    def __repr__(self):
        """Write it as Gymnasium does."""
        return f"Discrete({self.n})"


class TabularEnv:
    """An environment with finitely many states: ``reset`` and ``step`` as in Gymnasium, and the table ``P``.

        obs, info = env.reset(seed=7)
        obs, reward, terminated, truncated, info = env.step(action)

    ``terminated`` says that the state is an end, ``truncated`` that ``max_steps`` are over: after either, ``reset``.

    Parameters
    ----------
    model : an `MDP`, or a table ``P[s][a] = [(probability, next state, reward, terminated), ...]``
    start : the first state, or probabilities (S,); by default any state that is not terminal, all alike
    max_steps : number of steps after which an episode is cut off, or None
    rng : seed or Generator, until ``reset`` gets a seed

    Attributes
    ----------
    observation_space, action_space : with ``n``
    P : the table
    start : (S,) probabilities of the first state
    state : the present state

    >>> env = TabularEnv({0: {0: [(1.0, 1, 5.0, True)]}, 1: {0: [(1.0, 1, 0.0, True)]}}, start=0)
    >>> env.reset(seed=1), env.step(0)
    ((0, {}), (1, 5.0, True, False, {}))
    """

    metadata = {"render_modes": []}
    render_mode = None
    spec = None

    def __init__(self, model, *, start=None, max_steps=None, rng=0):
        self._mdp, self.P = self._read(model)
        n_actions = 1 + max(max(row, default=0) for row in self.P.values())
        self.observation_space, self.action_space = Discrete(len(self.P)), Discrete(n_actions)
        self.n_states, self.n_actions = len(self.P), n_actions
        self.max_steps = None if max_steps is None else check_integer(max_steps, "max_steps", low=1)
        self._prepare()
        self.start = self._read_start(start)
        self._first = np.cumsum(self.start).tolist()
        self.state, self._steps, self._over = None, 0, True
        self._seed(as_rng(rng))

    def _read(self, model):
        """Return the MDP, if it is one, and its table."""
        if isinstance(model, MDP):
            return model, table_of(model)
        return None, dict(enumerate(_read_table(model)))

    @property
    def unwrapped(self):
        """Return the environment itself, as Gymnasium's do."""
        return self

    def mdp(self, gamma):
        """Return the decision process that it draws from."""
        return self._mdp.with_gamma(gamma) if self._mdp is not None else from_gymnasium(self.P, gamma)

    def reset(self, seed=None, options=None):
        """Begin an episode; return the first state and an empty dict.

        ``seed`` makes what follows repeatable; ``options={"state": s}`` begins in state s.
        """
        if seed is not None:
            self._seed(as_rng(seed))
        if options and "state" in options:
            self.state = check_integer(options["state"], "options['state']", low=0, high=self.n_states - 1)
        else:
            self.state = min(bisect_right(self._first, self._uniform()), self.n_states - 1)
        self._steps, self._over = 0, False
        return self.state, {}

    def step(self, action):
        """Take an action; return the next state, the reward, whether it is terminal, whether time is up, a dict."""
        if self._over:
            raise ValueError("the episode is over, or has not begun; call reset() first.")
        try:
            bounds, outcomes = self._ready[self.state][action]
        except (KeyError, TypeError):
            self._refuse(action)
        if bounds is None:  # only one thing can happen
            outcome = outcomes
        else:
            outcome = outcomes[bisect_right(bounds, self._uniform())]
        self.state, reward, over = outcome
        self._steps += 1
        cut = self._steps == self.max_steps and not over
        self._over = over or cut
        return self.state, reward, over, cut, {}

    def close(self):
        """Do nothing: there is nothing to close."""

    def _prepare(self):
        """Keep for each state and action the cumulative probabilities and what follows."""
        self._ready = []
        for row in self.P.values():
            ready = {}
            for a, outcomes in row.items():
                what = [(t, r, over) for p, t, r, over in outcomes if p > 0]
                bounds = np.cumsum([p for p, *_ in outcomes if p > 0]).tolist()[:-1]
                if what:
                    ready[a] = (bounds, what) if bounds else (None, what[0])
            self._ready.append(ready)

    def _read_start(self, start):
        if start is None:
            ends = {t for row in self.P.values() for o in row.values() for _, t, _, over in o if over}
            open_states = np.array([s not in ends for s in self.P], float)
            if not open_states.any():
                raise ValueError("every state is terminal; there is no state to start from.")
            return open_states / open_states.sum()
        if np.ndim(start) == 0:
            return np.eye(self.n_states)[check_integer(start, "start", low=0, high=self.n_states - 1)]
        law = as_vector(start, "start", length=self.n_states, like="the states")
        if (law < 0).any() or abs(law.sum() - 1) > 1e-8:
            raise ValueError(f"start must be a state or a distribution over the states; it sums to {law.sum():.6g}.")
        return law

    def _seed(self, rng):
        def draws():
            while True:
                yield from rng.random(BLOCK).tolist()

        self._uniform = draws().__next__

    def _refuse(self, action):
        if not self.action_space.contains(action):
            raise ValueError(f"the actions are the whole numbers 0 to {self.n_actions - 1}; got {action!r}.")
        raise ValueError(f"action {action} is not possible in state {self.state}.")


def table_of(mdp):
    """Return an MDP as a table ``P[s][a]`` of (probability, next state, reward, terminated)."""
    ends = mdp.terminal.tolist()
    return {
        s: {
            int(a): [(p, t, r, ends[t]) for p, t, r in mdp.outcomes(s, int(a))] for a in np.flatnonzero(mdp.feasible[s])
        }
        for s in range(mdp.n_states)
    }

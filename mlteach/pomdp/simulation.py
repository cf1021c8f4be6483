"""Many runs of a policy on beliefs, and the world as an agent meets it (sections 32.8.2 and 32.12)."""

from typing import NamedTuple

import numpy as np

from mlteach.mdp import Discrete
from mlteach.pomdp.model import as_belief
from mlteach.validation import as_rng, check_integer


class Runs(NamedTuple):
    """What happened in n runs of T steps."""

    returns: np.ndarray  # (n,) discounted
    states: np.ndarray  # (T, n) before each action
    actions: np.ndarray  # (T, n) numbers
    observations: np.ndarray  # (T, n) numbers
    beliefs: np.ndarray  # (T, n, S) before each action


def simulate(pomdp, act, belief, runs, steps, rng=0, *, model=None):
    """Let a policy act for ``steps`` steps in each of ``runs`` worlds, and return `Runs`.

    ``act`` takes beliefs (n, S) and returns the numbers of n actions. The first state of each world is drawn from
    ``belief``, which the agent shares. ``model`` is what the agent takes for the world, if that is another POMDP. The
    same seed gives all policies the same luck: the draws of one run do not depend on what was done.
    """
    runs, steps = check_integer(runs, "runs", low=1), check_integer(steps, "steps", low=1)
    model, b, rng = model or pomdp, as_belief(pomdp, belief), as_rng(rng)
    luck = rng.random((2 * steps + 1, runs))
    s, beliefs = _draw(np.tile(b, (runs, 1)), luck[0]), np.tile(b, (runs, 1))
    G, kept = np.zeros(runs), []
    for t in range(steps):
        a = _chosen(act(beliefs), runs, pomdp.n_actions)
        G += pomdp.gamma**t * pomdp.R[s, a]
        s2 = _draw(pomdp.P[s, a], luck[2 * t + 1])
        z = _draw(pomdp.O[a, s2], luck[2 * t + 2])
        kept.append((s, a, z, beliefs))
        s, beliefs = s2, _updated(model, beliefs, a, z)
    return Runs(G, *(np.array(column) for column in zip(*kept)))


def _chosen(answer, runs, n_actions):
    """Return the numbers of the actions, or say what a policy must give."""
    a = np.asarray(answer)
    if a.shape != (runs,) or a.dtype.kind not in "iu" or not ((a >= 0) & (a < n_actions)).all():
        raise ValueError(f"act must return the numbers of {runs} actions, from 0 to {n_actions - 1}; got {answer!r}.")
    return a


def _draw(probabilities, u):
    """Draw one number a row, from probabilities (n, k) and uniform numbers (n,)."""
    return np.minimum((probabilities.cumsum(axis=1) <= u[:, None]).sum(axis=1), probabilities.shape[1] - 1)


def _updated(model, beliefs, a, z):
    """Return (32.4) for many beliefs at once."""
    joint = np.einsum("ns,nst->nt", beliefs, model.P[:, a].transpose(1, 0, 2)) * model.O[a, :, z]
    total = joint.sum(axis=1, keepdims=True)
    if (total <= 0).any():
        raise ValueError("an observation came that the model holds for impossible; it needs a small probability there.")
    return joint / total


class BeliefEnv:
    """A POMDP as an agent of chapter 29 can learn in it: it sees the number of the nearest belief on a grid.

    The belief itself is kept exactly; only what the table is asked for is rounded. ``reset``, ``step`` as in Gymnasium;
    an episode is cut after ``max_steps``.
    """

    def __init__(self, pomdp, belief, points, max_steps=50, rng=0):
        if pomdp.n_states != 2:
            raise ValueError(f"BeliefEnv rounds one probability: two states; got {pomdp.n_states}.")
        self.pomdp, self.first = pomdp, as_belief(pomdp, belief)
        self.points = check_integer(points, "points", low=2)
        self.max_steps, self._rng = check_integer(max_steps, "max_steps", low=1), as_rng(rng)
        self.action_space, self.observation_space = Discrete(pomdp.n_actions), Discrete(self.points)
        self._tables = [table.tolist() for table in (pomdp.P, pomdp.O, pomdp.R)]  # lists are faster, one by one
        self.belief, self._state, self._t = self.first, 0, 0

    def reset(self, seed=None, options=None):
        """Draw a world from the first belief and return the number of that belief."""
        if seed is not None:
            self._rng = as_rng(seed)
        self.belief, self._t = self.first, 0
        self._state = int(self._rng.random() >= self.first[0])
        return self._seen(), {}

    def step(self, action):
        """Act, observe, update the belief; return its number, the reward, False, whether it is cut, and nothing."""
        a, (P, observe, R) = self.pomdp.action(action), self._tables
        reward = R[self._state][a]
        self._state = int(self._rng.random() >= P[self._state][a][0])
        z, u = 0, self._rng.random() - observe[a][self._state][0]
        while u >= 0 and z < self.pomdp.n_observations - 1:
            z += 1
            u -= observe[a][self._state][z]
        left = self.belief[0] * P[0][a][0] + self.belief[1] * P[1][a][0]
        joint = left * observe[a][0][z], (1 - left) * observe[a][1][z]
        self.belief = np.array(joint) / (joint[0] + joint[1])
        self._t += 1
        return self._seen(), reward, False, self._t >= self.max_steps, {}

    def _seen(self):
        return int(round(float(self.belief[0]) * (self.points - 1)))

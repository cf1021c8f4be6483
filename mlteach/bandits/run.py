"""The online skeleton: choose, pull, learn (section 26.2)."""

from typing import NamedTuple

import numpy as np

from mlteach.bandits.agent import Agent, entry
from mlteach.validation import as_rng, check_integer


class Step(NamedTuple):
    """What an agent knew before a pull: means Q and counts N (..., k)."""

    Q: np.ndarray
    N: np.ndarray


class Run(NamedTuple):
    """What came of a run; the last axis counts the steps, an axis before it the bandits, if there are several.

    rewards   (..., T) rewards
    regret    (..., T) cumulated regret of *expected* rewards: sum of max q - q(A)                (26.1)
    choices   (..., T) arms
    optimal   (..., T) whether the arm was the best one at its time
    agent     the agent in its last state
    history   list of `Step`, before each pull and after the last one; empty unless asked for
    """

    rewards: np.ndarray
    regret: np.ndarray
    choices: np.ndarray
    optimal: np.ndarray
    agent: Agent
    history: list


def run_bandit(bandit, agent, steps=1000, rng=0, *, history=False):
    """Let an agent play ``steps`` pulls with a bandit, or with n bandits at a time; return the `Run`.

    World and agent draw from two streams of their own, made from ``rng``: whatever the agent throws, the world's
    noise is the same. So agents that are run with one seed can be compared in pairs.

    >>> from mlteach.bandits import BernoulliBandit, UCB
    >>> run = run_bandit(BernoulliBandit([0.9, 0.1]), UCB(1), 200)
    >>> run.rewards.shape, run.choices[-5:].tolist()
    ((200,), [0, 0, 0, 0, 0])
    """
    for name, value, method in (("bandit", bandit, "open"), ("agent", agent, "start")):
        if isinstance(value, type) or not hasattr(value, method):
            raise TypeError(f"{name} must be one such as {_EXAMPLE[name]}; got {value!r}.")
    steps = check_integer(steps, "steps", low=1)
    world_rng, agent_rng = as_rng(rng).spawn(2)
    game, agent = bandit.open(world_rng), agent.start(bandit)
    rewards, gaps = np.empty((steps, *bandit.shape)), np.empty((steps, *bandit.shape))
    choices, states = np.empty((steps, *bandit.shape), dtype=np.int32), []

    for t in range(steps):
        if history:
            states.append(Step(agent.Q_.copy(), agent.N_.copy()))
        # 1. Choose an arm by what is known
        arm = agent.choose(agent_rng)
        # 2. Pull it
        q = game.means
        reward = game.pull(arm)
        # 3. Learn from the reward
        agent.update(arm, reward)
        choices[t], rewards[t] = arm, reward
        gaps[t] = q.max(axis=-1) - q[entry(arm)]
    if history:
        states.append(Step(agent.Q_.copy(), agent.N_.copy()))
    last = [np.moveaxis(table, 0, -1) for table in (rewards, gaps.cumsum(axis=0), choices, gaps == 0)]
    return Run(*last, agent, states)


_EXAMPLE = {"bandit": "BernoulliBandit([0.3, 0.6])", "agent": "EpsilonGreedy(0.1)"}


class Curve(NamedTuple):
    """A mean over bandits at each step, with the ends of its 95 % interval."""

    mean: np.ndarray
    low: np.ndarray
    high: np.ndarray


def mean_curve(values):
    """Return the mean of (n, T) over the n bandits with mean -/+ 1.96 standard errors, a `Curve` of (T,) each.

    ``values`` (n, T) has a row for each bandit.

    >>> mean_curve([[1.0, 2.0], [3.0, 2.0]]).mean.tolist()
    [2.0, 2.0]
    """
    values = np.asarray(values, dtype=float)
    if values.ndim != 2 or len(values) < 2:
        raise ValueError(f"values must have shape (n, T) with n at least 2 bandits; got {values.shape}.")
    mean = values.mean(axis=0)
    half = 1.96 * values.std(axis=0, ddof=1) / np.sqrt(len(values))
    return Curve(mean, mean - half, mean + half)

"""Judge an agent: freeze what it has learned, then let it act (section 29.8)."""

import math
from typing import NamedTuple

import numpy as np

from mlteach.temporal_difference._run import Control, Walk, as_actor, best_action, uniform_numbers
from mlteach.validation import as_array, as_rng


class Played(NamedTuple):
    """Episodes of a policy that does not learn."""

    returns: np.ndarray  # (episodes,) sums of rewards, not discounted
    lengths: np.ndarray  # (episodes,)
    ended: np.ndarray  # (episodes,) whether the world terminated it; else it was cut short
    paths: list  # of lists of states, if they were asked for


def greedy(Q, rng=0):
    """Return the policy that takes the best action of a table, ties at random, as a function of the observation."""
    draw = uniform_numbers(as_rng(rng))
    if isinstance(Q, dict):
        rows = {s: as_array(row, f"Q[{s!r}]", ndim=1).tolist() for s, row in Q.items()}
    else:
        rows = np.asarray(Q, float).tolist()
    return lambda s: best_action(rows[s], draw)


def play(env, policy=None, episodes=100, rng=0, *, max_steps=None, paths=False):
    """Follow a policy without learning; return sums of rewards, lengths, and how the episodes ended.

    ``policy`` as in `td0`; ``greedy(Q)`` makes one of a table.
    """
    run = Walk(env, episodes, 1.0, rng, max_steps, False)
    act, ended, ways = as_actor(policy, env, run.draw), [], []
    for s in run.starts():
        way = [s]
        while not run.over:
            s, _, terminated = run.step(act(s))
            way.append(s)
        ended.append(bool(terminated))
        if paths:
            ways.append(way)
    returns, lengths, _ = run.counts()
    return Played(returns, lengths, np.array(ended), ways)


def table_after(run, k, initial=0.0):
    """Return the table (S, A) that a run with a history had after ``k`` of its steps (methods without traces).

    ``initial`` is the first table, as the run had it: a number or an array (S, A).
    """
    Q = np.where(np.isneginf(run.Q), -np.inf, np.broadcast_to(np.asarray(initial, float), np.shape(run.Q)))
    for step in run.history[: k if k < math.inf else None]:
        Q[step.state, step.action] = step.value
    return Q


def learn_with(step, env, episodes=150, alpha=0.5, gamma=1.0, epsilon=0.1, rng=0, *, max_steps=2000):
    """Let a step of one's own learn; return the sums of rewards (episodes,).

    ``step(Q, s, a, r, s2, over, alpha, gamma, choose)`` returns the new value of Q(s, a) and the next action, as SARSA
    does it; ``choose(row)`` draws epsilon-greedily from one row of the table, which begins at zero.
    """
    run = Control(env, episodes, alpha, gamma, epsilon, rng, 0.0, max_steps, False)
    draw, Q = run.draw, run.Q

    def choose(row):
        return int(draw() * run.n_actions) if draw() < run.epsilon else best_action(list(row), draw)

    for s in run.starts():
        a = choose(Q[s])
        while not run.over:
            s2, r, over = run.step(a)
            Q[s][a], a = step(Q, s, a, r, s2, over, alpha, gamma, choose)
            s = s2
    return np.array(run.returns)

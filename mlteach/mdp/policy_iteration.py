"""Policy iteration: evaluate, improve, until nothing changes (Howard, section 27.6)."""

from typing import NamedTuple

import numpy as np

from mlteach.mdp.evaluation import policy_evaluation
from mlteach.mdp.improvement import policy_improvement
from mlteach.mdp.model import as_policy
from mlteach.mdp.undiscounted import NeverEnds, stopping_policy
from mlteach.validation import check_integer


class Round(NamedTuple):
    """A policy and what it is worth."""

    V: np.ndarray  # (S,)
    policy: np.ndarray  # (S,)


class Solution(NamedTuple):
    """Values and a policy, with the way to them."""

    V: np.ndarray  # (S,)
    policy: np.ndarray  # (S,)
    history: list


def policy_iteration(mdp, policy=None, *, max_iter=1000):
    """Return V*, an optimal policy and the history (`Round`) of evaluations, from ``policy`` (S,) on.

    Without one it starts from a policy that comes to an end, or stays where nothing is paid, wherever it can.

    >>> from mlteach.mdp import two_states
    >>> found = policy_iteration(two_states(), [0, 1])
    >>> [(record.policy.tolist(), record.V.round(6).tolist()) for record in found.history]
    [([0, 1], [10.0, 9.0]), ([0, 0], [10.0, 20.0]), ([1, 0], [18.0, 20.0])]
    """
    max_iter = check_integer(max_iter, "max_iter", low=1)
    if policy is None:
        policy = stopping_policy(mdp)
    else:
        policy = np.argmax(as_policy(mdp, policy), axis=1)
    history = []
    for _ in range(max_iter):
        # 1. Evaluate the policy: a linear system                  (27.5)
        V = _evaluate(mdp, policy, history)
        history.append(Round(V, policy))
        # 2. Improve it where another action is better             (27.7)
        better = policy_improvement(mdp, V, policy)
        # 3. Stop when none is, or when what looked better was a rounding error
        if (better == policy).all() or not _progress(history):
            return Solution(V, policy, history)
        policy = better
    raise ValueError(f"policy iteration did not settle within {max_iter} rounds; are the rewards of one size?")


def _progress(history):
    """Say whether the last round raised some value by more than rounding errors do."""
    if len(history) < 2:
        return True
    before, now = history[-2].V, history[-1].V
    return np.max(now - before) > 1e-13 * max(1.0, np.abs(now).max())


def _evaluate(mdp, policy, history):
    """Evaluate; where an improved policy no longer ends, what it is paid on the way has no bound."""
    try:
        return policy_evaluation(mdp, policy)
    except NeverEnds as error:
        if not history:
            raise
        raise NeverEnds(
            f"with gamma = 1 it pays never to end: from state {error.state} the improved policy goes round for ever "
            "and is paid for it, so the rewards have no largest sum. Use gamma < 1 or finite_horizon.",
            error.state,
        ) from None

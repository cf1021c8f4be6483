"""The exact answers under the noisy curves: what policies earn that explore (section 29.8)."""

from typing import NamedTuple

import numpy as np

from mlteach.mdp import MDP, as_policy, optimal_actions, policy_evaluation, policy_iteration, value_iteration
from mlteach.validation import check_number


class Soft(NamedTuple):
    """The best that an agent can do that takes a random action with probability epsilon."""

    V: np.ndarray  # (S,)
    Q: np.ndarray  # (S, A) first the action, then exploring for ever after
    policy: np.ndarray  # (S,) what it does when it does not explore
    best: np.ndarray  # (S, A) all such actions, ties included


class Range(NamedTuple):
    """The least and the most that policies earn which differ only in tied actions, (S,) each."""

    worst: np.ndarray
    best: np.ndarray


def epsilon_soft(mdp, policy, epsilon):
    """Return the policy (S, A) that follows ``policy``, and with probability epsilon takes any possible action."""
    epsilon = check_number(epsilon, "epsilon", low=0, high=1)
    anything = mdp.feasible / mdp.feasible.sum(axis=1, keepdims=True)
    return (1 - epsilon) * as_policy(mdp, policy) + epsilon * anything


def soften(mdp, epsilon):
    """Return the process in which a hand trembles: whatever is chosen, with probability epsilon any action happens.

    Its values are those of epsilon-soft policies, its optimal policy is the best of them (29.14).
    """
    epsilon = check_number(epsilon, "epsilon", low=0, high=1)
    anything = mdp.feasible / mdp.feasible.sum(axis=1, keepdims=True)
    R = np.where(mdp.feasible, mdp.R, 0.0)
    P_mean, R_mean = np.einsum("sa,sat->st", anything, mdp.P), (anything * R).sum(axis=1)
    soft = (1 - epsilon) * mdp.P + epsilon * P_mean[:, None]
    return MDP(soft, np.where(mdp.feasible, (1 - epsilon) * R + epsilon * R_mean[:, None], -np.inf), mdp.gamma)


def best_epsilon_soft(mdp, epsilon):
    """Return the best epsilon-soft policy and its values, exactly.

    ``Q`` is what SARSA and Expected SARSA aim at: the value of doing a now and trembling afterwards.
    """
    soft = soften(mdp, epsilon)
    solution = policy_iteration(soft)
    V = policy_evaluation(soft, solution.policy)
    Q = np.where(mdp.feasible, np.where(mdp.feasible, mdp.R, 0.0) + mdp.gamma * mdp.expect(V), -np.inf)
    return Soft(V, Q, np.asarray(solution.policy), optimal_actions(soft, V))


def optimal_under_exploration(mdp, epsilon):
    """Return what greedy policies of Q* earn while they explore: the least and the most over their tied actions.

    A learner of Q* that explores earns something between the two once it has learned.
    """
    allowed = optimal_actions(mdp, value_iteration(mdp, 1e-10).V)
    soft = soften(mdp, epsilon)
    R = np.where(allowed, soft.R, -np.inf)
    best = MDP(soft.P, R, mdp.gamma)
    worst = MDP(soft.P, np.where(allowed, -soft.R, -np.inf), mdp.gamma)
    most, least = policy_iteration(best).policy, policy_iteration(worst).policy
    return Range(policy_evaluation(soft, least), policy_evaluation(soft, most))

"""The policy-gradient theorem, computed exactly by linear systems (sections 30.8 and 30.10)."""

from typing import NamedTuple

import numpy as np

from mlteach.mdp import occupancy, policy_evaluation, q_from_v
from mlteach.policy_search.policies import softmax
from mlteach.policy_search.reinforce import gradient_estimate
from mlteach.validation import as_array, as_vector, check_choice, check_integer


def policy_of(mdp, theta, features=None):
    """Return the softmax policy (S, A) of the weights: theta (S, A), or (d,) with ``features`` (S, A, d)."""
    if features is None:
        h = as_array(theta, "theta", ndim=2)
    else:
        x = as_array(features, "features", ndim=3)
        h = x @ as_vector(theta, "theta", length=x.shape[2], like="the features")
    if h.shape != (mdp.n_states, mdp.n_actions):
        raise ValueError(
            f"theta must give a preference to each of the {mdp.n_states} states and {mdp.n_actions} actions; "
            f"got shape {h.shape}."
        )
    return softmax(np.where(mdp.feasible, h, -np.inf))


def read_start(mdp, start):
    """Return the law (S,) of the first state from a state or a law."""
    if np.ndim(start) == 0:
        return np.eye(mdp.n_states)[check_integer(start, "start", low=0, high=mdp.n_states - 1)]
    return as_vector(start, "start", length=mdp.n_states, like="the states")


def exact_value(mdp, theta, start, features=None):
    """Return J(theta), the value of the start (a state or a law (S,)) under the softmax policy.

    ``features`` as in `exact_policy_gradient`.
    """
    return float(read_start(mdp, start) @ policy_evaluation(mdp, policy_of(mdp, theta, features)))


def exact_policy_gradient(mdp, theta, start, features=None, *, visits="discounted"):
    """Return the gradient of J(theta), in the shape of theta.

        grad J = sum_s d(s) sum_a pi(a|s) Q(s, a) grad log pi(a|s),   d(s) = sum_t gamma^t Pr(S_t = s)     (30.12)

    ``theta`` (S, A) has a preference for every pair; or (d,), with ``features`` (S, A, d). ``start`` is a state or a
    law (S,). ``visits="all"`` counts every visit fully, d(s) = sum_t Pr(S_t = s), which is what REINFORCE follows where
    the factor gamma^t is left out: in general the gradient of nothing.

    >>> from mlteach.mdp import two_states
    >>> exact_policy_gradient(two_states(), np.zeros((2, 2)), 0).shape
    (2, 2)
    """
    check_choice(visits, "visits", ("discounted", "all"))
    pi, start = policy_of(mdp, theta, features), read_start(mdp, start)
    d = occupancy(mdp if visits == "discounted" else mdp.with_gamma(1.0), pi, start)
    Q = np.where(mdp.feasible, q_from_v(mdp, policy_evaluation(mdp, pi)), 0.0)
    A = Q - (pi * Q).sum(axis=1, keepdims=True)  # the advantage: what an action is worth beyond the mean
    by_preference = d[:, None] * pi * A
    return by_preference if features is None else np.einsum("sa,sad->d", by_preference, as_array(features, "features"))


class Path(NamedTuple):
    """One way in which an episode may go."""

    probability: float
    states: tuple
    actions: tuple
    rewards: tuple


def all_paths(mdp, policy, start, max_steps=20):
    """Return every possible episode from a state as a list of `Path`; for worlds that end within ``max_steps``.

    ``policy`` (S, A) are its probabilities, ``start`` is that state.
    """
    done, open_ones = [], [Path(1.0, (read_state(mdp, start),), (), ())]
    for _ in range(check_integer(max_steps, "max_steps", low=1)):
        longer = []
        for p, states, actions, rewards in open_ones:
            for a in np.flatnonzero(policy[states[-1]]).tolist():
                for chance, t, r in mdp.outcomes(states[-1], a):
                    path = Path(
                        p * float(policy[states[-1], a]) * chance, (*states, t), (*actions, a), (*rewards, float(r))
                    )
                    (done if mdp.terminal[t] else longer).append(path)
        open_ones = longer
    if open_ones:
        raise ValueError(f"{len(open_ones)} ways are still open after max_steps = {max_steps}; the world must end.")
    return done


def read_state(mdp, s):
    """Return a state after checking that there is one."""
    return check_integer(s, "start", low=0, high=mdp.n_states - 1)


class Moments(NamedTuple):
    """What an estimator of the gradient does on average, over all episodes."""

    mean: np.ndarray  # (d,)
    variance: float  # sum of the variances of its entries
    values: np.ndarray  # (paths, d)
    probabilities: np.ndarray  # (paths,)


def estimator_moments(mdp, theta, start, *, weight="to go", baseline=0.0, discounted=True, shift=0.0):
    """Return exact mean and variance of a REINFORCE estimator, by going through every possible episode.

    ``theta`` is (S, A); ``weight``, ``baseline`` and ``discounted`` as in `gradient_estimate`, where a baseline (S,)
    gives each state its own; ``shift`` is added to every reward.

    ``start`` is the state or the law (S,) of the first.
    """
    pi = policy_of(mdp, theta)
    scores = np.eye(mdp.n_actions)[None, :, :] - pi[:, None, :]  # (S, a, A): d log pi(a|s) / d theta[s, :]
    chances, values = [], []
    for p, states, actions, rewards in all_paths(mdp, pi, start):
        at, T = np.array(states[:-1]), len(actions)
        rows = np.zeros((T, mdp.n_states, mdp.n_actions))
        rows[np.arange(T), at] = scores[at, np.array(actions)]
        b = np.asarray(baseline, float)[at] if np.ndim(baseline) else baseline
        paid = np.array(rewards) + shift
        estimate = gradient_estimate(
            rows.reshape(T, -1), paid, mdp.gamma, weight=weight, baseline=b, discounted=discounted
        )
        chances.append(p)
        values.append(estimate)
    p, g = np.array(chances), np.array(values)
    mean = p @ g
    return Moments(mean, float(p @ ((g - mean) ** 2).sum(axis=1)), g, p)

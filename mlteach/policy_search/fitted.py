"""Fit a value to its own Bellman targets, again and again (sections 30.5 and 30.6)."""

from typing import NamedTuple

import numpy as np

from mlteach.policy_search.linear_q import LinearQ
from mlteach.validation import as_array, as_matrix, as_rng, as_vector, check_integer, check_number


class Fitted(NamedTuple):
    """What a fitted iteration has come to."""

    theta: np.ndarray  # (m,)
    history: list  # of theta, the first one included


class FittedQ(NamedTuple):
    """What fitted Q iteration has come to."""

    q: LinearQ
    history: list  # largest change of a target in each iteration


class Batch(NamedTuple):
    """Steps that were taken by whoever: all that fitted Q iteration ever sees."""

    states: np.ndarray  # (n, d)
    actions: np.ndarray  # (n,)
    rewards: np.ndarray  # (n,)
    following: np.ndarray  # (n, d)
    terminated: np.ndarray  # (n,)


def fitted_value_iteration(states, model, features, gamma, n_iter=100, *, theta=None, weights=None):
    """Return the weights of V(s) = theta . phi(s) after ``n_iter`` rounds of targets and least squares.

        y_i = max_a [r(s_i, a) + gamma V(s')],   theta <- argmin sum_i w_i (y_i - theta . phi(s_i))^2     (30.6)

    Parameters
    ----------
    states : (n, d) sampled states
    model : function from states to next states (n, A, d), rewards (n, A) and whether the episode ends (n, A).
    features : function from states (n, d) to (n, m)
    weights : (n,) of the states in the fit, or None for equal ones
    """
    states, gamma = as_matrix(states, "states"), check_number(gamma, "gamma", low=0, high=1)
    n_iter, Phi = check_integer(n_iter, "n_iter", low=0), as_matrix(features(states), "features(states)")
    following, reward, ended = model(states)
    n, A = reward.shape
    Phi2 = np.asarray(features(following.reshape(n * A, -1))) * ~ended.reshape(-1, 1)
    theta = np.zeros(Phi.shape[1]) if theta is None else as_vector(theta, "theta", length=Phi.shape[1], like="phi")
    w = np.ones(n) if weights is None else np.sqrt(as_vector(weights, "weights", length=n, like="states"))
    fit = np.linalg.pinv(Phi * w[:, None]) * w  # (m, n): y -> theta
    history = [theta]
    for _ in range(n_iter):
        # 1. Targets from the model and the present guess
        y = (reward + gamma * (Phi2 @ theta).reshape(n, A)).max(axis=1)
        # 2. Regression
        theta = fit @ y
        history.append(theta)
    return Fitted(theta, history)


def collect(env, steps, rng=0, choose=None):
    """Return a `Batch` of ``steps`` steps in a world, by random actions or by ``choose(observation)``."""
    steps, rng = check_integer(steps, "steps", low=1), as_rng(rng)
    s, rows = env.reset(seed=int(rng.integers(2**31)))[0], []
    for _ in range(steps):
        a = int(rng.integers(env.action_space.n)) if choose is None else int(choose(s))
        s2, r, terminated, truncated, _ = env.step(a)
        rows.append((np.atleast_1d(s), a, r, np.atleast_1d(s2), terminated))
        s = env.reset()[0] if terminated or truncated else s2
    states, actions, rewards, following, ends = zip(*rows)
    return Batch(
        np.array(states, float), np.array(actions), np.array(rewards, float), np.array(following, float), np.array(ends)
    )


def fitted_q_iteration(batch, features, n_actions, gamma, n_iter=100, *, lam=1e-3, theta=None):
    """Return a `LinearQ` fitted to a batch of steps, off-line.

        y_i = r_i + gamma max_a' Q(s'_i, a'), or r_i at an end;   theta_a <- ridge fit of phi(s_i) to y_i, a_i = a
                                                                                                       (30.7)
    An action that the batch does not have keeps its weights. ``lam`` is the penalty of the fit (6.5).

    ``features`` turns observations into rows phi; there are ``n_actions``, and ``n_iter`` fits, from ``theta`` on.
    """
    batch, n_iter = read_batch(batch, n_actions), check_integer(n_iter, "n_iter", low=1)
    gamma, lam = check_number(gamma, "gamma", low=0, high=1), check_number(lam, "lam", low=0, open_low=True)
    Phi, Phi2 = as_matrix(features(batch.states), "features"), as_matrix(features(batch.following), "features")
    m = Phi.shape[1]
    theta = np.zeros((n_actions, m)) if theta is None else as_array(theta, "theta", ndim=2).copy()
    parts = []
    for a in range(n_actions):
        rows = Phi[batch.actions == a]
        parts.append((batch.actions == a, np.linalg.inv(rows.T @ rows + lam * np.eye(m)), rows.T))
    goes_on, changes, y = ~batch.terminated, [], np.zeros(len(Phi))
    for _ in range(n_iter):
        # 1. Targets; an end has no value
        new = batch.rewards + gamma * goes_on * (Phi2 @ theta.T).max(axis=1)
        # 2. One regression for each action
        theta = np.array([G @ (T @ new[mine]) if mine.any() else theta[a] for a, (mine, G, T) in enumerate(parts)])
        changes.append(float(np.abs(new - y).max()))
        y = new
    return FittedQ(LinearQ(features, n_actions, theta), changes)


def read_batch(batch, n_actions):
    """Return a batch of steps after checking that its parts belong together."""
    states = as_matrix(batch[0], "states")
    n, n_actions = len(states), check_integer(n_actions, "n_actions", low=1)
    actions, rewards = np.asarray(batch[1]), as_vector(batch[2], "rewards", length=n, like="states")
    following, terminated = as_matrix(batch[3], "following", n_features=states.shape[1]), np.asarray(batch[4], bool)
    if actions.shape != (n,) or not np.isin(actions, range(n_actions)).all():
        raise ValueError(f"actions must be {n} whole numbers from 0 to {n_actions - 1}, one for each state.")
    if len(following) != n or terminated.shape != (n,):
        raise ValueError(f"following and terminated must have one entry for each of the {n} states.")
    return Batch(states, actions.astype(int), rewards, following, terminated)

"""REINFORCE: climb the value of a policy with nothing but its own episodes (sections 30.9 to 30.11)."""

from typing import NamedTuple

import numpy as np

from mlteach.policy_search._budget import Budget
from mlteach.validation import as_array, as_matrix, as_rng, as_vector, check_choice, check_number

WEIGHTS = ("to go", "total")


class Climbed(NamedTuple):
    """What `reinforce` has learned."""

    theta: np.ndarray  # (d,)
    returns: np.ndarray  # (episodes,) sum of the rewards, not discounted
    history: list  # of theta before the first and after each episode, if it was asked for
    snapshots: dict  # from a number of steps to theta


def returns_to_go(rewards, gamma=1.0):
    """Return G_t = r_{t+1} + gamma r_{t+2} + ... (T,) for each step of an episode, from its rewards (T,).

    >>> returns_to_go([1, 0, 4], 0.5).tolist()
    [2.0, 2.0, 4.0]
    """
    rewards, gamma = as_vector(rewards, "rewards"), check_number(gamma, "gamma", low=0, high=1)
    G, ahead = np.empty(len(rewards)), 0.0
    for t in reversed(range(len(rewards))):
        G[t] = ahead = rewards[t] + gamma * ahead
    return G


def gradient_estimate(scores, rewards, gamma=1.0, *, weight="to go", baseline=0.0, discounted=True):
    """Return the estimate (d,) of the gradient from one episode.

        "total"   g = sum_t (G_0 - b) grad log pi(a_t|s_t)                                     (30.13)
        "to go"   g = sum_t gamma^t (G_t - b_t) grad log pi(a_t|s_t)                           (30.14)

    ``scores`` (T, d) holds grad log pi of each step, ``rewards`` (T,), ``baseline`` a number or (T,). With
    ``discounted=False`` the factor gamma^t is left out (section 30.10).

    >>> gradient_estimate([[0.5], [-0.5]], [1, 3]).tolist(), gradient_estimate([[0.5], [-0.5]], [1, 3], weight="total")
    ([0.5], array([0.]))
    """
    scores, weight = as_matrix(scores, "scores"), check_choice(weight, "weight", WEIGHTS)
    check_choice(discounted, "discounted", (True, False))
    G = returns_to_go(as_vector(rewards, "rewards", length=len(scores), like="scores"), gamma)
    if weight == "total":
        return (np.full(len(G), G[0]) - baseline) @ scores
    fade = float(gamma) ** np.arange(len(G)) if discounted else np.ones(len(G))
    return (fade * (G - baseline)) @ scores


def reinforce(
    env, policy, episodes=None, alpha=0.01, gamma=1.0, rng=0, theta=None, *, weight="to go", baseline=0.0, beta=0.1,
    discounted=True, steps=None, at=(), history=False,
):  # fmt: skip
    """Climb J(theta) by one estimate of its gradient after each episode.

        theta <- theta + alpha sum_t gamma^t (G_t - b(s_t)) grad log pi(a_t|s_t)          (30.16)

    Parameters
    ----------
    env : a world with Gymnasium's ``reset`` and ``step``
    policy : a `SoftmaxPolicy` or `GaussianPolicy`, or anything with ``act(theta, observation, rng)``
    episodes, steps : when to stop; ``at`` lists steps after which theta is kept
    theta : (d,) the first weights
    baseline : a number; or features of the state, (S, m) or a function of the observation: then b(s) = w . phi(s) is
        learnt with step ``beta`` towards the returns
    weight, discounted : the estimator, as in `gradient_estimate`
    """
    theta, rng = as_vector(theta, "theta").copy(), as_rng(rng)
    alpha, beta = check_number(alpha, "alpha", low=0), check_number(beta, "beta", low=0)
    budget, b = Budget(episodes, steps, at), Baseline(baseline, beta)
    records = [theta.copy()] if history else []
    while budget.left():
        # 1. Play one episode with the policy as it is
        seen, scores, rewards = play_episode(env, policy, theta, rng, budget)
        # 2. How much better than expected was what followed each action?
        guesses = b.values(seen)
        theta += alpha * gradient_estimate(
            scores, rewards, gamma, weight=weight, baseline=guesses, discounted=discounted
        )
        # 3. Only then let the baseline learn: it must not know this episode
        b.learn(seen, returns_to_go(rewards, gamma))
        if history:
            records.append(theta.copy())
    return Climbed(theta, np.array(budget.returns), records, budget.snapshots)


def play_episode(env, policy, theta, rng, budget):
    """Return observations, scores (T, d) and rewards (T,) of one episode."""
    s = env.reset(seed=None if budget.played else int(rng.integers(2**31)))[0]
    seen, scores, rewards, over = [], [], [], False
    while not over:
        a, score = policy.act(theta, s, rng)
        seen.append(s)
        scores.append(score)
        s, r, terminated, truncated, _ = env.step(a)
        rewards.append(float(r))
        over = budget.step(theta) or terminated or truncated
    budget.episode(sum(rewards))
    return seen, np.array(scores), np.array(rewards)


class Baseline:
    """What is expected before the action is known: a number, or a learnt linear function of the state."""

    def __init__(self, given, beta):
        self.beta, self.w, self.features, self.constant = beta, None, None, 0.0
        if callable(given):
            self.features = given
        elif np.ndim(given) == 2:
            self.features = as_array(given, "baseline", ndim=2).__getitem__
        else:
            self.constant = check_number(given, "baseline")

    def values(self, seen):
        """Return the guesses (T,), and keep the features for `learn`."""
        if self.features is None:
            return self.constant
        self.phi = np.array([self.features(s) for s in seen], float)
        if self.w is None:
            self.w = np.zeros(self.phi.shape[1])
        return self.phi @ self.w

    def learn(self, seen, G):
        """Move the guesses towards the returns, by one gradient step of their mean squared error."""
        if self.features is not None:
            self.w = self.w + self.beta * self.phi.T @ (G - self.phi @ self.w) / len(G)

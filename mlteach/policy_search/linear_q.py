"""A value that is linear in features, and SARSA with it (section 30.4)."""

from typing import NamedTuple

import numpy as np

from mlteach.policy_search._budget import Budget
from mlteach.validation import as_array, as_matrix, as_rng, check_integer, check_number


class LinearQ:
    """Values of actions that are linear in features of the state.

        Q(s, a) = theta_a . phi(s)                                     (30.4)

    Parameters
    ----------
    features : function from states (n, d) to features (n, m)
    n_actions : number of actions
    theta : (A, m) weights; zeros if None and ``n_features`` is given or the features have ``n``

    >>> q = LinearQ(lambda s: np.hstack([np.ones((len(s), 1)), s]), 2, [[1, 2], [3, 0]])
    >>> q.values([[5.0]]).tolist(), q.greedy([[5.0], [0.5]]).tolist()
    ([[11.0, 3.0]], [0, 1])
    """

    def __init__(self, features, n_actions, theta=None):
        self.features, self.n_actions = features, check_integer(n_actions, "n_actions", low=1)
        if theta is None:
            if not hasattr(features, "n"):
                raise ValueError("theta must be given where the features do not say their number n.")
            theta = np.zeros((self.n_actions, features.n))
        self.theta = as_array(theta, "theta", ndim=2).copy()
        if len(self.theta) != self.n_actions:
            raise ValueError(f"theta must have a row for each of the {self.n_actions} actions; got {len(self.theta)}.")

    def values(self, states):
        """Return Q (n, A) of many states (n, d)."""
        states = as_matrix(states, "states")
        if hasattr(self.features, "active"):  # a few ones among zeros: add up their weights
            return self.theta[:, self.features.active(states)].sum(axis=2).T
        return self.features(states) @ self.theta.T

    def greedy(self, states):
        """Return the best action (n,) of many states, the first of equals."""
        return self.values(states).argmax(axis=1)


class Learned(NamedTuple):
    """What a learner with weights has learned."""

    q: LinearQ
    returns: np.ndarray  # (episodes,)
    snapshots: dict  # from a number of steps to theta (A, m)


def semi_gradient_sarsa(
    env, features, episodes=None, alpha=0.1, gamma=1.0, epsilon=0.1, rng=0, *, theta=None, steps=None, at=(),
):  # fmt: skip
    """Learn a linear Q of the epsilon-greedy policy, step by step.

        theta_a <- theta_a + alpha [r + gamma Q(s', a') - Q(s, a)] phi(s)          (30.5)

    The gradient is only half of one: the target hangs on theta, too, and is taken as fixed. With one feature a state it
    is the SARSA of chapter 29. Stops after ``episodes`` or ``steps``; ``at`` lists steps after which theta is kept.

    ``features`` turns an observation into phi.
    """
    q = LinearQ(features, env.action_space.n, theta)
    alpha, gamma = check_number(alpha, "alpha", low=0), check_number(gamma, "gamma", low=0, high=1)
    epsilon, rng = check_number(epsilon, "epsilon", low=0, high=1), as_rng(rng)
    budget, theta = Budget(episodes, steps, at), q.theta

    sees = features.one if hasattr(features, "one") else lambda x: (slice(None), features(np.atleast_2d(x))[0])

    def look(observation):
        """Return the features that are not zero (their places and values), and an action."""
        at, phi = sees(observation)
        explores = rng.random() < epsilon
        return at, phi, int(rng.integers(q.n_actions)) if explores else best_at_random(theta[:, at] @ phi, rng)

    while budget.left():
        at, phi, a = look(env.reset(seed=None if budget.played else int(rng.integers(2**31)))[0])
        over, total = False, 0.0
        while not over:
            observation, r, terminated, truncated, _ = env.step(a)
            at2, phi2, a2 = look(observation)
            # A guess corrects a guess; an end has no value
            target = r if terminated else r + gamma * (theta[a2, at2] @ phi2)
            theta[a, at] += alpha * (target - theta[a, at] @ phi) * phi
            at, phi, a, total = at2, phi2, a2, total + r
            over = budget.step(theta) or terminated or truncated
        budget.episode(total)
    return Learned(q, np.array(budget.returns), budget.snapshots)


def best_at_random(q, rng):
    """Return the place of the largest value, one of them at random where several are equal.

    ``features`` turns an observation into phi.
    """
    best = np.flatnonzero(q == q.max())
    return int(best[0] if len(best) == 1 else rng.choice(best))

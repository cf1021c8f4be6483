"""Policies with parameters: softmax over actions, Gaussian over pushes (section 30.7)."""

import math

import numpy as np

from mlteach.validation import as_array, as_vector, check_number


def softmax(preferences):
    """Return probabilities (..., A) from preferences (..., A); -inf is an action that is not possible."""
    h = np.asarray(preferences, float)
    e = np.exp(h - h.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


class SoftmaxPolicy:
    """Actions with probabilities that grow with a linear preference.

        pi(a | s) = exp(theta . x(s, a)) / sum_b exp(theta . x(s, b))                        (30.9)
        grad log pi(a | s) = x(s, a) - sum_b pi(b | s) x(s, b)                               (30.10)

    ``features`` is an array (S, A, d), or a function from an observation to (A, d).

    >>> policy = SoftmaxPolicy([[[1, 0], [0, 1]]])
    >>> policy.score([0.0, 0.0], 0, 1).tolist()
    [-0.5, 0.5]
    """

    def __init__(self, features):
        self.features = features if callable(features) else as_array(features, "features", ndim=3).__getitem__

    def probabilities(self, theta, observation):
        """Return the probability (A,) of each action."""
        return softmax(self.features(observation) @ theta)

    def act(self, theta, observation, rng):
        """Draw an action, and return it with its score."""
        x = self.features(observation)
        h = (x @ theta).tolist()
        largest = max(h)
        e = [math.exp(value - largest) for value in h]  # plain numbers: for three actions ten times as fast as arrays
        whole = sum(e)
        u, a = rng.random() * whole, 0
        while u >= e[a] and a < len(e) - 1:
            u, a = u - e[a], a + 1
        return a, x[a] - np.array(e) @ x / whole

    def score(self, theta, observation, action):
        """Return the gradient (d,) of the log-probability of an action."""
        x = np.asarray(self.features(observation), float)
        return x[action] - softmax(x @ np.asarray(theta, float)) @ x


class GaussianPolicy:
    """A push from a normal law around a linear mean, for actions that are real numbers.

        pi(a | s) = N(a; theta . x(s), sigma^2),   grad log pi = (a - theta . x(s)) x(s) / sigma^2     (30.11)

    ``features`` is a function from an observation to (d,).
    """

    def __init__(self, features, sigma=1.0):
        self.features, self.sigma = features, check_number(sigma, "sigma", low=0, open_low=True)

    def act(self, theta, observation, rng):
        """Draw a push, and return it with its score."""
        x = self.features(observation)
        a = float(x @ theta + self.sigma * rng.standard_normal())
        return a, self.score(theta, observation, a)

    def score(self, theta, observation, action):
        """Return the gradient (d,) of the log-density of a push."""
        x = as_vector(self.features(observation), "features")
        return (action - x @ np.asarray(theta, float)) * x / self.sigma**2


def per_action(features, n_actions, d):
    """Return features x(s, a) (A, A d) that hold phi(s) in the block of their action, for a `SoftmaxPolicy`."""
    blocks = np.arange(n_actions)[:, None] * d + np.arange(d)

    def x(observation):
        rows = np.zeros((n_actions, n_actions * d))
        rows[np.arange(n_actions)[:, None], blocks] = features(observation)
        return rows

    return x

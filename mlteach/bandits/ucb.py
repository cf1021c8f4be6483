"""Upper confidence bounds: choose the arm that could be the best (section 26.6)."""

import numpy as np

from mlteach.bandits.agent import Agent, greedy
from mlteach.validation import check_number


def upper_bounds(Q, N, t, c=2.0):
    """Return Q + c sqrt(ln t / N) (..., k), infinite for an arm that was never pulled (26.8).

    >>> upper_bounds(np.array([0.5, 0.6]), np.array([10, 100]), 110, c=2).round(6).tolist()
    [1.871201, 1.033612]
    """
    Q, N = np.asarray(Q, dtype=float), np.asarray(N, dtype=float)
    bound = Q + c * np.sqrt(np.log(max(t, 1)) / np.maximum(N, 1))
    return np.where(N > 0, bound, np.inf)


class UCB(Agent):
    """Pull every arm once, in random order, then the one with the largest Q + c sqrt(ln t / N)   (26.8).

    c   width of the bound; sqrt(2) is the value of the proof for rewards in [0, 1]

    >>> agent = UCB(2)
    >>> agent.policy(np.array([0.5, 0.6]), np.array([10, 100]), 110).tolist()
    [1.0, 0.0]
    >>> agent.policy(np.array([0.5, 0.0, 0.0]), np.array([1, 0, 0]), 1).tolist()
    [0.0, 0.5, 0.5]
    """

    def __init__(self, c=2.0):
        self.c = c

    def check(self):
        """Raise a ValueError for parameters that cannot be."""
        check_number(self.c, "c", low=0)

    def policy(self, Q, N, t):
        """Return the probabilities (..., k) of the arms."""
        Q, N = np.asarray(Q), np.asarray(N)
        new = N == 0
        if not new.any():
            return greedy(upper_bounds(Q, N, t, self.c))
        some = new.any(axis=-1, keepdims=True)
        return greedy(np.where(some, new, np.where(new, 0.0, upper_bounds(Q, np.maximum(N, 1), t, self.c))))

"""Explore, then commit: try every arm m times, then keep the best for ever (section 26.7)."""

import numpy as np

from mlteach.bandits.agent import Agent, greedy
from mlteach.validation import check_integer


class ExploreThenCommit(Agent):
    """Pull each of the k arms ``m`` times, those with the fewest pulls first; then the one that was best, for ever.

    What comes after the trial changes nothing: the agent is committed.

    >>> ExploreThenCommit(2).policy(np.array([0.5, 1.0]), np.array([2, 1]), 3).tolist()
    [0.0, 1.0]
    """

    def __init__(self, m=10):
        self.m = m

    def check(self):
        """Raise a ValueError for parameters that cannot be."""
        check_integer(self.m, "m", low=1)

    def policy(self, Q, N, t):
        """Return the probabilities (..., k) of the arms."""
        end = self.m * np.shape(Q)[-1]
        if t < end:
            return greedy(-np.asarray(N))
        return greedy(Q if t == end else N)  # after the choice the chosen arm has the most pulls

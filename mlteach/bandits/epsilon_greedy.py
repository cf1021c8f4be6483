"""Epsilon-greedy: mostly the best arm so far, sometimes any (section 26.4)."""

import numpy as np

from mlteach.bandits.agent import Agent, at_time, greedy


class EpsilonGreedy(Agent):
    """Take the arm with the largest mean with probability 1 - epsilon, else any of the k arms, also that one.

        p(a) = epsilon / k + (1 - epsilon) [a is greedy]                                        (26.3)

    epsilon   a number, or a function of the step t = 1, 2, ... that gives one: ``lambda t: min(1, 20 / t)``
    step      None for the mean of all rewards, or a constant step that forgets
    initial   Q before the first pull

    >>> from mlteach.bandits import BernoulliBandit
    >>> agent = EpsilonGreedy(0.1).start(BernoulliBandit([0.1, 0.5, 0.2, 0.2]))
    >>> agent.update(1, 1.0)
    >>> agent.probabilities().tolist()
    [0.025, 0.925, 0.025, 0.025]
    """

    def __init__(self, epsilon=0.1, *, step=None, initial=0.0):
        self.epsilon, self.step, self.initial = epsilon, step, initial

    def check(self):
        """Raise a ValueError for parameters that cannot be."""
        super().check()
        at_time(self.epsilon, 1, "epsilon", 0, 1)

    def policy(self, Q, N, t):
        """Return the probabilities (..., k) of the arms."""
        epsilon = at_time(self.epsilon, t + 1, "epsilon", 0, 1)
        return epsilon / np.shape(Q)[-1] + (1 - epsilon) * greedy(Q)

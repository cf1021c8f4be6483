"""Optimism: start with values that no arm can keep (section 26.5)."""

from mlteach.bandits.agent import Agent, greedy


class OptimisticGreedy(Agent):
    """Always take the arm with the largest Q, which starts at ``initial``, above anything to be expected.

    step   constant, so that the optimism fades slowly; with None, the mean, the first pull of an arm wipes it out

    >>> from mlteach.bandits import GaussianBandit
    >>> agent = OptimisticGreedy(5.0, 0.1).start(GaussianBandit([0.0, 1.0]))
    >>> agent.update(1, 1.0)
    >>> agent.Q_.tolist(), agent.probabilities().tolist()
    ([5.0, 4.6], [1.0, 0.0])
    """

    def __init__(self, initial=5.0, step=0.1):
        self.initial, self.step = initial, step

    def policy(self, Q, N, t):
        """Return the probabilities (..., k) of the arms."""
        return greedy(Q)

"""Soft-max: better arms more often, by powers of a base (section 26.5)."""

import numpy as np

from mlteach.bandits.agent import Agent, at_time


def boltzmann(scores):
    """Return exp(scores) (..., k) divided by its sum; the largest score is subtracted first, so nothing overflows.

    >>> boltzmann(np.array([1000.0, 1000.0])).tolist()
    [0.5, 0.5]
    """
    scores = np.asarray(scores, dtype=float)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


class SoftMax(Agent):
    """Choose by powers of a base:  p(a) = b^Q(a) / sum of b^Q                                  (26.5)

    base   b = 1 is blind, b > 1 favours large Q, b < 1 small ones; a number, or a function of the step t = 1, 2, ...
           that gives one, as a rule a growing one. The temperature of other texts is 1 / ln b.

    >>> SoftMax(2).policy(np.array([1.0, 2.0, 3.0]), None, 0).round(6).tolist()
    [0.142857, 0.285714, 0.571429]
    """

    def __init__(self, base=np.e, *, step=None, initial=0.0):
        self.base, self.step, self.initial = base, step, initial

    def check(self):
        """Raise a ValueError for parameters that cannot be."""
        super().check()
        at_time(self.base, 1, "base", 0, open_low=True)

    def policy(self, Q, N, t):
        """Return the probabilities (..., k) of the arms."""
        return boltzmann(np.asarray(Q) * np.log(at_time(self.base, t + 1, "base", 0, open_low=True)))

"""The gradient bandit: learn preferences instead of values (section 26.10)."""

import numpy as np

from mlteach.bandits.agent import Agent, entry, refuse
from mlteach.bandits.soft_max import boltzmann
from mlteach.validation import check_choice, check_number


class GradientBandit(Agent):
    """Climb the expected reward by one sample of its gradient at every pull.

        p = softmax(H),   H(a) <- H(a) + alpha (R - B) ([a = A] - p(a))                         (26.17)

    step       alpha, the learning rate
    baseline   B is the mean of all rewards so far, this one included; False: B = 0

    Besides ``Q_``, ``N_`` and ``t_``, which it does not use, it keeps ``H_`` (..., k) and ``mean_`` (...).

    >>> from mlteach.bandits import BernoulliBandit
    >>> agent = GradientBandit(0.5, baseline=False).start(BernoulliBandit([0.1, 0.9]))
    >>> agent.update(1, 1.0)
    >>> agent.H_.tolist()
    [-0.25, 0.25]
    """

    by_counts = False

    def __init__(self, step=0.1, *, baseline=True):
        self.step, self.baseline = step, baseline

    def check(self):
        """Raise a ValueError for parameters that cannot be."""
        check_number(self.step, "step", low=0, open_low=True)
        check_choice(self.baseline, "baseline", (True, False))

    def start(self, bandit):
        """Return a copy that has not pulled yet: all preferences 0."""
        new = super().start(bandit)
        new.H_, new.mean_ = np.zeros_like(new.N_), np.zeros(bandit.shape)
        return new

    def probabilities(self):
        """Return the probabilities (..., k) of the arms for the next pull."""
        return boltzmann(self.H_)

    def update(self, arm, reward):
        """Climb one step."""
        refuse(arm, self.N_.shape[-1], reward)
        p = self.probabilities()
        # 1. The baseline, with this reward in it
        self.mean_ = self.mean_ + (reward - self.mean_) / (self.t_ + 1)
        surprise = reward - self.mean_ if self.baseline else np.asarray(reward, dtype=float)
        # 2. Towards the arm that was pulled if the reward was above it, else away                (26.17)
        self.H_ = self.H_ - self.step * surprise[..., None] * p
        self.H_[entry(arm)] += self.step * surprise
        self.N_[entry(arm)] += 1
        self.t_ += 1

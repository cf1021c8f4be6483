"""What all agents share (sections 26.2 to 26.4): a table of action values, a rule that chooses, and an update.

A rule is a function ``policy(Q, N, t)`` from the table (..., k) to the probabilities of the arms (..., k). The leading
axis may count bandits that are played at the same time, or all states that two arms can be in: so one formula serves
a single run, the test bed with its thousands of bandits, and the exact expectations of section 26.9.
"""

import copy
from functools import cache

import numpy as np

from mlteach.validation import check_number

TIE = 1e-9  # values closer than this share of the largest count as equal: only rounding separates them


def greedy(values):
    """Return probabilities (..., k): all for the largest of the values (..., k), in equal parts if several are.

    >>> greedy(np.array([1.0, 3.0, 3.0])).tolist()
    [0.0, 0.5, 0.5]
    """
    values = np.asarray(values)
    top = values.max(axis=-1, keepdims=True)
    best = values >= top - TIE * np.abs(top)
    return best / best.sum(axis=-1, keepdims=True)


def entry(arm):
    """Return the index under which a table (..., k) has the entry of each bandit's arm (...)."""
    return arm if np.ndim(arm) == 0 else (np.arange(len(arm)), arm)


def refuse(arm, k, reward=0.0):
    """Raise a ValueError for an arm (...) that is not one of 0 to k - 1, or a reward (...) that is no number."""
    arms = np.asarray(arm)
    if arms.dtype.kind not in "iu" or arms.min() < 0 or arms.max() >= k:
        raise ValueError(f"arm must be a whole number from 0 to {k - 1}, there are {k} arms; got {arm!r}.")
    if not np.isfinite(reward).all():
        raise ValueError(f"reward must be a finite number; got {reward!r}.")


def draw(p, rng):
    """Return an arm (...) for each row of probabilities (..., k): the first whose cumulated probability exceeds u.

    ``p`` are those probabilities.
    """
    reached = (_below(p.shape[-1]) @ p.T).T  # sums of the first 1, 2, ..., k probabilities
    u = rng.random(p.shape[:-1]) * reached[..., -1]
    return (reached[..., :-1] <= u[..., None]).sum(axis=-1)


@cache
def _below(k):
    """Return ones on and below the diagonal (k, k)."""
    return np.tri(k)


class Agent:
    """An agent that keeps a mean Q(a) and a count N(a) for every arm.

        Q(A) <- Q(A) + alpha (R - Q(A)),  alpha = 1/N(A)                        (26.2)
        or ``step``, if one is given                                           (26.18)

    ``start(bandit)`` returns a copy with the state ``Q_``, ``N_`` (..., k) and ``t_``, the number of pulls so far;
    the agent itself only holds its parameters.
    """

    initial, step = 0.0, None
    by_counts = True  # whether Q is the mean of an arm's rewards, so that Q, N and t say all there is to know

    def start(self, bandit):
        """Return a copy that has not pulled yet, for one bandit or for n of them."""
        new = copy.copy(self)
        new.check()
        shape = (*bandit.shape, bandit.arms)
        # One arm of all bandits lies together in memory (order F): what runs over the arms is ten times as fast
        new.Q_, new.N_, new.t_ = np.full(shape, float(new.initial), order="F"), np.zeros(shape, order="F"), 0
        return new

    def check(self):
        """Raise a ValueError for parameters that cannot be."""
        check_number(self.initial, "initial")
        if self.step is not None:
            check_number(self.step, "step", low=0, high=1, open_low=True)

    def policy(self, Q, N, t):
        """Return the probabilities (..., k) of the arms after ``t`` pulls that left the means Q and the counts N."""
        raise NotImplementedError

    def probabilities(self):
        """Return the probabilities (..., k) of the arms for the next pull."""
        return self.policy(self.Q_, self.N_, self.t_)

    def choose(self, rng):
        """Return the next arm (...)."""
        return draw(self.probabilities(), rng)

    def update(self, arm, reward):
        """Learn from one pull: ``arm`` (...) gave ``reward`` (...)."""
        refuse(arm, self.N_.shape[-1], reward)
        A = entry(arm)
        # 1. Count
        self.t_ += 1
        self.N_[A] += 1
        # 2. Move the estimate towards the reward                             (26.2), (26.18)
        alpha = 1 / self.N_[A] if self.step is None else self.step
        self.Q_[A] += alpha * (reward - self.Q_[A])

    def __repr__(self):
        given = ", ".join(f"{name}={value!r}" for name, value in vars(self).items() if not name.endswith("_"))
        return f"{type(self).__name__}({given})"


def at_time(value, t, name, low, high=None, *, open_low=False):
    """Return a parameter that may be a number or a function of the step t = 1, 2, ..., checked."""
    value = value(t) if callable(value) else value
    if type(value) is float and low < value < (np.inf if high is None else high):  # as nearly always
        return value
    value = value.item() if isinstance(value, np.generic) else value
    return check_number(value, name, low=low, high=high, open_low=open_low)

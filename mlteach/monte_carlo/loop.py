"""The smallest world where first and every visit differ (section 28.5), and a variance is infinite (28.18).

One state: an action leads back to it with the probability ``stay``, else the episode ends.
"""

from math import lgamma
from typing import NamedTuple

import numpy as np

from mlteach.mdp import TabularEnv
from mlteach.validation import check_integer, check_number


class Loop(TabularEnv):
    """One state. Action 0 stays with the probability ``stay``; action 1, where there are two, ends with reward 0.

    ``reward`` is paid for each step of action 0, ``prize`` when action 0 ends the episode; after
    ``max_steps`` an episode is cut off.

    >>> Loop(stay=0.5, reward=1).reset(seed=0)
    (0, {})
    """

    def __init__(self, stay, *, reward=0.0, prize=0.0, n_actions=1, max_steps=None):
        stay = check_number(stay, "stay", low=0, high=1, open_high=True)
        reward, prize = check_number(reward, "reward"), check_number(prize, "prize")
        go_on = [(stay, 0, reward, False), (1 - stay, 1, reward + prize, True)]
        leave = [(1.0, 1, 0.0, True)]
        actions = range(check_integer(n_actions, "n_actions", low=1, high=2))
        stop = {a: [(1.0, 1, 0.0, True)] for a in actions}
        super().__init__({0: {a: (go_on, leave)[a] for a in actions}, 1: stop}, start=0, max_steps=max_steps)


class LoopLaw(NamedTuple):
    """Exact bias and mean squared error of both estimates of V = 1 / (1 - stay), after some episodes of `Loop`."""

    first_bias: float
    first_mse: float
    every_bias: float
    every_mse: float


def loop_law(stay, episodes):
    """Return the `LoopLaw`: how first and every visit err on a loop that pays 1 a step.

        first visit   bias 0,                      mse = V (V - 1) / n
        every visit   bias -(V - 1) / (n + 1)                               (28.6)

    The second error is a sum over S, the number of steps of all n episodes: its law is negative binomial, and given S
    all ways to cut it into n episodes are equally likely.

    ``stay`` is the chance of one more round.

    >>> loop_law(0.5, 1)
    LoopLaw(first_bias=0.0, first_mse=2.0, every_bias=-0.5, every_mse=0.75)
    """
    stay = check_number(stay, "stay", low=0, high=1, open_high=True)
    n = check_integer(episodes, "episodes", low=1)
    V = 1 / (1 - stay)
    bias = -(V - 1) / (n + 1)
    if stay == 0:
        return LoopLaw(0.0, 0.0, 0.0, 0.0)
    reach = int(n * V + 12 * np.sqrt(n * V * (V - 1)) + 40 * V)
    S = np.arange(n, reach + 1)
    log_cuts = _log_choose(S - 1, n - 1)
    chance = np.exp(log_cuts + n * np.log(1 - stay) + (S - n) * np.log(stay))
    # Mean square of U = sum of T (T + 1) / 2 over the episodes' lengths T, given S
    one, two, three = (np.exp(_log_choose(S + k, n + 3) - log_cuts) for k in (3, 2, 1))
    square = n * (one + 4 * two + three) + n * (n - 1) * one
    mse = float((chance * (square / S**2 - 2 * V * (S + 1) / (n + 1) + V**2)).sum())
    return LoopLaw(0.0, V * (V - 1) / n, bias, round(mse, 12))


def _log_choose(n, k):
    """Return ln of n over k, -inf where k > n."""
    table = np.array([lgamma(i + 1) for i in range(int(n[-1]) + 1)])
    logs = np.full(len(n), -np.inf)
    fits = n >= k
    logs[fits] = table[n[fits]] - lgamma(k + 1) - table[n[fits] - k]
    return logs


def loop_ratio_variance(stay, keep):
    """Return the variance of rho G where the target always takes action 0 of a loop with prize 1, the behaviour with
    probability ``keep``: (keep > stay)  (1 - stay) / (keep - stay) - 1, else infinite   (28.18).

    >>> loop_ratio_variance(0.9, 0.95), loop_ratio_variance(0.9, 0.5)
    (1.0, inf)
    """
    stay = check_number(stay, "stay", low=0, high=1, open_high=True)
    keep = check_number(keep, "keep", low=0, high=1, open_low=True)
    return round((1 - stay) / (keep - stay) - 1, 12) if keep > stay else np.inf

"""Small worlds of the chapter: a line with its exact value (section 30.2), two states that diverge, a corridor."""

import math

import numpy as np

from mlteach.mdp import MDP, TabularEnv
from mlteach.validation import as_vector, check_number


class ShortCorridor(TabularEnv):
    """Three cells that look alike, the goal to their right: -1 a step, and in cell 1 the two moves are swapped.

    States 0, 1, 2 and the goal 3; action 0 is left, 1 right. An agent that cannot tell the cells apart goes right with
    one probability p in all of them. Then the value of the start is

        v(p) = 2 (p - 2) / (p (1 - p)),  largest at p = 2 - sqrt(2), where it is -6 - 4 sqrt(2)          (30.19)

    ``features`` (4, 2, 2) says the same to a `SoftmaxPolicy`: theta = (left, right) in every cell.

    >>> corridor = ShortCorridor()
    >>> round(corridor.best, 4), round(float(corridor.value(corridor.best)), 3)
    (0.5858, -11.657)
    """

    best = 2 - math.sqrt(2)
    features = np.tile(np.eye(2), (4, 1, 1))

    def __init__(self, *, max_steps=None, rng=0):
        moves = {0: (0, 1), 1: (2, 0), 2: (1, 3)}
        table = {s: {a: [(1.0, t, -1.0, t == 3)] for a, t in enumerate(to)} for s, to in moves.items()}
        table[3] = {a: [(1.0, 3, 0.0, True)] for a in (0, 1)}
        super().__init__(table, start=0, max_steps=max_steps, rng=rng)

    @staticmethod
    def value(p):
        """Return the exact value of the start where the chance of right is ``p``, a number or an array in (0, 1)."""
        p = np.asarray(p, float)
        if not ((p > 0) & (p < 1)).all():
            raise ValueError(
                "p must lie between 0 and 1, both left out: at either end the walk never reaches the goal."
            )
        return 2 * (p - 2) / (p * (1 - p))


MOVES = np.array([-0.3, 0.0, 0.3])


def line_model(states):
    """Return what follows on the line [-2, 2]: next (n, 3, 1), reward -s^2 (n, 3), never ended; moves -0.3, 0, 0.3.

    ``states`` is (n, 1).
    """
    s = as_vector(np.ravel(states), "states")[:, None]
    to = np.clip(s + MOVES, -2, 2)
    return to[:, :, None], np.repeat(-(s**2), 3, axis=1), np.zeros(to.shape, bool)


def line_value(s, gamma=0.9):
    """Return the exact value on the line: walk towards 0 in steps of 0.3, then stay at the nearest place.

    From |s| = 0.3 k + rest, with rest in [-0.15, 0.15], the rewards are -(|s| - 0.3 j)^2 for j = 0 ... k, the last for
    ever. (Walking to the wall and back to change the rest never pays here.)
    """
    gamma = check_number(gamma, "gamma", low=0, high=1, open_high=True)
    s = np.abs(np.atleast_1d(np.asarray(s, float)))
    k = np.ceil((s - 0.15 - 1e-12) / 0.3).clip(0)
    j = np.arange(int(k.max()) + 1)[:, None]
    rewards = np.where(j <= k, -((s - 0.3 * j) ** 2) * gamma**j, 0.0).sum(axis=0)
    rest = s - 0.3 * k
    return rewards - rest**2 * gamma ** (k + 1) / (1 - gamma)


def two_features(gamma, share=0.5):
    """Return the factor by which one fitted iteration multiplies w in the world of two states with values w and 2w.

    Both states lead to the second one for nothing. Least squares with ``share`` of its weight on the first state gives

        w_new = gamma (2 share + 4 (1 - share)) / (share + 4 (1 - share)) w          (30.8)

    which is 6 gamma / 5 for equal weights, and gamma where only the second state counts.

    >>> two_features(0.5), two_features(1.0, share=0.0)
    (0.6, 1.0)
    """
    gamma, share = check_number(gamma, "gamma", low=0, high=1), check_number(share, "share", low=0, high=1)
    return gamma * (2 * share + 4 * (1 - share)) / (share + 4 * (1 - share))


def late_pay(gamma):
    """Return an MDP of three payments in which leaving out the factor gamma^t leads downhill (section 30.10).

    State 0: action 1 pays 1. State 1: action 1 costs 2 now and leads over state 2, which pays 1.5. Action 0 pays
    nothing. `BLIND` lets one probability rule in all states.
    """
    P = np.zeros((4, 2, 4))
    P[0, :, 1] = P[1, 0, 3] = P[1, 1, 2] = P[2, :, 3] = P[3, :, 3] = 1
    R = np.array([[0, 1.0], [0, -2.0], [1.5, 1.5], [0, 0]])
    return MDP(P, R, gamma)


BLIND = np.tile(np.array([[0.0], [1.0]]), (4, 1, 1))  # (S, A, 1): theta is the log odds of action 1, in every state


def three_rounds(gamma):
    """Return a game of three rounds for two actions, with chance, in which every episode takes three steps.

    Round one in state 0, round two in 1 or 2, round three in 3 or 4, then the end, 5. There are 32 possible episodes,
    few enough to go through all of them.
    """
    P = np.zeros((6, 2, 6))
    P[0, :, 1:3] = [[0.8, 0.2], [0.3, 0.7]]
    P[1, :, 3:5] = [[0.9, 0.1], [0.4, 0.6]]
    P[2, :, 3:5] = [[0.5, 0.5], [0.2, 0.8]]
    P[3:, :, 5] = 1
    R = np.array([[2.0, 1.0], [3.0, 2.5], [4.0, 1.0], [2.0, 6.0], [5.0, 3.0], [0.0, 0.0]])
    return MDP(P, R, gamma)

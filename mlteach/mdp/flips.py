"""Where the best policy changes as rewards change: the exact points, one after another (section 27.8)."""

from typing import NamedTuple

import numpy as np

from mlteach.mdp.evaluation import policy_evaluation
from mlteach.mdp.improvement import optimal_actions
from mlteach.mdp.model import MDP
from mlteach.mdp.policy_iteration import policy_iteration
from mlteach.validation import as_array, check_number

FLAT, TIE = 1e-9, 1e-11  # a line that does not rise; an advantage that is 0, up to rounding errors


class Piece(NamedTuple):
    """An interval of c on which one set of actions is optimal; values are constant + slope * c there."""

    low: float
    high: float
    constant: np.ndarray  # (S,)
    slope: np.ndarray  # (S,)
    optimal: np.ndarray  # (S, A), inside the interval


def flip_points(mdp, bonus, low, high):
    """Return the pieces (`Piece`) of ``low`` <= c <= ``high`` on which the rewards R + c * bonus have one best policy.

    The value of a fixed policy is linear in c: V = constant + slope c, two linear systems. It stays optimal until the
    advantage of some action over it, linear as well, crosses 0: that is the next flip.           (27.14)

    ``bonus`` (S, A) is what c pays for, for instance 1 for every step that does not end.
    """
    low, high = check_number(low, "low"), check_number(high, "high")
    if high <= low:
        raise ValueError(f"high must be greater than low = {low:g}; got {high:g}.")
    bonus = as_array(bonus, "bonus")
    if bonus.shape != mdp.feasible.shape:
        raise ValueError(f"bonus must have shape {mdp.feasible.shape}, like R; got {bonus.shape}.")
    base, extra = mdp, _with_rewards(mdp, bonus)
    pieces, c, nudge = [], low, 1e-9 * max(abs(low), abs(high), high - low)
    while c < high:
        # 1. Solve just right of c, and write the policy's values as a line in c
        at = c + nudge
        here = _with_rewards(mdp, np.where(mdp.feasible, mdp.R, 0.0) + at * bonus)
        policy = policy_iteration(here).policy
        while True:
            constant, slope = policy_evaluation(base, policy), policy_evaluation(extra, policy)
            # 2. The advantage of every action, a line too, is at most 0 here; a tie that rises is taken at once
            gap = mdp.R + mdp.gamma * mdp.expect(constant) - constant[:, None]
            rise = bonus + mdp.gamma * mdp.expect(slope) - slope[:, None]
            tied = gap + at * rise > -TIE * max(1.0, float(np.abs(constant + at * slope).max()))
            ahead = np.where(tied & mdp.feasible & (rise > FLAT), rise, 0.0)
            if not ahead.any():
                break
            policy = np.where(ahead.any(axis=1), np.argmax(ahead, axis=1), policy)
        # 3. The first of them to reach 0 ends the piece
        crossing = (rise > FLAT) & mdp.feasible
        ends = -gap[crossing] / rise[crossing]
        end = min(float(np.min(ends[ends > at], initial=np.inf)), high)
        middle = (max(c, low) + end) / 2
        there = _with_rewards(mdp, np.where(mdp.feasible, mdp.R, 0.0) + middle * bonus)
        pieces.append(Piece(c, end, constant, slope, optimal_actions(there, constant + middle * slope)))
        c = end
    return pieces


def _with_rewards(mdp, R):
    """Return the same transitions with the rewards R (S, A)."""
    return MDP._of_rows(mdp._rows, None, R, mdp.feasible, mdp.gamma)

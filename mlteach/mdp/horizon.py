"""Finite horizon: with n steps to go, one sweep after another is the exact answer (section 27.10)."""

from typing import NamedTuple

import numpy as np

from mlteach.mdp.improvement import q_from_v
from mlteach.mdp.model import as_values
from mlteach.validation import check_integer


class Plan(NamedTuple):
    """What to do with every number of steps to go, and what it is worth."""

    V: np.ndarray  # (steps + 1, S); row 0 has all steps to go, the last none
    policy: np.ndarray  # (steps, S); row t is for the step t
    optimal: np.ndarray  # (steps, S, A), True for every best action


def finite_horizon(mdp, steps, final=None):
    """Return values and actions of the best plan over ``steps`` steps, by backward induction.

    V_t(s) = max_a [r(s, a) + gamma sum_s' p(s' | s, a) V_t+1(s')],   V_steps = ``final``, or 0      (27.16)

    >>> from mlteach.mdp import two_states
    >>> finite_horizon(two_states(), 3).V.round(6).tolist()
    [[3.42, 5.42], [1.9, 3.8], [1.0, 2.0], [0.0, 0.0]]
    """
    steps = check_integer(steps, "steps", low=0)
    V = np.zeros((steps + 1, mdp.n_states))
    optimal = np.zeros((steps, mdp.n_states, mdp.n_actions), bool)
    if final is not None:
        V[steps] = as_values(mdp, final, "final")
    for t in reversed(range(steps)):
        Q = q_from_v(mdp, V[t + 1])
        V[t] = Q.max(axis=1)
        optimal[t] = Q >= V[t][:, None] - 1e-10 * max(1.0, np.abs(V[t]).max())
    return Plan(V, np.argmax(optimal, axis=2), optimal)

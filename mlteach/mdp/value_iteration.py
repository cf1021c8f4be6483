"""Value iteration: Bellman's optimality equation as an assignment (section 27.7)."""

import warnings

import numpy as np

from mlteach.history import History
from mlteach.mdp._rows import row_max
from mlteach.mdp.evaluation import Sweep
from mlteach.mdp.improvement import greedy_policy
from mlteach.mdp.policy_iteration import Solution, policy_iteration
from mlteach.validation import ConvergenceWarning, check_integer, check_number

ROUNDING = 8 * np.finfo(float).eps


def value_iteration(mdp, tol=1e-9, *, max_iter=100_000, history=True):
    """Return V with |V - V*| <= ``tol`` in every state, a greedy policy, and the history (`Sweep`) of sweeps from 0.

    V <- max_a [r(s, a) + gamma sum_s' p(s' | s, a) V(s')]           (27.10)

    It stops when the largest change is at most tol (1 - gamma) / gamma, which bounds the error itself by tol
    (27.12), or when rounding allows no better. With gamma = 1 no such bound exists: there the exact values of
    policy iteration say when V is near enough.

    >>> from mlteach.mdp import two_states
    >>> found = value_iteration(two_states(), tol=1e-6)
    >>> found.V.round(5).tolist(), found.policy.tolist(), [step.V.tolist() for step in found.history[:3]]
    ([18.0, 20.0], [1, 0], [[0.0, 0.0], [1.0, 2.0], [1.9, 3.8]])
    """
    tol = check_number(tol, "tol", low=0, open_low=True)
    max_iter = check_integer(max_iter, "max_iter", low=1)
    met = Stop(mdp, tol)
    V = np.zeros(mdp.n_states)
    records = History([Sweep(V, np.inf)], whole=history)
    while records.n_steps < max_iter:
        # 1. One sweep: the best action by the values so far
        new = row_max(mdp.R + mdp.gamma * mdp.expect(V))
        V, change = new, float(np.abs(new - V).max())
        records.append(Sweep(V, change))
        # 2. Stop when the change bounds the error
        if met(V, change, mdp.gamma):
            return Solution(V, greedy_policy(mdp, V), records)
    if mdp.gamma == 1:
        raise ValueError(
            f"with gamma = 1 the values did not settle within {max_iter:,} sweeps: their largest change is still "
            f"{change:.3g}. Raise max_iter, or use gamma < 1."
        )
    warnings.warn(
        f"value_iteration has not met tol={tol:g} after {max_iter} sweeps. Raise max_iter.",
        ConvergenceWarning,
        stacklevel=2,
    )
    return Solution(V, greedy_policy(mdp, V), records)


class Stop:
    """Says when values are within ``tol`` of V*; called after every sweep with V and its largest change.

    With gamma = 1 no change bounds the error, so the exact values of policy iteration do; it also says where nothing
    ends.
    """

    def __init__(self, mdp, tol):
        self.gamma, self.tol = mdp.gamma, tol
        self.exact = policy_iteration(mdp).V if mdp.gamma == 1 else None

    def __call__(self, V, change, factor):
        """Say whether V is near enough: |V - V*| <= factor * change / (1 - gamma)."""
        if self.gamma == 1:
            return np.abs(V - self.exact).max() <= self.tol + ROUNDING * np.abs(V).max()
        return change * factor <= self.tol * (1 - self.gamma) or change <= ROUNDING * np.abs(V).max()

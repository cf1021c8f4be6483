"""The linear program whose solution is V* (section 27.7.2)."""

import numpy as np

from mlteach.mdp.improvement import greedy_policy
from mlteach.mdp.policy_iteration import Solution
from mlteach.mdp.undiscounted import resting, stopping_policy


def linear_program(mdp):
    """Return V*, a greedy policy and an empty history: the least V that no action can raise.

    minimise sum_s V(s)  subject to  V(s) >= r(s, a) + gamma sum_s' p(s' | s, a) V(s') for all s, a      (27.13)
    """
    from scipy.optimize import linprog
    from scipy.sparse import eye_array

    S, A = mdp.n_states, mdp.n_actions
    pairs = np.flatnonzero(mdp.feasible & ~mdp.terminal[:, None])
    low = np.full(S, -np.inf)
    if mdp.gamma == 1:
        stopping_policy(mdp)  # says where nothing ends
        low[resting(mdp)] = 0.0
    V = np.zeros(S)
    if len(pairs):
        P = mdp._rows.matrix()[pairs]
        own = eye_array(S).tocsr()[pairs // A]
        bounds = [(0.0, 0.0) if end else (b, None) for end, b in zip(mdp.terminal, low)]
        found = linprog(np.ones(S), mdp.gamma * P - own, -mdp.R.ravel()[pairs], bounds=bounds, method="highs")
        if not found.success:
            raise ValueError(f"the linear program has no solution ({found.message.strip()}); does it pay never to end?")
        V = found.x
    return Solution(V, greedy_policy(mdp, V), [])

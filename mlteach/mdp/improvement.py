"""One step ahead: action values, greedy policies, every tie, the improvement of a policy (section 27.5)."""

import numpy as np

from mlteach.mdp.model import _of_actions, as_values
from mlteach.mdp.undiscounted import seeking_policy
from mlteach.validation import check_number

ROUNDING = 1e-12  # a tie, up to the rounding errors of a linear system


def q_from_v(mdp, V):
    """Return the action values (S, A): Q(s, a) = r(s, a) + gamma sum_s' p(s' | s, a) V(s'); -inf if impossible.

    >>> from mlteach.mdp import two_states
    >>> q_from_v(two_states(), [18.0, 20.0]).round(6).tolist()
    [[17.2, 18.0], [20.0, 16.2]]
    """
    return mdp.R + mdp.gamma * mdp.expect(as_values(mdp, V))


def optimal_actions(mdp, V, tol=1e-8):
    """Return every greedy action for the values V as True in an array (S, A): all ties, up to ``tol`` max(1, max |V|).

    For V* these are all optimal actions (with gamma = 1: all that can belong to an optimal policy that ends).
    """
    tol = check_number(tol, "tol", low=0)
    Q = q_from_v(mdp, V)
    return Q >= Q.max(axis=1, keepdims=True) - tol * max(1.0, float(np.abs(V).max()))


def greedy_policy(mdp, V):
    """Return one greedy action for every state (S,): the first of the best ones, with gamma = 1 one that leads home.

    ``V`` (S,) are the values.
    """
    best = optimal_actions(mdp, V)
    return seeking_policy(mdp, best, np.asarray(V, float)) if mdp.gamma == 1 else np.argmax(best, axis=1)


def policy_improvement(mdp, V, policy=None):
    """Return the policy (S,) that is greedy for the values V of a policy; it is at least as good in every state.

    pi'(s) = argmax_a Q_pi(s, a)                                      (27.7)

    Where an action of ``policy`` (S,) is among the best ones, it is kept: else two policies of one value could take
    turns for ever.
    """
    if policy is None:
        return greedy_policy(mdp, V)
    best = optimal_actions(mdp, V, tol=ROUNDING)
    actions = np.argmax(_of_actions(mdp, np.asarray(policy), "policy"), axis=1)
    kept = best[np.arange(mdp.n_states), actions]
    return np.where(kept, actions, np.argmax(q_from_v(mdp, V), axis=1))

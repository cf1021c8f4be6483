"""Quick bounds: what if the state were seen from tomorrow on, what if one never looked (section 32.9)."""

import numpy as np

from mlteach.mdp import policy_evaluation, policy_iteration, q_from_v
from mlteach.pomdp.model import as_beliefs, below_one
from mlteach.validation import check_number


def qmdp(pomdp):
    """Return Q (S, A) of the process with its state in sight: b . Q[:, a] is never below the true value of a.

    Q(s, a) = r(s, a) + gamma sum_s' p(s' | s, a) max_a' Q(s', a')                         (32.15)

    >>> from mlteach.pomdp import tiger
    >>> Q = qmdp(tiger())
    >>> round(float(Q.mean(axis=0).max()), 6)
    189.0
    """
    below_one(pomdp, "an endless horizon")
    mdp = pomdp.mdp()
    return q_from_v(mdp, policy_iteration(mdp).V)


def informed_bound(pomdp, tol=1e-9, *, max_iter=100_000):
    """Return the fast informed bound Q (S, A): the next action may depend on what is observed, and on s alone.

    Q(s, a) = r(s, a) + gamma sum_z max_a' sum_s' p(s' | s, a) o(z | s', a) Q(s', a')      (32.16)

    It lies between the true value and `qmdp`. It is iterated from `qmdp` downwards, to ``tol``.
    """
    below_one(pomdp, "an endless horizon")
    tol, Q = check_number(tol, "tol", low=0, open_low=True), qmdp(pomdp)
    for _ in range(max_iter):
        ahead = np.einsum("sat,atz,tb->sazb", pomdp.P, pomdp.O, Q)
        new = pomdp.R + pomdp.gamma * ahead.max(axis=3).sum(axis=2)
        change, Q = float(np.abs(new - Q).max()), new
        if change * pomdp.gamma <= tol * (1 - pomdp.gamma) or change <= 1e-15 * np.abs(Q).max():
            return Q
    raise ValueError(f"the bound did not settle within {max_iter:,} sweeps; raise max_iter, or tol ({tol:g}).")


def blind_policies(pomdp):
    """Return what it is worth to take one action for ever: vectors (A, S), a lower bound max_a b . vectors[a].

    >>> from mlteach.pomdp import tiger
    >>> blind_policies(tiger()).round(6)[0].tolist()
    [-20.0, -20.0]
    """
    below_one(pomdp, "an endless horizon")
    mdp = pomdp.mdp()
    return np.array([policy_evaluation(mdp, np.full(pomdp.n_states, a)) for a in range(pomdp.n_actions)])


def bound_value(Q, belief):
    """Return max_a b . Q[:, a], for one belief (S,) or for beliefs (n, S); Q (S, A)."""
    values = as_beliefs(belief, len(Q)) @ np.asarray(Q, float)
    return float(values.max()) if values.ndim == 1 else values.max(axis=-1)

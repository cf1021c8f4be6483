"""Policy evaluation: what a policy is worth, by a linear system or by sweeps.

Section 27.4 derives the system, section 27.7.1 compares the sweeps.
"""

import warnings
from typing import NamedTuple

import numpy as np

from mlteach.history import History
from mlteach.mdp._rows import solve
from mlteach.mdp.model import as_policy
from mlteach.mdp.undiscounted import NeverEnds, ends_for_good
from mlteach.validation import ConvergenceWarning, as_vector, check_integer, check_number


class Sweep(NamedTuple):
    """State of an iteration after one sweep over all states; the first record is the start."""

    V: np.ndarray  # (S,)
    change: float  # largest change of the sweep, inf before the first


class Evaluation(NamedTuple):
    """What `iterative_evaluation` found."""

    V: np.ndarray  # (S,)
    history: list  # of `Sweep`


def policy_evaluation(mdp, policy):
    """Return the values (S,) of a policy: the solution of Bellman's equations, which are linear.

    V = r_pi + gamma P_pi V,  so  (I - gamma P_pi) V = r_pi          (27.5)

    ``policy`` holds actions (S,) or probabilities (S, A). With gamma = 1 it must end: from every state reach states
    in which it is never paid again; those have value 0.

    >>> from mlteach.mdp import two_states
    >>> policy_evaluation(two_states(), [0, 1]).round(6).tolist()
    [10.0, 9.0]
    """
    weights = as_policy(mdp, policy)
    P, r = mdp.under(weights)
    if mdp.gamma < 1:
        return solve(P, mdp.gamma, r)
    over = ends_for_good(mdp, weights)
    _check_that_it_ends(P, over)
    V, going = np.zeros(mdp.n_states), np.flatnonzero(~over)
    if len(going):
        V[going] = solve(P[going][:, going], 1.0, r[going])
    return V


def iterative_evaluation(mdp, policy, theta=1e-6, *, in_place=False, max_iter=100_000, history=True):
    """Return the values of a policy by sweeps V <- r_pi + gamma P_pi V, from 0 until no value changes by ``theta``.

    ``in_place`` uses each new value at once; otherwise a sweep sees the old ones alone. The last change is not the
    error: that is up to gamma / (1 - gamma) times as large (27.12).
    """
    weights = as_policy(mdp, policy)
    theta = check_number(theta, "theta", low=0, open_low=True)
    max_iter = check_integer(max_iter, "max_iter", low=1)
    P, r = mdp.under(weights)
    if mdp.gamma == 1:
        _check_that_it_ends(P, ends_for_good(mdp, weights))
    follow = _what_follows(P) if in_place else None
    V = np.zeros(mdp.n_states)
    records = History([Sweep(V, np.inf)], whole=history)
    while records[-1].change >= theta and records.n_steps < max_iter:
        if in_place:
            new = V.copy()
            for s, (places, prob) in enumerate(follow):
                new[s] = r[s] + mdp.gamma * (prob @ new[places])
        else:
            new = r + mdp.gamma * (P @ V)
        V, change = new, float(np.abs(new - V).max())
        records.append(Sweep(V, change))
    if records[-1].change >= theta:
        warnings.warn(
            f"iterative_evaluation has not met theta={theta:g} after {max_iter} sweeps. Raise max_iter.",
            ConvergenceWarning,
            stacklevel=2,
        )
    return Evaluation(V, records)


def occupancy(mdp, policy, start):
    """Return the expected discounted number of visits (S,) to every state from the law ``start`` (S,) of the first.

    d = start + gamma P_pi^T d;  the value of the start is  d . r_pi.  With gamma = 1 states without pay count 0.

    ``policy`` has actions (S,) or probabilities (S, A).
    """
    weights, start = as_policy(mdp, policy), as_vector(start, "start", length=mdp.n_states, like="the states")
    if (start < 0).any() or abs(start.sum() - 1) > 1e-8:
        raise ValueError(f"start must be a distribution over the states; it sums to {start.sum():.6g}.")
    P, _ = mdp.under(weights)
    if mdp.gamma < 1:
        return solve(P.T, mdp.gamma, start)
    over = ends_for_good(mdp, weights)
    _check_that_it_ends(P, over)
    d, going = np.zeros(mdp.n_states), np.flatnonzero(~over)
    if len(going):
        d[going] = solve(P[going][:, going].T, 1.0, start[going])
    return d


def _check_that_it_ends(P, over):
    """Refuse a chain that does not reach the states ``over`` from everywhere."""
    ends = over
    while True:
        more = ends | (P @ ends.astype(float) > 0)
        if (more == ends).all():
            break
        ends = more
    if not ends.all():
        state = int(np.argmin(ends))
        raise NeverEnds(
            f"with gamma = 1 the policy must end; from state {state} it never does, and goes on being paid, so its "
            "rewards have no sum. Use gamma < 1, another policy, or finite_horizon.",
            state,
        )


def _what_follows(P):
    """Return for each row of a matrix the places that are not zero, and what stands there."""
    if isinstance(P, np.ndarray):
        return [(places, row[places]) for row in P for places in [np.flatnonzero(row)]]
    parts = [slice(*pair) for pair in zip(P.indptr[:-1], P.indptr[1:])]
    return [(P.indices[part], P.data[part]) for part in parts]

"""A model from experience: shares of counts for p, means for r (section 27.11)."""

import math
from typing import NamedTuple

import numpy as np

from mlteach.mdp.model import MDP
from mlteach.validation import check_integer, check_number


class Estimate(NamedTuple):
    """Transitions and rewards as they were seen."""

    P: np.ndarray  # (S, A, S)
    R: np.ndarray  # (S, A)
    visits: np.ndarray  # (S, A), how often each pair was tried

    def mdp(self, gamma):
        """Return the decision process of the estimates; solving it is called certainty equivalence."""
        return MDP(self.P, self.R, gamma)


def estimate_model(experience, n_states, n_actions, *, unseen="uniform"):
    """Return the most likely model of transitions (s, a, r, s'), or (s, a, r, s', terminated).

    p(s' | s, a) = N(s, a, s') / N(s, a),   r(s, a) = mean of the rewards seen                        (27.17)

    A pair that was never tried leads anywhere, all states alike, for nothing (``unseen`` = "uniform"), or back to where
    it was tried ("stay"). A state that was reached with ``terminated`` is terminal.

    ``experience`` is the list of these transitions.

    >>> seen = 7 * [(0, 0, 1.0, 0)] + 2 * [(0, 0, 4.0, 1)] + [(0, 0, 5.0, 2)]
    >>> model = estimate_model(seen, n_states=3, n_actions=1)
    >>> model.P[0, 0].tolist(), float(model.R[0, 0]), model.P[1, 0].round(3).tolist()
    ([0.7, 0.2, 0.1], 2.0, [0.333, 0.333, 0.333])
    """
    S, A = check_integer(n_states, "n_states", low=1), check_integer(n_actions, "n_actions", low=1)
    if unseen not in ("uniform", "stay"):
        raise ValueError(f"unseen must be 'uniform' or 'stay'; got {unseen!r}.")
    if not hasattr(experience, "__iter__"):
        raise ValueError(f"experience must be a list of (s, a, r, s'); got {type(experience).__name__}.")
    N, total, ends = np.zeros((S, A, S)), np.zeros((S, A)), np.zeros(S, bool)
    for k, record in enumerate(experience):
        s, a, r, t, over = _read(record, k, S, A)
        N[s, a, t] += 1
        total[s, a] += r
        ends[t] |= over
    visits = N.sum(axis=2)
    blank = np.full((S, A, S), 1 / S) if unseen == "uniform" else np.repeat(np.eye(S)[:, None], A, axis=1)
    seen = visits > 0
    P = np.where(seen[:, :, None], N / np.maximum(visits, 1)[:, :, None], blank)
    R = np.where(seen, total / np.maximum(visits, 1), 0.0)
    P[ends], R[ends] = np.eye(S)[ends][:, None], 0.0
    return Estimate(P, R, visits.astype(int))


def _read(record, k, S, A):
    try:
        s, a, r, t, *more = record
        (over,) = more or (False,)
        if type(s) is type(a) is type(t) is int and type(r) is float and 0 <= min(s, a, t) and math.isfinite(r):
            if s < S and a < A and t < S:  # the usual case, at once
                return s, a, r, t, bool(over)
    except (TypeError, ValueError):
        raise ValueError(
            f"experience must hold (s, a, r, s') or (s, a, r, s', terminated); item {k} is {record!r}."
        ) from None
    s, a, t = (int(x) if isinstance(x, float) and x.is_integer() else x for x in (s, a, t))  # from an array of records
    s = check_integer(s, f"the state of item {k}", low=0, high=S - 1)
    a = check_integer(a, f"the action of item {k}", low=0, high=A - 1)
    return (
        s,
        a,
        check_number(r, f"the reward of item {k}"),
        check_integer(t, f"the next state of item {k}", low=0, high=S - 1),
        bool(over),
    )

"""Alpha vectors: what each plan is worth in every state, backed up step by step (sections 32.5 to 32.7)."""

from typing import NamedTuple

import numpy as np

from mlteach.pomdp.model import as_beliefs, below_one
from mlteach.pomdp.pruning import useful
from mlteach.progress import progress
from mlteach.validation import check_choice, check_integer, check_number

PRUNING = ("auto", "pointwise", "geometry", "program", "none")


class AlphaVector(NamedTuple):
    """A plan: its first action, how it goes on after each observation, and what it is worth in every state."""

    vector: np.ndarray  # (S,)
    action: object  # its name
    after: tuple  # for each observation the place of the plan that follows, in the list for one step less


def alpha_vectors(pomdp, horizon, pruning="auto"):
    """Return the plans over ``horizon`` steps that are best for some belief, as `AlphaVector`s.

    alpha(s) = r(s, a) + gamma sum_z sum_s' p(s' | s, a) o(z | s', a) alpha_z(s')           (32.8)
    V(b) = max over them of sum_s b(s) alpha(s)                                             (32.9)

    With horizon 1 they are the immediate rewards. ``pruning="none"`` keeps every plan: do that for small horizons.

    >>> from mlteach.pomdp import tiger
    >>> [(plan.action, plan.vector.tolist()) for plan in alpha_vectors(tiger(), 1)]
    [('listen', [-1.0, -1.0]), ('open left', [-100.0, 10.0]), ('open right', [10.0, -100.0])]
    """
    return alpha_history(pomdp, horizon, pruning)[-1]


def alpha_history(pomdp, horizon, pruning="auto"):
    """Return the lists of `AlphaVector`s for 1, 2, ..., ``horizon`` steps.

    ``pruning`` as in `useful`.
    """
    horizon = check_integer(horizon, "horizon", low=1)
    check_choice(pruning, "pruning", PRUNING)
    stages = [first_step(pomdp, pruning)]
    for _ in progress(range(horizon - 1), "alpha vectors"):
        stages.append(backup(pomdp, [plan.vector for plan in stages[-1]], pruning))
    return stages


def first_step(pomdp, pruning="auto"):
    """Return the plans of one step: one for each action that is best for some belief."""
    return _kept([AlphaVector(pomdp.R[:, a].copy(), pomdp.actions[a], ()) for a in range(pomdp.n_actions)], pruning)


def backup(pomdp, vectors, pruning="auto"):
    """Return the plans of one step more than ``vectors`` (n, S)            (32.8)

    For each action, plans are joined observation by observation, and pruned in between (incremental pruning).
    """
    vectors, plans = np.asarray(vectors, float), []
    for a in range(pomdp.n_actions):
        # 1. What each old plan is worth after a, with the chance to observe z: (Z, n, S)
        parts = pomdp.gamma * np.einsum("st,tz,it->zis", pomdp.P[:, a], pomdp.O[a], vectors)
        # 2. One old plan for each observation: all sums
        sums, after = pomdp.R[None, :, a], [()]
        for part in parts:
            mine = _places(part, pruning)
            sums = (sums[:, None] + part[None, mine]).reshape(-1, pomdp.n_states)
            after = [before + (i,) for before in after for i in mine]
            kept = _places(sums, pruning)
            sums, after = sums[kept], [after[i] for i in kept]
        plans += [AlphaVector(vector, pomdp.actions[a], way) for vector, way in zip(sums, after)]
    # 3. The best of all actions
    return _kept(plans, pruning)


def _places(vectors, pruning):
    return list(range(len(vectors))) if pruning == "none" else useful(vectors, pruning)


def _kept(plans, pruning):
    return [plans[i] for i in _places(np.array([plan.vector for plan in plans]), pruning)]


def best_plan(plans, belief):
    """Return the plan with the largest value b . alpha at a belief (S,).

    ``plans`` is a list of `AlphaVector`.
    """
    return max(plans, key=lambda plan: float(np.dot(belief, plan.vector)))


def value_of(plans, belief):
    """Return V(b) = max b . alpha for one belief (S,), or for beliefs (n, S)          (32.9)

    ``plans`` is a list of `AlphaVector`.

    >>> from mlteach.pomdp import tiger
    >>> round(value_of(alpha_vectors(tiger(), 3), [0.5, 0.5]), 6)
    2.3098
    """
    vectors = np.array([plan.vector for plan in plans])
    values = as_beliefs(belief, vectors.shape[1]) @ vectors.T
    return float(values.max()) if values.ndim == 1 else values.max(axis=-1)


class Endless(NamedTuple):
    """The plans for an endless horizon, up to a tolerance."""

    plans: list  # of AlphaVector
    before: list  # those of one step less, to which ``after`` points
    steps: int

    def value(self, belief):
        """Return V(b), for one belief or many."""
        return value_of(self.plans, belief)


def solve_endless(pomdp, tol=1e-3, *, max_iter=2000):
    """Return the plans whose value is within ``tol`` of the endless horizon's, for every belief.

    A step shrinks every distance by gamma, so |V - V*| <= gamma / (1 - gamma) times the last change. The change is
    bounded by the distance from each new vector to the nearest old one, and the other way round.
    """
    below_one(pomdp, "an endless horizon")
    tol = check_number(tol, "tol", low=0, open_low=True)
    old = first_step(pomdp)
    for steps in progress(range(2, check_integer(max_iter, "max_iter", low=2) + 1), "endless plans"):
        new = backup(pomdp, [plan.vector for plan in old])
        if change_at_most(new, old) * pomdp.gamma <= tol * (1 - pomdp.gamma):
            return Endless(new, old, steps)
        old = new
    raise ValueError(f"the plans did not settle within {max_iter} steps; raise max_iter, or tol ({tol:g}).")


def change_at_most(new, old):
    """Return a number that no |V_new(b) - V_old(b)| exceeds."""
    gap = np.array([p.vector for p in new])[:, None] - np.array([p.vector for p in old])
    return float(max(gap.max(axis=2).min(axis=1).max(), (-gap).max(axis=2).min(axis=0).max(), 0.0))


def act_by_planes(pomdp, vectors, actions):
    """Return a policy for many beliefs: the action of the largest plane of ``vectors`` (n, S).

    ``actions`` (n,) are those of the planes.
    """
    vectors, numbers = np.asarray(vectors, float), np.array([pomdp.action(a) for a in actions])
    return lambda beliefs: numbers[np.argmax(np.asarray(beliefs) @ vectors.T, axis=-1)]

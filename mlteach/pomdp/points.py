"""Back up at chosen beliefs only: a lower bound for any number of states (section 32.8.1)."""

import numpy as np

from mlteach.pomdp.alpha import AlphaVector
from mlteach.pomdp.bounds import blind_policies
from mlteach.pomdp.model import as_belief, below_one
from mlteach.progress import progress
from mlteach.validation import check_integer


def point_based(pomdp, beliefs, sweeps=200):
    """Return plans that are backed up at ``beliefs`` (N, S) alone; their value is never above the true one.

    At each belief the best plan for every observation, then the best action: N plans at most, however long it runs.
    It begins with the blind policies. A backup of true plans is a true plan, so it can be stopped at any time.

    ``sweeps`` is the number of backups of all beliefs.

    >>> from mlteach.pomdp import belief_grid, tiger, value_of
    >>> round(value_of(point_based(tiger(), belief_grid(2, 21)), [0.5, 0.5]), 2)
    19.37
    """
    below_one(pomdp, "an endless horizon")
    B = np.array([as_belief(pomdp, b) for b in beliefs])
    plans = [AlphaVector(v, name, ()) for v, name in zip(blind_policies(pomdp), pomdp.actions)]
    for _ in progress(range(check_integer(sweeps, "sweeps", low=1)), "point-based plans"):
        plans = backup_at(pomdp, B, [plan.vector for plan in plans])
    return plans


def backup_at(pomdp, B, vectors):
    """Return the best plan of one step more at each of the beliefs B (N, S), each once."""
    vectors, best = np.asarray(vectors, float), []
    for a in range(pomdp.n_actions):
        parts = pomdp.gamma * np.einsum("st,tz,it->zis", pomdp.P[:, a], pomdp.O[a], vectors)
        after = np.stack([np.argmax(B @ part.T, axis=1) for part in parts], axis=1)  # (N, Z)
        best.append((pomdp.R[:, a] + sum(part[i] for part, i in zip(parts, after.T)), after))
    chosen = np.argmax([(B * sums).sum(axis=1) for sums, _ in best], axis=0)
    plans = {(int(a), *map(int, best[a][1][n])): best[a][0][n] for n, a in enumerate(chosen)}
    return [AlphaVector(vector, pomdp.actions[a], tuple(after)) for (a, *after), vector in plans.items()]

"""A finite-state controller: the plans of the endless horizon, as nodes that know which follows (section 32.7)."""

from typing import NamedTuple

import numpy as np

from mlteach.pomdp.alpha import best_plan
from mlteach.pomdp.model import as_belief, below_one


class Controller(NamedTuple):
    """Nodes with an action each, and for each observation the next node."""

    actions: list  # (N,) names
    next: np.ndarray  # (N, Z) nodes
    start: int

    def run(self, observations):
        """Return the actions taken, given the numbers of the observations: no belief is needed."""
        node, taken = self.start, []
        for z in observations:
            taken.append(self.actions[node])
            node = int(self.next[node, z])
        return [*taken, self.actions[node]]


def controller(pomdp, endless, belief):
    """Return the `Controller` that the plans of `solve_endless` form, as far as it is reached from a belief.

    A plan says which plan of one step less follows each observation. That one stands for the nearest of the last plans.

    ``endless`` is what `solve_endless` returned.
    """
    b = as_belief(pomdp, belief)
    last, old = (np.array([plan.vector for plan in plans]) for plans in (endless.plans, endless.before))
    nearest = np.abs(old[:, None] - last[None]).max(axis=2).argmin(axis=1)
    first = next(i for i, plan in enumerate(endless.plans) if plan is best_plan(endless.plans, b))
    nodes, edges = [first], []
    for node in nodes:  # grows while it is read
        follow = [int(nearest[i]) for i in endless.plans[node].after]
        nodes += [k for k in dict.fromkeys(follow) if k not in nodes]
        edges.append([nodes.index(k) for k in follow])
    return Controller([endless.plans[k].action for k in nodes], np.array(edges), 0)


def controller_values(pomdp, machine):
    """Return what each node is worth in each state (N, S), by one linear system.

    V(n, s) = r(s, a_n) + gamma sum_s' p(s' | s, a_n) sum_z o(z | s', a_n) V(next(n, z), s')          (32.12)

    ``machine`` is a `Controller`.
    """
    below_one(pomdp, "an endless horizon")
    N, S = len(machine.actions), pomdp.n_states
    M, r = np.eye(N * S), np.zeros(N * S)
    for n, name in enumerate(machine.actions):
        a, rows = pomdp.action(name), slice(n * S, (n + 1) * S)
        r[rows] = pomdp.R[:, a]
        for z, k in enumerate(machine.next[n]):
            M[rows, k * S : (k + 1) * S] -= pomdp.gamma * pomdp.P[:, a] * pomdp.O[a, :, z]
    return np.linalg.solve(M, r).reshape(N, S)

"""Asynchronous value iteration: one state at a time, in any order that forgets none (section 27.7.1)."""

import heapq

import numpy as np

from mlteach.history import History
from mlteach.mdp.evaluation import Sweep
from mlteach.mdp.improvement import greedy_policy, q_from_v
from mlteach.mdp.policy_iteration import Solution
from mlteach.mdp.value_iteration import Stop
from mlteach.validation import as_rng, check_choice, check_integer, check_number

ORDERS = ("random", "sweep", "priority")


def asynchronous_value_iteration(mdp, tol=1e-9, rng=0, *, order="random", max_iter=100_000, history=True):
    """Return V with |V - V*| <= ``tol``, a greedy policy and the history (`Sweep`), one record for S backups.

    V(s) <- max_a [r(s, a) + gamma sum_s' p(s' | s, a) V(s')],  one s at a time, the new value used at once

    ``order``: "random" draws the states, "sweep" takes them in turn, "priority" the one whose value would change most
    (prioritised sweeping: a backup wakes the states that lead here). Each record's change is the largest that a
    synchronous sweep would make, and that is what bounds the error.
    """
    tol = check_number(tol, "tol", low=0, open_low=True)
    max_iter = check_integer(max_iter, "max_iter", low=1)
    rng, met = as_rng(rng), Stop(mdp, tol)
    backups = {"random": _draw, "sweep": _in_turn, "priority": _largest_first}[check_choice(order, "order", ORDERS)]
    V = [0.0] * mdp.n_states
    records = History([Sweep(np.zeros(mdp.n_states), np.inf)], whole=history)
    work = backups(mdp, _table(mdp), V, rng)
    while records.n_steps < max_iter:
        next(work)
        now = np.array(V)
        change = float(np.abs(q_from_v(mdp, now).max(axis=1) - now).max())
        records.append(Sweep(now, change))
        # |V - V*| <= change / (1 - gamma): here V itself is judged, not the sweep after it
        if met(now, change, 1.0):
            return Solution(now, greedy_policy(mdp, now), records)
    raise ValueError(f"the values did not settle within {max_iter:,} times {mdp.n_states} backups; raise max_iter.")


def _table(mdp):
    """Return for each state its possible actions as (reward, [(probability, next state), ...]), in plain Python."""
    return [
        [(float(mdp.R[s, a]), [(p, t) for p, t, _ in mdp.outcomes(s, int(a))]) for a in np.flatnonzero(mdp.feasible[s])]
        for s in range(mdp.n_states)
    ]


def _backup(actions, V, gamma):
    return max(r + gamma * sum(p * V[t] for p, t in outcomes) for r, outcomes in actions)


def _draw(mdp, table, V, rng):
    """Back up states drawn at random; yield after every S of them."""
    while True:
        for s in rng.integers(mdp.n_states, size=mdp.n_states).tolist():
            V[s] = _backup(table[s], V, mdp.gamma)
        yield


def _in_turn(mdp, table, V, rng):
    """Back up the states in turn (Gauss-Seidel)."""
    while True:
        for s in range(mdp.n_states):
            V[s] = _backup(table[s], V, mdp.gamma)
        yield


def _largest_first(mdp, table, V, rng):
    """Back up the state whose value would change most; then look again at those that lead to it."""
    sources = [set() for _ in V]
    for s, actions in enumerate(table):
        for _, outcomes in actions:
            for _, t in outcomes:
                sources[t].add(s)
    error = [abs(_backup(table[s], V, mdp.gamma) - V[s]) for s in range(len(V))]
    heap = [(-e, s) for s, e in enumerate(error)]
    heapq.heapify(heap)
    done = 0
    while True:
        while heap and -heap[0][0] != error[heap[0][1]]:
            heapq.heappop(heap)  # stale: the state has been looked at since
        if heap and error[heap[0][1]] > 0:
            s = heap[0][1]
            V[s] = _backup(table[s], V, mdp.gamma)
            for t in sources[s] | {s}:
                error[t] = abs(_backup(table[t], V, mdp.gamma) - V[t])
                heapq.heappush(heap, (-error[t], t))
        done += 1
        if done % len(V) == 0:
            yield

"""Policy trees: a plan branches on what will be observed (section 32.5)."""

from itertools import product
from typing import NamedTuple

import numpy as np

from mlteach.pomdp.alpha import alpha_history, best_plan
from mlteach.pomdp.belief import belief_update, observation_probabilities
from mlteach.pomdp.model import as_belief
from mlteach.validation import check_integer

MOST = 2_000_000  # plans that are listed at most


class PolicyTree(NamedTuple):
    """An action, and for each observation the tree that follows; none with the last step."""

    action: object
    branches: dict  # from observation to PolicyTree

    def __str__(self):
        """Write it as indented lines."""
        return "\n".join(_lines(self, ""))


def _lines(tree, margin):
    yield f"{margin}{tree.action}" if not margin else str(tree.action)
    for z, after in tree.branches.items():
        first, *rest = _lines(after, "")
        yield f"  {z}: {first}"
        yield from (f"  {line}" for line in rest)


def policy_tree(pomdp, belief, horizon):
    """Return the best plan of ``horizon`` steps from a belief, as a `PolicyTree`; impossible observations are left out.

    >>> from mlteach.pomdp import tiger
    >>> print(policy_tree(tiger(), [0.5, 0.5], 2))
    listen
      left: listen
      right: listen
    """
    b = as_belief(pomdp, belief)
    stages = alpha_history(pomdp, horizon)
    return _grow(pomdp, stages, best_plan(stages[-1], b), b)


def _grow(pomdp, stages, plan, b):
    """Follow the places in ``plan.after`` down the stages."""
    if len(stages) == 1:
        return PolicyTree(plan.action, {})
    chances, grown = observation_probabilities(pomdp, b, plan.action), {}
    for z, (chance, i) in enumerate(zip(chances, plan.after)):
        if chance > 0:
            name = pomdp.observations[z]
            below = belief_update(pomdp, b, plan.action, name)
            grown[name] = _grow(pomdp, stages[:-1], stages[-2][i], below)
    return PolicyTree(plan.action, grown)


def tree_vector(pomdp, tree):
    """Return what a tree is worth in every state (S,), by the definition                  (32.8)

    An observation for which the tree has no branch counts as worth nothing: it must be impossible.
    """
    a = pomdp.action(tree.action)
    value = pomdp.R[:, a].copy()
    for z, after in tree.branches.items():
        chance = pomdp.P[:, a] * pomdp.O[a, :, pomdp.observed(z)]  # (S, S'): arrive in s' and observe z
        value += pomdp.gamma * chance @ tree_vector(pomdp, after)
    return value


def n_plans(n_actions, n_observations, horizon):
    """Return the number of policy trees: |A| to the power of the number of nodes 1 + |Z| + |Z|^2 + ...    (32.2)

    ``n_actions`` is |A|, ``n_observations`` is |Z|, ``horizon`` the number of steps.

    >>> n_plans(3, 2, 2), n_plans(2, 2, 8) == 2**255
    (27, True)
    """
    nodes = sum(n_observations**t for t in range(check_integer(horizon, "horizon", low=1)))
    return n_actions**nodes


def all_trees(pomdp, horizon):
    """Return every policy tree of ``horizon`` steps; refused where there are too many to list."""
    number = n_plans(pomdp.n_actions, pomdp.n_observations, horizon)
    if number > MOST:
        raise ValueError(f"there are {number:.3g} policy trees of {horizon} steps; at most {MOST:,} are listed.")
    trees = [PolicyTree(a, {}) for a in pomdp.actions]
    for _ in range(horizon - 1):
        ways = list(product(trees, repeat=pomdp.n_observations))
        trees = [PolicyTree(a, dict(zip(pomdp.observations, way))) for a in pomdp.actions for way in ways]
    return trees


def all_vectors(pomdp, horizon):
    """Return the vectors of all policy trees as an array (number of trees, S): brute force, for small horizons.

    ``horizon`` is the number of steps.
    """
    return np.array([tree_vector(pomdp, tree) for tree in all_trees(pomdp, horizon)])

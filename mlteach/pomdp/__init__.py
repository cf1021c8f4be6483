"""POMDPs (chapter 32): act well on a belief where the state is not seen.

`POMDP` holds a process, `belief_update` is the filter. `alpha_vectors` plans exactly, `prune` says which plans matter,
`policy_tree` and `controller` show what they do; `solve_discretized` plans on a grid of beliefs. `qmdp`,
`informed_bound` and `blind_policies` bracket the value in milliseconds. `tiger()` is the classic.
"""

from mlteach.pomdp.alpha import (
    AlphaVector,
    Endless,
    act_by_planes,
    alpha_history,
    alpha_vectors,
    backup,
    best_plan,
    solve_endless,
    value_of,
)
from mlteach.pomdp.belief import (
    Branch,
    belief_reward,
    belief_update,
    belief_walk,
    branches,
    observation_probabilities,
)
from mlteach.pomdp.bounds import blind_policies, bound_value, informed_bound, qmdp
from mlteach.pomdp.controller import Controller, controller, controller_values
from mlteach.pomdp.discretized import Discretized, belief_grid, belief_mdp, corners, solve_discretized
from mlteach.pomdp.model import POMDP, as_belief
from mlteach.pomdp.points import point_based
from mlteach.pomdp.pruning import prune, useful, witness
from mlteach.pomdp.ready import thirsty_plant, tiger, two_rooms, worn_pump
from mlteach.pomdp.simulation import BeliefEnv, Runs, simulate
from mlteach.pomdp.trees import PolicyTree, all_trees, all_vectors, n_plans, policy_tree, tree_vector

__all__ = [
    "AlphaVector",
    "BeliefEnv",
    "Branch",
    "Controller",
    "Discretized",
    "Endless",
    "POMDP",
    "PolicyTree",
    "Runs",
    "act_by_planes",
    "all_trees",
    "all_vectors",
    "alpha_history",
    "alpha_vectors",
    "as_belief",
    "backup",
    "belief_grid",
    "belief_mdp",
    "belief_reward",
    "belief_update",
    "belief_walk",
    "best_plan",
    "blind_policies",
    "bound_value",
    "branches",
    "controller",
    "controller_values",
    "corners",
    "informed_bound",
    "n_plans",
    "observation_probabilities",
    "point_based",
    "policy_tree",
    "prune",
    "qmdp",
    "simulate",
    "solve_discretized",
    "solve_endless",
    "thirsty_plant",
    "tiger",
    "tree_vector",
    "two_rooms",
    "useful",
    "value_of",
    "witness",
    "worn_pump",
]

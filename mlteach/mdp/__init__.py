"""Markov decision processes (chapter 27): values, policies, and the equations that tie them.

`MDP` holds a process, `GridWorld` draws one as text and `TabularEnv` lets an agent act in it. `policy_evaluation`,
`policy_iteration`, `value_iteration`, `finite_horizon`, `asynchronous_value_iteration` and `linear_program` solve it;
`optimal_actions` names every optimal action, not one of them.
"""

from mlteach.mdp.asynchronous import asynchronous_value_iteration
from mlteach.mdp.environment import Discrete, TabularEnv, table_of
from mlteach.mdp.evaluation import Evaluation, Sweep, iterative_evaluation, occupancy, policy_evaluation
from mlteach.mdp.experience import Estimate, estimate_model
from mlteach.mdp.flips import Piece, flip_points
from mlteach.mdp.grid import ACTIONS, MOVES, GridWorld
from mlteach.mdp.horizon import Plan, finite_horizon
from mlteach.mdp.improvement import greedy_policy, optimal_actions, policy_improvement, q_from_v
from mlteach.mdp.model import MDP, as_policy, from_gymnasium
from mlteach.mdp.policy_iteration import Round, Solution, policy_iteration
from mlteach.mdp.program import linear_program
from mlteach.mdp.ready import (
    car_rental,
    four_by_three,
    four_by_three_world,
    gambler,
    ice,
    jumping_grid,
    obstacle_grid,
    salmon,
    shortest_path_grid,
    small_grid,
    two_states,
)
from mlteach.mdp.undiscounted import NeverEnds
from mlteach.mdp.value_iteration import value_iteration

__all__ = [
    "ACTIONS",
    "Discrete",
    "Estimate",
    "Evaluation",
    "GridWorld",
    "MDP",
    "MOVES",
    "NeverEnds",
    "Piece",
    "Plan",
    "Round",
    "Solution",
    "Sweep",
    "TabularEnv",
    "as_policy",
    "asynchronous_value_iteration",
    "car_rental",
    "estimate_model",
    "finite_horizon",
    "flip_points",
    "four_by_three",
    "four_by_three_world",
    "from_gymnasium",
    "gambler",
    "greedy_policy",
    "ice",
    "iterative_evaluation",
    "jumping_grid",
    "linear_program",
    "obstacle_grid",
    "occupancy",
    "optimal_actions",
    "policy_evaluation",
    "policy_improvement",
    "policy_iteration",
    "q_from_v",
    "salmon",
    "shortest_path_grid",
    "small_grid",
    "table_of",
    "two_states",
    "value_iteration",
]

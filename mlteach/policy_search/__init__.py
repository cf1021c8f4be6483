"""Policy search (chapter 30): too many states for a table, so approximate the value, or improve the policy itself.

`discretize` and `cells_mdp` cut a space into cells, `Hats`, `Tiles` and `LinearQ` approximate values on it, and
`fitted_value_iteration`, `fitted_q_iteration` and `semi_gradient_sarsa` learn them. `exact_policy_gradient` computes
the slope of a policy's value, `reinforce` estimates it from episodes, `perturbation_search` needs the value alone.
`ShortCorridor` and `MountainCar` are worlds with Gymnasium's ``reset`` and ``step``.
"""

from mlteach.policy_search._fast import climb_corridor
from mlteach.policy_search.cells import cell_points, cells_mdp, discretize
from mlteach.policy_search.fitted import (
    Batch,
    Fitted,
    FittedQ,
    collect,
    fitted_q_iteration,
    fitted_value_iteration,
)
from mlteach.policy_search.gradient import (
    Moments,
    Path,
    all_paths,
    estimator_moments,
    exact_policy_gradient,
    exact_value,
    policy_of,
)
from mlteach.policy_search.hats import Hats, Interpolated, interpolated_value_iteration
from mlteach.policy_search.linear_q import Learned, LinearQ, semi_gradient_sarsa
from mlteach.policy_search.mountain_car import Box, MountainCar, car_model, drive, height, pump, push
from mlteach.policy_search.perturbation import Round, Searched, combined_step, perturbation_search
from mlteach.policy_search.policies import GaussianPolicy, SoftmaxPolicy, softmax
from mlteach.policy_search.reinforce import Climbed, gradient_estimate, reinforce, returns_to_go
from mlteach.policy_search.tiles import Tiles
from mlteach.policy_search.worlds import (
    BLIND,
    ShortCorridor,
    late_pay,
    line_model,
    line_value,
    three_rounds,
    two_features,
)

__all__ = [
    "BLIND",
    "Batch",
    "Box",
    "Climbed",
    "Fitted",
    "FittedQ",
    "GaussianPolicy",
    "Hats",
    "Interpolated",
    "Learned",
    "LinearQ",
    "Moments",
    "MountainCar",
    "Path",
    "Round",
    "Searched",
    "ShortCorridor",
    "SoftmaxPolicy",
    "Tiles",
    "all_paths",
    "car_model",
    "cell_points",
    "cells_mdp",
    "climb_corridor",
    "collect",
    "combined_step",
    "discretize",
    "drive",
    "estimator_moments",
    "exact_policy_gradient",
    "exact_value",
    "fitted_q_iteration",
    "fitted_value_iteration",
    "gradient_estimate",
    "height",
    "interpolated_value_iteration",
    "late_pay",
    "line_model",
    "line_value",
    "perturbation_search",
    "policy_of",
    "pump",
    "push",
    "reinforce",
    "returns_to_go",
    "semi_gradient_sarsa",
    "softmax",
    "three_rounds",
    "two_features",
]

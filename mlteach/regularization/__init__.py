"""Regularisation (chapter 06): ridge, lasso, elastic net, their paths, and the Bayesian view of the same penalty.

Model  y(x) = b + w.x; the penalty falls on w alone. ``intercept=False`` takes the columns as they are: a column of
ones among them is then penalised like any other, which is how a prior on all weights treats the bias.
"""

from mlteach.regularization.bayes import BayesianLinearRegression
from mlteach.regularization.choice import ridge_gcv, ridge_leave_one_out
from mlteach.regularization.dimension import cube_edge, grid_cells, inscribed_ball_share, shell_share
from mlteach.regularization.lasso import (
    ElasticNet,
    Lasso,
    Sweep,
    lambda_max,
    lasso_violation,
    soft_threshold,
)
from mlteach.regularization.norms import BallFit, group_norm, least_squares_in_ball, lq_ball, lq_norm, lq_penalty
from mlteach.regularization.path import Path, regularization_path
from mlteach.regularization.ridge import Ridge, RidgeSVD, effective_dof, ridge_svd

__all__ = [
    "BallFit",
    "BayesianLinearRegression",
    "ElasticNet",
    "Lasso",
    "Path",
    "Ridge",
    "RidgeSVD",
    "Sweep",
    "cube_edge",
    "effective_dof",
    "grid_cells",
    "group_norm",
    "inscribed_ball_share",
    "lambda_max",
    "lasso_violation",
    "least_squares_in_ball",
    "lq_ball",
    "lq_norm",
    "lq_penalty",
    "regularization_path",
    "ridge_gcv",
    "ridge_leave_one_out",
    "ridge_svd",
    "shell_share",
    "soft_threshold",
]

"""Optimisation (chapter 05): gradient descent and its relatives, schedules, Newton's method, surfaces to descend.

An optimiser holds its own state: ``optimizer.step(w, gradient)`` returns the next w, and `minimize` makes many
steps from a fresh state and keeps the whole path.
"""

from mlteach.optimization.descent import Trajectory, minimize
from mlteach.optimization.gradients import minibatch_gradient, numerical_gradient, quadratic_model
from mlteach.optimization.optimizers import (
    AdaGrad,
    Adam,
    AdamW,
    GradientDescent,
    Momentum,
    Nesterov,
    Newton,
    Optimizer,
    RMSProp,
)
from mlteach.optimization.schedules import Schedule, inverse_sqrt_decay, linear_decay
from mlteach.optimization.surfaces import DoubleWell, Himmelblau, Quadratic, Rosenbrock, Saddle, Surface

__all__ = [
    "AdaGrad",
    "Adam",
    "AdamW",
    "DoubleWell",
    "GradientDescent",
    "Himmelblau",
    "Momentum",
    "Nesterov",
    "Newton",
    "Optimizer",
    "Quadratic",
    "RMSProp",
    "Rosenbrock",
    "Saddle",
    "Schedule",
    "Surface",
    "Trajectory",
    "inverse_sqrt_decay",
    "linear_decay",
    "minibatch_gradient",
    "minimize",
    "numerical_gradient",
    "quadratic_model",
]

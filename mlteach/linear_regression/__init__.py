"""Linear regression (chapter 04): least squares, LMS, basis functions, scaling, and the tests on a fitted model.

Model  y(x) = b + w.x, or w.phi(x) with basis functions phi. Least squares is solved by QR, and by the
singular value decomposition where columns depend on each other; no matrix is ever inverted.
"""

from mlteach.linear_regression.features import (
    design_matrix,
    gaussian_features,
    periodic_features,
    piecewise_features,
    polynomial_features,
    sigmoid_features,
    tanh_features,
)
from mlteach.linear_regression.lms import LMSRegressor, Step, max_stable_rate
from mlteach.linear_regression.model import Line, LinearRegression, fit_line, log_likelihood
from mlteach.linear_regression.scaling import min_max_scale, standardize, unit_scale
from mlteach.linear_regression.solver import (
    LeastSquares,
    least_squares,
    normal_equations,
    solve_least_squares,
)
from mlteach.linear_regression.summary import Summary

__all__ = [
    "LMSRegressor",
    "LeastSquares",
    "Line",
    "LinearRegression",
    "Step",
    "Summary",
    "design_matrix",
    "fit_line",
    "gaussian_features",
    "least_squares",
    "log_likelihood",
    "max_stable_rate",
    "min_max_scale",
    "normal_equations",
    "periodic_features",
    "piecewise_features",
    "polynomial_features",
    "sigmoid_features",
    "solve_least_squares",
    "standardize",
    "tanh_features",
    "unit_scale",
]

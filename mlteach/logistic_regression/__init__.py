"""Logistic regression (chapter 08): probabilities of classes, their likelihood, and generalised linear models.

Model  p(t = 1 | x) = sigma(w . x + b) for two classes, softmax(W x + b) for K. The loss, minus the log-likelihood, is
convex; Newton's method solves it as a sequence of weighted least-squares problems (IRLS). The same steps fit every
response whose law is of the exponential family: Gaussian, Bernoulli, categorical, Poisson.
"""

from mlteach.logistic_regression.binary import LogisticRegression
from mlteach.logistic_regression.categorical import Categorical
from mlteach.logistic_regression.families import Bernoulli, Gaussian, Poisson
from mlteach.logistic_regression.functions import cross_entropy, log_sigmoid, log_softmax, sigmoid, softmax
from mlteach.logistic_regression.glm import GLM, GLMSummary
from mlteach.logistic_regression.losses import (
    Plane,
    logistic_gradient,
    logistic_hessian,
    logistic_loss,
    online_update,
    softmax_gradient,
    softmax_loss,
    squared_error_gradient,
    squared_error_loss,
)
from mlteach.logistic_regression.multiclass import SoftmaxRegression
from mlteach.logistic_regression.newton import FitStep

__all__ = [
    "GLM",
    "Bernoulli",
    "Categorical",
    "FitStep",
    "GLMSummary",
    "Gaussian",
    "LogisticRegression",
    "Plane",
    "Poisson",
    "SoftmaxRegression",
    "cross_entropy",
    "log_sigmoid",
    "log_softmax",
    "logistic_gradient",
    "logistic_hessian",
    "logistic_loss",
    "online_update",
    "sigmoid",
    "softmax",
    "softmax_gradient",
    "softmax_loss",
    "squared_error_gradient",
    "squared_error_loss",
]

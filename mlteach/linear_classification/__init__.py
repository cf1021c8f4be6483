"""Linear classification (chapter 07): discriminant functions, least squares, the perceptron, Fisher's discriminant.

Model  y(x) = w . x + b for two classes, y_k(x) = w_k . x + b_k and the largest wins for K of them. Four ways to choose
the weights are compared: least squares on one-hot targets, the perceptron's correction of mistakes, Fisher's direction
that separates the class means best against the scatter within, and any two-class method joined by one-versus-rest or
one-versus-one. All are linear in w, so basis functions phi(x) in place of x bend the boundary.
"""

from mlteach.linear_classification.bound import MistakeBound, perceptron_bound
from mlteach.linear_classification.combine import OneVsOne, OneVsRest
from mlteach.linear_classification.fisher import FisherDiscriminant
from mlteach.linear_classification.geometry import (
    functional_margin,
    geometric_margin,
    nearest_on_plane,
    signed_distance,
)
from mlteach.linear_classification.least_squares import LeastSquaresClassifier
from mlteach.linear_classification.multiclass import MulticlassPerceptron, MulticlassStep
from mlteach.linear_classification.perceptron import Perceptron, PerceptronStep, perceptron_loss
from mlteach.linear_classification.scatter import fisher_criterion, scatter_between, scatter_total, scatter_within

__all__ = [
    "FisherDiscriminant",
    "LeastSquaresClassifier",
    "MistakeBound",
    "MulticlassPerceptron",
    "MulticlassStep",
    "OneVsOne",
    "OneVsRest",
    "Perceptron",
    "PerceptronStep",
    "fisher_criterion",
    "functional_margin",
    "geometric_margin",
    "nearest_on_plane",
    "perceptron_bound",
    "perceptron_loss",
    "scatter_between",
    "scatter_total",
    "scatter_within",
    "signed_distance",
]

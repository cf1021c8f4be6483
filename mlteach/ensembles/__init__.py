"""Ensembles (chapter 13): many models that answer together.

The mean of n predictors has variance  rho sigma^2 + (1 - rho) sigma^2 / n:  what they have in common stays. Bagging
and forests grow trees in parallel and make rho small; boosting adds weak learners one after the other and lowers the
bias. Votes, gates, stacks and cascades are other ways to bring answers together.
"""

from mlteach.ensembles.bagging import BaggingClassifier, BaggingRegressor, bootstrap
from mlteach.ensembles.boosting import AdaBoost, BoostRound, Stump, best_stump
from mlteach.ensembles.cascade import CascadeClassifier
from mlteach.ensembles.experts import ExpertStep, MixtureOfExperts
from mlteach.ensembles.forest import ExtraTrees, RandomForest
from mlteach.ensembles.gradient import BoostedTrees, boost_trees, log_losses
from mlteach.ensembles.stacking import StackingClassifier
from mlteach.ensembles.variance import Measured, ensemble_variance, majority_accuracy, measure_correlation
from mlteach.ensembles.voting import VotingClassifier

__all__ = [
    "AdaBoost",
    "BaggingClassifier",
    "BaggingRegressor",
    "BoostRound",
    "BoostedTrees",
    "CascadeClassifier",
    "ExpertStep",
    "ExtraTrees",
    "Measured",
    "MixtureOfExperts",
    "RandomForest",
    "StackingClassifier",
    "Stump",
    "VotingClassifier",
    "best_stump",
    "boost_trees",
    "bootstrap",
    "ensemble_variance",
    "log_losses",
    "majority_accuracy",
    "measure_correlation",
]

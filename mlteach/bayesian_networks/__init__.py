"""Bayesian networks: a joint distribution as a graph with a small table at each variable (chapter 11).

`BayesNet` is built with ``add`` and asked with ``query`` (exact), ``rejection_sampling``, ``likelihood_weighting``
and ``gibbs`` (from samples); ``fit`` learns its tables from data. `LinearGaussian` and `Probit` are nodes for
continuous variables. `eliminate` and `enumerate_cases` count what exact inference costs.
"""

from mlteach.bayesian_networks.exact import Inference, eliminate, enumerate_cases, most_probable
from mlteach.bayesian_networks.examples import burglary, chest_clinic, late_to_meeting, rainy_walk
from mlteach.bayesian_networks.factor import Factor
from mlteach.bayesian_networks.graph import (
    ancestors,
    d_separated,
    descendants,
    markov_blanket,
    open_path,
    topological_order,
)
from mlteach.bayesian_networks.hybrid import LinearGaussian, Probit, joint_normal
from mlteach.bayesian_networks.network import BayesNet
from mlteach.bayesian_networks.sampling import Estimate, WeightedSample

__all__ = [
    "BayesNet",
    "Estimate",
    "Factor",
    "Inference",
    "LinearGaussian",
    "Probit",
    "WeightedSample",
    "ancestors",
    "burglary",
    "chest_clinic",
    "d_separated",
    "descendants",
    "eliminate",
    "enumerate_cases",
    "joint_normal",
    "late_to_meeting",
    "markov_blanket",
    "most_probable",
    "open_path",
    "rainy_walk",
    "topological_order",
]

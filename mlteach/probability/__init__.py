"""Probability: joint tables, the named distributions, moments, and information (chapter 03).

A `JointTable` holds P(X, Y, ...) for finitely many states; summing gives marginals, dividing gives conditionals.
The densities and mass functions work with logarithms and are zero outside their support; ``log=True`` returns the
logarithm itself. `entropy`, `kl_divergence` and `mutual_information` are in bits (``base=2``), as in the decision
trees; ``base=math.e`` gives nats.
"""

from mlteach.probability.continuous import (
    Normal,
    beta_pdf,
    conditional_normal,
    exponential_pdf,
    multivariate_normal_pdf,
    normal_pdf,
    uniform_pdf,
)
from mlteach.probability.discrete import bernoulli_pmf, binomial_pmf, poisson_pmf
from mlteach.probability.information import entropy, kl_divergence, mutual_information, total_variation
from mlteach.probability.moments import correlation, covariance, jensen_gap
from mlteach.probability.table import JointTable, Outcomes

__all__ = [
    "JointTable",
    "Normal",
    "Outcomes",
    "bernoulli_pmf",
    "beta_pdf",
    "binomial_pmf",
    "conditional_normal",
    "correlation",
    "covariance",
    "entropy",
    "exponential_pdf",
    "jensen_gap",
    "kl_divergence",
    "multivariate_normal_pdf",
    "mutual_information",
    "normal_pdf",
    "poisson_pmf",
    "total_variation",
    "uniform_pdf",
]

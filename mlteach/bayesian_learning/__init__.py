"""Bayesian learning (chapter 09): belief in hypotheses, weighed by the data they predicted.

Posterior  P(h | D) = P(D | h) P(h) / P(D). `map_hypothesis` keeps the most probable hypothesis, `ml_hypothesis` the one
that makes the data most probable, `bayes_optimal` keeps all and lets them vote. `CandyBags` is the example with five
hypotheses, `BetaBernoulli` the one with a dial of them; `fit_bernoulli` and `fit_gaussian` are maximum likelihood.
"""

from mlteach.bayesian_learning.beta import BetaBernoulli
from mlteach.bayesian_learning.candy import CandyBags
from mlteach.bayesian_learning.estimates import fit_bernoulli, fit_gaussian, log_likelihood
from mlteach.bayesian_learning.hypotheses import (
    bayes_optimal,
    gibbs_classifier,
    map_hypothesis,
    ml_hypothesis,
    posterior,
    predictive,
    vote_weights,
)

__all__ = [
    "BetaBernoulli",
    "CandyBags",
    "bayes_optimal",
    "fit_bernoulli",
    "fit_gaussian",
    "gibbs_classifier",
    "log_likelihood",
    "map_hypothesis",
    "ml_hypothesis",
    "posterior",
    "predictive",
    "vote_weights",
]

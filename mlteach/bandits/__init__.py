"""Bandits (chapter 26): explore or exploit, with one state.

Worlds are `GaussianBandit`, `BernoulliBandit` and `DriftingBandit`, one or thousands of them at a time; agents choose
and learn; `run_bandit` lets them play. `bayes_optimal_value`, `exact_curve` and `enumerated_curve` know what is to be
expected without playing.
"""

from mlteach.bandits.agent import Agent, draw, greedy
from mlteach.bandits.epsilon_greedy import EpsilonGreedy
from mlteach.bandits.exact import (
    BayesOptimal,
    Exact,
    FirstLook,
    bayes_optimal_value,
    enumerated_curve,
    exact_curve,
    exact_on_table,
    first_look,
    gittins_index,
    largest_of,
)
from mlteach.bandits.explore_then_commit import ExploreThenCommit
from mlteach.bandits.gradient import GradientBandit
from mlteach.bandits.optimistic import OptimisticGreedy
from mlteach.bandits.run import Curve, Run, Step, mean_curve, run_bandit
from mlteach.bandits.soft_max import SoftMax, boltzmann
from mlteach.bandits.theory import bernoulli_kl, lai_robbins, tracking_error, ucb_bound
from mlteach.bandits.thompson import Thompson, beta_exceeds
from mlteach.bandits.ucb import UCB, upper_bounds
from mlteach.bandits.worlds import Bandit, BernoulliBandit, DriftingBandit, Game, GaussianBandit

__all__ = [
    "Agent",
    "Bandit",
    "BayesOptimal",
    "BernoulliBandit",
    "Curve",
    "DriftingBandit",
    "EpsilonGreedy",
    "Exact",
    "ExploreThenCommit",
    "FirstLook",
    "Game",
    "GaussianBandit",
    "GradientBandit",
    "OptimisticGreedy",
    "Run",
    "SoftMax",
    "Step",
    "Thompson",
    "UCB",
    "bayes_optimal_value",
    "bernoulli_kl",
    "beta_exceeds",
    "boltzmann",
    "draw",
    "enumerated_curve",
    "exact_curve",
    "exact_on_table",
    "first_look",
    "gittins_index",
    "greedy",
    "lai_robbins",
    "largest_of",
    "mean_curve",
    "run_bandit",
    "tracking_error",
    "ucb_bound",
    "upper_bounds",
]

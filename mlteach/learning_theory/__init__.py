"""Learning theory (chapter 25): what can be promised before the data are seen, and how much of it is needed.

`no_free_lunch` averages over all functions, `hoeffding` bounds one rule, `pac_sample_size` and `agnostic_gap` finitely
many, `shatters` and `vc_gap` infinitely many, and `halving` asks for no law at all.
"""

from mlteach.learning_theory.circuits import circuits
from mlteach.learning_theory.conjunctions import ConsistentRuns, consistent_runs, union_bound
from mlteach.learning_theory.finite import agnostic_gap, agnostic_sample_size, pac_error, pac_sample_size
from mlteach.learning_theory.growth import VC_DIMENSION, growth_function, sauer
from mlteach.learning_theory.lunch import contrary, majority, nearest, no_free_lunch, smooth_weight
from mlteach.learning_theory.noise import NoiseFit, fit_noise
from mlteach.learning_theory.online import Halving, halving
from mlteach.learning_theory.rays import dkw_gap, kolmogorov_cdf, ray_gap, ray_gaps
from mlteach.learning_theory.shattering import (
    FAMILIES,
    Refusal,
    Shape,
    Trial,
    all_labels,
    dichotomies,
    refusal,
    shatters,
    trial,
    witness,
)
from mlteach.learning_theory.sine import sine_frequency, sine_points
from mlteach.learning_theory.tails import chernoff, exact_tail, hoeffding, luckiest
from mlteach.learning_theory.vc import vc_gap, vc_sample_size

__all__ = [
    "FAMILIES",
    "ConsistentRuns",
    "Halving",
    "NoiseFit",
    "Refusal",
    "Shape",
    "Trial",
    "VC_DIMENSION",
    "agnostic_gap",
    "agnostic_sample_size",
    "all_labels",
    "chernoff",
    "circuits",
    "consistent_runs",
    "contrary",
    "dichotomies",
    "dkw_gap",
    "exact_tail",
    "fit_noise",
    "growth_function",
    "halving",
    "hoeffding",
    "kolmogorov_cdf",
    "luckiest",
    "majority",
    "nearest",
    "no_free_lunch",
    "pac_error",
    "pac_sample_size",
    "ray_gap",
    "ray_gaps",
    "refusal",
    "sauer",
    "shatters",
    "sine_frequency",
    "sine_points",
    "smooth_weight",
    "trial",
    "union_bound",
    "vc_gap",
    "vc_sample_size",
    "witness",
]

"""Chapter 32: planning for the tiger, exactly and on a grid of beliefs."""

from functools import partial

from benchmarks.bounds import seconds
from mlteach.pomdp import solve_discretized, solve_endless, tiger

CASES = {}
BOUNDS = {
    "tiger without end": (partial(seconds, lambda: solve_endless(tiger(), 1e-3)), 8.0, "s"),
    "tiger on 201 beliefs": (partial(seconds, lambda: solve_discretized(tiger(), 201)), 2.0, "s"),
}

"""Chapter 27: the slippery grid of 50 x 50 cells, 2,500 states, γ = 0.99, its tables included; and car rental."""

from functools import partial

import numpy as np

from benchmarks.bounds import megabytes, seconds
from mlteach.mdp import GridWorld, car_rental, policy_iteration, value_iteration


def slippery(side=50):
    """Return an open grid with the goal in the last corner; one step in five slides to a side, and each costs 0.01."""
    rows = ["." * side] * (side - 1) + ["." * (side - 1) + "G"]
    return GridWorld("\n".join(rows), rewards={"G": 1.0}, step=-0.01, slip=0.2).mdp(0.99)


WAYS = {"policy iteration": policy_iteration, "value iteration": lambda mdp: value_iteration(mdp, 1e-6)}
CASES = {}
BOUNDS = {}
for _name, _way in WAYS.items():
    _work = partial(lambda way: way(slippery()), _way)
    BOUNDS[f"{_name}, 2,500 states"] = (partial(seconds, _work), 2.0, "s")
    BOUNDS[f"{_name}, its memory"] = (partial(megabytes, _work), 100.0, "MB")
BOUNDS["car rental"] = (partial(seconds, lambda: policy_iteration(car_rental(), np.full(441, 5))), 2.0, "s")

"""Chapter 27: scikit-learn has no decision processes, so a bound stands in: ``python -m benchmarks.cases.mdp``.

The slippery grid of 50 x 50 cells, 2,500 states, γ = 0.99: two seconds and 100 MB for each way to solve it.
"""

import time
import tracemalloc

from mlteach.mdp import GridWorld, policy_iteration, value_iteration

CASES = {}
SECONDS, MEGABYTES = 2.0, 100.0
WAYS = {"policy iteration": policy_iteration, "value iteration": lambda mdp: value_iteration(mdp, 1e-6)}


def slippery(side=50):
    """Return an open grid with the goal in the last corner; one step in five slides to a side, and each costs 0.01."""
    rows = ["." * side] * (side - 1) + ["." * (side - 1) + "G"]
    return GridWorld("\n".join(rows), rewards={"G": 1.0}, step=-0.01, slip=0.2).mdp(0.99)


def costs(side=50):
    """Return a dict from a way to (seconds of CPU, largest megabytes), the tables of the grid included."""
    return {name: (_seconds(way, side), _megabytes(way, side)) for name, way in WAYS.items()}


def _seconds(way, side):
    start = time.process_time()
    way(slippery(side))
    return time.process_time() - start


def _megabytes(way, side):
    tracemalloc.start()  # by itself, since it slows the work
    way(slippery(side))
    largest = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    return largest


if __name__ == "__main__":
    for name, (seconds, megabytes) in costs().items():
        kept = seconds <= SECONDS and megabytes <= MEGABYTES
        print(f"{name:18}{seconds:6.2f} s {megabytes:6.1f} MB   {'within' if kept else 'BEYOND'} the bounds")

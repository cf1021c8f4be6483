"""Chapter 26, the ten-armed test bed: 2,000 bandits, 1,000 pulls, one agent. ``python -m benchmarks.cases.bandits``.

scikit-learn has no bandits, so there is nothing to compare; two seconds of CPU time an agent are the limit.
"""

import time

import numpy as np

from mlteach.bandits import (
    UCB,
    EpsilonGreedy,
    GaussianBandit,
    GradientBandit,
    OptimisticGreedy,
    SoftMax,
    Thompson,
    run_bandit,
)

CASES = {}
AGENTS = EpsilonGreedy(0.1), SoftMax(3), OptimisticGreedy(), UCB(2), Thompson(), GradientBandit(0.1)


def seconds(agent, bandits=2000, pulls=1000, repeats=1):
    """Return the CPU time of one run of the test bed, the least of some."""
    bed, times = GaussianBandit(10, rng=1, n=bandits), []
    for _ in range(repeats):
        began = time.process_time()
        run_bandit(bed, agent, pulls, rng=2)
        times.append(time.process_time() - began)
    return float(np.min(times))


if __name__ == "__main__":
    for agent in AGENTS:
        print(f"{seconds(agent, repeats=3):5.2f} s  {agent}")

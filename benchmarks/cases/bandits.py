"""Chapter 26, the ten-armed test bed: 2,000 bandits, 1,000 pulls, one agent."""

from functools import partial

from benchmarks.bounds import seconds
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


def play(agent, bandits=2000, pulls=1000):
    """Let one agent play on the test bed."""
    return run_bandit(GaussianBandit(10, rng=1, n=bandits), agent, pulls, rng=2)


AGENTS = EpsilonGreedy(0.1), SoftMax(3), OptimisticGreedy(), UCB(2), Thompson(), GradientBandit(0.1)
CASES = {}
BOUNDS = {f"test bed, {agent}": (partial(seconds, partial(play, agent), 3), 2.0, "s") for agent in AGENTS}

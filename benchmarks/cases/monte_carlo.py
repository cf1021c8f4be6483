"""Chapter 28: what a learner adds to a step of its world, in plain Python."""

from functools import partial
from types import SimpleNamespace

import numpy as np

from benchmarks.bounds import seconds
from mlteach.monte_carlo import (
    mc_epsilon_soft,
    mc_estimates,
    mc_exploring_starts,
    mc_off_policy,
    mc_off_policy_control,
)

EPISODES, LENGTH = 400, 40


class Walk:
    """Forty steps over thirteen states with four actions, at hardly any cost."""

    action_space = SimpleNamespace(n=4)

    def reset(self, *, seed=None, options=None):
        """Begin anew, in state 0."""
        self.x = self.n = 0
        return 0, {}

    def step(self, a):
        """Go on; the fortieth step is the last."""
        self.n += 1
        self.x = (self.x * 7 + a + self.n) % 13
        return self.x, 1.0, self.n >= LENGTH, False, {}


def bare(env):
    """Walk all episodes and learn nothing."""
    for _ in range(EPISODES):
        env.reset()
        over = False
        while not over:
            over = env.step(2)[2]


LEARNERS = {
    "mc_estimates": lambda env: mc_estimates(env, None, EPISODES),
    "mc_epsilon_soft": lambda env: mc_epsilon_soft(env, EPISODES),
    "mc_exploring_starts": lambda env: mc_exploring_starts(env, EPISODES),
    "mc_off_policy": lambda env: mc_off_policy(env, np.full((13, 4), 0.25), None, EPISODES),
    "mc_off_policy_control": lambda env: mc_off_policy_control(env, None, EPISODES),
}


def added(learn):
    """Return the microseconds that a learner adds to a step."""
    env = Walk()
    return 1e6 * (seconds(lambda: learn(env), 4) - seconds(lambda: bare(env), 4)) / (LENGTH * EPISODES)


CASES = {}
BOUNDS = {f"{name}, a step": (partial(added, learn), 5.0, "µs") for name, learn in LEARNERS.items()}

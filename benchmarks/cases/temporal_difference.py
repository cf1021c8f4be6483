"""Chapter 29: what a learner adds to a step of its world, in plain Python."""

from functools import partial

from benchmarks.bounds import seconds
from mlteach.temporal_difference import CliffWalk, double_q_learning, expected_sarsa, q_learning, sarsa

LEARNERS = q_learning, sarsa, expected_sarsa, double_q_learning
STEPS = 20_000


def added(learner):
    """Return the microseconds that a learner adds to a step of the cliff walk."""
    cliff, lengths = CliffWalk(), []

    def world():
        cliff.reset(seed=1)
        for _ in range(STEPS):
            cliff.step(3)

    own = seconds(world, 4) / STEPS
    agent = seconds(lambda: lengths.append(learner(cliff, 200, 0.5, rng=1).lengths.sum()), 4) / lengths[0]
    return 1e6 * (agent - own)


CASES = {}
BOUNDS = {f"{learner.__name__}, a step": (partial(added, learner), 5.0, "µs") for learner in LEARNERS}

"""Chapter 31 against hmmlearn, since scikit-learn has no chains: ten thousand looks of a model with three states."""

from functools import partial

import numpy as np

from benchmarks.bounds import seconds
from mlteach.hidden_markov import HMM

CASES = {}
TRANSITION = np.array([[0.9, 0.06, 0.04], [0.1, 0.8, 0.1], [0.05, 0.15, 0.8]])
EMISSION = np.array([[0.6, 0.2, 0.1, 0.1], [0.1, 0.6, 0.2, 0.1], [0.05, 0.1, 0.25, 0.6]])


def peers(steps=10_000):
    """Return our model, hmmlearn's, and one record in both forms."""
    from hmmlearn.hmm import CategoricalHMM

    ours = HMM([0.5, 0.3, 0.2], TRANSITION, EMISSION)
    theirs = CategoricalHMM(3)
    theirs.startprob_, theirs.transmat_, theirs.emissionprob_ = ours.start_, TRANSITION, EMISSION
    z = ours.sample(steps, rng=0)[1]
    return ours, theirs, z, z[:, None]


def ratio(ours, theirs, repeats=15):
    """Return how many times hmmlearn's time one pass takes, each the least of some runs."""
    model, peer, z, X = peers()
    return seconds(lambda: ours(model, z), repeats) / seconds(lambda: theirs(peer, X), repeats)


BOUNDS = {
    "filter, 10,000 looks": (partial(ratio, lambda m, z: m.filter(z), lambda m, X: m.score_samples(X)), 3.0, "times"),
    "smoother, 10,000 looks": (partial(ratio, lambda m, z: m.smooth(z), lambda m, X: m.score_samples(X)), 3.0, "times"),
    "Viterbi, 10,000 looks": (partial(ratio, lambda m, z: m.viterbi(z), lambda m, X: m.decode(X)), 3.0, "times"),
}

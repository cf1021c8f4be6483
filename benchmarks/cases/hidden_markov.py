"""Chapter 31 against hmmlearn, since scikit-learn has no chains: ``python -m benchmarks.cases.hidden_markov``.

Ten thousand looks of a model with three states: the likelihood and the beliefs of the filter, the smoother, Viterbi.
"""

import time

import numpy as np

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


def ratios(repeats=15):
    """Return a dict from a pass to (our milliseconds, theirs), each the least of some runs."""
    ours, theirs, z, X = peers()
    ways = {
        "filter": (lambda: ours.filter(z), lambda: theirs.score_samples(X)),
        "smoother": (lambda: ours.smooth(z), lambda: theirs.score_samples(X)),
        "Viterbi": (lambda: ours.viterbi(z), lambda: theirs.decode(X)),
    }
    return {name: tuple(_least(way, repeats) for way in pair) for name, pair in ways.items()}


def _least(way, repeats):
    times = []
    for _ in range(repeats):
        began = time.process_time()
        way()
        times.append(time.process_time() - began)
    return 1e3 * min(times)


if __name__ == "__main__":
    for name, (our, their) in ratios().items():
        print(f"{name:9} {our:6.2f} ms, hmmlearn {their:6.2f} ms: {our / their:.1f} times")

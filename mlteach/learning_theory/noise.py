"""How well a learner fits labels that mean nothing: coin flips (section 25.13)."""

from typing import NamedTuple

import numpy as np

from mlteach.validation import as_matrix, as_rng, check_integer


class NoiseFit(NamedTuple):
    """Training accuracy on random labels, one entry per draw."""

    accuracy: np.ndarray  # (n_draws,)

    @property
    def mean(self):
        """The mean training accuracy."""
        return float(self.accuracy.mean())

    @property
    def rademacher(self):
        """2 · mean - 1: at most the empirical Rademacher complexity, for a learner need not find the best."""
        return 2 * self.mean - 1


def fit_noise(make, X, n_draws=20, rng=0):
    """Train ``make()`` on the inputs ``X`` with labels from a coin, ``n_draws`` times; return how well it fits them.

    >>> from mlteach.nearest_neighbors import KNNClassifier
    >>> fit_noise(lambda: KNNClassifier(1), [[0.0], [1.0], [2.0], [5.0]], 3).mean
    1.0
    """
    X, rng = as_matrix(X), as_rng(rng)
    n_draws = check_integer(n_draws, "n_draws", low=1)
    if len(X) < 2:
        raise ValueError("X must have at least 2 rows: labels of one point cannot be of two kinds.")
    accuracy = []
    for _ in range(n_draws):
        y = rng.integers(2, size=len(X))
        while y.min() == y.max():  # a learner of two classes needs both
            y = rng.integers(2, size=len(X))
        accuracy.append(np.mean(make().fit(X, y).predict(X) == y))
    return NoiseFit(np.array(accuracy))

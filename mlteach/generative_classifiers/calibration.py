"""Calibration: a rising curve from scores to chances that come true (section 10.6.5)."""

import numpy as np

from mlteach.logistic_regression import LogisticRegression
from mlteach.validation import as_two_classes, as_vector


def platt(scores, y, lam=1e-3):
    """Return A and B of P(second class | a) = sigma(A a + B), fitted to scores a (n,) of held-out samples.

    Platt (1999): logistic regression with the score as its only feature; ``lam`` keeps A finite where a threshold
    separates the classes.

    >>> A, B = platt([-40, -20, -10, 10, 20, 40], [0, 0, 1, 0, 1, 1])
    >>> round(A, 3), round(abs(B), 3)
    (0.068, 0.0)
    """
    scores = as_vector(scores, "scores")
    model = LogisticRegression(lam, history=False).fit(scores[:, None], y)
    return float(model.w_[0]), float(model.b_)


def isotonic(scores, y):
    """Return knots and heights (both (m,)) of the never-falling curve with the least squared error to 0 and 1.

    Pool adjacent violators: go through the scores from the smallest to the largest, each a block with the share of
    the second class as its height; while a block is lower than the one before it, merge both. `numpy.interp` reads
    the curve between the knots.

    >>> knots, heights = isotonic([-40, -20, -10, 10, 20, 40], [0, 0, 1, 0, 1, 1])
    >>> print(knots, heights)
    [-40. -20. -10.  10.  20.  40.] [0.  0.  0.5 0.5 1.  1. ]
    """
    scores = as_vector(scores, "scores")
    labels = as_two_classes(y, "isotonic", "Calibrate one class against the rest.", length=len(scores))
    t = (labels[1] == 1).astype(float)
    knots, place, n = np.unique(scores, return_inverse=True, return_counts=True)
    means, sizes, width = [], [], []
    for mean, size in zip(np.bincount(place, t) / n, n):
        means.append(mean), sizes.append(size), width.append(1)
        while len(means) > 1 and means[-2] > means[-1]:
            m, s, w = means.pop(), sizes.pop(), width.pop()
            means[-1] = (means[-1] * sizes[-1] + m * s) / (sizes[-1] + s)
            sizes[-1] += s
            width[-1] += w
    return knots, np.repeat(means, width)

"""Losses as operations of the engine: one number for a batch of outputs, with its derivative.

Derived in section 19.3 of the chapter (from likelihoods in chapter 18).
"""

import numpy as np

from mlteach.deep_learning.tensor import constant, node, quiet
from mlteach.logistic_regression.functions import log_soft
from mlteach.validation import as_array


@quiet
def cross_entropy(scores, labels):
    """Return the mean of -ln p(label), p the softmax of each row of ``scores`` (n, K); labels are 0 to K - 1.

    Softmax and logarithm are one operation: no overflow, and a simple derivative, (p - t) / n (19.6).

    >>> print(cross_entropy(np.array([[2.0, 1.0, 0.0]]), [0]).data.round(6))
    0.407606
    """
    scores = constant(scores)
    if scores.ndim != 2:
        raise ValueError(f"scores must have shape (n, K), one column for each class; got {scores.shape}.")
    labels = check_labels(labels, scores.shape)
    log_p, rows = log_soft(scores.data), np.arange(len(labels))

    def share(g):
        residual = np.exp(log_p)
        residual[rows, labels] -= 1
        return g * residual / len(labels)

    return node("cross-entropy", np.asarray(-log_p[rows, labels].mean()), (scores, share))


def squared_error(outputs, targets):
    """Return half the squared error, summed over outputs and averaged over the n rows: 1/(2n) sum (y - t)^2.

    ``targets`` (n, k) are the t.

    >>> print(squared_error(np.array([[1.0], [3.0]]), [1.0, 1.0]).data)
    1.0
    """
    outputs = constant(outputs)
    targets = check_targets(targets, outputs.shape)
    return ((outputs - targets.reshape(outputs.shape)) ** 2).sum() * (0.5 / len(targets))


LOSSES = {"cross_entropy": cross_entropy, "squared_error": squared_error}


def check_labels(labels, shape):
    """Return labels as whole numbers from 0 to K - 1, one for each row of scores (n, K)."""
    labels, (n, K) = as_array(labels, "y"), shape
    if labels.shape != (n,):
        column = " Use y.ravel()." if labels.shape == (n, 1) else ""
        raise ValueError(f"y must have shape ({n},), one label for each row; got {labels.shape}.{column}")
    bad = (labels != np.round(labels)) | (labels < 0) | (labels >= K)
    if bad.any():
        raise ValueError(
            f"labels must be whole numbers from 0 to {K - 1}, one for each of the {K} outputs; got {labels[bad][0]:g}. "
            "np.unique(y, return_inverse=True) numbers other labels."
        )
    return labels.astype(int)


def check_targets(targets, shape):
    """Return targets as an array that fits outputs (n, m); (n,) will do where m = 1."""
    targets = as_array(targets, "y")
    if targets.shape != shape and not (targets.ndim == 1 and shape == (len(targets), 1)):
        column = " Labels: y.ravel()." if targets.shape == (shape[0], 1) else ""
        raise ValueError(f"y must have the shape {shape} of the outputs; got {targets.shape}.{column}")
    return targets

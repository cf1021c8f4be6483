"""Curves of a score, threshold by threshold: ROC and precision-recall, and their summaries (section 2.9)."""

from typing import NamedTuple

import numpy as np

from mlteach.evaluation._labels import label_array, positive_class
from mlteach.validation import as_vector


class ROC(NamedTuple):
    """Points of a ROC curve; at each, samples with score >= threshold are called positive."""

    fpr: np.ndarray  # (m,) false positive rate, from 0 to 1
    tpr: np.ndarray  # (m,) true positive rate, from 0 to 1
    thresholds: np.ndarray  # (m,) falling, the first is inf: nothing is called positive


class PrecisionRecall(NamedTuple):
    """Points of a precision-recall curve; at each, samples with score >= threshold are called positive."""

    recall: np.ndarray  # (m,) rising to 1
    precision: np.ndarray  # (m,) the last is the share of positives
    thresholds: np.ndarray  # (m,) falling, one for each different score


def roc_curve(y, scores, *, positive=None):
    """Return the `ROC` curve of a score: false and true positive rates for every threshold that matters.

    fpr(c) = share of negatives with score >= c,  tpr(c) = share of positives with score >= c

    Parameters: ``y`` (n,) labels of both kinds, ``scores`` (n,), larger for the positive class; ``positive``, by
    default the larger of two labels. One point per different score, so tied samples cross the threshold together.

    >>> curve = roc_curve([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.4, 0.2])
    >>> print(curve.tpr.round(2), curve.thresholds)
    [0.   0.33 0.67 0.67 1.   1.   1.  ] [inf 0.9 0.8 0.7 0.6 0.4 0.2]
    """
    tp, fp, thresholds = _counts(*_checked(y, scores, positive))
    return ROC(
        fpr=np.append(0.0, fp / fp[-1]),
        tpr=np.append(0.0, tp / tp[-1]),
        thresholds=np.append(np.inf, thresholds),
    )


def auc(fpr, tpr):
    """Return the area under a ROC curve by the trapezoidal rule.

    AUC = sum_i (fpr_i - fpr_(i-1)) (tpr_i + tpr_(i-1)) / 2

    Parameters: ``fpr`` (m,) and ``tpr`` (m,), both rising, fpr from 0 to 1. `roc_auc` starts from labels and scores.

    >>> auc([0, 0, 0.5, 1], [0, 0.5, 1, 1])
    0.875
    """
    fpr = as_vector(fpr, "fpr")
    tpr = as_vector(tpr, "tpr", length=len(fpr), like="fpr")
    for name, rate in (("fpr", fpr), ("tpr", tpr)):
        if (np.diff(rate) < 0).any() or rate[0] < 0 or rate[-1] > 1:
            raise ValueError(f"{name} must rise within [0, 1]. For labels and scores use roc_auc(y, scores).")
    if fpr[0] != 0 or fpr[-1] != 1:
        raise ValueError(f"fpr must go from 0 to 1; it goes from {fpr[0]:g} to {fpr[-1]:g}.")
    return float(np.sum(np.diff(fpr) * (tpr[1:] + tpr[:-1]) / 2))


def roc_auc(y, scores, *, positive=None):
    """Return the area under the ROC curve of a score.

    It is the chance that a positive scores higher than a negative, where a tie counts one half.

    Parameters: ``y`` (n,), ``scores`` (n,), ``positive`` as in `roc_curve`.

    >>> round(roc_auc([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.4, 0.2]), 6)
    0.888889
    """
    fpr, tpr, _ = roc_curve(y, scores, positive=positive)
    return auc(fpr, tpr)


def precision_recall_curve(y, scores, *, positive=None):
    """Return the `PrecisionRecall` curve of a score: both measures for every threshold that calls somebody positive.

    recall(c) = share of positives with score >= c,  precision(c) = share of positives among all with score >= c

    Parameters: ``y`` (n,), ``scores`` (n,), ``positive`` as in `roc_curve`.

    >>> curve = precision_recall_curve([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.4, 0.2])
    >>> print(curve.precision.round(2))
    [1.   1.   0.67 0.75 0.6  0.5 ]
    """
    tp, fp, thresholds = _counts(*_checked(y, scores, positive))
    return PrecisionRecall(tp / tp[-1], tp / (tp + fp), thresholds)


def average_precision(y, scores, *, positive=None):
    """Return the mean precision at the positives, going down the scores: the area under the steps of the curve.

    AP = sum_i (recall_i - recall_(i-1)) precision_i,  recall_0 = 0

    A score without information has about the share of positives, a perfect one has 1.

    Parameters: ``y`` (n,), ``scores`` (n,), ``positive`` as in `roc_curve`.

    >>> round(average_precision([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.4, 0.2]), 6)
    0.916667
    """
    recall, precision, _ = precision_recall_curve(y, scores, positive=positive)
    return float(np.sum(np.diff(recall, prepend=0.0) * precision))


def _counts(is_positive, scores):
    """Return true and false positives after each different score, from the highest down, and these scores."""
    # 1. Go through the samples from the highest score to the lowest
    order = np.argsort(-scores, kind="stable")
    is_positive, scores = is_positive[order], scores[order]
    # 2. Count who has been called positive after each
    tp, fp = np.cumsum(is_positive), np.cumsum(~is_positive)
    # 3. Only the last of equal scores is a threshold
    last = np.append(scores[1:] != scores[:-1], True)
    return tp[last], fp[last], scores[last]


def _checked(y, scores, positive):
    y = label_array(y, "y")
    scores = as_vector(scores, "scores", length=len(y), like="y")
    classes = np.unique(y)
    is_positive = y == positive_class(positive, classes)
    if is_positive.all() or not is_positive.any():
        raise ValueError(f"y must hold positives and negatives; all {len(y)} labels are {classes[:1].tolist()[0]!r}.")
    return is_positive, scores

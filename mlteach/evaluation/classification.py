"""Measures of a classifier: error rate, confusion matrix, precision, recall, specificity, F1 (section 2.8)."""

from typing import NamedTuple

import numpy as np

from mlteach.evaluation._labels import label_array, label_pair, positive_class
from mlteach.validation import check_choice


class Outcomes(NamedTuple):
    """How often each of the four outcomes of a two-class decision occurred."""

    tp: int  # positive, said positive
    fp: int  # negative, said positive
    fn: int  # positive, said negative
    tn: int  # negative, said negative


def error_rate(y, predicted):
    """Return the sample error: the share of samples whose label is predicted wrongly.

    error_S(h) = 1/n sum_x [h(x) != f(x)]

    Parameters: ``y`` (n,) true labels, ``predicted`` (n,) predicted labels.

    >>> error_rate(["ham", "spam", "spam", "ham"], ["ham", "spam", "ham", "ham"])
    0.25
    """
    y, predicted, _ = label_pair(y, predicted)
    return float(np.mean(y != predicted))


def accuracy(y, predicted):
    """Return the share of samples whose label is predicted rightly: 1 - error rate.

    Parameters: ``y`` (n,) true labels, ``predicted`` (n,) predicted labels.

    >>> accuracy([1, 0, 0, 0], [0, 0, 0, 0])
    0.75
    """
    y, predicted, _ = label_pair(y, predicted)
    return float(np.mean(y == predicted))


def confusion_matrix(y, predicted, *, labels=None, normalize=False):
    """Return the matrix C (k, k): C[i, j] samples of true class i were predicted as class j.

    accuracy = trace C / sum C;  with ``normalize`` each row is divided by its sum, so its diagonal is the recall

    Parameters: ``y`` (n,), ``predicted`` (n,). Rows and columns follow ``labels``, by default all labels that
    occur in y or predicted, sorted. A class that never occurs in y has a row of zeros, normalised or not.

    >>> confusion_matrix(["a", "b", "b", "c"], ["a", "b", "c", "c"])
    array([[1, 0, 0],
           [0, 1, 1],
           [0, 0, 1]])
    """
    y, predicted, classes = label_pair(y, predicted)
    if labels is not None:
        labels = label_array(labels, "labels")
        if len(np.unique(labels)) != len(labels):
            raise ValueError(f"labels must name each class once; got {labels.tolist()}.")
        missing = [label for label in classes.tolist() if label not in labels.tolist()]
        if missing:
            raise ValueError(f"labels must name every class in y and predicted; {missing} missing.")
    check_choice(normalize, "normalize", (False, True))
    order = classes if labels is None else labels
    rows, columns = y[:, None] == order, predicted[:, None] == order  # (n, k), one 1 per row
    C = rows.T.astype(int) @ columns.astype(int)
    return C / np.maximum(C.sum(axis=1, keepdims=True), 1) if normalize else C


def outcomes(y, predicted, *, positive=None):
    """Return the `Outcomes` (tp, fp, fn, tn) of one class against the rest.

    Parameters: ``y`` (n,), ``predicted`` (n,), ``positive``, by default the larger of two labels.

    >>> outcomes([1, 1, 1, 0, 0], [1, 1, 0, 1, 0])
    Outcomes(tp=2, fp=1, fn=1, tn=1)
    """
    y, predicted, classes = label_pair(y, predicted)
    positive = positive_class(positive, classes)
    is_positive, said_positive = y == positive, predicted == positive
    return Outcomes(
        tp=int(np.sum(is_positive & said_positive)),
        fp=int(np.sum(~is_positive & said_positive)),
        fn=int(np.sum(is_positive & ~said_positive)),
        tn=int(np.sum(~is_positive & ~said_positive)),
    )


def precision(y, predicted, *, positive=None):
    """Return the share of true positives among all that were called positive.

    precision = TP / (TP + FP),  defined as 0 when nothing was called positive

    Parameters: ``y`` (n,), ``predicted`` (n,), ``positive``, by default the larger of two labels.

    >>> round(precision([1, 1, 1, 0, 0], [1, 1, 0, 1, 0]), 6)
    0.666667
    """
    tp, fp, _, _ = outcomes(y, predicted, positive=positive)
    return _share(tp, tp + fp)


def recall(y, predicted, *, positive=None):
    """Return the share of positives that were found, also called true positive rate or sensitivity.

    recall = TP / (TP + FN),  defined as 0 when there are no positives

    Parameters: ``y`` (n,), ``predicted`` (n,), ``positive``, by default the larger of two labels.

    >>> recall(["ill", "ill", "well", "well"], ["ill", "well", "well", "well"], positive="ill")
    0.5
    """
    tp, _, fn, _ = outcomes(y, predicted, positive=positive)
    return _share(tp, tp + fn)


def specificity(y, predicted, *, positive=None):
    """Return the share of negatives that were called negative: one minus the false positive rate.

    specificity = TN / (TN + FP),  defined as 0 when there are no negatives

    Parameters: ``y`` (n,), ``predicted`` (n,), ``positive``, by default the larger of two labels.

    >>> specificity([1, 1, 0, 0, 0, 0], [1, 0, 1, 0, 0, 0])
    0.75
    """
    _, fp, _, tn = outcomes(y, predicted, positive=positive)
    return _share(tn, tn + fp)


def f1_score(y, predicted, *, positive=None):
    """Return the harmonic mean of precision and recall.

    F1 = 2 precision recall / (precision + recall) = 2 TP / (2 TP + FP + FN),  0 when all three are 0

    Parameters: ``y`` (n,), ``predicted`` (n,), ``positive``, by default the larger of two labels.

    >>> f1_score([1, 1, 0, 0], [1, 0, 1, 0])
    0.5
    """
    tp, fp, fn, _ = outcomes(y, predicted, positive=positive)
    return _share(2 * tp, 2 * tp + fp + fn)


def _share(part, whole):
    return part / whole if whole else 0.0

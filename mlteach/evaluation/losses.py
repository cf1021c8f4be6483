"""Loss functions: of the residual r = y - f(x) in regression, of the margin m = t f(x) with t = -1 or +1 for classes.

All but `log_loss` work element by element, on a number or an array of any shape.

Derived in section 2.11 of the chapter.
"""

import numpy as np

from mlteach.evaluation._labels import label_array, positive_class
from mlteach.validation import as_array, check_number, check_probabilities


def absolute(r):
    """Return the absolute loss |r|, also called L1.

    >>> absolute([-2, 0.5])
    array([2. , 0.5])
    """
    return _out(np.abs(_numbers(r, "r")))


def squared(r):
    """Return the squared loss r^2, also called L2.

    >>> squared([-2, 0.5])
    array([4.  , 0.25])
    """
    return _out(_multiply(_numbers(r, "r"), _numbers(r, "r")))


def huber(r, delta=1.0):
    """Return the Huber loss: a parabola near 0 and straight lines beyond delta, so outliers pull less.

    huber(r) = r^2 / 2                    for |r| <= delta
               delta (|r| - delta / 2)    beyond

    Parameters: residuals ``r`` of any shape, ``delta`` > 0.

    >>> huber([0.5, 1, 3])
    array([0.125, 0.5  , 2.5  ])
    """
    delta = check_number(delta, "delta", low=0, open_low=True)
    size = np.abs(_numbers(r, "r"))
    inner = np.minimum(size, delta)  # r^2 / 2 = inner (size - inner / 2) as well, as there inner = size
    return _out(_multiply(inner, size - inner / 2))


def zero_one(m):
    """Return the 0-1 loss of a margin: 1 on the wrong side (or on the boundary), else 0.

    ``m`` is a margin, or an array of them.

    >>> zero_one([-0.5, 0, 2])
    array([1., 1., 0.])
    """
    return _out((_numbers(m, "m") <= 0).astype(float))


def hinge(m):
    """Return the hinge loss of a margin: 0 from margin 1 on, rising linearly below.

    hinge(m) = max(0, 1 - m)

    >>> hinge([-0.5, 0, 2])
    array([1.5, 1. , 0. ])
    """
    return _out(np.maximum(0, 1 - _numbers(m, "m")))


def logistic(m):
    """Return the logistic loss of a margin, the negative log-likelihood of the right class.

    logistic(m) = ln(1 + exp(-m)) = -ln sigmoid(m)

    >>> print(logistic([-0.5, 0, 2]).round(4))
    [0.9741 0.6931 0.1269]
    """
    return _out(np.logaddexp(0, -_numbers(m, "m")))


def log_loss(y, p, *, positive=None, labels=None):
    """Return the mean negative logarithm of the probability that was given to the true class.

    log loss = -1/n sum_i ln p_i(y_i)

    Parameters: ``y`` (n,) labels, and ``p``, either (n,) with the probability of ``positive`` (by default the
    larger of two labels), or (n, k) with one column per class, in the order of ``labels``, by default the sorted
    classes of y. A sample whose true class had probability 0 costs infinity: nothing is clipped.

    >>> round(log_loss(["no", "yes", "yes"], [0.1, 0.9, 0.5]), 6)
    0.301289
    """
    y, p = label_array(y, "y"), as_array(p, "p")
    if p.ndim not in (1, 2) or len(p) != len(y):
        raise ValueError(f"p must have shape (n,) or (n, k) with n = {len(y)}, as y has; got {p.shape}.")
    classes, index = np.unique(y, return_inverse=True)
    if p.ndim == 1:
        if labels is not None:
            raise ValueError("labels goes with p of shape (n, k); for p of shape (n,) name the positive class.")
        if (p < 0).any() or (p > 1).any():
            raise ValueError(f"p must hold probabilities in [0, 1]; it goes from {p.min():g} to {p.max():g}.")
        given = np.where(y == positive_class(positive, classes), p, 1 - p)
    else:
        if positive is not None:
            raise ValueError("positive goes with p of shape (n,); a p of shape (n, k) has a column for every class.")
        if labels is not None:
            index, classes = _columns(y, labels)
        if p.shape[1] != len(classes):
            whose = f"class of y; y has {len(classes)}" if labels is None else f"label; there are {len(classes)}"
            remedy = " Name all classes with labels=[...]." if labels is None and p.shape[1] > len(classes) else ""
            raise ValueError(f"p must have one column per {whose}, p has {p.shape[1]}.{remedy}")
        given = check_probabilities(p, "p")[np.arange(len(y)), index]
    with np.errstate(divide="ignore"):  # ln 0 = -inf is meant
        return abs(float(np.mean(np.log(given))))  # ln p is never positive


def _columns(y, labels):
    """Return for each sample the place of its class in ``labels``, and the labels."""
    labels = label_array(labels, "labels").tolist()
    missing = [label for label in np.unique(y).tolist() if label not in labels]
    if missing or len(set(labels)) != len(labels):
        raise ValueError(f"labels must name each class once, and every class of y; got {labels}.")
    return np.array([labels.index(label) for label in y.tolist()]), labels


def _numbers(value, name):
    if np.ndim(value) == 0 and np.asarray(value).dtype.kind == "f" and not np.isfinite(value):
        raise ValueError(f"{name} must be finite; got {value}.")
    return as_array(value, name)


def _multiply(a, b):
    with np.errstate(over="ignore"):
        product = a * b
    if not np.isfinite(product).all():
        raise ValueError("r is too large: its loss is no floating-point number; change the unit of y.")
    return product


def _out(loss):
    return loss if loss.ndim else float(loss)

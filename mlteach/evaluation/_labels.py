"""Checks on labels that all measures of classification share."""

import numpy as np

from mlteach.validation import as_labels


def label_array(y, name, *, length=None):
    """Return ``y`` as a vector of labels that can be sorted and compared."""
    as_labels(y, name, length=length, like="y", min_classes=1)
    return np.asarray(y)


def label_pair(y, predicted):
    """Return true and predicted labels of one kind and length, and the sorted classes of both."""
    y = label_array(y, "y")
    predicted = label_array(predicted, "predicted", length=len(y))
    if _kind(y) != _kind(predicted):
        raise ValueError(
            f"y and predicted must hold labels of one type; y holds {_kind(y)} such as {y[:1].tolist()[0]!r}, "
            f"predicted {_kind(predicted)} such as {predicted[:1].tolist()[0]!r}."
        )
    return y, predicted, as_labels(np.concatenate([y, predicted]), "y with predicted", min_classes=1)[0]


def positive_class(positive, classes):
    """Return the class that counts as positive: the one asked for, or the larger of two."""
    if positive is None:
        if len(classes) == 1:
            raise ValueError(
                f"only the label {_listed(classes)} occurs, so nothing tells which class is positive: name it with "
                "positive=..., seen or not."
            )
        if len(classes) != 2:
            raise ValueError(
                f"positive has a default for two classes only; the labels are {_listed(classes)}. "
                f"Say which one counts as positive, as in positive={classes[-1:].tolist()[0]!r}."
            )
        return classes[-1]
    if np.ndim(positive) != 0:
        raise ValueError(f"positive must be one label; got {positive!r}.")
    alike = _kind(np.asarray(positive)) == _kind(classes)
    # With one class seen the other has no name yet, so any label of the same kind may be it
    if not alike or (len(classes) > 1 and not (classes == positive).any()):
        raise ValueError(f"positive must be one of the labels {_listed(classes)}; got {positive!r}.")
    return positive


def _kind(labels):
    names = {"U": "text", "S": "bytes", "O": "objects"}
    codes = {np.asarray(v).dtype.kind for v in labels.flat} if labels.dtype.kind == "O" else {labels.dtype.kind}
    kinds = {names.get(code, "numbers") for code in codes}
    return kinds.pop() if len(kinds) == 1 else "objects"


def _listed(classes):
    shown = ", ".join(repr(label) for label in classes[:5].tolist())
    return shown + (f", ... ({len(classes)} in all)" if len(classes) > 5 else "")

"""Checks of labelled instances: hashable values, one label each, and which label is the positive one."""

import numpy as np

from mlteach.validation import is_hashable


def as_instance(x):
    """Return ``x`` as a hashable value: rows become tuples, numpy scalars the Python values they hold."""
    if isinstance(x, np.ndarray):
        x = x.tolist()
    elif isinstance(x, np.generic):
        x = x.item()
    if isinstance(x, list | tuple):
        x = tuple(v.item() if isinstance(v, np.generic) else v for v in x)
    if not is_hashable(x):
        raise TypeError(f"an instance must be a value or a row of hashable values; got {x!r}.")
    if any(v != v for v in (x if isinstance(x, tuple) else (x,))):
        raise ValueError(f"an instance must not hold nan, which equals nothing; got {x!r}.")
    return x


def as_instances(X, name="X"):
    """Return a non-empty list of instances."""
    if isinstance(X, str | bytes | dict) or not hasattr(X, "__iter__"):
        raise TypeError(f"{name} must be a sequence of instances; got {X!r}.")
    X = [as_instance(x) for x in X]
    if not X:
        raise ValueError(f"{name} is empty; at least one instance is needed.")
    return X


def as_examples(X, y, positive):
    """Return the list of instances and the list of their labels, True where ``y`` equals ``positive``."""
    X = as_instances(X)
    labels = as_instances(y, "y")
    if len(labels) != len(X):
        raise ValueError(f"y must have one label per instance: {len(X)} instances, but y has {len(labels)} labels.")
    kinds = set(labels)
    if positive is True and not kinds <= {True, False}:
        raise ValueError(
            f"y must hold True and False (or 1 and 0); got {_listing(kinds)}. "
            "Name the label of the positive examples, as in positive='Yes'."
        )
    if len(kinds | {positive}) > 2:
        raise ValueError(f"a concept has two labels, {positive!r} and one other; y holds {_listing(kinds)}.")
    if positive is not True and positive not in kinds:
        raise ValueError(f"positive={positive!r} is the label of no example; y holds {_listing(kinds)}.")
    return X, [label == positive for label in labels]


def as_rows(X):
    """Return the instances ``X`` as tuples of one length; a single value is no row."""
    X = as_instances(X)
    for n, x in enumerate(X):
        if not isinstance(x, tuple) or not x:
            raise ValueError(f"X must hold rows with one value per attribute; X[{n}] is {x!r}.")
        if len(x) != len(X[0]):
            raise ValueError(f"rows of X must have one length: X[0] has {len(X[0])} values, X[{n}] has {len(x)}.")
    return X


def _listing(kinds):
    return ", ".join(sorted(map(repr, kinds)))

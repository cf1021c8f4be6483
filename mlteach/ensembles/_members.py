"""What all ensembles do with their members: make them, and bring their answers into one order of classes."""

import numpy as np

from mlteach.base import new_model


def new_models(models, least=1):
    """Return new classifiers for a list of models and functions."""
    if not isinstance(models, list | tuple):
        raise ValueError(f"models must be a list of classifiers; got {models!r}.")
    if len(models) < least:
        raise ValueError(f"models must hold at least {least} classifier{'s' * (least > 1)}; got {len(models)}.")
    made = []
    for make in models:
        made.append(new_model(make, made, name="a member"))
    return made


def said(model, X, classes):
    """Return the index in ``classes`` of what a fitted model predicts, (n,)."""
    return np.searchsorted(classes, model.predict(X))


def probabilities(model, X, classes):
    """Return a model's probability of each of ``classes``, (n, K); 0 for a class that it has not met."""
    if not hasattr(model, "predict_proba"):
        raise ValueError(f"a probability is needed of each member, but {model!r} has no predict_proba.")
    P = np.zeros((len(X), len(classes)))
    P[:, np.searchsorted(classes, model.classes_)] = model.predict_proba(X)
    return P

"""What all ensembles do with their members: make them, and bring their answers into one order of classes."""

import numpy as np

from mlteach.base import fresh, is_model


def new_model(make, others=(), kind="classifier", rng=None):
    """Return a model that ``others`` does not hold yet from ``make``, a model to copy or a function.

    A copy that draws random numbers gets a seed of its own from ``rng``: equal seeds would make equal members.
    """
    if is_model(make):
        model = fresh(make)
        if rng is not None and "rng" in model.get_params(deep=False):
            model.set_params(rng=int(rng.integers(2**31)))
    elif callable(make):
        model = make()
    else:
        raise ValueError(f"a member must be a {kind}, or a function that returns a new one; got {make!r}.")
    methods = not isinstance(model, type) and all(callable(getattr(model, name, None)) for name in ("fit", "predict"))
    wrong = "regression" if kind == "classifier" else ("binary", "classification")
    if not methods or getattr(model, "task", "none") in wrong:
        raise ValueError(f"a member must be a {kind} with fit and predict; got {model!r}.")
    if any(model is other for other in others):
        raise ValueError(
            f"make() must return a new model each time; it gave one twice. Give the model itself: {model!r}."
        )
    return model


def new_models(models, least=1):
    """Return new classifiers for a list of models and functions."""
    if not isinstance(models, list | tuple):
        raise ValueError(f"models must be a list of classifiers; got {models!r}.")
    if len(models) < least:
        raise ValueError(f"models must hold at least {least} classifier{'s' * (least > 1)}; got {len(models)}.")
    made = []
    for make in models:
        made.append(new_model(make, made))
    return made


def said(model, X, classes):
    """Return the index in ``classes`` of what a fitted model predicts, (n,)."""
    return np.searchsorted(classes, model.predict(X))


def one_hot(index, K):
    """Return a row of zeros and a one for each index, (n, K)."""
    return np.eye(K)[index]


def probabilities(model, X, classes):
    """Return a model's probability of each of ``classes``, (n, K); 0 for a class that it has not met."""
    if not hasattr(model, "predict_proba"):
        raise ValueError(f"a probability is needed of each member, but {model!r} has no predict_proba.")
    P = np.zeros((len(X), len(classes)))
    P[:, np.searchsorted(classes, model.classes_)] = model.predict_proba(X)
    return P

"""Adversarial examples by the fast gradient: one small step for each pixel, all of them uphill (section 23.9)."""

import numpy as np

from mlteach.deep_learning import Layer, Tensor, cross_entropy
from mlteach.linear import LinearClassifier
from mlteach.neural_networks import ACTIVATIONS, MLP
from mlteach.validation import as_array, as_labels, check_number


def fast_gradient_attack(model, X, y, epsilon, *, clip=None):
    """Return X + epsilon sign(dL/dX): every entry moves by epsilon in the direction that raises the loss (23.20).

    model     a layer of chapter 19 (labels 0 to K - 1), SmallCNN, MLP, LogisticRegression, SoftmaxRegression, or a
              function of (X, y) that returns dL/dX
    X, y      inputs, first axis the samples, and their right labels
    epsilon   at least 0; entries with slope 0 stay
    clip      (low, high): entries are kept inside, such as (0, 1) for pixels

    >>> from mlteach.logistic_regression import LogisticRegression
    >>> model = LogisticRegression(lam=1.0).fit([[0, 0], [1, 0], [3, 2], [4, 2]], [0, 0, 1, 1])
    >>> fast_gradient_attack(model, [[3.0, 2.0]], [1], 0.5).tolist()
    [[2.5, 1.5]]
    """
    X, epsilon = as_array(X, "X"), check_number(epsilon, "epsilon", low=0)
    if X.ndim < 2:
        raise ValueError(f"X must hold samples along its first axis, (n, ...); got shape {X.shape}. Use X[None].")
    low, high = (-np.inf, np.inf) if clip is None else _limits(clip)
    if (X < low).any() or (X > high).any():
        raise ValueError(f"X goes from {X.min():g} to {X.max():g}, outside of clip = ({low:g}, {high:g}).")
    return np.clip(X + epsilon * np.sign(input_gradient(model, X, y)), low, high)


def input_gradient(model, X, y):
    """Return the slope of each sample's loss in its inputs, in the shape of ``X``.

    ``model`` is a fitted `MLP`, a network of layers, or a linear classifier with probabilities.
    """
    X = as_array(X, "X")
    if isinstance(model, Layer):
        inputs = Tensor(X)
        (cross_entropy(model(inputs), y) * len(X)).backward()
        slope = inputs.grad
    elif isinstance(model, MLP):
        slope = _through_layers(model, X, y)
    elif isinstance(model, LinearClassifier) and hasattr(model, "predict_proba"):
        residual = model.predict_proba(X) - _indicators(model, X, y)
        slope = residual[:, 1:] * model.w_ if hasattr(model, "w_") else residual @ model.W_
    elif callable(model) and not hasattr(model, "fit"):
        slope = as_array(model(X, y), "the function's slope")
    else:
        raise TypeError(
            f"model must be a layer, MLP, LogisticRegression, SoftmaxRegression, or a function of (X, y) that returns "
            f"dL/dX; got {type(model).__name__}."
        )
    if slope.shape != X.shape:
        raise ValueError(f"the slope must have the shape {X.shape} of X; got {slope.shape}.")
    return slope


def _through_layers(model, X, y):
    """Return dL/dX of an MLP: y - t at the output (18.11), then back through every layer (18.16)."""
    outputs, parameters = model.activations(X), model.parameters_
    if model.task == "regression":
        targets = as_array(y, "y").reshape(outputs[-1].shape)
    else:
        targets = _indicators(model, X, y)[:, -outputs[-1].shape[1] :]
    delta = outputs[-1] - targets
    for k in reversed(range(len(outputs) - 1)):
        delta = delta @ parameters[2 * k].T
        if k:
            z = outputs[k - 1] @ parameters[2 * k - 2] + parameters[2 * k - 1]
            delta = delta * ACTIVATIONS[model.activation].slope(z, outputs[k])
    return delta


def _indicators(model, X, y):
    """Return one column for each class, 1 where the sample has it."""
    classes, index = as_labels(y, length=len(X), min_classes=1)
    unknown = ~np.isin(classes, model.classes_)
    if unknown.any():
        raise ValueError(
            f"y holds {classes[unknown].tolist()[0]!r}, a label the model does not know: {model.classes_.tolist()}."
        )
    return (classes[index][:, None] == model.classes_).astype(float)


def _limits(clip):
    try:
        low, high = (float(end) for end in clip)
    except (TypeError, ValueError):
        raise ValueError(f"clip must be a pair (low, high); got {clip!r}.") from None
    if not low < high:
        raise ValueError(f"clip must be a pair (low, high) with low below high; got {clip!r}.")
    return low, high

"""Training: mini-batches, an optimiser of chapter 05, a penalty, and a stop in time.

Derived in sections 19.3 and 19.6 of the chapter.
"""

import warnings
from dataclasses import dataclass

import numpy as np

from mlteach import numerics
from mlteach.deep_learning.losses import LOSSES, check_labels, check_targets
from mlteach.deep_learning.tensor import Tensor, quiet
from mlteach.validation import ConvergenceWarning, as_array, as_rng, check_choice, check_integer, check_number


@dataclass(frozen=True, eq=False)
class History:
    """What a run of `train` has seen; entry 0 of each curve is the state before the first step.

    train_loss, validation_loss     mean loss (without penalty, without dropout) after each epoch
    train_error, validation_error   share of wrong classes, for labels; else empty
    best_epoch    the epoch with the least validation loss (the first of equals); the last one without validation
    stopped       "epochs", "patience" or "diverged"
    snapshots     the weights after each epoch as one vector, where ``train`` was asked to keep them
    """

    train_loss: np.ndarray
    validation_loss: np.ndarray
    train_error: np.ndarray
    validation_error: np.ndarray
    best_epoch: int
    stopped: str
    snapshots: tuple


@quiet
def train(
    model, X, y, optimizer, epochs, *, loss="auto", batch_size=32, validation=None, patience=None, lam=0.0,
    augment=None, snapshots=False, rng=0,
):  # fmt: skip
    """Train a model in place by mini-batches and return the `History`.

    Minimised is  loss + 1/2 lam * (sum of all squared weights),  biases left out (19.14).

    model        a layer: called as model(X, training=...), with ``parameters()``
    X, y         inputs, first axis the samples; labels 0 to K - 1 for K outputs, or targets of the outputs' shape
    optimizer    an optimiser of chapter 05; it starts afresh, and sees all parameters as one vector
    epochs       how many times to go through the data
    loss         "cross_entropy", "squared_error" or a function of outputs and y; "auto": cross-entropy for whole-
                 number y and two or more outputs, else squared error
    validation   (X, y) on which each epoch is judged; with ``patience`` training stops when that many epochs brought
                 nothing better, and the best weights stay in the model
    lam          weight decay, at least 0
    augment      a function of (X, rng) that returns a changed copy of a batch
    rng          draws the order of the samples (and what ``augment`` does); dropout has its own
    """
    X, y, rng = *_pair(X, y), as_rng(rng)
    epochs, batch_size = check_integer(epochs, "epochs", low=0), check_integer(batch_size, "batch_size", low=1)
    _check_patience(patience, validation)
    _check_tools(model, optimizer, augment)
    judge, parameters = _Judge(model, X, y, loss), _parameters(model)
    curves = [(X, y)] if validation is None else [(X, y), _pair(*validation, "validation ")]
    decays = check_number(lam, "lam", low=0) * np.concatenate([np.full(p.size, p.ndim > 1) for p in parameters])
    optimizer.reset()

    w = pack(parameters)
    seen, kept, best, stopped = [judge(curves)], [w.copy()], (0, w), "epochs"
    for k in range(1, epochs + 1):
        # 1. Go through the data once, batch by batch
        w = _epoch(w, model, X, y, judge.loss, parameters, decays, optimizer, batch_size, augment, rng)
        # 2. Judge the epoch; a run that has left the range of the computer ends
        unpack(parameters, w)
        now = judge(curves) if np.isfinite(w).all() else [(np.nan, np.nan)]
        if not np.isfinite([value for value, _ in now]).all():
            stopped = "diverged"
            break
        seen.append(now)
        kept = [*kept, w.copy()] if snapshots else kept
        # 3. Remember the best weights, and stop when patience is at its end
        if validation is None or now[1][0] < seen[best[0]][1][0]:
            best = (k, w)
        elif patience is not None and k - best[0] >= patience:
            stopped = "patience"
            break
    if patience is not None or stopped == "diverged":
        unpack(parameters, best[1])
    if stopped == "diverged":
        _warn(k, best[0])
    return _history(seen, judge.classes, best[0], stopped, kept if snapshots else [])


def _epoch(w, model, X, y, loss, parameters, decays, optimizer, batch_size, augment, rng):
    """Go once through the data in a new order and return the new weights."""
    order = rng.permutation(len(X))
    for start in range(0, len(X), batch_size):
        rows = order[start : start + batch_size]
        batch = X[rows] if augment is None else _changed(X[rows], augment, rng)

        def gradient(w, batch=batch, rows=rows):
            # 1. Forward, backward, and the slope of the penalty
            unpack(parameters, w)
            loss(model(batch, training=True), y[rows]).backward()
            return np.concatenate([_gradient(p) for p in parameters]) + decays * w

        # 2. The optimiser's step
        w = optimizer.step(w, gradient)
        if not np.isfinite(w).all():
            break
    return w


def pack(parameters):
    """Return all parameters as one vector, a copy.

    >>> from mlteach.deep_learning import Tensor
    >>> pack([Tensor([[1.0, 2.0]]), Tensor([3.0])])
    array([1., 2., 3.])
    """
    return numerics.pack([p.data for p in parameters])


def unpack(parameters, w):
    """Put the entries of the vector ``w`` into the parameters, in the order of `pack`."""
    w = np.asarray(w, dtype=float)
    if w.shape != (sum(p.size for p in parameters),):
        raise ValueError(f"w must hold {sum(p.size for p in parameters)} numbers, one vector; got shape {w.shape}.")
    for p, data in zip(parameters, numerics.unpack(w, [p.shape for p in parameters])):
        p.data = data


class _Judge:
    """The loss of a run, and its value (with the share of wrong classes) on given data."""

    def __init__(self, model, X, y, loss):
        self.model, outputs = model, model(X)
        whole = y.ndim == 1 and outputs.ndim == 2 and outputs.shape[1] > 1 and bool(np.all(y == np.round(y)))
        if not callable(loss):
            check_choice(loss, "loss", ["auto", *LOSSES])
            loss = LOSSES[("cross_entropy" if whole else "squared_error") if loss == "auto" else loss]
        self.loss, self.classes = loss, loss is LOSSES["cross_entropy"]
        if loss in LOSSES.values():
            (check_labels if self.classes else check_targets)(y, (len(X), *outputs.shape[1:]))

    def __call__(self, curves):
        judged = []
        for X, y in curves:
            outputs = self.model(X)
            wrong = np.mean(outputs.data.argmax(axis=1) != y) if self.classes else np.nan
            value = self.loss(outputs, y)
            if not isinstance(value, Tensor) or value.size != 1:
                raise TypeError("loss must return a Tensor with one number, the mean loss of the batch.")
            judged.append((float(value), float(wrong)))
        return judged


def _history(seen, classes, best, stopped, kept):
    table, none = np.array(seen, dtype=float), np.empty(0)  # (epochs, training or validation, loss or error)
    columns = [table[:, k, c] if k < table.shape[1] and c <= classes else none for c in (0, 1) for k in (0, 1)]
    return History(*columns, best, stopped, tuple(kept))


def _pair(X, y, name=""):
    X, y = as_array(X, f"{name}X"), as_array(y, f"{name}y")
    if X.ndim == 0 or y.ndim == 0 or len(y) != len(X):
        raise ValueError(f"{name}y must have one entry for each sample of {name}X; got shapes {X.shape} and {y.shape}.")
    return X, y


def _check_patience(patience, validation):
    if validation is not None and (not isinstance(validation, tuple | list) or len(validation) != 2):
        raise ValueError("validation must be a pair (X, y).")
    if patience is not None:
        check_integer(patience, "patience", low=1)
        if validation is None:
            raise ValueError("patience needs validation=(X, y): early stopping watches the validation loss.")


def _check_tools(model, optimizer, augment):
    if not callable(model) or not hasattr(model, "parameters"):
        raise TypeError(f"model must be a layer, such as Sequential(...); got {type(model).__name__}.")
    if isinstance(optimizer, type) or not hasattr(optimizer, "step") or not hasattr(optimizer, "reset"):
        raise TypeError(f"optimizer must be an optimiser of chapter 05, such as Adam(0.01); got {optimizer!r}.")
    if augment is not None and not callable(augment):
        raise TypeError(f"augment must be a function of (X, rng); got {augment!r}.")


def _changed(X, augment, rng):
    batch = augment(X, rng)
    if np.shape(batch) != X.shape:
        raise ValueError(f"augment must return a batch of the same shape, {X.shape}; got {np.shape(batch)}.")
    return batch


def _parameters(model):
    parameters = model.parameters()
    if not parameters:
        raise ValueError("the model has no parameters, so there is nothing to train.")
    return parameters


def _gradient(p):
    """Return the gradient of a parameter as a vector; 0 where the loss does not reach it."""
    return np.zeros(p.size) if p.grad is None else p.grad.ravel()


def _warn(epoch, best):
    warnings.warn(
        f"the numbers left the range of the computer in epoch {epoch}; the model has the weights of epoch {best}. "
        "Use a smaller learning rate, or scale the inputs.",
        ConvergenceWarning,
        stacklevel=4,
    )

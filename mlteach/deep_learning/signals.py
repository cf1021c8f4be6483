"""What a network's signals do on their way: their size forward, and the size of the gradient back.

Derived in sections 19.4 and 19.5 of the chapter.
"""

from typing import NamedTuple

import numpy as np

from mlteach.deep_learning.losses import cross_entropy
from mlteach.deep_learning.tensor import Tensor
from mlteach.validation import as_array


class Signals(NamedTuple):
    """Root mean squares at the input (entry 0) and after each layer."""

    forward: np.ndarray  # of the outputs
    backward: np.ndarray  # of the derivatives of the loss by them


def signal_sizes(model, X, y, loss=cross_entropy):
    """Send data through a `Sequential` and back, and return the size of what arrives at each layer.

    ``model`` is that network, ``loss`` a function of its outputs and y.

    >>> from mlteach.deep_learning import Dense, Sequential
    >>> sizes = signal_sizes(Sequential(Dense(2, 2, scale=0)), np.array([[3.0, 4.0]]), [0])
    >>> sizes.forward.round(3)
    array([3.536, 0.   ])
    """
    if not hasattr(model, "outputs"):
        raise TypeError(f"model must be a Sequential, whose layers can be asked; got {type(model).__name__}.")
    outputs = model.outputs(Tensor(as_array(X, "X")))
    loss(outputs[-1], y).backward()
    return Signals(
        np.array([_size(h.data) for h in outputs]),
        np.array([0.0 if h.grad is None else _size(h.grad) for h in outputs]),
    )


def _size(a):
    return float(np.sqrt(np.mean(a**2)))

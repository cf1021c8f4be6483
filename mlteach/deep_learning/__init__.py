"""Deep learning (chapter 19): an engine that differentiates, layers, training, and what keeps deep networks healthy.

`Tensor` is reverse-mode automatic differentiation in one file; layers are functions of Tensors; `train` joins a
model, mini-batches and an optimiser of chapter 05.
"""

from mlteach.deep_learning.augmentation import augment
from mlteach.deep_learning.layers import Dense, Dropout, Layer, Residual, Sequential, initial_std
from mlteach.deep_learning.losses import cross_entropy, squared_error
from mlteach.deep_learning.signals import Signals, signal_sizes
from mlteach.deep_learning.tensor import Tensor, constant, node
from mlteach.deep_learning.training import History, pack, train, unpack

__all__ = [
    "Dense",
    "Dropout",
    "History",
    "Layer",
    "Residual",
    "Sequential",
    "Signals",
    "Tensor",
    "augment",
    "constant",
    "cross_entropy",
    "initial_std",
    "node",
    "pack",
    "signal_sizes",
    "squared_error",
    "train",
    "unpack",
]

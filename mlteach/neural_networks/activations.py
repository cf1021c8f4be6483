"""What a unit does with its weighted sum: step, sigmoid, tanh, ReLU, softplus, and the slope of each.

Derived in section 18.2 of the chapter. Slopes are written in terms of the value that the unit has already computed,
as backpropagation wants them.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from mlteach import numerics
from mlteach.logistic_regression.functions import plain, sigma, sigmoid
from mlteach.validation import as_array, check_choice

__all__ = ["ACTIVATIONS", "Activation", "relu", "sigmoid", "slope", "softplus", "step", "tanh"]


class Activation(NamedTuple):
    """A function g and its slope, both on float arrays, unchecked; ``slope(z, a)`` may use a = g(z)."""

    value: Callable
    slope: Callable


ACTIVATIONS = {  # (18.2)
    "sigmoid": Activation(sigma, lambda z, a: a * (1 - a)),
    "tanh": Activation(np.tanh, lambda z, a: 1 - a * a),
    "relu": Activation(lambda z: np.maximum(z, 0.0), lambda z, a: (z > 0).astype(float)),
    "softplus": Activation(numerics.softplus, lambda z, a: -np.expm1(-a)),
}


def step(z):
    """Return 1 where z >= 0 and 0 elsewhere: the unit of McCulloch and Pitts, whose slope is 0.

    >>> step([-0.5, 0, 2])
    array([0., 1., 1.])
    """
    return plain((as_array(z, "z") >= 0).astype(float))


def tanh(z):
    """Return the hyperbolic tangent, 2 sigma(2z) - 1, with values from -1 to 1.

    ``z`` is a number or an array.

    >>> tanh([0, 1]).round(6)
    array([0.      , 0.761594])
    """
    return plain(np.tanh(as_array(z, "z")))


def relu(z):
    """Return the rectified linear unit max(0, z).

    >>> relu([-2, 0, 3])
    array([0., 0., 3.])
    """
    return plain(np.maximum(as_array(z, "z"), 0.0))


def softplus(z):
    """Return ln(1 + exp(z)), a smooth ReLU whose slope is the sigmoid; no size of z overflows.

    >>> softplus([-1000, 0, 1000]).round(6)
    array([0.00000e+00, 6.93147e-01, 1.00000e+03])
    """
    return plain(numerics.softplus(as_array(z, "z")))


def slope(name, z):
    """Return the slope g'(z) of the activation called ``name``; that of ReLU at 0 is taken as 0.

    >>> slope("sigmoid", 0), slope("tanh", 0), slope("relu", [-1, 0, 2]).tolist()
    (0.25, 1.0, [0.0, 0.0, 1.0])
    """
    g = ACTIVATIONS[check_choice(name, "activation", tuple(ACTIVATIONS))]
    z = as_array(z, "z")
    return plain(g.slope(z, g.value(z)))

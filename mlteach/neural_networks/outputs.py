"""Output units and the losses that belong to them: minus the log-likelihood of the targets (section 18.5).

    identity   Gaussian targets       1/2 |y - t|^2                      (18.8)
    sigmoid    0 or 1                 -t ln y - (1 - t) ln(1 - y)        (18.9)
    softmax    one of K classes       -sum_k t_k ln y_k                  (18.10)

For all three the slope of the loss in the sums z of the output units is y - t (18.11).
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from mlteach.logistic_regression.functions import log_soft, sigma
from mlteach.numerics import softplus


class Output(NamedTuple):
    """An output unit: its value y(z), and the loss of each sample as a function of z (n, k) and targets t (n, k)."""

    value: Callable
    loss: Callable


def _squared(z, t):
    return 0.5 * np.sum((z - t) ** 2, axis=1)


def _binary(z, t):
    return np.sum(softplus(z) - t * z, axis=1)


def _categorical(z, t):
    return -np.sum(t * log_soft(z), axis=1)


OUTPUTS = {
    "identity": Output(lambda z: z, _squared),
    "sigmoid": Output(sigma, _binary),
    "softmax": Output(lambda z: np.exp(log_soft(z)), _categorical),
}

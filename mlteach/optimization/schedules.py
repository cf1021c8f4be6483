"""Learning rates that fall with the step k = 0, 1, 2, ..., ready to be an optimiser's ``learning_rate``.

Derived in section 5.10 of the chapter.
"""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from mlteach.validation import as_array, check_number


class Schedule(NamedTuple):
    """A learning rate as a function of the step: ``schedule(k)`` for a number or an array of steps."""

    name: str
    rate: Callable

    def __call__(self, k):
        """Return eta at step ``k`` >= 0: a float, or an array of the shape of k."""
        k = as_array(k, "k")
        if (k < 0).any():
            raise ValueError(f"k must not be negative; its smallest entry is {k.min():g}.")
        eta = self.rate(k)
        return float(eta) if np.ndim(eta) == 0 else eta

    def __repr__(self):
        return self.name


def linear_decay(start, end, tau):
    """Return the schedule that falls on a straight line for ``tau`` steps and stays level from then on.

    eta_k = (1 - a) start + a end,  a = min(k / tau, 1)      (5.28)

    Parameters: ``start`` > 0, ``end`` in [0, start], ``tau`` > 0. Each rate is a mixture of the two ends, not of
    the rate before it.

    >>> eta = linear_decay(1.0, 0.01, tau=10)
    >>> eta(0), eta(5), eta(99)
    (1.0, 0.505, 0.01)
    """
    start = check_number(start, "start", low=0, open_low=True)
    end = check_number(end, "end", low=0, high=start)
    tau = check_number(tau, "tau", low=0, open_low=True)
    return Schedule(f"linear_decay({start:g}, {end:g}, tau={tau:g})", partial(_mixture, start=start, end=end, tau=tau))


def inverse_sqrt_decay(start):
    """Return the schedule that falls with the root of the number of steps.

    eta_k = start / sqrt(k + 1)      (5.28)

    Parameter: ``start`` > 0, the rate of the first step.

    >>> inverse_sqrt_decay(0.5)([0, 3, 99])
    array([0.5 , 0.25, 0.05])
    """
    start = check_number(start, "start", low=0, open_low=True)
    return Schedule(f"inverse_sqrt_decay({start:g})", partial(_inverse_sqrt, start=start))


# Functions of the module, not of a call, so that a schedule can be pickled


def _mixture(k, start, end, tau):
    a = np.minimum(k / tau, 1)
    return (1 - a) * start + a * end


def _inverse_sqrt(k, start):
    return start / np.sqrt(k + 1)

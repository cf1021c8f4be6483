"""Run an optimiser and keep the path it takes (section 5.3)."""

import copy
import inspect
import math
from typing import NamedTuple

import numpy as np

from mlteach.validation import as_array, check_integer


class Trajectory(NamedTuple):
    """The path of an optimiser.

    After divergence the rows that were not reached repeat the last good ones: ``w[: n_iter + 1]`` is the path.
    If not even the first step stayed in range, w repeats the start and there is no norm: it is nan.
    """

    w: np.ndarray  # (steps + 1, d), w[0] is the start
    gradient_norm: np.ndarray  # (steps,), length of the gradient that step k used (Nesterov: at its look-ahead)
    n_iter: int  # steps made
    diverged: bool  # stopped because w or its gradient is not a number or too large for its square


def minimize(gradient, w0, optimizer, steps):
    """Make ``steps`` steps of ``optimizer`` from ``w0`` and return the `Trajectory`.

    Parameters: ``gradient``, a function of w (d,) that returns (d,), called once per step; ``w0`` (d,);
    ``optimizer``, such as ``Adam(learning_rate=0.1)``; ``steps`` >= 0. The run works on a fresh copy of the
    optimiser: it neither uses nor changes the state of the one given.

    >>> from mlteach.optimization import GradientDescent
    >>> path = minimize(lambda w: 2 * w, [1.0], GradientDescent(learning_rate=0.1), steps=3)
    >>> path.w[:, 0].round(6)
    array([1.   , 0.8  , 0.64 , 0.512])
    """
    w, optimizer, steps = _checked(gradient, w0, optimizer, steps)
    norms, W = np.zeros(steps), np.tile(w, (steps + 1, 1))
    n_iter, noted = 0, _Noted(gradient)
    for k in range(steps):
        # 1. Let the optimiser choose the next point, and note the slope it asked for
        w = optimizer.step(w, noted)
        g = noted.value.astype(float)
        if k == 0 and not np.isfinite(g).all():
            raise ValueError(f"gradient must be finite at w0 = {W[0]}; it is {g}.")
        # 2. Stop where the numbers have grown out of range
        with np.errstate(over="ignore", invalid="ignore"):
            g_squared, w_squared = g @ g, w @ w
        if not (math.isfinite(g_squared) and math.isfinite(w_squared)):
            break
        # 3. Keep the point
        W[k + 1], norms[k], n_iter = w, _length(g, g_squared), k + 1
    W[n_iter + 1 :], norms[n_iter:] = W[n_iter], norms[n_iter - 1] if n_iter else np.nan
    return Trajectory(W, norms, n_iter, diverged=n_iter < steps)


def _length(g, g_squared):
    """Return the length of g; squares of tiny numbers are 0, so those are scaled first."""
    return math.sqrt(g_squared) if g_squared > 1e-280 else math.hypot(*g)


class _Noted:
    """A gradient that remembers its last value."""

    def __init__(self, gradient):
        self.gradient = gradient

    def __call__(self, w):
        self.value = np.asarray(self.gradient(w))
        return self.value


def _checked(gradient, w0, optimizer, steps):
    if not callable(gradient):
        raise TypeError(f"gradient must be a function of w; got {type(gradient).__name__}.")
    w = as_array(w0, "w0")
    if w.ndim != 1:
        raise ValueError(f"w0 must have shape (d,); got {w.shape}.{' Use [w0].' if w.ndim == 0 else ''}")
    if inspect.isclass(optimizer) or not (hasattr(optimizer, "step") and hasattr(optimizer, "reset")):
        raise TypeError(f"optimizer must be an optimiser such as Adam(learning_rate=0.1); got {optimizer!r}.")
    fresh = copy.copy(optimizer)
    fresh.reset()
    return w, fresh, check_integer(steps, "steps", low=0)

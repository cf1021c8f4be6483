"""Gradients by finite differences and from mini-batches, and the parabola that gradient descent minimises.

Derived in sections 5.2, 5.7 and 5.9 of the chapter.
"""

import numpy as np

from mlteach.validation import as_array, as_rng, as_vector, check_integer, check_number


def numerical_gradient(f, w, h=None):
    """Return the gradient of ``f`` at ``w`` by central differences, to check a derivative made by hand.

    df/dw_j ~ (f(w + h e_j) - f(w - h e_j)) / (2h)

    Parameters: ``f``, a function of w that returns a number; ``w`` of any shape; ``h`` > 0, by default
    6e-6 max(1, |w_j|), which balances the error of the formula and that of rounding. Returns the shape of w.

    >>> numerical_gradient(lambda w: w[0] ** 2 * w[1], [3.0, 2.0]).round(6)
    array([12.,  9.])
    """
    _check_callable(f, "f", "w")
    w = as_array(w, "w")
    if h is None:
        steps = np.finfo(float).eps ** (1 / 3) * np.maximum(1, np.abs(w))
    else:
        steps = np.full(w.shape, check_number(h, "h", low=0, open_low=True))
    gradient = np.empty_like(w)
    for j in np.ndindex(w.shape):
        above, below = w.copy(), w.copy()
        above[j] += steps[j]
        below[j] -= steps[j]
        if above[j] == below[j]:
            raise ValueError(f"h = {h:g} is too small to move w, whose entry is {w[j]:g}; use a larger h.")
        gradient[j] = (_value(f, above) - _value(f, below)) / (above[j] - below[j])
    return gradient


def minibatch_gradient(gradient, n, batch_size, rng=0):
    """Return a function of w that gives the gradient on the next mini-batch, for stochastic gradient descent.

    g = gradient(w, batch),  batch = ``batch_size`` of the indices 0 ... n-1     (5.24)

    Each epoch shuffles the indices anew and deals them all out once; its last batch may be smaller.

    Parameters: ``gradient``, a function of w and an array of indices, best a mean over them; ``n`` samples;
    ``batch_size`` in 1 ... n; ``rng``. The function remembers its place in the data: make a new one for each run.

    >>> x = np.array([1.0, 2.0, 3.0, 6.0])
    >>> g = minibatch_gradient(lambda w, batch: np.mean(w - x[batch]), n=4, batch_size=2)
    >>> print((g(0.0) + g(0.0)) / 2)
    -3.0
    """
    _check_callable(gradient, "gradient", "w and a batch")
    n = check_integer(n, "n", low=1)
    size = check_integer(batch_size, "batch_size", low=1, high=n, why="the number of samples")
    batches = _deal(n, size, as_rng(rng))
    return lambda w: gradient(w, next(batches))


def quadratic_model(f, gradient, w, learning_rate):
    """Return the parabola around ``w`` whose lowest point is the next step of gradient descent.

    q(u) = f(w) + g.(u - w) + |u - w|^2 / (2 eta),  lowest at u = w - eta g      (5.19)

    If the slope of f changes at most at the rate L, and eta <= 1/L, q lies nowhere below f.

    Parameters: ``f`` and ``gradient``, functions of w; ``w`` (d,); ``learning_rate`` eta > 0. The function
    returned takes u (..., d) and returns (...).

    >>> q = quadratic_model(lambda w: 2 * w @ w, lambda w: 4 * w, [1.0], learning_rate=0.25)
    >>> print(q([[1.0], [0.0], [2.0]]))
    [2. 0. 8.]
    """
    _check_callable(f, "f", "w")
    _check_callable(gradient, "gradient", "w")
    w = as_vector(w, "w")
    eta = check_number(learning_rate, "learning_rate", low=0, open_low=True)
    value, g = _value(f, w.copy()), as_vector(gradient(w.copy()), "gradient(w)", length=len(w), like="w")

    def model(u):
        u = as_array(u, "u")
        if u.shape[-1:] != w.shape:
            raise ValueError(f"u must have shape (..., {len(w)}); got {u.shape}.")
        return value + (u - w) @ g + np.sum((u - w) ** 2, axis=-1) / (2 * eta)

    return model


def _deal(n, size, rng):
    while True:
        yield from np.split(rng.permutation(n), range(size, n, size))


def _value(f, w):
    value = f(w)
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    return check_number(value, "f(w)")


def _check_callable(function, name, of):
    if not callable(function):
        raise TypeError(f"{name} must be a function of {of}; got {type(function).__name__}.")

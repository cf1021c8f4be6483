"""Networks whose weights are written down, not learned: XOR, a bump, a staircase (sections 18.3 and 18.8)."""

import math

import numpy as np

from mlteach.validation import as_rng, as_vector, check_integer, check_number


def xor_network():
    """Return W1, b1, W2, b2 of two ReLU units and a linear output that compute XOR exactly (18.5).

    h = relu(x1 + x2, x1 + x2 - 1),   y = h1 - 2 h2

    >>> xor_network()[1]
    array([ 0., -1.])
    """
    return [np.ones((2, 2)), np.array([0.0, -1.0]), np.array([[1.0], [-2.0]]), np.zeros(1)]


def staircase(heights, low, high, steepness):
    """Return W1, b1, W2, b2 of a network of sigmoid units that climbs from one height to the next.

    y(x) = heights[0] + sum_i (heights[i] - heights[i - 1]) sigma(s (x - e_i)),   e_i the inner edges of n equal
    cells between ``low`` and ``high``,   s = steepness / width of a cell: ``steepness`` counts per cell   (18.22)

    One unit fewer than heights; as ``steepness`` grows, y becomes constant on each cell. The output is "identity".

    >>> W1, b1, W2, b2 = staircase([0.0, 1.0, 0.0], 0, 3, 50)
    >>> W1, b1, W2.ravel(), b2
    (array([[50., 50.]]), array([ -50., -100.]), array([ 1., -1.]), array([0.]))
    """
    heights = as_vector(heights, "heights")
    low, high = check_number(low, "low"), check_number(high, "high")
    if not low < high:
        raise ValueError(f"low must be less than high; got {low:g} and {high:g}.")
    if len(heights) < 2:
        raise ValueError("heights must hold at least two numbers; one has no step between cells.")
    width = (high - low) / len(heights)
    s = check_number(steepness, "steepness", low=0, open_low=True) / width
    if not math.isfinite(s * max(abs(low), abs(high), 1)):
        raise ValueError(f"steepness {steepness:g} over cells of width {width:g} is too large for floating point.")
    edges = low + width * np.arange(1, len(heights))
    return [np.full((1, len(edges)), s), -s * edges, np.diff(heights)[:, None], heights[:1].copy()]


def two_spirals(n=120, turns=1.0, noise=0.05, *, rng=0):
    """Return two interleaved spirals: X (n, 2) with coordinates up to about 1, y (n,) 0 or 1.

    ``turns`` is how often each winds round, ``noise`` the standard deviation of what is added.

    >>> X, y = two_spirals(10)
    >>> X.shape, y.tolist()
    ((10, 2), [0, 0, 0, 0, 0, 1, 1, 1, 1, 1])
    """
    n, rng = check_integer(n, "n", low=4), as_rng(rng)
    half = [n - n // 2, n // 2]
    parts = []
    for k, m in enumerate(half):
        t = np.linspace(0.15, 1, m)
        angle = 2 * np.pi * check_number(turns, "turns", low=0) * t + np.pi * k
        parts.append(np.column_stack([t * np.cos(angle), t * np.sin(angle)]))
    X = np.vstack(parts) + check_number(noise, "noise", low=0) * rng.normal(size=(n, 2))
    return X, np.repeat([0, 1], half)

"""One parameter that shatters any number of points: sign(sin ωx) at x = 1/2, 1/4, 1/8, ... (section 25.10)."""

import numpy as np

from mlteach.validation import as_array, check_integer


def sine_frequency(labels):
    """Return the ω for which sin(ωx) is positive at x = 2^-i exactly where the i-th label is 1 (25.20).

    ω = π (1 + Σ_i (1 - y_i) 2^i), for up to 40 labels 0 or 1: then the sines still have the right sign in floating
    point.

    >>> y = [1, 0, 0, 1]
    >>> (np.sin(sine_frequency(y) * sine_points(4)) > 0).astype(int)
    array([1, 0, 0, 1])
    """
    y = as_array(labels, "labels", ndim=1)
    if not np.isin(y, (0, 1)).all():
        raise ValueError(f"labels must hold 0 and 1 only; got {y[~np.isin(y, (0, 1))][0]:g}.")
    if len(y) > 40:
        raise ValueError(f"at most 40 labels can be told apart in floating point; got {len(y)}.")
    return float(np.pi * (1 + np.sum((1 - y) * 2.0 ** np.arange(1, len(y) + 1))))


def sine_points(n):
    """Return the points 1/2, 1/4, ..., 2^-n."""
    return 0.5 ** np.arange(1, check_integer(n, "n", low=1) + 1)

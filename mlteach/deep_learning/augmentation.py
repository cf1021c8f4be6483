"""Data-set augmentation: pictures that are moved a little still show the same thing.

Derived in section 19.6 of the chapter.
"""

import numpy as np

from mlteach.validation import as_matrix, as_rng, check_integer, check_number


def augment(X, rng=0, *, shape=(8, 8), shift=1, noise=0.0, flip=False):
    """Return a changed copy of pictures ``X`` (n, height * width): each is shifted, and may get noise.

    shift   at most so many pixels up or down and left or right; what leaves the picture is lost, what enters is 0
    noise   standard deviation of normal noise on every pixel
    flip    mirror every other picture left to right (with digits a mistake: section 19.6 shows it)

    >>> augment(np.arange(4.0).reshape(1, 4), rng=0, shape=(2, 2))
    array([[2., 3., 0., 0.]])
    """
    X, rng = as_matrix(X), as_rng(rng)
    if not isinstance(shape, tuple | list) or len(shape) != 2:
        raise ValueError(f"shape must be a pair (height, width); got {shape!r}.")
    height, width = check_integer(shape[0], "height", low=1), check_integer(shape[1], "width", low=1)
    if X.shape[1] != height * width:
        raise ValueError(f"pictures of shape {shape} have {height * width} pixels; X has {X.shape[1]} columns.")
    shift, noise = check_integer(shift, "shift", low=0), check_number(noise, "noise", low=0)
    n, s = len(X), shift
    wide = np.zeros((n, height + 2 * s, width + 2 * s))
    wide[:, s : s + height, s : s + width] = X.reshape(n, height, width)
    rows = rng.integers(0, 2 * s + 1, n)[:, None] + np.arange(height)  # (n, height): which rows are cut out
    columns = rng.integers(0, 2 * s + 1, n)[:, None] + np.arange(width)
    moved = wide[np.arange(n)[:, None, None], rows[:, :, None], columns[:, None, :]]
    if flip:
        mirrored = rng.random(n) < 0.5
        moved[mirrored] = moved[mirrored, :, ::-1]
    if noise:
        moved += rng.normal(0, noise, moved.shape)
    return moved.reshape(n, -1)

"""Convolution and cross-correlation of signals, pictures and volumes: sliding sums, with and without a flip.

A kernel of d dimensions slides in d directions. Convolution flips it first, cross-correlation does not, and that is
the whole difference. Derived in sections 20.2 and 20.3 of the chapter.
"""

import numpy as np

from mlteach.convolution.sizes import check_range
from mlteach.validation import as_array, check_choice

MODES = ("full", "same", "valid")


def convolve(signal, kernel, mode="full"):
    """Return the convolution of two signals: every entry of one sends out a scaled copy of the other.

    (f * g)(t) = sum over a of f(a) g(t - a)                     (20.1)

    signal   (n,)
    kernel   (m,)
    mode     "full" (n + m - 1 places), "same" (as many as the longer), "valid" (where they overlap wholly)

    The places are numpy's, ``numpy.convolve``.

    >>> convolve([1, 2, 3], [0, 1, 0.5]).tolist()
    [0.0, 1.0, 2.5, 4.0, 1.5]
    """
    f, g = _two(signal, kernel, 1, "signal", "kernel")
    check_choice(mode, "mode", MODES)
    shorter, longer = sorted((len(f), len(g)))
    return _cut(_full(f, g), {"same": ((shorter - 1) // 2,)}, (longer,), (f, g), mode)


def cross_correlate(signal, kernel, mode="full"):
    """Return the cross-correlation of two signals: the kernel slides along as it is, a sliding dot product.

    (f ⋆ g)(t) = sum over a of f(t + a) g(a)                     (20.2)

    It is the convolution with the flipped kernel. Shapes and places as ``numpy.correlate``; "full" begins where the
    kernel's last entry meets the signal's first.

    ``mode`` is "full", "same" or "valid".

    >>> cross_correlate([1, 2, 3], [0, 1, 0.5]).tolist()
    [0.5, 2.0, 3.5, 3.0, 0.0]
    """
    f, g = _two(signal, kernel, 1, "signal", "kernel")
    check_choice(mode, "mode", MODES)
    n, m = len(f), len(g)
    start = (m - 1) // 2 if n >= m else n // 2
    return _cut(_full(f, flip(g)), {"same": (start,)}, (max(n, m),), (f, g), mode)


def convolve2d(image, kernel, mode="full"):
    """Return the convolution of a picture with a kernel that slides in two directions.

    (I * K)(i, j) = sum over u, v of I(u, v) K(i - u, j - v)     (20.4)

    Modes and places as ``scipy.signal.convolve2d``: "same" has the size of the picture.

    ``image`` is the picture I, ``mode`` "full", "same" or "valid".

    >>> convolve2d([[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]], [[1, 2], [3, 4]], "valid").tolist()
    [[16.0, 26.0, 36.0], [56.0, 66.0, 76.0]]
    """
    return _convolve_nd(image, kernel, mode, 2, "image")


def convolve3d(volume, kernel, mode="full"):
    """Return the convolution of a volume, or of a film, with a kernel that slides in three directions.

    ``mode`` is "full", "same" or "valid".

    >>> convolve3d([[[1, 2, 3]]], [[[1, 1]]], "valid").tolist()
    [[[3.0, 5.0]]]
    """
    return _convolve_nd(volume, kernel, mode, 3, "volume")


def cross_correlate2d(image, kernel, mode="full"):
    """Return the cross-correlation of a picture with a kernel: what deep learning calls a convolution.

    (I ⋆ K)(i, j) = sum over u, v of I(i + u, j + v) K(u, v)     (20.5)

    Modes and places as ``scipy.signal.correlate2d``.

    ``image`` is the picture I, ``mode`` "full", "same" or "valid".

    >>> cross_correlate2d([[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]], [[1, 2], [3, 4]], "valid").tolist()
    [[34.0, 44.0, 54.0], [74.0, 84.0, 94.0]]
    """
    f, g = _two(image, kernel, 2, "image", "kernel")
    check_choice(mode, "mode", MODES)
    start = tuple(m // 2 for m in g.shape)
    return _cut(_full(f, flip(g)), {"same": start}, f.shape, (f, g), mode)


def flip(kernel):
    """Return a kernel turned round in each of its directions.

    >>> flip(np.array([[1, 2], [3, 4]])).tolist()
    [[4, 3], [2, 1]]
    """
    if not hasattr(kernel, "ndim"):
        kernel = as_array(kernel, "kernel")
    return kernel[(slice(None, None, -1),) * kernel.ndim]


def _convolve_nd(values, kernel, mode, ndim, name):
    f, g = _two(values, kernel, ndim, name, "kernel")
    check_choice(mode, "mode", MODES)
    start = tuple((m - 1) // 2 for m in g.shape)
    return _cut(_full(f, g), {"same": start}, f.shape, (f, g), mode)


def _full(f, g):
    """Return all sums: the larger array, shifted and scaled, once for each entry of the smaller one."""
    f, g = (f, g) if f.size >= g.size else (g, f)
    out = np.zeros([n + m - 1 for n, m in zip(f.shape, g.shape)])
    with np.errstate(over="ignore", invalid="ignore"):
        for place in np.ndindex(g.shape):
            out[tuple(slice(k, k + n) for k, n in zip(place, f.shape))] += g[place] * f
    return check_range(out)


def _cut(full, starts, shape, pair, mode):
    """Return the part of all sums that a mode keeps."""
    if mode == "full":
        return full
    if mode == "valid":
        f, g = pair
        larger = [n >= m for n, m in zip(f.shape, g.shape)]
        if not all(larger) and any(n > m for n, m in zip(f.shape, g.shape)):
            raise ValueError(f"mode 'valid' needs one array inside the other; got shapes {f.shape} and {g.shape}.")
        starts = {"valid": [min(n, m) - 1 for n, m in zip(f.shape, g.shape)]}
        shape = [abs(n - m) + 1 for n, m in zip(f.shape, g.shape)]
    return full[tuple(slice(start, start + n) for start, n in zip(starts[mode], shape))]


def _two(f, g, ndim, first, second):
    return as_array(f, first, ndim=ndim), as_array(g, second, ndim=ndim)

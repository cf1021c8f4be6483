"""Convolution as a matrix: mostly zeros, and the same few numbers in every row (section 20.4)."""

import numpy as np

from mlteach.convolution.layers import conv2d
from mlteach.validation import as_array, check_integer


def convolution_matrix(kernel, shape, stride=1, padding=0):
    """Return the matrix C with  C @ pixels = cross-correlation of the pixels with the kernel  (20.6).

    kernel   (m,) for signals of n = ``shape`` entries, or (h, w) for pictures of ``shape`` (height, width)
    stride, padding   whole numbers, as in `conv2d`

    Column j is what the kernel makes of a signal that is 1 at place j and 0 elsewhere.

    >>> convolution_matrix([1, 2, 3], 5).astype(int).tolist()
    [[1, 2, 3, 0, 0], [0, 1, 2, 3, 0], [0, 0, 1, 2, 3]]
    """
    kernel = as_array(kernel, "kernel")
    if kernel.ndim not in (1, 2):
        raise ValueError(f"kernel must have shape (m,) or (height, width); got {kernel.shape}.")
    stride, padding = check_integer(stride, "stride", low=1), check_integer(padding, "padding", low=0)
    if kernel.ndim == 1:
        n = check_integer(shape, "shape", low=1)
        units, kernel, steps, zeros = np.eye(n).reshape(n, 1, 1, n), kernel[None], (1, stride), (0, padding)
    else:
        height, width = (check_integer(side, "shape", low=1) for side in _two(shape))
        units = np.eye(height * width).reshape(-1, 1, height, width)
        steps, zeros = (stride, stride), (padding, padding)
    return conv2d(units, kernel[None, None], stride=steps, padding=zeros).reshape(len(units), -1).T


def _two(shape):
    shape = shape.tolist() if isinstance(shape, np.ndarray) else shape
    if not isinstance(shape, tuple | list) or len(shape) != 2:
        raise ValueError(f"shape must be (height, width) for a kernel of two directions; got {shape!r}.")
    return shape

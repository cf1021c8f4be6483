"""Sizes that one can predict: places of a kernel, parameters of a layer, what a deep unit sees (section 20.5)."""

import numpy as np

from mlteach.validation import check_integer


def output_size(n, kernel, stride=1, padding=0):
    """Return at how many places a kernel fits into a line of n pixels.

    floor((n + 2 padding - kernel) / stride) + 1                 (20.9)

    >>> output_size(32, 5), output_size(32, 5, padding=2), output_size(32, 5, stride=2), output_size(28, 2, stride=2)
    (28, 32, 14, 14)
    """
    n, kernel = check_integer(n, "n", low=1), check_integer(kernel, "kernel", low=1)
    stride, padding = check_integer(stride, "stride", low=1), check_integer(padding, "padding", low=0)
    if kernel > n + 2 * padding:
        raise ValueError(
            f"a kernel of {kernel} does not fit into {n} pixels with padding {padding}: {n + 2 * padding} in all. "
            f"Use a smaller kernel or more padding."
        )
    return (n + 2 * padding - kernel) // stride + 1


def n_parameters(in_channels, out_channels, kernel):
    """Return the number of weights and biases of a convolutional layer.

    (height x width x in_channels + 1) x out_channels            (20.10)

    ``kernel`` is the side of a square, or (height, width).

    >>> n_parameters(1, 6, 5), n_parameters(3, 64, 3)
    (156, 1792)
    """
    height, width = as_pair(kernel, "kernel", low=1)
    in_channels = check_integer(in_channels, "in_channels", low=1)
    return (height * width * in_channels + 1) * check_integer(out_channels, "out_channels", low=1)


def receptive_field(layers):
    """Return how many input pixels in a row one unit of the last layer sees, counted from the first to the last.

    r = 1 + sum over layers of (kernel - 1) x product of the strides before it      (20.11)

    layers   [(kernel, stride), ...], the first layer first; pooling counts like a convolution

    >>> receptive_field([(3, 1)]), receptive_field([(3, 1), (3, 1)]), receptive_field([(3, 1), (2, 2), (3, 1)])
    (3, 5, 8)
    """
    try:
        pairs = [(kernel, stride) for kernel, stride in layers]
    except (TypeError, ValueError):
        raise ValueError(f"layers must be a list of pairs (kernel, stride); got {layers!r}.") from None
    field, jump = 1, 1
    for k, (kernel, stride) in enumerate(pairs):
        field += (check_integer(kernel, f"kernel of layer {k}", low=1) - 1) * jump
        jump *= check_integer(stride, f"stride of layer {k}", low=1)
    return field


def as_pair(value, name, *, low):
    """Return (vertical, horizontal) from one whole number or from two."""
    if isinstance(value, np.ndarray) and value.ndim == 1:
        value = value.tolist()
    if isinstance(value, list | tuple):
        if len(value) != 2:
            raise ValueError(f"{name} must be a whole number or two of them (vertical, horizontal); got {value!r}.")
        return tuple(check_integer(part, name, low=low) for part in value)
    return (check_integer(value, name, low=low),) * 2


def check_range(sums):
    """Return the sums, or say that they left the range of the computer's numbers."""
    if not np.isfinite(sums).all():
        raise ValueError("the sums are too large for the computer's numbers, beyond 1.8e308. Scale the operands down.")
    return sums

"""Convolution and pooling as operations of the engine of chapter 19, and the layers made of them.

Pictures come as (n, channels, height, width), kernels as (maps, channels, height, width). Arrays give arrays; as soon
as a Tensor is among the operands, the result is a Tensor that knows its derivatives.

Derived in sections 20.4 to 20.6 of the chapter.
"""

import numpy as np

from mlteach.convolution.sizes import as_pair, check_range, output_size
from mlteach.convolution.windows import average, convolution, fold, maximum, unfold
from mlteach.deep_learning import Layer, Tensor, constant, initial_std, node
from mlteach.validation import as_array, as_rng, check_choice, check_integer

ACTIVATIONS = {"relu": Tensor.relu, "tanh": Tensor.tanh, "sigmoid": Tensor.sigmoid}


def conv2d(x, w, b=None, stride=1, padding=0):
    """Slide kernels over pictures and return the feature maps (n, maps, rows, columns).

    out[m, i, j] = b[m] + sum over c, u, v of x[c, s i + u, s j + v] w[m, c, u, v]      (20.8)

    x         (n, channels, height, width)
    w         (maps, channels, height, width), the kernels; they are not flipped (cross-correlation)
    b         (maps,), one bias for each map, or None
    stride    how far the kernel moves, a whole number or (vertical, horizontal)
    padding   rows and columns of zeros on each side, likewise; "valid" is 0, "same" keeps the size (odd kernels with
              stride 1)

    >>> x = np.arange(12.0).reshape(1, 1, 3, 4)
    >>> conv2d(x, [[[[1, 2], [3, 4]]]])[0, 0].tolist()
    [[34.0, 44.0, 54.0], [74.0, 84.0, 94.0]]
    """
    operands = [x, w] if b is None else [x, w, b]
    X, K = _four(x, "x", "(n, channels, height, width)"), _four(w, "w", "(maps, channels, height, width)")
    B = None if b is None else b.data if isinstance(b, Tensor) else as_array(b, "b")
    if X.shape[1] != K.shape[1]:
        raise ValueError(
            f"a kernel has as many channels as the picture; x has {X.shape[1]} (shape {X.shape}), w has {K.shape[1]} "
            f"(shape {K.shape})."
        )
    if B is not None and B.shape != (len(K),):
        raise ValueError(f"b must have shape ({len(K)},), one bias for each map; got {B.shape}.")
    stride = as_pair(stride, "stride", low=1)
    padding = as_padding(padding, K.shape[2:], stride)
    for n, k, s, p in zip(X.shape[2:], K.shape[2:], stride, padding):
        output_size(n, k, s, p)  # refuses a kernel that does not fit
    with np.errstate(over="ignore", invalid="ignore"):  # training looks at its loss, arrays are looked at below
        out, shares = convolution(X, K, B, stride, padding)
    return _result("conv2d", out, operands, shares)


def conv2d_transpose(x, w, stride=1):
    """Return pictures (n, channels, rows, columns) in which every entry of a map lays down a copy of its kernel.

    out[c, s i + u, s j + v] gets x[m, i, j] w[m, c, u, v]: the transpose of `conv2d` without padding, and thus the
    gradient of its picture. A map of r rows grows to s (r - 1) + height. Section 23.8.3 draws digits with it.

    x         (n, maps, rows, columns)
    w         (maps, channels, height, width), the kernels
    stride    how far apart the copies lie, a whole number or (vertical, horizontal)

    >>> x = np.array([[[[1.0, 2.0]]]])
    >>> conv2d_transpose(x, [[[[1, 10]]]], stride=2)[0, 0].tolist()
    [[1.0, 10.0, 2.0, 20.0]]
    """
    X, K = _four(x, "x", "(n, maps, rows, columns)"), _four(w, "w", "(maps, channels, height, width)")
    if X.shape[1] != len(K):
        raise ValueError(f"w has one kernel for each map; x has {X.shape[1]} maps (shape {X.shape}), w has {len(K)}.")
    stride = as_pair(stride, "stride", low=1)
    places, kernel = X.shape[2:], K.shape[2:]
    sides = [s * (r - 1) + k for s, r, k in zip(stride, places, kernel)]
    W, maps = K.reshape(len(K), -1), X.reshape(*X.shape[:2], -1)

    def windows(g):
        return unfold(g, kernel, stride, (0, 0))[0]

    with np.errstate(over="ignore", invalid="ignore"):
        out = fold(W.T @ maps, (len(X), K.shape[1], *sides), kernel, stride, (0, 0), places)
    shares = [
        lambda g: (W @ windows(g)).reshape(X.shape),
        lambda g: np.sum(maps @ windows(g).transpose(0, 2, 1), axis=0).reshape(K.shape),
    ]
    return _result("conv2d_transpose", out, [x, w], shares)


def max_pool2d(x, size, stride=None):
    """Return the greatest value of each window, (n, channels, rows, columns); ``stride`` is ``size`` if not given.

    Rows and columns at the end that fill no window are left out.

    >>> max_pool2d(np.arange(16.0).reshape(1, 1, 4, 4), 2)[0, 0].tolist()
    [[5.0, 7.0], [13.0, 15.0]]
    """
    return _pool("max_pool2d", maximum, x, size, stride)


def average_pool2d(x, size, stride=None):
    """Return the mean of each window, (n, channels, rows, columns); ``stride`` is ``size`` if not given.

    >>> average_pool2d(np.arange(16.0).reshape(1, 1, 4, 4), 2)[0, 0].tolist()
    [[2.5, 4.5], [10.5, 12.5]]
    """
    return _pool("average_pool2d", average, x, size, stride)


class Conv2d(Layer):
    """A convolutional layer: kernels that slide, a bias for each map, and the detector stage.

    Model    y = g(conv2d(x, w, b))                              (20.8)
    Start    w ~ N(0, initial_std^2) with n_in = channels x height x width, b = 0      (19.8)

    Parameters: ``kernel`` the side of a square or (height, width); ``activation`` "relu", "tanh", "sigmoid" or None;
    ``stride`` and ``padding`` as in `conv2d`. The Tensors are ``w`` and ``b``.

    >>> layer = Conv2d(1, 6, 5)
    >>> layer(np.zeros((1, 1, 32, 32))).shape, sum(p.size for p in layer.parameters())
    ((1, 6, 28, 28), 156)
    """

    def __init__(self, in_channels, out_channels, kernel, activation=None, *, stride=1, padding=0, rng=0):
        c, maps = check_integer(in_channels, "in_channels", low=1), check_integer(out_channels, "out_channels", low=1)
        kh, kw = as_pair(kernel, "kernel", low=1)
        self.activation = check_choice(activation, "activation", [None, *ACTIVATIONS])
        self.stride = as_pair(stride, "stride", low=1)
        self.padding = as_padding(padding, (kh, kw), self.stride)
        self.w = Tensor(as_rng(rng).normal(0, initial_std(c * kh * kw, activation), (maps, c, kh, kw)))
        self.b = Tensor(np.zeros(maps))

    def forward(self, x, training):
        """Return the feature maps after the detector stage."""
        a = conv2d(x, self.w, self.b, self.stride, self.padding)
        return ACTIVATIONS[self.activation](a) if self.activation else a

    def parameters(self):
        """Return [w, b]."""
        return [self.w, self.b]


class Pool2d(Layer):
    """The pooling stage: the greatest value, or the mean, of each window.

    >>> Pool2d(2)(np.zeros((1, 8, 8, 8))).shape
    (1, 8, 4, 4)
    """

    def __init__(self, size, stride=None, *, kind="max"):
        self.size = as_pair(size, "size", low=1)
        self.stride = self.size if stride is None else as_pair(stride, "stride", low=1)
        self.kind = check_choice(kind, "kind", ("max", "average"))

    def forward(self, x, training):
        """Return the pooled maps."""
        return (max_pool2d if self.kind == "max" else average_pool2d)(x, self.size, self.stride)


class GlobalPool2d(Layer):
    """One number for each map, wherever it was found: the greatest value, or the mean, of the whole map.

    >>> GlobalPool2d()(np.zeros((5, 16, 2, 3))).shape
    (5, 16)
    """

    def __init__(self, *, kind="max"):
        self.kind = check_choice(kind, "kind", ("max", "average"))

    def forward(self, x, training):
        """Return (n, channels)."""
        pool = max_pool2d if self.kind == "max" else average_pool2d
        return pool(x, x.shape[2:]).reshape(*x.shape[:2])


class Flatten(Layer):
    """All maps of a picture in one row, (n, channels x height x width): what a dense layer reads.

    >>> Flatten()(np.zeros((5, 16, 2, 2))).shape
    (5, 64)
    """

    def forward(self, x, training):
        """Return the rows."""
        return x.reshape(len(x), int(np.prod(x.shape[1:])))


def as_padding(padding, kernel, stride):
    """Return the padding (vertical, horizontal) from a whole number, two of them, "valid" or "same"."""
    if not isinstance(padding, str):
        return as_pair(padding, "padding", low=0)
    if check_choice(padding, "padding", ("valid", "same")) == "valid":
        return 0, 0
    if any(k % 2 == 0 for k in kernel) or stride != (1, 1):
        raise ValueError(
            f"padding='same' keeps the size only for kernels of odd size with stride 1; got kernel {tuple(kernel)}, "
            f"stride {stride}. Give the number of zeros instead."
        )
    return kernel[0] // 2, kernel[1] // 2


def _pool(name, rule, x, size, stride):
    X = _four(x, "x", "(n, channels, height, width)")
    size = as_pair(size, "size", low=1)
    stride = size if stride is None else as_pair(stride, "stride", low=1)
    for n, k in zip(X.shape[2:], size):
        if k > n:
            raise ValueError(f"a window of {k} pixels does not fit into {n} pixels. Use a smaller size.")
    places = tuple(output_size(n, k, s) for n, k, s in zip(X.shape[2:], size, stride))
    with np.errstate(over="ignore", invalid="ignore"):
        out, share = rule(X, size, stride, places)
    return _result(name, out, [x], [share])


def _result(name, out, operands, shares):
    """Return an array, or a Tensor with its edges if one of the operands is a Tensor."""
    if not any(isinstance(operand, Tensor) for operand in operands):
        return check_range(out)
    return node(name, out, *((constant(operand), share) for operand, share in zip(operands, shares)))


def _four(x, name, axes):
    values = x.data if isinstance(x, Tensor) else as_array(x, name)
    if values.ndim != 4:
        remedy = ""
        if values.ndim == 2 and name == "w":
            remedy = " Use w[None, None] for one kernel over one channel."
        elif values.ndim == 2:
            remedy = " Use x[None, None] for one picture with one channel, as_pictures(x) for rows of pixels."
        raise ValueError(f"{name} must have shape {axes}; got {values.shape}.{remedy}")
    return values

"""A small convolutional network, and how to use it for a new task (sections 20.7 and 20.10).

`freeze` keeps trained layers as they are, `extract_features` reads what they see, `transfer` puts a new head on them.
"""

import copy

import numpy as np

from mlteach.convolution.layers import Conv2d, Flatten, Pool2d
from mlteach.convolution.sizes import as_pair
from mlteach.deep_learning import Dense, Layer, Sequential, Tensor
from mlteach.validation import as_array, as_rng, check_integer


class SmallCNN(Sequential):
    """Two convolutional layers with pooling, then one dense layer: for pictures of 8 x 8 pixels or a few more.

    convolution 3 x 3, relu, pooling 2 x 2;  again with more maps;  flatten;  one score for each class.
    Size is traded for depth: 8 x 8 x 1, 4 x 4 x 8, 2 x 2 x 16, 64 features, 10 scores (Figure 20.6).

    n_classes   number of scores
    size        side of the (square) pictures, at least 4; what no window of a pooling fills is left out
    channels    1 for grey, 3 for colour
    maps        number of kernels in each of the two layers

    >>> model = SmallCNN()
    >>> model(np.zeros((5, 1, 8, 8))).shape, sum(p.size for p in model.parameters())
    ((5, 10), 1898)
    """

    def __init__(self, n_classes=10, *, size=8, channels=1, maps=(8, 16), rng=0):
        rng, size = as_rng(rng), check_integer(size, "size", low=4)
        first, second = as_pair(maps, "maps", low=1)
        self.side = size
        super().__init__(
            Conv2d(channels, first, 3, "relu", padding="same", rng=rng),
            Pool2d(2),
            Conv2d(first, second, 3, "relu", padding="same", rng=rng),
            Pool2d(2),
            Flatten(),
            Dense(second * (size // 2 // 2) ** 2, check_integer(n_classes, "n_classes", low=2), rng=rng),
        )

    def outputs(self, x, training=False):
        """Return the input and the output of every layer, as Tensors."""
        shape = np.shape(x.data if isinstance(x, Tensor) else x)
        if len(shape) == 4 and shape[2:] != (self.side, self.side):
            raise ValueError(
                f"this SmallCNN reads pictures of {self.side} x {self.side} pixels; got {shape[2]} x {shape[3]}. "
                f"SmallCNN(size=...) is for others."
            )
        return super().outputs(x, training)

    def predict(self, X):
        """Return the number of the class with the highest score, for pictures (n, channels, height, width)."""
        return self(as_array(X, "X")).data.argmax(axis=1)


class Frozen(Layer):
    """Layers whose weights no training changes: gradients pass through them, but none reaches their weights."""

    def __init__(self, *layers):
        self.layers = Sequential(*layers)

    def forward(self, x, training):
        """Return the output of the last layer; dropout inside stays off."""
        return self.layers(x, training=False)


def freeze(*layers):
    """Return a copy of the layers, as one layer with no parameters to train; the originals stay as they are.

    >>> source = SmallCNN(5)
    >>> model = Sequential(freeze(*source.layers[:-1]), Dense(64, 3))
    >>> sum(p.size for p in model.parameters())
    195
    """
    frozen = Frozen(*copy.deepcopy(layers))
    for p in frozen.layers.parameters():
        p.variable = False
    return frozen


def extract_features(model, X, *, drop=1):
    """Return what the network sees before its last ``drop`` layers, one row for each picture: (n, features).

    >>> extract_features(SmallCNN(), np.zeros((5, 1, 8, 8))).shape
    (5, 64)
    """
    if not isinstance(model, Sequential):
        raise TypeError(f"model must be a Sequential, such as SmallCNN; got {type(model).__name__}.")
    drop = check_integer(drop, "drop", low=0, high=len(model.layers), why="the number of layers")
    X = as_array(X, "X")
    return model.outputs(X)[len(model.layers) - drop].data.reshape(len(X), -1).copy()


def transfer(model, n_classes, *, frozen=True, rng=0):
    """Return a network for a new task: the model's layers, copied, under a new dense head for ``n_classes``.

    frozen   True keeps the copied layers as they are, so that only the head learns (feature extraction); False lets
             all of them go on learning (fine tuning); a whole number freezes that many layers and lets the rest learn

    >>> model = transfer(SmallCNN(5), 3)
    >>> sum(p.size for p in model.parameters())
    195
    """
    if not isinstance(model, Sequential) or not isinstance(model.layers[-1], Dense):
        raise TypeError("model must be a Sequential whose last layer is Dense, such as SmallCNN.")
    n_classes = check_integer(n_classes, "n_classes", low=2)
    body, head = _unwrapped(model.layers[:-1]), model.layers[-1]
    if isinstance(frozen, bool | np.bool_):
        k = len(body) if frozen else 0
    else:
        k = check_integer(frozen, "frozen", low=0, high=len(body), why="the layers below the head")
    kept = [freeze(*body[:k])] if k else []
    rest = copy.deepcopy(body[k:])
    for p in Sequential(*rest).parameters():
        p.variable = True  # layers that were frozen before learn again
    return Sequential(*kept, *rest, Dense(head.n_in, n_classes, rng=as_rng(rng)))


def shift(pictures, down=0, right=0):
    """Return pictures (..., height, width) moved by whole pixels; what leaves is lost, zeros come in.

    ``down`` and ``right`` are numbers of pixels, negative for up and left.

    >>> shift(np.array([[1, 2], [3, 4]]), right=1).tolist()
    [[0, 1], [0, 3]]
    """
    pictures = np.asarray(pictures.data if isinstance(pictures, Tensor) else pictures)
    if pictures.dtype.kind not in "biuf":
        raise ValueError("pictures must hold real numbers only.")
    if pictures.ndim < 2:
        raise ValueError(f"pictures must have shape (..., height, width); got {pictures.shape}.")
    out = np.zeros_like(pictures)
    height, width = pictures.shape[-2:]
    a, b = _parts(check_integer(down, "down"), height)
    c, d = _parts(check_integer(right, "right"), width)
    out[..., a, c] = pictures[..., b, d]
    return out


def place(pictures, size, *, rng=0):
    """Return pictures (n, channels, h, w) laid at random places of an empty page, (n, channels, size, size).

    >>> place(np.ones((2, 1, 8, 8)), 12).sum(axis=(1, 2, 3)).tolist()
    [64.0, 64.0]
    """
    pictures, rng = as_array(pictures, "pictures", ndim=4), as_rng(rng)
    n, c, h, w = pictures.shape
    size = check_integer(size, "size", low=max(h, w))
    pages = np.zeros((n, c, size, size))
    for page, picture, i, j in zip(pages, pictures, rng.integers(0, size - h + 1, n), rng.integers(0, size - w + 1, n)):
        page[:, i : i + h, j : j + w] = picture
    return pages


def as_pictures(X, *, channels=1):
    """Return rows of pixels (n, channels x side x side) as pictures (n, channels, side, side).

    >>> from mlteach import datasets
    >>> as_pictures(datasets.digits().X).shape
    (1797, 1, 8, 8)
    """
    X = as_array(X, "X", ndim=2)
    side = int(round((X.shape[1] / check_integer(channels, "channels", low=1)) ** 0.5))
    if channels * side * side != X.shape[1]:
        raise ValueError(
            f"X must hold {channels} x side x side pixels in each row; {X.shape[1]} is no such number. "
            f"Use X.reshape(n, channels, height, width)."
        )
    return X.reshape(len(X), channels, side, side)


def _unwrapped(layers):
    """Return the layers, those inside `Frozen` ones in their place."""
    inside = [_unwrapped(layer.layers.layers) if isinstance(layer, Frozen) else [layer] for layer in layers]
    return [layer for part in inside for layer in part]


def _parts(k, n):
    """Return where a shift by k puts what, and where it takes it from, along an axis of n pixels."""
    k = max(-n, min(n, k))
    return slice(max(k, 0), n + min(k, 0)), slice(max(-k, 0), n - max(k, 0))

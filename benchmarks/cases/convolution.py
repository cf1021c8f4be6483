"""Chapter 20 against scipy.signal: the same sums of a layer of 8 kernels of 3 x 3, forwards and backwards."""

import numpy as np
from scipy import signal

from mlteach import datasets
from mlteach.convolution import conv2d
from mlteach.deep_learning import Tensor

KERNELS = np.random.default_rng(0).normal(size=(8, 3, 3))


class Layer:
    """``fit`` makes the sums and their gradients, ``predict`` says which kernel answers most strongly in total."""

    def fit(self, X, y):
        x, w = Tensor(X[:, None]), Tensor(KERNELS[:, None])
        out = conv2d(x, w)
        (out * out).sum().backward()
        self.maps, self.dx, self.dw = out.data, x.grad[:, 0], w.grad[:, 0]
        return self

    def predict(self, X):
        return np.square(self.maps).sum(axis=(2, 3)).argmax(axis=1)


class Signal(Layer):
    """The same by ``scipy.signal``, picture by picture and kernel by kernel."""

    def fit(self, X, y):
        self.maps = np.array([[signal.correlate2d(x, w, "valid") for w in KERNELS] for x in X])
        slopes = 2 * self.maps
        self.dw = sum(np.array([signal.correlate2d(x, g, "valid") for g in G]) for x, G in zip(X, slopes))
        self.dx = np.array([sum(signal.convolve2d(g, w) for g, w in zip(G, KERNELS)) for G in slopes])
        return self


def pictures(n):
    """Return n digits (n, 8, 8), some of them twice beyond 1,797, and their labels."""
    digits = datasets.digits()
    rows = np.arange(n) % len(digits.y)
    return digits.X[rows].reshape(-1, 8, 8) / 16, digits.y[rows]


LARGE = {"conv2d, 8 kernels of 3 x 3, forwards and backwards": (pictures, Layer, Signal)}

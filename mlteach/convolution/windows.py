"""All windows of a picture at once, so that a convolution is one product of matrices (section 20.6.2).

``unfold`` lays every window that the kernel sees into a row. Its transpose ``fold`` adds rows back to the pixels they
came from, and that is what the gradient needs. Arrays only: the derivatives are attached in ``layers.py``.
"""

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view


def windows(x, kernel, stride, padding):
    """Return a view of all windows, (n, channels, rows, columns, height, width), of ``x`` (n, channels, h, w)."""
    (kh, kw), (sv, sh), (pv, ph) = kernel, stride, padding
    if pv or ph:
        x = np.pad(x, ((0, 0), (0, 0), (pv, pv), (ph, ph)))
    return sliding_window_view(x, (kh, kw), axis=(2, 3))[:, :, ::sv, ::sh]


def unfold(x, kernel, stride, padding):
    """Return the windows as rows, (n, rows x columns, channels x height x width), and (rows, columns)."""
    view = windows(x, kernel, stride, padding)
    n, c, rows, columns, kh, kw = view.shape
    return view.transpose(0, 2, 3, 1, 4, 5).reshape(n, rows * columns, c * kh * kw), (rows, columns)


def fold(G, shape, kernel, stride, padding, places):
    """Return an array of ``shape`` (n, channels, h, w) into which each row of ``G`` is added where it came from."""
    (n, c, h, w), (kh, kw), (sv, sh), (pv, ph), (rows, columns) = shape, kernel, stride, padding, places
    G = G.reshape(n, rows, columns, c, kh, kw).transpose(0, 3, 4, 5, 1, 2)
    out = np.zeros((n, c, h + 2 * pv, w + 2 * ph))
    for i in range(kh):  # over the kernel, never over the pixels
        for j in range(kw):
            out[:, :, i : i + sv * rows : sv, j : j + sh * columns : sh] += G[:, :, i, j]
    return out[:, :, pv : pv + h, ph : ph + w]


def convolution(x, w, b, stride, padding):
    """Return the feature maps (n, maps, rows, columns), and a function from their gradient to those of x, w and b.

    forward    out = W · row + b for every window                (20.7)
    backward   dW = sum of gradient times row, db = sum of gradients, dx = fold of gradient times W
    """
    n, maps, kernel = len(x), len(w), w.shape[2:]
    P, places = unfold(x, kernel, stride, padding)
    W = w.reshape(maps, -1)
    out = P @ W.T if b is None else P @ W.T + b

    def backward(g):
        G = g.reshape(n, maps, -1).transpose(0, 2, 1)  # (n, places, maps)
        dW = G.reshape(-1, maps).T @ P.reshape(-1, P.shape[2])
        return (
            lambda: fold(G @ W, x.shape, kernel, stride, padding, places),
            lambda: dW.reshape(w.shape),
            lambda: g.sum(axis=(0, 2, 3)),
        )

    return np.ascontiguousarray(out.transpose(0, 2, 1)).reshape(n, maps, *places), backward


def maximum(x, size, stride):
    """Return the greatest value of every window, and a function from its gradient to that of x.

    The gradient goes to the pixel that won; of several equal ones, to the first.
    """
    view = windows(x, size, stride, (0, 0))
    n, c, rows, columns, kh, kw = view.shape
    flat = view.reshape(n, c, rows, columns, kh * kw)
    best = flat.argmax(axis=-1)

    def backward(g):
        out = np.zeros(x.shape)
        for k in range(kh * kw):
            i, j = divmod(k, kw)
            part = out[:, :, i : i + stride[0] * rows : stride[0], j : j + stride[1] * columns : stride[1]]
            part += np.where(best == k, g, 0.0)
        return out

    return np.take_along_axis(flat, best[..., None], axis=-1)[..., 0], backward


def average(x, size, stride):
    """Return the mean of every window, and a function from its gradient to that of x: an equal share for each pixel."""
    view = windows(x, size, stride, (0, 0))
    rows, columns, kh, kw = view.shape[2:]

    def backward(g):
        out, share = np.zeros(x.shape), g / (kh * kw)
        for i in range(kh):
            for j in range(kw):
                out[:, :, i : i + stride[0] * rows : stride[0], j : j + stride[1] * columns : stride[1]] += share
        return out

    return view.mean(axis=(4, 5)), backward

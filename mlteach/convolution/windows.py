"""All windows of a picture at once, so that a convolution is one product of matrices (section 20.6.1).

``unfold`` writes every window that the kernel sees into a column. Its transpose ``fold`` adds columns back to the
pixels they came from, and that is what the gradient needs. Arrays only: ``layers.py`` hands them to the engine.
"""

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view


def unfold(x, kernel, stride, padding):
    """Return the windows of ``x`` (n, channels, h, w) as columns, and how many there are.

    The columns are (n, channels x height x width, rows x columns), and there are (rows, columns) of them.
    """
    (pv, ph), (sv, sh) = padding, stride
    if pv or ph:
        x = np.pad(x, ((0, 0), (0, 0), (pv, pv), (ph, ph)))
    view = sliding_window_view(x, kernel, axis=(2, 3))[:, :, ::sv, ::sh]
    n, c, rows, columns, kh, kw = view.shape
    return view.transpose(0, 1, 4, 5, 2, 3).reshape(n, c * kh * kw, rows * columns), (rows, columns)


def fold(G, shape, kernel, stride, padding, places):
    """Return an array of ``shape`` (n, channels, h, w) into which each column of ``G`` is added where it came from."""
    (n, c, h, w), (pv, ph) = shape, padding
    G = G.reshape(n, c, *kernel, *places)
    out = np.zeros((n, c, h + 2 * pv, w + 2 * ph))
    for i, j in np.ndindex(*kernel):  # over the kernel, never over the pixels
        _seen(out, (i, j), stride, places)[...] += G[:, :, i, j]
    return out[:, :, pv : pv + h, ph : ph + w]


def convolution(x, w, b, stride, padding):
    """Return the feature maps (n, maps, rows, columns), and three functions of their gradient: those of x, w and b.

    forward    out = W P + b, a kernel in each row of W, a window in each column of P      (20.12)
    backward   dx = fold of W'G, dW = sum over pictures of G P', db = sum of G             (20.13)
    """
    n, maps, kernel = len(x), len(w), w.shape[2:]
    P, places = unfold(x, kernel, stride, padding)
    W = w.reshape(maps, -1)
    out = W @ P
    if b is not None:
        out += b[:, None]

    def dx(g):
        return fold(W.T @ g.reshape(n, maps, -1), x.shape, kernel, stride, padding, places)

    def dw(g):
        return (g.reshape(n, maps, -1) @ P.transpose(0, 2, 1)).sum(axis=0).reshape(w.shape)

    def db(g):
        return g.sum(axis=(0, 2, 3))

    return out.reshape(n, maps, *places), (dx, dw, db)


def maximum(x, size, stride, places):
    """Return the greatest value of every window, and a function from its gradient to that of x.

    The gradient goes to the pixel that won; of several equal ones, to the first.
    """
    parts = [_seen(x, corner, stride, places) for corner in np.ndindex(*size)]
    best = parts[0].copy()
    for part in parts[1:]:
        np.maximum(best, part, out=best)

    def dx(g):
        out, open_ = np.zeros(x.shape), np.ones(best.shape, bool)
        for corner, part in zip(np.ndindex(*size), parts):
            wins = (part == best) & open_
            _seen(out, corner, stride, places)[...] += wins * g
            open_ &= ~wins
        return out

    return best, dx


def average(x, size, stride, places):
    """Return the mean of every window, and a function from its gradient to that of x: an equal share for each pixel."""
    corners = list(np.ndindex(*size))
    mean = sum(_seen(x, corner, stride, places) for corner in corners) / len(corners)

    def dx(g):
        out = np.zeros(x.shape)
        for corner in corners:
            _seen(out, corner, stride, places)[...] += g / len(corners)
        return out

    return mean, dx


def _seen(x, corner, stride, places):
    """Return the view of those pixels that one entry of the kernel meets, one for each place."""
    (i, j), (sv, sh), (rows, columns) = corner, stride, places
    return x[:, :, i : i + sv * rows : sv, j : j + sh * columns : sh]

"""Chapter 20: wrong answers that no table holds, with words that the check must say, and right ones of another form."""

import numpy as np

from mlteach.exercises import convolution as right

PLAIN, FLIPPED = right.PLAIN.tolist(), right.FLIPPED.tolist()
MAP = [[8, -1], [0, 11]]
MAXIMA, MEANS = [[4, 6], [2, 7]], [[2.5, 2.5], [1, 4]]


def _slide_spoils(signal, kernel, stride):
    out = right.slide(signal, kernel, stride)
    signal[:] = 0
    return out


def _slide_by_numpy(signal, kernel, stride):
    return np.correlate(signal, kernel, "valid")[::stride]


def _slide_list(signal, kernel, stride):
    n, k = len(signal), len(kernel)
    return [sum(signal[i + a] * kernel[a] for a in range(k)) for i in range(0, n - k + 1, stride)]


def _map_spoils(image, kernel, padding):
    out = right.feature_map(image, kernel, padding)
    image *= 0
    return out


def _map_by_windows(image, kernel, padding):
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(image, padding), kernel.shape)
    return np.einsum("ijuv,uv->ij", windows, kernel)


def _pool_loops(image, size):
    return [
        [image[i : i + size, j : j + size].max() for j in range(0, image.shape[1] - size + 1, size)]
        for i in range(0, image.shape[0] - size + 1, size)
    ]


WRONG = {
    "20.a": [((FLIPPED, PLAIN), "another order")],
    "20.b": [([[6, -3], [3, 9]], "flipped the kernel"), ([8, -1, 0, 11, 0], "shape")],
    "20.c": [
        ([[-1, 0, 1], [-1, 0, 1], [-1, 0, 1]], "rows sum to 0"),
        ([[-1, -1, -1], [0, 0, 0], [1, 1, 1]], "upside down"),
        ([[1, 1, 1], [0, 0, 0], [0, 0, 0]], "Column 0 sums to 1"),
        ([[0, 1, 0], [1, -4, 1], [0, 1, 0]], "column"),
        (np.zeros((3, 3)), "zeros"),
        ([[1, 1, 1], [-1, -1, -1]], r"3 x 3"),
        ([[1, 1, 1], [-2, -2, -2], [1, 1, 1]], "two bright rows"),
        ([[0, 0, 0], [1, 1, 1], [-1, -1, -1]], "one bright row"),
        (np.ones((3, 3)), "Column 0 sums to 3"),
        ([[1, -1, 0], [0, 0, 0], [-1, 1, 0]], "answers 0"),
    ],
    "20.d": [((6464, 640, 10), "biases"), ((576, 6400, 9), "another order"), ((9, 576, 6400), "comes first")],
    "20.e": [(([28, 14, 10], 241600), "shared")],
    "20.f": [((MEANS, MAXIMA), "means")],
    "20.g": [([3, 5, 10, 15], "entry"), ([[5, 5], [6, 6], [10, 10], [12, 12]], "shape")],
    "20.h": [(([1, -2, -1, 2], [4, -7, 1]), "for the signal")],
    "20.i": [((1248, 80, 0), "frozen layers"), ((1683, 1603, 435), "comes first"), ((435, 1683, 1603), "80|order")],
    "20.1": [
        (_slide_spoils, "chang|modif"),
        (lambda signal, kernel, stride: np.round(right.slide(signal, kernel, stride), 2), "round|it should be"),
    ],
    "20.2": [
        (_map_spoils, "chang|modif"),
        (lambda image, kernel, padding: np.round(right.feature_map(image, kernel, padding), 1), "round|it should be"),
        (lambda image, kernel, padding: right.feature_map(image.astype(int), kernel, padding), "it should be"),
    ],
    "20.3": [
        (lambda image, size: right.pool_max(image, size).astype(int), "it should be"),
    ],
}

RIGHT = {
    "20.a": [
        (tuple(PLAIN), np.array(FLIPPED)),
        (np.array(PLAIN, dtype=np.float32), np.array(FLIPPED, dtype=float)),
    ],
    "20.b": [np.array(MAP), ((8, -1), (0, 11)), np.array(MAP, dtype=np.float32), np.array(MAP)[None, None]],
    "20.c": [
        np.array([[1, 2, 1], [0, 0, 0], [-1, -2, -1]]),
        [[1, 1, 1], [1, 1, 1], [-2, -2, -2]],
        [[0.5, 0, 0], [0, 0, 0], [-0.5, 0, 0]],
        [[2, 2, 2], [-1, -1, -1], [-1, -1, -1]],
        [[[[1, 1, 1], [0, 0, 0], [-1, -1, -1]]]],
    ],
    "20.d": [(6400.0, np.int64(576), np.array([9])), (np.float32(6400), 576, 9.0)],
    "20.e": [((28, 14, 10), 2416.0), (np.array([28, 14, 10]), np.int64(2416))],
    "20.f": [
        (np.array(MAXIMA), np.array(MEANS)),
        (np.array(MAXIMA)[None, None], [[MEANS]]),
        (tuple(map(tuple, MAXIMA)), MEANS),
    ],
    "20.g": [(5, 6, 10, 12), np.array([5.0, 6.0, 10.0, 12.0]), np.array([[5, 6, 10, 12]])],
    "20.h": [
        ((4, -7, 1), np.array([1, -2, -1, 2])),
        (np.array([4.0, -7.0, 1.0]), [1.0, -2.0, -1.0, 2.0]),
        (np.array([[[[4, -7, 1]]]]), np.array([[[[1, -2, -1, 2]]]])),
    ],
    "20.i": [(435.0, np.int64(1603), np.array([1683])), (np.float32(435), 1603, 1683)],
    "20.1": [_slide_by_numpy, _slide_list],
    "20.2": [_map_by_windows, lambda image, kernel, padding: _map_by_windows(image, kernel, padding).tolist()],
    "20.3": [_pool_loops, lambda image, size: np.array(_pool_loops(image, size), dtype=np.float32)],
}

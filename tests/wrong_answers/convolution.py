"""Typical wrong answers to the exercises of chapter 20, each with words that the check must say."""

import numpy as np

from mlteach.exercises import convolution as right


def _slide_flipped(signal, kernel, stride):
    return [signal[i : i + len(kernel)] @ kernel[::-1] for i in range(0, len(signal) - len(kernel) + 1, stride)]


def _slide_short(signal, kernel, stride):
    return np.array([signal[i : i + len(kernel)] @ kernel for i in range(0, len(signal) - len(kernel), stride)])


def _slide_counted(signal, kernel, stride):
    places = (len(signal) - len(kernel)) // stride
    return np.array([signal[i * stride : i * stride + len(kernel)] @ kernel for i in range(places)])


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


def _map_edge(image, kernel, padding):
    return right.feature_map(np.pad(image, padding, mode="edge"), kernel, 0)


def _pool_loops(image, size):
    return [
        [image[i : i + size, j : j + size].max() for j in range(0, image.shape[1] - size + 1, size)]
        for i in range(0, image.shape[0] - size + 1, size)
    ]


def _pool_ragged(image, size):
    return np.array(
        [
            [image[i : i + size, j : j + size].max() for j in range(0, image.shape[1], size)]
            for i in range(0, image.shape[0], size)
        ]
    )


def _pool_overlap(image, size):
    windows = np.lib.stride_tricks.sliding_window_view(image, (size, size))
    return windows.max(axis=(2, 3))


def _pool_mixed(image, size):
    rows, columns = image.shape[0] // size, image.shape[1] // size
    return image[: rows * size, : columns * size].reshape(rows, columns, size, size).max(axis=(2, 3))


def _pool_from_zero(image, size):
    return np.maximum(right.pool_max(image, size), 0)


FLIPPED, PLAIN = [8, -4, 14, -1, 3], [2, -1, 11, -4, 12]
MAP = [[8, -1], [0, 11]]
MAXIMA, MEANS = [[4, 6], [2, 7]], [[2.5, 2.5], [1, 4]]

WRONG = {
    "20.a": [
        ((FLIPPED, FLIPPED), "without a flip"),
        ((PLAIN, PLAIN), r"f \* g again"),
        ((PLAIN, FLIPPED[::-1]), "g ⋆ f"),
        ((FLIPPED[::-1], FLIPPED), "g ⋆ f"),
        (([11], FLIPPED), "all five"),
        (([-1, 11, -4], FLIPPED), "three places in the middle"),
        ((PLAIN, [-4, 14, -1]), "three places in the middle"),
        (([2, 0, 12], FLIPPED), "entry by entry"),
        ((PLAIN[::-1], FLIPPED), "right to left"),
        ((PLAIN, [14]), "all five"),
    ],
    "20.b": [
        ([[6, -3], [3, 9]], "flipped the kernel"),
        ([[8, 0], [-1, 11]], "exchanged"),
        ([[2, -0.25], [0, 2.75]], "means"),
        ([[8, 1], [6, 11]], "sign of -1"),
        (right.feature_map([[2, 0, 1], [1, 3, 0], [0, 1, 4]], [[1, 0], [-1, 2]], 0), "transposed"),
        ([8, -1, 0, 11, 0], "shape"),
    ],
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
    "20.d": [
        ((10000, 576, 9), "8 x 8 places"),
        ((6400, 900, 9), "not at 100"),
        ((6400, 576, 10), "bias"),
        ((6464, 640, 10), "biases"),
        ((4900, 441, 9), "not at 7"),
        ((6400, 9, 9), "shared layer"),
        ((6400, 64, 9), "number of places"),
        ((6400, 576, 576), "local layer again"),
        ((576, 6400, 9), "local layer"),
        ((9, 576, 6400), "shared layer"),
        ((802816, 19600, 25), "layer of the text"),
    ],
    "20.e": [
        (([24, 12, 8], 2416), "padding"),
        (([28, 14, 10], 416), "six maps"),
        (([28, 14, 10], 2400), "biases"),
        (([28, 14, 9], 2416), "last place"),
        (([26, 13, 9], 2416), "both sides"),
        (([28, 27, 23], 2416), "stride 2"),
        (([28, 28, 24], 2416), "smaller"),
        (([28, 14, 10], 156), "layer 1"),
        (([28, 14, 10], 241600), "shared"),
        (([784, 196, 100], 2416), "side lengths"),
        (([28, 14, 10], 2401), "own bias"),
    ],
    "20.f": [
        ((MEANS, MAXIMA), "means"),
        ((MAXIMA, MAXIMA), "maxima again"),
        ((MAXIMA, [[10, 10], [4, 16]]), "Divide by 4"),
        (([[4, 2], [6, 7]], MEANS), "exchanged"),
        (([[4, 3, 6], [4, 5, 6], [2, 5, 7]], MEANS), "stride 1"),
        ((MAXIMA, [[2.5, 2], [1, 4]]), "medians"),
        (([[1, 0], [0, 1]], MEANS), "minima"),
    ],
    "20.g": [
        ([5, 6, 8, 9], "strides are missing"),
        ([5, 7, 11, 15], "own stride"),
        ([5, 7, 10, 12], "added up the kernels"),
        ([4, 5, 9, 11], "pixel itself"),
        ([5, 10, 12, 24], "double"),
        ([5, 2, 3, 2], "kernels"),
        ([5, 5, 9, 9], "kernel of 2"),
        (12, "All four"),
        ([25, 36, 100, 144], "areas"),
        ([3, 5, 10, 15], "entry"),
        ([[5, 5], [6, 6], [10, 10], [12, 12]], "shape"),
    ],
    "20.h": [
        (([2, -1, 3], [1, -2, -1, 2]), "first place alone"),
        (([4, -7, 1], [1, 0, -1, 0]), "Add the second"),
        (([4, -7, 1], [-1, 2, 1, -2]), "flipped the kernel"),
        (([0, 5, 5], [1, -2, -1, 2]), "-2, not 2"),
        (([4, -7, 1], [1, 2, -1, -2]), "-2, not 2"),
        (([1, -7, 4], [1, -2, -1, 2]), "w0 met"),
        (([4, -7, 1], [4, -7, 1]), "for the kernel again"),
        (([2, -3.5, 0.5], [1, -2, -1, 2]), "add up"),
        (([1, -2, -1, 2], [4, -7, 1]), "for the signal"),
    ],
    "20.i": [
        ((725, 1893, 1973), "five classes"),
        ((432, 1600, 1680), "biases"),
        ((195, 1363, 1443), "8 x 8"),
        ((0, 1603, 1683), "new head"),
        ((147, 1315, 1395), "feature and class"),
        ((1683, 1603, 435), "only the head"),
        ((435, 515, 1683), "second convolutional layer"),
        ((435, 1168, 1683), "head learns"),
        ((435, 1603, 1248), "head learns"),
        ((435, 1683, 1603), "80 parameters"),
        ((435, 1603, 1973), "five classes"),
        ((1248, 80, 0), "frozen layers"),
    ],
    "20.1": [
        (_slide_flipped, "flipped the kernel"),
        (_slide_short, "last place is missing"),
        (_slide_counted, "floor"),
        (lambda signal, kernel, stride: right.slide(signal[::stride], kernel, 1), "thinned out"),
        (lambda signal, kernel, stride: right.slide(signal, kernel, 1), "stride is not used"),
        (lambda signal, kernel, stride: np.correlate(signal, kernel, "full")[::stride], "places of overlap"),
        (lambda signal, kernel, stride: right.slide(signal, kernel, 2), "stride is 2 whatever"),
        (lambda signal, kernel, stride: right.slide(signal, kernel, stride)[:1], "first place only"),
        (lambda signal, kernel, stride: right.slide(signal, kernel, stride) / len(kernel), "means"),
        (_slide_spoils, "chang|modif"),
        (lambda signal, kernel, stride: np.round(right.slide(signal, kernel, stride), 2), "round|it should be"),
        (
            lambda signal, kernel, stride: [
                signal[i : i + len(kernel)] @ kernel[: len(signal) - i] for i in range(0, len(signal), stride)
            ],
            "beyond the end",
        ),
    ],
    "20.2": [
        (lambda image, kernel, padding: right.feature_map(image, kernel[::-1, ::-1], padding), "flipped the kernel"),
        (lambda image, kernel, padding: right.feature_map(image, kernel, 0), "padding is not used"),
        (lambda image, kernel, padding: right.feature_map(image, kernel, padding)[:-1, :-1], "missing"),
        (_map_edge, "repeats the border"),
        (lambda image, kernel, padding: right.feature_map(image, kernel.T, padding), "transposed"),
        (lambda image, kernel, padding: right.feature_map(image, kernel, padding) / kernel.size, "means"),
        (lambda image, kernel, padding: right.feature_map(image, kernel, 1), "1 whatever"),
        (_map_spoils, "chang|modif"),
        (lambda image, kernel, padding: np.round(right.feature_map(image, kernel, padding), 1), "round|it should be"),
        (lambda image, kernel, padding: right.feature_map(image.astype(int), kernel, padding), "it should be"),
        (lambda image, kernel, padding: right.feature_map(image, kernel[:, ::-1], padding), "sideways"),
        (lambda image, kernel, padding: np.maximum(right.feature_map(image, kernel, padding), 0), "detector"),
        (lambda image, kernel, padding: right.feature_map(image, kernel, 2 * padding), "doubled"),
    ],
    "20.3": [
        (_pool_overlap, "overlap"),
        (_pool_ragged, "left over are left out"),
        (_pool_from_zero, "may be negative"),
        (lambda image, size: right.pool_max(image, 2), "2 whatever"),
        (lambda image, size: -right.pool_max(-image, size), "minima"),
        (lambda image, size: right.pool_max(image, size).T, "exchanged"),
        (lambda image, size: right.pool_max(image, size).astype(int), "it should be"),
        (_pool_mixed, "mixes up regions"),
        (lambda image, size: right.pool_max(image[len(image) % size :, image.shape[1] % size :], size), "beginning"),
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

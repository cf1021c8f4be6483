"""A digit turned round and round: 64 pixels, one degree of freedom (section 22.1)."""

from typing import NamedTuple

import numpy as np

from mlteach.validation import as_array, as_matrix, check_integer, check_number


class TurnedDigit(NamedTuple):
    """Pictures ``X`` (n, 64) of one digit, and the angles (n,) by which it is turned, in radians."""

    X: np.ndarray
    angles: np.ndarray


def rotated_digit(n=60, *, digit=6, angles=None):
    """Return ``n`` pictures of one handwritten digit, turned by equal steps round the whole circle.

    digit    0 to 9: the first such digit of `mlteach.datasets.digits` is turned
    angles   (n,) in radians, counter-clockwise, instead of equal steps

    >>> turned = rotated_digit(8)
    >>> turned.X.shape, turned.angles.round(3).tolist()[:2]
    ((8, 64), [0.0, 0.785])
    """
    from mlteach.datasets import digits

    n = check_integer(n, "n", low=1)
    digit = check_integer(digit, "digit", low=0, high=9)
    angles = np.arange(n) * 2 * np.pi / n if angles is None else as_array(angles, "angles", ndim=1)
    data = digits()
    image = data.X[np.flatnonzero(data.y == digit)[0]].reshape(8, 8)
    return TurnedDigit(np.array([rotate_image(image, angle).ravel() for angle in angles]), angles)


def rotate_image(image, angle):
    """Return a picture (h, w) turned by ``angle`` counter-clockwise round its middle; outside it is 0.

    Each new pixel looks where it came from, and takes the mean of the four pixels there by their nearness (bilinear).

    ``image`` is the picture, ``angle`` is in radians.

    >>> rotate_image(np.array([[1.0, 2.0], [3.0, 4.0]]), np.pi / 2).round(9).tolist()
    [[2.0, 4.0], [1.0, 3.0]]
    """
    image = as_matrix(image, "image")
    angle = check_number(angle, "angle")
    h, w = image.shape
    padded = np.pad(image, 2)
    y, x = np.mgrid[:h, :w]
    y, x = (h - 1) / 2 - y, x - (w - 1) / 2  # y upwards
    c, s = np.cos(angle), np.sin(angle)
    row = np.clip((h - 1) / 2 - (c * y - s * x) + 2, 0, h + 2.999999)
    column = np.clip(c * x + s * y + (w - 1) / 2 + 2, 0, w + 2.999999)
    i, j = np.floor(row).astype(int), np.floor(column).astype(int)
    a, b = row - i, column - j
    upper = (1 - b) * padded[i, j] + b * padded[i, j + 1]
    lower = (1 - b) * padded[i + 1, j] + b * padded[i + 1, j + 1]
    return (1 - a) * upper + a * lower

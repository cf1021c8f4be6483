"""Two noiseless points of a sine: the exact bias and variance of three model classes (section 24.1).

x1, x2 are uniform on [-1, 1] and t = sin(pi x). Averages over both are double integrals, taken by Gauss and Legendre's
rule; the model class decides what is fitted to the two points.
"""

from typing import NamedTuple

import numpy as np

from mlteach.validation import check_choice

MODELS = ("constant", "origin", "line")


class TwoPoints(NamedTuple):
    """Exact parts of the error of fits to two points of a sine."""

    bias2: float
    variance: float
    slope: float  # of the mean fit
    slope_variance: float
    level_variance: float


def two_point_fit(x1, x2, model):
    """Return slope and level of the fit to the points (x1, sin pi x1), (x2, sin pi x2); arrays of equal shape.

    "constant" takes the mean height, "origin" the least-squares line through the origin, "line" the line through both.

    ``model`` is one of these names.

    >>> two_point_fit([0.5], [-0.5], "line")
    (array([2.]), array([0.]))
    """
    check_choice(model, "model", MODELS)
    x1, x2 = np.asarray(x1, dtype=float), np.asarray(x2, dtype=float)
    s1, s2 = np.sin(np.pi * x1), np.sin(np.pi * x2)
    if model == "constant":
        return np.zeros_like(s1), (s1 + s2) / 2
    if model == "origin":
        return (x1 * s1 + x2 * s2) / (x1**2 + x2**2), np.zeros_like(s1)
    # the divided difference of a sine, with no 0/0 where the two points meet
    slope = np.pi * np.cos(np.pi * (x1 + x2) / 2) * np.sinc((x1 - x2) / 2)
    return slope, s1 - slope * x1


def two_point_sine(model):
    """Return the exact bias^2 and variance of a model class fitted to two points of a sine, as `TwoPoints`.

    With slope a and level b of the fit, and E x = 0, E x^2 = 1/3:  variance = Var(a)/3 + Var(b),
    bias^2 = 1/2 - 2 E(a) E(x sin pi x) + E(a)^2/3 + E(b)^2

    >>> for model in ("constant", "origin", "line"):
    ...     print(model, *(round(part, 4) for part in two_point_sine(model)[:2]))
    constant 0.5 0.25
    origin 0.2706 0.2366
    line 0.2067 1.6763
    """
    check_choice(model, "model", MODELS)
    x, w = np.polynomial.legendre.leggauss(200)
    w = np.outer(w, w) / 4
    a, b = two_point_fit(x[:, None], x[None, :], model)
    mean_a, mean_b = float((w * a).sum()), float((w * b).sum())
    var_a, var_b = float((w * (a - mean_a) ** 2).sum()), float((w * (b - mean_b) ** 2).sum())
    bias2 = 0.5 - 2 * mean_a / np.pi + mean_a**2 / 3 + mean_b**2  # E x sin(pi x) = 1/pi
    return TwoPoints(bias2, var_a / 3 + var_b, mean_a, var_a, var_b)

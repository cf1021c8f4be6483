"""Surfaces over the plane to descend, with value, gradient and hessian in closed form (sections 5.4, 5.14, 5.16).

w has shape (..., 2): one point, a path or a whole grid. Values have shape (...), gradients (..., 2) and Hessians
(..., 2, 2).
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from mlteach.validation import as_array, check_number


class Surface:
    """What the surfaces share: ``value``, ``gradient`` and ``hessian`` at w, ``minima`` (m, 2), a ``start`` (2,)."""

    start: ClassVar[tuple]

    def value(self, w):
        """Return f(w)."""
        with np.errstate(over="ignore"):
            return self._value(*self._coordinates(w))

    def gradient(self, w):
        """Return the two first derivatives of f at w."""
        with np.errstate(over="ignore", invalid="ignore"):
            x, y = self._coordinates(w)
            g = np.empty((*x.shape, 2))
            g[..., 0], g[..., 1] = self._gradient(x, y)
        return g

    def hessian(self, w):
        """Return the matrix of the second derivatives of f at w."""
        with np.errstate(over="ignore", invalid="ignore"):
            x, y = self._coordinates(w)
            H = np.empty((*x.shape, 2, 2))
            H[..., 0, 0], H[..., 0, 1], H[..., 1, 1] = self._hessian(x, y)
        H[..., 1, 0] = H[..., 0, 1]
        return H

    def _coordinates(self, w):
        self._check()
        w = as_array(w, "w")
        if w.shape[-1:] != (2,):
            raise ValueError(f"w must have shape (..., 2), points of the plane; got {w.shape}.")
        return w[..., 0], w[..., 1]

    def _check(self):
        """Refuse parameters that make no sense."""


@dataclass(frozen=True)
class Quadratic(Surface):
    """A bowl with curvatures 1 and kappa, turned by an angle.

    f(w) = 1/2 (u^2 + kappa v^2),  (u, v) = w turned by -angle

    Parameters: ``condition`` kappa >= 1, the condition number of the Hessian and its largest eigenvalue L;
    ``angle`` in radians.

    >>> bowl = Quadratic(condition=50)
    >>> print(bowl.value([10, 1]), bowl.gradient([10, 1]))
    75.0 [10. 50.]
    """

    condition: float = 10.0
    angle: float = 0.0

    start: ClassVar[tuple] = (10.0, 1.0)

    @property
    def minima(self):
        return np.zeros((1, 2))

    def _value(self, x, y):
        c, s = np.cos(self.angle), np.sin(self.angle)
        return 0.5 * ((c * x + s * y) ** 2 + self.condition * (c * y - s * x) ** 2)

    def _gradient(self, x, y):
        xx, xy, yy = self._hessian(x, y)
        return xx * x + xy * y, xy * x + yy * y

    def _hessian(self, x, y):
        c, s, kappa = np.cos(self.angle), np.sin(self.angle), self.condition
        return c**2 + kappa * s**2, (1 - kappa) * c * s, s**2 + kappa * c**2

    def _check(self):
        check_number(self.condition, "condition", low=1)
        check_number(self.angle, "angle")


@dataclass(frozen=True)
class Rosenbrock(Surface):
    """Rosenbrock's valley: steep walls, and a flat bent floor that leads to the minimum (1, 1).

    f(x, y) = (1 - x)^2 + b (y - x^2)^2,  ``b`` > 0

    >>> Rosenbrock().gradient([-1, 1])
    array([-4.,  0.])
    """

    b: float = 100.0

    start: ClassVar[tuple] = (-1.2, 1.0)

    @property
    def minima(self):
        return np.ones((1, 2))

    def _value(self, x, y):
        return (1 - x) ** 2 + self.b * (y - x**2) ** 2

    def _gradient(self, x, y):
        return -2 * (1 - x) - 4 * self.b * x * (y - x**2), 2 * self.b * (y - x**2)

    def _hessian(self, x, y):
        return 2 - 4 * self.b * (y - 3 * x**2), -4 * self.b * x, 2 * self.b

    def _check(self):
        check_number(self.b, "b", low=0, open_low=True)


@dataclass(frozen=True)
class Saddle(Surface):
    """A saddle at the origin, up along x and down along y, between the minima (0, -1) and (0, 1).

    f(x, y) = 1/2 x^2 - 1/2 y^2 + 1/4 y^4

    >>> print(Saddle().hessian([0, 0]))
    [[ 1.  0.]
     [ 0. -1.]]
    """

    start: ClassVar[tuple] = (1.5, 0.01)

    @property
    def minima(self):
        return np.array([[0.0, -1.0], [0.0, 1.0]])

    def _value(self, x, y):
        return 0.5 * x**2 + 0.25 * y**2 * (y**2 - 2)

    def _gradient(self, x, y):
        return x, y * (y**2 - 1)

    def _hessian(self, x, y):
        return 1.0, 0.0, 3 * y**2 - 1


@dataclass(frozen=True)
class DoubleWell(Surface):
    """Two valleys of unequal depth: which one descent ends in depends on where it starts.

    f(x, y) = x^4 - 2 x^2 + a x + y^2,  ``tilt`` a in (0, 1]; the deeper valley has x < 0

    >>> DoubleWell().minima.round(4)
    array([[-1.0356,  0.    ],
           [ 0.9601,  0.    ]])
    """

    tilt: float = 0.3

    start: ClassVar[tuple] = (1.5, 1.0)

    @property
    def minima(self):
        """The deeper minimum and the other: the outer two roots of 4 x^3 - 4 x + a."""
        self._check()
        third = np.arccos(-self.tilt * np.sqrt(27) / 8) / 3
        return np.array([[2 / np.sqrt(3) * np.cos(third + turn), 0.0] for turn in (2 * np.pi / 3, 0.0)])

    def _value(self, x, y):
        return x**2 * (x**2 - 2) + self.tilt * x + y**2

    def _gradient(self, x, y):
        return 4 * x * (x**2 - 1) + self.tilt, 2 * y

    def _hessian(self, x, y):
        return 12 * x**2 - 4, 0.0, 2.0

    def _check(self):
        check_number(self.tilt, "tilt", low=0, high=1, open_low=True)


@dataclass(frozen=True)
class Himmelblau(Surface):
    """Himmelblau's function: four minima of the same height 0.

    f(x, y) = (x^2 + y - 11)^2 + (x + y^2 - 7)^2

    >>> print(Himmelblau().value([3, 2]), Himmelblau().value([0, 0]))
    0.0 170.0
    """

    start: ClassVar[tuple] = (0.0, 0.0)

    @property
    def minima(self):
        return np.array([
            [3.0, 2.0],
            [-2.805118086952745, 3.131312518250573],
            [-3.779310253377747, -3.283185991286170],
            [3.584428340330492, -1.848126526964404],
        ])  # fmt: skip

    def _value(self, x, y):
        return (x**2 + y - 11) ** 2 + (x + y**2 - 7) ** 2

    def _gradient(self, x, y):
        p, q = x**2 + y - 11, x + y**2 - 7
        return 4 * x * p + 2 * q, 2 * p + 4 * y * q

    def _hessian(self, x, y):
        return 12 * x**2 + 4 * y - 42, 4 * (x + y), 12 * y**2 + 4 * x - 26

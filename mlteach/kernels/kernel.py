"""What a kernel is to the program, and its algebra: sums, products and positive multiples (section 15.4)."""

import numbers
from dataclasses import dataclass

import numpy as np

from mlteach.validation import as_matrix, check_number

ANYTHING = "points of any kind"


class Kernel:
    """Base of all kernels: ``kernel(X, Y)`` is the Gram matrix of shape ``(n, m)``; ``Y`` defaults to ``X``.

    ``points`` says in words what the kernel compares, ``read`` brings it into the form that ``_gram`` computes with.
    """

    points = "rows of numbers"
    __array_ufunc__ = None  # let ``np.float64(2) * kernel`` come to __rmul__

    def __call__(self, X, Y=None):
        same, X = Y is None or Y is X, self.read(X, "X")
        Y = X if same else self.read(Y, "Y")
        d, d_new = getattr(X, "shape", (0, 0))[1], getattr(Y, "shape", (0, 0))[1]
        if d != d_new:
            raise ValueError(f"X and Y must have as many features; X has {d}, Y has {d_new}.")
        with np.errstate(over="ignore", invalid="ignore"):  # whoever computes with the matrix refuses what overflows
            return self._gram(X, Y)

    def gram(self, X, Y=None):
        """Return the Gram matrix, K[i, j] = k(X[i], Y[j])."""
        return self(X, Y)

    def read(self, X, name="X"):
        """Return the points ``X`` checked: a matrix (n, d), or a list for kernels on words and sets."""
        return as_matrix(X, name)

    def _gram(self, X, Y):
        name = type(self).__name__
        raise NotImplementedError(
            f"{name} has no formula: use a kernel such as rbf_kernel(), or define {name}._gram(X, Y)."
        )

    def __add__(self, other):
        return _Sum(self, other) if isinstance(other, Kernel) else NotImplemented

    def __mul__(self, other):
        if isinstance(other, Kernel):
            return _Product(self, other)
        return _Scaled(other, self) if isinstance(other, numbers.Real) else NotImplemented

    __rmul__ = __mul__


@dataclass(frozen=True)
class Composed(Kernel):
    """A kernel made from one kernel, on the same points."""

    kernel: Kernel

    def __post_init__(self):
        check_kernel(self.kernel)

    @property
    def points(self):
        """What the kernel compares."""
        return self.kernel.points

    def read(self, X, name="X"):
        """Return the points ``X`` checked, as the kernel inside has it."""
        return self.kernel.read(X, name)


@dataclass(frozen=True)
class _Pair(Kernel):
    left: Kernel
    right: Kernel

    def __post_init__(self):
        kinds = {self.left.points, self.right.points} - {ANYTHING}
        if len(kinds) > 1:
            raise ValueError(
                f"{self.left!r} compares {self.left.points}, {self.right!r} compares {self.right.points}; kernels that "
                "are combined must compare the same points. Use mapped_kernel(phi, kernel) to make one kind the other."
            )

    @property
    def _reader(self):
        return self.right if self.left.points == ANYTHING else self.left

    @property
    def points(self):
        return self._reader.points

    def read(self, X, name="X"):
        return self._reader.read(X, name)


@dataclass(frozen=True, repr=False)
class _Sum(_Pair):
    def _gram(self, X, Y):
        return self.left._gram(X, Y) + self.right._gram(X, Y)

    def __repr__(self):
        return f"{self.left!r} + {self.right!r}"


@dataclass(frozen=True, repr=False)
class _Product(_Pair):
    def _gram(self, X, Y):
        return self.left._gram(X, Y) * self.right._gram(X, Y)

    def __repr__(self):
        return f"{_factor(self.left)} * {_factor(self.right)}"


@dataclass(frozen=True, repr=False)
class _Scaled(Kernel):
    scale: float
    kernel: Kernel

    def __post_init__(self):
        keep(self, scale=check_number(self.scale, "the factor of a kernel", low=0, open_low=True))

    points, read = Composed.points, Composed.read

    def _gram(self, X, Y):
        return self.scale * self.kernel._gram(X, Y)

    def __repr__(self):
        return f"{self.scale:g} * {_factor(self.kernel)}"


def keep(kernel, **parameters):
    """Store checked parameters in a kernel that is frozen for everybody else."""
    for name, value in parameters.items():
        object.__setattr__(kernel, name, value)


def check_kernel(kernel, name="kernel"):
    """Return ``kernel`` if it is a kernel object."""
    if not isinstance(kernel, Kernel):
        got = kernel.__name__ if isinstance(kernel, type) else repr(kernel)
        raise ValueError(f"{name} must be a kernel object such as rbf_kernel(beta=1.0); got {got}.")
    return kernel


def as_points(X, name="X"):
    """Return points of any kind: numbers as a matrix (n, d), all else as a list."""
    check_list(X, name, "points")
    try:
        numeric = np.asarray(X).dtype.kind in "biufc"
    except ValueError:  # points of different lengths
        numeric = False
    return as_matrix(X, name) if numeric else list(X)


def check_list(X, name, kind):
    """Return ``X`` if it is a list of points, not one point and not empty."""
    alone = isinstance(X, str | set | frozenset | dict) or not hasattr(X, "__len__")
    if alone or getattr(X, "ndim", 1) == 0:
        raise ValueError(f"{name} must be a list of {kind}; got {X!r}.")
    if len(X) == 0:
        raise ValueError(f"{name} is empty; at least one of the {kind} is needed.")
    return X


def _factor(kernel):
    return f"({kernel!r})" if isinstance(kernel, _Sum) else repr(kernel)

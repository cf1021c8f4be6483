"""Kernels from kernels: the rules that need more than ``+`` and ``*``, and the normalised kernel (section 15.4).

Functions of points, f(x) and phi(x), take one point: a row of X, a word or a set.
"""

import numbers
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from mlteach.kernels.kernel import ANYTHING, Composed, Kernel, as_points, check_kernel, keep
from mlteach.kernels.mercer import is_positive_semidefinite
from mlteach.validation import as_array, as_vector, check_integer, check_number


@dataclass(frozen=True)
class weighted_kernel(Kernel):
    """f(x) k(x, x') f(x') for any real function f of a point (rule 2 of section 15.4): its features are f(x) phi(x).

    >>> from mlteach.kernels import linear_kernel
    >>> weighted_kernel(lambda x: x[0], linear_kernel)([[2.0]], [[3.0]])
    array([[36.]])
    """

    f: Callable
    kernel: Kernel

    def __post_init__(self):
        _check_function(self.f, "f")
        check_kernel(self.kernel)

    points, read = Composed.points, Composed.read

    def _gram(self, X, Y):
        return numbers_of(self.f, X, "f")[:, None] * self.kernel._gram(X, Y) * numbers_of(self.f, Y, "f")


@dataclass(frozen=True)
class series_kernel(Kernel):
    """q0 + q1 k + q2 k^2 + ... for coefficients q >= 0 (rule 3 of section 15.4): sums and products of kernels.

    >>> from mlteach.kernels import linear_kernel
    >>> series_kernel([1, 2, 1], linear_kernel)([[1.0, 2.0]], [[3.0, -1.0]])
    array([[4.]])
    """

    coefficients: tuple
    kernel: Kernel

    def __post_init__(self):
        q = as_vector(self.coefficients, "coefficients")
        if q.min() < 0:
            raise ValueError(f"coefficients must not be negative, or the result is no kernel; got {q.min():g}.")
        keep(self, coefficients=tuple(q.tolist()))
        check_kernel(self.kernel)

    points, read = Composed.points, Composed.read

    def _gram(self, X, Y):
        return np.polynomial.polynomial.polyval(self.kernel._gram(X, Y), self.coefficients)


@dataclass(frozen=True)
class exp_kernel(Composed):
    """exp k(x, x') (rule 4 of section 15.4): the series 1 + k + k^2 / 2 + ... has no negative coefficient.

    >>> from mlteach.kernels import linear_kernel
    >>> exp_kernel(linear_kernel)([[2.0]], [[0.5]]).round(6)
    array([[2.718282]])
    """

    def _gram(self, X, Y):
        with np.errstate(over="ignore"):  # infinity is refused where K is used
            return np.exp(self.kernel._gram(X, Y))


@dataclass(frozen=True)
class mapped_kernel(Kernel):
    """k(phi(x), phi(x')) for any map phi of a point (rule 7 of section 15.4).

    It brings points to a kernel that knows them. A number phi(x) is a row of one feature.

    >>> from mlteach.kernels import set_kernel
    >>> letters = mapped_kernel(set, set_kernel)  # words as sets of letters
    >>> letters(["cat", "tact"], ["coat"]).tolist()
    [[8.0], [8.0]]
    """

    phi: Callable
    kernel: Kernel
    points = ANYTHING

    def __post_init__(self):
        _check_function(self.phi, "phi")
        check_kernel(self.kernel)

    def read(self, X, name="X"):
        """Return the points ``X``: numbers as a matrix, all else as a list."""
        return as_points(X, name)

    def _gram(self, X, Y):
        images = self._images(X)
        return self.kernel._gram(images, images if Y is X else self._images(Y))

    def _images(self, X):
        images = [self.phi(x) for x in X]
        alone = isinstance(images[0], numbers.Real | np.ndarray) and np.ndim(images[0]) == 0
        return self.kernel.read([[z] for z in images] if alone else images, "phi(X)")


@dataclass(frozen=True)
class matrix_kernel(Kernel):
    """x . A x' for a symmetric, positive semi-definite matrix A (d, d) (rule 8 of section 15.4).

    >>> matrix_kernel([[2, 1], [1, 2]])([[1.0, 0.0]], [[0.0, 1.0]])
    array([[1.]])
    """

    A: tuple

    def __post_init__(self):
        A = as_array(self.A, "A", ndim=2)
        if A.shape[0] != A.shape[1]:
            raise ValueError(f"A must be square; got shape {A.shape}.")
        if not is_positive_semidefinite(A):
            raise ValueError("A must be symmetric with no negative eigenvalue, or x . A x' is no kernel.")
        keep(self, A=tuple(map(tuple, A.tolist())))

    def _gram(self, X, Y):
        if X.shape[1] != len(self.A):
            raise ValueError(f"A has {len(self.A)} rows, so x must have {len(self.A)} entries; got {X.shape[1]}.")
        return X @ np.array(self.A) @ Y.T


@dataclass(frozen=True)
class part_kernel(Kernel):
    """k(x_a, x'_a), a kernel of some columns of x; + and * of two parts are rules 9 and 10 of section 15.4.

    >>> from mlteach.kernels import linear_kernel, rbf_kernel
    >>> k = part_kernel([0], linear_kernel) + part_kernel([1, 2], rbf_kernel(0.5))
    >>> k([[3.0, 0.0, 1.0]], [[2.0, 0.0, 1.0]])
    array([[7.]])
    """

    columns: tuple
    kernel: Kernel

    def __post_init__(self):
        given = self.columns if np.iterable(self.columns) else [self.columns]
        columns = tuple(check_integer(j, "columns", low=0) for j in given)
        if not columns:
            raise ValueError("columns is empty; at least one column is needed.")
        keep(self, columns=columns)
        if check_kernel(self.kernel).points not in (Kernel.points, ANYTHING):
            compares = f"{self.kernel!r} compares {self.kernel.points}"
            raise ValueError(f"part_kernel takes parts of {Kernel.points}; {compares}.")

    def _gram(self, X, Y):
        if max(self.columns) >= X.shape[1]:
            raise ValueError(f"x has no column {max(self.columns)}; it has {X.shape[1]}, counted from 0.")
        part = X[:, self.columns]
        return self.kernel._gram(part, part if Y is X else Y[:, self.columns])


@dataclass(frozen=True)
class normalized_kernel(Composed):
    """k(x, x') / sqrt(k(x, x) k(x', x')), the cosine of the angle between phi(x) and phi(x') (15.5).

    >>> from mlteach.kernels import linear_kernel
    >>> normalized_kernel(linear_kernel)([[3.0, 4.0]], [[2.0, 0.0]])
    array([[0.6]])
    """

    def _gram(self, X, Y):
        K = self.kernel._gram(X, Y)
        if Y is X:
            length = _lengths(K.diagonal())
            K = K / length[:, None] / length
            np.fill_diagonal(K, 1.0)
            return K
        return K / self._lengths_of(X)[:, None] / self._lengths_of(Y)

    def _lengths_of(self, X):
        return _lengths(np.array([self.kernel._gram(x, x)[0, 0] for x in (X[n : n + 1] for n in range(len(X)))]))


def _lengths(squared):
    """Return |phi(x)| = sqrt k(x, x), if it is positive."""
    if squared.min() <= 0:
        n = int(squared.argmin())
        raise ValueError(f"k(x, x) must be greater than 0 to divide by it; it is {squared[n]:g} for point {n}.")
    return np.sqrt(squared)


def numbers_of(f, X, name):
    """Return f(x) for each point, (n,)."""
    return np.array([check_number(_scalar(f(x)), f"{name}(x)") for x in X])


def _scalar(value):
    """Return an array of one number as that number."""
    return value.item() if isinstance(value, np.ndarray) and value.ndim == 0 else value


def _check_function(f, name):
    if not callable(f):
        raise ValueError(f"{name} must be a function of one point; got {f!r}.")

"""Kernels: inner products in a feature space that is never visited (chapter 15).

    k(x, x') = phi(x) . phi(x')

A kernel is an object; called with two sets of points it gives their Gram matrix K[i, j] = k(x_i, x'_j). Kernels
make new kernels: a sum, a product and a positive multiple of kernels are kernels. What the kernel trick needs is
that K is symmetric and positive semi-definite for *every* finite set of points, which is why ``beta`` and ``gamma``
below have ranges. The sigmoid keeps none of these promises; it is here because it is widely used.

>>> k = 0.5 * rbf_kernel(beta=2.0) + polynomial_kernel(degree=3)
>>> k
0.5 * rbf_kernel(beta=2.0) + polynomial_kernel(degree=3, beta=1.0, gamma=1.0)
>>> k([[0.0, 1.0], [2.0, 1.0]]).round(3).tolist()
[[8.5, 8.0], [8.0, 216.5]]
"""

import numbers
from dataclasses import dataclass

import numpy as np

from mlteach.validation import as_array, as_matrix, check_integer, check_number

__all__ = [
    "Kernel",
    "is_positive_semidefinite",
    "linear_kernel",
    "polynomial_kernel",
    "rbf_kernel",
    "sigmoid_kernel",
]


class Kernel:
    """Base of all kernels: ``kernel(X, Y)`` is the Gram matrix of shape ``(n, m)``; ``Y`` defaults to ``X``."""

    __array_ufunc__ = None  # let ``np.float64(2) * kernel`` come to __rmul__

    def __call__(self, X, Y=None):
        same, X = Y is None or Y is X, as_matrix(X, "X")
        if same:
            return self._gram(X, X)
        Y = as_matrix(Y, "Y")
        if X.shape[1] != Y.shape[1]:
            raise ValueError(f"X and Y must have as many features; X has {X.shape[1]}, Y has {Y.shape[1]}.")
        return self._gram(X, Y)

    def gram(self, X, Y=None):
        """Return the Gram matrix, K[i, j] = k(X[i], Y[j])."""
        return self(X, Y)

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
class _Linear(Kernel):
    """k(x, x') = x . x'; there is nothing to choose, so ``linear_kernel`` is the kernel itself.

    >>> linear_kernel([[1.0, 2.0]], [[3.0, -1.0]])
    array([[1.]])
    """

    def __call__(self, X=None, Y=None):
        return self if X is None and Y is None else super().__call__(X, Y)

    def gram(self, X, Y=None):
        """Return the Gram matrix, K[i, j] = X[i] . Y[j]."""
        return super().__call__(X, Y)

    def _gram(self, X, Y):
        return X @ Y.T

    def __repr__(self):
        return "linear_kernel"


linear_kernel = _Linear()


@dataclass(frozen=True)
class polynomial_kernel(Kernel):
    """k(x, x') = (beta x . x' + gamma)^degree, all monomials up to ``degree`` (only those of ``degree`` if gamma = 0).

    A kernel for beta > 0 and gamma >= 0: then it is made of sums and products of kernels.

    >>> polynomial_kernel(degree=2)([[1.0, 2.0]], [[3.0, -1.0]])
    array([[4.]])
    """

    degree: int = 2
    beta: float = 1.0
    gamma: float = 1.0

    def __post_init__(self):
        _set(self, degree=check_integer(self.degree, "degree", low=1))
        _set(self, beta=check_number(self.beta, "beta", low=0, open_low=True))
        _set(self, gamma=check_number(self.gamma, "gamma", low=0))

    def _gram(self, X, Y):
        return (self.beta * (X @ Y.T) + self.gamma) ** self.degree


@dataclass(frozen=True)
class rbf_kernel(Kernel):
    """k(x, x') = exp(-beta |x - x'|^2), a bump of width 1 / sqrt(2 beta).

    >>> rbf_kernel(beta=0.5)([[0.0]], [[0.0], [2.0]]).round(6)
    array([[1.      , 0.135335]])
    """

    beta: float = 1.0

    def __post_init__(self):
        _set(self, beta=check_number(self.beta, "beta", low=0, open_low=True))

    def _gram(self, X, Y):
        same, centre = X is Y, X.mean(axis=0)
        X, Y = X - centre, Y - centre  # distances stay, rounding errors of far-away points go
        x2, y2, K = (X**2).sum(axis=1)[:, None], (Y**2).sum(axis=1), X @ Y.T
        for k in range(0, len(X), 64):  # in place, a few rows at a time: K may be large
            rows = slice(k, k + 64)
            squared = x2[rows] + y2 - 2 * K[rows]
            np.exp(-self.beta * np.maximum(squared, 0.0), out=K[rows])
        if same:
            np.fill_diagonal(K, 1.0)
        return K


@dataclass(frozen=True)
class sigmoid_kernel(Kernel):
    """k(x, x') = tanh(beta x . x' + gamma), popular but *not* positive semi-definite in general.

    >>> is_positive_semidefinite(sigmoid_kernel(beta=1.0, gamma=-1.0)([[0.5], [1.0], [2.0]]))
    False
    """

    beta: float = 1.0
    gamma: float = 0.0

    def __post_init__(self):
        _set(self, beta=check_number(self.beta, "beta"))
        _set(self, gamma=check_number(self.gamma, "gamma"))

    def _gram(self, X, Y):
        return np.tanh(self.beta * (X @ Y.T) + self.gamma)


@dataclass(frozen=True)
class _Sum(Kernel):
    left: Kernel
    right: Kernel

    def _gram(self, X, Y):
        return self.left._gram(X, Y) + self.right._gram(X, Y)

    def __repr__(self):
        return f"{self.left!r} + {self.right!r}"


@dataclass(frozen=True)
class _Product(Kernel):
    left: Kernel
    right: Kernel

    def _gram(self, X, Y):
        return self.left._gram(X, Y) * self.right._gram(X, Y)

    def __repr__(self):
        return f"{_factor(self.left)} * {_factor(self.right)}"


@dataclass(frozen=True)
class _Scaled(Kernel):
    scale: float
    kernel: Kernel

    def __post_init__(self):
        _set(self, scale=check_number(self.scale, "the factor of a kernel", low=0, open_low=True))

    def _gram(self, X, Y):
        return self.scale * self.kernel._gram(X, Y)

    def __repr__(self):
        return f"{self.scale:g} * {_factor(self.kernel)}"


def _set(kernel, **parameters):
    """Store checked parameters in a kernel that is frozen for everybody else."""
    for name, value in parameters.items():
        object.__setattr__(kernel, name, value)


def _factor(kernel):
    return f"({kernel!r})" if isinstance(kernel, _Sum) else repr(kernel)


def is_positive_semidefinite(K, tol=1e-10):
    """Tell whether K is symmetric with no eigenvalue below ``-tol`` times the largest in size.

    True on one set of points proves nothing about the kernel; one False disproves it.

    >>> is_positive_semidefinite([[2.0, -1.0], [-1.0, 2.0]]), is_positive_semidefinite([[0.0, 1.0], [1.0, 0.0]])
    (True, False)
    """
    K = as_array(K, "K", ndim=2)
    if K.shape[0] != K.shape[1]:
        raise ValueError(f"K must be square; got shape {K.shape}.")
    tol = check_number(tol, "tol", low=0)
    if np.abs(K - K.T).max() > tol * np.abs(K).max():
        return False
    eigenvalues = np.linalg.eigvalsh(K)
    return bool(eigenvalues[0] >= -tol * np.abs(eigenvalues).max())

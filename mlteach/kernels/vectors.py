"""Kernels on rows of numbers: linear, polynomial, Gaussian, and the sigmoid, which is none (section 15.2).

``beta`` and ``gamma`` have ranges: outside them some Gram matrix has a negative eigenvalue. The sigmoid keeps no such
promise; it is here because it is widely used.
"""

from dataclasses import dataclass

import numpy as np

from mlteach.kernels.kernel import Kernel, keep
from mlteach.validation import check_integer, check_number

SURE = 1e4  # for beta (|x|^2 + |x'|^2) below this, rounding of the squares changes k by less than 1e-11


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

    See (15.3). A kernel for beta > 0 and gamma >= 0: then it is made of sums and products of kernels.

    >>> polynomial_kernel(degree=2)([[1.0, 2.0]], [[3.0, -1.0]])
    array([[4.]])
    """

    degree: int = 2
    beta: float = 1.0
    gamma: float = 1.0

    def __post_init__(self):
        keep(self, degree=check_integer(self.degree, "degree", low=1))
        keep(self, beta=check_number(self.beta, "beta", low=0, open_low=True))
        keep(self, gamma=check_number(self.gamma, "gamma", low=0))

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
        keep(self, beta=check_number(self.beta, "beta", low=0, open_low=True))

    def _gram(self, X, Y):
        same, centre = X is Y, X.mean(axis=0)
        A, B = X - centre, Y - centre  # distances stay, rounding errors of far-away points go
        with np.errstate(over="ignore", invalid="ignore"):
            x2, y2, K = (A**2).sum(axis=1)[:, None], (B**2).sum(axis=1), A @ B.T
            if not self.beta * (x2.max() + y2.max()) < SURE:
                return self._gram_by_differences(X, Y)
        for k in range(0, len(X), 64):  # in place, a few rows at a time: K may be large
            rows = slice(k, k + 64)
            squared = x2[rows] + y2 - 2 * K[rows]
            np.exp(-self.beta * np.maximum(squared, 0.0), out=K[rows])
        if same:
            np.fill_diagonal(K, 1.0)
        return K

    def _gram_by_differences(self, X, Y):
        """Return the same for points so far apart that |x|^2 + |x'|^2 - 2 x . x' has lost the digits of the near ones.

        Slower by the number of features, but no point has a say in what is true of two others.
        """
        K, columns = np.empty((len(X), len(Y))), np.ascontiguousarray(Y.T)
        with np.errstate(over="ignore"):
            for k in range(0, len(X), 64):
                D = np.zeros((len(X[k : k + 64]), len(Y)))
                for x, y in zip(X[k : k + 64].T, columns):
                    gap = x[:, None] - y
                    D += np.square(gap, out=gap)
                np.exp(-self.beta * D, out=K[k : k + 64])
        return K


@dataclass(frozen=True)
class sigmoid_kernel(Kernel):
    """k(x, x') = tanh(beta x . x' + gamma), popular but *not* positive semi-definite in general.

    >>> from mlteach.kernels import is_positive_semidefinite
    >>> is_positive_semidefinite(sigmoid_kernel(beta=1.0, gamma=-1.0)([[0.5], [1.0], [2.0]]))
    False
    """

    beta: float = 1.0
    gamma: float = 0.0

    def __post_init__(self):
        keep(self, beta=check_number(self.beta, "beta"))
        keep(self, gamma=check_number(self.gamma, "gamma"))

    def _gram(self, X, Y):
        return np.tanh(self.beta * (X @ Y.T) + self.gamma)

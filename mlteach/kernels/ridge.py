"""Ridge regression through a kernel, and the two sides from which it can be solved (sections 15.7 and 15.8)."""

from typing import NamedTuple

import numpy as np

from mlteach.kernels.model import KernelModel
from mlteach.numerics import as_gram
from mlteach.parameters import Real
from mlteach.validation import as_array, as_matrix, as_vector, check_integer, check_number


class KernelRidge(KernelModel):
    """Ridge regression on features that are never computed.

    Model      y(x) = w . phi(x) = sum_n a_n k(x_n, x) (15.22)
    Objective  1/2 |t - Phi w|^2 + lam/2 |w|^2 (15.19), with w = Phi'a (15.20)
    Solution   (K + lam I) a = t (15.21), one system of the size of the data, however many features there are

    There is no intercept: a kernel that should have one brings it as a feature that is 1, as ``polynomial_kernel`` does
    with gamma = 1, or the targets are centred first.

    Parameters: ``kernel``, a kernel object, or a function of two sets of points that returns their Gram matrix; None is
    ``linear_kernel``. ``lam`` >= 0; 0 goes through all targets, if K has an inverse.

    Attributes: ``alpha_`` (n,), the dual weights a; ``kernel_``.

    >>> from mlteach.kernels import rbf_kernel
    >>> model = KernelRidge(rbf_kernel(0.5), lam=0.1).fit([[0], [1], [2], [3]], [0, 1, 4, 9])
    >>> model.predict([[1.5]]).round(6)
    array([2.075027])
    """

    task, square = "regression", True
    params = {**KernelModel.params, "lam": Real(0)}

    def __init__(self, kernel=None, lam=1.0):
        self.kernel, self.lam = kernel, lam

    def learn(self, X, t):
        """Solve for the dual weights."""
        # 1. See the points through the kernel
        K = self._gram(X)
        # 2. (K + lam I) a = t
        self.alpha_ = _solve(K, t, self.lam, "K")
        self._remember(X, self.alpha_)

    def predict(self, X):
        """Return y(x) = sum_n a_n k(x_n, x) for each point, (n,)."""
        return self._y(X)


def primal_ridge(Phi, t, lam):
    """Return the weights of ridge regression without intercept, one for each feature (M,).

    (Phi'Phi + lam I) w = Phi't

    Parameters: ``Phi`` (N, M), ``t`` (N,), ``lam`` >= 0. N M^2 / 2 multiplications build the matrix, M^3 / 6 solve.

    >>> X = [[1, 2], [0, 1], [2, 1], [1, 0], [3, 1]]
    >>> primal_ridge(X, [1, 0, 2, 1, 3], lam=0.5).round(6).tolist()
    [0.944238, 0.052045]
    """
    Phi, lam = as_matrix(Phi, "Phi"), check_number(lam, "lam", low=0)
    t = as_vector(t, "t", length=len(Phi), like="Phi")
    return _solve(Phi.T @ Phi, Phi.T @ t, lam, "Phi'Phi")


def dual_ridge(K, t, lam):
    """Return the dual weights of kernel ridge regression, one for each point (N,), see `KernelRidge`.

    (K + lam I) a = t      (15.21)

    Parameters: ``K`` (N, N), the Gram matrix, ``t`` (N,), ``lam`` >= 0. With K = Phi Phi', Phi'a is `primal_ridge`'s w.

    >>> X = np.array([[1, 2], [0, 1], [2, 1], [1, 0], [3, 1]])
    >>> a = dual_ridge(X @ X.T, [1, 0, 2, 1, 3], lam=0.5)
    >>> print(a.round(6), (X.T @ a).round(6))
    [-0.096654 -0.104089  0.118959  0.111524  0.230483] [0.944238 0.052045]
    """
    K, lam = as_array(K, "K", ndim=2), check_number(lam, "lam", low=0)
    t = as_vector(t, "t", length=len(K), like="K")
    return _solve(as_gram(K, len(K), "K"), t, lam, "K")


class RidgeCosts(NamedTuple):
    """Multiplications of the two ways to solve ridge regression; see `ridge_costs`."""

    primal: float
    dual: float


def ridge_costs(n, m):
    """Return how many multiplications both sides of ridge regression take for n points and m features.

    primal  n m^2 / 2 + m^3 / 6,   dual  n^2 m / 2 + n^3 / 6      (15.24)

    Half of a symmetric matrix is built, then Cholesky's factors are found; lower powers are left out. The primal is
    cheaper for m < n, the dual for n < m. A kernel that needs no features pays less than m multiplications per entry.

    >>> ridge_costs(n=600, m=60)
    RidgeCosts(primal=1116000.0, dual=46800000.0)
    """
    n, m = check_integer(n, "n", low=1), check_integer(m, "m", low=1)
    return RidgeCosts(n * m**2 / 2 + m**3 / 6, n**2 * m / 2 + n**3 / 6)


def _solve(A, right, lam, name):
    """Solve (A + lam I) x = right by Cholesky's factors, which exist if and only if the matrix is positive definite."""
    from scipy.linalg import lapack  # late: scipy.linalg is slow to import

    A = A.copy()
    A.flat[:: len(A) + 1] += lam
    norm = np.abs(A).sum(axis=0).max()
    L, failed = lapack.dpotrf(A.T, lower=True, overwrite_a=True, clean=False)
    if failed or lapack.dpocon(L, norm, uplo="L")[0] < np.finfo(float).eps:
        raise ValueError(
            f"{name} + lam I must be positive definite; with lam={lam:g} it is not, or not beyond rounding. "
            "Raise lam; if that does not help, the kernel is none."
        )
    return lapack.dpotrs(L, right, lower=True)[0]

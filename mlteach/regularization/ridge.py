"""Ridge regression by the singular value decomposition: factor once, then every penalty costs two small products.

With the centred inputs A = U diag(d) V', the penalty multiplies the least-squares fit along u_j by d_j^2/(d_j^2 + lam):
directions in which the data hardly spread are shrunk most, and no matrix is inverted or even formed.

Derived in sections 6.2 and 6.3 of the chapter; section 6.4 says when its bias pays.
"""

from typing import NamedTuple

import numpy as np

from mlteach.base import Estimator
from mlteach.linear import LinearRegressor, numerical_rank, power_of_two
from mlteach.parameters import FLAG, Real
from mlteach.regularization._centre import Centred, centre_data
from mlteach.validation import as_array, as_matrix


class RidgeSVD(NamedTuple):
    """The centred data in the directions of their spread; see `ridge_svd`."""

    d: np.ndarray  # (r,), the singular values, largest first, without those that are zero to rounding
    Vt: np.ndarray  # (r, p), rows are the directions in input space
    z: np.ndarray  # (r,), U't: the targets along the directions in sample space
    centred: Centred
    U: np.ndarray  # (n, r), columns are the directions in sample space

    def shrinkage(self, lam):
        """Return the factors d_j^2 / (d_j^2 + lam) (r,); for ``lam`` (m,) the result is (m, r)."""
        lam = _penalties(lam)[..., None]
        return self.d**2 / (self.d**2 + lam)

    def weights(self, lam):
        """Return w (p,) for one ``lam``, or (m, p) for ``lam`` (m,)."""
        return (self.shrinkage(lam) * (self.z / self.d)) @ self.Vt

    def dof(self, lam):
        """Return the effective degrees of freedom, the sum of the shrinkage factors: float, or (m,)."""
        total = self.shrinkage(lam).sum(axis=-1)
        return float(total) if total.ndim == 0 else total


def ridge_svd(X, y, *, intercept=True):
    """Factor a ridge problem once, for as many penalties as wanted.

    X - mean = U diag(d) V',   w(lam) = V diag(d / (d^2 + lam)) U't

    Parameters: ``X`` (n, p), ``y`` (n,). Returns a `RidgeSVD` with `weights`, `shrinkage` and `dof`.

    >>> svd = ridge_svd([[1], [2], [3], [4], [5]], [2, 3, 5, 4, 6])
    >>> svd.weights([0, 1, 10]).round(6).ravel().tolist()
    [0.9, 0.818182, 0.45]
    """
    data = centre_data(X, y, intercept)
    U, d, Vt = np.linalg.svd(data.A, full_matrices=False)
    r = _rank(data.A, d, most=min(len(d), len(U) - bool(intercept)))
    return RidgeSVD(d[:r], Vt[:r], U[:, :r].T @ data.t, data, U[:, :r])


class Ridge(LinearRegressor, Estimator):
    """Linear regression with a quadratic penalty, in closed form.

    Objective  |t - Xw - b|^2 + lam |w|^2
    Solution   (A'A + lam I) w = A't for centred A, t;  w = V diag(d / (d^2 + lam)) U't  with  A = U diag(d) V'
    MAP        the mode of w for noise variance sigma^2 and prior w ~ N(0, tau^2 I), with lam = sigma^2 / tau^2

    Collinear columns and p > n need no special care: for lam > 0 the solution is unique, and lam = 0 gives the
    shortest of the least-squares solutions.

    Parameters: ``lam`` >= 0; ``intercept``: False leaves out b and takes the columns of X as they are.

    Attributes after ``fit(X, y)`` with X (n, p), y (n,): ``w_`` (p,), ``b_`` float, ``dof_`` (without the intercept).

    >>> model = Ridge(lam=1).fit([[1], [2], [3], [4], [5]], [2, 3, 5, 4, 6])
    >>> print(model.w_.round(6), round(model.b_, 6), round(model.dof_, 6))
    [0.818182] 1.545455 0.909091
    """

    task, params = "regression", {"lam": Real(0), "intercept": FLAG}

    def __init__(self, lam=1.0, *, intercept=True):
        self.lam = lam
        self.intercept = intercept

    def learn(self, X, y):
        """Find the weights with the least penalised squared error."""
        # 1. Centre, and factor the inputs
        svd = ridge_svd(X, y, intercept=self.intercept)
        # 2. Shrink least squares direction by direction
        self.w_ = svd.weights(self.lam)
        # 3. The plane passes through the mean point
        self.b_ = svd.centred.intercept(self.w_)
        self.dof_ = svd.dof(self.lam)


def effective_dof(X, lam, *, intercept=True):
    """Return the trace of ridge's hat matrix, the number of weights the data are free to choose.

    dof = tr A (A'A + lam I)^-1 A' = sum_j d_j^2 / (d_j^2 + lam)

    Parameters: ``X`` (n, p); ``lam`` >= 0, or (m,) of them. From the rank of the centred X at 0 it falls towards 0;
    a free intercept is one more. Returns float, or (m,).

    >>> X = [[1, 0], [-1, 0], [0, 2], [0, -2]]
    >>> effective_dof(X, [0, 2, 8]).round(6).tolist()
    [2.0, 1.3, 0.7]
    """
    X = as_matrix(X)
    return ridge_svd(X, np.zeros(len(X)), intercept=intercept).dof(lam)


def _rank(A, d, most):
    """Return how many of the falling singular values ``d`` of A are more than rounding, at most ``most``.

    Centred samples span at most n - 1 directions. A small one is noise where columns depend on each other, but may be
    all that a column in a large unit has to say: so columns are counted in units in which none dwarfs the others.
    """
    r = numerical_rank(d, A.shape, most=most)
    if r < most:
        scaled = np.linalg.svd(power_of_two(A)[0], compute_uv=False)
        there = int(np.sum(d > 16 * np.finfo(float).eps * d[0]))
        r = max(r, min(numerical_rank(scaled, A.shape, most=most), there))
    return r


def _penalties(lam):
    lam = as_array(lam, "lam")
    if lam.ndim > 1:
        raise ValueError(f"lam must be a number or have shape (m,); got {lam.shape}.")
    if lam.min() < 0:
        raise ValueError(f"lam must be at least 0; got {lam.min():g}.")
    return lam

"""Lasso and elastic net by coordinate descent: one weight at a time has a closed form, the soft threshold.

The duality gap bounds how far the objective is above its minimum, so it is the stopping rule and the certificate.

Derived in sections 6.6 and 6.7 of the chapter.
"""

from typing import NamedTuple

import numpy as np

from mlteach.base import Estimator
from mlteach.linear import LinearRegressor, as_weights
from mlteach.parameters import FLAG, Real, Whole
from mlteach.regularization._centre import centre_data
from mlteach.regularization.descent import coordinate_descent, few_rows, scaled_gap
from mlteach.regularization.ridge import ridge_svd
from mlteach.validation import as_array, check_number


def soft_threshold(z, lam):
    """Move numbers towards 0 by lam; those within lam of it become 0.

    S(z, lam) = sign(z) max(|z| - lam, 0),  the minimiser of  1/2 (w - z)^2 + lam |w|

    Parameters: ``z``, a number or an array; ``lam`` >= 0. Returns the shape of z.

    >>> soft_threshold([3, 0.4, -1.2], 0.5).round(6).tolist()
    [2.5, 0.0, -0.7]
    """
    z = as_array(z, "z")
    lam = check_number(lam, "lam", low=0)
    shrunk = np.where(np.abs(z) > lam, z - np.copysign(lam, z), 0.0)
    return float(shrunk) if shrunk.ndim == 0 else shrunk


def lambda_max(X, y, *, l1_ratio=1.0, intercept=True):
    """Return the smallest lam at which all weights of the lasso, or elastic net, are zero.

    lambda_max = max_j |x_j.t| / l1_ratio  for centred x_j, t

    >>> lambda_max([[1], [2], [3], [4], [5]], [2, 3, 5, 4, 6])
    9.0
    """
    rho = check_number(l1_ratio, "l1_ratio", low=0, high=1, open_low=True)
    data = centre_data(X, y, intercept)
    return float(np.abs(data.A.T @ data.t).max() / rho)


def lasso_violation(X, y, w, lam, *, l1_ratio=1.0, intercept=True):
    """Return how far each weight is from meeting the condition for the minimum; all zero at the minimum.

    g_j = x_j.(t - Xw - b) - lam (1 - rho) w_j  must be  lam rho sign(w_j)  where w_j is not 0,
    and within [-lam rho, lam rho] where it is: 0 lies in the sub-differential of the objective

    Parameters: ``X`` (n, p), ``y`` (n,), ``w`` (p,), with b taken as the best for w. Returns (p,) distances >= 0.

    ``l1_ratio`` is the rho of the elastic net, 1 for the lasso.

    >>> X, y = [[1, 0], [-1, 0], [0, 2], [0, -2]], [3, -3, 1, -1]
    >>> lasso_violation(X, y, w=[1, 0], lam=4).tolist(), lasso_violation(X, y, w=[0, 0], lam=4).tolist()
    ([0.0, 0.0], [2.0, 0.0])
    """
    lam = check_number(lam, "lam", low=0)
    rho = check_number(l1_ratio, "l1_ratio", low=0, high=1)
    data = centre_data(X, y, intercept)
    w = as_weights(w, data.A.shape[1])
    g = data.A.T @ (data.t - data.A @ w) - lam * (1 - rho) * w
    return np.where(w != 0, np.abs(g - lam * rho * np.sign(w)), np.maximum(np.abs(g) - lam * rho, 0))


class Sweep(NamedTuple):
    """State of coordinate descent after one sweep over all weights."""

    w: np.ndarray  # (p,)
    b: float
    objective: float
    gap: float  # the objective is at most this far above its minimum


class ElasticNet(LinearRegressor, Estimator):
    """Linear regression with absolute and quadratic penalty, by coordinate descent.

    Objective  1/2 |t - Xw - b|^2 + lam (rho |w|_1 + 1/2 (1 - rho) |w|^2),   rho = l1_ratio
    Update     w_j <- S(x_j.r_j, lam rho) / (|x_j|^2 + lam (1 - rho)),   r_j = t - sum_{k != j} w_k x_k,   x, t centred
    Stop       duality gap <= tol 1/2 |t|^2

    rho = 1 is the lasso, rho = 0 ridge with the same lam, in closed form. scikit-learn's alpha is lam / n. Every fifth
    sweep starts from the exact minimum for the zeros and signs found so far, and the last ends there: nearly collinear
    columns, where single weights can only creep, still take few sweeps, and the weights are exact to rounding. Zeros
    and certificate hold to rounding too: inner products x_j.r count as equal to lam within 2e-15 |x_j| |t|, the longest
    x_j for the certificate. So from `lambda_max` on all weights are exactly zero.

    Parameters: ``lam`` >= 0; ``l1_ratio`` in [0, 1]; ``max_iter`` sweeps; ``tol``; ``intercept``: False leaves out b;
    ``history``: False keeps only the first and the last record of the run.

    Attributes after ``fit(X, y)``: ``w_`` (p,), ``b_`` float, ``gap_``, ``n_iter_`` sweeps, ``converged_``,
    ``history_``, one `Sweep` for the start and one after each sweep.

    >>> X, y = [[1, 0], [-1, 0], [0, 2], [0, -2]], [3, -3, 1, -1]
    >>> ElasticNet(lam=4, l1_ratio=0.5).fit(X, y).w_.round(6).tolist()
    [1.0, 0.2]
    """

    task = "regression"
    params = {"lam": Real(0), "l1_ratio": Real(0, 1), "max_iter": Whole(1), "tol": Real(0), "intercept": FLAG}

    def __init__(self, lam=1.0, l1_ratio=0.5, *, max_iter=1000, tol=1e-10, intercept=True, history=True):
        self.lam = lam
        self.l1_ratio = l1_ratio
        self.max_iter = max_iter
        self.tol = tol
        self.intercept = intercept
        self.history = history

    def fit(self, X, y, start=None):
        """Find the weights with the least penalised squared error, from ``start`` (p,) if given; return self."""
        return self._fit(X, y, start=start)

    def learn(self, X, y, start=None):
        """Minimise over one weight at a time until the duality gap closes."""
        data, l1, l2 = centre_data(X, y, self.intercept), self.lam * self.l1_ratio, self.lam * (1 - self.l1_ratio)
        # 1. Start from zero, or from the weights of a neighbouring penalty
        w = np.zeros(X.shape[1]) if start is None else as_weights(start, X.shape[1], "start")
        # 2. Sweep over the weights; without an absolute penalty there is no threshold and one step is exact
        if l1 > 0:
            states = coordinate_descent(*few_rows(data.A, data.t), l1, l2, w, tol=self.tol, max_iter=self.max_iter)
        else:
            best = ridge_svd(X, y, intercept=self.intercept).weights(l2)
            states = _closed_form(data.A, data.t, l2, w, best)
        self.history_ = [Sweep(w, data.intercept(w), objective, gap) for w, objective, gap in states]
        # 3. Keep the last state and its certificate
        self.w_, self.b_, _, self.gap_ = self.history_[-1]
        self.converged_ = self.gap_ <= scaled_gap(self.tol, data.t)

    def advice(self, X, y):
        """Say how large the gap still is."""
        if not self.converged_:
            asked = scaled_gap(self.tol, centre_data(X, y, self.intercept).t)
            yield (
                f"{type(self).__name__} stopped after {self.n_iter_} sweeps with a duality gap of {self.gap_:.3g}, not "
                f"the {asked:.3g} that tol={self.tol:g} asks for. Raise max_iter or tol, or scale X."
            )


class Lasso(ElasticNet):
    """Linear regression with an absolute penalty, by coordinate descent: many weights become exactly zero.

    Objective  1/2 |t - Xw - b|^2 + lam |w|_1
    Update     w_j <- S(x_j.r_j, lam) / |x_j|^2,   r_j = t - sum_{k != j} w_k x_k,   x, t centred
    Stop       duality gap <= tol 1/2 |t|^2

    Parameters: ``lam`` >= 0; ``max_iter`` sweeps; ``tol``; ``intercept``: False leaves out b; ``history``: False keeps
    only the first and the last record of the run. Attributes are those of `ElasticNet`, of which it is the case
    ``l1_ratio`` = 1. scikit-learn's alpha is lam / n.

    >>> X, y = [[1, 0], [-1, 0], [0, 2], [0, -2]], [3, -3, 1, -1]
    >>> model = Lasso(lam=4).fit(X, y)
    >>> model.w_.round(6).tolist(), model.converged_
    ([1.0, 0.0], True)
    """

    l1_ratio = 1.0

    def __init__(self, lam=1.0, *, max_iter=1000, tol=1e-10, intercept=True, history=True):
        self.lam = lam
        self.max_iter = max_iter
        self.tol = tol
        self.intercept = intercept
        self.history = history


def _closed_form(A, t, l2, start, best):
    """Return the states before and after the one step to the minimum ``best`` of a quadratic objective."""

    def objective(w):
        r = t - A @ w
        return float(0.5 * (r @ r) + 0.5 * l2 * (w @ w))

    least = objective(best)
    return [(start, objective(start), max(objective(start) - least, 0.0)), (best, least, 0.0)]

"""What the training data themselves say about ridge's penalty: leave-one-out and generalised cross-validation.

Both come from one factorisation for all penalties, without a single refit. Derived in section 6.8 of the chapter.
"""

import numpy as np

from mlteach.regularization.ridge import ridge_svd


def ridge_leave_one_out(X, y, lams, *, intercept=True):
    """Return ridge's mean squared leave-one-out error for every penalty, from one fit each (6.33).

    1/N sum_n (r_n / (1 - h_n))^2,   h_n = 1/N + sum_j f_j u_nj^2  (the 1/N belongs to a free intercept)

    Parameters: ``X`` (n, p), ``y`` (n,), ``lams`` (m,) > 0, or one number. Returns (m,), or a float.

    >>> round(ridge_leave_one_out([[1], [2], [3], [4], [5]], [2, 3, 5, 4, 6], 1), 6)
    0.869699
    """
    r, h = _residuals_and_leverages(X, y, lams, intercept)
    return _number_or_array(np.mean((r / (1 - h)) ** 2, axis=-1))


def ridge_gcv(X, y, lams, *, intercept=True):
    """Return ridge's generalised cross-validation score: leave-one-out with the mean leverage for all (6.34).

    1/N sum_n r_n^2 / (1 - (1 + dof) / N)^2   (the 1 belongs to a free intercept)

    Parameters: ``X`` (n, p), ``y`` (n,), ``lams`` (m,) > 0, or one number. Returns (m,), or a float.

    >>> round(ridge_gcv([[1], [2], [3], [4], [5]], [2, 3, 5, 4, 6], 1), 6)
    1.029412
    """
    r, h = _residuals_and_leverages(X, y, lams, intercept)
    return _number_or_array(np.mean(r**2, axis=-1) / (1 - h.mean(axis=-1)) ** 2)


def _residuals_and_leverages(X, y, lams, intercept):
    """Return residuals and leverages of all samples, each (m, n) for m penalties."""
    svd = ridge_svd(X, y, intercept=intercept)
    f = svd.shrinkage(lams)
    if np.any(np.asarray(lams) <= 0):
        raise ValueError(f"lams must be greater than 0, or samples may have no residual; got {np.min(lams):g}.")
    t = svd.centred.t
    return t - (f * svd.z) @ svd.U.T, f @ (svd.U**2).T + bool(intercept) / len(t)


def _number_or_array(values):
    return float(values) if values.ndim == 0 else values

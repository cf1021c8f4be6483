"""Leave-one-out: by n fits, or for linear models from one fit and its leverages (section 24.6)."""

from typing import NamedTuple

import numpy as np

from mlteach.evaluation import fold_errors
from mlteach.regularization import ridge_svd
from mlteach.validation import as_matrix, as_vector, check_number


class Leverages(NamedTuple):
    """What one fit knows about every sample."""

    residual: np.ndarray  # (n,) target minus fit
    h: np.ndarray  # (n,) leverage: how much of its own target each fitted value holds


def leave_one_out(make, X, y, *, loss=None):
    """Return the mean error over n fits, each judged on the one sample it has not seen.

    Parameters: ``make``, a function that returns a new model; ``X`` (n, d), ``y`` (n,); ``loss(y, predicted)``, by
    default the squared error for models whose task is regression, else the share of mistakes.

    >>> from mlteach.linear_regression import LinearRegression
    >>> round(leave_one_out(LinearRegression, [[1], [2], [3], [4], [5]], [2, 3, 5, 4, 6]), 6)
    0.747194
    """
    n = len(np.asarray(X))
    if n < 2:
        raise ValueError(f"leave-one-out needs at least 2 samples; got {n}.")
    everyone = np.arange(n)
    folds = [(np.delete(everyone, i), everyone[i : i + 1]) for i in everyone]
    return float(np.mean(fold_errors(make, X, y, folds, loss=loss)))


def leverages(X, y, lam=0.0):
    """Return residuals and leverages of ridge regression with a free intercept, as `Leverages`.

    y = H t,  h_i = H_ii = 1/n + sum_j u_ij^2 d_j^2 / (d_j^2 + lam)  with X - mean = U diag(d) V'      (24.10)

    Parameters: ``X`` (n, d), ``y`` (n,), ``lam`` >= 0; 0 is least squares. The 1/n is the intercept's share.

    >>> leverages([[1], [2], [3], [4], [5]], [2, 3, 5, 4, 6]).h.round(6).tolist()
    [0.6, 0.3, 0.2, 0.3, 0.6]
    """
    X = as_matrix(X)
    y, lam = as_vector(y, length=len(X)), check_number(lam, "lam", low=0)
    svd = ridge_svd(X, y)
    f = svd.shrinkage(lam)
    return Leverages(svd.centred.t - svd.U @ (f * svd.z), 1 / len(y) + svd.U**2 @ f)


def leave_one_out_linear(X, y, lam=0.0):
    """Return the mean squared leave-one-out error of ridge regression from a single fit (24.9).

    1/n sum_i ( (t_i - y_i) / (1 - h_i) )^2;  PRESS is n times this.

    Parameters as in `leverages`. The intercept is fitted and not penalised, and its leverage 1/n counts.

    >>> round(leave_one_out_linear([[1], [2], [3], [4], [5]], [2, 3, 5, 4, 6]), 6)
    0.747194
    """
    residual, h = leverages(X, y, lam)
    _refuse_exact(h)
    return float(np.mean((residual / (1 - h)) ** 2))


def generalized_cross_validation(X, y, lam=0.0):
    """Return leave-one-out with the mean leverage in the place of each: 1/n RSS / (1 - df/n)^2 (24.11).

    Parameters as in `leverages`.

    >>> round(generalized_cross_validation([[1], [2], [3], [4], [5]], [2, 3, 5, 4, 6]), 6)
    1.055556
    """
    residual, h = leverages(X, y, lam)
    _refuse_exact(h.mean(keepdims=True))
    return float(np.mean(residual**2) / (1 - h.mean()) ** 2)


def _refuse_exact(h):
    """Refuse samples that decide their own fit alone: without them it is not determined."""
    if h.max() > 1 - 1e-10:
        raise ValueError(
            "a fit that passes through a sample whatever its target says nothing about it (leverage 1): take fewer "
            "columns, more samples, or lam > 0."
        )

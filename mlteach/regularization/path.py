"""Regularisation paths: the weights as functions of the penalty (section 6.6)."""

from typing import NamedTuple

import numpy as np

from mlteach.regularization._centre import centre_data
from mlteach.regularization.lasso import ElasticNet, Lasso, lambda_max
from mlteach.regularization.ridge import Ridge, effective_dof, ridge_svd
from mlteach.validation import as_matrix, as_vector, check_choice, check_number

KINDS = {"ridge": Ridge, "lasso": Lasso, "elastic_net": ElasticNet}


class Path(NamedTuple):
    """Solutions for m penalties, in the order in which the penalties were given."""

    lams: np.ndarray  # (m,)
    coefficients: np.ndarray  # (m, p)
    intercepts: np.ndarray  # (m,)
    dof: np.ndarray  # (m,), effective degrees of freedom, without the intercept

    def predict(self, X):
        """Return the predictions of all m models for ``X`` (n, p): shape (m, n)."""
        X = as_matrix(X, n_features=self.coefficients.shape[1])
        return self.coefficients @ X.T + self.intercepts[:, None]


def regularization_path(model, X, y, lams=None):
    """Fit one kind of model for many penalties, cheaply: ridge from one SVD, the others with warm starts.

    dof  ridge: sum d_j^2 / (d_j^2 + lam);  lasso: the number of weights that are not zero;  elastic net: ridge's for
         the columns in use, with lam (1 - l1_ratio)

    Parameters: ``model``, "ridge", "lasso" or "elastic_net", or a `Ridge`, `Lasso` or `ElasticNet` whose settings
    other than ``lam`` are used; ``X`` (n, p), ``y`` (n,); ``lams`` (m,), by default 50 from all weights (next to)
    zero to hardly any shrinkage. Returns a `Path`.

    >>> path = regularization_path("lasso", [[1, 0], [-1, 0], [0, 2], [0, -2]], [3, -3, 1, -1], [6, 4, 2])
    >>> path.coefficients.round(6).tolist(), path.dof.tolist()
    ([[0.0, 0.0], [1.0, 0.0], [2.0, 0.25]], [0.0, 1.0, 2.0])
    """
    model = _as_model(model)
    if lams is None:
        lams = _default_lams(model, X, y)
    lams = as_vector(lams, "lams")
    if lams.min() < 0:
        raise ValueError(f"lams must be at least 0; the smallest is {lams.min():g}.")
    if isinstance(model, Ridge):
        svd = ridge_svd(X, y, intercept=model.intercept)
        W = svd.weights(lams)
        return Path(lams, W, svd.centred.t_mean - W @ svd.centred.x_mean, svd.dof(lams))
    return _warm_path(model, as_matrix(X), y, lams)


def _warm_path(model, X, y, lams):
    """Go from the largest penalty to the smallest, each time from the weights of the one before."""
    W, b, dof = np.zeros((len(lams), X.shape[1])), np.zeros(len(lams)), np.zeros(len(lams))
    start = None
    for i in np.argsort(-lams, kind="stable"):
        fitted = type(model)(**{**model.get_params(), "lam": float(lams[i])}).fit(X, y, start=start)
        start = W[i] = fitted.w_
        b[i], dof[i] = fitted.b_, _dof(fitted, X)
    return Path(lams, W, b, dof)


def _dof(model, X):
    used = model.w_ != 0
    if not used.any():
        return 0.0
    if isinstance(model, Lasso) and model.lam > 0:
        return float(used.sum())
    return effective_dof(X[:, used], model.lam * (1 - float(model.l1_ratio)), intercept=model.intercept)


def _as_model(model):
    if isinstance(model, str):
        return KINDS[check_choice(model, "model", tuple(KINDS))]()
    if not isinstance(model, (Ridge, ElasticNet)):
        raise ValueError(
            f"model must be one of {', '.join(map(repr, KINDS))}, or a Ridge, Lasso or ElasticNet; got {model!r}."
        )
    return model


def _default_lams(model, X, y):
    rho = 1.0 if isinstance(model, Lasso) else check_number(getattr(model, "l1_ratio", 0), "l1_ratio", low=0, high=1)
    if rho > 0:
        top = lambda_max(X, y, l1_ratio=rho, intercept=model.intercept)
        return np.geomspace(top, 1e-3 * top, 50) if top > 0 else np.geomspace(1, 1e-3, 50)
    squares = np.sum(centre_data(X, y, model.intercept).A ** 2)  # the sum of all d_j^2
    return np.geomspace(1e2, 1e-6, 50) * (squares if squares > 0 else 1.0)

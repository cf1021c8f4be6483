"""The losses as functions of the weights, with their derivatives; vectors over (b, w) have the bias first.

Derived in sections 8.3, 8.6 and 8.7 of the chapter.
"""

from typing import NamedTuple

import numpy as np

from mlteach.linear import as_weights
from mlteach.linear_regression import design_matrix
from mlteach.logistic_regression.functions import log_soft, sigma
from mlteach.numerics import softplus
from mlteach.validation import as_matrix, as_vector, check_number


class Plane(NamedTuple):
    """Weights and bias of the score a = w . x + b."""

    w: np.ndarray  # (d,)
    b: float


def logistic_loss(X, y, w, b, lam=0.0):
    """Return the logistic loss, minus the log-likelihood of Bernoulli targets, with its penalty.

    E(w, b) = -sum_n [y_n ln p_n + (1 - y_n) ln(1 - p_n)] + 1/2 lam |w|^2,   p_n = sigma(w . x_n + b)

    Parameters: ``X`` (n, d), ``y`` (n,) of 0 and 1, ``w`` (d,), ``b``, ``lam`` >= 0. Computed from the scores, so it
    is finite wherever they are: a confident mistake costs its score.

    >>> round(logistic_loss([[1]], [1], [2], -1), 5), round(logistic_loss([[1]], [0], [2], -1), 5)
    (0.31326, 1.31326)
    """
    X, y, w, b, lam = _read(X, y, w, b, lam)
    a = X @ w + b
    return float(surprise(y, a).sum() + 0.5 * lam * (w @ w))


def logistic_gradient(X, y, w, b, lam=0.0):
    """Return the gradient of `logistic_loss` in (b, w), shape (d + 1,).

    grad E = X~'(p - y) + lam (0, w),   the rows of X~ are (1, x_n)

    >>> logistic_gradient([[0], [1], [2], [3], [4], [5]], [0, 0, 1, 0, 1, 1], [0], 0)
    array([ 0. , -3.5])
    """
    X, y, w, b, lam = _read(X, y, w, b, lam)
    return design_matrix(X).T @ residual(y, X @ w + b) + lam * np.append(0.0, w)


def logistic_hessian(X, w, b, lam=0.0):
    """Return the matrix of second derivatives of `logistic_loss` in (b, w), shape (d + 1, d + 1).

    H = X~'R X~ + lam diag(0, 1, ..., 1),   R = diag(p_n (1 - p_n));  no eigenvalue is negative: E is convex

    >>> logistic_hessian([[0], [1], [2], [3], [4], [5]], [0], 0)
    array([[ 1.5 ,  3.75],
           [ 3.75, 13.75]])
    """
    X, _, w, b, lam = _read(X, None, w, b, lam)
    Phi, a = design_matrix(X), X @ w + b
    return (Phi.T * (sigma(a) * sigma(-a))) @ Phi + lam * np.diag(np.append(0.0, np.ones(len(w))))


def squared_error_loss(X, y, w, b):
    """Return the squared error of sigmoid outputs; it is not convex and can have several minima.

    S(w, b) = sum_n (y_n - sigma(w . x_n + b))^2

    >>> x, y = [[-0.1], [-2.1], [-12.2], [9]], [0, 1, 0, 1]
    >>> round(squared_error_loss(x, y, [-1.139244], 0), 6), round(squared_error_loss(x, y, [0.185360], 0), 6)
    (2.286202, 0.634806)
    """
    X, y, w, b, _ = _read(X, y, w, b, 0.0)
    return float((residual(y, X @ w + b) ** 2).sum())


def squared_error_gradient(X, y, w, b):
    """Return the gradient of `squared_error_loss` in (b, w), shape (d + 1,).

    grad S = 2 X~'[(p - y) p (1 - p)]: the factor p (1 - p) makes it vanish for confident mistakes

    >>> -0.1 / 2 * squared_error_gradient([[2]], [1], [0], 0)
    array([0.0125, 0.025 ])
    """
    X, y, w, b, _ = _read(X, y, w, b, 0.0)
    a = X @ w + b
    return 2 * design_matrix(X).T @ (residual(y, a) * sigma(a) * sigma(-a))


def softmax_loss(X, T, W, b, lam=0.0):
    """Return the cross-entropy of softmax regression, with its penalty.

    E(W, b) = -sum_n sum_k t_nk ln p_nk + 1/2 lam |W|^2,   p_n = softmax(W x_n + b)

    Parameters: ``X`` (n, d), ``T`` (n, K) one-hot, ``W`` (K, d), ``b`` (K,), ``lam`` >= 0.

    >>> round(softmax_loss([[1]], [[1, 0, 0]], [[2], [1], [0]], [0, 0, 0]), 6)
    0.407606
    """
    X, T, W, b, lam = _read_classes(X, T, W, b, lam)
    return float(-(T * log_soft(X @ W.T + b)).sum() + 0.5 * lam * (W**2).sum())


def softmax_gradient(X, T, W, b, lam=0.0):
    """Return the gradient of `softmax_loss`, shape (K, d + 1): one row per class, the derivative in b_k first.

    row k:  sum_n (p_nk - t_nk) (1, x_n) + lam (0, w_k)

    ``T`` (n, K) are one-hot targets, ``W`` (K, d) and ``b`` (K,) the weights and biases.

    >>> softmax_gradient([[2]], [[1, 0]], [[0], [0]], [0, 0])
    array([[-0.5, -1. ],
           [ 0.5,  1. ]])
    """
    X, T, W, b, lam = _read_classes(X, T, W, b, lam)
    P = np.exp(log_soft(X @ W.T + b))
    return (P - T).T @ design_matrix(X) + lam * np.column_stack([np.zeros(len(W)), W])


def online_update(w, b, x, t, learning_rate, *, hard=False):
    """Return the plane after one sample: descent on the logistic loss, or Rosenblatt's rule with a hard threshold.

    w <- w + eta (t - o) x,   b <- b + eta (t - o),   o = sigma(w . x + b),  or with ``hard`` o = 1 if w . x + b > 0
    else 0

    Parameters: ``w`` (d,), ``b``, ``x`` (d,), ``t`` 0 or 1, ``learning_rate`` eta > 0. Returns a `Plane`. The soft rule
    moves on every sample, the hard one on mistakes only.

    >>> online_update([0, 0], 0, [1, 2], 1, 0.1)
    Plane(w=array([0.05, 0.1 ]), b=0.05)
    """
    x = as_vector(x, "x")
    eta = check_number(learning_rate, "learning_rate", low=0, open_low=True)
    X, t, w, b, _ = _read(x[None, :], [t], w, b, 0.0, name="t")
    a = X @ w + b
    error = float((t - (a > 0) if hard else -residual(t, a))[0])
    return Plane(w + eta * error * x, b + eta * error)


def surprise(y, a):
    """Return -ln p(y) for y of 0 and 1 and scores a: ln(1 + exp(a)) for 0, ln(1 + exp(-a)) for 1, however small."""
    return softplus((1 - 2 * y) * a)


def residual(y, a):
    """Return sigma(a) - y, with full relative accuracy where it is tiny."""
    return (1 - y) * sigma(a) - y * sigma(-a)


def check_binary(y, name="y"):
    """Refuse targets other than 0 and 1."""
    bad = ~np.isin(y, (0, 1))
    if bad.any():
        n = int(np.argmax(bad))
        raise ValueError(f"{name} must hold 0 and 1 only; {name}[{n}] is {y[n]:g}.")
    return y


def _read(X, y, w, b, lam, name="y"):
    X = as_matrix(X)
    if y is not None:
        y = check_binary(as_vector(y, name, length=len(X)), name)
    w = as_weights(w, X.shape[1])
    return X, y, w, check_number(b, "b"), check_number(lam, "lam", low=0)


def _read_classes(X, T, W, b, lam):
    X, T, W = as_matrix(X), as_matrix(T, "T"), as_matrix(W, "W")
    if len(T) != len(X):
        raise ValueError(f"T must have one row per row of X: {len(X)} rows, but T has {len(T)}.")
    if not np.isin(T, (0, 1)).all() or (T.sum(axis=1) != 1).any():
        raise ValueError("T must be one-hot: a single 1 in each row, 0 elsewhere. Use np.eye(K)[index].")
    if len(W) != T.shape[1]:
        raise ValueError(f"W must have one row per class, K = {T.shape[1]} as in T; got {len(W)}.")
    if W.shape[1] != X.shape[1]:
        raise ValueError(f"W must have one column per column of X: {X.shape[1]} are needed, got {W.shape[1]}.")
    b = as_vector(b, "b", length=len(W), like="W")
    return X, T, W, b, check_number(lam, "lam", low=0)

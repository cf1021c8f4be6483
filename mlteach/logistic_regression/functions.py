"""From scores to probabilities: sigmoid, softmax, their logarithms, and the cross-entropy that judges them.

No exponential of a positive number is ever taken, so scores of any size give probabilities and no warning.

Derived in sections 8.2 and 8.6 of the chapter.
"""

import numpy as np

from mlteach.validation import as_array


def sigmoid(a):
    """Return the logistic function of ``a``, a number or an array of any shape.

    sigma(a) = 1 / (1 + exp(-a)),   sigma(-a) = 1 - sigma(a),   sigma' = sigma (1 - sigma)

    >>> sigmoid([-1, 0, 1]).round(6)
    array([0.268941, 0.5     , 0.731059])
    >>> sigmoid(-10_000), sigmoid(10_000)
    (0.0, 1.0)
    """
    p = sigma(as_array(a, "a"))
    return plain(p)


def log_sigmoid(a):
    """Return ln sigma(a), exact also where sigma(a) itself is too small for a double.

    ln sigma(a) = -ln(1 + exp(-a)); the loss of one sample with score a is -log_sigmoid(a) for t = 1 and
    -log_sigmoid(-a) for t = 0

    >>> log_sigmoid([0, -10_000]).round(6)
    array([-6.93147e-01, -1.00000e+04])
    """
    a = as_array(a, "a")
    value = np.minimum(a, 0) - np.log1p(np.exp(-np.abs(a)))
    return plain(value)


def softmax(A):
    """Return the softmax of each row of ``A`` (n, K), or of one vector (K,).

    p_k = exp(a_k) / sum_j exp(a_j)

    Adding one number to a whole row changes nothing; with two classes p_2 = sigma(a_2 - a_1).

    >>> softmax([2, 1, 0]).round(6)
    array([0.665241, 0.244728, 0.090031])
    """
    return np.exp(log_softmax(A))


def log_softmax(A):
    """Return ln softmax of each row of ``A`` (n, K), or of one vector (K,): a_k - ln sum_j exp(a_j).

    >>> log_softmax([0, -10_000]).round(6)
    array([     0., -10000.])
    """
    A = as_array(A, "A")
    if A.ndim not in (1, 2):
        raise ValueError(f"A must have shape (K,) or (n, K); got {A.shape}.")
    return log_soft(A)


def cross_entropy(T, P):
    """Return the cross-entropy of predicted probabilities, summed (not averaged) over the samples, in nats.

    Two classes  -sum_n [t_n ln p_n + (1 - t_n) ln(1 - p_n)]     T and P of shape (n,): P is the chance of t = 1
    K classes    -sum_n sum_k t_nk ln p_nk                       T and P of shape (n, K), rows that sum to one

    Targets are 0 and 1, or probabilities. Nothing is clipped: 0 ln 0 is 0, and a certain but wrong prediction costs
    infinity.

    >>> round(cross_entropy([1, 0], [0.8, 0.5]), 6)
    0.916291
    >>> round(cross_entropy([[1, 0, 0]], [softmax([2, 1, 0])]), 6)
    0.407606
    """
    T, P = _probabilities(T, "T"), _probabilities(P, "P")
    if T.shape != P.shape:
        raise ValueError(f"T and P must have the same shape; got {T.shape} and {P.shape}.")
    if T.ndim == 1:
        T, P = np.column_stack([T, 1 - T]), np.column_stack([P, 1 - P])
    with np.errstate(divide="ignore"):
        terms = T * np.log(P, where=T > 0, out=np.zeros(P.shape))
    return float(0.0 - terms.sum())


def sigma(a):
    """Return the sigmoid of a float array, unchecked."""
    e = np.exp(-np.abs(a))
    return np.where(a >= 0, 1.0, e) / (1 + e)


def log_soft(A, axis=-1):
    """Return ln softmax over one axis of a float array, unchecked."""
    A = A - A.max(axis=axis, keepdims=True)
    return A - np.log(np.exp(A).sum(axis=axis, keepdims=True))


def _probabilities(values, name):
    values = as_array(values, name)
    if values.ndim not in (1, 2):
        raise ValueError(f"{name} must have shape (n,) for two classes or (n, K) for K; got {values.shape}.")
    if values.min() < 0 or values.max() > 1:
        worst = values.min() if values.min() < 0 else values.max()
        raise ValueError(f"{name} must hold probabilities, from 0 to 1; it holds {worst:g}.")
    if values.ndim == 2 and not np.allclose(values.sum(axis=1), 1):
        n = int(np.argmax(np.abs(values.sum(axis=1) - 1)))
        raise ValueError(f"the rows of {name} must sum to one; row {n} sums to {values[n].sum():g}.")
    return values


def plain(values):
    """Return an array as it is, a single value as a float."""
    return values if np.ndim(values) else float(values)

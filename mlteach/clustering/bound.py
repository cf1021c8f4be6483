"""The bound of EM, for any model with a discrete hidden variable (section 21.4)."""

from typing import NamedTuple

import numpy as np

from mlteach.numerics import log_sum_exp, squarable
from mlteach.validation import as_array, as_vector, check_integer, check_number, check_probabilities


class EMBound(NamedTuple):
    """The bound F(q), the log-likelihood above it, and the gap between them, which is a divergence."""

    bound: float
    log_likelihood: float
    gap: float


def em_bound(log_joint, q):
    """Return Jensen's lower bound on ln p(x) = ln sum_z p(x, z), summed over the samples.

        F(q) = sum_i sum_z q_i(z) ln( p(x_i, z) / q_i(z) )  <=  sum_i ln p(x_i)          (21.9)
        gap  = sum_i KL( q_i || p(z | x_i) )  >=  0,  zero where q_i is the posterior    (21.10)

    ``log_joint`` (n, K) holds ln p(x_i, z), -inf where that is impossible; ``q`` (n, K) has rows that sum to one. One
    sample may come as two vectors (K,).

    >>> [round(value, 5) for value in em_bound(np.log([0.06, 0.04]), [0.9, 0.1])]
    [-2.52887, -2.30259, 0.22629]
    """
    q = check_probabilities(q, "q")
    L = _logs(log_joint)
    if L.shape != q.shape or L.ndim not in (1, 2):
        raise ValueError(f"log_joint and q must have one shape, (n, K) or (K,); got {L.shape} and {q.shape}.")
    L, q = np.atleast_2d(L, q)
    log_p = log_sum_exp(L)
    if not np.isfinite(log_p).all():
        raise ValueError(f"sample {int(np.argmin(log_p))} has probability 0 under every value of z: no bound exists.")
    held = q > 0
    terms = np.zeros_like(q)
    with np.errstate(invalid="ignore"):
        terms[held] = q[held] * (L - log_p[:, None])[held] - q[held] * np.log(q[held])
    gap = -float(terms.sum())
    total = float(log_p.sum())
    return EMBound(total - gap, total, max(gap, 0.0))


def _logs(values):
    """Return logarithms of probabilities as an array: finite, or -inf."""
    try:
        L = np.array(values, dtype=float)
    except (TypeError, ValueError):
        L = None
    if L is None or values is None or np.isnan(L).any() or (L == np.inf).any() or not L.size:
        return as_array(values, "log_joint")  # which says what is wrong
    return L


def one_mean_log_joint(x, theta, fixed=0.0):
    """Return ln p(x_i, z) of the smallest mixture, 1/2 N(theta, 1) + 1/2 N(fixed, 1), for x (n,): shape (n, 2).

    >>> one_mean_log_joint([1.0], 1.0, fixed=3.0).round(4).tolist()
    [[-1.6121, -3.6121]]
    """
    x, theta, fixed = squarable(as_vector(x, "x"), "x"), check_number(theta, "theta"), check_number(fixed, "fixed")
    return np.log(0.5) - 0.5 * np.log(2 * np.pi) - 0.5 * (x[:, None] - [theta, fixed]) ** 2


def one_mean_em(x, start, fixed=0.0, steps=20):
    """Run EM on the smallest mixture, whose first mean theta is all that is unknown; return theta_0, theta_1, ...

        E-step   r_i = p(z = 1 | x_i, theta)          M-step   theta = sum_i r_i x_i / sum_i r_i

    >>> one_mean_em([-2.0, -1.0, 3.0], 0.5, fixed=3.0, steps=2).round(3).tolist()
    [0.5, -1.407, -1.5]
    """
    x, path = as_vector(x, "x"), [check_number(start, "start")]
    for _ in range(check_integer(steps, "steps", low=1)):
        L = one_mean_log_joint(x, path[-1], fixed)
        log_r = L[:, 0] - log_sum_exp(L)
        r = np.exp(log_r - log_r.max())  # only ratios of shares count: all of them may be tiny
        path.append(float(r @ x / r.sum()))
    return np.array(path)

"""The quadratic programme that all support vector machines share, and its optimality conditions."""

from typing import NamedTuple

import numpy as np

from mlteach.validation import as_array, as_vector, check_number


class DualProblem(NamedTuple):
    """min  1/2 a'Qa + p.a   s.t.  0 <= a <= C  and  the sum of s_i a_i over each group as in ``start``.

    Q[i, j] = s_i s_j K[i, j]. Classification has s = t; regression has 2n multipliers, s = +1 for those above the
    tube and -1 for those below; the nu-machine has one group per class, the others a single group.
    """

    K: np.ndarray  # (m, m) Gram matrix
    s: np.ndarray  # (m,) signs +1 or -1
    p: np.ndarray  # (m,)
    C: float
    start: np.ndarray  # (m,) feasible multipliers
    group: np.ndarray  # (m,) number of the equality constraint each multiplier belongs to


class Solution(NamedTuple):
    """Multipliers with the run that led to them."""

    alpha: np.ndarray  # (m,)
    history: list
    converged: bool


def potential(problem, alpha):
    """Return F = -s * gradient; for classification F_i = t_i - sum_j a_j t_j k(x_j, x_i), the bias i asks for."""
    K, s, p, *_ = problem
    return -(K @ (s * alpha)) - s * p


def objective(problem, alpha):
    """Return the dual objective -(1/2 a'Qa + p.a), to be maximised."""
    K, s, p, *_ = problem
    beta = s * alpha
    return float(-0.5 * beta @ K @ beta - p @ alpha)


def movable(alpha, s, C):
    """Return two masks: where s_i a_i may still grow (I_up), where it may still fall (I_low)."""
    return np.where(s > 0, alpha < C, alpha > 0), np.where(s > 0, alpha > 0, alpha < C)


def interval(F, alpha, s, C):
    """Return m = max of F over I_up and M = min of F over I_low; at an optimum m <= b <= M."""
    up, low = movable(alpha, s, C)
    return float(F.max(where=up, initial=-np.inf)), float(F.min(where=low, initial=np.inf))


def level(F, alpha, s, C):
    """Return the bias: mean of F over the free multipliers, or the middle of [m, M] if none is free (16.17)."""
    free = (alpha > 0) & (alpha < C)
    if free.any():
        return float(F[free].mean())
    ends = [end for end in interval(F, alpha, s, C) if np.isfinite(end)]
    return sum(ends) / len(ends)


def violation(problem, alpha):
    """Return the largest m - M over the groups, the quantity that SMO drives below ``tol``."""
    F, s = potential(problem, alpha), problem.s
    gaps = []
    for g in np.unique(problem.group):
        of = problem.group == g
        m, M = interval(F[of], alpha[of], s[of], problem.C)
        gaps.append(m - M)
    return max(gaps)


def kkt_violation(alpha, t, gram, C):
    """Return how far multipliers of the soft-margin dual are from optimal: m(a) - M(a), LIBSVM's stopping quantity.

    F_i = t_i - sum_j a_j t_j k(x_j, x_i) is the bias that would put point i on its margin plane. With
    I_up = {a < C, t = +1} or {a > 0, t = -1} and I_low the other way round,

        m = max of F over I_up,   M = min of F over I_low,   optimal  <=>  m <= M,

    and then every b in [m, M] belongs to the optimum. SMO stops at m - M < tol.

    Parameters: ``alpha`` (n,) in [0, C]; ``t`` (n,) of +1 and -1; ``gram`` (n, n); ``C`` > 0.

    >>> kkt_violation([0.25, 0.25], [-1, 1], [[2, 6], [6, 18]], C=1)
    0.0
    >>> kkt_violation([0.0, 0.0], [-1, 1], [[2, 6], [6, 18]], C=1)
    2.0
    """
    C = check_number(C, "C", low=0, open_low=True)
    t = as_signs(t)
    alpha = as_vector(alpha, "alpha", length=len(t), like="t")
    gram = as_array(gram, "gram", ndim=2)
    if gram.shape != (len(t), len(t)):
        raise ValueError(f"gram must have shape ({len(t)}, {len(t)}), one row per entry of t; got {gram.shape}.")
    if alpha.min() < 0 or alpha.max() > C:
        raise ValueError(f"alpha must lie in [0, C] = [0, {C:g}]; it runs from {alpha.min():g} to {alpha.max():g}.")
    m, M = interval(t - gram @ (alpha * t), alpha, t, C)
    return m - M


def as_signs(t, name="t", *, length=None):
    """Return ``t`` as a float vector of +1 and -1."""
    t = as_vector(t, name, length=length)
    if not np.isin(t, (-1.0, 1.0)).all():
        raise ValueError(f"{name} must hold +1 and -1 only; got {t[~np.isin(t, (-1.0, 1.0))][0]:g}.")
    return t


def as_start(alpha, s, low, high, total, name="alpha"):
    """Return ``alpha`` as a feasible start: inside [low, high], with the sum of s * alpha equal to ``total``."""
    alpha = as_vector(alpha, name, length=len(s))
    slip = 1e-9 * high  # rounding, as in alpha * (C_new / C_old)
    if alpha.min() < low - slip or alpha.max() > high + slip:
        raise ValueError(
            f"{name} must lie in [{low:g}, {high:g}]; it runs from {alpha.min():g} to {alpha.max():g}. "
            f"Use {name} * (new / old bound) to start from an earlier fit."
        )
    if abs(s @ alpha - total) > 1e-7 * max(1.0, high) * len(s):
        raise ValueError(f"{name} must satisfy sum(sign * {name}) = {total:g}; the sum is {s @ alpha:g}.")
    return np.clip(alpha, low, high)

"""The quadratic programme that all support vector machines share, and its optimality conditions.

Derived in sections 16.4 and 16.5 of the chapter.
"""

from typing import NamedTuple

import numpy as np

from mlteach.numerics import as_gram
from mlteach.svm._checks import as_bounded, as_start
from mlteach.validation import as_array, as_signs, as_vector, check_integer, check_number

SLIP = 1e-6  # how far K may be from symmetric: its rows are only added up, far below any tol of a machine


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


class CheckedProblem(DualProblem):
    """A problem whose arrays are known to be good: `check_problem` lets it pass."""

    __slots__ = ()


class Solution(NamedTuple):
    """Multipliers with the run that led to them."""

    alpha: np.ndarray  # (m,)
    history: list  # of the solver's records
    n_iter: int
    converged: bool
    start: np.ndarray | None = None  # (m,) where pair steps began


def potential(problem, alpha):
    """Return F = -s * gradient; for classification F_i = t_i - sum_j a_j t_j k(x_j, x_i), the bias i asks for."""
    K, s, p, *_ = problem
    return -(K @ (s * alpha) if alpha.any() else np.zeros(len(s))) - s * p


def objective(problem, alpha):
    """Return the dual objective -(1/2 a'Qa + p.a), to be maximised."""
    K, s, p, *_ = problem
    if not alpha.any():
        return 0.0
    beta = s * alpha
    return float(-0.5 * beta @ K @ beta - p @ alpha)


def movable(alpha, s, C):
    """Return two masks: where s_i a_i may still grow (I_up), where it may still fall (I_low)."""
    return np.where(s > 0, alpha < C, alpha > 0), np.where(s > 0, alpha > 0, alpha < C)


def sides(alpha, problem):
    """Yield I_up and I_low of each group: pairs of masks among which a step chooses its two multipliers."""
    up, low = movable(alpha, problem.s, problem.C)
    for g in range(1 + problem.group.max()):
        yield up & (problem.group == g), low & (problem.group == g)


def interval(F, alpha, s, C):
    """Return m = max of F over I_up and M = min of F over I_low; at an optimum m <= b <= M."""
    return _ends(F, *movable(alpha, s, C))


def _ends(F, up, low):
    return float(F.max(where=up, initial=-np.inf)), float(F.min(where=low, initial=np.inf))


def level(F, alpha, s, C):
    """Return the bias: mean of F over the free multipliers, or the middle of [m, M] if none is free (16.17).

    ``s`` (n,) holds the signs -1 and +1 of the multipliers.

    >>> level([0.5, 1.5, 3.0], [0.2, 0.3, 1.0], [1, -1, 1], C=1)
    1.0
    """
    C = check_number(C, "C", low=0, open_low=True)
    F = as_vector(F, "F")
    s = as_signs(s, "s", length=len(F), like="F")
    alpha = as_bounded(alpha, 0.0, C, length=len(F), like="F")
    free = (alpha > 0) & (alpha < C)
    if free.any():
        return float(F[free].mean())
    ends = [end for end in interval(F, alpha, s, C) if np.isfinite(end)]
    return sum(ends) / len(ends)


def violation(problem, alpha):
    """Return the largest m - M over the groups, the quantity that SMO drives below ``tol``."""
    F = potential(problem, alpha)
    return max(m - M for m, M in (_ends(F, up, low) for up, low in sides(alpha, problem)))


def kkt_violation(alpha, t, gram, C):
    """Return how far feasible multipliers of the soft-margin dual are from optimal: m - M, LIBSVM's stopping quantity.

    F_i = t_i - sum_j a_j t_j k(x_j, x_i) is the bias that would put point i on its margin plane. With
    I_up = {a < C, t = +1} or {a > 0, t = -1} and I_low the other way round,

        m = max of F over I_up,   M = min of F over I_low,   optimal  <=>  m <= M   for feasible alpha,

    and then every b in [m, M] belongs to the optimum. SMO stops at m - M < tol.

    Parameters: ``alpha`` (n,) in [0, C] with sum(alpha * t) = 0; ``t`` (n,) of both +1 and -1; ``gram`` (n, n),
    symmetric; ``C`` > 0.

    >>> kkt_violation([0.25, 0.25], [-1, 1], [[2, 6], [6, 18]], C=1)
    0.0
    >>> kkt_violation([0.0, 0.0], [-1, 1], [[2, 6], [6, 18]], C=1)
    2.0
    """
    C = check_number(C, "C", low=0, open_low=True)
    t = as_signs(t)
    if abs(t.sum()) == len(t):
        raise ValueError(f"t must hold both +1 and -1; got {t[0]:+g} only.")
    gram = as_gram(as_array(gram, "gram", ndim=2), len(t), "gram", slip=SLIP)
    alpha = as_start(alpha, t, 0.0, C, total=0.0, like="t")
    m, M = interval(t - gram @ (alpha * t), alpha, t, C)
    return m - M


def check_problem(problem, tol, max_iter):
    """Return ``problem`` with checked arrays, ready for a solver."""
    if isinstance(problem, CheckedProblem):
        return problem
    if not isinstance(problem, DualProblem):
        raise TypeError(f"problem must be a DualProblem(K, s, p, C, start, group); got {type(problem).__name__}.")
    check_number(tol, "tol", low=0, open_low=True)
    check_integer(max_iter, "max_iter", low=1)
    C = check_number(problem.C, "C", low=0, open_low=True)
    s = as_signs(problem.s, "s")
    K = as_gram(as_array(problem.K, "K", ndim=2), len(s), "K", slip=SLIP)
    p = as_vector(problem.p, "p", length=len(s), like="K")
    start = as_bounded(problem.start, 0.0, C, name="start", length=len(s), like="K")
    group = np.asarray(problem.group)
    if group.shape != s.shape or group.dtype.kind not in "iu" or group.min() < 0:
        raise ValueError(f"group must hold {len(s)} whole numbers 0, 1, ..., one per row of K; got {problem.group!r}.")
    return CheckedProblem(K, s, p, C, start, group)

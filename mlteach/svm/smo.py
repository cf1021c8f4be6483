"""Sequential minimal optimisation: improve two multipliers at a time, in closed form (section 16.8).

The machines of this chapter use `_fast.py`, which takes the same steps with `best_pair`, sooner.
"""

from typing import NamedTuple

import numpy as np

from mlteach.svm._checks import TAU, check_pair, on_bound
from mlteach.svm.dual import Solution, check_problem, objective, potential, sides


class SMOStep(NamedTuple):
    """State after one update; the first record of a run has no pair."""

    i: int | None  # the pair that moved
    j: int | None
    alpha_i: float | None  # their new values
    alpha_j: float | None
    unclipped: float | None  # where alpha_j would have gone without the box
    low: float | None  # the box [L, H] of alpha_j
    high: float | None
    gap: float  # m - M that is left
    objective: float  # of the dual, to be maximised


class PairStep(NamedTuple):
    """What became of two multipliers."""

    alpha_i: float
    alpha_j: float
    unclipped: float
    low: float
    high: float


def smo(problem, *, tol, max_iter, choose=None):
    """Maximise the dual by pair steps until the KKT gap m - M is below ``tol``; return a `Solution`.

    ``choose(F, alpha, problem)`` returns the next pair and the gap: `steepest_pair` if None, or `best_pair` (16.24).
    """
    K, s, _, C, start, _ = problem = check_problem(problem, tol, max_iter)
    choose = choose or steepest_pair
    # 1. Start; F_i = -s_i gradient_i is the negative error of point i, up to the bias
    alpha, F, value = start.copy(), potential(problem, start), objective(problem, start)
    moved, history = (None,) * 7, []
    while True:
        # 2. A pair that violates the KKT conditions, and the gap that is left
        i, j, gap = choose(F, alpha, problem)
        history.append(SMOStep(*moved, gap, float(value)))
        if gap < tol or len(history) > max_iter:
            return Solution(alpha, history, len(history) - 1, gap < tol, start)
        # 3. The top of the parabola, clipped to the box       (16.20), (16.21), (16.22)
        eta = K[i, i] + K[j, j] - 2 * K[i, j]
        pair = smo_pair(alpha[i], alpha[j], s[i], s[j], -F[i], -F[j], eta, C)
        step = s[i] * (pair.alpha_i - alpha[i])
        value += step * (F[i] - F[j]) - 0.5 * step**2 * eta
        # 4. All F follow, none is computed afresh             (16.23)
        F = F - step * (K[i] - K[j])
        if pair.alpha_j == pair.unclipped:
            F[j] = F[i]  # equal at the top but for rounding, which must not choose the next pair
        alpha[i], alpha[j] = pair.alpha_i, pair.alpha_j
        moved = (i, j, *pair)


def steepest_pair(F, alpha, problem):
    """Return the i in I_up with the largest F, the j in I_low with the least, and their distance, the gap m - M.

    The classes of the nu-machine are groups of their own; the one with the wider gap gives the pair.
    """
    pairs = []
    for up, low in sides(alpha, problem):
        m, M = np.where(up, F, -np.inf), np.where(low, F, np.inf)
        i, j = int(m.argmax()), int(M.argmin())
        pairs.append((float(m[i] - M[j]), i, j))
    gap, i, j = max(pairs)
    return i, j, gap


def best_pair(F, alpha, problem):
    """Return the i of `steepest_pair`, the j in I_low with the largest gain (F_i - F_j)^2 / 2 eta (16.24), and the gap.

    This is the second-order rule of Fan, Chen and Lin (2005).

    ``F`` (n,), the slopes that it compares, ``alpha`` and ``problem`` as in `smo`.
    """
    K, d, pairs, gap = problem.K, problem.K.diagonal(), [], -np.inf
    for up, low in sides(alpha, problem):
        m = np.where(up, F, -np.inf)
        i = int(m.argmax())
        slope = np.where(low, m[i] - F, -np.inf)
        gain = np.maximum(slope, 0) ** 2 / np.maximum(d[i] + d - 2 * K[i], TAU)
        pairs.append((gain.max(), i, int(gain.argmax())))
        gap = max(gap, float(slope.max()))
    _, i, j = max(pairs)
    return i, j, gap


def smo_pair(alpha_i, alpha_j, t_i, t_j, E_i, E_j, eta, C):
    """Return the best values of two multipliers when all others rest.

    E = y(x) - t is the error of a point (a common bias cancels), eta = k_ii + k_jj - 2 k_ij the curvature:

        a_j* = a_j + t_j (E_i - E_j) / eta                                     (16.21)
        a_j  = a_j* clipped to [L, H],   a_i <- a_i + t_i t_j (old a_j - a_j)  (16.22)

    L and H are where the line t_i a_i + t_j a_j = const leaves the box [0, C] x [0, C].

    >>> smo_pair(0, 0, 1, -1, E_i=-1, E_j=1, eta=0.64, C=1)
    PairStep(alpha_i=1.0, alpha_j=1.0, unclipped=3.125, low=0.0, high=1.0)
    """
    check_pair(alpha_i, alpha_j, t_i, t_j, E_i, E_j, eta, C)
    # 1. The box of alpha_j on the line                        (16.20)
    if t_i != t_j:
        low, high = max(0.0, alpha_j - alpha_i), min(C, C + alpha_j - alpha_i)
    else:
        low, high = max(0.0, alpha_i + alpha_j - C), min(C, alpha_i + alpha_j)
    # 2. The top of the parabola along the line                (16.21)
    unclipped = alpha_j + t_j * (E_i - E_j) / max(eta, TAU)
    # 3. Clip, and let alpha_i keep the sum                    (16.22)
    new_j = min(max(unclipped, low), high)
    new_i = alpha_i + t_i * t_j * (alpha_j - new_j)
    return PairStep(on_bound(new_i, C), on_bound(new_j, C), float(unclipped), float(low), float(high))

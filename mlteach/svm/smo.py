"""Sequential minimal optimisation: improve two multipliers at a time, in closed form (section 16.8)."""

from math import inf
from typing import NamedTuple

import numpy as np

from mlteach.history import History
from mlteach.svm.dual import Solution, check_problem, movable, objective, potential
from mlteach.validation import check_number

TAU = 1e-12  # stands in for a curvature of zero, as between two copies of one point


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


def smo_pair(alpha_i, alpha_j, t_i, t_j, E_i, E_j, eta, C):
    """Return the best values of two multipliers when all others rest.

    E = y(x) - t is the error of a point (a common bias cancels), eta = k_ii + k_jj - 2 k_ij the curvature:

        a_j* = a_j + t_j (E_i - E_j) / eta                                     (16.21)
        a_j  = a_j* clipped to [L, H],   a_i <- a_i + t_i t_j (old a_j - a_j)  (16.22)

    L and H are where the line t_i a_i + t_j a_j = const leaves the box [0, C] x [0, C].

    >>> smo_pair(0, 0, 1, -1, E_i=-1, E_j=1, eta=0.64, C=1)
    PairStep(alpha_i=1.0, alpha_j=1.0, unclipped=3.125, low=0.0, high=1.0)
    """
    _check_pair(alpha_i, alpha_j, t_i, t_j, E_i, E_j, eta, C)
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
    return PairStep(_on_bound(new_i, C), _on_bound(new_j, C), unclipped, float(low), float(high))


def _check_pair(alpha_i, alpha_j, t_i, t_j, E_i, E_j, eta, C):
    """Refuse what is no pair of feasible multipliers; a good pair costs half a microsecond."""
    try:
        if 0 <= alpha_i <= C and 0 <= alpha_j <= C < inf and t_i * t_i == 1 == t_j * t_j:
            if 0 < C and -inf < E_i < inf and -inf < E_j < inf and -inf < eta < inf:
                return
    except (TypeError, ValueError):
        pass
    C = check_number(C, "C", low=0, open_low=True)
    for name, value in {"E_i": E_i, "E_j": E_j, "eta": eta}.items():
        check_number(value, name)
    for name, value in {"alpha_i": alpha_i, "alpha_j": alpha_j}.items():
        check_number(value, name, low=0, high=C)
    raise ValueError(f"t_i and t_j must be +1 or -1; got {t_i!r} and {t_j!r}.")


def _on_bound(a, C):
    """Undo rounding that leaves a multiplier a hair from its bound."""
    if a < 1e-15 * C:
        return 0.0
    return float(C) if a > C - 1e-15 * C else float(a)


def smo(problem, *, tol, max_iter, whole=True):
    """Maximise the dual by pair steps until the KKT gap m - M is below ``tol``; ``whole=False`` keeps two records."""
    K, s, _, C, start, group = problem = check_problem(problem, tol, max_iter)
    # 1. Start; F_i = -s_i gradient_i is the negative error of point i, up to the bias
    alpha, F, value = start.tolist(), potential(problem, start), objective(problem, start)
    select = _WorkingSet(K, s, C, start, group, F)
    signs, diagonal, change = s.tolist(), K.diagonal().tolist(), np.empty_like(F)
    moved, history = (None,) * 7, History(whole=whole)

    while True:
        # 2. The pair that promises most, and the gap that is left
        i, j, gap = select()
        history.append(SMOStep(*moved, gap, value))
        if gap < tol or history.n_steps >= max_iter:
            return Solution(np.array(alpha), list(history), history.n_steps, gap < tol, start)
        # 3. The analytic step                                 (16.20), (16.21), (16.22)
        E_i, E_j = -F.item(i), -F.item(j)
        eta = diagonal[i] + diagonal[j] - 2 * K.item(i, j)
        pair = smo_pair(alpha[i], alpha[j], signs[i], signs[j], E_i, E_j, eta, C)
        # 4. All gradients follow, none is computed afresh     (16.23)
        step = signs[i] * (pair.alpha_i - alpha[i])
        np.subtract(K[i], K[j], out=change)
        change *= step
        F -= change
        if pair.alpha_j == pair.unclipped and eta > TAU:
            F[j] = F[i]  # the top of the parabola: equal but for rounding, which must not choose the next pair
        value += step * (E_j - E_i) - 0.5 * step * step * eta
        # 5. Note the two new values
        alpha[i], alpha[j] = pair.alpha_i, pair.alpha_j
        select.moved(i, pair.alpha_i)
        select.moved(j, pair.alpha_j)
        moved = (i, j, *pair)


class _WorkingSet:
    """Second-order choice of the pair (Fan, Chen and Lin, 2005).

    i has the largest F in I_up; j in I_low promises the largest gain (F_i - F_j)^2 / 2 eta_ij. I_up and I_low are
    vectors of 0 (inside) and -inf (outside) that are added to F, one pair of them for each group. The rows
    1 / eta_i are computed when first needed, so beside K memory holds one row for each point that ever was i.
    """

    def __init__(self, K, s, C, alpha, group, F):
        self.K, self.diagonal, self.rows = K, K.diagonal(), {}
        self.F, self.C, self.signs, self.group = F, C, s.tolist(), group.tolist()
        self.zero, self.work = np.zeros_like(F), np.empty_like(F)
        up, low = movable(alpha, s, C)
        self.sets = [
            (np.where(up & (group == g), 0, -np.inf), np.where(low & (group == g), 0, -np.inf))
            for g in range(1 + group.max())
        ]

    def __call__(self):
        F, work, zero = self.F, self.work, self.zero
        best, gap = (-1.0, 0, 0), -np.inf
        for up, low in self.sets:
            np.add(F, up, out=work)
            i = int(work.argmax())
            np.subtract(work.item(i), F, out=work)
            np.add(work, low, out=work)  # F_i - F_j, or -inf where j is not in I_low
            gap = max(gap, work.item(work.argmax()))
            np.maximum(work, zero, out=work)
            np.multiply(work, work, out=work)
            np.multiply(work, self.rows[i] if i in self.rows else self.gain(i), out=work)
            j = int(work.argmax())
            best = max(best, (work.item(j), i, j))
        return best[1], best[2], gap

    def gain(self, i):
        """Return 1 / eta_ij for all j, and remember it."""
        d = self.diagonal
        self.rows[i] = 1 / np.maximum(d[i] + d - 2 * self.K[i], TAU)
        return self.rows[i]

    def moved(self, i, alpha_i):
        """Update the membership of the one multiplier that changed."""
        up, low = self.sets[self.group[i]]
        below, above = (0.0 if alpha_i < self.C else -np.inf), (0.0 if alpha_i > 0 else -np.inf)
        up[i], low[i] = (below, above) if self.signs[i] > 0 else (above, below)

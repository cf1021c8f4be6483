"""The pair steps of `smo.py`, made fast: numbers in lists, arrays that are used again, rows that are kept."""

import numpy as np

from mlteach.history import History
from mlteach.svm._checks import TAU
from mlteach.svm.dual import Solution, check_problem, movable, objective, potential
from mlteach.svm.smo import SMOStep, smo_pair


def fast_smo(problem, *, tol, max_iter, whole=True):
    """Take the steps of `smo` with `best_pair`; ``whole=False`` keeps only the first and the last record."""
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
    """The choice of `best_pair`, without new arrays.

    I_up and I_low are vectors of 0 (inside) and -inf (outside) that are added to F, one pair of them for each group.
    The rows 1 / eta_i are computed when first needed, so beside K memory holds one row for each point that ever was i.
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

"""A primal-dual interior-point method: some twenty linear systems, whatever C is (section 16.8).

Each system is a Cholesky factor of n^3 / 3 operations. That is sensible up to about 1,000 multipliers, 500 points of an
SVR; beyond it SMO is quicker, at 3,000 some fifty times.
"""

from typing import NamedTuple

import numpy as np

from mlteach.history import History
from mlteach.svm.dual import Solution, check_problem, objective, violation

GAP = 1e-11  # relative duality gap at which to stop
TINY = 1e-300


class InteriorStep(NamedTuple):
    """State after one predictor-corrector step."""

    alpha: np.ndarray  # (m,)
    gap: float  # sum of products multiplier * slack of the bounds = duality gap
    objective: float  # of the dual, to be maximised
    step: float  # fraction of the full Newton step taken


def interior_point(problem, *, tol, max_iter, whole=True):
    """Minimise 1/2 a'Qa + p.a over A a = c, 0 <= a <= C by Mehrotra's predictor-corrector.

    With multipliers y of A a = c, z of a >= 0 and u of a <= C the optimality conditions are

        Qa + p - A'y - z + u = 0,   A a = c,   a z = 0,   (C - a) u = 0,

    and each step is Newton's for products mu instead of 0, with mu -> 0.

    ``problem`` as for `smo`; ``whole=False`` keeps only the ends of the history.
    """
    K, s, p, C, start, group = problem = check_problem(problem, tol, max_iter)
    Q = (s[:, None] * s) * K
    A = np.array([s * (group == g) for g in range(1 + group.max())])
    c, curvature = A @ start, np.abs(K.diagonal()).max()
    # 1. Start in the middle of the box; room = C - a is kept apart, free of cancellation
    a, y = np.full(len(s), C / 2), np.zeros(len(A))
    room = C - a
    z = np.full(len(s), max(1.0, np.abs(Q @ a + p).max()))
    u, step, history = z.copy(), 1.0, History(whole=whole)
    goal = 1e-4 * max(tol, 1e-5) ** 2  # curvature * a * z, both factors well below tol

    while True:
        # 2. What is wrong with the present point
        r_dual, r_primal = Q @ a + p - A.T @ y - z + u, A @ a - c
        gap, value = float(a @ z + room @ u), objective(problem, a)
        history.append(InteriorStep(a, gap, value, step))
        small = gap <= min(GAP * (1 + abs(value)), len(a) * goal / max(curvature, TINY))
        if small and np.abs(r_dual).max() <= 1e-9 * (1 + np.abs(Q @ a).max()) or history.n_steps >= min(max_iter, 100):
            break
        # 3. Predictor: how far would Newton's step to mu = 0 come?
        newton = _newton(Q, A, a, room, z, u, r_dual, r_primal)
        da, dy, dz, du = newton(a * z, room * u)
        reach = _reach(a, room, z, u, da, dz, du)
        after = (a + reach * da) @ (z + reach * dz) + (room - reach * da) @ (u + reach * du)
        # 4. Corrector: aim at mu, and allow for the predictor's second-order error
        mu = gap / (2 * len(a)) * (max(after, 0.0) / gap) ** 3
        da, dy, dz, du = newton(a * z + da * dz - mu, room * u - da * du - mu)
        step = 0.995 * _reach(a, room, z, u, da, dz, du)
        if step < 1e-10:
            break
        a, room, y, z, u = a + step * da, room - step * da, y + step * dy, z + step * dz, u + step * du

    alpha = _snap(a, z, u, C, A, c, curvature)
    history[-1] = history[-1]._replace(alpha=alpha, objective=objective(problem, alpha))
    return Solution(alpha, list(history), history.n_steps, violation(problem, alpha) < tol)


def _newton(Q, A, a, room, z, u, r_dual, r_primal):
    """Factor Q + diag(z/a + u/room) once; return the solver for any complementarity residuals."""
    from scipy.linalg import cho_solve  # late: scipy.linalg is slow to import

    factor = _cholesky(Q, z / a + u / room)
    HA = cho_solve(factor, A.T, check_finite=False)
    AHA = A @ HA

    def solve(r_low, r_high):
        h = cho_solve(factor, -r_dual - r_low / a + r_high / room, check_finite=False)
        dy = np.linalg.lstsq(AHA, -r_primal - A @ h, rcond=None)[0]
        da = h + HA @ dy
        return da, dy, -(r_low + z * da) / a, -(r_high - u * da) / room

    return solve


def _cholesky(Q, d):
    """Return the Cholesky factor of Q + diag(d); a trace of the identity helps where Q is singular."""
    from scipy.linalg import LinAlgError, cho_factor

    ridge = 1e-14 * max(TINY, np.abs(Q.diagonal()).max())
    while True:
        H = Q.copy()
        H[np.diag_indices_from(H)] += d + ridge
        try:
            return cho_factor(H, lower=True, overwrite_a=True, check_finite=False)
        except LinAlgError:
            ridge *= 100


def _reach(a, room, z, u, da, dz, du):
    """Return the largest step up to one that keeps a, C - a, z and u non-negative."""
    value, change = np.concatenate((a, room, z, u)), np.concatenate((da, -da, dz, du))
    falls = change < 0
    return min(1.0, float((value[falls] / -change[falls]).min(initial=np.inf)))


def _snap(a, z, u, C, A, c, curvature):
    """Set multipliers that are clearly at a bound onto it, and let the free ones keep A a = c.

    Of a multiplier and its partner one goes to zero; times the curvature both are measured in units of the gradient.
    """
    scale = curvature or 1 / C
    floor = 1e-6 * min(1.0, scale * C)
    at_zero = scale * a < np.maximum(z, floor)
    at_C = ~at_zero & (scale * (C - a) < np.maximum(u, floor))
    alpha = np.where(at_zero, 0.0, np.where(at_C, C, a))
    free = ~at_zero & ~at_C
    for row, total in zip(A, c):
        mine = free & (row != 0)
        if mine.any():
            room = np.minimum(alpha, C - alpha) * mine
            alpha = alpha + row * (total - row @ alpha) * room / room.sum()
    return alpha

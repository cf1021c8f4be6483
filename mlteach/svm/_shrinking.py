"""Two ways to be sooner where SMO is slow: shrinking for many points, a warm start for a large C (section 16.8).

Most multipliers come to a bound early and stay there. With more than `MANY` points pair steps on all of them alternate
with pair steps on those that may still move. The others being constant, this is the same kind of problem, only
smaller, and `fast_smo` solves it as it stands. The last word has a run on all points.
"""

import numpy as np

from mlteach.history import History
from mlteach.svm._fast import fast_smo
from mlteach.svm.dual import CheckedProblem, Solution, check_problem, potential, sides

MANY = 1000  # points from which on shrinking pays, and pair steps on all of them before it


def shrinking_smo(problem, *, tol, max_iter, whole=True):
    """Maximise the dual as `smo` does, with the same result within ``tol``, but leave aside what has settled."""
    problem = check_problem(problem, tol, max_iter)
    start, history, everyone = problem.start, History(whole=whole), np.arange(len(problem.s))
    if len(everyone) <= MANY:
        return fast_smo(problem, tol=tol, max_iter=max_iter, whole=whole)
    active = everyone
    while True:
        # 1. Pair steps on the active points, ten times as many where these are not all
        full, left = len(active) == len(everyone), max_iter - max(history.n_steps, 0)
        run = fast_smo(_part(problem, active), tol=tol, max_iter=min(left, MANY if full else 10 * MANY), whole=whole)
        _append(history, run, active)
        problem = problem._replace(start=_merged(problem.start, active, run.alpha))
        if full and run.converged or history.n_steps >= max_iter:
            return Solution(problem.start, list(history), history.n_steps, full and run.converged, start)
        # 2. After a run on all points take those that may still move; after one on these, all again
        active = _unsettled(problem) if full else everyone
        if 3 * len(active) > 2 * len(everyone) or len(active) < 2:
            active = everyone


def _unsettled(problem):
    """Return the points that are free, or at a bound which a step inside [M, m] might make them leave."""
    alpha, keep = problem.start, np.zeros(len(problem.s), dtype=bool)
    F = potential(problem, alpha)
    for up, low in sides(alpha, problem):
        m, M = F.max(where=up, initial=-np.inf), F.min(where=low, initial=np.inf)
        keep |= up & low | up & (F >= M) | low & (F <= m)
    return np.flatnonzero(keep)


def _part(problem, active):
    """Return the problem in the active multipliers alone; the others act on them through p."""
    K, s, _, C, alpha, group = problem
    if len(active) == len(s):
        return problem
    part, mine = K[np.ix_(active, active)], s[active]
    p = -mine * (potential(problem, alpha)[active] + part @ (mine * alpha[active]))
    return CheckedProblem(part, mine, p, C, alpha[active], group[active])


def _merged(alpha, active, new):
    alpha = alpha.copy()
    alpha[active] = new
    return alpha


def _append(history, run, active):
    """Continue ``history`` with the records of a run on the active points, in the numbers of all points."""
    constant = history[-1].objective - run.history[0].objective if history else 0.0
    records = run.history[1:] if history else run.history
    for r in records:
        i, j = (None, None) if r.i is None else (int(active[r.i]), int(active[r.j]))
        history.append(r._replace(i=i, j=j, objective=r.objective + constant))
    history.n_steps += run.n_iter - (len(run.history) - 1)  # those that the run itself did not keep


def warm_start(problem, *, tol, max_iter):
    """Return a start for a large C: the multipliers for C/10, times ten where they lean on the box.

    Multipliers at C grow with C, so this is close to the optimum, and SMO comes there up to a hundred times sooner
    than from zero. Without any at C the optimum does not depend on C at all.
    """
    K, C = problem.K, problem.C
    if C * (K.diagonal().mean() - K.mean()) <= 30:
        return problem.start
    easier = problem._replace(C=C / 10)
    easier = easier._replace(start=warm_start(easier, tol=tol, max_iter=max_iter))
    alpha = shrinking_smo(easier, tol=max(tol, 1e-3), max_iter=max(1, max_iter // 10), whole=False).alpha
    at_bound = alpha == easier.C
    return np.where(at_bound, C, 10 * alpha) if at_bound.any() else alpha

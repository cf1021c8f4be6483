"""Machines for two classes: each states its dual problem, hands it to a solver, and reads off the bias.

Derived in sections 16.6 and 16.10 of the chapter.
"""

import numpy as np

from mlteach.linear import choose_class
from mlteach.parameters import Real
from mlteach.svm._checks import as_start
from mlteach.svm.dual import DualProblem, level, objective, potential
from mlteach.svm.machine import KernelMachine


class _Classifier(KernelMachine):
    """Two classes: t = -1 for ``classes_[0]``, t = +1 for ``classes_[1]``."""

    task = "binary"

    @property
    def more_classes(self):
        """What takes more classes, for the message that these are too many."""
        return f"Use DAGSVM({type(self).__name__}()) for more classes, SVR to predict a number."

    def _measure(self, K, t):
        """Store margin and slacks; return |w|^2."""
        beta = self.alpha_ * t
        norm2 = float(max(beta @ K @ beta, 0.0))
        self.margin_ = norm2**-0.5 if norm2 > 0 else np.inf
        self.slack_ = np.maximum(0.0, 1 - t * (K @ beta + self.b_))
        return norm2

    def decision_function(self, X):
        """Return y(x), positive for ``classes_[1]`` and of size one on the margin planes."""
        return self._y(X)

    def predict(self, X):
        """Return the class on whose side each point lies."""
        y = self._y(X)
        return choose_class(self.classes_, y)


class SVC(_Classifier):
    """Soft-margin support vector machine for two classes.

    Primal  min 1/2 |w|^2 + C sum_i xi_i           s.t. t_i y(x_i) >= 1 - xi_i, xi_i >= 0
    Dual    max sum_i a_i - 1/2 sum_ij a_i a_j t_i t_j k(x_i, x_j)   s.t. 0 <= a_i <= C, sum_i a_i t_i = 0
    Model   y(x) = sum_i a_i t_i k(x_i, x) + b,  b from the free support vectors 0 < a_i < C          (16.17)

    Parameters
    ----------
    C : price of slack; a large C comes near the hard margin.
    kernel : kernel object, linear if None.
    tol : largest KKT violation m - M at which to stop.
    solver : "smo" (pair steps, warm starts) or "interior_point" (some twenty linear systems for any C). Both hold
        the Gram matrix, 8 n^2 bytes; the interior point two more of that size, SMO one row for each point it moves.
        The interior point is exact but its time grows with n^3: for up to about 1,000 points; at 3,000 it takes
        some fifty times as long as SMO.
    max_iter : most pair steps.
    history : False keeps only the first and the last record of the run.

    Attributes
    ----------
    alpha_ (n,), support_ (indices with a > 0), support_vectors_, b_, classes_; w_ (d,) for the linear kernel;
    margin_ = 1/|w|, slack_ (n,), dual_objective_, primal_objective_, n_iter_, converged_ (of the run in history_);
    history_ : list of SMOStep (or InteriorStep); ``alpha_at(k)`` gives the multipliers after step k.

    >>> model = SVC(C=10).fit([[1, 1], [3, 3]], ["no", "yes"])
    >>> model.alpha_, model.w_, round(model.b_, 6)
    (array([0.25, 0.25]), array([0.5, 0.5]), -2.0)
    """

    params = {**KernelMachine.params, "C": Real(above=0)}

    def __init__(self, C=1.0, kernel=None, tol=1e-3, *, solver="smo", max_iter=100_000, history=True):
        self.C, self.kernel, self.tol = C, kernel, tol
        self.solver, self.max_iter, self.history = solver, max_iter, history

    def learn(self, X, t, alpha=None):
        """Solve the dual.

        ``alpha`` (n,) is a feasible start for SMO: ``old.alpha_ * (C / old.C)`` follows a change of C. The default
        is zero or, for a large C, the optimum for C/10 times ten; pass zeros to watch the whole way.
        """
        C, n = self.C, len(t)
        # 1. The dual problem
        K = self._gram(X)
        start = np.zeros(n) if alpha is None else as_start(alpha, t, 0.0, C, total=0.0)
        problem = DualProblem(K, t, -np.ones(n), C, start, group=np.zeros(n, dtype=int))
        # 2. Its multipliers
        self.alpha_ = a = self._solve(problem, alpha).alpha
        # 3. The bias                                          (16.17)
        self._keep(X, a * t, level(potential(problem, a), a, t, C))
        # 4. Both objectives; they meet at the optimum
        norm2 = self._measure(K, t)
        self.dual_objective_ = objective(problem, a)
        self.primal_objective_ = float(0.5 * norm2 + C * self.slack_.sum())


class NuSVC(_Classifier):
    """Support vector machine whose parameter is a fraction: nu bounds margin errors from above, SVs from below.

    Primal  min 1/2 |w|^2 - nu n rho + sum_i xi_i  s.t. t_i y(x_i) >= rho - xi_i, xi_i >= 0, rho >= 0
    Dual    max -1/2 sum_ij a_i a_j t_i t_j k(x_i, x_j)
            s.t. 0 <= a_i <= 1, sum_i a_i = nu n, sum_i a_i t_i = 0

    The primal with rho >= 0 has sum_i a_i >= nu n; equality loses nothing (Chang and Lin, 2001), because an optimum
    with a larger sum can be scaled down to nu n, and |w| with it. As in LIBSVM everything is divided by rho in the
    end, so that the margin planes are y = +1 and y = -1 and the model is the SVC with C = 1/rho. Every step moves
    two multipliers of one class.

    Parameters
    ----------
    nu : above nu_min, the limit of sum_i a_i / (n C) of SVC for C -> infinity (0 for separable classes): at nu_min and
        below, the reduced convex hulls of the classes meet, rho = 0 and w = 0: a warning says so. At most
        nu_max = 2 min(n+, n-) / n.
    tol : as in SVC, in units of the variance of the points in feature space, so that it does not depend on the unit
        of X; where rho is less than 10 tol the run goes on to 1e-6.
    kernel, solver, max_iter, history : as in SVC.

    Attributes
    ----------
    As SVC, with alpha_ in [0, C_]; rho_ of the problem above, C_ = 1/rho_. ``dual_objective_`` is
    -1/2 sum a a t t k and ``primal_objective_`` 1/2 |w|^2 + C_ (sum xi - nu n), both after the division.
    ``history_``, ``alpha_at(k)`` and a start ``alpha`` for fit are before it: alpha_ * rho_; gaps and objectives in
    ``history_`` are in units of that variance.

    >>> model = NuSVC(nu=0.4).fit([[0.0], [1.0], [2.5], [3.0]], [0, 0, 1, 1])
    >>> model.support_, model.w_.round(4), round(model.b_, 4)
    (array([1, 2]), array([1.3333]), -2.3333)
    """

    params = {**KernelMachine.params, "nu": Real(above=0, high=1)}

    def __init__(self, nu=0.5, kernel=None, *, tol=1e-3, solver="smo", max_iter=100_000, history=True):
        self.nu, self.kernel, self.tol = nu, kernel, tol
        self.solver, self.max_iter, self.history = solver, max_iter, history

    def learn(self, X, t, alpha=None):
        """Solve the dual, from ``alpha`` if given (see SVC.learn), and divide by rho."""
        nu, n, group = self.nu, len(t), (t > 0).astype(int)
        # 1. The dual problem: each class carries the sum nu n / 2; the unit of K does not matter
        start = _nu_start(nu, t) if alpha is None else as_start(alpha, np.ones(n), 0.0, 1.0, total=nu * n)
        if alpha is not None:
            as_start(alpha, t, 0.0, 1.0, total=0.0)
        K = self._gram(X)
        unit = _variance(K)
        problem = DualProblem(K / unit, t, np.zeros(n), 1.0, start, group)
        # 2. Its multipliers
        run, b, rho = self._run(problem, alpha, unit)
        if rho == 0:
            return self._keep_no_street(X, K, t)
        # 3. Divide by rho: the margin planes become y = +1 and y = -1
        self.rho_, self.C_, self.alpha_ = rho * unit, 1 / (rho * unit), run.alpha / (rho * unit)
        self._keep(X, self.alpha_ * t, b / rho)
        # 4. Both objectives; they meet at the optimum
        norm2 = self._measure(K, t)
        self.dual_objective_ = -0.5 * norm2
        self.primal_objective_ = float(0.5 * norm2 + self.C_ * (self.slack_.sum() - nu * n))

    def _run(self, problem, alpha, unit):
        """Return the run, b and rho; where rho is lost in the tolerance, go on with a smaller one.

        Where it is lost in that one too, the reduced convex hulls meet: rho is 0.
        """
        t, tol = problem.s, self.tol
        while True:
            run = self._solve(problem, alpha, approach=False, tol=tol, unit=unit)
            # F is b - rho on the margin plane of t = +1, b + rho on that of t = -1
            F = potential(problem, run.alpha)
            plus, minus = (level(F[t == sign], run.alpha[t == sign], t[t == sign], 1.0) for sign in (1, -1))
            b, rho = (plus + minus) / 2, (minus - plus) / 2
            if rho >= 10 * tol:
                return run, b, rho
            if tol <= 1e-6:
                return run, b, 0.0
            problem, tol = problem._replace(start=run.alpha), 1e-6

    def _keep_no_street(self, X, K, t):
        """Store the optimum without a margin: w = 0, and the larger class for all."""
        self.rho_, self.C_, self.alpha_ = 0.0, np.inf, np.zeros(len(t))
        self._keep(X, self.alpha_, 1.0 if t.sum() > 0 else -1.0)
        self._measure(K, t)
        self.dual_objective_ = self.primal_objective_ = 0.0

    def advice(self, X, y):
        """Say that this nu has no margin, and what the machines share."""
        if self.rho_ == 0 and not self.converged_:
            yield (
                f"nu={self.nu:g} shows no margin after {self.n_iter_} iterations: raise max_iter, or use a larger nu. "
                "Until then all points get the answer of the larger class."
            )
        elif self.rho_ == 0:
            yield (
                f"nu={self.nu:g} leaves no margin: rho = 0, because the reduced convex hulls of the two classes meet, "
                "or all but meet, and all points get the answer of the larger class. nu must exceed nu_min, the limit "
                "of sum(alpha_) / (n C) of SVC(C) for a growing C. Use a larger nu or another kernel."
            )
        yield from super().advice(X, y)


def _variance(K):
    """Return the variance of the points in feature space, or one if they all coincide."""
    variance, size = K.diagonal().mean() - K.mean(), np.abs(K.diagonal()).max()
    return float(variance) if variance > 1e-12 * size else 1.0


def _nu_start(nu, t):
    """Return multipliers that fill each class, in order, up to the sum nu n / 2."""
    n, alpha = len(t), np.zeros(len(t))
    largest = 2 * min((t > 0).sum(), (t < 0).sum()) / n
    if nu > largest * (1 + 1e-12):
        raise ValueError(f"nu must be at most {largest:.6g} = 2 min(n+, n-) / n for these {n} labels; got {nu:g}.")
    for sign in (1, -1):
        mine = t == sign
        alpha[mine] = np.clip(nu * n / 2 - np.arange(mine.sum()), 0, 1)
    return alpha

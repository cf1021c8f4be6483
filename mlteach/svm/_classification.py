"""Machines for two classes: each states its dual problem, hands it to a solver, and reads off the bias."""

import numpy as np

from mlteach.svm._dual import DualProblem, as_start, level, objective, potential
from mlteach.svm._machine import KernelMachine
from mlteach.validation import as_labels, as_matrix, check_number


class _Classifier(KernelMachine):
    """Two classes: t = -1 for ``classes_[0]``, t = +1 for ``classes_[1]``."""

    task = "binary"

    def _read(self, X, y):
        X = as_matrix(X)
        self.classes_, index = as_labels(y, length=len(X))
        if len(self.classes_) > 2:
            raise ValueError(
                f"{type(self).__name__} separates two classes; y holds {len(self.classes_)}: "
                f"{self.classes_.tolist()}. Use DAGSVM(lambda: {self!r}) for more."
            )
        return X, np.where(index == 1, 1.0, -1.0)

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
        return self.classes_[(y > 0).astype(int)]


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
    solver : "smo" (pair steps, warm starts) or "interior_point" (some twenty linear systems for any C).
    max_iter : most pair steps.

    Attributes
    ----------
    alpha_ (n,), support_ (indices with a > 0), support_vectors_, b_, classes_; w_ (d,) for the linear kernel;
    margin_ = 1/|w|, slack_ (n,), dual_objective_, primal_objective_, n_iter_, converged_ (of the run in history_);
    history_ : list of SMOStep (or InteriorStep); ``alpha_at(k)`` gives the multipliers after step k.

    >>> model = SVC(C=10).fit([[1, 1], [3, 3]], ["no", "yes"])
    >>> model.alpha_, model.w_, round(model.b_, 6)
    (array([0.25, 0.25]), array([0.5, 0.5]), -2.0)
    """

    def __init__(self, C=1.0, kernel=None, *, tol=1e-3, solver="smo", max_iter=100_000):
        self.C, self.kernel, self.tol, self.solver, self.max_iter = C, kernel, tol, solver, max_iter

    def fit(self, X, y, alpha=None):
        """Solve the dual and return self.

        ``alpha`` (n,) is a feasible start for SMO: ``old.alpha_ * (C / old.C)`` follows a change of C. The default
        is zero or, for a large C, the optimum for C/10 times ten; pass zeros to watch the whole way.
        """
        C = check_number(self.C, "C", low=0, open_low=True)
        X, t = self._read(X, y)
        n = len(t)
        # 1. The dual problem
        K = self._gram(X)
        start = np.zeros(n) if alpha is None else as_start(alpha, t, 0.0, C, total=0.0)
        problem = DualProblem(K, t, -np.ones(n), C, start, group=np.zeros(n, dtype=int))
        # 2. Its multipliers
        self.alpha_ = self._solve(problem, approach=alpha is None)
        # 3. The bias                                          (16.17)
        b = level(potential(problem, self.alpha_), self.alpha_, t, C)
        self._keep(X, self.alpha_ * t, b)
        # 4. Both objectives; they meet at the optimum
        norm2 = self._measure(K, t)
        self.dual_objective_ = objective(problem, self.alpha_)
        self.primal_objective_ = float(0.5 * norm2 + C * self.slack_.sum())
        return self


class NuSVC(_Classifier):
    """Support vector machine whose parameter is a fraction: nu bounds margin errors from above, SVs from below.

    Primal  min 1/2 |w|^2 - nu n rho + sum_i xi_i  s.t. t_i y(x_i) >= rho - xi_i, xi_i >= 0, rho >= 0
    Dual    max -1/2 sum_ij a_i a_j t_i t_j k(x_i, x_j)
            s.t. 0 <= a_i <= 1, sum_i a_i = nu n, sum_i a_i t_i = 0

    As in LIBSVM everything is divided by rho in the end, so that the margin planes are y = +1 and y = -1 and the
    model is the SVC with C = 1/rho. Every step moves two multipliers of one class.

    Parameters
    ----------
    nu : in (0, 1], at most 2 min(n+, n-) / n; kernel, tol, solver, max_iter as in SVC.

    Attributes
    ----------
    As SVC, with alpha_ in [0, C_]; rho_ of the problem above, C_ = 1/rho_. ``dual_objective_`` is
    -1/2 sum a a t t k and ``primal_objective_`` 1/2 |w|^2 + C_ (sum xi - nu n), both after the division.
    ``history_``, ``alpha_at(k)`` and a start ``alpha`` for fit are before it: alpha_ * rho_.

    >>> model = NuSVC(nu=0.4).fit([[0.0], [1.0], [2.5], [3.0]], [0, 0, 1, 1])
    >>> model.support_, model.w_.round(4), round(model.b_, 4)
    (array([1, 2]), array([1.3333]), -2.3333)
    """

    def __init__(self, nu=0.5, kernel=None, *, tol=1e-3, solver="smo", max_iter=100_000):
        self.nu, self.kernel, self.tol, self.solver, self.max_iter = nu, kernel, tol, solver, max_iter

    def fit(self, X, y, alpha=None):
        """Solve the dual, divide by rho; return self."""
        nu = check_number(self.nu, "nu", low=0, high=1, open_low=True)
        X, t = self._read(X, y)
        n, group = len(t), (t > 0).astype(int)
        # 1. The dual problem: each class carries the sum nu n / 2
        start = _nu_start(nu, t) if alpha is None else as_start(alpha, np.ones(n), 0.0, 1.0, total=nu * n)
        if alpha is not None:
            as_start(alpha, t, 0.0, 1.0, total=0.0)
        K = self._gram(X)
        problem = DualProblem(K, t, np.zeros(n), 1.0, start, group)
        # 2. Its multipliers
        a = self._solve(problem)
        # 3. The levels of F on the two margin planes: b - rho for t = +1, b + rho for t = -1
        F = potential(problem, a)
        plus, minus = (level(F[t == sign], a[t == sign], t[t == sign], 1.0) for sign in (1, -1))
        b, self.rho_ = (plus + minus) / 2, (minus - plus) / 2
        if self.rho_ <= self.tol:
            raise ValueError(
                f"nu={nu:g} leaves no margin: rho={self.rho_:.2g} is not above tol={self.tol:g}, because the classes "
                f"overlap too much for so few margin errors. Use a larger nu, another kernel, or a smaller tol."
            )
        # 4. Divide by rho: the margin planes become y = +1 and y = -1
        self.C_, self.alpha_ = 1 / self.rho_, a / self.rho_
        self._keep(X, self.alpha_ * t, b / self.rho_)
        norm2 = self._measure(K, t)
        self.dual_objective_ = -0.5 * norm2
        self.primal_objective_ = float(0.5 * norm2 + self.C_ * (self.slack_.sum() - nu * n))
        return self


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

"""The machine for regression: a tube of half-width epsilon around the function (section 16.9)."""

import numpy as np

from mlteach.numerics import squarable
from mlteach.parameters import Real
from mlteach.svm._checks import as_start
from mlteach.svm.dual import DualProblem, level, objective, potential
from mlteach.svm.machine import KernelMachine
from mlteach.validation import as_array, check_number


class SVR(KernelMachine):
    """Support vector regression: a function whose tube of half-width epsilon costs nothing to be in.

    Primal  min 1/2 |w|^2 + C sum_i max(0, |t_i - y(x_i)| - epsilon)
    Dual    max -1/2 sum_ij (a_i - a'_i)(a_j - a'_j) k(x_i, x_j) - epsilon sum_i (a_i + a'_i) + sum_i t_i (a_i - a'_i)
            s.t. 0 <= a_i, a'_i <= C, sum_i (a_i - a'_i) = 0
    Model   y(x) = sum_i (a_i - a'_i) k(x_i, x) + b

    a_i > 0 on or above the tube, a'_i > 0 on or below it, for epsilon > 0 never both; for epsilon = 0 only their
    difference a_i - a'_i is determined.

    Parameters
    ----------
    C : price of leaving the tube; epsilon : half-width of the tube, >= 0; kernel, tol, solver, max_iter,
    history as in SVC. The problem has 2n multipliers, so its Gram matrix takes four times the memory.

    Attributes
    ----------
    alpha_ = a_ - a_prime_ (n,), a_ (n,), a_prime_ (n,), support_, support_vectors_, b_, w_ for the linear kernel;
    slack_ (n,), dual_objective_, primal_objective_, n_iter_, converged_, history_. Indices n, ..., 2n - 1 in
    ``history_`` belong to a'; ``alpha_at(k)`` gives a and a' in one vector (2n,). A start ``alpha`` is an ``alpha_``.

    >>> model = SVR(C=0.5, epsilon=0.2, tol=1e-9).fit([[0], [1], [2], [3], [4]], [0, 1.3, 1.9, 2.2, 4.5])
    >>> model.alpha_.round(6), model.w_.round(6), round(model.b_, 6)
    (array([-0.4,  0.4,  0. , -0.5,  0.5]), array([0.9]), 0.2)
    """

    task, params = "regression", {**KernelMachine.params, "C": Real(above=0), "epsilon": Real(0)}

    def __init__(self, C=1.0, epsilon=0.1, kernel=None, *, tol=1e-3, solver="smo", max_iter=100_000, history=True):
        self.C, self.epsilon, self.kernel = C, epsilon, kernel
        self.tol, self.solver, self.max_iter, self.history = tol, solver, max_iter, history

    def learn(self, X, t, alpha=None):
        """Solve the dual, from the feasible ``alpha`` = a - a' if given (see SVC.learn)."""
        C, epsilon, n = self.C, self.epsilon, len(t)
        # 1. The dual problem in (a, a')
        K = self._gram(X)
        beta = np.zeros(n) if alpha is None else as_start(alpha, np.ones(n), -C, C, total=0.0)
        start, s = np.concatenate((np.maximum(beta, 0), np.maximum(-beta, 0))), np.repeat((1.0, -1.0), n)
        p = np.concatenate((epsilon - t, epsilon + t))
        problem = DualProblem(np.tile(K, (2, 2)), s, p, C, start, group=np.zeros(2 * n, dtype=int))
        # 2. Its multipliers
        both = self._solve(problem, alpha).alpha
        self.a_, self.a_prime_, self.alpha_ = both[:n], both[n:], both[:n] - both[n:]
        # 3. The bias                                          (16.29)
        self._keep(X, self.alpha_, level(potential(problem, both), both, s, C))
        # 4. Both objectives; they meet at the optimum
        fitted = K @ self.alpha_
        self.slack_ = epsilon_insensitive(t - fitted - self.b_, epsilon)
        self.dual_objective_ = objective(problem, both)
        self.primal_objective_ = float(0.5 * self.alpha_ @ fitted + C * self.slack_.sum())

    def _read_targets(self, y, n):
        return squarable(super()._read_targets(y, n), "y")

    def predict(self, X):
        """Return y(x) for each point."""
        return self._y(X)


def epsilon_insensitive(residual, epsilon):
    """Return max(0, |residual| - epsilon): nothing inside the tube, the distance to the tube outside.

    >>> epsilon_insensitive([0.05, 0.1, 0.3, -0.4], 0.1).round(6)
    array([0. , 0. , 0.2, 0.3])
    """
    epsilon = check_number(epsilon, "epsilon", low=0)
    return np.maximum(0.0, np.abs(as_array(residual, "residual")) - epsilon)

"""What all machines share: a Gram matrix, a solver, and an expansion over the support vectors (section 16.7)."""

import warnings

import numpy as np

from mlteach.base import Estimator
from mlteach.kernels import linear_kernel
from mlteach.kernels.model import as_kernel
from mlteach.numerics import as_gram, upper_blocks
from mlteach.svm._shrinking import shrinking_smo, warm_start
from mlteach.svm.dual import SLIP, CheckedProblem
from mlteach.svm.interior import interior_point
from mlteach.svm.smo import SMOStep
from mlteach.validation import ConvergenceWarning, check_choice, check_integer, check_number

SOLVERS = {"smo": shrinking_smo, "interior_point": interior_point}


class KernelMachine(Estimator):
    """What the machines share: y(x) = sum_i beta_i k(x_i, x) + b with few beta_i != 0."""

    def _gram(self, X):
        """Return kernel(X, X); warn where two points already show that it is no kernel."""
        kernel = as_kernel(self.kernel)
        K = as_gram(kernel(X, X), len(X), "kernel(X, X)", slip=SLIP)
        d = K.diagonal()
        slip = 1e-10 * np.abs(d).max()
        # eta = k_ii + k_jj - 2 k_ij are squared distances in feature space
        nearest = min((d[i, None] + d[j] - 2 * K[i, j]).min() for i, j in upper_blocks(len(d)))
        if min(d.min(), nearest) < -slip:
            warnings.warn(
                f"kernel(X, X) is not positive semi-definite: squared {'lengths' if d.min() < -slip else 'distances'} "
                f"are negative. The dual is not concave; what {type(self).__name__} finds may not be the optimum.",
                UserWarning,
                stacklevel=3,
            )
        return K

    def _solve(self, problem, alpha, *, approach=True, tol=None):
        """Run the solver; ``approach`` a large C from smaller ones unless a start ``alpha`` was given."""
        solver = SOLVERS[check_choice(self.solver, "solver", tuple(SOLVERS))]
        tol = check_number(self.tol if tol is None else tol, "tol", low=0, open_low=True)
        max_iter = check_integer(self.max_iter, "max_iter", low=1)
        by_pairs = self.solver == "smo"
        if alpha is not None and not by_pairs:
            raise ValueError(f"a start alpha needs solver='smo'; solver={self.solver!r} starts inside the box.")
        problem = CheckedProblem(*problem)
        if approach and alpha is None and by_pairs:
            problem = problem._replace(start=warm_start(problem, tol=tol, max_iter=max_iter))
        return solver(problem, tol=tol, max_iter=max_iter, whole=self.history)

    def _keep(self, X, names, run, beta, b):
        """Store the run and the expansion y(x) = sum_i beta_i k(x_i, x) + b over the support vectors."""
        if not run.converged:
            remedy = "raise max_iter" + ", try solver='interior_point'" * (self.solver == "smo")
            warnings.warn(
                f"{type(self).__name__} stopped after {run.n_iter} iterations with the KKT conditions "
                f"violated by more than tol={float(self.tol):g}. Scale the features, {remedy}, or allow a larger tol.",
                ConvergenceWarning,
                stacklevel=3,
            )
        self.history_, self.n_iter_, self.converged_ = run.history, run.n_iter, run.converged
        self._start = run.start
        self._keep_features(X.shape[1], names)
        self.b_ = b
        self.support_ = np.flatnonzero(beta)
        self.support_vectors_, self._beta = X[self.support_], beta[self.support_]
        if hasattr(self, "w_"):
            del self.w_
        self.kernel_ = linear_kernel if self.kernel is None else self.kernel
        if self.kernel_ == linear_kernel:
            self.w_ = self._beta @ self.support_vectors_

    def _y(self, X):
        X = self._points(X)
        if hasattr(self, "w_"):
            return X @ self.w_ + self.b_
        if len(self.support_) == 0:
            return np.full(len(X), self.b_)
        return self.kernel_(X, self.support_vectors_) @ self._beta + self.b_

    def alpha_at(self, k):
        """Return the multipliers after step k of the run, replayed from ``history_``."""
        self._require_fit()
        k = check_integer(k, "k", low=0, high=self.n_iter_, why="the run has no more steps")
        if len(self.history_) <= self.n_iter_:
            raise ValueError(f"alpha_at({k}) needs the whole run; fit {type(self).__name__} with history=True.")
        if not isinstance(self.history_[0], SMOStep):
            return self.history_[k].alpha.copy()
        alpha = self._start.copy()
        for step in self.history_[1 : k + 1]:
            alpha[step.i], alpha[step.j] = step.alpha_i, step.alpha_j
        return alpha

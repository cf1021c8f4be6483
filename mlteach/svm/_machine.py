"""What all machines share: a Gram matrix, a solver, and an expansion over the support vectors."""

import warnings

import numpy as np

from mlteach.base import Estimator
from mlteach.kernels import linear_kernel
from mlteach.svm._interior import interior_point
from mlteach.svm._smo import SMOStep, smo, warm_start
from mlteach.validation import ConvergenceWarning, as_array, as_matrix, check_choice, check_integer, check_number

SOLVERS = {"smo": smo, "interior_point": interior_point}


class KernelMachine(Estimator):
    """What the machines share: y(x) = sum_i beta_i k(x_i, x) + b with few beta_i != 0."""

    def _gram(self, X):
        kernel = linear_kernel if self.kernel is None else self.kernel
        if isinstance(kernel, type) or not callable(kernel):
            name = getattr(kernel, "__name__", repr(kernel))
            raise ValueError(f"kernel must be a kernel object such as rbf_kernel(beta=1.0); got {name}.")
        K = as_array(kernel(X, X), "the Gram matrix kernel(X, X)", ndim=2)
        if K.shape != (len(X), len(X)):
            raise ValueError(f"kernel(X, X) must have shape ({len(X)}, {len(X)}); got {K.shape}.")
        return K

    def _solve(self, problem, approach=False):
        """Return the multipliers; ``approach`` a large C from smaller ones where that helps."""
        solver = SOLVERS[check_choice(self.solver, "solver", tuple(SOLVERS))]
        tol = check_number(self.tol, "tol", low=0, open_low=True)
        max_iter = check_integer(self.max_iter, "max_iter", low=1)
        if approach and solver is smo:
            problem = problem._replace(start=warm_start(problem, tol=tol, max_iter=max_iter))
        alpha, self.history_, self.converged_ = solver(problem, tol=tol, max_iter=max_iter)
        self.n_iter_ = len(self.history_) - 1
        self._start = problem.start
        if not self.converged_:
            remedy = "raise max_iter" + ", try solver='interior_point'" * (solver is smo)
            warnings.warn(
                f"{type(self).__name__} stopped after {self.n_iter_} iterations with the KKT conditions violated by "
                f"more than tol={tol:g}. Scale the features, {remedy}, or allow a larger tol.",
                ConvergenceWarning,
                stacklevel=3,
            )
        return alpha

    def _keep(self, X, beta, b):
        """Store the expansion y(x) = sum_i beta_i k(x_i, x) + b over the support vectors."""
        self.n_features_in_, self.b_ = X.shape[1], b
        self.support_ = np.flatnonzero(beta)
        self.support_vectors_, self._beta = X[self.support_], beta[self.support_]
        if hasattr(self, "w_"):
            del self.w_
        if self.kernel is None or self.kernel is linear_kernel:
            self.w_ = self._beta @ self.support_vectors_

    def _y(self, X):
        self._require_fit("support_")
        X = as_matrix(X, n_features=self.n_features_in_)
        if hasattr(self, "w_"):
            return X @ self.w_ + self.b_
        if len(self.support_) == 0:
            return np.full(len(X), self.b_)
        return self.kernel(X, self.support_vectors_) @ self._beta + self.b_

    def alpha_at(self, k):
        """Return the multipliers after step k of the run, replayed from ``history_``."""
        self._require_fit("history_")
        k = check_integer(k, "k", low=0, high=self.n_iter_, why="the run has no more steps")
        if not isinstance(self.history_[0], SMOStep):
            return self.history_[k].alpha.copy()
        alpha = self._start.copy()
        for step in self.history_[1 : k + 1]:
            alpha[step.i], alpha[step.j] = step.alpha_i, step.alpha_j
        return alpha

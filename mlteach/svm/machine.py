"""What all machines share: a Gram matrix, a solver, and an expansion over the support vectors (section 16.7)."""

import numpy as np

from mlteach.base import Estimator
from mlteach.clients import Weights
from mlteach.kernels import linear_kernel
from mlteach.kernels.model import as_kernel
from mlteach.numerics import as_gram, upper_blocks
from mlteach.parameters import By, Choice, Real, Whole
from mlteach.svm._shrinking import shrinking_smo, warm_start
from mlteach.svm.dual import SLIP, CheckedProblem, sides
from mlteach.svm.interior import interior_point
from mlteach.svm.smo import SMOStep
from mlteach.validation import check_integer

SOLVERS = {"smo": shrinking_smo, "interior_point": interior_point}


class KernelMachine(Weights, Estimator):
    """What the machines share: y(x) = sum_i beta_i k(x_i, x) + b with few beta_i != 0."""

    params = {"kernel": By(as_kernel), "tol": Real(above=0), "solver": Choice(*SOLVERS), "max_iter": Whole(1)}

    def fit(self, X, y, alpha=None):
        """Read the data, check the parameters, `learn` from the start ``alpha`` if one is given; return self."""
        return self._fit(X, y, alpha=alpha)

    def _gram(self, X):
        """Return kernel(X, X), and keep in mind whether two points already show that it is no kernel."""
        K = as_gram(self.kernel(X, X), len(X), "kernel(X, X)", slip=SLIP)
        d = K.diagonal()
        slip = -1e-10 * np.abs(d).max()
        # eta = k_ii + k_jj - 2 k_ij are squared distances in feature space
        nearest = min((d[i, None] + d[j] - 2 * K[i, j]).min() for i, j in upper_blocks(len(d)))
        self._negative = "lengths" if d.min() < slip else "distances" if nearest < slip else ""
        self._centred = X - X.mean(axis=0) if self.kernel == linear_kernel else None
        return K

    def _solve(self, problem, alpha, *, approach=True, tol=None, unit=1.0):
        """Run the solver and keep the run; ``approach`` a large C from smaller ones unless a start was given.

        ``unit`` is what the Gram matrix of the problem was divided by.
        """
        tol, by_pairs = tol or self.tol, self.solver == "smo"
        if alpha is not None and not by_pairs:
            raise ValueError(f"a start alpha needs solver='smo'; solver={self.solver!r} starts inside the box.")
        problem = CheckedProblem(*problem)
        if approach and alpha is None and by_pairs:
            problem = problem._replace(start=warm_start(problem, tol=tol, max_iter=self.max_iter))
        run = SOLVERS[self.solver](problem, tol=tol, max_iter=self.max_iter, whole=self.history)
        self.history_, self.n_iter_, self.converged_, self._start = run.history, run.n_iter, run.converged, run.start
        self._blurred = self._centred is not None and _blurred(problem, run.alpha, self._centred / unit**0.5, tol)
        self.converged_ = self.converged_ and not self._blurred
        return run

    def _keep(self, X, beta, b):
        """Store the expansion y(x) = sum_i beta_i k(x_i, x) + b over the support vectors."""
        self.b_, self.kernel_, self.support_ = b, self.kernel, np.flatnonzero(beta)
        self.support_vectors_, self._beta = X[self.support_], beta[self.support_]
        del self._centred
        if self.kernel_ == linear_kernel:
            self.w_ = self._beta @ self.support_vectors_

    def advice(self, X, y):
        """Say that the kernel is none, and that the solver was stopped too soon."""
        if self._negative:
            yield (
                f"kernel(X, X) is not positive semi-definite: squared {self._negative} are negative. The dual is not "
                f"concave; what {type(self).__name__} finds may not be the optimum."
            )
        if self._blurred:
            yield (
                f"{type(self).__name__}: the points lie so far from the origin that their products have lost the "
                "digits of their differences, and the optimum with them. Centre the features."
            )
        elif not self.converged_:
            remedy = "raise max_iter" + ", try solver='interior_point'" * (self.solver == "smo")
            yield (
                f"{type(self).__name__} stopped after {self.n_iter_} iterations with the KKT conditions "
                f"violated by more than tol={self.tol:g}. Scale the features, {remedy}, or allow a larger tol."
            )

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


def _blurred(problem, alpha, A, tol):
    """Return whether rounding of the Gram matrix hides that alpha is far from optimal.

    The products of the centred points A have all their digits, and give the same dual: the multipliers with their
    signs sum to zero, so that a shift changes all F alike.
    """
    beta, times = problem.s * alpha, len(alpha) // len(A)  # regression has two multipliers for each point
    w = beta.reshape(times, -1).sum(axis=0) @ A
    F = -np.tile(A @ w, times) - problem.s * problem.p
    gaps = [F.max(where=up, initial=-np.inf) - F.min(where=low, initial=np.inf) for up, low in sides(alpha, problem)]
    products = F + problem.K @ beta + problem.s * problem.p
    return bool(max(gaps) > 10 * tol and np.ptp(products) > tol)

"""Logistic regression for two classes, by Newton's method (IRLS) or by gradient descent (sections 8.3 and 8.4)."""

import numpy as np

from mlteach.base import Estimator
from mlteach.history import History
from mlteach.linear import LinearClassifier
from mlteach.linear_regression import design_matrix
from mlteach.logistic_regression._safeguards import CERTAIN, no_optimum, unfinished
from mlteach.logistic_regression.families import Bernoulli
from mlteach.logistic_regression.functions import sigma
from mlteach.logistic_regression.losses import residual, surprise
from mlteach.logistic_regression.newton import FitStep, irls, records
from mlteach.parameters import Choice, Maybe, Real, Whole


class LogisticRegression(LinearClassifier, Estimator):
    """Logistic regression for two classes, t = 0 for ``classes_[0]`` and t = 1 for ``classes_[1]``.

    Model    p(t = 1 | x) = sigma(a),  a = w . x + b
    Loss     E = -sum_n [t_n ln p_n + (1 - t_n) ln(1 - p_n)] + 1/2 lam |w|^2;  b is not penalised
    "irls"   (b, w) <- (b, w) - H^-1 grad E,  H = X~'R X~ + lam diag(0, 1, ..., 1),  R = diag(p_n (1 - p_n));
             the step is halved while it would raise E
    "gd"     (b, w) <- (b, w) - eta grad E,  grad E = X~'(p - t) + lam (0, w)

    Both start from w = 0, b = 0. Classes that a plane separates, up to points that lie on it, have no finite optimum
    for lam = 0: the fit stops with such weights, ``converged_`` False and a warning. Dependent columns, as with d >= n,
    leave many minimisers; "irls" returns the one with the shortest w.

    Parameters
    ----------
    lam : penalty, >= 0. scikit-learn's C is 1 / lam.
    solver : "irls" or "gd".
    learning_rate : eta of "gd"; None takes 1 / L with L = 1/4 lambda_max(X~'X~) + lam, which never raises E.
    tol : stop when a step promises to lower E by less than tol times E at the start. Promised are 1/2 g'H^-1 g by
        "irls" and 1/2 eta |g|^2 by "gd".
    max_iter : most steps.
    history : False keeps only the first and the last record of the run.

    Attributes
    ----------
    w_ (d,), b_, classes_, loss_ (E at the end); n_iter_, converged_; history_, a list of `FitStep`, the start first.

    >>> x, t = [[0.5], [1], [1.5], [2], [2.5], [3], [3.5], [4]], [0, 0, 1, 0, 1, 0, 1, 1]
    >>> model = LogisticRegression().fit(x, t)
    >>> print(model.w_.round(6), round(model.b_, 6), model.n_iter_)
    [1.188169] -2.67338 5
    >>> print(model.predict_proba([[2.25]]).round(6))
    [[0.5 0.5]]
    """

    task, largest, more_classes = "binary", 1e100, "Use SoftmaxRegression for more classes."
    params = {
        "lam": Real(0, 1e100),
        "solver": Choice("irls", "gd"),
        "learning_rate": Maybe(Real(above=0)),
        "tol": Real(0),
        "max_iter": Whole(1),
    }

    def __init__(self, lam=0.0, solver="irls", learning_rate=None, *, tol=1e-12, max_iter=1000, history=True):
        self.lam, self.solver, self.learning_rate = lam, solver, learning_rate
        self.tol, self.max_iter, self.history = tol, max_iter, history

    def learn(self, X, sign):
        """Minimise E over w and b."""
        t = (sign + 1) / 2  # 1 for the second class, 0 for the first
        # 1. Go downhill from w = 0, b = 0
        runs_away = self._newton(X, t) if self.solver == "irls" else self._descend(X, t)
        self.w_, self.b_, self.loss_, _ = self.history_[-1]
        # 2. For lam = 0 a plane that separates the classes has no finite optimum behind it
        self._obstacle = None
        if self.lam == 0 and (sign * (X @ self.w_ + self.b_) > 0).all():
            self._obstacle = "a plane separates the two classes"
        elif runs_away:
            self._obstacle = "a plane separates the two classes, up to points that lie on it"
        self.converged_ = self.converged_ and self._obstacle is None

    def advice(self, X, sign):
        """Say that there is no optimum, that the rate is too large, or that the run was too short."""
        if self._obstacle:
            yield no_optimum(self, self._obstacle)
        elif not self.converged_ and self.solver == "gd" and (self._rises or self.n_iter_ < self.max_iter):
            eta, L = self._rate(X)
            yield (
                f"LogisticRegression: learning_rate={eta:g} is too large; the loss rose in {self._rises} of "
                f"{self.n_iter_} steps, to {self._top:.3g}. Below 2/L = {2 / L:.3g} it always falls; None takes 1/L."
            )
        elif not self.converged_:
            yield unfinished(self)

    def predict_proba(self, X):
        """Return the probabilities of both classes, shape (n, 2); the score a is the log odds of ``classes_[1]``."""
        a = self.decision_function(X)
        return np.column_stack([sigma(-a), sigma(a)])

    def _newton(self, X, t):
        """Minimise E by Newton's method; return whether it found that there is no optimum."""
        problem, run = irls(X, t, Bernoulli(), self.lam, tol=self.tol, max_iter=self.max_iter)
        self.history_, self.converged_ = records(problem, run, self.history), run.converged
        return run.runs_away

    def _descend(self, X, t):
        """Minimise E by gradient descent; return whether the place where it came to rest hides that there is none."""
        Phi, eta = design_matrix(X), self._rate(X)[0]
        shrink = np.append(0.0, np.full(X.shape[1], self.lam))
        # 1. Start from p = 1/2 everywhere
        v, history, losses, self.converged_ = np.zeros(Phi.shape[1]), History(whole=self.history), [], False
        with np.errstate(over="ignore", invalid="ignore"):
            while len(losses) <= self.max_iter and not self.converged_:
                # 2. Loss and gradient
                a = Phi @ v
                E = float(surprise(t, a).sum() + 0.5 * (shrink * v) @ v)
                g = Phi.T @ residual(t, a) + shrink * v
                size = float(np.sqrt(g @ g))
                if not E < 1e100:  # the rate is far too large: keep what is finite
                    break
                history.append(FitStep(v[1:], float(v[0]), E, size))
                losses.append(E)
                # 3. Stop when a step promises no more; else go downhill
                self.converged_ = 0.5 * eta * size**2 <= self.tol * losses[0]
                v = v - eta * g
        self.history_, self._rises, self._top = history, int(np.sum(np.diff(losses) > 0)), max(losses)
        return self.converged_ and self.lam == 0 and _runs_away(X, t, history[-1])

    def _rate(self, X):
        """Return eta and the bound L on the curvature of E."""
        L = 0.25 * np.linalg.norm(design_matrix(X), 2) ** 2 + self.lam
        return (1 / L if self.learning_rate is None else self.learning_rate), L


def _runs_away(X, t, end):
    """Return whether there is no optimum: Newton's method tells, where some samples are all but certain."""
    p = sigma(X @ end.w + end.b)
    return bool((p * (1 - p) < CERTAIN).any()) and irls(X, t, Bernoulli(), 0.0, tol=1e-12, max_iter=1000)[1].runs_away

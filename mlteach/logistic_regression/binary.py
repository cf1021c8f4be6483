"""Logistic regression for two classes, by Newton's method (IRLS) or by gradient descent (sections 8.3 and 8.4)."""

import warnings

import numpy as np

from mlteach.base import Estimator
from mlteach.history import History
from mlteach.linear import LinearClassifier, read_points
from mlteach.linear_regression import design_matrix
from mlteach.logistic_regression.families import Bernoulli
from mlteach.logistic_regression.functions import sigma
from mlteach.logistic_regression.losses import residual, surprise
from mlteach.logistic_regression.newton import (
    CERTAIN,
    FitStep,
    check_iteration,
    irls,
    warn_no_optimum,
    warn_unfinished,
)
from mlteach.validation import ConvergenceWarning, as_table, as_two_classes, check_choice, check_number


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

    task = "binary"

    def __init__(self, lam=0.0, solver="irls", learning_rate=None, *, tol=1e-12, max_iter=1000, history=True):
        self.lam, self.solver, self.learning_rate = lam, solver, learning_rate
        self.tol, self.max_iter, self.history = tol, max_iter, history

    def fit(self, X, y):
        """Minimise E over w and b; return self."""
        check_choice(self.solver, "solver", ("irls", "gd"))
        lam, tol, max_iter = check_iteration(self)
        X, names = as_table(X)
        X, t, classes = self._read(X, y)
        if self.solver == "irls":
            history, run, _ = irls(X, t, Bernoulli(), lam, tol=tol, max_iter=max_iter, whole=self.history)
            losses, converged, runs_away = [E for _, E in run.states], run.converged, run.runs_away
        else:
            history, losses, converged = self._descend(X, t, lam, tol, max_iter)
            runs_away = converged and lam == 0 and _runs_away(X, t, history[-1])
        end = history[-1]
        self._keep_features(X.shape[1], names)
        self.w_, self.b_, self.classes_, self.loss_ = end.w, end.b, classes, end.loss
        self.history_, self.n_iter_ = list(history), len(losses) - 1
        # For lam = 0 a plane that separates the classes has no finite optimum behind it
        separates = lam == 0 and bool(((2 * t - 1) * (X @ end.w + end.b) > 0).all())
        self.converged_ = converged and not separates and not runs_away
        if separates:
            warn_no_optimum(self, "a plane separates the two classes")
        elif runs_away:
            warn_no_optimum(self, "a plane separates the two classes, up to points that lie on it")
        elif not self.converged_:
            self._warn(X, lam, losses)
        return self

    def predict_proba(self, X):
        """Return the probabilities of both classes, shape (n, 2); the score a is the log odds of ``classes_[1]``."""
        a = self.decision_function(X)
        return np.column_stack([sigma(-a), sigma(a)])

    def _read(self, X, y):
        X = read_points(X)
        remedy = "Use SoftmaxRegression for more classes."
        classes, sign = as_two_classes(y, "LogisticRegression", remedy, length=len(X))
        return X, (sign + 1) / 2, classes

    def _rate(self, X, lam):
        """Return eta and the bound L on the curvature of E."""
        L = 0.25 * np.linalg.norm(design_matrix(X), 2) ** 2 + lam
        if self.learning_rate is None:
            return 1 / L, L
        return check_number(self.learning_rate, "learning_rate", low=0, open_low=True), L

    def _descend(self, X, t, lam, tol, max_iter):
        """Return the history of gradient descent, all losses, and whether it arrived."""
        Phi, eta = design_matrix(X), self._rate(X, lam)[0]
        shrink = np.append(0.0, np.full(X.shape[1], lam))
        # 1. Start from p = 1/2 everywhere
        v, history, losses = np.zeros(Phi.shape[1]), History(whole=self.history), []
        with np.errstate(over="ignore", invalid="ignore"):
            while True:
                # 2. Loss and gradient
                a = Phi @ v
                E = float(surprise(t, a).sum() + 0.5 * (shrink * v) @ v)
                g = Phi.T @ residual(t, a) + shrink * v
                size = float(np.sqrt(g @ g))
                if not E < 1e100:  # the rate is far too large: keep what is finite
                    return history, losses, False
                history.append(FitStep(v[1:], float(v[0]), E, size))
                losses.append(E)
                # 3. Stop when a step promises no more
                if 0.5 * eta * size**2 <= tol * losses[0]:
                    return history, losses, True
                if len(losses) > max_iter:
                    return history, losses, False
                # 4. Go downhill
                v = v - eta * g

    def _warn(self, X, lam, losses):
        rises = int(np.sum(np.diff(losses) > 0))
        if self.solver == "irls" or (rises == 0 and self.n_iter_ == self.max_iter):
            return warn_unfinished(self, stacklevel=4)
        eta, L = self._rate(X, lam)
        warnings.warn(
            f"LogisticRegression: learning_rate={eta:g} is too large; the loss rose in {rises} of {self.n_iter_} "
            f"steps, to {max(losses):.3g}. Below 2/L = {2 / L:.3g} it always falls; None takes 1/L.",
            ConvergenceWarning,
            stacklevel=3,
        )


def _runs_away(X, t, end):
    """Return whether the place where descent came to rest hides that there is no optimum: Newton's method tells."""
    p = sigma(X @ end.w + end.b)
    return bool((p * (1 - p) < CERTAIN).any()) and irls(X, t, Bernoulli(), 0.0, tol=1e-12, max_iter=1000)[1].runs_away

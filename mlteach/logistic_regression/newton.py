"""Newton's method, and iteratively reweighted least squares: what it minimises for one score (section 8.4).

    v <- v - H^-1 g

1/2 g'H^-1 g is the fall of the loss that the quadratic model promises of a step. Near the optimum the true fall agrees
with it and the number of right digits doubles with each step; the method stops once the promise is a fraction ``tol``
of the loss at the start. What keeps it from harm stands beside it: steps that would raise the loss, losses without a
minimum and singular matrices in `_safeguards.py`, dependent columns in `_design.py`.
"""

import contextlib
from typing import NamedTuple

import numpy as np

from mlteach.history import History, kept
from mlteach.logistic_regression._design import reduce_columns
from mlteach.logistic_regression._safeguards import AWAY, CERTAIN, REST, ending, largest_move, shorten, solve
from mlteach.numerics import TALL, triangular_factor

PIVOT = 1e-3  # products may lose twice the digits between the largest pivot and the smallest, these six at most


class FitStep(NamedTuple):
    """State of a fit after one step."""

    w: np.ndarray  # (d,), or (K, d) for K classes
    b: float  # or (K,)
    loss: float  # with the penalty
    gradient_norm: float  # of the loss in all weights and biases


class Run(NamedTuple):
    """What Newton's method went through."""

    places: list  # v at the start and after each step
    losses: np.ndarray  # the loss at each of them
    converged: bool
    runs_away: bool  # no finite optimum


def newton(problem, v, *, tol, max_iter):
    """Minimise ``problem.loss`` from ``v`` on; ``problem.quadratic(v)`` returns its gradient and Hessian there.

    Step  v <- v - H^-1 g,  halved while it would raise the loss       (8.13)

    The Hessian comes as a triangular matrix T with T'T = H. Returns a `Run`.
    """
    places, losses, end = [v], [problem.loss(v)], None
    while end is None and len(places) <= max_iter:
        # 1. Gradient and Hessian                                      (8.9), (8.10)
        g, T = problem.quadratic(v)
        # 2. The step to the minimum of the quadratic model            (8.13)
        step, promise = solve(T, -g)
        # 3. Take it, or a half, or a quarter of it: the loss must not rise
        s, E = shorten(problem.loss, v, step, losses)
        if s == 0:
            break
        # 4. Stop when the model promises no more: at rest, or on the way to infinity
        end = ending(problem, v, step) if promise <= tol * losses[0] else None
        v = v + s * step
        places.append(v)
        losses.append(E)
    return Run(places, np.array(losses), end == REST, end == AWAY)


def irls(X, y, family, lam, *, tol, max_iter, start=0.0, offset=0.0):
    """Fit a model with one score by Newton's method from w = 0, b = start; return the `OneScore` and its `Run`."""
    problem = OneScore(X, y, family, lam, offset)
    v = np.zeros(problem.design.Z.shape[1])
    v[0] = start
    return problem, newton(problem, v, tol=tol, max_iter=max_iter)


class OneScore:
    """The loss of a model with one score for each sample, eta = w . x + b + offset.

        Loss      E = sum_n loss(y_n, eta_n) + 1/2 lam |w|^2
        Gradient  Z'(mean - y) + lam P'P v                             (8.9)
        Hessian   Z'RZ + lam P'P,  R = diag(variances)                 (8.10)

    Z v are the scores and |P v| = |w| in the coordinates v of `reduce_columns`: the first one is the intercept of
    centred features.
    """

    def __init__(self, X, y, family, lam, offset=0.0):
        self.X, self.y, self.family, self.lam, self.offset = X, y, family, lam, offset
        self.design = reduce_columns(X)
        P = self.design.P
        self.root_penalty = np.sqrt(lam) * np.column_stack([np.zeros(len(P)), P])  # the intercept is free

    def scores(self, v):
        """Return eta (n,)."""
        return self.design.Z @ v + self.offset

    def loss(self, v):
        """Return E."""
        with np.errstate(over="ignore", invalid="ignore"):
            return float(self.family.loss(self.y, self.scores(v)).sum() + 0.5 * np.sum((self.root_penalty @ v) ** 2))

    def quadratic(self, v):
        """Return the gradient, and the Hessian as T'T: the factor of a weighted least-squares problem (8.14)."""
        eta, Z, P = self.scores(v), self.design.Z, self.root_penalty
        # 1. Prediction minus target, times input
        g = Z.T @ self.family.residual(self.y, eta) + P.T @ (P @ v)
        # 2. Each row weighs as much as its sample varies
        r = self.family.curvature(eta)
        return g, weighted_factor(Z, r, P)

    def moved(self, v, step):
        """Return the largest change of a score among the samples that are all but certain at ``v``."""
        eta = self.scores(v)
        certain = self.family.curvature(eta) < CERTAIN
        return largest_move(eta[certain], (self.design.Z @ step)[certain])

    def record(self, v, E):
        """Return the `FitStep` of a place and its loss."""
        w, b = self.design.plane(v)
        e = self.family.residual(self.y, self.scores(v))
        return FitStep(w, b, E, float(np.hypot(e.sum(), np.linalg.norm(e @ self.X + self.lam * w))))


def weighted_factor(Z, r, P):
    """Return the triangular T with T'T = Z'RZ + P'P, R = diag(r).

    A tall Z is multiplied out first, which is sooner, unless that would cost the smallest pivots their digits.
    """
    if len(Z) >= TALL * max(Z.shape[1], 8):
        with contextlib.suppress(np.linalg.LinAlgError), np.errstate(over="ignore", invalid="ignore"):
            T = np.linalg.cholesky(Z.T @ (r[:, None] * Z) + P.T @ P).T
            if T.diagonal().min() > PIVOT * T.diagonal().max():
                return T
    return triangular_factor(np.vstack([np.sqrt(r)[:, None] * Z, P]))


def records(problem, run, whole):
    """Return the history of a run: all of its records, or with ``whole=False`` the first and the last."""
    history = History([problem.record(v, E) for v, E in kept(zip(run.places, run.losses), whole)], whole=whole)
    history.n_steps = len(run.places) - 1
    return history

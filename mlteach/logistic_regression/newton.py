"""Newton's method with step halving, and the weighted least squares (IRLS) that carries it out for one score.

    v <- v - s H^-1 g,   s = 1, 1/2, 1/4, ... until the loss does not rise

1/2 g'H^-1 g is the fall of the loss that the quadratic model promises for s = 1. Near the optimum the true fall agrees
with it and the number of right digits doubles with each step; the method stops once the promise is a fraction ``tol``
of the loss at the start, and no score moves any more. Where the likelihood has no maximum (separable classes, a group
without a single count) the promise shrinks as well, by a factor e each time, but some scores still move by about one.

Derived in section 8.4 of the chapter.
"""

import warnings
from typing import NamedTuple

import numpy as np

from mlteach.history import kept
from mlteach.logistic_regression._design import reduce_columns
from mlteach.validation import ConvergenceWarning, check_integer, check_number

CERTAIN = 1e-3  # a sample with a smaller variance hardly adds to the promise: its score is watched
STILL, RUNNING = 1e-4, 0.1  # moves of such a score at which it is at rest, at which it runs away


class FitStep(NamedTuple):
    """State of a fit after one step."""

    w: np.ndarray  # (d,), or (K, d) for K classes
    b: float  # or (K,)
    loss: float  # with the penalty
    gradient_norm: float  # of the loss in all weights and biases


class Direction(NamedTuple):
    """Newton's step at one point."""

    delta: np.ndarray  # -H^-1 g
    promise: float  # 1/2 g'H^-1 g
    moved: float  # largest change of a score among the samples that are all but certain


class Run(NamedTuple):
    """What Newton's method went through."""

    states: list  # of (v, loss), the start first
    converged: bool
    runs_away: bool  # no finite optimum


def newton(loss, direction, v, *, penalised, tol, max_iter):
    """Minimise ``loss(v)`` from ``v`` with the steps of ``direction(v)``, a `Direction`.

    With a penalty there always is an optimum: what runs away comes to rest, and the method waits for it.
    """
    states = [(v, loss(v))]
    enough = tol * states[0][1]
    while len(states) <= max_iter:
        v, E = states[-1]
        # 1. The step of the quadratic model
        step = direction(v)
        # 2. Halve it until the loss does not rise, rounding apart
        ceiling = E + 8 * np.finfo(float).eps * states[0][1]
        s = 1.0
        while not (new := loss(v + s * step.delta)) <= ceiling and s > 1e-18:
            s /= 2
        if s <= 1e-18:
            break
        states.append((v + s * step.delta, new))
        # 3. Stop once the model promises no more: at rest, or on the way to infinity
        if step.promise <= enough:
            if step.moved <= STILL:
                return Run(states, True, False)
            if step.moved > RUNNING and not penalised:
                return Run(states, False, True)
    return Run(states, False, False)


def irls(X, y, family, lam, *, tol, max_iter, start=0.0, offset=0.0, whole=True):
    """Return the history, the `Run` and the `Design` of a model with one score, eta = w . x + b + offset.

    Loss  sum_n loss(y_n, eta_n) + 1/2 lam |w|^2.  Step  (Z'RZ + lam P'P) delta = -g, R the variances: weighted least
    squares, solved with the triangular factor of the rows sqrt(R) Z and sqrt(lam) P. It starts from w = 0, b = start.
    ``whole=False`` keeps only the first and the last record.
    """
    design = reduce_columns(X)
    Z, P = design.Z, design.P
    penalty = np.column_stack([np.zeros(len(P)), np.sqrt(lam) * P])

    def loss(v):
        with np.errstate(over="ignore", invalid="ignore"):
            return float(family.loss(y, Z @ v + offset).sum() + 0.5 * np.sum((penalty @ v) ** 2))

    def direction(v):
        eta = Z @ v + offset
        # 1. Gradient and weights
        g = Z.T @ family.residual(y, eta) + penalty.T @ (penalty @ v)
        r = family.curvature(eta)
        # 2. Weighted least squares: T'T = H
        T = np.linalg.qr(np.vstack([np.sqrt(r)[:, None] * Z, penalty]), mode="r")
        delta, promise = solve_triangular(T, g)
        return Direction(delta, promise, np.abs(Z @ delta)[r < CERTAIN].max(initial=0.0))

    v = np.zeros(Z.shape[1])
    v[0] = start
    run = newton(loss, direction, v, penalised=lam > 0, tol=tol, max_iter=max_iter)
    history = []
    for v, E in kept(run.states, whole):
        w, b = design.plane(v)
        e = family.residual(y, Z @ v + offset)
        history.append(FitStep(w, b, E, float(np.hypot(e.sum(), np.linalg.norm(e @ X + lam * w)))))
    return history, run, design


def solve_triangular(T, g):
    """Return -H^-1 g and 1/2 g'H^-1 g for H = T'T, of all solutions the shortest where H is singular in doubles."""
    size = np.abs(np.diag(T))
    if size.min() > 1e-15 * size.max():
        q = np.linalg.solve(T.T, -g)
        return np.linalg.solve(T, q), 0.5 * float(q @ q)
    U, s, Vt = np.linalg.svd(T)
    keep = s > 1e-15 * max(s[0], np.finfo(float).tiny)
    q = (Vt[keep] @ -g) / s[keep]
    return Vt[keep].T @ (q / s[keep]), 0.5 * float(q @ q)


def check_iteration(model):
    """Return the checked penalty, tolerance and number of steps of a model."""
    lam = check_number(model.lam, "lam", low=0, high=1e100)
    return lam, check_number(model.tol, "tol", low=0), check_integer(model.max_iter, "max_iter", low=1)


def warn_no_optimum(model, why, stacklevel=3):
    """Say that the likelihood has no maximum, and what to do."""
    warnings.warn(
        f"{type(model).__name__}: {why}; the likelihood has no maximum and the weights grow without limit "
        f"(stopped after {model.n_iter_} steps). Set lam > 0 to keep them finite.",
        ConvergenceWarning,
        stacklevel=stacklevel,
    )


def warn_unfinished(model, stacklevel=3):
    """Say that max_iter came before tol."""
    warnings.warn(
        f"{type(model).__name__} did not reach tol={float(model.tol):g} in {model.n_iter_} steps; the gradient is "
        f"{model.history_[-1].gradient_norm:.2g}. Raise max_iter, or bring the features to one scale.",
        ConvergenceWarning,
        stacklevel=stacklevel,
    )

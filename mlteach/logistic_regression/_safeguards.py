"""What keeps Newton's method from harm: steps that are too long, Hessians without an inverse, losses without a minimum.

Where the likelihood has no maximum (separable classes, a group without a single count) each step promises e times less
than the one before, as on the way to an optimum. But some scores still move by about one: those of samples that are
all but certain, and hardly count in the promise. So these are watched.
"""

import numpy as np

CERTAIN = 1e-3  # a sample with a smaller variance hardly adds to the promise: its score is watched
STILL, RUNNING = 1e-4, 0.1  # moves of such a score at which it is at rest, at which it runs away
FAR = 100  # what runs away is seen long before its score is so large: beyond, a move is measured against the score
REST, AWAY = "at rest", "running away"


def ending(problem, v, step):
    """Return how a run ends whose steps promise no more, REST or AWAY, or None if that is not clear yet.

    With a penalty there always is an optimum: what runs away comes to rest, and the method waits for it.
    """
    moved = problem.moved(v, step)
    if moved <= STILL:
        return REST
    return AWAY if moved > RUNNING and problem.lam == 0 else None


def largest_move(scores, moves):
    """Return the largest of the moves of some scores; that of an outlier may be rounding, for its score is huge."""
    return np.max(np.abs(moves) / np.maximum(1.0, np.abs(scores) / FAR), initial=0.0)


def shorten(loss, v, step, losses):
    """Return the first s of 1, 1/2, 1/4, ... for which the loss does not rise, rounding apart, and that loss.

    ``losses`` are those so far. s is 0 where no step is short enough.
    """
    ceiling = losses[-1] + 8 * np.finfo(float).eps * losses[0]
    s = 1.0
    while not (new := loss(v + s * step)) <= ceiling:
        s /= 2
        if s <= 1e-18:
            return 0.0, losses[-1]
    return s, new


def solve(T, g):
    """Return H^-1 g and 1/2 g'H^-1 g for H = T'T, of all solutions the shortest where H is singular in doubles."""
    size = np.abs(np.diag(T))
    if size.min() > 1e-15 * size.max():
        q = np.linalg.solve(T.T, g)
        return np.linalg.solve(T, q), 0.5 * float(q @ q)
    s, Vt = np.linalg.svd(T)[1:]
    keep = s > 1e-15 * max(s[0], np.finfo(float).tiny)
    q = (Vt[keep] @ g) / s[keep]
    return Vt[keep].T @ (q / s[keep]), 0.5 * float(q @ q)


def root(H):
    """Return the triangular T with T'T = H; directions in which rounding leaves no curvature get none."""
    try:
        return np.linalg.cholesky(H).T
    except np.linalg.LinAlgError:
        s, U = np.linalg.eigh(H)
        s = np.where(s > 1e-15 * max(s[-1], np.finfo(float).tiny), s, 0)
        return np.linalg.qr(np.sqrt(s)[:, None] * U.T, mode="r")


def no_optimum(model, why):
    """Return the words for a likelihood without a maximum, and what to do."""
    return (
        f"{type(model).__name__}: {why}; the likelihood has no maximum and the weights grow without limit "
        f"(stopped after {model.n_iter_} steps). Set lam > 0 to keep them finite."
    )


def unfinished(model):
    """Return the words for a run in which max_iter came before tol."""
    return (
        f"{type(model).__name__} did not reach tol={model.tol:g} in {model.n_iter_} steps; the gradient is "
        f"{model.history_[-1].gradient_norm:.2g}. Raise max_iter, or bring the features to one scale."
    )

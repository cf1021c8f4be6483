"""The coordinate descent behind lasso and elastic net, for centred data (section 6.6).

P(w) = 1/2 |t - Aw|^2 + l1 |w|_1 + 1/2 l2 |w|^2
"""

import numpy as np

from mlteach.numerics import TALL, triangular_factor

ROUNDING = 10 * np.finfo(float).eps
JUMP = 5  # sweeps between two exact minimisations over the weights that are not zero


def coordinate_descent(A, t, l1, l2, w, *, tol, max_iter):
    """Return the states (w, objective, gap) before the first sweep and after each, until the gap is small.

    Parameters: ``A`` (n, p), ``t`` (n,), ``l1`` > 0, ``l2`` >= 0, start ``w`` (p,). The objective never rises.
    """
    columns = np.ascontiguousarray(A.T)
    curvature = np.sum(columns**2, axis=1)
    edges = (l1 + ROUNDING * np.sqrt(curvature * (t @ t))).tolist()  # up to here |z| is l1, but for rounding
    limit, rounding = scaled_gap(tol, t), ROUNDING * np.sqrt(curvature.max() * (t @ t))
    curvature = curvature.tolist()
    # 1. The start, and its distance from the minimum
    states = [_state(A, t, l1, l2, w, rounding)]
    while len(states) == 1 or (_gap(states[-1]) > limit and len(states) <= max_iter):
        w = states[-1][0].copy()
        if len(states) % JUMP == 0:
            # 2. Now and then: the exact minimum for these zeros and signs
            w = jump(A, t, l1, l2, w)
        r = t - A @ w
        for j, (x, c, edge) in enumerate(zip(columns, curvature, edges)):
            if c == 0:
                w[j] = 0  # a constant column explains nothing
                continue
            # 3. The best w_j, all others held fixed: a soft threshold
            old = float(w[j])
            z = float(x @ r) + c * old
            new = (z - l1 if z > edge else z + l1 if z < -edge else 0.0) / (c + l2)
            # 4. The residual follows
            if new != old:
                w[j] = new
                r -= (new - old) * x
        # 5. How far above the minimum at most?
        states.append(_state(A, t, l1, l2, w, rounding))
    # 6. With the zeros and signs right, the last jump is exact to rounding
    last = _state(A, t, l1, l2, jump(A, t, l1, l2, states[-1][0]), rounding)
    return [*states[:-1], min(states[-1], last, key=_gap)]


def few_rows(A, t):
    """Return p + 1 rows with the inner products of the n rows of (A, t), where n is so large that this is sooner.

    Nothing else enters the objective. They are the triangle R of (A, t) = QR, since R'R = (A, t)'(A, t).
    """
    n, p = A.shape
    if n < TALL * max(p, 8):
        return A, t
    R = triangular_factor(np.column_stack([A, t]))
    return R[:, :p], R[:, p]


def scaled_gap(tol, t):
    """Return the gap at which to stop: ``tol`` times the objective of w = 0."""
    return float(tol * 0.5 * (t @ t))


def duality_gap(l1, l2, w, r, g, rounding=0.0):
    """Return P(w) minus the dual objective at s r, where s <= 1 makes the residual r feasible: |s g_j| <= l1.

    g = A'r - l2 w is minus the gradient of the smooth part, known to within ``rounding``. The gap is 0 exactly at the
    minimum: 1/2 (1 - s)^2 (|r|^2 + l2 |w|^2) + sum_j (l1 |w_j| - s g_j w_j), each term of which is >= 0
    """
    steepest = np.abs(g).max()
    s = 1.0 if steepest <= l1 + rounding else l1 / steepest
    return float(0.5 * (1 - s) ** 2 * (r @ r + l2 * (w @ w)) + max(l1 * np.abs(w).sum() - s * (g @ w), 0.0))


def jump(A, t, l1, l2, w):
    """Return the minimum over the weights that are not zero, their signs kept; a weight that would change sign stops.

    On one set of signs s the objective is quadratic: (A'A + l2 I) w = A't - l1 s for the columns in use. Where these
    are dependent it is linear along some z with Az = 0: then go downhill along z until a weight is zero.
    """
    w = w.copy()
    for _ in range(np.count_nonzero(w)):
        used = np.flatnonzero(w)
        s = np.sign(w[used])
        # 1. The way to the minimum of the quadratic, and how much of it to go
        step, longest = _way(A[:, used], t, l1, l2, w[used], s)
        # 2. Go, but no further than to where the first weight reaches zero
        falling = step * s < 0
        share = np.min(-w[used][falling] / step[falling], initial=longest)
        w[used] += share * step
        w[used[falling & (w[used] * s <= 1e-15 * np.abs(share * step))]] = 0.0
        if share == longest:
            break
    return w


def _way(B, t, l1, l2, w, s):
    """Return the step to the minimum and 1, or for dependent columns a direction of no return and infinity."""
    if l2:
        B, t = np.vstack([B, np.sqrt(l2) * np.eye(len(w))]), np.append(t, np.zeros(len(w)))
    R, z = triangular_factor(B, t)
    diagonal = np.abs(np.diag(R))
    if len(diagonal) < len(w) or diagonal.min() <= diagonal.max() * max(B.shape) * np.finfo(float).eps:
        still = np.linalg.svd(R)[2][-1]
        return (-still if s @ still > 0 else still), np.inf
    return np.linalg.solve(R, z - l1 * np.linalg.solve(R.T, s)) - w, 1.0


def _state(A, t, l1, l2, w, rounding):
    r = t - A @ w
    g = A.T @ r - l2 * w
    objective = float(0.5 * (r @ r) + l1 * np.abs(w).sum() + 0.5 * l2 * (w @ w))
    return w, objective, duality_gap(l1, l2, w, r, g, rounding)


def _gap(state):
    return state[2]

"""What the solvers and `smo_pair` ask of multipliers, and what they do about rounding."""

from math import inf

import numpy as np

from mlteach.validation import as_vector, check_number

TAU = 1e-12  # stands in for a curvature of zero, as between two copies of one point


def check_pair(alpha_i, alpha_j, t_i, t_j, E_i, E_j, eta, C):
    """Refuse what is no pair of feasible multipliers; a good pair costs half a microsecond."""
    try:
        if 0 <= alpha_i <= C and 0 <= alpha_j <= C < inf and t_i * t_i == 1 == t_j * t_j:
            if 0 < C and -inf < E_i < inf and -inf < E_j < inf and -inf < eta < inf:
                return
    except (TypeError, ValueError):
        pass
    C = check_number(C, "C", low=0, open_low=True)
    for name, value in {"E_i": E_i, "E_j": E_j, "eta": eta}.items():
        check_number(value, name)
    for name, value in {"alpha_i": alpha_i, "alpha_j": alpha_j}.items():
        check_number(value, name, low=0, high=C)
    raise ValueError(f"t_i and t_j must be +1 or -1; got {t_i!r} and {t_j!r}.")


def on_bound(a, C):
    """Undo rounding that leaves a multiplier a hair from its bound."""
    if a < 1e-15 * C:
        return 0.0
    return float(C) if a > C - 1e-15 * C else float(a)


def as_bounded(alpha, low, high, *, name="alpha", length=None, like="X"):
    """Return ``alpha`` as a vector inside [low, high]; a bound missed by rounding (alpha * (C / C_old)) is met."""
    alpha = as_vector(alpha, name, length=length, like=like)
    if alpha.min() < low - 1e-9 * high or alpha.max() > high + 1e-9 * high:
        raise ValueError(
            f"{name} must lie in [{low:g}, {high:g}]; it runs from {alpha.min():g} to {alpha.max():g}. "
            f"After a change of C use {name} * (new C / old C)."
        )
    hair = 1e-12 * high
    return np.where(alpha < low + hair, low, np.where(alpha > high - hair, high, alpha))


def as_start(alpha, s, low, high, total, *, like="X"):
    """Return ``alpha`` as a feasible start: inside [low, high], with the sum of s * alpha equal to ``total``."""
    alpha = as_bounded(alpha, low, high, length=len(s), like=like)
    if abs(s @ alpha - total) > 1e-7 * max(1.0, high) * len(s):
        raise ValueError(f"alpha must satisfy sum(sign * alpha) = {total:g}; the sum is {s @ alpha:g}.")
    return alpha

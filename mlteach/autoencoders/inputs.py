"""What the nets of this chapter ask of their data: one scale for all features, ink in 0..1.

Shared by the nets of sections 23.2 to 23.8, where the formulas are.
"""

import numpy as np

from mlteach.numerics import centre


def common_scale(X):
    """Return one scale for all features: the root of their mean variance, 1 for constant data.

    >>> round(common_scale(np.array([[0.0, 0.0], [2.0, 0.0]])), 4)
    0.7071
    """
    scale = float(np.sqrt((centre(X)[0] ** 2).mean()))
    return scale if scale > 1e-150 else 1.0


def is_ink(X):
    """Return True if all entries lie in 0..1, as sigmoid outputs do."""
    return X.min() >= 0 and X.max() <= 1


def refuse_outside(X):
    """Raise if a sigmoid could not copy some entry of ``X``."""
    if not is_ink(X):
        raise ValueError(
            f"sigmoid outputs copy numbers between 0 and 1; X goes from {X.min():g} to {X.max():g}. "
            f"Scale X, or use output='identity'."
        )

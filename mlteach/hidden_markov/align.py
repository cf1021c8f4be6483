"""States have no names: two models are compared only after their states are matched (section 31.8)."""

import numpy as np

from mlteach.validation import as_vector


def align_states(reference, other):
    """Return the order (S,) in which ``other``'s states match those of ``reference``: state i there is order[i] here.

    Both are HMMs (their emissions are compared, by the sum of absolute differences), or both are sequences of states
    (T,) (the times at which they agree are counted).

    >>> align_states([0, 0, 1, 1, 2], [2, 2, 0, 0, 1]).tolist()
    [2, 0, 1]
    """
    if hasattr(reference, "law") and hasattr(other, "law"):
        a, b = reference.law.features(), other.law.features()
        if a.shape != b.shape:
            raise ValueError(f"both models must have the same states and symbols; got {a.shape} and {b.shape}.")
        return _cheapest(np.abs(a[:, None] - b[None]).sum(axis=2))
    a = as_vector(reference, "reference").astype(int)
    b = as_vector(other, "other", length=len(a), like="reference").astype(int)
    if min(a.min(), b.min()) < 0:
        raise ValueError(f"states must not be negative; got {min(a.min(), b.min())}.")
    together = np.zeros((max(a.max(), b.max()) + 1,) * 2)
    np.add.at(together, (a, b), 1)
    return _cheapest(-together)


def _cheapest(cost):
    """Return the column for each row such that the sum of the costs is least and no column is taken twice."""
    from scipy.optimize import linear_sum_assignment

    return linear_sum_assignment(cost)[1]

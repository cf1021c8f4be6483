"""Consistent learners of conjunctions: what the PAC bound promises and what happens (section 25.5).

Inputs are d bits, uniform. A conjunction asks each bit to be 1, to be 0, or does not mind: there are 3^d of them.
"""

from functools import lru_cache
from itertools import product
from typing import NamedTuple

import numpy as np

from mlteach.validation import as_rng, check_integer, check_number


class ConsistentRuns(NamedTuple):
    """True errors of two consistent learners, one entry per sample."""

    find_s: np.ndarray  # (runs,) the most specific conjunction that covers the positive examples
    worst: np.ndarray  # (runs,) the consistent conjunction with the largest true error


def consistent_runs(d, n_literals, n, n_runs, rng=0):
    """Draw ``n_runs`` samples of ``n`` examples; return the true errors of Find-S and of the worst consistent choice.

    d            number of bits, at most 6: all 3^d conjunctions are kept
    n_literals   the target asks the first ``n_literals`` bits to be 1
    """
    n, n_runs = check_integer(n, "n", low=1), check_integer(n_runs, "n_runs", low=1)
    says, errors, target = _language(d, n_literals)
    seen = np.zeros((n_runs, says.shape[1]), dtype=bool)
    np.put_along_axis(seen, as_rng(rng).integers(says.shape[1], size=(n_runs, n)), True, axis=1)

    # A conjunction is consistent if it disagrees with the target on no input that was seen
    disagree = says != target
    consistent = disagree.astype(np.float32) @ seen.T.astype(np.float32) == 0  # (3^d, runs)
    # Find-S: of the consistent ones that cover all positives seen, the one that covers least; none seen: it says no
    size = says.sum(axis=1)
    smallest = np.where(consistent, size[:, None], size.max() + 1).argmin(axis=0)
    positives = (seen & target).any(axis=1)
    find_s = np.where(positives, errors[smallest], target.mean())
    return ConsistentRuns(find_s, np.where(consistent, errors[:, None], 0).max(axis=0))


def union_bound(d, n_literals, n, epsilon):
    """Return Σ (1 - error)^n over all conjunctions with an error above ``epsilon``, as in (25.8) but exact errors.

    There are ``d`` attributes; the truth has ``n_literals`` literals, and ``n`` examples are drawn.

    >>> round(union_bound(5, 2, 40, 0.1), 3)
    0.033
    """
    n, epsilon = check_integer(n, "n", low=0), check_number(epsilon, "epsilon", low=0, high=1)
    _, errors, _ = _language(d, n_literals)
    return float(((1 - errors[errors > epsilon + 1e-12]) ** n).sum())


@lru_cache(maxsize=32)
def _language(d, n_literals):
    """Return what each conjunction says on each input (3^d, 2^d), its true error, and the target's labels."""
    d = check_integer(d, "d", low=1, high=6, why="all 3**d conjunctions are kept")
    L = check_integer(n_literals, "n_literals", low=0, high=d)
    X = np.array(list(product((0, 1), repeat=d)))
    asks = np.array(list(product((0, 1, 2), repeat=d)))  # 0 or 1: this value; 2: any
    says = ((asks[:, None] == 2) | (asks[:, None] == X)).all(axis=2)
    target = X[:, :L].all(axis=1)
    return says, (says != target).mean(axis=1), target

"""Growth functions: the most labellings that a family can make of n points, and Sauer's limit (section 25.8)."""

import math
from functools import lru_cache
from itertools import permutations

import numpy as np

from mlteach.learning_theory.shattering import FAMILIES, _in_boxes, all_labels
from mlteach.validation import check_choice, check_integer

VC_DIMENSION = {
    "rays": 1,
    "intervals": 2,
    "two intervals": 4,
    "lines": 3,
    "circles": 3,
    "circles or outside": 4,
    "rectangles": 4,
    "convex": math.inf,
}


def sauer(n, vc):
    """Return Sauer's limit C(n, 0) + C(n, 1) + ... + C(n, VC) on the number of labellings of n points (25.15).

    ``vc`` is the VC dimension.

    >>> sauer(4, 3), sauer(10, 3)
    (15, 176)
    """
    n, vc = check_integer(n, "n", low=0), check_integer(vc, "vc", low=0)
    return sum(math.comb(n, k) for k in range(min(n, vc) + 1))


def growth_function(n, family):
    """Return the most labellings that the family makes of any n points, on the line or in the plane, exactly.

    Closed forms, but for rectangles: there only the order of the points along both axes matters, and all orders are
    tried, for n up to 7. `dichotomies` counts the same on given points.

    >>> [growth_function(n, "lines") for n in range(1, 7)]
    [2, 4, 8, 14, 22, 32]
    """
    family = check_choice(family, "family", FAMILIES)
    n = check_integer(n, "n", low=1, high=7 if family == "rectangles" else None, why="all orders of n points are tried")
    if family == "convex":
        return 2**n
    if family == "rectangles":
        return _rectangles(n)
    if family == "lines":
        return 2 * sauer(n - 1, 2)
    if family == "circles or outside":
        return 2 * sauer(n - 1, 3)
    return sauer(n, VC_DIMENSION[family])


@lru_cache(maxsize=16)
def _rectangles(n):
    """Try all orders: along x the points are 0, ..., n - 1, along y a permutation; its mirror images count alike."""
    labels = all_labels(n)
    best = 0
    for order in permutations(range(n)):
        if order[0] <= order[-1]:
            best = max(best, int(_in_boxes(np.column_stack([range(n), order]).astype(float), labels).sum()))
        if best == 2**n:
            break
    return best

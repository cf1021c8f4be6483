"""Merge the two nearest clusters until K are left: agglomerative clustering (section 21.8)."""

import numpy as np

from mlteach.clustering.squares import squared_distances
from mlteach.numerics import squarable
from mlteach.validation import as_matrix, check_choice, check_integer

LINKAGES = ("single", "complete", "average")


def agglomerate(X, k, linkage="single"):
    """Start with every point alone, merge the two nearest clusters until ``k`` are left; return the labels (n,).

    The distance of two clusters is that of their nearest points ("single"), of their farthest ("complete"), or the mean
    over all pairs ("average"). Labels are numbered by the first point of each cluster. Memory grows with n^2, time
    with n^3 at worst: for some thousand points at most.

    >>> agglomerate([[0.0], [1.0], [2.1], [7.0]], 2).tolist()
    [0, 0, 0, 1]
    """
    X = squarable(as_matrix(X))
    n = len(X)
    k = check_integer(k, "k", low=1, high=n, why=f"X has {n} rows")
    check_choice(linkage, "linkage", LINKAGES)
    D = np.sqrt(squared_distances(X, X))
    np.fill_diagonal(D, np.inf)
    size, label = np.ones(n), np.arange(n)
    for _ in range(n - k):
        # 1. The two nearest clusters; each is known by its first point
        a, b = sorted(np.unravel_index(np.argmin(D), D.shape))
        # 2. The distance of the union from each other cluster
        if linkage == "single":
            row = np.minimum(D[a], D[b])
        elif linkage == "complete":
            row = np.maximum(D[a], D[b])
        else:
            row = (size[a] * D[a] + size[b] * D[b]) / (size[a] + size[b])
        # 3. The second goes into the first
        row[a] = np.inf
        D[a], D[:, a] = row, row
        D[b], D[:, b] = np.inf, np.inf
        size[a] += size[b]
        label[label == b] = a
    return np.unique(label, return_inverse=True)[1]

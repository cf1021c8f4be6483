"""Merge the two nearest clusters until one is left: agglomerative clustering and its tree (section 21.8)."""

from typing import NamedTuple

import numpy as np

from mlteach.clustering.squares import squared_distances
from mlteach.numerics import squarable
from mlteach.validation import as_matrix, check_choice, check_integer

LINKAGES = ("single", "complete", "average", "ward")


class Merge(NamedTuple):
    """One merge of the tree; a cluster is known by the number of its first point."""

    first: int  # the cluster that stays
    second: int  # the cluster that goes into it
    height: float  # their distance


def merge_tree(X, linkage="single"):
    """Start with every point alone and merge the two nearest clusters until one is left; return the n - 1 merges.

    The distance of two clusters is that of their nearest points ("single"), of their farthest ("complete"), the mean
    over all pairs ("average"), or the root of twice what their union adds to J ("ward"): two single points are then
    as far apart as they are. Memory grows with n^2, time with n^3: for some thousand points at most.

    ``linkage`` is one of these names.

    >>> merge_tree([[0.0], [1.0], [3.0]], "complete")
    [Merge(first=0, second=1, height=1.0), Merge(first=0, second=2, height=3.0)]
    """
    X = squarable(as_matrix(X))
    check_choice(linkage, "linkage", LINKAGES)
    D = squared_distances(X, X)
    if linkage != "ward":
        D = np.sqrt(D)
    np.fill_diagonal(D, np.inf)
    size, merges = np.ones(len(X)), []
    for _ in range(len(X) - 1):
        # 1. The two nearest clusters; each is known by its first point
        a, b = sorted(map(int, np.unravel_index(np.argmin(D), D.shape)))
        height = float(D[a, b])
        # 2. The distance of the union from each other cluster
        if linkage == "single":
            row = np.minimum(D[a], D[b])
        elif linkage == "complete":
            row = np.maximum(D[a], D[b])
        elif linkage == "average":
            row = (size[a] * D[a] + size[b] * D[b]) / (size[a] + size[b])
        else:
            row = ((size[a] + size) * D[a] + (size[b] + size) * D[b] - size * height) / (size[a] + size[b] + size)
        # 3. The second goes into the first
        row[a] = np.inf
        D[a], D[:, a] = row, row
        D[b], D[:, b] = np.inf, np.inf
        size[a] += size[b]
        merges.append(Merge(a, b, height**0.5 if linkage == "ward" else height))
    return merges


def agglomerate(X, k, linkage="single"):
    """Merge the two nearest clusters until ``k`` are left, see `merge_tree`; return the labels (n,).

    Labels are numbered by the first point of each cluster.

    ``linkage`` is what the distance of two clusters is, as there.

    >>> agglomerate([[0.0], [1.0], [2.1], [7.0]], 2).tolist()
    [0, 0, 0, 1]
    """
    X = as_matrix(X)
    n = len(X)
    k = check_integer(k, "k", low=1, high=n, why=f"X has {n} rows")
    label = np.arange(n)
    for merge in merge_tree(X, linkage)[: n - k]:
        label[label == merge.second] = merge.first
    return np.unique(label, return_inverse=True)[1]

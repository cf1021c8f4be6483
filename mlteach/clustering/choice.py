"""How many clusters, and how good they are: elbow, silhouette, agreement of two groupings (section 21.7)."""

import warnings

import numpy as np

from mlteach.clustering.kmeans import KMeans
from mlteach.clustering.squares import squared_distances
from mlteach.numerics import squarable
from mlteach.validation import ConvergenceWarning, as_labels, as_matrix, as_rng, check_integer

CHUNK = 2_000_000  # entries of the distance matrix that are held at a time


def elbow(X, ks, rng=0):
    """Return the distortion of k-means for each K of ``ks``, an array (len(ks),).

    Each K is tried from k-means++ starts, and from the centres of the K before it with the farthest points added, so
    that the distortion never rises with K.

    >>> elbow([[0.0], [1.0], [8.0], [9.0]], [1, 2, 4]).tolist()
    [65.0, 1.0, 0.0]
    """
    X, rng = as_matrix(X), as_rng(rng)
    ks = [check_integer(k, "ks", low=1, high=len(X), why=f"X has {len(X)} rows") for k in np.atleast_1d(ks).tolist()]
    if not ks:
        raise ValueError("ks is empty; give the numbers of clusters to try, such as range(1, 9).")
    found, centers = {}, None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # equal points leave clusters empty: the distortion is 0
        for k in sorted(set(ks)):
            runs = [KMeans(k, rng=rng, history=False).fit(X)]
            if centers is not None:
                runs.append(KMeans(k, init=_grown(X, centers, k), history=False).fit(X))
            best = min(runs, key=lambda run: run.distortion_)
            found[k], centers = best.distortion_, best.centers_
    return np.array([found[k] for k in ks])


def _grown(X, centers, k):
    """Return ``centers`` and more, each the point that is then farthest from all of them."""
    while len(centers) < k:
        far = np.argmax(squared_distances(X, centers).min(axis=1))
        centers = np.vstack([centers, X[far]])
    return centers


def silhouette_values(X, labels):
    """Return for each point how much nearer it is to its own cluster than to the next one, (n,) from -1 to 1.

        s_i = (b_i - a_i) / max(a_i, b_i)                             (21.19)

    a_i is the mean distance to the other points of its cluster, b_i the least mean distance to another cluster; a point
    that is alone in its cluster gets 0. ``labels`` are 2 to n - 1 different ones, of any kind.

    >>> silhouette_values([[0.0], [1.0], [5.0]], [0, 0, 1]).tolist()
    [0.8, 0.75, 0.0]
    """
    X = squarable(as_matrix(X))
    n = len(X)
    classes, z = as_labels(labels, "labels", length=n)
    K = len(classes)
    if K >= n:
        raise ValueError(f"labels must hold 2 to n - 1 = {n - 1} clusters; got {K}: every point is alone.")
    onehot, n_k = np.eye(K)[z], np.bincount(z)
    means = np.empty((n, K))  # mean distance of each point to each cluster, itself left out
    step = max(1, CHUNK // n)
    for i in range(0, n, step):
        means[i : i + step] = np.sqrt(squared_distances(X[i : i + step], X)) @ onehot
    rows = np.arange(n)
    own = means[rows, z] / np.maximum(n_k[z] - 1, 1)
    means /= n_k
    means[rows, z] = np.inf
    next_one = means.min(axis=1)
    top = np.maximum(own, next_one)
    return np.where((n_k[z] > 1) & (top > 0), (next_one - own) / np.where(top > 0, top, 1), 0.0)


def silhouette(X, labels):
    """Return the mean silhouette of a grouping, see `silhouette_values`.

    ``labels`` (n,) say which group each row of X is in.

    >>> round(silhouette([[0.0], [1.0], [5.0], [6.0]], ["a", "a", "b", "b"]), 4)
    0.798
    """
    return float(silhouette_values(X, labels).mean())


def adjusted_rand(a, b):
    """Return how far two groupings of n things agree about pairs: 1 for the same groups, 0 on average by chance.

    With n_kl things in group k of ``a`` and l of ``b``, and pairs(m) = m (m - 1) / 2:

        index = sum pairs(n_kl),  expected = sum pairs(n_k.) sum pairs(n_.l) / pairs(n)
        R = (index - expected) / ( (sum pairs(n_k.) + sum pairs(n_.l)) / 2 - expected )

    >>> adjusted_rand([0, 0, 1, 1], ["x", "x", "y", "y"]), round(adjusted_rand([0, 0, 1, 1], [0, 1, 0, 1]), 6)
    (1.0, -0.5)
    """
    (_, i), (_, j) = as_labels(a, "a", min_classes=1), as_labels(b, "b", min_classes=1)
    if len(i) != len(j):
        raise ValueError(f"a and b must group the same things; a has {len(i)} labels, b has {len(j)}.")
    table = np.zeros((i.max() + 1, j.max() + 1))
    np.add.at(table, (i, j), 1)
    index, rows, columns, everything = (_pairs(t) for t in (table, table.sum(axis=1), table.sum(axis=0), len(i)))
    expected = rows * columns / everything if everything else 0.0
    top = (rows + columns) / 2
    return 1.0 if top == expected else float((index - expected) / (top - expected))


def _pairs(counts):
    counts = np.asarray(counts, dtype=float)
    return float((counts * (counts - 1) / 2).sum())

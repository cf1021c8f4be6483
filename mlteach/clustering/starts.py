"""Where k-means starts: K points at random, or spread out by k-means++ (section 21.2)."""

import numpy as np

from mlteach.numerics import squarable
from mlteach.validation import as_matrix, as_rng, check_integer

MANY = 10_000  # from so many points on a better start pays for the candidates it takes


def kmeans_plus_plus(X, k, rng=0, trials=1):
    """Draw K points as first centres, each new one with a probability proportional to D(x)^2.

    P(next centre = x_i) = D(x_i)^2 / sum_j D(x_j)^2,   D(x) the distance to the nearest centre so far   (21.4)

    Returns centres (K, d). Where all points left coincide with centres, the next one is any point. With ``trials`` > 1
    it is greedy: so many candidates are drawn for each new centre; the one that leaves the least sum of D^2 is kept.

    ``k`` is the K.

    >>> kmeans_plus_plus([[0.0], [0.0], [7.0]], 2, rng=1).tolist()
    [[0.0], [7.0]]
    """
    X = squarable(as_matrix(X))
    return _spread(X, _checked(k, X), as_rng(rng), check_integer(trials, "trials", low=1))


def _spread(X, k, rng, trials=1):
    centers = np.empty((k, X.shape[1]))
    # 1. The first centre: any point
    centers[0] = X[rng.integers(len(X))]
    D = np.square(X - centers[0]).sum(axis=1)
    for j in range(1, k):
        # 2. The next centre: a far point is likely, a centre impossible
        total = np.cumsum(D)
        drawn = [np.searchsorted(total, rng.random() * total[-1], side="right") for _ in range(trials)]
        candidates = X[drawn] if total[-1] > 0 else X[-1:]
        # 3. The distance to the nearest centre; of several candidates the best
        left = [np.minimum(D, np.square(X - c).sum(axis=1)) for c in candidates]
        best = min(range(len(left)), key=lambda i: left[i].sum())
        centers[j], D = candidates[best], left[best]
    return centers


def random_centers(X, k, rng=0):
    """Draw K different rows of ``X`` (n, d) as first centres (K, d), all equally likely.

    ``k`` is the K.

    >>> sorted(random_centers([[1.0], [2.0], [3.0]], 3).ravel().tolist())
    [1.0, 2.0, 3.0]
    """
    X = as_matrix(X)
    return _any(X, _checked(k, X), as_rng(rng))


def _any(X, k, rng):
    return X[rng.choice(len(X), k, replace=False)]


def _spread_widely(X, k, rng):
    """Draw centres by k-means++; for many points, where an iteration is dear, by its greedy form."""
    return _spread(X, k, rng, trials=1 if len(X) < MANY else 2 + int(np.log(k)))


STARTS = {"k-means++": _spread_widely, "random": _any}  # for data that have been checked


def _checked(k, X):
    return check_integer(k, "k", low=1, high=len(X), why=f"X has {len(X)} rows")

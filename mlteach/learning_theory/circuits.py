"""Radon's theorem as an algorithm: the smallest sets of points whose two halves cannot be cut apart.

A family of shapes is turned into half-spaces through the origin: a point x becomes a vector v(x), and a labelling with
signs t is possible if some w has t_i w·v_i > 0 for all i. If none has, Gordan's theorem gives weights λ >= 0 with
Σ λ_i t_i v_i = 0, and the smallest such sets are *circuits*: vectors that are dependent although no part of them is.
So a labelling fails exactly if it splits some circuit as the circuit's own signs do (section 25.7).
"""

from itertools import combinations

import numpy as np

TOL = 1e-9  # relative to vectors of length one


def circuits(V):
    """Return the sign vectors (c, n) of all circuits of the rows of ``V`` (n, D): +1 and -1 on the circuit, else 0.

    A row stands for its opposite, too. Points 0, 1, 3 on a line, as vectors (1, x): one is between the others.

    >>> circuits(np.array([[1.0, 0], [1, 1], [1, 3]])).tolist()
    [[1, -1, 1]]
    """
    V = V / np.maximum(np.linalg.norm(V, axis=1, keepdims=True), 1e-300)
    n, D = V.shape
    found = []
    for size in range(1, min(n, D + 1) + 1):
        sets = np.array(list(combinations(range(n), size)))
        U, s, Wt = np.linalg.svd(V[sets].transpose(0, 2, 1))  # columns are the vectors of a set
        s = np.pad(s, ((0, 0), (0, size - s.shape[1])))
        weights = Wt[:, -1]
        # dependent in one way only, and every member takes part
        minimal = (s[:, -1] <= TOL) & (s[:, -2] > TOL if size > 1 else True) & (abs(weights) > TOL).all(axis=1)
        signs = np.zeros((minimal.sum(), n), dtype=int)
        np.put_along_axis(signs, sets[minimal], np.sign(weights[minimal]).astype(int), axis=1)
        found.append(signs * signs[np.arange(len(signs)), sets[minimal][:, 0]][:, None] if len(signs) else signs)
    return np.concatenate(found)


def splits(C, T):
    """Return whether each labelling in ``T`` (m, n) of signs splits each circuit in ``C`` (c, n): shape (m, c)."""
    score = T @ C.T
    return abs(score) == abs(C).sum(axis=1)


def inside_cone(V, t):
    """Return some w with t_i w·v_i > 0 for every row of ``V``, or None: the sum of the extreme rays of that cone."""
    A = t[:, None] * V / np.linalg.norm(V, axis=1, keepdims=True)
    _, s, axes = np.linalg.svd(A)
    rank = int((s > TOL).sum())
    axes = axes[:rank]  # within the span of the vectors the cone has a tip
    A = A @ axes.T
    if rank == 1:
        rays = np.array([[1.0], [-1.0]])
    else:
        edges = A[np.array(list(combinations(range(len(A)), rank - 1)))]
        _, s, null = np.linalg.svd(edges)
        rays = null[s[:, -1] > TOL, -1]
        rays = np.concatenate([rays, -rays])
    rays = rays[(rays @ A.T >= -TOL).all(axis=1)]
    if len(rays) == 0:
        return None
    _, first = np.unique(rays.round(6), axis=0, return_index=True)
    w = rays[first].sum(axis=0)
    return axes.T @ w if (A @ w > TOL).all() else None

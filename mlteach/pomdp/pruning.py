"""Which vectors of a set matter: pointwise dominance, geometry for two states, linear programs (section 32.6)."""

import numpy as np

from mlteach.validation import as_array, check_choice

METHODS = ("auto", "pointwise", "geometry", "program")
MANY = 40  # lines from which those far below are left out first
TIE = 1e-9  # what a vector must add somewhere, as a share of the largest number, to be kept


def prune(vectors, method="auto"):
    """Return the vectors that are the largest somewhere: an array (k, S), or a list where `AlphaVector`s were given.

    ``method``: "pointwise" leaves out what one other vector dominates (too few), "geometry" finds the upper envelope
    of lines (two states), "program" asks a linear program for each vector; "auto" takes geometry where it can.

    >>> prune([[0, 10], [10, 0], [4, 4], [3, 3]]).tolist(), prune([[0, 10], [10, 0], [4, 4]], "pointwise").tolist()
    ([[0.0, 10.0], [10.0, 0.0]], [[0.0, 10.0], [10.0, 0.0], [4.0, 4.0]])
    """
    items = list(vectors)
    named = bool(items) and hasattr(items[0], "vector")
    array = as_array([item.vector for item in items] if named else vectors, "vectors")
    if array.ndim != 2:
        raise ValueError(f"vectors must have shape (n, S): a row for each vector; got {array.shape}.")
    kept = useful(array, method)
    return [items[i] for i in kept] if named else array[kept]


def useful(vectors, method="auto"):
    """Return the places of the vectors (n, S) that `prune` keeps, in their order; of equal ones the first.

    ``method``: "pointwise" leaves out what a single other one dominates, "geometry" (two states) and "program" (linear
    programs) all that is nowhere best; "auto" takes the quicker of these two.
    """
    check_choice(method, "method", METHODS)
    S = vectors.shape[1]
    if method == "geometry" and S != 2:
        raise ValueError(f"geometry prunes lines over one probability: two states; got {S}. Use 'program'.")
    if method == "pointwise":
        return undominated(vectors)
    if method == "geometry" or (method == "auto" and S == 2):
        return envelope(vectors)
    return by_program(vectors)


def slack(vectors):
    """Return how much a vector must add somewhere to be kept."""
    return TIE * max(1.0, float(np.abs(vectors).max()))


def undominated(vectors):
    """Return the places of the vectors that no single other one reaches in every state."""
    tol, kept = slack(vectors), []
    for i in np.argsort(-vectors.sum(axis=1), kind="stable"):  # who dominates has the larger sum, so it comes first
        if not kept or not (vectors[kept] >= vectors[i] - tol).all(axis=1).any():
            kept.append(int(i))
    return sorted(kept)


def envelope(vectors):
    """Return the places of the lines that form the upper envelope over p = b(second state), from 0 to 1.

    Sorted by slope, a line matters if it lies above the point where its two neighbours cross.
    """
    if len(vectors) > MANY:
        near = _near_the_top(vectors)
        return [int(near[i]) for i in envelope(vectors[near])] if len(near) < len(vectors) else _walk(vectors)
    return _walk(vectors)


def _near_the_top(vectors):
    """Leave out lines that cannot matter: between two places they lie under the crossing of the best lines there."""
    p = np.linspace(0, 1, 65)
    best = np.unique(np.argmax(vectors[:, :1] * (1 - p) + vectors[:, 1:] * p, axis=0))
    best = best[np.argsort(vectors[best, 1] - vectors[best, 0], kind="stable")]
    (a, b), (e, f) = vectors[best[:-1]].T, vectors[best[1:]].T
    with np.errstate(divide="ignore", invalid="ignore"):
        x = np.nan_to_num(np.clip((a - e) / ((f - e) - (b - a)), 0, 1))
    height = np.maximum(a + x * (b - a), e + x * (f - e))
    reach = (vectors[:, :1] * (1 - x) + vectors[:, 1:] * x >= height).any(axis=1)
    reach[best] = True
    return np.flatnonzero(reach)


def _walk(vectors):
    """Return the envelope, line after line."""
    tol, left, slope = slack(vectors), vectors[:, 0], vectors[:, 1] - vectors[:, 0]
    start = np.flatnonzero(left >= left.max() - tol)
    kept = [int(start[np.argmax(slope[start])])]  # the best line at p = 0
    for i in np.argsort(slope, kind="stable"):
        if slope[i] <= slope[kept[-1]] + tol:  # parallel, or it falls more steeply than the first one
            if left[i] <= left[kept[-1]] + tol:
                continue
            kept.pop()  # the lower of two parallels
        while len(kept) > 1 and _lifts(vectors, kept[-2], kept[-1], i) <= tol:
            kept.pop()
        kept.append(int(i))
    while len(kept) > 1 and vectors[kept[-2], 1] >= vectors[kept[-1], 1] - tol:
        kept.pop()  # it would lead beyond p = 1 only
    return sorted(kept)


def _lifts(vectors, i, j, k):
    """Return how far line j lies above the point where i and k cross; their slopes rise."""
    (a, b), (c, d), (e, f) = vectors[i], vectors[j], vectors[k]
    p = (a - e) / ((f - e) - (b - a))
    return c + p * (d - c) - (a + p * (b - a))


def by_program(vectors):
    """Return the places of the vectors that are largest somewhere, by linear programs (Lark's filter).

    1. take a candidate;  2. look for a belief where it beats all that are kept;  3. none: drop it;
    4. else keep the best of all candidates at that belief, and go on.
    """
    tol, rest, kept = slack(vectors), undominated(vectors), []
    while rest:
        b = witness(vectors[rest[0]], vectors[kept], tol)
        if b is None:
            rest.pop(0)
            continue
        best = max(rest, key=lambda i: (vectors[i] @ b, *vectors[i]))
        kept.append(best)
        rest.remove(best)
    return sorted(kept)


def witness(vector, others, tol=0.0):
    """Return the belief (S,) at which ``vector`` beats every one of ``others`` by most, or None if it never does.

    maximise d  subject to  b . (vector - u) >= d for every u,  b >= 0,  sum b = 1        (32.10)
    """
    from scipy.optimize import linprog

    S = len(vector)
    if len(others) == 0:
        return np.eye(S)[int(np.argmax(vector))]
    scale = max(1.0, float(np.abs(others - vector).max()))  # keeps the program's own tolerance relative
    limits = np.column_stack([(others - vector) / scale, np.ones(len(others))])
    total = np.append(np.ones(S), 0.0)[None]
    bounds = [(0, None)] * S + [(None, None)]
    found = linprog(np.append(np.zeros(S), -1.0), limits, np.zeros(len(others)), total, [1.0], bounds, method="highs")
    return found.x[:S] if found.x[S] * scale > tol else None

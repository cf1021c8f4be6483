"""Shattering as a game: the points are placed, the family tries every labelling, and each failure has its reason.

As played in section 25.6: `dichotomies` counts the labellings that succeed, `shatters` says whether all do,
`witness` returns a shape that makes a labelling, `refusal` the points that forbid it. Families:

    "rays", "intervals", "two intervals"        on the line: points (n,) or (n, 1)
    "lines", "circles", "circles or outside",
    "rectangles", "convex"                      in the plane, and in any number of dimensions d: points (n, d)

"lines" are half-planes (half-spaces), "circles" are positive inside, "rectangles" have sides along the axes, and
"convex" means any convex set.
"""

from itertools import product
from typing import NamedTuple

import numpy as np

from mlteach.learning_theory.circuits import circuits, inside_cone, splits
from mlteach.validation import as_array, as_vector, check_choice

ON_A_LINE = {"rays": 1, "intervals": 2, "two intervals": 4}  # labels may change this often, seen from a negative end
FAMILIES = (*ON_A_LINE, "lines", "circles", "circles or outside", "rectangles", "convex")
MOST = 12


class Trial(NamedTuple):
    """All labellings of n points, and which of them the family can make."""

    labels: np.ndarray  # (2^n, n) of 0 and 1, counted in binary with the first point as the lowest digit
    possible: np.ndarray  # (2^n,) Boolean


class Refusal(NamedTuple):
    """Why a labelling is impossible: these positives and these negatives alone cannot be cut apart."""

    positive: tuple  # numbers of points
    negative: tuple
    kind: (
        str  # "same place", "between", "inside", "crossing", "chords", "one circle", "pierced", "box", "right", "runs"
    )


def dichotomies(points, family):
    """Return the number of labellings of the points that the family can make (25.11).

    >>> dichotomies([[0, 0], [1, 0], [0, 1], [1, 1]], "lines")
    14
    """
    return int(trial(points, family).possible.sum())


def shatters(points, family):
    """Return whether the family can make all 2^n labellings of the points.

    >>> shatters([[0, 0], [1, 0], [0, 1]], "lines"), shatters([[0, 0], [1, 1], [2, 2]], "lines")
    (True, False)
    """
    return bool(trial(points, family).possible.all())


def trial(points, family):
    """Try all 2^n labellings and return them with what became of each."""
    X, family = _points(points, family)
    labels = all_labels(len(X))
    T = 2 * labels - 1
    if family in ON_A_LINE:
        possible = _on_a_line(X[:, 0], labels, ON_A_LINE[family])
    elif family == "rectangles":
        possible = _in_boxes(X, labels)
    elif family == "convex":
        possible = ~_swallows(T, circuits(_vectors(X, "lines"))).any(axis=1)
    elif family == "circles":
        # the paraboloid's upward direction is one vector more, and always negative
        T = np.column_stack([T, np.full(len(T), -1)])
        possible = ~splits(circuits(_vectors(X, family)), T).any(axis=1)
    else:
        possible = ~splits(circuits(_vectors(X, family)), T).any(axis=1)
    return Trial(labels, possible)


def all_labels(n):
    """Return all 2^n labellings as rows of 0 and 1; the first point is the lowest binary digit.

    >>> all_labels(2).tolist()
    [[0, 0], [1, 0], [0, 1], [1, 1]]
    """
    return np.array(list(product((0, 1), repeat=n)))[:, ::-1]


def refusal(points, labels, family):
    """Return the reason why a labelling (n,) of 0 and 1 is impossible, a `Refusal`, or None if it is possible.

    ``points`` (n, d) carry the ``labels``; ``family`` as in `shatters`.

    >>> refusal([[0, 0], [1, 1], [1, 0], [0, 1]], [1, 1, 0, 0], "lines")
    Refusal(positive=(0, 1), negative=(2, 3), kind='crossing')
    """
    X, family = _points(points, family)
    y = _labels(labels, len(X))
    found = _line_reasons(X[:, 0], y, family) if family in ON_A_LINE else _reasons(X, y, family)
    return min(found, key=lambda r: (len(r.positive) + len(r.negative), r), default=None)


class Shape(NamedTuple):
    """A member of a family that makes a labelling: ``contains(X)`` says where it is positive."""

    family: str
    parameters: tuple

    def contains(self, X):
        """Return for each row of X whether the shape calls it positive."""
        return self.score(X) > 0

    def score(self, X):
        """Return a number for each row of X that is positive inside the shape, negative outside, 0 on its border."""
        X = np.asarray(X, dtype=float)
        if self.family == "nothing":
            return np.full(len(X), -1.0)
        if self.family in ON_A_LINE:
            return np.max([np.minimum(X[:, 0] - low, high - X[:, 0]) for low, high in self.parameters], axis=0)
        if self.family == "rectangles":
            low, high = self.parameters
            return np.minimum(X - low, high - X).min(axis=1)
        if self.family == "convex":
            outward, offset = self.parameters
            return (offset - X @ outward.T).min(axis=1)
        center, scale, w = self.parameters
        return _lift((X - center) / scale, self.family) @ w


def witness(points, labels, family):
    """Return a `Shape` of the family that is positive exactly where the labels are 1, or None if there is none.

    ``points`` (n, d) carry the labels.

    >>> witness([[0, 0], [1, 0], [0, 1]], [0, 1, 0], "lines").contains([[0.9, 0.0], [0.1, 0.1]])
    array([ True, False])
    """
    X, family = _points(points, family)
    y = _labels(labels, len(X))
    if refusal(X, y, family) is not None:
        return None
    pad = 0.12 * (np.ptp(X, axis=0).max() or 1.0)
    if not y.any() and family not in ("lines", "circles", "circles or outside"):
        return Shape("nothing", ())
    if family in ON_A_LINE:
        return Shape(family, _runs(X[:, 0], y, family, pad))
    if family == "rectangles":
        return Shape(family, _box(X, y, pad))
    if family == "convex":
        return Shape(family, _hull(X, y, pad))
    center, scale = _frame(X)
    t, V = 2.0 * y - 1, _lift((X - center) / scale, family)
    if family == "circles":
        V, t = np.vstack([V, np.eye(V.shape[1])[-1]]), np.append(t, -1.0)
    return Shape(family, (center, scale, inside_cone(V, t)))


# --- the reasons ---------------------------------------------------------------------------------------------------


def _reasons(X, y, family):
    """Return all refusals of a labelling of points in space."""
    t = 2 * y - 1
    if family == "rectangles":
        return _box_reasons(X, y)
    C = circuits(_vectors(X, "lines"))
    if family == "convex":
        return [_named(c * t, y, family) for c in C[_swallows(t[None], C)[0]]]
    if family == "lines":
        return [_named(c * t, y, family) for c in C[splits(C, t[None])[0]]]
    # circles: what forbids a convex set forbids a disc; else chords, or points on one circle
    found = [_named(c * t, y, family) for c in C[_swallows(t[None], C)[0]]] if family == "circles" else []
    V, signs = _vectors(X, family), np.append(t, -1) if family == "circles" else t
    C = circuits(V)
    return found + [_named((c * signs)[: len(X)], y, family) for c in C[splits(C, signs[None])[0]]]


def _named(split, y, family):
    """Return the refusal of a circuit, named by how many points stand on either side."""
    members = np.flatnonzero(split)
    positive = tuple(int(i) for i in members if y[i] == 1)
    negative = tuple(int(i) for i in members if y[i] == 0)
    sides = sorted((len(positive), len(negative)))
    names = {(1, 1): "same place", (1, 2): "between", (1, 3): "inside", (2, 2): "crossing", (2, 3): "pierced"}
    if family == "circles" and sides == [2, 2]:
        return Refusal(positive, negative, "chords")
    if family == "circles or outside" and sides == [2, 2]:
        return Refusal(positive, negative, "one circle")
    return Refusal(positive, negative, names.get(tuple(sides), "hulls meet"))


def _swallows(T, C):
    """Return for each labelling and circuit whether its positives enclose its one negative: no convex set does it."""
    split = splits(C, T)
    alone = np.zeros_like(split)
    for k, c in enumerate(C):
        for side in (1, -1):
            single, others = np.flatnonzero(c == side), np.flatnonzero(c == -side)
            if len(single) == 1:
                alone[:, k] |= (T[:, single[0]] == -1) & (T[:, others] == 1).all(axis=1)
    return split & alone


def _box_reasons(X, y):
    """Return a refusal for each negative point inside the box of the positives."""
    inside, where = X[y == 1], np.flatnonzero(y == 1)
    if not len(inside):
        return []
    low, high = inside.min(axis=0), inside.max(axis=0)
    ends = sorted({int(where[i]) for i in (*inside.argmin(axis=0), *inside.argmax(axis=0))})
    caught = ((X >= low) & (X <= high)).all(axis=1) & (y == 0)
    return [Refusal(_few(X, ends, X[i]), (int(i),), "box") for i in np.flatnonzero(caught)]


def _few(X, ends, x):
    """Return as few of the points ``ends`` as still have ``x`` in their box."""
    kept = list(ends)
    for i in ends:
        rest = [j for j in kept if j != i]
        if rest and ((X[rest].min(axis=0) <= x) & (x <= X[rest].max(axis=0))).all():
            kept = rest
    return tuple(kept)


def _line_reasons(x, y, family):
    """Return the refusals of a labelling of points on a line."""
    found = []
    for place in np.unique(x):
        here = np.flatnonzero(x == place)
        if len(set(y[here])) == 2:
            found.append(Refusal((int(here[y[here] == 1][0]),), (int(here[y[here] == 0][0]),), "same place"))
    if found:
        return found
    order = np.argsort(x, kind="stable")
    changes = [int(order[0])] if y[order[0]] == 1 else []
    changes += [int(b) for a, b in zip(order, order[1:]) if y[a] != y[b]]
    most = ON_A_LINE[family]
    if len(changes) <= most:
        return []
    first = changes[: most + 1]  # +, -, +, ...: one change too many
    kind = {"rays": "right", "intervals": "between"}.get(family, "runs")
    return [Refusal(tuple(i for i in first if y[i] == 1), tuple(i for i in first if y[i] == 0), kind)]


# --- the shapes ----------------------------------------------------------------------------------------------------


def _runs(x, y, family, pad):
    """Return the intervals (low, high) that hold the positives and nothing else."""
    places, first = np.unique(x, return_index=True)
    signs, runs = y[first], []
    middle = np.concatenate([[places[0] - pad], (places[:-1] + places[1:]) / 2, [places[-1] + pad]])
    for k, s in enumerate(signs):
        if s and (k == 0 or not signs[k - 1]):
            runs.append([middle[k], middle[k + 1]])
        elif s:
            runs[-1][1] = middle[k + 1]
    if family == "rays":
        runs = [[runs[0][0], np.inf]]
    return tuple(map(tuple, runs))


def _box(X, y, pad):
    """Return the corners of a box around the positives, with half the way to the nearest negative as a margin."""
    low, high = X[y == 1].min(axis=0), X[y == 1].max(axis=0)
    beyond = np.maximum(low - X[y == 0], X[y == 0] - high).max(axis=1)  # Chebyshev's distance of each negative
    margin = min(pad, beyond.min() / 2) if len(beyond) else pad
    return low - margin, high + margin


def _hull(X, y, pad):
    """Return outward normals and offsets of a convex set around the positives: a cut against every negative."""
    inside, outside = X[y == 1], X[y == 0]
    normals = np.vstack([np.eye(X.shape[1]), -np.eye(X.shape[1])])
    offsets = [(inside @ a).max() + pad for a in normals]
    for x in outside:
        both = np.vstack([inside, x])
        cut = witness(both, np.append(np.ones(len(inside)), 0), "lines")
        middle, scale, w = cut.parameters
        a = -w[1:] / scale
        normals = np.vstack([normals, a])
        offsets.append(w[0] + a @ middle)
    return normals, np.array(offsets)


# --- from points to vectors ----------------------------------------------------------------------------------------


def _frame(X):
    """Return centre and scale that bring the points into the unit box."""
    return (X.max(axis=0) + X.min(axis=0)) / 2, np.ptp(X, axis=0).max() / 2 or 1.0


def _lift(Z, family):
    """Return (1, x) for half-spaces, (1, x, |x|²) for circles."""
    columns = [np.ones(len(Z)), *Z.T]
    return np.column_stack(columns if family == "lines" else [*columns, (Z**2).sum(axis=1)])


def _vectors(X, family):
    center, scale = _frame(X)
    V = _lift((X - center) / scale, family)
    return np.vstack([V, np.eye(V.shape[1])[-1]]) if family == "circles" else V


def _on_a_line(x, labels, most):
    """Return which labellings change at most ``most`` times from left to right, starting from a negative."""
    places, index = np.unique(x, return_inverse=True)
    ones = np.zeros((len(labels), len(places)), dtype=int)
    np.add.at(ones, (slice(None), index), labels)
    copies = np.bincount(index)
    agree = ((ones == 0) | (ones == copies)).all(axis=1)
    signs = np.column_stack([np.zeros(len(labels), dtype=int), (ones > 0).astype(int)])
    return agree & (abs(np.diff(signs, axis=1)).sum(axis=1) <= most)


def _in_boxes(X, labels):
    """Return which labellings leave no negative inside the box of the positives."""
    chosen = labels[:, :, None] == 1
    low = np.where(chosen, X, np.inf).min(axis=1)
    high = np.where(chosen, X, -np.inf).max(axis=1)
    caught = ((X >= low[:, None]) & (X <= high[:, None])).all(axis=2)
    return ~(caught & (labels == 0)).any(axis=1)


def _points(points, family):
    family = check_choice(family, "family", FAMILIES)
    X = as_array(points, "points")
    if X.ndim == 1:
        X = X[:, None]
    if X.ndim != 2:
        raise ValueError(f"points must have shape (n, d), or (n,) on a line; got {X.shape}.")
    if family in ON_A_LINE and X.shape[1] != 1:
        raise ValueError(f"{family} take points on a line, of shape (n,) or (n, 1); got {X.shape}.")
    if len(X) > MOST:
        raise ValueError(f"at most {MOST} points, for all 2**n labellings are tried; got {len(X)}.")
    return _snapped(X), family


def _snapped(X):
    """Return the points with coordinates that differ by rounding only made equal: 0.1 + 0.2 and 0.3 are one place."""
    X, close = X.copy(), 1e-9 * (np.ptp(X, axis=0).max() or 1.0)
    for column in X.T:
        order = np.argsort(column, kind="stable")
        for a, b in zip(order, order[1:]):
            if column[b] - column[a] <= close:
                column[b] = column[a]
    return X


def _labels(labels, n):
    y = as_vector(labels, "labels", length=n, like="points")
    if not np.isin(y, (0, 1)).all():
        raise ValueError(f"labels must hold 0 and 1 only; got {y[~np.isin(y, (0, 1))][0]:g}.")
    return y.astype(int)

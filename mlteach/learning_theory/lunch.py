"""No free lunch, by counting: the accuracy on unseen points, averaged over every function there is.

It is one half for every learner, as section 25.2 proves; then that section tilts the average.
"""

from itertools import product

import numpy as np

from mlteach.validation import as_array, check_integer


def no_free_lunch(learner, n_points, n_train, *, train=None, weight=None):
    """Return the mean accuracy on unseen points over all Boolean functions on ``n_points`` points (25.1).

    learner    ``learner(xs, ys)`` gets training points and their labels 0 or 1, and returns a function of x
    n_train    how many points are shown: 0, ..., n_train - 1, or those listed in ``train``
    weight     ``weight(labels)`` is the weight of a function, given as its tuple of labels; all equal if None

    >>> no_free_lunch(lambda xs, ys: lambda x: 1, 4, 2)
    0.5
    """
    n = check_integer(n_points, "n_points", low=1, high=16, why="2**n_points functions are tried")
    k = check_integer(n_train, "n_train", low=0, high=n - 1, why="one point at least must be unseen")
    seen = list(range(k)) if train is None else _places(train, n, k)
    unseen = [x for x in range(n) if x not in seen]
    rest = np.array(list(product((0, 1), repeat=len(unseen))))

    # 1. Every way to label the training points; 2. what the learner makes of it
    total = right = 0
    for ys in product((0, 1), repeat=k):
        h = learner(list(seen), list(ys))
        if not callable(h):
            raise ValueError(f"learner must return a function of x; it returned {h!r}.")
        answers = np.array([_answer(h, x) for x in unseen])
        # 3. Count the right answers on every way to go on
        counts = (rest == answers).sum(axis=1)
        weights = _weights(weight, seen, ys, unseen, rest, n)
        total, right = total + weights.sum(), right + weights @ counts
    if not total > 0:
        raise ValueError("weight gives no function a weight above 0.")
    return float(right / (total * len(unseen)))


def smooth_weight(tilt):
    """Return a weight that prefers smooth functions: exp(-tilt · number of changes along the line).

    >>> round(smooth_weight(1.0)((0, 0, 1, 1)), 3)
    0.368
    """
    return lambda labels: float(np.exp(-tilt * np.count_nonzero(np.diff(labels))))


def majority(xs, ys):
    """A learner: everywhere the more frequent label, 1 if they are even.

    ``xs`` are the places of the training points, ``ys`` their labels 0 and 1.
    """
    answer = int(2 * sum(ys) >= len(ys))
    return lambda x: answer


def nearest(xs, ys):
    """A learner: the label of the nearest training point, the left one of two.

    ``xs`` are the places of the training points, ``ys`` their labels 0 and 1.
    """
    return lambda x: ys[min(range(len(xs)), key=lambda i: (abs(xs[i] - x), xs[i]))] if xs else 1


def contrary(xs, ys):
    """A learner: the opposite of the nearest neighbour's label.

    ``xs`` are the places of the training points, ``ys`` their labels 0 and 1.
    """
    h = nearest(xs, ys)
    return lambda x: 1 - h(x)


def _weights(weight, seen, ys, unseen, rest, n):
    if weight is None:
        return np.ones(len(rest), dtype=int)
    labels = np.zeros((len(rest), n), dtype=int)
    labels[:, seen], labels[:, unseen] = ys, rest
    weights = as_array([weight(tuple(row)) for row in labels.tolist()], "weight")
    if (weights < 0).any():
        raise ValueError(f"weight must not be negative; got {weights.min():g}.")
    return weights


def _places(train, n, k):
    if not hasattr(train, "__iter__"):
        raise ValueError(f"train must list the points that are shown; got {train!r}.")
    places = [check_integer(x, "train", low=0, high=n - 1) for x in train]
    if len(set(places)) != k or len(places) != k:
        raise ValueError(f"train must list n_train={k} different points; got {places}.")
    return places


def _answer(h, x):
    answer = h(x)
    if np.ndim(answer) != 0 or answer not in (0, 1):
        raise ValueError(f"the learner's function must answer 0 or 1; at x = {x} it answers {answer!r}.")
    return int(answer)

"""CART as the lecture has it: try every question, ask the best, go on with both answers (sections 12.7.1 and 12.7.3).

A set of samples is X (n, d), y (n,), the classes 0, 1, ... or numbers, and w (n,), their weights, all 1 as a rule. A
loss is a function of y and w.

Nothing is saved here: every threshold looks at all samples of its node again. `DecisionTreeClassifier` and
`DecisionTreeRegressor` use `_fast.py`, which asks the same questions.
"""

from typing import NamedTuple

import numpy as np

TIE = 1e-10  # decreases that differ by less than this share of the loss are equal: the first feature wins, then the
# smallest threshold, and not the last bit


class Split(NamedTuple):
    """The question x_j <= c, and the decrease D of the loss by it."""

    feature: int
    threshold: float
    gain: float


class Leaf(NamedTuple):
    """The samples that nobody asks any further: their most common class, or their mean, is the answer."""

    y: np.ndarray
    w: np.ndarray


class Branch(NamedTuple):
    """A question, and what is grown from the samples with either answer."""

    split: Split
    yes: tuple
    no: tuple


def grow(X, y, w, loss, *, max_depth=np.inf, min_leaf=1, min_gain=0.0):
    """Return the tree that grows from a set of samples: a `Leaf`, or a `Branch` with two smaller trees.

    >>> from mlteach.decision_trees import gini
    >>> tree = grow(np.array([[1.0], [2.0], [3.0]]), np.array([0, 0, 1]), np.ones(3), class_loss(gini))
    >>> tree.split.threshold, tree.yes.y.tolist(), tree.no.y.tolist()
    (2.5, [0, 0], [1])
    """
    # 1. Stop where all agree, and where no question is left or good enough
    if y.min() == y.max() or max_depth == 0:
        return Leaf(y, w)
    split = best_split(X, y, w, loss, min_leaf)
    if split is None or split.gain < min_gain:
        return Leaf(y, w)
    # 2. Part the samples by the answer, and go on with either part
    yes = X[:, split.feature] <= split.threshold
    below, above = (
        grow(X[part], y[part], w[part], loss, max_depth=max_depth - 1, min_leaf=min_leaf, min_gain=min_gain)
        for part in (yes, ~yes)
    )
    return Branch(split, below, above)


def best_split(X, y, w, loss, min_leaf=1):
    """Return the `Split` with the largest decrease of the loss, the first of equals; None if nothing can be asked.

    >>> best_split(np.array([[1], [2], [3], [4]]), np.array([0, 1, 5, 6]), np.ones(4), variance)
    Split(feature=0, threshold=2.5, gain=6.25)
    """
    # 1. Every feature, every threshold
    questions = [(j, c) for j in range(X.shape[1]) for c in thresholds(X[:, j], min_leaf)]
    if not questions:
        return None
    # 2. What each takes from the loss                                   (12.6)
    gains = np.array([decrease(y, w, X[:, j] <= c, loss) for j, c in questions])
    # 3. The best of them; rounding is no gain, and no loss
    best, slack = gains.max(), TIE * loss(y, w)
    j, c = questions[np.argmax(gains >= best - slack)]
    return Split(j, c, float(best) if best > slack else 0.0)


def thresholds(x, min_leaf=1):
    """Return the middles between neighbouring values of x (n,) that leave ``min_leaf`` samples on both sides.

    >>> thresholds(np.array([4.0, 1.0, 2.0, 2.0]))
    [1.5, 3.0]
    """
    x, n = np.sort(x), len(x)
    a, b = x[min_leaf - 1 : n - min_leaf], x[min_leaf : n - min_leaf + 1]
    a, b = a[a < b], b[a < b]
    middle = a / 2 + b / 2
    return np.where(middle < b, middle, a).tolist()  # two neighbours may have no double between them


def decrease(y, w, yes, loss):
    """Return D = L(S) - |S_yes|/|S| L(S_yes) - |S_no|/|S| L(S_no) (12.6), where |S| is the sum of the weights."""
    parts = [(y[part], w[part]) for part in (yes, ~yes)]
    return loss(y, w) - sum(w_part.sum() * loss(y_part, w_part) for y_part, w_part in parts) / w.sum()


def class_loss(impurity):
    """Return the loss of a set of classes by their counts, for `gini`, `entropy` or `misclassification`.

    ``impurity`` is one of these three.
    """
    return lambda y, w: impurity(np.bincount(y, weights=w))


def variance(y, w):
    """Return the mean squared distance of numbers from their mean, the loss (12.11)."""
    return np.average((y - np.average(y, weights=w)) ** 2, weights=w)

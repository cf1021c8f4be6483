"""The search of `grow.py`, made fast: all nodes of one depth at a time, all thresholds of a node at once.

Every feature is sorted once. Inside a node the points stay in that order, so the sums over "all points left of a
threshold" are differences of one cumulative sum: all thresholds of all features in all nodes of a level are judged
by a few operations on arrays. So a forest's trees can grow side by side.
"""

import heapq
from typing import NamedTuple

import numpy as np

from mlteach.decision_trees.grow import TIE


class Criterion(NamedTuple):
    """What a split is judged by: functions of sums over samples (..., s), class counts or w, w y, w y^2."""

    weight: object
    impurity: object


class Limits(NamedTuple):
    """When to stop."""

    max_depth: int | None = None
    min_leaf: int = 1
    max_nodes: int | None = None
    min_gain: float = 0.0


class Draw(NamedTuple):
    """What is left to chance: each node tries ``n_tried`` features, with the best thresholds or with random ones."""

    n_tried: int
    at_random: bool
    rng: np.random.Generator


class Arrays(NamedTuple):
    """A tree, one entry per node; the root is 0, children come after their parents, a leaf has left = right = -1."""

    left: np.ndarray
    right: np.ndarray
    feature: np.ndarray
    threshold: np.ndarray
    gain: np.ndarray  # decrease D of the impurity by the split, 0 in a leaf
    statistics: np.ndarray  # sums over the samples of the node
    impurity: np.ndarray


class Splits(NamedTuple):
    """The best split of each node of a level; its gain is -inf where there is none."""

    feature: np.ndarray
    threshold: np.ndarray
    gain: np.ndarray


def grow_levels(X, y, statistics, criterion, limits, draw, root=None):
    """Return the `Arrays` of a tree on points X (n, d) with targets y (n,).

    ``statistics`` (n, s) are what the criterion sums over the samples of a node. Several trees are grown side by side
    where ``root`` (n,) says in which of the roots 0, 1, 2, ... each point starts.
    """
    n = len(X)
    node = np.zeros(n, dtype=int) if root is None else np.array(root)  # the node in which each point is
    order = np.arange(n)[None] if draw.at_random else np.argsort(X, axis=0, kind="stable").T
    # (d, n): the points by node, and inside a node by the feature; for random thresholds (1, n), in no special order
    order = np.take_along_axis(order, np.argsort(node[order], axis=1, kind="stable"), axis=1)
    levels, first, depth = [], 0, 0  # first: the number of the first node of a level
    while order.size:
        starts = np.flatnonzero(np.diff(node[order[0]], prepend=-1))
        sizes = np.diff(starts, append=order.shape[1])
        sums = np.add.reduceat(statistics[order[0]], starts, axis=0)
        # 1. Find the best split of each node that is neither pure, nor too small, nor too deep
        here = y[order[0]]
        mixed = np.minimum.reduceat(here, starts) < np.maximum.reduceat(here, starts)
        ready = mixed & (sizes >= 2 * limits.min_leaf) & (limits.max_depth is None or depth < limits.max_depth)
        split = Splits(np.zeros(len(sizes), dtype=int), np.zeros(len(sizes)), np.full(len(sizes), -np.inf))
        if ready.any():
            asked = order[:, np.repeat(ready, sizes)]
            find, asked = (random_splits, asked[0]) if draw.at_random else (best_splits, asked)
            found = find(X, statistics, criterion, asked, sums[ready], sizes[ready], limits.min_leaf, draw)
            for values, new in zip(split, found):
                values[ready] = new
        # 2. Number the children
        accepted = split.gain >= limits.min_gain
        left, right = np.full((2, len(sizes)), -1)
        left[accepted], right[accepted] = first + len(sizes) + np.arange(2 * accepted.sum()).reshape(-1, 2).T
        levels.append((left, right, *split[:2], np.where(accepted, split.gain, 0.0), sums))
        # 3. Send the points down; those in leaves have arrived
        order = order[:, np.repeat(accepted, sizes)]
        rows = order[0]
        place = node[rows] - first
        below = X[rows, split.feature[place]] <= split.threshold[place]
        node[rows] = np.where(below, left[place], right[place])
        order = np.take_along_axis(order, np.argsort(node[order], axis=1, kind="stable"), axis=1)
        first, depth = first + len(sizes), depth + 1
    *parts, sums = (np.concatenate(part) for part in zip(*levels))
    tree = Arrays(*parts, sums, criterion.impurity(sums))
    return tree if limits.max_nodes is None else _best_first(tree, criterion.weight(sums), limits.max_nodes)


def best_splits(X, statistics, criterion, order, sums, sizes, min_leaf, draw):
    """Return the best split of every node; ``order`` (d, n) lists the points of one node after the other's."""
    starts, ends = np.cumsum(sizes) - sizes, np.cumsum(sizes) - 1
    position, segment = np.arange(order.shape[1]), np.repeat(np.arange(len(sizes)), sizes)
    # 1. The m features that each node tries (nodes, m), and their sorted values x (m, n)
    tried = _tried(X, order, starts, ends, draw.n_tried, draw.rng)
    columns = tried[segment].T
    points = order[columns, position]
    x = X[points, columns]
    nexts = np.concatenate([x[:, 1:], x[:, -1:]], axis=1)
    # 2. A cut after a position is possible if the next value differs and both sides are large enough
    before = position - starts[segment] + 1
    possible = (before >= min_leaf) & (sizes[segment] - before >= min_leaf) & (x < nexts)
    if draw.at_random:
        low, high = x[:, starts], x[:, ends]
        drawn = (low + (high - low) * draw.rng.random(low.shape))[:, segment]
        possible &= (x <= drawn) & (drawn < nexts)
    # 3. The sums left of each cut, what remains for the right, and the decrease of impurity
    slot, at = np.nonzero(possible)
    running = np.cumsum(statistics[points], axis=1)
    running = np.concatenate([np.zeros_like(running[:, :1]), running], axis=1)
    S, L = sums[segment[at]], running[slot, at + 1] - running[slot, starts[segment[at]]]
    gain = np.full(x.shape, -np.inf)
    gain[slot, at] = decrease(criterion, S, L, S - L)
    # 4. The best cut of each node: of equals the first feature, then the smallest threshold
    best = np.maximum.reduceat(gain.max(axis=0), starts)
    slack = TIE * criterion.impurity(sums)
    enough = (best - slack)[segment]
    first = np.minimum.reduceat(np.where(possible & (gain >= enough), position, len(position)), starts, axis=1)
    nodes, slot = np.arange(len(sizes)), np.argmax(first < len(position), axis=0)
    at = np.minimum(first[slot, nodes], ends)  # a node without any possible cut keeps its gain of -inf
    a, b = x[slot, at], nexts[slot, at]
    middle = np.where(a / 2 + b / 2 < b, a / 2 + b / 2, a)
    best[np.isfinite(best) & (best <= slack)] = 0  # rounding is no gain, and no loss
    return Splits(tried[nodes, slot], drawn[slot, at] if draw.at_random else middle, best)


def random_splits(X, statistics, criterion, rows, sums, sizes, min_leaf, draw):
    """Return what `best_splits` does for drawn thresholds; ``rows`` (n,) has the points of one node after another.

    One threshold a feature needs no sorted values, only the least and the largest of each node.
    """
    starts, segment = np.cumsum(sizes) - sizes, np.repeat(np.arange(len(sizes)), sizes)
    # 1. The m features that each node tries (nodes, m), their values x, and a threshold for each
    x = X[rows].T  # (d, n), or (m, n) below
    low, high = (ufunc.reduceat(x, starts, axis=1) for ufunc in (np.minimum, np.maximum))
    tried = _among(low == high, draw.n_tried, draw.rng)
    nodes = np.arange(len(sizes))
    low, high = low[tried.T, nodes], high[tried.T, nodes]
    drawn = low + (high - low) * draw.rng.random(low.shape)
    left = x[tried.T[:, segment], np.arange(len(rows))] <= drawn[:, segment]
    # 2. The sums on both sides, and the decrease of impurity where both are large enough
    before = np.add.reduceat(left, starts, axis=1, dtype=int)
    possible = (before >= min_leaf) & (sizes - before >= min_leaf) & (before > 0) & (before < sizes)
    L = np.stack([np.add.reduceat(column * left, starts, axis=1) for column in statistics[rows].T], axis=-1)
    gain = np.full(low.shape, -np.inf)
    slot, at = np.nonzero(possible)
    gain[slot, at] = decrease(criterion, sums[at], L[slot, at], sums[at] - L[slot, at])
    # 3. The best feature of each node, the first of equals
    best = gain.max(axis=0)
    slack = TIE * criterion.impurity(sums)
    slot = np.argmax(possible & (gain >= best - slack), axis=0)
    best[np.isfinite(best) & (best <= slack)] = 0  # rounding is no gain, and no loss
    return Splits(tried[nodes, slot], drawn[slot, nodes], best)


def decrease(criterion, S, L, R):
    """Return I(S) - |L|/|S| I(L) - |R|/|S| I(R) for rows of sums."""
    weight, impurity = criterion
    return impurity(S) - (weight(L) * impurity(L) + weight(R) * impurity(R)) / weight(S)


def _tried(X, order, starts, ends, m, rng):
    """Return the features that each node may split by (nodes, m): all, or m drawn from those that vary in it."""
    d = len(order)
    feature = np.arange(d)[:, None]
    return _among(X[order[:, starts], feature] == X[order[:, ends], feature], m, rng)


def _among(constant, m, rng):
    """Return m features for each node (nodes, m), drawn from those that are not ``constant`` (d, nodes) if possible."""
    d, nodes = constant.shape
    if m == d:
        return np.tile(np.arange(d), (nodes, 1))
    return np.sort(np.argsort(rng.random((nodes, d)) + constant.T, axis=1)[:, :m], axis=1)


def _best_first(tree, weight, max_nodes):
    """Return the tree with only those splits that a search which always takes the largest |S| D next would reach."""
    kept, n_nodes = np.zeros(len(weight), dtype=bool), 1
    heap = [(0.0, 0)]
    while heap and n_nodes + 2 <= max_nodes:
        _, i = heapq.heappop(heap)
        if tree.left[i] >= 0:
            kept[i] = True
            n_nodes += 2
            for child in (int(tree.left[i]), int(tree.right[i])):
                heapq.heappush(heap, (-round(weight[child] * tree.gain[child], 9), child))
    left, right = np.where(kept, tree.left, -1), np.where(kept, tree.right, -1)
    return tree._replace(left=left, right=right)

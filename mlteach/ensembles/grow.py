"""All trees of a forest at once, level by level.

One tree asks for hundreds of small sums. A hundred trees on the same level ask for the same sums a hundred times, so
all nodes of a level are split together: samples lie in one long row, node by node, and running sums along the row
give every candidate split of every node of every tree. A tree grown so is the tree of chapter 12, Gini impurity, grown
until its leaves are pure.
"""

from typing import NamedTuple

import numpy as np


class Trees(NamedTuple):
    """The nodes of all trees in one table, level by level; node t is the root of tree t."""

    feature: np.ndarray  # (N,), the feature asked for; 0 in a leaf
    threshold: np.ndarray  # (N,), x[feature] > threshold goes right; inf in a leaf
    left: np.ndarray  # (N,), the left child, the right one follows it; a leaf is its own left child
    counts: np.ndarray  # (N, K), the weight of each class among the training samples of the node

    def leaves(self, X, tree, sample):
        """Return the leaf of each pair: row ``sample`` of X (n, d) goes down ``tree``; both (P,)."""
        node = np.array(tree)
        below = np.arange(len(node))
        while len(below):
            at = node[below]
            node[below] = self.left[at] + (X[sample[below], self.feature[at]] > self.threshold[at])
            below = below[node[below] != at]
        return node

    def says(self, X, n_trees):
        """Return the index of the class that each tree names for each row of X, (n_trees, n)."""
        tree, sample = np.divmod(np.arange(n_trees * len(X)), len(X))
        return self.counts.argmax(axis=1)[self.leaves(X, tree, sample)].reshape(n_trees, len(X))


class Level(NamedTuple):
    """The samples that have reached the open nodes of a level, node by node."""

    sample: np.ndarray  # (P,), row of X
    node: np.ndarray  # (P,), rising: 0 for the first open node of the level
    weight: np.ndarray  # (P,)


class Split(NamedTuple):
    """The best split of each open node; score -inf where it has none."""

    feature: np.ndarray
    threshold: np.ndarray
    score: np.ndarray


def grow(X, index, K, weights, rng, *, n_features, search, max_depth=None, min_leaf=1):
    """Return the `Trees` grown from ``weights`` (n_trees, n): how often each tree has drawn each sample.

    Each node looks at ``n_features`` random features, of those that vary among its samples. ``search`` finds the best
    threshold of one feature per node: `best_thresholds` or `random_thresholds`.
    """
    tree, sample = np.nonzero(weights)
    level = Level(sample, tree, weights[tree, sample].astype(float))
    ranks = np.apply_along_axis(lambda x: np.unique(x, return_inverse=True)[1], 0, X)
    table, n_nodes, width, depth = [], len(weights), len(weights), 0
    while width:
        # 1. Count the classes of every node
        counts = np.bincount(level.node * K + index[level.sample], level.weight, width * K).reshape(width, K)
        total = counts.sum(axis=1)
        # 2. Open nodes are impure and large enough
        is_open = (counts.max(axis=1) < total) & (total >= 2 * min_leaf) & (max_depth is None or depth < max_depth)
        feature, threshold = np.zeros(width, dtype=int), np.full(width, np.inf)
        number = np.where(is_open, np.cumsum(is_open) - 1, -1)[level.node]
        level = Level(level.sample[number >= 0], number[number >= 0], level.weight[number >= 0])
        splits = is_open
        if len(level.node):
            # 3. The best split of each among some random features
            best = _best_split(X, ranks, index, level, counts[is_open], rng, n_features, search, min_leaf)
            found = np.isfinite(best.score)
            splits = is_open.copy()
            splits[is_open] = found
            feature[splits], threshold[splits] = best.feature[found], best.threshold[found]
            level = _go_down(X, level, best, found)
        # 4. Their children are the next level
        here = np.arange(n_nodes - width, n_nodes)
        left = np.where(splits, n_nodes + 2 * (np.cumsum(splits) - 1), here)
        table.append((feature, threshold, left, counts))
        width = 2 * int(splits.sum())
        n_nodes, depth = n_nodes + width, depth + 1
    return Trees(*(np.concatenate(column) for column in zip(*table, strict=True)))


def _best_split(X, ranks, index, level, counts, rng, n_features, search, min_leaf):
    width, d = len(counts), X.shape[1]
    start = np.searchsorted(level.node, np.arange(width))
    # 1. Features in random order, those that do not vary last
    R = ranks[level.sample]
    constant = np.minimum.reduceat(R, start) == np.maximum.reduceat(R, start)
    chosen = np.argsort(rng.random((width, d)) + constant, axis=1)[:, :n_features]
    best = Split(np.zeros(width, dtype=int), np.full(width, np.inf), np.full(width, -np.inf))
    for feature in chosen.T:
        # 2. The best threshold of one feature per node; the first of equals stays
        threshold, score = search(X, ranks, index, level, counts, start, feature, rng, min_leaf)
        better = score > best.score + 1e-12 * np.abs(score)
        best = Split(*(np.where(better, new, old) for new, old in zip((feature, threshold, score), best, strict=True)))
    return best


def best_thresholds(X, ranks, index, level, counts, start, feature, rng, min_leaf):
    """Return for each node the threshold of its ``feature`` with the purest halves, and its score."""
    node, asked = level.node, feature[level.node]
    # 1. Sort the samples of each node by the feature
    order = np.argsort(node * len(X) + ranks[level.sample, asked], kind="stable")
    sample, weight, rank = level.sample[order], level.weight[order], ranks[level.sample, asked][order]
    # 2. Running sums of the classes: what lies left of each place
    left = np.cumsum(np.where(index[sample][:, None] == np.arange(counts.shape[1]), weight[:, None], 0.0), axis=0)
    before = np.vstack([np.zeros((1, counts.shape[1])), left])[start]
    left -= before[node]
    # 3. Score every place between two different values of one node
    end = np.append(node[1:] != node[:-1], True)
    score = purity(left, counts[node] - left, min_leaf)
    score[end | (rank == np.append(rank[1:], -1))] = -np.inf
    # 4. The best place of each node, the first of equals
    best = np.maximum.reduceat(score, start)
    hits = np.flatnonzero(score == best[node])
    place = hits[np.append(True, node[hits][1:] != node[hits][:-1])]
    after = np.minimum(place + 1, len(sample) - 1)
    return middle(X[sample[place], feature], X[sample[after], feature]), best


def random_thresholds(X, ranks, index, level, counts, start, feature, rng, min_leaf):
    """Return for each node a random threshold in the range of its ``feature``, and its score."""
    x = X[level.sample, feature[level.node]]
    low, high = np.minimum.reduceat(x, start), np.maximum.reduceat(x, start)
    u = rng.random(len(low))
    threshold = np.minimum((1 - u) * low + u * high, np.nextafter(high, low))
    # What lies left of it
    K, goes_left = counts.shape[1], x <= threshold[level.node]
    where = level.node[goes_left] * K + index[level.sample[goes_left]]
    left = np.bincount(where, level.weight[goes_left], counts.size).reshape(counts.shape)
    return threshold, np.where(low < high, purity(left, counts - left, min_leaf), -np.inf)


def purity(left, right, min_leaf):
    """Return sum_k l_k^2 / l + sum_k r_k^2 / r for class weights (P, K) of two halves: largest where Gini is least."""
    n_left, n_right = left.sum(axis=1), right.sum(axis=1)
    least = max(min_leaf, 1e-300)
    possible = (n_left >= least) & (n_right >= least)
    with np.errstate(divide="ignore", invalid="ignore"):
        score = (left**2).sum(axis=1) / n_left + (right**2).sum(axis=1) / n_right
    return np.where(possible, score, -np.inf)


def middle(low, high):
    """Return the middle of two numbers, or the lower one if rounding makes it reach the higher."""
    m = low / 2 + high / 2
    return np.where((low <= m) & (m < high), m, low)


def _go_down(X, level, best, found):
    """Return the next level: each sample in the left or the right child of its node, children in order."""
    goes_on = found[level.node]
    sample, node, weight = level.sample[goes_on], level.node[goes_on], level.weight[goes_on]
    right = X[sample, best.feature[node]] > best.threshold[node]
    child = 2 * (np.cumsum(found) - 1)[node] + right
    order = np.argsort(child, kind="stable")
    return Level(sample[order], child[order], weight[order])

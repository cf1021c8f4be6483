"""CART: trees of thresholds x_j <= c, for classes and for numbers (sections 12.7.3 and 12.7.4).

The tree is stored as arrays, one entry per node; ``nodes_`` shows the same as objects.
"""

import math

import numpy as np

from mlteach.base import Estimator
from mlteach.decision_trees._fast import Criterion, Draw, Limits, grow_levels
from mlteach.decision_trees.impurity import CRITERIA
from mlteach.decision_trees.nodes import Node, Tree
from mlteach.numerics import one_hot, squarable
from mlteach.parameters import Choice, Maybe, Real, Whole
from mlteach.validation import as_vector, check_integer

TINY = 1e-200  # rounding may leave nothing, or less, of the weight on the right of a cut


class FeatureCount:
    """A number of features: a whole number from 1 to d, "sqrt" for the root of d rounded down, None for all d."""

    def check(self, value, name, sizes):
        """Return how many they are."""
        if value is None:
            return sizes.d
        if isinstance(value, str):
            if value != "sqrt":
                raise ValueError(f"{name} must be a whole number, 'sqrt' or None for all; got {value!r}.")
            return math.isqrt(sizes.d)
        return check_integer(value, name, low=1, high=sizes.d, why="the number of features")


class ThresholdTree(Tree, Estimator):
    """What both trees of thresholds share: growing, and walking down."""

    any_size = True
    params = {
        "max_depth": Maybe(Whole(0)),
        "min_leaf": Whole(1),
        "max_nodes": Maybe(Whole(1)),
        "min_gain": Real(0),
        "max_features": FeatureCount(),
        "thresholds": Choice("best", "random"),
    }

    def fit(self, X, y, sample_weight=None, feature_names=None):
        """Grow the tree on X (n, d) and y (n,), with a weight for each sample (n,) if given; return self."""
        return self._fit(X, y, feature_names=feature_names, sample_weight=sample_weight)

    def _grow(self, X, y, statistics, criterion):
        """Grow the arrays of the tree from the points that have a weight."""
        limits = Limits(self.max_depth, self.min_leaf, self.max_nodes, self.min_gain)
        draw = Draw(self.max_features, self.thresholds == "random", self.rng)
        return grow_levels(X, y, statistics, criterion, limits, draw)

    @property
    def nodes_(self):
        """The nodes as a dict from number to `Node`, parents before their children."""
        t, nodes, queue = self.tree_, {}, [(0, 0)]
        weights, values = self._weights_and_values()
        for i, depth in queue:
            inner = t.left[i] >= 0
            node = Node(depth, t.statistics[i], values[i], weights[i], float(t.impurity[i]))
            if inner:
                j, c = int(t.feature[i]), float(t.threshold[i])
                node.feature, node.threshold, node.gain = j, c, float(t.gain[i])
                node.children[self._condition(j, "<=", c)] = int(t.left[i])
                node.children[self._condition(j, ">", c)] = int(t.right[i])
                queue += [(int(t.left[i]), depth + 1), (int(t.right[i]), depth + 1)]
            nodes[i] = node
        return nodes

    def apply(self, X):
        """Return the number of the leaf of each row (n,)."""
        return self._leaves(self._points(X))

    def paths(self, X):
        """Return whether each row passes each node, 1 or 0 (n, number of nodes), in the order of ``nodes_``."""
        X, nodes = self._points(X), self.nodes_
        reach = np.zeros((len(X), len(nodes)))
        place = {number: k for k, number in enumerate(nodes)}
        reach[:, 0] = 1
        for number, node in nodes.items():
            for condition, child in node.children.items():
                reach[:, place[child]] = reach[:, place[number]] * condition.holds(X)
        return reach

    def _leaves(self, X):
        """Walk all rows down the tree, one level at a time."""
        t, at, walking = self.tree_, np.zeros(len(X), dtype=int), np.arange(len(X))
        while len(walking):
            walking = walking[t.left[at[walking]] >= 0]
            i = at[walking]
            down_left = X[walking, t.feature[i]] <= t.threshold[i]
            at[walking] = np.where(down_left, t.left[i], t.right[i])
        return at

    @property
    def feature_importances_(self):
        """What each feature takes from the loss, sum of |S| D over the nodes that ask it, as a share of all (d,)."""
        self._require_fit()
        weights = np.array(self._weights_and_values()[0])
        return importances(self.tree_, weights, self.n_features_in_)[0]

    def _cut(self, numbers):
        left, right = self.tree_.left.copy(), self.tree_.right.copy()
        left[list(numbers)] = right[list(numbers)] = -1
        self.tree_ = self.tree_._replace(left=left, right=right)


def importances(tree, weight, d, n_trees=1):
    """Return for each of the trees in one table the share of each feature in the decrease of the loss (n_trees, d)."""
    taken, at = np.zeros((n_trees, d)), np.arange(n_trees)
    root = at
    while len(at):
        inner = tree.left[at] >= 0
        at, root = at[inner], root[inner]
        np.add.at(taken, (root, tree.feature[at]), weight[at] * tree.gain[at])
        at, root = np.concatenate([tree.left[at], tree.right[at]]), np.concatenate([root, root])
    total = taken.sum(axis=1, keepdims=True)
    return np.divide(taken, total, out=np.zeros_like(taken), where=total > 0)


class DecisionTreeClassifier(ThresholdTree):
    """A tree for classes: each inner node asks x_j <= c, each leaf answers with its most common class.

    Split  the (j, c) with the largest decrease  D of the loss (12.6), with c half way between two neighbouring values
    Leaf   P(C_k | x) = share of class k in the leaf of x

    Parameters
    ----------
    criterion : the loss: "gini", "entropy" or "misclassification"
    max_depth : longest path, None for any
    min_leaf : least number of points in a leaf
    max_nodes : largest number of nodes, None for any; the splits that take most impurity away are kept
    min_gain : least decrease D of a split
    max_features : how many features each split may choose from, drawn at random; a number, None for all, or "sqrt"
    thresholds : "best", or "random": one uniform threshold for each feature, as in extremely randomised trees
    rng : seed or Generator of the random choices

    Attributes
    ----------
    classes_ (K,); tree_, the arrays of the tree; nodes_, the same as a dict from number to `Node`.

    >>> model = DecisionTreeClassifier().fit([[1.0], [2.0], [3.0], [4.0]], ["a", "a", "b", "b"])
    >>> print(model.text())
    x1 <= 2.5: a (2)
    x1 > 2.5: b (2)
    """

    task = "classification"
    params = {**ThresholdTree.params, "criterion": Choice(*CRITERIA)}

    def __init__(
        self,
        criterion="gini",
        max_depth=None,
        min_leaf=1,
        max_nodes=None,
        *,
        min_gain=0.0,
        max_features=None,
        thresholds="best",
        rng=0,
    ):
        self.criterion, self.max_depth, self.min_leaf, self.max_nodes = criterion, max_depth, min_leaf, max_nodes
        self.min_gain, self.max_features, self.thresholds, self.rng = min_gain, max_features, thresholds, rng

    def learn(self, X, y, sample_weight=None):
        """Grow the tree by the counts of the classes, in which a sample counts as much as it weighs."""
        weights, kept = _weights(sample_weight, len(X))
        counts = one_hot(y, len(self.classes_)) * weights[:, None]
        self.tree_ = self._grow(X[kept], y[kept], counts[kept], _by_counts(CRITERIA[self.criterion]))

    def predict_proba(self, X):
        """Return the shares of the classes in the leaf of each row (n, K)."""
        leaves = self.apply(X)
        counts = self.tree_.statistics[leaves]
        return counts / counts.sum(axis=1, keepdims=True)

    def decision_function(self, X):
        """Return the shares (n, K); of two classes, that of the second minus that of the first (n,)."""
        P = self.predict_proba(X)
        return P[:, 1] - P[:, 0] if len(self.classes_) == 2 else P

    def predict(self, X):
        """Return the most common class in the leaf of each row, the first of equally common ones."""
        leaves = self.apply(X)
        return self.classes_[np.argmax(self.tree_.statistics, axis=1)[leaves]]

    def answer(self, node):
        """Return the label that a node gives."""
        return self.classes_[node.value]

    def _weights_and_values(self):
        counts = self.tree_.statistics
        return counts.sum(axis=1).tolist(), counts.argmax(axis=1).tolist()


class DecisionTreeRegressor(ThresholdTree):
    """A tree for numbers: each inner node asks x_j <= c, each leaf answers with the mean of its targets.

    Split  the (j, c) with the largest decrease D (12.6) of the variance, the loss of (12.11)

    Parameters
    ----------
    max_depth : longest path, None for any
    min_leaf : least number of points in a leaf
    max_nodes : largest number of nodes, None for any; the splits that take most of the loss away are kept
    min_gain : least decrease D of a split
    max_features, thresholds, rng : random choices, as in `DecisionTreeClassifier`

    Attributes: tree_ and nodes_ as there.

    >>> stump = DecisionTreeRegressor(max_depth=1).fit([[1], [2], [3], [4]], [0.0, 1.0, 5.0, 6.0])
    >>> stump.predict([[1.7], [9]]).tolist()
    [0.5, 5.5]
    """

    task = "regression"

    def __init__(
        self, max_depth=None, min_leaf=1, max_nodes=None, *, min_gain=0.0, max_features=None, thresholds="best", rng=0
    ):
        self.max_depth, self.min_leaf, self.max_nodes, self.min_gain = max_depth, min_leaf, max_nodes, min_gain
        self.max_features, self.thresholds, self.rng = max_features, thresholds, rng

    def learn(self, X, y, sample_weight=None):
        """Grow the tree by sums of w, w y and w y^2, from which the variance follows."""
        weights, kept = _weights(sample_weight, len(X))
        w, self._centre = weights[kept], np.average(y[kept], weights=weights[kept])
        z = y[kept] - self._centre  # sums of squares around the mean do not cancel
        self.tree_ = self._grow(X[kept], z, np.column_stack([w, w * z, w * z**2]), VARIANCE)

    def _read_targets(self, y, n):
        return squarable(super()._read_targets(y, n), "y")

    def predict(self, X):
        """Return the mean in the leaf of each row (n,)."""
        leaves = self.apply(X)
        return self._means()[leaves]

    def answer(self, node):
        """Return the mean that a node gives."""
        return node.value

    def _means(self):
        return self._centre + self.tree_.statistics[:, 1] / self.tree_.statistics[:, 0]

    def _weights_and_values(self):
        return self.tree_.statistics[:, 0].tolist(), self._means().tolist()


def grow_together(X, index, weights, K, *, max_depth, min_leaf, n_tried, at_random, rng):
    """Return one table with all trees of a forest: tree t, with node t as its root, has the weights[t] (T, n).

    X (n, d) points, index (n,) of their K classes. The trees use Gini, and grow side by side: a hundred trees ask for
    the same sums a hundred times.
    """
    tree, sample = np.nonzero(weights)
    counts = one_hot(index[sample], K) * weights[tree, sample][:, None]
    limits, draw = Limits(max_depth, min_leaf), Draw(n_tried, at_random, rng)
    return grow_levels(X[sample], index[sample], counts, _by_counts(CRITERIA["gini"]), limits, draw, root=tree)


def _by_counts(impurity):
    return Criterion(lambda S: S.sum(axis=-1), lambda S: impurity(np.maximum(S, TINY)))


def _variance(S):
    """Return the variance from the sums of w, w y and w y^2."""
    n, total, squares = np.maximum(S[..., 0], TINY), S[..., 1], S[..., 2]
    return np.maximum(squares - total**2 / n, 0) / n


VARIANCE = Criterion(lambda S: S[..., 0], _variance)


def _weights(sample_weight, n):
    """Return the weights (n,), and which samples have one: a weight of 0 leaves a sample out."""
    if sample_weight is None:
        return np.ones(n), np.ones(n, dtype=bool)
    weights = squarable(as_vector(sample_weight, "sample_weight", length=n), "sample_weight")
    if weights.min() < 0:
        raise ValueError(f"sample_weight must not be negative; its smallest entry is {weights.min():g}.")
    if weights.max() == 0:
        raise ValueError("sample_weight is zero for every sample; at least one sample needs a weight.")
    return weights, weights > 0

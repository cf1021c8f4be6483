"""Random forests and extremely randomised trees: bagging with trees that are made to differ (section 13.5).

A hundred trees ask for the same sums a hundred times. So all trees of a forest are grown side by side, one level of
all of them at a time, by the function that grows the single tree of chapter 12.
"""

import numpy as np

from mlteach.decision_trees.cart import FeatureCount, grow_together, importances
from mlteach.ensembles.bagging import VoteOfMany, bootstrap, in_bag
from mlteach.parameters import Maybe, Whole


class RandomForest(VoteOfMany):
    """Trees on bootstrap samples, whose nodes choose their split among a few random features; the majority decides.

    Tree    Gini impurity, grown until its leaves are pure (or ``max_depth``, ``min_leaf`` stop it), not pruned
    Node    the best split among ``max_features`` random features, of those that vary in the node
    Answer  the class with the most votes, the first of equals

    Fewer features per split lower the correlation of the trees, and make each tree worse: the sum is least in between.

    Parameters
    ----------
    n : number of trees; more take variance away, and make the vote surer, also where most trees are wrong.
    max_features : features per split, a whole number from 1 to d; "sqrt" for the root of d rounded down; None for all
        d, which is bagging.
    rng : seed or Generator of all draws.
    max_depth : most questions from the root to a leaf; None for no limit.
    min_leaf : least number of different samples in a leaf.

    Attributes: trees_, one table of the nodes of all trees, in which node t is the root of tree t; samples_ (n,
    n_samples), what each tree has drawn; classes_ (K,); oob_error_, oob_errors_ (n,) of the first 1, 2, ... trees,
    oob_votes_ (n_samples, K).

    >>> model = RandomForest(15).fit([[0], [1], [2], [7], [8], [9]], list("aaabbb"))
    >>> print(model.predict([[1], [8]]), model.votes([[1]]))
    ['a' 'b'] [[14  1]]
    """

    params = {"n": Whole(1), "max_features": FeatureCount(), "max_depth": Maybe(Whole(1)), "min_leaf": Whole(1)}
    _at_random, _bootstrap = False, True

    def __init__(self, n=100, max_features="sqrt", rng=0, *, max_depth=None, min_leaf=1):
        self.n, self.max_features, self.rng = n, max_features, rng
        self.max_depth, self.min_leaf = max_depth, min_leaf

    def learn(self, X, y):
        """Grow all trees, level by level."""
        # 1. What each tree learns from: the more often a sample was drawn, the more it weighs
        samples = bootstrap(len(X), self.n, self.rng) if self._bootstrap else np.tile(np.arange(len(X)), (self.n, 1))
        weights, self.n_trees_ = in_bag(samples), self.n
        # 2. Grow them side by side
        self.trees_ = grow_together(
            X,
            y,
            weights,
            len(self.classes_),
            max_depth=self.max_depth,
            min_leaf=self.min_leaf,
            n_tried=self.max_features,
            at_random=self._at_random,
            rng=self.rng,
        )
        # 3. Each sample is judged by the trees that have not drawn it
        if self._bootstrap:
            self._keep_out_of_bag(samples, self._said(X), y)

    @property
    def feature_importances_(self):
        """The share of each feature in what splits take from the impurity, the mean over the trees that split (d,)."""
        self._require_fit()
        shares = importances(self.trees_, self.trees_.statistics.sum(axis=1), self.n_features_in_, self.n_trees_)
        split = shares.any(axis=1)
        return shares[split].mean(axis=0) if split.any() else shares[0]

    def _said(self, X):
        """Walk all rows down all trees, one level at a time."""
        t, at = self.trees_, np.repeat(np.arange(self.n_trees_), len(X))
        row, walking = np.tile(np.arange(len(X)), self.n_trees_), np.arange(len(at))
        while len(walking):
            walking = walking[t.left[at[walking]] >= 0]
            i = at[walking]
            down_left = X[row[walking], t.feature[i]] <= t.threshold[i]
            at[walking] = np.where(down_left, t.left[i], t.right[i])
        return t.statistics.argmax(axis=1)[at].reshape(self.n_trees_, len(X))


class ExtraTrees(RandomForest):
    """Extremely randomised trees: every tree learns from all samples, and thresholds are random, too.

    Node    for each of ``max_features`` random features one threshold, uniform between the least and the largest value
            in the node; the best of these few splits is taken

    Parameters ``n``, ``max_features``, ``rng``, ``max_depth``, ``min_leaf`` as in `RandomForest`. There is no bag, so
    there is no out-of-bag error.

    Attributes: trees_, one table of the nodes of all trees; classes_ (K,).

    >>> model = ExtraTrees(15).fit([[0], [1], [2], [7], [8], [9]], list("aaabbb"))
    >>> print(model.predict([[1], [8]]))
    ['a' 'b']
    """

    _at_random, _bootstrap = True, False

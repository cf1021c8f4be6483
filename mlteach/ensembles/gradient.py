"""Gradient boosting of trees with the log loss: each tree fits what the sum so far leaves over (section 13.6.7)."""

from typing import NamedTuple

import numpy as np

from mlteach.decision_trees import DecisionTreeRegressor
from mlteach.logistic_regression import sigmoid


class BoostedTrees(NamedTuple):
    """What `boost_trees` returns, round by round; the first entry of each list is the start, without a tree."""

    scores: np.ndarray  # (M + 1, n), f on the training points
    new_scores: np.ndarray  # (M + 1, k), f on the points of ``new``
    trees: list  # of M pairs: the tree, and the step of each of its leaves as a dict


def boost_trees(X, t, M, eta=0.1, depth=3, new=None):
    """Return `BoostedTrees`: a sum of M trees that lowers the log loss sum_i ln(1 + exp(-t_i f(x_i))).

    Start  f = the log-odds of t = +1 in the training set
    Round  p_i = sigma(f(x_i)), residual r_i = [t_i = +1] - p_i, the negative slope of the loss in f(x_i)
           a regression tree of this depth fits r; its leaf L steps by sum_L r / sum_L p (1 - p), one step of Newton
           f <- f + eta times the step of x's leaf

    Parameters: ``X`` (n, d); ``t`` (n,) of -1 and +1; ``eta``, the learning rate; ``new`` (k, d), points to follow.

    >>> run = boost_trees(np.arange(6.0)[:, None], np.array([-1, -1, -1, 1, 1, 1]), 2, eta=1.0, depth=1)
    >>> print(run.scores[:, -1].round(2))
    [0.   2.   3.14]
    """
    X, ones = np.asarray(X, dtype=float), np.asarray(t) > 0
    new = X[:0] if new is None else np.asarray(new, dtype=float)
    start = np.log(ones.mean() / (1 - ones.mean()))
    scores, new_scores, trees = [np.full(len(X), start)], [np.full(len(new), start)], []
    for _ in range(M):
        p = sigmoid(scores[-1])
        tree = DecisionTreeRegressor(max_depth=depth).fit(X, ones - p)
        leaf, new_leaf = tree.apply(X), tree.apply(new) if len(new) else np.empty(0, dtype=int)
        top, bottom = np.bincount(leaf, ones - p), np.bincount(leaf, p * (1 - p))
        step = np.where(bottom > 1e-12, top / np.maximum(bottom, 1e-12), 0.0)
        scores.append(scores[-1] + eta * step[leaf])
        new_scores.append(new_scores[-1] + eta * step[new_leaf])
        trees.append((tree, {int(k): float(step[k]) for k in np.unique(leaf)}))
    return BoostedTrees(np.array(scores), np.array(new_scores), trees)


def log_losses(scores, t):
    """Return the mean log loss ln(1 + exp(-t f)) of each row of scores, (m, n) or (n,)."""
    return np.mean(np.logaddexp(0, -np.asarray(t) * scores), axis=-1)

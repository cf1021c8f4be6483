"""Classes by vote of the K nearest neighbours (sections 14.2 to 14.6)."""

import numpy as np

from mlteach.base import Estimator
from mlteach.linear import choose_class, read_classes, two_class_scores
from mlteach.nearest_neighbors.distances import METRICS, check_kernel, comparable
from mlteach.nearest_neighbors.search import KernelNeighborhood, Neighborhood, blocks
from mlteach.parameters import By, Maybe
from mlteach.validation import as_matrix, check_choice


class KNNClassifier(KernelNeighborhood, Estimator):
    """The class that most of the K nearest neighbours have.

    Model    P(C | x) = share of class C among the K training points nearest to x   (14.2)
    Ties     of equally distant points the earlier row is nearer; of classes with equal votes the first in sorted
             order wins, as in scikit-learn

    Parameters: ``k`` neighbours; ``kernel``, a kernel of chapter 15 whose distance (14.9) decides what is near;
    ``weights``, "uniform" or "distance" for votes that count 1/distance (a point that lies on the query silences the
    others); ``metric``, "euclidean", "manhattan" or "chebyshev".

    Attributes: classes_ (C,), X_ (n, d) and y_ (n,) the stored data, k_ the number of neighbours.

    >>> points, colour = [[0, 0], [1, 0], [0, 1], [5, 5], [6, 5]], ["blue"] * 3 + ["red"] * 2
    >>> KNNClassifier(3).fit(points, colour).predict_proba([[5, 5]]).round(3).tolist()
    [[0.333, 0.667]]
    """

    task = "classification"
    params = {**Neighborhood.params, "kernel": Maybe(By(check_kernel))}

    def __init__(self, k=5, kernel=None, *, weights="uniform", metric="euclidean"):
        self.k = k
        self.kernel = kernel
        self.weights = weights
        self.metric = metric

    def learn(self, X, y):
        """Store the data."""
        self.X_, self.y_, self._index = X, self.classes_[y], y
        self.k_, self._weights, self._metric, self._kernel = self.k, self.weights, self.metric, self.kernel

    def predict_proba(self, X):
        """Return the share of each class among the neighbours, (m, C)."""
        index, weight = self._influence(X)
        labels = self._index[index]
        return np.column_stack([(weight * (labels == c)).sum(axis=1) for c in range(len(self.classes_))])

    def decision_function(self, X):
        """Return the shares (m, C); for two classes their difference (m,), positive for the second."""
        return two_class_scores(self._votes(X))

    def predict(self, X):
        """Return the class with the most votes, the first of equals."""
        scores = self.decision_function(X)
        return choose_class(self.classes_, scores)

    def _votes(self, X):
        """Return the shares, rounded so that equal votes are equal whatever the order of their sum."""
        return self.predict_proba(X).round(12)


def predictions_by_k(X, y, queries=None, *, metric="euclidean"):
    """Return what `KNNClassifier` says for every k at once: labels of shape (n, m), row k - 1 for k neighbours.

    Without ``queries`` each point of X is judged by the others: leave-one-out for the price of one search, and one
    row less. The neighbours are sorted once; the votes for k + 1 are those for k and one more.

    ``metric`` as in `KNNClassifier`.

    >>> predictions_by_k([[0], [1], [2], [8], [9]], [0, 0, 1, 1, 1], [[1.4], [8.6]]).tolist()
    [[0, 1], [0, 1], [0, 1], [0, 1], [1, 1]]
    """
    X, classes, labels = read_classes(X, y)
    check_choice(metric, "metric", METRICS)
    alone = queries is None
    if alone and len(X) < 2:
        raise ValueError("leave-one-out needs at least 2 samples; got 1.")
    Q = X if alone else as_matrix(queries, "queries", n_features=X.shape[1])
    found = []
    for rows in blocks(len(Q), len(X) * len(classes)):
        D = comparable(Q[rows], X, metric)
        if alone:
            D[np.arange(len(D)), np.arange(len(X))[rows]] = np.inf  # the point itself comes last, and is left out
        order = np.argsort(D, axis=1, kind="stable")[:, : len(X) - alone]
        votes = np.cumsum(labels[order][:, :, None] == np.arange(len(classes)), axis=1)
        found.append(votes.argmax(axis=2).T)
    return classes[np.concatenate(found, axis=1)]

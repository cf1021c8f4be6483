"""More than two classes with a machine for two: the decision directed acyclic graph (section 16.11)."""

import numpy as np

from mlteach.linear_classification import OneVsOne


class DAGSVM(OneVsOne):
    """K classes from K(K-1)/2 pairwise classifiers, of which K-1 are asked about each point.

    All classes stand in a list; the classifier of the first against the last strikes the loser off, until one is
    left. They are trained as by `OneVsOne`, which asks all of them and counts votes (`votes`).

    Parameters
    ----------
    make : a model for two classes such as ``SVC(C=10)``, of which each pair gets a new copy, or a function without
        arguments that returns a new one.

    Attributes
    ----------
    classes_ (K,), models_ : dict from (a, b), a < b, indices into classes_, to the fitted classifier;
    n_evaluations : K - 1.

    >>> from mlteach.svm import SVC
    >>> X, y = [[0.0], [1.0], [3.0], [4.0], [7.0], [8.0]], ["a", "a", "b", "b", "c", "c"]
    >>> dag = DAGSVM(SVC(C=10)).fit(X, y)
    >>> len(dag.models_), dag.n_evaluations, dag.predict([[2.5], [6.0]]).tolist()
    (3, 2, ['b', 'c'])
    """

    @property
    def n_evaluations(self):
        """Number of classifiers asked about one point, K - 1."""
        self._require_fit()
        return len(self.classes_) - 1

    def decision_path(self, X):
        """Return which pairs (first, last) of class indices were asked about each point, shape (n, K-1, 2)."""
        return self._walk(X)[0]

    def predict(self, X):
        """Return the class left for each point when all others are struck off."""
        _, left = self._walk(X)
        return self.classes_[left]

    def _many_scores(self, X):
        """Return the round in which each class was struck off, K for the one left, (n, K)."""
        path, left = self._walk(X)
        K, ends = len(self.classes_), np.concatenate([path[:, :, 0], left[:, None]], axis=1)
        rounds = np.full((len(path), K), K)
        for r in range(K - 1):
            # the first class of the list was struck off if the next list begins later, else the last
            lost = np.where(ends[:, r + 1] > ends[:, r], path[:, r, 0], path[:, r, 1])
            rounds[np.arange(len(path)), lost] = r + 1
        return rounds

    def _walk(self, X):
        X = self._points(X)
        first, last = np.zeros(len(X), dtype=int), np.full(len(X), self.n_evaluations)
        path = []
        for _ in range(self.n_evaluations):
            path.append(np.column_stack((first, last)))
            first, last = first.copy(), last.copy()
            for a, b in np.unique(path[-1], axis=0).tolist():
                here = np.flatnonzero((path[-1] == (a, b)).all(axis=1))
                first_wins = self.models_[a, b].predict(X[here]) == self.classes_[a]
                last[here[first_wins]] -= 1
                first[here[~first_wins]] += 1
        return np.stack(path, axis=1), first

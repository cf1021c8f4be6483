"""More than two classes from a method for two: each class against the rest, or every pair (section 7.3)."""

from itertools import combinations

import numpy as np

from mlteach.base import Estimator, new_model
from mlteach.linear import choose_class, two_class_scores
from mlteach.parameters import ANY


class OneVsRest(Estimator):
    """K classes from K two-class models, each separating one class from all the others.

    Decision  the class with the largest score y_k(x), the first of equals

    A model claims the points with y_k(x) > 0. Counted by claims alone, points claimed by none or by several classes
    are ambiguous, see `claims`; the largest score settles them, as far as the scores are comparable.

    Parameters
    ----------
    make : a model for two classes such as ``Perceptron()``, of which each class gets a new copy, or a function without
        arguments that returns a new one. Needed are fit and predict; decision_function, (n,) or a score for each of
        the two classes (n, 2), gives the scores; without one they are +1 and -1.

    Attributes
    ----------
    classes_ (K,); models_ : list of K models, the k-th fitted with label 1 for class k and 0 for the rest.

    >>> from mlteach.linear_classification import Perceptron
    >>> X, y = [[0.0, 0.0], [1.0, 0.0], [5.0, 0.0], [6.0, 0.0], [3.0, 4.0], [3.0, 5.0]], list("aabbcc")
    >>> model = OneVsRest(Perceptron()).fit(X, y)
    >>> model.predict([[3.0, 3.0], [0.0, 0.0]]).tolist(), model.claims([[0.0, 0.0], [3.0, 1.0]]).tolist()
    (['c', 'a'], [1, 0])
    """

    task, params = "classification", {"make": ANY}

    def __init__(self, make):
        self.make = make

    def learn(self, X, y):
        """Fit one model to each class against the rest."""
        self.models_ = []
        for k in range(len(self.classes_)):
            self.models_.append(new_model(self.make, self.models_))
            self.models_[k].fit(X, (y == k).astype(int))

    def decision_function(self, X):
        """Return the scores y_k(x), (n, K); for two classes y_2(x) - y_1(x), (n,), positive for the second."""
        return two_class_scores(self.scores(X))

    def scores(self, X):
        """Return y_k(x), the score of each class against the rest, (n, K)."""
        X = self._points(X)
        return np.column_stack([_pair_score(model, X, 1) for model in self.models_])

    def claims(self, X):
        """Return how many classes claim each point, (n,): 1 is clear, 0 and 2 or more are ambiguous."""
        return (self.scores(X) > 0).sum(axis=1)

    def predict(self, X):
        """Return the class with the largest score."""
        scores = self.scores(X)
        return choose_class(self.classes_, scores)


class OneVsOne(Estimator):
    """K classes from K(K-1)/2 two-class models, one for every pair, each of which casts a vote.

    Decision  the class with the most votes, the first of equals

    Where several classes have the most votes the point is ambiguous, see `ties`.

    Parameters
    ----------
    make : a model for two classes such as ``Perceptron()``, of which each pair gets a new copy, or a function without
        arguments that returns a new one.

    Attributes
    ----------
    classes_ (K,); models_ : dict from (a, b), a < b, indices into classes_, to the fitted model.

    >>> from mlteach.linear_classification import Perceptron
    >>> X, y = [[0.0, 0.0], [1.0, 0.0], [5.0, 0.0], [6.0, 0.0], [3.0, 4.0], [3.0, 5.0]], list("aabbcc")
    >>> model = OneVsOne(Perceptron()).fit(X, y)
    >>> model.votes([[4.0, 3.0], [0.0, 0.0]]).tolist(), model.ties([[4.0, 3.0]]).tolist()
    ([[0, 1, 2], [2, 1, 0]], [False])
    """

    task, params = "classification", {"make": ANY}

    def __init__(self, make):
        self.make = make

    def learn(self, X, y):
        """Fit one model to every pair of classes."""
        self.models_ = {}
        for a, b in combinations(range(len(self.classes_)), 2):
            pair = (y == a) | (y == b)
            self.models_[a, b] = new_model(self.make, self.models_.values())
            self.models_[a, b].fit(X[pair], self.classes_[y[pair]])

    def votes(self, X):
        """Return the votes for each class, (n, K); each row sums to K(K-1)/2."""
        X = self._points(X)
        votes = np.zeros((len(X), len(self.classes_)), dtype=int)
        for (a, b), model in self.models_.items():
            for_a = model.predict(X) == self.classes_[a]
            votes[:, a] += for_a
            votes[:, b] += ~for_a
        return votes

    def decision_function(self, X):
        """Return the votes (n, K); for two classes the score of their one model, (n,), positive for the second."""
        X = self._points(X)
        if len(self.classes_) == 2:
            return _pair_score(self.models_[0, 1], X, self.classes_[1])
        return self._many_scores(X).astype(float)

    def _many_scores(self, X):
        return self.votes(X)

    def ties(self, X):
        """Return where several classes have the most votes, (n,)."""
        votes = self.votes(X)
        return (votes == votes.max(axis=1, keepdims=True)).sum(axis=1) > 1

    def predict(self, X):
        """Return the class with the most votes."""
        votes = self.votes(X)
        return self.classes_[votes.argmax(axis=1)]


def _pair_score(model, X, label):
    """Return the score of ``label``, the larger of the two that the model knows, against the other, (n,)."""
    if not hasattr(model, "decision_function"):
        return np.where(model.predict(X) == label, 1.0, -1.0)
    y = np.asarray(model.decision_function(X))
    if y.shape == (len(X), 2):
        return y[:, 1] - y[:, 0]
    if y.shape != (len(X),):
        raise ValueError(f"decision_function must return shape (n,) or (n, 2) for two classes; got {y.shape}.")
    return y

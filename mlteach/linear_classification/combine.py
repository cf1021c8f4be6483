"""More than two classes from a method for two: each class against the rest, or every pair (section 7.3)."""

from itertools import combinations

import numpy as np

from mlteach.base import Estimator
from mlteach.linear import choose_class
from mlteach.validation import as_labels, as_matrix


class OneVsRest(Estimator):
    """K classes from K two-class models, each separating one class from all the others.

    Decision  the class with the largest score y_k(x), the first of equals

    A model claims the points with y_k(x) > 0. Counted by claims alone, points claimed by none or by several classes
    are ambiguous, see `claims`; the largest score settles them, as far as the scores are comparable.

    Parameters
    ----------
    make : function of no arguments that returns a new two-class model with fit and predict. Its decision_function,
        (n,) or a score for each of the two classes (n, 2), gives the scores; without one they are +1 and -1.

    Attributes
    ----------
    classes_ (K,); models_ : list of K models, the k-th fitted with label 1 for class k and 0 for the rest.

    >>> from mlteach.linear_classification import Perceptron
    >>> X, y = [[0.0, 0.0], [1.0, 0.0], [5.0, 0.0], [6.0, 0.0], [3.0, 4.0], [3.0, 5.0]], list("aabbcc")
    >>> model = OneVsRest(Perceptron).fit(X, y)
    >>> model.predict([[3.0, 3.0], [0.0, 0.0]]).tolist(), model.claims([[0.0, 0.0], [3.0, 1.0]]).tolist()
    (['c', 'a'], [1, 0])
    """

    task = "classification"

    def __init__(self, make):
        self.make = make

    def fit(self, X, y):
        """Fit one model to each class against the rest; return self."""
        X = as_matrix(X)
        classes, index = as_labels(y, length=len(X))
        models = []
        for k in range(len(classes)):
            models.append(_new_model(self, models))
            models[k].fit(X, (index == k).astype(int))
        self.classes_, self.models_, self.n_features_in_ = classes, models, X.shape[1]
        return self

    def decision_function(self, X):
        """Return the scores y_k(x), (n, K)."""
        self._require_fit("models_")
        X = as_matrix(X, n_features=self.n_features_in_)
        return np.column_stack([_score(model, X) for model in self.models_])

    def claims(self, X):
        """Return how many classes claim each point, (n,): 1 is clear, 0 and 2 or more are ambiguous."""
        return (self.decision_function(X) > 0).sum(axis=1)

    def predict(self, X):
        """Return the class with the largest score."""
        y = self.decision_function(X)
        return choose_class(self.classes_, y)


class OneVsOne(Estimator):
    """K classes from K(K-1)/2 two-class models, one for every pair, each of which casts a vote.

    Decision  the class with the most votes, the first of equals

    Where several classes have the most votes the point is ambiguous, see `ties`.

    Parameters
    ----------
    make : function of no arguments that returns a new two-class model with fit and predict.

    Attributes
    ----------
    classes_ (K,); models_ : dict from (a, b), a < b, indices into classes_, to the fitted model.

    >>> from mlteach.linear_classification import Perceptron
    >>> X, y = [[0.0, 0.0], [1.0, 0.0], [5.0, 0.0], [6.0, 0.0], [3.0, 4.0], [3.0, 5.0]], list("aabbcc")
    >>> model = OneVsOne(Perceptron).fit(X, y)
    >>> model.votes([[4.0, 3.0], [0.0, 0.0]]).tolist(), model.ties([[4.0, 3.0]]).tolist()
    ([[0, 1, 2], [2, 1, 0]], [False])
    """

    task = "classification"

    def __init__(self, make):
        self.make = make

    def fit(self, X, y):
        """Fit one model to every pair of classes; return self."""
        X = as_matrix(X)
        classes, index = as_labels(y, length=len(X))
        models = {}
        for a, b in combinations(range(len(classes)), 2):
            pair = (index == a) | (index == b)
            models[a, b] = _new_model(self, models.values())
            models[a, b].fit(X[pair], classes[index[pair]])
        self.classes_, self.models_, self.n_features_in_ = classes, models, X.shape[1]
        return self

    def votes(self, X):
        """Return the votes for each class, (n, K); each row sums to K(K-1)/2."""
        self._require_fit("models_")
        X = as_matrix(X, n_features=self.n_features_in_)
        votes = np.zeros((len(X), len(self.classes_)), dtype=int)
        for (a, b), model in self.models_.items():
            for_a = model.predict(X) == self.classes_[a]
            votes[:, a] += for_a
            votes[:, b] += ~for_a
        return votes

    def ties(self, X):
        """Return where several classes have the most votes, (n,)."""
        votes = self.votes(X)
        return (votes == votes.max(axis=1, keepdims=True)).sum(axis=1) > 1

    def predict(self, X):
        """Return the class with the most votes."""
        votes = self.votes(X)
        return self.classes_[votes.argmax(axis=1)]


def _new_model(owner, models):
    """Return owner.make() if it is a classifier that ``models`` does not hold yet."""
    make, who = owner.make, type(owner).__name__
    if not callable(make):
        raise ValueError(f"make must be a function that returns a new classifier; got {make!r}.")
    model = make()
    methods = not isinstance(model, type) and all(callable(getattr(model, name, None)) for name in ("fit", "predict"))
    if not methods or getattr(model, "task", None) == "regression":
        raise ValueError(
            f"make() must return a classifier with fit and predict, such as Perceptron() or SVC(); got {model!r}."
        )
    if any(model is other for other in models):
        raise ValueError(f"make() must return a new model each time; it gave one twice. Use {who}(lambda: {model!r}).")
    return model


def _score(model, X):
    """Return the score of label 1 against label 0, (n,)."""
    if not hasattr(model, "decision_function"):
        return np.where(model.predict(X) == 1, 1.0, -1.0)
    y = np.asarray(model.decision_function(X))
    if y.shape == (len(X), 2):
        return y[:, 1] - y[:, 0]
    if y.shape != (len(X),):
        raise ValueError(f"decision_function must return shape (n,) or (n, 2) for two classes; got {y.shape}.")
    return y

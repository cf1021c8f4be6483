"""Voting: several models answer, the (weighted) majority decides (section 13.2)."""

import numpy as np

from mlteach.base import Estimator
from mlteach.ensembles._members import new_models, probabilities, said
from mlteach.linear import choose_class, two_class_scores
from mlteach.numerics import one_hot
from mlteach.parameters import ANY, Choice
from mlteach.validation import as_vector


class VotingClassifier(Estimator):
    """The class with the largest weighted share of the votes, the first of equals.

    Model  share_k(x) = sum_m v_m [h_m(x) = k],  weights v_m >= 0 that sum to one        (13.2)

    With ``voting="soft"`` the members' probabilities take the place of [h_m(x) = k]: a member in doubt says less.

    Parameters
    ----------
    models : list of classifiers, or functions that return one; each is fitted as a new copy on all the data.
    weights : (m,), not negative; only their proportions matter. None: equal.
    voting : "hard" counts votes, "soft" averages probabilities.

    Attributes: models_, the fitted members; weights_ (m,), which sum to one; classes_ (K,).

    >>> from mlteach.linear_classification import LeastSquaresClassifier, Perceptron
    >>> model = VotingClassifier([Perceptron(), LeastSquaresClassifier()]).fit([[0], [1], [3], [4]], list("aabb"))
    >>> print(model.predict([[0.5], [3.5]]), model.votes([[0.5]]))
    ['a' 'b'] [[1. 0.]]
    """

    task = "classification"
    params = {"models": ANY, "weights": ANY, "voting": Choice("hard", "soft")}

    def __init__(self, models, weights=None, *, voting="hard"):
        self.models, self.weights, self.voting = models, weights, voting

    def learn(self, X, y):
        """Fit every member to all the data."""
        self.models_, self.voting_ = new_models(self.models), self.voting
        self.weights_ = _shares(self.weights, len(self.models_))
        for model in self.models_:
            model.fit(X, self.classes_[y])
            if self.voting == "soft":
                probabilities(model, X[:1], self.classes_)  # a member that has none is refused now

    def votes(self, X):
        """Return the weighted share of the votes for each class, (n, K); each row sums to one."""
        X = self._points(X)
        shares = np.zeros((len(X), len(self.classes_)))
        for v, model in zip(self.weights_, self.models_, strict=True):
            if self.voting_ == "soft":
                shares += v * probabilities(model, X, self.classes_)
            else:
                shares += v * one_hot(said(model, X, self.classes_), len(self.classes_))
        return shares

    def predict_proba(self, X):
        """Return the shares of the votes, (n, K)."""
        return self.votes(X)

    def decision_function(self, X):
        """Return the shares (n, K); for two classes their difference (n,), positive for the second."""
        return two_class_scores(self.votes(X))

    def predict(self, X):
        """Return the class with the largest share."""
        shares = self.decision_function(X)
        return choose_class(self.classes_, shares)


def _shares(weights, m):
    """Return weights that sum to one, equal ones for None."""
    if weights is None:
        return np.full(m, 1 / m)
    weights = as_vector(weights, "weights", length=m, like="models")
    if (weights < 0).any() or weights.sum() == 0:
        raise ValueError(f"weights must not be negative and not all zero; the least is {weights.min():g}.")
    return weights / weights.sum()

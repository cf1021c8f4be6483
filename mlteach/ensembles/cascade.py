"""Cascading: a cheap model answers where it is sure and passes the rest on to a better one (section 13.7)."""

import numpy as np

from mlteach.base import Estimator
from mlteach.ensembles._members import new_models, probabilities
from mlteach.linear import choose_class, two_class_scores
from mlteach.parameters import ANY, Real


class CascadeClassifier(Estimator):
    """Classifiers in a row, the cheapest first; each answers the points of which it is sure enough.

    Stage m  answers x if max_k p_m(k | x) >= threshold, else x goes on to stage m + 1; the last answers all it gets
    Fit      every stage learns from all the data; only asking it is saved

    Parameters
    ----------
    models : list of classifiers with predict_proba, or functions that return one, cheapest first.
    threshold : least confidence, from 0 (the first answers all) to 1 (the last answers nearly all).

    Attributes: models_, the fitted stages; classes_ (K,).

    >>> from mlteach.generative_classifiers import GaussianNaiveBayes
    >>> from mlteach.logistic_regression import SoftmaxRegression
    >>> X, y = [[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]], list("aababb")
    >>> model = CascadeClassifier([SoftmaxRegression(lam=1), GaussianNaiveBayes()], threshold=0.8).fit(X, y)
    >>> print(model.stage([[0.0], [2.4], [5.0]]))
    [0 1 0]
    """

    task = "classification"
    params = {"models": ANY, "threshold": Real(0, 1)}

    def __init__(self, models, threshold=0.9):
        self.models, self.threshold = models, threshold

    def learn(self, X, y):
        """Fit every stage."""
        self.models_, self.threshold_ = new_models(self.models), self.threshold
        for model in self.models_:
            model.fit(X, self.classes_[y])
            probabilities(model, X[:1], self.classes_)  # a stage that cannot say how sure it is is refused now

    def _run(self, X):
        """Return the probabilities by the stage that answers (n, K), and its number (n,)."""
        X = self._points(X)
        P, stage = np.zeros((len(X), len(self.classes_))), np.zeros(len(X), dtype=int)
        here = np.arange(len(X))
        for m, model in enumerate(self.models_):
            P[here], stage[here] = probabilities(model, X[here], self.classes_), m
            here = here[P[here].max(axis=1) < self.threshold_]
            if not len(here):
                break
        return P, stage

    def stage(self, X):
        """Return the number of the stage that answers each point, (n,), 0 for the first."""
        return self._run(X)[1]

    def predict_proba(self, X):
        """Return the probabilities by the stage that answers, (n, K)."""
        return self._run(X)[0]

    def decision_function(self, X):
        """Return these probabilities (n, K); for two classes their difference (n,), positive for the second."""
        return two_class_scores(self.predict_proba(X))

    def predict(self, X):
        """Return the most probable class."""
        P = self.decision_function(X)
        return choose_class(self.classes_, P)

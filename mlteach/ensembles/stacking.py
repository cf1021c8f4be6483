"""Stacking: a model of the second level learns how to combine the answers of the first (section 13.7)."""

import numpy as np

from mlteach.base import Estimator, new_model
from mlteach.ensembles._members import new_models, probabilities, said
from mlteach.evaluation import stratified_k_fold
from mlteach.linear import choose_class, two_class_scores
from mlteach.logistic_regression import SoftmaxRegression
from mlteach.numerics import one_hot
from mlteach.parameters import ANY, Whole


class StackingClassifier(Estimator):
    """A combiner that learns from the members' answers on points that they were not fitted to.

    Level 0  members h_1 ... h_M;  z(x) holds their probabilities of each class (their votes, if they have none)
    Level 1  the combiner, fitted to the pairs (z(x_n), y_n), where z(x_n) comes from members fitted without fold of x_n
    Answer   combiner(z(x)), z from members fitted to all the data

    Answers on the members' own training points would flatter those that overfit most; the folds are what makes it fair.

    Parameters
    ----------
    models : list of classifiers, or functions that return one.
    combiner : a classifier for the second level; None: SoftmaxRegression(lam=1).
    folds : number of folds, at least 2; fewer are used if the smallest class has fewer samples.
    rng : seed or Generator that shuffles the samples into folds.

    Attributes: models_, combiner_, classes_ (K,); Z_ (n, M K), the answers that the combiner was fitted to.

    >>> from mlteach.generative_classifiers import GaussianNaiveBayes
    >>> X, y = [[0], [1], [2], [6], [7], [8]], list("aaabbb")
    >>> model = StackingClassifier([GaussianNaiveBayes(), SoftmaxRegression(lam=1)], folds=3).fit(X, y)
    >>> print(model.predict([[0.5], [7.5]]), model.Z_.shape)
    ['a' 'b'] (6, 4)
    """

    task = "classification"
    params = {"models": ANY, "combiner": ANY, "folds": Whole(2)}

    def __init__(self, models, combiner=None, *, folds=5, rng=0):
        self.models, self.combiner, self.folds, self.rng = models, combiner, folds, rng

    def learn(self, X, y):
        """Fit members fold by fold, the combiner to their answers, and the members again to all."""
        classes, labels = self.classes_, self.classes_[y]
        # 1. What members say about points that they have not seen
        self.Z_ = np.zeros((len(X), len(new_models(self.models)) * len(classes)))
        for train, test in stratified_k_fold(y, min(self.folds, np.bincount(y).min()), self.rng):
            members = [model.fit(X[train], labels[train]) for model in new_models(self.models)]
            self.Z_[test] = _answers(members, X[test], classes)
        # 2. The combiner learns from it
        combiner = SoftmaxRegression(lam=1.0) if self.combiner is None else self.combiner
        self.combiner_ = new_model(combiner, name="a member").fit(self.Z_, labels)
        # 3. The members learn from everything
        self.models_ = [model.fit(X, labels) for model in new_models(self.models)]

    def _check_data(self, X, y):
        if np.bincount(y).min() < 2:
            rare = self.classes_.tolist()[np.bincount(y).argmin()]
            raise ValueError(
                f"each class needs at least 2 samples, one on either side of a fold; {rare!r} has 1 sample."
            )

    def answers(self, X):
        """Return z(x), the members' answers that the combiner is given, (n, M K), member by member."""
        X = self._points(X)
        return _answers(self.models_, X, self.classes_)

    def predict_proba(self, X):
        """Return the combiner's probabilities, (n, K)."""
        Z = self.answers(X)
        return probabilities(self.combiner_, Z, self.classes_)

    def decision_function(self, X):
        """Return the combiner's probabilities (n, K), its votes if it has none; for two classes their difference."""
        Z = self.answers(X)
        return two_class_scores(_answers([self.combiner_], Z, self.classes_))

    def predict(self, X):
        """Return the class that the combiner chooses."""
        shares = self.decision_function(X)
        return choose_class(self.classes_, shares)


def _answers(models, X, classes):
    """Return the probabilities, or the votes, of each model, side by side."""
    return np.hstack(
        [
            probabilities(model, X, classes)
            if hasattr(model, "predict_proba")
            else one_hot(said(model, X, classes), len(classes))
            for model in models
        ]
    )

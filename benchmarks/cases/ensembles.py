"""Chapter 13 against scikit-learn, whose trees are compiled; it has no cascade and no mixture of experts."""

import numpy as np
from sklearn import ensemble, linear_model
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
from sklearn.naive_bayes import GaussianNB

from benchmarks.bounds import seconds
from mlteach.decision_trees import DecisionTreeClassifier, DecisionTreeRegressor
from mlteach.ensembles import (
    AdaBoost,
    BaggingClassifier,
    BaggingRegressor,
    CascadeClassifier,
    ExtraTrees,
    MixtureOfExperts,
    RandomForest,
    StackingClassifier,
    VotingClassifier,
)
from mlteach.generative_classifiers import GaussianDiscriminant, GaussianNaiveBayes
from mlteach.logistic_regression import SoftmaxRegression


def ours():
    return [SoftmaxRegression(lam=1.0), GaussianNaiveBayes(), GaussianDiscriminant(shared_covariance=False)]


def theirs():
    return [("a", linear_model.LogisticRegression()), ("b", GaussianNB()), ("c", QuadraticDiscriminantAnalysis())]


CASES = {
    "AdaBoost, 50 stumps": ("binary", AdaBoost, ensemble.AdaBoostClassifier),
    "RandomForest, 100 trees": ("classes", RandomForest, ensemble.RandomForestClassifier),
    "ExtraTrees, 100 trees": ("classes", ExtraTrees, ensemble.ExtraTreesClassifier),
    "BaggingClassifier, 25 trees": (
        "classes",
        lambda: BaggingClassifier(DecisionTreeClassifier()),
        lambda: ensemble.BaggingClassifier(n_estimators=25, oob_score=True),
    ),
    "BaggingRegressor, 25 trees": (
        "regression",
        lambda: BaggingRegressor(DecisionTreeRegressor()),
        lambda: ensemble.BaggingRegressor(n_estimators=25, oob_score=True),
    ),
    "VotingClassifier": ("classes", lambda: VotingClassifier(ours()), lambda: ensemble.VotingClassifier(theirs())),
    "StackingClassifier": (
        "classes",
        lambda: StackingClassifier(ours()),
        lambda: ensemble.StackingClassifier(theirs()),
    ),
    "CascadeClassifier against one forest": (
        "classes",
        lambda: CascadeClassifier([SoftmaxRegression(lam=1.0), RandomForest()]),
        ensemble.RandomForestClassifier,
    ),
    "MixtureOfExperts against boosted trees": (
        "regression",
        lambda: MixtureOfExperts(2),
        ensemble.GradientBoostingRegressor,
    ),
}


def three_classes(n):
    """Return ten features and three classes that overlap."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 10))
    return X, np.digitize(X @ rng.normal(size=10) + rng.normal(size=n), [-1, 1])


LARGE = {
    "RandomForest, d = 10": (three_classes, RandomForest, ensemble.RandomForestClassifier),
    "ExtraTrees, d = 10": (three_classes, ExtraTrees, ensemble.ExtraTreesClassifier),
}

BOUNDS = {
    f"{forest.__name__}, 100 trees, n = 30,000": (
        lambda forest=forest: seconds(lambda: forest().fit(*three_classes(30_000))), 60, "s"
    )
    for forest in (RandomForest, ExtraTrees)
}  # fmt: skip

"""Chapter 13 against scikit-learn, whose trees are compiled; it has no cascade and no mixture of experts."""

from sklearn import ensemble, linear_model
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
from sklearn.naive_bayes import GaussianNB

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
from mlteach.linear_classification import LeastSquaresClassifier
from mlteach.linear_regression import LinearRegression
from mlteach.logistic_regression import SoftmaxRegression


def ours():
    return [SoftmaxRegression(lam=1.0), GaussianNaiveBayes(), GaussianDiscriminant(shared_covariance=False)]


def theirs():
    return [("a", linear_model.LogisticRegression()), ("b", GaussianNB()), ("c", QuadraticDiscriminantAnalysis())]


CASES = {
    "AdaBoost, 50 stumps": ("binary", AdaBoost, ensemble.AdaBoostClassifier),
    "RandomForest, 100 trees": ("classes", RandomForest, ensemble.RandomForestClassifier),
    "ExtraTrees, 100 trees": ("classes", ExtraTrees, ensemble.ExtraTreesClassifier),
    "BaggingClassifier, 25 least squares": (
        "classes",
        lambda: BaggingClassifier(LeastSquaresClassifier()),
        lambda: ensemble.BaggingClassifier(linear_model.RidgeClassifier(alpha=0), 25, oob_score=True),
    ),
    "BaggingRegressor, 25 lines": (
        "regression",
        lambda: BaggingRegressor(LinearRegression()),
        lambda: ensemble.BaggingRegressor(linear_model.LinearRegression(), 25, oob_score=True),
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

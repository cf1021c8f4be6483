"""Chapter 07 against scikit-learn; its perceptron is compiled."""

import numpy as np
from sklearn import linear_model
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier

from mlteach.linear_classification import (
    FisherDiscriminant,
    LeastSquaresClassifier,
    MulticlassPerceptron,
    OneVsOne,
    OneVsRest,
    Perceptron,
)


def theirs():
    return linear_model.Perceptron(max_iter=20, tol=None)


CASES = {
    "LeastSquaresClassifier": ("classes", LeastSquaresClassifier, lambda: linear_model.RidgeClassifier(alpha=0)),
    "Perceptron, one by one, 20 epochs": ("binary", lambda: Perceptron(epochs=20), theirs),
    "Perceptron, batch, 20 epochs": ("binary", lambda: Perceptron(epochs=20, batch_size=None), theirs),
    "MulticlassPerceptron, 20 epochs": ("classes", lambda: MulticlassPerceptron(epochs=20), theirs),
    "FisherDiscriminant": ("classes", FisherDiscriminant, LinearDiscriminantAnalysis),
    "OneVsRest, least squares": (
        "classes",
        lambda: OneVsRest(LeastSquaresClassifier),
        lambda: OneVsRestClassifier(linear_model.RidgeClassifier(alpha=0)),
    ),
    "OneVsOne, Fisher": (
        "classes",
        lambda: OneVsOne(FisherDiscriminant),
        lambda: OneVsOneClassifier(LinearDiscriminantAnalysis()),
    ),
}


def noisy_plane(n):
    """Two classes with one label in ten wrong, so that mistakes never end."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 5))
    return X, np.where(rng.random(n) < 0.1, -1, 1) * np.where(X @ [1, -2, 0.5, 0, 1] > 0.3, 1, -1)


LARGE = {
    f"{model.__name__}, one by one, 20 epochs": (
        noisy_plane,
        lambda model=model: model(epochs=20, history=False),
        theirs,
    )
    for model in (Perceptron, MulticlassPerceptron)
}

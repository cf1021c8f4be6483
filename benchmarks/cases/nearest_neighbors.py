"""Chapter 14 against scikit-learn. To fit is to store, so what is timed is ``fit`` and ``predict`` together."""

import numpy as np
from sklearn import linear_model, neighbors

from mlteach import nearest_neighbors as ours

WIDTH = 0.5


def whole(cls):
    """Return the class with a ``fit`` that also predicts the training points."""

    def fit(self, X, y):
        cls.fit(self, X, y).predict(X)
        return self

    return type(cls.__name__, (cls,), {"fit": fit})


class WeightedLines:
    """Locally weighted regression made of scikit-learn's weighted least squares, one fit for each query."""

    def fit(self, X, y):
        self.X, self.y = X, y
        return self

    def predict(self, X):
        return np.array([self._line(x).predict(x[None])[0] for x in X])

    def _line(self, x):
        weight = np.exp(-((self.X - x) ** 2).sum(axis=1) / (2 * WIDTH**2))
        return linear_model.LinearRegression().fit(self.X, self.y, weight)


def gaussian(distance):
    return [np.exp(-(d**2) / (2 * WIDTH**2)) for d in distance]


CASES = {
    "KNNClassifier, and predict": (
        "classes",
        lambda: whole(ours.KNNClassifier)(5),
        lambda: whole(neighbors.KNeighborsClassifier)(5),
    ),
    "KNNRegressor, and predict": (
        "regression",
        lambda: whole(ours.KNNRegressor)(5),
        lambda: whole(neighbors.KNeighborsRegressor)(5),
    ),
    "NadarayaWatson, and predict": (
        "regression",
        lambda: whole(ours.NadarayaWatson)(WIDTH),
        lambda: whole(neighbors.RadiusNeighborsRegressor)(radius=10, weights=gaussian),
    ),
    "LocallyWeightedRegression, and predict": (
        "regression",
        lambda: whole(ours.LocallyWeightedRegression)(WIDTH),
        lambda: whole(WeightedLines)(),
    ),
}

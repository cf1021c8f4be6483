"""Chapter 19 against scikit-learn: ten epochs of a network 64-32-10 on 8 x 8 pictures, batches of 32, the same Adam."""

import numpy as np
from sklearn.neural_network import MLPClassifier

from mlteach import datasets
from mlteach.deep_learning import Dense, Sequential, train
from mlteach.optimization import Adam


class Network:
    """The network of section 19.3 behind fit and predict, so that it can be measured like an estimator."""

    def fit(self, X, y):
        rng = np.random.default_rng(0)
        self.model = Sequential(Dense(64, 32, "relu", rng), Dense(32, 10, rng=rng))
        train(self.model, X, y, Adam(0.01), 10)
        return self

    def predict(self, X):
        return self.model(X).data.argmax(axis=1)


def pictures(n):
    """Return n digits, drawn with replacement where there are not enough."""
    digits = datasets.digits()
    rows = np.random.default_rng(0).choice(len(digits.y), n, replace=n > len(digits.y))
    return digits.X[rows] / 16, digits.y[rows].astype(int)


LARGE = {
    "train, 64-32-10": (
        pictures,
        Network,
        lambda: MLPClassifier(
            (32,), batch_size=32, max_iter=10, alpha=0, learning_rate_init=0.01, tol=0, n_iter_no_change=1000,
            random_state=0,
        ),
    ),
}  # fmt: skip

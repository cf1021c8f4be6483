"""Chapter 18 against scikit-learn: the same network, batches, rate and number of epochs, plain descent and Adam."""

import warnings

import numpy as np
from sklearn import neural_network

from mlteach import datasets
from mlteach.neural_networks import MLP
from mlteach.optimization import Adam

SAME = {"alpha": 0.0, "batch_size": 32, "n_iter_no_change": 1000, "random_state": 0}


class _Quiet:
    """scikit-learn warns whenever it has made all the epochs that it was asked for."""

    def fit(self, X, y):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return super().fit(X, y)


class _Classifier(_Quiet, neural_network.MLPClassifier):
    pass


class _Regressor(_Quiet, neural_network.MLPRegressor):
    pass


def _digits(n):
    """Return n handwritten digits, some of them twice or more beyond 1,797."""
    digits = datasets.digits()
    rows = np.arange(n) % len(digits.y)
    return digits.X[rows] / 16, digits.y[rows]


CASES = {
    "MLP, 32 ReLU units, 50 epochs of descent": (
        "binary",
        lambda: MLP((None, 32, None), "relu", "softmax", 0.1, 50, 32),
        lambda: _Classifier((32,), solver="sgd", learning_rate_init=0.1, momentum=0.0, max_iter=50, **SAME),
    ),
    "MLP, 32 tanh units, 50 epochs of Adam": (
        "regression",
        lambda: MLP((None, 32, None), "tanh", "identity", epochs=50, batch_size=32, optimizer=Adam(0.01)),
        lambda: _Regressor(hidden_layer_sizes=(32,), activation="tanh", learning_rate_init=0.01, max_iter=50, **SAME),
    ),
}

LARGE = {
    "digits MLP 64-32-10, 10 epochs of descent": (
        _digits,
        lambda: MLP((64, 32, 10), "relu", "softmax", 0.3, 10, 32),
        lambda: _Classifier((32,), solver="sgd", learning_rate_init=0.3, momentum=0.0, max_iter=10, **SAME),
    ),
    "digits MLP 64-32-10, 10 epochs of Adam": (
        _digits,
        lambda: MLP((64, 32, 10), "relu", "softmax", epochs=10, batch_size=32, optimizer=Adam(0.01)),
        lambda: _Classifier((32,), learning_rate_init=0.01, max_iter=10, **SAME),
    ),
}

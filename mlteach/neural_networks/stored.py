"""Runs that are kept: networks and simpler rivals on twenty splits of two data sets (sections 18.9.4 and 18.10).

They take a quarter of an hour. ``data/runs/digit_rivals.csv`` has, for each split of the digits, how many of the 597
test digits each rival gets right, and the penalties that cross-validation chose. ``data/runs/diabetes_rivals.csv`` has
each rival's error on the 300 patients it has seen and on the other 142, in standard deviations of the 300.
``python -m mlteach.neural_networks.stored`` computes them anew.
"""

from functools import cache

import numpy as np

from mlteach import datasets
from mlteach.decision_trees import DecisionTreeRegressor
from mlteach.ensembles import BaggingRegressor
from mlteach.linear_regression import LinearRegression
from mlteach.logistic_regression import SoftmaxRegression
from mlteach.nearest_neighbors import KNNClassifier, KNNRegressor
from mlteach.neural_networks.backpropagation import backward, forward
from mlteach.neural_networks.mlp import initial_parameters
from mlteach.numerics import one_hot
from mlteach.progress import progress
from mlteach.runs import read_columns, write_rows

SPLITS = 20
DIGITS = ("larger class", "nearest neighbour", "64-10, 30 epochs", "64-10, 300 epochs", "softmax regression",
          "64-32-10, 30 epochs", "64-32-10, 300 epochs", "64-32-10, decay", "64-128-10, 100 epochs")  # fmt: skip
DIABETES = ("mean", "nearest neighbours", "linear", "forest", "network", "network, decay")
LAMBDAS = (0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)  # of the softmax regression, on the sum of the losses
DECAYS = (0.0, 1e-4, 3e-4, 1e-3, 3e-3, 1e-2)  # of the network on digits, on the mean loss
SMALL_DECAYS = (0.003, 0.01, 0.03, 0.1, 0.3, 1.0)  # of the network on the diabetes data
NEIGHBOURS = (1, 3, 5, 10, 15, 20, 30, 50, 100)


@cache
def digit_runs():
    """Return a dict from a rival's name to the shares of test digits it has right (20,)."""
    return {name: column / 597 for name, column in read_columns("digit_rivals").items() if name in DIGITS}


@cache
def chosen_penalties():
    """Return the penalties that cross-validation chose on the digits: of softmax regression (20,), of the network."""
    columns = read_columns("digit_rivals")
    return columns["lambda"], columns["decay"]


@cache
def diabetes_runs():
    """Return a dict from a rival's name to its errors (20, 2): on the 300 patients seen, on the other 142."""
    columns = read_columns("diabetes_rivals")
    return {name: np.column_stack([columns[f"{name}: {rows}"] for rows in ("seen", "new")]) for name in DIABETES}


def trained(X, T, layers, kind, eta, epochs, lam=0.0, rng=0):
    """Return the parameters after mini-batches of 32 with weight decay: each W also shrinks by eta lam W a step."""
    rng = np.random.default_rng(rng)
    parameters = initial_parameters(layers, kind[0], rng)
    for _ in range(epochs):
        for batch in np.split(rng.permutation(len(X)), range(32, len(X), 32)):
            slopes = backward(forward(X[batch], parameters, *kind), parameters, T[batch], *kind)
            parameters = [p - eta * (g + lam * p * (p.ndim > 1)) for p, g in zip(parameters, slopes)]
    return parameters


def by_folds(error, n, grid, k, rng):
    """Return the entry of ``grid`` with the least error(entry, train, test), summed over k folds of n rows."""
    folds = np.array_split(np.random.default_rng(rng).permutation(n), k)
    rest = [np.concatenate([other for other in folds if other is not fold]) for fold in folds]
    return min(grid, key=lambda entry: sum(error(entry, train, test) for train, test in zip(rest, folds)))


def digit_split(seed):
    """Return training and test pictures and labels of one split: X (1200, 64), y, X (597, 64), y."""
    digits = datasets.digits()
    order = np.random.default_rng(seed).permutation(len(digits.y))
    X, first, rest = digits.X / 16, order[:1200], order[1200:]
    return X[first], digits.y[first], X[rest], digits.y[rest]


def digit_rival(name, seed):
    """Return how many of the 597 test digits a rival has right on one split, and the penalty it chose."""
    X, y, X_new, y_new = digit_split(seed)
    if name == "larger class":
        return int(np.sum(y_new == np.argmax(np.bincount(y)))), None
    if name == "nearest neighbour":
        return int(np.sum(KNNClassifier(1).fit(X, y).predict(X_new) == y_new)), None
    if name == "softmax regression":

        def wrong(lam, train, test):
            model = SoftmaxRegression(lam, tol=1e-8).fit(X[train], y[train])
            return np.sum(model.predict(X[test]) != y[test])

        lam = by_folds(wrong, len(X), LAMBDAS, 3, seed)
        return int(np.sum(SoftmaxRegression(lam, tol=1e-8).fit(X, y).predict(X_new) == y_new)), lam
    sizes, how = name.split(", ")
    layers, T = tuple(map(int, sizes.split("-"))), one_hot(y, 10)

    def right(lam, train, points, truth, epochs):
        net = trained(X[train], T[train], layers, ("relu", "softmax"), 0.1, epochs, lam, seed)
        return int(np.sum(forward(points, net, "relu", "softmax").y.argmax(axis=1) == truth))

    if how != "decay":
        return right(0.0, np.arange(len(X)), X_new, y_new, int(how.split()[0])), None
    lam = by_folds(lambda lam, train, test: -right(lam, train, X[test], y[test], 100), len(X), DECAYS, 3, seed)
    return right(lam, np.arange(len(X)), X_new, y_new, 100), lam


def diabetes_split(seed):
    """Return measurements and targets of all 442 patients in units of the 300 seen, and the rows seen and new."""
    data = datasets.diabetes()
    order = np.random.default_rng(seed).permutation(len(data.y))
    seen, new = order[:300], order[300:]
    X = (data.X - data.X[seen].mean(axis=0)) / data.X[seen].std(axis=0)
    return X, (data.y - data.y[seen].mean()) / data.y[seen].std(), seen, new


def diabetes_rival(name, seed):
    """Return a rival's root mean squared errors on the 300 patients seen and on the other 142 of one split."""
    X, t, seen, new = diabetes_split(seed)

    def answers(rival, train):
        if isinstance(rival, float):  # a network with this weight decay
            net = trained(X[train], t[train, None], (10, 32, 1), ("tanh", "identity"), 0.05, 200, rival, seed)
            return forward(X, net, "tanh", "identity").y[:, 0]
        return rival.fit(X[train], t[train]).predict(X)

    def chosen(grid, rival_of):
        def miss(entry, train, test):
            return np.sum((answers(rival_of(entry), seen[train])[seen[test]] - t[seen[test]]) ** 2)

        return rival_of(by_folds(miss, len(seen), grid, 5, seed))

    rivals = {
        "nearest neighbours": lambda: chosen(NEIGHBOURS, KNNRegressor),
        "linear": LinearRegression,
        "forest": lambda: BaggingRegressor(DecisionTreeRegressor(min_leaf=3, max_features=3), 100, seed),
        "network": lambda: 0.0,
        "network, decay": lambda: chosen(SMALL_DECAYS, float),
    }
    misses = (answers(rivals[name](), seen) if name in rivals else 0.0) - t
    return [float(np.mean(misses[rows] ** 2) ** 0.5) for rows in (seen, new)]


def digit_row(seed):
    """Return the row of one split: its number, the counts of all rivals, the two penalties."""
    found = [digit_rival(name, seed) for name in DIGITS]
    return [seed, *(right for right, _ in found), *(lam for _, lam in found if lam is not None)]


def diabetes_row(seed):
    """Return the row of one split: its number, two errors for each rival."""
    return [seed, *(f"{error:.4f}" for name in DIABETES for error in diabetes_rival(name, seed))]


def write(splits=range(SPLITS)):
    """Train all rivals and write both files."""
    write_rows("digit_rivals", ["split", *DIGITS, "lambda", "decay"], map(digit_row, progress(splits, "digits")))
    names = [f"{name}: {rows}" for name in DIABETES for rows in ("seen", "new")]
    write_rows("diabetes_rivals", ["split", *names], map(diabetes_row, progress(splits, "diabetes")))


if __name__ == "__main__":
    write()

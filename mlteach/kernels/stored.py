"""Runs that are kept: kernels and simpler rivals on twenty draws and twenty splits (sections 15.9.1 and 15.10).

``data/runs/digit_kernels.csv`` has, for each split of 600 digits for training and 1,197 new ones, how many each rival
misses; ``data/runs/diabetes_kernels.csv`` has, for each split of 294 patients and 148 new ones, root mean squared
errors, those of the Gaussian kernel in three tables of units; ``data/runs/kernel_units.csv`` has, for each draw of 100
points of a wave in both of two inputs, the error with the first in other units. Whatever has a knob is tuned by
cross-validation in the training part, a kernel's width together with its penalty. Penalties end at 1e-10, where
rounding begins: some digit splits choose it and meet every target, and raw patients choose it with bumps so wide that
the kernel is a line. ``python -m mlteach.kernels.stored`` computes all three anew (ten minutes).
"""

from functools import cache

import numpy as np

from mlteach import datasets
from mlteach.kernels.vectors import polynomial_kernel, rbf_kernel
from mlteach.logistic_regression import SoftmaxRegression
from mlteach.nearest_neighbors import KNNClassifier, KNNRegressor
from mlteach.progress import progress
from mlteach.runs import read_columns, write_rows

SPLITS, FOLDS = 20, 5
DIGITS = ("majority", "nearest neighbour", "linear", "softmax", "cubic", "Gaussian")
PATIENTS = ("mean", "nearest neighbour", "linear", "Gaussian", "Gaussian, as measured", "Gaussian, in pascal")
PENALTIES = 10.0 ** np.arange(-10, 3.5, 0.5)  # of all kernels
WIDTHS = {
    "cubic": 10.0 ** np.arange(-3, 1.5, 0.5),
    "Gaussian": 10.0 ** np.arange(-4, 1, 0.5),
    "Gaussian, as measured": 10.0 ** np.arange(-9, -1.5, 0.5),
    "Gaussian, in pascal": 10.0 ** np.arange(-11, -2.5, 0.5),
}
UNITS = (1, 10, 100)  # the first of two inputs is multiplied by this
UNIT_WIDTHS = 10.0 ** np.arange(-7, 2.5, 0.5)
SOFTMAX = 10.0 ** np.arange(-3, 3)


@cache
def digit_runs():
    """Return a dict from a rival's name, or from "β: name" and "λ: name", to its values (20,) on the digits."""
    return read_columns("digit_kernels")


@cache
def diabetes_runs():
    """Return a dict from a rival's name, or from "β: name" and "λ: name", to its values (20,) on the patients."""
    return read_columns("diabetes_kernels")


@cache
def unit_runs():
    """Return a dict from the size of a unit, 1, 10 or 100, to the root mean squared errors (20,) of a wave."""
    columns = read_columns("kernel_units")
    return {unit: columns[f"times {unit}"] for unit in UNITS}


def fold_of(n, split):
    """Return for each of ``n`` training rows in which of five folds it is."""
    return np.random.default_rng([15, split]).permutation(n) % FOLDS


def all_penalties(kernel, X, T, X_new):
    """Return the predictions (penalties, n_new, columns) of kernel ridge regression for every penalty, by one eigh."""
    values, U = np.linalg.eigh(kernel(X))
    onto, K_new = U.T @ T, kernel(X_new, X) @ U
    values = np.maximum(values, 0.0)[:, None]
    return np.array([K_new @ (onto / (values + lam)) for lam in PENALTIES])


def tuned(kernels, X, T, X_new, fold, loss):
    """Return the predictions for ``X_new`` of the best kernel and penalty, and the places of both.

    ``loss(T, Y)`` says what predictions Y for T cost; the choice has the least sum over the folds.
    """
    cost = np.zeros((len(kernels), len(PENALTIES)))
    for f in range(FOLDS):
        train, left = fold != f, fold == f
        for k, kernel in enumerate(kernels):
            cost[k] += [loss(T[left], Y) for Y in all_penalties(kernel, X[train], T[train], X[left])]
    k, p = np.unravel_index(cost.argmin(), cost.shape)
    return all_penalties(kernels[k], X, T, X_new)[p], k, p


def missed(T, Y):
    """Return how often the largest column of Y is not that of T."""
    return np.sum(T.argmax(axis=1) != Y.argmax(axis=1))


def squares(T, Y):
    """Return the sum of squared errors."""
    return np.sum((T - Y) ** 2)


def digit_row(split, names=DIGITS):
    """Return by name how many of 1,197 new digits each rival misses on one split, and the knobs chosen."""
    digits = datasets.digits()
    order = np.random.default_rng(split).permutation(len(digits.y))
    X, y, X_new, y_new = (
        digits.X[order[:600]] / 16,
        digits.y[order[:600]],
        digits.X[order[600:]] / 16,
        digits.y[order[600:]],
    )
    T, fold, row = np.where(y[:, None] == np.arange(10), 1.0, -1.0), fold_of(600, split), {}
    simple = {
        "majority": lambda: np.bincount(y).argmax(),
        "nearest neighbour": lambda: KNNClassifier(1).fit(X, y).predict(X_new),
        "softmax": lambda: _softmax(X, y, X_new, fold),
    }
    plans = {"linear": [polynomial_kernel(1)], "cubic": [polynomial_kernel(3, b) for b in WIDTHS["cubic"]],
             "Gaussian": [rbf_kernel(b) for b in WIDTHS["Gaussian"]]}  # fmt: skip
    for name in names:
        if name in simple:
            row[name] = np.sum(simple[name]() != y_new)
            continue
        Y, k, p = tuned(plans[name], X, T, X_new, fold, missed)
        row[name] = np.sum(Y.argmax(axis=1) != y_new)
        row |= _knobs(name, k, p)
    return {name: float(value) for name, value in row.items()}


def diabetes_row(split, names=PATIENTS):
    """Return by name the root mean squared error on 148 new patients of one split, and the knobs chosen."""
    data = datasets.diabetes()
    order = np.random.default_rng(split).permutation(len(data.y))
    first, rest = order[:294], order[294:]
    Z = (data.X - data.X[first].mean(axis=0)) / data.X[first].std(axis=0)
    pascal = data.X * np.where(np.arange(10) == 3, 133.3, 1.0)  # blood pressure in pascal instead of mmHg
    mean = data.y[first].mean()
    t, t_new, fold, row = data.y[first] - mean, data.y[rest] - mean, fold_of(294, split), {}
    tables = {"Gaussian, as measured": data.X, "Gaussian, in pascal": pascal}
    for name in names:
        if name == "mean":
            Y = np.zeros(148)
        elif name == "nearest neighbour":
            Y = KNNRegressor(1).fit(Z[first], t).predict(Z[rest])
        else:
            kernels = [polynomial_kernel(1)] if name == "linear" else [rbf_kernel(b) for b in WIDTHS[name]]
            X = tables.get(name, Z)
            Y, k, p = tuned(kernels, X[first], t[:, None], X[rest], fold, squares)
            Y, row = Y[:, 0], row | _knobs(name, k, p)
        row[name] = np.sqrt(np.mean((t_new - Y) ** 2))
    return {name: float(value) for name, value in row.items()}


def unit_row(draw, units=UNITS):
    """Return for each unit of the first input how far the Gaussian kernel stays from sin(2πx) + sin(2πx')."""
    rng, row = np.random.default_rng([15, draw]), {}
    X, X_new = rng.uniform(size=(100, 2)), rng.uniform(size=(500, 2))
    truth, truth_new = (np.sin(2 * np.pi * points).sum(axis=1) for points in (X, X_new))
    T, kernels = (truth + 0.3 * rng.normal(size=100))[:, None], [rbf_kernel(b) for b in UNIT_WIDTHS]
    for unit in units:
        size = np.array([unit, 1.0])
        Y, k, p = tuned(kernels, X * size, T, X_new * size, fold_of(100, draw), squares)
        row |= {f"times {unit}": np.sqrt(np.mean((Y[:, 0] - truth_new) ** 2))}
        row |= {f"β: times {unit}": UNIT_WIDTHS[k], f"λ: times {unit}": PENALTIES[p]}
    return {name: float(value) for name, value in row.items()}


def _knobs(name, k, p):
    beta = {f"β: {name}": WIDTHS[name][k]} if name in WIDTHS else {}
    return beta | {f"λ: {name}": PENALTIES[p]}


def _softmax(X, y, X_new, fold):
    """Return the answers of softmax regression with the penalty that misses least in the folds."""

    def model(lam, rows):
        return SoftmaxRegression(lam, tol=1e-6, history=False).fit(X[rows], y[rows])

    def cost(lam):
        return sum(np.sum(model(lam, fold != f).predict(X[fold == f]) != y[fold == f]) for f in range(FOLDS))

    return model(min(SOFTMAX, key=cost), np.arange(len(y))).predict(X_new)


def write(splits=range(SPLITS)):
    """Compute all splits and write the three files."""
    _keep("kernel_units", [unit_row(draw) for draw in progress(splits, "units")])
    _keep("diabetes_kernels", [diabetes_row(split) for split in progress(splits, "patients")])
    _keep("digit_kernels", [digit_row(split) for split in progress(splits, "digits")])


def _keep(name, rows):
    write_rows(name, rows[0], (row.values() for row in rows), "{:.6g}")


if __name__ == "__main__":
    write()

"""Twenty splits and twenty draws, kept in a file (sections 14.8.3 and 14.10.1).

The digits: half of them are stored, half are judged. K from 1 to 25 is chosen by leave-one-out in the stored half; the
rivals are the majority, the nearest mean image, one neighbour, and a softmax regression whose penalty is chosen by
cross-validation in the stored half. The curve: sixty noisy points, a weighted mean and a weighted line, the bandwidth
of each chosen by leave-one-out (14.15). ``python -m mlteach.nearest_neighbors.twenty`` writes
``data/runs/neighbors.csv`` anew (some minutes).
"""

import csv
from functools import cache

import numpy as np

from mlteach import datasets
from mlteach.evaluation import rmse, train_test_split
from mlteach.logistic_regression import SoftmaxRegression
from mlteach.nearest_neighbors.classification import predictions_by_k
from mlteach.nearest_neighbors.distances import distances
from mlteach.nearest_neighbors.local import LocallyWeightedRegression, NadarayaWatson
from mlteach.progress import progress

FILE = datasets.DATA / "runs" / "neighbors.csv"
RUNS, LARGEST = 20, 25
PENALTIES = 10.0 ** np.arange(-2, 2)
TAUS = np.logspace(-2, 0, 13)
LINE = np.linspace(0, 1, 161)
DIGITS = ("majority", "nearest mean", "softmax", "1-NN", "K-NN", "promised 1-NN", "promised K-NN", "K")
CURVE = ("mean, inside", "line, inside", "mean, whole", "line, whole")


@cache
def twenty_runs():
    """Return a dict from the name of a column to its values (20,), read from the file."""
    with open(FILE, encoding="utf-8", newline="") as file:
        names, *rows = csv.reader(file)
    return dict(zip(names[1:], np.array(rows, dtype=float).T[1:]))


def neighbours_of(split):
    """Return the test errors of K = 1 and of the K chosen, their leave-one-out errors, and the K chosen."""
    alone = np.mean(predictions_by_k(split.X_train, split.y_train)[:LARGEST] != split.y_train, axis=1)
    chosen = np.flatnonzero(alone <= alone.min() + 1e-9)[-1]  # of equals the largest
    new = np.mean(predictions_by_k(split.X_train, split.y_train, split.X_test)[:LARGEST] != split.y_test, axis=1)
    return new[0], new[chosen], alone[0], alone[chosen], chosen + 1


def digits_run(run):
    """Return the errors of one split of the digits, in the order of `DIGITS`."""
    digits = datasets.digits()
    split = train_test_split(digits.X / 16, digits.y, test_size=0.5, rng=run)
    X, y = split.X_train, split.y_train
    means = np.array([X[y == c].mean(axis=0) for c in range(10)])
    said = np.bincount(y).argmax(), distances(split.X_test, means).argmin(axis=1), _softmax(X, y, run, split.X_test)
    return [float(np.mean(answer != split.y_test)) for answer in said] + list(neighbours_of(split))


def _softmax(X, y, run, queries):
    """Return the answers of softmax regression with the penalty that is best in three folds."""
    fold = np.random.default_rng(run).permutation(len(y)) % 3
    hits = np.zeros(len(PENALTIES))
    for f in range(3):
        for i, lam in enumerate(PENALTIES):
            model = SoftmaxRegression(lam, tol=1e-6, history=False).fit(X[fold != f], y[fold != f])
            hits[i] += np.sum(model.predict(X[fold == f]) == y[fold == f])
    return SoftmaxRegression(PENALTIES[hits.argmax()], history=False).fit(X, y).predict(queries)


def curve_run(run):
    """Return how far weighted mean and weighted line are from the truth, in the order of `CURVE`."""
    rng, truth = np.random.default_rng(run), lambda x: np.sin(9 * x) + 2 * x
    x = np.sort(rng.beta(1.0, 1.6, 60))[:, None]
    t, inside = truth(x[:, 0]) + 0.4 * rng.normal(size=60), (LINE >= x[0]) & (LINE <= x[-1])
    fits = [make(best_tau(make, x, t)).fit(x, t).predict(LINE[:, None]) for make in (NadarayaWatson,
            LocallyWeightedRegression)]  # fmt: skip
    return [rmse(truth(LINE)[part], fit[part]) for part in (inside, LINE >= 0) for fit in fits]


def best_tau(make, x, t):
    """Return the bandwidth of `TAUS` with the least leave-one-out error by (14.15)."""
    errors = []
    for tau in TAUS:
        S = make(tau).fit(x, np.eye(len(t))).predict(x)
        rest = 1 - np.diag(S)
        errors.append(np.mean(((t - S @ t) / rest) ** 2) if rest.min() > 1e-9 else np.inf)
    return TAUS[np.argmin(errors)]


def main():
    """Write the file anew."""
    with open(FILE, "w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(("run", *DIGITS, *CURVE))
        for run in progress(range(RUNS), "runs"):
            out.writerow((run, *(f"{value:.4f}" for value in (*digits_run(run), *curve_run(run)))))
            file.flush()


if __name__ == "__main__":
    main()

"""Which fifty digits to label: twenty splits, kept in a file (section 21.9).

Each split has 1,000 digits without labels and 797 to be judged on. Fifty of the thousand are labelled: at random, one
of each of fifty clusters, the nearest to each of their centres, or points that are far from all before them. One
nearest neighbour or a softmax regression, its penalty chosen by cross-validation among the fifty, learns from them; or
each cluster takes the label of its typical digit. ``python -m mlteach.clustering.fifty`` writes
``data/runs/fifty_labels.csv`` anew (some minutes).
"""

import csv
from functools import cache

import numpy as np

from mlteach import datasets
from mlteach.clustering.kmeans import KMeans
from mlteach.clustering.squares import squared_distances
from mlteach.logistic_regression import SoftmaxRegression
from mlteach.nearest_neighbors import KNNClassifier
from mlteach.progress import progress

FILE = datasets.DATA / "runs" / "fifty_labels.csv"
SPLITS, ASKED = 20, 50
WAYS = ("random", "far from all before", "one of each cluster", "nearest to centres")
PENALTIES = 10.0 ** np.arange(-2, 4)
COLUMNS = ("majority", *(f"{way}, {learner}" for way in WAYS for learner in ("1-NN", "softmax")), "cluster's label")


@cache
def fifty_labels():
    """Return a dict from the name of a method to its accuracies in per cent (20,), read from the file."""
    with open(FILE, encoding="utf-8", newline="") as file:
        names, *rows = csv.reader(file)
    return dict(zip(names[1:], np.array(rows, dtype=float).T[1:]))


def far_from_all(X, k, rng):
    """Return the numbers of k rows: any first, then always the one that is farthest from all before it."""
    rows = [int(rng.integers(len(X)))]
    D = squared_distances(X, X[rows])[:, 0]
    while len(rows) < k:
        rows.append(int(np.argmax(D)))
        D = np.minimum(D, squared_distances(X, X[rows[-1:]])[:, 0])
    return rows


def asked_for(X, groups, rng):
    """Return four lists of fifty rows of ``X``, in the order of `WAYS`; ``groups`` is k-means with fifty centres."""
    return (
        rng.choice(len(X), ASKED, replace=False),
        far_from_all(X, ASKED, rng),
        [rng.choice(np.flatnonzero(groups.labels_ == k)) for k in range(ASKED)],
        squared_distances(X, groups.centers_).argmin(axis=0),
    )


def one_split(split):
    """Return the accuracies in per cent of one split, in the order of `COLUMNS`."""
    digits, rng = datasets.digits(), np.random.default_rng(2100 + split)
    train, test = np.split(rng.permutation(len(digits.y)), [1000])
    X, y, X_test, y_test = digits.X[train] / 16, digits.y[train], digits.X[test] / 16, digits.y[test]
    groups = KMeans(ASKED, rng=rng, n_init=1, history=False).fit(X)
    asked = asked_for(X, groups, rng)
    right = [np.mean(y_test == np.bincount(y).argmax())]
    for rows in asked:
        right.append(KNNClassifier(1).fit(X[rows], y[rows]).score(X_test, y_test))
        right.append(_tuned(X[rows], y[rows], rng).score(X_test, y_test))
    right.append(np.mean(y[asked[3]][groups.predict(X_test)] == y_test))
    return 100 * np.array(right)


def _tuned(X, y, rng):
    """Return softmax regression with the penalty that is best in five folds of the fifty."""
    fold = rng.permutation(len(y)) % 5
    hits = [sum(_softmax(lam, X[fold != f], y[fold != f], X[fold == f], y[fold == f]) for f in range(5))
            for lam in PENALTIES]  # fmt: skip
    best = np.flatnonzero(np.array(hits) == max(hits))
    return SoftmaxRegression(PENALTIES[best[len(best) // 2]]).fit(X, y)


def _softmax(lam, X, y, X_test, y_test):
    return (SoftmaxRegression(lam).fit(X, y).predict(X_test) == y_test).sum()


def main():
    """Write the file anew."""
    with open(FILE, "w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(("split", *COLUMNS))
        for split in progress(range(SPLITS), "splits"):
            out.writerow((split, *(f"{value:.3f}" for value in one_split(split))))
            file.flush()


if __name__ == "__main__":
    main()

"""Runs that are kept: four rivals on forty splits of the breast masses (section 2.13).

``data/runs/cancer_rivals.csv`` has, for each split, how many of the 190 test masses each rival gets wrong, the constant
C that cross-validation chose for the machine, and how many masses only the linear score and only the machine get wrong.
The rivals belong to later chapters, so whoever computes the runs anew (two minutes) brings them: `write_runs` takes
them, and ``tests/test_evaluation.py`` repeats a part.
"""

import csv
from functools import cache

import numpy as np

from mlteach import datasets

FILE = datasets.DATA / "runs" / "cancer_rivals.csv"
SPLITS, TRAIN, TEST = 40, 379, 190
RIVALS = ("majority", "nearest neighbour", "linear", "machine")
COLUMNS = (*RIVALS, "C", "only linear", "only machine")
GRID = (0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)  # of the machine's C


@cache
def cancer_rivals():
    """Return a dict from each of `COLUMNS` to its values on the forty splits (40,); rivals as shares of mistakes."""
    with open(FILE, encoding="utf-8", newline="") as file:
        names, *rows = csv.reader(file)
    columns = dict(zip(names, np.array(rows, dtype=float).T))
    return {name: columns[name] / TEST if name in RIVALS else columns[name] for name in COLUMNS}


def cancer_split(seed):
    """Return Z_train, y_train, Z_test, y_test of one split; 1 is malignant, the scale is that of the training part."""
    data = datasets.breast_cancer()
    malignant = (data.y == data.target_names.index("malignant")).astype(int)
    order = np.random.default_rng(seed).permutation(TRAIN + TEST)
    train, test = order[:TRAIN], order[TRAIN:]
    Z = (data.X - data.X[train].mean(axis=0)) / data.X[train].std(axis=0)
    return Z[train], malignant[train], Z[test], malignant[test]


def one_split(seed, linear, machine):
    """Return the row of one split, in the order of `COLUMNS`.

    ``linear(Z, y, new)`` returns the answers to ``new``, ``machine(Z, y, new)`` the answers and the C that it chose.
    """
    Z, y, new, truth = cancer_split(seed)
    nearest = y[((Z**2).sum(axis=1) - 2 * new @ Z.T).argmin(axis=1)]
    by_machine, C = machine(Z, y, new)
    answers = (np.full(TEST, int(y.mean() > 0.5)), nearest, linear(Z, y, new), by_machine)
    wrong = [said != truth for said in answers]
    only = [int(np.sum(wrong[i] & ~wrong[5 - i])) for i in (2, 3)]
    return [*(int(w.sum()) for w in wrong), C, *only]


def write_runs(linear, machine):
    """Compute all splits and write the file."""
    rows = [one_split(seed, linear, machine) for seed in range(SPLITS)]
    with open(FILE, "w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([COLUMNS, *rows])

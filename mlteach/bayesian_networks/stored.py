"""Runs that are kept: networks and rivals on forty splits of the tumours (section 11.10).

Six measurements, each cut at the thirds of the training part. Chances of *malignant* come from the naive network, the
naive one with four traits, without perimeter and area, and the drawn one, each with one imagined sample an entry and
with a number of them that five folds inside the training part choose (smallest log loss); from a logistic regression of
the same levels, and one of the measurements themselves ("line"), penalties chosen in the same way. A nearest neighbour
in units of scatter and the majority give a class. "No radius" is the same when the radius is not known in the test
part: networks leave it out of the evidence, "refitted" is a logistic regression trained without it, "filled" the one
trained with it, which takes its most frequent level. ``data/runs/tumour_nets.csv`` has log losses and the wrong ones of
190; ``python -m mlteach.bayesian_networks.stored`` computes it anew (half a minute).
"""

import csv
from functools import cache

import numpy as np

from mlteach import datasets
from mlteach.bayesian_networks.network import BayesNet
from mlteach.evaluation import stratified_k_fold
from mlteach.logistic_regression import LogisticRegression
from mlteach.progress import progress

FILE = datasets.DATA / "runs" / "tumour_nets.csv"
SPLITS, TRAIN, TEST = 40, 379, 190
TRAITS = ("Radius", "Perimeter", "Area", "Texture", "Smoothness", "Concavity")
GEOMETRY = {"Perimeter": ("Radius",), "Area": ("Radius",)}
NETS = {"naive": (TRAITS, {}), "four": (("Radius", *TRAITS[3:]), {}), "drawn": (TRAITS, GEOMETRY)}
ALPHAS = 10.0 ** np.arange(-2, 3.1, 0.5)
LAMBDAS = 10.0 ** np.arange(-4, 2.1, 0.5)
JUDGED = ("loss", "wrong", "sure", "sure and wrong")
COLUMNS = (
    *(f"{what} {name}{more}" for name in NETS for more in (", α = 1", "") for what in JUDGED),
    *(f"{what} {name}" for name in ("logistic", "line") for what in JUDGED),
    "loss share", "wrong majority", "wrong nearest",
    *(f"{what} {name}, no radius" for name in (*NETS, "refitted", "filled") for what in ("loss", "wrong")),
    *(f"α {name}" for name in NETS), "λ logistic", "λ line",
)  # fmt: skip


@cache
def tumour_nets():
    """Return a dict from each of `COLUMNS` to its values on the forty splits (40,), read from the file."""
    with open(FILE, encoding="utf-8", newline="") as file:
        names, *rows = csv.reader(file)
    return dict(zip(names, np.array(rows, dtype=float).T))


def measured():
    """Return the six measurements (569, 6) and whether each tumour is malignant (569,)."""
    data = datasets.breast_cancer()
    chosen = [data.feature_names.index(f"mean {trait.lower()}") for trait in TRAITS]
    return data.X[:, chosen], data.y == data.target_names.index("malignant")


def levels(X, train):
    """Return 0, 1 or 2 for each measurement, cut at the thirds of the training rows."""
    cuts = np.quantile(X[train], [1 / 3, 2 / 3], axis=0)
    return (X[:, None] > cuts).sum(axis=1)


def network(name, L, y, alpha):
    """Return the network of `NETS`, learnt from the levels L (n, 6) with ``alpha`` imagined samples an entry."""
    traits, extra = NETS[name]
    net = BayesNet().add("Malignant")
    for trait in traits:
        net.add(trait, ("Malignant", *extra.get(trait, ())), states=range(3))
    return net.fit({"Malignant": y, **{trait: L[:, TRAITS.index(trait)] for trait in traits}}, prior=alpha)


def chances(net, L, unknown=None):
    """Return P(malignant | levels) of every row (n,); ``unknown``, if given, is summed out."""
    joint = np.zeros((2, len(L)))
    for state in range(2):
        for value in range(3) if unknown in net.names else [None]:
            columns = {"Malignant": np.full(len(L), state)}
            columns |= {trait: L[:, TRAITS.index(trait)] for trait in net.names[1:]}
            if value is not None:
                columns[unknown] = np.full(len(L), value)
            joint[state] += np.prod([net.chances(v, columns) for v in net.names], axis=0)
    return joint[0] / joint.sum(axis=0)


def flags(L):
    """Return a column for each level of each measurement but the lowest, (n, 2 d); measurements stay as they are."""
    return np.hstack([L == 1, L == 2]).astype(float) if L.dtype == int else L


def logistic(L, y, lam):
    """Return a function from levels, or measurements, to the chance of malignant, learnt with the penalty ``lam``."""
    model = LogisticRegression(lam, history=False).fit(flags(L), y.astype(int))
    return lambda new: model.predict_proba(flags(new))[:, 1]


def log_loss(p, y):
    """Return the mean of -ln P(what was true)."""
    return float(-np.log(np.maximum(np.where(y, p, 1 - p), 1e-300)).mean())


def tuned(make, grid, L, y, seed):
    """Return the knob of the grid with the smallest log loss in five folds of the training part."""
    folds = stratified_k_fold(y, 5, rng=seed)
    cost = [np.mean([log_loss(make(L[a], y[a], knob)(L[b]), y[b]) for a, b in folds]) for knob in grid]
    return grid[int(np.argmin(cost))]


def one_split(seed):
    """Return the row of one split, in the order of `COLUMNS`."""
    X, y = measured()
    order = np.random.default_rng(seed).permutation(len(y))
    train, test = order[:TRAIN], order[TRAIN:]
    L, t, truth = levels(X, train), y[train], y[test]
    Z = (X - X[train].mean(axis=0)) / X[train].std(axis=0)
    row, no_radius, knobs = [], [], []
    for name in NETS:
        knobs.append(tuned(lambda *data, name=name: _answers(name, *data), ALPHAS, L[train], t, seed))
        net = network(name, L[train], t, knobs[-1])
        row += _judged(_answers(name, L[train], t, 1.0)(L[test]), truth) + _judged(chances(net, L[test]), truth)
        no_radius += _judged(chances(net, L[test], "Radius"), truth)[:2]
    for data in (L, Z):
        knobs.append(tuned(logistic, LAMBDAS, data[train], t, seed))
        row += _judged(logistic(data[train], t, knobs[-1])(data[test]), truth)
    nearest = t[((Z[test][:, None] - Z[train]) ** 2).sum(axis=2).argmin(axis=1)]
    row += [log_loss(np.full(TEST, t.mean()), truth), np.sum(truth != (t.mean() > 0.5)), np.sum(nearest != truth)]
    lam = tuned(logistic, LAMBDAS, L[train][:, 1:], t, seed)
    no_radius += _judged(logistic(L[train][:, 1:], t, lam)(L[test][:, 1:]), truth)[:2]
    filled = L[test].copy()
    filled[:, 0] = np.bincount(L[train][:, 0]).argmax()
    no_radius += _judged(logistic(L[train], t, knobs[3])(filled), truth)[:2]
    return [*row, *no_radius, *knobs]


def _answers(name, L, y, alpha):
    """Return a function from levels to the chance that a network of `NETS` gives."""
    net = network(name, L, y, alpha)
    return lambda new: chances(net, new)


def _judged(p, truth):
    """Return log loss, mistakes, how many are 99 % sure, and how many of those are wrong."""
    wrong, sure = (p > 0.5) != truth, (p > 0.99) | (p < 0.01)
    return [log_loss(p, truth), int(wrong.sum()), int(sure.sum()), int(np.sum(sure & wrong))]


def main():
    """Compute all splits and write the file."""
    with open(FILE, "w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(COLUMNS)
        for seed in progress(range(SPLITS), "splits"):
            out.writerow([f"{value:.5g}" for value in one_split(seed)])
            file.flush()


if __name__ == "__main__":
    main()

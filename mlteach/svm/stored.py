"""Runs that are kept: machines and simpler rivals on twenty splits of two data sets (sections 16.11 and 16.13).

They take some fifteen minutes. ``data/runs/digit_machines.csv`` has, for each split of 400 digits for training and
400 new ones, the errors of three ways to join machines for two classes, tuned and with frozen knobs, and of simple
rivals.
``data/runs/cancer_machines.csv`` has, for each split of 420 masses for training and 149 new ones, the malignant masses
that a rule misses and its false alarms, the log losses of three kinds of probabilities, and what was chosen.
``python -m mlteach.svm.stored`` computes them anew.
"""

from functools import cache

import numpy as np

from mlteach import datasets
from mlteach.evaluation import roc_auc
from mlteach.kernels import rbf_kernel
from mlteach.linear_classification import FisherDiscriminant
from mlteach.logistic_regression import LogisticRegression, SoftmaxRegression
from mlteach.nearest_neighbors import KNNClassifier
from mlteach.progress import progress
from mlteach.runs import read_columns, write_rows
from mlteach.svm.classification import SVC
from mlteach.svm.multiclass import DAGSVM

SPLITS, FOLDS = 20, 5
SCHEMES = ("one against all", "one against one", "DAG")
FROZEN = (0.01, 0.03, 0.1, 0.3)  # β with C = 10
DIGITS = ("larger class", "nearest neighbour", "softmax regression", *SCHEMES)
DIGIT_PRICES, DIGIT_BETAS = (1.0, 10.0), (0.03, 0.1, 0.2, 0.5, 1.0)
RULES = ("majority", "one question", "nearest neighbour", "Fisher", "linear", "Gaussian", "logistic", "threshold",
         "weight 5", "logistic, p > 1/6")  # fmt: skip
PRICES, WIDE_PRICES = 10.0 ** np.arange(-3, 2), 10.0 ** np.arange(-1, 4)  # of the linear machine, of the Gaussian
BETAS, LAMBDAS = (1 / 300, 1 / 100, 1 / 30, 1 / 10), 10.0 ** np.arange(-3, 4)
CUTS = np.arange(-20, 21) / 10
EXTRAS = ("C", "cut", "C weight 5", "area", "area weight 5", "loss plain", "loss Platt", "loss logistic")


@cache
def digit_runs():
    """Return a dict from a rival's name to its errors (20,) on 400 new digits; frozen knobs as (scheme, beta)."""
    columns = read_columns("digit_machines")
    frozen = {(scheme, beta): columns[f"{scheme} {beta}"] for beta in FROZEN for scheme in SCHEMES}
    return {name: columns[name] for name in DIGITS} | frozen


@cache
def cancer_runs():
    """Return a dict from a rule's name to (20, 2), masses missed and false alarms, and one with what was chosen."""
    columns = read_columns("cancer_machines")
    rules = {name: np.column_stack([columns[f"{name}: {kind}"] for kind in ("missed", "alarms")]) for name in RULES}
    return rules, {name: columns[name] for name in ("ill", *EXTRAS)}


def folds(n, k, rng):
    """Yield training and test rows of k folds of n rows."""
    parts = np.array_split(np.random.default_rng(rng).permutation(n), k)
    for part in parts:
        yield np.setdiff1d(np.arange(n), part), part


def schemes(X, y, X_new, C, beta):
    """Return the answers (3, n) of one against all, one against one and the DAG."""

    def make():
        return SVC(C=C, kernel=rbf_kernel(beta=beta))

    dag, labels = DAGSVM(make).fit(X, y), np.unique(y)
    scores = [make().fit(X, y == label).decision_function(X_new) for label in labels]
    return np.array([labels[np.argmax(scores, 0)], dag.classes_[dag.votes(X_new).argmax(1)], dag.predict(X_new)])


def digit_split(seed):
    """Return training and new pictures and labels of one split: X (400, 64), y, X (400, 64), y."""
    digits = datasets.digits()
    order = np.random.default_rng(seed).permutation(len(digits.y))
    X, first, rest = digits.X / 16, order[:400], order[400:800]
    return X[first], digits.y[first], X[rest], digits.y[rest]


def digit_row(seed):
    """Return the errors on one split by name, each rival tuned by cross-validation inside its 400 digits."""
    X, y, X_new, y_new = digit_split(seed)
    row = {"larger class": np.sum(y_new != np.argmax(np.bincount(y)))}
    row["nearest neighbour"] = np.sum(KNNClassifier(1).fit(X, y).predict(X_new) != y_new)
    inner = list(folds(400, 3, seed))

    def linear(lam, train, points):
        return SoftmaxRegression(lam, tol=1e-8).fit(X[train], y[train]).predict(points)

    lams = (0.01, 0.1, 1.0, 10.0)
    lam = min(lams, key=lambda lam: sum(np.sum(linear(lam, a, X[b]) != y[b]) for a, b in inner))
    row["softmax regression"] = np.sum(linear(lam, np.arange(400), X_new) != y_new)
    knobs = [(C, beta) for C in DIGIT_PRICES for beta in DIGIT_BETAS]
    wrong = [sum(np.sum(schemes(X[a], y[a], X[b], *knob) != y[b], axis=1) for a, b in inner) for knob in knobs]
    best = [knobs[k] for k in np.argmin(wrong, axis=0)]
    found = {knob: np.sum(schemes(X, y, X_new, *knob) != y_new, axis=1) for knob in {*best}}
    row |= {name: found[knob][k] for k, (name, knob) in enumerate(zip(SCHEMES, best))}
    for beta in FROZEN:
        row |= {f"{s} {beta}": n for s, n in zip(SCHEMES, np.sum(schemes(X, y, X_new, 10, beta) != y_new, axis=1))}
    row |= {f"beta {name}": knob[1] for name, knob in zip(SCHEMES, best)}
    return {name: float(value) for name, value in row.items()}


def cancer_split(seed):
    """Return standardised measurements and whether a mass is malignant: X (420, 30), ill, X (149, 30), ill."""
    data = datasets.breast_cancer()
    order = np.random.default_rng(seed).permutation(len(data.y))
    first, rest, ill = order[:420], order[420:], data.y == 0
    Z = (data.X - data.X[first].mean(axis=0)) / data.X[first].std(axis=0)
    return Z[first], ill[first], Z[rest], ill[rest]


def held_out(fit, X, ill, seed):
    """Return the score of each row by a model ``fit`` to the other folds."""
    scores = np.empty(len(X))
    for train, part in folds(len(X), FOLDS, seed):
        scores[part] = fit(X[train], ill[train]).decision_function(X[part])
    return scores


def cost(answer, ill, weight=1):
    """Return the errors, each malignant mass that is missed counted ``weight`` times."""
    return int(weight * np.sum(~answer & ill) + np.sum(answer & ~ill))


def heavier(C, weight):
    """Return a function that fits a linear machine whose malignant slack costs weight * C."""

    def fit(X, ill):
        rows = np.append(np.arange(len(X)), np.repeat(np.flatnonzero(ill), weight - 1))
        return SVC(C=C).fit(X[rows], ill[rows])

    return fit


def one_question(X, ill, X_new):
    """Return the answers of the best single comparison, measurement above value, on the training rows."""
    questions = [(j, (v[:-1] + v[1:]) / 2) for j, v in enumerate(np.unique(column) for column in X.T)]
    found = [(np.mean((X[:, [j]] > cuts) != ill[:, None], axis=0), j, cuts) for j, cuts in questions]
    wrong, j, cuts = min(found, key=lambda entry: entry[0].min())
    return X_new[:, j] > cuts[wrong.argmin()]


def log_loss(p, ill):
    """Return the mean log loss of probabilities of being malignant."""
    return float(-np.mean(np.log(np.clip(np.where(ill, p, 1 - p), 1e-12, 1))))


def best_by_folds(X, ill, grid, fit_of, judge, seed):
    """Return the entry of ``grid`` whose held-out scores ``judge`` finds least, its model on all rows, its scores."""
    scores = [held_out(fit_of(*knob), X, ill, seed) for knob in grid]
    k = int(np.argmin([judge(score) for score in scores]))
    return grid[k], fit_of(*grid[k])(X, ill), scores[k]


def tuned_models(X, ill, seed):
    """Return by name the knobs, the model and the held-out scores of each model with knobs."""

    def gaussian(C, beta):
        return SVC(C=C, kernel=rbf_kernel(beta=beta)).fit

    def errors(score):
        return cost(score > 0, ill)

    prices, lams = [(C,) for C in PRICES], [(lam,) for lam in LAMBDAS]
    wide = [(C, beta) for C in WIDE_PRICES for beta in BETAS]
    plans = {
        "linear": (prices, lambda C: SVC(C=C).fit, errors),
        "Gaussian": (wide, gaussian, errors),
        "logistic": (lams, lambda lam: LogisticRegression(lam).fit, errors),
        "chances": (lams, lambda lam: LogisticRegression(lam).fit, lambda s: log_loss(1 / (1 + np.exp(-s)), ill)),
        "weight 5": (prices, lambda C: heavier(C, 5), lambda s: cost(s > 0, ill, 5)),
    }
    return {name: best_by_folds(X, ill, *plan, seed) for name, plan in plans.items()}


def cancer_row(seed):
    """Return missed, alarms, losses and choices on one split by name, all choices by folds of the 420 rows."""
    X, ill, X_new, ill_new = cancer_split(seed)
    tuned = tuned_models(X, ill, seed)
    (C,), _, score = tuned["linear"]
    cut = min(CUTS, key=lambda c: (cost(score > c, ill, 5), abs(c)))
    raw, wide, weighted = (tuned[name][1].decision_function(X_new) for name in ("linear", "Gaussian", "weight 5"))
    chance = tuned["chances"][1].predict_proba(X_new)[:, 1]
    platt = LogisticRegression(0.1).fit(tuned["Gaussian"][2][:, None], ill)
    answers = (np.zeros(len(ill_new), bool), one_question(X, ill, X_new), KNNClassifier(1).fit(X, ill).predict(X_new),
               FisherDiscriminant().fit(X, ill).predict(X_new), raw > 0, wide > 0,
               tuned["logistic"][1].predict(X_new), raw > cut, weighted > 0, chance > 1 / 6)  # fmt: skip
    row = {"ill": int(np.sum(ill_new))}
    for name, answer in zip(RULES, answers):
        row |= {f"{name}: missed": int(np.sum(~answer & ill_new)), f"{name}: alarms": int(np.sum(answer & ~ill_new))}
    losses = (1 / (1 + np.exp(-wide)), platt.predict_proba(wide[:, None])[:, 1], chance)
    areas = [roc_auc(ill_new, values, positive=True) for values in (raw, weighted)]
    extras = (C, cut, tuned["weight 5"][0][0], *areas, *(log_loss(p, ill_new) for p in losses))
    return row | {name: round(float(value), 5) for name, value in zip(EXTRAS, extras)}


def write(splits=range(SPLITS)):
    """Train all rivals and write both files."""
    _keep("cancer_machines", [cancer_row(seed) for seed in progress(splits, "masses")])
    _keep("digit_machines", [digit_row(seed) for seed in progress(splits, "digits")])


def _keep(name, rows):
    write_rows(name, rows[0], (row.values() for row in rows), "{:g}")


if __name__ == "__main__":
    write()

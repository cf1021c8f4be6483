"""Runs that are kept: ten rivals on twenty splits of the tumours (section 13.9), learning rates (section 13.6.8).

They take a quarter of an hour. ``data/runs/tumour_rivals.csv`` has, for each split, how many of the 190 test tumours
each rival gets wrong, and what was chosen for it inside the 379 training tumours: the least leaf of the tree, the
penalty of logistic regression and the rounds of AdaBoost by five folds; the features per split of the forest by its
out-of-bag error; depth and rounds of gradient boosting by the log loss of a quarter that was set aside.
``data/runs/learning_rates.csv`` has, for twenty draws of two moons and four settings of gradient boosting, the log loss
on 1,000 new points where 75 points set aside stop it, its loss in the last round, and the round where it stopped.
``python -m mlteach.ensembles.stored`` computes them anew.
"""

from functools import cache

import numpy as np

from mlteach import datasets
from mlteach.decision_trees import DecisionTreeClassifier
from mlteach.ensembles.boosting import AdaBoost
from mlteach.ensembles.forest import ExtraTrees, RandomForest
from mlteach.ensembles.gradient import boost_trees, log_losses
from mlteach.linear_regression import standardize
from mlteach.logistic_regression import LogisticRegression
from mlteach.nearest_neighbors import KNNClassifier
from mlteach.progress import progress
from mlteach.runs import read_columns, write_rows

SPLITS, TEST = 20, 190
RIVALS = ("larger class", "nearest neighbour", "one tree", "tree, tuned", "100 bagged", "forest", "extra trees",
          "AdaBoost", "gradient boosting", "logistic")  # fmt: skip
CHOSEN = ("leaf", "m", "rounds", "depth", "trees", "lambda")
LEAVES, FEATURES, ROUNDS = (1, 2, 3, 5, 8, 12, 20), (1, 2, 5, 10, 30), (10, 25, 50, 100, 200, 400)
LAMBDAS, DEPTHS, ETA, MOST = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0), (1, 2, 3), 0.3, 120
RATES = {
    "1 deep 3": (1.0, 3, 40),
    "0.1 deep 3": (0.1, 3, 150),
    "0.1 deep 1": (0.1, 1, 150),
    "0.1 deep 6": (0.1, 6, 150),
}


@cache
def tumour_runs():
    """Return a dict from a rival's name to its mistakes on 190 test tumours (20,), and from what was chosen."""
    return {name: column for name, column in read_columns("tumour_rivals").items() if name != "split"}


@cache
def rate_runs():
    """Return a dict from a setting of gradient boosting to (20, 3): loss where it stops, loss at the end, rounds."""
    columns = read_columns("learning_rates")
    return {name: np.column_stack([columns[f"{name}: {k}"] for k in ("stop", "end", "rounds")]) for name in RATES}


def tumour_split(seed):
    """Return standardised training and test tumours and labels -1, +1 of one split: X (379, 30), t, X (190, 30), t."""
    data = datasets.breast_cancer()
    order = np.random.default_rng(seed).permutation(len(data.y))
    seen, new, t = order[:-TEST], order[-TEST:], np.where(data.y > 0, 1, -1)
    Z = standardize(data.X, like=data.X[seen])
    return Z[seen], t[seen], Z[new], t[new]


def folds(n, seed, k=5):
    """Return k pairs of rows: to learn from, to test."""
    parts = np.array_split(np.random.default_rng(1000 + seed).permutation(n), k)
    return [(np.concatenate([p for p in parts if p is not part]), part) for part in parts]


def by_folds(make, grid, X, t, seed):
    """Return the entry of ``grid`` whose model make(entry) has the fewest mistakes in five folds."""

    def wrong(entry):
        return sum(np.sum(make(entry).fit(X[a], t[a]).predict(X[b]) != t[b]) for a, b in folds(len(X), seed))

    return min(grid, key=wrong)


def rounds_of_adaboost(X, t, seed):
    """Return the number of rounds with the fewest mistakes in five folds."""
    wrong = np.zeros(len(ROUNDS))
    for a, b in folds(len(X), seed):
        said = AdaBoost(ROUNDS[-1], history=False).fit(X[a], t[a]).staged_predict(X[b])
        wrong += [np.sum(said[min(m, len(said)) - 1] != t[b]) for m in ROUNDS]
    return ROUNDS[int(wrong.argmin())]


def depth_and_trees(X, t, seed):
    """Return depth and number of trees with the least log loss on a quarter that was set aside."""
    a, b = folds(len(X), seed, 4)[0]
    losses = np.array(
        [log_losses(boost_trees(X[a], t[a], MOST, ETA, depth, X[b]).new_scores, t[b]) for depth in DEPTHS]
    )
    depth, trees = np.unravel_index(losses.argmin(), losses.shape)
    return DEPTHS[depth], int(trees)


def models(leaf, rounds, lam, seed):
    """Return a dict of the rivals that need nothing but fit and predict, with what was chosen for them."""
    return {
        "nearest neighbour": KNNClassifier(1),
        "one tree": DecisionTreeClassifier(),
        "tree, tuned": DecisionTreeClassifier(min_leaf=int(leaf)),
        "extra trees": ExtraTrees(100, rng=seed),
        "AdaBoost": AdaBoost(int(rounds), history=False),
        "logistic": LogisticRegression(lam=lam),
    }


def answers(seed):
    """Return a dict from each rival to its answers on the test tumours of one split, and a dict of what was chosen."""
    X, t, new, _ = tumour_split(seed)
    leaf = by_folds(lambda size: DecisionTreeClassifier(min_leaf=size), LEAVES, X, t, seed)
    lam = by_folds(lambda penalty: LogisticRegression(lam=penalty), LAMBDAS, X, t, seed)
    forests = {m: RandomForest(100, m, seed).fit(X, t) for m in FEATURES}
    m = min(FEATURES, key=lambda features: forests[features].oob_error_)
    rounds, (depth, trees) = rounds_of_adaboost(X, t, seed), depth_and_trees(X, t, seed)
    said = {name: model.fit(X, t).predict(new) for name, model in models(leaf, rounds, lam, seed).items()}
    said["larger class"] = np.full(TEST, 1 if np.mean(t) > 0 else -1)
    said["100 bagged"], said["forest"] = forests[30].predict(new), forests[m].predict(new)
    said["gradient boosting"] = np.where(boost_trees(X, t, trees, ETA, depth, new).new_scores[-1] > 0, 1, -1)
    return said, dict(zip(CHOSEN, (leaf, m, rounds, depth, trees, lam)))


def row(seed):
    """Return the row of one split: its number, the mistakes of all rivals, what was chosen for them."""
    (said, chosen), t = answers(seed), tumour_split(seed)[3]
    return [seed, *(int(np.sum(said[name] != t)) for name in RIVALS), *(chosen[name] for name in CHOSEN)]


def moons_run(seed, eta, depth, M):
    """Return the log losses after 0 ... M rounds on 150 moons learnt from, on 75 set aside, on 1,000 new ones."""
    sets = [datasets.moons(n, 0.35, rng=1000 * k + seed) for k, n in enumerate((150, 75, 1000))]
    t = [np.where(data.y > 0, 1, -1) for data in sets]
    run = boost_trees(sets[0].X, t[0], M, eta, depth, np.vstack([sets[1].X, sets[2].X]))
    return (log_losses(run.scores, t[0]), log_losses(run.new_scores[:, :75], t[1]),
            log_losses(run.new_scores[:, 75:], t[2]))  # fmt: skip


def rate_row(seed):
    """Return the row of one draw: its number, and three numbers for each setting."""
    found = [seed]
    for eta, depth, M in RATES.values():
        _, aside, new = moons_run(seed, eta, depth, M)
        found += [f"{new[aside.argmin()]:.4f}", f"{new[-1]:.4f}", int(aside.argmin())]
    return found


def write(splits=range(SPLITS)):
    """Train all rivals and write both files."""
    names = [f"{name}: {k}" for name in RATES for k in ("stop", "end", "rounds")]
    write_rows("learning_rates", ["draw", *names], map(rate_row, progress(splits, "rates")))
    write_rows("tumour_rivals", ["split", *RIVALS, *CHOSEN], map(row, progress(splits, "tumours")))


if __name__ == "__main__":
    write()

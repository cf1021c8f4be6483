"""Runs that are kept: players against greedy 2 (section 1.8.7), errors that rise (1.8.6), rivals on irises (1.11).

They take about a minute. ``data/runs/checkers_players.csv`` has, for each of 24 players trained by sixty games of
self-play, what became of 24 games against greedy 2. ``data/runs/checkers_rises.csv`` has, for each of twenty players,
in how many of 59 games the training error was larger than in the game before, with the moving targets of (1.22) and
with a target that stands still, the outcome of the game. ``data/runs/iris_rivals.csv`` has, for each of twenty halves
of the irises, how many of the 75 test flowers each rival gets wrong when it asks "versicolor or not?". All of them see
whole centimetres; those called "in mm" see the measurements to the millimetre. What has a knob is tuned by five folds
inside the training half. ``python -m mlteach.learning_problems.stored`` computes them anew.
"""

import csv
from functools import cache

import numpy as np

from mlteach import datasets
from mlteach.learning_problems.checkers import Checkers
from mlteach.learning_problems.conjunction import all_conjunctions
from mlteach.learning_problems.players import greedy_player, linear_player, play_game, tournament
from mlteach.learning_problems.self_play import lms_train, lms_update, training_boards

RUNS, PLAYERS, GAMES, SPLITS = datasets.DATA / "runs", 24, 24, 20
DOMAINS = (range(4, 8), range(2, 5), range(1, 7), range(3))
RIVALS = ("never", "best conjunction", "line", "1-NN", "K-NN", "tree", "1-NN in mm", "tree in mm")
KS, LEAVES, LAMBDAS = (1, 3, 5, 7, 9, 13, 17, 25), (1, 2, 3, 5, 8, 12, 20), (0.001, 0.01, 0.1, 1.0, 10.0, 100.0, 1000.0)


@cache
def player_runs():
    """Return how many of its 24 games against greedy 2 each of 24 players won, drew and lost (24, 3)."""
    columns = _read("checkers_players")
    return np.column_stack([columns[name] for name in ("won", "drawn", "lost")]).astype(int)


@cache
def rise_runs():
    """Return in how many of 59 games the training error rose, for moving and for fixed targets: a dict of two (20,)."""
    return {name: column.astype(int) for name, column in _read("checkers_rises").items()}


@cache
def iris_runs():
    """Return a dict from a rival's name to its wrong answers on 75 test flowers (20,)."""
    return _read("iris_rivals")


def player_run(player):
    """Return the games won, drawn and lost of one freshly trained player against greedy 2."""
    start = Checkers(size=6)
    w = lms_train(60, learning_rate=0.1, rng=1000 + player, start=start).w
    return tournament(linear_player(w, player), greedy_player(500 + player, depth=2), GAMES, 2000 + player, start=start)


def rise_run(player):
    """Return how often the training error of one player rises from game to game, with moving and with fixed targets."""
    moving = lms_train(60, learning_rate=0.1, rng=player, start=Checkers(size=6))
    return _rises([step.error for step in moving.history[1:]]), _rises(_errors_with_fixed_targets(player))


def _errors_with_fixed_targets(player):
    """Return the training error of each game if every board of a side has the outcome of the game as its target."""
    rng, w, errors = np.random.default_rng(player), np.zeros(7), []
    for _ in range(60):
        plays = linear_player(w, rng, epsilon=0.1)
        game, missed = play_game(plays, plays, Checkers(size=6)), []
        for side in ("black", "red"):
            X, outcome = training_boards(game, side)
            for x in X:
                missed.append(outcome - w @ x)
                w = lms_update(w, x, outcome, learning_rate=0.1)
        errors.append(np.sqrt(np.mean(np.square(missed))))
    return errors


def _rises(errors):
    return int(np.sum(np.diff(errors) > 0))


def split(seed):
    """Return the 75 flowers to learn from and the 75 to test on."""
    order = np.random.default_rng(seed).permutation(150)
    return order[:75], order[75:]


def by_folds(make, grid, X, t, seed):
    """Return the entry of ``grid`` whose model make(entry) errs least in five folds."""
    parts = np.array_split(np.random.default_rng(1000 + seed).permutation(len(t)), 5)

    def wrong(entry):
        pairs = [(np.setdiff1d(np.arange(len(t)), part), part) for part in parts]
        return sum(np.sum(make(entry).fit(X[a], t[a]).predict(X[b]) != t[b]) for a, b in pairs)

    return min(grid, key=wrong)


def iris_run(seed):
    """Return a dict from a rival's name to its number of wrong answers on the test half of one split."""
    from mlteach.decision_trees import DecisionTreeClassifier
    from mlteach.logistic_regression import LogisticRegression
    from mlteach.nearest_neighbors import KNNClassifier

    iris, (a, b) = datasets.iris(), split(seed)
    exact, whole, t = iris.X, np.floor(iris.X), (iris.y == 1).astype(int)
    flowers = [tuple(x) for x in whole.astype(int).tolist()]
    space = all_conjunctions([tuple(values) for values in DOMAINS])
    best = min(space, key=lambda h: sum(h(flowers[n]) != t[n] for n in a))
    said = {"never": np.zeros(75, dtype=int), "best conjunction": np.array([int(best(flowers[n])) for n in b])}

    def tuned(make, grid, X):
        return make(by_folds(make, grid, X[a], t[a], seed)).fit(X[a], t[a]).predict(X[b])

    said["line"] = tuned(lambda lam: LogisticRegression(lam=lam), LAMBDAS, whole)
    said["1-NN"] = KNNClassifier(1).fit(whole[a], t[a]).predict(whole[b])
    said["K-NN"] = tuned(KNNClassifier, KS, whole)
    said["tree"] = tuned(lambda leaf: DecisionTreeClassifier(min_leaf=leaf), LEAVES, whole)
    said["1-NN in mm"] = KNNClassifier(1).fit(exact[a], t[a]).predict(exact[b])
    said["tree in mm"] = tuned(lambda leaf: DecisionTreeClassifier(min_leaf=leaf), LEAVES, exact)
    return {name: int(np.sum(said[name] != t[b])) for name in RIVALS}


def _read(name):
    with open(RUNS / f"{name}.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return {column: np.array([float(row[column]) for row in rows]) for column in rows[0]}


def _write(name, columns, rows):
    with open(RUNS / f"{name}.csv", "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)


def main():
    """Compute all three files anew."""
    runs = [iris_run(seed) for seed in range(SPLITS)]
    _write("iris_rivals", RIVALS, [[run[name] for name in RIVALS] for run in runs])
    _write("checkers_rises", ("moving", "fixed"), [rise_run(player) for player in range(SPLITS)])
    _write("checkers_players", ("won", "drawn", "lost"), [player_run(player) for player in range(PLAYERS)])


if __name__ == "__main__":
    main()

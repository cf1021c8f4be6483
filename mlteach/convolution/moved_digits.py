"""Seven ways to read digits, as they are and moved by a pixel, on twenty splits (section 20.9).

Every split draws 600 digits to learn from; the other 1,197 judge. The networks train with Adam(0.01): 20 epochs, or 60
if each batch is moved to the left or to the right by a pixel, or not, at random. The neighbour and softmax regression
get all three copies of each picture instead; the penalty of the latter is chosen by cross-validation.

``python -m mlteach.convolution.moved_digits`` writes ``data/runs/moved_digits.csv`` anew (about a quarter of an hour).
"""

import csv
import sys
from functools import cache

import numpy as np

from mlteach import datasets
from mlteach.convolution.layers import Conv2d, Flatten, GlobalPool2d, Pool2d
from mlteach.convolution.network import SmallCNN, as_pictures, shift
from mlteach.deep_learning import Dense, Sequential, train
from mlteach.logistic_regression import SoftmaxRegression
from mlteach.nearest_neighbors import KNNClassifier
from mlteach.optimization import Adam
from mlteach.progress import progress
from mlteach.validation import as_rng, check_choice

SPLITS, EPOCHS = range(100, 120), {False: 20, True: 60}
PENALTIES = (0.01, 0.1, 1.0, 10.0)
STORED = datasets.DATA / "runs" / "moved_digits.csv"


def place_free(n_classes=10, *, rng=0):
    """Return a network that asks what is there, not where: no stride, and one number for each whole map.

    >>> sum(p.size for p in place_free().parameters())
    1750
    """
    rng = as_rng(rng)
    return Sequential(
        Conv2d(1, 8, 3, "relu", padding=2, rng=rng),
        Conv2d(8, 20, 3, "relu", rng=rng),
        GlobalPool2d(),
        Dense(20, n_classes, rng=rng),
    )


def _strided(rng):
    """Return SmallCNN with one thing changed: a maximum over each whole map instead of the 2 x 2 grid."""
    return Sequential(
        Conv2d(1, 8, 3, "relu", padding="same", rng=rng),
        Pool2d(2),
        Conv2d(8, 16, 3, "relu", padding="same", rng=rng),
        GlobalPool2d(),
        Dense(16, 10, rng=rng),
    )


def _dense(hidden):
    return lambda rng: Sequential(Flatten(), Dense(64, hidden, "relu", rng), Dense(hidden, 10, rng=rng))


NETWORKS = {
    "SmallCNN": lambda rng: SmallCNN(rng=rng),
    "global": lambda rng: place_free(rng=rng),
    "strided, global": _strided,
    "dense 25": _dense(25),
    "dense 300": _dense(300),
}
RIVALS = (*NETWORKS, "neighbour", "softmax", "SmallCNN, shuffled")


def split(seed):
    """Return pictures and labels to learn from, then those that judge."""
    digits = datasets.digits()
    X, y = as_pictures(digits.X) / 16, digits.y.astype(int)
    order = np.random.default_rng(seed).permutation(len(y))
    return X[order[:600]], y[order[:600]], X[order[600:]], y[order[600:]]


def one_pixel(pictures, rng):
    """Return the batch moved to the left or to the right by a pixel, or as it is."""
    return shift(pictures, right=int(rng.integers(-1, 2)))


def compete(name, seed, *, copies=False):
    """Return a rival's test accuracy on pictures as they are, and moved to the left and to the right (their mean)."""
    X, y, X_test, y_test = split(seed)
    if check_choice(name, "name", RIVALS) == "SmallCNN, shuffled":
        pixels = np.random.default_rng([seed, 3]).permutation(64)
        X, X_test = (Z.reshape(-1, 64)[:, pixels].reshape(Z.shape) for Z in (X, X_test))
    if name in ("neighbour", "softmax"):
        predict = _fitted(name, X, y, copies)
    else:
        model = NETWORKS[name.split(",")[0] if "shuffled" in name else name](np.random.default_rng([seed, 4]))
        train(model, X, y, Adam(0.01), EPOCHS[copies], rng=seed, augment=one_pixel if copies else None)

        def predict(pictures):
            return model(pictures).data.argmax(axis=1)

    right = [float(np.mean(predict(shift(X_test, right=k)) == y_test)) for k in (0, -1, 1)]
    return right[0], (right[1] + right[2]) / 2


def _fitted(name, X, y, copies):
    rows, labels = X.reshape(-1, 64), y
    model = KNNClassifier(1)
    if name == "softmax":
        folds = np.arange(len(y)) % 3
        scores = [
            np.mean([
                SoftmaxRegression(lam).fit(rows[folds != k], y[folds != k]).score(rows[folds == k], y[folds == k])
                for k in range(3)
            ])
            for lam in PENALTIES
        ]  # fmt: skip
        model = SoftmaxRegression(PENALTIES[int(np.argmax(scores))])
    if copies:
        rows = np.concatenate([shift(X, right=k).reshape(-1, 64) for k in (-1, 0, 1)])
        labels = np.tile(y, 3)
    model.fit(rows, labels)
    return lambda pictures: model.predict(pictures.reshape(-1, 64))


@cache
def stored_scores():
    """Return {(rival, copies): accuracies (splits, 2)} in per cent, as they are and moved, from ``data/runs``."""
    scores = {}
    with STORED.open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            key = row["rival"], row["copies"] == "yes"
            scores.setdefault(key, []).append([100 * float(row["still"]), 100 * float(row["moved"])])
    return {key: np.array(rows) for key, rows in scores.items()}


def _write(path=STORED, splits=SPLITS):
    """Write all but those that nobody asks for: copies for a network that needs none, or of shuffled pixels."""
    with open(path, "w", newline="", encoding="utf-8") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["rival", "copies", "seed", "still", "moved"])
        for seed in progress(splits, "splits"):
            for name in RIVALS:
                for copies in (False, True):
                    if not copies or name not in ("global", "strided, global", "SmallCNN, shuffled"):
                        still, moved = compete(name, seed, copies=copies)
                        table.writerow([name, "yes" if copies else "no", seed, f"{still:.4f}", f"{moved:.4f}"])
            file.flush()


if __name__ == "__main__":
    _write(*([sys.argv[1], range(*map(int, sys.argv[2:]))] if len(sys.argv) > 2 else []))

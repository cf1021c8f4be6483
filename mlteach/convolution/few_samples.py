"""A new task with few samples: the digits 0 to 4 are well known, 5 to 9 come with a handful of pictures each.

Every digit lies somewhere on an empty page of 12 x 12 pixels. A network that has learned 0 to 4 on such pages knows
strokes, and that their place does not matter; section 20.10 asks what this is worth for 5 to 9.

The same rivals stand beside each other with **moved copies** and without: a network sees every page laid anew in every
batch, the nearest neighbour keeps each page at all places.

``python -m mlteach.convolution.few_samples`` writes ``data/runs/few_samples.csv`` anew (a quarter of an hour): the
accuracy after every third epoch of twenty sources, four sample sizes and three ways, which an explorer plays; after
100 epochs with ten pictures and copies; and of the nearest neighbour.
"""

import csv
import sys
from functools import cache
from typing import NamedTuple

import numpy as np

from mlteach import datasets
from mlteach.convolution.network import SmallCNN, as_pictures, extract_features, place, transfer
from mlteach.deep_learning import train, unpack
from mlteach.nearest_neighbors import KNNClassifier
from mlteach.optimization import Adam
from mlteach.progress import progress
from mlteach.validation import check_choice, check_integer

WAYS = ("frozen", "fine-tuned", "from nothing")
SEES = ("pixels", "features", "untrained")  # what the nearest neighbour compares
SAMPLES = (1, 3, 10, 30)
PAGE, EPOCHS, EVERY, LONG = 12, 30, 3, 100  # accuracies are kept after every third epoch
STORED = datasets.DATA / "runs" / "few_samples.csv"


class Task(NamedTuple):
    """Five new digits: pages to learn from, up to 50 of each, and pages to be judged on."""

    X: np.ndarray  # (250, 1, 12, 12), 50 of each digit one after the other
    y: np.ndarray  # (250,), 0 for digit 5 up to 4 for digit 9
    X_test: np.ndarray
    y_test: np.ndarray

    def first(self, n):
        """Return the first n pages of each digit, with their labels."""
        rows = np.flatnonzero(np.arange(len(self.y)) % 50 < check_integer(n, "n", low=1, high=50))
        return self.X[rows], self.y[rows]


def known_digits(seed, *, copies=3, epochs=3):
    """Return a SmallCNN that has learned the digits 0 to 4, each picture at ``copies`` places of the page."""
    rng = np.random.default_rng(seed)
    X, y = _digits(range(5))
    X = np.concatenate([place(X, PAGE, rng=rng) for _ in range(copies)])
    model = SmallCNN(5, size=PAGE, rng=rng)
    train(model, X, np.tile(y, copies), Adam(0.01), epochs, rng=rng)
    return model


def new_digits(seed):
    """Return the `Task`: 5 to 9, in random order at random places."""
    rng = np.random.default_rng([seed, 1])
    X, y = _digits(range(5, 10))
    X, y, order = place(X, PAGE, rng=rng), y - 5, rng.permutation(len(y))
    groups = [order[y[order] == k] for k in range(5)]
    learn, judge = np.concatenate([g[:50] for g in groups]), np.concatenate([g[50:] for g in groups])
    return Task(X[learn], y[learn], X[judge], y[judge])


def lay_anew(pages, rng):
    """Return the pages, the ink of each at a random place: the moved copies of this task; no ink is lost."""
    out = np.zeros_like(pages)
    for new, page in zip(out, pages):
        ink, down, right = _ink(page)
        i, j = rng.integers(0, down + 1), rng.integers(0, right + 1)
        new[:, i : i + ink.shape[1], j : j + ink.shape[2]] = ink
    return out


def lay_everywhere(pages, labels):
    """Return each page with its ink at every place, and the labels."""
    copies, names = [], []
    for page, label in zip(pages, labels):
        ink, down, right = _ink(page)
        for i, j in np.ndindex(down + 1, right + 1):
            copies.append(np.zeros_like(page))
            copies[-1][:, i : i + ink.shape[1], j : j + ink.shape[2]] = ink
            names.append(label)
    return np.array(copies), np.array(names)


def learn_new(source, task, way, n, seed, *, copies=False, epochs=EPOCHS, curve=None):
    """Return the network that has learned the new digits from n pages of each.

    way     "frozen" (only a new head learns), "fine-tuned" (all layers go on learning), "from nothing"
    copies  True lays every page anew whenever it is used (`lay_anew`)
    curve   k returns its test accuracy before training and after every k-th epoch instead
    """
    rng = np.random.default_rng([seed, 2])
    if check_choice(way, "way", WAYS) == "from nothing":
        model = SmallCNN(5, size=PAGE, rng=rng)
    else:
        model = transfer(source, 5, frozen=way == "frozen", rng=rng)
    augment = lay_anew if copies else None
    run = train(
        model, *task.first(n), Adam(0.01), epochs, batch_size=10, augment=augment, snapshots=bool(curve), rng=rng
    )
    if not curve:
        return model
    accuracy = []
    for w in run.snapshots[::curve]:
        unpack(model.parameters(), w)
        accuracy.append(share_right(model, task))
    return np.array(accuracy)


def share_right(model, task):
    """Return the share of the task's test pages that the network reads rightly."""
    return float(np.mean(model(task.X_test).data.argmax(axis=1) == task.y_test))


def neighbour(task, n, *, copies=False, source=None):
    """Return the test accuracy of the nearest neighbour among n pages of each digit, at all places if ``copies``.

    source   a network whose features are compared; None compares pixels
    """
    X, y = lay_everywhere(*task.first(n)) if copies else task.first(n)

    def see(pages):
        return pages.reshape(len(pages), -1) if source is None else extract_features(source, pages)

    return KNNClassifier(1).fit(see(X), y).score(see(task.X_test), task.y_test)


class Runs(NamedTuple):
    """The runs that are kept in ``data/runs``; the first axis says: without moved copies, or with them."""

    curves: np.ndarray  # (2, ways, sample sizes, sources, records), a record every third epoch
    long: np.ndarray  # (ways, sources), ten pictures of each digit with moved copies, after 100 epochs
    neighbours: np.ndarray  # (2, what it compares, sample sizes, sources)


@cache
def stored_runs():
    """Return the stored `Runs`."""
    with STORED.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    seeds = 1 + max(int(row["seed"]) for row in rows)
    curves = np.full((2, len(WAYS), len(SAMPLES), seeds, EPOCHS // EVERY + 1), np.nan)
    long, neighbours = np.full((len(WAYS), seeds), np.nan), np.full((2, len(SEES), len(SAMPLES), seeds), np.nan)
    for row in rows:
        copies, way, seed = int(row["copies"] == "yes"), row["way"], int(row["seed"])
        n, accuracy = SAMPLES.index(int(row["samples"])), [float(part) for part in row["accuracy"].split()]
        if way in SEES:
            neighbours[copies, SEES.index(way), n, seed] = accuracy[0]
        elif len(accuracy) == 1:
            long[WAYS.index(way), seed] = accuracy[0]
        else:
            curves[copies, WAYS.index(way), n, seed] = accuracy
    return Runs(curves, long, neighbours)


def _ink(page):
    """Return the smallest part of the page that has all its ink, and how far it may move down and to the right."""
    rows, columns = np.flatnonzero(page.any(axis=(0, 2))), np.flatnonzero(page.any(axis=(0, 1)))
    ink = page[:, rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    return ink, page.shape[1] - ink.shape[1], page.shape[2] - ink.shape[2]


def _digits(which):
    digits = datasets.digits()
    rows = np.isin(digits.y, list(which))
    return as_pictures(digits.X[rows]) / 16, digits.y[rows].astype(int)


def _write(path=STORED, seeds=range(20)):
    with open(path, "w", newline="", encoding="utf-8") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["way", "copies", "samples", "seed", "accuracy"])
        for seed in progress(seeds, "sources"):
            source, task = known_digits(seed), new_digits(seed)
            untrained = SmallCNN(5, size=PAGE, rng=seed)
            for copies, said in ((False, "no"), (True, "yes")):
                for n in SAMPLES:
                    for way in WAYS:
                        accuracy = learn_new(source, task, way, n, seed, copies=copies, curve=EVERY)
                        table.writerow([way, said, n, seed, " ".join(f"{a:.3f}" for a in accuracy)])
                    for see, model in zip(SEES, (None, source, untrained)):
                        near = neighbour(task, n, copies=copies, source=model)
                        table.writerow([see, said, n, seed, f"{near:.3f}"])
            for way in WAYS:
                model = learn_new(source, task, way, 10, seed, copies=True, epochs=LONG)
                table.writerow([way, "yes", 10, seed, f"{share_right(model, task):.3f}"])
            file.flush()


if __name__ == "__main__":
    _write(*([sys.argv[1], range(*map(int, sys.argv[2:]))] if len(sys.argv) > 2 else []))

"""A new task with few samples: the digits 0 to 4 are well known, 5 to 9 come with a handful of pictures each.

Every digit lies somewhere on an empty page of 12 x 12 pixels. A network that has learned 0 to 4 on such pages knows
strokes, and that their place does not matter; section 20.10 asks what this is worth for 5 to 9.

``python -m mlteach.convolution.few_samples`` writes ``data/runs/few_samples.csv`` anew (about three minutes): the
accuracy after every epoch of eight sources, six sample sizes and three ways, which an explorer plays.
"""

import csv
from functools import cache
from typing import NamedTuple

import numpy as np

from mlteach import datasets
from mlteach.convolution.network import SmallCNN, as_pictures, place, transfer
from mlteach.deep_learning import train
from mlteach.optimization import Adam
from mlteach.progress import progress
from mlteach.validation import check_choice, check_integer

WAYS = ("frozen", "fine-tuned", "from nothing")
SAMPLES = (1, 2, 5, 10, 20, 50)
PAGE, EPOCHS = 12, 30
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


def learn_new(source, task, way, n, seed, *, curve=False):
    """Return the network that has learned the new digits from n pages of each.

    way     "frozen" (only a new head learns), "fine-tuned" (all layers go on learning), "from nothing"
    curve   True returns its test accuracy before training and after every epoch instead
    """
    rng = np.random.default_rng([seed, 2])
    if check_choice(way, "way", WAYS) == "from nothing":
        model = SmallCNN(5, size=PAGE, rng=rng)
    else:
        model = transfer(source, 5, frozen=way == "frozen", rng=rng)
    judged = (task.X_test, task.y_test) if curve else None
    run = train(model, *task.first(n), Adam(0.01), EPOCHS, batch_size=10, validation=judged, rng=rng)
    return 1 - run.validation_error if curve else model


@cache
def stored_runs():
    """Return accuracies (ways, sample sizes, seeds, epochs + 1) of the runs that are kept in ``data/runs``."""
    with STORED.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    seeds = 1 + max(int(row["seed"]) for row in rows)
    runs = np.full((len(WAYS), len(SAMPLES), seeds, EPOCHS + 1), np.nan)
    for row in rows:
        place = WAYS.index(row["way"]), SAMPLES.index(int(row["samples"])), int(row["seed"])
        runs[place] = [float(part) for part in row["accuracy"].split()]
    return runs


def _digits(which):
    digits = datasets.digits()
    rows = np.isin(digits.y, list(which))
    return as_pictures(digits.X[rows]) / 16, digits.y[rows].astype(int)


def _write(seeds=8):
    STORED.parent.mkdir(exist_ok=True)
    with STORED.open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["way", "samples", "seed", "accuracy"])
        for seed in progress(range(seeds), "sources"):
            source, task = known_digits(seed), new_digits(seed)
            for n in SAMPLES:
                for way in WAYS:
                    accuracy = learn_new(source, task, way, n, seed, curve=True)
                    table.writerow([way, n, seed, " ".join(f"{a:.3f}" for a in accuracy)])


if __name__ == "__main__":
    _write()

"""Twenty splits, twenty games: what the chapter's nets are worth beside simpler rivals (sections 23.5 to 23.11).

``python -m mlteach.autoencoders.rivals`` repeats all of it and writes ``data/runs/copy_rivals.csv`` (three minutes).
"""

import csv
from functools import cache

import numpy as np

from mlteach import datasets
from mlteach.autoencoders.anomaly import anomaly_threshold
from mlteach.autoencoders.bottleneck import Autoencoder
from mlteach.autoencoders.gan import GAN
from mlteach.autoencoders.stored import RUNS, normal_digits, train_copier, two_bumps
from mlteach.autoencoders.variational import VariationalAutoencoder
from mlteach.evaluation import roc_auc
from mlteach.latent_factors import PCA, ProbabilisticPCA
from mlteach.logistic_regression import LogisticRegression
from mlteach.nearest_neighbors import distances
from mlteach.progress import progress
from mlteach.validation import check_choice

SIZES = (2, 4, 8, 12, 16, 24, 32)  # of PCA's codes; the best one is chosen by the anomalies themselves
CODES = (2, 4, 8, 16, 24)


def alarm_areas(seed):
    """Return the areas under the ROC curve for the digits 5 to 9, and the false alarms of both thresholds.

    The scores are the loss of the net (section 23.5), the loss of PCA with the best of seven sizes, and the distance
    to the nearest training picture.
    """
    parts = normal_digits(seed)
    net = train_copier(parts, rng=seed)
    X, strange = np.vstack([parts.test, parts.strange]), np.repeat([0, 1], [len(parts.test), len(parts.strange)])
    flat = [PCA(m).fit(parts.train) for m in SIZES]
    lost = [np.sum((X - p.inverse_transform(p.transform(X))) ** 2, axis=1) for p in flat]
    nearest = distances(X, parts.train).min(axis=1)
    limits = [anomaly_threshold(net.losses(part)) for part in (parts.train, parts.validation)]
    return {
        "autoencoder": roc_auc(strange, net.losses(X)),
        "PCA": max(roc_auc(strange, loss) for loss in lost),
        "nearest": roc_auc(strange, nearest),
        "rings by training": np.mean(net.losses(parts.test) > limits[0]),
        "rings by validation": np.mean(net.losses(parts.test) > limits[1]),
    }


def nats(seed):
    """Return the mean bound of a VAE with two numbers on 597 unseen digits, and probabilistic PCA's log-likelihoods."""
    ink = datasets.digits().X / 16
    order = np.random.default_rng(seed).permutation(len(ink))
    train, test = ink[order[:1200]], ink[order[1200:]]
    net = VariationalAutoencoder((64, 32, 2), rng=seed, output="identity", epochs=40).fit(train)
    plane = {f"PPCA {m}": ProbabilisticPCA(m).fit(train).score(test) for m in (2, 4, 6)}
    return {"VAE 2": net.bound(test).mean(), **plane}


def least_shares(seed):
    """Return the smaller of the two bumps' shares of made points, after 500 steps of a fair and of a hasty game."""
    shares = {}
    for name, rate in (("fair", 0.005), ("hasty", 0.05)):
        made = GAN(rng=seed, steps=500, every=500, learning_rate=rate).fit(two_bumps()).sample(2000, rng=seed)
        shares[name] = min(np.mean(np.abs(made - m) < 1) for m in (-2, 2))
    return shares


def cell_areas(seed):
    """Return the areas under the ROC curve for malignant cells, of scores that have seen 200 benign ones only.

    Scores: the losses of nets and of PCA, with codes of four and with the best of five sizes (chosen by the malignant
    cells themselves, as nobody could), the distance from the mean of the benign, plain and in units of their
    covariance (chapter 10), and from the nearest of them. "logistic" has seen 106 malignant cells too. "kept" and
    "lost" say how much larger the parts of the distance are that PCA's code of four keeps and loses (medians).
    """
    cells, rng = datasets.breast_cancer(), np.random.default_rng(seed)
    benign, ill = (rng.permutation(np.flatnonzero(cells.y == kind)) for kind in (1, 0))
    normal = cells.X[benign[:200]]
    Z = (cells.X - normal.mean(axis=0)) / normal.std(axis=0)
    normal, judged = Z[benign[:200]], np.append(benign[200:], ill[106:])
    X, sick = Z[judged], (cells.y[judged] == 0).astype(int)
    nets = {m: Autoencoder((30, 16, m), rng=seed, max_iter=15, history=False).fit(normal) for m in CODES}
    flat = {m: PCA(m).fit(normal) for m in CODES}
    copies = {m: p.inverse_transform(p.transform(X)) for m, p in flat.items()}
    by_net = {m: roc_auc(sick, net.losses(X)) for m, net in nets.items()}
    by_plane = {m: roc_auc(sick, np.sum((X - copy) ** 2, axis=1)) for m, copy in copies.items()}
    seen = np.append(benign[:200], ill[:106])
    judge = LogisticRegression(lam=1.0).fit(Z[seen], cells.y[seen] == 0)
    kept, lost = (np.sum(part**2, axis=1) for part in (copies[4], X - copies[4]))
    return {
        "autoencoder 4": by_net[4],
        "PCA 4": by_plane[4],
        "autoencoder best": max(by_net.values()),
        "PCA best": max(by_plane.values()),
        "distance": roc_auc(sick, np.sum(X**2, axis=1)),
        "covariance": roc_auc(sick, np.sum(X * np.linalg.solve(np.cov(normal.T), X.T).T, axis=1)),
        "nearest": roc_auc(sick, distances(X, normal).min(axis=1)),
        "logistic": roc_auc(sick, judge.decision_function(X)),
        "kept": np.median(kept[sick == 1]) / np.median(kept[sick == 0]),
        "lost": np.median(lost[sick == 1]) / np.median(lost[sick == 0]),
    }


KINDS = {"alarm": alarm_areas, "nats": nats, "games": least_shares, "cells": cell_areas}


@cache
def stored_rivals(kind):
    """Return the stored numbers of one kind, "alarm", "nats", "games" or "cells": a dict from name to (20,).

    >>> sorted(stored_rivals("games"))
    ['fair', 'hasty']
    """
    check_choice(kind, "kind", tuple(KINDS))
    with open(RUNS / "copy_rivals.csv", encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["kind"] == kind]
    return {row["name"]: np.array([float(v) for v in row["values"].split()]) for row in rows}


def write():
    """Repeat all runs and write the file."""
    with open(RUNS / "copy_rivals.csv", "w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["kind", "name", "values"])
        for kind, run in KINDS.items():
            table = [run(seed) for seed in progress(range(20), kind, total=20)]
            for name in table[0]:
                out.writerow([kind, name, " ".join(f"{row[name]:.4f}" for row in table)])


if __name__ == "__main__":
    write()

"""Twenty splits, twenty games: what the chapter's nets are worth beside simpler rivals (sections 23.5, 23.6, 23.8).

``python -m mlteach.autoencoders.rivals`` repeats all of it and writes ``data/runs/copy_rivals.csv`` (two minutes).
"""

import csv
from functools import cache

import numpy as np

from mlteach import datasets
from mlteach.autoencoders.anomaly import anomaly_threshold
from mlteach.autoencoders.gan import GAN
from mlteach.autoencoders.stored import RUNS, normal_digits, train_copier, two_bumps
from mlteach.autoencoders.variational import VariationalAutoencoder
from mlteach.evaluation import roc_auc
from mlteach.latent_factors import PCA, ProbabilisticPCA
from mlteach.nearest_neighbors import distances
from mlteach.progress import progress
from mlteach.validation import check_choice

SIZES = (2, 4, 8, 12, 16, 24, 32)  # of PCA's codes; the best one is chosen by the anomalies themselves


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


KINDS = {"alarm": alarm_areas, "nats": nats, "games": least_shares}


@cache
def stored_rivals(kind):
    """Return the stored numbers of one kind, "alarm", "nats" or "games": a dict from name to (20,).

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

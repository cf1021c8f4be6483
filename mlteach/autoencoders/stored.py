"""Runs that are kept: trained nets that a chapter shows must be the same on every machine (sections 23.5 to 23.8).

Thousands of steps of training blow a difference in the last bit up until it can be seen, most of all in the game of
two nets. So the weights of the digit decoder, three games and the losses for the alarm stand in ``data/runs``.
``python -m mlteach.autoencoders.stored`` trains anew and writes all three files (about half a minute).
"""

import csv
from functools import cache
from typing import NamedTuple

import numpy as np

from mlteach import datasets
from mlteach.autoencoders.bottleneck import Autoencoder
from mlteach.autoencoders.gan import GAN
from mlteach.autoencoders.variational import VariationalAutoencoder
from mlteach.progress import progress
from mlteach.validation import as_array, as_rng, check_choice, check_integer

RUNS = datasets.DATA / "runs"
GAMES = {  # what is changed of GAN's settings, and for how many steps
    "fair": {"steps": 1000, "every": 20},
    "hasty": {"steps": 1000, "every": 20, "learning_rate": 0.05},
    "greedy": {"steps": 500, "every": 10, "generator_steps": 10},
}
PLACES = np.linspace(-5, 5, 51)  # where the discriminator's curve is kept


DRAWN = {  # of the twelve pictures that open the chapter: place and code of those that nobody wrote
    1: (-1.7, 0.5), 3: (1.2, 1.4), 4: (0.4, -2.0), 7: (-1.9, -1.0), 9: (-0.1, 1.9), 10: (1.9, -0.4)
}  # fmt: skip


# --- The data of the chapter ---------------------------------------------------------------------------------------


def two_bumps(n=2000, rng=0):
    """Return ``n`` points (n, 1) from half N(-2, 0.5^2), half N(2, 0.5^2).

    >>> two_bumps(3).shape
    (3, 1)
    """
    n, rng = check_integer(n, "n", low=1), as_rng(rng)
    return (np.where(rng.random(n) < 0.5, -2.0, 2.0) + 0.5 * rng.normal(size=n))[:, None]


def two_bumps_density(x):
    """Return the density of `two_bumps` at ``x``."""
    x = as_array(x, "x")
    return sum(np.exp(-0.5 * ((x - m) / 0.5) ** 2) for m in (-2, 2)) / (2 * 0.5 * np.sqrt(2 * np.pi))


class Normals(NamedTuple):
    """Pictures of the digits 0 to 4 in three parts, and pictures that are none, all (n, 64) with ink in 0..1."""

    train: np.ndarray
    validation: np.ndarray
    test: np.ndarray
    strange: np.ndarray  # the digits 5 to 9
    flipped: np.ndarray  # the test pictures, upside down


def normal_digits(rng=0):
    """Return the `Normals`, dealt out by ``rng``: one half to train, a quarter each to set and to judge the alarm."""
    data = datasets.digits()
    X, usual = data.X / 16, np.flatnonzero(data.y < 5)
    usual = as_rng(rng).permutation(usual)
    train, validation, test = np.split(X[usual], [len(usual) // 2, 3 * len(usual) // 4])
    flipped = test.reshape(-1, 8, 8)[:, ::-1].reshape(-1, 64)
    return Normals(train, validation, test, X[data.y >= 5], flipped)


# --- What was kept -------------------------------------------------------------------------------------------------


@cache
def digit_vae():
    """Return the stored `VariationalAutoencoder` of all digits, ink in 0..1: 64 - 32 - 2 - 32 - 64."""
    arrays = {row["name"]: _numbers(row) for row in _read("digit_vae.csv")}
    model = _vae()
    model._parameters = [arrays[f"p{k}"] for k in range(len(arrays) - 1)]
    model._shape, model._mean, model._scale = ([64, 32, 2], "tanh", "identity"), arrays["mean"][:64], arrays["mean"][64]
    model.noise_variance_ = float(np.exp(model._parameters[-1][0]) * model._scale**2)
    model.history_, model.n_iter_, model.converged_ = [], model.epochs, True
    model._keep_features(64, None)
    return model


def riddle():
    """Return twelve pictures (12, 64) and the places of those that the stored decoder drew; people wrote the others.

    >>> pictures, drawn = riddle()
    >>> pictures.shape, len(drawn)
    ((12, 64), 6)
    """
    pictures = datasets.digits().X[[0, 13, 22, 36, 61, 77, 85, 103, 112, 120, 134, 150]] / 16
    pictures[list(DRAWN)] = np.clip(digit_vae().decode(list(DRAWN.values())), 0, 1)
    return pictures, np.array(list(DRAWN))


class Game(NamedTuple):
    """A stored game: for each record its step, the points made of 100 codes, and the discriminator at ``PLACES``."""

    steps: np.ndarray
    points: np.ndarray  # (records, 100), of codes at equal steps of probability
    curve: np.ndarray  # (records, 51)


@cache
def stored_game(name):
    """Return one of three games on `two_bumps`: "fair", "hasty" or "greedy"."""
    check_choice(name, "name", tuple(GAMES))
    rows = [row for row in _read("gan.csv") if row["game"] == name]
    steps = np.array([int(row["step"]) for row in rows])
    return Game(
        steps, *(np.array([[float(v) for v in row[key].split()] for row in rows]) for key in ("points", "curve"))
    )


@cache
def stored_losses():
    """Return the losses of the autoencoder 64 - 32 - 8 - 32 - 64 on `normal_digits`: a dict from part to (n,)."""
    return {row["name"]: _numbers(row) for row in _read("alarm.csv")}


def _read(name):
    with open(RUNS / name, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _numbers(row):
    return np.array([float(v) for v in row["values"].split()]).reshape([int(k) for k in row["shape"].split()])


# --- How it was made -----------------------------------------------------------------------------------------------


def _vae():
    return VariationalAutoencoder((64, 32, 2), rng=3, output="identity", epochs=150)


def train_copier(parts, rng=0):
    """Return the autoencoder 64 - 32 - 8 - 32 - 64, trained on ``parts.train`` alone."""
    return Autoencoder((64, 32, 8), rng=rng, output="identity", max_iter=30, history=False).fit(parts.train)


def write():
    """Train everything anew and write the files."""
    model = _vae().fit(datasets.digits().X / 16)
    rows = [(f"p{k}", p) for k, p in enumerate(model.parameters_)]
    _write("digit_vae.csv", [*rows, ("mean", np.append(model._mean, model._scale))])
    parts = normal_digits()
    copier = train_copier(parts)
    _write("alarm.csv", [(name, copier.losses(X)) for name, X in parts._asdict().items()])
    z = _codes()
    with open(RUNS / "gan.csv", "w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["game", "step", "points", "curve"])
        for name, settings in progress(GAMES.items(), "games", total=3):
            game = GAN(rng=1, **settings).fit(two_bumps())
            for record in game.history_:
                points = game.generate(z, record)[:, 0]
                curve = game.discriminate(PLACES[:, None], record)
                texts = [" ".join(f"{v:.{k}f}" for v in values) for k, values in ((2, points), (3, curve))]
                out.writerow([name, record.step, *texts])


def _codes():
    """Return 100 codes (100, 1) at equal steps of probability of the standard normal law."""
    from scipy.special import ndtri

    return ndtri((np.arange(100) + 0.5) / 100)[:, None]


def _write(name, rows):
    with open(RUNS / name, "w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["name", "shape", "values"])
        for key, array in rows:
            out.writerow([key, " ".join(map(str, array.shape)), " ".join(f"{v:.4f}" for v in array.ravel())])


if __name__ == "__main__":
    write()

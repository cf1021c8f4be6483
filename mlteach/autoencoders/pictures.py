"""The game of two nets on real pictures: a dense generator, and one that grows a small map (section 23.8.3).

``python -m mlteach.autoencoders.pictures`` repeats all games and writes ``data/runs/picture_games.csv``
(a few minutes).
"""

import csv
from functools import cache, partial

import numpy as np

from mlteach import datasets
from mlteach.autoencoders.gan import forger_loss, move_net, soft
from mlteach.autoencoders.stored import RUNS
from mlteach.autoencoders.variational import VariationalAutoencoder
from mlteach.convolution import conv2d_transpose
from mlteach.deep_learning import Dense, Layer, Sequential, Tensor, initial_std
from mlteach.nearest_neighbors import distances
from mlteach.optimization import Adam
from mlteach.progress import progress
from mlteach.validation import as_rng

CODE, STEPS, BATCH, RATE = 8, 1500, 64, 0.002


class Grow(Layer):
    """Maps (3 x 3) that a transposed convolution, kernel 4 and stride 2, grows to one picture (8 x 8)."""

    def __init__(self, maps, rng):
        self.maps = maps
        self.w = Tensor(as_rng(rng).normal(0, initial_std(4 * maps), (maps, 1, 4, 4)))
        self.b = Tensor(np.zeros(1))

    def forward(self, x, training):
        """Return the pictures as rows of 64 pixels."""
        return (conv2d_transpose(x.reshape(-1, self.maps, 3, 3), self.w, stride=2) + self.b).reshape(-1, 64)

    def parameters(self):
        """Return [w, b]."""
        return [self.w, self.b]


def dense_generator(rng):
    """Return a net from a code to the 64 pixels, each in -1..1."""
    return Sequential(Dense(CODE, 64, "relu", rng), Dense(64, 64, "relu", rng), Dense(64, 64, "tanh", rng))


def growing_generator(rng):
    """Return a net that makes sixteen maps of 3 x 3 of a code and grows them to 8 x 8 pixels, each in -1..1."""
    return Sequential(Dense(CODE, 16 * 9, "relu", rng), Grow(16, rng), Tensor.tanh)


def draw_by_game(X, build, *, steps=STEPS, rng=0):
    """Return a function of n and rng that draws pictures (n, 64), after a game on the pictures ``X``, ink in 0..1.

    ``build`` makes the generator; the discriminator is dense. The steps are those of `GAN`.
    """
    rng, A = as_rng(rng), 2 * X - 1
    D = Sequential(Dense(64, 64, "relu", rng), Dense(64, 64, "relu", rng), Dense(64, 1, rng=rng))
    G, up, down = build(rng), Adam(RATE, 0.5), Adam(RATE, 0.5)
    for _ in range(steps):
        # 1. The discriminator's turn: real pictures up, made ones down
        real, made = A[rng.integers(0, len(A), BATCH)], G(rng.normal(size=(BATCH, CODE))).data
        move_net(D, up, lambda real=real, made=made: soft(-D(real)).mean() + soft(D(made)).mean())
        # 2. The generator's turn
        z = rng.normal(size=(BATCH, CODE))
        move_net(G, down, lambda z=z: forger_loss(D(G(z)), "non-saturating"))
    return lambda n, rng: (G(as_rng(rng).normal(size=(n, CODE))).data + 1) / 2


def deal(seed):
    """Return 1,200 digits to learn from and the 597 others, ink in 0..1, dealt out by ``seed``."""
    ink = datasets.digits().X / 16
    order = np.random.default_rng(seed).permutation(len(ink))
    return ink[order[:1200]], ink[order[1200:]]


def judged(made, unseen):
    """Return the mean distance from a made picture to the nearest unseen one, and from an unseen to the nearest made.

    >>> judged(np.array([[0.0, 0.0], [0.0, 1.0]]), np.array([[0.0, 0.0], [3.0, 4.0]]))
    (0.5, 2.1213203435596424)
    """
    apart = distances(made, unseen)
    return float(apart.min(axis=1).mean()), float(apart.min(axis=0).mean())


def grey(pictures):
    """Return the share of pixels that are neither paper nor ink, 0.25 to 0.75.

    >>> grey(np.array([[0.0, 0.5], [0.9, 1.0]]))
    0.25
    """
    return float(np.mean((pictures > 0.25) & (pictures < 0.75)))


def averages(train, rng):
    """Return a function that copies: each picture is the mean of one to learn from and the four most like it."""
    return lambda n, rng: train[distances(train[:n], train).argsort(axis=1)[:, :5]].mean(axis=1)


def simple_law(train, rng):
    """Return a function that draws from the normal law with mean and covariance of the pictures, cut to 0..1."""
    mean, S = train.mean(axis=0), np.cov(train.T)
    return lambda n, rng: np.clip(rng.multivariate_normal(mean, S, n), 0, 1)


def by_code(train, rng):
    """Return a function that draws with a variational autoencoder of two numbers."""
    net = VariationalAutoencoder((64, 32, 2), rng=rng, output="identity", epochs=40).fit(train)
    return lambda n, rng: np.clip(net.decode(rng.normal(size=(n, 2))), 0, 1)


PAINTERS = {  # each learns from pictures and returns a function that draws new ones
    "real": lambda train, rng: lambda n, rng: train[:n],
    "averages": averages,
    "normal law": simple_law,
    "VAE": by_code,
    "dense": partial(draw_by_game, build=dense_generator),
    "grown": partial(draw_by_game, build=growing_generator),
}


def compare(name, seed):
    """Return what `judged` and `grey` say of 597 pictures by one of `PAINTERS`, and the first eight of them."""
    train, unseen = deal(seed)
    made = PAINTERS[name](train, rng=seed)(len(unseen), np.random.default_rng(seed))
    return *judged(made, unseen), grey(made), made[:8]


@cache
def stored_pictures():
    """Return {painter: (near (20,), cover (20,), grey (20,), eight pictures (8, 64))}; the pictures are seed 0's.

    >>> sorted(stored_pictures())
    ['VAE', 'averages', 'dense', 'grown', 'normal law', 'real']
    """
    with open(RUNS / "picture_games.csv", encoding="utf-8", newline="") as file:
        rows = [(row["painter"], *(np.array(row[k].split(), float) for k in COLUMNS)) for row in csv.DictReader(file)]
    return {name: (*measured, drawn.reshape(8, 64)) for name, *measured, drawn in rows}


COLUMNS = ("near", "cover", "grey", "drawn")


def write():
    """Repeat all games and write the file."""
    with open(RUNS / "picture_games.csv", "w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["painter", *COLUMNS])
        for name in PAINTERS:
            *measured, drawn = zip(*(compare(name, seed) for seed in progress(range(20), name, total=20)))
            texts = [" ".join(f"{v:.4f}" for v in values) for values in measured]
            out.writerow([name, *texts, " ".join(f"{v:.2f}" for v in drawn[0].ravel())])


if __name__ == "__main__":
    write()

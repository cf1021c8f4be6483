"""Runs that are kept: deep networks from twenty starts, and rivals on twenty splits (sections 19.4 to 19.9).

``data/runs/deep_starts.csv`` and ``data/runs/deep_guards.csv`` have the shares of wrong training digits of networks
with thirty and with ten layers, from twenty starts. ``data/runs/held_back.csv`` has errors on new digits, in twenty
samples, of ways to hold a network back whose strength was chosen on other digits. ``data/runs/deep_rivals.csv`` has the
errors of networks and simpler rivals on twenty random splits of the digits, and on six where the test digits stand
together in the file.
``python -m mlteach.deep_learning.stored`` computes them anew (ten minutes).
"""

import csv
import sys
from functools import cache, partial

import numpy as np

from mlteach import datasets
from mlteach.deep_learning.augmentation import augment
from mlteach.deep_learning.layers import Dense, Dropout, Layer, Residual, Sequential
from mlteach.deep_learning.tensor import Tensor, constant
from mlteach.deep_learning.training import train
from mlteach.logistic_regression import SoftmaxRegression
from mlteach.optimization import Adam, Momentum
from mlteach.progress import progress

RUNS, N = datasets.DATA / "runs", 20
RATES = (0.001, 0.003, 0.01, 0.03, 0.1)
LAMBDAS = (0.001, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)  # of the softmax regression, on the sum of the losses
STRENGTHS = {
    "decay": (0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03),
    "dropout": (0.1, 0.2, 0.35, 0.5, 0.7),
    "noise": (0.05, 0.1, 0.2, 0.3, 0.45, 0.7),
}
TASKS = {"300 clean": (300, 0), "100 clean": (100, 0), "60 of 300 wrong": (300, 60)}
RIVALS = ("majority", "softmax regression", "64-64-10", "64-256-10", "nearest neighbour")


@cache
def read(name):
    """Return a dict from the name of a column of data/runs/<name>.csv to its values."""
    with open(RUNS / f"{name}.csv", newline="", encoding="utf-8") as file:
        head, *rows = csv.reader(file)
    return dict(zip(head[1:], np.array(rows, dtype=float).T[1:]))


def _digits():
    digits = datasets.digits()
    return digits.X / 16, digits.y


# --- Twenty starts --------------------------------------------------------------------------------------------------


class Clipped:
    """An optimiser that sees gradients cut to the length c."""

    def __init__(self, optimizer, c):
        self.optimizer, self.c = optimizer, c

    def reset(self):
        """Forget all steps."""
        self.optimizer.reset()

    def step(self, w, gradient):
        """Return the next weights."""

        def short(w):
            g = gradient(w)
            return g * min(1.0, self.c / np.linalg.norm(g))

        return self.optimizer.step(w, short)


class BatchNormalise(Layer):
    """Sums of each unit with mean 0 and variance 1 over the batch, then a learnt size and centre."""

    def __init__(self, n):
        self.gamma, self.delta = Tensor(np.ones(n)), Tensor(np.zeros(n))
        self.mean, self.var = np.zeros(n), np.ones(n)

    def parameters(self):
        """Return [gamma, delta]."""
        return [self.gamma, self.delta]

    def forward(self, x, training):
        """Return the normalised sums."""
        mean, var = constant(self.mean), constant(self.var)
        if training:
            mean = x.mean(axis=0)
            var = ((x - mean) ** 2).mean(axis=0)
            self.mean = 0.9 * self.mean + 0.1 * mean.data
            self.var = 0.9 * self.var + 0.1 * var.data
        return self.gamma * (x - mean) / (var + 1e-5) ** 0.5 + self.delta


def deep_run(kind, seed, optimizer, epochs, depth=30):
    """Train ``depth`` tanh layers of 20 units on 300 digits; return model, digits, errors by epoch (epochs + 1,).

    ``kind`` is "plain", "orthogonal", "residual", or "same norm": a Gaussian start as long as an orthogonal one.
    """
    pixels, label = _digits()
    draw = np.random.default_rng([19, seed])
    rows = draw.permutation(len(pixels))[:300]
    inner = [Dense(20, 20, "tanh", draw) for _ in range(depth)]
    for layer in inner:
        W = layer.W.data
        layer.W.data = {"orthogonal": lambda W: np.linalg.qr(W)[0],
                        "same norm": lambda W: W * 20**0.5 / np.linalg.norm(W)}.get(kind, lambda W: W)(W)  # fmt: skip
    blocks = [Residual(layer) for layer in inner] if kind == "residual" else inner
    model = Sequential(Dense(64, 20, "tanh", draw), *blocks, Dense(20, 10, rng=draw))
    return model, pixels[rows], train(model, pixels[rows], label[rows], optimizer, epochs, rng=seed).train_error


def directions(model, x):
    """Return in how many directions the inner layers pass on a hundredth or more of what they do in the best one."""
    h, J = model.layers[0](x[None]), np.eye(20)
    for block in model.layers[1:-1]:
        short = isinstance(block, Residual)
        f = (block.layers[0] if short else block)(h).data
        W = (block.layers[0] if short else block).W.data
        J = (short * np.eye(20) + (1 - f[0] ** 2)[:, None] * W.T) @ J
        h = constant(short * h.data + f)
    stretch = np.linalg.svd(J, compute_uv=False)
    return int(np.sum(stretch > 0.01 * stretch[0]))


def ten_layers(s, normalised, rate, epochs, seed):
    """Train ten ReLU layers that begin with s times (19.8); return the shares of wrong digits by epoch."""
    pixels, label = _digits()
    draw = np.random.default_rng([4, seed])
    rows, layers = draw.permutation(len(pixels))[:300], []
    for n_in in [64] + 9 * [32]:
        layers.append(Dense(n_in, 32, rng=draw, scale=s * 2**0.5))
        layers += [BatchNormalise(32)] if normalised else []
        layers.append(Tensor.relu)
    model = Sequential(*layers, Dense(32, 10, rng=draw))
    return train(model, pixels[rows], label[rows], Adam(rate), epochs, rng=seed).train_error


def start_row(seed):
    """Return a dict of the errors of thirty layers from one start, and of the directions that are left."""
    found = {"2 plain": deep_run("plain", seed, Adam(0.003), 15, depth=2)[2][15]}
    for kind in ("plain", "same norm", "orthogonal", "residual"):
        model, X, errors = deep_run(kind, seed, Adam(0.003), 15)
        found[kind] = errors[15]
        found[f"{kind}, directions after"] = np.mean([directions(model, x) for x in X[:10]])
    errors = deep_run("plain", seed, Adam(0.001), 60)[2]
    return found | {"rate 0.001": errors[15], "rate 0.001, 60 epochs": errors[60]}


def guard_row(seed):
    """Return a dict of errors from one start with and without clipping, and with and without normalisation."""
    found = {}
    for name, optimizer in (("0.1", Momentum(0.1)), ("0.1, clipped", Clipped(Momentum(0.1), 1.0)),
                            ("0.003", Momentum(0.003))):  # fmt: skip
        found[f"momentum {name}"] = deep_run("residual", seed, optimizer, 15)[2][15]
    for s in (0.5, 1.0, 2.0):
        errors = ten_layers(s, False, 0.003, 40, seed)
        found |= {f"bare {s:g}": errors[10], f"bare {s:g}, 40 epochs": errors[40]}
        found[f"normalised {s:g}"] = ten_layers(s, True, 0.003, 10, seed)[10]
    for name in ("bare", "normalised"):
        found[f"{name} 2, rate 0.006"] = ten_layers(2.0, name != "bare", 0.006, 10, seed)[10]
    return found


# --- Holding back ---------------------------------------------------------------------------------------------------


def held_back(way, strength, n, wrong, seed):
    """Train 64-48-10 on n digits, some of them mislabelled; return its errors on 300 other digits and on 1,000 more."""
    pixels, label = _digits()
    draw = np.random.default_rng([6, seed])
    rows, noisy = draw.permutation(len(pixels)), label.copy()
    noisy[rows[:wrong]] = draw.integers(0, 10, wrong)
    how = {"decay": {"lam": strength}, "noise": {"augment": partial(augment, shift=0, noise=strength)}}.get(way, {})
    draw = np.random.default_rng(seed)
    hold = [Dropout(strength, draw)] if way == "dropout" else []
    model = Sequential(Dense(64, 48, "relu", draw), *hold, Dense(48, 10, rng=draw))
    train(model, pixels[rows[:n]], noisy[rows[:n]], Adam(0.01), 40, rng=seed, batch_size=60, **how)
    return [float(np.mean(model(pixels[part]).data.argmax(axis=1) != label[part]))
            for part in (rows[300:600], rows[600:1600])]  # fmt: skip


def held_row(seed):
    """Return a dict: for each task the error of doing nothing, and of each way with its best strength, and that."""
    found = {}
    for task, (n, wrong) in TASKS.items():
        found[f"{task}: nothing"] = held_back("nothing", 0.0, n, wrong, seed)[1]
        for way, grid in STRENGTHS.items():
            tried = {strength: held_back(way, strength, n, wrong, seed) for strength in grid}
            best = min(tried, key=lambda strength: tried[strength][0])  # of equals the weakest
            found |= {f"{task}: {way}": tried[best][1], f"{task}: {way}, strength": best}
    return found


# --- Rivals on the digits -------------------------------------------------------------------------------------------


def split(seed):
    """Return 897 rows to train, 300 to choose, 600 to judge; from split 20 on the 600 stand together in the file."""
    order = np.random.default_rng([1919, seed]).permutation(1797)
    if seed < N:
        return order[:897], order[897:1197], order[1197:]
    first = round(1197 * (seed - N) / 5)
    inside = (order >= first) & (order < first + 600)
    rest = order[~inside]
    return rest[:897], rest[897:], np.sort(order[inside])


def contest(units, patience, rate, rows, seed):
    """Train a network on the first rows, stop by the second; return it with its least validation loss."""
    pixels, label = _digits()
    draw = np.random.default_rng(seed)
    model = Sequential(Dense(64, units, "relu", draw), Dropout(0.3, draw), Dense(units, 10, rng=draw))
    seen = train(model, pixels[rows[0]], label[rows[0]], Adam(rate), 200, rng=seed, batch_size=64, patience=patience,
                 validation=(pixels[rows[1]], label[rows[1]]))  # fmt: skip
    return seen.validation_loss[seen.best_epoch], model


def rival(name, seed):
    """Return the share of the 600 test digits that a rival gets wrong, and the setting that it chose."""
    pixels, label = _digits()
    rows = split(seed)
    (X, y), (X_check, y_check), (X_new, y_new) = ((pixels[r], label[r]) for r in rows)
    if name == "majority":
        return float(np.mean(y_new != np.bincount(y).argmax())), None
    if name == "nearest neighbour":
        apart = np.sum(X**2, axis=1) - 2 * X_new @ X.T  # distance squared, but for |X_new| squared
        return float(np.mean(y[apart.argmin(axis=1)] != y_new)), None
    if name == "softmax regression":
        fits = {lam: SoftmaxRegression(lam, tol=1e-6, history=False).fit(X, y) for lam in LAMBDAS}
        sure = np.arange(len(y_check)), y_check  # the classes are 0 to 9
        best = max(fits, key=lambda lam: np.mean(np.log(fits[lam].predict_proba(X_check)[sure])))
        return float(np.mean(fits[best].predict(X_new) != y_new)), best
    units, patience = (64, 6) if name == "64-64-10" else (256, 15)
    tried = {rate: contest(units, patience, rate, rows, seed) for rate in RATES}
    best = min(tried, key=lambda rate: tried[rate][0])
    return float(np.mean(tried[best][1](X_new).data.argmax(axis=1) != y_new)), best


def rival_row(seed):
    """Return a dict of the errors of all rivals on one split, and their settings."""
    found = {}
    for name in RIVALS:
        found[name], best = rival(name, seed)
        found |= {} if best is None else {f"{name}, chosen": best}
    return found


FILES = {
    "deep_starts": (start_row, N),
    "deep_guards": (guard_row, N),
    "held_back": (held_row, N),
    "deep_rivals": (rival_row, N + 6),
}


def write(name):
    """Compute a file anew."""
    row, many = FILES[name]
    with open(RUNS / f"{name}.csv", "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file, lineterminator="\n")
        for seed in progress(range(many), name):
            found = row(seed)
            if seed == 0:
                out.writerow(["run", *found])
            out.writerow([seed, *(f"{value:.4g}" for value in found.values())])
            file.flush()


if __name__ == "__main__":
    for name in sys.argv[1:] or FILES:
        write(name)

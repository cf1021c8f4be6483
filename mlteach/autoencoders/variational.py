"""The variational autoencoder: codes that are laws, and the bound that trains them (sections 23.6 and 23.7)."""

from typing import NamedTuple

import numpy as np

from mlteach.autoencoders.bottleneck import OUTPUTS, copy_loss
from mlteach.autoencoders.inputs import common_scale, is_ink, refuse_outside
from mlteach.base import Transformer
from mlteach.deep_learning import Dense, Sequential, Tensor, node, pack, unpack
from mlteach.history import History
from mlteach.logistic_regression.functions import sigma
from mlteach.neural_networks import forward
from mlteach.numerics import as_codes, softplus, squarable
from mlteach.optimization import Adam, linear_decay
from mlteach.parameters import ANY, Choice, Real, Whole
from mlteach.validation import (
    as_array,
    as_rng,
    check_choice,
    check_integer,
)


def gaussian_kl(mean, log_variance):
    """Return KL( N(mean, diag exp(log_variance)) || N(0, I) ) of each row: 1/2 sum mu^2 + s^2 - ln s^2 - 1 (23.12).

    mean, log_variance   (n, m), or (m,) for one law, which gives a number

    >>> gaussian_kl([[0.0, 0.0], [1.0, 2.0]], [[0.0, 0.0], [0.0, 0.0]]).tolist()
    [0.0, 2.5]
    """
    mean, log_variance = as_array(mean, "mean"), as_array(log_variance, "log_variance")
    if mean.shape != log_variance.shape or mean.ndim not in (1, 2):
        raise ValueError(
            f"mean and log_variance must have one shape, (n, m) or (m,); got {mean.shape} and {log_variance.shape}."
        )
    with np.errstate(over="ignore"):
        rest = np.expm1(log_variance) - log_variance  # s^2 - 1 - ln s^2, exact also where s^2 is near 1
        total = 0.5 * np.sum(mean**2 + rest, axis=-1)
    return float(total) if mean.ndim == 1 else total


class Bound(NamedTuple):
    """State of a variational autoencoder after one epoch; losses are means over the training samples."""

    parameters: tuple
    reconstruction: float  # -ln p(x | z), z drawn once for each sample
    kl: float


class VariationalAutoencoder(Transformer):
    """An autoencoder whose code is a normal law, trained by a lower bound on ln p(x).

    Encoder   q(z | x) = N(mu(x), diag sigma(x)^2)
    Decoder   p(x | z), with z ~ N(0, I): normal round x~(z) with one variance for all, or sigmoid pixels
    Maximise  E_q ln p(x | z) - beta KL( q(z | x) || N(0, I) )              (23.11), beta = 1: a bound on ln p(x)
    By        z = mu + sigma eps,  eps ~ N(0, I) drawn outside               (23.13)

    Parameters: ``layers`` = (d, hidden, ..., code), None for d; the decoder mirrors it. ``rng``; ``output``: "sigmoid"
    (pixels in 0..1, cross-entropy), "identity" (normal law with a learned variance) or "auto": sigmoid if all entries
    of X lie in 0..1. ``beta``, the weight of the KL term; ``activation``; ``learning_rate`` of Adam, which falls to a
    tenth; ``epochs``; ``batch_size``; ``history``: False keeps only the first and the last record.

    Attributes: ``parameters_``, ``noise_variance_`` ("identity"), ``n_iter_``, ``converged_`` (all epochs were made),
    ``history_``, a list of `Bound`.

    >>> X = np.random.default_rng(0).normal(size=(200, 3)) @ np.diag([3.0, 1.0, 0.1])
    >>> model = VariationalAutoencoder((3, 8, 1), epochs=20).fit(X)
    >>> mean, log_variance = model.encode(X)
    >>> mean.shape, model.sample(5).shape
    ((200, 1), (5, 3))
    """

    task = "transform"
    params = {
        "layers": ANY,
        "output": Choice(*OUTPUTS),
        "beta": Real(0),
        "activation": Choice("tanh", "relu", "sigmoid"),
        "learning_rate": Real(above=0),
        "epochs": Whole(1),
        "batch_size": Whole(1),
    }

    def __init__(self, layers=(None, 32, 2), rng=0, *, output="auto", beta=1.0, activation="tanh", learning_rate=0.01,
                 epochs=60, batch_size=64, history=True):  # fmt: skip
        self.layers, self.rng, self.output, self.beta, self.activation = layers, rng, output, beta, activation
        self.learning_rate, self.epochs, self.batch_size, self.history = learning_rate, epochs, batch_size, history

    def learn(self, X):
        """Train from fresh weights."""
        sizes, output, size = _check_layers(self.layers, X.shape[1]), self._kind(X), self.batch_size
        mean, scale = X.mean(axis=0), common_scale(X)
        A = (X - mean) / scale
        nets, targets = _Nets(sizes, self.activation, output, self.beta, self.rng), X if output == "sigmoid" else A
        rate = linear_decay(self.learning_rate, self.learning_rate / 10, self.epochs * -(-len(X) // size))
        w, optimizer = pack(nets.parameters), Adam(rate)
        run, alive = History([nets.record(A, targets)], whole=self.history), True
        while alive and run.n_steps < self.epochs:
            # 1. Shuffle and deal out
            for rows in np.split(self.rng.permutation(len(X)), range(size, len(X), size)):
                # 2. Draw eps outside, for every sample of the batch (23.13)
                eps = self.rng.normal(size=(len(rows), sizes[-1]))
                # 3. One step up the bound
                w = optimizer.step(w, lambda w, rows=rows, eps=eps: nets.slope(w, A[rows], targets[rows], eps))
            unpack(nets.parameters, w)
            now = nets.record(A, targets)
            alive = bool(np.isfinite(w).all() and np.isfinite(now.reconstruction + now.kl))
            if alive:
                run.append(now)
        self.history_, self.converged_, self._parameters = run, alive, list(run[-1].parameters)
        self._shape, self._mean, self._scale = (sizes, self.activation, output), mean, scale
        self.noise_variance_ = float(np.exp(self._parameters[-1])[0] * scale**2) if output == "identity" else None

    def advice(self, X):
        """Say that training ran away."""
        if not self.converged_:
            yield "the numbers left the range of the computer; use a smaller learning rate."

    @property
    def parameters_(self):
        """Weights and offsets of encoder and decoder, and last the logarithm of the noise, all for scaled data."""
        self._require_fit()
        return self._parameters

    def encode(self, X):
        """Return the laws of the codes: their means and their log-variances, both (n, code)."""
        X = self._points(X)
        sizes, activation, _ = self._shape
        weights = self.parameters_[: 2 * len(sizes) - 2]
        both = forward((X - self._mean) / self._scale, weights, activation, "identity").y
        return both[:, : sizes[-1]], both[:, sizes[-1] :]

    def transform(self, X):
        """Return the means of the codes (n, code)."""
        return self.encode(X)[0]

    def decode(self, Z):
        """Return the means x~ (n, d) of p(x | z) at the codes ``Z`` (n, code)."""
        self._require_fit()
        A = self._scores(as_codes(Z, self._shape[0][-1]))
        return sigma(A) if self._shape[2] == "sigmoid" else A * self._scale + self._mean

    def inverse_transform(self, Z):
        """The same as `decode`."""
        return self.decode(Z)

    def reconstruct(self, X):
        """Return the copies of ``X`` through the means of its codes."""
        return self.decode(self.encode(X)[0])

    def sample(self, n, rng=0, *, noise=False):
        """Return ``n`` new points (n, d): codes from N(0, I), decoded; ``noise`` also draws from p(x | z)."""
        self._require_fit()
        n, rng = check_integer(n, "n", low=1), as_rng(rng)
        X = self.decode(rng.normal(size=(n, self._shape[0][-1])))
        if not check_choice(noise, "noise", (True, False)):
            return X
        if self._shape[2] == "sigmoid":
            return (rng.random(X.shape) < X).astype(float)
        return X + rng.normal(size=X.shape) * np.sqrt(self.noise_variance_)

    def bound(self, X, *, n_samples=50, rng=0):
        """Return the lower bound on ln p(x) of each row (23.11), KL in closed form, the rest the mean over draws of z.

        All rows share their draws of eps. With sigmoid outputs p(x) is a probability of black and white pixels.
        """
        X = self._points(X)
        mean, log_variance = self.encode(X)
        sizes, _, output = self._shape
        if output == "sigmoid":
            refuse_outside(X)
        n_samples = check_integer(n_samples, "n_samples", low=1)
        total = np.zeros(len(X))
        for eps in as_rng(rng).normal(size=(n_samples, sizes[-1])):
            a = self._scores(mean + np.exp(0.5 * log_variance) * eps)
            if output == "sigmoid":
                total += np.sum(X * a - softplus(a), axis=1)
            else:
                v, error = self.noise_variance_, X - (a * self._scale + self._mean)
                with np.errstate(over="ignore"):  # a point beyond all numbers has the bound -inf
                    total += -0.5 * np.sum(np.log(2 * np.pi * v) + error**2 / v, axis=1)
        return total / n_samples - gaussian_kl(mean, log_variance)

    def score(self, X, y=None):
        """Return the mean of the bound over the rows of ``X``."""
        return float(np.mean(self.bound(X)))

    def _scores(self, Z):
        """Return what the decoder's last layer makes of codes, before a sigmoid, in scaled units."""
        sizes, activation, _ = self._shape
        return forward(Z, self.parameters_[2 * len(sizes) - 2 : -1], activation, "identity").y

    def _kind(self, X):
        squarable(X)
        if self.output == "sigmoid":
            refuse_outside(X)
        return ("sigmoid" if is_ink(X) else "identity") if self.output == "auto" else self.output


class _Nets:
    """Encoder and decoder as layers of chapter 19, and the loss (23.11) of a batch with given eps."""

    def __init__(self, sizes, activation, output, beta, rng):
        self.m, self.d, self.output, self.beta = sizes[-1], sizes[0], output, beta
        ends = [*sizes[:-1], 2 * sizes[-1]]
        acts = [activation] * (len(sizes) - 2) + [None]
        self.encoder = Sequential(*(Dense(a, b, g, rng) for a, b, g in zip(ends[:-1], ends[1:], acts)))
        back = sizes[::-1]
        self.decoder = Sequential(*(Dense(a, b, g, rng) for a, b, g in zip(back[:-1], back[1:], acts)))
        self.log_noise = Tensor(np.zeros(1))
        self.parameters = self.encoder.parameters() + self.decoder.parameters() + [self.log_noise]

    def terms(self, A, targets, eps):
        """Return reconstruction and KL of a batch, means over its rows."""
        both, n = self.encoder(A), len(A)
        mu, log_variance = both[:, : self.m], both[:, self.m :]
        z = mu + (log_variance * 0.5).exp() * eps  # gradients reach mu and sigma, eps is a constant
        x = self.decoder(z)
        if self.output == "sigmoid":
            rest = copy_entropy(x, targets)
        else:
            error = x - targets
            s = self.log_noise
            rest = (error * error).sum() * ((s * -1).exp()) * (0.5 / n) + (s + np.log(2 * np.pi)) * (0.5 * self.d)
        kl = (mu * mu + log_variance.exp() - log_variance - 1).sum() * (0.5 / n)
        return rest, kl

    def slope(self, w, A, targets, eps):
        unpack(self.parameters, w)
        with np.errstate(over="ignore", invalid="ignore"):
            rest, kl = self.terms(A, targets, eps)
            (rest + kl * self.beta).sum().backward()
        grads = [np.zeros(p.size) if p.grad is None else p.grad.ravel() for p in self.parameters]
        return np.concatenate(grads)

    def record(self, A, targets):
        """Return the state, judged on all samples with the same draws after each epoch."""
        eps = np.random.default_rng(len(A)).normal(size=(len(A), self.m))
        with np.errstate(over="ignore", invalid="ignore"):
            rest, kl = self.terms(A, targets, eps)
        return Bound(tuple(p.data.copy() for p in self.parameters), float(rest), float(kl))


def copy_entropy(scores, X):
    """Return the cross-entropy of sigmoid outputs with targets in 0..1, averaged over the rows (23.2)."""
    value, slope = copy_loss(scores.data, X, "sigmoid"), (sigma(scores.data) - X) / len(X)
    return node("cross-entropy", np.asarray(value), (scores, lambda g: g * slope))


def _check_layers(layers, d):
    try:
        sizes = list(layers)
    except TypeError:
        raise TypeError(f"layers must be (d, hidden, code), such as (64, 32, 2); got {layers!r}.") from None
    if sizes and sizes[0] is None:
        sizes[0] = d
    sizes = [check_integer(s, "each of layers", low=1) for s in sizes]
    if len(sizes) < 2:
        raise ValueError(f"layers must be (d, hidden, code), such as (64, 32, 2); got {tuple(layers)}.")
    if sizes[0] != d:
        raise ValueError(f"layers begin with {sizes[0]} units, but X has {d} features.")
    return sizes

"""Generative adversarial networks: a forger and an expert who train each other (section 23.8)."""

from typing import NamedTuple

import numpy as np

from mlteach.autoencoders.inputs import common_scale
from mlteach.base import Model
from mlteach.deep_learning import Dense, Sequential, node, pack, unpack
from mlteach.logistic_regression.functions import sigma
from mlteach.neural_networks import forward
from mlteach.numerics import as_codes, softplus, squarable
from mlteach.optimization import Adam
from mlteach.parameters import By, Choice, Whole
from mlteach.validation import as_rng, check_integer, check_number


class Round(NamedTuple):
    """State of a GAN after some steps."""

    step: int
    generator: tuple  # W1, b1, W2, b2, ...
    discriminator: tuple
    value: float  # the game's value (23.15) on the last batches, at most 0; -ln 4 where nothing can be told apart


def _rates(rates):
    """Return the learning rates of discriminator and generator; one number serves both."""
    rates = rates if isinstance(rates, tuple | list) else [rates] * 2
    if len(rates) != 2:
        raise ValueError(f"learning_rate must be one number or two, (discriminator, generator); got {rates!r}.")
    return [check_number(rate, "learning_rate", low=0, open_low=True) for rate in rates]


class GAN(Model):
    """A generator that makes points from random codes, and a discriminator that tells them from real ones.

    Game            V = E_x ln D(x) + E_z ln(1 - D(G(z))),  D maximises, G minimises          (23.15)
    Discriminator   one step up V, the generator frozen
    Generator       one step with the discriminator frozen: down E ln(1 - D(G(z))) ("saturating"), or up
                    E ln D(G(z)) ("non-saturating"), which has a slope also where D is sure    (23.19)

    Parameters: ``latent``, the number of random numbers in a code, z ~ N(0, I); ``hidden``, the units of the two
    hidden layers of either net; ``rng``; ``loss`` of the generator; ``learning_rate`` of Adam (two of them:
    discriminator and generator); ``steps``; ``discriminator_steps`` and ``generator_steps`` in each step;
    ``batch_size``; ``every``: how many steps apart the records of ``history_`` are.

    Attributes: ``generator_`` and ``discriminator_`` (W1, b1, ...), ``history_``, a list of `Round`. A GAN has no
    encoder, but its codes form a latent space: `generate` decodes them.

    >>> X = np.random.default_rng(0).normal(3.0, 0.5, size=(200, 1))
    >>> model = GAN(steps=50).fit(X)
    >>> model.sample(4).shape, model.discriminate(X).shape
    ((4, 1), (200,))
    """

    params = {
        "latent": Whole(1),
        "hidden": Whole(1),
        "loss": Choice("non-saturating", "saturating"),
        "learning_rate": By(_rates),
        "steps": Whole(1),
        "discriminator_steps": Whole(1),
        "generator_steps": Whole(1),
        "batch_size": Whole(1),
        "every": Whole(1),
    }

    def __init__(self, latent=1, hidden=16, rng=0, *, loss="non-saturating", learning_rate=0.005, steps=1500,
                 discriminator_steps=1, generator_steps=1, batch_size=64, every=25):  # fmt: skip
        self.latent, self.hidden, self.rng, self.loss, self.learning_rate = latent, hidden, rng, loss, learning_rate
        self.steps, self.discriminator_steps, self.generator_steps = steps, discriminator_steps, generator_steps
        self.batch_size, self.every = batch_size, every

    def learn(self, X):
        """Train both nets from fresh weights."""
        rng, m, size = self.rng, self.latent, self.batch_size
        self._mean, self._scale = X.mean(axis=0), common_scale(X)
        A = (X - self._mean) / self._scale
        G, D = (_new_net(a, self.hidden, b, rng) for a, b in ((m, X.shape[1]), (X.shape[1], 1)))
        up, down = (Adam(rate, 0.5) for rate in self.learning_rate)
        self.history_ = [_record(0, G, D, A[:size], rng.normal(size=(size, m)))]
        for step in range(1, self.steps + 1):
            # 1. The discriminator's turn: real points up, made ones down
            for _ in range(self.discriminator_steps):
                real, made = A[rng.integers(0, len(A), size)], G(rng.normal(size=(size, m))).data
                move_net(D, up, lambda real=real, made=made: soft(-D(real)).mean() + soft(D(made)).mean())
            # 2. The generator's turn: gradients pass through the discriminator, whose weights stay
            for _ in range(self.generator_steps):
                z = rng.normal(size=(size, m))
                move_net(G, down, lambda z=z: forger_loss(D(G(z)), self.loss))
            if step % self.every == 0:
                self.history_.append(_record(step, G, D, real, rng.normal(size=(size, m))))
        self.generator_, self.discriminator_ = [[p.data.copy() for p in net.parameters()] for net in (G, D)]

    def _check_data(self, X):
        squarable(X)

    def generate(self, Z, record=None):
        """Return the points (n, d) that the generator makes of the codes ``Z``; ``record`` is one of ``history_``."""
        self._require_fit()
        weights = self.generator_ if record is None else record.generator
        return forward(as_codes(Z, len(weights[0])), weights, "tanh", "identity").y * self._scale + self._mean

    def sample(self, n, rng=0):
        """Return ``n`` new points (n, d)."""
        self._require_fit()
        return self.generate(as_rng(rng).normal(size=(check_integer(n, "n", low=1), len(self.generator_[0]))))

    def discriminate(self, X, record=None):
        """Return how probable the discriminator finds it that each row of ``X`` is real, (n,)."""
        X = (self._points(X) - self._mean) / self._scale
        weights = self.discriminator_ if record is None else record.discriminator
        return forward(X, weights, "tanh", "sigmoid").y[:, 0]


def soft(a):
    """Return ln(1 + e^a) of every entry of a Tensor: minus the logarithm of a sigmoid of -a."""
    return node("softplus", softplus(a.data), (a, lambda g: g * sigma(a.data)))


def _new_net(a, hidden, b, rng):
    """Return a net with a inputs, two hidden layers and b outputs."""
    return Sequential(Dense(a, hidden, "tanh", rng), Dense(hidden, hidden, "tanh", rng), Dense(hidden, b, rng=rng))


def forger_loss(scores, loss):
    """Return what the generator minimises: -ln D, or ln(1 - D)."""
    return soft(-scores).mean() if loss == "non-saturating" else -soft(scores).mean()


def move_net(net, optimizer, loss):
    """Make one step of one net; the other's weights are not among the parameters."""
    parameters = net.parameters()

    def slope(w):
        unpack(parameters, w)
        loss().backward()
        return np.concatenate([p.grad.ravel() for p in parameters])

    unpack(parameters, optimizer.step(pack(parameters), slope))


def _record(step, G, D, real, z):
    value = -float(soft(-D(real)).mean()) - float(soft(D(G(z).data)).mean())
    return Round(step, *(tuple(p.data.copy() for p in net.parameters()) for net in (G, D)), value)

"""Autoencoders: a network that copies its input through a narrow layer, the code (sections 23.2 to 23.5)."""

import copy
from typing import NamedTuple

import numpy as np

from mlteach.autoencoders.inputs import common_scale, is_ink, refuse_outside
from mlteach.base import Transformer
from mlteach.deep_learning import Dense, pack, unpack
from mlteach.history import History
from mlteach.neural_networks import ACTIVATIONS, Activation, backward, forward
from mlteach.numerics import as_codes, softplus, squarable
from mlteach.optimization import Adam, Optimizer, linear_decay
from mlteach.parameters import ANY, By, Choice, Maybe, Real, Whole
from mlteach.validation import check_integer

UNITS = {None: Activation(lambda z: z, lambda z, a: 1.0), **ACTIVATIONS}
HIDDEN = {"tanh": "tanh", "sigmoid": "sigmoid", "relu": "relu", None: None, "identity": None, "linear": None}
OUTPUTS = ("auto", "identity", "sigmoid")
RATE = 0.05  # of Adam at the start; it falls to a hundredth
EXACT = 20  # exact steps of a linear net for one iteration of any other: they cost little


class Copying(NamedTuple):
    """State of an autoencoder after one iteration: some passes over the data, or one exact step of a linear net."""

    parameters: tuple  # W1, b1, W2, b2, ..., in the units of the data
    loss: float  # mean over the training samples


def check_optimizer(optimizer):
    """Return an optimiser of chapter 05."""
    if not isinstance(optimizer, Optimizer):
        raise TypeError(f"optimizer must be an optimiser of chapter 05, such as Adam(0.01); got {optimizer!r}.")
    return optimizer


class Autoencoder(Transformer):
    """A network that learns to repeat its input, although its narrowest layer has fewer units than the input.

    Model    z = encoder(x),  x~ = decoder(z)                                                       (23.1)
    Loss     mean of |x - x~|^2, or with sigmoid outputs of -sum x ln x~ + (1 - x) ln(1 - x~)       (23.2)

    Parameters: ``layers``, the number of units of each layer, (64, 32, 2, 32, 64); the first half alone, (64, 32, 2),
    is mirrored, and None at the ends is filled in by ``fit``. The code is the narrowest hidden layer, and is linear
    unless it is the only one. ``activation`` of the hidden layers: "tanh", "sigmoid", "relu"; None (or "linear") for
    a linear net. ``rng`` draws the first weights. ``output``: "sigmoid", "identity", or "auto": sigmoid if the net is
    not linear and all entries of X lie in 0..1. ``optimizer`` of chapter 05; None takes Adam with a falling rate, and
    for a linear net with squared error exact steps (alternating least squares, 23.6). ``batch_size``: None takes all
    samples. ``max_iter`` iterations, each of as many passes over the data as make ``steps`` steps; ``tol``: exact
    steps end when one lowers the loss by less than this share; ``denoise``: standard deviation of noise added to the
    input, not to the target, as a multiple of the data's common scale (the root of their mean variance); ``history``:
    False keeps only the first and the last record.

    Attributes: ``parameters_``, the list W1, b1, W2, b2, ... (W is inputs x units), ``code_layer_``, ``loss_``,
    ``n_iter_``, ``converged_``, ``history_``, a list of `Copying`.

    >>> net = Autoencoder((8, 3, 8), "sigmoid").fit(np.eye(8))
    >>> net.encode(np.eye(8)).shape, bool(np.all(net.reconstruct(np.eye(8)).round() == np.eye(8)))
    ((8, 3), True)
    """

    task = "transform"
    params = {
        "layers": ANY,
        "activation": Choice(*HIDDEN),
        "output": Choice(*OUTPUTS),
        "optimizer": Maybe(By(check_optimizer)),
        "batch_size": Maybe(Whole(1), "n"),
        "max_iter": Whole(1),
        "steps": Whole(1),
        "tol": Real(0),
        "denoise": Real(0),
    }

    def __init__(self, layers=(None, 2, None), activation="tanh", rng=0, *, output="auto", optimizer=None,
                 batch_size=64, max_iter=100, steps=25, tol=1e-10, denoise=0.0, history=True):  # fmt: skip
        self.layers, self.activation, self.rng, self.output = layers, activation, rng, output
        self.optimizer, self.batch_size, self.max_iter, self.steps = optimizer, batch_size, max_iter, steps
        self.tol, self.denoise, self.history = tol, denoise, history

    def learn(self, X):
        """Train from fresh weights."""
        sizes, activation = check_layers(self.layers, X.shape[1]), HIDDEN[self.activation]
        output = self._chosen(X)
        # 1. Centre, and divide by one common scale; both go into the first and the last layer afterwards
        mean, scale = X.mean(axis=0), common_scale(X)
        A = (X - mean) / scale
        task = _Task(sizes, activation, self.rng, output, A, X if output == "sigmoid" else A)
        # 2. Minimise the loss, by exact steps or by batches, and keep the states
        run = History(whole=self.history)
        states = alternate(task, self.max_iter * EXACT, self.tol) if self._is_exact(task) else _by_batches(task, self)
        for w, loss, self.converged_ in states:
            run.append(Copying(*_in_units(task, w, loss, mean, scale)))
        self.history_, self._parameters, self.loss_ = run, list(run[-1].parameters), run[-1].loss
        self.code_layer_, self._activations, self._output_ = code_layer(sizes), task.activations, output
        self._most = self.max_iter * EXACT if self._is_exact(task) else self.max_iter

    def _is_exact(self, task):
        return self.optimizer is None and task.linear and not self.denoise

    def advice(self, X):
        """Say that exact steps were not done, or that training ran away."""
        if self._most > self.max_iter and not self.converged_:
            yield f"the loss still fell after {self._most} exact steps; a larger max_iter may lower it further."
        elif self._most == self.max_iter > self.n_iter_:
            yield "the numbers left the range of the computer; use a smaller learning rate."

    def _check_data(self, X):
        squarable(X)

    @property
    def parameters_(self):
        """W1, b1, W2, b2, ... in the units of the data."""
        self._require_fit()
        return self._parameters

    def encode(self, X):
        """Return the codes (n, units of the code layer)."""
        return self._forward(self._points(X), 0, self.code_layer_)

    def decode(self, Z):
        """Return the points (n, d) that the decoder makes of the codes ``Z``."""
        self._require_fit()
        Z = as_codes(Z, self.parameters_[2 * self.code_layer_].shape[0])
        return self._forward(Z, self.code_layer_, len(self._activations))

    def reconstruct(self, X):
        """Return the copies (n, d): encode, then decode."""
        return self.decode(self.encode(X))

    def transform(self, X):
        """The same as `encode`."""
        return self.encode(X)

    def inverse_transform(self, Z):
        """The same as `decode`."""
        return self.decode(Z)

    def losses(self, X):
        """Return the loss of each row: |x - x~|^2, or with sigmoid outputs the cross-entropy summed over the entries.

        With sigmoid outputs the entries of ``X`` must lie in 0..1.
        """
        X = self._points(X)
        a = self._forward(self.encode(X), self.code_layer_, len(self._activations), output=False)
        if self._output_ == "identity":
            with np.errstate(over="ignore"):  # a loss beyond all numbers is inf
                return np.sum((X - a) ** 2, axis=1)
        refuse_outside(X)
        return np.sum(softplus(a) - X * a, axis=1)

    def score(self, X, y=None):
        """Return the share of the variance of ``X`` around its mean that the copies keep."""
        X = self._points(X)
        total = np.sum((X - X.mean(axis=0)) ** 2)
        return float(1 - np.sum((X - self.reconstruct(X)) ** 2) / total) if total > 0 else 1.0

    def _forward(self, A, first, last, output=True):
        *hidden, end = (UNITS[g] for g in self._activations[first:last])
        if output and last == len(self._activations):
            end = self._output_
        return forward(A, self.parameters_[2 * first : 2 * last], hidden, end).y

    def _chosen(self, X):
        if self.output == "auto":
            return "sigmoid" if HIDDEN[self.activation] is not None and is_ink(X) else "identity"
        if self.output == "sigmoid":
            refuse_outside(X)
        return self.output


class _Task:
    """The loss of a net on inputs and targets, with its slope, as a function of all weights.

    Chapter 18's backpropagation (18.17): many small steps, for which an engine's bookkeeping would cost most.
    """

    def __init__(self, sizes, activation, rng, output, inputs, targets):
        self.inputs, self.targets, self.output = inputs, targets, output
        self.activations = activations(sizes, activation)
        layers = [Dense(a, b, g, rng) for a, b, g in zip(sizes[:-1], sizes[1:], self.activations)]
        self.parameters = [p for layer in layers for p in layer.parameters()]
        self.hidden = [UNITS[g] for g in self.activations[:-1]]
        self.linear = output == "identity" and activation is None

    def loss(self, w):
        """Return the mean loss of all samples."""
        with np.errstate(over="ignore", invalid="ignore"):
            z = forward(self.inputs, self._weights(w), self.hidden, self.output).z[-1]
            return copy_loss(z, self.targets, self.output)

    def slope(self, w, rows=slice(None), noise=None):
        """Return the slope of the mean loss of some samples."""
        X = self.inputs[rows] if noise is None else self.inputs[rows] + noise
        weights = self._weights(w)
        with np.errstate(over="ignore", invalid="ignore"):
            passed = forward(X, weights, self.hidden, self.output)
            slopes = backward(passed, weights, self.targets[rows], self.hidden, self.output)
            slopes = np.concatenate([s.ravel() for s in slopes])
            return 2 * slopes if self.output == "identity" else slopes  # chapter 18 has half the square

    def _weights(self, w):
        unpack(self.parameters, w)
        return [p.data for p in self.parameters]


def copy_loss(a, X, output):
    """Return the mean over the rows of |x - x~|^2, or of the cross-entropy of sigmoid outputs with sums a (23.2)."""
    if output == "identity":
        error = a - X
        return float(np.sum(error * error) / len(X))
    return float(np.sum(softplus(a) - X * a) / len(X))


def alternate(task, max_iter, tol):
    """Solve for one layer after the other, each by least squares with the others held; yield (w, loss, done).

    The data are centred, so all offsets are 0, and only their covariance counts.
    """
    weights, A = [p.data for p in task.parameters[::2]], task.inputs
    for b in task.parameters[1::2]:
        b.data = np.zeros(b.shape)
    R = np.linalg.qr(A, mode="r") / np.sqrt(len(A))  # R'R is the covariance: |R - R W|^2 is the mean loss
    last = np.sum((R - R @ _chain(weights)) ** 2)
    yield pack(task.parameters), last, False
    for k in range(max_iter):
        # 1. The best decoder for this encoder, the best encoder for that decoder: layer after layer, backwards
        for layer in reversed(range(len(weights))):
            before, after = _chain([np.eye(A.shape[1]), *weights[:layer]]), _chain(weights[layer + 1 :])
            W = np.linalg.lstsq(R @ before, R, rcond=1e-12)[0]
            weights[layer] = W if after is None else W @ np.linalg.pinv(after, rcond=1e-12)
        # 2. Stop when a round of steps gains hardly anything
        loss = np.sum((R - R @ _chain(weights)) ** 2)
        for p, W in zip(task.parameters[::2], weights):
            p.data = W
        done = bool(last - loss <= tol * last)
        last = loss
        yield pack(task.parameters), loss, done
        if done and k:
            return


def _chain(weights):
    """Return the product of the matrices, None if there are none."""
    product = None
    for W in weights:
        product = W if product is None else product @ W
    return product


def _by_batches(task, model):
    """Yield (w, loss, done) after each iteration of mini-batch descent, first the start."""
    n, rng = len(task.inputs), model.rng.spawn(1)[0]
    size = min(model.batch_size, n)
    passes = -(-model.steps * size // n)
    optimizer = copy.deepcopy(model.optimizer)
    if optimizer is None:
        optimizer = Adam(linear_decay(RATE, RATE / 100, model.max_iter * passes * -(-n // size)))
    optimizer.reset()
    w = pack(task.parameters)
    first = task.loss(w)
    yield w, first, False
    for _ in range(model.max_iter):
        for rows in (rows for _ in range(passes) for rows in _dealt(n, size, rng)):
            noise = rng.normal(scale=model.denoise, size=task.inputs[rows].shape) if model.denoise else None
            if np.isfinite(w).all():
                w = optimizer.step(w, lambda w, rows=rows, noise=noise: task.slope(w, rows, noise))
        loss = task.loss(w) if np.isfinite(w).all() else np.nan
        if not np.isfinite(loss):
            return
        yield w, loss, bool(loss < first)


def _dealt(n, size, rng):
    """Return the numbers of the samples in batches, in random order."""
    return np.split(rng.permutation(n) if size < n else np.arange(n), range(size, n, size))


def check_layers(layers, d):
    """Return the sizes of all layers: the half is mirrored, and None at the ends becomes d."""
    try:
        sizes = list(layers)
    except TypeError:
        raise TypeError(f"layers must list the units of each layer, such as (8, 3, 8); got {layers!r}.") from None
    sizes = [d if k in (0, len(sizes) - 1) and s is None else s for k, s in enumerate(sizes)]
    sizes = [check_integer(s, "each of layers", low=1) for s in sizes]
    if len(sizes) > 1 and sizes[-1] != sizes[0]:
        sizes = sizes + sizes[-2::-1]
    if len(sizes) < 3:
        raise ValueError(f"layers must have a hidden layer, such as (8, 3, 8); got {tuple(layers)}.")
    if sizes[0] != d:
        raise ValueError(f"layers begin and end with {sizes[0]} units, but X has {d} features.")
    return sizes


def code_layer(sizes):
    """Return the place of the narrowest hidden layer; of equals the one in the middle.

    >>> code_layer([64, 32, 2, 32, 64]), code_layer([4, 2, 2, 2, 4])
    (2, 2)
    """
    hidden = range(1, len(sizes) - 1)
    return min(hidden, key=lambda k: (sizes[k], abs(k - (len(sizes) - 1) / 2)))


def activations(sizes, activation):
    """Return the activation of each layer after the first: the output and a code between hidden layers have none."""
    code = code_layer(sizes)
    return [None if k == len(sizes) - 1 or (k == code and len(sizes) > 3) else activation for k in range(1, len(sizes))]


def _in_units(task, w, loss, mean, scale):
    """Return weights and loss for data that are neither centred nor scaled."""
    unpack(task.parameters, w)
    parameters = [p.data.copy() for p in task.parameters]
    parameters[0] = parameters[0] / scale
    parameters[1] = parameters[1] - mean @ parameters[0]
    if task.output == "identity":
        parameters[-2], parameters[-1] = parameters[-2] * scale, parameters[-1] * scale + mean
        loss = loss * scale**2
    return tuple(parameters), float(loss)

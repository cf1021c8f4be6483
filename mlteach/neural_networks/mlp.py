"""The multi-layer perceptron, trained by mini-batches and backpropagation (sections 18.4 to 18.7)."""

import copy
from typing import NamedTuple

import numpy as np

from mlteach.base import Estimator
from mlteach.history import History
from mlteach.neural_networks.activations import ACTIVATIONS
from mlteach.neural_networks.backpropagation import backward, forward, names
from mlteach.neural_networks.outputs import OUTPUTS
from mlteach.numerics import one_hot, pack, unpack
from mlteach.optimization import GradientDescent, Optimizer
from mlteach.parameters import ANY, By, Choice, Maybe, Whole
from mlteach.validation import as_array, as_labels, as_matrix, as_rng, check_choice, check_integer


class Epoch(NamedTuple):
    """State of a network after one pass over the data."""

    parameters: tuple  # W1, b1, W2, b2, ...
    loss: float  # mean over the training samples


class _Task:
    """What the network learns follows from its output unit; the class itself has that of the default."""

    def __get__(self, model, cls):
        return "regression" if model is not None and model._kind()[1] == "identity" else "classification"


def check_layers(layers):
    """Return the sizes of the layers as a tuple of whole numbers, None allowed at both ends."""
    if not isinstance(layers, list | tuple | np.ndarray) or len(layers) < 2:
        raise ValueError(f"layers must list all sizes, inputs first, outputs last, such as (2, 8, 1); got {layers!r}.")
    return tuple(
        None if size is None and k in (0, len(layers) - 1) else check_integer(size, f"layers[{k}]", low=1)
        for k, size in enumerate(layers)
    )


class MLP(Estimator):
    """A feed-forward network of fully connected layers.

    Model     a_0 = x,  a_l = g(a_(l-1) W_l + b_l),  the last layer with the output unit instead of g   (18.6)
    Loss      mean of 1/2 |y - t|^2 ("identity") or of the cross-entropy ("sigmoid", "softmax")         (18.8)
    Gradient  by backpropagation                                                                        (18.17)
    Update    theta <- theta - eta * gradient on the next mini-batch                                    (18.20)

    Parameters: ``layers``, the number of units of each layer, inputs first, outputs last; None at either end is
    filled in by ``fit``. ``activation`` of the hidden layers: "tanh", "sigmoid", "relu", "softplus". ``output``:
    "identity" for measured targets (n,) or (n, k), "sigmoid" for two classes with one unit, "softmax" for any number
    of classes with a unit each. ``learning_rate``, a number or a schedule of chapter 05; ``epochs`` passes over the
    data; ``batch_size``, None for all samples at once; ``rng`` draws the first weights, W ~ N(0, 1 / inputs) (twice
    the variance for "relu", b = 0), and shuffles; ``optimizer`` of chapter 05 instead of plain descent (its own rate
    counts then; ``fit`` works on a copy); ``history``: False keeps only the first and the last record.

    Attributes: ``parameters_``, the list W1, b1, W2, b2, ... (W is inputs x units), there from the start and open to
    changes in place; ``classes_``; ``loss_``; ``n_iter_``, the epochs made; ``converged_``: all epochs
    were made and the loss fell (no promise that it would not fall further); ``history_``, a list of `Epoch`.

    >>> net = MLP((2, 4, 1), "tanh", "sigmoid", learning_rate=0.5, epochs=500, batch_size=None, rng=2)
    >>> net.fit([[0, 0], [0, 1], [1, 0], [1, 1]], ["same", "other", "other", "same"]).predict([[1, 0], [1, 1]])
    array(['other', 'same'], dtype='<U5')
    """

    task = _Task()
    params = {
        "layers": By(check_layers),
        "activation": Choice(*ACTIVATIONS),
        "output": Choice(*OUTPUTS),
        "learning_rate": ANY,
        "epochs": Whole(1),
        "batch_size": Maybe(Whole(1), "n"),
        "optimizer": ANY,
    }

    def __init__(self, layers=(None, 16, None), activation="tanh", output="softmax", learning_rate=0.1, epochs=200,
                 batch_size=32, rng=0, *, optimizer=None, history=True):  # fmt: skip
        self.layers, self.activation, self.output = layers, activation, output
        self.learning_rate, self.epochs, self.batch_size, self.rng = learning_rate, epochs, batch_size, rng
        self.optimizer, self.history = optimizer, history

    # --- the network as a function ----------------------------------------------------------------------------

    @property
    def parameters_(self):
        """W1, b1, W2, b2, ...; drawn from ``rng`` when they are first asked for."""
        if "_parameters" not in vars(self):
            sizes = check_layers(self.layers)
            if None in sizes:
                raise AttributeError(f"layers = {self.layers} leaves a size open, which fit fills in; call fit first.")
            self._parameters = initial_parameters(sizes, self.activation, as_rng(self.rng))
        return self._parameters

    def forward(self, X):
        """Return the outputs y (n, k): values, or probabilities."""
        return self._pass(X).y

    def activations(self, X):
        """Return what every layer makes of ``X``: a list of arrays (n, units), X itself first, the output last."""
        return self._pass(X).a

    def loss(self, X, y):
        """Return the mean loss of the targets or labels ``y``."""
        passed = self._pass(X)
        with np.errstate(over="ignore", invalid="ignore"):
            return float(np.mean(OUTPUTS[self._kind()[1]].loss(passed.z[-1], self._targets(y, passed.y.shape))))

    def gradients(self, X, y):
        """Return the slopes of ``loss(X, y)`` in the parameters, in their order."""
        passed = self._pass(X)
        return backward(passed, self.parameters_, self._targets(y, passed.y.shape), *self._kind())

    def backward(self, X, y):
        """The same as ``gradients``: one step forward, one step backward."""
        return self.gradients(X, y)

    # --- learning ---------------------------------------------------------------------------------------------

    def learn(self, X, T):
        """Train from fresh weights."""
        kind, optimizer = (self.activation, self.output), self._optimizer()
        # 1. Small random weights, no offsets
        start = initial_parameters(self._sizes(X, T), self.activation, self.rng)
        theta, shapes = pack(start), [p.shape for p in start]
        run = History([Epoch(tuple(start), mean_loss(X, T, start, kind))], whole=self.history)

        def slopes(theta, batch):
            parameters = unpack(theta, shapes)
            passed = forward(X[batch], parameters, *kind)
            return pack(backward(passed, parameters, T[batch], *kind))

        with np.errstate(over="ignore", invalid="ignore"):  # a run that diverges is caught below
            for _ in range(self.epochs):
                # 2. Shuffle, and deal the samples out in batches
                for batch in np.split(self.rng.permutation(len(X)), range(self.batch_size, len(X), self.batch_size)):
                    # 3. Forward, backward, and a step downhill (18.20)
                    if np.isfinite(theta).all():
                        theta = optimizer.step(theta, lambda theta, batch=batch: slopes(theta, batch))
                parameters = tuple(p.copy() for p in unpack(theta, shapes))
                loss = mean_loss(X, T, parameters, kind)
                if not np.isfinite(loss):
                    break
                run.append(Epoch(parameters, loss))
        self.history_, self.converged_ = run, run.n_steps == self.epochs and run[-1].loss <= run[0].loss
        self._parameters, self.loss_, self._fitted_kind = [p.copy() for p in run[-1].parameters], run[-1].loss, kind

    def advice(self, X, T):
        """Say so where training ran away or made things worse."""
        rate = "the optimizer's learning_rate" if self.optimizer else f"learning_rate={self.learning_rate!r}"
        remedy = "Use a smaller one, and scale the inputs to mean 0 and variance 1."
        if self.n_iter_ < self.epochs:
            yield f"MLP diverges in epoch {self.n_iter_ + 1} with {rate}; the weights before it are kept. {remedy}"
        elif not self.converged_:
            yield f"MLP ends with a loss above that of its first weights, {rate} may be too large. {remedy}"

    def predict(self, X):
        """Return values (n,) or (n, k), or the most probable label of each row (n,)."""
        y, output = self._asked(X).y, self._kind()[1]
        if output == "identity":
            return y[:, 0] if y.shape[1] == 1 else y
        best = (y[:, 0] > 0.5).astype(int) if output == "sigmoid" else np.argmax(y, axis=1)
        return self._labels(y.shape[1])[best]

    def predict_proba(self, X):
        """Return the probability of each class (n, K), in the order of ``classes_``."""
        self._need_classes("probabilities")
        y = self._asked(X).y
        return np.column_stack([1 - y, y]) if self._kind()[1] == "sigmoid" else y

    def decision_function(self, X):
        """Return the sums z of the output units (n, K); for two classes their difference (n,), the log odds."""
        self._need_classes("scores")
        z = self._asked(X).z[-1]
        return z[:, -1] - (z[:, 0] if z.shape[1] == 2 else 0) if z.shape[1] < 3 else z

    # --- reading and keeping ----------------------------------------------------------------------------------

    def _kind(self):
        """Activation and output: those of ``fit``, or before it those of the constructor."""
        return vars(self).get("_fitted_kind", (self.activation, self.output))

    def _pass(self, X):
        parameters = self.parameters_
        X = self._points(X) if hasattr(self, "n_features_in_") else as_matrix(X, n_features=len(parameters[0]))
        with np.errstate(over="ignore", invalid="ignore"):
            return forward(X, parameters, *names(*self._kind()))

    def _asked(self, X):
        if "_parameters" not in vars(self):  # nobody has trained the weights or set them by hand
            self._require_fit()
        return self._pass(X)

    def _need_classes(self, what):
        if self._kind()[1] == "identity":
            raise ValueError(f"a network with output='identity' has no {what}; use 'sigmoid' or 'softmax'.")

    def _labels(self, k):
        return getattr(self, "classes_", np.arange(max(k, 2)))

    def _targets(self, y, shape):
        """Return ``y`` as a table of targets (n, k) for the output layer."""
        n, k = shape
        if self._kind()[1] == "identity":
            return measured(y, n, k)
        classes, index = as_labels(y, length=n, min_classes=1)
        known = getattr(self, "classes_", None)
        if known is None:  # before fit: the labels of y if all classes are among them, else 0, 1, 2, ...
            known = classes if len(classes) == max(k, 2) else np.arange(max(k, 2))
        outside = [label for label in classes.tolist() if label not in known.tolist()]
        if outside:
            raise ValueError(f"y holds the label {outside[0]!r}; this network knows {known.tolist()}.")
        return indicators(np.array([known.tolist().index(label) for label in classes.tolist()])[index], k)

    def _read_targets(self, y, n):
        """Return the targets (n, k); keep the classes, if there are any."""
        if self.output == "identity":
            return measured(y, n, self.layers[-1])
        self.classes_, index = as_labels(y, length=n)
        if self.output == "sigmoid" and len(self.classes_) > 2:
            raise ValueError(f"output='sigmoid' tells two classes apart; y holds {len(self.classes_)}. Use 'softmax'.")
        return indicators(index, 1 if self.output == "sigmoid" else len(self.classes_))

    def _sizes(self, X, T):
        """Return the sizes of all layers; those that are known must fit the data."""
        first, *hidden, last = self.layers
        if first not in (None, X.shape[1]):
            raise ValueError(f"layers[0] = {first}, but X has {X.shape[1]} features; the two must agree.")
        if last not in (None, T.shape[1]):
            raise ValueError(f"layers[-1] = {last}, but output={self.output!r} needs {T.shape[1]} for this y.")
        return X.shape[1], *hidden, T.shape[1]

    def _optimizer(self):
        if self.optimizer is None:
            return GradientDescent(self.learning_rate)
        if not isinstance(self.optimizer, Optimizer):
            raise TypeError(f"optimizer must be one of mlteach.optimization, such as Adam(); got {self.optimizer!r}.")
        return copy.deepcopy(self.optimizer).reset()


def initial_parameters(sizes, activation="tanh", rng=0):
    """Return W1, b1, W2, b2, ... with W ~ N(0, 1 / inputs), twice that variance for "relu", and b = 0.

    ``sizes`` are the widths of the layers, ``activation`` is that of the hidden ones.

    >>> [p.shape for p in initial_parameters((2, 3, 1))]
    [(2, 3), (3,), (3, 1), (1,)]
    """
    sizes = check_layers(sizes)
    if None in sizes:
        raise ValueError(f"all sizes must be known to draw weights; got {sizes}.")
    gain = 2.0 if check_choice(activation, "activation", tuple(ACTIVATIONS)) == "relu" else 1.0
    rng = as_rng(rng)
    parameters = []
    for n_in, n_out in zip(sizes[:-1], sizes[1:]):
        parameters += [rng.normal(size=(n_in, n_out)) * np.sqrt(gain / n_in), np.zeros(n_out)]
    return parameters


def measured(y, n, k):
    """Return measured targets as a table (n, k); k = None takes as many columns as come."""
    y = as_array(y, "y")
    T = y[:, None] if y.ndim == 1 else y
    if T.ndim != 2 or len(T) != n or k not in (None, T.shape[1]):
        wanted = f"({n},)" if k == 1 else f"({n}, {'k' if k is None else k})"
        raise ValueError(f"y must have shape {wanted}, one row per row of X; got {y.shape}.")
    return T


def indicators(index, k):
    """Return a 1 in the column of each class (n, k); with k = 1 the index itself, 0 or 1, as one column."""
    return index[:, None].astype(float) if k == 1 else one_hot(index, k)


def mean_loss(X, T, parameters, kind):
    """Return the mean loss of a network, unchecked."""
    with np.errstate(over="ignore", invalid="ignore"):
        return float(np.mean(OUTPUTS[kind[1]].loss(forward(X, parameters, *kind).z[-1], T)))

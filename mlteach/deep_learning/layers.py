"""Layers: functions of a Tensor that own parameters, and how their weights begin.

A layer is called as ``layer(x, training=False)`` and lists its Tensors in ``parameters()``. A new one derives from
`Layer` and writes ``forward(x, training)``.

Derived in sections 19.3, 19.4, 19.5 and 19.7 of the chapter.
"""

import numpy as np

from mlteach.deep_learning.tensor import Tensor, constant
from mlteach.validation import as_rng, check_choice, check_integer, check_number

ACTIVATIONS = {"relu": Tensor.relu, "tanh": Tensor.tanh, "sigmoid": Tensor.sigmoid}


class Layer:
    """What all layers share: the call, and no parameters unless a layer lists some."""

    def __call__(self, x, training=False):
        """Return the output Tensor for a Tensor or an array; ``training`` switches dropout on."""
        return self.forward(constant(x), training)

    def forward(self, x, training):
        """Return the output for the Tensor ``x``."""
        raise NotImplementedError

    def parameters(self):
        """Return the list of Tensors that training changes."""
        return []


def initial_std(n_in, activation=None):
    """Return the standard deviation with which a layer's weights begin: sqrt(2 / n_in) for relu, else 1 / sqrt(n_in).

    So that a signal keeps its size from layer to layer (19.8).

    ``activation`` is the name of what follows the layer.

    >>> initial_std(50, "relu"), initial_std(25, "tanh")
    (0.2, 0.2)
    """
    n_in = check_integer(n_in, "n_in", low=1)
    check_choice(activation, "activation", [None, *ACTIVATIONS])
    return float(np.sqrt((2 if activation == "relu" else 1) / n_in))


class Dense(Layer):
    """Every output sees every input.

    Model    y = g(x W + b),  W (n_in, n_out), b (n_out,)
    Start    W ~ N(0, scale^2 initial_std^2),  b = 0              (19.8)

    Parameters: ``activation`` "relu", "tanh", "sigmoid", None for none, or a function of a Tensor; ``rng``, for which
    all layers of a network should get the same Generator, or equal layers begin with equal weights; ``scale``, a
    factor on the standard deviation. The Tensors are ``W`` and ``b``.

    >>> layer = Dense(2, 3, "tanh")
    >>> layer(np.ones((5, 2))).shape, [p.shape for p in layer.parameters()]
    ((5, 3), [(2, 3), (3,)])
    """

    def __init__(self, n_in, n_out, activation=None, rng=0, *, scale=1.0):
        self.n_in, self.n_out = check_integer(n_in, "n_in", low=1), check_integer(n_out, "n_out", low=1)
        if not callable(activation):
            check_choice(activation, "activation", [None, *ACTIVATIONS])
        self.activation = activation
        scale = check_number(scale, "scale", low=0)
        std = scale * initial_std(n_in, activation if isinstance(activation, str) else None)
        self.W = Tensor(as_rng(rng).normal(0, std, (n_in, n_out)))
        self.b = Tensor(np.zeros(n_out))

    def forward(self, x, training):
        """Return g(x W + b)."""
        if x.ndim == 0 or x.shape[-1] != self.n_in:
            raise ValueError(f"Dense({self.n_in}, {self.n_out}) needs inputs (n, {self.n_in}); got shape {x.shape}.")
        a = x @ self.W + self.b
        g = ACTIVATIONS.get(self.activation, self.activation) if isinstance(self.activation, str) else self.activation
        return g(a) if g else a

    def parameters(self):
        """Return [W, b]."""
        return [self.W, self.b]


class Dropout(Layer):
    """In training, switch off each entry with probability p and scale what stays up by 1 / (1 - p) (19.16).

    The expected output is then the input itself, and without training nothing happens.

    >>> Dropout(0.5, rng=3)(np.ones(6), training=True).data
    array([0., 0., 2., 2., 0., 0.])
    """

    def __init__(self, p, rng=0):
        self.p, self.rng = check_number(p, "p", low=0, high=1, open_high=True), as_rng(rng)

    def forward(self, x, training):
        """Return x, in training times a random mask."""
        if not training or self.p == 0:
            return x
        return x * ((self.rng.random(x.shape) >= self.p) / (1 - self.p))


class Sequential(Layer):
    """One layer after the other; a layer that stands twice shares its weights with itself.

    Functions of a Tensor, such as ``Tensor.relu``, may stand among the layers.

    >>> rng = np.random.default_rng(0)
    >>> model = Sequential(Dense(64, 32, "relu", rng), Dropout(0.2, rng), Dense(32, 10, rng=rng))
    >>> sum(p.size for p in model.parameters())
    2410
    """

    def __init__(self, *layers):
        for layer in layers:
            if not callable(layer):
                raise TypeError(f"a layer is something to be called; got {type(layer).__name__}. Sequential(a, b, c).")
        self.layers = list(layers)

    def forward(self, x, training):
        """Return the output of the last layer."""
        return self.outputs(x, training)[-1]

    def outputs(self, x, training=False):
        """Return the input and the output of every layer, as Tensors."""
        outputs = [constant(x)]
        for layer in self.layers:
            outputs.append(layer(outputs[-1], training) if isinstance(layer, Layer) else layer(outputs[-1]))
        return outputs

    def parameters(self):
        """Return the parameters of all layers in order, each once."""
        found = [p for layer in self.layers if hasattr(layer, "parameters") for p in layer.parameters()]
        return list({id(p): p for p in found}.values())


class Residual(Sequential):
    """A block that learns what to add: h(x) = x + F(x), F the layers given (19.12).

    >>> block = Residual(Dense(4, 4, "relu", scale=0))
    >>> block(np.arange(4.0)).data                      # F = 0: the block passes everything on
    array([0., 1., 2., 3.])
    """

    def forward(self, x, training):
        """Return x + F(x)."""
        F = super().forward(x, training)
        if F.shape != x.shape:
            raise ValueError(f"a residual block adds its input to its output; the shapes are {x.shape} and {F.shape}.")
        return x + F

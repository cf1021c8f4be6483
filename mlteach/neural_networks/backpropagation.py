"""Backpropagation: one step forward that keeps what it computes, one step backward that returns all slopes.

A network is the list of its parameters W1, b1, W2, b2, ...; W has inputs as rows and units as columns, so a table X
(n, d) of samples becomes X W + b. Derived in sections 18.4 (forward) and 18.6 (backward) of the chapter.
"""

from typing import NamedTuple

import numpy as np

from mlteach.neural_networks.activations import ACTIVATIONS
from mlteach.neural_networks.outputs import OUTPUTS
from mlteach.optimization import numerical_gradient
from mlteach.validation import as_array, as_matrix, check_choice


class Forward(NamedTuple):
    """All that the forward step computes: ``a[0]`` is X, ``z[l]`` and ``a[l + 1]`` belong to layer l + 1."""

    z: list  # weighted sums (n, units) of each layer
    a: list  # activations (n, units), one more than z; a[-1] is the output

    @property
    def y(self):
        """The output (n, k)."""
        return self.a[-1]


def forward_step(X, parameters, activation="tanh", output="identity"):
    """Send the rows of ``X`` (n, d) through the network and keep every layer.

    z_l = a_(l-1) W_l + b_l,   a_l = g(z_l),   y = output unit of the last z      (18.6)

    ``parameters`` are W1, b1, W2, b2, ...; ``activation`` of the hidden layers and ``output`` as in `MLP`.

    >>> xor = [[[1, 1], [1, 1]], [0, -1], [[1], [-2]], [0]]
    >>> forward_step([[0, 0], [0, 1], [1, 0], [1, 1]], xor, "relu").y.ravel()
    array([0., 1., 1., 0.])
    """
    parameters = check_parameters(parameters)
    X = as_matrix(X)
    if X.shape[1] != len(parameters[0]):
        raise ValueError(f"X must have {len(parameters[0])} features, one per row of W1; got {X.shape[1]}.")
    with np.errstate(over="ignore", invalid="ignore"):
        passed = forward(X, parameters, *names(activation, output))
    for k, z in enumerate(passed.z, start=1):
        if not np.isfinite(z).all():
            raise ValueError(f"the sums of layer {k} are too large for floating-point numbers; scale X or the weights.")
    return passed


def backward_step(passed, parameters, T, activation="tanh", output="identity"):
    """Return the slopes of the mean loss in every parameter, in the order of ``parameters``.

    Delta_L = (y - t) / n,   dW_l = a_(l-1)' Delta_l,   db_l = sum of the rows of Delta_l,
    Delta_(l-1) = Delta_l W_l' * g'(z_(l-1))                                      (18.17), (18.18)

    Parameters: ``passed``, what `forward_step` returned for the same parameters; ``T`` (n, k) targets.

    ``activation`` of the hidden layers and ``output`` as in `MLP`.

    >>> net = [[[0.5, 0.2], [-0.3, 0.4]], [0.1, -0.2], [[0.7], [-0.6]], [0.3]]
    >>> slopes = backward_step(forward_step([[2, 1]], net, "relu"), net, [[1]], "relu")
    >>> print(slopes[0].round(6).tolist(), slopes[1].round(6).tolist())
    [[-0.7, 0.6], [-0.35, 0.3]] [-0.35, 0.3]
    """
    parameters = check_parameters(parameters)
    if not isinstance(passed, Forward):
        raise TypeError(f"passed must be what forward_step returned; got {type(passed).__name__}.")
    if [z.shape[1] for z in passed.z] != [len(b) for b in parameters[1::2]]:
        raise ValueError("passed comes from a network with other layers; run forward_step with these parameters.")
    T = as_matrix(T, "T")
    if T.shape != passed.y.shape:
        raise ValueError(f"T must have the shape of the output, {passed.y.shape}; got {T.shape}.")
    with np.errstate(over="ignore", invalid="ignore"):
        slopes = backward(passed, parameters, T, *names(activation, output))
    if not all(np.isfinite(s).all() for s in slopes):
        raise ValueError("the slopes are too large for floating-point numbers; scale X, T or the weights.")
    return slopes


def forward(X, parameters, activation, output):
    """The forward step, unchecked."""
    z, a, g = [], [X], units(activation, output, len(parameters) // 2)
    # Layer by layer: weighted sums, then the activation; in the last layer the output unit
    for W, b, unit in zip(parameters[0::2], parameters[1::2], g):
        z.append(a[-1] @ W + b)
        a.append(unit.value(z[-1]))
    return Forward(z, a)


def backward(passed, parameters, T, activation, output):
    """The backward step, unchecked."""
    (z, a), g, slopes = passed, units(activation, output, len(passed.z)), []
    # 1. At the output: y - t, whichever of the three pairs it is
    Delta = (a[-1] - T) / len(T)
    for layer in range(len(z) - 1, -1, -1):
        # 2. The slopes of this layer
        slopes[:0] = [a[layer].T @ Delta, Delta.sum(axis=0)]
        # 3. One layer down
        if layer:
            Delta = Delta @ parameters[2 * layer].T * g[layer - 1].slope(z[layer - 1], a[layer])
    return slopes


def units(activation, output, n_layers):
    """Return what each layer makes of its sums: one activation for all hidden layers, or a list of them; the output."""
    hidden = [ACTIVATIONS[activation]] * (n_layers - 1) if isinstance(activation, str) else activation
    return [*hidden, OUTPUTS[output] if isinstance(output, str) else output]


def gradient_check(model, X, y, h=None):
    """Return the largest disagreement between ``model.gradients(X, y)`` and central differences of its loss.

    max over all weights of |backpropagation - differences| / max(1, |differences|)

    Around 1e-9 is right; above 1e-6 look for the mistake, or for a ReLU whose sum is nearly 0. The model's
    parameters are moved and put back.

    ``h`` is the step of the differences; None takes one that suits each weight.

    >>> from mlteach.neural_networks import MLP
    >>> gradient_check(MLP((2, 3, 1), "tanh", "identity", rng=1), [[0.5, -1], [2, 0.3]], [0.2, 1]) < 1e-8
    True
    """
    worst = 0.0
    for parameter, slopes in zip(model.parameters_, model.gradients(X, y)):
        kept = parameter.copy()

        def loss(values, parameter=parameter):
            parameter[...] = values
            return model.loss(X, y)

        try:
            differences = numerical_gradient(loss, kept, h)
        finally:
            parameter[...] = kept
        worst = max(worst, float(np.max(np.abs(slopes - differences) / np.maximum(1, np.abs(differences)))))
    return worst


def names(activation, output):
    """Return both names if they are known."""
    return check_choice(activation, "activation", tuple(ACTIVATIONS)), check_choice(output, "output", tuple(OUTPUTS))


def check_parameters(parameters):
    """Return W1, b1, W2, b2, ... as float arrays whose shapes fit together."""
    if not isinstance(parameters, list | tuple):
        raise TypeError(f"parameters must be a list W1, b1, W2, b2, ...; got {type(parameters).__name__}.")
    if not parameters or len(parameters) % 2:
        raise ValueError(f"parameters must be W1, b1, W2, b2, ...; got {len(parameters)} arrays.")
    checked, units = [], None
    for k, (W, b) in enumerate(zip(parameters[0::2], parameters[1::2]), start=1):
        W, b = as_array(W, f"W{k}", ndim=2), as_array(b, f"b{k}", ndim=1)
        if units not in (None, len(W)):
            raise ValueError(f"W{k} must have {units} rows, one per unit of the layer below; got shape {W.shape}.")
        if len(b) != W.shape[1]:
            raise ValueError(f"b{k} must have {W.shape[1]} entries, one per column of W{k}; got {len(b)}.")
        units = W.shape[1]
        checked += [W, b]
    return checked

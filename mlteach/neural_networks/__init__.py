"""Neural networks (chapter 18): layers of simple units, and the derivative of all of them at once.

Model  a_l = g(a_(l-1) W_l + b_l), layer by layer; the last layer has the output unit that its targets' law asks for.
Backpropagation gives the slopes of the loss in all weights for about the price of two forward steps; the rules of
chapter 05 make steps of them.
"""

from mlteach.neural_networks.activations import ACTIVATIONS, Activation, relu, sigmoid, slope, softplus, step, tanh
from mlteach.neural_networks.approximation import staircase, two_spirals, xor_network
from mlteach.neural_networks.backpropagation import (
    Forward,
    backward,
    backward_step,
    forward,
    forward_step,
    gradient_check,
)
from mlteach.neural_networks.mlp import MLP, Epoch, initial_parameters
from mlteach.neural_networks.outputs import OUTPUTS, Output

__all__ = [
    "ACTIVATIONS",
    "MLP",
    "OUTPUTS",
    "Activation",
    "Epoch",
    "Forward",
    "Output",
    "backward",
    "backward_step",
    "forward",
    "forward_step",
    "gradient_check",
    "initial_parameters",
    "relu",
    "sigmoid",
    "slope",
    "softplus",
    "staircase",
    "step",
    "tanh",
    "two_spirals",
    "xor_network",
]

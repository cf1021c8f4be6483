"""Convolution (chapter 20): kernels that slide over signals and pictures, and networks made of them.

`convolve` and its relatives are the sums themselves; `conv2d` and the pools are operations of the engine of chapter
19, `Conv2d` and `SmallCNN` layers for its `train`; `freeze` and `extract_features` carry what was learned elsewhere.
"""

from mlteach.convolution.layers import (
    Conv2d,
    Flatten,
    GlobalPool2d,
    Pool2d,
    average_pool2d,
    conv2d,
    conv2d_transpose,
    max_pool2d,
)
from mlteach.convolution.matrix import convolution_matrix
from mlteach.convolution.network import (
    Frozen,
    SmallCNN,
    as_pictures,
    extract_features,
    freeze,
    place,
    shift,
    transfer,
)
from mlteach.convolution.signals import convolve, convolve2d, convolve3d, cross_correlate, cross_correlate2d, flip
from mlteach.convolution.sizes import n_parameters, output_size, receptive_field

__all__ = [
    "Conv2d",
    "Flatten",
    "Frozen",
    "GlobalPool2d",
    "Pool2d",
    "SmallCNN",
    "as_pictures",
    "average_pool2d",
    "conv2d",
    "conv2d_transpose",
    "convolution_matrix",
    "convolve",
    "convolve2d",
    "convolve3d",
    "cross_correlate",
    "cross_correlate2d",
    "extract_features",
    "flip",
    "freeze",
    "max_pool2d",
    "n_parameters",
    "output_size",
    "place",
    "receptive_field",
    "shift",
    "transfer",
]

"""Nearest neighbours (chapter 14): keep the examples, and let those that lie near a query answer for it.

Nothing is fitted beforehand: ``fit`` stores the data, ``predict`` looks at what is near. Near is a matter of the
distance, so every model here stands or falls with the units of its features. Classes by vote (`KNNClassifier`),
numbers by a mean (`KNNRegressor`), by a weighted mean (`NadarayaWatson`) or by a line (`LocallyWeightedRegression`).
"""

from mlteach.nearest_neighbors.classification import KNNClassifier, predictions_by_k
from mlteach.nearest_neighbors.distances import distances, kernel_distance, nearest
from mlteach.nearest_neighbors.local import LocallyWeightedRegression, NadarayaWatson
from mlteach.nearest_neighbors.regression import KNNRegressor
from mlteach.nearest_neighbors.tree import Found, KDTree

__all__ = [
    "Found",
    "KDTree",
    "KNNClassifier",
    "KNNRegressor",
    "LocallyWeightedRegression",
    "NadarayaWatson",
    "distances",
    "kernel_distance",
    "nearest",
    "predictions_by_k",
]

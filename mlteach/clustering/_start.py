"""Where EM starts, and in which units it works."""

import numbers
import warnings

import numpy as np

from mlteach.clustering.kmeans import KMeans
from mlteach.numerics import Units, one_hot
from mlteach.validation import ConvergenceWarning, as_array, as_matrix, check_number, check_probabilities


class MixtureUnits(Units):
    """The scale in which EM works: data around 0 with variance 1, so that the floor means the same for any unit.

    Shapes that a change of unit would spoil ("spherical", "fixed") get one scale for all features.
    """

    def __init__(self, X, shape):
        super().__init__(X, per_feature=shape not in ("spherical", "fixed"))
        self.squares = np.multiply.outer(self.scale, self.scale)

    def record(self, step, n):
        """Return a record in the units of the data."""
        weights, means, covariances, l = step
        l = l - n * float(np.log(self.scale).sum())
        return type(step)(weights, self.outside(means), covariances * self.squares, l)


class Start:
    """The parameters EM starts from: those given, or an M-step on the labels of k-means.

    ``m_step`` is the M-step of the mixture, ``shape`` what its covariances may be.
    """

    def __init__(self, model, units, shape, m_step):
        self.k, self.d, self.shape, self.m_step = model.k, model.n_features_in_, shape, m_step
        self.weights = None if model.weights is None else given_weights(model.weights, self.k)
        self.means = None if model.means is None else units.inside(given_means(model.means, self.k, self.d))
        self.covariances = None
        if model.covariances is not None:
            given = given_covariances(model.covariances, self.k, self.d)
            self.covariances = shape.start(given / units.squares)
        elif shape.name == "fixed":
            raise ValueError('covariance="fixed" needs the covariances that stay as they are; give covariances=...')
        self.n = model.n_init if self.means is None else 1  # given means are one start

    def draw(self, X, rng):
        """Return weights, means and covariances."""
        k, d = self.k, self.d
        equal, round_ = np.full(k, 1 / k), np.broadcast_to(np.eye(d), (k, d, d))
        if self.means is None:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ConvergenceWarning)  # equal points: the floor takes care of them
                r = one_hot(KMeans(k, rng=rng, history=False).fit(X).labels_, k)
            made = self.shape.allow(self.m_step(X, r), (equal, np.zeros((k, d)), round_))
        else:
            made = equal, self.means, self.shape.start(self.m_step(X, np.full((len(X), k), 1 / k))[2])
        if self.shape.name == "fixed":
            made = equal, made[1], self.covariances
        given = self.weights, self.means, self.covariances
        return tuple(m if g is None else g for g, m in zip(given, made))


def given_weights(weights, k):
    """Return the weights (K,) that a user has given."""
    weights = check_probabilities(weights, "weights")
    if weights.shape != (k,):
        raise ValueError(f"weights must have one entry per component, shape {(k,)}; got {weights.shape}.")
    return weights


def given_means(means, k, d):
    """Return the means (K, d) that a user has given."""
    means = as_matrix(means, "means")
    if means.shape != (k, d):
        raise ValueError(f"means must have one row per component, shape {(k, d)}; got {means.shape}.")
    return means


def given_covariances(covariances, k, d):
    """Return (K, d, d) from a variance, one matrix, or one matrix per component."""
    if isinstance(covariances, np.ndarray) and covariances.ndim == 0:
        covariances = covariances.item()
    if isinstance(covariances, numbers.Real):
        return check_number(covariances, "covariances", low=0, open_low=True) * np.broadcast_to(np.eye(d), (k, d, d))
    S = as_array(covariances, "covariances")
    if S.shape == (d, d):
        S = np.broadcast_to(S, (k, d, d))
    if S.shape != (k, d, d):
        raise ValueError(f"covariances must be a number or have shape {(d, d)} or {(k, d, d)}; got {S.shape}.")
    if not np.allclose(S, S.swapaxes(1, 2)) or np.linalg.eigvalsh(S).min() <= 0:
        raise ValueError("covariances must be symmetric with positive eigenvalues.")
    return S

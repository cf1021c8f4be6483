"""The categorical member of the exponential family: K classes, a vector of K - 1 natural parameters (section 8.8)."""

from dataclasses import dataclass

import numpy as np

from mlteach.logistic_regression.functions import log_soft, plain
from mlteach.validation import as_array, as_matrix, as_vector, check_integer


@dataclass(frozen=True)
class Categorical:
    """One of k classes, y = 0, ..., k - 1; its GLM is `SoftmaxRegression`.

    T(y) in R^(k-1), T_i = 1 if y = i;  eta_i = ln(phi_i / phi_k);  A(eta) = ln(1 + sum_i exp(eta_i));  h = 1
    mean_i = phi_i = exp(eta_i) / (1 + sum_j exp(eta_j)) for i < k;  covariance diag(phi) - phi phi'

    The last class is the reference, its eta is 0: k probabilities that sum to one have k - 1 free parameters. Here
    ``eta`` and ``mean`` have shape (k - 1,) or (n, k - 1).

    >>> family = Categorical(3)
    >>> family.link([0.5, 0.3]).round(5), round(family.log_partition([1, 2]), 5)
    (array([0.91629, 0.40547]), 2.40761)
    >>> family.probabilities([1, 2]).round(5)
    array([0.24473, 0.66524, 0.09003])
    """

    k: int

    name = "categorical"
    scale_known = True

    def check(self, y):
        """Return y as an array of whole numbers from 0 to k - 1."""
        k, y = check_integer(self.k, "k", low=2), as_array(y, "y")
        bad = (y != np.floor(y)) | (y < 0) | (y >= k)
        if bad.any():
            raise ValueError(f"y must hold the classes 0 to {k - 1}; it holds {y[bad].flat[0]:g}.")
        return y.astype(int)

    def sufficient(self, y):
        """Return T(y), the one-hot code without its last entry: shape (..., k - 1)."""
        return np.eye(self.k)[self.check(y)][..., :-1]

    def probabilities(self, eta):
        """Return the probabilities of all k classes, the softmax of (eta, 0)."""
        return np.exp(log_soft(self._full(eta)))

    def mean(self, eta):
        """Return E[T] = A'(eta), the probabilities of all classes but the last."""
        return self.probabilities(eta)[..., :-1]

    def log_partition(self, eta):
        """Return A(eta) = ln(1 + sum_i exp(eta_i)), one number per row."""
        return plain(-log_soft(self._full(eta))[..., -1])

    def variance(self, mean):
        """Return the covariance matrix of T, A'' = diag(mean) - mean mean': shape (..., k - 1, k - 1)."""
        phi = self._check_mean(mean)
        return phi[..., :, None] * np.eye(self.k - 1) - phi[..., :, None] * phi[..., None, :]

    def link(self, mean):
        """Return eta_i = ln(phi_i / phi_k)."""
        phi = self._check_mean(mean)
        with np.errstate(divide="ignore"):
            return np.log(phi) - np.log1p(-phi.sum(axis=-1, keepdims=True))

    def log_likelihood(self, y, eta):
        """Return ln p(y; eta) for each sample: ``y`` a number and ``eta`` (k - 1,), or (n,) and (n, k - 1)."""
        T, full = np.eye(self.k)[self.check(y)], self._full(eta)
        if T.shape != full.shape:
            raise ValueError(f"y must hold one class per row of eta; got shapes {T.shape[:-1]} and {full.shape[:-1]}.")
        return plain((T * log_soft(full)).sum(axis=-1))

    def deviance(self, y, mean):
        """Return twice the log-likelihood lost against a perfect fit, summed over the samples."""
        y, phi = as_vector(self.check(y)).astype(int), self._check_mean(as_matrix(mean, "mean"))
        if len(y) != len(phi):
            raise ValueError(f"mean must have one row per entry of y: {len(y)} are needed, got {len(phi)}.")
        full = np.column_stack([phi, 1 - phi.sum(axis=1)])
        with np.errstate(divide="ignore"):
            return float(-2 * np.log(np.maximum(full[np.arange(len(y)), y], 0)).sum())

    def _full(self, eta):
        k, eta = check_integer(self.k, "k", low=2), as_array(eta, "eta")
        if eta.ndim not in (1, 2) or eta.shape[-1] != k - 1:
            raise ValueError(f"eta must have shape ({k - 1},) or (n, {k - 1}) for {k} classes; got {eta.shape}.")
        return np.concatenate([eta, np.zeros((*eta.shape[:-1], 1))], axis=-1)

    def _check_mean(self, mean):
        k, phi = check_integer(self.k, "k", low=2), as_array(mean, "mean")
        if phi.ndim not in (1, 2) or phi.shape[-1] != k - 1:
            raise ValueError(f"mean must have shape ({k - 1},) or (n, {k - 1}) for {k} classes; got {phi.shape}.")
        if phi.min() < 0 or phi.sum(axis=-1).max() > 1 + 1e-12:
            raise ValueError("mean must hold probabilities of all classes but the last: not negative, sum at most 1.")
        return phi

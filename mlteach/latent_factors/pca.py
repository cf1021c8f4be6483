"""Principal component analysis: the axes along which data vary most, and how many of them to keep.

Derived in sections 22.2 to 22.5 of the chapter: by largest variance, by smallest error, and by the smaller matrix
where there are fewer points than features.
"""

import numpy as np

from mlteach.base import Transformer
from mlteach.numerics import as_codes, centre, squarable, triangular_factor
from mlteach.parameters import FLAG, Maybe, Whole
from mlteach.validation import as_vector, check_choice, check_number

RULES = {"share": 0.9, "each": 0.05, "elbow": None}


class PCA(Transformer):
    """Principal components: orthonormal axes of largest variance through the mean.

    Axes       S u_k = lambda_k u_k,  S the covariance of the data,  lambda_1 >= lambda_2 >= ...      (22.3)
    Code       z_k = u_k . (x - mean)                                                                 (22.4)
    Picture    mean + sum of z_k u_k, whose mean squared error is the sum of the lambdas left out     (22.7)

    Parameters: ``m``, how many components to keep (None: as many as there are, min(n, d)); ``whiten`` divides each code
    by its standard deviation, but for directions in which the data do not vary: there a code is no more than rounding.

    Attributes: ``components_`` (m, d), one axis a row, its largest entry positive; ``explained_variance_`` (m,), with
    the divisor n - 1; ``explained_variance_ratio_`` (m,), their shares of the variance of all d features; ``mean_``
    (d,); ``noise_variance_``, the mean of the d - m variances left out (n - 1 as well).

    With fewer points than features the n x n matrix of products is decomposed instead of S          (22.9)

    >>> model = PCA(1).fit([[2, 0], [-2, 0], [0, 1], [0, -1]])
    >>> model.components_.round(6).tolist(), model.explained_variance_.round(6).tolist()
    ([[1.0, 0.0]], [2.666667])
    >>> model.inverse_transform(model.transform([[3, 5]])).round(6).tolist()
    [[3.0, 0.0]]
    """

    task = "transform"
    params = {"m": Maybe(Whole(1, "min(n, d)", "min(n, d)"), "min(n, d)"), "whiten": FLAG}

    def __init__(self, m=None, *, whiten=False):
        self.m = m
        self.whiten = whiten

    def learn(self, X):
        """Find the axes."""
        # 1. Centre
        centred, self.mean_ = centre(X)
        # 2. Eigenvectors of the covariance, by the smaller of two matrices
        variances, U = principal_axes(centred, size=np.abs(X).max())
        # 3. Keep those of the m largest eigenvalues
        d, m = X.shape[1], self.m
        total, variances, U = variances.sum(), variances[:m], U[:, :m]
        self.components_, self.explained_variance_ = U.T * _signs(U)[:, None], variances
        self.explained_variance_ratio_ = variances / total if total > 0 else np.zeros(m)
        self.noise_variance_ = float(max(total - variances.sum(), 0.0) / (d - m)) if d > m else 0.0
        self._scale = np.sqrt(variances) if self.whiten else np.ones(m)
        self._scale[variances == 0] = 1.0

    def _check_data(self, X):
        squarable(X)
        _refuse_one_point(len(X), "PCA")

    def transform(self, X):
        """Return the codes (n, m) of the rows of ``X``."""
        return (self._points(X) - self.mean_) @ self.components_.T / self._scale

    def inverse_transform(self, Z):
        """Return the points (n, d) that have the codes ``Z`` (n, m)."""
        self._require_fit()
        return as_codes(Z, len(self.components_)) * self._scale @ self.components_ + self.mean_

    def reconstruction_error(self, X):
        """Return the mean squared distance between the rows of ``X`` and their pictures in the principal subspace."""
        X = self._points(X)
        return float(np.mean(np.sum((X - self.inverse_transform(self.transform(X))) ** 2, axis=1)))

    def score(self, X, y=None):
        """Return the share of the variance of ``X`` around the fitted mean that its pictures keep."""
        X = self._points(X)
        total = np.mean(np.sum((X - self.mean_) ** 2, axis=1))
        return float(1 - self.reconstruction_error(X) / total) if total > 0 else 1.0


def principal_axes(centred, size=0.0):
    """Return the variances (divisor n - 1), largest first, and the axes as columns, min(n, d) of both.

    A variance that is nothing but rounding is 0; ``size`` is that of the numbers before they were centred.
    """
    n, d = centred.shape
    if d <= n:
        variances, U = np.linalg.eigh(centred.T @ centred / (n - 1))  # S, d x d
        variances, U = variances[::-1], U[:, ::-1]
    else:
        variances, V = np.linalg.eigh(centred @ centred.T / (n - 1))  # products of points, n x n      (22.9)
        variances = variances[::-1]
        # u = X'v, normalised; QR also finds unit vectors for variances that are zero
        U = np.linalg.qr(centred.T @ V[:, ::-1])[0]
    return _small_variances(centred, np.maximum(variances, 0.0), U, size)


def _small_variances(centred, variances, U, size):
    """Return variances and axes with the small ones made right: squares have lost what is below 1e-8 of the largest.

    The singular values of the points themselves have it still, down to 1e-16 of the largest or of ``size``.
    """
    n, d = centred.shape
    small = variances < 1e-10 * variances[0]
    if small.sum() <= (d >= n):  # n centred points span n - 1 dimensions: one variance is always 0
        return np.where(small, 0.0, variances), U
    centred = centred - centred.mean(axis=0)  # the first mean was rounded
    R = triangular_factor(centred) if d < n else centred
    s, Vt = np.linalg.svd(R, full_matrices=False)[1:]
    rounding = np.finfo(float).eps * max(max(n, d) * s[0], np.sqrt(n * d) * size)
    if not (s[small] > rounding).any():
        return np.where(small, 0.0, variances), U
    return np.where(s > rounding, s**2 / (n - 1), 0.0), Vt.T


def choose_components(variances, rule="share", level=None):
    """Return how many components to keep, by one of three rules.

    variances   (d,) eigenvalues, largest first, all of them
    rule        "share": the fewest that together reach ``level`` of the variance (0.9 if not given);
                "each": all whose own share exceeds ``level`` (0.05), at least one;
                "elbow": those above the bend, the point farthest below the line from the first eigenvalue to the last

    >>> choose_components([6, 3, 0.6, 0.4]), choose_components([6, 3, 0.6, 0.4], "each")
    (2, 3)
    >>> choose_components([6, 3, 0.6, 0.4], "elbow")
    2
    """
    variances = as_vector(variances, "variances")
    check_choice(rule, "rule", tuple(RULES))
    least = -1e-12 * variances.max()  # eigenvalues that are zero come out a little above or below it
    if (variances < least).any() or (np.diff(variances) > -least).any() or variances[0] <= 0:
        raise ValueError("variances must be eigenvalues, largest first, none negative and the first positive.")
    variances = np.maximum(variances / variances[0], 0.0)  # the rules know no units
    shares = variances / variances.sum()
    if rule == "elbow":
        if level is not None:
            raise ValueError(f"the elbow has no level; got level={level!r}.")
        return _elbow(variances)
    level = check_number(RULES[rule] if level is None else level, "level", low=0, high=1, open_low=True)
    if rule == "each":
        return max(1, int(np.sum(shares > level)))
    return int(np.argmax(np.cumsum(shares) >= level - 1e-12)) + 1


def _elbow(variances):
    """Return how many eigenvalues stand before the one that lies farthest below the chord."""
    if len(variances) < 3:
        return 1
    chord = np.linspace(variances[0], variances[-1], len(variances))
    return max(1, int(np.argmax(np.round(chord - variances, 12))))


def _refuse_one_point(n, who):
    if n < 2:
        raise ValueError(f"{who} needs at least 2 points to vary; got n_samples = 1.")


def _signs(U):
    """Return, for each column, the sign of its entry of largest size."""
    largest = U[np.argmax(np.round(np.abs(U), 9), axis=0), np.arange(U.shape[1])]
    return np.where(largest < 0, -1.0, 1.0)

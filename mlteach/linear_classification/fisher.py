"""Fisher's discriminant: the directions along which class means lie far apart and classes scatter little.

Derived in section 7.6 of the chapter.
"""

import numpy as np

from mlteach.base import Transformer
from mlteach.linear import LinearClassifier, numerical_rank
from mlteach.linear_classification.scatter import from_class_means
from mlteach.numerics import centre
from mlteach.parameters import Choice, Maybe, Whole
from mlteach.validation import check_integer

FLOOR = 1e-12  # least share of the scatter within classes in the total one, along a direction


class FisherDiscriminant(LinearClassifier, Transformer):
    """Fisher's linear discriminant for K >= 2 classes.

    Criterion   J(w) = w.S_B w / w.S_W w,  J(A) = tr((A'S_W A)^-1 A'S_B A)
    Two classes w = S_W^-1 (m2 - m1),  y(x) = w.x + b                        (7.32)
    K classes   S_B a = lambda S_W a, the leading eigenvectors; at most K - 1 have lambda > 0 (7.36)
    Decision    the class whose projected mean A'm_k is nearest to A'x; no class is preferred for being large. For
                Gaussian classes with one covariance this is linear discriminant analysis with equal priors (7.34)

    Directions are scaled to A'S_W A = I, so the nearest mean is the nearest in units of the scatter within classes.
    For two classes that puts the threshold midway between the projected means; ``threshold="mean"`` puts it at the
    projected mean of all samples instead, which is nearer to the larger class.

    S_W may be singular (constant or dependent columns, n <= d): the eigenvectors are found for the total scatter
    S_T = S_W + S_B, which has the same ones, within the span of the data. A direction along which the classes do not
    scatter at all is the best there is: its share w.S_W w / w.S_T w counts as 1e-12, so J stays below 1e12.

    Parameters
    ----------
    n_components : number of directions, None for as many as separate means (K - 1 or fewer).
    threshold : "midpoint" or, for two classes, "mean".

    Attributes
    ----------
    classes_ (K,), means_ (K, d), directions_ (d, m), eigenvalues_ (m,), the lambdas, falling; w_ (d,) and b_ for two
    classes, W_ (K, d) and b_ (K,) for more.

    >>> X, y = [[1, 2], [2, 3], [3, 3], [6, 5], [7, 8], [8, 7]], list("aaabbb")
    >>> model = FisherDiscriminant(threshold="mean").fit(X, y)
    >>> print(model.w_.round(5), round(-model.b_, 5), model.predict([[4, 4], [5, 7]]))
    [1.18919 0.08108] 5.72973 ['a' 'b']
    """

    task, largest = "classification", 1e100
    params = {"n_components": Maybe(Whole(1)), "threshold": Choice("midpoint", "mean")}

    def __init__(self, n_components=None, *, threshold="midpoint"):
        self.n_components, self.threshold = n_components, threshold

    def learn(self, X, y):
        """Find the directions with the largest J."""
        # 1. Samples from the mean of all, and from the mean of their class
        A, m, unit = _standard(X)
        within, means = from_class_means(A, y, len(self.classes_))
        # 2. Directions in which the total scatter is the identity
        V = _whiten(A)
        # 3. Among them, those along which the class means lie apart: w.S_B w is the share mu = lambda / (1 + lambda)
        spread = np.sqrt(np.bincount(y))[:, None] * (means @ V)
        _, s, turn = np.linalg.svd(spread, full_matrices=False)
        keep = np.flatnonzero(s[: self._most()] > 1e-10)
        if len(keep) == 0:
            raise ValueError("the class means coincide, so J is 0 in every direction; try basis functions of X.")
        D = V @ turn[keep].T
        # 4. Scale to w.S_W w = 1
        share = np.maximum(((within @ D) ** 2).sum(axis=0), FLOOR)
        D = D / np.sqrt(share)
        # 5. The nearest projected mean, written as linear scores around the mean of all
        Z = means @ D
        W = Z @ D.T / unit
        b = -0.5 * (Z**2).sum(axis=1) - W @ m
        self.means_, self.directions_, self.eigenvalues_ = means * unit + m, D / unit[:, None], s[keep] ** 2 / share
        self._keep_plane(W, b, m)

    def transform(self, X):
        """Return the projections A'x, (n, m)."""
        return self._points(X) @ self.directions_

    def _check_data(self, X, y):
        if self.threshold == "mean" and len(self.classes_) > 2:
            raise ValueError(
                f"threshold='mean' needs two classes; y holds {len(self.classes_)}. Use threshold='midpoint'."
            )

    def _most(self):
        k, d = len(self.classes_), self.n_features_in_
        if self.n_components is None:
            return min(k - 1, d)
        why = f"{k} classes and {d} features give no more"
        return check_integer(self.n_components, "n_components", high=min(k - 1, d), why=why)

    def _keep_plane(self, W, b, m):
        if len(W) > 2:
            self.W_, self.b_ = W, b
        else:
            self.w_ = W[1] - W[0]
            self.b_ = float(b[1] - b[0] if self.threshold == "midpoint" else -self.w_ @ m)
            if self.directions_[:, 0] @ self.w_ < 0:  # towards the second class
                self.directions_ = -self.directions_


def _standard(X):
    """Return the columns from their means in units of their largest deviation, the means, and the units."""
    A, m = centre(X)
    unit = np.abs(A).max(axis=0)
    unit[unit == 0] = 1.0
    return A / unit, m, unit


def _whiten(A):
    """Return V (d, r) with V'A'A V = I, r the rank of A."""
    _, s, Vt = np.linalg.svd(A, full_matrices=False)
    r = numerical_rank(s, A.shape)
    return Vt[:r].T / s[:r]

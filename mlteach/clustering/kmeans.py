"""k-means: give each point to the nearest centre, move each centre to the mean of its points (section 21.2).

Neither half of an iteration raises the distortion, and there are finitely many ways to give n points to K centres: so
the iteration ends. It ends in a local optimum that depends on the start.
"""

from typing import NamedTuple

import numpy as np

from mlteach.base import Estimator
from mlteach.clustering.squares import FEW, nearest
from mlteach.clustering.starts import STARTS
from mlteach.history import History
from mlteach.numerics import squarable
from mlteach.parameters import ANY, Real, Whole
from mlteach.validation import as_matrix, check_choice


class KMeansStep(NamedTuple):
    """State of k-means after one iteration; the first record is the start, with the points already given out."""

    centers: np.ndarray  # (K, d)
    labels: np.ndarray  # (n,), the nearest of these centres
    distortion: float  # sum of squared distances from the nearest centre
    half: float  # the same after the centres had moved and before the points chose again


class KMeans(Estimator):
    """K centres such that the squared distances of the points from the nearest centre have a small sum.

        Distortion   J = sum_i |x_i - c_z(i)|^2              (21.1)
        Assignment   z(i) <- argmin_k |x_i - c_k|^2
        Update       c_k <- mean of the points with z(i) = k  (21.2)

    A centre without points moves to the point that is farthest from its own centre. It ends where no label changes;
    with ``tol`` > 0, also where J falls by less than ``tol`` times its value at the start.

    Parameters
    ----------
    k : number of clusters, at most n
    init : "k-means++" (its greedy form for 10,000 points or more), "random", or centres (K, d)
    rng : seed or Generator
    n_init : number of starts, of which the one with the least distortion is kept; given centres are one start
    max_iter, tol, history : see above and `mlteach.history`

    Attributes
    ----------
    centers_ : (K, d)
    labels_ : (n,) whole numbers from 0 to K - 1
    distortion_ : sum of squared distances, of the best start
    history_ : records (`KMeansStep`) of the best start; n_iter_, converged_

    >>> model = KMeans(2, init=[[1.0], [2.0]]).fit([[1.0], [2], [3], [8], [9], [10], [25]])
    >>> model.centers_.ravel().tolist(), [step.distortion for step in model.history_]
    ([2.0, 13.0], [679.0, 248.0, 196.0])
    """

    task = "cluster"
    params = {
        "k": Whole(1, "n", "X has {n} rows, n_samples={n}"),
        "init": ANY,
        "n_init": Whole(1),
        "max_iter": Whole(1),
        "tol": Real(0),
    }

    def __init__(self, k=3, init="k-means++", rng=0, *, n_init=3, max_iter=300, tol=0.0, history=True):
        self.k, self.init, self.rng = k, init, rng
        self.n_init, self.max_iter, self.tol, self.history = n_init, max_iter, tol, history

    def learn(self, X):
        """Iterate from each start until no point changes its centre; keep the run with the least distortion."""
        best = None
        for c in self._starts(X):
            # 1. Give each point to the nearest centre
            z, J = assign(X, c)
            run, converged = History([KMeansStep(c, z, J, J)], whole=self.history), False
            while run.n_steps < self.max_iter and not converged:
                # 2. Move each centre to the mean of its points
                c, gain = move(X, z, c)
                half = max(J - gain, 0.0)
                # 3. Give each point to the nearest centre again
                before, J_before = z, J
                z, J = assign(X, c)
                run.append(KMeansStep(c, z, J, half))
                # 4. Stop when no point has changed
                converged = (z == before).all() or (self.tol and J_before - J <= self.tol * run[0].distortion)
            if best is None or J < best[-1].distortion:
                best, self.converged_ = run, converged
        self.history_ = best
        self.centers_, self.labels_, self.distortion_, _ = best[-1]

    def _starts(self, X):
        """Yield centres (K, d) to start from."""
        if isinstance(self.init, str):
            draw = STARTS[check_choice(self.init, "init", tuple(STARTS))]
            return (draw(X, self.k, self.rng) for _ in range(self.n_init))
        return [_given_centers(self.init, self.k, X.shape[1])]

    def advice(self, X):
        """Warn of clusters that no point is left for, and of a run that was cut short."""
        used = len(np.unique(self.labels_))
        if used < self.k:
            yield (
                f"X has only {used} different rows for k={self.k}: {self.k - used} of the clusters stay empty. "
                f"Take k={used}."
            )
        elif not self.converged_:
            yield f"KMeans has not converged after max_iter={self.max_iter} iterations. Raise max_iter."

    def _read_points(self, X):
        return squarable(super()._read_points(X))

    def predict(self, X):
        """Return the number of the nearest centre for each row of ``X`` (n, d)."""
        return nearest(self._points(X), self.centers_)[0]

    def fit_predict(self, X, y=None):
        """Fit and return the labels."""
        return self.fit(X).labels_

    def score(self, X, y=None):
        """Return minus the distortion of ``X`` (n, d) about the learned centres: larger is better."""
        return -float(nearest(self._points(X), self.centers_)[1].sum())


def _given_centers(init, k, d):
    """Return centres that a user has given, (K, d)."""
    if callable(init):
        raise ValueError(f"init must be 'k-means++', 'random' or an array of centres; got {init!r}.")
    centers = squarable(as_matrix(init, "init"), "init")
    if centers.shape != (k, d):
        raise ValueError(f"init must have one row per centre, shape {(k, d)}; got {centers.shape}.")
    return centers


def assign(X, c):
    """Return the nearest centre of each point, and the distortion."""
    z, D = nearest(X, c)
    return z, float(D.sum())


def move(X, z, c):
    """Return the means of the clusters, and by how much J falls when the centres ``c`` move there (21.2).

    An empty cluster moves to the point that is farthest from its own centre.
    """
    n_k = np.bincount(z, minlength=len(c))
    sums = np.column_stack([np.bincount(z, x, len(c)) for x in X.T]) if X.shape[1] <= FEW else _indicators(z, c) @ X
    means = sums / np.maximum(n_k, 1)[:, None]
    gain = float(n_k @ np.square(means - c).sum(axis=1))
    if not n_k.all():
        D = np.square(X - means[z]).sum(axis=1)
        for k in np.flatnonzero(n_k == 0):
            far = int(np.argmax(D))
            means[k] = X[far] if D[far] > 0 else c[k]
            D = np.minimum(D, np.square(X - means[k]).sum(axis=1))
    return means, gain


def _indicators(z, c):
    return (z == np.arange(len(c))[:, None]).astype(float)

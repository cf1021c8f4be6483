"""Chapter 21 against scikit-learn: k-means from as many starts, mixtures to the same tolerance."""

import numpy as np
from sklearn import cluster, mixture

from mlteach.clustering import GaussianMixture, KMeans

CASES = {
    "KMeans, k = 3": (
        "cluster",
        lambda: KMeans(3, n_init=3),
        lambda: cluster.KMeans(3, n_init=3, tol=0, random_state=0),
    ),
    "GaussianMixture, k = 3": (
        "cluster",
        lambda: GaussianMixture(3, tol=1e-3),
        lambda: mixture.GaussianMixture(3, tol=1e-3, random_state=0),
    ),
}


def clouds(n):
    """Return five overlapping clouds in the plane."""
    rng = np.random.default_rng(0)
    return rng.normal(size=(n, 2)) + rng.uniform(-6, 6, (5, 2))[np.arange(n) % 5], None


LARGE = {
    "KMeans, k = 5": (
        clouds,
        lambda: KMeans(5, n_init=3, history=False),
        lambda: cluster.KMeans(5, n_init=3, tol=0, random_state=0),
    ),
    "GaussianMixture, k = 5": (
        clouds,
        lambda: GaussianMixture(5, tol=1e-3, history=False),
        lambda: mixture.GaussianMixture(5, tol=1e-3, random_state=0),
    ),
}

"""Chapter 16 against LIBSVM, through scikit-learn."""

from functools import partial

import numpy as np
from sklearn import datasets, svm

from mlteach.kernels import rbf_kernel
from mlteach.svm import DAGSVM, SVC, SVR, NuSVC

RBF = rbf_kernel(beta=0.5)
CASES = {
    "SVC, linear": ("binary", SVC, lambda: svm.SVC(kernel="linear")),
    "SVC, RBF": ("binary", lambda: SVC(kernel=RBF), lambda: svm.SVC(gamma=0.5)),
    "SVC, RBF, interior point": (
        "binary",
        lambda: SVC(kernel=RBF, solver="interior_point"),
        lambda: svm.SVC(gamma=0.5),
    ),
    "SVR, RBF": ("regression", lambda: SVR(kernel=RBF), lambda: svm.SVR(gamma=0.5)),
    "NuSVC, RBF": ("binary", lambda: NuSVC(nu=0.3, kernel=RBF), lambda: svm.NuSVC(nu=0.3, gamma=0.5)),
    "DAGSVM, linear": ("classes", lambda: DAGSVM(SVC), lambda: svm.SVC(kernel="linear")),
}


def moons(n):
    return datasets.make_moons(n, noise=0.25, random_state=0)


def rings(n):
    return datasets.make_circles(n, noise=0.15, factor=0.5, random_state=0)


def overlapping(n):
    return datasets.make_blobs(n, centers=[[-1, 0], [1, 0.5]], cluster_std=1.0, random_state=0)


def thirty_features(n):
    """Two classes in 30 correlated features, standardised, as in the breast-cancer data."""
    rng = np.random.default_rng(0)
    y = rng.random(n) < 0.4
    X = rng.normal(size=(n, 6)) @ rng.normal(size=(6, 30)) + 0.7 * rng.normal(size=(n, 30))
    X += np.outer(y, 0.35 * np.abs(rng.normal(size=30)))
    return (X - X.mean(axis=0)) / X.std(axis=0), y


def _large(data, width, kernel, C):
    ours = partial(SVC, C, rbf_kernel(width) if kernel == "RBF" else None, history=False)
    return data, ours, partial(svm.SVC, C=C, kernel=kernel.lower(), gamma=width)


LARGE = {
    f"SVC, {kernel}, C={C:g}, {data.__name__}": _large(data, width, kernel, C)
    for data, width in ((moons, 1.0), (rings, 1.0), (overlapping, 1.0), (thirty_features, 1 / 30))
    for kernel in ("linear", "RBF")
    for C in (0.1, 1, 10, 100)
}

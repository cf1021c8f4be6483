"""Estimators: fit at n = 300, d = 2 against scikit-learn's, and how time grows with n (medians, ms of CPU)."""

import importlib
import pkgutil
import time
import warnings

import numpy as np

from benchmarks import cases
from mlteach.progress import progress

INPUTS = {  # two classes for models that take no measured numbers
    "counts": lambda X: np.floor(np.exp(X + 2)),
    "switches": lambda X: (X > 0).astype(float),
    "categories": lambda X: np.clip(np.round(X), -2, 2) + 2,
}


def collect(table="CASES"):
    """Return one table of all chapters' cases, see `benchmarks.cases`."""
    found = {}
    for module in sorted(m.name for m in pkgutil.iter_modules(cases.__path__)):
        found |= getattr(importlib.import_module(f"benchmarks.cases.{module}"), table, {})
    return found


def measure():
    """Return one row per estimator."""
    rows = []
    for name, (task, ours, theirs) in progress(collect().items(), "estimators"):
        small, large = data(task, 300), data(task, 3000)
        a, b, c = times([(ours, small), (theirs, small)], 9) + times([(ours, large)], 1)
        rows.append({"estimator": name, "n=300": a, "scikit-learn": b, "ratio": a / b, "n=3000": c, "growth": c / a})
    return rows


def data(task, n):
    """Return overlapping classes, of numbers or of INPUTS, a noisy plane, or points without targets."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 2)) @ np.array([[1.2, 0.3], [0.0, 0.8]])
    score = X @ np.array([1.0, -2.0]) + 0.3 + 0.8 * rng.normal(size=n)
    if task in ("cluster", "transform"):
        return X, None
    if task in INPUTS:
        return INPUTS[task](X), np.sign(score)
    return X, {"regression": score, "binary": np.sign(score), "classes": np.digitize(score, [-1, 1])}[task]


def times(cases, repeats):
    """Return the median CPU time in ms of each case (model maker, data), interleaved."""
    times = [[] for _ in cases]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(repeats):
            for k, (make, (X, y)) in enumerate(cases):
                start = time.process_time()
                make().fit(X, y)
                times[k].append(1e3 * (time.process_time() - start))
    return [float(np.median(t)) for t in times]

"""What scikit-learn has no peer for keeps a bound: seconds, microseconds or megabytes, or times hmmlearn's."""

import time
import tracemalloc

import numpy as np

from benchmarks.estimators import collect
from mlteach.progress import progress


def measure():
    """Return one row per bound; a chapter's cases list theirs as BOUNDS, name: (function, bound, unit)."""
    rows = []
    for name, (value, bound, unit) in progress(collect("BOUNDS").items(), "bounds"):
        found = float(value())
        rows.append({"work": name, "measured": found, "bound": bound, "unit": unit, "is": _word(found, bound)})
    return rows


def _word(found, bound):
    return "within" if found <= bound else "BEYOND"


def seconds(work, repeats=1):
    """Return the CPU time of ``work()``, the least of some runs."""
    times = []
    for _ in range(repeats):
        began = time.process_time()
        work()
        times.append(time.process_time() - began)
    return min(times)


def megabytes(work):
    """Return the largest memory that ``work()`` holds at once."""
    tracemalloc.start()
    work()
    largest = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    return largest


def tall(task, ours, theirs, n=30_000):
    """Return a function that gives the CPU time of a fit on n rows of ten features in times of scikit-learn's."""

    def ratio():
        rng = np.random.default_rng(0)
        X = rng.normal(size=(n, 10))
        score = X @ rng.normal(size=10) / 3 + rng.normal(size=n)
        y = {"regression": score, "binary": np.sign(score), "counts": rng.poisson(np.exp(score / 2)), "cluster": None}
        return seconds(lambda: ours().fit(X, y[task]), 7) / seconds(lambda: theirs().fit(X, y[task]), 7)

    return ratio

"""Large data: fit at n = 3,000 against scikit-learn's, and growth from n = 300, 10 where time is linear (ms of CPU)."""

from benchmarks.estimators import collect, times
from mlteach.progress import progress


def measure():
    """Return one row per case."""
    rows = []
    for name, (data, ours, theirs) in progress(collect("LARGE").items(), "large data"):
        small, large = data(300), data(3000)
        (a,) = times([(ours, small)], 5)
        b, c = times([(ours, large), (theirs, large)], 3)
        rows.append({"estimator": name, "n=3000": b, "scikit-learn": c, "ratio": b / c, "n=300": a, "growth": b / a})
    return rows

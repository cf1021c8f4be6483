"""Explorers with 1,000 rows of the reader's own: one step of a slider, in ms, as for the course's data."""

import numpy as np

from benchmarks.explorers import row
from mlteach import explore
from mlteach.progress import progress

ROWS, COLUMNS = 1000, 10


def measure(steps=60):
    """Return one row per explorer that takes data."""
    return [row(name, steps, rows(name)) for name in progress(sorted(explore.takes_data()), "explorers with own data")]


def rows(name):
    """Return what an explorer takes: classes or groups that overlap in ten columns, or a noisy curve."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, ROWS)
    X = rng.normal(size=(ROWS, COLUMNS)) + 1.5 * y[:, None] * rng.normal(size=COLUMNS)
    x = rng.uniform(0, 5, ROWS)
    kinds = {("X", "y"): (X, y), ("X",): (X,), ("x", "t"): (x, np.sin(2 * x) + rng.normal(0, 0.4, ROWS))}
    return kinds[explore.REGISTRY[name].takes.arguments]

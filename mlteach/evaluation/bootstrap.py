"""The bootstrap: an interval for any measure of a sample, by drawing from the sample itself (section 2.9)."""

import numpy as np

from mlteach.evaluation.intervals import Interval
from mlteach.validation import as_rng, check_integer, check_number


def bootstrap_interval(measure, *columns, n_resamples=1000, confidence=0.95, rng=0):
    """Return the percentile bootstrap `Interval` of any measure of a sample.

    draw n of the n samples with replacement, measure, repeat; the interval holds the middle share of the results

    Parameters: ``measure(*columns)``, which returns a number; ``columns``, arrays with one entry for each of n samples,
    such as labels and scores, drawn together; ``n_resamples``, ``confidence`` in (0, 1), ``rng``, a seed or Generator.
    It wants a sample of some size, and no measure that hangs on one extreme sample, such as a maximum.

    >>> low, high = bootstrap_interval(np.mean, [2.0, 3, 5, 4, 6, 3, 8, 1])
    >>> low < 4 < high
    True
    """
    columns, n = _checked(measure, columns)
    confidence = check_number(confidence, "confidence", low=0, high=1, open_low=True, open_high=True)
    n_resamples, rng = check_integer(n_resamples, "n_resamples", low=2), as_rng(rng)
    values = []
    for _ in range(n_resamples):
        # 1. Draw as many samples as there are, with replacement
        drawn = rng.integers(0, n, n)
        # 2. Measure what was drawn
        values.append(_measured(measure, [column[drawn] for column in columns], n))
    # 3. Cut off the same share at both ends
    low, high = np.quantile(values, [(1 - confidence) / 2, (1 + confidence) / 2])
    return Interval(float(low), float(high))


def _measured(measure, columns, n):
    try:
        value = measure(*columns)
    except ValueError as error:
        raise ValueError(f"the measure failed on a resample of the {n} samples: {error}") from error
    if np.ndim(value) != 0 or not np.isfinite(value):
        raise ValueError(f"measure must return one finite number; on a resample it returned {value!r}.")
    return float(value)


def _checked(measure, columns):
    if not callable(measure) or not columns:
        raise ValueError("give a measure and its columns, as in bootstrap_interval(roc_auc, y, scores).")
    columns = [np.asarray(column) for column in columns]
    sizes = [len(column) if column.ndim else 0 for column in columns]
    if min(sizes) == 0 or len(set(sizes)) > 1:
        raise ValueError(f"all columns must have one entry per sample, and one at least; their lengths are {sizes}.")
    return columns, sizes[0]

"""From losses to alarms (section 23.5)."""

import numpy as np

from mlteach.numerics import squarable
from mlteach.validation import as_vector, check_number


def anomaly_threshold(losses, k=1.0):
    """Return mean + k standard deviations of the losses of normal samples (n in the divisor): more is an anomaly.

    delta = mean(l) + k std(l); for k > 0 at most a share 1 / (1 + k^2) of any law lies above it (Cantelli, 23.8)

    >>> round(anomaly_threshold([0.1, 0.2, 0.15, 0.12, 0.18]), 6)
    0.186878
    """
    losses = as_vector(losses, "losses")
    squarable(losses, "losses")
    return float(np.mean(losses) + check_number(k, "k") * np.std(losses))

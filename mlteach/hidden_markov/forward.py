"""Forward: what is known of the present state (section 31.4), step by step and with scaling (section 31.6).

alpha_t(j) = P(z_1 ... z_t, x_t = j) shrinks to nothing within a thousand steps. The scaled pass keeps the belief
a_t = alpha_t / sum(alpha_t) and the constants c_t = P(z_t | z_1 ... z_{t-1}), whose logarithms sum to the likelihood's.
"""

from typing import NamedTuple

import numpy as np

from mlteach.hidden_markov import _fast

TINY = 1e-200  # a belief below it is kept in logarithms


class Filtered(NamedTuple):
    """Beliefs a_t (T, S) and the constants ln c_t (T,)."""

    belief: np.ndarray
    log_c: np.ndarray


def forward(start, A, b):
    """Return alpha (T, S) without scaling (31.5); b[t, j] = P(z_t | j). It underflows on long sequences."""
    alpha = np.zeros(b.shape)
    alpha[0] = start * b[0]
    for t in range(1, len(b)):
        alpha[t] = (alpha[t - 1] @ A) * b[t]
    return alpha


def scaled_forward(start, A, b):
    """Return beliefs (T, S) and c (T,): predict, weigh by the observation, normalise and keep the constant (31.9)."""
    belief, c = np.zeros(b.shape), np.zeros(len(b))
    predicted = start
    for t in range(len(b)):
        weighed = predicted * b[t]
        c[t] = weighed.sum()
        if c[t] == 0:
            break
        belief[t] = weighed / c[t]
        predicted = belief[t] @ A
    return belief, c


def run_forward(start, A, log_b):
    """Return the `Filtered` of a sequence, from ln P(z_t | j) (T, S), by whichever of the two passes is faster.

    ``start`` (S,) and ``A`` (S, S) are probabilities; ``log_b`` holds these logarithms.
    """
    largest = log_b.max(axis=1)
    if np.isinf(largest).any():
        t = int(np.isinf(largest).argmax())
        raise ValueError(f"observation {t} is impossible: it has probability zero in every state.")
    b = np.exp(log_b - largest[:, None])
    belief, c = (_fast.scaled_forward if len(b) >= _fast.LONG else scaled_forward)(start, A, b)
    if (c > 0).all() and not shrunk(belief, A, log_b):
        return Filtered(belief, np.log(c) + largest)
    log_alpha = log_forward(start, A, log_b)
    total = log_sum(log_alpha.T)
    if np.isinf(total).any():
        t = int(np.isinf(total).argmax())
        raise ValueError(
            f"the observations are impossible under this model: after the first {t}, observation {t} has probability "
            "zero in every state that can be reached. Give it a small probability in some state."
        )
    return Filtered(np.exp(log_alpha - total[:, None]), np.diff(total, prepend=0.0))


def shrunk(belief, A, log_b):
    """Say whether a possible state's belief has all but vanished in a chain with zeros, which may not bring it back.

    Scaling keeps the sum of a belief near one, not each entry: then only logarithms are safe.
    """
    return bool((A < TINY).any() and ((belief < TINY) & (log_b > -np.inf)).any())


def log_forward(start, A, log_b):
    """Return ln alpha (T, S) by sums of exponentials, each relative to its largest (31.10).

    ``start`` (S,) and ``A`` (S, S) are probabilities, ``log_b`` (T, S) is ln P(z_t | j).
    """
    with np.errstate(divide="ignore"):
        log_A, log_alpha = np.log(A), np.zeros(log_b.shape)
        log_alpha[0] = np.log(start) + log_b[0]
    for t in range(1, len(log_b)):
        log_alpha[t] = log_sum(log_alpha[t - 1][:, None] + log_A) + log_b[t]
    return log_alpha


def log_sum(logs):
    """Return ln of the sum of exp(logs) over the first axis; minus infinity where every term is."""
    largest = logs.max(axis=0)
    safe = np.where(np.isinf(largest), 0.0, largest)
    with np.errstate(divide="ignore"):
        return safe + np.log(np.exp(logs - safe).sum(axis=0))

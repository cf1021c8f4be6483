"""Viterbi: the most likely path through the trellis (section 31.7), sums of the forward pass turned into maxima."""

from itertools import product

import numpy as np

from mlteach.hidden_markov import _fast


def viterbi(log_start, log_A, log_b):
    """Return the best path (T,) and its ln P(path, z): delta_t(j) = max_i [delta_{t-1}(i) + ln A_ij] + ln b_t(j)."""
    T, S = log_b.shape
    came_from = np.zeros((T, S), dtype=int)
    delta = log_start + log_b[0]
    for t in range(1, T):
        ways = delta[:, None] + log_A  # 1. every way into every state
        came_from[t] = ways.argmax(axis=0)  # 2. remember the best one
        delta = ways.max(axis=0) + log_b[t]  # 3. and what it is worth (31.11)
    path = [int(delta.argmax())]
    for t in range(T - 1, 0, -1):  # 4. go back along what was remembered
        path.append(int(came_from[t, path[-1]]))
    return np.array(path[::-1]), float(delta.max())


def run_viterbi(start, A, log_b):
    """Return the best path and its logarithm, by whichever of the two passes is faster."""
    with np.errstate(divide="ignore"):
        log_start, log_A = np.log(start), np.log(A)
    path, value = (_fast.viterbi if len(log_b) >= _fast.LONG else viterbi)(log_start, log_A, log_b)
    if np.isinf(value):
        raise ValueError("the observations are impossible under this model: every path has probability zero.")
    return path, value


def all_paths(hmm, observations):
    """Return every path (S**T, T) and P(path, observations) of each, by (31.3): the brute force of the tests.

    ``hmm`` is an `HMM`.
    """
    law = hmm.law
    z = law.read(observations)
    S, T = hmm.n_states, len(z)
    if S**T > 200_000:
        raise ValueError(f"{S} states and {T} steps have {S**T:,} paths; at most 200,000 are listed.")
    paths, b = np.array(list(product(range(S), repeat=T))), np.exp(law.log_likelihood(z))
    chance = hmm.start_[paths[:, 0]] * b[0, paths[:, 0]]
    for t in range(1, T):
        chance = chance * hmm.transition_[paths[:, t - 1], paths[:, t]] * b[t, paths[:, t]]
    return paths, chance

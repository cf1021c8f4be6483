"""A particle filter: a belief made of many guesses that move, are weighed and drawn again (section 31.10)."""

from typing import NamedTuple

import numpy as np

from mlteach.validation import as_rng, check_integer


class Particles(NamedTuple):
    """Beliefs (T, S), the estimated ln P(z), the particles (T, n), how many of them count at each time (T,)."""

    belief: np.ndarray
    log_likelihood: float
    states: np.ndarray
    effective: np.ndarray


def particle_filter(hmm, observations, n_particles=1000, rng=0):
    """Follow the belief with ``n_particles`` guesses: move, weigh by the observation, draw again (31.15).

    The mean weights multiply to an unbiased estimate of P(z); ``effective`` is 1 / sum(w^2) before drawing again.

    ``hmm`` is an `HMM`, ``observations`` are what it has shown.
    """
    n, rng = check_integer(n_particles, "n_particles", low=1), as_rng(rng)
    log_b = hmm.law.log_likelihood(hmm.law.read(observations))
    belief, effective, kept, total = np.zeros(log_b.shape), np.zeros(len(log_b)), [], 0.0
    cumulative = np.cumsum(hmm.transition_, axis=1)
    x = _draw_all(np.cumsum(hmm.start_)[None], np.zeros(n, dtype=int), rng)
    for t in range(len(log_b)):
        if t:  # 1. Every particle moves by the chain
            x = _draw_all(cumulative, x, rng)
        # 2. It is weighed by what was seen
        logs = log_b[t, x]
        if np.isinf(logs.max()):
            raise ValueError(
                f"no particle explains observation {t}: all {n} weights are zero. Use more particles, or give every "
                "observation a small probability in every state."
            )
        w = np.exp(logs - logs.max())
        total += np.log(w.mean()) + logs.max()
        w /= w.sum()
        belief[t], effective[t] = np.bincount(x, w, minlength=log_b.shape[1]), 1 / (w @ w)
        # 3. Draw again: heavy ones several times, light ones hardly ever
        x = x[resample(w, rng)]
        kept.append(x)
    return Particles(belief, float(total), np.array(kept), effective)


def resample(weights, rng):
    """Return n indices, each in proportion to its weight: one comb of n equal steps, moved at random.

    ``weights`` (n,) sum to 1.
    """
    n, sums = len(weights), np.cumsum(weights)
    comb = (np.arange(n) + rng.random()) / n * sums[-1]
    return np.minimum(np.searchsorted(sums, comb, side="right"), np.flatnonzero(weights)[-1])


def _draw_all(cumulative, rows, rng):
    """Return for each row number a state drawn from that row's running sums; never one of probability zero."""
    sums = cumulative[rows]
    return (sums <= rng.random(len(rows))[:, None] * sums[:, -1:]).sum(axis=1)

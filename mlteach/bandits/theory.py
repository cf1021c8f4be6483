"""Bounds on regret (section 26.7), and how well a constant step follows a drift (section 26.11)."""

import numpy as np

from mlteach.validation import as_vector, check_integer, check_number


def bernoulli_kl(p, q):
    """Return the divergence of the law Bernoulli(p) from Bernoulli(q), in nats.

    >>> round(float(bernoulli_kl(0.3, 0.5)), 4)
    0.0823
    """
    p, q = np.asarray(p, dtype=float), np.asarray(q, dtype=float)
    for name, x in (("p", p), ("q", q)):
        if not ((x >= 0) & (x <= 1)).all():
            raise ValueError(f"{name} must be a probability, between 0 and 1; got {x.tolist()}.")
    with np.errstate(divide="ignore", invalid="ignore"):
        heads = np.where(p > 0, p * np.log(p / q), 0.0)
        tails = np.where(p < 1, (1 - p) * np.log((1 - p) / (1 - q)), 0.0)
    return heads + tails


def lai_robbins(p):
    """Return the factor C of ln T that the regret on Bernoulli arms ``p`` (k,) must reach in the long run (26.12).

    >>> round(lai_robbins([0.5, 0.3]), 3)
    2.431
    """
    p = _arms(p)
    gaps = p.max() - p
    worse = gaps > 0
    return float(np.sum(gaps[worse] / bernoulli_kl(p[worse], p.max())))


def ucb_bound(p, steps):
    """Return the bound on the regret of UCB with c = sqrt(2) after ``steps`` pulls of arms in [0, 1] (26.11).

    ``p`` are the means of the arms.

    >>> round(ucb_bound([0.5, 0.3], 1000), 1)
    277.2
    """
    p, steps = _arms(p), check_integer(steps, "steps", low=1)
    gaps = (p.max() - p)[p < p.max()]
    return float(np.sum(8 * np.log(steps) / gaps) + (1 + np.pi**2 / 3) * gaps.sum())


def _arms(p):
    p = as_vector(p, "p")
    if p.min() < 0 or p.max() > 1:
        raise ValueError(f"p must hold means between 0 and 1; got {p.tolist()}.")
    return p


def tracking_error(step, walk, noise=1.0):
    """Return the root mean square error of a constant step on a drifting mean, in the long run (26.20).

    step    alpha in (0, 1], a number or an array
    walk    standard deviation of the mean's step between two pulls; ``noise`` that of a reward

    >>> round(float(tracking_error(0.1, 0.1)), 4)
    0.3244
    """
    alpha = np.asarray(step, dtype=float)
    if not ((alpha > 0) & (alpha <= 1)).all():
        raise ValueError(f"step must be greater than 0 and at most 1; got {step!r}.")
    walk, noise = check_number(walk, "walk", low=0), check_number(noise, "noise", low=0)
    return np.sqrt((alpha**2 * noise**2 + walk**2) / (alpha * (2 - alpha)))

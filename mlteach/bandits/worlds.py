"""Bandits: worlds with one state and k arms (section 26.2). The leading axis, if there is one, counts the bandits.

A bandit only describes the world and is never changed. ``open(rng)`` begins one game with it, a `Game`, which knows
the means of this moment and gives a reward for an arm. So a thousand runs can share one bandit.
"""

import numpy as np

from mlteach.bandits.agent import entry, refuse
from mlteach.validation import as_array, as_rng, check_integer, check_number


class Game:
    """One game with a bandit, or with n of them at a time: ``means`` (..., k) now, and ``pull(arm)``."""

    def __init__(self, bandit, rng):
        self.bandit, self.means, self.rng, self.t = bandit, bandit.means, rng, 0

    def pull(self, arm):
        """Return a reward of ``arm`` (...), and let the world move on."""
        refuse(arm, self.bandit.arms)
        reward = self.bandit.reward(self.means[entry(arm)], self.rng)
        self.t += 1
        self.means = self.bandit.moved(self.means, self.t, self.rng)
        return reward


class Bandit:
    """What all bandits share: ``means`` (..., k), the expected rewards q(a); ``arms`` k; ``shape`` (...)."""

    kind = ""  # the law of a reward: "normal" or "bernoulli"

    @property
    def arms(self):
        """The number of arms k."""
        return self.means.shape[-1]

    @property
    def shape(self):
        """() for one bandit, (n,) for n of them."""
        return self.means.shape[:-1]

    def open(self, rng=0):
        """Begin a `Game` whose rewards come from ``rng``."""
        return Game(self, as_rng(rng))

    def reward(self, q, rng):
        """Return rewards with the expectations ``q``."""
        raise NotImplementedError

    def moved(self, means, t, rng):
        """Return the means after ``t`` pulls; here they stay."""
        return means


class GaussianBandit(Bandit):
    """Normal rewards around the arms' means: R ~ N(q(a), noise^2).

    arms    the means (k,) or (n, k); or their number k: then the means are drawn from N(0, 1), for ``n`` bandits if
            ``n`` is given
    noise   standard deviation of a reward

    >>> GaussianBandit(10, rng=1, n=2000).means.shape
    (2000, 10)
    >>> GaussianBandit([0.5, -1.0]).arms
    2
    """

    kind = "normal"

    def __init__(self, arms=10, rng=0, *, n=None, noise=1.0):
        self.noise = check_number(noise, "noise", low=0)
        self.means = _means(arms, n, lambda size: as_rng(rng).normal(size=size))

    def reward(self, q, rng):
        """Return rewards with the expectations ``q``."""
        return q + self.noise * rng.normal(size=np.shape(q))


class BernoulliBandit(Bandit):
    """Rewards 1 with probability p(a), else 0; ``p`` is (k,), or (n, k) for n bandits.

    >>> float(np.mean([BernoulliBandit([0.2, 0.7]).open(seed).pull(1) for seed in range(1000)]))
    0.701
    """

    kind = "bernoulli"

    def __init__(self, p):
        self.means = _means(p, None, None, "p")
        if self.means.min() < 0 or self.means.max() > 1:
            bad = self.means[(self.means < 0) | (self.means > 1)][0]
            raise ValueError(f"p must hold probabilities, between 0 and 1; got {bad:g}.")

    def reward(self, q, rng):
        """Return rewards with the expectations ``q``."""
        return (rng.random(np.shape(q)) < q).astype(float)


class DriftingBandit(GaussianBandit):
    """Normal arms that do not stay: after each pull every mean takes a random step N(0, walk^2).

    arms     as of `GaussianBandit`; a number k of arms starts all of them at 0
    change   after so many pulls the means are shuffled among the arms once; None: never
    to       means (k,) or (n, k) that take their place then, instead of shuffled ones

    >>> game = DriftingBandit([3.0, 1.0, 2.0], walk=0, change=2).open(1)
    >>> [float(game.means[0])] + [float((game.pull(0), game.means[0])[1]) for _ in range(3)]
    [3.0, 3.0, 2.0, 2.0]
    """

    def __init__(self, arms=10, rng=0, *, n=None, noise=1.0, walk=0.01, change=None, to=None):
        self.noise, self.walk = check_number(noise, "noise", low=0), check_number(walk, "walk", low=0)
        self.change = None if change is None else check_integer(change, "change", low=1)
        self.means = _means(arms, n, np.zeros)
        self.to = None if to is None else as_array(to, "to")
        if to is not None and change is None:
            raise ValueError("to needs change: after how many pulls do the means become those?")
        if to is not None and self.to.shape not in (self.means.shape, self.means.shape[-1:]):
            raise ValueError(f"to must have the means of {self.arms} arms; got shape {self.to.shape}.")

    def moved(self, means, t, rng):
        """Return the means after ``t`` pulls."""
        if t == self.change:
            means = rng.permuted(means, axis=-1) if self.to is None else np.broadcast_to(self.to, means.shape)
            means = means.copy(order="F")
        return means + self.walk * rng.normal(size=means.T.shape).T


def _means(arms, n, draw, name="arms"):
    """Return the means (k,) or (n, k): as given, or drawn for a number of arms."""
    if draw is not None and np.ndim(arms) == 0:
        k = check_integer(arms, name, low=2)
        return np.asfortranarray(draw((k,) if n is None else (check_integer(n, "n", low=1), k)))
    if n is not None:
        raise ValueError(f"n counts bandits that are drawn; with given means leave it out. {name} was {arms!r}.")
    means = as_array(arms, name)
    if means.ndim not in (1, 2) or means.shape[-1] < 2:
        raise ValueError(f"{name} must have shape (k,) or (n, k) with k at least 2; got {means.shape}.")
    return means.copy(order="F")  # one arm of all bandits lies together: fast

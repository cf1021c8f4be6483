"""Thompson sampling: draw a world from the posterior and act as if it were the true one (section 26.8)."""

import copy

import numpy as np

from mlteach.bandits.agent import Agent
from mlteach.validation import check_number


class Thompson(Agent):
    """Draw one mean for each arm from its posterior and pull the arm whose draw is largest.

        rewards 0 or 1:   q(a) ~ Beta(a0 + S(a), b0 + N(a) - S(a)),  S(a) the sum of rewards    (26.13)
        normal rewards:   q(a) ~ N((m0/v0 + S(a)/s^2) / w, 1/w),  w = 1/v0 + N(a)/s^2           (26.14)

    prior   (a0, b0), by default (1, 1); for normal rewards (m0, v0), by default (0, 1). Their noise s is the bandit's.

    >>> agent = Thompson()
    >>> agent.policy(np.array([0.5, 0.0]), np.array([2, 1]), 3).round(4).tolist()
    [0.7, 0.3]
    """

    kind, noise = "bernoulli", 1.0

    def __init__(self, prior=None):
        self.prior = prior

    def check(self):
        """Raise a ValueError for parameters that cannot be."""
        _prior(self.prior, self.kind)

    def start(self, bandit):
        """Return a copy that knows the kind of rewards, and has not pulled yet."""
        known = copy.copy(self)
        known.kind, known.noise = bandit.kind, getattr(bandit, "noise", 1.0)
        if known.noise == 0:
            raise ValueError("Thompson sampling needs noise > 0: without noise one pull of an arm tells all.")
        return super(Thompson, known).start(bandit)

    def posterior(self, Q, N):
        """Return the two parameters of every arm's posterior, each (..., k): a and b, or mean and variance."""
        one, two = _prior(self.prior, self.kind)
        N = np.asarray(N)
        S = np.asarray(Q) * N
        if self.kind == "bernoulli":
            return one + S, two + N - S
        w = 1 / two + N / self.noise**2
        return (one / two + S / self.noise**2) / w, 1 / w

    def choose(self, rng):
        """Return the next arm (...)."""
        one, two = self.posterior(self.Q_, self.N_)
        means = rng.beta(one, two) if self.kind == "bernoulli" else one + np.sqrt(two) * rng.normal(size=one.T.shape).T
        return means.argmax(axis=-1)

    def update(self, arm, reward):
        """Learn from one pull."""
        if self.kind == "bernoulli" and not np.isin(reward, (0.0, 1.0)).all():
            raise ValueError("Thompson sampling with a Beta prior needs rewards 0 or 1; got others.")
        super().update(arm, reward)

    def policy(self, Q, N, t):
        """Return the exact probabilities (..., 2) of two Bernoulli arms: that one draw exceeds the other."""
        if self.kind != "bernoulli" or np.shape(Q)[-1] != 2:
            raise ValueError("the probabilities of Thompson sampling are known here for two arms with rewards 0 or 1.")
        a, b = self.posterior(Q, np.asarray(N, dtype=float))
        first = beta_exceeds(a[..., 0], b[..., 0], a[..., 1], b[..., 1])
        return np.stack([first, 1 - first], axis=-1)


def beta_exceeds(a1, b1, a2, b2):
    """Return P(X > Y) for X ~ Beta(a1, b1), Y ~ Beta(a2, b2): the integral of X's density times Y's distribution.

    For whole numbers the integrand is a polynomial of degree a1 + b1 + a2 + b2 - 3, and Gauss' rule is exact.

    >>> round(float(beta_exceeds(2, 1, 1, 1)), 12)  # E X = 2/3
    0.666666666667
    """
    from scipy.special import betainc, betaln

    a1, b1, a2, b2 = (np.asarray(x, dtype=float) for x in (a1, b1, a2, b2))
    nodes = int(np.ceil(np.max(a1 + b1 + a2 + b2))) // 2 + 1
    places, weights = np.polynomial.legendre.leggauss(nodes)
    total = 0.0
    for x, w in zip((1 + places) / 2, weights / 2):
        density = np.exp((a1 - 1) * np.log(x) + (b1 - 1) * np.log1p(-x) - betaln(a1, b1))
        total = total + w * density * betainc(a2, b2, x)
    return total


def _prior(prior, kind):
    """Return the two numbers of the prior, checked."""
    names = ("a0", "b0") if kind == "bernoulli" else ("m0", "v0")
    if prior is None:
        return (1.0, 1.0) if kind == "bernoulli" else (0.0, 1.0)
    if np.shape(prior) != (2,):
        raise ValueError(f"prior must hold two numbers, {' and '.join(names)}; got {prior!r}.")
    first = check_number(prior[0], names[0], low=0 if kind == "bernoulli" else None, open_low=True)
    return first, check_number(prior[1], names[1], low=0, open_low=True)

"""Nodes for continuous variables: a linear-Gaussian child and a probit child (section 11.8)."""

import math

import numpy as np

from mlteach.probability import normal_pdf
from mlteach.validation import as_vector, check_number


class LinearGaussian:
    """A continuous child of continuous parents: p(y | x) = N(y; w . x + b, sigma^2)                     (11.18)

    Parameters: ``weights``, one number per continuous parent (a number for one parent, ``()`` for none);
    ``intercept`` b; ``sigma`` > 0. Discrete parents choose among several such laws: give `BayesNet.add` a dict from
    the tuple of their values to a LinearGaussian.

    >>> late = LinearGaussian(2, 1, 3)
    >>> float(late.mean([4.0])), round(float(late.pdf(9.0, [4.0])), 4)
    (9.0, 0.133)
    """

    def __init__(self, weights, intercept, sigma):
        weights = np.atleast_1d(np.asarray(weights, dtype=object))
        self.weights = as_vector(weights.tolist(), "weights") if weights.size else np.zeros(0)
        self.intercept = check_number(intercept, "intercept")
        self.sigma = check_number(sigma, "sigma", low=0, open_low=True)

    def mean(self, parents):
        """Return w . x + b for the parents' values x: a list with one number, or one array, per continuous parent."""
        parents = list(parents)
        if len(parents) != len(self.weights):
            raise ValueError(f"{len(self.weights)} parents have a weight; got values of {len(parents)}.")
        return self.intercept + sum((w * np.asarray(x) for w, x in zip(self.weights, parents)), np.zeros(()))

    def pdf(self, value, parents):
        """Return the density of ``value`` given the parents."""
        return normal_pdf(np.asarray(value) - self.mean(parents), 0.0, self.sigma)

    def draw(self, parents, rng):
        """Return one value for each entry of the parents' arrays."""
        return rng.normal(self.mean(parents), self.sigma)

    def __repr__(self):
        return f"LinearGaussian({self.weights.tolist()}, {self.intercept:g}, {self.sigma:g})"


def joint_normal(net):
    """Return mean (n,) and covariance (n, n) of a network in which every variable is a `LinearGaussian` (11.22).

    A network of linear-Gaussian nodes is one multivariate normal law: each variable adds a row to the covariance.

    ``net`` is a `BayesNet`.
    """
    names = net.names
    mean, cov = np.zeros(len(names)), np.zeros((len(names), len(names)))
    for i, name in enumerate(names):
        law = net.gaussian(name)
        above = [names.index(p) for p in net.parents[name]]
        mean[i] = law.intercept + law.weights @ mean[above]
        cov[i, :i] = cov[:i, i] = law.weights @ cov[np.ix_(above, range(i))]
        cov[i, i] = law.sigma**2 + law.weights @ cov[np.ix_(above, above)] @ law.weights
    return mean, cov


class Probit:
    """A Boolean child of one continuous parent: a soft threshold at mu                                 (11.20)

    P(true | x) = 1 - Phi((x - mu) / sigma), which falls; with ``rising=True`` it is Phi((x - mu) / sigma).

    >>> waits = Probit(10, 2)
    >>> [round(waits.probability(minutes), 3) for minutes in (5, 10, 15)]
    [0.994, 0.5, 0.006]
    """

    def __init__(self, mu, sigma, rising=False):
        self.mu = check_number(mu, "mu")
        self.sigma = check_number(sigma, "sigma", low=0, open_low=True)
        self.rising = bool(rising)

    def probability(self, x):
        """Return P(true | x) for a number or an array."""
        from scipy.special import ndtr

        z = (np.asarray(x, dtype=float) - self.mu) / self.sigma
        p = ndtr(z if self.rising else -z)
        return float(p) if p.ndim == 0 else p

    def average(self, mean, sd):
        """Return the probability of true when the parent is normal, E[P(true | x)] (11.21)."""
        wide = Probit(self.mu, math.hypot(self.sigma, check_number(sd, "sd", low=0)), self.rising)
        return wide.probability(mean)

    def __repr__(self):
        return f"Probit({self.mu:g}, {self.sigma:g}{', rising=True' * self.rising})"

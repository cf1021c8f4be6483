"""Members of the exponential family with one natural parameter, each with all that a GLM asks of it (section 8.8).

p(y; eta) = h(y) exp(eta T(y) - A(eta)),   E[T] = A'(eta),   var[T] = A''(eta)

The recipe, the same for all: eta = w . x + b; the mean of T(y) given x is A'(eta); fit w and b by maximum likelihood.
"""

import math
from dataclasses import dataclass

import numpy as np

from mlteach.logistic_regression.functions import plain, sigma
from mlteach.logistic_regression.losses import check_binary, residual, surprise
from mlteach.numerics import softplus
from mlteach.probability.logs import deviance as relative_deviance
from mlteach.validation import as_array


class Family:
    """What the members with one natural parameter share; each fills in A, its derivatives and the density.

    All functions work elementwise on arrays: ``y`` a value of the response, ``eta`` the natural parameter, ``mean``
    the mean of y.
    """

    name = ""
    scale_known = True  # False where the spread of y is a parameter of its own

    def sufficient(self, y):
        """Return T(y), here y itself."""
        return self.check(y)

    def deviance(self, y, mean):
        """Return twice the log-likelihood lost against a perfect fit, summed over the samples."""
        y, mean = _pair(self.check(y), self.check_mean(mean), "mean")
        return float(2 * self._half_deviance(y, mean).sum())

    def log_likelihood(self, y, eta):
        """Return ln p(y; eta) for each sample."""
        y, eta = _pair(self.check(y), as_array(eta, "eta"), "eta")
        with np.errstate(over="ignore"):
            return plain(self._log_base(y) - self.loss(y, eta))

    def mean(self, eta):
        """Return E[y] = A'(eta), the response function."""
        with np.errstate(over="ignore"):
            return plain(self._mean(as_array(eta, "eta")))

    def log_partition(self, eta):
        """Return A(eta), the logarithm of what makes the density sum to one."""
        with np.errstate(over="ignore"):
            return plain(self._log_partition(as_array(eta, "eta")))

    def variance(self, mean):
        """Return var[y] = A''(eta) as a function of the mean."""
        return plain(self._variance(self.check_mean(mean)))

    def link(self, mean):
        """Return the canonical link eta(mean), the inverse of ``mean(eta)``; infinite at the edge of its range."""
        with np.errstate(divide="ignore"):
            return plain(self._link(self.check_mean(mean)))

    def residual(self, y, eta):
        """Return A'(eta) - y, the derivative of the loss in eta (unchecked)."""
        return self._mean(eta) - y

    def curvature(self, eta):
        """Return A''(eta), the second derivative of the loss in eta (unchecked)."""
        return self._variance(self._mean(eta))

    def check_mean(self, mean):
        """Return the means as an array, or say why they cannot be means of this family."""
        return as_array(mean, "mean")


@dataclass(frozen=True)
class Gaussian(Family):
    """Measurements: y normal with variance one; its GLM is linear regression.

    h(y) = exp(-y^2/2) / sqrt(2 pi),   T(y) = y,   A(eta) = eta^2/2,   mean = eta,   variance 1

    Another, common variance leaves the weights as they are; it is estimated after the fit as the dispersion.

    >>> Gaussian().mean(1.5), Gaussian().log_partition(2.0)
    (1.5, 2.0)
    """

    name = "Gaussian"
    scale_known = False

    def check(self, y):
        """Return y as an array of finite numbers."""
        return as_array(y, "y")

    def loss(self, y, eta):
        """Return (y - eta)^2 / 2, minus the log-likelihood above that of a perfect fit (unchecked)."""
        return 0.5 * (y - eta) ** 2

    def _mean(self, eta):
        return eta

    def _log_partition(self, eta):
        return 0.5 * eta**2

    def _variance(self, mean):
        return np.ones(np.shape(mean))

    def _link(self, mean):
        return mean

    def _log_base(self, y):
        return np.full(np.shape(y), -0.5 * math.log(2 * math.pi))

    def _half_deviance(self, y, mean):
        return 0.5 * (y - mean) ** 2


@dataclass(frozen=True)
class Bernoulli(Family):
    """Yes or no: y is 1 with probability phi, else 0; its GLM is logistic regression.

    h(y) = 1,   T(y) = y,   A(eta) = ln(1 + exp(eta)),   mean = sigma(eta),   variance phi (1 - phi)

    >>> family = Bernoulli()
    >>> round(family.link(0.8), 5), round(family.log_partition(family.link(0.8)), 5)
    (1.38629, 1.60944)
    """

    name = "Bernoulli"

    def check(self, y):
        """Return y as an array of 0 and 1."""
        y = as_array(y, "y")
        check_binary(y.ravel())
        return y

    def check_mean(self, mean):
        """Return the means, probabilities from 0 to 1."""
        mean = as_array(mean, "mean")
        if mean.min() < 0 or mean.max() > 1:
            worst = mean.min() if mean.min() < 0 else mean.max()
            raise ValueError(f"the mean of a Bernoulli law is a probability, from 0 to 1; got {worst:g}.")
        return mean

    def loss(self, y, eta):
        """Return the cross-entropy ln(1 + exp(eta)) - y eta (unchecked)."""
        return surprise(y, eta)

    def residual(self, y, eta):
        """Return sigma(eta) - y, accurate where it is tiny (unchecked)."""
        return residual(y, eta)

    def curvature(self, eta):
        """Return sigma(eta) sigma(-eta), accurate where it is tiny (unchecked)."""
        return sigma(eta) * sigma(-eta)

    def _mean(self, eta):
        return sigma(eta)

    def _log_partition(self, eta):
        return softplus(eta)

    def _variance(self, mean):
        return mean * (1 - mean)

    def _link(self, mean):
        return np.log(mean) - np.log1p(-mean)

    def _log_base(self, y):
        return np.zeros(np.shape(y))

    def _half_deviance(self, y, mean):
        with np.errstate(divide="ignore"):
            return -np.log(np.where(y == 1, mean, 1 - mean))


@dataclass(frozen=True)
class Poisson(Family):
    """Counts: y = 0, 1, 2, ... of events at rate mu; its GLM is Poisson regression with the log link.

    h(y) = 1/y!,   T(y) = y,   A(eta) = exp(eta),   mean = exp(eta),   variance = mean

    >>> family = Poisson()
    >>> round(family.mean(0.7), 6), family.variance(3.0), round(family.log_likelihood(2, 0.0), 6)
    (2.013753, 3.0, -1.693147)
    """

    name = "Poisson"

    def check(self, y):
        """Return y as an array of counts."""
        y = as_array(y, "y")
        bad = (y < 0) | (y != np.floor(y))
        if bad.any():
            raise ValueError(f"y must hold counts, whole numbers from 0 on; it holds {y[bad].flat[0]:g}.")
        return y

    def check_mean(self, mean):
        """Return the means, not negative."""
        mean = as_array(mean, "mean")
        if mean.min() < 0:
            raise ValueError(f"the mean of a Poisson law is at least 0; got {mean.min():g}.")
        return mean

    def loss(self, y, eta):
        """Return exp(eta) - y + y (ln y - eta), minus the log-likelihood above that of a perfect fit (unchecked)."""
        y, eta = np.broadcast_arrays(y, eta)
        log_y, mu = np.log(np.maximum(y, 1)), np.asarray(np.exp(eta))  # 0 ln 0 is 0
        loss = np.asarray(mu - y + y * (log_y - eta))
        near = np.abs(y - mu) < 0.1 * (y + mu)  # there the terms cancel, and the deviance knows how to avoid that
        loss[near] = relative_deviance(y[near], mu[near])
        return loss

    def _mean(self, eta):
        return np.exp(eta)

    def _log_partition(self, eta):
        return np.exp(eta)

    def _variance(self, mean):
        return mean

    def _link(self, mean):
        return np.log(mean)

    def _log_base(self, y):
        top = [v * math.log(v) - v - math.lgamma(v + 1) if v > 0 else 0.0 for v in y.ravel().tolist()]
        return np.reshape(top, y.shape)  # the log-likelihood of a perfect fit, mu = y

    def _half_deviance(self, y, mean):
        return relative_deviance(y, mean)


def _pair(y, other, name):
    if y.shape != other.shape:
        raise ValueError(f"y and {name} must have the same shape; got {y.shape} and {other.shape}.")
    return y, other

"""What a hidden state lets us see: a table of symbols, a Gaussian, a Poisson count (sections 31.3 and 31.9).

An emission knows three things: the logarithm of P(z | state) for all times and states, how to draw z, and its own
weighted maximum likelihood, the M-step (31.14). A missing observation (None or nan) says nothing: its likelihood is 1
in every state.
"""

import numpy as np

from mlteach.hidden_markov.chain import draw
from mlteach.validation import as_array, as_vector, check_probabilities


class TableEmission:
    """P(z = k | state j) = B[j, k]: a table (S, symbols), rows sum to one. Observations are the numbers of symbols."""

    def __init__(self, table):
        self.table = check_probabilities(table, "emission")
        if self.table.ndim != 2:
            raise ValueError(f"emission must have shape (S, symbols); got {self.table.shape}.")
        self.n_states, self.n_symbols = self.table.shape

    def read(self, observations):
        """Return the observations as floats, nan where one is missing."""
        z = with_gaps(observations)
        seen = z[~np.isnan(z)]
        bad = seen[(seen != np.floor(seen)) | (seen < 0) | (seen >= self.n_symbols)]
        if len(bad):
            raise ValueError(
                f"observations must be symbols 0 to {self.n_symbols - 1}, the columns of emission; got {bad[0]:g}."
            )
        return z

    def log_likelihood(self, z):
        """Return ln P(z_t | j) for all times and states (T, S)."""
        with np.errstate(divide="ignore"):
            logs = np.log(self.table.T)
        missing = np.isnan(z)
        if not missing.any():
            return logs.take(z.astype(int), axis=0)
        result = logs.take(np.where(missing, 0, z).astype(int), axis=0)
        result[missing] = 0.0
        return result

    def estimate(self, z, weights):
        """Return the emission that fits best: weighted shares of the symbols (31.14); weights (T, S)."""
        seen = ~np.isnan(z)
        counts = np.zeros(self.table.shape)
        np.add.at(counts.T, z[seen].astype(int), weights[seen])
        return TableEmission(shares(counts, self.table))

    def sample(self, states, rng):
        """Return a symbol for each state (T,)."""
        steps = np.cumsum(self.table, axis=1)
        return np.array([draw(steps[s], u) for s, u in zip(states, rng.random(len(states)))])

    def guess(self, z, rng):
        """Return a random emission to start learning from."""
        return TableEmission(rng.dirichlet(np.ones(self.n_symbols), size=self.n_states))

    def reordered(self, order):
        """Return the emission with its states in another order."""
        return TableEmission(self.table[order])

    def features(self):
        """Return numbers (S, features) by which states can be compared."""
        return self.table


class GaussianEmission:
    """P(z | state j) = N(z | mu_j, sigma_j^2), with means (S,) and variances (S,).

    >>> GaussianEmission([0, 5], [1, 4]).log_likelihood(np.array([0.0])).round(3).tolist()
    [[-0.919, -4.737]]
    """

    def __init__(self, means, variances):
        self.means = as_vector(means, "means")
        self.variances = as_vector(variances, "variances", length=len(self.means), like="means")
        if (self.variances <= 0).any():
            raise ValueError(f"variances must be positive; the smallest is {self.variances.min():g}.")
        self.n_states = len(self.means)

    def read(self, observations):
        """Return the observations as floats, nan where one is missing."""
        return with_gaps(observations)

    def log_likelihood(self, z):
        """Return ln N(z_t | mu_j, sigma_j^2) for all times and states (T, S)."""
        squares = (z[:, None] - self.means) ** 2 / self.variances
        logs = -0.5 * (squares + np.log(2 * np.pi * self.variances))
        return np.where(np.isnan(z)[:, None], 0.0, logs)

    def estimate(self, z, weights):
        """Return weighted means and variances (31.14), these not below a millionth of the variance of all z."""
        seen = ~np.isnan(z)
        z, weights = z[seen], weights[seen]
        N = weights.sum(axis=0)
        safe = np.where(N > 0, N, 1)
        means = np.where(N > 0, weights.T @ z / safe, self.means)
        variances = (weights * (z[:, None] - means) ** 2).sum(axis=0) / safe
        floor = max(1e-6 * z.var(), 1e-300)
        return GaussianEmission(means, np.where(N > 0, np.maximum(variances, floor), self.variances))

    def sample(self, states, rng):
        """Return a number for each state (T,)."""
        return self.means[states] + np.sqrt(self.variances[states]) * rng.normal(size=len(states))

    def guess(self, z, rng):
        """Return a start for learning: as many random observations as means, the variance of all."""
        seen = z[~np.isnan(z)]
        return GaussianEmission(rng.choice(seen, self.n_states), np.full(self.n_states, max(seen.var(), 1e-300)))

    def reordered(self, order):
        """Return the emission with its states in another order."""
        return GaussianEmission(self.means[order], self.variances[order])

    def features(self):
        """Return numbers (S, features) by which states can be compared."""
        return np.column_stack([self.means, np.sqrt(self.variances)])


class PoissonEmission:
    """P(z = k | state j) = exp(-r_j) r_j^k / k!, with rates (S,). Observations are counts.

    >>> PoissonEmission([2, 5]).log_likelihood(np.array([0.0])).tolist()
    [[-2.0, -5.0]]
    """

    def __init__(self, rates):
        self.rates = as_vector(rates, "rates")
        if (self.rates < 0).any():
            raise ValueError(f"rates must not be negative; the smallest is {self.rates.min():g}.")
        self.n_states = len(self.rates)

    def read(self, observations):
        """Return the counts as floats, nan where one is missing."""
        z = with_gaps(observations)
        seen = z[~np.isnan(z)]
        bad = seen[(seen != np.floor(seen)) | (seen < 0)]
        if len(bad):
            raise ValueError(f"observations must be counts 0, 1, 2, ...; got {bad[0]:g}.")
        return z

    def log_likelihood(self, z):
        """Return ln P(z_t | r_j) for all times and states (T, S)."""
        from scipy.special import gammaln, xlogy

        k = np.where(np.isnan(z), 0, z)[:, None]
        logs = xlogy(k, self.rates) - self.rates - gammaln(k + 1)
        return np.where(np.isnan(z)[:, None], 0.0, logs)

    def estimate(self, z, weights):
        """Return weighted mean counts (31.14); weights (T, S)."""
        seen = ~np.isnan(z)
        N = weights[seen].sum(axis=0)
        return PoissonEmission(np.where(N > 0, weights[seen].T @ z[seen] / np.where(N > 0, N, 1), self.rates))

    def sample(self, states, rng):
        """Return a count for each state (T,)."""
        return rng.poisson(self.rates[states])

    def guess(self, z, rng):
        """Return a start for learning: rates between half the least and one and a half of the largest count."""
        seen = z[~np.isnan(z)]
        return PoissonEmission(rng.uniform(0.5 * seen.min(), 1.5 * seen.max() + 0.5, self.n_states))

    def reordered(self, order):
        """Return the emission with its states in another order."""
        return PoissonEmission(self.rates[order])

    def features(self):
        """Return numbers (S, features) by which states can be compared."""
        return self.rates[:, None]


def as_emission(emission):
    """Return an emission: as it is, or made of a table (S, symbols)."""
    return emission if hasattr(emission, "log_likelihood") else TableEmission(emission)


def shares(counts, otherwise):
    """Return counts divided by their sums in each row; a row without counts keeps what it was."""
    total = counts.sum(axis=1, keepdims=True)
    return np.where(total > 0, counts / np.where(total > 0, total, 1), otherwise)


def with_gaps(observations, name="observations"):
    """Return observations (T,) as floats; None and nan stand for a missing one and become nan."""
    if isinstance(observations, np.ndarray) and observations.dtype.kind in "iuf":
        z = observations.astype(float)
    else:
        try:
            values = list(observations)
        except TypeError:
            raise ValueError(f"{name} must be a sequence of numbers; got {observations!r}.") from None
        gaps = [value is None or (isinstance(value, float) and value != value) for value in values]
        z = as_array([0 if gap else value for gap, value in zip(gaps, values)], name)
        if z.ndim == 1:
            z[gaps] = np.nan
    if z.ndim != 1 or not len(z):
        raise ValueError(f"{name} must have shape (T,), one value per time and at least one; got {z.shape}.")
    if np.isinf(z).any():
        raise ValueError(f"{name} must be finite; {name}[{int(np.isinf(z).argmax())}] is infinite.")
    return z

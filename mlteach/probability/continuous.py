"""Densities: uniform, exponential, normal in one and more dimensions, Beta (sections 3.9 and 3.10)."""

from typing import NamedTuple

import numpy as np

from mlteach.probability.logs import log_binomial
from mlteach.validation import as_array, as_vector, check_integer, check_number


class Normal(NamedTuple):
    """Mean and covariance of a normal law in d dimensions."""

    mu: np.ndarray  # (d,)
    Sigma: np.ndarray  # (d, d)


def uniform_pdf(x, a=0.0, b=1.0, *, log=False):
    """Return the density of the uniform law on [a, b].

    p(x) = 1 / (b - a),  a <= x <= b;   mean (a + b) / 2, variance (b - a)^2 / 12   (3.23)

    ``x`` may have any shape; the density is zero outside [a, b].

    >>> uniform_pdf([1, 2, 6, 10], a=2, b=10).tolist()
    [0.0, 0.125, 0.125, 0.125]
    """
    x = as_array(x, "x")
    a, b = check_number(a, "a"), check_number(b, "b")
    if not 0 < b - a < np.inf:
        raise ValueError(f"a must be less than b, and b - a finite; got a = {a:g} and b = {b:g}.")
    inside = (a <= x) & (x <= b)
    return (np.where(inside, -np.log(b - a), -np.inf) if log else np.where(inside, 1 / (b - a), 0.0))[()]


def exponential_pdf(x, lam=1.0, *, log=False):
    """Return the density of the exponential law with rate lam > 0: a waiting time with no memory.

    p(x) = lam exp(-lam x),  x >= 0;   mean 1 / lam, variance 1 / lam^2   (3.29)

    ``x`` may have any shape; the density is zero below 0.

    >>> exponential_pdf([-1, 0, 1], lam=2).round(6).tolist()
    [0.0, 2.0, 0.270671]
    """
    x, lam = as_array(x, "x"), check_number(lam, "lam", low=0, open_low=True)
    with np.errstate(over="ignore"):  # too far out for a double: the density there is 0
        logs = np.where(x >= 0, np.log(lam) - lam * x, -np.inf)
    return (logs if log else np.exp(logs))[()]


def normal_pdf(x, mu=0.0, sigma=1.0, *, log=False):
    """Return the density of the normal law with mean mu and standard deviation sigma (variance sigma^2).

    p(x) = 1 / (sqrt(2 pi) sigma)  exp(-(x - mu)^2 / (2 sigma^2))   (3.31)

    ``x`` may have any shape. The standard normal is mu = 0, sigma = 1.

    >>> normal_pdf([0.0, 1.0]).round(6).tolist()
    [0.398942, 0.241971]
    """
    x = as_array(x, "x")
    mu, sigma = check_number(mu, "mu"), check_number(sigma, "sigma", low=0, open_low=True)
    with np.errstate(over="ignore"):  # too far out for a double: the density there is 0
        z = (x - mu) / sigma
        logs = -0.5 * z**2 - np.log(sigma) - 0.5 * np.log(2 * np.pi)
        return (logs if log else np.exp(logs))[()]


def multivariate_normal_pdf(x, mu, Sigma, *, log=False):
    """Return the density of the normal law in d dimensions, with mean mu (d,) and covariance Sigma (d, d).

    p(x) = (2 pi)^(-d/2) |Sigma|^(-1/2)  exp(-1/2 (x - mu)' Sigma^-1 (x - mu))   (3.36)

    ``x`` is one point (d,), n points (n, d), or a grid (..., d). With Sigma = L L' the quadratic form is |u|^2,
    L u = x - mu, and |Sigma|^(1/2) is the product of L's diagonal.

    >>> float(multivariate_normal_pdf([1, 0], mu=[0, 0], Sigma=[[2, 1], [1, 2]]).round(6))
    0.065841
    """
    x = as_array(x, "x")
    mu, Sigma, L = _check_normal(mu, Sigma)
    d = len(mu)
    if x.ndim == 0 or x.shape[-1] != d:
        raise ValueError(f"x must have shape ({d},) or (..., {d}), as mu has {d} entries; got {x.shape}.")
    with np.errstate(over="ignore"):
        u = np.linalg.solve(L, (x - mu).reshape(-1, d).T)
        logs = -0.5 * (u**2).sum(axis=0) - np.log(np.diag(L)).sum() - 0.5 * d * np.log(2 * np.pi)
        return (logs if log else np.exp(logs)).reshape(x.shape[:-1])[()]


def conditional_normal(mu, Sigma, given):
    """Return the normal law of the other coordinates when some are known: a slice of the density, normalised.

    mu_a|b = mu_a + Sigma_ab Sigma_bb^-1 (x_b - mu_b),   Sigma_a|b = Sigma_aa - Sigma_ab Sigma_bb^-1 Sigma_ba   (3.37)

    ``given`` maps the index of a coordinate to its value. Returns a `Normal` over the rest, in their order.

    >>> mu, Sigma = conditional_normal([0, 0], [[2, 1], [1, 2]], given={1: 3.0})
    >>> mu.tolist(), Sigma.tolist()
    ([1.5], [[1.5]])
    """
    mu, Sigma, _ = _check_normal(mu, Sigma)
    if len(mu) < 2:
        raise ValueError("mu must have at least 2 entries, one to be given and one to be left; got 1.")
    if not isinstance(given, dict) or not 0 < len(given) < len(mu):
        raise ValueError(f"given must map between 1 and {len(mu) - 1} indices to their values; got {given!r}.")
    b = [check_integer(i, "an index in given", low=0, high=len(mu) - 1) for i in given]
    x_b = np.array([check_number(value, f"given[{i}]") for i, value in given.items()])
    a = [i for i in range(len(mu)) if i not in b]
    gain = np.linalg.solve(Sigma[np.ix_(b, b)], Sigma[np.ix_(b, a)]).T
    return Normal(mu[a] + gain @ (x_b - mu[b]), Sigma[np.ix_(a, a)] - gain @ Sigma[np.ix_(b, a)])


def beta_pdf(x, a, b, *, log=False):
    """Return the density of the Beta law on [0, 1], the conjugate prior of a probability.

    p(x) = x^(a-1) (1-x)^(b-1) / B(a, b),  B(a, b) = Gamma(a) Gamma(b) / Gamma(a + b);   mean a / (a + b)   (3.32)

    ``x`` may have any shape; the density is zero outside [0, 1], and infinite at 0 if a < 1, at 1 if b < 1.

    >>> beta_pdf([0.0, 0.25, 0.5, 2.0], a=2, b=2).round(6).tolist()
    [0.0, 1.125, 1.5, 0.0]
    """
    x = as_array(x, "x")
    a, b = (check_number(v, name, low=0, open_low=True, high=1e300) for v, name in ((a, "a"), (b, "b")))
    logs = np.full(x.shape, -np.inf)
    for end, power, other in ((0, a, b), (1, b, a)):
        logs[x == end] = np.inf if power < 1 else np.log(other) if power == 1 else -np.inf
    inside = (x > 0) & (x < 1)
    # x (1-x) p(x) is, up to a b / (a + b), a binomial term with real counts: a successes, b failures
    x = x[inside]
    logs[inside] = log_binomial(a, b, x) + np.log(a) + np.log(b) - np.log(a + b) - np.log(x) - np.log1p(-x)
    with np.errstate(over="ignore"):
        return (logs if log else np.exp(logs))[()]


def _check_normal(mu, Sigma):
    """Return mu, Sigma and the Cholesky factor L, or say what is wrong with them."""
    mu, Sigma = as_vector(mu, "mu"), as_array(Sigma, "Sigma")
    d = len(mu)
    if Sigma.shape != (d, d):
        raise ValueError(f"Sigma must have shape ({d}, {d}), as mu has {d} entries; got {Sigma.shape}.")
    if not np.allclose(Sigma, Sigma.T, rtol=1e-8, atol=1e-12 * np.abs(Sigma).max()):
        raise ValueError("Sigma must be symmetric; it differs from its transpose.")
    try:
        L = np.linalg.cholesky(Sigma)
        singular = (np.diag(L) ** 2 <= d * np.finfo(float).eps * np.diag(Sigma)).any()
    except np.linalg.LinAlgError:
        singular = True
    if singular:
        smallest = np.linalg.eigvalsh(Sigma)[0]
        raise ValueError(f"Sigma must be positive definite; its smallest eigenvalue is {smallest:.3g}.")
    return mu, Sigma, L

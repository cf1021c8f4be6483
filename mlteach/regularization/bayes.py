"""Bayesian linear regression with known noise: a Gaussian over weights that each new point makes narrower.

The posterior is kept as the triangular root of its precision, and new data are folded in by QR. Nothing is inverted
or squared, so a vague prior next to precise data, or nearly collinear columns, cost half the digits that the
covariance form would lose.

Derived in section 6.9 of the chapter.
"""

import numpy as np

from mlteach.base import Estimator
from mlteach.clients import Weights
from mlteach.numerics import LARGEST
from mlteach.parameters import ANY, FLAG, Real
from mlteach.validation import as_array, as_rng, as_vector, check_choice, check_integer, check_number


class BayesianLinearRegression(Weights, Estimator):
    """Linear regression that knows how uncertain its weights are.

    Model       t = b + w.x + noise,  noise ~ N(0, sigma^2)
    Prior       w ~ N(m0, tau^2 I), b flat; theta = (b, w) has precision L0 = diag(0, 1/tau^2, ..., 1/tau^2)
    Posterior   theta ~ N(m, S),  S^-1 = L0 + Phi'Phi / sigma^2,  S^-1 m = L0 m0 + Phi't / sigma^2
    Prediction  t* ~ N(phi.m, sigma^2 + phi'S phi)

    The intercept is never regularised, so m is the solution of `Ridge` with lam = sigma^2 / tau^2 (for m0 = 0). With
    ``intercept=False`` the columns are taken as they are: a column of ones among them shares the proper prior of all
    weights, as in textbooks, and the prior itself can be drawn from (`start`).

    Parameters: ``prior_variance`` tau^2 > 0, a number or one per column of X; ``np.inf`` is the infinitely broad
    prior and gives least squares. ``noise_variance`` sigma^2 > 0. ``prior_mean`` m0, a number or one per column.

    Attributes: ``mean_`` (M,) and ``covariance_`` (M, M) of theta, intercept first, M = p + 1, or p without one;
    ``w_`` (p,), ``b_`` float, the same mean in parts; ``n_seen_`` points so far; ``noise_variance_``, sigma^2 as
    it was when learning began, which predictions use and later updates share.

    >>> model = BayesianLinearRegression(prior_variance=4, noise_variance=0.25).fit([[0], [1], [2]], [1, 2, 4])
    >>> model.mean_.round(4).tolist()
    [0.8788, 1.4545]
    >>> mean, std = model.predict([[1], [9]], return_std=True)
    >>> std.round(4).tolist()
    [0.5774, 2.8445]
    """

    task = "regression"
    params = {"prior_variance": ANY, "noise_variance": Real(above=0), "prior_mean": ANY, "intercept": FLAG}

    def __init__(self, prior_variance=1.0, noise_variance=1.0, *, prior_mean=0.0, intercept=True):
        self.prior_variance = prior_variance
        self.noise_variance = noise_variance
        self.prior_mean = prior_mean
        self.intercept = intercept

    def learn(self, X, y):
        """Condition the prior on all the data."""
        sigma = np.sqrt(self.noise_variance)
        self._keep(*fold(*self._prior(X.shape[1]), _phi(X, self.intercept), y, sigma), self.intercept)

    def update(self, X, y):
        """Condition what is known so far, at first the prior, on more data (n, p), (n,); return self."""
        if not self.__sklearn_is_fitted__():
            return self.fit(X, y)
        X, sigma = self._points(X), self._sigma()
        y = as_vector(y, length=len(X))
        if float(self.noise_variance) != self.noise_variance_:
            raise ValueError(
                f"noise_variance is {float(self.noise_variance):g}, but the points so far were learned with "
                f"{self.noise_variance_:g}. Keep it, or call fit with all the data."
            )
        self._keep(*fold(*self._state, _phi(X, self._constant), y, sigma), self._constant)
        return self

    def start(self, p):
        """Forget all data: set the posterior to the prior of ``p`` weights, which must be proper; return self."""
        check_choice(self.intercept, "intercept", (True, False))
        p = check_integer(p, "p", low=1)
        self._sigma()
        self._keep(*self._prior(p), self.intercept)
        self._keep_features(p, None)
        return self

    def predict(self, X, return_std=False):
        """Return the predictive mean for each row of ``X`` (n, p), and its standard deviation, noise included."""
        Phi = _phi(self._points(X), self._constant)
        mean = Phi @ self.mean_
        if not return_std:
            return mean
        R = self._state[0][:-1, :-1]
        return mean, np.sqrt(self.noise_variance_ + np.sum(np.linalg.solve(R.T, Phi.T) ** 2, axis=0))

    def sample_weights(self, n=1, rng=0):
        """Return ``n`` draws of theta from the posterior, (n, M), intercept first."""
        self._require_fit()
        n = check_integer(n, "n", low=1)
        noise = as_rng(rng).standard_normal((len(self.mean_), n))
        return self.mean_ + np.linalg.solve(self._state[0][:-1, :-1], noise).T

    def log_marginal_likelihood(self):
        """Return the evidence ln p(t) of all points seen, for choosing tau^2, sigma^2 or the features.

        ln p(t) = -N/2 ln(2 pi sigma^2) + 1/2 ln|L0| + 1/2 ln|S| - E(m),
        E(m) = |t - Phi m|^2 / (2 sigma^2) + 1/2 (m - m0)'L0 (m - m0)

        A flat direction, such as the intercept, enters with density 1: compare only models that share it.
        """
        self._require_fit()
        R, constant, _ = self._state
        return float(constant - np.sum(np.log(np.abs(np.diag(R)[:-1]))) - 0.5 * R[-1, -1] ** 2)

    def _sigma(self):
        return np.sqrt(check_number(self.noise_variance, "noise_variance", low=0, open_low=True))

    def _prior(self, p):
        """Return the triangle [R z; 0 rho] with R'R = L0 and R m0 = z, the log constant of the evidence, and N = 0."""
        tau2 = _per_weight(self.prior_variance, "prior_variance", p)
        m0 = _per_weight(self.prior_mean, "prior_mean", p)
        if self.intercept:
            tau2, m0 = np.append(np.inf, tau2), np.append(0.0, m0)
        root = 1 / np.sqrt(tau2)
        flat = np.isinf(tau2)
        triangle = np.diag(np.append(root, 0.0))
        triangle[:-1, -1] = root * m0
        return triangle, np.sum(np.where(flat, 0.5 * np.log(2 * np.pi), np.log(np.where(flat, 1, root)))), 0

    def _keep(self, triangle, constant, n, intercept):
        R, z = triangle[:-1, :-1], triangle[:-1, -1]
        _refuse_improper(R, n)
        mean, root = np.linalg.solve(R, z), np.linalg.solve(R, np.eye(len(R)))
        self._state, self._constant = (triangle, constant, n), intercept
        self.mean_, self.covariance_ = mean, root @ root.T
        self.b_, self.w_ = (float(mean[0]), mean[1:]) if intercept else (0.0, mean)
        self.n_seen_, self.noise_variance_ = n, float(self.noise_variance)


def _phi(X, intercept):
    return np.column_stack([np.ones(len(X)), X]) if intercept else X


def fold(triangle, constant, n, Phi, t, sigma):
    """Return the state after more data: QR of the old triangle stacked on the new rows, divided by sigma."""
    with np.errstate(over="ignore"):  # refused below
        rows = np.vstack([triangle, np.column_stack([Phi, t]) / sigma])
    if np.abs(rows).max() > LARGEST:
        raise ValueError(
            f"X or y reaches {np.abs(rows).max():.0e} standard deviations of the noise; the squares of such numbers "
            "leave the range of a double. Change the units, or give a larger noise_variance."
        )
    rows = rows[np.argsort(-np.abs(rows).max(axis=1), kind="stable")]  # large rows first keep small ones accurate
    return np.linalg.qr(rows, mode="r"), constant - len(t) * np.log(np.sqrt(2 * np.pi) * sigma), n + len(t)


def _per_weight(value, name, p):
    """Return a parameter as one value per weight, (p,)."""
    positive = name == "prior_variance"
    if positive and np.ndim(value) == 0 and isinstance(value, float) and value == np.inf:
        return np.full(p, np.inf)
    if np.ndim(value) == 0:
        return np.full(p, check_number(value, name, low=0 if positive else None, open_low=positive))
    flat = _infinite(value) if positive else False
    array = as_array(np.where(flat, 1.0, value) if np.any(flat) else value, name)
    if array.shape != (p,):
        raise ValueError(f"{name} must be a number or have one entry per column of X, ({p},); got {array.shape}.")
    if positive and array.min() <= 0:
        raise ValueError(f"{name} must be greater than 0; its smallest entry is {array.min():g}.")
    return np.where(flat, np.inf, array)


def _infinite(values):
    try:
        return np.isposinf(np.asarray(values, dtype=float))
    except (TypeError, ValueError):
        return False  # not numbers: as_array says so


def _refuse_improper(R, n):
    """Refuse a precision of deficient rank: some weight is then determined neither by the prior nor by the data."""
    length = np.linalg.norm(R, axis=0)
    s = np.linalg.svd(R / np.where(length > 0, length, 1), compute_uv=False)
    rank = int(np.sum(s > len(R) * np.finfo(float).eps)) if np.all(length > 0) else int(np.sum(length > 0))
    if rank < len(R):
        raise ValueError(
            f"the posterior is not proper: {n} points and the prior determine {rank} of {len(R)} weights. "
            "Give more points at once, a finite prior_variance, or intercept=False."
        )

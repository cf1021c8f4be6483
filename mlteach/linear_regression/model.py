"""The linear model: one input in closed form, many inputs and outputs by least squares, and its likelihood.

Derived in sections 4.2, 4.3 and 4.7 of the chapter.
"""

from typing import NamedTuple

import numpy as np

from mlteach.base import Estimator
from mlteach.linear import LinearRegressor, power_of_two
from mlteach.linear_regression._refinement import refine_plane
from mlteach.linear_regression.solver import as_targets, solve_least_squares
from mlteach.linear_regression.summary import summarise
from mlteach.numerics import centre
from mlteach.validation import as_vector, check_number


class Line(NamedTuple):
    """The line y = w0 + w1 x (4.1)."""

    w0: float  # intercept
    w1: float  # slope

    def predict(self, x):
        """Return w0 + w1 x for ``x`` (n,)."""
        return self.w0 + self.w1 * as_vector(x, "x")


def fit_line(x, y):
    """Fit a line to points in the plane by least squares, in closed form.

    Model  y = w0 + w1 x                                                       (4.1)
    Loss   sum_n (y_n - w0 - w1 x_n)^2                                         (4.2)
    Slope  w1 = sum (x - mean x)(y - mean y) / sum (x - mean x)^2,  w0 = mean y - w1 mean x    (4.3)

    Parameters: ``x`` (n,) and ``y`` (n,), at least two points with different x. Returns a `Line`.

    >>> line = fit_line([1, 2, 3, 4, 5], [2, 3, 5, 4, 6])
    >>> round(line.w0, 6), round(line.w1, 6)
    (1.3, 0.9)
    """
    x = as_vector(x, "x")
    y = as_vector(y, "y", length=len(x), like="x")
    if np.ptp(x) == 0:
        raise ValueError(f"x must hold at least two different values to give a slope; all are {x[0]:g}.")
    (x, unit_x), (y, unit_y) = power_of_two(x), power_of_two(y)  # so that no square leaves the range of a double
    dx, dy = x - x.mean(), y - y.mean()
    w1 = (dx @ dy) / (dx @ dx)
    with np.errstate(over="ignore"):
        line = Line(w0=float((y.mean() - w1 * x.mean()) * unit_y), w1=float(w1 * (unit_y / unit_x)))
    if not np.isfinite(line).all():
        raise ValueError("the slope is too large for a floating-point number; change the units of x or y.")
    return line


class LinearRegression(LinearRegressor, Estimator):
    """Linear regression by least squares, with an intercept.

    Model      y(x) = b + w.x,  or  b + W x for k outputs         (4.21)
    Objective  1/2 sum_n (y(x_n) - t_n)^2                         (4.4)
    Solution   R w = Q't for the centred columns  X - mean = QR   (4.7)

    Dependent columns, as with n <= d, leave many minimisers; `fit` returns the one with the shortest w.

    Attributes after ``fit(X, y)`` with X (n, d) and y (n,): ``w_`` (d,), ``b_`` float. With y (n, k):
    ``W_`` (k, d), the W of (4.21) transposed and without the biases, and ``b_`` (k,), the biases. In both cases
    ``rank_``, the number of independent centred columns, and
    ``rss_``, the residual sum of squares: float or (k,).

    >>> X = [[1], [2], [3], [4], [5]]
    >>> model = LinearRegression().fit(X, [2, 3, 5, 4, 6])
    >>> print(model.w_.round(6), round(model.b_, 6))
    [0.9] 1.3
    >>> print(model.predict([[6]]).round(6))
    [6.7]
    """

    task = "regression"

    def __init__(self):
        pass

    def learn(self, X, y):
        """Find the weights with the least sum of squared errors."""
        # 1. Centre inputs and targets: the intercept drops out
        (A, x_mean), (t, t_mean) = centre(X), centre(y)
        tss = _checked_squares(t)
        # 2. Solve least squares for the weights                  (4.7)
        w, residual, rank, R = solve_least_squares(A, t, max_rank=len(X) - 1)
        # 3. The best plane passes through the mean point         (4.3)
        b = t_mean - x_mean @ w
        # 4. Win back the digits that rounding took
        if rank == X.shape[1]:
            w, b, residual = refine_plane(X, y, w, b, R, x_mean)
        self._keep(w, b)
        self.rank_, self.rss_ = rank, _squares(residual)
        self._evidence = len(X), x_mean, R, tss

    def summary(self, feature_names=None):
        """Return a `Summary`: standard errors, t-tests and the F-test (4.14)-(4.17), R2 and its kin (4.19)-(4.20).

        >>> model = LinearRegression().fit([[1], [2], [3], [4], [5]], [2, 3, 5, 4, 6])
        >>> print(model.summary(["hours"]))
                          coef       stderr            t            p
        intercept          1.3     0.834666        1.558        0.217
        hours              0.9     0.251661        3.576       0.0374
        residual standard deviation 0.795822 with 3 degrees of freedom
        R2 0.81, adjusted R2 0.746667
        F 12.79 with 1 and 3 degrees of freedom, p 0.0374
        """
        self._require_fit()
        if not hasattr(self, "w_"):
            remedy = "y has shape (n, 1): fit y.ravel()" if len(self.b_) == 1 else "fit y[:, j] on its own"
            raise ValueError(
                f"summary needs one target in a vector; this model has {len(self.b_)} in a matrix: {remedy}."
            )
        n, x_mean, R, tss = self._evidence
        return summarise(self.w_, self.b_, n, x_mean, R, self.rank_, self.rss_, tss, feature_names)

    def _read_targets(self, y, n):
        return as_targets(y, length=n)

    def _keep(self, w, b):
        if w.ndim == 1:
            self.w_, self.b_ = w, float(b)
        else:
            self.W_, self.b_ = w.T, b


def log_likelihood(y, predicted, sigma):
    """Return the log-likelihood of targets that scatter around their prediction with Gaussian noise.

    Model  ln p(y) = -N/2 ln(2 pi sigma^2) - RSS / (2 sigma^2)    (4.12)

    Parameters: ``y`` (n,), ``predicted`` (n,), ``sigma`` > 0, the standard deviation of the noise.
    For every sigma the best prediction is the one of least squares; the best sigma^2 is RSS/N (4.13).

    >>> round(log_likelihood([1, 2, 3], [1, 2, 4], sigma=1.0), 6)
    -3.256816
    """
    y = as_vector(y, "y")
    predicted = as_vector(predicted, "predicted", length=len(y), like="y")
    sigma = check_number(sigma, "sigma", low=0, open_low=True)
    with np.errstate(over="ignore"):  # a miss of 1e200 sigma has probability 0: its logarithm is -inf
        misses = np.sum(((y - predicted) / sigma) ** 2)
    return float(-len(y) * (np.log(sigma) + 0.5 * np.log(2 * np.pi)) - 0.5 * misses)


def _checked_squares(t):
    """Return the sum of squares of each centred target; refuse those whose squares do not fit into a double."""
    with np.errstate(over="ignore", under="ignore"):
        total = _squares(t)
    if not np.isfinite(total).all() or np.any((np.asarray(total) < 1e-290) & (t != 0).any(axis=0)):
        raise ValueError(
            f"y spreads over {float(np.abs(t).max()):.0e} around its mean; the squares of such numbers leave the "
            "range of a double. Change the unit of y."
        )
    return total


def _squares(residual):
    total = np.sum(residual**2, axis=0)
    return float(total) if total.ndim == 0 else total

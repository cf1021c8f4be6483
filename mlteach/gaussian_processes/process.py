"""Gaussian-process regression by one triangular root: mean, band, samples, evidence, and hyper-parameters.

Derived in sections 17.2, 17.4 and 17.6 of the chapter.
"""

import warnings
from typing import NamedTuple

import numpy as np

from mlteach.base import Estimator
from mlteach.gaussian_processes.ascent import climb
from mlteach.gaussian_processes.evidence import (
    hyperparameters,
    log_evidence,
    log_evidence_gradient,
    terms,
    with_hyperparameters,
)
from mlteach.gaussian_processes.gram import diagonal, gram, solve_lower, triangle
from mlteach.kernels import Kernel, rbf_kernel
from mlteach.parameters import ANY, Real
from mlteach.validation import (
    ConvergenceWarning,
    as_array,
    as_matrix,
    as_rng,
    as_vector,
    check_choice,
    check_integer,
    check_number,
)

JITTER = 1e-9  # times the prior variance, added before a covariance of many close points is drawn from
WIDEST = np.log(1e6)  # how far `optimize` may go from the start, in ln theta


class Step(NamedTuple):
    """State of `GaussianProcess.optimize` after one step uphill."""

    kernel: Kernel
    noise_variance: float
    log_evidence: float


class GaussianProcess(Estimator):
    """Regression that keeps a normal law over functions, conditioned on the data.

    Prior       f ~ GP(0, k),  t = f(x) + noise,  noise ~ N(0, sigma^2)
    Posterior   mean(x) = k(x)' C^-1 t,  C = K + sigma^2 I                            (17.10)
                var f(x) = k(x, x) - k(x)' C^-1 k(x);  a new t has sigma^2 more       (17.11)
    Evidence    ln p(t) = -1/2 t' C^-1 t - 1/2 ln|C| - n/2 ln 2 pi                    (17.16)

    The prior mean is zero: centre the targets, or add a kernel that can carry their level.

    Parameters: ``kernel``, an object as in `mlteach.kernels` or any function kernel(X, Y) that returns a Gram matrix;
    ``noise_variance`` sigma^2 >= 0 (with 0 the curve goes through the points, if double precision lets it).

    Attributes: ``alpha_`` (n,) = C^-1 t, ``L_`` (n, n) with L L' = C, ``X_``, ``y_``; ``kernel_`` and
    ``noise_variance_``, as given to `fit` or as found by `optimize`. `optimize` also leaves ``history_``, ``n_iter_``
    and ``converged_``.

    >>> model = GaussianProcess(rbf_kernel(beta=0.5), 0.1).fit([[0], [1], [2], [3]], [0, 1, 4, 9])
    >>> mean, std = model.predict([[1.5]], return_std=True)
    >>> print(f"{mean[0]:.6f} {std[0] ** 2:.6f}")
    2.075027 0.178445
    """

    task, square, params = "regression", True, {"kernel": ANY, "noise_variance": Real(0)}

    def __init__(self, kernel=rbf_kernel(0.5), noise_variance=0.1):  # noqa: B008 (kernels never change)
        self.kernel = kernel
        self.noise_variance = noise_variance

    def learn(self, X, y):
        """Condition the prior on the data; the hyper-parameters stay as they are."""
        # 1. Covariance of the targets, C = K + sigma^2 I
        # 2. Its triangular root, L L' = C
        L = triangle(gram(self.kernel, X), self.noise_variance)
        # 3. alpha = C^-1 t, by two substitutions
        alpha = solve_lower(L, solve_lower(L, y), transposed=True)
        self.X_, self.y_, self.L_, self.alpha_ = X, y, L, alpha
        self.kernel_, self.noise_variance_ = self.kernel, self.noise_variance

    def predict(self, X, return_std=False, *, noise=True):
        """Return the mean for each row of ``X`` (m, d), and with ``return_std`` the standard deviation as well.

        It is the standard deviation of a new target, noise included; ``noise=False`` gives that of f itself.
        """
        X = self._points(X)
        k = self.kernel_(X, self.X_)
        mean = k @ self.alpha_
        if not return_std:
            return mean
        check_choice(noise, "noise", (True, False))
        q = solve_lower(self.L_, k.T)  # k' C^-1 k = |L^-1 k|^2
        variance = np.maximum(diagonal(self.kernel_, X) - np.sum(q**2, axis=0), 0.0)
        return mean, np.sqrt(variance + (self.noise_variance_ if noise else 0.0))

    def sample(self, X, n=1, rng=0):
        """Return ``n`` functions at the rows of ``X`` (m, d), shape (n, m): of the prior before `fit`, else posterior.

        Values of f are drawn, without the noise of a measurement.
        """
        n, rng = check_integer(n, "n", low=1), as_rng(rng)
        if not self.__sklearn_is_fitted__():
            X = as_matrix(X)
            return draw_normal(np.zeros(len(X)), gram(self.kernel, X), n, rng)
        X = self._points(X)
        k, K = self.kernel_(X, self.X_), gram(self.kernel_, X)
        q = solve_lower(self.L_, k.T)
        return draw_normal(k @ self.alpha_, K - q.T @ q, n, rng, scale=np.diag(K).max())

    def log_marginal_likelihood(self):
        """Return ln p(t) of the training targets, the evidence for kernel and noise (17.16)."""
        self._require_fit()
        return terms(self.L_, self.y_).total

    def optimize(self, X=None, y=None, *, max_iter=100, tol=1e-4):
        """Choose kernel and noise of the largest evidence, starting from those given; return self.

        Data are those of `fit` unless ``X`` and ``y`` are given. All positive real numbers in the kernel and the noise
        move, in their logarithms, by BFGS (`mlteach.gaussian_processes.ascent`); there may be several summits, and
        the start decides which one is found. ``kernel`` and ``noise_variance`` themselves stay: see ``kernel_``.
        """
        max_iter, tol = check_integer(max_iter, "max_iter", low=1), check_number(tol, "tol", low=0, open_low=True)
        if X is not None or y is not None:
            self.fit(X, y)
        self._require_fit()
        hill = _Hill(self.kernel_, self.noise_variance_, self.X_, self.y_)
        start = hill.start
        places, converged = climb(
            hill.value, hill.gradient, start, start - WIDEST, start + WIDEST, max_iter=max_iter, tol=tol
        )
        history = [Step(*hill.model(place), hill.value(place)) for place in places]
        if not converged:
            warnings.warn(
                f"optimize stopped after {len(places) - 1} steps before the slope of the evidence fell below {tol:g}; "
                f"raise max_iter or start elsewhere.",
                ConvergenceWarning,
                stacklevel=2,
            )
        best = GaussianProcess(*hill.model(places[-1])).fit(self.X_, self.y_)
        self.L_, self.alpha_ = best.L_, best.alpha_
        self.kernel_, self.noise_variance_ = best.kernel_, best.noise_variance_
        self.history_, self.n_iter_, self.converged_ = history, len(places) - 1, converged
        return self


class _Hill:
    """The evidence as a function of ln theta: the kernel's hyper-parameters, then the noise if it is not zero."""

    def __init__(self, kernel, noise_variance, X, y):
        self.kernel, self.noise_variance, self.data = kernel, noise_variance, (X, y)
        self.names = list(hyperparameters(kernel))
        self.start = np.log([*hyperparameters(kernel).values(), *([noise_variance] if noise_variance else [])])

    def model(self, theta):
        values = [float(v) for v in np.exp(theta)]
        kernel = with_hyperparameters(self.kernel, dict(zip(self.names, values)))
        return kernel, values[-1] if self.noise_variance else 0.0

    def value(self, theta):
        try:
            return log_evidence(*self.model(theta), *self.data).total
        except ValueError:  # no triangular root there: not a place to go
            return -np.inf

    def gradient(self, theta):
        slopes = log_evidence_gradient(*self.model(theta), *self.data)
        return np.array([slopes[name] for name in self.names] + [slopes["noise_variance"]] * bool(self.noise_variance))


def draw_normal(mean, covariance, n, rng, *, scale=None):
    """Return ``n`` draws from N(mean, covariance), (n, m): f = mean + L z with L L' = covariance (17.7).

    A little is added to the diagonal first, 1e-9 times ``scale``, the largest variance by default: nearly equal
    neighbours would leave L without digits. The same draws come out on every machine to about six digits.
    """
    mean, K, n = as_vector(mean, "mean"), as_array(covariance, "covariance"), check_integer(n, "n", low=1)
    if K.shape != (len(mean), len(mean)):
        raise ValueError(f"covariance must have shape ({len(mean)}, {len(mean)}), as mean has it; got {K.shape}.")
    scale = (np.diag(K).max() if scale is None else scale) or 1.0
    z = as_rng(rng).standard_normal((n, len(mean)))
    return mean + z @ triangle(K, JITTER * scale).T


def smooth_kernel(length_scale, variance=1.0):
    """Return the kernel k(x, x') = variance exp(-|x - x'|^2 / (2 length_scale^2)) (17.6).

    >>> smooth_kernel(2.0)([[0.0]], [[2.0]]).round(4).tolist()
    [[0.6065]]
    """
    length_scale = check_number(length_scale, "length_scale", low=0, open_low=True)
    return check_number(variance, "variance", low=0, open_low=True) * rbf_kernel(1 / (2 * length_scale**2))

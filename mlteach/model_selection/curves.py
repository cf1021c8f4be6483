"""Learning curves: training and test error as the number of samples grows (section 24.4)."""

from typing import NamedTuple

import numpy as np

from mlteach.evaluation import error_rate, mse
from mlteach.validation import as_rng, as_vector, check_integer, check_number


class LearningCurve(NamedTuple):
    """Errors on the samples that were learnt from, and on others."""

    sizes: np.ndarray  # (m,)
    train: np.ndarray  # (n_repeats, m)
    test: np.ndarray  # (n_repeats, m)


class ExactCurve(NamedTuple):
    """Expected errors of least squares on Gaussian inputs."""

    train: float
    test: float


def learning_curve(make, X, y, sizes, *, n_repeats=20, test_size=0.3, rng=0, loss=None):
    """Measure training and test error for growing training sets.

    In each repetition a random share ``test_size`` is put aside; the model learns from the first of ``sizes`` of the
    others, then from the next, and so on, and is judged on the same test samples each time.

    Parameters: ``make``, a function that returns a new model; ``X`` with n rows, ``y`` (n,); ``sizes`` (m,) whole
    numbers that rise; ``loss(y, predicted)``, by default `mse` for models whose task is regression, else `error_rate`.

    >>> from mlteach.linear_regression import LinearRegression
    >>> x = np.arange(20.0)[:, None]
    >>> learning_curve(LinearRegression, x, 3 * x[:, 0], [2, 5], n_repeats=2).test.round(6).tolist()
    [[0.0, 0.0], [0.0, 0.0]]
    """
    X, y = np.asarray(X), np.asarray(y)
    if len(X) != len(y):
        raise ValueError(f"y must have one entry per row of X: {len(X)} rows, but y has {len(y)}.")
    n, rng = len(X), as_rng(rng)
    n_repeats = check_integer(n_repeats, "n_repeats", low=1)
    share = check_number(test_size, "test_size", low=0, high=1, open_low=True, open_high=True)
    n_test = max(1, round(share * n))
    sizes = [check_integer(size, "sizes", low=1) for size in np.asarray(sizes).ravel().tolist()]
    if not sizes or sizes != sorted(set(sizes)) or sizes[-1] > n - n_test:
        raise ValueError(
            f"sizes must rise up to at most {n - n_test}, {n} samples without {n_test} for tests; got {sizes}."
        )
    if loss is None:
        loss = mse if getattr(make(), "task", None) == "regression" else error_rate
    train, test = np.empty((n_repeats, len(sizes))), np.empty((n_repeats, len(sizes)))
    for r in range(n_repeats):
        order = rng.permutation(n)
        kept, pool = order[:n_test], order[n_test:]
        for j, size in enumerate(sizes):
            rows = pool[:size]
            model = make().fit(X[rows], y[rows])
            train[r, j] = loss(y[rows], model.predict(X[rows]))
            test[r, j] = loss(y[kept], model.predict(X[kept]))
    return LearningCurve(np.array(sizes), train, test)


def gaussian_curve(weights, d, n, noise_variance):
    """Return the expected errors of least squares on the first ``d`` of independent standard normal inputs.

    t = sum_j w_j x_j + noise. What the model leaves out acts as noise: s^2 = sigma^2 + sum of the other w_j^2. Then
    train = s^2 (1 - d/n),  test = s^2 (1 + d/(n - d - 1))  for n > d + 1;                      (24.4)
    for d > n + 1 the shortest solution passes through every target: train = 0,
    test = |w_1..d|^2 (1 - n/d) + s^2 (1 + n/(d - n - 1)).                                       (24.5)
    In between, n - 1 <= d <= n + 1, the test error has no finite mean. There is no intercept.

    Parameters: ``weights`` (p,), ``d`` from 0 to p, ``n`` samples, ``noise_variance``. Returns `ExactCurve`.

    >>> gaussian_curve([2.0, 1.0], 1, 4, 0.5)  # s^2 = 1.5
    ExactCurve(train=1.125, test=2.25)
    """
    weights = as_vector(weights, "weights")
    d = check_integer(d, "d", low=0, high=len(weights), why="no more inputs than weights")
    n = check_integer(n, "n", low=1)
    s2 = check_number(noise_variance, "noise_variance", low=0) + float(weights[d:] @ weights[d:])
    train = s2 * max(0.0, 1 - d / n)
    if n > d + 1 or d == 0:
        return ExactCurve(train, s2 * (1 + d / (n - d - 1)) if d else s2)
    if d > n + 1:
        return ExactCurve(0.0, float(weights[:d] @ weights[:d]) * (1 - n / d) + s2 * (1 + n / (d - n - 1)))
    return ExactCurve(train, np.inf)

"""Measures of a regression: MAE, MSE, RMSE, R2 and adjusted R2 (section 2.10)."""

import numpy as np

from mlteach.validation import as_array, as_vector, check_integer


def mae(y, predicted):
    """Return the mean absolute error.

    MAE = 1/n sum_i |y_i - predicted_i|

    Parameters: ``y`` and ``predicted``, both (n,) or both (n, k); with k outputs |.| is the length of the vector.

    >>> round(mae([1.5, 2, 5], [1, 2, 3]), 6)
    0.833333
    """
    return _mean(_distances(y, predicted))


def mse(y, predicted):
    """Return the mean squared error.

    MSE = 1/n sum_i |y_i - predicted_i|^2

    Parameters: ``y`` and ``predicted``, both (n,) or both (n, k); with k outputs the squares of all k add up
    (scikit-learn averages them, which gives 1/k of this).

    >>> round(mse([1.5, 2, 5], [1, 2, 3]), 6)
    1.416667
    """
    with np.errstate(over="ignore"):
        squares = _distances(y, predicted) ** 2
    return _mean(squares)


def rmse(y, predicted):
    """Return the root of the mean squared error, in the unit of y.

    RMSE = sqrt(MSE)

    Parameters: ``y`` and ``predicted``, both (n,) or both (n, k).

    >>> round(rmse([1.5, 2, 5], [1, 2, 3]), 6)
    1.190238
    """
    sizes = _distances(y, predicted)
    unit = _finite(sizes.max())  # so that squares of very small or large numbers stay in range
    return float(unit * np.sqrt(np.mean((sizes / unit) ** 2))) if unit else 0.0


def r2_score(y, predicted):
    """Return R2, the share of the variance of y that the predictions explain.

    R2 = 1 - RSS / TSS,  RSS = sum (y - predicted)^2,  TSS = sum (y - mean y)^2

    1 is perfect, 0 is as good as always predicting the mean of y, and worse than that is negative.

    Parameters: ``y`` (n,), not constant, and ``predicted`` (n,).

    >>> r2_score([1, 2, 3], [3, 2, 1])
    -3.0
    """
    y = as_vector(y, "y")
    predicted = as_vector(predicted, "predicted", length=len(y), like="y")
    if (y == y[0]).all():
        raise ValueError(f"R2 compares with the spread of y, but all {len(y)} values of y are {y[0]:g}.")
    with np.errstate(over="ignore", invalid="ignore"):
        unit = np.ptp(y)  # so that squares of very small or large numbers stay in range
        r2 = 1 - np.sum(((y - predicted) / unit) ** 2) / np.sum(((y - y.mean()) / unit) ** 2)
    return _finite(r2)


def adjusted_r2(y, predicted, p):
    """Return R2 with a penalty for the number of predictors, so that a useless one does not raise it on average.

    adjusted R2 = 1 - (1 - R2) (n - 1) / (n - p - 1)

    Parameters: ``y`` (n,), ``predicted`` (n,), and ``p``, the number of predictors of the fitted model, the
    intercept not counted; n > p + 1 samples are needed. With J = p + 1 parameters the divisor is n - J (2.32).

    >>> round(adjusted_r2([2, 3, 5, 4, 6], [2.2, 3.1, 4, 4.9, 5.8], p=1), 6)
    0.746667
    """
    r2 = r2_score(y, predicted)
    n = len(y)
    p = check_integer(p, "p", low=0, high=n - 2, why=f"{n} samples must leave a degree of freedom")
    return 1 - (1 - r2) * (n - 1) / (n - p - 1)


def _distances(y, predicted):
    """Return |y_i - predicted_i| for each sample (n,)."""
    for name, values in (("y", y), ("predicted", predicted)):
        if np.asarray(values).dtype.kind in "US":  # numpy would read "1" as a number
            raise ValueError(f"{name} must hold numbers; it holds text. For labels use error_rate.")
    y, predicted = as_array(y, "y"), as_array(predicted, "predicted")
    if y.ndim not in (1, 2):
        raise ValueError(f"y must have shape (n,) or (n, k); got {y.shape}.")
    if y.shape != predicted.shape:  # (n,) against (n, 1) would broadcast to (n, n)
        raise ValueError(f"y and predicted must have the same shape; got {y.shape} and {predicted.shape}.")
    with np.errstate(over="ignore"):
        return np.abs(y - predicted) if y.ndim == 1 else np.linalg.norm(y - predicted, axis=1)


def _mean(values):
    with np.errstate(over="ignore"):
        return _finite(np.mean(values))


def _finite(value):
    if not np.isfinite(value):
        raise ValueError("the errors are too large for floating-point numbers; change the unit of y.")
    return float(value)

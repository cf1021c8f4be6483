"""Hold-out, k-fold cross-validation, and the comparison of two learners (sections 2.4, 2.5 and 2.7)."""

from typing import NamedTuple

import numpy as np

from mlteach.evaluation._labels import label_array
from mlteach.evaluation.classification import error_rate
from mlteach.evaluation.intervals import Interval
from mlteach.evaluation.regression import mse
from mlteach.validation import as_rng, check_integer, check_number


class Split(NamedTuple):
    """Rows for training and rows kept for the test."""

    X_train: np.ndarray
    X_test: np.ndarray
    y_train: np.ndarray
    y_test: np.ndarray


class Fold(NamedTuple):
    """Indices of one round of cross-validation."""

    train: np.ndarray
    test: np.ndarray


class Comparison(NamedTuple):
    """Errors of two learners on the same k folds."""

    errors_a: np.ndarray  # (k,)
    errors_b: np.ndarray  # (k,)
    deltas: np.ndarray  # (k,) errors_a - errors_b
    mean: float  # of the deltas; negative: A errs less
    low: float  # confidence interval of the mean by Student's t
    high: float

    @property
    def preferred(self):
        """Return "A", "B", or "neither" when the mean difference is 0 up to rounding."""
        rounding = 1e-12 * max(np.abs(self.errors_a).max(), np.abs(self.errors_b).max())
        return "neither" if abs(self.mean) <= rounding else "A" if self.mean < 0 else "B"


def train_test_split(X, y, test_size=0.3, rng=0):
    """Return a random `Split` of the samples: X_train, X_test, y_train, y_test.

    Parameters: ``X`` with n rows, ``y`` with n entries; ``test_size`` in (0, 1), the share of the test set, rounded
    to whole samples; ``rng``, a seed or Generator. Split the training part again for a validation set.

    >>> X_train, X_test, y_train, y_test = train_test_split(np.arange(10), np.arange(10) ** 2)
    >>> print(len(X_train), len(X_test), (X_test**2 == y_test).all())
    7 3 True
    """
    X, y = _samples(X, y)
    test_size = check_number(test_size, "test_size", low=0, high=1, open_low=True, open_high=True)
    n, n_test = len(X), round(test_size * len(X))
    if not 0 < n_test < n:
        raise ValueError(f"test_size {test_size:g} of {n} samples leaves {n - n_test} to train, {n_test} to test.")
    order = as_rng(rng).permutation(n)
    test, train = order[:n_test], order[n_test:]
    return Split(X[train], X[test], y[train], y[test])


def k_fold(n, k=10, rng=0):
    """Return k `Fold` pairs (train, test) of indices; every sample is in exactly one test set.

    Parameters: ``n`` samples, ``k`` folds with 2 <= k <= n, whose sizes differ by at most one; ``rng``, a seed or
    Generator that shuffles the samples. With k = n each test set is a single sample: leave-one-out.

    >>> for train, test in k_fold(5, 2):
    ...     print(len(train), len(test))
    2 3
    3 2
    """
    n = check_integer(n, "n", low=2)
    k = check_integer(k, "k", low=2, high=n, why="no more folds than samples")
    # 1. Shuffle the samples and cut them into k folds
    parts = np.array_split(as_rng(rng).permutation(n), k)
    return [Fold(np.setdiff1d(np.arange(n), test), np.sort(test)) for test in parts]


def stratified_k_fold(y, k=10, rng=0):
    """Return k `Fold` pairs in which every class has nearly the same share as in ``y``.

    Parameters: ``y`` (n,) labels; ``k`` and ``rng`` as in `k_fold`. Each class is dealt out in turn, so the folds hold
    equally many of it, or one more. A class with fewer than k samples is missing in some of them.

    >>> y = np.array(["ill"] * 4 + ["well"] * 8)
    >>> [y[test].tolist().count("ill") for _, test in stratified_k_fold(y, 4)]
    [1, 1, 1, 1]
    """
    y = label_array(y, "y")
    n = len(y)
    k = check_integer(k, "k", low=2, high=n, why="no more folds than samples")
    # 1. Shuffle the samples, then put each class together
    order = as_rng(rng).permutation(n)
    order = order[np.argsort(np.unique(y, return_inverse=True)[1][order], kind="stable")]
    # 2. Deal them out like cards: every k-th sample goes to the same fold
    parts = [order[i::k] for i in range(k)]
    return [Fold(np.setdiff1d(np.arange(n), test), np.sort(test)) for test in parts]


def fold_errors(make, X, y, folds, *, loss=None):
    """Return the errors of models that are each trained and tested on one `Fold`.

    Parameters: ``folds``, a list of (train, test) as from `k_fold`; the others as in `cross_val_error`.

    >>> from mlteach.linear_regression import LinearRegression
    >>> print(fold_errors(LinearRegression, [[1], [2], [3]], [1, 2, 4], [([0, 1], [2])]).round(6))
    [1.]
    """
    X, y = _samples(X, y)
    loss, errors = _chosen_loss(loss, y, make=make), []
    # 2. For each fold learn from all the others and measure on it
    for i, (train, test) in enumerate(folds, start=1):
        h = _fit(make(), X[train], y[train], i, len(folds))
        errors.append(loss(y[test], h.predict(X[test])))
    return _checked_errors(errors)


def cross_val_errors(make, X, y, k=10, rng=0, *, loss=None):
    """Return the errors (k,) of k models, each trained without its fold and tested on it.

    delta_i = error of h_i on S_i,  h_i = L(D without S_i)

    Parameters as in `cross_val_error`.

    >>> from mlteach.linear_regression import LinearRegression
    >>> print(cross_val_errors(LinearRegression, [[1], [2], [3], [4]], [1, 2, 3, 4], k=2).round(6))
    [0. 0.]
    """
    X, y = _samples(X, y)
    return fold_errors(make, X, y, k_fold(len(X), k, rng), loss=loss)


def cross_val_error(make, X, y, k=10, rng=0, *, loss=None):
    """Return the k-fold cross-validation estimate of a learner's error: the mean over its folds.

    error = 1/k sum_i delta_i,  delta_i as in `cross_val_errors`

    Parameters: ``make``, a function that returns a new model with ``fit(X, y)`` and ``predict(X)``; ``X`` with n
    rows, ``y`` (n,); ``k`` folds and ``rng`` as in `k_fold`; ``loss(y, predicted)``, by default `mse` for models
    whose task is regression and `error_rate` for the others.

    >>> from mlteach.linear_regression import LinearRegression
    >>> X, y = [[1], [2], [3], [4], [5]], [2, 3, 5, 4, 6]
    >>> round(cross_val_error(LinearRegression, X, y, k=5), 6)
    0.747194
    """
    # 3. Return the mean of the k errors
    return float(np.mean(cross_val_errors(make, X, y, k, rng, loss=loss)))


def compare_learners(make_a, make_b, X, y, k=10, rng=0, *, loss=None, confidence=0.95):
    """Compare two learners on the same k folds and return the `Comparison`.

    delta_i = error_A,i - error_B,i;  mean +- t_(k-1) sqrt(sum (delta_i - mean)^2 / (k (k - 1)))

    A is preferred when the mean is negative. The folds are not independent, so the interval is only approximate.

    Parameters: ``make_a`` and ``make_b``; the others as in `cross_val_error`; ``confidence`` in (0, 1).

    >>> from mlteach.linear_regression import LinearRegression, LMSRegressor
    >>> X, y = [[1], [2], [3], [4], [5]], [2, 3, 5, 4, 6]
    >>> slow = lambda: LMSRegressor(learning_rate=0.001, epochs=5, tol=0)
    >>> compare_learners(slow, LinearRegression, X, y, k=5).preferred
    'B'
    """
    from scipy.special import stdtrit

    X, y = _samples(X, y)
    confidence = check_number(confidence, "confidence", low=0, high=1, open_low=True, open_high=True)
    # 1. The same folds for both learners
    folds = k_fold(len(X), k, rng)
    # 2. Train both on each training part, test both on its fold
    loss = _chosen_loss(loss, y, make_a=make_a, make_b=make_b)
    errors_a, errors_b = (fold_errors(make, X, y, folds, loss=loss) for make in (make_a, make_b))
    # 3. Average the paired differences
    deltas = errors_a - errors_b
    mean = float(deltas.mean())
    half = float(-stdtrit(k - 1, (1 - confidence) / 2) * deltas.std(ddof=1) / np.sqrt(k))
    return Comparison(errors_a, errors_b, deltas, mean, mean - half, mean + half)


def corrected_interval(deltas, n_train, n_test, confidence=0.95):
    """Return the `Interval` of Nadeau and Bengio for the mean difference of two learners over repeated hold-outs.

    mean +- t_(r-1) s sqrt(1/r + n_test/n_train),  s^2 = sum (delta_i - mean)^2 / (r - 1)

    The r random splits share their samples, so that the naive 1/r is far too small; the second term takes the
    correlation of two differences to be the share of the test part. A rule of thumb, often on the long side.

    Parameters: ``deltas`` (r,), one paired difference for each split, r >= 2; ``n_train`` and ``n_test``, the sizes of
    the two parts; ``confidence`` in (0, 1).

    >>> low, high = corrected_interval([0.01, 0.03, 0.02, 0.04], 379, 190)
    >>> round(low, 4), round(high, 4)
    (-0.0106, 0.0606)
    """
    from scipy.special import stdtrit

    deltas = _rows(deltas, "deltas")
    if deltas.ndim != 1 or len(deltas) < 2 or deltas.dtype.kind not in "biuf":
        raise ValueError(f"deltas must hold at least two numbers in one row; got shape {deltas.shape}.")
    n_train, n_test = check_integer(n_train, "n_train", low=1), check_integer(n_test, "n_test", low=1)
    confidence = check_number(confidence, "confidence", low=0, high=1, open_low=True, open_high=True)
    r, mean = len(deltas), float(deltas.mean())
    half = float(-stdtrit(r - 1, (1 - confidence) / 2) * deltas.std(ddof=1) * np.sqrt(1 / r + n_test / n_train))
    return Interval(mean - half, mean + half)


def _fit(model, X, y, i, k):
    try:
        model.fit(X, y)
    except ValueError as error:
        raise ValueError(f"training without fold {i} of {k} failed: {error}") from error
    return model


def _checked_errors(errors):
    if np.shape(errors) != (len(errors),):
        raise ValueError(f"loss must return one number for a fold; it returned shape {np.shape(errors[0])}.")
    errors = np.array(errors, dtype=float)
    if np.isnan(errors).any():
        raise ValueError(f"loss must return a number; it is nan on fold {int(np.argmax(np.isnan(errors))) + 1}.")
    return errors


def _chosen_loss(loss, y, **makers):
    """Check the functions that make models; return ``loss``, or the one that suits their task."""
    models = [_new_model(make, name) for name, make in makers.items()]
    if loss is not None:
        if not callable(loss):
            raise ValueError(f"loss must be a function loss(y, predicted), such as mse or error_rate; got {loss!r}.")
        return loss
    tasks = [getattr(model, "task", None) for model in models]
    if None in tasks and y.dtype.kind == "f" and (y != np.round(y)).any():
        raise ValueError("y holds fractions, so it looks like regression: pass loss=mse (or loss=error_rate).")
    defaults = {mse if task == "regression" else error_rate for task in tasks}
    if len(defaults) > 1:
        raise ValueError("one learner is for regression and the other is not: pass the loss that judges both.")
    return defaults.pop()


def _new_model(make, name):
    model = make() if callable(make) else None
    if not (callable(getattr(model, "fit", None)) and callable(getattr(model, "predict", None))):
        given = f"{name}() gave {model!r}" if callable(make) else f"got {make!r}"
        raise ValueError(f"{name} must be a function that returns a new model, as in {name}=lambda: Model(); {given}.")
    return model


def _samples(X, y):
    """Return inputs and targets as arrays with one row per sample; text and mixed rows keep their values."""
    X, y = _rows(X, "X"), _rows(y, "y")
    if len(X) != len(y):
        raise ValueError(f"y must have one entry per row of X: {len(X)} rows, but y has {len(y)}.")
    return X, y


def _rows(values, name):
    try:
        array = np.asarray(values)
    except ValueError as error:
        raise ValueError(f"{name} must have rows of equal length; numpy says: {error}.") from None
    if array.ndim == 0 or array.size == 0:
        raise ValueError(f"{name} must hold at least one sample; got shape {array.shape}.")
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        where = ", ".join(map(str, np.argwhere(~np.isfinite(array))[0]))
        raise ValueError(f"{name} must be finite; {name}[{where}] is not.")
    if array.dtype.kind == "U" and not isinstance(values, np.ndarray):
        kept = np.array(values, dtype=object)  # numpy turned a 3 among text into "3"
        array = array if all(isinstance(value, str) for value in kept.flat) else kept
    return array

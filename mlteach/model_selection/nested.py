"""Choosing by cross-validation, and judging the choice by a second one around it (section 24.10)."""

from typing import NamedTuple

import numpy as np

from mlteach.evaluation import error_rate, fold_errors, k_fold, mse
from mlteach.validation import as_rng, check_integer


class Choice(NamedTuple):
    """Candidates judged on the same folds."""

    best: object  # name of the candidate with the least mean error
    names: list
    errors: np.ndarray  # (m,) mean over the folds
    stderrs: np.ndarray  # (m,) standard error of that mean, the folds taken as independent
    flat: float  # the least of ``errors``: too kind as an estimate, for it was chosen


class NestedCV(NamedTuple):
    """Errors of the procedure "choose by cross-validation, then fit"."""

    errors: np.ndarray  # (k,) on the outer folds
    chosen: list  # what was chosen without each outer fold
    error: float  # mean of ``errors``


def choose_by_cv(makes, X, y, k=5, rng=0, *, loss=None):
    """Judge each candidate on the same k folds, and name the best; of equals the first.

    Parameters: ``makes``, a dict from names to functions that return a new model, or a list of such functions, from the
    simplest; ``X``, ``y``, ``k``, ``rng``, ``loss`` as in `cross_val_error`.

    >>> from mlteach.nearest_neighbors import KNNRegressor
    >>> X = np.arange(12.0)[:, None]
    >>> choose_by_cv({K: lambda K=K: KNNRegressor(K) for K in (8, 4, 2)}, X, X[:, 0]).best
    2
    """
    makes = _candidates(makes)
    X, y = np.asarray(X), np.asarray(y)
    folds = k_fold(len(X), k, rng)
    table = np.array([fold_errors(make, X, y, folds, loss=loss) for make in makes.values()])
    errors, names = table.mean(axis=1), list(makes)
    best = int(np.argmax(errors <= errors.min() + 1e-12 * abs(errors.min())))
    return Choice(names[best], names, errors, table.std(axis=1, ddof=1) / np.sqrt(k), float(errors[best]))


def nested_cv(makes, X, y, k=5, inner=5, rng=0, *, loss=None):
    """Judge the whole procedure "choose by cross-validation, then fit" on folds that the choice has not seen.

    For each of ``k`` outer folds: 1. choose among ``makes`` by ``inner`` folds of the other samples; 2. fit the chosen
    one to all of these; 3. measure it on the outer fold. It judges the procedure and returns no model: for one to use,
    run the choice on all samples. Costs k (inner m + 1) fits for m candidates. Parameters as in `choose_by_cv`.

    >>> from mlteach.nearest_neighbors import KNNRegressor
    >>> X = np.arange(12.0)[:, None]
    >>> nested_cv({K: lambda K=K: KNNRegressor(K) for K in (5, 3, 2)}, X, X[:, 0], k=3, inner=4).chosen
    [2, 2, 2]
    """
    makes, rng = _candidates(makes), as_rng(rng)
    X, y = np.asarray(X), np.asarray(y)
    check_integer(inner, "inner", low=2)
    errors, chosen = [], []
    for train, test in k_fold(len(X), k, rng):
        choice = choose_by_cv(makes, X[train], y[train], inner, rng, loss=loss)
        errors.append(fold_errors(makes[choice.best], X, y, [(train, test)], loss=loss)[0])
        chosen.append(choice.best)
    return NestedCV(np.array(errors), chosen, float(np.mean(errors)))


class Screened:
    """A learner that first keeps the columns that look best, then fits: selection as a part of fitting.

    Parameters: ``make``, a function that returns a new model; ``rank(X, y)``, a function that returns the columns, the
    best first, such as `pearson_ranking`; ``k`` columns to keep.

    Attributes: columns_, the kept ones; model_.

    >>> from mlteach.linear_regression import LinearRegression
    >>> from mlteach.model_selection import pearson_ranking
    >>> Screened(LinearRegression, pearson_ranking, 1).fit([[0, 1], [3, 0], [1, 1]], [0, 3, 1]).columns_
    [0]
    """

    def __init__(self, make, rank, k):
        self.make, self.rank, self.k = make, rank, k
        self.task = getattr(make(), "task", None)

    def fit(self, X, y):
        """Choose columns from these samples alone, and fit the model to them."""
        X = np.asarray(X)
        k = check_integer(self.k, "k", low=1, high=X.shape[1], why=f"X has {X.shape[1]} columns")
        self.columns_ = list(self.rank(X, y))[:k]
        self.model_ = self.make().fit(X[:, self.columns_], y)
        return self

    def predict(self, X):
        """Return what the model says about the kept columns."""
        return self.model_.predict(np.asarray(X)[:, self.columns_])


class OneColumn:
    """A classifier for the labels 0 and 1 that asks on which side of a middle one column lies.

    The middle is half way between the means of both classes. Where one class is missing, its mean counts as 0.

    Attributes: middle_, rising_ (whether class 1 lies above it).

    >>> OneColumn(1).fit([[7, 0], [7, 2], [7, 6]], [0, 0, 1]).predict([[0, 3], [0, 4]])
    array([0, 1])
    """

    def __init__(self, j):
        self.j = j

    def fit(self, X, y):
        """Find the middle between the class means."""
        x, y = np.asarray(X)[:, self.j], np.asarray(y)
        low, high = (x[y == c].mean() if (y == c).any() else 0.0 for c in (0, 1))
        self.middle_, self.rising_ = (low + high) / 2, bool(high >= low)
        return self

    def predict(self, X):
        """Return 0 or 1 for each row."""
        return ((np.asarray(X)[:, self.j] > self.middle_) == self.rising_).astype(int)


def judge(model, X, y):
    """Return the error of a fitted model on these samples: `mse` if its task is regression, else `error_rate`.

    >>> from mlteach.linear_regression import LinearRegression
    >>> judge(LinearRegression().fit([[0], [1]], [0, 1]), [[2]], [5])
    9.0
    """
    loss = mse if getattr(model, "task", None) == "regression" else error_rate
    return loss(y, model.predict(X))


def _candidates(makes):
    if callable(makes) or not hasattr(makes, "__len__") or len(makes) == 0:
        raise ValueError(f"makes must be a dict or list of functions that return a new model; got {makes!r}.")
    return dict(makes) if hasattr(makes, "keys") else dict(enumerate(makes))

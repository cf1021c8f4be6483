"""What all estimators share: ``fit`` around their ``learn``, parameters and scores, the features they know."""

import copy
import inspect
import warnings
from dataclasses import fields, is_dataclass, replace
from functools import cache

import numpy as np

from mlteach.clients import KINDS, Client, Frames
from mlteach.history import MOST_BYTES, History, kept
from mlteach.numerics import check_range, constant_columns
from mlteach.parameters import read_params
from mlteach.threads import threads_for
from mlteach.validation import (
    ConvergenceWarning,
    as_array,
    as_categories,
    as_labels,
    as_matrix,
    as_names,
    as_two_classes,
    as_vector,
    column_names,
    not_fitted,
)

EXTREME = 1e290  # sums of larger numbers, and one over smaller ones, leave the range of a double
WITHOUT_Y = (None, "cluster", "transform")  # tasks whose ``learn`` has no y


class Model:
    """What learns: hyper-parameters live under their constructor names, learned state ends in ``_``.

    A class declares what its parameters may be (`mlteach.parameters`) and has a ``learn``, the algorithm of the
    lecture. ``fit`` does the rest. ``learn(X, y)``, or ``learn(X)`` for a task without y, gets a float matrix X (n, d)
    and y as its task has it: numbers, the indices of the classes in ``classes_``, or -1 and +1 for two classes. Inside,
    ``self.tol`` is a float and ``self.rng`` a Generator. It stores what it has learned under names that end in ``_``;
    of ``history_`` and ``converged_``, if it sets them, ``fit`` makes ``n_iter_`` and what ``history=False`` leaves.

    >>> from mlteach.parameters import Real
    >>> class Mean(Model):
    ...     params = {"shrink": Real(0, 1)}
    ...     def __init__(self, shrink=0):
    ...         self.shrink = shrink
    ...     def learn(self, X):
    ...         self.mean_ = (1 - self.shrink) * X.mean(axis=0)
    >>> Mean(shrink=0.5).fit([[1, 2], [3, 6]]).mean_.tolist()
    [1.0, 2.0]
    >>> Mean(shrink=2).fit([[1, 2], [3, 6]])
    Traceback (most recent call last):
    ValueError: shrink must be at least 0 and at most 1; got 2.
    """

    task = None  # what it learns: a key of KINDS; "binary" is for two classes, "classification" for any number
    inputs = "numbers"  # what it learns from; also "counts" (not negative), "switches" (0 and 1), "categories"
    params = {}  # what the parameters may be, by name; see mlteach.parameters
    largest = None  # a bound on the numbers in X, where their products must stay inside the range of a double
    any_size = False  # whether numbers are only compared, so that those at the ends of the range will do
    more_classes = ""  # for two classes: what takes more of them
    square = False  # whether its matrices have a row and a column for each sample

    def fit(self, X, y=None):
        """Read the data, check the parameters, `learn`, and warn where the run gives a reason to; return self."""
        return self._fit(X, y)

    def _fit(self, X, y=None, *, feature_names=None, **extras):
        """Fit as above; ``extras`` are further arguments of ``learn``."""
        given = self.get_params(deep=False)
        # 1. A new model learns: it knows nothing of the past, and if it fails this one stays as it was
        new = object.__new__(type(self))
        vars(new).update(given)
        # 2. Read the data and the parameters
        names, X = column_names(X), new._read_points(X)
        d, names = (X.shape[1], names) if isinstance(X, np.ndarray) else (1, None)
        new._keep_features(d, names if feature_names is None else as_names(feature_names, d))
        vars(new).update(read_params(self.params, given, X))
        data = (X,) if new.task in WITHOUT_Y else (X, new._read_targets(y, len(X)))
        new._check_data(*data)
        # 3. Learn, and take over what was learned
        with threads_for(len(X), len(X) if new.square else d):
            new.learn(*data, **extras)
        thinned = new._keep_history()
        words = list(new.advice(*data))
        for name in [name for name in vars(self) if name.endswith("_")]:
            delattr(self, name)
        vars(self).update(vars(new) | given)
        for text in words:
            warnings.warn(text, ConvergenceWarning, stacklevel=3)
        if thinned:
            warnings.warn(thinned, UserWarning, stacklevel=3)
        return self

    def advice(self, *data):
        """Yield what the user should be told after ``learn(*data)``, such as that it has not converged."""
        return ()

    def _check_data(self, *data):
        """Refuse data that can be read, but not learned from."""

    def _read_targets(self, y, n):
        """Return ``y`` for ``learn``, one entry for each of the n samples; keep the classes."""
        if self.task == "regression":
            return as_vector(y, length=n)
        if self.task == "binary":
            self.classes_, y = as_two_classes(y, type(self).__name__, self.more_classes, length=n)
        else:
            self.classes_, y = as_labels(y, length=n)
        return y

    def _keep_history(self):
        """Keep what the parameter ``history`` wants of the run; return words where it wants too much."""
        words = ""
        if hasattr(self, "history_") and hasattr(self, "history"):
            run = self.history_
            if not hasattr(self, "n_iter_"):
                self.n_iter_ = run.n_steps if isinstance(run, History) else len(run) - 1
            self.history_ = kept(run, self.history)
            if self.history and len(self.history_) <= self.n_iter_:
                words = (
                    f"history_ holds {len(self.history_):,} of the {self.n_iter_ + 1:,} records, evenly spread: all of "
                    f"them would take more than {MOST_BYTES >> 20} MB. history=False keeps the first and the last."
                )
        if hasattr(self, "converged_"):
            self.converged_ = bool(self.converged_)
        return words

    def get_params(self, deep=True):
        """Return the hyper-parameters as a dict.

        ``deep`` adds those of models inside, as in ``make__C``, and of kernels, as in ``kernel__beta``; and ``rng`` a
        second time as ``random_state``, the name under which scikit-learn's ensembles look for a seed.
        """
        params = {name: getattr(self, name) for name in _defaults(type(self))}
        if deep:
            for name, value in list(params.items()):
                params |= {f"{name}__{inner}": v for inner, v in _inner_params(value).items()}
            if "rng" in params:
                params["random_state"] = params["rng"]
        return params

    def set_params(self, **params):
        """Set hyper-parameters by name and return self; what was learned stays until the next ``fit``."""
        known = _defaults(type(self))
        for given, value in params.items():
            if given.endswith("random_state") and given.removesuffix("random_state") + "rng" in params:
                continue  # the second name of what stands there under its first, as `get_params` has both
            name, _, inner = given.partition("__")
            name = "rng" if given == "random_state" and "rng" in known else name
            if name not in known or (inner and not _has_inner(getattr(self, name), inner)):
                wrong = f"{name}__{inner}" if inner else name
                raise ValueError(f"{type(self).__name__} has no parameter {wrong!r}; it has {', '.join(known)}.")
            setattr(self, name, _with_inner(getattr(self, name), inner, value) if inner else value)
        return self

    def _keep_features(self, n_features, names):
        """Remember the features that the model learns from."""
        vars(self).pop("feature_names_in_", None)
        self.n_features_in_ = n_features
        if names is not None:
            self.feature_names_in_ = names

    def _points(self, X):
        """Return ``X`` (n, d) if the model is fitted and X has the features of ``fit``."""
        self._require_fit()
        names, known = column_names(X), getattr(self, "feature_names_in_", None)
        if names is not None and known is not None and names.tolist() != known.tolist():
            raise ValueError(
                f"X must have the columns of fit in their order, {_listed(known)}; got {_listed(names)}. "
                f"Use X[model.feature_names_in_]."
            )
        return self._read_points(X)

    def _read_points(self, X):
        """Return ``X`` in the form that the model computes with, in ``fit`` and after it."""
        n_features = getattr(self, "n_features_in_", None)
        if self.inputs == "categories":
            return as_categories(X, n_features=n_features)
        X = as_matrix(X, n_features=n_features)
        if n_features is None and not self.any_size:
            check_range(X, "X", largest=EXTREME)
            if self.largest:
                check_range(X.ravel(), "X", largest=self.largest)
        return X

    def _require_fit(self):
        if not self.__sklearn_is_fitted__():
            raise not_fitted(f"{type(self).__name__} has not been fitted; call fit first.")

    def __sklearn_is_fitted__(self):
        return hasattr(self, "n_features_in_")

    def __repr__(self):
        shown = [
            f"{name}={getattr(self, name)!r}"
            for name, default in _defaults(type(self)).items()
            if repr(getattr(self, name)) != repr(default)
        ]
        return f"{type(self).__name__}({', '.join(shown)})"


class Estimator(Client, Model):
    """Base of every model that scikit-learn knows what to do with (`mlteach.clients`): it has a task and a score.

    >>> from mlteach.linear_regression import LMSRegressor
    >>> LMSRegressor(learning_rate=0.5)
    LMSRegressor(learning_rate=0.5)
    """

    def score(self, X, y, sample_weight=None):
        """Return how good the predictions for ``X`` are, 1 at best: accuracy, or R2 = 1 - RSS / TSS (2.31).

        For k outputs it is the mean of their R2. Where y is constant there is no spread to explain: the score is 1 for
        predictions without error, else 0, as in scikit-learn. ``sample_weight`` (n,) says how much each sample counts.
        """
        predicted = self.predict(X)
        if KINDS[self.task] == "classifier":
            classes, index = as_labels(y, length=len(predicted), min_classes=1)
            _expect_kind(classes[0], predicted[0])
            return float(np.average(predicted == classes[index], weights=_shares(sample_weight, len(index))))
        y = as_array(y, "y")
        if y.shape != predicted.shape:
            raise ValueError(f"y must have the shape of the predictions, {predicted.shape}; got {y.shape}.")
        if len(y) < 2:
            raise ValueError("R2 compares with the spread of y, but there is only one value of y.")
        w = _shares(sample_weight, len(y))
        if w is not None:
            y, predicted, w = y[w > 0], predicted[w > 0], w[w > 0].reshape(-1, *[1] * (y.ndim - 1))
        constant = constant_columns(y)
        unit = np.where(constant, np.abs(y).max(axis=0), np.ptp(y, axis=0))
        unit = np.where(unit > 0, unit, 1.0)  # so that no square leaves the range of a double
        mean = y.mean(axis=0) if w is None else (w * y).sum(axis=0) / w.sum()
        rss, tss = (np.sum((1 if w is None else w) * (e / unit) ** 2, axis=0) for e in (y - predicted, y - mean))
        r2 = 1 - rss / np.where(constant, 1.0, tss)
        return float(np.mean(np.where(constant, rss == 0, r2)))


class Transformer(Frames, Estimator):
    """Base of the models with ``transform``."""

    def fit_transform(self, X, y=None):
        """Fit, then transform the same points."""
        return self.fit(X, y).transform(X)


def is_model(thing):
    """Return True for an object with scikit-learn's protocol, of this package or another; not for a class."""
    return hasattr(thing, "get_params") and hasattr(thing, "fit") and not isinstance(thing, type)


def fresh(model):
    """Return a new model with the same hyper-parameters that has learned nothing.

    >>> from mlteach.svm import SVC
    >>> fresh(SVC(C=3).fit([[0], [1]], ["no", "yes"]))
    SVC(C=3)
    """
    params = model.get_params(deep=False)
    return type(model)(**{name: fresh(v) if is_model(v) else copy.deepcopy(v) for name, v in params.items()})


def new_model(make, others=(), *, name="make", kind="classifier", rng=None):
    """Return a model that ``others`` does not hold yet from ``make``, a model to copy or a function.

    A copy that draws random numbers gets a seed of its own from ``rng``: equal seeds would make equal members.
    """
    if is_model(make):
        model, verb = fresh(make), "be"
        if rng is not None and "rng" in model.get_params(deep=False):
            model.set_params(rng=int(rng.integers(2**31)))
    elif callable(make):
        model, verb = make(), "give"
    else:
        raise ValueError(f"{name} must be a {kind}, or a function that returns a new one; got {make!r}.")
    methods = not isinstance(model, type) and all(callable(getattr(model, part, None)) for part in ("fit", "predict"))
    wrong = ("regression",) if kind == "classifier" else ("binary", "classification")
    example = "SVC()" if kind == "classifier" else "Ridge()"
    if not methods or getattr(model, "task", None) in wrong:
        raise ValueError(f"{name} must {verb} a {kind} with fit and predict, such as {example}; got {model!r}.")
    if any(model is other for other in others):
        raise ValueError(
            f"make() must return a new model each time; it gave one twice. Give the model itself: {model!r}."
        )
    return model


def _inner_params(value):
    """Return the parameters of a model, or of an object that never changes, such as a kernel; {} for all else."""
    if is_model(value):
        return value.get_params()
    if not _is_record(value):
        return {}
    own = {f.name: getattr(value, f.name) for f in fields(value)}
    return own | {f"{name}__{inner}": v for name, part in own.items() for inner, v in _inner_params(part).items()}


def _has_inner(value, inner):
    """Say whether ``inner`` may be set in a parameter's value; a model says so itself."""
    return is_model(value) or inner in _inner_params(value)


def _with_inner(value, inner, new):
    """Return the value of a parameter with one of its own set: the same model, or a new record."""
    if is_model(value):
        return value.set_params(**{inner: new})
    name, _, inner = inner.partition("__")
    return replace(value, **{name: _with_inner(getattr(value, name), inner, new) if inner else new})


def _is_record(value):
    return is_dataclass(value) and not isinstance(value, type)


def _shares(sample_weight, n):
    """Return the weight of each of n samples, None if all are equal."""
    if sample_weight is None:
        return None
    w = as_vector(sample_weight, "sample_weight", length=n)
    if w.min() < 0 or w.max() == 0:
        raise ValueError("sample_weight must not be negative, and not 0 for all samples.")
    return w / w.max()


def _expect_kind(label, known):
    """Refuse text where the classes are numbers, and the like: no prediction could be right."""
    kinds = str, bytes, np.datetime64, object
    ours, theirs = (next(kind for kind in kinds if isinstance(value, kind)) for value in (known, label))
    if ours is not theirs:
        known, label = (value.item() if isinstance(value, np.generic) else value for value in (known, label))
        raise ValueError(f"y must hold labels of the type of fit, such as {known!r}; got {label!r}.")


@cache
def _defaults(cls):
    parameters = list(inspect.signature(cls.__init__).parameters.values())[1:]
    return {p.name: p.default for p in parameters}


def _listed(names):
    shown = ", ".join(map(repr, names[:5].tolist()))
    return shown + (f", ... ({len(names)} in all)" if len(names) > 5 else "")

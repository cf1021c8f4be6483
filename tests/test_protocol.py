"""One battery that every estimator of the course passes, in its own words and in scikit-learn's.

An estimator is found by itself; its ``task`` and its ``inputs`` say on which data it is tested. For a new kind of task
add an entry to TASKS, for a new kind of inputs one to INPUTS, and for a required parameter that is not known here one
to REQUIRED.
"""

import copy
import importlib
import inspect
import pickle
import pkgutil
import re
import sys
import warnings
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import sklearn.exceptions
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.ensemble import VotingClassifier, VotingRegressor
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler, StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from sklearn.utils.estimator_checks import estimator_checks_generator

import mlteach
from mlteach.base import KINDS, Estimator
from mlteach.generative_classifiers import GaussianDiscriminant, GaussianNaiveBayes
from mlteach.kernels import linear_kernel, polynomial_kernel, rbf_kernel, sigmoid_kernel
from mlteach.linear_classification import OneVsOne, OneVsRest, Perceptron
from mlteach.linear_regression import LinearRegression, LMSRegressor
from mlteach.logistic_regression import Poisson, SoftmaxRegression
from mlteach.optimization import inverse_sqrt_decay, linear_decay
from mlteach.regularization import BayesianLinearRegression, Ridge
from mlteach.svm import DAGSVM, SVC, NuSVC
from mlteach.validation import ConvergenceWarning, NotFittedError

SURFACE = {"explore", "exercises", "plots", "notebooks", "publish"}

# Parameters without a default: what the battery gives for them, or for those of one class
REQUIRED = {
    "BaggingClassifier.make": lambda: SoftmaxRegression(lam=0.1),
    "BaggingRegressor.make": lambda: Ridge(0.1),
    "make": lambda: SVC(),
    "models": lambda: [SoftmaxRegression(lam=0.1), GaussianNaiveBayes(), GaussianDiscriminant()],
}

# A second value for each parameter that names no number: it must not change a fitted model either
OTHER = {
    "kernel": rbf_kernel(3.0),
    "make": Perceptron(),
    "solver": "other",
    "family": Poisson(),
    "threshold": "mean",
    "batch_size": 7,
    "n_components": 1,
    "models": [Perceptron()],
    "max_features": 1,
}

# A tree draws staircases along the battery's slanted boundaries, and a mean of neighbours lags behind a slope: they
# must do as well as scikit-learn's on the same folds
TWINS = {
    "DecisionTreeClassifier": DecisionTreeClassifier(random_state=0),
    "DecisionTreeRegressor": DecisionTreeRegressor(random_state=0),
    "KNNRegressor": KNeighborsRegressor(),
}

# Checks of scikit-learn that no estimator here passes, on purpose, or one of them does not
REFUSED = {
    "check_supervised_y_2d": "y of shape (n, 1) is refused with a remedy, not flattened with a warning; "
    "LinearRegression takes it as one column of targets",
    "check_dtype_object": "what is no number is a ValueError here, as every other refusal is, not a TypeError",
    "check_n_features_in_after_fitting": "wrong numbers of features are refused in our words (test below)",
    "check_fit2d_predict1d": "a single point is refused with the expression that mends it (test below)",
    "check_classifier_not_supporting_multiclass": "a third class is refused with the name of what takes three",
    "MultinomialNaiveBayes-check_decision_proba_consistency": "the check overlooks the tag positive_only and hands "
    "over negative counts (test_generative_classifiers.py has the same check with counts)",
}

# Checks that would do no more than skip: they need pandas, or scipy's array API switched on
UNINSTALLED = {
    "check_array_api_input",
    "check_classifier_data_not_an_array",
    "check_regressor_data_not_an_array",
    "check_sample_weights_pandas_series",
}


def estimators(*tasks):
    """Return every estimator class that an algorithm module offers, once; with ``tasks``, those of these tasks."""
    found = {}
    for module in pkgutil.iter_modules(mlteach.__path__):
        if module.name not in SURFACE:
            for name, thing in vars(importlib.import_module(f"mlteach.{module.name}")).items():
                if inspect.isclass(thing) and issubclass(thing, Estimator) and thing.__module__ != "mlteach.base":
                    if not name.startswith("_"):
                        found[thing.__name__] = thing
    assert all(cls.task in TASKS for cls in found.values()), [cls for cls in found.values() if cls.task not in TASKS]
    return [found[name] for name in sorted(found) if not tasks or found[name].task in tasks]


def make(cls, **params):
    """Return an instance with default parameters; a learner that combines others gets those of REQUIRED."""
    required = [p.name for p in list(inspect.signature(cls.__init__).parameters.values())[1:] if p.default is p.empty]
    given = {name: REQUIRED.get(f"{cls.__name__}.{name}", REQUIRED.get(name)) for name in required}
    return cls(**{name: value() for name, value in given.items()} | params)


def points(rng):
    return rng.normal(size=(60, 2)) @ np.array([[1.3, 0.4], [0.0, 0.7]])


def score(X, rng):
    return X @ np.array([1.0, -2.0]) + 0.3 + 0.4 * rng.normal(size=60)


def sectors(X, rng):
    # Three sectors around the origin: classes in a row would be unfair, a linear machine can mask the middle one
    towards = np.array([[1.0, -0.5, -0.5], [0.2, 1.0, -1.2]])
    return np.argmax(X @ towards + 0.1 * rng.normal(size=(60, 3)), axis=1)


TASKS = {  # y for the points X; None where the task has no y
    "regression": score,
    "binary": lambda X, rng: np.where(score(X, rng) > 0, 1, -1),
    "classification": sectors,
    "cluster": lambda X, rng: None,
    "transform": lambda X, rng: None,
}


INPUTS = {  # X for models that take no measured numbers: made from the classes y
    "numbers": lambda X, y, rng: X,
    "counts": lambda X, y, rng: rng.poisson(np.array([[40, 4], [20, 20], [4, 40]])[y]),
    "switches": lambda X, y, rng: 1 * (rng.random((60, 2)) < np.array([[0.97, 0.05], [0.05, 0.97], [0.03, 0.03]])[y]),
    "categories": lambda X, y, rng: np.where(
        rng.random((60, 2)) < 0.9, 2 * np.eye(3)[y, :2], rng.integers(0, 3, (60, 2))
    ),
}


def data(cls, seed=0):
    """Return teaching-size data of the kind that the estimator's ``task`` and ``inputs`` name."""
    rng = np.random.default_rng(seed)
    X = points(rng)
    y = TASKS[cls.task](X, rng)
    return INPUTS[cls.inputs](X, y, rng).astype(float), y


def scaler(cls):
    """Return a scaler that leaves inputs of their kind: counts must not become negative."""
    return StandardScaler() if cls.inputs == "numbers" else MaxAbsScaler()


def quietly(call, *args, **kwargs):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return call(*args, **kwargs)


def fitted(cls, X, y, **params):
    return quietly(make(cls, **params).fit, X, y)


def needed(cls, usual, score):
    """Return what a model must exceed: the ``usual`` score, or, if that is less, nearly the score of its twin."""
    return min(usual, score(TWINS[cls.__name__]) - 0.03) if cls.__name__ in TWINS else usual


def answers(model, X):
    """Return all that a fitted model says about ``X``."""
    methods = ("predict", "decision_function", "predict_proba", "transform", "scores", "votes", "claims")
    return {name: getattr(model, name)(X) for name in methods if hasattr(model, name)}


def told(model, X):
    """Return what a model says about each point: its prediction, or where it only transforms, the transform."""
    return model.predict(X) if hasattr(model, "predict") else model.transform(X)


def same(a, b):
    return a.keys() == b.keys() and all(np.array_equal(a[name], b[name]) for name in a)


def parametrize(classes, name="cls"):
    return pytest.mark.parametrize(name, classes, ids=lambda c: c.__name__)


each = parametrize(estimators())
each_classifier = parametrize(estimators("binary", "classification"))
each_regressor = parametrize(estimators("regression"))
each_supervised = parametrize(estimators("regression", "binary", "classification"))


# --- the protocol in our own words ----------------------------------------------------------------------------


@each
def test_constructor_only_stores(cls):
    model = make(cls)
    assert set(vars(model)) == set(model.get_params(deep=False))
    for name in model.get_params(deep=False):
        nonsense = object()
        assert getattr(make(cls).set_params(**{name: nonsense}), name) is nonsense
    with pytest.raises(ValueError, match="has no parameter 'nonsense'"):
        model.set_params(nonsense=1)
    with pytest.raises(ValueError, match="has no parameter 'nonsense__C'"):
        model.set_params(nonsense__C=1)


@each
def test_repr_names_the_class(cls):
    assert repr(make(cls)).startswith(f"{cls.__name__}(")


@each
def test_predict_before_fit(cls):
    for error in (NotFittedError, sklearn.exceptions.NotFittedError, ValueError):
        with pytest.raises(error, match="has not been fitted"):
            told(make(cls), [[0.0, 1.0]])


def test_not_fitted_can_be_pickled():
    with pytest.raises(NotFittedError) as caught:
        SVC().predict([[0.0]])
    again = pickle.loads(pickle.dumps(caught.value))
    assert type(again) is type(caught.value)
    assert again.args == caught.value.args


@each
def test_fit_returns_self_and_learned_names_end_in_underscore(cls):
    X, y = data(cls)
    model = make(cls)
    assert quietly(model.fit, X, y) is model
    learned = [n for n in vars(model) if n not in model.get_params() and not n.startswith("_")]
    assert learned
    assert all(n.endswith("_") for n in learned)
    assert told(model, X).shape[0] == 60
    assert told(model, X).ndim == (1 if hasattr(model, "predict") else 2)
    assert model.n_features_in_ == 2


@each
def test_fit_is_deterministic_and_forgets_the_past(cls):
    (X, y), (A, b) = data(cls), data(cls, seed=7)
    once, again = fitted(cls, X, y), fitted(cls, A, b)
    quietly(again.fit, X, y)
    assert same(answers(once, A), answers(again, A))


@each
def test_inputs_are_not_modified_and_lists_will_do(cls):
    X, y = data(cls)
    before = X.copy(), np.copy(y)
    model = fitted(cls, X, y)
    told(model, X)
    assert np.array_equal(X, before[0])
    assert np.array_equal(y, before[1])
    assert np.array_equal(told(fitted(cls, X.tolist(), np.asarray(y).tolist()), X.tolist()), told(model, X))


@each
def test_global_random_state_is_untouched(cls):
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    fitted(cls, *data(cls))
    assert np.array_equal(before, np.random.get_state()[1])  # noqa: NPY002


@each
def test_history_starts_before_the_first_update(cls):
    model = fitted(cls, *data(cls))
    if hasattr(model, "history_"):
        assert len(model.history_) == model.n_iter_ + 1
        assert model.converged_ in (True, False)


class Sparse:
    """As much of scipy's sparse matrix as a check looks at."""

    def __init__(self, X):
        self.X, self.nnz, self.shape = X, X.size, X.shape

    def toarray(self):
        return self.X


BAD_X = {
    "one dimension": (lambda X: X[:, 0], r"X must have shape \(n, d\); got \(60,\). Use X\[:, None\]"),
    "nan": (lambda X: np.where(X == X.max(), np.nan, X), "must be finite"),
    "infinity": (lambda X: np.where(X == X.max(), np.inf, X), "must be finite"),
    "nothing": (lambda X: X[:0], "is empty"),
    "no columns": (lambda X: X[:, :0], "is empty: 0 feature"),
    "text": (lambda X: X.astype(str).astype(object) + "x", "must hold numbers"),
    "numbers as text": (lambda X: X.astype(str).astype(object), "must hold numbers only; got text"),
    "missing": (lambda X: None, "X is missing"),
    "None inside": (lambda X: np.where(X == X.max(), None, X), r"X\[\d+, \d\] is None"),
    "masked": (lambda X: np.ma.masked_equal(X, X.max()), "X has masked entries"),
    "masked rows": (lambda X: list(np.ma.masked_equal(X, X.max())), "X has masked entries"),
    "dates": (lambda X: X.astype("datetime64[s]"), "got dates or times"),
    "NaT": (lambda X: np.full(X.shape, np.datetime64("NaT")), "got dates or times such as NaT"),
    "NaT inside": (lambda X: [[np.datetime64("NaT"), 0.0], *X[1:].tolist()], "must hold numbers only"),
    "times inside": (lambda X: [[np.timedelta64(1, "s"), 0.0], *X[1:].tolist()], "must hold numbers only"),
    "sparse": (Sparse, r"X is a sparse matrix.*X\.toarray\(\)"),
    "complex": (lambda X: X + 1j, "must hold real numbers"),
}


CATEGORIES = {"text", "numbers as text", "dates", "NaT", "NaT inside", "times inside"}  # no numbers, but categories


def bad_inputs():
    for cls in estimators():
        for kind in BAD_X if cls.inputs != "categories" else sorted(BAD_X.keys() - CATEGORIES):
            yield pytest.param(cls, *BAD_X[kind], id=f"{cls.__name__}-{kind}")


@pytest.mark.parametrize(("cls", "spoil", "words"), list(bad_inputs()))
def test_bad_X_is_explained(cls, spoil, words):
    X, y = data(cls)
    bad = spoil(X)
    with pytest.raises(ValueError, match=words):
        fitted(cls, bad, y[:0] if y is not None and np.shape(bad)[:1] == (0,) else y)


@each
@pytest.mark.parametrize("t", [1e-310, 1e-308, 1e-300, 1e200, 1e300, 1e308])
def test_a_column_at_the_end_of_the_range(cls, t):
    """What cannot be computed is refused; nothing warns on the way, and no answer is nan."""
    X, y = np.tile([[0, 1], [t, 0], [0, 0], [t, 2], [t, 1], [0, 3], [t, 4], [0, 2]], (3, 1)), np.arange(24) % 2
    y = {"cluster": None, "transform": None, "regression": 1.0 * (np.arange(24) % 5)}.get(cls.task, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        try:
            said = answers(fitted(cls, X, y), X)
        except ValueError:
            return
    assert all(np.isfinite(values).all() for values in said.values())


@each_regressor
@pytest.mark.parametrize("t", [1e-310, 1e-300, 1e-170, 1e150, 1e160, 1e200, 1e300])
def test_targets_at_the_end_of_the_range(cls, t):
    """As above; and what is computed is what it would be in another unit, for a model that no unit matters to."""
    X, y = data(cls)
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        try:
            said = answers(fitted(cls, X, y * t), X)
        except ValueError:
            return
    assert all(np.isfinite(values).all() for values in said.values())
    if cls.__name__ in ("LinearRegression", "Ridge", "DecisionTreeRegressor", "KNNRegressor", "NadarayaWatson"):
        assert np.corrcoef(said["predict"] / t, fitted(cls, X, y).predict(X))[0, 1] > 0.99


BAD_Y = {
    "too short": (lambda y: y[:-1], "60 rows"),
    "missing": (lambda y: None, "y is missing"),
    "masked": (lambda y: np.ma.array(y, mask=np.arange(60) == 3), "y has masked entries"),
    "nan": (lambda y: np.where(np.arange(60) == 3, np.nan, y), r"finite.*y\[3\] is nan"),
    "three dimensions": (lambda y: np.reshape(y, (3, 4, 5)), r"y must have shape \(n,\).*got \(3, 4, 5\)"),
}


@each_supervised
@pytest.mark.parametrize(("spoil", "words"), BAD_Y.values(), ids=list(BAD_Y))
def test_bad_y_is_explained(cls, spoil, words):
    X, y = data(cls)
    with pytest.raises(ValueError, match=words):
        fitted(cls, X, spoil(y))


BAD_LABELS = {
    "column": (lambda y: y[:, None], r"got \(60, 1\)\. Use y\.ravel\(\)"),
    "continuous": (lambda y: y + 0.5, "is a measured number.*Use a regression"),
    "continuous objects": (lambda y: (y + 0.5).astype(object), "is a measured number"),
    "nan among objects": (lambda y: np.where(np.arange(60) == 3, np.nan, y.astype(object)), r"y\[3\] is nan"),
    "None": (lambda y: np.where(np.arange(60) == 3, None, y.astype(object)), r"y\[3\] is None"),
    "NaT": (lambda y: np.where(np.arange(60) == 3, np.datetime64("NaT"), y.astype("datetime64[D]")), r"y\[3\] is NaT"),
    "mixed list": (lambda y: ["a", *y[1:].tolist()], "y mixes text with other labels"),
    "mixed objects": (lambda y: np.where(np.arange(60) == 3, "a", y.astype(object)), "cannot be sorted"),
    "nan among text": (lambda y: [np.nan, *map(str, y[1:])], "y mixes text with other labels, such as nan"),
    "one class": (lambda y: np.zeros(60), "at least 2 classes"),
}


@each_classifier
@pytest.mark.parametrize(("spoil", "words"), BAD_LABELS.values(), ids=list(BAD_LABELS))
def test_bad_labels_are_explained(cls, spoil, words):
    X, y = data(cls)
    with pytest.raises(ValueError, match=words):
        fitted(cls, X, spoil(y))


@each
def test_predict_wants_the_features_of_fit(cls):
    model = fitted(cls, *data(cls))
    with pytest.raises(ValueError, match="must have 2 features, as in fit; got 3"):
        told(model, np.zeros((4, 3)))
    with pytest.raises(ValueError, match=r"X must have shape \(n, d\); got \(2,\). Use X\[None, :\] for one point"):
        told(model, np.zeros(2))
    with pytest.raises(ValueError, match=r"got \(5,\). Use X\[:, None\] for one feature"):
        told(model, np.zeros(5))


@each
def test_a_fit_that_fails_leaves_the_model_as_it_was(cls):
    X, y = data(cls)
    model = fitted(cls, X, y)
    before = answers(model, X)
    with pytest.raises(ValueError, match="finite|label"):
        quietly(model.fit, np.hstack([X, X if y is not None else X * np.nan]), np.full(60, np.nan))
    assert same(answers(model, X), before)


class Frame:
    """As much of a data frame as the package uses: ``columns``, and numpy's view of the values."""

    def __init__(self, X, columns):
        self.X, self.columns = np.asarray(X), list(columns)

    def __array__(self, dtype=None, copy=None):
        return self.X.astype(dtype or float)

    def __getitem__(self, names):
        return Frame(np.ascontiguousarray(self.X[:, [self.columns.index(name) for name in names]]), names)


@each
def test_the_docstring_names_every_parameter(cls):
    named = set(re.findall(r"\w+", inspect.getdoc(cls)))
    assert set(make(cls).get_params(deep=False)) <= named


@each
def test_columns_of_a_data_frame_keep_their_order(cls):
    X, y = data(cls)
    model = fitted(cls, Frame(X, ["width", "height"]), y)
    assert model.feature_names_in_.tolist() == ["width", "height"]
    assert same(answers(model, Frame(X, ["width", "height"])), answers(model, X))
    swapped = Frame(X[:, ::-1], ["height", "width"])
    with pytest.raises(ValueError, match="'width', 'height'; got 'height', 'width'. Use X"):
        told(model, swapped)
    assert np.array_equal(told(model, swapped[model.feature_names_in_]), told(model, X))
    quietly(model.fit, Frame(X, [0, 1]), y)  # names that are no text are no names
    assert not hasattr(model, "feature_names_in_")


# --- labels and scores ----------------------------------------------------------------------------------------


@each_classifier
def test_labels_may_be_strings(cls):
    X, y = data(cls)
    names = np.array(["ash", "birch", "cedar"])[np.unique(y, return_inverse=True)[1]]
    model = fitted(cls, X, names)
    assert list(model.classes_) == sorted(set(names))
    assert np.mean(model.predict(X) == names) > 0.8
    assert model.score(X, names) == np.mean(model.predict(X) == names)


@each_classifier
@settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    dtype=st.sampled_from([bool, np.int8, np.uint16, np.int64, np.float32, float, "U5", "S5", object, "datetime64[D]"]),
    X_type=st.sampled_from([np.float32, np.float64, np.longdouble, object, np.int64]),
    order=st.sampled_from("CF"),
)
def test_the_type_of_labels_and_inputs_changes_no_decision(cls, dtype, X_type, order):
    rng = np.random.default_rng(0)
    X = np.round(8 * points(rng))
    y = np.where(X @ [1.0, -2.0] > 0.5, 1, 0)
    X = X if cls.inputs in ("numbers", "categories") else np.abs(X)
    labels = y.astype("U5").astype(object) if dtype is object else y.astype(dtype)
    model = fitted(cls, np.array(X.astype(X_type), order=order), labels)
    plain = fitted(cls, X, y)
    assert model.classes_.dtype == labels.dtype
    assert np.array_equal(model.predict(X), model.classes_[plain.predict(X)])


@each_classifier
def test_two_classes_have_one_score(cls):
    X, _ = data(cls)
    y = np.where(X @ [1.0, -2.0] > 0.3, "yes", "no")
    model = fitted(cls, X, y)
    scores = model.decision_function(X)
    assert scores.shape == (60,)
    assert scores.dtype == float
    assert np.array_equal(model.classes_[(scores > 0).astype(int)], model.predict(X))


@parametrize(estimators("classification"))
def test_more_classes_have_a_score_each(cls):
    X, y = data(cls)
    model = fitted(cls, X, y)
    scores = model.decision_function(X)
    assert scores.shape == (60, 3)
    assert scores.dtype == float
    assert np.array_equal(model.classes_[scores.argmax(axis=1)], model.predict(X))


@each_classifier
def test_labels_of_another_type_are_no_mistakes_to_count(cls):
    """scikit-learn refuses them, too; no prediction could equal them, and 0 would look like a bad model."""
    X, y = data(cls)
    model, text = fitted(cls, X, y), fitted(cls, X, y.astype(str))
    assert model.score(X, y.astype(float)) == model.score(X, y) == text.score(X, y.astype(object).astype(str))
    for wrong, labels in ((model, y.astype(str)), (text, y), (text, y.astype("S2"))):
        with pytest.raises(ValueError, match="y must hold labels of the type of fit, such as .*; got "):
            wrong.score(X, labels)


@each_regressor
def test_score_is_r2(cls):
    X, y = data(cls)
    model = fitted(cls, X, y)
    assert model.score(X, y) == pytest.approx(sklearn.metrics.r2_score(y, model.predict(X)), rel=1e-12)
    weights = np.arange(60) % 4
    assert model.score(X, y, weights) == pytest.approx(
        sklearn.metrics.r2_score(y, model.predict(X), sample_weight=weights)
    )
    assert model.score(X, np.full(60, 0.1)) == 0  # nothing to explain, as scikit-learn has it
    assert model.score(X, model.predict(X)) == 1
    with pytest.raises(ValueError, match="only one value of y"):
        model.score(X[:1], y[:1])
    with pytest.raises(ValueError, match=r"the shape of the predictions, \(60,\); got \(59,\)"):
        model.score(X, y[:-1])


def test_score_of_several_outputs():
    X, y = data(LinearRegression)
    Y = np.column_stack([y, X[:, 0] ** 2])
    model = LinearRegression().fit(X, Y)
    assert model.score(X, Y) == pytest.approx(sklearn.metrics.r2_score(Y, model.predict(X)), rel=1e-12)


def test_rounds_of_the_graph_tell_the_winner():
    X, y = data(DAGSVM)
    model = DAGSVM(SVC()).fit(X, y)
    rounds = model.decision_function(X)
    assert np.array_equal(np.sort(rounds, axis=1), np.tile([1, 2, 3], (60, 1)))
    path = model.decision_path(X)
    lost = np.argsort(rounds, axis=1)
    assert all(lost[n, 0] in path[n, 0] and lost[n, 1] in path[n, 1] for n in range(60))


# --- parameters -----------------------------------------------------------------------------------------------


def other_values(model):
    for name, value in model.get_params(deep=False).items():
        if isinstance(value, bool):
            yield name, not value
        elif isinstance(value, int | float):
            yield name, 3 * value + 1
        else:
            yield name, OTHER.get(name, 1.0)


@each
def test_parameters_set_after_fit_change_no_answer(cls):
    X, y = data(cls)
    model = fitted(cls, X, y)
    before = answers(model, X)
    for name, value in other_values(model):
        model.set_params(**{name: value})
        assert same(answers(model, X), before), name
        setattr(model, name, object())
        assert same(answers(model, X), before), name


def test_parameters_that_used_to_change_answers():
    X, y = data(SVC)
    rbf = SVC(kernel=rbf_kernel(2.0)).fit(X, y)
    before = rbf.predict(X)
    assert np.array_equal(rbf.set_params(kernel=None).predict(X), before)
    edge = Perceptron(zero=1, shuffle=False).fit([[0.0], [1.0]], [0, 1])
    before = edge.predict([[-edge.b_ / edge.w_[0]]])
    assert np.array_equal(edge.set_params(zero=-1).predict([[-edge.b_ / edge.w_[0]]]), before)
    bayes = BayesianLinearRegression().fit(X, X[:, 0])
    before = bayes.predict(X)
    assert np.array_equal(bayes.set_params(intercept=False).predict(X), before)
    assert len(bayes.update(X, X[:, 0]).mean_) == 3


NUMBERS = [Fraction, Decimal, np.float32]


@each
def test_numbers_of_any_type_will_do(cls):
    """Fractions, decimals and numpy's numbers are numbers; float32 raises no warning on the way."""
    X, y = data(cls)
    for name, value in make(cls).get_params(deep=False).items():
        if isinstance(value, float):
            value = float(np.float32(value))  # so that all types mean the same number
            plain = fitted(cls, X, y, **{name: value})
            for number in NUMBERS:
                with warnings.catch_warnings():
                    warnings.simplefilter("error", RuntimeWarning)
                    model = fitted(cls, X, y, **{name: number(value)})
                assert same(answers(model, X), answers(plain, X)), (name, number(value))
        elif isinstance(value, int) and not isinstance(value, bool) and value > 0 and name != "history":
            assert same(answers(fitted(cls, X, y, **{name: np.int64(value)}), X), answers(fitted(cls, X, y), X)), name


def test_large_and_exact_numbers():
    X, y = data(SVC)
    assert np.array_equal(SVC(C=10**20, max_iter=3).get_params()["C"], 10**20)
    model = quietly(SVC(C=10**20, max_iter=3, tol=Fraction(1, 1000)).fit, X, y)
    assert np.isfinite(model.decision_function(X)).all()
    a, b = Ridge(Fraction(1, 2)).fit(X, X[:, 0]), Ridge(0.5).fit(X, X[:, 0])
    assert np.array_equal(a.w_, b.w_)
    with pytest.raises(ValueError, match="C must be a finite number; got 1000"):
        SVC(C=10**400).fit(X, y)
    with pytest.raises(ValueError, match="lam must be a finite number; got Decimal"):
        Ridge(Decimal("sNaN")).fit(X, X[:, 0])


@pytest.mark.parametrize("number", [Fraction, Decimal, np.float32])
def test_warnings_can_name_any_number(number):
    X, y = data(SVC)
    with pytest.warns(ConvergenceWarning, match=r"tol=0\.0078125"):
        SVC(C=100, tol=number(0.0078125), max_iter=1).fit(X, y)
    with pytest.warns(ConvergenceWarning, match=r"learning_rate=50"):
        LMSRegressor(learning_rate=number(50)).fit(X, y)
    with pytest.warns(ConvergenceWarning, match=r"nu=0\.25 (leaves|shows) no margin"):
        NuSVC(nu=number(0.25)).fit(X, np.tile([0, 1], 30))


# --- copies ---------------------------------------------------------------------------------------------------


@each
@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda m: pickle.loads(pickle.dumps(m))])
def test_copies_give_the_same_answers(cls, again):
    X, y = data(cls)
    model = fitted(cls, X, y)
    other = again(model)
    assert same(answers(other, X), answers(model, X))
    assert repr(other) == repr(model)
    assert same(answers(quietly(other.fit, X, y), X), answers(model, X))


@each
def test_clones_have_learned_nothing_and_learn_the_same(cls):
    X, y = data(cls)
    model = fitted(cls, X, y)
    other = clone(model)
    assert repr(other) == repr(model)
    assert not hasattr(other, "n_features_in_")
    assert same(answers(quietly(other.fit, X, y), X), answers(model, X))


KERNELS = [linear_kernel, rbf_kernel(0.5), polynomial_kernel(3), sigmoid_kernel(0.1), 2 * rbf_kernel() + linear_kernel]


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda k: pickle.loads(pickle.dumps(k))])
def test_kernels_are_equal_by_value(kernel, again):
    assert again(kernel) == kernel
    assert hash(again(kernel)) == hash(kernel)
    assert again(kernel) != rbf_kernel(0.123)
    X = points(np.random.default_rng(0))
    assert np.array_equal(again(kernel)(X), kernel(X))


def test_the_linear_kernel_is_known_by_value():
    X, y = data(SVC)
    plain = SVC().fit(X, y)
    one = SVC(kernel=linear_kernel)
    for model in (one, clone(one), copy.deepcopy(one), pickle.loads(pickle.dumps(one))):
        assert np.array_equal(model.fit(X, y).w_, plain.w_)
    assert not hasattr(SVC(kernel=rbf_kernel()).fit(X, y), "w_")


@pytest.mark.parametrize("schedule", [linear_decay(1.0, 0.01, tau=10), inverse_sqrt_decay(0.5)], ids=repr)
def test_schedules_can_be_copied(schedule):
    for other in (copy.copy(schedule), copy.deepcopy(schedule), pickle.loads(pickle.dumps(schedule))):
        assert np.array_equal(other(np.arange(20)), schedule(np.arange(20)))
        assert repr(other) == repr(schedule)


@parametrize([OneVsRest, OneVsOne, DAGSVM])
def test_combined_models_come_from_a_function_or_from_a_model(cls):
    X, y = data(cls)
    inner = SVC(C=3, kernel=rbf_kernel(0.5))
    by_model, by_function = cls(inner).fit(X, y), cls(lambda: SVC(C=3, kernel=rbf_kernel(0.5))).fit(X, y)
    assert same(answers(by_model, X), answers(by_function, X))
    assert not hasattr(inner, "support_")
    assert by_model.get_params()["make__C"] == 3
    assert by_model.set_params(make__C=5).make.C == 5
    assert same(answers(pickle.loads(pickle.dumps(by_model)), X), answers(by_function, X))
    with pytest.raises((pickle.PicklingError, AttributeError), match="lambda"):
        pickle.dumps(by_function)
    theirs = cls(sklearn.svm.SVC(C=3, gamma=0.5)).fit(X, y)  # a model of another package will do
    assert np.mean(theirs.predict(X) == by_model.predict(X)) > 0.95


# --- scikit-learn's meta-estimators as clients ----------------------------------------------------------------

quiet = pytest.mark.filterwarnings("ignore::mlteach.validation.ConvergenceWarning")


@each
def test_scikit_learn_knows_what_it_is(cls):
    model = make(cls)
    assert is_classifier(model) == (KINDS[cls.task] == "classifier")
    assert is_regressor(model) == (KINDS[cls.task] == "regressor")


@quiet
@each_supervised
def test_pipeline(cls):
    X, y = data(cls)
    pipe = make_pipeline(scaler(cls), make(cls)).fit(X, y)
    by_hand = fitted(cls, scaler(cls).fit_transform(X), y)
    assert np.array_equal(pipe.predict(X), by_hand.predict(scaler(cls).fit_transform(X)))
    assert pipe.score(X, y) == by_hand.score(scaler(cls).fit_transform(X), y)


@quiet
@each_supervised
def test_cross_validation(cls):
    X, y = data(cls)
    scores = cross_val_score(make(cls), X, y, cv=3, error_score="raise")
    assert scores.shape == (3,)
    assert scores.mean() > needed(cls, 0.7, lambda twin: cross_val_score(twin, X, y, cv=3).mean())
    assert cross_val_predict(make(cls), X, y, cv=3).shape == (60,)


@quiet
@each_supervised
def test_grid_search(cls):
    X, y = data(cls)
    numbers = {n: v for n, v in make(cls).get_params().items() if isinstance(v, float) and not n.endswith("tol")}
    grid = {name: [value, 0.9 * value] for name, value in list(numbers.items())[:1]}
    search = GridSearchCV(make(cls), grid, cv=2, error_score="raise").fit(X, y)
    assert search.predict(X).shape == (60,)
    assert search.best_score_ > needed(cls, 0.5, lambda twin: cross_val_score(twin, X, y, cv=2).mean())


@quiet
@each_classifier
def test_area_under_the_curve(cls):
    X, _ = data(cls)
    y = np.where(X @ [1.0, -2.0] + 0.5 * np.random.default_rng(1).normal(size=60) > 0.3, "yes", "no")
    scores = cross_val_score(make(cls), X, y, cv=3, scoring="roc_auc", error_score="raise")
    assert scores.min() > needed(cls, 0.85, lambda twin: cross_val_score(twin, X, y, cv=3, scoring="roc_auc").min())


@quiet
@each_classifier
def test_voting_classifier(cls):
    X, y = data(cls)
    vote = VotingClassifier([("a", make(cls)), ("b", sklearn.linear_model.LogisticRegression())]).fit(X, y)
    assert vote.score(X, y) > 0.8


@quiet
@each_regressor
def test_voting_regressor(cls):
    X, y = data(cls)
    vote = VotingRegressor([("a", make(cls)), ("b", sklearn.linear_model.LinearRegression())]).fit(X, y)
    assert vote.score(X, y) > 0.8


@parametrize([cls for cls in estimators() if hasattr(cls, "transform")])
def test_transformers_stand_in_a_pipeline(cls):
    X, y = data(cls)
    Z = quietly(make(cls).fit_transform, X, y)
    assert np.array_equal(Z, fitted(cls, X, y).transform(X))
    labels = 1 * (Z[:, 0] > 0.2) if y is None else y  # a task without y: classes that its first coordinate tells
    pipe = quietly(make_pipeline(make(cls), sklearn.linear_model.LogisticRegression()).fit, X, labels)
    assert pipe.score(X, labels) > 0.8


# --- what scikit-learn's other tools look for -----------------------------------------------------------------


@quiet
@each_supervised
def test_routing_of_metadata(cls):
    X, y = data(cls)
    pipe = quietly(make_pipeline(scaler(cls), make(cls)).fit, X, y)
    plain = pipe.score(X, y)
    with sklearn.config_context(enable_metadata_routing=True):
        assert pipe.score(X, y) == plain
        with pytest.raises(ValueError, match="sample_weight"):  # a weight must be asked for, or declined
            pipe.score(X, y, sample_weight=np.ones(60))
        asking = quietly(make_pipeline(scaler(cls), make(cls).set_score_request(sample_weight=True)).fit, X, y)
        assert clone(asking)[-1].get_metadata_routing().score.requests == {"sample_weight": True}
        assert asking.score(X[:40], y[:40]) == pytest.approx(asking.score(X, y, sample_weight=np.arange(60) < 40))
    with pytest.raises(TypeError, match="score of .* takes no 'nonsense'"):
        make(cls).set_score_request(nonsense=True)


def test_routing_reaches_the_weights_of_a_fit():
    X, y = data(DAGSVM)
    w = 1.0 + np.arange(60) % 3
    ours = importlib.import_module("mlteach.decision_trees").DecisionTreeClassifier(max_depth=2)
    with sklearn.config_context(enable_metadata_routing=True):
        ours.set_fit_request(sample_weight=True)
        scaler = StandardScaler().set_fit_request(sample_weight=False)
        pipe = make_pipeline(scaler, ours).fit(X, y, sample_weight=w)
    assert pipe[-1].tree_.statistics[0].sum() == w.sum()


each_transformer = parametrize([cls for cls in estimators() if hasattr(cls, "transform")])


class Table:
    """As much of pandas' data frame as `set_output` asks for."""

    def __init__(self, values, columns, index):
        self.values, self.columns, self.index = values, columns, index


@pytest.fixture
def pandas(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", SimpleNamespace(DataFrame=Table))


@each_transformer
def test_output_as_a_frame(cls, pandas):
    X, y = data(cls)
    model = fitted(cls, X, y)
    names = [f"{cls.__name__.lower()}{k}" for k in range(model.transform(X).shape[1])]
    assert make_pipeline(model).get_feature_names_out().tolist() == names
    frame = clone(model).set_output(transform="pandas").fit(X, y).transform(X) if y is not None else None
    frame = frame or quietly(clone(model.set_output(transform="pandas")).fit_transform, X)
    assert list(frame.columns) == names
    assert np.array_equal(frame.values, model.set_output(transform="default").transform(X))
    with sklearn.config_context(transform_output="pandas"):
        assert isinstance(model.transform(X), np.ndarray)  # its own choice comes first
        assert isinstance(fitted(cls, X, y).transform(X), Table)
    with pytest.raises(ValueError, match="transform must be one of 'default', 'pandas', 'polars'"):
        model.set_output(transform="paper")
    with pytest.raises(ValueError, match="input_features should have length equal"):
        model.get_feature_names_out(["one"])


def test_random_members_get_seeds_of_their_own():
    X, y = data(DAGSVM)
    trees = importlib.import_module("mlteach.decision_trees")
    tree = trees.DecisionTreeClassifier(thresholds="random", max_features=1)
    bag = sklearn.ensemble.BaggingClassifier(tree, 10, bootstrap=False, random_state=0).fit(X, y)
    assert len({m.predict(X + 0.3).tobytes() for m in bag.estimators_}) > 5
    assert tree.set_params(random_state=7).rng == 7
    assert OneVsRest(tree).set_params(make__random_state=8).make.rng == 8
    assert "random_state" not in tree.get_params(deep=False)
    assert tree.set_params(**tree.get_params() | {"rng": 9}).rng == 9
    assert OneVsRest(tree).set_params(**OneVsRest(tree).get_params() | {"make__rng": 10}).make.rng == 10


def test_parameters_of_a_kernel_can_be_searched():
    X, y = data(SVC)
    search = GridSearchCV(SVC(kernel=rbf_kernel(1.0)), {"kernel__beta": [0.1, 2.0]}, cv=2).fit(X, y)
    assert search.best_estimator_.kernel in (rbf_kernel(0.1), rbf_kernel(2.0))
    both = SVC(kernel=2 * rbf_kernel(1.0) + linear_kernel)
    assert both.set_params(kernel__left__kernel__beta=3).kernel == 2 * rbf_kernel(3.0) + linear_kernel
    with pytest.raises(ValueError, match="has no parameter 'kernel__gamma'"):
        both.set_params(kernel__gamma=1)


@pytest.mark.parametrize("kind", ["regression", "binary", "classification"])
def test_weights_are_where_scikit_learn_looks(kind):
    X, y = data(KINDED[kind])
    X = np.c_[X, np.random.default_rng(5).normal(size=(60, 2)) / 50]
    found = 0
    for cls in estimators(kind):
        model = fitted(cls, X, y) if cls.inputs == "numbers" else None
        if hasattr(model, "coef_"):
            found += 1
            given = model.decision_function(X) if kind != "regression" else model.predict(X)
            scores = X @ np.atleast_2d(model.coef_).T + model.intercept_
            if scores.shape[1] > 1:  # what all classes share decides nothing
                scores, given = (a - a.mean(axis=1, keepdims=True) for a in (scores, given))
            if cls.__name__ != "GLM":  # its mean is a function of the score
                np.testing.assert_allclose(np.squeeze(scores), given, atol=1e-9)
            chosen = sklearn.feature_selection.SelectFromModel(make(cls), max_features=2).set_params(threshold=-np.inf)
            assert quietly(chosen.fit, X, y).get_support().sum() == 2
    assert found >= 3
    assert not hasattr(fitted(SVC, *data(SVC), kernel=rbf_kernel()), "coef_")
    assert not hasattr(SVC(), "coef_")


KINDED = {"regression": Ridge, "binary": SVC, "classification": SoftmaxRegression}


def test_importances_of_features_are_scikit_learns():
    X, y = data(SoftmaxRegression)
    X = np.c_[X, np.random.default_rng(5).normal(size=60)]
    trees, forests = (importlib.import_module(f"mlteach.{name}") for name in ("decision_trees", "ensembles"))
    for ours, theirs, t in (
        (trees.DecisionTreeClassifier(max_depth=3), DecisionTreeClassifier(max_depth=3, random_state=0), y),
        (
            trees.DecisionTreeRegressor(max_depth=3),
            DecisionTreeRegressor(max_depth=3, random_state=0),
            score(X[:, :2], np.random.default_rng(1)),
        ),
    ):
        np.testing.assert_allclose(ours.fit(X, t).feature_importances_, theirs.fit(X, t).feature_importances_)
    forest = forests.RandomForest(60).fit(X, y)
    theirs = sklearn.ensemble.RandomForestClassifier(60, random_state=0).fit(X, y)
    np.testing.assert_allclose(forest.feature_importances_, theirs.feature_importances_, atol=0.06)
    boosted = forests.AdaBoost(9).fit(X, y > 0)
    assert boosted.feature_importances_ == pytest.approx(
        [
            sum(a for a, s in zip(boosted.alphas_, boosted.stumps_) if s.feature == j) / boosted.alphas_.sum()
            for j in range(3)
        ]
    )


# --- scikit-learn's own checks --------------------------------------------------------------------------------

FIRST = {cls.task: cls for cls in reversed(estimators())}.values()  # one of each task, on a user's machine too


def checks():
    for cls in estimators():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # "does not inherit from BaseEstimator"
            for model, check in estimator_checks_generator(make(cls)):
                name = getattr(check, "func", check).__name__
                if name in UNINSTALLED:
                    continue
                refused = name in REFUSED or f"{cls.__name__}-{name}" in REFUSED
                marks = [] if cls in FIRST else [pytest.mark.slow]
                yield pytest.param(model, check, refused, id=f"{cls.__name__}-{name}", marks=marks)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("model", "check", "refused"), list(checks()))
def test_scikit_learn_checks(model, check, refused):
    if not refused:
        check(model)
        return
    try:  # no xfail: pytest would write a traceback of each, which takes longer than all the checks
        check(model)
    except Exception:
        return
    pytest.fail("passes, and is listed as REFUSED")


README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")


def test_the_readme_counts_the_refusals():
    number = "zero one two three four five six seven eight nine".split()[len(REFUSED)]
    assert f"the {number} that ours refuse on purpose" in README


def test_the_example_of_the_readme_runs(capsys):
    examples = re.findall(r"```python\n(.*?)```", README.partition("## Using the package on its own")[2], re.S)
    assert len(examples) == 2
    names = {}
    for example in examples:
        exec(example, names)
    printed = capsys.readouterr().out
    assert "support vectors after" in printed
    assert "best" in printed

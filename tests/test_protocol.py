"""One battery that every estimator of the course passes."""

import importlib
import inspect
import pkgutil
import warnings

import numpy as np
import pytest

import mlteach
from mlteach.base import Estimator
from mlteach.validation import ConvergenceWarning, NotFittedError

SURFACE = {"explore", "exercises", "plots", "notebooks"}


def estimators():
    """Return every estimator class that an algorithm module offers, once."""
    found = {}
    for module in pkgutil.iter_modules(mlteach.__path__):
        if module.name not in SURFACE:
            for name, thing in vars(importlib.import_module(f"mlteach.{module.name}")).items():
                if inspect.isclass(thing) and issubclass(thing, Estimator) and thing.__module__ != "mlteach.base":
                    if not name.startswith("_"):
                        found[thing.__name__] = thing
    return [found[name] for name in sorted(found)]


def make(cls):
    """Return an instance with default parameters; a learner that combines others gets linear SVMs."""
    from mlteach.svm import SVC

    required = [p for p in list(inspect.signature(cls.__init__).parameters.values())[1:] if p.default is p.empty]
    assert all(p.name == "make" for p in required), f"{cls.__name__} needs parameters the battery does not know"
    return cls(**{p.name: SVC for p in required})


def data(cls, seed=0):
    """Return teaching-size data of the kind that the estimator's ``task`` names."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 2)) @ np.array([[1.3, 0.4], [0.0, 0.7]])
    score = X @ np.array([1.0, -2.0]) + 0.3 + 0.4 * rng.normal(size=60)
    if cls.task == "regression":
        return X, score
    if cls.task == "binary":
        return X, np.where(score > 0, 1, -1)
    assert cls.task == "classification", f"{cls.__name__}.task is {cls.task!r}"
    # Three sectors around the origin: classes in a row would be unfair, a linear machine can mask the middle one
    towards = np.array([[1.0, -0.5, -0.5], [0.2, 1.0, -1.2]])
    return X, np.argmax(X @ towards + 0.1 * rng.normal(size=(60, 3)), axis=1)


def fitted(cls, X, y):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return make(cls).fit(X, y)


each = pytest.mark.parametrize("cls", estimators(), ids=lambda c: c.__name__)


@each
def test_constructor_only_stores(cls):
    model = make(cls)
    assert set(vars(model)) == set(model.get_params())
    for name in model.get_params():
        nonsense = object()
        assert getattr(make(cls).set_params(**{name: nonsense}), name) is nonsense
    with pytest.raises(ValueError, match="has no parameter 'nonsense'"):
        model.set_params(nonsense=1)


@each
def test_repr_names_the_class(cls):
    assert repr(make(cls)).startswith(f"{cls.__name__}(")


@each
def test_predict_before_fit(cls):
    with pytest.raises(NotFittedError, match="has not been fitted"):
        make(cls).predict([[0.0, 1.0]])


@each
def test_fit_returns_self_and_learned_names_end_in_underscore(cls):
    X, y = data(cls)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = make(cls)
        assert model.fit(X, y) is model
    learned = [n for n in vars(model) if n not in model.get_params() and not n.startswith("_")]
    assert learned
    assert all(n.endswith("_") for n in learned)
    assert model.predict(X).shape == (60,)


@each
def test_fit_is_deterministic_and_forgets_the_past(cls):
    (X, y), (A, b) = data(cls), data(cls, seed=7)
    once, again = fitted(cls, X, y), fitted(cls, A, b)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        again.fit(X, y)
    assert np.array_equal(once.predict(A), again.predict(A))


@each
def test_inputs_are_not_modified_and_lists_will_do(cls):
    X, y = data(cls)
    before = X.copy(), y.copy()
    model = fitted(cls, X, y)
    model.predict(X)
    assert np.array_equal(X, before[0])
    assert np.array_equal(y, before[1])
    assert np.array_equal(fitted(cls, X.tolist(), y.tolist()).predict(X.tolist()), model.predict(X))


@each
def test_global_random_state_is_untouched(cls):
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    fitted(cls, *data(cls))
    assert np.array_equal(before, np.random.get_state()[1])  # noqa: NPY002


@each
@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda X, y: (X[:, 0], y), r"X must have shape \(n, d\); got \(60,\)"),
        (lambda X, y: (X, y[:-1]), "60 rows"),
        (lambda X, y: (np.where(X > 1, np.nan, X), y), "must be finite"),
        (lambda X, y: (np.where(X > 1, np.inf, X), y), "must be finite"),
        (lambda X, y: (X[:0], y[:0]), "is empty"),
        (lambda X, y: (X.astype(str).astype(object) + "x", y), "must hold numbers"),
    ],
)
def test_bad_input_is_explained(cls, spoil, words):
    with pytest.raises(ValueError, match=words):
        fitted(cls, *spoil(*data(cls)))


@each
def test_predict_wants_the_features_of_fit(cls):
    model = fitted(cls, *data(cls))
    with pytest.raises(ValueError, match="must have 2 features, as in fit; got 3"):
        model.predict(np.zeros((4, 3)))
    with pytest.raises(ValueError, match=r"X must have shape \(n, d\)"):
        model.predict(np.zeros(2))


@each
def test_history_starts_before_the_first_update(cls):
    model = fitted(cls, *data(cls))
    if hasattr(model, "history_"):
        assert len(model.history_) == model.n_iter_ + 1
        assert model.converged_ in (True, False)


@pytest.mark.parametrize("cls", [c for c in estimators() if c.task != "regression"], ids=lambda c: c.__name__)
def test_labels_may_be_strings(cls):
    X, y = data(cls)
    names = np.array(["ash", "birch", "cedar"])[np.unique(y, return_inverse=True)[1]]
    model = fitted(cls, X, names)
    assert list(model.classes_) == sorted(set(names))
    assert np.mean(model.predict(X) == names) > 0.8
    with pytest.raises(ValueError, match="at least 2 classes"):
        fitted(cls, X, np.full(60, "ash"))

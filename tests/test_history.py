"""Every iterative estimator can forget all but the first and the last record of its run."""

import inspect
import pickle
import warnings

import numpy as np
import pytest
from test_protocol import data, estimators, make, told

import mlteach.history
from mlteach.linear_classification import Perceptron
from mlteach.linear_regression import LMSRegressor
from mlteach.logistic_regression import LogisticRegression
from mlteach.svm import SVC
from mlteach.validation import ConvergenceWarning

SWITCHABLE = [cls for cls in estimators() if "history" in inspect.signature(cls).parameters]
MORE = [
    (LMSRegressor, {"batch_size": 1, "epochs": 5}),
    (Perceptron, {"batch_size": None}),
    (LogisticRegression, {"solver": "gd"}),
    (LogisticRegression, {"solver": "gd", "learning_rate": 50.0}),
    (SVC, {"solver": "interior_point"}),
    (SVC, {"max_iter": 3}),
]
each = pytest.mark.parametrize(("cls", "params"), [*((cls, {}) for cls in SWITCHABLE), *MORE])


def fitted(cls, params, **more):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = cls(**params, **more).fit(*data(cls))
    assert {w.category for w in caught} <= {ConvergenceWarning}
    return model, [str(w.message) for w in caught]


def same(a, b):
    if isinstance(a, tuple):
        return type(a) is type(b) and all(same(x, y) for x, y in zip(a, b, strict=True))
    return np.array_equal(a, b)


def test_all_that_keep_one_can_switch_it_off():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        keep = {cls for cls in estimators() if hasattr(make(cls).fit(*data(cls)), "history_")}
    assert keep == set(SWITCHABLE)
    for cls in SWITCHABLE:
        parameter = inspect.signature(cls).parameters["history"]
        assert (parameter.kind, parameter.default) == (parameter.KEYWORD_ONLY, True)


@each
def test_without_history_all_else_is_the_same(cls, params):
    whole, said = fitted(cls, params)
    short, also = fitted(cls, params, history=False)
    assert said == also
    assert len(whole.history_) == whole.n_iter_ + 1 > 2
    assert type(whole.history_) is type(short.history_) is list
    assert [same(a, b) for a, b in zip(short.history_, (whole.history_[0], whole.history_[-1]), strict=True)] == [
        True
    ] * 2
    X, _ = data(cls, seed=3)
    assert np.array_equal(told(short, X), told(whole, X))
    learned = [n for n in vars(whole) if n.endswith("_") and n != "history_" and not n.startswith("_")]
    assert "n_iter_" in learned
    assert [n for n in vars(short) if n in learned] == learned
    assert all(np.array_equal(getattr(short, n), getattr(whole, n)) for n in learned)


@pytest.mark.parametrize(
    ("cls", "few", "many"),
    [
        (LMSRegressor, {"batch_size": 1, "tol": 0, "epochs": 2}, {"epochs": 40}),
        (Perceptron, {"epochs": 2}, {"epochs": 40}),
        (LogisticRegression, {"solver": "gd", "tol": 0, "max_iter": 5}, {"max_iter": 500}),
    ],
)
def test_pickle_without_history_does_not_grow_with_the_run(cls, few, many):
    a, b = (fitted(cls, few | more, history=False)[0] for more in ({}, many))
    assert b.n_iter_ > 10 * a.n_iter_
    per_epoch = 8 * 40  # losses_ or mistakes_
    assert len(pickle.dumps(b)) < len(pickle.dumps(a)) + per_epoch
    assert len(pickle.dumps(fitted(cls, few | many)[0])) > 10 * len(pickle.dumps(b))


@each
def test_the_switch_is_checked(cls, params):
    with pytest.raises(ValueError, match="history must be one of True, False; got 'all'"):
        cls(**params, history="all").fit(*data(cls))


def test_a_run_cannot_be_replayed_without_its_history():
    model, _ = fitted(SVC, {}, history=False)
    with pytest.raises(ValueError, match=r"alpha_at\(3\) needs the whole run; fit SVC with history=True"):
        model.alpha_at(3)


def test_no_history_outgrows_its_limit(monkeypatch):
    monkeypatch.setattr(mlteach.history, "MOST_BYTES", 60_000)
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(90, 3)), rng.integers(0, 2, 90)
    model = Perceptron(epochs=20)
    with pytest.warns(
        UserWarning, match=r"history_ holds [\d,]+ of the [\d,]+ records, evenly spread: all of them would"
    ):
        model.fit(X, y)
    plain = Perceptron(epochs=20, history=False)
    with pytest.warns(ConvergenceWarning):
        plain.fit(X, y)
    assert np.array_equal(model.w_, plain.w_)
    assert model.n_iter_ == plain.n_iter_ > 2 * len(model.history_)
    assert len(pickle.dumps(model.history_)) < 60_000
    mistakes = [step.n_mistakes for step in model.history_]
    gaps = np.diff(mistakes)
    assert mistakes[0] == 0
    assert mistakes[-1] == model.n_mistakes_
    assert set(gaps[:-1]) == {gaps[0]}
    assert 0 < gaps[-1] <= gaps[0]


def test_weights_of_the_whole_run_need_no_limit(monkeypatch):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(90, 3)), rng.integers(0, 2, 90)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        whole = [Perceptron(keep=keep, epochs=9).fit(X, y).w_ for keep in ("pocket", "average")]
        monkeypatch.setattr(mlteach.history, "MOST_BYTES", 9_000)
        short = [Perceptron(keep=keep, epochs=9).fit(X, y).w_ for keep in ("pocket", "average")]
    assert np.array_equal(whole, short)


def test_batch_descent_keeps_its_batch_once():
    X = np.random.default_rng(0).normal(size=(3000, 4))
    model = LMSRegressor(epochs=300, tol=0).fit(X, X @ [1, 2, 3, 4])
    assert len(model.history_) == 301
    assert len(pickle.dumps(model)) < 300_000  # 23 MB with a copy of all indices in each record

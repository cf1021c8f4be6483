"""The benchmarks know every estimator, and their cases fit on both sides."""

import warnings

import numpy as np
import pytest
from test_protocol import estimators

from benchmarks import bounds
from benchmarks.__main__ import table
from benchmarks.estimators import collect, data
from benchmarks.explorers import walk
from mlteach import explore
from mlteach.validation import ConvergenceWarning

CASES, LARGE, BOUNDS = collect(), collect("LARGE"), collect("BOUNDS")


def test_every_estimator_is_measured():
    measured = {type(ours()).__name__ for _, ours, _ in CASES.values()}
    assert measured == {cls.__name__ for cls in estimators()}


@pytest.mark.parametrize("name", CASES)
def test_both_sides_solve_the_same_task(name):
    task, ours, theirs = CASES[name]
    X, y = data(task, 60)
    if task == "cluster":  # no targets: what each maximises must be alike
        assert ours().fit(X).score(X) == pytest.approx(theirs().fit(X).score(X), rel=0.1)
        return
    if task == "transform":  # the same plane: what one finds is a linear function of what the other finds
        mine, other = (model.fit(X).transform(X) for model in (ours(), theirs()))
        mine, other = mine - mine.mean(axis=0), other - other.mean(axis=0)
        left = other - mine @ np.linalg.lstsq(mine, other)[0]
        assert np.linalg.norm(left) < 0.1 * np.linalg.norm(other)
        return
    for model in (ours(), theirs()):
        predicted = model.fit(X, y).predict(X)
        if task == "regression":
            assert ((predicted - y) ** 2).mean() < 0.6 * y.var()
        else:
            assert (predicted == y).mean() > 0.6


@pytest.mark.parametrize("name", BOUNDS)
def test_every_bound_has_a_function_a_number_and_a_unit(name):
    value, bound, unit = BOUNDS[name]
    assert callable(value)
    assert bound > 0
    assert unit in ("s", "µs", "MB", "times")


def test_bounds_measure_what_is_done(monkeypatch):
    work = {"little": (lambda: 1e-9, 1.0, "s"), "much": (lambda: bounds.megabytes(lambda: np.ones(10**6)), 7.0, "MB")}
    monkeypatch.setattr(bounds, "collect", lambda table: work)
    rows = bounds.measure()
    assert [row["is"] for row in rows] == ["within", "BEYOND"]
    assert rows[1]["measured"] == pytest.approx(8, rel=0.01)


@pytest.mark.slow
@pytest.mark.parametrize("name", LARGE)
def test_large_cases_are_the_same_machine_on_both_sides(name):
    data, ours, theirs = LARGE[name]
    X, y = data(120)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model, oracle = ours().fit(X, y), theirs().fit(X, y)
    if name.startswith("SVC"):
        beta, score = oracle.dual_coef_[0], oracle.decision_function(oracle.support_vectors_) - oracle.intercept_
        assert model.dual_objective_ == pytest.approx(np.abs(beta).sum() - 0.5 * beta @ score, rel=2e-3)
    elif y is None:
        assert model.score(X) == pytest.approx(oracle.score(X), rel=0.1)
    else:
        assert (model.predict(X) == oracle.predict(X)).mean() > 0.7


def test_a_walk_tells_first_visits_from_others():
    explorer = explore.REGISTRY["soft_margin"]()
    first, again = walk(explorer, 12)
    assert len(first) + len(again) == 24
    assert len(first) > 3
    assert explorer.values() == explorer.defaults  # it went back the way it came
    assert (np.concatenate([first, again]) > 0).all()


def test_table_is_aligned():
    lines = table([{"name": "a", "x": 1.0}, {"name": "long", "x": 123.456}]).splitlines()
    assert lines == ["name    x", "a       1", "long  123"]

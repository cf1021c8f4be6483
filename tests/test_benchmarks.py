"""The benchmarks know every estimator, and their cases fit on both sides."""

import pytest
from test_protocol import estimators

from benchmarks.__main__ import table
from benchmarks.estimators import collect, data

CASES = collect()


def test_every_estimator_is_measured():
    measured = {type(ours()).__name__ for _, ours, _ in CASES.values()}
    assert measured == {cls.__name__ for cls in estimators()}


@pytest.mark.parametrize("name", CASES)
def test_both_sides_solve_the_same_task(name):
    task, ours, theirs = CASES[name]
    X, y = data(task, 60)
    for model in (ours(), theirs()):
        predicted = model.fit(X, y).predict(X)
        if task == "regression":
            assert ((predicted - y) ** 2).mean() < 0.6 * y.var()
        else:
            assert (predicted == y).mean() > 0.6


def test_table_is_aligned():
    lines = table([{"name": "a", "x": 1.0}, {"name": "long", "x": 123.456}]).splitlines()
    assert lines == ["name    x", "a       1", "long  123"]

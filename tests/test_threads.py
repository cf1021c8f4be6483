"""Checks, explorers and fits keep to one BLAS thread, whoever started the kernel; the rest of the process does not."""

import timeit

import numpy as np
import pytest
import scipy.linalg
from threadpoolctl import ThreadpoolController

from mlteach import exercises, explore
from mlteach.base import Model
from mlteach.threads import one_thread

CONTROLS = ThreadpoolController()


def threads():
    """Return how many threads each BLAS of this process takes."""
    return {info["filepath"]: info["num_threads"] for info in CONTROLS.info() if info["user_api"] == "blas"}


@pytest.fixture
def two():
    """Let every BLAS take two threads, as on a machine whose environment sets nothing."""
    with CONTROLS.limit(limits=2, user_api="blas"):
        if set(threads().values()) != {2}:
            pytest.skip("this BLAS takes no two threads")
        yield


def test_one_thread_inside_and_as_before_outside(two):
    assert len(threads()) == 2  # numpy's and scipy's
    assert scipy.linalg.norm(np.eye(2)) ** 2 == pytest.approx(2)
    with one_thread():
        assert set(threads().values()) == {1}
    assert set(threads().values()) == {2}


def test_fits_at_the_same_time_leave_the_process_as_it_was(two):
    """The one that came second must not remember the limit of the first as the number to go back to."""
    first, second = one_thread(), one_thread()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert set(threads().values()) == {1}
    second.__exit__(None, None, None)
    assert set(threads().values()) == {2}
    with pytest.raises(KeyError), one_thread(), one_thread():
        raise KeyError
    assert set(threads().values()) == {2}


def test_a_check_keeps_to_one_thread(two, monkeypatch):
    seen, task = [], exercises.REGISTRY["0.a"]
    spy = task._replace(check=lambda answer: seen.append(set(threads().values())))
    monkeypatch.setitem(exercises.REGISTRY, "0.a", spy)
    assert exercises.verdict("0.a", task.solution).ok
    assert seen == [{1}]
    assert set(threads().values()) == {2}


def test_an_explorer_keeps_to_one_thread(two, monkeypatch):
    seen, shown = [], explore.first_fit()
    plain = shown.scene.compute
    monkeypatch.setattr(shown.scene, "compute", lambda **p: seen.append(set(threads().values())) or plain(**p))
    shown.compute()
    shown.reset()
    assert seen == [{1}, {1}]
    assert set(threads().values()) == {2}


@pytest.mark.parametrize(
    ("n", "d", "kernel", "seen"), [(600, 10, False, 1), (600, 600, False, 2), (600, 10, True, 2), (60, 600, True, 1)]
)
def test_a_fit_keeps_to_one_thread_where_its_matrices_are_narrow(two, n, d, kernel, seen):
    class Spy(Model):
        square = kernel

        def __init__(self):
            pass

        def learn(self, X):
            self.threads_ = set(threads().values())

    assert Spy().fit(np.random.default_rng(0).normal(size=(n, d))).threads_ == {seen}
    assert set(threads().values()) == {2}


def test_the_limit_costs_a_fit_next_to_nothing(two):
    def limit():
        with one_thread():
            pass

    limit()
    assert min(timeit.repeat(limit, number=100, repeat=20)) / 100 < 1e-4

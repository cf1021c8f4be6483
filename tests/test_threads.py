"""Checks and explorers keep to one BLAS thread, whoever started the kernel, and leave the rest of the process alone."""

import numpy as np
import pytest
import scipy.linalg
from threadpoolctl import ThreadpoolController

from mlteach import exercises, explore
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

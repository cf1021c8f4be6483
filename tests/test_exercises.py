"""Every exercise: the stub, the reference solution, typical wrong answers, and anything at all."""

import importlib
import re

import numpy as np
import pytest

from mlteach import exercises
from mlteach.course import chapters
from mlteach.exercises.base import Wrong, expect_close

IDS = sorted(exercises.REGISTRY, key=lambda i: [int(p) for p in i.split(".")])
WRITTEN = [c for c in chapters() if c.written]


def wrong_answers():
    for chapter in WRITTEN:
        module = importlib.import_module(f"wrong_answers.{chapter.slug}")
        for id, answers in module.WRONG.items():
            yield from ((id, answer, words) for answer, words in answers)


@pytest.mark.parametrize("id", IDS)
def test_reference_solution_is_accepted(id):
    outcome = exercises.verdict(id, exercises.REGISTRY[id].solution)
    assert outcome.ok is True, outcome.message


@pytest.mark.parametrize(("id", "answer", "words"), list(wrong_answers()))
def test_wrong_answer_is_explained(id, answer, words):
    outcome = exercises.verdict(id, answer)
    assert outcome.ok is False, outcome.message
    assert re.search(words, outcome.message), outcome.message


def test_every_exercise_has_two_wrong_answers():
    counts = {id: 0 for id in IDS}
    for id, _, _ in wrong_answers():
        counts[id] += 1
    assert not [id for id, count in counts.items() if count < 2]


def _stub(*args): ...


def _documented_stub(x):
    """Say what it does."""


@pytest.mark.parametrize("id", IDS)
def test_stub_is_not_attempted(id):
    for stub in (..., None, _stub, _documented_stub, (..., ...)):
        outcome = exercises.verdict(id, stub)
        assert outcome.ok is None
        assert "not attempted yet" in outcome.message


class Strange:
    """Raises whenever it is touched."""

    def __getattr__(self, name):
        raise RuntimeError("do not touch")


STRANGE = [
    0, -1.5, float("nan"), 1e300, 3 + 2j, "text", b"bytes", {}, {"a": 1}, [1, "two"], [[1], [2, 3]], set(), True,
    np.zeros(0), np.zeros((2, 3, 4)), np.array([None]), object(), Strange(), print, len, lambda: None, lambda *a: None,
    lambda *a, **k: a, lambda *a: "text", lambda *a: np.full(3, np.nan), lambda *a: 1 / 0, lambda *a: object(),
    type, Strange,
]  # fmt: skip


@pytest.mark.parametrize("id", IDS)
@pytest.mark.parametrize("k", range(len(STRANGE)))
def test_strange_answers_never_crash_and_never_pass(id, k):
    outcome = exercises.verdict(id, STRANGE[k])
    assert outcome.ok in (False, None), outcome.message
    assert outcome.message.startswith(id)


@pytest.mark.parametrize("id", IDS)
def test_hints_and_solution_are_printed(id, capsys):
    for n in range(1, len(exercises.REGISTRY[id].hints) + 1):
        exercises.hint(id, n)
    exercises.solution(id)
    printed = capsys.readouterr().out
    assert printed.count("Hint") == len(exercises.REGISTRY[id].hints) >= 1
    with pytest.raises(ValueError, match="has hints 1 to"):
        exercises.hint(id, 99)


def test_check_prints_its_verdict(capsys):
    exercises.check("0.1")
    assert capsys.readouterr().out.startswith("0.1 not attempted yet.")


def test_unknown_exercise_is_named():
    with pytest.raises(ValueError, match="no exercise '0.9'; there are 0.1"):
        exercises.check("0.9", 1)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ([[1.0, 3.0], [2.0, 4.0]], "transposed"),
        ([[2.0, 4.0], [6.0, 8.0]], "twice"),
        ([[0.5, 1.0], [1.5, 2.0]], "half"),
        ([[-1.0, -2.0], [-3.0, -4.0]], "wrong sign"),
        ([1.0, 2.0], "shape"),
        ([[np.nan, 2.0], [3.0, 4.0]], "nan"),
        ("abc", "array of shape"),
        (None, "without returning a value"),
        ((1.0, None), "an entry without a value"),
        ([[1.0, 2.0], [3.0, 5.0]], "should be"),
    ],
)
def test_expect_close_recognises_common_slips(value, words):
    with pytest.raises(Wrong, match=words):
        expect_close(value, [[1.0, 2.0], [3.0, 4.0]], "The matrix")


def test_expect_close_keeps_a_secret():
    with pytest.raises(Wrong, match=r"The limit is not 7\."):
        expect_close(7, 3, "The limit", reveal=False)


def test_a_call_instead_of_a_function_is_recognised():
    assert "without calling it" in exercises.verdict("0.1", 3.5).message

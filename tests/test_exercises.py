"""Every exercise: the stub, the reference solution, typical wrong answers, and anything at all."""

import copy
import importlib
import inspect
import io
import math
import re
import signal
import sys
import warnings
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from mlteach import exercises
from mlteach.course import chapters
from mlteach.exercises import base, trial
from mlteach.exercises.base import Wrong, expect_close

REGISTRY = exercises.REGISTRY
IDS = sorted(REGISTRY, key=base.sort_key)
ANSWERS = [importlib.import_module(f"wrong_answers.{chapter.slug}") for chapter in chapters() if chapter.written]
WRONG = {id: answers for module in ANSWERS for id, answers in module.WRONG.items()}
RIGHT = {id: answers for module in ANSWERS for id, answers in getattr(module, "RIGHT", {}).items()}


@pytest.mark.parametrize("id", IDS)
def test_reference_solution_is_accepted(id):
    outcome = exercises.verdict(id, REGISTRY[id].solution)
    assert outcome.ok is True, outcome.message


@pytest.mark.parametrize("id", IDS)
def test_every_listed_mistake_provokes_its_own_words(id):
    """None is accepted, and none is hidden by another one."""
    for answers, words in REGISTRY[id].mistakes():
        outcome = exercises.verdict(id, *answers)
        assert outcome.ok is False, f"accepted: {words}"
        assert words in outcome.message, f"listed: {words}\nsays: {outcome.message}"


@pytest.mark.parametrize("id", sorted(WRONG, key=base.sort_key))
def test_wrong_answers_of_another_form_are_explained(id):
    for answer, words in WRONG[id]:
        outcome = exercises.verdict(id, answer)
        assert outcome.ok is False, f"{answer}: {outcome.message}"
        assert re.search(words, outcome.message), f"{answer}: {outcome.message}"


@pytest.mark.parametrize("id", sorted(RIGHT, key=base.sort_key))
def test_right_answers_of_another_form_are_accepted(id):
    for answer in RIGHT[id]:
        outcome = exercises.verdict(id, answer)
        assert outcome.ok is True, f"{answer}: {outcome.message}"


@pytest.mark.parametrize("id", [id for id in IDS if inspect.isfunction(REGISTRY[id].solution)])
def test_a_printed_solution_is_accepted_when_it_is_pasted_alone(id, capsys):
    exercises.solution(id)
    space, printed = {"np": np, "math": math}, capsys.readouterr().out
    exec(printed.split("\n\n" + REGISTRY[id].explanation[:20])[0] if REGISTRY[id].explanation else printed, space)
    assert exercises.verdict(id, space[REGISTRY[id].solution.__name__]).ok is True


TABLES = {id: inspect.getclosurevars(REGISTRY[id].check).nonlocals for id in IDS}
TABLES = {id: table for id, table in TABLES.items() if {"changed", "cases"} <= set(table)}
FENCED = {
    "15.4",
    "16.1",
    "16.3",
    "30.3",
    "32.1",
}  # nearby inputs are none: no symmetric matrix, beside the track, above 1
BLUNT = ("rounded", "cut off")  # whole numbers cannot see these, and rounded answers may be right


def nearby(value, rng):
    """Return the value with every number that is not whole moved by up to a tenth; whole ones may be counts."""
    if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
        return type(value)(nearby(part, rng) for part in value)
    if isinstance(value, (float, np.ndarray)) and np.asarray(value).dtype == float:
        return np.where(value == np.round(value), value, value * (1 + 0.1 * rng.uniform(-1, 1, np.shape(value))))[()]
    return value


def result(function, case):
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings(action="ignore"):
            return function(*copy.deepcopy(case))
    except Exception as error:  # a change may do anything
        return error


def alike(one, other):
    if isinstance(one, (list, tuple)):
        return isinstance(other, type(one)) and len(one) == len(other) and all(map(alike, one, other))
    try:
        one, other = (np.asarray(part, dtype=float) for part in (one, other))
    except (TypeError, ValueError):
        return type(one) is type(other) and one == other
    return one.shape == other.shape and np.allclose(one, other, rtol=1e-6, atol=1e-9, equal_nan=True)


@pytest.mark.slow
@pytest.mark.parametrize("id", sorted(set(TABLES) - FENCED, key=base.sort_key))
def test_a_small_change_that_no_case_sees_is_right_elsewhere_too(id):
    """A change of the solution that passes every case must be another way to say the same, not a hole in the cases."""
    cases, solution, rng = TABLES[id]["cases"], REGISTRY[id].solution, np.random.default_rng(0)
    cases = [case if isinstance(case, tuple) else (case,) for case in (cases() if callable(cases) else cases)]
    asked = [(case, result(solution, case)) for case in cases]
    more = [(case, result(solution, case)) for case in (nearby(case, rng) for case in cases for _ in range(5))]
    more = [(case, right) for case, right in more if not isinstance(right, Exception)]
    for function, words in TABLES[id]["changed"].made():
        blunt = any(word in words for word in BLUNT)
        if not blunt and all(alike(right, result(function, case)) for case, right in asked):
            wrong = [case for case, right in more if not alike(right, result(function, case))]
            assert not wrong, f"no case sees a solution {words}; this input does: {wrong[0]}"


@pytest.mark.parametrize("id", IDS)
def test_every_task_knows_two_mistakes(id):
    assert len(REGISTRY[id].mistakes()) + len(WRONG.get(id, ())) >= 2


def _stub(*args): ...


def _documented_stub(x):
    """Say what it does."""


@pytest.mark.parametrize("id", IDS)
def test_stub_is_not_attempted(id):
    for stub in (..., None, _stub, _documented_stub, (..., ...)):
        outcome = exercises.verdict(id, stub)
        assert outcome.ok is None
        assert "not attempted yet" in outcome.message
        assert "?" in outcome.message, "before an attempt a check asks, it does not tell"


class Strange:
    """Raises whenever it is touched."""

    def __getattr__(self, name):
        raise RuntimeError("do not touch")


class Unprintable:
    def __repr__(self):
        raise RuntimeError

    def __eq__(self, other):
        raise RuntimeError

    def __array__(self, *args, **kwargs):
        raise RuntimeError


STRANGE = [
    0, -1.5, float("nan"), 1e300, 3 + 2j, "text", b"bytes", {}, {"a": 1}, [1, "two"], [[1], [2, 3]], set(), True,
    np.zeros(0), np.zeros((2, 3, 4)), np.array([None]), object(), Strange(), print, len, lambda: None, lambda *a: None,
    lambda *a, **k: a, lambda *a: "text", lambda *a: np.full(3, np.nan), lambda *a: 1 / 0, lambda *a: object(),
    type, Strange, Unprintable(), lambda *a: Unprintable(), lambda *a: (Unprintable(), 1), (1, Unprintable()),
    [...], lambda *a: ..., lambda *a: {}, lambda *a: a[-1], np.float32("nan"), range(3), iter([]),
]  # fmt: skip


@pytest.mark.parametrize("id", IDS)
def test_strange_answers_never_crash_and_never_pass(id):
    for k, answer in enumerate(STRANGE):
        outcome = exercises.verdict(id, answer)
        assert outcome.ok in (False, None), f"number {k}: {outcome.message}"
        assert outcome.message.startswith(id), f"number {k}: {outcome.message}"


@pytest.mark.parametrize("id", IDS)
def test_hints_and_solution_are_printed(id, capsys):
    for n in range(1, len(REGISTRY[id].hints) + 1):
        exercises.hint(id, n)
    exercises.solution(id)
    printed = capsys.readouterr().out
    assert printed.count("Hint") == len(REGISTRY[id].hints) >= 1
    assert "np.float64" not in printed
    exercises.hint(id, 99)
    assert "has hints 1 to" in capsys.readouterr().out


@pytest.mark.parametrize("id", [id for id in IDS if not callable(REGISTRY[id].solution)])
def test_a_printed_value_is_accepted_as_typed(id):
    task = REGISTRY[id]
    if len(base._names(task)) == 1:
        assert exercises.verdict(id, eval(base.typed(task.solution), {"np": np})).ok


@pytest.mark.parametrize("id", [id for id in IDS if callable(REGISTRY[id].solution)])
def test_arguments_modified_in_place_never_pass(id):
    """The reference solution, which then spoils what it was given."""
    solve, spoiled = REGISTRY[id].solution, []

    def spoil(*args):
        result = solve(*copy.deepcopy(args))
        for value in args:
            if isinstance(value, np.ndarray) and value.size:
                value[...] = 0 if value.dtype.kind == "i" else value + 1
                spoiled.append(value)
            elif isinstance(value, list):
                spoiled.append(value.pop())
        return result

    outcome = exercises.verdict(id, spoil)
    assert outcome.ok is not bool(spoiled), outcome.message
    assert not spoiled or "in place" in outcome.message


def test_check_prints_its_verdict(capsys):
    exercises.check("0.1")
    assert capsys.readouterr().out.startswith("0.1 not attempted yet.")


@pytest.mark.parametrize("id", IDS)
def test_messages_fit_into_95_columns(id, capsys):
    for answer in (..., 3.7, lambda *a: 3.7, "text"):
        exercises.check(id, answer)
    exercises.solution(id)
    code = inspect.getsource(task) if callable(task := REGISTRY[id].solution) else ""
    assert all(len(line) <= 95 or line in code or "answer =" in line for line in capsys.readouterr().out.splitlines())


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_marks_are_coloured_where_colours_can_be_seen(monkeypatch, capsys):
    exercises.check("0.1", lambda w0, w1, hours, mark: 3)
    assert capsys.readouterr().out.startswith("0.1 ✗ ")
    monkeypatch.setattr("sys.stdout", Terminal())
    exercises.check("0.1", lambda w0, w1, hours, mark: 3)
    exercises.check("0.1", REGISTRY["0.1"].solution)
    exercises.check("0.1")
    wrong, right, open_ = re.split(r"\n(?=0\.1)", sys.stdout.getvalue())
    assert wrong.startswith("0.1 \x1b[31m✗\x1b[0m ")
    assert right.startswith("0.1 \x1b[32m✓\x1b[0m ")
    assert "\x1b" not in open_


# --- Numbers of tasks, several answers, half-filled ones ---------------------------------------------------------


@pytest.fixture
def tasks(monkeypatch):
    """A registry of its own: 5.a and 5.b in the core, 5.1, 5.2 and 5.10 at the end."""
    monkeypatch.setattr(base, "REGISTRY", {})
    monkeypatch.setattr(base, "load", lambda number=None: None)
    start = {"start": "Look at the slope.", "hints": ["Downhill."]}

    def step(w, slope, eta):
        return w - eta * slope

    @base.exercise("5.10", "Last", solution=1, **start)
    @base.exercise("5.2", "Second", solution=(1, 2), **start)
    def _(answer):
        base.expect_close(answer, (1, 2), "The pair")

    @base.exercise("5.b", "Two answers", solution=(2.5, 0.125), **start)
    def _(slope, rate):
        base.expect_close(slope, 2.5, "The slope")
        base.expect_close(rate, 0.125, "The rate")

    @base.exercise("5.a", "A step", solution=step, **start)
    def _(answer):
        base.expect_function(answer, step, [(3.0, 4.0, 0.1), (-1.0, 2.5, 0.3)], "The next place")

    return base


def test_tasks_of_the_core_come_first(tasks):
    assert sorted(tasks.REGISTRY, key=tasks.sort_key) == ["5.a", "5.b", "5.2", "5.10"]
    with pytest.raises(ValueError, match="'5.a' in the core or '5.1' at the end; got '5.A'"):
        tasks.exercise("5.A", "", start="", hints=[], solution=1)


@pytest.mark.parametrize("id", ["5.b", "05.b", "5.B", " 5.b "])
def test_numbers_may_be_written_in_several_ways(tasks, id, capsys):
    tasks.check(id, 2.5, 0.125)
    tasks.hint(id)
    tasks.solution(id)
    assert capsys.readouterr().out == (
        '5.b ✓ Right.\nHint 1 of 1: Downhill.  (the last one; solution("5.b") shows an answer)\n'
        "slope = 2.5\nrate = 0.125\n"
    )


@pytest.mark.parametrize("speak", [base.check, base.hint, base.solution])
def test_unknown_numbers_are_answered_with_those_there_are(tasks, speak, capsys):
    for id, words in (
        ("5.c", "no task '5.c'; chapter 5 has 5.a, 5.b, 5.2, 5.10."),
        ("7.1", "tasks of the chapters 5."),
        ("five", "tasks of the chapters 5."),
        (5.2, "in quotation marks"),
        (None, "in quotation marks"),
    ):
        speak(id)
        assert words in capsys.readouterr().out
    with pytest.raises(ValueError, match="no task"):
        tasks.verdict("5.c", 1)


@pytest.mark.parametrize(
    ("answers", "ok", "words"),
    [
        ((), None, "not attempted yet. Look at the slope."),
        ((...,), None, "not attempted yet. Look"),
        ((..., ...), None, "not attempted yet. Look"),
        ((2.5, ...), None, "not finished yet: rate is still open"),
        ((2.5, 0.125), True, "Right"),
        (((2.5, 0.125),), True, "Right"),
        ((2.5,), False, r'2 answers are wanted, check\("5.b", slope, rate\); got 1'),
        ((2.5, 0.125, 3), False, "got 3"),
        ((2.5, 0.25), False, "The rate is twice the right value"),
        ((2.5, "0.125"), False, "text '0.125'. Write the number without quotation marks"),
    ],
)
def test_several_answers(tasks, answers, ok, words):
    outcome = tasks.verdict("5.b", *answers)
    assert outcome.ok is ok
    assert re.search(words, outcome.message), outcome.message


@pytest.mark.parametrize(
    ("answers", "ok", "words"),
    [
        ((1, 2), True, "Right"),
        ([[1, 2]], True, "Right"),
        (([..., ...],), None, "not attempted yet"),
        (([1, ...],), None, r"not finished yet: entry \[1\] is still open"),
        (({"a": 1, "b": ...},), None, r"not finished yet: entry \[b\] is still open"),
        (([1, None],), False, r"entry without a value: entry \[1\]"),
        (([2, 1],), False, "wrong order"),
        (([1, "2"],), False, "Entry .1. is the text '2'"),
        ((lambda: (1, 2),), False, "call the function and pass what it returns"),
    ],
)
def test_answers_in_one_piece_or_in_two(tasks, answers, ok, words):
    outcome = tasks.verdict("5.2", *answers)
    assert outcome.ok is ok, outcome.message
    assert re.search(words, outcome.message), outcome.message


# --- Functions: stubs, errors, hard-coded values -------------------------------------------------------------------


def _begun(w, slope, eta):
    """Take a step."""
    step = eta * slope
    where = ...
    return where + step


def _forgotten(w, slope, eta):
    w - eta * slope


def _endless(w, slope, eta):
    return _endless(w, slope, eta)


def _leaves(w, slope, eta):
    raise SystemExit


@pytest.mark.parametrize(
    ("answer", "ok", "words"),
    [
        (_begun, None, "not attempted yet. .* Line 4 of your function still has dots"),
        (_forgotten, False, "without returning a value"),
        (_endless, False, "calls itself without end, given w = 3, slope = 4, eta = 0.1"),
        (_leaves, False, "stops with SystemExit"),
        (lambda w, slope, eta: 1 / 0, False, "ZeroDivisionError: division by zero, given w = 3, slope = 4"),
        (lambda w, slope: w, False, "does not take the arguments"),
        (lambda w, slope, eta: np.ones((2, 4)) / np.ones(2), False, r"shapes \(2, 4\) and \(2,\), which do not fit"),
        (lambda w, slope, eta: np.ones((2, 4)) @ np.ones(2), False, "inner sizes are 4 and 2"),
        (lambda w, slope, eta: Unprintable(), False, "should be a number; got an object of type Unprintable"),
        (Unprintable(), False, "A function is wanted"),
        (2.6, False, "without calling it"),
        (lambda w, slope, eta: str(w - eta * slope), False, "is the text '2.6'"),
        (lambda w, slope, eta: 2.6, False, "returns 2.6 whatever it is given. It is right for the worked example only"),
        (lambda w, slope, eta: 7, False, "returns 7 whatever it is given. Use"),
        (lambda w, slope, eta: w - 0.1 * slope, False, "You use eta = 0.1, the value of one example"),
        (lambda w, slope, eta: slope - eta * w, False, "w and slope are exchanged"),
        (lambda w, slope, eta: 2 * (w - eta * slope), False, "is twice the right value"),
        (lambda w, slope, eta: w + eta * slope, False, "Given w = 3, slope = 4, eta = 0.1: the next place is 3.4; it"),
        (lambda w, slope, eta: [w - eta * slope], True, "Right"),
        (lambda w, slope, eta: np.float32(w - eta * slope), True, "Right"),
        (lambda w, slope, eta: abs(w - eta * slope), False, "slope = 2.5, eta = 0.3: .* wrong sign|wrong sign"),
    ],
)
def test_functions(tasks, answer, ok, words):
    outcome = tasks.verdict("5.a", answer)
    assert outcome.ok is ok, outcome.message
    assert re.search(words, outcome.message), outcome.message


def test_an_interrupted_check_stops(tasks):
    def interrupted(w, slope, eta):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tasks.verdict("5.a", interrupted)


def test_a_slip_is_blamed_only_if_it_holds_in_every_case():
    """Doubling and squaring agree at 2: the first case alone cannot tell them apart."""
    with pytest.raises(Wrong, match="is the square of the right value"):
        base.expect_function(lambda x: x**2, lambda x: x, [(2.0,), (3.0,)], "The value")
    with pytest.raises(Wrong, match="Given x = 5: the value is 10; it should be 5"):
        base.expect_function(lambda x: x * (2 if x == 5 else 3), lambda x: x, [(5.0,), (3.0,)], "The value")
    with pytest.raises(Wrong, match="is twice the right value or is the square of the right value"):
        expect_close(4, 2, "The value")


def test_a_slip_that_is_listed_goes_first():
    def right(x, lam):
        return x / (1 + lam)

    cases = [(np.array([1.0, 4.0]), 2.0), (np.array([3.0, -1.0]), 0.5)]
    slips = [(lambda x, lam: x / (1 + 2 * lam), "doubled"), (lambda x, lam: x / (1 + lam**2), "squared")]
    for wrong, words in slips:
        with pytest.raises(Wrong, match=words):
            base.expect_function(wrong, right, cases, "The weights", slips=slips)
    with pytest.raises(
        Wrong, match=r"Given x = \[1, 4\], lam = 2: in the weights, entry \[1\] is 2.333; it should be 1.3"
    ):
        base.expect_function(lambda x, lam: right(x, lam) + [0, 1], right, cases, "The weights", slips=slips)


# --- Values: slips and forms -----------------------------------------------------------------------------------------

TABLE = [[1.0, 2.0], [3.0, 4.0]]


@pytest.mark.parametrize(
    ("value", "wanted", "words"),
    [
        ([[1.0, 3.0], [2.0, 4.0]], TABLE, "transposed"),
        ([[2.0, 4.0], [6.0, 8.0]], TABLE, "twice"),
        ([[0.5, 1.0], [1.5, 2.0]], TABLE, "half"),
        ([[-1.0, -2.0], [-3.0, -4.0]], TABLE, "wrong sign"),
        ([1.0, 2.0], TABLE, r"shape \(2,\); shape \(2, 2\) is wanted"),
        ([[np.nan, 2.0], [3.0, 4.0]], TABLE, "nan"),
        ("abc", TABLE, "should be a number; got the text 'abc'"),
        ([1.0, "abc"], [1.0, 2.0], "should be numbers; got the text"),
        (None, TABLE, "without returning a value"),
        ((1.0, None), TABLE, r"entry without a value: entry \[1\]"),
        ([[1.0, 2.0], [3.0, 5.0]], TABLE, r"entry \[1, 1\] is 5; it should be 4"),
        ([[1.0, 2.5], [3.0, 5.0]], TABLE, r"entry \[0, 1\] .*2 of 4 entries differ"),
        ([[1.0, 2.0, 3.0]] * 2, np.ones((3, 2)), "Rows and columns are swapped"),
        ([[1.0], [2.0], [3.0]], [1, 2, 3], r"Use .ravel\(\)"),
        ([1, 2], [1, 2, 3], "2 entries; 3 are wanted"),
        ([3, 7], [7, 3], "exchange the two"),
        ([3, 1, 2], [1, 2, 3], "right values in another order"),
        ([3, 2, 1], [1, 2, 3], "reverse order"),
        ("0.279", 0.279, "is the text '0.279'. Write the number without quotation marks: 0.279"),
        (True, 1, "should be a number; got True"),
        (3 + 4j, 5, "complex"),
        (0.7, 0.3, "one minus the right value"),
        (30, 0.3, "in per cent"),
        (0.09, 0.3, "square of the right"),
        (9, 81, "square root of the right"),
        (0.125, 8, "one over the right"),
        (-8, 8, "wrong sign"),
        ([1, 2], [1, -2], "lost its sign"),
        (0.84, 0.8377, "is rounded or cut off too far: give 6|is rounded"),
        (1.399, 1.39936, "rounded"),
        (1.39936123, 1.39936456, "is 1.399361; it should be 1.399365"),
        (2400, 2401, "is 2400; it should be 2401"),
        ({"a": 1}, 1, "is a dict"),
    ],
)  # fmt: skip
def test_expect_close_recognises_common_slips(value, wanted, words):
    with pytest.raises(Wrong, match=words):
        expect_close(value, wanted, "The matrix")


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        ([1, 2], (1.0, 2.0)),
        ((1, 2), [1.0, 2.0]),
        (np.array([1, 2]), [1.0, 2.0]),
        (np.array([1.1, 2.3], dtype=np.float32), [1.1, 2.3]),
        ([np.float32(1.1), np.float32(2.3)], [1.1, 2.3]),
        ([np.array([1.0]), np.array(2.0)], [1.0, 2.0]),
        (np.array(3.0), 3),
        (np.array([3.0]), 3),
        ([3.0], 3),
        (3, [3.0]),
        (np.array([[3.0]]), 3),
        (np.array([1.5 + 0j, 2]), [1.5, 2]),
        (np.array([True, False]), [1, 0]),
        (range(3), [0, 1, 2]),
        ((k for k in (1, 2)), [1, 2]),
        (np.inf, np.inf),
        ([Fraction(1, 3), Decimal("0.5")], [1 / 3, 0.5]),
    ],
)
def test_expect_close_accepts_every_form(value, wanted):
    expect_close(value, wanted, "The value")


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ((0.3, -1.4, 2.2), "b has the wrong sign, and the rest is right"),
        ((0.3, 2.8, 2.2), "b is twice the right value, and"),
        ((0.3, -1.4, -2.2), "b and c have the wrong sign, and"),
        ((0.3, 1.5, 2.2), "b is not 1.5"),
    ],
)
def test_slips_of_one_entry_are_recognised(value, words):
    with pytest.raises(Wrong, match=f"^The weights: {words}"):
        expect_close(value, (0.3, 1.4, 2.2), "The weights", names="a, b, c", reveal=False)


def test_whole_numbers_of_one_digit_are_no_slip_by_chance():
    with pytest.raises(Wrong, match="b is not 2"):
        expect_close((3, 2, 5), (3, 1, 5), "The counts", names="a, b, c", reveal=False)


def test_divisors_are_recognised_if_the_number_of_samples_is_known():
    x = np.random.default_rng(1).normal(size=9)
    with pytest.raises(Wrong, match="divided by n where n - 1 is wanted"):
        expect_close(x.var(), x.var(ddof=1), "The variance", n=9)
    with pytest.raises(Wrong, match="divided by n - 1 where n is wanted"):
        expect_close(x.std(ddof=1), x.std(), "The spread", n=9)


def test_entries_have_names_and_may_come_as_a_dict():
    expect_close({"w": 1, "B": 2}, (1, 2), "The line", names="w, b")
    with pytest.raises(Wrong, match="The line: b is 3; it should be 2"):
        expect_close((1, 3), (1, 2), "The line", names="w, b")
    with pytest.raises(Wrong, match="should have the keys w, b; it has w"):
        expect_close({"w": 1}, (1, 2), "The line", names="w, b")
    with pytest.raises(Wrong, match="b is not 3"):
        expect_close((1, 3), (1, 2), "The line", names="w, b", reveal=False)


def test_a_known_entry_may_stand_beside_any_other():
    for value in ((1, 7), (5, 7)):
        with pytest.raises(Wrong, match="seven"):
            expect_close(value, (1, 2), "The pair", known=[((..., 7), "seven")])


def test_tuples_of_arrays_are_compared_part_by_part():
    w, X = np.array([1.0, 2.0]), np.arange(6.0).reshape(3, 2)
    expect_close((w.tolist(), X), (w, X), "The result", names="w, X")
    with pytest.raises(Wrong, match=r"another order. Return \(w, X\)"):
        expect_close((X, w), (w, X), "The result", names="w, X")
    with pytest.raises(Wrong, match="The result: X is twice the right value"):
        expect_close((w, 2 * X), (w, X), "The result", names="w, X")
    with pytest.raises(Wrong, match="should be 2 things"):
        expect_close(w[0], (w, X), "The result", names="w, X")


def test_expect_close_keeps_a_secret():
    with pytest.raises(Wrong, match=r"The limit is not 7\."):
        expect_close(7, 3, "The limit", reveal=False)


def test_a_generous_tolerance_blames_nothing_that_is_not_ruled_in():
    with pytest.raises(Wrong, match="is not 0.004"):
        expect_close(0.004, 0.08, "The rate", rtol=0, atol=0.01, reveal=False)


@pytest.mark.parametrize(
    "answer", ["CAB", "C-A-B", "c, a, b", ["C", "A", "B"], ("c", "a", "b"), np.array(["C", "A", "B"])]
)
def test_letters_in_every_form(answer):
    assert base.letters(answer, "ABC", once=True) == "CAB"
    assert base.letters(answer, "ABC", ordered=False) == "ABC"


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("AB", "each of the letters A, B, C exactly once"),
        ("ABX", "A to C only"),
        ("", "A to C only"),
        (3, "as a string"),
        (["A", 1], "as a string"),
        ({"A", "B", "C"}, "no order"),
    ],
)
def test_letters_that_are_none(answer, words):
    with pytest.raises(Wrong, match=words):
        base.letters(answer, "ABC", once=True)


@pytest.mark.parametrize(
    "answer", [[1, 3], (3, 1), {1, 3}, np.array([1.0, 3.0]), [False, True, False, True], np.array([0, 1, 0, 1]) == 1,
               [0, 1, 0, 1]]
)  # fmt: skip
def test_points_in_every_form(answer):
    assert base.points(answer, 4) == {1, 3}


@pytest.mark.parametrize("answer", [[1, 9], [], "13", 2.5, True, [1, "two"], np.array([True, False]), None])
def test_points_that_are_none(answer):
    with pytest.raises(Wrong, match="between 0 and 3|truth values"):
        base.points(answer, 4)


def test_sets_say_what_is_too_much_and_what_is_missing():
    with pytest.raises(Wrong, match="Your points: 7 should not be there, and two numbers are missing"):
        base.expect_set({1, 7}, {1, 2, 3}, "Your points")
    with pytest.raises(Wrong, match="Your points: one number is missing"):  # "1 is missing" reads as point 1
        base.expect_set({1, 2}, {1, 2, 3}, "Your points")
    with pytest.raises(Wrong, match="Your letters: one letter is missing"):
        base.expect_set("AB", "ABC", "Your letters")


def test_a_number_typed_as_text_comes_back_as_python_reads_it():
    for text, plain in [("03", "3"), (" 0.5", "0.5"), ("-007,5", "-7.5"), ("0", "0")]:
        with pytest.raises(Wrong, match=f"quotation marks: {re.escape(plain)}\\.$"):
            base.numbers(text, "It")


def test_truth_values_in_every_form():
    assert all(base.truth(value, "") for value in (True, np.bool_(True), np.array([True]), 1))
    assert not any(base.truth(value, "") for value in (False, np.bool_(False), 0))
    with pytest.raises(Wrong, match="True or False; got 'yes'"):
        base.truth("yes", "It")


def _forever(w, slope, eta):
    while True:
        try:
            w += slope
        except Exception:
            pass


def test_an_answer_that_never_ends_is_stopped_with_words(tasks, monkeypatch):
    monkeypatch.setattr(trial, "SECONDS", 0.2)
    outcome = tasks.verdict("5.a", _forever)
    assert outcome.ok is False
    assert "had not ended after 0.2 seconds of computing, given w = 3, slope = 4, eta = 0.1" in outcome.message
    assert signal.getitimer(signal.ITIMER_PROF)[0] == 0


def test_no_timer_where_there_is_none(tasks, monkeypatch):
    monkeypatch.delattr(signal, "setitimer")
    assert tasks.verdict("5.a", lambda w, slope, eta: w - eta * slope).ok


def test_the_stop_button_shows_no_insides_of_the_checker(tasks):
    def stopped(w, slope, eta):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as caught:
        tasks.check("5.a", stopped)
    assert "".join(caught.value._render_traceback_()).startswith("5.a: you stopped the check")

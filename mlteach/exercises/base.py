"""Tasks that are checked: ``check`` says what is wrong, ``hint`` helps, ``solution`` shows one way.

How to write a task
-------------------
Tasks inside the core of chapter 5 are called "5.a", "5.b", ..., exercises at its end "5.1", "5.2", .... A chapter's
module lists them in the order of the notebook, as data: ``tasks.py`` says how, ``clustering.py`` is a model, and
``slips.py`` explains the tables of mistakes. Name your chapter's Watch-outs there.

A task that fits neither form of ``tasks.py`` decorates the function that checks it::

    @exercise("5.c", "Any downhill step", start="...", hints=["..."], solution=[-1, 0])
    def any_downhill_step(answer):
        if numbers(answer, "first, second")[0] >= 0:
            raise Wrong("You walk uphill: subtract the step.")
        return "Right."

``Wrong`` carries the explanation; returning means right, and what is returned is printed. A student's function is
called through ``call`` alone. ``expect_close``, ``expect_function`` and ``expect_set`` compare, ``numbers``,
``letters``, ``points`` and ``truth`` read an answer in any form.

What you need not write: dots that are left over, a missing return, errors inside the student's function, arguments
changed in place, text for a number, forms (list, array, float32, (1,)), the slips that everybody makes (sign,
factor 2, square, root, per cent, one minus, order, rounding, n against n - 1 if you pass ``n``, a value of the
worked example hard-coded), and every small change of the solution. What you must think of: inputs that tell mistakes
apart. Never 2 where doubling and squaring agree, no symmetric matrix where the transpose matters, the boundary case
among the cases, and each parameter with at least two values. Wrong answers that no table holds, with the words they
must provoke, and right answers of another form stand in ``tests/wrong_answers/<slug>.py``.
"""

import importlib.util
import inspect
import re
import sys
import textwrap
import warnings
from typing import NamedTuple

import numpy as np

from mlteach import record
from mlteach.course import chapters
from mlteach.exercises.forms import Wrong, brief, letters, numbers, points, truth
from mlteach.exercises.judge import expect_close, expect_function, expect_set
from mlteach.exercises.trial import call, dots
from mlteach.threads import one_thread

__all__ = [
    "REGISTRY", "Exercise", "Verdict", "Wrong", "brief", "call", "check", "exercise", "expect_close",
    "expect_function", "expect_set", "hint", "letters", "numbers", "points", "solution", "sort_key", "truth", "verdict",
]  # fmt: skip

REGISTRY = {}
WIDTH = 95


class Exercise(NamedTuple):
    """One task: its number, title, checking function, hints, reference solution, and what each of its values is."""

    id: str
    title: str
    check: object
    start: str = ""
    hints: tuple = ()
    solution: object = None
    explanation: str = ""
    mistakes: object = tuple  # a function that returns the listed wrong answers with their words
    asked: tuple = ()


class Verdict(NamedTuple):
    """The outcome of a check: ``ok`` is True, False, or None when nothing was attempted."""

    ok: bool | None
    message: str


class Stopped(KeyboardInterrupt):
    """The stop button was pressed; a notebook shows these words, and not the checker's insides."""

    def _render_traceback_(self):
        return [_wrap(str(self))]


def exercise(id, title, *, start, hints, solution, explanation=""):
    """Register the decorated function as the check of task ``id``, "5.a" in the core or "5.1" at the end.

    start         one sentence shown while nothing has been attempted
    hints         from gentle to nearly everything
    solution      the reference answer: a function (its source is shown) or a value; a tuple for several answers
    explanation   what to read beside the solution
    """
    _expect_id(id)

    def decorate(function):
        register(Exercise(id, title, function, start, tuple(hints), solution, textwrap.dedent(explanation).strip()))
        return function

    return decorate


def register(exercise):
    """Enter a task under its number."""
    _expect_id(exercise.id)
    REGISTRY[exercise.id] = exercise


def _expect_id(id):
    if not re.fullmatch(r"\d+\.([a-z]|[1-9]\d*)", id):
        raise ValueError(f"a task is called like '5.a' in the core or '5.1' at the end; got {id!r}.")


def load(number=None):
    """Import the tasks of chapter ``number``, or of all chapters, as far as they are written."""
    for chapter in chapters():
        name = f"mlteach.exercises.{chapter.slug}"
        if number in (None, chapter.number) and name not in sys.modules and importlib.util.find_spec(name):
            importlib.import_module(name)


def sort_key(id):
    """Return the place of a task: by chapter, tasks of the core (a, b, ...) before exercises (1, 2, ...)."""
    chapter, name = id.split(".")
    return int(chapter), name.isdigit(), int(name) if name.isdigit() else ord(name)


def verdict(id, *answers):
    """Judge the answers to a task and return the Verdict; ``check`` prints the same."""
    task = _find(id)
    id = task.id
    try:
        answers = _arranged(task, answers)
        waiting = _waiting(task, answers)
    except Wrong as wrong:
        return Verdict(False, f"{id} ✗ {wrong}")
    if waiting is not None:
        return Verdict(None, f"{id} {waiting}")
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"), one_thread():
            warnings.simplefilter("ignore")
            for answer, right in zip(answers, _solutions(task)):
                _expect_kind(answer, right)
            remark = task.check(*answers)
    except Wrong as wrong:
        return Verdict(False, f'{id} ✗ {wrong} hint("{id}") has more.')
    except (Exception, SystemExit):  # an answer may be anything at all
        what = ", ".join(map(brief, answers))
        return Verdict(False, f'{id} ✗ This is not the kind of answer that is wanted: {what}. hint("{id}") has more.')
    return Verdict(True, f"{id} ✓ {remark or 'Right.'}")


def check(id, *answers):
    """Print whether the answers solve task ``id``, and if not, what is wrong with them."""
    try:
        found = verdict(id, *answers)
        text = _wrap(found.message)
        if found.ok is not None:
            record.note(found.message.split()[0], found.ok)
    except ValueError as error:
        text = _wrap(str(error))
    except KeyboardInterrupt:
        raise Stopped(f"{id}: you stopped the check while your answer was still at work.") from None
    if _coloured():
        text = text.replace("✓", "\x1b[32m✓\x1b[0m", 1).replace("✗", "\x1b[31m✗\x1b[0m", 1)
    print(text)


def hint(id, n=1):
    """Print the ``n``-th hint of task ``id``."""
    try:
        task = _find(id)
    except ValueError as error:
        return print(_wrap(str(error)))
    hints, id = task.hints, task.id
    if not isinstance(n, int) or not 1 <= n <= len(hints):
        return print(_wrap(f"{id} has hints 1 to {len(hints)}; there is no hint {brief(n)}."))
    more = f'hint("{id}", {n + 1}) says more' if n < len(hints) else f'the last one; solution("{id}") shows an answer'
    return print(_wrap(f"Hint {n} of {len(hints)}: {hints[n - 1]}  ({more})"))


def solution(id):
    """Print a solution of task ``id`` with its explanation."""
    try:
        task = _find(id)
    except ValueError as error:
        return print(_wrap(str(error)))
    answers = _solutions(task)
    names = _names(task) if len(answers) > 1 else ["answer"]
    for name, answer in zip(names, answers):
        is_code = inspect.isfunction(answer)
        print(textwrap.dedent(inspect.getsource(answer)).rstrip() if is_code else f"{name} = {typed(answer)}")
    if task.explanation:
        print()
        print(_wrap(task.explanation))
    return None


def typed(value):
    """Return a value as a student would type it: no np.float64, no endless digits."""
    if isinstance(value, np.ndarray):
        return typed(value.tolist())
    if isinstance(value, (tuple, list)):
        inner = ", ".join(map(typed, value))
        return f"[{inner}]" if isinstance(value, list) else f"({inner}{',' * (len(value) == 1)})"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{typed(key)}: {typed(part)}" for key, part in value.items()) + "}"
    if isinstance(value, (float, np.floating)):
        return repr(float(f"{float(value):.10g}")) if np.isfinite(value) else f"np.{float(value)}"
    return repr(value.item() if isinstance(value, np.generic) else value)


def _find(id):
    """Return the task of a number such as "8.2", also written "08.2", "5.A" or with spaces."""
    if not isinstance(id, str):
        raise ValueError(f'Write the number of the task in quotation marks, such as "5.1"; got {brief(id)}.')
    match = re.fullmatch(r"\s*0*(\d+)\.0*(\w+)\s*", id)
    name = f"{match[1]}.{match[2].lower()}" if match else id
    load(int(match[1]) if match else None)
    if name in REGISTRY:
        return REGISTRY[name]
    load()
    near = [other for other in REGISTRY if match and other.split(".")[0] == match[1]]
    if near:
        raise ValueError(f"There is no task {id!r}; chapter {match[1]} has {', '.join(sorted(near, key=sort_key))}.")
    chapters = sorted({int(other.split(".")[0]) for other in REGISTRY})
    raise ValueError(f"There is no task {id!r}; there are tasks of the chapters {', '.join(map(str, chapters))}.")


def _names(task):
    """Return the names of the answers that a check takes."""
    return [name.replace("_", " ").strip() for name in inspect.signature(task.check).parameters]


def _solutions(task):
    return (task.solution,) if len(_names(task)) == 1 else tuple(task.solution)


def _arranged(task, answers):
    """Return as many answers as the check takes; one tuple may stand for several, and several for one tuple."""
    names = _names(task)
    if not answers or len(answers) == len(names):
        return answers or (...,) * len(names)
    if len(names) == 1:
        return (answers,)
    several = _is_list(answers[0]) or (isinstance(answers[0], np.ndarray) and answers[0].ndim > 0)
    if len(answers) == 1 and several and len(answers[0]) == len(names):
        return tuple(answers[0])
    if all(map(_untouched, answers)):
        return (...,) * len(names)
    wanted = f'check("{task.id}", {", ".join(name.replace(" ", "_") for name in names)})'
    raise Wrong(f"{len(names)} answers are wanted, {wanted}; got {len(answers)}.")


def _waiting(task, answers):
    """Return what to say about answers that are still open, None if all are filled in."""
    untouched = f"not attempted yet. {task.start}"
    still = [name for name, answer in zip(_names(task), answers) if _untouched(answer)]
    if len(still) == len(answers):
        line = dots(answers[0])
        return f"{untouched} Line {line} of your function still has dots." if line else untouched
    if still:
        return f"not finished yet: {' and '.join(still)} {'is' if len(still) == 1 else 'are'} still open."
    for name, answer in zip(_names(task), answers):
        places = answer.items() if isinstance(answer, dict) else enumerate(answer if _is_list(answer) else ())
        empty = [key for key, part in places if part is ...]
        if empty:
            of = f" of {name}" if len(answers) > 1 else ""
            return f"not finished yet: entry [{', '.join(map(str, empty))}]{of} is still open."
    return None


def _untouched(answer):
    if _is_list(answer) or isinstance(answer, dict):
        parts = list(answer.values() if isinstance(answer, dict) else answer)
        return bool(parts) and all(part is ... for part in parts)  # an empty list is an answer: none of them
    return answer is ... or answer is None or dots(answer) is not None


def _is_list(answer):
    return isinstance(answer, (tuple, list))


def _expect_kind(answer, right):
    """Raise Wrong if a function came for a value, a value for a function, or text for a number."""
    if callable(right) and not callable(answer):
        raise Wrong(f"A function is wanted; got {brief(answer)}. Pass the function itself, without calling it.")
    if callable(answer) and not callable(right):
        raise Wrong("You pass a function. What is wanted is a value: call the function and pass what it returns.")
    if isinstance(right, (int, float)) and isinstance(answer, str):
        numbers(answer, "Your answer")
    if _is_list(right) and _is_list(answer) and len(right) == len(answer):
        for k, (mine, other) in enumerate(zip(answer, right)):
            if isinstance(other, (int, float)) and isinstance(mine, str):
                numbers(mine, f"Entry [{k}]")


def _wrap(text):
    return textwrap.fill(text, WIDTH, break_long_words=False, break_on_hyphens=False)


def _coloured():
    """Say whether marks are coloured: in a notebook and in a terminal, not in a file."""
    return type(sys.stdout).__module__.startswith("ipykernel") or sys.stdout.isatty()

"""Exercises that are checked: ``check`` says what is wrong, ``hint`` helps, ``solution`` shows one way.

A chapter's module registers each exercise by decorating the function that checks it::

    @exercise("4.1", "The line by hand", hints=["..."], solution=fit_by_hand)
    def _(answer):
        expect_close(answer(x, y), (1.3, 0.9), "Your line")

The check raises ``Wrong`` with an explanation; returning means right. It may return a closing remark. Whatever an
answer does (wrong type, wrong shape, an exception of its own) becomes a message, never a traceback. Nothing is
stored and nothing leaves the machine.
"""

import dis
import inspect
import textwrap
from typing import NamedTuple

import numpy as np

REGISTRY = {}


class Wrong(Exception):
    """What is wrong with an answer, in words that help."""


class Exercise(NamedTuple):
    """One exercise: its number, title, checking function, hints and reference solution."""

    id: str
    title: str
    check: object
    start: str
    hints: tuple
    solution: object
    explanation: str


class Verdict(NamedTuple):
    """The outcome of a check: ``ok`` is True, False, or None when nothing was attempted."""

    ok: bool | None
    message: str


def exercise(id, title, *, start, hints, solution, explanation=""):
    """Register the decorated function as the check of exercise ``id``.

    start         one sentence shown while nothing has been attempted
    hints         from gentle to nearly everything
    solution      the reference answer: a function (its source is shown) or a value
    explanation   what to read beside the solution
    """

    def register(function):
        REGISTRY[id] = Exercise(
            id, title, function, start, tuple(hints), solution, textwrap.dedent(explanation).strip()
        )
        return function

    return register


def verdict(id, answer):
    """Judge ``answer`` and return the Verdict; ``check`` prints the same."""
    task = _find(id)
    if _untouched(answer):
        return Verdict(None, f"{id} not attempted yet. {task.start}")
    try:
        remark = task.check(answer)
    except Wrong as wrong:
        return Verdict(False, f'{id} ✗ {wrong} hint("{id}") has more.')
    except Exception as error:  # an answer may be anything at all
        return Verdict(False, f"{id} ✗ {_failure(answer, error)}")
    return Verdict(True, f"{id} ✓ {remark or 'Right.'}")


def check(id, answer=...):
    """Print whether ``answer`` solves exercise ``id``, and if not, what is wrong with it."""
    print(textwrap.fill(verdict(id, answer).message, 110, break_long_words=False, break_on_hyphens=False))


def hint(id, n=1):
    """Print the ``n``-th hint of exercise ``id``."""
    hints = _find(id).hints
    if not isinstance(n, int) or not 1 <= n <= len(hints):
        raise ValueError(f"exercise {id} has hints 1 to {len(hints)}; got {n!r}.")
    more = (
        f'  (hint("{id}", {n + 1}) says more)'
        if n < len(hints)
        else f'  (the last one; solution("{id}") shows an answer)'
    )
    print(textwrap.fill(f"Hint {n} of {len(hints)}: {hints[n - 1]}{more}", 110, break_on_hyphens=False))


def solution(id):
    """Print a solution of exercise ``id`` with its explanation."""
    task = _find(id)
    answer = task.solution
    print(textwrap.dedent(inspect.getsource(answer)).rstrip() if inspect.isfunction(answer) else f"answer = {answer!r}")
    if task.explanation:
        print()
        print(textwrap.fill(task.explanation, 110, break_on_hyphens=False))


def expect_close(value, wanted, what, *, known=(), rtol=1e-6, atol=1e-9, reveal=True):
    """Raise Wrong unless ``value`` equals ``wanted``; ``known`` lists ``(wrong value, explanation)`` to recognise.

    Recognised without being listed: a missing return, a wrong shape, a wrong sign, a factor of two, a transposed
    array. ``reveal=False`` keeps the right value secret, for exercises whose answer is that value.
    """
    if value is None or value is ...:
        raise Wrong(f"{what} is {value}: your function ends without returning a value.")
    if isinstance(value, tuple | list) and any(part is None or part is ... for part in value):
        raise Wrong(f"{what} has an entry without a value: {_brief(value)}.")
    try:
        value = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise Wrong(f"{what} should be {_kind(wanted)}; got {_brief(value)}.") from None
    wanted = np.asarray(wanted, dtype=float)

    def same(a, b):
        return a.shape == b.shape and np.allclose(a, b, rtol=rtol, atol=atol)

    if same(value, wanted):
        return
    for wrong, explanation in known:
        if same(value, np.asarray(wrong, dtype=float)):
            raise Wrong(explanation)
    if value.shape != wanted.shape:
        if value.T.shape == wanted.shape:
            raise Wrong(f"{what} has shape {value.shape}; {wanted.shape} is wanted. Rows and columns are swapped.")
        raise Wrong(f"{what} has shape {value.shape or '() (one number)'}; {wanted.shape or 'one number'} is wanted.")
    if np.isnan(value).any():
        raise Wrong(f"{what} contains nan. Look for 0/0, or for the logarithm or root of a negative number.")
    for factor, words in ((-1, "the wrong sign"), (2, "twice the right value"), (0.5, "half the right value")):
        if same(value, factor * wanted):
            raise Wrong(f"{what} has {words}." if factor == -1 else f"{what} is {words}.")
    if value.ndim == 2 and value.T.shape == wanted.shape and same(value.T, wanted):
        raise Wrong(f"{what} is transposed.")
    if not reveal:
        raise Wrong(f"{what} is not {_brief(value)}.")
    raise Wrong(f"{what} is {_brief(value)}; it should be {_brief(wanted)}.")


def _find(id):
    if id not in REGISTRY:
        chapter = str(id).split(".")[0]
        near = [other for other in REGISTRY if other.split(".")[0] == chapter] or sorted(REGISTRY)
        raise ValueError(f"there is no exercise {id!r}; there are {', '.join(near)}.")
    return REGISTRY[id]


def _untouched(answer):
    if answer is ... or answer is None:
        return True
    if isinstance(answer, (tuple, list)):
        return len(answer) == 0 or any(part is ... for part in answer)
    if inspect.isfunction(answer):
        idle = {"RESUME", "LOAD_CONST", "RETURN_VALUE", "RETURN_CONST", "NOP", "COPY_FREE_VARS"}
        return {step.opname for step in dis.get_instructions(answer)} <= idle and not _returns_value(answer)
    return False


def _returns_value(function):
    constants = [c for c in function.__code__.co_consts if c is not None and c is not ...]
    return bool(constants) and constants != [function.__doc__]


def _failure(answer, error):
    if "object is not callable" in str(error) and not callable(answer):
        return f"A function is wanted; got {_brief(answer)}. Pass the function itself, without calling it."
    if callable(answer):
        return f"Your function stopped with {type(error).__name__}: {error}. Call it on a small case to see where."
    return f"This is not the kind of answer that is wanted: {_brief(answer)} ({type(error).__name__}: {error})."


def _kind(wanted):
    shape = np.shape(wanted)
    return f"an array of shape {shape}" if shape else "a number"


def _brief(value):
    if isinstance(value, np.ndarray) and value.ndim == 0:
        return f"{value:.4g}"
    text = np.array2string(value, precision=4, threshold=8) if isinstance(value, np.ndarray) else repr(value)
    return textwrap.shorten(text, 70, placeholder=" …")

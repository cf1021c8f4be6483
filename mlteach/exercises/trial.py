"""Call a student's function safely: on copies, with every failure turned into words that name the input.

A function that does not end is stopped after ten seconds of computing, where the system has a timer for that and the
check runs in the main thread. The timer counts the work of the processor, so that a busy machine stops nobody early.
"""

import ast
import contextlib
import copy
import inspect
import re
import signal
import textwrap
import threading
import traceback

import numpy as np

from mlteach.exercises.forms import Wrong, brief

SECONDS = 10  # of computing, for one call


class TooLong(BaseException):
    """The time is over; not an Exception, which a student's own ``except Exception`` would catch."""


def call(answer, *args):
    """Return ``answer(*args)``: it gets copies, and changing them or stopping with an error raises Wrong."""
    if not callable(answer):
        raise Wrong(f"A function is wanted; got {brief(answer)}. Pass the function itself, without calling it.")
    names = parameters(answer, len(args))
    given = describe(args, names)
    copies = copy.deepcopy(args)
    try:
        with time_limit():
            result = answer(*copies)
    except Wrong:
        raise
    except TooLong:
        words = f"Your function was stopped: it had not ended after {SECONDS} seconds of computing, given {given}."
        raise Wrong(f"{words} Look for a loop whose condition never becomes false, or for too many rounds.") from None
    except RecursionError:
        raise Wrong(f"Your function calls itself without end, given {given}.") from None
    except (Exception, SystemExit) as error:
        raise Wrong(_stopped(error, given, args)) from error
    for name, before, after in zip(names, args, copies):
        if not unchanged(before, after):
            how = "append, remove, sort and item assignment change the original."
            if isinstance(before, np.ndarray):
                how = f"write {name} = {name} - ... instead of {name} -= ..., or start with a copy of it."
            words = f"Your function changes its argument {name} in place, which the caller still needs."
            raise Wrong(f"{words} Work on a copy: {how}")
    return result


@contextlib.contextmanager
def time_limit():
    """Raise TooLong inside the block once it has computed for SECONDS, and again each second, should it be caught."""
    able = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
    if not able or signal.getitimer(signal.ITIMER_PROF)[0]:  # no timer here, or somebody else uses it
        yield
        return
    before = signal.signal(signal.SIGPROF, _ring)
    signal.setitimer(signal.ITIMER_PROF, SECONDS, 1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _ring(*_):
    raise TooLong


def parameters(function, n):
    """Return names for ``n`` arguments of a function, its own where they can be found out."""
    try:
        own = [p.name for p in inspect.signature(function).parameters.values() if p.kind <= p.POSITIONAL_OR_KEYWORD]
    except Exception:  # built in, or an object of its own ways
        own = []
    return own[:n] + [f"number {k + 1}" for k in range(len(own), n)]


def describe(args, names):
    """Return the arguments of a call in words: small ones with their values, large ones with their shape."""
    parts = []
    for name, value in zip(names, args):
        if callable(value):
            continue
        value = value.tolist() if isinstance(value, np.ndarray) and value.size <= 8 else value
        if isinstance(value, np.ndarray):
            parts.append(f"{name} of shape {value.shape}")
        else:
            parts.append(f"{name} = {brief(value)}")
    return ", ".join(parts) or "what the check gave it"


def unchanged(before, after):
    """Say whether arrays, lists, dicts and sets still hold what they held; other arguments may do as they like."""
    if isinstance(before, np.ndarray):
        same = before.shape == after.shape and before.dtype == after.dtype
        return same and np.array_equal(before, after, equal_nan=before.dtype.kind == "f")
    if isinstance(before, (list, tuple)):
        return len(before) == len(after) and all(unchanged(b, a) for b, a in zip(before, after))
    if isinstance(before, dict):
        return list(before) == list(after) and all(unchanged(b, after[key]) for key, b in before.items())
    if isinstance(before, (set, frozenset, str, int, float)):
        return before == after or before != before
    return True


def dots(function):
    """Return where a function still waits: 0 if nothing is written yet, else the line (1 is the def) of some dots.

    Dots stand alone or after = or return. None means that nothing waits, as far as there is source to read.
    """
    if not inspect.isfunction(function):
        return None
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    except Exception:  # a lambda in the middle of a line, or no source at all
        return None
    if not isinstance(tree, ast.FunctionDef):
        return None
    statements = (ast.Expr, ast.Return, ast.Assign, ast.AnnAssign)
    lines = [node.lineno for node in ast.walk(tree) if isinstance(node, statements) and _open(node.value)]
    if all(_idle(node) for node in tree.body):
        return 0
    return min(lines, default=None)


def _idle(node):
    if isinstance(node, (ast.Expr, ast.Return)):  # a docstring, dots, return, return None
        empty = node.value is None or (isinstance(node.value, ast.Constant) and node.value.value in (None, ...))
        return empty or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
    return isinstance(node, ast.Pass)


def _open(node):
    if isinstance(node, ast.Tuple):
        return any(_open(part) for part in node.elts)
    return isinstance(node, ast.Constant) and node.value is ...


def _raised_inside(error, args):
    """Say whether an error comes from a function that the student's function was given."""
    last = [frame for frame, _ in traceback.walk_tb(error.__traceback__)][-1]
    return any(last.f_code is getattr(arg, "__code__", None) for arg in args)


def _stopped(error, given, args):
    """Return words for an exception inside a student's function."""
    try:
        text = str(error).rstrip(".")
    except Exception:
        text = "it cannot even be printed"
    if _raised_inside(error, args):
        return (
            f"A function that yours was given stops with {type(error).__name__}: what you pass on to it has not the "
            f"shape or kind that it takes. Yours was given {given}."
        )
    shapes = re.findall(r"\([\d, ]*\)", text)
    if "broadcast" in text and len(shapes) >= 2:
        one, other = (str(tuple(int(n) for n in re.findall(r"\d+", shape))) for shape in shapes[:2])
        return (
            f"Your function combines arrays of shapes {one} and {other}, which do not fit together, given {given}. "
            "Find where each comes from: the axis of a sum or mean, where keepdims=True or [:, None] keeps a column a "
            "column, or svd without full_matrices=False."
        )
    sizes = re.search(r"size (\d+) is different from (\d+)|shapes .* not aligned: (\d+) .* != (\d+)", text)
    if sizes:
        one, other = [size for size in sizes.groups() if size][::-1]
        return (
            f"Your function multiplies with @ arrays whose inner sizes are {one} and {other}; they must be equal. "
            f"It was given {given}. Is a transpose (.T) missing, or one too many?"
        )
    if isinstance(error, TypeError) and re.search(r"positional argument|unexpected keyword", text):
        return f"Your function does not take the arguments that the task names: {text}."
    name = type(error).__name__
    return f"Your function stops with {name}{': ' * bool(text)}{text}, given {given}. Call it on that to see where."

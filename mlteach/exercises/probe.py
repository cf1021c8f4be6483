"""Look into a function while it runs: the values of its parts, and what comes out if one of them is squared or halved.

Every part of an expression is wrapped once, ``_part(7, x - m)``. So all values on the way are seen in one call, and a
twist of any part (a square, a root, a sign) needs no new code.
"""

import ast
import contextlib
import copy
import io
import time
from functools import cached_property, lru_cache

import numpy as np

from mlteach.exercises.changes import (
    Changes,
    changes,
    counters,
    explains,
    function_of,
    limit_loops,
    opposite,
    place_of,
    source,
)

SECONDS = 0.15  # for one search
TWISTS = {
    "a square": lambda v, n: v**2,
    "a square root": lambda v, n: v**0.5,
    "an absolute value": lambda v, n: abs(v),
    "a minus": lambda v, n: -v,
    "a factor 2": lambda v, n: 2 * v,
    "a division by 2": lambda v, n: v / 2,
    "a logarithm": lambda v, n: np.log(v),
    "an exponential": lambda v, n: np.exp(v),
    "a one over": lambda v, n: 1 / v,
    "a one minus": lambda v, n: 1 - v,
    "a plus 1": lambda v, n: v + 1,
    "a minus 1": lambda v, n: v - 1,
    "a transpose": lambda v, n: v.T if np.ndim(v) == 2 else None,
    "a division by a number of points": lambda v, n: v / n,
    "a factor, the number of points": lambda v, n: v * n,
    "a division by a sum": lambda v, n: v / np.sum(v) if np.ndim(v) else None,
    "a division by a length": lambda v, n: v / np.linalg.norm(v) if np.ndim(v) else None,
}
INSTEAD = {
    "with a mean where single values belong": lambda v, n: np.mean(v) if np.ndim(v) else None,
    "with signs where values belong": lambda v, n: np.sign(v) if np.min(v) < 0 < np.max(v) else None,
}
OF_AN_ARGUMENT = {
    "{0} + 1 where {0} belongs": lambda v: v + 1,
    "{0} - 1 where {0} belongs": lambda v: v - 1,
    "the square of {0} where {0} belongs": lambda v: v**2,
    "the root of {0} where {0} belongs": lambda v: v**0.5,
    "the absolute value of {0} where {0} belongs": lambda v: abs(v),
    "2 {0} where {0} belongs": lambda v: 2 * v,
    "half of {0} where {0} belongs": lambda v: v / 2,
    "the opposite of {0} where {0} belongs": lambda v: -v,
    "one over {0} where {0} belongs": lambda v: 1 / v,
    "1 - {0} where {0} belongs": lambda v: 1 - v,
    "{0} centred first": lambda v: v - v.mean(axis=0),
    "{0} standardised first": lambda v: (v - v.mean(axis=0)) / v.std(axis=0),
    "{0} scaled to sum 1 first": lambda v: v / v.sum(),
    "{0} scaled to length 1 first": lambda v: v / np.linalg.norm(v),
    "{0} sorted first": lambda v: np.sort(v, axis=0),
    "{0} in reverse order": lambda v: v[::-1],
}
PLAIN = ("a square", "a square root", "an absolute value", "a minus", "a factor 2", "a division by 2", "a logarithm",
         "an exponential", "a one over")  # of a formula: others would fit by chance  # fmt: skip
PARTS = (ast.BinOp, ast.Call, ast.Name, ast.Subscript, ast.UnaryOp, ast.Attribute)
INSIDE = (ast.expr, ast.stmt, ast.keyword, ast.comprehension, ast.Slice)


class Probe:
    """A function, or a formula with its names, that can be looked into."""

    def __init__(self, function, names=None):
        self.solution = function
        if isinstance(function, str):
            self.tree, self.space = ast.parse(f"def formula():\n return {function}"), {"np": np, **names}
        else:
            self.tree, self.space = ast.parse(source(function)), space_of(function)
        self.function = self.tree.body[-1]
        if not isinstance(self.function, ast.FunctionDef):  # a lambda in the middle of a line
            raise ValueError("no function of its own")
        self.function.decorator_list = []
        limit_loops(self.function)
        self.places, self.kept = [], {}
        constants = isinstance(function, str)
        for statement in self.function.body:
            self._wrap(statement, (*PARTS, ast.Constant) if constants else PARTS)
        ast.fix_missing_locations(self.tree)
        exec(compile(self.tree, "probe", "exec"), self.space)

    def _wrap(self, parent, kinds):
        for field, value in ast.iter_fields(parent):
            for k, node in enumerate(value if isinstance(value, list) else [value]):
                if not isinstance(node, INSIDE) or field == "func" or is_guard(node):
                    if field == "func" and isinstance(node, ast.Attribute) and not _is_module(node.value):
                        self._wrap(node, kinds)
                    continue
                place = place_of(node)
                self._wrap(node, kinds)
                loads = isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
                if not isinstance(node, kinds) or not loads or _is_module(node) or isinstance(parent, ast.Slice):
                    continue
                new = ast.Call(ast.Name("_part", ast.Load()), [ast.Constant(len(self.places)), node], [])
                if isinstance(parent, ast.Assign) and isinstance(parent.targets[0], ast.Name):
                    self.kept[parent.targets[0].id] = len(self.places)  # the last value under each name
                self.places.append(place)
                ast.copy_location(new, node)
                if isinstance(value, list):
                    value[k] = new
                else:
                    setattr(parent, field, new)

    def run(self, args, part):
        """Call the function with ``part(number, value)`` in the place of each part."""
        self.space |= {**counters(), "_part": part}
        return self.space[self.function.name](*copy.deepcopy(args))

    def values(self, args):
        """Return the last value of each part, by its number; what never ran is not there."""
        seen = {}

        def keep(k, value):
            seen[k] = copy.copy(value) if isinstance(value, np.ndarray) else value
            return value

        with contextlib.suppress(Exception):
            self.run(args, keep)
        return seen

    def course(self, args):
        """Return all values of each part, in the order in which they come, by its number."""
        seen = {}

        def keep(k, value):
            seen.setdefault(k, []).append(copy.copy(value) if isinstance(value, np.ndarray) else value)
            return value

        with contextlib.suppress(Exception):
            self.run(args, keep)
        return seen

    def grafted(self, args, k, values):
        """Return what comes out if one part has the given values, one after the other; None if they are too few."""
        values = iter(values)
        try:
            return self.run(args, lambda i, value: next(values) if i == k else value)
        except Exception:  # another kind of value, or too few
            return None

    def twisted(self, args, k, twist):
        """Return what comes out if one part is twisted, None if nothing does."""
        n = next((len(a) for a in args if np.ndim(a)), 1) if args else 1

        def part(i, value):
            if i != k:
                return value
            new = twist(value, n)
            if new is None or np.isfinite(value).all() and not np.isfinite(new).all():
                raise ArithmeticError
            return new

        try:
            return self.run(args, part)
        except Exception:  # a twist may do anything
            return None


class Probed(Changes):
    """The changes of a solution, and a probe of it, each made when it is needed first."""

    @cached_property
    def probe(self):
        """The probe of the solution."""
        return Probe(self.solution, self.names)


class Search:
    """A search for what explains the results of a function; it ends after so many seconds.

    cases     pairs of a number and the arguments, first one that came out wrong
    agrees    function of the number and a value: is it what the student's answer gives?
    differs   function of the number and a value: is it another one than the right one?
    """

    def __init__(self, cases, agrees, differs):
        self.cases, self.agrees, self.differs = cases, agrees, differs
        self.extend()

    def extend(self):
        """Allow so many seconds from now."""
        self.end = time.thread_time() + SECONDS

    def late(self):
        """Say whether the time is over."""
        return time.thread_time() > self.end

    def twists(self, probe):
        """Return the words of all twists of one part of the solution that give what came."""
        found, twists = {}, {f"with {words} too many": TWISTS[words] for words in PLAIN}
        if not isinstance(probe.solution, str):
            twists |= {f"with {words} too many": twist for words, twist in TWISTS.items()} | INSTEAD
        for k in range(len(probe.places)):
            for words, twist in twists.items():
                values = ((i, probe.twisted(case, k, twist)) for i, case in self.cases)
                if words not in found and explains(values, self.agrees, self.differs):
                    found[words] = True
                if self.late():
                    return list(found)
        return list(found)

    def arguments(self, right, names):
        """Return the words of all twists of one argument of the solution that give what came."""
        found = {}
        for k, name in enumerate(names):
            for words, twist in OF_AN_ARGUMENT.items():
                values = ((i, _twisted(right, case, k, twist)) for i, case in self.cases)
                if explains(values, self.agrees, self.differs):
                    found[f"with {words.format(name)}"] = True
                if self.late():
                    return list(found)
        return list(found)

    def is_on_the_way(self, probe):
        """Say whether what came is the value of a part of the solution in every case."""
        found = None
        for i, case in self.cases:
            values = probe.values(case)
            fits = {k for k, v in values.items() if explains([(i, v)], self.agrees, lambda i, v: True)}
            found = fits if found is None else found & fits
            if not found:
                return False
        return True

    def place(self, answer, probe):
        """Return the first part of a student's function whose values alone are wrong, or an empty text.

        With values of the solution in its place every case is right; the result itself is no such part.
        """
        mine = Probe(answer)
        runs = [(i, case, mine.course(case), probe.course(case)) for i, case in self.cases]
        _, _, own, others = runs[0]
        for k in sorted(own):
            if self._agrees_all([(i, course.get(k, [None])[-1]) for i, _, course, _ in runs]):
                continue  # the result itself
            for j, values in others.items():
                if len(values) != len(own[k]) or not _telling(values[-1]) or _is_same(values[-1], own[k][-1]):
                    continue
                results = ((i, mine.grafted(case, k, course.get(j, []))) for i, case, _, course in runs)
                if explains(results, lambda i, v: not self.differs(i, v), lambda i, v: True):
                    return mine.places[k]
                if self.late():
                    return ""
        return ""

    def _agrees_all(self, values):
        return explains(values, self.agrees, lambda i, v: True)

    def right_so_far(self, answer, probe):
        """Return the names in a student's function whose values the solution has too, in all cases."""
        mine, names = Probe(answer), None
        for _, case in self.cases:
            values, others = mine.values(case), [v for v in probe.values(case).values() if _telling(v)]
            found = {
                name
                for name, k in mine.kept.items()
                if _telling(values.get(k)) and any(_equal(values[k], other) for other in others)
                and not any(_equal(values[k], given) for given in case)
            }  # fmt: skip
            names = found if names is None else names & found
        return [name for name in mine.kept if name in names]

    def repair(self, answer):
        """Return a sentence with one change of a student's function that makes it right, or an empty text."""
        strict = all(_value(answer, case, "raise") is not None for _, case in self.cases)
        for place, words, function in _changed(answer):
            values = ((i, _value(function, case, "raise" if strict else "ignore")) for i, case in self.cases)
            if explains(values, lambda i, v: not self.differs(i, v), lambda i, v: True):
                return f"Look at {place}: {words}."
            if self.late():
                return ""
        return ""


def _is_same(value, other):
    with contextlib.suppress(Exception):  # values of their own ways
        return bool(_equal(value, other))
    return False


def _telling(value):
    """Say whether two values of the kind hardly agree by chance: no counts, no truth values."""
    try:
        return np.asarray(value).dtype.kind == "f" and not np.equal(np.mod(value, 1), 0).all()
    except (TypeError, ValueError):
        return False


def _equal(value, other):
    return np.shape(value) == np.shape(other) and np.allclose(value, other, rtol=1e-9, atol=1e-12, equal_nan=True)


@lru_cache(maxsize=64)
def ending(function):
    """Return a solution with its loops counted: with other arguments they may never end."""
    try:
        tree = ast.parse(source(function))
        if not isinstance(tree.body[-1], ast.FunctionDef):  # a lambda in the middle of a line
            raise ValueError
    except (OSError, TypeError, ValueError, SyntaxError):  # no source of its own
        return lambda *args: function(*copy.deepcopy(args))
    tree.body[-1].decorator_list = []
    limit_loops(tree.body[-1])
    ast.fix_missing_locations(tree)
    return function_of(compile(tree, "solution", "exec"), space_of(function), tree.body[-1].name)


def _twisted(right, case, k, twist):
    if callable(case[k]) or isinstance(case[k], (str, dict, set)):
        return None
    with contextlib.suppress(Exception):  # a twist may do anything
        new = twist(np.asarray(case[k]) if isinstance(case[k], (list, tuple)) else case[k])
        if not np.isfinite(case[k]).all() or np.isfinite(new).all():
            return ending(right)(*case[:k], new, *case[k + 1 :])
    return None


def _changed(answer):
    """Yield place, words and function of every change of a student's function."""
    tree = ast.parse(source(answer))
    function = tree.body[-1]
    if not isinstance(function, ast.FunctionDef):
        return
    function.decorator_list = []
    limit_loops(function)
    space = space_of(answer)
    ast.fix_missing_locations(tree)
    for words, place in changes(function, [a.arg for a in function.args.args], own=True):
        with contextlib.suppress(SyntaxError, ValueError, TypeError):
            yield place, opposite(words), function_of(compile(tree, "changed answer", "exec"), space, function.name)
    probe = Probe(answer)
    for k, place in reversed([*enumerate(probe.places)]):  # the whole before its parts
        for words, twist in TWISTS.items():
            yield place, f"{words} is missing", lambda *case, k=k, twist=twist: probe.twisted(case, k, twist)


def _value(function, case, errors):
    try:
        with np.errstate(divide=errors, invalid=errors):
            return function(*copy.deepcopy(case))
    except Exception:  # a change may do anything
        return None


def is_guard(node):
    """Say whether a node is the counter of a loop's rounds."""
    call = node.value if isinstance(node, ast.Expr) else node
    return isinstance(call, ast.Call) and _called(call) in ("_round", "_item")


def _called(node):
    return getattr(node.func, "id", "")


def _is_module(node):
    return ast.unparse(node) in ("np", "math", "np.linalg", "np.random", "numpy")


@contextlib.contextmanager
def quiet():
    """Silence numpy's warnings and what a student's function prints."""
    with contextlib.redirect_stdout(io.StringIO()), np.errstate(all="ignore"):
        yield


def space_of(function):
    """Return the names that a function sees, also those of functions around it."""
    cells = zip(function.__code__.co_freevars, function.__closure__ or ())
    return {**function.__globals__, **{name: cell.cell_contents for name, cell in cells}}

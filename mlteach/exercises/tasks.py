"""Tasks as data: a function with its cases, or values with their names, and the mistakes that are known.

    task(
        "5.a",
        "One step by hand",
        next_place,
        cases=[(3.0, 4.0, 0.1), (-1.0, 2.5, 0.3)],  # the chapter's worked example first
        what="The next place",
        slips='''
        w - eta * slope => w + eta * slope | You walk uphill: subtract the step.
        ''',
        start="Which way is downhill?",
        hints=["The slope points uphill.", "w - eta * slope."],
        right="Right. Repeat it and you have gradient descent.",
    )

    task(
        "21.a",
        "Another cut",
        center=number("The second centre", "(9 + 10 + 25) / 3", to=0.006, slips='''
        10 | That is the median of the group. The squared distances are least from its mean.
        '''),
        J=number("J", 569 / 3, to=0.06, slips="29 | That is the part of the first group."),
        start=..., hints=[...], right=...,
    )  # fmt: skip

The answers of a value task are its parts, in the order in which ``check`` takes them. Each is a ``number`` (one, or a
list of them), ``spelt`` (letters), ``chosen`` (a set of numbered things) or ``yes`` (True or False). ``slips`` of the
task itself lists wrong tuples of all answers, with dots for any: ``(1.5, ...) | words``.
"""

import inspect
import re
import sys
import textwrap
from itertools import permutations
from typing import NamedTuple

import numpy as np

from mlteach.exercises.base import Exercise, register
from mlteach.exercises.forms import Wrong, letters, points, truth
from mlteach.exercises.judge import expect_close, expect_function, expect_set, same
from mlteach.exercises.probe import Probed, Search, quiet
from mlteach.exercises.slips import entries, wrong_functions, wrong_values

ORDER = ("first", "swapped", "exchanged", "order")  # a listed mistake with such words speaks of the order itself


class Number(NamedTuple):
    """One answer that is a number or a list of numbers."""

    what: str
    right: object
    options: dict
    slips: object
    say: object = None
    names: dict = {}

    def expect(self, answer):
        """Raise Wrong unless the answer is right."""
        known, answer = wrong_values(self.slips, self.names), _flat(answer, self.value)
        try:
            expect_close(answer, self.value, self.what, known=known, **self.options)
        except Wrong as wrong:
            if not wrong.plain or not _numeric(answer):
                raise
            words = self.say(np.asarray(answer, dtype=float).squeeze()) if self.say else None
            because = self._because(answer)
            raise Wrong(f"{words or wrong}{because}", plain=not because) from None

    @property
    def value(self):
        """The right value; a formula in text is evaluated."""
        return eval(self.right, dict(self.names)) if isinstance(self.right, str) else self.right

    def _because(self, answer):
        """Return a sentence with the change of the formula that gives the answer, if it is no chance."""
        if not isinstance(self.right, str):
            return ""
        rtol, atol = self.options.get("rtol", 1e-6), self.options.get("atol", 1e-9)
        answer, right = np.asarray(answer, dtype=float), np.asarray(self.value, dtype=float)
        digits = _digits(answer[~np.isclose(answer, right, rtol, atol)] if right.ndim else answer)
        formula = _probed(self.right, self.names)
        size = np.abs(answer[answer != 0]).min(initial=np.inf)
        near = min(0.51 * 10.0 ** -_decimals(answer), size / 100)  # as near as the digits of the answer say

        def search(rtol, atol):
            return Search(
                [(0, ())], lambda k, v: same(answer, v, rtol, atol), lambda k, v: not same(right, v, rtol, atol)
            )

        with quiet():
            exact = search(3e-6, near if digits < 6 else 0)
            if digits > 2 and exact.is_on_the_way(formula.probe):
                return " That is a value on the way to the result: a step is still missing."
            found = formula.explain([(0, ())], exact.agrees, exact.differs) if digits > 2 else []
            wide, each = search(min(rtol, 5e-4), min(atol, size / 2000)), _probed(self.right, self.names, each=True)
            found = found or (formula.explain([(0, ())], wide.agrees, wide.differs) if 2 < digits < 6 else [])
            found = found or (exact.twists(formula.probe) if digits > 3 and (answer % 1).any() else [])
            numbers = each.explain([(0, ())], exact.agrees, exact.differs) if digits > 3 and not found else []
            found = found or [words for words in numbers if digits > 5 or " where " not in words]
        return f" That comes out {' or '.join(found)}." if 0 < len(found) <= 2 else ""

    def mistakes(self):
        """Yield every listed wrong answer with its words."""
        yield from wrong_values(self.slips, self.names)


KEPT = {}


def _probed(formula, names, each=False):
    """Return the changes of a formula in the names of its module, made once."""
    key = formula, id(names), each
    if key not in KEPT:
        KEPT[key] = Probed(formula, names, each=each)
    return KEPT[key]


def _digits(answer):
    """Return the largest number of significant digits among the numbers of an answer: 3 for 0.375, 1 for 400."""
    values = np.ravel(np.asarray(answer, dtype=float))
    return max((len(f"{abs(v):.10e}".partition("e")[0].replace(".", "").rstrip("0")) for v in values), default=0)


def _decimals(answer):
    """Return the largest number of decimals among the numbers of an answer, at most 9, which it is for whole ones."""
    texts = [f"{v:.9f}".rstrip("0").partition(".")[2] for v in np.ravel(np.asarray(answer, dtype=float))]
    return max(map(len, texts), default=0) or 9


def _numeric(answer):
    """Say whether an answer is made of numbers: a set is not."""
    try:
        return np.asarray(answer).dtype.kind in "biuf"
    except ValueError:  # lists of different lengths
        return False


def _flat(answer, right):
    """Return a row or a column as a flat array if the right answer is flat; all else as it came."""
    try:
        array = np.asarray(answer) if isinstance(answer, (list, tuple, np.ndarray)) else np.zeros(0)
    except Exception:  # lists of different lengths, or things of their own ways
        return answer
    fits = array.ndim == 2 and 1 in array.shape and array.size == np.size(right) and array.dtype.kind in "biuf"
    return array.ravel() if fits and np.ndim(right) == 1 else answer


def number(what, right, *, to=None, rtol=None, slips="", say=None, names="", reveal=False, n=None):
    """Return an answer that is a number, or a list of numbers with ``names``.

    right    the value, or a formula as text: its small changes are then recognised as mistakes
    to       how far from it an answer may lie; or ``rtol``, as a share of it
    slips    a table ``wrong value | words``
    say      a function of a wrong value that nothing explains, for words that show why it is wrong; or None
    """
    options = {"names": names, "reveal": reveal, "n": n}
    if to is not None:
        options |= {"rtol": 0, "atol": to}
    if rtol is not None:
        options["rtol"] = rtol
    return Number(what, right, options, slips, say)


class Spelt(NamedTuple):
    """One answer that is a letter, or several."""

    what: str
    right: str
    options: dict
    slips: str
    names: dict = {}

    def expect(self, answer):
        """Raise Wrong unless the answer has the right letters."""
        got = letters(answer, **self.options)
        for wrong, words in self.mistakes():
            if got == wrong:
                raise Wrong(words)
        if got != self.value:
            raise Wrong(f"{self.what} is not {got}.", plain=True)

    @property
    def value(self):
        """The right letters."""
        return self.right

    def mistakes(self):
        """Yield every listed wrong answer with its words."""
        for wrong, words in entries(self.slips):
            yield letters(wrong, self.options["allowed"], ordered=self.options["ordered"]), words


def spelt(what, right, allowed, *, once=False, ordered=True, slips=""):
    """Return an answer that consists of the letters ``allowed``: "CAB" in every form (``forms.letters``)."""
    return Spelt(what, right, {"allowed": allowed, "once": once, "ordered": ordered}, slips)


class Chosen(NamedTuple):
    """One answer that is a set of numbered things."""

    what: str
    right: object
    options: dict
    slips: str
    names: dict = {}

    def expect(self, answer):
        """Raise Wrong unless the answer chooses the right ones."""
        expect_set(points(answer, **self.options), self.value, self.what, wrong_values(self.slips, self.names))

    @property
    def value(self):
        """The right ones, sorted."""
        return sorted(self.right)

    def mistakes(self):
        """Yield every listed wrong answer with its words."""
        for wrong, words in wrong_values(self.slips, self.names):
            yield sorted(wrong), words


def chosen(what, right, n, *, first=0, noun="point", slips=""):
    """Return an answer that chooses some of ``n`` numbered things, as a list, set or mask (``forms.points``)."""
    return Chosen(what, right, {"n": n, "first": first, "noun": noun}, slips)


class Yes(NamedTuple):
    """One answer that is True or False."""

    what: str
    right: bool
    words: str
    names: dict = {}

    def expect(self, answer):
        """Raise Wrong unless the answer is the right one of two."""
        if truth(answer, self.what) is not self.right:
            raise Wrong(self.words)

    @property
    def value(self):
        """True or False."""
        return self.right

    def mistakes(self):
        """Yield the other one."""
        yield not self.right, self.words


def yes(what, right, words):
    """Return an answer that is True or False; ``words`` say what is wrong with the other one."""
    return Yes(what, right, words)


def task(id, title, solution=None, *, start, hints, right, explanation="", slips=(), guard=None, **more):
    """Register a task: of a function if ``solution`` is one, else of the values among the keywords.

    right         what is said about a right answer
    slips         known mistakes: a table of edits of the solution (or of tuples of values), or pairs (wrong, words)
    guard         a function of the answers that may raise Wrong before they are compared
    what, cases   of a function: its result in words, and its inputs (or a function that makes them), the worked
                  example first; also ``read``, ``nan``, ``names``, ``n``, ``rtol``, ``atol`` of ``expect_function``
    """
    space = sys._getframe(1).f_globals
    make = _values if solution is None else _function
    exercise = make(id, title, solution, slips, guard, space, right, more)
    register(exercise._replace(start=start, hints=tuple(hints), explanation=textwrap.dedent(explanation).strip()))


def _function(id, title, solution, slips, guard, space, right, options):
    """Return the exercise of a function; cases and mistakes are made when the first answer comes."""
    kept = {}

    def listed():
        if "slips" not in kept:
            kept["slips"] = wrong_functions(solution, slips)
        return kept["slips"]

    cases, what = options.pop("cases"), options.pop("what")
    changed = Probed(solution)

    def check(answer):
        if guard is not None:
            guard(answer)
        inputs = cases() if callable(cases) else cases
        expect_function(answer, solution, inputs, what, slips=listed(), changed=changed, **options)
        return right

    return Exercise(id, title, check, solution=solution, mistakes=lambda: [((f,), words) for f, words in listed()])


def _values(id, title, solution, slips, guard, space, right, parts):
    """Return the exercise of one value or several."""
    parts = {name: part._replace(names=space) for name, part in parts.items()}
    together = slips

    def check(*answers):
        if guard is not None:
            guard(*answers)
        _expect_values(list(parts.values()), wrong_values(together, space), answers)
        return right

    check.__signature__ = inspect.Signature(
        [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in parts]
    )
    values = tuple(part.value for part in parts.values())

    def mistakes():
        for wrong, words in wrong_values(together, space):
            yield tuple(v if w is ... else w for w, v in zip(wrong, values)), words
        for k, part in enumerate(parts.values()):
            for wrong, words in part.mistakes():
                yield (*values[:k], _filled(wrong, values[k]), *values[k + 1 :]), words

    solution, asked = values[0] if len(parts) == 1 else values, tuple(part.what for part in parts.values())
    return Exercise(id, title, check, solution=solution, mistakes=lambda: list(mistakes()), asked=asked)


def _filled(wrong, right):
    """Return a wrong tuple with right entries in the place of its dots."""
    if isinstance(wrong, (tuple, list)) and any(part is ... for part in wrong):
        return tuple(r if w is ... else w for w, r in zip(wrong, right))
    return wrong


def _expect_values(parts, together, answers):
    """Raise Wrong unless every answer is right; wrong tuples of all answers and exchanged answers are named first."""
    complaints = [_complaint(part, answer) for part, answer in zip(parts, answers)]
    if not any(complaints):
        return
    for wrong, words in together:
        if all(w is ... or _complaint(_instead(part, w), a) is None for part, w, a in zip(parts, wrong, answers)):
            raise Wrong(words)
    complaint = next(filter(None, complaints))
    if 2 <= len(parts) <= 4 and not any(word in str(complaint) for word in ORDER):
        for order in permutations(range(len(parts))):
            if all(_complaint(part, answers[k]) is None for part, k in zip(parts, order)):
                wanted = ", then ".join(_lower(part.what) for part in parts)
                raise Wrong(f"The values are right, but in another order: first {wanted}.")
    raise complaint


def _instead(part, value):
    return part._replace(right=value)


def _lower(what):
    return what[:1].lower() + what[1:] if re.match(r"[A-Z][a-z]+ |A ", what) else what


def _complaint(part, answer):
    try:
        part.expect(answer)
    except Wrong as wrong:
        return wrong
    return None


__all__ = ["chosen", "number", "spelt", "task", "yes"]

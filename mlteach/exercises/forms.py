"""Read what a student typed: numbers, letters, points and truth values in any form that means the same.

Every function returns the answer in one plain form, or raises ``Wrong`` and says what to type instead.
"""

import re
import textwrap
from itertools import islice

import numpy as np


class Wrong(Exception):
    """What is wrong with an answer, in words that help; ``plain`` if the mistake itself could not be named."""

    def __init__(self, message, plain=False):
        super().__init__(message)
        self.plain = plain


def as_numbers(value, what, wanted=0.0):
    """Return ``value`` as an array of floats with the shape of ``wanted`` where only the form differs."""
    if value is None or value is ...:
        raise Wrong(f"{what} is {value}: your function ends without returning a value.")
    value = _listed(value, what)
    _refuse_text(value, what)
    if isinstance(value, (tuple, list)) and any(part is None or part is ... for part in value):
        place = next(k for k, part in enumerate(value) if part is None or part is ...)
        raise Wrong(f"{what} has an entry without a value: entry [{place}] of {brief(value)}.")
    wanted = np.asarray(wanted, dtype=float)
    if isinstance(value, (bool, np.bool_)) and not wanted.ndim:
        raise Wrong(f"{what} should be a number; got {value}.")
    if isinstance(value, (tuple, list)) and wanted.ndim < 2:  # entries such as array([2.0]) count as numbers
        value = [part.item() if isinstance(part, np.ndarray) and part.size == 1 else part for part in value]
    try:
        value = np.asarray(value)
        if np.iscomplexobj(value):
            if np.abs(value.imag).max(initial=0) > 1e-9 * np.abs(value).max(initial=0):
                raise Wrong(f"{what} is complex, {brief(value)}; real numbers are wanted.")
            value = value.real
        value = value.astype(float) if value.dtype != object else np.array(value, dtype=float)
    except Wrong:
        raise
    except Exception:  # an __array__ of the student's own may do anything
        raise Wrong(f"{what} should be {_kind(wanted)}; got {brief(value)}.") from None
    if value.size == wanted.size == 1:
        return value.reshape(wanted.shape)
    more = value.ndim - wanted.ndim
    if wanted.ndim and more > 0 and set(value.shape[:more]) == {1}:  # (1, 1, 2, 2) for (2, 2)
        return value.reshape(value.shape[more:])
    return value


def numbers(answer, names):
    """Return the floats that ``names`` announces, ``numbers(answer, "w, b")``, from a list, tuple, array or dict."""
    names = _names(names)
    wanted = f"{counted(len(names), 'number')}: {', '.join(names)}" if len(names) > 1 else f"a number, {names[0]}"
    answer = from_dict(answer, names)
    if len(names) == 1:
        answer = [answer]
    try:
        parts = list(_listed(answer, "Your answer"))
    except TypeError:
        parts = []
    if len(parts) != len(names):
        raise Wrong(f"Enter {wanted}; got {brief(answer)}.")
    return [_number(part, name, wanted) for name, part in zip(names, parts)]


def letters(answer, allowed, *, once=False, ordered=True):
    """Return a string of letters from "C-A-B", "c, a, b", ["C", "A", "B"] or a set of them.

    once      each letter of ``allowed`` must occur exactly once (an order is asked for)
    ordered   False: the order has no meaning; the letters come back sorted, each of them once
    """
    if isinstance(answer, (set, frozenset)) and ordered and len(answer) > 1:
        raise Wrong("A set has no order. Type the letters in quotation marks, one after the other.")
    answer = answer.tolist() if isinstance(answer, np.ndarray) else answer
    parts = list(answer) if isinstance(answer, (list, tuple, set, frozenset)) else [answer]
    if not all(isinstance(part, str) for part in parts):
        raise Wrong(f"Letters are wanted, as a string in quotation marks; got {brief(answer)}.")
    found = re.sub(r"[\s,;.:/|&<>()\[\]'\"_-]|→", "", "".join(parts)).upper()
    if not found or not set(found) <= set(allowed):
        # No example: it could be the answer. "A to H" for letters that follow each other, else each of them.
        row = "".join(map(chr, range(ord(allowed[0]), ord(allowed[-1]) + 1)))
        known = f"{row[0]} to {row[-1]}" if allowed == row else f"{', '.join(allowed[:-1])} and {allowed[-1]}"
        raise Wrong(f"Use the letters {known} only; got {brief(answer)}.")
    if once and sorted(found) != sorted(allowed):
        raise Wrong(f"Use each of the letters {', '.join(allowed)} exactly once; you have {found}.")
    return found if ordered else "".join(sorted(set(found)))


def points(answer, n, *, first=0, noun="point"):
    """Return the set of point numbers from a list, a set, an array, or a mask with one truth value for each point."""
    last = first + n - 1
    wrong = Wrong(f"Enter a list of {noun} numbers between {first} and {last}; got {brief(answer)}.")
    if isinstance(answer, (bool, np.bool_, str, bytes)) or callable(answer):
        raise wrong
    try:
        values = np.ravel(np.asarray(_listed(answer, "Your list")))
    except (TypeError, ValueError):
        raise wrong from None
    zeros_and_ones = len(values) == n and set(values.tolist()) <= {0, 1}
    if values.dtype == bool or (zeros_and_ones and len(set(values.tolist())) < len(values)):
        if len(values) != n:
            raise Wrong(f"Your mask has {len(values)} truth values; there are {n} {noun}s.")
        return {int(k) + first for k in np.flatnonzero(values)}
    if not values.size or values.dtype.kind not in "iuf" or not np.isin(values, np.arange(first, last + 1)).all():
        raise wrong
    chosen = values.astype(int).tolist()
    if set(chosen) <= {0, 1} and len(chosen) > 2:  # a mask that is too short?
        twice = next(k for k in chosen if chosen.count(k) > 1)
        raise Wrong(f"Your list names {noun} {twice} twice. Name each {noun} that you mean once.")
    return set(chosen)


def truth(value, what):
    """Return True or False from a bool, a numpy bool, an array that holds one, or 0 and 1."""
    value = value.item() if isinstance(value, (np.ndarray, np.generic)) and np.size(value) == 1 else value
    if isinstance(value, bool) or (isinstance(value, int) and value in (0, 1)):
        return bool(value)
    raise Wrong(f"{what} should be True or False; got {brief(value)}.")


def from_dict(answer, names):
    """Return the values of a dict in the order of ``names``; anything else as it is."""
    if not isinstance(answer, dict) or not names:
        return answer
    found = {str(key).strip().lower(): value for key, value in answer.items()}
    missing = [name for name in names if name.lower() not in found]
    if missing or len(found) != len(names):
        raise Wrong(f"Your dict should have the keys {', '.join(names)}; it has {', '.join(map(str, answer))}.")
    return [found[name.lower()] for name in names]


def brief(value):
    """Return a short text for any value at all, also for one that cannot be printed."""
    try:
        if callable(value):
            return f"the {'class' if isinstance(value, type) else 'function'} {value.__name__}"
        if isinstance(value, np.ndarray):
            text = np.array2string(value, precision=5, threshold=8, separator=", ") if value.ndim else f"{value[()]}"
        elif isinstance(value, (float, np.floating)):
            text = f"{float(value):.6g}"
        elif isinstance(value, (set, frozenset)) and value:
            text = "{" + ", ".join(sorted(map(brief, value))) + "}"
        elif isinstance(value, (tuple, list)) and len(value) <= 12:
            text = ", ".join(brief(part) for part in value)
            text = f"({text}{',' * (len(value) == 1)})" if isinstance(value, tuple) else f"[{text}]"
        else:
            text = str(value) if isinstance(value, np.generic) else repr(value)
        return textwrap.shorten(text, 70, placeholder=" …")
    except Exception:  # a __repr__ of the student's own
        return f"an object of type {type(value).__name__}"


def counted(n, noun):
    """Return a count in words, so that nobody takes it for one of the things: "one number", "two letters"."""
    words = "no one two three four five six seven eight nine ten".split()
    return f"{words[n] if n < len(words) else n} {noun}{'' if n == 1 else 's'}"


def _number(part, what, wanted):
    _refuse_text(part, what)
    try:
        if isinstance(part, (bool, np.bool_)) or np.size(part) != 1 or np.iscomplexobj(part):
            raise TypeError
        return float(np.asarray(part, dtype=float).item())
    except (TypeError, ValueError):
        came = "got" if wanted.startswith("a number") else f"{what} is"
        raise Wrong(f"Enter {wanted}; {came} {brief(part)}.") from None


def _refuse_text(value, what):
    """Raise Wrong if a number was typed as text."""
    parts = value if isinstance(value, (tuple, list)) else [value]
    for part in parts:
        if isinstance(part, (str, bytes)):
            text = part.decode(errors="replace") if isinstance(part, bytes) else part
            try:
                number = float(text.replace(",", "."))
            except ValueError:
                raise Wrong(f"{what} should be {'numbers' if part is not value else 'a number'}; got the text "
                            f"{brief(text)}.") from None  # fmt: skip
            plain = re.sub(r"^([+-]?)0+(?=\d)", r"\1", text.strip().replace(",", "."))  # Python reads no 03
            raise Wrong(f"{what} is the text {text!r}. Write the number without quotation marks: "
                        f"{plain if np.isfinite(number) else f'np.{number}'}.")  # fmt: skip


def _listed(value, what):
    """Return sets, ranges, generators and the like as lists."""
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    if isinstance(value, dict):
        raise Wrong(f"{what} is a dict, {brief(value)}; a list or tuple is wanted.")
    if not isinstance(value, (tuple, list, np.ndarray, str, bytes)) and _many(value):
        return list(islice(value, 100_000))
    return value


def _many(value):
    return hasattr(type(value), "__iter__") and not isinstance(value, (np.ndarray, np.generic))


def _names(names):
    return [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)


def _kind(wanted):
    return f"an array of shape {wanted.shape}" if wanted.ndim else "a number"

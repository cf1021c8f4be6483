"""Compare an answer with the right one, and name the mistake where it can be named.

A mistake is blamed only if it gives what came out: ``known`` ones first, then the slips that everybody makes. If
two slips give the same number, both are named. What cannot be named is shown: the entry, what came, what should have.
"""

import contextlib
import math
import re
from itertools import permutations

import numpy as np

from mlteach.exercises.changes import HARDLY_CLEAR
from mlteach.exercises.forms import Wrong, as_numbers, brief, counted, from_dict
from mlteach.exercises.probe import Search, ending, quiet
from mlteach.exercises.trial import call, describe, parameters

ORDER = "all is right, but in another order"


def expect_close(value, wanted, what, *, known=(), rtol=1e-6, atol=1e-9, reveal=True, given="", names=(), n=None):
    """Raise Wrong unless ``value`` equals ``wanted``, in any form: list, tuple, array, float32, (1,) for a number.

    known     list of ``(wrong value, words)``; ``...`` in a wrong tuple stands for any entry: ``((..., 0.3), words)``
    reveal    False keeps the right value secret, for tasks whose answer is that value
    given     the input in words, if ``value`` has come out of a student's function
    names     names of the entries, "w, b" or a list; with names a dict is accepted too
    n         number of samples, to recognise a division by n instead of n - 1 and the other way round

    Recognised without being listed: no return, text for a number, a wrong shape, nan, coarse rounding, another order,
    wrong sign, factor 2 or 1/2, a square or root too many, per cent, one minus, one over, transposed, n against n - 1.
    """
    names = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    value = from_dict(value, names)
    if isinstance(wanted, tuple) and any(np.ndim(part) for part in wanted):
        options = {"rtol": rtol, "atol": atol, "reveal": reveal, "given": given, "n": n}
        return _expect_parts(value, wanted, what, known, names, options)
    rtol, atol = _tolerances(value, wanted, rtol, atol)
    value, wanted = as_numbers(value, what, wanted), np.asarray(wanted, dtype=float)

    if same(value, wanted, rtol, atol):
        return None
    for wrong, words in known:
        if _fits(value, wrong, rtol, _narrow(atol, wrong)):
            raise Wrong(words + _or_rounded(words, value, wanted, what, rtol, atol))
    if value.shape != wanted.shape:
        raise Wrong(_wrong_shape(value, wanted, what))
    if np.isnan(value).any() and not np.isnan(wanted).any():
        raise Wrong(f"{what} contains nan. Look for 0/0, or for the logarithm or root of a negative number.")
    found = slips(value, wanted, rtol, atol, n)[:2]
    if found:
        raise Wrong(f"{what} {' or '.join(found)}.")
    entries = _slips_of_entries(value, wanted, names, rtol, atol)
    if entries:
        raise Wrong(f"{what}: {entries}, and the rest is right.")
    raise Wrong(_difference(value, wanted, what, names, rtol, atol, reveal, given), plain=True)


def expect_function(
    answer, right, cases, what, *, slips=(), changed=None, read=None, complain=None, nan="", names=(), n=None,
    rtol=1e-6, atol=1e-9,
):  # fmt: skip
    """Try a student's function on ``cases``, tuples of arguments, the worked example first, against ``right``.

    slips     list of ``(wrong function, words)``: blamed if the wrong function gives what came in *every* case, or
              what came as one of several results
    changed   the ``Changes`` of the solution, to explain what no slip explains
    read      a function that brings a result into one form before it is compared, or raises Wrong; a result may then
              be a word, a set, or a tuple of those, as well as numbers
    complain  a function of a case, its result and the right one that says what is wrong where no mistake is recognised,
              or returns None
    nan       what to say if the result is nan or infinite where the right one is finite
    names     names of the entries of the result, as in ``expect_close``

    Recognised without being listed: the same value for every input, the worked example's value in place of an
    argument, two arguments exchanged, and all that ``expect_close`` recognises, if it holds in every case.
    """
    cases, read = [tuple(case) for case in cases], read or (lambda value: value)
    wanted = [read(right(*case)) for case in cases]

    def agrees(a, b):
        return _agrees(a, b, rtol, atol, names)

    got = _tried(answer, cases, wanted, what, slips, agrees, read)

    def agree(values, other=got):
        return all(map(agrees, other, values))

    if agree(wanted):
        return
    constant = (
        len(cases) > 1 and not (complain and _symbolic(wanted[0])) and all(agrees(value, got[0]) for value in got)
    )
    _blame_listed((*slips, *_stuck_arguments(right, cases)), cases, got, wanted, agrees, read, parts=not constant)
    if nan and any(_finite(target) and not _finite(value) for value, target in zip(got, wanted)):
        raise Wrong(nan)
    if constant:
        example = " It is right for the worked example only." if agree(wanted[:1]) else ""
        raise Wrong(f"Your function returns {brief(got[0])} whatever it is given.{example} Use its arguments.")
    bad = [k for k in range(len(cases)) if not agrees(got[k], wanted[k])]
    common = _common_slips([(got[k], wanted[k]) for k in bad], rtol, atol, n)
    if common and not (_is_poor(wanted) and len(bad) < len(cases)):
        raise Wrong(f"{what} {' or '.join(common)}.")
    words = complain(cases[bad[0]], got[bad[0]], wanted[bad[0]]) if complain else None
    options = {"names": names, "n": n, "rtol": rtol, "atol": atol}
    given = [_input(right, case) for case in cases]
    complaint = Wrong(words, plain=True) if words else _shared_complaint(got, wanted, what, bad, given, options)
    if ORDER in str(complaint):
        raise complaint
    because = _because(answer, right, changed, cases, got, wanted, bad, agrees, read)
    raise Wrong(f"{complaint}{because}", plain=complaint.plain and not because)


def _tried(answer, cases, wanted, what, slips, agrees, read):
    """Return what the answer gives in all cases; tell a missing return, a text or an error at once."""
    got = []
    for case, target in zip(cases, wanted):
        try:
            value = call(answer, *case)
        except Wrong as stopped:
            if stopped.__cause__ and not all(map(agrees, got, wanted)):  # it was wrong before
                _blame_listed(slips, cases[: len(got)], got, wanted, agrees, read, parts=False)
            raise
        got.append(read(value))
        if got[-1] is None and target is not None:
            raise Wrong(f"{what} is None: your function ends without returning a value. To print is not to return.")
        if not isinstance(target, tuple) and not isinstance(got[-1], dict) and not _symbolic(target):
            as_numbers(got[-1], what, target)
    return got


def _blame_listed(listed, cases, got, wanted, agrees, read, parts):
    """Raise Wrong with the words of a listed mistake that gives all that came, or one of its ``parts`` in all cases."""

    def agree(values, other=got):
        return all(map(agrees, other, values))

    tried, parts = [], parts and isinstance(wanted[0], tuple)
    for wrong, words in listed:
        one_by_one = (_values(wrong, [case], read) for case in cases)
        if not parts and not all(value and agrees(came, *value) for came, value in zip(got, one_by_one)):
            continue  # most differ in the first case, and the others may take long
        values = _values(wrong, cases, read)
        if values is not None and agree(values) and not agree(wanted, values):
            raise Wrong(words)
        tried.append(values)
    for mine, others, targets in _results(got, tried, wanted) if parts else ():
        if targets and _is_poor(targets) and not _symbolic(targets):
            continue  # a sign alone fits many a mistake
        for values, (_, words) in zip(others, listed):
            if values is not None and agree(values, mine) and not agree(targets, mine):
                raise Wrong(words)


def _shared_complaint(got, wanted, what, bad, given, options):
    """Return the complaint about the first wrong case; one that does not hold in all wrong cases blames nothing."""
    complaints = [_complaint(got[k], wanted[k], what, given=given[k], **options) for k in bad]
    if complaints[0].plain or not _is_poor(wanted) and all(str(c) == str(complaints[0]) for c in complaints):
        return complaints[0]
    k = bad[0]
    words = _plain(got[k], wanted[k], what, options["names"], options["rtol"], options["atol"], given[k])
    return Wrong(words or str(complaints[0]), plain=True)


def _results(got, others, wanted):
    """Yield, for each of several results, what came, what the others give, and what is wanted, over all cases."""
    number = len(wanted[0]) if isinstance(wanted[0], tuple) else 0

    def part(values, k):
        try:
            return [value[k] for value in values]
        except (TypeError, IndexError, KeyError):
            return None

    for k in range(number):
        mine = part(got, k)
        if mine is not None:
            yield mine, [part(values, k) if values is not None else None for values in others], part(wanted, k)


def _because(answer, right, changed, cases, got, wanted, bad, agrees, read):
    """Return a sentence that explains what came: a change of the solution, a value on the way, or a repair."""
    if changed is None:
        return ""
    inputs = [(k, cases[k]) for k in (*bad, *(k for k in range(len(cases)) if k not in bad))]

    def compared(pick):
        return (
            lambda k, value: agrees(pick(got[k]), pick(read(value))),
            lambda k, value: not agrees(pick(read(value)), pick(wanted[k])),
        )

    chance = len(bad) < 4 and _is_poor(wanted)  # too few results of two kinds fit many a change
    changed.made()  # takes its time once
    found, search = [], Search(inputs, *compared(lambda value: value))
    with quiet():
        if not chance:
            found = changed.explain(inputs, *compared(lambda value: value), search.late)
            for k in range(len(wanted[0]) if isinstance(wanted[0], tuple) else 0):  # one of several results
                if not found and not all(_same_part(got[i], wanted[i], k, agrees) for i in bad):
                    found = changed.explain(inputs, *compared(lambda value, k=k: value[k]), search.late)
            if 0 < len(found) <= 2 and not HARDLY_CLEAR.issuperset(found):
                return f" That comes out {' or '.join(found)}."
            if search.is_on_the_way(changed.probe):
                return " That is a value on the way to the result: a step is still missing."
        with contextlib.suppress(OSError, TypeError, SyntaxError, AttributeError, ValueError):  # no source to read
            repair = search.repair(answer)
            if repair:
                return f" {repair}"
        search.extend()
        if not found and not chance:
            found = search.twists(changed.probe) or search.arguments(right, parameters(right, len(cases[0])))
        if 0 < len(found) <= 2:
            return f" That comes out {' or '.join(found)}."
        with contextlib.suppress(Exception):  # no source to read, or values of their own ways
            place = "" if _is_poor(wanted) else search.place(answer, changed.probe)
            if place:
                return f" With another value in the place of {place} all would be right: look there."
            names = search.right_so_far(answer, changed.probe)
            if names:
                return f" {' and '.join(names)} {'is' if len(names) == 1 else 'are'} right so far; look at the rest."
    return ""


def _is_poor(wanted):
    """Say whether results are words, truth values or a few whole numbers again and again, which chance may hit."""
    try:
        values = {float(np.asarray(value).item()) for value in wanted}
        return all(map(float.is_integer, values)) and len(values) <= len(wanted) / 2
    except (TypeError, ValueError):
        return any(map(_symbolic, wanted))


def _finite(value):
    try:
        parts = value if isinstance(value, (tuple, list)) else [value]
        return all(np.isfinite(np.asarray(part, dtype=float)).all() for part in parts)
    except (TypeError, ValueError):
        return True


def _same_part(value, wanted, k, agrees):
    try:
        return agrees(value[k], wanted[k])
    except (TypeError, IndexError, KeyError):
        return False


def expect_set(got, wanted, what, known=()):
    """Raise Wrong unless two sets are equal; it names what should not be there and counts what is missing in words."""
    got, wanted = set(got), set(wanted)
    if got == wanted:
        return
    for wrong, words in known:
        if got == set(wrong):
            raise Wrong(words)
    extra, missing = sorted(got - wanted), len(wanted - got)
    parts = [f"{', '.join(map(str, extra))} should not be there"] * bool(extra)
    noun = "letter" if all(isinstance(member, str) for member in wanted) else "number"
    parts += [f"{counted(missing, noun)} {'is' if missing == 1 else 'are'} missing"] * bool(missing)
    raise Wrong(f"{what}: {', and '.join(parts)}.", plain=True)


def same(a, b, rtol=1e-6, atol=1e-9):
    """Say whether two arrays have one shape and the same values."""
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    if a.shape != b.shape:
        return False
    with np.errstate(invalid="ignore"):
        near = (a == b) | (np.abs(a - b) <= atol + rtol * np.abs(b)) & np.isfinite(b)
    return bool((near | (a != a) & (b != b)).all())


def slips(value, wanted, rtol=1e-6, atol=1e-9, n=None):
    """Return in words the common slips that turn ``wanted`` into ``value``: "is twice the right value"."""
    share = ((wanted > 0) & (wanted < 1)).all()
    with np.errstate(all="ignore"):
        candidates = [
            (-wanted, "has the wrong sign"),
            (2 * wanted, "is twice the right value"),
            (wanted / 2, "is half the right value"),
            (wanted**2, "is the square of the right value"),
            (np.sqrt(wanted), "is the square root of the right value"),
            *([(1 / wanted, "is one over the right value")] if not _round(value, wanted) else []),
            *([(1 - wanted, "is one minus the right value")] if share else []),
            (wanted / 100, "is a hundredth of the right value"),
            *([(wanted * 100, "is a hundred times the right value")] if (np.abs(wanted) > 1).all() else []),
            *([(np.abs(wanted), "has lost its sign")] if (wanted > 0).any() else []),
            *_divisors(wanted, n),
            *_orders(value, wanted),
        ]
        sizes = [np.abs(wrong).max(initial=0) for wrong, _ in candidates]
    # a generous atol, meant for the right value, must not make a small wrong one fit
    found = [w for (wrong, w), size in zip(candidates, sizes) if same(value, wrong, rtol, min(atol, 1e-3 * size))]
    if _per_cent(value, wanted, rtol, atol):
        found.append("is in per cent: divide it by 100")
    return list(dict.fromkeys(found)) or _rounded(value, wanted, rtol, atol)


def _slips_of_entries(value, wanted, names, rtol, atol):
    """Return in words the common slips of those entries of a list that are wrong, if it is a few of several."""
    bad = np.flatnonzero(~np.isclose(value, wanted, rtol=rtol, atol=atol, equal_nan=True)) if wanted.ndim == 1 else []
    if not 0 < len(bad) < len(wanted):
        return ""
    called = [names[k] if len(names) == len(wanted) else f"entry [{k}]" for k in bad]
    found = [words for words in slips(value[bad], wanted[bad], rtol, atol) if "order" not in words][:2]
    if all(_round(value[[k]], wanted[[k]]) for k in bad):  # 1 and 2 are near by chance
        found = [words for words in found if "sign" in words]
    several = [re.sub(r"^(is|has) ", lambda m: {"is": "are", "has": "have"}[m[1]] + " ", w) for w in found]
    return f"{' and '.join(called)} {' or '.join(found if len(bad) == 1 else several)}" if found else ""


def _round(value, wanted):
    """Say whether two numbers have one digit each, as 0.5 and 2: many ways lead from one to the other."""
    return value.size == 1 and all(".000000000e" in f"{float(v):.9e}" for v in (value.item(), wanted.item()))


def _per_cent(value, wanted, rtol, atol):
    """Say whether shares came in per cent, perhaps rounded to whole ones."""
    room = max(100 * atol, 1e-4, 0.51 * (np.abs(value).min(initial=100) > 5))
    near = np.abs(value - 100 * wanted) <= np.maximum(room, 100 * rtol * np.abs(wanted))
    return bool(near.all() and np.abs(wanted).max(initial=0) <= 1 and np.abs(value).max(initial=0) > 1)


def _divisors(wanted, n):
    if not n or n < 2:
        return []
    ratio, fewer = n / (n - 1), "was divided by n - 1 where n is wanted"
    more = "was divided by n where n - 1 is wanted (ddof=1)"
    return [(wanted * ratio, fewer), (wanted / ratio, more), (wanted * ratio**0.5, fewer), (wanted / ratio**0.5, more)]


def _orders(value, wanted):
    orders = [(wanted.T, "is transposed")] * (wanted.ndim == 2 and wanted.shape[0] == wanted.shape[1])
    if wanted.ndim and len(wanted) == 2:
        orders.append((wanted[::-1], "has the right values in the wrong order: exchange the two"))
    elif wanted.ndim == 1 and wanted.size > 2:
        orders.append((wanted[::-1], "is in reverse order"))
        turned = np.empty_like(wanted)
        turned[np.argsort(value, kind="stable")] = np.sort(wanted)
        orders.append((turned, "has the right values in another order"))
        return orders if not same(value, wanted[::-1]) else orders[:-1]
    return orders


def _rounded(value, wanted, rtol, atol, far=0.05):
    """Recognise values that are right but rounded, or cut off, too far."""
    wrong = ~np.isclose(value, wanted, rtol=rtol, atol=atol)
    if not wrong.any():
        return []
    for got, right in zip(value[wrong], wanted[wrong]):
        text = f"{abs(got):.15g}"
        if not np.isfinite(got) or not np.isfinite(right) or "e" in text or len(text) > 12:
            return []
        decimals = len(text.partition(".")[2])
        unit = 10.0**-decimals
        cut = math.trunc(round(right / unit, 6)) * unit  # 64.3 / 0.1 falls short of 643
        near = abs(got - right) <= 0.5001 * unit or abs(got - cut) < 1e-6 * unit
        if not near or abs(got - right) > far * abs(right):
            return []
    for digits in range(1, 7):
        if all(_close_enough(float(f"{right:.{digits}g}"), right, rtol, atol) for right in wanted[wrong]):
            many = f"{digits} significant digits" if digits > 1 else "one significant digit"
            return [f"is rounded or cut off too far: give {many}, the last one rounded"]
    return ["is rounded: give all digits"]


def _or_rounded(words, value, wanted, what, rtol, atol):
    """Return a sentence if a known wrong value could also be the right one, rounded too far."""
    if value.shape != wanted.shape or any(word in words for word in ("round", "digit", "decimal")):
        return ""
    found = _rounded(value, wanted, rtol, atol, far=0.2)
    return f" Or it {found[0]}." if found else ""


def _close_enough(value, right, rtol, atol):
    return abs(value - right) <= atol + rtol * abs(right)


def _fits(value, wrong, rtol, atol):
    """Say whether ``value`` is the known ``wrong`` one; dots in it stand for any entry."""
    if isinstance(wrong, (tuple, list)) and any(part is ... for part in wrong):
        if value.shape != (len(wrong),):
            return False
        return all(part is ... or same(mine, part, rtol, atol) for mine, part in zip(value, wrong))
    wrong = np.asarray(wrong, dtype=float)
    return same(value.reshape(wrong.shape) if value.size == wrong.size == 1 else value, wrong, rtol, atol)


def _narrow(atol, wrong):
    """Return a tolerance for a wrong value that is at most a fiftieth of it: the right one's may be wide beside it."""
    return min(atol, abs(wrong) / 50 or 1e-3) if isinstance(wrong, (int, float)) else atol


def _wrong_shape(value, wanted, what):
    def words(shape):
        return f"shape {shape}" if shape else "one number"

    came = f"has shape {value.shape}" if value.ndim else "is one number"
    text = f"{what} {came}; {words(wanted.shape)} is wanted."
    if value.ndim == 2 and value.T.shape == wanted.shape:
        return f"{text} Rows and columns are swapped."
    if value.squeeze().shape == wanted.squeeze().shape:
        return f"{text} {'Use .ravel().' if wanted.ndim == 1 else f'Use .reshape{wanted.shape}.'}"
    if sorted(value.shape) == sorted(wanted.shape):
        return f"{text} Its axes stand in another order."
    if value.ndim == wanted.ndim == 1:
        return f"{what} has {len(value)} entr{'y' if len(value) == 1 else 'ies'}; {len(wanted)} are wanted."
    return text


def _difference(value, wanted, what, names, rtol, atol, reveal, given):
    """Say which entry differs, what came, and what should have come."""
    case = f"Given {given}: " if given else ""
    lead = what[:1].lower() + what[1:] if case else what
    if not value.ndim:
        came, right = _digits(float(value), float(wanted))
        return f"{case}{lead} is {came}; it should be {right}." if reveal else f"{case}{lead} is not {came}."
    places = np.argwhere(~np.isclose(value, wanted, rtol=rtol, atol=atol, equal_nan=True))
    place = tuple(int(k) for k in places[0])
    name = names[place[0]] if len(names) == len(value) and value.ndim == 1 else f"entry {list(place)}"
    came, right = _digits(value[place], wanted[place])
    text = f"{name} is {came}; it should be {right}" if reveal else f"{name} is not {came}"
    many = f" ({len(places)} of {value.size} entries differ.)" if len(places) > 1 else ""
    lead = lead.rstrip(",")
    return f"{case}{lead}: {text}.{many}" if not case else f"{case}in {lead}, {text}.{many}"


def _digits(a, b):
    """Return two numbers in so many digits that they differ."""
    for digits in range(4, 18):
        came, right = f"{float(a):.{digits}g}", f"{float(b):.{digits}g}"
        if came != right:
            break
    return came, right


def _expect_parts(value, wanted, what, known, names, options):
    """Compare a tuple of arrays part by part."""
    names = names if len(names) == len(wanted) else [f"part {k + 1}" for k in range(len(wanted))]
    if isinstance(value, np.ndarray) and value.ndim:
        value = tuple(value)
    if not isinstance(value, (tuple, list)) or len(value) != len(wanted):
        raise Wrong(f"{what} should be {len(wanted)} things, ({', '.join(names)}); got {brief(value)}.")
    rtol, atol = options["rtol"], options["atol"]
    if len(wanted) <= 4 and not all(_agrees(v, w, rtol, atol) for v, w in zip(value, wanted)):
        for wrong, words in known:
            if all(_agrees(v, w, rtol, atol) for v, w in zip(value, wrong, strict=True) if w is not ...):
                raise Wrong(words)
        for order in permutations(wanted):
            if all(_agrees(v, w, rtol, atol) for v, w in zip(value, order)):
                raise Wrong(f"{what}: {ORDER}. Return ({', '.join(names)}).")
    for name, mine, right in zip(names, value, wanted):
        expect_close(mine, right, f"{what}, {name}," if name.startswith("part") else f"{what}: {name}", **options)


def _common_slips(pairs, rtol, atol, n):
    """Return the slips that explain every pair of what came and what was wanted."""
    if any(_symbolic(wanted) for _, wanted in pairs):
        return []
    try:
        arrays = [(as_numbers(value, "", wanted), np.asarray(wanted, dtype=float)) for value, wanted in pairs]
        found = [slips(value, wanted, rtol, atol, n) for value, wanted in arrays if value.shape == wanted.shape]
    except (Wrong, ValueError):  # several parts
        return []
    if len(found) < len(pairs):
        return []
    return [words for words in found[0] if all(words in others for others in found)][:2]


def _complaint(value, wanted, what, **options):
    if _symbolic(wanted):
        text = f"{what[:1].lower()}{what[1:]} is {brief(value)}; it should be {brief(wanted)}."
        return Wrong(f"Given {options['given']}: {text}", plain=True)
    try:
        expect_close(value, wanted, what, **options)
    except Wrong as wrong:
        return wrong


def _input(right, case):
    return describe(case, parameters(right, len(case)))


def _symbolic(wanted):
    """Say whether a result is made of words, truth values or sets, which are equal or not."""
    parts = wanted if isinstance(wanted, (tuple, list)) else [wanted]
    return any(isinstance(part, (str, bool, set, frozenset)) or part is None for part in parts)


def _agrees(value, wanted, rtol, atol, names=()):
    """Say whether a value is the wanted one, in any form."""
    if _symbolic(wanted):
        return type(value) is type(wanted) and value == wanted
    try:
        value = from_dict(value, [name.strip() for name in names.split(",")] if isinstance(names, str) else names)
        if isinstance(wanted, tuple) and any(np.ndim(part) for part in wanted):
            several = isinstance(value, (tuple, list)) or (isinstance(value, np.ndarray) and value.ndim)
            return (
                several
                and len(value) == len(wanted)
                and all(_agrees(mine, right, rtol, atol) for mine, right in zip(value, wanted))
            )
        rtol, atol = _tolerances(value, wanted, rtol, atol)
        return same(as_numbers(value, "", wanted), wanted, rtol, atol)
    except Exception:
        return False


def _plain(value, wanted, what, names, rtol, atol, given):
    try:
        value, wanted = as_numbers(from_dict(value, names), what, wanted), np.asarray(wanted, dtype=float)
        same_shape = value.shape == wanted.shape  # (n, 1) would be stretched to (n, 2), and entries be miscounted
        return _difference(value, wanted, what, names, rtol, atol, True, given) if same_shape else ""
    except Exception:  # parts
        return ""


def _values(function, cases, read):
    try:
        with np.errstate(all="ignore"):
            return [read(function(*case)) for case in cases]
    except Exception:  # the slip does not even run on these inputs
        return None


def _stuck_arguments(right, cases):
    """Yield what comes out if an argument keeps the worked example's value, or if two are exchanged."""
    names, right = parameters(right, len(cases[0])), ending(right)
    for k, name in enumerate(names):
        first = cases[0][k]
        if _shape(first) == () and not callable(first) and any(case[k] != first for case in cases):
            words = f"You use {name} = {brief(first)}, the value of one example, whatever {name} is given. Use {name}."
            yield (lambda *case, k=k, first=first: right(*case[:k], first, *case[k + 1 :])), words
    for i in range(len(names)):
        for j in range(i + 1, len(names)):
            if not callable(cases[0][i]) and _shape(cases[0][i]) == _shape(cases[0][j]):
                yield _exchange(right, i, j), f"{names[i]} and {names[j]} are exchanged in your function."


def _shape(value):
    try:
        return np.shape(value)
    except ValueError:  # lists of different lengths
        return (len(value), ...)


def _exchange(right, i, j):
    def exchanged(*case):
        case = list(case)
        case[i], case[j] = case[j], case[i]
        return right(*case)

    return exchanged


def _tolerances(value, wanted, rtol, atol):
    """Return wider tolerances for single precision, whose sums are good to four digits or so."""
    parts = value if isinstance(value, (tuple, list)) else [value]
    if not any(isinstance(part, (np.ndarray, np.generic)) and part.dtype in (np.float32, np.float16) for part in parts):
        return rtol, atol
    wanted = np.asarray(wanted, dtype=float)
    return max(rtol, 1e-4), max(atol, 1e-5 * np.abs(wanted[np.isfinite(wanted)]).max(initial=0))

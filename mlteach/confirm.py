"""Confirm a claim of the text in a cell: one line of evidence where it holds, an error with both values where not.

One rule for numbers: ``|value - expected| <= tol * max(1, |expected|)``, so ``tol`` is absolute for numbers up to 1
and relative beyond. The line prints the tolerance, never the error that was measured: that differs between machines.
Whole numbers, truth values, text and sets are compared exactly.
"""

import numbers

import numpy as np


def confirm(claim, value, expected=None, *, at_most=None, at_least=None, tol=1e-9, what="value"):
    """Print one line of evidence that ``claim`` holds, or raise an AssertionError that shows where it does not.

    claim      a sentence, with the equation's number if it has one
    value      what was computed: a number, a list or array, text, a set; or truth values, which then need no more
    expected   what it should be: one number for all entries, or one for each entry
    at_most, at_least   bounds instead, one or both; for truth values the number of them that must be true
    tol        see above; ``tol=0`` compares exactly
    what       what one entry is, so that the line can count: "direction", or "vertex/vertices"

    >>> import numpy as np
    >>> angles = np.linspace(0, 6, 2000)
    >>> confirm("cos² + sin² = 1", np.cos(angles)**2 + np.sin(angles)**2, 1, what="angle")
    ✓ cos² + sin² = 1: 2,000 angles, to 1e-9
    >>> confirm("the loss never rises", np.diff([3.0, 2.0, 2.0]), at_most=0, what="step")
    ✓ the loss never rises: 2 steps, to 1e-9
    >>> confirm("every point lies inside", angles < 7, what="point")
    ✓ every point lies inside: all 2,000 points
    >>> confirm("most runs end in time", [True] * 17 + [False] * 3, at_least=15, what="run")
    ✓ most runs end in time: 17 of 20 runs, at least 15 asked for
    >>> confirm("the support vectors", {2, 5}, {2, 5}, what="vector")
    ✓ the support vectors: 2 vectors, exactly
    """
    if not isinstance(claim, str) or not claim.strip():
        raise TypeError(f"claim must be a sentence; got {claim!r}. confirm(claim, value, expected).")
    if not isinstance(tol, numbers.Real) or not 0 <= tol < np.inf:
        raise ValueError(f"tol must be a number of at least 0; got {tol!r}.")
    bounded = at_most is not None or at_least is not None
    if bounded and expected is not None:
        raise TypeError("give either expected or bounds (at_most, at_least), not both.")
    if isinstance(value, set | frozenset) or isinstance(expected, set | frozenset):
        evidence = _same_set(claim, value, expected, what)
    else:
        value = _array(value, "value")
        if value.dtype == bool and expected is None:
            evidence = _share(claim, value, at_most, at_least, what)
        elif bounded:
            evidence = _within(claim, value, at_most, at_least, tol, what)
        elif expected is None:
            raise TypeError(f"'{claim}': what should the value be? Give expected, at_most or at_least.")
        else:
            evidence = _equal(claim, value, _array(expected, "expected", value.shape), tol, what)
    print(f"✓ {claim}: {evidence}")


def _equal(claim, value, expected, tol, what):
    if _exact(value) and _exact(expected):
        wrong = np.asarray(value.astype(object) != expected.astype(object), dtype=bool)
        if np.any(wrong):
            where = tuple(np.argwhere(wrong)[0])
            came, wanted = value[where], (expected[where] if expected.ndim else expected[()])
            _refuse(claim, wrong, where, what, f"is {_plain(came)}; it should be {_plain(wanted)}, exactly.")
        return f"{_count(value.size, what)}, exactly"
    value, expected = _floats(value, "value"), _floats(expected, "expected")
    _not_below(expected, tol, "expected")
    same = value == expected  # also where both are infinite
    with np.errstate(invalid="ignore"):
        error = np.where(same, 0.0, np.abs(value - expected))
    allowed = np.where(np.isfinite(expected), tol * np.maximum(1, np.abs(expected)), 0.0)
    _judge(claim, value, expected, error, np.broadcast_to(allowed, value.shape), "", tol, what)
    return f"{_count(value.size, what)}, {f'to {_short(tol)}' if tol else 'exactly'}"


def _within(claim, value, at_most, at_least, tol, what):
    slack = False
    for sign, word, bound in ((1, "at most", at_most), (-1, "at least", at_least)):
        if bound is None:
            continue
        bound = _array(bound, word.replace(" ", "_"), value.shape)
        slack |= tol > 0 and not (_exact(value) and _exact(bound))
        limit = _floats(bound, word.replace(" ", "_"))
        if not np.all(np.isfinite(limit)):
            raise ValueError(f"'{claim}': {word.replace(' ', '_')} must be finite, or nothing is tested; got {bound}.")
        number, margin = _floats(value, "value"), tol if slack else 0.0
        _not_below(limit, margin, word.replace(" ", "_"))
        allowed = np.broadcast_to(margin * np.maximum(1, np.abs(limit)), value.shape)
        with np.errstate(invalid="ignore"):
            _judge(claim, number, limit, sign * (number - limit), allowed, f"{word} ", margin, what)
    return _count(value.size, what) + (f", to {_short(tol)}" if slack else "")


def _share(claim, value, at_most, at_least, what):
    n, true = value.size, int(value.sum())
    for bound, word in ((at_most, "at most"), (at_least, "at least")):
        if bound is not None and (not isinstance(bound, numbers.Integral) or isinstance(bound, bool)):
            raise TypeError(f"'{claim}': for truth values {word} is a whole number of them; got {bound!r}.")
    if at_most is None and at_least is None:
        if true < n:
            where = tuple(np.argwhere(~value)[0])
            _refuse(claim, ~value, where, what, "is false; it should be true.")
        return f"all {_count(n, what)}" if value.ndim else "true"
    low, high = at_least or 0, n if at_most is None else at_most
    if not 0 <= low <= high <= n or (low, high) == (0, n):
        raise ValueError(f"'{claim}': the bounds {low} to {high} test nothing for {_count(n, what)}.")
    words = [f"{word} {b:,}" for word, b in (("at least", at_least), ("at most", at_most)) if b is not None]
    if not low <= true <= high:
        raise AssertionError(
            f"'{claim}' does not hold: {true:,} of {_count(n, what)}; asked for {' and '.join(words)}."
        )
    return f"{true:,} of {_count(n, what)}, {' and '.join(words)} asked for"


def _same_set(claim, value, expected, what):
    if not isinstance(value, set | frozenset) or not isinstance(expected, set | frozenset):
        raise TypeError(f"'{claim}': a set is compared with a set; got {_kind(value)} and {_kind(expected)}.")
    if not expected or not value:
        raise ValueError(f"'{claim}': an empty set confirms nothing; confirm its length instead.")
    missing, extra = (sorted(map(repr, a - b)) for a, b in ((expected, value), (value, expected)))
    if missing or extra or any(x != x for x in value):
        parts = [f"{word} {', '.join(some)}" for word, some in (("missing", missing), ("too many", extra)) if some]
        raise AssertionError(f"'{claim}' does not hold: {'; '.join(parts) or 'nan is never confirmed'}.")
    return f"{_count(len(value), what)}, exactly"


def _judge(claim, value, wanted, error, allowed, word, tol, what):
    """Raise at the worst entry if an error is larger than what is allowed; nan counts as infinitely wrong."""
    wrong = ~(error <= allowed)
    if np.any(wrong):
        size = np.where(wrong, np.nan_to_num(error - allowed, nan=np.inf, posinf=np.inf), -np.inf)
        where = np.unravel_index(np.argmax(size), value.shape)
        target = wanted[where] if wanted.ndim else wanted[()]
        came, should = _digits(value[where], target)
        by = f" Off by {error[where]:.3g}" if np.isfinite(error[where]) else " No distance"
        limit = f"allowed is {allowed[where]:.3g} (tol {_short(tol)})"
        _refuse(claim, wrong, where, what, f"is {came}; it should be {word}{should}.{by}, {limit}.")


def _refuse(claim, wrong, where, what, words):
    if not wrong.ndim:
        raise AssertionError(f"'{claim}' does not hold: the {what.split('/')[0]} {words}")
    index = ", ".join(str(int(i)) for i in where)
    share = f"{np.count_nonzero(wrong):,} of {_count(wrong.size, what)} wrong"
    raise AssertionError(f"'{claim}' does not hold: {share}. Worst is [{index}]: it {words}")


def _not_below(expected, tol, name):
    """A target that the tolerance swallows would also accept zero: refuse it."""
    size = np.abs(expected)
    if np.any(size > 0) and np.all(size <= tol):
        raise ValueError(
            f"{name} is at most {size.max():.2g}, no more than tol {_short(tol)}: zero would pass as well. "
            f"Give a smaller tol, or expected=0 if it should vanish."
        )


def _array(thing, name, shape=None):
    """Return ``thing`` as an array that is not empty, of ``shape`` or a single value where a shape is given."""
    try:
        array = np.asarray(thing)
        if array.dtype.kind in "US" and not isinstance(thing, np.ndarray):
            array = np.asarray(thing, dtype=object)  # or 1 would become "1" beside text
    except ValueError:
        raise ValueError(f"{name} must be a number, text, or an array of them with rows of equal length.") from None
    if array.dtype.kind == "O":
        odd = [x for x in array.flat if not isinstance(x, str | numbers.Real | np.bool_ | None)]
        if odd:
            raise TypeError(f"{name} must hold numbers, truth values or text; got {_kind(odd[0])}.")
        if any(isinstance(x, float) for x in array.flat):
            array = _floats(array, name)
    if array.dtype.kind not in "biufUSO":
        raise TypeError(f"{name} must hold real numbers, truth values or text; got {array.dtype}.")
    if array.size == 0:
        raise ValueError(f"{name} is empty: there is nothing to confirm.")
    if shape is not None and array.ndim and array.shape != shape:
        raise ValueError(f"value has shape {shape}, {name} has {array.shape}; give one for each entry or one number.")
    return array


def _exact(array):
    return array.dtype.kind != "f"


def _floats(array, name):
    if any(isinstance(x, str | bytes) for x in (array.flat if array.dtype.kind in "OUS" else ())):
        raise TypeError(f"{name} must hold numbers only to be compared with numbers; got text.")
    return array.astype(float)


def _count(n, what):
    one, _, many = what.partition("/")
    return f"{n:,} {one if n == 1 else many or one + 's'}"


def _short(tol):
    return f"{tol:g}".replace("e-0", "e-")


def _digits(a, b):
    """Write two numbers with as few digits as show them different."""
    for n in (6, 10):
        if f"{a:.{n}g}" != f"{b:.{n}g}":
            return f"{a:.{n}g}", f"{b:.{n}g}"
    return repr(float(a)), repr(float(b))


def _plain(x):
    return repr(x.item() if isinstance(x, np.generic) else x)


def _kind(thing):
    return type(thing).__name__

"""Input checks, each with a message that says what is needed, what came, and how to mend it.

Every public entry point of the package goes through these functions, so a mistake is reported in the same
words wherever it is made. Nothing is clipped, dropped or reshaped in silence, and no input is ever modified.
"""

import math
import numbers
import sys
from decimal import Decimal
from functools import cache

import numpy as np


class NotFittedError(ValueError):
    """The model was asked for something it only knows after ``fit``."""


def not_fitted(message):
    """Return a NotFittedError that is also scikit-learn's, where a program has loaded scikit-learn."""
    theirs = sys.modules.get("sklearn.exceptions")
    return (_both(theirs.NotFittedError) if theirs else NotFittedError)(message)


@cache
def _both(theirs):
    """Return the error class that both an ``except`` for ours and one for ``theirs`` catch; it can be pickled."""
    body = {"__doc__": NotFittedError.__doc__, "__reduce__": lambda error: (not_fitted, error.args)}
    return type("NotFittedError", (NotFittedError, theirs), body)


class ConvergenceWarning(UserWarning):
    """An iterative method stopped before it reached its tolerance."""


def as_array(values, name, *, ndim=None):
    """Return ``values`` as a finite float array, or say why that is impossible."""
    _refuse_containers(values, name)
    try:
        given = np.asarray(values)
        array = np.array(given, dtype=float) if given.dtype.kind not in "cUSmM" else np.empty(given.shape)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"{name} must hold numbers only; numpy says: {error}.") from None
    if given.dtype.kind == "c":
        raise ValueError(f"{name} must hold real numbers; got complex ones. Complex data not supported.")
    if given.dtype.kind in "USmMO":
        _refuse_non_numbers(given, name)
    if ndim is not None and array.ndim != ndim:
        raise ValueError(f"{name} must have {ndim} dimension{'s' * (ndim != 1)}; got shape {array.shape}.")
    _refuse_empty(array, name)
    if not np.isfinite(array).all():
        where = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
        place = f"{name}[{', '.join(map(str, where))}]" if where else "it"
        raise ValueError(f"{name} must be finite; {place} is {given[where]}. Replace NaN and inf, or leave them out.")
    return array


def as_matrix(X, name="X", *, n_features=None):
    """Return ``X`` as a float matrix of shape ``(n, d)``."""
    X = as_array(X, name)
    _check_shape(X, name, n_features)
    return X


def as_categories(X, name="X", *, n_features=None):
    """Return rows of categories, values that can be compared and hashed, as an array of objects (n, d)."""
    _refuse_containers(X, name)
    try:
        rows = np.asarray(X, dtype=object)
    except ValueError:
        raise ValueError(f"the rows of {name} must have one length, one value per attribute.") from None
    if rows.ndim == 1 and any(isinstance(row, list | tuple) for row in rows):
        raise ValueError(f"the rows of {name} must have one length, one value per attribute.")
    _check_shape(rows, name, n_features)
    _refuse_empty(rows, name)
    for place in np.ndindex(rows.shape):
        _refuse_no_category(rows[place], f"{name}[{place[0]}, {place[1]}]", name)
    return rows


def column_names(X):
    """Return the names of a data frame's columns (d,), or None where ``X`` has none or not all are text."""
    names = list(getattr(X, "columns", []))
    return np.array(names, dtype=object) if names and all(isinstance(name, str) for name in names) else None


def as_names(names, d, name="feature_names"):
    """Return ``names`` as an array of ``d`` texts."""
    names = list(names)
    if len(names) != d or not all(isinstance(text, str) for text in names):
        raise ValueError(f"{name} must hold {d} texts, one per column of X; got {names!r}.")
    return np.array(names, dtype=object)


def as_vector(y, name="y", *, length=None, like="X"):
    """Return ``y`` as a float vector, of ``length`` where one is given."""
    y = as_array(y, name)
    if y.ndim != 1:
        raise ValueError(f"{name} must have shape (n,); got {y.shape}.{_ravel(y, name)}")
    _same_length(y, name, length, like)
    return y


def as_labels(y, name="y", *, length=None, like="X", min_classes=2):
    """Return the sorted classes and, for each sample, the index of its class.

    Labels are whole numbers, text, booleans or dates, all of one type. Other numbers are no labels.
    """
    y = _label_array(y, name)
    if y.ndim != 1:
        raise ValueError(f"{name} must have shape (n,); got {y.shape}.{_ravel(y, name)}")
    if y.size == 0:
        raise ValueError(f"{name} is empty; at least one label is needed.")
    _same_length(y, name, length, like)
    _refuse_missing(y, name)
    _refuse_continuous(y, name)
    try:
        classes, index = np.unique(y, return_inverse=True)
    except TypeError:
        raise ValueError(f"{name} mixes labels that cannot be sorted; use labels of one type.") from None
    if len(classes) < min_classes:
        raise ValueError(f"{name} must hold at least {min_classes} classes; got only 1 class: {classes.tolist()}.")
    return classes, index


def as_two_classes(y, who, remedy, *, length=None):
    """Return the two sorted classes and, for each sample, t = -1 for the first and +1 for the second.

    ``who`` separates them; ``remedy`` says what to use for more classes.
    """
    classes, index = as_labels(y, length=length)
    if len(classes) > 2:
        some = ", ".join(map(repr, classes[:5].tolist())) + ", ..." * (len(classes) > 5)
        raise ValueError(f"{who} separates two classes; y holds {len(classes)}: {some}. {remedy}")
    return classes, np.where(index == 1, 1.0, -1.0)


def as_signs(t, name="t", *, length=None, like="X"):
    """Return ``t`` as a float vector of +1 and -1."""
    t = as_vector(t, name, length=length, like=like)
    bad = ~np.isin(t, (-1.0, 1.0))
    if bad.any():
        raise ValueError(f"{name} must hold +1 and -1 only; got {t[bad][0]:g}.")
    return t


def as_rng(rng):
    """Return a Generator from a seed or a Generator; numpy's global state is never touched."""
    if isinstance(rng, np.random.Generator):
        return rng
    if isinstance(rng, numbers.Integral) and not isinstance(rng, bool) and rng >= 0:
        return np.random.default_rng(rng)
    raise ValueError(f"rng must be a non-negative integer seed or a numpy.random.Generator; got {rng!r}.")


def check_number(value, name, *, low=None, high=None, open_low=False, open_high=False):
    """Return ``value`` as a float inside the interval; ``open_low`` excludes the lower end itself."""
    number = _as_float(value)
    if not math.isfinite(number):
        raise ValueError(f"{name} must be a finite number; got {value!r}.")
    too_low = low is not None and (number <= low if open_low else number < low)
    too_high = high is not None and (number >= high if open_high else number > high)
    if too_low or too_high:
        wanted = []
        if low is not None:
            wanted.append(f"{'greater than' if open_low else 'at least'} {low}")
        if high is not None:
            wanted.append(f"{'less than' if open_high else 'at most'} {high}")
        raise ValueError(f"{name} must be {' and '.join(wanted)}; got {value!r}.")
    return number


def check_integer(value, name, *, low=None, high=None, why=""):
    """Return ``value`` as an int inside ``[low, high]``; ``why`` explains the upper limit."""
    if not isinstance(value, numbers.Integral) or isinstance(value, bool):
        raise ValueError(f"{name} must be a whole number; got {value!r}.")
    if low is not None and value < low:
        raise ValueError(f"{name} must be at least {low}; got {value}.")
    if high is not None and value > high:
        raise ValueError(f"{name} must be at most {high}{f' ({why})' if why else ''}; got {value}.")
    return int(value)


def check_choice(value, name, options):
    """Return ``value`` if it is one of ``options``."""
    if np.ndim(value) != 0 or value not in options:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, options))}; got {value!r}.")
    return value


def check_probabilities(p, name="p", *, axis=-1):
    """Return ``p`` as an array of probabilities that sum to one along ``axis``."""
    p = as_array(p, name)
    if (p < 0).any():
        raise ValueError(f"{name} must not be negative; its smallest entry is {p.min():g}.")
    total = p.sum(axis=axis)
    if not np.allclose(total, 1):
        worst = np.ravel(total)[np.argmax(np.abs(np.ravel(total) - 1))]
        raise ValueError(f"{name} must sum to one; it sums to {worst:g}.")
    return p


def is_hashable(value):
    """Say whether a value can be counted, looked up and compared: text and numbers can, lists cannot."""
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _check_shape(X, name, n_features):
    """Refuse what is no table of ``n_features`` columns (of any number, if None)."""
    if X.ndim != 2:
        remedy = ""
        if X.ndim == 1:
            one_point = n_features == len(X) != 1
            remedy = f" Use {name}[None, :] for one point." if one_point else f" Use {name}[:, None] for one feature."
        raise ValueError(f"{name} must have shape (n, d); got {X.shape}.{remedy}")
    if n_features is not None and X.shape[1] != n_features:
        raise ValueError(f"{name} must have {n_features} features, as in fit; got {X.shape[1]}.")


def _refuse_empty(array, name):
    if array.size == 0:
        if array.ndim == 2 and len(array):
            raise ValueError(f"{name} is empty: 0 feature(s) (shape={array.shape}) while a minimum of 1 is required.")
        raise ValueError(f"{name} is empty (shape {array.shape}); at least one value is needed.")


def _refuse_no_category(value, place, name):
    """Refuse what equals nothing, or cannot be counted."""
    if isinstance(value, complex | np.complexfloating):
        raise ValueError(f"{name} must hold real numbers; got complex ones. Complex data not supported.")
    if _is_missing(value):
        raise ValueError(f"{name} must be finite; {place} is {value}. Replace NaN and inf, or leave them out.")
    if not is_hashable(value):
        raise ValueError(f"{name} must hold values that can be hashed, such as text or numbers; {place} is {value!r}.")


def _same_length(y, name, length, like):
    if length is not None and len(y) != length:
        raise ValueError(f"{name} must have one entry per row of {like}: {length} rows, but {name} has {len(y)}.")


def _ravel(y, name):
    return f" Use {name}.ravel()." if y.size == max(y.shape, default=0) else ""


def _as_float(value):
    """Return any real number as a float, nan for what is none, and infinity for what is too large."""
    if not isinstance(value, numbers.Real | Decimal) or isinstance(value, bool):
        return math.nan
    try:
        return float(value)
    except OverflowError:
        return math.inf
    except ValueError:  # a signalling nan of Decimal
        return math.nan


def _refuse_containers(values, name):
    """Refuse what numpy would read wrongly without a word: nothing, sparse matrices, masked entries."""
    if values is None:
        raise ValueError(f"{name} is missing. Expected array-like (array or non-string sequence), got None.")
    if hasattr(values, "toarray") and hasattr(values, "nnz"):
        raise ValueError(f"{name} is a sparse matrix; a dense array is needed. Use {name}.toarray().")
    parts = [values, *values] if isinstance(values, list | tuple) else [values]
    if any(isinstance(part, np.ma.MaskedArray) and np.ma.is_masked(part) for part in parts):
        raise ValueError(f"{name} has masked entries, and no value may be missing. Drop them, or use {name}.filled().")


def _refuse_non_numbers(given, name):
    """Refuse text and dates, also inside an array of objects: numpy would read "3" and a date as numbers."""
    for value in given.flat:
        if isinstance(value, str | bytes):
            raise ValueError(f"{name} must hold numbers only; got text.")
        if isinstance(value, np.datetime64 | np.timedelta64):
            raise ValueError(f"{name} must hold numbers only; got dates or times such as {value}.")


def _label_array(y, name):
    """Return ``y`` as an array; refuse a list that mixes text with other labels, which numpy would turn into text."""
    _refuse_containers(y, name)
    try:
        labels = np.asarray(y)
    except ValueError:
        raise ValueError(f"{name} must have shape (n,), one label per sample; its entries differ in length.") from None
    if labels.dtype.kind in "US" and isinstance(y, list | tuple) and labels.ndim == 1:
        odd = [label for label in y if not isinstance(label, str | bytes)]
        if odd:
            raise ValueError(f"{name} mixes text with other labels, such as {odd[0]!r}; use labels of one type.")
    return labels


def _refuse_missing(y, name):
    """Refuse labels that equal nothing: NaN, NaT, None; and infinity."""
    missing = ~np.isfinite(y) if y.dtype.kind in "fcmM" else np.zeros(len(y), dtype=bool)
    if y.dtype.kind == "O":
        missing = np.array([_is_missing(label) for label in y])
    if missing.any():
        n = int(missing.argmax())
        raise ValueError(f"{name} must hold a finite label for every sample; {name}[{n}] is {y[n]}.")


def _is_missing(label):
    try:
        return label is None or bool(label != label) or label in (math.inf, -math.inf)
    except TypeError:  # pandas.NA is neither equal to itself nor different
        return True


def _refuse_continuous(y, name):
    """Refuse numbers with a fractional part: they are measurements, not the names of classes."""
    if y.dtype.kind == "c":
        raise ValueError(f"{name} must hold class labels; got complex numbers.")
    measured = y[y != np.floor(y)] if y.dtype.kind == "f" else []
    if y.dtype.kind == "O":
        measured = [label for label in y if isinstance(label, float | np.floating) and label != math.floor(label)]
    if len(measured):
        raise ValueError(
            f"{name} must hold class labels, but {measured[0]} is a measured number (Unknown label type: continuous). "
            f"Use a regression, or make classes of it, as in {name} > {measured[0]}."
        )

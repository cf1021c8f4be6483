"""Input checks, each with a message that says what is needed, what came, and how to mend it.

Every public entry point of the package goes through these functions, so a mistake is reported in the same
words wherever it is made. Nothing is clipped, dropped or reshaped in silence, and no input is ever modified.
"""

import numbers

import numpy as np


class NotFittedError(ValueError):
    """The model was asked for something it only knows after ``fit``."""


class ConvergenceWarning(UserWarning):
    """An iterative method stopped before it reached its tolerance."""


def as_array(values, name, *, ndim=None):
    """Return ``values`` as a finite float array, or say why that is impossible."""
    try:
        given = np.asarray(values)
        array = np.array(given, dtype=float) if given.dtype.kind not in "cUS" else None
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must hold numbers only; numpy says: {error}.") from None
    if given.dtype.kind == "c":
        raise ValueError(f"{name} must hold real numbers; got complex ones.")
    if array is None:  # numpy would read the text "3" as a number
        raise ValueError(f"{name} must hold numbers only; got text.")
    if ndim is not None and array.ndim != ndim:
        raise ValueError(f"{name} must have {ndim} dimension{'s' * (ndim != 1)}; got shape {array.shape}.")
    if array.size == 0:
        raise ValueError(f"{name} is empty (shape {array.shape}); at least one value is needed.")
    if not np.isfinite(array).all():
        where = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
        place = f"{name}[{', '.join(map(str, where))}]" if where else "it"
        raise ValueError(f"{name} must be finite; {place} is {array[where]}.")
    return array


def as_matrix(X, name="X", *, n_features=None):
    """Return ``X`` as a float matrix of shape ``(n, d)``."""
    X = as_array(X, name)
    if X.ndim != 2:
        remedy = f" Use {name}[:, None] for one feature." if X.ndim == 1 else ""
        raise ValueError(f"{name} must have shape (n, d); got {X.shape}.{remedy}")
    if n_features is not None and X.shape[1] != n_features:
        raise ValueError(f"{name} must have {n_features} features, as in fit; got {X.shape[1]}.")
    return X


def as_vector(y, name="y", *, length=None, like="X"):
    """Return ``y`` as a float vector, of ``length`` where one is given."""
    y = as_array(y, name)
    if y.ndim != 1:
        remedy = f" Use {name}.ravel()." if y.size == max(y.shape, default=0) else ""
        raise ValueError(f"{name} must have shape (n,); got {y.shape}.{remedy}")
    _same_length(y, name, length, like)
    return y


def as_labels(y, name="y", *, length=None, like="X", min_classes=2):
    """Return the sorted classes and, for each sample, the index of its class."""
    y = np.asarray(y)
    if y.ndim != 1:
        raise ValueError(f"{name} must have shape (n,); got {y.shape}.")
    if y.size == 0:
        raise ValueError(f"{name} is empty; at least one label is needed.")
    _same_length(y, name, length, like)
    if y.dtype.kind == "f" and not np.isfinite(y).all():
        raise ValueError(f"{name} must be finite; {name}[{int(np.argmin(np.isfinite(y)))}] is not.")
    try:
        classes, index = np.unique(y, return_inverse=True)
    except TypeError:
        raise ValueError(f"{name} mixes labels that cannot be sorted; use labels of one type.") from None
    if len(classes) < min_classes:
        raise ValueError(f"{name} must hold at least {min_classes} classes; got only {classes.tolist()}.")
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
    if not isinstance(value, numbers.Real) or isinstance(value, bool) or not np.isfinite(value):
        raise ValueError(f"{name} must be a finite number; got {value!r}.")
    too_low = low is not None and (value <= low if open_low else value < low)
    too_high = high is not None and (value >= high if open_high else value > high)
    if too_low or too_high:
        wanted = []
        if low is not None:
            wanted.append(f"{'greater than' if open_low else 'at least'} {low}")
        if high is not None:
            wanted.append(f"{'less than' if open_high else 'at most'} {high}")
        raise ValueError(f"{name} must be {' and '.join(wanted)}; got {value!r}.")
    return float(value)


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


def _same_length(y, name, length, like):
    if length is not None and len(y) != length:
        raise ValueError(f"{name} must have one entry per row of {like}: {length} rows, but {name} has {len(y)}.")

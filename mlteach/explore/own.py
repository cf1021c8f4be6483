"""Your own data in an explorer: what reads, checks, scales and names it, for all explorers alike.

A scene that takes data says so with ``takes = Plane(...)``, ``Curve(...)`` or ``Cloud(...)``, and gets what is read as
the argument of its constructor: points in the units of its own picture, so that its sliders, grids and kernels keep
their ranges, and a method that gives the axes your units and your names.
"""

import csv
import functools
import inspect
import io
import warnings
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import numpy as np
from matplotlib.ticker import FixedLocator, MaxNLocator, NullLocator

from mlteach.latent_factors import PCA
from mlteach.linear_regression import standardize
from mlteach.validation import ConvergenceWarning, as_labels, as_matrix, as_vector

NEW = 2000  # rows at most that measure errors
INSIDE = 0.9  # of a picture's width and height, in which the points lie
LOW = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
LARGE, LEAST = 1e100, 1e-9  # numbers beyond, and ranges below this part of a column's size, are not told apart


# --- What a scene says that it takes -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Plane:
    """Points of a plane in classes: ``X`` (n, 2 or more) and ``y`` (n,).

    frame     (x0, x1, y0, y1) of the picture
    words     the caption: where to look
    most      rows that are fitted at most
    classes   at most so many; two by default
    each      rows of each class that are needed at least
    held      are rows held back to measure errors?
    """

    frame: tuple
    words: str
    most: int = 200
    classes: int = 2
    each: int = 2
    held: bool = True
    arguments: ClassVar = ("X", "y")

    @property
    def asks(self):
        """What must be given, in words."""
        many = "two classes" if self.classes == 2 else f"two to {self.classes} classes"
        return f"X with two columns or more, and y with {many}" + f" of {self.each} rows or more" * (self.each > 1)

    def read(self, X, y):
        """Return `Yours`, or say what is wrong."""
        X, names, about = _two_columns(X)
        classes, index = as_labels(_column(y), length=len(X))
        if len(classes) > self.classes:
            some = ", ".join(map(repr, classes[:5].tolist())) + ", ..." * (len(classes) > 5)
            raise ValueError(
                f"y holds {len(classes)} classes: {some}; at most {self.classes} can be shown. Keep the rows of some, "
                f"or join them, as in y == {classes[0].item()!r}."
            )
        sizes = np.bincount(index)
        if sizes.min() < self.each:
            raise ValueError(
                f"y holds {classes[sizes.argmin()].item()!r} in {_rows(int(sizes.min()))}; each class needs "
                f"{_rows(self.each)}{', some to fit and some to measure errors' * self.held}."
            )
        fitted, new = _dealt(index, self.most, self.held)
        X, scales = _framed(X, self.frame, fitted)
        note = f"{_share(len(X), fitted, new, self.held)} {about}".strip()
        note += " Widths, weights and distances count in units of the picture, in which both axes are alike."
        own = Yours(X[fitted], index[fitted], None, names, tuple(map(_class_name, classes.tolist())), scales, note)
        return replace(own, new=replace(own, X=X[new], y=index[new])) if self.held else own


@dataclass(frozen=True)
class Curve:
    """Targets ``t`` (n,) at places ``x`` (n,) or (n, 1): ``ends`` are the places where the picture's x begins and ends.

    ``words``, ``most`` and ``held`` are as in `Plane`, ``least`` the number of rows that are needed.
    """

    ends: tuple
    words: str
    most: int = 100
    held: bool = True
    least: int = 6
    arguments: ClassVar = ("x", "t")

    @property
    def asks(self):
        """What must be given, in words."""
        return f"x and t, two columns of numbers with {self.least} rows or more"

    def read(self, x, t):
        """Return `Yours`, or say what is wrong."""
        names = _name(x, "x"), _name(t, "t")
        x = as_vector(_column(_numbers(x, "x"), "x"), "x")
        t = as_vector(_column(_numbers(t, "t"), "t"), "t", length=len(x), like="x")
        if len(x) < self.least:
            raise ValueError(f"x has {_rows(len(x))}; {self.least} or more are needed.")
        for values, name in ((x, "x"), (t, "t")):
            _refuse_extremes(values, name)
            if _constant(values):
                raise ValueError(f"{name} is {values[0]:g} in every row; it must vary.")
        (low, high), (middle, unit) = self.ends, (float(t.mean()), float(t.std()))
        step = float(np.ptp(x)) / (high - low)
        scales = ((float(x.min()) - low * step, step), (middle, unit))
        X, t = np.clip((x - scales[0][0]) / step, low, high)[:, None], (t - middle) / unit
        fitted, new = _dealt(np.zeros(len(x), int), self.most, self.held)
        note = _share(len(x), fitted, new, self.held)
        note += f" Errors count in standard deviations of {names[1]} ({unit:.3g})."
        limits = float(t.min()), float(t.max())
        own = Yours(X[fitted], t[fitted], None, names, (), scales, note, limits)
        return replace(own, new=replace(own, X=X[new], y=t[new])) if self.held else own


@dataclass(frozen=True)
class Cloud:
    """Points of a plane with no classes: ``X`` (n, 2 or more); ``frame``, ``words`` and ``most`` as in `Plane`."""

    frame: tuple
    words: str
    most: int = 1000
    least: int = 3
    arguments: ClassVar = ("X",)

    @property
    def asks(self):
        """What must be given, in words."""
        return f"X with two columns or more and {self.least} rows or more"

    def read(self, X):
        """Return `Yours`, or say what is wrong."""
        X, names, about = _two_columns(X)
        if len(np.unique(X, axis=0)) < self.least:
            raise ValueError(f"X has {len(np.unique(X, axis=0))} different rows; {self.least} or more are needed.")
        kept, _ = _dealt(np.zeros(len(X), int), self.most, held=False)
        X, scales = _framed(X, self.frame, kept)
        note = f"{_share(len(X), kept, (), held=False)} {about}".strip()
        note += " Distances count in units of the picture, in which both axes are alike."
        return Yours(X[kept], None, None, names, (), scales, note)


@dataclass(frozen=True)
class Yours:
    """Your data as a scene gets it.

    X        (n, 2) in the plane of the picture, or (n, 1): places on its axis
    y        (n,) class numbers, or targets as standard deviations from their mean; None for a cloud
    new      the same for the rows held back
    names    of the two axes
    classes  names of the classes
    scales   (at 0, of one unit) for each axis: what the picture's numbers are in your units
    note     what was done with the data, in words
    limits   of the targets
    """

    X: np.ndarray
    y: np.ndarray | None
    new: "Yours | None"
    names: tuple
    classes: tuple
    scales: tuple
    note: str
    limits: tuple = ()

    def label(self, ax, names=True, middle=(0.0, 0.0)):
        """Give the axes of a picture your units and, unless ``names`` is false, your names.

        ``middle`` is the place that is drawn at 0.
        """
        if self.limits:
            room = 0.08 * (self.limits[1] - self.limits[0])
            ax.set_ylim(self.limits[0] - room, self.limits[1] + room)
        if names:
            ax.set(xlabel=self.names[0], ylabel=self.names[1])
        for axis, (start, unit), at in zip((ax.xaxis, ax.yaxis), self.scales, middle):
            start += unit * at
            low, high = (start + unit * end for end in sorted(axis.get_view_interval()))
            marks = MaxNLocator(5).tick_values(low, high)
            marks = marks[(marks >= low) & (marks <= high)]
            axis.set_major_locator(FixedLocator((marks - start) / unit))
            axis.set_minor_locator(NullLocator())
            axis.set_ticklabels([f"{mark:.6g}".replace("-", "−") for mark in marks])

    def label_places(self, ax):
        """Give the lower axis of another panel your units and your name."""
        replace(self, limits=(), scales=self.scales[:1]).label(ax, names=False)
        ax.set_xlabel(self.names[0])

    def inside(self, *places):
        """Return a place in your units as one in the picture's."""
        return np.array([(place - start) / unit for place, (start, unit) in zip(places, self.scales)])

    def stops(self, axis, n=40):
        """Return (first, last, step) of a slider over an axis in your units, with ``n`` steps."""
        start, unit = self.scales[axis]
        low, high = start + unit * self.X[:, axis].min(), start + unit * self.X[:, axis].max()
        return float(low), float(high), float(high - low) / n


# --- Reading -------------------------------------------------------------------------------------------------------


def read(scene, name, data, named):
    """Return what the scene of explorer ``name`` makes of your data."""
    takes = scene.takes
    if takes is None:
        raise TypeError(f"{name} takes no data; these explorers do: {', '.join(takes_data())}.")
    call = f"explore.{name}({', '.join(takes.arguments)})"
    try:
        given = signature(takes).bind(*data, **named).arguments
    except TypeError as error:
        raise TypeError(f"{error}: {call} takes {takes.asks}.") from None
    missing = [argument for argument in takes.arguments if given.get(argument) is None]
    if missing:
        raise TypeError(f"{' and '.join(missing)} is missing: {call} takes {takes.asks}.")
    return takes.read(*(given[argument] for argument in takes.arguments))


def halves(yours):
    """Return rows held back in two parts, to choose and to test."""
    cut = len(yours.X) // 2
    return [replace(yours, X=yours.X[part], y=yours.y[part]) for part in (slice(cut), slice(cut, None))]


def quiet(function):
    """Return a function that does not warn where an algorithm has not converged: with any data, some will not."""

    @functools.wraps(function)
    def calm(*args, **kwargs):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            return function(*args, **kwargs)

    return calm


def narrow(figure):
    """Write legends smaller that the names of your classes have made wider than the figure."""
    for _ in range(6):
        figure.draw_without_rendering()
        wide = [legend for legend in figure.legends if legend.get_window_extent().width > figure.bbox.width]
        for text in (text for legend in wide for text in legend.get_texts()):
            text.set_fontsize(0.9 * text.get_fontsize())
        if not wide:
            return


def takes_data():
    """Return the explorers that take your data and what they ask for, as a dict from "soft_margin" to words.

    >>> takes_data()["k_means_steps"]
    'X with two columns or more and 3 rows or more'
    """
    from mlteach.explore.base import REGISTRY  # which imports this module

    return {name: made.takes.asks for name, made in sorted(REGISTRY.items()) if made.takes}


def signature(takes):
    """Return the signature of an explorer's function."""
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    return inspect.Signature([inspect.Parameter(a, kind, default=None) for a in (takes.arguments if takes else ())])


def documented(scene):
    """Return the docstring of the function that makes a scene's explorer."""
    doc, takes = scene.__doc__, scene.takes
    if not takes:
        return doc
    held = getattr(takes, "held", False)
    bound = f"At most {takes.most:,} rows, drawn by chance, are {'fitted' if held else 'used'}"
    bound += f"; at most {NEW:,} others measure the errors." if held else "."
    return (
        f"{doc}\n\nWith arguments it shows your data: {takes.asks}, arrays or data frames, whose columns give their\n"
        f"names to the axes. {bound}\n"
        + "More than two columns are shown by their first two principal components.\n"
        * ("X" in takes.arguments)
    )


def _two_columns(X):
    """Return ``X`` as two columns that vary, their names, and how they were made."""
    names, X = _names(X), as_matrix(_numbers(X, "X"))
    if X.shape[1] < 2:
        raise ValueError(f"X must have two columns or more, shape (n, 2); got {X.shape}.")
    _refuse_extremes(X, "X")
    still = np.array([bool(_constant(column)) for column in X.T])
    names = names or [f"x{str(j + 1).translate(LOW)}" for j in range(X.shape[1])]
    if (~still).sum() < 2:
        told = ", ".join(names[j] for j in np.flatnonzero(still)[:3])
        raise ValueError(
            f"X must have two columns that vary, in two rows or more; got shape {X.shape}, in which "
            f"{still.sum()} ({told}{', ...' * int(still.sum() > 3)}) {'have' if still.sum() > 1 else 'has'} one value."
        )
    about = f"Left out, as it never changes: {', '.join(names[j] for j in np.flatnonzero(still)[:5])}." * bool(
        still.any()
    )
    if X.shape[1] == 2:
        return X, tuple(names), ""
    X, names = X[:, ~still], [name for name, same in zip(names, still) if not same]
    if X.shape[1] == 2:
        return X, tuple(names), about
    pca = PCA(2).fit(standardize(X))
    first, second = pca.explained_variance_ratio_
    if second < LEAST:
        raise ValueError(
            f"the {X.shape[1]} columns of X lie on one line in its {_rows(len(X))}: two that differ are needed for a "
            "plane, and a row for each sample."
        )
    about = (
        f"The axes are the first two principal components of your {X.shape[1]} columns, each standardised before: "
        f"{100 * (first + second):.0f} % of the variance. {about}"
    )
    turned = np.where(pca.components_.sum(axis=1) < 0, -1.0, 1.0)
    return pca.transform(standardize(X)) * turned, ("component 1", "component 2"), about.strip()


def _framed(X, frame, shown):
    """Return ``X`` moved and stretched so that the rows ``shown`` fill a frame, and the scales that lead back."""
    scales = []
    for column, (low, high) in zip(X.T, (frame[:2], frame[2:])):
        seen = column if _constant(column[shown]) else column[shown]
        unit = float(np.ptp(seen)) / (INSIDE * (high - low))
        scales.append((float(seen.min() + np.ptp(seen) / 2) - unit * (low + high) / 2, unit))
    return np.column_stack([(column - start) / unit for column, (start, unit) in zip(X.T, scales)]), tuple(scales)


def _dealt(index, most, held):
    """Return the rows that are fitted, at most half of them where others are held back, and those others.

    Every class keeps its share, and at least one row on either side.
    """
    rng, n = np.random.default_rng(0), len(index)
    fitted, new = [], []
    part = min(1.0, most / n, 0.5 if held else 1.0)
    for k in range(index.max() + 1):
        rows = rng.permutation(np.flatnonzero(index == k))
        cut = max(1, round(part * len(rows)))
        fitted.append(rows[:cut])
        new.append(rows[cut:])
    kept, others = rng.permutation(np.concatenate(fitted)), rng.permutation(np.concatenate(new))
    if len(others) <= NEW:
        return kept, others
    firsts = np.concatenate([rows[:1] for rows in new])  # of each class one at least
    return kept, np.append(firsts, others[~np.isin(others, firsts)][: NEW - len(firsts)])


def _share(n, fitted, new, held):
    """Say how many rows are used for what."""
    if held:
        return f"Of your {_rows(n)} {len(fitted):,}, drawn by chance, are fitted; {len(new):,} others measure errors."
    return f"Of your {_rows(n)} {len(fitted):,} are used, drawn by chance." if len(fitted) < n else f"{_rows(n)}."


def _numbers(values, name):
    """Return ``values``, or say which column holds text."""
    given = np.asarray(values)
    if given.ndim == 2 and given.dtype.kind in "OUS":
        names = _names(values) or [f"{j}" for j in range(given.shape[1])]
        texts = [title for title, column in zip(names, given.T) if any(isinstance(v, str | bytes) for v in column)]
        if texts:
            raise ValueError(
                f"{name} must hold numbers only; text stands in column {', '.join(texts[:5])}. Leave it out"
                f"{', or give it as y' if name == 'X' else ''}."
            )
        for title, value in ((title, value) for title, column in zip(names, given.T) for value in column):
            try:
                float(value)
            except (TypeError, ValueError):
                raise ValueError(f"{name} must hold numbers only; column {title} holds {value}.") from None
    return values


def _column(values, name="y"):
    """Return a column (n, 1) as (n,); anything else as it is."""
    given = np.asarray(values)
    if given.ndim == 2 and given.shape[1] == 1:
        return given[:, 0]
    if given.ndim == 2 and name != "y":
        raise ValueError(f"{name} must be one column; got shape {given.shape}. Choose one, as in {name}[:, 0].")
    return values if isinstance(values, list | tuple) else given


def _names(X):
    """Return the names of a data frame's columns, or None."""
    return [_written(name) for name in getattr(X, "columns", ())] or None


def _name(values, default):
    """Return the name of a data frame's one column or of a series."""
    names = _names(values) or [getattr(values, "name", None)]
    return _written(names[0]) if len(names) == 1 and names[0] is not None else default


def _written(name):
    """Return a name that neither formulas nor legends read in their own way."""
    text = " ".join(str(name).replace("*", "∗").replace("$", r"\$").split()) or "?"
    text = text if len(text) <= 24 else f"{text[:23]}…"
    return f" {text}" if text.startswith("_") else text  # a legend leaves out what starts with _


def _class_name(value):
    name = _written(value if isinstance(value, str) else f"class {value}")
    return name if len(name) <= 16 else f"{name[:15]}…"


def _constant(values):
    return np.ptp(values) <= LEAST * np.abs(values).max()


def _refuse_extremes(values, name):
    size = np.abs(values).max()
    if size > LARGE:
        raise ValueError(f"{name} holds numbers as large as {size:.0e}; beyond {LARGE:.0e} no picture can hold them.")
    if 0 < size < 1 / LARGE:
        raise ValueError(f"{name} holds no number above {size:.0e}; below {1 / LARGE:.0e} no picture can hold them.")


def _rows(n):
    return f"{n:,} row{'s' * (n != 1)}"


# --- A table from a file -------------------------------------------------------------------------------------------


class Table:
    """Columns with names, read from a CSV file; ``table["a"]`` is one of them, ``table[["a", "b"]]`` a table of two."""

    def __init__(self, columns):
        self.data = dict(columns)

    @property
    def columns(self):
        """The names of the columns."""
        return list(self.data)

    def __getitem__(self, names):
        for name in [names] if isinstance(names, str) else names:
            if name not in self.data:
                raise KeyError(f"no column {name!r}; there are {', '.join(self.data)}")
        return self.data[names] if isinstance(names, str) else Table({name: self.data[name] for name in names})

    def complete(self, names):
        """Return the table of some columns without the rows in which one of them misses its number."""
        gaps = [np.isnan(self[name]) for name in names if self[name].dtype.kind == "f"]
        kept = ~np.any(gaps, axis=0) if gaps else np.ones(len(self), bool)
        return Table({name: self[name][kept] for name in names})

    def __len__(self):
        return len(next(iter(self.data.values()), ()))

    def __array__(self, dtype=None, copy=None):
        columns = list(self.data.values())
        mixed = len({column.dtype.kind for column in columns}) > 1
        array = np.column_stack([column.astype(object) for column in columns] if mixed else columns)
        return array if dtype is None else array.astype(dtype)

    def __repr__(self):
        return f"Table of {_rows(len(self))}: {', '.join(self.data)}"


def read_csv(source):
    """Return the `Table` in a CSV file: a path, or the bytes of a file; the first line holds the names, if it has any.

    Commas, semicolons, tabs or bars part the cells. A column is of numbers if all its cells are, an empty cell or NA
    counting as missing (NaN); else it is of text. Where semicolons part them, a comma may stand before the decimals.
    """
    data = bytes(source) if isinstance(source, bytes | bytearray | memoryview) else Path(source).read_bytes()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("cp1252", errors="replace")
    if "\0" in text:
        raise ValueError("this is no CSV file: it holds bytes that are no text.")
    text = "\n".join(text.splitlines()).lstrip("\n")
    try:
        parted = max(",;\t|", key=lambda mark: len(next(csv.reader([text.partition("\n")[0]], delimiter=mark), ())))
        rows = [row for row in csv.reader(io.StringIO(text), delimiter=parted) if any(cell.strip() for cell in row)]
    except csv.Error as error:
        raise ValueError(f"this is no CSV file that can be read: {error}.") from None
    if rows and None not in map(_number, rows[0]):
        rows.insert(0, [""] * len(rows[0]))
    if len(rows) < 2:
        raise ValueError("the file has no rows: a line with names is needed, and lines with values below it.")
    header = [name.strip() or f"column {j + 1}" for j, name in enumerate(rows[0])]
    if len(set(header)) < len(header):
        raise ValueError(f"the file has two columns of one name, {max(header, key=header.count)!r}.")
    for k, row in enumerate(rows[1:], 2):
        if len(row) != len(header):
            raise ValueError(f"row {k} of the file has {len(row)} cells; the first has {len(header)}.")
    columns = {name: _cells(column, parted == ";") for name, column in zip(header, zip(*rows[1:])) if any(column)}
    return Table(columns)


MISSING = ("", "na", "n/a", "nan", "null", "none", "?")


def _number(cell, comma=False):
    """Return the number in a cell, NaN where it is missing, or None."""
    cell = cell.strip().replace("−", "-")
    if cell.lower() in MISSING:
        return np.nan
    try:
        return float(cell.replace(",", ".") if comma else cell)
    except ValueError:
        return None


def _cells(cells, comma):
    """Return a column of numbers, or of text if a cell is none."""
    numbers = [_number(cell, comma) for cell in cells]
    return np.array([cell.strip() for cell in cells] if None in numbers else numbers)

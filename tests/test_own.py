"""Your own data in explorers: what is taken, scaled, named and said, and what is refused, in words."""

import datetime
import inspect
import itertools
import re
import warnings
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from test_explorers import positions

from mlteach import datasets, explore
from mlteach.explore import own
from mlteach.explore.base import Explorer

KINDS = {name: type(made.takes).__name__ for name, made in explore.REGISTRY.items() if made.takes}


class Frame:
    """What the explorers read of a data frame: columns with names, as an array where one is asked for."""

    def __init__(self, values, names):
        self.values, self.columns = values, names

    def __array__(self, dtype=None, copy=None):
        return np.array(self.values, dtype)


def clouds(n, d=2, seed=0):
    """Return points (n, d) of two classes that overlap, and their classes."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % 2)
    return rng.normal(size=(n, d)) @ rng.normal(size=(d, d)) + 1.5 * y[:, None] * rng.normal(size=d), y


def some(case):
    """Return X (n, d), classes y and targets t of a data set that can be shown."""
    X, y = clouds(60)
    t = np.sin(X[:, 0]) + 0.1 * np.arange(len(X)) % 0.7
    if case == "frame with text labels, wide":
        X, y = clouds(10_000, 7, seed=1)
        names = ["_under", "pay $", "a*b", "ein sehr langer Name einer Spalte", "e", "f", "g"]
        return Frame(X, names), np.array(["no", "ein sehr langes Wort für eine Klasse"])[y], X[:, 3] ** 3
    if case == "whole numbers and truth values":
        rng = np.random.default_rng(2)
        table = rng.integers(0, 6, (60, 2))
        return table, table.sum(axis=1) + rng.integers(0, 2, 60) > 5, table[:, 0] * 10 + rng.integers(0, 4, 60)
    if case == "on one line, far from zero":
        x = 1e6 + np.linspace(0, 1, 50)
        return np.column_stack([x, 3 * x]), (np.arange(50) % 7 > 3).astype(float), (x > 1e6 + 0.5) * 1e-6
    if case == "far apart, one class small":
        X = np.vstack([X, [[1e4, -1e4]]] + 12 * [X[:1] + 1e3])
        return X[::-1], np.where(np.arange(len(X))[::-1] < 60, "many", "few"), np.append(t, np.full(13, 1e5))
    assert case == "two clouds"
    return X, y, t


CASES = ["two clouds", "frame with text labels, wide", "whole numbers and truth values", "on one line, far from zero"]
CASES += ["far apart, one class small"]


def arguments(name, X, y, t):
    """Return the data in the shape that an explorer takes."""
    first = np.asarray(X)[:, 0]
    return {"Plane": (X, y), "Curve": (first, t), "Cloud": (X,)}[KINDS[name]]


def unpainted(name, *data):
    """Return an explorer that computes and draws, but never paints."""
    with mock.patch.multiple(Explorer, _prepare=lambda self, moving: None, _redraw=lambda self, _=None: None):
        return explore.REGISTRY[name](*data)


def move_over_all_ends(shown):
    """Compute, draw and describe at the start, at both ends of each control, and in some corners of all."""
    ends = {key: [places[0], places[-1]] for key, places in ((k, positions(c)) for k, c in shown.controls.items())}
    alone = [{key: end} for key in ends for end in ends[key]]
    corners = [dict(zip(ends, corner)) for corner in itertools.product(*ends.values())]
    for setting in [{}, *alone, *corners[:: max(1, len(corners) // 8)]]:
        result = shown.compute(**setting)
        shown.draw(result)
        words = shown.describe(result)
        assert len(words) > 20
        assert not re.search(r"\b(nan|inf|None)\b", words), (setting, words)


def seen(figure):
    """Return how many points the busiest set of marks in a figure has."""
    lines = [len(line.get_xdata()) for ax in figure.axes for line in ax.lines if line.get_marker() not in ("None", "")]
    return max([*lines, *(len(c.get_offsets()) for ax in figure.axes for c in ax.collections)], default=0)


def test_two_dozen_explorers_of_each_kind_take_data():
    assert len(KINDS) >= 24
    assert {kind: list(KINDS.values()).count(kind) >= 5 for kind in set(KINDS.values())} == {
        "Plane": True, "Curve": True, "Cloud": True,
    }  # fmt: skip
    assert list(explore.takes_data()) == sorted(KINDS)


@pytest.mark.parametrize("name", sorted(KINDS))
@pytest.mark.parametrize(
    "case", [pytest.param(case, marks=[] if k in (0, 2) else [pytest.mark.slow]) for k, case in enumerate(CASES)]
)
def test_any_data_at_all_ends_of_all_controls(name, case):
    data = arguments(name, *some(case))
    before = [np.array(part, copy=True) for part in data]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", DeprecationWarning)  # of one package about another, where versions are old
        shown = unpainted(name, *data)
        shown.draw(shown.compute())
        assert seen(shown.fig) >= 5 or name == "gram_picture", "the data are not seen at the start"  # or as a matrix
        move_over_all_ends(shown)
    for part, copy in zip(data, before):
        assert np.array_equal(np.asarray(part), copy)


# --- What is refused, in words -------------------------------------------------------------------------------------

X, Y, _ = some("two clouds")
DAY = np.array([[datetime.datetime(2026, 1, k + 1), k] for k in range(20)], dtype=object)
WRONG = {
    "numbers too small": (
        "polynomial_degree",
        (X[:, 0] * 1e-200, X[:, 1]),
        ValueError,
        "x holds no number above .e-200",
    ),
    "a day in a table": ("k_means_steps", (DAY,), ValueError, "numbers only; column 0 holds 2026-01-01"),
    "one point": ("k_means_steps", (X[:1],), ValueError, r"in which 2 \(x₁, x₂\) have one value"),
    "turned": ("soft_margin", (np.hstack([X.T, X.T]), [0, 1]), ValueError, "lie on one line in its 2 rows"),
    "X alone": ("soft_margin", (X,), TypeError, "y is missing: explore.soft_margin.X, y. takes X with two columns"),
    "too many": ("k_means_steps", (X, Y), TypeError, "too many positional arguments: explore.k_means_steps.X. takes"),
    "no taker": ("tiger_game", (X,), TypeError, "tiger_game takes no data; these explorers do: .*soft_margin"),
    "one class": ("soft_margin", (X, np.zeros(60)), ValueError, "at least 2 classes; got only 1 class: .0.0."),
    "three classes": ("soft_margin", (X, np.arange(60) % 3), ValueError, "y holds 3 classes: 0, 1, 2; at most 2"),
    "four classes": ("softmax_regions", (X, np.arange(60) % 4), ValueError, "y holds 4 classes.*; at most 3"),
    "a row of one class": (
        "soft_margin",
        (X, np.arange(60) > 58),
        ValueError,
        "y holds True in 1 row; .* needs 2 rows",
    ),
    "two points": ("soft_margin", (X[:2], [0, 1]), ValueError, "y holds 0 in 1 row"),
    "two rows of a cloud": ("em_climb", (X[:2],), ValueError, "X has 2 different rows; 6 or more are needed"),
    "two rows of a curve": ("polynomial_degree", ([0, 1], [0, 1]), ValueError, "x has 2 rows; 6 or more"),
    "measured classes": ("soft_margin", (X, X[:, 0]), ValueError, "y must hold class labels.*measured number"),
    "other lengths": ("soft_margin", (X, Y[:-1]), ValueError, "60 rows, but y has 59"),
    "one column": ("soft_margin", (X[:, :1], Y), ValueError, "X must have two columns or more.*got .60, 1."),
    "no columns": ("soft_margin", (X[:, 0], Y), ValueError, "X must have shape .n, d.; got .60,."),
    "a constant column": ("k_means_steps", (X * [1, 0],), ValueError, "two columns that vary.*1 .x₂. has one value"),
    "a line in space": ("k_means_steps", (np.outer(X[:, 0], [1, 2, 3]),), ValueError, "columns of X lie on one line"),
    "NaN": ("k_means_steps", (np.where(X > 1, np.nan, X),), ValueError, r"X must be finite; X\[\d+, \d\] is nan"),
    "text": ("k_means_steps", (Frame(X.astype(object).astype(str), "ab"),), ValueError, "text stands in column a, b"),
    "text as targets": ("polynomial_degree", (X[:, 0], ["a"] * 60), ValueError, "t must hold numbers only; got text"),
    "a table as x": ("polynomial_degree", (X, Y), ValueError, "x must be one column; got shape .60, 2."),
    "constant targets": ("polynomial_degree", (X[:, 0], np.ones(60)), ValueError, "t is 1 in every row; it must vary"),
    "huge": ("k_means_steps", (X * 1e200,), ValueError, "X holds numbers as large as .*e.200"),
    "nothing": ("k_means_steps", ([],), ValueError, "X"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_data_get_a_clear_error(case):
    name, data, kind, words = WRONG[case]
    with pytest.raises(kind, match=words):
        unpainted(name, *data)


@pytest.mark.parametrize("name", ["soft_margin", "k_means_steps", "polynomial_degree", "softmax_regions"])
@given(seed=st.integers(0, 10**6), n=st.integers(1, 30), d=st.integers(1, 4), kind=st.sampled_from("fib?"))
@settings(max_examples=12, deadline=None)
def test_a_picture_or_a_clear_error(name, seed, n, d, kind):
    rng = np.random.default_rng(seed)
    table = (rng.normal(size=(n, d)) * 10.0 ** rng.integers(-3, 4)).round(rng.integers(0, 3)).astype(kind)
    data = arguments(name, table, rng.integers(0, rng.integers(1, 5), n), rng.normal(size=n).round(1))
    try:
        shown = unpainted(name, *data)
    except ValueError as error:
        refused = str(error)
    else:
        move_over_all_ends(shown)
        return
    assert re.match(r"(the \d+ columns of X|X|x|y|t) (must|has|have|holds?|is|lie) ", refused), refused


# --- What is read --------------------------------------------------------------------------------------------------

SHAPE = st.tuples(st.integers(3, 30), st.integers(2, 2))
COLUMNS = arrays(float, SHAPE, elements=st.floats(-1e6, 1e6, width=32))


@given(table=COLUMNS)
@settings(max_examples=60, deadline=None)
def test_points_fill_the_frame_and_scales_lead_back(table):
    frame = -3.0, 5.0, 10.0, 11.0
    try:
        yours = own.Cloud(frame, "").read(table)
    except ValueError:
        still = np.ptp(table, axis=0) <= 1e-9 * np.abs(table).max(axis=0)
        assert still.any() or len(np.unique(table, axis=0)) < 3
        return
    low, high = yours.X.min(axis=0), yours.X.max(axis=0)
    assert low == pytest.approx([-2.6, 10.05])
    assert high == pytest.approx([4.6, 10.95])
    (a, u), (b, v) = yours.scales
    back = yours.X * [u, v] + [a, b]
    assert np.sort(back, axis=0) == pytest.approx(np.sort(table, axis=0), rel=1e-6, abs=1e-6 * np.ptp(table))
    assert yours.inside(*back[0]) == pytest.approx(yours.X[0], abs=1e-6)


@pytest.mark.parametrize("form", ["C", "Fortran", "read-only", "list", "frame", "float32"])
def test_the_form_of_arrays_does_not_matter(form):
    X, y = clouds(40)
    forms = {
        "C": lambda: (X, y),
        "Fortran": lambda: (np.asfortranarray(X), y[:, None]),
        "read-only": lambda: (np.lib.stride_tricks.as_strided(X, writeable=False), y.tolist()),
        "list": lambda: (X.tolist(), y.tolist()),
        "frame": lambda: (Frame(X, ["a", "b"]), Frame(y[:, None], ["class"])),
        "float32": lambda: (X.astype(np.float32), y.astype(np.int8)),
    }
    read = own.Plane((0, 1, 0, 1), "").read(*forms[form]())
    wanted = own.Plane((0, 1, 0, 1), "").read(X, y)
    assert read.X == pytest.approx(wanted.X, abs=1e-6)
    assert (read.y == wanted.y).all()
    assert read.names == (("a", "b") if form == "frame" else ("x₁", "x₂"))


def test_more_columns_are_shown_by_their_principal_components():
    data = datasets.wine()
    yours = own.Cloud((0, 1, 0, 1), "").read(np.column_stack([data.X, np.ones(178)]))
    Z = (data.X - data.X.mean(axis=0)) / data.X.std(axis=0, ddof=1)
    values, axes = np.linalg.eigh(Z.T @ Z / 177)
    share = 100 * values[-2:].sum() / values.sum()
    assert f"first two principal components of your 13 columns, each standardised before: {share:.0f} %" in yours.note
    assert "Left out, as it never changes: x₁₄" in yours.note
    back = yours.X * [unit for _, unit in yours.scales] + [start for start, _ in yours.scales]
    wanted = np.abs(Z @ axes[:, [-1, -2]])
    assert np.sort(np.abs(back), axis=0) == pytest.approx(np.sort(wanted, axis=0))


def test_rows_are_dealt_by_class_and_said():
    X, y = clouds(1000)
    y = np.where(np.arange(1000) < 10, 1, 0)
    yours = own.Plane((0, 1, 0, 1), "", most=60).read(X, y)
    assert len(yours.X) + len(yours.new.X) == 1000
    assert np.bincount(yours.y).tolist() == [59, 1]
    assert "Of your 1,000 rows 60, drawn by chance, are fitted; 940 others measure errors." in yours.note
    few = own.Plane((0, 1, 0, 1), "", most=60).read(X[:40], y[:40])
    assert np.bincount(few.y).tolist() == [15, 5]  # half, where there are few
    many = own.Plane((0, 1, 0, 1), "", most=60).read(np.tile(X, (10, 1)), np.tile(y, 10))
    assert len(many.new.X) == own.NEW
    assert set(many.new.y.tolist()) == {0, 1}
    places = {tuple(row) for row in yours.X.round(12).tolist()}
    assert not places & {tuple(row) for row in yours.new.X.round(12).tolist()}


def test_targets_are_standardised_and_said():
    x, t = np.linspace(3, 7, 50), 100 + 20 * np.sin(np.arange(50))
    yours = own.Curve((0, 1), "", held=False).read(x[:, None], Frame(t[:, None], ["yield"]))
    assert sorted(yours.X[:, 0]) == pytest.approx(np.linspace(0, 1, 50))
    assert (yours.y.mean(), yours.y.std()) == pytest.approx((0, 1))
    assert yours.names == ("x", "yield")
    assert f"standard deviations of yield ({t.std():.3g})" in yours.note


# --- What an explorer shows ----------------------------------------------------------------------------------------


def test_axes_legend_caption_and_read_out_are_those_of_your_data():
    data = datasets.breast_cancer()
    table = Frame(data.X[:, :2], data.feature_names[:2])
    shown = explore.soft_margin(table, np.array(data.target_names)[data.y])
    plane = shown.fig.axes[0]
    assert (plane.get_xlabel(), plane.get_ylabel()) == ("mean radius", "mean texture")
    marks = [float(text.get_text()) for text in plane.get_xticklabels()]
    assert data.X[:, 0].min() - 3 < min(marks) < max(marks) < data.X[:, 0].max() + 3
    assert {"benign", "malignant"} <= {text.get_text() for text in shown.fig.legends[0].get_texts()}
    assert shown.caption.startswith("Your data: the street")
    assert "Of your 569 rows 60" in shown.caption
    assert "4000" not in shown.caption
    assert "data" not in shown.controls


def test_a_mark_of_an_axis_stands_where_the_data_say():
    X, y = clouds(40)
    shown = explore.ask_neighbors(1000 + 50 * X, y)
    yours, plane = shown.scene.data, shown.fig.axes[0]
    for place, text in zip(plane.get_xticks(), plane.get_xticklabels()):
        assert yours.inside(float(text.get_text().replace("−", "-")))[0] == pytest.approx(place, abs=1e-9)
    query, *_ = shown.compute(x1=float(1000 + 50 * X[3, 0]), x2=float(1000 + 50 * X[3, 1]))
    assert np.abs(yours.X - query).sum(axis=1).min() < 1e-9


def test_figure_reset_and_snapshot_keep_your_data():
    X, y = clouds(40)
    shown = explore.tree_growth(X, y)
    before = shown.image.value
    shown.controls["depth"].value = 2
    assert shown.image.value != before
    shown.reset()
    assert shown.image.value == before
    figure = shown.figure()
    assert figure.axes[0].get_xlim() == shown.fig.axes[0].get_xlim()
    assert len(figure.axes[0].lines[0].get_xdata()) == (shown.scene.sets["yours"][0].y == 0).sum()


def test_explorers_document_what_they_take():
    assert str(inspect.signature(explore.soft_margin)) == "(X=None, y=None)"
    assert str(inspect.signature(explore.tiger_game)) == "()"
    assert "At most 60 rows, drawn by chance, are fitted" in explore.soft_margin.__doc__
    assert "principal components" in explore.soft_margin.__doc__
    assert "principal" not in explore.polynomial_degree.__doc__


# --- A table from a file -------------------------------------------------------------------------------------------


def test_a_csv_file_gives_columns_of_numbers_and_of_text(tmp_path):
    path = tmp_path / "own.csv"
    path.write_text("length;kind;width\n1;a;2.5\n\n3;b;\n4; c ;1e3\n", encoding="utf-8-sig")
    table = explore.read_csv(path)
    assert (table.columns, len(table)) == (["length", "kind", "width"], 3)
    assert table["length"].tolist() == [1, 3, 4]
    assert table["kind"].tolist() == ["a", "b", "c"]
    assert np.isnan(table["width"][1])
    assert np.asarray(table[["length", "width"]]).shape == (3, 2)
    assert explore.read_csv(path.read_bytes()).columns == table.columns
    with pytest.raises(KeyError, match="no column 'depth'; there are length, kind, width"):
        table["depth"]
    with pytest.raises(ValueError, match="text stands in column kind"):
        explore.k_means_steps(table)


@pytest.mark.parametrize(
    ("content", "columns"),
    [
        (b"a;b\n1,5;2\n3;4\n", {"a": [1.5, 3], "b": [2, 4]}),
        (b"a\tb\n1,000\t2\n3\t4\n", {"a": ["1,000", "3"], "b": [2, 4]}),
        (b'"a;b",c\r"1",2\r3,4\r', {"a;b": [1, 3], "c": [2, 4]}),
        (b"a,b,\nNA,2,\n3,N/A,\n", {"a": [np.nan, 3], "b": [2, np.nan]}),
        (b"0,2\n3,4\n", {"column 1": [0, 3], "column 2": [2, 4]}),
        ("a|b\n−1|€\n2|x\n".encode("cp1252", "replace").replace(b"?", b"-"), {"a": [-1, 2], "b": ["€", "x"]}),
    ],
)
def test_files_of_other_programs_are_read(content, columns):
    table = explore.read_csv(content)
    assert table.columns == list(columns)
    for name, values in columns.items():
        assert np.array_equal(table[name], values, equal_nan=table[name].dtype.kind == "f")


@pytest.mark.parametrize("name", ["wine", "iris", "diabetes", "breast_cancer"])
def test_the_courses_files_are_read(name):
    data, table = getattr(datasets, name)(), explore.read_csv(datasets.DATA / f"{name}.csv")
    assert np.asarray(table[list(data.feature_names)]).tolist() == data.X.tolist()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"", "no rows"),
        (b"a,b\n", "no rows"),
        (b"a,b\n1,2\n3\n", "row 3 of the file has 1 cells; the first has 2"),
        (b"a,a\n1,2\n", "two columns of one name, 'a'"),
        (b"\x00\x01", "no CSV file"),
        (b'a,b\n"' + b"x" * 200_000 + b'",1\n', "field larger than"),
    ],
)
def test_a_bad_file_gets_a_clear_error(text, words):
    with pytest.raises(ValueError, match=words):
        explore.read_csv(text)


# --- The gallery's loader ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def gallery():
    return explore.gallery()


def choose(gallery, name):
    gallery.chapter.value = next(shelf for shelf, names in gallery.shelves.items() if name in names)
    gallery.choice.value = name


def load(gallery, content, name="own.csv"):
    file = {"name": name, "type": "text/csv", "size": len(content), "content": content}
    gallery.loader.upload.value = ({**file, "last_modified": datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)},)


def test_the_gallery_shows_the_columns_of_a_file(gallery):
    choose(gallery, "soft_margin")
    loader = gallery.loader
    assert loader.button.disabled
    load(gallery, (datasets.DATA / "breast_cancer.csv").read_bytes())
    assert "569 rows" in loader.words.value
    assert len(loader.inputs.value) == 30
    before = gallery.explorer
    loader.button.click()
    assert gallery.explorer is not before
    assert gallery.children[-1] is gallery.explorer
    assert "principal components of your 30 columns" in gallery.explorer.caption
    loader.inputs.value = ["mean radius", "mean texture"]
    loader.button.click()
    assert gallery.explorer.fig.axes[0].get_xlabel() == "mean radius"
    choose(gallery, "polynomial_degree")
    assert loader.inputs.description == "x"
    assert loader.inputs.value == ("mean radius",)
    loader.target.value = "mean area"
    loader.button.click()
    assert gallery.explorer.fig.axes[0].get_ylabel() == "mean area"
    choose(gallery, "k_means_steps")
    assert loader.target.layout.visibility == "hidden"
    assert not gallery.explorer.caption.startswith("Your data")


def test_the_gallery_says_what_is_wrong(gallery):
    choose(gallery, "soft_margin")
    load(gallery, b"a,b,c\n1,2\n", "short.csv")
    assert "short.csv: row 2 of the file has 2 cells" in gallery.loader.words.value
    assert gallery.loader.button.disabled
    load(gallery, b"a,b,kind\n1,2,x\n2,,y\n3,1,x\n4,2,y\n")
    before = gallery.explorer
    gallery.loader.button.click()
    assert (
        "y holds &#x27;y&#x27; in 1 row; each class needs 2 rows" in gallery.loader.words.value
    )  # the gap is left out
    load(gallery, b"a,b,kind\ninf,2,x\n2,5,y\n3,1,x\n4,2,y\n")
    gallery.loader.button.click()
    assert "X must be finite; X[0, 0] is inf" in gallery.loader.words.value
    load(gallery, b"a,b,kind\n,2,x\n,5,y\n")
    gallery.loader.button.click()
    assert "X must" in gallery.loader.words.value
    gallery.loader.inputs.value = []
    gallery.loader.button.click()
    assert "X is missing" in gallery.loader.words.value
    assert gallery.explorer is before
    choose(gallery, "tiger_game")
    assert "tiger_game takes no data. These explorers do:" in gallery.loader.words.value
    assert gallery.loader.button.disabled


def test_the_gallery_leaves_out_rows_with_missing_numbers(gallery):
    choose(gallery, "soft_margin")
    load(gallery, b"a,b,kind\n,5,x\n" + b"".join(f"{k},{k * k % 7},{'xy'[k % 2]}\n".encode() for k in range(20)))
    gallery.loader.button.click()
    assert "1 row with missing numbers left out" in gallery.loader.words.value
    assert "20 rows" in gallery.explorer.caption

"""The input checks: what they accept, and the words in which they refuse."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlteach import validation as v


def refuses(function, *args, words, **kwargs):
    with pytest.raises(ValueError, match=words):
        function(*args, **kwargs)


def test_matrix_is_a_copy_of_floats():
    X = np.array([[1, 2], [3, 4]])
    A = v.as_matrix(X)
    A[0, 0] = 9
    assert A.dtype == float
    assert X[0, 0] == 1


def test_matrix_refuses_with_a_remedy():
    refuses(v.as_matrix, [1, 2], words=r"X must have shape \(n, d\); got \(2,\). Use X\[:, None\]")
    refuses(v.as_matrix, np.zeros((2, 2, 2)), words=r"got \(2, 2, 2\)\.")
    refuses(v.as_matrix, [[1], [2, 3]], words="must hold numbers only")
    refuses(v.as_matrix, [["a"]], words="must hold numbers only")
    refuses(v.as_matrix, [["3"]], words="must hold numbers only; got text")
    refuses(v.as_array, np.nan, "z", words="z must be finite; it is nan")
    refuses(v.as_matrix, np.zeros((0, 3)), words=r"is empty \(shape \(0, 3\)\)")
    refuses(v.as_matrix, [[0, 1], [np.nan, 2]], words=r"X\[1, 0\] is nan")
    refuses(v.as_matrix, [[0, np.inf]], words=r"X\[0, 1\] is inf")
    refuses(v.as_matrix, [[0.0, 1.0]], n_features=3, words="must have 3 features, as in fit; got 2")


def test_complex_numbers_are_not_cut_to_their_real_part():
    refuses(v.as_matrix, np.array([[1 + 2j]]), words="must hold real numbers; got complex ones")


def test_vector_refuses_with_a_remedy():
    refuses(v.as_vector, [[1], [2]], words=r"y must have shape \(n,\); got \(2, 1\). Use y.ravel\(\)")
    refuses(v.as_vector, [[1, 2], [3, 4]], words=r"got \(2, 2\)\.$")
    refuses(v.as_vector, [1, 2], length=3, words="one entry per row of X: 3 rows, but y has 2")
    refuses(v.as_vector, 5.0, words=r"got \(\)")


def test_labels():
    classes, index = v.as_labels(["b", "a", "b"])
    assert classes.tolist() == ["a", "b"]
    assert index.tolist() == [1, 0, 1]
    refuses(v.as_labels, ["a", "a"], words=r"at least 2 classes; got only 1 class: \['a'\]")
    refuses(v.as_labels, [[1, 2]], words=r"shape \(n,\); got \(1, 2\)")
    refuses(v.as_labels, [], words="is empty")
    refuses(v.as_labels, [0.0, np.nan], words=r"y\[1\] is nan")
    refuses(v.as_labels, np.array(["a", 1], object), words="cannot be sorted")
    refuses(v.as_labels, [0, 1], length=3, words="3 rows, but y has 2")


def test_labels_that_numpy_would_misread():
    refuses(v.as_labels, None, words="y is missing")
    refuses(v.as_labels, [1, "a"], words="y mixes text with other labels, such as 1")
    refuses(v.as_labels, ["a", np.nan], words="y mixes text with other labels, such as nan")
    refuses(v.as_labels, np.array([1, np.nan, np.nan], object), words=r"y\[1\] is nan")
    refuses(v.as_labels, [1, None], words=r"y\[1\] is None")
    refuses(v.as_labels, np.array(["2020-01-01", "NaT"], "datetime64[D]"), words=r"y\[1\] is NaT")
    refuses(v.as_labels, [0.0, 0.25], words=r"0\.25 is a measured number.*y > 0\.25")
    refuses(v.as_labels, [1j, 2j], words="complex")
    refuses(v.as_labels, [[0], [1]], words=r"got \(2, 1\)\. Use y\.ravel\(\)")
    refuses(v.as_labels, [[0], [1, 2]], words="its entries differ in length")
    refuses(v.as_labels, np.ma.array([0, 1], mask=[0, 1]), words="masked entries")
    assert v.as_labels([0.0, 1.0, 2.0])[0].tolist() == [0, 1, 2]
    assert v.as_labels(np.array(["2020-01-01", "2021-01-01"], "datetime64[D]"))[1].tolist() == [0, 1]
    assert v.as_labels(np.ma.array([0, 1], mask=[0, 0]))[0].tolist() == [0, 1]


class NA:
    """A missing value as pandas has it: comparisons give no truth."""

    def __ne__(self, other):
        return self

    def __bool__(self):
        raise TypeError("boolean value of NA is ambiguous")


def test_a_missing_value_without_truth_is_missing():
    labels = np.array(["a", "b", NA()], dtype=object)
    refuses(v.as_labels, labels, words=r"y\[2\] is")


def test_arrays_that_numpy_would_misread():
    refuses(v.as_array, None, "y", words="y is missing")
    refuses(v.as_matrix, [["3", 1.0]], words="got text")
    refuses(v.as_matrix, np.array([["3", 1.0]], object), words="got text")
    refuses(v.as_matrix, np.zeros((2, 2), "datetime64[s]"), words="got dates or times such as 1970")
    refuses(v.as_matrix, np.array([], "U1"), words="X is empty")
    refuses(v.as_matrix, np.ma.array([[1.0, 2.0]], mask=[[0, 1]]), words=r"masked entries.*X\.filled\(\)")
    assert v.as_matrix(np.ma.array([[1.0, 2.0]])).tolist() == [[1, 2]]
    refuses(v.as_matrix, np.zeros((3, 0)), words=r"0 feature\(s\) \(shape=\(3, 0\)\)")
    refuses(v.as_matrix, [[10**400]], words="must hold numbers only")
    refuses(v.as_matrix, [1.0, 2.0], n_features=2, words=r"Use X\[None, :\] for one point")
    refuses(v.as_matrix, [1.0, 2.0], n_features=3, words=r"Use X\[:, None\] for one feature")


def test_column_names():
    class Frame:
        columns = ("a", "b")

    assert v.column_names(Frame()).tolist() == ["a", "b"]
    assert v.column_names(np.eye(2)) is None
    Frame.columns = (0, 1)
    assert v.column_names(Frame()) is None


def test_names_given_by_hand():
    assert v.as_names(("a", "b"), 2).tolist() == ["a", "b"]
    refuses(v.as_names, ["a"], 2, words=r"feature_names must hold 2 texts, one per column of X; got \['a'\]")
    refuses(v.as_names, ["a", 1], 2, words="must hold 2 texts")


def test_rng():
    assert v.as_rng(3).integers(100) == np.random.default_rng(3).integers(100)
    mine = np.random.default_rng(0)
    assert v.as_rng(mine) is mine
    for bad in (-1, None, "seed", 1.5, True, np.random.RandomState(0)):
        refuses(v.as_rng, bad, words="non-negative integer seed or a numpy.random.Generator")


def test_numbers():
    assert v.check_number(np.float32(0.5), "C") == 0.5
    refuses(v.check_number, 0, "C", low=0, open_low=True, words="C must be greater than 0; got 0")
    refuses(v.check_number, -1, "lam", low=0, words="lam must be at least 0; got -1")
    refuses(v.check_number, 2, "nu", low=0, high=1, words="nu must be at least 0 and at most 1; got 2")
    refuses(v.check_number, 1, "p", high=1, open_high=True, words="less than 1; got 1")
    for value in (Fraction(1, 2), Decimal("0.5"), np.float32(0.5), np.longdouble(0.5)):
        assert type(v.check_number(value, "C", low=0, high=1e300)) is float
    assert v.check_number(10**20, "C") == 1e20
    for bad in ("1", None, True, np.nan, np.inf, 1j, [1], 10**400, Decimal("NaN"), Decimal("sNaN"), np.array(1.0)):
        refuses(v.check_number, bad, "C", words="C must be a finite number; got")


def test_integers():
    assert v.check_integer(np.int64(4), "k") == 4
    refuses(v.check_integer, 4.0, "k", words="k must be a whole number; got 4.0")
    refuses(v.check_integer, True, "k", words="whole number")
    refuses(v.check_integer, 0, "k", low=1, words="k must be at least 1; got 0")
    refuses(
        v.check_integer,
        9,
        "k",
        high=5,
        why="the number of samples",
        words=r"at most 5 \(the number of samples\); got 9",
    )


def test_choice():
    assert v.check_choice("a", "mode", ("a", "b")) == "a"
    refuses(v.check_choice, "c", "mode", ("a", "b"), words="mode must be one of 'a', 'b'; got 'c'")
    refuses(v.check_choice, [1], "mode", ("a", "b"), words="must be one of")


def test_probabilities():
    assert v.check_probabilities([0.25, 0.75]).sum() == 1
    refuses(v.check_probabilities, [0.5, 0.6], words="must sum to one; it sums to 1.1")
    refuses(v.check_probabilities, [1.5, -0.5], words="must not be negative; its smallest entry is -0.5")
    refuses(v.check_probabilities, [[0.5, 0.5], [0.2, 0.2]], words="it sums to 0.4")


@given(st.lists(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=2), min_size=1, max_size=5))
def test_any_finite_table_is_a_matrix(rows):
    assert v.as_matrix(rows).tolist() == [[float(a) for a in row] for row in rows]


@given(
    st.one_of(
        st.none(), st.text(), st.integers(), st.lists(st.text(min_size=1), max_size=3), st.binary(), st.booleans()
    )
)
def test_whatever_is_no_matrix_gets_a_value_error(thing):
    with pytest.raises(ValueError, match="X"):
        v.as_matrix(thing)


def test_a_choice_is_one_value():
    assert v.check_choice("a", "kind", ("a", "b")) == "a"
    refuses(v.check_choice, "c", "kind", ("a", "b"), words="kind must be one of 'a', 'b'; got 'c'")
    refuses(v.check_choice, np.array([1, 2]), "intercept", (True, False), words="intercept must be one of True, False")

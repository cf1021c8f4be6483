"""confirm: prints evidence for what holds, raises for what does not, and cannot be made to pass by accident."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mlteach.confirm import confirm

nan, inf = float("nan"), float("inf")

HOLDS = [
    (([1.0, 2.0], [1.0, 2.0 + 1e-10]), {}, "2 values, to 1e-9"),
    ((np.zeros(2000), 0), {"tol": 1e-6, "what": "direction"}, "2,000 directions, to 1e-6"),
    ((1e6, 1e6 + 5e-4), {"tol": 1e-9}, "1 value, to 1e-9"),
    ((0.3, 0.1 + 0.2), {"tol": 0.0025}, "1 value, to 0.0025"),
    (([inf, -inf, 1.0], [inf, -inf, 1.0]), {}, "3 values, to 1e-9"),
    ((0.5, 0.5), {"tol": 0}, "1 value, exactly"),
    ((3, 3), {}, "1 value, exactly"),
    ((np.int64(3), np.uint8(3)), {}, "1 value, exactly"),
    ((["a", "b"], ["a", "b"]), {"what": "label"}, "2 labels, exactly"),
    ((np.array(["a", "b"]), ("a", "b")), {}, "2 values, exactly"),
    (("versicolor", "versicolor"), {}, "1 value, exactly"),
    (([True, False], [True, False]), {}, "2 values, exactly"),
    ((np.array([True, True]), True), {}, "2 values, exactly"),
    (([Fraction(1, 3)], [Fraction(2, 6)]), {}, "1 value, exactly"),
    ((Fraction(1, 3), 1 / 3), {}, "1 value, to 1e-9"),
    (({1, 2}, frozenset({2, 1})), {"what": "vertex/vertices"}, "2 vertices, exactly"),
    (([[1.0], [2.0]],), {"at_most": 2}, "2 values, to 1e-9"),
    (([1.0, 2.0],), {"at_most": [1, 2 - 1e-10], "at_least": 1}, "2 values, to 1e-9"),
    ((5,), {"at_least": 5}, "1 value"),
    ((0.5,), {"at_most": 0.5, "tol": 0}, "1 value"),
    (([True, True, True],), {"what": "point"}, "all 3 points"),
    ((np.bool_(True),), {}, "true"),
    (([True, True, False],), {"at_least": 2, "what": "seed"}, "2 of 3 seeds, at least 2 asked for"),
    (([True, False, False],), {"at_least": 1, "at_most": 2}, "1 of 3 values, at least 1 and at most 2 asked for"),
]


@pytest.mark.parametrize(("args", "options", "line"), HOLDS)
def test_prints_one_line_of_evidence(args, options, line, capsys):
    assert confirm("(5.3) it holds", *args, **options) is None
    assert capsys.readouterr().out == f"✓ (5.3) it holds: {line}\n"


FAILS = [
    (
        ([0.0, 1.0, 2.0], [0.0, 1.1, 2.5]),
        {},
        r"2 of 3 values wrong. Worst is \[2\]: it is 2; it should be 2.5. Off by 0.5",
    ),
    (([[1.0, 2.0]], [[1.0, 3.0]]), {"what": "slope"}, r"1 of 2 slopes wrong. Worst is \[0, 1\]"),
    ((1.0, 1.0 + 2e-9), {}, r"the value is 1; it should be 1.000000002. Off by 2e-09, allowed is 1e-09 \(tol 1e-9\)"),
    ((1e6, 1e6 + 2e-3), {}, r"Off by 0.002, allowed is 0.001 \(tol 1e-9\)"),
    ((0.1 + 0.2, 0.3), {"tol": 0}, "is 0.30000000000000004; it should be 0.3"),
    ((nan, 0), {}, "is nan; it should be 0"),
    ((nan, nan), {}, "is nan; it should be nan"),
    (([nan],), {"at_most": 5}, "is nan; it should be at most 5"),
    (([nan],), {"at_least": -5}, "is nan; it should be at least -5"),
    ((5.0, inf), {}, "is 5; it should be inf"),
    ((inf, 5.0), {}, "is inf; it should be 5"),
    ((inf, -inf), {}, "is inf; it should be -inf"),
    ((3, 4), {}, "is 3; it should be 4, exactly"),
    ((2**60, 2**60 + 1), {}, "it should be 1152921504606846977, exactly"),
    ((["a", "c"], ["a", "b"]), {}, r"Worst is \[1\]: it is 'c'; it should be 'b', exactly"),
    ((["a", 1], ["a", "1"]), {}, "is 1; it should be '1'"),
    ((["1"], [1]), {}, "is '1'; it should be 1"),
    (({1, 3}, {1, 2}), {}, "missing 2; too many 3"),
    (({nan}, {nan}), {}, "too many nan|never confirmed"),
    (
        ([1.0, 3.0, 2.5],),
        {"at_most": 2},
        r"2 of 3 values wrong. Worst is \[1\]: it is 3; it should be at most 2. Off by 1,",
    ),
    (([1.0, 3.0],), {"at_least": [1, 4]}, "is 3; it should be at least 4. Off by 1"),
    ((inf,), {"at_most": 2}, "is inf; it should be at most 2"),
    ((4,), {"at_least": 5}, r"Off by 1, allowed is 0 \(tol 0\)"),
    (([True, False, True],), {"what": "point"}, r"1 of 3 points wrong. Worst is \[1\]: it is false"),
    ((False,), {}, "the value is false; it should be true"),
    (([True, False, False],), {"at_least": 2, "what": "seed"}, "1 of 3 seeds; asked for at least 2"),
    (([True, True, False],), {"at_most": 1}, "2 of 3 values; asked for at most 1"),
]


@pytest.mark.parametrize(("args", "options", "words"), FAILS)
def test_raises_with_both_values(args, options, words, capsys):
    with pytest.raises(AssertionError, match=words) as caught:
        confirm("it holds", *args, **options)
    assert str(caught.value).startswith("'it holds' does not hold: ")
    assert capsys.readouterr().out == ""


MISUSED = [
    (([], []), {}, ValueError, "empty"),
    (([],), {}, ValueError, "empty"),
    ((np.zeros((0, 3)), 0), {}, ValueError, "empty"),
    ((np.array([], dtype=bool),), {}, ValueError, "empty"),
    ((set(), set()), {}, ValueError, "empty set"),
    (([1.0, 2.0], [1.0]), {}, ValueError, r"value has shape \(2,\), expected has \(1,\)"),
    ((1.0, [1.0, 1.0]), {}, ValueError, "shape"),
    ((np.zeros((3, 1)), np.zeros(3)), {}, ValueError, "shape"),
    (([1.0, 2.0],), {"at_most": [1, 2, 3]}, ValueError, "at_most has"),
    (([[1], [1, 2]], 1), {}, ValueError, "equal length"),
    ((1.0,), {}, TypeError, "Give expected, at_most or at_least"),
    ((1, 1), {"at_most": 3}, TypeError, "not both"),
    ((1j, 1j), {}, TypeError, "real numbers"),
    (({"a": 1}, {"a": 1}), {}, TypeError, "got dict"),
    ((object(), object()), {}, TypeError, "got object"),
    ((["a"], [1.5]), {}, TypeError, "numbers only"),
    (("a",), {"at_most": "b"}, TypeError, "numbers only"),
    ((["1"], 1.0), {}, TypeError, "numbers only"),
    ((np.array(["1"]),), {"at_most": 2}, TypeError, "numbers only"),
    (({1}, [1]), {}, TypeError, "got set and list"),
    (([1.0],), {"at_most": inf}, ValueError, "finite"),
    (([1.0],), {"at_least": nan}, ValueError, "finite"),
    ((1.0, 1.0), {"tol": inf}, ValueError, "tol must be"),
    ((1.0, 1.0), {"tol": nan}, ValueError, "tol must be"),
    ((1.0, 1.0), {"tol": -1e-9}, ValueError, "tol must be"),
    ((0.0, 1e-12), {}, ValueError, "zero would pass as well"),
    ((0.0,), {"at_most": 1e-12}, ValueError, "zero would pass as well"),
    (([True, False],), {"at_least": 0.5}, TypeError, "whole number"),
    (([True, False],), {"at_least": 0}, ValueError, "test nothing"),
    (([True, False],), {"at_least": 3}, ValueError, "test nothing"),
    (([True, False],), {"at_most": 2}, ValueError, "test nothing"),
]


@pytest.mark.parametrize(("args", "options", "error", "words"), MISUSED)
def test_misuse_is_an_error_never_a_pass(args, options, error, words):
    with pytest.raises(error, match=words):
        confirm("it holds", *args, **options)


def test_a_claim_is_a_sentence():
    for claim in (True, "", "  ", 3.0):
        with pytest.raises(TypeError, match="claim must be a sentence"):
            confirm(claim, 1, 1)


close = st.tuples(st.floats(-1e12, 1e12, allow_subnormal=False), st.floats(-2, 2))


@given(st.lists(close, min_size=1, max_size=4), st.sampled_from([1e-12, 1e-6, 1e-3]))
def test_the_rule_is_the_documented_one(drawn, tol):
    pairs = [(e + times * tol * max(1, abs(e)), e) for e, times in drawn]
    value, expected = np.array(pairs).T
    assume(not np.any(expected) or np.any(abs(expected) > tol))
    assert passes(value, expected, tol=tol) == all(abs(v - e) <= tol * max(1, abs(e)) for v, e in pairs)
    assert passes(value, at_most=expected, tol=tol) == all(v - e <= tol * max(1, abs(e)) for v, e in pairs)
    assert passes(value, at_least=expected, tol=tol) == all(e - v <= tol * max(1, abs(e)) for v, e in pairs)


def passes(value, expected=None, **options):
    try:
        confirm("it holds", value, expected, **options)
    except AssertionError:
        return False
    return True

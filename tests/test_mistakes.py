"""Mistakes as data: tables of edits and of values, changes that are made by themselves, tasks made from both."""

import ast
import re

import numpy as np
import pytest

from mlteach.exercises import base
from mlteach.exercises.base import Wrong
from mlteach.exercises.changes import changes, source
from mlteach.exercises.judge import expect_function
from mlteach.exercises.probe import Probed
from mlteach.exercises.slips import edited, entries, wrong_functions, wrong_values
from mlteach.exercises.tasks import chosen, number, spelt, task, yes

# --- Tables ----------------------------------------------------------------------------------------------------------


def scaled(x, m, s):
    centred = x - m
    return centred / s, m


def test_a_table_has_one_entry_a_line_and_words_may_go_on():
    table = """
        x - m => x + m | Subtract the mean,
            do not add it: P(x | z).
        / s => / s**2  | Divide by s once.
    """
    assert entries(table) == [
        ("x - m => x + m", "Subtract the mean, do not add it: P(x | z)."),
        ("/ s => / s**2", "Divide by s once."),
    ]
    with pytest.raises(ValueError, match=r"'mistake \| words'; got 'x - m => x \+ m'"):
        entries("x - m => x + m")


def test_an_edit_is_made_in_one_place_of_the_body_or_in_several():
    assert edited(scaled, "x - m => x + m")(3, 1, 2) == (2, 1)
    assert edited(scaled, "x - m => x + m ;; , m => , 0")(3, 1, 2) == (2, 0)
    assert edited(scaled, "/ s =>")(3, 1, 2) == (2, 1)
    assert edited(scaled, "def scaled(x, m, s) => def scaled(x, s, m)")(3, 1, 2) == (1, 2)  # if it stands there alone
    assert scaled(3, 1, 2) == (1, 1)


@pytest.mark.parametrize(("edit", "times"), [("m => 0", 2), ("median => mean", 0), ("centred => x", 2), ("x - m", 1)])
def test_an_edit_that_is_not_to_be_placed_is_refused(edit, times):
    with pytest.raises(ValueError, match=rf"stands there {times} times"):
        edited(scaled, edit)


def test_a_table_may_stand_beside_functions():
    listed = wrong_functions(scaled, ["x - m => x | No mean.", (lambda x, m, s: (x, m), "Nothing at all.")])
    assert [(f(3, 1, 2), words) for f, words in listed] == [((1.5, 1), "No mean."), ((3, 1), "Nothing at all.")]


def test_values_are_expressions_in_the_names_of_their_module():
    assert wrong_values("2 * K | twice\n(..., 1) | second", {"K": 4}) == [(8, "twice"), ((..., 1), "second")]
    assert wrong_values([(3, "three")], {}) == [(3, "three")]


# --- Changes ---------------------------------------------------------------------------------------------------------


def weighted(x, w, n):
    if n <= 0:
        return np.zeros(2), 0.0
    total = 0.0
    for k in range(1, n):
        total += w[k] * x[k] ** 2
    mean = np.sum(x * w, axis=0) / len(x)
    return np.array([mean, -total]), np.sqrt(np.log(1 + total))


def test_the_tree_is_as_it_was_after_all_changes():
    tree = ast.parse(source(weighted))
    before = ast.dump(tree)
    words = [words for words, _ in changes(tree.body[0], ["x", "w", "n"])]
    assert ast.dump(tree) == before
    assert {
        "with a comparison that should include equality",
        "with a minus where a plus belongs",
        "without a division by a number of points",
        "with a sum over everything, not along one axis",
        "without a square",
        "without a square root",
        "without a logarithm",
        "with one round too few",
        "with a special case left out",
        "with one of the steps left out",
        "with a value overwritten where it should be added to",
        "with x where w belongs",
        "with the other sign",
    } <= set(words)  # fmt: skip


def endless(n):
    k, found = 0, []
    while k < n:
        found.append(k)
        k += 1
    return len(found)


@pytest.mark.parametrize(
    ("line", "bad"),
    [
        ("rows.append(V)", "rows.append(rows)"),
        ("rows.insert(0, V)", "rows.insert(0, rows)"),
        ("new = V; rows.append(new)", "new = rows"),
        ("V = np.append(V, x)", "np.append(V, V)"),
        ("V = np.concatenate([V, x])", "[V, V]"),
        ("rows = rows + x", "rows + rows"),
        ("x += V", "x += x"),
    ],
)
def test_no_change_makes_a_list_that_holds_itself_or_doubles(line, bad):
    text = f"def f(V, x):\n    rows = []\n    for n in range(50):\n        {line}\n    return np.array(rows)"
    tree = ast.parse(text)
    texts = [ast.unparse(tree) for _ in changes(tree.body[0], ["V", "x"])]
    assert texts
    assert not [text for text in texts if bad in text]


def test_a_change_may_double_outside_of_loops():
    tree = ast.parse("def f(V, x):\n    V = V + x\n    return V")
    assert any("V = V + V" in ast.unparse(tree) for _ in changes(tree.body[0], ["V", "x"]))


def test_a_changed_loop_ends():
    values = []
    for function, _ in Probed(endless).made():
        try:
            values.append(function(3))
        except Exception:
            values.append(None)
    assert 3 in values
    assert None in values  # k -= 1, or no k += 1 at all


def average(x):
    total = np.sum(x)
    return total / len(x)


CASES = [(np.array([1.0, 2.0, 6.0]),), (np.array([4.0, -1.5]),), (np.array([0.3, 0.3, 0.4, 9.0]),)]


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda x: np.sum(x), "That comes out without a division by a number of points."),
        (lambda x: np.sum(x) / (len(x) + 1), "That comes out with a divisor that is one too large."),
        (lambda x: len(x) / np.sum(x), "is one over the right value"),
        (lambda x: np.mean(x) / len(x), "That comes out with a mean where a sum belongs."),
        (lambda x: np.max(x), r"it should be 3\.$"),
    ],
)
def test_a_mistake_that_nobody_listed_is_named_by_its_kind(wrong, words):
    with pytest.raises(Wrong, match=words):
        expect_function(wrong, average, CASES, "The average", changed=Probed(average))


def test_what_too_many_changes_explain_is_not_blamed():
    changed = Probed(average)
    changed._made = [(lambda x: x + 1, f"with mistake {k}") for k in range(3)]
    with pytest.raises(Wrong, match=r"it should be 1\.$"):
        expect_function(lambda x: x + 1, lambda x: x, [(1.0,), (2.5,)], "It", changed=changed)
    changed._made = changed._made[:2]
    changed._values.clear()
    with pytest.raises(Wrong, match="That comes out with mistake 0 or with mistake 1"):
        expect_function(lambda x: x + 1, lambda x: x, [(1.0,), (2.5,)], "It", changed=changed)


def spread(x, scale):
    centred = x - x.mean()
    variance = np.mean(centred**2)
    return scale * np.sqrt(variance)


def too_many(x, scale):
    m = x.mean()
    v = np.mean((x - m) ** 2) / np.sqrt(len(x))
    return scale * v**0.5


def unrooted(x, scale):
    return scale * (np.mean(x * x) - np.mean(x) ** 2)


def on_the_way(x, scale):
    return np.mean((x - x.mean()) ** 2)


def half_done(x, scale):
    c = x - x.mean()
    return scale * np.median(np.abs(c)) * 1.4826 + len(x)


def twisted_scale(x, scale):
    return np.std(x) * scale * scale


def by_range(x, scale):
    variance = np.ptp(x) / 4
    return scale * np.sqrt(variance)


def twice_wrong(x, scale):
    return scale**2 * np.sqrt(np.ptp(x))


def a_thousandth_more(x, scale):
    return 1.001 * scale * np.std(x)


SPREADS = [(np.array([1.0, 2.0, 6.0, 4.5]), 1.7), (np.array([4.0, -1.5, 0.2]), 0.6), (np.arange(7.0) ** 1.5, 3.1)]


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (too_many, r"Look at np.mean\(\(x - m\) \*\* 2\) / np.sqrt\(len\(x\)\) in line 3: a division .* too many"),
        (unrooted, r"np.mean\(x\) \*\* 2 in line 2: a square root is missing|without a square root"),
        (on_the_way, "That is a value on the way"),
        (half_done, "c is right so far"),
        (twisted_scale, "square of scale where scale belongs|a square too many|in line 2"),
        (by_range, r"With another value in the place of np.ptp\(x\) / 4 in line 2 all would be right: look there"),
        (a_thousandth_more, r"Look at 1.001 \* scale in line 2: the factor 1.001 too many|in line 2"),
    ],
)
def test_a_function_is_looked_into(wrong, words):
    with pytest.raises(Wrong, match=words):
        expect_function(wrong, spread, SPREADS, "The spread", changed=Probed(spread))


def test_a_place_is_blamed_only_if_the_rest_is_right():
    with pytest.raises(Wrong, match=r"it should be [\d.]+\.$"):
        expect_function(twice_wrong, spread, SPREADS, "The spread", changed=Probed(spread))


def test_a_square_of_a_sum_is_no_sum_of_squares():
    def power(x):
        return (x**2).sum() / len(x)

    def wrong(x):
        return np.sum(x) ** 2 / len(x)

    def squared(x):
        return np.sum(x) ** 2

    told = "with the square of a sum where a sum of squares belongs"
    with pytest.raises(Wrong, match=told):
        expect_function(wrong, power, CASES, "The power", changed=Probed(power))
    with pytest.raises(Wrong, match="with a sum of squares where the square of a sum belongs"):
        expect_function(lambda x: np.sum(x**2), squared, CASES, "The square", changed=Probed(squared))


def test_results_in_another_order_are_not_blamed_for_more():
    def swapped(x, m, s):
        return m, (x - m) / s

    cases = [(np.array([3.0, 4.0]), 1.0, 2.0), (np.array([7.0, 1.0]), 0.5, 4.0)]
    with pytest.raises(Wrong, match=r"all is right, but in another order. Return \(z, m\)\.$"):
        expect_function(swapped, scaled, cases, "The pair", names="z, m", changed=Probed(scaled))


@pytest.mark.parametrize(
    ("right", "answer", "words"),
    [
        ("0.75 * 31 + 12.5", 43.5, r"without the factor 0.75\.$"),
        ("(17.5 - 4.25) / 3.2", 3.641, r"is not 3.641\.$"),
        ("17.5 + 4.25", 17.5, "without the term 4.25|on the way"),
        ("17.5 * 4.25 / 3.7 + 1", 17.5 * 4.25 + 1, r"without the division by 3.7\.$"),
        ("np.log(17.5) * 3.7", np.log(17.5) * 17.5, r"with 17.5 where 3.7 belongs\.$"),
        ("1 - 0.0006 * 1.01", 0.9991, r"is not 0.9991\.$"),  # 1, without the rest, lies nearer than the digits say
    ],
)
def test_a_value_is_explained_by_its_formula_and_not_by_chance(right, answer, words):
    part = number("It", right, rtol=1e-4)._replace(names={"np": np})
    with pytest.raises(Wrong, match=words):
        part.expect(float(f"{answer:.6g}"))


def test_few_results_of_two_kinds_blame_nothing():
    def sign(x):
        return 1 if np.sum(x) > 0 else -1

    cases = [(np.array(x),) for x in ([1.0, 3.0], [2.0, -5.0], [-4.0, 1.0, 1.5], [0.5, 2.0])]
    with pytest.raises(Wrong, match=r"it should be -1\.$"):  # not "has the wrong sign", which holds in one case of four
        expect_function(lambda x: 1 if np.median(x) > 0 else -1, sign, cases, "The sign", changed=Probed(sign))


def test_one_of_several_results_is_blamed_by_itself():
    slips = [(lambda x, m, s: (x / s, m), "No mean."), (lambda x, m, s: (x - m, m), "No division.")]
    cases = [(3.0, 1.0, 2.0), (7.0, 0.5, 4.0)]
    with pytest.raises(Wrong, match="No mean"):  # and the second result is wrong in another way
        expect_function(lambda x, m, s: (x / s, 77 * x), scaled, cases, "It", slips=slips)
    slips = [(lambda x, m, s: (1.5, m), "No variables.")]
    with pytest.raises(Wrong, match="whatever it is given"):  # though one of its results is that of a slip
        expect_function(lambda x, m, s: (1.5, 9.0), scaled, cases, "It", slips=slips)


def test_arguments_are_safe_from_changes():
    x = np.array([3.0, 1.0])

    def sort_copy(x):
        x = x.copy()
        x.sort()
        return x

    for function, _ in Probed(sort_copy).made():
        function(x)
    assert x.tolist() == [3.0, 1.0]


# --- Tasks -----------------------------------------------------------------------------------------------------------

RATE = 0.25


@pytest.fixture
def own(monkeypatch):
    """A registry of its own, with a task of every kind."""
    monkeypatch.setattr(base, "REGISTRY", {})
    monkeypatch.setattr(base, "load", lambda number=None: None)
    more = {"start": "Begin.", "hints": ["A hint."], "right": "Right."}
    task(
        "5.a",
        "A formula",
        share=number("The share", "3 / (3 + 5)", to=1e-3, slips="5 / 8 | That is the other."),
        rate=number("The rate", "2 * RATE", slips="RATE | Double it."),
        slips="(1, ...) | Not all of it.",
        **more,
    )
    task("5.b", "Letters", order=spelt("The order", "CAB", "ABC", once=True, slips="ABC | Unsorted."), **more)
    task("5.c", "Some", some=chosen("Your points", {1, 3}, 5, slips="{0, 2, 4} | The others."), **more)
    task("5.d", "One of two", it=yes("The answer", True, "It is so."), **more)
    task("5.1", "A function", scaled, cases=[(3.0, 1.0, 2.0), (7.0, 0.5, 4.0)], what="The pair", names="z, m",
         slips="x - m => x | Subtract the mean.", **more)  # fmt: skip
    return base


@pytest.mark.parametrize(
    ("id", "answers", "ok", "words"),
    [
        ("5.a", (0.375, 0.5), True, "Right."),
        ("5.a", (0.5, 0.375), False, "in another order: first the share, then the rate"),
        ("5.a", (0.625, 0.5), False, "That is the other"),
        ("5.a", (0.375, 0.25), False, "Double it"),
        ("5.a", (1, 7), False, "Not all of it"),
        ("5.a", (0.61, 0.5), False, r"The share is not 0.61\. hint"),
        ("5.a", (37.5, 0.5), False, "per cent"),
        ("5.a", (0.875, 0.5), False, "The share is not 0.875. That comes out with|The share is not 0.875"),
        ("5.b", ("c-a-b",), True, "Right."),
        ("5.b", ("abc",), False, "Unsorted"),
        ("5.b", ("bac",), False, "The order is not BAC"),
        ("5.c", ([3, 1],), True, "Right."),
        ("5.c", ([0, 2, 4],), False, "The others"),
        ("5.c", ([3],), False, "one number is missing"),
        ("5.d", (True,), True, "Right."),
        ("5.d", (False,), False, "It is so"),
        ("5.1", (scaled,), True, "Right."),
        ("5.1", (lambda x, m, s: (x / s, m),), False, "Subtract the mean"),
        ("5.1", (lambda x, m, s: ((x + m) / s, m),), False, "That comes out with a plus where a minus belongs"),
        ("5.1", (lambda x, m, s: (m, (x - m) / s),), False, "wrong order|another order"),
    ],
)
def test_tasks(own, id, answers, ok, words):
    outcome = own.verdict(id, *answers)
    assert outcome.ok is ok, outcome.message
    assert re.search(words, outcome.message), outcome.message


def test_tasks_know_their_solutions_and_their_mistakes(own):
    assert own.REGISTRY["5.a"].solution == (0.375, 0.5)
    assert own.REGISTRY["5.c"].solution == [1, 3]
    assert own.REGISTRY["5.a"].mistakes() == [
        ((1, 0.5), "Not all of it."),
        ((0.625, 0.5), "That is the other."),
        ((0.375, 0.25), "Double it."),
    ]
    for id, exercise in own.REGISTRY.items():
        for answers, words in exercise.mistakes():
            assert words in own.verdict(id, *answers).message


def growls(accuracy, wanted):
    """Count growls until a belief is reached; without an ear it never is."""
    belief, n = 0.5, 0
    while belief < wanted:
        belief = accuracy * belief / (accuracy * belief + (1 - accuracy) * (1 - belief))
        n += 1
    return n


def test_a_solution_that_never_ends_with_exchanged_arguments_is_left():
    with pytest.raises(Wrong, match="returns 1 whatever it is given"):
        expect_function(lambda accuracy, wanted: 1, growls, [(0.75, 0.5), (0.6, 0.9), (0.75, 0.95)], "The number")

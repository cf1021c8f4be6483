"""Chapter 25: promises against what happens, and a referee of shattering against linear programs."""

import math
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlteach import explore
from mlteach.learning_theory import (
    FAMILIES,
    VC_DIMENSION,
    Refusal,
    agnostic_gap,
    agnostic_sample_size,
    all_labels,
    chernoff,
    circuits,
    consistent_runs,
    contrary,
    dichotomies,
    dkw_gap,
    exact_tail,
    fit_noise,
    growth_function,
    halving,
    hoeffding,
    kolmogorov_cdf,
    luckiest,
    majority,
    nearest,
    no_free_lunch,
    pac_error,
    pac_sample_size,
    ray_gap,
    ray_gaps,
    refusal,
    sauer,
    shatters,
    sine_frequency,
    sine_points,
    smooth_weight,
    trial,
    union_bound,
    vc_gap,
    vc_sample_size,
    witness,
)

PLANE = [f for f in FAMILIES if f not in ("rays", "intervals", "two intervals")]

# --- no free lunch -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("learner", [majority, nearest, contrary, lambda xs, ys: lambda x: x % 2])
@pytest.mark.parametrize(("n", "k"), [(4, 2), (5, 1), (6, 5), (3, 0), (1, 0)])
def test_no_learner_beats_a_coin_on_average_over_all_functions(learner, n, k):
    assert no_free_lunch(learner, n, k) == 0.5


def test_no_free_lunch_by_a_plain_loop_with_weights_and_places():
    weight, train, total, right = smooth_weight(0.7), [3, 0], 0.0, 0.0
    for f in product((0, 1), repeat=5):
        h = nearest(train, [f[x] for x in train])
        w = math.exp(-0.7 * sum(a != b for a, b in zip(f, f[1:])))
        total, right = total + w, right + w * sum(h(x) == f[x] for x in (1, 2, 4)) / 3
    assert no_free_lunch(nearest, 5, 2, train=train, weight=weight) == pytest.approx(right / total, abs=1e-12)
    assert right / total > 0.6


def test_tilted_averages_part_the_learners_and_mirror_each_other():
    good = no_free_lunch(nearest, 7, 4, train=[0, 2, 4, 6], weight=smooth_weight(1.0))
    bad = no_free_lunch(contrary, 7, 4, train=[0, 2, 4, 6], weight=smooth_weight(1.0))
    assert good == pytest.approx(1 - bad)
    assert good > 0.7
    # one unseen point between two seen ones: right with certainty if both neighbours agree, else a coin
    p = 1 / (1 + math.exp(-1.0))  # a step stays with probability p
    assert good == pytest.approx(p**2 + p * (1 - p))
    assert no_free_lunch(nearest, 7, 4, train=[0, 2, 4, 6], weight=smooth_weight(0)) == pytest.approx(0.5)


def test_learners_of_the_lunch():
    assert majority([0, 1], [1, 0])(5) == 1
    assert majority([0, 1, 2], [0, 1, 0])(5) == 0
    assert nearest([0, 4], [1, 0])(1) == 1
    assert nearest([0, 4], [1, 0])(3) == 0
    assert nearest([4, 0], [1, 0])(2) == 0  # the left one of two
    assert contrary([0, 4], [1, 0])(1) == 0
    assert nearest([], [])(3) == 1


@pytest.mark.parametrize(
    ("args", "more", "words"),
    [
        ((majority, 0, 0), {}, "n_points must be at least 1"),
        ((majority, 17, 2), {}, "2\\*\\*n_points functions are tried"),
        ((majority, 4, 4), {}, "n_train must be at most 3 \\(one point at least must be unseen\\)"),
        ((majority, 4, -1), {}, "n_train must be at least 0"),
        ((majority, 4, 2), {"train": [1, 1]}, "train must list n_train=2 different points; got \\[1, 1\\]"),
        ((majority, 4, 2), {"train": [1, 4]}, "train must be at most 3"),
        ((majority, 4, 2), {"train": [1]}, "different points"),
        ((lambda xs, ys: lambda x: 0.5, 4, 2), {}, "answer 0 or 1; at x = 2 it answers 0.5"),
        ((lambda xs, ys: lambda x: [1], 4, 2), {}, "answer 0 or 1"),
        ((majority, 4, 2), {"weight": lambda f: -1.0}, "weight must not be negative; got -1"),
        ((majority, 4, 2), {"weight": lambda f: 0.0}, "no function a weight above 0"),
    ],
)
def test_no_free_lunch_refuses(args, more, words):
    with pytest.raises(ValueError, match=words):
        no_free_lunch(*args, **more)


def test_erratum_s3_e3_48():
    """'Every classifier is a coin on average' holds over all concepts and unseen points only."""
    constant = lambda f: float(len(set(f)) == 1)  # noqa: E731
    assert no_free_lunch(majority, 4, 2) == 0.5
    assert no_free_lunch(majority, 4, 2, weight=constant) == 1.0
    seen = [majority([0, 1], f[:2])(x) == f[x] for f in product((0, 1), repeat=4) for x in (0, 1)]
    assert np.mean(seen) == 0.75  # on the points that were seen even the majority does better


# --- tails ---------------------------------------------------------------------------------------------------------


def test_tails_by_hand():
    assert hoeffding(100, 0.1) == pytest.approx(math.exp(-2))
    assert hoeffding(7, 0) == 1
    assert 2 * hoeffding(100, 0.1) == pytest.approx(0.2707, abs=5e-5)
    assert chernoff(10, 0.3, 0.5) == pytest.approx((0.5 / 0.8) ** 8 * (0.5 / 0.2) ** 2)
    assert chernoff(10, 0.5, 0.5) == pytest.approx(0.5**10)
    assert chernoff(10, 0.6, 0.5) == 0
    assert chernoff(5, 0, 0.3) == 1
    assert exact_tail(4, 0.25, 0.5) == pytest.approx(5 / 16)
    assert exact_tail(4, 0.26, 0.5) == pytest.approx(1 / 16)
    assert exact_tail(4, 0.51, 0.5) == 0
    assert exact_tail(4, 0, 0) == 1
    assert exact_tail(4, 0.5, 0.5) == 1 / 16
    assert exact_tail(10, 0.2, 0.1) == pytest.approx(
        sum(math.comb(10, k) * 0.1**k * 0.9 ** (10 - k) for k in range(3, 11))
    )


@settings(max_examples=60)
@given(st.integers(1, 200), st.floats(0.01, 0.99), st.floats(0.001, 0.9))
def test_exact_chernoff_hoeffding_stand_in_this_order(n, p, epsilon):
    exact = exact_tail(n, epsilon, p)
    assert exact <= chernoff(n, epsilon, p) + 1e-9 if p + epsilon <= 1 else exact == 0
    assert chernoff(n, epsilon, p) <= hoeffding(n, epsilon) * (1 + 1e-9)


def test_the_luckiest_of_many():
    assert luckiest(1000, 10) == pytest.approx(0.0376, abs=5e-5)
    assert luckiest(1, 8, 0.3) == pytest.approx(0.3)
    assert luckiest(7, 5, 1.0) == 1
    assert luckiest(3, 5, 0.0) == 0
    by_hand = sum(min(a, b) for a in (0, 1, 1, 2) for b in (0, 1, 1, 2)) / 16 / 2
    assert luckiest(2, 2) == pytest.approx(by_hand)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: hoeffding(0, 0.1), "n must be at least 1"),
        (lambda: hoeffding(10, -0.1), "epsilon must be at least 0"),
        (lambda: chernoff(0, 0.1, 0.5), "n must be at least 1"),
        (lambda: chernoff(3, -0.1, 0.5), "epsilon must be at least 0"),
        (lambda: chernoff(3, 0.1, 0), "p must be greater than 0 and less than 1"),
        (lambda: chernoff(3, 0.1, 1), "less than 1"),
        (lambda: exact_tail(3, 0.1, 1.5), "p must be at least 0 and at most 1"),
        (lambda: exact_tail(0, 0.1, 0.5), "n must be at least 1"),
        (lambda: exact_tail(2, -1, 0.5), "epsilon must be at least 0"),
        (lambda: luckiest(0, 10), "n_rules must be at least 1"),
        (lambda: luckiest(1, 0), "n must be at least 1"),
        (lambda: luckiest(1, 2, 1.2), "p must be at least 0 and at most 1"),
    ],
)
def test_tails_refuse(call, words):
    with pytest.raises(ValueError, match=words):
        call()


# --- finitely many hypotheses --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("h", "epsilon", "delta", "consistent", "agnostic"),
    [(1000, 0.05, 0.05, 199, 1981), (3**10, 0.1, 0.05, 140, 700), (2**20, 0.01, 0.01, 1847, 92341)],
)
def test_sample_sizes(h, epsilon, delta, consistent, agnostic):
    assert pac_sample_size(h, epsilon, delta) == consistent
    assert agnostic_sample_size(h, epsilon, delta) == agnostic
    assert h * math.exp(-epsilon * consistent) <= delta < h * math.exp(-epsilon * (consistent - 1))


def test_errors_that_samples_buy():
    assert pac_error(1000, 500, 0.05) == pytest.approx(0.019807, abs=5e-7)
    assert agnostic_gap(1000, 500, 0.05) == pytest.approx(0.099516, abs=5e-7)
    assert pac_sample_size(3**2000, 0.5, 0.5) == math.ceil(2 * (2000 * math.log(3) + math.log(2)))
    assert pac_sample_size(1, 1.0, 1.0) == 0
    assert agnostic_gap(1, 3, 1.0) == 0
    doubled = (pac_sample_size(2 * 3**10, 0.1, 0.05) - 140, pac_sample_size(3**10, 0.05, 0.05))
    assert doubled == (7, 280)


def test_textbook_sample_sizes():
    """Caltech's homework: M = 1, 10, 100 with 2M exp(-2Nε²) <= 0.03 and ε = 0.05 need 840, 1301, 1761."""
    assert [agnostic_sample_size(2 * m, 0.05, 0.03) for m in (1, 10, 100)] == [840, 1301, 1761]
    assert vc_sample_size(3, 0.1, 0.1) == 29300


@pytest.mark.parametrize("function", [pac_sample_size, agnostic_sample_size])
def test_sample_sizes_refuse(function):
    for args, words in [
        ((0, 0.1, 0.1), "h_size must be at least 1"),
        ((2.5, 0.1, 0.1), "h_size must be a whole number"),
        ((5, 0, 0.1), "epsilon must be greater than 0"),
        ((5, 1.1, 0.1), "at most 1"),
        ((5, 0.1, 0), "delta must be greater than 0"),
        ((5, 0.1, 1.5), "delta must be greater than 0 and at most 1"),
    ]:
        with pytest.raises(ValueError, match=words):
            function(*args)


@pytest.mark.parametrize("function", [pac_error, agnostic_gap])
def test_errors_refuse(function):
    for args, words in [((0, 5, 0.1), "h_size must be"), ((5, 0, 0.1), "n must be at least 1"), ((5, 5, -1), "delta")]:
        with pytest.raises(ValueError, match=words):
            function(*args)


def test_erratum_s3_e3_35():
    """The exponent is negative: |H| exp(-εN) falls with N, the printed |H| exp(εN) grows."""
    printed = [1000 * math.exp(0.05 * N) for N in (100, 200)]
    right = [1000 * math.exp(-0.05 * N) for N in (100, 200)]
    assert printed[1] > printed[0] > 1
    assert right == pytest.approx([6.737947, 0.045400], abs=5e-7)
    assert 20 * 0.8**30 == pytest.approx(0.024759, abs=5e-7)
    assert 20 * 0.8**30 <= 20 * math.exp(-6)
    sizes = [pac_sample_size(1000, epsilon, 0.05) for epsilon in (0.2, 0.1, 0.05)]
    assert sizes == sorted(sizes)  # with the printed sign fewer examples would do for a smaller error
    assert all(1000 * math.exp(-e * N) <= 0.05 < 1000 * math.exp(-e * (N - 1)) for e, N in zip((0.2, 0.1, 0.05), sizes))
    runs = consistent_runs(4, 2, 60, 400, 1)  # |H| = 81: right bound 0.2, and it holds
    assert (runs.worst > 0.1).mean() <= 81 * math.exp(-6) <= 81 * math.exp(6)


# --- what consistent learners do -----------------------------------------------------------------------------------


def _find_s_by_hand(rows, labels):
    positives = [r for r, y in zip(rows, labels) if y]
    if not positives:
        return None
    return [values.pop() if len(values := {r[i] for r in positives}) == 1 else None for i in range(len(rows[0]))]


def test_consistent_runs_by_a_plain_loop():
    d, L, n, n_runs = 3, 2, 4, 40
    runs = consistent_runs(d, L, n, n_runs, 5)
    space = list(product((0, 1), repeat=d))
    draws = np.random.default_rng(5).integers(2**d, size=(n_runs, n))
    target = [x[0] == x[1] == 1 for x in space]
    for r, drawn in enumerate(draws):
        rows, labels = [space[i] for i in drawn], [target[i] for i in drawn]
        h = _find_s_by_hand(rows, labels)
        says = [h is not None and all(a is None or a == v for a, v in zip(h, x)) for x in space]
        assert runs.find_s[r] == pytest.approx(np.mean([a != b for a, b in zip(says, target)]))
        worst = 0.0
        for asks in product((0, 1, None), repeat=d):
            says = [all(a is None or a == v for a, v in zip(asks, x)) for x in space]
            if all(says[i] == target[i] for i in drawn):
                worst = max(worst, np.mean([a != b for a, b in zip(says, target)]))
        assert runs.worst[r] == pytest.approx(worst)
    assert len(set(runs.find_s)) > 2
    assert (runs.worst > runs.find_s).any()


def test_find_s_agrees_with_chapter_01():
    from mlteach.learning_problems import find_s

    rng = np.random.default_rng(3)
    for _ in range(10):
        X = rng.integers(2, size=(6, 4))
        y = X[:, :2].all(axis=1)
        if not y.any():
            continue
        mine = _find_s_by_hand(X.tolist(), y)
        theirs = find_s([tuple(map(str, r)) for r in X], [bool(v) for v in y]).h.values
        assert [("?" if a is None else str(a)) for a in mine] == list(theirs)


@pytest.mark.parametrize("n", [20, 40, 60])
def test_the_pac_bound_holds_at_its_rate(n):
    runs = consistent_runs(5, 2, n, 1000, n)
    share, exact = (runs.worst > 0.1).mean(), union_bound(5, 2, n, 0.1)
    three_sigma = 3 * math.sqrt(max(share * (1 - share), 1e-3) / 1000)
    assert share <= exact + three_sigma
    assert exact <= 3**5 * 0.9**n <= 3**5 * math.exp(-0.1 * n)
    assert (runs.find_s <= runs.worst + 1e-12)[runs.find_s < 0.25].all()


def test_union_bound_by_a_plain_loop():
    total = 0.0
    space = list(product((0, 1), repeat=3))
    for asks in product((0, 1, None), repeat=3):
        says = [all(a is None or a == v for a, v in zip(asks, x)) for x in space]
        error = np.mean([s != (x[0] == 1) for s, x in zip(says, space)])
        total += (1 - error) ** 7 * (error > 0.25)
    assert union_bound(3, 1, 7, 0.25) == pytest.approx(total)
    assert union_bound(3, 1, 0, 0.0) == 26  # all but the target itself


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ((7, 2, 5, 5), "d must be at most 6 \\(all 3\\*\\*d conjunctions are kept\\)"),
        ((0, 0, 5, 5), "d must be at least 1"),
        ((3, 4, 5, 5), "n_literals must be at most 3"),
        ((3, -1, 5, 5), "n_literals must be at least 0"),
        ((3, 2, 0, 5), "n must be at least 1"),
        ((3, 2, 5, 0), "n_runs must be at least 1"),
    ],
)
def test_consistent_runs_refuse(args, words):
    with pytest.raises(ValueError, match=words):
        consistent_runs(*args)


# --- shattering ----------------------------------------------------------------------------------------------------


def _linear_program(V, t):
    from scipy.optimize import linprog

    free = [(None, None)] * V.shape[1]
    return linprog(np.zeros(V.shape[1]), A_ub=-(t[:, None] * V), b_ub=-np.ones(len(t)), bounds=free).status == 0


def _oracle(X, y, family):
    """Decide a labelling by linear programs, and by comparing coordinates for boxes."""
    from scipy.optimize import linprog

    X, t = np.asarray(X, dtype=float), 2.0 * y - 1
    inside = X[y == 1]
    if family == "rectangles":
        X, inside = X.round(9), inside.round(9)  # rounding parts no points
        if not len(inside):
            return True
        return not any((inside.min(0) <= x).all() and (x <= inside.max(0)).all() for x in X[y == 0])
    if family == "convex":
        sums = np.vstack([inside.T, np.ones(len(inside))])
        return not len(inside) or not any(
            linprog(np.zeros(len(inside)), A_eq=sums, b_eq=np.append(x, 1)).status == 0 for x in X[y == 0]
        )
    V = np.column_stack([np.ones(len(X)), X])
    if family != "lines":
        V = np.column_stack([V, (X**2).sum(axis=1)])
    if family == "circles":
        V, t = np.vstack([V, np.eye(V.shape[1])[-1]]), np.append(t, -1)
    return _linear_program(V, t)


TURN = 2 * np.pi * np.arange(5) / 5
STEPS = np.array([0.0, 0.1, 0.3, 0.7])
SETS = {
    "three": [[0, 0], [1, 0], [0, 1]],
    "square": [[0, 0], [1, 0], [0, 1], [1, 1]],
    "one inside": [[0, 0], [4, 0], [1, 3], [1.5, 1]],
    "general": np.random.default_rng(0).normal(size=(5, 2)),
    "on a line": np.column_stack([STEPS, 1 + 2 * STEPS]),
    "upright line": [[1, 0], [1, 3], [1, 1]],
    "on a circle": np.column_stack([np.cos(TURN), np.sin(TURN)]),
    "on a small circle far away": 3 + 0.01 * np.column_stack([np.cos(TURN + 0.2), np.sin(TURN + 0.2)]),
    "repeated": [[0, 0], [1, 0], [0, 0], [1, 1]],
    "all one point": np.zeros((3, 2)),
    "one": [[2, 5]],
    "three on a line, two off": [[0, 0], [2, 2], [1, 1], [2, 0], [1, 0.5]],
    "grid": [[0, 0], [1, 0], [2, 0], [0, 1], [1, 1]],
    "far from the origin": 1e4 + np.random.default_rng(4).normal(size=(4, 2)),
    "long and thin": np.random.default_rng(5).normal(size=(4, 2)) * [100, 0.1],
}


@pytest.mark.parametrize("family", PLANE)
@pytest.mark.parametrize("name", SETS)
def test_every_labelling_is_decided_as_by_a_linear_program(name, family):
    X = np.array(SETS[name], dtype=float)
    tried = trial(X, family)
    for y, possible in zip(tried.labels, tried.possible):
        assert possible == _oracle(X, y, family), (name, family, y)
    assert shatters(X, family) == tried.possible.all()
    assert dichotomies(X, family) == tried.possible.sum()


@pytest.mark.parametrize("family", PLANE)
@pytest.mark.parametrize("name", SETS)
def test_each_labelling_has_a_shape_or_a_reason_and_never_both(name, family):
    X = np.array(SETS[name], dtype=float)
    for y, possible in zip(*trial(X, family)):
        shape, reason = witness(X, y, family), refusal(X, y, family)
        assert (shape is not None) == possible == (reason is None)
        if possible:
            assert (shape.contains(X) == (y == 1)).all()
        else:
            both = list(reason.positive + reason.negative)
            assert (y[list(reason.positive)] == 1).all()
            assert (y[list(reason.negative)] == 0).all()
            assert not _oracle(X[both], y[both], family)  # these few points alone are enough
            assert len(both) <= (5 if family in ("circles or outside", "rectangles") else 4)


@settings(max_examples=20, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=5), st.sampled_from(PLANE))
def test_small_grids_are_full_of_ties_and_agree(points, family):
    X = np.array(points, dtype=float)
    for y, possible in zip(*trial(X, family)):
        assert possible == _oracle(X, y, family)


def _by_listing(x, family):
    """List all labellings that rays, intervals and pairs of intervals make of points on a line."""
    cuts = np.concatenate([[min(x) - 1], (np.unique(x)[:-1] + np.unique(x)[1:]) / 2, [max(x) + 1]])
    singles = {tuple((a < x) & (x < b)) for a in cuts for b in cuts}
    if family == "rays":
        return {tuple(x > a) for a in cuts}
    return singles if family == "intervals" else {tuple(np.array(s) | t) for s in singles for t in singles}


@settings(max_examples=60)
@given(st.lists(st.integers(-3, 4), min_size=1, max_size=6), st.sampled_from(["rays", "intervals", "two intervals"]))
def test_families_on_the_line_by_listing(points, family):
    x = np.array(points, dtype=float)
    listed = _by_listing(x, family)
    for y, possible in zip(*trial(x, family)):
        assert possible == (tuple(y == 1) in listed)
        shape, reason = witness(x, y, family), refusal(x, y, family)
        assert (shape is not None) == possible == (reason is None)
        if possible:
            assert (shape.contains(x[:, None]) == (y == 1)).all()
        else:
            both = list(reason.positive + reason.negative)
            assert tuple(y[both] == 1) not in _by_listing(x[both], family)
    assert dichotomies(x, family) == dichotomies(x[:, None], family) == len(listed)


def test_half_spaces_in_three_dimensions_shatter_four_points():
    X = np.vstack([np.zeros(3), np.eye(3)])
    assert shatters(X, "lines")
    assert dichotomies(X, "lines") == 16
    assert not shatters(np.vstack([X, [0.2, 0.3, 0.1]]), "lines")
    assert dichotomies(np.random.default_rng(1).normal(size=(5, 3)), "lines") == 2 * (1 + 4 + 6 + 4)
    assert dichotomies([0.0, 1.0, 3.0], "lines") == 6
    assert dichotomies(np.vstack([np.eye(3), -np.eye(3)]), "rectangles") == 64


@pytest.mark.filterwarnings("ignore:Solver terminated early")
def test_a_hard_margin_machine_of_scikit_learn_fits_what_is_counted():
    from sklearn.svm import SVC

    for X in (np.array(SETS["square"]), SETS["general"], np.array(SETS["one inside"])):
        for y, possible in zip(*trial(X, "lines")):
            if 0 < y.sum() < len(y):
                machine = SVC(kernel="linear", C=1e10, max_iter=10_000)  # an impossible one would never end
                assert (machine.fit(X, y).score(X, y) == 1) == possible


def test_the_best_of_a_family_is_near_the_best():
    """With 2|H| in the place of |H|, the least training error is at most two gaps worse than the least true error."""
    rng, p = np.random.default_rng(6), np.linspace(0.2, 0.6, 50)
    seen = rng.binomial(400, p, (2000, 50)).argmin(axis=1)
    assert (p[seen] - 0.2 <= 2 * agnostic_gap(100, 400, 0.05)).mean() >= 0.95


def test_worked_examples():
    assert dichotomies([[0, 0], [1, 0], [0, 1]], "lines") == 8
    assert dichotomies([[0, 0], [1, 0], [0, 1], [1, 1]], "lines") == 14
    assert shatters([1, 4], "intervals")
    assert not shatters([1, 4, 5], "intervals")
    assert shatters([[0, 1], [1, 0], [0, -1], [-1, 0]], "rectangles")
    hexagon = np.column_stack([np.cos(np.arange(6)), np.sin(np.arange(6))])
    assert shatters(hexagon, "convex")
    assert not shatters(hexagon, "circles or outside")
    assert dichotomies([0.1 + 0.2, 0.3, 1.0], "intervals") == 4  # rounding makes no second place


@pytest.mark.parametrize(
    ("points", "labels", "family", "reason"),
    [
        ([[0, 0], [1, 1], [1, 0], [0, 1]], [1, 1, 0, 0], "lines", Refusal((0, 1), (2, 3), "crossing")),
        ([[0, 0], [4, 0], [1, 3], [1.5, 1]], [0, 0, 0, 1], "lines", Refusal((3,), (0, 1, 2), "inside")),
        ([[0, 0], [4, 0], [1, 3], [1.5, 1]], [1, 1, 1, 0], "circles", Refusal((0, 1, 2), (3,), "inside")),
        ([[0, 0], [1, 1], [3, 3]], [1, 0, 1], "lines", Refusal((0, 2), (1,), "between")),
        ([[0, 0], [1, 1], [3, 3]], [1, 0, 1], "convex", Refusal((0, 2), (1,), "between")),
        ([[0, 0], [2, 0], [0, 0]], [1, 1, 0], "rectangles", Refusal((0,), (2,), "box")),
        ([[0, 0], [2, 0], [0, 0]], [1, 1, 0], "lines", Refusal((0,), (2,), "same place")),
        ([[-3, 0], [3, 0], [0, 1], [0, -1]], [1, 1, 0, 0], "circles", Refusal((0, 1), (2, 3), "chords")),
        ([[1, 0], [0, 1], [-1, 0], [0, -1]], [1, 0, 1, 0], "circles or outside", Refusal((0, 2), (1, 3), "one circle")),
        ([[0, 1], [2, 0], [1, 3], [4, 4]], [1, 1, 0, 1], "rectangles", Refusal((0, 3), (2,), "box")),
        ([3, 1, 2], [1, 1, 0], "intervals", Refusal((1, 0), (2,), "between")),
        ([3, 1, 2], [0, 1, 1], "rays", Refusal((1,), (0,), "right")),
        ([5, 1, 2, 3, 4], [1, 1, 0, 1, 0], "two intervals", Refusal((1, 3, 0), (2, 4), "runs")),
        ([2, 2], [0, 1], "rays", Refusal((1,), (0,), "same place")),
    ],
)
def test_reasons(points, labels, family, reason):
    assert refusal(points, labels, family) == reason


def test_a_long_pair_outside_a_short_one_is_no_obstacle_for_a_disc():
    assert refusal([[-3, 0], [3, 0], [0, 1], [0, -1]], [0, 0, 1, 1], "circles") is None
    pierced = refusal(np.random.default_rng(0).normal(size=(5, 2)), [0, 0, 1, 1, 1], "circles or outside")
    every = [refusal(SETS["general"], y, "circles or outside") for y in all_labels(5)]
    kinds = {r.kind for r in every if r}
    assert kinds == {"pierced"}
    assert sum(r is not None for r in every) == 2
    assert pierced is None or pierced.kind == "pierced"


def test_circuits_are_minimal_dependences():
    V = np.column_stack([np.ones(5), [0, 1, 3, 3, 2.0], [0, 0, 0, 0, 5.0]])
    found = {tuple(c) for c in circuits(V).tolist()}
    assert found == {(1, -1, 1, 0, 0), (1, -1, 0, 1, 0), (0, 0, 1, -1, 0)}
    assert circuits(np.array([[1.0, 0], [0, 1]])).shape == (0, 2)
    rng = np.random.default_rng(2)
    V = rng.normal(size=(6, 3))
    assert len(circuits(V)) == math.comb(6, 4)


def test_labels_count_in_binary():
    assert all_labels(3)[5].tolist() == [1, 0, 1]
    assert all_labels(3)[1].tolist() == [1, 0, 0]
    assert len(all_labels(4)) == 16


def test_inputs_are_left_alone():
    X = np.array([[0.0, 0], [0.1 + 0.2, 1], [0.3, 2]])
    before = X.copy()
    for family in PLANE:
        trial(X, family)
    assert (X == before).all()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: shatters([[0, 0]], "triangles"), "family must be one of 'rays', 'intervals'.*got 'triangles'"),
        (lambda: shatters([[0, 0]], "intervals"), "intervals take points on a line.*got \\(1, 2\\)"),
        (lambda: dichotomies(np.zeros((2, 2, 2)), "lines"), "points must have shape"),
        (lambda: dichotomies(np.zeros((13, 2)), "lines"), "at most 12 points.*got 13"),
        (lambda: dichotomies([], "lines"), "points"),
        (lambda: dichotomies([[0, np.nan]], "lines"), "points must be finite"),
        (lambda: refusal([[0, 0]], [2], "lines"), "labels must hold 0 and 1 only; got 2"),
        (lambda: refusal([[0, 0]], [1, 0], "lines"), "labels"),
        (lambda: witness([[0, 0]], [-1], "circles"), "labels must hold 0 and 1 only; got -1"),
    ],
)
def test_shattering_refuses(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def test_twelve_points_are_allowed():
    assert dichotomies(np.arange(12.0), "intervals") == 1 + 12 * 13 // 2


# --- growth --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("family", "counts"),
    [
        ("rays", [2, 3, 4, 5, 6, 7]),
        ("intervals", [2, 4, 7, 11, 16, 22]),
        ("two intervals", [2, 4, 8, 16, 31, 57]),
        ("lines", [2, 4, 8, 14, 22, 32]),
        ("circles", [2, 4, 8, 15, 26, 42]),
        ("circles or outside", [2, 4, 8, 16, 30, 52]),
        ("rectangles", [2, 4, 8, 16, 28, 49]),
        ("convex", [2, 4, 8, 16, 32, 64]),
    ],
)
def test_growth_functions(family, counts):
    assert [growth_function(n, family) for n in range(1, 7)] == counts
    vc = VC_DIMENSION[family]
    for n, m in enumerate(counts, 1):
        assert (m == 2**n) == (n <= vc)  # the VC dimension is where they leave 2^n
        assert m <= sauer(n, min(vc, n))


@pytest.mark.parametrize("family", FAMILIES)
def test_growth_is_the_most_that_counting_finds(family):
    rng, flat = np.random.default_rng(7), family in ("rays", "intervals", "two intervals")
    for n in (3, 4, 5, 6):
        angle = 2 * np.pi * (np.arange(n) + 0.1 * rng.random(n)) / n
        sets = [np.column_stack([np.cos(angle), np.sin(angle)])] + [rng.normal(size=(n, 2)) for _ in range(25)]
        counts = [dichotomies(X[:, 0] if flat else X, family) for X in sets]
        assert max(counts) <= growth_function(n, family)
        if family == "rectangles" and n == 6:
            continue  # the best order is rare
        assert max(counts) == growth_function(n, family)
        if family not in ("rectangles", "convex"):
            assert min(counts[1:]) == max(counts)  # in general position the count does not depend on the places


def test_best_order_of_six_for_rectangles_is_reached():
    best = max(dichotomies(np.column_stack([range(6), p]), "rectangles") for p in _orders(6, 150))
    assert best == 49


def _orders(n, k):
    rng = np.random.default_rng(11)
    return [rng.permutation(n) for _ in range(k)]


def test_sauer():
    assert [sauer(n, 2) for n in range(5)] == [1, 2, 4, 7, 11]
    assert sauer(5, 9) == 32
    assert sauer(6, 0) == 1
    for n, d in combinations(range(1, 9), 2):
        assert sauer(d, n) == sauer(d - 1, n) + sauer(d - 1, n - 1)
        assert sauer(d, n) <= (math.e * d / n) ** n


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: growth_function(0, "lines"), "n must be at least 1"),
        (lambda: growth_function(8, "rectangles"), "n must be at most 7 \\(all orders of n points are tried\\)"),
        (lambda: growth_function(3, "rings"), "family must be one of"),
        (lambda: sauer(-1, 2), "n must be at least 0"),
        (lambda: sauer(2, -1), "vc must be at least 0"),
    ],
)
def test_growth_refuses(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def test_erratum_s3_e3_36():
    """The VC dimension is the size of the largest shattered set, a number: 3 for half-planes, never a set."""
    sizes = [n for n in range(1, 6) if growth_function(n, "lines") == 2**n]
    assert max(sizes) == VC_DIMENSION["lines"] == 3
    assert isinstance(VC_DIMENSION["lines"], int)
    assert not shatters([[0, 0], [1, 1], [2, 2]], "lines")  # not every set of three: one is enough


# --- VC bounds -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("vc", "n", "gap"), [(3, 1000, 0.163978), (3, 10000, 0.058135), (10, 1000, 0.259548), (1, 1000, 0.113943)]
)
def test_vc_gap(vc, n, gap):
    assert vc_gap(vc, n, 0.05) == pytest.approx(gap, abs=5e-7)


@pytest.mark.parametrize(("vc", "epsilon", "delta"), [(3, 0.1, 0.1), (1, 0.05, 0.01), (10, 0.3, 0.2), (1, 1.0, 1.0)])
def test_vc_sample_size_is_the_smallest(vc, epsilon, delta):
    def enough(N):
        return N >= 8 / epsilon**2 * math.log(4 * ((2 * N) ** vc + 1) / delta)

    N = vc_sample_size(vc, epsilon, delta)
    assert enough(N)
    assert not any(enough(k) for k in range(max(1, N - 500), N))


def test_vc_of_a_finite_family():
    assert math.floor(math.log2(1000)) == 9  # |H| = 1000 shatters at most 9 points
    assert vc_sample_size(2000, 0.1, 0.1) > 10**6  # and large powers do not overflow


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: vc_gap(0, 10, 0.1), "vc must be at least 1"),
        (lambda: vc_gap(3, 0, 0.1), "n must be at least 1"),
        (lambda: vc_gap(3, 1, 0.1), "at least vc/2 examples; got n=1 and vc=3"),
        (lambda: vc_gap(3, 10, 0), "delta must be greater than 0"),
        (lambda: vc_sample_size(0, 0.1, 0.1), "vc must be at least 1"),
        (lambda: vc_sample_size(1, 0, 0.1), "epsilon must be greater than 0 and at most 1"),
        (lambda: vc_sample_size(1, 0.1, 1.1), "delta must be greater than 0 and at most 1"),
        (lambda: kolmogorov_cdf("x", 3), "gap"),
        (lambda: kolmogorov_cdf(0.1, 0), "n must be at least 1"),
        (lambda: ray_gap(0, 0.1), "n must be at least 1"),
        (lambda: ray_gap(5, 0.0), "delta must be greater than 0 and less than 1"),
        (lambda: ray_gap(5, 1.0), "less than 1"),
        (lambda: dkw_gap(0, 0.1), "n must be at least 1"),
        (lambda: dkw_gap(5, 0), "delta must be greater than 0"),
        (lambda: ray_gaps(0, 3), "n must be at least 1"),
        (lambda: ray_gaps(3, 0), "n_runs must be at least 1"),
    ],
)
def test_bounds_refuse(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def test_vc_gap_at_its_edge():
    assert vc_gap(2, 1, 1.0) == pytest.approx(math.sqrt(2 + math.log(4)))


# --- rays ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("n", "delta"), [(1, 0.05), (2, 0.1), (5, 0.3), (10, 0.05), (37, 0.5), (100, 0.01), (1000, 0.05)]
)
def test_exact_gaps_of_rays_against_scipy(n, delta):
    from scipy.stats import kstwo

    assert ray_gap(n, delta) == pytest.approx(kstwo.isf(delta, n), abs=1e-8)
    for gap in (0.3 / n, 0.7 / n, 1.2 / n, 0.5 / math.sqrt(n), 1.4 / math.sqrt(n)):
        assert kolmogorov_cdf(gap, n) == pytest.approx(kstwo.cdf(gap, n), abs=1e-7)


def test_ends_of_the_law():
    assert kolmogorov_cdf(0.05, 10) == 0
    assert kolmogorov_cdf(1.0, 10) == 1
    assert kolmogorov_cdf(0.9999, 2) < 1
    assert kolmogorov_cdf(0.6, 1) == pytest.approx(0.2)


def test_rays_by_a_plain_loop_over_thresholds():
    rng = np.random.default_rng(8)
    sums = rng.exponential(size=(3, 8)).cumsum(axis=1)
    for x, gap in zip(sums[:, :-1] / sums[:, -1:], ray_gaps(7, 3, 8)):
        places = np.concatenate([x, x - 1e-12, x + 1e-12, [0, 1]])
        loop = max(abs((x >= t).mean() - (1 - t)) for t in np.clip(places, 0, 1))
        assert gap == pytest.approx(loop, abs=1e-9)


@pytest.mark.parametrize("n", [20, 200])
def test_gaps_hold_at_their_rates(n):
    gaps = ray_gaps(n, 4000, n)
    assert (gaps > ray_gap(n, 0.1)).mean() == pytest.approx(0.1, abs=0.015)
    assert (gaps > dkw_gap(n, 0.1)).mean() <= 0.1 + 0.015
    assert (gaps > vc_gap(1, n, 0.1)).mean() <= 0.001
    assert ray_gap(n, 0.1) <= dkw_gap(n, 0.1) < vc_gap(1, n, 0.1)


def test_how_loose_the_vc_bound_is_for_rays():
    assert ray_gap(1000, 0.05) == pytest.approx(0.0428, abs=5e-5)
    assert dkw_gap(1000, 0.05) == pytest.approx(0.0429, abs=5e-5)
    assert vc_gap(1, 1000, 0.05) / ray_gap(1000, 0.05) == pytest.approx(2.66, abs=0.005)


# --- one parameter, mistakes, noise --------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 3, 6])
def test_one_sine_makes_every_labelling(n):
    x = sine_points(n)
    assert x[0] == 0.5
    assert x[-1] == 0.5**n
    for y in product((0, 1), repeat=n):
        assert ((np.sin(sine_frequency(y) * x) > 0) == np.array(y, dtype=bool)).all()


def test_forty_labels_still_work_and_more_are_refused():
    y = np.random.default_rng(1).integers(2, size=40)
    assert ((np.sin(sine_frequency(y) * sine_points(40)) > 0) == y).all()
    assert sine_frequency([0]) == pytest.approx(3 * np.pi)
    assert sine_frequency([1, 0]) == pytest.approx(5 * np.pi)
    for wrong, words in [([0] * 41, "at most 40 labels.*got 41"), ([0.5], "0 and 1 only; got 0.5"), ([[0]], "labels")]:
        with pytest.raises(ValueError, match=words):
            sine_frequency(wrong)


def test_halving_by_hand():
    H = [[0, 0, 1], [0, 1, 1], [1, 1, 0], [1, 0, 0], [1, 1, 1]]
    run = halving(H, [0, 1, 1])
    assert run.predicted.tolist() == [1, 1, 1]
    assert run.mistakes == 1
    assert run.survivors.tolist() == [5, 2, 1, 1]


@settings(max_examples=60)
@given(st.integers(1, 40), st.integers(1, 12), st.integers(0, 10**6))
def test_halving_makes_at_most_log2_mistakes(n_hypotheses, rounds, seed):
    rng = np.random.default_rng(seed)
    H = rng.integers(2, size=(n_hypotheses, rounds))
    run = halving(H, H[rng.integers(n_hypotheses)])
    assert run.mistakes <= math.log2(n_hypotheses) + 1e-9
    wrong = np.flatnonzero(run.predicted != H[0]) if n_hypotheses == 1 else []
    assert len(wrong) == 0
    assert (np.diff(run.survivors) <= 0).all()
    assert run.survivors[0] == n_hypotheses


def test_an_adversary_forces_log2_mistakes():
    H = np.array(list(product((0, 1), repeat=4)))
    y = []
    for _ in range(4):  # always the opposite of what the majority says; the tie counts as 1
        y.append(0)
    assert halving(H, y).mistakes == 4 == math.log2(16)


@pytest.mark.parametrize(
    ("H", "y", "words"),
    [
        ([[0, 1]], [0, 1, 1], "one column per label; got 2 columns and 3 labels"),
        ([[0, 2]], [0, 1], "predictions must hold 0 and 1 only; got 2"),
        ([[0, 1]], [0, 3], "labels must hold 0 and 1 only; got 3"),
        ([0, 1], [0, 1], "predictions must have 2 dimensions"),
        ([[0, 1], [0, 1]], [0, 0], "after round 1 no hypothesis is left"),
    ],
)
def test_halving_refuses(H, y, words):
    with pytest.raises(ValueError, match=words):
        halving(H, y)


class _Constant:
    def fit(self, X, y):
        self.answer = int(2 * np.sum(y) > len(y))
        return self

    def predict(self, X):
        return np.full(len(X), self.answer)


def test_fit_noise():
    from mlteach.nearest_neighbors import KNNClassifier

    X = np.arange(12.0)[:, None]
    assert fit_noise(lambda: KNNClassifier(1), X, 5).mean == 1.0
    fit = fit_noise(_Constant, X, 400, 3)
    exact = sum(math.comb(12, k) * max(k, 12 - k) for k in range(1, 12)) / 12 / (2**12 - 2)
    assert fit.mean == pytest.approx(exact, abs=0.012)
    assert fit.rademacher == pytest.approx(2 * fit.mean - 1)
    assert fit.accuracy.shape == (400,)
    assert fit_noise(_Constant, X[:2], 3).accuracy.tolist() == [0.5] * 3
    for args, words in [((X[:1], 3), "at least 2 rows"), ((X, 0), "n_draws must be at least 1"), (([1, 2], 3), "X")]:
        with pytest.raises(ValueError, match=words):
            fit_noise(_Constant, *args)


def test_hopeless_numbers_get_words():
    with pytest.raises(ValueError, match="epsilon is too small"):
        pac_sample_size(10, 1e-320, 0.05)
    with pytest.raises(ValueError, match="epsilon is too small"):
        agnostic_sample_size(10, 1e-200, 0.05)
    with pytest.raises(ValueError, match="epsilon is too small"):
        vc_sample_size(3, 1e-170, 0.05)
    with pytest.raises((TypeError, ValueError), match="n must be"):
        ray_gap([10], 0.05)
    with pytest.raises(ValueError, match="must list the points"):
        no_free_lunch(nearest, 4, 2, train=3)
    with pytest.raises(ValueError, match="return a function of x"):
        no_free_lunch(lambda xs, ys: None, 4, 2)
    with pytest.raises(ValueError, match="n must be"):
        sine_points(-1)


def test_far_out_kolmogorov_needs_no_matrix():
    assert kolmogorov_cdf(0.9, 100_000) == 1.0
    assert sauer(10, 10**7) == 1024


@pytest.mark.parametrize("family", ["rectangles", "lines", "circles", "convex"])
def test_shapes_keep_off_every_point(family):
    X = np.random.default_rng(4).normal(size=(5, 2))
    for labels in all_labels(5):
        shape = witness(X, labels, family)
        if shape is not None:
            score = shape.score(X)
            assert (score[labels == 1] > 1e-9).all()
            assert (score[labels == 0] < -1e-9).all()


def test_the_game_says_infinite_in_words():
    game = explore.shattering_game()
    for points in [p for p, _ in game.controls["points"].options]:
        game.move(family="convex", points=points, turn=32)
        assert "is inf." not in game.readout.value


@pytest.mark.parametrize("family", FAMILIES)
def test_neither_the_unit_nor_the_place_matters(family):
    X = np.array([(-1.4, 0.1), (0.2, 1.2), (1.5, -0.1), (0.1, -1.1), (0.3, 0.2)])
    X = X[:, 0] if family in ("rays", "intervals", "two intervals") else X
    possible = trial(X, family).possible
    for moved in (1e-11 * X, 1e11 * X, X + 1e6, X - 3e5):
        assert (trial(moved, family).possible == possible).all()


@pytest.mark.parametrize("vc", [1, 2, 3, 10])
@pytest.mark.parametrize("epsilon", [0.05, 0.08, 0.1, 0.15, 0.2, 0.3, 0.5, 0.8])
def test_the_vc_sample_size_is_enough_and_one_less_is_not(vc, epsilon):
    def enough(N):
        return N >= 8 / epsilon**2 * math.log(4 * ((2 * N) ** vc + 1) / 0.1)

    N = vc_sample_size(vc, epsilon, 0.1)
    assert enough(N)
    assert not enough(N - 1)

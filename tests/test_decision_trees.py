"""Chapter 12: numbers of the sources and textbooks, scikit-learn and brute force as oracles, and bad input."""

import copy
import itertools
import math
import re
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure
from sklearn import tree as sk

from mlteach.course import ROOT
from mlteach.datasets import moons, play_tennis, restaurant
from mlteach.decision_trees import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ID3Tree,
    _fast,
    best_split,
    branch_counts,
    class_loss,
    cost_gain,
    entropy,
    gain_ratio,
    gini,
    grow,
    impurity_decrease,
    information_gain,
    misclassification,
    reduced_error_prune,
    rule_post_prune,
    split_information,
    variance,
)
from mlteach.decision_trees.grow import Leaf
from mlteach.decision_trees.rules import Condition, Rule, simplified
from mlteach.explore.decision_trees import draw_tree, tree_boxes, tree_places
from mlteach.probability import entropy as entropy_of_shares
from mlteach.probability import mutual_information
from mlteach.validation import NotFittedError

TENNIS, RESTAURANT = play_tennis(), restaurant()
LOSSES = ("entropy", "gini", "misclassification")


def tennis_tree(*args, **kwargs):
    return ID3Tree(*args, **kwargs).fit(TENNIS.X, TENNIS.y, feature_names=TENNIS.feature_names)


def children(tree, number=0):
    """Return the children of a node by the value or the sign on their branch."""
    found = tree.nodes_[number].children.items()
    return {c.value if c.sign == "=" else c.sign: tree.nodes_[child] for c, child in found}


def gains(data):
    return {name: information_gain(data.X[:, j], data.y) for j, name in enumerate(data.feature_names)}


# --- impurity and gains ---------------------------------------------------------------------------------------


def test_play_tennis_gains():
    assert entropy([9, 5]) == pytest.approx(0.940286, abs=5e-7)
    expected = {"Outlook": 0.246750, "Temperature": 0.029223, "Humidity": 0.151836, "Wind": 0.048127}
    assert gains(TENNIS) == pytest.approx(expected, abs=5e-7)


def test_restaurant_gains():
    found = gains(RESTAURANT)
    expected = {"Patrons": 0.540852, "Type": 0, "WaitEstimate": 0.207519, "Hungry": 0.195710, "Price": 0.195710}
    assert {name: found[name] for name in expected} == pytest.approx(expected, abs=5e-7)


def test_misclassification_is_flat_where_the_others_fall():
    split = [[150, 100], [250, 0]]
    assert [misclassification([400, 100]), gini([400, 100])] == pytest.approx([0.2, 0.32])
    assert impurity_decrease(split, "misclassification") == 0
    assert impurity_decrease(split, "entropy") == pytest.approx(0.23645, abs=5e-6)
    assert impurity_decrease(split, "gini") == pytest.approx(0.08)


def test_many_valued_attributes_and_costs():
    wind, days = TENNIS.X[:, 3], np.arange(14)
    assert split_information(wind) == pytest.approx(0.98523, abs=5e-6)
    assert gain_ratio(wind, TENNIS.y) == pytest.approx(0.04885, abs=5e-6)
    assert information_gain(days, TENNIS.y) == pytest.approx(0.94029, abs=5e-6)
    assert split_information(days) == pytest.approx(3.80735, abs=5e-6)
    assert gain_ratio(days, TENNIS.y) == pytest.approx(0.24697, abs=1e-5)
    assert [cost_gain(0.3, 150), cost_gain(0.3, 23)] == pytest.approx([0.0006, 0.00391], abs=5e-6)
    assert [cost_gain(0.3, 1, 1), cost_gain(0.3, 100, 1)] == pytest.approx([0.1156, 0.0023], abs=5e-5)


@given(st.lists(st.lists(st.integers(0, 30), min_size=3, max_size=3), min_size=1, max_size=5))
def test_no_split_raises_an_impurity(table):
    table = np.array(table)
    if table.sum() == 0:
        return
    kept = table[table.sum(axis=1) > 0]
    shares = kept / kept.sum(axis=1, keepdims=True)
    for loss in LOSSES:
        assert impurity_decrease(table, loss) >= 0
    for loss in ("entropy", "gini"):  # strictly concave: zero only if all branches have the same shares
        assert (impurity_decrease(table, loss) < 1e-12) == np.allclose(shares, shares[0], atol=1e-9)
    assert impurity_decrease(table) == pytest.approx(mutual_information(kept / kept.sum()), abs=1e-12)


def test_impurities_of_a_table_row_by_row():
    table = [[4, 0], [3, 3], [1, 7]]
    for loss in (entropy, gini, misclassification):
        assert loss(table) == pytest.approx([loss(row) for row in table])
    assert entropy([0.25, 0.75]) == pytest.approx(entropy_of_shares([0.25, 0.75]))
    assert entropy([1, 1, 1], base=3) == pytest.approx(1)
    assert gini([2, 1, 1]) == pytest.approx(1 - 0.25 - 2 / 16)


def test_branch_counts_are_sorted_and_complete():
    assert branch_counts(TENNIS.X[:, 0], TENNIS.y).tolist() == [[0, 4], [2, 3], [3, 2]]
    assert branch_counts([2, 10, 2], ["b", "a", "a"]).tolist() == [[1, 1], [1, 0]]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: entropy([3, -1]), "counts must not be negative; its smallest entry is -1"),
        (lambda: entropy([0, 0]), "counts must hold at least one label"),
        (lambda: gini(3), r"such as \[9, 5\]; got 3"),
        (lambda: gini([]), "is empty"),
        (lambda: entropy([1, 1], base=1), "base must be greater than 1; got 1"),
        (lambda: impurity_decrease([1, 2]), "children must have 2 dimensions"),
        (lambda: impurity_decrease([[1, -2]]), "children must not be negative"),
        (lambda: impurity_decrease([[1, 2]], "variance"), "criterion must be one of 'entropy', 'gini'"),
        (lambda: information_gain([1, 2], [1, 0, 1]), "one entry per row of x: 2 rows, but y has 3"),
        (lambda: information_gain([[1], [2]], [1, 0]), r"x must have shape \(n,\).*got shape \(2, 1\)"),
        (lambda: information_gain([1, None], [1, 0]), r"x\[1, 0\] is None"),
        (lambda: split_information(None), "x is missing"),
        (lambda: cost_gain(-0.1, 1), "gain must be at least 0"),
        (lambda: cost_gain(0.1, 0), "cost must be greater than 0"),
        (lambda: cost_gain(0.1, 1, 2), "w must be at least 0 and at most 1; got 2"),
    ],
)
def test_bad_input_of_impurities_is_explained(call, words):
    with pytest.raises(ValueError, match=words):
        call()


# --- ID3 ------------------------------------------------------------------------------------------------------


def test_the_play_tennis_tree():
    model = tennis_tree()
    assert model.score(TENNIS.X, TENNIS.y) == 1
    assert [str(rule) for rule in model.rules() if rule.label == "Yes"] == [
        "IF Outlook = Overcast THEN Yes",
        "IF Outlook = Rain AND Wind = Weak THEN Yes",
        "IF Outlook = Sunny AND Humidity = Normal THEN Yes",
    ]
    assert model.text().splitlines()[:3] == [
        "Outlook = Overcast: Yes (4)",
        "Outlook = Rain",
        "    Wind = Strong: No (2)",
    ]
    assert (model.n_nodes_, model.n_leaves_, model.depth_) == (8, 5, 2)


def test_every_gain_is_kept():
    model, branches = tennis_tree(), {}
    for value, node in children(model).items():
        branches[value] = {TENNIS.feature_names[j]: gain for j, gain in node.scores.items()}
    assert branches["Overcast"] == {}
    assert branches["Sunny"] == pytest.approx(
        {"Temperature": 0.570951, "Humidity": 0.970951, "Wind": 0.019973}, abs=1e-6
    )
    assert branches["Rain"] == pytest.approx(
        {"Temperature": 0.019973, "Humidity": 0.019973, "Wind": 0.970951}, abs=1e-6
    )


def test_the_restaurant_tree_breaks_ties_by_column():
    model = ID3Tree().fit(RESTAURANT.X, RESTAURANT.y, feature_names=RESTAURANT.feature_names)
    full = children(model)["Full"]
    best = [RESTAURANT.feature_names[j] for j, gain in full.scores.items() if gain > 0.2516]
    assert best == ["Hungry", "Price", "Reservation", "Type", "WaitEstimate"]
    assert [full.scores[RESTAURANT.feature_names.index(name)] for name in best] == pytest.approx(
        [0.251629] * 5, abs=1e-6
    )
    assert full.feature == RESTAURANT.feature_names.index("Hungry")
    assert "        Type = French: No (0)" in model.text().splitlines()  # empty, 2 : 2 above it: the first class
    assert model.score(RESTAURANT.X, RESTAURANT.y) == 1


def id3_by_hand(rows, y, attributes, values):
    """The recursion as a lecturer writes it: nested dicts, most common class in the leaves."""
    common = max(sorted(set(y)), key=y.count)
    gains = {a: round(information_gain([r[a] for r in rows], y), 12) for a in attributes}
    gains = {a: g for a, g in gains.items() if len({r[a] for r in rows}) > 1}
    if len(set(y)) == 1 or not gains:
        return common
    best = max(gains, key=gains.get)
    tree = {"attribute": best, "common": common}
    for v in values[best]:
        kept = [i for i, r in enumerate(rows) if r[best] == v]
        left = [a for a in attributes if a != best]
        tree[v] = id3_by_hand([rows[i] for i in kept], [y[i] for i in kept], left, values) if kept else common
    return tree


def walk(tree, row):
    while isinstance(tree, dict):
        tree = tree.get(row[tree["attribute"]], tree["common"])
    return tree


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(*[st.integers(0, 2)] * 4), min_size=4, max_size=30))
def test_id3_agrees_with_the_recursion(data):
    rows, y = [row[:3] for row in data], [int(row[3] > 0) for row in data]
    if len(set(y)) < 2:
        return
    values = [sorted({r[a] for r in rows}) for a in range(3)]
    by_hand = id3_by_hand(rows, y, [0, 1, 2], values)
    new = list(itertools.product(range(4), repeat=3))  # 3 was never seen
    assert ID3Tree().fit(rows, y).predict(new).tolist() == [walk(by_hand, row) for row in new]


def test_a_value_never_seen_is_answered_by_its_node():
    model = tennis_tree()
    P = model.predict_proba([["Snow", "Hot", "High", "Weak"], ["Rain", "Hot", "High", "Gale"]])
    assert pytest.approx(np.array([[5 / 14, 9 / 14], [2 / 5, 3 / 5]])) == P


def test_gain_ratio_and_cost_change_the_tree():
    X = np.column_stack([TENNIS.X, np.array([f"D{i}" for i in range(14)], dtype=object)])
    names = [*TENNIS.feature_names, "Day"]
    roots = {}
    for criterion in ("gain", "gain_ratio", "gini"):
        model = ID3Tree(criterion).fit(X, TENNIS.y, feature_names=names)
        roots[criterion] = names[model.nodes_[0].feature]
    assert roots["gain"] == "Day"
    assert ID3Tree("gain_ratio").fit(X, TENNIS.y).nodes_[0].scores[4] == pytest.approx(0.24697, abs=1e-5)
    for weight in (None, 1):
        dear = tennis_tree("cost", costs=[20, 1, 1, 1], cost_weight=weight)
        assert TENNIS.feature_names[dear.nodes_[0].feature] == "Humidity"
        assert dear.nodes_[0].scores[2] == pytest.approx(cost_gain(0.1518355, 1, weight))
    same = tennis_tree("cost", costs=[1, 1, 1, 1])
    assert same.text() == tennis_tree().text()


def test_gini_scores_are_gini_decreases():
    scores = ID3Tree("gini").fit(RESTAURANT.X, RESTAURANT.y).nodes_[0].scores
    expected = {
        "Patrons": 0.277778,
        "Hungry": 0.128571,
        "WaitEstimate": 0.111111,
        "Price": 0.103175,
        "Fri/Sat": 0.014286,
    }
    found = {name: scores[RESTAURANT.feature_names.index(name)] for name in expected}
    assert found == pytest.approx(expected, abs=1e-6)


# --- missing values -------------------------------------------------------------------------------------------

GAPS = [["a"], ["a"], ["a"], ["b"], ["b"], [None]], ["+", "+", "+", "-", "-", "-"]


def test_three_ways_with_a_missing_value():
    trees = {way: ID3Tree("gain", way).fit(*GAPS) for way in ("common", "class", "fractional")}
    counts = {way: {v: node.counts.tolist() for v, node in children(tree).items()} for way, tree in trees.items()}
    assert counts["common"] == {"a": [3, 1], "b": [0, 2]}  # a is the most common value
    assert counts["class"] == {"a": [3, 0], "b": [0, 3]}  # b is, among the samples of class -
    assert counts["fractional"]["a"] == pytest.approx([3, 0.6])  # three of the five known values are a
    assert counts["fractional"]["b"] == pytest.approx([0, 2.4])
    assert trees["common"].predict([[None]]) == ["+"]
    assert trees["class"].predict([[np.nan]]) == ["+"]  # the class of a new sample is not known
    share = 0.6 * 3 / 3.6
    assert pytest.approx(np.array([[share, 1 - share]])) == trees["fractional"].predict_proba([[None]])


def test_without_gaps_all_ways_agree():
    for way in ("common", "class", "fractional"):
        assert tennis_tree("gain", way).text() == tennis_tree().text()


def test_equally_common_classes_are_told_by_their_order_and_not_by_the_last_bit():
    """Shares of a third come by different ways, and the sum for the second class may be the larger by rounding."""
    rng, odd = np.random.default_rng(0), 0
    for _ in range(60):
        X, y = rng.integers(0, 3, (20, 2)).astype(object), rng.integers(0, 3, 20)
        X[rng.random((20, 2)) < 0.3] = None
        model = ID3Tree("gain", "fractional").fit(X, y)
        P = model.predict_proba(X)
        first = np.argmax(np.isclose(P, P.max(axis=1, keepdims=True), rtol=0, atol=1e-12), axis=1)
        odd += (first != P.argmax(axis=1)).sum()
        assert (model.predict(X) == model.classes_[first]).all()
    assert odd


def test_a_node_holds_its_own_samples_only():
    """With weights for all samples at every node the memory, and the time, grow with the square of their number."""
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 4, (3000, 6)), rng.integers(0, 2, 3000)
    tracemalloc.start()
    assert len(ID3Tree().fit(X, y).nodes_) > 3000
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2e7  # 8 MB, and 83 with weights for all


def test_shares_of_a_row_sum_to_one():
    rng = np.random.default_rng(3)
    X = np.where(rng.random((14, 4)) < 0.25, None, TENNIS.X)
    model = ID3Tree("gain", "fractional").fit(X, TENNIS.y)
    assert model.predict_proba(X).sum(axis=1) == pytest.approx(np.ones(14))
    leaves = [k for k, node in enumerate(model.nodes_.values()) if not node.children]
    assert model.paths(X)[:, leaves].sum(axis=1) == pytest.approx(np.ones(14))
    assert sum(node.n for node in model.nodes_.values() if not node.children) == pytest.approx(14)


@pytest.mark.parametrize(
    ("model", "X", "words"),
    [
        (ID3Tree(), GAPS[0], r"X\[5, 0\] is None"),
        (ID3Tree("gain", "mean"), GAPS[0], "missing must be one of None, 'common'"),
        (ID3Tree("gain", "common"), [[None]] * 6, "no known value in column 0"),
        (ID3Tree("gain", "common"), None, "X is missing"),
        (ID3Tree("entropy"), [["a"]] * 6, "criterion must be one of 'gain', 'gain_ratio', 'gini', 'cost'"),
        (ID3Tree("cost"), [["a"]] * 6, "needs costs, one for each attribute; got None"),
        (ID3Tree("cost", costs=[1, 2]), [["a"]] * 6, "costs must have one entry for each of the 1 attributes; got 2"),
        (ID3Tree("cost", costs=[0]), [["a"], ["b"]] * 3, "cost must be greater than 0"),
    ],
)
def test_bad_input_of_id3_is_explained(model, X, words):
    with pytest.raises(ValueError, match=words):
        model.fit(X, GAPS[1])


def test_bad_names_and_new_rows_are_explained():
    with pytest.raises(ValueError, match="feature_names must hold 4 texts, one per column of X; got"):
        ID3Tree().fit(TENNIS.X, TENNIS.y, feature_names=["Outlook"])
    with pytest.raises(ValueError, match="is None"):
        tennis_tree().predict([["Sunny", None, "High", "Weak"]])
    for call in (ID3Tree().text, ID3Tree().rules, DecisionTreeClassifier().text, DecisionTreeRegressor().cut):
        with pytest.raises(NotFittedError, match="has not been fitted"):
            call()


# --- CART -----------------------------------------------------------------------------------------------------


def plane(n=300, d=2, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    y = np.sin(2 * X[:, 0]) + X[:, 1] ** 2 + 0.3 * rng.normal(size=n)
    return X, y


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("seed", [0, 1])
def test_classifier_reaches_scikit_learns_training_error(criterion, seed):
    X, z = plane(seed=seed)
    for y in (z > 0.5, np.digitize(z, [0, 1, 2])):
        for depth in range(1, 9):
            ours = DecisionTreeClassifier(criterion, max_depth=depth).fit(X, y)
            theirs = sk.DecisionTreeClassifier(criterion=criterion, max_depth=depth, random_state=0).fit(X, y)
            assert abs(ours.score(X, y) - theirs.score(X, y)) <= 0.02


def test_regressor_reaches_scikit_learns_training_error():
    X, y = plane()
    for depth in range(1, 9):
        ours = DecisionTreeRegressor(max_depth=depth).fit(X, y)
        theirs = sk.DecisionTreeRegressor(max_depth=depth, random_state=0).fit(X, y)
        assert np.mean((ours.predict(X) - y) ** 2) <= 1.02 * np.mean((theirs.predict(X) - y) ** 2)


def same_tree(ours, theirs):
    """Compare with scikit-learn's tree, node by node; of equally good splits it takes one at random."""
    t, nodes, stack = theirs.tree_, ours.nodes_, [(0, 0)]
    while stack:
        a, b = stack.pop()
        node, leaf = nodes[a], t.children_left[b] < 0
        assert bool(node.children) == (not leaf)
        assert node.n == pytest.approx(t.weighted_n_node_samples[b])
        assert node.impurity == pytest.approx(t.impurity[b], abs=1e-9)
        if not leaf:
            left, right = t.children_left[b], t.children_right[b]
            inside = sum(t.weighted_n_node_samples[c] * t.impurity[c] for c in (left, right))
            assert node.gain == pytest.approx(t.impurity[b] - inside / t.weighted_n_node_samples[b], abs=1e-9)
            if node.feature != t.feature[b]:
                continue
            assert node.threshold == pytest.approx(t.threshold[b], abs=1e-6)
            stack += zip(node.children.values(), (left, right))
    return True


TRANSLATION = [  # ours, scikit-learn's: the row of the one-minute card
    ({}, {}),
    ({"max_depth": 4}, {"max_depth": 4}),
    ({"min_leaf": 7}, {"min_samples_leaf": 7}),
    ({"max_nodes": 15}, {"max_leaf_nodes": 8}),
    ({"max_nodes": 16, "min_leaf": 3}, {"max_leaf_nodes": 8, "min_samples_leaf": 3}),
]


@pytest.mark.parametrize(("ours", "theirs"), TRANSLATION)
def test_the_same_in_scikit_learn(ours, theirs):
    X, y = plane(250)
    for loss in ("gini", "entropy"):
        one = DecisionTreeClassifier(loss, **{"max_depth": 5} | ours).fit(X, y > 0.6)
        other = sk.DecisionTreeClassifier(criterion=loss, **{"max_depth": 5} | theirs, random_state=0).fit(X, y > 0.6)
        assert one.n_leaves_ == other.get_n_leaves()
        assert np.mean(one.predict(X) == other.predict(X)) > 0.98  # equal splits are broken at random there
    one = DecisionTreeRegressor(**ours).fit(X, y)
    assert same_tree(one, sk.DecisionTreeRegressor(**theirs, random_state=0).fit(X, y))


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("min_leaf", [1, 4])
def test_the_root_is_the_best_of_all_cuts(loss, min_leaf):
    rng = np.random.default_rng(5)
    for _ in range(20):
        X, y = rng.integers(0, 6, (25, 3)), rng.integers(0, 3, 25)
        root = DecisionTreeClassifier(loss, max_depth=1, min_leaf=min_leaf).fit(X, y).nodes_[0]
        cuts = []
        for j, c in itertools.product(range(3), np.arange(0.5, 5)):
            table = [np.bincount(y[side], minlength=3) for side in (X[:, j] <= c, X[:, j] > c)]
            if min(np.sum(table, axis=1)) >= min_leaf:
                cuts.append((round(impurity_decrease(table, loss), 9), -j, -c))
        gain, j, c = max(cuts)
        assert root.gain == pytest.approx(gain, abs=1e-8)
        assert root.feature == -j
        assert X[X[:, root.feature] <= root.threshold, -j].max() == X[X[:, -j] <= -c, -j].max()


def assert_same_tree(lecture, model, number=0, tol=1e-9):
    """Assert that the nested tree of the lecture is that of a fitted model, node by node."""
    node = model.nodes_[number]
    if not node.children:
        assert isinstance(lecture, Leaf)
        assert node.n == pytest.approx(lecture.w.sum(), rel=1e-12)
        if hasattr(model, "classes_"):
            assert np.allclose(
                node.counts, np.bincount(lecture.y, lecture.w, len(model.classes_)), rtol=1e-9, atol=1e-9
            )
        else:
            assert node.value == pytest.approx(np.average(lecture.y, weights=lecture.w), rel=1e-9, abs=1e-9)
        return
    split = lecture.split
    assert (node.feature, node.threshold) == (split.feature, split.threshold)
    assert node.gain == pytest.approx(split.gain, abs=tol)
    for part, child in zip((lecture.yes, lecture.no), node.children.values()):
        assert_same_tree(part, model, child, tol)


def some_samples(seed):
    """Return points with many ties or with none, labels or numbers with noise, and weights, equal or not."""
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(2, 45)), int(rng.integers(1, 5))
    X = rng.integers(0, 4, (n, d)).astype(float) if seed % 2 else rng.normal(size=(n, d))
    signal = X[:, 0] + (X[:, -1] > np.median(X[:, -1])) + 0.7 * rng.normal(size=n)
    w = [np.ones(n), rng.integers(1, 4, n).astype(float), rng.uniform(0.1, 2, n)][seed % 3]
    limits = {"max_depth": [None, 2, 4][seed % 3], "min_leaf": [1, 1, 3, 6][seed % 4], "min_gain": [0, 0.05][seed % 2]}
    return X, signal, w, limits


@pytest.mark.parametrize("seed", range(36))
def test_the_lectures_tree_is_the_fast_one(seed):
    X, signal, w, limits = some_samples(seed)
    by_hand = {**limits, "max_depth": np.inf if limits["max_depth"] is None else limits["max_depth"]}
    y = np.digitize(signal, np.quantile(signal, [0.4, 0.7]))
    y[:2] = 0, 1
    index = np.unique(y, return_inverse=True)[1]
    for name, impurity in (("gini", gini), ("entropy", entropy), ("misclassification", misclassification)):
        fast = DecisionTreeClassifier(name, **limits).fit(X, y, sample_weight=w)
        assert_same_tree(grow(X, index, w, class_loss(impurity), **by_hand), fast)
    for target in (signal, np.round(signal)):
        assert_same_tree(grow(X, target, w, variance, **by_hand), DecisionTreeRegressor(**limits).fit(X, target, w))


def test_a_node_without_questions_has_no_split():
    X, y, w = np.ones((3, 2)), np.array([0, 1, 1]), np.ones(3)
    assert best_split(X, y, w, class_loss(gini)) is None
    assert best_split(np.arange(3.0)[:, None], y, w, class_loss(gini), min_leaf=2) is None
    assert isinstance(grow(X, y, w, class_loss(gini)), Leaf)
    xor = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]), np.array([0, 1, 1, 0])
    assert best_split(*xor, np.ones(4), class_loss(entropy)) == (0, 0.5, 0.0)


def test_the_score_of_two_classes_is_the_difference_of_their_shares():
    X = np.array([[0.0], [0.0], [0.0], [1.0], [1.0]])
    y = ["no", "no", "yes", "yes", "yes"]
    for model in (DecisionTreeClassifier(), ID3Tree()):
        model.fit(X, y)
        assert model.decision_function(X) == pytest.approx([-1 / 3, -1 / 3, -1 / 3, 1, 1])
        assert model.fit([*X, [2.0]], [*y, "a"]).decision_function(X).shape == (5, 3)


def test_weights_are_repetitions():
    X, z = plane(80)
    times = np.random.default_rng(1).integers(0, 4, 80)
    for model, y in ((DecisionTreeClassifier("entropy", 4), z > 0.5), (DecisionTreeRegressor(4), z)):
        weighted = model.fit(X, y, sample_weight=times).predict(X)
        assert weighted == pytest.approx(model.fit(X.repeat(times, axis=0), y.repeat(times)).predict(X))
        tiny = copy.copy(model).fit(X, y, sample_weight=1e-9 * times)
        assert tiny.predict(X) == pytest.approx(weighted)


def test_weights_against_scikit_learn():
    X, z = plane(120, seed=3)
    w = np.random.default_rng(2).exponential(size=120)
    ours = DecisionTreeRegressor(5, min_leaf=2).fit(X, z, sample_weight=w)
    theirs = sk.DecisionTreeRegressor(max_depth=5, min_samples_leaf=2, random_state=0).fit(X, z, sample_weight=w)
    assert same_tree(ours, theirs)
    stump = DecisionTreeClassifier("gini", 1).fit(X, z > 0.5, sample_weight=w)
    other = sk.DecisionTreeClassifier(max_depth=1, random_state=0).fit(X, z > 0.5, sample_weight=w)
    assert same_tree(stump, other)
    for bad, words in (
        (-w, "sample_weight must not be negative"),
        (0 * w, "is zero for every sample"),
        (1e300 * w, "sample_weight has entries of size .*too large for their squares"),
        (w[1:], "120 rows"),
    ):
        with pytest.raises(ValueError, match=words):
            DecisionTreeClassifier().fit(X, z > 0.5, sample_weight=bad)


def test_weights_of_many_magnitudes_still_separate_all_points():
    rng = np.random.default_rng(0)
    for _ in range(30):
        X, y, w = rng.normal(size=(80, 3)), rng.integers(0, 3, 80), 10.0 ** rng.uniform(-14, 0, 80)
        assert DecisionTreeClassifier("entropy").fit(X, y, sample_weight=w).score(X, y) == 1
        assert DecisionTreeRegressor().fit(X, y.astype(float), sample_weight=w).predict(X) == pytest.approx(y, abs=1e-6)


def test_random_features_and_thresholds():
    X, z = plane(150, d=6)
    y = z > 0.5
    for params in ({"max_features": 2}, {"max_features": "sqrt"}, {"thresholds": "random"}):
        a, again, b = (DecisionTreeClassifier(**params, rng=seed).fit(X, y) for seed in (0, 0, 1))
        assert a.text() == again.text() != b.text()
        assert a.score(X, y) == 1
    roots = {DecisionTreeClassifier(max_depth=1, max_features=1, rng=s).fit(X, y).nodes_[0].feature for s in range(60)}
    assert roots == set(range(6))
    X[:, 1:] = 7.0  # only the first feature varies, so each split must find it
    assert DecisionTreeClassifier(max_features=1).fit(X, y).score(X, y) == 1


def test_random_thresholds_are_uniform_between_the_extremes():
    X, y = np.array([[0.0], [1.0], [4.0]]), [0, 0, 1]
    cuts = [
        DecisionTreeClassifier(max_depth=1, thresholds="random", rng=s).fit(X, y).nodes_[0].threshold
        for s in range(400)
    ]
    assert 0 <= min(cuts) < 0.1
    assert 3.9 < max(cuts) < 4
    assert np.mean(np.array(cuts) < 1) == pytest.approx(0.25, abs=0.08)


def test_thresholds_between_neighbouring_and_huge_numbers():
    for a in (1.0, 1e308, -1e308, 5e-324):
        b = np.nextafter(a, np.inf)
        model = DecisionTreeClassifier().fit([[a], [b]], ["low", "high"])
        assert model.predict([[a], [b]]).tolist() == ["low", "high"]
    assert DecisionTreeClassifier().fit([[-1e308], [1e308]], [0, 1]).nodes_[0].threshold == 0


def test_equal_points_with_different_labels_share_a_leaf():
    model = DecisionTreeClassifier().fit([[1.0], [1.0], [1.0], [2.0]], [0, 1, 1, 0])
    assert pytest.approx(np.array([[1 / 3, 2 / 3]])) == model.predict_proba([[1.0]])
    assert DecisionTreeRegressor().fit([[1], [1], [2]], [0.0, 1.0, 5.0]).predict([[1], [2]]).tolist() == [0.5, 5.0]


def test_a_least_gain_gives_up_on_xor():
    X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    assert DecisionTreeClassifier().fit(X, y).score(X, y) == 1
    assert DecisionTreeClassifier(min_gain=0.01).fit(X, y).n_nodes_ == 1


def test_misclassification_finds_no_corner():
    """Class 1 prevails in a corner; no first cut lowers the error, so the loss cannot tell a good one from a bad."""
    rng = np.random.default_rng(9)
    X = np.vstack([rng.uniform(-2, 2, (60, 2)), np.column_stack([rng.uniform(0.2, 2, 20), rng.uniform(-2, 0.2, 20)])])
    y = np.repeat([0, 1], [60, 20])
    scores = {loss: DecisionTreeClassifier(loss, max_depth=2).fit(X, y).score(X, y) for loss in LOSSES}
    assert scores["misclassification"] < scores["entropy"]
    assert DecisionTreeClassifier("misclassification", 1).fit(X, y).nodes_[0].gain == 0


def test_a_large_offset_costs_no_digits():
    X, y = plane(100)
    a, b = DecisionTreeRegressor(4).fit(X, y), DecisionTreeRegressor(4).fit(X, y + 1e8)
    assert b.predict(X) - 1e8 == pytest.approx(a.predict(X), abs=1e-6)


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({"criterion": "variance"}, "criterion must be one of 'entropy', 'gini', 'misclassification'; got 'variance'"),
        ({"max_depth": -1}, "max_depth must be at least 0; got -1"),
        ({"max_depth": 2.5}, "max_depth must be a whole number; got 2.5"),
        ({"min_leaf": 0}, "min_leaf must be at least 1; got 0"),
        ({"max_nodes": 0}, "max_nodes must be at least 1; got 0"),
        ({"min_gain": -0.1}, "min_gain must be at least 0; got -0.1"),
        ({"max_features": 3}, r"max_features must be at most 2 \(the number of features\); got 3"),
        ({"max_features": "log2"}, "max_features must be a whole number, 'sqrt' or None for all; got 'log2'"),
        ({"thresholds": "middle"}, "thresholds must be one of 'best', 'random'; got 'middle'"),
        ({"rng": -1}, "rng must be a non-negative integer seed"),
    ],
)
def test_bad_parameters_are_explained(params, words):
    with pytest.raises(ValueError, match=words):
        DecisionTreeClassifier(**params).fit([[0, 1], [1, 0]], [0, 1])


# --- rules, text and cutting ----------------------------------------------------------------------------------


def test_rules_cover_every_point_once_and_say_what_the_tree_says():
    X, z = plane(120)
    for tree, data in (
        (DecisionTreeClassifier().fit(X, np.digitize(z, [0, 1])), X),
        (DecisionTreeRegressor(5).fit(X, z), X),
        (tennis_tree(), TENNIS.X),
    ):
        covers = np.array([rule.covers(data) for rule in tree.rules()])
        assert np.array_equal(covers.sum(axis=0), np.ones(len(data)))
        labels = np.array([rule.label for rule in tree.rules()])
        assert np.array_equal(labels[covers.argmax(axis=0)], tree.predict(data))


def test_conditions_compare_values_of_their_own_type():
    rows = [["a", 3], ["b", 4], ["a", 4]]
    assert Rule((Condition("x2", "=", 4, 1), Condition("x1", "=", "a", 0)), 1).covers(rows).tolist() == [
        False,
        False,
        True,
    ]


def test_a_path_is_shortened_to_its_tightest_tests():
    path = [Condition("x1", "<=", 3.0, 0), Condition("x2", ">", 1.0, 1), Condition("x1", "<=", 2.0, 0)]
    assert str(Rule(simplified(path), 7)) == "IF x1 <= 2 AND x2 > 1 THEN 7"
    assert str(Rule((), "Yes")) == "ALWAYS Yes"


def test_a_tree_of_one_leaf():
    tree = DecisionTreeClassifier(max_depth=0).fit([[1], [2], [3]], ["a", "b", "b"])
    assert tree.text() == "b (3)"
    assert [str(rule) for rule in tree.rules()] == ["ALWAYS b"]
    assert (tree.n_nodes_, tree.depth_) == (1, 0)


def test_deep_trees_need_no_recursion():
    n = 1200
    tree = DecisionTreeClassifier().fit(np.arange(n)[:, None], np.arange(n) % 2)
    assert tree.depth_ > 1000
    assert len(tree.rules()) == n
    assert tree.text().count("\n") > n
    assert len(tree_places(tree)) == tree.n_nodes_


def test_cutting_keeps_the_numbers_of_the_others():
    tree = tennis_tree()
    rain = next(number for c, number in tree.nodes_[0].children.items() if c.value == "Rain")
    cut = tree.cut(rain)
    assert set(cut.nodes_) == set(tree.nodes_) - set(tree.nodes_[rain].children.values())
    assert cut.predict([["Rain", "Hot", "High", "Strong"]]) == ["Yes"]
    assert tree.predict([["Rain", "Hot", "High", "Strong"]]) == ["No"]
    assert tree.cut(0).predict(TENNIS.X).tolist() == ["Yes"] * 14
    with pytest.raises(ValueError, match="the tree has no node 99; its nodes are 0, 1, 2"):
        tree.cut(99)


# --- pruning --------------------------------------------------------------------------------------------------


def noisy(seed, n=160, m=100):
    return moons(n, 0.45, rng=seed), moons(m, 0.45, rng=seed + 100)


@pytest.mark.parametrize("seed", range(4))
def test_pruning_takes_the_best_cut_each_time(seed):
    data, new = noisy(seed)
    tree = DecisionTreeClassifier().fit(data.X, data.y)
    pruned = reduced_error_prune(tree, new.X, new.y)
    now = tree
    for before, step in itertools.pairwise(pruned.pruning_):
        errors = {t: np.sum(now.cut(t).predict(new.X) != new.y) for t, node in now.nodes_.items() if node.children}
        now = now.cut(step.node)
        assert step.errors == min(errors.values()) == errors[step.node] == before.errors - step.saved
        assert (step.n_nodes, step.n_leaves) == (now.n_nodes_, now.n_leaves_)
    assert np.array_equal(now.predict(new.X), pruned.predict(new.X))
    worse = [np.sum(now.cut(t).predict(new.X) != new.y) for t, node in now.nodes_.items() if node.children]
    assert min(worse, default=np.inf) > pruned.pruning_[-1].errors
    at_once = tree.cut(*[step.node for step in pruned.pruning_[1:]])
    assert at_once.text() == pruned.text()


def test_pruning_usually_helps():
    better = []
    for seed in range(20):
        data, new = noisy(seed)
        test = moons(2000, 0.45, rng=999)
        tree = DecisionTreeClassifier().fit(data.X, data.y)
        better.append(reduced_error_prune(tree, new.X, new.y).score(test.X, test.y) - tree.score(test.X, test.y))
    assert np.mean(better) > 0.01
    assert np.sum(np.array(better) >= 0) >= 17


def test_pruning_of_categories_and_of_numbers():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 3, (260, 5))
    y = np.where((X[:, 0] == 0) | (X[:, 1] == 2), "yes", "no")
    y = np.where(rng.random(260) < 0.2, np.where(y == "yes", "no", "yes"), y)
    tree = ID3Tree().fit(X[:130], y[:130])
    pruned = reduced_error_prune(tree, X[130:], y[130:])
    assert pruned.n_nodes_ < tree.n_nodes_ / 3
    assert np.sum(pruned.predict(X[130:]) != y[130:]) == pruned.pruning_[-1].errors
    A, b = plane(300, seed=4)
    big = DecisionTreeRegressor().fit(A[:150], b[:150])
    small = reduced_error_prune(big, A[150:], b[150:])
    assert small.n_leaves_ < big.n_leaves_
    assert np.sum((small.predict(A[150:]) - b[150:]) ** 2) == pytest.approx(small.pruning_[-1].errors)
    assert not hasattr(small.fit(A, b), "pruning_")


def test_rule_post_pruning_step_by_step():
    data, new = noisy(3)
    tree = DecisionTreeClassifier().fit(data.X, data.y)
    rules = rule_post_prune(tree, new.X, new.y)
    assert all(drop.after >= drop.before for drop in rules.history)
    assert rules.accuracy == sorted(rules.accuracy, reverse=True)
    for rule, accuracy, n in zip(rules.rules, rules.accuracy, rules.covered):
        covered = rule.covers(new.X)
        assert n == covered.sum()
        assert accuracy == pytest.approx(np.mean(new.y[covered] == rule.label))
        for k in range(len(rule.conditions)):  # no condition can go without loss
            shorter = Rule(rule.conditions[:k] + rule.conditions[k + 1 :], rule.label).covers(new.X)
            assert np.mean(new.y[shorter] == rule.label) < accuracy
    first = [next((r.label for r in rules.rules if r.covers(x[None])[0]), rules.default) for x in new.X]
    assert rules.predict(new.X).tolist() == first


def test_rules_answer_with_whole_labels_and_a_default():
    rules = rule_post_prune(tennis_tree(), TENNIS.X, TENNIS.y)
    assert rules.predict(TENNIS.X).tolist() == TENNIS.y.tolist()
    assert rules.predict([["Snow", "Hot", "High", "Weak"]]).tolist() == ["Yes"]  # the most common class of all days
    assert rules.text().endswith("OTHERWISE Yes")


def test_caution_shortens_rules_on_the_training_data():
    data, _ = noisy(3)
    tree = DecisionTreeClassifier().fit(data.X, data.y)
    bold, cautious = (rule_post_prune(tree, data.X, data.y, confidence) for confidence in (None, 0.9))
    assert set(bold.accuracy) == {1.0}  # every leaf is pure, so no rule seems to need a change
    assert np.mean([len(r.conditions) for r in cautious.rules]) < np.mean([len(r.conditions) for r in bold.rules])
    assert max(cautious.accuracy) < 1
    test = moons(2000, 0.45, rng=999)
    assert np.mean(cautious.predict(test.X) == test.y) > np.mean(bold.predict(test.X) == test.y)


def test_bad_input_of_pruning_is_explained():
    data, new = noisy(0)
    tree = DecisionTreeRegressor(2).fit(data.X, data.X[:, 0])
    with pytest.raises(ValueError, match="tree must be a fitted tree of this chapter; got 3"):
        reduced_error_prune(3, new.X, new.y)
    with pytest.raises(ValueError, match="tree must be a fitted classification tree"):
        rule_post_prune(tree, new.X, new.y)
    for prune in (reduced_error_prune, rule_post_prune):
        with pytest.raises(NotFittedError, match="has not been fitted"):
            prune(DecisionTreeClassifier(), new.X, new.y)
        with pytest.raises(ValueError, match="100 rows, but y has 99"):
            prune(DecisionTreeClassifier(max_depth=2).fit(data.X, data.y), new.X, new.y[1:])


# --- pictures -------------------------------------------------------------------------------------------------


def test_a_drawn_tree_has_every_question_and_every_answer():
    ax = draw_tree(tennis_tree(), ax=Figure().subplots())
    words = [text.get_text() for text in ax.texts]
    assert {"Outlook", "Humidity", "Wind", "Sunny", "Weak", "Yes\n4 of 4"} <= set(words)
    assert len(words) == 8 + 7  # nodes and branches
    X, y = plane(60)
    for tree in (DecisionTreeRegressor(2).fit(X, y), DecisionTreeClassifier().fit(X, y > 0.5)):
        assert len(draw_tree(tree, ax=Figure().subplots(), small=False).texts) == 2 * tree.n_nodes_ - 1
        small = draw_tree(tree, ax=Figure().subplots(), small=True)
        assert len(small.texts) == 0
        assert len(small.lines) == 2 * tree.n_nodes_ - 1


def test_boxes_tile_the_plane():
    X, y = plane(100)
    tree = DecisionTreeClassifier().fit(X, y > 0.5)
    boxes = tree_boxes(tree, (-2, 2), (-1, 3))
    assert sum((b - a) * (d - c) for (a, b), (c, d), _ in boxes) == pytest.approx(16)
    middles = np.array([[(a + b) / 2, (c + d) / 2] for (a, b), (c, d), _ in boxes])
    assert tree.predict(middles).tolist() == [tree.classes_[node.value] for *_, node in boxes]


# --- errata of the sources ------------------------------------------------------------------------------------


def test_erratum_s0_e13():
    heat = TENNIS.X[:, 1].tolist()
    assert (heat.count("Cold"), heat.count("Cool")) == (0, 4)


def test_erratum_s0_e14():
    tree = ID3Tree().fit([["x"], ["x"], ["x"]], ["Yes", "Yes", "No"])  # no attribute splits: the class decides
    assert tree.predict([["x"]]) == ["Yes"]


def test_erratum_s0_e15():
    printed = {"Temperature": 0.151, "Humidity": 0.048, "Wind": 0.029}
    found = gains(TENNIS)
    assert all(abs(found[name] - value) > 0.01 for name, value in printed.items())
    right = {"Humidity": 0.151, "Wind": 0.048, "Temperature": 0.029}
    assert all(math.floor(1000 * found[name]) == round(1000 * value) for name, value in right.items())


def test_erratum_s0_e16():
    rows = [(a, b, (a ^ b) if k < 2 else 1 - (a ^ b)) for a, b in itertools.product((0, 1), repeat=2) for k in range(3)]
    y = [a ^ b for a, b, _ in rows]
    greedy = ID3Tree().fit(rows, y)
    assert list(greedy.nodes_[0].scores.values()) == pytest.approx([0, 0, 0.081704], abs=1e-6)
    assert greedy.n_nodes_ == 15
    best = ID3Tree().fit([row[:2] for row in rows], y)
    assert (best.n_nodes_, best.score([row[:2] for row in rows], y)) == (7, 1)


def test_erratum_s0_e17():
    assert entropy([4, 0]) == 0
    assert entropy([2, 2]) == 1


def test_erratum_s0_e18():
    """A validation set alone chooses the size: no statistical test follows, and none is needed to stop."""
    data, new = noisy(1)
    pruned = reduced_error_prune(DecisionTreeClassifier().fit(data.X, data.y), new.X, new.y)
    assert 1 < pruned.n_leaves_ < DecisionTreeClassifier().fit(data.X, data.y).n_leaves_


def test_erratum_s0_e19():
    X, y = [["a"], ["b"], ["c"], *[["d"]] * 10], ["No"] * 3 + ["Yes"] * 10
    tree = ID3Tree().fit(X, y)
    leaves = [rule.label for rule in tree.rules()]
    vote = max(set(leaves), key=leaves.count)
    assert np.sum(np.array(y) != vote) == 10
    assert np.sum(tree.cut(0).predict(X) != y) == 3


def test_erratum_s0_e20():
    rule = next(r for r in tennis_tree().rules() if "Normal" in str(r))
    covered = rule.covers(TENNIS.X)
    assert (covered.sum(), np.sum(TENNIS.y[covered] == "Yes")) == (2, 2)
    assert np.mean(TENNIS.y == Rule((), "Yes").label) == pytest.approx(0.643, abs=5e-4)
    assert rule in rule_post_prune(tennis_tree(), TENNIS.X, TENNIS.y).rules


def test_erratum_s0_e21():
    heat, y = np.array([[40], [48], [60], [72], [80], [90]]), np.array(["No", "No", "Yes", "Yes", "Yes", "No"])
    root = DecisionTreeClassifier("entropy", 1).fit(heat, y).nodes_[0]
    assert (root.threshold, root.gain) == (54, pytest.approx(0.459148, abs=1e-6))
    assert information_gain(heat[:, 0] > 72.3, y) == pytest.approx(0, abs=1e-12)
    assert information_gain(heat[:, 0] > 85, y) == pytest.approx(0.190875, abs=1e-6)


def test_erratum_s0_e22():
    """Summed over the classes it would be the same for every attribute, and the ratio would penalise nothing."""
    right = [split_information(column) for column in TENNIS.X.T]
    assert right == pytest.approx([1.577406, 1.556657, 1, 0.985228], abs=1e-6)
    assert split_information(TENNIS.y) == pytest.approx(0.940286, abs=1e-6)  # as printed, whatever the attribute


def test_erratum_s1_e54():
    tree = DecisionTreeClassifier().fit([[1], [2], [3], [4]], [0, 1, 0, 1])
    assert (tree.n_nodes_ - tree.n_leaves_, tree.n_leaves_) == (3, 4)


def test_erratum_s1_e55():
    assert impurity_decrease([[1, 1], [1, 1]]) == 0


def test_erratum_s1_e56():
    rng = np.random.default_rng(0)
    tables = rng.integers(0, 30, (2000, 2, 2)) + [[1, 0], [1, 0]]
    falls = {loss: np.array([impurity_decrease(table, loss) for table in tables]) for loss in LOSSES}
    assert all(fall.min() >= 0 for fall in falls.values())
    assert np.mean(falls["misclassification"] < 1e-12) > 0.3 > 0.05 > np.mean(falls["entropy"] < 1e-12)
    assert DecisionTreeClassifier().criterion == "gini"


def test_erratum_s2_e2_07():
    assert sum(-p * np.log2(p) for p in (1, 1)) == 0
    assert entropy([0.5, 0.5]) == 1


def test_erratum_s2_e2_08():
    table = branch_counts(RESTAURANT.X[:, 4], RESTAURANT.y)  # rows Full, None, Some; columns No, Yes
    assert table[0].tolist() == [4, 2]
    assert table.sum(axis=0).tolist() == [6, 6]
    assert impurity_decrease(table) == pytest.approx(1 - 0.5 * entropy([2, 4]))


def wait(row):
    """The published tree of the restaurant."""
    at = dict(zip(RESTAURANT.feature_names, row))
    if at["Patrons"] != "Full":
        return {"None": "No", "Some": "Yes"}[at["Patrons"]]
    if at["WaitEstimate"] == "30-60":
        if at["Alternate"] == "Yes":
            return at["Fri/Sat"]
        return "Yes" if at["Reservation"] == "Yes" else at["Bar"]
    if at["WaitEstimate"] == "10-30":
        return at["Raining"] if at["Hungry"] == "Yes" and at["Alternate"] == "Yes" else "Yes"
    return {"0-10": "Yes", ">60": "No"}[at["WaitEstimate"]]


def test_erratum_s2_e2_09():
    assert [wait(row) for row in RESTAURANT.X] == RESTAURANT.y.tolist()
    printed = RESTAURANT.X.copy()
    printed[3, RESTAURANT.feature_names.index("Raining")] = "No"
    assert [i for i, row in enumerate(printed) if wait(row) != RESTAURANT.y[i]] == [3]


def test_erratum_s2_e2_10():
    trees = [2]
    for n in range(1, 11):
        trees.append(2 + n * trees[-1] ** 2)
    assert trees[2] == 74 > 2**2**2
    assert len(str(2**2**10)) - 1 == 308
    assert 620 < len(str(trees[10])) - 1 < 630


def test_erratum_s2_e2_29():
    below = np.cumsum([math.comb(100, k) * 0.7**k * 0.3 ** (100 - k) for k in range(101)])
    assert np.sum(1 - below**50) / 100 == pytest.approx(0.80, abs=0.005)


def test_erratum_s4_f5():
    branches = [[6, 2], [3, 3]]
    after = 8 / 14 * entropy(branches[0]) + 6 / 14 * entropy(branches[1])
    assert (entropy([9, 5]), after, impurity_decrease(branches)) == pytest.approx((0.94029, 0.89216, 0.04813), abs=5e-6)


def test_erratum_s4_f6():
    printed = [(2 * 0.3 - 1) / (cost + 1) for cost in (1, 100)]
    assert printed[0] < printed[1] < 0  # negative, and the dear attribute would win
    assert cost_gain(0.3, 1, 1) > cost_gain(0.3, 100, 1) > 0


def test_the_table_of_task_g_is_that_of_a_tree():
    """Training and validation counts (Yes, No) of five leaves add up to the rows that task 12.g prints."""
    leaves = {
        "C1": ((10, 1), (0, 2)),
        "C2": ((2, 3), (0, 1)),
        "B2": ((2, 4), (4, 2)),
        "D1": ((5, 2), (1, 3)),
        "D2": ((1, 7), (1, 3)),
    }
    below = {"A": list(leaves), "B": ["C1", "C2", "B2"], "C": ["C1", "C2"], "D": ["D1", "D2"]}
    notebook = ROOT / "notebooks" / "12_decision_trees.ipynb"
    rows = re.findall(
        r"\| ([A-D]) \| (\d+) Yes, (\d+) No \| (\d+) Yes, (\d+) No \| (\d+) \|", notebook.read_text(encoding="utf-8")
    )
    assert [name for name, *_ in rows] == list("ABCD")
    for name, *printed in rows:
        train, valid = np.array([leaves[leaf] for leaf in below[name]]).sum(axis=0)
        errors = sum(leaves[leaf][1][int(leaves[leaf][0][0] > leaves[leaf][0][1])] for leaf in below[name])
        assert [*train, *valid, errors] == [int(n) for n in printed], name
    by_validation = {name: int(row[-1]) - min(map(int, row[2:4])) for name, *row in rows}
    assert max(by_validation, key=by_validation.get) == "A"  # who labels leaves by validation days cuts the root first


@pytest.mark.parametrize("n_tried", [2, 4])
def test_random_thresholds_need_no_sorting(n_tried):
    """`random_splits` takes the splits that the search over sorted values takes with the same draws."""
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(90, 4)), rng.integers(0, 3, 90)
    X[:, 2], X[:30, 0] = np.round(X[:, 2]), 0.5  # ties, and a feature that is constant in the first node
    sizes, counts = np.array([30, 1, 59]), np.eye(3)[y]
    node = np.repeat(np.arange(3), sizes)
    order = np.array([np.lexsort([X[:, j], node]) for j in range(4)])
    sums = np.add.reduceat(counts, np.cumsum(sizes) - sizes)
    gini = _fast.Criterion(
        lambda S: S.sum(axis=-1), lambda S: 1 - np.sum((S / S.sum(axis=-1, keepdims=True)) ** 2, axis=-1)
    )
    found = [
        find(X, counts, gini, points, sums, sizes, 3, _fast.Draw(n_tried, True, np.random.default_rng(0)))
        for find, points in ((_fast.best_splits, order), (_fast.random_splits, np.arange(90)))
    ]
    assert found[0].gain[1] == found[1].gain[1] == -np.inf
    assert found[0].feature[[0, 2]].tolist() == found[1].feature[[0, 2]].tolist()
    np.testing.assert_allclose(found[1].gain[[0, 2]], found[0].gain[[0, 2]])
    assert (found[0].gain[[0, 2]] > 0).all()

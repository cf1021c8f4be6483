"""Chapter 12: numbers of the sources and textbooks, scikit-learn and brute force as oracles, and bad input."""

import numpy as np
import pytest
from sklearn import tree as sk

from mlteach.datasets import moons, play_tennis, restaurant
from mlteach.decision_trees import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ID3Tree,
    cost_gain,
    entropy,
    gain_ratio,
    gini,
    impurity_decrease,
    information_gain,
    misclassification,
    reduced_error_prune,
    rule_post_prune,
    split_information,
)

TENNIS, RESTAURANT = play_tennis(), restaurant()


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


# --- ID3 ------------------------------------------------------------------------------------------------------


def test_the_play_tennis_tree():
    model = ID3Tree().fit(TENNIS.X, TENNIS.y, feature_names=TENNIS.feature_names)
    assert model.score(TENNIS.X, TENNIS.y) == 1
    assert [str(rule) for rule in model.rules() if rule.label == "Yes"] == [
        "IF Outlook = Overcast THEN Yes",
        "IF Outlook = Rain AND Wind = Weak THEN Yes",
        "IF Outlook = Sunny AND Humidity = Normal THEN Yes",
    ]


# --- CART -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_classifier_reaches_scikit_learns_training_error(criterion):
    data = moons(300, 0.3)
    for depth in range(1, 9):
        ours = DecisionTreeClassifier(criterion, max_depth=depth).fit(data.X, data.y)
        theirs = sk.DecisionTreeClassifier(criterion=criterion, max_depth=depth, random_state=0).fit(data.X, data.y)
        assert abs(ours.score(data.X, data.y) - theirs.score(data.X, data.y)) <= 0.02


def test_regressor_reaches_scikit_learns_training_error():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 2))
    y = np.sin(2 * X[:, 0]) + X[:, 1] ** 2 + 0.3 * rng.normal(size=300)
    for depth in range(1, 9):
        ours = DecisionTreeRegressor(max_depth=depth).fit(X, y)
        theirs = sk.DecisionTreeRegressor(max_depth=depth, random_state=0).fit(X, y)
        assert np.mean((ours.predict(X) - y) ** 2) <= 1.02 * np.mean((theirs.predict(X) - y) ** 2)


# --- pruning --------------------------------------------------------------------------------------------------


def test_pruning_never_raises_validation_errors():
    data, new = moons(150, 0.35, rng=1), moons(100, 0.35, rng=2)
    tree = DecisionTreeClassifier().fit(data.X, data.y)
    pruned = reduced_error_prune(tree, new.X, new.y)
    errors = [step.errors for step in pruned.pruning_]
    assert np.all(np.diff(errors) <= 0)
    for step, k in zip(pruned.pruning_, range(len(errors))):
        now = tree.cut(*[s.node for s in pruned.pruning_[1 : k + 1] if s.node in tree.nodes_])
        assert np.sum(now.predict(new.X) != new.y) == step.errors
    assert rule_post_prune(tree, new.X, new.y).predict(new.X).shape == (100,)

"""Chapter 18: networks against finite differences, scikit-learn, chapter 08, textbook numbers and the sources."""

import copy
import pickle
import warnings

import numpy as np
import pytest
from explorers import made
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit, softmax
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.model_selection import cross_val_score
from sklearn.neural_network import MLPClassifier, MLPRegressor

from mlteach import datasets
from mlteach.linear_regression import LinearRegression
from mlteach.logistic_regression import LogisticRegression
from mlteach.neural_networks import (
    ACTIVATIONS,
    MLP,
    backward_step,
    forward_step,
    gradient_check,
    initial_parameters,
    relu,
    sigmoid,
    slope,
    softplus,
    staircase,
    step,
    stored,
    tanh,
    two_spirals,
    xor_network,
)
from mlteach.optimization import Adam, GradientDescent, Momentum, linear_decay, numerical_gradient
from mlteach.validation import ConvergenceWarning, NotFittedError

SWITCHES, LAMP = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]]), np.array([0, 1, 1, 0])
# The 2-2-1 network of section 18.4; W is inputs x units
HAND = [np.array([[0.5, 0.2], [-0.3, 0.4]]), np.array([0.1, -0.2]), np.array([[0.7], [-0.6]]), np.array([0.3])]


def random_net(layers, activation="tanh", output="identity", seed=0):
    """A network with offsets off 0: a ReLU sum of exactly 0 has no slope."""
    net, rng = MLP(layers, activation, output, rng=seed), np.random.default_rng(seed)
    for b in net.parameters_[1::2]:
        b += 0.5 * rng.normal(size=b.shape)
    return net


# --- units --------------------------------------------------------------------------------------------------------


def test_activations_and_slopes():
    z = np.linspace(-6, 6, 241) + 0.01
    for name, g in (("sigmoid", sigmoid), ("tanh", tanh), ("relu", relu), ("softplus", softplus)):
        assert np.allclose(slope(name, z), (g(z + 1e-6) - g(z - 1e-6)) / 2e-6, atol=1e-8)
    assert np.abs(np.tanh(z) - (2 * sigmoid(2 * z) - 1)).max() < 1e-15
    assert np.allclose(sigmoid(z), expit(z), rtol=1e-14)
    assert np.allclose(softplus(z), np.logaddexp(0, z), rtol=1e-14)


def test_textbook_values():
    """W30."""
    assert slope("sigmoid", 20) == pytest.approx(2.061154e-9, rel=1e-6)
    assert softmax([2, 1, 0]) == pytest.approx([0.665241, 0.244728, 0.090031], abs=5e-7)
    assert step(0) == 1.0
    assert step(-1e-300) == 0.0
    assert isinstance(relu(3), float)


def test_no_size_overflows():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert softplus([-1e6, 1e6]).tolist() == [0.0, 1e6]
        assert slope("softplus", [-1e6, 1e6]).tolist() == [0.0, 1.0]
        assert sigmoid(-1e6) == 0.0


def test_unknown_activation():
    with pytest.raises(ValueError, match="activation must be one of 'sigmoid', 'tanh', 'relu', 'softplus'; got 'step'"):
        slope("step", 0.0)


# --- XOR ----------------------------------------------------------------------------------------------------------


def test_least_squares_gives_up_on_xor():
    """W29."""
    model = LinearRegression().fit(SWITCHES, LAMP)
    assert np.allclose([*model.w_, model.b_], [0, 0, 0.5])
    assert np.mean((model.predict(SWITCHES) - LAMP) ** 2) == pytest.approx(0.25)


def test_two_relu_units_solve_xor():
    """W29."""
    passed = forward_step(SWITCHES, xor_network(), "relu")
    assert passed.a[1].tolist() == [[0, 0], [1, 0], [1, 0], [2, 1]]
    assert passed.y.ravel().tolist() == [0, 1, 1, 0]


def test_weights_set_by_hand_predict_before_any_fit():
    net = MLP((2, 2, 1), "relu", "identity")
    for mine, given_ in zip(net.parameters_, xor_network()):
        mine[...] = given_
    assert net.predict(SWITCHES).tolist() == [0, 1, 1, 0]
    gate = MLP((2, 1), output="sigmoid")
    gate.parameters_[0][...], gate.parameters_[1][...] = [[10], [10]], -15
    assert gate.predict(SWITCHES).tolist() == [0, 0, 0, 1]
    assert gate.predict_proba(SWITCHES).shape == (4, 2)


# --- backpropagation ------------------------------------------------------------------------------------------------


def test_worked_example_relu():
    """W31; the source's matrices are units x inputs, ours are inputs x units."""
    passed = forward_step([[2, 1]], HAND, "relu")
    assert np.allclose(passed.z[0], [[0.8, 0.6]])
    assert passed.y[0, 0] == pytest.approx(0.5)
    dW1, db1, dW2, db2 = backward_step(passed, HAND, [[1]], "relu")
    assert np.allclose(dW2.ravel(), [-0.4, -0.3])
    assert np.allclose(db2, -0.5)
    assert np.allclose(dW1, np.array([[-0.7, -0.35], [0.6, 0.3]]).T)
    assert np.allclose(db1, [-0.35, 0.3])


def test_worked_example_sigmoid():
    """W2-15: sigmoid everywhere, squared error; the output's slope is put in by hand."""
    net = [np.array([[0.5, 0.3], [-0.4, 0.8]]), np.zeros(2), np.array([[1.2], [-0.7]]), np.zeros(1)]
    passed = forward_step([[1, 2]], net, "sigmoid")
    a5 = sigmoid(passed.z[1][0, 0])
    assert np.allclose(passed.a[1], [[0.425557, 0.869892]], atol=5e-7)
    assert a5 == pytest.approx(0.475456, abs=5e-7)
    delta5 = 2 * (a5 - 1) * a5 * (1 - a5)
    assert delta5 == pytest.approx(-0.261640, abs=5e-7)
    pretended = passed.y - delta5  # then y - t is the wanted Delta
    dW1, _, dW2, _ = backward_step(passed, net, pretended, "sigmoid")
    assert dW2[0, 0] == pytest.approx(-0.111343, abs=5e-7)
    assert np.allclose(dW1[:, 0], [-0.076752, -0.153504], atol=5e-7)


def test_worked_example_tanh():
    """W25."""
    net = [np.array([[0.1, 0.3], [-0.2, 0.4]]), np.zeros(2), np.array([[0.5], [-0.6]]), np.array([0.1])]
    passed = forward_step([[1, 2]], net)
    assert np.allclose(passed.a[1], [[-0.29131, 0.80050]], atol=5e-6)
    assert passed.y[0, 0] == pytest.approx(-0.52596, abs=5e-6)
    dW1, _, dW2, db2 = backward_step(passed, net, [[1]])
    assert np.allclose(dW2.ravel(), [0.44453, -1.22153], atol=5e-6)
    assert db2[0] == pytest.approx(-1.52596, abs=5e-6)
    assert np.allclose(dW1.T, [[-0.69823, -1.39646], [0.32888, 0.65775]], atol=5e-6)


def test_two_weights_of_the_chapter():
    tiny = [np.array([[0.5]]), np.zeros(1), np.array([[-1.0]]), np.zeros(1)]
    passed = forward_step([[2]], tiny)
    slopes = backward_step(passed, tiny, [[1]])
    assert passed.y[0, 0] == pytest.approx(-0.761594, abs=1e-6)
    assert slopes[0][0, 0] == pytest.approx(1.47965, abs=5e-5)
    assert slopes[2][0, 0] == pytest.approx(-1.3416, abs=5e-5)


def test_certain_and_wrong():
    """W26: cross-entropy still pulls, squared error behind a sigmoid does not."""
    y = sigmoid(-10.0)
    assert y - 1 == pytest.approx(-0.99995, abs=5e-6)
    assert (y - 1) * y * (1 - y) == pytest.approx(-0.0000454, abs=5e-8)
    net = MLP((1, 1), output="sigmoid")
    net.parameters_[0][...], net.parameters_[1][...] = 0, -10
    assert net.gradients([[1.0]], [1])[1][0] == pytest.approx(-0.99995, abs=5e-6)


OUTPUTS = {"identity": 2, "sigmoid": 1, "softmax": 3}


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("output", OUTPUTS)
@pytest.mark.parametrize("hidden", [(), (5,), (4, 3), (6, 2, 3)])
def test_gradients_equal_differences(activation, output, hidden):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(11, 3)) @ np.diag([0.5, 2.0, 1.0])
    y = rng.normal(size=(11, 2)) if output == "identity" else np.arange(11) % max(2, OUTPUTS[output])
    net = random_net((3, *hidden, OUTPUTS[output]), activation, output, seed=4)
    before = copy.deepcopy(net.parameters_)
    assert gradient_check(net, X, y) < 1e-7
    assert all(np.array_equal(a, b) for a, b in zip(before, net.parameters_))


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(1, 6), min_size=2, max_size=5), st.integers(1, 9), st.integers(0, 1000))
def test_gradients_on_random_shapes(layers, n, seed):
    rng = np.random.default_rng(seed)
    net = random_net(tuple(layers), "tanh", "identity", seed)
    X, T = rng.normal(size=(n, layers[0])), rng.normal(size=(n, layers[-1]))
    assert gradient_check(net, X, T) < 1e-7


def test_gradient_check_finds_a_mistake():
    net = random_net((3, 4, 2), "tanh", "identity")
    X, y = np.ones((4, 3)), np.full((4, 2), 3.0)
    net.gradients = lambda X, y: [g * 0.99 for g in MLP.gradients(net, X, y)]
    assert gradient_check(net, X, y) > 1e-3


def test_loss_is_the_mean_of_chapter_08():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(7, 2)), np.array([0, 2, 1, 1, 0, 2, 2])
    net = random_net((2, 4, 3), "tanh", "softmax")
    p = net.forward(X)
    assert net.loss(X, y) == pytest.approx(-np.log(p[np.arange(7), y]).mean())
    regression = random_net((2, 4, 2), "tanh", "identity")
    T = rng.normal(size=(7, 2))
    assert regression.loss(X, T) == pytest.approx(0.5 * np.sum((regression.forward(X) - T) ** 2) / 7)


def test_gradients_agree_with_scikit_learn():
    """One epoch with one batch is one step: the new weights are the same."""
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(40, 3)), rng.integers(0, 3, 40)
    theirs = MLPClassifier((5,), activation="tanh", solver="sgd", alpha=0, momentum=0, learning_rate_init=0.3,
                           batch_size=40, shuffle=False, random_state=0)  # fmt: skip
    theirs.partial_fit(X, y, classes=[0, 1, 2])
    W1, W2, b1, b2 = *map(np.copy, theirs.coefs_), *map(np.copy, theirs.intercepts_)
    net = MLP((3, 5, 3), "tanh", "softmax")
    for mine, value in zip(net.parameters_, (W1, b1, W2, b2)):
        mine[...] = value
    slopes = net.gradients(X, y)
    theirs.partial_fit(X, y)
    for old, slope_, new in zip((W1, W2), slopes[::2], theirs.coefs_):
        assert np.allclose(old - 0.3 * slope_, new, atol=1e-12)
    for old, slope_, new in zip((b1, b2), slopes[1::2], theirs.intercepts_):
        assert np.allclose(old - 0.3 * slope_, new, atol=1e-12)


def test_regression_and_sigmoid_translate_to_scikit_learn():
    """The card: MLPRegressor's loss is half the mean square, two classes have one sigmoid unit."""
    rng = np.random.default_rng(5)
    X = rng.normal(size=(30, 2))
    same = {"activation": "relu", "solver": "sgd", "alpha": 0, "momentum": 0, "learning_rate_init": 0.1,
            "batch_size": 30, "shuffle": False, "random_state": 1}  # fmt: skip
    for theirs, y, output in (
        (MLPRegressor(hidden_layer_sizes=(4,), **same), X[:, 0] ** 2, "identity"),
        (MLPClassifier((4,), **same), (X[:, 0] > 0.2).astype(int), "sigmoid"),
    ):
        theirs.partial_fit(X, y, **({"classes": [0, 1]} if output == "sigmoid" else {}))
        net = MLP((2, 4, 1), "relu", output)
        start = [theirs.coefs_[0], theirs.intercepts_[0], theirs.coefs_[1], theirs.intercepts_[1]]
        for mine, value in zip(net.parameters_, start):
            mine[...] = value
        wanted = [p - 0.1 * g for p, g in zip(net.parameters_, net.gradients(X, y))]
        theirs.partial_fit(X, y)
        assert np.allclose(theirs.coefs_[0], wanted[0], atol=1e-12)
        assert np.allclose(theirs.coefs_[1], wanted[2], atol=1e-12)


# --- training -----------------------------------------------------------------------------------------------------


def test_one_unit_is_logistic_regression():
    data = datasets.blobs(60, [[0, 0], [1.5, 1]], 1.0)
    net = MLP((2, 1), output="sigmoid", learning_rate=0.5, epochs=4000, batch_size=None).fit(data.X, data.y)
    newton = LogisticRegression().fit(data.X, data.y)
    assert np.allclose(net.parameters_[0][:, 0], newton.w_, atol=1e-3)


def test_training_is_plain_descent():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(20, 2)), rng.normal(size=20)
    net = MLP((2, 3, 1), "tanh", "identity", 0.05, 15, None, 7)
    parameters = copy.deepcopy(net.parameters_)
    net.fit(X, y)
    assert all(np.array_equal(a, b) for a, b in zip(parameters, net.history_[0].parameters))
    for epoch in net.history_[1:]:
        passed = forward_step(X, parameters)
        parameters = [p - 0.05 * g for p, g in zip(parameters, backward_step(passed, parameters, y[:, None]))]
        assert all(np.allclose(a, b, atol=1e-12) for a, b in zip(parameters, epoch.parameters))
    assert net.loss(X, y) == pytest.approx(net.loss_)


@pytest.mark.parametrize("optimizer", [Adam(0.05), Momentum(0.05, 0.9), GradientDescent(0.5)])
def test_optimisers_of_chapter_05(optimizer):
    X, y = two_spirals(60, 0.8, 0.03)
    net = MLP((2, 16, 1), "tanh", "sigmoid", epochs=300, batch_size=20, optimizer=optimizer)
    assert net.fit(3 * X, y).score(3 * X, y) > 0.9
    assert optimizer.k_ == 0  # fit works on a copy
    again = clone(net).fit(3 * X, y)
    assert again.loss_ == net.loss_


def test_schedules():
    X, y = two_spirals(40, 0.6)
    net = MLP((2, 8, 1), "tanh", "sigmoid", linear_decay(1.0, 0.1, 100), 200, None)
    assert net.fit(X, y).loss_ < net.history_[0].loss


def test_any_labels():
    X, y = two_spirals(40, 0.6)
    names = np.array(["left", "right"])[y]
    for output in ("sigmoid", "softmax"):
        net = MLP((None, 8, None), "tanh", output, 0.5, 300, None).fit(3 * X, names)
        assert net.classes_.tolist() == ["left", "right"]
        assert set(net.predict(3 * X)) <= {"left", "right"}
        assert net.score(3 * X, names) > 0.85
        assert np.allclose(net.predict_proba(3 * X).sum(axis=1), 1)
        assert ((net.decision_function(3 * X) > 0) == (net.predict(3 * X) == "right")).all()
        assert net.loss(3 * X, names) == pytest.approx(net.loss_)


def test_several_outputs():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50, 2))
    T = np.column_stack([X[:, 0] * X[:, 1], X.sum(axis=1)])
    net = MLP((2, 20, 2), "tanh", "identity", epochs=400, optimizer=Adam(0.01)).fit(X, T)
    assert net.predict(X).shape == (50, 2)
    assert net.score(X, T) > 0.9


def test_task_follows_the_output_unit():
    assert is_classifier(MLP())
    assert not is_regressor(MLP())
    regression = MLP((None, 8, None), "tanh", "identity", 0.05, 200)
    assert is_regressor(regression)
    assert not is_classifier(regression)
    X = np.random.default_rng(0).normal(size=(60, 2))
    assert cross_val_score(clone(regression), X, X @ [1.0, -2.0]).mean() > 0.8
    regression.fit(X, X @ [1.0, -2.0]).set_params(output="softmax")
    assert regression.predict(X).dtype == float


def test_pickle_and_parameters_changed_in_place():
    X, y = two_spirals(40, 0.6)
    net = pickle.loads(pickle.dumps(MLP((2, 4, 1), "tanh", "sigmoid", epochs=5).fit(X, y)))
    net.parameters_[2][...] = 0.0
    net.parameters_[3][...] = 9.0
    assert (net.predict(X) == 1).all()
    assert (net.history_[-1].parameters[2] != 0).any()  # records are never changed


def test_activations_layer_by_layer():
    net = random_net((2, 5, 3, 1), "relu", "sigmoid")
    X = np.random.default_rng(0).normal(size=(6, 2))
    layers = net.activations(X)
    assert [a.shape for a in layers] == [(6, 2), (6, 5), (6, 3), (6, 1)]
    assert np.array_equal(layers[0], X)
    assert np.array_equal(layers[-1], net.forward(X))
    assert (layers[1] >= 0).all()


def test_xor_over_starts():
    def solved(width):
        nets = [
            MLP((2, width, 1), "tanh", "sigmoid", epochs=300, batch_size=None, optimizer=Adam(0.1), rng=seed)
            for seed in range(12)
        ]
        return sum(net.fit(SWITCHES, LAMP).score(SWITCHES, LAMP) == 1 for net in nets)

    assert 1 <= solved(2) <= 11
    assert solved(8) >= 11


def test_stored_runs_are_those_of_the_code():
    """A part of them, made again; the last digits hang on the processor."""
    kept, small = stored.digit_runs(), stored.diabetes_runs()
    assert set(kept) == set(stored.DIGITS)
    assert all(share.shape == (stored.SPLITS,) for share in kept.values())
    for name in ("larger class", "nearest neighbour", "64-10, 30 epochs", "64-32-10, 30 epochs"):
        right, penalty = stored.digit_rival(name, 3)
        assert penalty is None
        assert right / 597 == pytest.approx(kept[name][3], abs=0.01)
    for name in ("mean", "nearest neighbours", "linear", "network"):
        assert stored.diabetes_rival(name, 3) == pytest.approx(small[name][3], abs=0.01)


def test_stored_training_is_that_of_mlp():
    X, y, X_new, _ = stored.digit_split(0)
    net = stored.trained(X[:200], np.eye(10)[y[:200]], (64, 5, 10), ("relu", "softmax"), 0.1, 3, rng=4)
    model = MLP((64, 5, 10), "relu", "softmax", 0.1, 3, rng=4).fit(X[:200], y[:200])
    assert np.allclose(forward_step(X_new, net, "relu", "softmax").y, model.forward(X_new))
    shrunk = stored.trained(X[:200], np.eye(10)[y[:200]], (64, 5, 10), ("relu", "softmax"), 0.1, 3, 0.1, rng=4)
    assert all(np.linalg.norm(a) < np.linalg.norm(b) for a, b in zip(shrunk[::2], net[::2]))


def test_penalties_are_chosen_inside_their_grids():
    lams, decays = stored.chosen_penalties()
    assert set(lams) <= set(stored.LAMBDAS)
    assert set(decays) <= set(stored.DECAYS)
    assert np.mean((lams > min(stored.LAMBDAS)) & (lams < max(stored.LAMBDAS))) >= 0.9
    assert np.mean(decays < max(stored.DECAYS)) >= 0.9


# --- written-down networks ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [3, 10, 60, 200])
def test_staircase_keeps_its_bound(n):
    x = np.linspace(0, 2, 3001)
    f, steepest = np.sin(3 * x), 3.0
    middles = 2 * (np.arange(n + 1) + 0.5) / (n + 1)
    y = forward_step(x[:, None], staircase(np.sin(3 * middles), 0, 2, 300), "sigmoid").y[:, 0]
    width = 2 / (n + 1)
    assert np.abs(y - f).max() <= steepest * width / 2 + 1e-9


def test_staircase_refuses():
    with pytest.raises(ValueError, match="at least two numbers"):
        staircase([1.0], 0, 1, 10)
    with pytest.raises(ValueError, match="low must be less than high; got 1 and 0"):
        staircase([1.0, 2.0], 1, 0, 10)
    with pytest.raises(ValueError, match="steepness must be greater than 0"):
        staircase([1.0, 2.0], 0, 1, 0)


def test_spirals():
    X, y = two_spirals(121, 1.25, 0.0)
    assert X.shape == (121, 2)
    assert np.bincount(y).tolist() == [61, 60]
    assert np.hypot(*X.T).max() == pytest.approx(1)


# --- bad input ----------------------------------------------------------------------------------------------------

X5, Y5 = np.arange(10.0).reshape(5, 2), np.array([0, 1, 0, 1, 1])


@pytest.mark.parametrize(
    ("params", "X", "y", "words"),
    [
        ({"layers": 5}, X5, Y5, r"layers must list all sizes, .* such as \(2, 8, 1\); got 5"),
        ({"layers": (2,)}, X5, Y5, "layers must list all sizes"),
        ({"layers": (2, 0, 2)}, X5, Y5, r"layers\[1\] must be at least 1; got 0"),
        ({"layers": (2, None, 2)}, X5, Y5, r"layers\[1\] must be a whole number; got None"),
        ({"layers": (3, 4, 2)}, X5, Y5, r"layers\[0\] = 3, but X has 2 features"),
        ({"layers": (2, 4, 3)}, X5, Y5, r"layers\[-1\] = 3, but output='softmax' needs 2"),
        ({"layers": (2, 4, 2), "output": "sigmoid"}, X5, Y5, r"output='sigmoid' needs 1"),
        ({"output": "sigmoid"}, X5, [0, 1, 2, 0, 1], "two classes apart; y holds 3. Use 'softmax'"),
        ({"activation": "step"}, X5, Y5, "activation must be one of"),
        ({"output": "linear"}, X5, Y5, "output must be one of 'identity', 'sigmoid', 'softmax'; got 'linear'"),
        ({"learning_rate": -1}, X5, Y5, "learning_rate must be greater than 0; got -1"),
        ({"epochs": 0}, X5, Y5, "epochs must be at least 1; got 0"),
        ({"batch_size": 0}, X5, Y5, "batch_size must be at least 1; got 0"),
        ({}, X5 * np.nan, Y5, "X must be finite"),
        ({}, X5, Y5[:4], "5 rows, but y has 4"),
        ({}, X5, [0.5, 1, 0, 1, 0], "measured number"),
        ({"output": "identity"}, X5, [0.5, np.nan, 0, 1, 0], "y must be finite"),
        ({"output": "identity"}, X5, np.ones(4), r"y must have shape \(5, k\), one row per row of X; got \(4,\)"),
        ({"output": "identity", "layers": (2, 3, 1)}, X5, np.ones((5, 2)), r"y must have shape \(5,\)"),
    ],
)
def test_fit_refuses(params, X, y, words):
    with pytest.raises(ValueError, match=words):
        MLP(**params).fit(X, y)


def test_other_refusals():
    with pytest.raises(TypeError, match="optimizer must be one of mlteach.optimization"):
        MLP(optimizer="adam").fit(X5, Y5)
    with pytest.raises(NotFittedError):
        MLP((2, 3, 1), output="identity").predict(X5)
    with pytest.raises(AttributeError, match="leaves a size open, which fit fills in"):
        MLP((None, 3, None)).parameters_  # noqa: B018
    with pytest.raises(ValueError, match="output='identity' has no probabilities"):
        MLP((2, 1), output="identity").fit(X5 / 9, Y5).predict_proba(X5)
    net = MLP((2, 3, 2)).fit(X5 / 9, Y5)
    with pytest.raises(ValueError, match=r"y holds the label 7; this network knows \[0, 1\]"):
        net.loss(X5, [0, 1, 7, 0, 1])
    with pytest.raises(ValueError, match=r"y holds the label 'a'; this network knows \[0, 1, 2\]"):
        MLP((2, 3)).loss(X5, ["a", "b", "a", "b", "a"])
    with pytest.raises(ValueError, match="X must have 2 features, one per row of W1; got 3"):
        forward_step(np.ones((4, 3)), HAND)
    with pytest.raises(ValueError, match="W2 must have 2 rows"):
        forward_step(np.ones((4, 2)), [HAND[0], HAND[1], np.ones((3, 1)), np.zeros(1)])
    with pytest.raises(ValueError, match="b1 must have 2 entries"):
        forward_step(np.ones((4, 2)), [HAND[0], np.zeros(3), *HAND[2:]])
    with pytest.raises(ValueError, match="W1, b1, W2, b2, ...; got 3 arrays"):
        forward_step(np.ones((4, 2)), HAND[:3])
    with pytest.raises(ValueError, match=r"T must have the shape of the output, \(1, 1\); got \(2, 1\)"):
        backward_step(forward_step([[2, 1]], HAND), HAND, [[1], [2]])


def test_steps_refuse_with_words():
    passed = forward_step([[2, 1]], HAND)
    with pytest.raises(TypeError, match="parameters must be a list W1, b1, W2, b2, ...; got NoneType"):
        forward_step([[2, 1]], None)
    with pytest.raises(ValueError, match="sums of layer 1 are too large"):
        forward_step([[1e308, 1e308]], [np.full((2, 2), 9.0), np.zeros(2)])
    with pytest.raises(TypeError, match="passed must be what forward_step returned; got tuple"):
        backward_step((passed.z, passed.a), HAND, [[1]])
    with pytest.raises(ValueError, match="a network with other layers"):
        backward_step(passed, [np.ones((2, 3)), np.zeros(3), np.ones((3, 1)), np.zeros(1)], [[1]])
    big = [np.full((2, 1), 1.0), np.zeros(1)]
    with pytest.raises(ValueError, match="slopes are too large"):
        backward_step(forward_step([[1e200, 1e200]], big), big, [[-1e200]])
    for sizes, words in (((2,), "layers must list"), (None, "layers must list"), ((2, -1), "at least 1"),
                         ((None, 1), "all sizes must be known")):  # fmt: skip
        with pytest.raises(ValueError, match=words):
            initial_parameters(sizes)
    with pytest.raises(ValueError, match="activation must be one of"):
        initial_parameters((2, 1), "step")
    with pytest.raises(ValueError, match="too large for floating point"):
        staircase([1.0, 2.0], 0, 1e-300, 1e10)


def test_several_outputs_step_as_in_scikit_learn():
    """The card: with k outputs MLPRegressor shows our loss divided by k, and makes the same step."""
    rng = np.random.default_rng(6)
    X, T = rng.normal(size=(30, 2)), rng.normal(size=(30, 3))
    same = {"activation": "tanh", "solver": "sgd", "alpha": 0, "momentum": 0, "learning_rate_init": 0.1}
    theirs = MLPRegressor(hidden_layer_sizes=(4,), batch_size=30, shuffle=False, random_state=1, **same)
    theirs.partial_fit(X, T)
    net = MLP((2, 4, 3), "tanh", "identity")
    start = [theirs.coefs_[0], theirs.intercepts_[0], theirs.coefs_[1], theirs.intercepts_[1]]
    for mine, value in zip(net.parameters_, start):
        mine[...] = value
    loss, wanted = net.loss(X, T), [p - 0.1 * g for p, g in zip(net.parameters_, net.gradients(X, T))]
    theirs.partial_fit(X, T)
    assert theirs.loss_ == pytest.approx(loss / 3)
    assert np.allclose(theirs.coefs_[0], wanted[0], atol=1e-12)
    assert np.allclose(theirs.coefs_[1], wanted[2], atol=1e-12)


@pytest.mark.parametrize("rate", [50.0, 1e6, 1e200])
def test_divergence_warns_and_keeps_finite_weights(rate):
    X = np.random.default_rng(0).normal(size=(40, 2))
    net = MLP((2, 8, 1), "relu", "identity", rate, 30)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        net.fit(X, 9 * X[:, 0])
    assert [w.category for w in caught] == [ConvergenceWarning]
    assert "smaller" in str(caught[0].message)
    assert not net.converged_
    assert all(np.isfinite(p).all() for p in net.parameters_)
    assert np.isfinite(net.predict(X)).all()


def test_long_chains_of_layers():
    net = MLP((2, *[3] * 60, 1), "tanh", "identity", 0.01, 2)
    assert len(net.gradients(X5, Y5.astype(float))) == 122


# --- explorers ----------------------------------------------------------------------------------------------------


def test_explorers_tell_the_truth():
    """The numbers that the chapter quotes from the read-outs."""

    def said(name, **params):
        return made(name).describe(made(name).compute(**params)).replace("**", "")

    def wrong(words):
        return int(words.split(" of 80")[0].split()[-1])

    assert "J = 2.000; slopes 0.000 in w₁ and −2.000 in w₂" in said("two_weights", w1=3.0, w2=-1.0)
    assert "38 of 80" in said("bent_planes", step=0)
    assert " 0 of 80" in said("bent_planes", step=300)
    assert 15 <= wrong(said("bent_planes", step=300, start=2)) <= 25
    assert all(" 0 of 80" in said("bent_planes", step=300, data="moons", start=k) for k in (0, 1))
    rings = [said("bent_planes", step=300, data="rings", start=k) for k in range(3)]
    assert all(wrong(words) >= 5 for words in rings)
    assert "16 of 80" in said("spiral_network")
    assert " 0 of 80" in said("spiral_network", depth=3)
    assert " 0 of 80" in said("spiral_network", eta=0.1)
    assert wrong(said("spiral_network", depth=3, eta=1.0)) >= 20
    assert all(wrong(said("spiral_network", width=1, depth=depth, eta=0.1)) > 20 for depth in (1, 2, 3))
    assert "error is 0.82" in said("staircase_units")
    assert "error is 0.11" in said("staircase_units", units=60)
    assert "error is 0.21, the mean error 0.041" in said("staircase_units", units=60, steepness=1.0)
    assert "mean error 0.011" in said("staircase_units", units=60)
    assert "mean error 0.007" in said("staircase_units", units=60, steepness=10**0.5)
    assert "mean error 0.096" in said("staircase_units", target="jump")
    assert "mean error 0.013" in said("staircase_units", units=60, target="jump")
    jumps = [said("staircase_units", units=n, target="jump") for n in range(2, 61, 2)]
    assert min(float(words.split("error is ")[1].split(",")[0]) for words in jumps) >= 0.7
    assert "177 weights" in said("spiral_network", depth=3)
    assert "33 weights" in said("spiral_network")
    assert "error is 1.58" in said("staircase_units", units=60, target="jump")
    assert "83 %" in said("saturation_depth", scale=10.0)
    assert "10³" in said("saturation_depth", scale=10.0)
    assert "10⁻⁷" in said("saturation_depth", scale=0.1)
    assert "10⁻⁵" in said("saturation_depth", activation="sigmoid")
    for scale, factor in ((1.0, "0.063"), (10**0.1, "0.32"), (10**0.2, "1.6")):
        assert f"factor of {factor}." in said("saturation_depth", activation="relu", scale=scale)
    assert "nowhere to go" in said("saturation_depth", depth=1)
    means = datasets.breast_cancer().X.mean(axis=0)
    assert [f"{means.min():.3f}", f"{means.max():.0f}"] == ["0.004", "881"]


# --- errata of the sources ----------------------------------------------------------------------------------------


def test_erratum_s0_e78():
    assert relu(1000.0) == 1000.0  # not squashing, and yet a universal approximator: piecewise linear through points
    x = np.linspace(0, 1, 500)
    knots = np.linspace(0, 1, 41)[:-1]
    slopes = np.diff(np.sin(2 * np.pi * np.append(knots, 1.0))) * 40
    y = relu(x[:, None] - knots) @ np.diff(slopes, prepend=0.0)
    assert np.abs(y - np.sin(2 * np.pi * x)).max() < 0.01


def test_erratum_s0_e79():
    W, c, w, b = xor_network()
    printed = relu(SWITCHES @ W + [0, 1]) @ w + b
    assert printed.ravel().tolist() == [-2, -3, -3, -4]
    assert (relu(SWITCHES @ W + c) @ w + b).ravel().tolist() == [0, 1, 1, 0]


def test_erratum_s0_e80():
    assert 1 - sigmoid(20) == pytest.approx(2.06e-9, rel=1e-2)  # the output is at the boundary
    assert slope("sigmoid", 20) == pytest.approx(2.06e-9, rel=1e-2)  # the slope is near 0, not near 1


def test_erratum_s0_e81():
    def density(t, f, beta):
        return np.sqrt(beta / (2 * np.pi)) * np.exp(-beta / 2 * (t - f) ** 2)

    t, f, beta = 3.0, 1.0, 2.0
    assert -np.log(density(t, f, beta)) == pytest.approx(beta / 2 * (t - f) ** 2 + 0.5 * np.log(2 * np.pi / beta))
    assert -np.log(density(t, f, beta)) == pytest.approx(4.572365, abs=5e-7)
    assert 0.5 * density(t, f, beta) == pytest.approx(0.005167, abs=5e-7)
    assert 0.5 * density(t, t, beta) == pytest.approx(0.282095, abs=5e-7)  # larger where the fit is perfect


def test_erratum_s0_e82():
    assert slope("relu", 50.0) == 1.0
    assert slope("sigmoid", 50.0) < 2e-22


def test_erratum_s0_e83():
    assert slope("tanh", 0.0) > slope("sigmoid", 0.0)
    assert slope("tanh", 1.6628) > slope("sigmoid", 1.6628)
    assert slope("tanh", 1.6630) < slope("sigmoid", 1.6630)
    assert (slope("tanh", 3.0), slope("sigmoid", 3.0)) == pytest.approx((0.009866, 0.045177), abs=5e-7)


def test_erratum_s0_e84():
    """What is left in g after the last layer is the slope in x; the slopes of the weights are elsewhere."""
    slopes = backward_step(forward_step([[2, 1]], HAND, "relu"), HAND, [[1]], "relu")
    g = slopes[1] @ HAND[0].T
    assert np.allclose(g, [-0.115, 0.225])
    numeric = numerical_gradient(
        lambda x: 0.5 * (forward_step(x[None], HAND, "relu").y[0, 0] - 1) ** 2, np.array([2.0, 1.0])
    )
    assert np.allclose(g, numeric, atol=1e-8)
    assert len(slopes) == 4


def test_erratum_s0_e85():
    h = forward_step([[2, 1]], HAND, "relu").a[1][0]
    assert HAND[3][0] + h @ HAND[2][:, 0] == pytest.approx(0.5)
    first_unit = HAND[0][:, 0]  # w(1)_11, w(1)_12
    assert HAND[3][0] + h @ first_unit == pytest.approx(0.52)


def test_erratum_s0_e86():
    x, (_, delta, *_) = np.array([2.0, 1.0]), backward_step(forward_step([[2, 1]], HAND, "relu"), HAND, [[1]], "relu")

    def loss(W1):
        return 0.5 * (forward_step([[2, 1]], [W1, *HAND[1:]], "relu").y[0, 0] - 1) ** 2

    right = numerical_gradient(loss, HAND[0]).T  # units x inputs, as printed
    assert np.allclose(np.outer(delta, x), right, atol=1e-8)
    printed = np.array([delta * x, delta * x])
    assert np.allclose(printed, [[-0.7, 0.3], [-0.7, 0.3]])
    assert not np.allclose(printed, right, atol=0.1)


def test_erratum_s2_e2_12():
    w, x = np.array([0.5, 1.0, -1.0]), np.array([2.0, 1.0])
    assert w @ np.append(1, x) == pytest.approx(1.5)
    assert w @ np.append(0, x) == pytest.approx(1.0)  # the offset has disappeared
    unit = [w[1:, None], w[:1]]
    assert forward_step([x], unit).y[0, 0] == pytest.approx(1.5)


def test_erratum_s2_e2_13():
    net = random_net((4, 4, 4), "tanh", "identity", seed=9)
    X, T = np.random.default_rng(9).normal(size=(1, 4)), np.ones((1, 4))
    passed = forward_step(X, net.parameters_)
    delta, W2 = (passed.y - T)[0], net.parameters_[2].T  # units x inputs, as printed
    right = net.gradients(X, T)[1]
    flat = slope("tanh", passed.z[0][0])
    assert np.allclose(W2.T @ delta * flat, right)
    assert np.abs(W2 @ delta * flat - right).max() > 0.1
    assert np.allclose(net.gradients(X, T)[0], np.outer(X[0], right))
    with pytest.raises(ValueError, match="matmul"):
        np.ones((2, 4)) @ np.ones(2)  # 3-4-2: W delta is not even defined


def test_erratum_s2_e2_25():
    net = random_net((2, 3, 3, 1), "tanh", "identity", seed=2)
    rng = np.random.default_rng(2)
    X, t = rng.normal(size=(8, 2)), rng.normal(size=8) + 3
    assert gradient_check(net, X, t) < 1e-7
    layers, right = net.activations(X), net.gradients(X, t)[2]
    naive = layers[1].T @ ((layers[2] - t[:, None]) / 8)
    assert np.abs(naive - right).max() > 0.1


def test_erratum_s2_e2_38():
    far = np.linspace(1e4, 1e4 + 20, 400)[:, None]
    net = initial_parameters((1, 50, 1), "sigmoid", 0)
    y = forward_step(far, net, "sigmoid").y[:, 0]
    assert np.ptp(y) < 1e-9
    assert np.abs(y - np.sin(far[:, 0])).max() > 0.99


def test_erratum_s4_f39():
    assert 0.25**10 == pytest.approx(9.5e-7, rel=0.01)
    rng = np.random.default_rng(0)
    net = [p / (np.linalg.norm(p, 2) if p.ndim == 2 else 1) for p in initial_parameters((8,) * 12, "tanh", rng)]
    Z, Delta = forward_step(rng.normal(size=(1, 8)), net, "sigmoid").z, np.ones((1, 8))
    start = np.linalg.norm(Delta)
    for layer in range(10, 0, -1):
        Delta = Delta @ net[2 * layer].T * slope("sigmoid", Z[layer - 1])
    assert np.linalg.norm(Delta) / start <= 9.6e-7


def test_erratum_s4_f40():
    z = np.array([2.0, 1.0, 0.0])
    net = MLP((3, 3), output="softmax")
    net.parameters_[0][...] = np.eye(3)
    assert np.allclose(net.forward([z]), np.exp(z) / np.exp(z).sum())
    assert net.forward([z]).sum() == pytest.approx(1)


def test_a_leaky_unit_is_no_cure_for_too_large_a_step():
    """Section 18.9.3: sixteen units on the spirals, plain descent; the rate decides, the leak hardly does."""
    X, y = two_spirals(80, 1.25, 0.04)
    X, T = 2 * X, y[:, None].astype(float)

    def right(leak, eta, seed):
        rng = np.random.default_rng(seed)
        W1, b1, W2, b2 = initial_parameters((2, 16, 1), "relu", rng)
        for _ in range(100):
            for batch in np.split(rng.permutation(80), range(16, 80, 16)):
                Z = X[batch] @ W1 + b1
                A = np.where(Z > 0, Z, leak * Z)
                D2 = (expit(A @ W2 + b2) - T[batch]) / len(batch)
                D1 = D2 @ W2.T * np.where(Z > 0, 1.0, leak)
                W2, b2 = W2 - eta * A.T @ D2, b2 - eta * D2.sum(axis=0)
                W1, b1 = W1 - eta * X[batch].T @ D1, b1 - eta * D1.sum(axis=0)
        Z = X @ W1 + b1
        return np.mean((np.where(Z > 0, Z, leak * Z) @ W2 + b2 > 0) == (T > 0))

    shares = {(leak, eta): np.mean([right(leak, eta, seed) for seed in range(10)])
              for leak in (0.0, 0.01) for eta in (0.5, 10.0)}  # fmt: skip
    assert min(shares[0.0, 0.5], shares[0.01, 0.5]) > 0.93
    assert max(shares[0.0, 10.0], shares[0.01, 10.0]) < 0.75

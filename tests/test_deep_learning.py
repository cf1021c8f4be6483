"""Chapter 19: the engine against HIPS autograd and finite differences, layers, training, and what keeps depth alive."""

import copy
import itertools
import pickle
import warnings
from functools import partial

import autograd.numpy as anp
import numpy as np
import pytest
from autograd import grad
from explorers import made
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.neural_network import MLPClassifier

from mlteach import datasets
from mlteach.deep_learning import (
    Dense,
    Dropout,
    Layer,
    Residual,
    Sequential,
    Tensor,
    augment,
    constant,
    cross_entropy,
    initial_std,
    node,
    pack,
    signal_sizes,
    squared_error,
    stored,
    train,
    unpack,
)
from mlteach.explore.deep_learning import _run
from mlteach.logistic_regression import softmax_loss
from mlteach.optimization import (
    AdaGrad,
    Adam,
    AdamW,
    GradientDescent,
    Momentum,
    Nesterov,
    RMSProp,
    linear_decay,
    numerical_gradient,
)
from mlteach.validation import ConvergenceWarning

RNG = np.random.default_rng(19)
A, B, V = RNG.normal(size=(3, 4)), RNG.normal(size=(4, 2)), RNG.normal(size=4)
S, P = RNG.normal(size=(5, 3, 4)), np.abs(RNG.normal(size=(3, 4))) + 0.2


def digits(n=300):
    data = datasets.digits()
    return data.X[:n] / 16, data.y[:n].astype(int)


def small(seed=0, p=0.0, sizes=(64, 16, 10)):
    rng = np.random.default_rng(seed)
    hidden, last = Dense(*sizes[:2], "relu", rng), Dense(*sizes[1:], rng=rng)
    return Sequential(hidden, Dropout(p, rng), last) if p else Sequential(hidden, last)


# --- the engine ----------------------------------------------------------------------------------------------


def test_worked_example():
    a, b = Tensor(2.0), Tensor(3.0)
    c = a * b
    d = a + c
    L = d**2
    L.backward()
    assert [float(t.grad) for t in (a, b, c, d, L)] == [64, 32, 16, 16, 1]


SAME = {  # the same expression means the same to numpy's autograd and to ours
    "matrix": (lambda a, b: ((a @ b) ** 2).sum(), A, B),
    "matrix-vector": (lambda a, b: ((a @ b) ** 3).sum(), A, V),
    "vector-matrix": (lambda a, b: ((a @ b) ** 2).sum(), V, B),
    "inner product": (lambda a, b: (a @ b) ** 2, V, V + 1),
    "stack of matrices": (lambda a, b: ((a @ b) ** 2).sum(), S, B),
    "stack and vector": (lambda a, b: ((a @ b) ** 2).sum(), S, V),
    "quotients": (lambda a, b: (a / b - b / a).mean(), A, V),
    "powers": (lambda a, b: (a**b).sum(), P, V),
    "number to the power": (lambda a: (2.0**a * a.sum(axis=0)).sum(), A),
    "constants on the left": (lambda a: (np.ones((3, 4)) * a - 1.0 - (3 - a) + 2 / a).sum() * 2 / 3, A),
    "broadcasting": (lambda a, b: (a * b[:, None] - b[0]).sum(), A.T, V),
    "indices taken twice": (lambda a: (a[[0, 0, 2], 1:] * a[1:, ::2][:1, :1]).sum(), A),
    "mean over axes": (lambda a: (a.mean(axis=(0, 2)) ** 2).sum(), S),
    "other shapes": (lambda a: (a.transpose((1, 0, 2)).reshape((3, 20)) @ np.arange(20.0)).sum(), S),
    "transposed": (lambda a, b: (a.T @ a @ b).mean(), A, B),
    "used twice": (lambda a: (a * a + a * a * a - (-a)).sum(), A),
}


@pytest.mark.parametrize("name", SAME)
def test_operations_against_autograd(name):
    f, *arrays = SAME[name]
    tensors = [Tensor(x) for x in arrays]
    f(*tensors).backward()
    for k, tensor in enumerate(tensors):
        assert np.allclose(tensor.grad, grad(f, k)(*arrays), rtol=1e-10, atol=1e-12)


FUNCTIONS = {
    "exp": (lambda t: t.exp(), anp.exp),
    "log": (lambda t: t.log(), anp.log),
    "tanh": (lambda t: t.tanh(), anp.tanh),
    "sigmoid": (lambda t: t.sigmoid(), lambda x: 1 / (1 + anp.exp(-x))),
    "relu": (lambda t: t.relu(), lambda x: anp.maximum(x, 0)),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_against_autograd(name):
    ours, theirs = FUNCTIONS[name]
    x = P if name == "log" else A
    t = Tensor(x)
    (ours(t) * B.ravel()[:4]).sum().backward()
    assert np.allclose(ours(t).data, theirs(x), rtol=1e-12)
    assert np.allclose(t.grad, grad(lambda z: anp.sum(theirs(z) * B.ravel()[:4]))(x), rtol=1e-9)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 99), st.integers(0, 99)), min_size=1, max_size=25))
def test_random_graphs_against_autograd(program):
    """Any program of sums, products, tanh, quotients and matrix products has autograd's gradient."""

    moves = [
        lambda a, b, tanh: a + b,
        lambda a, b, tanh: tanh(a) * b,
        lambda a, b, tanh: tanh(a - b),
        lambda a, b, tanh: a / (b * b + 1.0),
        lambda a, b, tanh: tanh(a @ b),
        lambda a, b, tanh: a * 0.5 + tanh(b.T),
    ]

    def run(x, y, tanh, lib_sum):
        made = [x, y]
        for what, i, j in program:
            made.append(moves[what](made[i % len(made)], made[j % len(made)], tanh))
        return lib_sum(tanh(made[-1]) + 0.1 * x * y)

    x, y = np.array([[0.3, -0.8], [1.1, 0.4]]), np.array([[-0.5, 0.9], [0.2, 0.7]])
    tx, ty = Tensor(x), Tensor(y)
    run(tx, ty, Tensor.tanh, Tensor.sum).backward()
    for k, tensor in enumerate((tx, ty)):
        wanted = grad(lambda *z: run(*z, anp.tanh, anp.sum), k)(x, y)
        assert np.allclose(tensor.grad, wanted, rtol=1e-8, atol=1e-10)


def test_long_chains_need_no_recursion():
    x = Tensor(1.0)
    y = x
    for _ in range(5000):
        y = y * 1.0001 + 0.0
    y.backward()
    assert float(x.grad) == pytest.approx(1.0001**5000, rel=1e-9)
    for _ in range(50_000):
        y = y + x
    del y  # and none to be forgotten


def test_every_value_is_visited_once():
    """A tower of squares has 2^60 paths; (19.2) needs 60 steps."""
    x = Tensor(1.0)
    y = x
    for _ in range(60):
        y = y + y
    y.backward()
    assert float(x.grad) == 2.0**60
    assert len(y.graph()) == 61


def test_backward_forgets_earlier_calls():
    x = Tensor([1.0, 2.0])
    y = (x**2).sum()
    y.backward()
    y.backward()
    assert x.grad.tolist() == [2, 4]


def test_gradients_may_be_changed_in_place():
    x, y = Tensor(A), Tensor(A)
    (x + y).sum().backward()
    x.grad *= 0
    assert (y.grad == 1).all()


def test_seed_of_the_backward_pass():
    x = Tensor(A)
    (x * 3).backward(gradient=A)
    assert np.allclose(x.grad, 3 * A)


def test_constants_get_no_gradient():
    c, x = constant([1.0, 2.0]), Tensor([3.0, 4.0])
    (c * x).sum().backward()
    assert c.grad is None
    assert x.grad.tolist() == [1, 2]
    assert constant(x) is x


def test_slopes_at_corners():
    x = Tensor([0.0, 0.0])
    (x**0 + x**2 + x.relu()).sum().backward()
    assert x.grad.tolist() == [0, 0]
    n = Tensor(2.0)
    (np.array([0.0, 3.0]) ** n).sum().backward()
    assert float(n.grad) == pytest.approx(9 * np.log(3))


def test_no_warnings_where_numbers_overflow():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        x = Tensor([1000.0, -1.0, 0.0])
        y = x.exp() / 0 + x.log() + x * 1e308 * 1e10 - x.exp() + (-x).sigmoid() + x**1000
        y.sum().backward()
        assert not np.isfinite(y.data).all()
        assert (Tensor([-np.inf]).relu().data == 0).all()


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (lambda: Tensor(A).backward(), r"starts at one number; got shape \(3, 4\)"),
        (lambda: Tensor(A) + V[:3], r"shapes of \+ do not fit together: \(3, 4\) and \(3,\)"),
        (lambda: Tensor(A) @ A, r"same k; got \(3, 4\) @ \(3, 4\)"),
        (lambda: constant(1.0).backward(), "nothing to differentiate"),
        (lambda: Tensor(A).backward(np.ones(3)), r"shape \(3, 4\) of the Tensor; got \(3,\)"),
    ],
)
def test_engine_says_what_is_wrong(act, words):
    with pytest.raises(ValueError, match=words):
        act()


def test_only_numbers_become_tensors():
    with pytest.raises(TypeError, match="real numbers"):
        Tensor(["a"])
    with pytest.raises(TypeError, match="real numbers"):
        Tensor([1j])
    with pytest.raises(TypeError, match="forgets how"):
        Tensor(Tensor(1.0))
    assert Tensor([True, 2]).data.dtype == float


def test_small_manners():
    x = Tensor(A)
    assert len(x) == 3
    assert x.size == 12
    assert repr(Tensor([1.0, 2.0])) == "Tensor([1., 2.])"
    assert float(Tensor([[2.5]])) == 2.5
    assert isinstance(np.float64(2.0) * x, Tensor)
    assert isinstance(A + x, Tensor)
    assert x.reshape(4, 3).shape == x.T.shape == (4, 3)
    assert np.array_equal(pickle.loads(pickle.dumps(x)).data, A)


def test_new_operation():
    def softplus(x):
        return node("softplus", np.logaddexp(0, x.data), (x, lambda g: g / (1 + np.exp(-x.data))))

    x = Tensor(A)
    softplus(x).sum().backward()
    assert np.allclose(x.grad, x.sigmoid().data)


# --- layers --------------------------------------------------------------------------------------------------


def check_layer(model, X, loss):
    """Compare the gradients of all parameters with finite differences."""
    parameters = model.parameters()
    w = pack(parameters)
    loss(model(X)).backward()
    ours = np.concatenate([p.grad.ravel() for p in parameters])

    def value(v):
        unpack(parameters, v)
        return float(loss(model(X)))

    assert np.allclose(ours, numerical_gradient(value, w), rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("activation", [None, "relu", "tanh", "sigmoid", Tensor.exp])
def test_layers_against_finite_differences(activation):
    rng = np.random.default_rng(2)
    X = rng.normal(size=(6, 3))
    model = Sequential(Dense(3, 5, activation, rng), Residual(Dense(5, 5, "tanh", rng)), Dense(5, 2, rng=rng))
    check_layer(model, X, lambda y: (y**2).mean())
    check_layer(model, X, lambda y: cross_entropy(y, [0, 1, 1, 0, 1, 0]))
    check_layer(model, X, lambda y: squared_error(y, X[:, :2]))


def test_shared_layer_gets_the_sum():
    rng = np.random.default_rng(3)
    layer, X = Dense(4, 4, "tanh", rng), rng.normal(size=(5, 4))
    model = Sequential(layer, layer)
    assert len(model.parameters()) == 2
    check_layer(model, X, lambda y: (y**2).mean())
    first, second = copy.deepcopy(layer), copy.deepcopy(layer)
    (Sequential(first, second)(X) ** 2).mean().backward()
    (model(X) ** 2).mean().backward()
    assert np.allclose(layer.W.grad, first.W.grad + second.W.grad)


@pytest.mark.parametrize("p", [0.0, 0.1, 0.5, 0.9])
def test_dropout_keeps_the_expected_activation(p):
    h = np.full(200_000, 3.0)
    out = Dropout(p, rng=1)(h, training=True).data
    assert set(np.unique(out.round(9))) <= {0.0, round(3 / (1 - p), 9)}
    spread = 3 * np.sqrt(p / (1 - p))
    assert out.mean() == pytest.approx(3, abs=5 * spread / np.sqrt(len(h)) + 1e-12)
    assert out.std() == pytest.approx(spread, rel=0.02, abs=1e-9)
    assert (Dropout(p, rng=1)(h).data == h).all()


def test_dropout_passes_gradients_where_it_passes_values():
    x = Tensor(np.ones(1000))
    y = Dropout(0.3, rng=5)(x, training=True)
    y.sum().backward()
    assert np.array_equal(x.grad, y.data)


def test_all_sub_networks_have_the_mean_of_the_whole():
    rng = np.random.default_rng(0)
    h, W = rng.normal(size=8), rng.normal(size=(8, 3))
    masks = np.array(list(itertools.product((0, 1), repeat=8)))
    kept = masks.sum(axis=1)
    weight = 0.3 ** (8 - kept) * 0.7**kept
    assert np.allclose(weight @ ((masks * h / 0.7) @ W), h @ W)


def test_start_keeps_the_size():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(50, 400)), rng.integers(0, 10, 50)
    for activation in ("relu", None):
        sizes = signal_sizes(Sequential(*[Dense(400, 400, activation, rng) for _ in range(10)]), X, y)
        assert 0.5 < sizes.forward[-1] / sizes.forward[0] < 2
        assert 0.5 < sizes.backward[0] / sizes.backward[-1] < 2
        assert len(sizes.forward) == len(sizes.backward) == 11
    assert initial_std(50, "relu") == pytest.approx(0.2)
    assert initial_std(25) == pytest.approx(0.2)


def test_residual_blocks_keep_the_gradient():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(20, 16)), rng.integers(0, 10, 20)
    plain = [Dense(16, 16, "sigmoid", rng) for _ in range(30)]
    back = [signal_sizes(Sequential(*tower), X, y).backward for tower in (plain, [Residual(d) for d in plain])]
    assert back[0][0] / back[0][-1] < 1e-12
    assert 0.1 < back[1][0] / back[1][-1] < 10


def test_erratum_s4_f39():
    """Deeper is not best: ten sigmoids leave at most 9.5e-7 of a gradient, and thirty plain layers fail to train."""
    assert 0.25**10 == pytest.approx(9.5e-7, rel=0.01)
    x = Tensor(0.0)
    y = x
    for _ in range(10):
        y = (y - y.data).sigmoid()  # every unit at its steepest
    y.backward()
    assert float(x.grad) == pytest.approx(0.25**10)
    X, t = digits()
    errors = []
    for depth in (2, 30):
        rng = np.random.default_rng(0)
        inner = [Dense(20, 20, "tanh", rng) for _ in range(depth)]
        model = Sequential(Dense(64, 20, "tanh", rng), *inner, Dense(20, 10, rng=rng))
        errors.append(train(model, X, t, Adam(0.003), 15).train_error[-1])
    assert errors[1] > errors[0] + 0.2


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (lambda: Dense(0, 2), "n_in must be at least 1"),
        (lambda: Dense(2, 2.5), "n_out must be a whole number"),
        (lambda: Dense(2, 2, "step"), "activation must be one of None, 'relu'"),
        (lambda: Dense(2, 2)(np.ones((4, 3))), r"needs inputs \(n, 2\); got shape \(4, 3\)"),
        (lambda: Dropout(1.0), "p must be at least 0 and less than 1"),
        (lambda: Dropout(-0.1), "p must be"),
        (lambda: Residual(Dense(2, 3))(np.ones((4, 2))), r"shapes are \(4, 2\) and \(4, 3\)"),
        (lambda: cross_entropy(np.ones((2, 3)), [0, 3]), "from 0 to 2.*got 3"),
        (lambda: cross_entropy(np.ones((2, 3)), [0, 0.5]), "got 0.5"),
        (lambda: cross_entropy(np.ones((2, 3)), [0]), r"shape \(2,\)"),
        (lambda: cross_entropy(np.ones(3), [0]), r"\(n, K\)"),
        (lambda: squared_error(np.ones((2, 2)), [0, 1]), r"shape \(2, 2\) of the outputs"),
        (lambda: augment(np.ones((2, 60))), "64 pixels; X has 60"),
        (lambda: augment(np.ones((2, 64)), shift=-1), "shift must be"),
    ],
)
def test_layers_say_what_is_wrong(act, words):
    with pytest.raises(ValueError, match=words):
        act()


def test_only_what_can_be_called_is_a_layer():
    with pytest.raises(TypeError, match="Sequential\\(a, b, c\\)"):
        Sequential([Dense(2, 2)])
    assert Sequential(Tensor.relu)(np.array([-1.0, 2.0])).data.tolist() == [0, 2]
    assert Layer().parameters() == []


def test_cross_entropy_is_that_of_chapter_08():
    rng = np.random.default_rng(0)
    X, t, W, b = rng.normal(size=(20, 3)), rng.integers(0, 4, 20), rng.normal(size=(3, 4)), rng.normal(size=4)
    ours = float(cross_entropy(X @ W + b, t))
    assert ours == pytest.approx(softmax_loss(X, np.eye(4)[t], W.T, b) / 20)
    assert float(cross_entropy(np.array([[0.0, 1e6]]), [0])) == 1e6


# --- training ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "optimizer",
    [
        GradientDescent(0.3),
        Momentum(0.1),
        Nesterov(0.1),
        AdaGrad(0.05),
        RMSProp(0.005),
        Adam(0.01),
        AdamW(0.01),
        Momentum(linear_decay(0.1, 0.01, tau=50)),
    ],
    ids=lambda o: type(o).__name__,
)
def test_every_optimiser_of_chapter_05_trains(optimizer):
    X, y = digits(200)
    history = train(small(), X, y, optimizer, 12)
    assert history.train_loss[-1] < 0.7 * history.train_loss[0]
    assert len(history.train_loss) == 13
    assert history.best_epoch == 12
    assert history.stopped == "epochs"


def test_training_is_reproducible():
    X, y = digits(150)
    ends = []
    for _ in range(2):
        model = small(1, p=0.3)
        train(model, X, y, Adam(0.01), 3, rng=4)
        ends.append(pack(model.parameters()))
    assert np.array_equal(*ends)


def test_full_batch_is_gradient_descent():
    X, y = digits(60)
    model = small(2)
    w = pack(model.parameters())
    cross_entropy(model(X), y).backward()
    g = np.concatenate([p.grad.ravel() for p in model.parameters()])
    train(model, X, y, GradientDescent(0.1), 1, batch_size=60)
    assert np.allclose(pack(model.parameters()), w - 0.1 * g)


def test_weight_decay_is_a_penalty_on_weights_only():
    X, y = digits(60)
    model = small(2)
    parts = [p.data.copy() for p in model.parameters()]
    cross_entropy(model(X), y).backward()
    grads = [p.grad.copy() for p in model.parameters()]
    train(model, X, y, GradientDescent(0.1), 1, batch_size=60, lam=0.5)
    for p, before, g in zip(model.parameters(), parts, grads):
        decay = 0.95 if p.ndim > 1 else 1.0
        assert np.allclose(p.data, decay * before - 0.1 * g)


def test_scikit_learn_penalises_alpha_over_the_batch():
    """The card's translation: MLPClassifier's alpha/(2n) with n the batch is our lam/2; one full-batch step of SGD."""
    X, y = digits(50)
    theirs = MLPClassifier((16,), solver="sgd", alpha=5.0, batch_size=50, learning_rate_init=0.1, momentum=0,
                           nesterovs_momentum=False, max_iter=1, random_state=0)  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs.partial_fit(X, y, classes=np.arange(10))
        model = small(0)
        for layer, W, b in zip(model.layers, theirs.coefs_, theirs.intercepts_):
            layer.W.data, layer.b.data = W.copy(), b.copy()
        theirs.partial_fit(X, y)
    train(model, X, y, GradientDescent(0.1), 1, batch_size=50, lam=5.0 / 50)
    assert np.allclose(model.layers[0].W.data, theirs.coefs_[0], atol=1e-10)
    assert np.allclose(model.layers[1].b.data, theirs.intercepts_[1], atol=1e-10)


def test_early_stopping_leaves_the_best_weights():
    X, y = digits(400)
    noisy = y.copy()
    noisy[:60] = (noisy[:60] + 3) % 10
    model = small(0, sizes=(64, 48, 10))
    check = X[200:], y[200:]
    history = train(model, X[:200], noisy[:200], Adam(0.01), 200, validation=check, patience=4)
    assert history.stopped == "patience"
    assert len(history.validation_loss) == history.best_epoch + 4 + 1
    assert history.best_epoch == np.argmin(history.validation_loss)
    assert float(cross_entropy(model(check[0]), check[1])) == pytest.approx(history.validation_loss.min())
    without = small(0, sizes=(64, 48, 10))
    longer = train(without, X[:200], noisy[:200], Adam(0.01), len(history.train_loss) - 1, validation=check)
    assert np.allclose(longer.validation_loss, history.validation_loss)
    assert float(cross_entropy(without(check[0]), check[1])) == pytest.approx(longer.validation_loss[-1])


def test_regression_and_snapshots():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100, 2))
    y = X @ [1.0, -2.0] + 0.5
    model = Sequential(Dense(2, 1, rng=1))
    history = train(model, X, y, Adam(0.05), 60, snapshots=True)
    assert history.train_loss[-1] < 1e-3
    assert history.train_error.size == history.validation_loss.size == 0
    assert len(history.snapshots) == 61
    assert np.array_equal(history.snapshots[-1], pack(model.parameters()))
    assert train(model, X, y[:, None], Adam(0.05), 0).train_loss.size == 1


def test_divergence_warns_and_leaves_finite_weights():
    X, y = digits(100)
    model = Sequential(Dense(64, 1, rng=0))
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        with pytest.warns(ConvergenceWarning, match="smaller learning rate, or scale the inputs") as caught:
            history = train(model, 1000 * X, y / 10, GradientDescent(1.0), 50)
    assert caught[0].filename == __file__
    assert history.stopped == "diverged"
    assert np.isfinite(pack(model.parameters())).all()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"X": np.full((5, 64), np.nan)}, "X must be finite"),
        ({"y": [0, 1, 2, 3, 10]}, "from 0 to 9.*got 10"),
        ({"y": [0, 1, 2, 3, -1]}, "got -1"),
        ({"y": [0, 1, 2]}, "one entry for each sample"),
        ({"X": np.ones((5, 60))}, r"needs inputs \(n, 64\)"),
        ({"epochs": -1}, "epochs must be at least 0"),
        ({"batch_size": 0}, "batch_size"),
        ({"lam": -1.0}, "lam must be at least 0"),
        ({"patience": 3}, "patience needs validation"),
        ({"validation": np.ones((3, 64))}, r"pair \(X, y\)"),
        ({"validation": (np.ones((3, 64)), [0, 1])}, "validation y"),
        ({"loss": "hinge"}, "loss must be one of"),
        ({"model": Sequential(Dropout(0.5))}, "no parameters"),
        ({"X": np.ones((5, 60))}, r"got shape \(5, 60\)"),
        ({"y": [[0], [1], [2], [3], [4]]}, "ravel"),
        ({"model": None}, "model must be a layer"),
        ({"optimizer": "adam"}, r"such as Adam\(0.01\)"),
        ({"optimizer": Adam}, r"such as Adam\(0.01\)"),
        ({"augment": 3}, "augment must be a function"),
        ({"augment": lambda X, rng: X[:2]}, "the same shape"),
        ({"loss": lambda outputs, y: 3.0}, "loss must return a Tensor"),
        ({"loss": lambda outputs, y: outputs}, "with one number"),
    ],
)
def test_training_says_what_is_wrong(change, words):
    settings = {"model": small(), "X": np.ones((5, 64)), "y": [0, 1, 2, 3, 4], "optimizer": Adam(0.01), "epochs": 1}
    with pytest.raises((ValueError, TypeError), match=words):
        train(**{**settings, **change})


def test_small_tools_say_what_is_wrong():
    for act, words in (
        (lambda: unpack(small().parameters(), np.zeros(9000)), "must hold 1210 numbers"),
        (lambda: signal_sizes(Dense(2, 2), np.ones((1, 2)), [0]), "must be a Sequential"),
        (lambda: augment(np.ones((1, 64)), shape=8), "pair"),
        (lambda: augment(np.ones((1, 64)), shape=(-8, -8)), "height"),
        (lambda: initial_std(50, "swish"), "activation"),
        (lambda: Tensor([[1], [1, 2]]), "different lengths"),
    ):
        with pytest.raises((ValueError, TypeError), match=words):
            act()


def test_snapshots_are_copies():
    X, y = digits(40)
    model = small()
    history = train(model, X, y, Adam(0.01), 1, snapshots=True)
    before = history.snapshots[-1].copy()
    model.layers[0].W.data += 1
    assert np.array_equal(history.snapshots[-1], before)


@pytest.mark.slow
def test_thirty_plain_layers_fail_for_other_starts():
    """Section 19.5.2: between 40 and 90 % wrong after 15 epochs, whatever the start."""
    data = datasets.digits()
    ends = []
    for seed in range(5, 11):
        draw = np.random.default_rng([19, seed])
        rows = draw.permutation(len(data.y))[:300]
        inner = [Dense(20, 20, "tanh", draw) for _ in range(30)]
        model = Sequential(Dense(64, 20, "tanh", draw), *inner, Dense(20, 10, rng=draw))
        X, y = data.X[rows] / 16, data.y[rows]
        ends.append(train(model, X, y, Adam(0.003), 15, rng=seed).train_error[-1])
    assert 0.35 < min(ends) < 0.55 < 0.8 < max(ends) < 0.95


def test_stored_runs_are_those_of_the_code():
    starts, guards, held, rivals = map(stored.read, stored.FILES)
    for name in ("majority", "softmax regression", "64-64-10", "nearest neighbour"):
        assert stored.rival(name, 3)[0] == pytest.approx(rivals[name][3], abs=0.01)
    assert stored.rival("nearest neighbour", 22)[0] == pytest.approx(rivals["nearest neighbour"][22], abs=0.002)
    best = held["300 clean: decay, strength"][3]
    assert stored.held_back("decay", best, 300, 0, 3)[1] == pytest.approx(held["300 clean: decay"][3], abs=0.01)
    assert stored.deep_run("residual", 3, Adam(0.003), 15)[2][15] == pytest.approx(starts["residual"][3], abs=0.04)
    assert stored.ten_layers(1.0, True, 0.003, 10, 3)[10] == pytest.approx(guards["normalised 1"][3], abs=0.06)
    assert [len(column["run"] if "run" in column else next(iter(column.values()))) for column in (starts, guards, held,
            rivals)] == [20, 20, 20, 26]  # fmt: skip


def test_stored_splits_are_disjoint():
    for seed in (0, 19, 20, 25):
        parts = stored.split(seed)
        assert [len(rows) for rows in parts] == [897, 300, 600]
        assert len(set(np.concatenate(parts))) == 1797
        assert (np.ptp(parts[2]) == 599) == (seed >= 20)


@pytest.mark.slow
def test_shifts_cost_a_large_network_nothing():
    """Section 19.6.3: 128 units and five times the epochs read centred digits equally well with shifts and without."""
    X, y = digits(1797)
    errors = {None: [], 1: []}
    for seed in range(3):
        rows = np.random.default_rng([6, seed]).permutation(len(X))
        learn, check = rows[:300], rows[300:800]
        for shift, group in errors.items():
            rng = np.random.default_rng(seed)
            model = Sequential(Dense(64, 128, "relu", rng), Dense(128, 10, rng=rng))
            change = None if shift is None else partial(augment, shift=shift)
            train(model, X[learn], y[learn], Adam(0.01), 150, batch_size=60, augment=change, rng=seed)
            both = X[check], augment(X[check], 1, shift=1)
            group.append([np.mean(model(Z).data.argmax(axis=1) != y[check]) for Z in both])
    (centred, moved), (shifted_centred, shifted_moved) = (np.mean(group, axis=0) for group in errors.values())
    assert abs(centred - shifted_centred) < 0.015
    assert 0.03 < shifted_centred < 0.07
    assert shifted_moved < 0.15 < 0.5 < moved


def test_augmentation_moves_and_keeps():
    X, _ = digits(40)
    moved = augment(X, 3, shift=1)
    assert moved.shape == X.shape
    pictures = np.pad(X.reshape(-1, 8, 8), ((0, 0), (1, 1), (1, 1)))
    for k, picture in enumerate(moved.reshape(-1, 8, 8)):
        places = [
            (i, j) for i in range(3) for j in range(3) if np.array_equal(pictures[k, i : i + 8, j : j + 8], picture)
        ]
        assert places
    assert np.array_equal(augment(X, shift=0), X)
    flipped = augment(X, 1, shift=0, flip=True).reshape(-1, 8, 8)
    same = [
        np.array_equal(f, p.reshape(8, 8)) or np.array_equal(f, p.reshape(8, 8)[:, ::-1]) for f, p in zip(flipped, X)
    ]
    assert all(same)
    assert augment(X, 1, shift=0, noise=0.1).std() > X.std()
    train(small(), X, np.arange(40) % 10, Adam(0.01), 1, augment=partial(augment, shift=1))


# --- explorers -----------------------------------------------------------------------------------------------


def test_walk_says_what_the_chapter_says():
    walk = made("backward_walk")
    said = [walk.describe(walk.compute(step=k)) for k in range(8)]
    assert "**64**" in said[7]
    assert "first share of **16**" in said[6]
    assert "**0**" in walk.describe(walk.compute(step=7, b=-1.0))


def test_numbers_that_the_chapter_quotes_from_explorers():
    scale, cuts = made("initial_scale"), made("short_cuts")
    for s, power in ((2.0, "10⁶"), (0.5, "10⁻⁶")):
        said = scale.describe(scale.compute(scale=s, activation="relu"))
        assert said.count(power) == 2
    assert "gradient has about **15** times" in scale.describe(scale.compute(scale=2.0, activation="tanh"))
    said = cuts.describe(cuts.compute(depth=40, activation="sigmoid"))
    assert "10⁻²⁵" in said
    assert "with them **1.3**" in said
    assert "**0.1**" in cuts.describe(cuts.compute(depth=40, activation="tanh"))
    relu = cuts.describe(cuts.compute(depth=40, activation="relu"))
    assert "**0.2**" in relu
    assert "10⁸" in relu
    assert "with them about **29**" in cuts.describe(cuts.compute(depth=40, activation="tanh"))
    assert "**6.0**" in cuts.describe(cuts.compute(depth=40, activation="relu", share=True))


@pytest.mark.slow
def test_numbers_that_the_chapter_quotes_of_penalty_patience_and_sub_networks():
    held, patience, parts = made("penalty_and_dropout"), made("patience_watch"), made("sub_networks")
    history = held.compute(p=0.0, lam=0.0, epoch=80)[0]
    assert history.validation_loss[-1] > 3 * history.validation_loss.min()
    history = held.compute(p=0.0, lam=0.03)[0]
    assert history.validation_loss[-1] < 1.1 * history.validation_loss.min()
    assert (round(history.train_loss[-1], 2), round(history.validation_loss[-1], 2)) == (0.25, 0.42)
    assert held.compute(p=0.8, lam=0.1)[0].train_loss[-1] > 0.6
    others = [_run(0.0, 0.0, seed)[1].validation_loss for seed in range(3, 23)]
    ratios = np.array([losses[-1] / losses.min() for losses in others])
    assert ratios.min() > 1.1
    assert np.sum(ratios > 2) == 12
    for k, epochs, lack in ((1, "**6**", "0.025"), (5, "**14**", "0.010"), (14, "**27**", "0.000")):
        said = patience.describe(patience.compute(patience=k))
        assert epochs in said
        assert lack in said
    assert patience.compute(patience=13)[3][-1].max() > 0.01
    lack = patience.compute(patience=1)[3][-1]
    assert np.sum(lack > 0.03) == 3
    assert np.sum(lack == 0) == 5
    best = [patience.compute(patience=1, run=run)[0].min() for run in range(1, 9)]
    assert 0.04 < lack.mean() / np.mean(best) < 0.07
    share, weight, exact, scaled, *_ = parts.compute(point="doubtful")
    assert 300 < weight @ (share - exact) ** 2 / (scaled - exact) ** 2 < 1000  # sub-networks that match one pass
    share, weight, exact, scaled, *_ = parts.compute(point="clear case")
    assert weight @ (share - exact) ** 2 / (scaled - exact) ** 2 < 10
    said = parts.describe(parts.compute(point="doubtful"))
    assert "0.578" in said
    assert "0.582" in said
    assert "±0.10" in said
    clear = "clear case"
    assert "0.940" in parts.describe(parts.compute(point=clear))
    _, _, exact, scaled, *_ = parts.compute(p=0.8, point=clear)
    assert scaled - exact == pytest.approx(0.12, abs=0.005)

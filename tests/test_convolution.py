"""Chapter 20: convolutions against numpy and scipy.signal, gradients against differences and autograd."""

import copy
import itertools
import pickle

import autograd
import autograd.numpy as anp
import autograd.scipy.signal
import numpy as np
import pytest
import scipy.signal
from hypothesis import given, settings
from hypothesis import strategies as st

from mlteach import datasets, explore
from mlteach.convolution import (
    Conv2d,
    Flatten,
    GlobalPool2d,
    Pool2d,
    SmallCNN,
    as_pictures,
    average_pool2d,
    conv2d,
    conv2d_transpose,
    convolution_matrix,
    convolve,
    convolve2d,
    convolve3d,
    cross_correlate,
    cross_correlate2d,
    extract_features,
    flip,
    freeze,
    max_pool2d,
    moved_digits,
    n_parameters,
    output_size,
    place,
    receptive_field,
    shift,
    transfer,
)
from mlteach.convolution.few_samples import (
    EPOCHS,
    EVERY,
    SAMPLES,
    SEES,
    WAYS,
    known_digits,
    lay_anew,
    lay_everywhere,
    learn_new,
    neighbour,
    new_digits,
    share_right,
    stored_runs,
)
from mlteach.convolution.windows import unfold
from mlteach.deep_learning import Dense, Sequential, Tensor, cross_entropy, pack, train
from mlteach.optimization import Adam, GradientDescent
from mlteach.validation import ConvergenceWarning

MODES = ("full", "same", "valid")
F, G = [1, 2, 3], [0, 1, 0.5]  # W33
I, K = np.arange(12.0).reshape(3, 4), np.array([[1.0, 2.0], [3.0, 4.0]])


def random(*shape, seed=0):
    return np.random.default_rng(seed).normal(size=shape)


def numbers(low, high):
    return st.lists(st.floats(-9, 9), min_size=low, max_size=high)


# --- signals and pictures ---------------------------------------------------------------------------------------


def test_worked_example():
    """W33: convolution commutes, cross-correlation turns round, and the flip joins them."""
    assert convolve(F, G).tolist() == convolve(G, F).tolist() == [0, 1, 2.5, 4, 1.5]
    assert cross_correlate(F, G).tolist() == [0.5, 2, 3.5, 3, 0]
    assert cross_correlate(G, F).tolist() == [0, 3, 3.5, 2, 0.5]
    assert cross_correlate2d(I, K, "valid").tolist() == [[34, 44, 54], [74, 84, 94]]
    assert convolve2d(I, K, "valid").tolist() == [[16, 26, 36], [56, 66, 76]]


@pytest.mark.parametrize("mode", MODES)
def test_signals_agree_with_numpy(mode):
    for n, m in itertools.product(range(1, 9), repeat=2):
        f, g = random(n, seed=n), random(m, seed=50 + m)
        np.testing.assert_allclose(convolve(f, g, mode), np.convolve(f, g, mode), rtol=0, atol=1e-12)
        np.testing.assert_allclose(cross_correlate(f, g, mode), np.correlate(f, g, mode), rtol=0, atol=1e-12)


@pytest.mark.parametrize("mode", MODES)
def test_pictures_agree_with_scipy(mode):
    for a, b, c, d in itertools.product(range(1, 6), repeat=4):
        image, kernel = random(a, b, seed=a + 10 * b), random(c, d, seed=c + 10 * d)
        for ours, theirs in ((convolve2d, scipy.signal.convolve2d), (cross_correlate2d, scipy.signal.correlate2d)):
            try:
                wanted = theirs(image, kernel, mode)
            except ValueError:
                with pytest.raises(ValueError, match="needs one array inside the other"):
                    ours(image, kernel, mode)
                continue
            np.testing.assert_allclose(ours(image, kernel, mode), wanted, rtol=0, atol=1e-12)


@pytest.mark.parametrize("mode", MODES)
def test_volumes_agree_with_scipy(mode):
    volume, kernel = random(5, 6, 7), random(2, 3, 4, seed=1)
    wanted = scipy.signal.convolve(volume, kernel, mode, method="direct")
    np.testing.assert_allclose(convolve3d(volume, kernel, mode), wanted, rtol=0, atol=1e-12)


@given(numbers(1, 8), numbers(1, 8), numbers(1, 8))
@settings(max_examples=60, deadline=None)
def test_algebra(f, g, h):
    """Convolution commutes and associates; cross-correlation does neither but turns round."""
    np.testing.assert_allclose(convolve(f, g), convolve(g, f), atol=1e-9)
    np.testing.assert_allclose(convolve(convolve(f, g), h), convolve(f, convolve(g, h)), atol=1e-8)
    np.testing.assert_allclose(cross_correlate(f, g), cross_correlate(g, f)[::-1], atol=1e-9)
    np.testing.assert_allclose(cross_correlate(f, g), convolve(f, flip(np.array(g))), atol=1e-9)


def test_arguments_are_not_changed():
    f, g = random(6), random(3, seed=1)
    kept = f.copy(), g.copy()
    for function in (convolve, cross_correlate):
        function(f, g)[:] = 0
    np.testing.assert_array_equal([*f, *g], [*kept[0], *kept[1]])


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: convolve([[1, 2]], [1]), "signal"),
        (lambda: convolve([], [1]), "signal is empty"),
        (lambda: convolve([1, np.nan], [1]), "signal must be finite"),
        (lambda: convolve([1, 2], ["a"]), "kernel must hold numbers"),
        (lambda: convolve([1, 2], [1], "all"), "mode must be one of 'full', 'same', 'valid'; got 'all'"),
        (lambda: convolve2d([1, 2], [[1]]), "image"),
        (lambda: cross_correlate2d(I, K, "valid2"), "mode must be one of"),
        (lambda: convolve2d(np.ones((2, 5)), np.ones((3, 3)), "valid"), r"one array inside the other.*\(2, 5\)"),
        (lambda: conv2d(I, K[None, None]), r"x must have shape \(n, channels, height, width\); got \(3, 4\).*x\[None"),
        (lambda: conv2d_transpose(I, K[None, None]), r"x must have shape \(n, maps, rows, columns\); got \(3, 4\)"),
        (lambda: conv2d_transpose(I[None, None], np.ones((2, 1, 2, 2))), "one kernel for each map; x has 1.*w has 2"),
        (lambda: conv2d_transpose(I[None, None], K[None, None], stride=0), "stride must be at least 1; got 0"),
        (lambda: conv2d(I[None, None], K), r"w must have shape \(maps, channels, height, width\)"),
        (lambda: conv2d(I[None, None], np.ones((1, 3, 2, 2))), "as many channels as the picture; x has 1.*w has 3"),
        (lambda: conv2d(I[None, None], K[None, None], [1, 2]), r"b must have shape \(1,\)"),
        (lambda: conv2d(I[None, None], K[None, None], stride=0), "stride must be at least 1; got 0"),
        (lambda: conv2d(I[None, None], K[None, None], padding=-1), "padding must be at least 0; got -1"),
        (lambda: conv2d(I[None, None], K[None, None], stride=1.5), "stride must be a whole number"),
        (lambda: conv2d(I[None, None], K[None, None], stride=(1, 2, 3)), "a whole number or two of them"),
        (lambda: conv2d(I[None, None], K[None, None], padding="same"), "only for kernels of odd size with stride 1"),
        (lambda: conv2d(I[None, None], K[None, None], padding="some"), "padding must be one of 'valid', 'same'"),
        (lambda: conv2d(I[None, None], np.ones((1, 1, 5, 5))), "a kernel of 5 does not fit into 3 pixels"),
        (lambda: conv2d(np.full((1, 1, 3, 3), np.inf), np.ones((1, 1, 2, 2))), "x must be finite"),
        (lambda: max_pool2d(I, 2), r"x must have shape \(n, channels"),
        (lambda: max_pool2d(I[None, None], 0), "size must be at least 1"),
        (lambda: average_pool2d(I[None, None], 4), "a window of 4 pixels does not fit into 3"),
        (lambda: output_size(4, 5), "a kernel of 5 does not fit into 4 pixels with padding 0"),
        (lambda: output_size(4, 0), "kernel must be at least 1"),
        (lambda: output_size(4.5, 2), "n must be a whole number"),
        (lambda: n_parameters(0, 1, 3), "in_channels must be at least 1"),
        (lambda: n_parameters(1, 1, (3, 3, 3)), "a whole number or two of them"),
        (lambda: receptive_field([3, 3]), r"a list of pairs \(kernel, stride\)"),
        (lambda: receptive_field([(3, 0)]), "stride of layer 0 must be at least 1"),
        (lambda: convolution_matrix(np.ones((1, 1, 1)), 3), r"kernel must have shape \(m,\) or"),
        (lambda: convolution_matrix(np.ones((2, 2)), 3), r"shape must be \(height, width\)"),
        (lambda: as_pictures(np.ones((2, 63))), "63 is no such number"),
        (lambda: place(np.ones((1, 1, 8, 8)), 7), "size must be at least 8"),
        (lambda: shift([1, 2], 1), r"pictures must have shape \(..., height, width\)"),
        (lambda: SmallCNN(1), "n_classes must be at least 2"),
        (lambda: SmallCNN(size=3), "size must be at least 4"),
        (lambda: Conv2d(1, 2, 3, "step"), "activation must be one of"),
        (lambda: Pool2d(2, kind="min"), "kind must be one of 'max', 'average'"),
        (lambda: extract_features(SmallCNN(), np.ones((1, 1, 8, 8)), drop=9), "drop must be at most 6"),
        (lambda: extract_features(Dense(2, 2), np.ones((1, 2))), "model must be a Sequential"),
        (lambda: transfer(Sequential(Flatten()), 3), "whose last layer is Dense"),
        (lambda: transfer(SmallCNN(), 3, frozen=7), "frozen must be at most 5"),
        (lambda: convolve([1e308, 1e308], [10, 10]), "too large for the computer's numbers"),
        (lambda: conv2d(np.full((1, 1, 3, 3), 1e308), np.ones((1, 1, 2, 2))), "too large for the computer's numbers"),
        (lambda: average_pool2d(np.full((1, 1, 2, 2), 1e308), 2), "too large for the computer's numbers"),
        (lambda: conv2d(np.ones((5, 64)), K[None, None]), r"as_pictures\(x\) for rows of pixels"),
        (lambda: Pool2d(2, stride=0), "stride must be at least 1"),
        (lambda: SmallCNN(maps=(1, 2, 3)), "maps must be a whole number or two of them"),
        (lambda: SmallCNN()(np.ones((1, 1, 12, 12))), "reads pictures of 8 x 8 pixels; got 12 x 12"),
        (lambda: transfer(SmallCNN(), 1), "n_classes must be at least 2"),
        (lambda: shift([["a", "b"]], 1), "real numbers only"),
        (lambda: learn_new(None, None, "thawed", 1, 0), "way must be one of 'frozen', 'fine-tuned', 'from nothing'"),
    ],
)
def test_bad_input_is_explained(call, words):
    with pytest.raises((ValueError, TypeError), match=words):
        call()


# --- conv2d and pooling -----------------------------------------------------------------------------------------


def slow_conv2d(x, w, b, stride, padding):
    """The sums (20.8) as they are written, one by one."""
    (sv, sh), (pv, ph) = stride, padding
    x = np.pad(x, ((0, 0), (0, 0), (pv, pv), (ph, ph)))
    kh, kw = w.shape[2:]
    rows, columns = (x.shape[2] - kh) // sv + 1, (x.shape[3] - kw) // sh + 1
    out = np.zeros((len(x), len(w), rows, columns))
    for n, k, i, j in np.ndindex(*out.shape):
        out[n, k, i, j] = b[k] + np.sum(x[n, :, sv * i : sv * i + kh, sh * j : sh * j + kw] * w[k])
    return out


SHAPES = [
    ((2, 1, 6, 6), (3, 1, 3, 3), 1, 0),
    ((2, 3, 7, 5), (4, 3, 2, 3), (2, 1), (1, 2)),
    ((1, 2, 8, 8), (2, 2, 5, 5), 3, 2),
    ((3, 2, 4, 4), (1, 2, 1, 1), 1, 0),
    ((1, 1, 3, 3), (2, 1, 3, 3), 2, 1),
]


def pairs(value):
    return value if isinstance(value, tuple) else (value, value)


@pytest.mark.parametrize(("xs", "ws", "stride", "padding"), SHAPES)
def test_conv2d_is_the_sum_it_says(xs, ws, stride, padding):
    x, w, b = random(*xs), random(*ws, seed=1), random(ws[0], seed=2)
    wanted = slow_conv2d(x, w, b, pairs(stride), pairs(padding))
    np.testing.assert_allclose(conv2d(x, w, b, stride, padding), wanted, rtol=0, atol=1e-12)
    out = conv2d(Tensor(x), w, Tensor(b), stride, padding)
    assert isinstance(out, Tensor)
    np.testing.assert_allclose(out.data, wanted, rtol=0, atol=1e-12)


def test_conv2d_agrees_with_scipy_over_channels():
    x, w = random(2, 3, 9, 8), random(4, 3, 3, 3, seed=1)
    for n, k in np.ndindex(2, 4):
        wanted = sum(scipy.signal.correlate2d(x[n, c], w[k, c], "valid") for c in range(3))
        np.testing.assert_allclose(conv2d(x, w)[n, k], wanted, rtol=0, atol=1e-12)


def differences(function, x, h=1e-6):
    grad = np.zeros_like(x)
    for place_ in np.ndindex(*x.shape):
        step = np.zeros_like(x)
        step[place_] = h
        grad[place_] = (function(x + step) - function(x - step)) / (2 * h)
    return grad


@pytest.mark.parametrize(("xs", "ws", "stride", "padding"), SHAPES)
def test_gradients_of_conv2d(xs, ws, stride, padding):
    x, w, b = random(*xs), random(*ws, seed=1), random(ws[0], seed=2)
    weights = random(*conv2d(x, w, b, stride, padding).shape, seed=3)

    def loss(x, w, b):
        return (conv2d(x, w, b, stride, padding) * weights).sum()

    tensors = Tensor(x), Tensor(w), Tensor(b)
    loss(*tensors).backward()
    for tensor, wanted in zip(
        tensors,
        (
            differences(lambda v: loss(v, w, b), x),
            differences(lambda v: loss(x, v, b), w),
            differences(lambda v: loss(x, w, v), b),
        ),
    ):
        np.testing.assert_allclose(tensor.grad, wanted, rtol=0, atol=1e-7)


def test_gradient_of_conv2d_agrees_with_autograd():
    x, w = random(2, 3, 7, 7), random(4, 3, 3, 3, seed=1)
    target = random(2, 4, 5, 5, seed=2)

    def theirs(w):  # autograd's convolve flips the kernel
        axes = {"axes": ([2, 3], [2, 3]), "dot_axes": ([1], [1])}
        out = autograd.scipy.signal.convolve(x, w[:, :, ::-1, ::-1], mode="valid", **axes)
        return anp.sum(anp.tanh(out) * target)

    kernels = Tensor(w)
    (conv2d(x, kernels).tanh() * target).sum().backward()
    np.testing.assert_allclose(kernels.grad, autograd.grad(theirs)(w), rtol=0, atol=1e-10)


@pytest.mark.parametrize("pool", [max_pool2d, average_pool2d])
@pytest.mark.parametrize(("size", "stride"), [(2, None), (3, 2), ((2, 3), (1, 2)), (1, None)])
def test_pooling_and_its_gradient(pool, size, stride):
    x = random(2, 3, 6, 7)
    (kh, kw), (sv, sh) = pairs(size), pairs(size if stride is None else stride)
    out = pool(x, size, stride)
    rule = np.max if pool is max_pool2d else np.mean
    for n, c, i, j in np.ndindex(*out.shape):
        window = x[n, c, sv * i : sv * i + kh, sh * j : sh * j + kw]
        assert out[n, c, i, j] == pytest.approx(rule(window), abs=1e-12)
    weights, tensor = random(*out.shape, seed=1), Tensor(x)
    (pool(tensor, size, stride) * weights).sum().backward()
    wanted = differences(lambda v: (pool(v, size, stride) * weights).sum(), x)
    np.testing.assert_allclose(tensor.grad, wanted, rtol=0, atol=1e-7)


def test_pooling_examples():
    """W34 and W2-18."""
    picture = np.array([[1, 1, 2, 4], [5, 6, 7, 8], [3, 2, 1, 0], [1, 2, 3, 4]])[None, None]
    assert max_pool2d(picture, 2)[0, 0].tolist() == [[6, 8], [3, 4]]
    assert average_pool2d(picture, 2)[0, 0].tolist() == [[3.25, 5.25], [2, 2]]
    count = np.arange(16).reshape(1, 1, 4, 4)
    assert max_pool2d(count, 2)[0, 0].tolist() == [[5, 7], [13, 15]]
    assert average_pool2d(count, 2)[0, 0].tolist() == [[2.5, 4.5], [10.5, 12.5]]


def test_of_equal_pixels_the_first_gets_the_gradient():
    x = Tensor(np.ones((1, 1, 2, 2)))
    max_pool2d(x, 2).sum().backward()
    assert x.grad[0, 0].tolist() == [[1, 0], [0, 0]]


def test_equivariance_and_invariance():
    """Shift the picture and the maps shift; a map's maximum does not move at all while nothing crosses the border."""
    x = np.zeros((1, 1, 12, 12))
    x[0, 0, 3:8, 4:8] = random(5, 4)
    w = random(3, 1, 3, 3, seed=1)
    for down, right in itertools.product((-2, 0, 3), repeat=2):
        moved = conv2d(shift(x, down, right), w, padding=1)
        np.testing.assert_allclose(moved, shift(conv2d(x, w, padding=1), down, right), rtol=0, atol=1e-12)
        np.testing.assert_allclose(moved.max(axis=(2, 3)), conv2d(x, w, padding=1).max(axis=(2, 3)), atol=1e-12)


# --- the matrix, and sizes ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "m", "stride", "padding"), [(7, 3, 1, 0), (8, 4, 2, 1), (5, 5, 1, 2)])
def test_matrix_of_a_signal(n, m, stride, padding):
    kernel, signal = random(m), random(n, seed=1)
    C = convolution_matrix(kernel, n, stride, padding)
    assert C.shape == (output_size(n, m, stride, padding), n)
    wanted = np.correlate(np.pad(signal, padding), kernel, "valid")[::stride]
    np.testing.assert_allclose(C @ signal, wanted, rtol=0, atol=1e-12)


def test_matrix_of_a_picture():
    image, kernel = random(5, 6), random(3, 2, seed=1)
    C = convolution_matrix(kernel, (5, 6))
    np.testing.assert_allclose(C @ image.ravel(), cross_correlate2d(image, kernel, "valid").ravel(), atol=1e-12)
    assert set(np.unique(C)) == {0, *kernel.ravel()}
    assert (C != 0).sum(axis=1).tolist() == [6] * 15
    gradient = random(3, 5, seed=2)  # the transposed matrix is the gradient with respect to the picture
    x = Tensor(image[None, None])
    conv2d(x, kernel[None, None]).backward(gradient[None, None])
    np.testing.assert_allclose(C.T @ gradient.ravel(), x.grad.ravel(), rtol=0, atol=1e-12)


@pytest.mark.parametrize("stride", [1, 2, (1, 3)])
def test_the_transposed_convolution_is_the_transpose(stride):
    """Its value is the gradient of conv2d in the picture, and its own gradients are conv2d and finite differences."""
    kernel, small = random(3, 2, 4, 2), random(2, 3, 3, 5, seed=1)
    grown = conv2d_transpose(small, kernel, stride)
    x = Tensor(np.zeros(grown.shape))
    conv2d(x, kernel, stride=stride).backward(small)
    np.testing.assert_allclose(grown, x.grad, rtol=0, atol=1e-12)
    y, w, g = Tensor(small), Tensor(kernel), random(*grown.shape, seed=2)
    conv2d_transpose(y, w, stride).backward(g)
    np.testing.assert_allclose(y.grad, conv2d(g, kernel, stride=stride), rtol=0, atol=1e-12)
    change = random(*kernel.shape, seed=3)  # linear in the kernel, too
    np.testing.assert_allclose(np.sum(w.grad * change), np.sum(g * conv2d_transpose(small, change, stride)), atol=1e-10)


def test_sizes_of_the_sources():
    """W34, W2-16."""
    assert output_size(32, 5) == 28
    assert output_size(32, 5, padding=2) == 32
    assert output_size(28, 2, stride=2) == 14
    assert n_parameters(1, 6, 5) == 156
    assert n_parameters(3, 64, 3) == 1792
    assert (32 * 32 * 28 * 28, 28 * 28 * 25, 5 * 5) == (802816, 19600, 25)
    assert 224 * 224 * 3 == 150528
    assert conv2d(np.zeros((1, 1, 32, 32)), np.zeros((6, 1, 5, 5))).shape == (1, 6, 28, 28)


@given(st.integers(1, 40), st.integers(1, 9), st.integers(1, 5), st.integers(0, 4))
@settings(max_examples=150, deadline=None)
def test_output_size_is_counted(n, kernel, stride, padding):
    starts = [i for i in range(0, n + 2 * padding, stride) if i + kernel <= n + 2 * padding]
    if not starts:
        with pytest.raises(ValueError, match="does not fit"):
            output_size(n, kernel, stride, padding)
    else:
        assert output_size(n, kernel, stride, padding) == len(starts)


@pytest.mark.parametrize(
    "layers", [[(3, 1)], [(3, 1), (3, 1)], [(3, 1), (2, 2), (3, 1), (2, 2)], [(5, 2), (3, 3), (2, 1)], []]
)
def test_receptive_field_is_what_a_gradient_reaches(layers):
    """Which inputs have a non-zero gradient, for one unit of the last layer and kernels of ones?"""
    x = Tensor(np.ones((1, 1, 60, 1)))
    out = x * 1.0
    for kernel, stride in layers:
        out = conv2d(out, np.ones((1, 1, kernel, 1)), stride=(stride, 1))
    out[0, 0, 0, 0].backward()
    assert np.count_nonzero(x.grad) == receptive_field(layers)


@pytest.mark.parametrize(("c", "maps", "kernel"), [(1, 8, 3), (8, 16, 3), (3, 5, (2, 4))])
def test_parameters_are_counted(c, maps, kernel):
    assert sum(p.size for p in Conv2d(c, maps, kernel).parameters()) == n_parameters(c, maps, kernel)


# --- networks -----------------------------------------------------------------------------------------------------


def digits(n=200, seed=0):
    data = datasets.digits()
    rows = np.random.default_rng(seed).permutation(len(data.y))[:n]
    return as_pictures(data.X[rows]) / 16, data.y[rows].astype(int)


def test_gradients_of_the_whole_network():
    X, y = digits(6)
    model = SmallCNN(maps=(2, 3))
    for p in model.parameters():  # away from the kinks: an empty corner gives exactly 0 as long as the bias is 0
        p.data = p.data + 0.05 * random(*p.shape, seed=p.size)
    cross_entropy(model(X), y).backward()
    for p in model.parameters():
        kept = p.data

        def loss(values, p=p):
            p.data = values
            return float(cross_entropy(model(X), y))

        wanted = differences(loss, kept)
        p.data = kept
        np.testing.assert_allclose(p.grad, wanted, rtol=0, atol=1e-6)


def test_training_is_reproducible_and_learns():
    X, y = digits(400)
    models = [SmallCNN(rng=3), SmallCNN(rng=3)]
    for model in models:
        run = train(model, X, y, Adam(0.01), 8, rng=4)
    np.testing.assert_array_equal(*(pack(model.parameters()) for model in models))
    assert run.train_error[-1] < 0.1
    assert np.mean(models[0].predict(X) == y) > 0.9
    twin = pickle.loads(pickle.dumps(models[0]))
    np.testing.assert_array_equal(twin.predict(X), models[0].predict(X))


def test_a_diverging_rate_is_reported():
    X, y = digits(60)
    with pytest.warns(ConvergenceWarning, match="smaller learning rate"):
        train(SmallCNN(), 1e3 * X, y, GradientDescent(1e8), 5)


def test_labels_and_shapes_are_checked():
    X, y = digits(20)
    with pytest.raises(ValueError, match="labels must be whole numbers from 0 to 4"):
        train(SmallCNN(5), X, np.full(20, 7), Adam(), 1)
    with pytest.raises(ValueError, match="reads pictures of 8 x 8"):
        SmallCNN()(np.zeros((1, 1, 12, 12)))
    with pytest.raises(ValueError, match="as many channels"):
        SmallCNN()(np.zeros((1, 3, 8, 8)))
    with pytest.raises(ValueError, match="must be finite"):
        train(SmallCNN(), np.where(X > 0.9, np.nan, X), y, Adam(), 1)


@pytest.mark.parametrize("size", [4, 8, 9, 12, 15])
def test_network_for_other_sizes(size):
    assert SmallCNN(3, size=size, channels=2)(np.zeros((2, 2, size, size))).shape == (2, 3)


def test_frozen_layers_stay_and_the_head_learns():
    X, y = digits(100)
    source = SmallCNN(5)
    before = pack(source.parameters())
    model = transfer(source, 10, rng=1)
    head = model.layers[-1].W.data.copy()
    train(model, X, y, Adam(0.01), 2, lam=0.1)
    np.testing.assert_array_equal(pack(source.parameters()), before)
    frozen = pack(model.layers[0].layers.parameters())
    np.testing.assert_array_equal(frozen, before[: frozen.size])
    assert not np.allclose(model.layers[-1].W.data, head)
    tuned = transfer(source, 10, frozen=False, rng=1)
    train(tuned, X, y, Adam(0.01), 2)
    assert not np.allclose(pack(tuned.parameters())[:72], before[:72])
    np.testing.assert_array_equal(pack(source.parameters()), before)
    half = transfer(source, 10, frozen=2)
    assert sum(p.size for p in half.parameters()) == n_parameters(8, 16, 3) + 650


def test_frozen_layers_can_learn_again():
    once = transfer(SmallCNN(5), 3)
    again = transfer(once, 4, frozen=False)
    assert sum(p.size for p in again.parameters()) == 80 + 1168 + 64 * 4 + 4
    assert sum(p.size for p in once.parameters()) == 64 * 3 + 3
    assert sum(p.size for p in transfer(once, 4, frozen=2).parameters()) == 1168 + 64 * 4 + 4
    x = np.random.default_rng(0).normal(size=(3, 1, 8, 8))
    (again(x) ** 2).sum().backward()
    assert all(np.abs(p.grad).sum() > 0 for p in again.parameters())


def test_flip_takes_lists():
    assert flip([1, 2, 3]).tolist() == [3, 2, 1]
    assert flip([[1, 2], [3, 4]]).tolist() == [[4, 3], [2, 1]]


def test_digits_fill_the_height_of_their_picture():
    """Section 20.9.1: moved up or down, each loses an eighth of its ink; left or right, next to none."""
    X, _ = digits(1797, seed=0)
    lost = [1 - shift(X, *d).sum() / X.sum() for d in ((1, 0), (-1, 0), (0, 1), (0, -1))]
    np.testing.assert_allclose(lost, [0.125, 0.118, 0.003, 0.0], atol=0.01)


@pytest.mark.slow
def test_digit_one_of_the_explorer_moves_left_without_loss():
    """Section 20.7.2: by two pixels, and its maps after pooling 1 by one place."""
    from mlteach.explore.convolution import _trained

    model, pictures = _trained()
    moved = shift(pictures[1], 0, -2)
    assert moved.sum() == pytest.approx(pictures[1].sum())
    before, after = (model.outputs(x[None])[2].data for x in (pictures[1], moved))
    np.testing.assert_allclose(after[..., :3], before[..., 1:])


def test_gradients_pass_through_frozen_layers():
    layer, x = Conv2d(1, 2, 3, "tanh"), random(1, 1, 5, 5)
    through, straight = Tensor(x), Tensor(x)
    freeze(layer)(through).sum().backward()
    layer(straight).sum().backward()
    np.testing.assert_allclose(through.grad, straight.grad, rtol=0, atol=1e-12)
    assert freeze(layer).parameters() == []


def test_features_are_what_the_head_reads():
    X, _ = digits(7)
    model = SmallCNN()
    features = extract_features(model, X)
    assert features.shape == (7, 64)
    np.testing.assert_allclose(features @ model.layers[-1].W.data + model.layers[-1].b.data, model(X).data, atol=1e-12)
    assert extract_features(model, X, drop=5).shape == (7, 8 * 64)
    np.testing.assert_array_equal(extract_features(model, X, drop=0), model(X).data)


def test_shift_and_place():
    x = np.arange(9).reshape(3, 3)
    assert shift(x, down=1).tolist() == [[0, 0, 0], [0, 1, 2], [3, 4, 5]]
    assert shift(x, right=-2).tolist() == [[2, 0, 0], [5, 0, 0], [8, 0, 0]]
    assert not shift(x, 3).any()
    assert not shift(x, 0, -5).any()
    X, _ = digits(30)
    pages = place(X, 12, rng=1)
    np.testing.assert_allclose(np.sort(pages.reshape(30, -1))[:, -64:], np.sort(X.reshape(30, -1)), atol=0)
    corners = {tuple(np.argwhere(page[0]).min(axis=0)) for page in place(np.ones((200, 1, 8, 8)), 12)}
    assert corners == set(itertools.product(range(5), repeat=2))


@pytest.mark.slow
def test_convolution_beats_a_dense_network_of_its_size():
    """Section 20.9 with other seeds: a little on centred pictures, much on shifted ones."""
    X, y = digits(1400, seed=5)
    better, gains = 0, []
    for seed in (11, 12, 13):
        rng = np.random.default_rng(seed)
        dense = Sequential(Flatten(), Dense(64, 25, "relu", rng), Dense(25, 10, rng=rng))
        cnn = SmallCNN(rng=seed)
        for model in (cnn, dense):
            train(model, X[:500], y[:500], Adam(0.01), 20, rng=seed)
        right = [np.mean(m(X[500:]).data.argmax(axis=1) == y[500:]) for m in (cnn, dense)]
        moved = [np.mean(m(shift(X[500:], 0, 1)).data.argmax(axis=1) == y[500:]) for m in (cnn, dense)]
        better += right[0] > right[1]
        gains.append(moved[0] - moved[1])
    assert better >= 2
    assert min(gains) > 0.03


@pytest.mark.slow
def test_stored_runs_are_those_of_the_code():
    """Training may differ in the last bit on another machine, so the curves agree roughly, not exactly."""
    runs = stored_runs()
    assert runs.curves.shape == (2, len(WAYS), len(SAMPLES), 20, EPOCHS // EVERY + 1)
    assert runs.long.shape == (len(WAYS), 20)
    assert all(np.isfinite(part).all() for part in runs)
    source, task, k = known_digits(3), new_digits(3), SAMPLES.index(3)
    for copies in (False, True):
        for way in WAYS:
            accuracy = learn_new(source, task, way, 3, 3, copies=copies, curve=EVERY)
            kept = runs.curves[int(copies), WAYS.index(way), k, 3]
            assert accuracy[-1] == pytest.approx(kept[-1], abs=0.1)
            assert accuracy[0] == pytest.approx(kept[0], abs=0.01)
        for see, model in zip(SEES, (None, source, SmallCNN(5, size=12, rng=3))):
            kept = runs.neighbours[int(copies), SEES.index(see), k, 3]
            assert neighbour(task, 3, copies=copies, source=model) == pytest.approx(kept, abs=0.02)


def test_the_last_record_of_a_curve_is_the_trained_network():
    source, task = SmallCNN(5, size=12), new_digits(1)
    curve = learn_new(source, task, "from nothing", 1, 1, copies=True, epochs=6, curve=3)
    assert curve.shape == (3,)
    assert curve[-1] == share_right(learn_new(source, task, "from nothing", 1, 1, copies=True, epochs=6), task)


def test_pages_laid_anew_keep_their_ink():
    task = new_digits(0)
    few, labels = task.first(2)
    before = few.copy()
    anew = lay_anew(few, np.random.default_rng(0))
    np.testing.assert_allclose(anew.sum(axis=(1, 2, 3)), few.sum(axis=(1, 2, 3)))
    assert np.abs(anew - few).max() > 0
    pages, names = lay_everywhere(few, labels)
    assert len(pages) == len(names) > 25 * len(few)
    for page, again in zip(few, anew):
        assert (pages == page).all(axis=(1, 2, 3)).any()
        assert (pages == again).all(axis=(1, 2, 3)).any()
    assert np.array_equal(before, few)


# --- global pooling, and twenty splits of digits as they are and moved ------------------------------------------------


def test_global_pooling_does_not_ask_where():
    x = random(2, 3, 5, 4)
    np.testing.assert_allclose(GlobalPool2d()(x).data, x.max(axis=(2, 3)))
    np.testing.assert_allclose(GlobalPool2d(kind="average")(x).data, x.mean(axis=(2, 3)))
    pages = np.zeros((4, 1, 20, 20))
    pages[:, :, 6:14, 6:14] = digits(4)[0]
    net = moved_digits.place_free(rng=1)
    for down, right in itertools.product((-2, 0, 1), (-1, 2)):
        np.testing.assert_allclose(net(shift(pages, down, right)).data, net(pages).data, atol=1e-12)
    with pytest.raises(ValueError, match="kind"):
        GlobalPool2d(kind="sum")


def test_stored_scores_are_complete():
    scores = moved_digits.stored_scores()
    assert {name for name, _ in scores} == set(moved_digits.RIVALS)
    assert all(values.shape == (20, 2) for values in scores.values())


@pytest.mark.parametrize("name", ["neighbour", "softmax", "dense 25"])
@pytest.mark.parametrize("copies", [False, True])
def test_stored_scores_are_those_of_the_code(name, copies):
    kept = moved_digits.stored_scores()[name, copies][2] / 100
    assert moved_digits.compete(name, 102, copies=copies) == pytest.approx(kept, abs=0.04)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["SmallCNN", "global", "strided, global", "dense 300", "SmallCNN, shuffled"])
def test_stored_scores_of_the_larger_networks_are_those_of_the_code(name):
    """A moved picture is far from all training, and rounding errors grow there: twelve points of room."""
    still, moved = moved_digits.compete(name, 103)
    kept = moved_digits.stored_scores()[name, False][3] / 100
    assert still == pytest.approx(kept[0], abs=0.03)
    assert moved == pytest.approx(kept[1], abs=0.12)


def test_task_has_as_many_pages_as_it_says():
    task = new_digits(0)
    assert task.X.shape == (250, 1, 12, 12)
    assert np.bincount(task.first(7)[1]).tolist() == [7] * 5
    assert len(task.y_test) == 646


# --- explorers ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["slide_kernel", "kernel_drawing", "feature_maps", "frozen_layers"])
def test_explorer_is_registered(name):
    assert name in explore.REGISTRY


# --- errata of the sources ----------------------------------------------------------------------------------------


def test_erratum_s0_e90():
    """Both operations make the same products and sums; the flip costs nothing, it is pointless where K is learned."""
    assert np.allclose(convolve(F, flip(np.array(G))), cross_correlate(F, G))


def test_erratum_s0_e91():
    """p = floor(k/2) keeps the size only for odd kernels and stride 1."""
    assert output_size(32, 4, padding=4 // 2) == 33
    assert output_size(32, 5, 2, padding=5 // 2) == 16
    assert all(output_size(32, k, padding=k // 2) == 32 for k in (1, 3, 5, 7))


def test_erratum_s0_e92():
    """The quotient is rounded down: 14 windows, not 14.5."""
    assert (32 - 5) / 2 + 1 == 14.5
    assert (
        output_size(32, 5, stride=2)
        == conv2d(np.zeros((1, 1, 32, 32)), np.zeros((1, 1, 5, 5)), stride=2).shape[2]
        == 14
    )


def test_erratum_s0_e93():
    """Label sets need not meet: features of 0 to 4 serve 5 to 9 better than features that nobody trained."""
    ten = SAMPLES.index(10)
    near = stored_runs().neighbours[0, :, ten]
    assert (near[SEES.index("features")] > near[SEES.index("untrained")]).sum() >= 18


def test_erratum_s0_e94():
    """Frozen layers are feature extraction; fine tuning goes on changing what was copied."""
    X, y = digits(50)
    source = SmallCNN(10)
    for frozen, moves in ((True, False), (False, True)):
        model = transfer(source, 10, frozen=frozen)
        train(model, X, y, Adam(0.01), 1)
        body = model.layers[0].layers.parameters() if frozen else model.parameters()
        assert np.allclose(body[0].data, source.layers[0].w.data) != moves


def test_erratum_s2_e2_14():
    """The kernel (-1, 0, 1) in every row answers to changes from left to right, that is to vertical edges."""
    kernel = np.tile([-1.0, 0.0, 1.0], (3, 1))
    across = np.tile(np.repeat([0.0, 1.0], 3), (6, 1))
    assert cross_correlate2d(across, kernel, "valid").max() == 3
    assert not cross_correlate2d(across.T, kernel, "valid").any()


def test_erratum_s2_e2_15():
    """The layer's sum is a cross-correlation."""
    image, kernel = random(6, 6), random(3, 3, seed=1)
    layer = conv2d(image[None, None], kernel[None, None])[0, 0]
    assert np.allclose(layer, scipy.signal.correlate2d(image, kernel, "valid"), atol=1e-12)
    assert np.abs(layer - scipy.signal.convolve2d(image, kernel, "valid")).max() > 1


def test_layers_can_be_copied():
    model = SmallCNN(3)
    twin = copy.deepcopy(model)
    twin.layers[0].w.data += 1
    assert not np.allclose(twin.layers[0].w.data, model.layers[0].w.data)


def test_windows_are_those_of_scikit_learn():
    """The card of section 20.13: extract_patches_2d gives the windows that we unfold."""
    from sklearn.feature_extraction.image import extract_patches_2d

    image = random(7, 6)
    columns, places = unfold(image[None, None], (3, 2), (1, 1), (0, 0))
    assert places == (5, 5)
    np.testing.assert_array_equal(columns[0].T, extract_patches_2d(image, (3, 2)).reshape(25, 6))


def test_gradients_are_those_of_scipy():
    """The sums that the benchmark compares are the same on both sides."""
    from benchmarks.cases.convolution import Layer, Signal, pictures

    X, y = pictures(20)
    ours, theirs = Layer().fit(X, y), Signal().fit(X, y)
    for name in ("maps", "dx", "dw"):
        np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), rtol=0, atol=1e-9)

"""Chapter 07: the plane, least squares, perceptrons and their bound, Fisher, joined classifiers, and the errata."""

import csv
import warnings
from pathlib import Path

import numpy as np
import pytest
from explorers import made
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn import linear_model, svm
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier

from mlteach.linear_classification import (
    FisherDiscriminant,
    LeastSquaresClassifier,
    MulticlassPerceptron,
    OneVsOne,
    OneVsRest,
    Perceptron,
    fisher_criterion,
    nearest_on_plane,
    perceptron_bound,
    perceptron_loss,
    scatter_between,
    scatter_total,
    scatter_within,
    signed_distance,
)
from mlteach.linear_classification.perceptron import _next_mistakes
from mlteach.linear_regression import LinearRegression, design_matrix, polynomial_features
from mlteach.svm import SVC, geometric_margin
from mlteach.validation import ConvergenceWarning, NotFittedError

CORNERS = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]])
AND, OR, XOR = np.array([[-1, -1, -1, 1], [-1, 1, 1, 1], [-1, 1, 1, -1]])
W19 = np.array([[0.0, 0], [1, 0], [0, 1], [3, 3], [4, 3], [3, 4]]), np.repeat([1, 2], 3)
W17 = np.array([[1.0, 2], [2, 3], [3, 3], [6, 5], [7, 8], [8, 7]]), np.repeat([1, 2], 3)
W21 = (
    np.array([[1.0, 2], [2, 3], [3, 3], [4, 5], [5, 5], [1, 0], [2, 1], [3, 1], [3, 2], [5, 3], [6, 5]]),
    np.repeat([1, 2], [5, 6]),
)
seeds, few = st.integers(0, 10_000), settings(max_examples=40, deadline=None)


def classes(seed=0, n=60, d=3, k=3, apart=2.0):
    """Correlated, unequally scaled classes of unequal size."""
    rng = np.random.default_rng(seed)
    y = np.concatenate(
        [np.arange(k), np.arange(k), rng.choice(k, n - 2 * k, p=np.arange(1, k + 1) / (k * (k + 1) / 2))]
    )
    X = rng.normal(size=(n, d)) + apart * rng.normal(size=(k, d))[y]
    mix = np.tril(rng.normal(size=(d, d)), -1) + np.diag(rng.uniform(0.5, 2, d))  # never near singular
    return X @ mix * 10.0 ** rng.uniform(-1, 1, d) + rng.uniform(-3, 3, d), y


def separable(seed=0, n=30, d=2, gap=0.2):
    """Two classes with a gap around a random plane."""
    rng = np.random.default_rng(seed)
    X, w, b = rng.normal(size=(4 * n, d)), rng.normal(size=d), rng.normal() / 2
    r = (X @ w + b) / np.linalg.norm(w)
    X, r = X[np.abs(r) > gap][:n], r[np.abs(r) > gap][:n]
    return (X, np.sign(r)) if len(set(np.sign(r))) == 2 else separable(seed + 10_007, n, d, gap)


def quietly(model, X, y):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(X, y)


def plain_perceptron(X, t, eta=1.0, epochs=100, zero=-1, v=None):
    """The textbook's loop, sample by sample in order; returns (b, w), mistakes per epoch."""
    Phi = design_matrix(X)
    v, mistakes = np.zeros(Phi.shape[1]) if v is None else np.array(v, dtype=float), []
    for _ in range(epochs):
        mistakes.append(0)
        for phi, target in zip(Phi, t):
            y = phi @ v
            if (np.sign(y) or zero) != target:
                v = v + eta * target * phi
                mistakes[-1] += 1
        if mistakes[-1] == 0:
            break
    return v, mistakes


# --- the plane -------------------------------------------------------------------------------------------------


def test_separator_of_the_seismic_data():
    """W2-05: x2 = 1.7 x1 - 4.9 has w = [-4.9, 1.7, -1], intercept first."""
    w = np.array([1.7, -1])
    assert_allclose(design_matrix([[6, 4], [5, 4.5]]) @ [-4.9, 1.7, -1], [1.3, -0.9], atol=1e-12)
    assert_allclose(signed_distance([[6, 4], [5, 4.5]], w, -4.9), np.array([1.3, -0.9]) / np.sqrt(3.89), atol=1e-12)
    on_line = np.column_stack([np.arange(4.0), 1.7 * np.arange(4) - 4.9])
    assert_allclose(signed_distance(on_line, w, -4.9), 0, atol=1e-15)


def test_distance_of_the_origin():
    """W3-04: w = (3, 4), w0 = -10."""
    assert_allclose(signed_distance([[0, 0]], [3, 4], -10), [-2])
    assert_allclose(nearest_on_plane([[0, 0]], [3, 4], -10), [[1.2, 1.6]])


@few
@given(seeds, st.integers(1, 6), st.sampled_from([1e-200, 0.3, 1.0, 1e200]))
def test_distance_does_not_depend_on_the_length_of_w(seed, d, scale):
    rng = np.random.default_rng(seed)
    X, w, b = rng.normal(size=(5, d)), rng.normal(size=d) + 0.1, rng.normal()
    r, foot = signed_distance(X, w, b), nearest_on_plane(X, w, b)
    assert_allclose(signed_distance(X, scale * w, scale * b), r, rtol=1e-12, atol=1e-13)
    assert_allclose(signed_distance(X, -w, -b), -r)
    assert_allclose(signed_distance(foot, w, b), 0, atol=1e-12)
    assert_allclose(np.linalg.norm(X - foot, axis=1), np.abs(r), atol=1e-12)
    assert_allclose(geometric_margin(X, np.ones(5), w, b), r, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: signed_distance([[1, 2]], [0, 0], 1), "zero vector"),
        (lambda: signed_distance([[1, 2]], [1, 0, 0], 1), "one entry per column of X"),
        (lambda: signed_distance([1, 2], [1, 0], 1), r"X must have shape \(n, d\)"),
        (lambda: signed_distance([[1, 2]], [1, 0], np.nan), "b must be a finite number"),
        (lambda: nearest_on_plane([[1, 2]], [np.inf, 0], 1), "w must be finite"),
        (lambda: signed_distance([[1, 2]], [1e-300, 0], 1e300), "farther away than any number"),
    ],
)
def test_bad_planes_are_explained(call, words):
    with pytest.raises(ValueError, match=words):
        call()


# --- least squares ---------------------------------------------------------------------------------------------


def test_least_squares_by_hand():
    """W19: weights, error, and the scores of (1, 1)."""
    model = LeastSquaresClassifier().fit(*W19)
    printed = [[1.096386, -0.096386], [-0.162651, 0.162651], [-0.162651, 0.162651]]
    assert_allclose(np.vstack([model.b_, model.W_.T]), printed, atol=5e-7)
    assert model.loss_ == pytest.approx(0.036145, abs=5e-7)
    assert_allclose(model.scores([[1, 1]]), [[0.771084, 0.228916]], atol=5e-7)


def boundary(model):
    """Where the two scores meet on the line."""
    return -(model.b_[1] - model.b_[0]) / (model.W_[1, 0] - model.W_[0, 0])


def test_points_far_on_the_right_side_move_the_boundary():
    """W19: two correct points at 20 and 25 make least squares lose x = 1; the perceptron and the margin stay."""
    x, t = np.array([-3.0, -2, -1, 1, 2, 3, 20, 25])[:, None], np.repeat([-1, 1], [3, 5])
    assert boundary(LeastSquaresClassifier().fit(x[:6], t[:6])) == pytest.approx(0, abs=1e-12)
    model = LeastSquaresClassifier().fit(x, t)
    assert boundary(model) == pytest.approx(1.254098, abs=5e-7)
    assert_array_equal(model.predict(x) == t, [1, 1, 1, 0, 1, 1, 1, 1])
    assert_array_equal(Perceptron().fit(x, t).predict(x), t)


def test_least_squares_masks_the_middle_of_three():
    """W15: of three equal classes in a row the middle one is never predicted."""
    x = np.concatenate([np.linspace(c - 1, c + 1, 20) for c in (-5, 0.1, 5)])[:, None]
    y = np.repeat([0, 1, 2], 20)
    predicted = LeastSquaresClassifier().fit(x, y).predict(x)
    assert 1 not in predicted
    assert np.mean(predicted == y) == pytest.approx(2 / 3)
    bent = polynomial_features(x[:, 0], 2, bias=False)
    assert np.mean(LeastSquaresClassifier().fit(bent, y).predict(bent) == y) == 1


@few
@given(seeds, st.integers(2, 4), st.integers(1, 5))
def test_least_squares_scores(seed, k, d):
    """The scores sum to one everywhere, solve the normal equations, and no other weights have less error."""
    X, y = classes(seed, d=d, k=k)
    model = LeastSquaresClassifier().fit(X, y)
    far = 100 * np.random.default_rng(seed).normal(size=(9, d)) * np.ptp(X, axis=0)
    assert_allclose(model.scores(far).sum(axis=1), 1, atol=1e-8)
    T = np.eye(k)[y]
    assert_allclose(model.scores(X), design_matrix(X) @ np.linalg.lstsq(design_matrix(X), T)[0], atol=1e-8)
    assert model.loss_ == pytest.approx(0.5 * np.sum((model.scores(X) - T) ** 2))


def test_two_classes_are_regression_on_signs():
    X, y = classes(3, k=2)
    line, model = LinearRegression().fit(X, 2.0 * y - 1), LeastSquaresClassifier().fit(X, y)
    assert model.scores(X).shape == (60, 2)
    assert_allclose(model.decision_function(X), line.predict(X), atol=1e-12)
    assert_array_equal(model.predict(X), line.predict(X) > 0)


def test_dependent_columns_and_more_features_than_samples():
    X, y = classes(4)
    twice = np.column_stack([X, X[:, 0] + 2 * X[:, 1], np.full(60, 0.1)])
    once, model = LeastSquaresClassifier().fit(X, y), LeastSquaresClassifier().fit(twice, y)
    assert_allclose(model.decision_function(twice), once.decision_function(X), atol=1e-10)
    assert_array_equal(model.W_[:, 4], 0)
    wide = np.random.default_rng(5).normal(size=(10, 30))
    names = np.array(list("abcabcabca"))
    model = LeastSquaresClassifier().fit(wide, names)
    assert model.loss_ < 1e-20
    assert_array_equal(model.predict(wide), names)
    shortest = np.linalg.pinv(wide - wide.mean(axis=0)) @ (names[:, None] == list("abc"))
    assert_allclose(model.W_, shortest.T, atol=1e-12)
    new = np.random.default_rng(6).normal(size=(5, 30))
    assert_allclose(model.decision_function(new).sum(axis=1), 1)
    by_pinv = design_matrix(new) @ np.linalg.pinv(design_matrix(wide)) @ (names[:, None] == list("abc"))
    assert np.all(np.abs(by_pinv.sum(axis=1) - 1) > 0.01)  # (7.12) shortens the bias too


# --- the perceptron --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("eta", [0.001, 1, 1000])
def test_perceptron_on_and_for_any_rate(eta):
    """W20, W16: ten updates in six epochs. The source steps by eta (t - o) x, which is 2 eta t x."""
    model = Perceptron(2 * eta, shuffle=False).fit(CORNERS, AND)
    assert (model.n_iter_, model.n_mistakes_, len(model.mistakes_), model.converged_) == (10, 10, 6, True)
    assert_allclose([model.b_, *model.w_], eta * np.array([-4, 4, 2]), rtol=1e-12)


def test_batch_perceptron_on_and():
    """W20: three updates of the batch rule."""
    model = Perceptron(0.2, batch_size=None).fit(CORNERS, AND)
    assert model.n_iter_ == 3
    assert_allclose([model.b_, *model.w_], [-0.2, 0.2, 0.2])
    assert [step.wrong.tolist() for step in model.history_[1:]] == [[3], [0, 1, 2], [3]]
    assert model.n_mistakes_ == 5


@pytest.mark.parametrize(("t", "weights", "epoch"), [(AND, (-3, 2, 1), 6), (OR, (-1, 1, 1), 4)])
def test_perceptron_with_zero_on_the_positive_side(t, weights, epoch):
    """W2-14, where a threshold of 0 gives class 1."""
    model = Perceptron(shuffle=False, zero=1).fit(CORNERS, t)
    assert ((model.b_, *model.w_), len(model.mistakes_), model.converged_) == (weights, epoch, True)
    assert_array_equal(model.predict(CORNERS), t)


def test_perceptron_of_four_points():
    """W3-04: a clean pass in epoch 2."""
    model = Perceptron(shuffle=False, zero=1).fit([[2, 1], [-1, -1], [1, 2], [-2, -1]], [1, -1, 1, -1])
    assert ((model.b_, *model.w_), len(model.mistakes_)) == ((-1, 1, 1), 2)


@pytest.mark.parametrize("zero", [-1, 1])
def test_xor_never_ends(zero):
    """W2-14, W16: four mistakes in every pass, however many."""
    with pytest.warns(ConvergenceWarning, match="still made 4 mistakes in epoch 100, the last"):
        model = Perceptron(shuffle=False, zero=zero).fit(CORNERS, XOR)
    assert not model.converged_
    assert_array_equal(model.mistakes_[-50:], 4)
    product = np.column_stack([CORNERS, CORNERS[:, 0] * CORNERS[:, 1]])
    model = Perceptron(zero=zero).fit(product, XOR)
    assert model.converged_
    assert_array_equal(model.predict(product), XOR)


@few
@given(seeds, st.sampled_from([-1, 0, 1]), st.integers(1, 4), st.booleans())
def test_perceptron_is_the_plain_loop(seed, zero, d, whole):
    rng = np.random.default_rng(seed)
    X, t = rng.normal(size=(25, d)), np.append(rng.choice([-1, 1], 23), [-1, 1])
    X = np.round(X) if whole else X  # whole numbers meet y = 0
    model = quietly(Perceptron(epochs=6, shuffle=False, zero=zero), X, t)
    v, mistakes = plain_perceptron(X, t, epochs=6, zero=zero)
    assert_array_equal(model.mistakes_, mistakes)
    assert_allclose([model.b_, *model.w_], v, atol=1e-12)


def test_perceptron_is_that_of_scikit_learn():
    """There y = 0 counts as a mistake of either class."""
    X, t = separable(1, n=60, gap=0.05)
    theirs = linear_model.Perceptron(shuffle=False, tol=None, max_iter=100).fit(X, t)
    ours = Perceptron(shuffle=False, zero=0).fit(X, t)
    assert ours.converged_
    assert_allclose([ours.b_, *ours.w_], [*theirs.intercept_, *theirs.coef_[0]], rtol=1e-10)
    X, t = classes(2, k=2, apart=0.5)
    theirs = linear_model.Perceptron(shuffle=False, tol=None, max_iter=7).fit(X, t)
    ours = quietly(Perceptron(epochs=7, shuffle=False, zero=0), X, t)
    assert not ours.converged_
    assert_allclose([ours.b_, *ours.w_], [*theirs.intercept_, *theirs.coef_[0]], rtol=1e-10)


@few
@given(seeds, st.sampled_from([2.0**-20, 0.25, 8.0, 2.0**40]), st.sampled_from([1, 7, None]))
def test_from_zero_the_rate_only_scales(seed, eta, size):
    """Powers of two, so that no rounding can tell the runs apart."""
    X, y = classes(seed, k=2, apart=1.0)
    one, other = (quietly(Perceptron(rate, 5, batch_size=size), X, y) for rate in (1.0, eta))
    assert_array_equal(one.mistakes_, other.mistakes_)
    for a, b in zip(one.history_[1:], other.history_[1:]):
        assert_array_equal(a.wrong, b.wrong)
        assert_array_equal(eta * a.w, b.w)


@few
@given(seeds, st.sampled_from([1, 4, 25, None]))
def test_history_replays_the_run(seed, size):
    X, y = classes(seed, n=25, k=2, apart=1.0)
    t, eta = np.where(y == 1, 1, -1), 0.5
    model = quietly(Perceptron(eta, 4, batch_size=size), X, y)
    w, b, total = np.zeros(3), 0.0, 0
    assert (model.history_[0].w.tolist(), *model.history_[0][1:]) == ([0, 0, 0], 0.0, 0, None, 0, 0)
    for step in model.history_[1:]:
        i = step.wrong
        assert 1 <= len(i) <= (size or 25)
        assert (t[i] * (X[i] @ w + b) <= 1e-12).all()
        w, b, total = w + eta * t[i] @ X[i], b + eta * t[i].sum(), total + len(i)
        assert_allclose(step.w, w, atol=1e-12)
        assert step.b == pytest.approx(b, abs=1e-12)
        assert step.n_mistakes == total
    per_epoch = np.zeros(len(model.mistakes_))
    for step in model.history_[1:]:
        per_epoch[step.epoch - 1] += len(step.wrong)
    assert_array_equal(model.mistakes_, per_epoch)
    assert (model.n_iter_, model.n_mistakes_) == (len(model.history_) - 1, total)
    assert_array_equal(model.w_, model.history_[-1].w)


def batch_by_batch(X, t, *, eta, epochs, rng, size, shuffle, zero):
    """Score batch after batch and correct at once; return (epoch, wrong) of each update and the last weights."""
    Z, least = t[:, None] * np.column_stack([np.ones(len(X)), X]), np.where(t == zero, 0.0, np.nextafter(0, 1))
    rng, v, updates = np.random.default_rng(rng), np.zeros(1 + X.shape[1]), []
    for epoch in range(1, epochs + 1):
        order = rng.permutation(len(X)) if shuffle and size < len(X) else np.arange(len(X))
        for at in range(0, len(X), size):
            batch = order[at : at + size]
            wrong = batch[[Z[n] @ v < least[n] for n in batch]]
            if len(wrong):
                v = v + eta * Z[wrong].sum(axis=0)
                updates.append((epoch, wrong.tolist()))
        if updates and updates[-1][0] < epoch:
            break
    return updates, v


@few
@given(
    seeds,
    st.sampled_from([1, 3, 32, 50, 130]),
    st.sampled_from([-1, 0, 1]),
    st.booleans(),
    st.sampled_from([1, 40, 1000]),
)
def test_looking_ahead_changes_no_update(seed, size, zero, shuffle, grid):
    """Whole numbers, so that nothing is rounded and many points lie on the plane; a large grid has few mistakes."""
    rng = np.random.default_rng(seed)
    X = rng.integers(-grid, grid + 1, size=(130, 2)).astype(float)
    t = np.where(X @ [2, -1] + rng.integers(-1, 2, size=130) > 0, 1, -1)
    t[:2] = -1, 1
    given = {"batch_size": size, "zero": zero, "shuffle": shuffle}
    model = quietly(Perceptron(0.5, 8, seed, **given), X, t)
    updates, v = batch_by_batch(X, t, eta=0.5, epochs=8, rng=seed, size=size, shuffle=shuffle, zero=zero)
    assert [(step.epoch, step.wrong.tolist()) for step in model.history_[1:]] == updates
    assert_array_equal([model.b_, *model.w_], v)


def test_the_search_for_a_mistake_ends_where_it_is():
    """Rows looked at per mistake do not depend on how many come after it."""
    looked = []

    class Rows(np.ndarray):
        def __matmul__(self, v):
            looked.append(len(self))
            return np.asarray(self) @ v

    Z = np.ones((100_000, 2))
    Z[200] = -1
    batch, wrong = _next_mistakes(Z.view(Rows), np.full(len(Z), 1e-300), np.ones(2), 0, 4)
    assert (batch, wrong.tolist()) == (slice(200, 204), [True, False, False, False])
    assert sum(looked) < 2 * 200 + 64


@few
@given(seeds, st.sampled_from([1, 5, None]))
def test_separable_classes_end_without_error(seed, size):
    X, t = separable(seed)
    model = Perceptron(epochs=5000, batch_size=size).fit(X, np.where(t > 0, "yes", "no"))
    assert model.converged_
    assert model.mistakes_[-1] == 0
    assert (geometric_margin(X, t, model.w_, model.b_) >= 0).all()
    assert_array_equal(model.predict(X) == "yes", t > 0)


def test_batch_update_descends_the_loss():
    """The update of all misclassified points is eta times minus the gradient of the perceptron's loss."""
    X, y = classes(6, k=2, apart=1.0)
    t = np.where(y == 1, 1, -1)
    model = quietly(Perceptron(0.1, 5, batch_size=None), X, y)
    before, after = model.history_[3:5]
    v, h = np.append(before.b, before.w), 1e-6
    gradient = [
        (perceptron_loss(X, t, u[1:], u[0]) - perceptron_loss(X, t, 2 * v[1:] - u[1:], 2 * v[0] - u[0])) / (2 * h)
        for u in v + h * np.eye(4)
    ]
    assert_allclose(np.append(after.b, after.w) - v, -0.1 * np.array(gradient), rtol=1e-6)
    assert perceptron_loss(X, t, np.zeros(3), 0.0) == 0


def test_order_matters_and_the_seed_fixes_it():
    X, t = separable(8)
    runs = [Perceptron(rng=seed).fit(X, t) for seed in (1, 1, 2)]
    assert_array_equal(runs[0].w_, runs[1].w_)
    assert not np.array_equal(runs[0].w_, runs[2].w_)
    assert_array_equal(Perceptron(rng=np.random.default_rng(1)).fit(X, t).w_, runs[0].w_)


def test_constant_dependent_and_many_columns():
    X, t = separable(9)
    odd = np.column_stack([X, X @ [1, 2], np.full(30, 7.0)])
    model = Perceptron(epochs=2000).fit(odd, t)
    assert_array_equal(model.predict(odd), t)
    wide = np.random.default_rng(0).normal(size=(10, 40))
    assert Perceptron().fit(wide, [0, 1] * 5).converged_
    same = np.ones((4, 2))
    with pytest.warns(ConvergenceWarning, match="no plane separates"):
        Perceptron(epochs=3).fit(same, [0, 1, 0, 1])


@pytest.mark.parametrize("cls", [Perceptron, MulticlassPerceptron])
@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({"learning_rate": 0}, "learning_rate must be greater than 0"),
        ({"learning_rate": 1e-200}, "learning_rate must be at least 1e-100"),
        ({"learning_rate": "fast"}, "learning_rate must be a finite number"),
        ({"epochs": 0}, "epochs must be at least 1"),
        ({"epochs": 2.5}, "epochs must be a whole number"),
        ({"rng": None}, "rng must be a non-negative integer seed"),
        ({"shuffle": "yes"}, "shuffle must be one of True, False"),
    ],
)
def test_bad_runs_are_explained(cls, params, words):
    with pytest.raises(ValueError, match=words):
        cls(**params).fit(CORNERS, AND)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: Perceptron(batch_size=0).fit(CORNERS, AND), "batch_size must be at least 1"),
        (lambda: Perceptron(batch_size=5).fit(CORNERS, AND), r"batch_size must be at most 4 \(the number of samples\)"),
        (lambda: Perceptron(zero=2).fit(CORNERS, AND), "zero must be one of -1, 0, 1"),
        (lambda: Perceptron().fit(CORNERS, list("abca")), "separates two classes; y holds 3: 'a', 'b', 'c'. Use Multi"),
        (lambda: Perceptron().fit(CORNERS, [1, 1, 1, 1]), "at least 2 classes"),
        (lambda: Perceptron().fit(1e150 * CORNERS, AND), "Change the unit of X"),
        (lambda: Perceptron().fit(1e-150 * CORNERS, AND), "Change the unit of X"),
        (lambda: perceptron_loss(CORNERS, [0, 1, 1, 1], [1, 1], 0), "-1"),
        (lambda: Perceptron().decision_function(CORNERS), "has not been fitted"),
    ],
)
def test_bad_perceptrons_are_explained(call, words):
    with pytest.raises(ValueError, match=words):
        call()


# --- what a run answers with -------------------------------------------------------------------------------------


@few
@given(seeds, st.sampled_from([-1, 0, 1]), st.booleans())
def test_averaged_perceptron_is_the_plain_loop(seed, zero, whole):
    """The mean of (b, w) over all samples of all passes, each taken after its correction."""
    rng = np.random.default_rng(seed)
    X, t = rng.normal(size=(25, 2)) + 0.5, np.append(rng.choice([-1, 1], 23), [-1, 1])
    X = np.round(X) if whole else X
    model = quietly(Perceptron(epochs=6, shuffle=False, zero=zero, keep="average"), X, t)
    v, total, seen = np.zeros(3), np.zeros(3), 0
    for _ in model.mistakes_:
        for phi, target in zip(design_matrix(X), t):
            v = v + target * phi * ((np.sign(phi @ v) or zero) != target)
            total, seen = total + v, seen + 1
    assert_allclose([model.b_, *model.w_], total / seen, atol=1e-12)


@few
@given(seeds, st.sampled_from([1, 7, None]))
def test_pocket_holds_the_first_weights_with_the_fewest_mistakes(seed, size):
    X, y = classes(seed, k=2, apart=0.7)
    last, pocket = (quietly(Perceptron(epochs=5, batch_size=size, keep=k), X, y) for k in ("last", "pocket"))
    wrong = [np.sum((X @ step.w + step.b > 0) != (y == 1)) for step in last.history_]
    best = last.history_[int(np.argmin(wrong))]
    assert_array_equal(pocket.w_, best.w)
    assert (pocket.b_, np.sum(pocket.predict(X) != y)) == (best.b, min(wrong))


def test_averaged_perceptron_is_that_of_scikit_learn():
    """Stochastic descent on the perceptron's loss with a constant rate; y = 0 is a mistake of either class there."""
    X, t = classes(2, k=2, apart=0.5)
    rule = {"loss": "perceptron", "penalty": None, "learning_rate": "constant", "eta0": 1.0}
    theirs = linear_model.SGDClassifier(**rule, average=True, shuffle=False, tol=None, max_iter=7).fit(X, t)
    ours = quietly(Perceptron(epochs=7, shuffle=False, zero=0, keep="average"), X, t)
    assert_allclose([ours.b_, *ours.w_], [*theirs.intercept_, *theirs.coef_[0]], rtol=1e-9)


def test_averaged_perceptron_of_scikit_learn_goes_on_after_a_clean_epoch():
    """Ours stops there; with as many epochs as ours took the two are equal, with more they are not."""
    X, t = separable(4)
    ours = Perceptron(epochs=1000, shuffle=False, zero=0, keep="average").fit(X, t)
    rule = {"loss": "perceptron", "penalty": None, "learning_rate": "constant", "eta0": 1.0, "average": True}
    took = len(ours.mistakes_)
    theirs, longer = (
        linear_model.SGDClassifier(**rule, shuffle=False, tol=None, max_iter=n).fit(X, t).coef_[0]
        for n in (took, 10 * took)
    )
    assert_allclose(ours.w_, theirs, rtol=1e-9)
    assert not np.allclose(ours.w_, longer, rtol=1e-2)


@pytest.mark.parametrize("make", [LeastSquaresClassifier, FisherDiscriminant])
def test_units_change_no_score_unless_columns_depend_on_each_other(make):
    for n, d, alike in ((40, 5, True), (10, 20, False)):
        rng = np.random.default_rng(n)
        X, y = rng.normal(size=(n, d)), np.arange(n) % 2
        new = rng.normal(size=(50, d))
        unit = np.where(np.arange(d) == 0, 1000.0, 1.0)
        plain, scaled = make().fit(X, y).decision_function(new), make().fit(X * unit, y).decision_function(new * unit)
        assert bool(np.abs(plain - scaled).max() < 1e-6) == alike


@pytest.mark.parametrize("keep", ["pocket", "average"])
def test_what_is_kept_does_not_hang_on_the_history(keep):
    X, y = classes(3, k=2, apart=0.7)
    whole, short = (quietly(Perceptron(epochs=5, keep=keep, history=h), X, y) for h in (True, False))
    assert_array_equal([whole.b_, *whole.w_], [short.b_, *short.w_])
    assert (len(whole.history_), len(short.history_)) == (whole.n_iter_ + 1, 2)
    assert whole.history_[-1].seen <= 5 * len(X)


def test_on_separable_classes_the_pocket_is_clean():
    X, t = separable(4)
    last, pocket = Perceptron(epochs=1000).fit(X, t), Perceptron(epochs=1000, keep="pocket").fit(X, t)
    assert_array_equal(last.w_, pocket.w_)
    with pytest.raises(ValueError, match="keep must be"):
        Perceptron(keep="best").fit(X, t)


# --- the same in scikit-learn, as the card says -------------------------------------------------------------------


def test_fisher_is_the_discriminant_analysis_of_scikit_learn():
    """With equal priors; theirs counts class frequencies by default, which shifts the cut by their logarithm."""
    X, y = classes(5, k=3, apart=1.0)
    ours = FisherDiscriminant().fit(X, y)
    theirs = LinearDiscriminantAnalysis(priors=[1 / 3] * 3).fit(X, y)
    assert_array_equal(ours.predict(X), theirs.predict(X))
    counted = LinearDiscriminantAnalysis(solver="eigen").fit(X, y)
    spread = counted.transform(X).std(axis=0) / ours.transform(X).std(axis=0)
    assert_allclose(spread, np.sqrt(len(X)), rtol=1e-6)
    S = scatter_within(X, y) / len(X)
    scores = X @ np.linalg.solve(S, ours.means_.T) - 0.5 * np.sum(ours.means_ * np.linalg.solve(S, ours.means_.T).T, 1)
    assert_array_equal(counted.predict(X), (scores + np.log(np.bincount(y) / len(y))).argmax(axis=1))


def test_least_squares_is_the_ridge_classifier_of_scikit_learn_without_penalty():
    """Its targets are -1 and +1: scores 2 y - 1, so the largest is the same."""
    X, y = classes(6, k=3)
    theirs = linear_model.RidgeClassifier(alpha=1e-12, solver="svd").fit(X, y)
    ours = LeastSquaresClassifier().fit(X, y)
    assert_allclose(theirs.decision_function(X), 2 * ours.decision_function(X) - 1, atol=1e-6)
    assert_array_equal(theirs.predict(X), ours.predict(X))


def test_joining_two_class_models_is_that_of_scikit_learn():
    X, y = classes(7, k=4, apart=1.5)
    for ours, theirs in ((OneVsRest, OneVsRestClassifier), (OneVsOne, OneVsOneClassifier)):
        a = ours(FisherDiscriminant).fit(X, y)
        b = theirs(FisherDiscriminant()).fit(X, y)
        clear = ~a.ties(X) if ours is OneVsOne else np.ones(len(X), bool)  # theirs breaks ties by the scores
        assert_array_equal(a.predict(X)[clear], b.predict(X)[clear])


# --- the bound on mistakes -------------------------------------------------------------------------------------


def test_bound_of_and():
    """x~ = (1, x): the best direction is (-3, 2, 2) / sqrt(17) with gamma = 1 / sqrt(17), and R^2 = 3."""
    best = perceptron_bound(CORNERS, AND)
    assert_allclose([best.b, *best.w], np.array([-3, 2, 2]) / np.sqrt(17), rtol=1e-10)
    assert (best.R**2, best.gamma**-2, best.bound) == pytest.approx((3, 17, 51), rel=1e-10)
    given_one = perceptron_bound(CORNERS, AND, w=[4, 2], b=-5)
    assert (given_one.gamma**2, given_one.bound) == pytest.approx((1 / 45, 135))
    assert Perceptron(shuffle=False).fit(CORNERS, AND).n_mistakes_ == 10


@few
@given(seeds, st.integers(1, 4), st.sampled_from([-1, 0, 1]), st.sampled_from([0.02, 0.2, 0.6]))
def test_mistakes_stay_below_the_bound(seed, d, zero, gap):
    """Novikoff: at every mistake M gamma <= u.v and |v|^2 <= M R^2, hence M <= (R / gamma)^2."""
    X, t = separable(seed, d=d, gap=gap)
    found = perceptron_bound(X, t)
    model = quietly(Perceptron(epochs=500, rng=seed, zero=zero), X, t)
    V = np.array([[s.b, *s.w] for s in model.history_])
    M = np.array([s.n_mistakes for s in model.history_])
    assert (V @ [found.b, *found.w] >= M * found.gamma - 1e-9).all()
    assert ((V**2).sum(axis=1) <= M * found.R**2 + 1e-9).all()
    assert model.n_mistakes_ <= found.bound


@few
@given(seeds, st.integers(1, 4))
def test_best_margin_is_the_widest(seed, d):
    """No perturbed separator has a wider gamma; the nearest hull point has |v| = min Z v / |v|."""
    X, t = separable(seed, d=d)
    best, rng = perceptron_bound(X, t), np.random.default_rng(seed)
    assert np.linalg.norm([best.b, *best.w]) == pytest.approx(1)
    for size in (1e-4, 1e-2, 1.0):
        other = perceptron_bound(X, t, w=best.w + size * rng.normal(size=d), b=best.b + size * rng.normal())
        assert other.gamma <= best.gamma * (1 + 1e-9)


def test_best_margin_is_that_of_the_machine_without_bias():
    """The points z = t (1, x) and their mirror images have a widest plane with b = 0."""
    X, t = separable(3, n=20)
    Z = t[:, None] * design_matrix(X)
    machine = SVC(C=1e6, solver="interior_point").fit(np.vstack([Z, -Z]), np.repeat([1, -1], 20))
    assert perceptron_bound(X, t).gamma == pytest.approx(machine.margin_, rel=1e-6)


def test_no_bound_where_no_plane_separates():
    found = perceptron_bound(CORNERS, XOR)
    assert (found.gamma, found.bound, found.b, found.w.tolist()) == (0, np.inf, 0, [0, 0])
    assert perceptron_bound(CORNERS, XOR, w=[1, 1], b=-0.5).bound == np.inf
    assert perceptron_bound(CORNERS, XOR, w=[1, 1], b=-0.5).gamma < 0
    X, y = classes(0, k=2, apart=0.3)
    assert perceptron_bound(X, y).bound == np.inf
    assert perceptron_bound([[0.1], [0.2], [0.3]], [0, 1, 0]).bound == np.inf
    assert perceptron_bound([[0.1, 0.7], [0.2, 0.1], [0.1, 0.7]], [0, 0, 1]).bound == np.inf
    thin = perceptron_bound([[0.0], [1e-5]], [0, 1])
    assert thin.gamma == pytest.approx(0.5e-5, rel=1e-9)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: perceptron_bound(CORNERS, AND, w=[1, 1]), "w and b come together.*b is None"),
        (lambda: perceptron_bound(CORNERS, AND, b=1), "w is None"),
        (lambda: perceptron_bound(CORNERS, AND, w=[1], b=1), "X has 2 columns, w has 1"),
        (lambda: perceptron_bound(CORNERS, AND, w=[0, 0], b=0), "must not both be zero"),
        (lambda: perceptron_bound(CORNERS, [0, 1, 2, 3]), "the perceptron separates two classes; y holds 4"),
    ],
)
def test_bad_bounds_are_explained(call, words):
    with pytest.raises(ValueError, match=words):
        call()


# --- the multiclass perceptron -------------------------------------------------------------------------------


@few
@given(seeds, st.booleans())
def test_two_classes_give_the_perceptron(seed, whole):
    X, y = classes(seed, k=2, apart=1.0)
    X = np.round(X) if whole else X
    two, many = quietly(Perceptron(epochs=5), X, y), quietly(MulticlassPerceptron(epochs=5), X, y)
    assert_array_equal(many.mistakes_, two.mistakes_)
    assert_allclose(many.W_, [-two.w_, two.w_], rtol=1e-12, atol=1e-12)
    assert_allclose(many.b_, [-two.b_, two.b_], rtol=1e-12)


@few
@given(seeds, st.integers(2, 5))
def test_multiclass_run_is_the_plain_loop(seed, k):
    """Update for update; scores go to the first of equals, and the rows of W and b add to zero."""
    X, y = classes(seed, n=50, k=k, apart=3.0)
    X = np.round(X)  # whole numbers meet ties
    model = quietly(MulticlassPerceptron(epochs=4, shuffle=False), X, y)
    W, b, steps = np.zeros((k, 3)), np.zeros(k), iter(model.history_[1:])
    for _ in model.mistakes_:
        for n in range(50):
            predicted = int(np.argmax(W @ X[n] + b))
            if predicted != y[n]:
                W[y[n]] += X[n]
                W[predicted] -= X[n]
                b[y[n]] += 1
                b[predicted] -= 1
                step = next(steps)
                assert (step.n, step.up, step.down) == (n, y[n], predicted)
                assert_array_equal(step.W, W)
                assert_array_equal(step.b, b)
    assert next(steps, None) is None
    assert_array_equal(model.W_.sum(axis=0), 0)
    assert model.b_.sum() == 0
    assert model.n_mistakes_ == model.n_iter_ == model.history_[-1].n_mistakes == model.mistakes_.sum()


def test_multiclass_perceptron_separates_what_can_be():
    angle = np.repeat([0.3, 2.2, 4.5], 15) + np.random.default_rng(1).uniform(-0.3, 0.3, 45)
    X, y = 2 * np.column_stack([np.cos(angle), np.sin(angle)]) + 5, np.repeat(["ash", "birch", "cedar"], 15)
    runs = [MulticlassPerceptron(rate).fit(X, y) for rate in (1.0, 0.125)]
    assert runs[0].converged_
    assert_array_equal(runs[0].predict(X), y)
    assert_array_equal(0.125 * runs[0].W_, runs[1].W_)
    assert runs[0].decision_function(X).shape == (45, 3)
    with pytest.warns(ConvergenceWarning, match="MulticlassPerceptron still made"):
        MulticlassPerceptron(epochs=5).fit(X, np.random.default_rng(2).permutation(y))


# --- Fisher ------------------------------------------------------------------------------------------------------


def test_fisher_by_hand():
    """W21: means, scatter, direction, J, and the threshold at the mean of all."""
    X, y = W21
    model = FisherDiscriminant(threshold="mean").fit(X, y)
    assert_allclose(model.means_, [[3, 3.6], [10 / 3, 2]])
    assert_allclose(scatter_within(X, y), [[27 + 1 / 3, 24], [24, 23.2]])
    assert_allclose(model.w_, [0.793578, -0.889908], atol=5e-7)
    assert -model.b_ == pytest.approx(0.097998, abs=5e-7)
    assert_array_equal(model.predict(X), y)
    assert fisher_criterion(model.w_, X, y) == pytest.approx(1.688379, abs=5e-7)
    assert fisher_criterion(model.means_[1] - model.means_[0], X, y) == pytest.approx(0.193729, abs=5e-7)
    assert model.eigenvalues_ == pytest.approx([1.688379 * 5 * 6 / 11], abs=5e-6)


def test_fisher_of_six_points():
    """W17 of the fifth source: projections of both classes."""
    X, y = W17
    model = FisherDiscriminant(threshold="mean").fit(X, y)
    assert_allclose(model.w_, [1.18919, 0.08108], atol=5e-6)
    assert -model.b_ == pytest.approx(5.72973, abs=5e-6)
    assert_allclose(X @ model.w_, [1.351, 2.622, 3.811, 7.541, 8.973, 10.081], atol=6e-4)
    midway = FisherDiscriminant().fit(X, y)
    assert -midway.b_ == pytest.approx(midway.w_ @ [4.5, (8 / 3 + 20 / 3) / 2])


@few
@given(seeds, st.integers(2, 4), st.integers(1, 5))
def test_total_scatter_is_within_plus_between(seed, k, d):
    X, y = classes(seed, k=k, d=d)
    S_W, S_B, S_T = scatter_within(X, y), scatter_between(X, y), scatter_total(X)
    assert_allclose(S_W + S_B, S_T, rtol=1e-10, atol=1e-10 * S_T.max())
    assert np.linalg.matrix_rank(S_B, tol=1e-8 * S_T.max()) <= k - 1
    by_class = sum((np.sum(y == c) - 1) * np.cov(X[y == c].T).reshape(d, d) for c in range(k))
    assert_allclose(S_W, by_class, rtol=1e-9, atol=1e-9 * S_T.max())
    if k == 2:
        difference = X[y == 1].mean(axis=0) - X[y == 0].mean(axis=0)
        factor = np.sum(y == 0) * np.sum(y == 1) / len(y)
        assert_allclose(S_B, factor * np.outer(difference, difference), rtol=1e-9, atol=1e-9 * S_T.max())


@few
@given(seeds, st.integers(2, 5))
def test_fisher_direction_is_the_best(seed, d):
    """S_W w = m2 - m1; no direction has a larger J; J ignores length; the direction is scikit-learn's."""
    X, y = classes(seed, k=2, d=d)
    model = FisherDiscriminant().fit(X, y)
    w, difference = model.w_, model.means_[1] - model.means_[0]
    assert_allclose(scatter_within(X, y) @ w, difference, rtol=1e-6, atol=1e-7 * np.abs(difference).max())
    J = fisher_criterion(w, X, y)
    assert fisher_criterion(-7 * w, X, y) == pytest.approx(J)
    others = [fisher_criterion(u, X, y) for u in np.random.default_rng(seed).normal(size=(20, d)) / X.std(axis=0)]
    assert max(others) <= J * (1 + 1e-9)
    theirs = LinearDiscriminantAnalysis(priors=[0.5, 0.5]).fit(X, y)
    assert_allclose(w / np.linalg.norm(w), theirs.coef_[0] / np.linalg.norm(theirs.coef_), rtol=1e-6, atol=1e-8)
    assert_allclose(
        model.b_ / np.linalg.norm(w), theirs.intercept_[0] / np.linalg.norm(theirs.coef_), rtol=1e-6, atol=1e-7
    )
    assert_array_equal(model.predict(X), theirs.predict(X))


@few
@given(seeds, st.integers(3, 5), st.integers(2, 6))
def test_fisher_of_many_classes(seed, k, d):
    """Generalised eigenvectors by another route; J(A) is the sum of the eigenvalues; LDA with equal priors agrees."""
    from scipy.linalg import eigh

    X, y = classes(seed, k=k, d=d)
    model, m = FisherDiscriminant().fit(X, y), min(k - 1, d)
    A, S_W, S_B = model.directions_, scatter_within(X, y), scatter_between(X, y)
    assert A.shape == (d, m)
    assert_allclose(model.eigenvalues_, eigh(S_B, S_W, eigvals_only=True)[::-1][:m], rtol=1e-6)
    assert_allclose(A.T @ S_W @ A, np.eye(m), atol=1e-7)
    assert_allclose(A.T @ S_B @ A, np.diag(model.eigenvalues_), atol=1e-6 * model.eigenvalues_.max())
    assert fisher_criterion(A, X, y) == pytest.approx(model.eigenvalues_.sum(), rel=1e-6)
    theirs = LinearDiscriminantAnalysis(priors=np.full(k, 1 / k)).fit(X, y)
    assert np.mean(model.predict(X) == theirs.predict(X)) == 1


@few
@given(seeds, st.integers(1, 2))
def test_prediction_is_the_nearest_projected_mean(seed, m):
    X, y = classes(seed, k=4, d=4)
    model = FisherDiscriminant(m).fit(X, y)
    assert model.transform(X).shape == (60, m)
    apart = model.transform(X)[:, None] - model.transform(model.means_)
    assert_array_equal(model.predict(X), (apart**2).sum(axis=2).argmin(axis=1))


@few
@given(seeds, st.integers(2, 4))
def test_fisher_does_not_depend_on_units(seed, k):
    X, y = classes(seed, k=k)
    rng = np.random.default_rng(seed)
    M = rng.normal(size=(3, 3)) + 3 * np.eye(3)
    Y = (X @ M + 5) * [1e-9, 1, 1e9]
    one, other = FisherDiscriminant().fit(X, y), FisherDiscriminant().fit(Y, y)
    assert_allclose(one.eigenvalues_, other.eigenvalues_, rtol=1e-5)
    assert_array_equal(one.predict(X), other.predict(Y))


@few
@given(seeds)
def test_least_squares_with_balanced_targets_is_fisher(seed):
    """Targets N/N1 and -N/N2 give w in the direction of S_W^-1 (m1 - m2) and the threshold at the mean of all."""
    X, y = classes(seed, k=2)
    N1, N2 = np.bincount(y)
    line = LinearRegression().fit(X, np.where(y == 0, len(y) / N1, -len(y) / N2))
    fisher = FisherDiscriminant(threshold="mean").fit(X, y)
    scale = -np.linalg.norm(line.w_) / np.linalg.norm(fisher.w_)
    assert_allclose(line.w_, scale * fisher.w_, rtol=1e-6, atol=1e-8 * np.abs(line.w_).max())
    assert line.b_ == pytest.approx(scale * fisher.b_, rel=1e-6)


def test_fisher_with_dependent_and_constant_columns():
    X, y = classes(4)
    odd = np.column_stack([X, X[:, 0] - 2 * X[:, 1], np.full(60, 0.1)])
    one, model = FisherDiscriminant().fit(X, y), FisherDiscriminant().fit(odd, y)
    assert_allclose(model.eigenvalues_, one.eigenvalues_, rtol=1e-9)
    assert_array_equal(model.predict(odd), one.predict(X))
    assert_array_equal(model.W_[:, 4], 0)


def test_fisher_uses_a_column_that_tells_the_classes_apart():
    """A column without scatter inside the classes makes S_W singular; a pseudo-inverse would ignore it."""
    X, y = classes(5, k=2, apart=0.1)
    sure = np.column_stack([X, 2.0 * y])
    model = FisherDiscriminant().fit(sure, y)
    assert_array_equal(model.predict(sure), y)
    assert np.mean((sure @ np.linalg.pinv(scatter_within(sure, y)) @ np.ptp(model.means_, axis=0) > 0) == y) < 0.9
    assert model.eigenvalues_[0] == pytest.approx(1e12)


def test_fisher_with_more_features_than_samples():
    rng = np.random.default_rng(6)
    y = np.array(list("abcabcabca"))
    X = rng.normal(size=(10, 30)) + 3 * rng.normal(size=(3, 30))[np.unique(y, return_inverse=True)[1]]
    model = FisherDiscriminant().fit(X, y)
    assert_array_equal(model.predict(X), y)
    assert model.transform(X).shape == (10, 2)
    pair = FisherDiscriminant().fit([[0.0, 0], [2, 2]], [0, 1])
    assert_array_equal(pair.predict([[0.9, 0.9], [1.1, 1.1], [-1, 4]]), [0, 1, 1])


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: FisherDiscriminant().fit(CORNERS, XOR), "class means coincide"),
        (lambda: FisherDiscriminant().fit(np.ones((4, 2)), AND), "class means coincide"),
        (lambda: FisherDiscriminant(2).fit(*W21), r"n_components must be at most 1 \(2 classes and 2 features"),
        (lambda: FisherDiscriminant(threshold="median").fit(*W21), "threshold must be one of 'midpoint', 'mean'"),
        (lambda: FisherDiscriminant(threshold="mean").fit(*classes()), "needs two classes; y holds 3"),
        (lambda: FisherDiscriminant().fit(CORNERS, [1, 1, 1, 1]), "at least 2 classes"),
        (lambda: FisherDiscriminant().transform(CORNERS), "has not been fitted"),
        (lambda: fisher_criterion([1, 2, 3], *W21), r"w must have shape \(2,\), or \(2, m\)"),
        (lambda: fisher_criterion([0, 0], *W21), "J is 0/0"),
        (lambda: fisher_criterion([[1, 2], [1, 2]], *W21), "W'S_W W is singular"),
        (lambda: scatter_within(CORNERS, [0, 1]), "4 rows"),
        (lambda: scatter_total([1, 2]), r"X must have shape \(n, d\)"),
    ],
)
def test_bad_fishers_are_explained(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def test_criterion_is_infinite_where_nothing_scatters():
    assert fisher_criterion([1, 0], [[0, 1], [0, 2], [1, 3], [1, 5]], [0, 0, 1, 1]) == np.inf


# --- one against the rest, one against one ----------------------------------------------------------------------


class Nearest:
    """A two-class model that can only predict."""

    def fit(self, X, y):
        self.labels, self.centres = np.unique(y), np.array([X[y == c].mean(axis=0) for c in np.unique(y)])
        return self

    def predict(self, X):
        return self.labels[((X[:, None] - self.centres) ** 2).sum(axis=2).argmin(axis=1)]


def star():
    """Three classes around a centre."""
    rng = np.random.default_rng(3)
    centres = np.array([[0.0, 3], [2.8, -1.2], [-2.5, -1.6]])
    y = np.repeat(["ash", "birch", "cedar"], [20, 25, 15])
    return centres[np.unique(y, return_inverse=True)[1]] + 0.6 * rng.normal(size=(60, 2)), y


@few
@given(seeds, st.integers(2, 5))
def test_one_vs_rest_of_least_squares_is_least_squares(seed, k):
    """Each one-hot column is its own regression, so the scores are 2 y_k - 1."""
    X, y = classes(seed, k=k)
    joined, direct = OneVsRest(LeastSquaresClassifier).fit(X, y), LeastSquaresClassifier().fit(X, y)
    assert_allclose(joined.scores(X), 2 * direct.scores(X) - 1, atol=1e-9)
    assert_array_equal(joined.predict(X), direct.predict(X))


def test_one_vs_one_is_that_of_libsvm():
    """LIBSVM also gives equal votes to the first class."""
    X, y = classes(7, n=90, d=2, k=4, apart=1.5)
    X = X / X.std(axis=0)
    grid = np.random.default_rng(0).uniform(X.min(axis=0) - 1, X.max(axis=0) + 1, size=(2000, 2))
    ours = OneVsOne(lambda: SVC(C=1.0, tol=1e-8)).fit(X, y)
    theirs = svm.SVC(kernel="linear", C=1.0, tol=1e-8).fit(X, y)
    assert len(ours.models_) == 6
    assert ours.ties(grid).any()
    assert_array_equal(ours.predict(grid), theirs.predict(grid))


@pytest.mark.parametrize("seed", range(20))
def test_ties_of_three_pairwise_lines(seed):
    """The pattern opposite to that of the triangle is missing: one circle in the triangle, or two outside it."""
    rng = np.random.default_rng(seed)
    W, b = rng.normal(size=(3, 2)), rng.normal(size=3)
    corners = np.array([np.linalg.solve(W[[i, j]], -b[[i, j]]) for i, j in ((0, 1), (0, 2), (1, 2))])
    around = 10.0 ** rng.uniform(-4, 4, (20_000, 1)) * rng.normal(size=(20_000, 2))
    seen = {tuple(row) for row in (np.vstack(corners[:, None] + around) @ W.T + b > 0).tolist()}
    triangle = tuple((corners.mean(axis=0) @ W.T + b > 0).tolist())
    assert len(seen) == 7
    assert tuple(not side for side in triangle) not in seen
    circles = {(True, False, True), (False, True, False)}  # votes of (1, 2), (1, 3), (2, 3): 1 > 2 > 3 > 1, and back
    assert len(circles & seen) == (1 if triangle in circles else 2)


def test_ambiguous_regions_are_counted():
    X, y = star()
    rest, pairs = OneVsRest(SVC).fit(X, y), OneVsOne(LeastSquaresClassifier).fit(X, y)
    assert_array_equal(rest.predict(X), y)
    assert_array_equal(rest.claims(X), 1)
    grid = np.random.default_rng(1).uniform(-9, 9, size=(3000, 2))
    scores = rest.decision_function(grid)
    assert set(rest.claims(grid)) == {0, 1, 2}
    assert_array_equal(rest.claims(grid), [sum(row > 0) for row in scores])
    clear = rest.claims(grid) == 1
    assert_array_equal(rest.predict(grid)[clear], rest.classes_[np.argmax(scores[clear] > 0, axis=1)])
    grid = grid / 9
    votes = pairs.votes(grid)
    assert_array_equal(votes.sum(axis=1), 3)
    assert_array_equal(pairs.ties(grid), (votes == 1).all(axis=1))  # three classes tie only with a vote each
    assert pairs.ties(grid).any()
    assert (pairs.predict(grid)[pairs.ties(grid)] == "ash").all()
    assert not pairs.ties(X).any()


def test_models_that_only_predict():
    X, y = star()
    rest, pairs = OneVsRest(Nearest).fit(X, y), OneVsOne(Nearest).fit(X, y)
    assert set(np.unique(rest.decision_function(X))) == {-1, 1}
    assert_array_equal(pairs.predict(X), y)
    assert np.mean(rest.predict(X) == y) > 0.9


@pytest.mark.parametrize("make", [Perceptron, FisherDiscriminant, SVC, LeastSquaresClassifier])
def test_every_two_class_method_joins(make):
    X, y = star()
    for model in (OneVsRest(make), OneVsOne(make)):
        assert_array_equal(quietly(model, X, y).predict(X), y)


class Odd(Nearest):
    def decision_function(self, X):
        return np.zeros((len(X), 3))


@pytest.mark.parametrize("cls", [OneVsRest, OneVsOne])
def test_bad_makers_are_explained(cls):
    X, y = star()
    one = Perceptron()
    for make, words in [
        ("Perceptron", "make must be a classifier, or a function"),
        (lambda: one, r"it gave one twice. Give the model itself: Perceptron\(\)"),
        (lambda: 3, "make must give a classifier with fit and predict.*got 3"),
        (LinearRegression, "must give a classifier"),
    ]:
        with pytest.raises(ValueError, match=words):
            cls(make).fit(X, y)
    with pytest.raises(ValueError, match="at least 2 classes"):
        cls(Perceptron).fit(X, np.zeros(60))
    with pytest.raises(NotFittedError):
        (cls(Perceptron).claims if cls is OneVsRest else cls(Perceptron).votes)(X)


def test_scores_of_the_wrong_shape_are_refused():
    with pytest.raises(ValueError, match=r"shape \(n,\) or \(n, 2\) for two classes; got \(60, 3\)"):
        OneVsRest(Odd).fit(*star()).claims(star()[0])


def test_basis_functions_separate_what_no_point_can():
    """An interval against its outside: one threshold fails, a parabola does it."""
    x = np.random.default_rng(2).uniform(-3, 3, 80)
    x = x[np.abs(np.abs(x) - 1.2) > 0.1]
    y = np.abs(x) < 1.2
    assert perceptron_bound(x[:, None], y).bound == np.inf
    bent = polynomial_features(x, 2, bias=False)
    model = Perceptron(epochs=2000).fit(bent, y)
    assert model.converged_
    assert model.n_mistakes_ <= perceptron_bound(bent, y).bound < np.inf


def test_inputs_are_not_modified():
    X, y = classes(1)
    before = X.copy(), y.copy()
    for cls in (LeastSquaresClassifier, MulticlassPerceptron, FisherDiscriminant):
        quietly(cls(), X, y)
    scatter_within(X, y), scatter_between(X, y), scatter_total(X), perceptron_bound(X, y > 0)
    assert_array_equal(X, before[0])
    assert_array_equal(y, before[1])


# --- errata of the sources: the printed form fails, the right one holds ----------------------------------------


def test_erratum_s0_e44():
    """T holds one target per row, N x K; with targets as columns the product is not defined."""
    X, y = W19
    T = np.eye(2)[y - 1]
    with pytest.raises(ValueError, match="mismatch"):
        np.linalg.pinv(design_matrix(X)) @ T.T
    model = LeastSquaresClassifier().fit(X, y)
    assert_allclose(np.linalg.pinv(design_matrix(X)) @ T, np.vstack([model.b_, model.W_.T]), atol=1e-12)


def test_erratum_s0_e45():
    """The matrix under the trace is K x K; entry k is the squared error of output k over all samples."""
    X, y = W19
    model, T = LeastSquaresClassifier().fit(X, y), np.eye(2)[y - 1]
    residual = model.scores(X) - T
    inner = residual.T @ residual
    per_sample = (residual**2).sum(axis=1)
    assert inner.shape == (2, 2) != (len(per_sample),) * 2
    assert_allclose(np.diag(inner), 0.036145, atol=5e-7)
    assert not np.isclose(2 * per_sample, 0.036145, atol=1e-4).any()
    assert model.loss_ == pytest.approx(0.5 * np.trace(inner))


def test_erratum_s0_e46():
    """The prediction takes the extended input x~ of one sample, not the matrix X."""
    X, y = W19
    T, pinv = np.eye(2)[y - 1], np.linalg.pinv(design_matrix(X))
    with pytest.raises(ValueError, match="mismatch"):
        T.T @ pinv.T @ design_matrix(X)
    assert_allclose(T.T @ pinv.T @ [1, 1, 1], LeastSquaresClassifier().fit(X, y).scores([[1, 1]])[0])


def test_erratum_s0_e47():
    """Least squares needs no separable classes, and misclassifies some that are."""
    x, t = np.array([-3.0, -2, -1, 1, 2, 3, 20, 25])[:, None], np.repeat([-1, 1], [3, 5])
    assert perceptron_bound(x, t).bound < np.inf
    assert np.sum(LeastSquaresClassifier().fit(x, t).predict(x) != t) == 1
    assert LeastSquaresClassifier().fit(CORNERS, XOR).loss_ == pytest.approx(1)


def test_erratum_s0_e48():
    """A small rate may end in the middle: eta = 0.03, twice as much with t - o = 2t, from (0, -1) to (0, 0.08)."""
    v, mistakes = plain_perceptron([[-1.0], [1.0]], [-1, 1], eta=0.06, v=[0, -1])
    assert_allclose(v, [0, 0.08], atol=1e-12)
    assert (mistakes[-1], sum(mistakes)) == (0, 18)


def test_erratum_s0_e49():
    """The thresholded rule ends for every rate; the delta rule, whose gradient is written, needs a small one."""
    runs = [Perceptron(2 * eta, shuffle=False).fit(CORNERS, AND) for eta in (0.001, 1, 1000)]
    assert [run.n_mistakes_ for run in runs] == [10, 10, 10]
    X, t = separable(0, n=40)
    Phi, v = design_matrix(X), np.zeros(3)
    for _ in range(50):
        v = v + 0.5 * Phi.T @ (t - Phi @ v)
    assert np.linalg.norm(v) > 1e50
    assert Perceptron(0.5).fit(X, t).converged_


def test_erratum_s0_e50():
    """Means lie apart along the segment that joins them; across it they coincide."""
    X, y = W21
    difference = X[y == 2].mean(axis=0) - X[y == 1].mean(axis=0)
    along = difference / np.linalg.norm(difference)
    assert abs(along @ difference) == pytest.approx(1.634353, abs=5e-7)
    assert np.array([-along[1], along[0]]) @ difference == pytest.approx(0, abs=1e-15)


def _share_right(X, y, w, w0, high):
    """Accuracy of "class ``high`` iff w.x >= -w0" for labels 1 and 2."""
    return np.mean(np.where(X @ w >= -w0, high, 3 - high) == y)


def test_erratum_s0_e51():
    """With w = S_W^-1 (m2 - m1) the bias is -w.m and the high side is C2."""
    X, y = W21
    w = np.linalg.solve(scatter_within(X, y), X[y == 2].mean(axis=0) - X[y == 1].mean(axis=0))
    m = X.mean(axis=0)
    assert _share_right(X, y, w, w @ m, high=1) == 0
    assert _share_right(X, y, w, -w @ m, high=1) == 0
    assert _share_right(X, y, w, -w @ m, high=2) == 1
    model = FisherDiscriminant(threshold="mean").fit(X, y)
    assert_allclose([model.b_, *model.w_], [-w @ m, *w])


def test_erratum_s0_e52():
    """S_W^-1 (m2 - m1) is exactly optimal, not almost: no angle of a fine grid does better."""
    X, y = W21
    w = FisherDiscriminant().fit(X, y).w_
    angles = np.linspace(0, np.pi, 5000)
    grid = [fisher_criterion([np.cos(a), np.sin(a)], X, y) for a in angles]
    assert fisher_criterion(w, X, y) == pytest.approx(fisher_criterion(7 * w, X, y))
    assert max(grid) <= fisher_criterion(w, X, y)
    assert max(grid) == pytest.approx(1.688379, abs=1e-4)


def test_erratum_s0_e53():
    """tr((W S_W W')(W S_W W')^-1) is the number of directions for every W; the right J has its largest value at A."""
    X, y = classes(2, d=4, k=3)
    S_W, model = scatter_within(X, y), FisherDiscriminant().fit(X, y)
    for W in np.random.default_rng(0).normal(size=(5, 4, 2)):
        within = W.T @ S_W @ W
        assert np.trace(within @ np.linalg.inv(within)) == pytest.approx(2)
        right = np.trace(np.linalg.inv(within) @ (W.T @ scatter_between(X, y) @ W))
        assert fisher_criterion(W, X, y) == pytest.approx(right)
        assert right < model.eigenvalues_.sum()
    assert fisher_criterion(model.directions_, X, y) == pytest.approx(model.eigenvalues_.sum())


def test_erratum_s0_e54():
    """With the mean of all as threshold the boundary moves towards the larger class."""
    rng = np.random.default_rng(0)
    x = np.append(rng.normal(-2, 1, 90), rng.normal(2, 1, 10))[:, None]
    y = np.repeat([1, 2], [90, 10])
    middle, mean = (FisherDiscriminant(threshold=name).fit(x, y) for name in ("midpoint", "mean"))
    assert -mean.b_ / mean.w_[0] == pytest.approx(x.mean())
    assert -mean.b_ / mean.w_[0] < -1.2 < -0.5 < -middle.b_ / middle.w_[0] < 0.5


@pytest.mark.parametrize("threshold", ["mean", "midpoint"])
def test_erratum_s0_e55(threshold):
    """Fisher may misclassify separable classes: {-10, -1} against {1, 2}."""
    x, y = np.array([[-10.0], [-1], [1], [2]]), np.array([1, 1, 2, 2])
    model = FisherDiscriminant(threshold=threshold).fit(x, y)
    assert -model.b_ / model.w_[0] == pytest.approx(-2)
    assert_array_equal(model.predict(x) == y, [1, 0, 1, 1])
    assert_array_equal(Perceptron().fit(x, y).predict(x), y)


def test_erratum_s3_e3_11():
    """A distance is |w0| / |w|; w0 / |w| has a sign, and the offset along w is -w0 / |w|."""
    w, w0 = np.array([3.0, 4]), -10.0
    printed = w0 / np.linalg.norm(w)
    assert printed == -2
    assert np.linalg.norm(nearest_on_plane([[0, 0]], w, w0)) == pytest.approx(2)
    assert nearest_on_plane([[0, 0]], w, w0)[0] @ w / np.linalg.norm(w) == pytest.approx(-printed)
    assert signed_distance([[0, 0]], w, w0)[0] == pytest.approx(printed)


def test_erratum_s3_e3_12():
    """One against the rest trains K models; with K - 1, what none claims is called the last class."""
    X, y = star()
    model = OneVsRest(SVC).fit(X, y)
    assert len(model.models_) == 3
    grid = np.random.default_rng(1).uniform(-9, 9, size=(3000, 2))
    scores = model.decision_function(grid)
    unclaimed = (scores[:, :-1] <= 0).all(axis=1)
    assert (model.predict(grid)[unclaimed] != "cedar").any()


def test_erratum_s3_e3_13():
    """Regions, not boundaries, are convex: no chord leaves its region, but the boundary has corners."""
    rng = np.random.default_rng(4)
    W, b = rng.normal(size=(4, 2)), rng.normal(size=4)
    P, Q = rng.uniform(-5, 5, size=(2, 20_000, 2))
    label = lambda X: (X @ W.T + b).argmax(axis=1)  # noqa: E731
    same = label(P) == label(Q)
    s = rng.uniform(size=(20_000, 1))
    assert_array_equal(label(s * P + (1 - s) * Q)[same], label(P)[same])
    # y = (x1, -x1, x2): the corner (0, 0) and the edge points (1, 1), (-1, 1) lie on the boundary, (0, 1) does not
    gap = lambda x: np.diff(np.sort([x[0], -x[0], x[1]]))[-1]  # noqa: E731
    assert gap((1, 1)) == gap((-1, 1)) == 0 < gap((0, 1))


def test_erratum_s3_e3_14():
    """The inverse is missing: (X'X)^-1 X'T, not (X'X) X'T."""
    x, y = np.array([[0.0], [1], [3], [4]]), np.array([0, 0, 1, 1])
    Phi, T = design_matrix(x), np.eye(2)[y]
    printed = Phi.T @ Phi @ Phi.T @ T
    assert_allclose(printed, [[16, 64], [42, 198]])
    assert_array_equal((Phi @ printed).argmax(axis=1), [1, 1, 1, 1])
    model = LeastSquaresClassifier().fit(x, y)
    assert_allclose(np.vstack([model.b_, model.W_.T]), [[1.1, -0.1], [-0.3, 0.3]])
    assert_array_equal(model.predict(x), y)


def test_erratum_s3_e3_15():
    """w_{k+1} is set on mistakes only, so the next step finds none; one w in place and a clean pass end the loop."""
    X, t = np.array([[2.0, 1], [-1, -1], [1, 2], [-2, -1]]), np.array([1, -1, 1, -1])
    Phi, w = design_matrix(X), {0: np.zeros(3)}

    def printed():
        for k in range(1, 9):  # starts at k = 1 from w_0, n = k mod N
            n = k % 4
            if t[n] * (Phi[n] @ w[k]) < 0:
                w[k + 1] = w[k] + t[n] * Phi[n]

    with pytest.raises(KeyError):
        printed()
    model = Perceptron(shuffle=False, zero=1).fit(X, t)
    assert (model.converged_, model.mistakes_[-1]) == (True, 0)


def test_erratum_s4_f15():
    """The pseudo-inverse must be transposed: T' (X~+)' x~."""
    X, y = classes(1, n=30, d=2, k=3)
    T, Phi = np.eye(3)[y], design_matrix(X)
    pinv = np.linalg.pinv(Phi)
    with pytest.raises(ValueError, match="mismatch"):
        T.T @ pinv @ Phi
    model = LeastSquaresClassifier().fit(X, y)
    assert_allclose((T.T @ pinv.T @ Phi[7]), model.decision_function(X[7:8])[0], atol=1e-12)


def test_erratum_s4_f16():
    """With the sign output correct points do not move w; with w.x they do, and the two sums differ."""
    X, t = np.array([[3.0], [-0.5]]), np.array([1.0, 1])
    w = np.array([1.0])
    sign, linear = 0.5 * np.sum((t - np.sign(X @ w)) ** 2), 0.5 * np.sum((t - X @ w) ** 2)
    assert (sign, linear) == (2.0, 3.125)
    delta = (t[0] - X[0] @ w) * X[0]
    assert_array_equal(delta, -2 * X[0])  # the delta rule moves w although the point is right
    assert perceptron_loss(X[:1], t[:1], w, 0.0) == perceptron_loss(X[:1], t[:1], 1.001 * w, 0.0) == 0


def test_erratum_s4_f17():
    """Without a separating plane the perceptron comes close to nothing: XOR cycles, four mistakes an epoch."""
    model = quietly(Perceptron(shuffle=False), CORNERS, XOR)
    assert not model.converged_
    seen = {tuple(step.w) + (step.b,) for step in model.history_}
    assert len(seen) < 12 < model.n_iter_ == model.mistakes_.sum()
    assert_array_equal(model.history_[-1].w, model.history_[-5].w)
    assert Perceptron(shuffle=False).fit(CORNERS, AND).converged_


def test_erratum_s4_f18():
    """The bias is -w.m and the high side C2; as printed the threshold -5.73 puts all six points into C1."""
    X, y = W17
    model = FisherDiscriminant(threshold="mean").fit(X, y)
    w, m = model.w_, X.mean(axis=0)
    assert -(w @ m) == pytest.approx(-5.73, abs=5e-3)
    assert (X @ w >= -(w @ m)).all()
    assert _share_right(X, y, w, w @ m, high=1) == 0.5
    assert _share_right(X, y, w, -w @ m, high=1) == 0
    assert _share_right(X, y, w, -w @ m, high=2) == np.mean(model.predict(X) == y) == 1


def test_erratum_s4_f19():
    """S_W is symmetric and positive semi-definite; a skew matrix has w.S w = 0 for every w."""
    S = scatter_within(*W17)
    assert_array_equal(S, S.T)
    assert_allclose(np.linalg.eigvalsh(S), [1.593, 7.740], atol=5e-4)
    skew = np.array([[0.0, 3], [-3, 0]])
    w = np.array([1.3, -0.4])
    assert w @ skew @ w == pytest.approx(0, abs=1e-15)
    assert w @ S @ w > 1


def test_erratum_s4_f24():
    """phi maps to a space where a linear rule suffices: the squares of the inputs separate rings."""
    rng = np.random.default_rng(5)
    angle, r = rng.uniform(0, 2 * np.pi, 100), np.repeat([1.0, 2.5], 50) + rng.uniform(-0.3, 0.3, 100)
    X, y = np.column_stack([r * np.cos(angle), r * np.sin(angle)]), np.repeat([0, 1], 50)
    assert np.mean(FisherDiscriminant().fit(X, y).predict(X) == y) < 0.7
    assert Perceptron(epochs=1000).fit(X**2, y).converged_


def test_errata_table_points_to_tests_here():
    path = Path(__file__).parents[1] / "data" / "errata" / "linear_classification.csv"
    with open(path, encoding="utf-8") as file:
        table = list(csv.DictReader(file))
    for row in table:
        name = row["test"].split("::")[1]
        assert name in globals()
        assert name == f"test_erratum_{row['source']}_{row['id']}".lower().replace("-", "_")
    assert {f"test_erratum_{r['source']}_{r['id']}".lower().replace("-", "_") for r in table} == {
        name for name in globals() if name.startswith("test_erratum_")
    }


# --- what the chapter quotes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "settings", "words"),
    [
        ("plane_geometry", {}, "= 1.33 from the origin"),
        ("plane_geometry", {"length": 3.0}, "= 0.67 from the origin"),
        ("ambiguous_regions", {"method": "rest"}, "26.5 % by two or three"),
        *(("ambiguous_regions", {"method": m, "h": 0.0}, "26 of them in class B") for m in ("rest", "joint")),
        ("outlier_pull", {"d": 5.0}, "Least squares has turned by 48°"),
        ("outlier_pull", {"d": 5.0, "phi": 20.0}, "Least squares has turned by −24°"),
        *(("perceptron_steps", {"seed": s}, f"stops after {m}") for s, m in enumerate((26, 20, 12, 18))),
        ("perceptron_steps", {}, "= 1,245 mistakes"),
        ("perceptron_steps", {"gap": 0.2}, "= 4,786 mistakes"),
        ("perceptron_steps", {"gap": -0.4}, "never stops"),
        ("fisher_projection", {"rho": 0.8}, "(25°) has J = 0.0315, Fisher's optimum (−28°) has 0.0550"),
        ("fisher_projection", {}, "Fisher's optimum (25°)"),
    ],
)
def test_read_outs_that_the_folded_answers_quote(name, settings, words):
    shown = made(name)
    assert words in shown.describe(shown.compute(**settings)).replace("**", "")

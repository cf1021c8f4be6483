"""Chapter 08: sigmoid and softmax, the losses, IRLS and descent, softmax regression, GLMs, and the errata."""

import csv
import math
import warnings
from pathlib import Path

import numpy as np
import pytest
from explorers import made
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import special, stats
from sklearn import linear_model

from mlteach.datasets import coal_disasters, horse_kicks, iris
from mlteach.linear_classification import Perceptron
from mlteach.linear_regression import LinearRegression, design_matrix
from mlteach.logistic_regression import (
    GLM,
    Bernoulli,
    Categorical,
    Gaussian,
    LogisticRegression,
    Poisson,
    SoftmaxRegression,
    cross_entropy,
    log_sigmoid,
    log_softmax,
    logistic_gradient,
    logistic_hessian,
    logistic_loss,
    online_update,
    sigmoid,
    softmax,
    softmax_gradient,
    softmax_loss,
    squared_error_gradient,
    squared_error_loss,
)
from mlteach.logistic_regression._safeguards import root, shorten, solve
from mlteach.logistic_regression.newton import OneScore, newton, weighted_factor
from mlteach.regularization import Ridge
from mlteach.validation import ConvergenceWarning, NotFittedError

W18 = np.arange(1, 9)[:, None] / 2, np.array([0, 0, 1, 0, 1, 0, 1, 1])
W13 = np.arange(6.0)[:, None], np.array([0, 0, 1, 0, 1, 1])
W2_17 = np.array([[-0.1], [-2.1], [-12.2], [9]]), np.array([0, 1, 0, 1])
APART = np.array([[-2.0], [-1], [1], [2]]), np.array([0, 0, 1, 1])
# Launch temperature (F) and any distress of the O-rings, 23 flights of the Space Shuttle before the Challenger
TEMPERATURE = [66, 70, 69, 68, 67, 72, 73, 70, 57, 63, 70, 78, 67, 53, 67, 75, 70, 81, 76, 79, 75, 76, 58]
DISTRESS = [0, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 1]
seeds, few = st.integers(0, 10_000), settings(max_examples=20, deadline=None)
scores = st.floats(-1e4, 1e4)


def overlapping(seed=0, n=60, d=3, k=2):
    """Correlated, unequally scaled points whose classes overlap."""
    rng = np.random.default_rng(seed)
    mix = np.tril(rng.normal(size=(d, d)), -1) + np.diag(rng.uniform(0.5, 2, d))
    X = rng.normal(size=(n, d)) @ mix * 10.0 ** rng.uniform(-1, 1, d) + rng.uniform(-3, 3, d)
    A = (X - X.mean(axis=0)) / X.std(axis=0) @ rng.normal(size=(d, k)) + rng.gumbel(size=(n, k))
    y = A.argmax(axis=1)
    y[: 2 * k] = np.tile(np.arange(k), 2)
    return X, y


def counts(seed=0, n=80, d=2):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * [1.0, 3.0] + [2.0, -1.0]
    return X, rng.poisson(np.exp(0.4 + X @ [0.5, -0.1]))


def differences(f, v, h=1e-6):
    """Return the gradient of f at v by central differences."""
    v = np.asarray(v, dtype=float)
    return np.array([(f(v + e) - f(v - e)) / (2 * h) for e in h * np.eye(len(v))])


def quietly(model, X, y):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(X, y)


def theirs(lam, X, y):
    C = 1 / lam if lam else np.inf
    return linear_model.LogisticRegression(C=C, solver="newton-cholesky", tol=1e-12, max_iter=500).fit(X, y)


# --- what the chapter says ------------------------------------------------------------------------------------------


def test_the_same_in_scikit_learn():
    """The translation on the chapter's card: C = 1 / lam, alpha = lam / n; C = 1 by default, no penalty for inf."""
    X, y = overlapping(3, d=2)
    mine, options = LogisticRegression(lam=0.5).fit(X, y), {"tol": 1e-12, "solver": "newton-cholesky"}
    assert_allclose(mine.w_, linear_model.LogisticRegression(C=1 / 0.5, **options).fit(X, y).coef_[0], rtol=1e-5)
    assert linear_model.LogisticRegression().C == 1
    free = linear_model.LogisticRegression(C=np.inf, **options).fit(X, y)
    assert_allclose(LogisticRegression().fit(X, y).w_, free.coef_[0], rtol=1e-5)
    X3, y3 = overlapping(4, d=2, k=3)
    three = linear_model.LogisticRegression(C=1 / 0.5, **options).fit(X3, y3)
    assert_allclose(SoftmaxRegression(lam=0.5).fit(X3, y3).predict_proba(X3), three.predict_proba(X3), atol=1e-5)
    X7, y7 = counts(2)
    poisson = linear_model.PoissonRegressor(alpha=0.5 / len(y7), tol=1e-10, max_iter=1000).fit(X7, y7)
    assert_allclose(GLM(Poisson(), lam=0.5).fit(X7, y7).w_, poisson.coef_, rtol=1e-4)
    gaussian = linear_model.TweedieRegressor(power=0, alpha=0.5 / len(y7), tol=1e-10, max_iter=1000).fit(X7, y7)
    assert_allclose(GLM(Gaussian(), lam=0.5).fit(X7, y7).w_, gaussian.coef_, rtol=1e-4)


SAID = [  # explorer, settings, what its read-out says and the chapter quotes
    ("loss_landscapes", {}, "the squared error has 0 %", "the logistic loss 0 %"),
    ("loss_landscapes", {"w": -4.0, "b": 4.0, "n": 40}, "63 % of its way still to go", "the logistic loss 0 %"),
    ("loss_landscapes", {"w": -4.0, "b": 4.0, "n": 60}, "63 % of its way still to go", "slope 0.051"),
    ("loss_landscapes", {"w": -4.0, "b": 4.0, "n": 0}, "At the start", "press play"),
    ("decision_band", {}, "the band is 1.97 wide", "278 of 2000"),
    ("decision_band", {"scale": 10.0}, "the band is 0.20 wide", "278 of 2000", "Training log loss 1.503"),
    ("decision_band", {"scale": 0.1}, "278 of 2000", "Training log loss 0.580"),
    ("decision_band", {"scale": 10**0.5}, "in 99 % of cases and is in 91 %: too sure"),
    ("decision_band", {"turn": 30.0}, "at c = 0.79"),
    ("decision_band", {"turn": 60.0}, "at c = 0.45"),
    ("decision_band", {"turn": 90.0}, "the end of the scale"),
    ("irls_race", {}, "IRLS takes 4 steps, gradient descent more than 300", "2/L = 0.14"),
    ("irls_race", {"rate": 10**-0.7}, "IRLS takes 4 steps, gradient descent 201 steps"),
    ("irls_race", {"rate": 10**-0.6}, "gradient descent never arrives"),
    ("irls_race", {"rate": 10**-0.7, "shift": 0.0}, "IRLS takes 4 steps, gradient descent 28 steps"),
    ("separation_penalty", {"lam": 0.01}, "|w| = 7.23", "least 0.370 at λ = 0.464"),
    ("separation_penalty", {"lam": 1e-4}, "|w| = 21.7", "2.065 on new points"),
    ("separation_penalty", {"lam": 1e-6}, "|w| = 37.9"),
    ("separation_penalty", {"gap": -1.0, "lam": 1e-6}, "0.953 on new points", "|w| ends at 2.45"),
    ("separation_penalty", {"gap": -1.0, "lam": 10.0}, "0.668 on new points"),
    ("separation_penalty", {"gap": 0.0}, "Only two points meet", "without end"),
    ("softmax_regions", {}, "setosa 0.001", "5 of 150 flowers"),
    ("softmax_regions", {"lam": 10**1.5, "x1": 5.0, "x2": 1.4}, "setosa 0.063, versicolor 0.454, virginica 0.483"),
    ("softmax_regions", {"lam": 1000.0, "x1": 2.9, "x2": 2.9}, "setosa 0.335, versicolor 0.333, virginica 0.331"),
    ("softmax_regions", {"lam": 1000.0}, "setosa 0.290, versicolor 0.344, virginica 0.366", "44 of 150 flowers"),
    ("poisson_trend", {"family": "Gaussian"}, "the variance 1.83 in every year", "first in 1964"),
    ("poisson_trend", {"family": "Gaussian", "last": 1930}, "first in 1935"),
    ("poisson_trend", {"family": "Poisson", "degree": 4, "last": 1930}, "it says over 100 a year; there were 0.97"),
    ("poisson_trend", {"family": "Poisson", "last": 1930}, "it says 0.46 a year; there were 0.97"),
]


@pytest.mark.parametrize("name", sorted({row[0] for row in SAID}))
def test_read_outs_that_the_chapter_quotes(name):
    shown = made(name)
    for _, params, *phrases in (row for row in SAID if row[0] == name):
        words = shown.describe(shown.compute(**params)).replace("**", "")
        assert all(phrase in words for phrase in phrases), words


def test_the_read_out_never_beats_its_own_best():
    """What separation_penalty shows as the least log loss is not above that of any stop of its slider."""
    from mlteach.explore.logistic_regression import PENALTIES, SeparationPenalty

    scene = SeparationPenalty()
    stops = scene.controls["lam"]
    assert_allclose(PENALTIES, np.logspace(stops.min, stops.max, round((stops.max - stops.min) / stops.step) + 1))
    for gap in (-1.5, 0.0, 0.7):
        least = min(scene.compute(lam=lam, gap=gap)[3] for lam in PENALTIES)
        assert scene.compute(lam=1.0, gap=gap)[4][1].min() == pytest.approx(least)


# --- sigmoid, softmax, cross-entropy -----------------------------------------------------------------------------


def test_values_of_the_sources():
    """W2-13, W30 and W12."""
    assert_allclose(sigmoid([1, -1]), [0.731059, 0.268941], atol=5e-7)
    assert sigmoid(1) * sigmoid(-1) == pytest.approx(0.196612, abs=5e-7)
    assert sigmoid(20) * sigmoid(-20) == pytest.approx(2.061154e-9, rel=1e-6)
    assert_allclose(softmax([2, 1, 0.1]), [0.659001, 0.242433, 0.098566], atol=5e-7)
    assert_allclose(softmax([2, 1, 0]), [0.665241, 0.244728, 0.090031], atol=5e-7)
    assert cross_entropy([[1, 0, 0]], [softmax([2, 1, 0])]) == pytest.approx(0.407606, abs=5e-7)


@few
@given(st.lists(scores, min_size=1, max_size=8))
def test_sigmoid_against_scipy(a):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tiny = np.finfo(float).tiny  # below it scipy gives 0, as for a = -710
        assert_allclose(sigmoid(a), special.expit(a), rtol=1e-14, atol=tiny)
        assert_allclose(log_sigmoid(a), special.log_expit(a), rtol=1e-14, atol=tiny)
    assert_allclose(sigmoid(a) + sigmoid(-np.array(a)), 1, rtol=1e-15)


def test_sigmoid_of_any_shape_and_at_any_size():
    assert sigmoid(np.zeros((2, 3, 4))).shape == (2, 3, 4)
    assert isinstance(sigmoid(0), float)
    assert isinstance(log_sigmoid(0), float)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert_array_equal(sigmoid([-1e4, 1e4, -1e308, 1e308]), [0, 1, 0, 1])
        assert_array_equal(log_sigmoid([-1e4, 1e4]), [-1e4, 0])
    assert sigmoid(-710) == math.exp(-710) > 0


def test_tanh_is_a_sigmoid():
    a = np.linspace(-20, 20, 401)
    assert np.abs(np.tanh(a) - (2 * sigmoid(2 * a) - 1)).max() <= 3.4e-16


@few
@given(st.lists(st.lists(scores, min_size=3, max_size=3), min_size=1, max_size=5), st.floats(-100, 100))
def test_softmax_against_scipy_and_shifts(A, c):
    A = np.array(A)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        P = softmax(A)
        # one unit in the last place of a score of 1e4 is 2e-12
        assert_allclose(log_softmax(A), special.log_softmax(A, axis=1), rtol=1e-14, atol=1e-11)
    assert_allclose(P.sum(axis=1), 1, rtol=1e-14)
    assert_allclose(softmax(A + c), P, rtol=1e-10, atol=1e-300)
    assert_allclose(softmax(A[:, :2])[:, 1], sigmoid(A[:, 1] - A[:, 0]), rtol=1e-10, atol=1e-300)


def test_cross_entropy_is_a_sum_and_clips_nothing():
    assert cross_entropy([1, 0, 1], [1.0, 0.0, 1.0]) == 0
    assert cross_entropy([1, 0], [0.0, 0.5]) == math.inf
    assert cross_entropy([[0, 1, 0]], [[0, 1, 0]]) == 0
    assert cross_entropy([1, 1, 1], [0.5] * 3) == pytest.approx(3 * math.log(2))
    t, p = np.array([1.0, 0, 0.3]), np.array([0.2, 0.7, 0.3])
    two = np.column_stack([1 - t, t]), np.column_stack([1 - p, p])
    assert cross_entropy(t, p) == pytest.approx(cross_entropy(*two))
    assert cross_entropy(t, p) == pytest.approx(-math.log(0.2) - math.log(0.3) + stats.entropy([0.3, 0.7]))


# --- the losses and their derivatives ----------------------------------------------------------------------------


def test_one_sample_by_hand():
    """W9 and W2-13: theta = (-1, 2), x = 1; the two update rules at w = 0."""
    assert sigmoid(1) == pytest.approx(0.73106, abs=5e-6)
    assert logistic_loss([[1]], [1], [2], -1) == pytest.approx(0.31326, abs=5e-6)
    assert logistic_loss([[1]], [0], [2], -1) == pytest.approx(1.31326, abs=5e-6)
    assert_allclose(-0.1 * logistic_gradient([[1, 2]], [1], [0, 0], 0)[1:], [0.05, 0.10])
    assert_allclose(-0.1 * 0.5 * squared_error_gradient([[1, 2]], [1], [0, 0], 0)[1:], [0.0125, 0.025])


def test_a_confident_mistake_still_teaches():
    """W26: pre-activation -10 for t = 1."""
    assert logistic_gradient([[0]], [1], [0], -10)[0] == pytest.approx(-0.99995, abs=5e-6)
    assert 0.5 * squared_error_gradient([[0]], [1], [0], -10)[0] == pytest.approx(-0.0000454, abs=5e-8)
    assert logistic_loss([[1]], [0], [1e4], 0) == 1e4


@few
@given(seeds, st.integers(1, 4), st.sampled_from([0.0, 0.7]))
def test_derivatives_by_finite_differences(seed, d, lam):
    rng = np.random.default_rng(seed)
    X, y, v = rng.normal(size=(12, d)), rng.integers(0, 2, 12), rng.normal(size=d + 1)
    g = logistic_gradient(X, y, v[1:], v[0], lam)
    assert_allclose(g, differences(lambda u: logistic_loss(X, y, u[1:], u[0], lam), v), atol=1e-7)
    H = np.array([differences(lambda u, j=j: logistic_gradient(X, y, u[1:], u[0], lam)[j], v) for j in range(d + 1)])
    assert_allclose(logistic_hessian(X, v[1:], v[0], lam), H, atol=1e-7)
    S = differences(lambda u: squared_error_loss(X, y, u[1:], u[0]), v)
    assert_allclose(squared_error_gradient(X, y, v[1:], v[0]), S, atol=1e-7)
    assert logistic_loss(X, y, v[1:], v[0]) == pytest.approx(cross_entropy(y, sigmoid(X @ v[1:] + v[0])))


@few
@given(seeds, st.integers(2, 4), st.sampled_from([0.0, 0.7]))
def test_softmax_gradient_by_finite_differences(seed, k, lam):
    rng = np.random.default_rng(seed)
    X, T, V = rng.normal(size=(9, 2)), np.eye(k)[rng.integers(0, k, 9)], rng.normal(size=(k, 3))

    def loss(v):
        return softmax_loss(X, T, v.reshape(k, 3)[:, 1:], v.reshape(k, 3)[:, 0], lam)

    g = softmax_gradient(X, T, V[:, 1:], V[:, 0], lam)
    assert_allclose(g.ravel(), differences(loss, V.ravel()), atol=1e-7)
    assert_allclose(softmax_loss(X, T, V[:, 1:], V[:, 0]), cross_entropy(T, softmax(X @ V[:, 1:].T + V[:, 0])))


@few
@given(seeds)
def test_the_logistic_loss_is_convex(seed):
    rng = np.random.default_rng(seed)
    X, v = 3 * rng.normal(size=(8, 3)), rng.normal(size=4)
    assert np.linalg.eigvalsh(logistic_hessian(X, v[1:], v[0])).min() > -1e-12


def test_squared_error_has_two_minima():
    """W2-17: no bias; two minima of the squared error, one of the logistic loss, and curvature below zero."""
    x, y = W2_17
    for w, value in ((-1.139244, 2.286202), (0.185360, 0.634806)):
        assert squared_error_loss(x, y, [w], 0) == pytest.approx(value, abs=5e-7)
        assert squared_error_gradient(x, y, [w], 0)[1] == pytest.approx(0, abs=1e-5)
        assert squared_error_loss(x, y, [w], 0) < min(squared_error_loss(x, y, [w + h], 0) for h in (-0.01, 0.01))
    grid = np.linspace(-3, 3, 601)
    S, E = (np.array([f(x, y, [w], 0) for w in grid]) for f in (squared_error_loss, logistic_loss))
    assert np.diff(S, 2).min() < -1e-4
    assert np.diff(E, 2).min() > 0
    assert np.sum((S[1:-1] < S[:-2]) & (S[1:-1] < S[2:])) == 2
    assert logistic_loss(x, y, [0.260093], 0) == pytest.approx(1.816220, abs=5e-7)
    assert logistic_gradient(x, y, [0.260093], 0)[1] == pytest.approx(0, abs=1e-4)


def test_the_hard_threshold_makes_it_a_perceptron():
    X, t = overlapping(3, n=40, d=2)
    rule = Perceptron(learning_rate=0.5, epochs=3, shuffle=False)
    w, b = np.zeros(2), 0.0
    for _ in range(3):
        for x, target in zip(X, t):
            w, b = online_update(w, b, x, target, 0.5, hard=True)
    quietly(rule, X, t)
    assert_allclose([b, *w], [rule.b_, *rule.w_], rtol=1e-12)
    assert rule.n_mistakes_ > 5


def test_the_soft_update_is_a_gradient_step():
    w, b = np.array([0.3, -0.2]), 0.1
    step = online_update(w, b, [1.0, 2.0], 0, 0.2)
    g = logistic_gradient([[1, 2]], [0], w, b)
    assert_allclose([step.b, *step.w], np.append(b, w) - 0.2 * g)
    assert_array_equal(w, [0.3, -0.2])
    kept = online_update([1.0, 1.0], 0.0, [1.0, 2.0], 1, 0.2, hard=True)
    assert_array_equal(kept.w, [1, 1])


# --- logistic regression -----------------------------------------------------------------------------------------


def test_irls_of_the_lecture():
    """W18: the losses of the first steps, the optimum, within 5 steps."""
    model = LogisticRegression().fit(*W18)
    assert_allclose([s.loss for s in model.history_[:4]], [5.545177, 4.264853, 4.225149, 4.224791], atol=5e-7)
    assert_allclose([model.b_, *model.w_], [-2.673380, 1.188169], atol=5e-7)
    assert (model.n_iter_, model.converged_) == (5, True)
    assert model.history_[-1].gradient_norm < 1e-14


def test_newton_by_hand():
    """W13: losses, first gradient and Hessian, and the optimum."""
    model = LogisticRegression().fit(*W13)
    assert_allclose([s.loss for s in model.history_[:5]], [4.15888, 2.60645, 2.48487, 2.47802, 2.47799], atol=5e-6)
    assert_allclose(logistic_gradient(*W13, [0], 0), [0, -3.5])
    H = logistic_hessian(W13[0], [0], 0)
    assert_allclose(H, [[1.5, 3.75], [3.75, 13.75]])
    assert_allclose([model.b_, *model.w_], [-3.03507, 1.21403], atol=5e-6)
    first = model.history_[1]
    assert_allclose([first.b, *first.w], np.linalg.solve(H, [0, 3.5]), rtol=1e-13)


@pytest.mark.parametrize("family", [Bernoulli(), Poisson(), Gaussian()])
@pytest.mark.parametrize("lam", [0.0, 0.8])
def test_newton_takes_the_steps_of_the_lecture(family, lam):
    """(8.13) as it stands, with the Hessian formed and solved, and the package: one record after the other."""
    X, t = overlapping(2, d=2) if family.name == "Bernoulli" else counts(2)
    X = X * [50, 0.2] + [300, 1]
    Phi, D, v = design_matrix(X), np.diag([0, lam, lam]), np.array([family.link(t.mean()), 0, 0])
    model = GLM(family, lam).fit(X, t)
    for step in model.history_[: None if family.name == "Gaussian" else -1]:  # the last one is rounding
        assert_allclose([step.b, *step.w], v, rtol=1e-6, atol=1e-9)
        eta = Phi @ v
        g = Phi.T @ (family.mean(eta) - t) + D @ v
        v = v - np.linalg.solve(Phi.T @ (family.variance(family.mean(eta))[:, None] * Phi) + D, g)
    assert model.n_iter_ >= (1 if family.name == "Gaussian" else 4)


def test_the_quadratic_model_is_that_of_the_loss():
    X, t = overlapping(5, d=2)
    problem = OneScore(X, t, Bernoulli(), 0.7)
    v = np.array([0.3, -0.4, 0.2])
    g, T = problem.quadratic(v)
    assert_allclose(g, differences(problem.loss, v), rtol=1e-6)
    H = [(problem.quadratic(v + e)[0] - problem.quadratic(v - e)[0]) / 2e-5 for e in 1e-5 * np.eye(3)]
    assert_allclose(T.T @ T, H, rtol=1e-5, atol=1e-7)


def test_a_step_that_would_raise_the_loss_is_halved():
    loss = lambda v: float(np.abs(v).sum())  # noqa: E731
    assert shorten(loss, np.array([1.0]), np.array([-7.0]), [9.0, 1.0]) == (0.25, 0.75)
    assert shorten(loss, np.array([1.0]), np.array([-2.0]), [1.0]) == (1.0, 1.0)  # as high is not higher
    assert shorten(loss, np.array([0.0]), np.array([1.0]), [5.0, 0.0])[0] < 1e-14  # rounding may raise it
    assert shorten(loss, np.array([0.0]), np.array([1e9]), [5.0, 0.0]) == (0.0, 0.0)
    problem = OneScore(np.array([[-1.0], [1], [2], [3]]), np.array([0.0, 1, 0, 1]), Bernoulli(), 0.0)
    far = np.array([4.0, -6.0])
    g, T = problem.quadratic(far)
    assert problem.loss(far - np.linalg.solve(T.T @ T, g)) > problem.loss(far)
    run = newton(problem, far, tol=1e-12, max_iter=100)
    assert run.converged
    assert (np.diff(run.losses) <= 1e-14).all()


def test_singular_hessians_give_the_shortest_step():
    a = np.array([1.0, 2.0, 2.0])
    H = np.outer(a, a)
    for T in (root(H), root(np.zeros((3, 3))), root(np.diag([4.0, 9, 1]))):
        step, promise = solve(T, a)
        H = T.T @ T
        assert_allclose(step, np.linalg.pinv(H) @ a, atol=1e-9)
        assert promise == pytest.approx(0.5 * a @ np.linalg.pinv(H) @ a)


def test_the_challenger():
    """Dalal, Fowlkes and Hoadley (1989), as printed by R's glm: 15.0429, -0.2322, deviances 20.315 and 28.267."""
    x = np.array(TEMPERATURE)[:, None]
    model = LogisticRegression().fit(x, DISTRESS)
    assert_allclose([model.b_, *model.w_], [15.0429, -0.2322], atol=5e-5)
    found = GLM(Bernoulli()).fit(x, DISTRESS).summary(["temperature"])
    assert_allclose(found.stderr, [7.3786, 0.1082], atol=5e-5)
    assert_allclose(found.z, [2.039, -2.145], atol=5e-4)
    assert_allclose(found.p, [0.0415, 0.0320], atol=5e-5)
    assert_allclose([found.deviance, found.null_deviance], [20.315, 28.267], atol=5e-4)
    assert model.predict_proba([[31]])[0, 1] == pytest.approx(0.9996, abs=5e-5)


@few
@given(seeds, st.integers(1, 5), st.sampled_from([0.01, 1.0, 30.0]))
def test_irls_against_scikit_learn(seed, d, lam):
    X, y = overlapping(seed, d=d)
    model, other = LogisticRegression(lam=lam).fit(X, y), theirs(lam, X, y)
    assert_allclose(model.decision_function(X), other.decision_function(X), rtol=1e-6, atol=1e-6)
    assert_allclose(model.predict_proba(X), other.predict_proba(X), atol=1e-7)
    assert model.converged_
    assert model.n_iter_ < 15


@few
@given(seeds, st.integers(1, 4), st.sampled_from([0.0, 0.1, 10.0]))
def test_the_loss_never_rises_and_ends_at_gradient_zero(seed, d, lam):
    X, y = overlapping(seed, d=d)
    model = quietly(LogisticRegression(lam=lam), X, y)
    losses = np.array([s.loss for s in model.history_])
    assert np.diff(losses).max() <= 1e-14 * losses[0]
    for s in (model.history_[0], model.history_[-1]):
        assert s.loss == pytest.approx(logistic_loss(X, y, s.w, s.b, lam), rel=1e-10, abs=1e-10)
        g = logistic_gradient(X, y, s.w, s.b, lam)
        assert s.gradient_norm == pytest.approx(np.linalg.norm(g), rel=1e-6, abs=1e-8)
    if model.converged_:
        size = np.linalg.norm(design_matrix(X), axis=0)
        assert np.abs(logistic_gradient(X, y, model.w_, model.b_, lam) / size).max() < 1e-8


def test_under_ten_steps_on_ordinary_data():
    steps = [LogisticRegression().fit(*overlapping(seed, n=200)).n_iter_ for seed in range(30)]
    assert max(steps) < 10


def test_a_full_step_can_raise_the_loss_and_is_halved():
    """Samples far out: plain Newton from w = 0 makes the loss worse on the way; the halved steps never do."""
    X = np.array([[-5, -1], [1, 18], [-1, 2], [-1, -1], [29, -1], [-6, -10], [2, 14], [7, 5], [2, 4], [1, 0], [31, -2],
                  [241, -2], [7, 0], [-3, 250], [16, 0], [3, 3], [-14, 7], [7, -1.0]])  # fmt: skip
    y = np.isin(np.arange(18), (0, 2, 5, 16)).astype(int)
    v, plain = np.zeros(3), []
    for _ in range(8):
        plain.append(logistic_loss(X, y, v[1:], v[0]))
        v = v - np.linalg.solve(logistic_hessian(X, v[1:], v[0]), logistic_gradient(X, y, v[1:], v[0]))
    model = LogisticRegression().fit(X, y)
    ours = [s.loss for s in model.history_]
    assert_allclose(ours[:7], plain[:7], rtol=1e-8)
    assert plain[7] > plain[6] + 0.9
    assert np.diff(ours).max() <= 1e-14
    assert model.converged_
    assert np.linalg.norm(logistic_gradient(X, y, model.w_, model.b_)) < 1e-9


def test_the_first_step_of_a_poisson_fit_is_halved():
    x, y = np.array([[0.0], [1], [2], [3], [10]]), np.array([1, 0, 2, 1, 30])
    Phi, mean = design_matrix(x), y.mean()
    full = [math.log(mean), 0] - np.linalg.solve(mean * Phi.T @ Phi, Phi.T @ (mean - y))
    model = GLM(Poisson()).fit(x, y)
    start, first = model.history_[:2]
    assert Poisson().deviance(y, np.exp(Phi @ full)) > 2 * 2 * start.loss
    assert_allclose([first.b - start.b, *first.w], (full - [math.log(mean), 0]) / 2, rtol=1e-10)
    assert first.loss < start.loss
    assert model.converged_


@few
@given(seeds, st.integers(1, 3))
def test_without_penalty_units_do_not_matter(seed, d):
    X, y = overlapping(seed, d=d, n=120)
    scale, shift = 10.0 ** np.arange(-6, 6, 12 / d)[:d], np.arange(1.0, d + 1)
    one = quietly(LogisticRegression(), X, y)
    two = quietly(LogisticRegression(), X * scale + shift * scale, y)
    if one.converged_:
        assert_allclose(two.predict_proba(X * scale + shift * scale), one.predict_proba(X), atol=1e-8)
        assert_allclose(two.w_ * scale, one.w_, rtol=1e-6, atol=1e-8)


@few
@given(seeds)
def test_swapping_the_classes_flips_the_plane(seed):
    X, y = overlapping(seed)
    one, two = LogisticRegression(lam=1).fit(X, y), LogisticRegression(lam=1).fit(X, 1 - y)
    assert_allclose(two.w_, -one.w_, rtol=1e-9, atol=1e-12)
    assert_allclose(two.predict_proba(X)[:, ::-1], one.predict_proba(X), atol=1e-12)


def test_the_fitted_probabilities_add_up_to_the_counts():
    X, y = overlapping(4)
    for lam in (0.0, 5.0):  # b is not penalised
        p = LogisticRegression(lam=lam).fit(X, y).predict_proba(X)
        assert_allclose(p.sum(axis=0), np.bincount(y), rtol=1e-10)
    assert_allclose(LogisticRegression(lam=1e9).fit(X, y).predict_proba(X)[:, 1], y.mean(), atol=1e-5)


def test_descent_reaches_the_same_optimum():
    X, y = overlapping(1, d=2)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    newton, gd = LogisticRegression(lam=1).fit(X, y), LogisticRegression(lam=1, solver="gd").fit(X, y)
    assert_allclose([gd.b_, *gd.w_], [newton.b_, *newton.w_], atol=1e-5)
    assert gd.converged_
    assert gd.n_iter_ > 3 * newton.n_iter_
    assert np.diff([s.loss for s in gd.history_]).max() < 0
    L = 0.25 * np.linalg.eigvalsh(design_matrix(X).T @ design_matrix(X)).max() + 1
    first = gd.history_[1]
    assert_allclose([first.b, *first.w], -logistic_gradient(X, y, [0, 0], 0, 1) / L)


@few
@given(seeds, st.sampled_from([0.0, 1.0, 100.0]))
def test_the_default_rate_never_raises_the_loss(seed, lam):
    X, y = overlapping(seed, d=2)
    model = quietly(LogisticRegression(lam=lam, solver="gd", max_iter=200), X, y)
    losses = np.array([s.loss for s in model.history_])
    assert np.diff(losses).max(initial=-1.0) <= 1e-14 * losses[0]


@pytest.mark.parametrize(("lam", "rate"), [(0.0, 50.0), (1.0, 5.0), (1.0, 1e200)])
def test_a_rate_too_large_stops_cleanly(lam, rate):
    x, y = np.array([[-1.0], [1], [0.5], [0.2]]), [0, 1, 0, 1]
    model = LogisticRegression(lam=lam, solver="gd", learning_rate=rate)
    with pytest.warns(ConvergenceWarning, match=r"learning_rate=.* is too large.*Below 2/L = "):
        model.fit(x, y)
    assert not model.converged_
    assert np.isfinite([s.loss for s in model.history_]).all()
    assert np.isfinite(model.predict_proba(x)).all()
    assert len(model.history_) == model.n_iter_ + 1


def test_max_iter_is_reported():
    X, y = overlapping(1)
    for solver in ("irls", "gd"):
        with pytest.warns(ConvergenceWarning, match="did not reach tol=1e-12 in 2 steps"):
            model = LogisticRegression(solver=solver, max_iter=2).fit(X, y)
        assert (model.n_iter_, model.converged_) == (2, False)


# --- separable classes, dependent columns, few samples -----------------------------------------------------------


def test_separable_classes_diverge_as_printed():
    """W18: the slope for x = -1, 1 after 1, 5, 10 and 20 steps; the fit stops, warns and predicts."""
    with pytest.warns(ConvergenceWarning, match="a plane separates the two classes.*Set lam > 0"):
        model = LogisticRegression().fit([[-1], [1]], ["no", "yes"])
    assert_allclose([model.history_[k].w[0] for k in (1, 5, 10, 20)], [2, 6.1997, 11.2029, 21.2029], atol=5e-5)
    assert not model.converged_
    assert model.n_iter_ < 40
    assert_array_equal(model.predict([[-0.5], [0.5]]), ["no", "yes"])


@few
@given(seeds, st.integers(1, 4), st.sampled_from(["irls", "gd"]))
def test_separable_classes_are_found_whatever_the_solver(seed, d, solver):
    rng = np.random.default_rng(seed)
    X, w = rng.normal(size=(30, d)), rng.normal(size=d)
    a = X @ w / np.linalg.norm(w)
    X = X + np.outer(np.sign(a), w / np.linalg.norm(w))
    y = (a > 0).astype(int)
    y[:1], X[:1] = 1 - y[1], -X[1:2]  # both classes are there
    with pytest.warns(ConvergenceWarning, match="a plane separates the two classes"):
        model = LogisticRegression(solver=solver).fit(X, y)
    assert_array_equal(model.predict(X), y)
    assert np.isfinite(model.w_).all()
    assert not model.converged_


def test_points_on_the_plane_do_not_hide_the_separation():
    with pytest.warns(ConvergenceWarning, match="up to points that lie on it"):
        model = LogisticRegression().fit([[0], [0], [1], [1]], [0, 1, 1, 1])
    assert not model.converged_
    assert_allclose(model.predict_proba([[0], [1]])[:, 1], [0.5, 1], atol=1e-9)


@pytest.mark.parametrize("solver", ["irls", "gd"])
def test_no_solver_calls_points_on_the_plane_converged(solver):
    with pytest.warns(ConvergenceWarning, match="up to points that lie on it"):
        model = LogisticRegression(solver=solver, tol=1e-7, max_iter=100_000).fit([[-1], [0], [0], [1]], [0, 0, 1, 1])
    assert not model.converged_


def test_descent_may_be_certain_where_an_optimum_exists():
    x, y = np.array([[-9.0], [-1], [-0.5], [0.5], [1], [9]]), np.array([0, 0, 1, 0, 1, 1])
    model = LogisticRegression(solver="gd", tol=1e-9, max_iter=100_000).fit(x, y)
    assert model.converged_
    assert model.predict_proba([[9]])[0, 1] > 0.999
    assert_allclose(model.w_, LogisticRegression().fit(x, y).w_, rtol=1e-2)


@pytest.mark.parametrize(
    "answer",
    [
        lambda a, t: np.sum(np.logaddexp(0, a) - t * a),
        lambda a, t: np.sum(np.where(a > 0, a + np.log1p(np.exp(-abs(a))), np.log1p(np.exp(-abs(a)))) - t * a),
        lambda a, t: np.sum(np.maximum((1 - 2 * t) * a, 0) + np.log(1 + np.exp(-abs(a)))),
        lambda a, t: np.sum(np.logaddexp(0, (1 - 2 * t) * a)),
    ],
)
def test_exercise_8_2_accepts_every_stable_form(answer):
    from mlteach.exercises.base import verdict

    assert verdict("8.2", answer).message.startswith("8.2 ✓ Right")


def test_a_single_yes_or_no_cannot_be_overdispersed():
    """Scores that scatter leave y^2 = y: the dispersion stays at one."""
    rng = np.random.default_rng(0)
    x, values = np.linspace(-2, 2, 200)[:, None], []
    for _ in range(40):
        scattered = x[:, 0] + rng.normal(0, 1.5, 200)
        values.append(GLM(Bernoulli()).fit(x, (rng.uniform(size=200) < sigmoid(scattered)) * 1.0).dispersion_)
    assert np.mean(values) == pytest.approx(1, abs=0.03)


def test_a_penalty_cures_separation():
    for lam in (1.0, 1e-6, 1e-18):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            model = LogisticRegression(lam=lam).fit(*APART)
        assert model.converged_
        g = logistic_gradient(*APART, model.w_, model.b_, lam)
        assert np.abs(g).max() < 1e-6 * lam * np.abs(model.w_[0])


def test_overlap_by_a_hair_is_no_separation():
    """One pair in the wrong order by 1e-3: steep, but finite."""
    x, y = np.array([[-2.0], [-1], [0.001], [0], [1], [2]]), np.array([0, 0, 0, 1, 1, 1])
    model = LogisticRegression().fit(x, y)
    assert model.converged_
    assert model.w_[0] > 5
    assert np.abs(logistic_gradient(x, y, model.w_, model.b_)).max() < 1e-10


def test_dependent_columns_give_the_shortest_w():
    X, y = overlapping(2, d=2, n=100)
    one = LogisticRegression().fit(X, y)
    for extra in (X[:, :1], X[:, :1] + X[:, 1:] - 3, np.full((100, 1), 7.0)):
        model = LogisticRegression().fit(np.hstack([X, extra]), y)
        assert_allclose(model.predict_proba(np.hstack([X, extra])), one.predict_proba(X), atol=1e-10)
        assert model.converged_
    twice = LogisticRegression().fit(np.hstack([X, X[:, :1]]), y)
    assert_allclose(twice.w_, [one.w_[0] / 2, one.w_[1], one.w_[0] / 2], rtol=1e-8)
    assert model.w_[2] == pytest.approx(0, abs=1e-14)


def test_more_features_than_samples():
    X, y = np.random.default_rng(0).normal(size=(10, 30)), np.arange(10) % 2
    model, other = LogisticRegression(lam=1).fit(X, y), theirs(1, X, y)
    assert_allclose(model.w_, other.coef_[0], atol=1e-7)
    assert_allclose(model.b_, other.intercept_[0], atol=1e-7)
    with pytest.warns(ConvergenceWarning, match="a plane separates"):
        free = LogisticRegression().fit(X, y)
    assert_array_equal(free.predict(X), y)
    null = np.linalg.svd(X - X.mean(axis=0))[2][9:]
    assert np.abs(null @ free.w_).max() < 1e-10 * np.linalg.norm(free.w_)


def test_constant_features_leave_the_share():
    model = LogisticRegression().fit(np.full((4, 2), 3.0), [0, 1, 1, 1])
    assert_allclose(model.predict_proba([[3, 3]]), [[0.25, 0.75]])
    assert_array_equal(model.w_, [0, 0])


# --- softmax regression ------------------------------------------------------------------------------------------


@few
@given(seeds, st.integers(3, 5), st.integers(1, 3), st.sampled_from([0.1, 1.0, 20.0]))
def test_softmax_against_scikit_learn(seed, k, d, lam):
    X, y = overlapping(seed, d=d, k=k)
    model, other = SoftmaxRegression(lam=lam).fit(X, y), theirs(lam, X, y)
    assert_allclose(model.predict_proba(X), other.predict_proba(X), atol=1e-7)
    assert_allclose(model.W_, other.coef_, rtol=1e-5, atol=1e-6)
    assert model.converged_


@few
@given(seeds, st.integers(2, 4), st.sampled_from([0.0, 2.0]))
def test_softmax_weights_sum_to_zero_and_the_gradient_is_zero(seed, k, lam):
    X, y = overlapping(seed, n=90, k=k)
    model = quietly(SoftmaxRegression(lam=lam), X, y)
    assert_allclose(model.W_.sum(axis=0), 0, atol=1e-9 * np.abs(model.W_).max())
    assert model.b_.sum() == pytest.approx(0, abs=1e-9 * np.abs(model.b_).max())
    losses = np.array([s.loss for s in model.history_])
    assert np.diff(losses).max() <= 1e-14 * losses[0]
    T = np.eye(k)[y]
    assert model.loss_ == pytest.approx(softmax_loss(X, T, model.W_, model.b_, lam), rel=1e-9)
    if model.converged_:
        size = np.linalg.norm(design_matrix(X), axis=0)
        assert np.abs(softmax_gradient(X, T, model.W_, model.b_, lam) / size).max() < 1e-8


@few
@given(seeds, st.sampled_from([0.0, 0.5, 10.0]))
def test_two_classes_are_logistic_regression(seed, lam):
    X, y = overlapping(seed, n=80)
    both, one = quietly(SoftmaxRegression(lam=2 * lam), X, y), quietly(LogisticRegression(lam=lam), X, y)
    if one.converged_:
        assert_allclose(both.predict_proba(X), one.predict_proba(X), atol=1e-9)
        assert_allclose(both.W_[1] - both.W_[0], one.w_, rtol=1e-7, atol=1e-9)


def test_softmax_on_iris():
    data = iris()
    model, other = SoftmaxRegression(lam=1).fit(data.X, data.y), theirs(1, data.X, data.y)
    assert_allclose(model.W_, other.coef_, atol=1e-6)
    assert np.mean(model.predict(data.X) == data.y) > 0.96
    with pytest.warns(ConvergenceWarning, match="planes separate at least one class.*Set lam > 0"):
        SoftmaxRegression().fit(data.X, data.y)


def test_separable_classes_and_few_samples_in_softmax():
    X, y = np.random.default_rng(1).normal(size=(9, 20)), np.array(list("abc") * 3)
    with pytest.warns(ConvergenceWarning, match="planes separate all classes.*Set lam > 0"):
        model = SoftmaxRegression().fit(X, y)
    assert not model.converged_
    assert not quietly(SoftmaxRegression(tol=0, max_iter=200), [[-1], [1]], [0, 1]).converged_
    assert_array_equal(model.predict(X), y)
    ridge, other = SoftmaxRegression(lam=0.5).fit(X, y), theirs(0.5, X, y)
    assert_allclose(ridge.predict_proba(X), other.predict_proba(X), atol=1e-7)
    assert ridge.converged_


# --- exponential family ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("family", [Gaussian(), Bernoulli(), Poisson()], ids=lambda f: f.name)
@few
@given(eta=st.floats(-6, 4))
def test_mean_and_variance_are_derivatives_of_the_log_partition(family, eta):
    A, h = family.log_partition, 1e-4
    assert family.mean(eta) == pytest.approx((A(eta + h) - A(eta - h)) / (2 * h), rel=1e-5, abs=1e-7)
    assert family.variance(family.mean(eta)) == pytest.approx(
        (family.mean(eta + h) - family.mean(eta - h)) / (2 * h), rel=1e-6
    )
    assert family.curvature(np.array(eta)) == pytest.approx(family.variance(family.mean(eta)))
    assert family.link(family.mean(eta)) == pytest.approx(eta, abs=1e-12)


@few
@given(st.integers(2, 5), seeds)
def test_categorical_derivatives(k, seed):
    family, eta = Categorical(k), np.random.default_rng(seed).normal(size=k - 1)
    assert_allclose(family.mean(eta), differences(family.log_partition, eta), atol=1e-8)
    covariance = np.array([differences(lambda e, i=i: family.mean(e)[i], eta) for i in range(k - 1)])
    assert_allclose(family.variance(family.mean(eta)), covariance, atol=1e-8)
    assert_allclose(family.link(family.mean(eta)), eta, atol=1e-12)
    y = np.arange(k)
    direct = family.sufficient(y) @ eta - family.log_partition(eta)
    assert_allclose(family.log_likelihood(y, np.tile(eta, (k, 1))), direct, atol=1e-12)
    assert_allclose(np.exp(direct).sum(), 1)


def test_families_by_hand():
    """W11 and W12."""
    family = Bernoulli()
    assert family.link(0.8) == pytest.approx(1.38629, abs=5e-6)
    assert family.log_partition(family.link(0.8)) == pytest.approx(-math.log(0.2))
    assert family.mean(0.7) == pytest.approx(0.668188, abs=5e-7)
    assert family.variance(family.mean(0.7)) == pytest.approx(0.221713, abs=5e-7)
    three = Categorical(3)
    assert_allclose(three.link([0.5, 0.3]), [0.91629, 0.40547], atol=5e-6)
    assert three.log_partition([0.91629, 0.40547]) == pytest.approx(1.60944, abs=1e-5)
    assert_allclose(three.probabilities([1, 2]), [0.24473, 0.66524, 0.09003], atol=5e-6)
    assert three.log_partition([1, 2]) == pytest.approx(2.40761, abs=5e-6)
    assert_array_equal(three.sufficient([0, 1, 2]), [[1, 0], [0, 1], [0, 0]])


@few
@given(st.integers(0, 200), st.floats(-5, 5))
def test_log_likelihoods_against_scipy(y, eta):
    mu = math.exp(eta)
    assert Poisson().log_likelihood(y, eta) == pytest.approx(stats.poisson.logpmf(y, mu), rel=1e-10, abs=1e-12)
    assert Gaussian().log_likelihood(y, eta) == pytest.approx(stats.norm.logpdf(y, eta))
    assert Bernoulli().log_likelihood(y % 2, eta) == pytest.approx(stats.bernoulli.logpmf(y % 2, sigmoid(eta)))


@pytest.mark.parametrize("family", [Gaussian(), Bernoulli(), Poisson()], ids=lambda f: f.name)
def test_deviance_is_twice_the_likelihood_lost(family):
    y = np.array([0.0, 1, 1, 0, 1])
    eta = np.array([-1.0, 0.3, 2, 0, -2])
    perfect = {"Gaussian": -0.5 * math.log(2 * math.pi) * 5, "Bernoulli": 0.0, "Poisson": -3.0}[family.name]
    lost = perfect - family.log_likelihood(y, eta).sum()
    assert family.deviance(y, family.mean(eta)) == pytest.approx(2 * lost)
    assert family.deviance(y, y) == 0


def test_families_at_the_edges():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert Poisson().log_likelihood(2, -800.0) == pytest.approx(-1600 - math.log(2))
        assert Poisson().log_likelihood(2, 800.0) == -math.inf
        assert Bernoulli().log_likelihood(0, 1e4) == -1e4
        assert Bernoulli().deviance([1], [0.0]) == math.inf
        assert_array_equal(Bernoulli().link([0.0, 1.0]), [-np.inf, np.inf])
        assert Categorical(3).deviance([0, 2], [[1.0, 0.0], [0.0, 0.0]]) == 0


# --- generalised linear models -----------------------------------------------------------------------------------


@few
@given(seeds, st.integers(1, 5))
def test_the_gaussian_member_is_least_squares(seed, d):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(40, d)) * 10.0 ** rng.uniform(-3, 3, d) + rng.uniform(-3, 3, d)
    y = rng.normal(size=40) * 5 + 100
    model, other = GLM().fit(X, y), LinearRegression().fit(X, y)
    assert_allclose(model.predict(X), other.predict(X), rtol=1e-10)
    assert_allclose(model.w_, other.w_, rtol=1e-10, atol=1e-10 * np.abs(other.w_).max())
    assert model.deviance_ == pytest.approx(other.rss_, rel=1e-10)
    assert model.n_iter_ <= 2
    found, expected = model.summary(), other.summary()
    assert_allclose(found.stderr, expected.stderr, rtol=1e-8)
    assert_allclose(found.p, expected.p, rtol=1e-6, atol=1e-14)
    assert found.dispersion == pytest.approx(expected.sigma**2)


def test_the_gaussian_member_with_a_penalty_is_ridge():
    X, y = overlapping(5)
    model, other = GLM(Gaussian(), lam=3).fit(X, X[:, 0] - y), Ridge(lam=3).fit(X, X[:, 0] - y)
    assert_allclose([model.b_, *model.w_], [other.b_, *other.w_], rtol=1e-10)


@few
@given(seeds, st.sampled_from([0.0, 1.0]))
def test_the_bernoulli_member_is_logistic_regression(seed, lam):
    X, y = overlapping(seed)
    model, other = quietly(GLM(Bernoulli(), lam=lam), X, y), quietly(LogisticRegression(lam=lam), X, y)
    assert model.converged_ == other.converged_
    if model.converged_:
        assert_allclose(model.predict(X), other.predict_proba(X)[:, 1], atol=1e-10)
        assert_allclose([model.b_, *model.w_], [other.b_, *other.w_], rtol=1e-8, atol=1e-10)
        assert model.deviance_ == pytest.approx(2 * logistic_loss(X, y, other.w_, other.b_))


@few
@given(seeds, st.sampled_from([0.0, 0.5, 20.0]))
def test_the_poisson_member_against_scikit_learn(seed, lam):
    X, y = counts(seed)
    model = GLM(Poisson(), lam=lam).fit(X, y)
    other = linear_model.PoissonRegressor(alpha=lam / len(y), solver="newton-cholesky", tol=1e-12, max_iter=500)
    other.fit(X, y)
    assert_allclose([model.b_, *model.w_], [other.intercept_, *other.coef_], atol=1e-8)
    assert model.converged_
    assert model.n_iter_ < 12
    losses = np.array([s.loss for s in model.history_])
    assert np.diff(losses).max() <= 1e-14 * losses[0]


def test_groups_have_a_closed_form():
    """With one feature of 0 and 1 the fitted means are the means of the groups."""
    x, y = np.repeat([0, 1], [3, 4])[:, None], [2, 4, 0, 5, 7, 9, 1]
    model = GLM(Poisson()).fit(x, y)
    assert_allclose(model.predict([[0], [1]]), [2, 5.5], rtol=1e-10)
    found = model.summary()
    assert_allclose(found.coef, [math.log(2), math.log(5.5 / 2)], rtol=1e-10)
    assert_allclose(found.stderr, [1 / math.sqrt(6), math.sqrt(1 / 6 + 1 / 22)], rtol=1e-10)


def test_exposure_enters_as_an_offset():
    """Twice the time, twice the count: the rate is total count over total exposure in each group."""
    x, y, exposure = np.array([[0], [0], [1], [1]]), [3, 10, 8, 30], np.array([1.0, 4, 1, 5])
    model = GLM(Poisson()).fit(x, y, offset=np.log(exposure))
    assert_allclose(model.predict([[0], [1]]), [13 / 5, 38 / 6], rtol=1e-10)
    assert_allclose(model.predict([[1]], offset=[math.log(3)]), [19], rtol=1e-10)
    assert_allclose(model.linear_predictor([[0]]), [math.log(13 / 5)], rtol=1e-10)
    assert math.isnan(model.null_deviance_)
    assert "of the constant" not in repr(model.summary())


def test_coal_disasters_fell():
    data = coal_disasters()
    model = GLM(Poisson()).fit(data.X, data.y)
    other = linear_model.PoissonRegressor(alpha=0, solver="newton-cholesky", tol=1e-12).fit(data.X - 1900, data.y)
    assert model.w_[0] == pytest.approx(other.coef_[0], rel=1e-6)
    found = model.summary(["year"])
    assert found.z[1] < -6
    assert model.deviance_ < model.null_deviance_ - 50
    assert model.predict(data.X).sum() == pytest.approx(data.y.sum())


def test_horse_kicks_are_not_overdispersed_and_a_mixture_is():
    data = horse_kicks()
    x = (data.X[:, :1] - 1884.5) / 10
    assert GLM(Poisson()).fit(x, data.y).dispersion_ == pytest.approx(1.09, abs=0.05)
    rng = np.random.default_rng(0)
    y = rng.poisson(4 * rng.gamma(1.0, 1.0, size=len(x)))  # variance 4 + 16
    assert GLM(Poisson()).fit(x, y).dispersion_ == pytest.approx(5, abs=1.5)


def test_standard_errors_cover():
    """The Fisher information tells how far the estimates scatter: 400 fits to fresh counts."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(60, 1)) + 1
    fits = [GLM(Poisson()).fit(x, rng.poisson(np.exp(0.5 + 0.3 * x[:, 0]))) for _ in range(400)]
    w = np.array([[m.b_, *m.w_] for m in fits])
    assert_allclose(w.std(axis=0), fits[0].summary().stderr, rtol=0.15)
    assert_allclose(w.mean(axis=0), [0.5, 0.3], atol=0.03)


def test_a_group_without_counts_has_no_optimum():
    x, y = [[0], [0], [1], [1]], [0, 0, 1, 3]
    with pytest.warns(ConvergenceWarning, match="Poisson means run to the edge.*Set lam > 0"):
        model = GLM(Poisson()).fit(x, y)
    assert_allclose(model.predict([[0], [1]]), [0, 2], atol=1e-9)
    with pytest.raises(ValueError, match="needs a fit that converged"):
        model.summary()
    assert GLM(Poisson(), lam=0.1).fit(x, y).converged_


def test_large_counts_start_near():
    x = np.linspace(-1, 1, 21)[:, None]
    y = np.round(np.exp(15 + 3 * x[:, 0]))
    model = GLM(Poisson()).fit(x, y)
    assert_allclose([model.b_, *model.w_], [15, 3], atol=1e-6)
    assert model.n_iter_ < 12


# --- bad input ---------------------------------------------------------------------------------------------------

X6 = np.arange(6.0)[:, None]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: sigmoid([0, np.nan]), "a must be finite"),
        (lambda: sigmoid("x"), "a must hold numbers"),
        (lambda: softmax(np.zeros((2, 2, 2))), r"A must have shape \(K,\) or \(n, K\)"),
        (lambda: cross_entropy([1, 0], [0.5, 1.2]), "P must hold probabilities, from 0 to 1; it holds 1.2"),
        (lambda: cross_entropy([1, 0], [0.5]), "same shape"),
        (lambda: cross_entropy([[1, 0]], [[0.5, 0.4]]), "rows of P must sum to one; row 0 sums to 0.9"),
        (lambda: cross_entropy(1, 0.5), r"T must have shape \(n,\)"),
        (lambda: logistic_loss(X6, [-1, 1] * 3, [0], 0), r"y must hold 0 and 1 only; y\[0\] is -1"),
        (lambda: logistic_loss(X6, [0, 1] * 2, [0], 0), "6 rows"),
        (lambda: logistic_gradient(X6, [0, 1] * 3, [0, 1], 0), "one entry per column of X: X has 1 columns, w has 2"),
        (lambda: logistic_hessian(X6, [0], 0, -1), "lam must be at least 0"),
        (lambda: squared_error_loss(X6, [0, 1] * 3, [0], np.inf), "b must be a finite number"),
        (lambda: softmax_loss(X6, np.ones((6, 2)), np.zeros((2, 1)), [0, 0]), "one-hot"),
        (lambda: softmax_loss(X6, np.eye(6)[:, :3], np.zeros((2, 1)), [0, 0]), "one-hot"),
        (lambda: softmax_loss(X6, np.eye(6), np.zeros((2, 1)), [0, 0]), "one row per class, K = 6"),
        (lambda: softmax_gradient(X6, np.eye(6), np.zeros((6, 2)), [0] * 6), "one column per column of X"),
        (lambda: softmax_gradient(X6, np.eye(5), np.zeros((5, 1)), [0] * 5), "T must have one row per row of X"),
        (lambda: online_update([0], 0, [1], 2, 0.1), r"t must hold 0 and 1 only; t\[0\] is 2"),
        (lambda: online_update([0], 0, [1], 1, 0), "learning_rate must be greater than 0"),
        (lambda: LogisticRegression(lam=-1).fit(X6, [0, 1] * 3), "lam must be at least 0"),
        (lambda: LogisticRegression(solver="sgd").fit(X6, [0, 1] * 3), "solver must be one of 'irls', 'gd'"),
        (lambda: LogisticRegression(solver="gd", learning_rate=0).fit(X6, [0, 1] * 3), "greater than 0"),
        (lambda: LogisticRegression(max_iter=0).fit(X6, [0, 1] * 3), "max_iter must be at least 1"),
        (lambda: LogisticRegression().fit(X6, list("abcabc")), "Use SoftmaxRegression for more"),
        (lambda: LogisticRegression().fit(X6, ["a"] * 6), "at least 2 classes; got only"),
        (lambda: LogisticRegression().fit(X6 * 1e120, [0, 1] * 3), "Change the unit of X"),
        (lambda: SoftmaxRegression(tol=-1).fit(X6, [0, 1] * 3), "tol must be at least 0"),
        (lambda: SoftmaxRegression().fit(X6, [0] * 6), "at least 2 classes"),
        (lambda: GLM(Poisson).fit(X6, range(6)), r"got the class Poisson. Write Poisson\(\)"),
        (lambda: GLM(Categorical(3)).fit(X6, [0, 1, 2] * 2), "use SoftmaxRegression"),
        (lambda: GLM("poisson").fit(X6, range(6)), "family must be Gaussian"),
        (lambda: GLM(Poisson()).fit(X6, [0, 1, 2, 3, 4, -5]), "y must hold counts.*it holds -5"),
        (lambda: GLM(Poisson()).fit(X6, [0, 1, 2, 3, 4, 0.5]), "y must hold counts.*it holds 0.5"),
        (lambda: GLM(Poisson()).fit(X6, [0] * 6), "y must vary; all its values are 0"),
        (lambda: GLM(Bernoulli()).fit(X6, [1] * 6), "y must vary; all its values are 1"),
        (lambda: GLM(Bernoulli()).fit(X6, [0, 1, 2, 0, 1, 0]), r"y must hold 0 and 1 only; y\[2\] is 2"),
        (lambda: GLM(Poisson()).fit(X6, range(6), offset=[0, 1]), "offset must have one entry per row of X"),
        (lambda: GLM(Poisson()).fit(X6, range(6), offset=[2000] + [0] * 5), "check offset"),
        (lambda: GLM().fit(X6, [1e200, 0, 0, 0, 0, 0]), "change the unit of y"),
        (lambda: GLM(lam=1).fit(X6, range(6)).summary(), "summary needs lam=0"),
        (lambda: GLM().fit(X6[:2], [1, 2]).summary(), "more samples than parameters"),
        (lambda: GLM().fit(np.hstack([X6, X6]), range(6)).summary(), "independent features"),
        (lambda: GLM().fit(X6, range(6)).summary(["a", "b"]), "one name per feature"),
        (lambda: Bernoulli().variance(1.5), "a probability, from 0 to 1; got 1.5"),
        (lambda: Poisson().link(-1), "at least 0; got -1"),
        (lambda: Poisson().deviance([1, 2], [1]), "same shape"),
        (lambda: Categorical(1).check([0]), "k must be at least 2"),
        (lambda: Categorical(3).check([3]), "classes 0 to 2; it holds 3"),
        (lambda: Categorical(3).mean([1, 2, 3]), r"eta must have shape \(2,\) or \(n, 2\)"),
        (lambda: Categorical(3).variance([0.7, 0.7]), "sum at most 1"),
        (lambda: Categorical(3).log_likelihood([0, 1], [1, 2]), "one class per row of eta"),
    ],
)
def test_bad_input_is_explained(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def test_before_fit():
    for call in (GLM().summary, lambda: SoftmaxRegression().predict_proba(X6), lambda: GLM().linear_predictor(X6)):
        with pytest.raises(NotFittedError, match="has not been fitted"):
            call()


# --- errata of the sources: the printed form fails, the right one holds -------------------------------------------


def test_erratum_s0_e40():
    """One weight vector per class; a shared one makes the softmax uniform for every x."""
    X, y = overlapping(0, k=3)
    shared = np.tile(X @ [1.0, -2, 0.5], (3, 1)).T
    assert_allclose(softmax(shared), 1 / 3)
    p = SoftmaxRegression(lam=1).fit(X, y).predict_proba(X)
    assert np.ptp(p[:, 0]) > 0.3


def test_erratum_s0_e41():
    """The minus sign belongs to both terms."""
    X, t = W18
    model = LogisticRegression().fit(X, t)
    p = model.predict_proba(X)[:, 1]
    printed = np.sum(-t * np.log(p) + (1 - t) * np.log(1 - p))
    right = -np.sum(t * np.log(p) + (1 - t) * np.log(1 - p))
    assert right == pytest.approx(4.224791, abs=5e-7)
    assert printed == pytest.approx(0, abs=1e-5)
    assert cross_entropy(t, p) == pytest.approx(right)


def test_erratum_s0_e42():
    """The rows of X~ are samples; with samples as columns X~'(p - t) is not defined."""
    X, t = W18
    as_columns = design_matrix(X).T
    with pytest.raises(ValueError, match="mismatch"):
        as_columns.T @ (0.5 - t)
    assert_allclose(design_matrix(X).T @ (0.5 - t), logistic_gradient(X, t, [0], 0))


def test_erratum_s0_e43():
    """w - H^-1 grad is Newton's step, not a descent along the gradient; without a cap it never ends if separable."""
    X, t = W18
    downhill = -logistic_gradient(X, t, [0], 0)
    first = LogisticRegression().fit(X, t).history_[1]
    assert_allclose(downhill, [0, 2.5], atol=1e-12)
    assert_allclose([first.b, *first.w], [-2.142857, 0.952381], atol=5e-7)
    run = quietly(LogisticRegression(), [[-1], [1]], [0, 1])
    assert run.history_[20].w[0] == pytest.approx(21.2029, abs=5e-5)
    assert not run.converged_


def test_erratum_s1_e22():
    """theta is fitted and shared; eta = theta . x differs from sample to sample."""
    model = GLM(Gaussian()).fit([[0], [1], [2]], [1, 2, 3])
    assert_allclose([model.b_, *model.w_], [1, 1])
    assert_allclose(model.linear_predictor([[0], [2]]), [1, 3])


def test_erratum_s1_e24():
    """h(y) = 1 is a number: p(y) = exp(eta y - A) sums to one over y = 0, 1; a unit matrix gives a matrix."""
    eta, A = 1.38629, Bernoulli().log_partition(1.38629)
    assert sum(math.exp(eta * y - A) for y in (0, 1)) == pytest.approx(1)
    assert Bernoulli().log_likelihood(1, eta) == pytest.approx(eta - A)
    assert np.shape(np.eye(2) * math.exp(eta - A)) == (2, 2) != np.shape(Bernoulli().log_likelihood(1, eta))


def test_erratum_s1_e25():
    """An activation belongs to a GLM as its mean function A', whose slope is a variance > 0; ReLU's and step's is 0."""
    h, eta = 1e-6, np.array([-2.0, -1])
    slope = (Bernoulli().mean(eta + h) - Bernoulli().mean(eta - h)) / (2 * h)
    assert_allclose(slope, [0.105, 0.197], atol=5e-4)
    assert_allclose(slope, Bernoulli().variance(Bernoulli().mean(eta)), rtol=1e-6)
    for activation in (lambda a: np.maximum(a, 0), lambda a: (a > 0).astype(float)):
        assert_array_equal(activation(eta + h) - activation(eta - h), 0)


def test_erratum_s1_e26():
    """A(eta) = ln(1 + sum exp(eta_j)), not ln of the sum of the eta_j."""
    eta = np.array([1.0, 2])
    printed = math.log(eta.sum())
    assert printed == pytest.approx(1.0986, abs=5e-5)
    assert Categorical(3).log_partition(eta) == pytest.approx(2.4076, abs=5e-5)
    weights = np.append(np.exp(eta), 1)
    assert np.sum(weights * math.exp(-printed)) == pytest.approx(3.702, abs=5e-4)
    assert np.sum(weights * math.exp(-Categorical(3).log_partition(eta))) == pytest.approx(1)
    with pytest.raises(ValueError, match="math domain error|expected a positive input"):
        math.log(np.sum([-1, -2]))


def test_erratum_s1_e27():
    """Softmax regression classifies with given labels; each class has d + 1 parameters."""
    X, y = overlapping(0, d=3, k=3)
    model = SoftmaxRegression(lam=1).fit(X, y)
    assert model.W_.size + model.b_.size == 3 * (3 + 1)
    assert_array_equal(model.classes_, np.unique(y))
    with pytest.raises(ValueError, match="y is missing"):
        SoftmaxRegression().fit(X)


def test_erratum_s2_e2_03():
    """The loss is minus the log-likelihood; descending on the log-likelihood goes the wrong way."""
    assert Bernoulli().log_likelihood(1, Bernoulli().link(0.8)) == pytest.approx(-0.223144, abs=5e-7)
    assert cross_entropy([1], [0.8]) == pytest.approx(0.223144, abs=5e-7)
    g = logistic_gradient(*W13, [0], 0)
    wrong, right = 0.01 * g, -0.01 * g
    start = logistic_loss(*W13, [0], 0)
    assert logistic_loss(*W13, wrong[1:], wrong[0]) > start > logistic_loss(*W13, right[1:], right[0])


def test_erratum_s2_e2_04():
    """o is the vector of probabilities; with a one-hot o the rule is the multiclass perceptron's, no gradient."""
    rng = np.random.default_rng(0)
    X, T, W = rng.normal(size=(6, 4)), np.eye(3)[[0, 1, 2, 0, 1, 2]], rng.normal(size=(3, 4))
    gradient = differences(lambda v: softmax_loss(X, T, v.reshape(3, 4), np.zeros(3)), W.ravel()).reshape(3, 4)
    soft, hard = softmax(X @ W.T), np.eye(3)[(X @ W.T).argmax(axis=1)]
    assert_allclose((soft - T).T @ X, gradient, atol=1e-8)
    assert np.abs((hard - T).T @ X - gradient).max() > 0.5


def test_erratum_s2_e2_05():
    """The sum over all samples is the batch step; a stochastic step takes one sample and differs."""
    X, t = W13
    batch = -0.1 * logistic_gradient(X, t, [0], 0)
    first = online_update([0], 0, X[0], t[0], 0.1)
    alone = [online_update([0], 0, x, target, 0.1) for x, target in zip(X, t)]
    assert_allclose(batch, [sum(s.b for s in alone), sum(s.w[0] for s in alone)], atol=1e-15)
    assert_allclose([first.b, *first.w], [-0.05, 0])
    assert_allclose(batch, [0, 0.35], atol=1e-15)
    assert_allclose(
        LogisticRegression(solver="gd", learning_rate=0.1, max_iter=9999).fit(X, t).history_[1].w, batch[1:]
    )


def test_erratum_s2_e2_36():
    """ML weights make the data most likely; the most probable weights given the data also ask the prior N(0, 1)."""
    X, t = W13
    ml, most_probable = LogisticRegression().fit(X, t), LogisticRegression(lam=1).fit(X, t)

    def log_likelihood(m):
        return -logistic_loss(X, t, m.w_, m.b_)

    def log_posterior(m):  # up to a constant; the prior of b is flat
        return log_likelihood(m) + stats.norm.logpdf(m.w_[0])

    assert log_likelihood(ml) > log_likelihood(most_probable) + 0.05
    assert log_posterior(most_probable) > log_posterior(ml) + 0.05


def test_erratum_s3_e3_16():
    """The delicate case is the separable one: step 0.5 on x = -2, -1, 1, 2 never comes to rest; overlap does."""
    run = quietly(LogisticRegression(solver="gd", learning_rate=0.5, max_iter=1000), *APART)
    assert_allclose([run.history_[k].w[0] for k in (10, 100, 1000)], [2.73, 4.69, 6.92], atol=5e-3)
    assert not run.converged_
    assert LogisticRegression(solver="gd", max_iter=9999).fit(*W13).converged_


def test_erratum_s4_f7():
    """The log-likelihood is concave: no eigenvalue of its Hessian is positive."""
    X, y = overlapping(0, d=2, n=200)
    model = LogisticRegression().fit(X, y)
    assert np.linalg.eigvalsh(-logistic_hessian(X, model.w_, model.b_)).max() < 0


def test_erratum_s4_f11():
    """P(C_k | x) = softmax of w . x with one w for all K classes is 1/K for every x; with w_k per class it learns."""
    X, y = overlapping(2, k=4)
    printed = softmax(np.repeat(design_matrix(X) @ [[0.3], [1.0], [-2], [0.5]], 4, axis=1))
    assert_allclose(printed, 1 / 4)
    right = SoftmaxRegression(lam=0.1).fit(X, y)
    assert right.W_.shape == (4, 3)
    assert right.loss_ < 0.8 * len(y) * math.log(4) == pytest.approx(0.8 * cross_entropy(np.eye(4)[y], printed))


def test_erratum_s4_f12():
    """Descend until the gradient is zero; the loss reaches 0 only for separable classes and endless weights."""
    model = LogisticRegression().fit(*W13)
    assert model.loss_ == pytest.approx(2.47799, abs=5e-6)
    assert model.history_[-1].gradient_norm < 1e-13
    losses = [logistic_loss(*APART, [slope], 0) for slope in (1, 10, 50)]
    assert_allclose(losses, [0.88, 9e-5, 4e-22], rtol=0.05)


def test_erratum_s4_f13():
    """H is no learning rate: its inverse scales the step; H itself as the factor makes the loss explode."""
    X, y = overlapping(0, d=2, n=200)
    v = np.zeros(3)
    for _ in range(5):
        v = v - logistic_hessian(X, v[1:], v[0]) @ logistic_gradient(X, y, v[1:], v[0])
    model = LogisticRegression().fit(X, y)
    assert model.history_[5].loss == pytest.approx(model.loss_)
    assert logistic_loss(X, y, v[1:], v[0]) > 100 * model.history_[0].loss


def test_erratum_s4_f14():
    """Overlap is no failure; a ring needs other features, and with their squares it is solved."""
    rng = np.random.default_rng(5)
    angle, r = rng.uniform(0, 2 * np.pi, 200), np.repeat([1.0, 2.5], 100) + rng.uniform(-0.3, 0.3, 200)
    X, y = np.column_stack([r * np.cos(angle), r * np.sin(angle)]), np.repeat([0, 1], 100)
    assert LogisticRegression().fit(*overlapping(1)).converged_
    assert np.mean(LogisticRegression(lam=0.01).fit(X, y).predict(X) == y) < 0.65
    assert np.mean(LogisticRegression(lam=0.01).fit(X**2, y).predict(X**2) == y) == 1


def test_errata_table_points_to_tests_here():
    path = Path(__file__).parents[1] / "data" / "errata" / "logistic_regression.csv"
    with open(path, encoding="utf-8") as file:
        table = list(csv.DictReader(file))
    names = {f"test_erratum_{r['source']}_{r['id']}".lower().replace("-", "_") for r in table}
    assert {r["test"].split("::")[1] for r in table} == names
    assert names == {name for name in globals() if name.startswith("test_erratum_")}


@pytest.mark.parametrize("spread", [1.0, 1e-2, 1e-7])
def test_the_factor_of_a_tall_hessian(spread):
    """Products for the good-natured, QR where they would lose digits: R'R is the Hessian either way."""
    rng = np.random.default_rng(0)
    Z = rng.normal(size=(5000, 3))
    Z[:, 2] = Z[:, 1] + spread * Z[:, 2]
    r, P = rng.uniform(0.01, 0.25, 5000), 0.1 * np.eye(3)[:2]
    T = weighted_factor(Z, r, P)
    direct = np.linalg.qr(np.vstack([np.sqrt(r)[:, None] * Z, P]), mode="r")
    assert_allclose(np.abs(T.diagonal()), np.abs(direct.diagonal()), rtol=1e-8)
    assert_allclose(T.T @ T, direct.T @ direct, rtol=1e-11)
    assert_array_equal(np.tril(T, -1), 0)


@pytest.mark.parametrize("family", [Bernoulli(), Poisson()], ids=lambda f: f.name)
def test_tall_data_reach_the_same_optimum(family):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(5000, 4)) @ rng.normal(size=(4, 4)) + 2
    mean = family.mean(0.2 * X @ [1.0, -0.5, 0.3, 0.0])
    y = (rng.random(5000) < mean) * 1.0 if family.name == "Bernoulli" else rng.poisson(mean)
    model = GLM(family).fit(X, y)
    assert model.converged_
    e = family.residual(y, X @ model.w_ + model.b_)
    assert np.abs(e @ np.column_stack([np.ones(5000), X])).max() < 1e-8 * 5000


def test_tall_classes_that_a_plane_separates_still_say_so():
    X = np.random.default_rng(2).normal(size=(5000, 3))
    with pytest.warns(ConvergenceWarning, match="no maximum"):
        LogisticRegression().fit(X, X[:, 0] > 0.1)


@pytest.mark.parametrize(("k", "C"), [(2, 2.0), (3, 1.0)])
def test_scikit_learns_C_is_as_the_docstring_says(k, C):
    X, y = overlapping(3, k=k)
    lam = 0.7
    theirs = linear_model.LogisticRegression(C=C / lam, tol=1e-10, max_iter=10_000).fit(X, y)
    assert_allclose(SoftmaxRegression(lam).fit(X, y).predict_proba(X), theirs.predict_proba(X), atol=1e-6)


@pytest.mark.parametrize(("seed", "size", "lam"), [(3, 1e5, 1e-3), (2, 1e7, 1.0), (3, 1e7, 1.0), (2, 1e7, 1e-3)])
def test_an_outlier_does_not_keep_newton_from_rest(seed, size, lam):
    """Its score is so large that the rounding of a step moves it more than any other; it took all of max_iter."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 4))
    X[0] *= size
    score = X[:, 0].clip(-5, 5) - X[:, 1].clip(-5, 5)
    t = 1 * (rng.random(60) < 1 / (1 + np.exp(-score)))
    for model in (LogisticRegression(lam), SoftmaxRegression(2 * lam)):
        assert model.fit(X, t).converged_
        assert model.n_iter_ < 100
        p = model.predict_proba(X)[:, 1]
        assert (p - t).sum() == pytest.approx(0, abs=1e-4)  # the bias is free, so its derivative is 0


def test_poissons_loss_takes_one_number_beside_many():
    y, eta = np.array([2.0, 0.0]), np.array([0.7, -30.0])
    for one, many in (((y, 0.7), (y, [0.7, 0.7])), ((2, eta), ([2.0, 2.0], eta)), ((2, 0.7), ([2.0], [0.7]))):
        assert_allclose(Poisson().loss(*one), np.reshape(Poisson().loss(*many), np.shape(Poisson().loss(*one))))

"""Chapter 24: the decomposition adds up, shortcuts equal brute force, criteria and selections are what they say."""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_selection import SequentialFeatureSelector
from sklearn.linear_model import LinearRegression as TheirLine
from sklearn.linear_model import RidgeCV
from sklearn.metrics import mutual_info_score
from sklearn.model_selection import GridSearchCV, KFold, LeaveOneOut, cross_val_score
from sklearn.model_selection import learning_curve as their_learning_curve
from sklearn.neighbors import KNeighborsRegressor
from sklearn.tree import DecisionTreeRegressor as TheirTree

from mlteach import datasets
from mlteach.decision_trees import DecisionTreeRegressor
from mlteach.evaluation import adjusted_r2, k_fold, mse
from mlteach.linear_regression import LinearRegression
from mlteach.model_selection import (
    OneColumn,
    Screened,
    aic,
    aicc,
    all_subsets,
    backward_elimination,
    bagged_tree_fits,
    bagged_tree_parts,
    best_of_many,
    best_subsets,
    bias_variance,
    bic,
    choose_by_cv,
    correlations,
    covariance_freedom,
    degrees_of_freedom,
    forward_selection,
    gaussian_curve,
    gaussian_log_likelihood,
    generalized_cross_validation,
    information,
    judge,
    learning_curve,
    leave_one_out,
    leave_one_out_linear,
    leverages,
    linear_bias_variance,
    mallows_cp,
    mutual_information_ranking,
    neighbor_weights,
    nested_cv,
    one_standard_error,
    pearson_ranking,
    polynomial_weights,
    smoother_matrix,
    tree_fits,
    two_point_fit,
    two_point_sine,
)
from mlteach.nearest_neighbors import KNNClassifier, KNNRegressor
from mlteach.regularization import Ridge, ridge_gcv, ridge_leave_one_out

X5, Y5 = np.arange(1.0, 6)[:, None], np.array([2.0, 3, 5, 4, 6])  # W3-02


def problem(n=20, d=4, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * np.arange(1, d + 1) + rng.normal(size=d) * 3
    return X, X @ rng.normal(size=d) + 2 + rng.normal(size=n)


def rss(X, y, columns):
    A = np.column_stack([np.ones(len(y)), X[:, list(columns)]])
    return float(np.sum((y - A @ np.linalg.lstsq(A, y, rcond=None)[0]) ** 2))


# --- The decomposition ---------------------------------------------------------------------------------------------


def sine_at_ten(generator):
    x = np.linspace(0, 1, 10)
    return x[:, None], np.sin(2 * np.pi * x) + 0.3 * generator.normal(size=10)


class Polynomial:
    def __init__(self, degree):
        self.degree = degree

    def fit(self, X, y):
        self.coefficients = np.polynomial.Polynomial.fit(np.ravel(X), y, self.degree)
        return self

    def predict(self, X):
        return self.coefficients(np.ravel(X))


W3_08 = {1: (0.088760, 0.026894, 0.205653), 3: (0.008597, 0.039690, 0.138288), 7: (0.000001, 0.196401, 0.286402)}


@pytest.mark.parametrize("degree", W3_08)
def test_exact_parts_of_w3_08(degree):
    x = np.linspace(0, 1, 10)
    L = polynomial_weights(x, [0.05], degree)
    parts = linear_bias_variance(L, np.sin(2 * np.pi * x), [np.sin(0.1 * np.pi)], 0.09)
    bias2, variance, total = W3_08[degree]
    np.testing.assert_allclose([parts.bias2[0], parts.variance[0]], [bias2, variance], atol=6e-7)
    assert parts.bias2[0] + parts.variance[0] + 0.09 == pytest.approx(total, abs=1e-6)


@pytest.mark.parametrize("degree", W3_08)
def test_measured_parts_meet_the_exact_ones(degree):
    f = [np.sin(0.1 * np.pi)]
    parts = bias_variance(lambda: Polynomial(degree), sine_at_ten, [[0.05]], f, 0.09, 1500, 4)
    bias2, variance, total = W3_08[degree]
    assert parts.noise == 0.09
    assert abs(parts.bias2 - bias2) < 0.006
    assert abs(parts.variance / variance - 1) < 0.15
    assert abs(parts.error - total) < 4 * parts.error_stderr
    assert abs(parts.bias2 + parts.variance + parts.noise - parts.error) < 4 * parts.error_stderr


def test_bias_variance_follows_its_definition():
    """Two fixed data sets: everything can be computed by hand."""

    class Mean:
        def fit(self, X, y):
            self.mean = np.mean(y)
            return self

        def predict(self, X):
            return np.full(len(X), self.mean)

    sets = iter([([[0.0]], [1.0]), ([[0.0]], [4.0])])
    parts = bias_variance(Mean, lambda generator: next(sets), [[0.0], [1.0]], [2.0, 0.0], 0.0, 2)
    assert parts.bias2 == pytest.approx((0.5**2 + 2.5**2) / 2)
    assert parts.variance == pytest.approx(1.5**2)
    assert parts.error == pytest.approx(((1 + 1) / 2 + (4 + 16) / 2) / 2)  # no noise: an exact sum
    assert parts.bias2 + parts.variance == pytest.approx(parts.error)
    assert parts.error_stderr == pytest.approx(np.std([1, 10], ddof=1) / np.sqrt(2))


def test_bias_variance_draws_from_its_seed():
    runs = [
        bias_variance(LinearRegression, sine_at_ten, [[0.3]], [0.5], 0.2, 20, rng)
        for rng in (7, 7, np.random.default_rng(7), 8)
    ]
    assert runs[0] == runs[1] == runs[2] != runs[3]
    assert bias_variance(LinearRegression, sine_at_ten, [[0.3]], [0.5], 0.2) == bias_variance(
        LinearRegression, sine_at_ten, [[0.3]], [0.5], 0.2, n_repeats=200, rng=0
    )


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"n_repeats": 1}, "n_repeats must be at least 2"),
        ({"noise_variance": -1}, "noise_variance must be at least 0"),
        ({"f_test": [1.0, 2.0]}, "f_test must have one entry per row of X_test"),
        ({"make": 3}, "make must be a function; got 3"),
        ({"data": [1]}, r"data must be a function; got \[1\]"),
        ({"X_test": [1.0]}, r"X_test must have shape \(n, d\)"),
    ],
)
def test_bias_variance_says_what_is_wrong(arguments, words):
    given_ = {"make": LinearRegression, "data": sine_at_ten, "X_test": [[0.1]], "f_test": [0.0], "noise_variance": 1.0}
    with pytest.raises(ValueError, match=words):
        bias_variance(**(given_ | arguments))


def test_bias_variance_refuses_predictions_of_another_shape():
    class Odd(Polynomial):
        def predict(self, X):
            return np.zeros((len(X), 2))

    with pytest.raises(ValueError, match=r"one number for each test point, \(1,\); it returned \(1, 2\)"):
        bias_variance(lambda: Odd(1), sine_at_ten, [[0.05]], [0.0], 0.1)


def test_linear_parts_on_an_asymmetric_case():
    parts = linear_bias_variance([[0.2, 0.5, 0.1], [1.0, 0.0, 0.0]], [1.0, 2.0, 4.0], [3.0, 0.5], 0.4)
    np.testing.assert_allclose(parts.bias2, [(0.2 + 1 + 0.4 - 3) ** 2, 0.25])
    np.testing.assert_allclose(parts.variance, [0.4 * 0.3, 0.4])
    with pytest.raises(ValueError, match="one entry per column of L: 2 columns, 3 entries"):
        linear_bias_variance([[1.0, 0.0]], [1.0, 2.0, 3.0], [0.0], 1.0)
    with pytest.raises(ValueError, match="f_test must have one entry per row of L"):
        linear_bias_variance([[1.0]], [1.0], [0.0, 1.0], 1.0)
    with pytest.raises(ValueError, match="noise_variance must be at least 0"):
        linear_bias_variance([[1.0]], [1.0], [0.0], -0.1)


# --- Two points of a sine ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "bias2", "variance"),
    [("constant", 0.5, 0.25), ("origin", 0.2706, 0.2366), ("line", 0.2067, 1.6763)],
)
def test_two_point_sine(model, bias2, variance):
    exact = two_point_sine(model)
    assert exact.bias2 == pytest.approx(bias2, abs=6e-5)
    assert exact.variance == pytest.approx(variance, abs=6e-5)
    x = np.random.default_rng(1).uniform(-1, 1, (2, 400_000))
    a, b = two_point_fit(*x, model)
    assert exact.slope == pytest.approx(a.mean(), abs=0.02)
    assert exact.slope_variance == pytest.approx(a.var(), rel=0.02)
    assert exact.level_variance == pytest.approx(b.var(), rel=0.02)
    s = np.linspace(-1, 1, 2001)
    mean = a.mean() * s + b.mean()
    assert exact.bias2 == pytest.approx(np.mean((mean - np.sin(np.pi * s)) ** 2), abs=0.01)


def test_two_point_fits_pass_where_they_should():
    x1, x2 = np.array([0.3, 0.5]), np.array([-0.9, 0.5])
    a, b = two_point_fit(x1, x2, "line")
    np.testing.assert_allclose(a * x1 + b, np.sin(np.pi * x1))
    np.testing.assert_allclose(a[0] * x2[0] + b[0], np.sin(np.pi * x2[0]))
    assert a[1] == pytest.approx(0, abs=1e-12)  # two equal points: the tangent
    np.testing.assert_allclose(two_point_fit(x1, x2, "constant")[1][0], np.mean(np.sin(np.pi * np.array([0.3, -0.9]))))
    slope, level = two_point_fit(x1, x2, "origin")
    assert slope[1] == pytest.approx(2)
    assert level[1] == 0
    for call in (lambda: two_point_sine("cubic"), lambda: two_point_fit(0, 1, "cubic")):
        with pytest.raises(ValueError, match="model must be one of 'constant', 'origin', 'line'; got 'cubic'"):
            call()


# --- Five knobs ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("degree", "lam"), [(0, 0), (1, 0), (4, 0), (5, 0.7), (9, 0.01)])
def test_polynomial_weights_give_the_fit(degree, lam):
    rng = np.random.default_rng(3)
    x, new = np.sort(rng.uniform(-1, 3, 12)), np.array([-0.5, 0.1, 2.9])
    t = rng.normal(size=12)
    unit = lambda v: (2 * v - x.min() - x.max()) / (x.max() - x.min())  # noqa: E731
    Phi, Psi = (np.polynomial.legendre.legvander(unit(v), degree)[:, 1:] for v in (x, new))
    expected = Ridge(lam).fit(Phi, t).predict(Psi) if degree else np.full(3, t.mean())
    np.testing.assert_allclose(polynomial_weights(x, new, degree, lam) @ t, expected)


def test_weights_say_what_is_wrong():
    with pytest.raises(ValueError, match="degree must be less than the number of different x, 2; got 2"):
        polynomial_weights([0.0, 1.0, 1.0], [0.5], 2)
    np.testing.assert_allclose(polynomial_weights([1.0, 1.0], [5.0], 0), [[0.5, 0.5]])
    with pytest.raises(ValueError, match="lam must be at least 0"):
        polynomial_weights([0.0, 1.0], [0.5], 1, -1)
    with pytest.raises(ValueError, match="degree must be at least 0"):
        polynomial_weights([0.0, 1.0], [0.5], -1)


def test_neighbor_weights():
    x, new = np.array([0.0, 1.0, 3.0, 7.0]), np.array([0.9, 6.0])
    np.testing.assert_array_equal(neighbor_weights(x, new, 3), np.array([[1, 1, 1, 0], [0, 1, 1, 1]]) / 3)


def test_bagged_trees_are_nearest_drawn_neighbours():
    """Fully grown trees of the package on bootstrap samples: mean weights, both variances, against simulation."""
    rng = np.random.default_rng(5)
    x, new = np.array([0.0, 0.5, 0.8, 2.0, 2.1]), np.array([0.45, 1.9])
    f_train, f_test = np.array([0.0, 3.0, 1.0, -2.0, 5.0]), np.array([2.0, 0.0])
    parts = bagged_tree_parts(x, new, f_train, f_test, 0.3)
    fits = np.empty((1500, 2, 2))
    for r in range(1500):
        t = f_train + np.sqrt(0.3) * rng.normal(size=5)
        for b in range(2):
            rows = np.sort(rng.integers(5, size=5))
            drawn = np.unique(rows)
            if r < 20:
                tree = DecisionTreeRegressor().fit(x[rows, None], t[rows]).predict(new[:, None])
                nearest = np.abs(x[drawn] - new[:, None]).argmin(axis=1)
                np.testing.assert_allclose(tree, t[drawn][nearest])
            fits[r, b] = t[drawn][np.abs(x[drawn] - new[:, None]).argmin(axis=1)]
    one, both = fits[:, 0], fits.mean(axis=1)
    np.testing.assert_allclose(parts.bias2, (fits.mean(axis=(0, 1)) - f_test) ** 2, atol=0.2)
    np.testing.assert_allclose(parts.variance(1), one.var(axis=0), rtol=0.15)
    np.testing.assert_allclose(parts.variance(2), both.var(axis=0), rtol=0.15)
    shared = [np.cov(fits[:, 0, j], fits[:, 1, j])[0, 1] for j in (0, 1)]
    assert (np.abs(parts.shared - shared) < 4 * parts.single / np.sqrt(1500)).all()
    np.testing.assert_allclose(parts.variance(10**9), parts.shared)
    with pytest.raises(ValueError, match="B must be at least 1"):
        parts.variance(0)


def test_bagged_fits_are_fully_grown_trees():
    rng = np.random.default_rng(8)
    x, T, new = np.sort(rng.uniform(0, 3, 6)), rng.normal(size=(3, 6)), np.array([-1.0, 0.7, 2.2, 5.0])
    fits = bagged_tree_fits(x, T, new, 4, rng=2)
    drawn = np.random.default_rng(2).integers(6, size=(3, 4, 6))
    for r, b in np.ndindex(3, 4):
        rows = drawn[r, b]
        tree = DecisionTreeRegressor().fit(x[rows, None], T[r, rows])
        np.testing.assert_allclose(fits[r, b], tree.predict(new[:, None]))
    with pytest.raises(ValueError, match="T must have one column per x: 6 values of x, 5 columns"):
        bagged_tree_fits(x, T[:, :5], new, 4)
    with pytest.raises(ValueError, match="B must be at least 1"):
        bagged_tree_fits(x, T, new, 0)


@pytest.mark.parametrize("depth", [0, 1, 2, 4, 9])
def test_trees_that_grow_together_are_trees(depth):
    rng = np.random.default_rng(depth)
    x, T = np.sort(rng.uniform(0, 5, 17)), rng.normal(size=(6, 17)) + 100
    new = np.concatenate([[-1.0], rng.uniform(0, 5, 20), [9.0]])
    fits = tree_fits(x, T, new, depth)
    for t, fit in zip(T, fits):
        if depth:
            np.testing.assert_allclose(
                fit, DecisionTreeRegressor(max_depth=depth).fit(x[:, None], t).predict(new[:, None])
            )
            np.testing.assert_allclose(fit, TheirTree(max_depth=depth).fit(x[:, None], t).predict(new[:, None]))
        else:
            np.testing.assert_allclose(fit, t.mean())


def test_trees_split_ties_at_the_first_place_and_stop_when_pure():
    assert tree_fits([0.0, 1.0, 2.0, 3.0], [[1.0, 0.0, 0.0, 1.0]], [0.0, 1.0, 3.0], 1).round(6).tolist() == [
        [1.0, 0.333333, 0.333333]
    ]
    assert tree_fits([0.0, 1.0], [[2.0, 2.0]], [0.5], 5).tolist() == [[2.0]]
    with pytest.raises(ValueError, match="x must rise from entry to entry"):
        tree_fits([0.0, 0.0], [[2.0, 2.0]], [0.5], 1)
    with pytest.raises(ValueError, match="T must have one column per x: 2 values of x, 3 columns"):
        tree_fits([0.0, 1.0], [[2.0, 2.0, 1.0]], [0.5], 1)
    with pytest.raises(ValueError, match="depth must be at least 0"):
        tree_fits([0.0, 1.0], [[2.0, 2.0]], [0.5], -1)


# --- Learning curves -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("d", "n"), [(0, 4), (2, 8), (3, 30), (9, 4)])
def test_gaussian_curve_is_what_is_measured(d, n):
    rng = np.random.default_rng(10 * d + n)
    w = np.array([2.0, -1.0, 0.5, 1.0, 0.3, 0.2, 0.1, 0.1, 0.4, 0.2])
    train, test = [], []
    for _ in range(4000):
        X = rng.normal(size=(n, 10))
        t = X @ w + 0.7 * rng.normal(size=n)
        v = np.zeros(10)
        v[:d] = np.linalg.lstsq(X[:, :d], t, rcond=None)[0] if d else []
        train.append(np.mean((t - X @ v) ** 2))
        test.append(0.49 + np.sum((w - v) ** 2))  # over a new standard normal x
    exact = gaussian_curve(w, d, n, 0.49)
    assert np.mean(train) == pytest.approx(exact.train, abs=5 * np.std(train) / 60 + 1e-9)
    assert np.mean(test) == pytest.approx(exact.test, abs=5 * np.std(test) / 60 + 1e-9)


@pytest.mark.parametrize(
    ("d", "n", "infinite"), [(3, 5, False), (3, 4, True), (3, 3, True), (3, 2, True), (3, 1, False)]
)
def test_gaussian_curve_at_the_peak(d, n, infinite):
    curve = gaussian_curve([1.0, 1.0, 2.0], d, n, 0.5)
    assert np.isinf(curve.test) == infinite
    assert curve.train == pytest.approx(0.5 * max(0, 1 - d / n))


def test_gaussian_curve_of_no_inputs_and_of_one():
    assert gaussian_curve([2.0], 0, 1, 0.5) == (4.5, 4.5)  # nothing is fitted: both errors are s^2
    assert np.isinf(gaussian_curve([2.0, 1.0], 1, 2, 0.5).test)
    assert gaussian_curve([2.0, 1.0], 1, 3, 0.5).test == pytest.approx(1.5 * 2)


def test_gaussian_curve_says_what_is_wrong():
    for arguments, words in (
        (([1.0], 2, 5, 1.0), "d must be at most 1"),
        (([1.0], -1, 5, 1.0), "d must be at least 0"),
        (([1.0], 1, 0, 1.0), "n must be at least 1"),
        (([1.0], 1, 5, -1.0), "noise_variance must be at least 0"),
    ):
        with pytest.raises(ValueError, match=words):
            gaussian_curve(*arguments)


def test_learning_curve_follows_its_definition():
    X, y = problem(30, 3, 2)
    found = learning_curve(LinearRegression, X, y, [5, 12], n_repeats=3, test_size=0.4, rng=6)
    rng, train, test = np.random.default_rng(6), [], []
    for _ in range(3):
        order = rng.permutation(30)
        for size in (5, 12):
            rows = order[12:][:size]
            model = LinearRegression().fit(X[rows], y[rows])
            train.append(mse(y[rows], model.predict(X[rows])))
            test.append(mse(y[order[:12]], model.predict(X[order[:12]])))
    assert found.sizes.tolist() == [5, 12]
    np.testing.assert_allclose(found.train.ravel(), train)
    np.testing.assert_allclose(found.test.ravel(), test)


def test_learning_curve_as_scikit_learn_has_it():
    X, y = problem(30, 3, 2)
    ours = learning_curve(LinearRegression, X, y, [5, 12], n_repeats=1, rng=4)
    order = np.random.default_rng(4).permutation(30)
    _, train, test = their_learning_curve(
        TheirLine(), X, y, train_sizes=[5, 12], cv=[(order[9:], order[:9])], scoring="neg_mean_squared_error"
    )
    np.testing.assert_allclose(ours.train[0], -train[:, 0])
    np.testing.assert_allclose(ours.test[0], -test[:, 0])


def test_learning_curve_of_classes_and_of_a_loss():
    data = datasets.iris()
    curve = learning_curve(lambda: KNNClassifier(1), data.X, data.y, [30, 100], n_repeats=2)
    assert (curve.train == 0).all()
    assert (curve.test < 0.2).all()
    assert curve.test.shape == (2, 2)
    two = learning_curve(LinearRegression, *problem(), [10], n_repeats=2, loss=lambda y, p: 7.0)
    assert (two.test == 7).all()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"sizes": [15]}, "sizes must rise up to at most 14, 20 samples without 6 for tests; got"),
        ({"sizes": [9, 5]}, "sizes must rise"),
        ({"sizes": [5, 5]}, "sizes must rise"),
        ({"sizes": [0, 5]}, "sizes must be at least 1"),
        ({"sizes": [2.5]}, "sizes must be a whole number"),
        ({"test_size": 1.0}, "test_size must be greater than 0 and less than 1"),
        ({"n_repeats": 0}, "n_repeats must be at least 1"),
        ({"y": [1.0, 2.0]}, "20 rows, but y has 2"),
    ],
)
def test_learning_curve_says_what_is_wrong(change, words):
    X, y = problem()
    given_ = {"make": LinearRegression, "X": X, "y": y, "sizes": [5, 10]} | change
    with pytest.raises(ValueError, match=words):
        learning_curve(given_.pop("make"), given_.pop("X"), given_.pop("y"), given_.pop("sizes"), **given_)
    assert learning_curve(LinearRegression, X, y, [14]).test.shape == (20, 1)


# --- Leave one out -------------------------------------------------------------------------------------------------


def test_leave_one_out_of_w3_02():
    assert leave_one_out(LinearRegression, X5, Y5) == pytest.approx(0.747194, abs=1e-6)
    assert leave_one_out_linear(X5, Y5) == pytest.approx(0.747194, abs=1e-6)


@pytest.mark.parametrize("lam", [0, 0.3, 7.0, 1000.0])
def test_the_shortcut_equals_brute_force(lam):
    for seed, (n, d) in enumerate([(12, 1), (20, 4), (9, 6)]):
        X, y = problem(n, d, seed)
        assert leave_one_out_linear(X, y, lam) == pytest.approx(leave_one_out(lambda: Ridge(lam), X, y), rel=1e-9)


def test_the_shortcut_with_more_columns_than_samples():
    X, y = problem(8, 15, 3)
    assert leave_one_out_linear(X, y, 2.0) == pytest.approx(leave_one_out(lambda: Ridge(2.0), X, y), rel=1e-9)


def test_leave_one_out_as_others_have_it():
    X, y = problem(15, 3, 4)
    theirs = -cross_val_score(TheirLine(), X, y, cv=LeaveOneOut(), scoring="neg_mean_squared_error").mean()
    assert leave_one_out_linear(X, y) == pytest.approx(theirs)
    many = RidgeCV([0.5, 3.0], store_cv_results=True).fit(X, y).cv_results_.mean(axis=0)
    assert [leave_one_out_linear(X, y, lam) for lam in (0.5, 3.0)] == pytest.approx(many.tolist())
    np.testing.assert_allclose(ridge_leave_one_out(X, y, [0.5, 3.0]), many)


def test_leave_one_out_of_classes():
    X, y = np.array([[0.0], [0.2], [1.0], [1.1], [0.3]]), np.array(["a", "a", "b", "b", "b"])
    assert leave_one_out(lambda: KNNClassifier(1), X, y) == pytest.approx(2 / 5)
    assert leave_one_out(LinearRegression, X5, Y5, loss=lambda y, p: abs(y - p)[0]) == pytest.approx(
        np.mean(np.abs(leverages(X5, Y5).residual / (1 - leverages(X5, Y5).h)))
    )
    with pytest.raises(ValueError, match="at least 2 samples; got 1"):
        leave_one_out(LinearRegression, [[1.0]], [1.0])


def test_leverages_are_the_diagonal_of_the_hat_matrix():
    X, y = problem(10, 3, 5)
    for lam in (0.0, 4.0):
        H = smoother_matrix(lambda lam=lam: Ridge(lam), X)
        residual, h = leverages(X, y, lam)
        np.testing.assert_allclose(h, np.diag(H))
        np.testing.assert_allclose(residual, y - H @ y, atol=1e-9)
        assert degrees_of_freedom(X, lam) == pytest.approx(np.trace(H))
    assert degrees_of_freedom(X) == 4.0


def test_generalized_cross_validation():
    X, y = problem(11, 3, 6)
    assert generalized_cross_validation(X, y, 2.0) == pytest.approx(ridge_gcv(X, y, 2.0))
    assert generalized_cross_validation(X, y) == pytest.approx(rss(X, y, range(3)) / 11 / (1 - 4 / 11) ** 2)


def test_a_fit_through_every_point_has_no_leave_one_out():
    X, y = problem(5, 4, 7)
    for function in (leave_one_out_linear, generalized_cross_validation):
        with pytest.raises(ValueError, match=r"leverage 1\): take fewer columns, more samples, or lam > 0"):
            function(X, y)
        assert function(X, y, 0.1) > 0
    lonely = np.column_stack([[0, 0, 0, 0, 1.0], [1.0, 2, 3, 5, 8]])
    with pytest.raises(ValueError, match="leverage 1"):
        leave_one_out_linear(lonely, y)
    assert generalized_cross_validation(lonely, y) > 0  # the mean leverage is less than 1
    with pytest.raises(ValueError, match="lam must be at least 0"):
        leave_one_out_linear(X, y, -1)


@given(st.integers(0, 1000), st.floats(0.01, 100))
def test_the_shortcut_on_any_data(seed, lam):
    X, y = problem(7, 2, seed)
    assert leave_one_out_linear(X, y, lam) == pytest.approx(leave_one_out(lambda: Ridge(lam), X, y), rel=1e-8)


# --- Degrees of freedom --------------------------------------------------------------------------------------------


def test_degrees_of_freedom_of_neighbours():
    X = np.random.default_rng(0).normal(size=(12, 2))
    for k in (1, 3, 4):
        assert np.trace(smoother_matrix(lambda k=k: KNNRegressor(k), X)) == pytest.approx(12 / k)


def test_smoother_matrix_refuses_a_tree():
    with pytest.raises(ValueError, match="not linear in its targets: use covariance_freedom"):
        smoother_matrix(lambda: DecisionTreeRegressor(max_depth=1), np.arange(9.0)[:, None])


def test_covariance_freedom():
    X = np.arange(12.0)[:, None]
    f = np.sin(X[:, 0])
    df, stderr = covariance_freedom(LinearRegression, X, f, 0.5, n_repeats=500, rng=3)
    assert abs(df - 2) < 4 * stderr
    assert 0.05 < stderr < 0.15
    assert covariance_freedom(LinearRegression, X, f, 0.5) == covariance_freedom(LinearRegression, X, f, 0.5, rng=0)
    far, its_error = covariance_freedom(LinearRegression, X, f + 1e3, 0.5, n_repeats=500, rng=3)
    assert (far, its_error) == pytest.approx((df, stderr), rel=1e-6)  # where the curve lies is no matter
    stump, error = covariance_freedom(lambda: DecisionTreeRegressor(max_depth=1), X, 0 * f, 0.5, n_repeats=200)
    assert stump > 3 + 2 * error  # two means and a cut that was searched for
    for change, words in (
        ({"noise_variance": 0}, "greater than 0"),
        ({"n_repeats": 1}, "n_repeats must be at least 2"),
    ):
        with pytest.raises(ValueError, match=words):
            covariance_freedom(LinearRegression, X, f, **({"noise_variance": 1.0} | change))


def test_optimism_of_least_squares():
    """(24.6): new targets at the same inputs cost 2 df sigma^2 / n more than the old ones."""
    rng = np.random.default_rng(2)
    X, _ = problem(15, 4, 1)
    f, gaps = np.sin(X).sum(axis=1), []
    H = smoother_matrix(LinearRegression, X)
    for _ in range(6000):
        t, new = f + rng.normal(size=(2, 15))
        gaps.append(np.mean((new - H @ t) ** 2) - np.mean((t - H @ t) ** 2))
    assert np.mean(gaps) == pytest.approx(2 * 5 / 15, abs=4 * np.std(gaps) / np.sqrt(6000))


# --- Prices --------------------------------------------------------------------------------------------------------


def test_criteria_of_w3_09():
    likelihood = gaussian_log_likelihood(1.9, 5)
    assert mallows_cp(1.9, 5, 2, 1.9 / 3) == pytest.approx(0.886667, abs=1e-6)
    assert aic(likelihood, 2) == pytest.approx(13.351465, abs=1e-6)
    assert bic(likelihood, 2, 5) == pytest.approx(12.570341, abs=1e-6)


def test_the_likelihood_is_the_sum_of_log_densities():
    r = np.array([0.3, -1.2, 0.4, 2.0])
    s2 = np.mean(r**2)
    logs = -0.5 * np.log(2 * np.pi * s2) - r**2 / (2 * s2)
    assert gaussian_log_likelihood(float(r @ r), 4) == pytest.approx(logs.sum())


def test_aicc():
    assert aicc(-3.0, 2, 10) == pytest.approx(6 + 4 + 12 / 7)
    assert aicc(-3.0, 2, 10**9) == pytest.approx(aic(-3.0, 2))
    with pytest.raises(ValueError, match=r"n must be greater than k \+ 1 = 3; got 3"):
        aicc(-3.0, 2, 3)
    assert aicc(-3.0, 2, 4) == 22


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: mallows_cp(-1, 5, 2, 1), "rss must be at least 0"),
        (lambda: mallows_cp(1, 0, 2, 1), "n must be at least 1"),
        (lambda: mallows_cp(1, 5, -2, 1), "d must be at least 0"),
        (lambda: mallows_cp(1, 5, 2, -1), "sigma2 must be at least 0"),
        (lambda: gaussian_log_likelihood(0, 5), "rss must be greater than 0"),
        (lambda: gaussian_log_likelihood(1, 0), "n must be at least 1"),
        (lambda: aic(np.nan, 1), "log_likelihood must be a finite number"),
        (lambda: aic(1, -1), "k must be at least 0"),
        (lambda: bic(1, 1, 0), "n must be at least 1"),
        (lambda: bic(1, -1, 5), "k must be at least 0"),
    ],
)
def test_criteria_say_what_is_wrong(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def test_one_standard_error():
    assert one_standard_error([5.0, 3.2, 3.0, 3.1], [0.4, 0.3, 0.3, 0.3]) == 1
    assert one_standard_error([5.0, 3.4, 3.0, 3.1], [9.0, 0.3, 0.3, 0.3]) == 2  # the best one's own standard error
    assert one_standard_error([1.0, 0.5], [0.5, 0.5]) == 0
    with pytest.raises(ValueError, match="stderrs must not be negative; the smallest is -1"):
        one_standard_error([1.0, 2.0], [0.1, -1])
    with pytest.raises(ValueError, match="stderrs must have one entry per row of errors"):
        one_standard_error([1.0, 2.0], [0.1])


# --- Hald's cement -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def cement():
    return datasets.hald()


def table(data):
    """Return the criteria of all 16 subsets, small ones good."""
    n, sums = len(data.y), {s.columns: s.rss for s in all_subsets(data.X, data.y)}
    s2, rows = sums[0, 1, 2, 3] / (n - 5), {}
    for S, value in sums.items():
        d, likelihood = len(S) + 1, gaussian_log_likelihood(value, n)
        fitted = LinearRegression().fit(data.X[:, S], data.y).predict(data.X[:, S]) if S else np.full(n, data.y.mean())
        loo = leave_one_out_linear(data.X[:, S], data.y) if S else data.y.var() / (1 - 1 / n) ** 2
        adjusted = -adjusted_r2(data.y, fitted, len(S))
        rows[S] = mallows_cp(value, n, d, s2), bic(likelihood, d, n), aic(likelihood, d), adjusted, loo
    return rows


def test_criteria_disagree_on_hald(cement):
    rows = table(cement)
    winners = [min(rows, key=lambda S: rows[S][j]) for j in range(5)]
    assert winners == [(0, 1), (0, 1), (0, 1, 3), (0, 1, 3), (0, 1, 3)]  # Cp, BIC; AIC, adjusted R2, PRESS
    assert 13 * rows[0, 1][0] / (47.863639 / 8) - 13 == pytest.approx(2.678, abs=1e-3)  # as textbooks print it
    assert 13 * rows[0, 1, 3][4] == pytest.approx(85.35, abs=0.01)
    assert 13 * rows[0, 1][4] == pytest.approx(93.88, abs=0.01)


def test_sums_of_squares_on_hald(cement):
    best = best_subsets(cement.X, cement.y)
    assert [s.columns for s in best] == [(), (3,), (0, 1), (0, 1, 3), (0, 1, 2, 3)]
    np.testing.assert_allclose([s.rss for s in best], [2715.76, 883.87, 57.90, 47.97, 47.86], atol=0.006)
    assert len(all_subsets(cement.X, cement.y)) == 16


def test_forward_selection_is_fooled_on_hald(cement):
    assert forward_selection(cement.X, cement.y, 2) == [3, 0]
    assert forward_selection(cement.X, cement.y) == [3, 0, 1, 2]
    assert backward_elimination(cement.X, cement.y, 2) == [0, 1]
    assert backward_elimination(cement.X, cement.y) == [1]


# --- Choosing columns ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_best_subsets_by_brute_force(seed):
    X, y = problem(15, 5, seed)
    best = best_subsets(X, y)
    for k, found in enumerate(best):
        sums = {S: rss(X, y, S) for S in combinations(range(5), k)}
        assert found.columns == min(sums, key=sums.get)
        assert found.rss == pytest.approx(min(sums.values()))


@pytest.mark.parametrize("seed", range(4))
def test_stepwise_by_definition(seed):
    X, y = problem(15, 5, 10 + seed)
    chosen, kept = [], list(range(5))
    while len(chosen) < 5:
        chosen.append(min(set(range(5)) - set(chosen), key=lambda j: rss(X, y, [*chosen, j])))
    assert forward_selection(X, y) == chosen
    assert forward_selection(X, y, 3) == chosen[:3]
    for k in (4, 3, 2, 1):
        kept.remove(min(kept, key=lambda j: rss(X, y, [i for i in kept if i != j])))
        assert backward_elimination(X, y, k) == kept
    assert backward_elimination(X, y, 0) == []
    assert forward_selection(X, y, 0) == []


def test_stepwise_as_scikit_learn_has_it():
    """Both choose by cross-validated error on the same folds."""
    X, y = problem(30, 6, 3)
    folds = list(KFold(5).split(X))

    def score(columns):
        return -cross_val_score(TheirLine(), X[:, columns], y, cv=folds, scoring="neg_mean_squared_error").mean()

    for direction, ours in (("forward", forward_selection), ("backward", backward_elimination)):
        theirs = SequentialFeatureSelector(
            TheirLine(), n_features_to_select=3, direction=direction, cv=folds, scoring="neg_mean_squared_error"
        )
        assert sorted(ours(X, y, 3, score=score)) == theirs.fit(X, y).get_support(indices=True).tolist()


def test_numbers_of_fits():
    """W3-10 and S1 W32: C(10, 3) = 120 and 1,024 subsets; forward search fits 55 models, exhaustive 1,023."""
    X, y = problem(15, 10, 2)
    fits = []
    forward_selection(X, y, score=lambda columns: fits.append(1) or rss(X, y, columns))
    assert len(fits) == 55
    tried = all_subsets(X, y)
    assert len(tried) == 1024
    assert sum(len(s.columns) == 3 for s in tried) == math.comb(10, 3) == 120
    assert sum(len(s.columns) > 0 for s in tried) == 1023


def test_selection_with_twins_and_constants():
    X, y = problem(12, 2, 5)
    twins = np.column_stack([X[:, 1], X, np.ones(12)])
    twins = twins if abs(correlations(twins, y)[0]) > abs(correlations(twins, y)[1]) else twins[:, [1, 0, 1, 3]]
    assert forward_selection(twins, y)[0] == pearson_ranking(twins, y)[0] == 0  # of equals the first
    assert forward_selection(twins, y) == [0, 1, 2, 3]
    assert best_subsets(twins, y)[2].rss == pytest.approx(rss(X, y, (0, 1)))
    assert best_subsets(twins, y)[2].columns == (0, 1)


def test_selection_is_blind_to_units():
    X, y = problem(20, 4, 6)
    for scaled in (X * [1e-9, 1, 1e6, 1e12], X + 1e6):
        assert forward_selection(scaled, y) == forward_selection(X, y)
        assert [s.columns for s in best_subsets(scaled, y)] == [s.columns for s in best_subsets(X, y)]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda X, y: forward_selection(X, y, 5), r"k must be at most 4 \(X has 4 columns\)"),
        (lambda X, y: forward_selection(X, y, -1), "k must be at least 0"),
        (lambda X, y: backward_elimination(X, y, 5), r"k must be at most 4 \(X has 4 columns\)"),
        (lambda X, y: backward_elimination(X[:5], y[:5], 2), "with 5 samples all 4 columns and an intercept fit every"),
        (lambda X, y: best_subsets(np.zeros((3, 21)), [1, 2, 3]), r"21 columns have 2\^21 subsets; at most 20"),
        (lambda X, y: best_subsets(X, y[:3]), "20 rows, but y has 3"),
        (lambda X, y: forward_selection(X, y, 2, score=lambda columns: np.nan), "it returned nan"),
    ],
)
def test_selection_says_what_is_wrong(call, words):
    with pytest.raises(ValueError, match=words):
        call(*problem())
    X, y = problem()
    assert backward_elimination(X[:5], y[:5], 4) == [0, 1, 2, 3]
    assert len(backward_elimination(X[:6], y[:6], 2)) == 2


def test_nothing_is_modified():
    X, y = problem()
    X0, y0 = X.copy(), y.copy()
    for function in (best_subsets, forward_selection, backward_elimination, pearson_ranking, mutual_information_ranking,
                     leave_one_out_linear, generalized_cross_validation):  # fmt: skip
        function(X, y)
    np.testing.assert_array_equal(X, X0)
    np.testing.assert_array_equal(y, y0)


# --- Filters -------------------------------------------------------------------------------------------------------


def test_pearson_ranking():
    X, y = problem(25, 4, 8)
    r = [np.corrcoef(column, y)[0, 1] for column in X.T]
    np.testing.assert_allclose(correlations(X, y), r)
    assert pearson_ranking(X, y) == np.argsort(-np.abs(r)).tolist()
    assert pearson_ranking(np.column_stack([np.ones(25), X[:, 0]]), y) == [1, 0]
    assert correlations(X, np.ones(25)).tolist() == [0, 0, 0, 0]


def test_information_as_scikit_learn_has_it():
    rng = np.random.default_rng(4)
    X = rng.integers(0, 4, (60, 3))
    y = (X[:, 1] + (rng.random(60) < 0.3)) % 3
    expected = [mutual_info_score(column, y) for column in X.T]
    np.testing.assert_allclose(information(X, y), expected)
    assert mutual_information_ranking(X, y) == np.argsort(-np.array(expected)).tolist()
    words = np.array(["a", "b", "c", "d"], dtype=object)[X]
    np.testing.assert_allclose(information(words, y.astype(str)), expected)
    names = np.array([[f"word {k}"] for k in range(60)], dtype=object)  # more names than bins are no numbers to cut
    np.testing.assert_allclose(information(names, y), [mutual_info_score(range(60), y)])


def test_information_of_measured_numbers():
    rng = np.random.default_rng(5)
    x = rng.normal(size=(400, 2))
    y = x[:, 1] ** 2
    values = information(x, y)
    assert values.tolist() == information(x, y, bins=8).tolist()
    assert values[1] > 0.8
    assert values[0] < 0.1
    assert mutual_information_ranking(x, y) == [1, 0]
    assert abs(correlations(x, y)).max() < 0.2  # the other filter sees neither
    quartiles = np.searchsorted(np.quantile(x[:, 0], [0.25, 0.5, 0.75]), x[:, 0], side="left")
    assert information(x[:, :1], quartiles, bins=4)[0] == pytest.approx(np.log(4), abs=0.01)
    with pytest.raises(ValueError, match="bins must be at least 2"):
        information(x, y, bins=1)
    with pytest.raises(ValueError, match="400 rows, but y has 3"):
        information(x, [1, 2, 3])


def test_w33_xor_and_its_pair():
    X, y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]]), np.array([0, 1, 1, 0])
    assert information(X, y).tolist() == pytest.approx([0, 0], abs=1e-12)
    assert information([[f"{a}{b}"] for a, b in X], y)[0] == pytest.approx(0.693147, abs=1e-6)
    x = np.array([-1, 0, 1])
    assert information(x[:, None], x**2)[0] == pytest.approx(0.636514, abs=1e-6)
    assert correlations(x[:, None], x**2)[0] == pytest.approx(0)


# --- Choosing by cross-validation ----------------------------------------------------------------------------------

NEIGHBOURS = {k: lambda k=k: KNNRegressor(k) for k in (12, 6, 3, 1)}


def test_choose_by_cv_follows_its_definition():
    X, y = problem(30, 2, 9)
    found = choose_by_cv(NEIGHBOURS, X, y, 4, 3)
    table = np.array([
        [mse(y[test], KNNRegressor(k).fit(X[train], y[train]).predict(X[test])) for train, test in k_fold(30, 4, 3)]
        for k in NEIGHBOURS
    ])  # fmt: skip
    np.testing.assert_allclose(found.errors, table.mean(axis=1))
    np.testing.assert_allclose(found.stderrs, table.std(axis=1, ddof=1) / 2)
    assert found.names == [12, 6, 3, 1]
    assert found.best == found.names[table.mean(axis=1).argmin()]
    assert found.flat == pytest.approx(table.mean(axis=1).min())


def test_choose_by_cv_as_grid_search_has_it():
    X, y = problem(30, 2, 10)
    folds = [(train, test) for train, test in k_fold(30, 5, 0)]
    theirs = GridSearchCV(
        KNeighborsRegressor(), {"n_neighbors": [1, 2, 4, 8]}, cv=folds, scoring="neg_mean_squared_error"
    )
    ours = choose_by_cv({k: lambda k=k: KNNRegressor(k) for k in (1, 2, 4, 8)}, X, y)
    assert ours.best == theirs.fit(X, y).best_params_["n_neighbors"]
    assert ours.flat == pytest.approx(-theirs.best_score_)


def test_equal_candidates_and_lists():
    X, y = problem(20, 2, 11)
    makes = [lambda: KNNRegressor(3), lambda: KNNRegressor(3)]
    assert choose_by_cv(makes, X, y).best == 0
    for wrong in ({}, [], KNNRegressor, 3):
        with pytest.raises(ValueError, match="makes must be a dict or list of functions"):
            choose_by_cv(wrong, X, y)


def test_nested_cv_follows_its_definition():
    X, y = problem(30, 2, 12)
    found = nested_cv(NEIGHBOURS, X, y, 3, 4, 5)
    rng, errors, chosen = np.random.default_rng(5), [], []
    for train, test in k_fold(30, 3, rng):
        choice = choose_by_cv(NEIGHBOURS, X[train], y[train], 4, rng)
        chosen.append(choice.best)
        errors.append(mse(y[test], KNNRegressor(choice.best).fit(X[train], y[train]).predict(X[test])))
    np.testing.assert_allclose(found.errors, errors)
    assert found.chosen == chosen
    assert found.error == pytest.approx(np.mean(errors))
    with pytest.raises(ValueError, match="inner must be at least 2"):
        nested_cv(NEIGHBOURS, X, y, inner=1)


def test_nested_cv_as_a_grid_search_inside_folds():
    X, y = problem(30, 2, 14)
    rng, errors = np.random.default_rng(3), []
    for train, test in k_fold(30, 3, rng):
        inner = [(a, b) for a, b in k_fold(len(train), 4, rng)]
        grid = {"n_neighbors": [6, 3, 1]}
        search = GridSearchCV(KNeighborsRegressor(), grid, cv=inner, scoring="neg_mean_squared_error")
        errors.append(-search.fit(X[train], y[train]).score(X[test], y[test]))
    makes = {k: lambda k=k: KNNRegressor(k) for k in (6, 3, 1)}
    np.testing.assert_allclose(nested_cv(makes, X, y, 3, 4, 3).errors, errors)


def test_nested_cv_uses_a_loss():
    X, y = problem(30, 2, 12)
    assert nested_cv(NEIGHBOURS, X, y, loss=lambda y, p: 2.0).error == 2.0


def test_screened_chooses_inside():
    X, y = problem(20, 4, 13)
    model = Screened(LinearRegression, pearson_ranking, 2).fit(X, y)
    assert model.columns_ == pearson_ranking(X, y)[:2]
    assert model.task == "regression"
    np.testing.assert_allclose(
        model.predict(X), LinearRegression().fit(X[:, model.columns_], y).predict(X[:, model.columns_])
    )
    assert judge(model, X, y) == pytest.approx(rss(X, y, model.columns_) / 20)
    assert judge(KNNClassifier(1).fit([[0], [1]], [0, 1]), [[0], [0], [1]], [0, 1, 1]) == pytest.approx(1 / 3)
    for k, words in ((0, "k must be at least 1"), (5, r"k must be at most 4 \(X has 4 columns\)")):
        with pytest.raises(ValueError, match=words):
            Screened(LinearRegression, pearson_ranking, k).fit(X, y)


def test_one_column():
    X = np.array([[9.0, 5.0], [9.0, 4.0], [9.0, 0.0], [9.0, 1.0]])
    model = OneColumn(1).fit(X, [0, 0, 1, 1])
    assert model.middle_ == 2.5
    assert model.rising_ is False
    assert model.predict([[0, 2.4], [0, 2.6], [0, 2.5]]).tolist() == [1, 0, 1]
    assert OneColumn(1).fit(X, [1, 1, 0, 0]).predict([[0, 2.4], [0, 2.6]]).tolist() == [0, 1]
    assert OneColumn(1).fit(X, [1, 1, 1, 1]).middle_ == 1.25


def test_screening_outside_the_folds_cheats():
    rng = np.random.default_rng(1)
    wrong, right = [], []
    for _ in range(5):
        X, y = rng.normal(size=(40, 500)), rng.permutation(np.arange(40) % 2)
        kept = pearson_ranking(X, y)[:20]
        wrong.append(choose_by_cv([lambda: KNNClassifier(1)], X[:, kept], y).flat)
        right.append(choose_by_cv([lambda: Screened(lambda: KNNClassifier(1), pearson_ranking, 20)], X, y).flat)
    assert np.mean(wrong) < 0.3 < 0.4 < np.mean(right)


# --- The best of many ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("m", "mean"), [(1, 0.5), (10, 0.577), (100, 0.625), (1000, 0.661)])
def test_best_of_many_coins(m, mean):
    assert best_of_many(m, 100).mean == pytest.approx(mean, abs=5e-4)


@pytest.mark.parametrize(("m", "n", "p"), [(3, 4, 0.3), (2, 5, 0.8), (1, 3, 0.5)])
def test_best_of_many_by_enumeration(m, n, p):
    """All m-tuples of numbers of right answers, with their probabilities."""
    single = [math.comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(n + 1)]
    law = np.zeros(n + 1)
    for places in np.ndindex(*[n + 1] * m):
        law[max(places)] += math.prod(single[j] for j in places)
    found = best_of_many(m, n, p)
    np.testing.assert_allclose(found.probability, law)
    np.testing.assert_allclose(found.scores, np.arange(n + 1) / n)
    assert found.mean == pytest.approx(law @ found.scores)
    F = np.cumsum(law)
    assert found.low == found.scores[np.argmax(F >= 0.1)]
    assert found.high == found.scores[np.argmax(F >= 0.9)]


def test_best_of_many_at_its_ends():
    assert best_of_many(50, 10, 1).mean == 1
    assert best_of_many(50, 10, 0).mean == 0
    for arguments, words in (((0, 5), "m must be at least 1"), ((1, 0), "n must be at least 1")):
        with pytest.raises(ValueError, match=words):
            best_of_many(*arguments)
    with pytest.raises(ValueError, match="p must be at least 0 and at most 1"):
        best_of_many(1, 5, 1.2)


# --- Errata --------------------------------------------------------------------------------------------------------


def test_erratum_s1_e63():
    """Independence is p(y | x) = p(y): for two fair coins 0.5, not p(y) p(x) = 0.25."""
    joint = np.full((2, 2), 0.25)
    p_x, p_y = joint.sum(axis=1), joint.sum(axis=0)
    conditional = joint[0] / p_x[0]
    np.testing.assert_allclose(conditional, p_y)
    assert not np.allclose(conditional, p_y * p_x[0])
    coins = [[0], [0], [1], [1]]
    assert information(coins, [0, 1, 0, 1])[0] == pytest.approx(0)  # the package calls them independent


def test_erratum_s3_e3_28():
    """E (t - y)^2 = integral of (f - y)^2 plus sigma^2: only the minimisers agree."""
    x = np.linspace(0, 1, 200_001)
    gap = np.mean((np.sin(2 * np.pi * x) - 0.5 * x) ** 2)
    rng = np.random.default_rng(0)
    x = rng.random(400_000)
    risk = np.mean((np.sin(2 * np.pi * x) + 0.3 * rng.normal(size=len(x)) - 0.5 * x) ** 2)
    assert gap == pytest.approx(0.7425, abs=1e-3)
    assert risk == pytest.approx(gap + 0.09, abs=0.005)
    assert abs(risk - gap) > 0.08


def test_erratum_s3_e3_29():
    """E(f - y)^2 in the place of (f - E y)^2 counts the variance twice: 0.4828 for 0.2864."""
    x = np.linspace(0, 1, 10)
    parts = linear_bias_variance(polynomial_weights(x, [0.05], 7), np.sin(2 * np.pi * x), [np.sin(0.1 * np.pi)], 0.09)
    bias2, variance = parts.bias2[0], parts.variance[0]
    measured = bias_variance(lambda: Polynomial(7), sine_at_ten, [[0.05]], [np.sin(0.1 * np.pi)], 0.09, 1500, 1)
    assert abs(measured.error - (0.09 + bias2 + variance)) < 4 * measured.error_stderr
    misread = 0.09 + (bias2 + variance) + variance
    assert misread == pytest.approx(0.482803, abs=1e-5)
    assert abs(measured.error - misread) > 10 * measured.error_stderr


def test_erratum_s3_e3_30():
    """High variance: with more data the test error falls and the training error rises."""
    rng, train, test = np.random.default_rng(3), [], []
    for n in (15, 30, 100, 400):
        errors = []
        for _ in range(100):
            x, new = rng.random(n), rng.random(500)
            t, unseen = (np.sin(2 * np.pi * v) + 0.3 * rng.normal(size=len(v)) for v in (x, new))
            model = Polynomial(9).fit(x, t)
            errors.append((np.mean((model.predict(x) - t) ** 2), np.mean((model.predict(new) - unseen) ** 2)))
        train.append(np.median([e[0] for e in errors]))
        test.append(np.median([e[1] for e in errors]))
    assert (np.diff(test) < 0).all()
    assert (np.diff(train) > 0).all()
    exact = [gaussian_curve(np.ones(10), 10, n, 0.09) for n in (15, 30, 100, 400)]
    assert (np.diff([e.train for e in exact]) > 0).all()
    assert (np.diff([e.test for e in exact]) < 0).all()


def test_erratum_s3_e3_31():
    """Adding features adds one dimension each; what multiplies is the number of cells."""
    from mlteach.regularization import grid_cells

    assert [grid_cells(d, 10) for d in (1, 2, 3, 6)] == [10, 100, 1000, 10**6]


def test_erratum_s3_e3_32():
    """By the signed correlation a perfect predictor y = -x would come last."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=50)
    X = np.column_stack([rng.normal(size=50), x])
    assert correlations(X, -x)[1] == pytest.approx(-1)
    assert np.argsort(-correlations(X, -x))[-1] == 1
    assert pearson_ranking(X, -x)[0] == 1


def test_erratum_s3_e3_46():
    """BIC punishes more than AIC only from n = 8 on."""
    likelihood = gaussian_log_likelihood(1.9, 5)
    assert bic(likelihood, 2, 5) < aic(likelihood, 2)
    assert [bic(0, 1, n) > aic(0, 1) for n in (5, 7, 8, 13)] == [False, False, True, True]


def test_a_score_below_zero_is_chosen_rightly():
    class Says:
        task = "classification"

        def __init__(self, answer):
            self.answer = answer

        def fit(self, X, y):
            return self

        def predict(self, X):
            return np.full(len(X), self.answer)

    X, y = np.zeros((12, 1)), np.array([1, 1, 1, 0] * 3)
    found = choose_by_cv(
        {"zero": lambda: Says(0), "one": lambda: Says(1)}, X, y, 3, 0, loss=lambda t, s: -np.mean(t == s)
    )
    assert found.best == "one"
    assert found.flat == pytest.approx(-0.75)

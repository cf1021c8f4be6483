"""Nearest neighbours: numbers of the notes, scikit-learn, brute force and chapter 04 as oracles, every message."""

import itertools

import numpy as np
import pytest
from explorers import made
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial import cKDTree
from scipy.spatial.distance import cdist
from sklearn.model_selection import GridSearchCV, LeaveOneOut, cross_val_predict, cross_val_score
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from mlteach import datasets
from mlteach.evaluation import train_test_split
from mlteach.kernels import linear_kernel, polynomial_kernel, rbf_kernel
from mlteach.linear_regression import LinearRegression
from mlteach.nearest_neighbors import (
    KDTree,
    KNNClassifier,
    KNNRegressor,
    LocallyWeightedRegression,
    NadarayaWatson,
    distances,
    kernel_distance,
    nearest,
    predictions_by_k,
)
from mlteach.nearest_neighbors.twenty import CURVE, DIGITS, RUNS, curve_run, neighbours_of, twenty_runs

FIVE, COLOURS = [[0, 0], [1, 0], [0, 1], [5, 5], [6, 5]], np.array([0, 0, 0, 1, 1])
LINE, STEP = np.array([[0], [1], [2], [8], [9.0]]), np.array([0, 0, 1, 1, 1])
MOONS = {"world": "two moons"}
SQUARES = np.array([[0], [1], [2], [3.0]]), np.array([0, 1, 4, 9.0])


def sample(n=80, d=3, classes=3, seed=0):
    """Overlapping classes with features of different units, and a target that is no plane."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, n)
    X = (rng.normal(size=(n, d)) + 0.9 * y[:, None]) * [1, 5, 0.3, 2, 1][:d]
    return X, y, np.sin(X[:, 0]) + 0.1 * X[:, -1] + 0.2 * rng.normal(size=n)


# --- distances -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("metric", "theirs"), [("euclidean",) * 2, ("manhattan", "cityblock"), ("chebyshev",) * 2])
def test_distances_are_scipys(metric, theirs):
    X, Y = sample()[0], sample(seed=1)[0][:20]
    assert np.allclose(distances(X, Y, metric), cdist(X, Y, theirs), rtol=1e-13, atol=0)
    assert np.array_equal(np.diag(distances(X, metric=metric)), np.zeros(80))


def test_messages_of_distances():
    with pytest.raises(ValueError, match="X has 2, Y has 3"):
        distances([[0, 0]], [[0, 0, 0]])
    with pytest.raises(ValueError, match="metric must be one of 'euclidean', 'manhattan', 'chebyshev'; got 'cosine'"):
        distances([[0, 0]], [[0, 0]], "cosine")
    with pytest.raises(ValueError, match="leaves the range of a double. Change the unit of X"):
        distances([[1e200]], [[-1e200]])


def test_kernel_distance_of_the_notes():
    """W27: 41 with the linear kernel, 2533 with (x . z + 1)^2."""
    assert kernel_distance([1, 0], [5, 5], linear_kernel) == 41
    assert kernel_distance([1, 0], [5, 5], polynomial_kernel(2)) == 2533
    assert kernel_distance([[1, 0], [5, 5]], [[5, 5]], polynomial_kernel(2)).tolist() == [[2533], [0]]


def test_kernel_distance_is_that_of_the_feature_vectors():
    X, Y = sample(30, 2)[0], sample(20, 2, seed=1)[0]
    features = lambda P: np.column_stack([P**2, np.sqrt(2) * P[:, 0] * P[:, 1], np.sqrt(2) * P, np.ones(len(P))])  # noqa: E731
    assert np.allclose(kernel_distance(X, Y, polynomial_kernel(2)), cdist(features(X), features(Y)) ** 2, rtol=1e-9)
    assert np.allclose(kernel_distance(X, Y, linear_kernel), cdist(X, Y) ** 2, rtol=1e-9)
    K = rbf_kernel(0.7)
    assert np.allclose(kernel_distance(X, Y, K), 2 - 2 * K(X, Y), atol=1e-15)


def test_self_products_in_blocks():
    """More points than one block holds."""
    X = sample(75, 2)[0]
    assert np.allclose(kernel_distance(X, X, polynomial_kernel(3)).diagonal(), 0)


def test_messages_of_kernel_distance():
    with pytest.raises(ValueError, match=r"two points \(d,\) or two sets .* got \(2,\) and \(1, 2\)"):
        kernel_distance([1, 0], [[5, 5]], linear_kernel)
    with pytest.raises(ValueError, match=r"got \(2,\) and \(3,\)"):
        kernel_distance([1, 0], [5, 5, 5], linear_kernel)
    with pytest.raises(ValueError, match=r"as rbf_kernel\(\) is; got 'rbf'"):
        kernel_distance([1, 0], [5, 5], "rbf")
    with pytest.raises(ValueError, match="values that are not finite"):
        kernel_distance([1, 0], [5, 5], lambda X, Y: np.full((len(X), len(Y)), np.inf))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.lists(st.integers(0, 6), min_size=20, max_size=20), min_size=1, max_size=5),
    st.integers(1, 20),
)
def test_nearest_is_a_stable_sort(rows, k):
    D = np.array(rows, dtype=float)
    assert np.array_equal(nearest(D, k), np.argsort(D, axis=1, kind="stable")[:, :k])


def test_messages_of_nearest():
    with pytest.raises(ValueError, match=r"k must be at most 2 \(D has no more columns\); got 3"):
        nearest([[1.0, 2.0]], 3)


# --- classes ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("k", "chance"), [(1, 1.0), (3, 2 / 3), (5, 0.4)])
def test_five_points(k, chance):
    """W27: the chance of class 1 at (5, 5)."""
    assert KNNClassifier(k).fit(FIVE, COLOURS).predict_proba([[5, 5]])[0, 1] == pytest.approx(chance)


def test_points_on_a_line():
    """W22: K = 3, at 1.4 one of three, at 8.6 all."""
    model = KNNClassifier(3).fit(LINE, STEP)
    assert model.predict_proba([[1.4], [8.6]])[:, 1] == pytest.approx([1 / 3, 1])


@pytest.mark.parametrize("weights", ["uniform", "distance"])
@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "chebyshev"])
@pytest.mark.parametrize("k", [1, 2, 5, 16, 17, 40, 80])
def test_agrees_with_scikit_learn(k, metric, weights):
    X, y, t = sample()
    Q = np.vstack([sample(50, seed=1)[0], X[:10]])  # ten queries lie on a training point
    ours = KNNClassifier(k, weights=weights, metric=metric).fit(X, y)
    options = {"weights": weights, "metric": metric, "algorithm": "kd_tree"}  # "brute" multiplies out: 1e-8 where 0 is
    theirs = KNeighborsClassifier(k, **options).fit(X, y)
    assert np.allclose(ours.predict_proba(Q), theirs.predict_proba(Q), atol=1e-12)
    assert np.array_equal(ours.predict(Q), theirs.predict(Q))
    far, near = theirs.kneighbors(Q)
    assert np.array_equal(ours.neighbors(Q)[0], near)
    assert np.allclose(ours.neighbors(Q)[1], far, rtol=1e-12)
    ours = KNNRegressor(k, weights=weights, metric=metric).fit(X, np.column_stack([t, X[:, 1]]))
    theirs = KNeighborsRegressor(k, **options).fit(X, np.column_stack([t, X[:, 1]]))
    assert np.allclose(ours.predict(Q), theirs.predict(Q), atol=1e-12)
    assert np.allclose(KNNRegressor(k, weights=weights, metric=metric).fit(X, t).predict(Q), theirs.predict(Q)[:, 0])


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 12), st.integers(2, 4))
def test_agrees_with_brute_force_on_a_lattice_full_of_ties(seed, k, classes):
    rng = np.random.default_rng(seed)
    X, y, Q = rng.integers(0, 4, (12, 2)), rng.integers(0, classes, 12), rng.integers(0, 4, (15, 2))
    y[:2] = 0, 1
    model = KNNClassifier(k).fit(X, y)
    for q, said, share in zip(Q, model.predict(Q), model.predict_proba(Q)):
        order = sorted(range(12), key=lambda n: (sum((X[n] - q) ** 2), n))[:k]
        votes = [sum(y[n] == c for n in order) for c in model.classes_]
        assert share == pytest.approx(np.array(votes) / k)
        assert said == model.classes_[votes.index(max(votes))]


def test_ties_go_to_the_first_class_and_the_earlier_row():
    model = KNNClassifier(2).fit([[-1], [1]], ["b", "a"])
    assert model.predict([[0.0], [0.7]]).tolist() == ["a", "a"]
    assert model.neighbors([[0.0]])[0].tolist() == [[0, 1]]
    assert KNNClassifier(1).fit([[-1], [1]], ["b", "a"]).predict([[0.0]]).tolist() == ["b"]


def test_scikit_learn_breaks_equal_votes_the_same_way():
    X, y, _ = sample(60, classes=4)
    Q = sample(200, seed=2)[0]
    ours, theirs = KNNClassifier(4).fit(X, y), KNeighborsClassifier(4).fit(X, y)
    shares = np.sort(ours.predict_proba(Q), axis=1)
    assert (shares[:, -1] == shares[:, -2]).sum() > 20
    assert np.array_equal(ours.predict(Q), theirs.predict(Q))


def test_one_neighbour_makes_no_training_error_and_all_make_a_constant():
    X, y, _ = sample()
    assert KNNClassifier(1).fit(X, y).score(X, y) == 1
    assert len(set(KNNClassifier(80).fit(X, y).predict(100 * X).tolist())) == 1


def test_a_kernel_decides_what_is_near():
    X, y, _ = sample(60, 2)
    Q = sample(40, 2, seed=5)[0]
    plain = KNNClassifier(5).fit(X, y)
    assert np.array_equal(KNNClassifier(5, linear_kernel).fit(X, y).predict(Q), plain.predict(Q))
    assert np.array_equal(KNNClassifier(5, rbf_kernel(0.01)).fit(X, y).neighbors(Q)[0], plain.neighbors(Q)[0])
    curved = KNNClassifier(5, polynomial_kernel(2)).fit(X, y)
    D = kernel_distance(Q, X, polynomial_kernel(2))
    assert np.array_equal(curved.neighbors(Q)[0], np.argsort(D, axis=1, kind="stable")[:, :5])
    assert np.allclose(curved.neighbors(Q)[1], np.sqrt(np.sort(D, axis=1)[:, :5]))
    assert not np.array_equal(curved.neighbors(Q)[0], plain.neighbors(Q)[0])


def test_many_queries_are_searched_in_blocks():
    X, y, _ = sample(400)
    Q = sample(500, seed=3)[0]
    model = KNNClassifier(7).fit(X, y)
    one_by_one = [model.predict(q[None, :])[0] for q in Q]
    assert np.array_equal(model.predict(Q), one_by_one)


@pytest.mark.parametrize("cls", [KNNClassifier, KNNRegressor])
def test_messages_of_the_neighbours(cls):
    y = [0, 1, 0]
    with pytest.raises(ValueError, match=r"k must be at most 3 \(X has 3 samples\); got 4"):
        cls(4).fit([[0], [1], [2]], y)
    with pytest.raises(ValueError, match="k must be at least 1; got 0"):
        cls(0).fit([[0], [1], [2]], y)
    with pytest.raises(ValueError, match="k must be a whole number; got 1.5"):
        cls(1.5).fit([[0], [1], [2]], y)
    with pytest.raises(ValueError, match="weights must be one of 'uniform', 'distance'; got 'near'"):
        cls(1, weights="near").fit([[0], [1], [2]], y)
    with pytest.raises(ValueError, match="metric must be one of"):
        cls(1, metric="l2").fit([[0], [1], [2]], y)
    with pytest.raises(ValueError, match="Change the unit of X"):
        cls(1).fit([[0], [1e200], [2]], y)
    with pytest.raises(ValueError, match="a distance in X leaves the range"):
        cls(1).fit([[0], [1], [2]], y).predict([[1e200]])


def test_messages_of_the_classifier():
    with pytest.raises(ValueError, match="must be called with two sets of points.*got 'rbf'"):
        KNNClassifier(1, "rbf").fit(FIVE, COLOURS)
    with pytest.raises(ValueError, match="a kernel brings its own distance; leave out metric='manhattan'"):
        KNNClassifier(1, linear_kernel, metric="manhattan").fit(FIVE, COLOURS)


def test_messages_of_the_targets():
    with pytest.raises(ValueError, match=r"y must have shape \(n,\) or \(n, q\); got \(1, 1, 1\)"):
        KNNRegressor(1).fit([[0]], [[[1]]])


# --- every k at once, leave-one-out ----------------------------------------------------------------------------


@pytest.mark.parametrize("metric", ["euclidean", "manhattan"])
def test_predictions_by_k_are_those_of_the_classifier(metric):
    X, y, _ = sample(40, classes=4)
    Q = sample(25, seed=1)[0]
    table = predictions_by_k(X, y, Q, metric=metric)
    assert table.shape == (40, 25)
    for k in range(1, 41):
        assert np.array_equal(table[k - 1], KNNClassifier(k, metric=metric).fit(X, y).predict(Q))


def test_leave_one_out_for_free_is_leave_one_out():
    X, y, _ = sample(45)
    X[7] = X[3]  # a twin: leaving a point out must not leave its twin out
    table = predictions_by_k(X, y)
    assert table.shape == (44, 45)
    for k in (1, 2, 6, 44):
        said = cross_val_predict(KNeighborsClassifier(k, algorithm="brute"), X, y, cv=LeaveOneOut())
        assert np.array_equal(table[k - 1], said)


def test_messages_of_predictions_by_k():
    with pytest.raises(ValueError, match="queries must have 1 features, as in fit; got 2"):
        predictions_by_k(LINE, STEP, [[1, 2]])
    with pytest.raises(ValueError, match="metric must be one of"):
        predictions_by_k(LINE, STEP, metric=2)


# --- local regressions -----------------------------------------------------------------------------------------


def test_two_regressions_of_the_notes():
    """W3-06: x = 0..3, t = x^2, query 1.5: the kernel mean 3.037883, two neighbours 2.5."""
    assert NadarayaWatson(1.0).fit(*SQUARES).predict([[1.5]])[0] == pytest.approx(3.037883, abs=5e-7)
    assert KNNRegressor(2).fit(*SQUARES).predict([[1.5]])[0] == 2.5


@pytest.mark.parametrize(("tau", "value"), [(0.1, 2.2600), (0.3, 2.3246), (100, 1.4002)])
def test_locally_weighted_regression_of_the_notes(tau, value):
    """W8: y = x^2 on 41 points of [-2, 2], query 1.5; the global line says 1.4."""
    x = np.linspace(-2, 2, 41)[:, None]
    assert LocallyWeightedRegression(tau).fit(x, x[:, 0] ** 2).predict([[1.5]])[0] == pytest.approx(value, abs=5e-5)
    assert LinearRegression().fit(x, x[:, 0] ** 2).predict([[1.5]])[0] == pytest.approx(1.4)


def test_a_line_through_three_neighbours():
    """W22: slope 4, intercept -3.333, value 6.2667 at 2.4."""
    x = np.arange(5.0)[:, None]
    model = LocallyWeightedRegression(k=3).fit(x, x[:, 0] ** 2)
    slope, intercept = model.coefficients([[2.4]])
    assert (slope[0, 0], intercept[0]) == pytest.approx((4, -10 / 3))
    assert model.predict([[2.4]])[0] == pytest.approx(6.2667, abs=5e-5)


def test_weighted_normal_equations():
    """(14.14) solved directly, at each query."""
    X, _, t = sample()
    Q, A = sample(20, seed=1)[0], np.column_stack([X, np.ones(80)])
    model = LocallyWeightedRegression(2.5).fit(X, t)
    slopes, intercepts = model.coefficients(Q)
    for q, said, w, b in zip(Q, model.predict(Q), slopes, intercepts):
        k = np.exp(-((X - q) ** 2).sum(axis=1) / (2 * 2.5**2))
        v = np.linalg.solve(A.T @ (k[:, None] * A), A.T @ (k * t))
        assert np.append(w, b) == pytest.approx(v, rel=1e-7)
        assert said == pytest.approx(np.append(q, 1) @ v, rel=1e-8)


def test_a_wide_bandwidth_is_one_global_answer():
    X, _, t = sample()
    assert LocallyWeightedRegression(1e6).fit(X, t).predict(X) == pytest.approx(LinearRegression().fit(X, t).predict(X))
    assert LocallyWeightedRegression(k=80).fit(X, t).predict(X) == pytest.approx(
        LinearRegression().fit(X, t).predict(X)
    )
    assert NadarayaWatson(1e6).fit(X, t).predict(X) == pytest.approx(np.full(80, t.mean()))
    assert KNNRegressor(80).fit(X, t).predict(X) == pytest.approx(np.full(80, t.mean()))


def test_a_narrow_bandwidth_is_the_nearest_point_even_far_away():
    X, _, t = sample()
    Q = np.vstack([X, X + 1e4])
    nearest_point = KNNRegressor(1).fit(X, t).predict(Q)
    assert NadarayaWatson(1e-6).fit(X, t).predict(Q) == pytest.approx(nearest_point)
    assert np.isfinite(LocallyWeightedRegression(1e-6).fit(X, t).predict(Q)).all()


def test_lines_stay_lines():
    """Local lines reproduce every plane, at the edge too; local means do not."""
    X, Q = sample()[0], 2 * sample(30, seed=4)[0]
    plane = lambda P: P @ [2.0, -0.5, 3.0] + 7  # noqa: E731
    for model in (LocallyWeightedRegression(3.0), LocallyWeightedRegression(k=9), LocallyWeightedRegression(3.0, 12)):
        assert model.fit(X, plane(X)).predict(Q) == pytest.approx(plane(Q), rel=1e-6, abs=1e-6)
    assert np.abs(NadarayaWatson(0.5).fit(X, plane(X)).predict(Q) - plane(Q)).max() > 1


def test_points_that_do_not_spread_give_no_slope():
    model = LocallyWeightedRegression(1.0).fit([[2, 5], [2, 7], [2, 9]], [1, 2, 3])
    assert model.predict([[2, 8], [50, 8]]) == pytest.approx([2.5, 2.5])
    assert LocallyWeightedRegression(k=1).fit([[0], [1]], [3, 4]).predict([[0.2], [9]]).tolist() == [3, 4]


def test_the_kernel_mean_is_the_best_constant():
    X, _, t = sample()
    model, q = NadarayaWatson(1.3).fit(X, t), X[:5] + 0.1
    assert model.weights(q).sum(axis=1) == pytest.approx(np.ones(5))
    for w, c in zip(model.weights(q), model.predict(q)):
        costs = [w @ (t - c - shift) ** 2 for shift in (-1e-3, 0, 1e-3)]
        assert costs[1] < min(costs[0], costs[2])


def test_several_outputs_are_one_at_a_time():
    X, _, t = sample()
    T = np.column_stack([t, X[:, 1] ** 2])
    for make in (lambda: KNNRegressor(4), lambda: NadarayaWatson(0.8), lambda: LocallyWeightedRegression(0.8, 30)):
        both = make().fit(X, T).predict(X[:7])
        each = [make().fit(X, column).predict(X[:7]) for column in T.T]
        assert both == pytest.approx(np.column_stack(each))
    with pytest.raises(ValueError, match="coefficients are for one output; y has 2"):
        LocallyWeightedRegression().fit(X, T).coefficients(X)


@pytest.mark.parametrize("make", [NadarayaWatson, LocallyWeightedRegression])
def test_leaving_out_costs_one_division(make):
    """(14.15): t - y(-n) = (t - y) / (1 - S_nn) for a linear smoother; S by predicting unit vectors."""
    X, _, t = sample(40, 1)
    S = make(0.8).fit(X, np.eye(40)).predict(X)
    quick = (t - S @ t) / (1 - np.diag(S))
    slow = [t[n] - make(0.8).fit(np.delete(X, n, 0), np.delete(t, n)).predict(X[n : n + 1])[0] for n in range(40)]
    assert quick == pytest.approx(slow, rel=1e-6)


def test_one_division_leaves_a_mean_of_k_with_one_neighbour_less():
    """For the mean of K, (14.15) is leave-one-out with K - 1: the next neighbour does not come in."""
    X, _, t = sample(40, 1)
    S = KNNRegressor(6).fit(X, np.eye(40)).predict(X)
    quick = (t - S @ t) / (1 - np.diag(S))
    for k, same in ((5, True), (6, False)):
        said = [KNNRegressor(k).fit(np.delete(X, n, 0), np.delete(t, n)).predict(X[n : n + 1])[0] for n in range(40)]
        assert np.allclose(quick, t - said) == same


def test_the_stored_runs_are_what_the_code_gives():
    """One split of the digits without softmax regression, and one curve, are computed again."""
    kept, digits = twenty_runs(), datasets.digits()
    assert list(kept) == [*DIGITS, *CURVE]
    assert all(len(column) == RUNS for column in kept.values())
    split = train_test_split(digits.X / 16, digits.y, test_size=0.5, rng=2)
    assert neighbours_of(split) == pytest.approx([kept[name][2] for name in DIGITS[3:]], abs=1e-4)
    assert np.mean(split.y_test != np.bincount(split.y_train).argmax()) == pytest.approx(kept["majority"][2], abs=1e-4)
    assert curve_run(1) == pytest.approx([kept[name][1] for name in CURVE], abs=1e-3)


def test_messages_of_the_local_regressions():
    with pytest.raises(ValueError, match="bandwidth must be greater than 0; got 0"):
        NadarayaWatson(0).fit(*SQUARES)
    with pytest.raises(ValueError, match="tau must be greater than 0; got -1"):
        LocallyWeightedRegression(-1).fit(*SQUARES)
    with pytest.raises(ValueError, match=r"k must be at most 4 \(there are no more samples\); got 5"):
        LocallyWeightedRegression(k=5).fit(*SQUARES)
    with pytest.raises(ValueError, match="one entry per row of X: 4 rows, but y has 3"):
        LocallyWeightedRegression().fit(SQUARES[0], [1, 2, 3])


def test_bias_and_variance_of_a_mean_of_neighbours():
    """(14.5) against 4,000 simulated data sets: noise variance / K, and the squared gap of the neighbours' mean."""
    rng = np.random.default_rng(0)
    x = np.sort(rng.uniform(0, 1, 40))[:, None]
    f = np.sin(2 * np.pi * x[:, 0])
    T = f[:, None] + 0.3 * rng.normal(size=(40, 4000))
    for k in (1, 5, 20):
        said = KNNRegressor(k).fit(x, T).predict([[0.3]])[0]
        near = KNNRegressor(k).fit(x, f).predict([[0.3]])[0]
        assert said.mean() == pytest.approx(near, abs=4 * 0.3 / np.sqrt(k * 4000))
        assert said.var() == pytest.approx(0.09 / k, rel=0.1)


# --- the tree --------------------------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 4), st.integers(1, 9))
def test_the_tree_finds_what_brute_force_finds(seed, d, k):
    rng = np.random.default_rng(seed)
    X, Q = rng.integers(0, 8, (60, d)).astype(float), rng.integers(0, 8, (5, d)).astype(float)
    tree = KDTree(X)
    for q in Q:
        found = tree.query(q, k)
        assert np.array_equal(found.index, nearest(distances(q[None], X), k)[0])
        assert np.allclose(found.distance, cKDTree(X).query(q, k)[0])
        assert k <= found.visited <= 60


def test_the_tree_saves_work_in_the_plane_and_none_in_twenty_dimensions():
    rng = np.random.default_rng(0)
    visited = []
    for d in (2, 20):
        tree = KDTree(rng.uniform(size=(1000, d)))
        visited.append(np.mean([tree.query(q).visited for q in rng.uniform(size=(30, d))]))
    assert visited[0] < 50
    assert visited[1] > 900


def test_messages_of_the_tree():
    tree = KDTree(FIVE)
    with pytest.raises(ValueError, match="x must have 2 features, as the tree has; got 3"):
        tree.query([1, 2, 3])
    with pytest.raises(ValueError, match=r"k must be at most 5 \(the tree has no more points\); got 6"):
        tree.query([1, 2], 6)


# --- as a client of scikit-learn, and the card ------------------------------------------------------------------


def test_choosing_k_with_the_scaler_inside_the_fold():
    wine = datasets.wine()
    grid = {"knnclassifier__k": [1, 5, 15]}
    ours = GridSearchCV(make_pipeline(StandardScaler(), KNNClassifier()), grid, cv=5).fit(wine.X, wine.y)
    theirs = GridSearchCV(
        make_pipeline(StandardScaler(), KNeighborsClassifier()), {"kneighborsclassifier__n_neighbors": [1, 5, 15]}, cv=5
    ).fit(wine.X, wine.y)
    assert np.allclose(ours.cv_results_["mean_test_score"], theirs.cv_results_["mean_test_score"])


def test_cross_validation_scores_are_scikit_learns():
    X, _, t = sample()
    assert cross_val_score(KNNRegressor(), X, t, cv=4) == pytest.approx(
        cross_val_score(KNeighborsRegressor(), X, t, cv=4)
    )


def test_card_translation_to_scikit_learn():
    """k is n_neighbors; weights and metric have the same words; a kernel goes in as a metric."""
    X, y, t = sample(60, 2)
    Q = sample(30, 2, seed=1)[0]
    k = polynomial_kernel(2)
    theirs = KNeighborsClassifier(5, metric=lambda a, b: np.sqrt(kernel_distance(a, b, k)), algorithm="brute")
    assert np.array_equal(KNNClassifier(5, k).fit(X, y).predict(Q), theirs.fit(X, y).predict(Q))
    for weights, metric in itertools.product(("uniform", "distance"), ("euclidean", "manhattan", "chebyshev")):
        ours = KNNClassifier(7, weights=weights, metric=metric).fit(X, y).predict(Q)
        theirs = KNeighborsClassifier(n_neighbors=7, weights=weights, metric=metric).fit(X, y).predict(Q)
        assert np.array_equal(ours, theirs)
    # Nadaraya-Watson is scikit-learn's regressor with all neighbours and Gaussian weights
    gauss = KNeighborsRegressor(60, weights=lambda d: np.exp(-(d**2) / (2 * 0.9**2))).fit(X, t)
    assert NadarayaWatson(0.9).fit(X, t).predict(Q) == pytest.approx(gauss.predict(Q), rel=1e-9)
    # far from all data its weights underflow to 0/0; ours answer with the nearest
    far = X[:1] + 1e4
    with np.errstate(invalid="ignore"):
        assert np.isnan(gauss.predict(far)).all()
    assert NadarayaWatson(0.9).fit(X, t).predict(far) == pytest.approx(KNNRegressor(1).fit(X, t).predict(far))


# --- errata ----------------------------------------------------------------------------------------------------


def test_erratum_s0_e74():
    """Too many neighbours do harm by smoothing, not by cost: with K = N one class answers for all."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(100, 2)), np.repeat([0, 1], [60, 40])
    X[y == 1] += 3
    queries = rng.normal(size=(50, 2)) + 3 * rng.integers(0, 2, (50, 1))
    assert set(KNNClassifier(100).fit(X, y).predict(queries).tolist()) == {0}
    assert set(KNNClassifier(5).fit(X, y).predict(queries).tolist()) == {0, 1}


def test_erratum_s0_e75():
    """t = x^2 at 0..3, query 0.9: without weights 1.7, with weights (tau = 0.5) 1.031069, truth 0.81."""
    assert LocallyWeightedRegression(k=4).fit(*SQUARES).predict([[0.9]])[0] == pytest.approx(1.7)
    assert LocallyWeightedRegression(0.5).fit(*SQUARES).predict([[0.9]])[0] == pytest.approx(1.031069, abs=5e-7)


def test_erratum_s1_e19():
    """The printed square of a vector is no number; its squared length is: x = (1, 2), x_i = (0, 1), tau = 1."""
    x, x_i = np.array([1.0, 2.0]), np.array([0.0, 1.0])
    assert ((x - x_i) ** 2).shape == (2,)
    W = NadarayaWatson(1.0).fit([x_i, x], [0, 1]).weights([x])[0]
    assert W[0] / W[1] == pytest.approx(0.36788, abs=5e-6)
    with pytest.raises(ValueError, match="tau must be greater than 0"):
        LocallyWeightedRegression(-1.0).fit([x_i, x], [0, 1])


def test_erratum_s3_e3_43():
    """Several outputs, not several classes, are regressed; a larger k raises the bias: k = N says 3.5 everywhere."""
    x, t = SQUARES
    assert KNNRegressor(4).fit(x, t).predict([[0], [1.5], [3]]).tolist() == [3.5] * 3
    assert KNNRegressor(2).fit(x, np.column_stack([t, -t])).predict([[1.5]]).tolist() == [[2.5, -2.5]]


def test_erratum_s4_f31():
    """The neighbours are those of the query: the answers at 1.4 and at 8.6 differ."""
    model = KNNClassifier(3).fit(LINE, STEP)
    assert model.neighbors([[1.4], [8.6]])[0].tolist() == [[1, 2, 0], [4, 3, 2]]


def test_erratum_s4_f32():
    """Fewer data are cheaper but worse: the error falls towards the Bayes error as n grows."""
    rng = np.random.default_rng(0)
    centres = np.array([[0.0, 0.0], [1.5, 0.0]])

    def draw(n):
        y = rng.integers(0, 2, n)
        return rng.normal(size=(n, 2)) + centres[y], y

    X_test, y_test = draw(4000)
    errors = []
    for n in (10, 100, 1000):
        runs = [KNNClassifier(max(1, int(n**0.5) // 2 * 2 - 1)).fit(*draw(n)).score(X_test, y_test) for _ in range(5)]
        errors.append(1 - np.mean(runs))
    assert errors[0] > errors[1] > errors[2]
    assert errors[2] == pytest.approx(0.227, abs=0.02)


def test_erratum_s4_f33():
    """A local regression without weights on the k nearest is another method than the weighted one."""
    x, t = SQUARES
    plain, weighted = (LocallyWeightedRegression(tau, 3).fit(x, t).predict([[0.9]])[0] for tau in (None, 0.5))
    assert abs(plain - weighted) > 0.1


@pytest.mark.parametrize(
    ("name", "at", "words"),
    [
        (
            "neighbor_count",
            {**MOONS, "k": 1},
            "training error **0.000**, on new points **0.195**, leave-one-out **0.140**",
        ),
        ("neighbor_count", {**MOONS, "k": 3}, "training error **0.099**"),
        ("neighbor_count", {**MOONS, "k": 21}, "on new points **0.122**"),
        ("neighbor_count", {**MOONS, "k": 61}, "on new points **0.184**"),
        (
            "neighbor_count",
            {**MOONS, "k": 119},
            "leave-one-out **0.636**. Least leave-one-out error up to here: at K = 4, where",
        ),
        ("neighbor_count", {**MOONS, "k": 121}, "on new points **0.500**, and no leave-one-out"),
        ("neighbor_count", {**MOONS, "k": 121}, "at K = 4, where new points cost 0.145."),
        ("feature_scale", {"s": 1e-4}, "**0.213** (38 of 178 wines)"),
        ("feature_scale", {"s": 10**-2.5}, "both features **spread alike**"),
        ("feature_scale", {"s": 10**-2.5}, "**0.112** (20 of 178 wines)"),
        ("feature_scale", {"s": 10**-1.75}, "**0.096**"),
        ("feature_scale", {"s": 1.0}, "**0.298** (53 of 178 wines)"),
        ("feature_scale", {"s": 1.0, "metric": "manhattan"}, "**0.303**"),
        ("feature_scale", {"s": 1.0, "metric": "chebyshev"}, "**0.326**"),
        ("useless_features", {"d": 0}, "**0.23** away on average. Error on new points **0.096**"),
        ("useless_features", {"d": 10}, "**1.01** away on average. Error on new points **0.380**"),
        ("useless_features", {"d": 10, "n": 400}, "**0.320**; with no noise feature it is 0.030."),
        (
            "useless_features",
            {},
            "**1.01** away on average. Error on new points **0.380**; with no noise feature it is 0.096",
        ),
        ("useless_features", {"d": 60, "k": 1}, "**0.474**"),
        ("useless_features", {"d": 60, "k": 5}, "**0.462**"),
        ("useless_features", {"d": 60, "k": 15}, "**0.496**"),
        ("useless_features", {"d": 0, "k": 15}, "**0.214**"),
        ("local_regressions", {"tau": 0.05, "k": 8, "x0": 0.0}, "they say 0.67, 0.62, 0.22; the truth is 0.00"),
        ("local_regressions", {"tau": 0.05, "k": 8, "x0": 1.0}, "they say 2.33, 2.58, 3.58; the truth is 2.41"),
        ("local_regressions", {"tau": 0.05, "k": 8}, "Nadaraya-Watson **0.170**, weighted line **0.205**"),
        ("local_regressions", {"tau": 0.05 * 10**0.1, "k": 8}, "Nadaraya-Watson **0.196**, weighted line **0.154**"),
        (
            "local_regressions",
            {"tau": 0.005, "k": 1},
            "K **0.347**, Nadaraya-Watson **0.289**, weighted line **2.703**",
        ),
    ],
)
def test_numbers_of_the_folded_answers(name, at, words):
    scene = made(name)
    assert words in scene.describe(scene.compute(**at))


def test_the_valley_of_figure_14_4():
    """From K = 3 to 43 the moons' error on new points is 0.12 to 0.15; the clouds' is at most 0.175 from 5 to 115."""
    errors = made("neighbor_count").compute(k=121, **MOONS)[-1][1]
    assert 0.115 <= errors[2:43].min()
    assert errors[2:43].max() <= 0.15
    assert made("neighbor_count").compute(k=121, world="two clouds")[-1][1][4:115].max() <= 0.175


def test_wines_of_section_14_6_1():
    flavanoids, proline = datasets.wine().X[:, [6, 12]].T
    assert 1.7 < 1.8 / flavanoids.std() < 2
    assert 7.5 < proline.std() / 40 < 8.5
    assert distances([[2.5, 840]], [[0.7, 842], [2.4, 880]]).round(1).tolist() == [[2.7, 40.0]]
    assert distances([[2.5, 0.84]], [[0.7, 0.842], [2.4, 0.88]]).round(2).tolist() == [[1.8, 0.11]]

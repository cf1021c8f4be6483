"""Chapter 21: k-means, mixtures and EM against scikit-learn, closed forms and numbers worked by hand."""

import itertools
import re
import warnings
from functools import partial

import numpy as np
import pytest
import scipy.cluster.hierarchy
import sklearn.cluster
import sklearn.metrics
import sklearn.mixture
from explorers import made
from hypothesis import given, settings
from hypothesis import strategies as st

from mlteach import datasets
from mlteach.clustering import (
    GaussianMixture,
    KMeans,
    adjusted_rand,
    agglomerate,
    elbow,
    em_bound,
    kmeans_plus_plus,
    merge_tree,
    one_mean_em,
    one_mean_log_joint,
    random_centers,
    silhouette,
    silhouette_values,
)
from mlteach.clustering._covariances import Shape, _surely_above
from mlteach.clustering._normals import log_normals
from mlteach.clustering.fifty import COLUMNS, SPLITS, WAYS, asked_for, fifty_labels
from mlteach.clustering.mixture import e_step, m_step
from mlteach.clustering.squares import nearest
from mlteach.explore.clustering import EM_STARTS, NEAR, NEAR_START, SETS, TILTED
from mlteach.nearest_neighbors import KNNClassifier
from mlteach.probability import kl_divergence, multivariate_normal_pdf, normal_pdf
from mlteach.validation import ConvergenceWarning

SEVEN = np.array([[1.0], [2], [3], [8], [9], [10], [25]])
RECTANGLE = np.array([[0.0, 0], [0, 1], [4, 0], [4, 1]])
SIX = np.array([[0.0], [1], [2], [8], [9], [10]])
FOUR = np.array([[0.0], [1], [4], [5]])


def clouds(n=120, d=3, k=4, seed=0):
    """Stretched, tilted clouds of unequal size; no covariance is a unit matrix."""
    rng = np.random.default_rng(seed)
    z = rng.choice(k, n, p=np.arange(1, k + 1) / (k * (k + 1) / 2))
    roots = rng.normal(size=(k, d, d)) * 0.8
    return rng.normal(size=(k, d))[z] * 4 + np.einsum("nij,nj->ni", roots[z], rng.normal(size=(n, d)))


def quietly(call, *args, **kwargs):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return call(*args, **kwargs)


def distortion(X, z):
    return sum(np.square(X[z == k] - X[z == k].mean(axis=0)).sum() for k in np.unique(z))


# --- k-means ---------------------------------------------------------------------------------------------------


def test_worked_example():
    """W35 of S0: the start decides between 196 and 77.5."""
    model = KMeans(2, init=[[1.0], [2.0]]).fit(SEVEN)
    assert [step.distortion for step in model.history_] == [679, 248, 196]
    assert model.centers_.ravel().tolist() == [2, 13]
    model = KMeans(2, init=[[1.0], [25.0]]).fit(SEVEN)
    assert (model.centers_.ravel().tolist(), model.distortion_) == ([5.5, 25], 77.5)
    assert KMeans(2).fit(SEVEN).distortion_ == 77.5


def test_rectangle_and_six_points():
    """W35 of S1, and the rectangle of both."""
    assert KMeans(2, init=[[0.0, 0.5], [4, 0.5]]).fit(RECTANGLE).distortion_ == 1
    assert KMeans(2, init=[[2.0, 0], [2, 1]]).fit(RECTANGLE).distortion_ == 16
    model = KMeans(2, init=[[1.0], [2.0]]).fit([[1.0], [2], [4], [5], [11], [12]])
    halves = [step.half for step in model.history_[1:]]
    assert halves[:4] == pytest.approx([78.8, 50.5, 100 / 3, 10.5])
    assert model.centers_.ravel().tolist() == pytest.approx([3, 11.5])


@pytest.mark.parametrize("d", [1, 2, 5, 20])
@pytest.mark.parametrize("k", [1, 2, 4, 7])
def test_agrees_with_scikit_learn_from_the_same_start(d, k):
    X = clouds(90, d)
    start = X[:k] + 0.01
    ours = quietly(KMeans(k, init=start).fit, X)
    theirs = sklearn.cluster.KMeans(k, init=start, n_init=1, tol=0, algorithm="lloyd").fit(X)
    assert np.array_equal(ours.labels_, theirs.labels_)
    assert np.allclose(ours.centers_, theirs.cluster_centers_)
    assert ours.distortion_ == pytest.approx(theirs.inertia_)
    assert np.array_equal(ours.predict(X + 0.3), theirs.predict(X + 0.3))
    assert ours.score(X) == pytest.approx(theirs.score(X))


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), n=st.integers(3, 40), k=st.integers(1, 8), whole=st.booleans())
def test_distortion_never_rises_and_the_end_is_a_fixed_point(seed, n, k, whole):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, (n, 2)).astype(float) if whole else rng.normal(size=(n, 2)) * [3, 1]
    k = min(k, n)
    model = quietly(KMeans(k, init="random", rng=seed, n_init=1).fit, X)
    steps = model.history_
    slack = 1e-9 * (1 + steps[0].distortion)
    for before, after in itertools.pairwise(steps):
        assert before.distortion + slack >= after.half >= after.distortion - slack
    assert model.converged_
    assert model.distortion_ == pytest.approx(distortion(X, model.labels_), abs=1e-9)
    assert np.array_equal(model.predict(X), model.labels_)
    distinct = len(np.unique(X, axis=0))
    assert len(np.unique(model.labels_)) == min(k, distinct)


@pytest.mark.slow
def test_best_of_several_starts_is_near_the_optimum_by_enumeration():
    X = clouds(10, 2, 3, seed=4)
    best = min(distortion(X, np.array(z)) for z in itertools.product(range(3), repeat=10) if len(set(z)) == 3)
    assert KMeans(3, n_init=30).fit(X).distortion_ == pytest.approx(best)


def test_restarts_never_do_worse():
    X = clouds(80, 2, 4)
    ends = [KMeans(6, init="random", rng=0, n_init=n).fit(X).distortion_ for n in (1, 3, 10)]
    assert ends[0] >= ends[1] >= ends[2]


def test_an_empty_cluster_is_moved_to_the_farthest_point():
    model = KMeans(3, init=[[0.0], [5.0], [1000.0]]).fit(SEVEN)
    assert len(np.unique(model.labels_)) == 3
    assert 25 in model.centers_
    assert model.distortion_ == pytest.approx(4)


def test_more_clusters_than_different_points():
    X = np.array([[1.0, 2]] * 5 + [[3.0, 3]] * 4)
    with pytest.warns(ConvergenceWarning, match="only 2 different rows for k=4: 2 of the .* Take k=2"):
        model = KMeans(4).fit(X)
    assert model.distortion_ == 0
    with pytest.warns(ConvergenceWarning, match="only 1 different"):
        assert KMeans(2).fit(np.ones((6, 2))).distortion_ == 0


def test_as_many_clusters_as_points():
    X = clouds(12)
    model = KMeans(12).fit(X)
    assert model.distortion_ == 0
    assert sorted(model.labels_) == list(range(12))


def test_far_from_the_origin():
    X = clouds(60, 2)
    near, far = KMeans(4).fit(X), KMeans(4).fit(X + 1e7)
    assert np.array_equal(near.labels_, far.labels_)
    assert near.distortion_ == pytest.approx(far.distortion_, rel=1e-6)


def test_twenty_thousand_points():
    X = clouds(20_000, 2)
    assert KMeans(5).fit(X).converged_
    assert -1 < silhouette(X[:5000], KMeans(5).fit(X[:5000]).labels_) < 1


def test_messages_of_kmeans():
    for params, words in (
        ({"k": 8}, r"k must be at most 7 \(X has 7 rows"),
        ({"k": 0}, "k must be at least 1"),
        ({"k": 2.0}, "whole number"),
        ({"init": "best"}, "init must be one of 'k-means\\+\\+', 'random'"),
        ({"k": 2, "init": [[1.0], [2], [3]]}, r"one row per centre, shape \(2, 1\); got \(3, 1\)"),
        ({"n_init": 0}, "n_init must be at least 1"),
        ({"max_iter": 0}, "max_iter"),
        ({"tol": -1.0}, "tol must be at least 0"),
        ({"init": len}, "array of centres"),
    ):
        with pytest.raises(ValueError, match=words):
            KMeans(**params).fit(SEVEN)
    with pytest.warns(ConvergenceWarning, match="max_iter=1"):
        KMeans(2, init=[[1.0], [2.0]], max_iter=1).fit(SEVEN)


def test_tolerance_stops_early():
    X = clouds(300, 2)
    long, short = (KMeans(6, init=X[:6], tol=tol).fit(X) for tol in (0, 0.05))
    assert short.n_iter_ < long.n_iter_
    assert short.converged_
    assert short.distortion_ >= long.distortion_


# --- starts ----------------------------------------------------------------------------------------------------


def test_probabilities_of_the_second_centre():
    """From 1 the points 0, 4, 10 are drawn with probabilities 1, 9 and 81 over 91."""
    X = np.array([[0.0], [1], [4], [10]])
    draws = [kmeans_plus_plus(X, 2, rng).ravel().tolist() for rng in range(4000)]
    second = [b for a, b in draws if a == 1]
    shares = np.array([second.count(x) / len(second) for x in (0, 4, 10)])
    assert np.allclose(shares, np.array([1, 9, 81]) / 91, atol=0.03)
    assert 1 not in second


def test_plus_plus_chooses_different_points_while_there_are_any():
    X = np.repeat([[0.0], [3], [7]], 5, axis=0)
    for seed in range(20):
        assert sorted(kmeans_plus_plus(X, 3, seed).ravel()) == [0, 3, 7]
        assert set(kmeans_plus_plus(X, 5, seed).ravel()) == {0, 3, 7}
        assert len(random_centers(X, 4, seed)) == 4


def test_one_centre_drawn_from_a_cluster_costs_twice_its_optimum():
    X = clouds(30, 2, 1)
    costs = [np.square(X - x).sum() for x in X]
    assert np.mean(costs) == pytest.approx(2 * np.square(X - X.mean(axis=0)).sum())


def test_plus_plus_keeps_its_promise_on_average():
    X = clouds(60, 2, 4, seed=2)
    best = KMeans(4, n_init=50).fit(X).distortion_
    starts = [KMeans(4, init=kmeans_plus_plus(X, 4, s), max_iter=300).fit(X).history_[0].distortion for s in range(300)]
    assert best <= np.mean(starts) <= 8 * (np.log(4) + 2) * best


# --- choosing K ------------------------------------------------------------------------------------------------


def test_silhouette_agrees_with_scikit_learn():
    X = clouds(100)
    for k in (2, 4, 9):
        labels = KMeans(k).fit(X).labels_
        assert np.allclose(silhouette_values(X, labels), sklearn.metrics.silhouette_samples(X, labels), atol=1e-9)
        names = np.array(list("abcdefghi"))[labels]
        assert silhouette(X, names) == pytest.approx(sklearn.metrics.silhouette_score(X, labels))


def test_silhouette_of_lonely_and_equal_points():
    X = np.array([[0.0], [0], [5], [5], [9]])
    assert silhouette_values(X, [0, 0, 1, 1, 2]).tolist() == [1, 1, 1, 1, 0]
    assert silhouette_values(np.zeros((4, 1)), [0, 0, 1, 1]).tolist() == [0, 0, 0, 0]
    for labels, words in (([0] * 5, "at least 2 classes"), (range(5), "every point is alone"), ([0, 1], "5 rows")):
        with pytest.raises(ValueError, match=words):
            silhouette(X, list(labels))


def test_elbow_never_rises():
    X = clouds(150, 2)
    J = elbow(X, range(1, 12))
    assert (np.diff(J) <= 1e-9).all()
    assert J[0] == pytest.approx(np.square(X - X.mean(axis=0)).sum())
    assert elbow(X, [3, 1])[1] == pytest.approx(J[0])
    assert elbow(np.ones((5, 2)), [1, 3]).tolist() == [0, 0]
    with pytest.raises(ValueError, match="ks must be at most 150"):
        elbow(X, [151])
    with pytest.raises(ValueError, match="ks is empty"):
        elbow(X, [])


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), n=st.integers(1, 30))
def test_adjusted_rand_agrees_with_scikit_learn(seed, n):
    a, b = np.random.default_rng(seed).integers(0, 4, (2, n))
    assert adjusted_rand(a, b) == pytest.approx(sklearn.metrics.adjusted_rand_score(a, b))


def test_adjusted_rand_wants_the_same_things():
    with pytest.raises(ValueError, match="a has 2 labels, b has 3"):
        adjusted_rand([0, 1], [0, 1, 1])


@pytest.mark.parametrize("linkage", ["single", "complete", "average", "ward"])
def test_merging_agrees_with_scikit_learn(linkage):
    X = clouds(60, 2)
    for k in (1, 3, 6, 60):
        theirs = sklearn.cluster.AgglomerativeClustering(k, linkage=linkage).fit(X).labels_
        assert adjusted_rand(agglomerate(X, k, linkage), theirs) == 1
    moons = datasets.moons(200, noise=0.05)
    assert adjusted_rand(agglomerate(moons.X, 2), moons.y) == 1
    with pytest.raises(ValueError, match="linkage must be one of"):
        agglomerate(X, 2, "centroid")


@pytest.mark.parametrize("linkage", ["single", "complete", "average", "ward"])
def test_heights_of_the_merge_tree_agree_with_scipy(linkage):
    X = clouds(40, 3)
    heights = sorted(merge.height for merge in merge_tree(X, linkage))
    assert heights == pytest.approx(scipy.cluster.hierarchy.linkage(X, linkage)[:, 2])


def test_ward_merges_what_raises_j_least():
    """Half the square of a height is what the merge adds to J."""
    merges = merge_tree(SEVEN, "ward")
    J = [np.square(SEVEN - KMeans(k, init=[SEVEN[agglomerate(SEVEN, k, "ward") == j].mean(axis=0) for j in range(k)])
                   .fit(SEVEN).centers_[agglomerate(SEVEN, k, "ward")]).sum() for k in range(7, 0, -1)]  # fmt: skip
    assert np.diff(J) == pytest.approx([merge.height**2 / 2 for merge in merges])


def test_greedy_starts_are_better():
    """Sixteen clouds: a greedy start leaves less distortion, as in scikit-learn, whose k-means++ is greedy."""
    grid = 4.0 * np.array([[i, j] for i in range(4) for j in range(4)])
    X = datasets.blobs(320, centers=grid, spread=0.6, rng=3).X
    start = {t: np.mean([nearest(X, kmeans_plus_plus(X, 16, s, t))[1].sum() for s in range(60)]) for t in (1, 4)}
    theirs = {t: np.mean([nearest(X, sklearn.cluster.kmeans_plusplus(X, 16, random_state=s, n_local_trials=t)[0])[1]
                          .sum() for s in range(60)]) for t in (1, 4)}  # fmt: skip
    assert start[4] < 0.7 * start[1]
    for trials in (1, 4):
        assert start[trials] == pytest.approx(theirs[trials], rel=0.2)
    with pytest.raises(ValueError, match="trials"):
        kmeans_plus_plus(X, 2, trials=0)


def test_the_stored_splits_are_what_the_code_gives():
    """The columns that are quick are computed again for one split: all but softmax regression."""
    kept, digits, rng = fifty_labels(), datasets.digits(), np.random.default_rng(2100)
    train, test = np.split(rng.permutation(1797), [1000])
    X, y = digits.X / 16, digits.y
    groups = KMeans(50, rng=rng, n_init=1, history=False).fit(X[train])
    asked = asked_for(X[train], groups, rng)
    assert list(kept) == list(COLUMNS)
    assert all(len(column) == SPLITS for column in kept.values())
    for way, rows in zip(WAYS, asked):
        model = KNNClassifier(1).fit(X[train[rows]], y[train[rows]])
        assert 100 * model.score(X[test], y[test]) == pytest.approx(kept[f"{way}, 1-NN"][0], abs=1e-3)
    mine = y[train[asked[3]]][groups.predict(X[test])] == y[test]
    assert 100 * mine.mean() == pytest.approx(kept["cluster's label"][0], abs=1e-3)


# --- mixtures and EM -------------------------------------------------------------------------------------------


def test_worked_example_of_em():
    """W36 of S0: shares, means and log-likelihoods of the first steps."""
    model = GaussianMixture(2, means=[[1.0], [8.0]], covariances=4.0, tol=1e-12).fit(SIX)
    start = GaussianMixture.from_parameters([0.5, 0.5], [[1.0], [8.0]], 4.0)
    first = [0.999620, 0.997817, 0.987568, 0.002183, 0.000380, 0.000066]
    assert start.responsibilities(SIX)[:, 0] == pytest.approx(first, abs=5e-7)
    likelihoods = [step.log_likelihood for step in model.history_]
    assert likelihoods[:3] == pytest.approx([-14.688691, -11.531637, -11.456119], abs=5e-7)
    assert model.history_[1].means.ravel() == pytest.approx([1.002297, 8.964883], abs=5e-7)
    assert model.means_.ravel() == pytest.approx([1, 9], abs=1e-6)
    assert model.covariances_.ravel() == pytest.approx([2 / 3, 2 / 3], abs=1e-5)


def test_one_step_of_em():
    """W2-11 of S2 and W36 of S1."""
    model = GaussianMixture(2, means=[[0.0], [5.0]], covariances=1.0, tol=1e-12).fit(FOUR)
    assert model.history_[1].means.ravel() == pytest.approx([0.500838, 4.499162], abs=5e-7)
    assert model.history_[1].covariances.ravel() == pytest.approx([0.253353] * 2, abs=5e-7)
    assert model.history_[1].weights == pytest.approx([0.5, 0.5])
    three = [step.log_likelihood for step in model.history_[:3]]
    assert three == pytest.approx([-7.44723, -5.675936, -5.67575], abs=5e-6)
    assert model.covariances_.ravel() == pytest.approx([0.25, 0.25], abs=1e-4)


def test_responsibility_by_hand():
    """Components N(0, 1) and N(4, 1), x = 1."""
    model = GaussianMixture.from_parameters([0.5, 0.5], [[0.0], [4.0]], 1.0)
    assert model.responsibilities([[1.0]])[0] == pytest.approx([0.98201, 0.01799], abs=5e-6)


def test_shares_and_averages_of_the_lecture():
    """(21.7) and (21.14) to (21.16) as they stand, one density and one covariance after the other."""
    X, rng = clouds(70, 3, 2), np.random.default_rng(3)
    theta = np.array([0.3, 0.7]), X[:2], np.array([np.cov(X.T), np.diag([4.0, 1, 2])])
    joint = np.column_stack([w * multivariate_normal_pdf(X, m, S) for w, m, S in zip(*theta)])
    r, l = e_step(X, *theta)
    assert np.allclose(r, joint / joint.sum(axis=1)[:, None], rtol=1e-10, atol=1e-300)
    assert l == pytest.approx(np.log(joint.sum(axis=1)).sum())
    r = rng.dirichlet([1, 2], 70)
    weights, means, covariances = m_step(X, r)
    assert np.allclose(weights, r.mean(axis=0))
    for k in (0, 1):
        assert np.allclose(means[k], np.average(X, axis=0, weights=r[:, k]))
        assert np.allclose(covariances[k], np.cov(X.T, aweights=r[:, k], bias=True))


def test_many_components_at_once_are_the_single_ones():
    X, means = clouds(40_000, 2, 3), clouds(30, 2, 3, seed=1)
    S = np.array([np.diag([1 + k, 2.0]) for k in range(30)])
    L = log_normals(X, means, S)
    for k in (0, 7, 29):
        assert np.allclose(L[:, k], multivariate_normal_pdf(X, means[k], S[k], log=True))


def test_a_mixture_of_given_parameters_answers_as_if_it_had_learned_them():
    X = clouds(80, 2, 3)
    learned = GaussianMixture(3).fit(X)
    given = GaussianMixture.from_parameters(learned.weights_, learned.means_, learned.covariances_)
    for ask in ("responsibilities", "predict", "log_density", "score", "bic"):
        assert np.array_equal(getattr(given, ask)(X), getattr(learned, ask)(X))
    assert np.array_equal(given.sample(5, rng=1)[0], learned.sample(5, rng=1)[0])
    assert given.log_density(X).sum() == pytest.approx(learned.log_likelihood_)
    again = given.fit(X)  # EM goes on from there
    assert again.history_[0].log_likelihood == pytest.approx(learned.log_likelihood_)
    one = GaussianMixture.from_parameters([0.25, 0.75], [[0.0, 0], [1, 1]], [[2.0, 1], [1, 2]])
    assert one.covariances_.tolist() == [[[2, 1], [1, 2]]] * 2
    for args, words in (
        (([0.5, 0.6], [[0.0], [1.0]], 1.0), "weights must sum to one"),
        (([1.0], [[0.0], [1.0]], 1.0), r"one entry per component, shape \(2,\)"),
        (([0.5, 0.5], [0.0, 1.0], 1.0), r"means must have shape"),
        (([0.5, 0.5], [[0.0], [1.0]], 0.0), "covariances must be greater than 0"),
    ):
        with pytest.raises(ValueError, match=words):
            GaussianMixture.from_parameters(*args)


def test_what_the_shapes_allow():
    weights, means = np.array([0.25, 0.75, 0.0]), np.array([[1.0, 2], [3, 4], [9, 9]])
    S = np.array([[[4.0, 2], [2, 2]], [[1.0, 0], [0, 1e-3]], [[7.0, 0], [0, 7]]])
    old = np.full(3, 1 / 3), np.zeros((3, 2)), np.array([np.eye(2)] * 3)
    wanted = {
        "full": [S[0], np.diag([1.0, 0.5])],
        "diagonal": [np.diag([4.0, 2]), np.diag([1.0, 0.5])],
        "spherical": [3 * np.eye(2), 0.5005 * np.eye(2)],
    }
    for name, covariances in wanted.items():
        w, m, C = Shape(name, 0.5).allow((weights, means, S), old)
        assert w.tolist() == [0.25, 0.75, 0]
        assert m.tolist() == [[1, 2], [3, 4], [0, 0]]  # the third has no points: it stays where it was
        assert np.allclose(C, [*covariances, np.eye(2)])
    tied = Shape("tied", 0.5).allow((weights, means, S), old)[2]
    assert np.allclose(tied, [[[1.75, 0.5], [0.5, 0.50075]]] * 3, atol=0.2)
    assert np.linalg.eigvalsh(tied[0]).min() == pytest.approx(0.5)
    w, m, C = Shape("fixed", 0.5).allow((weights, means, S), old)
    assert (w is old[0], C is old[2], m.tolist()) == (True, True, [[1, 2], [3, 4], [0, 0]])
    assert Shape("full", 0.5).floored(np.array([np.eye(2), np.diag([1, 0.5])])).tolist() == [False, True]
    assert Shape("full", 0.5).floored(np.array([np.diag([1, 0.500001])])).tolist() == [False]
    high = np.array([[2.0, 0.9], [0.9, 2.0]])
    assert np.array_equal(Shape("full", 0.5).held(high[None]), high[None])


def test_the_short_cut_in_the_plane_never_passes_a_variance_below_the_floor():
    rng = np.random.default_rng(6)
    roots = rng.normal(size=(2000, 2, 2)) * rng.uniform(0, 1.5, (2000, 1, 1))
    S = roots @ roots.swapaxes(1, 2)
    least, sure = np.linalg.eigvalsh(S).min(axis=1), np.array([_surely_above(one[None], 0.1) for one in S])
    assert (least[sure] > 0.1).all()
    assert sure[least > 0.21].all()  # det / trace is at least half of the smaller eigenvalue
    assert not _surely_above(np.array([np.eye(2), 0.05 * np.eye(2)]), 0.1)  # one is enough


@pytest.mark.parametrize("make", [partial(GaussianMixture, 5), partial(KMeans, 5, "random")])
def test_the_best_of_all_starts_is_kept(make):
    X = clouds(60, 2, 4, seed=5)
    height = lambda model: model.log_likelihood_ if hasattr(model, "weights_") else -model.distortion_  # noqa: E731
    rng = np.random.default_rng(2)
    single = [height(quietly(make(rng=rng, n_init=1).fit, X)) for _ in range(6)]
    assert len(np.unique(np.round(single, 6))) > 2
    best = quietly(make(rng=np.random.default_rng(2), n_init=6).fit, X)
    assert height(best) == pytest.approx(max(single), rel=1e-12)
    assert quietly(make(rng=np.random.default_rng(2), n_init=6, history=False).fit, X).n_iter_ == best.n_iter_


THEIR = {"full": "full", "tied": "tied", "diagonal": "diag", "spherical": "spherical"}


def of_shape(S, shape, k):
    """Return covariances (d, d) for all components as scikit-learn stores the precisions of this shape."""
    P = np.linalg.inv(S)
    return {
        "full": np.array([P] * k), "tied": P, "diagonal": np.array([1 / np.diag(S)] * k),
        "spherical": np.full(k, 1 / np.trace(S) * len(S)),
    }[shape]  # fmt: skip


@pytest.mark.parametrize("shape", list(THEIR))
@pytest.mark.parametrize(("d", "k"), [(1, 2), (2, 3), (4, 3)])
def test_agrees_with_scikit_learn_from_the_same_start_of_em(shape, d, k):
    X = clouds(150, d, k, seed=d)
    start = X[:k] + 0.1
    S = np.cov(X.T, bias=True).reshape(d, d)
    S = S if shape in ("full", "tied") else np.diag(np.diag(S)) if shape == "diagonal" else np.trace(S) / d * np.eye(d)
    for steps in (1, 5, 400):
        ours = quietly(
            GaussianMixture(
                k, covariance=shape, means=start, covariances=S, tol=1e-10, max_iter=steps, floor=1e-12
            ).fit,
            X,
        )
        theirs = sklearn.mixture.GaussianMixture(
            k, covariance_type=THEIR[shape], weights_init=np.full(k, 1 / k), means_init=start, tol=1e-10,
            precisions_init=of_shape(S, shape, k), reg_covar=0, max_iter=steps,
        )  # fmt: skip
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            theirs.fit(X)
        assert np.allclose(ours.means_, theirs.means_, atol=1e-4)
        assert np.allclose(ours.weights_, theirs.weights_, atol=1e-4)
        assert ours.log_likelihood_ == pytest.approx(150 * theirs.score(X), abs=1e-3)
        assert np.allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-3)
        assert ours.bic(X) == pytest.approx(theirs.bic(X), abs=1e-2)


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    k=st.integers(1, 5),
    shape=st.sampled_from(["full", "tied", "diagonal", "spherical"]),
    whole=st.booleans(),
)
def test_likelihood_never_falls(seed, k, shape, whole):
    rng = np.random.default_rng(seed)
    X = clouds(int(rng.integers(6, 60)), 2, 3, seed)
    X = np.round(X) if whole else X  # copies of one point: components collapse, and the floor must hold them
    model = quietly(GaussianMixture(k, rng=seed, covariance=shape, tol=0, max_iter=60).fit, X)
    likelihoods = np.array([step.log_likelihood for step in model.history_])
    assert (np.diff(likelihoods) >= -1e-8 * (1 + np.abs(likelihoods[0]))).all()
    assert np.isfinite(likelihoods).all()
    assert model.weights_.sum() == pytest.approx(1)
    assert np.linalg.eigvalsh(model.covariances_).min() > 0
    assert model.log_density(X).sum() == pytest.approx(model.log_likelihood_, rel=1e-6, abs=1e-6)


def test_bound_touches_at_the_current_parameters_and_lies_below_elsewhere():
    X = clouds(60, 2, 3) / 3
    model = quietly(GaussianMixture(3, tol=0, max_iter=1).fit, X)
    other = quietly(GaussianMixture(3, tol=0, max_iter=1, covariance="spherical").fit, X)
    r = model.responsibilities(X)
    here, there = em_bound(model.log_joint(X), r), em_bound(other.log_joint(X), r)
    assert here.bound == pytest.approx(here.log_likelihood)
    assert here.log_likelihood == pytest.approx(model.log_likelihood_)
    assert there.bound < there.log_likelihood == pytest.approx(other.log_density(X).sum())
    gaps = [kl_divergence(a, b, base=np.e) for a, b in zip(r, other.responsibilities(X))]
    assert there.gap == pytest.approx(sum(gaps))


def test_bound_of_the_worked_example():
    """W38: p(x, z) = (0.06, 0.04)."""
    found = em_bound(np.log([0.06, 0.04]), [0.9, 0.1])
    assert found == pytest.approx((-2.52887, -2.30259, 0.22629), abs=5e-6)
    assert em_bound(np.log([0.06, 0.04]), [0.6, 0.4]).gap == pytest.approx(0, abs=1e-12)
    assert em_bound([[-np.inf, 0.0]], [[0.0, 1.0]]).bound == 0
    assert em_bound([[-np.inf, 0.0]], [[0.5, 0.5]]).bound == -np.inf
    for joint, q, words in (
        ([0.0, 0.0], [0.5, 0.6], "sum to one"),
        ([0.0, 0.0, 0.0], [0.5, 0.5], "one shape"),
        ([np.nan, 0.0], [0.5, 0.5], "finite"),
        ([-np.inf, -np.inf], [0.5, 0.5], "probability 0"),
    ):
        with pytest.raises(ValueError, match=words):
            em_bound(joint, q)


def test_density_and_samples():
    X = clouds(200, 2, 3)
    model = GaussianMixture(3).fit(X)
    parts = [w * multivariate_normal_pdf(X, m, S) for w, m, S in zip(model.weights_, model.means_, model.covariances_)]
    assert np.allclose(np.exp(model.log_density(X)), np.sum(parts, axis=0))
    drawn, labels = model.sample(20_000, rng=3)
    assert np.allclose(np.bincount(labels) / 20_000, model.weights_, atol=0.02)
    for k in range(3):
        assert np.allclose(drawn[labels == k].mean(axis=0), model.means_[k], atol=0.15)
        scale = np.abs(model.covariances_[k]).max()
        assert np.allclose(np.cov(drawn[labels == k].T), model.covariances_[k], atol=0.1 * scale)
    assert np.array_equal(drawn, model.sample(20_000, rng=3)[0])


def test_vanishing_variance_gives_kmeans():
    X = clouds(120, 2, 4)
    hard = KMeans(4, init=X[:4]).fit(X)
    soft = GaussianMixture(4, covariance="fixed", means=X[:4], covariances=1e-4, tol=0).fit(X)
    assert np.array_equal(hard.labels_, soft.labels_)
    assert np.allclose(hard.centers_, soft.means_, atol=1e-6)
    n, d = X.shape
    limit = 1e-4 * (-2 * soft.log_likelihood_ - n * d * np.log(2 * np.pi * 1e-4) - 2 * n * np.log(4))
    assert limit == pytest.approx(hard.distortion_, rel=1e-3)


def test_units_change_nothing_but_units():
    X, scale = clouds(150, 3), np.array([1e-4, 1.0, 1e5])
    for shape in ("full", "tied", "diagonal"):
        a, b = (GaussianMixture(3, covariance=shape).fit(Y) for Y in (X, X * scale + 7))
        assert np.array_equal(a.labels_, b.labels_)
        assert np.allclose(a.means_ * scale + 7, b.means_)
        assert a.log_likelihood_ - 150 * np.log(scale).sum() == pytest.approx(b.log_likelihood_, rel=1e-6)


def test_a_collapsing_component_is_held_and_said():
    X = np.array([[0.0], [1], [3], [10]])
    with pytest.warns(ConvergenceWarning, match="component 0 .* has collapsed .* floor=1e-06"):
        model = GaussianMixture(2, means=[[0.0], [3.0]], covariances=[[[1e-3]], [[25.0]]]).fit(X)
    assert model.floored_.tolist() == [True, False]
    assert np.isfinite(model.log_likelihood_)
    assert model.covariances_[0, 0, 0] == pytest.approx(1e-6 * X.var())
    equal = np.repeat([[1.0, 2.0]], 5, axis=0)
    with pytest.warns(ConvergenceWarning, match="collapsed"):
        assert np.isfinite(GaussianMixture(2).fit(equal).log_likelihood_)
    constant = np.column_stack([clouds(40, 1, 2), np.full(40, 3.0)])
    with pytest.warns(ConvergenceWarning, match="constant feature"):
        model = GaussianMixture(2).fit(constant)
    assert np.allclose(model.means_[:, 1], 3)
    many = quietly(GaussianMixture(12).fit, clouds(12, 2))
    assert np.isfinite(many.log_likelihood_)


def test_messages_of_the_mixture():
    for params, words in (
        ({"k": 7}, "k must be at most 6"),
        ({"covariance": "round"}, "covariance must be one of"),
        ({"k": 2, "means": [[1.0]]}, r"one row per component, shape \(2, 1\); got \(1, 1\)"),
        ({"k": 2, "weights": [0.5, 0.6]}, "weights must sum to one"),
        ({"k": 2, "weights": [1.0]}, r"one entry per component, shape \(2,\); got \(1,\)"),
        ({"k": 2, "covariances": -1.0}, "covariances must be greater than 0"),
        ({"k": 2, "covariances": [[[1.0]], [[0.0]]]}, "positive eigenvalues"),
        ({"k": 2, "covariances": np.ones((3, 1, 1))}, r"\(1, 1\) or \(2, 1, 1\); got \(3, 1, 1\)"),
        ({"covariance": "fixed"}, "give covariances"),
        ({"floor": 0.0}, "floor must be greater than 0"),
    ):
        with pytest.raises(ValueError, match=words):
            GaussianMixture(**{"k": 2, **params}).fit(SIX)
    with pytest.warns(ConvergenceWarning, match="max_iter=1"):
        GaussianMixture(2, max_iter=1, tol=0).fit(clouds())
    with pytest.raises(ValueError, match="n must be at least 1"):
        GaussianMixture(2).fit(SIX).sample(0)


def test_a_start_of_another_shape_or_below_the_floor_is_no_loss():
    """EM climbs from the first record on: the start is brought to what the shape and the floor allow."""
    X = clouds(60, 2, 3) @ np.array([[1, 0.9], [0, 0.3]])
    starts = [np.cov(X.T), 1e-12, np.array([np.eye(2), 9 * np.eye(2)])]
    for shape, S in itertools.product(("full", "tied", "diagonal", "spherical"), starts):
        model = quietly(GaussianMixture(2, covariance=shape, means=X[:2], covariances=S, tol=0, max_iter=20).fit, X)
        likelihoods = np.array([step.log_likelihood for step in model.history_])
        assert (np.diff(likelihoods) >= -1e-8 * (1 + np.abs(likelihoods[1:]))).all()
    spike = np.array([[0.0], [1], [3], [10]])
    model = quietly(GaussianMixture(2, means=[[0.0], [3.0]], covariances=[[[1e-12]], [[25.0]]]).fit, spike)
    assert (np.diff([step.log_likelihood for step in model.history_]) >= -1e-8).all()
    assert model.history_[0].covariances[0, 0, 0] == pytest.approx(1e-6 * spike.var())
    assert GaussianMixture(2, means=[[1.0], [8.0]], covariances=np.array(4.0)).fit(SIX).converged_


def test_numbers_too_large_to_square():
    X = clouds(20, 2) * 1e200
    fitted = KMeans(2).fit(clouds(20, 2)), GaussianMixture(2).fit(clouds(20, 2))
    for call in (
        KMeans(2).fit, GaussianMixture(2).fit, *(model.predict for model in fitted), fitted[1].responsibilities,
        lambda X: kmeans_plus_plus(X, 2), lambda X: agglomerate(X, 2), lambda X: elbow(X, [2]),
        lambda X: silhouette(X, [0, 1] * 10), lambda X: one_mean_em(X[:, 0], 0.0),
    ):  # fmt: skip
        with pytest.raises(ValueError, match="too large for their squares; change its units"):
            call(X)


def test_many_collapsed_components_are_one_warning():
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        GaussianMixture(12).fit(clouds(12, 2))
    assert len(said) == 1
    assert re.search("components 0 .*, 1 .*, 2 .* and 9 more have collapsed", str(said[0].message))


def test_tiny_shares_still_have_a_mean():
    path = one_mean_em([1e3, 2e3], 0.0, fixed=1e3, steps=4)
    assert path == pytest.approx([0, 1000, 1500, 2000, 2000])
    for joint, words in (("a", "numbers only"), ([1j, 0], "real numbers"), (None, "missing")):
        with pytest.raises(ValueError, match=words):
            em_bound(joint, [0.5, 0.5])


def test_more_starts_never_do_worse():
    X = clouds(100, 2, 4)
    a, b = (quietly(GaussianMixture(4, n_init=n).fit, X).log_likelihood_ for n in (1, 8))
    assert b >= a


def test_number_of_parameters():
    X = clouds(100, 3)
    counts = {"full": 2 + 9 + 18, "tied": 2 + 9 + 6, "diagonal": 2 + 9 + 9, "spherical": 2 + 9 + 3}
    for shape, n in counts.items():
        assert quietly(GaussianMixture(3, covariance=shape).fit, X).n_parameters_ == n


# --- errata of the sources -------------------------------------------------------------------------------------


def test_erratum_s0_e95():
    """What falls is the sum of squared distances; the sum of distances may rise."""
    steps = KMeans(2, init=[[1.0], [2.0]]).fit(SEVEN).history_
    plain = [np.abs(SEVEN - s.centers[s.labels]).sum() for s in steps]
    assert plain[1:] == [21, 26]
    assert [s.distortion for s in steps][1:] == [248, 196]


def test_erratum_s0_e96():
    """Local optima exist at any size, and cells are unbounded polygons."""
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(m, 0.1, (5000, 2)) for m in ([0, 0], [0, 1], [10, 0])])
    bad = KMeans(3, init=[[0.0, 0.5], [9.9, 0], [10.1, 0]]).fit(X)
    good = KMeans(3, init=[[0.0, 0], [0, 1], [10, 0]]).fit(X)
    assert bad.distortion_ > 5 * good.distortion_
    assert good.predict([[0.0, 1e6]])[0] == 1


def test_erratum_s0_e97():
    """The sum over z of p(x | z) integrates to 2; with the prior, to 1."""
    x = np.linspace(-10, 15, 20_001)
    parts = np.array([normal_pdf(x, 0, 1), normal_pdf(x, 4, 1.5)])
    assert np.trapezoid(parts.sum(axis=0), x) == pytest.approx(2, abs=1e-6)
    assert np.trapezoid(np.array([0.3, 0.7]) @ parts, x) == pytest.approx(1, abs=1e-6)


def test_erratum_s0_e98():
    """With a fixed x_n in the second factor the covariance vanishes."""
    model = GaussianMixture(2, means=[[1.0], [8.0]], covariances=4.0, tol=1e-12).fit(SIX)
    r, A = model.responsibilities(SIX)[:, 1], SIX[:, 0] - model.means_[1, 0]
    assert r @ (A * A[-1]) / r.sum() == pytest.approx(0, abs=1e-6)
    assert r @ (A * A) / r.sum() == pytest.approx(2 / 3, abs=1e-5)


def test_erratum_s0_e99():
    """The equations are conditions at a fixed point, of which there are several."""
    stuck = GaussianMixture(2, means=[[5.0], [5.0]], covariances=4.0, tol=1e-12).fit(SIX)
    assert stuck.means_.ravel() == pytest.approx([5, 5])
    assert stuck.log_likelihood_ == pytest.approx(-16.953863, abs=5e-7)


def test_erratum_s1_e68():
    assert KMeans(2, init=[[2.0, 0], [2, 1]]).fit(RECTANGLE).distortion_ == 16 > KMeans(2).fit(RECTANGLE).distortion_


def test_erratum_s1_e69():
    """The likelihood is a product of densities; their sum has another maximum."""
    x, means = np.array([0.0, 0, 0, 10]), np.linspace(-2, 12, 1401)
    densities = np.array([normal_pdf(x, m, 1) for m in means.tolist()])
    assert means[densities.sum(axis=1).argmax()] == pytest.approx(0, abs=1e-9)
    assert means[np.log(densities).sum(axis=1).argmax()] == pytest.approx(2.5, abs=1e-9)


def test_erratum_s1_e70():
    """The likelihood never falls, but it need not rise, and it has no upper limit."""
    same = GaussianMixture(2, means=[[5.0], [5.0]], covariances=float(SIX.var()), tol=0, max_iter=5).fit(SIX)
    assert np.allclose([s.log_likelihood for s in same.history_], same.log_likelihood_)
    x = np.array([0.0, 1, 3, 10])
    logs = [np.log(0.5 * normal_pdf(x, 0, s) + 0.5 * normal_pdf(x, 3, 5)).sum() for s in (1.0, 1e-3, 1e-6)]
    assert logs == pytest.approx([-10.67, -5.43, 1.48], abs=5e-3)


def test_erratum_s1_e72():
    """p(x) is the sum over z, not one term of it."""
    terms = 0.5 * normal_pdf(np.array([1.0, 1 - 4.0]), 0, 1)
    assert terms.sum() == pytest.approx(0.1232, abs=5e-5)
    assert terms == pytest.approx([0.1210, 0.0022], abs=5e-5)


def test_erratum_s1_e74():
    """Weights p(x, z) give no lower bound, weights p(z | x) do."""
    joint = np.array([0.06, 0.04])
    printed = joint @ np.log(joint / (joint / joint.sum()))
    assert printed == pytest.approx(-0.230, abs=5e-4)
    assert printed > np.log(0.1) == pytest.approx(em_bound(np.log(joint), joint / joint.sum()).bound)


def test_erratum_s1_e75():
    steps = GaussianMixture(2, means=[[0.0], [5.0]], covariances=1.0).fit(FOUR).history_
    assert steps[0].log_likelihood < steps[1].log_likelihood


def test_erratum_s2_e2_33():
    """The farthest centre instead of the nearest: an empty cluster and a loop, seen only with three centres."""
    X = np.array([[0.0], [1], [10], [11], [20], [21]])
    model = KMeans(3, init=[[0.0], [10], [20]]).fit(X)
    assert model.distortion_ == 1.5
    centers, seen = np.array([0.0, 10, 20]), []
    for _ in range(6):
        z = np.argmax(np.abs(X - centers), axis=1)
        centers = np.array([X[z == k].mean() if (z == k).any() else centers[k] for k in range(3)])
        seen.append((len(np.unique(z)), float(np.square(X[:, 0] - centers[z]).sum())))
    assert seen[-1] == seen[-3] == (2, 101.5)


# --- what the chapter quotes from the explorers ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "settings", "words"),
    [
        ("k_means_steps", {"step": 13, "start": "two in the right cloud"}, "J = 159.6; .* 60, 15, 15 points. No point"),
        ("k_means_steps", {"step": 3, "start": "one in each cloud"}, "J = 44.4; .* No point changed"),
        ("k_means_steps", {"step": 16, "start": "one in each cloud", "x": 4.0}, "J = 159.6"),
        ("k_means_steps", {"step": 16, "start": "one in each cloud", "x": 4.0, "y": -2.0}, "J = 44.4"),
        ("k_means_steps", {"step": 1, "start": "one far outside"}, "the centres have 30, 60, 0 points"),
        ("k_means_steps", {"step": 2, "start": "one far outside"}, "centre 3, chosen by nobody, to the farthest point"),
        ("k_means_steps", {"step": 9, "start": "one far outside"}, "J = 44.4; .* No point changed"),
        ("bound_touch", {"step": 0, "start": 0.4}, "both are −68.430"),
        ("bound_touch", {"step": 1, "start": 0.4}, "−60.503, at θ₁ = −1.143. .* is −55.618"),
        ("bound_touch", {"step": 14, "start": 0.4}, "θ₇ = −2.048: .* both are −53.425"),
        ("bound_touch", {"step": 14, "start": 1.2}, "θ₇ = 4.948: .* both are −50.333"),
        ("em_climb", {"step": 30, "start": "crowded in the middle"}, r"ℓ = −784.2 \(up by 0.02\)"),
        ("em_climb", {"step": 30, "start": "side by side"}, "ℓ = −718.5"),
        ("em_climb", {"step": 1, "start": "two in the right cloud"}, "ℓ = −880.3"),
        ("em_climb", {"step": 8, "start": "two in the right cloud"}, "ℓ = −834.9"),
        ("em_climb", {"step": 30, "start": "two in the right cloud"}, "ℓ = −718.5"),
        ("soft_to_hard", {"sigma": 0.1}, "0 of 120 points are shared .* at most 0.00 .* 120 of 120 labels"),
        ("soft_to_hard", {"sigma": 1.0}, "59 of 120 points are shared .* at most 0.12"),
        ("soft_to_hard", {"sigma": 10**0.2}, "At σ = 1.6: .* at most 0.85"),
        ("soft_to_hard", {"sigma": 1.8}, "all three means have fallen together"),
        ("soft_to_hard", {"sigma": 10**0.3}, "At σ = 2 all three means have fallen together"),
        ("how_many", {"k": 3}, "distortion 8 % .* silhouette 0.75"),
        ("how_many", {"k": 8}, "highest silhouette at K = 3, least BIC at K = 3"),
        ("how_many", {"k": 2, "name": "two groups of three"}, "silhouette 0.73"),
        ("how_many", {"k": 6, "name": "two groups of three"}, "silhouette 0.70"),
        ("how_many", {"k": 8, "name": "two groups of three"}, "highest silhouette at K = 2, least BIC at K = 6"),
        ("how_many", {"k": 2, "name": "two long ones"}, "silhouette 0.40"),
        ("how_many", {"k": 7, "name": "two long ones"}, "silhouette 0.46, .* least BIC at K = 2"),
        ("how_many", {"k": 8, "name": "two long ones"}, "highest silhouette at K = 7, least BIC at K = 2"),
        ("how_many", {"k": 2, "name": "one cloud"}, "silhouette 0.40, .* least BIC at K = 1"),
        ("how_many", {"k": 8, "name": "one cloud"}, "least BIC at K = 1"),
    ],
)
def test_what_the_explorers_say(name, settings, words):
    explorer = made(name)
    assert re.search(words, explorer.describe(explorer.compute(**settings)).replace("**", ""))


def test_means_fall_together_beyond_the_largest_standard_deviation():
    """At the common mean EM multiplies small differences by covariance / sigma^2."""
    assert np.sqrt(np.linalg.eigvalsh(np.cov(NEAR.T, bias=True)).max()) == pytest.approx(1.78, abs=5e-3)
    mean = NEAR.mean(axis=0)
    for sigma, together in ((1.75, False), (1.81, True)):
        model = quietly(
            GaussianMixture(
                3, covariance="fixed", means=mean + 0.05 * NEAR_START, covariances=sigma**2, tol=0, max_iter=3000
            ).fit,
            NEAR,
        )
        assert (np.ptp(model.means_, axis=0).max() < 0.01) == together


def test_the_crowded_start_ends_on_the_lower_summit():
    """The explorer stops after 30 steps; the answer says where EM would end."""
    start = {"means": EM_STARTS["crowded in the middle"], "covariances": 1.0}
    model = quietly(GaussianMixture(3, **start, tol=1e-10, max_iter=3000).fit, TILTED)
    assert model.converged_
    assert model.log_likelihood_ == pytest.approx(-783.1, abs=0.05)


def test_long_clouds_have_a_lower_silhouette_than_a_cut_across():
    X, truth = SETS["two long ones"], np.arange(150) % 2
    assert silhouette(X, truth) == pytest.approx(0.25, abs=5e-3)
    cut = KMeans(2).fit(X).labels_
    assert silhouette(X, cut) == pytest.approx(0.40, abs=5e-3)
    assert adjusted_rand(cut, truth) < 0.05
    assert adjusted_rand(quietly(GaussianMixture(2, n_init=3).fit, X).labels_, truth) == 1


def test_the_smallest_mixture():
    x = np.array([-2.0, -1.0, 3.0])
    path = one_mean_em(x, 0.5, fixed=3.0, steps=4)
    for left, right in itertools.pairwise(path.tolist()):
        r = 1 / (1 + normal_pdf(x, 3.0, 1) / normal_pdf(x, left, 1))
        assert right == pytest.approx(r @ x / r.sum())
    assert np.allclose(np.exp(one_mean_log_joint(x, 0.5, 3.0))[:, 0], 0.5 * normal_pdf(x, 0.5, 1))
    with pytest.raises(ValueError, match="steps must be at least 1"):
        one_mean_em(x, 0.5, steps=0)

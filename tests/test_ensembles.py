"""Chapter 13: ensembles against brute force, closed forms, worked examples and scikit-learn."""

import itertools
import warnings

import numpy as np
import pytest
import sklearn.ensemble
from explorers import made
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import cross_val_predict
from sklearn.neighbors import KNeighborsClassifier

from mlteach.datasets import breast_cancer, moons, noisy_sine, rings
from mlteach.decision_trees import DecisionTreeClassifier, DecisionTreeRegressor
from mlteach.ensembles import (
    AdaBoost,
    BaggingClassifier,
    BaggingRegressor,
    CascadeClassifier,
    ExtraTrees,
    MixtureOfExperts,
    RandomForest,
    StackingClassifier,
    VotingClassifier,
    best_stump,
    boost_trees,
    bootstrap,
    ensemble_variance,
    log_losses,
    majority_accuracy,
    measure_correlation,
    stored,
)
from mlteach.ensembles.bagging import in_bag
from mlteach.evaluation import stratified_k_fold
from mlteach.explore.ensembles import _waves
from mlteach.generative_classifiers import GaussianDiscriminant, GaussianNaiveBayes
from mlteach.linear_classification import LeastSquaresClassifier, OneVsRest, Perceptron
from mlteach.linear_regression import LinearRegression
from mlteach.logistic_regression import SoftmaxRegression
from mlteach.regularization import Ridge
from mlteach.validation import ConvergenceWarning

TEN = np.arange(10.0)[:, None]
SIGNS = np.array([1, 1, 1, -1, -1, -1, 1, 1, 1, -1])


def cross(n, seed=0):
    """Three classes in four features, one of them useless, with noise."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    return X, (X[:, 0] * X[:, 1] + 0.3 * rng.normal(size=n) > 0).astype(int) + (X[:, 2] > 1)


# --- the variance of a mean -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "variance"), [(1, 4), (5, 1.76), (10, 1.48), (100, 1.228)])
def test_variance_of_a_mean(n, variance):
    assert ensemble_variance(n, 0.3, 4) == pytest.approx(variance, abs=1e-12)


@given(n=st.integers(2, 30), rho=st.floats(0, 1), variance=st.floats(0, 100), least=st.booleans())
def test_variance_is_the_mean_of_the_covariance_matrix(n, rho, variance, least):
    rho = -1 / (n - 1) if least else rho
    Sigma = variance * np.where(np.eye(n) == 1, 1.0, rho)
    assert ensemble_variance(n, rho, variance) == pytest.approx(Sigma.mean(), abs=1e-9)


def test_variance_of_arrays():
    table = ensemble_variance(np.array([1, 2, 10])[:, None], [0.0, 0.5, 1.0], 2.0)
    assert np.allclose(table, [[2, 2, 2], [1, 1.5, 2], [0.2, 1.1, 2]])
    assert type(ensemble_variance(3, 0.2)) is float


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ((0, 0.5, 1), "n must be a whole number of predictors, at least 1; got 0"),
        ((2.5, 0.5, 1), "got 2.5"),
        ((3, 1.1, 1), r"between -1/\(n - 1\) = -0.5 and 1 for 3 predictors; got 1.1"),
        ((3, -0.9, 1), "got -0.9"),
        ((3, 0.5, -1), "variance must not be negative; got -1"),
        (([1, 2], [0.1, 0.2, 0.3], 1), "must fit each other"),
        (("x", 0.5, 1), "n must hold numbers only"),
    ],
)
def test_variance_refuses(args, words):
    with pytest.raises(ValueError, match=words):
        ensemble_variance(*args)


@given(
    P=arrays(
        float, st.tuples(st.integers(2, 9), st.integers(2, 6)), elements=st.floats(-50, 50).map(lambda x: round(x, 3))
    )
)
def test_measured_numbers_give_the_variance_of_the_mean_exactly(P):
    if (P == P[0]).all():
        with pytest.raises(ValueError, match="must vary from row to row"):
            measure_correlation(P)
        return
    variance, rho = measure_correlation(P)
    Sigma = np.cov(P.T)
    others = ~np.eye(len(Sigma), dtype=bool)
    assert variance == pytest.approx(np.diag(Sigma).mean())
    assert rho * variance == pytest.approx(Sigma[others].mean(), abs=1e-9)
    assert ensemble_variance(P.shape[1], rho, variance) == pytest.approx(P.mean(axis=1).var(ddof=1), abs=1e-9)


def test_measured_correlation_wants_a_table():
    for bad in ([[1.0, 2.0]], [[1.0], [2.0]]):
        with pytest.raises(ValueError, match="at least 2 rows and 2 predictors"):
            measure_correlation(bad)
    with pytest.raises(ValueError, match="2 dimensions"):
        measure_correlation([1.0, 2.0])


@pytest.mark.slow
def test_the_formula_foretells_bagged_trees():
    """The correlation measured on 10 trees per data set gives the variance of the mean of 15 other trees."""
    answers = []
    for seed in range(120):
        data = noisy_sine(30, rng=seed, grid=False)
        model = BaggingRegressor(DecisionTreeRegressor(max_depth=4), 25, rng=seed).fit(data.X, data.y)
        answers.append(model.predictions([[0.3]])[:, 0])
    answers = np.array(answers)
    variance, rho = measure_correlation(answers[:, :10])
    assert 0.1 < rho < 0.9
    measured = answers[:, 10:].mean(axis=1).var(ddof=1)
    assert measured == pytest.approx(ensemble_variance(15, rho, variance), rel=0.15)
    assert measured < 0.8 * variance


# --- majorities -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("k", "p", "chance"),
    [
        (5, 0.75, 0.896484),
        (17, 0.75, 0.987615),
        (5, 0.8, 0.942080),
        (17, 0.8, 0.997419),
        (19, 0.75, 0.991097),
        (1, 0.6, 0.6),
    ],
)
def test_majority_numbers(k, p, chance):
    assert majority_accuracy(k, p) == pytest.approx(chance, abs=5e-7)


@given(k=st.integers(1, 8), p=st.floats(0, 1))
def test_majority_by_enumeration(k, p):
    chance = 0.0
    for right in itertools.product([0, 1], repeat=k):
        weight = np.prod([p if r else 1 - p for r in right])
        chance += weight * (1.0 if 2 * sum(right) > k else 0.5 if 2 * sum(right) == k else 0.0)
    assert majority_accuracy(k, p) == pytest.approx(chance, abs=1e-12)


def test_majority_of_arrays_and_of_bad_voters():
    assert np.allclose(majority_accuracy(3, [0.0, 0.5, 1.0]), [0, 0.5, 1])
    assert type(majority_accuracy(3, 0.2)) is float
    for args, words in [
        ((0, 0.5), "k must be at least 1"),
        ((2.5, 0.5), "whole number"),
        ((3, 1.5), "p must be a chance.*got 1.5"),
    ]:
        with pytest.raises(ValueError, match=words):
            majority_accuracy(*args)


# --- stumps ---------------------------------------------------------------------------------------------------


def least_error(X, t, w):
    """Try every threshold of every feature with either sign."""
    errors = [min(w[t == 1].sum(), w[t == -1].sum())]
    for x in X.T:
        for c in x:
            errors += [w[np.where(x > c, sign, -sign) != t].sum() for sign in (1, -1)]
    return min(errors)


@settings(max_examples=200)
@given(data=st.data(), n=st.integers(1, 12), d=st.integers(1, 3))
def test_best_stump_by_brute_force(data, n, d):
    X = data.draw(arrays(float, (n, d), elements=st.integers(-3, 3).map(float)))
    t = np.array(data.draw(st.lists(st.sampled_from([-1, 1]), min_size=n, max_size=n)))
    w = np.array(data.draw(st.lists(st.integers(1, 9), min_size=n, max_size=n))) / 7
    stump = best_stump(X, t, w)
    assert stump.error == pytest.approx(least_error(X, t, w / w.sum()), abs=1e-12)
    assert (w / w.sum())[stump.predict(X) != t].sum() == pytest.approx(stump.error, abs=1e-15)


def test_of_equal_stumps_the_first_wins():
    assert best_stump([[0, 0], [1, 1]], [-1, 1])[:3] == (0, 0.5, 1)
    assert best_stump([[0], [1], [2], [3]], [1, -1, 1, -1])[:3] == (0, 0.5, -1)
    x = np.array([1.0, np.nextafter(1.0, 2.0)])[:, None]  # no double lies between
    assert best_stump(x, [-1, 1]).error == 0
    far = np.array([[-1.7e308], [1.7e308]])
    assert best_stump(far, [-1, 1]).error == 0


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (([[0], [1]], [0, 1]), r"t must hold \+1 and -1 only; got 0"),
        (([[0], [1]], [1, -1], [1, -1]), "weights must not be negative"),
        (([[0], [1]], [1, -1], [0, 0]), "not all zero"),
        (([[0], [1]], [1, -1, 1]), "one entry per row of X"),
        (([0, 1], [1, -1]), r"shape \(n, d\)"),
    ],
)
def test_best_stump_refuses(args, words):
    with pytest.raises(ValueError, match=words):
        best_stump(*args)


# --- AdaBoost -------------------------------------------------------------------------------------------------


def test_three_rounds_by_hand():
    model = AdaBoost(3).fit(TEN, SIGNS)
    assert np.allclose(model.errors_, [0.3, 3 / 14, 2 / 11])
    assert np.allclose(model.alphas_, [0.847298, 1.299283, 1.504077], atol=5e-7)
    assert [s.threshold for s in model.stumps_] == [2.5, 8.5, 5.5]
    assert [s.sign for s in model.stumps_] == [-1, -1, 1]
    assert np.allclose(model.training_errors_, [0.3, 0.3, 0])
    losses = np.exp(-SIGNS * model.staged_scores(TEN) / 2).sum(axis=1)
    assert np.allclose(losses, [9.165151, 7.521398, 5.801925], atol=5e-7)
    assert np.array_equal(model.predict(TEN), SIGNS)
    assert len(model.history_) == 4
    assert np.allclose(model.history_[0].weights, 0.1)
    assert np.allclose(model.history_[1].weights, np.where(model.stumps_[0].predict(TEN) == SIGNS, 1 / 14, 1 / 6))


class TheirStump(ClassifierMixin, BaseEstimator):
    """Our stump as a weak learner for scikit-learn."""

    def fit(self, X, y, sample_weight=None):
        self.classes_ = np.unique(y)
        self.stump_ = best_stump(X, y, sample_weight)
        return self

    def predict(self, X):
        return self.stump_.predict(X)


@pytest.mark.parametrize("noise", [0.15, 0.4])
def test_every_round_is_that_of_samme(noise):
    data = moons(150, noise, rng=3)
    t = np.where(data.y == data.y[0], 1, -1)
    ours = AdaBoost(40).fit(data.X, t)
    theirs = sklearn.ensemble.AdaBoostClassifier(TheirStump(), n_estimators=40).fit(data.X, t)
    assert [s.stump_[:3] for s in theirs.estimators_] == [s[:3] for s in ours.stumps_]
    assert np.allclose(ours.errors_, theirs.estimator_errors_[:40], rtol=1e-9)
    assert np.allclose(ours.alphas_, theirs.estimator_weights_[:40], rtol=1e-9)
    assert np.array_equal(ours.predict(data.X), theirs.predict(data.X))
    staged = np.array(list(theirs.staged_predict(data.X)))
    assert np.array_equal(ours.staged_predict(data.X), staged)


def test_first_weights_with_their_own_stump():
    """Where Gini and the error choose the same threshold scikit-learn's tree gives the same first round."""
    theirs = sklearn.ensemble.AdaBoostClassifier(n_estimators=1).fit(TEN, SIGNS)
    ours = AdaBoost(1).fit(TEN, SIGNS)
    assert theirs.estimators_[0].tree_.threshold[0] == ours.stumps_[0].threshold
    assert theirs.estimator_weights_[0] == pytest.approx(ours.alphas_[0])


@pytest.fixture(scope="module")
def boosted():
    data = rings(120, 0.5, rng=1)
    return data, AdaBoost(60).fit(data.X, data.y)


def test_what_theory_says_of_every_round(boosted):
    data, model = boosted
    t = np.where(data.y == model.classes_[1], 1, -1)
    f = np.vstack([np.zeros(len(t)), model.staged_scores(data.X)])
    for m, record in enumerate(model.history_):
        loss = np.exp(-t * f[m] / 2)
        # The weights are the losses of the samples, up to one factor; the bound is the mean loss
        assert np.allclose(record.weights, loss / loss.sum(), rtol=1e-9)
        assert record.bound == pytest.approx(loss.mean(), rel=1e-9)
        assert record.training_error == np.mean((f[m] > 0) != (t > 0))
        assert record.training_error <= record.bound + 1e-12
        if m:
            # The last stump is no better than chance under the new weights
            assert record.weights[record.stump.predict(data.X) != t].sum() == pytest.approx(0.5)


def test_alpha_minimises_the_loss(boosted):
    data, model = boosted
    t = np.where(data.y == model.classes_[1], 1, -1)
    f, h = model.staged_scores(data.X)[9], model.stumps_[10].predict(data.X)
    alphas = model.alphas_[10] + np.linspace(-0.3, 0.3, 61)
    losses = [np.exp(-t * (f + a * h) / 2).sum() for a in alphas]
    assert np.argmin(losses) == 30


def test_staged_answers_end_with_the_answer(boosted):
    data, model = boosted
    assert model.staged_scores(data.X).shape == (60, 120)
    assert np.array_equal(model.staged_scores(data.X)[-1], model.decision_function(data.X))
    assert np.array_equal(model.staged_predict(data.X)[-1], model.predict(data.X))
    assert np.allclose(np.mean(model.staged_predict(data.X) != data.y, axis=1), model.training_errors_)
    by_hand = sum(a * s.predict(data.X) for a, s in zip(model.alphas_, model.stumps_, strict=True))
    assert np.allclose(by_hand, model.decision_function(data.X))


def test_margins(boosted):
    data, model = boosted
    t = np.where(data.y == model.classes_[1], 1, -1)
    margins = model.margins(data.X, data.y)
    assert np.allclose(margins, t * model.decision_function(data.X) / model.alphas_.sum())
    assert np.abs(margins).max() <= 1
    assert np.array_equal(margins > 0, model.predict(data.X) == data.y)
    assert np.array_equal(model.staged_margins(data.X, data.y)[-1], margins)
    with pytest.raises(ValueError, match="y must hold the classes of fit"):
        model.margins(data.X, np.full(120, 7))


def test_margins_grow_after_the_last_mistake():
    data = moons(100, 0.1, rng=0)
    model = AdaBoost(400).fit(data.X, data.y)
    done = int(np.argmax(model.training_errors_ == 0))
    assert model.training_errors_[done] == 0
    least = model.staged_margins(data.X, data.y).min(axis=1)
    assert 0 < done < 100
    assert least[-1] > least[done] + 0.05


def test_a_stump_without_mistakes_ends_the_run():
    model = AdaBoost(20).fit([[0], [1], [2], [3]], list("aabb"))
    assert model.n_iter_ == 1
    assert model.converged_
    assert model.errors_.tolist() == [0]
    assert model.predict([[0.5], [2.5]]).tolist() == ["a", "b"]
    assert model.history_[-1].bound == 0


def test_where_no_stump_beats_chance():
    X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    with pytest.warns(ConvergenceWarning, match="after 0 of 50 rounds no stump beats chance"):
        model = AdaBoost().fit(X, y)
    assert model.n_iter_ == 0
    assert not model.converged_
    assert model.predict(X).tolist() == [0, 0, 0, 0]
    assert model.margins(X, y).tolist() == [0, 0, 0, 0]


def test_history_can_be_switched_off(boosted):
    data, model = boosted
    short = AdaBoost(60, history=False).fit(data.X, data.y)
    assert len(short.history_) == 2
    assert np.array_equal(short.alphas_, model.alphas_)
    assert np.array_equal(short.history_[-1].weights, model.history_[-1].weights)


def test_boosting_more_than_two_classes():
    X, y = cross(60)
    with pytest.raises(ValueError, match=r"y holds 3: 0, 1, 2. Use OneVsRest\(AdaBoost\(\)\)"):
        AdaBoost().fit(X, y)
    assert OneVsRest(AdaBoost(30)).fit(X, y).score(X, y) > 0.8
    with pytest.raises(ValueError, match="n must be at least 1; got 0"):
        AdaBoost(0).fit(TEN, SIGNS)


def test_stumps_of_scikit_learn_are_others():
    """Its default stump minimises the Gini impurity: the runs part after a few rounds, as the card says."""
    data = breast_cancer()
    ours = AdaBoost(20).fit(data.X, data.y)
    theirs = sklearn.ensemble.AdaBoostClassifier(n_estimators=20, random_state=0).fit(data.X, data.y)
    assert ours.alphas_[0] == pytest.approx(theirs.estimator_weights_[0])
    assert np.abs(ours.alphas_ - theirs.estimator_weights_).max() > 0.05
    assert np.all(ours.errors_[0] <= theirs.estimator_errors_[0] + 1e-12)


# --- gradient boosting ----------------------------------------------------------------------------------------


def noisy_product(seed, n=150):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    return X, np.where(X[:, 0] * X[:, 1] + X[:, 2] + 0.5 * rng.normal(size=n) > 0, 1, -1)


@pytest.mark.parametrize("seed", [0, 2, 3, 4])  # 1 has a tie between two splits
def test_gradient_boosting_is_that_of_scikit_learn(seed):
    X, t = noisy_product(seed)
    theirs = sklearn.ensemble.GradientBoostingClassifier(
        n_estimators=25, learning_rate=0.3, max_depth=2, random_state=0
    ).fit(X, t)
    assert boost_trees(X, t, 25, 0.3, 2).scores[-1] == pytest.approx(theirs.decision_function(X), abs=1e-9)


def test_gradient_boosting_by_its_definition():
    X, t = noisy_product(1, 60)
    run = boost_trees(X, t, 6, 0.5, 2, X[:10])
    assert run.scores.shape == (7, 60)
    assert run.new_scores == pytest.approx(run.scores[:, :10])
    assert np.all(np.diff(log_losses(run.scores, t)) < 0)
    for f, after, (tree, steps) in zip(run.scores, run.scores[1:], run.trees):
        p, leaf = 1 / (1 + np.exp(-f)), tree.apply(X)
        for number, step in steps.items():
            at = leaf == number
            assert step == pytest.approx(((t > 0) - p)[at].sum() / (p * (1 - p))[at].sum())
            assert (after - f)[at] == pytest.approx(0.5 * step)


def test_leaves_that_are_sure_stand_still():
    """Where p (1 - p) is 0 to the last bit, Newton's step has no meaning; the sum stays finite."""
    run = boost_trees(TEN, np.where(TEN[:, 0] > 4, 1, -1), 60, 1.0, 1)
    assert np.isfinite(run.scores).all()


def test_log_loss():
    assert log_losses(np.array([[0.0, 0.0], [2.0, -2.0]]), [1, -1]) == pytest.approx([np.log(2), np.log1p(np.exp(-2))])


# --- stored runs ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["1 deep 3", "0.1 deep 1"])
def test_stored_learning_rates_are_those_of_the_code(name):
    eta, depth, M = stored.RATES[name]
    kept = stored.rate_runs()
    assert set(kept) == set(stored.RATES)
    assert all(rows.shape == (stored.SPLITS, 3) for rows in kept.values())
    _, aside, new = stored.moons_run(3, eta, depth, M)
    assert [new[aside.argmin()], new[-1], aside.argmin()] == pytest.approx(kept[name][3], abs=2e-3)


@pytest.mark.parametrize("name", ["nearest neighbour", "one tree", "tree, tuned", "logistic", "AdaBoost"])
def test_stored_rivals_are_those_of_the_code(name):
    kept = stored.tumour_runs()
    assert set(kept) == {*stored.RIVALS, *stored.CHOSEN}
    assert all(row.shape == (stored.SPLITS,) for row in kept.values())
    X, t, new, truth = stored.tumour_split(3)
    model = stored.models(kept["leaf"][3], kept["rounds"][3], kept["lambda"][3], 3)[name]
    assert abs(np.sum(model.fit(X, t).predict(new) != truth) - kept[name][3]) <= 1


def test_stored_choices_are_those_of_the_code():
    kept = stored.tumour_runs()
    X, t, *_ = stored.tumour_split(3)
    assert stored.rounds_of_adaboost(X, t, 3) == kept["rounds"][3]


@pytest.mark.slow
def test_a_whole_row_of_stored_rivals():
    kept = stored.tumour_runs()
    again = dict(zip((*stored.RIVALS, *stored.CHOSEN), stored.row(3)[1:]))
    assert [name for name in stored.RIVALS if abs(again[name] - kept[name][3]) > 2] == []


# --- votes ----------------------------------------------------------------------------------------------------


def three():
    return [SoftmaxRegression(lam=1), GaussianNaiveBayes(), GaussianDiscriminant()]


@pytest.mark.parametrize("voting", ["hard", "soft"])
@pytest.mark.parametrize("weights", [None, [3, 1, 1], [0.2, 0, 0.7]])
def test_voting_is_that_of_scikit_learn(voting, weights):
    X, y = cross(90)
    labels = np.array(["c", "a", "b"])[y]
    ours = VotingClassifier(three(), weights, voting=voting).fit(X, labels)
    named = list(zip("abc", three(), strict=True))
    theirs = sklearn.ensemble.VotingClassifier(named, voting=voting, weights=weights).fit(X, labels)
    assert np.array_equal(ours.predict(X), theirs.predict(X))
    assert np.allclose(ours.votes(X).sum(axis=1), 1)
    if voting == "soft":
        assert np.allclose(ours.predict_proba(X), theirs.predict_proba(X))


def test_three_lines_make_a_triangle():
    """Three half-planes with one vote each, two constant voters against them: only all three together win."""

    class HalfPlane:
        task = "classification"

        def __init__(self, w, b):
            self.w, self.b = w, b

        def fit(self, X, y):
            return self

        def predict(self, X):
            return np.where(X @ self.w + self.b > 0, "in", "out")

    corners = np.array([[0, 0], [4, 0], [1, 3]])
    lines = [([0, 1], 0), ([-1, -1], 4), ([3, -1], 0)]
    voters = [lambda w=w, b=b: HalfPlane(np.array(w), b) for w, b in lines] + [lambda: HalfPlane(np.zeros(2), 0)]
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 5, size=(500, 2))
    coordinates = np.linalg.solve(np.vstack([corners.T, np.ones(3)]), np.vstack([X.T, np.ones(500)]))
    inside = (coordinates > 0).all(axis=0)
    model = VotingClassifier(voters, weights=[1, 1, 1, 2]).fit(X, np.where(inside, "in", "out"))
    assert np.array_equal(model.predict(X) == "in", inside)
    assert max(np.mean((m.predict(X) == "in") == inside) for m in model.models_[:3]) < 0.8


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (lambda: VotingClassifier(Perceptron()), "models must be a list of classifiers"),
        (lambda: VotingClassifier([]), "at least 1 classifier; got 0"),
        (lambda: VotingClassifier(["x"]), "a member must be a classifier, or a function.*got 'x'"),
        (
            lambda: VotingClassifier([Ridge()]),
            "a member must be a classifier with fit and predict.*got Ridge",
        ),
        (lambda: VotingClassifier(three(), [1, 2]), "one entry per row of models: 3 rows"),
        (lambda: VotingClassifier(three(), [1, -1, 1]), "weights must not be negative"),
        (lambda: VotingClassifier(three(), [0, 0, 0]), "not all zero"),
        (lambda: VotingClassifier(three(), voting="loud"), "voting must be one of 'hard', 'soft'"),
        (lambda: VotingClassifier([Perceptron()], voting="soft"), "no predict_proba"),
        (lambda: StackingClassifier(three(), folds=1), "folds must be at least 2"),
        (lambda: StackingClassifier(None), "models must be a list"),
        (lambda: StackingClassifier(three(), Ridge()), "a member must be a classifier"),
        (lambda: CascadeClassifier(three(), 1.2), "threshold must be.*at most 1"),
        (lambda: CascadeClassifier([LeastSquaresClassifier()]), "no predict_proba"),
        (lambda: BaggingClassifier(Ridge()), "a member must be a classifier"),
        (lambda: BaggingClassifier(3), "a member must be a classifier"),
        (lambda: BaggingClassifier(three()[0], 0), "n must be at least 1"),
        (lambda: BaggingClassifier(three()[0], rng="x"), "rng must be"),
        (lambda: BaggingRegressor(three()[0]), "a member must be a regressor"),
        (lambda: RandomForest(0), "n must be at least 1"),
        (lambda: RandomForest(max_features=3), "at most 2"),
        (lambda: RandomForest(max_features="log"), "'sqrt' or None"),
        (lambda: RandomForest(max_depth=0), "max_depth must be at least 1"),
        (lambda: RandomForest(min_leaf=0), "min_leaf must be at least 1"),
        (lambda: MixtureOfExperts(0), "k must be at least 1"),
        (lambda: MixtureOfExperts(7), r"k must be at most 6 \(X has 6 samples\)"),
        (lambda: MixtureOfExperts(lam=0), "lam must be greater than 0"),
    ],
)
def test_bad_settings_are_explained(model, words):
    X = np.array([[0.0, 1.0], [1.0, 0.5], [2.0, 2.0], [5.0, 1.0], [6.0, 0.0], [7.0, 2.5]])
    with pytest.raises(ValueError, match=words):
        model().fit(X, [0, 0, 0, 1, 1, 1])


def test_a_function_must_make_new_members():
    one = LeastSquaresClassifier()
    X, y = cross(60)
    with pytest.raises(ValueError, match="must return a new model each time"):
        BaggingClassifier(lambda: one).fit(X, y > 0)
    given = three()
    VotingClassifier(given).fit(X, y)
    assert not any(hasattr(model, "classes_") for model in given)


# --- stacking -------------------------------------------------------------------------------------------------


def test_stacking_by_hand():
    X, y = cross(120)
    model = StackingClassifier(three(), folds=4, rng=5).fit(X, y)
    folds = [(train, test) for train, test in stratified_k_fold(y, 4, 5)]
    Z = np.hstack([cross_val_predict(m, X, y, cv=folds, method="predict_proba") for m in three()])
    assert np.allclose(model.Z_, Z)
    combiner = SoftmaxRegression(lam=1).fit(Z, y)
    answers = np.hstack([m.fit(X, y).predict_proba(X) for m in three()])
    assert np.allclose(model.predict_proba(X), combiner.predict_proba(answers))
    assert np.array_equal(model.answers(X), answers)


def test_stacking_does_not_believe_who_learns_by_heart():
    """One nearest neighbour is always right about its own points; only unseen points show what it is worth."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 6))
    y = (X[:, 0] + 0.5 * rng.normal(size=150) > 0).astype(int)
    line, neighbour = SoftmaxRegression(lam=1), KNeighborsClassifier(1)
    stack = StackingClassifier([line, neighbour]).fit(X, y)
    seen = np.hstack([m.fit(X, y).predict_proba(X) for m in (line, neighbour)])
    naive = SoftmaxRegression(lam=1).fit(seen, y)
    test = rng.normal(size=(4000, 6))
    truth = (test[:, 0] + 0.5 * rng.normal(size=4000) > 0).astype(int)
    assert stack.score(test, truth) > naive.score(stack.answers(test), truth) + 0.03


def test_stacking_takes_votes_and_small_classes():
    X, y = cross(60)
    model = StackingClassifier(
        [OneVsRest(LeastSquaresClassifier()), LeastSquaresClassifier()], LeastSquaresClassifier()
    ).fit(X, y)
    assert set(np.unique(model.Z_)) == {0, 1}
    assert model.predict(X).shape == (60,)
    with pytest.raises(ValueError, match="has no predict_proba"):
        model.predict_proba(X)
    two = np.where(np.arange(60) < 2, 1, 0)
    assert StackingClassifier([GaussianNaiveBayes(), LeastSquaresClassifier()]).fit(X[:, :1] + two[:, None], two)
    with pytest.raises(ValueError, match="each class needs at least 2 samples.*1 has 1 sample"):
        StackingClassifier(three()).fit(X, (np.arange(60) == 0).astype(int))


# --- cascading ------------------------------------------------------------------------------------------------


def test_cascade_by_hand():
    data = moons(200, 0.25, rng=2)
    stages = [SoftmaxRegression(lam=1), RandomForest(25)]
    model = CascadeClassifier(stages, 0.9).fit(data.X, data.y)
    first, second = (s.fit(data.X, data.y) for s in stages)
    sure = first.predict_proba(data.X).max(axis=1) >= 0.9
    assert 0.2 < sure.mean() < 0.9
    assert np.array_equal(model.stage(data.X), np.where(sure, 0, 1))
    assert np.array_equal(model.predict(data.X), np.where(sure, first.predict(data.X), second.predict(data.X)))
    for threshold, alone in ((0, first), (1, second)):
        end = CascadeClassifier(stages, threshold).fit(data.X, data.y)
        assert np.array_equal(end.predict(data.X), alone.predict(data.X))


# --- bagging --------------------------------------------------------------------------------------------------


def test_bootstrap_samples():
    samples = bootstrap(100, 400, 7)
    rng = np.random.default_rng(7)
    assert np.array_equal(samples, [rng.integers(0, 100, 100) for _ in range(400)])
    drawn = in_bag(samples)
    assert np.array_equal(drawn, [np.bincount(row, minlength=100) for row in samples])
    assert (drawn > 0).mean() == pytest.approx(1 - 0.99**100, abs=0.006)


def test_bagging_by_hand():
    X, y = cross(80)
    model = BaggingClassifier(DecisionTreeClassifier(), 15, rng=4).fit(X, y)
    rows = bootstrap(80, 15, 4)
    assert np.array_equal(model.samples_, rows)
    trees = [DecisionTreeClassifier().fit(X[row], y[row]) for row in rows]
    said = np.array([tree.predict(X) for tree in trees])
    assert np.array_equal(model.member_predictions(X), said)
    votes = np.array([[np.sum(said[:, n] == k) for k in range(3)] for n in range(80)])
    assert np.array_equal(model.votes(X), votes)
    assert np.array_equal(model.predict(X), votes.argmax(axis=1))
    assert np.allclose(model.predict_proba(X), votes / 15)
    wrong, judged = 0, 0
    for n in range(80):
        out = [m for m in range(15) if n not in rows[m]]
        if out:
            judged += 1
            wrong += np.bincount(said[out, n], minlength=3).argmax() != y[n]
    assert model.oob_error_ == pytest.approx(wrong / judged)
    assert np.array_equal(model.oob_votes_.sum(axis=1), (in_bag(rows) == 0).sum(axis=0))
    few = BaggingClassifier(DecisionTreeClassifier(), 5, rng=4).fit(X, y)
    assert few.oob_error_ == pytest.approx(model.oob_errors_[4])


def test_bagging_regressors_by_hand():
    data = noisy_sine(30, rng=1)
    model = BaggingRegressor(DecisionTreeRegressor(max_depth=3), 12, rng=2).fit(data.X, data.y)
    rows = bootstrap(30, 12, 2)
    said = np.array([DecisionTreeRegressor(max_depth=3).fit(data.X[r], data.y[r]).predict(data.X) for r in rows])
    assert np.allclose(model.predict(data.X), said.mean(axis=0))
    out = in_bag(rows) == 0
    expected = np.array([said[out[:, n], n].mean() if out[:, n].any() else np.nan for n in range(30)])
    assert np.allclose(model.oob_predictions_, expected, equal_nan=True)
    assert model.oob_error_ == pytest.approx(np.nanmean((expected - data.y) ** 2))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.isnan(BaggingRegressor(Ridge(), 1).fit([[0.0]], [1.0]).oob_error_)


def test_members_with_dice_of_their_own_differ():
    X, y = cross(80)
    model = BaggingClassifier(DecisionTreeClassifier(max_features=1), 4).fit(X, y)
    assert len({m.rng for m in model.models_}) == 4


def test_a_bootstrap_sample_of_one_class_is_drawn_again():
    X, y = np.arange(8.0)[:, None], np.array([0] * 7 + [1])
    model = BaggingClassifier(LeastSquaresClassifier(), 40).fit(X, y)
    assert all(7 in row for row in model.samples_)


# --- forests --------------------------------------------------------------------------------------------------


def test_trees_of_a_forest_are_those_of_chapter_12():
    X, y = cross(150)
    forest = RandomForest(12, max_features=None, rng=3).fit(X, y)
    test = cross(500, seed=1)[0]
    said = forest.member_predictions(test)
    for row, answer in zip(in_bag(bootstrap(150, 12, 3)), said, strict=True):
        tree = DecisionTreeClassifier().fit(X, y, sample_weight=row)
        assert np.array_equal(tree.predict(test), answer)


@pytest.mark.parametrize(
    ("params", "theirs"), [({"max_depth": 2}, {"max_depth": 2}), ({"min_leaf": 8}, {"min_leaf": 8})]
)
def test_limits_of_the_trees(params, theirs):
    X, y = cross(150)
    forest = RandomForest(5, max_features=None, rng=3, **params).fit(X, y)
    for row, answer in zip(in_bag(bootstrap(150, 5, 3)), forest.member_predictions(X), strict=True):
        tree = DecisionTreeClassifier(**theirs).fit(X, y, sample_weight=row)
        assert np.array_equal(tree.predict(X), answer)


@pytest.mark.slow
def test_out_of_bag_error_is_near_the_test_error():
    gaps, errors = [], []
    for seed in range(8):
        (X, y), (A, b) = cross(300, seed), cross(2000, 100 + seed)
        model = RandomForest(100, 2).fit(X, y)
        errors.append(1 - model.score(A, b))
        gaps.append(model.oob_error_ - errors[-1])
        assert model.score(X, y) > 0.98  # while the training error says nothing
    chance = np.sqrt(np.mean(errors) * (1 - np.mean(errors)) / 300)  # standard error of an error rate of 300 samples
    assert np.abs(gaps).max() < 4 * chance
    assert abs(np.mean(gaps)) < 4 * chance / np.sqrt(8)
    assert np.mean(errors) > 0.15


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (RandomForest, sklearn.ensemble.RandomForestClassifier),
        (ExtraTrees, sklearn.ensemble.ExtraTreesClassifier),
    ],
)
def test_forests_are_as_good_as_theirs(ours, theirs):
    accuracy = []
    for seed in range(4):
        (X, y), (A, b) = cross(300, seed), cross(2000, 100 + seed)
        both = ours(80, 2, seed).fit(X, y), theirs(80, max_features=2, random_state=seed).fit(X, y)
        accuracy.append([model.score(A, b) for model in both])
    assert np.abs(np.diff(np.mean(accuracy, axis=0))) < 0.015


@pytest.mark.slow
def test_forest_on_real_data():
    data = breast_cancer()
    model = RandomForest(100).fit(data.X, data.y)
    theirs = sklearn.ensemble.RandomForestClassifier(100, oob_score=True, random_state=0).fit(data.X, data.y)
    assert model.oob_error_ == pytest.approx(1 - theirs.oob_score_, abs=0.02)


def test_fewer_features_make_trees_less_alike():
    X, y = cross(200)
    test = cross(500, seed=1)[0]
    rhos = [
        measure_correlation((RandomForest(60, m).fit(X, y).member_predictions(test) > 0).T.astype(float)).rho
        for m in (1, 4)
    ]
    assert rhos[0] < rhos[1] - 0.05


def test_extra_trees_split_at_random_inside_the_range():
    X, y = cross(100)
    model = ExtraTrees(30).fit(X, y)
    assert model.score(X, y) == 1
    assert not hasattr(model, "oob_error_")
    t, roots = model.trees_, np.arange(30)
    low, high = X.min(axis=0)[t.feature[roots]], X.max(axis=0)[t.feature[roots]]
    assert ((low <= t.threshold[roots]) & (t.threshold[roots] < high)).all()
    assert len(np.unique(t.threshold[roots])) == 30
    middles = {m for x in np.sort(X, axis=0).T for m in (x[1:] + x[:-1]) / 2}
    assert not set(t.threshold[roots]) & middles


def test_features_that_do_not_vary_are_not_tried():
    X, y = cross(100)
    X = np.hstack([np.zeros((100, 20)), X])
    for forest in (RandomForest(20, 1), ExtraTrees(20, 1)):
        assert forest.fit(X, y).score(X, y) > 0.95


# --- mixture of experts ---------------------------------------------------------------------------------------


def bent(n, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.uniform(-3, 3, n)
    return x[:, None], np.where(x < 0.5, 1 + x, 4 - 2 * x) + 0.1 * rng.normal(size=n)


def test_experts_find_the_two_lines():
    model = MixtureOfExperts(2).fit(*bent(200))
    order = np.argsort(model.W_[:, 0])
    assert np.allclose(model.W_[order, 0], [-2, 1], atol=0.06)
    assert np.allclose(model.b_[order], [4, 1], atol=0.1)
    assert model.sigma_ == pytest.approx(0.1, abs=0.02)
    gate = model.gate([[-1.0], [2.0]])
    assert np.allclose(gate.sum(axis=1), 1)
    assert (gate[[0, 1], [order[1], order[0]]] > 0.99).all()
    assert model.score(*bent(500, seed=1)) > 0.95
    assert np.array_equal(model.predict([[2.0]]), (gate * model.expert_outputs([[-1.0], [2.0]])).sum(axis=1)[1:])


@pytest.mark.parametrize(("k", "seed"), [(2, 0), (3, 1), (4, 2)])
def test_no_step_of_em_raises_the_loss(k, seed):
    X, y = bent(120, seed)
    X = np.hstack([X, np.random.default_rng(seed).normal(size=(120, 1))])
    model = MixtureOfExperts(k, rng=seed).fit(X, y)
    losses = np.array([step.loss for step in model.history_])
    assert (np.diff(losses) <= 1e-8 * np.abs(losses[:-1])).all()
    assert losses[-1] < losses[0] - 10
    # The loss, recomputed from what the model says
    densities = np.exp(-((y[:, None] - model.expert_outputs(X)) ** 2) / (2 * model.sigma_**2))
    p = (model.gate(X) * densities).sum(axis=1) / (np.sqrt(2 * np.pi) * model.sigma_)
    penalty = 0.5 * model.lam * ((model.V_ * X.std(axis=0)) ** 2).sum()
    assert model.loss_ == pytest.approx(-np.log(p).sum() + penalty, rel=1e-9)


def test_one_expert_is_linear_regression():
    X, y = bent(50)
    model, line = MixtureOfExperts(1).fit(X, y), LinearRegression().fit(X, y)
    assert np.allclose(model.predict(X), line.predict(X))
    assert model.converged_


def test_numbers_beyond_a_double_are_refused():
    X, y = bent(20)
    for bad in ((1e200 * X, y), (X, 1e200 * y)):
        with pytest.raises(ValueError, match="leave the range of a double"):
            MixtureOfExperts(2).fit(*bad)


def test_units_do_not_matter():
    X, y = bent(100)
    a, b = MixtureOfExperts(2).fit(X, y), MixtureOfExperts(2).fit(1e6 * X + 3e6, 1e-3 * y - 5)
    assert np.allclose(a.predict(X), 1e3 * (b.predict(1e6 * X + 3e6) + 5), atol=1e-5)


def test_em_that_is_stopped_early_says_so():
    with pytest.warns(ConvergenceWarning, match="2 steps of EM were not enough"):
        model = MixtureOfExperts(2, max_iter=2).fit(*bent(100))
    assert model.n_iter_ == 2
    assert not model.converged_


# --- errata ---------------------------------------------------------------------------------------------------


def distinct(n):
    return 1 - (1 - 1 / n) ** n


def test_erratum_s0_e76():
    """A bootstrap sample is no subset: it repeats samples, and leaves some 37 % out."""
    assert [round(distinct(n), 6) for n in (10, 100, 1000)] == [0.651322, 0.633968, 0.632305]
    samples = bootstrap(100, 500)
    shares = [len(set(row)) / 100 for row in samples.tolist()]
    assert max(shares) < 1
    assert np.mean(shares) == pytest.approx(distinct(100), abs=0.006)


def test_erratum_s0_e77():
    """Weights of the algorithm and exponential losses agree up to a factor, exp(sum alpha / 2) / N unnormalised."""
    model = AdaBoost(3).fit(TEN, SIGNS)
    f, w, factors = model.staged_scores(TEN), np.full(10, 0.1), []
    for m, stump in enumerate(model.stumps_):
        w = np.where(stump.predict(TEN) == SIGNS, w, w * np.exp(model.alphas_[m]))
        ratio = w / np.exp(-SIGNS * f[m] / 2)
        assert np.ptp(ratio) < 1e-12
        factors.append(ratio[0])
    assert np.allclose(factors, np.exp(np.cumsum(model.alphas_) / 2) / 10)
    assert np.allclose(factors, [0.152753, 0.292499, 0.620484], atol=5e-7)


def test_erratum_s1_e57():
    """Averaging beats the mean variance, not the least; and rho has a least value."""
    assert np.diag([1.0, 100.0]).mean() / 1 == 25.25
    assert ensemble_variance(2, 0.0, 50.5) == 25.25
    with pytest.raises(ValueError, match="rho must lie between"):
        ensemble_variance(3, -0.9, 1)
    assert -0.9 + 1.9 / 3 == pytest.approx(-0.267, abs=5e-4)


def test_erratum_s1_e58():
    variance = ensemble_variance(10, 0.3, 4)
    assert variance == pytest.approx(1.48)
    rng = np.random.default_rng(0)
    common, own = rng.normal(size=(200_000, 1)), rng.normal(size=(200_000, 10))
    means = (2 * (np.sqrt(0.3) * common + np.sqrt(0.7) * own)).mean(axis=1)
    assert means.var() == pytest.approx(1.48, rel=0.02)
    assert means.std() == pytest.approx(1.2166, rel=0.01)


def test_erratum_s1_e59():
    assert [round(distinct(n), 4) for n in (10, 100, 10_000)] == [0.6513, 0.6340, 0.6321]
    X, y = cross(60)
    model = BaggingClassifier(DecisionTreeClassifier(), 9).fit(X, y)
    assert all(len(row) == 60 > len(set(row)) for row in model.samples_.tolist())
    assert set(model.predict(X)) <= set(y)  # a vote, not a mean


def residual_fits(make, X, y, rounds):
    """Return the models of stagewise regression: each is fitted to what the sum of those before leaves."""
    models, rest = [], y.copy()
    for _ in range(rounds):
        models.append(make().fit(X, rest))
        rest = rest - models[-1].predict(X)
    return models


def test_erratum_s1_e60():
    """The boosted model is a sum; dividing it by the number of its terms spoils it."""
    x = np.linspace(0, 1, 100)[:, None]
    y = np.sin(2 * np.pi * x[:, 0])
    models = residual_fits(lambda: DecisionTreeRegressor(max_depth=1), x, y, 50)
    total = sum(model.predict(x) for model in models)
    assert np.mean((total - y) ** 2) < 0.01
    assert np.mean((total / 50 - y) ** 2) > 0.45


def test_erratum_s1_e61():
    """Linear regression cannot be boosted: the second fit finds nothing."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(50, 3)), rng.normal(size=50)
    first, second = residual_fits(LinearRegression, X, y, 2)
    assert np.abs(first.w_).max() > 0.01
    assert max(np.abs(second.w_).max(), abs(second.b_)) < 1e-14


def test_erratum_s1_e62():
    """The double sum runs over i < j."""

    def variance(sigma, rho, pairs):
        m = len(sigma)
        covariances = sum(rho * sigma[i] * sigma[j] for i, j in pairs(range(m), 2))
        return (np.sum(np.square(sigma)) + 2 * covariances) / m**2

    assert variance([1, 2], 0.5, itertools.combinations) == 1.75
    with_diagonal = variance([1, 2], 0.5, itertools.combinations_with_replacement)
    assert with_diagonal > 1.75
    assert variance([1], 1, itertools.combinations_with_replacement) == 3
    rng = np.random.default_rng(0)
    draws = rng.multivariate_normal([0, 0], [[1, 1], [1, 4]], 100_000)
    assert draws.mean(axis=1).var() == pytest.approx(1.75, rel=0.02)


def test_erratum_s2_e37():
    assert round(100 * majority_accuracy(5, 0.75)) == 90
    assert int(100 * majority_accuracy(5, 0.75)) == 89
    same = np.random.default_rng(0).random(10_000) < 0.75  # five voters who always agree
    assert np.mean(5 * same > 2.5) == pytest.approx(0.75, abs=0.015)


def test_erratum_s2_e11():
    z, h = np.array([2, 1, 1]), np.ones(3)
    assert (z * h).sum() / 3 == pytest.approx(1.333333, abs=1e-6)
    assert np.average(h, weights=z) == 1
    model = AdaBoost(3).fit(TEN, SIGNS)
    votes = np.array([stump.predict(TEN) for stump in model.stumps_])
    assert np.allclose(SIGNS * model.margins(TEN, SIGNS), np.average(votes, axis=0, weights=model.alphas_))


def test_erratum_s3_e47():
    """Bagging changes the bias: the largest of 20 uniforms, plain and bagged (exact in expectation)."""
    n = 20
    plain = n / (n + 1) - 1
    # The largest draw of a bootstrap sample is the r-th largest of the sample with this chance
    r = np.arange(1, n + 1)
    chance = ((n - r + 1) / n) ** n - ((n - r) / n) ** n
    bagged = (chance * (n + 1 - r) / (n + 1)).sum() - 1
    assert plain == pytest.approx(-0.0476, abs=5e-5)
    assert bagged == pytest.approx(-0.0738, abs=1e-3)
    rng = np.random.default_rng(0)
    largest = [x[bootstrap(n, 50, rng)].max(axis=1).mean() for x in rng.random((2000, n))]
    assert np.mean(largest) - 1 == pytest.approx(bagged, abs=4e-3)


class Says:
    """A member that has made up its mind."""

    task = "classification"

    def __init__(self, label):
        self.label = label

    def fit(self, X, y):
        return self

    def predict(self, X):
        return np.full(len(X), self.label)


def test_erratum_s4_f34():
    """The vote goes to the class with the most weight, not to the one with the least."""
    makers = [lambda k=k: Says(k) for k in (1, 2, 2)]
    model = VotingClassifier(makers, weights=[0.4, 0.3, 0.3]).fit([[0.0], [1.0], [2.0]], [1, 2, 3])
    assert np.allclose(model.votes([[0.0]]), [[0.4, 0.6, 0.0]])
    assert model.predict([[0.0]]).tolist() == [2]
    assert model.classes_[model.votes([[0.0]]).argmin()] == 3


def test_erratum_s4_f36():
    assert round(distinct(100), 4) == 0.6340


def test_erratum_s4_f37():
    """Error, say and weights belong inside the loop; the two forms of alpha give the same weights."""
    w = np.full(10, 0.1)
    assert [best_stump(TEN, SIGNS, w).threshold for _ in range(3)] == [2.5] * 3  # without new weights nothing changes
    model = AdaBoost(3).fit(TEN, SIGNS)
    assert len({s.threshold for s in model.stumps_}) == 3
    for m, stump in enumerate(model.stumps_):
        w = w * np.exp(-0.5 * model.alphas_[m] * SIGNS * stump.predict(TEN))
        w = w / w.sum()
        assert np.allclose(w, model.history_[m + 1].weights, atol=1e-15)


def test_erratum_s4_f38():
    """The exponential loss needs the target: a right +1 costs 0.368, a wrong one 2.718."""
    y = 1
    assert [round(float(np.exp(-t * y)), 3) for t in (1, -1)] == [0.368, 2.718]
    model = AdaBoost(3).fit(TEN, SIGNS)
    f = model.staged_scores(TEN)
    combined = np.exp(-SIGNS * f / 2).sum(axis=1)
    alone = [np.exp(-SIGNS * a * s.predict(TEN) / 2).sum() for a, s in zip(model.alphas_, model.stumps_, strict=True)]
    assert (np.diff(combined) < 0).all()
    assert alone[2] > combined[2]


# What the explorers say where the chapter quotes them


def scene_of(name):
    return made(name).scene


@pytest.mark.parametrize(
    ("name", "at", "quoted"),
    [
        ("majority_vote", {"k": 5, "p": 0.45}, ["0.4069"]),
        ("majority_vote", {"k": 17, "p": 0.45}, ["0.3374"]),
        ("majority_vote", {"k": 41, "p": 0.45}, ["0.2592"]),
        ("majority_vote", {"k": 41, "p": 0.6}, ["0.9035"]),
        ("majority_vote", {"k": 41, "p": 0.75}, ["0.9997"]),
        ("mean_of_predictors", {"n": 25, "rho": 0.3}, ["0.328"]),
        ("mean_of_predictors", {"n": 50, "rho": 0.3}, ["0.314"]),
        ("mean_of_predictors", {"n": 25, "rho": 0.15}, ["0.184"]),
        ("mean_of_predictors", {"n": 50, "rho": 0.0}, ["0.020"]),
        ("forest_size", {"n": 1, "m": 2}, ["18.0 % on new", "27.1 % out"]),
        ("forest_size", {"n": 10, "m": 2}, ["7.9 % on new", "16.4 % out"]),
        ("forest_size", {"n": 60, "m": 2}, ["7.7 % on new", "8.1 % out"]),
        ("forest_size", {"n": 60, "m": 1}, ["9.4 % on new", "errs on 22.8 %", "disagree on 28.9 %"]),
        ("forest_size", {"n": 60, "m": 6}, ["7.3 % on new", "errs on 12.4 %", "disagree on 13.4 %"]),
        ("adaboost_rounds", {"m": 2, "data": "ten"}, ["errs on 0.300"]),
        ("adaboost_rounds", {"m": 3, "data": "ten"}, ["errs on 0.000"]),
        ("adaboost_rounds", {"m": 3, "data": "moons"}, ["errs on 0.037"]),
        ("adaboost_rounds", {"m": 4, "data": "moons"}, ["errs on 0.050"]),
        ("adaboost_rounds", {"m": 30, "data": "moons"}, ["weighs 0.199"]),
        ("margin_growth", {"m": 68.1}, ["least margin is 0.029", "median 0.209", "new points 8.9 %"]),
        ("margin_growth", {"m": 100.0}, ["least margin is 0.045", "new points 8.6 %"]),
        ("margin_growth", {"m": 1000.0}, ["least margin is 0.087", "median 0.164", "new points 7.3 %"]),
        ("gated_experts", {"step": 0, "k": 3}, ["σ = 0.87"]),
        ("gated_experts", {"step": 3, "k": 3}, ["σ = 0.43"]),
        ("gated_experts", {"step": 10, "k": 3}, ["1.52, 1.65, −2.01", "σ = 0.14"]),
        ("gated_experts", {"step": 30, "k": 4}, ["σ = 0.14"]),
        ("gated_experts", {"step": 30, "k": 2}, ["σ = 0.62"]),
        ("cascade_threshold", {"threshold": 80}, ["passes 25 %", "92.8 % of the answers", "alone 87.1 %"]),
        ("cascade_threshold", {"threshold": 90}, ["passes 45 %", "92.9 % of the answers"]),
        ("cascade_threshold", {"threshold": 100}, ["93.0 % of the answers"]),
    ],
)
def test_read_outs_say_what_the_answers_quote(name, at, quoted):
    scene = scene_of(name)
    said = scene.describe(scene.compute(**at)).replace("**", "")
    assert [words for words in quoted if words not in said] == [], said


def test_no_training_point_is_wrong_from_round_62_on():
    scene = scene_of("margin_growth")
    wrong = np.flatnonzero(scene.errors[0])  # round m is entry m - 1
    assert scene.clean == wrong[-1] + 2 == 62


def test_two_trees_disagree_as_often_as_the_read_out_says():
    scene = scene_of("forest_size")
    data = moons(160, 0.25, rng=6)
    said = RandomForest(60, 2, rng=7).fit(_waves(data.X), data.y).member_predictions(_waves(scene.test.X))
    pairs = [np.mean(said[a] != said[b]) for a in range(60) for b in range(a)]
    assert scene.runs[2][4] == pytest.approx(100 * np.mean(pairs))

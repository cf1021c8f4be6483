"""Generative classifiers: numbers of the notes, scikit-learn and scipy as oracles, every message, every erratum."""

import itertools
import math

import numpy as np
import pytest
from explorers import made
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import multivariate_normal, norm
from sklearn.calibration import CalibratedClassifierCV
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
from sklearn.isotonic import IsotonicRegression
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB, MultinomialNB
from sklearn.preprocessing import OrdinalEncoder

from mlteach import datasets
from mlteach.generative_classifiers import (
    STOP_WORDS,
    BernoulliNaiveBayes,
    GaussianDiscriminant,
    GaussianNaiveBayes,
    MultinomialNaiveBayes,
    NaiveBayes,
    Vocabulary,
    count_parameters,
    isotonic,
    log_posterior,
    platt,
    stem,
    stored,
    tokenize,
)
from mlteach.linear_classification import FisherDiscriminant
from mlteach.logistic_regression import LogisticRegression, sigmoid
from mlteach.probability import multivariate_normal_pdf

TENNIS = datasets.play_tennis()
QUERY = ["Sunny", "Cool", "High", "Strong"]


def classes(n=90, d=3, k=3, seed=0):
    """Overlapping classes of different sizes, with correlated features of different units."""
    rng = np.random.default_rng(seed)
    y = rng.choice(k, size=n, p=np.arange(1, k + 1) / np.arange(1, k + 1).sum())
    spread = rng.normal(size=(k, d, d)) + 1.5 * np.eye(d)
    X = np.einsum("nij,nj->ni", spread[y], rng.normal(size=(n, d))) + 1.3 * y[:, None]
    return X * [1, 20, 0.1][:d], y


# --- Bayes' rule in log space ----------------------------------------------------------------------------------


def test_two_rules_give_the_posterior():
    """Product rule and total probability: a rare illness and a good test (Q28)."""
    joint = np.array([0.01 * 0.9, 0.99 * 0.05])
    assert np.exp(log_posterior(np.log(joint)))[0] == pytest.approx(0.15385, abs=5e-6)


def test_fans_and_sports():
    joint = np.log([0.15 * 0.18, 0.85 * 0.02])
    assert math.exp(joint[0]) == pytest.approx(0.027)
    assert np.exp(log_posterior(joint))[0] == pytest.approx(0.613636, abs=1e-6)


@given(st.lists(st.floats(-1e5, 700), min_size=2, max_size=6), st.floats(-1e5, 1e5))
def test_posterior_sums_to_one_and_ignores_a_common_factor(J, shift):
    p = np.exp(log_posterior(J))
    assert p.sum() == pytest.approx(1)
    assert np.allclose(np.exp(log_posterior(np.array(J) + shift)), p, atol=1e-7)


def test_posterior_keeps_what_underflows():
    J = np.array([[-2000.0, -2001.0], [-np.inf, -3000.0]])
    assert (np.exp(J) == 0).all()
    assert np.allclose(np.exp(log_posterior(J)), [[sigmoid(1), sigmoid(-1)], [0, 1]])
    with pytest.raises(ValueError, match="at least one finite value"):
        log_posterior([-np.inf, -np.inf])
    with pytest.raises(ValueError, match="must be finite"):
        log_posterior([np.nan, 0.0])
    with pytest.raises(ValueError, match="must be finite"):
        log_posterior([np.inf, 0.0])
    for nonsense in (1.0, None, ["a", "b"]):
        with pytest.raises(ValueError, match="log_joint must be an array of logarithms"):
            log_posterior(nonsense)


# --- Gaussian discriminant analysis ----------------------------------------------------------------------------


def test_one_feature_by_hand():
    model = GaussianDiscriminant().fit([[1], [2], [3], [5], [6], [7]], [0, 0, 0, 1, 1, 1])
    assert model.priors_.tolist() == [0.5, 0.5]
    assert model.means_.ravel().tolist() == [2, 6]
    assert model.covariance_.item() == pytest.approx(2 / 3)
    assert (model.w_[0], model.b_) == (pytest.approx(6), pytest.approx(-24))
    assert model.predict_proba([[4.5]])[0, 1] == pytest.approx(0.95257, abs=5e-6)
    assert np.exp(model.log_joint([[4.5]])) == pytest.approx(np.array([[0.00225, 0.0452]]), rel=2e-3)


def plane(mu_1, mu_0, Sigma, prior):
    w = np.linalg.solve(Sigma, mu_1 - mu_0)
    b = -0.5 * mu_1 @ np.linalg.solve(Sigma, mu_1) + 0.5 * mu_0 @ np.linalg.solve(Sigma, mu_0)
    return w, b + np.log(prior / (1 - prior))


def test_sigmoid_of_two_gaussians():
    mu_1, mu_0, Sigma, x = np.array([1, 2.0]), np.array([-1, 0.0]), np.array([[2, 0.5], [0.5, 1]]), [0.5, 0.2]
    w, b = plane(mu_1, mu_0, Sigma, 0.3)
    assert w == pytest.approx([0.571429, 1.714286], abs=1e-6)
    assert b == pytest.approx(-2.561584, abs=1e-6)
    joint = [0.3 * multivariate_normal_pdf(x, mu_1, Sigma), 0.7 * multivariate_normal_pdf(x, mu_0, Sigma)]
    assert joint[0] / sum(joint) == pytest.approx(0.126418, abs=1e-6)
    assert sigmoid(w @ x + b) == pytest.approx(joint[0] / sum(joint))


def test_shared_covariance_is_linear():
    X, y = classes(k=2)
    model = GaussianDiscriminant().fit(X, y)
    assert model.decision_function(X) == pytest.approx(X @ model.w_ + model.b_, abs=1e-9)
    w, b = plane(*model.means_[::-1], model.covariance_, model.priors_[1])
    assert model.w_ == pytest.approx(w)
    assert model.b_ == pytest.approx(b)
    X, y = classes()
    model = GaussianDiscriminant().fit(X, y)
    scores = X @ model.W_.T + model.b_
    assert np.exp(log_posterior(scores)) == pytest.approx(model.predict_proba(X), abs=1e-9)
    assert not hasattr(model, "w_")
    model.set_params(shared_covariance=False).fit(X, y)
    assert not hasattr(model, "W_")
    assert not hasattr(model, "covariance_")


@pytest.mark.parametrize("shared", [True, False])
def test_joint_density_is_that_of_scipy(shared):
    X, y = classes()
    model = GaussianDiscriminant(shared).fit(X, y)
    for k in range(3):
        log_density = multivariate_normal(model.means_[k], model.covariances_[k]).logpdf(X)
        assert model.log_joint(X)[:, k] == pytest.approx(log_density + np.log(model.priors_[k]), abs=1e-8)


@pytest.mark.parametrize("shrinkage", [0.0, 0.3, 1.0])
def test_shared_covariance_agrees_with_scikit_learn(shrinkage):
    X, y = classes()
    theirs = LinearDiscriminantAnalysis(solver="lsqr", shrinkage=shrinkage or None).fit(X, y)
    ours = GaussianDiscriminant(shrinkage=shrinkage).fit(X, y)
    assert np.abs(ours.predict_proba(X) - theirs.predict_proba(X)).max() < 1e-6


def test_own_covariances_follow_bayes_rule():
    """Against scipy's densities: scikit-learn's quadratic discriminant divides by N_k or N_k - 1, by its version."""
    X, y = classes()
    groups = [X[y == k] for k in range(3)]
    joint = [len(g) * multivariate_normal(g.mean(axis=0), np.cov(g.T, ddof=0)).pdf(X) for g in groups]
    ours = GaussianDiscriminant(False).fit(X, y)
    assert np.abs(ours.predict_proba(X) - np.transpose(joint / np.sum(joint, axis=0))).max() < 1e-6


def test_covariances_divide_by_n():
    """Maximum likelihood divides by N and N_k; the unbiased estimates, by N - K and N_k - 1, are larger."""
    X, y = classes()
    own, shared = GaussianDiscriminant(False).fit(X, y), GaussianDiscriminant().fit(X, y)
    for k in range(3):
        assert own.covariances_[k] == pytest.approx(np.cov(X[y == k].T, ddof=0))
    assert shared.covariance_ == pytest.approx(np.tensordot(own.priors_, own.covariances_, 1))


def test_direction_is_fishers():
    X, y = classes(k=2)
    w, fisher = GaussianDiscriminant().fit(X, y).w_, FisherDiscriminant().fit(X, y).w_
    assert w / np.linalg.norm(w) == pytest.approx(fisher / np.linalg.norm(fisher))


@pytest.mark.parametrize("shared", [True, False])
def test_estimates_maximise_the_joint_likelihood(shared):
    """No small change of a mean, a covariance or a share raises it."""
    X, y = classes(d=2, k=2)
    model = GaussianDiscriminant(shared).fit(X, y)

    def likelihood(means, covariances, prior):
        parts = [multivariate_normal(m, S).logpdf(X) for m, S in zip(means, covariances)]
        return np.sum(np.where(y == 1, parts[1] + np.log(prior), parts[0] + np.log(1 - prior)))

    best = likelihood(model.means_, model.covariances_, model.priors_[1])
    assert best == pytest.approx(model.log_joint(X)[np.arange(len(X)), y].sum())
    rng = np.random.default_rng(1)
    for _ in range(100):
        means = model.means_ + 0.02 * rng.normal(size=(2, 2)) * np.sqrt(model.covariances_[:, [0, 1], [0, 1]])
        turn = np.eye(2) + 0.03 * rng.normal(size=(1 if shared else 2, 2, 2))
        covariances = (
            np.broadcast_to(turn, (2, 2, 2)) @ model.covariances_ @ np.broadcast_to(turn, (2, 2, 2)).transpose(0, 2, 1)
        )
        assert likelihood(means, covariances, np.clip(model.priors_[1] + 0.03 * rng.normal(), 0.01, 0.99)) < best


def test_rings_need_own_covariances():
    data = datasets.rings(400, rng=0)
    assert GaussianDiscriminant().fit(data.X, data.y).score(data.X, data.y) < 0.7
    assert GaussianDiscriminant(shared_covariance=False).fit(data.X, data.y).score(data.X, data.y) > 0.95


@pytest.mark.parametrize("model", [GaussianDiscriminant(), GaussianDiscriminant(False), GaussianNaiveBayes()], ids=repr)
def test_samples_have_the_moments_of_the_model(model):
    X, y = classes(d=2)
    model.fit(X, y)
    Z, labels = model.sample(200_000, rng=1)
    assert np.array_equal(model.sample(5, rng=3)[0], model.sample(5, rng=np.random.default_rng(3))[0])
    for k, label in enumerate(model.classes_):
        mine = Z[labels == label]
        assert len(mine) / len(Z) == pytest.approx(model.priors_[k], abs=0.01)
        spread = np.sqrt(np.diag(model.covariances_[k]) if hasattr(model, "covariances_") else model.variances_[k])
        assert mine.mean(axis=0) / spread == pytest.approx(model.means_[k] / spread, abs=0.03)
        wanted = model.covariances_[k] if hasattr(model, "covariances_") else np.diag(model.variances_[k])
        assert np.cov(mine.T) / np.outer(spread, spread) == pytest.approx(wanted / np.outer(spread, spread), abs=0.03)
    with pytest.raises(ValueError, match="n must be at least 1"):
        model.sample(0)
    with pytest.raises(ValueError, match="rng must be"):
        model.sample(3, rng="x")
    with pytest.raises(ValueError, match="has not been fitted"):
        type(model)().sample(3)


def test_singular_covariances_are_explained():
    X, y = np.array([[0, 0], [1, 1], [2, 2], [5, 6], [7, 9], [6, 6.5]]), [0, 0, 0, 1, 1, 1]
    with pytest.raises(
        ValueError, match=r"the covariance of class 0 is singular: some features depend.*shared_covariance=True"
    ):
        GaussianDiscriminant(False).fit(X, y)
    GaussianDiscriminant().fit(X, y)
    with pytest.raises(ValueError, match=r"the shared covariance is singular: feature 1 is constant.*shrinkage=0.1"):
        GaussianDiscriminant().fit(np.column_stack([X[:, 0], np.ones(6)]), y)
    assert GaussianDiscriminant(False, shrinkage=0.1).fit(X, y).score(X, y) == 1


def test_units_do_not_make_a_covariance_singular():
    X, y = classes()
    small = X * [1e-60, 1, 1e60]
    assert GaussianDiscriminant().fit(small, y).predict_proba(small) == pytest.approx(
        GaussianDiscriminant().fit(X, y).predict_proba(X)
    )


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({"shared_covariance": "yes"}, "shared_covariance must be one of True, False; got 'yes'"),
        ({"shrinkage": 1.5}, "shrinkage must be at least 0 and at most 1; got 1.5"),
    ],
)
def test_bad_parameters_of_the_discriminant(params, words):
    with pytest.raises(ValueError, match=words):
        GaussianDiscriminant(**params).fit(*classes())


def test_points_far_out():
    X, y = classes()
    for model in (GaussianDiscriminant(), GaussianDiscriminant(False), GaussianNaiveBayes()):
        with pytest.raises(ValueError, match=r"X\[1\] has probability 0 in every class.*so far out"):
            model.fit(X, y).predict([[0, 0, 0], [1e200, 0, 0]])


def test_how_many_parameters():
    assert count_parameters(4, 3) == 24
    assert [count_parameters(4, 3, m) for m in ("own", "shared diagonal")] == [44, 18]
    assert (count_parameters(2, 2), count_parameters(2, 2, "logistic"), count_parameters(10, 5)) == (8, 3, 109)
    assert count_parameters(9999, 10, "boolean naive", free=False) == 10**5
    assert count_parameters(9999, 10, "boolean naive") == 99_999
    assert count_parameters(4, 3, "gaussian naive") == 2 + 24
    for d, k in ((3, 2), (2, 4)):
        X, y = classes(d=d, k=k)
        for shared, name in ((True, "shared"), (False, "own")):
            model = GaussianDiscriminant(shared).fit(X, y)
            free = len(np.unique(model.covariances_.round(9).reshape(k, -1), axis=0)) * d * (d + 1) // 2
            assert count_parameters(d, k, name) == k - 1 + model.means_.size + free
    with pytest.raises(ValueError, match="model must be one of 'shared', 'own'.*got 'full'"):
        count_parameters(4, 3, "full")
    with pytest.raises(ValueError, match="d must be at least 1"):
        count_parameters(0)
    with pytest.raises(ValueError, match="k must be at least 2"):
        count_parameters(3, 1)


# --- Gaussian naive Bayes --------------------------------------------------------------------------------------


def test_gaussian_naive_bayes_agrees_with_scikit_learn():
    X, y = classes()
    for smoothing in (1e-9, 0.0, 0.01):
        ours, theirs = GaussianNaiveBayes(smoothing).fit(X, y), GaussianNB(var_smoothing=smoothing).fit(X, y)
        assert np.abs(ours.predict_proba(X) - theirs.predict_proba(X)).max() < 1e-6
        assert ours.log_joint(X) == pytest.approx(theirs.predict_joint_log_proba(X), abs=1e-6)


def test_gaussian_naive_bayes_is_a_product_of_normals():
    model = GaussianNaiveBayes(0.0).fit([[1, 0], [3, 4], [6, 1], [8, 3]], ["a", "a", "b", "b"])
    product = 0.5 * norm(7, 1).pdf(5) * norm(2, 1).pdf(2.5)
    assert np.exp(model.log_joint([[5, 2.5]])[0, 1]) == pytest.approx(product)


def test_constant_features_of_gaussian_naive_bayes():
    X, y = np.array([[1.0, 5], [2, 5], [3, 1], [4, 2]]), [0, 0, 1, 1]
    assert GaussianNaiveBayes().fit(X, y).predict(X).tolist() == y
    with pytest.raises(ValueError, match="feature 1 is constant in class 0, so its density there is infinite"):
        GaussianNaiveBayes(0).fit(X, y)
    with pytest.raises(ValueError, match="feature 0 is constant"):
        GaussianNaiveBayes().fit(np.ones((4, 2)), y)
    with pytest.raises(ValueError, match="smoothing must be at least 0"):
        GaussianNaiveBayes(-1).fit(X, y)


# --- Categories ------------------------------------------------------------------------------------------------


def test_play_tennis():
    model = NaiveBayes(m=0).fit(TENNIS.X, TENNIS.y, feature_names=TENNIS.feature_names)
    joint = np.exp(model.log_joint([QUERY])[0])
    assert joint == pytest.approx([0.0205714, 0.00529101], abs=1e-7)
    assert model.predict_proba([QUERY])[0, 0] == pytest.approx(0.795417, abs=1e-6)
    assert model.predict([QUERY]) == ["No"]
    assert model.conditional("Outlook", "Overcast", "No") == 0
    assert model.conditional(0, "Sunny", "Yes") == pytest.approx(2 / 9)


def test_play_tennis_smoothed():
    model = NaiveBayes().fit(TENNIS.X, TENNIS.y)
    joint = np.exp(model.log_joint([["Overcast", "Cool", "High", "Strong"]])[0])
    assert joint == pytest.approx([0.00455539, 0.0118064], abs=1e-7)
    assert model.predict_proba([["Overcast", "Cool", "High", "Strong"]])[0, 1] == pytest.approx(0.721583, abs=1e-6)
    assert NaiveBayes(3, 1 / 3).fit(TENNIS.X, TENNIS.y).conditional(0, "Overcast", "No") == pytest.approx(0.125)


def test_laplace_of_four_values():
    rows = [[v] for v in "a" * 4 + "b" * 4 + "d" * 2 + "c"]
    model = NaiveBayes().fit(rows, ["x"] * 10 + ["y"])
    assert model.tables_[0][0] == pytest.approx(np.array([5, 5, 1, 3]) / 14)
    assert NaiveBayes(m=0).fit(rows, ["x"] * 10 + ["y"]).tables_[0][0] == pytest.approx([0.4, 0.4, 0, 0.2])


@given(st.data(), st.floats(0, 20))
def test_smoothed_estimates_sum_to_one(data, m):
    rows = data.draw(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("uv")), min_size=2, max_size=20))
    y = [0, 1] + data.draw(st.lists(st.integers(0, 1), min_size=len(rows) - 2, max_size=len(rows) - 2))
    for model in (NaiveBayes(m), NaiveBayes()):
        for table in model.fit(rows, y).tables_:
            assert table.sum(axis=1) == pytest.approx(1)


@pytest.mark.parametrize("alpha", [1, 0.3, 5])
def test_categories_agree_with_scikit_learn(alpha):
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, [2, 3, 5], size=(80, 3)), rng.integers(0, 3, 80)
    theirs = CategoricalNB(alpha=alpha).fit(X, y)
    ours = NaiveBayes(m=alpha * np.array([2, 3, 5])).fit(X, y)
    assert np.abs(ours.predict_proba(X) - theirs.predict_proba(X)).max() < 1e-6
    if alpha == 1:
        assert NaiveBayes().fit(X, y).predict_proba(X) == pytest.approx(theirs.predict_proba(X))


def test_play_tennis_agrees_with_scikit_learn():
    encoder = OrdinalEncoder().fit(TENNIS.X)
    theirs = CategoricalNB(alpha=1).fit(encoder.transform(TENNIS.X), TENNIS.y)
    assert NaiveBayes().fit(TENNIS.X, TENNIS.y).predict_proba(TENNIS.X) == pytest.approx(
        theirs.predict_proba(encoder.transform(TENNIS.X))
    )


def test_a_value_that_was_never_seen_says_nothing():
    full, short = NaiveBayes().fit(TENNIS.X, TENNIS.y), NaiveBayes().fit(TENNIS.X[:, 1:], TENNIS.y)
    foggy = [["Foggy", *QUERY[1:]]]
    assert full.predict_proba(foggy) == pytest.approx(short.predict_proba([QUERY[1:]]))


def test_rows_of_any_hashable_values():
    rows = [[1, "a", (1, 2)], ["x", 2.5, (1, 2)], [1, "a", (3,)], ["x", "a", None is None]]
    table = np.empty((4, 3), dtype=object)
    for i, j in itertools.product(range(4), range(3)):
        table[i, j] = rows[i][j]
    model = NaiveBayes().fit(table, [0, 1, 0, 1])
    assert model.predict(table).tolist() == [0, 1, 0, 1]
    lists = NaiveBayes().fit(TENNIS.X.tolist(), TENNIS.y.tolist())
    assert lists.predict(TENNIS.X.tolist()).tolist() == NaiveBayes().fit(TENNIS.X, TENNIS.y).predict(TENNIS.X).tolist()


@pytest.mark.parametrize(
    ("model", "X", "y", "words"),
    [
        (NaiveBayes(m=-1), [["a"], ["b"]], [0, 1], "m must be at least 0; got -1"),
        (NaiveBayes(m=1, p=2), [["a"], ["b"]], [0, 1], "p must be between 0 and 1; got 2"),
        (NaiveBayes(m=[1, 2, 3]), [["a"], ["b"]], [0, 1], r"m must be one number, or one for each of the 1 attributes"),
        (NaiveBayes(), ["a", "b"], [0, 1], r"X must have shape \(n, d\); got \(2,\)"),
        (NaiveBayes(), [["a", "b"], ["c"]], [0, 1], "the rows of X must have one length"),
        (NaiveBayes(), [["a"], [float("nan")]], [0, 1], r"X\[1, 0\] is nan"),
        (NaiveBayes(), [["a"], [None]], [0, 1], r"X\[1, 0\] is None"),
        (NaiveBayes(), [[np.datetime64("NaT")], [np.datetime64("2020-01-01")]], [0, 1], r"X\[0, 0\] is NaT"),
        (NaiveBayes(), [[{}], ["a"]], [0, 1], r"values that can be hashed.*X\[0, 0\] is \{\}"),
        (NaiveBayes(), [["a"], ["b"]], [0, 1, 1], "y must have one entry per row of X: 2 rows, but y has 3"),
        (NaiveBayes(), [["a"], ["b"]], [0, 0], "at least 2 classes"),
    ],
)
def test_bad_input_of_categories(model, X, y, words):
    with pytest.raises(ValueError, match=words):
        model.fit(X, y)


def test_bad_questions_to_a_table():
    model = NaiveBayes().fit(TENNIS.X, TENNIS.y, feature_names=TENNIS.feature_names)
    with pytest.raises(ValueError, match="feature must be one of 'Outlook', .*; got 'Weather'"):
        model.conditional("Weather", "Sunny", "Yes")
    with pytest.raises(ValueError, match="has the values 'Overcast', 'Rain', 'Sunny'; got 'Foggy'"):
        model.conditional("Outlook", "Foggy", "Yes")
    with pytest.raises(ValueError, match="label must be one of 'No', 'Yes'; got 'Maybe'"):
        model.conditional("Outlook", "Sunny", "Maybe")
    with pytest.raises(ValueError, match="feature must be one of 0 to 3; got 7"):
        NaiveBayes().fit(TENNIS.X, TENNIS.y).conditional(7, "Sunny", "Yes")
    with pytest.raises(ValueError, match="feature_names must hold 4 texts"):
        NaiveBayes().fit(TENNIS.X, TENNIS.y, feature_names=["Outlook"])
    with pytest.raises(ValueError, match="must have 4 features, as in fit; got 3"):
        model.predict([QUERY[1:]])


def test_zero_in_every_class_is_explained():
    rows, y = [["a", "u"], ["b", "v"]], [0, 1]
    with pytest.raises(ValueError, match=r"X\[0\] has probability 0 in every class.*use m > 0"):
        NaiveBayes(m=0).fit(rows, y).predict([["a", "v"]])
    assert NaiveBayes(m=0).fit(rows, y).predict_proba([["a", "u"]]).tolist() == [[1, 0]]
    with pytest.raises(ValueError, match=r"X\[1\] has probability 0.*use alpha > 0"):
        MultinomialNaiveBayes(0).fit([[1, 0], [0, 1]], y).predict([[1, 0], [1, 1]])
    with pytest.raises(ValueError, match=r"X\[0\] has probability 0.*use alpha > 0"):
        BernoulliNaiveBayes(0).fit([[1, 0], [0, 1]], y).predict([[1, 1]])


# --- Words -----------------------------------------------------------------------------------------------------

W16 = np.array([[2, 1, 0], [1, 0, 1], [0, 3, 1]])


def test_multinomial_estimate_by_hand():
    theta = MultinomialNaiveBayes(1).fit(np.vstack([W16, [0, 0, 4]]), [0, 0, 0, 1]).theta_
    assert theta[0] == pytest.approx([0.333333, 0.416667, 0.25], abs=1e-6)
    assert theta.sum(axis=1) == pytest.approx(1)


def test_bernoulli_estimate_by_hand():
    X, y = [[1], [1], [1], [0], [1], [0]], [0, 0, 0, 0, 1, 1]
    assert BernoulliNaiveBayes(0).fit(X, y).theta_[0, 0] == 0.75
    assert BernoulliNaiveBayes(1).fit(X, y).theta_[0, 0] == pytest.approx(0.666667, abs=1e-6)
    model = BernoulliNaiveBayes().fit([[1, 0, 1], [0, 1, 0]], [0, 1])
    model.theta_ = np.array([[0.75, 0.25, 0.5], [0.5, 0.5, 0.5]])
    assert np.exp(model.log_joint([[1, 0, 1]])[0, 0]) / 0.5 == pytest.approx(0.28125)


def test_five_documents_by_hand():
    X, y = [[1, 0, 1], [1, 1, 0], [1, 0, 0], [0, 1, 1], [0, 1, 0]], [1, 1, 1, 0, 0]
    raw, smooth = BernoulliNaiveBayes(0).fit(X, y), BernoulliNaiveBayes(1).fit(X, y)
    assert raw.theta_ == pytest.approx(np.array([[0, 1, 1 / 2], [1, 1 / 3, 1 / 3]]))
    assert raw.priors_[0] == 0.4
    assert raw.predict_proba([[1, 1, 1]]).tolist() == [[0, 1]]
    assert np.exp(smooth.log_joint([[1, 1, 1]])) == pytest.approx(np.array([[0.0375, 0.0768]]), abs=1e-9)
    assert smooth.predict_proba([[1, 1, 1]])[0, 1] == pytest.approx(0.67192, abs=5e-6)


@pytest.mark.parametrize("alpha", [1.0, 0.1, 7.0])
def test_words_agree_with_scikit_learn(alpha):
    rng = np.random.default_rng(0)
    X, y = rng.poisson(0.4, size=(90, 25)), rng.integers(0, 4, 90)
    for ours, theirs in (
        (BernoulliNaiveBayes(alpha), BernoulliNB(alpha=alpha)),
        (MultinomialNaiveBayes(alpha), MultinomialNB(alpha=alpha)),
    ):
        ours.fit(X, y), theirs.fit(X, y)
        assert np.abs(ours.predict_proba(X) - theirs.predict_proba(X)).max() < 1e-6
        assert np.log(ours.theta_) == pytest.approx(theirs.feature_log_prob_)


def test_raw_shares_with_zeros():
    rng = np.random.default_rng(1)
    X, y = rng.poisson(0.7, size=(40, 4)), rng.integers(0, 2, 40)
    X[y == 0, 2] = 0
    for ours, theirs in (
        (BernoulliNaiveBayes(0), BernoulliNB(alpha=0)),
        (MultinomialNaiveBayes(0), MultinomialNB(alpha=0)),
    ):
        ours.fit(X, y)
        with np.errstate(all="ignore"):
            wanted = theirs.fit(X, y).predict_proba(X[:, :])
        good = ~np.isnan(wanted).any(axis=1)
        assert ours.predict_proba(X)[good] == pytest.approx(wanted[good], abs=1e-9)
        assert (ours.predict_proba(X[X[:, 2] > 0])[:, 0] == 0).all()


def test_scores_order_samples_as_probabilities_do():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 50)
    X = rng.poisson(np.array([[3, 2], [2, 3]])[y])
    model = MultinomialNaiveBayes().fit(X, y)
    order = np.argsort(model.decision_function(X), kind="stable")
    assert (np.diff(model.predict_proba(X)[order, 1]) >= 0).all()


def test_long_documents_do_not_underflow():
    rng = np.random.default_rng(0)
    X = rng.multinomial(100_000, [[0.2, 0.3, 0.5], [0.25, 0.3, 0.45]])
    model = MultinomialNaiveBayes().fit(X, ["a", "b"])
    fresh = rng.multinomial(100_000, [[0.2, 0.3, 0.5], [0.25, 0.3, 0.45]])
    assert (np.prod(model.theta_[:, None] ** fresh, axis=2) == 0).all()
    assert model.predict(fresh).tolist() == ["a", "b"]
    assert model.predict_proba(fresh).sum(axis=1) == pytest.approx(1)
    wide = rng.random((20, 20_000)) < np.where(np.arange(20)[:, None] % 2, 0.02, 0.021)
    wide[np.arange(20), np.arange(20) % 2] = True
    coins = BernoulliNaiveBayes().fit(wide, np.arange(20) % 2)
    assert np.isfinite(coins.log_joint(wide)).all()
    assert coins.predict_proba(wide).sum(axis=1) == pytest.approx(1)
    mixture = GaussianNaiveBayes().fit(
        np.vstack([np.zeros((3, 5000)), np.ones((3, 5000))]) + rng.normal(size=(6, 5000)), [0, 0, 0, 1, 1, 1]
    )
    assert np.isfinite(mixture.log_joint(rng.normal(size=(2, 5000)))).all()


def test_bad_input_of_words():
    with pytest.raises(ValueError, match=r"least entry is -1 \(Negative values in data\).*GaussianNaiveBayes"):
        MultinomialNaiveBayes().fit([[1, -1], [0, 1]], [0, 1])
    model = MultinomialNaiveBayes().fit([[1, 1], [0, 1]], [0, 1])
    with pytest.raises(ValueError, match="least entry is -2"):
        model.predict([[0, -2]])
    with pytest.raises(ValueError, match="X holds values up to 1e.307; their products leave"):
        MultinomialNaiveBayes().fit([[1e307, 1], [1e307, 1]], [0, 1])
    with pytest.raises(ValueError, match="class 1 has no words at all.*alpha > 0"):
        MultinomialNaiveBayes(0).fit([[1, 1], [0, 0]], [0, 1])
    for cls in (BernoulliNaiveBayes, MultinomialNaiveBayes):
        with pytest.raises(ValueError, match="alpha must be at least 0; got -0.5"):
            cls(-0.5).fit([[1, 1], [0, 1]], [0, 1])
    with pytest.raises(ValueError, match="threshold must be a finite number"):
        BernoulliNaiveBayes(threshold=np.nan).fit([[1, 1], [0, 1]], [0, 1])


def test_counts_and_truth_values_are_switches():
    X, y = np.array([[2, 0], [0, 5], [1, 1], [0, 3]]), [0, 1, 0, 1]
    a, b = BernoulliNaiveBayes().fit(X, y), BernoulliNaiveBayes().fit(X > 0, y)
    assert np.array_equal(a.predict_proba(X), b.predict_proba(X > 0))
    high = BernoulliNaiveBayes(threshold=1.5).fit(X, y)
    assert np.array_equal(high.predict_proba(X), BernoulliNaiveBayes().fit(X > 1.5, y).predict_proba(X > 1.5))


def test_doubled_features_double_the_evidence():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 200)
    X = (rng.random((200, 3)) < np.array([[0.3, 0.5, 0.6], [0.6, 0.4, 0.7]])[y]).astype(float)
    one, two = BernoulliNaiveBayes().fit(X, y), BernoulliNaiveBayes().fit(np.hstack([X, X]), y)
    prior = np.log(one.priors_[1] / one.priors_[0])
    assert two.decision_function(np.hstack([X, X])) - prior == pytest.approx(2 * (one.decision_function(X) - prior))


# --- Vocabulary ------------------------------------------------------------------------------------------------

FILMS = ["good good film", "bad film", "film plot plot"]


def test_tf_idf_by_hand():
    words = Vocabulary(FILMS)
    assert words.words_ == ["bad", "film", "good", "plot"]
    x = words.tf_idf(FILMS[:1])[0]
    assert x[words.index("good")] == pytest.approx(0.732408, abs=1e-6)
    assert x[words.index("film")] == 0
    assert words.boolean(FILMS).tolist() == [[0, 1, 1, 0], [1, 1, 0, 0], [0, 1, 0, 1]]
    assert words.counts(FILMS).tolist() == [[0, 1, 2, 0], [1, 1, 0, 0], [0, 1, 0, 2]]


def test_vocabulary_agrees_with_scikit_learn():
    texts = datasets.news().X
    vectorizer = CountVectorizer(tokenizer=tokenize, token_pattern=None)
    theirs = vectorizer.fit_transform(texts).toarray()
    words = Vocabulary(texts)
    assert words.words_ == vectorizer.get_feature_names_out().tolist()
    assert np.array_equal(words.counts(texts), theirs)
    weighted = TfidfTransformer(smooth_idf=False, norm=None).fit_transform(theirs).toarray()  # counts (ln(N/n_j) + 1)
    lengths = theirs.sum(axis=1, keepdims=True)
    assert words.tf_idf(texts) == pytest.approx((weighted - theirs) / lengths)
    pairs = CountVectorizer(tokenizer=tokenize, token_pattern=None, ngram_range=(1, 2), min_df=2).fit(texts)
    assert Vocabulary(texts, n=2, min_documents=2).words_ == pairs.get_feature_names_out().tolist()


def test_words_outside_the_vocabulary_are_passed_over():
    words = Vocabulary(FILMS)
    assert words.counts(["a good book", ""]).tolist() == [[0, 0, 1, 0], [0, 0, 0, 0]]
    assert words.tf_idf(["a good book", ""])[:, 2] == pytest.approx([np.log(3) / 3, 0])
    assert "good" in words
    assert "book" not in words
    assert len(words) == 4
    assert repr(words) == "Vocabulary(4 words)"
    with pytest.raises(ValueError, match="'book' is none of the 4 terms"):
        words.index("book")


def test_stop_words_stems_and_pairs():
    text = ["The storms stormed the city; cities storm."]
    assert Vocabulary(text, stop_words=STOP_WORDS, stemming=True).words_ == ["city", "storm"]
    assert Vocabulary(["home team won"], n=2).words_ == ["home", "home team", "team", "team won", "won"]
    assert Vocabulary(["a b", "b c"], min_documents=2).words_ == ["b"]
    assert [stem(w) for w in ("classes", "class", "singer's", "voted", "planned", "falling", "fans", "is")] == [
        "class", "class", "singer", "vot", "plan", "fall", "fan", "is",
    ]  # fmt: skip
    assert tokenize("Don't panic: 34 degrees, co-operate_now") == [
        "don't",
        "panic",
        "34",
        "degrees",
        "co-operate",
        "now",
    ]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: Vocabulary("one text"), r"got one text. Use \[text\]"),
        (lambda: Vocabulary([]), "documents is empty"),
        (lambda: Vocabulary(3), "must be a list of texts; got 3"),
        (lambda: Vocabulary(["a", 3]), r"documents\[1\] is 3"),
        (lambda: Vocabulary(["the"], stop_words=["the"]), "no word is left"),
        (lambda: Vocabulary(["the"], stop_words="the"), "stop_words must be a collection of words; got the text 'the'"),
        (lambda: Vocabulary(["the"], n=0), "n must be at least 1"),
        (lambda: Vocabulary(["the"], min_documents=0), "min_documents must be at least 1"),
        (lambda: Vocabulary(["the"], stemming="yes"), "stemming must be one of True, False"),
        (lambda: Vocabulary().counts(["a"]), "has not been fitted"),
        (lambda: len(Vocabulary()), "has not been fitted"),
        (lambda: tokenize(3), "a document must be text; got 3"),
    ],
)
def test_bad_input_of_the_vocabulary(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def test_news_from_text_to_class():
    data = datasets.news()
    train = np.arange(165) % 11 > 0
    words = Vocabulary(data.X[train])
    model = MultinomialNaiveBayes().fit(words.counts(data.X[train]), data.y[train])
    assert model.score(words.counts(data.X[~train]), data.y[~train]) > 0.5


# --- Errata ----------------------------------------------------------------------------------------------------


def m_estimate(count, n, m, p):
    return (count + m * p) / (n + m)


def test_erratum_s0_e31():
    """A previous estimate of 0 as p stays 0; a prior guess does not."""
    assert m_estimate(0, 5, 3, 0 / 5) == 0
    assert NaiveBayes(3, 1 / 3).fit(TENNIS.X, TENNIS.y).conditional(0, "Overcast", "No") == pytest.approx(0.125)


def test_erratum_s0_e32():
    """A zero count forbids the class only for rows with that value."""
    model = NaiveBayes(m=0).fit(TENNIS.X, TENNIS.y)
    assert model.conditional(0, "Overcast", "No") == 0
    assert model.predict_proba([QUERY])[0, 0] == pytest.approx(0.795417, abs=1e-6)
    assert model.predict_proba([["Overcast", *QUERY[1:]]])[0, 0] == 0


def test_erratum_s0_e33():
    """tf counts within one document: "good" does not occur in the second, though twice in all."""
    words = Vocabulary(FILMS)
    j = words.index("good")
    assert words.tf_idf(FILMS)[1, j] == 0
    assert words.counts(FILMS)[:, j].sum() == 2


def test_erratum_s0_e34():
    """3 of 4: the likelihood is highest at 3/4, not at the smoothed (3 + 1)/(4 + 2)."""
    log_likelihood = lambda theta: 3 * np.log(theta) + np.log(1 - theta)  # noqa: E731
    assert log_likelihood(0.75) == pytest.approx(-2.249341, abs=1e-6)
    assert log_likelihood(2 / 3) == pytest.approx(-2.315008, abs=1e-6)


def test_erratum_s0_e35():
    """The multinomial coefficient has the length of the document above, not the size of the vocabulary."""
    pairs = [(k, 4 - k) for k in range(5)]
    coefficient = lambda top, counts: math.factorial(top) / math.prod(map(math.factorial, counts))  # noqa: E731
    assert sum(coefficient(4, c) * 0.5**4 for c in pairs) == pytest.approx(1)
    assert sum(coefficient(2, c) * 0.5**4 for c in pairs) == pytest.approx(0.083333, abs=1e-6)
    assert (coefficient(4, (3, 1)), coefficient(2, (3, 1))) == (4, pytest.approx(1 / 3))


def test_erratum_s0_e36():
    """A sum of smoothed shares, document by document, is no distribution; the share of the sums is."""
    printed = ((W16 + 1) / (W16.sum(axis=1, keepdims=True) + 3)).sum(axis=0)
    assert printed[0] == pytest.approx(1.042857, abs=1e-6)
    assert printed.sum() == pytest.approx(3)
    assert MultinomialNaiveBayes(1).fit([*W16, [1, 0, 0]], [0, 0, 0, 1]).theta_[0].sum() == pytest.approx(1)


def test_erratum_s0_e37_and_e38():
    """w0 has the logarithm of the prior odds, and enters with a plus."""
    mu_1, mu_0, Sigma, x = np.array([1, 2.0]), np.array([-1, 0.0]), np.array([[2, 0.5], [0.5, 1]]), np.array([0.5, 0.2])
    w, b = plane(mu_1, mu_0, Sigma, 0.3)
    assert sigmoid(w @ x + b) == pytest.approx(0.126418, abs=1e-6)
    assert sigmoid(w @ x + b - np.log(0.3 / 0.7) + 0.3 / 0.7) == pytest.approx(0.341382, abs=1e-6)
    assert sigmoid(w @ x - b) == pytest.approx(0.960462, abs=1e-6)


def test_erratum_s0_e39():
    """A shared covariance with correlation is not naive Bayes."""
    mu, Sigma, x = np.array([1.0, 0]), np.array([[1, 0.9], [0.9, 1]]), np.array([0.5, 1])
    full, diagonal = (sigmoid(np.dot(*(plane(mu, -mu, S, 0.5)[0], x))) for S in (Sigma, np.eye(2)))
    assert full == pytest.approx(0.014622, abs=1e-6)
    assert diagonal == pytest.approx(0.731059, abs=1e-6)


def test_erratum_s1_e28():
    """The joint is the product rule; the sum over classes is total probability. Both hold for any table."""
    joint = np.random.default_rng(0).dirichlet(np.ones(12)).reshape(3, 4)
    p_y = joint.sum(axis=0)
    given_y = joint / p_y
    assert given_y * p_y == pytest.approx(joint)
    assert (given_y * p_y).sum(axis=1) == pytest.approx(joint.sum(axis=1))


def test_erratum_s1_e29():
    """h(x) is the chance of y = 1 only: taken for both labels it sums to 1.4."""
    X, y = classes(k=2)
    p = LogisticRegression(lam=0.1).fit(X, y).predict_proba(X)
    assert p.sum(axis=1) == pytest.approx(1)
    assert 0.7 + 0.7 == pytest.approx(1.4)


def test_erratum_s1_e30():
    """A generative model needs no more than one feature."""
    model = GaussianDiscriminant().fit([[1], [2], [3], [5], [6], [7]], [0, 0, 0, 1, 1, 1])
    X, y = model.sample(50, rng=0)
    assert X.shape == (50, 1)
    assert set(y) == {0, 1}


def test_erratum_s1_e31():
    """With the mean of class 0 in both densities the posterior is the prior everywhere."""
    x = np.linspace(0, 8, 9)
    density = norm(2, np.sqrt(2 / 3)).pdf(x)
    assert density / (density + density) == pytest.approx(0.5)


def test_erratum_s1_e32():
    """The product of the joint is maximised, not a sum of conditionals."""
    grid = np.linspace(0, 1, 1001)
    assert grid[np.argmax(3 * grid + (1 - grid))] == 1
    assert grid[np.argmax(grid**3 * (1 - grid))] == 0.75
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 100)
    X = rng.exponential(size=(200, 1)) * (1 + 3 * y[:, None])
    by_joint, by_conditional = GaussianDiscriminant().fit(X, y), LogisticRegression().fit(X, y)
    conditional = [np.log(m.predict_proba(X)[np.arange(200), y]).sum() for m in (by_joint, by_conditional)]
    assert conditional[0] < conditional[1]


def test_erratum_s1_e33():
    """With the wrong sign of the quadratic form the objective falls for ever as a mean moves away."""
    X, y = classes(d=2, k=2)
    model = GaussianDiscriminant().fit(X, y)
    far = model.means_[0] + np.array([[0, 0], [1e2, 1e2], [1e4, 1e4]])
    quadratic = [0.5 * sum((x - mu) @ np.linalg.solve(model.covariance_, x - mu) for x in X[y == 0]) for mu in far]
    right, printed = np.array(quadratic), -np.array(quadratic)
    assert (np.diff(right) > 0).all()
    assert (np.diff(printed) < 0).all()


def test_erratum_s1_e34():
    """The indicators belong inside the sum: outside, the result hangs on which i they take."""
    X, y = classes(d=2, k=2)
    model = GaussianDiscriminant().fit(X, y)
    centred = X[:, None] - model.means_
    inside = sum((centred[y == k, k].T @ centred[y == k, k]) for k in (0, 1)) / len(X)
    outside = [centred[:, y[i]].T @ centred[:, y[i]] / len(X) for i in range(len(X))]
    assert model.covariance_ == pytest.approx(inside)
    assert not any(np.allclose(S, inside) for S in outside)


def test_erratum_s1_e35():
    """Without the division by p(x) there is no probability to compare with one half."""
    mu = np.array([1.0, 1.0])
    assert 0.5 * multivariate_normal_pdf(mu, mu, np.eye(2)) == pytest.approx(0.0796, abs=5e-5)
    assert 0.5 * norm(0, 0.1).pdf(0) == pytest.approx(1.995, abs=5e-4)


def test_erratum_s1_e36():
    """The prior counts once, not once per feature."""
    ratio = np.array([0.8, 1.0])
    joint = np.array([0.9, 0.1]) * (ratio / 0.94) ** 20 * [1, 1]
    right = joint[1] / joint.sum()
    printed = (0.1**20) / (0.1**20 + 0.9**20 * 0.8**20)
    assert right > 0.8
    assert printed < 1e-15


def test_erratum_s1_e37():
    assert count_parameters(9999, 10, "boolean naive", free=False) - count_parameters(9999, 10, "boolean naive") == 1


def test_erratum_s1_e38():
    """A zero count in one class gives it probability 0; 0/0 needs a zero in every class."""
    X, y = [[1, 0, 1], [1, 1, 0], [1, 0, 0], [0, 1, 1], [0, 1, 0]], [1, 1, 1, 0, 0]
    assert BernoulliNaiveBayes(0).fit(X, y).predict_proba([[1, 1, 1]]).tolist() == [[0, 1]]
    with pytest.raises(ValueError, match="probability 0 in every class"):
        BernoulliNaiveBayes(0).fit(X, y).predict([[0, 0, 0]])


def test_erratum_s2_e2_20():
    """The joint sums to p(x); only divided by it does it become the posterior."""
    joint = np.array([0.6 * 0.8, 0.4 * 0.3])
    assert joint.tolist() == pytest.approx([0.48, 0.12])
    assert joint.sum() == pytest.approx(0.6)
    assert np.exp(log_posterior(np.log(joint))) == pytest.approx([0.8, 0.2])


def test_erratum_s2_e2_21():
    """Classes 0 and 1 hold no sample of a class 2."""
    c = np.array([1, 0, 1, 0, 1])
    x = np.array([1, 1, 0, 0, 1])
    assert np.sum(c == 2) == 0
    assert BernoulliNaiveBayes(0).fit(x[:, None], c).theta_[0, 0] == 0.5


def test_erratum_s2_e2_35():
    assert count_parameters(100, 5, "boolean naive") == 504
    assert count_parameters(100, 2, "boolean naive") == 2 * 100 + 1


def test_erratum_s3_e3_17():
    """P(C) prod P(x_i | C) is proportional to the posterior: .06 and .012 sum to .072."""
    joint = np.array([0.6 * 0.2 * 0.5, 0.4 * 0.1 * 0.3])
    assert joint.sum() == pytest.approx(0.072)
    assert np.exp(log_posterior(np.log(joint)))[0] == pytest.approx(0.833333, abs=1e-6)


def test_erratum_s4_f9():
    """Raw frequencies let one zero kill a product; the m-estimate does not."""
    assert m_estimate(0, 5, 0, 1 / 3) == 0
    assert m_estimate(0, 5, 3, 1 / 3) == pytest.approx(0.125)


def test_erratum_s4_f10():
    """The likelihood is highest at the mean of the samples, not at their least."""
    sample = np.array([1, 2, 6])
    height = lambda mu: -0.5 * np.sum((sample - mu) ** 2)  # noqa: E731
    assert (height(sample.min()), height(sample.mean())) == (-13, -7)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000))
def test_posterior_of_any_two_gaussians_is_a_sigmoid(seed):
    rng = np.random.default_rng(seed)
    d = int(rng.integers(1, 5))
    A = rng.normal(size=(d, d)) + 2 * np.eye(d)
    mu, Sigma, prior = rng.normal(size=(2, d)), A @ A.T + 0.1 * np.eye(d), rng.uniform(0.05, 0.95)
    x = rng.normal(size=(20, d))
    joint = [q * multivariate_normal_pdf(x, m, Sigma) for q, m in zip((1 - prior, prior), mu)]
    w, b = plane(mu[1], mu[0], Sigma, prior)
    assert sigmoid(x @ w + b) == pytest.approx(joint[1] / (joint[0] + joint[1]), abs=1e-7)


# --- Numbers in the folded answers of the chapter --------------------------------------------------------------


FOLDED = [
    ("class_boundary", {"rho0": 0.9, "rho1": -0.9}, ["9.7 %", "own covariances would be on 4.3 %"]),
    ("class_boundary", {"rho0": 0.9, "rho1": -0.9, "shared": False}, ["a hyperbola", "4.3 %"]),
    ("class_boundary", {"rho0": 0, "rho1": 0, "stretch": 2.5, "prior": 0.05, "shared": False}, ["an ellipse"]),
    ("class_boundary", {"prior": 0.05}, ["3.91", "− 2.94"]),
    ("class_boundary", {}, ["3.91", "straight line"]),
    ("repeated_evidence", {"c": 0.8}, ["0.9166", "0.4674", "different"]),
    ("repeated_evidence", {}, ["of 0.9166; it is 0.9166", "Both choose the same class"]),
    ("class_boundary", {"gap": 0}, ["No boundary", "50.0 % of the points; own covariances would be on 50.0 %"]),
    ("class_boundary", {"gap": 0, "rho0": 0, "rho1": 0, "shared": False}, ["No boundary", "would be on 50.0 %"]),
    ("word_smoothing", {}, ["86 %", "76 %"]),
    ("word_smoothing", {"alpha": 1e-4}, ["85 %", "96 %", "weather", "0.00038"]),
    ("word_smoothing", {"alpha": 100}, ["78 %", "21 %"]),
]


@pytest.mark.parametrize(("name", "params", "words"), FOLDED)
def test_folded_answers_quote_the_explorers(name, params, words):
    explorer = made(name)
    said = explorer.describe(explorer.compute(**params)).replace("**", "")
    assert all(word in said for word in words), said


def test_the_wide_class_wins_far_out_on_every_side():
    explorer = made("class_boundary")
    along = explorer.compute(rho0=0, rho1=0, stretch=2.5, prior=0.05, shared=False)[4]
    assert 0.9 < along[0] < 0.95
    assert along[-1] > 0.99
    assert along.min() < 0.01


def test_other_numbers_of_the_folded_answers():
    assert np.exp(made("repeated_evidence").compute(c=0.8)[2][7]) == pytest.approx(0.878, abs=5e-4)
    assert count_parameters(30, 2) == 1 + 2 * 30 + 465


def test_copies_that_are_all_copies_bring_nothing():
    explorer = made("repeated_evidence")
    _, naive, exact = explorer.compute(c=1.0)
    assert np.ptp(exact) == 0
    assert np.diff(naive) == pytest.approx(np.log(1.5))
    _, naive, exact = explorer.compute(c=0.0)
    assert naive == pytest.approx(exact)


def test_exact_chance_of_copies_by_enumeration():
    """P(all present | class) summed over which later features are copies."""
    d, c = 4, 0.8
    odds = np.log(0.3 / 0.7)
    total = [
        sum(
            np.prod([c if copy else (1 - c) * theta for copy in copies])
            for copies in itertools.product([True, False], repeat=d - 1)
        )
        * theta
        for theta in (0.6, 0.4)
    ]
    assert made("repeated_evidence").compute(d=d, c=c)[2][d - 1] == pytest.approx(odds + np.log(total[0] / total[1]))


# --- Calibration -----------------------------------------------------------------------------------------------


def noisy_scores(n=300, seed=0):
    """Return rounded scores, so that some are equal, and outcomes with the log-odds 2a."""
    rng = np.random.default_rng(seed)
    a = rng.normal(size=n).round(1)
    return a, (rng.random(n) < sigmoid(2 * a)).astype(int)


@pytest.mark.parametrize("seed", range(5))
def test_isotonic_agrees_with_scikit_learn(seed):
    a, t = noisy_scores(seed=seed)
    theirs = IsotonicRegression(out_of_bounds="clip").fit(a, t)
    places = np.linspace(-5, 5, 301)
    assert np.interp(places, *isotonic(a, t)) == pytest.approx(theirs.predict(places), abs=1e-9)


def test_isotonic_by_hand():
    knots, heights = isotonic([4, 3, 2, 1], ["b", "a", "b", "a"])
    assert knots.tolist() == [1, 2, 3, 4]
    assert heights == pytest.approx([0, 0.5, 0.5, 1])
    assert isotonic([1, 1, 2, 2], [0, 1, 0, 0])[1] == pytest.approx([0.25, 0.25])


def test_platt_finds_the_sigmoid():
    a, t = noisy_scores(20_000)
    assert platt(a, t) == pytest.approx((2, 0), abs=0.15)
    A, B = platt([-30, -20, 20, 30], [0, 0, 1, 1])  # separable: the penalty keeps A finite
    assert 0 < A < 10
    assert B == pytest.approx(0, abs=1e-6)
    twice = platt(2 * a, t)
    assert twice == pytest.approx((platt(a, t)[0] / 2, platt(a, t)[1]), abs=1e-4)


def test_calibration_of_scikit_learn_reads_probabilities():
    """Why its sigmoid differs from ours for `GaussianNB`, as the card says."""
    cancer = datasets.breast_cancer()
    X, y = cancer.X[:300], cancer.y[:300]
    theirs = CalibratedClassifierCV(GaussianNB(), method="sigmoid", cv=5, ensemble=False).fit(X, y)
    said = theirs.predict_proba(cancer.X[300:])[:, 1]
    p = cross_val_predict(GaussianNB(), X, y, cv=5, method="predict_proba")[:, 1]
    a = np.diff(cross_val_predict(GaussianNB(), X, y, cv=5, method="predict_log_proba"))[:, 0]
    model = GaussianNB().fit(X, y)
    p_new, a_new = model.predict_proba(cancer.X[300:])[:, 1], np.diff(model.predict_joint_log_proba(cancer.X[300:]))
    of_chances, of_odds = (sigmoid(A * x.ravel() + B) for x, (A, B) in ((p_new, platt(p, y)), (a_new, platt(a, y))))
    assert np.abs(said - of_chances).max() < 0.02
    assert np.abs(said - of_odds).max() > 0.2


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: platt([[1.0], [2.0]], [0, 1]), "scores must have shape"),
        (lambda: isotonic([1, 2, 3], [0, 1]), "3"),
        (lambda: isotonic([1, 2, 3], [0, 1, 2]), "separates two classes"),
        (lambda: isotonic([1, 2], [1, 1]), "at least 2 classes"),
    ],
)
def test_bad_input_of_calibration(call, words):
    with pytest.raises(ValueError, match=words):
        call()


# --- Stored runs -----------------------------------------------------------------------------------------------


def test_stored_runs_are_those_of_the_code():
    race = stored.race_run(0.1, 40, 7)
    kept = stored.race_runs()
    assert race[:-2] == pytest.approx([kept[name][0, 7] for name in stored.RACERS], abs=2e-3)
    assert race[-2:] == pytest.approx([kept["lambda"][0, 7], kept["s"][0, 7]], rel=1e-4)
    assert stored.race_run(0.0, 40, 3)[0] == pytest.approx(stored.race_runs(0.0)["naive Bayes"][0, 3], abs=2e-3)
    assert stored.wine_split(4) == [stored.wine_runs()[name][4] for name in stored.WINES]
    assert stored.news_split(25, 2) == [stored.news_runs(25)[name][2] for name in stored.NEWS]
    assert stored.digit_split(5) == pytest.approx([share[5] for share in stored.digit_runs().values()], abs=2e-3)
    truth, p = stored.tumour_split(6)[0], stored.tumour_line(6)
    squares, wrong = stored.tumour_runs()
    assert np.mean((p - truth) ** 2) == pytest.approx(squares[6], abs=1e-4)
    assert np.sum((p > 0.5) != truth) == wrong[6]


def test_stored_runs_are_whole():
    assert stored.race_runs()["naive Bayes"].shape == (5, 60)
    assert stored.race_runs(0.0)["naive Bayes"].shape == (5, 20)
    runs = [*stored.wine_runs().values(), *stored.news_runs().values(), *stored.digit_runs().values()]
    assert all(column.shape == (stored.SPLITS,) for column in runs)


def test_parts_keep_the_shares_of_the_classes():
    y = datasets.news().y
    for seed in range(5):
        train, test = stored.parted(y, 55, seed)
        assert sorted([*train, *test]) == list(range(165))
        assert set(np.unique(y[test], return_counts=True)[1]) == {11}
    y = datasets.wine().y
    shares = np.bincount(y[stored.parted(y, 60, 0)[1]]) / 60
    assert shares == pytest.approx(np.bincount(y) / len(y), abs=0.02)


def test_a_heavy_penalty_leaves_the_difference_of_the_means():
    X, y = stored.world(80, 1)
    w, gap = LogisticRegression(1e7).fit(X, y).w_, X[y == 1].mean(axis=0) - X[y == 0].mean(axis=0)
    assert w / np.linalg.norm(w) == pytest.approx(gap / np.linalg.norm(gap), abs=1e-4)


CONSTANTS = [0.1, 0.7, 1e6 + 0.1, 2.5]  # the mean of many such numbers is not always the number


@pytest.mark.parametrize("constant", CONSTANTS)
def test_a_constant_feature_is_refused_whatever_its_mean_rounds_to(constant):
    rng = np.random.default_rng(1)
    y = 1 * (np.arange(141) % 3 == 0)
    X = rng.normal(size=(141, 2)) + y[:, None]
    Z = np.column_stack([X, np.full(141, constant)])
    for shared in (True, False):
        with pytest.raises(ValueError, match="feature 2 is constant there"):
            GaussianDiscriminant(shared).fit(Z, y)
    with pytest.raises(ValueError, match="feature 2 is constant in class 0"):
        GaussianNaiveBayes(smoothing=0).fit(Z, y)

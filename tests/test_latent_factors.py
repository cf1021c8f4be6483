"""Chapter 22: components, factors and sources against scikit-learn, closed forms and finite differences."""

import warnings

import numpy as np
import pytest
from explorers import made
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import decomposition, manifold

from mlteach import datasets
from mlteach.latent_factors import (
    ICA,
    PCA,
    FactorAnalysis,
    ProbabilisticPCA,
    choose_components,
    ica_gradient,
    ica_log_likelihood,
    kurtosis,
    linear_gaussian_em,
    mixing_matrix,
    ppca_em,
    rotate_image,
    rotated_digit,
    sources,
    tsne,
)
from mlteach.latent_factors.tsne import neighbour_probabilities
from mlteach.nearest_neighbors import KNNClassifier
from mlteach.optimization import numerical_gradient
from mlteach.probability import conditional_normal, multivariate_normal_pdf
from mlteach.validation import ConvergenceWarning, NotFittedError

TEN = np.array(
    [(2.5, 2.4), (0.5, 0.7), (2.2, 2.9), (1.9, 2.2), (3.1, 3), (2.3, 2.7), (2, 1.6), (1, 1.1), (1.5, 1.6), (1.1, 0.9)]
)
W3 = np.array([[1, 0], [0.5, 1], [0, 2.0]])  # the loadings of W39, with noise 0.5
LAPLACE = np.random.default_rng(5).laplace(size=(3000, 2))
MIX = np.array([[1, 0.6], [0.4, 1]])


def cloud(n=60, d=5, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)) @ rng.normal(size=(d, d)) + rng.normal(size=d)


def factors(n=400, d=6, m=2, seed=0):
    rng = np.random.default_rng(seed)
    L, noise = rng.normal(size=(d, m)), rng.uniform(0.7, 1.6, size=d)
    return rng.normal(size=(n, m)) @ L.T + rng.normal(size=(n, d)) * noise + 3, L, noise**2


def matched(S, T):
    """Return the absolute correlations of the best pairing of columns."""
    C = np.abs(np.corrcoef(S.T, T.T)[: S.shape[1], S.shape[1] :])
    assert sorted(C.argmax(axis=1).tolist()) == list(range(len(C)))
    return C.max(axis=1)


# --- numbers of the sources -----------------------------------------------------------------------------------


def test_ten_points():
    """S0 W37: mean, covariance, eigenvalues, axis, share, error."""
    model = PCA(1).fit(TEN)
    S = np.cov(TEN.T, bias=True)
    assert np.allclose(model.mean_, [1.81, 1.91])
    assert np.allclose(S, [[0.5549, 0.5539], [0.5539, 0.6449]])
    assert np.allclose(np.linalg.eigvalsh(S), [0.044175, 1.155625], atol=5e-7)
    assert np.allclose(model.components_, [[0.677873, 0.735179]], atol=5e-7)
    assert model.explained_variance_[0] * 0.9 == pytest.approx(1.155625, abs=5e-7)
    assert model.explained_variance_ratio_[0] == pytest.approx(0.963181, abs=5e-7)
    assert model.reconstruction_error(TEN) == pytest.approx(0.044175, abs=5e-7)


def test_four_points_in_ten_dimensions():
    """S0 W38: d - N + 1 zero eigenvalues, and the small matrix gives the axes of the large one."""
    X = np.random.default_rng(0).normal(size=(4, 10))
    X = X - X.mean(axis=0)
    S, G = X.T @ X / 4, X @ X.T / 4
    assert np.sum(np.linalg.eigvalsh(S) < 1e-12) == 7
    lam, V = np.linalg.eigh(G)
    for k in (1, 2, 3):
        u = X.T @ V[:, k] / np.sqrt(4 * lam[k])
        assert np.linalg.norm(u) == pytest.approx(1)
        assert np.allclose(S @ u, lam[k] * u)
    assert np.allclose(np.linalg.eigvalsh(S)[-3:], lam[1:])


def test_posterior_of_probabilistic_pca():
    """S0 W39: posterior mean and covariance, and the fit to the ten points."""
    C = W3 @ W3.T + 0.5 * np.eye(3)
    joint = np.block([[np.eye(2), W3.T], [W3, C]])
    law = conditional_normal(np.array([0, 0, 1, 2, 3.0]), joint, {2: 2.0, 3: 1.0, 4: 4.0})
    M = W3.T @ W3 + 0.5 * np.eye(2)
    assert np.allclose(np.linalg.solve(M, W3.T @ [1, -1, 1]), [0.24, 0.16])
    assert np.allclose(law.mu, [0.24, 0.16])
    assert np.allclose(0.5 * np.linalg.inv(M), law.Sigma)
    assert np.allclose(law.Sigma, [[0.293333, -0.026667], [-0.026667, 0.093333]], atol=5e-7)
    model = ProbabilisticPCA(1).fit(TEN)
    assert model.noise_variance_ == pytest.approx(0.044175, abs=5e-7)
    assert np.allclose(model.W_[:, 0], [0.714650, 0.775064], atol=5e-7)
    assert np.allclose(model.covariance(), np.cov(TEN.T, bias=True))


def test_a_feature_twice_another():
    """S1 W40: (0..4) and its double have the eigenvalues 10 and 0."""
    x = np.arange(5.0)
    model = PCA().fit(np.column_stack([x, 2 * x]))
    assert np.allclose(model.explained_variance_ * 4 / 5, [10, 0])
    assert np.allclose(model.components_[0], [0.4472, 0.8944], atol=5e-5)


def test_ranks_and_counts():
    """S1 W39: ranks of the centred scatter, and how many numbers a covariance has."""
    for n, d, rank in ((3, 5, 2), (5, 5, 4), (6, 5, 5)):
        X = np.random.default_rng(n).normal(size=(n, d))
        assert np.linalg.matrix_rank(np.cov(X.T)) == rank
    assert len(np.triu_indices(50)[0]) == 1275
    L, eye = np.random.default_rng(0).normal(size=(50, 3)), np.eye(50)
    steps = [np.outer(eye[j], L[:, k]) for j in range(50) for k in range(3)]
    change = [(step + step.T).ravel() for step in steps] + [np.diag(row).ravel() for row in eye]
    assert np.linalg.matrix_rank(np.array(change)) == 50 * 3 + 50 - 3  # a rotation of three factors changes nothing


def test_unmixing_two_laplace_sources():
    """S1 W41: W A is nearly diagonal."""
    X = LAPLACE @ MIX.T
    model = ICA(solver="ascent").fit(X)
    mixed = np.abs(model.unmixing_ @ MIX)
    assert np.all(mixed.max(axis=1) > 15 * mixed.min(axis=1))


# --- oracles --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "d"), [(60, 5), (7, 5), (6, 6), (5, 12), (30, 200)])
@pytest.mark.parametrize("whiten", [False, True])
def test_pca_agrees_with_scikit_learn(n, d, whiten):
    X = cloud(n, d)
    m = min(n, d) - 1
    ours, theirs = PCA(m, whiten=whiten).fit(X), decomposition.PCA(m, whiten=whiten, svd_solver="full").fit(X)
    assert np.allclose(ours.explained_variance_, theirs.explained_variance_)
    assert np.allclose(ours.explained_variance_ratio_, theirs.explained_variance_ratio_)
    assert np.allclose(ours.components_, theirs.components_, atol=1e-7)
    assert np.allclose(ours.transform(X), theirs.transform(X), atol=1e-6)
    Z = np.random.default_rng(1).normal(size=(4, m))
    assert np.allclose(ours.inverse_transform(Z), theirs.inverse_transform(Z), atol=1e-6)


@pytest.mark.parametrize("m", [1, 2, 4])
def test_probabilistic_pca_agrees_with_scikit_learn(m):
    """scikit-learn divides by n - 1: the same law up to that factor on the covariance."""
    X = cloud(80)
    root = np.sqrt(79 / 80)
    theirs = decomposition.PCA(m).fit(X)
    stretched = ProbabilisticPCA(m).fit((X - X.mean(0)) / root + X.mean(0))
    assert stretched.noise_variance_ == pytest.approx(theirs.noise_variance_)
    assert stretched.log_likelihood(X) / 80 == pytest.approx(theirs.score(X))
    assert stretched.score(X) == pytest.approx(theirs.score(X))


@pytest.mark.parametrize("m", [1, 2])
@pytest.mark.parametrize("seed", [0, 2, 3])
def test_factor_analysis_agrees_with_scikit_learn(m, seed):
    X, _, _ = factors(n=1000, d=8, m=m, seed=seed)
    ours = FactorAnalysis(m, tol=1e-11, max_iter=20000).fit(X)
    theirs = decomposition.FactorAnalysis(m, tol=1e-12, max_iter=100000, svd_method="lapack").fit(X)
    assert ours.log_likelihood(X) == pytest.approx(1000 * theirs.score(X), abs=1e-3)
    assert np.allclose(ours.noise_variance_, theirs.noise_variance_, atol=2e-3)
    assert np.allclose(ours.covariance(), theirs.get_covariance(), atol=2e-3)
    # the loadings agree up to a rotation of the factors (and for one factor up to its sign)
    U, _, V = np.linalg.svd(theirs.components_ @ ours.loadings_)
    assert np.allclose(ours.loadings_, theirs.components_.T @ U @ V, atol=5e-3)


def test_factor_analysis_on_real_data():
    X = datasets.wine().X
    Y = X / X.std(0)
    theirs = decomposition.FactorAnalysis(2, tol=1e-10, max_iter=50000, svd_method="lapack").fit(Y)
    ours = FactorAnalysis(2).fit(X).log_likelihood(X) + len(X) * np.log(X.std(0)).sum()
    assert ours == pytest.approx(len(X) * theirs.score(Y), abs=0.2)


def test_likelihoods_against_the_density():
    X = cloud(30)
    for model in (ProbabilisticPCA(2).fit(X), FactorAnalysis(2).fit(X)):
        density = multivariate_normal_pdf(X, model.mean_, model.covariance(), log=True)
        assert model.log_likelihood(X) == pytest.approx(density.sum(), rel=1e-9)


def test_posteriors_against_conditioning():
    X = cloud(40, 4)
    for model in (ProbabilisticPCA(2).fit(X), FactorAnalysis(2).fit(X)):
        W = model._W
        joint = np.block([[np.eye(2), W.T], [W, model.covariance()]])
        law = conditional_normal(np.append([0, 0], model.mean_), joint, {k + 2: v for k, v in enumerate(X[0].tolist())})
        assert np.allclose(law.mu, model.transform(X[:1])[0])
        assert np.allclose(law.Sigma, model.posterior_covariance())


def test_closed_form_equals_em():
    X = cloud(70, 5, seed=3)
    for m in (1, 2):
        model, run = ProbabilisticPCA(m).fit(X), ppca_em(X, m, tol=1e-13, max_iter=20000)
        assert run.converged
        assert run.log_likelihood == pytest.approx(model.log_likelihood(X), abs=1e-6)
        assert run.noise_variance == pytest.approx(model.noise_variance_, rel=1e-3)
        assert np.allclose(run.W @ run.W.T, model.W_ @ model.W_.T, atol=1e-2)


def test_the_closed_form_is_the_best():
    """No other W and sigma^2 nearby are more likely."""
    X, rng = cloud(50, 4), np.random.default_rng(1)
    model = ProbabilisticPCA(2).fit(X)
    best = model.log_likelihood(X)
    for _ in range(200):
        C = model.W_ + 0.02 * rng.normal(size=(4, 2))
        C = C @ C.T + model.noise_variance_ * np.exp(0.05 * rng.normal()) * np.eye(4)
        assert multivariate_normal_pdf(X, model.mean_, C, log=True).sum() < best + 1e-9


@pytest.mark.parametrize("solver", ["newton", "ascent"])
def test_ica_recovers_peaked_sources(solver):
    X = LAPLACE @ MIX.T + [3.0, -1.0]
    model = ICA(0, solver=solver).fit(X)
    assert model.converged_
    assert matched(model.transform(X), LAPLACE).min() > 0.99
    assert np.allclose(model.transform(X).std(axis=0), 1)
    assert np.allclose(model.inverse_transform(model.transform(X)), X)


@pytest.mark.parametrize("seed", range(6))
def test_ica_recovers_flat_and_peaked_sources(seed):
    rng = np.random.default_rng(seed)
    t = np.arange(4000)
    S = np.column_stack([rng.uniform(-1, 1, 4000), rng.laplace(size=4000), np.sign(np.sin(t / 30)), np.sin(t / 7.1)])
    X = S @ rng.normal(size=(4, 4))
    assert matched(ICA(seed).fit(X).transform(X), S).min() > 0.98


def test_ica_agrees_with_scikit_learn():
    rng = np.random.default_rng(2)
    S = np.column_stack([rng.laplace(size=2000), rng.uniform(-1, 1, 2000), rng.exponential(size=2000)])
    X = S @ rng.normal(size=(3, 3))
    theirs = decomposition.FastICA(random_state=0, whiten="unit-variance", tol=1e-10, max_iter=1000).fit_transform(X)
    assert matched(ICA(0).fit(X).transform(X), theirs).min() > 1 - 1e-6


def test_ascent_ends_where_the_gradient_is_zero():
    X = LAPLACE @ MIX.T
    X = X - X.mean(axis=0)
    model = ICA(0, solver="ascent", tol=1e-10).fit(X)
    W = model.history_[-1].W @ np.linalg.lstsq(model.history_[-1].W, np.eye(2), rcond=None)[0]
    assert np.allclose(W, np.eye(2))
    scale = np.array([1.0, 1.0])
    for _ in range(200):  # the size of the sources that the logistic density wants
        Y = X @ (model.unmixing_ * scale[:, None]).T
        scale = scale * (1 + 0.5 * (1 - np.mean(np.tanh(Y / 2) * Y, axis=0)))
    assert np.allclose(ica_gradient(model.unmixing_ * scale[:, None], X), 0, atol=1e-6)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 4))
def test_ica_gradient_is_the_gradient(seed, d):
    rng = np.random.default_rng(seed)
    W, X = rng.normal(size=(d, d)) + 2 * np.eye(d), rng.normal(size=(20, d))
    slope = numerical_gradient(lambda w: ica_log_likelihood(w.reshape(d, d), X), W.ravel())
    assert np.allclose(ica_gradient(W, X).ravel(), slope, atol=1e-5)


def test_normal_sources_cannot_be_unmixed():
    """Every turn of whitened normal data has the same likelihood but for chance."""
    Z = np.random.default_rng(0).normal(size=(200_000, 2))
    values = [ica_log_likelihood(1.7 * mixing_matrix(a, a + np.pi / 2).T, Z) for a in np.linspace(0, np.pi / 2, 7)]
    peaked = [ica_log_likelihood(1.7 * mixing_matrix(a, a + np.pi / 2).T, LAPLACE / np.sqrt(2)) for a in (0, np.pi / 4)]
    assert np.ptp(values) < 0.003
    assert peaked[0] > peaked[1] + 0.02


# --- invariants -----------------------------------------------------------------------------------------------


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 12), st.integers(1, 12))
def test_pca_invariants(seed, n, d):
    X = cloud(n, d, seed)
    S = np.cov(X.T, bias=True).reshape(d, d)
    eigenvalues = np.sort(np.linalg.eigvalsh(S))[::-1]
    for m in range(1, min(n, d) + 1):
        model = PCA(m).fit(X)
        assert np.allclose(model.components_ @ model.components_.T, np.eye(m), atol=1e-9)
        assert model.reconstruction_error(X) == pytest.approx(max(eigenvalues[m:].sum(), 0), abs=1e-8 * eigenvalues[0])
        assert np.allclose(model.transform(X).var(axis=0), eigenvalues[:m], atol=1e-8 * eigenvalues[0])
        assert model.score(X) == pytest.approx(model.explained_variance_ratio_.sum(), abs=1e-9)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6), st.integers(3, 20), st.integers(2, 7))
def test_em_never_loses_likelihood(seed, n, d):
    X = cloud(n, d, seed)
    runs = [ppca_em(X, m, rng=seed, max_iter=100).history for m in range(1, min(d, n - 1))]
    runs += [linear_gaussian_em(X, np.ones((d, 1)), np.ones(d), equal=False, max_iter=100).history]
    for history in runs:
        heights = np.array([step.log_likelihood for step in history])
        assert np.all(np.diff(heights) > -1e-6 * (1 + np.abs(heights[1:])))


@pytest.mark.filterwarnings("ignore::mlteach.validation.ConvergenceWarning")
@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6))
def test_units_do_not_matter_to_factor_analysis(seed):
    X, _, _ = factors(seed=seed, n=100)
    units = np.exp(np.random.default_rng(seed).normal(size=6) * 2)
    a, b = FactorAnalysis(2, max_iter=50).fit(X), FactorAnalysis(2, max_iter=50).fit(X * units)
    assert np.allclose(a.loadings_ * units[:, None], b.loadings_, rtol=1e-5, atol=1e-6 * units[:, None])
    assert np.allclose(a.noise_variance_ * units**2, b.noise_variance_, rtol=1e-5)
    heights = [step.log_likelihood for step in b.history_]
    assert heights[-1] == pytest.approx(b.log_likelihood(X * units))
    assert np.all(np.diff(heights) > -1e-6)


def test_samples_have_the_covariance():
    X, L, noise = factors()
    model = FactorAnalysis(2).fit(X)
    drawn = model.sample(60_000, rng=1)
    assert np.allclose(np.cov(drawn.T), model.covariance(), atol=0.15)
    assert np.allclose(model.covariance(), L @ L.T + np.diag(noise), atol=0.8)
    assert ProbabilisticPCA(2).fit(X).sample(3).shape == (3, 6)


def test_factor_analysis_finds_the_noise():
    X, L, noise = factors(n=20_000)
    model = FactorAnalysis(2).fit(X)
    assert np.allclose(model.noise_variance_, noise, atol=0.08)
    assert np.allclose(model.loadings_ @ model.loadings_.T, L @ L.T, atol=0.2)


# --- edges ----------------------------------------------------------------------------------------------------


def test_constant_columns():
    X = np.column_stack([cloud(50, 3), np.full(50, 7.0)])
    assert np.allclose(PCA().fit(X).components_[:3, 3], 0)
    assert PCA().fit(X).explained_variance_[3] == pytest.approx(0, abs=1e-12)
    assert np.isfinite(PCA(whiten=True).fit(X).transform(X)).all()
    assert np.isfinite(ProbabilisticPCA(1).fit(X).log_likelihood(X))
    model = FactorAnalysis(1).fit(X)
    assert np.isfinite(model.log_likelihood(X))
    assert np.allclose(model.loadings_[3], 0)
    assert ICA().fit(X).unmixing_.shape == (3, 4)


def test_points_that_do_not_vary():
    X = np.ones((5, 3))
    assert np.allclose(PCA().fit(X).explained_variance_, 0)
    assert np.allclose(PCA().fit(X).explained_variance_ratio_, 0)
    for model in (ProbabilisticPCA(), FactorAnalysis(), ICA()):
        with pytest.raises(ValueError, match="all points are equal"):
            model.fit(X)
    with pytest.raises(ValueError, match="all points are equal"):
        ppca_em(X, 1)


def test_no_variance_left_for_the_noise():
    x = np.arange(5.0)
    with pytest.warns(ConvergenceWarning, match=r"noise_variance_ is held at .*Take a smaller m"):
        model = ProbabilisticPCA(1).fit(np.column_stack([x, 2 * x]))
    assert np.isfinite(model.log_likelihood([[1.0, 2.0]]))


def test_fewer_points_than_features():
    X = cloud(6, 30)
    for model in (ProbabilisticPCA(2).fit(X), FactorAnalysis(2, max_iter=200, tol=1e-4).fit(X)):
        assert np.linalg.matrix_rank(model.covariance()) == 30
        assert model.transform(X).shape == (6, 2)
    assert PCA().fit(X).components_.shape == (6, 30)


def test_large_data_stay_usable():
    X = np.random.default_rng(0).normal(size=(20_000, 20))
    for model in (PCA(5), ProbabilisticPCA(5), FactorAnalysis(2, max_iter=20, tol=1e-3), ICA(max_iter=5, tol=1.0)):
        assert model.fit(X).transform(X).shape[0] == 20_000


def test_em_warns_when_it_is_stopped():
    X, _, _ = factors()
    with pytest.warns(ConvergenceWarning, match="max_iter=2 steps"):
        FactorAnalysis(2, max_iter=2).fit(X)
    with pytest.warns(ConvergenceWarning, match="may be normal"):
        ICA(max_iter=1, tol=0).fit(X)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: PCA(6).fit(cloud()), r"m must be at most 5 \(min\(n, d\)\); got 6"),
        (lambda: PCA(0).fit(cloud()), "m must be at least 1; got 0"),
        (lambda: PCA(0.9).fit(cloud()), "m must be a whole number"),
        (lambda: PCA(whiten="yes").fit(cloud()), "whiten must be one of"),
        (lambda: PCA(2).fit(cloud()).inverse_transform(np.zeros((3, 3))), "Z must have 2 columns.*got 3"),
        (lambda: PCA().fit([[1.0, 2.0]]), "at least 2 points"),
        (lambda: ProbabilisticPCA(5).fit(cloud()), r"m must be at most 4 \(fewer than features\)"),
        (lambda: FactorAnalysis(1).fit(np.ones((5, 1))), "1 feature"),
        (lambda: FactorAnalysis(1, tol=-1).fit(cloud()), "tol must be at least 0"),
        (lambda: FactorAnalysis(1).fit(cloud()).sample(0), "n must be at least 1"),
        (lambda: ICA(solver="magic").fit(cloud()), "solver must be one of"),
        (lambda: ICA(m=9).fit(cloud()), r"m must be at most 5 \(directions of X that vary\)"),
        (lambda: ica_gradient(np.eye(2), cloud()), r"W must be square.*\(5, 5\); got \(2, 2\)"),
        (lambda: ica_log_likelihood(np.zeros((5, 5)), cloud()), "its determinant is 0"),
        (lambda: choose_components([1, 2]), "largest first"),
        (lambda: choose_components([2, 1], "magic"), "rule must be one of"),
        (lambda: choose_components([2, 1], "elbow", 0.5), "no level"),
        (lambda: choose_components([2, 1], level=1.5), "level must be"),
        (lambda: rotated_digit(digit=10), "digit must be at most 9"),
        (lambda: ppca_em(cloud(), 5), "m must be at most 4"),
        (lambda: tsne(cloud(3)), "at least 4 points"),
        (lambda: tsne(cloud(), perplexity=60), "perplexity must be"),
        (lambda: sources(0.0), "seconds must be at least"),
        (lambda: PCA().fit(cloud() * 1e200), "too large for their squares; change its units"),
        (lambda: ProbabilisticPCA(1).fit(cloud() * 1e200), "too large"),
        (lambda: FactorAnalysis(1).fit(cloud() * 1e200), "too large"),
        (lambda: ICA(0).fit(cloud() * 1e200), "too large"),
        (lambda: ppca_em(cloud() * 1e200, 1), "too large"),
        (lambda: tsne(cloud() * 1e200, 5), "too large"),
        (lambda: FactorAnalysis(1).fit(cloud() * 1e-200), "all points are equal, or too close"),
        (
            lambda: linear_gaussian_em(cloud(), np.ones((3, 1)), np.ones(5), equal=True),
            "row per feature of X, 5; got 3",
        ),
        (lambda: linear_gaussian_em(cloud(), np.ones((5, 1)), np.ones(4), equal=True), "per feature of X, 5; got 4"),
        (lambda: linear_gaussian_em(cloud(), np.ones((5, 1)), [1, 1, 0, 1, 1], equal=False), r"psi\[2\] is 0"),
        (lambda: kurtosis(3.0), "got a single number"),
        (lambda: kurtosis(np.full((7, 1), 0.1)), "does not vary"),
    ],
)
def test_bad_input_is_explained(call, words):
    with pytest.raises(ValueError, match=words):
        call()


@pytest.mark.parametrize(("n", "m", "held"), [(2, 1, True), (3, 2, True), (4, 3, True), (30, 2, False)])
def test_factor_analysis_of_few_points_has_no_bound(n, m, held):
    """Up to m + 1 points the factors explain all of them: no noise is left, and a warning says so."""
    X = np.random.default_rng(n).normal(size=(n, 8))
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        model = FactorAnalysis(m).fit(X)
        ppca_em(X, m, max_iter=5000)
    assert (model.noise_variance_ <= 1e-7 * X.var(axis=0)).all() == held
    assert sum("no bound" in str(w.message) for w in said) == (2 if held else 0)


def test_rules_know_no_units():
    values = np.array([6, 3, 0.6, 0.4])
    for unit in (1e-15, 1.0, 1e300):
        assert [choose_components(values * unit, rule) for rule in ("share", "each", "elbow")] == [2, 3, 2]
    assert choose_components([2, 1, -1e-17]) == 2  # a zero eigenvalue with rounding


def test_kurtosis_has_no_units():
    S = np.random.default_rng(0).laplace(size=(50, 2))
    for unit in (1e-200, 1e200):
        assert np.allclose(kurtosis(S * unit), kurtosis(S))


def test_not_fitted():
    for call in (PCA().inverse_transform, ICA().inverse_transform, FactorAnalysis().inverse_transform):
        with pytest.raises(NotFittedError):
            call([[0.0]])
    for call in (ProbabilisticPCA().covariance, ProbabilisticPCA().posterior_covariance):
        with pytest.raises(NotFittedError):
            call()


# --- rules, pictures, sounds, maps ----------------------------------------------------------------------------


def test_three_rules():
    spectrum = [6, 3, 0.6, 0.4]
    assert choose_components(spectrum) == 2
    assert choose_components(spectrum, level=0.95) == 3
    assert choose_components(spectrum, level=1) == 4
    assert choose_components(spectrum, "each") == 3
    assert choose_components(spectrum, "each", 0.5) == 1
    assert choose_components(np.ones(30), "each") == 1
    assert choose_components([5.0], "elbow") == 1
    assert choose_components([9, 8, 7.5, 1, 0.9, 0.8], "elbow") == 3
    eigenvalues = PCA().fit(datasets.digits().X).explained_variance_
    rules = [choose_components(eigenvalues, rule) for rule in ("share", "each", "elbow")]
    assert len(set(rules)) == 3


def test_rotated_digit():
    turned = rotated_digit(60)
    assert turned.X.shape == (60, 64)
    image = datasets.digits().X[datasets.digits().y == 6][0].reshape(8, 8)
    assert np.allclose(turned.X[0], image.ravel())
    assert np.allclose(turned.X[15].reshape(8, 8), np.rot90(image))
    assert np.allclose(turned.X[30].reshape(8, 8), image[::-1, ::-1])
    assert np.allclose(rotate_image(image, 2 * np.pi), image)
    model = PCA(4).fit(turned.X)
    Z = model.transform(turned.X)
    radius = np.linalg.norm(Z[:, :2], axis=1)
    assert radius.max() < 1.2 * radius.min()  # a ring
    for a, turns in ((0, 2), (2, 1)):
        swept = np.unwrap(np.arctan2(Z[:, a + 1], Z[:, a]))
        assert abs(swept[-1] - swept[0]) * 60 / 59 == pytest.approx(2 * np.pi * turns, rel=0.03)
    assert np.allclose(Z[:30, :2], Z[30:, :2], atol=1e-9)  # the plane cannot tell a 6 from a 9
    assert np.linalg.norm(turned.X[:30] - turned.X[30:], axis=1).min() > 40
    assert rotated_digit(angles=[0.3]).X.shape == (1, 64)


def test_sounds():
    S = sources()
    assert S.shape == (12_000, 3)
    assert np.allclose(S.mean(axis=0), 0)
    assert np.allclose(S.std(axis=0), 1)
    peaked = kurtosis(S)
    assert peaked[0] > 2
    assert peaked[1] > 10
    assert peaked[2] == pytest.approx(-1.2, abs=0.01)
    assert np.abs(np.corrcoef(S.T) - np.eye(3)).max() < 0.05
    X = S @ np.array([[1.0, 0.7, 0.5], [0.6, 1.0, -0.8], [-0.4, 0.5, 1.0]]).T
    assert matched(ICA().fit(X).transform(X), S).min() > 0.99


def test_kurtosis_of_known_laws():
    rng = np.random.default_rng(0)
    S = np.column_stack([rng.normal(size=200_000), rng.uniform(size=200_000), rng.laplace(size=200_000)])
    assert np.allclose(kurtosis(S), [0, -1.2, 3], atol=0.15)


def test_tsne_probabilities():
    X = cloud(80, 4)
    P = neighbour_probabilities(X, 15.0)
    assert np.allclose(P, P.T)
    assert P.sum() == pytest.approx(1)
    theirs = manifold._t_sne._joint_probabilities(np.square(np.linalg.norm(X[:, None] - X, axis=2)), 15.0, 0)
    full = np.zeros((80, 80))
    full[np.triu_indices(80, 1)] = theirs
    assert np.allclose(P, full + full.T, rtol=2e-2, atol=1e-7)


def test_tsne_keeps_neighbours():
    X = datasets.digits().X[:300]
    made = tsne(X, 30, max_iter=400)
    assert [step.step for step in made.history] == list(range(0, 401, 50))
    assert [step.step for step in tsne(X[:20], 5, max_iter=60).history] == [0, 50, 60]
    assert np.abs(made.history[0].Y).max() < 1e-3
    assert np.array_equal(made.history[-1].Y, made.Y)
    divergence = [step.divergence for step in made.history]
    assert divergence[-1] < 0.5 * divergence[0]
    assert (np.diff(divergence[3:]) < 0).all()  # after the exaggeration
    P, D = neighbour_probabilities(X, 30), np.square(made.Y[:, None] - made.Y).sum(axis=2)
    Q = np.where(np.eye(len(X)) == 1, 0, 1 / (1 + D))
    terms = P[P > 1e-12] * np.log(P[P > 1e-12] / (Q / Q.sum())[P > 1e-12])
    assert terms.sum() == pytest.approx(divergence[-1], abs=1e-6)
    assert manifold.trustworthiness(X, made.Y) > 0.95


def test_tsne_gradient():
    """The pull that the loop computes is the gradient of the divergence."""
    rng = np.random.default_rng(0)
    P = neighbour_probabilities(rng.normal(size=(12, 3)), 4.0)

    def divergence(y):
        Y = y.reshape(12, 2)
        near = 1 / (1 + np.sum((Y[:, None] - Y) ** 2, axis=2))
        np.fill_diagonal(near, 0)
        Q = near / near.sum()
        off = ~np.eye(12, dtype=bool)
        return np.sum(P[off] * np.log(P[off] / Q[off]))

    Y = rng.normal(size=(12, 2))
    near = 1 / (1 + np.sum((Y[:, None] - Y) ** 2, axis=2))
    np.fill_diagonal(near, 0)
    pull = (P - near / near.sum()) * near
    gradient = 4 * (pull.sum(axis=1)[:, None] * Y - pull @ Y)
    assert np.allclose(gradient.ravel(), numerical_gradient(divergence, Y.ravel()), atol=1e-6)


@pytest.mark.parametrize(
    ("name", "settings", "words"),
    [
        ("digit_turns", {"angle": 0, "m": 4}, ["86 %"]),
        (
            "digit_turns",
            {"angle": 180, "m": 2},
            ["55 %", "**52** away in pixel", "**0** and **45** away", "**1.0** in"],
        ),
        ("digit_turns", {"angle": 354, "m": 2}, ["**2.0** in the plane 1, 2", "**1.0** in the plane 3, 4"]),
        ("turn_axis", {"angle": 48}, ["1.155", "0.044", "1.200"]),
        ("turn_axis", {"angle": 180}, ["1.155 at 48°"]),
        ("turn_axis", {"angle": 33, "data": "round"}, ["**0.600**"]),
        ("turn_axis", {"angle": 180, "data": "other points"}, ["at 102°"]),
        ("component_count", {"m": 5, "digit": 8}, ["loses **85 %**"]),
        ("component_count", {"m": 12, "digit": 8}, ["loses **35 %**"]),
        ("component_count", {"m": 5}, ["54.5 %", "passed: more than 5 % each 5."]),
        ("component_count", {"m": 29}, ["5 % each 5", "elbow 12", "90 % in all 21", "95 % in all 29"]),
        ("noisy_sensor", {"noise": 0.5}, ["PCA **0.96**, factor analysis **0.96**", "**0.28**", "**0.29**"]),
        (
            "noisy_sensor",
            {"noise": 4.0},
            ["finds 3.8", "**0.99**", "**0.29**", "PCA **0.19**, factor analysis **0.96**"],
        ),
        ("unmix_signals", {"angle": 30}, ["−2.414", "sources: **1.00**", "with y₂: 0.00"]),
        ("unmix_signals", {"angle": 60}, ["with y₂: 0.00"]),
        ("unmix_signals", {"angle": 0}, ["with y₂: turn θ"]),  # the prediction is open
    ],
)
def test_what_the_chapter_says_about_its_explorers(name, settings, words):
    shown = made(name)
    said = shown.describe(shown.compute(**settings))
    assert all(word in said for word in words), said


def test_where_the_likelihood_of_unmixing_is_extreme():
    scene = made("unmix_signals").scene
    for kind, best in (("melody, knocking", np.argmax), ("flat", np.argmin)):
        heights = scene.compute(90, kind, 60.0)[3]
        assert best(heights) * 3 == {"flat": 33}.get(kind, 30)
    assert np.ptp(scene.compute(90, "normal", 60.0)[3]) < 0.0035


@pytest.mark.parametrize(("seed", "wanted"), [(14, 30), (15, 10)])
def test_other_splits_choose_other_numbers(seed, wanted):
    data = datasets.digits()
    order = np.random.default_rng(seed).permutation(len(data.X))
    train, valid = order[:900], order[900:1300]
    sizes, found = (1, 2, 5, 10, 15, 20, 30, 64), []
    for m in sizes:
        pca = PCA(m).fit(data.X[train])
        model = KNNClassifier(1).fit(pca.transform(data.X[train]), data.y[train])
        found.append(np.mean(model.predict(pca.transform(data.X[valid])) == data.y[valid]))
    assert sizes[np.flatnonzero(np.array(found) >= max(found) - 0.005)[0]] == wanted


def test_numbers_quoted_in_the_prose():
    assert 64 * np.log10(17) == pytest.approx(79, abs=0.5)  # pictures of 8 x 8 pixels with 17 levels of ink
    assert 2 * (1 + 8) / 2**8 == pytest.approx(0.07, abs=0.001)  # 7 of 8, or more uneven, either way
    wine = datasets.wine()
    assert wine.feature_names[-1] == "proline"
    assert wine.X[:, -1].max() == 1680
    assert wine.X[:, :-1].var(axis=0).max() < 210


# --- errata ---------------------------------------------------------------------------------------------------


def test_erratum_s0_e101():
    """An orthonormal basis need not consist of unit vectors with a single 1."""
    Q = np.array([[1.0, 1.0], [1.0, -1.0]]) / np.sqrt(2)
    assert np.allclose(Q.T @ Q, np.eye(2))
    assert not np.isin(Q, (0.0, 1.0)).any()


def test_erratum_s0_e102():
    """The shared part of the points is their mean's: without it the error is too large."""
    _, U = np.linalg.eigh(np.cov(TEN.T, bias=True))
    u = U[:, 0] * np.sign(U[0, 0]) * np.sign(-0.0359)
    b = TEN.mean(axis=0) @ u
    right = np.mean((TEN @ u - b) ** 2)
    without = np.mean((TEN @ u) ** 2)
    assert abs(b) == pytest.approx(0.035935, abs=5e-7)
    assert right == pytest.approx(0.044175, abs=5e-7)
    assert without == pytest.approx(0.045466, abs=5e-7)


def test_erratum_s0_e103():
    """The error has each squared residual once."""
    model = PCA(1).fit(TEN)
    squares = np.sum((TEN - model.inverse_transform(model.transform(TEN))) ** 2, axis=1)
    assert squares.mean() == pytest.approx(0.044175, abs=5e-7)
    assert np.mean(squares * squares) == pytest.approx(0.004203, abs=5e-7)


def test_erratum_s0_e104():
    """Components that are kept belong to the largest eigenvalues in both views."""
    lam, U = np.linalg.eigh(np.cov(TEN.T, bias=True))
    centred = TEN - TEN.mean(axis=0)
    lost = [np.mean(np.sum((centred - np.outer(centred @ u, u)) ** 2, axis=1)) for u in U.T]
    assert lost == pytest.approx([1.155625, 0.044175], abs=5e-7)


def test_erratum_s0_e105():
    """X z has an entry per point, z one per feature: the equation is X'X z / N = lambda z."""
    X = np.random.default_rng(0).normal(size=(4, 10))
    X = X - X.mean(axis=0)
    z = np.linalg.eigh(X.T @ X / 4)[1][:, -1]
    assert (X @ z).shape == (4,)
    assert z.shape == (10,)
    assert np.allclose(X.T @ X @ z / 4, np.linalg.eigvalsh(X.T @ X / 4)[-1] * z)


def test_erratum_s0_e106():
    """The axis has length 1 with eigenvalues of XX'/N and a unit v, not with those of XX' nor with v = Xu."""
    X = np.random.default_rng(0).normal(size=(4, 10))
    X = X - X.mean(axis=0)
    lam, V = np.linalg.eigh(X @ X.T / 4)
    v, lam = V[:, -1], lam[-1]
    u = X.T @ v / np.sqrt(4 * lam)
    assert np.linalg.norm(u) == pytest.approx(1)
    assert np.linalg.norm(X.T @ v / np.sqrt(4 * 4 * lam)) == pytest.approx(0.5)
    assert np.linalg.norm(X.T @ (X @ u) / np.sqrt(4 * lam)) == pytest.approx(np.sqrt(4 * lam))


def test_erratum_s0_e107():
    """Without noise the covariance W W' is singular, and there is no density."""
    assert np.linalg.matrix_rank(W3 @ W3.T) == 2
    assert np.linalg.matrix_rank(W3 @ W3.T + 0.5 * np.eye(3)) == 3


def test_erratum_s0_e108():
    """The posterior covariance is sigma^2 M^-1."""
    M = W3.T @ W3 + 0.5 * np.eye(2)
    joint = np.block([[np.eye(2), W3.T], [W3, W3 @ W3.T + 0.5 * np.eye(3)]])
    exact = conditional_normal(np.zeros(5), joint, {2: 0.0, 3: 0.0, 4: 0.0}).Sigma
    assert np.allclose(0.5 * np.linalg.inv(M), exact)
    assert np.allclose(0.5 * M, [[0.875, 0.25], [0.25, 2.75]])


def test_erratum_s1_e76():
    """A covariance is a mean of products, not their sum."""
    X = np.random.default_rng(0).normal(size=(1000, 3))
    X = X - X.mean(axis=0)
    assert np.diag(X.T @ X / 1000) == pytest.approx([1, 1, 1], abs=0.15)
    assert np.diag(X.T @ X).min() > 850


def test_erratum_s1_e77():
    """m points span at most m - 1 directions: the covariance is singular already at m = n."""
    assert np.linalg.matrix_rank(np.cov(np.random.default_rng(0).normal(size=(5, 5)).T)) == 4


def test_erratum_s1_e78():
    """Only the diagonal is kept: with the whole matrix the model is S again, of rank 4 for 5 points."""
    for n, d, rank in ((40, 6, 6), (5, 10, 4)):
        X = cloud(n, d)
        S = np.cov(X.T, bias=True)
        L, psi = np.linalg.qr(np.random.default_rng(1).normal(size=(d, 2)))[0], np.diag(S).copy()
        B = L.T @ np.linalg.inv(L @ L.T + np.diag(psi))
        L = S @ B.T @ np.linalg.inv(np.eye(2) - B @ L + B @ S @ B.T)
        full = S - L @ B @ S
        assert np.abs(full - np.diag(np.diag(full))).max() > 0.1
        assert np.allclose(L @ L.T + full, L @ L.T + S - L @ B @ S)
        assert np.linalg.matrix_rank(full + L @ B @ S, tol=1e-8) == rank  # S itself
        assert np.linalg.matrix_rank(L @ L.T + np.diag(np.diag(full)), tol=1e-8) == d


def test_erratum_s1_e79():
    """With equal noise there is a closed form, so summing over z is not what blocks one; and m > n works too."""
    X = cloud(70, 4, seed=5)
    run = linear_gaussian_em(X, np.eye(4)[:, :1], np.ones(4), equal=True, max_iter=20000, tol=1e-13)
    assert run.log_likelihood == pytest.approx(ProbabilisticPCA(1).fit(X).log_likelihood(X), abs=1e-6)
    assert np.isfinite(FactorAnalysis(1).fit(factors(n=100)[0]).log_likelihood(factors(n=100)[0]))


def test_erratum_s1_e80():
    """y = x^2 on -1, 0, 1 is fixed by x, and the covariance is 0: PCA removes linear dependence only."""
    x = np.array([-1.0, 0, 1])
    assert np.cov(x, x**2, bias=True)[0, 1] == 0


def test_erratum_s1_e81():
    """|det W|: with det W = -5 the formula without bars is negative and integrates to -1."""
    W = np.array([[1.0, 2.0], [3.0, 1.0]])
    axis = np.linspace(-30, 30, 601)
    grid = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    slopes = np.exp(-np.abs(grid @ W.T)) / (1 + np.exp(-np.abs(grid @ W.T))) ** 2
    printed = slopes.prod(axis=1) * np.linalg.det(W)
    assert printed.sum() * 0.1**2 == pytest.approx(-1, abs=1e-3)
    right = np.exp([ica_log_likelihood(W, [x]) for x in grid[::1009]])
    assert np.allclose(right, -printed[::1009], rtol=1e-9)


def test_erratum_s3_e3_33():
    """Eigenvalues of X'X are n - 1 times the variances; a share belongs to one of them."""
    X = np.array([(2.0, 0), (-2, 0), (0, 1), (0, -1)])
    assert np.allclose(np.linalg.eigvalsh(X.T @ X), [2, 8])
    model = PCA().fit(X)
    assert np.allclose(model.explained_variance_, [2.666667, 0.666667], atol=5e-7)
    assert np.allclose(model.explained_variance_ratio_, [0.8, 0.2])
    assert np.allclose(np.cumsum(model.explained_variance_ratio_), [0.8, 1])


def test_a_constant_feature_is_no_feature_whatever_its_mean_rounds_to():
    X = np.random.default_rng(0).normal(size=(70, 3))
    scores = [FactorAnalysis().fit(Z).score(Z) for Z in (np.c_[X, np.full(70, c)] for c in (0.1, 2.5))]
    assert scores[0] == pytest.approx(scores[1])
    still = np.full((7, 3), 0.1)
    for model in (FactorAnalysis(), ProbabilisticPCA(), ICA()):
        with pytest.raises(ValueError, match="X does not vary"):
            model.fit(still)
    assert not PCA().fit(still).explained_variance_.any()


def test_small_directions_are_not_dropped():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 4)) * [1e7, 1, 1, 0.5]
    np.testing.assert_allclose(PCA(whiten=True).fit(X).transform(X).std(axis=0, ddof=1), 1)
    wide = rng.normal(size=(5, 9)) * np.array([1e7, 1, 1, 0.5, 2])[:, None]
    ratios = PCA().fit(wide).explained_variance_[1:4] / decomposition.PCA().fit(wide).explained_variance_[1:4]
    np.testing.assert_allclose(ratios, 1, rtol=1e-6)
    S = rng.laplace(size=(3000, 3)) @ rng.normal(size=(3, 3)).T * [1, 1, 1e6]
    assert ICA().fit(S).unmixing_.shape == (3, 3)


@pytest.mark.parametrize("offset", [0.0, 1e6])
def test_directions_that_are_rounding_are_none(offset):
    rng = np.random.default_rng(0)
    X = rng.laplace(size=(300, 2)) @ [[1.0, 0.3, 1.7], [0.2, 1.0, -0.6]] + offset  # three features of two sources
    assert ICA().fit(X).unmixing_.shape == (2, 3)
    model = PCA(whiten=True).fit(X)
    assert model.explained_variance_[2] == 0
    assert np.abs(model.transform(X)[:, 2]).max() < 1e-6

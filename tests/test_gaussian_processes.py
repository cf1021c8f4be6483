"""Chapter 17: Gaussian processes against scikit-learn, chapter 06, chapter 15, closed forms and finite differences."""

import numpy as np
import pytest
from explorers import made
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, DotProduct, WhiteKernel

from mlteach.gaussian_processes import (
    GaussianProcess,
    draw_normal,
    hyperparameters,
    log_evidence,
    log_evidence_gradient,
    smooth_kernel,
    with_hyperparameters,
)
from mlteach.kernels import KernelRidge, linear_kernel, polynomial_kernel, rbf_kernel, sigmoid_kernel
from mlteach.probability import conditional_normal, multivariate_normal_pdf
from mlteach.regularization import BayesianLinearRegression
from mlteach.validation import ConvergenceWarning, NotFittedError

SQUARES = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([0.0, 1.0, 4.0, 9.0])
EIGHT = [[1.9], [3.5], [3.9], [4.2], [5.1], [6.3], [6.8], [9.7]], [1.1, -0.2, -1.0, -0.6, -0.3, -0.4, 0.0, -0.7]


def wavy(n=40, d=2, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) @ np.diag([1.3, 0.6, 2.0][:d])
    return X, np.sin(2 * X[:, 0]) + 0.4 * X[:, -1] ** 2 + 0.2 * rng.normal(size=n), rng.normal(size=(9, d))


def length(kernel):
    return 1 / np.sqrt(2 * kernel.beta)


# --- numbers and oracles --------------------------------------------------------------------------------------


def test_worked_example():
    """W3-06: four squares, width 1, noise 0.1, asked at 1.5."""
    model = GaussianProcess(rbf_kernel(0.5), 0.1).fit(*SQUARES)
    mean, std = model.predict([[1.5]], return_std=True)
    assert mean[0] == pytest.approx(2.075027, abs=5e-7)
    assert std[0] ** 2 == pytest.approx(0.178445, abs=5e-7)
    assert model.predict([[1.5]], return_std=True, noise=False)[1][0] ** 2 == pytest.approx(0.078445, abs=5e-7)


@pytest.mark.parametrize("d", [1, 2, 3])
@pytest.mark.parametrize(("scale", "width", "noise"), [(1.0, 1.0, 0.1), (2.5, 0.7, 0.03), (0.4, 3.0, 1.5)])
def test_agrees_with_scikit_learn(d, scale, width, noise):
    X, y, new = wavy(d=d)
    ours = GaussianProcess(smooth_kernel(width, scale), noise).fit(X, y)
    theirs = GaussianProcessRegressor(ConstantKernel(scale) * RBF(width), alpha=noise, optimizer=None).fit(X, y)
    mean, std = theirs.predict(new, return_std=True)
    assert np.allclose(ours.predict(new), mean, rtol=0, atol=1e-9)
    assert np.allclose(ours.predict(new, return_std=True, noise=False)[1], std, rtol=0, atol=1e-9)
    assert ours.log_marginal_likelihood() == pytest.approx(theirs.log_marginal_likelihood_value_, abs=1e-8)


def test_noise_in_the_band_is_a_white_kernel_in_scikit_learn():
    """The translation of the card: WhiteKernel counts the noise in the band, alpha does not."""
    X, y, new = wavy()
    ours = GaussianProcess(rbf_kernel(1 / (2 * 0.8**2)), 0.2).fit(X, y)
    theirs = GaussianProcessRegressor(RBF(0.8) + WhiteKernel(0.2), alpha=0, optimizer=None).fit(X, y)
    mean, std = theirs.predict(new, return_std=True)
    assert np.allclose(ours.predict(new, return_std=True), [mean, std], rtol=0, atol=1e-9)


def test_gradient_agrees_with_scikit_learn_and_with_differences():
    X, y, _ = wavy()
    kernel, noise = smooth_kernel(0.9, 1.7), 0.13
    slopes = log_evidence_gradient(kernel, noise, X, y)
    theirs = GaussianProcessRegressor(ConstantKernel(1.7) * RBF(0.9) + WhiteKernel(0.13), alpha=0, optimizer=None)
    theirs.fit(X, y)
    _, (scale, width, white) = theirs.log_marginal_likelihood(theirs.kernel_.theta, eval_gradient=True)
    assert slopes["scale"] == pytest.approx(scale, abs=1e-6)
    assert slopes["kernel.beta"] == pytest.approx(-width / 2, abs=1e-6)  # ln beta = -2 ln length - ln 2
    assert slopes["noise_variance"] == pytest.approx(white, abs=1e-6)
    for name, value in hyperparameters(kernel).items():
        ends = [
            log_evidence(with_hyperparameters(kernel, {name: value * np.exp(s)}), noise, X, y).total
            for s in (1e-5, -1e-5)
        ]
        assert (ends[0] - ends[1]) / 2e-5 == pytest.approx(slopes[name], abs=1e-6)


def test_mean_and_variance_are_the_conditional_normal_of_chapter_03():
    X, y, new = wavy(6)
    kernel = smooth_kernel(0.8, 1.4)
    both = np.vstack([X, new])
    Sigma = kernel(both) + np.diag([0.3] * 6 + [1e-12] * 9)
    mu, S = conditional_normal(np.zeros(15), Sigma, dict(enumerate(y.tolist())))
    model = GaussianProcess(kernel, 0.3).fit(X, y)
    mean, std = model.predict(new, return_std=True, noise=False)
    assert np.allclose(mean, mu, atol=1e-9)
    assert np.allclose(std**2, np.diag(S), atol=1e-9)


def test_evidence_is_the_density_of_the_targets_and_a_product_of_predictions():
    X, y, _ = wavy(12)
    kernel, noise = smooth_kernel(0.7, 1.2), 0.2
    evidence = log_evidence(kernel, noise, X, y)
    C = kernel(X) + noise * np.eye(12)
    assert evidence.total == pytest.approx(multivariate_normal_pdf(y, np.zeros(12), C, log=True), abs=1e-9)
    assert evidence.fit == pytest.approx(-0.5 * y @ np.linalg.solve(C, y), abs=1e-9)
    assert evidence.complexity == pytest.approx(-0.5 * np.linalg.slogdet(C)[1], abs=1e-9)
    assert sum(evidence[1:]) == pytest.approx(evidence.total, abs=1e-12)
    steps = [-0.5 * np.log(2 * np.pi * (1.2 + noise)) - 0.5 * y[0] ** 2 / (1.2 + noise)]
    for i in range(1, 12):
        (m,), (s,) = GaussianProcess(kernel, noise).fit(X[:i], y[:i]).predict(X[i : i + 1], return_std=True)
        steps.append(-0.5 * np.log(2 * np.pi) - np.log(s) - 0.5 * ((y[i] - m) / s) ** 2)
    assert sum(steps) == pytest.approx(evidence.total, abs=1e-9)


@pytest.mark.parametrize("prior_variance", [1.0, 0.3, 7.0])
def test_linear_kernel_is_bayesian_linear_regression(prior_variance):
    X, y, new = wavy(d=3)
    process = GaussianProcess(prior_variance * linear_kernel, 0.25).fit(X, y)
    weights = BayesianLinearRegression(prior_variance, 0.25, intercept=False).fit(X, y)
    assert np.allclose(process.predict(new, return_std=True), weights.predict(new, return_std=True), atol=1e-8)
    assert process.log_marginal_likelihood() == pytest.approx(weights.log_marginal_likelihood(), abs=1e-8)


def test_features_with_a_prior_on_their_weights_are_a_kernel():
    x = np.linspace(-1, 2, 9)[:, None]
    y, new = np.cos(2 * x[:, 0]), np.array([[0.3], [2.5]])

    def features(x):
        return np.column_stack([np.ones(len(x)), np.sqrt(2) * x, x**2])

    process = GaussianProcess(polynomial_kernel(2), 0.2).fit(x, y)
    weights = BayesianLinearRegression(1.0, 0.2, intercept=False).fit(features(x), y)
    assert np.allclose(process.predict(new, True), weights.predict(features(new), True), atol=1e-8)


@pytest.mark.parametrize("kernel", [rbf_kernel(0.8), linear_kernel, 2 * rbf_kernel(0.3) + linear_kernel], ids=repr)
def test_mean_is_kernel_ridge_with_the_noise_as_penalty(kernel):
    X, y, new = wavy()
    process, ridge = GaussianProcess(kernel, 0.37).fit(X, y), KernelRidge(kernel, 0.37).fit(X, y)
    assert np.allclose(process.predict(new), ridge.predict(new), rtol=0, atol=1e-8)


def test_linear_kernel_with_offset_is_scikit_learns_dot_product():
    X, y, new = wavy()
    theirs = GaussianProcessRegressor(DotProduct(sigma_0=1.5), alpha=0.2, optimizer=None).fit(X, y)
    ours = GaussianProcess(polynomial_kernel(1, gamma=1.5**2), 0.2).fit(X, y)
    assert np.allclose(ours.predict(new), theirs.predict(new), atol=1e-8)


# --- what holds for every data set ----------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.floats(0.2, 3), st.floats(0.01, 2), st.floats(-5, 5))
def test_properties(seed, width, noise, factor):
    X, y, new = wavy(10, seed=seed)
    model = GaussianProcess(smooth_kernel(width, 1.3), noise).fit(X, y)
    mean, std = model.predict(new, return_std=True)
    other = GaussianProcess(smooth_kernel(width, 1.3), noise).fit(X, factor * y + 0.0)
    assert np.allclose(other.predict(new, True), [factor * mean, std], atol=1e-9)  # linear in t; the band is not moved
    assert (std**2 <= 1.3 + noise + 1e-12).all()
    more = GaussianProcess(smooth_kernel(width, 1.3), noise).fit(np.vstack([X, new[:1]]), np.append(y, 3.0))
    assert (more.predict(new, True)[1] <= std + 1e-9).all()  # data never widen the band
    order = np.random.default_rng(seed).permutation(10)
    assert np.allclose(model.fit(X[order], y[order]).predict(new), mean, atol=1e-8)


def test_without_noise_the_curve_goes_through_the_points():
    X, y = [[0.0], [1.0], [2.5], [4.0]], np.array([1.0, -1.0, 0.5, 2.0])
    mean, std = GaussianProcess(rbf_kernel(2.0), 0).fit(X, y).predict(X, return_std=True)
    assert np.allclose(mean, y, atol=1e-9)
    assert np.allclose(std, 0, atol=1e-6)


def test_far_away_the_prior_returns():
    mean, std = GaussianProcess(smooth_kernel(1.0, 2.0), 0.1).fit(*SQUARES).predict([[60.0]], return_std=True)
    assert mean[0] == pytest.approx(0, abs=1e-12)
    assert std[0] ** 2 == pytest.approx(2.1)


def test_band_of_many_points_is_that_of_each():
    X, y, _ = wavy()
    model, many = GaussianProcess(rbf_kernel(), 0.1).fit(X, y), np.random.default_rng(1).normal(size=(150, 2))
    one_by_one = [model.predict(x[None], True)[1][0] for x in many]
    assert np.allclose(model.predict(many, True)[1], one_by_one, atol=1e-12)


# --- samples --------------------------------------------------------------------------------------------------


def test_samples_have_the_moments_of_prior_and_posterior():
    X, y, new = wavy(8)
    model = GaussianProcess(smooth_kernel(0.8, 1.5), 0.2)
    prior = model.sample(new, 20_000, rng=1)
    assert prior.shape == (20_000, 9)
    assert np.allclose(prior.mean(axis=0), 0, atol=0.05)
    assert np.allclose(np.cov(prior.T), model.kernel(new), atol=0.08)
    mean, std = model.fit(X, y).predict(new, return_std=True, noise=False)
    after = model.sample(new, 20_000, rng=2)
    assert np.allclose(after.mean(axis=0), mean, atol=0.05)
    assert np.allclose(after.std(axis=0), std, atol=0.03)


def test_samples_of_a_fine_grid_do_not_hang_on_the_last_bit():
    grid = np.linspace(0, 10, 300)[:, None]
    model = GaussianProcess(smooth_kernel(1.5), 0.01)
    nearly = grid * (1 + 1e-15)
    assert np.allclose(model.sample(grid, 4), model.sample(nearly, 4), atol=1e-5)
    model.fit(grid[::40], np.sin(grid[::40, 0]))
    assert np.allclose(model.sample(grid, 4), model.sample(nearly, 4), atol=1e-5)
    assert np.array_equal(model.sample(grid, 2, rng=5), model.sample(grid, 2, rng=np.random.default_rng(5)))


def test_draws_of_certain_things_are_certain():
    assert np.allclose(draw_normal([1.0, 2.0], np.zeros((2, 2)), 3, 0), [[1, 2]] * 3, atol=1e-3)


# --- hyper-parameters -----------------------------------------------------------------------------------------


def test_hyperparameters_by_name():
    kernel = 3.0 * rbf_kernel(0.5) + linear_kernel * polynomial_kernel(3, gamma=0.0)
    assert hyperparameters(kernel) == {"left.scale": 3.0, "left.kernel.beta": 0.5, "right.right.beta": 1.0}
    changed = with_hyperparameters(kernel, {"left.kernel.beta": 2, "right.right.beta": 7})
    assert changed == 3.0 * rbf_kernel(2.0) + linear_kernel * polynomial_kernel(3, beta=7.0, gamma=0.0)
    assert hyperparameters(lambda X, Y: X @ Y.T) == {}
    with pytest.raises(ValueError, match="has no hyper-parameter 'width'; it has"):
        with_hyperparameters(rbf_kernel(), {"width": 1.0})


def test_optimize_reaches_scikit_learns_summit():
    X, y, new = wavy(60)
    ours = GaussianProcess(smooth_kernel(1.0), 0.1).optimize(X, y)
    theirs = GaussianProcessRegressor(ConstantKernel() * RBF() + WhiteKernel(0.1), alpha=0).fit(X, y)
    assert ours.converged_
    assert ours.log_marginal_likelihood() == pytest.approx(theirs.log_marginal_likelihood_value_, abs=1e-5)
    assert np.allclose(ours.predict(new), theirs.predict(new), atol=1e-3)
    slopes = log_evidence_gradient(ours.kernel_, ours.noise_variance_, X, y)
    assert np.abs(list(slopes.values())).max() < 1e-3


def test_optimize_keeps_the_parameters_and_its_history():
    X, y, new = wavy()
    model = GaussianProcess(rbf_kernel(0.5), 0.1).fit(X, y)
    before = model.log_marginal_likelihood()
    assert model.optimize() is model
    assert (model.kernel, model.noise_variance) == (rbf_kernel(0.5), 0.1)
    assert model.history_[0].log_evidence == pytest.approx(before)
    assert (np.diff([step.log_evidence for step in model.history_]) > 0).all()
    assert len(model.history_) == model.n_iter_ + 1
    last = model.history_[-1]
    assert (last.kernel, last.noise_variance) == (model.kernel_, model.noise_variance_)
    fixed = GaussianProcess(last.kernel, last.noise_variance).fit(X, y)
    assert np.array_equal(fixed.predict(new), model.predict(new))
    model.fit(X, y)
    assert not hasattr(model, "history_")
    assert model.log_marginal_likelihood() == pytest.approx(before)


def test_two_summits():
    """The eight points of section 17.6.3: a wavy curve with little noise, or a flat one with much."""
    ends = [
        GaussianProcess(rbf_kernel(1 / (2 * width**2)), noise).optimize(*EIGHT)
        for width, noise in ((1.0, 0.03), (6.0, 1.0))
    ]
    assert [round(length(m.kernel_), 2) for m in ends] == [1.51, 10.83]
    assert [round(m.noise_variance_**0.5, 2) for m in ends] == [0.32, 0.60]
    assert [round(m.log_marginal_likelihood(), 2) for m in ends] == [-7.46, -8.65]


def test_optimize_without_noise_moves_the_kernel_only():
    X, y = np.arange(5.0)[:, None], np.array([0.0, 1.0, 0.5, -0.5, -1.0])
    model = GaussianProcess(rbf_kernel(1.0), 0).optimize(X, y)
    assert model.noise_variance_ == 0
    assert model.kernel_ != rbf_kernel(1.0)


def test_optimize_says_when_it_stops_too_early():
    X, y, _ = wavy()
    with pytest.warns(ConvergenceWarning, match="stopped after 1 steps"):
        GaussianProcess(smooth_kernel(5.0), 2.0).optimize(X, y, max_iter=1)


def test_optimize_stays_in_its_box():
    X = np.arange(6.0)[:, None]
    model = GaussianProcess(rbf_kernel(0.5), 0.1).optimize(X, np.zeros(6))  # no noise explains zeros best
    assert model.noise_variance_ >= 0.1e-6 * (1 - 1e-9)
    assert np.isfinite(model.log_marginal_likelihood())


# --- bad input ------------------------------------------------------------------------------------------------


def test_messages():
    X, y, new = wavy(5)
    with pytest.raises(ValueError, match="kernel must be a kernel object such as rbf_kernel.*got rbf_kernel"):
        GaussianProcess(rbf_kernel).fit(X, y)
    with pytest.raises(ValueError, match="got 'rbf'"):
        GaussianProcess("rbf").fit(X, y)
    with pytest.raises(ValueError, match="noise_variance must be at least 0; got -1"):
        GaussianProcess(noise_variance=-1).fit(X, y)
    with pytest.raises(ValueError, match=r"matrix of numbers, \(5, 5\); got float64 \(5,\)"):
        GaussianProcess(lambda A, B: A[:, 0]).fit(X, y)
    with pytest.raises(ValueError, match="must be symmetric"):
        GaussianProcess(lambda A, B: A @ np.array([[1.0, 2.0], [0.0, 1.0]]) @ B.T).fit(X, y)
    with pytest.raises(ValueError, match="not finite"):
        GaussianProcess(lambda A, B: np.full((len(A), len(B)), np.inf)).fit(X, y)
    with pytest.raises(ValueError, match="n must be at least 1; got 0"):
        GaussianProcess().sample(new, 0)
    with pytest.raises(ValueError, match=r"covariance must have shape \(2, 2\), as mean has it; got \(3, 3\)"):
        draw_normal([0.0, 1.0], np.eye(3), 1, 0)
    with pytest.raises(ValueError, match="noise must be one of True, False"):
        GaussianProcess().fit(X, y).predict(new, True, noise=0.1)
    with pytest.raises(ValueError, match="length_scale must be greater than 0; got 0"):
        smooth_kernel(0)
    with pytest.raises(NotFittedError):
        GaussianProcess().log_marginal_likelihood()
    with pytest.raises(NotFittedError):
        GaussianProcess().optimize()
    with pytest.raises(ValueError, match="X is missing"):
        GaussianProcess().optimize(y=y)


def test_no_root_is_explained():
    X = np.linspace(0, 1, 40)[:, None]
    with pytest.raises(ValueError, match="not positive definite.*give a noise_variance of 1e-08 or more"):
        GaussianProcess(rbf_kernel(), 0).fit(X, X[:, 0])
    GaussianProcess(rbf_kernel(), 1e-8).fit(X, X[:, 0])
    with pytest.raises(ValueError, match="the kernel is none, as sigmoid_kernel"):
        GaussianProcess(sigmoid_kernel(1.0, -1.0), 0.01).fit([[0.5], [1.0], [2.0]], [1, 2, 3])


# --- mistakes of the sources ----------------------------------------------------------------------------------


def test_erratum_s3_e3_25():
    """c = k(x, x) gives the band of f; 95 % of new *targets* need the noise in it."""
    rng = np.random.default_rng(3)
    covered = {True: [], False: []}
    for _ in range(200):
        X = rng.uniform(0, 5, (20, 1))
        kernel, spot = rbf_kernel(0.5), rng.uniform(0, 5, (1, 1))
        f = GaussianProcess(kernel).sample(np.vstack([X, spot]), rng=rng)[0]
        t = f + 0.5 * rng.normal(size=21)
        model = GaussianProcess(kernel, 0.25).fit(X, t[:20])
        for noise in covered:
            mean, std = model.predict(spot, return_std=True, noise=noise)
            covered[noise].append(abs(t[20] - mean[0]) < 1.96 * std[0])
    assert 0.90 <= np.mean(covered[True]) <= 0.99
    assert np.mean(covered[False]) < 0.75


def test_erratum_s3_e3_26():
    """N(0, C) of N + 1 targets is their joint law; the conditional one has another mean and variance."""
    X, t = SQUARES
    both = np.vstack([X, [[1.5]]])
    C = rbf_kernel(0.5)(both) + 0.1 * np.eye(5)
    assert C.shape == (5, 5)
    mu, S = conditional_normal(np.zeros(5), C, dict(enumerate(t.tolist())))
    assert (mu[0], S[0, 0]) == (pytest.approx(2.075027, abs=5e-7), pytest.approx(0.178445, abs=5e-7))
    assert (mu[0], S[0, 0]) != (pytest.approx(0.0), pytest.approx(C[4, 4]))


def test_erratum_s3_e3_44():
    """Length scales are compared on the training targets, with no validation set."""
    values = [log_evidence(smooth_kernel(width), 0.1, *SQUARES).total for width in (0.5, 1, 2, 4)]
    assert np.round(values, 3).tolist() == [-44.713, -40.970, -54.045, -90.421]
    assert np.argmax(values) == 1


def test_erratum_s3_e3_67():
    """y(x) = N(0, K) is no equality: two draws at the same points differ, and share the law."""
    grid = np.linspace(0, 3, 7)[:, None]
    a, b = GaussianProcess(rbf_kernel(0.5)).sample(grid, 2, rng=1)
    assert np.abs(a - b).max() > 0.1


# --- what the folded answers quote ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "settings", "said"),
    [
        ("condition_pair", {"rho": 0.8, "seen": 2.0, "sigma": 0.0}, "mean 1.60 and the standard deviation 0.60"),
        ("condition_pair", {"rho": 0.8, "seen": 2.0, "sigma": 1.0}, "mean 0.80 and the standard deviation 0.82"),
        ("condition_pair", {"rho": 0.8, "seen": -1.3, "sigma": 0.0}, "standard deviation 0.60"),
        ("condition_pair", {"rho": 0.95, "seen": 1.0, "sigma": 0.0}, "standard deviation 0.31"),
        ("points_arrive", {}, "0.32 ± 0.88 at 5.5; 0.00 ± 1.00 at 12 km"),
        ("points_arrive", {}, "mean sd of f is 0.42"),
        ("points_arrive", {"version": 0.0}, "0.00 ± 0.88 at 5.5"),
        ("points_arrive", {"version": -1.0}, "−0.32 ± 0.88 at 5.5"),
        ("points_arrive", {"length": 10**0.5}, "−0.67 ± 0.70 at 12 km"),
        ("points_arrive", {"length": 10**0.5}, "mean sd of f is 0.11"),
        ("points_arrive", {"length": 10.0}, "−2.52 ± 0.24 at 12 km"),
        ("evidence_balance", {"length": 0.2}, "fit −1.40, complexity −0.29, constant −7.35; together ln p(t) = −9.04"),
        (
            "evidence_balance",
            {"length": 20.0},
            "fit −13.77, complexity 7.02, constant −7.35; together ln p(t) = −14.10",
        ),
        ("evidence_balance", {"length": 0.2 * 10**0.85}, "ln p(t) = −7.47"),
        ("evidence_balance", {"length": 0.2 * 10**1.7, "sigma": 0.3 * 10**0.3}, "ln p(t) = −8.65"),
        ("evidence_balance", {"length": 0.2 * 10**0.85, "sigma": 0.3 * 10**0.3}, "ln p(t) = −8.49"),
        ("evidence_hills", {}, "ends on a summit: ℓ = 1.51, σ = 0.32, ln p(t) = −7.46"),
        ("evidence_hills", {"steps": 20, "length": 10.0}, "ends on a summit: ℓ = 10.83, σ = 0.60, ln p(t) = −8.65"),
        ("evidence_hills", {"steps": 20, "length": 10**-0.4, "sigma": 0.1}, "leaves the map, towards no noise"),
    ],
)
def test_folded_answers_quote_the_explorers(name, settings, said):
    shown = made(name)
    now = {key: control.value for key, control in shown.controls.items()}
    assert said in shown.describe(shown.compute(**(now | settings))).replace("**", "")

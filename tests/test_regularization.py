"""Chapter 06: ridge, lasso, elastic net, paths, Bayesian linear regression, and the errata of the sources."""

import re
from fractions import Fraction

import numpy as np
import pytest
from explorers import made
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import minimize_scalar
from sklearn import linear_model
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import ConstantKernel, DotProduct

from mlteach.datasets import diabetes, noisy_sine
from mlteach.linear_regression import LinearRegression, design_matrix, polynomial_features, standardize
from mlteach.regularization import (
    BayesianLinearRegression,
    ElasticNet,
    Lasso,
    Ridge,
    cube_edge,
    effective_dof,
    grid_cells,
    group_norm,
    inscribed_ball_share,
    lambda_max,
    lasso_violation,
    least_squares_in_ball,
    lq_ball,
    lq_norm,
    lq_penalty,
    regularization_path,
    ridge_gcv,
    ridge_leave_one_out,
    ridge_svd,
    shell_share,
    soft_threshold,
    stored,
)
from mlteach.regularization.descent import few_rows
from mlteach.validation import ConvergenceWarning, NotFittedError

x5, t5 = np.arange(1.0, 6.0), np.array([2.0, 3, 5, 4, 6])  # W2-12, W3-02
seeds = st.integers(0, 10_000)
quick = settings(max_examples=40, deadline=None)


def random_problem(seed=0, n=60, p=4):
    """Correlated, unequally scaled inputs away from the origin."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) @ rng.normal(size=(p, p)) * 10.0 ** rng.uniform(-1, 1, p) + rng.uniform(-5, 5, p)
    return X, 3 + X @ rng.normal(size=p) + rng.normal(size=n)


def ten_points():
    """W3-03: the design matrix with its column of ones, and the targets."""
    rng = np.random.default_rng(0)
    Phi = design_matrix(rng.normal(size=(10, 1)))
    return Phi, Phi @ [1, -1] + 0.5 * rng.normal(size=10)


def patients():
    """The diabetes data with standardised measurements."""
    data = diabetes()
    return standardize(data.X), data.y


def ridge_objective(X, y, w, b, lam):
    return np.sum((y - X @ w - b) ** 2) + lam * w @ w


def net_objective(X, y, w, b, lam, rho):
    return 0.5 * np.sum((y - X @ w - b) ** 2) + lam * (rho * np.abs(w).sum() + 0.5 * (1 - rho) * w @ w)


def rational_posterior(Phi, t, precision, sigma2):
    """Mean and covariance of the posterior in exact arithmetic, by Gauss-Jordan elimination."""
    Phi, t = [[Fraction(v) for v in row] for row in Phi], [Fraction(v) for v in t]
    M, s2 = len(precision), Fraction(sigma2)
    rows = []
    for i in range(M):
        rows.append([sum(f[i] * f[j] for f in Phi) / s2 + (Fraction(precision[i]) if i == j else 0) for j in range(M)])
        rows[i] += [Fraction(int(i == j)) for j in range(M)] + [sum(f[i] * v for f, v in zip(Phi, t)) / s2]
    for i in range(M):
        rows[i] = [v / rows[i][i] for v in rows[i]]
        for r in range(M):
            if r != i:
                rows[r] = [a - rows[r][i] * b for a, b in zip(rows[r], rows[i])]
    return np.array([float(row[-1]) for row in rows]), np.array([[float(v) for v in row[M:-1]] for row in rows])


# --- ridge ------------------------------------------------------------------------------------------------------


def test_w2_12_ridge_with_free_and_with_penalised_intercept():
    free = Ridge(lam=1).fit(x5[:, None], t5)
    assert_allclose([free.b_, free.w_[0]], [1.545455, 0.818182], atol=5e-7)
    assert_allclose(
        Ridge(lam=1, intercept=False).fit(design_matrix(x5[:, None]), t5).w_, [0.765766, 1.027027], atol=5e-7
    )


def test_w25_ridge_on_five_points():
    X, t = np.array([[1.0, 2], [0, 1], [2, 1], [1, 0], [3, 1]]), np.array([1.0, 0, 2, 1, 3])
    assert_allclose(Ridge(lam=0.5, intercept=False).fit(X, t).w_, [0.944238, 0.052045], atol=5e-7)


@pytest.mark.parametrize(
    ("log_lam", "error", "rms", "largest"), [(-18, 0.006970, 0.264485, 117.173), (0, 1.990790, 0.554560, 0.389)]
)
def test_w23_degree_nine_with_two_penalties(log_lam, error, rms, largest):
    """All ten weights penalised, as in the source; RMS to the true sine on 200 points."""
    data = noisy_sine(rng=5)
    Phi, grid = polynomial_features(data.X[:, 0], 9), np.linspace(0, 1, 200)
    model = Ridge(lam=np.exp(log_lam), intercept=False).fit(Phi, data.y)
    assert 0.5 * np.sum((data.y - model.predict(Phi)) ** 2) == pytest.approx(error, abs=5e-7)
    off = model.predict(polynomial_features(grid, 9)) - np.sin(2 * np.pi * grid)
    assert np.sqrt(np.mean(off**2)) == pytest.approx(rms, abs=5e-7)
    assert np.abs(model.w_).max() == pytest.approx(largest, abs=5e-4)


def test_degree_nine_keeps_ten_digits_at_the_smallest_penalty():
    """Raw powers at ln lam = -18 against exact arithmetic; the normal equations lose four digits more."""
    data = noisy_sine(rng=5)
    Phi, lam = polynomial_features(data.X[:, 0], 9), float(np.exp(-18))
    exact, _ = rational_posterior(Phi, data.y, [lam] * 10, 1.0)
    size = np.abs(exact).max()
    assert_allclose(Ridge(lam=lam, intercept=False).fit(Phi, data.y).w_, exact, rtol=0, atol=1e-10 * size)
    normal = np.linalg.solve(Phi.T @ Phi + lam * np.eye(10), Phi.T @ data.y)
    assert np.abs(normal - exact).max() > 1e-9 * size


@pytest.mark.parametrize("lam", [1e-3, 1.0, 50.0])
@pytest.mark.parametrize("intercept", [True, False])
def test_ridge_agrees_with_scikit_learn(lam, intercept):
    for X, y in (random_problem(1), random_problem(2, n=6, p=9), patients()):
        ours = Ridge(lam, intercept=intercept).fit(X, y)
        theirs = linear_model.Ridge(alpha=lam, fit_intercept=intercept, solver="svd").fit(X, y)
        assert_allclose(ours.w_, theirs.coef_, rtol=1e-9, atol=1e-10)
        assert ours.b_ == pytest.approx(theirs.intercept_, rel=1e-9, abs=1e-9)


@given(seeds, st.floats(-6, 6), st.booleans())
@quick
def test_ridge_solves_its_normal_equations(seed, log_lam, intercept):
    X, y = random_problem(seed, n=12, p=5)
    lam = 10.0**log_lam
    model = Ridge(lam, intercept=intercept).fit(X, y)
    residual = y - model.predict(X)
    assert_allclose(X.T @ residual, lam * model.w_, rtol=1e-7, atol=1e-7)
    if intercept:
        assert residual.sum() == pytest.approx(0, abs=1e-9)


@given(seeds)
@quick
def test_ridge_is_the_minimum(seed):
    X, y = random_problem(seed, n=15, p=3)
    model, rng = Ridge(lam=2).fit(X, y), np.random.default_rng(seed)
    best = ridge_objective(X, y, model.w_, model.b_, 2)
    for _ in range(5):
        assert ridge_objective(X, y, model.w_ + 0.01 * rng.normal(size=3), model.b_ + 0.01 * rng.normal(), 2) > best


def test_ridge_without_penalty_is_least_squares():
    X, y = random_problem(3)
    exact = LinearRegression().fit(X, y)
    assert_allclose(Ridge(lam=0).fit(X, y).w_, exact.w_, rtol=1e-10)


@pytest.mark.parametrize("n", [30, 5000])
@pytest.mark.parametrize("top", [1e4, 1e6, 1e7])
def test_ridge_drops_no_column_for_its_unit(n, top):
    """At n = 5000 a column of a millionth beside one of millions was taken for rounding, without a word."""
    rng, unit = np.random.default_rng(0), np.array([1 / top, 1, top])
    Z = rng.normal(size=(n, 3))
    X, y = Z * unit, Z @ [1, 2, 3] + 0.1 * rng.normal(size=n)
    for model in (Ridge(0), Ridge(1e-20), ElasticNet(1e-20, 0)):
        assert model.fit(X, y).w_ * unit == pytest.approx(LinearRegression().fit(Z, y).w_, rel=1e-4)
    assert effective_dof(X, 0) == pytest.approx(3)
    assert effective_dof(np.column_stack([X, X[:, 0] + X[:, 2], X[:, 1], np.full(n, 0.1)]), 0) == pytest.approx(3)


@pytest.mark.parametrize("n", [5, 30])
def test_ridge_takes_the_shortest_solution_of_dependent_columns(n):
    rng = np.random.default_rng(4)
    X = rng.normal(size=(n, 7)) + 2
    X[:, 6] = X[:, 0] - 2 * X[:, 1]
    y = rng.normal(size=n)
    w = Ridge(lam=0).fit(X, y).w_
    assert_allclose(w, np.linalg.pinv(X - X.mean(0), rcond=1e-12) @ (y - y.mean()), rtol=1e-9, atol=1e-12)
    assert_allclose(Ridge(lam=1e-25).fit(X, y).w_, w, rtol=1e-9, atol=1e-12)  # rounding noise is not blown up


def test_ridge_far_from_the_origin_with_more_columns_than_rows():
    """n centred rows span n - 1 directions; what rounding puts into the last one is no direction of the data."""
    rng = np.random.default_rng(4)
    X, y = np.round(rng.normal(size=(5, 9)), 1) * 0.5 + 0.25, rng.normal(size=5)
    near, far = Ridge(lam=0).fit(X, y), Ridge(lam=0).fit(X + 1e7 / 3, y)
    assert_allclose(far.w_, near.w_, atol=1e-7)
    assert far.dof_ == pytest.approx(4)


def test_ridge_spreads_weight_over_twins_and_lasso_need_not():
    rng = np.random.default_rng(5)
    x = rng.normal(size=(40, 1))
    X, y = np.hstack([x, x]), 3 * x[:, 0] + 0.1 * rng.normal(size=40)
    assert_allclose(np.diff(Ridge(lam=1).fit(X, y).w_), 0, atol=1e-12)
    assert np.count_nonzero(Lasso(lam=1).fit(X, y).w_) == 1
    assert_allclose(np.diff(ElasticNet(lam=1, l1_ratio=0.5).fit(X, y).w_), 0, atol=1e-9)


def test_shift_of_the_targets_moves_only_the_intercept():
    X, y = random_problem(6)
    for make in (lambda: Ridge(3), lambda: Lasso(3), lambda: ElasticNet(3), lambda: BayesianLinearRegression(2, 3)):
        a, b = make().fit(X, y), make().fit(X, y + 100)
        assert_allclose(a.w_, b.w_, rtol=1e-8, atol=1e-9)
        assert b.b_ - a.b_ == pytest.approx(100)


def test_shrinkage_factors_and_degrees_of_freedom_are_those_of_the_hat_matrix():
    X, y = random_problem(7, n=20)
    A = X - X.mean(0)
    for lam in (0.0, 0.3, 40.0):
        hat = A @ np.linalg.solve(A.T @ A + lam * np.eye(4), A.T)
        assert effective_dof(X, lam) == pytest.approx(np.trace(hat))
        assert_allclose(np.sort(ridge_svd(X, y).shrinkage(lam)), np.linalg.eigvalsh(hat)[-4:], rtol=1e-9)
        assert Ridge(lam).fit(X, y).dof_ == pytest.approx(np.trace(hat))
    assert effective_dof(X, 0) == pytest.approx(4)
    assert effective_dof(np.hstack([X, X]), 0) == pytest.approx(4)  # the rank, not the number of columns
    assert effective_dof(design_matrix(X), 0, intercept=False) == pytest.approx(5)


def test_one_factorisation_serves_all_penalties():
    X, y = random_problem(8)
    svd, lams = ridge_svd(X, y), [0.0, 0.5, 30.0]
    W = svd.weights(lams)
    assert W.shape == (3, 4)
    for w, lam in zip(W, lams):
        assert_allclose(w, Ridge(lam).fit(X, y).w_, rtol=1e-12)
        assert_allclose(w, svd.weights(lam), rtol=1e-12)
    assert_allclose(svd.dof(lams), [effective_dof(X, lam) for lam in lams])


@given(seeds)
@quick
def test_length_and_degrees_of_freedom_fall_with_the_penalty(seed):
    X, y = random_problem(seed, n=10, p=6)
    path = regularization_path("ridge", X, y, np.geomspace(1e-6, 1e6, 25))
    assert (np.diff(lq_norm(path.coefficients, 2)) < 0).all()
    assert (np.diff(path.dof) < 0).all()


@pytest.mark.parametrize("model", [Ridge(0), Ridge(1), Lasso(0), Lasso(1), ElasticNet(1), ElasticNet(1, 0)])
def test_constant_columns_get_no_weight(model):
    X = np.column_stack([np.full(7, 0.1), np.arange(7.0)])
    model.fit(X, 2 * np.arange(7.0))
    assert model.w_[0] == 0
    assert model.fit(X, np.full(7, 0.3)).w_.tolist() == [0, 0]
    assert model.b_ == pytest.approx(0.3)


# --- lasso and elastic net --------------------------------------------------------------------------------------


def test_w2_18_orthonormal_design():
    """|t - Xw|^2 + 1 |w|_1 of the source is ours with lam = 1/2: threshold 1/2; ridge halves at lam = 1."""
    Q, _ = np.linalg.qr(np.random.default_rng(0).normal(size=(8, 3)))
    z = np.array([3, 0.4, -1.2])
    t = Q @ z
    assert_allclose(Ridge(lam=1, intercept=False).fit(Q, t).w_, [1.5, 0.2, -0.6], atol=1e-12)
    lasso = Lasso(lam=0.5, intercept=False).fit(Q, t).w_
    assert_allclose(lasso, [2.5, 0, -0.7], atol=1e-12)
    assert lasso[1] == 0
    assert_allclose(soft_threshold(z, 0.5), [2.5, 0, -0.7])
    assert_allclose(
        ElasticNet(lam=1, l1_ratio=0.5, intercept=False).fit(Q, t).w_, soft_threshold(z, 0.5) / 1.5, atol=1e-12
    )


@given(st.floats(-50, 50), st.floats(0, 20))
@quick
def test_soft_threshold_minimises_its_objective(z, lam):
    w = soft_threshold(z, lam)
    grid = np.append(np.linspace(-60, 60, 4001), 0)
    assert 0.5 * (w - z) ** 2 + lam * abs(w) <= np.min(0.5 * (grid - z) ** 2 + lam * np.abs(grid)) + 1e-9


@pytest.mark.parametrize("share", [0.9, 0.3, 0.01, 1e-4])
@pytest.mark.parametrize("intercept", [True, False])
def test_lasso_and_elastic_net_agree_with_scikit_learn(share, intercept):
    for X, y in (random_problem(1), random_problem(2, n=10, p=15), patients()):
        X = standardize(X)
        for rho in (1.0, 0.7, 0.2):
            lam = share * lambda_max(X, y, l1_ratio=rho, intercept=intercept)
            ours = ElasticNet(lam, rho, intercept=intercept).fit(X, y)
            theirs = linear_model.ElasticNet(
                alpha=lam / len(y), l1_ratio=rho, fit_intercept=intercept, tol=1e-15, max_iter=10**6
            ).fit(X, y)
            assert ours.converged_
            assert_allclose(ours.w_, theirs.coef_, atol=2e-6 * np.abs(ours.w_).max())
            at_ours, at_theirs = (
                net_objective(X, y, w, b, lam, rho) for w, b in ((ours.w_, ours.b_), (theirs.coef_, theirs.intercept_))
            )
            assert at_ours <= at_theirs * (1 + 1e-12)
            if rho == 1:
                assert_allclose(Lasso(lam, intercept=intercept).fit(X, y).w_, ours.w_, rtol=1e-8, atol=1e-12)


@given(seeds, st.floats(-4, -0.01), st.sampled_from([1.0, 0.9, 0.5, 0.1]))
@quick
def test_solutions_meet_the_subgradient_condition(seed, log_share, rho):
    X, y = random_problem(seed, n=15, p=5)
    top = lambda_max(X, y, l1_ratio=rho)
    lam = 10.0**log_share * top
    model = ElasticNet(lam, rho).fit(X, y)
    assert model.converged_
    assert lasso_violation(X, y, model.w_, lam, l1_ratio=rho).max() < 1e-9 * top
    assert lasso_violation(X, y, model.w_ + 0.01, lam, l1_ratio=rho).max() > 1e-9 * top


@given(seeds, st.floats(-4, -0.01), st.sampled_from([1.0, 0.5]))
@quick
def test_objective_never_rises_and_the_gap_bounds_what_is_left(seed, log_share, rho):
    X, y = random_problem(seed, n=15, p=6)
    lam = 10.0**log_share * lambda_max(X, y, l1_ratio=rho)
    model = ElasticNet(lam, rho).fit(X, y)
    objective, gap = np.array([(s.objective, s.gap) for s in model.history_]).T
    scale = objective[0]
    assert (np.diff(objective) <= 1e-13 * scale).all()
    assert (gap >= objective - objective[-1] - 1e-13 * scale).all()
    assert model.gap_ == gap[-1] <= 1e-10 * 0.5 * np.sum((y - y.mean()) ** 2)
    for state in model.history_:
        assert state.objective == pytest.approx(net_objective(X, y, state.w, state.b, lam, rho), rel=1e-9)
    assert_array_equal(model.history_[0].w, 0)
    assert len(model.history_) == model.n_iter_ + 1


def test_gap_is_the_difference_to_the_dual_objective():
    """The gap by its definition, at weights that are far from optimal: the residual scaled to be feasible."""
    X, y = random_problem(9, n=20, p=3)
    A, t = X - X.mean(0), y - y.mean()
    for rho, lam in ((1.0, 40.0), (0.4, 90.0)):
        start = np.array([0.3, -0.2, 0.1])
        first = ElasticNet(lam, rho).fit(X, y, start=start).history_[0]
        l1, l2 = lam * rho, lam * (1 - rho)
        B, u = np.vstack([A, np.sqrt(l2) * np.eye(3)]), np.append(t, np.zeros(3))  # elastic net = lasso on longer data
        theta = u - B @ start
        theta *= min(1, l1 / np.abs(B.T @ theta).max())
        dual = 0.5 * u @ u - 0.5 * (u - theta) @ (u - theta)
        assert first.gap == pytest.approx(first.objective - dual)
        assert first.objective == pytest.approx(net_objective(A, t, start, 0, lam, rho))


def test_first_sweep_by_hand():
    """x1 = (1, -1, 0, 0), x2 = (1, 0, -1, 0), lam = 1: w1 = S(5, 1)/2 = 2, then w2 = S(7 - 2, 1)/2 = 2."""
    X = np.array([[1.0, 1], [-1, 0], [0, -1], [0, 0]])
    model = Lasso(lam=1).fit(X, [4, -1, -3, 0])
    start, first = model.history_[:2]
    assert start.objective == 13
    assert_allclose(first.w, [2, 2])
    assert first.objective == pytest.approx(0.5 * (0 + 1 + 1 + 0) + 4)
    assert_allclose(model.w_, [2 / 3, 8 / 3])  # 2 w1 + w2 = 5 - 1 and w1 + 2 w2 = 7 - 1, with both w > 0


def test_all_weights_vanish_from_lambda_max_on():
    """Also at lambda_max itself, where x_j.t equals lam in exact arithmetic and rounding decides without slack."""
    for seed in range(100):
        X, y = random_problem(seed)
        for rho in (1.0, 0.3):
            top = lambda_max(X, y, l1_ratio=rho)
            assert_array_equal(ElasticNet(top, rho).fit(X, y).w_, 0)
            assert_array_equal(ElasticNet(top, rho).fit(X, y, start=np.ones(X.shape[1])).w_, 0)
            assert np.count_nonzero(ElasticNet(top * (1 - 1e-9), rho).fit(X, y).w_) == 1


def test_elastic_net_without_absolute_penalty_is_ridge():
    X, y = random_problem(11)
    for lam in (0.0, 7.0):
        ridge = Ridge(lam).fit(X, y)
        net = ElasticNet(lam, l1_ratio=0).fit(X, y)
        assert_allclose(net.w_, ridge.w_, rtol=1e-12)
        assert (net.n_iter_, net.converged_, net.gap_) == (1, True, 0.0)
        start, end = net.history_
        assert start.gap == pytest.approx(start.objective - end.objective)
        assert end.objective == pytest.approx(0.5 * ridge_objective(X, y, ridge.w_, ridge.b_, lam))
    assert_allclose(Lasso(0).fit(X, y).w_, LinearRegression().fit(X, y).w_, rtol=1e-9)


def test_nearly_collinear_columns_take_few_sweeps():
    """Raw powers up to 9: plain coordinate descent still creeps after a million steps; the exact jumps end it."""
    data = noisy_sine(n=30, rng=5)
    X = polynomial_features(data.X[:, 0], 9, bias=False)
    lam = 1e-4 * lambda_max(X, data.y)
    model = Lasso(lam).fit(X, data.y)
    assert model.n_iter_ <= 60
    assert lasso_violation(X, data.y, model.w_, lam).max() < 1e-12 * lambda_max(X, data.y)
    w = np.zeros(9)  # the same without jumps, in the open
    A, t = X - X.mean(0), data.y - data.y.mean()
    for _ in range(2000):
        for j in range(9):
            w[j] = soft_threshold(A[:, j] @ (t - A @ w) + A[:, j] @ A[:, j] * w[j], lam) / (A[:, j] @ A[:, j])
    assert net_objective(A, t, w, 0, lam, 1) > model.history_[-1].objective * (1 + 1e-8)


def test_warm_start_ends_where_the_cold_start_does():
    X, y = patients()
    near = Lasso(lam=100).fit(X, y)
    warm, cold = Lasso(lam=90).fit(X, y, start=near.w_), Lasso(lam=90).fit(X, y)
    assert_allclose(warm.w_, cold.w_, rtol=1e-9, atol=1e-10)
    assert_array_equal(warm.history_[0].w, near.w_)
    again = Lasso(lam=100).fit(X, y, start=near.w_)
    assert again.n_iter_ == 1
    assert warm.history_[0].gap < cold.history_[0].gap


def test_too_few_sweeps_give_a_warning_with_the_gap():
    X, y = patients()
    with pytest.warns(ConvergenceWarning, match="Lasso stopped after 1 sweeps with a duality gap of"):
        model = Lasso(lam=10, max_iter=1).fit(X, y)
    assert not model.converged_
    assert model.n_iter_ == 1


@pytest.mark.parametrize("share", [1e-6, 1e-10, 1e-13, 1e-15, 1e-300])
@pytest.mark.parametrize(("n", "p"), [(50, 6), (200, 3)])
def test_tiny_penalties_raise_no_false_alarm(share, n, p):
    """Below rounding the condition for the minimum cannot be told from that of least squares."""
    X, y = random_problem(11, n, p)
    model = Lasso(share * lambda_max(X, y)).fit(X, y)
    assert model.converged_
    assert model.n_iter_ < 50
    assert_allclose(model.w_, LinearRegression().fit(X, y).w_, rtol=2e4 * share + 1e-9)


def test_lasso_finds_the_few_weights_that_matter():
    rng = np.random.default_rng(12)
    X = rng.normal(size=(40, 100))
    y = X[:, [3, 40, 77]] @ [4, -3, 2] + 0.1 * rng.normal(size=40)
    model = Lasso(lam=8).fit(X, y)
    assert set(np.flatnonzero(model.w_)) == {3, 40, 77}
    assert np.count_nonzero(Ridge(lam=8).fit(X, y).w_) == 100


# --- paths ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", [Ridge(), Lasso(), ElasticNet(l1_ratio=0.6), Lasso(intercept=False)])
def test_path_equals_single_fits_in_the_order_given(model):
    X, y = random_problem(13)
    lams = [3.0, 80.0, 0.2, 900.0]
    path = regularization_path(model, X, y, lams)
    assert_array_equal(path.lams, lams)
    assert path.coefficients.shape == (4, 4)
    for i, lam in enumerate(lams):
        single = type(model)(**{**model.get_params(), "lam": lam}).fit(X, y)
        assert_allclose(path.coefficients[i], single.w_, rtol=1e-7, atol=1e-9)
        assert path.intercepts[i] == pytest.approx(single.b_, rel=1e-7, abs=1e-8)
        assert_allclose(path.predict(X)[i], single.predict(X), rtol=1e-7, atol=1e-7)
    assert model.lam == 1.0  # the model given is left alone
    assert not hasattr(model, "w_")


def test_diabetes_lasso_path_agrees_with_scikit_learn():
    X, y = patients()
    path = regularization_path("lasso", X, y)
    alphas, theirs, _ = linear_model.lasso_path(X, y - y.mean(), alphas=path.lams / len(y), tol=1e-14, max_iter=10**6)
    assert_allclose(alphas * len(y), path.lams)
    assert_allclose(path.coefficients, theirs.T, atol=1e-6)
    assert_array_equal(path.coefficients[0], 0)
    first = [diabetes().feature_names[j] for j in np.flatnonzero(path.coefficients[5])]
    assert first == ["bmi", "s5"]  # body mass index and the log of triglycerides enter first
    assert_array_equal(path.dof, np.count_nonzero(path.coefficients, axis=1))


def test_dof_of_the_elastic_net_is_ridge_s_on_the_columns_in_use():
    X, y = patients()
    path = regularization_path(ElasticNet(l1_ratio=0.5), X, y, [200.0, 20.0])
    for lam, w, dof in zip(path.lams, path.coefficients, path.dof):
        A = (X - X.mean(0))[:, w != 0]
        hat = A @ np.linalg.solve(A.T @ A + 0.5 * lam * np.eye(A.shape[1]), A.T)
        assert dof == pytest.approx(np.trace(hat))


def test_dof_without_penalty_is_the_rank():
    X, y = random_problem(27, n=20, p=3)
    twins = np.hstack([X, X])
    for kind in ("ridge", "lasso", "elastic_net"):
        assert regularization_path(kind, twins, y, [0.0]).dof[0] == pytest.approx(3)


def test_default_penalties_span_the_path():
    X, y = patients()
    for kind in ("ridge", "lasso", "elastic_net"):
        path = regularization_path(kind, X, y)
        size = np.abs(path.coefficients).max(axis=1)
        assert len(path.lams) == 50
        assert size[0] < 0.01 * size[-1]
        assert path.dof[0] < 0.1 < 8 < path.dof[-1]


# --- Bayesian linear regression ---------------------------------------------------------------------------------


def test_w3_03_posterior_and_prediction():
    Phi, t = ten_points()
    model = BayesianLinearRegression(prior_variance=4, noise_variance=0.25, intercept=False).fit(Phi, t)
    assert_allclose(model.mean_, [0.794629, -1.296573], atol=5e-7)
    assert_allclose(np.diag(model.covariance_), [0.025163, 0.044986], atol=5e-7)
    mean, std = model.predict([[1, 0.5]], return_std=True)
    assert mean[0] == pytest.approx(0.146343, abs=5e-7)
    assert std[0] ** 2 == pytest.approx(0.282624, abs=5e-7)


@given(seeds, st.floats(-3, 3), st.floats(-3, 3), st.booleans())
@quick
def test_ridge_equals_map(seed, log_tau2, log_sigma2, intercept):
    X, y = random_problem(seed, n=12, p=4)
    tau2, sigma2 = 10.0**log_tau2, 10.0**log_sigma2
    bayes = BayesianLinearRegression(tau2, sigma2, intercept=intercept).fit(X, y)
    ridge = Ridge(sigma2 / tau2, intercept=intercept).fit(X, y)
    assert_allclose(bayes.w_, ridge.w_, rtol=0, atol=1e-10 * max(1, np.abs(ridge.w_).max()))
    assert bayes.b_ == pytest.approx(ridge.b_, rel=1e-10, abs=1e-10 * (1 + np.abs(X).max() * np.abs(ridge.w_).max()))


@pytest.mark.parametrize("ratio", [1.0, 1e4, 1e8, 1e12])
@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("kind", ["correlated", "powers", "wide"])
def test_posterior_keeps_its_digits_under_vague_priors(ratio, intercept, kind):
    """Batch and one by one, in any order, against exact arithmetic."""
    rng = np.random.default_rng(14)
    X = {
        "correlated": random_problem(14, n=8, p=3)[0],
        "powers": polynomial_features(np.linspace(0, 1, 8), 5, bias=False),
        "wide": rng.normal(size=(5, 8)),
    }[kind]
    t, sigma2 = rng.normal(size=len(X)), 0.125
    tau2 = sigma2 * ratio
    Phi = design_matrix(X) if intercept else X
    precision = [0.0] * intercept + [1 / Fraction(tau2)] * X.shape[1]
    mean, covariance = rational_posterior(Phi, t, precision, sigma2)
    batch = BayesianLinearRegression(tau2, sigma2, intercept=intercept).fit(X, t)
    single = BayesianLinearRegression(tau2, sigma2, intercept=intercept)
    for i in rng.permutation(len(X)):
        single.update(X[[i]], t[[i]])
    spread = np.sqrt(np.outer(np.diag(covariance), np.diag(covariance)))
    for model in (batch, single):
        assert_allclose(model.mean_, mean, rtol=0, atol=1e-10 * np.abs(mean).max())
        assert_allclose(model.covariance_ / spread, covariance / spread, rtol=0, atol=1e-10)
    assert single.log_marginal_likelihood() == pytest.approx(batch.log_marginal_likelihood(), rel=1e-9)


@given(seeds, st.integers(1, 6), st.booleans())
@quick
def test_updates_in_any_order_and_any_portions_equal_the_batch(seed, portion, intercept):
    X, y = random_problem(seed, n=12, p=3)
    batch = BayesianLinearRegression(2.0, 0.5, intercept=intercept).fit(X, y)
    model, order = BayesianLinearRegression(2.0, 0.5, intercept=intercept), np.random.default_rng(seed).permutation(12)
    for part in np.split(order, range(portion, 12, portion)):
        model.update(X[part], y[part])
    assert model.n_seen_ == batch.n_seen_ == 12
    assert_allclose(model.mean_, batch.mean_, rtol=1e-10, atol=1e-10)
    spread = np.sqrt(np.outer(np.diag(batch.covariance_), np.diag(batch.covariance_)))
    assert_allclose(model.covariance_ / spread, batch.covariance_ / spread, rtol=0, atol=1e-10)


@given(seeds)
@quick
def test_every_point_makes_the_posterior_narrower(seed):
    X, y = random_problem(seed, n=8, p=3)
    model = BayesianLinearRegression(2.0, 0.5, intercept=False).start(3)
    assert_allclose(model.covariance_, 2 * np.eye(3))
    for i in range(8):
        before = model.covariance_
        model.update(X[[i]], y[[i]])
        assert np.linalg.eigvalsh(before - model.covariance_).min() > -1e-12
        assert (model.predict(X, return_std=True)[1] > np.sqrt(0.5)).all()


def test_posterior_by_the_textbook_formula():
    X, y = random_problem(15, n=9, p=2)
    tau2, sigma2, m0 = np.array([2.0, 0.3]), 0.7, np.array([1.0, -2.0])
    model = BayesianLinearRegression(tau2, sigma2, prior_mean=m0, intercept=False).fit(X, y)
    S = np.linalg.inv(np.diag(1 / tau2) + X.T @ X / sigma2)
    m = S @ (m0 / tau2 + X.T @ y / sigma2)
    assert_allclose(model.mean_, m, rtol=1e-10)
    assert_allclose(model.covariance_, S, rtol=1e-9)
    new = np.array([[0.3, -1.0], [5, 5]])
    mean, std = model.predict(new, return_std=True)
    assert_allclose(mean, new @ m, rtol=1e-10)
    assert_allclose(std**2, sigma2 + np.sum((new @ S) * new, axis=1), rtol=1e-9)
    assert_array_equal(model.predict(new), mean)


def test_weights_and_functions_are_two_views_of_one_model():
    """The same model as a Gaussian process with the kernel tau^2 x.x': mean, spread and evidence agree."""
    X, y = random_problem(16, n=15, p=3)
    tau2, sigma2 = 1.7, 0.6
    model = BayesianLinearRegression(tau2, sigma2, intercept=False).fit(X, y)
    kernel = ConstantKernel(tau2) * DotProduct(sigma_0=0, sigma_0_bounds="fixed")
    process = GaussianProcessRegressor(kernel, alpha=sigma2, optimizer=None).fit(X, y)
    new = random_problem(17, n=5, p=3)[0]
    mean, std = model.predict(new, return_std=True)
    theirs, latent = process.predict(new, return_std=True)
    assert_allclose(mean, theirs, rtol=1e-7)
    assert_allclose(std**2, latent**2 + sigma2, rtol=1e-6)
    assert model.log_marginal_likelihood() == pytest.approx(process.log_marginal_likelihood(), rel=1e-9)


def test_agrees_with_scikit_learn_with_its_hyperparameters_held_fixed():
    X, y = patients()
    tau2, sigma2, big = 400.0, 3000.0, 1e14  # gamma priors so narrow that nothing is re-estimated
    theirs = linear_model.BayesianRidge(
        alpha_1=big, alpha_2=big * sigma2, lambda_1=big, lambda_2=big * tau2, tol=1e-12
    ).fit(X, y)
    ours = BayesianLinearRegression(tau2, sigma2).fit(X, y)
    assert_allclose(ours.w_, theirs.coef_, rtol=1e-8)
    assert ours.b_ == pytest.approx(theirs.intercept_, rel=1e-10)
    assert_allclose(ours.covariance_[1:, 1:], theirs.sigma_, rtol=1e-7, atol=1e-9)
    # The error bars of theirs take the intercept for known: sigma^2 / N is missing
    mine, other = (model.predict(X, return_std=True)[1] ** 2 for model in (ours, theirs))
    assert_allclose(mine - other, sigma2 / len(y), rtol=1e-6)


def test_evidence_is_the_density_of_the_targets():
    """With a proper prior t ~ N(Phi m0, sigma^2 I + tau^2 Phi Phi'), whichever way the points arrive."""
    X, y = random_problem(18, n=7, p=2)
    tau2, sigma2, m0 = 1.4, 0.9, 0.5
    model = BayesianLinearRegression(tau2, sigma2, prior_mean=m0, intercept=False).fit(X, y)
    C = sigma2 * np.eye(7) + tau2 * X @ X.T
    off = y - X @ [m0, m0]
    direct = -0.5 * (7 * np.log(2 * np.pi) + np.linalg.slogdet(C)[1] + off @ np.linalg.solve(C, off))
    assert model.log_marginal_likelihood() == pytest.approx(direct)
    # The chain rule: ln p(t) = sum ln p(t_i | points before)
    chain, total = BayesianLinearRegression(tau2, sigma2, prior_mean=m0, intercept=False).start(2), 0.0
    assert chain.log_marginal_likelihood() == pytest.approx(0, abs=1e-12)
    for i in range(7):
        mean, std = chain.predict(X[[i]], return_std=True)
        total += -0.5 * np.log(2 * np.pi * std[0] ** 2) - 0.5 * ((y[i] - mean[0]) / std[0]) ** 2
        chain.update(X[[i]], y[[i]])
    assert total == pytest.approx(direct)


def test_evidence_with_a_flat_intercept_is_the_limit_of_a_broad_one():
    X, y = random_problem(19, n=9, p=2)
    flat = BayesianLinearRegression(1.5, 0.4).fit(X, y)
    broad = BayesianLinearRegression([1e10, 1.5, 1.5], 0.4, intercept=False).fit(design_matrix(X), y)
    assert_allclose(flat.mean_, broad.mean_, rtol=1e-7)
    density_at_zero = -0.5 * np.log(2 * np.pi * 1e10)  # of the broad prior; the flat one has density 1
    assert flat.log_marginal_likelihood() == pytest.approx(broad.log_marginal_likelihood() - density_at_zero, rel=1e-7)


def test_infinitely_broad_prior_is_least_squares():
    X, y = random_problem(20, n=25, p=3)
    exact = LinearRegression().fit(X, y)
    model = BayesianLinearRegression(np.inf, 0.8).fit(X, y)
    assert_allclose(model.w_, exact.w_, rtol=1e-10)
    assert model.b_ == pytest.approx(exact.b_, rel=1e-10)
    Phi = design_matrix(X)
    assert_allclose(model.covariance_, 0.8 * np.linalg.inv(Phi.T @ Phi), rtol=1e-8, atol=1e-12)
    stderr = exact.summary().stderr / exact.summary().sigma * np.sqrt(0.8)  # the standard errors, with known noise
    assert_allclose(np.sqrt(np.diag(model.covariance_)), stderr, rtol=1e-8)


def test_predictive_band_narrows_to_the_noise():
    rng = np.random.default_rng(21)
    X = rng.normal(size=(20_000, 2))
    model = BayesianLinearRegression(3.0, 0.25).fit(X, X @ [1, -2] + 0.5 * rng.normal(size=20_000))
    assert model.predict([[0.5, 0.5]], return_std=True)[1][0] == pytest.approx(0.5, rel=1e-4)


def test_sampled_weights_have_the_posterior_s_moments():
    Phi, t = ten_points()
    model = BayesianLinearRegression(4, 0.25, intercept=False).fit(Phi, t)
    draws = model.sample_weights(200_000, rng=3)
    assert draws.shape == (200_000, 2)
    assert_allclose(draws.mean(0), model.mean_, atol=5 * np.sqrt(0.045 / 200_000))
    assert_allclose(np.cov(draws.T), model.covariance_, atol=1e-3)
    assert_array_equal(model.sample_weights(3, rng=1), model.sample_weights(3, rng=np.random.default_rng(1)))


def test_update_adds_to_fit_and_fit_forgets():
    X, y = random_problem(22, n=10, p=2)
    model = BayesianLinearRegression(2.0, 0.5).fit(X[:6], y[:6]).update(X[6:], y[6:])
    assert_allclose(model.mean_, BayesianLinearRegression(2.0, 0.5).fit(X, y).mean_, rtol=1e-10)
    assert_array_equal(model.fit(X[:6], y[:6]).mean_, BayesianLinearRegression(2.0, 0.5).fit(X[:6], y[:6]).mean_)
    assert model.n_seen_ == 6


def test_noise_variance_is_that_of_the_fit_until_the_next():
    X, y = random_problem(22, n=12, p=2)
    model = BayesianLinearRegression(4, 0.25).fit(X, y)
    before = model.predict(X, return_std=True)[1]
    model.set_params(noise_variance=100.0)
    assert_array_equal(model.predict(X, return_std=True)[1], before)
    with pytest.raises(ValueError, match=r"noise_variance is 100, but the points so far were learned with 0.25"):
        model.update(X, y)
    assert model.fit(X, y).predict(X, return_std=True)[1].min() > 10


def test_failed_update_leaves_the_model_as_it_was():
    X, y = random_problem(23, n=10, p=2)
    model = BayesianLinearRegression(2.0, 0.5).fit(X, y)
    before = model.mean_.copy()
    with pytest.raises(ValueError, match="standard deviations of the noise"):
        model.update([[1e200, 0]], [1])
    with pytest.raises(ValueError, match="2 features"):
        model.update([[1.0]], [1])
    assert_array_equal(model.mean_, before)


# --- norms, balls, dimension ------------------------------------------------------------------------------------


@given(seeds, st.sampled_from([0.5, 1, 1.5, 2, 3, 10]))
@quick
def test_norms_by_definition(seed, q):
    w = np.random.default_rng(seed).normal(size=(3, 4))
    direct = [sum(abs(v) ** q for v in row) for row in w]
    assert_allclose(lq_penalty(w, q), direct)
    assert_allclose(lq_norm(w, q), np.power(direct, 1 / q))
    assert_allclose(lq_norm(-7 * w, q), 7 * lq_norm(w, q))


def test_norm_limits():
    w = np.array([3.0, 0, -4])
    assert lq_norm(w, np.inf) == 4
    assert lq_norm(w, 200) == pytest.approx(4, rel=1e-6)
    assert lq_penalty(w, 0) == 2
    assert lq_norm([0, 0], 0.5) == 0
    assert lq_norm([1e200, -1e200], 2) == pytest.approx(np.sqrt(2) * 1e200)
    assert lq_norm([1, 1], 0.5) > lq_norm([1, 0], 0.5) + lq_norm([0, 1], 0.5)  # no triangle inequality below 1


def test_w2_18_group_norm():
    assert group_norm([[3, 4], [0, 0], [1, 0]], 2, 1) == 6
    assert group_norm([[3, 4], [1]], 2, 1) == 6  # groups of any size
    assert group_norm([[3, 4], [1, 0]], 2, 2) == pytest.approx(np.sqrt(26))


@pytest.mark.parametrize("q", [0.5, 1, 2, 4])
def test_ball_boundary(q):
    curve = lq_ball(q, radius=2.5, n=80)
    assert curve.shape == (81, 2)
    assert_allclose(lq_norm(curve, q), 2.5)
    assert_array_equal(curve[[0, 20, 40, 60, 80]], [[2.5, 0], [0, 2.5], [-2.5, 0], [0, -2.5], [2.5, 0]])
    assert (np.diff(np.unwrap(np.arctan2(*curve[:, ::-1].T))) > 0).all()  # once round, anticlockwise


@pytest.mark.parametrize("q", [1, 2])
@pytest.mark.parametrize("share", [0.05, 0.6, 0.95])
def test_penalty_and_budget_have_the_same_solutions(q, share):
    X, y = random_problem(24, n=20, p=2)
    radius = share * lq_norm(LinearRegression().fit(X, y).w_, q)
    fit = least_squares_in_ball(X, y, q, radius)
    assert lq_norm(fit.w, q) == pytest.approx(radius, rel=1e-10)
    same = (Ridge if q == 2 else Lasso)(fit.lam).fit(X, y)
    assert_allclose(fit.w, same.w_, rtol=1e-9, atol=1e-12)
    assert fit.b == pytest.approx(same.b_)
    best = ridge_objective(X, y, fit.w, fit.b, 0)
    rim = np.vstack([lq_ball(q, radius * share, n=2000) for share in (1, 0.9, 0.5)])  # no point of the ball does better
    assert min(ridge_objective(X, y, w, y.mean() - X.mean(0) @ w, 0) for w in rim) >= best * (1 - 1e-12)


@pytest.mark.parametrize("degree", [12, 14])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.99])
def test_budget_of_ridge_keeps_its_digits_on_ill_conditioned_powers(degree, share):
    x = np.linspace(0, 1, 15)
    X, y = polynomial_features(x, degree, bias=False), np.sin(7 * x) + 0.1 * np.random.default_rng(0).normal(size=15)
    radius = share * lq_norm(ridge_svd(X, y).weights(0), 2)
    fit = least_squares_in_ball(X, y, 2, radius)
    assert lq_norm(fit.w, 2) == pytest.approx(radius, rel=1e-8)
    assert lq_norm(Ridge(fit.lam).fit(X, y).w_, 2) == pytest.approx(radius, rel=1e-8)


def test_a_large_budget_does_not_bind():
    X, y = random_problem(24, n=20, p=2)
    exact = LinearRegression().fit(X, y)
    for q in (1, 2):
        fit = least_squares_in_ball(X, y, q, 1e3)
        assert_allclose(fit.w, exact.w_, rtol=1e-9)
        assert fit.lam == 0


def test_small_diamonds_touch_at_corners_and_small_discs_do_not():
    X, y = random_problem(25, n=30, p=2)
    assert np.count_nonzero(least_squares_in_ball(X, y, 1, 0.1).w) == 1
    assert np.count_nonzero(least_squares_in_ball(X, y, 2, 0.1).w) == 2


def test_curse_of_dimensionality():
    rng = np.random.default_rng(0)
    cloud = rng.uniform(-1, 1, (200_000, 5))
    inside = np.linalg.norm(cloud, axis=1)
    assert inscribed_ball_share(5) == pytest.approx(np.mean(inside < 1), abs=0.004)
    assert shell_share(5, 0.1) == pytest.approx(np.mean(inside[inside < 1] > 0.9), abs=0.01)
    assert cube_edge(5, 0.1) == pytest.approx(np.quantile(np.abs(cloud).max(axis=1), 0.1), abs=0.004)
    assert inscribed_ball_share(3) == pytest.approx(np.pi / 6)
    assert shell_share(1, 1e-12) == pytest.approx(1e-12)
    assert shell_share(4, 1) == 1
    assert grid_cells(10, 5) == 9_765_625


# --- choosing the penalty --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize(("n", "p"), [(15, 4), (6, 9)])
def test_leave_one_out_equals_refits(intercept, n, p):
    X, y = random_problem(31, n=n, p=p)
    lams, rows = np.array([0.01, 1.0, 300.0]), np.arange(n)
    misses = [
        [y[i] - Ridge(lam, intercept=intercept).fit(X[rows != i], y[rows != i]).predict(X[i : i + 1])[0] for i in rows]
        for lam in lams
    ]
    ours = ridge_leave_one_out(X, y, lams, intercept=intercept)
    assert_allclose(ours, np.mean(np.square(misses), axis=1), rtol=1e-8)
    assert ridge_leave_one_out(X, y, 1.0, intercept=intercept) == pytest.approx(ours[1])


def test_choices_agree_with_scikit_learn():
    X, y = patients()
    lams = np.geomspace(0.1, 1000, 9)
    theirs = linear_model.RidgeCV(alphas=lams, store_cv_results=True).fit(X, y)
    assert_allclose(ridge_leave_one_out(X, y, lams), theirs.cv_results_.mean(axis=0), rtol=1e-9)


@pytest.mark.parametrize("intercept", [True, False])
def test_gcv_by_its_definition(intercept):
    X, y = random_problem(32, n=20, p=5)
    for lam, score in zip((0.1, 10.0), ridge_gcv(X, y, [0.1, 10.0], intercept=intercept)):
        model = Ridge(lam, intercept=intercept).fit(X, y)
        miss = np.mean((y - model.predict(X)) ** 2)
        assert score == pytest.approx(miss / (1 - (intercept + model.dof_) / 20) ** 2)


def test_ten_points_choose_between_wild_and_flat():
    """Section 6.8: over a fine grid leave-one-out beats the flat curve every time; over three values it does not."""
    g, logs = np.linspace(0, 1, 200), np.arange(-22, 6.1, 0.5)
    P, G = (polynomial_features(x, 9, bias=False) for x in (np.linspace(0, 1, 10), g))
    chosen, rms = [], []
    for seed in range(60):
        t = noisy_sine(rng=seed).y
        curves = regularization_path("ridge", P, t, np.exp(logs)).predict(G)
        rms.append(np.sqrt(np.mean((curves - np.sin(2 * np.pi * g)) ** 2, axis=1)))
        chosen.append(ridge_leave_one_out(P, t, np.exp(logs)).argmin())
    rms, picked = np.array(rms), np.array(rms)[range(60), chosen]
    assert np.median(logs[chosen]) == -8.75
    found = [np.median(picked), np.median(rms.min(axis=1)), *np.median(rms[:, [8, 44]], axis=0)]
    assert_allclose(found, [0.226, 0.168, 0.241, 0.508], atol=5e-4)
    assert np.all(picked < rms[:, 44])


@given(seeds, st.floats(0.01, 1))
@quick
def test_ridge_beats_least_squares_up_to_hoerl_and_kennard_s_bound(seed, share):
    """(6.12) and (6.13), by the covariance of the estimate instead of the singular directions."""
    rng = np.random.default_rng(seed)
    A, w = rng.normal(size=(9, 3)) @ rng.normal(size=(3, 3)), rng.normal(size=3)
    V = np.linalg.svd(A)[2]

    def error(lam):
        L = np.linalg.solve(A.T @ A + lam * np.eye(3), A.T)
        return np.sum((L @ A @ w - w) ** 2) + np.sum(L**2)

    assert error(share / max((V @ w) ** 2)) < error(0.0)


# --- runs that are kept -------------------------------------------------------------------------------------------


def test_kept_runs_of_twins_and_many_features():
    kept = stored.twin_weights()
    for seed in (0, 57):
        assert_allclose(stored.twins_row(seed), [*kept["lasso"][seed], *kept["elastic net"][seed]], rtol=1e-3)
    assert_allclose(stored.features_row(39, 3), stored.many_features()[39][3], rtol=1e-4)


def test_kept_runs_of_the_cures():
    kept = stored.lasso_cures()
    for name, row in zip(stored.CURES, stored.cures(7)):
        assert_allclose(row, kept[name][7], rtol=1e-3)


@pytest.mark.slow
def test_kept_runs_of_the_diabetes_patients():
    errors, chosen = stored.diabetes_split(4)
    kept = stored.diabetes_penalties()
    assert_allclose(errors, [kept[name][4] for name in stored.DIABETES], rtol=1e-4)
    assert_allclose(chosen, [kept[name][4] for name in stored.CHOSEN], rtol=1e-4)


def test_a_refit_is_least_squares_on_the_columns_in_use():
    X, y = random_problem(5)
    W, b = stored.refit(X, y, np.array([[0, 2.0, 0, -1], [0, 0, 0, 0]]))
    least = LinearRegression().fit(X[:, [1, 3]], y)
    assert_allclose(W, [[0, least.w_[0], 0, least.w_[1]], [0] * 4], rtol=1e-12)
    assert_allclose(b, [least.b_, y.mean()], rtol=1e-12)


def test_degrees_of_freedom_of_the_lasso_need_normal_noise():
    """Section 6.6.5: covariance with the noise 1/2, count 1."""
    weights = [Lasso(0.5, intercept=False).fit([[1.0]], [noise]).w_[0] for noise in (1.0, -1.0)]
    assert_allclose(weights, [0.5, -0.5])


# --- explorers ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "settings", "words"),
    [
        ("ridge_penalty", {"log": -18.0}, "test RMS 0.382"),
        ("ridge_penalty", {"log": -7.5}, "leaves 3.87 of 9 degrees .* test RMS 0.324"),
        ("ridge_penalty", {"log": 3.0}, "test RMS 0.754"),
        ("ridge_penalty", {"log": -20.0, "n": 40}, "test RMS 0.321"),
        ("ridge_penalty", {"log": -7.5, "n": 40}, "test RMS 0.314"),
        ("penalty_balls", {"q": 1.0, "budget": 0.85}, "w₂ is exactly zero"),
        ("penalty_balls", {"q": 1.0, "budget": 0.9}, "beside its corners: no weight is zero"),
        ("penalty_balls", {"q": 2.0, "correlation": -0.9, "budget": 0.8}, "−0.031"),
        ("penalty_balls", {"q": 2.0, "correlation": -0.9, "budget": 0.85}, "0.008"),
        ("soft_threshold_view", {"z": 3.0}, "becomes 2.00 .* 1.50 by ridge"),
        ("soft_threshold_view", {"z": 0.5}, "becomes 0.00 .* 0.25 by ridge"),
        ("lasso_path", {"lam": 10**3.9}, "λ = 7,943 keeps 2 of 10 weights .bmi, s5.:"),
        ("lasso_path", {"lam": 10**2.8}, "λ = 631 keeps 6 of 10"),
        ("lasso_path", {"lam": 0.1}, "keeps 10 of 10"),
        ("lasso_path", {"lam": 10**2.8, "rho": 0.1}, "λ = 631 keeps 10 of 10"),
        ("lasso_path", {"lam": 1.0}, "least, 54.8, at λ = 501"),
        ("lasso_path", {"lam": 0.1, "rho": 0.0}, "least, 55.1, .* none of them zero"),
        ("bayesian_line", {"n": 0}, "w₁ = 0.00 ± 0.71"),
        ("bayesian_line", {"n": 1}, "± 0.67"),
        ("bayesian_line", {"n": 2}, "± 0.20"),
        ("bayesian_line", {"n": 30}, "w₁ = 0.45 ± 0.07"),
        ("bayesian_line", {"n": 30, "tau2": 100.0}, "w₁ = 0.45 ± 0.07"),
        ("curse", {"d": 2}, "average 0.054 times"),
        ("curse", {"d": 10}, "average 0.38 times"),
        ("curse", {"d": 100}, "average 0.76 times"),
    ],
)
def test_read_outs_that_the_chapter_quotes(name, settings, words):
    view = made(name)
    assert re.search(words, view.describe(view.compute(**settings)).replace("**", ""))


@pytest.mark.parametrize(
    ("name", "answers"),
    [
        ("ridge_penalty", "0.324|7.5|3.87"),
        ("penalty_balls", "exactly zero|q = [12].0"),
        ("soft_threshold_view", "0.00|2.00 by the soft"),
        ("lasso_path", "Ridge|none of them"),
        ("bayesian_line", "After"),
        ("curse", "0.76|0.054"),
    ],
)
def test_opening_read_outs_leave_the_predictions_open(name, answers):
    view = made(name)
    assert not re.search(answers, view.describe(view.compute()).replace("**", ""))


def test_the_paths_that_the_chapter_describes():
    W = made("ridge_penalty").compute(log=3.0)[4][:-1]
    moves = (np.diff(np.abs(W), axis=0) > 0).any(axis=0) | (np.diff(np.sign(W), axis=0) != 0).any(axis=0)
    assert moves.sum() > 4
    assert np.all(np.diff(np.linalg.norm(W, axis=1)) < 0)
    assert np.all(W != 0)
    s1, s4, s5 = made("lasso_path").compute(lam=0.1, rho=1.0)[2].W[::-1, [4, 7, 8]].T  # from large λ to small
    entered = max(np.flatnonzero(s1)[0], np.flatnonzero(s4)[0])
    assert np.all(np.diff(s5[entered:]) < 1e-3)
    assert s5[-1] < s5.max() - 2


@pytest.mark.parametrize(("z", "lam"), [(1.2, 1.0), (0.7, 0.3), (-2.5, 3.0), (2.9, 1.5), (-0.2, 0.25)])
def test_hard_threshold_of_the_explorer_pays_half_lam_squared_for_a_weight(z, lam):
    cost, best = min([(0.5 * z**2, 0.0), (0.5 * lam**2, z)])
    assert made("soft_threshold_view").compute(z=z, lam=lam)[-1] == best


def test_balls_of_other_exponents_are_solved_to_three_digits():
    """Against a minimisation over the angle, in steps and then by golden section."""
    view, w_free = made("penalty_balls"), 1.5 * np.array([np.cos(np.radians(20)), np.sin(np.radians(20))])
    for q, s in ((0.5, 1.5), (1.5, 0.8), (3.0, 1.2)):

        def loss(share, q=q, s=s):
            return np.hypot(s * share ** (1 / q) - w_free[0], s * (1 - share) ** (1 / q) - w_free[1])

        start = np.argmin(loss(np.linspace(0, 1, 1001))) / 1000
        found = minimize_scalar(loss, bounds=(max(start - 1e-3, 0), min(start + 1e-3, 1)), method="bounded").x
        w = view.compute(q=q, budget=s, correlation=0.0, angle=20)[5]
        assert_allclose(w, [s * found ** (1 / q), s * (1 - found) ** (1 / q)], atol=2e-4)
    assert "two solutions" in view.describe(view.compute(q=0.5, budget=0.8, correlation=0.0, angle=45))


# --- bad input --------------------------------------------------------------------------------------------------

X2, y2 = random_problem(26, n=8, p=2)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: Ridge(-1).fit(X2, y2), "lam must be at least 0; got -1"),
        (lambda: Ridge("a").fit(X2, y2), "lam must be a finite number; got 'a'"),
        (lambda: Ridge(intercept="no").fit(X2, y2), "intercept must be one of True, False; got 'no'"),
        (lambda: Ridge().fit(1e200 * X2, y2), "X holds values up to .* Change the unit of X"),
        (lambda: Ridge().fit(X2, 1e-200 * y2), "y holds values up to .* Change the unit of y"),
        (lambda: ridge_svd(X2, y2).weights([1, -2]), "lam must be at least 0; got -2"),
        (lambda: ridge_svd(X2, y2).weights([[1.0]]), r"lam must be a number or have shape \(m,\)"),
        (lambda: effective_dof(X2, -1), "lam must be at least 0"),
        (lambda: Lasso(-1).fit(X2, y2), "lam must be at least 0"),
        (lambda: Lasso(1, tol=-1).fit(X2, y2), "tol must be at least 0"),
        (lambda: Lasso(1, max_iter=0).fit(X2, y2), "max_iter must be at least 1"),
        (lambda: Lasso(1).fit(X2, y2, start=[1]), "start must have one entry per column of X: X has 2 columns"),
        (lambda: ElasticNet(1, 1.5).fit(X2, y2), "l1_ratio must be at least 0 and at most 1; got 1.5"),
        (lambda: soft_threshold([1], -1), "lam must be at least 0"),
        (lambda: lambda_max(X2, y2, l1_ratio=0), "l1_ratio must be greater than 0"),
        (lambda: lasso_violation(X2, y2, [1], 1), "w must have one entry per column of X: X has 2 columns"),
        (lambda: regularization_path("rigde", X2, y2), "model must be one of 'ridge', 'lasso', 'elastic_net'"),
        (lambda: regularization_path(LinearRegression(), X2, y2), "or a Ridge, Lasso or ElasticNet; got LinearReg"),
        (lambda: regularization_path("ridge", X2, y2, [1, -1]), "lams must be at least 0; the smallest is -1"),
        (lambda: regularization_path("lasso", X2, y2, 3.0), r"lams must have shape \(n,\)"),
        (lambda: regularization_path("ridge", X2, y2).predict(X2[:, :1]), "X must have 2 features"),
        (lambda: BayesianLinearRegression(0).fit(X2, y2), "prior_variance must be greater than 0; got 0"),
        (lambda: BayesianLinearRegression([1]).fit(X2, y2), r"prior_variance .* one entry per column of X, \(2,\)"),
        (lambda: BayesianLinearRegression([1, -1]).fit(X2, y2), "prior_variance must be greater than 0; its smallest"),
        (lambda: BayesianLinearRegression(["a", "b"]).fit(X2, y2), "prior_variance must hold numbers only"),
        (lambda: BayesianLinearRegression(1, 0).fit(X2, y2), "noise_variance must be greater than 0"),
        (lambda: BayesianLinearRegression(prior_mean=[1]).fit(X2, y2), "prior_mean must be a number or have one"),
        (lambda: BayesianLinearRegression(np.inf).fit(X2[:2], y2[:2]), "not proper: 2 points .* determine 2 of 3"),
        (lambda: BayesianLinearRegression().start(2), "not proper: 0 points and the prior determine 2 of 3 weights"),
        (lambda: BayesianLinearRegression().fit(X2, y2).sample_weights(0), "n must be at least 1"),
        (lambda: lq_norm([1], 0), "q must be greater than 0"),
        (lambda: lq_penalty([1], -1), "q must be at least 0"),
        (lambda: lq_norm(3, 2), r"w must have shape \(..., p\); got one number"),
        (lambda: lq_penalty(3, 2), r"w must have shape \(..., p\); got one number"),
        (lambda: group_norm([[1, 2]], p=0), "p must be greater than 0"),
        (lambda: group_norm([]), "groups is empty"),
        (lambda: group_norm(3), "groups must be a list of vectors; got 3"),
        (lambda: lq_ball(1, radius=0), "radius must be greater than 0"),
        (lambda: least_squares_in_ball(X2, y2, 3, 1), "q must be one of 1, 2; got 3"),
        (lambda: least_squares_in_ball(X2, y2, 1, 0), "radius must be greater than 0"),
        (lambda: shell_share(0, 0.1), "d must be at least 1"),
        (lambda: shell_share(2, 1.1), "thickness must be at least 0 and at most 1"),
        (lambda: cube_edge(2, -0.1), "share must be at least 0"),
        (lambda: inscribed_ball_share(2.5), "d must be a whole number"),
        (lambda: grid_cells(2, 0), "bins must be at least 1"),
        (lambda: ridge_gcv([[1.0], [2.0], [4.0]], [1, 2, 3], 0.0), "lams must be greater than 0"),
        (lambda: ridge_leave_one_out([[1.0], [2.0]], [1, 2], [1.0, -2.0]), "lam must be at least 0; got -2"),
    ],
)
def test_bad_input_is_explained(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def test_questions_before_fit():
    for ask in ("log_marginal_likelihood", "sample_weights"):
        with pytest.raises(NotFittedError, match="has not been fitted"):
            getattr(BayesianLinearRegression(), ask)()


# --- errata of the sources: the printed form fails, the right one holds ---------------------------------------


def test_erratum_s1_e66():
    """The prior counts once, not once per sample: printed inside the product, it weighs m times as much."""
    rng = np.random.default_rng(0)
    m, tau2, sigma2 = 100, 0.2, 1.0
    X = rng.normal(size=(m, 3))
    y = X @ [2, -1, 0.5] + rng.normal(size=m)

    def log_posterior_slope(w):  # of sum_i ln p(y_i|x_i, w) + ln p(w)
        return X.T @ (y - X @ w) / sigma2 - w / tau2

    right = BayesianLinearRegression(tau2, sigma2, intercept=False).fit(X, y).w_
    printed = BayesianLinearRegression(tau2 / m, sigma2, intercept=False).fit(X, y).w_
    assert_allclose(log_posterior_slope(right), 0, atol=1e-10)
    assert np.abs(log_posterior_slope(printed)).max() > 10
    free = np.linalg.lstsq(X, y, rcond=None)[0]
    assert 0.9 * lq_norm(free, 2) < lq_norm(right, 2) < lq_norm(free, 2)
    assert lq_norm(printed, 2) < 0.25 * lq_norm(free, 2)


def test_erratum_s1_e67():
    """MAP need not shrink or generalise better: a prior centred far away lengthens w and predicts worse."""
    rng = np.random.default_rng(1)
    X, truth = rng.normal(size=(20, 2)), np.array([2.0, -1.0])
    y = X @ truth + rng.normal(size=20)
    free = np.linalg.lstsq(X, y, rcond=None)[0]
    zero = BayesianLinearRegression(1.0, 1.0, intercept=False).fit(X, y).w_
    far = BayesianLinearRegression(1.0, 1.0, prior_mean=[10, -10], intercept=False).fit(X, y).w_
    assert lq_norm(zero, 2) < lq_norm(free, 2) < lq_norm(far, 2)
    # On average over data sets: the squared distance is the excess test error, for inputs of unit covariance
    X = rng.normal(size=(2000, 20, 2))
    y = X @ truth + rng.normal(size=(2000, 20))
    gram, moment = X.swapaxes(1, 2) @ X, np.einsum("sni,sn->si", X, y)
    free, zero, far = (
        np.sum((np.linalg.solve(gram + p * np.eye(2), (moment + m0)[..., None])[..., 0] - truth) ** 2, axis=1)
        for p, m0 in ((0, 0), (1, 0), (1, np.array([10.0, -10])))
    )
    assert far.mean() > 4 * free.mean()
    assert abs((zero - free).mean()) < 3 * (zero - free).std() / np.sqrt(2000) + 0.005  # no gain from shortening


def test_erratum_s2_e2_01():
    """The p-norm needs the bars: without them (1, -1) has length 0 and (1, -2) none at all."""
    w = np.array([1.0, -1])
    assert np.sum(w) == 0
    assert lq_norm(w, 1) == 2
    assert np.sum(np.array([1.0, -2]) ** 3) == -7  # no real root that could be a length
    assert lq_norm([1, -2], 3) == pytest.approx(2.080084, abs=5e-7)


def test_erratum_s2_e2_23():
    """An absolute penalty on w does not make the fit robust to outliers; an absolute loss for large errors does."""
    rng = np.random.default_rng(0)
    x = np.linspace(-1, 1, 50)
    y = 2 * x + 0.1 * rng.normal(size=50)
    y[-1] = -80
    slopes = [Lasso(lam).fit(x[:, None], y).w_[0] for lam in (0, 1, 10, 30)]
    assert slopes[0] < -1  # the outlier turns the line round
    assert slopes == sorted(slopes)
    assert slopes[-1] < 0  # and the penalty only pulls it towards 0, never back to 2
    assert lambda_max(x[:, None], y) == pytest.approx(46.43, abs=0.01)
    assert Lasso(47).fit(x[:, None], y).w_[0] == 0
    assert linear_model.HuberRegressor(alpha=0).fit(x[:, None], y).coef_[0] == pytest.approx(2, abs=0.1)


def test_erratum_s2_e2_28():
    """A sum and a mean loss need different lam, and a penalised intercept lets the unit's origin change the slope."""
    X, Phi = x5[:, None], design_matrix(x5[:, None])
    summed = Ridge(1, intercept=False).fit(Phi, t5).w_
    mean = Ridge(1 * 5, intercept=False).fit(Phi, t5).w_  # |.|^2 / N + lam |w|^2 is |.|^2 + N lam |w|^2
    assert_allclose(summed, [0.765766, 1.027027], atol=5e-7)
    assert_allclose(mean, [0.44, 1.04], atol=5e-7)
    printed = Ridge(1, intercept=False).fit(Phi, t5 + 100).w_[1]
    assert printed == pytest.approx(14.540541, abs=5e-7)
    assert Ridge(1).fit(X, t5).w_[0] == pytest.approx(0.818182, abs=5e-7)
    assert Ridge(1).fit(X, t5 + 100).w_[0] == pytest.approx(0.818182, abs=5e-7)


def test_erratum_s3_e3_06():
    """The hyper-parameter is lam, not the penalty term: with the same penalty, lam moves the weights."""
    Phi = design_matrix(x5[:, None])
    assert_allclose(Ridge(0, intercept=False).fit(Phi, t5).w_, [1.3, 0.9])
    assert_allclose(Ridge(1, intercept=False).fit(Phi, t5).w_, [0.765766, 1.027027], atol=5e-7)


def test_erratum_s3_e3_07():
    """lam I makes a singular matrix invertible, not an invertible one singular."""
    Phi, t = np.array([[1.0, 2], [2, 4], [3, 6]]), np.array([1.0, 3, 2])
    G = Phi.T @ Phi
    assert_allclose(np.linalg.eigvalsh(G), [0, 70], atol=1e-12)
    assert_allclose(np.linalg.eigvalsh(G + 0.1 * np.eye(2)), [0.1, 70.1])
    assert np.linalg.det(G + 0.1 * np.eye(2)) == pytest.approx(7.01)
    w = Ridge(0.1, intercept=False).fit(Phi, t).w_
    assert_allclose((G + 0.1 * np.eye(2)) @ w, Phi.T @ t)


def test_erratum_s3_e3_09():
    """The log-posterior printed is sigma^2 times the right one: same mode, but variances 1/sigma^2 times too large."""
    Phi, t = ten_points()
    sigma2, tau2 = 0.25, 4.0
    model = BayesianLinearRegression(tau2, sigma2, intercept=False).fit(Phi, t)

    def right(w):
        return -0.5 / sigma2 * np.sum((t - Phi @ w) ** 2) - 0.5 / tau2 * w @ w

    def printed(w):
        return -0.5 * np.sum((t - Phi @ w) ** 2) - 0.5 * sigma2 / tau2 * w @ w

    def covariance(log_density, h=1e-3):
        e, m = h * np.eye(2), model.mean_
        curvature = [
            [
                log_density(m + a + b) - log_density(m + a - b) - log_density(m - a + b) + log_density(m - a - b)
                for b in e
            ]
            for a in e
        ]
        return np.linalg.inv(-np.array(curvature) / (4 * h**2))

    assert_allclose(covariance(right), model.covariance_, rtol=1e-6)
    assert_allclose(covariance(printed), 4 * model.covariance_, rtol=1e-6)


def test_erratum_s3_e3_10():
    """The predictive density is an average of densities over the posterior, not the expectation of t*."""
    Phi, t = ten_points()
    model = BayesianLinearRegression(4, 0.25, intercept=False).fit(Phi, t)
    mean, std = model.predict([[1, 0.5]], return_std=True)
    density = np.exp(-0.5 * (mean[0] / std[0]) ** 2) / (np.sqrt(2 * np.pi) * std[0])  # at t* = 0
    assert density == pytest.approx(0.722522, abs=5e-7)
    latent = model.sample_weights(200_000) @ [1, 0.5]
    average = np.mean(np.exp(-0.5 * latent**2 / 0.25) / np.sqrt(2 * np.pi * 0.25))
    assert average == pytest.approx(density, abs=2e-3)
    assert mean[0] == pytest.approx(0.146343, abs=5e-7)  # what is printed in its place


def test_erratum_s3_e3_66():
    """It is the prior's variance that grows without bound, not its mean."""
    Phi, t = ten_points()
    free = np.linalg.lstsq(Phi, t, rcond=None)[0]
    broad = BayesianLinearRegression(1e12, 0.25, intercept=False).fit(Phi, t).mean_
    assert_allclose(broad, [0.800909, -1.312087], atol=5e-7)
    assert_allclose(broad, free, rtol=1e-10)
    printed = BayesianLinearRegression(4, 0.25, prior_mean=1e6, intercept=False).fit(Phi, t).mean_
    assert np.abs(printed - free).min() > 1000


@pytest.mark.parametrize("rho", [1.0, 0.5])
def test_tall_data_are_made_short_and_give_the_same_weights(rho):
    """5,000 rows and the eleven that have their inner products; zeros, signs and certificate are those of all rows."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(5000, 10)) @ rng.normal(size=(10, 10)) + 3 * rng.normal(size=10)
    y = X @ (rng.normal(size=10) * (np.arange(10) % 2)) + rng.normal(size=5000)
    A, t = few_rows(X, y)
    assert len(A) == 11
    assert_allclose(A.T @ A, X.T @ X, rtol=1e-12)
    assert_allclose(A.T @ t, X.T @ y, rtol=1e-12)
    top = lambda_max(X, y, l1_ratio=rho)
    for lam in (1e-6 * top, 0.01 * top, 0.3 * top):
        model = ElasticNet(lam, rho).fit(X, y)
        assert model.converged_
        assert lasso_violation(X, y, model.w_, lam, l1_ratio=rho).max() < 1e-11 * top
    assert not ElasticNet(top, rho).fit(X, y).w_.any()
    assert ElasticNet(0.999 * top, rho).fit(X, y).w_.any()


def test_all_weights_of_tall_data_are_zero_from_lambda_max_on():
    for seed in range(30):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(6000, 3)) * [1, 1e3, 1e-3] + 5, rng.normal(size=6000)
        assert not Lasso(lambda_max(X, y)).fit(X, y).w_.any(), seed

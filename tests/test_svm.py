"""Support vector machines against LIBSVM, problems solved by hand, invariants, messages, and the sources' errata."""

import warnings
from collections import Counter

import numpy as np
import pytest
from explorers import made
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import svm as libsvm

from mlteach import datasets
from mlteach.kernels import Kernel, linear_kernel, polynomial_kernel, rbf_kernel, sigmoid_kernel
from mlteach.svm import (
    DAGSVM,
    SVC,
    SVR,
    DualProblem,
    InteriorStep,
    NuSVC,
    SMOStep,
    _shrinking,
    best_pair,
    epsilon_insensitive,
    functional_margin,
    geometric_margin,
    interior_point,
    kkt_violation,
    level,
    smo,
    smo_pair,
    steepest_pair,
    stored,
)
from mlteach.svm._fast import fast_smo
from mlteach.svm._shrinking import shrinking_smo
from mlteach.svm.dual import objective, violation
from mlteach.validation import ConvergenceWarning, NotFittedError

SOLVERS = ("smo", "interior_point")
KERNELS = {
    "linear": (None, dict(kernel="linear")),
    "poly": (polynomial_kernel(2, 0.5, 1.0), dict(kernel="poly", degree=2, gamma=0.5, coef0=1.0)),
    "rbf": (rbf_kernel(0.4), dict(kernel="rbf", gamma=0.4)),
}


def blobs(n, shift, seed, share=0.5):
    rng = np.random.default_rng(seed)
    y = (np.arange(n) < share * n).astype(int)
    return rng.normal(size=(n, 2)) @ np.array([[1.2, 0.3], [-0.4, 0.8]]) + np.outer(y, [shift, 0.6 * shift]), y


def duplicates():
    X, y = blobs(24, 1.5, 3)
    return np.vstack((X, X[:9], X[:4])), np.concatenate((y, y[:9], 1 - y[:4]))


DATA = {
    "overlapping": blobs(40, 1.5, 0),
    "separable": blobs(40, 6.0, 1),
    "duplicates": duplicates(),
    "one-sided": blobs(40, 2.0, 2, share=0.08),
    "two points": (np.array([[1.0, 1.5], [3.0, 2.2]]), np.array([0, 1])),
    "three points": (np.array([[1.0, 1.5], [3.0, 2.2], [0.3, 2.5]]), np.array([0, 1, 1])),
    "four points": (np.array([[1.0, 1.5], [3.0, 2.2], [2.1, 1.9], [0.3, 2.5]]), np.array([0, 1, 0, 1])),
}


def gram(kernel, X):
    return (kernel or linear_kernel)(X)


def svc_dual(beta, K):
    return np.abs(beta).sum() - 0.5 * beta @ K @ beta


def svr_dual(beta, K, t, epsilon):
    return t @ beta - epsilon * np.abs(beta).sum() - 0.5 * beta @ K @ beta


def coefficients(oracle, n):
    """LIBSVM's t_i a_i for all n points."""
    beta = np.zeros(n)
    beta[oracle.support_] = oracle.dual_coef_[0]
    return beta


# LIBSVM as an oracle


@pytest.mark.parametrize("C", [0.01, 1, 100, 1000])
@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("data", DATA)
def test_svc_against_libsvm(data, kernel, C):
    (X, y), (k, options) = DATA[data], KERNELS[kernel]
    K, t = gram(k, X), 2 * y - 1
    # its kernel cache is in single precision, so for a large C it cannot reach 1e-8
    oracle = libsvm.SVC(C=C, tol=1e-8 if C <= 1 else 1e-5, **options).fit(X, y)
    best = svc_dual(coefficients(oracle, len(X)), K)

    interior, default = SVC(C, k, solver="interior_point").fit(X, y), SVC(C, k).fit(X, y)
    assert interior.dual_objective_ == pytest.approx(best, rel=1e-6)
    assert default.dual_objective_ == pytest.approx(best, rel=2e-3)
    for model in (interior, default):
        assert model.converged_
        assert kkt_violation(model.alpha_, t, K, C) < 1e-3
        assert model.primal_objective_ >= model.dual_objective_ * (1 - 1e-9)
        assert model.alpha_ @ t == pytest.approx(0, abs=1e-9 * C * len(X))
        # every point inside its margin pays the full price; none outside pays anything
        assert (model.alpha_[model.slack_ > 2e-3] == C).all()
        outside = t * model.decision_function(X) > 1 + 2e-3
        assert (model.alpha_[outside] == 0).all()
        assert model.support_.tolist() == np.flatnonzero(model.alpha_).tolist()
        assert model.dual_objective_ == pytest.approx(svc_dual(model.alpha_ * t, K), rel=1e-12)


@pytest.mark.parametrize("C", [0.01, 1, 100])
@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("data", ["overlapping", "separable", "one-sided"])
def test_svc_with_a_tight_tolerance(data, kernel, C):
    (X, y), (k, options) = DATA[data], KERNELS[kernel]
    oracle = libsvm.SVC(C=C, tol=1e-8 if C <= 1 else 1e-6, **options).fit(X, y)
    model = SVC(C, k, tol=1e-6, max_iter=400_000).fit(X, y)
    assert model.dual_objective_ == pytest.approx(svc_dual(coefficients(oracle, len(X)), gram(k, X)), rel=1e-6)
    assert model.primal_objective_ == pytest.approx(model.dual_objective_, rel=1e-6, abs=40 * C * 1e-6)
    new = np.random.default_rng(5).normal(size=(30, 2)) * (3, 2) + 1
    np.testing.assert_allclose(model.decision_function(new), oracle.decision_function(new), rtol=1e-3, atol=1e-2)
    assert (model.predict(new) == oracle.predict(new)).all()


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("epsilon", [0.0, 0.15])
@pytest.mark.parametrize("C", [0.01, 1, 100])
@pytest.mark.parametrize("kernel", KERNELS)
def test_svr_against_libsvm(kernel, C, epsilon, solver):
    k, options = KERNELS[kernel]
    rng = np.random.default_rng(7)
    X = rng.uniform(-2, 3, size=(40, 2)) * (1.0, 0.7)
    t = np.sin(1.3 * X[:, 0]) + 0.4 * X[:, 1] + rng.normal(scale=0.25, size=40)
    oracle = libsvm.SVR(C=C, epsilon=epsilon, tol=1e-8, max_iter=3_000_000, **options).fit(X, t)
    best, K = svr_dual(coefficients(oracle, 40), gram(k, X), t, epsilon), gram(k, X)

    model = SVR(C, epsilon, k, solver=solver, tol=1e-5, max_iter=400_000).fit(X, t)
    assert model.converged_
    assert model.dual_objective_ == pytest.approx(best, rel=1e-6)
    assert model.dual_objective_ == pytest.approx(svr_dual(model.alpha_, K, t, epsilon), rel=1e-9)
    assert model.primal_objective_ == pytest.approx(best, rel=1e-5, abs=40 * C * 1e-5)
    residual = t - model.predict(X)
    np.testing.assert_allclose(epsilon_insensitive(residual, epsilon), model.slack_, atol=1e-9)
    assert (model.a_[residual > epsilon + 1e-3] == C).all()
    assert (model.a_prime_[residual < -epsilon - 1e-3] == C).all()
    assert (model.a_ * model.a_prime_ == 0).all() or epsilon == 0
    np.testing.assert_allclose(model.predict(X), oracle.predict(X), atol=2e-3)


@pytest.mark.parametrize("kernel", KERNELS)
def test_svr_with_a_large_c_against_libsvm(kernel):
    k, options = KERNELS[kernel]
    X = np.random.default_rng(8).uniform(-2, 3, size=(40, 2)) * (1.0, 0.7)
    t = np.sin(1.3 * X[:, 0]) + 0.4 * X[:, 1] + np.random.default_rng(9).normal(scale=0.25, size=40)
    oracle = libsvm.SVR(C=1000, epsilon=0.15, tol=1e-5, max_iter=10_000_000, **options).fit(X, t)
    model = SVR(1000, 0.15, k, solver="interior_point").fit(X, t)
    assert model.converged_
    assert model.dual_objective_ == pytest.approx(svr_dual(coefficients(oracle, 40), gram(k, X), t, 0.15), rel=1e-5)
    np.testing.assert_allclose(model.predict(X), oracle.predict(X), atol=1e-2)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("nu", [0.43, 0.57, 0.93])
@pytest.mark.parametrize("kernel", KERNELS)
def test_nu_svc_against_libsvm(kernel, nu, solver):
    """nu n / 2 is no whole number here, so each class has a free support vector and rho is unique."""
    (X, y), (k, options) = blobs(40, 3.0, 6), KERNELS[kernel]
    oracle = libsvm.NuSVC(nu=nu, tol=1e-9, **options).fit(X, y)
    model = NuSVC(nu, k, solver=solver, tol=1e-7).fit(X, y)
    beta = coefficients(oracle, 40)
    assert model.dual_objective_ == pytest.approx(-0.5 * beta @ gram(k, X) @ beta, rel=2e-5)
    assert model.primal_objective_ == pytest.approx(model.dual_objective_, rel=1e-4)
    assert model.b_ == pytest.approx(oracle.intercept_[0], rel=1e-4, abs=1e-4)
    assert model.alpha_.sum() * model.rho_ == pytest.approx(nu * 40)
    # the SVC with C = 1/rho is the same machine
    same = SVC(model.C_, k, tol=1e-7).fit(X, y)
    np.testing.assert_allclose(same.decision_function(X), model.decision_function(X), atol=1e-4)


def test_nu_svc_at_its_largest_nu():
    X, y = DATA["one-sided"]
    largest = 2 * y.sum() / len(y)
    model = NuSVC(largest, rbf_kernel(0.4)).fit(X, y)
    assert model.alpha_[y == 1] == pytest.approx(model.C_)
    with pytest.raises(ValueError, match=r"nu must be at most 0.2 = 2 min\(n\+, n-\) / n .* got 0.3"):
        NuSVC(0.3).fit(X, y)


def test_nu_too_small_for_overlapping_classes():
    X, y = DATA["duplicates"]
    with pytest.warns(ConvergenceWarning, match="nu=0.05 leaves no margin: rho = 0, because the reduced convex hulls"):
        model = NuSVC(0.05).fit(X, y)
    assert (model.rho_, model.C_, model.margin_, len(model.support_)) == (0, np.inf, np.inf, 0)
    assert (model.predict(X) == max(set(y.tolist()), key=y.tolist().count)).all()


@pytest.mark.parametrize("solver", SOLVERS)
def test_nu_must_exceed_the_limit_of_large_c(solver):
    """Chang and Lin (2001): rho = 0 up to nu_min = lim sum(alpha) / (n C), and rho > 0 right above it."""
    q = datasets.blobs(60, [[0, 0], [1.5, 1]], 1.0, rng=3)
    nu_min = SVC(1e5, solver="interior_point").fit(q.X, q.y).alpha_.sum() / (60 * 1e5)
    with pytest.warns(ConvergenceWarning, match="leaves no margin"):
        assert NuSVC(0.998 * nu_min, solver=solver).fit(q.X, q.y).rho_ == 0
    model = NuSVC(1.002 * nu_min, solver=solver).fit(q.X, q.y)
    assert 0 < model.rho_ < 0.05
    assert model.primal_objective_ == pytest.approx(model.dual_objective_, rel=1e-3)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("unit", [1e-6, 1e-3, 1e4])
def test_the_unit_of_the_data_does_not_matter_to_nu(unit, solver):
    q = datasets.blobs(40, [[-3, -3], [3, 3]], 0.5, rng=1)
    model, scaled = NuSVC(0.21, solver=solver).fit(q.X, q.y), NuSVC(0.21, solver=solver).fit(q.X * unit, q.y)
    assert scaled.support_.tolist() == model.support_.tolist()
    assert scaled.rho_ == pytest.approx(model.rho_ * unit**2)
    np.testing.assert_allclose(scaled.w_ * unit, model.w_)
    assert scaled.b_ == pytest.approx(model.b_)


def test_nu_svc_that_stops_early():
    X, y = DATA["overlapping"]
    with pytest.warns(ConvergenceWarning, match="nu=0.2 shows no margin after 1 iterations: raise max_iter"):
        NuSVC(0.2, max_iter=1).fit(X, y)
    with pytest.warns(ConvergenceWarning, match="NuSVC stopped after 1 iterations"):
        NuSVC(0.4, max_iter=1).fit(X, y)


@pytest.mark.parametrize(
    ("model", "X", "y"),
    [
        (SVC(), DATA["three points"][0], ["p", "q", "r"]),
        (SVC(kernel=rbf_kernel(0.4)), DATA["three points"][0], ["p", "q", "q"]),  # fails on alpha
        (NuSVC(0.6), np.array([[0.0], [1.0], [0.0], [1.0]]), ["p", "q", "q", "q"]),
        (SVR(), DATA["three points"][0], [1.0, 2.0, np.nan]),
        (DAGSVM(SVC), DATA["three points"][0], ["p", "p", "p"]),
    ],
)
def test_a_fit_that_fails_leaves_the_model_as_it_was(model, X, y):
    model.fit(*DATA["separable"])
    before = dict(vars(model))
    with pytest.raises(ValueError, match="."):
        model.fit(X, y, alpha=[1, 1, 1]) if y == ["p", "q", "q"] else model.fit(X, y)
    assert vars(model) == before
    model.predict(DATA["separable"][0])


# Problems solved by hand

SIX = np.array([[1, 1], [2, 2], [2, 0], [0, 0], [1, 0], [0, 1]], dtype=float)
SIX_T = np.array([1, 1, 1, -1, -1, -1])
LINE = np.array([1.5, 2, 3, 4, -3, -1, -2, -2.5, -4])[:, None]
LINE_T = np.array([1, 1, 1, 1, 1, -1, -1, -1, -1])
TUBE_X, TUBE_T = np.arange(5.0)[:, None], np.array([0, 1.3, 1.9, 2.2, 4.5])


def hard(X, t, **options):
    """C so large that no slack is worth its price."""
    return SVC(C=1e4, **{"tol": 1e-3 if "solver" in options else 1e-9, **options}).fit(X, t)


def tube(solver="smo"):
    return SVR(C=0.5, epsilon=0.2, tol=1e-10, solver=solver).fit(TUBE_X, TUBE_T)


@pytest.mark.parametrize("solver", SOLVERS)
def test_six_points_hard_margin(solver):
    """S0 W22, S1 W20: the multipliers are not unique, w and b are."""
    model = hard(SIX, SIX_T, solver=solver)
    np.testing.assert_allclose(model.w_, (2, 2), atol=1e-6)
    assert model.b_ == pytest.approx(-3, abs=1e-6)
    assert model.margin_ == pytest.approx(0.353553, abs=1e-6)
    assert model.dual_objective_ == pytest.approx(4, rel=1e-8)
    assert model.primal_objective_ == pytest.approx(4, rel=1e-4)
    np.testing.assert_allclose(functional_margin(SIX, SIX_T, model.w_, model.b_), (1, 5, 1, 3, 1, 1), atol=1e-6)


@pytest.mark.parametrize("solver", SOLVERS)
def test_seven_points_soft_margin(solver):
    """S0 W22 with an extra + at (.2, .2), C = 1."""
    model = SVC(C=1, tol=1e-9, solver=solver).fit(np.vstack((SIX, (0.2, 0.2))), np.append(SIX_T, 1))
    np.testing.assert_allclose(model.w_, (1, 0.2), atol=1e-6)
    assert model.b_ == pytest.approx(-1, abs=1e-6)
    np.testing.assert_allclose(model.slack_, (0.8, 0, 0, 0, 1, 0.2, 1.76), atol=1e-6)
    assert model.primal_objective_ == pytest.approx(4.28, abs=1e-6)
    assert model.dual_objective_ == pytest.approx(4.28, abs=1e-6)


@pytest.mark.parametrize("solver", SOLVERS)
def test_five_points_in_a_tube(solver):
    """S0 W26."""
    model = tube(solver)
    np.testing.assert_allclose(model.a_, (0, 0.4, 0, 0, 0.5), atol=1e-6)
    np.testing.assert_allclose(model.a_prime_, (0.4, 0, 0, 0.5, 0), atol=1e-6)
    assert model.w_[0] == pytest.approx(0.9, abs=1e-6)
    assert model.b_ == pytest.approx(0.2, abs=1e-6)
    np.testing.assert_allclose(TUBE_T - model.predict(TUBE_X), (-0.2, 0.2, -0.1, -0.7, 0.7), atol=1e-6)
    np.testing.assert_allclose(model.slack_, (0, 0, 0, 0.5, 0.5), atol=1e-6)
    assert model.support_.tolist() == [0, 1, 3, 4]
    assert model.primal_objective_ == pytest.approx(0.905, abs=1e-6)
    assert model.dual_objective_ == pytest.approx(0.905, abs=1e-6)


def test_margins_of_one_point():
    """S1 W18: the foot of the perpendicular lies on the plane; (w, b) times ten changes one margin only."""
    X, w = [[3, 4]], np.array([3.0, 4.0])
    assert functional_margin(X, [1], w, -5).tolist() == [20]
    assert geometric_margin(X, [1], w, -5).tolist() == [4]
    assert functional_margin(X, [1], 10 * w, -50).tolist() == [200]
    assert geometric_margin(X, [1], 10 * w, -50).tolist() == [4]
    foot = np.array(X[0]) - 4 * w / 5
    np.testing.assert_allclose(foot, (0.6, 0.8))
    assert geometric_margin([foot], [1], w, -5)[0] == pytest.approx(0, abs=1e-12)


def test_duality_in_one_variable():
    """S1 W19: min w^2 s.t. w >= 1. With 1/2 w^2 it is the machine for +1 at x = 1 and -1 at x = -1."""
    alpha = np.linspace(0, 5, 501)
    theta = alpha - alpha**2 / 4
    assert (theta.max(), alpha[theta.argmax()]) == (1.0, pytest.approx(2))
    model = hard([[1.0], [-1.0]], [1, -1])
    assert model.w_[0] == pytest.approx(1)
    assert 2 * model.dual_objective_ == pytest.approx(theta.max())


@pytest.mark.parametrize("solver", SOLVERS)
def test_nine_points_on_a_line(solver):
    """S1 W21."""
    model = SVC(C=1, tol=1e-9, solver=solver).fit(LINE, LINE_T)
    assert model.w_[0] == pytest.approx(4 / 7, abs=1e-6)
    assert model.b_ == pytest.approx(1 / 7, abs=1e-6)
    np.testing.assert_allclose(model.alpha_, (36 / 49, 0, 0, 0, 1, 1, 36 / 49, 0, 0), atol=1e-6)
    np.testing.assert_allclose(model.slack_[[4, 5]], (2.5714, 0.5714), atol=1e-4)
    assert model.primal_objective_ == pytest.approx(3.30612, abs=1e-5)
    assert solver != "smo" or model.n_iter_ <= 20


@pytest.mark.parametrize("solver", SOLVERS)
def test_no_free_support_vector(solver):
    """S1 W22: every b in [0, 0.5] is optimal; the middle is taken."""
    X, t = np.array([2, 3, 4, -1.5, -2, -3, -4])[:, None], [1, 1, 1, 1, -1, -1, -1]
    model = SVC(C=1, tol=1e-9, solver=solver).fit(X, t)
    assert sorted(model.alpha_.tolist()) == [0, 0, 0, 0, 0, 1, 1]
    assert model.b_ == pytest.approx(0.25, abs=1e-9)
    assert model.primal_objective_ == pytest.approx(1.875)
    assert model.dual_objective_ == pytest.approx(1.875)
    assert kkt_violation(model.alpha_, t, X @ X.T, 1) == pytest.approx(-0.5)


def test_rings_need_a_quadratic_kernel():
    """S1 W23: radius 1 inside radius 3."""
    angle = np.random.default_rng(23).uniform(0, 2 * np.pi, 50)
    y = np.arange(50) % 2
    X = np.where(y == 1, 3.0, 1.0)[:, None] * np.column_stack((np.cos(angle), np.sin(angle)))
    linear, quadratic = SVC(C=10).fit(X, y), SVC(C=10, kernel=polynomial_kernel(2)).fit(X, y)
    assert (linear.predict(X) == y).mean() < 0.8
    assert (quadratic.predict(X) == y).all()
    assert len(quadratic.support_) <= 15
    assert not hasattr(quadratic, "w_")


def test_pair_step_by_hand():
    """S1 W24: 0.5 (+) and -0.3 (-): the top of the parabola is at 3.125, the box ends at C = 1."""
    eta = (0.5 + 0.3) ** 2
    assert smo_pair(0, 0, 1, -1, -1, 1, eta, C=1) == pytest.approx((1, 1, 3.125, 0, 1))
    assert smo_pair(0, 0, 1, -1, -1, 1, eta, C=10)[:2] == pytest.approx((3.125, 3.125))
    # the first and only step of SMO on these two points
    model = SVC(C=1).fit([[0.5], [-0.3]], [1, -1])
    assert model.n_iter_ == 1
    assert model.history_[1].unclipped == pytest.approx(3.125)
    assert model.alpha_.tolist() == [1, 1]


@pytest.mark.parametrize("solver", SOLVERS)
def test_four_points_hard_margin(solver):
    """S3 W3-07: (0, 0) lies on the margin plane yet has no multiplier."""
    X, t = np.array([[1.0, 1], [2, 2], [0, 0], [1, 0]]), [1, 1, -1, -1]
    model = hard(X, t, solver=solver)
    np.testing.assert_allclose(model.alpha_, (2, 0, 0, 2), atol=1e-5)
    np.testing.assert_allclose(model.w_, (0, 2), atol=1e-5)
    assert model.b_ == pytest.approx(-1, abs=1e-5)
    assert model.margin_ == pytest.approx(0.5, abs=1e-5)
    assert model.dual_objective_ == pytest.approx(2, rel=1e-8)
    assert functional_margin(X, t, model.w_, model.b_)[2] == pytest.approx(1, abs=1e-4)


@pytest.mark.parametrize("solver", SOLVERS)
def test_two_points_and_a_line(solver):
    """S4 W18."""
    model = hard([[1, 1], [3, 3]], ["-", "+"], solver=solver)
    np.testing.assert_allclose(model.alpha_, (0.25, 0.25), atol=1e-7)
    sign = 1 if model.classes_[1] == "+" else -1  # sorted labels decide which side is positive
    np.testing.assert_allclose(sign * model.w_, (0.5, 0.5), atol=1e-6)
    assert sign * model.b_ == pytest.approx(-2, abs=1e-6)
    assert model.margin_ == pytest.approx(np.sqrt(2), abs=1e-6)

    model = hard(np.array([2, 3, 4, -2, -3, -4.0])[:, None], [1, 1, 1, -1, -1, -1], solver=solver)
    np.testing.assert_allclose(model.alpha_, (0.125, 0, 0, 0.125, 0, 0), atol=1e-7)
    assert model.w_[0] == pytest.approx(0.5)
    assert model.margin_ == pytest.approx(2)


def test_slack_by_functional_margin():
    """S4 W19 on the plane y(x) = x."""
    model = hard([[1.0], [-1.0]], [1, -1])
    y = model.decision_function(np.array([1.5, 1, 0.5, 0, -0.5])[:, None])
    np.testing.assert_allclose(np.maximum(0, 1 - y), (0, 0, 0.5, 1, 1.5), atol=1e-9)


def test_epsilon_insensitive_loss():
    """S4 W21."""
    np.testing.assert_allclose(epsilon_insensitive([0.05, 0.1, 0.3, -0.4], 0.1), (0, 0, 0.2, 0.3), atol=1e-12)


# Runs: history, replay, warm starts, convergence


@pytest.mark.parametrize("kernel", KERNELS)
def test_history_replays_the_run(kernel):
    (X, y), k = DATA["overlapping"], KERNELS[kernel][0]
    model, t, K = SVC(1.0, k).fit(X, y, alpha=np.zeros(40)), 2 * y - 1, gram(k, X)
    assert len(model.history_) == model.n_iter_ + 1
    assert model.history_[0][:7] == (None,) * 7
    np.testing.assert_array_equal(model.alpha_at(0), 0)
    np.testing.assert_array_equal(model.alpha_at(model.n_iter_), model.alpha_)
    for step in (1, model.n_iter_ // 2, model.n_iter_):
        alpha, record = model.alpha_at(step), model.history_[step]
        assert isinstance(record, SMOStep)
        assert record.objective == pytest.approx(svc_dual(alpha * t, K), rel=1e-9)
        assert record.gap == pytest.approx(kkt_violation(alpha, t, K, 1.0), rel=1e-6, abs=1e-9)
        assert record.low <= record.alpha_j <= record.high
        assert record.alpha_j == pytest.approx(np.clip(record.unclipped, record.low, record.high), abs=1e-14)
    with pytest.raises(ValueError, match="k must be at most"):
        model.alpha_at(model.n_iter_ + 1)


def test_history_of_regression_and_nu():
    X, y = DATA["overlapping"]
    model = SVR(2.0, 0.1, rbf_kernel(0.4)).fit(X, X[:, 0] ** 2, alpha=np.zeros(40))
    both = model.alpha_at(model.n_iter_)
    np.testing.assert_array_equal(both[:40] - both[40:], model.alpha_)
    assert model.history_[-1].objective == pytest.approx(model.dual_objective_, rel=1e-9)

    model = NuSVC(0.57, rbf_kernel(0.4)).fit(X, y)
    np.testing.assert_allclose(model.alpha_at(model.n_iter_) / model.rho_, model.alpha_)
    for step in model.history_[1:]:
        assert y[step.i] == y[step.j]


def test_history_of_the_interior_point_method():
    X, y = DATA["overlapping"]
    for C in (0.01, 1, 1000):
        model = SVC(C, rbf_kernel(0.4), solver="interior_point").fit(X, y)
        assert len(model.history_) == model.n_iter_ + 1 <= 31
        assert all(isinstance(step, InteriorStep) for step in model.history_)
        assert all(((step.alpha >= 0) & (step.alpha <= C)).all() for step in model.history_)
        assert model.history_[-1].gap < 1e-6 * model.history_[0].gap
        np.testing.assert_array_equal(model.alpha_at(model.n_iter_), model.alpha_)


def test_predictor_corrector_takes_few_steps():
    """Without the second-order term of the corrector it takes 24 and more, for the tube 15 and more."""
    X, y = blobs(60, 1.5, 12)
    for C in (0.01, 0.1, 1, 10, 100, 1000):
        assert SVC(C, solver="interior_point").fit(X, y).n_iter_ <= 22
        assert SVR(C, solver="interior_point").fit(X, np.sin(X[:, 0])).n_iter_ <= 14


def test_solvers_take_a_problem_of_lists():
    problem = DualProblem([[2, 6], [6, 18]], [-1, 1], [-1, -1], 1.0, [0, 0], [0, 0])
    assert smo(problem, tol=1e-6, max_iter=10).alpha.tolist() == [0.25, 0.25]
    np.testing.assert_allclose(interior_point(problem, tol=1e-6, max_iter=50).alpha, 0.25, atol=1e-7)


def test_level_is_the_mean_of_the_free_or_the_middle():
    assert level([0.5, 1.5, 3.0], [0.2, 0.3, 1.0], [1, -1, 1], C=1) == 1
    assert level([0.5, 1.5], [0.0, 0.0], [1, -1], C=1) == 1
    assert level([0.5], [0.0], [1], C=1) == 0.5


def test_kkt_violation_allows_rounding_at_the_bounds():
    K, t = LINE @ LINE.T, LINE_T
    alpha = SVC(C=1, tol=1e-9).fit(LINE, LINE_T).alpha_
    off = np.where(alpha == 1, 1 + 1e-16, np.where(alpha == 0, -1e-17, alpha))
    near = np.where(alpha == 1, 1 - 1e-15, np.where(alpha == 0, 1e-16, alpha))
    for a in (alpha, off, near):
        assert abs(kkt_violation(a, t, K, C=1)) < 1e-9


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 99_999), st.sampled_from([0.02, 0.5, 7, 90]), st.sampled_from(list(KERNELS)), st.integers(3, 25))
def test_invariants_of_every_run(seed, C, kernel, n):
    (X, y), k = blobs(n, 1.5, seed, share=0.4), KERNELS[kernel][0]
    t = 2 * y - 1
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        smo = SVC(C, k, max_iter=20_000).fit(X, y, alpha=np.zeros(n))
        interior = SVC(C, k, solver="interior_point").fit(X, y)
    values = np.array([step.objective for step in smo.history_])
    assert (np.diff(values) >= -1e-10 * (1 + np.abs(values[1:]))).all()
    for model in (smo, interior):
        assert ((model.alpha_ >= 0) & (model.alpha_ <= C)).all()
        assert abs(model.alpha_ @ t) <= 1e-9 * C * n
        assert model.primal_objective_ >= model.dual_objective_ - 1e-9 * (1 + model.dual_objective_)
    assert interior.converged_
    # weak duality: no dual value on the way exceeds a primal value
    assert values.max() <= interior.primal_objective_ * (1 + 1e-6) + 1e-9


@settings(max_examples=200, deadline=None)
@given(
    st.floats(0, 1), st.floats(0, 1), st.sampled_from([1, -1]), st.sampled_from([1, -1]),
    st.floats(-5, 5), st.floats(-5, 5), st.floats(0, 4), st.floats(0.1, 100),
)  # fmt: skip
def test_pair_step_is_the_best_on_its_line(u, v, t_i, t_j, E_i, E_j, eta, C):
    a_i, a_j = u * C, v * C
    step = smo_pair(a_i, a_j, t_i, t_j, E_i, E_j, eta, C)
    assert 0 <= step.alpha_i <= C
    assert 0 <= step.alpha_j <= C
    assert t_i * step.alpha_i + t_j * step.alpha_j == pytest.approx(t_i * a_i + t_j * a_j, abs=1e-12 * C)

    def gain(new_j):
        d = new_j - a_j
        return t_j * (E_i - E_j) * d - 0.5 * max(eta, 1e-12) * d**2

    others = np.linspace(step.low, step.high, 21)
    assert gain(step.alpha_j) >= gain(others).max() - 1e-9 * (1 + C**2)


@st.composite
def dual_problems(draw):
    """Draw the problem of a classifier, of a nu-machine with its two groups, or of a tube, from a feasible start."""
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    n, C = draw(st.integers(4, 25)), draw(st.sampled_from([0.1, 1.0, 10.0]))
    X = rng.normal(size=(n, 2))
    K = draw(st.sampled_from([linear_kernel, rbf_kernel(0.5)]))(X, X)
    t = np.where(X[:, 0] + rng.normal(size=n) > 0, 1.0, -1.0)
    t[:2] = 1, -1
    start, one = np.zeros(n), np.zeros(n, dtype=int)
    kind = draw(st.sampled_from(["classes", "warm", "nu", "tube"]))
    if kind == "tube":
        y, s = np.sin(X[:, 0]), np.repeat((1.0, -1.0), n)
        p = np.concatenate((0.1 - y, 0.1 + y))
        return DualProblem(np.tile(K, (2, 2)), s, p, C, np.zeros(2 * n), np.zeros(2 * n, dtype=int))
    if kind == "classes":
        return DualProblem(K, t, -np.ones(n), C, start, one)
    for sign in (1, -1):
        start[t == sign] = 0.4 * C * min(sum(t > 0), sum(t < 0)) / sum(t == sign)
    group, p = (one, -np.ones(n)) if kind == "warm" else ((t > 0).astype(int), np.zeros(n))
    return DualProblem(K, t, p, C, start, group)


@settings(max_examples=60, deadline=None)
@given(dual_problems())
def test_the_lectures_steps_are_the_fast_ones(problem):
    plain = smo(problem, tol=1e-4, max_iter=400, choose=best_pair)
    fast = fast_smo(problem, tol=1e-4, max_iter=400)
    assert (plain.n_iter, plain.converged) == (fast.n_iter, fast.converged)
    assert [step[:2] for step in plain.history] == [step[:2] for step in fast.history]
    np.testing.assert_allclose(plain.alpha, fast.alpha, atol=1e-9)
    for one, other in zip(plain.history[1:], fast.history[1:], strict=True):
        np.testing.assert_allclose(one[2:], other[2:], rtol=1e-7, atol=1e-9)
    np.testing.assert_array_equal(plain.start, fast.start)


@settings(max_examples=25, deadline=None)
@given(dual_problems())
def test_both_choices_of_a_pair_reach_the_fast_optimum(problem):
    fast = shrinking_smo(problem, tol=1e-4, max_iter=20_000)
    for choose in (None, best_pair):
        run = smo(problem, tol=1e-4, max_iter=20_000, choose=choose)
        assert run.converged
        assert run.history[-1].gap < 1e-4
        assert run.history[-1].gap == pytest.approx(violation(problem, run.alpha), abs=1e-9)
        assert run.history[-1].objective == pytest.approx(objective(problem, run.alpha), rel=1e-6, abs=1e-9)
        assert objective(problem, run.alpha) == pytest.approx(objective(problem, fast.alpha), rel=1e-3, abs=1e-4)


def test_the_steepest_pair_violates_most():
    problem = DualProblem(np.eye(4), np.array([1.0, 1, -1, -1]), -np.ones(4), 1.0, None, np.zeros(4, dtype=int))
    F = np.array([3.0, 1.0, -2.0, 0.5])
    assert steepest_pair(F, np.array([1.0, 0.5, 0.5, 1.0]), problem) == (1, 2, 3.0)  # 0 is at C and cannot grow
    assert steepest_pair(F, np.zeros(4), problem) == (0, 2, 5.0)
    assert steepest_pair(F, np.ones(4), problem) == (3, 1, -0.5)  # nothing violates
    near = problem._replace(K=np.diag([1.0, 1, 99, 1]))
    assert best_pair(F, np.zeros(4), near) == (0, 3, 5.0)  # the steepest parabola is narrow, 25 / 100 < 6.25 / 2


def test_warm_start():
    X, y = blobs(80, 1.5, 11)
    for k in (None, rbf_kernel(0.4)):
        old = SVC(1.0, k).fit(X, y)
        assert SVC(1.0, k).fit(X, y, alpha=old.alpha_).n_iter_ == 0
        cold = SVC(1.3, k).fit(X, y, alpha=np.zeros(80))
        warm = SVC(1.3, k).fit(X, y, alpha=old.alpha_ * 1.3)
        assert warm.n_iter_ < cold.n_iter_
        assert warm.dual_objective_ == pytest.approx(cold.dual_objective_, rel=1e-4)
        np.testing.assert_array_equal(warm.alpha_at(0), old.alpha_ * 1.3)
    old = SVR(1.0, kernel=rbf_kernel(0.4)).fit(X, X[:, 0])
    assert SVR(1.0, kernel=rbf_kernel(0.4)).fit(X, X[:, 0], alpha=old.alpha_).n_iter_ == 0
    old = NuSVC(0.51, rbf_kernel(0.4)).fit(X, y)
    assert NuSVC(0.51, rbf_kernel(0.4)).fit(X, y, alpha=old.alpha_ * old.rho_).n_iter_ == 0


def test_a_large_c_is_approached_from_smaller_ones():
    X, y = blobs(60, 1.5, 12)
    zero, default = SVC(100.0, max_iter=300_000).fit(X, y, alpha=np.zeros(60)), SVC(100.0).fit(X, y)
    assert default.dual_objective_ == pytest.approx(zero.dual_objective_, rel=1e-6)
    assert default.n_iter_ < zero.n_iter_
    # separable: nothing leans on the box, the optimum of the smaller C is kept
    X, y = DATA["separable"]
    assert SVC(1e6).fit(X, y).n_iter_ == 0
    assert SVC(1e6).fit(X, y).margin_ == pytest.approx(SVC(1e3).fit(X, y).margin_)


MACHINES = {
    "SVC": lambda k, **more: SVC(10.0, k, **more),
    "NuSVC": lambda k, **more: NuSVC(0.6, k, **more),
    "SVR": lambda k, **more: SVR(10.0, 0.05, k, **more),
}


@pytest.mark.parametrize("k", [None, rbf_kernel(0.4)], ids=["linear", "rbf"])
@pytest.mark.parametrize("name", MACHINES)
def test_shrinking_leaves_the_optimum_where_it_is(name, k, monkeypatch):
    """Points that have settled are left aside; here from 20 points on instead of 1,000."""
    X, y = blobs(150, 1.5, 13)
    y = y if name != "SVR" else np.sin(2 * X[:, 0]) + 0.3 * X[:, 1]
    make = MACHINES[name]
    plain = make(k, tol=1e-6).fit(X, y)
    sizes = []

    def counted(problem, **more):
        sizes.append(len(problem.s))
        return fast_smo(problem, **more)

    monkeypatch.setattr(_shrinking, "MANY", 20)
    monkeypatch.setattr(_shrinking, "fast_smo", counted)
    shrunk, short = make(k, tol=1e-6).fit(X, y), make(k, tol=1e-6, history=False).fit(X, y)
    assert min(sizes) < max(sizes) == (300 if name == "SVR" else 150)
    assert shrunk.converged_
    assert shrunk.dual_objective_ == pytest.approx(plain.dual_objective_, rel=1e-6)
    read = "predict" if name == "SVR" else "decision_function"
    np.testing.assert_allclose(getattr(shrunk, read)(X), getattr(plain, read)(X), atol=1e-4)
    # The records replay the run, in the numbers of all points
    assert len(shrunk.history_) == shrunk.n_iter_ + 1
    assert shrunk.history_[-1].gap < 1e-6
    assert (np.diff([step.objective for step in shrunk.history_]) >= -1e-9).all()
    end = shrunk.alpha_at(shrunk.n_iter_)
    by_hand = np.concatenate((shrunk.a_, shrunk.a_prime_)) if name == "SVR" else shrunk.alpha_
    np.testing.assert_allclose(end, by_hand * (shrunk.rho_ if name == "NuSVC" else 1.0), atol=1e-12)
    assert short.n_iter_ == shrunk.n_iter_
    assert (short.history_[0], short.history_[-1]) == (shrunk.history_[0], shrunk.history_[-1])


def test_shrinking_stops_at_max_iter(monkeypatch):
    monkeypatch.setattr(_shrinking, "MANY", 20)
    X, y = blobs(150, 1.5, 13)
    for most in (7, 20, 33, 90):
        with pytest.warns(ConvergenceWarning, match=f"SVC stopped after {most} iterations"):
            assert SVC(1.0, tol=1e-9, max_iter=most).fit(X, y).n_iter_ == most


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_many_points_agree_with_libsvm(kernel):
    X, y = blobs(1500, 1.5, 14)
    ours, theirs = KERNELS[kernel]
    model, oracle = SVC(10.0, ours, history=False).fit(X, y), libsvm.SVC(C=10.0, **theirs).fit(X, y)
    K, t = gram(ours, X), np.where(y == 1, 1, -1)
    assert kkt_violation(model.alpha_, t, K, 10.0) < 1.01e-3
    assert model.dual_objective_ == pytest.approx(svc_dual(coefficients(oracle, 1500), K), rel=1e-5)


def test_not_converged():
    X, y = DATA["overlapping"]
    with pytest.warns(ConvergenceWarning, match="SVC stopped after 5 iterations"):
        model = SVC(max_iter=5).fit(X, y)
    assert not model.converged_
    assert model.n_iter_ == 5
    with pytest.warns(ConvergenceWarning, match="SVR stopped after 2 iterations"):
        assert not SVR(max_iter=2, solver="interior_point").fit(X, X[:, 0] ** 2).converged_


def test_fit_forgets_the_past_and_leaves_its_input_alone():
    X, y = DATA["overlapping"]
    before, start = X.copy(), np.zeros(40)
    model = SVC(1.0).fit(X, y, alpha=start)
    first = model.alpha_.copy()
    model.set_params(kernel=rbf_kernel(0.4)).fit(X, y)
    assert not hasattr(model, "w_")
    model.set_params(kernel=None).fit(X, y)
    np.testing.assert_array_equal(model.alpha_, first)
    np.testing.assert_array_equal(X, before)
    assert (start == 0).all()


def test_indefinite_kernel_ends():
    X, y = DATA["overlapping"]
    with pytest.warns(UserWarning, match="not positive semi-definite: squared lengths are negative") as caught:
        model = SVC(1.0, sigmoid_kernel(1.0, -1.0)).fit(X, y)
    assert len(caught) == 1
    assert caught[0].filename == __file__
    assert ((model.alpha_ >= 0) & (model.alpha_ <= 1)).all()


def test_negative_curvature_warns():
    X, y = DATA["overlapping"]
    with pytest.warns(UserWarning, match="squared distances are negative"):
        SVC(1.0, lambda X, Y: np.exp(rbf_kernel(0.4)(X, Y) ** -0.5)).fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        SVC(1.0).fit(X + 1e3, y)


@pytest.mark.parametrize("solver", SOLVERS)
def test_points_that_coincide(solver):
    """Same point, both labels: no plane separates, w = 0, and everything is finite."""
    model = SVC(2.0, solver=solver).fit([[1.0, 2.0], [1.0, 2.0]], [0, 1])
    assert model.dual_objective_ == pytest.approx(4)
    assert model.margin_ == np.inf
    assert np.isfinite(model.decision_function([[0.0, 1.0]])).all()


def test_constant_target():
    for solver in SOLVERS:
        model = SVR(1.0, 0.1, rbf_kernel(0.4), solver=solver).fit([[0.0], [1.0], [2.5]], [2.0, 2.0, 2.0])
        assert model.support_.size == 0
        assert model.predict([[7.0]])[0] == pytest.approx(2, abs=0.1)


def test_labels_of_any_kind():
    X, y = DATA["overlapping"]
    number, word = SVC().fit(X, y), SVC().fit(X, np.array(["cat", "dog"])[y])
    assert word.classes_.tolist() == ["cat", "dog"]
    np.testing.assert_array_equal(number.decision_function(X), word.decision_function(X))
    assert ((word.decision_function(X) > 0) == (word.predict(X) == "dog")).all()


def test_repr_and_params():
    assert repr(SVC(C=2.0, kernel=rbf_kernel(0.5))) == "SVC(C=2.0, kernel=rbf_kernel(beta=0.5))"
    assert repr(SVC()) == "SVC()"
    assert SVR(epsilon=0.3).get_params()["epsilon"] == 0.3
    assert repr(SVC(2.0, None, 1e-6)) == "SVC(C=2.0, tol=1e-06)"


# More classes


def corners():
    rng = np.random.default_rng(31)
    y = np.arange(80) % 4
    centres = np.array([[0.0, 0.3], [4.0, 0.0], [3.6, 4.2], [0.2, 3.7]])
    return centres[y] + rng.normal(size=(80, 2)) * (0.5, 0.7), np.array(["a", "b", "c", "d"])[y]


def test_dag_counts_and_predicts():
    """S3 W3-10: K = 4 gives 6 classifiers and 3 evaluations for each sample."""
    X, y = corners()
    asked = Counter()

    class Counting(SVC):
        def predict(self, X):
            asked["points"] += len(X)
            return super().predict(X)

    dag = DAGSVM(lambda: Counting(C=10)).fit(X, y)
    assert len(dag.models_) == 6
    assert dag.n_evaluations == 3
    assert (dag.predict(X) == y).all()
    assert asked["points"] == 3 * len(X)
    path = dag.decision_path(X)
    assert path.shape == (80, 3, 2)
    assert (path[:, 0] == (0, 3)).all()
    assert (np.diff(path[:, :, 1] - path[:, :, 0], axis=1) == -1).all()
    oracle = libsvm.SVC(C=10, kernel="linear").fit(X, y)  # one-against-one with votes
    new = np.random.default_rng(1).uniform(-1, 5, size=(200, 2))
    assert (dag.predict(new) == oracle.predict(new)).mean() > 0.95


def test_dag_with_two_classes_is_the_machine_itself():
    X, y = DATA["overlapping"]
    assert (DAGSVM(SVC).fit(X, y).predict(X) == SVC().fit(X, y).predict(X)).all()


# Messages

GOOD = np.array([[0.0, 1.0], [2.0, 0.5], [1.0, 3.0]])
SHARED = SVC()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: SVC(C=0).fit(GOOD, [0, 1, 1]), "C must be greater than 0; got 0"),
        (lambda: SVC(tol=0).fit(GOOD, [0, 1, 1]), "tol must be greater than 0"),
        (lambda: SVC(max_iter=0).fit(GOOD, [0, 1, 1]), "max_iter must be at least 1"),
        (lambda: SVC(solver="cvx").fit(GOOD, [0, 1, 1]), "solver must be one of 'smo', 'interior_point'; got 'cvx'"),
        (lambda: SVC(kernel="rbf").fit(GOOD, [0, 1, 1]), "kernel must be a kernel object .* got 'rbf'"),
        (lambda: SVC(kernel=rbf_kernel).fit(GOOD, [0, 1, 1]), "such as rbf_kernel.* got rbf_kernel"),
        (lambda: SVC(kernel=lambda X, Y: X).fit(GOOD, [0, 1, 1]), r"must have shape \(3, 3\); got \(3, 2\)"),
        (lambda: SVC().fit(GOOD, [0, 1, 2]), r"separates two classes; y holds 3.*Use DAGSVM\(SVC\(\)\)"),
        (lambda: SVC().fit(GOOD, [1, 1, 1]), "at least 2 classes"),
        (lambda: SVC().fit(GOOD, [1, 0]), "X.* 3 rows, .*y has 2"),
        (lambda: SVC().fit(GOOD[0], [1, 0]), r"X must have shape \(n, d\)"),
        (lambda: SVC().fit(GOOD * np.nan, [1, 0, 1]), "X must be finite"),
        (lambda: SVC().fit(GOOD, [0, 1, 1], alpha=[0, 0]), "X.* 3 rows, .*alpha has 2"),
        (lambda: SVC().fit(GOOD, [0, 1, 1], alpha=[2, 1, 1]), r"alpha must lie in \[0, 1\]; it runs from 1 to 2"),
        (lambda: SVC().fit(GOOD, [0, 1, 1], alpha=[1, 1, 1]), r"sum\(sign \* alpha\) = 0; the sum is 1"),
        (lambda: SVC().fit(GOOD, [0, 1, 1]).predict([[1.0]]), "X must have 2 features, as in fit; got 1"),
        (lambda: SVR(epsilon=-1).fit(GOOD, [0, 1, 1]), "epsilon must be at least 0; got -1"),
        (lambda: SVR().fit(GOOD, ["a", "b", "c"]), "y must hold numbers only"),
        (lambda: NuSVC(nu=0).fit(GOOD, [0, 1, 1]), "nu must be greater than 0 and at most 1; got 0"),
        (lambda: NuSVC(nu=0.5).fit(GOOD, [0, 1, 1], alpha=[0.5, 0.5, 0]), r"= 1.5; the sum is 1"),
        (lambda: DAGSVM("SVC").fit(GOOD, [0, 1, 2]), "make must be a classifier, or a function.*got 'SVC'"),
        (
            lambda: kkt_violation([0.5, 2], [1, -1], np.eye(2), C=1),
            r"alpha must lie in \[0, 1\]; it runs from 0.5 to 2",
        ),
        (lambda: kkt_violation([0.5, 1], [1, 0], np.eye(2), C=1), r"t must hold \+1 and -1 only; got 0"),
        (lambda: kkt_violation([0.5, 1], [1, -1], np.eye(3), C=1), r"gram must have shape \(2, 2\)"),
        (lambda: kkt_violation([0.5, 0.2], [1, -1], np.eye(2), C=1), r"sum\(sign \* alpha\) = 0; the sum is 0.3"),
        (lambda: kkt_violation([0, 0], [1, 1], np.eye(2), C=1), r"t must hold both \+1 and -1; got \+1 only"),
        (lambda: kkt_violation([0, 0], [1, -1], [[1, 2], [0, 1]], C=1), r"gram must be symmetric; entry \[0, 1\] is 2"),
        (lambda: SVC(kernel=lambda X, Y: X @ [[1, 2], [0, 1]] @ Y.T).fit(GOOD, [0, 1, 1]), r"X\) must be symmetric"),
        (lambda: SVC(kernel=lambda X: X @ X.T).fit(GOOD, [0, 1, 1]), r"two sets of points.* takes \(X\)"),
        (lambda: SVC(solver="interior_point").fit(GOOD, [0, 1, 1], alpha=[0, 0, 0]), "start alpha needs solver='smo'"),
        (lambda: SVC().fit(GOOD, [0.1, 0.2, 0.7]), "0.1 is a measured number.*Use a regression"),
        (lambda: level([], [], [], C=1), "F is empty"),
        (lambda: level([1, 2], [0], [1, 1], C=1), "alpha must have one entry per row of F: 2 rows, but alpha has 1"),
        (lambda: level([1, 2], [0, 3], [1, 1], C=1), r"alpha must lie in \[0, 1\]"),
        (lambda: level([1, 2], [0, 1], [1, 2], C=1), r"s must hold \+1 and -1"),
        (lambda: smo_pair(0, 0, 1, -1, 0, 0, 1, C=-1), "C must be greater than 0; got -1"),
        (lambda: smo_pair(0, 2, 1, -1, 0, 0, 1, C=1), "alpha_j must be at least 0 and at most 1.0; got 2"),
        (lambda: smo_pair(0, 0, 1, 0, 0, 0, 1, C=1), r"t_i and t_j must be \+1 or -1; got 1 and 0"),
        (lambda: smo_pair(0, 0, 1, 1, np.nan, 0, 1, C=1), "E_i must be a finite number; got nan"),
        (lambda: smo_pair(0, "0", 1, 1, 0, 0, 1, C=1), "alpha_j must be a finite number; got '0'"),
        (lambda: smo(toy(), tol=0, max_iter=9), "tol must be greater than 0"),
        (lambda: interior_point(toy(), tol=1e-3, max_iter=0), "max_iter must be at least 1"),
        (lambda: smo(toy(start=[0, 3]), tol=1e-3, max_iter=9), r"start must lie in \[0, 1\]"),
        (lambda: interior_point(toy(group=[0]), tol=1e-3, max_iter=9), "group must hold 2 whole numbers"),
        (lambda: smo(toy(K=[[1, 2], [0, 1]]), tol=1e-3, max_iter=9), "K must be symmetric"),
        (lambda: DAGSVM(lambda: 3).fit(GOOD, [0, 1, 2]), "classifier with fit and predict, such as .*SVC.*got 3"),
        (lambda: DAGSVM(SVR).fit(GOOD, [0, 1, 2]), r"must give a classifier.*got SVR\(\)"),
        (lambda: DAGSVM(lambda: SVC).fit(GOOD, [0, 1, 2]), "must give a classifier.*got <class"),
        (lambda: DAGSVM(lambda: SHARED).fit(GOOD, [0, 1, 2]), r"new model each time.*the model itself: SVC\(\)"),
        (lambda: geometric_margin(GOOD, [1, 1, -1], [0, 0], 1), "w must not be the zero vector"),
        (lambda: functional_margin(GOOD, [1, 1, -1], [1, 0, 2], 1), "X has 2 columns, w has 3 entries"),
        (lambda: epsilon_insensitive([1.0], -0.1), "epsilon must be at least 0"),
    ],
)
def test_bad_input(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def toy(**changes):
    """Return a small dual problem with something wrong in it."""
    return DualProblem(np.eye(2), [1, -1], [-1, -1], 1.0, [0, 0], [0, 0])._replace(**changes)


@pytest.mark.parametrize("solver", [smo, interior_point])
@pytest.mark.parametrize("problem", [3, (np.eye(2), [1, -1])])
def test_solvers_take_a_dual_problem_only(solver, problem):
    with pytest.raises(TypeError, match=r"problem must be a DualProblem\(K, s, p, C, start, group\); got"):
        solver(problem, tol=1e-3, max_iter=10)


def test_a_kernel_without_a_formula():
    with pytest.raises(NotImplementedError, match="Kernel has no formula"):
        SVC(kernel=Kernel()).fit(GOOD, [0, 1, 1])


@pytest.mark.parametrize("model", [SVC(), SVR(), NuSVC(), DAGSVM(SVC)])
def test_predict_before_fit(model):
    with pytest.raises(NotFittedError, match="call fit"):
        model.predict(GOOD)


# The sources' errata: the printed form fails, the right one holds


def test_the_card_translates_to_scikit_learn():
    """The row "The same in scikit-learn" of the chapter's card, entry by entry."""
    X, y = DATA["overlapping"]
    t = 2.0 * y - 1
    pairs = [
        (SVC(C=0.7, kernel=rbf_kernel(beta=0.4), tol=1e-7), libsvm.SVC(C=0.7, kernel="rbf", gamma=0.4, tol=1e-7)),
        (
            SVC(C=0.7, kernel=polynomial_kernel(3, 0.4), tol=1e-7),
            libsvm.SVC(C=0.7, kernel="poly", degree=3, gamma=0.4, coef0=1, tol=1e-7),
        ),
        (NuSVC(nu=0.6, kernel=rbf_kernel(0.4), tol=1e-7), libsvm.NuSVC(nu=0.6, kernel="rbf", gamma=0.4, tol=1e-7)),
    ]
    for ours, theirs in pairs:
        ours.fit(X, y), theirs.fit(X, y)
        np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-4)
        np.testing.assert_array_equal(ours.support_, np.sort(theirs.support_))
        np.testing.assert_allclose((ours.alpha_ * t)[theirs.support_], theirs.dual_coef_[0], atol=1e-4)
        np.testing.assert_allclose(ours.b_, theirs.intercept_[0], atol=1e-4)
    ours = SVR(C=0.7, epsilon=0.2, kernel=rbf_kernel(0.4), tol=1e-7).fit(X, X[:, 0])
    theirs = libsvm.SVR(C=0.7, epsilon=0.2, kernel="rbf", gamma=0.4, tol=1e-7).fit(X, X[:, 0])
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), atol=1e-4)


def test_class_weights_are_copies():
    X, y = DATA["overlapping"]
    rows = np.concatenate([np.arange(len(y)), np.repeat(np.flatnonzero(y == 1), 4)])
    ours = SVC(C=0.3, tol=1e-7).fit(X[rows], y[rows])
    theirs = libsvm.SVC(C=0.3, kernel="linear", class_weight={1: 5}, tol=1e-7).fit(X, y)
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-4)


def test_linear_svc_of_scikit_learn_penalises_the_bias():
    X, y = DATA["overlapping"]
    X, t = X + 2, 2.0 * y - 1
    ours = SVC(C=0.1, tol=1e-9).fit(X, y)
    theirs = libsvm.LinearSVC(C=0.1, loss="hinge", tol=1e-9, max_iter=1_000_000).fit(X, y)

    def cost(w, b, on_b):
        return 0.5 * w @ w + 0.5 * on_b * b**2 + 0.1 * np.maximum(0, 1 - t * (X @ w + b)).sum()

    w, b = theirs.coef_[0], theirs.intercept_[0]
    assert cost(ours.w_, ours.b_, 0) < cost(w, b, 0) - 1e-3
    assert cost(w, b, 1) < cost(ours.w_, ours.b_, 1) - 1e-3
    assert libsvm.LinearSVC().loss == "squared_hinge"


@pytest.mark.parametrize(
    ("name", "moved", "words"),
    [
        ("margin_by_hand", {"angle": -21.5, "offset": 0.17}, ["0.692", "0.696", "3 points", "2 of class +1"]),
        ("soft_margin", {"C": 0.01}, ["48 support vectors", "training error 5.0 %"]),
        ("soft_margin", {"C": 1000.0}, ["8 support vectors", "training error 3.3 %"]),
        ("soft_margin", {"C": 0.01, "data": "round"}, ["test error 9.8 %"]),
        ("soft_margin", {"C": 1000.0, "data": "round"}, ["test error 11.4 %"]),
        ("soft_margin", {"C": 0.01, "data": "flat"}, ["test error 16.5 %"]),
        ("soft_margin", {"C": 1000.0, "data": "flat"}, ["test error 11.1 %"]),
        ("kernel_width", {"beta": 0.01}, ["test error 19.5 %"]),
        ("kernel_width", {"beta": 1.0}, ["test error 4.3 %"]),
        ("kernel_width", {"beta": 1.0, "C": 1000.0}, ["test error 8.6 %"]),
        ("kernel_width", {"beta": 100.0}, ["116 of 120 points", "training error 0.0 %", "test error 11.8 %"]),
        ("svr_tube", {"epsilon": 0.0}, ["40 support vectors of 40 points", "test RMS 0.252"]),
        ("svr_tube", {"epsilon": 0.25}, ["19 support vectors", "test RMS 0.259"]),
        ("svr_tube", {"epsilon": 0.5}, ["test RMS 0.279"]),
        ("svr_tube", {"epsilon": 0.75}, ["40 in the tube"]),
    ],
)
def test_folded_answers_quote_the_explorers(name, moved, words):
    """The numbers under "What you should have seen" are those of the read-out at the settings named there."""
    explorer = made(name)
    said = explorer.describe(explorer.compute(**moved)).replace("**", "")
    assert [word for word in words if word not in said] == [], said


def test_stored_runs_have_every_rival():
    digits, (rules, picked) = stored.digit_runs(), stored.cancer_runs()
    assert set(digits) == {*stored.DIGITS, *((name, beta) for beta in stored.FROZEN for name in stored.SCHEMES)}
    assert set(rules) == set(stored.RULES)
    assert all(column.shape == (stored.SPLITS,) for column in (*digits.values(), *picked.values()))
    assert (rules["majority"] == np.column_stack([picked["ill"], np.zeros(20)])).all()


def test_stored_digits_are_those_of_the_code():
    """A part of them, made again; the last digits hang on the processor."""
    X, y, X_new, y_new = stored.digit_split(3)
    kept = stored.digit_runs()
    wrong = np.sum(stored.schemes(X, y, X_new, 10, 0.1) != y_new, axis=1)
    assert wrong == pytest.approx([kept[name, 0.1][3] for name in stored.SCHEMES], abs=1)
    assert np.sum(y_new != np.argmax(np.bincount(y))) == kept["larger class"][3]


def test_stored_masses_are_those_of_the_code():
    """The linear machine, its threshold and the simple rivals of one split."""
    X, ill, X_new, ill_new = stored.cancer_split(3)
    rules, picked = stored.cancer_runs()
    grid = [(C,) for C in stored.PRICES]
    (C,), line, score = stored.best_by_folds(
        X, ill, grid, lambda C: SVC(C=C).fit, lambda s: stored.cost(s > 0, ill), seed=3
    )
    assert picked["C"][3] == C
    cut = picked["cut"][3]
    best = min(stored.cost(score > c, ill, 5) for c in stored.CUTS)
    assert stored.cost(score > cut, ill, 5) <= best + 1
    raw = line.decision_function(X_new)
    answers = {"linear": raw > 0, "threshold": raw > cut, "one question": stored.one_question(X, ill, X_new)}
    for name, answer in answers.items():
        found = np.sum(~answer & ill_new), np.sum(answer & ~ill_new)
        assert found == pytest.approx(rules[name][3], abs=1), name


def test_stored_knobs_are_chosen_inside_their_grids():
    _, picked = stored.cancer_runs()
    for name in ("C", "C weight 5"):
        assert np.mean((picked[name] > stored.PRICES.min()) & (picked[name] < stored.PRICES.max())) >= 0.9
    assert (np.abs(picked["cut"]) < stored.CUTS.max()).all()


def test_heavier_slack_costs_weight_times_C():
    X, ill, *_ = stored.cancer_split(0)
    model = stored.heavier(0.1, 5)(X, ill)
    theirs = libsvm.SVC(C=0.1, kernel="linear", class_weight={True: 5}, tol=1e-6).fit(X, ill)
    assert model.decision_function(X) == pytest.approx(theirs.decision_function(X), abs=0.02)


@pytest.mark.parametrize("seed", range(6))
def test_leave_one_out_errors_are_support_vectors(seed):
    """The bound of section 16.5.2, also for a soft margin with a kernel and a free support vector."""
    data = datasets.moons(30, noise=0.3, rng=seed)
    whole = SVC(C=1, kernel=rbf_kernel(1.0), tol=1e-6).fit(data.X, data.y)
    assert ((whole.alpha_ > 0) & (whole.alpha_ < 1)).any()
    for i in np.flatnonzero(whole.alpha_ == 0):
        rest = np.delete(np.arange(30), i)
        without = SVC(C=1, kernel=rbf_kernel(1.0), tol=1e-6).fit(data.X[rest], data.y[rest])
        assert without.predict(data.X[[i]])[0] == data.y[i]


def test_erratum_s0_e56():
    """Canonical form rescales (w, b); the points and their distances do not move."""
    model = hard(SIX, SIX_T)
    for factor in (1, 3):
        w, b = factor * model.w_, factor * model.b_
        assert geometric_margin(SIX, SIX_T, w, b).min() == pytest.approx(0.353553, abs=1e-5)
        canonical = functional_margin(SIX, SIX_T, w, b).min()
        np.testing.assert_allclose(w / canonical, (2, 2), atol=1e-5)
    assert np.linalg.norm(SIX[model.support_], axis=1).max() > 1  # the closest points are not of unit length


def test_erratum_s0_e57():
    """t y = 1 does not imply a > 0."""
    X, t = np.array([[1.0, 0], [1, 1], [-1, 0]]), [1, 1, -1]
    model = hard(X, t)
    np.testing.assert_allclose(functional_margin(X, t, model.w_, model.b_), 1, atol=1e-9)
    np.testing.assert_allclose(model.alpha_, (0.5, 0, 0.5), atol=1e-9)
    assert model.support_.tolist() == [0, 2]


def test_erratum_s0_e58():
    """For d << n the dual is the larger problem; only its solution is sparse."""
    X, y = blobs(120, 4.0, 8)
    model = SVC(10.0).fit(X, y)
    assert model.alpha_.size == 120 > model.w_.size + 1
    assert len(model.support_) < 30
    # every point twice at half the price: the same plane, still three primal unknowns, twice as many dual ones
    twice = SVC(5.0, tol=1e-5).fit(np.vstack((X, X)), np.concatenate((y, y)))
    assert (twice.alpha_.size, twice.w_.size + 1) == (240, 3)
    np.testing.assert_allclose(twice.w_, SVC(10.0, tol=1e-5).fit(X, y).w_, atol=1e-3)
    # large d is where the dual pays: in 500 dimensions it is the same problem, the primal has 501 unknowns
    turn = np.linalg.qr(np.random.default_rng(8).normal(size=(500, 2)))[0].T
    wide = SVC(10.0).fit(X @ turn, y)
    assert (wide.alpha_.size, wide.w_.size + 1) == (120, 501)
    assert wide.dual_objective_ == pytest.approx(model.dual_objective_, rel=1e-4)


def test_erratum_s0_e59():
    """xi = 1 is on the boundary, not beyond it."""
    model = SVC(C=1, tol=1e-10).fit(np.vstack((SIX, (0.2, 0.2))), np.append(SIX_T, 1))
    y = model.decision_function(SIX)
    assert model.slack_[4] == pytest.approx(1, abs=1e-8)
    assert y[4] == pytest.approx(0, abs=1e-8)
    wrong = np.append(SIX_T, 1) * model.decision_function(np.vstack((SIX, (0.2, 0.2)))) < -1e-8
    np.testing.assert_array_equal(wrong, model.slack_ > 1 + 1e-8)
    assert (model.slack_ >= 1 - 1e-8).sum() == wrong.sum() + 1  # the printed rule counts one too many


def test_erratum_s0_e67():
    """The expansion needs a_i t_i; with a_i alone negatives come out positive."""
    model = hard(SIX, SIX_T)
    K = SIX @ SIX.T
    right, printed = K @ (model.alpha_ * SIX_T) + model.b_, K @ model.alpha_ + model.b_
    assert (np.sign(right) == SIX_T).all()
    assert (printed[SIX_T == -1] > 0).any()


def test_erratum_s0_e68():
    """Outside the tube the loss is |r| - eps, which is continuous; |r| jumps."""
    assert epsilon_insensitive(0.1001, 0.1) == pytest.approx(0.0001, abs=1e-9)
    printed = np.where(np.abs([0.1, 0.1001]) > 0.1, np.abs([0.1, 0.1001]), 0)
    assert printed[1] - printed[0] == pytest.approx(0.1001)


def test_erratum_s0_e69():
    """Slack above the tube means t > y + eps."""
    model = tube()
    y = model.predict(TUBE_X)
    xi_plus = np.maximum(0, TUBE_T - y - 0.2)
    assert xi_plus == pytest.approx((0, 0, 0, 0, 0.5), abs=1e-8)
    assert TUBE_T[4] > y[4] + 0.2
    np.testing.assert_allclose(np.where(TUBE_T > y, model.slack_, 0), xi_plus, atol=1e-8)


def test_erratum_s0_e70():
    """C sum(xi+ - xi-) has no minimum; C sum(xi+ + xi-) has 0.905."""
    model, C = tube(), 0.5
    r = TUBE_T - model.predict(TUBE_X)
    plus, minus = np.maximum(0, r - 0.2), np.maximum(0, -r - 0.2)
    half = 0.5 * model.w_ @ model.w_
    assert half + C * (plus + minus).sum() == pytest.approx(model.primal_objective_)
    larger = minus + (1e6, 0, 0, 0, 0)  # still feasible: t >= y - eps - xi-
    assert (r >= -0.2 - larger).all()
    assert half + C * (plus - larger).sum() < -4e5


def test_erratum_s0_e71():
    """The bias comes from one free j, with k(x_j, x_i); the printed form depends on x."""
    model = tube()
    K, beta = TUBE_X @ TUBE_X.T, model.alpha_
    above, below = (np.flatnonzero((a > 1e-9) & (a < 0.5 - 1e-9))[0] for a in (model.a_, model.a_prime_))
    assert TUBE_T[above] - 0.2 - K[above] @ beta == pytest.approx(0.2)
    assert TUBE_T[below] + 0.2 - K[below] @ beta == pytest.approx(0.2)
    printed = TUBE_T[below] - 0.2 - K @ beta
    np.testing.assert_allclose(printed[:3], (-0.2, -1.1, -2.0), atol=1e-8)


def test_erratum_s0_e72():
    """The box is closed: multipliers sit at 0 and at C."""
    model = tube()
    assert {0.0, 0.5} <= set(model.a_.tolist())
    assert not ((model.a_ > 0) & (model.a_ < 0.5)).all()


def test_erratum_s0_e73():
    """a' > 0 means on or below the lower boundary."""
    model = tube()
    r = TUBE_T - model.predict(TUBE_X)
    np.testing.assert_allclose(r[model.a_prime_ > 0], (-0.2, -0.7), atol=1e-8)
    assert (r[model.a_prime_ > 0] < 0).all()


def test_erratum_s1_e39():
    """A decision in {0, 1} never equals the label -1."""
    model = SVC().fit(*[DATA["overlapping"][0], 2 * DATA["overlapping"][1] - 1])
    z = model.decision_function(DATA["overlapping"][0])
    assert -1 not in (z >= 0).astype(int)
    assert set(model.predict(DATA["overlapping"][0]).tolist()) == {-1, 1}


def test_erratum_s1_e40():
    """The functional margin scales with (w, b): 20 -> 200; the geometric one stays 4."""
    X, w = [[3, 4]], np.array([3.0, 4.0])
    assert functional_margin(X, [1], 10 * w, -50) == 10 * functional_margin(X, [1], w, -5)
    assert geometric_margin(X, [1], 10 * w, -50) == geometric_margin(X, [1], w, -5) == 4


def test_erratum_s1_e41():
    """A margin is negative for a misclassified sample; w is orthogonal to differences within the plane."""
    w = np.array([3.0, 4.0])
    assert functional_margin([[3, 4]], [-1], w, -5).tolist() == [-20]
    x1, x2 = np.array([0.6, 0.8]), np.array([3.0, -1.0])
    np.testing.assert_allclose(functional_margin([x1, x2], [1, 1], w, -5), 0, atol=1e-12)
    assert w @ (x1 - x2) == pytest.approx(0)
    # the printed argument, w (w.x + b) = 0, holds for any vector in place of the first w, so it shows nothing
    other = np.array([1.0, 0.0])
    np.testing.assert_allclose(other * (w @ x1 - 5), 0, atol=1e-12)
    assert abs(other @ (x1 - x2)) > 1


def test_erratum_s1_e42():
    """The functional margin has no maximum over (w, b): ten times (w, b) is the same boundary."""
    model = hard(SIX, SIX_T)
    f = [functional_margin(SIX, SIX_T, s * model.w_, s * model.b_).min() for s in (1, 10)]
    g = [geometric_margin(SIX, SIX_T, s * model.w_, s * model.b_).min() for s in (1, 10)]
    assert f[1] == pytest.approx(10 * f[0])
    assert g[1] == pytest.approx(g[0])
    rng = np.random.default_rng(2)
    planes = list(zip(rng.normal(size=(200, 2)) + 1, rng.normal(size=200) - 1))
    for w, b in planes:
        assert geometric_margin(SIX, SIX_T, w, b).min() <= model.margin_ + 1e-9
    # the printed minimum over w, b and i belongs to a bad plane; gamma stays fixed only if the plane does
    assert min(functional_margin(SIX, SIX_T, w, b).min() for w, b in planes) < 0
    assert len({geometric_margin(SIX, SIX_T, w, b).min() for w, b in planes}) == 200


def test_erratum_s1_e43():
    """max min <= min max, for every matrix; the printed direction fails for most."""
    games = np.random.default_rng(3).normal(size=(1000, 4, 5))
    max_min, min_max = games.min(axis=2).max(axis=1), games.max(axis=1).min(axis=1)
    assert (max_min <= min_max).all()
    assert (min_max <= max_min).mean() < 0.2


def test_erratum_s1_e44():
    """Convex without Slater's condition: min e^-x s.t. x^2/y <= 0, y > 0 has p* = 1 and d* = 0."""
    for alpha in (0, 1, 10, 100):
        x = 20.0
        y = 1e12 * x**2
        assert np.exp(-x) + alpha * x**2 / y < 1e-7  # so the infimum of the Lagrangian is about 0
    feasible_x = 0.0  # x^2 / y <= 0 leaves x = 0 alone
    assert np.exp(-feasible_x) == 1
    # the machine satisfies Slater's condition, and its gap closes
    model = hard(SIX, SIX_T)
    assert model.primal_objective_ == pytest.approx(model.dual_objective_, rel=1e-4)


def test_erratum_s1_e45():
    """The inner problem minimises the Lagrangian, not f; d* only bounds p* from below."""
    alpha = 1.0
    w = np.linspace(-3, 3, 6001)
    lagrangian = w**2 + alpha * (1 - w)
    assert w[lagrangian.argmin()] == pytest.approx(alpha / 2, abs=1e-3)
    assert w[(w**2).argmin()] == pytest.approx(0, abs=1e-3)
    assert lagrangian.min() == pytest.approx(alpha - alpha**2 / 4, abs=1e-6)
    assert lagrangian.min() < 1  # a bound on p* = 1, from a w = 1/2 that violates w >= 1: no answer to the primal
    # on the way to the optimum each dual value of SMO is a lower bound too
    model = SVC(C=1, tol=1e-9).fit(LINE, LINE_T)
    assert all(step.objective <= model.primal_objective_ + 1e-9 for step in model.history_)


def test_erratum_s1_e46():
    """The gradient in w is w - sum a_i t_i x_i."""
    model = hard(SIX, SIX_T)
    np.testing.assert_allclose(model.w_ - (model.alpha_ * SIX_T) @ SIX, 0, atol=1e-9)
    np.testing.assert_allclose(model.w_ - SIX_T @ SIX, (-2, 0), atol=1e-5)


def test_erratum_s1_e47():
    """max(a) = -min(-a): the maximum of the dual is minus the minimum of its negative, not minus its maximum."""
    values = np.array([step.objective for step in SVC(C=1, tol=1e-9).fit(LINE, LINE_T).history_])
    assert values.max() == -np.min(-values) == pytest.approx(3.30612, abs=1e-5)
    assert -np.max(-values) == values.min() == 0


def test_erratum_s1_e48():
    """xi is a slack in units of 1/|w| from the own margin plane."""
    w, b, x = np.array([3.0, 4.0]), -5.0, [[0.0, 0.0]]
    xi = max(0.0, 1 - functional_margin(x, [1], w, b)[0])
    to_boundary = -geometric_margin(x, [1], w, b)[0]
    assert xi == 6
    assert to_boundary == pytest.approx(1)
    assert xi / np.linalg.norm(w) == pytest.approx(1.2) == to_boundary + 1 / np.linalg.norm(w)
    model = SVC(C=1, tol=1e-9).fit(LINE, LINE_T)
    inside = (model.slack_ > 0) & (model.slack_ < 1)
    assert inside.any()
    assert (model.predict(LINE[inside]) == LINE_T[inside]).all()


def test_erratum_s1_e49():
    """With margin violators the middle of the extreme points is not the bias."""
    model = SVC(C=1, tol=1e-9).fit(LINE, LINE_T)
    y = LINE @ model.w_
    printed = -0.5 * (y[LINE_T == -1].max() + y[LINE_T == 1].min())
    assert printed == pytest.approx(1.1429, abs=1e-4)

    def cost(b):
        return 0.5 * model.w_ @ model.w_ + np.maximum(0, 1 - LINE_T * (y + b)).sum()

    assert cost(printed) == pytest.approx(5.0204, abs=1e-4)
    assert cost(model.b_) == pytest.approx(3.3061, abs=1e-4) == model.primal_objective_
    assert (np.sign(y + printed) == LINE_T).mean() == pytest.approx(6 / 9)
    assert (model.predict(LINE) == LINE_T).mean() == pytest.approx(8 / 9)


MULTIPLIERS, SIGNS = np.array([0.7, 0.2, 0.3, 0.8]), np.array([1, -1, 1, -1])


def test_erratum_s1_e51():
    """Fixing all but a_i gives a_i = -gamma y_i."""
    gamma = MULTIPLIERS @ SIGNS - MULTIPLIERS[1] * SIGNS[1]
    assert -gamma * SIGNS[1] == pytest.approx(0.2)
    assert -gamma == pytest.approx(-0.2)


def test_erratum_s1_e52():
    """The rest enters with y_i; the pair step keeps the sum whatever the signs."""
    i, j = 1, 0
    rest = MULTIPLIERS @ SIGNS - MULTIPLIERS[i] * SIGNS[i] - MULTIPLIERS[j] * SIGNS[j]
    first = -MULTIPLIERS[j] * SIGNS[i] * SIGNS[j]
    assert first - SIGNS[i] * rest == pytest.approx(0.2)
    assert first - SIGNS[j] * rest == pytest.approx(1.2)
    step = smo_pair(MULTIPLIERS[i], MULTIPLIERS[j], SIGNS[i], SIGNS[j], 0.3, -0.1, 1.7, C=1.0)
    assert step.alpha_i == pytest.approx(-step.alpha_j * SIGNS[i] * SIGNS[j] - SIGNS[i] * rest)


def test_erratum_s1_e53():
    """The top of the parabola must be clipped to [L, H], and a_i follows."""
    step = smo_pair(0, 0, 1, -1, -1, 1, (0.5 + 0.3) ** 2, C=1)
    assert step.unclipped == pytest.approx(3.125)
    printed = np.array([0 + 1 * -1 * (0 - step.unclipped), step.unclipped])  # (16.22) without the clip
    assert printed @ (1, -1) == 0
    assert (printed > 1).all()  # the sum is kept, the box is not
    assert (step.alpha_i, step.alpha_j) == (1, 1)


def test_erratum_s3_e3_27():
    """nu bounds the margin errors from above and the support vectors from below."""
    X, y = DATA["overlapping"]
    for nu in (0.3, 0.43, 0.57, 0.71):
        model = NuSVC(nu, rbf_kernel(0.4), tol=1e-6).fit(X, y)
        errors, vectors = (model.slack_ > 1e-4).mean(), len(model.support_) / 40
        assert errors <= nu + 1e-9
        assert vectors >= nu - 1e-9
        assert vectors > nu  # so nu does not cap the share of support vectors


def test_erratum_s3_e3_45():
    """Averaging the bias over all support vectors misses the optimum; over the free ones primal = dual."""
    X, y = blobs(25, 1.5, 45)
    t = 2 * y - 1
    model = SVC(C=1, tol=1e-9).fit(X, y)
    asks = t - X @ model.w_
    free = (model.alpha_ > 0) & (model.alpha_ < 1)
    everyone = asks[model.support_].mean()

    def primal(b):
        return 0.5 * model.w_ @ model.w_ + np.maximum(0, 1 - t * (X @ model.w_ + b)).sum()

    assert model.b_ == pytest.approx(asks[free].mean())
    assert primal(model.b_) == pytest.approx(model.dual_objective_, rel=1e-6)
    assert primal(everyone) > model.dual_objective_ + 1e-3


def test_erratum_s3_e3_45_osuna():
    """A part is enough when no point outside violates the KKT conditions, not yet when none outside is wrong."""
    X, y = blobs(60, 2.5, 46)
    t = 2 * y - 1
    best = SVC(1.0, tol=1e-6).fit(X, y)

    def exchange(violates):
        chunk = np.r_[0:8, 52:60]
        for _ in range(30):
            part = SVC(1.0, tol=1e-6).fit(X[chunk], y[chunk])
            margin = t * part.decision_function(X)
            new = np.setdiff1d(np.flatnonzero(violates(margin)), chunk)
            if len(new) == 0:
                break
            chunk = np.union1d(chunk[part.support_], new)
        alpha = np.zeros(60)
        alpha[chunk] = part.alpha_
        return alpha

    wrong, violators = exchange(lambda margin: margin < 0), exchange(lambda margin: margin < 1 - 1e-4)
    assert kkt_violation(violators, t, X @ X.T, 1.0) < 1e-3
    assert kkt_violation(wrong, t, X @ X.T, 1.0) > 0.1
    assert svc_dual(violators * t, X @ X.T) == pytest.approx(best.dual_objective_, rel=1e-4)
    assert svc_dual(wrong * t, X @ X.T) < best.dual_objective_ - 5e-3


def test_erratum_s3_e3_12():
    """K = 4: one against the rest trains 4 and the largest output wins; with 3, what none claims is called d."""
    X, y = corners()
    machines = [SVC(10.0).fit(X, y == k) for k in "abcd"]
    output = np.array([m.decision_function(X) for m in machines])
    assert (np.array(list("abcd"))[output.argmax(axis=0)] == y).all()
    assert (len(machines), len(machines[:-1]), len(DAGSVM(SVC).fit(X, y).models_)) == (4, 3, 6)
    # three leave points in the middle to d, the largest of four outputs gives some of them to another class
    middle = np.random.default_rng(12).uniform(1.5, 2.5, size=(50, 2))
    output = np.array([m.decision_function(middle) for m in machines])
    unclaimed = (output[:-1] <= 0).all(axis=0)
    assert (output.argmax(axis=0)[unclaimed] != 3).any()


def test_erratum_s4_f20():
    """One outlier moves the hard margin all the way; in the soft one it is a support vector at C."""
    X, t = np.array([2, 3, 4, -2, -3, -4, -1.5])[:, None], np.array([1, 1, 1, -1, -1, -1, 1])
    clean, outlier, soft = hard(X[:6], t[:6]), hard(X, t), SVC(C=0.1, tol=1e-9).fit(X, t)
    boundary = [-m.b_ / m.w_[0] for m in (clean, outlier, soft)]
    np.testing.assert_allclose(boundary, (0, -1.75, -0.5), atol=1e-5)
    assert (clean.margin_, outlier.margin_) == (pytest.approx(2), pytest.approx(0.25))
    assert soft.alpha_[6] == 0.1


def test_erratum_s4_f21():
    """Without t y >= 1 the minimum of |w|^2 / 2 is w = 0, which separates nothing."""
    model = hard(SIX, SIX_T)
    assert 0.5 * model.w_ @ model.w_ == pytest.approx(4, abs=1e-5)
    zero = np.zeros(2)
    assert 0.5 * zero @ zero == 0
    assert (functional_margin(SIX, SIX_T, zero, 0.0) < 1).all()
    # rescaled are w and w0, at the same distances; rescaled points would be other data with another margin
    assert geometric_margin(SIX, SIX_T, 3 * model.w_, 3 * model.b_).min() == pytest.approx(model.margin_)
    assert hard(3 * SIX, SIX_T).margin_ == pytest.approx(3 * model.margin_)
    assert functional_margin(SIX, SIX_T, model.w_, model.b_).min() >= 1 - 1e-6


def test_erratum_s4_f22():
    """t y > 1 is beyond the margin plane, on the right side, with no multiplier."""
    X, t = np.array([2, 3, 4, -2, -3, -4.0])[:, None], np.array([1, 1, 1, -1, -1, -1])
    model = hard(X, t)
    beyond = functional_margin(X, t, model.w_, model.b_) > 1 + 1e-6
    assert beyond.tolist() == [False, True, True, False, True, True]
    assert (model.alpha_[beyond] == 0).all()
    assert (model.predict(X[beyond]) == t[beyond]).all()


def test_erratum_s4_f23():
    """Without constraints w = 0, xi = 0 costs nothing; with them violators are support vectors as well."""
    model = SVC(C=1, tol=1e-9).fit(LINE, LINE_T)
    w, b, xi = np.zeros(1), 0.0, np.zeros(9)
    assert 0.5 * w @ w + 1 * xi.sum() == 0 < 3.3 < model.primal_objective_  # the printed cost has minimum 0
    assert (functional_margin(LINE, LINE_T, w, b) < 1 - xi).all()  # where every constraint it left out is broken
    violators = model.slack_ > 0
    assert violators.sum() == 2
    assert (model.alpha_[violators] == 1).all()
    on_margin = np.isclose(functional_margin(LINE, LINE_T, model.w_, model.b_), 1)
    assert set(model.support_) == set(np.flatnonzero(on_margin | violators)) > set(np.flatnonzero(on_margin))


def regression_data():
    rng = np.random.default_rng(27)
    X = rng.normal(size=(40, 3)) * (1.0, 0.6, 1.5)
    t = X @ (1.0, -1.2, 1.8) + rng.normal(scale=0.3, size=40)
    return X - X.mean(axis=0), t - t.mean()


def test_erratum_s4_f27():
    """(K + lambda I)^-1 t minimises squared errors without 1/2, and is no support vector regression."""
    (X, t), lam = regression_data(), 0.7
    K, eye = X @ X.T, np.eye(40)
    w = X.T @ np.linalg.solve(K + lam * eye, t)
    np.testing.assert_allclose(2 * X.T @ (X @ w - t) + 2 * lam * w, 0, atol=1e-9)  # gradient of sum r^2 + lam |w|^2
    half = X.T @ np.linalg.solve(K + 2 * lam * eye, t)
    np.testing.assert_allclose(X.T @ (X @ half - t) + 2 * lam * half, 0, atol=1e-9)  # of 1/2 sum r^2 + lam |w|^2
    tube = SVR(C=1 / (2 * lam), epsilon=0.5, tol=1e-8).fit(X, t)
    assert np.abs(tube.w_ - w).max() > 0.02


def test_erratum_s4_f28():
    """sum E + lam |w|^2 is C sum E + 1/2 |w|^2 with C = 1/(2 lam), not C sum E + lam |w|^2 with C = 1/lam."""
    (X, t), lam = regression_data(), 5.0

    def cost(model):
        return epsilon_insensitive(t - model.predict(X), 0.1).sum() + lam * model.w_ @ model.w_

    right = SVR(C=1 / (2 * lam), epsilon=0.1, tol=1e-8).fit(X, t)
    printed = SVR(C=1 / (2 * lam**2), epsilon=0.1, tol=1e-8).fit(X, t)  # sum E / lam + lam |w|^2
    assert cost(right) < cost(printed) - 0.1
    assert lam * 2 * right.dual_objective_ == pytest.approx(cost(right), rel=1e-6)
    assert np.linalg.norm(printed.w_) < 0.8 * np.linalg.norm(right.w_)


def test_erratum_s4_f29():
    """The tube gives sparsity, which no squared error does."""
    X, t = regression_data()
    ridge = np.linalg.solve(X @ X.T + 0.7 * np.eye(40), t)
    model = SVR(C=10, epsilon=0.5, tol=1e-6).fit(X, t)
    assert (np.abs(ridge) > 1e-6).all()
    assert len(model.support_) < 20
    outside = np.abs(t - model.predict(X)) >= 0.5 - 1e-6
    assert set(model.support_) <= set(np.flatnonzero(outside))


def test_erratum_s4_f30():
    """The slack constraints hold outside the tube too; inside means xi = 0."""
    X, t = np.arange(6.0)[:, None], np.array([0.0, 0.1, 0.15, 3.0, 0.2, 0.3])
    model = SVR(C=0.5, epsilon=0.1, tol=1e-9).fit(X, t)
    r = np.abs(t - model.predict(X))
    assert (r <= 0.1 + model.slack_ + 1e-12).all()
    assert r[3] > 2
    np.testing.assert_array_equal(r <= 0.1 + 1e-9, model.slack_ <= 1e-9)


def test_the_last_bit_does_not_choose_the_pair():
    """An unclipped step leaves both errors of its pair equal; rounding must not decide which of them leads next."""
    data = datasets.blobs(20, [[-0.9, -0.7], [0.9, 0.7]], 0.9, rng=27)
    rng, runs = np.random.default_rng(0), set()
    for _ in range(10):
        X = data.X * (1 + 2.2e-16 * rng.integers(-2, 3, data.X.shape))
        runs.add(tuple((step.i, step.j) for step in SVC().fit(X, data.y, alpha=np.zeros(20)).history_))
    assert len(runs) == 1


@pytest.mark.parametrize(("offset", "right"), [(0.0, True), (1e6, True), (3e8, False)])
def test_converged_is_not_claimed_where_products_have_lost_the_differences(offset, right):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 2))
    y = 1 * (X[:, 0] > 0)
    X[:, 0] += 2 * y
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        model = SVC().fit(X + offset, y)
    assert model.converged_ == right
    assert any("Centre the features" in str(w.message) for w in said) != right
    if right:
        assert model.margin_ == pytest.approx(SVC().fit(X, y).margin_, rel=1e-2)

"""Chapter 04: least squares, LMS, basis functions, scaling, tests on weights, and the errata of the sources."""

import csv
import subprocess
import sys
import warnings
from decimal import Decimal, localcontext
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn import linear_model, preprocessing
from sklearn.linear_model import LinearRegression as SklearnRegression

from mlteach.explore import linear_regression as scenes
from mlteach.linear_regression import (
    LinearRegression,
    LMSRegressor,
    design_matrix,
    fit_line,
    gaussian_features,
    least_squares,
    log_likelihood,
    max_stable_rate,
    min_max_scale,
    normal_equations,
    periodic_features,
    piecewise_features,
    polynomial_features,
    sigmoid_features,
    solve_least_squares,
    standardize,
    tanh_features,
    unit_scale,
)
from mlteach.linear_regression._refinement import product, slices
from mlteach.validation import ConvergenceWarning, NotFittedError

NIST = Path(__file__).parents[1] / "data" / "nist"
SETS = ["longley", "norris", "filip", "wampler1", "wampler2", "wampler3", "wampler4", "wampler5"]

x5, t5 = np.arange(1.0, 6.0), np.array([2.0, 3, 5, 4, 6])  # W2-12, W3-02
HEIGHT, WEIGHT, TIME = np.array([[180.0, 184, 174], [70, 80, 60], [180, 220, 170]])  # W3-01
BMI = WEIGHT / (HEIGHT / 100) ** 2


def random_problem(seed=0, n=60, d=4):
    """Correlated, unequally scaled inputs far from the origin."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) @ rng.normal(size=(d, d)) * 10.0 ** rng.uniform(-1, 1, d) + rng.uniform(-5, 5, d)
    return X, 3 + X @ rng.normal(size=d) + rng.normal(size=n)


def noisy_sine():
    """The ten points of W23."""
    x = np.linspace(0, 1, 10)
    return x, np.sin(2 * np.pi * x) + np.random.default_rng(5).normal(0, 0.3, 10)


# --- NIST certified values ------------------------------------------------------------------------------------


def nist_rows(name):
    """Design rows (with the 1) and targets of one data set, exact."""
    with open(NIST / f"{name.rstrip('12345')}.csv") as file:
        rows = [{key: Fraction(value) for key, value in row.items()} for row in csv.DictReader(file)]
    if name.startswith("wampler"):
        return [[row["x"] ** k for k in range(6)] for row in rows], [row[f"y{name[-1]}"] for row in rows]
    y = [row.pop("y") for row in rows]
    if name == "filip":
        return [[row["x"] ** k for k in range(11)] for row in rows], y
    return [[Fraction(1), *row.values()] for row in rows], y


def certified(name):
    with open(NIST / "certified.csv") as file:
        return {row["term"]: (row["value"], row["stderr"]) for row in csv.DictReader(file) if row["dataset"] == name}


def nist_arrays(name):
    """Inputs and targets as a user has them: float data, float powers."""
    Phi, y = nist_rows(name)
    x = np.array([[float(v) for v in row[1:]] for row in Phi])
    if name in ("longley", "norris"):
        return x, np.array([float(v) for v in y])
    return polynomial_features(x[:, 0], x.shape[1], bias=False), np.array([float(v) for v in y])


def rational_solve(A, B):
    """Gauss-Jordan elimination in exact arithmetic."""
    rows = [[*a, *b] for a, b in zip(A, B)]
    for i in range(len(A)):
        pivot = next(r for r in range(i, len(A)) if rows[r][i])
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [v / rows[i][i] for v in rows[i]]
        for r in range(len(A)):
            if r != i:
                factor = rows[r][i]
                rows[r] = [v - factor * u for v, u in zip(rows[r], rows[i])]
    return [row[len(A) :] for row in rows]


def digits(found, wanted):
    """Correct decimal digits: relative, or absolute where the certified value is 0."""
    found, wanted = np.asarray(found, dtype=float), np.asarray(wanted, dtype=float)
    error = np.abs(found - wanted) / np.where(wanted == 0, 1, np.abs(wanted))
    return -np.log10(error.max() + 1e-16)


@pytest.mark.parametrize("name", SETS)
def test_certified_values_are_the_exact_solution_of_the_stored_data(name):
    Phi, y = nist_rows(name)
    n, M = len(Phi), len(Phi[0])
    gram = [[sum(row[i] * row[j] for row in Phi) for j in range(M)] for i in range(M)]
    right = [[sum(row[i] * t for row, t in zip(Phi, y)), *(Fraction(i == j) for j in range(M))] for i in range(M)]
    solution = rational_solve(gram, right)
    w = [row[0] for row in solution]
    rss = sum((t - sum(a * b for a, b in zip(row, w))) ** 2 for row, t in zip(Phi, y))
    tss = sum((t - sum(y) / n) ** 2 for t in y)
    exact = {f"B{j}": w[j] for j in range(M)}
    squared = {f"B{j}": rss / (n - M) * solution[j][1 + j] for j in range(M)}
    exact |= {"r_squared": 1 - rss / tss}
    if rss:
        exact |= {"f": (tss - rss) / (M - 1) / (rss / (n - M))}
    with localcontext() as context:
        context.prec = 40
        for term, value in exact.items():
            assert abs(Fraction(certified(name)[term][0]) - value) <= abs(value) * Fraction(5, 10**15)
        for term, value in squared.items():
            root = (Decimal(value.numerator) / Decimal(value.denominator)).sqrt()
            assert abs(Decimal(certified(name)[term][1]) - root) <= root * Decimal("5e-15")
        sigma = (Decimal(rss.numerator) / Decimal(rss.denominator) / (n - M)).sqrt()
        assert abs(Decimal(certified(name)["residual_sd"][0]) - sigma) <= sigma * Decimal("5e-15")


@pytest.mark.parametrize("name", SETS)
def test_nist(name):
    X, y = nist_arrays(name)
    values = certified(name)
    summary = LinearRegression().fit(X, y).summary()
    coef = [values[f"B{j}"][0] for j in range(X.shape[1] + 1)]
    stderr = [values[f"B{j}"][1] for j in range(X.shape[1] + 1)]
    assert digits(summary.coef, coef) >= (6 if name == "filip" else 12)  # on any machine: no longer numbers are used
    assert digits(summary.stderr, stderr) >= (6 if name == "filip" else 8)
    assert digits(summary.sigma, values["residual_sd"][0]) >= 8
    assert digits(summary.r2, values["r_squared"][0]) >= 8
    if np.isfinite(float(values["f"][0])):
        assert digits(summary.f, values["f"][0]) >= 8


def test_filip_defeats_the_normal_equations_and_the_default_cut_of_lstsq():
    X, y = nist_arrays("filip")
    coef = [certified("filip")[f"B{j}"][0] for j in range(11)]
    Phi = design_matrix(X)
    assert digits(np.linalg.lstsq(Phi, y)[0], coef) < 1
    assert digits(np.linalg.solve(Phi.T @ Phi, Phi.T @ y), coef) < 1
    assert digits(least_squares(Phi, y).w, coef) >= 6
    assert np.linalg.matrix_rank(Phi / np.linalg.norm(Phi, axis=0)) == 11  # independent, and yet
    with pytest.raises(ValueError, match="dependent, or too nearly so for 16 digits"):
        normal_equations(Phi, y)


@pytest.mark.parametrize("k", [None, 1, 3])
def test_the_lecture_and_the_refined_solution_agree(k):
    """(4.7) as it stands, and with the step that wins back what rounding took: the same for columns in good order."""
    rng = np.random.default_rng(4)
    X, T = rng.normal(size=(60, 4)) + 3, rng.normal(size=60 if k is None else (60, k))
    Phi = design_matrix(X)
    Q, R = np.linalg.qr(Phi)
    plain, refined, model = solve_least_squares(Phi, T), least_squares(Phi, T), LinearRegression().fit(X, T)
    assert_allclose(plain.w, np.linalg.solve(R, Q.T @ T), rtol=1e-13)
    assert_allclose(refined.w, plain.w, rtol=1e-11)
    assert_allclose(refined.residual, plain.residual, atol=1e-12)
    assert_allclose(np.vstack([model.b_, (model.w_ if k is None else model.W_).T.reshape(4, -1)]).reshape(T[:5].shape),
                    refined.w, rtol=1e-14)  # fmt: skip


def test_refinement_finds_the_digits_that_qr_loses():
    """x^0 to x^5 at 0, ..., 20 and targets far from the polynomial: QR is right to 6 digits, refined to all."""
    X, y = nist_arrays("wampler5")
    found = [solver(design_matrix(X), y).w for solver in (solve_least_squares, least_squares)]
    assert digits(found[0], np.ones(6)) < 9
    assert digits(found[1], np.ones(6)) > 14


@pytest.mark.parametrize("size", [(3, 400), (500, 6)])
def test_products_have_twice_the_digits_of_a_double(size):
    rng = np.random.default_rng(sum(size))
    A, v = rng.normal(size=size), rng.normal(size=size[1])
    exact = [sum(Fraction(a) * Fraction(b) for a, b in zip(row, v)) for row in A.tolist()]
    high, missing = product(slices(A, 20), v)
    errors = [Fraction(h) + Fraction(m) - e for h, m, e in zip(high.tolist(), missing.tolist(), exact)]
    assert max(map(abs, errors)) < 1e-24  # a plain product is off by some 1e-15
    assert all((a + b + c == A).all() for a, b, c in [slices(A, 20)])


def test_normal_equations_do_not_mind_the_units_of_a_column():
    X, y = random_problem(1, d=3)
    Phi, units = design_matrix(X), np.array([1, 1e-9, 1e6, 1e3])
    assert_allclose(normal_equations(Phi * units, y), normal_equations(Phi, y) / units, rtol=1e-6)


# --- other oracles --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_agrees_with_scikit_learn_and_lstsq(seed):
    X, y = random_problem(seed)
    model, oracle = LinearRegression().fit(X, y), SklearnRegression().fit(X, y)
    assert_allclose(model.w_, oracle.coef_, rtol=1e-9)
    assert_allclose(model.b_, oracle.intercept_, rtol=1e-9)
    assert_allclose(model.predict(X[:7]), oracle.predict(X[:7]), rtol=1e-9)
    w = np.linalg.lstsq(design_matrix(X), y)[0]
    assert_allclose(least_squares(design_matrix(X), y).w, w, rtol=1e-9)
    assert_allclose(normal_equations(design_matrix(X), y), w, rtol=1e-7)
    assert_allclose(model.rss_, np.sum((y - oracle.predict(X)) ** 2), rtol=1e-10)


@pytest.mark.parametrize("shape", [(5, 9), (3, 3), (12, 5)])
def test_shortest_solution_where_columns_depend(shape):
    rng = np.random.default_rng(3)
    X = rng.normal(size=shape) * 10.0 ** rng.integers(-2, 3, shape[1]) + 4
    if shape == (12, 5):
        X[:, 4] = 2 * X[:, 0] - X[:, 3]
    y = rng.normal(size=shape[0])
    model, oracle = LinearRegression().fit(X, y), SklearnRegression().fit(X, y)
    assert model.rank_ == min(shape[0] - 1, 4 if shape == (12, 5) else shape[1])
    assert_allclose(model.predict(X), oracle.predict(X), atol=1e-9)
    centred = X - X.mean(axis=0)
    shortest = np.linalg.pinv(centred, rcond=1e-12) @ (y - y.mean())
    assert_allclose(model.w_, shortest, rtol=1e-6, atol=1e-9)


def test_shortest_solution_far_from_the_origin():
    """Time stamps: rounding the mean must not pass for a fifth independent direction."""
    rng = np.random.default_rng(3)
    X, y = 1.7e9 + rng.normal(size=(5, 8)), rng.normal(size=5)
    model = LinearRegression().fit(X, y)
    assert model.rank_ == 4
    assert_allclose(model.w_, np.linalg.pinv(X - X.mean(axis=0), rcond=1e-5) @ (y - y.mean()), rtol=1e-4, atol=1e-6)
    assert_allclose(model.predict(X), y, atol=1e-5)


def test_constant_columns_get_weight_zero():
    X, y = random_problem(1, n=5001, d=2)  # so many that even an extended mean of 0.3 is rounded
    with_ones = np.column_stack([np.full(len(X), 0.3), X])
    model, plain = LinearRegression().fit(with_ones, y), LinearRegression().fit(X, y)
    assert abs(model.w_[0]) < 1e-15
    assert model.rank_ == 2
    assert_allclose(model.w_[1:], plain.w_, rtol=1e-9)
    assert_allclose(model.b_, plain.b_, rtol=1e-9)


def test_single_sample_is_fitted_by_its_own_target():
    model = LinearRegression().fit([[3.0, 4.0]], [5.0])
    assert_array_equal(model.w_, [0, 0])
    assert (model.b_, model.rank_) == (5.0, 0)


def test_multiple_outputs_are_fitted_column_by_column():
    """W20: two outputs, M = 4, N = 50."""
    X, _ = random_problem(2, n=50, d=3)
    Y = np.random.default_rng(4).normal(size=(50, 2)) + X[:, :2]
    model = LinearRegression().fit(X, Y)
    assert model.W_.shape == (2, 3)
    assert model.b_.shape == model.rss_.shape == (2,)
    for k in range(2):
        single = LinearRegression().fit(X, Y[:, k])
        assert_allclose(model.W_[k], single.w_, rtol=1e-12)
        assert_allclose(model.b_[k], single.b_, rtol=1e-12)
        assert_allclose(model.rss_[k], single.rss_, rtol=1e-12)
    assert_allclose(model.predict(X), SklearnRegression().fit(X, Y).predict(X), atol=1e-10)
    short = LinearRegression().fit(X[:3], Y[:3])
    assert_allclose(short.W_, SklearnRegression().fit(X[:3], Y[:3]).coef_, atol=1e-8)


def test_refit_forgets_the_shape_of_the_last_targets():
    X, y = random_problem()
    model = LinearRegression().fit(X, np.column_stack([y, -y]))
    assert not hasattr(model, "w_")
    model.fit(X, y)
    assert not hasattr(model, "W_")
    assert isinstance(model.b_, float)
    assert model.predict(X).shape == y.shape


@pytest.mark.parametrize("seed", range(3))
def test_summary_by_another_route(seed):
    """t by the covariance matrix, p by integrating the densities, F by comparing two models."""
    from scipy.stats import f as f_law
    from scipy.stats import t as t_law

    X, y = random_problem(seed, n=25, d=3)
    y = y + np.random.default_rng(seed).normal(0, 8, 25)
    Phi = design_matrix(X)
    w = np.linalg.pinv(Phi) @ y
    residual = y - Phi @ w
    variance = residual @ residual / (25 - 4)
    stderr = np.sqrt(np.diag(variance * np.linalg.inv(Phi.T @ Phi)))
    summary = LinearRegression().fit(X, y).summary()
    assert_allclose(summary.coef, w, rtol=1e-8)
    assert_allclose(summary.stderr, stderr, rtol=1e-8)
    assert_allclose(summary.t, w / stderr, rtol=1e-8)
    assert_allclose(summary.p, 2 * t_law.sf(np.abs(w / stderr), 21), rtol=1e-7)
    mean_only = np.sum((y - y.mean()) ** 2)
    f = ((mean_only - residual @ residual) / 3) / variance
    assert_allclose([summary.f, summary.f_p], [f, f_law.sf(f, 3, 21)], rtol=1e-7)
    assert_allclose(summary.r2, np.corrcoef(y, Phi @ w)[0, 1] ** 2, rtol=1e-9)
    assert_allclose(summary.adjusted_r2, 1 - variance / np.var(y, ddof=1), rtol=1e-9)
    assert summary.dof == 21


def test_summary_t_interval_covers_the_true_weight():
    """4000 repetitions: the statistic (4.16) has the t law with N - M degrees of freedom."""
    rng = np.random.default_rng(8)
    x = np.array([0.0, 1, 2, 4, 7, 9])[:, None]
    fits = [LinearRegression().fit(x, 2 - 3 * x[:, 0] + rng.normal(0, 2, 6)).summary() for _ in range(4000)]
    t = np.array([(s.coef[1] + 3) / s.stderr[1] for s in fits])
    assert abs(np.mean(np.abs(t) < 2.776445) - 0.95) < 4 * np.sqrt(0.95 * 0.05 / 4000)
    assert abs(np.mean([s.sigma**2 for s in fits]) - 4) < 4 * 4 * np.sqrt(2 / 4 / 4000)


def test_summary_table_names_each_feature():
    X, y = random_problem(d=2)
    text = str(LinearRegression().fit(X, y).summary(["age", "blood pressure"]))
    assert [line.split("  ")[0] for line in text.splitlines()[1:4]] == ["intercept", "age", "blood pressure"]
    assert len({len(line) for line in text.splitlines()[:4]}) == 1
    assert repr(LinearRegression().fit(X, y).summary()).splitlines()[2].startswith("x1 ")


def test_summary_columns_stay_apart_for_tiny_numbers():
    """-1.2607e-05 and 1.35369e-07 must not run together."""
    rng = np.random.default_rng(2)
    X = 1e5 * rng.normal(size=(40, 2))
    summary = LinearRegression().fit(X, -1.26e-5 * X[:, 0] + 1e-1 * rng.normal(size=40)).summary()
    rows = [line.split() for line in str(summary).splitlines()[1:4]]
    assert abs(summary.coef[1]) < 1e-4
    assert [len(row) for row in rows] == [5, 5, 5]
    tiny = LinearRegression().fit(X * 1e200, X[:, 0] + rng.normal(size=40)).summary()
    assert all(len(line.split()) == 5 for line in str(tiny).splitlines()[1:4])


@pytest.mark.parametrize("unit", [1e200, 1e-200])
def test_inputs_of_extreme_size(unit):
    """No square may overflow or vanish: scaled data give the scaled answer, without a warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert_allclose(fit_line(x5 * unit, t5), (1.3, 0.9 / unit))
        assert_allclose(fit_line(x5, t5 * unit), (1.3 * unit, 0.9 * unit))
        for scale in (standardize, min_max_scale, unit_scale):
            assert_allclose(scale(x5 * unit), scale(x5), atol=1e-15)
        big, plain = (LinearRegression().fit(x5[:, None] * u, t5).summary() for u in (unit, 1.0))
        assert_allclose([big.t, big.p], [plain.t, plain.p])
        assert log_likelihood(t5 * unit, (t5 + 1) * unit, unit) == pytest.approx(
            -5 * (np.log(unit) + 0.5 * np.log(2 * np.pi) + 0.5)
        )
        assert max_stable_rate(x5[:, None] * 1e100) == pytest.approx(2 / 11e200)


def test_exact_fit_through_the_origin_is_documented():
    summary = LinearRegression().fit(x5[:, None], 2 * x5).summary()
    assert summary.sigma == 0
    assert np.isnan(summary.t[0])
    assert np.isinf(summary.t[1])
    assert (summary.p[1], summary.f_p) == (0, 0)
    assert "the fit is exact" in str(summary)


def test_exact_fit_has_infinite_t_and_no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        summary = LinearRegression().fit([[0.0], [1], [2], [3]], [1, 3, 5, 7]).summary()
    assert summary.r2 == 1
    assert summary.p[1] < 1e-30
    assert summary.t[1] > 1e12


def test_longley_has_predictors_no_single_t_test_can_tell_from_zero():
    X, y = nist_arrays("longley")
    summary = LinearRegression().fit(X, y).summary()
    assert summary.f_p < 1e-9
    assert np.sum(summary.p[1:] > 0.05) == 3


# --- numbers of the sources -----------------------------------------------------------------------------------


def test_w7_normal_equations():
    Phi = design_matrix(np.arange(4.0)[:, None])
    y = np.array([1.0, 3, 5, 8])
    assert_array_equal(Phi.T @ Phi, [[4, 6], [6, 14]])
    assert_array_equal(Phi.T @ y, [17, 37])
    assert_allclose(normal_equations(Phi, y), [0.8, 2.3], rtol=1e-13)
    assert_allclose(least_squares(Phi, y).w, [0.8, 2.3], rtol=1e-14)


def test_w20_shapes_and_columnwise_solution():
    rng = np.random.default_rng(20)
    Phi, T = design_matrix(rng.normal(size=(50, 3))), rng.normal(size=(50, 2))
    W = least_squares(Phi, T).w
    assert W.shape == (4, 2)
    assert_allclose(W, np.linalg.lstsq(Phi, T)[0], atol=1e-14)


W23 = [(0, 2.730488, 0.705410), (1, 2.353061, 0.536048), (3, 0.266778, 0.120391), (9, 0, 0.462984)]


@pytest.mark.parametrize(("degree", "error", "rms"), W23)
def test_w23_polynomials_on_a_noisy_sine(degree, error, rms):
    x, t = noisy_sine()
    w = least_squares(polynomial_features(x, degree), t).w
    grid = np.linspace(0, 1, 200)
    fitted = polynomial_features(grid, degree) @ w
    assert_allclose(0.5 * np.sum((polynomial_features(x, degree) @ w - t) ** 2), error, atol=5e-7)
    assert_allclose(np.sqrt(np.mean((fitted - np.sin(2 * np.pi * grid)) ** 2)), rms, atol=5e-7)
    if degree:
        model = LinearRegression().fit(polynomial_features(x, degree, bias=False), t)
        assert_allclose(model.predict(polynomial_features(grid, degree, bias=False)), fitted, atol=1e-6)


def test_w23_stochastic_lms_finds_the_generating_line():
    x = np.linspace(0, 1, 10)
    model = LMSRegressor(learning_rate=0.5, batch_size=1, epochs=500, tol=1e-10).fit(x[:, None], 1 + 2 * x)
    assert model.converged_
    assert_allclose([model.b_, model.w_[0]], [1, 2], atol=1e-8)


def test_w24_scaling():
    values = [2, 4, 10]
    assert_allclose(min_max_scale(values), [0, 0.25, 1])
    assert_allclose(standardize(values, ddof=0), [-0.980581, -0.392232, 1.372813], atol=5e-7)
    assert_allclose(unit_scale(values), [0.182574, 0.365148, 0.912871], atol=5e-7)


def test_w2_06_piecewise_quadratic_and_periodic_predictors():
    h = piecewise_features([0.5, 1, 1.5, 2.5, 3.7, 4.2, 5, 0, 5.1], range(6)) @ [1, 2, 4, 4, 3]
    assert_array_equal(h, [1, 1, 2, 4, 4, 3, 3, 0, 0])
    assert_allclose(polynomial_features([2], 2) @ [1, 1, 0], [3])
    assert_allclose(periodic_features([2]), [[1, 2, 4, 0.960170]], atol=5e-7)


def test_w2_12_univariate_regression_and_first_steps():
    line = fit_line(x5, t5)
    assert_allclose(line, (1.3, 0.9), rtol=1e-14)
    assert_allclose(np.sum((line.predict(x5) - t5) ** 2), 1.9, rtol=1e-13)
    # The source sums over the five samples; our loss is their mean, so alpha = 0.01 is 5 times as large here.
    batch = LMSRegressor(learning_rate=0.05, epochs=1, tol=0).fit(x5[:, None], t5)
    assert_allclose([batch.b_, *batch.w_], [0.20, 0.69], rtol=1e-13)
    single = LMSRegressor(learning_rate=0.01, epochs=1, tol=0, batch_size=1).fit(x5[:1, None], t5[:1])
    assert_allclose([single.b_, *single.w_], [0.02, 0.02], rtol=1e-13)


def test_w3_01_bmi_table():
    assert_allclose(BMI, [21.604938, 23.629490, 19.817677], atol=5e-7)
    exact = LinearRegression().fit(np.column_stack([HEIGHT, WEIGHT]), TIME)
    assert_allclose([exact.b_, *exact.w_], [2180, -15, 10], rtol=1e-9)
    Phi = np.column_stack([np.ones(3), HEIGHT, WEIGHT, BMI])
    shortest = least_squares(Phi, TIME)
    assert shortest.rank == 3
    assert_allclose(shortest.w, [3.444725, -4.859963, -11.358884, 85.465203], atol=5e-6)
    assert np.linalg.cond(Phi.T @ Phi) > 1e15
    model = LinearRegression().fit(BMI[:, None], TIME)
    summary = model.summary()
    assert_allclose(summary.coef, [-97.601847, 13.263299], atol=5e-6)
    assert_allclose(model.predict(BMI[:, None]), [188.950915, 215.803146, 165.245939], atol=5e-6)
    assert_allclose(model.rss_, 120.333568, atol=5e-6)
    assert_allclose([summary.r2, summary.adjusted_r2, summary.f], [0.914047, 0.828095, 10.634326], atol=5e-6)
    assert_allclose(standardize(HEIGHT), [0.132453, 0.927173, -1.059626], atol=5e-7)
    assert_allclose(min_max_scale(np.column_stack([HEIGHT, WEIGHT])), [[0.6, 0.5], [1, 1], [0, 0]], atol=1e-12)
    assert_allclose(standardize(WEIGHT), [0, 1, -1], atol=1e-12)


def test_w3_02_regression_statistics():
    model = LinearRegression().fit(x5[:, None], t5)
    summary = model.summary()
    assert_allclose(summary.coef, [1.3, 0.9], rtol=1e-13)
    assert_allclose(model.rss_, 1.9, rtol=1e-13)
    assert_allclose(summary.sigma**2, 0.633333, atol=5e-7)
    assert_allclose([summary.r2, summary.adjusted_r2], [0.81, 0.746667], atol=5e-7)
    assert_allclose(summary.t, [1.557510, 3.576237], atol=5e-7)
    assert_allclose(summary.f, 12.789474, atol=5e-7)
    assert_allclose(summary.f, summary.t[1] ** 2, rtol=1e-12)
    assert_allclose(summary.f_p, summary.p[1], rtol=1e-12)
    assert summary.dof == 3


# --- properties -----------------------------------------------------------------------------------------------

seeds = st.integers(0, 10**6)


@given(seeds, st.integers(1, 6))
@settings(max_examples=40, deadline=None)
def test_residual_is_orthogonal_to_every_column(seed, d):
    X, y = random_problem(seed, n=20, d=d)
    model = LinearRegression().fit(X, y)
    residual = y - model.predict(X)
    size = np.linalg.norm(X, axis=0) * np.linalg.norm(y)
    assert abs(residual.sum()) <= 1e-10 * np.linalg.norm(y)
    assert np.all(np.abs(X.T @ residual) <= 1e-10 * size)


@given(seeds, st.floats(1e-6, 1e6), st.floats(-1e3, 1e3), st.floats(-100, 100), st.floats(0.01, 100))
@settings(max_examples=40, deadline=None)
def test_scaling_and_shifting_data_moves_the_solution_with_them(seed, scale, shift, up, stretch):
    X, y = random_problem(seed, n=20, d=3)
    first = LinearRegression().fit(X, y)
    moved = X * [1, scale, 1] + [shift, 0, 0]
    second = LinearRegression().fit(moved, stretch * y + up)
    w = stretch * first.w_ / [1, scale, 1]
    assert_allclose(second.w_, w, rtol=1e-6, atol=1e-8 * np.abs(w).max() / max(scale, 1))
    assert_allclose(second.predict(moved), stretch * first.predict(X) + up, rtol=1e-6, atol=1e-6)


@given(seeds)
@settings(max_examples=30, deadline=None)
def test_no_other_weights_have_a_smaller_error(seed):
    X, y = random_problem(seed, n=15, d=3)
    model = LinearRegression().fit(X, y)
    nudge = np.random.default_rng(seed).normal(size=4) * 1e-2
    assert np.sum((X @ (model.w_ + nudge[1:]) + model.b_ + nudge[0] - y) ** 2) > model.rss_


@given(seeds)
@settings(max_examples=30, deadline=None)
def test_fit_line_equals_linear_regression(seed):
    X, y = random_problem(seed, n=12, d=1)
    line, model = fit_line(X[:, 0], y), LinearRegression().fit(X, y)
    assert_allclose(line, (model.b_, model.w_[0]), rtol=1e-7, atol=1e-7)


@given(seeds, st.sampled_from([None, 5]))
@settings(max_examples=15, deadline=None)
def test_lms_with_a_small_rate_converges_to_least_squares(seed, batch_size):
    rng = np.random.default_rng(seed)
    X = standardize(rng.normal(size=(20, 2)) @ [[1, 0.5], [0, 1]])
    y = 1 + X @ [2, -1] + (rng.normal(size=20) if batch_size is None else 0)  # batches settle only without noise
    rate = 0.5 * max_stable_rate(X) if batch_size is None else 0.1
    model = LMSRegressor(learning_rate=rate, batch_size=batch_size, epochs=3000, tol=1e-9).fit(X, y)
    exact = LinearRegression().fit(X, y)
    assert model.converged_
    assert_allclose(model.w_, exact.w_, atol=1e-6)
    assert_allclose(model.b_, exact.b_, atol=1e-6)


@given(seeds)
@settings(max_examples=20, deadline=None)
def test_batch_descent_never_raises_the_loss_below_the_stable_rate(seed):
    X, y = random_problem(seed, n=15, d=2)
    model = LMSRegressor(learning_rate=0.99 * max_stable_rate(X), epochs=50, tol=0).fit(X, y)
    assert np.all(np.diff(model.losses_) <= 1e-9 * model.losses_[:-1])


# --- LMS ------------------------------------------------------------------------------------------------------


def test_lms_history_replays_the_run():
    X, y = random_problem(5, n=10, d=2)
    model = LMSRegressor(learning_rate=1e-3, epochs=3, batch_size=4, tol=0, rng=7).fit(X, y)
    assert model.n_iter_ == 9
    assert len(model.history_) == 10
    assert len(model.losses_) == 4
    assert [step.epoch for step in model.history_] == [0, 1, 1, 1, 2, 2, 2, 3, 3, 3]
    assert model.history_[0].batch is None
    assert_array_equal(model.history_[0].w, [0, 0])
    assert sorted(np.concatenate([step.batch for step in model.history_[1:4]])) == list(range(10))
    for before, after in zip(model.history_, model.history_[1:]):
        error = X[after.batch] @ before.w + before.b - y[after.batch]
        assert_allclose(after.w, before.w - 1e-3 * np.mean(error[:, None] * X[after.batch], axis=0), rtol=1e-9)
        assert_allclose(after.b, before.b - 1e-3 * error.mean(), rtol=1e-9)
    for epoch, loss in enumerate(model.losses_):
        step = model.history_[3 * epoch]
        assert_allclose(loss, 0.5 * np.mean((X @ step.w + step.b - y) ** 2))
    assert_array_equal(model.w_, model.history_[-1].w)
    again = LMSRegressor(learning_rate=1e-3, epochs=3, batch_size=4, tol=0, rng=7).fit(X, y)
    assert_array_equal(again.w_, model.w_)
    other = LMSRegressor(learning_rate=1e-3, epochs=3, batch_size=4, tol=0, rng=8).fit(X, y)
    assert np.any(other.w_ != model.w_)


def test_lms_step_is_minus_the_numerical_gradient():
    X, y = random_problem(6, n=9, d=2)
    step = LMSRegressor(learning_rate=1e-3, epochs=1, tol=0).fit(X, y).history_[1]

    def loss(theta):
        return 0.5 * np.mean((X @ theta[1:] + theta[0] - y) ** 2)

    gradient = [(loss(h) - loss(-h)) / 2e-4 for h in 1e-4 * np.eye(3)]
    assert_allclose([step.b, *step.w], -1e-3 * np.array(gradient), rtol=1e-6)


@pytest.mark.parametrize("batch_size", [None, 1, 7])
@pytest.mark.parametrize("rate", [5.0, 1e300])
def test_lms_stops_at_once_on_divergence(batch_size, rate):
    X, y = random_problem(2, n=30, d=2)
    with pytest.warns(ConvergenceWarning, match=r"2/lambda_max, is " + f"{max_stable_rate(X):.4g}"):
        model = LMSRegressor(learning_rate=rate, batch_size=batch_size).fit(X, y)
    assert not model.converged_
    assert model.n_iter_ < 60
    assert all(np.isfinite(step.w).all() and np.isfinite(step.b) for step in model.history_)
    assert np.isfinite(model.predict(X)).all()


@pytest.mark.parametrize(("factor", "stable"), [(0.99, True), (1.01, False)])
def test_max_stable_rate_is_the_border_of_divergence(factor, stable):
    X, y = random_problem(9, n=30, d=2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = LMSRegressor(learning_rate=factor * max_stable_rate(X), epochs=3000).fit(X, y)
    assert (model.losses_[-1] < model.losses_[0]) == stable
    assert_allclose(max_stable_rate(X), 2 * len(X) / np.linalg.norm(design_matrix(X), 2) ** 2, rtol=1e-10)


def test_lms_says_when_it_ran_out_of_epochs():
    X, y = random_problem(9, n=30, d=2)
    with pytest.warns(ConvergenceWarning, match="after 2 epochs"):
        model = LMSRegressor(learning_rate=1e-4, epochs=2).fit(X, y)
    assert not model.converged_
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        LMSRegressor(learning_rate=1e-4, epochs=2, tol=0).fit(X, y)


def test_lms_has_nothing_to_do_for_zero_targets():
    model = LMSRegressor().fit([[1.0], [2.0]], [0, 0])
    assert (model.n_iter_, model.converged_, len(model.history_)) == (0, True, 1)


# --- basis functions, scaling, likelihood ---------------------------------------------------------------------


def test_basis_functions_by_their_formulas():
    x, c = np.array([-3.0, 0.2, 1.7]), np.array([-1.0, 0.5])
    assert_allclose(polynomial_features(x, 4), np.vander(x, 5, increasing=True), rtol=1e-14)
    assert_array_equal(polynomial_features(x, 4, bias=False), polynomial_features(x, 4)[:, 1:])
    for i, j in np.ndindex(3, 2):
        a = (x[i] - c[j]) / 0.7
        assert gaussian_features(x, c, 0.7)[i, j] == pytest.approx(np.exp(-(a**2) / 2))
        assert sigmoid_features(x, c, 0.7)[i, j] == pytest.approx(1 / (1 + np.exp(-a)))
        assert tanh_features(x, c, 0.7)[i, j] == pytest.approx(np.tanh(a))
    assert_array_equal(sigmoid_features([-1e6, 1e6], [0], 1e-3), [[0], [1]])
    assert_allclose(tanh_features(x, c, 0.7), 2 * sigmoid_features(x, c, 0.35) - 1)


@pytest.mark.parametrize("scale", [standardize, min_max_scale, unit_scale])
def test_scaling_uses_the_numbers_of_like(scale):
    rng = np.random.default_rng(1)
    train, test = rng.normal([3, -2], [5, 0.1], (20, 2)), rng.normal(size=(4, 2))
    both = scale(np.vstack([train, test]), like=train)
    assert_allclose(both[:20], scale(train), rtol=1e-12)
    assert_allclose(both[20:], scale(test, like=train), rtol=1e-12)
    assert np.abs(scale(test, like=train) - scale(test)).max() > 0.1
    assert_allclose(scale(train[:, 0]), scale(train)[:, 0], rtol=1e-12)


def test_scaled_columns_have_the_promised_statistics():
    X, _ = random_problem()
    assert_allclose(standardize(X).mean(axis=0), 0, atol=1e-12)
    assert_allclose(standardize(X).std(axis=0, ddof=1), 1)
    assert_allclose(min_max_scale(X).min(axis=0), 0, atol=1e-15)
    assert_allclose(min_max_scale(X).max(axis=0), 1)
    assert_allclose(np.sum(unit_scale(X) ** 2, axis=0), 1)


def test_log_likelihood_is_the_sum_of_log_densities():
    from scipy.stats import norm

    _, y = random_problem()
    predicted = y + np.random.default_rng(3).normal(0, 2, len(y))
    assert_allclose(log_likelihood(y, predicted, 1.7), norm.logpdf(y, predicted, 1.7).sum(), rtol=1e-12)
    best = np.sqrt(np.mean((y - predicted) ** 2))  # (4.13)
    assert log_likelihood(y, predicted, best) > max(log_likelihood(y, predicted, s * best) for s in (0.97, 1.03))


# --- bad input ------------------------------------------------------------------------------------------------

X3, y3 = [[1.0], [2], [4]], [1.0, 2, 3]
BAD = [
    (lambda: LinearRegression().fit([1, 2, 3], y3), r"X must have shape \(n, d\); got \(3,\). Use X\[:, None\]"),
    (lambda: LinearRegression().fit(X3, [1, 2]), "per row of X: 3 rows, but y has 2"),
    (lambda: LinearRegression().fit(X3, np.zeros((3, 1, 1))), r"y must have shape \(n,\) or \(n, k\)"),
    (lambda: LinearRegression().fit([[1], [np.nan], [2]], y3), r"X\[1, 0\] is nan"),
    (lambda: LinearRegression().fit(X3, [1, np.inf, 2]), r"y\[1\] is inf"),
    (lambda: LinearRegression().fit(np.empty((0, 2)), []), "X is empty"),
    (lambda: LinearRegression().fit(X3, y3).predict([[1, 2]]), "X must have 1 features, as in fit; got 2"),
    (lambda: LinearRegression().fit(X3[:2], y3[:2]).summary(), "2 samples and 2 parameters .* leaves 0 degrees"),
    (lambda: LinearRegression().fit(np.repeat(x5[:, None], 2, 1), t5).summary(), "2 features have rank 1"),
    (lambda: LinearRegression().fit(X3, [7, 7, 7]).summary(), "y is constant"),
    (
        lambda: LinearRegression().fit(X3, [y3, y3, y3]).summary(),
        "one target in a vector; this model has 3 in a matrix",
    ),
    (lambda: LinearRegression().fit(X3, np.array(y3)[:, None]).summary(), r"y has shape \(n, 1\): fit y.ravel"),
    (lambda: LinearRegression().fit(X3, y3).summary(5), r"a list with one name per feature \(1\); got 5"),
    (lambda: LinearRegression().fit(X3, y3).summary("x"), "a list with one name per feature .* got 'x'"),
    (lambda: LinearRegression().fit(X3, np.array(y3) * 1e200), "y spreads over 1e.200 .* Change the unit of y"),
    (lambda: LinearRegression().fit(X3, np.array(y3) * 1e-200), "y spreads over 1e-200"),
    (lambda: LMSRegressor().fit(X3, np.array(y3) * 1e200), "overflows before the first step"),
    (lambda: fit_line(np.array(y3) * 1e-200, np.array(y3) * 1e200), "slope is too large"),
    (lambda: LinearRegression().fit(X3, y3).summary(["a", "b"]), "1 are needed, got 2"),
    (lambda: fit_line([2, 2, 2], y3), "at least two different values .* all are 2"),
    (lambda: fit_line([1, 2], y3), "per row of x: 2 rows, but y has 3"),
    (lambda: fit_line([[1], [2], [4]], y3), r"x must have shape \(n,\); got \(3, 1\). Use x.ravel\(\)"),
    (lambda: normal_equations([[1, 2], [2, 4], [3, 6]], y3), "2 columns of Phi are dependent, .* numerical rank 1"),
    (lambda: least_squares([[1, 2]], [1, 2]), "per row of Phi: 1 rows, but t has 2"),
    (lambda: LMSRegressor(learning_rate=0).fit(X3, y3), "learning_rate must be greater than 0; got 0"),
    (lambda: LMSRegressor(epochs=0).fit(X3, y3), "epochs must be at least 1; got 0"),
    (lambda: LMSRegressor(epochs=2.5).fit(X3, y3), "epochs must be a whole number; got 2.5"),
    (lambda: LMSRegressor(batch_size=4).fit(X3, y3), r"batch_size must be at most 3 \(the number of samples\); got 4"),
    (lambda: LMSRegressor(tol=-1).fit(X3, y3), "tol must be at least 0; got -1"),
    (lambda: LMSRegressor(rng="x").fit(X3, y3), "rng must be a non-negative integer seed"),
    (lambda: LMSRegressor().fit(X3, [[1], [2], [3]]), r"y must have shape \(n,\); got \(3, 1\)"),
    (lambda: polynomial_features(y3, -1), "degree must be at least 0; got -1"),
    (lambda: polynomial_features(y3, 0, bias=False), "degree must be at least 1; got 0"),
    (lambda: polynomial_features(X3, 2), r"x must have shape \(n,\)"),
    (lambda: gaussian_features(y3, [0], 0), "width must be greater than 0; got 0"),
    (lambda: sigmoid_features(y3, [], 1), "centers is empty"),
    (lambda: piecewise_features(y3, [0, 2, 1]), r"increasing numbers; got \[0.0, 2.0, 1.0\]"),
    (lambda: piecewise_features(y3, [0]), "at least two increasing numbers"),
    (lambda: standardize([[1, 5], [2, 5]]), "column 1 is constant, so its standard deviation is 0"),
    (lambda: min_max_scale([[5, 1], [5, 2]]), "column 0 is constant, so max - min is 0"),
    (lambda: min_max_scale([5, 5]), "the feature is constant"),
    (lambda: unit_scale([[1, 0], [2, 0]]), "column 1 is zero throughout"),
    (lambda: standardize([[1, 2]], like=[[1], [2]]), "like must have the columns of X"),
    (lambda: standardize([1, 2], ddof=2), "ddof must be at most 1; got 2"),
    (lambda: standardize(np.zeros((2, 2, 2))), r"X must have shape \(n, d\), or \(n,\)"),
    (lambda: log_likelihood(y3, y3, 0), "sigma must be greater than 0; got 0"),
    (lambda: log_likelihood(y3, [1, 2], 1), "per row of y: 3 rows, but predicted has 2"),
    (lambda: max_stable_rate([1, 2]), r"X must have shape \(n, d\)"),
]


@pytest.mark.parametrize(("call", "message"), BAD, ids=[message[:40] for _, message in BAD])
def test_bad_input_is_answered_in_words(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize("call", [
    lambda: LinearRegression().predict(X3), lambda: LinearRegression().summary(), lambda: LMSRegressor().predict(X3),
])  # fmt: skip
def test_asking_before_fit(call):
    with pytest.raises(NotFittedError, match="call fit"):
        call()


def test_inputs_are_left_alone():
    X, y = random_problem()
    kept = X.copy(), y.copy()
    LinearRegression().fit(X, y).summary()
    LMSRegressor(learning_rate=1e-4, epochs=2, tol=0).fit(X, y)
    standardize(X)
    assert_array_equal(X, kept[0])
    assert_array_equal(y, kept[1])


def test_import_loads_nothing_heavy():
    code = "import sys, mlteach.linear_regression; print({'scipy', 'matplotlib', 'ipywidgets'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "set()"


# --- errata of the sources: the printed form fails, the right one holds ---------------------------------------


def test_erratum_s0_e60():
    """Degree M has M + 1 basis functions with phi_0(x) = 1; M columns cannot hold the cubic of W23."""
    x, t = noisy_sine()
    assert polynomial_features(x, 3).shape == (10, 4)
    assert_array_equal(polynomial_features(x, 3)[:, 0], 1)
    right, printed = (least_squares(polynomial_features(x, 3)[:, :m], t).residual for m in (4, 3))
    assert 0.5 * right @ right == pytest.approx(0.266778, abs=5e-7)
    assert 0.5 * printed @ printed > 1


def test_erratum_s0_e61():
    """The log-likelihood has ln(2 pi / beta), not ln(2 p / beta)."""
    from scipy.stats import norm

    x, t = noisy_sine()
    fit = least_squares(polynomial_features(x, 3), t)
    sse, beta, N = 0.5 * fit.residual @ fit.residual, 2.0, 10
    direct = norm.logpdf(fit.residual, 0, beta**-0.5).sum()
    printed = -beta * sse - N / 2 * np.log(2 * 1 / beta)  # p read as 1
    assert direct == pytest.approx(-6.257205, abs=5e-7)
    assert log_likelihood(t, t - fit.residual, beta**-0.5) == pytest.approx(direct)
    assert printed == pytest.approx(-0.533556, abs=5e-7)


def test_erratum_s1_e16():
    """Gradient descent reaches the minimiser only for 0 < rate < 2 / lambda_max."""
    X, y = random_problem(3, d=2)
    X = standardize(X)
    exact = LinearRegression().fit(X, y)
    limit = max_stable_rate(X)
    right = LMSRegressor(learning_rate=0.95 * limit, epochs=400, tol=0).fit(X, y)
    assert_allclose(right.w_, exact.w_, atol=1e-6)
    with pytest.warns(ConvergenceWarning, match="diverges"):
        printed = LMSRegressor(learning_rate=1.05 * limit, epochs=400).fit(X, y)
    assert np.abs(printed.w_ - exact.w_).max() > 1e3


def test_erratum_s1_e17():
    """The gradient is the column X'X theta - X'y; a row for X'y broadcasts to a matrix without a word."""
    X, y = random_problem(3, n=8, d=2)
    Phi, theta = design_matrix(X), np.array([[0.5], [1.0], [-2.0]])
    right = Phi.T @ Phi @ theta - Phi.T @ y[:, None]
    printed = Phi.T @ Phi @ theta - y[None, :] @ Phi
    assert printed.shape == (3, 3)
    assert right.shape == theta.shape

    def loss(theta):
        return 0.5 * np.sum((Phi @ theta - y[:, None]) ** 2)

    steps = 1e-4 * np.eye(3)[:, :, None]
    assert_allclose(right[:, 0], [(loss(theta + h) - loss(theta - h)) / 2e-4 for h in steps], rtol=1e-6)
    with pytest.raises(ValueError, match="numerical rank 2"):  # and the inverse needs independent columns
        normal_equations(np.column_stack([Phi[:, :2], Phi[:, 1]]), y)


def test_erratum_s1_e18():
    """The matrix to solve with is (n+1) x (n+1), whatever the number m of samples; the m x m one is singular."""
    X, y = random_problem(4, n=20, d=2)
    Phi = design_matrix(X)
    assert (Phi.T @ Phi).shape == (3, 3)
    assert np.linalg.matrix_rank(Phi.T @ Phi) == 3
    assert (Phi @ Phi.T).shape == (20, 20)
    assert np.linalg.matrix_rank(Phi @ Phi.T) == 3
    big = np.random.default_rng(0).normal(size=(200_000, 10))
    assert_allclose(normal_equations(big, big @ np.arange(10.0)), np.arange(10.0), atol=1e-10)


def test_erratum_s1_e20():
    """The normaliser counts once per sample: without the factor m the best sigma^2 is RSS, not RSS/m."""
    rng = np.random.default_rng(6)
    x = rng.uniform(0, 3, 200)
    y = 1 + 2 * x + rng.normal(0, 0.5, 200)
    fitted = fit_line(x, y).predict(x)
    rss, sigma = np.sum((y - fitted) ** 2), np.linspace(0.1, 12, 5000)
    printed = np.log(1 / (np.sqrt(2 * np.pi) * sigma)) - rss / (2 * sigma**2)
    right = [log_likelihood(y, fitted, s) for s in sigma]
    assert sigma[np.argmax(printed)] == pytest.approx(np.sqrt(rss), abs=0.003)
    assert sigma[np.argmax(right)] == pytest.approx(np.sqrt(rss / 200), abs=0.003)
    assert abs(sigma[np.argmax(right)] - 0.5) < 0.1 < 5 < sigma[np.argmax(printed)]


@pytest.mark.parametrize("sigma", [0.1, 1.0, 7.0])
def test_erratum_s1_e21(sigma):
    """sigma = 1 is not needed: for every sigma least squares maximises the likelihood."""
    X, y = random_problem(7, n=30, d=1)
    best = fit_line(X[:, 0], y)
    top = log_likelihood(y, best.predict(X[:, 0]), sigma)
    # With the noise made part of h, as printed, nothing is left to maximise: every miss is 0 for every line
    for line in (best, best._replace(w1=best.w1 + 1)):
        noise = y - line.predict(X[:, 0])
        assert log_likelihood(y, line.predict(X[:, 0]) + noise, sigma) == pytest.approx(log_likelihood(y, y, sigma))
    for dw0, dw1 in [(0.01, 0), (-0.01, 0), (0, 0.01), (0, -0.01)]:
        assert log_likelihood(y, best._replace(w0=best.w0 + dw0, w1=best.w1 + dw1).predict(X[:, 0]), sigma) < top


@pytest.mark.parametrize(("eta", "printed_mass"), [(1.0, 0.6065), (2.0, 0.1353)])
def test_erratum_s1_e23(eta, printed_mass):
    """The Gaussian's log-partition is eta^2/2; with eta^2 the density does not integrate to one."""
    y = np.linspace(-12, 16, 20001)
    base = np.exp(-(y**2) / 2) / np.sqrt(2 * np.pi)
    right, printed = (np.trapezoid(base * np.exp(eta * y - a), y) for a in (eta**2 / 2, eta**2))
    assert right == pytest.approx(1, abs=1e-9)
    assert printed == pytest.approx(printed_mass, abs=5e-5)


def test_erratum_s2_e2_02():
    """A row of the data matrix starts with the dummy 1; without it the line is forced through the origin."""
    printed, right = least_squares(x5[:, None], t5), least_squares(design_matrix(x5[:, None]), t5)
    assert printed.w[0] == pytest.approx(1.254545, abs=5e-7)
    assert printed.residual @ printed.residual == pytest.approx(3.436364, abs=5e-7)
    assert_allclose(right.w, [1.3, 0.9])
    assert right.residual @ right.residual == pytest.approx(1.9)


def test_erratum_s2_e2_06():
    """B bins on each of d axes make B^d cells, not B d; indicators per axis alone cannot fit XOR."""
    corners = np.array([[0.5, 0.5], [0.5, 1.5], [1.5, 0.5], [1.5, 1.5]])
    xor = np.array([0.0, 1, 1, 0])
    first, second = (piecewise_features(corners[:, axis], [0, 1, 2]) for axis in (0, 1))
    per_axis = np.column_stack([first, second])
    cells = np.einsum("ni,nj->nij", first, second).reshape(4, -1)
    assert (per_axis.shape[1], cells.shape[1]) == (2 * 2, 2**2)
    assert np.sum(least_squares(per_axis, xor).residual ** 2) == pytest.approx(1.0)
    assert np.sum(least_squares(cells, xor).residual ** 2) == pytest.approx(0.0, abs=1e-20)
    assert (5 * 10, 5**10) == (50, 9_765_625)


def test_erratum_s2_e2_22():
    """Convex is not strictly convex: with dependent columns there are many minima and no inverse of X'X."""
    x, y = np.array([1.0, 2, 3, 5]), np.array([2.0, 1, 4, 6])
    X = np.column_stack([x, x])
    fits = [w * np.array((x @ y) / (x @ x)) for w in np.array([[1.0, 0], [0, 1], [5, -4]])]
    losses = [np.sum((X @ w - y) ** 2) for w in fits]
    assert_allclose(losses, losses[0])
    with pytest.raises(ValueError, match="dependent"):
        normal_equations(X, y)
    shortest = least_squares(X, y)
    assert_allclose(shortest.w, np.linalg.pinv(X) @ y)
    assert np.sum(shortest.residual**2) == pytest.approx(losses[0])
    assert np.linalg.norm(shortest.w) < min(map(np.linalg.norm, fits))


def test_erratum_s2_e2_24():
    """The stable rate of a summed loss shrinks with N; that of the mean does not."""

    def descend(X, t, rate, steps=200):
        Phi, w = design_matrix(X), np.zeros(2)
        for _ in range(steps):
            w = w - rate * Phi.T @ (Phi @ w - t)
        return w

    X, twice, t = x5[:, None], np.tile(x5, 2)[:, None], np.tile(t5, 2)
    limit = max_stable_rate(X) / 5  # of the sum over five samples
    assert limit == pytest.approx(0.033810, abs=5e-7)
    assert max_stable_rate(twice) / 10 == pytest.approx(limit / 2)
    assert np.abs(descend(X, t5, 0.03)).max() < 5
    assert np.abs(descend(twice, t, 0.03)).max() > 1e70
    assert max_stable_rate(twice) == pytest.approx(max_stable_rate(X))
    one = LMSRegressor(learning_rate=0.15, epochs=200, tol=0).fit(X, t5)
    two = LMSRegressor(learning_rate=0.15, epochs=200, tol=0).fit(twice, t)
    assert_allclose(two.w_, one.w_)


def test_erratum_s3_e3_02():
    """A generative model p(x,t) yields the discriminative p(t|x); the printed names would need the reverse."""
    joint = np.array([[0.4, 0.1], [0.2, 0.3]])  # rows x, columns t
    conditional = joint / joint.sum(axis=1, keepdims=True)
    assert_allclose(conditional[:, 1], [0.2, 0.6])
    other = conditional * [[0.9], [0.1]]  # another p(x) with the same p(t|x)
    assert_allclose(other / other.sum(axis=1, keepdims=True), conditional)
    assert np.abs(other - joint).max() > 0.2  # so p(t|x) does not determine p(x,t)
    assert_allclose(joint.sum(axis=1), [0.5, 0.5])
    expectation, marginal = conditional @ [0, 1], joint.sum(axis=0)[1]  # E[t|x] depends on x, a marginal does not
    assert expectation[0] < marginal < expectation[1]


def test_erratum_s3_e3_03():
    """Half the sum of squares is not the RSS, and the model is w.phi(x), not phi(x)."""
    rss = LinearRegression().fit(x5[:, None], t5).rss_
    Phi = polynomial_features(x5, 1)
    w = least_squares(Phi, t5).w
    half = 0.5 * np.sum((Phi @ w - t5) ** 2)
    assert (rss, half) == (pytest.approx(1.9), pytest.approx(0.95))
    # As the model is printed, without w, there is one prediction per basis function, and none of them is good
    printed = np.sum((Phi - t5[:, None]) ** 2, axis=0)
    assert printed.shape == (2,)
    assert printed.min() > 2 * rss


def test_erratum_s3_e3_04():
    """A batch update averages over its K samples; 1/K of a single one is K times too slow."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=200)
    t = 1 + 2 * x + 0.1 * rng.normal(size=200)
    right = LMSRegressor(learning_rate=0.1, epochs=20, batch_size=20, tol=0).fit(x[:, None], t)
    assert right.n_iter_ == 200
    assert_allclose([right.b_, right.w_[0]], [1, 2], atol=0.03)
    w, Phi = np.zeros(2), design_matrix(x[:, None])
    for step in right.history_[1:]:
        n = step.batch[0]
        w = w - 0.1 / 20 * (Phi[n] @ w - t[n]) * Phi[n]
    assert np.all(w < [0.8, 1.6])


def test_erratum_s3_e3_05():
    """BMI 21, 23, 20 are truncated and rounded; the fit they give flatters."""
    assert_allclose(BMI.round(), [22, 24, 20])
    right, printed = (LinearRegression().fit(np.array(bmi)[:, None], TIME).summary() for bmi in (BMI, [21.0, 23, 20]))
    assert right.r2 == pytest.approx(0.914047, abs=5e-7)
    assert printed.r2 == pytest.approx(0.979592, abs=5e-7)
    assert_allclose(printed.coef, [-175.714286, 17.142857], atol=5e-6)
    assert printed.f == pytest.approx(48)


def test_erratum_s3_e3_08():
    """With M parameters, intercept included, N - M makes adjusted R2 unbiased on noise; N - M - 1 does not."""
    rng = np.random.default_rng(11)
    X, T = rng.normal(size=(12, 2)), rng.normal(size=(12, 20_000))
    N, M = 12, 3
    tss = np.sum((T - T.mean(axis=0)) ** 2, axis=0)
    ratio = LinearRegression().fit(X, T).rss_ / tss * (N - 1)
    assert abs(np.mean(1 - ratio / (N - M))) < 0.006
    assert np.mean(1 - ratio / (N - M - 1)) == pytest.approx(-0.125, abs=0.006)
    summary = LinearRegression().fit(X, T[:, 0]).summary()
    assert summary.adjusted_r2 == pytest.approx(1 - ratio[0] / (N - M))


def test_erratum_s3_e3_38():
    """w0 itself is the bias: the output at x = 0 is +w0, not -w0."""
    line = fit_line([1.0, 2, 4], 2 + 3 * np.array([1.0, 2, 4]))
    assert line.predict([0.0])[0] == pytest.approx(2)
    assert line.predict([0.0])[0] != pytest.approx(-line.w0)
    model = LinearRegression().fit([[1.0], [2], [4]], [5.0, 8, 14])
    assert model.predict([[0.0]])[0] == pytest.approx(model.b_) == pytest.approx(2)


def test_erratum_s3_e3_39():
    """The system to solve is M x M: a million samples with three columns need a 3 x 3 solve."""
    rng = np.random.default_rng(2)
    Phi = design_matrix(rng.normal(size=(1_000_000, 2)))
    assert (Phi.T @ Phi).shape == (3, 3)
    assert_allclose(normal_equations(Phi, Phi @ [1.0, 2, 3]), [1, 2, 3], atol=1e-10)
    # A matrix as large as this data set would take 8 terabytes; and for 40 samples it has no inverse
    assert 8 * len(Phi) ** 2 == 8_000_000_000_000
    few = Phi[:40]
    assert np.linalg.matrix_rank(few @ few.T) == 3 < 40


def test_erratum_s3_e3_40():
    """The z-score is no remedy for outliers: its mean and S move with them; median and IQR do not."""
    values = np.array([1.0, 2, 3, 4, 5, 6, 7, 8, 9, 1000])
    low, middle, high = np.percentile(values, [25, 50, 75])
    robust = (values - middle) / (high - low)
    spans = [np.ptp(z[:9]) for z in (standardize(values), min_max_scale(values), robust)]
    assert_allclose(spans, [0.0254, 0.0080, 1.7778], atol=5e-5)
    clean = standardize(values[:9])
    assert np.ptp(clean) > 100 * spans[0]


def test_erratum_s3_e3_41():
    """R2 = 0 means as good as the mean; worse than the mean is negative."""
    t = np.array([1.0, 2, 3])

    def r2(predicted):
        return 1 - np.sum((t - predicted) ** 2) / np.sum((t - t.mean()) ** 2)

    assert r2(np.full(3, t.mean())) == 0
    assert r2(np.array([3.0, 2, 1])) == -3
    noise = LinearRegression().fit([[0.0], [2], [1]], t).summary()
    assert noise.r2 >= 0  # on the training set, with an intercept, it cannot be worse


def test_erratum_s3_e3_42():
    """The F-test's null leaves the intercept free: a large mean does not make the inputs matter."""
    rng = np.random.default_rng(12)
    X, t = rng.normal(size=(30, 2)), 100 + rng.normal(size=30)
    summary = LinearRegression().fit(X, t).summary()
    assert summary.f_p > 0.05
    assert summary.t[0] > 300
    Phi = design_matrix(X)
    rss = np.sum(least_squares(Phi, t).residual ** 2)
    printed = (t @ t - rss) / 3 / (rss / 27)  # null: all weights zero, the intercept too
    assert printed > 1e4
    # v_j comes from the design matrix that was fitted, here with basis functions
    x = rng.uniform(-1, 1, 30)
    basis = polynomial_features(x, 2, bias=False)
    stderr = LinearRegression().fit(basis, t).summary().stderr
    right, wrong = (np.linalg.inv(A.T @ A) for A in (design_matrix(basis), design_matrix(x[:, None])))
    sigma = LinearRegression().fit(basis, t).summary().sigma
    assert_allclose(stderr, sigma * np.sqrt(np.diag(right)), rtol=1e-9)
    assert abs(stderr[0] - sigma * np.sqrt(wrong[0, 0])) > 0.1 * stderr[0]


def test_erratum_s4_f25():
    """W is M x K and W' is K x M; the targets form a matrix T, one column per output."""
    rng = np.random.default_rng(20)
    Phi, T = design_matrix(rng.normal(size=(50, 3))), rng.normal(size=(50, 2))
    W = least_squares(Phi, T).w
    assert W.shape == (4, 2)
    assert (W.T @ Phi[0]).shape == (2,)
    with pytest.raises(ValueError, match="matmul"):
        W @ Phi[0]  # W' printed as M x K
    assert least_squares(Phi, T[:, 0]).w.shape == (4,)  # a vector t gives one output only


def test_solve_least_squares_checks_its_input():
    """It is public, so it reads lists and refuses what every entry point refuses."""
    A, t = [[1, 0], [1, 1], [1, 2], [1, 3]], [1, 3, 5, 8]
    assert_allclose(solve_least_squares(A, t).w.astype(float), [0.8, 2.3], rtol=1e-14)
    for call, words in [
        (lambda: solve_least_squares([1, 2], t), r"A must have shape \(n, d\)"),
        (lambda: solve_least_squares([[1, np.nan]], [1]), r"A must be finite; A\[0, 1\] is nan"),
        (lambda: solve_least_squares(np.array(A) * np.longdouble("nan"), t), "A must be finite"),
        (lambda: solve_least_squares(A, t[:3]), "one entry per row of A: 4 rows, but t has 3"),
        (lambda: solve_least_squares(A, ["1"] * 4), "t must hold numbers only; got text"),
        (lambda: solve_least_squares(A, t, max_rank=1.5), "max_rank must be a whole number"),
        (lambda: solve_least_squares(A, None), "t is missing"),
    ]:
        with pytest.raises(ValueError, match=words):
            call()


# --- The card's translation to scikit-learn ------------------------------------------------------------------------


def test_card_least_squares_and_features_are_scikit_learns():
    x, t = noisy_sine()
    Z = polynomial_features(x, 3)
    assert_allclose(Z, preprocessing.PolynomialFeatures(3).fit_transform(x[:, None]))
    ours, theirs = LinearRegression().fit(Z[:, 1:], t), linear_model.LinearRegression().fit(Z[:, 1:], t)
    assert_allclose(ours.w_, theirs.coef_, rtol=1e-8)
    assert_allclose(ours.b_, theirs.intercept_, rtol=1e-8)
    scaled = preprocessing.StandardScaler().fit_transform(x[:, None])[:, 0]
    assert_allclose(standardize(x), np.sqrt((len(x) - 1) / len(x)) * scaled)


def test_card_lms_is_scikit_learns_sgd():
    """One sample leaves no choice of order, so every step can be compared."""
    constant = {"penalty": None, "learning_rate": "constant", "tol": None}
    X, t = [[1.5]], [2.0]
    for epochs in (1, 2, 7):
        ours = LMSRegressor(learning_rate=0.05, epochs=epochs, batch_size=1, tol=0).fit(X, t)
        theirs = linear_model.SGDRegressor(eta0=0.05, max_iter=epochs, **constant).fit(X, t)
        assert_allclose(ours.w_, theirs.coef_, rtol=1e-12)
        assert_allclose(ours.b_, theirs.intercept_, rtol=1e-12)


# --- Numbers that the folded answers quote -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scene", "moved", "words"),
    [
        ("LineByHand", {"w0": 2.3, "w1": 0.9}, ["total area 6.90"]),
        ("LineByHand", {"w0": 2.3, "w1": 0.6}, ["total area 2.85"]),
        ("PolynomialDegree", {"degree": 9, "n": 10, "noise": 0.3}, ["test RMS 0.942", "overfits"]),
        ("PolynomialDegree", {"degree": 9, "n": 10, "noise": 0.15}, ["test RMS 0.471"]),
        ("PolynomialDegree", {"degree": 9, "n": 100, "noise": 0.3}, ["test RMS 0.310"]),
        ("PolynomialDegree", {"degree": 1, "n": 100, "noise": 0.3}, ["test RMS 0.528", "underfits"]),
        ("BasisFunctions", {"kind": "Gaussian", "m": 6, "width": 1.0}, ["All parts leave the picture", "cancel"]),
        ("LmsRate", {"rate": 0.4, "size": 20, "n": 60}, ["limit 0.909", "arrives"]),
        ("LmsRate", {"rate": 0.46, "size": 20, "n": 60}, ["overshoots", "lower each time"]),
        ("LmsRate", {"rate": 0.92, "size": 20, "n": 60}, ["diverges"]),
        ("LmsRate", {"rate": 0.2, "size": 1, "n": 60}, ["below 0.40 any batch is safe", "never comes to rest"]),
        ("LmsRate", {"rate": 0.05, "size": 1, "n": 60}, ["comes near and trembles"]),
        ("LmsRate", {"rate": 1.0, "size": 1, "n": 60}, ["does not stay"]),
    ],
)
def test_read_outs_say_what_the_answers_quote(scene, moved, words):
    scene = getattr(scenes, scene)()
    said = scene.describe(scene.compute(**moved)).replace("**", "")
    assert all(part in said for part in words), said


@pytest.mark.parametrize(("rate", "safe"), [(0.39, True), (0.42, False)])
def test_below_the_rate_for_single_samples_no_step_leads_away(rate, safe):
    """On targets without noise a step below 2/max|x|² never leaves the true line farther behind; above it some do."""
    scene = scenes.LmsRate()
    model = LMSRegressor(learning_rate=rate, epochs=5, batch_size=1, tol=0, rng=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        steps = model.fit(scene.x[:, None], 0.6 + 1.4 * scene.x).history_
    far = [np.hypot(step.b - 0.6, step.w[0] - 1.4) for step in steps]
    assert (np.diff(far).max() <= 1e-12) == safe

"""Kernels against explicit feature maps, textbook numbers and scikit-learn."""

import copy
import pickle
from collections import Counter
from itertools import combinations

import numpy as np
import pytest
import sklearn.kernel_ridge
from explorers import made
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import pairwise

from mlteach import datasets
from mlteach.datasets import noisy_sine, rings
from mlteach.explore.kernels import _best_level
from mlteach.kernels import (
    Kernel,
    KernelPerceptron,
    KernelRidge,
    dual_ridge,
    exp_kernel,
    generative_kernel,
    is_positive_semidefinite,
    linear_kernel,
    mapped_kernel,
    matrix_kernel,
    normalized_kernel,
    part_kernel,
    polynomial_kernel,
    primal_ridge,
    rbf_kernel,
    ridge_costs,
    series_kernel,
    set_kernel,
    sigmoid_kernel,
    stored,
    substring_kernel,
    weighted_kernel,
)
from mlteach.linear_classification import OneVsRest, Perceptron
from mlteach.regularization import Ridge
from mlteach.runs import read_columns
from mlteach.validation import ConvergenceWarning

rng = np.random.default_rng(15)
X = rng.normal(size=(12, 3)) * (1.0, 2.5, 0.4) + (3.0, -1.0, 0.2)
Y = rng.normal(size=(7, 3)) * (0.7, 1.5, 2.0)
KERNELS = [linear_kernel, polynomial_kernel(3, 0.3, 0.7), rbf_kernel(0.35), sigmoid_kernel(0.1, -0.3)]


def test_against_sklearn():
    np.testing.assert_allclose(linear_kernel(X, Y), pairwise.linear_kernel(X, Y))
    np.testing.assert_allclose(
        polynomial_kernel(3, 0.3, 0.7)(X, Y), pairwise.polynomial_kernel(X, Y, degree=3, gamma=0.3, coef0=0.7)
    )
    np.testing.assert_allclose(rbf_kernel(0.35)(X, Y), pairwise.rbf_kernel(X, Y, gamma=0.35))
    np.testing.assert_allclose(sigmoid_kernel(0.1, -0.3)(X, Y), pairwise.sigmoid_kernel(X, Y, gamma=0.1, coef0=-0.3))


def test_polynomial_kernel_is_the_six_feature_map():
    """W24: (x.z + 1)^2 = phi(x).phi(z) = 4 at x = (1, 2), z = (3, -1)."""

    def phi(x):
        r = np.sqrt(2)
        return np.array([1, r * x[0], r * x[1], x[0] ** 2, r * x[0] * x[1], x[1] ** 2])

    x, z = np.array([1.0, 2.0]), np.array([3.0, -1.0])
    assert polynomial_kernel(degree=2)([x], [z])[0, 0] == pytest.approx(4, abs=1e-12)
    assert phi(x) @ phi(z) == pytest.approx(4, abs=1e-12)


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
def test_gram_is_symmetric_and_y_defaults_to_x(kernel):
    K = kernel(X)
    np.testing.assert_array_equal(K, K.T)
    np.testing.assert_allclose(K, kernel.gram(X, X.copy()), rtol=1e-12)
    assert kernel(X, Y).shape == (12, 7)
    np.testing.assert_allclose(kernel(X, Y), kernel(Y, X).T)


def test_rbf_survives_a_far_origin():
    far = rbf_kernel(0.5)(X + 1e6, Y + 1e6)
    np.testing.assert_allclose(far, rbf_kernel(0.5)(X, Y), rtol=1e-7)
    assert (rbf_kernel(0.5)(X).diagonal() == 1).all()


def test_rbf_is_one_on_the_diagonal():
    """Far apart, squared distances are rounded at 1e-4; a point has distance 0 from itself all the same."""
    for far in (X * 1e6, (X * 1e6).tolist()):
        assert (rbf_kernel(0.5)(far).diagonal() == 1).all()
        assert (rbf_kernel(0.5)(far, far).diagonal() == 1).all()
        assert (rbf_kernel(0.5).gram(far, far).diagonal() == 1).all()
        assert ((2 * rbf_kernel(0.5))(far, far).diagonal() == 2).all()


def test_a_kernel_needs_a_formula():
    with pytest.raises(NotImplementedError, match="Kernel has no formula: use a kernel such as rbf_kernel"):
        Kernel()(X)


def test_algebra():
    k, l = rbf_kernel(0.35), polynomial_kernel(3, 0.3, 0.7)
    np.testing.assert_allclose((k + l)(X, Y), k(X, Y) + l(X, Y))
    np.testing.assert_allclose((k * l)(X, Y), k(X, Y) * l(X, Y))
    for scaled in (2.5 * k, k * 2.5, np.float64(2.5) * k, k * np.float64(2.5)):
        np.testing.assert_allclose(scaled(X, Y), 2.5 * k(X, Y))
    np.testing.assert_allclose((2 * (k + linear_kernel) * l)(X), 2 * (k(X) + linear_kernel(X)) * l(X))


def test_repr_and_equality():
    assert repr(linear_kernel) == "linear_kernel"
    assert repr(rbf_kernel(2.0)) == "rbf_kernel(beta=2.0)"
    assert repr(2 * (linear_kernel + rbf_kernel(0.5))) == "2 * (linear_kernel + rbf_kernel(beta=0.5))"
    assert repr(rbf_kernel(np.float64(2))) == "rbf_kernel(beta=2.0)"
    assert rbf_kernel(0.5) == rbf_kernel(0.5) != rbf_kernel(0.6)
    assert linear_kernel() is linear_kernel


@given(st.integers(0, 10_000), st.integers(1, 4), st.floats(0.05, 3), st.floats(0, 2))
def test_constructions_stay_positive_semidefinite(seed, degree, beta, gamma):
    points = np.random.default_rng(seed).normal(size=(9, 2)) * (1.3, 0.6)
    kernel = 0.7 * rbf_kernel(beta) * polynomial_kernel(degree, beta, gamma) + linear_kernel
    assert is_positive_semidefinite(kernel(points))


def test_is_positive_semidefinite():
    assert is_positive_semidefinite([[2.0, -1.0], [-1.0, 2.0]])
    assert is_positive_semidefinite([[1.0, 2.0], [2.0, 4.0]])  # singular is allowed
    assert not is_positive_semidefinite([[1.0, 2.0], [2.0, 3.9]])
    assert not is_positive_semidefinite([[1.0, 0.5], [0.4, 1.0]])  # not symmetric
    with pytest.raises(ValueError, match="square"):
        is_positive_semidefinite([[1.0, 2.0]])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: rbf_kernel(0), "beta must be greater than 0; got 0"),
        (lambda: rbf_kernel(np.nan), "beta must be a finite number"),
        (lambda: polynomial_kernel(degree=0), "degree must be at least 1; got 0"),
        (lambda: polynomial_kernel(degree=2.5), "degree must be a whole number; got 2.5"),
        (lambda: polynomial_kernel(beta=-1), "beta must be greater than 0; got -1"),
        (lambda: polynomial_kernel(gamma=-0.1), "gamma must be at least 0; got -0.1"),
        (lambda: sigmoid_kernel(beta="1"), "beta must be a finite number"),
        (lambda: -2 * rbf_kernel(), "factor of a kernel must be greater than 0; got -2"),
        (lambda: rbf_kernel()([1.0, 2.0]), r"X must have shape \(n, d\)"),
        (lambda: rbf_kernel()([[1.0, 2.0]], [[1.0]]), "as many features; X has 2, Y has 1"),
        (lambda: linear_kernel([[np.inf]]), "X must be finite"),
    ],
)
def test_bad_input(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_a_kernel_adds_to_kernels_only():
    with pytest.raises(TypeError):
        rbf_kernel() + 1


# Words, sets and distributions

WORDS = ["cat", "cart", "banana", "bandana", "statistics", "statistician", "", "été", "a"]


def substrings(x, length=None):
    runs = (x[i:j] for i in range(len(x)) for j in range(i + 1, len(x) + 1))
    return Counter(u for u in runs if length is None or len(u) == length)


@pytest.mark.parametrize("length", [None, 1, 2, 3, 7])
def test_substring_kernel_counts_what_brute_force_counts(length):
    k = substring_kernel(length=length)
    counted = [
        [sum(substrings(x, length)[u] * n for u, n in substrings(y, length).items()) for y in WORDS] for x in WORDS
    ]
    np.testing.assert_array_equal(k(WORDS), counted)
    np.testing.assert_array_equal(k(WORDS[:3], WORDS[3:]), np.array(counted)[:3, 3:])


@given(st.text("ab", max_size=9), st.text("ab", max_size=9))
def test_substring_kernel_on_any_words(x, y):
    u, v = substrings(x), substrings(y)
    assert substring_kernel(x, y) == sum(u[s] * v[s] for s in u)
    assert substring_kernel(x, y) == sum(substring_kernel(length=p)(x, y) for p in range(1, 10))


def test_substring_kernel_takes_lists_and_single_words():
    assert substring_kernel("cat", "cart") == 4
    assert substring_kernel(np.array(["cat"]), ("cart", "dog")).tolist() == [[4, 0]]
    assert substring_kernel() == substring_kernel
    assert substring_kernel.gram(["cat"]).tolist() == [[6]]
    assert is_positive_semidefinite(substring_kernel(WORDS))


SETS = [{1, 2, 3}, {3, 4}, set(), {1, 3}, {4, 5, 6, 7}]


def test_set_kernel_counts_common_subsets():
    def subsets(A):
        return {frozenset(U) for n in range(len(A) + 1) for U in combinations(A, n)}

    K = [[len(subsets(A) & subsets(B)) for B in SETS] for A in SETS]
    np.testing.assert_array_equal(set_kernel(SETS), K)
    np.testing.assert_array_equal(set_kernel(SETS[:2], SETS[2:]), np.array(K)[:2, 2:])
    assert set_kernel({1, 2}, {2, 3}) == 2
    assert set_kernel([["b", "a", "b"], ("a",)]).tolist() == [[4, 2], [2, 2]]
    assert set_kernel() is set_kernel


def test_set_kernel_is_an_exponential():
    """2^|A and B| is rule 4 on the kernel that counts common elements, here by their indicator features."""
    indicators = mapped_kernel(lambda A: [float(e in A) for e in range(8)], linear_kernel)
    np.testing.assert_allclose(set_kernel(SETS), exp_kernel(np.log(2) * indicators)(SETS), rtol=1e-12)


def test_words_and_sets_combine():
    k = 0.5 * substring_kernel + mapped_kernel(set, set_kernel) * substring_kernel(length=1)
    x, y = "tact", "cat"
    assert k([x], [y])[0, 0] == 0.5 * substring_kernel(x, y) + 2.0**3 * substring_kernel(length=1)(x, y)
    assert k.points == "strings"
    assert repr(0.5 * substring_kernel + substring_kernel(length=2)) == (
        "0.5 * substring_kernel + substring_kernel(length=2)"
    )
    assert is_positive_semidefinite(k(WORDS))


def test_a_number_is_one_feature():
    for count in (len, lambda x: np.array(len(x)), lambda x: [len(x)]):
        assert mapped_kernel(count, linear_kernel)(["a", "bb"], ["ccc"]).tolist() == [[3], [6]]


def test_generative_kernel():
    def density(x):
        return float(np.exp(-0.5 * x @ x))

    K = generative_kernel(density)(X, Y)
    np.testing.assert_allclose(K, [[density(x) * density(y) for y in Y] for x in X], rtol=1e-12)
    assert np.linalg.matrix_rank(K) == 1

    means, prior = (np.array([1.0, -1.0, 0.3]), np.array([0.5, 0.3, 0.2]))

    def latent(x):
        return np.exp(-0.5 * (x[0] - means) ** 2)

    k = generative_kernel(latent, prior)
    by_hand = [[sum(prior[z] * latent(x)[z] * latent(y)[z] for z in range(3)) for y in Y] for x in X]
    np.testing.assert_allclose(k(X, Y), by_hand, rtol=1e-12)
    assert is_positive_semidefinite(k(X))
    assert generative_kernel(latent, [1, 0, 0])(X)[0, 0] == pytest.approx(latent(X[0])[0] ** 2)


# The ten rules

A = np.array([[2.0, 0.5, 0.0], [0.5, 1.0, -0.3], [0.0, -0.3, 0.2]])
k1, k2 = rbf_kernel(0.35), polynomial_kernel(2, 0.3, 0.7)
RULES = {  # the kernel, and what the rule says for two points
    "1 c k": (3 * k1, lambda x, y: 3 * one(k1, x, y)),
    "2 f k f": (weighted_kernel(np.sum, k1), lambda x, y: x.sum() * one(k1, x, y) * y.sum()),
    "3 q(k)": (series_kernel([1, 0, 0.5], k2), lambda x, y: 1 + 0.5 * one(k2, x, y) ** 2),
    "4 exp k": (exp_kernel(k1), lambda x, y: np.exp(one(k1, x, y))),
    "5 k + k": (k1 + k2, lambda x, y: one(k1, x, y) + one(k2, x, y)),
    "6 k k": (k1 * k2, lambda x, y: one(k1, x, y) * one(k2, x, y)),
    "7 k(phi)": (mapped_kernel(np.sin, k2), lambda x, y: one(k2, np.sin(x), np.sin(y))),
    "8 xAx": (matrix_kernel(A), lambda x, y: x @ A @ y),
    "9 parts +": (
        part_kernel([2, 0], k1) + part_kernel([1], k2),
        lambda x, y: one(k1, x[[2, 0]], y[[2, 0]]) + one(k2, x[[1]], y[[1]]),
    ),
    "10 parts *": (
        part_kernel([2, 0], k1) * part_kernel(1, k2),
        lambda x, y: one(k1, x[[2, 0]], y[[2, 0]]) * one(k2, x[[1]], y[[1]]),
    ),
}


def one(kernel, x, y):
    return kernel([x], [y])[0, 0]


@pytest.mark.parametrize("rule", RULES)
def test_rules_compute_what_they_say(rule):
    kernel, formula = RULES[rule]
    np.testing.assert_allclose(kernel(X, Y), [[formula(x, y) for y in Y] for x in X], rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(kernel(X), kernel(X, X.copy()), rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("rule", RULES)
@settings(max_examples=20)
@given(seed=st.integers(0, 10_000), spread=st.floats(0.1, 2))
def test_rules_make_kernels(rule, seed, spread):
    points = np.random.default_rng(seed).normal(0, spread, size=(11, 3)) + (0.3, 0, -1)
    assert is_positive_semidefinite(RULES[rule][0](points))


def test_what_is_no_rule_makes_no_kernel():
    """A difference, a negative coefficient, a matrix with a negative eigenvalue: some Gram matrix gives each away."""
    assert not is_positive_semidefinite(k1(X) - 0.5 * k2(X))
    assert not is_positive_semidefinite(1 - 0.5 * k1(X))
    B = np.diag([1.0, -0.2, 1.0])
    assert not is_positive_semidefinite(X @ B @ X.T)


def test_normalized_kernel_is_a_cosine():
    k = normalized_kernel(polynomial_kernel(3))
    K, base = k(X), polynomial_kernel(3)(X)
    assert (K.diagonal() == 1).all()
    np.testing.assert_allclose(K, base / np.sqrt(np.outer(base.diagonal(), base.diagonal())), rtol=1e-12)
    np.testing.assert_allclose(k(X, Y), [[one(k, x, y) for y in Y] for x in X], rtol=1e-12)
    np.testing.assert_allclose(k(X, X.copy()), K, rtol=1e-12)
    np.testing.assert_allclose(normalized_kernel(rbf_kernel(2.0))(X), rbf_kernel(2.0)(X), rtol=1e-12)
    assert normalized_kernel(substring_kernel)(["cat", "cart"], ["cat"]).ravel().tolist() == pytest.approx(
        [1, 4 / np.sqrt(60)]
    )


def test_distance_in_feature_space():
    """W27: squared distance k(x, x) + k(x', x') - 2 k(x, x') of (1, 0) and (5, 5): 41, and 2533 for (x.x' + 1)^2."""
    for kernel, squared in ((linear_kernel, 41), (polynomial_kernel(2), 2533)):
        K = kernel([[1.0, 0.0], [5.0, 5.0]])
        assert K[0, 0] + K[1, 1] - 2 * K[0, 1] == pytest.approx(squared)


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda k: pickle.loads(pickle.dumps(k))])
def test_new_kernels_are_equal_by_value(again):
    kernels = [kernel for kernel, _ in RULES.values()]
    kernels += [substring_kernel(length=2), set_kernel, generative_kernel(len, None), normalized_kernel(k1)]
    for kernel in kernels:
        assert again(kernel) == kernel
        assert hash(again(kernel)) == hash(kernel)
        assert repr(again(kernel)) == repr(kernel)
    assert len(set(kernels)) == len(kernels)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: substring_kernel("cat"), r"X must be a list of strings; got one string. Use \['cat'\]"),
        (lambda: substring_kernel(["cat", 3]), r"X\[1\] is 3"),
        (lambda: substring_kernel([]), "X is empty; at least one of the strings is needed"),
        (lambda: substring_kernel(7), "X must be a list of strings; got 7"),
        (lambda: substring_kernel(np.array("cat"), ["cat"]), "X must be a list of strings; got array"),
        (lambda: mapped_kernel(len, linear_kernel)([]), "X is empty; at least one of the points is needed"),
        (lambda: substring_kernel(length=0), "length must be at least 1; got 0"),
        (lambda: substring_kernel(["a"], length=2), r"substring_kernel\(length=2\)\(X, Y\)"),
        (lambda: set_kernel(["cat"]), r"use set\('cat'\) for its letters"),
        (lambda: set_kernel({1, 2}), r"X must be a list of sets; got \{1, 2\}"),
        (lambda: set_kernel([1, 2]), r"X\[0\] must be a set, or a list of its elements; got 1"),
        (lambda: set_kernel([[[1], [2]]]), r"can be hashed, such as text or numbers; got \[1\]"),
        (lambda: set_kernel + rbf_kernel(), "set_kernel compares sets, rbf_kernel.* compares rows of numbers"),
        (lambda: substring_kernel * set_kernel, "Use mapped_kernel"),
        (lambda: weighted_kernel(3, k1), "f must be a function of one point; got 3"),
        (lambda: weighted_kernel(lambda x: x, k1)(X), r"f\(x\) must be a finite number"),
        (lambda: weighted_kernel(np.sum, rbf_kernel), "kernel must be a kernel object such as .*; got rbf_kernel"),
        (lambda: series_kernel([1, -1], k1), "coefficients must not be negative, or the result is no kernel; got -1"),
        (lambda: exp_kernel("k"), "kernel must be a kernel object"),
        (lambda: mapped_kernel("phi", k1), "phi must be a function of one point"),
        (lambda: mapped_kernel(np.sin, k1)("text"), "X must be a list of points; got 'text'"),
        (lambda: mapped_kernel(np.sin, k1)([1.0, 2.0]), r"X must have shape \(n, d\)"),
        (lambda: matrix_kernel([[1, 2], [2, 1]]), "A must be symmetric with no negative eigenvalue"),
        (lambda: matrix_kernel([[1, 2]]), r"A must be square; got shape \(1, 2\)"),
        (lambda: mapped_kernel(lambda x: "text", k1)(X), r"phi\(X\) must hold numbers only; got text"),
        (lambda: matrix_kernel([[1, 0.5], [0, 1]]), "A must be symmetric"),
        (lambda: matrix_kernel(np.eye(2))(X), "A has 2 rows, so x must have 2 entries; got 3"),
        (lambda: part_kernel([0, 3], k1)(X), "x has no column 3; it has 3, counted from 0"),
        (lambda: part_kernel([], k1), "columns is empty"),
        (lambda: part_kernel([-1], k1), "columns must be at least 0; got -1"),
        (lambda: part_kernel([0], set_kernel), "part_kernel takes parts of rows of numbers; set_kernel compares sets"),
        (lambda: normalized_kernel(linear_kernel)([[0.0], [1.0]]), "it is 0 for point 0"),
        (lambda: generative_kernel(0.5), "p must be a function of one point; got 0.5"),
        (lambda: generative_kernel(lambda x: -1)(X), r"p\(x\) must not be negative; got -1"),
        (lambda: generative_kernel(np.abs, [0.5, 0.5])(X), r"p\(x\) must have one entry per entry of prior, 2; got 3"),
        (lambda: generative_kernel(np.abs, [0.5, 0.4]), "prior must sum to one; it sums to 0.9"),
    ],
)
def test_bad_input_of_new_kernels(make, message):
    with pytest.raises(ValueError, match=message):
        make()


# Kernel ridge

t = np.sin(X @ [1.0, 0.5, -0.3]) + 0.1 * X[:, 1]


@pytest.mark.parametrize("lam", [0.01, 1.0, 30.0])
def test_kernel_ridge_against_sklearn(lam):
    cases = {
        linear_kernel: {"kernel": "linear"},
        rbf_kernel(0.35): {"kernel": "rbf", "gamma": 0.35},
        polynomial_kernel(2, 0.3, 0.7): {"kernel": "poly", "degree": 2, "gamma": 0.3, "coef0": 0.7},
    }
    for kernel, same in cases.items():
        theirs = sklearn.kernel_ridge.KernelRidge(alpha=lam, **same).fit(X, t)
        ours = KernelRidge(kernel, lam).fit(X, t)
        np.testing.assert_allclose(ours.alpha_, theirs.dual_coef_, rtol=1e-6, atol=1e-9)
        np.testing.assert_allclose(ours.predict(Y), theirs.predict(Y), rtol=1e-6, atol=1e-9)


def quadratic_features(X):
    """Return the features of (x.x' + 1)^2, in the order 1, x_i, x_i x_j."""
    d = X.shape[1]
    pairs = [X[:, i] * X[:, j] * (1 if i == j else np.sqrt(2)) for i in range(d) for j in range(i, d)]
    return np.column_stack([np.ones(len(X)), np.sqrt(2) * X, *pairs])


@pytest.mark.parametrize("lam", [0.1, 1.0, 10.0])
def test_kernel_ridge_is_ridge_on_the_features(lam):
    """Chapter 06's Ridge works in the primal, by an SVD; features and kernel agree to 1e-10."""
    Phi, Psi = quadratic_features(X), quadratic_features(Y)
    primal = Ridge(lam, intercept=False).fit(Phi, t)
    dual = KernelRidge(polynomial_kernel(2), lam).fit(X, t)
    np.testing.assert_allclose(dual.predict(Y), primal.predict(Psi), rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(Phi.T @ dual.alpha_, primal.w_, rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(primal_ridge(Phi, t, lam), primal.w_, rtol=1e-10, atol=1e-10)
    np.testing.assert_array_equal(dual_ridge(polynomial_kernel(2)(X), t, lam), dual.alpha_)
    np.testing.assert_allclose(dual.alpha_, (t - dual.predict(X)) / lam, rtol=1e-8)


def test_kernel_ridge_by_the_book():
    """W3-06: 2.075027 at 1.5; W25: weights and dual weights."""
    model = KernelRidge(rbf_kernel(0.5), 0.1).fit([[0], [1], [2], [3]], [0, 1, 4, 9])
    assert model.predict([[1.5]])[0] == pytest.approx(2.075027, abs=5e-7)
    alpha = KernelRidge(linear_kernel, 0.5).fit(W25, T25).alpha_
    np.testing.assert_allclose(alpha, (-0.096654, -0.104089, 0.118959, 0.111524, 0.230483), atol=5e-7)
    np.testing.assert_allclose(W25.T @ alpha, (0.944238, 0.052045), atol=5e-7)


def test_kernel_ridge_without_penalty_goes_through_the_targets():
    model = KernelRidge(rbf_kernel(1.0), 0).fit(X, t)
    np.testing.assert_allclose(model.predict(X), t, rtol=1e-8)


def test_kernel_ridge_learns_from_words():
    words = ["aaa", "aab", "aba", "abb", "bbb", "bba"]
    share = [w.count("a") / 3 for w in words]
    model = KernelRidge(substring_kernel(length=1), 1e-6).fit(words, share)
    np.testing.assert_allclose(model.predict(["bab", "aa"]), [1 / 3, 2 / 3], atol=1e-4)
    assert model.n_features_in_ == 1
    with pytest.raises(ValueError, match=r"X\[0\] is 1"):
        model.predict([1])


def test_kernel_ridge_takes_a_function():
    model = KernelRidge(lambda X, Y: X @ Y.T, 1.0).fit(X, t)
    np.testing.assert_array_equal(model.predict(Y), KernelRidge(linear_kernel, 1.0).fit(X, t).predict(Y))


def test_ridge_costs_cross_where_points_and_features_are_as_many():
    assert ridge_costs(80, 80).primal == ridge_costs(80, 80).dual
    assert ridge_costs(80, 79).primal < ridge_costs(80, 79).dual
    assert ridge_costs(79, 80).primal > ridge_costs(79, 80).dual
    assert ridge_costs(600, 60) == (600 * 60**2 / 2 + 60**3 / 6, 600**2 * 60 / 2 + 600**3 / 6)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: KernelRidge(rbf_kernel).fit(X, t), "kernel must be a kernel object such as .*; got rbf_kernel"),
        (lambda: KernelRidge("rbf").fit(X, t), "kernel must be a kernel object such as .*; got 'rbf'"),
        (lambda: KernelRidge(lambda X: X).fit(X, t), r"two sets of points, kernel\(X, Y\); this one takes \(X\)"),
        (lambda: KernelRidge(lam=-1).fit(X, t), "lam must be at least 0; got -1"),
        (lambda: KernelRidge(lam=0).fit(X, t), r"K \+ lam I must be positive definite; with lam=0 it is not"),
        (lambda: KernelRidge(sigmoid_kernel(1, -1), 1e-3).fit(X, t), "the kernel is none"),
        (
            lambda: KernelRidge(exp_kernel(linear_kernel)).fit(100 * X, t),
            "must be finite; some of its entries overflow",
        ),
        (lambda: KernelRidge(lambda X, Y: X @ Y.T + X[:, :1]).fit(X, t), "must be symmetric"),
        (lambda: KernelRidge(lambda X, Y: X @ X.T[:, :3]).fit(X, t), r"must have shape \(12, 12\); got \(12, 3\)"),
        (lambda: KernelRidge().fit(X, t[:-1]), "12 rows, but y has 11"),
        (lambda: primal_ridge(X, t, 0 * 1j), "lam must be a finite number"),
        (lambda: primal_ridge(X[:, [0, 0]], t, 0), r"Phi'Phi \+ lam I must be positive definite"),
        (lambda: dual_ridge(X, t, 1), r"K must have shape \(12, 12\); got \(12, 3\)"),
        (lambda: ridge_costs(0, 3), "n must be at least 1; got 0"),
    ],
)
def test_bad_input_of_kernel_ridge(make, message):
    with pytest.raises(ValueError, match=message):
        make()


# The kernel perceptron


@pytest.mark.parametrize("shuffle", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_kernel_perceptron_is_the_dual_of_the_perceptron(seed, shuffle):
    """On whole numbers nothing is rounded: the same mistakes one by one, and w = sum a_n t_n x_n."""
    Z = np.random.default_rng(seed).integers(-9, 10, size=(40, 3)).astype(float)
    y = Z @ [2, -1, 3] > 1
    primal = Perceptron(epochs=500, rng=seed, shuffle=shuffle).fit(Z, y)
    dual = KernelPerceptron(linear_kernel, epochs=500, rng=seed, shuffle=shuffle).fit(Z, y)
    assert [step.sample for step in dual.history_[1:]] == [step.wrong[0] for step in primal.history_[1:]]
    assert dual.mistakes_.tolist() == primal.mistakes_.tolist()
    assert dual.converged_
    np.testing.assert_array_equal((dual.alpha_ * np.where(y, 1, -1)) @ Z, primal.w_)
    assert dual.b_ == primal.b_
    new = np.random.default_rng(9).normal(0, 5, size=(50, 3))
    np.testing.assert_allclose(dual.decision_function(new), primal.decision_function(new), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("kernel", [polynomial_kernel(2), rbf_kernel(0.5)], ids=repr)
def test_kernel_perceptron_separates_rings(kernel):
    data, new = rings(100, rng=1), rings(400, rng=2)
    model = KernelPerceptron(kernel).fit(data.X, data.y)
    assert model.converged_
    assert model.score(data.X, data.y) == 1
    assert model.score(new.X, new.y) > 0.98
    assert model.n_mistakes_ < 100
    with pytest.warns(ConvergenceWarning, match="still made .* mistakes in epoch 20, the last"):
        assert not KernelPerceptron(linear_kernel, epochs=20).fit(data.X, data.y).converged_


def test_history_of_the_kernel_perceptron_replays_the_run():
    data = rings(60, rng=3)
    k, signs = rbf_kernel(0.5), 2 * data.y - 1
    model = KernelPerceptron(k).fit(data.X, data.y)
    assert len(model.history_) == model.n_iter_ + 1 == model.n_mistakes_ + 1
    assert model.history_[0] == (None, 0.0, 0, 0)
    a = np.zeros(60)
    for number, step in enumerate(model.history_[1:], start=1):
        score = (a * signs) @ (k(data.X, data.X[[step.sample]])[:, 0] + 1)
        assert step.score == pytest.approx(score, abs=1e-9)
        assert (step.score > 0) != (signs[step.sample] > 0)
        assert step.n_mistakes == number
        a[step.sample] += 1
    np.testing.assert_array_equal(a, model.alpha_)
    assert np.bincount([step.epoch for step in model.history_[1:]], minlength=len(model.mistakes_) + 1)[
        1:
    ].tolist() == (model.mistakes_.tolist())
    short = KernelPerceptron(k, history=False).fit(data.X, data.y)
    assert short.history_ == [model.history_[0], model.history_[-1]]
    np.testing.assert_array_equal(short.alpha_, model.alpha_)


def test_kernel_perceptron_sorts_words_and_sets():
    words, ending = ["reading", "singing", "walking", "reader", "singer", "walker"], ["ing"] * 3 + ["er"] * 3
    model = KernelPerceptron(normalized_kernel(substring_kernel)).fit(words, ending)
    assert model.predict(["talking", "talker"]).tolist() == ["ing", "er"]
    bags = [{"goal", "match"}, {"match", "cup"}, {"rain", "wind"}, {"wind", "storm"}]
    model = KernelPerceptron(set_kernel).fit(bags, [1, 1, 0, 0])
    assert model.predict([{"cup", "goal"}, {"storm", "rain"}]).tolist() == [1, 0]


def test_three_classes_are_referred_to_one_against_all():
    Z, y = np.array([[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]]), ["a", "b", "c"]
    with pytest.raises(ValueError, match=r"separates two classes; y holds 3.* Use OneVsRest\(KernelPerceptron"):
        KernelPerceptron().fit(Z, y)
    assert OneVsRest(KernelPerceptron(rbf_kernel(0.5))).fit(Z, y).predict(Z).tolist() == y


# Stored runs, and what the depth of the chapter says of scikit-learn


@pytest.mark.parametrize("row", [stored.unit_row, stored.diabetes_row, stored.digit_row])
def test_stored_runs_are_complete(row):
    kept = {stored.unit_row: "kernel_units", stored.diabetes_row: "diabetes_kernels", stored.digit_row: "digit_kernels"}
    columns = read_columns(kept[row])
    assert {len(values) for values in columns.values()} == {stored.SPLITS}
    names = {stored.unit_row: [f"times {unit}" for unit in stored.UNITS], stored.diabetes_row: stored.PATIENTS}
    assert set(names.get(row, stored.DIGITS)) == {name for name in columns if name[:2] not in ("β:", "λ:")}


def test_a_part_of_the_stored_runs_repeats():
    """Fast rivals of one split of each file, chosen and judged anew; one image or a near tie may go either way."""
    for unit, error in stored.unit_row(3, units=(100,)).items():
        assert read_columns("kernel_units")[unit][3] == pytest.approx(error, rel=1e-3)
    kept = stored.diabetes_runs()
    for name, value in stored.diabetes_row(7, ("mean", "nearest neighbour", "linear", "Gaussian")).items():
        assert kept[name][7] == pytest.approx(value, rel=1e-3)
    kept = stored.digit_runs()
    for name, value in stored.digit_row(11, ("majority", "nearest neighbour", "linear")).items():
        assert kept[name][11] == pytest.approx(value, abs=1.01)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["softmax", "cubic", "Gaussian"])
def test_a_part_of_the_longer_stored_runs_repeats(name):
    assert stored.digit_runs()[name][5] == pytest.approx(stored.digit_row(5, (name,))[name], abs=2.01)


def test_the_short_way_to_all_penalties_is_kernel_ridge():
    own = np.random.default_rng(1510)
    X, T, X_new = own.normal(size=(30, 3)), own.normal(size=(30, 2)), own.normal(size=(7, 3))
    Y = stored.all_penalties(rbf_kernel(0.4), X, T, X_new)
    for p in (6, 18, 26):
        for column in range(2):
            model = KernelRidge(rbf_kernel(0.4), stored.PENALTIES[p]).fit(X, T[:, column])
            np.testing.assert_allclose(Y[p, :, column], model.predict(X_new), rtol=1e-5, atol=1e-7)


def test_the_widths_of_the_diabetes_grid_end_where_the_kernel_is_a_line():
    """Section 15.9.1: at the edge of the grid of the raw units, the Gaussian kernel ridge is a straight line."""
    data = datasets.diabetes()
    X, t = data.X[:200], data.y[:200] - data.y[:200].mean()
    widest = KernelRidge(rbf_kernel(1e-9), 1e-9).fit(X, t)
    said = widest.predict(data.X[200:])
    A = np.column_stack([np.ones(242), data.X[200:]])
    rest = said - A @ np.linalg.lstsq(A, said, rcond=None)[0]
    assert rest.std() < 0.05 * said.std()


def test_how_often_the_edge_of_the_grid_is_chosen():
    """Section 15.9.1: the smallest penalty in 17 of 20 draws; raw patients mostly an edge of widths or penalties."""
    draws, patients = read_columns("kernel_units"), stored.diabetes_runs()
    assert np.sum(draws["λ: times 10"] == stored.PENALTIES[0]) == 17
    for name in ("Gaussian, as measured", "Gaussian, in pascal"):
        wide = np.isclose(patients[f"β: {name}"], stored.WIDTHS[name][0], rtol=1e-5, atol=0)
        assert np.sum(wide | (patients[f"λ: {name}"] == stored.PENALTIES[0])) >= 14


def test_the_same_in_scikit_learn_for_components_and_landmarks():
    """Sections 15.6.1 and 15.8.2: heights agree up to sign, inner products of the landmarks' features agree."""
    from sklearn.decomposition import KernelPCA
    from sklearn.kernel_approximation import Nystroem

    points = np.random.default_rng(1511).normal(size=(40, 3))
    K = rbf_kernel(0.5)(points)
    H = np.eye(40) - 1 / 40
    mu, U = np.linalg.eigh(H @ K @ H)
    heights = (U * np.sqrt(np.maximum(mu, 0)))[:, ::-1][:, :2]
    theirs = KernelPCA(2, kernel="rbf", gamma=0.5, eigen_solver="dense").fit_transform(points)
    np.testing.assert_allclose(np.abs(heights), np.abs(theirs), rtol=1e-6, atol=1e-8)
    model = Nystroem(kernel="rbf", gamma=0.5, n_components=10, random_state=0).fit(points)
    marks = model.component_indices_
    shadows = K[:, marks] @ np.linalg.solve(K[np.ix_(marks, marks)], K[marks])
    Z = model.transform(points)
    np.testing.assert_allclose(Z @ Z.T, shadows, rtol=1e-6, atol=1e-8)


# What the explorers show


def words_of(name, **settings):
    shown = made(name)
    return shown.describe(shown.compute(**settings)).replace("**", "")


@pytest.mark.parametrize("kernel", ["linear", "quadratic"])
def test_rings_are_lifted_along_a_direction_in_feature_space(kernel):
    """Mean kernels are w.phi(x), w the mean features of the inner ring minus those of the outer."""
    scene = made("lifted_rings").scene
    features = {"linear": lambda X: X, "quadratic": quadratic_features}[kernel]
    w = features(scene.inner).mean(axis=0) - features(scene.outer).mean(axis=0)
    _, (inner, outer), _, grid, level, (wrong, _) = scene.compute(kernel=kernel, beta=1.0, turn=30)
    for heights, points in ((inner, scene.inner), (outer, scene.outer), (grid, scene.rings.grid)):
        np.testing.assert_allclose(heights, features(points) @ w, rtol=1e-9, atol=1e-9)
    assert (kernel == "quadratic") == (wrong == 0) == (inner.min() > level > outer.max())


def test_bumps_of_middle_width_do_better_on_new_points():
    """Section 15.2 says in how many of 60 data sets β = 1 makes fewer errors than β = 100."""
    better = 0
    for seed in range(60):
        data, new = rings(80, 0.25, (1, 2.6), rng=100 + seed), rings(1000, 0.25, (1, 2.6), rng=1000 + seed)
        wrong = []
        for kernel in (rbf_kernel(1), rbf_kernel(100)):
            K, K_new = kernel(data.X), kernel(new.X, data.X)
            v = np.where(data.y == 0, 1 / 40, -1 / 40)
            level = _best_level((K @ v)[data.y == 0], (K @ v)[data.y == 1])
            wrong.append(np.sum((K_new @ v > level) != (new.y == 0)))
        better += wrong[0] < wrong[1]
    assert better == 49


def test_a_small_penalty_costs_narrow_bumps_more():
    """Section 15.7 says in how many of 40 data sets the error at 1e-6, over the least one, is larger for β = 100."""
    more, penalties = 0, np.logspace(-6, 2, 81)
    for seed in range(40):
        data, new = (noisy_sine(25 + 375 * k, 0.3, grid=False, rng=1000 + 2 * seed + k) for k in (0, 1))
        rise = []
        for kernel in (rbf_kernel(10), rbf_kernel(100)):
            K, K_new = kernel(data.X), kernel(new.X, data.X)
            a = np.column_stack([dual_ridge(K, data.y, lam) for lam in penalties])
            errors = np.sqrt(np.mean((new.y[:, None] - K_new @ a) ** 2, axis=0))
            rise.append(errors[0] / errors.min())
        more += rise[1] > rise[0] > 1
    assert more == 38


def test_gaussian_of_a_kernel_distance():
    """exp(-beta d²) is a kernel for the distance d of any kernel (15.4); for the linear one it is the Gaussian."""
    for k1 in KERNELS[:3]:
        K = k1(X)
        squared = np.add.outer(np.diag(K), np.diag(K)) - 2 * K
        assert is_positive_semidefinite(np.exp(-0.3 * squared))
        if k1 is linear_kernel:
            np.testing.assert_allclose(np.exp(-0.3 * squared), rbf_kernel(0.3)(X), atol=1e-12)


def test_a_polynomial_kernel_without_constant_has_products_of_one_length_only():
    points = rng.normal(size=(40, 3))
    ranks = [np.linalg.matrix_rank(polynomial_kernel(3, 1, gamma)(points)) for gamma in (0, 1)]
    assert ranks == [10, 20]  # C(d + m - 1, m) and C(d + m, m)


def test_no_level_is_better_than_the_plane():
    scene = made("lifted_rings").scene
    for beta in (0.01, 0.02, 0.05):
        _, (inner, outer), *_, (wrong, _) = scene.compute(kernel="RBF", beta=beta, turn=0)
        levels = np.linspace(min(outer.min(), inner.min()) - 0.01, inner.max(), 3000)
        assert wrong <= min((inner <= c).sum() + (outer > c).sum() for c in levels)
    assert "A plane separates" in words_of("lifted_rings", beta=1.0)
    assert "No level plane separates" in words_of("lifted_rings", kernel="linear")


def test_the_gram_picture_tells_kernels_from_others():
    assert "Not a kernel" in words_of("gram_picture", kernel="sigmoid, γ = −1", beta=1.0)
    assert "2 of 60 make 99 %" in words_of("gram_picture", kernel="linear")
    for beta in (0.01, 1.0, 100.0):
        for kernel in ("linear", "quadratic", "RBF"):
            assert "No negative eigenvalue" in words_of("gram_picture", kernel=kernel, beta=beta)


@pytest.mark.parametrize("kernel", ["quadratic", "RBF"])
def test_the_run_of_the_perceptron_ends_as_the_model_does(kernel):
    scene = made("kernel_perceptron_run").scene
    model, a, height, wrong, _ = scene.compute(kernel=kernel, step=scene.controls["step"].max)
    np.testing.assert_array_equal(a, model.alpha_)
    np.testing.assert_allclose(height, model.decision_function(scene.rings.grid), rtol=1e-9, atol=1e-9)
    assert wrong[-1] == 0
    assert wrong[0] == (scene.data.y == 1).sum()
    assert len(wrong) == model.n_mistakes_ + 1


def test_bumps_add_up_to_kernel_ridge():
    scene = made("kernel_ridge_fit").scene
    model, bumps, (penalties, on_train, on_new), dof = scene.compute(lam=0.01, beta=10.0)
    np.testing.assert_allclose(bumps.sum(axis=1), model.predict(scene.x[:, None]), rtol=1e-9, atol=1e-9)
    assert on_train[-1] == pytest.approx(np.sqrt(np.mean((model.predict(scene.train.X) - scene.train.y) ** 2)))
    assert on_new[-1] == pytest.approx(np.sqrt(np.mean((model.predict(scene.new.X) - scene.new.y) ** 2)))
    K = rbf_kernel(10.0)(scene.train.X)
    assert dof == pytest.approx(np.trace(np.linalg.solve(K + 0.01 * np.eye(25), K)))
    assert penalties[0] == pytest.approx(100)
    assert penalties[-1] == 0.01


# The sources' errata on kernels


def test_erratum_s0_e62():
    """A kernel may be negative; symmetric and positive semi-definite is what counts."""
    assert linear_kernel([[1.0]], [[-1.0]])[0, 0] == -1
    assert is_positive_semidefinite(linear_kernel([[1.0], [-1.0]]))
    K = sigmoid_kernel(1.0, -1.0)([[0.5], [1.0], [2.0]])
    np.testing.assert_allclose(np.linalg.eigvalsh(K), (-0.958, -0.114, 1.432), atol=5e-4)


def test_erratum_s0_e63():
    """Any real beta and gamma: refuted by negative eigenvalues; ours refuse them."""
    x = np.array([-1.0, 0.0, 1.0])
    assert np.linalg.eigvalsh(np.exp((x[:, None] - x) ** 2))[0] == pytest.approx(-53.598, abs=1e-3)
    z = np.array([0.0, 1.0])
    assert np.linalg.eigvalsh((np.outer(z, z) - 1) ** 3)[0] == pytest.approx(-1.618, abs=1e-3)
    for make in (lambda: rbf_kernel(-1), lambda: polynomial_kernel(3, 1.0, -1.0)):
        with pytest.raises(ValueError, match="must be"):
            make()


def test_erratum_s1_e50():
    """One set of points with a positive semi-definite Gram matrix does not make a kernel."""
    k = sigmoid_kernel(1.0, -1.0)
    assert is_positive_semidefinite(k([[2.0, 0.0], [0.0, 2.0]]))
    K = k([[1.0, 0.0], [2.0, 0.0]])
    assert not is_positive_semidefinite(K)
    np.testing.assert_allclose(np.linalg.eigvalsh(K), (-0.412, 1.407), atol=5e-4)


def test_erratum_s3_e3_24():
    """The Gaussian kernel squares the distance: 0.135335 at distance 2, sigma = 1; printed 0.367879."""
    assert rbf_kernel(0.5)([[0.0]], [[2.0]])[0, 0] == pytest.approx(0.135335, abs=1e-6)
    assert np.exp(-2.0 / 2) == pytest.approx(0.367879, abs=1e-6)


def test_erratum_s4_f26():
    """tanh and (x.z - 1)^3 are not positive semi-definite in general; the RBF is."""
    points = np.random.default_rng(4).normal(size=(30, 2)) * (1.5, 0.8)
    assert not is_positive_semidefinite(sigmoid_kernel(1.0, -1.0)(points))
    assert not is_positive_semidefinite((linear_kernel(points) - 1) ** 3)
    assert is_positive_semidefinite(rbf_kernel(0.5)(points))


W25 = np.array([[1.0, 2.0], [0.0, 1.0], [2.0, 1.0], [1.0, 0.0], [3.0, 1.0]])
T25 = np.array([1.0, 0.0, 2.0, 1.0, 3.0])


def test_erratum_s0_e64():
    """1/2 sum of squares goes with lam/2 |w|^2; with lam |w|^2 the gradient at w is not 0."""
    w = primal_ridge(W25, T25, 0.5)
    of_squares = W25.T @ (W25 @ w - T25)
    np.testing.assert_allclose(of_squares + 0.5 * w, 0, atol=1e-12)
    np.testing.assert_allclose(of_squares + 2 * 0.5 * w, (0.472119, 0.026022), atol=5e-7)


def test_erratum_s0_e65():
    """w = + 1/lam sum (t_n - w.x_n) x_n; the printed minus gives -w."""
    w = primal_ridge(W25, T25, 0.5)
    np.testing.assert_allclose(W25.T @ (T25 - W25 @ w) / 0.5, w, rtol=1e-10)
    np.testing.assert_allclose(w, (0.944238, 0.052045), atol=5e-7)


def test_erratum_s0_e66():
    """The primal adds lam to d diagonal entries, the dual to N; mixed, the shapes do not fit."""
    with pytest.raises(ValueError, match="could not be broadcast"):
        W25.T @ W25 + 0.5 * np.eye(5)
    np.testing.assert_allclose(np.linalg.solve(W25.T @ W25 + 0.5 * np.eye(2), W25.T @ T25), primal_ridge(W25, T25, 0.5))


def test_erratum_s3_e3_19():
    """k(x, x') = phi(x).phi(x') = 1 at (1, 2), (3, -1); the printed phi(x).phi(x) is 5."""
    assert linear_kernel([[1.0, 2.0]], [[3.0, -1.0]])[0, 0] == 1
    assert linear_kernel([[1.0, 2.0]])[0, 0] == 5


def test_erratum_s3_e3_20():
    """The Gram matrix is Phi Phi', (N, N); the printed Phi'Phi is (M, M)."""
    Phi = X[:6, :2]
    np.testing.assert_allclose(linear_kernel(Phi), Phi @ Phi.T)
    assert (Phi.T @ Phi).shape == (2, 2) != linear_kernel(Phi).shape == (6, 6)


def test_erratum_s3_e3_21():
    """c'K c >= 0 for every c, not > 0: of six points in two dimensions four eigenvalues are 0."""
    K = linear_kernel(X[:6, :2])
    eigenvalues = np.linalg.eigvalsh(K)
    assert (np.abs(eigenvalues) < 1e-12 * eigenvalues.max()).sum() == 4
    assert is_positive_semidefinite(K)


def test_erratum_s3_e3_22():
    """x . A x' with both points, and A positive semi-definite: [[1, 2], [2, 1]] has the eigenvalue -1."""
    x, y = np.array([1.0, 2.0]), np.array([3.0, -1.0])
    k = matrix_kernel([[2.0, 1.0], [1.0, 2.0]])
    assert k([x], [y])[0, 0] == 7
    assert k([x])[0, 0] == 14
    assert np.linalg.eigvalsh([[1.0, 2.0], [2.0, 1.0]])[0] == pytest.approx(-1)
    with pytest.raises(ValueError, match="no negative eigenvalue"):
        matrix_kernel([[1.0, 2.0], [2.0, 1.0]])


def test_erratum_s3_e3_23():
    """The primal inverts Phi'Phi + lam I, (M, M); the dual pays where N is small against M."""
    Phi = np.random.default_rng(0).normal(size=(5, 3))
    target = np.random.default_rng(1).normal(size=5)
    np.testing.assert_allclose(Phi.T @ dual_ridge(Phi @ Phi.T, target, 0.5), primal_ridge(Phi, target, 0.5), rtol=1e-10)
    many = ridge_costs(n=10_000, m=100)
    assert many.dual > 1000 * many.primal
    few = ridge_costs(n=100, m=10_000)
    assert few.primal > 1000 * few.dual


def test_a_far_point_changes_no_other_entry_of_an_rbf_kernel():
    X = np.random.default_rng(0).normal(size=(50, 5))
    plain = rbf_kernel(0.5)(X)
    for far in (1e6, 1e8, 1e12, 1e200):
        K = rbf_kernel(0.5)(np.r_[X, [[far] * 5]])
        np.testing.assert_allclose(K[:50, :50], plain, atol=1e-12)
        assert np.array_equal(K[50], np.eye(51)[50])
    np.testing.assert_allclose(rbf_kernel(0.5)(X + 1e8), rbf_kernel(0.5)((X + 1e8) - 1e8), atol=1e-12)


def test_answers_do_not_depend_on_what_else_is_asked():
    x = np.linspace(-2, 2, 30)[:, None]
    model = KernelRidge(rbf_kernel(0.5), lam=0.1).fit(x, np.sin(2 * x[:, 0]))
    assert model.predict([[0.3], [1e8]])[0] == pytest.approx(model.predict([[0.3]])[0], rel=1e-12)
    outlier = KernelRidge(rbf_kernel(0.5), lam=0.1).fit(np.r_[x, [[1e12]]], np.r_[np.sin(2 * x[:, 0]), 7])
    assert outlier.predict([[0.3]])[0] == pytest.approx(model.predict([[0.3]])[0], rel=1e-9)

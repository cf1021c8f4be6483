"""Kernels against explicit feature maps, textbook numbers and scikit-learn."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import pairwise

from mlteach.kernels import (
    Kernel,
    is_positive_semidefinite,
    linear_kernel,
    polynomial_kernel,
    rbf_kernel,
    sigmoid_kernel,
    substring_kernel,
)

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

"""What the linear models of several chapters share."""

import numpy as np
import pytest

from mlteach.base import Estimator
from mlteach.linear import (
    LinearClassifier,
    LinearRegressor,
    as_weights,
    choose_class,
    numerical_rank,
    power_of_two,
    read_classes,
)
from mlteach.numerics import centre
from mlteach.validation import NotFittedError, as_signs, as_two_classes


class Plane(LinearClassifier, Estimator):
    def __init__(self):
        pass


class Line(LinearRegressor, Estimator):
    def __init__(self):
        pass


def plane(w, b, classes):
    model = Plane()
    name = "w_" if np.ndim(w) == 1 else "W_"
    model.__dict__.update({name: np.array(w, dtype=float), "b_": b, "classes_": np.array(classes)})
    model._keep_features(np.shape(w)[-1], None)
    return model


def test_two_classes_are_told_apart_by_the_sign_and_zero_is_the_first():
    model = plane([1, -2], 0.5, ["no", "yes"])
    X = [[0, 0], [0, 1], [1.5, 1]]
    assert model.decision_function(X).tolist() == [0.5, -1.5, 0.0]
    assert model.predict(X).tolist() == ["yes", "no", "no"]


def test_of_k_scores_the_largest_wins_and_the_first_of_equals():
    model = plane([[1, 0], [0, 1], [-1, -1]], np.zeros(3), [10, 20, 30])
    assert model.decision_function([[2, 1]]).tolist() == [[2, 1, -3]]
    assert model.predict([[2, 1], [1, 2], [-1, -1], [1, 1]]).tolist() == [10, 20, 30, 10]


def test_regression_returns_the_output_itself():
    model = Line()
    with pytest.raises(NotFittedError, match="Line has not been fitted"):
        model.predict([[1]])
    model.w_, model.b_ = np.array([2.0]), 1.0
    model._keep_features(1, None)
    assert model.predict([[0], [3]]).tolist() == [1, 7]
    with pytest.raises(ValueError, match="X must have 1 features, as in fit; got 2"):
        model.predict([[1, 2]])


def test_choose_class_keeps_the_type_of_the_labels():
    assert choose_class(np.array([False, True]), np.array([0.0, 1e-300])).tolist() == [False, True]


@pytest.mark.parametrize("kind", [float, np.longdouble])
def test_centred_columns_sum_to_zero_and_constant_ones_are_zero(kind):
    X = np.random.default_rng(0).normal(size=(5001, 3)).astype(kind)
    X[:, 1] = kind(0.3)  # the mean of so many copies is rounded
    A, mean = centre(X)
    assert A.dtype == X.dtype
    assert (A[:, 1] == 0).all()
    assert np.abs(A.sum(axis=0)).max() < 1e-9
    assert np.allclose(A + mean, X, rtol=0, atol=1e-12)


def test_power_of_two_loses_no_digit():
    X = np.random.default_rng(1).normal(size=(20, 4)) * [1e-200, 1e-3, 0, 1e200]
    scaled, scale = power_of_two(X)
    assert (scaled * scale == X).all()
    largest = np.abs(scaled).max(axis=0)
    assert ((largest >= 1) & (largest < 2) | (largest == 0)).all()


@pytest.mark.parametrize(("n", "d", "rank"), [(9, 4, 4), (9, 4, 2), (4, 9, 3)])
def test_numerical_rank_counts_independent_columns(n, d, rank):
    rng = np.random.default_rng(2)
    A = rng.normal(size=(n, rank)) @ rng.normal(size=(rank, d))
    assert numerical_rank(np.linalg.svd(A, compute_uv=False), A.shape) == rank
    assert numerical_rank(np.linalg.svd(A, compute_uv=False), A.shape, most=1) == 1


def test_two_classes_become_signs():
    classes, t = as_two_classes(["spam", "ham", "spam"], "Filter", "Use Sorter.")
    assert classes.tolist() == ["ham", "spam"]
    assert t.tolist() == [1, -1, 1]
    assert as_signs(t, length=3).tolist() == [1, -1, 1]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: as_two_classes(list("abcdefg"), "Filter", "Use Sorter."),
            "two classes; y holds 7: .*'e', .... Use So",
        ),
        (lambda: as_two_classes([1, 1], "Filter", "Use Sorter."), "at least 2 classes"),
        (lambda: as_signs([1, 0]), r"t must hold \+1 and -1 only; got 0"),
        (lambda: as_weights([1, 2], 3), "w must have one entry per column of X: X has 3 columns, w has 2 entries"),
        (lambda: read_classes([[1e120], [0]], [0, 1]), r"X holds values up to 1e\+120; their products leave the range"),
    ],
)
def test_bad_input_is_explained(call, message):
    with pytest.raises(ValueError, match=message):
        call()

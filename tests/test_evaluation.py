"""Chapter 02: measures against scikit-learn and by hand, intervals by exact coverage, resampling, and the errata."""

import itertools
import re
import subprocess
import sys
from functools import partial
from math import comb, inf

import numpy as np
import pytest
from explorers import made
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import erf, stdtrit
from scipy.stats import binom as scipy_binom
from scipy.stats import binomtest
from sklearn import metrics
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.neighbors import KNeighborsClassifier

from mlteach import evaluation
from mlteach.evaluation import (
    Comparison,
    Outcomes,
    absolute,
    accuracy,
    adjusted_r2,
    auc,
    average_precision,
    bootstrap_interval,
    compare_learners,
    confusion_matrix,
    corrected_interval,
    cross_val_error,
    cross_val_errors,
    difference_interval,
    error_interval,
    error_rate,
    f1_score,
    fold_errors,
    hinge,
    huber,
    k_fold,
    log_loss,
    logistic,
    mae,
    mcnemar_test,
    mse,
    outcomes,
    paired_difference_interval,
    precision,
    precision_recall_curve,
    r2_score,
    recall,
    rmse,
    roc_auc,
    roc_curve,
    specificity,
    squared,
    stored,
    stratified_k_fold,
    train_test_split,
    wilson_interval,
    z_value,
    zero_one,
)
from mlteach.linear_regression import LinearRegression, polynomial_features
from mlteach.svm import SVC

LEVELS = [0.5, 0.68, 0.8, 0.9, 0.95, 0.98, 0.99]
x5, t5 = np.arange(1.0, 6.0)[:, None], np.array([2.0, 3, 5, 4, 6])  # W2-12, W3-02
C5 = np.array([[180, 8, 5, 4, 3], [10, 165, 12, 8, 5], [6, 14, 160, 12, 8], [4, 9, 13, 166, 8], [5, 6, 7, 10, 172]])


def from_matrix(C, names=None):
    """Labels and predictions that have C as their confusion matrix, shuffled."""
    names = np.arange(len(C)) if names is None else np.array(names)
    i, j = np.indices(C.shape)
    order = np.random.default_rng(3).permutation(C.sum())
    return names[np.repeat(i.ravel(), C.ravel())][order], names[np.repeat(j.ravel(), C.ravel())][order]


def from_counts(tp, fp, fn, tn, names=(0, 1)):
    return from_matrix(np.array([[tn, fp], [fn, tp]]), names)


def binomial(n, p):
    """P(r errors) for r = 0..n."""
    return np.array([comb(n, r) * p**r * (1 - p) ** (n - r) for r in range(n + 1)])


def coverage(interval, n, p, confidence=0.95):
    """Exact probability that the interval from n samples holds the true error p."""
    ends = [interval(r / n, n, confidence) for r in range(n + 1)]
    return sum(weight for weight, (low, high) in zip(binomial(n, p), ends) if low <= p <= high)


class Majority:
    """Predicts the most frequent training label; the smallest of them on a tie."""

    def fit(self, X, y):
        labels, counts = np.unique(y, return_counts=True)
        self.label_ = labels[np.argmax(counts)]
        return self

    def predict(self, X):
        return np.full(len(X), self.label_)


class Constant:
    """Predicts one fixed label and learns nothing."""

    def __init__(self, label):
        self.label = label

    def fit(self, X, y):
        return self

    def predict(self, X):
        return np.full(len(X), self.label)


# --- classification: the sources' numbers ------------------------------------------------------------------------


def test_always_negative_classifier_scores_ninety_per_cent():  # S0 W3
    y, predicted = from_counts(tp=0, fp=0, fn=10, tn=90)
    assert accuracy(y, predicted) == 0.9
    assert error_rate(y, predicted) == pytest.approx(0.1, abs=1e-15)
    assert (recall(y, predicted), precision(y, predicted), f1_score(y, predicted)) == (0, 0, 0)


@pytest.mark.parametrize(
    ("counts", "wanted"),
    [
        (Outcomes(tp=8, fp=2, fn=4, tn=86), (0.94, 0.8, 2 / 3, 8 / 11)),  # S0 W3
        (Outcomes(tp=40, fp=10, fn=20, tn=30), (0.7, 0.8, 2 / 3, 8 / 11)),  # S3 W3-05
        (Outcomes(tp=30, fp=20, fn=10, tn=40), (0.7, 0.6, 0.75, 2 / 3)),  # the same, other class positive
        (Outcomes(tp=40, fp=20, fn=10, tn=130), (0.85, 2 / 3, 0.8, 8 / 11)),  # S4 W3
    ],
)
def test_worked_confusion_matrices(counts, wanted):
    y, predicted = from_counts(*counts)
    assert outcomes(y, predicted) == counts
    found = [measure(y, predicted) for measure in (accuracy, precision, recall, f1_score)]
    assert_allclose(found, wanted, rtol=1e-14)
    assert_array_equal(confusion_matrix(y, predicted), [[counts.tn, counts.fp], [counts.fn, counts.tp]])


def test_five_classes_of_200():  # S0 W4
    y, predicted = from_matrix(C5, list("abcde"))
    assert_array_equal(confusion_matrix(y, predicted), C5)
    assert accuracy(y, predicted) == pytest.approx(0.843, abs=1e-15)
    rates = confusion_matrix(y, predicted, normalize=True)
    assert_allclose(rates.sum(axis=1), 1, rtol=1e-14)
    assert_allclose(np.diag(rates), [0.9, 0.825, 0.8, 0.83, 0.86], rtol=1e-14)
    assert_allclose(np.diag(rates), [recall(y, predicted, positive=c) for c in "abcde"], rtol=1e-14)
    found = [precision(y, predicted, positive=c) for c in "abcde"]
    assert_allclose(found, [0.878049, 0.816832, 0.812183, 0.830000, 0.877551], atol=5e-7)


def test_expected_zero_one_loss_of_a_joint_table():  # S2 W2-18: h(x) = x
    x = np.repeat([0, 0, 1, 1], [4, 1, 2, 3])
    y = np.repeat([0, 1, 0, 1], [4, 1, 2, 3])
    assert error_rate(y, x) == pytest.approx(0.3, abs=1e-15)


def test_training_error_of_one_neighbour_says_nothing():  # S4 W5
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 3)), rng.integers(0, 2, 200)
    X_new, y_new = rng.normal(size=(5000, 3)), rng.integers(0, 2, 5000)
    model = KNeighborsClassifier(1).fit(X, y)
    assert error_rate(y, model.predict(X)) == 0
    low, high = error_interval(error_rate(y_new, model.predict(X_new)), 5000, 0.99)
    assert low < 0.5 < high


# --- classification: scikit-learn --------------------------------------------------------------------------------

ALPHABETS = st.sampled_from([[0, 1], [-1, 1], ["ham", "spam"], [False, True], [1.0, 2.0], ["z", "A"]])


@st.composite
def two_class(draw):
    names = draw(ALPHABETS)
    bits = draw(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=1, max_size=25))
    y, predicted = np.array(names)[np.array(bits).T]
    return names, y, predicted


@given(two_class())
@settings(max_examples=60, deadline=None)
def test_two_class_measures_agree_with_scikit_learn(case):
    names, y, predicted = case
    assert error_rate(y, predicted) == pytest.approx(1 - metrics.accuracy_score(y, predicted), abs=1e-15)
    assert accuracy(y, predicted) == pytest.approx(metrics.accuracy_score(y, predicted), abs=1e-15)
    if len({*y.tolist(), *predicted.tolist()}) < 2:
        with pytest.raises(ValueError, match="only the label .* occurs"):
            precision(y, predicted)
        return
    for positive in (*names, None):
        said = max(names) if positive is None else positive
        keywords = {"pos_label": said, "zero_division": 0}
        assert precision(y, predicted, positive=positive) == metrics.precision_score(y, predicted, **keywords)
        assert recall(y, predicted, positive=positive) == metrics.recall_score(y, predicted, **keywords)
        assert f1_score(y, predicted, positive=positive) == pytest.approx(
            metrics.f1_score(y, predicted, **keywords), abs=1e-15
        )


@pytest.mark.filterwarnings("ignore:A single label was found")
@given(
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=30),
    st.sampled_from([np.arange(5), np.array(["b", "a", "é", "Z", "10"])]),
)
@settings(max_examples=50, deadline=None)
def test_confusion_matrix_agrees_with_scikit_learn(pairs, names):
    y, predicted = names[np.array(pairs).T]
    C = confusion_matrix(y, predicted)
    assert C.dtype.kind == "i"
    assert_array_equal(C, metrics.confusion_matrix(y, predicted))
    assert_array_equal(
        confusion_matrix(y, predicted, labels=names), metrics.confusion_matrix(y, predicted, labels=names)
    )
    assert_allclose(
        confusion_matrix(y, predicted, normalize=True),
        metrics.confusion_matrix(y, predicted, normalize="true"),
        rtol=1e-14,
    )
    assert np.trace(C) / C.sum() == pytest.approx(accuracy(y, predicted), abs=1e-15)
    assert_array_equal(confusion_matrix(predicted, y), C.T)


def test_precision_of_one_of_three_classes():
    y, predicted = list("aabbcc"), list("abbbca")
    for name in "abc":
        wanted = metrics.precision_score(y, predicted, labels=[name], average=None)[0]
        assert precision(y, predicted, positive=name) == wanted


def test_text_in_object_arrays_equals_text():
    y = np.array(["no", "yes", "yes"], dtype=object)
    assert error_rate(y, np.array(["no", "yes", "no"])) == pytest.approx(1 / 3)
    assert recall(y, ["no", "yes", "no"], positive="yes") == 0.5


def test_one_class_seen_needs_the_name_of_the_other():
    assert precision([0, 0], [0, 0], positive=1) == 0
    assert recall([0, 0], [0, 0], positive=0) == 1
    with pytest.raises(ValueError, match="only the label 'no' occurs.* name it with positive="):
        precision(["no"], ["no"])


# --- ROC ---------------------------------------------------------------------------------------------------------


def test_worked_roc():  # S4 W3
    y, scores = [1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.4, 0.2]
    fpr, tpr, thresholds = roc_curve(y, scores)
    assert_allclose(fpr, np.array([0, 0, 0, 1, 1, 2, 3]) / 3)
    assert_allclose(tpr, np.array([0, 1, 2, 2, 3, 3, 3]) / 3)
    assert_array_equal(thresholds, [inf, *scores])
    assert auc(fpr, tpr) == pytest.approx(8 / 9, abs=1e-15)


@given(
    st.lists(st.tuples(st.integers(0, 1), st.integers(-3, 3)), min_size=2, max_size=30),
    ALPHABETS,
)
@settings(max_examples=60, deadline=None)
def test_roc_with_ties_agrees_with_scikit_learn_and_with_counting_pairs(pairs, names):
    bits, scores = np.array(pairs).T
    if bits.min() == bits.max():
        bits[0] = 1 - bits[0]
    y, scores = np.array(names)[bits], scores / 7
    for positive in names:
        curve = roc_curve(y, scores, positive=positive)
        wanted = metrics.roc_curve(y, scores, pos_label=positive, drop_intermediate=False)
        for found, right in zip(curve, wanted):
            assert_allclose(found, right, rtol=1e-14)
        for fpr, tpr, c in zip(*curve):  # each point is what its threshold does
            assert fpr == pytest.approx(np.mean(scores[y != positive] >= c), abs=1e-15)
            assert tpr == pytest.approx(np.mean(scores[y == positive] >= c), abs=1e-15)
        gaps = scores[y == positive][:, None] - scores[y != positive]
        pairs_won = np.mean((gaps > 0) + 0.5 * (gaps == 0))
        assert roc_auc(y, scores, positive=positive) == pytest.approx(pairs_won, abs=1e-14)
        assert auc(curve.fpr, curve.tpr) == pytest.approx(metrics.auc(*wanted[:2]), abs=1e-14)
    assert_array_equal(roc_curve(y, scores).tpr, roc_curve(y, scores, positive=max(names)).tpr)


def test_roc_extremes():
    assert roc_auc([0, 0, 1, 1], [1, 2, 3, 4]) == 1
    assert roc_auc([0, 0, 1, 1], [4, 3, 2, 1]) == 0
    constant = roc_curve([0, 1, 0], [2, 2, 2])  # one threshold, the diagonal
    assert_array_equal(constant.fpr, [0, 1])
    assert_array_equal(constant.tpr, [0, 1])


def test_average_precision_is_the_mean_precision_at_the_positives():
    y, scores = [1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.4, 0.2]  # positives at places 1, 2 and 4
    assert average_precision(y, scores) == pytest.approx((1 + 1 + 3 / 4) / 3, abs=1e-15)
    assert average_precision([0, 0, 1, 1], [1, 2, 3, 4]) == 1
    assert average_precision([0, 1, 0, 0], [2, 2, 2, 2]) == 0.25  # no information: the share of positives


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(-3, 3)), min_size=2, max_size=30), ALPHABETS)
@settings(max_examples=60, deadline=None)
def test_precision_recall_agrees_with_scikit_learn(pairs, names):
    bits, scores = np.array(pairs).T
    if bits.min() == bits.max():
        bits[0] = 1 - bits[0]
    y, scores = np.array(names)[bits], scores / 7
    for positive in names:
        curve = precision_recall_curve(y, scores, positive=positive)
        precisions, recalls, thresholds = metrics.precision_recall_curve(y == positive, scores)
        # scikit-learn goes upwards and adds a last point, recall 0 and precision 1, that no threshold has
        assert_allclose(curve.precision, precisions[-2::-1], rtol=1e-14)
        assert_allclose(curve.recall, recalls[-2::-1], rtol=1e-14)
        assert_allclose(curve.thresholds, thresholds[::-1], rtol=1e-14)
        wanted = metrics.average_precision_score(y == positive, scores)
        assert average_precision(y, scores, positive=positive) == pytest.approx(wanted, abs=1e-14)


# --- regression --------------------------------------------------------------------------------------------------


def test_worked_regression_measures():
    y, predicted = [1.5, 2, 5], [1, 2, 3]  # S0 W5
    assert_allclose([mae(y, predicted), mse(y, predicted)], [2.5 / 3, 4.25 / 3], rtol=1e-15)
    assert rmse(y, predicted) == pytest.approx(1.190238, abs=5e-7)
    residuals = [1, -1, 1, -1, 10]  # S4 W4
    found = [measure(residuals, [0] * 5) for measure in (mae, mse, rmse)]
    assert_allclose(found, [2.8, 20.8, 4.5607], atol=5e-5)


def test_r2_agrees_with_the_summary_of_a_fit():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(30, 3)) * [1, 5, 0.2] + 4
    y = X @ [1, -2, 3] + rng.normal(size=30)
    model = LinearRegression().fit(X, y)
    assert r2_score(y, model.predict(X)) == pytest.approx(model.summary().r2, rel=1e-12)
    assert adjusted_r2(y, model.predict(X), 3) == pytest.approx(model.summary().adjusted_r2, rel=1e-12)
    assert adjusted_r2(y, model.predict(X), 0) == pytest.approx(r2_score(y, model.predict(X)), rel=1e-14)


NUMBERS = st.floats(-1e6, 1e6).map(lambda v: round(v, 3))


@given(st.lists(st.tuples(NUMBERS, NUMBERS), min_size=2, max_size=20))
@settings(max_examples=50, deadline=None)
def test_regression_measures_agree_with_scikit_learn(pairs):
    y, predicted = np.array(pairs).T
    assert mae(y, predicted) == pytest.approx(metrics.mean_absolute_error(y, predicted), rel=1e-12)
    assert mse(y, predicted) == pytest.approx(metrics.mean_squared_error(y, predicted), rel=1e-12)
    assert rmse(y, predicted) == pytest.approx(metrics.root_mean_squared_error(y, predicted), rel=1e-12)
    assert mae(y, predicted) <= rmse(y, predicted) * (1 + 1e-12)
    if np.ptp(y) > 0:
        assert r2_score(y, predicted) == pytest.approx(metrics.r2_score(y, predicted), rel=1e-9, abs=1e-9)
        assert r2_score(y, y) == 1
        assert r2_score(y, np.full(len(y), y.mean())) == 0


def test_vector_outputs_use_the_length_of_the_error():
    rng = np.random.default_rng(2)
    Y, P = rng.normal(size=(2, 20, 3)) * [1, 10, 0.1]
    assert mse(Y, P) == pytest.approx(3 * metrics.mean_squared_error(Y, P), rel=1e-13)
    assert mae([[0, 0], [1, 1]], [[3, 4], [1, 2]]) == 3
    assert rmse([[0, 0], [1, 1]], [[3, 4], [1, 2]]) == pytest.approx(np.sqrt(13))


@pytest.mark.parametrize("unit", [1e-200, 1e-3, 1e150])
def test_r2_does_not_depend_on_the_unit(unit):
    y, predicted = np.array([1.0, 2, 4, 8]), np.array([1.5, 2, 3, 9])
    assert r2_score(y * unit, predicted * unit) == pytest.approx(r2_score(y, predicted), rel=1e-12)


# --- losses ------------------------------------------------------------------------------------------------------


def test_huber_numbers():  # S2 W2-18
    assert_array_equal(huber([0.5, 1, 3], delta=1), [0.125, 0.5, 2.5])
    assert huber(-3) == 2.5
    assert isinstance(huber(-3), float)


@given(st.floats(-50, 50), st.floats(0.01, 20))
def test_huber_is_the_parabola_inside_and_the_line_outside(r, delta):
    wanted = r**2 / 2 if abs(r) <= delta else delta * (abs(r) - delta / 2)
    assert huber(r, delta) == pytest.approx(wanted, rel=1e-12, abs=1e-300)
    h = 1e-5  # the slope is r, held within [-delta, delta]
    slope = (huber(r + h, delta) - huber(r - h, delta)) / (2 * h)
    assert slope == pytest.approx(np.clip(r, -delta, delta), abs=2e-5)


def test_losses_bound_the_zero_one_loss_and_keep_their_shape():
    m = np.linspace(-4, 4, 18).reshape(3, 6)
    assert (hinge(m) >= zero_one(m)).all()
    assert (logistic(m) / np.log(2) >= zero_one(m)).all()
    assert_allclose(hinge(m), np.where(m < 1, 1 - m, 0))
    assert_allclose(logistic(m), -np.log(1 / (1 + np.exp(-m))), rtol=1e-12)
    assert logistic(-800) == 800  # no overflow
    assert_array_equal(absolute(m), np.abs(m))
    assert_array_equal(squared(m), m**2)
    assert_array_equal(zero_one([-1, 0, 1e-9]), [1, 1, 0])


def test_mean_margin_losses_agree_with_scikit_learn():
    rng = np.random.default_rng(4)
    t, f = rng.choice([-1, 1], 40), rng.normal(0.3, 2, 40)
    assert np.mean(hinge(t * f)) == pytest.approx(metrics.hinge_loss(t, f), rel=1e-13)
    assert np.mean(zero_one(t * f)) == pytest.approx(error_rate(t, np.sign(f).astype(int)), rel=1e-13)
    p = 1 / (1 + np.exp(-f))
    assert np.mean(logistic(t * f)) == pytest.approx(log_loss(t, p), rel=1e-12)
    assert log_loss(t, p) == pytest.approx(metrics.log_loss(t, p), rel=1e-12)
    assert log_loss(t, 1 - p, positive=-1) == pytest.approx(log_loss(t, p), rel=1e-12)


def test_log_loss_of_many_classes_agrees_with_scikit_learn():
    rng = np.random.default_rng(5)
    y, p = rng.permutation(np.repeat(["c", "a", "b"], [5, 9, 6])), rng.dirichlet([1, 2, 0.5], 20)
    assert log_loss(y, p) == pytest.approx(metrics.log_loss(y, p), rel=1e-12)
    assert log_loss([0, 1], [[1, 0], [0, 1]]) == 0
    assert str(log_loss([0, 1], [0, 1])) == "0.0"
    assert log_loss([0, 1], [0.5, 0.0]) == inf


# --- intervals ---------------------------------------------------------------------------------------------------


def test_z_table():  # S0 W2, S4 W1
    found = [z_value(c) for c in LEVELS]
    assert_allclose(found, [0.674490, 0.994458, 1.281552, 1.644854, 1.959964, 2.326348, 2.575829], atol=5e-7)
    printed = [0.67, 1.00, 1.28, 1.64, 1.96, 2.33, 2.58]  # 0.99 for 68 % is printed as 1.00, the one-sigma rule
    assert [round(z, 2) for z in found] == [0.99 if z == 1.00 else z for z in printed]


def test_z_reaches_the_last_float_below_one():
    from scipy.special import ndtri

    for c in (1e-12, 0.3, 1 - 1e-12, np.nextafter(1, 0)):
        assert z_value(c) == pytest.approx(-ndtri((1 - c) / 2), rel=1e-9, abs=1e-15)


@pytest.mark.parametrize(("confidence", "table_z", "half"), [(0.9, 1.64, 0.118829), (0.95, 1.96, 0.142015)])
def test_worked_interval(confidence, table_z, half):  # S0 W2, S4 W2; their half-widths use the z of the table
    low, high = error_interval(12 / 40, 40, confidence)
    assert (low + high) / 2 == pytest.approx(0.3, abs=1e-15)
    assert (high - low) / 2 == pytest.approx(half * z_value(confidence) / table_z, abs=5e-7)
    assert error_interval(0.3, 40) == error_interval(0.3, 40, 0.95)


@given(st.integers(1, 500), st.floats(0, 1), st.sampled_from(LEVELS))
def test_wilson_ends_solve_their_equation(n, share, confidence):
    error = round(share * n) / n
    low, high = wilson_interval(error, n, confidence)
    assert 0 <= low <= error <= high <= 1
    z = z_value(confidence)
    for e in (low, high):
        assert (error - e) ** 2 == pytest.approx(z**2 * e * (1 - e) / n, rel=1e-6, abs=1e-13)


@pytest.mark.parametrize("error", [1e-300, 1e-20, 1e-12, 1 - 1e-12, np.nextafter(1, 0)])
def test_wilson_stays_inside_where_rounding_pushes(error):
    for n in (1, 3, 10, 1000):
        low, high = wilson_interval(error, n)
        assert 0 <= low <= error <= high <= 1


def test_wilson_number():  # 8 of 10: a standard table entry
    assert_allclose(wilson_interval(0.8, 10), [0.4901625, 0.9433178], atol=5e-7)


@pytest.mark.parametrize(("n", "p", "covered"), [(30, 0.0059, 0.837), (10, 0.05, 0.914)])
def test_wilson_falls_short_at_single_errors(n, p, covered):
    assert coverage(wilson_interval, n, p) == pytest.approx(covered, abs=1e-3)


def test_difference_interval():
    low, high = difference_interval(0.3, 100, 0.2, 50, 0.9)
    assert (low + high) / 2 == pytest.approx(0.1)
    assert (high - low) / 2 == pytest.approx(1.644854 * np.sqrt(0.0021 + 0.0032), abs=1e-6)
    swapped = difference_interval(0.2, 50, 0.3, 100, 0.9)
    assert_allclose(swapped, [-high, -low])


def test_paired_difference_interval_counts_the_disputed_samples():
    rng = np.random.default_rng(11)
    y = rng.integers(0, 3, 200)
    first = np.where(rng.random(200) < 0.3, (y + 1) % 3, y)
    second = np.where(rng.random(200) < 0.2, (y + 2) % 3, y)
    only_first, only_second = np.sum((first != y) & (second == y)), np.sum((first == y) & (second != y))
    d = (only_first - only_second) / 200
    half = 1.644854 * np.sqrt((only_first + only_second) / 200 - d**2) / np.sqrt(200)
    found = paired_difference_interval(y, first, second, 0.9)
    assert_allclose(found, [d - half, d + half], atol=1e-6)
    assert d == pytest.approx(error_rate(y, first) - error_rate(y, second))
    assert_allclose(paired_difference_interval(y, second, first, 0.9), [-found.high, -found.low])
    names = np.array(["x", "y", "z"])
    assert paired_difference_interval(names[y], names[first], names[second], 0.9) == found
    assert paired_difference_interval(y, first, first) == (0, 0)


@given(st.integers(0, 40), st.integers(0, 40))
def test_mcnemar_is_the_two_sided_binomial_test(b, c):
    y = np.ones(b + c + 5, int)
    first, second = y.copy(), y.copy()
    first[:b], second[b : b + c] = 0, 0
    first[-1] = second[-1] = 0  # both wrong: does not count
    wanted = binomtest(b, b + c, 0.5).pvalue if b + c else 1
    assert mcnemar_test(y, first, second) == pytest.approx(wanted, rel=1e-10)


def test_paired_interval_covers_and_is_shorter_when_errors_coincide():
    rng = np.random.default_rng(12)
    n, runs, hits, shorter = 400, 1500, 0, 0
    for _ in range(runs):
        hard = rng.random(n) < 0.2  # both err on the same hard samples, and a little on their own
        first, second = hard | (rng.random(n) < 0.1), hard | (rng.random(n) < 0.05)
        low, high = paired_difference_interval(np.zeros(n, int), first.astype(int), second.astype(int))
        hits += low <= 0.8 * (0.1 - 0.05) <= high
        apart = difference_interval(first.mean(), n, second.mean(), n)
        shorter += high - low < apart.high - apart.low
    assert hits / runs == pytest.approx(0.95, abs=0.02)
    assert shorter == runs


# --- splits ------------------------------------------------------------------------------------------------------


def test_seventy_thirty_twice():  # S1 W32
    X, y = np.arange(200).reshape(100, 2), np.arange(100)
    rest, X_test, y_rest, y_test = train_test_split(X, y, 0.3, rng=1)
    X_train, X_val, y_train, y_val = train_test_split(rest, y_rest, 0.3, rng=2)
    assert (len(y_train), len(y_val), len(y_test)) == (49, 21, 30)
    assert_array_equal(np.sort(np.concatenate([y_train, y_val, y_test])), y)
    for rows, labels in ((X_train, y_train), (X_val, y_val), (X_test, y_test)):
        assert_array_equal(rows, X[labels])


@pytest.mark.parametrize("size", [0.07, 0.29, 0.57])
def test_split_sizes_do_not_suffer_from_rounding(size):  # 0.07 * 100 is 7.000000000000001
    assert len(train_test_split(np.arange(100), np.arange(100), size).y_test) == round(100 * size)


def test_split_is_random_but_reproducible():
    X = np.arange(50)
    first = train_test_split(X, X, rng=7).y_test
    assert_array_equal(first, train_test_split(X, X, rng=np.random.default_rng(7)).y_test)
    assert set(first) != set(train_test_split(X, X, rng=8).y_test)
    assert_array_equal(X, np.arange(50))


def test_split_keeps_the_values_of_mixed_rows():
    X, y = [["sunny", 3], ["rain", 4], ["rain", 5]], ["no", "yes", "yes"]
    split = train_test_split(X, y, 1 / 3)
    rows = [*split.X_train.tolist(), *split.X_test.tolist()]
    assert sorted(rows) == sorted(X)


@given(st.integers(2, 60), st.data())
@settings(deadline=None)
def test_folds_partition_the_samples(n, data):
    k = data.draw(st.integers(2, n))
    folds = list(k_fold(n, k, data.draw(st.integers(0, 99))))
    assert len(folds) == k
    assert_array_equal(np.sort(np.concatenate([test for _, test in folds])), np.arange(n))
    for train, test in folds:
        assert_array_equal(np.sort(np.concatenate([train, test])), np.arange(n))
        assert len(test) in (n // k, -(-n // k))


def test_folds_follow_the_seed():
    assert_array_equal(k_fold(30, 3, 5)[0].test, k_fold(30, 3, np.random.default_rng(5))[0].test)
    assert list(k_fold(30, 3, 5)[0].test) != list(k_fold(30, 3, 6)[0].test)
    assert list(k_fold(30, 3, 5)[0].test) != list(range(10))


# --- cross-validation and comparison -----------------------------------------------------------------------------


@given(st.lists(st.sampled_from("abc"), min_size=4, max_size=40), st.data())
@settings(max_examples=60, deadline=None)
def test_stratified_folds_partition_the_samples_and_share_out_each_class(y, data):
    y, k = np.array(y), data.draw(st.integers(2, len(y)))
    folds = stratified_k_fold(y, k, data.draw(st.integers(0, 99)))
    assert sorted(np.concatenate([test for _, test in folds])) == list(range(len(y)))
    for train, test in folds:
        assert sorted([*train, *test]) == list(range(len(y)))
    for label in np.unique(y):
        counts = [np.sum(y[test] == label) for _, test in folds]
        assert max(counts) - min(counts) <= 1
    sizes = [len(test) for _, test in folds]
    assert max(sizes) - min(sizes) <= 1


def test_stratified_folds_are_as_even_as_scikit_learns():
    y = np.random.default_rng(4).permutation(np.repeat(["ill", "well", "carrier"], [7, 31, 12]))
    X = np.zeros((50, 1))
    for k in (2, 5, 7):
        theirs = StratifiedKFold(k, shuffle=True, random_state=0).split(X, y)
        for label in np.unique(y):
            mine = sorted(int(np.sum(y[test] == label)) for _, test in stratified_k_fold(y, k))
            assert max(mine) - min(mine) <= 1
        assert sorted(len(test) for _, test in stratified_k_fold(y, k)) == sorted(len(test) for _, test in theirs)
    assert not np.array_equal(stratified_k_fold(y, 5, 1)[0].test, stratified_k_fold(y, 5, 2)[0].test)


def test_cross_validation_agrees_with_scikit_learn_on_the_same_folds():
    rng = np.random.default_rng(6)
    y = rng.integers(0, 3, 60)
    X = rng.normal(size=(60, 2)) + y[:, None] * [1.5, 0.5]
    names = np.array(["u", "v", "w"])[y]
    errors = cross_val_errors(lambda: KNeighborsClassifier(3), X, names, k=7, rng=2)
    folds = [(train, test) for train, test in k_fold(60, 7, 2)]
    wanted = 1 - cross_val_score(KNeighborsClassifier(3), X, names, cv=folds)
    assert_allclose(errors, wanted, atol=1e-15)
    assert cross_val_error(lambda: KNeighborsClassifier(3), X, names, k=7, rng=2) == pytest.approx(wanted.mean())


def test_leave_one_out_of_a_line_equals_its_closed_form():
    H = np.column_stack([np.ones(5), x5]) @ np.linalg.pinv(np.column_stack([np.ones(5), x5]))
    residual = (t5 - H @ t5) / (1 - np.diag(H))
    assert cross_val_error(LinearRegression, x5, t5, k=5) == pytest.approx(np.mean(residual**2), rel=1e-12)
    found = cross_val_error(LinearRegression, x5, t5, k=5, loss=mae)
    assert found == pytest.approx(np.mean(np.abs(residual)), rel=1e-12)


def test_cost_of_choosing_among_five_models():  # S1 W32: 50 fits and one refit
    fits = []

    class Counted(Majority):
        def fit(self, X, y):
            fits.append(len(y))
            return super().fit(X, y)

    X, y = np.zeros((40, 1)), np.arange(40) % 3
    for _ in range(5):
        cross_val_error(Counted, X, y, k=10)
    Counted().fit(X, y)
    assert fits == [36] * 50 + [40]


def test_compare_learners_pairs_the_folds():
    rng = np.random.default_rng(8)
    x = rng.uniform(-2, 2, 40)[:, None]
    y = 3 * x[:, 0] + rng.normal(0, 1, 40)
    cheap = lambda: Constant(0.5)  # noqa: E731
    found = compare_learners(LinearRegression, cheap, x, y, k=5, rng=3, loss=mse)
    assert_allclose(found.errors_a, cross_val_errors(LinearRegression, x, y, 5, 3))
    assert_allclose(found.errors_b, cross_val_errors(cheap, x, y, 5, 3, loss=mse))
    assert_allclose(found.deltas, found.errors_a - found.errors_b)
    half = 2.776445 * found.deltas.std(ddof=1) / np.sqrt(5)  # t table, 4 degrees of freedom, 95 %
    assert_allclose([found.low, found.high], [found.mean - half, found.mean + half], rtol=1e-6)
    assert found.mean == pytest.approx(found.deltas.mean())
    assert found.high < 0
    assert found.preferred == "A"
    swapped = compare_learners(cheap, LinearRegression, x, y, k=5, rng=3, loss=mse)
    assert swapped.preferred == "B"
    assert_allclose(swapped.deltas, -found.deltas)
    assert compare_learners(Majority, Majority, x, np.arange(40) % 3, k=5).preferred == "neither"


def test_differences_that_cancel_prefer_nobody():
    deltas = np.array([-0.1, 0, 0, 0.1, 0, 0.1, -0.1, -0.3, 0.2, 0.1])
    errors_b = np.full(10, 0.4)
    mean = float(deltas.mean())
    assert mean != 0  # rounding
    assert Comparison(errors_b + deltas, errors_b, deltas, mean, mean, mean).preferred == "neither"
    assert Comparison(errors_b + 1e-6, errors_b, deltas, 1e-6, 0, 0).preferred == "B"


def bump(n_sets, n, rng):
    x = rng.uniform(-1, 1, (n_sets, n))
    return x, (rng.random((n_sets, n)) < np.where(abs(x) < 0.5, 0.85, 0.15)).astype(int)


def duel(x, y, train, test):
    """Error of degree 2 minus error of degree 16 on the test columns, for all data sets (rows) at once."""
    wrong = []
    for degree in (2, 16):
        A = np.polynomial.legendre.legvander(x, degree)
        w = np.linalg.solve(A[:, train].mT @ A[:, train], A[:, train].mT @ y[:, train, None])
        wrong.append(np.mean(((A[:, test] @ w)[..., 0] >= 0.5) != y[:, test], axis=1))
    return wrong[0] - wrong[1]


@pytest.mark.slow
def test_interval_of_two_learners_here_and_over_overlapping_hold_outs():  # 2.7.4
    rng = np.random.default_rng(1)
    x, y = bump(2000, 40, rng)
    parts = {"folds": k_fold(40, 10, rng=0), "hold-outs": [np.split(rng.permutation(40), [27]) for _ in range(30)]}
    missed, correlation = {}, {}
    for name, pairs in parts.items():
        d = np.transpose([duel(x, y, *pair) for pair in pairs])
        k = len(pairs)
        half = -stdtrit(k - 1, 0.025) * d.std(axis=1, ddof=1) / np.sqrt(k)
        missed[name] = np.mean(abs(d.mean(axis=1) - d.mean()) > half)
        C = np.cov(d.T)
        correlation[name] = (C.sum() - np.trace(C)) / (k - 1) / np.trace(C)
    assert 0.045 < missed["folds"] < 0.07
    assert 0.35 < missed["hold-outs"] < 0.43
    assert 0.005 < correlation["folds"] < 0.03
    assert 0.12 < correlation["hold-outs"] < 0.17
    one = compare_learners(lambda: Polynomial(2), lambda: Polynomial(16), x[0][:, None], y[0], rng=0, loss=error_rate)
    assert_allclose(one.deltas, [duel(x[:1], y[:1], *pair)[0] for pair in parts["folds"]])


def test_corrected_interval_adds_the_ratio_of_the_parts():  # Nadeau and Bengio
    d = np.random.default_rng(3).normal(0.1, 1, 12)
    low, high = corrected_interval(d, 27, 13, confidence=0.9)
    assert (low + high) / 2 == pytest.approx(d.mean())
    assert (high - low) / 2 == pytest.approx(1.795885 * d.std(ddof=1) * np.sqrt(1 / 12 + 13 / 27), rel=1e-6)
    with pytest.raises(ValueError, match="at least two numbers"):
        corrected_interval([0.1], 27, 13)
    with pytest.raises(ValueError, match="at least two numbers"):
        corrected_interval(["a", "b"], 27, 13)
    with pytest.raises(ValueError, match="n_train"):
        corrected_interval(d, 0, 13)


def test_stored_rivals_are_those_of_the_code():  # section 2.13
    def linear(Z, y, new):
        return (LinearRegression().fit(Z, y).predict(new) >= 0.5).astype(int)

    def machine(Z, y, new):
        errors = [cross_val_error(partial(SVC, C=C, history=False), Z, y, k=5) for C in stored.GRID]
        C = stored.GRID[int(np.argmin(errors))]
        return SVC(C=C).fit(Z, y).predict(new), C

    kept = stored.cancer_rivals()
    assert set(kept) == set(stored.COLUMNS)
    assert all(column.shape == (stored.SPLITS,) for column in kept.values())
    again = dict(zip(stored.COLUMNS, stored.one_split(2, linear, machine)))
    for name in stored.COLUMNS:
        assert again[name] == pytest.approx(kept[name][2] * (stored.TEST if name in stored.RIVALS else 1)), name


class Polynomial:
    """Least squares on powers, cut at one half."""

    task = "classification"

    def __init__(self, degree):
        self.degree = degree

    def fit(self, X, y):
        self.model_ = LinearRegression().fit(polynomial_features(X[:, 0], self.degree, bias=False), y)
        return self

    def predict(self, X):
        return (self.model_.predict(polynomial_features(X[:, 0], self.degree, bias=False)) >= 0.5).astype(int)


def test_more_folds_do_not_buy_off_the_spread():  # 2.5.2: at fixed N sigma^2 / k stays near p (1 - p) / N
    rng = np.random.default_rng(2)
    sets = [bump(1, 60, rng) for _ in range(60)]
    first = {}
    for k in (5, 20):
        rows = [cross_val_errors(lambda: Polynomial(6), x.T, y[0], k, rng=0, loss=error_rate) for x, y in sets]
        d = np.array(rows)
        first[k] = d.var(axis=0, ddof=1).mean() / k
    p = d.mean()
    assert_allclose([first[5], first[20]], p * (1 - p) / 60, rtol=0.15)


def test_log_loss_is_the_mean_logistic_loss_of_the_margin():  # 2.11.4
    rng = np.random.default_rng(4)
    t, f = rng.choice([-1, 1], 50), rng.normal(0, 3, 50)
    assert log_loss(t, 1 / (1 + np.exp(-f))) == pytest.approx(np.mean(logistic(t * f)), rel=1e-12)


def test_log_loss_of_an_absent_class():
    p = np.array([[0.2, 0.5, 0.3], [0.1, 0.1, 0.8]])
    wanted = -np.log([0.2, 0.8]).mean()
    assert log_loss(["a", "c"], p, labels=["a", "b", "c"]) == pytest.approx(wanted)
    assert log_loss(["c", "a"], p[:, ::-1], labels=["a", "b", "c"]) == pytest.approx(-np.log([0.2, 0.8]).mean())


def test_rmse_of_very_small_and_large_errors():
    assert rmse([1e-200], [0]) == pytest.approx(1e-200)
    assert rmse([2e200, 0], [0, 0]) == pytest.approx(2e200 / np.sqrt(2))
    assert rmse([1, 2], [1, 2]) == 0


# --- bad input ---------------------------------------------------------------------------------------------------

PAIR = [error_rate, accuracy, confusion_matrix, precision, recall, specificity, f1_score, outcomes]


@pytest.mark.parametrize("measure", PAIR)
@pytest.mark.parametrize(
    ("y", "predicted", "message"),
    [
        ([1, 0, 1], [1, 0], "predicted must have one entry per row of y: 3 rows, but predicted has 2"),
        ([], [], "y is empty"),
        ([[1, 0]], [[1, 0]], r"y must have shape \(n,\); got \(1, 2\)"),
        ([1.0, np.nan], [1, 0], r"y must hold a finite label for every sample; y\[1\] is nan"),
        ([1, 0], ["1", "0"], "labels of one type; y holds numbers such as 1, predicted text such as '1'"),
        (["a", 1], ["a", "1"], "y mixes text with other labels, such as 1"),
        ([None, "a"], ["a", "a"], r"y\[0\] is None"),
        (np.array(["a", 1], dtype=object), ["a", "a"], "y mixes labels that cannot be sorted"),
        (np.array([1, np.nan], dtype=object), [1, 0], r"y\[1\] is nan"),
    ],
)
def test_labels_that_are_refused(measure, y, predicted, message):
    with pytest.raises(ValueError, match=message):
        measure(y, predicted)


@pytest.mark.parametrize("measure", [precision, recall, f1_score, outcomes, roc_curve, roc_auc, log_loss])
def test_positive_must_be_clear(measure):
    with pytest.raises(ValueError, match="labels are 0, 1, 2. Say which one counts as positive, as in positive=2"):
        measure([0, 1, 2], [0, 1, 1])
    with pytest.raises(ValueError, match="positive must be one of the labels 0, 1; got 7"):
        measure([0, 1, 1], [0, 1, 1], positive=7)
    with pytest.raises(ValueError, match="positive must be one of the labels 0, 1; got 'yes'"):
        measure([0, 1, 1], [0, 1, 1], positive="yes")
    with pytest.raises(ValueError, match=r"positive must be one label; got \[0, 1\]"):
        measure([0, 1, 1], [0, 1, 1], positive=[0, 1])


X4, Y4 = np.zeros((4, 1)), np.array([0, 1, 0, 1])
REFUSED = [
    (lambda: confusion_matrix([0, 1], [0, 1], labels=[0]), r"labels must name every class in y and predicted; \[1\]"),
    (lambda: confusion_matrix([0, 1], [0, 1], labels=["0", "1"]), r"\[0, 1\] missing"),
    (lambda: confusion_matrix([0, 1], [0, 1], labels=[0, 1, 1]), r"labels must name each class once; got \[0, 1, 1\]"),
    (lambda: confusion_matrix([0, 1], [0, 1], normalize="rows"), "normalize must be one of False, True; got 'rows'"),
    (lambda: error_rate([[1], [2, 3]], [1, 2]), "one label per sample; its entries differ in length"),
    (lambda: r2_score([1e308, -1e308], [0, 0]), "too large for floating-point numbers"),
    (lambda: roc_curve([1, 1], [0.2, 0.3], positive=1), "y must hold positives and negatives; all 2 labels are 1"),
    (lambda: roc_curve([0, 1], [0.2, np.inf]), r"scores must be finite; scores\[1\] is inf"),
    (lambda: roc_curve([0, 1], [0.2]), "scores must have one entry per row of y: 2 rows, but scores has 1"),
    (lambda: auc([0, 1, 0], [0.1, 0.9, 0.2]), r"fpr must rise within \[0, 1\]. For labels and scores use roc_auc"),
    (lambda: auc([0, 1], [0.5, 1.5]), "tpr must rise within"),
    (lambda: auc([0, 0.5], [0, 1]), "fpr must go from 0 to 1; it goes from 0 to 0.5"),
    (lambda: mse([1, 2], [[1], [2]]), r"same shape; got \(2,\) and \(2, 1\)"),
    (lambda: mae(np.zeros((2, 2, 2)), np.zeros((2, 2, 2))), r"y must have shape \(n,\) or \(n, k\); got \(2, 2, 2\)"),
    (lambda: mse([1e200, 0], [0, 0]), "too large for floating-point numbers; change the unit of y"),
    (lambda: mae([1.5e308, 0], [-1.5e308, 0]), "too large for floating-point numbers"),
    (lambda: rmse([1, np.nan], [0, 0]), r"y must be finite; y\[1\] is nan"),
    (lambda: r2_score([0.1, 0.1, 0.1], [1, 2, 3]), "all 3 values of y are 0.1"),
    (lambda: r2_score([1, 2], [1]), "predicted must have one entry per row of y"),
    (
        lambda: adjusted_r2([1, 2, 3], [1, 2, 2], 2),
        "p must be at most 1 .3 samples must leave a degree of freedom.; got 2",
    ),
    (lambda: adjusted_r2([1, 2, 3], [1, 2, 2], 0.5), "p must be a whole number; got 0.5"),
    (lambda: huber([1], delta=0), "delta must be greater than 0; got 0"),
    (lambda: huber(["a"]), "r must hold numbers only"),
    (lambda: squared(1e200), "r is too large"),
    (lambda: hinge([np.nan]), "m must be finite"),
    (lambda: log_loss([0, 1], [0.5, 1.2]), r"p must hold probabilities in \[0, 1\]; it goes from 0.5 to 1.2"),
    (lambda: log_loss([0, 1], [0.5]), r"p must have shape \(n,\) or \(n, k\) with n = 2, as y has; got \(1,\)"),
    (lambda: log_loss([0, 1], np.full((2, 3), 1 / 3)), "one column per class of y; y has 2, p has 3"),
    (lambda: log_loss([0, 1], np.full((2, 2), 0.4)), "p must sum to one; it sums to 0.8"),
    (lambda: log_loss([0, 1], np.full((2, 2), 0.5), positive=1), r"positive goes with p of shape \(n,\)"),
    (lambda: log_loss([0, 1], np.full((2, 3), 1 / 3)), r"Name all classes with labels=\[...\]"),
    (lambda: log_loss([0, 1], np.full((2, 2), 0.5), labels=[0, 2]), "every class of y"),
    (lambda: log_loss([0, 1], [0.5, 0.5], labels=[0, 1]), r"labels goes with p of shape \(n, k\)"),
    (lambda: mse(["1"], ["2"]), "y must hold numbers; it holds text"),
    (lambda: zero_one(np.nan), "m must be finite; got nan"),
    (lambda: cross_val_error(Majority, X4, Y4, 2, loss=lambda y, said: np.nan), "loss must return a number; it is nan"),
    (
        lambda: cross_val_error(SVC, X4, np.array([0, 0, 0, 1]), 2),
        "training without fold [12] of 2 failed: .*class",
    ),
    (lambda: z_value(1), "confidence must be greater than 0 and less than 1; got 1"),
    (lambda: error_interval(0.3, 40, 95), "confidence must be greater than 0 and less than 1; got 95"),
    (lambda: error_interval(12, 40), "error must be at least 0 and at most 1; got 12"),
    (lambda: error_interval(0.3, 0), "n must be at least 1; got 0"),
    (lambda: wilson_interval(0.3, 4.5), "n must be a whole number; got 4.5"),
    (lambda: difference_interval(0.3, 4, -0.1, 4), "error_2 must be at least 0 and at most 1; got -0.1"),
    (lambda: paired_difference_interval([0, 1], [0, 1], [0]), "predicted_2 must have one entry per row of y: 2 rows"),
    (lambda: paired_difference_interval([0, 1], [0], [0, 1]), "predicted_1 must have one entry per row of y: 2 rows"),
    (lambda: paired_difference_interval([0, 1], [0, 1], ["0", "1"]), "labels of one type; y holds numbers such as 0"),
    (
        lambda: paired_difference_interval([0, 1], [0, 1], [0, 1], 95),
        "confidence must be greater than 0 and less than 1",
    ),
    (lambda: train_test_split(X4, Y4[:3]), "y must have one entry per row of X: 4 rows, but y has 3"),
    (lambda: train_test_split(X4, Y4, 2), "test_size must be greater than 0 and less than 1; got 2"),
    (lambda: train_test_split(X4, Y4, 0.01), "test_size 0.01 of 4 samples leaves 4 to train, 0 to test"),
    (lambda: train_test_split([[1, 2], [3]], [0, 1]), "X must have rows of equal length"),
    (lambda: train_test_split([], []), "X must hold at least one sample"),
    (lambda: train_test_split([[1.0], [np.nan]], [0, 1]), r"X must be finite; X\[1, 0\] is not"),
    (lambda: train_test_split(X4, Y4, rng=None), "rng must be a non-negative integer seed"),
    (lambda: stratified_k_fold([0, 1, 0], 4), "k must be at most 3 .no more folds than samples.; got 4"),
    (lambda: bootstrap_interval(np.mean), "give a measure and its columns"),
    (lambda: bootstrap_interval(3, [1, 2]), "give a measure and its columns"),
    (lambda: bootstrap_interval(accuracy, [1, 0], [1]), r"their lengths are \[2, 1\]"),
    (lambda: bootstrap_interval(np.mean, []), r"their lengths are \[0\]"),
    (lambda: bootstrap_interval(np.cumsum, [1, 2]), "measure must return one finite number"),
    (lambda: bootstrap_interval(np.mean, [1, 2], confidence=95), "confidence must be greater than 0"),
    (lambda: bootstrap_interval(np.mean, [1, 2], n_resamples=1), "n_resamples must be at least 2"),
    (
        lambda: bootstrap_interval(roc_auc, [1, 0], [0.3, 0.2]),
        "the measure failed on a resample of the 2 samples: ",
    ),
    (lambda: average_precision([1, 1], [0.2, 0.3], positive=1), "y must hold positives and negatives"),
    (lambda: precision_recall_curve([0, 1], [0.2]), "scores must have one entry per row of y"),
    (lambda: k_fold(5, 6), "k must be at most 5 .no more folds than samples.; got 6"),
    (lambda: k_fold(5, 1), "k must be at least 2; got 1"),
    (lambda: k_fold(1, 1), "n must be at least 2; got 1"),
    (lambda: k_fold([1, 2, 3], 2), r"n must be a whole number; got \[1, 2, 3\]"),
    (lambda: cross_val_error(Majority(), X4, Y4, 2), "make must be a function that returns a new model"),
    (lambda: cross_val_error(dict, X4, Y4, 2), r"as in make=lambda: Model\(\); make\(\) gave {}"),
    (lambda: cross_val_error(Majority, X4, Y4 / 3, 2), "y holds fractions, so it looks like regression: pass loss=mse"),
    (lambda: cross_val_error(Majority, X4, Y4, 2, loss="mse"), r"loss must be a function loss\(y, predicted\)"),
    (
        lambda: cross_val_error(Majority, X4, Y4, 2, loss=np.subtract),
        r"one number for a fold; it returned shape \(2,\)",
    ),
    (lambda: cross_val_error(Majority, X4, Y4, 5), "k must be at most 4"),
    (lambda: compare_learners(Majority, 3, X4, Y4, 2), "make_b must be a function that returns a new model.*got 3"),
    (lambda: compare_learners(Majority, LinearRegression, X4, Y4, 2), "pass the loss that judges both"),
    (lambda: compare_learners(Majority, Majority, X4, Y4, 2, confidence=95), "confidence must be greater than 0"),
]


@pytest.mark.parametrize(("call", "message"), REFUSED)
def test_bad_input_is_refused_with_a_reason(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_inputs_are_never_modified():
    y, predicted, scores = np.array([1, 0, 1, 0]), np.array([0, 0, 1, 1]), np.array([0.3, 0.6, 0.9, 0.1])
    for array in (y, predicted, scores):
        array.flags.writeable = False
    for measure in PAIR:
        measure(y, predicted)
    for measure in (roc_curve, roc_auc, precision_recall_curve, average_precision, log_loss, mae, mse, r2_score):
        measure(y, scores)
    for loss in (absolute, squared, huber, zero_one, hinge, logistic):
        loss(scores)
    cross_val_error(Majority, scores[:, None], y, 2)
    train_test_split(scores, y)
    stratified_k_fold(y, 2)
    bootstrap_interval(mae, y, scores, n_resamples=5)


def test_module_loads_no_scipy():
    code = "import sys, mlteach.evaluation; print('scipy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "False"


def test_every_public_name_is_documented_and_listed():
    for name in evaluation.__all__:
        assert re.match(r"[A-Z]", getattr(evaluation, name).__doc__), name


# --- the bootstrap -----------------------------------------------------------------------------------------------


def test_bootstrap_of_a_tiny_sample_is_exact():
    # Two values 0 and 1: a resample has the mean 0, 1/2, 1 with probabilities 1/4, 1/2, 1/4
    assert bootstrap_interval(np.mean, [0, 1], confidence=0.4) == (0.5, 0.5)
    assert bootstrap_interval(np.mean, [0, 1], confidence=0.6) == (0.0, 1.0)
    assert bootstrap_interval(np.mean, [3, 3, 3]) == (3.0, 3.0)


def test_bootstrap_of_a_share_follows_the_binomial_distribution():
    # k of n ones: the resampled mean is a binomial share, so its quantiles are known
    n, k = 200, 60
    low, high = bootstrap_interval(np.mean, np.repeat([1, 0], [k, n - k]), n_resamples=20_000, rng=3)
    assert_allclose([low, high], scipy_binom.ppf([0.025, 0.975], n, k / n) / n, atol=0.006)


@pytest.mark.slow
def test_bootstrap_covers_an_auc_and_keeps_rows_together():
    rng, hits = np.random.default_rng(5), 0
    truth = 0.5 * (1 + erf(0.5))  # positives N(1, 1), negatives N(0, 1): P(difference > 0) = Phi(1 / sqrt 2)
    for seed in range(60):
        y = np.repeat([1, 0], 40)
        low, high = bootstrap_interval(roc_auc, y, rng.normal(1.0 * y), n_resamples=200, rng=seed)
        hits += low <= truth <= high
    assert hits >= 50  # 95 % promised
    y = np.arange(12) % 2
    assert bootstrap_interval(accuracy, y, y) == (1.0, 1.0)  # labels and answers are drawn together


# --- the same in scikit-learn (2.16) -------------------------------------------------------------------------------


def test_translation_to_scikit_learn():
    rng = np.random.default_rng(6)
    y, predicted = rng.choice(list("abc"), (2, 60), p=[0.6, 0.3, 0.1])
    C = confusion_matrix(y, predicted)
    recalls = [recall(y, predicted, positive=c) for c in "abc"]
    assert np.mean(recalls) == pytest.approx(metrics.recall_score(y, predicted, average="macro"))
    pooled = np.sum([outcomes(y, predicted, positive=c) for c in "abc"], axis=0)
    micro = pooled[0] / (pooled[0] + pooled[2])
    assert micro == pytest.approx(metrics.f1_score(y, predicted, average="micro"))
    assert micro == pytest.approx(accuracy(y, predicted)) == pytest.approx(np.trace(C) / 60)
    vectors, guesses = rng.normal(size=(2, 20, 3))
    assert mse(vectors, guesses) == pytest.approx(3 * metrics.mean_squared_error(vectors, guesses))
    lengths = np.linalg.norm(vectors - guesses, axis=1)
    assert mae(vectors, guesses) == pytest.approx(lengths.mean())
    assert mae(vectors, guesses) > 1.2 * metrics.mean_absolute_error(vectors, guesses)
    assert rmse(vectors, guesses) > 1.2 * metrics.root_mean_squared_error(vectors, guesses)
    bits, said = rng.integers(0, 2, (2, 50))
    assert specificity(bits, said) == pytest.approx(metrics.recall_score(bits, said, pos_label=0))
    assert roc_auc(bits, said) == pytest.approx(metrics.roc_auc_score(bits, said))
    X = rng.normal(size=(50, 2))
    mine = fold_errors(lambda: KNeighborsClassifier(3), X, bits, k_fold(50, 5))
    assert_allclose(1 - mine, cross_val_score(KNeighborsClassifier(3), X, bits, cv=k_fold(50, 5)))


# --- errata of the sources: the printed form fails, the right one holds ------------------------------------------


def test_erratum_s0_e8():
    # Printed: zero bias can never be proved. For an h chosen without S the average over all S is the true error
    D, f, h = np.array([0.1, 0.2, 0.3, 0.4]), np.array([0, 1, 1, 0]), np.array([0, 0, 1, 1])
    true_error = D @ (f != h)
    samples = [list(S) for S in itertools.product(range(4), repeat=3)]
    mean = sum(np.prod(D[S]) * error_rate(f[S], h[S]) for S in samples)
    assert mean == pytest.approx(true_error, abs=1e-15)
    # An h learnt from S itself is judged too kindly: remember S, answer 0 elsewhere
    bias = 0
    for S in samples:
        memory = np.where(np.isin(range(4), S), f, 0)
        bias += np.prod(D[S]) * (error_rate(f[S], memory[S]) - D @ (f != memory))
    assert bias < -0.1


def test_erratum_s0_e9():
    # Printed: with a third held out, the sample error is guaranteed close. It is so with a confidence level only
    low, high = error_interval(0.3, 1000, 0.95)
    assert (high - low) / 2 == pytest.approx(0.028403, abs=5e-7)
    r = np.arange(1001)
    log_pmf = np.cumsum(np.append(1000 * np.log(0.7), np.log((1001 - r[1:]) / r[1:] * 3 / 7)))
    missed = np.exp(log_pmf) @ (np.abs(r / 1000 - 0.3) > (high - low) / 2)
    assert missed == pytest.approx(0.05, abs=0.01)  # one test set in twenty is further off


def test_erratum_s0_e10():
    # Printed: averages converge by the central limit theorem. That theorem is about sqrt(k) times the deviation
    rng = np.random.default_rng(0)
    spread = {k: np.std(rng.binomial(k, 0.3, 4000) / k) for k in (100, 10000)}
    assert spread[10000] < 0.005 < 0.04 < spread[100]  # the law of large numbers: to 0
    for k, s in spread.items():
        assert np.sqrt(k) * s == pytest.approx(np.sqrt(0.3 * 0.7), rel=0.05)  # the CLT: it keeps its size


def test_erratum_s0_e11():
    # Printed: k-fold cross-validation is unbiased. All 4^4 samples, a learner that remembers, exactly
    D, f = np.array([0.1, 0.2, 0.3, 0.4]), np.array([0, 1, 1, 0])

    class Memory:
        def fit(self, X, y):
            self.h_ = np.where(np.isin(range(4), X), f, 0)
            return self

        def predict(self, X):
            return self.h_[X]

    mean = {2: 0.0, 4: 0.0, "h from all 4": 0.0, "h from 2": 0.0, "h from 3": 0.0}
    for S in itertools.product(range(4), repeat=4):
        S, weight = np.array(S), D[list(S)].prod()
        for k in (2, 4):
            mean[k] += weight * cross_val_error(Memory, S, f[S], k)
        for n, name in ((4, "h from all 4"), (3, "h from 3"), (2, "h from 2")):
            mean[name] += weight * (D @ (Memory().fit(S[:n], f[S[:n]]).h_ != f))
    assert [round(mean[k], 4) for k in (2, 4)] == [0.2750, 0.2053]
    assert mean["h from all 4"] == pytest.approx(0.15395, abs=5e-6)  # both estimates are pessimistic about it
    # ... and unbiased for the learner that gets N (k - 1) / k samples, although the folds share training data
    assert_allclose([mean[2], mean[4]], [mean["h from 2"], mean["h from 3"]], rtol=1e-12)


def test_erratum_s0_e12():
    # Printed: the normalised diagonal is the accuracy per class. It is the recall
    y, predicted = from_matrix(C5)
    diagonal = confusion_matrix(y, predicted, normalize=True)[0, 0]
    assert diagonal == recall(y, predicted, positive=0) == 0.9
    one_against_rest = accuracy(y == 0, predicted == 0)
    assert one_against_rest == pytest.approx(0.955, abs=1e-15)


def test_erratum_s2_e2_24():
    # Printed: the training loss a mean here, a sum there. Only the mean is the same for twice the data
    predicted = LinearRegression().fit(x5, t5).predict(x5)
    once, twice = (t5, predicted), (np.tile(t5, 2), np.tile(predicted, 2))
    assert mse(*twice) == pytest.approx(mse(*once), rel=1e-14)
    assert np.sum(squared(twice[0] - twice[1])) == pytest.approx(2 * np.sum(squared(once[0] - once[1])), rel=1e-14)


def test_erratum_s2_e2_27():
    # Printed: leave-one-out is k = n, while n counts features; it is k = N, the number of samples
    N, n = x5.shape
    assert cross_val_error(LinearRegression, x5, t5, k=N) == pytest.approx(0.747194, abs=5e-7)
    with pytest.raises(ValueError, match="k must be at least 2; got 1"):
        cross_val_error(LinearRegression, x5, t5, k=n)


def test_erratum_s2_e2_28():
    # Printed: loss + lambda |w| or w^2 for a vector, a mean in one line and a sum in the next, with no word on lambda
    A, eye = np.column_stack([np.ones(5), x5]), np.eye(2)
    by_sum = np.linalg.solve(A.T @ A + eye, A.T @ t5)
    by_mean = np.linalg.solve(A.T @ A / 5 + eye, A.T @ t5 / 5)
    assert_allclose(by_sum, [0.765766, 1.027027], atol=5e-7)
    assert_allclose(by_mean, [0.44, 1.04], atol=5e-7)
    assert_allclose(np.linalg.solve(A.T @ A / 5 + eye / 5, A.T @ t5 / 5), by_sum)  # the same lambda once divided by N


def test_erratum_s3_e3_08():
    # Printed: N - M - 1 with M all parameters. On pure noise only N - M is right on average
    rng = np.random.default_rng(0)
    N, M, runs = 12, 3, 4000
    Q = np.linalg.qr(np.column_stack([np.ones(N), rng.normal(size=(N, M - 1))]))[0]
    Y = rng.normal(size=(runs, N))
    fits = Y @ Q @ Q.T
    right = [adjusted_r2(y, fit, M - 1) for y, fit in zip(Y, fits)]
    printed = [adjusted_r2(y, fit, M) for y, fit in zip(Y, fits)]
    error = np.std(right) / np.sqrt(runs)
    assert abs(np.mean(right)) < 4 * error
    assert np.mean(printed) < -0.1


def test_erratum_s3_e3_18():
    # Printed: all four measures depend on which class is positive. Accuracy does not
    y, predicted = from_counts(tp=40, fp=10, fn=20, tn=30)
    assert accuracy(y, predicted) == accuracy(1 - y, 1 - predicted) == 0.7
    for measure, one, zero in ((precision, 0.8, 0.6), (recall, 2 / 3, 0.75), (f1_score, 8 / 11, 2 / 3)):
        assert measure(y, predicted, positive=1) == pytest.approx(one, abs=1e-15)
        assert measure(y, predicted, positive=0) == pytest.approx(zero, abs=1e-15)


def test_erratum_s3_e3_34():
    # Printed: overfitting is a true error above the training error. That blames most fits of the right model:
    # a line fitted to 30 points of a line with unit noise, errors as mean squares at the same places
    X = np.column_stack([np.ones(30), np.linspace(-1, 1, 30)])
    noise = np.random.default_rng(8).normal(size=(2000, 30))
    fitted = noise @ X @ np.linalg.inv(X.T @ X) @ X.T
    training, true = np.mean((noise - fitted) ** 2, axis=1), 1 + np.mean(fitted**2, axis=1)
    assert np.mean(true > training) > 0.6
    assert true.mean() == pytest.approx(1 + 2 / 30, abs=0.01)  # within a fifteenth of the best line there is
    # The definition convicts all of them too, with the true line as witness: what counts is how much is lost
    assert np.all((training < np.mean(noise**2, axis=1)) & (true > 1))
    # Right: another hypothesis must be worse on the sample and better in truth. On 40 samples of a bump
    # of 0.85 and 0.15, degree 16 overfits with degree 2 as its witness
    rng = np.random.default_rng(3)
    x = rng.uniform(-1, 1, 40)
    y = (rng.random(40) < np.where(abs(x) < 0.5, 0.85, 0.15)).astype(int)
    grid = (np.arange(2000) + 0.5) / 1000 - 1
    errors = []
    for degree in (16, 2):
        fit = np.polynomial.legendre.Legendre.fit(x, y, degree, domain=[-1, 1])
        right = (fit(grid) >= 0.5) == (abs(grid) < 0.5)
        errors.append((error_rate(y, (fit(x) >= 0.5).astype(int)), np.mean(np.where(right, 0.15, 0.85))))
    (on_sample, in_truth), (witness_on_sample, witness_in_truth) = errors
    assert on_sample < witness_on_sample
    assert in_truth > witness_in_truth


def test_erratum_s3_e3_41():
    # Printed: R2 near 0 is worse than the mean. It equals the mean; worse is negative
    t = np.array([1.0, 2, 3])
    assert r2_score(t, np.full(3, t.mean())) == 0
    assert r2_score(t, t[::-1]) == -3


@pytest.mark.parametrize(
    ("n", "p", "covered"),
    [(40, 0.3, 0.930), (30, 0.1, 0.809), (100, 0.05, 0.877), (1000, 0.005, 0.871), (5, 0.05, 0.225)],
)
def test_erratum_s4_f3(n, p, covered):
    # Printed: the interval without conditions. Its true coverage falls far below 95 % for few samples or errors
    assert coverage(error_interval, n, p) == pytest.approx(covered, abs=0.001)
    assert coverage(wilson_interval, n, p) > 0.93


FOLDED = [  # explorer, settings, what the folded answer quotes of the read-out
    ("interval_coverage", {}, ["4 of 100"]),
    ("interval_coverage", {"n": 10.0, "p": 0.05}, ["68 of 100", "60.0 %", "no width"]),
    ("interval_coverage", {"n": 100.0, "p": 0.05}, ["12.3 %"]),
    ("interval_coverage", {"n": 10.0, "p": 0.05, "method": "Wilson"}, ["8.6 %"]),
    ("fold_count", {"k": 2}, ["on 10 of 20", "7.2 points too high"]),
    ("fold_count", {}, ["on 18 of 20", "1.0 points too high", "11.9 points"]),
    ("fold_count", {"k": 20}, ["0.4 points too high", "11.6 points"]),
    ("paired_comparison", {"overlap": 0.0}, ["about 38 % and 31 %"]),
    ("paired_comparison", {"overlap": 0.7}, ["about 31 % and 65 %"]),
    ("paired_comparison", {"overlap": 1.0}, ["about 20 % and 100 %"]),
    ("paired_comparison", {"difference": 0.08, "overlap": 0.0}, ["about 75 %"]),
    ("paired_comparison", {"difference": 0.08, "overlap": 0.7}, ["about 84 %"]),
    ("paired_comparison", {"difference": 0.08, "overlap": 1.0}, ["about 92 %"]),
    ("paired_comparison", {"difference": 0.0, "overlap": 0.7}, ["about 0 % and 5 %"]),
    ("decision_threshold", {"threshold": -0.3}, ["Precision 0.37"]),
    ("decision_threshold", {"threshold": 0.5}, ["Precision 0.81, recall 0.58"]),
    ("decision_threshold", {"threshold": 0.52}, ["Precision 0.84"]),
    ("decision_threshold", {"threshold": 0.59}, ["Precision 0.81"]),
    ("decision_threshold", {"threshold": 0.9}, ["Precision 1.00"]),
    ("decision_threshold", {"threshold": 1.5}, ["Precision 0.00", "nobody is called ill"]),
    ("decision_threshold", {"prevalence": 0.05}, ["Precision 0.28, recall 0.58"]),
    ("decision_threshold", {"ratio": 10.0, "threshold": 0.09}, ["0 misses", "454 false", "τ = 0.23, at 399"]),
    ("loss_shapes", {"outlier": 5.0}, ["at 4.43 (mean)", "at 4.80 (median)", "at 4.48"]),
    ("loss_shapes", {"outlier": 12.0}, ["at 5.43 (mean)", "at 4.80 (median)", "at 4.94"]),
    ("loss_shapes", {"outlier": 20.0}, ["at 6.57 (mean)", "at 4.80 (median)", "at 4.94"]),
    ("loss_shapes", {"outlier": 20.0, "delta": 10.0}, ["δ = 10 at 6.00"]),
    ("loss_shapes", {"outlier": 20.0, "delta": 0.05}, ["δ = 0.05 at 4.80"]),
    ("loss_shapes", {"margin": 1.0}, ["hinge 0.00"]),
    ("loss_shapes", {"margin": 2.0}, ["hinge 0.00", "ln 2 0.18"]),
]


def scene(name):
    return made(name).scene


def at_start(name, **moved):
    return scene(name).compute(**{**{key: control.value for key, control in scene(name).controls.items()}, **moved})


@pytest.mark.parametrize(("name", "settings", "words"), FOLDED)
def test_read_outs_that_the_folded_answers_quote(name, settings, words):
    said = scene(name).describe(at_start(name, **settings)).replace("**", "")
    assert all(word in said for word in words), said


def test_play_draws_between_none_and_eight_misses():
    misses = [np.sum(~at_start("interval_coverage", seed=seed)[6]) for seed in range(1, 31)]
    assert (min(misses), max(misses)) == (0, 8)


def test_curves_are_drawn_only_as_far_as_the_reader_has_come():
    folds = scene("fold_count")
    folds.draw(folds.compute(7, 5))
    assert folds.bias.get_xdata().tolist() == [2, 3, 4, 5, 6, 7]
    losses = scene("loss_shapes")
    losses.draw(losses.compute(2.0, 12.0, 0.0))
    assert losses.tracks["mean"].get_xdata()[-1] == 12


def test_the_circles_of_figure_2_8_are_to_scale():
    relevant, retrieved, apart = 1.2, 1.095, 0.485

    def part(r, other):
        return r**2 * np.arccos((apart**2 + r**2 - other**2) / (2 * apart * r))

    half = (relevant + retrieved + apart) / 2
    triangle = 2 * np.sqrt(half * (half - relevant) * (half - retrieved) * (half - apart))
    overlap = part(relevant, retrieved) + part(retrieved, relevant) - triangle
    person = np.pi * relevant**2 / 12
    assert_allclose([np.pi * retrieved**2 / person, overlap / person], [10, 8], rtol=2e-3)


@pytest.mark.parametrize(("times", "rises"), [(1.01, True), (0.99, False)])
def test_adjusted_r2_rises_if_rss_falls_by_more_than_its_share(times, rises):
    rng = np.random.default_rng(5)
    y, miss, J = rng.normal(size=20), rng.normal(size=20), 4  # J parameters before the new input
    fits = y - miss, y - miss * np.sqrt(1 - times / (20 - J))
    before, after = (adjusted_r2(y, fit, p=p) for fit, p in zip(fits, (J - 1, J)))
    assert (after > before) == rises


def test_erratum_s4_f4():
    # Printed: delta_i undefined. It is the error of h_i on its own fold, and the estimate is the mean of these
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(23, 1)), rng.choice(3, 23, p=[0.5, 0.3, 0.2])
    deltas = []
    for train, test in k_fold(23, 4, 9):
        deltas.append(np.mean(Majority().fit(X[train], y[train]).predict(X[test]) != y[test]))
    assert_array_equal(cross_val_errors(Majority, X, y, 4, 9), deltas)
    assert cross_val_error(Majority, X, y, 4, 9) == pytest.approx(np.mean(deltas), abs=1e-15)

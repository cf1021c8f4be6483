"""Chapter 09: posteriors, votes, candy bags, Beta updating, maximum likelihood, and the errata of the sources."""

import csv
from fractions import Fraction as F
from itertools import product
from math import comb, exp, lgamma, log
from pathlib import Path

import numpy as np
import pytest
from explorers import made
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from mlteach import datasets
from mlteach.bayesian_learning import (
    BetaBernoulli,
    CandyBags,
    bayes_optimal,
    fit_bernoulli,
    fit_gaussian,
    gibbs_classifier,
    log_likelihood,
    map_hypothesis,
    ml_hypothesis,
    posterior,
    predictive,
    vote_weights,
)
from mlteach.evaluation import Interval, error_interval, wilson_interval
from mlteach.learning_problems import all_subsets, consistent, version_space
from mlteach.probability import multivariate_normal_pdf, normal_pdf
from mlteach.regularization import BayesianLinearRegression

PRIOR, LIME = [0.1, 0.2, 0.4, 0.2, 0.1], [0, 0.25, 0.5, 0.75, 1]
EXACT_PRIOR = [F(1, 10), F(1, 5), F(2, 5), F(1, 5), F(1, 10)]
EXACT_LIME = [F(0), F(1, 4), F(1, 2), F(3, 4), F(1)]


def exact(limes, cherries=0):
    """Return posterior and P(next lime) in fractions."""
    weights = [p * t**limes * (1 - t) ** cherries for p, t in zip(EXACT_PRIOR, EXACT_LIME)]
    belief = [w / sum(weights) for w in weights]
    return belief, sum(p * t for p, t in zip(belief, EXACT_LIME))


# --- the numbers of the sources ------------------------------------------------------------------------------------


def test_candy_posteriors_of_the_sources():
    bags = CandyBags()
    assert bags.predict([]) == pytest.approx(1 / 2)
    assert bags.posterior(["lime"]) == pytest.approx([0, 1 / 10, 2 / 5, 3 / 10, 1 / 5])
    assert bags.predict(["lime"]) == pytest.approx(13 / 20)
    assert bags.posterior(["lime"] * 2) == pytest.approx([0, 1 / 26, 4 / 13, 9 / 26, 4 / 13])
    assert bags.predict(["lime"] * 2) == pytest.approx(19 / 26)
    assert bags.posterior(["lime"] * 3) == pytest.approx([0, 1 / 76, 4 / 19, 27 / 76, 8 / 19])
    assert bags.predict(["lime"] * 3) == pytest.approx(121 / 152)
    assert bags.posterior(["lime"] * 10) == pytest.approx([0, 0.000002, 0.003499, 0.100872, 0.895628], abs=5e-7)
    assert bags.predict(["lime"] * 10) == pytest.approx(0.973031, abs=5e-7)
    assert [bags.map_bag(["lime"] * n) for n in range(11)] == [2, 2, 3] + [4] * 8


@pytest.mark.parametrize(("limes", "cherries"), [(0, 0), (1, 0), (0, 1), (3, 2), (7, 1), (1, 6), (20, 20)])
def test_candy_bags_against_fractions(limes, cherries):
    belief, next_lime = exact(limes, cherries)
    candies = ["lime"] * limes + ["cherry"] * cherries
    bags = CandyBags()
    assert bags.posterior(candies) == pytest.approx([float(p) for p in belief])
    assert bags.curves(candies)[-1] == pytest.approx([float(p) for p in belief])
    assert bags.predict(candies) == pytest.approx(float(next_lime))
    assert len(bags.curves(candies)) == limes + cherries + 1
    numbers = [1] * limes + [0] * cherries
    assert bags.posterior(numbers).tolist() == bags.posterior(candies).tolist()


def test_three_hypotheses_example():
    assert map_hypothesis([0.4, 0.3, 0.3]) == 0
    assert vote_weights([0.4, 0.3, 0.3], ["+", "-", "-"]) == pytest.approx({"+": 0.4, "-": 0.6})
    assert bayes_optimal([0.4, 0.3, 0.3], ["+", "-", "-"]) == "-"
    assert bayes_optimal([0.4, 0.3, 0.3], [[1, 0], [0, 1], [0, 1]]) == 1


def test_bernoulli_and_wrappers_of_the_sources():
    x = [1] * 7 + [0] * 3
    assert fit_bernoulli(x) == pytest.approx(0.7)
    assert log_likelihood(x, 0.7) == pytest.approx(-6.108643, abs=5e-7)
    cherry = np.array([1] * 60 + [0] * 40)
    red = np.array([1] * 45 + [0] * 15 + [1] * 10 + [0] * 30)
    assert fit_bernoulli(cherry) == 0.6
    assert fit_bernoulli(red[cherry == 1]) == 0.75
    assert fit_bernoulli(red[cherry == 0]) == 0.25


def test_gaussian_of_the_sources():
    x = [11, 13, 14, 15, 17]
    mu, variance = fit_gaussian(x)
    assert (mu, variance) == (14, 4)
    assert normal_pdf(x, mu, variance**0.5, log=True).sum() == pytest.approx(-10.560429, abs=5e-7)
    assert normal_pdf(x, 12, 2, log=True).sum() == pytest.approx(-13.060429, abs=5e-7)


def test_beta_updating_of_the_sources():
    steps = [BetaBernoulli(1, 1).update([1, 1, 0][:n]) for n in range(4)]
    assert [(s.a, s.b) for s in steps] == [(1, 1), (2, 1), (3, 1), (3, 2)]
    assert [s.mean() for s in steps] == pytest.approx([1 / 2, 2 / 3, 3 / 4, 3 / 5])


# --- properties ----------------------------------------------------------------------------------------------------

shares = st.lists(st.floats(0.01, 1), min_size=2, max_size=6)


@given(shares, st.data())
@settings(max_examples=50, deadline=None)
def test_posterior_is_prior_times_likelihood_normalised(weights, data):
    prior = np.array(weights) / sum(weights)
    n = data.draw(st.integers(1, 5))
    cell = st.floats(0.001, 1)
    rows = np.array(
        data.draw(st.lists(st.lists(cell, min_size=len(prior), max_size=len(prior)), min_size=n, max_size=n))
    )
    expected = prior * rows.prod(axis=0)
    expected /= expected.sum()
    assert posterior(prior, rows) == pytest.approx(expected)
    assert posterior(prior, rows.prod(axis=0)) == pytest.approx(expected)
    assert posterior(prior, np.log(rows), log=True) == pytest.approx(expected)
    step = prior
    for row in rows:
        step = posterior(step, row)
    assert step == pytest.approx(expected)  # (9.3)
    assert posterior(prior, rows[::-1]) == pytest.approx(expected)
    best = map_hypothesis(prior, rows)
    assert expected[best] == pytest.approx(expected.max())
    assert ml_hypothesis(rows) == map_hypothesis(np.full(len(prior), 1 / len(prior)), rows)


@given(st.lists(st.booleans(), max_size=30), st.floats(0.3, 9), st.floats(0.3, 9))
@settings(max_examples=50, deadline=None)
def test_beta_update_is_bayes_rule_on_a_grid(data, a, b):
    prior, after = BetaBernoulli(a, b), BetaBernoulli(a, b).update(data)
    theta = np.array([0.1, 0.35, 0.6, 0.92])
    likelihood = np.array([exp(log_likelihood(data, t)) if data else 1.0 for t in theta])
    ratio = prior.pdf(theta) * likelihood / after.pdf(theta)
    assert ratio == pytest.approx(ratio[0])  # constant: the evidence
    assert after == BetaBernoulli(a + sum(data), b + len(data) - sum(data))
    one_by_one = prior
    for x in data:
        one_by_one = one_by_one.update(x)
    assert (one_by_one.a, one_by_one.b) == pytest.approx((after.a, after.b))
    assert (prior.a, prior.b) == (a, b)


@pytest.mark.parametrize(("a", "b"), [(1, 1), (3, 2), (0.5, 0.5), (200, 4), (1, 40), (0.05, 2), (2, 1e9)])
@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.99])
def test_beta_against_scipy(a, b, confidence):
    belief, theirs = BetaBernoulli(a, b), stats.beta(a, b)
    assert belief.mean() == pytest.approx(theirs.mean())
    assert belief.variance() == pytest.approx(theirs.var())
    assert belief.interval(confidence) == pytest.approx(theirs.interval(confidence), rel=1e-9)
    assert isinstance(belief.interval(confidence), Interval)
    assert belief.pdf([0.2, 0.7]) == pytest.approx(theirs.pdf([0.2, 0.7]))
    low, high = belief.interval(confidence)
    assert theirs.cdf(high) - theirs.cdf(low) == pytest.approx(confidence)


def test_mode_of_beta():
    assert BetaBernoulli(3, 2).mode() == pytest.approx(2 / 3)
    assert BetaBernoulli(1, 4).mode() == 0
    for a, b in ((1, 1), (0.5, 3), (0.4, 0.4)):
        with pytest.raises(ValueError, match="no single peak"):
            BetaBernoulli(a, b).mode()


def test_average_coverage_of_credible_intervals_is_exact():
    """Over theta from the prior and data from theta, the credible interval covers with its confidence (9.22)."""
    n, a, b = 7, 2, 3
    covered = 0
    for k in range(n + 1):
        evidence = comb(n, k) * exp(
            lgamma(a + k) + lgamma(b + n - k) - lgamma(a + b + n) + lgamma(a + b) - lgamma(a) - lgamma(b)
        )
        belief = BetaBernoulli(a + k, b + n - k)
        law = stats.beta(belief.a, belief.b)
        low, high = belief.interval(0.9)
        covered += evidence * (law.cdf(high) - law.cdf(low))
    assert covered == pytest.approx(0.9)


@pytest.mark.parametrize("d", [1, 2, 4])
def test_gaussian_ml_beats_every_neighbour(d):
    rng = np.random.default_rng(d)
    X = rng.normal(size=(30, d)) @ rng.normal(size=(d, d)) + rng.normal(size=d)
    mu, Sigma = fit_gaussian(X)
    best = multivariate_normal_pdf(X, mu, Sigma, log=True).sum()
    for _ in range(200):
        A = 0.1 * rng.normal(size=(d, d))
        other = (np.eye(d) + A) @ Sigma @ (np.eye(d) + A).T
        assert multivariate_normal_pdf(X, mu + 0.1 * rng.normal(size=d), other, log=True).sum() < best


def test_bernoulli_ml_beats_every_other_theta():
    x = [1, 0, 0, 1, 0, 0, 0]
    best = log_likelihood(x, fit_bernoulli(x))
    assert all(log_likelihood(x, t) <= best for t in np.linspace(0, 1, 101))
    assert log_likelihood([1, 1], 0) == -np.inf
    assert fit_bernoulli([0, 0, 0]) == 0
    assert fit_bernoulli([True, False]) == 0.5


def test_consistent_hypotheses_share_the_posterior():
    """Uniform prior, no noise: every member of the version space is MAP (9.10)."""
    H, X, y = all_subsets(range(1, 11)), [1, 6, 10, 3, 5, 7], [0, 0, 0, 1, 1, 1]
    likelihood = [float(consistent(h, X, y)) for h in H]
    p = posterior(np.full(len(H), 1 / len(H)), likelihood)
    assert len(version_space(H, X, y)) == 16
    assert sorted(set(p.round(12))) == [0, 1 / 16]


def test_bayes_optimal_is_the_best_of_all_rules():
    """Every function from data to answers, tried on a small problem: none errs less often (9.8)."""
    bags = CandyBags([0.3, 0.3, 0.4], [0.2, 0.6, 0.9])

    def chance(candies, bag):
        return np.prod(bags.likelihood(candies), axis=0)[bag] if candies else 1.0

    seen = list(product([0, 1], repeat=2))
    errors = {}
    for rule in product([0, 1], repeat=len(seen)):
        errors[rule] = sum(
            bags.prior[h] * chance(list(d), h) * (1 - bags.lime[h] if says else bags.lime[h])
            for d, says in zip(seen, rule)
            for h in range(3)
        )
    optimal = tuple(int(bags.predict(list(d)) > 0.5) for d in seen)
    assert errors[optimal] == pytest.approx(min(errors.values()))


def test_gibbs_classifier_draws_from_the_posterior():
    answers = gibbs_classifier([0.4, 0.3, 0.3], ["+", "-", "-"], n=20_000, rng=1)
    assert np.mean(answers == "+") == pytest.approx(0.4, abs=0.02)


@given(shares)
@settings(max_examples=50, deadline=None)
def test_gibbs_errs_at_most_twice_as_often(weights):
    p = np.array(weights) / sum(weights)
    assert 1 - np.sum(p**2) <= 2 * (1 - p.max()) + 1e-12


def test_many_observations_do_not_underflow():
    p = CandyBags().posterior([1, 0] * 2000)
    assert p[2] == pytest.approx(1)
    assert posterior([0.5, 0.5], [[1e-300, 2e-300]] * 3) == pytest.approx([1 / 9, 8 / 9])


def test_ties_go_to_the_first():
    assert map_hypothesis([0.1, 0.3, 0.1, 0.3, 0.2]) == 1
    assert map_hypothesis([0.1 + 0.2, 0.3, 0.4 - 0.1, 0.1]) == 0
    assert ml_hypothesis([0.2, 0.2]) == 0
    assert bayes_optimal([0.5, 0.5], ["b", "a"]) == "a"
    assert bayes_optimal([0.3, 0.3, 0.4], [2, 1, 1]) == 1


def test_normal_mean_is_bayesian_regression_on_a_constant():
    """The conjugate update of section 9.5.4 against the regression of chapter 06."""
    x, mu0, tau, sigma = np.array([4.1, 5.0, 6.3]), 2.0, 3.0, 1.5
    model = BayesianLinearRegression(tau**2, sigma**2, prior_mean=mu0, intercept=False).fit(np.ones((3, 1)), x)
    precision = 1 / tau**2 + 3 / sigma**2
    assert model.covariance_[0, 0] == pytest.approx(1 / precision)
    assert model.w_[0] == pytest.approx((mu0 / tau**2 + x.sum() / sigma**2) / precision)


def test_draw_follows_the_bag():
    bags = CandyBags()
    assert set(bags.draw(0, 30)) == {"cherry"}
    assert set(bags.draw(4, 30)) == {"lime"}
    assert np.mean([c == "lime" for c in bags.draw(3, 8000, rng=5)]) == pytest.approx(0.75, abs=0.03)
    assert bags.draw(2, 5, rng=3) == bags.draw(2, 5, rng=3)
    assert bags.draw(1, 0) == []


# --- what the folded answers quote ----------------------------------------------------------------------------------


def words_of(name, **settings):
    shown = made(name)
    return shown.describe(shown.compute(**settings)).replace("**", "")


@pytest.mark.parametrize(
    ("name", "settings", "said"),
    [
        ("unwrap_candies", {}, "all bags 0.627, MAP bag 0.75"),
        ("unwrap_candies", {"draw": 4}, "h3 with 0.717. Next lime: all bags 0.557, MAP bag 0.50"),
        ("unwrap_candies", {"bag": 4, "n": 40, "prior": "never bag 5"}, "most probable is h4 with 1.000"),
        ("one_or_all", {}, "the most probable one errs with 0.60, the vote with 0.40"),
        ("one_or_all", {"first": 0.5}, "a tie, settled for +"),
        ("one_or_all", {"first": 0.33}, "Belief (0.330, 0.335, 0.335)"),
        ("one_or_all", {"first": 0.3}, "They agree"),
        ("one_or_all", {"votes": "+ + +"}, "err with 0.00"),
        ("beta_updating", {"n": 200}, "139 successes in 200 give Beta(141, 63): mean 0.691, 95 % credible 0.626 to"),
        ("beta_updating", {"n": 200, "a": 30.0, "b": 30.0}, "mean 0.650, 95 % credible 0.591 to 0.707"),
        ("beta_updating", {"a": 30.0, "b": 30.0}, "7 successes in 10 give Beta(37, 33): mean 0.529"),
        ("credible_coverage", {}, "credible 0.000, Wilson 0.837, plain 0.000"),
        ("credible_coverage", {"a": 20.0, "b": 5.0}, "contains it with 0.950"),
    ],
)  # fmt: skip
def test_folded_answers_quote_the_explorers(name, settings, said):
    assert said in words_of(name, **settings)


def test_folded_counts():
    shown = made("unwrap_candies")
    best = [shown.compute(bag=3, n=40, draw=d)[4][40] for d in range(1, 31)]
    assert best.count(0.75) == 28
    average = [shown.compute(bag=3, n=40, draw=d)[3][40] for d, q in zip(range(1, 31), best) if q == 0.75]
    assert sum(0.68 < p < 0.75 for p in average) == 27
    ten = [shown.compute(bag=3, n=10, draw=d) for d in range(1, 31)]
    nearer = [round(abs(r[3][10] - 0.75) - abs(r[4][10] - 0.75), 9) for r in ten]
    assert [sum(x > 0 for x in nearer), sum(x < 0 for x in nearer), nearer.count(0)] == [25, 3, 2]
    assert made("one_or_all").compute()[5][2] == pytest.approx(0.48)
    _, ((theta, credible), _, _), _ = made("credible_coverage").compute(a=20.0, b=5.0)
    assert credible[np.argmin(np.abs(theta - 0.3))] < 5e-4
    assert BetaBernoulli(20, 5).update([0] * 20).interval().low == pytest.approx(0.304, abs=5e-4)


def test_circles_outside_their_bars():
    deadly = (datasets.horse_kicks().y > 0).reshape(14, 20)
    share = deadly[:, :5].mean()
    bars = [BetaBernoulli(30 * share, 30 * (1 - share)).update(row[:5]).interval() for row in deadly]
    assert sum(not i.low <= row[5:].mean() <= i.high for i, row in zip(bars, deadly)) == 5


def test_coverage_curves_are_exact():
    """The explorer's coverage against a plain sum over all outcomes."""
    _, curves, averages = made("credible_coverage").compute(n=6, a=2.0, b=1.5)
    intervals = [BetaBernoulli(2 + k, 7.5 - k).interval() for k in range(7)]
    rules = [intervals, *([rule(k / 6, 6) for k in range(7)] for rule in (wilson_interval, error_interval))]
    for (theta, values), ends in zip(curves, rules):
        for place in range(0, len(theta), 7):
            masses = stats.binom(6, theta[place]).pmf(range(7))
            hit = sum(m for m, i in zip(masses, ends) if i.low <= theta[place] <= i.high)
            assert values[place] == pytest.approx(hit)
        low, high = np.array(ends).T
        for x in np.clip([*(low - 2e-9), *(high + 2e-9)], 1e-9, 1 - 1e-9):  # just outside an end, where a curve dips
            hit = stats.binom(6, x).pmf(np.flatnonzero((low <= x) & (x <= high))).sum()
            assert values.min() <= hit + 1e-6
    assert averages[0] == pytest.approx(0.95)


# --- scikit-learn --------------------------------------------------------------------------------------------------


def test_the_same_in_scikit_learn():
    from sklearn.covariance import EmpiricalCovariance
    from sklearn.naive_bayes import BernoulliNB

    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 3)) * [1, 2, 3] + [0, 5, -1]
    law, theirs = fit_gaussian(X), EmpiricalCovariance().fit(X)
    assert law.mu == pytest.approx(theirs.location_)
    assert law.Sigma == pytest.approx(theirs.covariance_)
    x, y = rng.integers(0, 2, (50, 1)), rng.integers(0, 2, 50)
    for alpha in (0.5, 1, 3):
        model = BernoulliNB(alpha=alpha).fit(x, y)
        for k in (0, 1):
            mean = BetaBernoulli(alpha, alpha).update(x[y == k, 0]).mean()
            assert model.feature_log_prob_[k, 0] == pytest.approx(log(mean))


# --- bad input -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: posterior([0.5, 0.6], [1, 1]), "prior must sum to one; it sums to 1.1"),
        (lambda: posterior([1.5, -0.5], [1, 1]), "prior must not be negative"),
        (lambda: posterior([0.5, 0.5], [1, 1, 1]), r"likelihood must have shape \(2,\), or \(n, 2\).*got \(3,\)"),
        (lambda: posterior([0.5, 0.5], [1, -1]), "likelihood must not be negative; its smallest entry is -1. For ln P"),
        (lambda: posterior([0.5, 0.5], [1, np.nan]), "likelihood must be finite"),
        (lambda: posterior([0.5, 0.5], [0, np.nan], log=True), "likelihood must be finite"),
        (lambda: posterior([1, 0], [0, 1]), "every hypothesis with a positive prior gives these data probability 0"),
        (lambda: posterior([[0.5, 0.5]], [1, 1]), r"prior must have shape \(n,\)"),
        (lambda: posterior([0.5, 0.5], "ab"), "likelihood must hold numbers only"),
        (lambda: ml_hypothesis([0, 0]), "probability 0 under every hypothesis"),
        (lambda: map_hypothesis([0.5, 0.4]), "prior must sum to one"),
        (lambda: predictive([0.5, 0.5], [0.1, 1.2]), "between 0 and 1; got 1.2"),
        (lambda: predictive([0.5, 0.5], [0.1]), r"one row per hypothesis, \(2,\) or \(2, K\); got \(1,\)"),
        (lambda: predictive([0.5, 0.5], [[0.1, 0.8], [0.5, 0.5]]), "each row of probabilities must sum to one"),
        (lambda: bayes_optimal([0.5, 0.5], ["+"]), "votes must have one entry per row of posterior"),
        (lambda: bayes_optimal([0.5, 0.4], ["+", "-"]), "posterior must sum to one"),
        (lambda: gibbs_classifier([0.5, 0.5], ["+", "-"], n=0), "n must be at least 1"),
        (lambda: CandyBags([0.5, 0.5], [0.5]), "lime must have one entry per row of prior"),
        (lambda: CandyBags([0.5, 0.5], [0.5, 2]), "shares between 0 and 1"),
        (lambda: CandyBags().posterior("lime"), "candies must be a list"),
        (lambda: CandyBags().posterior(["lime", "lemon"]), "a candy is 'lime' or 'cherry', or 1 or 0; got 'lemon'"),
        (lambda: CandyBags().posterior([["lime"]]), r"got \['lime'\]"),
        (lambda: CandyBags().posterior(3), "candies must be a list .* got 3"),
        (lambda: CandyBags().ml_bag(3), "candies must be a list .* got 3"),
        (lambda: posterior([0.5, 0.5], ["a", "b"], log=True), "likelihood must hold numbers only"),
        (lambda: posterior([0.5, 0.5], [[1, 2], [3]]), "likelihood must hold numbers only"),
        (lambda: CandyBags().ml_bag([]), "unwrap at least one"),
        (lambda: CandyBags().draw(5, 1), "bag must be at most 4"),
        (lambda: BetaBernoulli(0, 1), "a must be greater than 0"),
        (lambda: BetaBernoulli(1, np.inf), "b must be a finite number"),
        (lambda: BetaBernoulli(1, 1).update([1, 2]), r"data must hold 0 and 1 only; data\[1\] is 2"),
        (lambda: BetaBernoulli(1, 1).update([[1, 0]]), "data must have 1 dimension"),
        (lambda: BetaBernoulli(1, 1).interval(1), "confidence must be greater than 0 and less than 1"),
        (lambda: fit_bernoulli([]), "x is empty"),
        (lambda: fit_bernoulli([0.5]), "0 and 1 only"),
        (lambda: log_likelihood([1], 1.5), "p must be at least 0 and at most 1"),
        (lambda: fit_gaussian([3.0]), "no maximum: these 1 points of 1 dimension"),
        (lambda: fit_gaussian([3.0, 3.0]), "no maximum"),
        (lambda: fit_gaussian([[1, 2], [2, 4], [3, 6.0]]), "these 3 points of 2 dimensions lie in a flat set"),
        (lambda: fit_gaussian(np.ones((2, 2, 2))), r"X must have shape \(n, d\)"),
    ],
)  # fmt: skip
def test_messages(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def test_inputs_stay_as_they_are():
    prior, rows, data = np.array(PRIOR), np.array([LIME, LIME]), np.array([1, 0, 1])
    copies = prior.copy(), rows.copy(), data.copy()
    posterior(prior, rows), map_hypothesis(prior, rows), CandyBags(prior).posterior(data)
    BetaBernoulli(1, 1).update(data), fit_gaussian(data.astype(float))
    for now, before in zip((prior, rows, data), copies):
        assert np.array_equal(now, before)


def test_equal_beliefs_are_equal():
    assert BetaBernoulli(2, 3) == BetaBernoulli(1, 1).update([1, 0, 0])
    assert len({BetaBernoulli(2, 3), BetaBernoulli(2.0, 3.0)}) == 1
    assert BetaBernoulli(2, 3) != (2, 3)
    assert repr(CandyBags([0.5, 0.5], [0, 1])) == "CandyBags(prior=[0.5, 0.5], lime=[0.0, 1.0])"


# --- errata of the sources: the printed form fails, the right one holds ----------------------------------------


def test_erratum_s0_e26():
    """Posteriors .4, .3, .3 do not say which hypothesis is ML: that hangs on the prior."""
    prior = np.array([0.8, 0.1, 0.1])
    likelihood = np.array([0.4, 0.3, 0.3]) / prior
    likelihood /= likelihood.sum()
    assert likelihood == pytest.approx([0.0769, 0.4615, 0.4615], abs=1e-4)
    assert posterior(prior, likelihood) == pytest.approx([0.4, 0.3, 0.3])
    assert ml_hypothesis(likelihood) != map_hypothesis(prior, likelihood) == 0


def test_erratum_s0_e27():
    """There are five kinds of bags, not four."""
    assert len(CandyBags().prior) == len(CandyBags().lime) == 5


def test_erratum_s0_e28():
    """Two limes: 40/13, not 20/13, normalises P(D|h) P(h); draws are independent given the bag only."""
    joint = np.array(PRIOR) * np.array(LIME) ** 2
    assert 20 / 13 * joint.sum() == pytest.approx(1 / 2)
    assert 40 / 13 * joint == pytest.approx(CandyBags().posterior([1, 1]))
    assert joint.sum() == pytest.approx(13 / 40)
    assert CandyBags().predict([]) ** 2 == pytest.approx(0.25)
    one = CandyBags().posterior([1])
    assert 20 / 13 * np.array(LIME) * one == pytest.approx(CandyBags().posterior([1, 1]))


def test_erratum_s0_e29():
    """ML maximises the sum over all data; a single term runs to the edge."""
    grid = np.linspace(0.001, 0.999, 999)
    whole = [log_likelihood([1, 0, 1], t) for t in grid]
    assert grid[np.argmax(whole)] == pytest.approx(fit_bernoulli([1, 0, 1]), abs=1e-3)
    single = [log_likelihood([1], t) for t in grid]
    assert grid[np.argmax(single)] == pytest.approx(0.999)


def test_erratum_s0_e30():
    """The number of successes is binomial; without C(N, k) it is the chance of one sequence."""
    without = [0.5**k * 0.5 ** (3 - k) for k in range(4)]
    assert sum(without) == pytest.approx(0.5)
    assert sum(comb(3, k) * p for k, p in enumerate(without)) == pytest.approx(1)


def test_erratum_s2_e31():
    """The 1/N variance is biased by (N-1)/N; the 1/(N-1) one is not."""
    two = [(x, y) for x in (0, 1, 5) for y in (0, 1, 5)]
    truth = fit_gaussian([0, 1, 5]).Sigma
    ml = np.mean([np.var(pair) for pair in two])
    assert ml == pytest.approx(truth / 2)
    assert np.mean([np.var(pair, ddof=1) for pair in two]) == pytest.approx(truth)


def test_erratum_s2_e32():
    """theta Beta(theta; a, b) normalises to Beta(theta; a+1, b) itself: a second factor 1/B spoils it."""
    theta = np.linspace(0, 1, 20001)
    right = BetaBernoulli(3, 3).pdf(theta)
    assert np.trapezoid(right, theta) == pytest.approx(1)
    assert np.trapezoid(30 * right, theta) == pytest.approx(30)
    shape = theta * BetaBernoulli(2, 3).pdf(theta)
    assert shape / np.trapezoid(shape, theta) == pytest.approx(right, abs=1e-6)


def test_erratum_s4_f8():
    """One index for the class in the sum and in argmax: with another the sum would not depend on the class."""
    weights = vote_weights([0.4, 0.3, 0.3], ["+", "-", "-"])
    assert max(weights, key=weights.get) == bayes_optimal([0.4, 0.3, 0.3], ["+", "-", "-"]) == "-"


def test_errata_table_points_to_tests_here():
    path = Path(__file__).parents[1] / "data" / "errata" / "bayesian_learning.csv"
    table = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
    named = {row["test"].split("::")[1] for row in table}
    here = {name for name in globals() if name.startswith("test_erratum_")}
    assert named == here

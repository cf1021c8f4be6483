"""Chapter 03: joint tables, distributions, moments, information, and the errata of the sources."""

import csv
import itertools
import math
import pickle
import subprocess
import sys
from decimal import Decimal, localcontext
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from explorers import made
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats
from sklearn.covariance import EmpiricalCovariance
from sklearn.metrics import log_loss, mutual_info_score

from mlteach.explore import REGISTRY
from mlteach.explore import probability as explorers
from mlteach.probability import (
    JointTable,
    bernoulli_pmf,
    beta_pdf,
    binomial_pmf,
    conditional_normal,
    correlation,
    covariance,
    entropy,
    exponential_pdf,
    jensen_gap,
    kl_divergence,
    multivariate_normal_pdf,
    mutual_information,
    normal_pdf,
    poisson_pmf,
    total_variation,
    uniform_pdf,
)

E = math.e
SKY = ["Sunny", "Rainy", "Cloudy", "Snowy"]
TENNIS = [[0.576, 0.02, 0.064, 0.01], [0.144, 0.08, 0.016, 0.09]]  # W10
MU = np.array([1.0, -2.0, 0.5])
SIGMA = np.array([[2.0, 0.6, -0.3], [0.6, 1.0, 0.2], [-0.3, 0.2, 0.5]])


def tennis():
    return JointTable(TENNIS, ["Play", "Weather"], [[True, False], SKY])


def table_of(*states, name="A"):
    return JointTable([0.8, 0.2], {name: states})


def xor():
    """Two fair coins and whether they differ."""
    p = np.zeros((2, 2, 2))
    for a, b in itertools.product((0, 1), repeat=2):
        p[a, b, a ^ b] = 0.25
    return JointTable(p, ["Y1", "Y2", "X"])


def common_cause():
    """A and B independent given C, but not without it; three states for B, unequal numbers throughout."""
    c = np.array([0.3, 0.7])
    a = np.array([[0.9, 0.1], [0.2, 0.8]])  # P(a | c), rows c
    b = np.array([[0.5, 0.3, 0.2], [0.1, 0.15, 0.75]])
    return JointTable(np.einsum("c,ca,cb->abc", c, a, b), ["A", "B", "C"])


@st.composite
def tables(draw, min_dims=1, max_dims=3):
    shape = draw(array_shapes(min_dims=min_dims, max_dims=max_dims, min_side=1, max_side=4))
    w = draw(arrays(float, shape, elements=st.floats(0, 1).map(lambda v: v if v > 1e-6 else 0.0)))
    assume(w.sum() > 0)
    return JointTable(w / w.sum(), [f"V{i}" for i in range(len(shape))])


def distributions(n):
    return arrays(float, n, elements=st.floats(0.001, 1)).map(lambda w: w / w.sum())


# --- joint tables ---------------------------------------------------------------------------------------------


def test_weather_and_tennis():
    """W10."""
    table = tennis()
    assert_allclose(table.marginal("Weather").p, [0.72, 0.10, 0.08, 0.10])
    assert_allclose(table.marginal("Play").p, [0.67, 0.33])
    assert_allclose([table.condition(Weather=sky).p[0] for sky in SKY], [0.8, 0.2, 0.8, 0.1])
    assert_allclose(table.condition(Play=True).p, [0.859701, 0.029851, 0.095522, 0.014925], atol=5e-7)
    assert table.probability(Play=True, Weather="Sunny") == pytest.approx(0.576)
    assert table.probability(lambda play, sky: play or sky == "Sunny") == pytest.approx(0.814)
    assert not table.independent("Play", "Weather")
    assert table.probability(Play=True) * table.probability(Weather="Sunny") == pytest.approx(0.4824)


def test_dice():
    """W9 and W2-18."""
    fair = JointTable(np.full(6, 1 / 6), {"Die": range(1, 7)})
    assert fair.probability(lambda eyes: eyes > 4) == pytest.approx(1 / 3)
    assert fair.probability(lambda eyes: eyes % 2 == 0 or eyes > 4) == pytest.approx(2 / 3)
    assert fair.expectation(lambda eyes: eyes) == pytest.approx(3.5)
    loaded = JointTable([1 / 2, 0, 1 / 6, 0, 1 / 6, 1 / 6], ["Die"], [range(1, 7)])
    assert loaded.probability(lambda eyes: eyes < 4) == pytest.approx(2 / 3)


def test_product_total_probability_and_bayes():
    table = tennis()
    for sky in SKY:
        assert table.probability(Play=True, Weather=sky) == pytest.approx(
            table.condition(Weather=sky).probability(Play=True) * table.probability(Weather=sky)
        )
    total = sum(table.condition(Weather=s).probability(Play=True) * table.probability(Weather=s) for s in SKY)
    assert total == pytest.approx(0.67)
    bayes = table.condition(Play=False).probability(Weather="Snowy") * 0.33 / 0.1
    assert table.condition(Weather="Snowy").probability(Play=False) == pytest.approx(bayes)


def test_marginal_keeps_the_order_asked_for():
    table = common_cause()
    swapped = table.marginal("C", "A")
    assert swapped.names == ("C", "A")
    assert_allclose(swapped.p, table.p.sum(axis=1).T)
    assert_allclose(table.marginal(["C", "A"]).p, swapped.p)
    assert table.marginal("B").states == {"B": (0, 1, 2)}


def test_independence():
    table = common_cause()
    assert table.independent("A", "B", given="C")
    assert not table.independent("A", "B")
    assert not table.independent("A", "C", given="B")
    assert table.independent(given=("C",))
    coins = xor()
    assert all(coins.independent(a, b) for a, b in itertools.combinations(coins.names, 2))  # pairs, not the triple
    assert not coins.independent()
    assert not coins.independent(("Y1", "Y2"), "X")
    assert coins.marginal("Y1", "Y2").independent()


def test_independence_sees_small_probabilities():
    """One cell of 1e-11 that the product puts at 2e-11: an absolute tolerance would miss it."""
    a, b = np.array([1e-6, 1 - 1e-6]), np.array([2e-5, 1 - 2e-5])
    p = np.outer(a, b)
    assert JointTable(p, ["A", "B"]).independent()
    p[0] += [-1e-11, 1e-11]
    p[1] += [1e-11, -1e-11]
    assert not JointTable(p, ["A", "B"]).independent()
    assert JointTable(p, ["A", "B"]).independent(tol=1)


def test_independence_given_an_impossible_state():
    p = np.zeros((2, 3, 2))
    p[:, :, 0] = np.outer([0.3, 0.7], [0.2, 0.5, 0.3])
    assert JointTable(p, ["A", "B", "C"]).independent("A", "B", given="C")


def test_repr():
    lines = repr(tennis()).splitlines()
    assert lines == [
        "P(Play, Weather)",
        "       Sunny  Rainy  Cloudy  Snowy",
        "True   0.576   0.02   0.064   0.01",
        "False  0.144   0.08   0.016   0.09",
    ]
    assert repr(tennis().condition(Play=True).marginal("Weather")).startswith("P(Weather | Play=True)\n")
    twice = common_cause().condition(C=1).condition({"A": 0})
    assert repr(twice).startswith("P(B | C=1, A=0)\n")
    long = JointTable(np.full((30, 2), 1 / 60), ["Day", "Rain"])
    assert repr(long).endswith("... and 6 rows more")
    assert len(repr(long).splitlines()) == 27


@given(tables())
def test_marginals_do_not_depend_on_the_order_of_summing(table):
    for name in table.names:
        assert table.marginal(name).p.sum() == pytest.approx(1)
        axes = tuple(i for i, other in enumerate(table.names) if other != name)
        assert_allclose(table.marginal(name).p, table.p.sum(axis=axes), atol=1e-15)
    assert_array_equal(table.marginal(*table.names).p, table.p)


@given(tables(min_dims=2), st.data())
def test_chain_rule(table, data):
    """P(x) = P(x1) P(x2 | x1) P(x3 | x1, x2)."""
    cells = [tuple(map(int, c)) for c in np.argwhere(table.p > 0)]
    x = data.draw(st.sampled_from(cells))
    product, rest = 1.0, table
    for name, state in zip(table.names, x):
        product *= rest.probability({name: state})
        if len(rest.names) > 1:
            rest = rest.condition({name: state})
    assert product == pytest.approx(table.p[x])


@given(distributions(3), distributions(4))
def test_products_are_independent(a, b):
    table = JointTable(np.outer(a, b), ["A", "B"])
    assert table.independent("A", "B")
    assert mutual_information(table) == pytest.approx(0, abs=1e-14)


@given(tables(min_dims=2, max_dims=2))
def test_independent_exactly_when_no_information_is_shared(table):
    information = mutual_information(table)
    if table.independent():
        assert information < 1e-15
    else:
        assert not np.allclose(table.p, np.outer(table.p.sum(1), table.p.sum(0)), rtol=1e-9, atol=0)
    assume(not 0 < information < 1e-12)
    assert table.independent() == (information < 1e-12)


def test_outcomes_feed_the_moments():
    table = JointTable([[0.1, 0.2, 0.1], [0.3, 0.0, 0.3]], {"X": [1, 4], "Y": [-1, 0, 2]})
    x, p = table.outcomes()
    C = covariance(x, p=p)
    ex, ey = table.expectation(lambda x, y: x), table.expectation(lambda x, y: y)
    assert C[0, 1] == pytest.approx(table.expectation(lambda x, y: x * y) - ex * ey)
    assert C[0, 0] == pytest.approx(table.expectation(lambda x, y: (x - ex) ** 2))
    assert C[1, 1] == pytest.approx(table.expectation(lambda x, y: (y - ey) ** 2))


def test_the_table_keeps_its_own_read_only_numbers():
    p = np.array(TENNIS)
    table = JointTable(p, ["Play", "Weather"])
    p[0, 0] = 9
    assert table.p[0, 0] == 0.576
    with pytest.raises(ValueError, match="read-only"):
        table.p[0, 0] = 1
    assert p.flags.writeable
    table.states["Play"] = (0, 1, 2)
    assert table.states["Play"] == (0, 1)
    assert pickle.loads(pickle.dumps(table)).states == table.states


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: JointTable([0.5, 0.6], ["A"]), "p must sum to one; it sums to 1.1"),
        (lambda: JointTable([1.5, -0.5], ["A"]), "p must not be negative; its smallest entry is -0.5"),
        (lambda: JointTable([0.5, np.nan], ["A"]), r"p must be finite; p\[1\] is nan"),
        (lambda: JointTable([], ["A"]), "p is empty"),
        (lambda: JointTable(1.0, []), r"one name per axis of p: p has shape \(\)"),
        (lambda: JointTable([0.5, 0.5], "A"), r"got the string 'A'. Use \['A'\]"),
        (lambda: JointTable([0.5, 0.5], ["A", "B"]), r"p has shape \(2,\), names are \['A', 'B'\]"),
        (lambda: JointTable([0.5, 0.5], [1]), r"names must be strings; got \[1\]"),
        (lambda: JointTable(TENNIS, ["A", "A"]), "names must differ"),
        (lambda: JointTable([0.5, 0.5], ["A"], [[1, 2, 3]]), "A must have 2 states, as its axis of p; got 3"),
        (lambda: JointTable([0.5, 0.5], ["A"], [[1, 1]]), "the states of A must differ"),
        (lambda: JointTable([0.5, 0.5], ["A"], [[[1], [2]]]), "must be hashable"),
        (lambda: JointTable([0.5, 0.5], ["A"], ["ab"]), "the states of A must be a list; got 'ab'"),
        (lambda: JointTable([0.5, 0.5], ["A"], [[1, 2], [3]]), "1 variables, 2 lists"),
        (lambda: JointTable([0.5, 0.5], {"A": [1, 2]}, [[1, 2]]), "states must be left out"),
        (lambda: tennis().marginal(), "marginal needs at least one variable of 'Play', 'Weather'"),
        (lambda: tennis().marginal("Wind"), "no variable 'Wind'; it has 'Play', 'Weather'"),
        (lambda: tennis().marginal("Play", "Play"), "each variable may be named once"),
        (lambda: tennis().condition(), "at least one and at most 1 variables"),
        (lambda: tennis().condition(Play=True, Weather="Sunny"), "at least one and at most 1 variables"),
        (lambda: tennis().condition({"Play": True}, Play=False), "each variable may be named once"),
        (lambda: tennis().condition(Weather="Foggy"), "Weather has no state 'Foggy'; it has 'Sunny', 'Rainy'"),
        (lambda: xor().condition(Y1=1, Y2=1).condition(X=1), "at least one and at most 0"),
        (lambda: xor().condition(Y1=1, X=1).marginal("Y1"), "no variable 'Y1'"),
        (lambda: JointTable([[0, 0], [0.4, 0.6]], ["A", "B"]).condition(A=0), "condition A=0 has probability zero"),
        (lambda: tennis().independent("Play"), "at least two variables or groups"),
        (lambda: tennis().independent("Play", "Play"), "named once"),
        (lambda: xor().independent("Y1", "Y2", given="Y1"), "named once"),
        (lambda: tennis().independent(tol=-1), "tol must be at least 0; got -1"),
        (lambda: tennis().probability(), "probability needs an event"),
        (lambda: JointTable([0.5, 0.5], None), "one name per axis of p; got None"),
        (lambda: JointTable([0.5, 0.5], ["A"], 5), "states must have one list per variable; got 5"),
        (lambda: tennis().condition(Play=np.array([1, 0])), r"Play has no state array\(\[1, 0\]\)"),
        (lambda: tennis().independent("Play", "Weather", given=None), "no variable None"),
        (lambda: tennis().independent(1, 2), "no variable 1"),
        (lambda: tennis().expectation(lambda play, sky: sky), "f must hold numbers only"),
    ],
)
def test_bad_tables(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_bad_types():
    with pytest.raises(TypeError, match="as name=state or as a dict; got 'Play'"):
        tennis().condition("Play")
    with pytest.raises(TypeError, match="f must be a function of the 2 states; got 3"):
        tennis().expectation(3)
    with pytest.raises(TypeError, match="f must be a function of an array"):
        jensen_gap(3, [1, 2])
    with pytest.raises(TypeError, match="f must map an array to an array, as np.exp does"):
        jensen_gap(math.exp, [1, 2])
    with pytest.raises(TypeError, match="f must take one argument per variable: Play, Weather"):
        tennis().expectation(lambda play: play)
    with pytest.raises(TypeError, match="event must take one argument per variable: Play, Weather"):
        tennis().probability(lambda play: play)


# --- mass functions -------------------------------------------------------------------------------------------


def test_speed_of_the_central_limit():
    """The numbers of 3.13.2: two bumps melt first, then the skewness shows; a fair coin is slowed by its steps."""
    bumps = explorers._powers(*explorers._base("two bumps", 0.3))
    far = [bumps[n - 1].distance for n in (3, 12, 10, 40)]
    assert far == pytest.approx([0.0536, 0.0146, 0.0156, 0.0076], abs=5e-5)
    assert far[0] / far[1] > 3.5 > 2.2 > far[2] / far[3]
    assert [explorers._coin_sum(n, 0.5).distance for n in (3, 12)] == pytest.approx([0.218, 0.113], abs=5e-4)


def test_bernoulli_and_binomial_moments():
    """W2."""
    x = np.arange(2)
    mass = bernoulli_pmf(x, 0.3)
    assert (mass @ x, covariance(x, p=mass)) == pytest.approx((0.3, 0.21))
    k = np.arange(11)
    mass = binomial_pmf(k, 10, 0.3)
    assert mass[0] == pytest.approx(0.0282475, abs=5e-8)
    assert mass.sum() == pytest.approx(1, abs=1e-14)
    assert (mass @ k, covariance(k, p=mass)) == pytest.approx((3, 2.1))


@pytest.mark.parametrize(
    ("n", "p", "ks"),
    [(1000, 0.3, (0, 1, 17, 250, 300, 301, 999, 1000)), (1000, 0.999, (900, 999, 1000)), (7, 1e-9, range(8))],
)
def test_binomial_against_exact_fractions(n, p, ks):
    exact = [float(math.comb(n, k) * Fraction(p) ** k * (1 - Fraction(p)) ** (n - k)) for k in ks]
    assert_allclose(binomial_pmf(list(ks), n, p), exact, rtol=1e-12, atol=0)


@pytest.mark.parametrize("lam", [0.01, 3.0, 250.5, 1e4])
def test_poisson_against_sixty_digits(lam):
    ks = [k for k in {0, 1, 2, 15, 16, int(lam) // 2, int(lam), int(lam * 1.1) + 5} if k < 3 * lam + 50]
    with localcontext() as context:
        context.prec = 60
        exact = [(-Decimal(lam)).exp() * Decimal(lam) ** k / math.factorial(k) for k in ks]
        logs = [float(value.ln()) for value in exact]
    assert_allclose(poisson_pmf(ks, lam, log=True), logs, rtol=1e-13, atol=1e-13)
    assert_allclose(poisson_pmf(ks, lam), [float(v) for v in exact], rtol=2e-12, atol=0)


def test_large_counts_do_not_lose_digits():
    """log n! of 10^12 is 2.7e13, so a difference of such numbers has two decimals left; the deviance keeps all."""
    n = 10**12
    middle = math.sqrt(2 / (math.pi * n)) * (1 - 1 / (4 * n))
    assert binomial_pmf(n // 2, n, 0.5) == pytest.approx(middle, rel=1e-13, abs=0)
    peak = (1 - 1 / (12 * n)) / math.sqrt(2 * math.pi * n)
    assert poisson_pmf(n, float(n)) == pytest.approx(peak, rel=1e-13, abs=0)
    k = np.arange(-8, 9) * 10**5 + n // 2  # the neighbour ratio (n - k) / (k + 1) in closed form
    ratio = binomial_pmf(k + 1, n, 0.5, log=True) - binomial_pmf(k, n, 0.5, log=True)
    assert_allclose(ratio, np.log((n - k) / (k + 1)), atol=1e-13)


def test_thousand_trials_and_ten_thousand_events_sum_to_one():
    assert binomial_pmf(np.arange(1001), 1000, 0.37).sum() == pytest.approx(1, abs=1e-12)
    k = np.arange(20_000)
    mass = poisson_pmf(k, 1e4)
    assert mass.sum() == pytest.approx(1, abs=1e-12)
    assert mass @ k == pytest.approx(1e4, rel=1e-12)
    assert covariance(k, p=mass) == pytest.approx(1e4, rel=1e-10)


@given(st.integers(0, 60), st.floats(0, 1))
def test_binomial_sums_to_one(n, p):
    k = np.arange(n + 1)
    mass = binomial_pmf(k, n, p)
    assert mass.sum() == pytest.approx(1, abs=1e-12)
    assert mass @ k == pytest.approx(n * p, abs=1e-10)


@given(st.floats(1e-3, 1 - 1e-3), st.integers(1, 30))
def test_binomial_is_the_sum_of_bernoulli_trials(p, n):
    law = np.ones(1)
    for _ in range(n):
        law = np.convolve(law, bernoulli_pmf([0, 1], p))
    assert_allclose(binomial_pmf(np.arange(n + 1), n, p), law, rtol=1e-12)


def test_outside_the_support():
    assert_array_equal(bernoulli_pmf([-1, 0.5, 2], 0.3), 0)
    assert_array_equal(binomial_pmf([-1, 0.5, 11], 10, 0.3), 0)
    assert_array_equal(poisson_pmf([-3, 2.5], 3.0), 0)
    assert_array_equal(uniform_pdf([1.99, 8.01], 2, 8), 0)
    assert_array_equal(exponential_pdf([-1e-9, -3], 2), 0)
    assert_array_equal(beta_pdf([-0.1, 1.1], 0.5, 0.5), 0)
    for logs in (
        binomial_pmf(-1, 10, 0.3, log=True),
        poisson_pmf(2.5, 3, log=True),
        bernoulli_pmf(7, 0.3, log=True),
        uniform_pdf(9, log=True),
        exponential_pdf(-1, 3, log=True),
        beta_pdf(2, 2, 2, log=True),
    ):
        assert logs == -np.inf


def test_certain_outcomes():
    assert_array_equal(binomial_pmf([0, 1, 4], 4, 0), [1, 0, 0])
    assert_array_equal(binomial_pmf([0, 3, 4], 4, 1), [0, 0, 1])
    assert_array_equal(binomial_pmf([0, 1], 0, 0.4), [1, 0])
    assert_array_equal(poisson_pmf([0, 1], 0), [1, 0])
    assert_array_equal(bernoulli_pmf([0, 1], 1, log=True), [-np.inf, 0])


def test_poisson_is_the_limit_of_the_binomial():
    """W3."""
    distance = []
    for n in (10, 100, 10_000):
        k = np.arange(max(n, 60) + 1)
        distance.append(total_variation(binomial_pmf(k, n, 3 / n), poisson_pmf(k, 3)))
    assert_allclose(distance, [0.0864, 0.00761, 0.0000751], rtol=1e-3)


# --- densities ------------------------------------------------------------------------------------------------


def test_uniform_moments():
    """W1."""
    x = 2 + 6 * (np.arange(200_000) + 0.5) / 200_000
    weight = uniform_pdf(x, 2, 8) * 6 / 200_000
    assert weight.sum() == pytest.approx(1)
    assert (weight @ x, covariance(x, p=weight)) == pytest.approx((5, 3))
    assert_array_equal(uniform_pdf([2, 8], 2, 8), 1 / 6)  # the ends belong to the support


def test_densities_against_scipy():
    x = np.linspace(-3, 7, 41)
    assert_allclose(normal_pdf(x, 1.5, 0.7), stats.norm.pdf(x, 1.5, 0.7), rtol=1e-12)
    assert_allclose(exponential_pdf(x, 0.7), stats.expon.pdf(x, scale=1 / 0.7), rtol=1e-12)
    assert_allclose(normal_pdf(x, 1.5, 0.7, log=True), stats.norm.logpdf(x, 1.5, 0.7), rtol=1e-12)
    u = np.linspace(0.001, 0.999, 41)
    for a, b in [(2, 3), (0.5, 0.5), (1, 1), (1e-3, 4), (30.5, 18), (700, 300)]:
        assert_allclose(beta_pdf(u, a, b, log=True), stats.beta.logpdf(u, a, b), rtol=1e-11, atol=1e-11)
    X = np.random.default_rng(1).normal(size=(9, 3)) * 3
    for log, oracle in ((False, "pdf"), (True, "logpdf")):
        expected = getattr(stats.multivariate_normal(MU, SIGMA), oracle)(X)
        assert_allclose(multivariate_normal_pdf(X, MU, SIGMA, log=log), expected, rtol=1e-12)


def test_beta_ends():
    assert_array_equal(beta_pdf([0, 1], 0.5, 3), [np.inf, 0])
    assert_allclose(beta_pdf([0, 1], 1, 3), [3, 0], rtol=1e-15)
    assert_allclose(beta_pdf([0, 1], 4, 1), [0, 4], rtol=1e-15)
    assert_allclose(beta_pdf([0, 0.3, 1], 1, 1), 1, rtol=1e-14)


def test_beta_with_a_million_coins():
    """With whole a and b, (a + b - 1) times a binomial term; unequal sizes keep the small one."""
    a, b, x = 700_001, 300_001, 0.7003
    assert beta_pdf(x, a, b) == pytest.approx((a + b - 1) * binomial_pmf(a - 1, a + b - 2, x), rel=1e-11)
    assert beta_pdf(0.999, 1e16, 1.0, log=True) == pytest.approx(np.log(1e16) + (1e16 - 1) * np.log(0.999), rel=1e-12)


def test_beta_next_to_zero():
    """Far below 1 the density is x^(a-1) / B(a, b), down to the smallest double."""
    for x in (1e-300, 5e-324):
        expected = -0.9 * math.log(x) + math.lgamma(0.3) - math.lgamma(0.1) - math.lgamma(0.2)
        assert beta_pdf(x, 0.1, 0.2, log=True) == pytest.approx(expected, rel=1e-13)


@given(st.floats(0.05, 50), st.floats(0.05, 50), st.floats(0.01, 0.99))
def test_beta_mirrors(a, b, x):
    """p(x; a, b) = p(1 - x; b, a)."""
    assert beta_pdf(x, a, b) == pytest.approx(beta_pdf(1 - x, b, a), rel=1e-10)


def test_normal_far_out():
    assert normal_pdf(1e200) == 0
    assert normal_pdf(60.0, log=True) == pytest.approx(-1800 - 0.5 * np.log(2 * np.pi))
    assert normal_pdf(3.0, 3.0, 1e-200) == pytest.approx(1e200 / math.sqrt(2 * math.pi))


def test_multivariate_normal_in_one_dimension_and_on_a_grid():
    x = np.linspace(-1, 4, 7)
    assert_allclose(multivariate_normal_pdf(x[:, None], [1.5], [[0.49]]), normal_pdf(x, 1.5, 0.7), rtol=1e-13)
    grid = np.stack(np.meshgrid(x, x[:4]), axis=-1)
    density = multivariate_normal_pdf(grid, MU[:2], SIGMA[:2, :2])
    assert density.shape == (4, 7)
    assert density[1, 5] == multivariate_normal_pdf([x[5], x[1]], MU[:2], SIGMA[:2, :2])


def test_a_covariance_that_is_singular_but_for_rounding():
    """vv' has rank one; with some of these v rounding lets the Cholesky factorisation through."""
    for s in np.arange(1, 31) / 10:
        v = np.array([s, 1.3, 1.3 * s + 0.1])
        with pytest.raises(ValueError, match="Sigma must be positive definite"):
            multivariate_normal_pdf(v, MU, np.outer(v, v))


def test_independent_coordinates_multiply():
    point = np.array([0.3, -1.0, 2.0])
    product = np.prod([normal_pdf(v, m, s) for v, m, s in zip(point, MU, [0.5, 1, 3])])
    assert multivariate_normal_pdf(point, MU, np.diag([0.25, 1, 9])) == pytest.approx(product)
    assert multivariate_normal_pdf(point, MU, SIGMA) != pytest.approx(product)


def test_conditional_normal_is_a_normalised_slice():
    """p(x_a | x_b) p(x_b) = p(x) at every x_a."""
    mu, Sigma = conditional_normal(MU, SIGMA, {2: 1.3, 0: 0.4})
    x = np.linspace(-5, 3, 11)
    points = np.column_stack([np.full(11, 0.4), x, np.full(11, 1.3)])
    given = multivariate_normal_pdf([0.4, 1.3], MU[[0, 2]], SIGMA[np.ix_([0, 2], [0, 2])])
    joint = multivariate_normal_pdf(points, MU, SIGMA)
    assert_allclose(multivariate_normal_pdf(x[:, None], mu, Sigma) * given, joint, rtol=1e-11)
    assert conditional_normal(MU, SIGMA, {1: 0.0}).mu.shape == (2,)


def test_scalars_give_numbers_and_arrays_keep_their_shape():
    for pdf in (
        normal_pdf,
        uniform_pdf,
        exponential_pdf,
        lambda x, **kw: beta_pdf(x, 2, 3, **kw),
        lambda x, **kw: bernoulli_pmf(x, 0.2, **kw),
        lambda x, **kw: binomial_pmf(x, 4, 0.2, **kw),
        lambda x, **kw: poisson_pmf(x, 2, **kw),
    ):
        assert np.ndim(pdf(1)) == 0
        assert isinstance(pdf(1), float)
        assert pdf([[0, 1, 1]]).shape == (1, 3)
        with np.errstate(divide="ignore"):
            assert_allclose(pdf([0, 0.25, 1, 7], log=True), np.log(pdf([0, 0.25, 1, 7])), rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: bernoulli_pmf(1, 1.2), "p must be at least 0 and at most 1; got 1.2"),
        (lambda: bernoulli_pmf("a", 0.2), "x must hold numbers only"),
        (lambda: binomial_pmf(1, 2.5, 0.2), "n must be a whole number; got 2.5"),
        (lambda: binomial_pmf(1, -1, 0.2), "n must be at least 0; got -1"),
        (lambda: binomial_pmf(1, 10, np.nan), "p must be a finite number; got nan"),
        (lambda: binomial_pmf([], 10, 0.1), "k is empty"),
        (lambda: poisson_pmf(1, -2), "lam must be at least 0"),
        (lambda: poisson_pmf(np.inf, 2), "k must be finite; it is"),
        (lambda: uniform_pdf(1, 3, 3), "a must be less than b, and b - a finite; got a = 3 and b = 3"),
        (lambda: uniform_pdf(1, -1e308, 1e308), "b - a finite"),
        (lambda: exponential_pdf(1, 0), "lam must be greater than 0; got 0"),
        (lambda: normal_pdf(1, 0, 0), "sigma must be greater than 0; got 0"),
        (lambda: normal_pdf(1, [0, 1], 1), "mu must be a finite number"),
        (lambda: beta_pdf(0.5, 0, 1), "a must be greater than 0 and at most 1e"),
        (lambda: beta_pdf(0.5, 1, -1), "b must be greater than 0"),
        (lambda: multivariate_normal_pdf([1, 2], MU, SIGMA), r"x must have shape \(3,\) or \(..., 3\)"),
        (lambda: multivariate_normal_pdf(1, [0], [[1]]), r"got \(\)"),
        (lambda: multivariate_normal_pdf([1, 2], [0, 0], SIGMA), r"Sigma must have shape \(2, 2\)"),
        (lambda: multivariate_normal_pdf([1, 2], [0, 0], [[1, 0.5], [0.2, 1]]), "Sigma must be symmetric"),
        (lambda: multivariate_normal_pdf([1, 2], [0, 0], [[1, 2], [2, 1]]), "smallest eigenvalue is -1"),
        (lambda: multivariate_normal_pdf([1, 2, 3], MU, np.full((3, 3), 0.1)), "must be positive definite"),
        (lambda: conditional_normal([0], [[1]], {0: 1}), "mu must have at least 2 entries"),
        (lambda: conditional_normal([0, 0], np.eye(2), {}), "given must map between 1 and 1 indices"),
        (lambda: conditional_normal([0, 0], np.eye(2), {0: 1, 1: 1}), "given must map between 1 and 1 indices"),
        (lambda: conditional_normal([0, 0], np.eye(2), {2: 1}), "an index in given must be at most 1; got 2"),
        (lambda: conditional_normal([0, 0], np.eye(2), {1: "a"}), r"given\[1\] must be a finite number"),
    ],
)
def test_bad_distributions(call, message):
    with pytest.raises(ValueError, match=message):
        call()


# --- moments --------------------------------------------------------------------------------------------------


def test_covariance_and_correlation():
    """W4."""
    x, y = [1, 2, 3, 4], [2, 4, 5, 9]
    assert covariance(x, y) == pytest.approx(2.75)
    assert correlation(x, y) == pytest.approx(0.96476, abs=5e-6)
    assert covariance(x) == pytest.approx(1.25)
    assert covariance(x, y, ddof=1) == pytest.approx(11 / 3)


def test_moments_against_numpy():
    rng = np.random.default_rng(3)
    X = rng.multivariate_normal(MU, SIGMA, size=50) + 1e3
    p = rng.dirichlet(np.ones(50))
    assert_allclose(covariance(X), np.cov(X.T, bias=True), rtol=1e-9)
    assert_allclose(covariance(X, ddof=1), np.cov(X.T), rtol=1e-9)
    assert_allclose(covariance(X, p=p), np.cov(X.T, aweights=p, ddof=0), rtol=1e-9)
    assert_allclose(correlation(X), np.corrcoef(X.T), rtol=1e-9)
    assert covariance(X[:, 0], X[:, 1], p=p) == pytest.approx(covariance(X, p=p)[0, 1])


@given(
    arrays(float, (6, 2), elements=st.integers(-1000, 1000).map(float)),
    st.sampled_from([1e-160, 1e-3, 7.0, 1e200]),
    st.sampled_from([1e-300, -2.0, 1e306 / 1000]),
)
def test_correlation_has_no_units(X, a, b):
    assume((np.ptp(X, axis=0) > 0).all())
    x, y = X.T
    rho = correlation(x, y)
    assert -1 <= rho <= 1
    assert correlation(a * x, b * y) == pytest.approx(np.sign(b) * rho, abs=1e-9)
    assert correlation(x, -3 * x) == pytest.approx(-1, abs=1e-15)


def test_covariance_at_the_ends_of_the_range():
    assert covariance([1e300, -1e300], [1e-300, -1e-300]) == pytest.approx(1)
    assert covariance([1.7e308, 1.7e308]) == 0
    with pytest.raises(ValueError, match="too large for a floating-point number"):
        covariance([1e300, -1e300])


def test_jensen():
    """W37."""
    assert jensen_gap(np.log, [1, 4]) == pytest.approx(0.69315 - 0.91629, abs=1e-5)
    assert jensen_gap(np.square, [1, 4]) == pytest.approx(8.5 - 6.25)
    assert jensen_gap(np.square, [1, 4, 7], [0.2, 0.5, 0.3]) == pytest.approx(covariance([1, 4, 7], p=[0.2, 0.5, 0.3]))
    assert jensen_gap(np.log, [0, 1, 4], [0, 0.5, 0.5]) == jensen_gap(np.log, [1, 4])  # never asked at 0


@given(arrays(float, 5, elements=st.floats(0.1, 10)), distributions(5))
def test_jensen_inequality(x, p):
    assert jensen_gap(np.exp, x, p) >= -1e-10
    assert jensen_gap(np.log, x, p) <= 1e-14


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: covariance([1, 2], [1, 2, 3]), "y must have one entry per row of x: 2 rows, but y has 3"),
        (lambda: covariance([1, 2], p=[0.5, 0.6]), "p must sum to one"),
        (lambda: covariance([1, 2], p=[0.5, 0.2, 0.3]), "p must have one entry per row of x"),
        (lambda: covariance([1, 2], p=[0.5, 0.5], ddof=1), "ddof=1 is for samples"),
        (lambda: covariance([1], ddof=1), "at least 2 points; got 1"),
        (lambda: covariance([1, 2], ddof=2), "ddof must be at most 1"),
        (lambda: covariance(np.zeros((2, 2, 2))), r"x must have shape \(n,\) or \(n, d\); got \(2, 2, 2\)"),
        (lambda: covariance([[1, 2]], [1]), r"x must have shape \(n,\)"),
        (lambda: correlation([1, 2], [3, 3]), "y is constant"),
        (lambda: correlation([[1, 5], [2, 5]]), "column 1 of x is constant"),
        (lambda: correlation([1, 1, 2], [1, 2, 3], p=[0.5, 0.5, 0]), "x is constant"),
        (lambda: jensen_gap(np.square, [1, 2], [1]), "p must have one entry per row of x"),
        (lambda: jensen_gap(np.sum, [1, 2]), r"f\(x\) must have shape \(n,\)"),
    ],
)
def test_bad_moments(call, message):
    with pytest.raises(ValueError, match=message):
        call()


# --- information ----------------------------------------------------------------------------------------------


def test_entropy():
    assert entropy([0.5, 0.5]) == 1
    assert entropy([0.5, 0.5], base=E) == pytest.approx(math.log(2))
    assert entropy([1, 0, 0]) == 0
    assert entropy([9 / 14, 5 / 14]) == pytest.approx(0.940286, abs=5e-7)
    assert entropy(tennis()) == pytest.approx(stats.entropy(np.ravel(TENNIS), base=2))


def test_mutual_information():
    """W33, in nats."""
    assert mutual_information([[0.4, 0.1], [0.1, 0.4]], base=E) == pytest.approx(0.19274, abs=5e-6)
    assert mutual_information(np.eye(2) / 2, base=E) == pytest.approx(0.69315, abs=5e-6)
    assert mutual_information(np.eye(2) / 2) == pytest.approx(1)
    square = JointTable([[0, 1 / 3], [1 / 3, 0], [0, 1 / 3]], {"x": [-1, 0, 1], "y": [0, 1]})
    x, p = square.outcomes()
    assert covariance(x, p=p)[0, 1] == pytest.approx(0)
    assert mutual_information(square, base=E) == pytest.approx(0.63651, abs=5e-6)
    coins = xor()
    assert mutual_information(coins.marginal("Y1", "X")) == 0
    assert mutual_information(coins.p.reshape(4, 2), base=E) == pytest.approx(0.69315, abs=5e-6)


def test_mutual_information_of_a_rare_event():
    """X = Y, which is 1 with probability e: I = H(X), about e log2(1/e), though e^2 underflows."""
    e = 1e-200
    assert mutual_information([[e, 0], [0, 1 - e]]) == pytest.approx(e * np.log2(1 / e), rel=0.01, abs=0)
    assert mutual_information([[0.4, 0, 0.1], [0.1, 0, 0.4]]) == mutual_information([[0.4, 0.1], [0.1, 0.4]])


def test_mutual_information_against_sklearn():
    counts = np.random.default_rng(0).integers(0, 30, size=(4, 5))
    assert mutual_information(counts / counts.sum(), base=E) == pytest.approx(
        mutual_info_score(None, None, contingency=counts)
    )


def test_kl_divergence():
    """W34, in nats."""
    p, q = [0.5, 0.5], [0.9, 0.1]
    assert kl_divergence(p, q, base=E) == pytest.approx(0.51083, abs=5e-6)
    assert kl_divergence(q, p, base=E) == pytest.approx(0.36806, abs=5e-6)
    assert kl_divergence([0.5, 0.5, 0], [0.2, 0.3, 0.5], base=E) == pytest.approx(
        0.5 * math.log(2.5) + 0.5 * math.log(5 / 3)
    )
    assert kl_divergence([0.5, 0.5], [1, 0]) == np.inf


def test_divergences_of_two_tables():
    p, q = table_of("x", "y"), JointTable([0.5, 0.5], {"A": ["x", "y"]})
    assert kl_divergence(p, q) == kl_divergence(p, [0.5, 0.5]) == kl_divergence([0.8, 0.2], q)
    assert total_variation(p, q) == pytest.approx(0.3)


def test_kl_divergence_of_near_neighbours():
    """KL of q + (h, -h) from q is h^2/2 (1/q1 + 1/q2) + ...; the plain sum is lost in rounding."""
    h = 2.0**-30
    q = np.array([0.375, 0.625])
    p = q + [h, -h]
    leading = h**2 / 2 * np.sum(1 / q)
    assert kl_divergence(p, q, base=E) == pytest.approx(leading, rel=1e-8, abs=0)
    plain = float(np.sum(p * np.log(p / q)))
    assert plain != pytest.approx(leading, rel=0.1, abs=0)


@given(distributions(5), distributions(5))
def test_kl_is_never_negative(p, q):
    divergence = kl_divergence(p, q, base=E)
    assert divergence >= 0
    assert divergence == pytest.approx(float(np.sum(p * np.log(p / q))), abs=1e-12)
    assert kl_divergence(p, p) == 0
    assert divergence >= 2 * total_variation(p, q) ** 2 - 1e-12  # Pinsker


@given(tables(min_dims=2, max_dims=2))
def test_information_identities(table):
    a, b = (table.marginal(name) for name in table.names)
    information = mutual_information(table)
    assert information == pytest.approx(entropy(a) + entropy(b) - entropy(table), abs=1e-12)
    assert information == pytest.approx(mutual_information(table.p.T), abs=1e-13)
    conditional = sum(p * entropy(table.condition(V1=j)) for j, p in enumerate(b.p) if p > 0)
    assert information == pytest.approx(entropy(a) - conditional, abs=1e-12)
    assert 0 <= entropy(a) <= np.log2(a.p.size) + 1e-12


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: entropy([0.5, 0.6]), "p must sum to one; it sums to 1.1"),
        (lambda: entropy([[0.5, 0.5], [0.5, 0.5]]), "p must sum to one; it sums to 2"),
        (lambda: entropy([1.5, -0.5]), "p must not be negative"),
        (lambda: entropy([1.0], base=1), "base must be greater than 1; got 1"),
        (lambda: kl_divergence([0.5, 0.5], [0.2, 0.3, 0.5]), r"p has \(2,\), q has \(3,\)"),
        (lambda: kl_divergence([0.5, 0.5], [0.2, 0.3]), "q must sum to one; it sums to 0.5"),
        (lambda: total_variation([1.0], [0.5, 0.5]), "the same shape"),
        (lambda: kl_divergence(table_of("x", "y"), table_of("y", "x")), "the same states of A in one order"),
        (lambda: total_variation(table_of("x", "y"), table_of("y", "x")), "the same states of A in one order"),
        (lambda: kl_divergence(table_of("x", "y"), table_of("x", "y", name="B")), "the same variables in one order"),
        (lambda: mutual_information([0.5, 0.5]), r"shape \(r, c\); got shape \(2,\)"),
        (lambda: mutual_information(xor()), r"two variables; it has 3. Use joint.marginal\(a, b\)"),
    ],
)
def test_bad_information(call, message):
    with pytest.raises(ValueError, match=message):
        call()


# --- the module itself ----------------------------------------------------------------------------------------


def test_nothing_heavy_is_loaded_even_in_use():
    code = (
        "import sys; from mlteach.probability import *; binomial_pmf(3, 9, .2); beta_pdf(.2, 3, 4); "
        "multivariate_normal_pdf([0, 1], [0, 0], [[2, 1], [1, 2]]); entropy([.5, .5]); print('scipy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


# --- errata of the sources: the printed form fails, the right one holds ---------------------------------------


def test_erratum_s0_e23():
    """The loaded die shows less than 4 with probability 2/3, not 5/6."""
    die = JointTable([1 / 2, 0, 1 / 6, 0, 1 / 6, 1 / 6], {"Die": range(1, 7)})
    right = die.probability(lambda eyes: eyes in {1, 2, 3})
    assert right == pytest.approx(2 / 3)
    assert right != pytest.approx(5 / 6)


def test_erratum_s0_e24():
    """Independent Y1 and Y2 are not enough for P(x) P(y1 | x) P(y2 | x): they must be so given X."""
    printed = []
    for table, ys in ((xor(), (1, 0)), (common_cause().marginal("A", "B", "C"), (1, 2))):
        a, b, cause = table.names
        scores = []
        for state in table.states[cause]:
            one = table.condition({cause: state})
            likelihoods = one.probability({a: ys[0]}) * one.probability({b: ys[1]})
            scores.append(table.probability({cause: state}) * likelihoods)
        right = table.condition({a: ys[0], b: ys[1]}).p
        printed.append(
            (scores[1] / sum(scores), right[1], table.independent(a, b), table.independent(a, b, given=cause))
        )
    assert printed[0] == pytest.approx((0.5, 1, True, False))
    formula, exact, plain, conditional = printed[1]
    assert formula == pytest.approx(exact)
    assert (plain, conditional) == (False, True)


def test_erratum_s1_e1():
    """Integrating to one does not define a density: the uniform and the normal both do."""
    x = (np.arange(200_000) + 0.5) / 10_000 - 10
    for pdf in (uniform_pdf, normal_pdf):
        assert pdf(x).sum() / 10_000 == pytest.approx(1)
    assert np.abs(uniform_pdf(x) - normal_pdf(x)).max() > 0.5


def test_erratum_s1_e2():
    """sigma is the standard deviation: for sigma = 3 the variance is 9, not 3; standard means mu = 0, sigma = 1."""
    x = np.linspace(-40, 40, 80_001)
    weight = normal_pdf(x, 0.5, 3) * 1e-3
    variance = covariance(x, p=weight)
    assert variance == pytest.approx(9)
    assert variance != pytest.approx(3)
    assert_allclose(normal_pdf(x, 0.5, 3), normal_pdf((x - 0.5) / 3) / 3)


def test_erratum_s1_e3():
    """Means of arbitrary effects do not become normal: Cauchy means stay as wide as one draw (finite variance)."""
    rng = np.random.default_rng(0)

    def spread(draw, n):
        return np.subtract(*np.percentile(draw(size=(4000, n)).mean(axis=1), [75, 25]))

    cauchy = [spread(rng.standard_cauchy, n) for n in (10, 1000)]
    exponential = [spread(rng.standard_exponential, n) for n in (10, 1000)]
    assert_allclose(cauchy, 2, rtol=0.1)  # the quartiles of one draw are -1 and 1
    assert exponential[0] / exponential[1] == pytest.approx(10, rel=0.1)


def test_erratum_s1_e4():
    """The support is {0, ..., n}: without k = 0 the probabilities do not sum to one."""
    for n, p, printed in ((10, 0.3, 0.97175), (5, 0.1, 0.40951)):
        assert binomial_pmf(np.arange(1, n + 1), n, p).sum() == pytest.approx(printed, abs=5e-6)
        assert binomial_pmf(np.arange(n + 1), n, p).sum() == pytest.approx(1)


def test_erratum_s1_e5():
    """n -> infinity and p -> 0 are not enough: with p = 1/sqrt(n) the mean grows; n p -> lam is needed."""
    far, near = [], []
    for n in (10**2, 10**4, 10**6):
        k = np.arange(3000)
        wide = binomial_pmf(k, n, n**-0.5)
        assert wide @ k == pytest.approx(n**0.5)
        far.append(total_variation(wide, poisson_pmf(k, 3)))
        near.append(total_variation(binomial_pmf(k, n, 3 / n), poisson_pmf(k, 3)))
    assert min(far) > 0.8
    assert near[2] < 1e-6 < near[1] < 1e-4 < near[0]


def test_erratum_s1_e64():
    """No correlation and no information from one variable alone do not make it irrelevant."""
    x, y = np.array([-1.0, 0, 1]), np.array([1.0, 0, 1])
    assert correlation(x, y) == pytest.approx(0)
    assert mutual_information([[0, 1 / 3], [1 / 3, 0], [0, 1 / 3]], base=E) == pytest.approx(0.63651, abs=5e-6)
    coins = xor()
    alone = [mutual_information(coins.marginal(name, "X")) for name in ("Y1", "Y2")]
    assert alone == [0, 0]
    assert mutual_information(coins.p.reshape(4, 2)) == pytest.approx(1)


def test_erratum_s1_e65():
    """KL is no metric: neither symmetric nor bound by the triangle inequality."""
    a, b, c = [0.5, 0.5], [0.9, 0.1], [0.99, 0.01]
    ab, ba, ac, bc = (kl_divergence(p, q, base=E) for p, q in ((a, b), (b, a), (a, c), (b, c)))
    assert (ab, ba) == pytest.approx((0.511, 0.368), abs=5e-4)
    assert (ac, bc) == pytest.approx((1.614, 0.144), abs=5e-4)
    assert ac > ab + bc


def test_erratum_s1_e71():
    """f'' >= 0 is enough for convexity (x^4 at 0), and affine f gives equality for x that is not constant."""
    assert jensen_gap(lambda x: x**4, [-1e-3, 1e-3]) == pytest.approx(1e-12, rel=1e-9, abs=0)
    assert jensen_gap(lambda x: x**4, [-1, 0, 2]) == pytest.approx(17 / 3 - 1 / 81)
    assert jensen_gap(lambda x: 2 * x + 1, [1, 4]) == 0


def test_erratum_s1_e73():
    """The logarithm is concave, not convex: its chords lie below it. The printed ln E x >= E ln x is right."""
    assert np.log([1, 4]).mean() < np.log(2.5)  # a convex function has its chord above it
    assert jensen_gap(np.log, [1, 4]) == pytest.approx(0.69315 - 0.91629, abs=1e-5)
    assert jensen_gap(lambda x: -np.log(x), [1, 4]) > 0


def test_erratum_s2_e2_30():
    """A discrete variable may have countably many values: every finite set misses some of the mass."""
    assert 1 - poisson_pmf(np.arange(21), 3).sum() == pytest.approx(stats.poisson.sf(20, 3), rel=1e-3, abs=0)
    assert np.isfinite(poisson_pmf([50, 1000, 10**6], 3, log=True)).all()
    with pytest.raises(ValueError, match="p must sum to one"):  # a table of the first eight values is not the law
        JointTable(poisson_pmf(np.arange(8), 3), ["K"])


def test_erratum_s2_e2_34():
    """n binary variables need 2^n - 1 free numbers, not 2^n: the last is fixed by the sum."""
    p = np.random.default_rng(2).dirichlet(np.ones(8))
    free = p[:-1]
    rebuilt = JointTable(np.append(free, 1 - free.sum()).reshape(2, 2, 2), ["A", "B", "C"])
    assert len(free) == 7
    assert_allclose(rebuilt.p.ravel(), p)
    with pytest.raises(ValueError, match="p must sum to one"):  # an eighth number of one's own choice is one too many
        JointTable(np.append(free, p[-1] + 0.1).reshape(2, 2, 2), ["A", "B", "C"])
    three = [0.2, 0.7, 0.4]  # independent variables: n numbers make the whole table
    table = JointTable(np.einsum("a,b,c->abc", *([1 - v, v] for v in three)), ["A", "B", "C"])
    assert table.independent()
    assert_allclose([table.probability({name: 1}) for name in "ABC"], three)


def test_errata_table_points_to_tests_here():
    path = Path(__file__).parents[1] / "data" / "errata" / "probability.csv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    named = {row["test"].split("::")[1] for row in rows if row["test"]}
    assert named == {name for name in globals() if name.startswith("test_erratum_")}


# --- what the chapter says --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "settings", "words"),
    [
        ("joint_table", {"given": "rainy", "dry_play": 100}, "= **0.200**; before"),
        ("joint_table", dict(zip(explorers.WEIGHTS, (40, 20, 20, 10, 10, 5))), "**independent**"),
        ("bayes_rule", {"sensitivity": 0.99}, "P(ill | positive) = **10 %**"),
        ("bayes_rule", {"specificity": 0.96}, "P(ill | positive) = **18.5 %**"),
        ("bayes_rule", {"prevalence": 0.5}, "P(ill | positive) = **90.9 %**"),
        ("binomial_to_poisson", {"n": 10}, "**0.0864**"),
        ("binomial_to_poisson", {"n": 100}, "**0.0076**"),
        ("distributions", {"name": "Beta", "first": 0.2, "second": 0.2}, "**infinite** at 0 and at 1"),
        ("bivariate_gaussian", {"rho": 0.5}, "**0.866**"),
        ("bivariate_gaussian", {"rho": 0.5}, "**13 %** off the width, 25 % off the variance"),
        ("bivariate_gaussian", {"rho": 0.75}, "**0.661**"),
        ("bivariate_gaussian", {"rho": 0.87}, "**0.493**"),
        ("jensen", {"s": 0.8}, "gap **0.320**"),
        ("jensen", {"s": 1.6}, "gap **1.280**"),
        ("jensen", {"s": 1.6, "k": 9}, "gap **0.160**"),
        ("central_limit", {"base": "exponential", "n": 3}, "**0.077"),
        ("central_limit", {"base": "exponential", "n": 12}, "**0.038"),
        ("central_limit", {"base": "uniform", "n": 3}, "**0.0099**"),
        ("central_limit", {"base": "uniform", "n": 12}, "**0.0023**"),
        ("central_limit", {"base": "Bernoulli", "n": 3, "p": 0.5}, "**0.2181**"),
        ("central_limit", {"base": "Bernoulli", "n": 12, "p": 0.5}, "**0.1128**"),
    ],
)
def test_read_outs_that_the_folded_answers_quote(name, settings, words):
    shown = made(name)
    assert words in shown.describe(shown.compute(**settings))


def test_sliders_of_distributions_say_what_they_set():
    shown = REGISTRY["distributions"]()
    first, second = shown.controls["first"], shown.controls["second"]
    assert (first.description, second.description) == ("mean μ = 0.00", "deviation σ = 1.00")
    shown.controls["name"].value = "exponential"
    assert first.description == "rate λ = 1.00"
    assert second.disabled
    assert "rate λ = 1.00" in shown._settings()
    shown.controls["name"].value = "Beta"
    assert not second.disabled


def test_the_same_in_scikit_learn():
    """The card's translation: nats for information and log loss, N below covariances."""
    rng = np.random.default_rng(318)
    x = rng.integers(0, 4, 300)
    y = (x + rng.integers(0, 2, 300)) % 4
    table = np.histogram2d(x, y, bins=4)[0] / 300
    assert mutual_information(table, base=math.e) == pytest.approx(mutual_info_score(x, y))
    q = rng.dirichlet(np.ones(4), size=300)
    one_hot = np.eye(4)[x]
    cross = [kl_divergence(p, row, base=math.e) + entropy(p, base=math.e) for p, row in zip(one_hot, q)]
    assert np.mean(cross) == pytest.approx(log_loss(x, q))
    X = rng.normal(size=(50, 3)) @ rng.normal(size=(3, 3))
    assert_allclose(covariance(X), EmpiricalCovariance().fit(X).covariance_, rtol=1e-12)
    t = np.linspace(0.1, 5, 9)
    assert_allclose(exponential_pdf(t, 1.7), stats.expon(scale=1 / 1.7).pdf(t), rtol=1e-12)
    assert_allclose(poisson_pmf([0, 3, 9], 2.5), stats.poisson(2.5).pmf([0, 3, 9]), rtol=1e-12)

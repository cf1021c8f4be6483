"""Chapter 31 against brute force over all paths, hmmlearn, textbooks, and its own slow versions."""

import importlib
import math
import warnings

import explorers
import numpy as np
import pytest
from hmmlearn import hmm as peer
from hypothesis import given
from hypothesis import strategies as st

from mlteach import datasets
from mlteach.bayesian_networks import BayesNet
from mlteach.explore.hidden_markov import trellis_model
from mlteach.hidden_markov import (
    HMM,
    GaussianEmission,
    MarkovChain,
    PoissonEmission,
    TableEmission,
    _fast,
    align_states,
    all_paths,
    backward,
    casino,
    corridor,
    e_step,
    fit_from_starts,
    fog,
    fork,
    forward,
    log_forward,
    m_step,
    n_parameters,
    particle_filter,
    resample,
    run_forward,
    scaled_backward,
    scaled_forward,
    stored,
    traffic_light,
    umbrella,
    viterbi,
)
from mlteach.validation import ConvergenceWarning

fixed_lag = importlib.import_module("mlteach.hidden_markov.backward").fixed_lag


def random_model(seed, S=3, M=4, zeros=0.0):
    """Return a lopsided model; a share of its transitions and emissions is zero."""
    rng = np.random.default_rng(seed)

    def rows(n, m):
        p = rng.dirichlet(np.ones(m), n)
        p = np.where(rng.random(p.shape) < zeros, 0.0, p)
        p[np.arange(n), rng.integers(m, size=n)] += 0.1
        return p / p.sum(axis=1, keepdims=True)

    return HMM(rows(1, S)[0], rows(S, S), rows(S, M)), rng


def by_paths(model, z):
    """Return paths, joint probabilities and the smoothed beliefs by enumeration."""
    paths, p = all_paths(model, z)
    smooth = np.array([[p[paths[:, t] == s].sum() for s in range(model.n_states)] for t in range(len(z))])
    return paths, p, smooth / p.sum()


seeds = st.integers(0, 10**6)


# --- Chains ---------------------------------------------------------------------------------------------------------


@given(seeds)
def test_a_stationary_law_stays(seed):
    A = random_model(seed, 4)[0].transition_
    pi = MarkovChain(A).stationary()
    assert np.allclose(pi @ A, pi, atol=1e-12)
    assert math.isclose(pi.sum(), 1)
    w, v = np.linalg.eig(A.T)
    left = np.real(v[:, np.argmin(np.abs(w - 1))])
    assert np.allclose(pi, left / left.sum(), atol=1e-9)


def test_laws_follow_the_rows():
    chain = MarkovChain([[0.6, 0.4], [0.1, 0.9]])
    assert np.allclose(chain.after([0.3, 0.7], 2), [[0.3, 0.7], [0.25, 0.75], [0.225, 0.775]])
    assert np.allclose(chain.stationary(), [0.2, 0.8])


def test_classes_periods_and_closed_sets():
    A = np.zeros((6, 6))
    A[0, 1] = A[1, 2] = A[2, 0] = 1  # a ring of three
    A[3, [0, 4]] = 0.5  # transient, with 4
    A[4, [3, 5]] = 0.5
    A[5, 5] = 1
    chain = MarkovChain(A)
    assert chain.classes() == [[0, 1, 2], [3, 4], [5]]
    assert chain.closed() == [[0, 1, 2], [5]]
    assert [chain.period(s) for s in range(6)] == [3, 3, 3, 2, 2, 1]
    with pytest.raises(ValueError, match=r"2 closed classes, \[0, 1, 2\] and \[5\].*not unique"):
        chain.stationary()


def test_transient_states_have_no_share():
    pi = MarkovChain([[0.5, 0.3, 0.2], [0, 0.7, 0.3], [0, 0.4, 0.6]]).stationary()
    assert pi[0] == 0
    assert np.allclose(pi[1:], [4 / 7, 3 / 7])


def test_a_state_that_never_returns_has_no_period():
    with pytest.raises(ValueError, match="state 0 is never entered again"):
        MarkovChain([[0, 1], [0, 1]]).period(0)


def test_period_of_ways_of_six_and_four():
    A = np.zeros((8, 8))  # loops of lengths 6 and 4 through state 0: period 2
    for i, j in ((0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0), (2, 6), (6, 0)):
        A[i, j] = 1
    A[7, 0] = 1
    A[2] /= 2
    assert MarkovChain(A).period(0) == 2
    A[1, 0] = 1
    A[1] /= 2
    A[6] = 0
    A[6, [0, 2]] = 0.5
    assert MarkovChain(A).period(3) == 2
    A[0, 0] = 1
    A[0] /= 2
    assert MarkovChain(A).period(3) == 1


def test_mixing_time_is_the_first_near_time():
    chain = MarkovChain([[0.9, 0.1], [0.02, 0.98]])
    n, pi = chain.mixing_time(0.05), chain.stationary()
    gap = [0.5 * np.abs(np.linalg.matrix_power(chain.transition, k) - pi).sum(axis=1).max() for k in (n - 1, n)]
    assert gap[0] > 0.05 >= gap[1]
    with pytest.raises(ValueError, match="not within 0.25"):
        MarkovChain([[0, 1], [1, 0]]).mixing_time(longest=50)


def test_samples_of_a_chain_have_its_frequencies():
    chain = MarkovChain([[0.6, 0.4, 0], [0.1, 0.2, 0.7], [0.5, 0, 0.5]])
    assert chain.sample(5, rng=1)[0] == 0
    x = chain.sample(60_000, rng=1, start=[0, 1, 0])
    assert x[0] == 1
    moves = np.zeros((3, 3))
    np.add.at(moves, (x[:-1], x[1:]), 1)
    assert np.allclose(moves / moves.sum(axis=1, keepdims=True), chain.transition, atol=0.015)
    assert moves[0, 2] == moves[2, 1] == 0
    assert np.array_equal(x, chain.sample(60_000, rng=1, start=[0, 1, 0]))


# --- Passes against all paths ---------------------------------------------------------------------------------------


@given(seeds, st.integers(2, 4), st.integers(1, 6), st.sampled_from([0.0, 0.35]))
def test_every_answer_is_that_of_all_paths(seed, S, T, zeros):
    model, rng = random_model(seed, S, 3, zeros)
    z = model.sample(T, rng)[1]
    paths, p, smooth = by_paths(model, z)
    assert math.isclose(model.log_likelihood(z), math.log(p.sum()), abs_tol=1e-10)
    assert np.allclose(model.smooth(z), smooth, atol=1e-12)
    assert np.allclose(model.filter(z), [by_paths(model, z[: t + 1])[2][-1] for t in range(T)], atol=1e-12)
    assert math.isclose(model.log_joint(model.viterbi(z), z), math.log(p.max()), abs_tol=1e-10)
    for lag in (0, 1, 2, T + 3):
        expected = [by_paths(model, z[: min(t + lag, T - 1) + 1])[2][t] for t in range(T)]
        assert np.allclose(model.fixed_lag(z, lag), expected, atol=1e-12)
    weight = p / p.sum()
    pairs = [[[weight[(paths[:, t] == i) & (paths[:, t + 1] == j)].sum() for j in range(S)] for i in range(S)]
             for t in range(T - 1)]  # fmt: skip
    assert np.allclose(model.pairs(z), np.array(pairs).reshape(T - 1, S, S), atol=1e-12)


@given(seeds, st.integers(1, 3))
def test_prediction_is_the_chain_alone(seed, k):
    model, rng = random_model(seed)
    z = model.sample(5, rng)[1]
    ahead = model.predict(z, k)
    assert ahead.shape == (k, 3)
    expected = model.filter(z)[-1] @ np.linalg.matrix_power(model.transition_, k)
    assert np.allclose(ahead[-1], expected, atol=1e-12)
    gaps = list(z) + [None] * k  # looks that are missing say nothing
    assert np.allclose(model.filter(gaps)[-1], expected, atol=1e-12)


@given(seeds)
def test_a_missing_look_is_the_sum_over_all_looks(seed):
    model, rng = random_model(seed)
    z = list(model.sample(5, rng)[1])
    total = sum(math.exp(model.log_likelihood([*z[:2], k, *z[3:]])) for k in range(4))
    for gap in (None, float("nan"), np.nan):
        assert math.isclose(math.exp(model.log_likelihood([*z[:2], gap, *z[3:]])), total, rel_tol=1e-10)


def test_the_network_of_chapter_11_agrees():
    model, net = fog(), BayesNet().add("x0", table=0.3)
    for t in range(4):
        if t:
            net.add(f"x{t}", (f"x{t - 1}",), {True: 0.6, False: 0.1})
        net.add(f"z{t}", (f"x{t}",), {True: 0.7, False: 0.1})
    z = [0, 1, 1, 0]
    evidence = {f"z{t}": k == 0 for t, k in enumerate(z)}
    assert np.allclose(model.smooth(z)[:, 0], [net.query(f"x{t}", evidence)[True] for t in range(4)])


def test_plain_scaled_and_log_passes_are_one():
    model, rng = random_model(5, 4)
    z = np.r_[0, 3, 1, model.sample(30, rng)[1]]  # the first two differ
    b = model.emission_[:, z].T
    alpha, beta = forward(model.start_, model.transition_, b), backward(model.transition_, b)
    belief, c = scaled_forward(model.start_, model.transition_, b)
    assert np.allclose(alpha / alpha.sum(axis=1, keepdims=True), belief)
    assert np.allclose(np.cumprod(c), alpha.sum(axis=1))
    assert np.allclose(np.exp(log_forward(model.start_, model.transition_, np.log(b))), alpha)
    scaled = scaled_backward(model.transition_, b)
    assert np.allclose(scaled, beta / beta.sum(axis=1, keepdims=True))
    assert np.allclose((alpha * beta).sum(axis=1), alpha[-1].sum())


def test_log_pass_bears_zeros():
    model = fork()
    log_alpha = log_forward(model.start_, model.transition_, np.zeros((3, 3)))
    assert np.allclose(np.exp(log_alpha), [[0.4, 0.3, 0.3], [0.4, 0.6, 0], [0.4, 0.6, 0]])


# --- The fast passes ------------------------------------------------------------------------------------------------

SHAPES = {"mixing": (3, 0.0, 0.0), "sticky": (4, 0.999, 0.0), "zeros": (4, 0.5, 0.4), "one state": (1, 0.0, 0.0)}


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("T", [2, 7, 100, 401, 3000])
def test_fast_passes_are_the_lecture_s(name, T):
    S, sticky, zeros = SHAPES[name]
    for seed in range(3):
        model, rng = random_model(seed, S, 3, zeros)
        A = sticky * np.eye(S) + (1 - sticky) * model.transition_
        b = model.emission_[:, HMM(model.start_, A, model.emission_).sample(T, rng)[1]].T
        slow, fast = (way(model.start_, A, b) for way in (scaled_forward, _fast.scaled_forward))
        assert np.allclose(fast[0], slow[0], rtol=1e-9, atol=0)
        assert np.allclose(fast[1], slow[1], rtol=1e-9, atol=0)
        slow, fast = (way(A, b) for way in (scaled_backward, _fast.scaled_backward))
        assert np.allclose(fast, slow, rtol=1e-9, atol=0)
        with np.errstate(divide="ignore"):
            logs = np.log(model.start_), np.log(A), np.log(b)
        (path, value), (fast_path, fast_value) = viterbi(*logs), _fast.viterbi(*logs)
        assert math.isclose(value, fast_value, rel_tol=1e-11, abs_tol=1e-9)
        assert fast_path.shape == path.shape
        assert math.isclose(HMM(model.start_, A, model.emission_).log_joint(fast_path, _symbols(b, model)), value,
                            rel_tol=1e-11, abs_tol=1e-9)  # fmt: skip


def _symbols(b, model):
    return np.array([np.flatnonzero((model.emission_.T == row).all(axis=1))[0] for row in b])


def test_a_chain_that_never_mixes_is_followed_to_its_end():
    """Two rooms without a door: what the first look says must reach the last stretch."""
    A = np.array([[0.5, 0.5, 0, 0], [0.3, 0.7, 0, 0], [0, 0, 0.9, 0.1], [0, 0, 0.2, 0.8]])
    B = np.array([[0.5, 0.2, 0.3, 0], [0.2, 0.5, 0.3, 0], [0.5, 0.2, 0.3 - 1e-9, 1e-9], [0.2, 0.5, 0.3, 0]])
    model = HMM([0.25] * 4, A, B)
    z = HMM([1, 0, 0, 0], A, B).sample(3000, rng=0)[1]
    z[0] = 3  # only the second room can do that
    assert np.all(model.filter(z)[:, :2] == 0)
    assert np.all(model.smooth(z)[:, :2] == 0)
    assert set(model.viterbi(z)) <= {2, 3}


def test_a_tiny_belief_is_carried_through_many_stretches():
    """A belief of 1e-200 matters when a look kills its rival later."""
    A = np.eye(2)
    B = np.array([[0.6, 0.4, 0.0], [0.4, 0.5, 0.1]])
    z = np.array([0] * 1500 + [2] + [1] * 10)
    model = HMM([0.5, 0.5], A, B)
    exact = math.log(0.5) + 1500 * math.log(0.4) + math.log(0.1) + 10 * math.log(0.5)
    assert math.isclose(model.log_likelihood(z), exact, rel_tol=1e-12)


def test_ten_thousand_steps_do_not_vanish():
    model = umbrella()
    z = model.sample(10_000, rng=2)[1]
    with pytest.raises(AssertionError):
        assert forward(model.start_, model.transition_, model.emission_[:, z].T)[-1].sum() > 0
    log_b = np.log(model.emission_[:, z].T)
    exact = np.logaddexp.reduce(log_forward(model.start_, model.transition_, log_b)[-1])
    assert math.isclose(model.log_likelihood(z), exact, rel_tol=1e-12)
    assert exact < -5000
    assert np.allclose(model.smooth(z).sum(axis=1), 1, atol=1e-12)
    assert np.isfinite(model.log_joint(model.viterbi(z), z))


# --- hmmlearn -------------------------------------------------------------------------------------------------------


def theirs(model, **more):
    """Return hmmlearn's model with the same parameters."""
    law, S = model.law, model.n_states
    if isinstance(law, TableEmission):
        other = peer.CategoricalHMM(S, **more)
        other.emissionprob_, other.n_features = law.table, law.n_symbols
    elif isinstance(law, PoissonEmission):
        other = peer.PoissonHMM(S, **more)
        other.lambdas_ = law.rates[:, None]
    else:
        other = peer.GaussianHMM(S, "diag", covars_prior=0, covars_weight=0, means_weight=0, min_covar=0, **more)
        other.means_, other.covars_ = law.means[:, None], law.variances[:, None]
    other.startprob_, other.transmat_ = model.start_, model.transition_
    return other


def models():
    table, _ = random_model(8, 3, 5)
    A, start = table.transition_, table.start_
    return {
        "table": table,
        "Gaussian": HMM(start, A, GaussianEmission([-1.0, 0.5, 4.0], [0.5, 2.0, 1.3])),
        "Poisson": HMM(start, A, PoissonEmission([2.0, 7.0, 15.0])),
    }


@pytest.mark.parametrize("T", [40, 1500])
@pytest.mark.parametrize("kind", ["table", "Gaussian", "Poisson"])
def test_likelihood_posteriors_and_path_are_hmmlearn_s(kind, T):
    model = models()[kind]
    z = model.sample(T, rng=3)[1]
    other, X = theirs(model), np.asarray(z)[:, None]
    assert math.isclose(model.log_likelihood(z), other.score(X), rel_tol=1e-10)
    assert np.allclose(model.smooth(z), other.predict_proba(X), atol=1e-9)
    value, path = other.decode(X)
    assert math.isclose(model.log_joint(model.viterbi(z), z), value, rel_tol=1e-10)
    if kind != "table":  # few symbols allow several best paths: the same moves in another order
        assert np.array_equal(model.viterbi(z), path)


@pytest.mark.parametrize("kind", ["table", "Gaussian", "Poisson"])
def test_a_step_of_baum_welch_is_hmmlearn_s(kind):
    model = models()[kind]
    z = [model.sample(n, rng=n)[1] for n in (60, 25, 90)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ours = HMM(model.start, model.transition, model.emission, max_iter=1, tol=0).fit(z)
        other = theirs(model, n_iter=1, init_params="", tol=-np.inf)
        other.fit(np.concatenate(z)[:, None], [len(one) for one in z])
    assert np.allclose(ours.start_, other.startprob_, atol=1e-9)
    assert np.allclose(ours.transition_, other.transmat_, atol=1e-9)
    if kind == "table":
        assert np.allclose(ours.emission_, other.emissionprob_, atol=1e-9)
    elif kind == "Poisson":
        assert np.allclose(ours.emission_.rates, other.lambdas_.ravel(), atol=1e-9)
    else:
        assert np.allclose(ours.emission_.means, other.means_.ravel(), atol=1e-9)
        assert np.allclose(ours.emission_.variances, np.ravel(other.covars_), atol=1e-6)


def test_random_models_are_hmmlearn_s_too():
    for seed in range(30):
        model, rng = random_model(seed, 2 + seed % 4, 3)
        z = model.sample(50, rng)[1]
        assert math.isclose(model.log_likelihood(z), theirs(model).score(z[:, None]), rel_tol=1e-10)


# --- Numbers of the sources and of textbooks ------------------------------------------------------------------------


def test_umbrella_world():
    model, z = umbrella(), [0, 0, 1, 0]
    assert math.isclose(math.exp(model.log_likelihood(z)), 0.05581265, rel_tol=1e-7)
    assert np.allclose(model.filter(z)[:, 0], [0.818182, 0.883357, 0.190668, 0.730794], atol=1e-6)
    assert np.allclose(model.smooth(z)[:, 0], [0.866247, 0.816129, 0.283911, 0.730794], atol=1e-6)
    assert np.allclose(model.smooth([0, 0])[0, 0], 0.883357, atol=1e-6)
    assert np.allclose(model.filter([0] * 300)[-1, 0], 0.8967, atol=1e-4)


def test_counting_gives_the_worked_example():
    model = umbrella().fit_supervised([0, 0, 1, 1, 1, 0, 0, 1], [0, 0, 1, 1, 0, 0, 0, 1])
    assert np.allclose(model.transition_, [[0.5, 0.5], [1 / 3, 2 / 3]])
    assert np.allclose(model.emission_, [[1, 0], [0.25, 0.75]])
    assert np.allclose(model.start_, [1, 0])


def test_the_fork():
    model = fork()
    assert model.pointwise([0, 0]).tolist() == [0, 1]
    assert model.viterbi([0, 0]).tolist() == [0, 0]
    assert model.log_joint([0, 1], [0, 0]) == -math.inf
    assert math.isclose(math.exp(model.log_joint([0, 0], [0, 0])), 0.4)


def test_lopsided_fog_shows_the_classic_mistakes():
    model, z = fog(), [0, 0]
    A, b = model.transition_, model.emission_[:, z].T
    assert np.allclose(model.filter(z)[:, 0], [0.75, 19 / 22])
    assert math.isclose(math.exp(model.log_likelihood(z)), 0.1078)
    assert abs(scaled_forward(model.start_, A.T, b)[0][1, 0] - 19 / 22) > 0.05
    assert abs(scaled_forward(model.start_ @ A, A, b)[0][0, 0] - 0.75) > 0.04


def test_earthquakes_have_the_textbook_s_fits():
    """Zucchini and MacDonald (2009), sections 3 and 4: log-likelihoods, rates, and the EM estimates of A."""
    y = datasets.earthquakes().y
    near = [stored.quakes_model(S, y) for S in (2, 3)]
    two, three = (HMM(m.start_, m.transition_, m.emission_, max_iter=2000, tol=1e-9).fit(y) for m in near)
    assert round(two.log_likelihood(y), 3) == -341.879
    assert round(three.log_likelihood(y), 3) == -328.527
    assert np.allclose(np.sort(two.emission_.rates), [15.421, 26.018], atol=1e-3)
    order = np.argsort(three.emission_.rates)
    three = three.reordered(order)
    assert np.allclose(three.emission_.rates, [13.134, 19.713, 29.711], atol=2e-3)
    assert np.allclose(three.transition_, [[0.939, 0.032, 0.029], [0.040, 0.906, 0.053], [0, 0.190, 0.810]], atol=2e-3)
    assert np.allclose(three.start_, [1, 0, 0], atol=1e-6)
    k = [n_parameters(m) for m in (two, three)]
    assert k == [5, 11]
    aic = [2 * n - 2 * m.log_likelihood(y) for n, m in zip(k, (two, three))]
    bic = [n * math.log(107) - 2 * m.log_likelihood(y) for n, m in zip(k, (two, three))]
    assert aic[1] < aic[0]
    assert bic[0] < bic[1]
    assert np.allclose([*aic, *bic], [693.76, 679.05, 707.12, 708.46], atol=0.02)


# --- Learning -------------------------------------------------------------------------------------------------------


@given(seeds)
def test_baum_welch_never_falls(seed):
    model, rng = random_model(seed, 3, 4)
    z = [rng.integers(4, size=n) for n in (15, 1, 20)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        fitted = HMM(model.start, model.transition, model.emission, max_iter=8, tol=0).fit(z)
    values = [step.log_likelihood for step in fitted.history_]
    assert min(np.diff(values)) > -1e-9
    assert len(values) == fitted.n_iter_ + 1
    assert math.isclose(values[0], model.log_likelihood(z), rel_tol=1e-12)
    assert math.isclose(values[-1], fitted.log_likelihood(z), rel_tol=1e-12)
    assert np.allclose(fitted.transition_.sum(axis=1), 1)
    assert np.allclose(fitted.emission_.sum(axis=1), 1)


def test_a_step_is_that_of_all_paths():
    model, z = fog(), [0, 0, 1, 0, 1]
    paths, p, smooth = by_paths(model, z)
    w = p / p.sum()
    moves = np.array([[sum(w[(paths[:, t] == i) & (paths[:, t + 1] == j)].sum() for t in range(4)) for j in (0, 1)]
                      for i in (0, 1)])  # fmt: skip
    looks = np.array([smooth[[0, 1, 3]].sum(axis=0), smooth[[2, 4]].sum(axis=0)]).T
    with pytest.warns(ConvergenceWarning, match="Raise max_iter"):
        fitted = HMM(model.start, model.transition, model.emission, max_iter=1, tol=0).fit(z)
    assert np.allclose(fitted.start_, smooth[0])
    assert np.allclose(fitted.transition_, moves / moves.sum(axis=1, keepdims=True))
    assert np.allclose(fitted.emission_, looks / looks.sum(axis=1, keepdims=True))


def test_several_sequences_are_not_one_long_one():
    model, rng = random_model(4, 2, 3)
    z = [model.sample(n, rng)[1] for n in (6, 9)]
    expected = e_step(model.start_, model.transition_, model.law, model.sequences(z))
    parts = [e_step(model.start_, model.transition_, model.law, model.sequences(one)) for one in z]
    assert math.isclose(expected.log_likelihood, sum(part.log_likelihood for part in parts))
    assert np.allclose(expected.moves, parts[0].moves + parts[1].moves)
    assert math.isclose(expected.moves.sum(), 5 + 8)
    assert math.isclose(expected.first.sum(), 2)
    assert np.allclose(m_step(expected, model.transition_, model.law, np.concatenate(model.sequences(z)))[0],
                       (parts[0].first + parts[1].first) / 2)  # fmt: skip
    assert math.isclose(model.log_likelihood(z), sum(model.log_likelihood(one) for one in z))
    assert not math.isclose(model.log_likelihood(z), model.log_likelihood(np.concatenate(z)), rel_tol=1e-3)


@pytest.mark.parametrize("kind", ["Gaussian", "Poisson"])
def test_learned_numbers_find_the_truth(kind):
    law = GaussianEmission([0.0, 6.0], [1.0, 4.0]) if kind == "Gaussian" else PoissonEmission([2.0, 12.0])
    truth = HMM([0.3, 0.7], [[0.9, 0.1], [0.3, 0.7]], law)
    z = truth.sample(4000, rng=6)[1]
    guess = GaussianEmission([1.0, 3.0], [9.0, 9.0]) if kind == "Gaussian" else PoissonEmission([5.0, 6.0])
    fitted = HMM([0.5, 0.5], [[0.6, 0.4], [0.5, 0.5]], guess, tol=1e-4).fit(z)
    assert fitted.converged_
    assert np.allclose(fitted.transition_, truth.transition_, atol=0.03)
    numbers = lambda e: [e.means, e.variances] if kind == "Gaussian" else [e.rates]  # noqa: E731
    assert np.allclose(numbers(fitted.emission_), numbers(law), atol=0.3)


def test_fit_starts_from_what_was_given_and_forgets_the_past():
    z = casino().sample(80, rng=0)[1]
    model = HMM([0.4, 0.6], [[0.7, 0.3], [0.2, 0.8]], casino().emission, max_iter=5, tol=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        once = model.fit(z).transition_.copy()
        assert model.fit(z) is model
        assert np.array_equal(model.transition_, once)
    assert np.array_equal(model.transition, [[0.7, 0.3], [0.2, 0.8]])
    assert np.array_equal(model.history_[0].transition, model.transition)


def test_missing_looks_are_left_out_of_the_m_step():
    truth = HMM([0.5, 0.5], [[0.9, 0.1], [0.2, 0.8]], PoissonEmission([3.0, 20.0]))
    z = truth.sample(400, rng=1)[1].astype(float)
    z[::7] = np.nan
    fitted = HMM([0.5, 0.5], [[0.8, 0.2], [0.3, 0.7]], PoissonEmission([5.0, 10.0]), tol=1e-6).fit(z)
    assert np.allclose(np.sort(fitted.emission_.rates), [3, 20], atol=0.8)
    gaps = TableEmission([[0.5, 0.5]]).estimate(np.array([0.0, np.nan, 1.0, 1.0]), np.ones((4, 1)))
    assert np.allclose(gaps.table, [[1 / 3, 2 / 3]])
    gaps = GaussianEmission([0.0], [1.0]).estimate(np.array([1.0, np.nan, 4.0]), np.ones((3, 1)))
    assert np.allclose([gaps.means, gaps.variances], [[2.5], [2.25]])


def test_weighted_estimates_by_hand():
    w = np.array([[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]])
    z = np.array([2.0, 5.0, 11.0])
    gauss = GaussianEmission([0, 0], [1, 1]).estimate(z, w)
    assert np.allclose(gauss.means, [3.0, 9.0])
    assert np.allclose(gauss.variances, [2.0, 8.0])
    assert np.allclose(PoissonEmission([1, 1]).estimate(z, w).rates, [3.0, 9.0])
    table = TableEmission(np.full((2, 3), 1 / 3)).estimate(np.array([0.0, 2.0, 2.0]), w)
    assert np.allclose(table.table, [[2 / 3, 0, 1 / 3], [0, 0, 1]])


def test_a_state_without_weight_keeps_its_emission():
    w = np.array([[1.0, 0.0], [1.0, 0.0]])
    z = np.array([1.0, 3.0])
    gauss = GaussianEmission([0, 7], [1, 5]).estimate(z, w)
    assert (gauss.means[1], gauss.variances[1]) == (7, 5)
    assert PoissonEmission([1, 8]).estimate(z, w).rates[1] == 8
    assert np.allclose(TableEmission([[0.5, 0.5], [0.1, 0.9]]).estimate(np.array([0.0, 0.0]), w).table[1], [0.1, 0.9])


def test_a_variance_that_collapses_is_held_off():
    z = np.array([0.0, 0.0, 0.0, 5.0, 6.0, 7.0, 0.0, 0.0])
    model = HMM([0.5, 0.5], [[0.8, 0.2], [0.3, 0.7]], GaussianEmission([0.0, 6.0], [1.0, 1.0]), max_iter=100)
    assert (model.fit(z).emission_.variances > 0).all()
    assert np.isfinite(model.log_likelihood(z))


def test_many_starts_come_best_first_and_repeat():
    z = casino().sample(120, rng=4)[1]
    model = HMM([0.5, 0.5], casino().transition, casino().emission, max_iter=25)
    found = fit_from_starts(model, z, 4, rng=9)
    values = [m.history_[-1].log_likelihood for m in found]
    assert values == sorted(values, reverse=True)
    assert len({round(v, 6) for v in values}) > 1
    again = fit_from_starts(model, z, 4, rng=9)
    assert np.array_equal(found[0].emission_, again[0].emission_)


def test_aligned_states_undo_any_order():
    model, rng = random_model(1, 5, 6)
    for _ in range(10):
        order = rng.permutation(5)
        mixed = model.reordered(order)
        back = mixed.reordered(align_states(model, mixed))
        assert np.allclose(back.emission_, model.emission_)
        assert np.allclose(back.transition_, model.transition_)
        assert np.allclose(back.start_, model.start_)
    z = model.sample(40, rng)[1]
    assert math.isclose(mixed.log_likelihood(z), model.log_likelihood(z), rel_tol=1e-12)
    x = rng.integers(4, size=200)
    names = np.array([2, 0, 3, 1])
    assert names[x].tolist() == align_states(x, names[x])[x].tolist()
    law = HMM([0.5, 0.5], np.full((2, 2), 0.5), PoissonEmission([3, 9]))
    other = HMM([0.5, 0.5], np.full((2, 2), 0.5), PoissonEmission([8, 4]))
    assert align_states(law, other).tolist() == [1, 0]


def test_alignment_is_the_best_of_all_orders():
    from itertools import permutations

    for seed in range(10):
        a, b = random_model(seed, 4, 3)[0], random_model(seed + 50, 4, 3)[0]
        cost = lambda order: np.abs(a.emission_ - b.emission_[list(order)]).sum()  # noqa: B023, E731
        assert math.isclose(cost(align_states(a, b)), min(map(cost, permutations(range(4)))))


def test_counting_with_pseudo_counts_and_borders():
    x, z = [[0, 1, 1, 0], [0, 0, 1]], [[0, 1, 0, 0], [1, 0, 1]]
    model = umbrella().fit_supervised(x, z)
    assert np.allclose(model.transition_, [[1 / 3, 2 / 3], [0.5, 0.5]])
    assert np.allclose(model.emission_, [[3 / 4, 1 / 4], [1 / 3, 2 / 3]])
    assert np.allclose(model.start_, [1, 0])
    smoothed = umbrella().fit_supervised(x, z, alpha=1)
    assert np.allclose(smoothed.transition_, [[2 / 5, 3 / 5], [0.5, 0.5]])
    assert np.allclose(smoothed.emission_, [[4 / 6, 2 / 6], [2 / 5, 3 / 5]])
    assert np.allclose(smoothed.start_, [3 / 4, 1 / 4])


def test_counting_numbers():
    model = HMM([0.5, 0.5], np.full((2, 2), 0.5), PoissonEmission([1, 1]))
    model.fit_supervised([0, 0, 1, 1, 0], [1, 3, 10, 14, 2])
    assert np.allclose(model.emission_.rates, [2, 12])
    assert np.allclose(model.transition_, [[0.5, 0.5], [0.5, 0.5]])


# --- Drawing, particles, ready models -------------------------------------------------------------------------------


def test_samples_have_the_model_s_frequencies():
    model, _ = random_model(2, 3, 4)
    x, z = model.sample(60_000, rng=5)
    moves, looks = np.zeros((3, 3)), np.zeros((3, 4))
    np.add.at(moves, (x[:-1], x[1:]), 1)
    np.add.at(looks, (x, z), 1)
    assert np.allclose(moves / moves.sum(axis=1, keepdims=True), model.transition_, atol=0.02)
    assert np.allclose(looks / looks.sum(axis=1, keepdims=True), model.emission_, atol=0.02)
    firsts = [model.sample(1, rng=k)[0][0] for k in range(3000)]
    assert np.allclose(np.bincount(firsts, minlength=3) / 3000, model.start_, atol=0.03)
    x, z = traffic_light().sample(30_000, rng=1)
    assert np.allclose([z[x == s].mean() for s in range(3)], [5, 45, 130], atol=2)
    assert np.allclose([z[x == s].std() for s in range(3)], [20, 30, 40], atol=1.5)


def test_particles_come_to_the_exact_filter():
    model, rng = random_model(3, 4, 3)
    z = model.sample(12, rng)[1]
    exact = model.filter(z)
    gap = [np.mean([np.abs(particle_filter(model, z, n, rng=k).belief - exact).sum(axis=1).mean() for k in range(12)])
           for n in (50, 5000)]  # fmt: skip
    assert gap[1] < gap[0] / 6
    assert gap[1] < 0.03
    run = particle_filter(model, z, 5000, rng=0)
    assert math.isclose(run.log_likelihood, model.log_likelihood(z), abs_tol=0.1)
    assert run.states.shape == (12, 5000)
    assert (run.effective <= 5000 + 1e-6).all()
    assert (run.effective >= 1).all()
    weights = np.exp(model.law.log_likelihood(z[:1].astype(float)))[0]
    start = model.start_ * weights / (model.start_ @ weights)
    assert np.allclose(run.belief[0], start, atol=0.03)


def test_particle_likelihood_is_unbiased():
    model, z = umbrella(), [0, 0, 1]
    values = [math.exp(particle_filter(model, z, 20, rng=k).log_likelihood) for k in range(1500)]
    assert abs(np.mean(values) / math.exp(model.log_likelihood(z)) - 1) < 4 * np.std(values) / np.mean(values) / 38


def test_resampling_keeps_shares():
    w = np.array([0.5, 0.0, 0.25, 0.15, 0.1, 0, 0, 0])
    for k in range(20):
        counts = np.bincount(resample(w, np.random.default_rng(k)), minlength=8)
        assert counts.sum() == 8
        assert (np.abs(counts - 8 * w) < 1).all()
        assert (counts[w == 0] == 0).all()


def test_particles_that_all_die_say_so():
    model = HMM([1, 0], [[1, 0], [0, 1]], [[1, 0], [0, 1]])
    with pytest.raises(ValueError, match="no particle explains observation 2: all 30 weights are zero"):
        particle_filter(model, [0, 0, 1], 30)


def test_the_corridor_holds_the_robot_and_reads_doors():
    model = corridor((1, 3), 5, 0.2, 0.9)
    A = model.transition_
    assert np.allclose(A[2], [0, 0.2, 0.2, 0.6, 0])
    assert np.allclose(A[0], [0.4, 0.6, 0, 0, 0])
    assert np.allclose(A[4], [0, 0, 0, 0.2, 0.8])
    assert np.allclose(model.emission_[:, 1], [0.1, 0.9, 0.1, 0.9, 0.1])


def test_numbers_of_parameters():
    assert n_parameters(umbrella()) == 1 + 2 + 2
    assert n_parameters(casino()) == 1 + 2 + 10
    assert n_parameters(traffic_light()) == 2 + 6 + 6


def test_emission_laws():
    from scipy.special import gammaln

    z = np.array([0.0, 3.0])
    assert np.allclose(PoissonEmission([2, 0]).log_likelihood(z)[:, 0], [-2, 3 * np.log(2) - 2 - gammaln(4)])
    assert PoissonEmission([2, 0]).log_likelihood(z)[:, 1].tolist() == [0, -math.inf]
    g = GaussianEmission([1, 2], [4, 9]).log_likelihood(z)
    assert np.allclose(g[1], [-0.5 * (2 / 2) ** 2 - math.log(2 * math.sqrt(2 * math.pi)),
                              -0.5 * (1 / 3) ** 2 - math.log(3 * math.sqrt(2 * math.pi))])  # fmt: skip
    gaps = PoissonEmission([2]).log_likelihood(np.array([np.nan, 1.0]))
    assert gaps[0, 0] == 0


def test_far_looks_of_a_gaussian_do_not_vanish():
    model = HMM([0.5, 0.5], [[0.9, 0.1], [0.1, 0.9]], GaussianEmission([0, 1], [1e-4, 1e-4]))
    z = [50.0, 51.0, 49.0]
    assert np.isfinite(model.log_likelihood(z))
    assert np.allclose(model.smooth(z)[:, 1], 1)


# --- Stored runs ----------------------------------------------------------------------------------------------------


def test_stored_climbs_are_repeated():
    again = stored.climb_of(100, 3)
    kept = stored.climbs()[100][3]
    assert kept.shape == again.shape
    assert np.allclose(kept[:6], again[:6], atol=2e-3)  # later steps may end on another rounding
    assert all(np.diff(run[:, 0]).min() > -2e-3 for runs in stored.climbs().values() for run in runs)


def test_stored_forecasts_are_repeated():
    y = datasets.earthquakes().y
    told = stored.forecasts()
    for t in (57, 90):
        for name in ("one rate", "one spread", "moving mean", "2 states"):
            assert math.isclose(stored.forecast(name, y[:t], y[t]), told[name][t - 57], abs_tol=2e-3)
    assert all(len(score) == 50 for score in told.values())


def test_what_the_chapter_says_of_the_stored_runs():
    runs = stored.climbs()
    last = {n: np.sort(runs[n][:, -1, 0])[::-1] for n in runs}
    assert ((last[1000][0] - last[1000]) > 20).sum() == 5
    assert (runs[300][:, -1, 2] > runs[300][:, -1, 1]).sum() == 5
    best = runs[1000][runs[1000][:, -1, 0].argmax(), -1, 1:]
    assert np.allclose(np.sort(best), [1 / 6, 0.5], atol=0.05)
    best = np.sort(runs[300][runs[300][:, -1, 0].argmax(), -1, 1:])
    assert best[0] < 0.06
    picks = stored.choices()
    assert (picks[0] == 2).sum(axis=0)[:2].tolist() == [39, 39]
    assert 0.4 < np.mean(picks[1, :, 0] == 3) < 0.6
    assert np.mean(picks[1, :, 1] == 3) < 0.2


@pytest.mark.slow
def test_stored_choices_are_repeated():
    truth = stored.quakes_model(2, datasets.earthquakes().y)
    assert stored.chosen(truth.sample(107, rng=0)[1]) == stored.choices()[0, 0].tolist()


def test_what_the_chapter_says_of_the_explorers():
    def records(door, sensor):
        model = trellis_model(door, sensor)
        looks = [np.random.default_rng(seed).integers(3, size=7) for seed in range(1, 13)]
        both = [(model.pointwise(z), model.viterbi(z), z) for z in looks]
        impossible = sum(np.isinf(model.log_joint(states, z)) for states, _, z in both)
        return impossible, sum(np.array_equal(states, path) for states, path, _ in both)

    assert records(0.0, 0.6)[0] == 5
    assert records(0.02, 0.6) == (0, 6)
    assert records(0.1, 0.98) == (0, 12)
    robot = explorers.made("robot_corridor")
    words = [robot.describe(robot.compute(reliability=1.0, particles=20, stay=stay, seed=seed))
             for stay in (0.0, 0.3, 0.6) for seed in range(1, 10)]  # fmt: skip
    assert 1 <= sum("have died" in text for text in words) <= 9
    evidence = explorers.made("new_evidence")
    for today in (5, 12, 20):
        (now, before) = (evidence.compute(today=day)[0] for day in (today, today - 1))
        assert np.allclose(now[0][:-1], before[0])
        assert not np.allclose(now[2][:-1], before[2])
        assert np.allclose(now[1][:-3], before[1][:-2], atol=1e-12)
    chain = explorers.made("chain_playground")
    assert "Period **3**" in chain.describe(chain.compute(onward=1.0, leave=1.0))
    assert "3 closed classes" in chain.describe(chain.compute(onward=0.0, back=0.0, leave=0.0))
    assert np.allclose(chain.compute(leave=0.0)[1], [0, 0, 1])


def test_no_explorer_opens_on_the_answer_of_its_prediction():
    trellis, climbs = explorers.made("trellis_paths"), explorers.made("many_climbs")
    assert "impossible" not in trellis.describe(trellis.compute())
    assert "impossible" in trellis.describe(trellis.compute(seed=11))
    words = climbs.describe(climbs.compute())
    assert "after 16 steps" in words
    assert "Matched" in words
    end = climbs.describe(climbs.compute(matched=False, step=160))
    assert "State 1 throws more sixes in **5** of 12" in end


# --- Errata ---------------------------------------------------------------------------------------------------------


def test_erratum_s0_e123():
    """Pr[x_T | z_1:T] is the filter at T: smoothing is about earlier times."""
    model, z = umbrella(), [0, 0, 1, 0]
    assert np.allclose(model.smooth(z)[-1], model.filter(z)[-1])
    assert np.allclose([model.filter(z)[2, 0], model.smooth(z)[2, 0]], [0.190668, 0.283911], atol=1e-6)


def test_erratum_s0_e124():
    """The recursion computes P(z after t | x_t); with z_t in it, smoothing counts that look twice."""
    model, z = umbrella(), [0, 0, 1, 0]
    b = model.emission_[:, z].T
    beta = backward(model.transition_, b)
    paths, p = all_paths(HMM([1, 0], model.transition, model.emission), [0, 1, 0])  # day two on, from rain
    assert math.isclose(p.sum() / 0.9, 0.1467)
    assert math.isclose(beta[1, 0], 0.1467)
    printed = b * beta
    assert math.isclose(printed[1, 0], 0.13203)
    wrong = forward(model.start_, model.transition_, b)[1] * printed[1]
    assert math.isclose(wrong[0] / wrong.sum(), 0.952321, abs_tol=1e-6)
    assert math.isclose(model.smooth(z)[1, 0], 0.816129, abs_tol=1e-6)


def test_erratum_s0_e125():
    """Without the factor of the last look the sum over all states and looks is 2 (two symbols)."""
    model, T = umbrella(), 4
    right, printed = 0.0, 0.0
    for n in range(2**T):
        z = [n >> t & 1 for t in range(T)]
        paths, p = all_paths(model, z)
        right += p.sum()
        printed += (p / model.emission_[paths[:, -1], z[-1]]).sum()
    assert math.isclose(right, 1)
    assert math.isclose(printed, 2)


def test_erratum_s0_e126():
    """With a_{i,k} for a fixed i in place of a_{j,k} the likelihood is 0.081175."""
    model, z = umbrella(), [0, 0, 1, 0]
    b = model.emission_[:, z].T
    alpha = model.start_ * b[0]
    for look in b[1:]:
        alpha = look * alpha.sum() * model.transition_[0]
    assert math.isclose(alpha.sum(), 0.081175, abs_tol=1e-6)
    assert math.isclose(forward(model.start_, model.transition_, b)[-1].sum(), 0.05581265, rel_tol=1e-7)


def test_erratum_s0_u31_a_triple_is_no_model():
    """States, looks and a first law do not say what is believed: A and b belong to the model."""
    one, other = umbrella(0.7), umbrella(0.9)
    assert np.array_equal(one.start_, other.start_)
    assert abs(one.filter([0, 0])[1, 0] - other.filter([0, 0])[1, 0]) > 0.03


# --- Bad input ------------------------------------------------------------------------------------------------------

GOOD = ([0.5, 0.5], [[0.7, 0.3], [0.3, 0.7]], [[0.9, 0.1], [0.2, 0.8]])

BAD = {
    "start sums": (lambda: HMM([0.5, 0.6], *GOOD[1:]), "start must sum to one; it sums to 1.1"),
    "start length": (lambda: HMM([1.0], *GOOD[1:]), "start must have one entry per state: 2 states"),
    "rows": (lambda: HMM(GOOD[0], [[0.7, 0.2], [0.3, 0.7]], GOOD[2]), "transition must sum to one; it sums to 0.9"),
    "negative": (lambda: HMM(GOOD[0], [[1.2, -0.2], [0.3, 0.7]], GOOD[2]), "transition must not be negative"),
    "not square": (lambda: HMM(GOOD[0], [[0.7, 0.3]], GOOD[2]), r"transition must have shape \(S, S\).*\(1, 2\)"),
    "emission rows": (lambda: HMM(*GOOD[:2], [[0.5, 0.5]]), "one row per state: 2 states, but it has 1"),
    "emission shape": (lambda: HMM(*GOOD[:2], [0.5, 0.5]), r"emission must have shape \(S, symbols\)"),
    "law states": (lambda: HMM(*GOOD[:2], PoissonEmission([1, 2, 3])), "2 states, but it has 3"),
    "symbol": (lambda: HMM(*GOOD).filter([0, 2]), "symbols 0 to 1, the columns of emission; got 2"),
    "half": (lambda: HMM(*GOOD).filter([0.5]), "symbols 0 to 1.*got 0.5"),
    "minus": (lambda: HMM(*GOOD).filter([-1]), "symbols 0 to 1.*got -1"),
    "empty": (lambda: HMM(*GOOD).filter([]), "observations"),
    "empty array": (lambda: HMM(*GOOD).filter(np.zeros(0)), "at least one"),
    "text": (lambda: HMM(*GOOD).filter(["rain"]), "numbers only"),
    "number": (lambda: HMM(*GOOD).filter(3), "sequence of numbers"),
    "matrix": (lambda: HMM(*GOOD).filter(np.zeros((2, 2))), r"shape \(T,\)"),
    "infinite": (lambda: HMM(*GOOD[:2], GaussianEmission([0, 1], [1, 1])).filter([0, np.inf]), "finite"),
    "infinite array": (
        lambda: HMM(*GOOD[:2], GaussianEmission([0, 1], [1, 1])).filter(np.array([0, np.inf])),
        r"observations\[1\] is infinite",
    ),
    "count": (lambda: HMM(*GOOD[:2], PoissonEmission([1, 2])).filter([1.5]), "counts 0, 1, 2, ...; got 1.5"),
    "count minus": (lambda: HMM(*GOOD[:2], PoissonEmission([1, 2])).filter([-2]), "got -2"),
    "variance": (lambda: GaussianEmission([0, 1], [1, 0]), "variances must be positive; the smallest is 0"),
    "variances": (lambda: GaussianEmission([0, 1], [1]), "variances must have one entry per row of means"),
    "rate": (lambda: PoissonEmission([1, -2]), "rates must not be negative; the smallest is -2"),
    "steps": (lambda: HMM(*GOOD).predict([0], 0), "steps must be at least 1"),
    "lag": (lambda: HMM(*GOOD).fixed_lag([0], -1), "lag must be at least 0"),
    "n": (lambda: HMM(*GOOD).sample(0), "n must be at least 1"),
    "states": (lambda: HMM(*GOOD).log_joint([0], [0, 1]), "states must be 2 whole numbers, one per observation"),
    "state floats": (lambda: HMM(*GOOD).log_joint([0.0, 1.0], [0, 1]), "whole numbers"),
    "state 2": (lambda: HMM(*GOOD).log_joint([0, 2], [0, 1]), "states must be 0 to 1, the rows of transition; got 2"),
    "state -1": (lambda: HMM(*GOOD).log_joint([0, -1], [0, 1]), "got -1"),
    "order": (lambda: HMM(*GOOD).reordered([0, 0]), "order must hold each of the states 0 to 1 once"),
    "never left": (lambda: HMM(*GOOD).fit_supervised([0, 0, 1], [0, 0, 1]), "state 1 stands only at the end.*alpha=1"),
    "never seen": (
        lambda: HMM([0.5] * 2, GOOD[1], GOOD[2]).fit_supervised([0, 0, 0], [0, 0, 1]),
        "state 1 is never seen.*alpha=1",
    ),
    "records": (lambda: HMM(*GOOD).fit_supervised([[0, 1]], [[0, 1], [1, 0]]), "as many sequences: 1 and 2"),
    "no states": (lambda: HMM(*GOOD).fit_supervised(3, [0, 1]), "states must be a sequence of states"),
    "empty states": (lambda: HMM(*GOOD).fit_supervised([], [0, 1]), "states must be a sequence of states"),
    "order 3": (lambda: HMM(*GOOD).reordered(3), "order must hold each of the states"),
    "chain law": (lambda: MarkovChain(GOOD[1]).sample(3, start=[0.5, 0.25, 0.25]), r"shape \(2,\)"),
    "alpha": (lambda: HMM(*GOOD).fit_supervised([0, 1], [0, 1], alpha=-1), "alpha must be at least 0"),
    "max_iter": (lambda: HMM(*GOOD, max_iter=0).fit([0, 1]), "max_iter must be at least 1"),
    "tol": (lambda: HMM(*GOOD, tol=-1).fit([0, 1]), "tol must be at least 0"),
    "impossible look": (
        lambda: HMM(*GOOD[:2], [[1, 0, 0], [0.5, 0.5, 0]]).filter([0, 2]),
        "observation 1 is impossible: it has probability zero in every state",
    ),
    "impossible record": (
        lambda: HMM([1, 0], [[0.9, 0.1], [0, 1]], [[1, 0], [0, 1]]).smooth([0, 1, 1, 0]),
        "after the first 3, observation 3 has probability zero in every state that can be reached",
    ),
    "impossible path": (
        lambda: HMM([1, 0], [[0.9, 0.1], [0, 1]], [[1, 0], [0, 1]]).viterbi([0, 1, 1, 0]),
        "every path has probability zero",
    ),
    "impossible fit": (
        lambda: HMM([1, 0], [[0.9, 0.1], [0, 1]], [[1, 0], [0, 1]]).fit([0, 1, 1, 0]),
        "impossible under this model",
    ),
    "paths": (lambda: all_paths(umbrella(), [0] * 30), "at most 200,000 are listed"),
    "align": (lambda: align_states(umbrella(), casino()), r"same states and symbols; got \(2, 2\) and \(2, 6\)"),
    "align lengths": (lambda: align_states([0, 1], [0]), "other must have one entry per row of reference"),
    "align minus": (lambda: align_states([0, -1], [0, 1]), "must not be negative; got -1"),
    "particles": (lambda: particle_filter(umbrella(), [0], 0), "n_particles must be at least 1"),
    "rng": (lambda: umbrella().sample(3, rng="a"), "rng must be"),
    "n_starts": (lambda: fit_from_starts(umbrella(), [0, 1], 0), "n_starts must be at least 1"),
    "chain start": (lambda: MarkovChain(GOOD[1]).after([1.0], 2), r"shape \(2,\)"),
    "chain state": (lambda: MarkovChain(GOOD[1]).sample(3, start=5), "start must be at most 1"),
    "chain period": (lambda: MarkovChain(GOOD[1]).period(4), "state must be at most 1"),
    "cells": (lambda: corridor(cells=1), "cells must be at least 2"),
    "reliability": (lambda: corridor(reliability=1.2), "reliability must be"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_explained(case):
    call, words = BAD[case]
    with pytest.raises(ValueError, match=words):
        call()


def test_an_impossible_look_late_in_a_long_record_is_named():
    model = HMM([1, 0], [[0.9, 0.1], [0, 1]], [[1, 0], [0, 1]])
    z = [0] * 1200 + [1] * 700 + [0] + [1] * 200
    with pytest.raises(ValueError, match="after the first 1900, observation 1900"):
        model.filter(z)
    with pytest.raises(ValueError, match="every path has probability zero"):
        model.viterbi(z)
    assert model.viterbi(z[:1900]).tolist() == [0] * 1200 + [1] * 700


def test_a_state_never_left_keeps_its_row_and_says_so():
    model = HMM([1, 0], [[0.5, 0.5], [0.25, 0.75]], [[1, 0], [0, 1]], tol=1e-9)
    with pytest.warns(ConvergenceWarning, match="no step starts in state 1, not even one that stays"):
        model.fit([0, 0, 0, 1])
    assert np.allclose(model.transition_, [[2 / 3, 1 / 3], [0.25, 0.75]])


def test_what_counts_as_the_same_up_to_one_constant():
    nothing = -np.inf
    old = np.array([[-3.0, -3.0, nothing], [-5.0, -5.0, -2.0]])
    new = np.array([[-7.0, -7.0, nothing], [-9.0, -8.0, -4.0]])
    assert _fast._near(old, new).tolist() == [True, False, True]


def test_a_climb_that_has_not_ended_says_so():
    z = casino().sample(60, rng=1)[1]
    with pytest.warns(ConvergenceWarning, match="stopped after max_iter=2.*Raise max_iter") as told:
        model = HMM([0.4, 0.6], [[0.7, 0.3], [0.2, 0.8]], casino().emission, max_iter=2).fit(z)
    rise = np.diff([step.log_likelihood for step in model.history_])[-1]
    assert f"by {rise:.2g}, more than" in str(told[0].message)
    assert model.converged_ is False
    assert model.n_iter_ == 2


def test_run_forward_adds_the_largest_logarithms_back():
    model = fog()
    z = np.array([0.0, 1.0, 1.0])
    log_b = model.law.log_likelihood(z) - np.array([[700.0], [0.0], [900.0]])
    shifted = run_forward(model.start_, model.transition_, log_b)
    plain = run_forward(model.start_, model.transition_, model.law.log_likelihood(z))
    assert np.allclose(shifted.log_c + [700, 0, 900], plain.log_c)
    assert np.allclose(shifted.belief, plain.belief)


def test_one_observation_is_enough():
    model = fog()
    assert np.allclose(model.smooth([0]), [[0.75, 0.25]])
    assert model.viterbi([0]).tolist() == [0]
    assert model.pairs([0]).shape == (0, 2, 2)
    assert np.allclose(model.fixed_lag([0], 3), [[0.75, 0.25]])
    fitted = HMM(*GOOD, tol=1e-9).fit([[0], [1]])
    assert np.allclose(fitted.transition_, GOOD[1])


def test_inputs_are_left_as_they_are():
    z, A = np.array([0, 1, 1]), np.array(GOOD[1])
    model = HMM(GOOD[0], A, GOOD[2], max_iter=3, tol=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(z)
    assert z.tolist() == [0, 1, 1]
    assert np.array_equal(A, GOOD[1])
    assert model.transition is A


def _fixed_coin():
    """Return a coin that is never changed, and a record that speaks for one coin first, in the end for the other."""
    return HMM([0.5, 0.5], np.eye(2), [[0.5, 0.5], [0.1, 0.9]]), [0] * 600 + [1] * 3000


def test_a_belief_that_all_but_vanished_comes_back_where_the_chain_has_zeros():
    coin, z = _fixed_coin()
    one = 3600 * math.log(0.5)
    other = 600 * math.log(0.1) + 3000 * math.log(0.9)
    assert coin.log_likelihood(z) == pytest.approx(np.logaddexp(one, other) - math.log(2), rel=1e-12)
    assert coin.filter(z)[[599, -1], 0].tolist() == pytest.approx([1, 0])
    assert coin.smooth(z)[[0, -1], 1].tolist() == pytest.approx([1, 1])
    assert coin.fixed_lag(z, 3599)[0, 1] == pytest.approx(1)
    assert coin.pairs(z).sum(axis=0)[1, 1] == pytest.approx(3599)
    with pytest.warns(match="no step starts in state 0"):
        assert coin.fit(z).emission_[1].tolist() == pytest.approx([1 / 6, 5 / 6])


def test_the_passes_in_logarithms_agree_with_those_by_beliefs():
    from mlteach.hidden_markov.backward import log_backward

    rng = np.random.default_rng(3)
    model = HMM([0.2, 0.5, 0.3], rng.dirichlet(np.ones(3), 3), rng.dirichlet(np.ones(4), 3))
    z = model.sample(40, rng=1)[1]
    log_b = np.log(model.emission_[:, z].T)
    log_alpha = log_forward(model.start_, model.transition_, log_b)

    def belief(logs):
        p = np.exp(logs - logs.max(axis=1, keepdims=True))
        return p / p.sum(axis=1, keepdims=True)

    assert belief(log_alpha + log_backward(model.transition_, log_b)) == pytest.approx(model.smooth(z))
    lagged = belief(log_alpha + log_backward(model.transition_, log_b, 4))
    assert lagged == pytest.approx(model.fixed_lag(z, 4))


def test_a_far_look_is_not_called_impossible():
    model = HMM([1, 0], [[1, 0], [0, 1]], GaussianEmission([0, 100], [0.01, 0.01]))
    expected = -0.5 * (60**2 / 0.01 + 3 * math.log(2 * math.pi * 0.01))
    assert model.log_likelihood([0, 60.0, 0]) == pytest.approx(expected)
    assert model.smooth([0, 60.0, 0])[:, 0].tolist() == [1, 1, 1]


def test_a_way_out_however_narrow_is_a_way_out():
    chain = MarkovChain([[1 - 1e-6, 1e-6], [0, 1]])
    assert chain.closed() == [[1]]
    assert chain.stationary().tolist() == [0, 1]


def test_the_stationary_law_of_a_slow_chain_keeps_its_digits():
    slow = MarkovChain([[1 - 1e-13, 1e-13], [2e-13, 1 - 2e-13]])
    assert slow.stationary() == pytest.approx([2 / 3, 1 / 3], rel=1e-3)
    rng = np.random.default_rng(0)
    for S in (1, 2, 5, 9):
        A = rng.dirichlet(np.ones(S), S)
        pi = MarkovChain(A).stationary()
        assert pi @ A == pytest.approx(pi, rel=1e-12)


def test_states_that_differ_in_spread_alone_are_matched():
    A = [[0.9, 0.1], [0.1, 0.9]]
    one, other = (HMM([0.5, 0.5], A, GaussianEmission([0, 0], v)) for v in ([1, 9], [9, 1]))
    assert align_states(one, other).tolist() == [1, 0]
    with pytest.raises(ValueError, match="PoissonEmission and GaussianEmission"):
        align_states(HMM([0.5, 0.5], A, PoissonEmission([1, 2])), HMM([0.5, 0.5], A, GaussianEmission([0, 1], [1, 1])))


def test_weights_that_do_not_sum_to_one_are_drawn_in_proportion():
    picked = resample(np.array([1.0, 3.0, 0.0, 4.0]), np.random.default_rng(0))
    assert np.bincount(picked, minlength=4).tolist() in ([1, 1, 0, 2], [0, 2, 0, 2])

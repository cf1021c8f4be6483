"""Chapter 26: agents and worlds against closed forms, textbook numbers, brute force, and their own expectations."""

import itertools

import numpy as np
import pytest
from explorers import made
from hypothesis import given
from hypothesis import strategies as st

from mlteach.bandits import (
    UCB,
    Agent,
    BayesOptimal,
    BernoulliBandit,
    DriftingBandit,
    EpsilonGreedy,
    ExploreThenCommit,
    GaussianBandit,
    GradientBandit,
    OptimisticGreedy,
    SoftMax,
    Thompson,
    bayes_optimal_value,
    bernoulli_kl,
    beta_exceeds,
    boltzmann,
    draw,
    enumerated_curve,
    exact_curve,
    exact_on_table,
    first_look,
    gittins_index,
    greedy,
    lai_robbins,
    largest_of,
    mean_curve,
    run_bandit,
    tracking_error,
    ucb_bound,
    upper_bounds,
)
from mlteach.explore.bandits import BUDGET, RIVALS, _game

AGENTS = [
    EpsilonGreedy(0.1),
    EpsilonGreedy(0.2, step=0.3, initial=0.4),
    SoftMax(5.0),
    OptimisticGreedy(2.0, 0.2),
    UCB(1.3),
    GradientBandit(0.4),
    GradientBandit(0.4, baseline=False),
    Thompson(),
    ExploreThenCommit(3),
]
COUNTING = [
    EpsilonGreedy(0.15),
    EpsilonGreedy(0.1, initial=0.7),
    SoftMax(6.0),
    UCB(0.8),
    Thompson(),
    BayesOptimal(6),
    ExploreThenCommit(2),
]


def name(agent):
    return repr(agent)


# --- Worlds -----------------------------------------------------------------------------------------------------------


def test_gaussian_means_are_given_or_drawn():
    assert GaussianBandit([1, 2, 4]).means.tolist() == [1, 2, 4]
    assert GaussianBandit(3, 5).means.tolist() == np.random.default_rng(5).normal(size=3).tolist()
    many = GaussianBandit(4, 5, n=3)
    assert many.means.tolist() == np.random.default_rng(5).normal(size=(3, 4)).tolist()
    assert (many.arms, many.shape, GaussianBandit(3).shape) == (4, (3,), ())
    assert GaussianBandit().arms == DriftingBandit().arms == 10


def test_laws_of_rewards():
    n = 40_000
    arm = np.ones(n, dtype=int)
    r = GaussianBandit(np.tile([9.0, 2.0, 9.0], (n, 1)), noise=3).open(1).pull(arm)
    assert r.mean() == pytest.approx(2, abs=0.06)
    assert r.std() == pytest.approx(3, abs=0.05)
    r = BernoulliBandit(np.tile([0.9, 0.2, 0.9], (n, 1))).open(1).pull(arm)
    assert set(r.tolist()) == {0.0, 1.0}
    assert r.mean() == pytest.approx(0.2, abs=0.01)
    assert BernoulliBandit([0.0, 1.0]).open(1).pull(0) == 0
    assert BernoulliBandit([0.0, 1.0]).open(1).pull(1) == 1


def test_drift_walks_and_changes_and_leaves_the_bandit_alone():
    bandit = DriftingBandit(5, n=4000, walk=0.2)
    assert not bandit.means.any()
    game = bandit.open(3)
    for _ in range(25):
        game.pull(np.zeros(4000, dtype=int))
    assert game.means.std() == pytest.approx(0.2 * 5, rel=0.03)  # sqrt(25) steps
    assert not bandit.means.any()
    assert game.t == 25
    still = DriftingBandit([3.0, 1.0, 2.0], walk=0, change=4)
    game, seen = still.open(1), []
    for _ in range(8):
        game.pull(0)
        seen.append(game.means.tolist())
    assert seen[:3] == [[3, 1, 2]] * 3
    assert seen[3] != [3, 1, 2]
    assert sorted(seen[3]) == [1, 2, 3]
    assert seen[4:] == [seen[3]] * 4
    assert DriftingBandit(4, walk=0).open(0).means.tolist() == [0] * 4
    game = DriftingBandit([[3.0, 1.0], [0.0, 2.0]], walk=0, change=2, to=[1.0, 7.0]).open(1)
    for wanted in ([[3, 1], [0, 2]], [[1, 7], [1, 7]], [[1, 7], [1, 7]]):
        game.pull(np.array([0, 1]))
        assert game.means.tolist() == wanted


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: GaussianBandit(1), "arms must be at least 2; got 1"),
        (lambda: GaussianBandit(2.5), "arms must be a whole number; got 2.5"),
        (lambda: GaussianBandit([1.0]), r"shape \(k,\) or \(n, k\) with k at least 2; got \(1,\)"),
        (lambda: GaussianBandit(np.zeros((2, 2, 2))), r"got \(2, 2, 2\)"),
        (lambda: GaussianBandit([1, 2], n=3), "with given means leave it out"),
        (lambda: GaussianBandit(3, n=0), "n must be at least 1; got 0"),
        (lambda: GaussianBandit(3, noise=-1), "noise must be at least 0; got -1"),
        (lambda: GaussianBandit(3, "a"), "rng must be"),
        (lambda: BernoulliBandit([0.5, 1.2]), "between 0 and 1; got 1.2"),
        (lambda: BernoulliBandit([-0.1, 0.2]), "between 0 and 1; got -0.1"),
        (lambda: BernoulliBandit([0.5, np.nan]), "p must be finite"),
        (lambda: DriftingBandit(3, walk=-0.1), "walk must be at least 0; got -0.1"),
        (lambda: DriftingBandit(3, change=0), "change must be at least 1; got 0"),
        (lambda: DriftingBandit(3, change=5, to=[1, 2]), r"to must have the means of 3 arms; got shape \(2,\)"),
        (lambda: DriftingBandit(3, to=[1, 2, 3]), "to needs change"),
    ],
)
def test_worlds_refuse_with_words(make, words):
    with pytest.raises(ValueError, match=words):
        make()


# --- Choosing ---------------------------------------------------------------------------------------------------------


def test_greedy_shares_ties_also_those_that_rounding_hides():
    assert greedy(np.array([[1.0, 2.0, 0.0], [3.0, 3.0, 1.0]])).tolist() == [[0, 1, 0], [0.5, 0.5, 0]]
    assert greedy(np.array([0.1 + 0.2, 0.3, -5.0])).tolist() == [0.5, 0.5, 0]
    assert greedy(np.array([-0.3, -0.1 - 0.2, -5.0])).tolist() == [0.5, 0.5, 0]
    assert greedy(np.zeros(4)).tolist() == [0.25] * 4
    assert greedy(np.array([1.0, 1.0 + 1e-6])).tolist() == [0, 1]


def test_draw_follows_the_probabilities_and_never_takes_an_impossible_arm():
    p = np.tile([0.0, 0.2, 0.0, 0.7, 0.1, 0.0], (50_000, 1))
    shares = np.bincount(draw(p, np.random.default_rng(0)), minlength=6) / 50_000
    assert shares == pytest.approx(p[0], abs=0.01)
    assert shares[[0, 2, 5]].tolist() == [0, 0, 0]
    assert draw(np.array([0.0, 0.0, 1.0]), np.random.default_rng(1)) == 2


def test_ties_are_broken_at_random_in_all_agents():
    bandit = GaussianBandit(np.zeros((6000, 3)))
    for agent in (EpsilonGreedy(0), OptimisticGreedy(), UCB(), SoftMax(3), GradientBandit(), ExploreThenCommit(1)):
        first = run_bandit(bandit, agent, 1, 4).choices[:, 0]
        assert np.bincount(first, minlength=3) / 6000 == pytest.approx([1 / 3] * 3, abs=0.03), agent


def test_epsilon_greedy_has_the_probabilities_of_the_formula():
    agent = EpsilonGreedy(0.1)
    Q = np.array([1.0, 4.0, 2.0, 0.0])
    assert agent.policy(Q, None, 7) == pytest.approx([0.025, 0.925, 0.025, 0.025])  # S0 W43
    ten = agent.policy(np.arange(10.0), None, 7)
    assert ten == pytest.approx([0.01] * 9 + [0.91])  # W3-16
    falling = EpsilonGreedy(lambda t: min(1, 2 / t))
    assert falling.policy(Q, None, 0) == pytest.approx([0.25] * 4)  # t = 1: epsilon 1
    assert falling.policy(Q, None, 3) == pytest.approx([0.125, 0.625, 0.125, 0.125])  # t = 4: epsilon 1/2


def test_soft_max_by_powers_of_a_base():
    Q = np.array([1.0, 2.0, 3.0])
    assert SoftMax(2).policy(Q, None, 0) == pytest.approx([1 / 7, 2 / 7, 4 / 7])  # S0 W43
    assert SoftMax(1).policy(Q, None, 0) == pytest.approx([1 / 3] * 3)
    assert SoftMax(lambda t: 1.0 + t).policy(Q, None, 0) == pytest.approx([1 / 7, 2 / 7, 4 / 7])
    assert SoftMax(lambda t: 1.0 + t).policy(Q, None, 2) == pytest.approx(np.array([4, 16, 64]) / 84)
    assert SoftMax(1e6).policy(Q * 1e4, None, 0).tolist() == [0, 0, 1]
    assert boltzmann(np.array([[0.0, np.log(3)], [5.0, 5.0]])) == pytest.approx(np.array([[0.25, 0.75], [0.5, 0.5]]))


def test_upper_bounds_of_the_example():
    bounds = upper_bounds(np.array([0.5, 0.6]), np.array([10, 100]), 110, 2)
    assert bounds == pytest.approx([1.871201, 1.033612], abs=1e-6)  # W3-16
    assert UCB(2).policy(np.array([0.5, 0.6]), np.array([10, 100]), 110).tolist() == [1, 0]
    assert UCB(0).policy(np.array([0.5, 0.6]), np.array([10, 100]), 110).tolist() == [0, 1]
    assert upper_bounds(np.array([0.5, 0.6]), np.array([0, 3]), 3)[0] == np.inf
    assert upper_bounds(np.array([0.5, 0.6]), np.array([1, 3]), 4, np.sqrt(2)) == pytest.approx(
        [0.5 + np.sqrt(2 * np.log(4)), 0.6 + np.sqrt(2 * np.log(4) / 3)]
    )
    assert upper_bounds(np.zeros(2), np.zeros(2), 0).tolist() == [np.inf, np.inf]
    mixed = UCB(2).policy(np.array([[9.0, 0, 0], [0, -3, 1]]), np.array([[3, 0, 0], [2, 2, 2]]), 6)
    assert mixed.tolist() == [[0, 0.5, 0.5], [0, 0, 1]]


def test_ucb_pulls_every_arm_once_first():
    run = run_bandit(GaussianBandit(7, 2, n=50), UCB(2), 7, 1)
    assert (np.sort(run.choices, axis=1) == np.arange(7)).all()
    low = run_bandit(GaussianBandit(np.full((5, 3), -50.0)), UCB(0.1), 3, 1)
    assert (np.sort(low.choices, axis=1) == np.arange(3)).all()


def test_explore_then_commit():
    run = run_bandit(BernoulliBandit(np.tile([0.2, 0.5, 0.8], (300, 1))), ExploreThenCommit(4), 40, 3)
    trial, rest = run.choices[:, :12], run.choices[:, 12:]
    assert all((trial == a).sum(axis=1).tolist() == [4] * 300 for a in range(3))
    assert (rest == rest[:, :1]).all()  # also after a tie
    Q = np.stack([(run.rewards[:, :12] * (trial == a)).sum(axis=1) / 4 for a in range(3)], axis=1)
    assert Q[np.arange(300), rest[:, 5]] == pytest.approx(Q.max(axis=1))
    assert run.agent.N_.sum(axis=1).tolist() == [40] * 300


# --- Learning ---------------------------------------------------------------------------------------------------------


@given(st.lists(st.tuples(st.integers(0, 2), st.floats(-100, 100)), min_size=1, max_size=30))
def test_the_incremental_mean_is_the_batch_mean(pulls):
    agent = EpsilonGreedy().start(GaussianBandit([0.0, 0, 0]))
    for arm, reward in pulls:
        agent.update(arm, reward)
    for arm in range(3):
        own = [r for a, r in pulls if a == arm]
        assert agent.N_[arm] == len(own)
        assert agent.Q_[arm] == pytest.approx(np.mean(own) if own else 0.0, abs=1e-9)
    assert agent.t_ == len(pulls)


def test_numbers_of_the_notes():
    agent = EpsilonGreedy().start(GaussianBandit([0.0, 0]))
    for arm, reward in zip((0, 1, 0, 1, 1), (1, 5, 3, 7, 6)):
        agent.update(arm, reward)
    assert agent.Q_.tolist() == [2, 6]  # W3-16
    agent = EpsilonGreedy().start(GaussianBandit([0.0, 0]))
    for r in (2, 4, 9):
        agent.update(0, r)
    assert agent.Q_[0] == pytest.approx(5)  # S0 W43


def test_a_constant_step_weights_by_recency():
    weights = np.array([0.06561, 0.0729, 0.081, 0.09, 0.1])
    rewards = np.array([3.0, -1, 4, 1, 5])
    agent = EpsilonGreedy(0, step=0.1, initial=2.0).start(GaussianBandit([0.0, 0]))
    for r in rewards:
        agent.update(1, r)
    assert agent.Q_[1] == pytest.approx(weights @ rewards + 0.59049 * 2)  # W3-16
    assert agent.Q_[0] == 2


def test_optimism_of_the_mean_ends_with_the_first_pull():
    for step, wanted in ((None, 1.0), (0.1, 4.6)):
        agent = OptimisticGreedy(5.0, step).start(GaussianBandit([0.0, 0]))
        agent.update(0, 1.0)
        assert agent.Q_.tolist() == [pytest.approx(wanted), 5.0]


def test_gradient_bandit_climbs_the_gradient():
    p, H = np.array([0.2, 0.9, 0.5]), np.array([0.3, -0.4, 1.1])
    pi = boltzmann(H)
    slope = pi * (p - pi @ p)
    h = 1e-6
    for a in range(3):
        up, down = H.copy(), H.copy()
        up[a], down[a] = H[a] + h, H[a] - h
        assert slope[a] == pytest.approx((boltzmann(up) @ p - boltzmann(down) @ p) / (2 * h), abs=1e-8)
    for baseline, factor in ((False, 1.0), (True, 4 / 5)):  # after four pulls B takes 1/5 of the fifth reward
        mean_step = np.zeros(3)
        for arm, reward in itertools.product(range(3), (0.0, 1.0)):
            agent = GradientBandit(0.7, baseline=baseline).start(BernoulliBandit(p))
            agent.H_, agent.mean_, agent.t_ = H.copy(), np.array(0.35), 4
            agent.update(arm, reward)
            mean_step += pi[arm] * (p[arm] if reward else 1 - p[arm]) * (agent.H_ - H)
            assert agent.H_.sum() == pytest.approx(H.sum())
            assert agent.t_ == 5
            assert agent.N_[arm] == 1
        assert mean_step == pytest.approx(0.7 * factor * slope)


def test_baseline_is_the_mean_of_all_rewards():
    run = run_bandit(GaussianBandit([1.0, 3.0]), GradientBandit(0.1), 30, 5)
    assert run.agent.mean_ == pytest.approx(run.rewards.mean())
    assert run.agent.N_.tolist() == np.bincount(run.choices, minlength=2).tolist()


def test_thompson_posteriors():
    agent = Thompson((2, 3)).start(BernoulliBandit([0.1, 0.6]))
    for arm, reward in ((0, 1.0), (0, 0.0), (0, 0.0), (1, 1.0)):
        agent.update(arm, reward)
    a, b = agent.posterior(agent.Q_, agent.N_)
    assert a == pytest.approx([3, 3])
    assert b == pytest.approx([5, 3])
    agent = Thompson((1.0, 4.0)).start(GaussianBandit([0.0, 0], noise=2))
    for reward in (3.0, 5.0, 7.0):
        agent.update(1, reward)
    mean, variance = agent.posterior(agent.Q_, agent.N_)
    assert mean == pytest.approx([1.0, 4.0])
    assert variance == pytest.approx([4.0, 1.0])


def test_thompson_draws_as_often_as_the_integral_says():
    agent = Thompson().start(BernoulliBandit(np.full((40_000, 2), 0.5)))
    for arm, reward in ((0, 1.0), (0, 1.0), (0, 0.0), (1, 1.0)):
        agent.update(np.full(40_000, arm), np.full(40_000, reward))
    exact = agent.policy(np.array([2 / 3, 1.0]), np.array([3, 1]), 4)
    assert exact.sum() == pytest.approx(1)
    assert np.mean(agent.choose(np.random.default_rng(0)) == 0) == pytest.approx(exact[0], abs=0.01)
    normal = Thompson().start(GaussianBandit(np.zeros((40_000, 2))))
    normal.update(np.zeros(40_000, dtype=int), np.full(40_000, 2.0))
    from scipy.special import ndtr  # N(1, 1/2) against N(0, 1)

    assert np.mean(normal.choose(np.random.default_rng(0)) == 0) == pytest.approx(ndtr(1 / np.sqrt(1.5)), abs=0.01)


def test_beta_exceeds():
    assert beta_exceeds(1, 1, 1, 1) == pytest.approx(0.5)
    assert beta_exceeds(3, 1, 1, 1) == pytest.approx(3 / 4)  # E X
    assert beta_exceeds(2, 1, 1, 2) == pytest.approx(5 / 6)
    rng = np.random.default_rng(0)
    for a1, b1, a2, b2 in ((2, 5, 4, 3), (9, 2, 3, 1), (30, 12, 22, 20)):
        exact = beta_exceeds(a1, b1, a2, b2)
        assert np.mean(rng.beta(a1, b1, 200_000) > rng.beta(a2, b2, 200_000)) == pytest.approx(exact, abs=0.005)
        assert exact + beta_exceeds(a2, b2, a1, b1) == pytest.approx(1)


# --- Running ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("agent", AGENTS, ids=name)
def test_many_bandits_are_many_runs(agent):
    """Fed with the same arms and rewards, a row of the test bed and a single run hold the same table."""
    p = np.array([[0.2, 0.7, 0.5], [0.9, 0.1, 0.3]])
    run = run_bandit(BernoulliBandit(p), agent, 25, 7)
    for row in range(2):
        one = agent.start(BernoulliBandit(p[row]))
        for arm, reward in zip(run.choices[row], run.rewards[row]):
            one.update(arm, reward)
        assert one.N_ == pytest.approx(run.agent.N_[row])
        assert one.Q_ == pytest.approx(run.agent.Q_[row])
        if not isinstance(agent, Thompson):
            assert one.probabilities() == pytest.approx(run.agent.probabilities()[row])
            assert one.probabilities().sum() == pytest.approx(1)


@pytest.mark.parametrize("agent", AGENTS, ids=name)
def test_a_run_reports_what_happened(agent):
    bandit = BernoulliBandit([0.2, 0.7, 0.5])
    before = vars(agent).copy()
    run = run_bandit(bandit, agent, 40, 3, history=True)
    assert run.rewards.shape == run.regret.shape == run.choices.shape == run.optimal.shape == (40,)
    gaps = 0.7 - bandit.means[run.choices]
    assert run.regret == pytest.approx(np.cumsum(gaps))
    assert run.optimal.tolist() == (run.choices == 1).tolist()
    assert run.agent.t_ == 40
    assert run.agent.N_.sum() == 40
    assert len(run.history) == 41
    assert run.history[0].N.tolist() == [0, 0, 0]
    for t in range(40):
        assert (run.history[t + 1].N - run.history[t].N).tolist() == np.eye(3)[run.choices[t]].tolist()
    assert vars(agent) == before  # the agent that was given has learned nothing
    again = run_bandit(bandit, agent, 40, 3)
    assert again.choices.tolist() == run.choices.tolist()
    assert again.history == []
    assert "(" in repr(agent)
    assert "_=" not in repr(run.agent)


def test_regret_follows_the_means_of_the_moment():
    bandit = DriftingBandit([1.0, 0.0, -1.0], walk=0, change=3)
    run = run_bandit(bandit, EpsilonGreedy(1.0), 6, 8)
    game = bandit.open(np.random.default_rng(8).spawn(2)[0])
    total = 0.0
    for t, arm in enumerate(run.choices):
        total += game.means.max() - game.means[arm]
        assert run.regret[t] == pytest.approx(total)
        assert run.optimal[t] == (game.means[arm] == game.means.max())
        game.pull(arm)


def test_world_and_agent_have_streams_of_their_own():
    bandit = GaussianBandit([0.0, 0.0])
    noise = [run_bandit(bandit, agent, 50, 6).rewards for agent in (EpsilonGreedy(1.0), EpsilonGreedy(0), UCB(2))]
    assert noise[0].tolist() == noise[1].tolist() == noise[2].tolist()  # whatever the agent throws
    bandit = GaussianBandit(10, 6)
    run = run_bandit(bandit, EpsilonGreedy(1.0), 2000, 6)
    assert abs(np.corrcoef(run.choices, run.rewards - bandit.means[run.choices])[0, 1]) < 0.08
    assert np.random.default_rng(6).normal(size=10).tolist() == bandit.means.tolist()
    first = run_bandit(GaussianBandit([0.0, 0.0]), EpsilonGreedy(1.0), 10, 6)
    assert not np.isclose(first.rewards, np.random.default_rng(6).normal(size=10)).any()


def test_a_generator_gives_new_runs_and_a_seed_the_same():
    bandit, rng = BernoulliBandit([0.4, 0.6]), np.random.default_rng(0)
    a, b = (run_bandit(bandit, EpsilonGreedy(0.5), 60, rng) for _ in range(2))
    assert a.choices.tolist() != b.choices.tolist()
    c = run_bandit(bandit, EpsilonGreedy(0.5), 60, 0)
    assert a.choices.tolist() == c.choices.tolist() == run_bandit(bandit, EpsilonGreedy(0.5), 60).choices.tolist()


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        (EpsilonGreedy(1.5), "epsilon must be at least 0 and at most 1; got 1.5"),
        (EpsilonGreedy(-0.1), "epsilon must be"),
        pytest.param(EpsilonGreedy(lambda t: 2.0), "at least 0 and at most 1; got 2.0", id="a schedule that gives 2"),
        (EpsilonGreedy(0.1, step=0), "step must be greater than 0 and at most 1; got 0"),
        (EpsilonGreedy(0.1, step=1.1), "step must be"),
        (EpsilonGreedy(0.1, initial="a"), "initial must be a finite number; got 'a'"),
        (OptimisticGreedy(np.inf), "initial must be a finite number; got inf"),
        (OptimisticGreedy(5, 2), "step must be"),
        (SoftMax(0), "base must be greater than 0; got 0"),
        (SoftMax(2, step=-1), "step must be"),
        (UCB(-1), "c must be at least 0; got -1"),
        (GradientBandit(0), "step must be greater than 0; got 0"),
        (GradientBandit(0.1, baseline="mean"), "baseline must be one of True, False; got 'mean'"),
        (Thompson((0, 1)), "a0 must be greater than 0; got 0"),
        (Thompson((1, -1)), "b0 must be greater than 0; got -1"),
        (Thompson((1, 2, 3)), r"prior must hold two numbers, a0 and b0; got \(1, 2, 3\)"),
        (ExploreThenCommit(0), "m must be at least 1; got 0"),
        (BayesOptimal(0), "n must be at least 1; got 0"),
        (BayesOptimal(201), "n must be at most 200"),
    ],
    ids=name,
)
def test_agents_refuse_with_words(agent, words):
    with pytest.raises(ValueError, match=words):
        run_bandit(BernoulliBandit([0.3, 0.5]), agent, 5)


def test_other_refusals():
    bandit = BernoulliBandit([0.3, 0.5])
    with pytest.raises(ValueError, match="steps must be at least 1; got 0"):
        run_bandit(bandit, UCB(), 0)
    with pytest.raises(TypeError, match="agent must be one such as EpsilonGreedy"):
        run_bandit(bandit, UCB, 5)
    with pytest.raises(
        TypeError, match=r"bandit must be one such as BernoulliBandit\(\[0.3, 0.6\]\); got \[0.3, 0.5\]"
    ):
        run_bandit([0.3, 0.5], UCB(), 5)
    with pytest.raises(ValueError, match="v0 must be greater than 0; got 0"):
        Thompson((-1, 0)).start(GaussianBandit(2))
    assert Thompson((-3, 1)).start(GaussianBandit(2)).posterior(0.0, 0.0) == (-3.0, 1.0)
    with pytest.raises(ValueError, match="needs noise > 0"):
        Thompson().start(GaussianBandit(2, noise=0))
    with pytest.raises(ValueError, match="needs rewards 0 or 1"):
        Thompson().start(bandit).update(0, 0.5)
    with pytest.raises(ValueError, match="two arms with rewards 0 or 1"):
        Thompson().start(GaussianBandit(2)).probabilities()
    with pytest.raises(ValueError, match="two arms with rewards 0 or 1"):
        Thompson().start(BernoulliBandit([0.1, 0.2, 0.3])).probabilities()
    with pytest.raises(ValueError, match="all of them are used"):
        run_bandit(bandit, BayesOptimal(3), 4)
    with pytest.raises(ValueError, match="BayesOptimal is for two arms; got 3"):
        run_bandit(BernoulliBandit([0.1, 0.2, 0.3]), BayesOptimal(3), 2)
    with pytest.raises(NotImplementedError):
        Agent().policy(None, None, 0)
    with pytest.raises(ValueError, match=r"values must have shape \(n, T\) with n at least 2 bandits; got \(5,\)"):
        mean_curve(np.zeros(5))
    with pytest.raises(ValueError, match=r"got \(1, 5\)"):
        mean_curve(np.zeros((1, 5)))


def test_mean_curves_have_the_interval_of_the_mean():
    values = np.random.default_rng(0).normal(3, 2, size=(400, 6))
    curve = mean_curve(values)
    assert curve.mean == pytest.approx(values.mean(axis=0))
    half = 1.96 * np.sqrt(((values - values.mean(axis=0)) ** 2).sum(axis=0) / 399 / 400)
    assert curve.high - curve.mean == pytest.approx(half)
    assert curve.mean - curve.low == pytest.approx(half)
    two = mean_curve([[1.0, 2.0], [3.0, 2.0]])  # the fewest that there may be
    assert two.high == pytest.approx([2 + 1.96, 2])


def test_what_is_not_said_is_the_default_of_the_chapter():
    agents = EpsilonGreedy(), UCB(), OptimisticGreedy(), GradientBandit(), Thompson(), ExploreThenCommit(), SoftMax()
    assert [repr(agent) for agent in agents] == [
        "EpsilonGreedy(epsilon=0.1, step=None, initial=0.0)",
        "UCB(c=2.0)",
        "OptimisticGreedy(initial=5.0, step=0.1)",
        "GradientBandit(step=0.1, baseline=True)",
        "Thompson(prior=None)",
        "ExploreThenCommit(m=10)",
        "SoftMax(base=2.718281828459045, step=None, initial=0.0)",
    ]
    normal, drifting = GaussianBandit(), DriftingBandit()
    assert (normal.arms, normal.shape, normal.noise) == (10, (), 1)
    assert (drifting.arms, drifting.noise, drifting.walk, drifting.change, drifting.to) == (10, 1, 0.01, None, None)
    assert run_bandit(BernoulliBandit([0.2, 0.7]), UCB()).rewards.shape == (1000,)
    assert bayes_optimal_value(4) == bayes_optimal_value(4, prior=(1, 1))
    assert gittins_index(1, 1) == gittins_index(1, 1, 0.9)


def test_a_schedule_is_asked_for_the_first_pull_before_the_game_begins():
    with pytest.raises(ValueError, match="epsilon must be at least 0 and at most 1; got 2"):
        EpsilonGreedy(lambda t: 2 / t).start(BernoulliBandit([0.2, 0.7]))


# --- Exact values -----------------------------------------------------------------------------------------------------


def brute_value(n, a, b):
    """The recursion without tables: a, b are the Beta parameters of both arms."""
    if n == 0:
        return 0.0
    best = -1.0
    for i in range(2):
        m = a[i] / (a[i] + b[i])
        up, down = list(a), list(b)
        up[i] += 1
        down[i] += 1
        best = max(best, m * (1 + brute_value(n - 1, up, b)) + (1 - m) * brute_value(n - 1, a, down))
    return best


def test_bayes_optimal_values():
    assert bayes_optimal_value(1) == pytest.approx(0.5)
    assert bayes_optimal_value(2) == pytest.approx(1 + 1 / 12)
    assert bayes_optimal_value(10) == pytest.approx(6.0218, abs=5e-5)
    assert bayes_optimal_value(20) == pytest.approx(12.4313, abs=5e-5)
    assert bayes_optimal_value(6) == pytest.approx(brute_value(6, [1, 1], [1, 1]))
    assert bayes_optimal_value(5, (0.5, 2)) == pytest.approx(brute_value(5, [0.5, 0.5], [2, 2]))
    assert bayes_optimal_value(5, ((3, 1), (1, 2))) == pytest.approx(brute_value(5, [3, 1], [1, 2]))
    for bad, words in (((1, 0), "greater than 0"), ((1, 2, 3), r"prior must be \(a, b\)"), ((-1, 2), "greater than 0")):
        with pytest.raises(ValueError, match=words):
            bayes_optimal_value(3, bad)
    for bad in (0, 2.5, 201):
        with pytest.raises(ValueError, match="n must be"):
            bayes_optimal_value(bad)


@pytest.mark.parametrize("agent", COUNTING, ids=name)
def test_counts_and_histories_agree(agent):
    p = [0.35, 0.8]
    curve = exact_curve(agent, 6, p)
    assert curve.rewards == pytest.approx(enumerated_curve(agent, p, 6))
    assert curve.rewards == pytest.approx(curve.first * 0.35 + (1 - curve.first) * 0.8)
    x, w = np.polynomial.legendre.leggauss(8)  # averages over a uniform prior: a polynomial in p
    x, w = (1 + x) / 2, w / 2
    mean = sum(u * v * exact_curve(agent, 4, [a, b]).rewards for a, u in zip(x, w) for b, v in zip(x, w))
    assert exact_curve(agent, 4).rewards == pytest.approx(mean)


@pytest.mark.parametrize("agent", AGENTS, ids=name)
def test_runs_agree_with_the_exact_expectation(agent):
    p = [0.3, 0.75]
    if isinstance(agent, Thompson):
        exact = exact_curve(agent, 6, p).rewards
    else:
        exact = enumerated_curve(agent, p, 6)
    run = run_bandit(BernoulliBandit(np.tile(p, (20_000, 1))), agent, 6, 1)
    assert run.rewards.mean(axis=0) == pytest.approx(exact, abs=0.013)


def test_three_arms_by_enumeration():
    p = np.array([0.2, 0.5, 0.9])
    exact = enumerated_curve(GradientBandit(0.8, baseline=False), p, 5)
    run = run_bandit(BernoulliBandit(np.tile(p, (20_000, 1))), GradientBandit(0.8, baseline=False), 5, 3)
    assert run.rewards.mean(axis=0) == pytest.approx(exact, abs=0.014)
    assert enumerated_curve(EpsilonGreedy(1.0), p, 3) == pytest.approx([p.mean()] * 3)
    with pytest.raises(ValueError, match=r"3 arms and 12 pulls make \(2·3\)\^11 histories; at most 2,000,000 fit"):
        enumerated_curve(EpsilonGreedy(0.1), p, 12)
    with pytest.raises(ValueError, match="n must be at least 1"):
        enumerated_curve(EpsilonGreedy(0.1), p, 0)


def test_nobody_beats_the_optimum_and_the_optimum_reaches_it():
    for prior in ((1, 1), (2, 1), ((1, 3), (2, 2))):
        best = bayes_optimal_value(12, prior)
        assert exact_curve(BayesOptimal(12, prior), 12, prior=prior).rewards.sum() == pytest.approx(best)
        for agent in (EpsilonGreedy(0.0), EpsilonGreedy(0.1), UCB(0.5), UCB(2), SoftMax(20), Thompson()):
            assert exact_curve(agent, 12, prior=prior).rewards.sum() < best + 1e-12
    assert exact_curve(EpsilonGreedy(1.0), 7).rewards == pytest.approx([0.5] * 7)
    assert exact_curve(EpsilonGreedy(1.0), 3, [0.2, 0.6]).first == pytest.approx([0.5] * 3)


def test_a_table_gives_everyone_the_same_luck():
    table = np.array([[1, 0, 1, 1, 0, 0], [0, 1, 1, 0, 1, 1]])
    for agent in (EpsilonGreedy(0.3), UCB(0.4), Thompson(), BayesOptimal(6), SoftMax(9)):
        exact = exact_on_table(agent, table)
        rng, rewards, first = np.random.default_rng(0), np.zeros(6), np.zeros(6)
        for _ in range(1500):
            one, pulled = agent.start(BernoulliBandit([0.5, 0.5])), [0, 0]
            for t in range(6):
                arm = int(one.choose(rng))
                reward = float(table[arm, pulled[arm]])
                pulled[arm] += 1
                one.update(arm, reward)
                rewards[t] += reward / 1500
                first[t] += (arm == 0) / 1500
        assert rewards == pytest.approx(exact.rewards, abs=0.05)
        assert first == pytest.approx(exact.first, abs=0.05)
    with pytest.raises(ValueError, match=r"two rows of 0 and 1; got shape \(3, 2\)"):
        exact_on_table(UCB(), np.zeros((3, 2)))
    with pytest.raises(ValueError, match="two rows of 0 and 1"):
        exact_on_table(UCB(), [[0, 2], [1, 1]])
    with pytest.raises(ValueError, match="needs a rule of means and counts"):
        exact_on_table(GradientBandit(), table)


def test_exact_curve_refuses_with_words():
    for agent in (GradientBandit(), OptimisticGreedy(), EpsilonGreedy(0.1, step=0.1)):
        with pytest.raises(ValueError, match="needs a rule of means and counts"):
            exact_curve(agent, 3)
    with pytest.raises(ValueError, match="two arms; got 3"):
        exact_curve(UCB(), 3, [0.1, 0.2, 0.3])
    with pytest.raises(ValueError, match="between 0 and 1; got 1.5"):
        exact_curve(UCB(), 3, [0.1, 1.5])
    with pytest.raises(ValueError, match="n must be at most 100"):
        exact_curve(UCB(), 101)
    assert len(exact_curve(OptimisticGreedy(3.0, None), 4).rewards) == 4  # a mean, though an optimistic one


def test_gittins_indices_of_the_tables():
    assert gittins_index(1, 1) == pytest.approx(0.7029, abs=5e-5)
    assert gittins_index(2, 1) > gittins_index(1, 1) > gittins_index(1, 2)
    assert gittins_index(1, 1, 0.0, 5) == pytest.approx(0.5, abs=1e-6)  # no future: the mean
    assert gittins_index(3, 2, 0.0, 5) == pytest.approx(0.6, abs=1e-6)
    assert gittins_index(500, 500, horizon=60) == pytest.approx(0.5, abs=0.01)
    assert gittins_index(1, 1, 0.95) > gittins_index(1, 1)
    for bad, words in (
        ((0, 1), "a must be"),
        ((1, 0), "b must be"),
        ((1, 1, 1.0), "gamma must be"),
        ((1, 1, -0.1), "gamma"),
    ):
        with pytest.raises(ValueError, match=words):
            gittins_index(*bad)
    with pytest.raises(ValueError, match="horizon must be at least 1"):
        gittins_index(1, 1, horizon=0)


def test_the_largest_of_k_and_the_first_look():
    assert largest_of(2) == pytest.approx(1 / np.sqrt(np.pi))
    assert largest_of(3) == pytest.approx(1.5 / np.sqrt(np.pi))
    rng = np.random.default_rng(0)
    for k, noise in ((10, 1.0), (3, 2.0), (5, 0.5)):
        q = rng.normal(size=(100_000, k))
        arm = np.argmax(q + noise * rng.normal(size=q.shape), axis=1)
        look = first_look(k, noise)
        assert q[np.arange(len(q)), arm].mean() == pytest.approx(look.reward, abs=0.012)
        assert np.mean(arm == q.argmax(axis=1)) == pytest.approx(look.best, abs=0.006)
    assert first_look(4, 0) == (pytest.approx(largest_of(4)), 1.0)
    assert first_look(2).best == pytest.approx(0.5 + np.arcsin(np.sqrt(0.5)) / np.pi, abs=2e-3)  # 3/4, Sheppard
    for bad in ((1,), (2, -1)):
        with pytest.raises(ValueError):
            first_look(*bad)


def test_bounds_on_regret():
    assert bernoulli_kl(0.3, 0.5) == pytest.approx(0.3 * np.log(0.6) + 0.7 * np.log(1.4))
    assert bernoulli_kl(0.0, 0.5) == pytest.approx(np.log(2))
    assert bernoulli_kl(1.0, 0.5) == pytest.approx(np.log(2))
    assert bernoulli_kl(0.4, 0.4) == 0
    assert bernoulli_kl(0.4, 1.0) == np.inf
    assert lai_robbins([0.5, 0.3]) == pytest.approx(0.2 / bernoulli_kl(0.3, 0.5))
    assert lai_robbins([0.1, 0.5, 0.3]) == pytest.approx(0.2 / bernoulli_kl(0.3, 0.5) + 0.4 / bernoulli_kl(0.1, 0.5))
    assert lai_robbins([0.5, 0.5]) == 0
    assert ucb_bound([0.5, 0.3, 0.1], 100) == pytest.approx(
        8 * np.log(100) * (1 / 0.2 + 1 / 0.4) + (1 + np.pi**2 / 3) * 0.6
    )
    for function in (lai_robbins, lambda p: ucb_bound(p, 10)):
        with pytest.raises(ValueError, match="means between 0 and 1"):
            function([0.5, 1.5])
        with pytest.raises(ValueError, match="means between 0 and 1"):
            function([-0.5, 0.5])
    with pytest.raises(ValueError, match="steps must be at least 1"):
        ucb_bound([0.1, 0.2], 0)


def test_tracking_error_against_drifting_arms():
    assert tracking_error(0.1, 0.1) == pytest.approx(np.sqrt(0.02 / 0.19))
    assert tracking_error(1.0, 0.3, 2.0) == pytest.approx(np.sqrt(4 + 0.09))  # the last reward alone
    assert tracking_error(0.5, 0.0) == pytest.approx(np.sqrt(0.25 / 0.75))
    rng = np.random.default_rng(3)
    q = np.cumsum(0.3 * rng.normal(size=(400, 2000)), axis=0)
    agent = EpsilonGreedy(0, step=0.25).start(GaussianBandit(np.zeros((2000, 2))))
    for row in q[:-1]:
        agent.update(np.zeros(2000, dtype=int), row + 1.5 * rng.normal(size=2000))
    seen = np.sqrt(np.mean((agent.Q_[:, 0] - q[-1]) ** 2))
    assert tracking_error([0.25, 0.9], 0.3, 1.5)[0] == pytest.approx(seen, rel=0.06)
    for bad, words in (((0.0, 1), "step must be"), ((1.1, 1), "step must be"), ((0.5, -1), "walk must be"),
                       ((0.5, 1, -1), "noise must be")):  # fmt: skip
        with pytest.raises(ValueError, match=words):
            tracking_error(*bad)


def test_ucb_keeps_its_promise_on_many_bandits():
    p = np.random.default_rng(1).random((40, 5))
    regret = np.mean([run_bandit(BernoulliBandit(p), UCB(np.sqrt(2)), 1000, s).regret[:, -1] for s in range(8)], axis=0)
    assert all(r < ucb_bound(row, 1000) for r, row in zip(regret, p))


# --- The textbook's test bed ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def bed():
    bandit = GaussianBandit(10, 1, n=600)
    agents = {
        "0": EpsilonGreedy(0),
        "0.01": EpsilonGreedy(0.01),
        "0.1": EpsilonGreedy(0.1),
        "ucb": UCB(2),
        "optimistic": OptimisticGreedy(5, 0.1),
    }
    return {key: run_bandit(bandit, agent, 1000, 2) for key, agent in agents.items()}


def test_the_order_of_the_curves_at_a_thousand_steps(bed):
    late = {key: run.rewards[:, -100:].mean() for key, run in bed.items()}
    assert late["0.1"] > late["0.01"] + 0.02
    assert late["0.01"] > late["0"] + 0.15
    assert late["ucb"] > late["0.1"] + 0.05
    assert 0.33 < bed["0"].optimal[:, -1].mean() < 0.40
    assert bed["0.1"].optimal[:, -1].mean() < 0.91


def test_the_spike_at_step_eleven_has_its_exact_height():
    bandit, look = GaussianBandit(10, 5, n=8000), first_look(10)
    for agent in (UCB(2), OptimisticGreedy(5, 0.1)):
        run = run_bandit(bandit, agent, 12, 6)
        rewards, optimal = run.rewards.mean(axis=0), run.optimal.mean(axis=0)
        assert rewards[10] == pytest.approx(look.reward, abs=0.06)
        assert optimal[10] == pytest.approx(look.best, abs=0.025)
        assert rewards[10] > max(rewards[9], rewards[11]) + 0.08
        assert abs(rewards[:10]).max() < 0.08
        assert optimal[:10] == pytest.approx([0.1] * 10, abs=0.02)


@pytest.mark.slow
def test_the_small_epsilon_overtakes():
    bandit = GaussianBandit(10, 3, n=300)
    runs = [run_bandit(bandit, EpsilonGreedy(e), 10_000, 4).rewards for e in (0.01, 0.1)]
    gap = runs[0] - runs[1]
    assert gap[:, 400:900].mean() < -0.02
    assert gap[:, -1000:].mean() > 0.08


# --- Errata -----------------------------------------------------------------------------------------------------------


def test_erratum_s0_e113():
    Q = np.array([1.0, 2.0, 3.0])
    below = SoftMax(0.5).policy(Q, None, 0)  # k > 0 is not enough: k < 1 favours the small ones
    assert below == pytest.approx([4 / 7, 2 / 7, 1 / 7])
    assert SoftMax(1).policy(Q, None, 0) == pytest.approx([1 / 3] * 3)
    assert (np.diff(SoftMax(1.01).policy(Q, None, 0)) > 0).all()


def test_erratum_s3_e3_60():
    A, R = np.array([1, 2, 1, 2, 2]), np.array([1.0, 5, 3, 7, 6])
    t = 5  # the printed indicator asks for the arm of the last step, whatever i
    printed = [np.sum(R * (A[t - 1] == a)) for a in (1, 2)], [np.sum(np.ones(5) * (A[t - 1] == a)) for a in (1, 2)]
    assert printed[0][1] / printed[1][1] == pytest.approx(4.4)
    assert printed[1][0] == 0
    agent = EpsilonGreedy().start(GaussianBandit([0.0, 0]))
    for a, r in zip(A, R):
        agent.update(a - 1, r)
    assert agent.Q_.tolist() == [2, 6]


def test_erratum_s3_e3_61():
    agent = EpsilonGreedy().start(GaussianBandit([0.0, 0]))
    for r in (5.0, 7.0):
        agent.update(0, r)
    target, error = 6.0, 6.0 - agent.Q_[0]
    assert (target, error) == (6, 0)  # the error vanishes, the target is the reward
    agent.update(0, target)
    assert agent.Q_[0] == 6


def test_erratum_s3_e3_62():
    rng = np.random.default_rng(0)
    q = np.cumsum(0.1 * rng.normal(size=(5000, 200)), axis=0)
    R = q + rng.normal(size=q.shape)
    errors = {}
    for step in (0.1, None):
        agent = EpsilonGreedy(0, step=step).start(GaussianBandit(np.zeros((200, 2))))
        squares = []
        for t in range(5000):
            squares.append((agent.Q_[:, 0] - q[t]) ** 2)
            agent.update(np.zeros(200, dtype=int), R[t])
        errors[step] = np.sqrt(np.mean(squares))
    assert errors[0.1] < 0.4
    assert errors[None] > 2


def test_erratum_s3_e3_64_ucb():
    Q, N = np.array([0.9, 0.1]), np.array([5, 0])
    assert UCB(2).policy(Q, N, 5).tolist() == [0, 1]  # N = 0 comes first; the printed term divides by 0
    assert upper_bounds(np.array([0.5]), np.array([10]), 110, 2)[0] == pytest.approx(
        0.5 + 2 * np.sqrt(np.log(110) / 10)
    )


def test_erratum_s3_e3_67_epsilon_greedy():
    Q = np.array([0.0, 3.0, *np.zeros(8)])
    p = EpsilonGreedy(0.1).policy(Q, None, 3)
    assert p.sum() == pytest.approx(1)
    assert p[1] == pytest.approx(0.91)
    assert np.delete(p, 1) == pytest.approx([0.01] * 9)
    printed = np.full(10, 0.91)  # "a* = argmax Q" is true whatever a
    assert printed.sum() == pytest.approx(9.1)


@pytest.mark.parametrize("arm", [2, -1, 0.5, True, np.array([0, 2]), np.array([-1, 0])])
def test_no_agent_and_no_world_takes_an_arm_that_is_not_there(arm):
    bandit = BernoulliBandit([0.2, 0.7] if np.ndim(arm) == 0 else [[0.2, 0.7], [0.4, 0.3]])
    for agent in (EpsilonGreedy(0.1), GradientBandit(0.1), UCB(1), Thompson(), BayesOptimal(3)):
        with pytest.raises(ValueError, match="arm must be a whole number from 0 to 1, there are 2 arms; got"):
            agent.start(bandit).update(arm, np.ones(np.shape(arm)))
    with pytest.raises(ValueError, match="arm must be a whole number from 0 to 1"):
        bandit.open(0).pull(arm)


@pytest.mark.parametrize("reward", [np.nan, np.inf])
def test_no_agent_learns_from_a_reward_that_is_no_number(reward):
    for agent in (EpsilonGreedy(0.1), GradientBandit(0.1), OptimisticGreedy()):
        with pytest.raises(ValueError, match="reward must be a finite number; got"):
            agent.start(GaussianBandit([0.0, 1.0])).update(1, reward)


def test_the_best_player_of_coins_refuses_other_rewards():
    with pytest.raises(ValueError, match="BayesOptimal plays coins and needs rewards 0 or 1"):
        BayesOptimal(3).start(BernoulliBandit([0.5, 0.5])).update(1, 0.5)


@pytest.mark.parametrize(("p", "q", "name"), [(1.2, 0.5, "p"), (-0.1, 0.5, "p"), (0.5, 1.01, "q"), (0.5, np.nan, "q")])
def test_divergence_of_what_is_no_probability(p, q, name):
    with pytest.raises(ValueError, match=f"{name} must be a probability, between 0 and 1; got"):
        bernoulli_kl(p, q)


def test_rules_take_lists():
    assert greedy([1, 3, 3]).tolist() == [0, 0.5, 0.5]
    assert boltzmann([0, 0]).tolist() == [0.5, 0.5]
    assert EpsilonGreedy(0.2).policy([1, 0], [1, 0], 1).tolist() == pytest.approx([0.9, 0.1])
    assert SoftMax(2).policy([1, 2], [1, 1], 2) == pytest.approx([1 / 3, 2 / 3])
    assert UCB(1).policy([0.5, 0.6], [10, 100], 110).tolist() == [1, 0]
    assert UCB(1).policy([0.5, 0.6], [1, 0], 1).tolist() == [0, 1]
    assert upper_bounds([0.5], [0], 3).tolist() == [np.inf]
    assert ExploreThenCommit(1).policy([0.5, 0.6], [1, 0], 1).tolist() == [0, 1]
    assert OptimisticGreedy().policy([0.5, 0.6], [1, 0], 1).tolist() == [0, 1]
    assert Thompson().policy([0.5, 0.0], [2, 1], 3) == pytest.approx([0.7, 0.3])
    assert BayesOptimal(10).policy([1.0, 0.0], [1, 0], 1).tolist() == [1, 0]


# --- What the explorers show ------------------------------------------------------------------------------------------


def test_the_game_of_the_explorer_pays_every_rule_what_it_gets_on_average():
    shown = np.mean([[won[rule][-1] for rule in RIVALS] for _, _, won in map(_game, range(1, 13))], axis=0)
    over_all = np.array([exact_curve(agent, BUDGET).rewards.sum() for agent in RIVALS.values()])
    assert np.abs(shown - over_all).max() < 0.3
    assert np.argsort(shown).tolist() == np.argsort(over_all).tolist()


def test_no_run_of_the_explorers_leaves_its_axes():
    one_run = made("arm_by_arm").scene
    top = one_run.curve.axes.get_ylim()[1]
    for rule, world in itertools.product(one_run.controls["rule"].options, range(1, 9)):
        rule = rule[1] if isinstance(rule, tuple) else rule
        seen = one_run.compute(step=one_run.controls["step"].max, rule=rule, world=world)
        assert seen["regret"][-1] <= top, (rule, world)
    drift = made("drift_tracking").scene
    low, high = drift.truth.axes.get_ylim()
    seen = drift.compute(alpha=1.0, walk=0.5)
    for values in (seen["path"], seen["rewards"], seen["recent"], seen["mean"]):
        assert low <= values.min()
        assert values.max() <= high
    assert drift.compute(alpha=0.01, walk=0.5)["errors"].max() <= drift.hill.axes.get_ylim()[1]


def test_the_width_that_wins_in_a_still_world_loses_in_a_drifting_one():
    start = GaussianBandit(10, 77, n=300).means
    cost = {
        (c, walk): run_bandit(DriftingBandit(start, walk=walk), UCB(c), 250, 5).regret[:, -1].mean()
        for c in (0.5, 2.0)
        for walk in (0, 0.1)
    }
    assert cost[0.5, 0] < 0.6 * cost[2.0, 0]
    assert cost[2.0, 0.1] < 0.95 * cost[0.5, 0.1]

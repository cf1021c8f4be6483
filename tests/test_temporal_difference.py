"""Chapter 29: learners against recomputed updates, exact solutions, textbook numbers and Gymnasium's worlds."""

import inspect
import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlteach.explore.temporal_difference import CliffLines, RisingTable
from mlteach.mdp import TabularEnv, ice, policy_evaluation, q_from_v, two_states, value_iteration
from mlteach.temporal_difference import (
    CliffWalk,
    HopGrid,
    MovingGoal,
    RandomWalk,
    Relabelled,
    TwoDoors,
    WindyGrid,
    batch_mc,
    batch_td,
    best_epsilon_soft,
    certainty_equivalence,
    count_transitions,
    double_q_learning,
    dyna_q,
    epsilon_soft,
    expected_sarsa,
    greedy,
    lambda_returns,
    learn_with,
    n_step_return,
    n_step_td,
    one_over_visits,
    optimal_under_exploration,
    play,
    q_learning,
    q_learning_deterministic,
    sarsa,
    sarsa_lambda,
    soften,
    table_after,
    td0,
    td_lambda,
)

CONTROL = (q_learning, sarsa, expected_sarsa, double_q_learning, sarsa_lambda, dyna_q)
# Unequal rows, states that repeat in an episode, rewards of both signs, an end that pays and one that costs.
TWIN = {
    0: {
        0: [(0.7, 1, 1.0, False), (0.3, 0, -2.0, False)],
        1: [(1.0, 2, 0.5, False)],
        2: [(0.4, 3, 3.0, True), (0.6, 1, 0.0, False)],
    },
    1: {
        0: [(0.9, 0, 0.0, False), (0.1, 4, -5.0, True)],
        1: [(0.5, 2, 2.0, False), (0.5, 1, 0.2, False)],
        2: [(1.0, 0, -1.0, False)],
    },
    2: {
        0: [(1.0, 3, 4.0, True)],
        1: [(0.8, 0, 1.5, False), (0.2, 2, -1.0, False)],
        2: [(0.25, 4, -1.0, True), (0.75, 1, 0.7, False)],
    },
    3: {a: [(1.0, 3, 0.0, True)] for a in range(3)},
    4: {a: [(1.0, 4, 0.0, True)] for a in range(3)},
}


def twin(**options):
    return TabularEnv(TWIN, start=[0.5, 0.3, 0.2, 0, 0], **options)


class Worded:
    """The twin with texts for states: a table must become a dict."""

    def __init__(self, env):
        self.env, self.action_space = env, env.action_space

    def reset(self, seed=None, options=None):
        s, info = self.env.reset(seed=seed)
        return f"s{s}", info

    def step(self, action):
        s, *rest = self.env.step(action)
        return f"s{s}", *rest


# --- One step, by hand ---------------------------------------------------------------------------------------------


def test_the_numbers_of_one_update():
    V, V2, r, gamma, alpha = 0.5, 1.0, 0.0, 0.9, 0.1
    assert r + gamma * V2 - V == pytest.approx(0.4)
    world = TabularEnv({0: {0: [(1.0, 1, r, False)]}, 1: {0: [(1.0, 1, 0.0, False)]}}, start=0)
    run = td0(world, episodes=1, alpha=alpha, gamma=gamma, initial=[V, V2], max_steps=1)
    assert run.V[0] == pytest.approx(0.54)
    assert run.V[1] == V2


def test_sarsa_and_q_learning_from_the_same_transition():
    world = {0: {a: [(1.0, 1, 2.0, False)] for a in (0, 1)}, 1: {a: [(1.0, 1, 0.0, False)] for a in (0, 1)}}
    start = [[1.0, 1.0], [3.0, 5.0]]
    arguments = dict(episodes=1, alpha=0.5, gamma=0.9, epsilon=1.0, initial=start, max_steps=1, history=True)
    targets = set()
    for seed in range(20):
        env = TabularEnv(world, start=0)
        step = sarsa(env, rng=seed, **arguments).history[0]
        targets.add((round(step.target, 9), round(step.value, 9)))
        step = q_learning(env, rng=seed, **arguments).history[0]
        assert (step.target, step.value) == (pytest.approx(6.5), pytest.approx(3.75))
        step = expected_sarsa(env, rng=seed, **arguments).history[0]
        assert step.target == pytest.approx(2 + 0.9 * 4)
    assert targets == {(4.7, 2.85), (6.5, 3.75)}  # a' is one of two


# --- Every update recomputed ---------------------------------------------------------------------------------------


def _replayed(run, rule, initial=0.0, shape=(5, 3), alpha=0.3):
    """Recompute a run from its history: ``rule(Q, step, next step)`` gives the target."""
    Q = np.full(shape, initial, dtype=float)
    for step, after in zip(run.history, [*run.history[1:], None]):
        target = step.reward if step.terminated else rule(Q, step, after)
        assert step.target == pytest.approx(target)
        Q[step.state, step.action] += alpha * (target - Q[step.state, step.action])
        assert step.value == pytest.approx(Q[step.state, step.action])
    return Q


@pytest.mark.parametrize("initial", [0.0, 2.5])
@pytest.mark.parametrize("gamma", [1.0, 0.8])
def test_q_learning_does_what_its_rule_says(initial, gamma):
    run = q_learning(twin(), 60, 0.3, gamma, 0.4, rng=5, initial=initial, history=True)
    Q = _replayed(run, lambda Q, s, _: s.reward + gamma * Q[s.next_state].max(), initial)
    Q[3:] = 0  # both ends
    np.testing.assert_allclose(run.Q, Q)
    np.testing.assert_allclose(table_after(run, math.inf, initial)[:3], run.Q[:3])
    np.testing.assert_allclose(table_after(run, 0, initial), initial)


@pytest.mark.parametrize("initial", [0.0, 2.5])
def test_expected_sarsa_does_what_its_rule_says(initial):
    def rule(Q, s, _):
        return s.reward + 0.9 * (0.6 * Q[s.next_state].max() + 0.4 * Q[s.next_state].mean())

    run = expected_sarsa(twin(), 60, 0.3, 0.9, 0.4, rng=5, initial=initial, history=True)
    np.testing.assert_allclose(run.Q[:3], _replayed(run, rule, initial)[:3])


def test_sarsa_learns_from_the_action_that_it_takes_next():
    run = sarsa(twin(), 80, 0.3, 0.9, 0.4, rng=6, initial=1.0, history=True)

    def rule(Q, s, after):
        assert after.episode == s.episode
        assert after.state == s.next_state
        return s.reward + 0.9 * Q[after.state, after.action]

    np.testing.assert_allclose(run.Q[:3], _replayed(run, rule, 1.0)[:3])


def test_a_truncated_sarsa_step_still_looks_ahead():
    run = sarsa(twin(max_steps=2), 80, 0.3, 0.9, 0.0, rng=6, initial=7.0, history=True)
    cut = [s for s in run.history if s.truncated]
    assert len(cut) > 20
    Q = np.full((5, 3), 7.0)
    for s in run.history:
        if s.truncated:  # greedy: the next action is a best one, whichever
            assert s.target == pytest.approx(s.reward + 0.9 * Q[s.next_state].max())
        Q[s.state, s.action] = s.value


def test_double_q_learning_does_what_its_rule_says():
    run = double_q_learning(twin(), 80, 0.3, 0.9, 0.4, rng=7, initial=0.5, history=True)
    Q = np.full((2, 5, 3), 0.5)
    for s in run.history:
        mine, other = Q[s.table], Q[1 - s.table]
        best = np.flatnonzero(mine[s.next_state] == mine[s.next_state].max())
        targets = [s.reward] if s.terminated else s.reward + 0.9 * other[s.next_state, best]
        assert np.isclose(targets, s.target).any()
        mine[s.state, s.action] += 0.3 * (s.target - mine[s.state, s.action])
        assert s.value == pytest.approx(mine[s.state, s.action])
    np.testing.assert_allclose(run.tables[0][:3], Q[0, :3])
    np.testing.assert_allclose(run.tables[1][:3], Q[1, :3])
    np.testing.assert_allclose(run.Q, (run.tables[0] + run.tables[1]) / 2)
    share = np.mean([s.table for s in run.history])
    assert 0.35 < share < 0.65


@pytest.mark.parametrize("traces", ["accumulating", "replacing"])
def test_sarsa_lambda_does_what_its_rule_says(traces):
    run = sarsa_lambda(twin(), 40, 0.2, 0.9, 0.4, rng=8, initial=0.5, lam=0.7, traces=traces, history=True)
    Q, e, episode = np.full((5, 3), 0.5), np.zeros((5, 3)), 0
    for s, after in zip(run.history, [*run.history[1:], None]):
        if s.episode != episode:
            e[:], episode = 0, s.episode
        e *= 0.9 * 0.7
        e[s.state, s.action] = 1 if traces == "replacing" else e[s.state, s.action] + 1
        target = s.reward if s.terminated else s.reward + 0.9 * Q[after.state, after.action]
        Q += 0.2 * (target - Q[s.state, s.action]) * e
        for pair, share in s.traces.items():
            assert share == pytest.approx(e[pair])
    np.testing.assert_allclose(run.Q[:3], Q[:3], atol=1e-7)
    assert e.max() > 0


def test_sarsa_lambda_without_memory_is_sarsa():
    for seed in range(3):
        one = sarsa_lambda(twin(), 30, 0.2, 0.9, 0.3, rng=seed, lam=0.0)
        np.testing.assert_allclose(one.Q, sarsa(twin(), 30, 0.2, 0.9, 0.3, rng=seed).Q)


@pytest.mark.parametrize("traces", ["accumulating", "replacing"])
def test_td_lambda_does_what_its_rule_says(traces):
    run = td_lambda(twin(), None, 40, 0.2, 0.9, rng=8, initial=0.5, lam=0.7, traces=traces, history=True)
    V, e, episode = np.full(5, 0.5), np.zeros(5), 0
    for s in run.history:
        if s.episode != episode:
            e[:], episode = 0, s.episode
        e *= 0.9 * 0.7
        e[s.state] = 1 if traces == "replacing" else e[s.state] + 1
        target = s.reward if s.terminated else s.reward + 0.9 * V[s.next_state]
        assert s.target == pytest.approx(target)
        V += 0.2 * (target - V[s.state]) * e
    V[3:] = 0
    np.testing.assert_allclose(run.V, V, atol=1e-7)


def test_td0_does_what_its_rule_says_and_is_one_step_of_all_others():
    run = td0(twin(), None, 50, 0.3, 0.9, rng=3, initial=2.0, history=True)
    V = np.full(5, 2.0)
    for s in run.history:
        target = s.reward if s.terminated else s.reward + 0.9 * V[s.next_state]
        V[s.state] += 0.3 * (target - V[s.state])
    V[3:] = 0
    np.testing.assert_allclose(run.V, V)
    for other in (
        n_step_td(twin(), None, 50, 0.3, 0.9, rng=3, initial=2.0, n=1),
        td_lambda(twin(), None, 50, 0.3, 0.9, rng=3, initial=2.0, lam=0.0),
    ):
        np.testing.assert_allclose(other.V, V)


def _episodes(history):
    return [list(steps) for _, steps in itertools.groupby(history, key=lambda s: s.episode)]


@pytest.mark.parametrize("n", [2, 3, 7, math.inf])
@pytest.mark.parametrize("max_steps", [None, 4])
def test_n_step_td_does_what_its_rule_says(n, max_steps):
    run = n_step_td(twin(), None, 40, 0.3, 0.9, rng=4, initial=2.0, n=n, history=True, max_steps=max_steps)
    V = np.full(5, 2.0)
    for steps in _episodes(run.history):
        states = [s.state for s in steps] + [steps[-1].next_state]
        rewards, T, over = [s.reward for s in steps], len(steps), steps[-1].terminated
        tail = 0.0 if over else V[states[-1]]
        for t in range(T):  # in the order of the updates; the guess is the value at that time
            if t + n >= T and t == max(0, T - n if n < math.inf else 0):
                tail = 0.0 if over else V[states[-1]]
            G, m = 0.0, min(t + n, T)
            for k in range(t, m):
                G += 0.9 ** (k - t) * rewards[k]
            G += 0.9 ** (m - t) * (tail if m == T else V[states[m]])
            assert steps[t].target == pytest.approx(G)
            V[states[t]] += 0.3 * (G - V[states[t]])
    V[3:] = 0
    np.testing.assert_allclose(run.V[:5], V)


@pytest.mark.parametrize("n", [1, 2, 3, math.inf])
@pytest.mark.parametrize("max_steps", [None, 4])
def test_the_records_of_n_step_td_follow_the_way(n, max_steps):
    run = n_step_td(twin(), None, 40, 0.3, 0.9, rng=4, n=n, history=True, max_steps=max_steps)
    ends = set()
    for steps in _episodes(run.history):
        assert [s.next_state for s in steps[:-1]] == [s.state for s in steps[1:]]
        assert not any(s.terminated for s in steps[:-1])
        assert steps[-1].terminated == (steps[-1].next_state in (3, 4))
        assert steps[-1].truncated == (not steps[-1].terminated)
        ends.add(steps[-1].terminated)
    assert ends == ({True} if max_steps is None else {True, False})


def test_n_step_td_with_all_steps_is_monte_carlo():
    run = n_step_td(twin(), None, 30, one_over_visits, 0.9, rng=4, n=math.inf, history=True)
    returns = {s: [] for s in range(3)}
    for steps in _episodes(run.history):
        G = 0.0
        for s in reversed(steps):
            G = s.reward + 0.9 * G
            returns[s.state].append(G)
    np.testing.assert_allclose(run.V[:3], [np.mean(returns[s]) for s in range(3)])


def test_dyna_learns_from_memories_as_if_they_happened_again():
    model = two_states(0.5)
    run = dyna_q(TabularEnv(model, start=0, max_steps=50), 4, 1.0, 0.5, 0.5, rng=1, planning=200)
    np.testing.assert_allclose(run.Q, q_from_v(model, value_iteration(model, 1e-12).V), atol=1e-6)
    few = q_learning(TabularEnv(model, start=0, max_steps=50), 4, 1.0, 0.5, 0.5, rng=1)
    np.testing.assert_allclose(
        dyna_q(TabularEnv(model, start=0, max_steps=50), 4, 1.0, 0.5, 0.5, rng=1, planning=0).Q, few.Q
    )


def test_dyna_needs_fewer_steps():
    steps = {
        k: np.mean([dyna_q(WindyGrid(), 20, 0.5, 1.0, 0.1, rng=s, planning=k).lengths.sum() for s in range(6)])
        for k in (0, 20)
    }
    assert steps[20] < 0.6 * steps[0]


def test_dyna_remembers_ends():
    run = dyna_q(twin(), 300, 0.05, 0.9, 0.5, rng=2, initial=5.0, planning=5)
    assert run.Q[2, 0] == pytest.approx(4.0, abs=1e-3)


# --- They learn what they should -----------------------------------------------------------------------------------


@pytest.mark.parametrize("initial", [0.0, 6.0])
def test_evaluation_finds_the_exact_values(initial):
    env = twin()
    exact = policy_evaluation(env.mdp(0.9), np.full((5, 3), 1 / 3))
    slow = {"alpha": lambda n: 1 / (1 + n) ** 0.8, "gamma": 0.9, "rng": 1, "initial": initial}
    for run in (
        td0(env, None, 8000, **slow),
        n_step_td(env, None, 6000, n=3, **slow),
        n_step_td(env, None, 6000, n=math.inf, **slow),
        td_lambda(env, None, 6000, lam=0.6, **slow),
    ):
        np.testing.assert_allclose(run.V, exact, atol=0.15)
        assert run.V[3] == run.V[4] == 0


def test_policies_in_all_their_forms():
    env = twin()
    actions, chances = [2, 1, 0, 0, 0], np.array([[0, 0, 1], [0, 1, 0], [1, 0, 0], [1, 0, 0], [1, 0, 0.0]])
    runs = [td0(env, policy, 20, rng=3, history=True) for policy in (actions, chances, lambda s: actions[s])]
    assert all(s.action == actions[s.state] for run in runs for s in run.history)
    mixed = np.array([[0.2, 0.5, 0.3], [0.6, 0.0, 0.4], [0.1, 0.9, 0.0], [1, 0, 0], [1, 0, 0]])
    steps = td0(env, mixed, 1500, rng=3, history=True).history
    for s in range(3):
        took = np.bincount([x.action for x in steps if x.state == s], minlength=3)
        np.testing.assert_allclose(took / took.sum(), mixed[s], atol=0.05)
        assert (took[mixed[s] == 0] == 0).all()


def test_the_uniform_policy_takes_possible_actions_only():
    run = td0(HopGrid(), None, 200, 0.1, 0.9, rng=1, history=True)
    for s in run.history:
        assert s.action in HopGrid().P[s.state]


@pytest.mark.parametrize("learner", [q_learning, double_q_learning])
@pytest.mark.parametrize("initial", [0.0, 6.0])
def test_off_policy_control_finds_q_star(learner, initial):
    env = twin()
    best = q_from_v(env.mdp(0.9), value_iteration(env.mdp(0.9), 1e-12).V)
    run = learner(env, 12000, lambda n: 1 / (1 + n) ** 0.8, 0.9, 0.5, rng=2, initial=initial)
    np.testing.assert_allclose(run.Q[:3], best[:3], atol=0.5)
    assert (run.Q[3:] == 0).all()


@pytest.mark.parametrize("learner", [sarsa, expected_sarsa, lambda *a, **k: sarsa_lambda(*a, lam=0.5, **k)])
def test_on_policy_control_finds_the_best_soft_values(learner):
    env = twin()
    soft = best_epsilon_soft(env.mdp(0.9), 0.3)
    run = learner(env, 12000, lambda n: 1 / (1 + n) ** 0.7, 0.9, 0.3, rng=2, initial=4.0)
    np.testing.assert_allclose(run.Q[:3], soft.Q[:3], atol=0.5)


def test_the_2x3_grid_exactly():
    expected = [
        [81, 81, None, None],
        [90, 90, None, 72.9],
        [100, None, None, 81],
        [None, 90, 72.9, None],
        [None, 100, 81, 81],
    ]
    Q = q_learning_deterministic(HopGrid(0), 200, 0.9, rng=1).Q
    for s, row in enumerate(expected):
        for a, q in enumerate(row):
            assert Q[s, a] == (-math.inf if q is None else pytest.approx(q))
    assert (Q[5] == 0).all()


@given(st.integers(0, 10_000), st.sampled_from([0.3, 0.8, 0.95, 1.0]))
@settings(max_examples=20, deadline=None)
def test_the_deterministic_table_rises_and_never_passes_q_star(seed, gamma):
    rng = np.random.default_rng(seed)
    S, A = 5, 3
    nexts, rewards = rng.integers(S + 1, size=(S, A)), rng.integers(0, 5, size=(S, A)).astype(float)
    nexts[:, 0] = np.arange(1, S + 1)  # a way out
    rewards[nexts < S] *= gamma < 1  # with gamma = 1 only the end pays
    table = {
        s: {a: [(1.0, int(nexts[s, a]), rewards[s, a], bool(nexts[s, a] == S))] for a in range(A)} for s in range(S)
    }
    table[S] = {a: [(1.0, S, 0.0, True)] for a in range(A)}
    env = TabularEnv(table)
    best = q_from_v(env.mdp(gamma), value_iteration(env.mdp(gamma), 1e-10).V)
    run = q_learning_deterministic(env, 40, gamma, rng=seed, max_steps=60)
    Q = np.zeros((S + 1, A))
    for s in run.history:
        assert s.value >= Q[s.state, s.action] - 1e-9
        assert s.value <= best[s.state, s.action] + 1e-7
        Q[s.state, s.action] = s.value


def test_the_grid_where_right_may_hop():
    env = HopGrid()
    V = value_iteration(env.mdp(0.9), 1e-10).V
    np.testing.assert_allclose(V, [85.5, 90, 100, 95, 100, 0], atol=1e-6)
    best = q_from_v(env.mdp(0.9), V)
    values = {
        (0, 1): 85.5,
        (0, 0): 85.5,
        (3, 1): 95,
        (1, 3): 76.95,
        (3, 2): 76.95,
        (4, 3): 85.5,
        (4, 2): 81,
        (2, 3): 81,
    }
    for pair, q in values.items():
        assert best[pair] == pytest.approx(q)
    run = q_learning(env, 12000, one_over_visits, 0.9, 1.0, rng=4)
    open_pairs = np.isfinite(best)
    assert np.abs(run.Q[open_pairs] - best[open_pairs]).max() < 0.6
    assert (np.isneginf(run.Q) == np.isneginf(best)).all()
    assert HopGrid(1.0).P[3][1] == [(1.0, 5, 100.0, True)]
    assert HopGrid(0.0).P[3][1] == [(1.0, 4, 0.0, False)]


# --- Worlds --------------------------------------------------------------------------------------------------------


def test_the_cliff_is_gymnasiums():
    ours, gym = CliffWalk(), _gym("CliffWalking")
    for s in range(48):
        if ours.letter(s) in "CG":
            continue
        for a in range(4):
            (p, t, r, over), (q, u, w, end) = ours.P[s][a][0], gym.unwrapped.P[s][a][0]
            assert (p, t, r, over) == (q, int(u), w, end)
    assert ours.reset()[0] == gym.reset(seed=0)[0] == ours.home == 36


def test_cliff_lines():
    cliff = CliffWalk()
    mdp, home = cliff.mdp(1.0), cliff.home
    lines = [policy_evaluation(mdp, epsilon_soft(mdp, cliff.path(row), 0.1))[home] for row in (2, 1, 0)]
    np.testing.assert_allclose(lines, [-45.8033, -20.8129, -22.2728], atol=1e-4)
    soft, limits = best_epsilon_soft(mdp, 0.1), optimal_under_exploration(mdp, 0.1)
    assert soft.V[home] == pytest.approx(-20.708, abs=1e-3)
    assert limits.worst[home] == pytest.approx(-51.813, abs=1e-3)
    assert limits.best[home] == pytest.approx(-45.803, abs=1e-3)
    assert [policy_evaluation(mdp, cliff.path(row))[home] for row in (2, 1, 0)] == [-13, -15, -17]
    zero = best_epsilon_soft(mdp, 0)
    assert zero.V[home] == -13
    assert optimal_under_exploration(mdp, 0).worst[home] == -13


@pytest.mark.parametrize(
    ("epsilon", "row"), [(0.0, 2), (0.0075, 2), (0.0077, 1), (0.1, 1), (0.157, 1), (0.158, 0), (0.3, 0)]
)
def test_where_the_best_trembling_path_flips(epsilon, row):
    cliff = CliffWalk()
    soft, s, top = best_epsilon_soft(cliff.mdp(1.0), epsilon), cliff.home, 3
    for _ in range(40):
        s = cliff.P[s][soft.policy[s]][0][1]
        top = min(top, cliff.cells[s][0])
    assert cliff.letter(s) == "G"
    assert top == row


def test_the_lines_by_simulation():
    cliff = CliffWalk()
    mdp = cliff.mdp(1.0)
    for row in (2, 1, 0):
        policy = epsilon_soft(mdp, cliff.path(row), 0.1)
        played = play(cliff, policy, 3000, rng=row)
        error = played.returns.std() / np.sqrt(3000)
        assert abs(played.returns.mean() - policy_evaluation(mdp, policy)[cliff.home]) < 4 * error


def test_cliffs_of_other_sizes():
    small = CliffWalk(3, 5, fall=-7.0)
    assert small.n_states == 15
    assert small.home == 10
    assert small.P[10][1] == [(1.0, 10, -7.0, False)]
    assert small.P[9][2] == [(1.0, 14, -1.0, True)]
    assert small.P[6][2] == [(1.0, 10, -7.0, False)]
    assert small.P[12][0] == [(1.0, 10, -7.0, False)]
    assert small.path(1).tolist() == [1, 1, 1, 1, 2, 1, 1, 1, 1, 2, 0, 0, 0, 0, 2]
    with pytest.raises(ValueError, match="columns must be at least 3; got 2"):
        CliffWalk(4, 2)
    with pytest.raises(ValueError, match="row must be at most 2"):
        CliffWalk().path(3)


def test_random_walk():
    walk = RandomWalk(5)
    assert walk.n_states == 7
    assert walk.reset(seed=0)[0] == 3
    np.testing.assert_allclose(walk.values(), [0, 1 / 6, 2 / 6, 3 / 6, 4 / 6, 5 / 6, 0])
    np.testing.assert_allclose(walk.values(), policy_evaluation(walk.mdp(1.0), np.full((7, 2), 0.5)), atol=1e-12)
    assert walk.P[5][1] == [(1.0, 6, 1.0, True)]
    assert walk.P[1][0] == [(1.0, 0, 0.0, True)]
    other = RandomWalk(19, left=-1.0, start=4)
    assert other.reset(seed=0)[0] == 4
    np.testing.assert_allclose(other.values(), policy_evaluation(other.mdp(1.0), np.full((21, 2), 0.5)), atol=1e-12)
    assert RandomWalk(4).reset(seed=1)[0] == 2
    with pytest.raises(ValueError, match="n must be at least 1; got 0"):
        RandomWalk(0)


def test_windy_grid():
    world = WindyGrid()
    assert value_iteration(world.mdp(1.0), 1e-9).V[world.at(3, 0)] == pytest.approx(-15)
    king = WindyGrid(kings=True)
    assert king.action_space.n == 8
    assert value_iteration(king.mdp(1.0), 1e-9).V[king.at(3, 0)] == pytest.approx(-7)
    assert world.P[world.at(4, 6)][1] == [(1.0, world.at(2, 7), -1.0, False)]
    assert world.P[world.at(4, 8)][3] == [(1.0, world.at(3, 7), -1.0, True)]
    assert world.P[world.at(0, 0)][3] == [(1.0, world.at(0, 0), -1.0, False)]
    assert world.P[world.at(6, 9)][2] == [(1.0, world.at(6, 9), -1.0, False)]
    calm = [king.cells[king.P[king.at(5, 1)][a][0][1]] for a in range(8)]
    assert calm == [(4, 1), (5, 2), (6, 1), (5, 0), (4, 2), (6, 2), (6, 0), (4, 0)]
    blown = [king.cells[king.P[king.at(5, 6)][a][0][1]] for a in range(8)]
    assert blown == [(2, 6), (3, 7), (4, 6), (3, 5), (2, 7), (4, 7), (4, 5), (2, 5)]
    assert [world.cells[world.P[world.at(1, j)][2][0][1]] for j in range(10)] == [
        (max(0, 2 - wind), j) for j, wind in enumerate((0, 0, 0, 1, 1, 1, 2, 2, 1, 0))
    ]
    assert world.P[world.at(3, 7)][0] == [(1.0, world.at(3, 7), 0.0, True)]


def test_two_doors():
    world = TwoDoors(4, win=0.3)
    assert world.P[1][3] == [(0.3, 2, 1.0, True), (0.7, 2, -1.0, True)]
    V = value_iteration(world.mdp(1.0), 1e-9).V
    np.testing.assert_allclose(V, [0, -0.4, 0], atol=1e-9)
    left = {
        f: np.mean([(f(TwoDoors(), 60, 0.1, 1.0, 0.1, rng=s).lengths == 2)[10:30].mean() for s in range(60)])
        for f in (q_learning, double_q_learning)
    }
    assert left[q_learning] > 0.8 > 0.5 > left[double_q_learning]


# --- Ends and cuts -------------------------------------------------------------------------------------------------


def test_a_terminated_state_has_no_value_and_a_truncated_one_has():
    world = {
        0: {0: [(1.0, 1, 1.0, False)]},
        1: {0: [(1.0, 2, 1.0, False)]},
        2: {0: [(1.0, 3, 1.0, True)]},
        3: {0: [(1.0, 3, 0.0, True)]},
    }
    env = TabularEnv(world, start=0)
    for learner in (q_learning, sarsa, expected_sarsa, double_q_learning, dyna_q):
        full = learner(env, 400, 0.5, 0.5, 0.1, rng=1, initial=10.0).Q[:, 0]
        np.testing.assert_allclose(full, [1.75, 1.5, 1.0, 0.0], atol=1e-3)
        cut = learner(env, 400, 0.5, 0.5, 0.1, rng=1, initial=10.0, max_steps=1).Q[:, 0]
        np.testing.assert_allclose(cut, [1 + 0.5 * 10, 10, 10, 10])
    for learner in (td0, n_step_td, td_lambda):
        full = learner(env, None, 400, 0.3, 0.5, rng=1, initial=10.0).V
        np.testing.assert_allclose(full, [1.75, 1.5, 1.0, 0.0], atol=1e-3)
        cut = learner(env, None, 400, 0.3, 0.5, rng=1, initial=10.0, max_steps=1).V
        np.testing.assert_allclose(cut[:2], [6, 10])
        limited = TabularEnv(world, start=0, max_steps=1)
        np.testing.assert_allclose(learner(limited, None, 400, 0.3, 0.5, rng=1, initial=10.0).V[:2], [6, 10])


def test_the_forgotten_mask_makes_holes_attractive():
    lake = ice(slip=0.0, max_steps=100)
    for seed in range(3):
        good = q_learning(lake, 1500, 0.1, 0.95, 0.1, rng=seed, initial=1.0)
        bad = q_learning(Relabelled(lake, ends_as_cuts=True), 1500, 0.1, 0.95, 0.1, rng=seed, initial=1.0)
        assert play(lake, greedy(good.Q), 50, rng=seed).returns.mean() == 1
        assert play(lake, greedy(bad.Q), 50, rng=seed).returns.mean() == 0
        zero = [q_learning(w, 300, 0.1, 0.95, 0.1, rng=seed).Q for w in (lake, Relabelled(lake, ends_as_cuts=True))]
        np.testing.assert_array_equal(*zero)  # a table of zeros hides the mistake


def test_time_limits_taken_for_ends():
    env = TabularEnv(two_states(), max_steps=2)
    right = q_learning(env, 8000, 0.05, 0.9, 0.3, rng=1).Q
    wrong = q_learning(Relabelled(env, cuts_as_ends=True), 8000, 0.05, 0.9, 0.3, rng=1).Q
    np.testing.assert_allclose(right, [[17.2, 18.0], [20.0, 16.2]], atol=0.05)
    assert wrong.max() < 5
    assert wrong[0, 0] > wrong[0, 1]


def test_relabelled_reports():
    env = Relabelled(twin(max_steps=1), ends_as_cuts=True, cuts_as_ends=True)
    seen = set()
    for seed in range(60):
        s, _ = env.reset(seed=seed)
        s, _, terminated, truncated, _ = env.step(2)
        assert (terminated, truncated) == ((False, True) if s in (3, 4) else (True, False))
        seen.add(s in (3, 4))
    assert seen == {True, False}
    for ends_as_cuts in (False, True):
        for cuts_as_ends in (False, True):
            env = Relabelled(twin(max_steps=1), ends_as_cuts=ends_as_cuts, cuts_as_ends=cuts_as_ends)
            for seed in range(20):
                env.reset(seed=seed)
                s, _, terminated, truncated, _ = env.step(2)
                assert terminated == (not ends_as_cuts if s in (3, 4) else cuts_as_ends)
                assert truncated == (not terminated)
    going = Relabelled(twin(), ends_as_cuts=True, cuts_as_ends=True)
    going.reset(seed=0)
    for _ in range(40):
        s, _, terminated, truncated, _ = going.step(2)
        if s in (3, 4):
            break
        assert (terminated, truncated) == (False, False)
    with pytest.raises(ValueError, match="ends_as_cuts must be one of"):
        Relabelled(twin(), ends_as_cuts="yes")


# --- Returns of many steps -----------------------------------------------------------------------------------------


def test_n_step_returns():
    rewards, values = [1.0, -2.0, 4.0, 0.5], [9.0, 3.0, -1.0, 2.0, 7.0]
    assert n_step_return(rewards, values, 1, 0.9) == pytest.approx(1 + 0.9 * 3)
    assert n_step_return(rewards, values, 3, 0.9) == pytest.approx(1 - 1.8 + 0.81 * 4 + 0.729 * 2)
    assert n_step_return(rewards, values, 4, 0.9) == pytest.approx(1 - 1.8 + 3.24 + 0.3645)
    assert n_step_return(rewards, values, math.inf, 0.9, terminated=False) == pytest.approx(
        1 - 1.8 + 3.24 + 0.3645 + 0.6561 * 7
    )
    assert n_step_return(rewards, values, 2, 0.9, t=3) == 0.5
    assert n_step_return(rewards, values, 1, 0.9, t=3, terminated=False) == pytest.approx(0.5 + 6.3)


@given(st.integers(1, 8), st.floats(0, 1), st.floats(0, 1), st.booleans(), st.integers(0, 999))
@settings(max_examples=60, deadline=None)
def test_the_lambda_return_is_the_mixture_of_n_step_returns(T, lam, gamma, terminated, seed):
    rng = np.random.default_rng(seed)
    rewards, values = rng.normal(size=T), rng.normal(size=T + 1)
    found = lambda_returns(rewards, values, lam, gamma, terminated=terminated)
    for t in range(T):
        G = [n_step_return(rewards, values, n, gamma, t, terminated=terminated) for n in range(1, T - t + 1)]
        weights = [(1 - lam) * lam**k for k in range(len(G) - 1)] + [lam ** (len(G) - 1)]
        assert found[t] == pytest.approx(np.dot(weights, G))


@pytest.mark.parametrize("lam", [0.0, 0.4, 0.9, 1.0])
@pytest.mark.parametrize("max_steps", [None, 6])
def test_forward_and_backward_views_agree_offline(lam, max_steps):
    arguments = dict(alpha=0.1, gamma=0.9, rng=5, initial=[0.3, -1.0, 2.0, 0.0, 0.0], max_steps=max_steps)
    backward = td_lambda(twin(), None, 1, lam=lam, online=False, history=True, **arguments)
    V = np.array([0.3, -1.0, 2.0, 0.0, 0.0])
    steps = backward.history
    values = [V[s.state] for s in steps] + [V[steps[-1].next_state]]
    G = lambda_returns([s.reward for s in steps], values, lam, 0.9, terminated=steps[-1].terminated)
    forward = V.copy()
    for s, g in zip(steps, G):
        forward[s.state] += 0.1 * (g - V[s.state])
    np.testing.assert_allclose(backward.V[:3], forward[:3], atol=1e-9)


def test_lambda_one_on_line_is_not_monte_carlo():
    walk = RandomWalk(5)
    on = td_lambda(walk, None, 3, 0.5, rng=4, lam=1.0, initial=0.5).V
    off = td_lambda(walk, None, 3, 0.5, rng=4, lam=1.0, initial=0.5, online=False).V
    assert np.abs(on - off).max() > 0.01


def test_messages_of_returns():
    with pytest.raises(ValueError, match="values must have one entry more than rewards: 3; got 2"):
        n_step_return([1, 2], [1, 2], 1)
    with pytest.raises(ValueError, match="values must have one entry more than rewards: 3; got 4"):
        lambda_returns([1, 2], [1, 2, 3, 4], 0.5)
    with pytest.raises(ValueError, match="n must be at least 1; got 0"):
        n_step_return([1, 2], [1, 2, 3], 0)
    with pytest.raises(ValueError, match="n must be a whole number"):
        n_step_td(RandomWalk(), n=1.5)
    with pytest.raises(ValueError, match="t must be at most 1"):
        n_step_return([1, 2], [1, 2, 3], 1, t=2)
    with pytest.raises(ValueError, match="lam must be at least 0 and at most 1; got 1.2"):
        lambda_returns([1], [1, 2], 1.2)
    with pytest.raises(ValueError, match="lam must be"):
        td_lambda(RandomWalk(), lam=-0.1)
    with pytest.raises(ValueError, match="traces must be one of 'accumulating', 'replacing'; got 'dutch'"):
        sarsa_lambda(RandomWalk(), traces="dutch")
    with pytest.raises(ValueError, match="online must be one of"):
        td_lambda(RandomWalk(), online=2)


# --- A batch -------------------------------------------------------------------------------------------------------

EIGHT = [[("A", 0), ("B", 0)]] + [[("B", 1)]] * 6 + [[("B", 0)]]


def test_the_eight_episodes():
    assert certainty_equivalence(EIGHT) == pytest.approx({"A": 0.75, "B": 0.75})
    assert batch_mc(EIGHT) == pytest.approx({"A": 0.0, "B": 0.75})
    assert batch_td(EIGHT, alpha=0.5, sweeps=200)[-1] == pytest.approx({"A": 0.75, "B": 0.75})
    model = count_transitions(EIGHT)
    assert model.states == ["A", "B"]
    np.testing.assert_allclose(model.P, [[0, 1], [0, 0]])
    np.testing.assert_allclose(model.r, [0, 0.75])


@given(st.integers(0, 999), st.floats(0, 1), st.floats(0.05, 1))
@settings(max_examples=25, deadline=None)
def test_batch_td_ends_at_the_values_of_the_counted_model(seed, gamma, alpha):
    rng = np.random.default_rng(seed)
    episodes = [
        [(int(s), float(r)) for s, r in zip(rng.integers(4, size=n), rng.normal(size=n))]
        for n in rng.integers(1, 7, size=6)
    ]
    exact = certainty_equivalence(episodes, gamma)
    history = batch_td(episodes, gamma, alpha, sweeps=int(400 / alpha), initial=1.0)
    assert set(history[0].values()) == {1.0}
    assert len(history) == 1 + int(400 / alpha)
    assert history[-1] == pytest.approx(exact, abs=1e-5)
    # and Monte Carlo is the best fit to the returns seen
    mean = batch_mc(episodes, gamma)
    seen = {}
    for episode in episodes:
        for t, (s, _) in enumerate(episode):
            seen.setdefault(s, []).append(sum(gamma**k * r for k, (_, r) in enumerate(episode[t:])))
    assert mean == pytest.approx({s: np.mean(g) for s, g in seen.items()})
    assert list(mean) == list(exact)


@pytest.mark.parametrize(
    ("episodes", "words"),
    [
        ([], "at least one episode"),
        ([[]], "each at least one pair"),
        ([["A"]], "list of pairs"),
        (3, "list of pairs"),
        ([[([1], 0)]], "must be hashable"),
        ([[("A", math.nan)]], "a reward of episode 0 must be a finite number"),
    ],
)
def test_bad_batches(episodes, words):
    for function in (certainty_equivalence, batch_mc, batch_td, count_transitions):
        with pytest.raises(ValueError, match=words):
            function(episodes)


def test_numbers_of_a_batch():
    for function in (certainty_equivalence, batch_mc, batch_td):
        for gamma in (-0.1, 1.1):
            with pytest.raises(ValueError, match="gamma must be at least 0 and at most 1"):
                function(EIGHT, gamma)
        for gamma in (0, 1):
            function(EIGHT, gamma)
    with pytest.raises(ValueError, match="alpha must be .*at most 1"):
        batch_td(EIGHT, alpha=1.1)
    assert len(batch_td(EIGHT, sweeps=1)) == 2
    with pytest.raises(ValueError, match="alpha must be greater than 0"):
        batch_td(EIGHT, alpha=0)
    with pytest.raises(ValueError, match="sweeps must be at least 1"):
        batch_td(EIGHT, sweeps=0)


# --- Exact answers -------------------------------------------------------------------------------------------------


@given(st.integers(0, 500), st.floats(0, 1))
@settings(max_examples=15, deadline=None)
def test_the_best_soft_policy_beats_all_others(seed, epsilon):
    mdp = twin().mdp(0.9)
    soft = best_epsilon_soft(mdp, epsilon)
    rng = np.random.default_rng(seed)
    for _ in range(10):
        policy = rng.integers(3, size=5)
        V = policy_evaluation(mdp, epsilon_soft(mdp, policy, epsilon))
        assert (V <= soft.V + 1e-9).all()
        np.testing.assert_allclose(V, policy_evaluation(soften(mdp, epsilon), policy), atol=1e-9)
    np.testing.assert_allclose(policy_evaluation(mdp, epsilon_soft(mdp, soft.policy, epsilon)), soft.V, atol=1e-9)
    best = (1 - epsilon) * soft.Q.max(axis=1) + epsilon * soft.Q.mean(axis=1)
    np.testing.assert_allclose(best[:3], soft.V[:3], atol=1e-8)
    assert soft.best[np.arange(5), soft.policy].all()


def test_soft_where_not_all_actions_are_possible():
    mdp = HopGrid().mdp(0.9)
    policy = epsilon_soft(mdp, [1, 1, 0, 1, 1, 0], 0.3)
    np.testing.assert_allclose(policy[0], [0.15, 0.85, 0, 0])
    np.testing.assert_allclose(policy[1], [0.1, 0.8, 0, 0.1])
    soft = best_epsilon_soft(mdp, 0.3)
    assert (np.isneginf(soft.Q) == ~mdp.feasible).all()
    with pytest.raises(ValueError, match="epsilon must be at least 0 and at most 1; got 2"):
        best_epsilon_soft(mdp, 2)
    with pytest.raises(ValueError, match="epsilon must be"):
        epsilon_soft(mdp, [1, 1, 0, 1, 1, 0], -0.1)


def test_the_range_of_tied_policies_by_brute_force():
    cliff = CliffWalk(3, 4)
    mdp = cliff.mdp(1.0)
    V = value_iteration(mdp, 1e-10).V
    best = q_from_v(mdp, V)
    ties = [np.flatnonzero(np.isclose(row, row.max())) for row in best]
    free = [s for s in range(12) if cliff.letter(s) in "S."]
    found = []
    for choice in itertools.product(*(ties[s] for s in free)):
        policy = np.zeros(12, int)
        policy[free] = choice
        found.append(policy_evaluation(mdp, epsilon_soft(mdp, policy, 0.2))[cliff.home])
    limits = optimal_under_exploration(mdp, 0.2)
    assert len(found) > 3
    assert limits.worst[cliff.home] == pytest.approx(min(found))
    assert limits.best[cliff.home] == pytest.approx(max(found))


# --- Acting, ties, histories ---------------------------------------------------------------------------------------


def test_ties_are_broken_at_random():
    first = [sarsa(twin(), 1, epsilon=0.0, rng=s, history=True, max_steps=1).history[0].action for s in range(200)]
    np.testing.assert_allclose(np.bincount(first, minlength=3) / 200, 1 / 3, atol=0.12)
    act = greedy(np.array([[1.0, 2.0, 2.0, 0.0]]), rng=0)
    took = np.bincount([act(0) for _ in range(400)], minlength=4)
    assert took[0] == took[3] == 0
    assert 150 < took[1] < 250
    assert greedy({"x": [0.0, 3.0]})("x") == 1
    row = [[0.0, 1.0, 1.0]] * 5
    seen = {s.action for s in q_learning(twin(), 60, 1e-9, epsilon=0.0, initial=row, history=True, max_steps=1).history}
    assert seen == {1, 2}


def test_epsilon_counts_the_greedy_action_among_the_random_ones():
    table = [[1.0, 0.0, 0.0]] * 5
    steps = q_learning(twin(), 1200, 1e-9, 1.0, 0.3, rng=1, initial=table, history=True).history
    share = np.mean([s.action == 0 for s in steps])
    assert share == pytest.approx(1 - 0.3 + 0.1, abs=0.02)
    fading = q_learning(
        twin(), 400, 1e-9, 1.0, lambda k: 1.0 if k < 200 else 0.0, rng=1, initial=table, history=True
    ).history
    assert np.mean([s.action == 0 for s in fading if s.episode < 200]) == pytest.approx(1 / 3, abs=0.06)
    assert all(s.action == 0 for s in fading if s.episode >= 200)


def test_play():
    cliff = CliffWalk()
    played = play(cliff, cliff.path(2), 3, paths=True)
    assert played.returns.tolist() == [-13] * 3
    assert played.lengths.tolist() == [13] * 3
    assert played.ended.all()
    assert played.paths[0][0] == 36
    assert played.paths[0][-1] == 47
    assert len(played.paths[0]) == 14
    stuck = play(cliff, np.full(48, 3), 2, max_steps=7)
    assert not stuck.ended.any()
    assert stuck.lengths.tolist() == [7, 7]
    assert stuck.paths == []


def test_returns_are_sums_of_rewards_and_lengths_their_number():
    for learner in CONTROL:
        run = learner(twin(), 25, 0.2, 0.5, 0.3, rng=1, history=True)
        steps = _episodes(run.history)
        np.testing.assert_allclose(run.returns, [sum(s.reward for s in e) for e in steps])
        assert run.lengths.tolist() == [len(e) for e in steps]
        assert [e[-1].terminated for e in steps] == [True] * 25
        assert not any(s.terminated or s.truncated for e in steps for s in e[:-1])
        quiet = learner(twin(), 25, 0.2, 0.5, 0.3, rng=1)
        assert quiet.history == []
        np.testing.assert_array_equal(quiet.Q, run.Q)


@pytest.mark.parametrize("learner", [*CONTROL, q_learning_deterministic])
def test_same_seed_same_run_another_seed_another(learner):
    runs = [learner(twin(), 10, rng=seed).lengths.tolist() for seed in (1, 1, 2)]
    assert runs[0] == runs[1] != runs[2]
    generator = np.random.default_rng(1)
    assert learner(twin(), 10, rng=generator).lengths.tolist() == runs[0]
    assert learner(twin(), 10, rng=generator).lengths.tolist() != runs[0]


def test_world_and_agent_draw_from_different_streams():
    walk = RandomWalk(5)
    shared = []
    for seed in range(40):
        steps = td0(TabularEnv(TWIN, start=0), None, 1, rng=seed, history=True).history
        shared.append((steps[0].action, steps[0].next_state))
    assert len(set(shared)) >= 5  # with one stream, action and outcome would go together
    assert td0(walk, None, 2, rng=1).V.shape == (7,)


def test_states_that_are_no_numbers_give_a_dict():
    plain, worded = (
        q_learning(twin(), 50, 0.2, 0.9, 0.3, rng=4, initial=1.0),
        q_learning(Worded(twin()), 50, 0.2, 0.9, 0.3, rng=4, initial=1.0),
    )
    assert set(worded.Q) == {f"s{s}" for s in range(5)}
    for s in range(5):
        np.testing.assert_allclose(worded.Q[f"s{s}"], plain.Q[s])
    run = td0(Worded(twin()), None, 50, rng=4, initial={"s0": 3.0})
    assert run.V["s3"] == 0.0
    assert isinstance(run.V["s0"], float)
    again = q_learning(Worded(twin()), 1, 1e-9, rng=4, initial=worded.Q)
    np.testing.assert_allclose(again.Q["s0"], worded.Q["s0"], atol=1e-6)


def test_tables_without_a_space_have_the_rows_that_were_seen():
    class Bare:
        def __init__(self, env):
            self.reset, self.step, self.action_space = env.reset, env.step, env.action_space

    run = q_learning(Bare(RandomWalk(5)), 3, rng=1)
    assert run.Q.shape[1] == 2
    assert 4 <= len(run.Q) <= 7


def test_step_sizes_that_count():
    assert [one_over_visits(n) for n in (0, 1, 3)] == [1, 0.5, 0.25]
    asked = []
    run = q_learning(twin(), 30, lambda n: asked.append(n) or 0.1, rng=2, history=True)
    visits, expected = {}, []
    for s in run.history:
        visits[s.state, s.action] = visits.get((s.state, s.action), -1) + 1
        expected.append(visits[s.state, s.action])
    assert asked == expected  # earlier visits to the pair, not to the state


# --- Bad input -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"alpha": 0}, "alpha must be greater than 0 and at most 1; got 0"),
        ({"alpha": 1.5}, "alpha must be greater than 0 and at most 1; got 1.5"),
        ({"alpha": lambda n: 2.0}, r"alpha\(0\) must be greater than 0 and at most 1; got 2.0"),
        ({"gamma": 1.1}, "gamma must be at least 0 and at most 1; got 1.1"),
        ({"gamma": -0.1}, "gamma must be at least 0"),
        ({"epsilon": -0.1}, "epsilon must be at least 0 and at most 1; got -0.1"),
        ({"epsilon": lambda k: 1.5}, r"epsilon\(0\) must be at least 0 and at most 1; got 1.5"),
        ({"episodes": 0}, "episodes must be at least 1; got 0"),
        ({"max_steps": 0}, "max_steps must be at least 1; got 0"),
        ({"history": "all"}, "history must be one of True, False; got 'all'"),
        ({"initial": math.inf}, "initial must be a finite number"),
        ({"initial": [[1.0, 2.0]]}, r"initial must be one number, or have shape \(S, 3\); got \(1, 2\)"),
        ({"initial": {0: [1.0]}}, r"initial\[0\] must have shape \(3,\); got \(1,\)"),
        ({"rng": -1}, "rng must be a non-negative integer seed"),
    ],
)
def test_messages(change, words):
    for learner in CONTROL:
        with pytest.raises(ValueError, match=words):
            learner(twin(), **change)
        if not {"epsilon", "initial"} & set(change):
            with pytest.raises(ValueError, match=words):
                td0(twin(), **change)


@pytest.mark.parametrize(
    ("function", "good", "bad"),
    [
        (lambda gamma: n_step_return([1, 2], [0, 0, 0], 1, gamma), (0, 1), (-0.1, 1.1)),
        (lambda gamma: lambda_returns([1, 2], [0, 0, 0], 0.5, gamma), (0, 1), (-0.1, 1.1)),
        (lambda lam: lambda_returns([1, 2], [0, 0, 0], lam), (0, 1), (-0.1, 1.1)),
        (lambda lam: td_lambda(RandomWalk(), None, 1, lam=lam), (0, 1), (-0.1, 1.1)),
        (lambda lam: sarsa_lambda(RandomWalk(), 1, lam=lam), (0, 1), (-0.1, 1.1)),
        (lambda epsilon: soften(HopGrid(0).mdp(0.9), epsilon), (0, 1), (-0.1, 1.1)),
        (lambda epsilon: epsilon_soft(RandomWalk().mdp(0.9), np.zeros(7, int), epsilon), (0, 1), (-0.1, 1.1)),
        (lambda t: n_step_return([1, 2], [0, 0, 0], 1, t=t), (0, 1), (-1, 2)),
        (lambda planning: dyna_q(RandomWalk(), 1, planning=planning), (0,), (-1,)),
        (lambda hop: HopGrid(hop), (0, 1), (-0.1, 1.1)),
        (lambda win: TwoDoors(win=win), (0, 1), (-0.1, 1.1)),
        (lambda games: TwoDoors(games), (2,), (1,)),
        (lambda rows: CliffWalk(rows), (2,), (1,)),
        (lambda columns: CliffWalk(4, columns), (3,), (2,)),
        (lambda row: CliffWalk().path(row), (0, 2), (-1, 3)),
        (lambda n: RandomWalk(n), (1,), (0,)),
        (lambda until: MovingGoal(until), (0,), (-1,)),
    ],
)
def test_limits_are_allowed_and_what_lies_beyond_is_not(function, good, bad):
    for value in good:
        function(value)
    for value in bad:
        with pytest.raises(ValueError, match="must be at (least|most)"):
            function(value)


def test_messages_about_worlds():
    with pytest.raises(ValueError, match="env must have Gymnasium's reset, step and action_space; 3 has no reset"):
        q_learning(3)
    with pytest.raises(ValueError, match="has no step"):
        q_learning(type("World", (), {"reset": None})())
    endless = type("World", (), {"reset": None, "step": None, "action_space": "box"})()
    with pytest.raises(ValueError, match="finite number of actions, action_space.n; got 'box'"):
        q_learning(endless)

    class Arrays(Worded):
        def reset(self, seed=None, options=None):
            return np.zeros(2), {}

    with pytest.raises(ValueError, match="observations that can be hashed: numbers, text, tuples; got ndarray"):
        q_learning(Arrays(twin()))

    class NaN(Worded):
        def step(self, action):
            return "x", math.nan, False, False, {}

    with pytest.raises(ValueError, match="rewards must be finite; those of episode 0 sum to nan"):
        q_learning(NaN(twin()), max_steps=50)


@pytest.mark.parametrize(
    ("policy", "words"),
    [
        ([0, 1, 3, 0, 0], "policy must hold actions, whole numbers from 0 to 2"),
        ([0.5, 1, 1, 0, 0], "policy must hold actions"),
        ([[0.5, 0.5]] * 5, r"probabilities \(S, 3\) whose rows sum to one; got shape \(5, 2\)"),
        ([[0.5, 0.2, 0.2]] * 5, "with sums from 0.9 to 0.9"),
        ([[1.5, -0.5, 0.0]] * 5, "rows sum to one"),
    ],
)
def test_bad_policies(policy, words):
    with pytest.raises(ValueError, match=words):
        td0(twin(), policy)


@pytest.mark.parametrize("policy", [[0, 1, 2], [[1.0, 0, 0]] * 3])
def test_a_policy_has_an_entry_for_each_state(policy):
    with pytest.raises(ValueError, match="policy must have an entry for each of the 5 states; got 3"):
        td0(twin(), policy)


def test_first_values_have_an_entry_for_each_state():
    for learner in CONTROL:
        with pytest.raises(ValueError, match="initial must have an entry for each of the 5 states; got 2"):
            learner(twin(), 2, initial=np.ones((2, 3)))
    with pytest.raises(ValueError, match="initial must have an entry for each of the 5 states; got 4"):
        td0(twin(), initial=[1, 2, 3, 4])
    assert td0(Worded(twin()), episodes=1, initial={"s0": 3.0}).V  # a world that does not count its states


def test_a_relabelled_world_knows_its_possible_actions():
    world = Relabelled(HopGrid(), ends_as_cuts=True)
    run = q_learning(world, 30, 0.3, 0.9, 1.0, rng=1, max_steps=50, history=True)
    assert all(s.action in HopGrid().P[s.state] for s in run.history)
    assert np.isneginf(run.Q[0, 2])


def test_a_table_after_some_steps_from_a_table_of_ones_own():
    first = np.arange(15.0).reshape(5, 3)
    run = q_learning(twin(), 20, 0.3, 0.9, 0.4, rng=5, initial=first, history=True)
    np.testing.assert_allclose(table_after(run, 0, first), first)
    np.testing.assert_allclose(table_after(run, math.inf, first)[:3], run.Q[:3])


def test_off_line_traces_are_the_lambda_returns_to_rounding():
    walk, V0 = RandomWalk(19, left=-1.0), np.random.default_rng(3).normal(size=21)
    for seed in range(5):
        run = td_lambda(walk, None, 1, 0.1, 0.9, rng=seed, initial=V0, lam=0.5, online=False, history=True)
        states = [s.state for s in run.history] + [run.history[-1].next_state]
        G = np.array(lambda_returns([s.reward for s in run.history], V0[states], 0.5, 0.9))
        forward = V0.copy()
        np.add.at(forward, states[:-1], 0.1 * (G - V0[states[:-1]]))
        np.testing.assert_allclose(run.V[1:20], forward[1:20], rtol=0, atol=1e-13)


@pytest.mark.parametrize(("first", "reaches"), [(1.0, True), (5.0, False)])
def test_what_a_lake_without_a_mask_promises(first, reaches):
    """The end's own row promises, too: only a large first value makes the hole better than the goal."""
    lake = ice(slip=0.0, max_steps=100)
    run = q_learning(Relabelled(lake, ends_as_cuts=True), 4000, 0.5, 0.95, 1.0, rng=1, initial=first)
    hole, goal = 0.95**2 * first, 0.95**5 * (1 + 0.95 * first)
    assert (goal > hole) == reaches
    assert run.Q[0].max() == pytest.approx(max(hole, goal), abs=1e-6)
    assert (play(lake, greedy(run.Q), 5, rng=1).returns == reaches).all()


@pytest.mark.parametrize("epsilon", [0.0, 0.1, 0.3])
@pytest.mark.parametrize("learner", ["Q-learning", "SARSA", "Expected SARSA"])
def test_the_cliffs_curve_and_lines_stay_in_their_panel(learner, epsilon):
    scene = CliffLines()
    scene.draw(scene.compute(learner, epsilon, 0.5))
    low, high = scene.curve.axes.get_ylim()
    shown = [*scene.curve.get_ydata()[30:], *(y for line in scene.levels for y in line.get_ydata())]
    assert low < min(shown)
    assert max(shown) < high


def test_the_first_walk_of_the_rising_table_has_three_moves_and_teaches_one():
    scene = RisingTable()
    assert scene.controls["seed"].value == 7
    for step, positive in ((2, 0), (3, 1)):
        Q, _, (total, right), agent, *_ = scene.compute(0.0, "overwrite", 7, step)
        assert (Q[:5] > 0).sum() == positive
        assert (agent == 5) == (step == 3)
        assert (total, right) == (pytest.approx(1020.8), pytest.approx(90))


def test_learning_with_a_step_of_ones_own():
    def step(Q, s, a, r, s2, over, alpha, gamma, choose):
        a2 = choose(Q[s2])
        return Q[s][a] + alpha * ((r if over else r + gamma * Q[s2][a2]) - Q[s][a]), a2

    def at_the_old_state(Q, s, a, r, s2, over, alpha, gamma, choose):
        a2 = choose(Q[s])
        return Q[s][a] + alpha * ((r if over else r + gamma * Q[s2][a2]) - Q[s][a]), a2

    right = [learn_with(step, CliffWalk(), 120, rng=k)[-50:].mean() for k in range(5)]
    wrong = [learn_with(at_the_old_state, CliffWalk(), 120, rng=k)[-50:].mean() for k in range(5)]
    assert np.mean(right) > -45
    assert np.mean(wrong) < -100
    assert len(learn_with(step, CliffWalk(), 7)) == 7


def test_the_goal_that_moves():
    world = MovingGoal(until=2)
    paid = []
    for action in (1, 0, 1, 0):
        s, _ = world.reset(seed=0)
        assert s == 7
        over, total = False, 0.0
        while not over:
            s, r, over, _, _ = world.step(action)
            total += r
        paid.append((s, total))
    assert paid == [(14, 1.0), (0, 0.0), (14, 0.0), (0, 1.0)]
    with pytest.raises(ValueError, match="until must be at least 0; got -1"):
        MovingGoal(-1)


def test_dyna_and_its_memory():
    with pytest.raises(ValueError, match="planning must be at least 0; got -1"):
        dyna_q(twin(), planning=-1)


# --- Random walk and cliff as in the textbook ----------------------------------------------------------------------


def test_one_episode_to_the_left_changes_one_value():
    walk = RandomWalk(5)
    for seed in range(60):
        run = td0(walk, None, 1, 0.1, rng=seed, initial=0.5, history=True)
        end = run.history[-1].next_state
        changed = [s for s in range(1, 6) if run.V[s] != 0.5]
        assert changed == ([1] if end == 0 else [5])
        assert run.V[changed[0]] == pytest.approx(0.45 if end == 0 else 0.55)


def test_random_walk_errors_order_as_in_the_textbook():
    walk = RandomWalk(5)
    truth = walk.values()[1:-1]

    def error(n, alpha, episodes=100, seeds=40):
        runs = [n_step_td(walk, None, episodes, alpha, rng=s, initial=0.5, n=n).V[1:-1] for s in range(seeds)]
        return np.mean([np.sqrt(np.mean((V - truth) ** 2)) for V in runs])

    td = {alpha: error(1, alpha) for alpha in (0.05, 0.1)}
    mc = {alpha: error(math.inf, alpha) for alpha in (0.01, 0.02, 0.03, 0.04)}
    assert min(td.values()) < 0.9 * min(mc.values())
    early = {alpha: error(1, alpha, episodes=10) for alpha in (0.05, 0.15)}
    assert early[0.15] < early[0.05]


def test_19_states_an_intermediate_n_is_best():
    walk = RandomWalk(19, left=-1.0)
    truth = walk.values()[1:-1]

    def error(n, alpha):
        runs = [n_step_td(walk, None, 10, alpha, rng=s, n=n).V[1:-1] for s in range(12)]
        return np.mean([np.sqrt(np.mean((V - truth) ** 2)) for V in runs])

    best = {n: min(error(n, alpha) for alpha in (0.1, 0.2, 0.4, 0.6, 0.8, 1.0)) for n in (1, 4, 64)}
    assert best[4] < best[1] < best[64]


def test_on_the_cliff_q_learning_walks_the_edge_and_earns_less():
    cliff = CliffWalk()
    returns = {
        f: [f(cliff, 300, 0.5, 1.0, 0.1, rng=s).returns[150:].mean() for s in range(12)]
        for f in (q_learning, sarsa, expected_sarsa)
    }
    q, on, mean = (np.array(v) for v in returns.values())
    assert (on > q).sum() >= 11
    assert (mean > q).all()
    assert -60 < q.mean() < -40
    assert -35 < on.mean() < -22
    assert -24 < mean.mean() < -18
    run = q_learning(cliff, 300, 0.5, rng=0)
    assert play(cliff, greedy(run.Q), 5).returns.tolist() == [-13] * 5


# --- Errata of the source notes ------------------------------------------------------------------------------------


def test_erratum_s0_e115():
    """Rising from below needs rewards that are not negative: a loop of -10 falls to -100."""
    loop = TabularEnv({0: {0: [(1.0, 0, -10.0, False)]}}, start=0)
    run = q_learning_deterministic(loop, 1, 0.9, max_steps=200)
    np.testing.assert_allclose([s.value for s in run.history[:3]], [-10, -19, -27.1])
    assert (np.diff([s.value for s in run.history]) < 0).all()
    assert run.Q[0, 0] == pytest.approx(-100, abs=1e-6)


def test_erratum_s0_e117():
    """alpha = 1/(1 + v) gives the mean of the targets if v counts earlier visits only."""
    mean = printed = 0.0
    for v, target in enumerate([2.0, 4.0, 9.0]):
        mean += one_over_visits(v) * (target - mean)
        printed += one_over_visits(v + 1) * (target - printed)
    assert mean == pytest.approx(5.0)
    assert printed == pytest.approx(3.75)


def test_erratum_s0_e118():
    """The second term is the deterministic rule, which does not settle where chance rules: it jumps from 90 to 100."""
    run = q_learning_deterministic(HopGrid(), 400, 0.9, rng=1)
    values = [s.value for s in run.history if (s.state, s.action) == (3, 1)][20:]
    assert {round(v, 6) for v in values} == {90.0, 100.0}
    averaged = q_learning(HopGrid(), 6000, one_over_visits, 0.9, 1.0, rng=1).Q[3, 1]
    assert averaged == pytest.approx(95, abs=0.6)


def test_erratum_s0_e119():
    """An n-step return has all rewards in between; the printed one drops them."""
    rng = np.random.default_rng(0)
    r, values = rng.normal(size=6), rng.normal(size=7)
    right = n_step_return(r, values, 4, 0.9)
    assert right == pytest.approx(sum(0.9**k * r[k] for k in range(4)) + 0.9**4 * values[4])
    assert right != pytest.approx(r[0] + 0.9 * r[1] + 0.9**3 * r[3] + 0.9**4 * values[4])
    # lambda = 1 uses every reward, not r_{t+1} alone
    assert lambda_returns(r, values, 1.0, 0.9)[0] == pytest.approx(n_step_return(r, values, math.inf, 0.9))


def test_erratum_s0_e120():
    """The recursion bootstraps at x_{t+1}; the printed one takes the value of x_t."""
    rng = np.random.default_rng(1)
    r, values = rng.normal(size=3), rng.normal(size=4)
    right = lambda_returns(r, values, 0.6, 0.9)
    G = 0.0
    for t in (2, 1, 0):
        G = r[t] + 0.9 * (0.4 * values[t] + 0.6 * G)
    assert G != pytest.approx(right[0], abs=1e-3)


def test_erratum_e3_63():
    """TD replaces the return by r + gamma V(s'): the two updates are not equal."""
    V, G, r, V2, gamma, alpha = 0.5, 0.0, 0.0, 1.0, 0.9, 0.1
    assert V + alpha * (G - V) == pytest.approx(0.45)
    assert V + alpha * (r + gamma * V2 - V) == pytest.approx(0.54)


def test_erratum_e3_64():
    """SARSA and Q-learning are control methods: they change the policy, and aim at different ones."""
    cliff = CliffWalk()
    mdp = cliff.mdp(1.0)
    soft, best = best_epsilon_soft(mdp, 0.1).Q, q_from_v(mdp, value_iteration(mdp, 1e-10).V)
    on = expected_sarsa(cliff, 3000, 0.2, 1.0, 0.1, rng=1).Q
    off = q_learning(cliff, 3000, 0.2, 1.0, 0.1, rng=1).Q
    edge = cliff.at(2, 5)
    assert abs(off[edge, 1] - best[edge, 1]) < 0.5 < abs(off[edge, 1] - soft[edge, 1])
    assert abs(on[cliff.home, 0] - soft[cliff.home, 0]) < 3 < abs(on[cliff.home, 0] - best[cliff.home, 0])


# --- Gymnasium's worlds, unchanged ---------------------------------------------------------------------------------


def _gym(name, **options):
    """Return the newest registered version of one of Gymnasium's worlds."""
    gymnasium = pytest.importorskip("gymnasium")
    found = [spec for spec in gymnasium.registry.values() if spec.name == name and spec.namespace is None]
    return gymnasium.make(max(found, key=lambda spec: spec.version).id, **options)


@pytest.mark.parametrize("learner", [q_learning, expected_sarsa, double_q_learning])
def test_gymnasium_cliff(learner):
    env = _gym("CliffWalking")
    run = learner(env, 400, 0.5, 1.0, 0.1, rng=1)
    assert run.Q.shape == (48, 4)
    assert play(env, greedy(run.Q), 5, rng=1, max_steps=60).returns.mean() >= -17


def test_gymnasium_cliff_sarsa_with_small_steps():
    env = _gym("CliffWalking")
    run = sarsa(env, 1500, 0.1, 1.0, 0.1, rng=1)
    assert run.returns[-300:].mean() > -28
    assert play(env, greedy(run.Q), 5, rng=1, max_steps=60).returns.mean() >= -17


@pytest.mark.slow
def test_gymnasium_taxi():
    env = _gym("Taxi")
    run = q_learning(env, 2500, 0.5, 0.99, 0.1, rng=1)
    assert run.Q.shape == (500, 6)
    played = play(env, greedy(run.Q), 200, rng=2)
    assert played.returns.mean() > 7
    assert played.ended.all()


@pytest.mark.slow
def test_gymnasium_frozen_lake():
    env = _gym("FrozenLake")
    run = q_learning(env, 8000, lambda n: (1 + n) ** -0.7, 0.99, 0.1, rng=3)
    assert run.Q.shape == (16, 4)
    assert play(env, greedy(run.Q), 400, rng=1).returns.mean() > 0.6  # best possible in 100 steps: 0.744


def test_gymnasium_frozen_lake_without_ice():
    env = _gym("FrozenLake", is_slippery=False)
    run = q_learning(env, 1000, 0.5, 0.95, 0.3, rng=1, initial=1.0)
    assert play(env, greedy(run.Q), 10, rng=1).returns.tolist() == [1.0] * 10
    assert (run.Q[[5, 7, 11, 12, 15]] == 0).all()


def test_gymnasium_blackjack_gives_a_dict():
    run = q_learning(_gym("Blackjack"), 3000, 0.05, 1.0, 0.1, rng=1)
    assert isinstance(run.Q, dict)
    assert run.Q[20, 10, 0].shape == (2,)
    assert run.Q[20, 10, 0][0] > run.Q[20, 10, 0][1]


def test_our_worlds_pass_where_gymnasiums_do():
    for world in (RandomWalk(5), CliffWalk(), WindyGrid(), HopGrid(), TwoDoors()):
        s, info = world.reset(seed=3)
        assert info == {}
        assert 0 <= s < world.observation_space.n
        s, r, terminated, truncated, info = world.step(next(iter(world.P[s])))
        assert isinstance(r, float)
        assert {type(terminated), type(truncated)} == {bool}


# --- What callers may leave out ------------------------------------------------------------------------------------


def test_defaults():
    def of(function):
        return {k: p.default for k, p in inspect.signature(function).parameters.items() if p.default is not p.empty}

    shared = {"alpha": 0.1, "gamma": 1.0, "epsilon": 0.1, "rng": 0, "initial": 0.0, "max_steps": None, "history": False}
    for learner in (q_learning, sarsa, expected_sarsa, double_q_learning):
        assert of(learner) == {"episodes": 500, **shared}
    assert of(sarsa_lambda) == {"episodes": 500, **shared, "lam": 0.8, "traces": "replacing"}
    assert of(dyna_q) == {"episodes": 50, **shared, "gamma": 0.95, "planning": 10}
    given = {k: v for k, v in shared.items() if k != "epsilon"} | {"policy": None, "episodes": 100}
    assert of(td0) == given
    assert of(n_step_td) == {**given, "n": 4}
    assert of(td_lambda) == {**given, "lam": 0.8, "traces": "accumulating", "online": True}
    plain = {
        "episodes": 100,
        "gamma": 0.9,
        "epsilon": 1.0,
        "rng": 0,
        "initial": 0.0,
        "max_steps": None,
        "history": True,
    }
    assert of(q_learning_deterministic) == plain
    assert of(play) == {"policy": None, "episodes": 100, "rng": 0, "max_steps": None, "paths": False}
    own = {"episodes": 150, "alpha": 0.5, "gamma": 1.0, "epsilon": 0.1, "rng": 0, "max_steps": 2000}
    assert of(learn_with) == own
    assert of(table_after) == {"initial": 0.0}
    assert of(greedy) == {"rng": 0}
    assert of(batch_td) == {"gamma": 1.0, "alpha": 0.1, "sweeps": 1000, "initial": 0.0}
    assert of(batch_mc) == of(certainty_equivalence) == {"gamma": 1.0}
    assert of(n_step_return) == {"gamma": 1.0, "t": 0, "terminated": True}
    assert of(lambda_returns) == {"gamma": 1.0, "terminated": True}
    rest = {"max_steps": None, "rng": 0}
    assert of(RandomWalk) == {"n": 5, "left": 0.0, "right": 1.0, "start": None, **rest}
    assert of(CliffWalk) == {"rows": 4, "columns": 12, "fall": -100.0, **rest}
    assert of(WindyGrid) == {"kings": False, **rest}
    assert of(HopGrid) == {"hop": 0.5, **rest}
    assert of(TwoDoors) == {"games": 10, "win": 0.45, **rest}
    assert of(MovingGoal) == {"until": 30, **rest}
    assert of(Relabelled) == {"ends_as_cuts": False, "cuts_as_ends": False}

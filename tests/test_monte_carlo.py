"""Monte Carlo methods against linear solves, dynamic programming, enumeration and Gymnasium (chapter 28)."""

import csv
import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from mlteach import monte_carlo
from mlteach.explore import monte_carlo as explorers
from mlteach.mdp import Discrete
from mlteach.monte_carlo import (
    Blackjack,
    Loop,
    as_actor,
    as_probabilities,
    dealer_ends,
    discounted_returns,
    exact,
    exact_blackjack,
    first_hands,
    first_visits,
    importance_ratio,
    loop_law,
    loop_ratio_variance,
    mc_epsilon_soft,
    mc_estimates,
    mc_evaluate,
    mc_exploring_starts,
    mc_off_policy,
    mc_off_policy_control,
    play,
    play_hands,
    ratio_spread,
    soft_greedy,
    stored,
)
from mlteach.monte_carlo.blackjack import CARDS, DECISIONS, add_card
from mlteach.monte_carlo.policies import uniforms

rng_of = np.random.default_rng


def stop_late(hand):
    """Stick on 20 and 21 only."""
    return int(hand[0] < 20)


class Tape:
    """Episodes that are written down: lists of (state, reward, ...), the last entry the end, cut off or not."""

    def __init__(self, *episodes, n_actions=1):
        self.episodes, self.action_space, self.k, self.taken = episodes, Discrete(n_actions), -1, []
        self.begun = None

    def reset(self, *, seed=None, options=None):
        if self.begun != self.k or self.k < 0:  # the learners of control reset once before the first episode
            self.k += 1
        self.begun, self.t = self.k, 0
        return self.episodes[self.k % len(self.episodes)][0][0], {}

    def step(self, a):
        self.begun = None
        episode = self.episodes[self.k % len(self.episodes)]
        self.taken.append(a)
        reward = episode[self.t][1]
        self.t += 1
        state, *end = episode[self.t]
        over = bool(end) and end[0] in ("end", "cut")
        return state, reward, over and end[0] == "end", over and end[0] == "cut", {}


class Chain:
    """A chain given by P (S, A, S) and R (S, A); the last state ends. Rows are unequal and states come back."""

    P = np.array([
        [[0.5, 0.3, 0.1, 0.1], [0.1, 0.1, 0.6, 0.2]],
        [[0.25, 0.25, 0.25, 0.25], [0.7, 0.05, 0.05, 0.2]],
        [[0.0, 0.6, 0.15, 0.25], [0.35, 0.0, 0.05, 0.6]],
    ])  # fmt: skip
    R = np.array([[1.0, -2.0], [0.5, 3.0], [-1.0, 4.0]])

    def __init__(self, limit=None):
        self.action_space, self.limit, self.log = Discrete(2), limit, []
        self.sums = self.P.cumsum(axis=2).tolist()

    def reset(self, *, seed=None, options=None):
        if seed is not None:
            self.u = uniforms(rng_of(seed))
        self.s, self.n = (options["state"] if options else int(self.u() * 3)), 0
        self.log.append([])
        return self.s, {}

    def step(self, a):
        s, u = self.s, self.u()
        self.s = next((k for k, limit in enumerate(self.sums[s][a]) if u < limit), 3)
        self.n += 1
        reward, over = float(self.R[s, a]), self.s == 3
        cut = self.limit is not None and self.n >= self.limit and not over
        self.log[-1].append((s, a, reward, over, cut, self.s))
        return self.s, reward, over, cut, {}

    def values(self, pi, gamma):
        """Return V of the policy (3, 2) by a linear solve."""
        P = np.einsum("sa,sat->st", pi, self.P[:, :, :3])
        return np.linalg.solve(np.eye(3) - gamma * P, (pi * self.R).sum(axis=1))

    def action_values(self, V, gamma):
        return self.R + gamma * self.P[:, :, :3] @ V


MIXED = np.array([[0.3, 0.7], [0.6, 0.4], [0.9, 0.1]])
OTHER = np.array([[0.5, 0.5], [0.2, 0.8], [0.65, 0.35]])


# --- Returns and visits --------------------------------------------------------------------------------------------


def test_returns_of_w3_14():
    assert discounted_returns([1, 2, 3], 0.5).tolist() == [2.75, 3.5, 3.0]
    assert discounted_returns([1, 1]).tolist() == [2, 1]
    assert discounted_returns(np.ones(400), 0.9)[0] == pytest.approx(10, abs=1e-12)


def test_returns_with_a_tail_and_bad_input():
    assert discounted_returns([1, -2], 0.5, tail=8).tolist() == [2, 2]
    for bad, words in (((1.5,), "gamma must be at least 0 and at most 1; got 1.5"), ((-0.1,), "gamma")):
        with pytest.raises(ValueError, match=words):
            discounted_returns([1], *bad)
    with pytest.raises(ValueError, match="rewards must have 1 dimension; got shape"):
        discounted_returns([[1]])
    with pytest.raises(ValueError, match="tail must be a finite number"):
        discounted_returns([1], tail=np.inf)


def test_first_visits():
    assert first_visits([3, 1, 3, 2, 1]) == {3: 0, 1: 1, 2: 3}
    assert first_visits([]) == {}


AAB = [("A", 1), ("A", 1), ("B", 5), ("A", 2), ("end", "end")]


def test_first_and_every_visit_of_w3_14():
    twice = Tape([("A", 1), ("A", 1), ("end", "end")])
    assert mc_evaluate(twice, None, 1) == {"A": 2}
    assert mc_evaluate(twice, None, 1, first_visit=False) == {"A": 1.5}


def test_ten_steps_in_one_state():
    ten = Tape([*[(0, 1)] * 10, (1, "end")])
    assert mc_evaluate(ten, None, 3)[0] == 10
    assert mc_evaluate(ten, None, 3, first_visit=False)[0] == pytest.approx(5.5)


@pytest.mark.parametrize(("first", "A", "B"), [(True, 0.5**3 * 2 + 0.25 * 5 + 1.5, 6), (False, None, 6)])
def test_discounted_visits_by_hand(first, A, B):
    G = discounted_returns([1, 1, 5, 2], 0.5)
    V = mc_evaluate(Tape(AAB), None, 1, 0.5, first_visit=first)
    assert V["B"] == B == G[2]
    assert V["A"] == pytest.approx(A if first else G[[0, 1, 3]].mean())


def naive(log, gamma, first_visit, kind="V", tail=None):
    """Return lists of returns by state or by pair, from recorded episodes: slowly, and forwards."""
    found = {}
    for episode in log:
        if not episode:
            continue
        seen = set()
        for t, (s, a, *_) in enumerate(episode):
            key = s if kind == "V" else (s, a)
            if first_visit and key in seen:
                continue
            seen.add(key)
            found.setdefault(key, []).append(sum(gamma**k * step[2] for k, step in enumerate(episode[t:])))
    return found


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("gamma", [1.0, 0.8])
def test_estimates_are_means_of_what_was_seen(first, gamma):
    env = Chain()
    got = mc_estimates(env, MIXED, 60, gamma, rng=4, first_visit=first)
    seen = naive(env.log, gamma, first)
    assert len(env.log) == 60
    assert got.n_cut == 0
    for s in range(3):
        assert got.V[s] == pytest.approx(np.mean(seen[s]))
        assert got.N[s] == len(seen[s])
        if first:
            assert got.stderr[s] == pytest.approx(np.std(seen[s], ddof=1) / math.sqrt(len(seen[s])))
    assert first or np.isnan(got.stderr).all()
    starts = [sum(gamma**k * step[2] for k, step in enumerate(episode)) for episode in env.log]
    assert got.returns == pytest.approx(starts)


@pytest.mark.parametrize("gamma", [1.0, 0.7])
def test_evaluation_agrees_with_the_linear_solve_within_its_standard_error(gamma):
    env = Chain()
    got = mc_estimates(env, MIXED, 6000, gamma, rng=1)
    assert np.abs((got.V[:3] - env.values(MIXED, gamma)) / got.stderr[:3]).max() < 3.5
    uniform = mc_estimates(env, None, 6000, gamma, rng=2)
    assert np.abs((uniform.V - env.values(np.full((3, 2), 0.5), gamma)) / uniform.stderr).max() < 3.5
    assert (got.stderr < 0.3).all()


def test_policy_forms_agree():
    runs = [
        mc_evaluate(Chain(), policy, 50, 0.9, rng=3)
        for policy in ([1, 0, 1], np.array([1, 0, 1.0]), {0: 1, 1: 0, 2: 1}, lambda s: [1, 0, 1][s], lambda s: s != 1,
                       [[0, 1], [1, 0], [0, 1]], {0: [0, 1], 1: [1.0, 0], 2: (0, 1)}, lambda s: np.int64([1, 0, 1][s]))
    ]  # fmt: skip
    for V in runs[1:5] + runs[7:]:
        assert np.array_equal(V, runs[0])
    assert np.array_equal(runs[5], runs[6])


def test_incremental_form_and_constant_alpha():
    tape = Tape([(0, 4), (1, "end")], [(0, 10), (1, "end")], [(0, 1), (1, "end")])
    got = mc_estimates(tape, None, 3, at=(1, 2))
    assert [step.episode for step in got.history] == [0, 1, 2, 3]
    assert [float(step.V[0]) if len(step.V) else None for step in got.history] == [None, 4, 7, 5]
    tape.k = -1
    moved = mc_estimates(tape, None, 3, alpha=0.5, initial=2.0)
    assert moved.V[0] == ((2 + 4) / 2 + 10) / 4 + 0.5
    assert moved.N[0] == 3
    assert np.isnan(moved.stderr).all()
    tape.k = -1
    assert mc_estimates(tape, None, 1, initial=50.0).V[0] == 4  # a mean forgets where it began


def test_history_is_not_changed_later():
    env = Chain()
    got = mc_estimates(env, MIXED, 30, rng=0, at=(10,))
    again = mc_estimates(Chain(), MIXED, 10, rng=0)
    assert np.array_equal(got.history[1].V, again.V)
    assert got.history[1].N.sum() < got.N.sum() == got.history[-1].N.sum()


def test_world_and_agent_draw_from_different_streams_and_a_seed_fixes_both():
    one, two = (mc_estimates(Chain(), MIXED, 20, rng=7).returns for _ in range(2))
    assert np.array_equal(one, two)
    assert not np.array_equal(one, mc_estimates(Chain(), MIXED, 20, rng=8).returns)
    assert np.array_equal(one, mc_estimates(Chain(), MIXED, 20, rng=rng_of(7)).returns)


def test_states_that_are_never_seen_keep_the_initial_value():
    class Wide(Chain):
        observation_space = Discrete(6)

    got = mc_estimates(Wide(), MIXED, 20, initial=-1.0)
    assert got.V.shape == got.N.shape == got.stderr.shape == (6,)
    assert got.V[3:].tolist() == [-1, -1, -1]
    assert got.N[3:].tolist() == [0, 0, 0]
    assert np.isnan(got.stderr[3:]).all()


# --- Episodes that were cut off ------------------------------------------------------------------------------------


def test_cut_episodes_by_hand():
    def tape():
        return Tape([(0, 4), (1, 6), (2, "end")], [(0, 1), (1, "cut")])

    last = mc_estimates(tape(), None, 2, 0.5)
    assert last.V.tolist() == [(7 + 1 + 0.5 * 6) / 2, 6]
    assert last.n_cut == 1
    assert mc_evaluate(tape(), None, 2, 0.5, cut="drop").tolist() == [7, 6]
    assert mc_evaluate(tape(), None, 2, 0.5, cut="complete").tolist() == [4, 6]
    assert np.isnan(mc_estimates(tape(), None, 2, cut="drop").returns[1])
    unknown = mc_estimates(Tape([(0, 1), (5, "cut")]), None, 1, initial=3.0)
    assert unknown.V[0] == 4  # the state where it was cut has only its initial value


def test_terminated_wins_over_truncated():
    class Both(Tape):
        def step(self, a):
            state, reward, over, cut, info = super().step(a)
            return state, reward, over, over or cut, info

    got = mc_estimates(Both([(0, 4), (0, 6), (0, "end")]), None, 2)
    assert got.n_cut == 0
    assert got.V[0] == 10


@pytest.mark.parametrize(("cut", "right"), [("bootstrap", True), ("complete", False), ("drop", False)])
def test_only_bootstrapping_is_right_when_episodes_are_cut(cut, right):
    env = Chain(limit=3)
    exact = env.values(MIXED, 0.9)
    got = mc_estimates(env, MIXED, 8000, 0.9, rng=5, cut=cut)
    assert got.n_cut > 1500
    assert (np.abs(got.V[:3] - exact).max() < 0.12) == right


def test_endless_episodes_are_cut_after_max_steps():
    class Endless:
        action_space = Discrete(1)

        def reset(self, *, seed=None, options=None):
            return 0, {}

        def step(self, a):
            return 0, 1.0, False, False, {}

    got = mc_estimates(Endless(), None, 40, 0.5, max_steps=7)
    assert got.n_cut == 40
    assert got.returns[0] == pytest.approx(2 - 2 * 0.5**7)
    assert got.V[0] == pytest.approx(2, abs=0.05)
    assert mc_exploring_starts(Endless(), 3, 0.5, max_steps=2).n_cut == 3


def test_play_returns_the_episode():
    tape = Tape(AAB, n_actions=2)
    start, _ = tape.reset()
    episode = play(tape, lambda s: int(s == "B"), start)
    assert episode == (["A", "A", "B", "A"], [0, 0, 1, 0], [1, 1, 5, 2], "end", True)


# --- Policies ------------------------------------------------------------------------------------------------------


def test_actor_draws_with_the_given_probabilities():
    act = as_actor([[0.2, 0.5, 0.3]], 3, uniforms(rng_of(0)))
    share = np.bincount([act(0) for _ in range(20_000)], minlength=3) / 20_000
    assert np.abs(share - [0.2, 0.5, 0.3]).max() < 0.012
    alike = as_actor(None, 4, uniforms(rng_of(0)))
    assert np.abs(np.bincount([alike(0) for _ in range(20_000)]) / 20_000 - 0.25).max() < 0.012
    third = as_actor([[0, 0, 1]], 3, iter([0.0, 0.5, 0.999]).__next__)
    assert [third(0), third(0), third(0)] == [2, 2, 2]
    quarter = as_actor([[0.25, 0.75]], 2, iter([0.0, 0.2499, 0.25, 0.99]).__next__)
    assert [quarter(0) for _ in range(4)] == [0, 0, 1, 1]


def test_probabilities_of_every_form():
    assert as_probabilities(None, 4)("x").tolist() == [0.25] * 4
    assert as_probabilities(lambda s: s, 3)(2).tolist() == [0, 0, 1]
    assert as_probabilities({"x": [0.1, 0.9]}, 2)("x").tolist() == [0.1, 0.9]
    assert as_probabilities([1, 0], 2)(0).tolist() == [0, 1]


@pytest.mark.parametrize(
    ("policy", "words"),
    [
        (lambda s: 2, "policy must choose one of the actions 0 to 1; in 0 it says 2"),
        (lambda s: -1, "policy must choose one of the actions 0 to 1; in 0 it says -1"),
        (lambda s: 0.5, "policy must choose one of the actions 0 to 1; in 0 it says 0.5"),
        (lambda s: None, "policy must choose one of the actions 0 to 1; in 0 it says None"),
        (lambda s: "hit", "policy must choose one of the actions 0 to 1; in 0 it says 'hit'"),
        (lambda s: np.nan, "policy must choose one of the actions 0 to 1; in 0 it says nan"),
        (lambda s: np.inf, "policy must choose one of the actions 0 to 1; in 0 it says inf"),
        (lambda s: [0.5, 0.6], "policy must give 2 probabilities that sum to one; in 0 it gives"),
        (lambda s: [1.5, -0.5], "policy must give 2 probabilities"),
        (lambda s: [0.2, 0.3, 0.5], "policy must give 2 probabilities"),
        ({1: 0}, "policy says nothing about state 0; it knows 1 states"),
        (np.zeros((2, 2, 2)), r"policy must hold actions \(S,\) or probabilities \(S, A\); got shape \(2, 2, 2\)"),
    ],
)
def test_bad_policies_are_named(policy, words):
    with pytest.raises(ValueError, match=words):
        as_actor(policy, 2, lambda: 0.5)(0)
    with pytest.raises(ValueError, match=words):
        as_probabilities(policy, 2)(0)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"episodes": 0}, "episodes must be at least 1; got 0"),
        ({"episodes": 2.5}, "episodes must be a whole number"),
        ({"gamma": 1.1}, "gamma must be at least 0 and at most 1; got 1.1"),
        ({"cut": "keep"}, "cut must be one of 'bootstrap', 'drop', 'complete'; got 'keep'"),
        ({"initial": np.nan}, "initial must be a finite number"),
        ({"at": [0]}, "at must be at least 1; got 0"),
        ({"max_steps": 0}, "max_steps must be at least 1"),
        ({"rng": -1}, "rng must be a non-negative integer"),
    ],
)
def test_bad_settings_are_named_by_every_learner(more, words):
    for learn in (mc_estimates, mc_exploring_starts, mc_epsilon_soft, mc_off_policy_control):
        with pytest.raises(ValueError, match=words):
            learn(Chain(), **more)
    with pytest.raises(ValueError, match=words):
        mc_off_policy(Chain(), MIXED, **more)


def test_bad_alpha_and_epsilon():
    for alpha in (0, 1.5, -0.1):
        with pytest.raises(ValueError, match="alpha must be greater than 0 and at most 1"):
            mc_estimates(Chain(), alpha=alpha)
    for epsilon in (-0.1, 1.1):
        with pytest.raises(ValueError, match="epsilon must be at least 0 and at most 1"):
            mc_epsilon_soft(Chain(), epsilon=epsilon)


@pytest.mark.parametrize("env", [None, 3, type("NoStep", (), {"action_space": Discrete(2), "reset": print})()])
def test_what_is_no_environment_is_named(env):
    with pytest.raises(TypeError, match=r"env must have reset\(seed=...\), step\(action\) and action_space.n"):
        mc_evaluate(env)


# --- Control -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("first", [True, False])
def test_control_averages_returns_of_pairs(first):
    for learn in (mc_exploring_starts, mc_epsilon_soft):
        env = Chain()
        got = learn(env, 80, 0.8, rng=2, first_visit=first)
        seen = naive(env.log, 0.8, first, kind="Q")
        for s, a in itertools.product(range(3), range(2)):
            assert got.N[s, a] == len(seen.get((s, a), []))
            assert got.Q[s, a] == pytest.approx(np.mean(seen[s, a]) if (s, a) in seen else 0)
        assert got.best.tolist() == (got.Q == got.Q.max(axis=1, keepdims=True)).tolist()


def test_control_finds_the_best_policy_and_its_value():
    env = Chain()
    best = max(itertools.product(range(2), repeat=3), key=lambda p: env.values(np.eye(2)[list(p)], 0.8).sum())
    V = env.values(np.eye(2)[list(best)], 0.8)
    for seed in range(3):
        learned = mc_exploring_starts(env, 4000, 0.8, rng=seed, starts=[0, 1, 2])
        assert learned.best.argmax(axis=1).tolist() == list(best)
        assert np.abs(learned.Q.max(axis=1) - V).max() < 0.6
    soft = mc_epsilon_soft(env, 6000, 0.8, 0.3, rng=1)
    chosen = soft.best.argmax(axis=1)
    pi = np.full((3, 2), 0.15) + 0.7 * np.eye(2)[chosen]
    assert np.abs(soft.Q - env.action_values(env.values(pi, 0.8), 0.8)).max() < 0.6


def test_exploring_starts_draw_states_and_first_actions_evenly():
    env = Chain()
    mc_exploring_starts(env, 6000, 0.8, rng=0, starts=[0, 2])
    first = [(episode[0][0], episode[0][1]) for episode in env.log if episode]
    share = {pair: first.count(pair) / 6000 for pair in set(first)}
    assert set(share) == {(0, 0), (0, 1), (2, 0), (2, 1)}
    assert max(abs(p - 0.25) for p in share.values()) < 0.03


def test_starts_may_be_a_function_and_must_not_be_empty():
    def begin(env, rng):
        return env.reset(options={"state": int(rng.integers(1, 3))})[0]

    env = Chain()
    mc_exploring_starts(env, 100, rng=0, starts=begin)
    assert {episode[0][0] for episode in env.log if episode} == {1, 2}
    with pytest.raises(ValueError, match="starts must hold at least one state"):
        mc_exploring_starts(env, 10, starts=[])


class Fork:
    """One decision: action 0 pays 1, action 1 pays 2, action 2 pays 2."""

    action_space = Discrete(3)

    def reset(self, *, seed=None, options=None):
        return "fork", {}

    def step(self, a):
        return "end", (1.0, 2.0, 2.0)[a], True, False, {}


def test_without_exploration_what_was_never_tried_stays_wrong():
    stuck = mc_exploring_starts(Fork(), 50, explore=False, rng=3)
    first = int(np.flatnonzero(stuck.N["fork"])[0])
    assert stuck.N["fork"][first] == 50
    assert (stuck.N["fork"] > 0).sum() == 1
    explored = mc_exploring_starts(Fork(), 50, rng=3)
    assert explored.best == {"fork": {1, 2}}
    assert explored.Q["fork"].tolist() == [1, 2, 2]


def test_an_optimistic_table_makes_the_greedy_agent_try_everything():
    hopeful = mc_exploring_starts(Fork(), 50, explore=False, initial=9.0, rng=3)
    assert (hopeful.N["fork"] > 0).all()
    assert hopeful.Q["fork"].tolist() == [1, 2, 2]


def test_ties_are_broken_at_random_and_shown():
    got = mc_epsilon_soft(Fork(), 3000, epsilon=0.3, rng=0)
    share = got.N["fork"] / 3000
    assert got.best["fork"] == {1, 2}
    assert share[0] == pytest.approx(0.1, abs=0.02)
    assert share[1] == pytest.approx(0.45, abs=0.03)
    assert share[2] == pytest.approx(0.45, abs=0.03)


def test_epsilon_is_split_among_all_actions():
    class One(Fork):
        def step(self, a):
            return "end", (0.0, 0.0, 1.0)[a], True, False, {}

    got = mc_epsilon_soft(One(), 6000, epsilon=0.3, rng=0, initial=5.0)
    assert got.N["fork"][2] / 6000 == pytest.approx(1 - 0.3 + 0.1, abs=0.02)


def test_cut_episodes_in_control():
    def tape():
        return Tape([(0, 4), (1, 6), (2, "end")], [(0, 1), (1, "cut")], n_actions=1)

    for learn in (mc_exploring_starts, mc_epsilon_soft):
        assert learn(tape(), 2, 0.5).Q.tolist() == [[5.5], [6.0]]
        assert learn(tape(), 2, 0.5, cut="complete").Q.tolist() == [[4.0], [6.0]]
        dropped = learn(tape(), 2, 0.5, cut="drop")
        assert dropped.Q.tolist() == [[7.0], [6.0]]
        assert dropped.n_cut == 1
        assert np.isnan(dropped.returns[1])


def test_what_a_cut_state_is_worth_to_the_soft_policy():
    class Cut:
        """State 0 leads to 1 and is cut there every other time; 1 pays 8 for action 0 and 0 for action 1."""

        action_space, k = Discrete(2), 0

        def reset(self, *, seed=None, options=None):
            self.k += 1
            self.s = self.k % 2
            return self.s, {}

        def step(self, a):
            return (2, 8.0 * (a == 0), True, False, {}) if self.s else (1, 0.0, False, True, {})

    soft = mc_epsilon_soft(Cut(), 4000, 1.0, 0.4, rng=0, alpha=0.05, initial=1.0)
    assert soft.Q[1].tolist() == pytest.approx([8, 0], abs=1e-6)
    assert soft.Q[0].max() == pytest.approx(0.6 * 8 + 0.4 * 4, abs=1e-6)
    greedy = mc_exploring_starts(Cut(), 4000, rng=0, alpha=0.05)
    assert greedy.Q[0].max() == pytest.approx(8)


def test_history_of_control():
    got = mc_epsilon_soft(Blackjack(), 300, rng=1, at=(100, 200))
    assert [step.episode for step in got.history] == [0, 100, 200, 300]
    assert got.history[0].Q == {}
    assert len(got.history[1].Q) < len(got.history[3].Q)
    total = [sum(n.sum() for n in step.N.values()) for step in got.history]
    assert total[0] == 0
    assert 100 <= total[1] < total[2] < total[3]
    assert np.array_equal(mc_epsilon_soft(Blackjack(), 100, rng=1).Q[20, 10, 0], got.history[1].Q[20, 10, 0])


# --- Off policy ----------------------------------------------------------------------------------------------------


def test_importance_sampling_of_w3_15():
    p, q, x = np.array([0.2, 0.8]), np.array([0.5, 0.5]), np.array([0, 10])
    assert p @ x == pytest.approx(8)
    assert q @ (x * p / q) == pytest.approx(8)
    pi, b, r, n = np.array([0.1, 0.9]), np.array([0.5, 0.5]), np.array([0, 1]), 10
    # n pulls, k of them of the second arm: exact means and variances of both estimates
    k = np.arange(n + 1)
    chance = np.array([math.comb(n, i) for i in k]) / 2**n
    ordinary = 1.8 * k / n
    weighted = 1.8 * k / (1.8 * k + 0.2 * (n - k))
    assert chance @ ordinary == pytest.approx(0.9)
    assert chance @ ordinary**2 - 0.81 == pytest.approx(0.081)
    mean = chance @ weighted
    assert mean == pytest.approx(0.8823, abs=5e-4)
    assert chance @ weighted**2 - mean**2 == pytest.approx(0.0063, abs=2e-4)

    class Bandit:
        action_space = Discrete(2)

        def reset(self, *, seed=None, options=None):
            return 0, {}

        def step(self, a):
            return 1, float(r[a]), True, False, {}

    for weights in (True, False):
        runs = [mc_off_policy(Bandit(), pi[None], b[None], n, rng=i, weighted=weights).V[0] for i in range(600)]
        want, spread = (mean, 0.0063) if weights else (0.9, 0.081)
        assert np.mean(runs) == pytest.approx(want, abs=4 * math.sqrt(spread / 600))
        assert np.var(runs) == pytest.approx(spread, rel=0.9 if weights else 0.25)


def test_importance_ratio():
    assert importance_ratio(MIXED, OTHER, [0, 2, 1], [1, 0, 0]) == pytest.approx(0.7 / 0.5 * 0.9 / 0.65 * 0.6 / 0.2)
    assert importance_ratio(MIXED, OTHER, [], [], n_actions=2) == importance_ratio(MIXED, OTHER, [], []) == 1
    assert importance_ratio(MIXED, OTHER, (0, 2), np.array([1.0, 0.0])) == pytest.approx(0.7 / 0.5 * 0.9 / 0.65)
    assert importance_ratio(stop_late, None, [(13, 2, 1), (20, 2, 0)], [1, 0], n_actions=2) == 4
    assert importance_ratio(stop_late, None, [(13, 2, 1), (19, 2, 0)], [1, 0], n_actions=2) == 0
    assert importance_ratio(lambda s: (0.1, 0.9), None, ["x"], [1]) == pytest.approx(1.8)
    assert importance_ratio(None, {"x": [0.1, 0.9]}, ["x"], [0]) == pytest.approx(5)
    assert isinstance(importance_ratio(MIXED, OTHER, [0], [0]), float)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((MIXED, OTHER, [0, 1], [1]), "states and actions must have the same length; got 2 and 1"),
        ((MIXED, OTHER, [0], [2]), r"actions must be whole numbers from 0 to 1; got \[2\]"),
        ((MIXED, OTHER, [0], [-1]), "actions must be whole numbers from 0 to 1"),
        ((MIXED, OTHER, [0], [0.7]), r"actions must be whole numbers from 0 to 1; got \[0.7\]"),
        ((MIXED, OTHER, [7], [1]), "policy says nothing about state 7"),
        ((None, {0: [0.5, 0.5]}, [7], [1]), "behaviour says nothing about state 7"),
        ((stop_late, None, [(13, 2, 1)], [1]), "give n_actions: neither the policy nor the behaviour"),
        ((MIXED, [[1, 0]], [0], [1]), "behaviour gives action 1 in state 0 probability 0, but the action was taken"),
    ],
)
def test_importance_ratio_names_what_is_wrong(arguments, words):
    with pytest.raises(ValueError, match=words):
        importance_ratio(*arguments)


def test_importance_ratio_asks_for_lists():
    with pytest.raises(TypeError, match="states must be a list, one entry a step; got 0"):
        importance_ratio(MIXED, OTHER, 0, [1])
    with pytest.raises(TypeError, match="actions must be a list, one entry a step; got 1"):
        importance_ratio(MIXED, OTHER, [0], 1)


def off_policy_by_hand(log, gamma, weighted, first, per_decision=False):
    """Return V from recorded episodes, forwards, with the ratio as a product over what follows."""
    above, below, squares = {}, {}, {}
    for episode in filter(None, log):
        seen = set()
        for t, (s, *_) in enumerate(episode):
            if first and s in seen:
                continue
            seen.add(s)
            rho, worth = 1.0, 0.0
            for k, (state, a, reward, *_) in enumerate(episode[t:]):
                rho *= MIXED[state, a] / OTHER[state, a]
                worth += gamma**k * reward * (rho if per_decision else 1)
            above[s] = above.get(s, 0) + (worth if per_decision else rho * worth)
            below[s] = below.get(s, 0) + (rho if weighted else 1)
            squares[s] = squares.get(s, 0) + rho**2
    return {s: above[s] / below[s] for s in above}, below, squares


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize(("weighted", "per_decision"), [(True, False), (False, False), (False, True)])
def test_off_policy_estimates_are_sums_of_what_was_seen(weighted, per_decision, first):
    env = Chain()
    got = mc_off_policy(env, MIXED, OTHER, 40, 0.8, rng=6, weighted=weighted, per_decision=per_decision,
                        first_visit=first, at=(10,))  # fmt: skip
    V, below, squares = off_policy_by_hand(env.log, 0.8, weighted, first, per_decision)
    for s in range(3):
        assert got.V[s] == pytest.approx(V[s])
        if weighted:
            assert got.effective[s] == pytest.approx(below[s] ** 2 / squares[s])
        else:
            assert got.N[s] == below[s]
    assert [step.episode for step in got.history] == [0, 10, 40]
    assert got.n_cut == 0
    early = off_policy_by_hand(env.log[:10], 0.8, weighted, first, per_decision)[0]
    assert got.history[1].V[0] == pytest.approx(early[0])


@pytest.mark.parametrize(("weighted", "per_decision"), [(True, False), (False, False), (False, True)])
def test_off_policy_agrees_with_the_linear_solve(weighted, per_decision):
    env, runs = Chain(), []
    for seed in range(12):
        runs.append(mc_off_policy(env, MIXED, OTHER, 800, 0.7, rng=seed, weighted=weighted,
                                  per_decision=per_decision).V[:3])  # fmt: skip
    runs = np.array(runs)
    error = (runs.mean(axis=0) - env.values(MIXED, 0.7)) / (runs.std(axis=0, ddof=1) / math.sqrt(12))
    assert np.abs(error).max() < 4


def test_off_policy_cut_episodes_by_hand():
    def tape():
        return Tape([(0, 4), (1, 6), (2, "end")], [(0, 1), (1, "cut")], n_actions=1)

    for weighted in (True, False):
        assert mc_off_policy(tape(), [0, 0], [0, 0], 2, 0.5, weighted=weighted).V.tolist() == [5.5, 6]
        got = mc_off_policy(tape(), [0, 0], [0, 0], 2, 0.5, weighted=weighted, cut="drop")
        assert got.V.tolist() == [7, 6]
        assert got.n_cut == 1
        assert mc_off_policy(tape(), [0, 0], None, 2, 0.5, weighted=weighted, cut="complete").V.tolist() == [4, 6]


def test_visits_that_count_for_nothing_leave_the_initial_value():
    got = mc_off_policy(Fork(), lambda s: 0, [[0, 0, 0]] and (lambda s: (0.001, 0.5, 0.499)), 5, rng=0, initial=7.0)
    assert got.V["fork"] == 7
    assert got.effective["fork"] == 0
    assert got.N["fork"] == 5


def test_coverage_is_asked_for():
    with pytest.raises(
        ValueError, match="behaviour does not cover the policy: in state 'fork' the policy takes action"
    ):
        mc_off_policy(Fork(), None, lambda s: 1)
    with pytest.raises(ValueError, match="per_decision needs weighted=False"):
        mc_off_policy(Fork(), None, None, per_decision=True)


def test_off_policy_control_uses_tails():
    class Two:
        """Two steps: state 0 then 1; action 1 pays 1 in state 1 and nothing in state 0, action 0 pays 0.5 in 0."""

        action_space = Discrete(2)

        def reset(self, *, seed=None, options=None):
            self.s = 0
            return 0, {}

        def step(self, a):
            self.s += 1
            return (1, 0.5 * (a == 0), False, False, {}) if self.s == 1 else (2, 1.0 * (a == 1), True, False, {})

    got = mc_off_policy_control(Two(), [[0.3, 0.7], [0.4, 0.6]], 4000, rng=0)
    assert np.allclose(got.control.Q, [[1.5, 1.0], [0.0, 1.0]], atol=2e-3)
    assert got.control.best.tolist() == [[True, False], [False, True]]
    assert set(got.used) == {1, 2}
    assert (got.length == 2).all()
    assert np.mean(got.used == 2) == pytest.approx(0.6, abs=0.03)  # only if the second action was greedy
    assert got.control.returns.max() == 1.5


def test_off_policy_control_leaves_out_what_was_dropped():
    world = Loop(0.9, reward=1, n_actions=2, max_steps=3)
    dropped, kept = (mc_off_policy_control(world, None, 200, rng=0, cut=cut) for cut in ("drop", "complete"))
    assert 0 < np.isnan(dropped.control.returns).sum() == dropped.control.n_cut < 200
    assert (dropped.used[np.isnan(dropped.control.returns)] == 0).all()
    assert (dropped.used[~np.isnan(dropped.control.returns)] > 0).all()
    assert np.isfinite(kept.control.returns).all()
    assert kept.control.returns.max() == 3


def test_off_policy_control_on_blackjack_comes_near_the_optimum():
    solved = exact_blackjack()
    learned = mc_off_policy_control(Blackjack(), None, 30_000, rng=0).control
    wide = [hand for hand in DECISIONS if abs(solved.margin(hand)) > 0.35 and hand in learned.N
            and learned.N[hand].min() > 60]  # fmt: skip
    assert len(wide) > 30
    assert sum(learned.best[hand] != solved.best[hand] for hand in wide) <= 1
    policy = lambda hand: max(learned.best.get(hand, {0}))  # noqa: E731
    assert exact_blackjack(policy).value > -0.08


# --- Blackjack -----------------------------------------------------------------------------------------------------


def count(cards):
    """Return sum and usable ace of a list of cards, from the rules."""
    total = sum(cards)
    return (total + 10, 1) if 1 in cards and total + 10 <= 21 else (total, 0)


def test_adding_cards_is_counting_cards():
    rng = rng_of(0)
    for _ in range(500):
        cards, hand = [], (0, 0)
        while count(cards)[0] <= 21:
            cards.append(int(rng.choice(CARDS)))
            hand = add_card(*hand, cards[-1])
            assert hand == count(cards)


def test_dealer_by_enumeration_in_fractions():
    def ends(cards, p, found):
        total, _ = count(cards)
        if total >= 17:
            found[min(total, 22)] = found.get(min(total, 22), 0) + p
            return found
        for card in range(1, 11):
            ends([*cards, card], p * Fraction(CARDS.count(card), 13), found)
        return found

    for up in (1, 6, 10):
        exact = ends([up], Fraction(1), {})
        assert sum(exact.values()) == 1
        for total, p in exact.items():
            assert dealer_ends(up)[total] == pytest.approx(float(p), abs=1e-12)
    assert all(sum(dealer_ends(up).values()) == pytest.approx(1) for up in range(1, 11))


def test_known_values_of_blackjack():
    best, late = exact_blackjack(), exact_blackjack(stop_late)
    assert late.V[13, 2, 1] == pytest.approx(-0.277204, abs=5e-7)
    assert best.value == pytest.approx(-0.0466, abs=5e-5)
    assert exact_blackjack(natural=True).value == pytest.approx(-0.0431, abs=5e-5)
    assert [round(abs(best.margin(hand)), 4) for hand in ((12, 4, 0), (16, 10, 0), (18, 1, 1))] == [
        0.0025,
        0.0065,
        0.0393,
    ]
    assert best.margin((16, 10, 0)) > 0 > best.margin((12, 4, 0))
    assert best.value > late.value
    assert len(best.V) == 280


def test_best_policy_is_the_textbooks():
    """Figure 5.2 of Sutton and Barto: hit below these sums, by the dealer's card from ace to ten."""
    hard, soft = [17, 13, 13, 12, 12, 12, 17, 17, 17, 17], [19, 18, 18, 18, 18, 18, 18, 18, 19, 19]
    best = exact_blackjack().best
    for dealer in range(1, 11):
        for total in range(12, 22):
            assert best[total, dealer, 0] == {int(total < hard[dealer - 1])}, (total, dealer)
            assert best[total, dealer, 1] == {int(total < soft[dealer - 1])}, (total, dealer)


def test_values_satisfy_bellmans_equation_by_enumeration():
    solved = exact_blackjack()
    for total, dealer, ace in DECISIONS[::7]:
        hit = 0.0
        for card in CARDS:
            n, a = add_card(total, ace, card)
            hit += (-1 if n > 21 else solved.V[n, dealer, a]) / 13
        assert solved.Q[total, dealer, ace][1] == pytest.approx(hit)
        assert solved.V[total, dealer, ace] == solved.Q[total, dealer, ace].max()
        ends = dealer_ends(dealer)
        stick = ends[22] + sum(p * np.sign(total - end) for end, p in ends.items() if end < 22)
        assert solved.Q[total, dealer, ace][0] == pytest.approx(stick)


def test_no_policy_beats_the_best():
    best, rng = exact_blackjack(), rng_of(0)
    for _ in range(20):
        table = {hand: rng.dirichlet([1, 1]) for hand in best.V}
        other = exact_blackjack(table)
        assert all(other.V[hand] <= best.V[hand] + 1e-12 for hand in best.V)


def test_spread_is_that_of_simulated_returns():
    solved = exact_blackjack(stop_late)
    for hand in ((13, 2, 1), (16, 10, 0), (18, 6, 0)):
        returns = play_hands(hand, 40_000, stop_late, stop_late, rng=1).returns
        action = stop_late(hand)
        assert returns.std() == pytest.approx(solved.spread[hand][action], abs=0.01)
        assert returns.mean() == pytest.approx(solved.Q[hand][action], abs=0.02)


def test_spread_of_both_actions_from_the_laws_of_win_and_draw():
    solved = exact_blackjack()
    for total, dealer, ace in DECISIONS[3::11]:
        stick, hit = solved.Q[total, dealer, ace]
        draw = dealer_ends(dealer).get(total, 0.0)
        assert solved.spread[total, dealer, ace][0] == pytest.approx(math.sqrt(max(1 - draw - stick**2, 0)))
        assert 0 <= solved.spread[total, dealer, ace][1] <= 1
        assert solved.margin((total, dealer, ace)) == hit - stick
    assert solved.spread[20, 6, 0] == pytest.approx([0.635, 0.514], abs=5e-4)
    assert solved.spread[21, 6, 0][1] == 0  # a certain loss


def test_an_offset_moves_the_ordinary_spread_only():
    plain = ratio_spread((13, 2, 1), stop_late, None)
    for offset in (-2.0, 0.5, 3):
        moved = ratio_spread((13, 2, 1), stop_late, None, offset=offset)
        hands = play_hands((13, 2, 1), 60_000, stop_late, None, rng=6)
        products = hands.ratios * (hands.returns + offset)
        assert moved.value == pytest.approx(plain.value + offset)
        assert moved.weighted == plain.weighted
        assert moved.ratio_square == plain.ratio_square
        assert moved.ordinary == pytest.approx(products.std(), rel=0.05)
    assert ratio_spread((13, 2, 1), stop_late, lambda hand: 0, offset=1).value == pytest.approx(plain.value + 1)
    with pytest.raises(ValueError, match="offset must be a finite number"):
        ratio_spread((13, 2, 1), stop_late, None, offset=np.nan)


def test_a_loop_can_be_cut():
    loop = Loop(0.9, reward=1, max_steps=15)
    runs = {cut: mc_evaluate(loop, None, 6000, rng=1, cut=cut)[0] for cut in ("complete", "drop", "bootstrap")}
    left = 0.9**15
    assert runs["complete"] == pytest.approx((1 - left) / 0.1, abs=0.3)
    assert runs["drop"] == pytest.approx(10 - 15 * left / (1 - left), abs=0.3)
    assert runs["bootstrap"] == pytest.approx(10, abs=0.7)


def test_best_soft_policies():
    values = [exact_blackjack(epsilon=e).value for e in (0, 0.1, 0.5, 1)]
    assert values[0] == exact_blackjack().value
    assert sorted(values, reverse=True) == values
    assert values[-1] == pytest.approx(exact_blackjack(lambda hand: (0.5, 0.5)).value)
    soft = exact_blackjack(epsilon=0.2)
    table = {hand: [0.1 + 0.8 * (0 in best), 0.1 + 0.8 * (1 in best)] for hand, best in soft.best.items()}
    assert exact_blackjack(table).value == pytest.approx(soft.value)
    natural = exact_blackjack(natural=True, epsilon=0.2).value
    assert natural == pytest.approx(exact_blackjack(table, natural=True).value)
    assert natural > soft.value
    with pytest.raises(ValueError, match="epsilon belongs to the best policy"):
        exact_blackjack(stop_late, epsilon=0.1)
    with pytest.raises(ValueError, match="epsilon must be at least 0 and at most 1"):
        exact_blackjack(epsilon=2)


def test_the_greedy_policy_of_the_best_soft_values_is_not_the_best():
    best = exact_blackjack()
    for epsilon, other, cost in ((0.4, 13, 0.0084), (0.1, 2, 0.0004), (0.01, 0, 0.0)):
        soft = exact_blackjack(epsilon=epsilon)
        assert sum(soft.best[hand] != best.best[hand] for hand in DECISIONS) == other
        greedy = exact_blackjack({hand: max(soft.best[hand]) for hand in soft.V})
        assert best.value - greedy.value == pytest.approx(cost, abs=5e-5)


def test_soft_greedy():
    assert soft_greedy([2, 6, -3], 0.3) == pytest.approx([0.1, 0.8, 0.1])
    assert soft_greedy(np.array([1, 3, 3, 2]), 0.2) == pytest.approx([0.05, 0.45, 0.45, 0.05])
    assert soft_greedy([0.0, 1.0], 0).tolist() == [0, 1]
    assert soft_greedy([0.0, 1.0], 1).tolist() == [0.5, 0.5]
    with pytest.raises(ValueError, match="epsilon must be at least 0 and at most 1"):
        soft_greedy([1, 2], 1.1)
    with pytest.raises(ValueError, match="q must have 1 dimension"):
        soft_greedy([[1, 2]], 0.1)


def test_a_soft_hand_needs_lower_hard_ones():
    """A pass from high sums to low ones would miss them: soft 20 and a five make hard 15 (section 28.3)."""
    assert add_card(20, 1, 5) == (15, 0)
    place = {hand: k for k, hand in enumerate(exact.ORDER)}
    assert all(place[n, a] < place[hand] for hand in exact.ORDER for _, n, a in exact.AFTER[hand] if n <= 21)


@pytest.mark.parametrize("up", [0, 11, 2.5])
def test_the_dealers_card_is_checked(up):
    with pytest.raises(ValueError, match="the dealer's card must be"):
        dealer_ends(up)
    with pytest.raises(ValueError, match="the dealer's card must be"):
        play_hands((13, up, 1), 5, stop_late)
    with pytest.raises(ValueError, match="the dealer's card must be"):
        ratio_spread((13, up, 1), stop_late, None)


def test_the_law_of_the_dealer_cannot_be_spoilt():
    dealer_ends(5)[17] = 9.0
    assert sum(dealer_ends(5).values()) == pytest.approx(1)


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ((25, 2, 1), "the sum must be at most 21; got 25"),
        ((11, 2, 1), "the sum must be at least 12; got 11"),
        ((3, 2, 0), "the sum must be at least 4; got 3"),
        ((13, 2), r"the state must be \(sum, dealer, usable ace\); got \(13, 2\)"),
        (13, r"the state must be \(sum, dealer, usable ace\); got 13"),
    ],
)
def test_hands_that_do_not_exist_are_named(state, words):
    for call in (lambda: play_hands(state, 5, stop_late), lambda: ratio_spread(state, stop_late, None)):
        with pytest.raises(ValueError, match=words):
            call()


def test_first_hands():
    chances = first_hands()
    assert sum(chances.values()) == pytest.approx(1)
    assert chances[21, 5, 1] == pytest.approx(2 * 1 / 13 * 4 / 13 / 13)
    assert chances[12, 10, 1] == pytest.approx(1 / 169 * 4 / 13)


def test_evaluation_of_blackjack_agrees_with_the_exact_answer():
    exact, got = exact_blackjack(stop_late), mc_estimates(Blackjack(), stop_late, 12_000, rng=3)
    spread = {h: exact.spread[h][stop_late(h)] for h in exact.V}
    z = [(got.V[h] - exact.V[h]) / spread[h] * math.sqrt(got.N[h]) for h in got.V if got.N[h] > 25]
    assert len(z) > 120
    assert np.abs(z).max() < 4.5
    assert 0.8 < np.std(z) < 1.2
    assert got.returns.mean() == pytest.approx(exact.value, abs=4 / math.sqrt(12_000))


def test_first_and_every_visit_are_the_same_on_blackjack():
    one, two = (mc_evaluate(Blackjack(), stop_late, 500, rng=1, first_visit=f) for f in (True, False))
    assert one == two


@pytest.mark.parametrize("natural", [False, True])
def test_the_simulator_pays_what_the_exact_value_says(natural):
    game, policy = Blackjack(natural), lambda hand: int(hand[0] < 17)
    returns = mc_estimates(game, policy, 40_000, rng=9).returns
    assert returns.mean() == pytest.approx(exact_blackjack(policy, natural).value, abs=3.5 / 200)


def deal(game, *cards):
    """Begin a game with known cards: dealer's first, dealer's second, player's two, then what is drawn."""
    pile = iter(cards)
    game._cards = pile.__next__
    return game.reset()[0]


def test_games_by_hand():
    game = Blackjack()
    assert deal(game, 6, 10, 10, 9, 5) == (19, 6, 0)
    assert game.step(0) == ((19, 6, 0), -1.0, True, False, {})  # 16 and a 5: 21
    assert deal(game, 1, 6, 1, 1, 10, 10) == (12, 1, 1)  # a pair of aces
    assert game.step(1) == ((12, 1, 0), 0.0, False, False, {})
    assert game.step(1) == ((22, 1, 0), -1.0, True, False, {})
    with pytest.raises(RuntimeError, match=r"the game is over; call reset\(\)"):
        game.step(0)
    deal(game, 1, 6, 10, 7)
    assert game.step(0)[1] == 0  # soft 17 stands: a draw
    deal(game, 10, 6, 10, 2, 10)
    assert game.step(0)[1] == 1  # the dealer passes 21
    for bad in (2, -1, "hit"):
        deal(game, 10, 6, 10, 2, 10)
        with pytest.raises(ValueError, match=r"action must be 0 \(stick\) or 1 \(hit\); got"):
            game.step(bad)


def test_naturals_by_hand():
    for natural, against, reward in (
        (False, (10, 6, 5), 0),
        (True, (10, 6, 5), 1),
        (True, (10, 1), 0),
        (False, (10, 1), 0),
    ):
        game = Blackjack(natural)
        assert deal(game, *against[:2], 1, 10, *against[2:]) == (21, 10, 1)
        assert game.step(0)[1] == reward
    game = Blackjack(natural=True)
    deal(game, 10, 6, 1, 10, 10, 5)
    game.step(1)  # 21 again, but with three cards
    assert game.step(0)[1] == 0
    game._cards = iter([9, 6, 5]).__next__
    game.reset(options={"state": (21, 10, 1)})
    assert game.step(0)[1] == 0  # a hand that is set is no natural: 10, 6 and 5 draw


def test_games_can_begin_anywhere():
    game = Blackjack()
    assert len(game.states) == 200 == len(set(game.states))
    for state in game.states:
        assert game.reset(options={"state": state})[0] == state
    with pytest.raises(ValueError, match="options must be"):
        game.reset(options={"seed": 1})
    with pytest.raises(ValueError, match=r"the state must be \(sum, dealer, usable ace\); got 5"):
        game.reset(options={"state": 5})
    for state, words in (
        ((22, 1, 0), "the sum must be at most 21"),
        ((11, 1, 1), "the sum must be at least 12"),
        ((3, 1, 0), "the sum must be at least 4"),
        ((12, 11, 0), "dealer's card must be at most 10"),
        ((12, 0, 0), "dealer's card must be at least 1"),
        ((12, 1, 2), "usable ace must be at most 1"),
    ):
        with pytest.raises(ValueError, match=words):
            game.reset(options={"state": state})


def test_seed_shuffles_and_no_seed_goes_on():
    game = Blackjack()
    one = [game.reset(seed=4)[0], game.reset()[0], game.reset()[0]]
    two = [game.reset(seed=4)[0], game.reset()[0], game.reset()[0]]
    assert one == two
    assert len(set(one)) > 1


# --- Many hands, and the spread of ratios --------------------------------------------------------------------------


def cautious(hand):
    """Hit up to 12, else rather stick."""
    return (0.6, 0.4) if hand[0] > 12 else (0.2, 0.8)


def test_hands_at_once_play_as_the_simulator_does():
    hands = play_hands((13, 2, 1), 40_000, stop_late, cautious, rng=2)
    game, rng = Blackjack(), rng_of(5)
    act = as_actor(cautious, 2, uniforms(rng))
    game.reset(seed=8)
    slow = []
    for _ in range(8000):
        episode = play(game, act, game.reset(options={"state": (13, 2, 1)})[0])
        slow.append((sum(episode.rewards), importance_ratio(stop_late, cautious, episode.states, episode.actions)))
    slow = np.array(slow)
    assert slow[:, 0].mean() == pytest.approx(hands.returns.mean(), abs=0.045)
    for part in (lambda g, r: r == 0, lambda g, r: g == 0, lambda g, r: (g > 0) & (r > 0), lambda g, r: r > 10):
        assert part(*slow.T).mean() == pytest.approx(part(*hands).mean(), abs=0.025)
    assert set(np.round(slow[:, 1], 6)) <= set(np.round(hands.ratios, 6))


@pytest.mark.parametrize("behaviour", [None, cautious, stop_late])
def test_spread_of_ratios_against_simulation(behaviour):
    exact = ratio_spread((13, 2, 1), stop_late, behaviour)
    hands = play_hands((13, 2, 1), 150_000, stop_late, behaviour, rng=4)
    products = hands.ratios * hands.returns
    assert exact.value == pytest.approx(-0.277204, abs=1e-6)
    assert products.mean() == pytest.approx(exact.value, abs=4 * exact.ordinary / math.sqrt(150_000))
    assert products.std() == pytest.approx(exact.ordinary, rel=0.04)
    assert (hands.ratios * (hands.returns - exact.value)).std() == pytest.approx(exact.weighted, rel=0.04)
    assert (hands.ratios**2).mean() == pytest.approx(exact.ratio_square, rel=0.06)
    assert hands.ratios.mean() == pytest.approx(1, abs=0.06)
    if behaviour is stop_late:
        assert exact.ratio_square == 1
        assert exact.ordinary == exact.weighted


def test_what_is_not_covered_has_no_spread():
    assert ratio_spread((13, 2, 1), stop_late, lambda hand: 0)[1:] == (np.inf,) * 3
    one_sided = ratio_spread((20, 2, 0), stop_late, lambda hand: (1, 0))
    assert np.isfinite(one_sided.ordinary)
    assert one_sided.ratio_square == 1


# --- The loop ------------------------------------------------------------------------------------------------------


def test_loop_law_by_enumeration():
    stay = 0.35
    for n in (1, 2, 3):
        first = every = bias1 = bias2 = 0.0
        for lengths in itertools.product(range(1, 30 if n < 3 else 24), repeat=n):
            p = np.prod([stay ** (t - 1) * (1 - stay) for t in lengths])
            one = np.mean(lengths) - 1 / (1 - stay)
            two = sum(t * (t + 1) / 2 for t in lengths) / sum(lengths) - 1 / (1 - stay)
            first, every, bias1, bias2 = first + p * one**2, every + p * two**2, bias1 + p * one, bias2 + p * two
        law = loop_law(stay, n)
        assert law.first_mse == pytest.approx(first, abs=1e-6)
        assert law.every_mse == pytest.approx(every, abs=1e-6)
        assert law.every_bias == pytest.approx(bias2, abs=1e-6)
        assert abs(bias1) < 1e-6
        assert law.first_bias == 0


@pytest.mark.parametrize(("stay", "n"), [(0.9, 1), (0.9, 7), (0.5, 40)])
def test_loop_law_against_the_learners(stay, n):
    law, runs = loop_law(stay, n), 600
    V = 1 / (1 - stay)
    for first, mse, bias in ((True, law.first_mse, 0), (False, law.every_mse, law.every_bias)):
        found = [mc_evaluate(Loop(stay, reward=1), None, n, rng=i, first_visit=first)[0] for i in range(runs)]
        assert np.mean(found) - V == pytest.approx(bias, abs=4 * math.sqrt(mse / runs))
        assert np.mean(np.square(np.array(found) - V)) == pytest.approx(mse, rel=0.45)


def test_loop_law_at_the_edges():
    assert loop_law(0, 5) == (0, 0, 0, 0)
    assert loop_law(0.9, 1).every_mse < loop_law(0.9, 1).first_mse
    assert loop_law(0.9, 100).every_mse > loop_law(0.9, 100).first_mse
    with pytest.raises(ValueError, match="stay must be at least 0 and less than 1"):
        loop_law(1, 3)
    with pytest.raises(ValueError, match="episodes must be at least 1"):
        loop_law(0.5, 0)


def test_loop_by_hand():
    loop = Loop(0.75, reward=2, prize=5, n_actions=2)
    assert loop.P[0] == {0: [(0.75, 0, 2, False), (0.25, 1, 7, True)], 1: [(1, 1, 0, True)]}
    assert loop.reset(seed=0) == (0, {})
    assert loop.step(1) == (1, 0, True, False, {})
    assert (Loop(0.5).action_space.n, Loop(0.5).observation_space.n) == (1, 2)
    for bad in ({"stay": 1}, {"stay": 0.5, "n_actions": 3}, {"stay": 0.5, "prize": np.nan}):
        with pytest.raises(ValueError, match=r"stay|n_actions|prize"):
            Loop(**bad)


def test_variance_of_the_loop_is_the_series_and_can_be_infinite():
    for stay, keep in ((0.9, 0.95), (0.5, 0.8), (0.3, 0.9)):
        series = sum(stay**k * (1 - stay) / keep ** (k + 1) for k in range(1000))
        assert loop_ratio_variance(stay, keep) == pytest.approx(series - 1)
    assert loop_ratio_variance(0.9, 0.5) == loop_ratio_variance(0.9, 0.9) == np.inf
    assert loop_ratio_variance(0.9, 1) == 0
    with pytest.raises(ValueError, match="keep must be greater than 0 and at most 1"):
        loop_ratio_variance(0.9, 0)


def test_weighted_estimate_of_the_loop_is_exact_from_the_first_useful_episode():
    loop = Loop(0.9, prize=1, n_actions=2)
    for seed in range(20):
        got = mc_off_policy(loop, [0], [[0.5, 0.5]], 60, rng=seed)
        assert got.V[0] == pytest.approx(1, abs=1e-12) if got.effective[0] else got.V[0] == 0
    ordinary = [mc_off_policy(loop, [0], [[0.5, 0.5]], 60, rng=s, weighted=False).V[0] for s in range(60)]
    assert np.std(ordinary) > 0.2


# --- Stored runs, speed, Gymnasium ---------------------------------------------------------------------------------


def test_the_stored_runs_begin_as_the_same_code_begins():
    wrong = sum(np.array(stored.one_run(seed, (2000,))[0], dtype=int) for seed in range(stored.RUNS))
    kept = stored.wrong_decisions()[2000]
    assert [kept[hand] for hand in DECISIONS] == wrong.tolist()


def test_the_stored_runs_are_whole():
    with open(stored.FILE, newline="", encoding="utf-8") as file:
        assert len(list(csv.reader(file))) == 201
    kept = stored.wrong_decisions()
    assert list(kept) == list(stored.COUNTS)
    total = [sum(row.values()) for row in kept.values()]
    assert sorted(total, reverse=True) == total
    assert all(0 <= n <= stored.RUNS for row in kept.values() for n in row.values())


def registered(name):
    """Return the newest registered id of an environment of the installed Gymnasium."""
    gymnasium = pytest.importorskip("gymnasium")
    versions = [key for key in gymnasium.registry if key.split("-v")[0] == name]
    assert versions
    return gymnasium, max(versions, key=lambda key: int(key.split("-v")[1]))


def test_agents_run_unchanged_on_gymnasiums_frozen_lake():
    gymnasium, name = registered("FrozenLake")
    env = gymnasium.make(name)
    V = mc_estimates(env, None, 3000, 1.0, rng=0)
    P = env.unwrapped.P
    chain, pay = np.zeros((16, 16)), np.zeros(16)
    for s, a in itertools.product(range(16), range(4)):
        for p, t, r, over in P[s][a]:
            pay[s] += p * r / 4
            chain[s, t] += 0 if over else p / 4
    exact = np.linalg.solve(np.eye(16) - chain, pay)
    assert V.V.shape == (16,)
    assert abs(V.V[0] - exact[0]) < 4 * V.stderr[0] + 1e-3
    soft = mc_epsilon_soft(env, 4000, 0.98, 0.2, rng=1)
    assert soft.Q.shape == (16, 4)
    assert soft.returns[-1000:].mean() > soft.returns[:1000].mean() + 0.02

    def anywhere(env, rng):
        env.reset()
        env.unwrapped.s = int(rng.choice([0, 1, 2, 3, 4, 6, 8, 9, 10, 13, 14]))
        return env.unwrapped.s

    starts = mc_exploring_starts(env, 4000, 0.98, rng=2, starts=anywhere)
    assert starts.best[14].tolist() == [False, True, False, False]
    greedy = starts.best / starts.best.sum(axis=1, keepdims=True)
    off = mc_off_policy(env, greedy * 0.5 + 0.125, None, 3000, 0.98, rng=3)
    assert off.V.shape == (16,)
    assert mc_off_policy_control(env, None, 500, 0.98).control.Q.shape == (16, 4)


@pytest.mark.parametrize("sab", [False, True])
def test_agents_run_unchanged_on_gymnasiums_blackjack(sab):
    gymnasium, name = registered("Blackjack")
    env = gymnasium.make(name, sab=sab, natural=False)
    exact = exact_blackjack(stop_late, natural=sab)
    got = mc_estimates(env, stop_late, 6000, rng=0)
    assert got.returns.mean() == pytest.approx(exact.value, abs=4 / math.sqrt(6000))
    spread = {h: exact.spread[h][stop_late(h)] for h in exact.V}
    z = [(got.V[h] - exact.V[h]) / spread[h] * math.sqrt(got.N[h]) for h in got.V if got.N[h] > 25 and h[0] != 21]
    assert np.abs(z).max() < 4.5
    for learned in (mc_epsilon_soft(env, 3000), mc_exploring_starts(env, 3000)):
        assert learned.best[20, 10, 0] == {0}
    off = mc_off_policy(env, stop_late, None, 3000)
    assert off.V[20, 10, 0] > off.V[15, 10, 0]


# --- Errata of the source notes ------------------------------------------------------------------------------------


def test_without_the_markov_property_first_and_every_visit_differ_for_ever():
    """A state that pays 1 at its first visit and 0 at its second (section 28.4)."""
    tape = [(0, 1.0), (0, 0.0), (1, "end")]
    for first, value in ((True, 1.0), (False, 0.5)):
        assert mc_evaluate(Tape(*[tape] * 400), None, 400, first_visit=first)[0] == pytest.approx(value)


# --- What the explorers say -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("epsilon", [0.0, 0.05, 0.6, 1.0])
def test_a_shift_moves_the_weighted_estimates_by_itself_alone(epsilon):
    scene = explorers.BehaviourSpread()
    plain = scene.compute(epsilon, 0.0)
    for offset in (-2.0, 0.5, 2.0):
        moved = scene.compute(epsilon, offset)
        assert np.allclose(moved.weighted - offset, plain.weighted)
        assert not np.allclose(moved.ordinary - offset, plain.ordinary)
        assert moved.spread.weighted == pytest.approx(plain.spread.weighted)


def test_few_hands_look_calm_where_the_ratios_are_rare_and_huge():
    scene, k = explorers.BehaviourSpread(), explorers.NHANDS.index(100)
    rare, none = scene.compute(0.05, 0.0), scene.compute(0.0, 0.0)
    assert rare.spread.ordinary / 10 == pytest.approx(9.9, abs=0.05)
    error = rare.ordinary[:, k] - rare.spread.value
    assert 0.1 < np.median(error) < 0.3
    assert np.mean(np.abs(error) < 0.5) > 0.6
    calm = none.ordinary[:, k] - none.spread.value
    assert calm.std() < 0.15 < 0.2 < calm.mean() < 0.25


def test_what_the_loops_explorers_say():
    jumps = explorers.EndlessVariance()
    for draw, below, top in ((1, 7, 1.02), (6, 7, 4.03), (8, 5, 3.99), (14, 7, 7.22)):
        last = jumps.compute(0.5, draw).means[:, -1]
        assert ((last < 1).sum(), round(last.max(), 2)) == (below, top)
        assert f"{below} of them below 1" in jumps.describe(jumps.compute(0.5, draw))
    settled = jumps.compute(0.95, 1)
    assert (np.abs(settled.means[:, -1] - 1) < 2 / np.sqrt(explorers.LONG)).all()
    visits = explorers.LoopVisits()
    assert "After **1** episode: first visit" in visits.describe(visits.compute(0.9, 1))
    assert "After **2** episodes: first visit" in visits.describe(visits.compute(0.9, 2))


def test_erratum_e3_55():
    """Without G = 0 at the start of each episode the second of two returns of 1 becomes 2; the loop must go on."""
    G, printed = 0, []
    for rewards in ([1], [1]):
        for r in rewards[::-1]:
            G = G + r
        printed.append(G)
    assert printed == [1, 2]
    assert mc_estimates(Tape([(0, 1), (1, "end")]), None, 2).returns.tolist() == [1, 1]


def test_erratum_e3_56():
    """Q = (1, 3), epsilon = 0.2, uniform pi: the chain begins at 2.8 and ends at 2; printed lines give 3.2 and 2.4."""
    Q, epsilon, pi = np.array([1.0, 3]), 0.2, np.array([0.5, 0.5])
    soft = epsilon / 2 * Q.sum() + (1 - epsilon) * Q.max()
    middle = epsilon / 2 * Q.sum() + (1 - epsilon) * ((pi - epsilon / 2) / (1 - epsilon)) @ Q
    assert soft == pytest.approx(2.8)
    assert middle == pytest.approx(pi @ Q) == 2
    assert epsilon * (2 * 0.5) * Q.sum() + (1 - epsilon) * Q.max() == pytest.approx(3.2)
    assert epsilon * Q.sum() + (1 - epsilon) * ((pi - epsilon / 2) / (1 - epsilon)) @ Q == pytest.approx(2.4)


def test_erratum_e3_57():
    """An action that the target never takes needs no coverage."""

    class Arms:
        action_space = Discrete(3)

        def reset(self, *, seed=None, options=None):
            return 0, {}

        def step(self, a):
            return 1, (1.0, 2.0, 9.0)[a], True, False, {}

    b, pi = [[0.5, 0.5, 0]], [[0.3, 0.7, 0]]
    assert sum(0.5 * importance_ratio(pi, b, [0], [a]) * r for a, r in ((0, 1), (1, 2))) == pytest.approx(1.7)
    assert mc_off_policy(Arms(), pi, b, 4000, weighted=False).V[0] == pytest.approx(1.7, abs=0.05)
    with pytest.raises(ValueError, match="does not cover"):
        mc_off_policy(Arms(), [[0.3, 0.6, 0.1]], b, 10)


def test_erratum_e3_58():
    """Every visit is biased after finitely many episodes: 1.5 on average for a loop worth 2."""
    assert loop_law(0.5, 1).every_bias == -0.5
    assert loop_law(0.5, 1).first_bias == 0
    runs = [mc_evaluate(Loop(0.5, reward=1), None, 1, rng=i, first_visit=False)[0] for i in range(1500)]
    assert np.mean(runs) == pytest.approx(1.5, abs=0.08)


class Steps:
    """A chain of n steps; action a in state t pays (t + 1) a."""

    def __init__(self, n):
        self.n, self.action_space = n, Discrete(2)

    def reset(self, *, seed=None, options=None):
        self.s = 0
        return 0, {}

    def step(self, a):
        self.s += 1
        return self.s, float(self.s * a), self.s == self.n, False, {}


@pytest.mark.parametrize(("n", "right", "printed"), [(2, 2.52, 2.12), (3, 4.707, 6.0566)])
def test_erratum_e3_59(n, right, printed):
    """G <- gamma W G + R before W <- W pi / b: the ratio of its own step never counts, later ones are powers."""
    pi, b, gamma = [[0.1, 0.9]] * n, [[0.5, 0.5]] * n, 0.9
    wrong, mine = np.zeros(n), np.zeros(n)
    for actions in itertools.product((0, 1), repeat=n):
        p = 0.5**n
        G, W, returns = 0.0, 1.0, 0.0
        for t in reversed(range(n)):
            G = gamma * W * G + (t + 1) * actions[t]
            wrong[t] += p * G
            W *= pi[t][actions[t]] / b[t][actions[t]]
            returns = gamma * returns + (t + 1) * actions[t]
            mine[t] += p * importance_ratio(pi, b, range(t, n), actions[t:]) * returns
    assert wrong[0] == pytest.approx(printed, abs=5e-5)
    assert mine[0] == pytest.approx(right)
    for more in ({"weighted": True}, {"weighted": False}, {"weighted": False, "per_decision": True}):
        got = mc_off_policy(Steps(n), pi, b, 8000, gamma, **more).V
        assert got[0] == pytest.approx(right, rel=0.1)
        assert got[n - 1] == pytest.approx(0.9 * n, rel=0.1)
    if n == 2:
        assert mine.tolist() == pytest.approx([2.52, 1.8])
        assert wrong[1] == pytest.approx(1.0)


def test_erratum_e3_67_epsilon_greedy():
    """The condition is a = a*: only the best action gets 1 - epsilon + epsilon / A, and all sum to one."""
    got = exact_blackjack(epsilon=0.1)
    table = {hand: [0.05 + 0.9 * (a in best) for a in (0, 1)] for hand, best in got.best.items() if len(best) == 1}
    assert all(sum(row) == pytest.approx(1) and max(row) == pytest.approx(0.95) for row in table.values())
    k, epsilon = 10, 0.1
    assert 1 - epsilon + epsilon / k == pytest.approx(0.91)
    assert 0.91 + 9 * 0.01 == pytest.approx(1)


def test_public_names():
    assert set(monte_carlo.__all__) <= set(dir(monte_carlo))

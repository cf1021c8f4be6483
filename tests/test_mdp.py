"""Chapter 27: decision processes against brute force, textbooks, closed forms and Gymnasium's own worlds."""

import itertools
import pickle
import re
import tracemalloc

import gymnasium
import numpy as np
import pytest
from explorers import made
from hypothesis import given, settings
from hypothesis import strategies as st

from mlteach import plots
from mlteach.explore.grids import GridPicture
from mlteach.mdp import (
    MDP,
    Discrete,
    GridWorld,
    NeverEnds,
    TabularEnv,
    as_policy,
    asynchronous_value_iteration,
    car_rental,
    estimate_model,
    finite_horizon,
    flip_points,
    four_by_three,
    four_by_three_world,
    from_gymnasium,
    gambler,
    greedy_policy,
    ice,
    iterative_evaluation,
    jumping_grid,
    linear_program,
    obstacle_grid,
    occupancy,
    optimal_actions,
    policy_evaluation,
    policy_improvement,
    policy_iteration,
    q_from_v,
    salmon,
    shortest_path_grid,
    small_grid,
    table_of,
    two_states,
    value_iteration,
)
from mlteach.mdp._rows import DenseRows, SparseRows
from mlteach.validation import ConvergenceWarning

UNIFORM = np.full((16, 4), 0.25)
ENVS = {name.rsplit("-v", 1)[0]: name for name in gymnasium.registry if "/" not in name}


def random_mdp(seed, S=4, A=3, gamma=0.8, by_next=False, gaps=True):
    """Return a process whose rows are unequal, some of whose actions are not possible."""
    rng = np.random.default_rng(seed)
    P = rng.dirichlet(np.linspace(0.3, 1.2, S), size=(S, A))
    R = rng.normal(size=(S, A, S) if by_next else (S, A), scale=3)
    if gaps:
        shut = rng.random((S, A)) < 0.3
        shut[np.arange(S), rng.integers(A, size=S)] = False
        R[shut] = -np.inf
        P[shut] = 0
    return MDP(P, R, gamma)


def ending_mdp(seed, S=4, A=2):
    """Return an undiscounted process every policy of which ends in its last state, at a cost or a gain each step."""
    rng = np.random.default_rng(seed)
    P = rng.dirichlet(np.ones(S + 1), size=(S + 1, A))
    R = rng.normal(size=(S + 1, A))
    P[S], R[S] = np.eye(S + 1)[S], 0
    return MDP(P, R, 1.0)


def brute_force(mdp):
    """Return the best value of every state over all deterministic policies, and each policy's values."""
    values = []
    choices = [np.flatnonzero(row) for row in mdp.feasible]
    for policy in itertools.product(*choices):
        P = np.array([mdp.P[s, a] for s, a in enumerate(policy)])
        r = np.array([mdp.R[s, a] for s, a in enumerate(policy)])
        going = ~mdp.terminal
        V = np.zeros(mdp.n_states)
        V[going] = np.linalg.solve(np.eye(going.sum()) - mdp.gamma * P[going][:, going], r[going])
        values.append((policy, V))
    return np.max([V for _, V in values], axis=0), values


# --- against brute force ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("by_next", [False, True])
@pytest.mark.parametrize("seed", range(12))
def test_all_methods_find_the_best_of_all_policies(seed, by_next):
    mdp = random_mdp(seed, gamma=[0.0, 0.5, 0.8, 0.97][seed % 4], by_next=by_next)
    best, values = brute_force(mdp)
    for found in (
        value_iteration(mdp),
        policy_iteration(mdp),
        asynchronous_value_iteration(mdp, rng=seed),
        asynchronous_value_iteration(mdp, order="sweep"),
        asynchronous_value_iteration(mdp, order="priority"),
        linear_program(mdp),
    ):
        np.testing.assert_allclose(found.V, best, atol=2e-8)
        np.testing.assert_allclose(policy_evaluation(mdp, found.policy), best, atol=2e-8)
    greedy = optimal_actions(mdp, best)
    for policy, V in values:  # a policy is optimal if and only if it takes optimal actions everywhere
        chosen = greedy[np.arange(mdp.n_states), list(policy)]
        assert chosen.all() == np.allclose(V, best, atol=1e-9)


@pytest.mark.parametrize("seed", range(10))
def test_undiscounted_problems_that_end(seed):
    mdp = ending_mdp(seed)
    best, _ = brute_force(mdp)
    solvers = value_iteration, policy_iteration, linear_program, asynchronous_value_iteration
    for solve in solvers:
        found = solve(mdp)
        np.testing.assert_allclose(found.V, best, atol=1e-8)
        np.testing.assert_allclose(policy_evaluation(mdp, found.policy), best, atol=1e-8)
    assert best[-1] == 0
    assert mdp.terminal.tolist() == [False] * 4 + [True]


@given(seed=st.integers(0, 10_000), gamma=st.sampled_from([0.3, 0.9, 0.99]), tol=st.sampled_from([1e-2, 1e-5]))
@settings(max_examples=25, deadline=None)
def test_the_error_is_at_most_tol_not_the_last_change(seed, gamma, tol):
    mdp = random_mdp(seed, S=5, gamma=gamma)
    exact = policy_iteration(mdp).V
    for found in (value_iteration(mdp, tol), asynchronous_value_iteration(mdp, tol, rng=1)):
        assert np.abs(found.V - exact).max() <= tol * (1 + 1e-9)
    last = value_iteration(mdp, tol).history[-1]
    assert last.change <= tol * (1 - gamma) / gamma


@pytest.mark.parametrize("seed", range(5))
def test_the_optimality_operator_shrinks_distances_by_gamma(seed):
    mdp = random_mdp(seed, gamma=0.7)
    rng = np.random.default_rng(seed)
    for _ in range(20):
        U, V = rng.normal(size=(2, 4), scale=5)
        TU, TV = (q_from_v(mdp, W).max(axis=1) for W in (U, V))
        assert np.abs(TU - TV).max() <= 0.7 * np.abs(U - V).max() + 1e-12


def test_improvement_never_harms():
    for seed in range(20):
        mdp = random_mdp(seed)
        policy = np.array([np.flatnonzero(row)[-1] for row in mdp.feasible])
        V = policy_evaluation(mdp, policy)
        better = policy_improvement(mdp, V, policy)
        assert (policy_evaluation(mdp, better) >= V - 1e-10).all()
        assert (policy_improvement(mdp, V) == greedy_policy(mdp, V)).all()


def test_improvement_keeps_an_action_that_ties():
    mdp = MDP(np.ones((1, 3, 1)), [[1.0, 2.0, 2.0]], 0.5)
    V = policy_evaluation(mdp, [2])
    assert policy_improvement(mdp, V, [2]).tolist() == [2]
    assert policy_improvement(mdp, V, [1]).tolist() == [1]
    assert policy_improvement(mdp, V, [0]).tolist() == [1]
    assert optimal_actions(mdp, V).tolist() == [[False, True, True]]


# --- numbers of the notes and of the textbooks ----------------------------------------------------------------


def test_two_states_by_hand():
    mdp = two_states()
    assert value_iteration(mdp, 1e-9).V == pytest.approx([18, 20])
    np.testing.assert_allclose(q_from_v(mdp, [18, 20]), [[17.2, 18], [20, 16.2]])
    sweeps = value_iteration(mdp).history
    np.testing.assert_allclose([s.V for s in sweeps[:5]], [[0, 0], [1, 2], [1.9, 3.8], [3.42, 5.42], [4.878, 6.878]])
    errors = [np.abs(s.V - [18, 20]).max() for s in sweeps[3:20]]
    np.testing.assert_allclose(np.divide(errors[1:], errors[:-1]), 0.9)
    changes = [s.change for s in value_iteration(mdp, 1e-6 * 9).history]
    assert len(changes) - 1 == 139
    assert changes[-1] < 1e-6 <= changes[-2]
    np.testing.assert_allclose(policy_evaluation(mdp, np.full((2, 2), 0.5)), [7.25, 7.75])
    rounds = policy_iteration(mdp, [0, 1]).history
    assert [r.policy.tolist() for r in rounds] == [[0, 1], [0, 0], [1, 0]]
    np.testing.assert_allclose([r.V for r in rounds], [[10, 9], [10, 20], [18, 20]])


def test_small_grid():
    mdp = small_grid()
    found = value_iteration(mdp)
    np.testing.assert_allclose(found.V, [81, 90, 100, 90, 100, 0])
    Q = q_from_v(mdp, found.V)  # up, right, down, left
    expected = [
        [81, 81, -np.inf, -np.inf],
        [90, 90, -np.inf, 72.9],
        [100, -np.inf, -np.inf, 81],
        [-np.inf, 90, 72.9, -np.inf],
        [-np.inf, 100, 81, 81],
    ]
    np.testing.assert_allclose(Q[:5], expected)
    assert optimal_actions(mdp, found.V)[0].tolist() == [True, True, False, False]
    np.testing.assert_allclose(value_iteration(small_grid(0.8)).V[:5], [64, 80, 100, 80, 100])
    assert len(policy_iteration(mdp, [0, 3, 3, 2, 3, 0]).history) <= 4


def test_jumping_grid_of_the_textbook():
    mdp = jumping_grid()
    best = [
        [22.0, 24.4, 22.0, 19.4, 17.5],
        [19.8, 22.0, 19.8, 17.8, 16.0],
        [17.8, 19.8, 17.8, 16.0, 14.4],
        [16.0, 17.8, 16.0, 14.4, 13.0],
        [14.4, 16.0, 14.4, 13.0, 11.7],
    ]
    found = policy_iteration(mdp)
    np.testing.assert_allclose(found.V.reshape(5, 5), best, atol=0.051)
    assert found.V[1] == pytest.approx(10 / (1 - 0.9**5))
    chance = policy_evaluation(mdp, np.full((25, 4), 0.25)).reshape(5, 5)
    np.testing.assert_allclose(chance[0], [3.3, 8.8, 4.4, 5.3, 1.5], atol=0.051)
    np.testing.assert_allclose(chance[4], [-1.9, -1.3, -1.2, -1.4, -2.0], atol=0.051)
    assert optimal_actions(mdp, found.V)[1].all()  # A: every action jumps


def test_shortest_path_grid_of_the_textbook():
    mdp = shortest_path_grid()
    V = policy_evaluation(mdp, UNIFORM)
    np.testing.assert_allclose(
        V.reshape(4, 4), [[0, -14, -20, -22], [-14, -18, -20, -20], [-20, -20, -18, -14], [-22, -20, -14, 0]], atol=1e-9
    )
    found = value_iteration(mdp)
    np.testing.assert_allclose(found.V.reshape(4, 4)[0], [0, -1, -2, -3])
    sweeps = iterative_evaluation(mdp, UNIFORM, 1e-4).history
    assert len(sweeps) - 1 == 173
    assert sweeps[1].V.tolist() == [0] + 14 * [-1.0] + [0]
    np.testing.assert_allclose(sweeps[2].V.reshape(4, 4)[0], [0, -1.75, -2, -2])
    assert len(iterative_evaluation(mdp, UNIFORM, 1e-4, in_place=True).history) - 1 == 114
    exact = [  # greedy for the random policy's values after k sweeps is optimal from the third on
        (optimal_actions(mdp, s.V) & ~optimal_actions(mdp, found.V))[~mdp.terminal].any() for s in sweeps[:6]
    ]
    assert exact == [True, True, True, False, False, False]


def test_four_by_three_of_the_textbook():
    mdp = four_by_three()
    V = value_iteration(mdp).V
    book = [0.812, 0.868, 0.918, 0, 0.762, 0.660, 0, 0.705, 0.655, 0.611, 0.388]
    np.testing.assert_allclose(V, book, atol=5.1e-4)
    arrows = ["".join("^>v<"[a] for a in np.flatnonzero(row)) for row in optimal_actions(mdp, V)]
    assert [arrows[s] for s in (0, 1, 2, 4, 5, 7, 8, 9, 10)] == [">", ">", ">", "^", "^", "^", "<", "<", "<"]
    discounted = policy_iteration(four_by_three(gamma=0.9)).policy
    assert [int(a) for a in discounted[7:]] == [0, 1, 0, 3]  # another policy than the book's


# limits between the nine policies, to five digits
FLIPS = [-1.6497, -1.5643, -0.7311, -0.4526, -0.0850, -0.0448, -0.0274, -0.0221]


def test_the_step_reward_flips_arrows_where_the_chapter_says():
    def arrows(reward):
        mdp = four_by_three(reward)
        return optimal_actions(mdp, policy_iteration(mdp).V)[~mdp.terminal].tobytes()

    points = [-2.0, *FLIPS, 0.0]
    middles = [arrows((a + b) / 2) for a, b in itertools.pairwise(points)]
    assert len(set(middles)) == 9
    for k, flip in enumerate(FLIPS):
        assert arrows(flip - 2e-4) == middles[k]
        assert arrows(flip + 2e-4) == middles[k + 1]


def test_salmon():
    found = policy_iteration(salmon())
    np.testing.assert_allclose(found.V, [198.692640, 442.991822, 513.307985, 589.353612], atol=1e-6)
    assert found.policy.tolist() == [1, 1, 1, 0]
    assert salmon().R[0, 0] == -np.inf
    assert salmon().states[3] == "high"


def test_chain_of_the_questions():
    P = np.zeros((3, 2, 3))
    for s in range(3):
        for a, way in ((0, -1), (1, 1)):
            P[s, a, min(max(s + way, 0), 2)] += 0.8
            P[s, a, min(max(s - way, 0), 2)] += 0.2
    mdp = MDP(P, np.repeat([[0.0], [0.0], [1.0]], 2, axis=1), 0.9)
    found = policy_iteration(mdp)
    np.testing.assert_allclose(found.V, [5.95588, 6.78309, 7.93199], atol=1e-5)
    assert found.policy.tolist() == [1, 1, 1]
    assert len(policy_iteration(mdp, [0, 0, 0]).history) == 2
    sweeps = [s.change for s in value_iteration(mdp, 1e-11).history]
    assert 230 < len(sweeps) < 300


def test_gambler_has_these_stakes_and_no_others():
    mdp = gambler()
    found = value_iteration(mdp)
    assert found.V[[25, 50, 75]] == pytest.approx([0.16, 0.4, 0.64])
    stakes = {s: np.flatnonzero(row).tolist() for s, row in enumerate(optimal_actions(mdp, found.V))}
    assert stakes[50] == [50]
    assert stakes[51] == [1, 49]
    assert stakes[64] == [11, 14, 36]
    assert stakes[25] == [25]
    assert stakes[0] == stakes[100] == [0]
    assert mdp.n_actions == 51
    assert mdp.n_states == 101
    np.testing.assert_allclose(policy_evaluation(mdp, found.policy), found.V, atol=1e-8)
    exact = dyadic(0.4, 100)
    np.testing.assert_allclose(found.V, exact, atol=1e-8)
    fair = value_iteration(gambler(0.5))
    np.testing.assert_allclose(fair.V, np.arange(101) / 100 * (np.arange(101) < 100), atol=1e-8)
    assert optimal_actions(gambler(0.5), fair.V)[51].sum() == 49


def dyadic(p, goal):
    """Return the chances of bold play, which is optimal for p < 1/2: V(x) = p V(2x), p + (1 - p) V(2x - 1)."""
    V = np.linspace(0, 1, goal + 1)
    for _ in range(200):
        V = np.array([p * V[2 * s] if 2 * s <= goal else p + (1 - p) * V[2 * s - goal] for s in range(goal)] + [1.0])
    return np.append(V[:-1], 0.0)  # what has been won is paid already


def test_car_rental():
    mdp = car_rental()
    assert (mdp.n_states, mdp.n_actions) == (441, 11)
    found = policy_iteration(mdp, np.full(441, 5))
    assert len(found.history) == 5
    moved = found.policy.reshape(21, 21) - 5
    assert moved[20, 0] == 5
    assert moved[0, 20] == -4
    assert moved[10, 10] == 0
    assert moved.min() == -4
    assert found.V.max() == found.V[-1]
    assert 600 < found.V[-1] < 660
    assert mdp.R[0, 6] == -np.inf
    assert np.isfinite(mdp.R[0, 5])
    assert mdp.states[22] == (1, 1)
    np.testing.assert_allclose(value_iteration(mdp, 1e-6).V, found.V, atol=1e-6)


def test_car_rental_agrees_with_a_simulation():
    mdp, rng = car_rental(), np.random.default_rng(0)
    n = 40_000
    i, j, k = 3, 5, -2  # two cars come from the second place
    first, second = i + 2, j - 2
    out = np.minimum(rng.poisson(3, n), first), np.minimum(rng.poisson(4, n), second)
    ends = np.minimum(first - out[0] + rng.poisson(3, n), 20), np.minimum(second - out[1] + rng.poisson(2, n), 20)
    pay = 10 * (out[0] + out[1]) - 4
    s, a = 21 * i + j, k + 5
    assert mdp.R[s, a] == pytest.approx(pay.mean(), abs=5 * pay.std() / np.sqrt(n))
    share = np.bincount(21 * ends[0] + ends[1], minlength=441) / n
    assert np.abs(share - mdp.P[s, a]).max() < 0.006


def test_obstacle_grids():
    plain, sliding = obstacle_grid(), obstacle_grid(stochastic=True)
    assert plain.n_actions == 4
    assert sliding.n_actions == 2
    assert sliding.actions == ["left", "right"]
    V = policy_iteration(plain).V
    world = plain.world
    assert V[world.at(0, 5)] == 1000
    assert V[world.at(0, 4)] == pytest.approx(900)
    s = world.at(2, 3)
    assert (1.0, s, -10.0) in plain.outcomes(s, 1)
    s = world.at(0, 5)
    assert sliding.R[s, 1] == pytest.approx(0.9 * 1001 + 0.05 * 1001 + 0.05 * 1)
    assert sorted(sliding.outcomes(world.at(0, 3), 1))[-1] == (pytest.approx(0.9), world.at(0, 4), 1.0)
    np.testing.assert_allclose(policy_iteration(sliding).V, brute_values(sliding), atol=1e-7)


def brute_values(mdp):
    V = np.zeros(mdp.n_states)
    for _ in range(500):
        V = (mdp.R + mdp.gamma * mdp.P @ V).max(axis=1)
    return V


# --- finite horizons ------------------------------------------------------------------------------------------


def test_finite_horizon_is_the_best_of_all_plans():
    mdp = random_mdp(3, S=3, A=2, gamma=0.9)
    best = np.full(3, -np.inf)
    choices = [np.flatnonzero(row) for row in mdp.feasible]
    rules = list(itertools.product(*choices))
    for plan in itertools.product(rules, repeat=3):
        V = np.zeros(3)
        for rule in reversed(plan):
            V = np.array([mdp.R[s, a] + 0.9 * mdp.P[s, a] @ V for s, a in enumerate(rule)])
        best = np.maximum(best, V)
    plan = finite_horizon(mdp, 3)
    np.testing.assert_allclose(plan.V[0], best)
    assert plan.V.shape == (4, 3)
    assert plan.policy.shape == (3, 3)
    assert (plan.V[3] == 0).all()
    assert plan.optimal[np.arange(3)[:, None], np.arange(3), plan.policy].all()
    np.testing.assert_allclose(finite_horizon(mdp, 1, final=[1, 2, 3]).V[0], q_from_v(mdp, [1, 2, 3]).max(axis=1))
    assert finite_horizon(mdp, 0).policy.shape == (0, 3)


def test_horizon_against_discount_on_ice():
    lake = ice().mdp(1.0)
    assert finite_horizon(lake, 100).V[0, 0] == pytest.approx(0.7442, abs=5e-5)
    assert policy_iteration(lake).V[0] == pytest.approx(14 / 17)
    hasty = policy_iteration(ice().mdp(0.9)).policy
    assert policy_evaluation(lake, hasty)[0] == pytest.approx(32 / 41)


# --- Gymnasium ------------------------------------------------------------------------------------------------


def test_frozen_lake_is_our_ice():
    env = gymnasium.make(ENVS["FrozenLake"]).unwrapped
    theirs = from_gymnasium(env.P, 1.0)
    np.testing.assert_allclose(policy_iteration(theirs).V, policy_iteration(ice().mdp(1.0)).V, atol=1e-12)
    assert policy_iteration(theirs).V[0] == pytest.approx(14 / 17)
    flat = from_gymnasium(gymnasium.make(ENVS["FrozenLake"], is_slippery=False), 1.0)
    found = value_iteration(flat)
    assert found.V[0] == 1
    assert policy_evaluation(flat, found.policy)[0] == 1
    assert np.flatnonzero(flat.terminal).tolist() == [5, 7, 11, 12, 15]


def test_cliff_walking():
    P = gymnasium.make(ENVS["CliffWalking"]).unwrapped.P
    mdp = from_gymnasium(P, 1.0)
    found = policy_iteration(mdp)
    assert found.V[36] == -13
    assert found.V[47] == 0
    assert mdp.terminal.sum() == 1
    np.testing.assert_allclose(value_iteration(mdp).V, found.V)
    assert policy_iteration(from_gymnasium(P, 0.9)).V[36] == pytest.approx(-(1 - 0.9**13) / 0.1)


def test_taxi():
    env = gymnasium.make(ENVS["Taxi"]).unwrapped
    mdp = from_gymnasium(env.P, 0.99)
    found = policy_iteration(mdp)
    np.testing.assert_allclose(value_iteration(mdp, 1e-8).V, found.V, atol=1e-8)
    starts = np.flatnonzero(env.initial_state_distrib > 0)
    assert len(starts) == 300
    undiscounted = policy_iteration(from_gymnasium(env.P, 1.0)).V[starts]
    assert undiscounted.max() == 15
    assert undiscounted.min() == 3
    assert undiscounted.mean() == pytest.approx(7.93, abs=0.005)


def test_gymnasium_tables_that_are_wrong():
    with pytest.raises(ValueError, match=r"P\[1\]\[0\] must sum to one; it sums to 0.5 \(state 1, action 0\)"):
        from_gymnasium([[[(1.0, 1, 0, False)]], [[(0.5, 0, 0, False)]]], 0.9)
    with pytest.raises(ValueError, match=r"a next state of P\[0\]\[0\] must be at most 0"):
        from_gymnasium([[[(1.0, 1, 0, False)]]], 0.9)
    with pytest.raises(ValueError, match=r"P\[0\]\[0\] must list \(prob, next, reward, terminated\); got \(1.0, 0\)"):
        from_gymnasium([[[(1.0, 0)]]], 0.9)
    with pytest.raises(ValueError, match="numbered from 0 to 1"):
        from_gymnasium({0: {0: [(1, 0, 0, False)]}, 5: {}}, 0.9)
    with pytest.raises(ValueError, match="table P"):
        from_gymnasium(3, 0.9)
    with pytest.raises(ValueError, match="empty"):
        from_gymnasium({}, 0.9)
    with pytest.raises(ValueError, match="state 1 has reward -inf for all"):
        from_gymnasium({0: {0: [(1.0, 1, 0, False)]}, 1: {}}, 0.9)
    some = from_gymnasium({0: {0: [(1.0, 1, 2.0, False)]}, 1: {1: [(1.0, 0, 3.0, False)]}}, 0.5)
    assert some.feasible.tolist() == [[True, False], [False, True]]
    assert policy_iteration(some).V == pytest.approx([14 / 3, 16 / 3])


# --- undiscounted problems -------------------------------------------------------------------------------------


def test_a_policy_that_never_ends_is_refused():
    mdp = shortest_path_grid()
    for call in (policy_evaluation, iterative_evaluation, lambda m, p: occupancy(m, p, np.eye(16)[3])):
        with pytest.raises(NeverEnds, match="with gamma = 1 the policy must end; from state 1 it never does"):
            call(mdp, np.zeros(16, int))
    assert policy_evaluation(mdp.with_gamma(0.5), np.zeros(16, int))[1] == -2
    assert policy_iteration(mdp).V.min() == -3
    with pytest.raises(NeverEnds, match="from state 1 it never does"):
        policy_iteration(mdp, np.zeros(16, int))
    error = NeverEnds("words", 3)
    assert isinstance(error, ValueError)
    assert pickle.loads(pickle.dumps(error)).state == 3


def test_a_state_without_an_end_is_refused():
    P = np.zeros((3, 1, 3))
    P[0, 0, 1] = P[1, 0, 0] = P[2, 0, 2] = 1
    mdp = MDP(P, [[1.0], [-1.0], [0.0]], 1.0)
    for solve in (value_iteration, policy_iteration, linear_program, asynchronous_value_iteration):
        with pytest.raises(NeverEnds, match="state 0 cannot, whatever is done"):
            solve(mdp)
    assert finite_horizon(mdp, 3).V[0].tolist() == [1, -1, 0]


def test_it_may_pay_never_to_end():
    for solve in (value_iteration, policy_iteration, asynchronous_value_iteration):
        with pytest.raises(ValueError, match="with gamma = 1 it pays never to end: from state"):
            solve(four_by_three(reward=0.1))
    with pytest.raises(ValueError, match="does it pay never to end"):
        linear_program(four_by_three(reward=0.1))


def test_resting_for_nothing_can_be_best():
    P = np.zeros((2, 2, 2))
    P[0, 0, 0] = P[0, 1, 1] = P[1, :, 1] = 1
    stay = MDP(P, [[0.0, -1.0], [0, 0]], 1.0)  # stay for nothing, or leave at a cost
    go = MDP(P, [[0.0, 1.0], [0, 0]], 1.0)  # stay for nothing, or leave for a gain
    for solve in (value_iteration, policy_iteration, linear_program, asynchronous_value_iteration):
        assert solve(stay).V.tolist() == [0, 0]
        assert solve(stay).policy[0] == 0
        assert solve(go).V.tolist() == [1, 0]
        assert solve(go).policy[0] == 1
    assert optimal_actions(go, [1.0, 0.0])[0].all()  # both keep the value; only one earns it
    assert greedy_policy(go, [1.0, 0.0])[0] == 1


# --- size and speed ---------------------------------------------------------------------------------------------


def test_a_slippery_grid_of_2500_states_takes_little_memory():
    world = GridWorld("\n".join(["." * 50] * 49) + "\n" + "." * 49 + "G", slip=0.2, step=-0.01)
    policy_iteration(world.mdp(0.99))  # load what is loaded once
    tracemalloc.start()
    mdp = GridWorld("\n".join(world.letters), slip=0.2, step=-0.01).mdp(0.99)
    found = value_iteration(mdp)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert mdp.n_states == 2500
    assert peak < 1e8
    np.testing.assert_allclose(found.V, policy_iteration(mdp).V, atol=1e-8)
    assert isinstance(mdp._rows, SparseRows)


def test_sparse_and_dense_rows_agree():
    rng = np.random.default_rng(0)
    P = np.zeros((90, 3, 90))
    for s, a in itertools.product(range(90), range(3)):
        P[s, a, rng.choice(90, 3, replace=False)] = rng.dirichlet([1, 2, 3])
    R = rng.normal(size=(90, 3, 90))
    R[5, 1] = -np.inf
    big = MDP(P, R, 0.9)
    assert isinstance(big._rows, SparseRows)
    small = MDP(P, R, 0.9)
    small._rows = DenseRows(big._rows.dense())
    small._by_next = np.where(P > 0, np.where(np.isfinite(R), R, 0), 0).reshape(270, 90)
    V = rng.normal(size=90)
    np.testing.assert_allclose(big.expect(V), small.expect(V))
    np.testing.assert_allclose(big.P, small.P)
    assert (big.P[5, 1] == 0).all()
    assert big.outcomes(5, 1) == []
    assert small.pays.tolist() == big.pays.tolist()
    policy = rng.dirichlet([1, 2, 0.5], size=90)
    policy[5] = (0.25, 0, 0.75)
    np.testing.assert_allclose(big.under(policy)[0], small.under(policy)[0])
    np.testing.assert_allclose(big.under(policy)[1], small.under(policy)[1])
    np.testing.assert_allclose(big._rows.stay(), small._rows.stay())
    np.testing.assert_allclose(big._rows.matrix().toarray(), small._rows.matrix().toarray())
    assert sorted(big.outcomes(7, 2)) == sorted(small.outcomes(7, 2))


def test_many_states_use_scipy_and_agree():
    world = GridWorld("\n".join(["." * 25] * 24) + "\n" + "." * 24 + "G", slip=0.3, step=-0.02)
    mdp = world.mdp(0.95)
    policy = policy_iteration(mdp).policy
    V = np.zeros(mdp.n_states)
    P, r = mdp.under(policy)
    for _ in range(600):
        V = r + 0.95 * (P @ V)
    np.testing.assert_allclose(policy_evaluation(mdp, policy), V, atol=1e-10)
    np.testing.assert_allclose(linear_program(mdp).V, V, atol=1e-6)
    np.testing.assert_allclose(iterative_evaluation(mdp, policy, 1e-10, in_place=True).V, V, atol=1e-8)
    start = np.eye(mdp.n_states)[0]
    assert occupancy(mdp, policy, start) @ r == pytest.approx(V[0])


# --- occupancy, models from experience ---------------------------------------------------------------------------


def test_occupancy_weighs_the_rewards():
    mdp, start = random_mdp(4), np.array([0.1, 0.2, 0.3, 0.4])
    policy = policy_iteration(mdp).policy
    d = occupancy(mdp, policy, start)
    _, r = mdp.under(policy)
    assert d @ r == pytest.approx(start @ policy_evaluation(mdp, policy))
    assert d.sum() == pytest.approx(1 / (1 - mdp.gamma))
    ending = ending_mdp(2)
    d = occupancy(ending, np.zeros(5, int), np.eye(5)[1])
    assert d @ ending.under(np.zeros(5, int))[1] == pytest.approx(policy_evaluation(ending, np.zeros(5, int))[1])
    assert d[-1] == 0
    with pytest.raises(ValueError, match="start must be a distribution over the states; it sums to 2"):
        occupancy(mdp, policy, [0.5, 0.5, 0.5, 0.5])


def test_estimates_are_shares_and_means():
    seen = [(0, 1, 2.0, 1), (0, 1, 4.0, 0), (0, 1, 0.0, 1), (1, 0, -1.0, 2, True), (1, 0, -3.0, 2, True)]
    model = estimate_model(seen, 3, 2)
    np.testing.assert_allclose(model.P[0, 1], [1 / 3, 2 / 3, 0])
    np.testing.assert_allclose(model.P[0, 0], [1 / 3, 1 / 3, 1 / 3])
    assert model.R[0, 1] == 2
    assert model.R[1, 0] == -2
    assert model.R[0, 0] == 0
    assert model.visits.tolist() == [[0, 3], [2, 0], [0, 0]]
    assert model.P[2, 0].tolist() == [0, 0, 1]
    assert model.mdp(0.9).terminal.tolist() == [False, False, True]
    stay = estimate_model(seen, 3, 2, unseen="stay")
    assert stay.P[0, 0].tolist() == [1, 0, 0]
    assert stay.P[1, 1].tolist() == [0, 1, 0]


def test_estimates_approach_the_model():
    env = ice()
    rng, seen = np.random.default_rng(1), []
    s, _ = env.reset(seed=1)
    for _ in range(40_000):
        a = int(rng.integers(4))
        t, r, over, _, _ = env.step(a)
        seen.append((s, a, r, t, over))
        s = env.reset()[0] if over else t
    model = estimate_model(seen, 16, 4)
    truth = env.mdp(0.95)
    tried = model.visits > 400
    assert tried.sum() > 20
    assert np.abs(model.P - truth.P)[tried].max() < 0.1
    assert policy_iteration(model.mdp(0.95)).V[0] == pytest.approx(policy_iteration(truth).V[0], abs=0.05)


@pytest.mark.parametrize(
    ("seen", "words"),
    [
        ([(0, 0, 1.0)], "item 0 is (0, 0, 1.0)"),
        ([(0, 0, 1.0, 0), (3, 0, 1.0, 0)], "the state of item 1 must be at most 2"),
        ([(0, 2, 1.0, 0)], "the action of item 0 must be at most 1"),
        ([(0, 0, np.nan, 0)], "the reward of item 0 must be a finite number"),
        ([(0, 0, 1.0, -1)], "the next state of item 0 must be at least 0"),
        ([(0.5, 0, 1.0, 1)], "the state of item 0 must be a whole number"),
        (None, "experience must be a list of (s, a, r, s'); got NoneType"),
    ],
)
def test_experience_that_is_wrong(seen, words):
    with pytest.raises(ValueError, match=re.escape(words)):
        estimate_model(seen, 3, 2)


def test_experience_may_be_an_array():
    seen = [(0, 0, 1.5, 1), (1, 1, -2.0, 2), (0, 0, 0.5, 2)]
    given, listed = (estimate_model(form, 3, 2) for form in (np.array(seen), seen))
    assert all(np.array_equal(a, b) for a, b in zip(given, listed))


def test_unseen_pairs_have_two_ways():
    with pytest.raises(ValueError, match="unseen must be 'uniform' or 'stay'"):
        estimate_model([], 2, 2, unseen="zero")


# --- environments ----------------------------------------------------------------------------------------------


def test_environment_draws_what_the_table_says():
    mdp = random_mdp(7, by_next=True)
    env = TabularEnv(mdp, start=[0.5, 0, 0.5, 0])
    assert env.observation_space == Discrete(4)
    assert env.action_space.n == 3
    assert env.unwrapped is env
    firsts = [env.reset(seed=k)[0] for k in range(200)]
    assert set(firsts) == {0, 2}
    assert 60 < firsts.count(0) < 140
    s, a = np.argwhere(mdp.feasible)[1]
    counts, pay = np.zeros(4), {}
    env.reset(seed=3)
    for _ in range(20_000):
        env.reset(options={"state": int(s)})
        t, r, over, cut, info = env.step(int(a))
        counts[t] += 1
        pay[t] = r
        assert not over
        assert not cut
        assert info == {}
    np.testing.assert_allclose(counts / 20_000, mdp.P[s, a], atol=0.015)
    assert pay == {t: pytest.approx(r) for p, t, r in mdp.outcomes(int(s), int(a)) if t in pay}


def test_environment_is_repeatable_and_ends():
    env = ice(max_steps=5)
    runs = []
    for _ in range(2):
        s, run = env.reset(seed=11)[0], []
        assert s == 0
        while True:
            out = env.step(2)
            run.append(out[:4])
            if out[2] or out[3]:
                break
        runs.append(run)
    assert runs[0] == runs[1]
    env = TabularEnv(two_states(), start=0, max_steps=2)
    env.reset()
    assert env.step(0) == (0, 1.0, False, False, {})
    assert env.step(0) == (0, 1.0, False, True, {})
    with pytest.raises(ValueError, match="the episode is over"):
        env.step(0)
    with pytest.raises(ValueError, match="the episode is over, or has not begun"):
        TabularEnv(two_states()).step(0)
    env = GridWorld("S.G", max_steps=2)
    env.reset()
    env.step(1)
    assert env.step(1) == (2, 1.0, True, False, {})  # ended, and not cut off at the same time


def test_environment_refuses():
    env = TabularEnv(salmon(), start=0)
    env.reset()
    with pytest.raises(ValueError, match="action 0 is not possible in state 0"):
        env.step(0)
    for bad in (2, -1, 0.5, "fish", None, [0]):
        with pytest.raises(ValueError, match="the actions are the whole numbers 0 to 1; got"):
            env.step(bad)
    assert env.step(np.int64(1))[0] == 1
    with pytest.raises(ValueError, match=r"options\['state'\] must be at most 3"):
        env.reset(options={"state": 4})
    with pytest.raises(ValueError, match="it sums to 0.5"):
        TabularEnv(salmon(), start=[0.5, 0, 0, 0])
    with pytest.raises(ValueError, match="start must be at most 3"):
        TabularEnv(salmon(), start=4)
    with pytest.raises(ValueError, match="max_steps must be at least 1"):
        TabularEnv(salmon(), max_steps=0)
    with pytest.raises(ValueError, match="every state is terminal"):
        TabularEnv([[[(1.0, 0, 0.0, True)]]])
    assert 1 in Discrete(2)
    assert True not in Discrete(2)
    assert np.int64(1) in Discrete(2)
    assert repr(Discrete(3)) == "Discrete(3)"
    assert {Discrete(3, rng=1).sample() for _ in range(9)} <= {0, 1, 2}
    assert Discrete(2) != Discrete(3)


def test_our_table_is_gymnasiums():
    theirs = gymnasium.make(ENVS["FrozenLake"]).unwrapped.P
    ours = ice()
    order = {0: 3, 1: 2, 2: 1, 3: 0}  # theirs: left, down, right, up
    for s, a in itertools.product(range(16), range(4)):
        told = {}
        for p, t, r, over in theirs[s][a]:
            told[t, r, over] = told.get((t, r, over), 0) + p
        mine = {}
        for p, t, r, over in ours.P[s][order[a]]:
            mine[t, r, over] = mine.get((t, r, over), 0) + p
        assert mine == pytest.approx(told)
    round_trip = from_gymnasium(table_of(ours.mdp(0.9)), 0.9)
    np.testing.assert_allclose(round_trip.P, ours.mdp(0.9).P)


# --- grids -----------------------------------------------------------------------------------------------------


def test_grid_world_reads_its_layout():
    world = four_by_three_world(-0.1, slip=0.3)
    assert (world.rows, world.columns, world.n_states) == (3, 4, 11)
    assert world.at(2, 3) == 10
    assert world.start.tolist() == np.eye(11)[7].tolist()
    assert np.flatnonzero(world.terminal).tolist() == [3, 6]
    assert world.P[2][1] == [(0.7, 3, pytest.approx(0.9), True), (0.15, 5, -0.1, False), (0.15, 2, -0.1, False)]
    assert world.P[3][0] == [(1.0, 3, 0.0, True)]
    grid = world.as_grid(np.arange(11), wall=-9)
    assert grid[1, 1] == -9
    assert grid[2, 3] == 10
    mdp = world.mdp(0.9)
    assert mdp.world is world
    assert mdp.states[4] == (1, 0)
    assert mdp.actions == ["up", "right", "down", "left"]
    np.testing.assert_allclose(mdp.P, from_gymnasium(world.P, 0.9).P)
    np.testing.assert_allclose(mdp.R, from_gymnasium(world.P, 0.9).R)


def test_grid_world_walls_rim_and_jumps():
    world = GridWorld("A.#\n.a.", rewards={"a": 2.0}, ends="", jumps={"A": ("a", 7.0)}, step=-1, bump=-5, rim=-3)
    mdp = world.mdp(0.5)
    assert mdp.outcomes(0, 2)[0] == (1.0, 3, 6.0)
    assert mdp.R[1].tolist() == [-4, -6, 1, -1]
    assert mdp.R[4].tolist() == [-6, -4, -4, 1]
    assert not mdp.terminal.any()
    assert world.P[1][2] == [(1.0, 3, 1.0, False)]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("..\n.",), "the lines of layout must have one length; line 0 has 2, line 1 1"),
        (("",), "layout is empty"),
        (("##",), "walls only"),
        ((5,), "layout must be text, one line a row; got int"),
        (("S.X",), "the layout has 'X', which neither rewards nor jumps nor ends name"),
    ],
)
def test_layouts_that_are_wrong(arguments, words):
    with pytest.raises(ValueError, match=re.escape(words)):
        GridWorld(*arguments)


def test_grid_parameters_that_are_wrong():
    with pytest.raises(ValueError, match=re.escape("the jump from 'A' must be (letter, reward); got 3")):
        GridWorld("SAG", jumps={"A": 3})
    with pytest.raises(ValueError, match=re.escape("rewards must be a dict from a letter to its reward; got ['G']")):
        GridWorld("S.G", rewards=["G"])
    for options, words in [
        ({"slip": 1.5}, "slip must be at least 0 and at most 1"),
        ({"step": np.inf}, "step must be a finite number"),
        ({"off_grid": "fall"}, "off_grid must be one of 'stay', 'forbidden'"),
        ({"off_grid": "forbidden", "slip": 0.1}, "nothing may slip"),
        ({"rewards": {"G": "much"}}, "the reward of 'G' must be a finite number"),
        ({"jumps": {"S": ("x", 1.0)}}, "the jump from 'S' needs exactly one cell 'x'"),
    ]:
        with pytest.raises(ValueError, match=re.escape(words)):
            GridWorld("S.G", **options)
    with pytest.raises(ValueError, match="is a wall"):
        four_by_three_world().at(1, 1)
    with pytest.raises(ValueError, match="row must be at most 2"):
        four_by_three_world().at(3, 1)


# --- bad input ---------------------------------------------------------------------------------------------------

GOOD_P = np.array([[[0.5, 0.5], [1, 0]], [[0, 1], [0.3, 0.7]]])
GOOD_R = np.array([[1.0, 2], [3, 4]])


@pytest.mark.parametrize(
    ("P", "R", "gamma", "words"),
    [
        (
            GOOD_P * [[[1], [1]], [[1], [0.9]]],
            GOOD_R,
            0.9,
            "P[1, 1] must sum to one; it sums to 0.9 (state 1, action 1)",
        ),
        (GOOD_P + [[[0, 0], [0.5, -0.5]], [[0, 0], [0, 0]]], GOOD_R, 0.9, "P[0, 1, 1] is -0.5"),
        (GOOD_P[0], GOOD_R, 0.9, "P must have shape (S, A, S): state, action, next state; got (2, 2)"),
        (np.full((3, 2, 2), 0.5), GOOD_R, 0.9, "That is (A, S, S): use P.transpose(1, 0, 2)."),
        (GOOD_P, [1.0, 2.0], 0.9, "use np.repeat(R[:, None], 2, axis=1)"),
        (GOOD_P, np.ones((2, 3)), 0.9, "R must have shape (2, 2) (state, action) or (2, 2, 2); got (2, 3)."),
        (GOOD_P, [[np.nan, 1], [1, 1]], 0.9, "R must be finite; R[0, 0] is nan"),
        (GOOD_P, [[np.inf, 1], [1, 1]], 0.9, "R must be finite; R[0, 0] is inf"),
        (GOOD_P, [[-np.inf, -np.inf], [1, 1]], 0.9, "state 0 has reward -inf for all"),
        (GOOD_P, GOOD_R, 1.1, "gamma must be at least 0 and at most 1; got 1.1"),
        (GOOD_P, GOOD_R, -0.1, "gamma must be at least 0 and at most 1; got -0.1"),
        (GOOD_P, GOOD_R, "much", "gamma must be a finite number"),
        (GOOD_P, [["a", 1], [1, 1]], 0.9, "R must hold numbers"),
        (GOOD_P, [[1, 2], [1]], 0.9, "R must have shape (2, 2) (state, action) or (2, 2, 2); got (2,)."),
    ],
)
def test_a_process_that_is_none(P, R, gamma, words):
    with pytest.raises(ValueError, match=re.escape(words)):
        MDP(P, R, gamma)


@pytest.mark.parametrize(
    ("policy", "words"),
    [
        ([0, 2], "policy[1] is 2; the actions are the whole numbers 0 to 1"),
        ([-1, 0], "policy[0] is -1; the actions"),
        ([0.5, 0], "policy[0] is 0.5; the actions"),
        ([0], "one action for each of the 2 states; got 1"),
        ([[0.5, 0.5], [0.5, 0.4]], "policy[1] sums to 0.9"),
        ([[1.5, -0.5], [0.5, 0.5]], "policy[0, 1] is -0.5"),
        ([[1, 0, 0], [1, 0, 0]], "got shape (2, 3)"),
        (["stay", "go"], "policy must hold numbers only"),
    ],
)
def test_policies_that_are_none(policy, words):
    with pytest.raises(ValueError, match=re.escape(words)):
        policy_evaluation(two_states(), policy)


def test_policies_with_impossible_actions():
    with pytest.raises(ValueError, match=r"policy\[0\] is 0, which is not possible in state 0; possible are \[1\]"):
        policy_evaluation(salmon(), [0, 0, 0, 0])
    with pytest.raises(ValueError, match=r"policy\[0, 0\] is 0.5, but action 0 is not possible in state 0"):
        policy_evaluation(salmon(), np.full((4, 2), 0.5))
    np.testing.assert_array_equal(as_policy(two_states(), [1, 0]), [[0, 1], [1, 0]])


def test_values_that_are_none():
    with pytest.raises(ValueError, match="is it Q"):
        q_from_v(two_states().__class__(np.full((2, 3, 2), 0.5), np.ones((2, 3)), 0.9), np.ones((2, 3)))
    with pytest.raises(ValueError, match=r"V must have shape \(2,\), one value for each state; got \(3,\)"):
        optimal_actions(two_states(), [1, 2, 3])
    with pytest.raises(ValueError, match="tol must be greater than 0"):
        value_iteration(two_states(), 0)
    with pytest.raises(ValueError, match="order must be one of 'random', 'sweep', 'priority'"):
        asynchronous_value_iteration(two_states(), order="best")
    with pytest.raises(ValueError, match="steps must be at least 0"):
        finite_horizon(two_states(), -1)
    with pytest.raises(ValueError, match="theta must be greater than 0"):
        iterative_evaluation(two_states(), [0, 0], 0)
    with pytest.raises(ValueError, match="states must hold 2 names; got 1"):
        MDP(GOOD_P, GOOD_R, 0.9, states=["one"])


def test_limits_on_the_number_of_sweeps():
    with pytest.warns(ConvergenceWarning, match="value_iteration has not met tol=1e-09 after 3 sweeps. Raise max_iter"):
        assert len(value_iteration(two_states(), max_iter=3).history) == 4
    with pytest.raises(ValueError, match="did not settle within 2 sweeps"):
        value_iteration(four_by_three(), max_iter=2)
    with pytest.raises(ValueError, match="did not settle within 1 times 2 backups"):
        asynchronous_value_iteration(two_states(), max_iter=1)
    assert len(value_iteration(two_states(), history=False).history) == 2
    with pytest.warns(ConvergenceWarning, match="iterative_evaluation has not met theta=1e-06 after 7 sweeps"):
        assert len(iterative_evaluation(two_states(), [0, 0], max_iter=7).history) == 8
    with pytest.raises(ValueError, match="max_iter must be a whole number"):
        policy_iteration(two_states(), max_iter="x")


def test_processes_say_what_they_are_and_keep_their_input():
    P, R = GOOD_P.copy(), GOOD_R.copy()
    mdp = MDP(P, R, 0.9)
    policy_iteration(mdp)
    assert (P == GOOD_P).all()
    assert (R == GOOD_R).all()
    assert repr(mdp) == "MDP of 2 states, 2 actions, gamma = 0.9"
    assert mdp.with_gamma(0.5).gamma == 0.5
    assert mdp.gamma == 0.9
    assert mdp.actions == [0, 1]
    assert mdp.world is None
    again = pickle.loads(pickle.dumps(mdp))
    np.testing.assert_array_equal(policy_iteration(again).V, policy_iteration(mdp).V)
    hugely = MDP(GOOD_P, 1e9 * GOOD_R, 0.99)
    assert np.isfinite(value_iteration(hugely, 1e-9).V).all()  # stops where rounding does


# --- exact flips -------------------------------------------------------------------------------------------------


def test_flip_points_of_the_textbook_world():
    mdp = four_by_three_world(0.0).mdp(1.0)
    bonus = np.repeat(~mdp.terminal[:, None], 4, axis=1).astype(float)
    pieces = flip_points(mdp, bonus, -2.0, -1e-6)
    np.testing.assert_allclose([p.low for p in pieces[1:]], FLIPS, atol=6e-5)
    assert pieces[0].low == -2
    assert pieces[-1].high == -1e-6
    for p in pieces:
        c = (p.low + p.high) / 2
        there = four_by_three(c)
        V = policy_iteration(there).V
        np.testing.assert_allclose(p.constant + c * p.slope, V, atol=1e-9)
        assert (p.optimal == optimal_actions(there, V)).all()
        if p.high < -1e-6:  # at the flip itself both sides are optimal
            at = four_by_three(p.high)
            ties = optimal_actions(at, policy_iteration(at).V, tol=1e-7)
            assert (ties & ~p.optimal).any()


def test_flip_points_of_two_states():
    mdp = two_states(0.5)  # stay for 1 + c in the first state, or go where 2 is paid
    pieces = flip_points(mdp, [[1.0, 0], [0, 0]], -1.0, 2.0)
    assert [round(p.low, 9) for p in pieces] == [-1, 0]
    assert pieces[0].optimal.tolist() == [[False, True], [True, False]]
    assert pieces[1].optimal.tolist() == [[True, False], [True, False]]
    with pytest.raises(ValueError, match="high must be greater than low = 1; got 1"):
        flip_points(mdp, np.ones((2, 2)), 1.0, 1.0)
    with pytest.raises(ValueError, match=r"bonus must have shape \(2, 2\), like R; got \(2,\)"):
        flip_points(mdp, [1.0, 1.0], 0.0, 1.0)


# --- mistakes of the notes ---------------------------------------------------------------------------------------


def test_erratum_s0_e111():
    grid = small_grid()
    env = TabularEnv(grid, start=0)
    rng, seen, s = np.random.default_rng(0), [], env.reset(seed=0)[0]
    for _ in range(600):  # given are runs under any behaviour; what comes out is the policy
        a = int(rng.choice(np.flatnonzero(grid.feasible[s])))
        t, r, over, _, _ = env.step(a)
        seen.append((s, a, r, t, over))
        s = env.reset()[0] if over else t
    learnt = policy_iteration(estimate_model(seen, 6, 4, unseen="stay").mdp(0.9))
    np.testing.assert_allclose(learnt.V, [81, 90, 100, 90, 100, 0])


def test_erratum_s0_e112():
    forever = MDP([[[1.0]]], [[1.0]], 0.9)
    assert policy_evaluation(forever, [0])[0] == pytest.approx(10)
    with pytest.raises(NeverEnds):
        policy_evaluation(forever.with_gamma(1.0), [0])
    assert finite_horizon(forever.with_gamma(1.0), 1000).V[0, 0] == 1000


def test_erratum_s0_e114():
    rounds = policy_iteration(small_grid(), [1, 1, 0, 2, 2, 0]).history  # uses the law and the rewards, no runs
    np.testing.assert_allclose(rounds[-1].V, [81, 90, 100, 90, 100, 0])
    assert len(rounds) <= 4


def test_erratum_s0_e116():
    np.testing.assert_allclose(policy_iteration(small_grid(0.9)).V[:5], [81, 90, 100, 90, 100])
    np.testing.assert_allclose(policy_iteration(small_grid(0.8)).V[:5], [64, 80, 100, 80, 100])


def test_erratum_s1_e82():
    rewards, gamma = np.array([1.0, 0, 0, 5]), 0.9  # of the states s0, s1, s2, s3
    leaving = rewards @ gamma ** np.arange(4)
    arriving = rewards[1:] @ gamma ** np.arange(3)
    assert leaving == pytest.approx(rewards[0] + gamma * arriving)
    assert np.array([1.0, 0, 0]) @ gamma ** np.arange(3) == 1
    assert np.array([0.0, 0]) @ gamma ** np.arange(2) == 0


def test_erratum_s1_e83():
    mdp = MDP(np.ones((1, 2, 1)), [[0.0, 1.0]], 0.9)
    outside = 0.9 * mdp.P[0] @ [10.0]  # the printed argmax ties, and the first action wins
    assert outside.argmax() == 0
    assert outside[0] == outside[1]
    assert policy_iteration(mdp).policy.tolist() == [1]
    assert policy_iteration(mdp).V[0] == pytest.approx(10)


def test_erratum_s3_e3_49():
    V = policy_iteration(two_states()).V
    others = [policy_evaluation(two_states(), p) for p in itertools.product(range(2), repeat=2)]
    assert all((V >= other - 1e-9).all() for other in others)
    assert not all((V > other).all() for other in others)


def test_erratum_s3_e3_50():
    mdp = two_states()
    V = np.array([18.0, 20.0])
    np.testing.assert_allclose((mdp.R + mdp.P @ V).max(axis=1), [20, 22])
    np.testing.assert_allclose(q_from_v(mdp, V).max(axis=1), V)
    U = np.zeros(2)
    for _ in range(50):
        U = (mdp.R + mdp.P @ U).max(axis=1)
    assert U.tolist() == [98, 100]


def test_erratum_s3_e3_51():
    Q = q_from_v(two_states(), [18.0, 20.0])
    assert Q.argmax(axis=1).tolist() == [1, 0]
    np.testing.assert_allclose(Q.max(axis=1), [18, 20])


def test_erratum_s3_e3_52():
    mdp = two_states()
    V = policy_evaluation(mdp, [0, 1])
    better = policy_improvement(mdp, V, [0, 1])
    Q = q_from_v(mdp, V)
    assert V[1] == pytest.approx(9)
    assert Q[1, better[1]] == pytest.approx(10.1)
    assert policy_evaluation(mdp, better)[1] == pytest.approx(20)


def test_erratum_s3_e3_53():
    found = value_iteration(two_states())
    np.testing.assert_allclose(found.V, [18, 20])
    assert not np.allclose(found.V, policy_evaluation(two_states(), [0, 1]))


def test_erratum_s3_e3_54():
    S, A, gamma = 100, 4, 0.9
    printed = A / (1 - gamma) * np.log(S / (1 - gamma))
    assert round(printed) == 276
    assert S * S * A == 40_000  # entries that one improvement touches
    sweeps = len(value_iteration(two_states(), 9e-6).history) - 1
    assert sweeps == 139
    bound = np.log(2 / (1e-6 * (1 - gamma))) / np.log(1 / gamma)
    assert sweeps <= bound <= 170


def test_erratum_s3_e3_65():
    gamma = 0.5 ** np.arange(3)
    assert np.array([1, 2, 3]) @ gamma == 2.75
    assert np.array([3, 2, 1]) @ gamma == 4.25
    assert sum([1, 2, 3]) == sum([3, 2, 1])


def test_flip_points_of_flat_crossings_do_not_depend_on_where_one_begins():
    world = GridWorld("...G\n.P.P\nS...", rewards={"G": 1.0, "P": -1.0}, slip=0.8)
    mdp, bonus = world.mdp(0.5), np.repeat(~world.terminal[:, None], 4, axis=1).astype(float)
    pieces = flip_points(mdp, bonus, -2, -0.01)
    inner = flip_points(mdp, bonus, -0.5, -0.3)
    flips = [p.low for p in pieces if -0.5 < p.low < -0.3]
    np.testing.assert_allclose(flips, [p.low for p in inner[1:]], atol=1e-8)
    for before, after in itertools.pairwise(pieces):
        assert (before.optimal != after.optimal).any()
    for piece in pieces:
        c = (2 * piece.low + piece.high) / 3
        exact = GridWorld("...G\n.P.P\nS...", rewards={"G": 1.0, "P": -1.0}, slip=0.8, step=c).mdp(0.5)
        np.testing.assert_allclose(piece.constant + c * piece.slope, policy_iteration(exact).V, atol=1e-9)


def test_a_walled_in_start_pays_for_every_step():
    explorer = made("grid_rules")
    result = explorer.compute(layout="corridor", cell=4, kind="#", gamma=0.95, cost=0.2, slip=0.2)
    piece, s = result["piece"], result["start"]
    assert piece.constant[s] - 0.2 * piece.slope[s] == pytest.approx(-0.2 / 0.05)


def test_the_dot_of_a_low_value_stays_in_the_picture():
    explorer = made("grid_rules")
    explorer.draw(explorer.compute(cost=2.0, slip=0.8))
    assert explorer.scene.dots[1].get_ydata()[0] == explorer.scene.dots[1].axes.get_ylim()[0]
    assert len(explorer.scene.dots[0].get_xdata()) == 0
    explorer.draw(explorer.compute(cost=0.04))
    assert explorer.scene.dots[0].get_ydata()[0] == explorer.scene.dots[1].get_ydata()[0]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"requests": (3.0,)}, "requests must hold two mean numbers of cars"),
        ({"returns": (3.0, -1.0)}, r"returns\[1\] must be at least 0"),
        ({"most": 2.5}, "most must be a whole number"),
        ({"moves": -1}, "moves must be at least 0"),
        ({"rent": "x"}, "rent must be a finite number"),
    ],
)
def test_cars_that_are_wrong(arguments, words):
    with pytest.raises(ValueError, match=words):
        car_rental(**arguments)


def test_the_greedy_policy_of_rough_values_loses_little():
    """The loss is at most 2 gamma epsilon / (1 - gamma) (section 27.7)."""
    for seed in range(60):
        mdp, rng = random_mdp(seed), np.random.default_rng(seed)
        V = policy_iteration(mdp).V
        rough = V + rng.uniform(-1, 1, size=V.shape) * 10.0 ** rng.uniform(-2, 1)
        loss = V - policy_evaluation(mdp, greedy_policy(mdp, rough))
        assert loss.max() <= 2 * mdp.gamma / (1 - mdp.gamma) * np.abs(rough - V).max() + 1e-9


# --- what the explorers compute and say ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "params", "words"),
    [
        ("grid_rules", {"cost": 2.0}, "the next ones are **1.6497** below and none above"),
        ("grid_rules", {"cost": 0.01}, "none below and **0.0221** above"),
        ("grid_rules", {}, "worth **0.705**"),
        ("grid_rules", {"gamma": 0.9}, "Between the costs"),
        ("grid_rules", {"cost": 2.0, "slip": 0.8}, "worth **−24.619**, below the picture"),
        ("grid_rules", {"layout": "no wall"}, "worth **0.726**"),
        ("grid_rules", {"layout": "corridor"}, "worth **0.483**"),
        ("grid_rules", {"layout": "pit inside"}, "worth **0.521**"),
        ("grid_rules", {"layout": "corridor", "cell": 4, "kind": "#"}, "from state 7 no end can be reached"),
        ("value_sweeps", {"k": 60, "gamma": 0.98, "world": "jump"}, "**all optimal**."),
        ("value_sweeps", {"k": 29, "world": "jump"}, "have been since sweep **29**"),
        ("value_sweeps", {"k": 15, "world": "ice"}, "have been since sweep **15**"),
        ("value_sweeps", {"k": 12, "gamma": 0.94}, "have been since sweep **12**"),
        ("ice_horizon", {"n": 30}, "probability **0.3479**, the policy that is best for γ = 0.90 with **0.3465**"),
        ("ice_horizon", {"n": 30, "gamma": 1.0}, "with **0.3408**"),
        ("value_sweeps", {"k": 4}, "have been since sweep **4**"),
        ("value_sweeps", {"k": 3}, "**not all optimal**."),
        ("gambler_stakes", {"capital": 51}, "optimal stakes: **1, 49**"),
        ("gambler_stakes", {"capital": 64}, "optimal stakes: **11, 14, 36**"),
        ("gambler_stakes", {"p": 0.5, "capital": 51}, "1 to 49, 49 of them"),
        ("ice_horizon", {"n": 100}, "probability **0.7442**, the policy that is best for γ = 0.90 with **0.7298**"),
        ("ice_horizon", {"n": 100, "gamma": 1.0}, "with **0.7402**; without a limit 0.8235"),
        ("salmon_fishing", {}, "fish in **high**. Values in thousands: empty 198.7, low 443.0"),
        ("salmon_fishing", {"gamma": 0.5}, "fish in **medium, high**"),
        ("salmon_fishing", {"gamma": 0.0}, "fish in **low, medium, high**"),
    ],
)
def test_explorers_say_what_the_chapter_says(name, params, words):
    explorer = made(name)
    assert words in explorer.describe(explorer.compute(**params))


def test_a_grid_without_an_end_is_explained():
    explorer = made("grid_rules")
    result = explorer.compute(layout="no wall", cell=3, kind=".", gamma=1.0)  # the pit is left
    assert "why" not in result
    walled = GridWorld("..#G\n.##.\nS#.P", rewards={"G": 1.0, "P": -1.0}, step=-0.1).mdp(1.0)
    with pytest.raises(NeverEnds, match="state 0 cannot"):
        policy_iteration(walled)
    assert "no sum here" in explorer.describe({"why": "there is no end left"})
    assert "from state 7 no end" in explorer.compute(layout="corridor", cell=4, kind="#", gamma=1.0)["why"]


def test_grid_pictures_move_in_place():
    figure, ax = plots.canvas()
    world = four_by_three_world()
    picture = GridPicture(ax, world, labels={"G": "+1"})
    found = policy_iteration(world.mdp(1.0))
    picture.update(found.V, optimal_actions(world.mdp(1.0), found.V), agent=7, mark=[0])
    assert len(picture.arrows.get_paths()) == 9  # one a state that is no end
    assert [text for _, _, text in picture.texts.items][:3] == ["0.81", "0.87", "0.92"]
    assert len(picture.frames.get_paths()) == 3
    assert len(picture.walls.get_paths()) == 1
    figure.canvas.draw()
    picture.update(-found.V)
    assert picture.texts.items[0][2] == "−0.81"
    assert len(picture.arrows.get_paths()) == 0
    other = GridWorld("...G\n...P\nS...", rewards={"G": 1.0, "P": -1.0})
    picture.update(world=other)
    assert len(picture.walls.get_paths()) == 0
    with pytest.raises(ValueError, match="the picture has 3 x 4 cells; got 1 x 3"):
        picture.update(world=GridWorld("S.G"))


# --- ends of ranges: the last that is allowed, and the first that is not --------------------------------------------


@pytest.mark.parametrize(
    "make",
    [
        two_states,
        salmon,
        two_states().with_gamma,
        ice().mdp,
        estimate_model([(0, 0, 1.0, 1)], 2, 1).mdp,
        TabularEnv(two_states(), start=0).mdp,
        lambda gamma: from_gymnasium({0: {0: [(1.0, 1, 5.0, True)]}, 1: {}}, gamma),
    ],
)
def test_every_way_to_a_discount_has_the_same_range(make):
    assert [make(gamma).gamma for gamma in (0, 0.3, 1)] == [0, 0.3, 1]
    for gamma in (-0.01, 1.01, 2):
        with pytest.raises(ValueError, match="gamma must be at least 0 and at most 1"):
            make(gamma)


def test_another_discount_changes_a_copy():
    two = two_states()
    assert (two.with_gamma(0.5).gamma, two.gamma) == (0.5, 0.9)
    np.testing.assert_allclose(policy_evaluation(two.with_gamma(0.5), [0, 1]), [2, 1])


def test_states_and_actions_end_where_the_tables_end():
    mdp = MDP([[[0.5, 0.5], [1, 0], [0, 1]], [[0, 1], [0, 1], [1, 0]]], [[1.0, 2, 3], [4, 5, 6]], 0.9)
    assert mdp.outcomes(1, 2) == [(1.0, 0, 6.0)]
    for s, a in ((2, 0), (-1, 0), (0, 3), (0, -1)):
        with pytest.raises(ValueError, match=r"^(s|a) must be at (least 0|most [12])"):
            mdp.outcomes(s, a)


@pytest.mark.parametrize("reward", [1.0, 1, np.float64(1)])  # the usual form, and forms that are read slowly
@pytest.mark.parametrize(("place", "word"), [(0, "state"), (1, "action"), (3, "next state")])
def test_a_record_beyond_the_tables_is_refused(reward, place, word):
    good = [1, 2, reward, 1]  # the last state and the last action of two and three
    assert estimate_model([good], 2, 3).P[1, 2].tolist() == [0, 1]
    for wrong in (-1, 2 if place != 1 else 3):
        bad = good.copy()
        bad[place] = wrong
        with pytest.raises(ValueError, match=f"the {word} of item 1 must be at (least 0|most {wrong - 1})"):
            estimate_model([good, bad], 2, 3)


def test_one_round_is_enough_for_a_policy_that_is_best():
    found = policy_iteration(two_states(), [1, 0], max_iter=1)
    assert (found.policy.tolist(), len(found.history)) == ([1, 0], 1)
    with pytest.raises(ValueError, match="max_iter must be at least 1"):
        policy_iteration(two_states(), [1, 0], max_iter=0)

"""Chapter 30: gradients against differences, estimators over all episodes, cells and fits by hand, Gymnasium's car."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlteach.mdp import MDP, TabularEnv, policy_evaluation, value_iteration
from mlteach.policy_search import (
    BLIND,
    GaussianPolicy,
    Hats,
    LinearQ,
    MountainCar,
    ShortCorridor,
    SoftmaxPolicy,
    Tiles,
    all_paths,
    car_model,
    cell_points,
    cells_mdp,
    climb_corridor,
    collect,
    combined_step,
    discretize,
    drive,
    estimator_moments,
    exact_policy_gradient,
    exact_value,
    fitted_q_iteration,
    fitted_value_iteration,
    gradient_estimate,
    height,
    interpolated_value_iteration,
    late_pay,
    line_model,
    line_value,
    neural_q,
    perturbation_search,
    policy_of,
    pump,
    push,
    race,
    reinforce,
    returns_to_go,
    semi_gradient_sarsa,
    softmax,
    three_rounds,
    two_features,
)
from mlteach.policy_search.neural_q import NeuralQ, neural_q_iteration
from mlteach.policy_search.policies import per_action
from mlteach.temporal_difference import sarsa

# Three states, unequal rows, an action that is not possible, an end
P = np.zeros((4, 3, 4))
P[0] = [[0.2, 0.5, 0.3, 0], [0, 0.1, 0.2, 0.7], [0.6, 0.0, 0.4, 0]]
P[1] = [[0.1, 0.3, 0.5, 0.1], [0.5, 0, 0.5, 0], [1, 0, 0, 0]]
P[2] = [[0, 0.3, 0.2, 0.5], [0.25, 0.25, 0.25, 0.25], [0, 0.9, 0.1, 0]]
P[3, :, 3] = 1
R = np.array([[1.0, -2.0, 0.5], [3.0, 0.2, -np.inf], [-1.0, 2.0, 0.7], [0, 0, 0]])
START = np.array([0.5, 0.3, 0.2, 0])


TABLE, TILES = Tiles([-1.2, -0.07], [0.6, 0.07], 20), Tiles([-1.2, -0.07], [0.6, 0.07], 8, 8)


def twin(gamma=0.8):
    return MDP(P, R, gamma)


def by_differences(f, theta, h=1e-5):
    """Return the gradient of f by central differences, in the shape of theta."""
    out = np.zeros_like(theta)
    for place in np.ndindex(*theta.shape):
        e = np.zeros_like(theta)
        e[place] = h
        out[place] = (f(theta + e) - f(theta - e)) / (2 * h)
    return out


# --- Cells ----------------------------------------------------------------------------------------------------------


def test_discretize_finds_the_nearest_point():
    low, high, cells = [-1.0, 2.0], [1.0, 5.0], [5, 4]
    points = cell_points(low, high, cells)
    assert points.shape == (20, 2)
    assert points[5].tolist() == [-0.5, 3.0]
    x = np.random.default_rng(0).uniform([-1.4, 1.5], [1.3, 5.5], size=(300, 2))
    scaled = (points - low) / np.subtract(high, low) * np.array([4, 3])
    near = np.abs((np.clip(x, low, high) - low) / np.subtract(high, low) * np.array([4, 3]))
    expected = [int(np.abs(scaled - row).max(axis=1).argmin()) for row in near]
    assert discretize(x, low, high, cells).tolist() == expected
    assert discretize(points, low, high, cells).tolist() == list(range(20))
    assert discretize([0.25, 3.4], low, high, cells) == 2 * 4 + 1  # one point gives one number


def test_discretize_of_one_axis_and_beyond_the_rim():
    assert discretize([[0.25]], -1.2, 0.6, 13).tolist() == [10]
    assert discretize(0.25, -1.2, 0.6, 13) == 10
    assert discretize([[-9.0], [9.0]], -1.2, 0.6, 13).tolist() == [0, 12]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (([[0.0]], 1, 0, 5), "low must lie below high"),
        (([[0.0]], 0, 1, 1), "cells"),
        (([[0.0]], 0, 1, [3, 4]), "cells must be one number or one for each"),
        (([[0.0, 1.0]], 0, 1, 3), "x"),
        (([[np.nan]], 0, 1, 3), "x"),
    ],
)
def test_discretize_refuses(arguments, words):
    with pytest.raises(ValueError, match=words):
        discretize(*arguments)


def test_line_value_is_that_of_a_fine_exact_grid():
    """With points 0.01 apart all moves lead to points: the table is the world."""
    mdp = cells_mdp(line_model, -2, 2, 401, 0.9)
    V = value_iteration(mdp, 1e-9).V[:401]
    np.testing.assert_allclose(V, line_value(np.linspace(-2, 2, 401)), atol=1e-7)
    assert line_value(0.0)[0] == 0
    assert line_value([2.0], 0.0)[0] == pytest.approx(-4)


def cell_error(n):
    s = np.linspace(-2, 2, 401)
    V = value_iteration(cells_mdp(line_model, -2, 2, n, 0.9), 1e-8).V
    return np.abs(V[discretize(s[:, None], -2, 2, n)] - line_value(s)).max()


def test_of_two_points_equally_near_the_lower_one_is_taken():
    """A move of 0.3 between points 0.2 apart ends midway; rounding must not decide, whatever the place."""
    points = np.linspace(-2, 2, 21)
    for way, first in ((0.3, 1), (-0.3, -2)):
        inside = np.abs(points + way) < 1.95
        expected = np.arange(21) + first
        np.testing.assert_array_equal(discretize((points + way)[inside, None], -2, 2, 21), expected[inside])


@pytest.mark.parametrize(("n", "error"), [(81, 0.27), (21, 4.0694), (5, 35.476)])
def test_errors_of_three_grids(n, error):
    assert cell_error(n) == pytest.approx(error, abs=1e-3)


def test_cells_mdp_has_an_end_and_the_models_rewards():
    mdp = cells_mdp(car_model, [-1.2, -0.07], [0.6, 0.07], [10, 8], 1.0)
    assert mdp.n_states == 81
    assert mdp.n_actions == 3
    assert mdp.terminal[80]
    assert (mdp.R[:80] == -1).all()
    near = discretize([0.6, 0.05], [-1.2, -0.07], [0.6, 0.07], [10, 8])
    assert mdp.outcomes(near, 2) == [(1.0, 80, -1.0)]


# --- Hats and tiles -------------------------------------------------------------------------------------------------

BOX = ([-1.0, 2.0, 0.0], [1.0, 5.0, 0.3], [3, 4, 2])


def test_hats_are_exact_for_products_of_lines():
    """Multilinear interpolation reproduces every function that is linear in each variable."""
    hats, rng = Hats(*BOX), np.random.default_rng(1)
    c = rng.normal(size=8)

    def f(x):
        return sum(k * np.prod(x[:, list(s)], axis=1) for k, s in zip(c, subsets()))

    def subsets():
        return [s for n in range(4) for s in itertools.combinations(range(3), n)]

    x = rng.uniform(BOX[0], BOX[1], size=(50, 3))
    np.testing.assert_allclose(hats.value(f(hats.points), x), f(x), atol=1e-12)
    np.testing.assert_allclose(hats(x) @ f(hats.points), f(x), atol=1e-12)
    np.testing.assert_allclose(hats(hats.points), np.eye(hats.n), atol=1e-12)


@settings(deadline=None, max_examples=30)
@given(st.lists(st.floats(-5, 5), min_size=2, max_size=2))
def test_weights_of_hats_are_a_mean(x):
    weights = Hats([-1.2, -0.07], [0.6, 0.07], [4, 5])([x])
    assert weights.min() >= 0
    assert weights.sum() == pytest.approx(1)
    assert (weights > 0).sum() <= 4


def test_interpolated_iteration_solves_its_own_table():
    """It is value iteration of the MDP that jumps to the corners."""
    hats = Hats(-2, 2, 12)
    after, paid, _ = line_model(hats.points)
    chances = hats(after.reshape(-1, 1)).reshape(12, 3, 12)
    V = value_iteration(MDP(chances, paid, 0.9), 1e-9).V
    found = interpolated_value_iteration(line_model, hats, 0.9, tol=1e-10)
    np.testing.assert_allclose(found.V, V, atol=1e-7)
    assert found.change < 1e-10
    assert found.n_iter < 2000


def test_interpolated_iteration_knows_ends():
    hats = Hats([-1.2, -0.07], [0.6, 0.07], 6)
    V = interpolated_value_iteration(car_model, hats, 1.0, tol=1e-6, max_iter=500).V
    assert V.max() == -1
    assert V.min() < -20


def test_planned_driver_on_a_fine_grid():
    hats = Hats([-1.2, -0.07], [0.6, 0.07], 80)
    V = interpolated_value_iteration(car_model, hats, 1.0, tol=1e-2, max_iter=400).V

    def choose(s):
        after, paid, up = car_model(s)
        return (paid + ~up * hats.value(V, after.reshape(-1, 2)).reshape(paid.shape)).argmax(axis=1)

    assert -100 < drive(choose, race.VALLEY).mean() < -98


def test_tiles_are_shifted_grids():
    tiles = Tiles([0.0, 10.0], [1.0, 14.0], [2, 4], tilings=2)
    assert tiles.n == 2 * 3 * 5
    assert tiles.shape == (3, 5)
    # tiling 0: cell (1, 2); tiling 1, shifted by (1/2, 3/2 mod 1): (0.8 * 2 + 0.5, 2.6 + 0.5)
    assert tiles.active([[0.8, 12.6]]).tolist() == [[1 * 5 + 2, 15 + 2 * 5 + 3]]
    x = np.random.default_rng(0).uniform([-0.2, 9], [1.2, 15], size=(200, 2))
    assert [tiles.one(row)[0] for row in x] == tiles.active(x).tolist()
    assert (tiles(x).sum(axis=1) == 2).all()
    assert (tiles.one(x[0])[1] == 1).all()


def test_one_tiling_is_a_table():
    table = Tiles([0.0, 0.0], [1.0, 1.0], 3)
    assert table.n == 9
    assert table.active([[0.1, 0.9], [1.0, 1.0], [0.5, 0.0]]).ravel().tolist() == [2, 8, 3]


# --- Linear Q and fits ----------------------------------------------------------------------------------------------


def test_linear_q_and_its_messages():
    q = LinearQ(lambda s: np.hstack([np.ones((len(s), 1)), s]), 2, [[1.0, 2.0], [3.0, 0.0]])
    assert q.values([[5.0], [0.5]]).tolist() == [[11, 3], [2, 3]]
    assert q.greedy([[5.0], [0.5]]).tolist() == [0, 1]
    tiles = Tiles([0.0], [1.0], 4, tilings=3)
    weights = np.random.default_rng(0).normal(size=(2, tiles.n))
    x = np.linspace(0, 1, 17)[:, None]
    np.testing.assert_allclose(LinearQ(tiles, 2, weights).values(x), tiles(x) @ weights.T)
    assert LinearQ(tiles, 5).theta.shape == (5, tiles.n)
    with pytest.raises(ValueError, match="theta must be given"):
        LinearQ(lambda s: s, 2)
    with pytest.raises(ValueError, match="a row for each of the 3 actions"):
        LinearQ(tiles, 3, weights)


TWIN = {
    0: {0: [(0.7, 1, 1.0, False), (0.3, 0, -2.0, False)], 1: [(1.0, 2, 0.5, False)]},
    1: {0: [(0.9, 0, 0.0, False), (0.1, 3, -5.0, True)], 1: [(0.5, 2, 2.0, False), (0.5, 1, 0.2, False)]},
    2: {0: [(1.0, 3, 4.0, True)], 1: [(0.8, 0, 1.5, False), (0.2, 2, -1.0, False)]},
    3: {0: [(1.0, 3, 0.0, True)], 1: [(1.0, 3, 0.0, True)]},
}


def one_hot(s):
    return np.eye(4)[np.asarray(s, int)[:, 0]]


def test_semi_gradient_sarsa_recomputed_step_by_step():
    """Every update of a recorded run, by hand, with features that states share."""
    features = np.array([[1.0, 0.3], [0.5, -1.0], [2.0, 0.4], [0.7, 0.9]])
    env, log = TabularEnv(TWIN, start=0), []

    class Spy:
        action_space = env.action_space

        def reset(self, seed=None):
            log.append(("reset", env.reset(seed=seed)[0]))
            return log[-1][1], {}

        def step(self, a):
            out = env.step(a)
            log.append((a, *out[:4]))
            return out

    run = semi_gradient_sarsa(
        Spy(), lambda s: features[np.asarray(s, int)[:, 0]], None, 0.1, 0.9, 0.3, 5, theta=np.zeros((2, 2)), steps=60
    )
    theta, s = np.zeros((2, 2)), None
    for now, after in itertools.pairwise(log):
        if now[0] == "reset":
            s = now[1]
            continue
        a, s2, r, over, _ = now
        if after[0] == "reset" and not over:
            raise AssertionError("only an end resets")
        target = r if over else r + 0.9 * features[s2] @ theta[after[0]]
        theta[a] += 0.1 * (target - theta[a] @ features[s]) * features[s]
        s = s2
    # the action after the very last step is not in the log; compare what is sure
    last = log[-1]
    other = 1 - last[0]
    np.testing.assert_allclose(run.q.theta[other], theta[other])
    assert len(run.returns) == sum(row[0] == "reset" for row in log)
    assert len(log) == 60 + len(run.returns)


def test_semi_gradient_sarsa_with_a_row_a_state_learns_what_sarsa_learns():
    world = TabularEnv(TWIN, start=[0.5, 0.3, 0.2, 0])
    ours = semi_gradient_sarsa(world, one_hot, 4000, 0.02, 0.8, 0.2, 1, theta=np.zeros((2, 4)))
    theirs = sarsa(world, 4000, 0.02, 0.8, 0.2, rng=2)
    np.testing.assert_allclose(ours.q.theta.T[:3], theirs.Q[:3], atol=0.5)
    assert np.abs(ours.q.theta.T[:3] - theirs.Q[:3]).mean() < 0.2


def test_steps_and_snapshots():
    env = MountainCar(start="anywhere", max_steps=50)
    run = semi_gradient_sarsa(env, TABLE, None, 0.5, 1.0, 0.1, 3, steps=300, at=(100, 300))
    assert sorted(run.snapshots) == [100, 300]
    np.testing.assert_array_equal(run.snapshots[300], run.q.theta)
    assert -run.returns.sum() == 300
    short = semi_gradient_sarsa(env, TABLE, None, 0.5, 1.0, 0.1, 3, steps=100)
    np.testing.assert_array_equal(short.q.theta, run.snapshots[100])
    with pytest.raises(ValueError, match="episodes or steps"):
        semi_gradient_sarsa(env, TABLE)


def two_states(s):
    return np.full((len(s), 1, 1), 2.0), np.zeros((len(s), 1)), np.zeros((len(s), 1), bool)


@pytest.mark.parametrize("share", [0.0, 0.2, 0.5, 0.9, 1.0])
@pytest.mark.parametrize("gamma", [0.5, 0.9])
def test_two_features_multiply(gamma, share):
    run = fitted_value_iteration(
        [[1.0], [2.0]], two_states, lambda s: s, gamma, 4, theta=[1.5], weights=[share, 1 - share]
    )
    assert [float(w[0]) for w in run.history] == pytest.approx(
        [1.5 * two_features(gamma, share) ** k for k in range(5)]
    )


def test_two_features_by_hand():
    assert two_features(1.0) == 1.2
    assert two_features(5 / 6) == pytest.approx(1)
    assert two_features(0.7, 0.0) == pytest.approx(0.7)
    assert two_features(0.7, 1.0) == pytest.approx(1.4)


def powers(s):
    return np.hstack([np.ones((len(s), 1)), s, s**2])


def test_the_parabola_settles_above_zero():
    states = np.linspace(-2, 2, 201)[:, None]
    theta = fitted_value_iteration(states, line_model, powers, 0.9, 400).theta
    assert theta[0] == pytest.approx(3.704, abs=1e-3)
    # it is a fixed point of targets and regression
    after, paid, _ = line_model(states)
    y = (paid + 0.9 * (powers(after.reshape(-1, 1)) @ theta).reshape(-1, 3)).max(axis=1)
    np.testing.assert_allclose(np.linalg.lstsq(powers(states), y, rcond=None)[0], theta, atol=1e-8)


def test_fitted_value_iteration_with_hats_is_interpolation():
    hats = Hats(-2, 2, 9)
    fitted = fitted_value_iteration(hats.points, line_model, hats, 0.9, 300)
    np.testing.assert_allclose(fitted.theta, interpolated_value_iteration(line_model, hats, 0.9, tol=1e-9).V, atol=1e-6)


def test_fitted_value_iteration_knows_ends_and_actions():
    def model(s):
        after = np.repeat(np.array([[[1.0], [2.0]]]), len(s), axis=0)
        return after, np.tile([3.0, -1.0], (len(s), 1)), np.tile([True, False], (len(s), 1))

    found = fitted_value_iteration([[1.0], [2.0]], model, lambda s: np.eye(3)[s[:, 0].astype(int)][:, 1:], 0.9, 50)
    np.testing.assert_allclose(found.theta, [3, 3])  # ending pays 3; going on costs 1 and leads to 3 again


def exact_batch(rng, n=1000):
    env = TabularEnv(TWIN, start=[0.5, 0.3, 0.2, 0])
    return collect(env, n, rng)


def test_fitted_q_with_a_row_a_state_solves_the_counted_world():
    batch = exact_batch(3)
    found = fitted_q_iteration(batch, one_hot, 2, 0.8, 80, lam=1e-9).q.theta.T
    Q = np.zeros((4, 2))
    for _ in range(80):
        new = Q.copy()
        for s, a in itertools.product(range(3), range(2)):
            mine = (batch.states[:, 0] == s) & (batch.actions == a)
            ahead = np.where(batch.terminated[mine], 0, Q[batch.following[mine, 0].astype(int)].max(axis=1))
            new[s, a] = np.mean(batch.rewards[mine] + 0.8 * ahead)
        Q = new
    np.testing.assert_allclose(found[:3], Q[:3], atol=1e-6)


def test_collect_keeps_real_steps():
    batch = exact_batch(0, 500)
    possible = {(s, a, r, t, over) for s, row in TWIN.items() for a, o in row.items() for _, t, r, over in o}
    seen = set(
        zip(
            batch.states[:, 0].astype(int).tolist(), batch.actions.tolist(), batch.rewards.tolist(),
            batch.following[:, 0].astype(int).tolist(), batch.terminated.tolist(),
        )
    )  # fmt: skip
    assert seen <= possible
    assert len(seen) == 10
    assert len(batch.states) == 500
    forced = collect(TabularEnv(TWIN, start=0), 20, 0, choose=lambda s: 1)
    assert (forced.actions == 1).all()


def test_fitted_q_keeps_the_weights_of_an_action_that_the_batch_lacks():
    batch = ([[0.0], [1.0]], [0, 0], [1.0, 2.0], [[1.0], [1.0]], [True, True])
    theta = np.array([[0.0, 0, 0, 0], [7.0, 8, 9, 6]])
    found = fitted_q_iteration(batch, one_hot, 2, 0.9, 3, lam=1e-9, theta=theta)
    np.testing.assert_allclose(found.q.theta[1], theta[1])
    np.testing.assert_allclose(found.q.theta[0, :2], [1, 2], atol=1e-6)
    assert found.history[-1] == 0


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({1: [0, 5]}, "whole numbers from 0 to 1"),
        ({1: [0]}, "whole numbers from 0 to 1"),
        ({2: [1.0]}, "rewards"),
        ({3: [[1.0]]}, "one entry for each of the 2 states"),
        ({4: [True]}, "one entry for each of the 2 states"),
    ],
)
def test_batches_are_checked(change, words):
    batch = [[[0.0], [1.0]], [0, 1], [1.0, 2.0], [[1.0], [1.0]], [True, False]]
    for k, value in change.items():
        batch[k] = value
    with pytest.raises(ValueError, match=words):
        fitted_q_iteration(batch, one_hot, 2, 0.9, 3)


def test_neural_q_learns_a_known_table():
    """Two places, two actions, one of which ends: r + gamma max Q by hand."""
    states = np.tile([[-1.0], [-1.0], [1.0], [1.0]], (60, 1))
    actions, rewards = np.tile([0, 1, 0, 1], 60), np.tile([0.0, 0.3, 1.0, 0.2], 60)
    following, ends = np.tile([[1.0], [-1.0], [1.0], [-1.0]], (60, 1)), np.tile([False, True, True, False], 60)
    q = NeuralQ([0.0], [1.0], 2, hidden=12, rng=1)
    neural_q_iteration((states, actions, rewards, following, ends), q, 0.5, 12, epochs=15)
    np.testing.assert_allclose(q.values([[-1.0], [1.0]]), [[0.5, 0.3], [1.0, 0.45]], atol=0.06)
    assert q.greedy([[-1.0], [1.0]]).tolist() == [0, 0]


def test_neural_q_reads_scaled_states_and_trains_towards_bellman_targets(monkeypatch):
    """What the net sees and what it is trained towards, by hand; the training itself is that of chapter 19."""
    seen = []
    monkeypatch.setattr(neural_q, "train", lambda *given, **options: seen.append((given, options)))
    q = NeuralQ([2.0, -1.0], [4.0, 0.5], 3, hidden=5, rng=3)
    np.testing.assert_allclose(
        q.inputs([[4.0, -2.0], [1.0, 0.0]], [2, 0]), [[0.5, -2.0, 0, 0, 1], [-0.25, 2.0, 1, 0, 0]]
    )
    states, following = [[4.0, -2.0], [1.0, 0.0], [0.0, 3.0]], [[1.0, 1.0], [2.0, 0.5], [5.0, -1.0]]
    batch = (states, [2, 0, 1], [6.0, -3.0, 1.5], following, [False, True, False])
    assert neural_q_iteration(batch, q, 0.7, 2, epochs=4, learning_rate=0.03, unit=3.0, rng=1) is q
    assert len(seen) == 2
    (net, X, y, optimizer, epochs), _ = seen[0]
    assert net is q.net
    assert epochs == 4
    assert optimizer.learning_rate == 0.03
    np.testing.assert_allclose(X, q.inputs(states, [2, 0, 1]))
    best = q.values(following).max(axis=1)
    np.testing.assert_allclose(y, [[2 + 0.7 * best[0]], [-1.0], [0.5 + 0.7 * best[2]]])
    np.testing.assert_array_equal(q.greedy(following), q.values(following).argmax(axis=1))
    hand = [q.net(q.inputs(following, [a] * 3)).data.ravel() for a in range(3)]
    np.testing.assert_allclose(q.values(following), np.transpose(hand))


# --- Policies and the theorem ---------------------------------------------------------------------------------------


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 10**6), st.integers(2, 5), st.integers(1, 4))
def test_scores_are_slopes_of_the_logarithm_and_have_mean_zero(seed, n_actions, d):
    rng = np.random.default_rng(seed)
    policy, theta = SoftmaxPolicy(rng.normal(size=(2, n_actions, d))), rng.normal(size=d)
    p = policy.probabilities(theta, 1)
    scores = np.array([policy.score(theta, 1, a) for a in range(n_actions)])
    np.testing.assert_allclose(p @ scores, 0, atol=1e-12)
    for a in range(n_actions):
        slope = by_differences(lambda t, a=a: math.log(policy.probabilities(t, 1)[a]), theta)
        np.testing.assert_allclose(scores[a], slope, atol=1e-7)


def test_softmax_draws_by_its_probabilities():
    policy, theta, rng = SoftmaxPolicy(np.eye(3)[None]), np.array([0.0, 1.0, -0.5]), np.random.default_rng(0)
    drawn = [policy.act(theta, 0, rng) for _ in range(8_000)]
    shares = np.bincount([a for a, _ in drawn], minlength=3) / 8_000
    np.testing.assert_allclose(shares, policy.probabilities(theta, 0), atol=0.025)
    a, score = drawn[0]
    np.testing.assert_allclose(score, policy.score(theta, 0, a))
    big = SoftmaxPolicy(np.eye(3)[None])
    assert big.act(np.array([900.0, 0, -900.0]), 0, rng)[0] == 0
    np.testing.assert_allclose(softmax([900.0, 900 + math.log(3), -np.inf]), [0.25, 0.75, 0])


def test_gaussian_policy():
    policy, theta, x = GaussianPolicy(np.asarray, 0.7), np.array([0.4, -1.0]), np.array([2.0, 0.5])

    def log_density(t):
        return -((1.3 - t @ x) ** 2) / (2 * 0.49)

    np.testing.assert_allclose(policy.score(theta, x, 1.3), by_differences(log_density, theta), atol=1e-7)
    rng = np.random.default_rng(0)
    drawn = np.array([policy.act(theta, x, rng)[0] for _ in range(5_000)])
    assert drawn.mean() == pytest.approx(0.3, abs=0.04)
    assert drawn.std() == pytest.approx(0.7, abs=0.03)


def test_features_in_blocks():
    x = per_action(lambda s: np.array([1.0, s]), 3, 2)(5.0)
    assert x.tolist() == [[1, 5, 0, 0, 0, 0], [0, 0, 1, 5, 0, 0], [0, 0, 0, 0, 1, 5]]


@pytest.mark.parametrize("gamma", [0.0, 0.5, 0.95, 1.0])
def test_exact_gradient_is_that_of_differences(gamma):
    mdp, rng = twin(gamma), np.random.default_rng(4)
    for _ in range(3):
        theta = rng.normal(size=(4, 3))
        slope = by_differences(lambda t: exact_value(mdp, t, START), theta)
        np.testing.assert_allclose(exact_policy_gradient(mdp, theta, START), slope, atol=1e-8)
    x, w = rng.normal(size=(4, 3, 2)), rng.normal(size=2)
    slope = by_differences(lambda t: exact_value(mdp, t, 1, x), w)
    np.testing.assert_allclose(exact_policy_gradient(mdp, w, 1, x), slope, atol=1e-8)


def test_the_infeasible_action_has_no_slope():
    g = exact_policy_gradient(twin(), np.ones((4, 3)), START)
    assert g[1, 2] == 0
    assert policy_of(twin(), np.ones((4, 3)))[1].tolist() == [0.5, 0.5, 0]
    assert np.abs(g[:3, :2]).min() > 0
    assert (g[3] == 0).all()


@pytest.mark.parametrize(
    ("theta", "options", "words"),
    [
        (np.zeros((3, 3)), {}, "a preference to each of the 4 states and 3 actions"),
        (np.zeros(5), {"features": np.zeros((4, 3, 2))}, "theta"),
        (np.zeros((4, 3)), {"visits": "some"}, "visits"),
    ],
)
def test_exact_gradient_refuses(theta, options, words):
    with pytest.raises(ValueError, match=words):
        exact_policy_gradient(twin(), theta, START, **options)
    with pytest.raises(ValueError, match="start"):
        exact_policy_gradient(twin(), np.zeros((4, 3)), 9)


# --- Estimators -----------------------------------------------------------------------------------------------------


def test_returns_to_go_by_hand():
    assert returns_to_go([2, -1, 4], 0.5).tolist() == [2.5, 1, 4]
    assert returns_to_go([1, 2, 3]).tolist() == [6, 5, 3]


def test_gradient_estimate_by_hand():
    scores, paid = np.array([[0.75, -0.75], [-0.25, 0.25], [0.5, -0.4]]), [2.0, -1.0, 4.0]
    G = [2.5, 1.0, 4.0]
    to_go = sum(0.5**t * G[t] * scores[t] for t in range(3))
    np.testing.assert_allclose(gradient_estimate(scores, paid, 0.5), to_go)
    np.testing.assert_allclose(
        gradient_estimate(scores, paid, 0.5, discounted=False), sum(G[t] * scores[t] for t in range(3))
    )
    np.testing.assert_allclose(
        gradient_estimate(scores, paid, 0.5, weight="total", baseline=1.0), 1.5 * scores.sum(axis=0)
    )
    b = [1.0, 2.0, -1.0]
    np.testing.assert_allclose(
        gradient_estimate(scores, paid, 0.5, baseline=np.array(b)),
        sum(0.5**t * (G[t] - b[t]) * scores[t] for t in range(3)),
    )
    with pytest.raises(ValueError, match="rewards"):
        gradient_estimate(scores, [1.0])
    with pytest.raises(ValueError, match="weight"):
        gradient_estimate(scores, paid, weight="all")


@pytest.mark.parametrize("gamma", [0.6, 1.0])
def test_estimators_have_the_exact_gradient_as_mean(gamma):
    game, theta = three_rounds(gamma), np.random.default_rng(2).normal(size=(6, 2))
    exact = exact_policy_gradient(game, theta, 0).ravel()
    V = policy_evaluation(game, policy_of(game, theta))
    for options in (
        {"weight": "total"},
        {},
        {"baseline": 1000.0},
        {"baseline": V},
        {"weight": "total", "baseline": 5.0},
    ):
        np.testing.assert_allclose(estimator_moments(game, theta, 0, **options).mean, exact, atol=1e-8)
    shifted = estimator_moments(game, theta, 0, shift=-10.0)
    np.testing.assert_allclose(shifted.mean, exact, atol=1e-8)


def test_variances_of_the_estimators():
    game, theta = three_rounds(0.9), np.zeros((6, 2))
    V = policy_evaluation(game, policy_of(game, theta))
    kinds = ({"weight": "total"}, {"weight": "total", "baseline": V[0]}, {}, {"baseline": V})
    got = [estimator_moments(game, theta, 0, **kind) for kind in kinds]
    assert [m.variance for m in got] == pytest.approx([79.3909, 3.4827, 49.0548, 2.7399], abs=1e-3)
    assert len(got[0].probabilities) == 32
    assert got[0].probabilities.sum() == pytest.approx(1)
    assert estimator_moments(game, theta, 0, weight="total", shift=-10).variance == pytest.approx(602.658, abs=1e-2)


def test_estimates_of_real_episodes_agree_with_the_exact_moments():
    game, theta = three_rounds(0.9), np.random.default_rng(5).normal(size=(6, 2))
    world, rng = TabularEnv(game, start=0), np.random.default_rng(1)
    policy = SoftmaxPolicy(np.eye(12).reshape(6, 2, 12))
    found = []
    for _ in range(1500):
        s, over, scores, paid = world.reset()[0], False, [], []
        while not over:
            a, score = policy.act(theta.ravel(), s, rng)
            s, r, over, _, _ = world.step(a)
            scores.append(score)
            paid.append(r)
        found.append(gradient_estimate(scores, paid, 0.9))
    exact = estimator_moments(game, theta, 0)
    assert np.abs(np.mean(found, axis=0) - exact.mean).max() < 5 * math.sqrt(exact.variance / 1500)
    assert np.var(found, axis=0).sum() == pytest.approx(exact.variance, rel=0.15)


def test_all_paths_sum_to_one_and_refuse_open_ends():
    game = three_rounds(0.9)
    paths = all_paths(game, policy_of(game, np.zeros((6, 2))), 0)
    assert sum(p.probability for p in paths) == pytest.approx(1)
    assert {len(p.actions) for p in paths} == {3}
    with pytest.raises(ValueError, match="still open"):
        all_paths(ShortCorridor().mdp(1.0), np.full((4, 2), 0.5), 0, max_steps=4)


def test_leaving_out_gamma_leads_downhill():
    slopes = [
        exact_policy_gradient(late_pay(g), [0.0], 0, BLIND, visits=v)[0] / 0.25
        for g, v in ((0.5, "discounted"), (1.0, "discounted"), (0.5, "all"))
    ]
    assert slopes == pytest.approx([0.375, 0.5, -0.25])
    for g in (0.5, 1.0):
        slope = by_differences(lambda t, g=g: exact_value(late_pay(g), t, 0, BLIND), np.array([0.7]))
        np.testing.assert_allclose(exact_policy_gradient(late_pay(g), [0.7], 0, BLIND), slope, atol=1e-8)


def test_the_mixed_direction_is_the_gradient_of_nothing():
    """Its Jacobian is not symmetric, that of a gradient is."""
    game, theta = twin(0.6), np.random.default_rng(0).normal(size=12)

    def jacobian(visits):
        rows = [
            exact_policy_gradient(game, (theta + s * e).reshape(4, 3), START, visits=visits).ravel() * s / 2e-4
            for e in 1e-4 * np.eye(12) for s in (1, -1)
        ]  # fmt: skip
        return np.array(rows[::2]) + np.array(rows[1::2])

    for visits, symmetric in (("discounted", True), ("all", False)):
        J = jacobian(visits)
        assert bool(np.abs(J - J.T).max() < 1e-6) is symmetric


# --- REINFORCE ------------------------------------------------------------------------------------------------------


def test_corridor_in_closed_form():
    world = ShortCorridor()
    for p in (0.05, 0.3, 0.586, 0.9):
        exact = exact_value(world.mdp(1.0), [0.0, math.log(p / (1 - p))], 0, world.features)
        assert exact == pytest.approx(float(world.value(p)), rel=1e-9)
    assert world.value(world.best) == pytest.approx(-6 - 4 * math.sqrt(2))
    slope = exact_policy_gradient(world.mdp(1.0), [0.0, math.log(world.best / (1 - world.best))], 0, world.features)
    np.testing.assert_allclose(slope, 0, atol=1e-9)
    assert world.value([0.5, 0.95]) == pytest.approx([-12, -44.2105], abs=1e-4)
    with pytest.raises(ValueError, match="between 0 and 1"):
        world.value(1.0)


def test_corridor_walks():
    world = ShortCorridor()
    world.reset(seed=0)
    steps = [world.step(a)[0] for a in (0, 1, 1, 1, 0, 1)]
    assert steps == [0, 1, 0, 1, 2, 3]
    with pytest.raises(ValueError, match="over"):
        world.step(1)


def test_reinforce_recomputed():
    """Three episodes with a learnt baseline and a discount, by hand from the same draws."""
    world = TabularEnv(TWIN, start=[0.5, 0.3, 0.2, 0])
    x, phi = np.random.default_rng(0).normal(size=(4, 2, 3)), np.random.default_rng(1).normal(size=(4, 2))
    policy, log = SoftmaxPolicy(x), []

    class Spy:
        def act(self, theta, s, rng):
            a, score = policy.act(theta, s, rng)
            np.testing.assert_allclose(score, policy.score(theta, s, a))
            log.append([s, a, theta.copy()])
            return a, score

    class World:
        action_space = world.action_space

        def reset(self, seed=None):
            log.append("reset")
            return world.reset(seed=seed)

        def step(self, a):
            out = world.step(a)
            log[-1].append(out[1])
            return out

    run = reinforce(World(), Spy(), 3, 0.05, 0.7, 4, np.zeros(3), baseline=phi, beta=0.3, history=True)
    episodes = [list(g) for reset, g in itertools.groupby(log, lambda row: row == "reset") if not reset]
    theta, w = np.zeros(3), np.zeros(2)
    for k, episode in enumerate(episodes):
        states, paid = [row[0] for row in episode], [row[3] for row in episode]
        G = [sum(0.7 ** (j - t) * paid[j] for j in range(t, len(paid))) for t in range(len(paid))]
        step = sum(
            0.7**t * (G[t] - w @ phi[s]) * policy.score(theta, s, row[1])
            for t, (s, row) in enumerate(zip(states, episode))
        )
        w = w + 0.3 * np.mean([(G[t] - w @ phi[s]) * phi[s] for t, s in enumerate(states)], axis=0)
        theta = theta + 0.05 * step
        np.testing.assert_allclose(run.history[k + 1], theta, atol=1e-12)
        assert run.returns[k] == pytest.approx(sum(paid))
    np.testing.assert_allclose(run.theta, theta)
    assert len(run.history) == 4


@pytest.mark.parametrize(("learn", "cut"), [(True, 100), (False, 100), (True, 7), (False, 7)])
def test_the_quick_corridor_is_reinforce(learn, cut):
    """With a cut after 7 steps many episodes are cut, and the two cut alike."""
    world = ShortCorridor(max_steps=cut)
    slow = reinforce(
        world, SoftmaxPolicy(world.features), 60, 0.003, 1.0, 7, [0.8, -0.3],
        baseline=np.ones((4, 1)) if learn else 0.0, beta=0.2, history=True,
    )  # fmt: skip
    quick = climb_corridor(0.003, (0.8, -0.3), 60, 7, learn=learn, beta=0.2, max_steps=cut)
    np.testing.assert_allclose(quick, softmax(np.array(slow.history))[:, 1], atol=1e-8)


def test_reinforce_climbs_the_corridor():
    ends = [climb_corridor(0.002, (0.5, -0.5), 400, seed)[-1] for seed in range(30)]
    assert abs(np.median(ends) - ShortCorridor.best) < 0.06


def test_reinforce_with_a_gaussian_policy_finds_the_place():
    """One step: reward -(a - 1.5)^2; the mean climbs to 1.5."""

    class Throw:
        def reset(self, seed=None):
            return np.ones(1), {}

        def step(self, a):
            return np.ones(1), -((a - 1.5) ** 2), True, False, {}

    run = reinforce(Throw(), GaussianPolicy(np.asarray, 0.5), 2000, 0.02, 1.0, 0, [0.0], baseline=lambda s: np.ones(1))
    assert run.theta[0] == pytest.approx(1.5, abs=0.25)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"episodes": None}, "episodes or steps"),
        ({"alpha": -1.0}, "alpha"),
        ({"baseline": "V"}, "baseline"),
        ({"weight": "half"}, "weight"),
    ],
)
def test_reinforce_refuses(options, words):
    world = ShortCorridor(max_steps=10)
    given = {"episodes": 1, "alpha": 0.1, "theta": [0.0, 0.0], **options}
    with pytest.raises((ValueError, TypeError), match=words):
        reinforce(world, SoftmaxPolicy(world.features), **given)


# --- Perturbation ---------------------------------------------------------------------------------------------------


def bowl(t):
    return -((t[0] - 1) ** 2) - (t[1] + 2) ** 2


def test_the_classic_search():
    found = perturbation_search(bowl, [0, 0], epsilon=0.1, eta=0.2, n=30, rounds=60, rng=0)
    np.testing.assert_allclose(found.theta, [0.954279, -2.021788], atol=1e-6)
    assert len(found.history) == 61
    assert found.history[1].tried.shape == (30, 2)
    steps = np.linalg.norm(np.diff([r.theta for r in found.history], axis=0), axis=1)
    assert np.isclose(steps, 0.2).sum() + (steps == 0).sum() == 60


def test_combined_step_by_hand():
    signs = [[1, 1], [1, 0], [0, 0], [0, -1], [-1, -1], [-1, 0]]
    np.testing.assert_allclose(combined_step(signs, [8, 6, 3, 6, 1, 1], 1.0), [0.8, 0.6])
    np.testing.assert_allclose(combined_step(signs, [1, 2, 9, 8, 2, 1.5], 0.5), [0, -0.5])
    assert combined_step([[1, 0], [1, 1], [0, -1]], [1.0, 2.0, 4.0], 1.0).tolist() == [0, -1]  # a: no try moved it down


def test_best_of_goes_to_the_best_copy():
    found = perturbation_search(bowl, [0, 0], epsilon=0.3, n=12, rounds=5, how="best", rng=2)
    for before, after in itertools.pairwise(found.history):
        assert after.results.max() == pytest.approx(bowl(after.theta))
        assert set(np.abs(after.tried - before.theta).round(12).ravel()) <= {0.0, 0.3}
    assert perturbation_search(bowl, [0, 0], rounds=9, enough=lambda: True).history[1:][0].tried.shape == (30, 2)


@pytest.mark.parametrize(
    ("options", "words"),
    [({"epsilon": 0}, "epsilon"), ({"eta": -1}, "eta"), ({"n": 0}, "n must"), ({"how": "all"}, "how")],
)
def test_perturbation_refuses(options, words):
    with pytest.raises(ValueError, match=words):
        perturbation_search(bowl, [0, 0], **options)


# --- The car --------------------------------------------------------------------------------------------------------


def test_car_is_gymnasiums():
    gymnasium = pytest.importorskip("gymnasium")
    theirs, ours, rng = gymnasium.make("MountainCar-v0"), MountainCar(), np.random.default_rng(0)
    for seed in range(4):
        first, _ = theirs.reset(seed=seed)
        np.testing.assert_array_equal(ours.reset(seed=seed)[0], first)
        over = False
        while not over:
            a = pump(ours.state) if seed == 3 else int(rng.integers(3))
            got, want = ours.step(a), theirs.step(a)
            np.testing.assert_array_equal(got[0], want[0])
            assert got[1:4] == want[1:4]
            over = got[2] or got[3]
    theirs.close()


def test_car_at_the_walls_is_gymnasiums():
    gymnasium = pytest.importorskip("gymnasium")
    theirs, rng = gymnasium.make("MountainCar-v0").unwrapped, np.random.default_rng(1)
    theirs.reset(seed=0)
    states = [*rng.uniform([-1.2, -0.07], [0.6, 0.07], size=(200, 2)), (-1.19, -0.05), (0.59, 0.06), (-1.2, 0.0)]
    following, paid, up = car_model(np.array(states))
    for k, (x, v) in enumerate(states):
        for a in range(3):
            theirs.state = (float(x), float(v))
            _, reward, over, _, _ = theirs.step(a)
            np.testing.assert_allclose(push(float(x), float(v), a), theirs.state, atol=1e-15)
            np.testing.assert_allclose(following[k, a], theirs.state, atol=1e-15)
            assert paid[k, a] == reward
            assert up[k, a] == over


def test_agents_run_on_gymnasiums_car():
    gymnasium = pytest.importorskip("gymnasium")
    env = gymnasium.make("MountainCar-v0")
    run = semi_gradient_sarsa(env, TILES, 2, 0.05, 1.0, 0.1, 0)
    assert run.returns.tolist() == [-200, -200]
    climbed = reinforce(env, SoftmaxPolicy(race.pushes), 1, 1e-4, 0.99, 0, np.zeros(3))
    assert climbed.returns.tolist() == [-200]
    env.close()


def test_car_interface_and_messages():
    car = MountainCar(max_steps=3)
    assert car.action_space.n == 3
    assert car.reset(seed=1)[0] in car.observation_space
    assert car.unwrapped is car
    assert [car.step(1)[3] for _ in range(3)] == [False, False, True]
    with pytest.raises(ValueError, match="call reset"):
        car.step(1)
    car.reset(options={"state": (0.49, 0.06)})
    assert car.step(2)[2] is True
    car.reset()
    with pytest.raises(ValueError, match="0, 1 and 2"):
        car.step(3)
    with pytest.raises(ValueError, match="must lie in"):
        car.reset(options={"state": (0.7, 0.0)})
    with pytest.raises(ValueError, match="start"):
        MountainCar(start="top")
    anywhere = np.array([MountainCar(start="anywhere", rng=k).reset()[0] for k in range(200)])
    assert anywhere[:, 0].min() < -1
    assert anywhere[:, 0].max() > 0.3
    assert np.abs(anywhere[:, 1]).max() > 0.06


def test_drive_is_the_world():
    car, returns = MountainCar(), []
    for x, v in race.VALLEY[::10]:
        s, total, over = car.reset(options={"state": (x, v)})[0], 0, False
        while not over:
            s, r, ended, cut, _ = car.step(pump(car.state))
            total, over = total + r, ended or cut
        returns.append(total)
    np.testing.assert_array_equal(drive(lambda s: np.where(s[:, 1] >= 0, 2, 0), race.VALLEY[::10]), returns)
    assert (drive(lambda s: np.full(len(s), 2), race.VALLEY) == -200).all()
    assert height(-math.pi / 6) == pytest.approx(0.1)


def test_steps_needed_is_the_greedy_driver():
    theta, starts = np.array([0.1, -0.2, 1.0]), race.ANYWHERE[:12]
    assert race.steps_needed(theta, starts.tolist()) == -drive(race.throttle(theta), starts).sum()


def test_a_car_that_just_reaches_the_goal_has_arrived(monkeypatch):
    monkeypatch.setattr(race, "push", lambda x, v, a: (0.5, 0.0))
    assert race.steps_needed(np.zeros(3), [(-0.5, 0.0), (0.1, 0.02)]) == 2
    monkeypatch.setattr(race, "push", lambda x, v, a: (0.55, -0.01))  # it rolls back
    assert race.steps_needed(np.zeros(3), [(-0.5, 0.0)]) == 200


@pytest.mark.parametrize("name", ["table", "tiles", "REINFORCE", "perturbation"])
def test_what_is_judged_on_the_way_does_not_hang_on_what_comes_later(name):
    """Judged after 150, 400 and 900 steps, a learner is what it is if it is judged once."""
    learner, setting, at = race.LEARNERS[name], race.TRIED[name][0], (150, 400, 900)
    together = learner(3, setting, at=at)
    assert together == [learner(3, setting, at=(k,))[0] for k in at]
    assert len(set(together)) > 1


def test_perturbation_counts_all_its_steps():
    """A round that goes beyond k steps is not known after k of them: recounted with the same draws."""
    rng, theta, taken = np.random.default_rng(8), np.zeros(3), 0
    while True:
        starts = [(rng.uniform(-1.2, 0.5), rng.uniform(-0.07, 0.07)) for _ in range(2)]
        tried, steps = [], []
        signs = rng.choice([-1, 0, 1], size=(4, 3))
        for row in signs:
            tried.append(theta + row)
            steps.append(race.steps_needed(tried[-1], starts))
        taken += sum(steps)
        if taken >= 3000:
            break
        theta = theta + combined_step(signs, -np.array(steps), 1.0)
    assert race.by_perturbation(8, (4, 2), at=(3000,))[0] == race.judge(race.throttle(theta))


@pytest.mark.parametrize("name", list(race.LEARNERS))
def test_the_stored_race_begins_as_the_same_code_begins(name):
    for k in (0, 7):
        anywhere, valley = race.LEARNERS[name](race.SEEDS[k], race.CHOSEN[name], at=race.AT[:1])[0]
        assert race.race()[name][k, 0] == pytest.approx(anywhere, abs=0.06)
        assert race.race("valley")[name][k, 0] == pytest.approx(valley, abs=0.06)


def test_one_stored_return_of_the_tuning_is_repeated():
    name, setting = "perturbation", (10, 1)
    stored = race.tuning()[name][race.TRIED[name].index(setting)]
    np.testing.assert_allclose(race.tune(name, setting), stored, atol=0.06)


def test_the_stored_race_is_whole_and_fair():
    """Each learner had as many settings, on the same seeds; none of them is among those of the race."""
    for where in ("anywhere", "valley"):
        for returns in race.race(where).values():
            assert returns.shape == (len(race.SEEDS), len(race.AT)) == (20, 4)
            assert (returns <= -40).all()
            assert (returns >= -200).all()
    assert not set(race.SEEDS) & set(race.TUNING)
    assert {name: len(tried) for name, tried in race.TRIED.items()} == dict.fromkeys(race.LEARNERS, 6)
    for name, tried in race.TRIED.items():
        assert race.tuning()[name].shape == (6, 2)
        assert tried[race.tuning()[name][:, 0].argmax()] == race.CHOSEN[name]
    with open(race.TUNED, encoding="utf-8") as file:
        rows = [line.split(",") for line in file.read().splitlines()[1:]]
    given = [(name, *map(float, setting)) for name, tried in race.TRIED.items() for setting in tried]
    assert [(row[0], float(row[1]), float(row[2])) for row in rows] == given
    with pytest.raises(ValueError, match="where"):
        race.race("hill")


def test_perturbed_weights_of_the_race_have_no_scale():
    """The greedy driver hangs on the direction of the weights alone: that is why tries and steps have size 1."""
    theta = np.array([0.1, -0.2, 1.0])
    np.testing.assert_array_equal(*(drive(race.throttle(c * theta), race.ANYWHERE[:50]) for c in (1, 7)))


# --- Defaults and limits --------------------------------------------------------------------------------------------

ROW = [[0.5, -0.5], [-0.2, 0.4]], [1.0, 3.0]
BATCH = ([[0.0], [1.0]], [0, 1], [1.0, 2.0], [[1.0], [1.0]], [True, False])


def box(**options):
    return interpolated_value_iteration(line_model, Hats(-2, 2, 5), **{"gamma": 0.9, "max_iter": 3, **options})


def climb(**options):
    world = ShortCorridor(max_steps=10)
    given = {"episodes": 3, "alpha": 0.1, "theta": [0.0, 0.0], **options}
    return reinforce(world, SoftmaxPolicy(world.features), **given)


def walk(**options):
    return semi_gradient_sarsa(
        TabularEnv(TWIN, start=0), one_hot, **{"episodes": 3, "theta": np.zeros((2, 4)), **options}
    )


@pytest.mark.parametrize(
    ("short", "long"),
    [
        (lambda: returns_to_go([1, 2, 3]), lambda: returns_to_go([1, 2, 3], 1.0)),
        (lambda: gradient_estimate(*ROW), lambda: gradient_estimate(*ROW, 1.0, weight="to go", baseline=0.0)),
        (lambda: gradient_estimate(*ROW, 0.5), lambda: gradient_estimate(*ROW, 0.5, discounted=True)),
        (lambda: GaussianPolicy(np.asarray).score([1.0], [2.0], 3.0), lambda: [(3.0 - 2.0) * 2.0]),
        (lambda: climb().theta, lambda: climb(gamma=1.0, rng=0, baseline=0.0, weight="to go", discounted=True).theta),
        (lambda: climb(baseline=np.ones((4, 1))).theta, lambda: climb(baseline=np.ones((4, 1)), beta=0.1).theta),
        (lambda: walk().q.theta, lambda: walk(alpha=0.1, gamma=1.0, epsilon=0.1, rng=0).q.theta),
        (lambda: line_value(1.3), lambda: line_value(1.3, 0.9)),
        (lambda: two_features(0.7), lambda: two_features(0.7, 0.5)),
        (lambda: Tiles(0, 1, 3).n, lambda: Tiles(0, 1, 3, 1).n),
        (
            lambda: perturbation_search(bowl, [0, 0]).theta,
            lambda: (
                perturbation_search(bowl, [0, 0], epsilon=0.1, eta=0.2, n=30, rounds=60, rng=0, how="combined").theta
            ),
        ),
        (
            lambda: fitted_q_iteration(BATCH, one_hot, 2, 0.9).q.theta,
            lambda: fitted_q_iteration(BATCH, one_hot, 2, 0.9, 100, lam=1e-3).q.theta,
        ),
        (
            lambda: len(fitted_value_iteration([[1.0], [2.0]], two_states, lambda s: s, 0.5).history),
            lambda: 101,
        ),
        (
            lambda: climb_corridor(0.01, (0, 0), 9, 0),
            lambda: climb_corridor(0.01, (0, 0), 9, 0, learn=True, beta=0.1, max_steps=100),
        ),
        (lambda: MountainCar().max_steps, lambda: 200),
        (lambda: drive(lambda s: np.ones(len(s)), [[-0.5, 0.0]]), lambda: [-200]),
    ],
)
def test_defaults(short, long):
    np.testing.assert_allclose(short(), long(), rtol=1e-12)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: GaussianPolicy(np.asarray, 0.0), "sigma"),
        (lambda: neural_q_iteration(BATCH, NeuralQ([0.0], [1.0], 2), 0.5, 1, unit=0.0), "unit"),
        (lambda: neural_q_iteration(BATCH, NeuralQ([0.0], [1.0], 2), 0.5, 0), "n_iter"),
        (lambda: neural_q_iteration(BATCH, NeuralQ([0.0], [1.0], 2), 1.01, 1), "gamma"),
        (lambda: neural_q_iteration(BATCH, NeuralQ([0.0], [1.0], 2), -0.01, 1), "gamma"),
        (lambda: NeuralQ([0.0], [1.0], 0), "n_actions"),
        (lambda: NeuralQ([0.0], [1.0], 2, 0), "hidden"),
        (lambda: box(gamma=1.01), "gamma"),
        (lambda: box(gamma=-0.01), "gamma"),
        (lambda: box(tol=0.0), "tol"),
        (lambda: box(max_iter=0), "max_iter"),
        (lambda: Tiles(0, 1, 3, 0), "tilings"),
        (lambda: LinearQ(one_hot, 0, np.zeros((0, 4))), "n_actions"),
        (lambda: fitted_q_iteration(BATCH, one_hot, 2, 0.9, 0), "n_iter"),
        (lambda: fitted_q_iteration(BATCH, one_hot, 2, 0.9, lam=0.0), "lam"),
        (lambda: fitted_q_iteration(BATCH, one_hot, 2, 1.01), "gamma"),
        (lambda: fitted_value_iteration([[1.0]], two_states, lambda s: s, 1.01), "gamma"),
        (lambda: fitted_value_iteration([[1.0]], two_states, lambda s: s, 0.5, -1), "n_iter"),
        (lambda: collect(TabularEnv(TWIN, start=0), 0), "steps"),
        (lambda: climb(beta=-0.1), "beta"),
        (lambda: climb(gamma=1.01), "gamma"),
        (lambda: climb(episodes=0), "episodes"),
        (lambda: climb(episodes=None, steps=0), "steps"),
        (lambda: climb(at=(0,)), "at"),
        (lambda: walk(alpha=-0.1), "alpha"),
        (lambda: walk(epsilon=1.01), "epsilon"),
        (lambda: walk(gamma=1.01), "gamma"),
        (lambda: perturbation_search(bowl, [0, 0], eta=0.0), "eta"),
        (lambda: perturbation_search(bowl, [0, 0], rounds=-1), "rounds"),
        (lambda: line_value(0.5, 1.0), "gamma"),
        (lambda: two_features(1.01), "gamma"),
        (lambda: two_features(0.5, 1.01), "share"),
        (lambda: two_features(0.5, -0.01), "share"),
        (lambda: MountainCar(max_steps=0), "max_steps"),
        (lambda: drive(lambda s: np.ones(len(s)), [[-0.5, 0.0]], 0), "max_steps"),
        (lambda: all_paths(three_rounds(0.9), np.full((6, 2), 0.5), 0, 0), "max_steps"),
        (lambda: all_paths(three_rounds(0.9), np.full((6, 2), 0.5), 6), "start"),
        (lambda: all_paths(three_rounds(0.9), np.full((6, 2), 0.5), -1), "start"),
        (lambda: exact_value(three_rounds(0.9), np.zeros((6, 2)), 6), "start"),
        (lambda: ShortCorridor.value(0.0), "between 0 and 1"),
    ],
)
def test_beyond_the_limits(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def test_at_the_limits():
    """The edges that are allowed: no step, no round, one of each, all and no discount."""
    assert neural_q_iteration(BATCH, NeuralQ([0.0], [1.0], 1 + 1, 1), 0.0, 1, epochs=1, unit=1e-9) is not None
    assert neural_q_iteration(BATCH, NeuralQ([0.0], [1.0], 2, 1), 1.0, 1, epochs=1) is not None
    assert NeuralQ([0.0], [1.0], 1, 1).values([[3.0]]).shape == (1, 1)
    assert box(gamma=1.0, max_iter=1).n_iter == 1
    np.testing.assert_allclose(box(gamma=0.0).V, -(np.linspace(-2, 2, 5) ** 2))
    assert box(tol=1e3).n_iter == 1
    assert LinearQ(one_hot, 1, np.ones((1, 4))).greedy([[2.0]]).tolist() == [0]
    assert len(fitted_q_iteration(BATCH, one_hot, 2, 1.0, 1).history) == 1
    assert len(fitted_value_iteration([[1.0]], two_states, lambda s: s, 1.0, 0).history) == 1
    assert len(collect(TabularEnv(TWIN, start=0), 1).states) == 1
    assert climb(alpha=0.0, beta=0.0, gamma=0.0, episodes=1).theta.tolist() == [0, 0]
    assert len(climb(episodes=None, steps=1, at=(1,)).snapshots) == 1
    assert not walk(alpha=0.0, epsilon=1.0, gamma=0.0).q.theta.any()
    assert len(walk(epsilon=0.0, episodes=1).returns) == 1
    assert len(perturbation_search(bowl, [0, 0], n=1, rounds=0).history) == 1
    assert two_features(0.0) == 0
    assert MountainCar(max_steps=None).max_steps is None
    assert drive(lambda s: np.ones(len(s)), [[-0.5, 0.0]], 1).tolist() == [-1]
    assert len(all_paths(late_pay(1.0), np.full((4, 2), 0.5), 2, 1)) == 2
    assert GaussianPolicy(np.asarray, 1e-6).sigma == 1e-6


# --- Errata ---------------------------------------------------------------------------------------------------------


def test_erratum_s0_e121():
    """The policy is the argmax of Q, not its maximum; and the value of an argmax policy has no slope."""
    Q = np.array([[3.0, 5.0]])
    assert Q.max() == 5
    assert LinearQ(lambda s: s, 2, Q.T).greedy([[1.0]])[0] == 1
    game, theta = three_rounds(0.9), np.tile([0.0, 0.4], (6, 1))

    def hard(t):
        return policy_evaluation(game, np.eye(2)[t.argmax(axis=1)])[0]

    assert (by_differences(hard, theta) == 0).all()
    assert np.abs(exact_policy_gradient(game, theta, 0)).max() > 0.1


def test_erratum_s0_e122():
    """Without a guard the step A/|A| is 0/0 where all tries give alike."""
    signs, results = np.array([[1, -1], [-1, 1], [0, 0]]), np.ones(3)
    A = np.zeros(2)
    with np.errstate(invalid="ignore"):
        assert np.isnan(A / np.linalg.norm(A)).all()
    assert combined_step(signs, results, 0.2).tolist() == [0, 0]


def test_erratum_s1_e84():
    """The model supplies the expectation, and the fit may say +3.70 where no reward is positive, or diverge."""
    states = np.linspace(-2, 2, 201)[:, None]
    assert fitted_value_iteration(states, line_model, powers, 0.9, 400).theta[0] > 3.6
    assert line_value(0.0)[0] == 0
    grown = fitted_value_iteration([[1.0], [2.0]], two_states, lambda s: s, 0.95, 200, theta=[1.0]).theta[0]
    assert grown > 1e6

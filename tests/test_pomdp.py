"""Chapter 32: beliefs against sums over paths, vectors against all plans, pruning against geometry, bounds in order."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlteach.mdp import finite_horizon, policy_iteration, q_from_v
from mlteach.pomdp import (
    POMDP,
    AlphaVector,
    BeliefEnv,
    Controller,
    PolicyTree,
    act_by_planes,
    all_trees,
    all_vectors,
    alpha_history,
    alpha_vectors,
    as_belief,
    backup,
    belief_grid,
    belief_mdp,
    belief_reward,
    belief_update,
    belief_walk,
    best_plan,
    blind_policies,
    bound_value,
    branches,
    controller,
    controller_values,
    corners,
    informed_bound,
    n_plans,
    observation_probabilities,
    point_based,
    policy_tree,
    prune,
    qmdp,
    simulate,
    solve_discretized,
    solve_endless,
    thirsty_plant,
    tiger,
    tree_vector,
    two_rooms,
    useful,
    value_of,
    witness,
    worn_pump,
)
from mlteach.pomdp.alpha import change_at_most
from mlteach.pomdp.discretized import places
from mlteach.pomdp.pruning import _walk, envelope

READY = {"tiger": tiger(), "plant": thirsty_plant(), "pump": worn_pump(), "rooms": two_rooms(0.9)}
HALF = [0.5, 0.5]


def random_pomdp(seed, S=3, A=2, Z=2, gamma=0.9):
    """Draw a world in which nothing is symmetric."""
    rng = np.random.default_rng(seed)
    return POMDP(
        rng.dirichlet(np.ones(S), size=(S, A)),
        rng.dirichlet(np.ones(Z), size=(A, S)),
        rng.normal(size=(S, A)) * 3,
        gamma,
    )


def line_of(n):
    x = np.linspace(0, 1, n)
    return np.column_stack([x, 1 - x])


# --- The belief ----------------------------------------------------------------------------------------------------


def test_the_tiger_by_hand():
    b = belief_update(tiger(), HALF, "listen", "left")
    assert b.tolist() == pytest.approx([0.85, 0.15])
    assert observation_probabilities(tiger(), b, "listen").tolist() == pytest.approx([0.745, 0.255])
    b = belief_update(tiger(), b, "listen", "left")
    assert b[0] == pytest.approx(0.969799, abs=1e-6)
    assert belief_reward(tiger(), b, "open right") == pytest.approx(6.677852, abs=1e-6)
    assert belief_reward(tiger(), HALF, "open left") == -45
    assert belief_update(tiger(), [0.9, 0.1], "open left", "right").tolist() == HALF  # placed anew


def test_the_plant_by_hand_tells_old_from_new_states():
    plant = thirsty_plant()
    pay = [belief_reward(plant, [0.6, 0.4], action) for action in ("wait", "touch", "water")]
    assert pay == pytest.approx([0.6 * 2 - 0.4 * 4, 0.6 * 1.5 - 0.4 * 4.5, -0.6 - 0.4 * 2.5])
    assert belief_update(plant, [0.6, 0.4], "wait", "limp").tolist() == pytest.approx([0.2, 0.8])
    assert observation_probabilities(plant, [0.6, 0.4], "wait").tolist() == pytest.approx([0.625, 0.375])
    assert belief_update(plant, [0.6, 0.4], "water", "firm")[0] == pytest.approx(
        0.93 * 0.85 / (0.93 * 0.85 + 0.07 * 0.4)
    )


@given(st.integers(0, 10_000), st.integers(1, 4))
@settings(max_examples=30, deadline=None)
def test_belief_is_bayes_rule_over_all_paths(seed, steps):
    w, rng = random_pomdp(seed, S=3, A=2, Z=3), np.random.default_rng(seed)
    b0, a, z = rng.dirichlet(np.ones(3)), rng.integers(2, size=steps), rng.integers(3, size=steps)
    weight = np.zeros(3)
    for path in itertools.product(range(3), repeat=steps + 1):
        p = b0[path[0]]
        for t in range(steps):
            p *= w.P[path[t], a[t], path[t + 1]] * w.O[a[t], path[t + 1], z[t]]
        weight[path[-1]] += p
    walk = belief_walk(w, b0, a.tolist(), z.tolist())
    assert walk.shape == (steps + 1, 3)
    assert walk[-1] == pytest.approx(weight / weight.sum())
    chances = [observation_probabilities(w, walk[t], int(a[t]))[z[t]] for t in range(steps)]
    assert np.prod(chances) == pytest.approx(weight.sum())


def test_branches_are_a_distribution_whose_mean_is_the_prediction():
    for w in READY.values():
        b = np.random.default_rng(1).dirichlet(np.ones(w.n_states))
        for k, a in enumerate(w.actions):
            found = branches(w, b, a)
            assert sum(x.probability for x in found) == pytest.approx(1)
            assert sum(x.probability * x.belief for x in found) == pytest.approx(b @ w.P[:, k])
            assert [x.observation for x in found] == list(w.observations)


def test_impossible_observations_are_refused_and_left_out():
    sure = tiger(accuracy=1.0)
    with pytest.raises(ValueError, match="observation 'right' is impossible after action 'listen'.*probability is 0"):
        belief_update(sure, [1.0, 0.0], "listen", "right")
    assert [x.observation for x in branches(sure, [1.0, 0.0], "listen")] == ["left"]
    assert policy_tree(sure, [1.0, 0.0], 2).branches.keys() == {"left", "right"}  # it opens: both may follow
    assert policy_tree(tiger(1.0, bite=-1e6), HALF, 2).branches["left"].action == "open right"


def test_a_belief_may_name_its_states():
    assert as_belief(worn_pump(), {"worn": 0.25, "sound": 0.75}).tolist() == [0.75, 0.25, 0]


# --- Vectors and plans ---------------------------------------------------------------------------------------------


def test_one_and_two_steps_of_the_tiger_by_hand():
    first = {p.action: p.vector.tolist() for p in alpha_vectors(tiger(), 1)}
    assert first == {"listen": [-1, -1], "open left": [-100, 10], "open right": [10, -100]}
    two = {(p.action, p.after): p.vector for p in alpha_vectors(tiger(), 2)}
    once = alpha_vectors(tiger(), 1)
    names = {(a, tuple(once[i].action for i in after)) for a, after in two}
    assert names == {
        ("listen", ("listen", "listen")),
        ("listen", ("open right", "listen")),
        ("listen", ("listen", "open left")),
        ("open left", ("listen", "listen")),
        ("open right", ("listen", "listen")),
    }
    vectors = {(a, tuple(once[i].action for i in after)): v for (a, after), v in two.items()}
    assert vectors["listen", ("open right", "listen")].tolist() == pytest.approx([6.9325, -16.0575])
    assert vectors["listen", ("listen", "listen")].tolist() == pytest.approx([-1.95, -1.95])
    assert vectors["open left", ("listen", "listen")].tolist() == pytest.approx([-100.95, 9.05])


@pytest.mark.parametrize("name", ["tiger", "plant", "rooms"])
@pytest.mark.parametrize("horizon", [1, 2, 3])
def test_vectors_are_the_envelope_of_all_plans(name, horizon):
    w, b = READY[name], line_of(201)
    plans, brute = alpha_vectors(w, horizon), all_vectors(w, horizon)
    assert value_of(plans, b) == pytest.approx((b @ brute.T).max(axis=1))
    assert len(plans) == len(prune(brute))
    for plan in plans:
        assert np.abs(brute - plan.vector).max(axis=1).min() < 1e-9
        assert (b @ plan.vector).max() <= (b @ brute.T).max(axis=1).max() + 1e-9


@given(st.integers(0, 10_000))
@settings(max_examples=8, deadline=None)
def test_vectors_of_random_worlds_with_three_states(seed):
    w = random_pomdp(seed, S=3, A=2, Z=2)
    b = np.random.default_rng(seed).dirichlet(np.ones(3), size=200)
    brute = all_vectors(w, 3)
    plans = alpha_vectors(w, 3)
    assert value_of(plans, b) == pytest.approx((b @ brute.T).max(axis=1))
    assert len(plans) <= len(brute)


def _bellman(w, b, h):
    if h == 0:
        return 0.0
    return max(
        belief_reward(w, b, a) + w.gamma * sum(x.probability * _bellman(w, x.belief, h - 1) for x in branches(w, b, a))
        for a in w.actions
    )


@pytest.mark.parametrize("name", list(READY))
def test_vectors_solve_bellmans_equation(name):
    w = READY[name]
    plans = alpha_vectors(w, 4)
    for b in np.random.default_rng(2).dirichlet(np.ones(w.n_states), size=3):
        assert value_of(plans, b) == pytest.approx(_bellman(w, b, 4))


def test_a_seen_state_gives_chapter_27():
    w = worn_pump()
    seen = w.with_sensor(np.stack([np.eye(3)] * 3))
    plan = finite_horizon(w.mdp(), 5)
    for s in range(3):
        assert value_of(alpha_vectors(seen, 5), np.eye(3)[s]) == pytest.approx(plan.V[0, s])


def test_values_by_horizon_and_counts():
    half = [value_of(p, HALF) for p in alpha_history(tiger(), 5)]
    assert half == pytest.approx([-1, -1.95, 2.3098, 1.795544, 2.763096], abs=1e-5)
    assert [len(p) for p in alpha_history(two_rooms(), 9)] == [1, 2, 4, 8, 16, 30, 52, 88, 144]
    assert len(alpha_vectors(tiger(), 15)) == 47
    assert len(alpha_vectors(tiger(0.65), 20)) == 165


def test_s_for_s_prime_is_told_by_the_plant_not_by_the_tiger():
    def wrong(w, vectors):
        plans = []
        for a in range(w.n_actions):
            for choice in itertools.product(vectors, repeat=w.n_observations):
                plans.append(w.R[:, a] + w.gamma * sum(w.O[a, :, z] * v for z, v in enumerate(choice)))
        return np.array(plans)

    for w, agrees in ((tiger(), True), (thirsty_plant(), False)):
        old = [w.R[:, a] for a in range(3)]
        same = (np.array(HALF) @ wrong(w, old).T).max() == pytest.approx(value_of(alpha_vectors(w, 2), HALF))
        assert bool(same) is agrees


def test_backup_at_every_pruning_gives_the_same_value():
    for name in ("tiger", "plant"):
        w = READY[name]
        values = [
            value_of(alpha_vectors(w, 3, how), line_of(101)) for how in ("auto", "geometry", "program", "pointwise")
        ]
        for v in values[1:]:
            assert v == pytest.approx(values[0])
    assert len(alpha_vectors(tiger(), 2, "none")) == 27
    assert len(alpha_vectors(tiger(), 5, "pointwise")) > len(alpha_vectors(tiger(), 5))
    assert len(backup(tiger(), [p.vector for p in alpha_vectors(tiger(), 1)])) == 5


def test_value_and_best_plan():
    plans = alpha_vectors(tiger(), 1)
    assert best_plan(plans, [0.95, 0.05]).action == "open right"
    assert best_plan(plans, HALF).action == "listen"
    assert value_of(plans, [[0.95, 0.05], [0.05, 0.95], HALF]).tolist() == pytest.approx([4.5, 4.5, -1])
    act = act_by_planes(tiger(), [p.vector for p in plans], [p.action for p in plans])
    assert act(np.array([[0.95, 0.05], [0.05, 0.95], HALF])).tolist() == [2, 1, 0]


# --- Policy trees --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", list(READY))
def test_the_tree_is_worth_the_value(name):
    w, h = READY[name], 3 if name == "pump" else 5
    plans = alpha_vectors(w, h)
    for b in np.random.default_rng(3).dirichlet(np.ones(w.n_states), size=3):
        assert b @ tree_vector(w, policy_tree(w, b, h)) == pytest.approx(value_of(plans, b))


def test_trees_print_and_count():
    assert str(policy_tree(tiger(), HALF, 3)).splitlines() == [
        "listen",
        "  left: listen",
        "    left: open right",
        "    right: listen",
        "  right: listen",
        "    left: listen",
        "    right: open left",
    ]
    assert policy_tree(tiger(), HALF, 1) == PolicyTree("listen", {})
    assert len(all_trees(tiger(), 2)) == n_plans(3, 2, 2) == 27
    assert n_plans(3, 2, 3) == 2187
    assert n_plans(2, 1, 4) == 16
    assert n_plans(2, 3, 3) == 2**13
    with pytest.raises(ValueError, match="policy trees of 4 steps; at most"):
        all_trees(tiger(), 4)


# --- Pruning -------------------------------------------------------------------------------------------------------


def test_the_five_plans_of_the_task():
    five = np.array([[0, 10], [9, 1], [5, 5.2], [4, 4.5], [1, 8]])
    assert useful(five, "geometry") == useful(five, "program") == [0, 1, 2]
    assert useful(five, "pointwise") == [0, 1, 2, 4]


@given(st.integers(0, 100_000), st.integers(2, 60))
@settings(max_examples=20, deadline=None)
def test_geometry_equals_program_for_two_states(seed, n):
    rng = np.random.default_rng(seed)
    slope = rng.normal(size=n) * 3
    lines = np.column_stack([-(slope**2) / 8 + rng.normal(size=n) * rng.choice([0.01, 0.3, 2]), slope])
    lines[:, 1] += lines[:, 0]
    kept = useful(lines, "geometry")
    assert kept == useful(lines, "program") == _walk(lines)
    b = line_of(500)
    assert (b @ lines[kept].T).max(axis=1) == pytest.approx((b @ lines.T).max(axis=1))
    for i in kept[:4]:  # each is the only best one somewhere
        assert witness(lines[i], np.delete(lines, i, axis=0)) is not None


def test_many_lines_by_leaving_out_first():
    rng = np.random.default_rng(5)
    slope = rng.normal(size=3000)
    lines = np.column_stack([-(slope**2) / 2 - rng.exponential(size=3000) * 0.1, slope])
    lines[:, 1] += lines[:, 0]
    assert envelope(lines) == _walk(lines)


@given(st.integers(0, 100_000))
@settings(max_examples=8, deadline=None)
def test_program_keeps_all_winners_and_drops_the_rest(seed):
    rng = np.random.default_rng(seed)
    planes = rng.normal(size=(12, 4))
    kept = useful(planes, "program")
    b = rng.dirichlet(np.ones(4) * 0.7, size=2000)
    assert set(np.argmax(b @ planes.T, axis=1)) <= set(kept)
    for i in range(12):
        others = np.delete(planes, i, axis=0)
        at = witness(planes[i], others)
        assert (at is not None) == (i in kept)
        if at is not None:
            assert at.sum() == pytest.approx(1)
            assert at @ planes[i] >= (others @ at).max() - 1e-9
    pointwise = useful(planes, "pointwise")
    assert set(kept) <= set(pointwise)


def test_ties_and_twins():
    assert prune([[1, 2], [1, 2], [0, 0]]).tolist() == [[1, 2]]
    assert prune([[0, 1], [1, 0], [0.5, 0.5]]).tolist() == [[0, 1], [1, 0]]  # only touches
    assert len(prune([[0, 1], [1, 0], [0.5 + 1e-6, 0.5 + 1e-6]])) == 3
    assert len(prune([[0, 1, 0], [1, 0, 0], [0, 0, 1], [1 / 3, 1 / 3, 1 / 3]])) == 3
    parallel = np.array([[0.3, 0.2 + 0.1], [0.1, 0.1], [1 / 3, 1 / 3]])  # equal slopes but for rounding
    assert useful(parallel) == [2]
    assert useful(np.array([[5.0, 0.0]])) == [0]


def test_prune_takes_plans_too():
    plans = alpha_vectors(tiger(), 3, "pointwise")
    kept = prune(plans)
    assert all(isinstance(p, AlphaVector) for p in kept)
    assert len(kept) <= len(plans)
    assert len(prune(plans, "program")) == len(kept)


def test_bad_input_of_prune():
    with pytest.raises(ValueError, match=r"vectors must have shape \(n, S\)"):
        prune([1.0, 2.0])
    with pytest.raises(ValueError, match="two states; got 3. Use 'program'"):
        prune(np.eye(3), "geometry")
    with pytest.raises(ValueError, match="method must be one of 'auto'"):
        prune(np.eye(2), "lp")


# --- For ever ------------------------------------------------------------------------------------------------------


def test_endless_tiger():
    w = tiger()
    found = solve_endless(w, 1e-3)
    assert len(found.plans) == 9
    assert found.value(HALF) == pytest.approx(19.3714, abs=1.1e-3)
    machine = controller(w, found, HALF)
    assert sorted(machine.actions) == ["listen", "listen", "listen", "open left", "open right"]
    assert controller_values(w, machine)[machine.start] @ HALF == pytest.approx(19.371368, abs=1e-6)
    assert machine.run([0, 0, 1]) == ["listen", "listen", "open right", "listen"]
    assert machine.run([0, 1, 1, 1]) == ["listen", "listen", "listen", "listen", "open left"]


def test_endless_plant_is_worth_what_its_controller_is():
    w, b = thirsty_plant(), [0.9, 0.1]
    found = solve_endless(w, 1e-6)
    machine = controller(w, found, b)
    assert controller_values(w, machine)[0] @ b == pytest.approx(found.value(b), abs=1e-5)
    assert found.value(line_of(50)) == pytest.approx(solve_discretized(w, 801).value(line_of(50)), abs=2e-3)


def test_controller_values_solve_their_equation():
    w = worn_pump()
    machine = Controller(["run", "inspect", "replace"], np.array([[0, 1], [0, 2], [1, 0]]), 0)
    V = controller_values(w, machine)
    for n, name in enumerate(machine.actions):
        a = w.action(name)
        for s in range(3):
            ahead = sum(w.P[s, a, t] * w.O[a, t, z] * V[machine.next[n, z], t] for t in range(3) for z in range(2))
            assert V[n, s] == pytest.approx(w.R[s, a] + w.gamma * ahead)


def test_change_bounds_the_true_change():
    w = thirsty_plant()
    stages = alpha_history(w, 6)
    for old, new in itertools.pairwise(stages):
        true = np.abs(value_of(new, line_of(300)) - value_of(old, line_of(300))).max()
        assert true <= change_at_most(new, old) + 1e-12
    assert change_at_most(stages[0], stages[0]) == 0


def test_endless_is_within_its_tolerance():
    exact = solve_endless(thirsty_plant(), 1e-9).value(line_of(60))
    for tol in (1.0, 0.1, 1e-3):
        rough = solve_endless(thirsty_plant(), tol)
        assert np.abs(rough.value(line_of(60)) - exact).max() <= tol


def test_endless_may_use_all_its_steps():
    """As many as it takes are enough, and one less is not."""
    n = solve_endless(thirsty_plant(), 1.0).steps
    assert n > 3
    assert solve_endless(thirsty_plant(), 1.0, max_iter=n).steps == n
    with pytest.raises(ValueError, match=f"within {n - 1} steps"):
        solve_endless(thirsty_plant(), 1.0, max_iter=n - 1)


def test_what_never_ends_is_refused():
    for solve in (solve_endless, qmdp, informed_bound, blind_policies, lambda w: solve_discretized(w, 5)):
        with pytest.raises(ValueError, match="needs gamma < 1, since nothing ends"):
            solve(tiger(gamma=1.0))
    with pytest.raises(ValueError, match="did not settle within 3 steps; raise max_iter"):
        solve_endless(tiger(), max_iter=3)
    with pytest.raises(ValueError, match="must be at least 2"):
        solve_endless(tiger(), max_iter=1)
    assert solve_discretized(tiger(gamma=1.0), 41, 3).value(HALF) > 2


# --- The grid ------------------------------------------------------------------------------------------------------


def test_grid_points_and_their_number():
    assert belief_grid(2, 3).tolist() == [[0, 1], [0.5, 0.5], [1, 0]]
    assert len(belief_grid(3, 11)) == 66
    assert len(belief_grid(4, 5)) == 35
    assert belief_grid(4, 5).sum(axis=1) == pytest.approx(1)
    assert len(np.unique(belief_grid(4, 5), axis=0)) == 35


@given(st.integers(0, 10_000), st.integers(2, 4), st.integers(2, 9))
@settings(max_examples=40, deadline=None)
def test_corners_are_grid_points_with_the_belief_as_mean(seed, S, points):
    b = np.random.default_rng(seed).dirichlet(np.ones(S) * 0.5, size=20)
    vertices, weights = corners(b, points)
    assert (weights >= 0).all()
    assert weights.sum(axis=1) == pytest.approx(1)
    assert np.einsum("nk,nks->ns", weights, vertices) == pytest.approx(b)
    used = vertices[weights > 1e-12]
    assert (used >= -1e-12).all()
    assert used * (points - 1) == pytest.approx(np.round(used * (points - 1)))
    assert used.sum(axis=1) == pytest.approx(1)
    on = belief_grid(S, points)
    vertices, weights = corners(on, points)
    assert (weights.max(axis=1) == 1).all()  # a grid point is its own corner, and no other has a share
    assert places(np.array([[points, 0], [0, points]]), points).max() < points  # none of it is a belief


@pytest.mark.parametrize("name", ["tiger", "plant", "pump"])
def test_grid_is_never_below_the_exact_value(name):
    w = READY[name]
    b = np.random.default_rng(7).dirichlet(np.ones(w.n_states), size=80)
    for points, horizon in ((2, 3), (5, 4), (9, 2)):
        gap = solve_discretized(w, points, horizon).value(b) - value_of(alpha_vectors(w, horizon), b)
        assert gap.min() >= -1e-9
    assert solve_discretized(w, 5, 1).value(b).max() >= value_of(alpha_vectors(w, 1), b).max() - 1e-9


def test_grid_converges_to_the_exact_value():
    assert solve_discretized(tiger(), 201).value(HALF) == pytest.approx(19.371368, abs=1e-5)
    exact = value_of(alpha_vectors(thirsty_plant(), 5), line_of(40))
    gaps = [np.abs(solve_discretized(thirsty_plant(), n, 5).value(line_of(40)) - exact).max() for n in (5, 41, 321)]
    assert gaps[0] > gaps[1] > gaps[2]
    assert gaps[2] < 1e-3


def test_the_grids_error_is_what_interpolation_adds_step_by_step():
    """With I for interpolation and T for a backup: I T U - V_h <= (I T U - I V_h) + (I V_h - V_h).

    So gap_h <= gamma gap_(h-1) + eps_h, where eps_h is what interpolating the exact V_h adds.
    """
    w, b = thirsty_plant(), line_of(961)
    for points in (5, 41, 321):
        grown, knots = 0.0, np.linspace(0, 1, points)
        for h, plans in enumerate(alpha_history(w, 5), 1):
            exact = value_of(plans, b)
            eps = np.interp(b[:, 0], knots, value_of(plans, line_of(points))) - exact
            grown = w.gamma * grown + eps.max()
            gap = solve_discretized(w, points, h).value(b) - exact
            assert gap.min() >= -1e-9
            assert gap.max() <= grown + 1e-9


def test_a_finer_grid_that_contains_the_coarser_is_never_worse_and_another_may_be():
    at = {n: solve_discretized(tiger(), n).value(HALF) for n in (5, 9, 17, 27, 42)}
    assert at[5] >= at[9] >= at[17]
    assert at[42] > at[27] + 0.5


def test_grid_of_horizon_one_is_the_reward_and_two_by_hand():
    one = solve_discretized(tiger(), 11, 1)
    assert one.V.tolist() == pytest.approx((one.grid @ tiger().R).max(axis=1).tolist())
    two = solve_discretized(tiger(), 3, 2)
    # at 1/2: listen, then 0.85 lies between the points 0.5 (value -1) and 1 (value 10), 0.7 of the way
    assert two.value(HALF) == pytest.approx(-1 + 0.95 * (0.3 * -1 + 0.7 * 10))
    assert two.action_values(HALF).tolist() == pytest.approx([5.365, -45.95, -45.95])
    assert two.act(np.array([HALF])).tolist() == [0]


def test_the_grid_is_an_mdp():
    grid, mdp = belief_mdp(thirsty_plant(), 6)
    assert mdp.P.sum(axis=2) == pytest.approx(1)
    assert mdp.R == pytest.approx(grid @ thirsty_plant().R)
    mean = np.einsum("iaj,js->ias", mdp.P, grid)  # the mean belief after an action is the prediction
    for a in range(3):
        assert mean[:, a] == pytest.approx(grid @ thirsty_plant().P[:, a])


def test_net_growls_by_accuracy():
    needed = []
    for q in (0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.99):
        p = 1 / (1 + ((1 - q) / q) ** np.arange(20))
        needed.append(int(np.argmax(solve_discretized(tiger(q), 121).act(np.column_stack([p, 1 - p])) != 0)))
    assert needed == [14, 8, 6, 4, 3, 3, 2, 2, 2, 1]


def test_bad_grids():
    with pytest.raises(ValueError, match="points must be at least 2; got 1"):
        solve_discretized(tiger(), 1)
    with pytest.raises(ValueError, match="horizon must be at least 1; got 0"):
        solve_discretized(tiger(), 5, 0)
    with pytest.raises(ValueError, match="a grid of 5,151 beliefs is too large"):
        solve_discretized(worn_pump(), 101)


# --- Bounds --------------------------------------------------------------------------------------------------------


def test_qmdp_of_the_tiger_by_hand():
    assert qmdp(tiger()) == pytest.approx(np.array([[189, 90, 200], [189, 200, 90]]))
    assert bound_value(qmdp(tiger()), HALF) == pytest.approx(189)
    assert blind_policies(tiger()) == pytest.approx(
        np.array([[-20, -20], [-100 - 45 * 19, 10 - 45 * 19], [10 - 45 * 19, -100 - 45 * 19]])
    )


def test_qmdp_is_chapter_27():
    for w in (thirsty_plant(), worn_pump()):
        assert qmdp(w) == pytest.approx(q_from_v(w.mdp(), policy_iteration(w.mdp()).V))


@pytest.mark.parametrize("name", list(READY))
def test_informed_bound_solves_its_equation_by_loops(name):
    w = READY[name]
    Q = informed_bound(w, 1e-10)
    for s in range(w.n_states):
        for a in range(w.n_actions):
            ahead = sum(
                max(sum(w.P[s, a, t] * w.O[a, t, z] * Q[t, b] for t in range(w.n_states)) for b in range(w.n_actions))
                for z in range(w.n_observations)
            )
            assert Q[s, a] == pytest.approx(w.R[s, a] + w.gamma * ahead)


@given(st.integers(0, 10_000))
@settings(max_examples=20, deadline=None)
def test_the_bracket(seed):
    w = random_pomdp(seed, S=3, A=3, Z=2, gamma=0.8)
    b = np.random.default_rng(seed).dirichlet(np.ones(3), size=20)
    blind = (b @ blind_policies(w).T).max(axis=1)
    points = value_of(point_based(w, b, 60), b)
    informed, seen = bound_value(informed_bound(w), b), bound_value(qmdp(w), b)
    grid = solve_discretized(w, 7).value(b)
    assert (points >= blind - 1e-6).all()
    assert (informed >= points - 1e-7).all()
    assert (grid >= points - 1e-7).all()
    assert (seen >= informed - 1e-9).all()


def test_bounds_meet_where_the_state_is_seen():
    w = worn_pump()
    seen = w.with_sensor(np.stack([np.eye(3)] * 3))
    assert informed_bound(seen) == pytest.approx(qmdp(seen))
    assert informed_bound(w).max(axis=1).min() < qmdp(w).max(axis=1).min() - 1


def test_informed_bound_may_use_all_its_sweeps():
    """The last sweep that is allowed counts; the tolerance is of the bound, not of its last change."""
    w, exact = thirsty_plant(), informed_bound(thirsty_plant(), 1e-12)
    for n in range(1, 400):
        try:
            found = informed_bound(w, 0.01, max_iter=n)
        except ValueError:
            continue
        break
    assert n > 3
    assert found == pytest.approx(informed_bound(w, 0.01), abs=0)
    assert 0 <= (found - exact).min()
    assert (found - exact).max() <= 0.01


def test_informed_bound_says_that_it_has_not_settled():
    with pytest.raises(ValueError, match="did not settle within 2 sweeps; raise max_iter"):
        informed_bound(tiger(), max_iter=2)


def test_point_based_is_a_lower_bound_and_near():
    for w, b in ((tiger(), line_of(30)), (thirsty_plant(), line_of(30))):
        exact = solve_endless(w, 1e-6).value(b)
        low = value_of(point_based(w, belief_grid(2, 41)), b)
        assert (low <= exact + 1e-5).all()
        assert np.abs(low - exact).max() < 0.2
    low = value_of(point_based(worn_pump(), belief_grid(3, 11)), [1, 0, 0])
    assert 54.5 < low < solve_discretized(worn_pump(), 31).value([1, 0, 0]) < 55.3


# --- Information ---------------------------------------------------------------------------------------------------


def test_a_free_observation_never_hurts():
    for w in READY.values():
        plans = alpha_vectors(w, 4)
        for b in np.random.default_rng(11).dirichlet(np.ones(w.n_states), size=30):
            joint = b[:, None] * w.O[0]
            chance = joint.sum(axis=0)
            assert chance @ value_of(plans, (joint / chance).T) >= value_of(plans, b) - 1e-9


def test_a_sensor_is_worth_something_and_a_better_one_more():
    values = [solve_discretized(tiger(q), 121).value(HALF) for q in (0.5, 0.6, 0.7, 0.8, 0.9)]
    assert (np.diff(values) > 0).all()
    assert values[0] == pytest.approx(-20)
    assert solve_endless(tiger().blindfolded(), 1e-6).value(HALF) == pytest.approx(-20, abs=1e-5)


# --- Simulation ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["plant", "pump"])
def test_simulated_returns_agree_with_exact_ones(name):
    w = READY[name]
    always = blind_policies(w)[0]
    start = np.eye(w.n_states)[0]
    runs = simulate(w, lambda beliefs: np.zeros(len(beliefs), int), start, 4000, 120, 3)
    assert abs(runs.returns.mean() - always[0]) < 4.5 * runs.returns.std() / 4000**0.5 + 0.5 * w.gamma**120 * 100


def test_runs_follow_the_model():
    w = thirsty_plant()
    act = solve_discretized(w, 41).act
    runs = simulate(w, act, [0.7, 0.3], 2000, 40, 4)
    assert runs.states.shape == runs.actions.shape == runs.observations.shape == (40, 2000)
    assert runs.beliefs.shape == (40, 2000, 2)
    i = 17
    walk = belief_walk(w, [0.7, 0.3], runs.actions[:-1, i].tolist(), runs.observations[:-1, i].tolist())
    assert runs.beliefs[:, i] == pytest.approx(walk)
    assert (act(runs.beliefs[5]) == runs.actions[5]).all()
    discounted = (w.R[runs.states, runs.actions] * w.gamma ** np.arange(40)[:, None]).sum(axis=0)
    assert runs.returns == pytest.approx(discounted)
    moved = runs.states[1:][(runs.states[:-1] == 0) & (runs.actions[:-1] == 0)]
    assert moved.mean() == pytest.approx(0.2, abs=0.02)
    reached, seen = runs.states[1:], runs.observations[:-1]
    dry = seen[(reached == 1) & (runs.actions[:-1] == 0)]
    assert dry.mean() == pytest.approx(0.6, abs=0.05)
    believed, truth = runs.beliefs[1:, :, 0].ravel(), (runs.states[1:] == 0).ravel()
    for low in (0.1, 0.4, 0.7):  # the belief is calibrated
        here = (believed >= low) & (believed < low + 0.2)
        if here.sum() > 500:
            assert truth[here].mean() == pytest.approx(believed[here].mean(), abs=0.05)


def test_same_seed_same_luck():
    first = simulate(tiger(), lambda b: np.zeros(len(b), int), HALF, 50, 10, 9)
    other = simulate(tiger(), lambda b: np.ones(len(b), int), HALF, 50, 10, 9)
    assert (first.states[0] == other.states[0]).all()
    again = simulate(tiger(), lambda b: np.zeros(len(b), int), HALF, 50, 10, 9)
    assert (first.observations == again.observations).all()


def test_a_model_that_excludes_what_happens_is_named():
    with pytest.raises(ValueError, match="the model holds for impossible"):
        simulate(tiger(0.7), lambda b: np.zeros(len(b), int), HALF, 50, 10, 1, model=tiger(1.0))


def test_belief_env_keeps_the_exact_belief_and_the_law():
    w = thirsty_plant()
    env = BeliefEnv(w, [0.6, 0.4], 11, max_steps=6, rng=1)
    assert env.reset(seed=5) == (6, {})
    rng, hits, total = np.random.default_rng(0), np.zeros(2), 0
    for _ in range(300):
        env.reset()
        cut = False
        while not cut:
            a, before = int(rng.integers(3)), env.belief
            seen, reward, over, cut, info = env.step(a)
            after = [x.belief for x in branches(w, before, a)]
            assert min(np.abs(env.belief - b).max() for b in after) < 1e-12
            assert seen == round(env.belief[0] * 10)
            assert (over, info) == (False, {})
            assert reward in w.R[:, a]
            hits += env.belief
            total += 1
    assert hits.sum() == pytest.approx(total)
    assert (env.action_space.n, env.observation_space.n) == (3, 11)
    with pytest.raises(ValueError, match="two states; got 3"):
        BeliefEnv(worn_pump(), [1, 0, 0], 11)


@pytest.mark.slow
def test_belief_env_earns_what_the_process_pays():
    w = thirsty_plant()
    env, G = BeliefEnv(w, [0.6, 0.4], 11, max_steps=60, rng=1), []
    for _ in range(3000):
        env.reset()
        total, cut, t = 0.0, False, 0
        while not cut:
            _, reward, _, cut, _ = env.step(0)
            total, t = total + 0.9**t * reward, t + 1
        G.append(total)
    expected = blind_policies(w)[0] @ [0.6, 0.4]
    assert abs(np.mean(G) - expected) < 4.5 * np.std(G) / 3000**0.5 + 0.1


@pytest.mark.slow
def test_q_learning_on_beliefs():
    from mlteach.temporal_difference import q_learning

    env = BeliefEnv(tiger(), HALF, 41, max_steps=30, rng=0)
    Q = q_learning(env, 1500, alpha=lambda k: 1 / (1 + k) ** 0.6, gamma=0.95, epsilon=0.2, rng=0).Q
    runs = simulate(tiger(), lambda b: np.argmax(Q[np.round(b[:, 0] * 40).astype(int)], axis=1), HALF, 2000, 150, 1)
    assert 0 < runs.returns.mean() < 23


# --- Bad input -----------------------------------------------------------------------------------------------------

GOOD_P, GOOD_O, GOOD_R = tiger().P, tiger().O, tiger().R


def test_rows_that_do_not_sum_to_one_are_named():
    bad = GOOD_P.copy()
    bad[1, 2] = 0.5, 0.4
    with pytest.raises(ValueError, match=r"transition\[1, 2\] must sum to one; it sums to 0.9 \(state 1, action 2\)"):
        POMDP(bad, GOOD_O, GOOD_R, 0.9)
    bad = GOOD_O.copy()
    bad[0, 1] = 0.3, 0.8
    names = dict(states=("left", "right"), actions=("listen", "open left", "open right"))
    with pytest.raises(
        ValueError,
        match=r"observation\[0, 1\] must sum to one; it sums to 1.1 \(action 'listen', state reached 'right'\)",
    ):
        POMDP(GOOD_P, bad, GOOD_R, 0.9, **names)
    bad[0, 1] = -0.5, 1.5
    with pytest.raises(ValueError, match=r"observation must not be negative; observation\[0, 1\] has -0.5"):
        POMDP(GOOD_P, bad, GOOD_R, 0.9)


@pytest.mark.parametrize(
    ("P", "O", "R", "words"),
    [
        (GOOD_P[0], GOOD_O, GOOD_R, r"transition must have shape \(S, A, S\): state, action, next state; got \(3, 2\)"),
        (GOOD_P.transpose(1, 0, 2), GOOD_O, GOOD_R, r"That is \(A, S, S\): use transition.transpose"),
        (GOOD_P, GOOD_O.transpose(1, 0, 2), GOOD_R, r"That is \(S, A, Z\): use observation.transpose"),
        (GOOD_P, GOOD_O[:2], GOOD_R, r"observation must have shape \(3, 2, Z\)"),
        (GOOD_P, GOOD_O[0], GOOD_R, r"observation must have shape \(A, S, Z\): action, state reached, observation"),
        (GOOD_P, GOOD_O, GOOD_R.T, r"reward must have shape \(2, 3\), state by action; got \(3, 2\). Use reward.T"),
        (GOOD_P, GOOD_O, GOOD_R[0], r"reward must have shape \(S, A\): state, action; got \(3,\)"),
        (GOOD_P, GOOD_O, GOOD_R[:, :2], r"reward must have shape \(2, 3\)"),
        (GOOD_P, GOOD_O, GOOD_R * np.nan, "reward must be finite"),
        ("tiger", GOOD_O, GOOD_R, "transition must"),
    ],
    ids=range(10),
)
def test_wrong_shapes(P, O, R, words):
    with pytest.raises(ValueError, match=words):
        POMDP(P, O, R, 0.9)


def test_names_and_gamma():
    with pytest.raises(ValueError, match="gamma must be at least 0 and at most 1; got 1.5"):
        tiger(gamma=1.5)
    with pytest.raises(ValueError, match="accuracy must be at least 0 and at most 1; got 85"):
        tiger(85)
    with pytest.raises(ValueError, match="states must hold 2 names; got 3"):
        POMDP(GOOD_P, GOOD_O, GOOD_R, 0.9, states="abc")
    with pytest.raises(ValueError, match="actions must be different names"):
        POMDP(GOOD_P, GOOD_O, GOOD_R, 0.9, actions="aab")
    with pytest.raises(ValueError, match="unknown action 'sniff'; the actions are 'listen', 'open left', 'open right'"):
        belief_update(tiger(), HALF, "sniff", "left")
    with pytest.raises(ValueError, match="unknown observation 'up'; the observations are 'left', 'right'"):
        belief_update(tiger(), HALF, "listen", "up")
    with pytest.raises(ValueError, match="unknown action 7"):
        belief_reward(tiger(), HALF, 7)
    with pytest.raises(ValueError, match="unknown action"):
        belief_reward(tiger(), HALF, ["listen"])
    assert belief_update(tiger(), HALF, 0, 1).tolist() == pytest.approx([0.15, 0.85])
    assert two_rooms().actions == ["stay", "go"]
    assert random_pomdp(0).actions == [0, 1]
    assert repr(worn_pump()) == "POMDP of 3 states, 3 actions, 2 observations, gamma = 0.95"


@pytest.mark.parametrize(
    ("belief", "words"),
    [
        ([0.5, 0.6], "belief must sum to one; it sums to 1.1. Divide it by its sum"),
        ([1.2, -0.2], "belief must not be negative; that of state 'right' is -0.2"),
        ([0.5, 0.3, 0.2], r"one probability for each of the 2 states; got shape \(3,\)"),
        (0.5, r"got shape \(\). Use \[1 - p, p\] for one probability p of 'right'"),
        ({"left": 0.5, "up": 0.5}, "belief names the state 'up'; the states are 'left', 'right'"),
        ([np.nan, 1], "belief must be finite"),
        ("half", "belief must hold numbers"),
    ],
    ids=range(7),
)
def test_beliefs_that_are_none(belief, words):
    for use in (
        lambda b: belief_update(tiger(), b, "listen", "left"),
        lambda b: belief_reward(tiger(), b, "listen"),
        lambda b: policy_tree(tiger(), b, 2),
        lambda b: solve_discretized(tiger(), 5, 2).value(b),
    ):
        with pytest.raises(ValueError, match=words):
            use(belief)


def test_other_bad_input():
    with pytest.raises(ValueError, match="horizon must be at least 1; got 0"):
        alpha_vectors(tiger(), 0)
    with pytest.raises(ValueError, match="horizon must be a whole number; got 2.5"):
        alpha_vectors(tiger(), 2.5)
    with pytest.raises(ValueError, match="pruning must be one of"):
        alpha_vectors(tiger(), 2, "lp")
    with pytest.raises(ValueError, match="each action needs its observation; got 2 and 1"):
        belief_walk(tiger(), HALF, ["listen"] * 2, ["left"])
    with pytest.raises(ValueError, match="tol must be greater than 0"):
        solve_endless(tiger(), 0)
    with pytest.raises(ValueError, match="sweeps must be at least 1"):
        point_based(tiger(), [HALF], 0)
    with pytest.raises(ValueError, match="runs must be at least 1"):
        simulate(tiger(), lambda b: b, HALF, 0, 1)


def test_many_beliefs_of_a_wrong_form_are_named():
    grid, plans = solve_discretized(tiger(), 5), alpha_vectors(tiger(), 2)
    for use in (grid.value, grid.act, lambda b: value_of(plans, b), lambda b: bound_value(qmdp(tiger()), b)):
        with pytest.raises(ValueError, match=r"belief must have shape \(2,\), or \(n, 2\) for many; got \(1, 3\)"):
            use([[0.5, 0.5, 0.0]])
    for bad in ([0.5, 0.9], [1.2, -0.2]):
        with pytest.raises(ValueError, match=r"no negative entry and sum to one; belief\[1\] is"):
            grid.value([HALF, bad])


def test_what_is_no_policy_is_named():
    for act in (lambda b: [7] * len(b), lambda b: 0, lambda b: np.full(len(b), 0.5), lambda b: [-1] * len(b)):
        with pytest.raises(ValueError, match="act must return the numbers of 3 actions, from 0 to 2; got"):
            simulate(tiger(), act, HALF, 3, 2)


def test_names_by_position():
    w = POMDP(GOOD_P, GOOD_O, GOOD_R, 0.9, ("left", "right"), ("a", "b", "c"), ("y", "n"))
    assert (w.states, w.actions, w.observations) == (["left", "right"], ["a", "b", "c"], ["y", "n"])


def test_inputs_stay_as_they_are():
    P, O, R = (x.copy() for x in (GOOD_P, GOOD_O, GOOD_R))
    w, b = POMDP(P, O, R, 0.9), np.array([0.3, 0.7])
    belief_update(w, b, 0, 1)
    alpha_vectors(w, 3)[0].vector[:] = 99
    solve_discretized(w, 7)
    informed_bound(w)
    assert b.tolist() == [0.3, 0.7]
    for kept, own, good in ((w.P, P, GOOD_P), (w.O, O, GOOD_O), (w.R, R, GOOD_R)):
        assert (kept == good).all()
        assert (own == good).all()


# --- The sources ---------------------------------------------------------------------------------------------------


def test_erratum_s0_e127():
    """Six symbols, and with the first belief seven items: states, actions, observations, p, r, o, b."""
    w = tiger()
    items = [w.states, w.actions, w.observations, w.P, w.R, w.O, as_belief(w, HALF)]
    assert len(items) == 7 != 5
    assert as_belief(w, HALF).sum() == 1  # a distribution
    with pytest.raises(ValueError, match="belief must"):
        as_belief(w, [1, 1])  # the set {left, right} is no belief


def test_erratum_s0_e128():
    """The observation belongs to the state reached and is the new one; the reward of a belief needs no next belief."""
    w = tiger()
    for z in ("left", "right"):
        belief_update(w, HALF, "listen", z)
        assert belief_reward(w, HALF, "listen") == -1  # whatever comes after
    plant, b = thirsty_plant(), np.array([0.6, 0.4])
    old = b * plant.O[0, :, 1]
    printed = old / old.sum() @ plant.P[:, 0]  # the observation of the state that was left
    assert printed[0] == pytest.approx(0.2545, abs=1e-4)
    assert belief_update(plant, b, "wait", "limp")[0] == pytest.approx(0.2)


# --- Explorers -----------------------------------------------------------------------------------------------------


def mean_of_a_lead(m, steps=400):
    """Return the mean of `paid` for whoever opens at a lead of m growls: a walk on the leads, exactly."""
    from mlteach.explore.pomdp import paid

    at, total = {0: 1.0}, 0.0
    for n in range(steps):
        after = {}
        for lead, p in at.items():
            if abs(lead) == m:
                total += p * paid(n, 10 if lead > 0 else -100)
            else:
                for step, chance in ((1, 0.85), (-1, 0.15)):
                    after[lead + step] = after.get(lead + step, 0.0) + p * chance
        at = after
    return total


def test_in_the_game_nobody_beats_the_policy_on_average():
    from mlteach.explore.pomdp import GAMES, WORTH, by_policy

    means = [mean_of_a_lead(m) for m in (1, 2, 3, 4)]
    assert means[1] == pytest.approx(WORTH, abs=1e-5)
    assert max(means) == means[1]
    assert solve_discretized(tiger(), 401).value(HALF) == pytest.approx(WORTH, abs=1e-5)
    assert all(n % 2 == 0 for n, _ in map(by_policy, range(1, GAMES + 1)))  # a lead of two takes an even number


def test_rewards_of_the_game_by_hand():
    from mlteach.explore.pomdp import TigerGame, by_policy, drawn, paid

    assert paid(0, 10) == pytest.approx(10 + 0.95 * 19.371368)
    assert paid(2, -100) == pytest.approx(-1 - 0.95 + 0.95**2 * (-100 + 0.95 * 19.371368))
    scene = TigerGame()
    for game in range(1, 31):
        left, growls = drawn(game)
        n, reward = by_policy(game)
        door = "right" if growls[:n].sum() > n / 2 else "left"
        assert scene.compute(n, door, game, True)["mine"] == pytest.approx(reward)
        safe = scene.compute(1, "right" if left else "left", game, True)["mine"]
        assert safe == pytest.approx(-1 + 0.95 * (10 + 0.95 * 19.371368))
        assert scene.compute(2, "", game, True)["mine"] == pytest.approx(-1.95)


@pytest.mark.parametrize(
    ("setting", "value", "needed", "limit"),
    [((0.75, 1.0, 100), -0.50, 3, 0.961), ((0.85, 1.0, 100), 19.37, 2, 0.9603), ((0.63, 0.13, 240), 0.15, 8, 0.985),
     ((0.85, 1.0, 200), 14.35, 3, 0.982), ((0.89, 0.3, 240), 31.26, 3, 0.987)],
    ids=range(5),
)  # fmt: skip
def test_sensor_and_costs_is_near_the_exact_value(setting, value, needed, limit):
    from mlteach.explore.pomdp import SensorAndCosts

    found = SensorAndCosts().compute(*setting)
    assert found["needed"] == needed
    assert found["middle"] == pytest.approx(value, abs=0.06)
    assert found["limit"] == pytest.approx(limit, abs=1e-3)
    q, cost, bite = setting  # the value of a lead of `needed` growls, by one linear system: never above the exact one
    k = needed
    nodes = ["listen"] * (2 * k - 1) + ["open left", "open right"]
    ways = [[i + 1 if i < 2 * k - 2 else 2 * k, i - 1 if i else 2 * k - 1] for i in range(2 * k - 1)]
    machine = Controller(nodes, np.array(ways + [[k - 1, k - 1]] * 2), k - 1)
    low = controller_values(tiger(q, listen=-cost, bite=-float(bite)), machine)[k - 1] @ HALF
    assert low - 1e-9 <= found["middle"] <= low + 0.06


def test_the_bracket_of_the_explorer_is_exact():
    from mlteach.explore.pomdp import BELIEFS, bracket

    assert bracket()["exact"] == pytest.approx(solve_endless(tiger(), 1e-4).value(BELIEFS), abs=3e-4)


def test_belief_episodes_are_cut_at_their_last_step():
    """After as many steps as were allowed, not one earlier, and again after a reset."""
    for most in (1, 2, 5):
        env = BeliefEnv(tiger(), HALF, 11, max_steps=most, rng=3)
        for _ in range(2):
            env.reset()
            assert [env.step("listen")[3] for _ in range(most)] == [False] * (most - 1) + [True]

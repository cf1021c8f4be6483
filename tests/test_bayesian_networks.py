"""Chapter 11: networks, exact inference, samples, learning, hybrid nodes, and the errata of the sources."""

import itertools
import math
import pickle
import subprocess
import sys
import warnings

import numpy as np
import pytest
from explorers import made
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import integrate, stats
from sklearn.naive_bayes import CategoricalNB
from sklearn.preprocessing import OrdinalEncoder

from mlteach.bayesian_networks import (
    BayesNet,
    LinearGaussian,
    Probit,
    ancestors,
    burglary,
    chest_clinic,
    d_separated,
    descendants,
    eliminate,
    enumerate_cases,
    joint_normal,
    late_to_meeting,
    open_path,
    rainy_walk,
    stored,
    topological_order,
)
from mlteach.explore import bayesian_networks as explorers
from mlteach.validation import ConvergenceWarning, NotFittedError

CALLS = {"JohnCalls": True, "MaryCalls": True}


def random_net(seed, n, *, most_states=3, most_parents=3, zeros=0.0):
    """Return a network with random arrows, numbers of states and tables, some of whose entries are zero."""
    rng = np.random.default_rng(seed)
    net = BayesNet()
    for k in range(n):
        pool = list(net.names)
        parents = [str(p) for p in rng.permutation(pool)[: rng.integers(0, most_parents + 1)]] if pool else []
        states = tuple(f"s{i}" for i in range(rng.integers(2, most_states + 1)))
        rows = {}
        for case in itertools.product(*(net.states[p] for p in parents)):
            w = rng.dirichlet(np.ones(len(states))) * (rng.random(len(states)) >= zeros)
            rows[case] = w / w.sum() if w.sum() else np.eye(len(states))[0]
        net.add(f"X{k}", parents, rows if parents else rows[()], states)
    return net


def brute_force(net, variable, evidence):
    """Return P(variable | evidence) from the full table, made by multiplying number by number; None if impossible."""
    p = dict.fromkeys(net.states[variable], 0.0)
    for values in itertools.product(*net.states.values()):
        case = dict(zip(net.names, values))
        if all(case[name] == state for name, state in evidence.items()):
            entries = [
                net.table(v)[tuple(net.states[n].index(case[n]) for n in (*net.parents[v], v))] for v in net.names
            ]
            p[case[variable]] += math.prod(entries)
    total = sum(p.values())
    return {state: value / total for state, value in p.items()} if total else None


# --- Numbers of the sources and textbooks --------------------------------------------------------------------------


def test_burglary_joint_and_posterior():
    net = burglary()
    case = {"Burglary": False, "Earthquake": False, "Alarm": True, **CALLS}
    assert net.joint(case) == pytest.approx(0.000628111, abs=5e-10)
    for method in ("elimination", "enumeration"):
        assert net.query("Burglary", CALLS, method)[True] == pytest.approx(0.284172, abs=5e-7)
    assert net.query("Burglary", {"JohnCalls": True, "MaryCalls": False})[True] == pytest.approx(0.005130, abs=5e-7)
    assert net.query("Burglary", {"JohnCalls": True})[True] == pytest.approx(0.016284, abs=5e-7)
    assert net.n_parameters == 10


def test_explaining_away():
    net = burglary()
    assert net.query("Burglary", {"Alarm": True})[True] == pytest.approx(0.373551, abs=5e-7)
    assert net.query("Burglary", {"Alarm": True, "Earthquake": True})[True] == pytest.approx(0.003268, abs=5e-7)


def test_late_to_meeting_joint_and_diagnosis():
    net = late_to_meeting()
    case = {"Jam": True, "Car": False, "Rain": False, "Late": False, "Wait": False, "Demo": True}
    assert net.joint(case) == pytest.approx(0.05 * 0.35 * 0.75 * 0.95 * 0.85 * 0.5)
    evidence = {"Jam": True, "Rain": False, "Wait": False, "Demo": True}
    weight = {}
    for car in (True, False):  # P(c) sum_l P(l | c, j, not r) P(not w | l) P(d | l)
        late = 0.80 if car else 0.05
        weight[car] = (0.65 if car else 0.35) * (late * 0.40 * 0.95 + (1 - late) * 0.85 * 0.50)
    assert net.query("Car", evidence)[True] == pytest.approx(weight[True] / sum(weight.values()))


def test_chest_clinic_marginals_of_the_literature():
    marginals = {name: p[True] for name, p in chest_clinic().marginals().items()}
    known = {"Tuberculosis": 0.0104, "Cancer": 0.055, "Bronchitis": 0.45, "Shadow": 0.064828, "XRay": 0.11029004}
    for name, p in known.items():
        assert marginals[name] == pytest.approx(p, abs=1e-9)
    assert marginals["ShortBreath"] == pytest.approx(0.4359706, abs=1e-9)


# --- Exact inference against brute force ----------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_exact_inference_agrees_with_brute_force(data):
    n = data.draw(st.integers(1, 10))
    most = 3 if n <= 7 else 2
    net = random_net(
        data.draw(st.integers(0, 10**6)), n, most_states=most, zeros=data.draw(st.sampled_from([0.0, 0.3]))
    )
    variable = data.draw(st.sampled_from(net.names))
    observed = data.draw(st.lists(st.sampled_from(net.names), unique=True, max_size=4))
    evidence = {name: data.draw(st.sampled_from(net.states[name])) for name in observed}
    wanted = brute_force(net, variable, evidence)
    for method in ("elimination", "enumeration"):
        if wanted is None:
            with pytest.raises(ValueError, match="probability zero"):
                net.query(variable, evidence, method)
        else:
            found = net.query(variable, evidence, method)
            assert list(found) == list(net.states[variable])
            assert_allclose(list(found.values()), list(wanted.values()), rtol=1e-9, atol=1e-12)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.randoms(use_true_random=False))
def test_every_order_of_elimination_gives_the_same(seed, random):
    net = random_net(seed, 7)
    evidence = {net.names[-1]: net.states[net.names[-1]][0]}
    order = [n for n in net.names[1:-1]]
    random.shuffle(order)
    mine, free = eliminate(net, net.names[0], evidence, order), eliminate(net, net.names[0], evidence)
    assert_allclose(mine.p, free.p, rtol=1e-10)
    assert mine.log_evidence == pytest.approx(free.log_evidence)
    assert mine.order == tuple(order)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 7))
def test_joint_table_probability_and_joint_agree(seed, n):
    net = random_net(seed, n)
    table = net.joint_table()
    rng = np.random.default_rng(seed)
    case = {name: states[rng.integers(len(states))] for name, states in net.states.items()}
    assert net.joint(case) == pytest.approx(table.probability(case))
    part = dict(list(case.items())[::2])
    assert net.probability(part) == pytest.approx(table.probability(part))
    assert table.p.sum() == pytest.approx(1)


def chain(n, k=2):
    rng = np.random.default_rng(n)
    net = BayesNet().add("X0", table=rng.dirichlet(np.ones(k)), states=range(k))
    for i in range(1, n):
        net.add(f"X{i}", (f"X{i - 1}",), {s: rng.dirichlet(np.ones(k)) for s in range(k)}, range(k))
    return net


def test_cost_of_enumeration_doubles_and_of_elimination_grows_by_a_constant():
    costs = []
    for n in range(3, 12):
        net, last = chain(n), f"X{n - 1}"
        costs.append([f(net, "X0", {last: 0}).multiplications for f in (enumerate_cases, eliminate)])
    slow, fast = np.array(costs).T
    assert set(np.diff(fast)) == {4}
    assert_allclose(slow[1:] / slow[:-1], 2, atol=0.4)
    assert slow[-1] / slow[-2] == pytest.approx(2, abs=0.01)


def test_multiplications_of_a_case_counted_by_hand():
    """P(B | j, m): per value of B one tree with 1 + 2 + 4 + 4 products; elimination: 8 for E, 4 + 4 for A."""
    assert enumerate_cases(burglary(), "Burglary", CALLS).multiplications == 22
    found = eliminate(burglary(), "Burglary", CALLS, order=["Earthquake", "Alarm"])
    # E: P(E) times P(A | B, E) fills 8 entries. A: f(B, A) P(j | A) P(m | A), two vectors first: 2 + 4. B: 2.
    assert found.multiplications == 8 + (2 + 4) + 2
    assert found.largest == 8


def test_a_long_chain_is_a_product_of_matrices():
    net = chain(150, 3)
    last = {"X149": 1}
    p = net.table("X0")
    backwards = np.array([0.0, 1.0, 0.0])
    for i in range(149, 0, -1):
        backwards = net.table(f"X{i}") @ backwards
    assert_allclose(list(net.query("X0", last).values()), p * backwards / (p @ backwards))


def test_a_bad_order_builds_a_large_table():
    net = BayesNet().add("C", table=0.3)
    for k in range(8):
        net.add(f"A{k}", ("C",), {True: 0.2 + 0.05 * k, False: 0.6 - 0.05 * k})
    leaves = [f"A{k}" for k in range(1, 8)]
    evidence = {}
    good = eliminate(net, "A0", evidence, [*leaves, "C"])
    bad = eliminate(net, "A0", evidence, ["C", *leaves])
    assert good.largest == 4
    assert bad.largest == 2**9
    assert_allclose(good.p, bad.p)


def test_much_evidence_does_not_underflow():
    net = BayesNet().add("C", table=0.5)
    for k in range(800):
        net.add(f"A{k}", ("C",), {True: 0.011, False: 0.01})
    evidence = {f"A{k}": True for k in range(800)}
    found = eliminate(net, "C", evidence)
    assert found.log_evidence == pytest.approx(np.logaddexp(800 * np.log(0.011), 800 * np.log(0.01)) + np.log(0.5))
    assert net.query("C", evidence)[True] == pytest.approx(1)


def test_query_of_an_observed_variable():
    net = burglary()
    for method in ("elimination", "enumeration"):
        assert net.query("Alarm", {"Alarm": False}, method) == {True: 0, False: 1}


# --- The graph ------------------------------------------------------------------------------------------------------


def test_open_path_knows_the_three_junctions():
    chain_, fork = {"a": (), "m": ("a",), "b": ("m",)}, {"m": (), "a": ("m",), "b": ("m",)}
    collider = {"a": (), "b": (), "m": ("a", "b")}
    through = ["a", "m", "b"]
    assert [open_path(g, "a", "b", ()) for g in (chain_, fork, collider)] == [through, through, None]
    assert [open_path(g, "a", "b", ("m",)) for g in (chain_, fork, collider)] == [None, None, through]
    assert open_path({**collider, "below": ("m",)}, "a", "b", ("below",)) == through


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(3, 7), st.data())
def test_d_separation_is_the_absence_of_open_paths(seed, n, data):
    parents = random_net(seed, n).parents
    x, y, *rest = data.draw(st.permutations(list(parents)))
    given_ = rest[: data.draw(st.integers(0, len(rest)))]
    assert d_separated(parents, [x], [y], given_) is (open_path(parents, x, y, given_) is None)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(3, 6), st.data())
def test_d_separation_is_independence_for_random_tables(seed, n, data):
    net = random_net(seed, n)
    x, y, *rest = data.draw(st.permutations(net.names))
    given_ = tuple(rest[: data.draw(st.integers(0, len(rest)))])
    assert net.joint_table().independent(x, y, given=given_, tol=1e-7) is net.d_separated(x, y, given_)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 7))
def test_blanket_shields_from_the_rest(seed, n):
    net = random_net(seed, n)
    for name in net.names:
        blanket = net.markov_blanket(name)
        rest = [v for v in net.names if v != name and v not in blanket]
        assume(rest)
        assert net.d_separated(name, rest, blanket)
        for one in blanket:  # and nothing of it can be spared
            assert not net.d_separated(name, one, [v for v in blanket if v != one])


def test_graph_by_hand():
    net = chest_clinic()
    assert set(net.markov_blanket("Cancer")) == {"Smoker", "Shadow", "Tuberculosis"}
    assert net.children("Smoker") == ("Cancer", "Bronchitis")
    assert ancestors(net.parents, ["XRay"]) == {"XRay", "Shadow", "Tuberculosis", "Cancer", "Asia", "Smoker"}
    assert descendants(net.parents, "Shadow") == {"XRay", "ShortBreath"}
    assert net.d_separated("Asia", "Smoker")
    assert not net.d_separated("Asia", "Smoker", "ShortBreath")
    assert net.d_separated("Asia", "Smoker", ("ShortBreath", "Tuberculosis", "Cancer", "Bronchitis"))
    assert net.d_separated(("XRay",), ("Bronchitis", "Smoker"), ("Cancer", "Tuberculosis"))


def test_topological_order_and_cycles():
    order = topological_order({"c": ("b", "a"), "b": ("a",), "a": ()})
    assert order == ["a", "b", "c"]
    with pytest.raises(ValueError, match=r"cycle: (a -> b -> c -> a|b -> c -> a -> b|c -> a -> b -> c)\."):
        topological_order({"a": ("c",), "b": ("a",), "c": ("b",), "d": ()})
    with pytest.raises(ValueError, match="parent 'z'"):
        topological_order({"a": ("z",)})


# --- Samples --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["rejection_sampling", "likelihood_weighting", "gibbs"])
@pytest.mark.parametrize("seed", range(3))
def test_samples_approach_the_exact_posterior(method, seed):
    net = random_net(50 + seed, 6)
    evidence = {"X4": net.states["X4"][0], "X5": net.states["X5"][-1]}
    exact = net.query("X1", evidence)
    found = getattr(net, method)("X1", evidence, 20_000, rng=seed)
    assert sum(found.values()) == pytest.approx(1)
    tolerance = 5 * np.sqrt(0.25 / found.effective_size) * (2 if method == "gibbs" else 1)
    assert found == pytest.approx(exact, abs=tolerance)
    assert tolerance < 0.12


def test_likelihood_weighting_on_the_alarm():
    found = burglary().likelihood_weighting("Burglary", CALLS, 400_000, rng=1)
    assert found[True] == pytest.approx(0.284172, abs=4 * np.sqrt(0.284 * 0.716 / found.effective_size))
    assert found.effective_size < 4000


def test_rejection_keeps_the_share_of_the_evidence():
    net = burglary()
    found = net.rejection_sampling("Burglary", {"Alarm": True}, 200_000, rng=2)
    share = net.probability({"Alarm": True})
    assert found.weights.sum() == pytest.approx(200_000 * share, abs=5 * np.sqrt(200_000 * share))
    assert found.effective_size == found.weights.sum()


def test_weights_are_the_chances_of_the_evidence():
    net = burglary()
    sample = net.weighted_sample(CALLS, 3000, rng=0)
    alarm = sample.columns["Alarm"] == 0
    wanted = np.where(alarm, 0.9 * 0.7, 0.05 * 0.01)
    assert_allclose(sample.weights, wanted / wanted.max())


def test_running_estimate_ends_at_the_estimate():
    found = burglary().rejection_sampling("Burglary", {"Alarm": True}, 5000, rng=0)
    run = found.running(True)
    assert run[-1] == pytest.approx(found[True])
    assert np.isnan(run[0])


def test_samples_have_the_frequencies_of_the_tables():
    net = random_net(3, 5)
    rows = net.sample(40_000, rng=4)
    assert list(rows[0]) == list(net.names)
    for name, exact in net.marginals().items():
        share = {s: np.mean([row[name] == s for row in rows]) for s in net.states[name]}
        assert share == pytest.approx(exact, abs=0.0125)


def test_same_seed_same_samples():
    net = burglary()
    assert net.sample(50, rng=3) == net.sample(50, rng=3) != net.sample(50, rng=4)
    assert net.gibbs("Alarm", CALLS, 50, 1) == net.gibbs("Alarm", CALLS, 50, np.random.default_rng(1))


def test_gibbs_redraws_from_the_conditional_given_everything_else():
    """P(x | blanket) of the sampler equals P(x | all others) of the joint, in every state."""
    from mlteach.bayesian_networks.sampling import _Conditional

    net = random_net(8, 5)
    joint = net.joint_table().p
    for axis, name in enumerate(net.names):
        conditional = _Conditional(net, name)
        others = [n for n in net.names if n != name]
        for at in itertools.product(*(range(len(net.states[n])) for n in others)):
            x = dict(zip(others, at))
            conditional.draw(x, 0.5)
            edges = conditional.known[tuple(x[n] for n in conditional.blanket)]
            row = np.moveaxis(joint, axis, -1)[at]
            assert_allclose(edges, np.cumsum(row) / row.sum(), rtol=1e-9)


# --- Learning -------------------------------------------------------------------------------------------------------


def test_counts_of_candies_and_wrappers():
    """60 cherry (45 red wrappers) and 40 lime (10 red): theta = 0.6, theta1 = 0.75, theta2 = 0.25."""
    net = BayesNet().add("Flavour", states=("cherry", "lime")).add("Wrapper", ("Flavour",), states=("red", "green"))
    rows = [("cherry", "red")] * 45 + [("cherry", "green")] * 15 + [("lime", "red")] * 10 + [("lime", "green")] * 30
    net.fit([{"Flavour": f, "Wrapper": w} for f, w in rows])
    assert_allclose(net.table("Flavour"), [0.6, 0.4])
    assert_allclose(net.table("Wrapper"), [[0.75, 0.25], [0.25, 0.75]])
    assert net.counts_["Wrapper"].tolist() == [[45, 15], [10, 30]]
    by_column = BayesNet().add("Flavour", states=("cherry", "lime")).add("Wrapper", "Flavour", states=("red", "green"))
    by_column.fit({"Flavour": np.array([f for f, _ in rows]), "Wrapper": [w for _, w in rows], "more": 0}, prior=1)
    assert_allclose(by_column.table("Wrapper"), [[46 / 62, 16 / 62], [11 / 42, 31 / 42]])


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6))
def test_counted_tables_have_the_largest_likelihood(seed):
    net = random_net(seed, 3, most_parents=1)
    rows = net.sample(60, rng=seed)
    try:
        net.fit(rows)
    except ValueError:
        assume(False)

    def log_likelihood(n):
        with np.errstate(divide="ignore"):
            return sum(np.log(n.joint(row)) for row in rows)

    best, rng = log_likelihood(net), np.random.default_rng(seed)
    for name in net.names:
        other = pickle.loads(pickle.dumps(net))
        mixed = 0.95 * other._laws[name] + 0.05 * rng.dirichlet(np.ones(other._laws[name].shape[-1]))
        other._laws[name] = mixed
        assert log_likelihood(other) <= best + 1e-9


def test_learnt_tables_approach_the_truth():
    truth = late_to_meeting()
    net = late_to_meeting().fit(truth.sample(60_000, rng=1))
    for name in truth.names:
        assert_allclose(net.table(name), truth.table(name), atol=0.03)


def test_prior_pulls_towards_the_uniform():
    net = late_to_meeting()
    rows = net.sample(50, rng=0)
    gaps = [abs(net.fit(rows, prior).table("Wait") - 0.5).max() for prior in (0.5, 5, 500)]
    assert gaps[0] > gaps[1] > gaps[2]
    assert gaps[2] < 0.05


def test_same_in_scikit_learn():
    """CategoricalNB(alpha) is a network with one parent; it does not smooth the classes, so they are handed over."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 120)
    X = (rng.random((120, 4)) * 3 + y[:, None] * rng.random(4)).astype(int) % 3
    net = BayesNet().add("class", states=range(3))
    for k in range(4):
        net.add(f"x{k}", ("class",), states=range(3))
    net.fit({"class": y, **{f"x{k}": X[:, k] for k in range(4)}}, prior=0.7)
    theirs = CategoricalNB(alpha=0.7, class_prior=net.table("class"), min_categories=3).fit(X, y)
    for k in range(4):
        assert_allclose(net.table(f"x{k}"), np.exp(theirs.feature_log_prob_[k]))
    for row in X[:10]:
        mine = net.query("class", {f"x{k}": int(v) for k, v in enumerate(row)})
        assert_allclose(list(mine.values()), theirs.predict_proba([row])[0])


def test_same_in_scikit_learn_with_a_boolean_class():
    """The network has True first, CategoricalNB False first: the card turns the class chances round (11.13)."""
    rng = np.random.default_rng(1)
    y = rng.random(200) < 0.3
    X = np.array(["low", "middle", "high"])[np.minimum(2, (rng.random((200, 3)) * 3 + y[:, None]).astype(int))]
    net = BayesNet().add("class")
    for k in range(3):
        net.add(f"x{k}", ("class",), states=("low", "middle", "high"))
    net.fit({"class": y, **{f"x{k}": X[:, k] for k in range(3)}}, prior=1)
    numbers = OrdinalEncoder(categories=[["low", "middle", "high"]] * 3, dtype=int).fit_transform(X)
    mine = np.array([net.query("class", {f"x{k}": str(v) for k, v in enumerate(row)})[True] for row in X])
    p = net.table("class")
    for prior, agree in ((p[::-1], True), (p, False)):
        theirs = CategoricalNB(alpha=1, class_prior=prior, min_categories=3).fit(numbers, y)
        assert (np.abs(theirs.predict_proba(numbers)[:, 1] - mine).max() < 1e-12) == agree


# --- The most probable case, and the kept runs -----------------------------------------------------------------------


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000), n=st.integers(2, 6))
def test_most_probable_case_by_brute_force(seed, n):
    net = random_net(seed, n)
    seen = {net.names[-1]: net.states[net.names[-1]][0]} if seed % 2 else {}
    case, p = net.most_probable(seen)
    table = net.joint_table()
    best = (table.condition(seen) if seen else table).p.max()
    assert p == pytest.approx(best)
    assert all(case[name] == value for name, value in seen.items())
    assert list(case) == list(net.names)


def test_likeliest_values_need_not_be_a_possible_case():
    clinic = chest_clinic()
    singles = {name: max(p, key=p.get) for name, p in clinic.marginals({"XRay": True}).items()}
    assert clinic.joint(singles) == 0
    case, p = clinic.most_probable({"XRay": True})
    assert [case[name] for name in ("Tuberculosis", "Cancer", "Shadow")] == [False, True, True]
    assert p == pytest.approx(0.235, abs=5e-4)
    with pytest.raises(ValueError, match="probability zero"):
        clinic.most_probable({"Shadow": False, "Cancer": True})


def test_most_probable_of_a_long_chain_does_not_underflow():
    net = BayesNet().add("X0", table=0.5)
    for k in range(1, 1500):
        net.add(f"X{k}", (f"X{k - 1}",), {True: 0.4, False: 0.3})
    case, _ = net.most_probable()
    assert not any(list(case.values())[1:])


def test_kept_splits_of_the_tumours_can_be_repeated():
    kept = stored.tumour_nets()
    assert set(kept) == set(stored.COLUMNS)
    assert {len(column) for column in kept.values()} == {stored.SPLITS}
    for split in (0, 7):
        found = dict(zip(stored.COLUMNS, stored.one_split(split)))
        for name, value in found.items():
            assert value == pytest.approx(kept[name][split], rel=1e-3), name


def test_chances_of_the_kept_runs_are_those_of_query():
    X, y = stored.measured()
    rows = np.arange(379)
    L = stored.levels(X, rows)
    net = stored.network("drawn", L[rows], y[rows], 1.0)
    for unknown in (None, "Radius"):
        fast = stored.chances(net, L[379:384], unknown)
        for row, p in zip(L[379:384], fast):
            seen = {t: int(v) for t, v in zip(stored.TRAITS, row) if t != unknown}
            assert net.query("Malignant", seen)[True] == pytest.approx(p)


# --- Hybrid networks -------------------------------------------------------------------------------------------------


def test_linear_gaussian_and_probit_by_scipy():
    law = LinearGaussian([2.0, -1.0], 0.5, 1.7)
    assert law.pdf(3.0, [1.0, 2.0]) == pytest.approx(stats.norm.pdf(3.0, 0.5, 1.7))
    assert_allclose(law.mean([np.array([1.0, 2.0]), np.array([0.0, 1.0])]), [2.5, 3.5])
    x = np.linspace(0, 30, 7)
    assert_allclose(Probit(20, 3).probability(x), stats.norm.sf(x, 20, 3))
    assert_allclose(Probit(20, 3, rising=True).probability(x), stats.norm.cdf(x, 20, 3))


@pytest.mark.parametrize("rising", [False, True])
def test_probit_of_a_normal_parent_by_quadrature(rising):
    child = Probit(8, 2.5, rising)
    wanted, _ = integrate.quad(lambda x: stats.norm.pdf(x, 6, 4) * child.probability(x), -40, 50)
    assert child.average(6, 4) == pytest.approx(wanted, abs=1e-8)
    assert child.average(6, 0) == pytest.approx(child.probability(6))


def test_hybrid_samples_against_closed_forms():
    net, n = rainy_walk(), 200_000
    waits = net.likelihood_weighting("Wait", {"Umbrella": False}, n, rng=1)[True]
    assert waits == pytest.approx(Probit(10, 2).average(2 * 4 + 1, math.hypot(3, 2 * 1.5)), abs=5 * 0.5 / np.sqrt(n))
    both = {
        u: Probit(10, 2).average(m, s) for u, m, s in ((True, 4, math.hypot(1.5, 0.75)), (False, 9, math.hypot(3, 3)))
    }
    wanted = 0.4 * both[True] / (0.4 * both[True] + 0.6 * both[False])
    assert net.likelihood_weighting("Umbrella", {"Wait": True}, n, rng=2)[True] == pytest.approx(wanted, abs=0.006)
    rain = net.weighted_sample({"Late": 12.0, "Umbrella": False}, n, rng=3)
    mean = np.average(rain.columns["Rain"], weights=rain.weights)
    gain = 2 * 1.5**2 / (4 * 1.5**2 + 9)  # the conditional of a bivariate normal, (3.35)
    assert mean == pytest.approx(4 + gain * (12 - 9), abs=0.02)


def test_hybrid_joint_is_the_product_of_densities():
    p = rainy_walk().joint({"Umbrella": True, "Rain": 3, "Late": 4.5, "Wait": False})
    assert p == pytest.approx(
        0.4 * stats.norm.pdf(3, 4, 1.5) * stats.norm.pdf(4.5, 3.5, 1.5) * stats.norm.cdf(4.5, 10, 2)
    )


def test_linear_gaussian_network_is_one_normal_law():
    net = BayesNet().add("A", table=LinearGaussian((), 1.0, 2.0))
    net.add("B", ("A",), LinearGaussian(-0.5, 0.3, 1.0))
    net.add("C", ("A", "B"), LinearGaussian([1.0, 2.0], 0.0, 0.7))
    mean, cov = joint_normal(net)
    point = {"A": 0.2, "B": -1.0, "C": 1.4}
    assert net.joint(point) == pytest.approx(stats.multivariate_normal(mean, cov).pdf(list(point.values())))
    rows = np.array([list(row.values()) for row in net.sample(60_000, rng=0)])
    assert_allclose(rows.mean(axis=0), mean, atol=0.06)
    assert_allclose(np.cov(rows.T), cov, atol=0.12)
    with pytest.raises(ValueError, match="Umbrella is not linear-Gaussian"):
        joint_normal(rainy_walk())


def test_discrete_parents_of_a_continuous_child_with_several_states():
    net = BayesNet().add("Season", table=[0.2, 0.3, 0.5], states=("a", "b", "c"))
    net.add(
        "T", "Season", {"a": LinearGaussian((), 0, 1), "b": LinearGaussian((), 5, 1), "c": LinearGaussian((), 9, 1)}
    )
    found = net.likelihood_weighting("Season", {"T": 4.0}, 100_000, rng=0)
    weight = np.array([0.2, 0.3, 0.5]) * stats.norm.pdf(4.0, [0, 5, 9], 1)
    assert list(found.values()) == pytest.approx(list(weight / weight.sum()), abs=0.001)


# --- Messages -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("B", (), 1.2), "P.B. must hold probabilities between 0 and 1"),
        (("B", (), -0.1), "between 0 and 1"),
        (("B", (), [0.5, 0.4]), "P.B. must sum to one; it sums to 0.9"),
        (("B", (), [0.5, 0.5, 0.0]), "must have 2 entries"),
        (("B", (), "often"), "must be a probability"),
        (("B", (), float("nan")), "between 0 and 1"),
        (("B", ("A",), 0.3), "must be a dict from the values of A .2 cases."),
        (("B", ("A",), {True: 0.3}), "no entry for A=False"),
        (("B", ("A",), {True: 0.3, False: [0.2, 0.9]}), r"P\(B \| A=False\) must sum to one"),
        (("B", ("A",), {True: 0.3, False: 0.2, "maybe": 0.1}), "entry .'maybe',., which is no case of A"),
        (("B", ("Z",), {True: 0.3, False: 0.2}), "parent 'Z', which the network does not have .it has 'A'."),
        (("B", ("B",), {True: 0.3, False: 0.2}), "own parent: the arrow would close the cycle B -> B"),
        (("A", (), 0.3), "already has a variable 'A'"),
        (("B", ("A", "A"), {}), "must differ"),
        ((3, (), 0.3), "must be text"),
        (("B", (), 0.3, ("yes", "no")), "a list with one probability for each of"),
        (("B", (), [1.0], ("yes",)), "two or more different"),
        (("B", (), [0.5, 0.5], ("yes", "yes")), "two or more different"),
        (("B", (), [0.5, 0.5], "yes"), "must be a list of values"),
        (("B", ("A",), {True: LinearGaussian(1, 0, 1), False: LinearGaussian(1, 0, 1)}), "0 continuous parents"),
        (("B", ("A",), Probit(1, 2)), "must be a dict from the values of A"),
    ],
)
def test_add_says_what_is_wrong(args, words):
    with pytest.raises(ValueError, match=words):
        BayesNet().add("A", table=0.5).add(*args)


def test_rows_may_be_dicts_from_state_to_probability():
    net = BayesNet().add("A", table={False: 0.8, True: 0.2})
    net.add("B", "A", {True: {"y": 0.1, "x": 0.9}, False: [0.5, 0.5]}, states=("x", "y"))
    assert_allclose(net.table("A"), [0.2, 0.8])
    assert_allclose(net.table("B"), [[0.9, 0.1], [0.5, 0.5]])
    assert BayesNet().add("A", table={(): 0.3}).query("A") == {True: 0.3, False: 0.7}
    with pytest.raises(ValueError, match="one entry for each of"):
        BayesNet().add("A", table={True: 0.2})


def test_a_cycle_is_refused():
    net = BayesNet().add("A", table=0.5).add("B", ("A",), {True: 0.1, False: 0.2})
    with pytest.raises(ValueError, match="B depends on A; an arrow back from it would close a cycle"):
        net.add("A", ("B",), {True: 0.1, False: 0.2})
    with pytest.raises(ValueError, match="Add parents before their children; .* close a cycle"):
        BayesNet().add("A", ("B",), {True: 0.1, False: 0.2})
    assert net.names == ("A", "B")


def test_refused_variable_leaves_the_network_as_it_was():
    net = burglary()
    with pytest.raises(ValueError):
        net.add("New", ("Alarm",), {True: 0.5})
    assert "New" not in net.names
    assert repr(net) == repr(burglary())


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda n: n.query("Burglar"), ValueError, "no variable 'Burglar'; it has 'Burglary', 'Earthquake'"),
        (lambda n: n.query("Burglary", {"Mary": True}), ValueError, "no variable 'Mary'"),
        (lambda n: n.query("Burglary", {"Alarm": "yes"}), ValueError, "Alarm has no state 'yes'; it has True, False"),
        (lambda n: n.query("Burglary", {"Alarm": [True]}), ValueError, "no state"),
        (lambda n: n.query("Burglary", [("Alarm", True)]), TypeError, "must be a dict"),
        (lambda n: n.query("Burglary", {}, "guess"), ValueError, "'elimination', 'enumeration'; got 'guess'"),
        (lambda n: n.joint({"Alarm": True}), ValueError, "Burglary, Earthquake, JohnCalls, MaryCalls is missing"),
        (lambda n: n.probability({}), ValueError, "needs an event"),
        (lambda n: n.sample(0), ValueError, "n must be at least 1"),
        (lambda n: n.sample(5, rng=-1), ValueError, "rng"),
        (lambda n: n.gibbs("Alarm", CALLS, burn_in=-1), ValueError, "burn_in"),
        (lambda n: n.rejection_sampling("Burglary", CALLS, 5), ValueError, "none of the 5 samples has JohnCalls=True"),
        (lambda n: n.d_separated("Alarm", "Alarm"), ValueError, "distinct"),
        (lambda n: eliminate(n, "Burglary", CALLS, ["Alarm"]), ValueError, "order must name each of"),
        (lambda n: n.fit([]), ValueError, "not empty"),
        (lambda n: n.fit([{"Alarm": True}]), ValueError, "row 0 has no value for 'Burglary'"),
        (lambda n: n.fit({"Alarm": [True]}), ValueError, "no column 'Burglary'"),
        (lambda n: n.fit(n.sample(3), prior=-1), ValueError, "prior must be at least 0"),
        (lambda n: n.fit(n.sample(200)), ValueError, "no row has Burglary=True, .* prior above zero"),
        (lambda n: n.fit([{**n.sample()[0], "Alarm": 7}]), ValueError, r"Alarm has no state 7 \(row 0\)"),
        (lambda n: BayesNet().query("A"), ValueError, "it is empty"),
        (lambda n: BayesNet().add("A").query("A"), NotFittedError, "no table yet"),
    ],
)
def test_questions_say_what_is_wrong(call, error, words):
    with pytest.raises(error, match=words):
        call(burglary())


def test_impossible_evidence_is_named():
    net = chest_clinic()
    evidence = {"Cancer": True, "Shadow": False}
    for method in ("elimination", "enumeration"):
        with pytest.raises(ValueError, match="Cancer=True, Shadow=False has probability zero"):
            net.query("Smoker", evidence, method)
    assert net.probability(evidence) == 0
    with pytest.raises(ValueError, match="all 100 weights are zero"):
        net.likelihood_weighting("Smoker", evidence, 100)
    with pytest.raises(ValueError, match="no start was found"):
        net.gibbs("Smoker", evidence, 100)


def test_continuous_variables_are_refused_where_states_are_counted():
    net = rainy_walk()
    for call in (lambda: net.query("Wait"), lambda: net.gibbs("Wait"), lambda: net.fit([{}]), net.joint_table):
        with pytest.raises(ValueError, match="is continuous|not empty"):
            call()
    with pytest.raises(ValueError, match="Late is continuous and has no states"):
        net.likelihood_weighting("Late")
    with pytest.raises(ValueError, match="Rain is continuous and needs a finite number; got 'wet'"):
        net.likelihood_weighting("Wait", {"Rain": "wet"})
    with pytest.raises(ValueError, match="Late is continuous and has no states"):
        net.rejection_sampling("Wait", {"Late": 3.0})
    with pytest.raises(ValueError, match="exactly one"):
        BayesNet().add("R", table=LinearGaussian((), 0, 1)).add("W", ("R",), [0.2, 0.3, 0.5], ("a", "b", "c"))
    with pytest.raises(ValueError, match="needs a Probit for no parents; got 0.5"):
        BayesNet().add("R", table=LinearGaussian((), 0, 1)).add("W", ("R",), 0.5)
    with pytest.raises(ValueError, match="sigma must be greater than 0"):
        LinearGaussian(1, 0, 0)
    with pytest.raises(ValueError, match="sigma"):
        Probit(1, -2)
    with pytest.raises(ValueError, match="2 parents have a weight; got values of 1"):
        LinearGaussian([1, 2], 0, 1).mean([3.0])


def test_numpy_values_and_numbers_for_truth_are_taken():
    net = burglary()
    assert net.query("Burglary", {"JohnCalls": np.True_, "MaryCalls": 1}) == net.query("Burglary", CALLS)


def test_tables_cannot_be_changed_from_outside():
    net = burglary()
    net.table("Alarm")[:] = 0
    net.parents["Alarm"] = ()
    net.states["Alarm"] = ("x",)
    assert net.query("Burglary", CALLS) == burglary().query("Burglary", CALLS)


def test_pickled_network_answers_the_same():
    for net in (burglary(), rainy_walk()):
        assert pickle.loads(pickle.dumps(net)).sample(5, 1) == net.sample(5, 1)


def test_algorithms_never_load_matplotlib():
    code = "import sys, mlteach.bayesian_networks as b; b.burglary().marginals(); print('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"


# --- The drawing ----------------------------------------------------------------------------------------------------


def test_layers_put_parents_above_children():
    for net in (burglary(), late_to_meeting(), chest_clinic(), rainy_walk(), random_net(1, 9)):
        place = explorers.layout(net.parents)
        assert set(place) == set(net.names)
        assert len(set(place.values())) == len(place)
        for child, group in net.parents.items():
            assert all(place[p][1] > place[child][1] for p in group)


def test_draw_shows_every_variable_and_tables_on_demand():
    from matplotlib.figure import Figure

    for net in (burglary(), rainy_walk()):
        ax = Figure().subplots()
        assert explorers.draw(net, ax=ax) is ax
        words = "".join(t.get_text() for t in ax.texts).replace("\n", "").replace(" ", "")
        assert all(name in words for name in net.names)
    plain, full = Figure().subplots(), Figure().subplots()
    explorers.draw(burglary(), ax=plain)
    explorers.draw(burglary(), ax=full, tables=True)
    assert "0.94" not in " ".join(t.get_text() for t in plain.texts)
    assert "0.94" in " ".join(t.get_text() for t in full.texts)


# --- Numbers that the chapter's folded answers quote from its explorers ---------------------------------------------


@pytest.mark.parametrize(
    ("name", "settings", "words"),
    [
        ("evidence_flow", {"Alarm": "true"}, ["0.3736"]),
        ("evidence_flow", {"Alarm": "true", "Earthquake": "true"}, ["0.0033"]),
        ("evidence_flow", {"Alarm": "open", "Earthquake": "true"}, ["0.0010", "as before"]),
        ("evidence_flow", {"Alarm": "open", "JohnCalls": "true", "MaryCalls": "true"}, ["0.2842"]),
        (
            "evidence_flow",
            {"Alarm": "open", "JohnCalls": "true", "MaryCalls": "true", "Earthquake": "false"},
            ["0.3442"],
        ),
        ("open_paths", {"x": "Asia", "y": "Smoker"}, ["No path is open", "0.5000** while asia is unknown, **0.5000"]),
        ("open_paths", {"x": "Asia", "y": "Smoker", "ShortBreath": True}, ["Open", "**0.6340**", "**0.6259** if"]),
        ("open_paths", {"x": "Cancer", "y": "Bronchitis"}, ["Open", "cancer – smoker – bronchitis"]),
        ("open_paths", {"x": "Cancer", "y": "Bronchitis", "Smoker": True}, ["No path is open"]),
        (
            "inference_cost",
            {"shape": "star", "order": "along the arrows"},
            ["**2,044** mul", "**1,024** ent", "takes **2,044**"],
        ),
        ("inference_cost", {"shape": "star", "order": "against the arrows"}, ["**20** multiplications"]),
        ("inference_cost", {"shape": "star"}, ["**4** multiplications"]),
        ("inference_cost", {"order": "along the arrows"}, ["**36** multiplications"]),
        ("inference_cost", {"order": "against the arrows"}, ["**68** multiplications"]),
        ("inference_cost", {"shape": "mesh", "order": "along the arrows"}, ["**132** mul", "**16** ent", ": 16 mul"]),
        ("inference_cost", {"shape": "mesh"}, ["**124** mul"]),
        ("inference_cost", {"shape": "star", "order": "shuffled"}, ["508 multiplications less"]),
        ("sampling_race", {"N": 1000, "case": "John and Mary call"}, ["3 kept", "5 effective", "**94, 91, 8**"]),
        ("sampling_race", {"N": 1000, "case": "John calls"}, ["55 kept", "561 effective", "**107, 101, 59**"]),
        ("sampling_race", {"N": 4000, "case": "John and Mary call"}, ["19 effective"]),
        ("table_counts", {"N": 100}, ["**1** of 8", "**2** more", "0.0896", "infinitely"]),
        ("table_counts", {"N": 100, "prior": 10}, ["0.1869"]),
        ("table_counts", {"N": 1000}, ["0.0049", "0.0041"]),
        ("table_counts", {"prior": 10}, ["0.0008", "0.0002"]),
        ("rainy_walk", {}, ["0.400", "4.00"]),
        ("rainy_walk", {"waits": "no"}, ["0.017", "4.90"]),
        ("rainy_walk", {"waits": "no", "umbrella": "yes"}, ["1.000", "5.13"]),
        ("rainy_walk", {"waits": "no", "known": True, "r": 0}, ["0.068"]),
        ("rainy_walk", {"waits": "no", "known": True, "r": 4}, ["0.014"]),
        ("rainy_walk", {"waits": "no", "known": True, "r": 8}, ["0.036"]),
    ],
)
def test_numbers_of_the_folded_answers(name, settings, words):
    shown = made(name)
    said = shown.describe(shown.compute(**settings))
    assert all(word in said for word in words), said


def test_in_every_data_set_three_rows_or_more_are_empty_or_certain():
    scene = made("table_counts")
    for seed in range(1, 21):
        counts = scene.compute(N=100, prior=1, seed=seed)[2]
        assert (counts == 0).any(axis=1).sum() >= 3


def test_at_a_thousand_days_all_rows_are_seen_and_in_fifteen_sets_one_claims_certainty():
    scene = made("table_counts")
    counts = np.array([scene.compute(N=1000, prior=1, seed=seed)[2] for seed in range(1, 21)])
    assert (counts.sum(axis=2) > 0).all()
    assert (counts == 0).any(axis=(1, 2)).sum() == 15


def test_dashed_arrows_lead_from_a_collider_to_what_opens_it():
    way = ["Asia", "Tuberculosis", "Shadow", "Cancer", "Smoker"]
    assert explorers._opening(way, ("ShortBreath",)) == {("Shadow", "ShortBreath")}
    assert explorers._opening(way, ("Shadow",)) == set()
    assert explorers._opening(["Tuberculosis", "Shadow", "XRay"], ()) == set()


# --- Errata of the sources --------------------------------------------------------------------------------------------


def test_erratum_s0_e25():
    """Two tables on edges, P(A | B) and P(A | E), do not determine the four numbers of P(A | B, E)."""
    net = burglary()
    on_edges = [net.query("Alarm", {name: True})[True] for name in ("Burglary", "Earthquake")]
    assert_allclose(on_edges, [0.94002, 0.29066], atol=5e-6)
    other = BayesNet().add("Burglary", table=0.001).add("Earthquake", table=0.002)
    a = np.array([[0.5, np.nan], [np.nan, 0.001]])  # another alarm, P(a | b, e) = 0.5, with the same tables on edges
    a[0, 1] = (on_edges[0] - 0.002 * a[0, 0]) / 0.998
    a[1, 0] = (on_edges[1] - 0.001 * a[0, 0]) / 0.999
    cases = itertools.product((True, False), repeat=2)
    other.add("Alarm", ("Burglary", "Earthquake"), dict(zip(cases, a.ravel())))
    same = [other.query("Alarm", {name: True})[True] for name in ("Burglary", "Earthquake")]
    assert_allclose(same, on_edges)
    assert abs(other.table("Alarm")[0, 0, 0] - net.table("Alarm")[0, 0, 0]) > 0.4


def test_erratum_s2_e16():
    """The product of the six probabilities is 0.0053, not 0.053."""
    case = {"Jam": True, "Car": False, "Rain": False, "Late": False, "Wait": False, "Demo": True}
    assert late_to_meeting().joint(case) == pytest.approx(0.00529921875)
    assert abs(late_to_meeting().joint(case) - 0.053) > 0.04


def test_erratum_s2_e17():
    """With the same a, b, sigma for both states of the umbrella the umbrella would make no difference."""
    law = LinearGaussian(2.0, 1.0, 3.0)
    rain = np.linspace(0, 10, 5)
    assert (law.mean([rain]) - law.mean([rain]) == 0).all()
    laws = rainy_walk()._laws["Late"]
    assert (laws[(False,)].mean([rain])[1:] > laws[(True,)].mean([rain])[1:]).all()


def test_erratum_s2_e18():
    """Somebody who almost never waits beyond 15 minutes has not the threshold 20: it would mean 95 % at 15."""
    assert Probit(20, 3).probability(15) == pytest.approx(0.952210, abs=5e-7)
    assert Probit(20, 3).probability(25) == pytest.approx(0.047790, abs=5e-7)
    assert Probit(10, 2).probability(15) == pytest.approx(0.006210, abs=5e-7)


def test_erratum_s2_e19():
    """The inverse of the logit is the sigmoid; the sigmoid's inverse is the logit, which is no probability."""
    sigmoid, logit = 1 / (1 + np.exp(-0.4)), np.log(0.4 / 0.6)
    assert sigmoid == pytest.approx(0.598688, abs=5e-7)
    assert logit == pytest.approx(-0.405465, abs=5e-7)


def test_erratum_s2_e30():
    """A discrete variable may have countably many values: no finite set holds all of a geometric law."""
    assert sum(0.5**k for k in range(1, 21)) == pytest.approx(0.999999046, abs=5e-10)
    assert all(sum(0.5**k for k in range(1, n)) < 1 for n in (2, 20, 50))


def test_gibbs_says_where_it_cannot_go_everywhere():
    net, evidence = chest_clinic(), {"ShortBreath": True, "XRay": True}
    with pytest.warns(ConvergenceWarning, match="divide the possible cases into 2 parts"):
        walks = [net.gibbs("Cancer", evidence, 300, rng)[True] for rng in range(6)]
    assert max(walks) - min(walks) > 0.5  # the exact answer is 0.62
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        burglary().gibbs("Alarm", CALLS, 20)
        net.gibbs("XRay", {"Shadow": True, "Cancer": False}, 20)  # here one part is left

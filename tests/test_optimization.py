"""Chapter 05: optimisers against hand computation and closed forms, schedules, surfaces, and the sources' errata."""

import math
from dataclasses import replace

import numpy as np
import pytest
from explorers import made
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from mlteach.optimization import (
    AdaGrad,
    Adam,
    AdamW,
    DoubleWell,
    GradientDescent,
    Himmelblau,
    Momentum,
    Nesterov,
    Newton,
    Quadratic,
    RMSProp,
    Rosenbrock,
    Saddle,
    inverse_sqrt_decay,
    linear_decay,
    minibatch_gradient,
    minimize,
    numerical_gradient,
    quadratic_model,
)

A = np.array([[3.0, 1.0], [1.0, 2.0]])  # Hessian of the fixed quadratic 1/2 w'Aw - c'w: neither diagonal nor unit
c = np.array([1.0, -1.0])
BEST = np.array([0.6, -0.8])
W0 = np.array([1.0, 2.0])
SURFACES = [
    Quadratic(7.0),
    Quadratic(7.0, angle=0.4),
    Rosenbrock(),
    Rosenbrock(5.0),
    Saddle(),
    DoubleWell(),
    Himmelblau(),
]
OPTIMIZERS = [
    GradientDescent(0.1),
    Momentum(0.1, 0.5),
    Nesterov(0.1, 0.5),
    AdaGrad(0.5),
    RMSProp(0.1, 0.8),
    Adam(0.1, 0.8, 0.9),
    AdamW(0.1, 0.8, 0.9, weight_decay=0.3),
    Newton(lambda w: A, 0.5),
]
each = pytest.mark.parametrize("optimizer", OPTIMIZERS, ids=lambda o: type(o).__name__)
on_each = pytest.mark.parametrize("surface", SURFACES, ids=str)


def slope(w):
    return A @ w - c


def identity(w):
    return w


# --- the first steps, by hand ---------------------------------------------------------------------------------

BY_HAND = {  # from (1, 2): the gradient there is (3x + y - 1, x + 2y + 1) = (4, 6)
    # (1,2) - .1(4,6); gradient (2.2,4.4); then (1.1,3.3)
    "GradientDescent": [[0.6, 1.4], [0.38, 0.96], [0.27, 0.63]],
    # v = -.1(4,6); then .5v - .1(2.2,4.4) = (-.42,-.74); w = (.18,.66), g = (.2,2.5), v = (-.23,-.62)
    "Momentum": [[0.6, 1.4], [0.18, 0.66], [-0.05, 0.04]],
    # look-ahead (.4,1.1): g = (1.3,3.6), v = (-.33,-.66), w = (.27,.74); ahead (.105,.41): g = (-.275,1.925)
    "Nesterov": [[0.6, 1.4], [0.27, 0.74], [0.1325, 0.2175]],
    # half of the way to the minimum (.6,-.8) each time
    "Newton": [[0.8, 0.6], [0.7, -0.1], [0.65, -0.45]],
}


@pytest.mark.parametrize("name", BY_HAND)
def test_first_three_steps_by_hand(name):
    optimizer = {type(o).__name__: o for o in OPTIMIZERS}[name]
    assert_allclose(minimize(slope, W0, optimizer, 3).w, [W0, *BY_HAND[name]], atol=1e-12)


def test_first_three_steps_of_the_adaptive_rules_by_hand():
    """On f = w^2/2 from w = 1, where g = w; the roots are taken by hand."""
    w1 = 1 - 0.5  # s = 1
    w2 = w1 - 0.5 * w1 / math.sqrt(1 + 0.25)
    w3 = w2 - 0.5 * w2 / math.sqrt(1.25 + w2**2)
    assert_allclose(minimize(identity, [1.0], AdaGrad(0.5, eps=1e-12), 3).w[:, 0], [1, w1, w2, w3], atol=1e-10)
    assert w2 == pytest.approx(0.2763932)

    w1 = 1 - 0.1 / math.sqrt(0.2)  # s = 0.2
    s2 = 0.8 * 0.2 + 0.2 * w1**2
    w2 = w1 - 0.1 * w1 / math.sqrt(s2)
    w3 = w2 - 0.1 * w2 / math.sqrt(0.8 * s2 + 0.2 * w2**2)
    assert_allclose(minimize(identity, [1.0], RMSProp(0.1, 0.8, eps=1e-12), 3).w[:, 0], [1, w1, w2, w3], atol=1e-10)
    assert w1 == pytest.approx(0.7763932)

    # Adam: m' and s' are averages with weights 1, (.8, 1), (.64, .8, 1) and 1, (.9, 1), (.81, .9, 1)
    w1 = 1 - 0.1
    w2 = w1 - 0.1 * (0.8 + w1) / 1.8 / math.sqrt((0.9 + w1**2) / 1.9)
    w3 = w2 - 0.1 * (0.64 + 0.8 * w1 + w2) / 2.44 / math.sqrt((0.81 + 0.9 * w1**2 + w2**2) / 2.71)
    assert_allclose(minimize(identity, [1.0], Adam(0.1, 0.8, 0.9, eps=1e-12), 3).w[:, 0], [1, w1, w2, w3], atol=1e-10)


def test_eps_stands_outside_the_root():
    g, eps = np.array([0.5, -2.0]), 0.3
    start = np.zeros(2)
    assert_allclose(AdaGrad(0.1, eps).step(start, lambda w: g), -0.1 * g / (np.abs(g) + eps))
    assert_allclose(RMSProp(0.1, 0.9, eps).step(start, lambda w: g), -0.1 * g / (np.sqrt(0.1) * np.abs(g) + eps))
    assert_allclose(Adam(0.1, eps=eps).step(start, lambda w: g), -0.1 * g / (np.abs(g) + eps))


def test_w32_of_the_curriculum():
    momentum = minimize(identity, [1.0], Momentum(0.1, 0.9), 4).w[1:, 0]
    nesterov = minimize(identity, [1.0], Nesterov(0.1, 0.9), 4).w[1:, 0]
    assert_allclose(momentum, [0.9, 0.72, 0.486, 0.2268])
    assert_allclose(nesterov, [0.9, 0.729, 0.51759, 0.294589], atol=5e-7)
    for optimizer, size in [(AdaGrad(0.1), 0.1), (RMSProp(0.1), 0.316228), (Adam(0.1), 0.1)]:
        assert_allclose(optimizer.step([0.0, 0.0], lambda w: [0.5, -2.0]), [-size, size], atol=5e-7)


@pytest.mark.parametrize(
    ("optimizer", "loss"),
    [(GradientDescent(0.02), "0.0155"), (Momentum(0.02, 0.9), "7.7e-09"), (Nesterov(0.02, 0.9), "3.1e-10")],
)
def test_s4_w27_of_the_curriculum(optimizer, loss):
    bowl = Quadratic(50)
    end = minimize(bowl.gradient, [10, 1], optimizer, 200).w[-1]
    assert f"{bowl.value(end):.{len(loss.split('e')[0].lstrip('0.').replace('.', ''))}g}" == loss


def test_s1_w5_of_the_curriculum():
    assert_allclose(minimize(lambda w: 2 * w, [1.0], GradientDescent(0.1), 3).w[:, 0], [1, 0.8, 0.64, 0.512])


# --- theory ---------------------------------------------------------------------------------------------------


@settings(max_examples=50, deadline=None)
@given(L=st.floats(0.01, 100), fraction=st.floats(0.02, 1.98))
def test_descent_on_a_parabola_is_a_geometric_sequence(L, fraction):
    path = minimize(lambda w: L * w, [3.0], GradientDescent(fraction / L), 40)
    assert_allclose(path.w[:, 0], 3 * (1 - fraction) ** np.arange(41), atol=1e-12)
    assert_allclose(path.gradient_norm, L * np.abs(path.w[:-1, 0]), atol=1e-150)  # smaller squares underflow


@pytest.mark.parametrize("L", [0.25, 3.0, 40.0])
def test_rates_around_two_over_L(L):
    def end(eta):
        return minimize(lambda w: L * w, [1.0], GradientDescent(eta), 2000).w[-1, 0]

    assert abs(end(1.98 / L)) < 1e-15
    assert abs(end(2.02 / L)) > 1e15
    assert_allclose(minimize(lambda w: L * w, [1.0], GradientDescent(1 / L), 2).w[1:, 0], 0, atol=1e-15)
    assert_allclose(np.abs(minimize(lambda w: L * w, [1.0], GradientDescent(2 / L), 50).w), 1)


def test_momentum_on_a_parabola_solves_its_recurrence():
    """w_{k+1} = (1 + mu - eta L) w_k - mu w_{k-1}: powers of the roots of z^2 - (1 + mu - eta L) z + mu."""
    L, eta, mu = 2.0, 0.1, 0.6
    z = np.roots([1, -(1 + mu - eta * L), mu])
    a = np.linalg.solve([[1, 1], z], [1, 1 - eta * L])
    wanted = [np.real(a @ z**k) for k in range(40)]
    assert_allclose(minimize(lambda w: L * w, [1.0], Momentum(eta, mu), 39).w[:, 0], wanted, atol=1e-12)


def test_nesterov_on_a_parabola_solves_its_recurrence():
    """w_{k+1} = (1 - eta L)((1 + mu) w_k - mu w_{k-1})."""
    L, eta, mu = 2.0, 0.1, 0.6
    z = np.roots([1, -(1 - eta * L) * (1 + mu), (1 - eta * L) * mu])
    a = np.linalg.solve([[1, 1], z], [1, 1 - eta * L])
    wanted = [np.real(a @ z**k) for k in range(40)]
    assert_allclose(minimize(lambda w: L * w, [1.0], Nesterov(eta, mu), 39).w[:, 0], wanted, atol=1e-12)


def test_without_memory_the_rules_are_gradient_descent():
    plain = minimize(slope, W0, GradientDescent(0.1), 20).w
    assert_allclose(minimize(slope, W0, Momentum(0.1, 0.0), 20).w, plain)
    assert_allclose(minimize(slope, W0, Nesterov(0.1, 0.0), 20).w, plain)
    sign = minimize(slope, W0, Adam(0.1, 0.0, 0.0, eps=1e-12), 1).w[1]
    assert_allclose(sign, W0 - 0.1 * np.sign(slope(W0)))


@settings(max_examples=40, deadline=None)
@given(st.lists(st.floats(-3, 3).filter(lambda g: abs(g) > 1e-3), min_size=1, max_size=12))
def test_adam_is_a_ratio_of_weighted_means(gradients):
    """m' and sqrt(s') written as explicit sums over all past gradients."""
    optimizer, w, wanted = Adam(0.05, 0.8, 0.95), 0.0, 0.0
    for k, g in enumerate(gradients):
        w = optimizer.step(w, lambda _, g=g: g)
        past = np.array(gradients[: k + 1])[::-1]
        mean, square = (np.average(p, weights=b ** np.arange(k + 1)) for p, b in [(past, 0.8), (past**2, 0.95)])
        wanted -= 0.05 * mean / (np.sqrt(square) + 1e-8)
    assert w == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize("make", [AdaGrad, RMSProp, Adam], ids=lambda m: m.__name__)
def test_adaptive_rules_ignore_the_scale_of_each_axis(make):
    steep = minimize(lambda w: w * [1, 1000], [1.0, 1.0], make(0.1, eps=1e-12), 30).w
    assert_allclose(steep[:, 0], steep[:, 1])
    turned = minimize(Quadratic(1000, np.pi / 4).gradient, [1.0, 0.5], make(0.1, eps=1e-12), 30).w
    assert np.abs(turned[:, 0] - turned[:, 1]).max() > 0.1


@each
def test_all_find_the_minimum_of_a_quadratic(optimizer):
    if isinstance(optimizer, RMSProp | Adam):  # their steps keep the length of the rate, so the rate must fall
        optimizer = replace(optimizer, learning_rate=linear_decay(0.1, 0.0, 500))
    path = minimize(slope, W0, optimizer, 500)
    assert not path.diverged
    assert path.n_iter == 500
    assert_allclose(path.w[-1], BEST, atol=1e-3)


def test_newton_needs_one_step_on_any_quadratic_and_a_saddle_attracts_it():
    assert_allclose(minimize(slope, W0, Newton(lambda w: A), 1).w[1], BEST)
    surface = Saddle()
    newton = minimize(surface.gradient, [0.5, 0.1], Newton(surface.hessian), 20).w[-1]
    assert_allclose(newton, [0, 0], atol=1e-12)
    descent = minimize(surface.gradient, [0.5, 0.1], GradientDescent(0.1), 400).w[-1]
    assert_allclose(descent, [0, 1], atol=1e-9)


def test_newton_converges_quadratically_on_rosenbrock():
    surface = Rosenbrock()
    path = minimize(surface.gradient, surface.start, Newton(surface.hessian), 7)
    assert_allclose(path.w[-1], [1, 1], atol=1e-9)
    plain = minimize(surface.gradient, surface.start, GradientDescent(0.001), 7)
    assert np.linalg.norm(plain.w[-1] - 1) > 1


def test_stochastic_descent_with_rate_1_over_k_computes_the_mean():
    x = np.random.default_rng(3).gamma(2.0, size=50)
    gradient = minibatch_gradient(lambda w, batch: w - x[batch].mean(), 50, 1)
    path = minimize(gradient, [0.0], GradientDescent(lambda k: 1 / (k + 1)), 50)
    assert path.w[-1, 0] == pytest.approx(x.mean())


# --- state ----------------------------------------------------------------------------------------------------


@each
def test_minimize_is_the_loop_over_step_from_a_fresh_state(optimizer):
    path = minimize(slope, W0, optimizer, 5)
    assert (path.w.shape, path.gradient_norm.shape) == ((6, 2), (5,))
    optimizer.reset()
    w = W0
    for k in range(5):
        assert optimizer.k_ == k
        w = optimizer.step(w, slope)
        assert_array_equal(w, path.w[k + 1])
    assert_array_equal(minimize(slope, W0, optimizer, 5).w, path.w)  # the five steps by hand left no trace
    assert optimizer.k_ == 5  # and the run left none on the steps by hand
    on = optimizer.step(w, slope)
    assert_array_equal(minimize(slope, W0, optimizer, 6).w[6], on)
    optimizer.reset()


@each
def test_inputs_are_not_modified(optimizer):
    def greedy(w):
        g = slope(w)
        w[:] = 99.0
        return g

    w0 = W0.copy()
    path = minimize(greedy, w0, optimizer, 4)
    assert_array_equal(w0, W0)
    assert_array_equal(path.w, minimize(slope, W0, optimizer, 4).w)


@pytest.mark.parametrize("optimizer", OPTIMIZERS[:-1], ids=lambda o: type(o).__name__)
def test_w_may_have_any_shape(optimizer):
    W, G = np.arange(6.0).reshape(2, 3), np.array([[1.0, -2, 3], [0.5, 0.1, -1]])
    optimizer.reset()
    moved = optimizer.step(W, lambda w: G)
    optimizer.reset()
    assert_array_equal(moved.ravel(), optimizer.step(W.ravel(), lambda w: G.ravel()))
    optimizer.reset()


def test_gradient_is_called_once_per_step():
    calls = []
    path = minimize(lambda w: calls.append(w) or w, [2.0, 1.0], Nesterov(0.1, 0.9), 6)
    assert len(calls) == 6
    assert_allclose(path.gradient_norm, [np.linalg.norm(w) for w in calls])
    assert np.abs(np.array(calls)[2:] - path.w[2:-1]).min() > 1e-3  # taken at the look-ahead, not at w


# --- divergence -----------------------------------------------------------------------------------------------


def test_divergence_keeps_the_last_finite_values():
    path = minimize(identity, [1.0, -2.0], GradientDescent(10.0), 1000)
    assert path.diverged
    assert 100 < path.n_iter < 200
    assert (path.w.shape, path.gradient_norm.shape) == ((1001, 2), (1000,))
    assert np.isfinite(path.w).all()
    assert np.isfinite(path.gradient_norm).all()
    assert_array_equal(path.w[path.n_iter :], np.tile(path.w[path.n_iter], (1001 - path.n_iter, 1)))
    assert np.abs(path.w[path.n_iter]).max() > 1e150
    assert_allclose(path.w[: path.n_iter + 1, 0], (-9.0) ** np.arange(path.n_iter + 1))


def test_divergence_of_steep_surfaces_and_of_the_first_step():
    path = minimize(Rosenbrock().gradient, [-1.2, 1.0], GradientDescent(1.0), 50)
    assert path.diverged
    assert path.n_iter < 10
    path = minimize(identity, [1e150], GradientDescent(1e100), 3)
    assert (path.n_iter, path.diverged) == (0, True)
    assert_array_equal(path.w[:, 0], 1e150)
    # Newton's step on sqrt(1 + w^2) is w <- -w^3
    path = minimize(lambda w: w / np.sqrt(1 + w**2), [2.0], Newton(lambda w: (1 + w[:, None] ** 2) ** -1.5), 20)
    assert path.diverged
    assert_allclose(path.w[:4, 0], [2, -8, 512, -(512.0**3)])


# --- schedules ------------------------------------------------------------------------------------------------


def test_schedules():
    eta = linear_decay(1.0, 0.01, 10)
    assert (eta(0), eta(10), eta(1000)) == (1.0, 0.01, 0.01)
    assert eta(5) == pytest.approx(0.505)
    assert_allclose(np.diff(eta(np.arange(11))), -0.099)
    assert_allclose(inverse_sqrt_decay(2.0)([0, 1, 8]), [2, 2 / np.sqrt(2), 2 / 3])
    assert repr(GradientDescent(eta)) == "GradientDescent(learning_rate=linear_decay(1, 0.01, tau=10))"


@pytest.mark.parametrize(
    "make", [GradientDescent, Momentum, Nesterov, AdaGrad, RMSProp, Adam], ids=lambda m: m.__name__
)
def test_a_schedule_is_read_at_k_0_1_2(make):
    asked = []
    constant = minimize(slope, W0, make(0.1), 4).w
    assert_array_equal(minimize(slope, W0, make(lambda k: asked.append(k) or 0.1), 4).w, constant)
    assert asked == [0, 1, 2, 3]
    decayed = minimize(slope, W0, make(linear_decay(0.1, 0.0, 3)), 5).w
    assert_array_equal(decayed[1], constant[1])
    assert np.abs(decayed[2] - constant[2]).max() > 1e-3


def test_descent_with_a_schedule_is_a_product():
    path = minimize(identity, [1.0], GradientDescent(inverse_sqrt_decay(0.5)), 10)
    assert path.w[-1, 0] == pytest.approx(np.prod(1 - 0.5 / np.sqrt(np.arange(1, 11))))


# --- gradients and surfaces -----------------------------------------------------------------------------------


@on_each
@settings(max_examples=30, deadline=None)
@given(x=st.floats(-3, 3), y=st.floats(-3, 3))
def test_derivatives_are_those_of_the_value(surface, x, y):
    w = np.array([x, y])
    assert_allclose(surface.gradient(w), numerical_gradient(surface.value, w), rtol=1e-6, atol=1e-6)
    rows = [numerical_gradient(lambda w, j=j: surface.gradient(w)[j], w) for j in range(2)]
    assert_allclose(surface.hessian(w), rows, rtol=1e-6, atol=1e-5)


@on_each
def test_minima_are_minima(surface):
    assert_allclose(surface.gradient(surface.minima), 0, atol=1e-11)
    assert (np.linalg.eigvalsh(surface.hessian(surface.minima)) > 0).all()
    values = surface.value(surface.minima)
    assert values[0] == values.min()
    grid = np.stack(np.meshgrid(np.linspace(-5, 5, 201), np.linspace(-5, 5, 201)), axis=-1)
    assert surface.value(grid).shape == (201, 201)
    assert surface.value(grid).min() >= values[0] - 1e-12
    assert_array_equal(surface.gradient(grid)[3, 7], surface.gradient(grid[3, 7]))
    assert_array_equal(surface.hessian(grid)[3, 7], surface.hessian(grid[3, 7]))


@settings(max_examples=30, deadline=None)
@given(kappa=st.floats(1, 1e4), angle=st.floats(-4, 4))
def test_condition_number(kappa, angle):
    eigenvalues = np.linalg.eigvalsh(Quadratic(kappa, angle).hessian([1.0, 2.0]))
    assert_allclose(eigenvalues, [1, kappa], rtol=1e-9)


def test_numerical_gradient_is_exact_on_quadratics_and_of_second_order():
    assert_allclose(numerical_gradient(lambda w: 0.5 * w @ A @ w - c @ w, W0, h=0.5), slope(W0))
    errors = [abs(numerical_gradient(lambda w: np.exp(w[0]), [1.0], h=h)[0] - np.e) for h in (0.1, 0.05)]
    assert errors[0] / errors[1] == pytest.approx(4, abs=0.02)
    W = np.array([[1.0, 2], [3, 4], [5, 6]])
    assert_allclose(numerical_gradient(lambda w: np.sum(w**3), W), 3 * W**2)
    assert_allclose(numerical_gradient(lambda w: w[0] ** 2, [1e8]), [2e8])


@settings(max_examples=40, deadline=None)
@given(n=st.integers(1, 30), data=st.data())
def test_every_epoch_deals_each_sample_once(n, data):
    size = data.draw(st.integers(1, n))
    g = minibatch_gradient(lambda w, batch: batch, n, size, rng=data.draw(st.integers(0, 99)))
    per_epoch = -(-n // size)
    for _ in range(2):
        batches = [g(None) for _ in range(per_epoch)]
        assert sorted(np.concatenate(batches)) == list(range(n))
        assert {len(b) for b in batches[:-1]} <= {size}


def test_minibatches_shuffle_each_epoch_and_repeat_with_the_seed():
    def epoch(g):
        return [int(g(None)[0]) for _ in range(20)]

    first, again, other = (minibatch_gradient(lambda w, batch: batch, 20, 1, rng=r) for r in (4, 4, 5))
    one, two = epoch(first), epoch(first)
    assert one != two
    assert epoch(again) == one
    assert epoch(other) != one


def test_noise_of_a_minibatch_falls_with_its_size():
    """The variance of the mean of b of n samples drawn without replacement is s^2/b (1 - b/n)."""
    x = np.random.default_rng(0).normal(2, 3, 12)
    for b in (1, 2, 3, 6):
        g = minibatch_gradient(lambda w, batch: w - x[batch].mean(), 12, b, rng=1)
        seen = np.var([g(0.0) for _ in range(12 // b * 3000)])
        assert seen == pytest.approx(x.var(ddof=1) / b * (1 - b / 12), rel=0.05)


@settings(max_examples=30, deadline=None)
@given(eta=st.floats(0.01, 1), x=st.floats(-2, 2), y=st.floats(-2, 2))
def test_quadratic_model_touches_and_is_lowest_at_the_next_step(eta, x, y):
    surface, w = Rosenbrock(2.0), np.array([x, y])
    q = quadratic_model(surface.value, surface.gradient, w, eta)
    assert q(w) == surface.value(w)
    assert_allclose(numerical_gradient(q, w), surface.gradient(w), rtol=1e-6, atol=1e-6)
    following = GradientDescent(eta).step(w, surface.gradient)
    assert_allclose(numerical_gradient(q, following), 0, atol=1e-5)


@pytest.mark.parametrize(("eta", "lowest"), [(0.2, 0), (0.25, 0), (0.3, -5.33), (1.0, -24)])
def test_s1_w6_of_the_curriculum(eta, lowest):
    u = np.linspace(-3, 3, 601)[:, None]
    q = quadratic_model(lambda w: 2 * w @ w, lambda w: 4 * w, [1.0], eta)
    assert (q(u) - 2 * u[:, 0] ** 2).min() == pytest.approx(lowest, abs=0.005)


# --- bad input ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("optimizer", "message"),
    [
        (GradientDescent(0), "learning_rate must be greater than 0; got 0"),
        (GradientDescent("fast"), "learning_rate must be a finite number; got 'fast'"),
        (GradientDescent(lambda k: -1.0), r"learning_rate\(0\) must be at least 0; got -1.0"),
        (Momentum(0.1, 1.0), "momentum must be at least 0 and less than 1; got 1.0"),
        (Nesterov(0.1, -0.1), "momentum must be at least 0"),
        (AdaGrad(eps=0), "eps must be greater than 0"),
        (RMSProp(decay=1), "decay must be at least 0 and less than 1"),
        (RMSProp(eps=-1), "eps must be greater than 0"),
        (Adam(beta1=1.0), "beta1 must be"),
        (Adam(beta2=np.nan), "beta2 must be a finite number"),
        (Adam(eps=0.0), "eps must be greater than 0"),
        (AdamW(weight_decay=-0.1), "weight_decay must be at least 0; got -0.1"),
        (AdamW(beta1=1.0), "beta1 must be"),
        (Newton(lambda w: np.zeros((2, 2))), r"hessian is singular at w = \[1. 2.\]"),
        (Newton(lambda w: w), r"hessian must return shape \(2, 2\); got \(2,\)"),
    ],
)
def test_bad_hyperparameters(optimizer, message):
    with pytest.raises(ValueError, match=message):
        optimizer.step(W0, slope)
    with pytest.raises(ValueError, match=message):
        minimize(slope, W0, optimizer, 3)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Adam().step([1, np.nan], slope), r"w must be finite; w\[1\] is nan"),
        (lambda: Adam().step([1.0, 2.0], lambda w: w[0]), r"gradient must return the shape of w, \(2,\); got \(\)"),
        (lambda: Adam().step([1.0], lambda w: None), "gradient must return real numbers"),
        (lambda: Adam().step([1.0], lambda w: w * 1j), "gradient must return real numbers"),
        (lambda: Newton(lambda w: w).step([[1.0]], identity), r"needs w of shape \(d,\); got \(1, 1\)"),
        (lambda: minimize(identity, 1.0, Adam(), 3), r"w0 must have shape \(d,\); got \(\). Use \[w0\]"),
        (lambda: minimize(identity, [], Adam(), 3), "w0 is empty"),
        (lambda: minimize(identity, [1.0], Adam(), -1), "steps must be at least 0; got -1"),
        (lambda: minimize(identity, [1.0], Adam(), 2.5), "steps must be a whole number"),
        (lambda: minimize(lambda w: w * np.nan, [1.0], Adam(), 3), r"gradient must be finite at w0 = \[1.\]"),
        (lambda: linear_decay(0, 0, 10), "start must be greater than 0"),
        (lambda: linear_decay(0.1, 0.2, 10), "end must be at least 0 and at most 0.1"),
        (lambda: linear_decay(0.1, 0.01, 0), "tau must be greater than 0"),
        (lambda: linear_decay(0.1, 0.01, 5)(-1), "k must not be negative"),
        (lambda: inverse_sqrt_decay(-1), "start must be greater than 0"),
        (lambda: numerical_gradient(identity, [1.0]), r"f\(w\) must be a finite number"),
        (lambda: numerical_gradient(np.sum, [1.0], h=0), "h must be greater than 0"),
        (lambda: numerical_gradient(np.sum, [1.0], h=1e-20), "h = 1e-20 is too small to move w"),
        (lambda: minibatch_gradient(identity, 5, 6), r"batch_size must be at most 5 \(the number of samples\); got 6"),
        (lambda: minibatch_gradient(identity, 0, 1), "n must be at least 1"),
        (lambda: minibatch_gradient(identity, 5, 1, rng="x"), "rng must be"),
        (lambda: quadratic_model(np.sum, identity, [1.0], 0), "learning_rate must be greater than 0"),
        (lambda: quadratic_model(np.sum, identity, [1.0], 1)([1.0, 2.0]), r"u must have shape \(..., 1\)"),
        (lambda: Quadratic(0.5).value([1, 2]), "condition must be at least 1; got 0.5"),
        (lambda: Rosenbrock(0).gradient([1, 2]), "b must be greater than 0"),
        (lambda: DoubleWell(2).minima, "tilt must be greater than 0 and at most 1"),
        (lambda: Saddle().value([1, 2, 3]), r"w must have shape \(..., 2\), points of the plane; got \(3,\)"),
        (lambda: Himmelblau().hessian([np.inf, 2]), r"w must be finite; w\[0\] is inf"),
    ],
)
def test_messages(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: GradientDescent().step([1.0], [2.0]), "gradient must be a function of w; got list"),
        (lambda: minimize([2.0], [1.0], Adam(), 3), "gradient must be a function of w; got list"),
        (
            lambda: minimize(identity, [1.0], Adam, 3),
            "optimizer must be an optimiser such as .*; got <class",
        ),
        (lambda: minimize(identity, [1.0], 0.1, 3), "optimizer must be an optimiser such as .*; got 0.1"),
        (
            lambda: GradientDescent(linear_decay).step([1.0], identity),
            r"learning_rate must be a number or a schedule such as linear_decay\(0.1, 0, 100\); got the function",
        ),
        (lambda: Adam(inverse_sqrt_decay).step([1.0], identity), "got the function inverse_sqrt_decay itself"),
        (lambda: Newton(A).step([1.0, 2.0], slope), "hessian must be a function of w; got ndarray"),
        (lambda: numerical_gradient(3, [1.0]), "f must be a function of w; got int"),
        (lambda: minibatch_gradient(3, 5, 1), "gradient must be a function of w and a batch; got int"),
    ],
)
def test_what_must_be_a_function_or_an_optimiser(call, message):
    with pytest.raises(TypeError, match=message):
        call()


@pytest.mark.parametrize("make", [AdaGrad, RMSProp, Adam])
def test_a_square_that_overflows_is_not_a_step_of_length_zero(make):
    assert np.isnan(make(0.1).step([1.0, 1.0], lambda w: [1e200, 1.0])).all()
    assert minimize(lambda w: 1e160 * w, [1.0], make(0.1), 3).diverged


def test_newton_stays_where_the_slope_is_zero_and_refuses_what_is_no_hessian():
    assert_allclose(Newton(lambda w: [[12 * w[0] ** 2]]).step([0.0], lambda w: 4 * w**3), [0])
    with pytest.raises(ValueError, match="hessian must return a symmetric matrix"):
        Newton(lambda w: [[1.0, 2.0], [0.0, 1.0]]).step([1.0, 1.0], identity)
    column = np.array([0.1, 0.3, 0.7])
    X = np.column_stack([column, 3 * column, [1.0, 2.0, 5.0]])
    with pytest.raises(ValueError, match="singular"):
        Newton(lambda w: X.T @ X).step([1.0, 1.0, 1.0], identity)
    units = np.array([1.0, 1e-20])  # badly scaled, but not singular
    assert_allclose(Newton(lambda w: np.diag(units)).step([3.0, 2.0], lambda w: units * w), 0, atol=1e-12)


def test_newton_squares_the_error_only_where_the_curvature_is_positive():
    # the new error is at most (third derivative) / (2 second derivative) times its square; here sinh and 1
    w = minimize(np.sinh, [0.5], Newton(lambda w: [np.cosh(w)]), 3).w[:, 0]
    assert (np.abs(w[1:]) <= np.sinh(0.5) / 2 * w[:-1] ** 2).all()
    w = minimize(lambda w: 4 * w**3, [1.0], Newton(lambda w: [12 * w**2]), 20).w[:, 0]
    assert_allclose(w, (2 / 3) ** np.arange(21))


def test_length_of_a_tiny_gradient():
    assert minimize(lambda w: [3e-170, 4e-170], [0.0, 0.0], GradientDescent(0.1), 1).gradient_norm == pytest.approx(
        [5e-170], rel=1e-9, abs=0
    )


def test_best_momentum_in_the_long_run():
    """A tenth of the steps by its factor; an eighth in real runs, for the roots coincide at both ends."""
    curvatures = np.array([0.5, 50.0])
    eta, beta = 4 / np.sum(np.sqrt(curvatures)) ** 2, (9 / 11) ** 2
    counts = []
    for start in ([1.0, 0.0], [0.0, 1.0], [1.0, 1.0]):
        w = minimize(lambda w: curvatures * w, start, Momentum(eta, beta), 200).w
        counts.append(np.flatnonzero(np.linalg.norm(w, axis=1) > 1e-6 * np.linalg.norm(start))[-1] + 1)
    assert counts == [83, 95, 93]


def test_no_momentum_pair_beats_the_best_one():
    """The bound behind (5.35): a factor r needs kappa <= ((1 + r) / (1 - r))^2."""
    rng = np.random.default_rng(3)
    for eta_mu, beta, kappa in zip(rng.uniform(0, 1, 2000), rng.uniform(0, 1, 2000), rng.uniform(1, 50, 2000)):
        T = [np.array([[1 - x, beta], [-x, beta]]) for x in (eta_mu, eta_mu * kappa)]
        r = max(np.abs(np.linalg.eigvals(M)).max() for M in T)
        assert r >= 1 or kappa <= ((1 + r) / (1 - r)) ** 2 * (1 + 1e-9)


def test_another_shape_needs_a_reset():
    optimizer = Momentum()
    optimizer.step([1.0, 2.0], identity)
    with pytest.raises(ValueError, match=r"w has shape \(3,\), but the steps so far had \(2,\). Call reset\(\)"):
        optimizer.step([1.0, 2.0, 3.0], identity)
    assert optimizer.reset().step([1.0, 2.0, 3.0], identity).shape == (3,)


def test_momentum_cycles_where_the_curvature_changes():
    """The best pair of a quadratic with mu = 1, L = 25 does not carry over to other functions with these bounds."""

    def kinked(w):
        return np.where(w < 1, 25 * w, np.where(w < 2, w + 24, 25 * w - 24))

    ends = minimize(kinked, [3.3], Momentum(1 / 9, 4 / 9), 3000).w[-6:, 0]
    a, b, c = ends[-3:]
    assert_allclose(ends[:3], ends[3:], atol=1e-9)
    assert_allclose(c, b + 4 / 9 * (b - a) - kinked(b) / 9, atol=1e-9)  # one step of the cycle, by the formula
    assert min(abs(ends)) > 0.6
    for rule in (GradientDescent(1 / 25), Nesterov(1 / 25, 4 / 6)):
        assert minimize(kinked, [3.3], rule, 300).w[-1] == pytest.approx(0, abs=1e-9)


@given(st.integers(0, 10**6))
@settings(max_examples=30, deadline=None)
def test_nesterov_keeps_its_promise_on_strongly_convex_functions(seed):
    """f = 1/2 w'Hw + sum of softplus: gap <= (1 - sqrt(mu/L))^k (gap_0 + mu/2 |w_0 - w*|^2), with no quadratic."""
    rng = np.random.default_rng(seed)
    X, start = rng.normal(size=(5, 3)) * 3, 4 * rng.normal(size=3)
    L = 0.1 + np.linalg.eigvalsh(X.T @ X)[-1] / 4

    def f(w):
        return 0.05 * w @ w + np.logaddexp(0, X @ w).sum()

    def gradient(w):
        return 0.1 * w + X.T @ (1 / (1 + np.exp(-(X @ w))))

    def hessian(w):
        p = 1 / (1 + np.exp(-(X @ w)))
        return 0.1 * np.eye(3) + (X.T * (p * (1 - p))) @ X

    best = np.zeros(3)
    for _ in range(200):  # damped, so that it arrives from anywhere
        step = np.linalg.solve(hessian(best), gradient(best))
        eta = 1.0
        while f(best - eta * step) > f(best) - 1e-4 * eta * gradient(best) @ step and eta > 1e-9:
            eta /= 2
        best = best - eta * step
    root = math.sqrt(0.1 / L)
    w = minimize(gradient, start, Nesterov(1 / L, (1 - root) / (1 + root)), 80).w
    gaps = np.array([f(x) for x in w]) - f(best)
    bound = (1 - root) ** np.arange(81) * (gaps[0] + 0.05 * np.sum((start - best) ** 2))
    assert (gaps <= bound + 1e-9).all()


def test_adamw_shrinks_beside_the_slope():
    """With no slope it is a pure decay; with weight_decay = 0 it is Adam."""
    still = minimize(lambda w: 0 * w, [2.0, -5.0], AdamW(0.1, weight_decay=0.3), 20).w
    assert_allclose(still, np.array([2.0, -5.0]) * 0.97 ** np.arange(21.0)[:, None])
    assert_array_equal(minimize(slope, W0, AdamW(0.1, weight_decay=0), 20).w, minimize(slope, W0, Adam(0.1), 20).w)
    one = AdamW(0.1, weight_decay=0.5).step([2.0, 2.0], lambda w: [0.5, -2.0])
    assert_allclose(one, [2 - 0.1 - 0.1, 2 + 0.1 - 0.1], atol=1e-8)  # Adam's first step is eta; the decay eta omega w


# --- the same in scikit-learn ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "rate"),
    [
        ({"learning_rate": "constant"}, 0.05),
        ({"learning_rate": "invscaling", "power_t": 0.5}, inverse_sqrt_decay(0.05)),
    ],
)
def test_sgd_regressor_is_descent_with_batches_of_one(options, rate):
    from sklearn.linear_model import SGDRegressor

    rng = np.random.default_rng(4)
    X = rng.normal(size=(40, 3)) * [1, 2, 0.5]
    t = X @ [1.0, -0.5, 2] + 0.7 + rng.normal(size=40)
    theirs = SGDRegressor(penalty=None, eta0=0.05, shuffle=False, max_iter=1, tol=None, **options).fit(X, t)
    samples = iter(zip(np.column_stack([X, np.ones(40)]), t))

    def sample_gradient(w):
        x, target = next(samples)
        return (w @ x - target) * x

    ours = minimize(sample_gradient, np.zeros(4), GradientDescent(rate), 40).w[-1]
    assert_allclose(ours, [*theirs.coef_, *theirs.intercept_], rtol=1e-9)


def test_rules_of_the_multi_layer_perceptron():
    """Momentum is the same; Nesterov is the same at its look-ahead places; Adam adds epsilon before the correction."""
    from sklearn.neural_network._stochastic_optimizers import AdamOptimizer, SGDOptimizer

    def walked(theirs, params, steps=12):
        path = [params[0].copy()]
        for _ in range(steps):
            theirs.update_params(params, [slope(params[0])])
            path.append(params[0].copy())
        return np.array(path)

    params = [W0.copy()]
    plain = walked(SGDOptimizer(params, 0.1, momentum=0.5, nesterov=False), params)
    assert_allclose(plain, minimize(slope, W0, Momentum(0.1, 0.5), 12).w, rtol=1e-9)

    params = [W0.copy()]
    ahead = walked(SGDOptimizer(params, 0.1, momentum=0.5, nesterov=True), params)
    w = minimize(slope, W0, Nesterov(0.1, 0.5), 12).w
    assert_allclose(ahead[1:], w[1:] + 0.5 * np.diff(w, axis=0), rtol=1e-9)

    params = [W0.copy()]
    adam = walked(AdamOptimizer(params, 0.1, 0.8, 0.9, 1e-12), params)
    assert_allclose(adam, minimize(slope, W0, Adam(0.1, 0.8, 0.9, eps=1e-12), 12).w, rtol=1e-9)


# --- numbers that the chapter quotes from read-outs --------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "settings", "words"),
    [
        ("quadratic_descent", {}, ["2/L = **0.2**", "at most **0.822** of"]),
        ("quadratic_descent", {"kappa": 10**1.7}, ["2/L = **0.0399**"]),
        ("quadratic_descent", {"rate": 10**-0.65}, ["**diverges**"]),
        ("quadratic_upper_model", {"w": 1.5, "L": 0.13 * 10**0.9}, ["not below f", "rate 1/L = **0.968**"]),
        ("quadratic_upper_model", {"w": 1.5, "L": 0.13 * 10**0.8}, ["below f", "to **0.05**"]),
        ("quadratic_upper_model", {"w": 1.5, "L": 0.13 * 10**0.7}, ["falls less than the model's promise"]),
        ("quadratic_upper_model", {"w": 1.5, "L": 0.13 * 10**0.5}, ["from 1.27 to **2.05**", "**climbs**"]),
        ("batch_noise", {"size": 16}, ["0.22 of that of one sample"]),
        ("batch_noise", {"size": 1}, ["mean excess loss **0.0123**", "full batches 0.243"]),
        ("batch_noise", {"size": 4}, ["mean excess loss **0.00163**"]),
        ("batch_noise", {"size": 8}, ["mean excess loss **4.5·10⁻⁴**"]),
        ("schedules", {}, ["= **0.167**", "linear to τ **0.00687**, 1/√k **0.00951**"]),
        ("schedules", {"start": 0.5 * 10**-1.7}, ["constant **0.273**, linear to τ **3.6**, 1/√k **7.4**"]),
        ("schedules", {"tau": 200}, ["the best now is **1/√k**"]),
        ("momentum_balance", {"beta": 0.0}, ["swing by **0.900**"]),
        ("momentum_balance", {"beta": 0.47}, ["swing by **0.686**"]),
        ("momentum_balance", {"beta": 0.9}, ["swing by **0.949**"]),
        ("momentum_balance", {"beta": 0.99}, ["swing by **0.995**"]),
        ("momentum_balance", {"flipped": True}, ["**climbs**"]),
        ("optimizer_race", {}, ["Newton **0** · Nesterov"]),
        ("optimizer_race", {"scale": 10**0.4}, ["Diverged**, path cut: descent, Nesterov."]),
        ("optimizer_race", {"surface": "saddle", "k": 150}, ["Newton: slope zero, but **no minimum**"]),
        ("optimizer_race", {"surface": "Himmelblau", "k": 150}, ["Newton: slope zero, but **no minimum**"]),
    ],
)
def test_read_outs_say_what_the_chapter_quotes(name, settings, words):
    explorer = made(name)
    told = explorer.describe(explorer.compute(**settings))
    assert all(word in told for word in words), told


def test_races_as_the_chapter_tells_them():
    race = made("optimizer_race")
    valley = race.describe(race.compute(surface="Rosenbrock", k=150))
    assert valley.index("Newton") < valley.index("· momentum") < valley.index("· RMSProp")
    assert valley.index("· Nesterov") < valley.index("· RMSProp")
    track, *_, runs = race.compute(surface="two wells", k=150)
    assert all(track.stands(w[150]) != "lowest" for w, *_ in runs)


# --- errata of the sources: the printed form fails, the right one holds ---------------------------------------


def test_erratum_s0_e87():
    """Linear decay mixes the first rate with the last; mixing the previous one falls faster than a line."""
    printed, tau = [1.0], 10
    for k in range(1, tau + 1):
        printed.append((1 - k / tau) * printed[-1] + k / tau * 0.01)
    right = linear_decay(1.0, 0.01, tau)(np.arange(tau + 1))
    assert right[5] == pytest.approx(0.505)
    assert printed[5] == pytest.approx(0.159688, abs=5e-7)
    assert_allclose(np.diff(right, 2), 0, atol=1e-15)
    assert np.abs(np.diff(printed, 2)).max() > 0.01


def test_erratum_s0_e88():
    """v already points downhill: w + v descends, the printed w - v climbs."""
    printed, v = 1.0, 0.0
    for _ in range(200):
        v = 0.9 * v - 0.1 * printed
        printed = printed - v
    right = minimize(identity, [1.0], Momentum(0.1, 0.9), 200).w[-1, 0]
    assert 0.5 * right**2 < 1e-8
    assert abs(printed) > 1e23


def test_erratum_s0_e89():
    """The look-ahead goes mu v, not eta v; as printed it is hardly better than plain momentum."""
    bowl, eta, mu = Quadratic(25), 0.02, 0.9
    w, v = np.ones(2), np.zeros(2)
    for _ in range(100):
        v = mu * v - eta * bowl.gradient(w + eta * v)
        w = w + v
    right, plain = (minimize(bowl.gradient, [1, 1], o(eta, mu), 100).w[-1] for o in (Nesterov, Momentum))
    assert bowl.value(right) == pytest.approx(1.925e-6, rel=1e-3)
    assert bowl.value(w) == pytest.approx(6.165e-5, rel=1e-3)
    assert bowl.value(plain) == pytest.approx(1.133e-4, rel=1e-3)
    # A sum or mean over the batch: the gradient of one of its samples alone is not that of the batch
    X, t = np.array([[1.0, 0.0], [1.0, 2.0]]), np.array([1.0, -1.0])
    single = X * (X @ [0.5, 0.5] - t)[:, None]
    batch = minibatch_gradient(lambda w, b: X[b].T @ (X[b] @ w - t[b]) / len(b), 2, 2)
    assert_allclose(batch(np.array([0.5, 0.5])), single.mean(axis=0))
    assert not np.allclose(single[0], single.mean(axis=0))


@pytest.mark.parametrize(
    ("start", "rate", "valley"),
    [(1.5, rate, 0.9601) for rate in (0.001, 0.01, 0.05, 0.1, 0.15)]
    + [(1.5, 0.2, -1.0356), (-1.5, 0.2, -1.0356), (-1.5, 0.22, 0.9601)],
)
def test_erratum_s1_e10(start, rate, valley):
    """No rate guarantees the global minimum: small ones keep the valley of the start, large ones may jump."""
    surface = DoubleWell(0.3)
    deep, shallow = surface.minima
    assert surface.value(deep) < surface.value(shallow) - 0.5
    end = minimize(surface.gradient, [start, 0.0], GradientDescent(rate), 6000).w[-1]
    assert end[0] == pytest.approx(valley, abs=5e-5)


def test_erratum_s1_e11():
    """The missing half: for the price of one full step, one pass of single-sample steps comes far closer."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(1000, 2)) @ np.array([[1.0, 0.3], [0.0, 0.8]])
    w = np.array([1.5, -0.7])
    y = X @ w + rng.normal(0, 0.1, 1000)

    def gradient(u, batch):
        return X[batch].T @ (X[batch] @ u - y[batch]) / len(batch)

    full = minimize(minibatch_gradient(gradient, 1000, 1000), [0, 0], GradientDescent(0.5), 1).w[-1]
    single = minimize(minibatch_gradient(gradient, 1000, 1), [0, 0], GradientDescent(0.01), 1000).w[-1]
    assert np.linalg.norm(full - w) > 0.5
    assert np.linalg.norm(single - w) < 0.05


def test_erratum_s1_e12():
    """The proximal term is the squared norm; with the norm itself the model is lowest at w, or nowhere."""
    w, g, eta = 1.0, 4.0, 0.1
    u = np.linspace(-3, 3, 6001)
    right = quadratic_model(lambda w: 2 * w @ w, lambda w: 4 * w, [w], eta)(u[:, None])
    printed = 2 * w**2 + g * (u - w) + np.abs(u - w) / (2 * eta)
    assert u[np.argmin(right)] == pytest.approx(w - eta * g)
    assert u[np.argmin(printed)] == pytest.approx(w)  # no step at all
    steep = g * (u - w) + np.abs(u - w) / (2 * 0.2)  # |g| > 1/(2 eta): unbounded below
    assert np.argmin(steep) == 0


@pytest.mark.parametrize(("eta", "half_width"), [(0.1, 0.447), (1.0, 1.414), (10.0, 4.472)])
def test_erratum_s1_e13(eta, half_width):
    """1/(2 eta) is half a curvature: the parabola is 1 above its lowest point at sqrt(2 eta), wide for large eta."""
    q = quadratic_model(lambda w: 0.0, lambda w: 0 * w, [0.0], eta)
    assert q([half_width]) == pytest.approx(1, abs=2e-3)
    curvature = q([1.0]) - 2 * q([0.0]) + q([-1.0])
    assert curvature == pytest.approx(1 / eta)
    assert abs(q([1 / (2 * eta)]) - 1) > 0.2  # as a width, the printed number misses


def test_erratum_s1_e14():
    """The parabola lies above f only for smooth f and eta <= 1/L; w^4 has no L, so no eta will do."""
    u = np.linspace(-3, 3, 601)[:, None]
    for eta, above in [(0.2, True), (0.25, True), (0.3, False), (1.0, False)]:
        q = quadratic_model(lambda w: 2 * w @ w, lambda w: 4 * w, [1.0], eta)
        assert (q(u) >= 2 * u[:, 0] ** 2 - 1e-12).all() == above
    u = np.linspace(-100, 100, 2001)[:, None]
    q = quadratic_model(lambda w: w[0] ** 4, lambda w: 4 * w**3, [1.0], 0.001)
    assert (q(u) - u[:, 0] ** 4).min() == pytest.approx(-9.5e7, rel=0.002)


def test_erratum_s2_e2_26():
    """Descent from 0 does not minimise any loss: steps have no slope, and a network of zeros no inner gradient."""
    X = np.array([[1.0, 0.5, 2.0], [1.0, -1.5, 0.3], [1.0, 1.2, -0.7]])
    y = np.array([1.0, 0.0, 1.0])
    wrong = np.array([-1.0, 2.0, -1.0])

    def zero_one(w):
        return float(np.mean((X @ w > 0) != y))

    assert zero_one(wrong) > 0
    assert_array_equal(numerical_gradient(zero_one, wrong), 0)
    stuck = minimize(lambda w: numerical_gradient(zero_one, w), wrong, GradientDescent(1.0), 10)
    assert_array_equal(stuck.w[-1], wrong)

    def network(w):
        V, b, u, a = w[:6].reshape(2, 3), w[6:8], w[8:10], w[10]
        return float(np.mean((np.tanh(X @ V.T + b) @ u + a - y) ** 2))

    def descend(w0):
        return minimize(lambda w: numerical_gradient(network, w), w0, GradientDescent(0.2), 200).w[-1]

    zero = descend(np.zeros(11))
    assert_array_equal(zero[:10], 0)
    assert zero[10] == pytest.approx(y.mean())  # only the output bias learns
    assert network(descend(np.random.default_rng(0).normal(0, 0.5, 11))) < 0.1 * network(zero)


def test_erratum_s4_f41():
    """SGD is the noisy gradient, with any rate; a constant one hovers, a decaying one settles."""
    rng = np.random.default_rng(0)

    def noisy(w):
        return w + rng.normal(size=w.shape)

    eta, runs = 0.1, np.zeros(4000)  # 4000 independent runs side by side
    constant = minimize(noisy, runs, GradientDescent(eta), 300).w[-1]
    decaying = minimize(noisy, runs, GradientDescent(lambda k: 1 / (k + 10)), 300).w[-1]
    assert constant.var() == pytest.approx(eta / (2 - eta), rel=0.08)
    assert decaying.var() < 0.1 * constant.var()
    exact = minimize(identity, np.ones(2), GradientDescent(eta), 300).w[-1]  # the same rate without noise
    assert np.abs(exact).max() < 1e-12

"""Chapter 23: copies, planes, alarms, bounds, games and attacks, against closed forms and other routes."""

import warnings

import numpy as np
import pytest
from scipy.linalg import subspace_angles
from sklearn.base import clone
from sklearn.decomposition import PCA as TheirPCA
from sklearn.neural_network import MLPRegressor

from mlteach import datasets
from mlteach.autoencoders import (
    GAN,
    PLACES,
    Autoencoder,
    VariationalAutoencoder,
    anomaly_threshold,
    digit_vae,
    fast_gradient_attack,
    gaussian_kl,
    input_gradient,
    linear_descent,
    normal_digits,
    pictures,
    riddle,
    stored_game,
    stored_losses,
    stored_pictures,
    stored_rivals,
    two_bumps,
    two_bumps_density,
)
from mlteach.autoencoders.bottleneck import _Task
from mlteach.autoencoders.rivals import KINDS
from mlteach.autoencoders.stored import GAMES
from mlteach.convolution import SmallCNN, as_pictures
from mlteach.deep_learning import Dense, Sequential, Tensor, constant, cross_entropy, pack
from mlteach.latent_factors import PCA
from mlteach.logistic_regression import LogisticRegression, SoftmaxRegression
from mlteach.nearest_neighbors import KNNClassifier
from mlteach.neural_networks import MLP
from mlteach.optimization import Adam, GradientDescent, numerical_gradient
from mlteach.validation import NotFittedError

WORDS = np.eye(8)


def ink():
    return datasets.digits().X / 16


def tables():
    rng = np.random.default_rng(0)
    wine = datasets.wine().X
    yield "iris", datasets.iris().X
    yield "wine", (wine - wine.mean(axis=0)) / wine.std(axis=0)
    yield "raw wine", wine
    yield "digits", ink()
    yield "mixed", rng.normal(size=(200, 10)) @ rng.normal(size=(10, 10)) * 1e3 + 50


# --- the autoencoder ----------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("activation", ["sigmoid", "tanh"])
def test_eight_words_through_three_units_from_twenty_starts(activation):
    for seed in range(20):
        net = Autoencoder((8, 3, 8), activation, seed).fit(WORDS)
        assert np.abs(net.reconstruct(WORDS) - WORDS).max() < 0.3, seed
        codes = net.encode(WORDS)
        assert codes.shape == (8, 3)
        assert min(np.linalg.norm(a - b) for i, a in enumerate(codes) for b in codes[:i]) > 0.1


def test_eight_three_eight_by_the_recipe_of_the_notes():
    net = Autoencoder((8, 3, 8), "sigmoid", 1, optimizer=Adam(0.05), batch_size=None, steps=40).fit(WORDS)
    assert np.abs(net.reconstruct(WORDS) - WORDS).max() < 0.05  # 4,000 steps; 0.0043 in the notes, for their start
    codes = net.encode(WORDS)
    assert ((codes > 0.05) & (codes < 0.95)).any()  # real numbers, not bits


@pytest.mark.parametrize(("name", "X"), list(tables()))
def test_a_linear_one_lands_on_the_plane_of_pca(name, X):
    for seed in (0, 1):
        net = Autoencoder((X.shape[1], 2, X.shape[1]), None, seed).fit(X)
        theirs = TheirPCA(2).fit(X)
        angles = np.degrees(subspace_angles(net.parameters_[2].T, theirs.components_.T))
        assert angles.max() < 0.1
        least = np.sum((X - theirs.inverse_transform(theirs.transform(X))) ** 2) / len(X)
        assert net.losses(X).mean() == pytest.approx(least, rel=1e-6)
        assert net.loss_ == pytest.approx(net.losses(X).mean(), rel=1e-9)
        assert all(a.loss >= b.loss - 1e-9 * abs(a.loss) for a, b in zip(net.history_, net.history_[1:]))


def test_deep_linear_nets_and_names_of_linear():
    X = datasets.iris().X
    least = PCA(1).fit(X).reconstruction_error(X)
    for activation in (None, "linear", "identity"):
        net = Autoencoder((4, 3, 1, 3, 4), activation).fit(X)
        assert net.loss_ == pytest.approx(least, rel=1e-6)


def test_the_half_is_mirrored_and_the_code_is_the_narrowest_layer():
    X = np.random.default_rng(0).normal(size=(30, 6))
    half = Autoencoder((6, 4, 2), rng=3, max_iter=3).fit(X)
    whole = Autoencoder((6, 4, 2, 4, 6), rng=3, max_iter=3).fit(X)
    assert np.array_equal(half.reconstruct(X), whole.reconstruct(X))
    assert half.encode(X).shape == (30, 2)
    assert Autoencoder((None, 2, None), max_iter=2).fit(X).encode(X).shape == (30, 2)
    assert Autoencoder((6, 9, 6), max_iter=2).fit(X).encode(X).shape == (30, 9)


@pytest.mark.parametrize("activation", ["tanh", "sigmoid", "relu", None])
@pytest.mark.parametrize("output", ["identity", "sigmoid"])
def test_the_gradient_is_the_slope_of_the_loss(activation, output):
    rng = np.random.default_rng(2)
    X = rng.random((7, 5))
    task = _Task([5, 4, 2, 4, 5], activation, rng, output, X - X.mean(axis=0), X)
    w = pack(task.parameters) + 0.1 * rng.normal(size=len(pack(task.parameters)))
    assert task.slope(w) == pytest.approx(numerical_gradient(task.loss, w), abs=1e-6)


def test_losses_are_those_of_the_formula():
    X = np.random.default_rng(1).random((20, 4))
    net = Autoencoder((4, 3, 2), max_iter=5).fit(X)
    copy = net.reconstruct(X)
    assert net.losses(X) == pytest.approx(-np.sum(X * np.log(copy) + (1 - X) * np.log(1 - copy), axis=1))
    net = Autoencoder((4, 3, 2), max_iter=5, output="identity").fit(X)
    assert net.losses(X) == pytest.approx(np.sum((X - net.reconstruct(X)) ** 2, axis=1))
    assert net.loss_ == pytest.approx(net.losses(X).mean())
    assert np.array_equal(net.decode(net.encode(X)), net.reconstruct(X))


def test_units_do_not_matter():
    X = np.random.default_rng(5).normal(size=(80, 3)) @ np.diag([3, 1, 0.2])
    a, b = (Autoencoder((3, 8, 1), max_iter=20).fit(s * X + t) for s, t in ((1, 0), (1000, 5e4)))
    assert b.reconstruct(1000 * X + 5e4) == pytest.approx(1000 * a.reconstruct(X) + 5e4, rel=1e-6)


def test_a_bent_net_beats_the_plane_on_an_arc():
    rng = np.random.default_rng(8)
    t = rng.uniform(-2.4, 2.4, 400)
    X = np.column_stack([np.cos(t), np.sin(t)]) + 0.05 * rng.normal(size=(400, 2))
    net = Autoencoder((2, 16, 1), max_iter=60).fit(X[:200])
    assert net.losses(X[200:]).mean() < 0.1 * PCA(1).fit(X[:200]).reconstruction_error(X[200:])


def test_descent_of_chapter_05_and_the_path_of_a_linear_net():
    X = np.random.default_rng(3).normal(size=(60, 3)) * [3, 1, 0.5]
    net = Autoencoder((3, 1, 3), None, optimizer=GradientDescent(0.05), batch_size=None, steps=1, max_iter=300).fit(X)
    assert len(net.history_) == 301
    assert net.loss_ == pytest.approx(PCA(1).fit(X).reconstruction_error(X), rel=1e-3)
    W, V = np.array([[0.3], [0.2], [0.1]]), np.array([[0.2, 0.1, -0.3]])
    path = linear_descent(X, W, V, 1e-3, 1)

    def loss(w):
        return linear_descent(X, w[:3, None], w[None, 3:], 1.0, 0).losses[0]

    start = np.concatenate([W.ravel(), V.ravel()])
    moved = np.concatenate([path.W[1].ravel(), path.V[1].ravel()])
    assert moved == pytest.approx(start - 1e-3 * numerical_gradient(loss, start), abs=1e-7)


@pytest.mark.parametrize(
    ("params", "error", "words"),
    [
        ({"layers": (5, 2, 5)}, ValueError, "X has 3 features"),
        ({"layers": (3, 3)}, ValueError, "hidden layer"),
        ({"layers": 3}, TypeError, "such as"),
        ({"layers": (3, 0, 3)}, ValueError, "each of layers"),
        ({"activation": "sine"}, ValueError, "activation"),
        ({"output": "sigmoid"}, ValueError, "between 0 and 1"),
        ({"optimizer": "adam"}, TypeError, "optimiser of chapter 05"),
        ({"max_iter": 0}, ValueError, "max_iter"),
        ({"denoise": -1}, ValueError, "denoise"),
        ({"batch_size": 0}, ValueError, "batch_size"),
    ],
)
def test_bad_parameters_are_explained(params, error, words):
    X = np.random.default_rng(0).normal(size=(10, 3))
    with pytest.raises(error, match=words):
        Autoencoder(**{"layers": (3, 1, 3)} | params).fit(X)


def test_bad_codes_are_explained():
    net = Autoencoder((8, 3, 8), max_iter=1).fit(WORDS)
    with pytest.raises(ValueError, match="3 columns"):
        net.decode(np.zeros((2, 2)))
    with pytest.raises(NotFittedError):
        Autoencoder((8, 3, 8)).decode(np.zeros((2, 3)))
    with pytest.raises(ValueError, match="between 0 and 1"):
        net.losses(WORDS * 3)


def test_the_translation_to_scikit_learn():
    X = np.random.default_rng(4).normal(size=(50, 3))
    theirs = MLPRegressor(
        hidden_layer_sizes=(2,), activation="identity", solver="lbfgs", alpha=0.0, max_iter=2000, random_state=0
    )
    theirs.fit(X, X)
    ours = Autoencoder((3, 2, 3), None).fit(X)
    assert theirs.loss_ == pytest.approx(ours.loss_ / (2 * 3), rel=1e-3)  # half of the mean over all entries


def test_a_relu_code_of_scikit_learn_is_not_our_linear_one():
    """As the card says: with the default ReLU the copies of digits are worse than PCA's."""
    X = ink()[:600]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = MLPRegressor(hidden_layer_sizes=(32, 2, 32), random_state=0, max_iter=100).fit(X, X)
    lost = np.mean(np.sum((X - theirs.predict(X)) ** 2, axis=1))
    assert lost > PCA(2).fit(X).reconstruction_error(X)


@pytest.mark.parametrize(("kind", "seed"), [("alarm", 1), ("nats", 2), ("games", 3), ("cells", 4)])
def test_a_part_of_the_stored_rivals_repeats(kind, seed):
    kept, again = stored_rivals(kind), KINDS[kind](seed)
    assert all(len(values) == 20 for values in kept.values())
    if kind == "games":  # chaotic: the last bit decides where a hasty one ends, not that a fair one finds both bumps
        assert min(again["fair"], kept["fair"].min()) > 0.1
        return
    for name, value in again.items():
        assert kept[name][seed] == pytest.approx(value, abs=0.5 if kind == "nats" else 0.05)


def test_the_stored_pictures_and_what_can_be_repeated_of_them():
    kept = stored_pictures()
    assert list(kept) == list(pictures.PAINTERS)
    for near, cover, grey, drawn in kept.values():
        assert near.shape == cover.shape == grey.shape == (20,)
        assert drawn.shape == (8, 64)
        assert drawn.min() >= 0
        assert drawn.max() <= 1
    for name, seed in (("real", 3), ("averages", 5), ("normal law", 4)):
        *measured, _ = pictures.compare(name, seed)
        assert measured == pytest.approx([values[seed] for values in kept[name][:3]], abs=2e-4)


@pytest.mark.slow
@pytest.mark.parametrize("build", [pictures.dense_generator, pictures.growing_generator])
def test_a_short_game_on_digits_already_draws_nearer_than_none(build):
    train, unseen = pictures.deal(0)
    near = [
        pictures.judged(pictures.draw_by_game(train, build, steps=steps, rng=0)(100, 1), unseen)[0]
        for steps in (0, 250)
    ]
    assert near[1] < 0.8 * near[0]


# --- the alarm ----------------------------------------------------------------------------------------------------


def test_the_threshold_of_the_notes():
    losses = [0.1, 0.2, 0.15, 0.12, 0.18]
    assert anomaly_threshold(losses) == pytest.approx(0.186878, abs=5e-7)
    assert anomaly_threshold(losses, 0) == pytest.approx(0.15)
    with pytest.raises(ValueError, match="losses"):
        anomaly_threshold([0.1, np.nan])
    with pytest.raises(ValueError, match="empty"):
        anomaly_threshold([])


def test_what_the_chapter_says_of_the_alarm():
    kept = stored_losses()
    parts = normal_digits()
    assert {k: len(v) for k, v in kept.items()} == {k: len(v) for k, v in parts._asdict().items()}
    train, validation = anomaly_threshold(kept["train"]), anomaly_threshold(kept["validation"])
    assert (round(train, 2), round(validation, 2)) == (1.12, 1.71)
    assert [np.sum(kept["test"] > t) for t in (train, validation)] == [109, 43]
    assert np.mean(kept["train"] > train) < 0.2
    digits = datasets.digits().y
    order = np.random.default_rng(0).permutation(np.flatnonzero(digits < 5))
    passed = kept["flipped"] <= validation
    share = [np.mean(passed[digits[order[-len(passed) :]] == digit]) for digit in range(5)]
    assert np.mean(passed) == pytest.approx(1 / 3, abs=0.05)
    assert share[0] > 0.8  # "most of the 0s and half of the 1s"
    assert share[1] == pytest.approx(0.5, abs=0.05)
    assert share[3] > 0.25  # "more than a quarter of the flipped 3s"


def test_the_riddle_that_opens_the_chapter():
    pictures, drawn = riddle()
    assert (drawn + 1).tolist() == [2, 4, 5, 8, 10, 11]  # as section 23.7 answers it
    written = ink().tolist()
    assert [k for k, x in enumerate(pictures) if x.tolist() not in written] == drawn.tolist()


def test_what_cannot_be_squared_is_refused_and_far_points_cause_no_warning():
    X = np.random.default_rng(0).normal(size=(20, 2))
    huge = X * 1e160
    calls = [
        lambda: GAN(steps=1).fit(huge),
        lambda: Autoencoder((2, 1, 2)).fit(huge),
        lambda: VariationalAutoencoder((2, 1)).fit(huge),
        lambda: linear_descent(huge, np.ones((2, 1)), np.ones((1, 2))),
        lambda: anomaly_threshold(huge[:, 0]),
    ]
    for call in calls:
        with pytest.raises(ValueError, match="too large for their squares"):
            call()
    far = np.full((1, 2), 1e300)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert Autoencoder((2, 3, 1), max_iter=1).fit(X).losses(far) == [np.inf]
        assert VariationalAutoencoder((2, 3, 1), epochs=1).fit(X).bound(far) == [-np.inf]


def test_noise_of_denoising_is_a_multiple_of_the_common_scale():
    X = np.random.default_rng(0).normal(size=(60, 3)) * [3, 1, 0.2]
    nets = [Autoencoder((3, 4, 1), denoise=0.5, max_iter=5).fit(s * X) for s in (1, 100)]
    assert nets[1].reconstruct(100 * X) == pytest.approx(100 * nets[0].reconstruct(X), rel=1e-6)


def test_against_a_fixed_discriminator_one_point_is_best_and_the_value_of_the_game_is_the_same_in_both_orders():
    rng, p = np.random.default_rng(3), np.array([0.1, 0.6, 0.3])
    for _ in range(200):
        D = rng.uniform(0.01, 0.99, 3)
        value = p @ np.log(D) + np.log(1 - D)  # of a generator that makes one place only
        q = rng.dirichlet(np.ones(3))
        assert p @ np.log(D) + q @ np.log(1 - D) >= value.min() - 1e-12
        assert value.argmin() == D.argmax()
        assert value.min() <= -np.log(4) + 1e-12  # so max over D of min over G is at most -ln 4, which D = 1/2 reaches


# --- the bound ----------------------------------------------------------------------------------------------------


def test_the_divergence_is_zero_at_the_prior_and_agrees_with_an_integral():
    assert gaussian_kl([[0, 0]], [[0, 0]]).tolist() == [0]
    z = np.linspace(-30, 30, 200_001)
    for mu, s in ((1.0, 0.5), (-2.0, 1.7), (0.3, 1.0)):
        q = np.exp(-0.5 * ((z - mu) / s) ** 2) / (s * np.sqrt(2 * np.pi))
        log_ratio = -np.log(s) - 0.5 * ((z - mu) / s) ** 2 + 0.5 * z**2
        assert gaussian_kl([mu], [2 * np.log(s)]) == pytest.approx(np.trapezoid(q * log_ratio, z), abs=1e-8)
    both = gaussian_kl([[1.0, -2.0]], [[2 * np.log(0.5), 0.0]])
    assert both == pytest.approx([2.8181], abs=5e-5)
    with pytest.raises(ValueError, match="one shape"):
        gaussian_kl([[1.0, 2.0]], [1.0])


def test_the_gradient_of_a_variational_net_is_the_slope_of_its_loss():
    from mlteach.autoencoders.variational import _Nets

    rng = np.random.default_rng(0)
    X, eps = rng.random((6, 4)), rng.normal(size=(6, 2))
    for output in ("identity", "sigmoid"):
        nets = _Nets([4, 3, 2], "tanh", output, 1.3, rng)
        w = pack(nets.parameters)

        def loss(v, nets=nets):
            nets.slope(v, X, X, eps)
            rest, kl = nets.terms(X, X, eps)
            return float((rest + kl * 1.3).sum())

        assert nets.slope(w, X, X, eps) == pytest.approx(numerical_gradient(loss, w), abs=1e-6)


@pytest.mark.slow
def test_the_bound_of_a_linear_net_lies_below_the_likelihood():
    rng = np.random.default_rng(1)
    X = np.outer(rng.normal(size=400), [2.0, 1.0, -1.0]) + 0.5 * rng.normal(size=(400, 3))
    model = VariationalAutoencoder((3, 1), epochs=150).fit(X)  # no hidden layer: probabilistic PCA
    C = np.cov(X.T, bias=True)
    best = -0.5 * (3 * np.log(2 * np.pi) + np.linalg.slogdet(C)[1] + 3)  # of a full normal law
    bound = model.bound(X, n_samples=10_000).mean()
    assert bound < best
    assert bound > best - 0.1
    assert model.noise_variance_ == pytest.approx(0.25, abs=0.1)


def test_variational_shapes_and_draws():
    X = ink()[:200]
    model = VariationalAutoencoder((64, 8, 2), epochs=2).fit(X)
    mean, log_variance = model.encode(X)
    assert mean.shape == log_variance.shape == (200, 2)
    assert np.array_equal(model.transform(X), mean)
    assert model.decode(mean).shape == model.sample(200).shape == X.shape
    assert 0 <= model.sample(5).min() <= model.sample(5).max() <= 1
    assert set(np.unique(model.sample(5, noise=True))) <= {0.0, 1.0}
    assert np.array_equal(model.sample(3, rng=1), model.sample(3, rng=1))
    assert model.bound(X).shape == (200,)
    assert model.bound(X[:5]) == pytest.approx(model.bound(X)[:5])
    losses = [r.reconstruction + r.kl for r in model.history_]
    assert losses[-1] < losses[0]
    with pytest.raises(ValueError, match="2 columns"):
        model.decode([[1.0, 2.0, 3.0]])
    for bad in ((5, 3, 2), (64,)):
        with pytest.raises(ValueError, match="layers"):
            VariationalAutoencoder(bad).fit(X)


def test_a_training_that_leaves_all_bounds_says_so_and_keeps_the_last_state_that_did_not():
    X = np.random.default_rng(0).normal(size=(40, 3))
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        model = VariationalAutoencoder((3, 4, 2), epochs=3, learning_rate=1e6).fit(X)
        assert np.isfinite(model.bound(X)).all()
    assert [w.category.__name__ for w in said] == ["ConvergenceWarning"]
    assert not model.converged_


def test_too_high_a_price_makes_the_codes_collapse():
    X = ink()[:600]
    prices = [gaussian_kl(*VariationalAutoencoder((64, 16, 2), output="identity", beta=b, epochs=20).fit(X).encode(X))
              for b in (1, 50)]  # fmt: skip
    assert prices[0].mean() > 1
    assert prices[1].mean() < 0.1


def test_the_stored_decoder_draws_digits():
    model = digit_vae()
    X, y = ink(), datasets.digits().y
    assert model.bound(X).mean() == pytest.approx(15.98, abs=0.05)
    Z = model.transform(X)
    for digit, code in ((0, (0.0, 2.0)), (6, (1.25, 1.5)), (2, (-2.0, -1.0))):
        nearest = np.argsort(np.linalg.norm(Z - code, axis=1))[:25]
        assert np.mean(y[nearest] == digit) > 0.9
    assert clone(model).get_params() == model.get_params()


def test_erratum_s0_e109():
    mu, rng = Tensor([1.5]), np.random.default_rng(0)
    drawn = constant(rng.normal(mu.data, 1.0, size=1000))
    with pytest.raises(ValueError, match="nothing here depends on a Tensor"):
        (drawn**2).mean().backward()  # as printed: a sample inside passes no gradient
    ((mu + constant(rng.normal(size=200_000))) ** 2).mean().backward()
    assert mu.grad == pytest.approx([3.0], abs=0.03)


def test_erratum_s0_e110():
    model = GAN(latent=2, steps=5).fit(two_bumps(100))
    assert not hasattr(model, "encode")  # no encoder ...
    assert model.generate([[0.0, 0.0], [1.0, -1.0]]).shape == (2, 1)  # ... but codes to walk through


# --- the game -----------------------------------------------------------------------------------------------------


def test_a_fair_game_finds_a_bump():
    X = np.random.default_rng(0).normal(3.0, 0.5, size=(500, 1))
    model = GAN(steps=400).fit(X)
    made = model.sample(2000)
    assert made.mean() == pytest.approx(3.0, abs=0.5)
    assert 0.1 < made.std() < 1.2
    D = model.discriminate(X)
    assert D.shape == (500,)
    assert ((D > 0) & (D < 1)).all()
    assert model.discriminate([[40.0]])[0] != pytest.approx(0.5, abs=1e-6)


def test_games_are_repeatable_and_their_records_replay():
    a, b = (GAN(steps=60, every=20).fit(two_bumps(200)) for _ in "ab")
    assert np.array_equal(a.sample(5), b.sample(5))
    assert [r.step for r in a.history_] == [0, 20, 40, 60]
    assert np.array_equal(a.generate([[0.5]], a.history_[-1]), a.generate([[0.5]]))
    assert all(r.value <= 0 for r in a.history_)
    assert clone(a).get_params() == a.get_params()
    assert repr(GAN(2)) == "GAN(latent=2)"


def test_bad_games_are_explained():
    with pytest.raises(ValueError, match="loss"):
        GAN(loss="other").fit(two_bumps(20))
    with pytest.raises(ValueError, match="one number or two"):
        GAN(learning_rate=(0.1, 0.2, 0.3)).fit(two_bumps(20))
    with pytest.raises(ValueError, match="n must be"):
        two_bumps(0)
    with pytest.raises(ValueError, match="steps"):
        GAN(steps=0).fit(two_bumps(20))
    with pytest.raises(NotFittedError):
        GAN().sample(3)
    with pytest.raises(ValueError, match="columns"):
        GAN(steps=1).fit(two_bumps(20)).generate([[1.0, 2.0]])


def test_the_stored_games():
    assert np.trapezoid(two_bumps_density(np.linspace(-9, 9, 2001)), np.linspace(-9, 9, 2001)) == pytest.approx(1)
    for name in GAMES:
        game = stored_game(name)
        assert game.points.shape == (51, 100)
        assert game.curve.shape == (51, len(PLACES))
    ends = {name: stored_game(name).points[-1] for name in GAMES}
    assert [int(np.sum(np.abs(ends["fair"] - m) < 1)) for m in (-2, 2)] == [49, 49]
    assert ends["greedy"].std() < 0.1
    assert np.sum(np.abs(ends["hasty"] - 2) < 1) == 0
    with pytest.raises(ValueError, match="name"):
        stored_game("unfair")


# --- the attack ---------------------------------------------------------------------------------------------------


def models():
    X, y = ink()[:300], datasets.digits().y[:300]
    rng = np.random.default_rng(0)
    yield "softmax", SoftmaxRegression(1.0).fit(X, y), X, y
    yield "two", LogisticRegression(1.0).fit(X, y > 4), X, y > 4
    yield "mlp", MLP((64, 8, 10), epochs=2).fit(X, y), X, y
    yield "relu", MLP((64, 8, 1), "softplus", "sigmoid", epochs=2).fit(X, y > 4), X, y > 4
    yield "measured", MLP((64, 8, 1), "tanh", "identity", epochs=2).fit(X, X[:, 20]), X, X[:, 20]
    yield "layers", Sequential(Dense(64, 8, "tanh", rng), Dense(8, 10, rng=rng)), X, y
    yield "pictures", SmallCNN(), as_pictures(X + 0.1 * rng.random(X.shape)), y  # no ties, no kinks


def loss_of(model, X, y):
    """Return the sum of the losses, by another route than the gradient's."""
    if isinstance(model, Sequential):
        return float(cross_entropy(model(X), y)) * len(X)
    if isinstance(model, MLP):
        return model.loss(X, y) * len(X)
    p = model.predict_proba(X)
    return -np.sum(np.log(p[np.arange(len(y)), np.searchsorted(model.classes_, y)]))


@pytest.mark.parametrize(("name", "model", "X", "y"), list(models()), ids=lambda v: v if isinstance(v, str) else "")
def test_the_attack_follows_the_slope_of_the_loss(name, model, X, y):
    X, y = X[:3], y[:3]
    slope = input_gradient(model, X, y)
    numeric = numerical_gradient(lambda x: loss_of(model, x.reshape(X.shape), y), X.ravel()).reshape(X.shape)
    assert slope == pytest.approx(numeric, abs=1e-5)
    moved = fast_gradient_attack(model, X, y, 0.05)
    assert np.abs(moved - X)[slope != 0] == pytest.approx(0.05)
    assert loss_of(model, moved, y) > loss_of(model, X, y)
    inside = fast_gradient_attack(model, X, y, 0.3, clip=(0, 1.2))
    assert 0 <= inside.min() <= inside.max() <= 1.2
    assert np.array_equal(fast_gradient_attack(model, X, y, 0.0), X)


def test_an_attack_by_a_function_and_what_is_refused():
    X = np.ones((2, 3))
    moved = fast_gradient_attack(lambda X, y: np.tile([1.0, -2.0, 0.0], (2, 1)), X, [0, 0], 0.25)
    assert moved.tolist() == [[1.25, 0.75, 1.0]] * 2
    for model, y, extra, error, words in [
        ("nonsense", [0, 0], {}, TypeError, "model must be"),
        (lambda X, y: X[:1], [0, 0], {}, ValueError, "shape"),
        (lambda X, y: X, [0, 0], {"clip": (1, 0)}, ValueError, "low below high"),
        (lambda X, y: X, [0, 0], {"clip": 3}, ValueError, "pair"),
        (lambda X, y: X, [0, 0], {"clip": (0, 0.5)}, ValueError, "outside of clip"),
        (PCA(1), [0, 0], {}, TypeError, "model must be"),
    ]:
        with pytest.raises(error, match=words):
            fast_gradient_attack(model, X, y, 0.1, **extra)
    two = LogisticRegression(1.0).fit([[0, 0], [1, 0], [3, 2], [4, 2]], ["a", "a", "b", "b"])
    with pytest.raises(ValueError, match="does not know"):
        fast_gradient_attack(two, [[1.0, 1.0]], ["c"], 0.1)
    with pytest.raises(ValueError, match="epsilon"):
        fast_gradient_attack(two, [[1.0, 1.0]], ["a"], -0.1)


def test_a_linear_score_falls_by_the_sum_of_all_weights():
    X, y = ink(), datasets.digits().y
    rows = (y == 3) | (y == 8)
    model = LogisticRegression(1.0).fit(X[rows], y[rows])
    before = model.decision_function(X[y == 8])
    after = model.decision_function(fast_gradient_attack(model, X[y == 8], np.full((y == 8).sum(), 8), 0.07))
    assert before - after == pytest.approx(0.07 * np.abs(model.w_).sum())


@pytest.mark.slow
@pytest.mark.parametrize("deal", range(4))
def test_attacks_carry_over_in_other_deals(deal):
    """Section 23.9: the twin shares most of the victim's fall, and neighbours suffer more than by random signs."""
    ink, label, rng = datasets.digits().X / 16, datasets.digits().y, np.random.default_rng(100 + deal)
    first, second, rest = np.split(rng.permutation(len(ink)), [500, 1000])
    victim, twin = (SoftmaxRegression(1.0).fit(ink[rows], label[rows]) for rows in (first, second))
    neighbours = KNNClassifier(3).fit(ink[second], label[second])
    moved = fast_gradient_attack(victim, ink[rest], label[rest], 0.2, clip=(0, 1))
    tossed = np.clip(ink[rest] + 0.2 * rng.choice([-1, 1], size=ink[rest].shape), 0, 1)
    fall = [model.score(ink[rest], label[rest]) - model.score(moved, label[rest]) for model in (victim, twin)]
    assert fall[1] > 0.7 * fall[0] > 0.5
    assert neighbours.score(moved, label[rest]) < neighbours.score(tossed, label[rest]) - 0.1

"""Explorers of chapter 23: a linear copy, an alarm, a walk through codes, a game of two nets, an attacked digit."""

from functools import cache

import numpy as np

from mlteach import datasets, plots
from mlteach.autoencoders import (
    PLACES,
    anomaly_threshold,
    digit_vae,
    fast_gradient_attack,
    linear_descent,
    stored_game,
    stored_losses,
    two_bumps_density,
)
from mlteach.explore.base import Scene, buttons, explorer, log_slider, slider, whole
from mlteach.logistic_regression import SoftmaxRegression
from mlteach.probability import normal_pdf

INKS = {"cmap": "gray_r", "vmin": 0, "vmax": 1, "interpolation": "nearest"}


def _picture(ax, title):
    """Return an empty 8 x 8 picture."""
    ax.set(xticks=[], yticks=[], title=title)
    ax.spines[:].set_visible(True)
    return ax.imshow(np.zeros((8, 8)), **INKS)


# --- A linear copy -------------------------------------------------------------------------------------------------

STARTS = {
    "weak": (0.3, -0.4, 0.1, 0.3),
    "wrong way": (0.6, -0.8, 0.7, -0.5),
    "saddle": (-0.4998, 0.8662, -0.4997, 0.866),
}
STEPS = 60


@cache
def _cloud():
    """Return 80 points whose covariance has the eigenvalues 4 and 1 and the first axis at 30 degrees."""
    Z = np.random.default_rng(23).normal(size=(80, 2))
    Z = (Z - Z.mean(axis=0)) @ np.linalg.inv(np.linalg.cholesky(np.cov(Z.T, bias=True)).T)
    turn = np.array([[np.cos(np.pi / 6), np.sin(np.pi / 6)], [-np.sin(np.pi / 6), np.cos(np.pi / 6)]])
    return Z * [2, 1] @ turn


@cache
def _path(start, rate):
    a, b, c, d = STARTS[start]
    return linear_descent(_cloud(), [[a], [b]], [[c, d]], rate, STEPS)


class LinearCopy(Scene):
    """Train a linear autoencoder with one unit in its middle, step by step."""

    caption = (
        "Figure 23.3: left, points, the line on which the decoder draws their copies, PCA's axis (dashed) and the "
        "other one (dotted); right, the loss after each step, with those of PCA's axis (1) and of the other one "
        "(4). Watch the line turn."
    )
    lines = 2
    play, interval = "step", 150

    def __init__(self):
        self.figure, (plane, fall) = plots.canvas(2, size=(9.6, 4.1), widths=(1.25, 1))
        X, axis = _cloud(), np.array([np.cos(np.pi / 6), np.sin(np.pi / 6)])
        plane.plot(*X.T, "o", ms=5, color=plots.GREY, alpha=0.6, zorder=1, label="points")
        plane.plot(*np.outer([-7, 7], axis).T, "--", color=plots.INK, lw=1.6, zorder=1.5, label="PCA's axis")
        plane.plot(
            *np.outer([-7, 7], axis[::-1] * [-1, 1]).T, ":", color=plots.INK, lw=1.6, zorder=1.5, label="other axis"
        )
        (self.line,) = plane.plot([], [], color=plots.BLUE, zorder=2, label="decoder's line")
        (self.copies,) = plane.plot([], [], "o", ms=5, color=plots.ORANGE, zorder=3, label="copies")
        plane.set(xlim=(-6, 6), ylim=(-4, 4), aspect="equal", xlabel="x₁", ylabel="x₂", title="Points and copies")
        self.figure.legend(handles=plots.entries(plane), **plots.BELOW)
        fall.set(xlim=(-1, STEPS + 1), ylim=(0, 6.6), xlabel="step", title="Loss")
        for level, name in ((1, "PCA's axis"), (4, "other axis")):
            fall.axhline(level, color=plots.GREY, ls=":", lw=1.4)
            box = {"facecolor": "white", "edgecolor": "none", "pad": 1.5, "alpha": 0.85}
            fall.text(STEPS, level - 0.12, name, ha="right", va="top", fontsize=11, bbox=box, zorder=4)
        (self.curve,) = fall.plot([], [], color=plots.BLUE, zorder=2)
        (self.here,) = fall.plot([0], [0], "o", ms=9, color=plots.ORANGE, zorder=3)
        self.moving = [self.line, self.copies, self.curve, self.here]
        self.controls = {
            "step": whole("step", 5, 0, STEPS),
            "start": buttons("start", {name: name for name in STARTS}),
            "rate": log_slider("learning rate η", 0.02, 0.005, 0.2, per_decade=5),
        }

    def compute(self, step, start, rate):
        """Return the state after a step, or the last one before the numbers left all bounds."""
        path = _path(start, round(float(rate), 6))
        k = min(step, len(path.losses) - 1)
        axis = path.V[k][0] / np.linalg.norm(path.V[k][0])
        angle = np.degrees(np.arccos(min(1.0, abs(axis @ [np.cos(np.pi / 6), np.sin(np.pi / 6)]))))
        return {"k": k, "lost": k < step, "axis": axis, "angle": angle, "losses": path.losses[: k + 1],
                "copies": _cloud() @ path.W[k] @ path.V[k]}  # fmt: skip

    def draw(self, result):
        """Turn the line, move the copies, and go on with the curve."""
        self.line.set_data(*np.outer([-8, 8], result["axis"]).T)
        self.copies.set_data(*np.clip(result["copies"], -50, 50).T)
        losses = np.minimum(result["losses"], 50)
        self.curve.set_data(np.arange(len(losses)), losses)
        self.here.set_data([result["k"]], losses[-1:])

    def describe(self, result):
        """Say loss and angle."""
        loss, k = result["losses"][-1], result["k"]
        if result["lost"] or loss > 1e3:
            return f"Step {k}: the loss is **beyond all bounds**. The learning rate is too large: the steps overshoot."
        return (
            f"Step **{k}**: loss **{loss:.3f}** (PCA: 1.000). The decoder's line stands **{result['angle']:.1f}°** "
            f"from PCA's axis."
        )


linear_copy = explorer(LinearCopy)

# --- An alarm ------------------------------------------------------------------------------------------------------

FOUND = {"digits 5 to 9": "strange", "upside down": "flipped"}


class AlarmThreshold(Scene):
    """Set the threshold of an alarm and count false alarms and misses."""

    caption = (
        "Figure 23.5: losses of an autoencoder that was trained on the digits 0 to 4: left, new pictures of these "
        "digits (above) and anomalies (below), with the threshold δ; right, both error rates for the k passed so far. "
        "Look at what each side pays when δ moves."
    )
    lines = 3
    ks = np.round(np.arange(-1, 4.01, 0.25), 2)

    def __init__(self):
        self.losses = stored_losses()
        self.bins = np.linspace(0, 8, 41)
        self.figure, (counts, rates) = plots.canvas(2, size=(9.6, 4.0), widths=(1.35, 1))
        counts.set(xlim=(0, 8), ylim=(-0.18, 0.18), xlabel="loss |x − x̃|²", title="Losses (loss above 8: last bar)")
        plots.ticks(counts.yaxis, [])
        counts.axhline(0, color=plots.INK, lw=1)
        counts.text(7.9, 0.135, "normal", ha="right", color=plots.BLUE, weight="bold")
        counts.text(7.9, -0.15, "anomalies", ha="right", color=plots.ORANGE, weight="bold")
        heights = self._heights("test")
        look = {"width": 0.2, "align": "edge", "lw": 0.6}
        counts.bar(self.bins[:-1], heights, color=plots.LIGHT_BLUE, edgecolor=plots.BLUE, **look)
        self.bars = counts.bar(self.bins[:-1], heights, color=plots.SOFT_ORANGE, edgecolor=plots.ORANGE, **look)
        self.delta = counts.axvline(1, color=plots.INK, lw=2.4, zorder=4)
        rates.set(xlim=(-1.1, 4.1), ylim=(0, 1.03), xlabel="k in δ = mean + k std", title="Share of errors")
        (self.alarms,) = rates.plot([], [], color=plots.BLUE, zorder=2, label="false alarms")
        (self.misses,) = rates.plot([], [], "--", color=plots.ORANGE, zorder=2, label="misses")
        (self.one,) = rates.plot([0], [0], "o", ms=9, color=plots.BLUE, zorder=3)
        (self.two,) = rates.plot([0], [0], "s", ms=9, color=plots.ORANGE, zorder=3)
        self.figure.legend(handles=plots.entries(rates), **plots.BELOW)
        self.moving = [*self.bars, self.delta, self.alarms, self.misses, self.one, self.two]
        self.controls = {
            "k": slider("standard deviations k", 2.0, -1.0, 4.0, 0.25),
            "basis": buttons("δ from losses of", {"training": "train", "validation": "validation"}, "validation"),
            "found": buttons("anomalies", FOUND),
        }

    def _heights(self, part):
        losses = np.minimum(self.losses[part], 7.99)
        return np.histogram(losses, self.bins)[0] / len(losses)

    def _rates(self, k, basis, found):
        delta = anomaly_threshold(self.losses[basis], k)
        return delta, np.mean(self.losses["test"] > delta), np.mean(self.losses[found] <= delta)

    def compute(self, k, basis, found):
        """Return the threshold and both rates, here and for smaller k."""
        passed = [s for s in self.ks if s <= k + 1e-9]
        return k, found, np.array([self._rates(s, basis, found) for s in passed]), passed

    def draw(self, result):
        """Move the threshold and the curves."""
        _, found, table, passed = result
        for bar, height in zip(self.bars, self._heights(found)):
            bar.set_height(-height)
        self.delta.set_xdata([table[-1, 0]] * 2)
        self.alarms.set_data(passed, table[:, 1])
        self.misses.set_data(passed, table[:, 2])
        self.one.set_data(passed[-1:], table[-1:, 1])
        self.two.set_data(passed[-1:], table[-1:, 2])

    def describe(self, result):
        """Say threshold, rates, and what Cantelli promises."""
        k, found, table, _ = result
        delta, alarms, misses = table[-1]
        n, m = len(self.losses["test"]), len(self.losses[found])
        promise = (
            f"Cantelli promises at most {100 / (1 + k * k):.0f} % of false alarms, if new losses have the mean and the "
            f"standard deviation of those that set δ."
            if k > 0
            else "Cantelli promises nothing about false alarms for a δ that is not above the mean."
        )
        return (
            f"δ = **{delta:.2f}**: false alarms **{round(alarms * n)} of {n} ({100 * alarms:.0f} %)**, misses "
            f"**{round(misses * m)} of {m} ({100 * misses:.0f} %)**. {promise}"
        )


alarm_threshold = explorer(AlarmThreshold)

# --- A walk through the codes --------------------------------------------------------------------------------------


@cache
def _codes():
    data = datasets.digits()
    return digit_vae().transform(data.X / 16), data.y


class LatentWalk(Scene):
    """Choose a code of two numbers and see which digit the decoder makes of it."""

    caption = (
        "Figure 23.7: left, the codes of all 1,797 digits (each written as its numeral, a box at the median of a "
        "digit) and the code you chose; right, the picture that the decoder makes of it. Walk from one digit to "
        "another and watch the picture change."
    )
    lines = 2

    def __init__(self):
        Z, y = _codes()
        self.figure, (plane, right) = plots.canvas(2, size=(9.6, 4.5), widths=(1.35, 1))
        for k in range(10):
            colour = plots.CLASS_COLORS[k % 5]
            plane.scatter(*Z[y == k][::2].T, s=26, marker=f"${k}$", color=colour, lw=0.2, alpha=0.75, zorder=1)
            box = {"facecolor": "white", "pad": 1, "lw": 0.8}
            plane.text(
                *np.median(Z[y == k], axis=0), str(k), size=16, weight="bold", ha="center", va="center", bbox=box
            )
        plane.set(xlim=(-3.2, 3.2), ylim=(-3.2, 3.2), aspect="equal", xlabel="z₁", ylabel="z₂", title="Codes")
        (self.here,) = plane.plot([0], [0], "o", ms=15, mfc="none", mec=plots.INK, mew=3, zorder=3)
        self.picture = _picture(right, "Decoded")
        self.moving = [self.here, self.picture]
        self.controls = {
            "z1": slider("code z₁", 0.0, -3.0, 3.0, 0.25),
            "z2": slider("code z₂", 2.0, -3.0, 3.0, 0.25),
        }

    def compute(self, z1, z2):
        """Return the code, its picture, and the digits of the nearest codes."""
        Z, y = _codes()
        z = np.array([z1, z2])
        distances = np.linalg.norm(Z - z, axis=1)
        nearest = np.argsort(np.round(distances, 6), kind="stable")[:25]
        votes = np.bincount(y[nearest].astype(int), minlength=10)
        return z, digit_vae().decode(z[None])[0], votes, distances.min()

    def draw(self, result):
        """Move the ring and show the picture."""
        z, x, _, _ = result
        self.here.set_data(*z[:, None])
        self.picture.set_data(np.clip(x, 0, 1).reshape(8, 8))

    def describe(self, result):
        """Say which digits have their codes near."""
        z, _, votes, nearest = result
        most = votes.argmax()
        density = np.exp(-0.5 * z @ z)
        far = f" The nearest code is **{nearest:.2f}** away: no data vouch for this picture." if nearest > 0.6 else ""
        return (
            f"Code ({z[0]:.2f}, {z[1]:.2f}), whose density is **{density:.2f}** of that at the origin. Of the 25 "
            f"nearest codes **{votes[most]}** belong to a **{most}**.{far}"
        )


latent_walk = explorer(LatentWalk)

# --- A game of two nets --------------------------------------------------------------------------------------------

GAME_NAMES = {"fair": "fair", "hasty (η × 10)": "hasty", "greedy (10 : 1)": "greedy"}


class GanGame(Scene):
    """Watch generator and discriminator train each other on two bumps."""

    caption = (
        "Figure 23.9: above, the density of the real points (grey) and a histogram of 100 made ones, cut off at 1.28; "
        "below, how real the discriminator finds each place (line), and the best answer p/(p + q) for these points "
        "(dashed). Play the three games, and compare the two lines."
    )
    lines = 2
    play, interval = "frame", 200
    together = ("frame", "game")

    def __init__(self):
        self.figure, (upper, lower) = plots.canvas(1, rows=2, size=(9.6, 4.9), sharex=True)
        self.bins = np.linspace(-5, 5, 41)
        x = np.linspace(-5, 5, 301)
        upper.fill_between(x, two_bumps_density(x), color=plots.PALE, zorder=0.5)
        upper.plot(x, two_bumps_density(x), color=plots.GREY, lw=1.8, zorder=1, label="real p")
        (self.made,) = upper.plot([], [], color=plots.ORANGE, lw=2.2, zorder=2, drawstyle="steps-post", label="made q")
        upper.set(xlim=(-5, 5), ylim=(0, 1.3), title="Density of real and made points")
        lower.axhline(0.5, color=plots.GREY, ls=":", lw=1.4)
        (self.curve,) = lower.plot([], [], color=plots.BLUE, zorder=3, label="discriminator D")
        (self.best,) = lower.plot([], [], "--", color=plots.INK, lw=1.7, zorder=2, label="best p/(p + q)")
        lower.set(ylim=(-0.03, 1.03), xlabel="x", title="Probability D(x) of being real")
        plots.ticks(lower.yaxis, [0, 0.5, 1])
        plots.ticks(upper.yaxis, [0, 0.5, 1])
        self.figure.legend(handles=[*plots.entries(upper), *plots.entries(lower)], **plots.BELOW)
        self.moving = [self.made, self.curve, self.best]
        self.controls = {
            "frame": whole("record", 2, 0, 50),
            "game": buttons("game", GAME_NAMES),
        }

    def compute(self, frame, game):
        """Return the made points and the discriminator's curve at one record of a stored game."""
        kept = stored_game(game)
        points = kept.points[frame]
        counts = np.histogram(points, self.bins)[0] / (len(points) * 0.25)
        width = 0.2  # of the bumps that smooth the 100 points for p/(p + q)
        q = normal_pdf(PLACES[:, None] - points, sigma=width).mean(axis=1)
        p = two_bumps_density(PLACES)
        best = np.where(p + q > 1e-3, p / (p + q + 1e-12), np.nan)
        return int(kept.steps[frame]), points, counts, kept.curve[frame], best

    def draw(self, result):
        """Draw histogram and curves."""
        _, _, counts, curve, best = result
        self.made.set_data(self.bins, np.append(np.minimum(counts, 1.28), 0))
        self.curve.set_data(PLACES, curve)
        self.best.set_data(PLACES, best)

    def describe(self, result):
        """Say where the made points are."""
        step, points, _, _, _ = result
        left, right = np.mean(np.abs(points + 2) < 1), np.mean(np.abs(points - 2) < 1)
        return (
            f"Step **{step}**: of 100 made points **{round(100 * left)}** lie within 1 of the left bump, "
            f"**{round(100 * right)}** within 1 of the right one (real: 48 and 48). Their standard deviation is "
            f"**{points.std():.2f}** (real: 2.06)."
        )


gan_game = explorer(GanGame)

# --- An attacked digit ---------------------------------------------------------------------------------------------


@cache
def _classifier():
    """Return softmax regression of 1,000 digits, and the others with random signs for each pixel."""
    data = datasets.digits()
    order = np.random.default_rng(1).permutation(len(data.y))
    train, test = order[:1000], order[1000:]
    model = SoftmaxRegression(1.0, tol=1e-9).fit(data.X[train] / 16, data.y[train])
    signs = np.random.default_rng(2).choice([-1.0, 1.0], size=(len(test), 64))
    return model, data.X[test] / 16, data.y[test], signs


@cache
def _attacked(epsilon):
    """Return the accuracies after a step of size epsilon: by the gradient, and by random signs."""
    model, X, y, signs = _classifier()
    moved = fast_gradient_attack(model, X, y, epsilon, clip=(0, 1)), np.clip(X + epsilon * signs, 0, 1)
    return tuple(float(np.mean(model.predict(Z) == y)) for Z in moved)


class AdversarialDigit(Scene):
    """Add a small step to every pixel of a digit: in the worst direction, or in a random one."""

    caption = (
        "Figure 23.11: a digit, the same with every pixel moved by ε along the sign of the gradient, the same with "
        "random signs, and the accuracy on 797 test digits as far as ε has grown. Look which change you can see, and "
        "which one the model minds."
    )
    lines = 2

    def __init__(self):
        self.figure, axes = plots.canvas(4, size=(9.6, 3.1), widths=(0.8, 0.8, 0.8, 1.35))
        titles = ("Digit", "Gradient step", "Random step")
        self.pictures = [_picture(ax, title) for ax, title in zip(axes, titles)]
        self.words = [ax.text(0.5, -0.06, "", transform=ax.transAxes, ha="center", va="top") for ax in axes[:3]]
        ax = axes[3]
        ax.set(xlim=(-0.01, 0.41), ylim=(0, 1.03), xlabel="step ε", title="Accuracy")
        (self.worst,) = ax.plot([], [], "o-", ms=4, color=plots.ORANGE, zorder=2, label="gradient")
        (self.random,) = ax.plot([], [], "s--", ms=4, color=plots.BLUE, zorder=2, label="random")
        self.figure.legend(handles=plots.entries(ax), **plots.BELOW)
        self.moving = [*self.pictures, *self.words, self.worst, self.random]
        self.controls = {
            "epsilon": slider("step ε (ink 0 to 1)", 0.06, 0.0, 0.4, 0.02),
            "digit": whole("digit", 3, 0, 9),
        }

    def compute(self, epsilon, digit):
        """Return three pictures with the model's answers, and the accuracies for steps up to this one."""
        model, X, y, signs = _classifier()
        k = np.flatnonzero((y == digit) & (model.predict(X) == y))[0]
        x, sign = X[k : k + 1], signs[k : k + 1]
        moved = fast_gradient_attack(model, x, [digit], epsilon, clip=(0, 1))
        pictures = np.concatenate([x, moved, np.clip(x + epsilon * sign, 0, 1)])
        passed = [round(0.02 * j, 2) for j in range(round(epsilon / 0.02) + 1)]
        rates = np.array([_attacked(e) for e in passed])
        return pictures, model.predict(pictures), model.predict_proba(pictures).max(axis=1), passed, rates

    def draw(self, result):
        """Show the pictures with their answers, and the curves."""
        pictures, labels, sure, passed, rates = result
        for artist, words, x, label, p in zip(self.pictures, self.words, pictures, labels, sure):
            artist.set_data(x.reshape(8, 8))
            words.set_text(f"“{label:.0f}” with {100 * p:.0f} %")
        self.worst.set_data(passed, rates[:, 0])
        self.random.set_data(passed, rates[:, 1])

    def describe(self, result):
        """Say the answers and the accuracies."""
        _, labels, _, passed, rates = result
        return (
            f"With ε = **{passed[-1]:.2f}** the model reads this digit as **{labels[1]:.0f}** after the gradient step, "
            f"as **{labels[2]:.0f}** after the random one. Accuracy on all test digits: gradient "
            f"**{100 * rates[-1, 0]:.0f} %**, random **{100 * rates[-1, 1]:.0f} %**."
        )


adversarial_digit = explorer(AdversarialDigit)

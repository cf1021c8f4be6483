"""Explorers of chapter 22: a turning digit, a turning axis, the number of components, a bad sensor, and unmixing."""

from functools import cache

import numpy as np
from matplotlib.collections import LineCollection

from mlteach import datasets, plots
from mlteach.explore.base import Scene, buttons, count, explorer, log_slider, plain, slider, whole
from mlteach.explore.own import Cloud
from mlteach.latent_factors import (
    PCA,
    FactorAnalysis,
    choose_components,
    ica_log_likelihood,
    kurtosis,
    mixing_matrix,
    rotated_digit,
    sources,
)

INKS = {"cmap": "gray_r", "vmin": 0, "vmax": 16, "interpolation": "nearest"}


def _picture(ax, title):
    """Return an empty 8 x 8 picture."""
    ax.set(xticks=[], yticks=[], title=title)
    ax.spines[:].set_visible(True)
    return ax.imshow(np.zeros((8, 8)), **INKS)


# --- A digit that turns --------------------------------------------------------------------------------------------


OPENING = 7  # the picture at which the explorer opens


def _rounds(Z):
    """Return for each of the points ``Z`` (n, 2) how many rounds round the origin have been passed up to it."""
    swept = np.unwrap(np.arctan2(Z[:, 1], Z[:, 0]))
    return np.abs(swept - swept[0]) / (2 * np.pi)


class DigitTurns(Scene):
    """Turn a handwritten 6 and follow it through the space of pictures."""

    caption = (
        "Figure 22.2: a 6 turned by the angle θ, its picture from m components, and its way so far through the space "
        "of pictures: the planes of components 1, 2 and of 3, 4. Look how often each ring is passed in one turn."
    )
    lines = 3

    def __init__(self):
        self.turned = rotated_digit(60)
        self.pca = PCA().fit(self.turned.X)
        self.Z = self.pca.transform(self.turned.X)
        self.rounds = [_rounds(self.Z[:, first : first + 2]) for first in (0, 2)]
        self.figure, axes = plots.canvas(4, size=(9.6, 3.1), widths=(0.8, 0.8, 1, 1))
        self.picture, self.kept = _picture(axes[0], "Turned by θ"), _picture(axes[1], "From m numbers")
        self.rings = [self._draw_ring(ax, first) for ax, first in zip(axes[2:], (0, 2))]
        self.moving = [self.picture, self.kept, *(artist for pair in self.rings for artist in pair)]
        self.controls = {
            "angle": whole("angle θ in degrees", 6 * OPENING, 0, 354, step=6),
            "m": buttons("components m", {"1": 1, "2": 2, "4": 4, "10": 10, "20": 20}, 2),
        }

    def _draw_ring(self, ax, first):
        ax.set(
            xlim=(-36, 36),
            ylim=(-36, 36),
            aspect="equal",
            xlabel=f"z{'₁₃'[first // 2]}",
            title="Plane " + "1, 2" * (first == 0) + "3, 4" * (first == 2),
        )
        ax.set_ylabel(f"z{'₂₄'[first // 2]}", labelpad=-6)
        plots.ticks(ax.xaxis, [-20, 0, 20])
        plots.ticks(ax.yaxis, [-20, 0, 20])
        (way,) = ax.plot([], [], "o-", ms=4, color=plots.BLUE, lw=2, zorder=2)
        (here,) = ax.plot([0], [0], "o", ms=11, mfc="white", mec=plots.ORANGE, mew=3, zorder=3)
        return way, here

    def compute(self, angle, m):
        """Return the number of the picture, what m components keep of it, and how far its half turn is."""
        k = round(angle / 6) % 60
        z = self.Z[k].copy()
        z[m:] = 0
        other = (k + 30) % 60
        return {
            "k": k,
            "m": m,
            "kept": self.pca.inverse_transform(z[None])[0],
            "share": self.pca.explained_variance_ratio_[:m].sum(),
            "pixels": np.linalg.norm(self.turned.X[k] - self.turned.X[other]),
            "planes": [np.linalg.norm(self.Z[k, a : a + 2] - self.Z[other, a : a + 2]) for a in (0, 2)],
            "rounds": [passed[k] for passed in self.rounds],
        }

    def draw(self, result):
        """Show both pictures and mark the place in both planes."""
        k = result["k"]
        self.picture.set_data(self.turned.X[k].reshape(8, 8))
        self.kept.set_data(result["kept"].reshape(8, 8))
        for first, (way, here) in zip((0, 2), self.rings):
            way.set_data(*self.Z[: k + 1, first : first + 2].T)
            here.set_data(self.Z[k : k + 1, first], self.Z[k : k + 1, first + 1])

    def describe(self, result):
        """Say how much the components keep, and, once it turns, the rounds and how far its half turn lies."""
        m, (first, second), (one, two) = result["m"], result["planes"], result["rounds"]
        kept = f"With m = {m} of 64 components, **{100 * result['share']:.0f} %** of the variance is kept. "
        if result["k"] in (0, OPENING):  # the prediction is open
            return kept + "Turn the digit, and follow it through both planes."
        return kept + (
            f"Rounds so far: **{one:.1f}** in the plane 1, 2, **{two:.1f}** in the plane 3, 4. The half turn of this "
            f"picture lies **{result['pixels']:.0f}** away in pixel space, **{first:.0f}** and **{second:.0f}** away "
            f"in the two planes."
        )


digit_turns = explorer(DigitTurns)

# --- An axis that turns --------------------------------------------------------------------------------------------

TEN = np.array(
    [(2.5, 2.4), (0.5, 0.7), (2.2, 2.9), (1.9, 2.2), (3.1, 3), (2.3, 2.7), (2, 1.6), (1, 1.1), (1.5, 1.6), (1.1, 0.9)]
)
TURNS = np.arange(0, 181, 3)


@cache
def _clouds():
    """Return three clouds of ten points with the same total variance: slanted, steep, and round."""
    spread = TEN - TEN.mean(axis=0)
    angles = 2 * np.pi * np.arange(10) / 10 + 0.2
    circle = np.column_stack([np.cos(angles), np.sin(angles)]) * np.sqrt(np.mean(np.sum(spread**2, axis=1)))
    steep = np.column_stack([0.8 * spread[:, 1] - 0.55 * spread[:, 0], -0.75 * spread[:, 0] - 0.6 * spread[:, 1]])
    steep *= np.sqrt(np.sum(spread**2) / np.sum(steep**2))
    return {"ten points": spread, "other points": steep, "round": circle}


class TurnAxis(Scene):
    """Turn an axis through the mean and weigh what it keeps against what it loses."""

    caption = (
        "Figure 22.3: left, ten centred points, an axis at the angle θ, and the feet of the points on it; right, the "
        "variance of the feet and the mean squared distance to them, for the angles passed. Look where each is extreme."
    )
    takes = Cloud(
        (-2, 2, -2, 2),
        "left, your points, an axis through their mean at the angle θ, and their feet on it; right, the variance of "
        "the feet and the mean squared distance to them, for the angles passed. Look where each is extreme.",
        most=200,
    )
    lines = 2

    def __init__(self, data=None):
        self.clouds = {"yours": data.X - data.X.mean(axis=0)} if data else _clouds()
        self.figure, (plane, curves) = plots.canvas(2, size=(9.6, 4.2), widths=(1, 1.25))
        plane.set(xlim=(-2, 2), ylim=(-2, 2), aspect="equal", xlabel="x₁ − mean", ylabel="x₂ − mean", title="Points")
        if data:
            reach = 1.08 * np.abs(self.clouds["yours"]).max()
            plane.set(xlim=(-reach, reach), ylim=(-reach, reach))
            data.label(plane, middle=data.X.mean(axis=0))
        (self.axis,) = plane.plot([], [], color=plots.BLUE, lw=2, zorder=1)
        self.drops = plane.add_collection(LineCollection([], colors=plots.ORANGE, lw=1.6, zorder=2))
        small = {"ms": 5, "mew": 1.2} if data else {"mew": 1.8}
        (self.points,) = plane.plot([], [], "o", mfc="white", mec=plots.INK, zorder=3, **small)
        (self.feet,) = plane.plot([], [], "o", ms=5, color=plots.BLUE, zorder=3)
        curves.set(xlim=(-5, 185), ylim=(-0.05, 1.5), xlabel="angle θ in degrees", title="Kept and lost")
        plots.ticks(curves.xaxis, [0, 45, 90, 135, 180])
        if data:
            curves.set_ylim(-0.05, 1.1 * np.sum(self.clouds["yours"].var(axis=0)))
        (self.kept,) = curves.plot([], [], color=plots.BLUE, zorder=2, label="variance along the axis")
        (self.lost,) = curves.plot([], [], "--", color=plots.ORANGE, zorder=2, label="squared distance to it")
        (self.sum,) = curves.plot([], [], ":", color=plots.GREY, zorder=2, label="sum")
        (self.here,) = curves.plot([], [], "o", ms=9, color=plots.BLUE, zorder=3)
        (self.there,) = curves.plot([], [], "s", ms=8, color=plots.ORANGE, zorder=3)
        self.figure.legend(handles=plots.entries(curves), **plots.BELOW)
        self.moving = [self.axis, self.drops, self.points, self.feet, self.kept, self.lost, self.sum]
        self.moving += [self.here, self.there]
        self.controls = {
            "angle": whole("angle θ in degrees", 18, 0, 180, step=3),
            "data": buttons("data", {name: name for name in self.clouds}),
        }
        if data:
            del self.controls["data"]

    def compute(self, angle, data="yours"):
        """Return the points, the axis, and what is kept and lost at this angle and all before it."""
        X = self.clouds[data]
        S = X.T @ X / len(X)
        passed = np.radians(TURNS[angle + 1e-9 >= TURNS])
        u = np.column_stack([np.cos(passed), np.sin(passed)])
        kept = np.sum(u @ S * u, axis=1)
        return X, u[-1], np.degrees(passed), kept, np.trace(S)

    def draw(self, result):
        """Turn the axis, drop the points on it, and draw the curves as far as the angle."""
        X, u, angles, kept, total = result
        feet = np.outer(X @ u, u)
        self.axis.set_data(*np.array([-4 * u, 4 * u]).T)
        self.drops.set_segments(np.stack([X, feet], axis=1))
        self.points.set_data(*X.T)
        self.feet.set_data(*feet.T)
        self.kept.set_data(angles, kept)
        self.lost.set_data(angles, total - kept)
        self.sum.set_data(angles, np.full(len(angles), total))
        self.here.set_data(angles[-1:], kept[-1:])
        self.there.set_data(angles[-1:], total - kept[-1:])

    def describe(self, result):
        """Say both numbers and their sum."""
        _, _, angles, kept, total = result
        return (
            f"At **{angles[-1]:.0f}°** the feet have the variance **{kept[-1]:.3f}**, the mean squared distance to "
            f"them is **{total - kept[-1]:.3f}**, and the sum is {total:.3f}. Largest variance so far: "
            f"{kept.max():.3f} at {angles[np.argmax(np.round(kept, 9))]:.0f}°."
        )


turn_axis = explorer(TurnAxis)

# --- How many components -------------------------------------------------------------------------------------------


@cache
def _digits():
    """Return the components of all digits, and one picture of each."""
    data = datasets.digits()
    return PCA().fit(data.X), data.X[[np.flatnonzero(data.y == k)[0] for k in range(10)]]


class ComponentCount(Scene):
    """Keep m of 64 components of the digits, and see what a picture loses."""

    caption = (
        "Figure 22.5: left, a digit and its picture from m components; right, each component's share of the variance "
        "(bars) and the running sum (line), with the rules that m has passed. Look when you can read the digit."
    )
    lines = 2

    def __init__(self):
        self.pca, self.examples = _digits()
        self.shares = self.pca.explained_variance_ratio_
        rules = (("each", 0.05), ("elbow", None), ("share", 0.9), ("share", 0.95))
        self.rules = [choose_components(self.pca.explained_variance_, rule, level) for rule, level in rules]
        self.figure, axes = plots.canvas(3, size=(9.6, 3.6), widths=(0.75, 0.75, 1.7))
        self.picture, self.kept = _picture(axes[0], "64 pixels"), _picture(axes[1], "From m numbers")
        self._draw_shares(axes[2])
        self.moving = [
            self.picture,
            self.kept,
            self.bars,
            self.line,
            self.here,
            *(a for mark in self.marks for a in mark),
        ]
        self.controls = {
            "m": whole("components m", 5, 1, 64),
            "digit": whole("digit", 3, 0, 9),
        }

    def _draw_shares(self, ax):
        ax.set(xlim=(0, 65), ylim=(0, 1.22), xlabel="component", title="Share of the variance")
        plots.ticks(ax.yaxis, [0, 0.5, 0.9, 0.95, 1])
        ax.set_yticklabels(["0", "0.5", "0.9", "", "1"])
        self.marks = []
        for m, name, height in zip(self.rules, ("5 % each", "elbow", "90 %", "95 %"), (1.16, 1.07, 1.07, 1.07)):
            line = ax.axvline(m, color=plots.GREY, ls=":", lw=1.3, ymax=height / 1.22 - 0.045)
            self.marks.append((line, ax.text(m, height, name, ha="center", va="center", fontsize=10.5)))
        k = np.arange(1, 65)
        ax.bar(k, self.shares, color=plots.PALE, edgecolor=plots.GREY, lw=0.5, zorder=1)
        self.bars = ax.add_collection(LineCollection([], colors=plots.BLUE, lw=4.2, zorder=1.5))
        (self.line,) = ax.plot([], [], color=plots.ORANGE, lw=2.4, zorder=2)
        (self.here,) = ax.plot([1], [0], "o", ms=9, color=plots.ORANGE, zorder=3)

    def compute(self, m, digit):
        """Return the digit, its picture from m components, and their share of the variance."""
        x = self.examples[digit]
        z = self.pca.transform(x[None])
        z[:, m:] = 0
        kept = self.pca.inverse_transform(z)[0]
        return m, digit, x, kept, self.shares[:m].sum(), self.pca.explained_variance_[m:].sum()

    def draw(self, result):
        """Show both pictures, and fill the bars that are kept."""
        m, _, x, kept, share, _ = result
        self.picture.set_data(x.reshape(8, 8))
        self.kept.set_data(kept.reshape(8, 8))
        k = np.arange(1, m + 1)
        self.bars.set_segments([[(i, 0), (i, s)] for i, s in zip(k, self.shares)])
        self.line.set_data(k, np.cumsum(self.shares[:m]))
        self.here.set_data([m], [share])
        for rule, mark in zip(self.rules, self.marks):
            for artist in mark:
                artist.set_visible(rule <= m)

    def describe(self, result):
        """Say what is kept and lost, in all and for this picture."""
        m, digit, x, kept, share, lost = result
        own = np.linalg.norm(x - kept) / np.linalg.norm(x - self.pca.mean_)
        names = ("more than 5 % each", "elbow", "90 % in all", "95 % in all")
        passed = ", ".join(f"{name} {rule}" for name, rule in zip(names, self.rules) if rule <= m)
        return (
            f"**{count(m, 'number')}** for 64 pixels {'keeps' if m == 1 else 'keep'} **{100 * share:.1f} %** of the "
            f"variance; this {digit} loses **{100 * own**2:.0f} %** of its own. Rules passed: {passed or 'none'}."
        )


component_count = explorer(ComponentCount)

# --- One bad sensor ------------------------------------------------------------------------------------------------

LOADINGS = np.array([1.0, 0.8, 1.2, 0.9, 0.6])
QUIET = np.array([0.6, 0.5, 0.7, 0.5])


@cache
def _draws():
    rng = np.random.default_rng(22)
    return rng.normal(size=300), rng.normal(size=(300, 5))


@cache
def _sensors(noise):
    """Return loadings and hidden factor as PCA and as factor analysis see them, with the true ones."""
    z, epsilon = _draws()
    X = np.outer(z, LOADINGS) + epsilon * np.append(QUIET, noise)
    pca, fa = PCA(1).fit(X), FactorAnalysis(1, tol=1e-6).fit(X)
    axis = pca.components_[0] * np.sign(pca.components_[0] @ LOADINGS)
    loadings = fa.loadings_[:, 0] * np.sign(fa.loadings_[:, 0] @ LOADINGS)
    scores = [np.abs(np.corrcoef(model.transform(X)[:, 0], z)[0, 1]) for model in (pca, fa)]
    return axis, loadings / np.linalg.norm(loadings), scores, np.sqrt(fa.noise_variance_)


class NoisySensor(Scene):
    """Make one of five sensors noisy, and ask PCA and factor analysis what they have in common."""

    caption = (
        "Figure 22.8: left, the weights of five sensors that share one hidden factor: the true ones, PCA's first axis "
        "and the loadings of factor analysis (all of length 1). Right, how well each finds it. Look at sensor 5."
    )
    lines = 3
    noises = np.round(0.25 * 2 ** np.arange(0, 5.01, 0.25), 3)

    def __init__(self):
        self.figure, (weights, found) = plots.canvas(2, size=(9.6, 4.0), widths=(1.4, 1))
        truth = LOADINGS / np.linalg.norm(LOADINGS)
        k = np.arange(1, 6)
        weights.bar(k, truth, width=0.72, color=plots.PALE, edgecolor=plots.GREY, zorder=1, label="true")
        (self.pca,) = weights.plot(k - 0.15, truth, "s", ms=9, color=plots.ORANGE, zorder=3, label="PCA")
        (self.fa,) = weights.plot(k + 0.15, truth, "o", ms=9, color=plots.BLUE, zorder=3, label="factor analysis")
        weights.axhline(0, color=plots.INK, lw=1)
        weights.set(ylim=(-0.2, 1.1), xlabel="sensor", title="Weights of the sensors")
        self.figure.legend(handles=plots.entries(weights), **plots.BELOW)
        found.set(
            xscale="log",
            xlim=(0.23, 8.8),
            ylim=(0, 1.05),
            xlabel="noise σ₅ of sensor 5",
            title="Correlation with the factor",
        )
        plots.ticks(found.xaxis, [0.25, 0.5, 1, 2, 4, 8])
        (self.lost,) = found.plot([], [], "--", color=plots.ORANGE, zorder=2)
        (self.kept,) = found.plot([], [], color=plots.BLUE, zorder=2)
        (self.one,) = found.plot([1], [1], "s", ms=9, color=plots.ORANGE, zorder=3)
        (self.two,) = found.plot([1], [1], "o", ms=9, color=plots.BLUE, zorder=3)
        self.moving = [self.pca, self.fa, self.lost, self.kept, self.one, self.two]
        self.controls = {"noise": log_slider("noise σ₅ of sensor 5", 0.5, 0.25, 8, per_decade=4 / np.log10(2))}

    def compute(self, noise):
        """Return the weights and the correlations at this noise, and the correlations at less."""
        less = [float(s) for s in self.noises if s < noise]
        return noise, _sensors(float(noise)), [(s, *_sensors(s)[2]) for s in less]

    def draw(self, result):
        """Move the weights, and draw the correlations as far as the noise has grown."""
        noise, (axis, loadings, scores, _), less = result
        self.pca.set_ydata(axis)
        self.fa.set_ydata(loadings)
        table = np.array([*less, (noise, *scores)])
        self.lost.set_data(table[:, 0], table[:, 1])
        self.kept.set_data(table[:, 0], table[:, 2])
        self.one.set_data([noise], scores[:1])
        self.two.set_data([noise], scores[1:])

    def describe(self, result):
        """Say weights, correlations and the noise that factor analysis found."""
        noise, (axis, loadings, scores, found), _ = result
        return (
            f"Sensor 5 has the noise σ₅ = {noise:.2f}; factor analysis finds {found[4]:.2f}. Its weight is "
            f"**{plain(axis[4], '.2f')}** for PCA, **{plain(loadings[4], '.2f')}** for factor analysis (true: 0.29). "
            f"Correlation with the hidden factor: PCA **{scores[0]:.2f}**, factor analysis **{scores[1]:.2f}**."
        )


noisy_sensor = explorer(NoisySensor)

# --- Mixing and unmixing -------------------------------------------------------------------------------------------

KINDS = ("melody, knocking", "flat", "normal")
TURN = np.arange(0, 91, 3)


@cache
def _pair(kind):
    """Return 1,500 values of two independent sources with mean 0 and variance 1."""
    if kind == "melody, knocking":
        S = sources()[::8, :2]
    else:
        rng = np.random.default_rng(7)
        S = rng.uniform(-1, 1, (1500, 2)) if kind == "flat" else rng.normal(size=(1500, 2))
    S = S - S.mean(axis=0)
    return S / S.std(axis=0)


@cache
def _whitened(kind, mixing):
    """Return the sources, their mixtures, the whitened mixtures, and the likelihood of every turn."""
    S = _pair(kind)
    X = S @ mixing_matrix(np.radians(mixing), np.radians(100), 1.5).T
    Z = PCA(whiten=True).fit_transform(X)
    heights = np.array([_likelihood(Z, angle) for angle in TURN])
    return S, X, Z, heights


def _turned(Z, angle):
    a = np.radians(angle)
    return Z @ np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]]).T


def _likelihood(Z, angle):
    """Return the mean log-likelihood of the turned data, with logistic densities of variance 1."""
    return ica_log_likelihood(np.pi / np.sqrt(3) * np.eye(2), _turned(Z, angle))


class UnmixSignals(Scene):
    """Mix two signals, whiten them, and turn until they are independent."""

    caption = (
        "Figure 22.10: left, what two microphones receive when one source comes from the direction φ, the other from "
        "100°; middle, the same whitened and turned by θ (the loudest points lie outside); right, the likelihood of "
        "the angles passed, for logistic sources. Look for a θ at which the cloud lies along both axes."
    )
    lines = 2

    def __init__(self):
        self.figure, (mixed, turned, height) = plots.canvas(3, size=(9.6, 3.6), widths=(1, 1, 1.25))
        dots = {"marker": ".", "ls": "", "ms": 3.5, "alpha": 0.6, "zorder": 2}
        for ax, title, names in ((mixed, "Microphones", "x₁ x₂"), (turned, "Whitened, turned", "y₁ y₂")):
            ax.set(xlim=(-4.5, 4.5), ylim=(-4.5, 4.5), aspect="equal", title=title)
            ax.set_xlabel(names.split()[0])
            ax.set_ylabel(names.split()[1], labelpad=-4)
            ax.axhline(0, color=plots.PALE, lw=1, zorder=0)
            ax.axvline(0, color=plots.PALE, lw=1, zorder=0)
        (self.mixed,) = mixed.plot([], [], color=plots.GREY, **dots)
        (self.turned,) = turned.plot([], [], color=plots.BLUE, **dots)
        height.set(xlim=(-3, 93), ylim=(-3.0, -2.35), xlabel="angle θ in degrees", title="Log-likelihood")
        plots.ticks(height.xaxis, [0, 30, 60, 90])
        (self.curve,) = height.plot([], [], color=plots.BLUE, zorder=2)
        (self.here,) = height.plot([0], [0], "o", ms=9, color=plots.ORANGE, zorder=3)
        self.moving = [self.mixed, self.turned, self.curve, self.here]
        self.controls = {
            "angle": whole("unmixing angle θ", 0, 0, 90, step=3),
            "kind": buttons("sources", {name: name for name in KINDS}),
            "mixing": slider("mixing angle φ", 60.0, 0.0, 80.0, 10.0, digits=0),
        }

    def compute(self, angle, kind, mixing):
        """Return mixtures, turned data, likelihoods so far, and how well the sources are found."""
        S, X, Z, heights = _whitened(kind, float(mixing))
        Y = _turned(Z, angle)
        pairs = np.abs(np.corrcoef(Y.T, S.T)[:2, 2:])
        found = max(pairs[0, 0] + pairs[1, 1], pairs[0, 1] + pairs[1, 0]) / 2
        return X, Y, angle, heights[: angle // 3 + 1], found, np.corrcoef(Y.T)[0, 1]

    def draw(self, result):
        """Move both clouds and the curve."""
        X, Y, angle, heights, _, _ = result
        self.mixed.set_data(*X.T)
        self.turned.set_data(*Y.T)
        self.curve.set_data(TURN[: len(heights)], heights)
        self.here.set_data([angle], heights[-1:])

    def describe(self, result):
        """Say likelihood, correlation and kurtosis of the turned data, and how near they are to the sources."""
        _, Y, angle, heights, found, correlation = result
        peaks = ", ".join(plain(k) for k in kurtosis(Y))
        # At the start the correlation stays hidden: it is what the chapter asks to predict
        between = plain(correlation, ".2f") if angle else "turn θ"
        return (
            f"θ = **{angle}°**: log-likelihood **{plain(heights[-1], '.3f')}**, excess kurtosis {peaks}. Correlation "
            f"of y₁ with y₂: {between}. Correlation with the true sources: **{found:.2f}**."
        )


unmix_signals = explorer(UnmixSignals)

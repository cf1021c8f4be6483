"""Explorers of chapter 08: two losses, the decision band, Newton's race, separable classes, softmax, counts."""

import functools
import warnings
from itertools import pairwise

import numpy as np
from contourpy import FillType, LineType, contour_generator
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.patches import Polygon
from matplotlib.ticker import FixedLocator, NullLocator

from mlteach import plots
from mlteach.datasets import blobs, coal_disasters, iris
from mlteach.explore.base import Scene, choice, count, explorer, log_slider, place, plain, slider, whole
from mlteach.explore.own import Plane
from mlteach.linear_regression import polynomial_features
from mlteach.logistic_regression import (
    GLM,
    Gaussian,
    LogisticRegression,
    Poisson,
    SoftmaxRegression,
    log_sigmoid,
    logistic_gradient,
    logistic_hessian,
    logistic_loss,
    sigmoid,
    squared_error_gradient,
    squared_error_loss,
)
from mlteach.optimization import GradientDescent, minimize
from mlteach.validation import ConvergenceWarning

BAND = plots.HIGHLIGHT
CLOSE = {**plots.BELOW, "columnspacing": 1.0, "handlelength": 1.5, "handletextpad": 0.5}
LEVELS = (0.5, 0.7, 0.9, 1.01)  # of a probability, and the tints of the three classes between them
RING = {"mfc": "none", "mec": plots.INK, "mew": 2.2, "ls": ""}  # a mark that hides nothing
TINTS = plots.LEVEL_TINTS

# --- Two losses ----------------------------------------------------------------------------------------------------

X10 = np.array([-2.5, -2.0, -1.4, -0.9, -0.3, 0.2, 0.8, 1.3, 1.9, 2.6])[:, None]
T10 = np.array([0, 0, 0, 1, 0, 1, 0, 1, 1, 1.0])
WALK, RATE = 60, 0.2


class LossLandscapes(Scene):
    """Start a descent on the squared error and on the logistic loss at the same point and compare their ways."""

    caption = (
        "Figure 8.4: ten points, one sigmoid, two losses over its bias b and weight w (darker is higher), each "
        "descended from the same start with η = 0.2. Dotted, with a dashed rim: places where the squared error bends "
        "downwards in some direction. Right: how much of its way each descent still has to go."
    )
    play, interval = "n", 100
    lines = 3

    def __init__(self):
        model = LogisticRegression().fit(X10, T10)
        best = np.append(model.b_, model.w_)
        lowest = minimize(_squared_gradient, best, GradientDescent(learning_rate=0.5), 200).w[-1]
        self.floors = squared_error_loss(X10, T10, lowest[1:], lowest[0]), model.loss_
        self.walks = functools.lru_cache(256)(_walks)

        self.figure, (square, log, way) = plots.canvas(3, size=(9.6, 4.0))
        self.bs, self.ws = np.meshgrid(np.linspace(-6, 6, 97), np.linspace(-6, 6, 97))
        squares, logs = _heights(self.bs, self.ws)
        self.panels = [self._draw_loss(square, squares, "Squared error S", lowest, 1)]
        self.panels += [self._draw_loss(log, logs, "Logistic loss E", best, 2)]
        self._draw_bends(square, squares)
        self._draw_way(way)
        self.figure.legend(handles=plots.entries(square, way), **CLOSE)
        self.moving = [*(a for panel in self.panels for a in panel), self.left_s, self.left_e, self.dots]
        self.controls = {
            "w": slider("start w", 1.0, -5.5, 5.5, 0.5, digits=1),
            "b": slider("start b", 0.0, -5.5, 5.5, 0.5, digits=1),
            "n": whole("step n", WALK, 0, WALK),
        }

    def _draw_loss(self, ax, z, title, low, power):
        """Draw one loss; return what moves on it: the path, its start and its end."""
        _slopes(ax, self.bs, self.ws, z, z.min() + np.linspace(0, 1, 10) ** power * np.ptp(z))
        ax.set(xlim=(-6, 6), ylim=(-6, 6), xlabel="bias b", title=title, box_aspect=1)
        ax.plot(*low, "*", ms=12, mfc=plots.YELLOW, mec=plots.INK, zorder=4, label="lowest")
        (path,) = ax.plot(
            [], [], "-o", color=plots.ORANGE, ms=4, lw=1.8, mec="white", mew=0.4, zorder=3, label="descent"
        )
        (start,) = ax.plot([], [], "o", ms=7, mfc="white", mec=plots.INK, mew=1.8, zorder=3.5, label="start", ls="")
        (now,) = ax.plot([], [], "D", ms=14, zorder=6, label="now", **RING)
        for axis in (ax.xaxis, ax.yaxis):
            axis.set_major_locator(FixedLocator([-6, -3, 0, 3, 6]))
        return path, start, now

    def _draw_bends(self, ax, squares):
        bent = _least_curvature(squares, 12 / 96)
        dots = ax.contourf(self.bs, self.ws, bent, [-1e9, 0], colors="none", hatches=[".."], zorder=1.5)
        dots.set_edgecolor(plots.DARK_SLATE)
        ax.contour(self.bs, self.ws, bent, [0], colors=plots.INK, linewidths=1.6, linestyles="--", zorder=1.6)
        ax.set_ylabel("weight w")
        ax.fill([], [], fc="white", ec=plots.INK, hatch="...", label="bends down")

    def _draw_way(self, ax):
        ax.set(xlim=(0, WALK), ylim=(0, 1.04), xlabel="step n", ylabel="share of the way left", title="How far to go")
        ax.set_box_aspect(1)
        (self.left_s,) = ax.plot([], [], color=plots.PURPLE, lw=2.6, label="squared error")
        (self.left_e,) = ax.plot([], [], "--", color=plots.BLUE, lw=2.6, label="logistic loss")
        (self.dots,) = ax.plot([0, 0], [1, 1], "D", ms=10, zorder=4, clip_on=False, **RING)

    def compute(self, w, b, n):
        """Return n, both paths, their losses and the share of the way that is left at each step."""
        paths, losses = self.walks(w, b)
        left = [(E - floor) / (E[0] - floor) for E, floor in zip(losses, self.floors)]
        return n, paths, losses, left

    def draw(self, result):
        """Move both paths and the two curves of what is left."""
        n, paths, _, left = result
        for (path, start, now), walked in zip(self.panels, paths):
            path.set_data(walked[: n + 1].T)
            start.set_data(walked[:1].T)
            now.set_data(walked[n : n + 1].T)
        self.left_s.set_data(np.arange(n + 1), left[0][: n + 1])
        self.left_e.set_data(np.arange(n + 1), left[1][: n + 1])
        self.dots.set_data([n, n], [left[0][n], left[1][n]])

    def describe(self, result):
        """Say how far each descent has come, and how its loss bends there."""
        n, paths, losses, left = result
        if n == 0:
            return f"At the start S = **{losses[0][0]:.2f}** and E = **{losses[1][0]:.2f}**. Move n, or press play."
        v = paths[0][n]
        slope, bend = float(np.linalg.norm(_squared_gradient(v))), _curvature(v)
        far = [plain(100 * share[n], ".0f") for share in left]
        words = f"After {count(n, 'step')} the squared error has **{far[0]} %** of its way still to go "
        words += f"(S = {losses[0][n]:.2f}), the logistic loss **{far[1]} %** (E = {losses[1][n]:.2f}). "
        bent = "−" * bool(bend < 0) + _short(abs(bend))
        kind = "a **plateau**: " if slope < 0.1 and left[0][n] > 0.1 else ""
        words += f"Squared error here: {kind}slope **{_short(slope)}**, least curvature **{bent}**. "
        u = paths[1][n]
        least = np.linalg.eigvalsh(logistic_hessian(X10, u[1:], u[0]))[0]
        words += f"Logistic loss: least curvature **{_short(least)}**."
        return words + " A path is **outside the picture**." * any(abs(v) > 6 for path in paths for v in path[n])


loss_landscapes = explorer(LossLandscapes)


def _walks(w, b):
    """Return the paths (WALK + 1, 2) over (b, w) and the losses of both descents."""
    paths = [minimize(g, [b, w], GradientDescent(learning_rate=RATE), WALK).w for g in (_squared_gradient, _gradient)]
    return paths, [_heights(*path.T)[k] for k, path in enumerate(paths)]


def _heights(b, w):
    """Return the squared error and the logistic loss for arrays of biases and weights."""
    scores = b[..., None] + w[..., None] * X10[:, 0]
    return np.sum((sigmoid(scores) - T10) ** 2, axis=-1), -np.sum(log_sigmoid((2 * T10 - 1) * scores), axis=-1)


def _squared_gradient(v):
    return squared_error_gradient(X10, T10, v[1:], v[0])


def _gradient(v):
    return logistic_gradient(X10, T10, v[1:], v[0])


def _curvature(v, h=1e-4):
    """Return the least curvature of the squared error over all directions at v, from differences of its gradient."""
    H = [(_squared_gradient(v + h * e) - _squared_gradient(v - h * e)) / (2 * h) for e in np.eye(2)]
    return np.linalg.eigvalsh((H + np.transpose(H)) / 2)[0]


def _least_curvature(z, h):
    """Return the least curvature of a surface on a grid of spacing h."""
    (zyy, zxy), (_, zxx) = (np.gradient(g, h) for g in np.gradient(z, h))
    return (zxx + zyy) / 2 - np.hypot((zxx - zyy) / 2, zxy)


def _slopes(ax, x, y, z, levels):
    """Draw a surface as shaded contours, darker where it is higher."""
    ax.contourf(x, y, z, levels, colors=_shades(len(levels) - 1), zorder=0.4)
    ax.contour(x, y, z, levels[1:-1], colors="white", linewidths=0.7, zorder=0.5)


def _shades(n):
    """Return n colours from bright to dark, light enough for lines on top of them."""
    return 0.42 + 0.58 * plots.mpl.colormaps["cividis_r"](np.linspace(0, 1, n))[:, :3]


# --- The decision band -----------------------------------------------------------------------------------------------

SCALES = np.logspace(-1, 1, 41)


class DecisionBand(Scene):
    """Multiply the weights by a factor, or turn them, and see the band of doubt, the log loss and the calibration."""

    caption = (
        "Figure 8.5: the fitted weights times c, with the training points. Left, the boundary p = 0.5 and the band "
        "of doubt. Right, the log loss up to the present c (diamond, at the rim if above it), and the share of class "
        "1 among test points with about the same p: on the dotted diagonal p can be trusted."
    )
    takes = Plane(
        (-4.2, 4.2, -3.9, 3.9),
        "the fitted weights (penalty λ = 0.01) times c, with the training points. Left, the boundary p = 0.5 and the "
        "band of doubt. Right, the log loss up to the present c (diamond, at the rim if above it), and the share of "
        "the second class among test points with about the same p, where there are ten or more: on the dotted "
        "diagonal p can be trusted.",
        most=120,
    )
    lines = 3

    def __init__(self, data=None):
        centers, self.data = [[-1.0, -0.7], [1.0, 0.7]], data
        made = blobs(120, centers, 1.1, rng=3), blobs(2000, centers, 1.1, rng=4)
        self.train, self.test = (data, data.new) if data else made
        self.model = LogisticRegression(0.01 if data else 0.0).fit(self.train.X, self.train.y)
        self.turned = functools.cache(self._turned)

        self.figure, (plane, cost, trust) = plots.tall_and_two(size=(9.6, 5.0), widths=(1.25, 1))
        self._draw_plane(plane)
        self._draw_cost(cost)
        self._draw_trust(trust)
        self.figure.legend(handles=plots.entries(plane, cost), **CLOSE)
        self.moving = [self.band, self.edges, self.middle, self.on_train, self.on_test, self.least, self.now]
        self.moving += [self.shares]
        self.controls = {
            "scale": log_slider("scale c of w and b", 1.0, 0.1, 10, per_decade=20),
            "turn": slider("turn of w in degrees", 0.0, -90, 90, 5, digits=0),
        }

    def _draw_plane(self, ax):
        ax.set(xlim=(-4.2, 4.2), ylim=(-3.9, 3.9), xlabel="$x_1$", ylabel="$x_2$", title="The band of doubt")
        self.band = ax.add_patch(Polygon(np.zeros((4, 2)), fc=BAND, ec="none", zorder=0.5, label="0.1 < p < 0.9"))
        self.edges = ax.add_collection(LineCollection([], colors=plots.INK, lw=1.4, ls="--", zorder=1))
        (self.middle,) = ax.plot([], [], color=plots.INK, lw=2.4, zorder=1.5, label="p = 0.5")
        if self.data:
            self.data.label(ax)
        names = self.data.classes if self.data else ["class 0", "class 1"]
        plots.plot_classes(self.train.X, self.train.y, ax=ax, names=names, size=34)

    def _draw_cost(self, ax):
        ax.set(xscale="log", xlim=(0.1, 10), ylim=(0, 1.6), xlabel="scale c", ylabel="log loss", title="What it costs")
        plots.ticks(ax.xaxis, [0.1, 0.3, 1, 3, 10])
        (self.on_train,) = ax.plot([], [], "--", color=plots.BLUE, lw=1.8, label="training")
        (self.on_test,) = ax.plot([], [], color=plots.ORANGE, label="test")
        star = {"ms": 12, "mfc": plots.YELLOW, "mec": plots.INK, "zorder": 4, "ls": "", "clip_on": False}
        (self.least,) = ax.plot([1], [1], "*", label="best c", **star)
        (self.now,) = ax.plot([1], [1], "D", ms=14, zorder=5, clip_on=False, label="now", **RING)

    def _draw_trust(self, ax):
        ax.set(xlim=(0, 1), ylim=(0, 1), xlabel="predicted p", ylabel="share of class 1", title="Can p be trusted?")
        if self.data:
            ax.set_ylabel(f"share of {self.data.classes[1]}", fontsize=11)
        ax.plot([0, 1], [0, 1], ":", color=plots.GREY, lw=1.6, zorder=1)
        (self.shares,) = ax.plot([0.5], [0.5], "-o", color=plots.ORANGE, ms=7, lw=1.6, zorder=3, clip_on=False)

    def _turned(self, angle):
        """Return the fitted plane, its normal turned, and its losses at all scales on both sets."""
        c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
        w, b = np.array([[c, -s], [s, c]]) @ self.model.w_, self.model.b_
        return w, b, (_scaled_losses(self.train, w, b), _scaled_losses(self.test, w, b))

    def compute(self, scale, turn):
        """Return the scaled plane, the losses at all scales and at this one, and p of the test points."""
        w, b, curves = self.turned(turn)
        here = logistic_loss(self.train.X, self.train.y, scale * w, scale * b) / len(self.train.y)
        p = sigmoid(scale * (self.test.X @ w + b))
        return scale, scale * w, scale * b, curves, here, p

    def draw(self, result):
        """Move the band, the mark on the curves and the points of the reliability."""
        scale, w, b, curves, here, p = result
        size = np.linalg.norm(w)
        across, foot, half = w / size, -b * w / size**2, np.log(9) / size
        along = 30 * np.array([-across[1], across[0]])
        sides = [foot + half * across, foot - half * across]
        self.band.set_xy([sides[0] - along, sides[0] + along, sides[1] + along, sides[1] - along])
        self.edges.set_segments([[side - along, side + along] for side in sides])
        self.middle.set_data(*np.transpose([foot - along, foot + along]))
        tried = SCALES < 1.01 * scale  # what lies beyond is for the reader to find
        self.on_train.set_data(SCALES[tried], np.minimum(curves[0], 20)[tried])
        self.on_test.set_data(SCALES[tried], np.minimum(curves[1], 20)[tried])
        k = int(np.argmin(curves[0]))
        self.least.set_data([SCALES[k]] if tried[k] else [], [curves[0][k]] if tried[k] else [])
        self.now.set_data([scale], [min(here, 1.6)])
        self.shares.set_data(*_reliability(self.test.y, p))

    def describe(self, result):
        """Say how wide the band is, what the scale costs, and whether the confidence is earned."""
        scale, w, _, curves, here, p = result
        truth = self.test.y == 1
        inside = np.mean((p > 0.1) & (p < 0.9))
        best = float(SCALES[np.argmin(curves[0])])
        words = f"‖w‖ = **{np.linalg.norm(w):.2f}**: the band is **{2 * np.log(9) / np.linalg.norm(w):.2f}** wide and "
        wrong = np.sum((p > 0.5) != truth)
        words += f"holds **{100 * inside:.0f} %** of the test points; **{wrong}** of {len(truth)} are wrong. "
        words += f"Training log loss **{here:.3f}**, "
        words += f"least {curves[0].min():.3f} at c = {best:.2g}" if best < 1.01 * scale else "still falling with c"
        words += f"{', the end of the scale' * (best < 0.11)}. "
        sure = (p > 0.9) | (p < 0.1)
        if sure.sum() < len(truth) / 100:
            return words + "Hardly a point is outside the band: p is **too timid** to be of use."
        hit, said = np.mean((p > 0.5)[sure] == truth[sure]), np.mean(np.maximum(p, 1 - p)[sure])
        verdict = "too sure" if said > hit + 0.02 else "too timid" if said < hit - 0.02 else "right within 2 points"
        words += f"Outside the band it claims to be right in **{100 * said:.0f} %** of cases and is in "
        return words + f"**{100 * hit:.0f} %**: **{verdict}**."


decision_band = explorer(DecisionBand)


def _scaled_losses(data, w, b):
    return np.array([logistic_loss(data.X, data.y, s * w, s * b) for s in SCALES]) / len(data.y)


def _reliability(y, p):
    """Return the mean prediction and the share of class 1 in ten equal bins of p that hold ten points or more."""
    bins = np.minimum((10 * p).astype(int), 9)
    n = np.bincount(bins, minlength=10)
    full = n >= 10
    sums = np.bincount(bins, p, minlength=10), np.bincount(bins, y == 1, minlength=10)
    return sums[0][full] / n[full], sums[1][full] / n[full]


# --- Newton's race ---------------------------------------------------------------------------------------------------

X8 = np.array([0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4])
T8 = np.array([0, 0, 1, 0, 1, 0, 1, 1.0])
STEPS, MOST, NEAR, FLOOR = 25, 300, 1e-8, 1e-16
GAPS = np.array([0, 0.01, 0.04, 0.12, 0.3, 0.7, 1.5, 3, 6, 12, 60])


class IrlsRace(Scene):
    """Race IRLS against gradient descent on the logistic loss, for any learning rate and any shift of the data."""

    caption = (
        "Figure 8.7: logistic regression on eight points, from w = b = 0, by IRLS (squares, dashed) and by gradient "
        "descent (dots, solid). Left, both ways over the loss, darker where it is higher; right, how far above its "
        "minimum the loss still is, with 10⁻⁸ dotted."
    )
    play, interval = "n", 250
    lines = 3

    def __init__(self):
        self.runs, self.newton = functools.lru_cache(512)(_gd), functools.cache(_irls)
        self.figure, (surface, gaps) = plots.canvas(2, size=(9.6, 4.8), widths=(1.15, 1))
        self._draw_surface(surface)
        self._draw_gaps(gaps)
        self.figure.legend(handles=plots.entries(surface, gaps), **plots.BELOW)
        self.moving = [self.hills, self.rims, self.walk, self.jump, self.best, self.now]
        self.moving += [self.ahead, self.slow, self.fast, self.dots]
        self.controls = {
            "rate": log_slider("learning rate η", 0.1, 0.01, 3.0, per_decade=10),
            "shift": slider("mean of x", 2.25, 0.0, 2.25, 0.25),
            "n": whole("step n", 8, 0, STEPS),
        }

    def _draw_surface(self, ax):
        ax.set(xlim=(-5, 2.5), ylim=(-0.8, 2.6), xlabel="bias b", ylabel="weight w", title="Two ways down")
        look = {"facecolors": _shades(len(GAPS) - 1), "edgecolors": "none", "antialiaseds": False}
        self.hills = ax.add_collection(PathCollection([], zorder=0.4, **look))
        self.rims = ax.add_collection(LineCollection([], colors="white", lw=0.7, zorder=0.5))
        (self.walk,) = ax.plot([], [], "-o", color=plots.ORANGE, ms=4, lw=1.6, mec="white", mew=0.5, zorder=3)
        (self.jump,) = ax.plot([], [], "--s", color=plots.BLUE, ms=7, lw=2, mec="white", mew=0.8, zorder=4)
        (self.best,) = ax.plot(
            [0], [0], "*", ms=13, mfc=plots.YELLOW, mec=plots.INK, zorder=4.5, label="optimum", ls=""
        )
        (self.now,) = ax.plot([], [], "D", ms=16, zorder=5, label="now", **RING)

    def _draw_gaps(self, ax):
        ax.set(xlim=(0, STEPS), yscale="log", ylim=(FLOOR, 1e3), xlabel="step n", ylabel="E − least E", title="The gap")
        ax.yaxis.set_major_locator(FixedLocator([1e-16, 1e-12, 1e-8, 1e-4, 1]))
        ax.yaxis.set_minor_locator(NullLocator())
        ax.axhline(NEAR, color=plots.GREY, ls=":", lw=1.6, zorder=1)
        (self.ahead,) = ax.plot([], [], color=plots.AHEAD, zorder=1.5)
        (self.slow,) = ax.plot([], [], color=plots.ORANGE, zorder=2, label="gradient descent")
        (self.fast,) = ax.plot([], [], "--s", color=plots.BLUE, ms=6, zorder=3, label="IRLS")
        (self.dots,) = ax.plot([0, 0], [1, 1], "D", ms=11, zorder=4, clip_on=False, **RING)

    def compute(self, rate, shift, n):
        """Return the rate, n, the run of IRLS and that of gradient descent."""
        return rate, n, self.newton(shift), self.runs(rate, shift)

    def draw(self, result):
        """Move the surface, both ways over it and both gaps."""
        _, n, (steps, gap, bands, lines), (path, left, _) = result
        k = min(n, len(steps) - 1)
        self.hills.set_paths(bands)
        self.rims.set_segments(lines)
        self.walk.set_data(path[: n + 1].T)
        self.jump.set_data(steps[: k + 1].T)
        self.best.set_data(steps[-1:].T)
        self.now.set_data(*np.transpose([path[n], steps[k]]))
        self.ahead.set_data(np.arange(STEPS + 1), left[: STEPS + 1])
        self.slow.set_data(np.arange(n + 1), left[: n + 1])
        self.fast.set_data(np.arange(k + 1), gap[: k + 1])
        self.dots.set_data([n, k], np.clip([left[n], gap[k]], FLOOR, 1e3))

    def describe(self, result):
        """Say how far both are, and how long they take in all."""
        rate, n, (steps, gap, *_), (path, left, limit) = result
        k = min(n, len(steps) - 1)
        words = f"After {count(n, 'step')} the gap is **{_short(left[n])}** for gradient descent and "
        words += f"**{_short(gap[k])}** for IRLS{f', which rests since step {k}' * (n > k)}. "
        words += f"To 10⁻⁸ IRLS takes **{count(_arrival(gap), 'step')}**, gradient descent "
        there = _arrival(left)
        if there is not None:
            words += f"**{count(there, 'step')}**."
        elif left[-100:].max() > 0.01 and rate > limit:
            words += f"**never arrives**: η = {rate:.2g} is too large, and it jumps to and fro."
        else:
            words += f"**more than {MOST}**: then the gap is still {_short(left[-1])}."
        words += f" Below η = 2/L = {limit:.2g} its loss falls in every step."
        outside = not (-5 <= path[n, 0] <= 2.5 and -0.8 <= path[n, 1] <= 2.6)
        return words + " It is **outside the picture** now." * outside


irls_race = explorer(IrlsRace)


def _irls(shift):
    """Return the steps of IRLS over (b, w), their gaps, and the bands and contours of the loss."""
    x = X8 - X8.mean() + shift
    model = LogisticRegression(tol=1e-15).fit(x[:, None], T8)
    steps = np.array([[s.b, s.w[0]] for s in model.history_])
    gap = np.array([s.loss for s in model.history_]) - model.loss_
    bs, ws = np.linspace(-5, 2.5, 61), np.linspace(-0.8, 2.6, 61)
    scores = bs[None, :, None] + ws[:, None, None] * x
    height = np.maximum(-log_sigmoid((2 * T8 - 1) * scores).sum(-1) - model.loss_, 0)
    fills = contour_generator(bs, ws, height, fill_type=FillType.OuterCode)
    lines = contour_generator(bs, ws, height, line_type=LineType.Separate)
    bands = [plots.joined(*fills.filled(low, high)) for low, high in pairwise(GAPS)]
    return steps, np.maximum(gap, 1e-16), bands, [line for level in GAPS[1:-1] for line in lines.lines(level)]


def _gd(rate, shift):
    """Return the path of gradient descent over (b, w), its gaps, and the rate 2/L below which the loss falls."""
    x = (X8 - X8.mean() + shift)[:, None]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = LogisticRegression(solver="gd", learning_rate=rate, tol=1e-16, max_iter=MOST).fit(x, T8)
    path = np.array([[s.b, s.w[0]] for s in model.history_])
    gap = np.array([s.loss for s in model.history_]) - LogisticRegression(tol=1e-15).fit(x, T8).loss_
    more = MOST + 1 - len(path)
    path, gap = np.vstack([path, np.repeat(path[-1:], more, 0)]), np.append(gap, np.repeat(gap[-1:], more))
    return path, np.maximum(gap, 1e-16), 8 / np.linalg.norm(np.column_stack([np.ones(8), x]), 2) ** 2


def _arrival(gap):
    near = np.flatnonzero(gap < NEAR)
    return int(near[0]) if len(near) else None


# --- Separable classes -----------------------------------------------------------------------------------------------

PENALTIES = np.logspace(-6, 2, 25)  # the stops of the slider
LINE = np.linspace(-6, 6, 241)
MOST_W = 50


class SeparationPenalty(Scene):
    """Pull two classes apart and lower the penalty: the sigmoid turns into a step and its weight grows without end."""

    caption = (
        "Figure 8.8: left, sixteen points, the gap between the classes, and the sigmoid fitted with penalty λ. "
        "Right, from λ = 100 down to the present λ, the size of its weight, and its log loss on 1000 new points from "
        "the same two bell curves, which overlap even where the sixteen points leave a gap."
    )
    lines = 3

    def __init__(self):
        rng = np.random.default_rng(8)
        self.noise, self.t = rng.normal(size=16), np.repeat([0, 1], 8)
        self.fresh, self.t_fresh = rng.normal(size=1000), np.repeat([0, 1], 500)
        self.ends = self.noise[:8].max(), self.noise[8:].min()
        self.sweep = functools.lru_cache(64)(self._sweep)

        self.figure, (data, norm, cost) = plots.tall_and_two(size=(9.6, 5.0), widths=(1.25, 1))
        self._draw_data(data)
        self._draw_norm(norm)
        self._draw_cost(cost)
        for ax in (norm, cost):
            ax.xaxis.set_major_locator(FixedLocator([1e-6, 1e-4, 1e-2, 1, 100]))
            ax.xaxis.set_minor_locator(NullLocator())
        self.figure.legend(handles=plots.entries(data, norm, cost), **CLOSE)
        self.moving = [self.stripe, self.curve, *self.dots, self.sizes, self.bound, self.at]
        self.moving += [self.losses, self.least, self.here]
        self.controls = {
            "lam": log_slider("penalty λ", 1.0, 1e-6, 100, per_decade=3),
            "gap": slider("gap between classes", 0.5, -2.0, 2.0, 0.1, digits=1),
        }

    def _draw_data(self, ax):
        ax.set(xlim=(-6, 6), ylim=(-0.12, 1.12), xlabel="x", ylabel="p(t = 1 | x)", title="The fitted sigmoid")
        self.stripe = ax.axvspan(0, 1, color=BAND, lw=0, zorder=0.4, label="gap")
        (self.curve,) = ax.plot([], [], color=plots.INK, zorder=2, label="sigmoid")
        style = [(plots.BLUE, "o"), (plots.ORANGE, "s")]
        self.dots = [
            ax.plot([], [], m, ms=9, mfc="white", mec=c, mew=1.8, zorder=3, label=f"class {k}")[0]
            for k, (c, m) in enumerate(style)
        ]

    def _draw_norm(self, ax):
        ax.set(xscale="log", xlim=(1e-6, 100), ylim=(0, MOST_W), ylabel="|w|", title="Size of the weight")
        (self.sizes,) = ax.plot([], [], color=plots.PURPLE, zorder=2)
        (self.bound,) = ax.plot([], [], ":", color=plots.INK, lw=1.6, zorder=1, label="|w| at λ = 0")
        (self.at,) = ax.plot([1], [1], "D", ms=11, zorder=4, clip_on=False, **RING)

    def _draw_cost(self, ax):
        ax.set(
            xscale="log", xlim=(1e-6, 100), ylim=(0, 2), xlabel="penalty λ", ylabel="log loss", title="On new points"
        )
        (self.losses,) = ax.plot([], [], color=plots.ORANGE, zorder=2)
        star = {"ms": 12, "mfc": plots.YELLOW, "mec": plots.INK, "zorder": 3, "ls": "", "clip_on": False}
        (self.least,) = ax.plot([1], [1], "*", label="best λ", **star)
        (self.here,) = ax.plot([1], [1], "D", ms=14, zorder=4, clip_on=False, label="now", **RING)

    def _place(self, z, t, gap):
        """Return the inputs: the nearest training points of the two classes are ``gap`` apart."""
        return (z - np.where(t == 0, self.ends[0] + gap / 2, self.ends[1] - gap / 2))[:, None]

    def _fit(self, gap, lam):
        """Return the model and its log loss on new points."""
        model = LogisticRegression(lam, tol=1e-10).fit(self._place(self.noise, self.t, gap), self.t)
        new = self._place(self.fresh, self.t_fresh, gap)
        return model, logistic_loss(new, self.t_fresh, model.w_, model.b_) / len(self.t_fresh)

    def _sweep(self, gap):
        """Return |w| and the log loss for all penalties, and the fit without one where it exists."""
        fits = [self._fit(gap, lam) for lam in PENALTIES]
        ml = self._fit(gap, 0.0)[0] if gap < 0 else None
        return np.array([abs(m.w_[0]) for m, _ in fits]), np.array([loss for _, loss in fits]), ml

    def compute(self, lam, gap):
        """Return the fit with this penalty and those with all others."""
        gap = round(gap, 1)
        return lam, gap, *self._fit(gap, lam), self.sweep(gap)

    def draw(self, result):
        """Move the points, the sigmoid and both curves over the penalty."""
        lam, gap, model, loss, (norms, losses, ml) = result
        x = self._place(self.noise, self.t, gap)[:, 0]
        for k, dot in enumerate(self.dots):
            dot.set_data(x[self.t == k], self.t[self.t == k])
        self.stripe.set_xy((-gap / 2, 0))
        self.stripe.set_width(max(gap, 0))
        self.curve.set_data(LINE, model.predict_proba(LINE[:, None])[:, 1])
        tried = PENALTIES > 0.99 * lam  # what lies beyond is for the reader to find
        self.sizes.set_data(PENALTIES[tried], norms[tried])
        self.bound.set_data([1e-6, 100] if ml else [], [abs(ml.w_[0])] * 2 if ml else [])
        self.at.set_data([lam], [min(abs(model.w_[0]), MOST_W)])
        self.losses.set_data(PENALTIES[tried], np.minimum(losses, 50)[tried])
        k = int(np.argmin(losses))
        self.least.set_data([PENALTIES[k]] if tried[k] else [], [losses[k]] if tried[k] else [])
        self.here.set_data([lam], [min(loss, 2)])

    def describe(self, result):
        """Say how large the weight is, what it costs on new points, and what a smaller penalty would do."""
        lam, gap, model, loss, (_, losses, ml) = result
        size = abs(model.w_[0])
        off = [name for name, out in (("|w|", size > MOST_W), ("the log loss", loss > 2)) if out]
        note = f" Off its scale, at the rim: {' and '.join(off)}." if off else ""
        best = PENALTIES[int(np.argmin(losses))]
        words = f"λ = {_short(lam)} gives |w| = **{size:.3g}** and a log loss of **{loss:.3f}** on new points"
        if best > 0.99 * lam:
            words += f" (least {losses.min():.3f} at λ = {_short(best)}{', the end of the scale' * bool(best > 99)})"
        words += ". "
        if ml is not None:
            return words + f"The classes **overlap**: at λ = 0 |w| ends at **{abs(ml.w_[0]):.3g}**." + note
        more = abs(self._fit(gap, lam / 10)[0].w_[0])
        words += f"The training points are **separable**, {gap:.1f} apart" if gap else "Only **two points meet**"
        return words + f": a tenth of λ would make |w| **{more:.3g}**, and so on **without end**." + note


separation_penalty = explorer(SeparationPenalty)


# --- Softmax ---------------------------------------------------------------------------------------------------------


class SoftmaxRegions(Scene):
    """Change the penalty and move a point through the regions of three classes: its scores and probabilities."""

    caption = (
        "Figure 8.9: softmax regression on the petals of 150 irises. A class colours the places where its "
        "probability is above 0.5, darker from 0.7 and again from 0.9 (dashed); in white none reaches a half. "
        "Right, the scores at the star and the probabilities that softmax makes of them."
    )
    takes = Plane(
        (0.5, 7.5, -0.2, 3.0),
        "softmax regression. A class colours the places where its probability is above 0.5, darker from 0.7 and again "
        "from 0.9 (dashed); in white none reaches a half. Right, the scores at the star and the probabilities that "
        "softmax makes of them.",
        most=300,
        classes=3,
        each=1,
        held=False,
    )
    lines = 3

    def __init__(self, data=None):
        flowers, self.data = iris(), data
        self.X, self.y, self.names = flowers.X[:, 2:], flowers.y, [str(n) for n in flowers.target_names]
        if data:
            self.X, self.y, self.names = data.X, data.y, list(data.classes)
        self.fits = functools.lru_cache(128)(self._fit)
        self.figure, (plane, score, prob) = plots.tall_and_two(size=(9.6, 5.0), widths=(1.5, 1))
        self._draw_plane(plane)
        self._draw_bars(score, prob)
        self.figure.legend(handles=plots.entries(plane), **CLOSE)
        self.moving = [self.shade, self.borders, self.sure, self.point, *self.rods[0], *self.rods[1], *self.shares]
        self.controls = {
            "lam": log_slider("penalty λ", 1.0, 1e-4, 1000, per_decade=4),
            "x1": place(data, 0) if data else slider("petal length x₁", 4.9, 0.6, 7.4, 0.1, digits=1),
            "x2": place(data, 1) if data else slider("petal width x₂", 1.6, -0.1, 2.9, 0.1, digits=1),
        }

    def _draw_plane(self, ax):
        ax.set(xlim=(0.5, 7.5), ylim=(-0.2, 3.0), xlabel="petal length $x_1$ (cm)", ylabel="petal width $x_2$ (cm)")
        ax.set_title("Regions of probability")
        if self.data:
            self.data.label(ax)
        look = {"facecolors": TINTS[: 3 * len(self.names)], "edgecolors": "none", "antialiaseds": False}
        self.shade = ax.add_collection(PathCollection([], zorder=0.4, **look))
        self.borders = ax.add_collection(LineCollection([], colors=plots.INK, lw=2.2, zorder=1, label="border"))
        self.sure = ax.add_collection(LineCollection([], colors=plots.INK, lw=1.3, ls="--", zorder=1, label="p = 0.9"))
        plots.plot_classes(self.X, self.y, ax=ax, names=self.names, size=26)
        (self.point,) = ax.plot([0], [0], "*", ms=19, mfc=plots.YELLOW, mec=plots.INK, zorder=5, label="x", ls="")

    def _draw_bars(self, score, prob):
        score.set(xlim=(-12, 12), xlabel="score $a_k = w_k\\cdot x + b_k$", title="Scores at x")
        score.axvline(0, color=plots.GREY, lw=1)
        prob.set(xlim=(0, 1), xlabel="$p_k = e^{a_k} / \\,\\Sigma_j\\, e^{a_j}$", title="Probabilities at x")
        K = len(self.names)
        bars = {"color": plots.CLASS_COLORS[:K], "height": 0.55}
        self.rods = (
            [ax.barh(range(K), [0] * K, **bars) for ax in (score, prob)]
            if self.data
            else [ax.barh(self.names, [0] * 3, **bars) for ax in (score, prob)]
        )
        for ax in (score, prob) if self.data else ():
            ax.set_yticks(range(K), self.names, fontsize=10)
        for ax in (score, prob):
            ax.invert_yaxis()
            ax.tick_params(axis="y", length=0)
        self.shares = [prob.text(0, k, "", va="center", fontsize=12, zorder=4) for k in range(K)]

    def _fit(self, lam):
        return _softmax_map(SoftmaxRegression(lam).fit(self.X, self.y))

    def compute(self, lam, x1, x2):
        """Return the fit, its regions, the point, its scores and its probabilities."""
        model, regions = self.fits(lam)
        x = self.data.inside(x1, x2)[None] if self.data else np.array([[x1, x2]])
        return model, regions, x[0], _scores(model, x)[0], model.predict_proba(x)[0]

    def draw(self, result):
        """Move the regions, the star and the bars."""
        _, (bands, lines, rims), x, a, p = result
        self.shade.set_paths(bands)
        self.borders.set_segments(lines)
        self.sure.set_segments(rims)
        self.point.set_data(x[:1], x[1:])
        for rod, value in zip(self.rods[0], np.clip(a, -12, 12)):
            rod.set_width(value)
        for rod, share, value in zip(self.rods[1], self.shares, p):
            rod.set_width(value)
            wide = value >= 0.8
            share.set(x=0.02 if wide else value + 0.02, text=f"{value:.3f}", color="white" if wide else plots.INK)

    def describe(self, result):
        """Say what the model makes of the star, and how many flowers it gets wrong."""
        model, _, x, a, p = result
        k = int(np.argmax(p))
        chances = ", ".join(f"{name} **{share:.3f}**" for name, share in zip(self.names, p))
        where = f"({x[0]:.1f}, {plain(x[1])})"
        if self.data:
            (a0, u0), (a1, u1) = self.data.scales
            where = f"({plain(a0 + u0 * x[0], '.4g')}, {plain(a1 + u1 * x[1], '.4g')})"
        words = f"At x = {where}: {chances}; so **{self.names[k]}**. Scores "
        words += ", ".join(plain(v, ".1f") for v in a) + ". " + "A bar is cut at the rim. " * bool(abs(a).max() > 12)
        wrong = int((model.predict(self.X) != self.y).sum())
        words += f"With λ = {model.lam:.4g} the weights have ‖W‖ = **{np.linalg.norm(model.W_):.2f}** and "
        return words + f"**{wrong}** of {len(self.y)} {'points' if self.data else 'flowers'} are misclassified."


softmax_regions = explorer(SoftmaxRegions)


def _scores(model, X):
    """Return one score for each class; of two classes ``decision_function`` has only the difference."""
    scores = model.decision_function(X)
    return scores if scores.ndim == 2 else X @ model.W_.T + model.b_


def _softmax_map(model):
    """Return the model and what to draw of it: the bands of each probability, the borders, the lines p = 0.9."""
    x1, x2 = np.linspace(0.5, 7.5, 71), np.linspace(-0.2, 3.0, 65)
    grid = np.stack(np.meshgrid(x1, x2), axis=-1).reshape(-1, 2)
    A, P = (values.T.reshape(-1, 65, 71) for values in (_scores(model, grid), model.predict_proba(grid)))
    bands, borders, rims = [], [], []
    for k in range(len(A)):
        shares = contour_generator(x1, x2, P[k], fill_type=FillType.OuterCode, line_type=LineType.Separate)
        bands += [plots.joined(*shares.filled(low, high)) for low, high in pairwise(LEVELS)]
        rims += shares.lines(0.9)
        lead = A[k] - np.delete(A, k, axis=0).max(axis=0)
        borders += contour_generator(x1, x2, lead, line_type=LineType.Separate).lines(0.0)
    return model, (bands, borders, rims)


# --- Counts ----------------------------------------------------------------------------------------------------------


class PoissonTrend(Scene):
    """Fit a trend to yearly counts with a Poisson model or with least squares, and look beyond the data."""

    caption = (
        "Figure 8.11: disasters in British coal mines by year, the fitted mean and a band of two standard "
        "deviations (the Poisson band is cut at 0, where counts end); years right of the dashed line are not used. "
        "Right, the mean squared miss of 11 years at a time against their fitted mean, and the variance that the "
        "model claims (line)."
    )
    lines = 3

    def __init__(self):
        record = coal_disasters()
        self.years, self.y = record.X[:, 0], record.y.astype(float)
        self.shown = np.arange(1852.0, 1986)
        self.figure, (trend, spread) = plots.canvas(2, size=(9.6, 4.7), widths=(2.1, 1))
        self._draw_trend(trend)
        self._draw_spread(spread)
        self.figure.legend(handles=plots.entries(trend, spread), **CLOSE)
        self.moving = [self.region, self.mean, self.used, self.unused, self.until, self.law, self.groups]
        self.controls = {
            "family": choice("model", {"least squares": "Gaussian", "Poisson, log link": "Poisson"}),
            "degree": whole("degree D of the trend", 1, 0, 4),
            "last": whole("last year used", 1961, 1885, 1961),
        }

    def _draw_trend(self, ax):
        ax.set(xlim=(1849, 1986), ylim=(-2.2, 8), xlabel="year", ylabel="disasters a year", title="Counts and trend")
        ax.axhspan(-2.2, 0, color=plots.PALE, zorder=0.3)
        ax.text(1851, -2.05, "impossible: fewer than no disasters", fontsize=11, va="bottom", zorder=0.6)
        ax.axhline(0, color=plots.INK, lw=1, zorder=0.7)
        look = {"fc": plots.ORANGE_TINT, "ec": "none", "zorder": 0.4, "label": "mean ± 2 sd"}
        self.region = ax.add_patch(Polygon(np.zeros((3, 2)), **look))
        (self.mean,) = ax.plot([], [], color=plots.ORANGE, zorder=2, label="mean")
        (self.used,) = ax.plot([], [], "o", ms=5, color=plots.BLUE, zorder=3, label="used")
        (self.unused,) = ax.plot([], [], "o", ms=5, mfc="white", mec=plots.BLUE, zorder=3, label="kept back")
        self.until = ax.axvline(1961, color=plots.INK, ls="--", lw=1.4, zorder=1)

    def _draw_spread(self, ax):
        ax.set(xlim=(-0.5, 5), ylim=(0, 6), xlabel="fitted mean", ylabel="mean squared miss")
        ax.set_title("Is the spread right?")
        (self.law,) = ax.plot([], [], color=plots.ORANGE, zorder=2, label="model’s variance")
        look = {"ms": 8, "mfc": "white", "mec": plots.PURPLE, "mew": 1.8, "zorder": 3, "ls": ""}
        (self.groups,) = ax.plot([], [], "s", label="11 years", **look)

    def compute(self, family, degree, last):
        """Return the settings, which years are used, the fit and its means in all years."""
        rows = self.years <= last
        law = {"Poisson": Poisson, "Gaussian": Gaussian}[family]()
        model = GLM(law).fit(_powers(self.years[rows], degree), self.y[rows])
        return family, degree, last, rows, model, model.predict(_powers(self.years, degree))

    def draw(self, result):
        """Move the trend with its band, and the law of its variance."""
        family, degree, last, rows, model, fitted = result
        years, y, shown = self.years, self.y, self.shown
        mu = np.clip(model.predict(_powers(shown, degree)), -1e3, 1e3)
        sd = np.sqrt(mu if family == "Poisson" else np.full_like(mu, model.dispersion_))
        low = np.maximum(mu - 2 * sd, 0) if family == "Poisson" else mu - 2 * sd  # no count lies below zero
        self.region.set_xy(np.column_stack([np.append(shown, shown[::-1]), np.append(low, (mu + 2 * sd)[::-1])]))
        self.mean.set_data(shown, mu)
        self.used.set_data(years[rows], y[rows])
        self.unused.set_data(years[~rows], y[~rows])
        self.until.set_xdata([last + 0.5, last + 0.5])
        self.law.set_data([-1, 0, 6], [0, 0, 6] if family == "Poisson" else [model.dispersion_] * 3)
        self.groups.set_data(*_grouped(fitted[rows], y[rows]))

    def describe(self, result):
        """Say how well it fits, and what it says of the years kept back and of those to come."""
        family, degree, last, rows, model, fitted = result
        dof = int(rows.sum()) - degree - 1
        if family == "Poisson":
            words = f"On the {rows.sum()} years to {last} the deviance is **{model.deviance_:.1f}** with {dof} degrees "
            words += f"of freedom, the dispersion **{model.dispersion_:.2f}** (1 if the counts are Poisson). "
        else:
            words = f"On the {rows.sum()} years to {last} the squared misses add up to **{model.deviance_:.1f}**; the "
            words += f"model has the variance **{model.dispersion_:.2f}** in every year. "
        if not rows.all():
            ahead = fitted[~rows].mean()
            said = "over 100" if ahead > 100 else "below −100" if ahead < -100 else plain(ahead, ".2f")
            words += f"For the {(~rows).sum()} years kept back it says **{said}** a year; there were "
            words += f"**{self.y[~rows].mean():.2f}**. "
        mu = model.predict(_powers(self.shown, degree))
        below = self.shown[mu < 0]
        if len(below):
            return words + f"Its mean is **negative** in {len(below)} of the years shown, first in {below[0]:.0f}."
        high = " Beyond the data it **leaves the picture**." * bool(mu.max() > 8)
        low = "below 0.01" if mu.min() < 0.01 else f"{mu.min():.2f}"
        return words + f"Its lowest mean is **{low}** a year." + high


poisson_trend = explorer(PoissonTrend)


def _powers(years, degree):
    """Return the powers 1 to ``degree`` of the year, from −1 in 1852 to 1 in 1961; a zero column for degree 0."""
    u = (years - 1906.5) / 54.5
    return polynomial_features(u, degree)[:, 1:] if degree else np.zeros((len(u), 1))


def _grouped(fitted, y, size=11):
    """Return the mean fit and the mean squared miss of consecutive groups of years."""
    n = len(y) // size * size
    miss = (y[:n] - fitted[:n]) ** 2
    return fitted[:n].reshape(-1, size).mean(1), miss.reshape(-1, size).mean(1)


# --- Pieces ----------------------------------------------------------------------------------------------------------


def _short(value):
    """Write a positive number with two or three digits, a tiny one with a power of ten."""
    if value < 1e-12:
        return "below 10⁻¹²"
    if value >= 0.001:
        return f"{value:.0f}" if value >= 100 else f"{value:.3g}" if value >= 0.1 else f"{value:.2g}"
    digits, power = f"{value:.1e}".split("e")
    raised = f"10{str(int(power)).translate(str.maketrans('-0123456789', '⁻⁰¹²³⁴⁵⁶⁷⁸⁹'))}"
    return raised if digits == "1.0" else f"{digits}·{raised}"

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
from mlteach.explore.base import Explorer, choice, count, explorer, log_slider, plain, slider, whole
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

BAND = "#F7F1B5"
LEVELS = (0.5, 0.7, 0.9, 1.01)  # of a probability, and the tints of the three classes between them
TINTS = ["#E3F0F7", "#C3DFEE", "#9FCBE3", "#FCEDE3", "#F8D6C0", "#F2BC9A", "#E0F3EC", "#BFE6D8", "#98D7C1"]

# --- Two losses ----------------------------------------------------------------------------------------------------

X10 = np.array([-2.5, -2.0, -1.4, -0.9, -0.3, 0.2, 0.8, 1.3, 1.9, 2.6])[:, None]
T10 = np.array([0, 0, 0, 1, 0, 1, 0, 1, 1, 1.0])
WALK, RATE = 60, 0.2


@explorer
def loss_landscapes():
    """Start a descent on the squared error and on the logistic loss at the same point and compare their ways."""
    model = LogisticRegression().fit(X10, T10)
    best = np.append(model.b_, model.w_)
    lowest = minimize(_squared_gradient, best, GradientDescent(learning_rate=0.5), 200).w[-1]
    floors = squared_error_loss(X10, T10, lowest[1:], lowest[0]), model.loss_
    walks = functools.lru_cache(256)(_walks)

    figure, (square, log, way) = plots.canvas(3, size=(9.6, 4.0))
    bs, ws = np.meshgrid(np.linspace(-6, 6, 97), np.linspace(-6, 6, 97))
    heights = _heights(bs, ws)
    panels = []
    for ax, z, title, low in zip((square, log), heights, ("Squared error S", "Logistic loss E"), (lowest, best)):
        levels = z.min() + np.linspace(0, 1, 10) ** (1 if ax is square else 2) * np.ptp(z)
        _slopes(ax, bs, ws, z, levels)
        ax.set(xlim=(-6, 6), ylim=(-6, 6), xlabel="bias b", title=title, box_aspect=1)
        ax.plot(*low, "*", ms=15, mfc=plots.YELLOW, mec=plots.INK, zorder=4, label="lowest")
        (path,) = ax.plot([], [], "-o", color=plots.ORANGE, ms=4, lw=1.8, mec="white", mew=0.4, zorder=3)
        (start,) = ax.plot([], [], "o", ms=9, mfc="white", mec=plots.INK, mew=2, zorder=5, label="start")
        (now,) = ax.plot([], [], "D", ms=8, mfc=plots.ORANGE, mec=plots.INK, zorder=6, label="now")
        panels.append((path, start, now))
        for axis in (ax.xaxis, ax.yaxis):
            axis.set_major_locator(FixedLocator([-6, -3, 0, 3, 6]))
    bent = _least_curvature(heights[0], 12 / 96)
    square.contourf(bs, ws, bent, [-1e9, 0], colors="none", hatches=[".."], zorder=1.5).set_edgecolor("#3A404A")
    square.contour(bs, ws, bent, [0], colors=plots.INK, linewidths=1.6, linestyles="--", zorder=1.6)
    square.set_ylabel("weight w")
    square.fill([], [], fc="white", ec=plots.INK, hatch="...", label="bends down")
    way.set(xlim=(0, WALK), ylim=(0, 1.04), xlabel="step n", ylabel="share of the way left", title="How far to go")
    way.set_box_aspect(1)
    (left_s,) = way.plot([], [], color=plots.PURPLE, lw=2.6, label="squared error")
    (left_e,) = way.plot([], [], "--", color=plots.BLUE, lw=2.6, label="logistic loss")
    (dots,) = way.plot([0, 0], [1, 1], "D", ms=8, mfc=plots.ORANGE, mec=plots.INK, zorder=4, clip_on=False, ls="")
    figure.legend(handles=plots.entries(square, way), **plots.BELOW)

    def compute(w, b, n):
        paths, losses = walks(w, b)
        left = [(E - floor) / (E[0] - floor) for E, floor in zip(losses, floors)]
        return n, paths, losses, left

    def draw(result):
        n, paths, _, left = result
        for (path, start, now), walked in zip(panels, paths):
            path.set_data(walked[: n + 1].T)
            start.set_data(walked[:1].T)
            now.set_data(walked[n : n + 1].T)
        left_s.set_data(np.arange(n + 1), left[0][: n + 1])
        left_e.set_data(np.arange(n + 1), left[1][: n + 1])
        dots.set_data([n, n], [left[0][n], left[1][n]])

    def describe(result):
        n, paths, losses, left = result
        v = paths[0][n]
        slope, bend = float(np.linalg.norm(_squared_gradient(v))), _curvature(v)
        far = [plain(100 * share[n], ".0f") for share in left]
        words = f"After {count(n, 'step')} the squared error has **{far[0]} %** of its way still to go "
        words += f"(S = {losses[0][n]:.2f}), the logistic loss **{far[1]} %** (E = {losses[1][n]:.2f}). "
        kind = "a **plateau**: " if slope < 0.1 and left[0][n] > 0.1 else ""
        words += f"Squared error here: {kind}slope **{slope:.2g}**, least curvature **{plain(bend, '.2g')}**. "
        u = paths[1][n]
        least = np.linalg.eigvalsh(logistic_hessian(X10, u[1:], u[0]))[0]
        return words + f"Logistic loss: least curvature **{least:.2g}**, never negative."

    return Explorer(
        figure=figure,
        moving=[*(a for panel in panels for a in panel), left_s, left_e, dots],
        controls={
            "w": slider("start w", -4.0, -5.5, 5.5, 0.5, digits=1),
            "b": slider("start b", 4.0, -5.5, 5.5, 0.5, digits=1),
            "n": whole("step n", 40, 0, WALK),
        },
        compute=compute,
        draw=draw,
        describe=describe,
        caption="Figure 8.5: ten points, one sigmoid, two losses over its bias b and weight w (darker is higher), each "
        "descended with η = 0.2. Dots mark where the squared error bends downwards in some direction: almost "
        "everywhere, and on its plateaus a descent stays for long. The logistic loss is a bowl.",
        play="n",
        interval=100,
    )


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


# --- The decision band ---------------------------------------------------------------------------------------------

SCALES = np.logspace(-1, 1, 41)
CLOSE = {**plots.BELOW, "columnspacing": 1.0, "handlelength": 1.5, "handletextpad": 0.5}


@explorer
def decision_band():
    """Multiply the weights by a factor, or turn them, and see the band of doubt, the log loss and the calibration."""
    centers = [[-1.0, -0.7], [1.0, 0.7]]
    train, test = blobs(120, centers, 1.1, rng=3), blobs(2000, centers, 1.1, rng=4)
    model = LogisticRegression().fit(train.X, train.y)
    figure, (plane, cost, trust) = plots.tall_and_two(size=(9.6, 5.0), widths=(1.25, 1))
    plane.set(xlim=(-4.2, 4.2), ylim=(-3.9, 3.9), xlabel="$x_1$", ylabel="$x_2$", title="The band of doubt")
    band = plane.add_patch(Polygon(np.zeros((4, 2)), fc=BAND, ec="none", zorder=0.5, label="0.1 < p < 0.9"))
    edges = plane.add_collection(LineCollection([], colors=plots.INK, lw=1.4, ls="--", zorder=1))
    (middle,) = plane.plot([], [], color=plots.INK, lw=2.4, zorder=1.5, label="p = 0.5")
    plots.plot_classes(train.X, train.y, ax=plane, names=["class 0", "class 1"], size=34)
    cost.set(xscale="log", xlim=(0.1, 10), ylim=(0, 1.6), xlabel="scale s", ylabel="log loss", title="What it costs")
    plots.ticks(cost.xaxis, [0.1, 0.3, 1, 3, 10])
    (on_train,) = cost.plot([], [], "--", color=plots.BLUE, lw=1.8, label="training")
    (on_test,) = cost.plot([], [], color=plots.ORANGE, label="test")
    (least,) = cost.plot(
        [1], [1], "*", ms=15, mfc=plots.YELLOW, mec=plots.INK, zorder=4, label="best s", ls="", clip_on=False
    )
    (now,) = cost.plot([1], [1], "D", ms=8, mfc="white", mec=plots.INK, mew=2, zorder=5, clip_on=False)
    trust.set(xlim=(0, 1), ylim=(0, 1), xlabel="predicted p", ylabel="share of class 1", title="Can p be trusted?")
    trust.plot([0, 1], [0, 1], ":", color=plots.GREY, lw=1.6, zorder=1)
    (shares,) = trust.plot([0.5], [0.5], "-o", color=plots.ORANGE, ms=7, lw=1.6, zorder=3, clip_on=False)
    figure.legend(handles=plots.entries(plane, cost), **CLOSE)

    @functools.cache
    def turned(angle):
        c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
        w, b = np.array([[c, -s], [s, c]]) @ model.w_, model.b_
        return w, b, (_scaled_losses(train, w, b), _scaled_losses(test, w, b))

    def compute(scale, turn):
        w, b, curves = turned(turn)
        here = logistic_loss(train.X, train.y, scale * w, scale * b) / len(train.y)
        p = sigmoid(scale * (test.X @ w + b))
        return scale, scale * w, scale * b, curves, here, p

    def draw(result):
        scale, w, b, curves, here, p = result
        size = np.linalg.norm(w)
        across, foot, half = w / size, -b * w / size**2, np.log(9) / size
        along = 30 * np.array([-across[1], across[0]])
        sides = [foot + half * across, foot - half * across]
        band.set_xy([sides[0] - along, sides[0] + along, sides[1] + along, sides[1] - along])
        edges.set_segments([[side - along, side + along] for side in sides])
        middle.set_data(*np.transpose([foot - along, foot + along]))
        on_train.set_data(SCALES, np.minimum(curves[0], 20))
        on_test.set_data(SCALES, np.minimum(curves[1], 20))
        k = int(np.argmin(curves[0]))
        least.set_data([SCALES[k]], [curves[0][k]])
        now.set_data([scale], [min(here, 1.6)])
        shares.set_data(*_reliability(test.y, p))

    def describe(result):
        scale, w, _, curves, here, p = result
        inside = np.mean((p > 0.1) & (p < 0.9))
        best = float(SCALES[np.argmin(curves[0])])
        words = f"‖w‖ = **{np.linalg.norm(w):.2f}**: the band is **{2 * np.log(9) / np.linalg.norm(w):.2f}** wide and "
        wrong = np.sum((p > 0.5) != (test.y == 1))
        words += f"holds **{100 * inside:.0f} %** of the test points; **{wrong}** of 2000 are wrong. "
        words += f"Training log loss **{here:.3f}**, least "
        words += f"{curves[0].min():.3f} at s = {best:.2g}{', the end of the scale' * (best < 0.11)}. "
        sure = (p > 0.9) | (p < 0.1)
        if sure.sum() < 20:
            return words + "Hardly a point is outside the band: p is **too timid** to be of use."
        hit, said = np.mean((p > 0.5)[sure] == (test.y == 1)[sure]), np.mean(np.maximum(p, 1 - p)[sure])
        verdict = "too sure" if said > hit + 0.02 else "too timid" if said < hit - 0.02 else "well calibrated"
        words += f"Outside the band it claims to be right in **{100 * said:.0f} %** of cases and is in "
        return words + f"**{100 * hit:.0f} %**: **{verdict}**."

    return Explorer(
        figure=figure,
        moving=[band, edges, middle, on_train, on_test, least, now, shares],
        controls={
            "scale": log_slider("scale s of w and b", 1.0, 0.1, 10, per_decade=20),
            "turn": slider("turn of w in degrees", 0.0, -90, 90, 5, digits=0),
        },
        compute=compute,
        draw=draw,
        describe=describe,
        caption="Figure 8.6: fitted weights times s (the temperature is 1/s), with the training points. The line "
        "p = 0.5 stays, the band where 0.1 < p < 0.9 narrows. Right, the training log loss is least at s = 1 if w is "
        "not turned (diamond: now, at the rim if above it); below, the share of class 1 among test points by their p: "
        "a flatter line than the diagonal means too much confidence.",
    )


def _scaled_losses(data, w, b):
    return np.array([logistic_loss(data.X, data.y, s * w, s * b) for s in SCALES]) / len(data.y)


def _reliability(y, p):
    """Return the mean prediction and the share of class 1 in ten equal bins of p that hold ten points or more."""
    bins = np.minimum((10 * p).astype(int), 9)
    n = np.bincount(bins, minlength=10)
    full = n >= 10
    sums = np.bincount(bins, p, minlength=10), np.bincount(bins, y == 1, minlength=10)
    return sums[0][full] / n[full], sums[1][full] / n[full]


# --- Newton's race -------------------------------------------------------------------------------------------------

X8 = np.array([0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4])
T8 = np.array([0, 0, 1, 0, 1, 0, 1, 1.0])
STEPS, MOST, NEAR, FLOOR = 40, 300, 1e-8, 1e-13
GAPS = np.array([0, 0.01, 0.04, 0.12, 0.3, 0.7, 1.5, 3, 6, 12, 60])


@explorer
def irls_race():
    """Race IRLS against gradient descent on the logistic loss, for any learning rate and any shift of the data."""
    runs, newton = functools.lru_cache(512)(_gd), functools.cache(_irls)
    figure, (surface, gaps) = plots.canvas(2, size=(9.6, 4.8), widths=(1.15, 1))
    surface.set(xlim=(-5, 2.5), ylim=(-0.8, 2.6), xlabel="bias b", ylabel="weight w", title="Two ways down")
    look = {"facecolors": _shades(len(GAPS) - 1), "edgecolors": "none", "antialiaseds": False}
    hills = surface.add_collection(PathCollection([], zorder=0.4, **look))
    rims = surface.add_collection(LineCollection([], colors="white", lw=0.7, zorder=0.5))
    (walk,) = surface.plot([], [], "-o", color=plots.ORANGE, ms=4, lw=1.6, mec="white", mew=0.5, zorder=3)
    (jump,) = surface.plot([], [], "--s", color=plots.BLUE, ms=7, lw=2, mec="white", mew=0.8, zorder=4)
    (best,) = surface.plot([0], [0], "*", ms=17, mfc=plots.YELLOW, mec=plots.INK, zorder=3.5, label="optimum")
    (now,) = surface.plot([], [], "D", ms=9, mfc="white", mec=plots.INK, mew=2, zorder=5, label="now", ls="")
    gaps.set(xlim=(0, STEPS), yscale="log", ylim=(FLOOR, 1e3), xlabel="step n", ylabel="E − least E", title="The gap")
    gaps.yaxis.set_major_locator(FixedLocator([1e-12, 1e-8, 1e-4, 1]))
    gaps.yaxis.set_minor_locator(NullLocator())
    gaps.axhline(NEAR, color=plots.GREY, ls=":", lw=1.6, zorder=1)
    (ahead,) = gaps.plot([], [], color="#C9CDD4", zorder=1.5)
    (slow,) = gaps.plot([], [], color=plots.ORANGE, zorder=2, label="gradient descent")
    (fast,) = gaps.plot([], [], "--s", color=plots.BLUE, ms=6, zorder=3, label="IRLS")
    (dots,) = gaps.plot([0, 0], [1, 1], "D", ms=8, mfc="white", mec=plots.INK, mew=2, zorder=4, clip_on=False, ls="")
    figure.legend(handles=plots.entries(surface, gaps), **plots.BELOW)

    def compute(rate, shift, n):
        return rate, n, newton(shift), runs(rate, shift)

    def draw(result):
        _, n, (steps, gap, bands, lines), (path, left, _) = result
        k = min(n, len(steps) - 1)
        hills.set_paths(bands)
        rims.set_segments(lines)
        walk.set_data(path[: n + 1].T)
        jump.set_data(steps[: k + 1].T)
        best.set_data(steps[-1:].T)
        now.set_data(*np.transpose([path[n], steps[k]]))
        ahead.set_data(np.arange(STEPS + 1), left[: STEPS + 1])
        slow.set_data(np.arange(n + 1), left[: n + 1])
        fast.set_data(np.arange(k + 1), gap[: k + 1])
        dots.set_data([n, k], np.clip([left[n], gap[k]], FLOOR, 1e3))

    def describe(result):
        rate, n, (steps, gap, *_), (path, left, limit) = result
        k = min(n, len(steps) - 1)
        words = f"After {count(n, 'step')} the gap is **{_tiny(left[n])}** for gradient descent and "
        words += f"**{_tiny(gap[k])}** for IRLS. To 10⁻⁸ IRLS takes **{count(_arrival(gap), 'step')}**, gradient "
        words += "descent "
        there = _arrival(left)
        if there is not None:
            words += f"**{count(there, 'step')}**."
        elif left[-100:].max() > 0.01 and rate > limit:
            words += f"**never arrives**: η = {rate:.2g} is too large, and it jumps to and fro."
        else:
            words += f"**more than {MOST}**: then the gap is still {_tiny(left[-1])}."
        words += f" Below η = 2/L = {limit:.2g} its loss falls in every step."
        outside = not (-5 <= path[n, 0] <= 2.5 and -0.8 <= path[n, 1] <= 2.6)
        return words + " It is **outside the picture** now." * outside

    return Explorer(
        figure=figure,
        moving=[hills, rims, walk, jump, best, now, ahead, slow, fast, dots],
        controls={
            "rate": log_slider("learning rate η", 0.1, 0.01, 3.0, per_decade=10),
            "shift": slider("mean of x", 1.5, 0.0, 2.25, 0.25),
            "n": whole("step n", 10, 0, STEPS),
        },
        compute=compute,
        draw=draw,
        describe=describe,
        caption="Figure 8.7: logistic regression on eight points, from w = b = 0. IRLS (squares, dashed) takes the "
        "same few steps wherever the data lie; gradient descent (dots, solid) follows the gradient and needs a valley "
        "that is round and a learning rate that fits it.",
        play="n",
        interval=250,
    )


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


# --- Separable classes ---------------------------------------------------------------------------------------------

PENALTIES = np.logspace(-6, 2, 17)
LINE = np.linspace(-6, 6, 241)
MOST_W = 50


@explorer
def separation_penalty():
    """Pull two classes apart and lower the penalty: the sigmoid turns into a step and its weight grows without end."""
    rng = np.random.default_rng(8)
    noise, t = rng.normal(size=16), np.repeat([0, 1], 8)
    fresh, t_fresh = rng.normal(size=1000), np.repeat([0, 1], 500)
    ends = noise[:8].max(), noise[8:].min()

    def place(z, t, gap):  # the nearest training points of the two classes are ``gap`` apart
        return (z - np.where(t == 0, ends[0] + gap / 2, ends[1] - gap / 2))[:, None]

    @functools.lru_cache(64)
    def sweep(gap):
        fits = [fit(gap, lam) for lam in PENALTIES]
        ml = fit(gap, 0.0)[0] if gap < 0 else None
        return np.array([abs(m.w_[0]) for m, _ in fits]), np.array([loss for _, loss in fits]), ml

    def fit(gap, lam):
        model = LogisticRegression(lam, tol=1e-10).fit(place(noise, t, gap), t)
        return model, logistic_loss(place(fresh, t_fresh, gap), t_fresh, model.w_, model.b_) / len(t_fresh)

    figure, (data, norm, cost) = plots.tall_and_two(size=(9.6, 5.0), widths=(1.25, 1))
    data.set(xlim=(-6, 6), ylim=(-0.12, 1.12), xlabel="x", ylabel="p(t = 1 | x)", title="The fitted sigmoid")
    stripe = data.axvspan(0, 1, color=BAND, lw=0, zorder=0.4, label="gap")
    (curve,) = data.plot([], [], color=plots.INK, zorder=2, label="sigmoid")
    style = [(plots.BLUE, "o"), (plots.ORANGE, "s")]
    dots = [
        data.plot([], [], m, ms=9, mfc="white", mec=c, mew=1.8, zorder=3, label=f"class {k}")[0]
        for k, (c, m) in enumerate(style)
    ]
    norm.set(xscale="log", xlim=(1e-6, 100), ylim=(0, MOST_W), ylabel="|w|", title="Size of the weight")
    (sizes,) = norm.plot([], [], color=plots.PURPLE, zorder=2)
    (bound,) = norm.plot([], [], ":", color=plots.INK, lw=1.6, zorder=1, label="|w| at λ = 0")
    (at,) = norm.plot([1], [1], "D", ms=8, mfc="white", mec=plots.INK, mew=2, zorder=4, clip_on=False)
    cost.set(xscale="log", xlim=(1e-6, 100), ylim=(0, 2), xlabel="penalty λ", ylabel="log loss", title="On new points")
    (losses,) = cost.plot([], [], color=plots.ORANGE, zorder=2)
    (least,) = cost.plot(
        [1], [1], "*", ms=15, mfc=plots.YELLOW, mec=plots.INK, zorder=3, label="best λ", ls="", clip_on=False
    )
    (here,) = cost.plot([1], [1], "D", ms=8, mfc="white", mec=plots.INK, mew=2, zorder=4, clip_on=False)
    for ax in (norm, cost):
        ax.xaxis.set_major_locator(FixedLocator([1e-6, 1e-4, 1e-2, 1, 100]))
        ax.xaxis.set_minor_locator(NullLocator())
    figure.legend(handles=plots.entries(data, norm, cost), **CLOSE)

    def compute(lam, gap):
        gap = round(gap, 1)
        return lam, gap, *fit(gap, lam), sweep(gap)

    def draw(result):
        lam, gap, model, loss, (norms, curve_of_losses, ml) = result
        x = place(noise, t, gap)[:, 0]
        for k, dot in enumerate(dots):
            dot.set_data(x[t == k], t[t == k])
        stripe.set_xy((-gap / 2, 0))
        stripe.set_width(max(gap, 0))
        curve.set_data(LINE, model.predict_proba(LINE[:, None])[:, 1])
        sizes.set_data(PENALTIES, norms)
        bound.set_data([1e-6, 100] if ml else [], [abs(ml.w_[0])] * 2 if ml else [])
        at.set_data([lam], [min(abs(model.w_[0]), MOST_W)])
        losses.set_data(PENALTIES, np.minimum(curve_of_losses, 50))
        k = int(np.argmin(curve_of_losses))
        least.set_data([PENALTIES[k]], [curve_of_losses[k]])
        here.set_data([lam], [min(loss, 2)])

    def describe(result):
        lam, gap, model, loss, (_, curve_of_losses, ml) = result
        size, off = abs(model.w_[0]), []
        off = [name for name, out in (("|w|", size > MOST_W), ("the log loss", loss > 2)) if out]
        note = f" Off its scale, at the rim: {' and '.join(off)}." if off else ""
        best = PENALTIES[int(np.argmin(curve_of_losses))]
        words = f"λ = {lam:.3g} gives |w| = **{size:.3g}** and a log loss of **{loss:.3f}** on new points "
        words += f"(least {curve_of_losses.min():.3f} at λ = {best:.3g}). "
        if ml is not None:
            return words + f"The classes **overlap**: at λ = 0 |w| ends at **{abs(ml.w_[0]):.3g}**." + note
        more = abs(fit(gap, lam / 10)[0].w_[0])
        words += f"The training points are **separable**, {gap:.1f} apart" if gap else "Only **two points meet**"
        return words + f": a tenth of λ would make |w| **{more:.3g}**, and so on **without end**." + note

    return Explorer(
        figure=figure,
        moving=[stripe, curve, *dots, sizes, bound, at, losses, least, here],
        controls={
            "lam": log_slider("penalty λ", 0.01, 1e-6, 100, per_decade=5),
            "gap": slider("gap between classes", 0.5, -2.0, 2.0, 0.1, digits=1),
        },
        compute=compute,
        draw=draw,
        describe=describe,
        caption="Figure 8.8: sixteen points and the sigmoid fitted with penalty λ. Where a gap separates the classes, "
        "|w| grows without end as λ falls, the sigmoid becomes a step, and the log loss on 1000 new points of the "
        "same kind rises; where they overlap it levels off.",
    )


# --- Softmax -------------------------------------------------------------------------------------------------------


@explorer
def softmax_regions():
    """Change the penalty and move a point through the regions of three classes: its scores and probabilities."""
    flowers = iris()
    X, y, names = flowers.X[:, 2:], flowers.y, [str(n) for n in flowers.target_names]
    fits = functools.lru_cache(128)(lambda lam: _softmax_map(SoftmaxRegression(lam).fit(X, y)))
    figure, (plane, score, prob) = plots.tall_and_two(size=(9.6, 5.0), widths=(1.5, 1))
    plane.set(xlim=(0.5, 7.5), ylim=(-0.2, 3.0), xlabel="petal length $x_1$ (cm)", ylabel="petal width $x_2$ (cm)")
    plane.set_title("Regions of probability")
    look = {"facecolors": TINTS, "edgecolors": "none", "antialiaseds": False}
    shade = plane.add_collection(PathCollection([], zorder=0.4, **look))
    borders = plane.add_collection(LineCollection([], colors=plots.INK, lw=2.2, zorder=1, label="border"))
    sure = plane.add_collection(LineCollection([], colors=plots.INK, lw=1.3, ls="--", zorder=1, label="p = 0.9"))
    plots.plot_classes(X, y, ax=plane, names=names, size=26)
    (point,) = plane.plot([0], [0], "*", ms=19, mfc=plots.YELLOW, mec=plots.INK, zorder=5, label="x", ls="")
    score.set(xlim=(-12, 12), xlabel="score $a_k = w_k\\cdot x + b_k$", title="Scores at x")
    score.axvline(0, color=plots.GREY, lw=1)
    prob.set(xlim=(0, 1), xlabel="$p_k = e^{a_k} / \\,\\Sigma_j\\, e^{a_j}$", title="Probabilities at x")
    rods = [ax.barh(names, [0] * 3, color=plots.CLASS_COLORS[:3], height=0.55) for ax in (score, prob)]
    for ax in (score, prob):
        ax.invert_yaxis()
        ax.tick_params(axis="y", length=0)
    shares = [prob.text(0, k, "", va="center", fontsize=12, zorder=4) for k in range(3)]
    figure.legend(handles=plots.entries(plane), **CLOSE)

    def compute(lam, x1, x2):
        model, regions = fits(lam)
        x = np.array([[x1, x2]])
        return model, regions, x[0], model.decision_function(x)[0], model.predict_proba(x)[0]

    def draw(result):
        _, (bands, lines, rims), x, a, p = result
        shade.set_paths(bands)
        borders.set_segments(lines)
        sure.set_segments(rims)
        point.set_data(x[:1], x[1:])
        for rod, value in zip(rods[0], np.clip(a, -12, 12)):
            rod.set_width(value)
        for rod, share, value in zip(rods[1], shares, p):
            rod.set_width(value)
            share.set(
                x=value + 0.02 if value < 0.8 else 0.02,
                text=f"{value:.3f}",
                color="white" if value >= 0.8 else plots.INK,
            )

    def describe(result):
        model, _, x, a, p = result
        k = int(np.argmax(p))
        chances = ", ".join(f"{name} **{share:.3f}**" for name, share in zip(names, p))
        words = f"At x = ({x[0]:.1f}, {plain(x[1])}): {chances}; so **{names[k]}**. Scores "
        words += ", ".join(plain(v, ".1f") for v in a) + ". " + "A bar is cut at the rim. " * bool(abs(a).max() > 12)
        wrong = int((model.predict(X) != y).sum())
        words += f"With λ = {model.lam:.4g} the weights have ‖W‖ = **{np.linalg.norm(model.W_):.2f}** and "
        return words + f"**{wrong}** of 150 flowers are misclassified."

    return Explorer(
        figure=figure,
        moving=[shade, borders, sure, point, *rods[0], *rods[1], *shares],
        controls={
            "lam": log_slider("penalty λ", 1.0, 1e-4, 1000, per_decade=4),
            "x1": slider("petal length x₁", 4.9, 0.6, 7.4, 0.1, digits=1),
            "x2": slider("petal width x₂", 1.6, -0.1, 2.9, 0.1, digits=1),
        },
        compute=compute,
        draw=draw,
        describe=describe,
        caption="Figure 8.9: softmax regression on the petals of 150 irises. A class colours the places where its "
        "probability is above 0.5, darker from 0.7 and again from 0.9 (dashed); in white none reaches a half. "
        "The borders are straight. Right, the scores at the star and the probabilities that softmax makes of them.",
    )


def _softmax_map(model):
    """Return the model and what to draw of it: the bands of each probability, the borders, the lines p = 0.9."""
    x1, x2 = np.linspace(0.5, 7.5, 71), np.linspace(-0.2, 3.0, 65)
    grid = np.stack(np.meshgrid(x1, x2), axis=-1).reshape(-1, 2)
    A, P = (f(grid).T.reshape(3, 65, 71) for f in (model.decision_function, model.predict_proba))
    bands, borders, rims = [], [], []
    for k in range(3):
        shares = contour_generator(x1, x2, P[k], fill_type=FillType.OuterCode, line_type=LineType.Separate)
        bands += [plots.joined(*shares.filled(low, high)) for low, high in pairwise(LEVELS)]
        rims += shares.lines(0.9)
        lead = A[k] - np.delete(A, k, axis=0).max(axis=0)
        borders += contour_generator(x1, x2, lead, line_type=LineType.Separate).lines(0.0)
    return model, (bands, borders, rims)


# --- Counts --------------------------------------------------------------------------------------------------------


@explorer
def poisson_trend():
    """Fit a trend to yearly counts with a Poisson model or with least squares, and look beyond the data."""
    record = coal_disasters()
    years, y = record.X[:, 0], record.y.astype(float)
    shown = np.arange(1852.0, 1986)
    figure, (trend, spread) = plots.canvas(2, size=(9.6, 4.7), widths=(2.1, 1))
    trend.set(xlim=(1849, 1986), ylim=(-2.2, 8), xlabel="year", ylabel="disasters a year", title="Counts and trend")
    trend.axhspan(-2.2, 0, color=plots.PALE, zorder=0.3)
    trend.text(1851, -2.05, "impossible: fewer than no disasters", fontsize=11, va="bottom", zorder=0.6)
    trend.axhline(0, color=plots.INK, lw=1, zorder=0.7)
    region = trend.add_patch(Polygon(np.zeros((3, 2)), fc="#F9E0D1", ec="none", zorder=0.4, label="mean ± 2 sd"))
    (mean,) = trend.plot([], [], color=plots.ORANGE, zorder=2, label="mean")
    (used,) = trend.plot([], [], "o", ms=5, color=plots.BLUE, zorder=3, label="used")
    (unused,) = trend.plot([], [], "o", ms=5, mfc="white", mec=plots.BLUE, zorder=3, label="kept back")
    until = trend.axvline(1961, color=plots.INK, ls="--", lw=1.4, zorder=1)
    spread.set(
        xlim=(-0.5, 5), ylim=(0, 6), xlabel="fitted mean", ylabel="mean squared miss", title="Is the spread right?"
    )
    (law,) = spread.plot([], [], color=plots.ORANGE, zorder=2, label="model’s variance")
    (groups,) = spread.plot(
        [], [], "s", ms=8, mfc="white", mec=plots.PURPLE, mew=1.8, zorder=3, label="11 years", ls=""
    )
    figure.legend(handles=plots.entries(trend, spread), **CLOSE)

    def compute(family, degree, last):
        rows = years <= last
        model = GLM({"Poisson": Poisson, "Gaussian": Gaussian}[family]()).fit(_powers(years[rows], degree), y[rows])
        return family, degree, last, rows, model, model.predict(_powers(years, degree))

    def draw(result):
        family, degree, last, rows, model, fitted = result
        mu = np.clip(model.predict(_powers(shown, degree)), -1e3, 1e3)
        sd = np.sqrt(mu if family == "Poisson" else np.full_like(mu, model.dispersion_))
        low = np.maximum(mu - 2 * sd, 0) if family == "Poisson" else mu - 2 * sd  # no count lies below zero
        region.set_xy(np.column_stack([np.append(shown, shown[::-1]), np.append(low, (mu + 2 * sd)[::-1])]))
        mean.set_data(shown, mu)
        used.set_data(years[rows], y[rows])
        unused.set_data(years[~rows], y[~rows])
        until.set_xdata([last + 0.5, last + 0.5])
        law.set_data([-1, 0, 6], [0, 0, 6] if family == "Poisson" else [model.dispersion_] * 3)
        groups.set_data(*_grouped(fitted[rows], y[rows]))

    def describe(result):
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
            words += f"**{y[~rows].mean():.2f}**. "
        mu = model.predict(_powers(shown, degree))
        below = shown[mu < 0]
        if len(below):
            return words + f"Its mean is **negative** in {len(below)} of the years shown, first in {below[0]:.0f}."
        high = " Beyond the data it **leaves the picture**." * bool(mu.max() > 8)
        low = "below 0.01" if mu.min() < 0.01 else f"{mu.min():.2f}"
        return words + f"Its lowest mean is **{low}** a year." + high

    return Explorer(
        figure=figure,
        moving=[region, mean, used, unused, until, law, groups],
        controls={
            "family": choice("model", {"Poisson, log link": "Poisson", "least squares": "Gaussian"}),
            "degree": whole("degree D of the trend", 1, 0, 4),
            "last": whole("last year used", 1961, 1885, 1961),
        },
        compute=compute,
        draw=draw,
        describe=describe,
        caption="Figure 8.11: disasters in British coal mines by year. The Poisson mean is the exponential of a "
        "polynomial: it stays positive, and its band narrows with it. Least squares has one width for all years and "
        "can fall below zero. Right, the squared misses of 11 years at a time against the variance of the model.",
    )


def _powers(years, degree):
    """Return the powers 1 to ``degree`` of the year, from −1 in 1852 to 1 in 1961; a zero column for degree 0."""
    u = (years - 1906.5) / 54.5
    return polynomial_features(u, degree)[:, 1:] if degree else np.zeros((len(u), 1))


def _grouped(fitted, y, size=11):
    """Return the mean fit and the mean squared miss of consecutive groups of years."""
    n = len(y) // size * size
    miss = (y[:n] - fitted[:n]) ** 2
    return fitted[:n].reshape(-1, size).mean(1), miss.reshape(-1, size).mean(1)


# --- Pieces --------------------------------------------------------------------------------------------------------


def _tiny(value):
    return "below 10⁻¹²" if value < 1e-12 else f"{value:.2g}"

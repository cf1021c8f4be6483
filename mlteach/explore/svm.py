"""Explorers of chapter 16: the margin by hand, the price of slack, kernels, the tube, and the steps of SMO."""

import warnings
from itertools import pairwise

import numpy as np
from contourpy import FillType, LineType, contour_generator
from matplotlib.collections import LineCollection, PathCollection, PolyCollection
from matplotlib.colors import to_rgba
from matplotlib.patches import Polygon
from matplotlib.ticker import FixedLocator

from mlteach import plots
from mlteach.datasets import blobs, moons, noisy_sine, rings
from mlteach.evaluation import rmse
from mlteach.explore.base import Explorer, choice, count, explorer, log_slider, plain, slider, whole
from mlteach.kernels import linear_kernel, polynomial_kernel, rbf_kernel
from mlteach.svm import SVC, SVR, epsilon_insensitive, geometric_margin, level
from mlteach.validation import ConvergenceWarning

STREET = "#F7F1B5"
TOUCH = 0.0105  # a point this near to the kerb touches it; a little more than the slider's step

# --- The margin by hand --------------------------------------------------------------------------------------------


@explorer
def margin_by_hand():
    """Turn and shift a line between two classes and look for the widest street."""
    data = blobs(24, [[-0.8, -1.4], [0.8, 1.4]], 0.7, rng=59)
    X, t = data.X, 2.0 * data.y - 1
    best = SVC(C=1e4, solver="interior_point").fit(X, t)

    figure, (plane, table) = plots.canvas(2, size=(9.6, 4.6), widths=(3, 2.4))
    plane.set(xlim=(-3.6, 3.6), ylim=(-3.3, 3.3), xlabel="$x_1$", ylabel="$x_2$", title="Your street", aspect="equal")
    _points(plane, X, t)
    street, pave = _street(plane, label="street")
    (touching,) = plane.plot([], [], "o", ms=15, mfc="none", mec=plots.INK, mew=1.8, zorder=4, label="nearest")
    (wrong,) = plane.plot([], [], "x", ms=13, mew=2.6, color=plots.PURPLE, zorder=5, label="wrong side")

    def every(angles, offsets):
        sides = np.stack([_normal(a) for a in angles]) @ X.T
        return np.min(t * (sides[None] - offsets[:, None, None]), axis=2)

    within_reach = every(np.linspace(-90, 45, 271), np.linspace(-1.5, 1.5, 301)).max()
    angles, offsets = np.linspace(-96, 51, 148), np.linspace(-1.6, 1.6, 129)
    table.set_facecolor(plots.PALE)
    table.contourf(angles, offsets, every(angles, offsets), np.linspace(0, best.margin_, 9), cmap="cividis")
    table.set(
        xlim=(-96, 51), ylim=(-1.6, 1.6), xlabel="angle θ (degrees)", ylabel="offset d", title="Every line is a point"
    )
    table.text(48, -1.52, "grey: does not separate", ha="right", va="bottom", fontsize=11)
    table.xaxis.set_major_locator(FixedLocator([-90, -60, -30, 0, 30]))
    angle = np.degrees(np.arctan2(-best.w_[0], best.w_[1]))
    star = {"ms": 17, "mfc": plots.YELLOW, "mec": plots.INK, "zorder": 3}
    table.plot(angle, -best.b_ * best.margin_, "*", label="widest", **star)
    (now,) = table.plot([0], [0], "D", ms=9, mfc="white", mec=plots.INK, mew=2, zorder=4, clip_on=False, label="yours")
    figure.legend(**{**plots.BELOW, "columnspacing": 1.2, "handlelength": 1.5})

    def compute(angle, offset):
        w, b = _normal(angle), -offset
        return angle, w, b, geometric_margin(X, t, w, b)

    def draw(result):
        angle, w, b, margins = result
        least = margins.min()
        pave(w, b, max(least, 0.0))
        touching.set_data(X[margins < least + TOUCH].T if least > 0 else np.empty((2, 0)))
        wrong.set_data(X[margins <= 0].T)
        now.set_data([angle], [-b])

    def describe(result):
        *_, margins = result
        least, top = margins.min(), best.margin_
        if least <= 0:
            words = f"This line **does not separate** the classes: **{count((margins <= 0).sum(), 'point')}** "
            return words + f"on the wrong side, so there is no street. The best possible margin is {top:.3f}."
        words = f"Margin now **{least:.3f}** (street width {2 * least:.3f}), best possible margin **{top:.3f}**. "
        near = margins < least + TOUCH
        below, above = int((near & (t < 0)).sum()), int((near & (t > 0)).sum())
        held = f"**{count(below + above, 'point')}**, {above} of class +1 and {below} of class −1,"
        if least > within_reach - 1e-9:
            return words + f"This is **the widest street**, as near as the sliders go: {held} hold it."
        if below and above:
            return words + f"{held} touch it: **turn** the line."
        side = "+1" if above else "−1"
        touch = count(below + above, "point") + (" touches" if below + above == 1 else " touch")
        return words + f"Only class {side} stops it (**{touch}**): **shift** the line away from that class."

    return Explorer(
        figure=figure,
        moving=[*street, touching, wrong, now],
        controls={
            "angle": slider("angle θ in degrees", 0.0, -90, 45, 0.5, digits=1),
            "offset": slider("offset d", 0.2, -1.5, 1.5, 0.01),
        },
        compute=compute,
        draw=draw,
        describe=describe,
        caption="Figure 16.2: a line between two classes and the widest street that it allows, with its kerbs dashed; "
        "rings mark the points that stop it. Right, the margin (half the street) of every line by its angle and its "
        "offset, the distance from the origin; brighter is wider.",
    )


def _normal(angle):
    """Return the unit vector to the left of a line that rises by ``angle`` degrees."""
    return np.array([-np.sin(np.radians(angle)), np.cos(np.radians(angle))])


# --- The price of slack --------------------------------------------------------------------------------------------

PRICES = np.logspace(-2, 3, 51)


@explorer
def soft_margin():
    """Change the price C of slack and watch street, support vectors and errors."""
    train = blobs(60, [[-0.9, -0.8], [0.9, 0.8]], 0.95, rng=39)
    test = blobs(4000, [[-0.9, -0.8], [0.9, 0.8]], 0.95, rng=100)
    X, t, t_test = train.X, 2.0 * train.y - 1, 2.0 * test.y - 1

    def fit(C):
        return SVC(C=C, solver="interior_point").fit(X, t)

    def error(model, X, t):
        return 100 * np.mean(model.predict(X) != t)

    models = [fit(C) for C in PRICES]
    figure, (plane, costs) = plots.canvas(2, size=(9.6, 4.6), widths=(3, 2))
    plane.set(
        xlim=(-3.7, 3.7), ylim=(-3.1, 3.1), xlabel="$x_1$", ylabel="$x_2$", title="The street between the classes"
    )
    fill = _points(plane, X, t)
    _filled(plane)
    street, pave = _street(plane, label="street")
    slack = plane.add_collection(LineCollection([], colors=plots.GREY, lw=1.5, zorder=2, label="slack"))
    costs.set(
        xscale="log", xlim=(PRICES[0], PRICES[-1]), xlabel="price of slack C", ylabel="error (%)", title="What it costs"
    )
    plots.ticks(costs.xaxis, [0.01, 0.1, 1, 10, 100, 1000])
    curves = [[error(m, X, t) for m in models], [error(m, test.X, t_test) for m in models]]
    costs.plot(PRICES, curves[0], color=plots.BLUE, ls="--", lw=1.8, label="training error")
    costs.plot(PRICES, curves[1], color=plots.ORANGE, label="test error")
    costs.set_ylim(0, 1.15 * np.max(curves))
    costs.legend(loc="lower right", fontsize=11)
    here = costs.axvline(1, color=plots.PALE, lw=7, zorder=0.5)
    now = costs.scatter(
        [1, 1], [1, 1], s=95, c=[plots.BLUE, plots.ORANGE], edgecolors=plots.INK, zorder=4, clip_on=False
    )
    figure.legend(handles=plots.entries(plane), **plots.BELOW)

    def compute(C):
        model = fit(C)
        return model, error(model, X, t), error(model, test.X, t_test)

    def draw(result):
        model, on_train, on_test = result
        pave(model.w_, model.b_, model.margin_)
        fill(model.alpha_ > 0)
        out = model.slack_ > 1e-6
        ends = X[out] + (t[out] * model.slack_[out] * model.margin_**2)[:, None] * model.w_
        slack.set_segments(np.stack([X[out], ends], axis=1))
        here.set_xdata([model.C, model.C])
        now.set_offsets([[model.C, on_train], [model.C, on_test]])

    def describe(result):
        model, on_train, on_test = result
        n, bound = len(model.support_), int((model.alpha_ == model.C).sum())
        words = (
            f"Margin **{model.margin_:.2f}** (street width {2 * model.margin_:.2f}) · **{n}** support vectors, "
            f"{bound} of them at the bound α = C · "
        )
        return words + f"training error **{on_train:.1f} %** · test error **{on_test:.1f} %**."

    return Explorer(
        figure=figure,
        moving=[*street, *fill.artists, slack, here, now],
        controls={"C": log_slider("price of slack C", 1.0, 0.01, 1000, per_decade=10)},
        compute=compute,
        draw=draw,
        describe=describe,
        caption="Figure 16.5: the street (shaded) between its kerbs (dashed). Filled points are support vectors; grey "
        "lines show how far each violator is from its kerb. Right, the errors on 60 training points (one is 1.7 %) "
        "and on 4000 test points.",
    )


# --- Kernels -------------------------------------------------------------------------------------------------------

BANDS = {-1.7: "#8DBFDC", -1: "#B5D6E8", -0.5: "#DCECF5", 0: "#FAE6D8", 0.5: "#F3CBAE", 1: "#E9AE82", 1.7: None}


@explorer
def kernel_width():
    """Choose a kernel, its width and the price of slack, and see which boundaries they can draw."""
    sets = {
        "moons": (moons(120, noise=0.22, rng=2), moons(1000, noise=0.22, rng=3)),
        "rings": (rings(120, 0.2, (0.45, 1.2), rng=2), rings(1000, 0.2, (0.45, 1.2), rng=3)),
    }
    shift = {"moons": np.zeros(2), "rings": np.array([0.5, 0.25])}
    figure, (plane, bars) = plots.canvas(2, size=(9.6, 4.5), widths=(3, 1.35))
    plane.set(xlim=(-1.8, 2.8), ylim=(-1.5, 2.0), xlabel="$x_1$", ylabel="$x_2$", title="Regions and kerbs")
    x1, x2 = np.linspace(-1.8, 2.8, 64), np.linspace(-1.5, 2.0, 48)
    grid = np.stack(np.meshgrid(x1, x2), axis=-1).reshape(-1, 2)
    regions = plane.add_collection(
        PathCollection([], facecolors=list(BANDS.values())[:-1], edgecolors="none", antialiaseds=False, zorder=0.5)
    )
    boundary = plane.add_collection(LineCollection([], colors=plots.INK, lw=2.4, zorder=2, label="boundary"))
    margins = plane.add_collection(LineCollection([], colors=plots.INK, lw=1.3, ls="--", zorder=2, label="kerbs"))
    fill = _points(plane, sets["moons"][0].X, 2.0 * sets["moons"][0].y - 1, size=36)
    _filled(plane)
    names = ["support\nvectors", "training\nerror", "test\nerror"]
    bars.set(xlim=(0, 100), xlabel="per cent of the points", title="What it costs")
    rods = bars.barh(names, [0, 0, 0], color=[plots.GREY, plots.BLUE, plots.ORANGE], height=0.55, hatch=["", "//", ""])
    for rod in rods:
        rod.set_edgecolor("white")
    bars.invert_yaxis()
    bars.tick_params(axis="y", length=0)
    figure.legend(**plots.BELOW)

    def compute(kernel, beta, C, data):
        kernels = {"linear": linear_kernel, "RBF": rbf_kernel(beta)}
        train, test = sets[data]
        t, t_test = 2.0 * train.y - 1, 2.0 * test.y - 1
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model = SVC(C, kernels.get(kernel) or polynomial_kernel(3, beta), solver="interior_point")
            model.fit(train.X + shift[data], t)
        height = model.decision_function(grid).reshape(48, 64)
        on_train = 100 * np.mean(model.predict(train.X + shift[data]) != t)
        on_test = 100 * np.mean(model.predict(test.X + shift[data]) != t_test)
        return kernel, train.X + shift[data], model, height, on_train, on_test

    def draw(result):
        _, X, model, height, on_train, on_test = result
        clipped = np.clip(height, -1.69, 1.69)
        bands = contour_generator(x1, x2, clipped, fill_type=FillType.OuterCode)
        regions.set_paths([plots.joined(*bands.filled(low, high)) for low, high in pairwise(BANDS)])
        lines = contour_generator(x1, x2, height, line_type=LineType.Separate).lines
        boundary.set_segments(lines(0.0))
        margins.set_segments([] if _specks(model.kernel) else lines(-1.0) + lines(1.0))
        fill.move(X)
        fill(model.alpha_ > 0)
        for rod, percent in zip(rods, (100 * len(model.support_) / len(X), on_train, on_test)):
            rod.set_width(percent)

    def describe(result):
        kernel, X, model, height, on_train, on_test = result
        words = (
            f"**{len(model.support_)}** of {len(X)} points are support vectors; training error **{on_train:.1f} %**, "
        )
        words += f"test error **{on_test:.1f} %**. "
        if kernel == "linear":
            words += "The linear kernel has no width: β plays no part."
        elif kernel == "RBF":
            words += f"A point is felt over a distance of about **{(2 * model.kernel.beta) ** -0.5:.2g}**."
            words += " The kerbs are specks around single points and not drawn." * _specks(model.kernel)
        else:
            words += "The kernel is (β x·x′ + 1)³: cubic boundaries; a small β makes them stiff."
        if height.min() > 0 or height.max() < 0:
            words += " **One class has the whole picture.**"
        return words

    return Explorer(
        figure=figure,
        moving=[regions, boundary, margins, *fill.artists, *rods],
        controls={
            "kernel": choice("kernel k", ["linear", "polynomial", "RBF"], "RBF"),
            "beta": log_slider("inverse width β", 1.0, 0.01, 100, per_decade=10),
            "C": log_slider("price of slack C", 1.0, 0.01, 1000, per_decade=10),
            "data": choice("data", ["moons", "rings"]),
        },
        compute=compute,
        draw=draw,
        describe=describe,
        caption="Figure 16.8: the decision function as colour, its boundary (solid) and kerbs (dashed); filled "
        "points are support vectors. A wide kernel is stiff, a narrow one clings to single points.",
    )


def _specks(kernel):
    """Say whether a Gaussian is too narrow for the grid to show where it reaches one."""
    return isinstance(kernel, rbf_kernel) and kernel.beta > 40


# --- The tube ------------------------------------------------------------------------------------------------------


@explorer
def svr_tube():
    """Widen the tube of support vector regression and see which points still count."""
    train, test = noisy_sine(40, noise=0.25, rng=4), noisy_sine(1000, noise=0.25, grid=False, rng=5)
    x, t = train.X[:, 0], train.y
    line = np.linspace(0, 1, 201)
    figure, (plane, loss) = plots.canvas(2, size=(9.6, 4.5), widths=(3, 2))
    plane.set(xlim=(-0.02, 1.02), ylim=(-2, 2), xlabel="x", ylabel="t", title="The function and its tube")
    tube = plane.add_collection(PolyCollection([], facecolor=STREET, edgecolor=plots.INK, ls="--", label="tube"))
    tube.set_zorder(0.5)
    plane.plot(line, np.sin(2 * np.pi * line), ":", color=plots.GREEN, lw=1.8, zorder=1, label="sine")
    (curve,) = plane.plot([], [], color=plots.INK, zorder=2, label="fit")
    slack = plane.add_collection(LineCollection([], colors=plots.ORANGE, lw=1.5, zorder=1.5, label="slack"))
    points = plane.scatter(x, t, s=44, edgecolors=plots.BLUE, linewidths=1.6, zorder=3)
    plane.scatter([], [], s=44, fc="white", ec=plots.BLUE, linewidths=1.6, label="data")
    _filled(plane, color=plots.BLUE)
    residuals = np.linspace(-1.6, 1.6, 161)
    loss.set(xlim=(-1.6, 1.6), ylim=(-0.06, 1.65), xlabel="residual t − y(x)", ylabel="loss", title="What a miss costs")
    zone = loss.axvspan(-1, 1, color=STREET, zorder=0.5)
    (hinge,) = loss.plot([], [], color=plots.INK, zorder=2)
    marks = loss.scatter(np.zeros(40), np.zeros(40), s=44, edgecolors=plots.BLUE, linewidths=1.6, zorder=3)
    figure.legend(**plots.BELOW)

    def compute(epsilon, C, beta):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model = SVR(C, epsilon, rbf_kernel(beta), solver="interior_point").fit(train.X, t)
        return model, model.predict(line[:, None]), model.predict(train.X), rmse(test.y, model.predict(test.X))

    def draw(result):
        model, y, fitted, _ = result
        e = model.epsilon
        tube.set_verts([np.column_stack([np.append(line, line[::-1]), np.append(y + e, (y - e)[::-1])])])
        curve.set_data(line, y)
        edge = fitted + np.sign(t - fitted) * e
        out = model.slack_ > 1e-6
        slack.set_segments([[(a, b), (a, c)] for a, b, c in zip(x[out], t[out], edge[out])])
        zone.set_x(-e)
        zone.set_width(2 * e)
        hinge.set_data(residuals, epsilon_insensitive(residuals, e))
        marks.set_offsets(np.column_stack([t - fitted, epsilon_insensitive(t - fitted, e)]))
        for artist in (points, marks):
            artist.set_facecolor(np.where((model.alpha_ != 0)[:, None], to_rgba(plots.BLUE), to_rgba("white")))

    def describe(result):
        model, _, fitted, on_test = result
        n, inside = len(model.support_), int((model.slack_ <= 1e-6).sum())
        words = f"**{count(n, 'support vector')}** of 40 points; **{inside}** in the tube or on its edge. "
        words += f"Training RMS **{rmse(t, fitted):.3f}**, test RMS **{on_test:.3f}** (the noise has 0.25)."
        return words + " **A constant** fits into the tube: nothing is flatter." * bool(np.ptp(t) <= 2 * model.epsilon)

    return Explorer(
        figure=figure,
        moving=[tube, curve, slack, points, zone, hinge, marks],
        controls={
            "epsilon": slider("tube ε", 0.25, 0.0, 1.5, 0.05),
            "C": log_slider("price of slack C", 10.0, 0.01, 1000, per_decade=10),
            "beta": log_slider("inverse width β", 10.0, 1, 1000, per_decade=10),
        },
        compute=compute,
        draw=draw,
        describe=describe,
        caption="Figure 16.12: support vector regression. Misses inside the tube (shaded) cost nothing; filled points, "
        "on the edge or outside, are the support vectors. Right, what each miss costs.",
    )


# --- SMO -----------------------------------------------------------------------------------------------------------

STEPS = 60


@explorer
def smo_steps():
    """Step through SMO: two multipliers at a time, each pair solved inside its box."""
    data = blobs(20, [[-0.9, -0.7], [0.9, 0.7]], 0.9, rng=27)
    X, t = data.X, 2.0 * data.y - 1
    runs = {C: _SMORun(X, t, C) for C in (0.1, 1.0, 10.0)}
    figure, (plane, box, climb) = plots.canvas(3, size=(9.6, 4.2), widths=(3.2, 2.9, 2.4))
    plane.set(xlim=(-3.2, 3.2), ylim=(-2.9, 2.9), xlabel="$x_1$", ylabel="$x_2$", title="Data and line")
    fill = _points(plane, X, t)
    _filled(plane, "α > 0")
    street, pave = _street(plane, label="street")
    (chosen,) = plane.plot([], [], "o", ms=19, mfc="none", mec=plots.PURPLE, mew=2.2, zorder=4, label="pair i, j")
    beside = {"i": {"ha": "left", "va": "bottom"}, "j": {"ha": "right", "va": "top"}}
    name = {"color": plots.PURPLE, "weight": "bold", "fontsize": 15, "zorder": 5}
    tags = [plane.text(0, 0, tag, **name, **place) for tag, place in beside.items()]
    box.set(
        xlim=(-0.5, 1.5),
        ylim=(-0.5, 1.5),
        xlabel="$\\alpha_i\\,/\\,C$",
        ylabel="$\\alpha_j\\,/\\,C$",
        title="Their box",
    )
    box.add_patch(Polygon([(0, 0), (1, 0), (1, 1), (0, 1)], fc="#F2F3F5", ec=plots.INK, lw=1.4, zorder=0.5))
    box.set_aspect("equal")
    box.set_anchor("N")
    for axis in (box.xaxis, box.yaxis):
        axis.set_major_locator(FixedLocator([0, 0.5, 1]))
    (track,) = box.plot([], [], ":", color=plots.GREY, lw=1.6, zorder=1)
    (segment,) = box.plot([], [], color=plots.GREEN, lw=3, zorder=2, label="allowed")
    (free,) = box.plot([], [], "x", ms=11, mew=2.6, color=plots.PURPLE, zorder=5, label="unclipped")
    (old,) = box.plot([], [], "o", ms=10, mfc="white", mec=plots.INK, mew=2, zorder=3, label="old")
    (new,) = box.plot([], [], "D", ms=7, color=plots.ORANGE, mec=plots.INK, zorder=4, label="new")
    climb.set(xlim=(0, STEPS), ylim=(0, 1.05), xlabel="step k", ylabel="share of its maximum", title="The climb")
    (ahead,) = climb.plot([], [], color="#C9CDD4", zorder=1)
    (done,) = climb.plot([], [], color=plots.ORANGE, zorder=2, label="objective")
    (left,) = climb.plot([], [], "--", color=plots.BLUE, lw=1.8, zorder=1.5, label="gap m − M")
    climb.legend(loc="center right", fontsize=11, handlelength=1.6)
    (now,) = climb.plot([0], [0.5], "D", ms=9, color=plots.ORANGE, mec=plots.INK, zorder=3, clip_on=False)
    figure.legend(
        handles=plots.entries(plane, box),
        **{**plots.BELOW, "ncols": 9, "columnspacing": 0.9, "handlelength": 1.3, "fontsize": 11},
    )

    def compute(C, k):
        run = runs[C]
        return run, k, min(k, run.last)

    def draw(result):
        run, _, k = result
        alpha, w, b = run.states[k]
        size = float(np.linalg.norm(w))
        pave(w, b, 1 / size if size > 0 else 0.0)
        fill(alpha > 0, 40 + 150 * alpha / run.C)
        pair = run.pairs[k]
        chosen.set_data(X[[pair.i, pair.j]].T if pair else np.empty((2, 0)))
        for tag, n, shift in zip(tags, (pair.i, pair.j) if pair else (None, None), (0.25, -0.25)):
            tag.set_visible(pair is not None)
            if pair:
                tag.set_position(X[n] + shift)
        for artist, points in zip((track, segment, free, old, new), pair.lines if pair else [np.empty((0, 2))] * 5):
            artist.set_data(points.T)
        ahead.set_data(np.arange(run.last + 1), run.heights)
        done.set_data(np.arange(k + 1), run.heights[: k + 1])
        left.set_data(np.arange(k + 1), run.gaps[: k + 1])
        now.set_data([k], [run.heights[k]])

    def describe(result):
        run, asked, k = result
        step = run.history[k]
        if k == 0:
            words = "At the start all multipliers are **0**, so there is no line yet. "
        else:
            words = f"Step **{k}** moves αᵢ of point {step.i} to **{step.alpha_i:.3g}** and αⱼ of point {step.j} to "
            words += f"**{step.alpha_j:.3g}**, of at most C = {run.C:g}. "
            clipped = not step.low <= step.unclipped <= step.high
            words += f"Unclipped, αⱼ would be {plain(step.unclipped, '.3g')}: "
            words += "the box **clips** it. " if clipped else "inside the box. "
        gap = f"{step.gap:.3f}" if step.gap >= 0.001 else "below 0.001"
        words += f"Dual objective **{step.objective:.4g}**, KKT gap **{gap}**."
        return words + f" The run **ends** at step {run.last}: the gap is below its tolerance." * (asked >= run.last)

    return Explorer(
        figure=figure,
        moving=[*street, *fill.artists, chosen, *tags, track, segment, free, old, new, ahead, left, done, now],
        controls={
            "C": choice("price of slack C", [0.1, 1.0, 10.0], 1.0),
            "k": whole("step k", 4, 0, STEPS),
        },
        compute=compute,
        draw=draw,
        describe=describe,
        caption="Figure 16.10: SMO from zero. Left, larger points have larger multipliers α, hollow ones zero; middle, "
        "the ringed pair moves along its line to the top of the objective or to the edge of the box; right, the "
        "dual objective (solid) and the KKT gap (dashed), each as a share of its largest value.",
        play="k",
        interval=500,
    )


class _Pair:
    """The pair of one step, and what to draw of it in the box in units of C."""

    def __init__(self, step, before, t, C):
        self.i, self.j = step.i, step.j
        old, s = before[[step.i, step.j]] / C, t[step.i] * t[step.j]

        def at(a_j):  # the point of the line t_i a_i + t_j a_j = const
            return np.array([[old[0] + s * (old[1] - a_j), a_j]])

        # The unclipped optimum can be far away: draw it where the line leaves the picture.
        low, high = (max(-0.4, old[1] + s * old[0] - s * edge) for edge in ((1.4, -0.4) if s > 0 else (-0.4, 1.4)))
        low, high = min(low, high), min(max(low, high), 1.4)
        free = np.clip(step.unclipped / C, low, high)
        segment = np.vstack([at(step.low / C), at(step.high / C)])
        self.lines = [np.vstack([at(low), at(high)]), segment, at(free), at(old[1]), at(step.alpha_j / C)]


class _SMORun:
    """A run of SMO with everything that is drawn of it."""

    def __init__(self, X, t, C):
        model = SVC(C=C).fit(X, t, alpha=np.zeros(len(t)))
        self.C, self.history, self.last = C, model.history_, min(model.n_iter_, STEPS)
        self.heights = np.array([step.objective for step in self.history[: self.last + 1]]) / model.dual_objective_
        gaps = np.array([step.gap for step in self.history[: self.last + 1]])
        self.gaps = np.maximum(gaps, 0) / gaps.max()
        self.states, self.pairs = [], [None]
        for k in range(self.last + 1):
            alpha = model.alpha_at(k)
            w = (alpha * t) @ X
            self.states.append((alpha, w, level(t - X @ w, alpha, t, C)))
            if k:
                self.pairs.append(_Pair(self.history[k], self.states[k - 1][0], t, C))


# --- Pieces --------------------------------------------------------------------------------------------------------


def _points(ax, X, t, size=46):
    """Scatter two classes; return a function that fills some of the points, and can move them or change their size."""
    colors, markers = (plots.BLUE, plots.ORANGE), "os"
    clouds = [
        ax.scatter(*X[t == sign].T, s=size, marker=m, facecolors="white", edgecolors=c, lw=1.6, zorder=3, label=label)
        for sign, c, m, label in zip((-1, 1), colors, markers, ("class −1", "class +1"))
    ]
    white = np.array(to_rgba("white"))

    def fill(filled, sizes=None):
        for cloud, sign, color in zip(clouds, (-1, 1), colors):
            mine = t == sign
            cloud.set_facecolor(np.where(filled[mine][:, None], to_rgba(color), white))
            if sizes is not None:
                cloud.set_sizes(sizes[mine])

    def move(X):
        for cloud, sign in zip(clouds, (-1, 1)):
            cloud.set_offsets(X[t == sign])

    fill.artists, fill.move = clouds, move
    return fill


def _filled(ax, label="support vector", color=plots.INK):
    """Add a legend entry for filled points."""
    ax.scatter([], [], s=46, color=color, label=label)


def _street(ax, label):
    """Prepare a line with the street beside it; return the artists and the function that lays them."""
    band = ax.add_patch(Polygon(np.zeros((4, 2)), fc=STREET, ec="none", zorder=0.5, label=label))
    edges = ax.add_collection(LineCollection([], colors=plots.INK, lw=1.3, ls="--", zorder=1))
    (middle,) = ax.plot([], [], color=plots.INK, lw=2.4, zorder=1.5)

    def pave(w, b, half):
        size = float(np.linalg.norm(w))
        if size == 0:
            band.set_xy(np.zeros((4, 2)))
            edges.set_segments([])
            middle.set_data([], [])
            return
        across, foot = w / size, -b * w / size**2
        along = 30 * np.array([-across[1], across[0]])
        sides = [foot + half * across, foot - half * across]
        band.set_xy([sides[0] - along, sides[0] + along, sides[1] + along, sides[1] - along])
        edges.set_segments([[side - along, side + along] for side in sides] if half > 0 else [])
        middle.set_data(*np.transpose([foot - along, foot + along]))

    return [band, edges, middle], pave

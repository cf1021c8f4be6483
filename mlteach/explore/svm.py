"""Explorers of chapter 16: the margin by hand, the price of slack, kernels, the steps of SMO, and the tube."""

import warnings
from itertools import pairwise

import numpy as np
from contourpy import FillType, LineType, contour_generator
from matplotlib.collections import LineCollection, PathCollection, PolyCollection
from matplotlib.colors import to_rgba
from matplotlib.patches import Polygon
from matplotlib.patheffects import withStroke
from matplotlib.ticker import FixedLocator

from mlteach import plots
from mlteach.datasets import blobs, moons, noisy_sine, rings
from mlteach.evaluation import rmse
from mlteach.explore.base import Scene, choice, count, explorer, log_slider, plain, slider, whole
from mlteach.explore.own import Curve, Plane
from mlteach.kernels import linear_kernel, polynomial_kernel, rbf_kernel
from mlteach.svm import SVC, SVR, epsilon_insensitive, geometric_margin, level
from mlteach.validation import ConvergenceWarning

STREET = plots.HIGHLIGHT
SIGNS = ("class −1", "class +1")
NEARLY = 0.985  # of the best margin: the street counts as the widest, held by its support vectors
TOUCH = 0.0105  # a point this near to the kerb touches it; a little more than the slider's step
PRICES = np.logspace(-2, 3, 51)
BANDS = dict(zip((-1.7, -1, -0.5, 0, 0.5, 1, 1.7), (*plots.BLUE_STEPS[::-1], *plots.ORANGE_STEPS, None)))


FINE = np.linspace(-1.8, 2.8, 231)


class MarginByHand(Scene):
    """Turn and shift a line between two classes and look for the widest street."""

    caption = (
        "Figure 16.2: a line between two classes and the widest street that it allows, with its kerbs dashed; "
        "rings mark the points that stop it. Right, the margin (half the street) of every line by its angle and its "
        "offset, the distance from the origin; brighter is wider."
    )

    def __init__(self):
        data = blobs(24, [[-0.8, -1.4], [0.8, 1.4]], 0.7, rng=59)
        self.X, self.t = data.X, 2.0 * data.y - 1
        self.best = SVC(C=1e4, solver="interior_point").fit(self.X, self.t)
        self.figure, (plane, table) = plots.canvas(2, size=(9.6, 4.6), widths=(3, 2.4))
        self._draw_plane(plane)
        self._draw_table(table)
        self.figure.legend(**{**plots.BELOW, "columnspacing": 1.2, "handlelength": 1.5})
        self.moving = [*self.street.artists, self.touching, self.wrong, self.now]
        self.controls = {
            "angle": slider("angle θ in degrees", 0.0, -90, 45, 0.5, digits=1),
            "offset": slider("offset h", 0.2, -1.5, 1.5, 0.01),
        }

    def _margins(self, angles, offsets):
        """Return the margin of every line, one row for each offset."""
        sides = np.stack([_normal(a) for a in angles]) @ self.X.T
        return np.min(self.t * (sides[None] - offsets[:, None, None]), axis=2)

    def _draw_plane(self, ax):
        ax.set(xlim=(-3.6, 3.6), ylim=(-3.3, 3.3), xlabel="$x_1$", ylabel="$x_2$", title="Your street", aspect="equal")
        _Points(ax, self.X, self.t)
        self.street = _Street(ax, "street")
        (self.touching,) = ax.plot([], [], "o", ms=15, mfc="none", mec=plots.INK, mew=1.8, zorder=4, label="nearest")
        (self.wrong,) = ax.plot([], [], "x", ms=13, mew=2.6, color=plots.PURPLE, zorder=5, label="wrong side")

    def _draw_table(self, ax):
        angles, offsets = np.linspace(-96, 51, 148), np.linspace(-1.6, 1.6, 129)
        ax.set_facecolor(plots.PALE)
        margins = self._margins(angles, offsets)
        ax.contourf(angles, offsets, margins, np.linspace(0, self.best.margin_, 9), cmap="cividis")
        ax.set(xlim=(-96, 51), ylim=(-1.6, 1.6), xlabel="angle θ (degrees)", ylabel="offset h")
        ax.set_title("Every line is a point")
        ax.text(48, -1.52, "grey: does not separate", ha="right", va="bottom", fontsize=11)
        ax.xaxis.set_major_locator(FixedLocator([-90, -60, -30, 0, 30]))
        angle = np.degrees(np.arctan2(-self.best.w_[0], self.best.w_[1]))
        star = {"ms": 24, "mfc": plots.YELLOW, "mec": plots.INK, "zorder": 3}
        ax.plot(angle, -self.best.b_ * self.best.margin_, "*", label="widest", **star)
        diamond = {"ms": 7, "mfc": "white", "mec": plots.INK, "mew": 2, "zorder": 4, "clip_on": False}
        (self.now,) = ax.plot([0], [0], "D", label="yours", **diamond)

    def compute(self, angle, offset):
        """Return the line and the distance of every point, negative on the wrong side."""
        w, b = _normal(angle), -offset
        return angle, w, b, geometric_margin(self.X, self.t, w, b)

    def _holding(self, margins):
        """Return a mask of the points that stop the street: near the best one its support vectors."""
        least = margins.min()
        if least > NEARLY * self.best.margin_:
            return self.best.alpha_ > 0
        return margins < least + TOUCH if least > 0 else np.zeros(len(margins), bool)

    def draw(self, result):
        """Lay the street, ring the points that stop it, and cross out those on the wrong side."""
        angle, w, b, margins = result
        self.street.pave(w, b, max(margins.min(), 0.0))
        self.touching.set_data(self.X[self._holding(margins)].T)
        self.wrong.set_data(self.X[margins <= 0].T)
        self.now.set_data([angle], [-b])

    def describe(self, result):
        """Say how wide the street is, and which move would widen it."""
        *_, margins = result
        least, top = margins.min(), self.best.margin_
        if least <= 0:
            words = f"This line **does not separate** the classes: **{count((margins <= 0).sum(), 'point')}** "
            return words + f"on the wrong side, so there is no street. The best possible margin is {top:.3f}."
        words = f"Margin now **{least:.3f}** (street width {2 * least:.3f}), best possible margin **{top:.3f}**. "
        near = self._holding(margins)
        below, above = int((near & (self.t < 0)).sum()), int((near & (self.t > 0)).sum())
        held = f"**{count(below + above, 'point')}**, {above} of class +1 and {below} of class −1,"
        if least > NEARLY * top:
            return words + f"This is **the widest street**, or nearly so: {held} hold it."
        if below and above:
            return words + f"{held} touch it: **turn** the line."
        side = "+1" if above else "−1"
        touch = count(below + above, "point") + (" touches" if below + above == 1 else " touch")
        return words + f"Only class {side} stops it (**{touch}**): **shift** the line away from that class."


margin_by_hand = explorer(MarginByHand)


class SoftMargin(Scene):
    """Change the price C of slack and watch street, support vectors and errors."""

    caption = (
        "Figure 16.6: the street (shaded) between its kerbs (dashed). Filled points are support vectors; grey "
        "lines show how far each violator is from its kerb. Right, the errors on 60 training points (one is 1.7 %) "
        "and on 4000 test points, from C = 1000 down to your C. Flat: the same points with both axes in other units."
    )
    takes = Plane(
        (-3.7, 3.7, -3.1, 3.1),
        "the street (shaded) between its kerbs (dashed). Filled points are support vectors; grey lines show how far "
        "each violator is from its kerb. Right, the errors on training and test points, from C = 1000 down to your C.",
        most=60,
    )

    def __init__(self, data=None):
        clouds = {"centers": [[-0.9, -0.8], [0.9, 0.8]], "spread": 0.95}
        train, test = (data, data.new) if data else (blobs(60, **clouds, rng=39), blobs(4000, **clouds, rng=100))
        self.train, self.test = (train.X, 2.0 * train.y - 1), (test.X, 2.0 * test.y - 1)
        self.units = {"round": np.ones(2)} if data else {"round": np.ones(2), "flat": np.array([1.2, 0.25])}
        self.curves = {data: np.array([self.compute(C, data)[2:] for C in PRICES]).T for data in self.units}
        self.figure, (plane, costs) = plots.canvas(2, size=(9.6, 4.6), widths=(3, 2))
        self._draw_plane(plane, data)
        self._draw_costs(costs)
        self.figure.legend(handles=plots.entries(plane), **plots.BELOW)
        self.moving = [*self.street.artists, *self.points.artists, self.slack, self.here, *self.errors, self.now]
        self.controls = {
            "C": log_slider("price of slack C", 1.0, 0.01, 1000, per_decade=10, digits=4),
        }
        if not data:
            self.controls["data"] = choice("clouds", list(self.units))

    def _draw_plane(self, ax, data):
        ax.set(xlim=(-3.7, 3.7), ylim=(-3.1, 3.1), xlabel="$x_1$", ylabel="$x_2$")
        ax.set_title("The street between the classes")
        if data:
            data.label(ax)
        self.points = _Points(ax, *self.train, names=data.classes if data else SIGNS)
        _filled(ax)
        self.street = _Street(ax, "street")
        self.slack = ax.add_collection(LineCollection([], colors=plots.GREY, lw=1.5, zorder=2, label="slack"))

    def _draw_costs(self, ax):
        ax.set(xscale="log", xlim=(PRICES[0], PRICES[-1]), xlabel="price of slack C", ylabel="error (%)")
        ax.set_title("What it costs")
        plots.ticks(ax.xaxis, [0.01, 0.1, 1, 10, 100, 1000])
        (on_train,) = ax.plot([], [], color=plots.BLUE, ls="--", lw=1.8, label="training error")
        (on_test,) = ax.plot([], [], color=plots.ORANGE, label="test error")
        self.errors = [on_train, on_test]
        ax.set_ylim(0, max(5, 1.3 * max(curve.max() for curve in self.curves.values())))
        ax.legend(loc="upper right", fontsize=11)
        self.here = ax.axvline(1, color=plots.PALE, lw=7, zorder=0.5)
        dots = {"s": 95, "c": [plots.BLUE, plots.ORANGE], "edgecolors": plots.INK, "zorder": 4, "clip_on": False}
        self.now = ax.scatter([1, 1], [1, 1], **dots)

    def compute(self, C, data="round"):
        """Return the data's name and the machine with its errors on training and test points, in per cent."""
        (X, t), (X_new, t_new), unit = self.train, self.test, self.units[data]
        model = SVC(C=C, solver="interior_point").fit(X * unit, t)
        return data, model, _error(model, X * unit, t), _error(model, X_new * unit, t_new)

    def draw(self, result):
        """Lay the street, fill the support vectors and draw the slack of each violator."""
        data, model, on_train, on_test = result
        X, t = self.train[0] * self.units[data], self.train[1]
        self.street.pave(model.w_, model.b_, model.margin_)
        self.points.move(X)
        self.points.fill(model.alpha_ > 0)
        out = model.slack_ > 1e-6
        ends = X[out] + (t[out] * model.slack_[out] * model.margin_**2)[:, None] * model.w_
        self.slack.set_segments(np.stack([X[out], ends], axis=1))
        self.here.set_xdata([model.C, model.C])
        been = PRICES > 0.999 * model.C
        for line, curve in zip(self.errors, self.curves[data]):
            line.set_data(PRICES[been], curve[been])
        self.now.set_offsets([[model.C, on_train], [model.C, on_test]])

    def describe(self, result):
        """Say how wide the street is, who holds it, and what it costs."""
        _, model, on_train, on_test = result
        if not np.isfinite(model.margin_):
            words = "**No street**: all weights are zero, for the pulls of the support vectors cancel; "
            return words + f"training error **{on_train:.1f} %** · test error **{on_test:.1f} %**."
        n, bound = len(model.support_), int((model.alpha_ == model.C).sum())
        words = (
            f"Margin **{model.margin_:.2f}** (street width {2 * model.margin_:.2f}) · **{n}** support vectors, "
            f"{bound} of them at the bound α = C · "
        )
        return words + f"training error **{on_train:.1f} %** · test error **{on_test:.1f} %**."


soft_margin = explorer(SoftMargin)


class KernelWidth(Scene):
    """Choose a kernel, its width and the price of slack, and see which boundaries they can draw."""

    caption = (
        "Figure 16.9: the decision function as colour, its boundary (solid) and kerbs (dashed); filled points are "
        "support vectors. Top right, how far one point x′ = (1, 0) is felt: its kernel with (x₁, 0), one at x′."
    )
    takes = Plane(
        (-1.8, 2.8, -1.5, 2.0),
        "the decision function as colour, its boundary (solid) and kerbs (dashed); filled points are support vectors. "
        "Top right, how far a point is felt: its kernel with points beside it.",
        most=120,
    )

    def __init__(self, data=None):
        self.sets = (
            {"moons": (data, data.new)}
            if data
            else {
                "moons": (moons(120, noise=0.22, rng=2), moons(1000, noise=0.22, rng=3)),
                "rings": (rings(120, 0.2, (0.45, 1.2), rng=2), rings(1000, 0.2, (0.45, 1.2), rng=3)),
            }
        )
        self.shift = {"moons": np.zeros(2), "rings": np.array([0.5, 0.25])}
        self.x1, self.x2 = np.linspace(-1.8, 2.8, 64), np.linspace(-1.5, 2.0, 48)
        self.grid = np.stack(np.meshgrid(self.x1, self.x2), axis=-1).reshape(-1, 2)
        self.figure, (plane, reach, bars) = plots.tall_and_two((9.6, 4.5), (3, 1.5), (1, 1))
        self._draw_plane(plane, data)
        self._draw_reach(reach)
        if data:
            reach.set_xlabel("units of the picture")
        self._draw_bars(bars)
        self.figure.legend(handles=plots.entries(plane), **plots.BELOW)
        self.moving = [self.regions, self.boundary, self.margins, *self.points.artists, self.felt, *self.rods]
        self.moving += self.numbers
        self.controls = {
            "kernel": choice("kernel k", ["linear", "polynomial", "RBF"], "RBF"),
            "beta": log_slider("inverse width β", 1.0, 0.01, 100, per_decade=10),
            "C": log_slider("price of slack C", 1.0, 0.01, 1000, per_decade=10),
        }
        if not data:
            self.controls["data"] = choice("data", ["moons", "rings"])

    def _draw_plane(self, ax, data):
        ax.set(xlim=(-1.8, 2.8), ylim=(-1.5, 2.0), xlabel="$x_1$", ylabel="$x_2$", title="Regions and kerbs")
        colours = list(BANDS.values())[:-1]
        self.regions = PathCollection([], facecolors=colours, edgecolors="none", antialiaseds=False, zorder=0.5)
        ax.add_collection(self.regions)
        ink = {"colors": plots.INK, "zorder": 2}
        self.boundary = ax.add_collection(LineCollection([], lw=2.4, label="boundary", **ink))
        self.margins = ax.add_collection(LineCollection([], lw=1.3, ls="--", label="kerbs", **ink))
        if data:
            data.label(ax)
        first = self.sets["moons"][0]
        self.points = _Points(ax, first.X, 2.0 * first.y - 1, size=36, names=data.classes if data else SIGNS)
        _filled(ax)

    def _draw_reach(self, ax):
        ax.set(xlim=(-1.8, 2.8), ylim=(-0.7, 1.7), xlabel="$x_1$", ylabel="k, scaled")
        ax.set_title("How far a point is felt")
        ax.axhline(0, color=plots.GREY, lw=1, zorder=0.5)
        (self.felt,) = ax.plot([], [], color=plots.PURPLE, zorder=2)
        ax.plot(1, 1, "o", ms=8, color=plots.INK, zorder=3)
        ax.annotate("x′", (1, 1), xytext=(0, 7), textcoords="offset points", ha="center")

    def _draw_bars(self, ax):
        ax.set(xlim=(0, 100), ylim=(2.75, -0.5), xlabel="per cent of the points", title="What it costs")
        ax.set_yticks([])
        self.names = ["support vectors", "training error", "test error"]
        colours = [plots.GREY, plots.BLUE, plots.ORANGE]
        self.rods = ax.barh(np.arange(3) + 0.4, [0, 0, 0], color=colours, height=0.4, hatch=["", "//", ""])
        for rod in self.rods:
            rod.set_edgecolor("white")
        self.numbers = [ax.text(1, k + 0.15, "", va="bottom", fontsize=11, zorder=3) for k in range(3)]

    def compute(self, kernel, beta, C, data="moons"):
        """Return the machine, its height over the plane, and its errors in per cent."""
        kernels = {"linear": linear_kernel, "RBF": rbf_kernel(beta)}
        train, test = ((part.X + self.shift[data], 2.0 * part.y - 1) for part in self.sets[data])
        model = SVC(C, kernels.get(kernel) or polynomial_kernel(3, beta), solver="interior_point")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model.fit(*train)
        height = model.decision_function(self.grid).reshape(48, 64)
        return kernel, train[0], model, height, _error(model, *train), _error(model, *test)

    def draw(self, result):
        """Colour the plane by the decision function, with boundary and kerbs, and set the bars."""
        _, X, model, height, on_train, on_test = result
        clipped = np.clip(height, -1.69, 1.69)
        bands = contour_generator(self.x1, self.x2, clipped, fill_type=FillType.OuterCode)
        self.regions.set_paths([plots.joined(*bands.filled(low, high)) for low, high in pairwise(BANDS)])
        lines = contour_generator(self.x1, self.x2, height, line_type=LineType.Separate).lines
        self.boundary.set_segments(lines(0.0))
        self.margins.set_segments([] if _specks(model.kernel) else lines(-1.0) + lines(1.0))
        self.points.move(X)
        self.points.fill(model.alpha_ > 0)
        self.felt.set_data(FINE, _similarity(model.kernel, FINE))
        shares = 100 * len(model.support_) / len(X), on_train, on_test
        for rod, number, name, percent in zip(self.rods, self.numbers, self.names, shares):
            rod.set_width(percent)
            number.set_text(f"{name} {percent:.1f} %")

    def describe(self, result):
        """Say how many points count, how often the machine errs, and how far a point is felt."""
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


kernel_width = explorer(KernelWidth)


class SmoSteps(Scene):
    """Step through SMO: two multipliers at a time, each pair solved inside its box."""

    caption = (
        "Figure 16.11: SMO from zero. Left, larger points have larger multipliers α, hollow ones zero; middle, "
        "the ringed pair moves along its line (ring to diamond), to the top of the objective (cross) or to the edge of "
        "the box; right, the dual objective (solid) and the gap m − M (dashed), each as a share of its largest value."
    )
    play, interval = "k", 500
    lines = 3

    def __init__(self):
        data = blobs(20, [[-0.9, -0.7], [0.9, 0.7]], 0.9, rng=54)  # runs of 18 or 19 steps, whatever C
        self.X, t = data.X, 2.0 * data.y - 1
        self.runs = {C: _SMORun(self.X, t, C) for C in (0.5, 1.0, 5.0)}
        self.steps = max(run.last for run in self.runs.values())
        self.figure, (plane, box, climb) = plots.canvas(3, size=(9.6, 4.2), widths=(2.9, 2.9, 2.7))
        self._draw_plane(plane, t)
        self._draw_box(box)
        self._draw_climb(climb)
        below = {**plots.BELOW, "ncols": 9, "columnspacing": 0.9, "handlelength": 1.3, "fontsize": 11}
        self.figure.legend(handles=plots.entries(plane, box), **below)
        pair = [self.chosen, *self.tags, self.track, self.segment, self.free, self.old, self.new]
        self.moving = [*self.street.artists, *self.points.artists, *pair, self.left, self.done, self.now]
        self.controls = {
            "C": choice("price of slack C", list(self.runs), 1.0),
            "k": whole("step k", 8, 0, self.steps),
        }

    def _draw_plane(self, ax, t):
        ax.set(xlim=(-3.2, 3.6), ylim=(-2.9, 2.9), xlabel="$x_1$", ylabel="$x_2$", title="Data and line")
        self.points = _Points(ax, self.X, t)
        _filled(ax, "α > 0")
        self.street = _Street(ax, "street")
        ring = {"ms": 19, "mfc": "none", "mec": plots.PURPLE, "mew": 2.2, "zorder": 4}
        (self.chosen,) = ax.plot([], [], "o", label="pair i, j", **ring)
        name = {"color": plots.PURPLE, "weight": "bold", "fontsize": 15, "zorder": 5, "ha": "center", "va": "center"}
        name["path_effects"] = [withStroke(linewidth=4, foreground="white")]
        self.tags = [ax.text(0, 0, tag, **name) for tag in "ij"]

    def _draw_box(self, ax):
        ax.set(xlim=(-0.5, 1.5), ylim=(-0.5, 1.5), xlabel="$\\alpha_i\\,/\\,C$", ylabel="$\\alpha_j\\,/\\,C$")
        ax.set_title("Their box")
        ax.add_patch(Polygon([(0, 0), (1, 0), (1, 1), (0, 1)], fc=plots.FAINT, ec=plots.INK, lw=1.4, zorder=0.5))
        ax.set_aspect("equal")
        ax.set_anchor("N")
        for axis in (ax.xaxis, ax.yaxis):
            axis.set_major_locator(FixedLocator([0, 0.5, 1]))
        (self.track,) = ax.plot([], [], ":", color=plots.GREY, lw=1.6, zorder=1)
        (self.segment,) = ax.plot([], [], color=plots.GREEN, lw=3, zorder=2, label="allowed")
        # The three marks may meet in one place: ring around cross around diamond
        cross = {"ms": 14, "mew": 2.8, "color": plots.PURPLE, "zorder": 4}
        (self.free,) = ax.plot([], [], "x", label="top, unclipped", **cross)
        (self.old,) = ax.plot([], [], "o", ms=17, mfc="none", mec=plots.INK, mew=2, zorder=3, label="old")
        (self.new,) = ax.plot([], [], "D", ms=6, color=plots.ORANGE, mec=plots.INK, zorder=5, label="new")

    def _draw_climb(self, ax):
        ax.set(xlim=(0, self.steps), ylim=(0, 1.05), xlabel="step k", ylabel="share of its maximum", title="The climb")
        ax.xaxis.set_major_locator(FixedLocator(range(0, self.steps + 1, 5)))
        (self.done,) = ax.plot([], [], color=plots.ORANGE, zorder=2, label="objective")
        (self.left,) = ax.plot([], [], "--", color=plots.BLUE, lw=1.8, zorder=1.5, label="gap m − M")
        ax.legend(loc="center right", fontsize=11, handlelength=1.6)
        (self.now,) = ax.plot([0], [0.5], "D", ms=9, color=plots.ORANGE, mec=plots.INK, zorder=3, clip_on=False)

    def compute(self, C, k):
        """Return the run, the step asked for, and the step shown: a run may end earlier."""
        run = self.runs[C]
        return run, k, min(k, run.last)

    def draw(self, result):
        """Show the state after step k: the line, the pair in its box, the climb."""
        run, _, k = result
        alpha, w, b = run.states[k]
        size = float(np.linalg.norm(w))
        self.street.pave(w, b, 1 / size if size > 0 else 0.0)
        self.points.fill(alpha > 0, 40 + 100 * alpha / run.C)
        self._draw_pair(run.pairs[k])
        self.done.set_data(np.arange(k + 1), run.heights[: k + 1])
        self.left.set_data(np.arange(k + 1), run.gaps[: k + 1])
        self.now.set_data([k], [run.heights[k]])

    def _draw_pair(self, pair):
        """Ring the pair and show its move inside the box; before the first step there is none."""
        self.chosen.set_data(self.X[[pair.i, pair.j]].T if pair else np.empty((2, 0)))
        for tag in self.tags:
            tag.set_visible(pair is not None)
        if pair:
            for tag, place in zip(self.tags, _beside(self.X, pair.i, pair.j)):
                tag.set_position(place)
        marks = self.track, self.segment, self.free, self.old, self.new
        for artist, places in zip(marks, pair.lines if pair else [np.empty((0, 2))] * 5):
            artist.set_data(places.T)

    def describe(self, result):
        """Say which pair moved where, whether the box clipped it, and what is left."""
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
        words += f"Dual objective **{step.objective:.4g}**, gap m − M **{gap}**."
        return words + f" The run **ends** at step {run.last}: the gap is below its tolerance." * (asked >= run.last)


smo_steps = explorer(SmoSteps)


class SvrTube(Scene):
    """Widen the tube of support vector regression and see which points still count."""

    caption = (
        "Figure 16.13: support vector regression. Misses inside the tube (shaded) cost nothing; filled points, "
        "on the edge or outside, are the support vectors. Right, what each miss costs."
    )
    takes = Curve(
        (0, 1),
        "support vector regression. Misses inside the tube (shaded) cost nothing; filled points, on the edge or "
        "outside, are the support vectors. Right, what each miss costs.",
        most=40,
    )

    def __init__(self, data=None):
        self.train, self.test = (
            (data, data.new)
            if data
            else (noisy_sine(40, noise=0.25, rng=4), noisy_sine(1000, noise=0.25, grid=False, rng=5))
        )
        self.noise = "" if data else " (the noise has 0.25)"
        self.reach = float(np.ptp(self.train.y)) if data else 1.6
        self.x, self.t, self.line = self.train.X[:, 0], self.train.y, np.linspace(0, 1, 201)
        self.residuals = np.linspace(-self.reach, self.reach, 161)
        self.figure, (plane, loss) = plots.canvas(2, size=(9.6, 4.5), widths=(3, 2))
        self._draw_plane(plane, data)
        self._draw_loss(loss)
        self.figure.legend(**plots.BELOW)
        self.moving = [self.tube, self.curve, self.slack, self.points, self.zone, self.hinge, self.marks]
        self.controls = {
            "epsilon": slider("tube ε", 0.25, 0.0, 1.5, 0.05),
            "C": log_slider("price of slack C", 10.0, 0.01, 1000, per_decade=10),
            "beta": log_slider("inverse width β", 10.0, 1, 1000, per_decade=10),
        }

    def _draw_plane(self, ax, data):
        ax.set(xlim=(-0.02, 1.02), ylim=(-2, 2), xlabel="x", ylabel="t", title="The function and its tube")
        self.tube = PolyCollection([], facecolor=STREET, edgecolor=plots.INK, ls="--", label="tube")
        ax.add_collection(self.tube)
        self.tube.set_zorder(0.5)
        if data:
            data.label(ax)
        else:
            ax.plot(self.line, np.sin(2 * np.pi * self.line), ":", color=plots.GREEN, lw=1.8, zorder=1, label="sine")
        (self.curve,) = ax.plot([], [], color=plots.INK, zorder=2, label="fit")
        self.slack = ax.add_collection(LineCollection([], colors=plots.ORANGE, lw=1.5, zorder=1.5, label="slack"))
        self.points = ax.scatter(self.x, self.t, s=44, edgecolors=plots.BLUE, linewidths=1.6, zorder=3)
        ax.scatter([], [], s=44, fc="white", ec=plots.BLUE, linewidths=1.6, label="data")
        _filled(ax, color=plots.BLUE)

    def _draw_loss(self, ax):
        ax.set(xlim=(-self.reach, self.reach), xlabel="residual t − y(x)", ylabel="loss")
        ax.set_ylim(-0.06, self.reach + 0.05)
        ax.set_title("What a miss costs")
        self.zone = ax.axvspan(-1, 1, color=STREET, zorder=0.5)
        (self.hinge,) = ax.plot([], [], color=plots.INK, zorder=2)
        zeros = np.zeros(len(self.x))
        self.marks = ax.scatter(zeros, zeros, s=44, edgecolors=plots.BLUE, linewidths=1.6, zorder=3)

    def compute(self, epsilon, C, beta):
        """Return the machine, its curve, its values at the data, and its error on new data."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model = SVR(C, epsilon, rbf_kernel(beta), solver="interior_point").fit(self.train.X, self.t)
        on_test = rmse(self.test.y, model.predict(self.test.X))
        return model, model.predict(self.line[:, None]), model.predict(self.train.X), on_test

    def draw(self, result):
        """Lay the tube around the curve, draw the slacks, fill the support vectors."""
        model, y, fitted, _ = result
        e, x, t, line = model.epsilon, self.x, self.t, self.line
        self.tube.set_verts([np.column_stack([np.append(line, line[::-1]), np.append(y + e, (y - e)[::-1])])])
        self.curve.set_data(line, y)
        edge = fitted + np.sign(t - fitted) * e
        out = model.slack_ > 1e-6
        self.slack.set_segments([[(a, b), (a, c)] for a, b, c in zip(x[out], t[out], edge[out])])
        self.zone.set_x(-e)
        self.zone.set_width(2 * e)
        self.hinge.set_data(self.residuals, epsilon_insensitive(self.residuals, e))
        self.marks.set_offsets(np.column_stack([t - fitted, epsilon_insensitive(t - fitted, e)]))
        for artist in (self.points, self.marks):
            artist.set_facecolor(np.where((model.alpha_ != 0)[:, None], to_rgba(plots.BLUE), to_rgba("white")))

    def describe(self, result):
        """Say how many points count and how far the function misses."""
        model, _, fitted, on_test = result
        n, inside = len(model.support_), int((model.slack_ <= 1e-6).sum())
        words = f"**{count(n, 'support vector')}** of {len(self.x)} points; "
        words += (
            f"**{inside}** in the tube or on its edge. " if model.epsilon else "a tube of **no width** holds none. "
        )
        words += f"Training RMS **{rmse(self.t, fitted):.3f}**, test RMS **{on_test:.3f}**{self.noise}."
        constant = bool(np.ptp(self.t) <= 2 * model.epsilon)
        return words + " **A constant** fits into the tube: nothing is flatter." * constant


svr_tube = explorer(SvrTube)


# --- Pieces --------------------------------------------------------------------------------------------------------


class _Points:
    """Two classes of points, some of which can be filled, moved, or drawn larger."""

    def __init__(self, ax, X, t, size=46, names=SIGNS):
        self.t, self.colors = t, (plots.BLUE, plots.ORANGE)
        looks = zip((-1, 1), self.colors, "os", names)
        style = {"s": size, "facecolors": "white", "lw": 1.6, "zorder": 3}
        self.artists = [
            ax.scatter(*X[t == sign].T, marker=marker, edgecolors=color, label=label, **style)
            for sign, color, marker, label in looks
        ]

    def fill(self, filled, sizes=None):
        for cloud, sign, color in zip(self.artists, (-1, 1), self.colors):
            mine = self.t == sign
            cloud.set_facecolor(np.where(filled[mine][:, None], to_rgba(color), to_rgba("white")))
            if sizes is not None:
                cloud.set_sizes(sizes[mine])

    def move(self, X):
        for cloud, sign in zip(self.artists, (-1, 1)):
            cloud.set_offsets(X[self.t == sign])


class _Street:
    """A line with the street beside it."""

    def __init__(self, ax, label):
        self.band = ax.add_patch(Polygon(np.zeros((4, 2)), fc=STREET, ec="none", zorder=0.5, label=label))
        self.edges = ax.add_collection(LineCollection([], colors=plots.INK, lw=1.3, ls="--", zorder=1))
        (self.middle,) = ax.plot([], [], color=plots.INK, lw=2.4, zorder=1.5)
        self.artists = [self.band, self.edges, self.middle]

    def pave(self, w, b, half):
        """Lay the line w . x + b = 0 with a street of half-width ``half``; no line if w is zero."""
        size = float(np.linalg.norm(w))
        if size == 0:
            self.band.set_xy(np.zeros((4, 2)))
            self.edges.set_segments([])
            self.middle.set_data([], [])
            return
        across, foot = w / size, -b * w / size**2
        along = 30 * np.array([-across[1], across[0]])
        sides = [foot + half * across, foot - half * across]
        self.band.set_xy([sides[0] - along, sides[0] + along, sides[1] + along, sides[1] - along])
        self.edges.set_segments([[side - along, side + along] for side in sides] if half > 0 else [])
        self.middle.set_data(*np.transpose([foot - along, foot + along]))


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
        self.C, self.history, self.last = C, model.history_, model.n_iter_
        self.heights = np.array([step.objective for step in self.history]) / model.dual_objective_
        gaps = np.array([step.gap for step in self.history])
        self.gaps = np.maximum(gaps, 0) / gaps.max()
        self.states, self.pairs = [], [None]
        for k in range(self.last + 1):
            alpha = model.alpha_at(k)
            w = (alpha * t) @ X
            self.states.append((alpha, w, level(t - X @ w, alpha, t, C)))
            if k:
                self.pairs.append(_Pair(self.history[k], self.states[k - 1][0], t, C))


def _beside(X, i, j, away=0.58):
    """Return a place beside each of two points where no other point is near, one for each of their names."""
    turns = np.arange(0, 360, 30)[:, None]
    ring = away * np.column_stack([np.cos(np.radians(turns)), np.sin(np.radians(turns))])
    places, taken = [], X
    for n in (i, j):
        room = np.linalg.norm((X[n] + ring)[:, None] - np.delete(taken, n, axis=0), axis=2).min(axis=1)
        places.append(X[n] + ring[room.argmax()])
        taken = np.vstack([taken, places[-1]])
    return places


def _normal(angle):
    """Return the unit vector to the left of a line that rises by ``angle`` degrees."""
    return np.array([-np.sin(np.radians(angle)), np.cos(np.radians(angle))])


def _error(model, X, t):
    """Return the error in per cent."""
    return 100 * np.mean(model.predict(X) != t)


def _specks(kernel):
    """Say whether a Gaussian is too narrow for the grid to show where it reaches one."""
    return isinstance(kernel, rbf_kernel) and kernel.beta > 40


def _similarity(kernel, x1):
    """Return k(x, x') for x = (x1, 0) and x' = (1, 0), as a share of k(x', x')."""
    line = np.column_stack([x1, np.zeros_like(x1)])
    there = np.array([[1.0, 0.0]])
    return kernel(line, there)[:, 0] / kernel(there, there)[0, 0]


def _filled(ax, label="support vector", color=plots.INK):
    """Add a legend entry for filled points."""
    ax.scatter([], [], s=46, color=color, label=label)

"""Explorer of chapter 00: a first look at learning, and the map of the course."""

import textwrap

import numpy as np
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch
from matplotlib.path import Path

from mlteach import plots
from mlteach.explore.base import Scene, explorer, plain, slider, whole
from mlteach.linear_regression import LMSRegressor

HOURS = np.array([0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0, 5.5, 6.0])
MARKS = np.array([31, 42, 35, 48, 45, 60, 51, 63, 70, 66, 81, 77.0])
RATE, STEPS = 0.1, 200


class FirstFit(Scene):
    """Fit a line by hand, then let gradient descent go on from there."""

    caption = (
        "Figure 0.2: twelve invented students. Left, the line and its misses; right, the same line as one point on "
        "the map of all lines, darker where the misses are larger."
    )
    play, interval = "n", 60

    def __init__(self):
        self.figure, (data, surface) = plots.canvas(2, widths=(3, 2))
        self._draw_data(data)
        self._draw_surface(surface)
        self.moving = [self.line, self.misses, self.path, self.hand, self.now]
        self.controls = {
            "w0": slider("intercept w₀", 10.0, -10, 70, 1.0, digits=1),
            "w1": slider("slope w₁", 2.0, -4, 20, 0.25),
            "n": whole("descent steps n", 0, 0, STEPS),
        }

    def _draw_data(self, ax):
        ax.set(xlim=(0, 6.5), ylim=(0, 100), xlabel="hours of study", ylabel="mark", title="The line")
        ax.scatter(HOURS, MARKS, s=48, color=plots.BLUE, zorder=3, label="students")
        (self.line,) = ax.plot([], [], color=plots.INK, label="prediction")
        self.misses = ax.vlines(HOURS, 0, 0, color=plots.ORANGE, lw=1.8, zorder=1, label="misses")
        ax.axvline(4.25, color=plots.GREY, ls=":", lw=1.5, zorder=0, label="13th student")
        ax.legend(loc="upper left")

    def _draw_surface(self, ax):
        intercepts, slopes = np.meshgrid(np.linspace(-10, 70, 81), np.linspace(-4, 20, 81))
        ax.contourf(intercepts, slopes, np.log(_mean_squared_miss(intercepts, slopes)), 14, cmap="cividis_r")
        ax.set(xlim=(-10, 70), ylim=(-4, 20), xlabel="intercept $w_0$", ylabel="slope $w_1$")
        ax.set_title("Every line is a point")
        (self.path,) = ax.plot([], [], color="white", lw=2.2)
        (self.hand,) = ax.plot([], [], "o", ms=10, mfc="white", mec=plots.INK, label="by hand")
        (self.now,) = ax.plot([], [], "D", ms=9, mfc=plots.ORANGE, mec="white", label="now")
        ax.legend(loc="upper right")

    def compute(self, w0, w1, n):
        """Return the lines (w0, w1) from the one set by hand to the one after n steps."""
        if n == 0:
            return np.array([[w0, w1]])
        # The loss is quadratic, so descent from (w0, w1) is descent from zero on what that line leaves over.
        rest = LMSRegressor(learning_rate=RATE, epochs=n, tol=0).fit(HOURS[:, None], MARKS - w0 - w1 * HOURS)
        return np.array([[w0 + step.b, w1 + step.w[0]] for step in rest.history_])

    def draw(self, points):
        """Move the line, its misses and its way over the map."""
        w0, w1 = points[-1]
        self.line.set_data([0, 6.5], [w0, w0 + 6.5 * w1])
        self.misses.set_segments([[(x, t), (x, w0 + w1 * x)] for x, t in zip(HOURS, MARKS)])
        self.path.set_data(points.T)
        self.hand.set_data(points[:1].T)
        self.now.set_data(points[-1:].T)

    def describe(self, points):
        """Say which line it is and how far it misses."""
        first, last = _mean_squared_miss(*points[0]), _mean_squared_miss(*points[-1])
        w0, w1 = points[-1]
        words = f"The line is mark = **{plain(w0)}** {'−' if w1 < 0 else '+'} **{abs(w1):.2f}** × hours. "
        words += f"It misses by **{np.sqrt(last):.1f}** marks (root mean square)"
        if len(points) == 1:
            return words + ". Move the two sliders, then play the steps."
        return words + f"; your own line missed by {np.sqrt(first):.1f}. Steps taken: {len(points) - 1}."


first_fit = explorer(FirstFit)


def _mean_squared_miss(w0, w1):
    return np.mean((np.multiply.outer(w1, HOURS) + np.expand_dims(w0, -1) - MARKS) ** 2, axis=-1)


def plot_map(chapters, *, ax):
    """Draw the chapters with an arrow from each to those that need it: a band per part, needs to the left."""
    depth, place, top = {}, {}, 0
    for c in chapters:
        depth[c.slug] = 1 + max((depth[need] for need in c.needs), default=-1)
    for k, part in enumerate(dict.fromkeys(c.part for c in chapters)):
        members = [c for c in chapters if c.part == part]
        for c in members:
            stacked = sum(depth[other.slug] == depth[c.slug] for other in members[: members.index(c)])
            place[c.slug] = (depth[c.slug], -top - stacked)
        height = 1 + max(-top - place[c.slug][1] for c in members)
        ax.axhspan(-top + 0.9, -top - height + 0.5, color=plots.PALE, alpha=0.5 * (k % 2 == 0), lw=0, zorder=0)
        ax.text(-0.46, -top + 0.66, part, va="center", weight="bold")
        top += height + 0.4
    for c in chapters:
        x, y = place[c.slug]
        edge = plots.INK if c.written else "#6B7079"
        ax.add_patch(_box(x, y, edge, lw=2.2 if c.written else 1.0))
        label = textwrap.fill(f"{c.number:02d} {c.title}", 14)
        ax.text(x, y, label, ha="center", va="center", fontsize=9.5, color=edge, zorder=4)
        for need in c.needs:
            ax.add_patch(_arrow(*place[need], x, y))
    ax.set(xlim=(-0.5, max(depth.values()) + 0.5), ylim=(-top + 0.8, 1))
    ax.axis("off")
    return ax


def _box(x, y, edge, lw):
    return FancyBboxPatch((x - 0.43, y - 0.38), 0.86, 0.76, "round,pad=0.02", fc="white", ec=edge, lw=lw, zorder=3)


def _arrow(x0, y0, x, y):
    bend = Path([(x0 + 0.45, y0), (x0 + 0.6, y0), (x - 0.6, y), (x - 0.45, y)], [Path.MOVETO] + 3 * [Path.CURVE4])
    return FancyArrowPatch(
        path=bend, arrowstyle="-|>", mutation_scale=9, color=plots.BLUE, alpha=0.55, lw=1.3, zorder=2
    )

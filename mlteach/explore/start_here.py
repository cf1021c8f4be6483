"""Explorer of chapter 00: a first look at learning, the map of the course, and that of the paths through it."""

import textwrap
from typing import NamedTuple

import numpy as np
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch
from matplotlib.path import Path

from mlteach import paths, plots
from mlteach.chapter import tasks
from mlteach.explore.base import Scene, explorer, plain, slider, whole
from mlteach.linear_regression import LMSRegressor

HOURS = np.array([0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0, 5.5, 6.0])
MARKS = np.array([31, 42, 35, 48, 45, 60, 51, 63, 70, 66, 81, 77.0])
RATE, STEPS = 0.1, 200
WIDE, TALL, STEP = 1.24, 0.7, 1.43  # of a box of the map, and from one to the next


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
        self.figure.legend(handles=plots.entries(data, surface), **{**plots.BELOW, "columnspacing": 1.2})
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

    def _draw_surface(self, ax):
        intercepts, slopes = np.meshgrid(np.linspace(-14, 74, 89), np.linspace(-10, 26, 109))
        ax.contourf(intercepts, slopes, np.log(_mean_squared_miss(intercepts, slopes)), 14, cmap="cividis_r")
        ax.set(xlim=(-14, 74), ylim=(-10, 26), xlabel="intercept $w_0$", ylabel="slope $w_1$")
        ax.set_title("Every line is a point")
        (self.path,) = ax.plot([], [], color="white", lw=2.2)
        (self.hand,) = ax.plot([], [], "o", ms=10, mfc="white", mec=plots.INK, label="by hand")
        (self.now,) = ax.plot([], [], "D", ms=9, mfc=plots.ORANGE, mec="white", label="now")

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


class Box(NamedTuple):
    """A box of a map: its number there, its name, its words, its row, the boxes that it needs, a line at its foot."""

    number: str
    slug: str
    words: str
    part: str
    needs: tuple
    written: bool = True
    foot: str = ""


def plot_map(chapters, *, ax):
    """Draw the chapters, one row for each part, with an arrow from each to those of its part that need it.

    What a chapter needs from other parts stands in its box: lines across the rows would hide each other.
    """
    boxes = [Box(f"{c.number:02d}", c.slug, textwrap.fill(c.title, 14), c.part, c.needs, c.written) for c in chapters]
    return _draw_rows(boxes, ax, TALL)


def plot_paths(*, ax, row=7):
    """Draw the paths (`mlteach.paths`), at most ``row`` stops in a row, with arrows to the stops that need others."""
    boxes = []
    for path in paths.paths():
        for k, stop in enumerate(path.stops):
            part, begin = path.title, k // row * row
            if len(path.stops) > row:
                part += f", {path.unit}s {begin + 1}–{min(begin + row, len(path.stops))}"
            needs = tuple(f"{path.slug} {i}" for i in paths.needs(path, k))
            foot = "  ".join(f"{number:02d}" for number in stop.numbers)
            boxes.append(Box(f"{k + 1}", f"{path.slug} {k}", textwrap.fill(stop.title, 13), part, needs, foot=foot))
    return _draw_rows(boxes, ax, TALL + 0.24)


def _draw_rows(boxes, ax, tall):
    plan, top = {box.slug: box for box in boxes}, 0.0
    for k, part in enumerate(dict.fromkeys(box.part for box in boxes)):
        row = [box for box in boxes if box.part == part]
        detours = _detours(row)
        y = top - tall / 2 - 0.14 * len({level for *_, level in detours})
        ax.axhspan(top + 0.12, y - tall / 2 - 0.12, color=plots.PALE, alpha=0.6 * (k % 2 == 0), lw=0, zorder=0)
        ax.text(-2.02, y, textwrap.fill(part, 12, break_long_words=False), va="center", weight="bold", fontsize=10)
        for x, box in enumerate(row):
            others = [plan[need] for need in box.needs if plan[need].part != part]
            _draw_box(ax, STEP * x, y, tall, box, sorted((other.number for other in others), key=int))
        for i, j in _pairs(row):
            if j == i + 1:
                _draw_arrow(ax, [(STEP * i + WIDE / 2, y), (STEP * j - WIDE / 2, y)])
        for i, j, level in detours:
            start, end, over = STEP * i + _exit(row, i, j), STEP * j + _entry(row, i, j), y + tall / 2 + 0.14 * level
            _draw_arrow(ax, [(start, y + tall / 2), (start, over), (end, over), (end, y + tall / 2)])
        top = y - tall / 2 - 0.24
    longest = max(sum(box.part == part for box in boxes) for part in {box.part for box in boxes})
    ax.set(xlim=(-2.07, STEP * (longest - 1) + WIDE / 2 + 0.04), ylim=(top + 0.1, 0.14), aspect="equal")
    ax.axis("off")
    return ax


def plot_progress(solved, *, ax):
    """Draw one square for each task of each chapter, filled where its number is in ``solved``."""
    plan = list(tasks().items())
    half = (len(plan) + 1) // 2
    for k, (chapter, ids) in enumerate(plan):
        column, row = divmod(k, half)
        ax.text(24.5 * column, -row, f"{chapter.number:02d} {chapter.title}", va="center", fontsize=10)
        for filled, face in ((True, plots.BLUE), (False, "white")):
            x = [24.5 * column + 11 + i for i, id in enumerate(ids) if (id in solved) == filled]
            ax.scatter(x, [-row] * len(x), s=80, marker="s", facecolor=face, edgecolor=plots.BLUE, lw=1)
    total, done = sum(len(ids) for _, ids in plan), sum(id in solved for _, ids in plan for id in ids)
    ax.set_title(f"{done} of {total} tasks solved", fontsize=12)
    ax.set(xlim=(-0.4, 49), ylim=(-half + 0.4, 0.7))
    ax.axis("off")
    return ax


def _pairs(row):
    """Return the places (i, j) of two chapters of a row of which the second needs the first."""
    slugs = [c.slug for c in row]
    return [(slugs.index(need), j) for j, c in enumerate(row) for need in c.needs if need in slugs]


def _detours(row):
    """Return (i, j, level) of the arrows that pass over other boxes, each on the lowest level that is free."""
    taken = []
    for i, j in sorted(_pairs(row), key=lambda pair: (pair[1] - pair[0], pair)):
        if j > i + 1:
            busy = {level for a, b, level in taken if a < j and i < b}
            taken.append((i, j, next(k for k in range(1, len(row) + 9) if k not in busy)))
    return taken


def _exit(row, i, j):
    """Return where on the right half of box i the arrow to box j leaves: the farther it goes, the farther left."""
    targets = sorted((b for a, b, _ in _detours(row) if a == i), reverse=True)
    return WIDE * (0.16 + 0.14 * targets.index(j))


def _entry(row, i, j):
    """Return where on the left half of box j the arrow from box i arrives: the farther it comes, the farther right."""
    sources = sorted((a for a, b, _ in _detours(row) if b == j), reverse=True)
    return WIDE * (-0.3 + 0.14 * sources.index(i))


def _draw_box(ax, x, y, tall, box, others):
    edge, lw = (plots.INK, 2.2) if box.written else (plots.QUIET, 1.0)
    frame = (x - WIDE / 2, y - tall / 2), WIDE, tall
    ax.add_patch(FancyBboxPatch(*frame, "round,pad=0,rounding_size=0.06", fc="white", ec=edge, lw=lw, zorder=3))
    head = {"va": "top", "fontsize": 9, "color": edge, "zorder": 4}
    ax.text(x - WIDE / 2 + 0.07, y + tall / 2 - 0.06, box.number, weight="bold", ha="left", **head)
    if others:
        words = "after " + ", ".join(others)
        ax.text(x + WIDE / 2 - 0.07, y + tall / 2 - 0.06, words, ha="right", **{**head, "fontsize": 8.5})
    middle = y - 0.1 + (0.1 if box.foot else 0)
    ax.text(x, middle, box.words, ha="center", va="center", fontsize=9, color=edge, linespacing=1.0, zorder=4)
    if box.foot:
        foot = {"va": "bottom", "fontsize": 8.5, "color": plots.BLUE, "zorder": 4}
        ax.text(x, y - tall / 2 + 0.06, box.foot, ha="center", **foot)


def _draw_arrow(ax, corners):
    path = Path(corners, [Path.MOVETO] + (len(corners) - 1) * [Path.LINETO])
    style = {"arrowstyle": "-|>", "mutation_scale": 10, "shrinkA": 0, "shrinkB": 0, "joinstyle": "round"}
    ax.add_patch(FancyArrowPatch(path=path, color=plots.BLUE, lw=1.5, zorder=2.5, **style))

"""One drawing of grid worlds for chapters 27 to 30: values as colour and number, every optimal arrow, walls, ends.

`GridPicture` draws a world once and moves its artists afterwards, as an explorer wants it; `plot_grid` draws one still
picture. Neither knows an algorithm: they get numbers, arrows and the place of an agent.
"""

from functools import lru_cache

import matplotlib as mpl
import numpy as np
from matplotlib.artist import Artist
from matplotlib.collections import PolyCollection
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import TextPath
from matplotlib.transforms import Affine2D, Bbox

from mlteach import plots

# Negative orange, zero white, positive blue; pale enough everywhere for dark numbers
VALUES = LinearSegmentedColormap.from_list("values", plots.VALUE_STEPS)
DIRECTIONS = ((-1, 0), (0, 1), (1, 0), (0, -1))  # up, right, down, left, as rows and columns
WALL, END = plots.DARK_SLATE, plots.INK


class Words(Artist):
    """Short texts at places of the axes, drawn as outlines that are kept: ten times as fast as text."""

    def __init__(self, size, place, *, bold=False, zorder=6):
        super().__init__()
        self.size, self.place, self.bold, self.items = size, place, bold, []
        self.set_zorder(zorder)

    def draw(self, renderer):
        """Draw the items (x, y, text)."""
        if not self.get_visible():
            return
        gc, scale = renderer.new_gc(), renderer.points_to_pixels(self.size) / 100
        gc.set_linewidth(0)
        for x, y, text in self.items:
            at = Affine2D().scale(scale).translate(*self.axes.transData.transform((x, y)))
            renderer.draw_path(gc, _outline(text, self.place, self.bold), at, mpl.colors.to_rgb(plots.INK))
        gc.restore()

    def get_window_extent(self, renderer=None):
        """Take no room: the texts lie inside the cells."""
        return Bbox.null()

    def get_tightbbox(self, renderer=None):
        """Take no room."""
        return None


@lru_cache(maxsize=4096)
def _outline(text, place, bold):
    """Return the outline of a text of size 100, its middle or its upper left corner at the origin."""
    look = FontProperties(family="DejaVu Sans", weight="bold" if bold else "normal")
    path = TextPath((0, 0), text, size=100, prop=look)
    if not len(path.vertices):
        return path
    (x0, y0), (x1, y1) = path.vertices.min(axis=0), path.vertices.max(axis=0)
    dx, dy = (-(x0 + x1) / 2, -(y0 + y1) / 2) if place == "center" else (-x0, -y1)
    return path.transformed(Affine2D().translate(dx, dy))


class GridPicture:
    """A grid world on ``ax`` whose numbers, colours and arrows can be changed in place.

    Parameters
    ----------
    ax : axes, which the picture takes over
    world : a `mlteach.mdp.GridWorld`, or anything with ``rows``, ``columns``, ``cells`` and ``letters``
    limit : value with the full colour; by default the largest that is shown
    form : how a number is written
    numbers : write the values, or leave them to the colours
    size : of the numbers, in points
    labels : dict from a letter to what stands in a corner of its cells, such as {"G": "+1"}

    Attributes
    ----------
    moving : the artists that ``update`` changes, for a `Scene`

    A world of another layout and the same size may be shown later: ``update(..., world=other)``.
    """

    def __init__(self, ax, world, *, limit=None, form="{:.2f}", numbers=True, size=11, labels=None):
        self.ax, self.form, self.limit, self.numbers = ax, form, limit, numbers
        self.rows, self.columns = world.rows, world.columns
        self.labels = labels or {}
        ax.set(xlim=(-0.5, self.columns - 0.5), ylim=(self.rows - 0.5, -0.5), aspect="equal", xticks=[], yticks=[])
        for spine in ax.spines.values():
            spine.set(visible=True, color=plots.GREY)
        every = [_square((i, j), 0.5) for i in range(self.rows) for j in range(self.columns)]
        self.colours = _add(ax, every, fc="white", ec=plots.PALE, lw=1, zorder=1)
        self.walls = _add(ax, [], fc=WALL, ec=WALL, zorder=3)
        self.frames = _add(ax, [], fc="none", ec=END, lw=2.4, zorder=4)
        self.arrows = _add(ax, [], fc=plots.INK, ec="none", zorder=5)
        self.texts = ax.add_artist(Words(size, "center", zorder=6))
        self.corners = ax.add_artist(Words(0.8 * size, "corner", bold=True, zorder=6))
        (self.agent,) = ax.plot([], [], "o", ms=1.1 * size, mfc=plots.YELLOW, mec=plots.INK, mew=1.6, zorder=7)
        self.moving = [self.colours, self.walls, self.frames, self.arrows, self.texts, self.corners, self.agent]
        self._place(world)

    def update(self, values=None, optimal=None, *, agent=None, world=None, limit=None, mark=()):
        """Show values (S,), arrows where ``optimal`` (S, 4) is True, and the agent's state; None hides a thing.

        ``mark`` lists states that get a frame besides the ends.
        """
        if world is not None:
            self._place(world)
        self._show_values(values, self.limit if limit is None else limit)
        self._show_arrows(optimal)
        cells = [self.cells[agent]] if agent is not None else []
        self.agent.set_data([j + 0.28 for _, j in cells], [i + 0.28 for i, _ in cells])
        self.frames.set_verts([_square(cell, 0.46) for cell in self.ends + [self.cells[s] for s in mark]])

    def _place(self, world):
        """Draw walls and ends of a layout."""
        if (world.rows, world.columns) != (self.rows, self.columns):
            raise ValueError(f"the picture has {self.rows} x {self.columns} cells; got {world.rows} x {world.columns}.")
        self.world, self.cells = world, list(world.cells)
        free = set(self.cells)
        every = [(i, j) for i in range(self.rows) for j in range(self.columns)]
        self.walls.set_verts([_square(cell, 0.5) for cell in every if cell not in free])
        self.end_states = [
            s for s, (i, j) in enumerate(self.cells) if world.letters[i][j] in getattr(world, "ends", ())
        ]
        self.ends = [self.cells[s] for s in self.end_states]
        self.frames.set_verts([_square(cell, 0.46) for cell in self.ends])
        self.corners.items = [
            (j - 0.4, i - 0.4, self.labels[world.letters[i][j]]) for i, j in every if world.letters[i][j] in self.labels
        ]

    def _show_values(self, values, limit):
        table, self.texts.items = np.zeros((self.rows, self.columns)), []
        if values is not None:
            values = np.asarray(values, float)
            for s, ((i, j), value) in enumerate(zip(self.cells, values)):
                table[i, j] = value
                if self.numbers and np.isfinite(value) and not (s in self.end_states and value == 0):
                    self.texts.items.append((j, i, _written(self.form, value)))
            if limit is None:
                limit = float(np.abs(values[np.isfinite(values)]).max(initial=0)) or 1.0
            table = np.clip(np.nan_to_num(table, posinf=limit, neginf=-limit) / limit, -1, 1)
        self.colours.set_facecolor(VALUES((table.ravel() + 1) / 2))

    def _show_arrows(self, optimal):
        shapes = []
        if optimal is not None:
            ends = set(self.end_states)
            for s, a in np.argwhere(np.asarray(optimal)[:, :4]):
                if s not in ends:
                    shapes.append(_arrow(self.cells[s], DIRECTIONS[a]))
        self.arrows.set_verts(shapes)


def plot_grid(world, values=None, optimal=None, *, ax, agent=None, mark=(), **look):
    """Draw a grid world with values and all optimal arrows, and return the axes; ``look`` as in `GridPicture`."""
    GridPicture(ax, world, **look).update(values, optimal, agent=agent, mark=mark)
    return ax


def _add(ax, shapes, **look):
    return ax.add_collection(PolyCollection(shapes, **look), autolim=False)


def _square(cell, half):
    i, j = cell
    return [(j - half, i - half), (j + half, i - half), (j + half, i + half), (j - half, i + half)]


def _arrow(cell, direction):
    """Return a triangle at the edge of a cell towards which an action points."""
    (i, j), (di, dj) = cell, direction
    side = np.array([-di, dj])  # across, as (x, y)
    ahead, centre = np.array([dj, di]), np.array([j, i])
    return [centre + 0.475 * ahead, centre + 0.345 * ahead + 0.11 * side, centre + 0.345 * ahead - 0.11 * side]


def _written(form, value):
    text = form.format(value)
    return text.replace("-", "−") if float(text) != 0 else text.replace("-", "")

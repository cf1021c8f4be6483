"""One style for every picture, and the few pictures that recur.

Colours are Okabe and Ito's, which readers with any kind of colour vision can tell apart; classes also differ in
marker, so that nothing depends on colour alone. Backgrounds are opaque: labels stay readable in a dark theme.
Functions named ``plot_*`` draw on ``ax`` (a new one where none is given) and return it; they never fit a model.
"""

import matplotlib as mpl
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.path import Path
from matplotlib.ticker import FixedLocator, NullLocator
from PIL import Image

BLUE, ORANGE, GREEN, PURPLE = "#0072B2", "#D55E00", "#009E73", "#AA4499"
YELLOW, SKY, INK, GREY, PALE = "#F0E442", "#56B4E9", "#22262E", "#8A8F98", "#E6E8EC"

# Pale ones, for areas under marks and for what is not yet or no longer there
LIGHT_BLUE, LIGHT_ORANGE, LIGHT_GREEN, SOFT_ORANGE = "#9CCBE6", "#F3C3A2", "#8FD3BC", "#F3C7A8"
BLUE_TINT, ORANGE_TINT, GREEN_TINT, PURPLE_TINT = "#D6E8F3", "#F9E0D1", "#D2EDE4", "#E3D3E8"
BLUE_GROUND, ORANGE_GROUND, GREEN_GROUND = "#CFE3F1", "#F8DCCB", "#CDEBE2"
BLUE_WASH, ORANGE_WASH, ORANGE_MIST, ORANGE_FIELD, ORANGE_HATCH = "#DCEBF5", "#FBE3D3", "#FBE3D6", "#F9DDC9", "#F7D9C4"
HIGHLIGHT, AHEAD, BEFORE, LINK, DARK_SQUARE = "#F7F1B5", "#C9CDD4", "#C9CDD3", "#C3C8D0", "#D3D7DE"
FAINT, GREY_MIST = "#F2F3F5", "#F3F4F6"
VALUE_STEPS = ("#E08A4E", "#F3CBAE", "#FFFFFF", "#B5D6E8", "#5FA5CF")  # from loss over nothing to gain
BLUE_STEPS, ORANGE_STEPS = ("#DCECF5", "#B5D6E8", "#8DBFDC"), ("#FAE6D8", "#F3CBAE", "#E9AE82")  # from pale to full
LEVEL_TINTS = [  # three classes, each at three levels of probability
    *("#E3F0F7", "#C3DFEE", "#9FCBE3"),
    *("#FCEDE3", "#F8D6C0", "#F2BC9A"),
    *("#E0F3EC", "#BFE6D8", "#98D7C1"),
]

# Dark ones, for words
DARK_GREEN, DARK_SLATE, SLATE, QUIET = "#00684C", "#3A404A", "#5A606B", "#6B7079"

# Of pages and slides alone: a frame, and words on white
AMBER, GREY_VEIL, CAPTION = "#E69F00", "#8A8F9855", "#4A4F58"
AMBER_WORDS, GREEN_WORDS, ORANGE_WORDS = "#9A6A00", "#00754F", "#B34700"

COLOURS = {name: value for name, value in globals().items() if isinstance(value, str) and value.startswith("#")}

CLASS_COLORS = (BLUE, ORANGE, GREEN, PURPLE, SKY)
CLASS_MARKERS = ("o", "s", "^", "D", "v")
BELOW = {"loc": "outside lower center", "ncols": 8, "frameon": False, "columnspacing": 1.6, "handlelength": 1.9}

STYLE = {
    "figure.figsize": (7.2, 4.0),
    "figure.dpi": 110,
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
    "axes.facecolor": "white",
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.linewidth": 1.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlelocation": "left",
    "axes.titleweight": "bold",
    "axes.titlesize": 13,
    "axes.labelsize": 13,
    "axes.prop_cycle": mpl.cycler(color=[BLUE, ORANGE, GREEN, PURPLE, INK, SKY]),
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "xtick.labelsize": 12,
    "ytick.labelsize": 12,
    "legend.fontsize": 12,
    "legend.frameon": True,
    "legend.framealpha": 0.9,
    "legend.edgecolor": PALE,
    "lines.linewidth": 2.2,
    "lines.markersize": 7,
    "font.size": 12,
    "font.family": "DejaVu Sans",
    "mathtext.fontset": "dejavusans",
    "image.cmap": "cividis",
}


def use_style():
    """Give every picture drawn from here on the course's style."""
    mpl.rcParams.update(STYLE)


def canvas(columns=1, *, size=(9.6, 4.2), dpi=125, widths=None, rows=1, **kwargs):
    """Return a figure on an Agg canvas, with no pyplot behind it, and its axes.

    >>> figure, (left, right) = canvas(2, widths=(3, 2))
    >>> left.get_xlabel()
    ''
    """
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=size, dpi=dpi, layout="constrained")
        FigureCanvasAgg(figure)
        axes = figure.subplots(rows, columns, width_ratios=widths, **kwargs)
    return figure, axes


def plot_classes(X, y, *, ax=None, names=None, filled=None, size=44):
    """Scatter two-dimensional points, one marker and colour per class; ``filled`` marks some of them."""
    ax = _axes(ax)
    filled = np.zeros(len(X), bool) if filled is None else np.asarray(filled, bool)
    for k, label in enumerate(np.unique(y)):
        color, marker = CLASS_COLORS[k % 5], CLASS_MARKERS[k % 5]
        rows = y == label
        faces = [color if solid else "white" for solid in filled[rows]]
        name = names[k] if names is not None else f"class {label}"
        ax.scatter(*X[rows].T, s=size, marker=marker, facecolors=faces, edgecolors=color, linewidths=1.6, label=name)
    return ax


def plot_line(w, b, *, ax, level=0.0, **style):
    """Draw the line ``w . x + b = level`` across the axes and return its artist."""
    (artist,) = ax.plot(*line_ends(w, b, ax, level), **{"color": INK, **style})
    return artist


def tint(color, share=0.25):
    """Return a colour mixed with white."""
    return tuple(1 - share * (1 - c) for c in mpl.colors.to_rgb(color))


def line_ends(w, b, ax, level=0.0):
    """Return x and y of the two points where ``w . x + b = level`` leaves the axes' box (empty if it never enters)."""
    (x0, x1), (y0, y1) = ax.get_xlim(), ax.get_ylim()
    c = b - level
    points = []
    if abs(w[1]) > 1e-12:
        points += [(x, -(w[0] * x + c) / w[1]) for x in (x0, x1)]
    if abs(w[0]) > 1e-12:
        points += [(-(w[1] * y + c) / w[0], y) for y in (y0, y1)]
    slack_x, slack_y = 1e-9 * abs(x1 - x0), 1e-9 * abs(y1 - y0)
    inside = [
        (x, y)
        for x, y in points
        if min(x0, x1) - slack_x <= x <= max(x0, x1) + slack_x and min(y0, y1) - slack_y <= y <= max(y0, y1) + slack_y
    ]
    inside = sorted(set(inside))
    if len(inside) < 2:
        return np.empty(0), np.empty(0)
    return tuple(np.array([inside[0], inside[-1]]).T)


def mesh(ax, n=100):
    """Return a grid over the axes' box: ``xx, yy`` of shape ``(n, n)`` and its points ``(n * n, 2)``."""
    xx, yy = np.meshgrid(np.linspace(*ax.get_xlim(), n), np.linspace(*ax.get_ylim(), n))
    return xx, yy, np.column_stack([xx.ravel(), yy.ravel()])


def tall_and_two(size, widths, heights=None):
    """Return a figure and its three panels: a tall one on the left, two above each other on the right."""
    figure, axes = canvas(2, rows=2, size=size, widths=widths, height_ratios=heights)
    grid = axes[0, 0].get_gridspec()
    for ax in axes[:, 0]:
        ax.remove()
    return figure, (figure.add_subplot(grid[:, 0]), axes[0, 1], axes[1, 1])


def ticks(axis, values):
    """Put marks at ``values`` only, written in full also where the axis is logarithmic."""
    axis.set_major_locator(FixedLocator(values))
    axis.set_minor_locator(NullLocator())
    axis.set_ticklabels([f"{v:g}" for v in values])


def entries(*panels):
    """Return the artists of some panels that a legend names."""
    return [handle for ax in panels for handle in ax.get_legend_handles_labels()[0]]


def joined(points, codes):
    """Join polygons, lists of their corners and path codes, into one path."""
    return Path(np.concatenate(points), np.concatenate(codes)) if points else Path(np.empty((0, 2)))


AREA = 200  # pixels of one colour that the eye takes for an area


def few_colours(picture, n=128):
    """Return a picture with a palette of ``n`` colours, a quarter of its size as PNG.

    Colours of areas keep their tone, such as the greys of a digit's pixels; the others, mostly the smooth edges of
    lines and letters, share the rest.
    """
    codes = np.asarray(picture).reshape(-1, 3) @ [1 << 16, 1 << 8, 1]
    codes, where, pixels = np.unique(codes, return_inverse=True, return_counts=True)
    colours = np.column_stack([codes >> 16, codes >> 8 & 255, codes & 255])
    order = np.argsort(-pixels, kind="stable")
    areas = colours[order[: max(n // 4, min(n // 2, np.count_nonzero(pixels >= AREA)))]]
    others = picture.quantize(n - len(areas), Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).getpalette()
    palette = np.vstack([areas, np.reshape(others, (-1, 3))[: n - len(areas)]])
    nearest = np.argmin(((colours[:, None] - palette) ** 2).sum(axis=2), axis=1)
    small = Image.fromarray(nearest[where].reshape(picture.size[::-1]).astype(np.uint8), "P")
    small.putpalette(palette.astype(np.uint8).tobytes())
    return small


def _axes(ax):
    if ax is None:
        from matplotlib import pyplot as plt  # only here: explorers and scripts work without it

        ax = plt.gca()
    return ax

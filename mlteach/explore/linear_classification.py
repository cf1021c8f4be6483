"""Explorers of chapter 07: the plane, ambiguous regions, far points, the perceptron's steps, Fisher's projection."""

import functools
import warnings
from itertools import combinations, permutations

import numpy as np
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.patches import Polygon
from matplotlib.ticker import FixedLocator, NullLocator

from mlteach import plots
from mlteach.datasets import blobs
from mlteach.explore.base import Scene, choice, count, explorer, log_slider, plain, slider, whole
from mlteach.linear_classification import (
    FisherDiscriminant,
    LeastSquaresClassifier,
    OneVsOne,
    OneVsRest,
    Perceptron,
    fisher_criterion,
    nearest_on_plane,
    perceptron_bound,
    scatter_between,
    scatter_within,
    signed_distance,
)
from mlteach.svm import SVC
from mlteach.validation import ConvergenceWarning

COLORS = plots.CLASS_COLORS[:3]
TINTS = (plots.BLUE_TINT, plots.ORANGE_TINT, plots.GREEN_TINT)  # of the three classes

# --- The geometry of a plane ---------------------------------------------------------------------------------------


class PlaneGeometry(Scene):
    """Turn, stretch and shift w and b, move a point, and see which of them moves the plane."""

    caption = (
        "Figure 7.3: left, the plane y(x) = 0, its normal w on the shaded side, where y > 0, and the perpendiculars "
        "from the origin and from the point x; right, the same two points: y against the signed distance r."
    )
    lines = 4

    def __init__(self):
        self.figure, (self.plane, height) = plots.canvas(2, size=(9.6, 4.7), widths=(1.28, 1))
        self._draw_plane(self.plane)
        self._draw_height(height)
        self.figure.legend(**{**plots.BELOW, "columnspacing": 1.2})
        self.moving = [self.side, self.line, self.to_origin, self.to_point, *self.arrow.artists, self.point]
        self.moving += [self.ramp, self.at_origin, self.at_point]
        self.controls = {
            "angle": slider("angle of w in degrees", 40.0, -180, 180, 5, digits=0),
            "length": slider("length ‖w‖ at factor 1", 1.5, 0.5, 3, 0.1, digits=1),
            "b": slider("bias b at factor 1", -2.0, -6, 6, 0.1, digits=1),
            "scale": log_slider("factor on w and b", 1.0, 0.25, 2.0, per_decade=20),
            "x1": slider("point x₁", 3.0, -4.5, 4.5, 0.1, digits=1),
            "x2": slider("point x₂", 2.0, -4, 4, 0.1, digits=1),
        }

    def _draw_plane(self, ax):
        ax.set(xlim=(-5, 5), ylim=(-4.2, 4.2), xlabel="$x_1$", ylabel="$x_2$", title="The plane y(x) = 0")
        ax.set_aspect("equal")
        self.side = ax.add_patch(Polygon(np.zeros((4, 2)), fc=TINTS[1], ec="none", zorder=0.5, label="side y > 0"))
        (self.line,) = ax.plot([], [], color=plots.INK, lw=2.6, zorder=2, label="plane")
        (self.to_origin,) = ax.plot([], [], "--", color=plots.GREY, lw=2, zorder=1.5, label="|b| / ‖w‖")
        (self.to_point,) = ax.plot([], [], "-.", color=plots.PURPLE, lw=2, zorder=1.5, label="distance |r|")
        self.arrow = _arrow(ax, plots.ORANGE, label="w")
        ax.plot([0], [0], "s", ms=8, mfc="white", mec=plots.INK, mew=2, zorder=4, label="origin")
        (self.point,) = ax.plot([0], [0], "o", ms=11, color=plots.PURPLE, mec="white", zorder=5, label="x")

    def _draw_height(self, ax):
        ax.set(xlim=(-7, 7), ylim=(-16, 16), xlabel="signed distance r", ylabel="y(x) = w·x + b", title="y = ‖w‖ r")
        ax.axhline(0, color=plots.GREY, lw=1, zorder=0.4)
        ax.axvline(0, color=plots.GREY, lw=1, zorder=0.4)
        (self.ramp,) = ax.plot([], [], color=plots.ORANGE, zorder=2)
        (self.at_origin,) = ax.plot([0], [0], "s", ms=8, mfc="white", mec=plots.INK, mew=2, zorder=4, clip_on=False)
        (self.at_point,) = ax.plot([0], [0], "o", ms=11, color=plots.PURPLE, mec="white", zorder=5, clip_on=False)

    def compute(self, angle, length, b, scale, x1, x2):
        """Return the plane, the origin and the point, their signed distances and their feet."""
        w, b = scale * length * _unit(angle), scale * b
        X = np.array([[0.0, 0.0], [x1, x2]])
        return w, b, X, signed_distance(X, w, b), nearest_on_plane(X, w, b)

    def draw(self, result):
        """Lay the plane, its normal and the two perpendiculars."""
        w, b, X, r, feet = result
        size = float(np.linalg.norm(w))
        along, across = 20 * np.array([-w[1], w[0]]) / size, 40 * w / size
        self.side.set_xy([feet[0] - along, feet[0] + along, feet[0] + along + across, feet[0] - along + across])
        self.line.set_data(*np.transpose([feet[0] - along, feet[0] + along]))
        self.to_origin.set_data(*np.transpose([X[0], feet[0]]))
        self.to_point.set_data(*np.transpose([X[1], feet[1]]))
        self.point.set_data(X[1:].T)
        self.arrow(feet[0], w)
        self.ramp.set_data([-7, 7], [-7 * size, 7 * size])
        for mark, distance in zip((self.at_origin, self.at_point), np.clip(r, -_rim(size), _rim(size))):
            mark.set_data([distance], [distance * size])

    def describe(self, result):
        """Say where the plane lies and on which side the point is."""
        w, b, _, r, feet = result
        size = float(np.linalg.norm(w))
        words = f"w = (**{plain(w[0], '.2f')}**, **{plain(w[1], '.2f')}**) has the length ‖w‖ = **{size:.2f}**; with "
        words += f"b = **{plain(b, '.2f')}** the plane lies |b|/‖w‖ = **{abs(r[0]):.2f}** from the origin. "
        y, distance = plain(r[1] * size, ".2f"), plain(r[1], ".2f")
        words += f"The point has y(x) = **{y}** and the signed distance r = y/‖w‖ = **{distance}**: "
        side = "the side of w" if r[1] > 0 else "the other side"
        words += f"it lies on **{'the plane' if distance == '0.00' else side}**."
        if not len(plots.line_ends(w, b, self.plane)[0]):
            words += " The plane is outside the picture."
        elif np.any(np.abs(feet[0] + w) > [5, 4.2]):
            words += " The tip of w is outside the picture."
        off = " and the ".join(n for n, d in zip(("square", "dot"), r) if abs(d) > _rim(size))
        return words + (f" Right, the {off} would be off the scale, so the rim is shown." if off else "")


plane_geometry = explorer(PlaneGeometry)


def _rim(size):
    """Return the largest distance that the right panel can show."""
    return min(7, 16 / size)


# --- Ambiguous regions ---------------------------------------------------------------------------------------------

BOX = np.array([[-6.0, -4.5], [6.0, -4.5], [6.0, 4.5], [-6.0, 4.5]])


DOUBT = {"none": ("white", ".."), "several": (plots.YELLOW, "//"), "tied": (plots.PURPLE_TINT, "xx")}
METHODS = {"one-versus-rest": "rest", "one-versus-one": "pairs", "K-class discriminant": "joint"}
NAMES = np.array(["A", "B", "C"])


class AmbiguousRegions(Scene):
    """Join two-class models to three classes and see which regions are claimed by none, by several, or tied."""

    caption = (
        "Figure 7.5: three classes from least-squares models. Hatched regions are claimed by no class (dots), "
        "claimed by several (lines) or tied in the vote (crosses); the bars measure them."
    )
    lines = 3

    def __init__(self):
        self.base = blobs(90, np.zeros((3, 2)), 1.0, rng=4)
        self.y = self.base.y
        self.figure, (self.plane, bars) = plots.canvas(2, size=(9.6, 4.9), widths=(3, 1.15))
        self._draw_plane(self.plane)
        self._draw_bars(bars)
        self.figure.legend(**plots.BELOW)
        self.moving = [self.clear, *self.doubtful.values(), self.borders, *self.clouds, *self.letters, *self.notes]
        self.moving += list(self.rods)
        self.controls = {
            "method": choice("method", METHODS, "rest"),
            "spread": slider("spread σ", 0.6, 0.2, 1.5, 0.05),
            "turn": slider("rotation of clouds α", 30.0, -90.0, 90.0, 5, digits=0),
            "h": slider("height of class B h", 4.5, 0.0, 5.5, 0.1, digits=1),
        }

    def _draw_plane(self, ax):
        ax.set(xlim=(-6, 6), ylim=(-4.5, 4.5), xlabel="$x_1$", ylabel="$x_2$", title="Who gets which region")
        self.clear = ax.add_collection(PolyCollection([], edgecolors="none", zorder=0.5))
        self.doubtful = {
            kind: ax.add_collection(PolyCollection([], fc=c, ec=plots.GREY, hatch=hatch, lw=0, zorder=0.6, label=kind))
            for kind, (c, hatch) in DOUBT.items()
        }
        self.borders = ax.add_collection(LineCollection([], colors=plots.INK, lw=2.2, zorder=2, label="boundary"))
        plots.plot_classes(self.base.X, self.y, ax=ax, names=[f"class {n}" for n in NAMES], size=26)
        self.clouds = ax.collections[-3:]
        look = {"ha": "center", "va": "center", "weight": "bold"}
        self.letters = [
            ax.text(0, 0, n, color=c, alpha=0.4, fontsize=32, zorder=1, **look) for n, c in zip(NAMES, COLORS)
        ]
        self.notes = [ax.text(0, 0, "", fontsize=13, zorder=5, **look) for _ in range(4)]

    def _draw_bars(self, ax):
        ax.set(xlim=(0, 105), xlabel="% of the picture", title="Shares")
        self.rods = ax.barh(["one class", *DOUBT], [0] * 4, height=0.55, ec=plots.GREY)
        for rod, (color, hatch) in zip(self.rods, [(plots.PALE, ""), *DOUBT.values()]):
            rod.set(facecolor=color, hatch=hatch)
        ax.invert_yaxis()
        ax.tick_params(axis="y", length=0)

    def compute(self, method, spread, turn, h):
        """Train the chosen method and cut the picture into the regions that it makes."""
        X = _clouds(self.base.X, self.y, spread, turn) + np.array([[-3, -2], [0, -2 + h], [3, -2]])[self.y]
        model = {"rest": _rest, "pairs": _pairs, "joint": LeastSquaresClassifier}[method]().fit(X, NAMES[self.y])
        return method, X, model, _cells(method, model)

    def draw(self, result):
        """Colour the regions, draw the boundaries and measure the shares."""
        method, X, model, cells = result
        settled = [c for c in cells if c.kind == "clear"]
        self.clear.set_verts([c.corners for c in settled])
        self.clear.set_facecolor([TINTS["ABC".index(c.tag)] for c in settled])
        for kind, artist in self.doubtful.items():
            artist.set_verts([c.corners for c in cells if c.kind == kind])
        self.borders.set_segments(_borders(method, model, self.plane))
        for k, cloud in enumerate(self.clouds):
            cloud.set_offsets(X[self.y == k])
        self._name(cells)
        for rod, kind in zip(self.rods, ("clear", *DOUBT)):
            rod.set_width(100 * _share(cells, kind))

    def _name(self, cells):
        """Write into each large region whose it is; of several with one name the largest gets it."""
        large = {c.tag: c for c in sorted(cells, key=lambda c: c.area) if c.area > 2}
        for name, letter in zip(NAMES, self.letters):
            letter.set_visible(name in large)
            letter.set_position(large[name].middle if name in large else (0, 0))
        unclear = [c for c in large.values() if c.kind != "clear"]
        for note, cell in zip(self.notes, [*unclear, *[None] * 4]):
            note.set_visible(cell is not None)
            if cell is not None:
                note.set_position(cell.middle)
                note.set_text(cell.tag)

    def describe(self, result):
        """Say how much is ambiguous and how many points are wrong."""
        method, X, model, cells = result
        none, several, tied = (100 * _share(cells, kind) for kind in DOUBT)
        if method == "rest":
            words = f"**3** models, one for each class: **{none:.1f} %** of the picture is claimed by no class, "
            words += f"**{several:.1f} %** by two or three. "
            words += (
                f"Points in such a region: **{(model.claims(X) != 1).sum()}** of 90; the largest score settles them. "
            )
        elif method == "pairs":
            words = f"**3** models, one for each pair, 3·2/2: on **{tied:.1f} %** of the picture every class has "
            words += f"one vote. Points in this region: **{model.ties(X).sum()}** of 90. "
        else:
            words = "One score for each class, the largest wins: **no** region is ambiguous, and every region is "
            words += "**convex**. "
        wrong = model.predict(X) != NAMES[self.y]
        words += f"Training errors: **{wrong.sum()}** of 90"
        words += f", **{wrong[self.y == 1].sum()}** of them in class B." if wrong.any() else "."
        empty = [n for n in NAMES if n not in {c.tag for c in cells}]
        return words + (f" Class {' and '.join(empty)} has **no region of its own**." if empty else "")


ambiguous_regions = explorer(AmbiguousRegions)


def _clouds(Z, y, spread, turn):
    """Return three clouds three times as long as wide, the long axis of each turned from the triangle's spokes."""
    X = np.empty_like(Z)
    for k, spoke in enumerate((210, 90, 330)):
        long = _unit(spoke + turn)
        frame = np.array([1.6 * long, 0.55 * np.array([-long[1], long[0]])])
        X[y == k] = spread * Z[y == k] @ frame
    return X


def _rest():
    return OneVsRest(LeastSquaresClassifier)


def _pairs():
    return OneVsOne(LeastSquaresClassifier)


class _Cell:
    """A convex piece of the picture in which nothing changes: its corners, and what the model says there."""

    def __init__(self, corners, method, model):
        self.corners = corners
        self.area, self.middle = _measure(corners)
        here = self.middle[None]
        self.kind, self.tag = "clear", str(model.predict(here)[0])
        if method == "rest":
            claimed = model.classes_[model.scores(here)[0] > 0]
            if len(claimed) != 1:
                self.kind, self.tag = ("several", " or ".join(claimed)) if len(claimed) else ("none", "none")
        elif method == "pairs" and model.ties(here)[0]:
            self.kind, self.tag = "tied", "tied"


def _planes(method, model):
    """Return (w, b) of every two-class boundary."""
    if method == "joint":
        return [(model.W_[a] - model.W_[b], model.b_[a] - model.b_[b]) for a, b in combinations(range(3), 2)]
    models = model.models_ if method == "rest" else model.models_.values()
    return [(m.W_[1] - m.W_[0], m.b_[1] - m.b_[0]) for m in models]


def _cells(method, model):
    """Cut the picture along every boundary, or into the regions of the K-class discriminant."""
    if method == "joint":
        pieces = [BOX] * 3
        for k, j in permutations(range(3), 2):
            if len(pieces[k]):
                pieces[k] = _clip(pieces[k], model.W_[k] - model.W_[j], model.b_[k] - model.b_[j])
        pieces = [piece for piece in pieces if len(piece) > 2]
    else:
        pieces = [BOX]
        for w, b in _planes(method, model):
            pieces = [half for piece in pieces for half in (_clip(piece, w, b), _clip(piece, -w, -b)) if len(half) > 2]
    return [_Cell(piece, method, model) for piece in pieces if _measure(piece)[0] > 1e-6]


def _borders(method, model, ax):
    """Return the lines of all two-class models, or the borders between the regions of the K-class discriminant."""
    segments = [np.transpose(plots.line_ends(w, b, ax)) for w, b in _planes(method, model)]
    if method == "joint":  # of the line y_a = y_b only the part above the third score
        rest = [(model.W_[a] - model.W_[c], model.b_[a] - model.b_[c]) for a, c in ((0, 2), (0, 1), (1, 0))]
        segments = [_clip(ends, *plane) if len(ends) else ends for ends, plane in zip(segments, rest)]
    return [ends[:2] for ends in segments if len(ends) > 1]


def _clip(corners, w, b):
    """Return the part of a convex polygon where w . x + b >= 0."""
    kept = []
    for p, q in zip(corners, np.roll(corners, -1, axis=0)):
        y, z = p @ w + b, q @ w + b
        if y >= 0:
            kept.append(p)
        if y * z < 0:
            kept.append(p + y / (y - z) * (q - p))
    return np.array(kept)


def _measure(corners):
    """Return area and centroid of a polygon whose corners run counter-clockwise."""
    p, q = corners, np.roll(corners, -1, axis=0)
    cross = p[:, 0] * q[:, 1] - q[:, 0] * p[:, 1]
    area = cross.sum() / 2
    return area, ((p + q) * cross[:, None]).sum(axis=0) / (6 * area) if area > 1e-9 else corners.mean(axis=0)


def _share(cells, kind):
    return sum(c.area for c in cells if c.kind == kind) / 108


# --- Far points ----------------------------------------------------------------------------------------------------

FAR = np.linspace(0, 7, 15)


METHOD_STYLES = {
    "least squares": (plots.INK, "-", 2.6),
    "Fisher": (plots.GREEN, "--", 2.6),
    "perceptron": (plots.PURPLE, "-.", 2.4),
    "SVM": (plots.SKY, ":", 3.4),
}


class OutlierPull(Scene):
    """Move a group of correctly labelled points away and see which boundaries turn."""

    caption = (
        "Figure 7.7: a group with the right label moves away; follow the four boundaries. Above right, what its points "
        "cost each method (Fisher has no such cost); below, by how much the boundaries have turned."
    )
    lines = 3

    def __init__(self):
        self.near = blobs(40, [[-1.05, 0.75], [1.05, -0.75]], 0.6, rng=2)
        self.group = 0.35 * np.random.default_rng(50).normal(size=(20, 2))
        self.alone = _four(*self._data(0, 0, 0))
        self._path = functools.lru_cache(maxsize=512)(self._turned)
        self.figure, (self.plane, cost, turn) = plots.tall_and_two(size=(9.6, 5.2), widths=(1.2, 1))
        self._draw_plane(self.plane)
        self._draw_cost(cost)
        self._draw_turn(turn)
        self.figure.legend(handles=plots.entries(self.plane), **{**plots.BELOW, "ncols": 4})
        self.moving = [*self.boundaries, self.far, self.wrong, self.beads, self.curve, *self.marks]
        self.controls = {
            "d": slider("distance of the group d", 0.0, 0.0, 7.0, 0.1, digits=1),
            "m": whole("points in the group m", 10, 0, 20),
            "phi": slider("direction φ in degrees", -65.0, -90, 20, 5, digits=0),
        }

    def _draw_plane(self, ax):
        ax.set(xlim=(-3.5, 8.5), ylim=(-8.8, 3.2), xlabel="$x_1$", ylabel="$x_2$", aspect="equal")
        ax.set_title("Four boundaries")
        self.boundaries = [
            ax.plot([], [], color=c, ls=s, lw=lw, zorder=2, label=name)[0] for name, (c, s, lw) in METHOD_STYLES.items()
        ]
        plots.plot_classes(self.near.X, self.near.y, ax=ax, names=["class −1", "class +1"], size=26)
        look = {"color": plots.ORANGE, "mec": "white", "mew": 0.5}
        (self.far,) = ax.plot([], [], "s", ms=6, zorder=4, label="group, +1", **look)
        (self.wrong,) = ax.plot([], [], "x", ms=10, mew=2.4, color=plots.INK, zorder=5, label="wrong (l. s.)")

    def _draw_cost(self, ax):
        ax.set(xlim=(-2.2, 5.6), ylim=(0, 20), xlabel="t y(x), fit without the group", ylabel="cost of a point")
        ax.set_title("Too correct costs, too")
        y = np.linspace(-3, 7, 201)
        for name, loss in (("least squares", (1 - y) ** 2), ("perceptron", -y), ("SVM", 1 - y)):
            c, s, lw = METHOD_STYLES[name]
            ax.plot(y, np.maximum(0, loss), color=c, ls=s, lw=0.8 * lw, zorder=1)
        look = {"color": plots.ORANGE, "mec": "white", "mew": 0.5}
        (self.beads,) = ax.plot([1], [0], "s", ms=6, zorder=3, clip_on=False, **look)

    def _draw_turn(self, ax):
        ax.set(xlim=(0, 7), ylim=(-75, 75), xlabel="distance of the group d", ylabel="degrees ↺", title="Turned by")
        ax.yaxis.set_major_locator(FixedLocator([-60, -30, 0, 30, 60]))
        ax.axhline(0, color=plots.GREY, lw=1, zorder=0.5)
        (self.curve,) = ax.plot([], [], color=plots.INK, zorder=1)
        shapes = [("o", 13, "white"), ("D", 6, plots.GREEN), ("^", 14, "white"), ("s", 5, plots.SKY)]
        self.marks = [
            ax.plot([0], [0], m, ms=size, mfc=face, mec=c, mew=2, zorder=3, clip_on=False)[0]
            for (m, size, face), (c, *_) in zip(shapes, METHOD_STYLES.values())
        ]

    def _data(self, d, m, phi):
        X, y = self.near.X, self.near.y
        return np.vstack([X, X[y == 1].mean(axis=0) + d * _unit(phi) + self.group[:m]]), np.append(y, np.ones(m, int))

    def _turned(self, m, phi):
        """Return by how much least squares turns as the group moves out."""
        return [_angle(self.alone[0][0], _least_squares(*self._data(d, m, phi))[0]) for d in FAR]

    def compute(self, d, m, phi):
        """Fit all four with the group; return their planes, mistakes and turns."""
        X, y = self._data(d, m, phi)
        found = _four(X, y)
        wrong = [(X @ w + b > 0) != (y == 1) for w, b in found]
        angles = [_angle(before[0], after[0]) for before, after in zip(self.alone, found)]
        w, b = self.alone[0]
        return d, X, found, wrong, angles, self._path(m, phi), X[40:] @ w + b

    def draw(self, result):
        """Move the group, the four boundaries and the marks on the two curves."""
        d, X, found, errors, angles, turned, outputs = result
        self.far.set_data(X[40:].T)
        self.wrong.set_data(X[errors[0]].T)
        for line, (w, b) in zip(self.boundaries, found):
            line.set_data(*plots.line_ends(w, b, self.plane))
        outputs = np.clip(outputs, -2.2, 1 + np.sqrt(20))
        self.beads.set_data(outputs, (1 - outputs) ** 2)
        self.curve.set_data(FAR, turned)
        for mark, angle in zip(self.marks, angles):
            mark.set_data([d], [np.clip(angle, -75, 75)])

    def describe(self, result):
        """Say who has turned, who is wrong, and what the group costs."""
        _, X, _, wrong, angles, _, outputs = result
        turned = [f"**{plain(a, '.0f')}°**" for a in angles]
        errors = [f"**{count(int(e.sum()), 'error')}**" for e in wrong]
        words = f"Least squares has turned by {turned[0]} and makes {errors[0]} on {len(X)} points; "
        words += f"Fisher's discriminant by {turned[1]}, with its own threshold, {errors[1]}. "
        words += f"Perceptron: {turned[2]}, {errors[2]}. SVM: {turned[3]}, {errors[3]}. "
        if len(outputs) == 0:
            return words + "There is no group."
        price = (1 - outputs) ** 2
        words += f"The fit without the group pays **{price.mean():.1f}** on average for a point of the group"
        return words + (", some off the scale." if price.max() > 20 else ".")


outlier_pull = explorer(OutlierPull)


def _four(X, y):
    """Return (w, b) by least squares, Fisher's discriminant, the perceptron and the support vector machine."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        models = [FisherDiscriminant(), Perceptron(shuffle=False, epochs=500), SVC(C=10, solver="interior_point")]
        return [_least_squares(X, y), *[(m.w_, m.b_) for m in (model.fit(X, y) for model in models)]]


def _least_squares(X, y):
    model = LeastSquaresClassifier().fit(X, y)
    return model.W_[1] - model.W_[0], model.b_[1] - model.b_[0]


def _angle(before, after):
    """Return by how many degrees a normal has turned, counter-clockwise positive."""
    cross = before[0] * after[1] - before[1] * after[0]
    return float(np.degrees(np.arctan2(cross, before @ after)))


# --- The perceptron's steps ----------------------------------------------------------------------------------------

FIRST = 60  # updates shown of a run that never stops


class PerceptronSteps(Scene):
    """Play the perceptron's updates and compare its mistakes with Novikoff's bound."""

    caption = (
        "Figure 7.9: the perceptron from zero, one mistake at a time. Above right, the mistakes that are left; below, "
        "the length of (b, w) between the two bounds of the proof, which meet at M = (R/γ)²."
    )
    play, interval = "part", 200
    lines = 3

    def __init__(self):
        self.make = _gap_data()
        self._run = functools.lru_cache(maxsize=512)(lambda eta, gap, seed: _Run(*self.make(gap), eta, seed))
        self.figure, (self.plane, left, squeeze) = plots.tall_and_two(size=(9.6, 5.3), widths=(1.1, 1))
        self._draw_plane(self.plane)
        self._draw_left(left)
        self._draw_squeeze(squeeze)
        self.figure.legend(
            handles=plots.entries(self.plane, squeeze),
            **{**plots.BELOW, "ncols": 6, "columnspacing": 1.1, "fontsize": 11},
        )
        self.moving = [*self.clouds, self.old, self.line, *self.arrow.artists, self.culprit, self.wrong]
        self.moving += [self.ahead, self.done, self.now, self.upper, self.lower, self.limit, self.norms, self.here]
        self.controls = {
            "part": whole("part of the run, %", 46, 0, 100, step=2),
            "gap": slider("gap between classes g", 0.4, -0.6, 2.0, 0.1, digits=1),
            "eta": log_slider("learning rate η", 1.0, 0.25, 4.0, per_decade=10),
            "seed": whole("order of the points s", 0, 0, 20),
        }

    def _draw_plane(self, ax):
        ax.set(xlim=(-3.4, 4.6), ylim=(-3.0, 5.0), xlabel="$x_1$", ylabel="$x_2$", title="The line", aspect="equal")
        plots.plot_classes(*self.make(0.4), ax=ax, names=["class −1", "class +1"], size=40)
        self.clouds = ax.collections[-2:]
        (self.old,) = ax.plot([], [], "--", color=plots.GREY, lw=1.8, zorder=1.4, label="line before")
        (self.line,) = ax.plot([], [], color=plots.INK, lw=2.6, zorder=1.5, label="line now")
        self.arrow = _arrow(ax, plots.GREEN, label="direction of w")
        ring = {"mfc": "none", "mec": plots.PURPLE, "mew": 2.4}
        (self.culprit,) = ax.plot([], [], "o", ms=17, zorder=4, label="made update M", **ring)
        (self.wrong,) = ax.plot([], [], "x", ms=9, mew=2.2, color=plots.INK, zorder=4, label="wrong now")

    def _draw_left(self, ax):
        ax.set(xlim=(0, 100), ylim=(0, 25), ylabel="points wrong", xlabel="% of the run, or of its first 60 updates")
        ax.set_title("Points still wrong")
        (self.ahead,) = ax.plot([], [], color=plots.AHEAD, lw=1.6, zorder=1)
        (self.done,) = ax.plot([], [], color=plots.INK, lw=1.8, zorder=2)
        (self.now,) = ax.plot([0], [0], "D", ms=8, mfc="white", mec=plots.INK, mew=2, zorder=3, clip_on=False)

    def _draw_squeeze(self, ax):
        ax.set(xscale="log", yscale="log", xlim=(1, 4e4), ylim=(0.05, 1000), xlabel="mistakes M")
        ax.set(title="Between two bounds", ylabel="length")
        plots.ticks(ax.xaxis, [1, 10, 100, 1000, 10_000])
        plots.ticks(ax.yaxis, [0.1, 1, 10, 100, 1000])
        (self.upper,) = ax.plot([], [], "--", color=plots.ORANGE, lw=1.8, zorder=1, label="at most η√M R")
        (self.lower,) = ax.plot([], [], "-.", color=plots.BLUE, lw=1.8, zorder=1, label="at least ηMγ")
        (self.limit,) = ax.plot([], [], ":", color=plots.PURPLE, lw=2.4, zorder=1, label="M = (R/γ)²")
        (self.norms,) = ax.plot([], [], color=plots.INK, lw=2.6, zorder=2, label="‖(b, w)‖")
        (self.here,) = ax.plot([1], [1], "D", ms=8, mfc="white", mec=plots.INK, mew=2, zorder=3, clip_on=False)

    def compute(self, part, gap, eta, seed):
        """Return the run and the number of updates made in that part of it."""
        run = self._run(eta, gap, seed)
        return run, round(part / 100 * run.last)

    def draw(self, result):
        """Show the state after update n in all three panels."""
        run, n = result
        self._show_line(run, n)
        parts = np.linspace(0, 100, run.last + 1)
        self.ahead.set_data(parts, run.n_wrong)
        self.done.set_data(parts[: n + 1], run.n_wrong[: n + 1])
        self.now.set_data([parts[n]], [run.n_wrong[n]])
        R, gamma, bound = run.bound[:3]
        ks = np.array([1, 4e4])
        self.upper.set_data(ks, run.eta * np.sqrt(ks) * R)
        self.lower.set_data(ks if gamma > 0 else [], run.eta * ks * gamma if gamma > 0 else [])
        self.limit.set_data([bound] * 2 if gamma > 0 else [], [0.05, 1000] if gamma > 0 else [])
        self.norms.set_data(np.arange(1, n + 1), run.norms[1 : n + 1])
        self.here.set_data([n] if n else [], [run.norms[n]] if n else [])

    def _show_line(self, run, n):
        for c, cloud in enumerate(self.clouds):
            cloud.set_offsets(run.X[run.y == c])
        step, before = run.history[n], run.history[max(n - 1, 0)]
        self.line.set_data(*plots.line_ends(step.w, step.b, self.plane))
        self.old.set_data(*plots.line_ends(before.w, before.b, self.plane))
        self.culprit.set_data(run.X[step.wrong].T if n else np.empty((2, 0)))
        self.wrong.set_data(run.X[run.wrong[n]].T)
        self.arrow.show(n > 0)
        if n:
            foot = nearest_on_plane([run.X.mean(axis=0)], step.w, step.b)[0]
            self.arrow(foot, 1.3 * step.w / np.linalg.norm(step.w))

    def describe(self, result):
        """Say what the update did and what the bound allows."""
        run, n = result
        step, of = run.history[n], "" if run.bound.gamma > 0 else "the first "
        if n == 0:
            words = "At the start w = 0 and b = 0: **no line yet**. Every score is 0, and that counts as wrong. "
        else:
            sign = "−+"[run.y[step.wrong[0]]]
            words = f"Update **{n}** of {of}{run.last} (epoch {step.epoch}), by a point of class {sign}1: w = "
            words += f"(**{plain(step.w[0], '.2f')}**, **{plain(step.w[1], '.2f')}**), b = **{plain(step.b, '.2f')}**. "
            words += f"**{count(int(run.n_wrong[n]), 'point')}** of 24 wrong now. "
        if run.bound.gamma <= 0:
            return words + "No line separates these classes: γ = 0, there is no bound, and the run **never stops**."
        R, gamma, bound = run.bound[:3]
        words += f"The bound allows (R/γ)² = ({R:.2f}/{gamma:.3f})² = **{bound:,.0f}** mistakes; the run "
        return words + f"{'has **stopped**' if n == run.last else 'stops'} after **{run.last}**."


perceptron_steps = explorer(PerceptronSteps)


def _gap_data():
    """Return a function of the gap g that gives 24 points whose widest street has exactly this width."""
    rng = np.random.default_rng(3)
    along, depth = rng.uniform(-2.4, 2.4, (2, 12)), rng.uniform(0.15, 1.7, (2, 12))
    along[0, 0], along[1, :2], depth[0, 0], depth[1, :2] = 0.2, (-1.0, 1.2), 0.0, 0.0  # these hold the street
    y = np.repeat([0, 1], 12)

    def make(gap):
        across = 1.5 + (2 * y - 1) * (gap / 2 + depth.ravel())
        return across[:, None] * _unit(50) + along.reshape(-1, 1) * _unit(140), y

    return make


class _Run:
    """A run of the perceptron with everything that is drawn of it."""

    def __init__(self, X, y, eta, seed):
        self.bound = perceptron_bound(X, y)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model = Perceptron(eta, 400 if self.bound.gamma > 0 else 60, seed, zero=0).fit(X, y)
        self.X, self.y, self.eta, self.model = X, y, eta, model
        self.last = model.n_iter_ if self.bound.gamma > 0 else FIRST
        self.history = model.history_[: self.last + 1]
        W = np.array([[*step.w, step.b] for step in self.history])
        self.norms = np.linalg.norm(W, axis=1)
        outputs = np.column_stack([X, np.ones(len(X))]) @ W.T
        self.wrong = ((2 * y[:, None] - 1) * outputs <= 0).T
        self.n_wrong = self.wrong.sum(axis=1)


# --- Fisher's projection -------------------------------------------------------------------------------------------

ANGLES = np.arange(-90, 91.0)
BINS = np.linspace(-6, 6, 49)


class FisherProjection(Scene):
    """Turn the line on which two classes are projected and look for the largest J."""

    caption = (
        "Figure 7.11: two classes projected on the direction w; large marks are their means and where these fall, the "
        "upright line is halfway. Dashed, the line between the means; dotted, the direction with the largest J."
    )
    lines = 3

    def __init__(self):
        self.Z, self.y = _round_clouds()
        self.figure, (plane, hist, curve) = plots.tall_and_two(size=(9.6, 5.2), widths=(1.15, 1))
        looks = list(zip((plots.BLUE, plots.ORANGE), "os", ("", "//")))
        self._draw_plane(plane, looks)
        self._draw_hist(hist, looks)
        self._draw_curve(curve)
        self.figure.legend(handles=plots.entries(plane), **plots.BELOW)
        self.moving = [*self.clouds, self.axis, self.between, self.fisher, self.drops, *self.feet, *self.steps]
        self.moving += [self.middle, self.path, self.at_between, self.at_fisher, self.now]
        self.controls = {
            "angle": slider("angle θ in degrees", 60.0, -90, 90, 1, digits=0),
            "rho": slider("correlation ρ", 0.0, -0.9, 0.9, 0.05),
            "spread": slider("spread σ", 0.9, 0.5, 1.2, 0.1, digits=1),
        }

    def _draw_plane(self, ax, looks):
        ax.set(xlim=(-4.6, 4.6), ylim=(-4.6, 4.6), xlabel="$x_1$", ylabel="$x_2$", aspect="equal")
        ax.set_title("Classes and directions")
        plots.plot_classes(self.Z, self.y, ax=ax, names=["class −1", "class +1"], size=22)
        self.clouds = ax.collections[-2:]
        (self.axis,) = ax.plot([], [], color=plots.INK, lw=3, zorder=4, label="w now")
        (self.between,) = ax.plot([], [], "--", color=plots.GREEN, lw=2.4, zorder=3, label="line between the means")
        (self.fisher,) = ax.plot([], [], ":", color=plots.PURPLE, lw=3.2, zorder=3, label="Fisher's optimum")
        self.feet = [ax.plot([], [], m, ms=12, color=c, mec="white", mew=1.5, zorder=6)[0] for c, m, _ in looks]
        self.drops = ax.add_collection(LineCollection([], colors=plots.INK, lw=1.4, zorder=5))

    def _draw_hist(self, ax, looks):
        ax.set(xlim=(-6, 6), ylim=(0, 1.08), xlabel="projection w·x", ylabel="frequency", title="The projected classes")
        ax.yaxis.set_major_locator(NullLocator())
        self.steps = [
            ax.stairs(np.zeros(len(BINS) - 1), BINS, fill=True, fc=(c, 0.35), ec=c, lw=1.4, hatch=h, zorder=1)
            for c, _, h in looks
        ]
        (self.middle,) = ax.plot([], [], color=plots.INK, lw=1.8, zorder=2)

    def _draw_curve(self, ax):
        ax.set(xlim=(-90, 90), ylim=(0, 1.08), xlabel="angle θ of w (degrees)", ylabel="J / largest J")
        ax.set_title("Fisher's J")
        ax.xaxis.set_major_locator(FixedLocator([-90, -45, 0, 45, 90]))
        (self.path,) = ax.plot([], [], color=plots.INK, zorder=2)
        (self.at_between,) = ax.plot([], [], "--", color=plots.GREEN, lw=2.4, zorder=1)
        (self.at_fisher,) = ax.plot([], [], ":", color=plots.PURPLE, lw=3.2, zorder=1)
        (self.now,) = ax.plot([0], [0], "D", ms=9, mfc="white", mec=plots.INK, mew=2, zorder=4, clip_on=False)

    def compute(self, angle, rho, spread):
        """Return the classes, their means, J at every angle, and three directions with their J."""
        y, middles = self.y, np.array([[-1.3, -0.6], [1.3, 0.6]])
        X = spread * self.Z @ np.linalg.cholesky(np.array([[1, rho], [rho, 1]])).T + middles[y]
        W = np.stack([_unit(a) for a in ANGLES])
        J = _quadratic(W, scatter_between(X, y)) / _quadratic(W, scatter_within(X, y))
        model = FisherDiscriminant().fit(X, y)
        special = [model.means_[1] - model.means_[0], model.w_]
        return angle, X, model.means_, J / J.max(), [(w, fisher_criterion(w, X, y)) for w in (*special, _unit(angle))]

    def draw(self, result):
        """Turn the axis, project the classes on it and mark its J."""
        angle, X, means, J, found = result
        w, top = _unit(angle), found[1][1]
        for line, (v, _) in zip((self.between, self.fisher, self.axis), found):
            line.set_data(*np.outer(v / np.linalg.norm(v), [-9, 9]))
        counts = [np.histogram(X[self.y == k] @ w, BINS)[0] for k in (0, 1)]
        onto = (means @ w)[:, None] * w
        for k in (0, 1):
            self.clouds[k].set_offsets(X[self.y == k])
            self.steps[k].set_data(counts[k] / np.max(counts))
            self.feet[k].set_data(*np.transpose([means[k], onto[k]]))
        self.drops.set_segments(np.stack([means, onto], axis=1))
        self.middle.set_data([(means @ w).mean()] * 2, [0, 1.08])
        self.path.set_data(ANGLES, J)
        for line, (v, j) in zip((self.at_between, self.at_fisher), found):
            line.set_data([_degrees(v)] * 2, [0, j / top])
        self.now.set_data([angle], [found[2][1] / top])

    def describe(self, result):
        """Compare J here with J along the means and with the best."""
        angle, X, means, _, ((apart, between), (best, top), (w, here)) = result
        sides = (X - means.mean(axis=0)) @ w * (2 * self.y - 1) * np.sign((means[1] - means[0]) @ w)
        words = f"At θ = **{plain(angle, '.0f')}°** J is **{here:.4f}**, **{100 * here / top:.0f} %** of the largest; "
        words += f"cut midway, **{int((sides <= 0).sum())}** of 200 points are on the wrong side. "
        words += f"The line between the means ({plain(_degrees(apart), '.0f')}°) has J = **{between:.4f}**, "
        return words + f"Fisher's optimum (**{plain(_degrees(best), '.0f')}°**) has **{top:.4f}**."


fisher_projection = explorer(FisherProjection)


def _round_clouds():
    """Return two clouds of 100 points, each with mean zero, and together of unit covariance."""
    data = blobs(200, np.zeros((2, 2)), 1.0, rng=7)
    Z, y = data.X.copy(), data.y
    for k in (0, 1):
        Z[y == k] -= Z[y == k].mean(axis=0)
    return np.linalg.solve(np.linalg.cholesky(scatter_within(Z, y) / 200), Z.T).T, y


def _quadratic(W, S):
    return np.einsum("ij,jk,ik->i", W, S, W)


def _degrees(w):
    return float((np.degrees(np.arctan2(w[1], w[0])) + 90) % 180 - 90)


# --- Pieces --------------------------------------------------------------------------------------------------------


def _unit(angle):
    """Return the unit vector at ``angle`` degrees."""
    return np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))])


def _arrow(ax, color, label):
    """Prepare an arrow; return the function that lays it from a foot along a vector."""
    shaft = ax.quiver(
        [0], [0], [1], [1], color=color, angles="xy", scale_units="xy", scale=1, width=0.013, zorder=3,
        edgecolor="white", linewidth=0.6,
    )  # fmt: skip
    ax.plot([], [], ls="", marker="$\\rightarrow$", ms=18, color=color, label=label)

    def lay(foot, vector):
        shaft.set_offsets([foot])
        shaft.set_UVC(*np.asarray(vector, float)[:, None])

    lay.artists, lay.show = [shaft], shaft.set_visible
    return lay

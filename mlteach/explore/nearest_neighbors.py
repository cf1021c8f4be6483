"""Explorers of chapter 14: a vote, K from one to all, units that decide, features that mislead, three local fits."""

from functools import cache

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.colors import ListedColormap
from matplotlib.patches import Circle

from mlteach import plots
from mlteach.datasets import blobs, moons, wine
from mlteach.evaluation import error_rate, rmse
from mlteach.explore.base import Scene, buttons, choice, explorer, log_slider, place, plain, slider, whole
from mlteach.explore.own import Curve, Plane
from mlteach.nearest_neighbors import (
    KNNClassifier,
    KNNRegressor,
    LocallyWeightedRegression,
    NadarayaWatson,
    distances,
    nearest,
    predictions_by_k,
)

GROUNDS = (plots.BLUE_GROUND, plots.ORANGE_GROUND, plots.GREEN_GROUND)  # the classes' colours, pale
NAMES = ("blue", "orange")

# --- One vote -----------------------------------------------------------------------------------------------------

TOWN = moons(60, noise=0.25, rng=4)


class AskNeighbors(Scene):
    """Move a query over the plane and see which neighbours vote, and how."""

    caption = (
        "Figure 14.2: sixty points of two classes and a query (star). The circle reaches to the K-th neighbour; lines "
        "join the query to those who vote. Right, the votes of each class as shares."
    )
    takes = Plane(
        (-2.0, 3.0, -1.5, 2.0),
        "points of two classes and a query (star). The circle reaches to the K-th neighbour; lines join the query to "
        "those who vote. Right, the votes of each class as shares.",
        most=60,
        each=1,
        held=False,
    )

    def __init__(self, data=None):
        self.data, self.town, self.names = data, data or TOWN, data.classes if data else NAMES
        self.figure, (plane, bars) = plots.canvas(2, widths=(3, 1), size=(9.6, 4.3))
        plane.set(xlim=(-2.0, 3.0), ylim=(-1.5, 2.0), xlabel="$x_1$", ylabel="$x_2$", title="The K nearest vote")
        plane.set_aspect("equal")
        if data:
            data.label(plane)
        plots.plot_classes(self.town.X, self.town.y, ax=plane, names=self.names, size=40)
        self.circle = plane.add_patch(Circle((0, 0), 1, fill=False, ec=plots.GREY, ls="--", lw=1.5, zorder=0.5))
        self.spokes = plane.add_collection(LineCollection([], colors=plots.INK, linewidths=1.4, zorder=0.8))
        (self.star,) = plane.plot([], [], "*", ms=18, mfc=plots.YELLOW, mec=plots.INK, zorder=5, label="query")
        self.figure.legend(handles=plots.entries(plane), **plots.BELOW)
        bars.set(xlim=(-0.6, 1.6), ylim=(0, 1.02), xticks=[0, 1], xticklabels=self.names, title="Shares")
        if data:  # words of any length
            bars.tick_params(axis="x", labelsize=10, labelrotation=20)
        self.bars = bars.bar([0, 1], [0, 0], color=(plots.BLUE, plots.ORANGE), width=0.6)
        self.moving = [self.circle, self.spokes, self.star, *self.bars]
        self.controls = {
            "x1": place(data, 0) if data else slider("place x₁", 0.5, -1.5, 2.5, 0.1, digits=1),
            "x2": place(data, 1) if data else slider("place x₂", 0.4, -1.0, 1.5, 0.1, digits=1),
            "k": whole("neighbours K", min(5, len(self.town.X)), 1, len(self.town.X)),
            "weights": buttons("votes", {"equal": "uniform", "1/distance": "distance"}),
        }

    def compute(self, x1, x2, k, weights):
        """Return the query, its neighbours, their distances, and the shares of the classes."""
        query = self.data.inside(x1, x2) if self.data else np.array([x1, x2])
        model = KNNClassifier(k, weights=weights).fit(self.town.X, self.town.y)
        (rows,), (far,) = model.neighbors([query])
        return query, rows, far, model.predict_proba([query])[0], weights

    def draw(self, result):
        """Move the star, its circle, its spokes and the bars."""
        query, rows, far, shares, _ = result
        self.star.set_data(query[:1], query[1:])
        self.circle.center, self.circle.radius = query, far[-1]
        self.spokes.set_segments([[query, self.town.X[n]] for n in rows])
        for bar, share in zip(self.bars, shares):
            bar.set_height(share)

    def describe(self, result):
        """Count the votes."""
        _, rows, far, shares, weights = result
        votes, (first, second) = np.bincount(self.town.y[rows], minlength=2), self.names
        words = f"**{votes[0]}** {first} and **{votes[1]}** {second} within {far[-1]:.2f} of the query. "
        if weights == "distance":
            words += f"Weighted by 1/distance, {second} has the share **{shares[1]:.3f}**. "
        else:
            words += f"The share of {second} is {votes[1]}/{len(rows)} = **{shares[1]:.2f}**. "
        if abs(shares[0] - shares[1]) < 1e-9:
            return words + f"A **tie**: the first class, {first}, gets it."
        return words + f"The answer is **{self.names[int(shares[1] > shares[0])]}**."


ask_neighbors = explorer(AskNeighbors)

# --- K from 1 to n ------------------------------------------------------------------------------------------------

N, FINE = 121, (81, 61)
WORLDS = {
    "two moons": lambda n, rng: moons(n, 0.35, rng=rng),
    "two clouds": lambda n, rng: blobs(n, [[-1, 0], [1, 0]], 1.0, rng=rng),
}
BOXES = {"two moons": (-2.2, 3.2, -1.8, 2.3), "two clouds": (-4, 4, -3, 3)}


class NeighborCount(Scene):
    """Turn K from 1 to the number of points: boundary, training error, test error, leave-one-out."""

    caption = (
        "Figure 14.4: left, 121 training points and the regions of the K-NN classifier. Right, its error on the "
        "training points, on 2,000 new points, and by leave-one-out, for every number of neighbours up to the K chosen."
    )
    takes = Plane(
        (0, 1, 0, 1),
        "left, the training points and the regions of the K-NN classifier. Right, its error on the training points, "
        "on new points, and by leave-one-out, for every number of neighbours up to the K chosen.",
        most=N,
    )
    lines = 3

    def __init__(self, data=None):
        self.data, self.worlds = data, {"yours": _measured(data, data.new, (0, 1, 0, 1))} if data else None
        self.n = len(data.X) if data else N
        self.figure, (self.plane, errors) = plots.canvas(2, widths=(1.15, 1), size=(9.6, 4.4))
        self._draw_plane(self.plane)
        self._draw_errors(errors)
        self.moving = [self.regions, *self.dots, *self.curves, *self.now]
        self.controls = {
            "k": whole("neighbours K", min(31, self.n), 1, self.n),
        }
        if not data:
            self.controls["world"] = choice("data", list(WORLDS), "two clouds")

    def _draw_plane(self, ax):
        ax.set(xlim=(0, 1), ylim=(0, 1), xticks=[], yticks=[], xlabel="$x_1$", ylabel="$x_2$", title="Regions")
        style = {"origin": "lower", "extent": (0, 1, 0, 1), "aspect": "auto", "interpolation": "nearest"}
        if self.data:
            self.data.label(ax)
        colours = ListedColormap(GROUNDS[:2])
        self.regions = ax.imshow(np.zeros(FINE[::-1]), cmap=colours, vmin=0, vmax=1, zorder=0, **style)
        self.dots = []
        for c in (0, 1):
            look = {"marker": plots.CLASS_MARKERS[c], "mec": plots.CLASS_COLORS[c], "mfc": "white", "ls": "", "ms": 5}
            name = {"label": self.data.classes[c]} if self.data else {}
            self.dots += ax.plot([], [], mew=1.3, zorder=2, **name, **look)
        if self.data:
            self.figure.legend(handles=self.dots, **plots.BELOW)

    def _draw_errors(self, ax):
        ax.set(xlim=(0.9, self.n * 1.1), xscale="log", xlabel="neighbours K", ylabel="error")
        ax.set_ylim(0, 1.05 if self.data else 0.66)
        ax.set_title("Errors")
        plots.ticks(ax.xaxis, [*(k for k in (1, 3, 10, 30) if k < 0.7 * self.n), self.n])
        self.curves, self.now = [], []
        for colour, dash, mark in ((plots.GREEN, "--", "s"), (plots.PURPLE, "-", "D"), (plots.INK, ":", "o")):
            self.curves += ax.plot([], [], dash, color=colour, zorder=3)
            self.now += ax.plot([1], [0.1], mark, ms=8, mfc="white", mec=colour, mew=2, zorder=5, clip_on=False)
        names = ["training", "new points", "leave-one-out"]
        ax.legend(list(zip(self.curves, self.now)), names, loc="upper left", fontsize=11)

    def compute(self, k, world="yours"):
        """Return the world, its regions at k, and the three errors for every number of neighbours up to k."""
        data, grid, errors = self.worlds[world] if self.worlds else _world(world)
        return world, data, k, grid[k - 1].reshape(FINE[::-1]), errors[:, :k]

    def draw(self, result):
        """Move regions, points and curves."""
        world, data, k, regions, errors = result
        left, right, low, high = BOXES.get(world, (0, 1, 0, 1))
        self.regions.set_data(regions)
        for c, dots in enumerate(self.dots):
            x, y = data.X[data.y == c].T
            dots.set_data((x - left) / (right - left), (y - low) / (high - low))
        for curve, row in zip(self.curves, errors):
            curve.set_data(np.arange(1, k + 1), row)
        for mark, error in zip(self.now, errors[:, -1]):
            mark.set_data([k], [error])

    def describe(self, result):
        """Say the three errors, and which K does best so far."""
        _, data, k, regions, errors = result
        train, new, alone = errors[:, -1]
        words = f"K = {k}: training error **{train:.3f}**, on new points **{new:.3f}**, "
        words += f"leave-one-out **{alone:.3f}**. " if k < self.n else "and no leave-one-out with K = N. "
        if len(set(regions.ravel().tolist())) == 1:
            words += "Every point gets the class that is more frequent. "
        best = int(np.nanargmin(errors[2])) + 1  # with K = 1 there is one
        return (
            words
            + f"Least leave-one-out error up to here: at K = {best}, where new points cost {errors[1, best - 1]:.3f}."
        )


@cache
def _world(world):
    """Return the training data, the labels of a grid for every k, and the three errors for every k."""
    return _measured(WORLDS[world](N, 1), WORLDS[world](2000, 2), BOXES[world])


def _measured(data, new, box):
    left, right, low, high = box
    xx, yy = np.meshgrid(np.linspace(left, right, FINE[0]), np.linspace(low, high, FINE[1]))
    grid = predictions_by_k(data.X, data.y, np.column_stack([xx.ravel(), yy.ravel()])).astype(np.uint8)
    errors = [(predictions_by_k(data.X, data.y, X) != y).mean(axis=1) for X, y in ((data.X, data.y), (new.X, new.y))]
    alone = np.append((predictions_by_k(data.X, data.y) != data.y).mean(axis=1), np.nan)
    return data, grid, np.array([*errors, alone])


neighbor_count = explorer(NeighborCount)

# --- Units that decide --------------------------------------------------------------------------------------------

CELLAR = wine()
PAIR = CELLAR.X[:, [6, 12]]  # flavanoids and proline
FACTORS = np.logspace(-4, 0, 33)
PLACES = (61, 51)
METRICS = {"Euclidean": "euclidean", "Manhattan": "manhattan", "Chebyshev": "chebyshev"}


class FeatureScale(Scene):
    """Change the unit of one feature, or the metric, and watch neighbours, regions and error change."""

    caption = (
        "Figure 14.7: 178 wines of three cultivars by flavanoids and proline. A proline value counts times the factor "
        "a in the distance. The dark curve joins the points that are as far from the star as its K-th neighbour. "
        "Right, the leave-one-out error for the factors up to the one chosen."
    )
    lines = 3

    def __init__(self):
        self.figure, (plane, errors) = plots.canvas(2, widths=(1.35, 1), size=(9.6, 4.5))
        self._draw_plane(plane)
        self._draw_errors(errors)
        self.moving = [self.regions, *self.dots, self.reach, self.chosen, self.star, self.curve, self.now]
        self.controls = {
            "s": log_slider("factor of proline a", 10**-2.5, 1e-4, 1.0, per_decade=8, digits=2),
            "metric": choice("metric", METRICS),
            "k": buttons("neighbours K", [1, 5, 15], 5),
        }

    def _draw_plane(self, ax):
        ax.set(xlim=(0, 5.5), ylim=(200, 1800), xlabel="flavanoids", ylabel="proline", title="Regions")
        style = {"origin": "lower", "extent": (0, 5.5, 200, 1800), "aspect": "auto", "interpolation": "nearest"}
        self.regions = ax.imshow(
            np.zeros(PLACES[::-1]), cmap=ListedColormap(GROUNDS), vmin=0, vmax=2, zorder=0, **style
        )
        self.dots = []
        for c in range(3):
            look = {"marker": plots.CLASS_MARKERS[c], "mec": plots.CLASS_COLORS[c], "mfc": "white", "ls": "", "ms": 5}
            rows = PAIR[CELLAR.y == c].T
            self.dots += ax.plot(*rows, mew=1.2, zorder=2, label=f"cultivar {c}", **look)
        (self.reach,) = ax.plot([], [], color=plots.INK, lw=1.8, zorder=3)
        look = {"mfc": "none", "mec": plots.INK, "ms": 10, "mew": 1.8, "ls": "", "zorder": 4}
        (self.chosen,) = ax.plot([], [], marker="o", label="its neighbours", **look)
        (self.star,) = ax.plot(
            [2.5], [840], "*", ms=17, mfc=plots.YELLOW, mec=plots.INK, zorder=5, ls="", label="query"
        )
        self.figure.legend(handles=plots.entries(ax), **{**plots.BELOW, "columnspacing": 1.2})

    def _draw_errors(self, ax):
        ax.set(xlim=(0.8e-4, 1.25), xscale="log", ylim=(0, 0.5), xlabel="factor of proline a", title="Leave-one-out")
        ax.set_ylabel("error")
        ax.axvline(PAIR[:, 0].std() / PAIR[:, 1].std(), color=plots.GREY, ls=":", lw=1.6, zorder=0)
        ax.text(0.0037, 0.47, "equal spreads", color=plots.SLATE, fontsize=11, va="top")
        (self.curve,) = ax.plot([], [], color=plots.PURPLE, zorder=2)
        (self.now,) = ax.plot([], [], "D", ms=9, mfc=plots.YELLOW, mec=plots.INK, zorder=4)

    def compute(self, s, metric, k):
        """Return regions, the query's neighbours and reach, and the errors at all factors."""
        unit = np.array([1.0, s])
        model = KNNClassifier(k, metric=metric).fit(PAIR * unit, CELLAR.y)
        regions = model.predict(_places() * unit).reshape(PLACES[::-1])
        query = np.array([[2.5, 840.0]])
        (rows,), (far,) = model.neighbors(query * unit)
        errors = _scale_errors(metric, k)
        return s, k, regions, rows, _ball(metric) * far[-1] / unit + query, errors

    def draw(self, result):
        """Move regions, reach, neighbours and the curve."""
        s, _, regions, rows, reach, errors = result
        self.regions.set_data(regions)
        self.reach.set_data(*reach.T)
        self.chosen.set_data(*PAIR[rows].T)
        seen = FACTORS <= s * (1 + 1e-9)
        self.curve.set_data(FACTORS[seen], errors[seen])
        self.now.set_data([s], [np.interp(np.log(s), np.log(FACTORS), errors)])

    def describe(self, result):
        """Say what one step of each feature counts, and the error."""
        s, k, _, rows, _, errors = result
        votes = np.bincount(CELLAR.y[rows], minlength=3)
        spread = PAIR.std(axis=0) * [1, s]
        heavier = "proline" if spread[1] > spread[0] else "flavanoids"
        ratio = max(spread) / min(spread)
        words = f"With a = {s:.2g} the spread of **{heavier}** is **{ratio:.3g}** times that of the other feature. "
        if ratio < 1.05:
            words = f"With a = {s:.2g} both features **spread alike**. "
        words += f"The star's neighbours: {votes[0]}, {votes[1]}, {votes[2]} of the cultivars 0, 1, 2. "
        error = np.interp(np.log(s), np.log(FACTORS), errors)
        return words + f"Leave-one-out error **{error:.3f}** ({round(error * len(PAIR))} of {len(PAIR)} wines)."


@cache
def _places():
    xx, yy = np.meshgrid(np.linspace(0, 5.5, PLACES[0]), np.linspace(200, 1800, PLACES[1]))
    return np.column_stack([xx.ravel(), yy.ravel()])


@cache
def _ball(metric):
    """Return the points of the plane at distance 1 from the origin, as a closed curve."""
    turn = np.linspace(0, 2 * np.pi, 121)
    circle = np.column_stack([np.cos(turn), np.sin(turn)])
    return circle / distances(circle, [[0.0, 0.0]], metric)


@cache
def _scale_errors(metric, k):
    """Return the leave-one-out error at each factor."""
    errors = []
    for s in FACTORS:
        D = distances(PAIR * [1, s], metric=metric)
        np.fill_diagonal(D, D.max() + 1)
        votes = (CELLAR.y[nearest(D, k)][:, :, None] == np.arange(3)).sum(axis=1)
        errors.append(error_rate(CELLAR.y, votes.argmax(axis=1)))
    return np.array(errors)


feature_scale = explorer(FeatureScale)

# --- Features that mislead ----------------------------------------------------------------------------------------

MOST, STEP, TRIED = 60, 2, 500


class UselessFeatures(Scene):
    """Add features of pure noise and watch the nearest neighbours move away in the plane that matters."""

    caption = (
        "Figure 14.8: two features decide the class (the dotted circle), the others are noise. Left, eight queries "
        "(stars) in the plane of the two, joined to their nearest neighbour in all features. Right, errors on 500 "
        "new points, for up to as many noise features as chosen."
    )

    def __init__(self):
        self.figure, (self.plane, errors) = plots.canvas(2, widths=(1, 1.05), size=(9.6, 4.4))
        self._draw_plane(self.plane)
        self._draw_errors(errors)
        self.moving = [*self.dots, self.links, self.stars, self.curve, self.now]
        self.controls = {
            "d": whole("noise features", 10, 0, MOST, step=STEP),
            "n": buttons("training points N", [100, 400], 100),
            "k": buttons("neighbours K", [1, 5, 15], 5),
        }

    def _draw_plane(self, ax):
        ax.set(xlim=(-3.3, 3.3), ylim=(-3.3, 3.3), xlabel="$x_1$", ylabel="$x_2$", title="The plane that matters")
        ax.set_aspect("equal")
        turn = np.linspace(0, 2 * np.pi, 100)
        ax.plot(RADIUS * np.cos(turn), RADIUS * np.sin(turn), ":", color=plots.GREY, zorder=0)
        self.dots = []
        for c, name in enumerate(("inside", "outside")):
            look = {"marker": plots.CLASS_MARKERS[c], "mec": plots.CLASS_COLORS[c], "mfc": "white", "ls": "", "ms": 4}
            self.dots += ax.plot([], [], mew=1.0, zorder=1, label=name, **look)
        self.links = ax.add_collection(LineCollection([], colors=plots.INK, linewidths=1.6, zorder=2))
        (self.stars,) = ax.plot([], [], "*", ms=13, mfc=plots.YELLOW, mec=plots.INK, ls="", zorder=3, label="queries")

    def _draw_errors(self, ax):
        ax.set(xlim=(-1, MOST + 1), ylim=(0, 0.55), xlabel="noise features", ylabel="error", title="Errors")
        (self.curve,) = ax.plot([], [], color=plots.PURPLE, zorder=3, label="K-NN")
        (self.now,) = ax.plot([], [], "D", ms=9, mfc=plots.YELLOW, mec=plots.INK, zorder=5)
        ax.axhline(0.5, color=plots.GREY, ls="--", lw=1.4, zorder=0, label="guessing")
        self.figure.legend(handles=plots.entries(self.plane, ax), **plots.BELOW)

    def compute(self, d, n, k):
        """Return the training points, the queries with their nearest neighbours, and the errors up to d."""
        X, y, _, _ = _noisy(n)
        links, reach, errors = _noisy_errors(n, k)
        return d, X[:, :2], y, links[d // STEP], reach[d // STEP], errors[: d // STEP + 1]

    def draw(self, result):
        """Move points, links and the curve."""
        d, plane, y, links, _, errors = result
        for c, dots in enumerate(self.dots):
            dots.set_data(*plane[y == c].T)
        self.links.set_segments(links)
        self.stars.set_data(*links[:, 0].T)
        self.curve.set_data(np.arange(0, d + 1, STEP), errors)
        self.now.set_data([d], errors[-1:])

    def describe(self, result):
        """Say how far the nearest neighbours are, and the error."""
        d, _, _, _, reach, errors = result
        words = f"{d + 2} features in all. In the plane that matters the nearest neighbours of {TRIED} new points lie "
        words += f"**{reach:.2f}** away on average. "
        return words + f"Error on new points **{errors[-1]:.3f}**; with no noise feature it is {errors[0]:.3f}."


RADIUS = np.sqrt(2 * np.log(2))  # half of a Gaussian cloud lies inside


@cache
def _noisy(n):
    """Return n training and TRIED new points with all their noise features, and their classes."""
    rng = np.random.default_rng(14)
    X = rng.normal(size=(TRIED + n, 2 + MOST))
    y = (np.linalg.norm(X[:, :2], axis=1) > RADIUS).astype(int)
    return X[TRIED:], y[TRIED:], X[:TRIED], y[:TRIED]


@cache
def _noisy_errors(n, k):
    """Return for 0, 2, 4, ... noise features eight links (8, 2, 2), the mean length of all, and the errors."""
    X, y, new, truth = _noisy(n)
    D = np.zeros((TRIED, n))
    links, reach, errors = [], [], []
    for j in range(2 + MOST):
        D += (new[:, j : j + 1] - X[:, j]) ** 2
        if j % STEP == 1:  # the first two features are no noise
            rows = nearest(D, k)
            ends = np.stack([new[:, :2], X[rows[:, 0], :2]], axis=1)
            links.append(ends[:8])
            reach.append(np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1).mean())
            errors.append(np.mean((2 * y[rows].sum(axis=1) > k) != truth))
    return np.array(links), np.array(reach), np.array(errors)


useless_features = explorer(UselessFeatures)

# --- Three local regressions --------------------------------------------------------------------------------------

LINE = np.linspace(0, 1, 161)


def _truth(x):
    return np.sin(9 * x) + 2 * x


class LocalRegressions(Scene):
    """One data set, three local fits: mean of K neighbours, weighted mean, weighted line."""

    caption = (
        "Figure 14.10: sixty noisy points of a curve (dashed) and three local regressions. The vertical line is the "
        "query; points are filled the darker, the more they count there; the orange piece is what is fitted around it."
    )
    takes = Curve(
        (0, 1),
        "three local regressions. The vertical line is the query; points are filled the darker, the more they count "
        "there; the orange piece is what is fitted around it. The bandwidth τ is a part of the range of x.",
        most=60,
        held=False,
    )
    lines = 3

    def __init__(self, data=None):
        self.figure, panels = plots.canvas(3, size=(9.6, 4.1), sharey=True)
        self.data, (self.x, self.t) = data, (data.X[:, 0], data.y) if data else _sixty()
        self.panels = []
        for ax, title in zip(panels, ("Mean of K neighbours", "Nadaraya-Watson", "Weighted line")):
            ax.set(xlim=(-0.02, 1.02), ylim=(-2.2, 4.2), xlabel="x", xticks=[0, 0.5, 1], title=title)
            if data:
                data.label(ax)
                ax.set_ylabel("")
            else:
                ax.plot(LINE, _truth(LINE), "--", color=plots.GREY, lw=1.6, zorder=1, label="truth")
            dots = ax.scatter(self.x, self.t, s=26, c=np.zeros(len(self.x)), cmap="Blues", vmin=0, vmax=1, zorder=2)
            dots.set_edgecolor(plots.BLUE)
            (fit,) = ax.plot([], [], color=plots.PURPLE, lw=2.4, zorder=3, label="fit")
            (piece,) = ax.plot([], [], color=plots.ORANGE, lw=3.6, zorder=4, label="fitted around the query")
            line = ax.axvline(0, color=plots.INK, lw=1, zorder=0.5)
            self.panels.append((dots, fit, piece, line))
        panels[0].set_ylabel(data.names[1] if data else "t")
        self.figure.legend(handles=plots.entries(panels[0]), **plots.BELOW)
        self.moving = [artist for panel in self.panels for artist in panel]
        self.controls = {
            "tau": log_slider("bandwidth τ", 0.5, 0.005, 1.0),
            "k": whole("neighbours K", len(self.x) // 2, 1, len(self.x)),
            "x0": place(data, 0) if data else slider("query x", 0.6, 0.0, 1.0, 0.02),
        }

    def compute(self, tau, k, x0):
        """Return for each method its curve, its weights at the query and what it fits there."""
        x0 = float(self.data.inside(x0)[0]) if self.data else x0
        X, q = self.x[:, None], np.array([[x0]])
        near = KNNRegressor(k).fit(X, self.t)
        mean = NadarayaWatson(tau).fit(X, self.t)
        line = LocallyWeightedRegression(tau).fit(X, self.t)
        (rows,), (far,) = near.neighbors(q)
        equal = np.zeros(len(self.x))
        equal[rows] = 1
        weights = mean.weights(q)[0]
        slope, height = line.coefficients(q)
        wide = np.array([x0 - tau, x0 + tau])
        pieces = [
            (x0 + far[-1] * np.array([-1, 1]), np.full(2, near.predict(q)[0])),
            (wide, np.full(2, mean.predict(q)[0])),
            (wide, slope[0, 0] * wide + height[0]),
        ]
        curves = [model.predict(LINE[:, None]) for model in (near, mean, line)]
        return x0, curves, [equal, weights / weights.max(), weights / weights.max()], pieces

    def draw(self, result):
        """Move the curves, the pieces and the darkness of the points."""
        x0, curves, weights, pieces = result
        for (dots, fit, piece, line), curve, weight, part in zip(self.panels, curves, weights, pieces):
            dots.set_array(0.85 * weight)
            fit.set_data(LINE, curve)
            piece.set_data(*part)
            line.set_xdata([x0, x0])

    def describe(self, result):
        """Say how far each fit is from the truth: everywhere, and at the query."""
        x0, curves, _, pieces = result
        names = ("mean of K", "Nadaraya-Watson", "weighted line")
        if self.data:
            (at, step), (middle, unit) = self.data.scales
            here = [plain(middle + unit * np.interp(x0, x, t), ".4g") for x, t in pieces]
            said = ", ".join(f"{name} **{value}**" for name, value in zip(names, here))
            return f"At {self.data.names[0]} = {plain(at + step * x0, '.4g')} they say: {said}."
        misses = [rmse(_truth(LINE), curve) for curve in curves]
        words = "Distance from the truth (root mean square): "
        words += ", ".join(f"{name} **{miss:.3f}**" for name, miss in zip(names, misses)) + ". "
        here = [float(np.interp(x0, x, t)) for x, t in pieces]
        said = ", ".join(plain(value, ".2f") for value in here)
        return words + f"At x = {x0:.2f} they say {said}; the truth is {plain(_truth(x0), '.2f')}."


@cache
def _sixty():
    """Return sixty places, denser on the left, and the noisy curve there."""
    rng = np.random.default_rng(3)
    x = np.sort(rng.beta(1.0, 1.6, 60))
    return x, _truth(x) + 0.4 * rng.normal(size=60)


local_regressions = explorer(LocalRegressions)

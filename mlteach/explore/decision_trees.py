"""Explorers of chapter 12: choose a question or a threshold, let a tree grow, cut it back; and pictures of trees."""

import numpy as np
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.colors import to_rgba
from matplotlib.ticker import MaxNLocator

from mlteach import plots
from mlteach.datasets import blobs, moons, play_tennis, rings
from mlteach.decision_trees import (
    DecisionTreeClassifier,
    branch_counts,
    entropy,
    gini,
    impurity_decrease,
    information_gain,
    misclassification,
    reduced_error_prune,
)
from mlteach.explore.base import Scene, buttons, choice, count, explorer, plain, slider, whole
from mlteach.explore.own import Plane, halves

NO, YES = plots.BLUE, plots.ORANGE  # the classes in their order, as in every tree that is drawn
LOSSES = {"entropy": entropy, "gini": gini, "misclassification": misclassification}
BOX = (-2.2, 3.2), (-1.8, 2.7)  # the plane of the moons
EDGE = 2.2  # the plane of the corner


class AttributeChoice(Scene):
    """Ask for one attribute of the PlayTennis days and see what the answers tell."""

    caption = (
        "Figure 12.4: left, the days by the answer to your question. Right, each branch as wide as its share of the "
        "days and as high as its entropy: the area gained below the dashed line, less what is lost above it, is the "
        "gain."
    )

    def __init__(self):
        days = play_tennis()
        self.names = list(days.feature_names)
        outlook = days.X[:, 0]
        rows = {"all": outlook != "", "Sunny": outlook == "Sunny", "Rain": outlook == "Rain"}
        self.sets = {name: (days.X[kept], days.y[kept]) for name, kept in rows.items()}
        self.figure, (left, right) = plots.canvas(2, size=(9.6, 4.0), widths=(1, 1.1))
        self._draw_days(left)
        self._draw_areas(right)
        self.figure.legend(handles=plots.entries(left, right), **plots.BELOW)
        self.moving = [*self.days, *self.values, self.gap, self.areas, self.excess, self.level, *self.heights]
        self.controls = {
            "days": buttons("days", {"all 14": "all", "5 sunny": "Sunny", "5 of rain": "Rain"}),
            "attribute": buttons("question", self.names, "Wind"),
        }

    def _draw_days(self, ax):
        ax.set(xlim=(-0.6, 2.6), ylim=(0, 8.6), title="The days in each branch", xticks=[], ylabel="days")
        style = {"ls": "none", "ms": 13, "mew": 1.2, "mec": plots.INK}
        (yes,) = ax.plot([], [], "s", color=YES, label="Yes: tennis", **style)
        (no,) = ax.plot([], [], "o", color=NO, label="No", **style)
        self.days = [no, yes]
        self.values = [ax.text(x, 8.25, "", ha="center", va="center", weight="bold") for x in range(3)]

    def _draw_areas(self, ax):
        ax.set(xlim=(0, 1), ylim=(0, 1.16), xlabel="share of the days", ylabel="entropy (bits)")
        ax.set_title("What remains unknown")
        looks = ((plots.HIGHLIGHT, "gained"), (plots.AHEAD, "still unknown"), (plots.tint(plots.PURPLE, 0.5), "lost"))
        self.gap, self.areas, self.excess = (
            ax.add_collection(PolyCollection([], fc=color, ec="white", lw=1.5, zorder=1 + k, label=name))
            for k, (color, name) in enumerate(looks)
        )
        (self.level,) = ax.plot([], [], color=plots.INK, ls="--", zorder=5, label="before the question")
        self.heights = [ax.text(0, 0, "", ha="center", va="bottom", fontsize=11, zorder=6) for _ in range(3)]

    def compute(self, days, attribute):
        """Return the values of the attribute, the class counts of their branches, and the gain."""
        X, y = self.sets[days]
        x = X[:, self.names.index(attribute)]
        gains = [round(information_gain(X[:, j], y), 9) for j in range(4)]
        gain = gains[self.names.index(attribute)]
        return attribute, sorted(set(x)), branch_counts(x, y), gain, gain == max(gains)

    def draw(self, result):
        """Stack the days of each branch, and lay the branches' entropies side by side."""
        _, values, table, *_ = result
        for k, marks in enumerate(self.days):
            base = table[:, :k].sum(axis=1)  # No below, Yes above
            places = [(v, base[v] + i + 0.5) for v in range(len(values)) for i in range(table[v, k])]
            marks.set_data(*np.array(places).T if places else ([], []))
        H, width = entropy(table), table.sum(axis=1) / table.sum()
        start, before = np.cumsum(width) - width, entropy(table.sum(axis=0))
        self.areas.set_verts([_rectangle(a, a + w, 0, h) for a, w, h in zip(start, width, H)])
        over = [(a, w, h) for a, w, h in zip(start, width, H) if h > before]
        self.excess.set_verts([_rectangle(a, a + w, before, h) for a, w, h in over])
        self.gap.set_verts([_rectangle(0, 1, 0, before)])
        self.level.set_data([0, 1], [before, before])
        for v, (name, height) in enumerate(zip(self.values, self.heights)):
            shown = v < len(values)
            name.set_text(values[v] if shown else "")
            height.set_text(f"{values[v]}\n{H[v]:.2f}" if shown else "")
            if shown:
                height.set_position((start[v] + width[v] / 2, 0.03))

    def describe(self, result):
        """Say what each branch holds, and what the question is worth."""
        attribute, values, table, gain, best = result
        parts = ", ".join(f"{v} ({yes} Yes, {no} No) {entropy([no, yes]):.3f}" for v, (no, yes) in zip(values, table))
        before = entropy(table.sum(axis=0))
        words = f"**{attribute}**: {parts}. Entropy {before:.3f} before, {before - gain:.3f} expected after: gain "
        words += f"**{gain:.3f}** bits."
        return words + (" No question tells more." if best else " Another question tells more.")


attribute_choice = explorer(AttributeChoice)


class ChooseSplit(Scene):
    """Cut the plane once, by hand, and read what the cut is worth."""

    caption = (
        "Figure 12.9: your cut, each side tinted like its majority. Right, the decrease of the loss at every threshold "
        "of this feature that you have passed, from its low end up to yours."
    )
    takes = Plane(
        (-EDGE, EDGE, -EDGE, EDGE),
        "your cut, each side tinted like its majority. Right, the decrease of the loss at every threshold of this "
        "feature that you have passed, from its low end up to yours.",
        most=1000,
        each=1,
        held=False,
    )

    def __init__(self, data=None):
        self.data, self.classes = data, data.classes if data else ("class 0", "class 1")
        self.X, self.y = (data.X, data.y) if data else _corner()
        self.grid = np.round(np.arange(-2, 2.001, 0.05), 2)
        self.gains = {loss: [self._gain(j, self.grid, loss) for j in range(2)] for loss in LOSSES}
        self.best = {loss: self._best(loss) for loss in LOSSES}
        self.figure, (plane, curve) = plots.canvas(2, size=(9.6, 4.4), widths=(1.15, 1))
        self._draw_plane(plane)
        self._draw_curve(curve)
        self.figure.legend(handles=plots.entries(plane, curve), **plots.BELOW)
        self.moving = [self.sides, self.cut, self.passed, self.now]
        self.controls = {
            "feature": buttons("feature j", {"x₁": 0, "x₂": 1}),
            "threshold": self._slider(),
            "loss": buttons("loss", {"entropy": "entropy", "Gini": "gini", "misclassification": "misclassification"}),
        }

    def _slider(self):
        if self.data:
            return slider("c, in % of the range", 75.0, 0, 100, 1.25)
        return slider("threshold c", 1.0, -2, 2, 0.05)

    def _counts(self, j, c):
        below = self.X[:, j] <= c
        return np.array([np.bincount(self.y[side], minlength=2) for side in (below, ~below)])

    def _gain(self, j, thresholds, loss):
        return np.array([impurity_decrease(self._counts(j, c), loss) for c in thresholds])

    def _best(self, loss):
        return max(float(g.max()) for g in self.gains[loss])

    def _draw_plane(self, ax):
        ax.set(xlim=(-EDGE, EDGE), ylim=(-EDGE, EDGE), xlabel="$x_1$", ylabel="$x_2$", title="Your cut")
        if self.data:
            self.data.label(ax)
        self.sides = ax.add_collection(PolyCollection([], ec="none", zorder=0))
        plots.plot_classes(self.X, self.y, ax=ax, names=self.classes, size=36)
        (self.cut,) = ax.plot([], [], color=plots.INK, zorder=3, label="cut")

    def _draw_curve(self, ax):
        ax.set(
            xlim=(-EDGE, EDGE), ylim=(-0.01, 1.15 * max(self.best.values())), xlabel="threshold c", ylabel="decrease D"
        )
        ax.set_title("What each cut is worth")
        if self.data:
            ax.set_xticks([-2, -1, 0, 1, 2], ["0 %", "25 %", "50 %", "75 %", "100 %"])
        (self.passed,) = ax.plot([], [], color=plots.GREEN, label="decrease")
        (self.now,) = ax.plot([], [], "D", ms=9, mfc="white", mec=plots.INK, mew=2, zorder=4, label="yours")

    def compute(self, feature, threshold, loss):
        """Return the cut, the class counts of both sides, and the gain."""
        k = int(np.argmin(np.abs(self.grid - (threshold / 25 - 2 if self.data else threshold))))
        return feature, k, loss, self._counts(feature, self.grid[k]), self.gains[loss][feature][k]

    def draw(self, result):
        """Move the cut, tint its sides, and draw the gains up to it."""
        j, k, loss, counts, gain = result
        c = self.grid[k]
        if j == 0:
            boxes = _rectangle(-EDGE, c, -EDGE, EDGE), _rectangle(c, EDGE, -EDGE, EDGE)
        else:
            boxes = _rectangle(-EDGE, EDGE, -EDGE, c), _rectangle(-EDGE, EDGE, c, EDGE)
        self.cut.set_data(*[([c, c], [-EDGE, EDGE]), ([-EDGE, EDGE], [c, c])][j])
        self.sides.set_verts(boxes)
        self.sides.set_facecolor([_majority(side) for side in counts])
        self.passed.set_data(self.grid[: k + 1], self.gains[loss][j][: k + 1])
        self.now.set_data([c], [gain])

    def describe(self, result):
        """Say what lies on either side, and what the cut is worth."""
        j, k, loss, counts, gain = result
        (a, b), (e, f) = counts
        before = LOSSES[loss](counts.sum(axis=0))
        name = {"entropy": "Entropy", "gini": "Gini index", "misclassification": "Misclassification"}[loss]
        question, first, second = f"x{'₁₂'[j]} ≤ {plain(self.grid[k], '.2f')}", "of class 0", "of class 1"
        if self.data:
            start, unit = self.data.scales[j]
            first, second = self.classes
            question = f"{self.data.names[j]} ≤ {plain(start + unit * self.grid[k], '.4g')}"
        words = f"{question}: **{a}** {first} and **{b}** {second}; the rest: "
        words += (
            f"**{e}** and **{f}**. {name} {before:.3f} before, {before - gain:.3f} after: decrease **{gain:.3f}**. "
        )
        return words + self._verdict(j, loss, gain)

    def _verdict(self, j, loss, gain):
        if self.best[loss] < 1e-9:
            return "No cut of either feature gains anything."
        if gain > self.best[loss] - 1e-9:
            return "No cut on this grid is worth more."
        best_here = gain > self.gains[loss][j].max() - 1e-9
        return "Only the other feature has a better cut." if best_here else "A better cut exists."


choose_split = explorer(ChooseSplit)


class TreeGrowth(Scene):
    """Let a tree grow deeper, or forbid small leaves, and watch the plane and the errors."""

    caption = (
        "Figure 12.10: left, the boxes of a tree on 200 points, tinted like their answer. Right, its errors on these "
        "points and on 2,000 new ones, for trees from no question up to your depth."
    )
    takes = Plane(
        (*BOX[0], *BOX[1]),
        "left, the boxes of a tree on the points, tinted like their answer. Right, its errors on these points and on "
        "new ones, for trees from no question up to your depth.",
    )
    deepest = 10

    def __init__(self, data=None):
        self.data = data
        diagonal = {"centers": [[-0.1, 0.75], [0.9, -0.35]], "spread": 0.55}
        self.sets = (
            {"yours": (data, data.new)}
            if data
            else {
                "moons": (moons(200, 0.4, rng=7), moons(2000, 0.4, rng=500)),
                "ring": tuple(_placed(rings(n, 0.32, (0.5, 1.25), rng=s)) for n, s in ((200, 1), (2000, 2))),
                "slanted": tuple(blobs(n, **diagonal, rng=s) for n, s in ((200, 3), (2000, 4))),
            }
        )
        self.known = {}
        self.figure, (plane, errors) = plots.canvas(2, size=(9.6, 4.4), widths=(1.25, 1))
        self._draw_plane(plane)
        self._draw_errors(errors)
        self.figure.legend(handles=plots.entries(plane), **plots.BELOW)
        self.moving = [self.boxes, *self.points, *self.curves, self.now]
        self.controls = {
            "depth": whole("depth", 6, 0, self.deepest),
            "leaf": whole("leaf size m", 1, 1, min(100, len(data.X)) if data else 100),
        }
        if not data:
            points = {"two moons": "moons", "a ring": "ring", "slanted boundary": "slanted"}
            self.controls["data"] = choice("points", points, "ring")

    def _draw_plane(self, ax):
        ax.set(xlim=BOX[0], ylim=BOX[1], xlabel="$x_1$", ylabel="$x_2$", title="The plane in boxes")
        if self.data:
            self.data.label(ax)
        self.boxes = ax.add_collection(PolyCollection([], ec="white", lw=0.7, zorder=0))
        style = {"ls": "none", "ms": 5.5, "mfc": "white", "mew": 1.4, "zorder": 2}
        self.points = [
            ax.plot([], [], marker, mec=color, label=self.data.classes[k] if self.data else f"class {k}", **style)[0]
            for k, (marker, color) in enumerate(zip("os", (NO, YES)))
        ]

    def _draw_errors(self, ax):
        few = self.data and len(self.data.new.y) < 40  # their error can be anything
        ax.set(xlim=(-0.3, self.deepest + 0.3), ylim=(0, 105 if few else 55), xlabel="depth", ylabel="error (%)")
        ax.set_title("Does it generalise?")
        (train,) = ax.plot([], [], "o--", ms=5, lw=1.8, color=plots.PURPLE, label="training points")
        (new,) = ax.plot([], [], "o-", ms=5, color=plots.GREEN, label="new points")
        self.curves = [train, new]
        dots = {"s": 90, "c": [plots.PURPLE, plots.GREEN], "edgecolors": plots.INK, "zorder": 4, "clip_on": False}
        self.now = ax.scatter([0, 0], [0, 0], **dots)
        ax.legend(loc="upper right", fontsize=11)

    def compute(self, depth, leaf, data="yours"):
        """Return the tree and the errors, in per cent, of all trees up to its depth."""
        if (leaf, data) not in self.known:
            train, new = self.sets[data]
            whole_tree = DecisionTreeClassifier(max_depth=self.deepest, min_leaf=leaf).fit(train.X, train.y)
            nodes = whole_tree.nodes_
            trees = [whole_tree.cut(*_at_depth(nodes, k)) for k in range(self.deepest + 1)]
            errors = np.array([[100 * (1 - t.score(d.X, d.y)) for t in trees] for d in (train, new)])
            self.known[leaf, data] = trees, errors
        trees, errors = self.known[leaf, data]
        return data, depth, trees[depth], errors[:, : depth + 1]

    def draw(self, result):
        """Tint the boxes, and draw the errors up to this depth."""
        data, depth, tree, errors = result
        _fill(self.boxes, tree)
        train = self.sets[data][0]
        for k, points in enumerate(self.points):
            points.set_data(*train.X[train.y == k].T)
        for curve, values in zip(self.curves, errors):
            curve.set_data(np.arange(depth + 1), values)
        self.now.set_offsets([[depth, e] for e in errors[:, -1]])

    def describe(self, result):
        """Say how large the tree is, and how often it errs."""
        *_, tree, errors = result
        least = min(node.n for node in tree.nodes_.values() if not node.children)
        words = f"The tree has **{count(tree.n_leaves_, 'leaf').replace('leafs', 'leaves')}** and depth {tree.depth_}; "
        words += f"its smallest leaf holds {count(int(least), 'point')}. Training error **{errors[0, -1]:.1f} %**, "
        return words + f"error on new points **{errors[1, -1]:.1f} %**."


tree_growth = explorer(TreeGrowth)


class PruningSteps(Scene):
    """Cut a tree back, one node at a time, where the validation points ask for it."""

    caption = (
        "Figure 12.13: reduced-error pruning. Left, the tree, its leaves coloured like their answer and what was cut "
        "off pale; the ring marks the last cut. Right, the plane in boxes, and the errors on 160 training, 100 "
        "validation and 4,000 test points after each cut."
    )
    takes = Plane(
        (*BOX[0], *BOX[1]),
        "reduced-error pruning. Left, the tree, its leaves coloured like their answer and what was cut off pale; the "
        "ring marks the last cut. Right, the plane in boxes, and the errors on training points and on two halves of "
        "the others, for validation and for testing, after each cut.",
        most=160,
    )
    play, interval = "cuts", 900

    def __init__(self, data=None):
        self.data = data
        made = (moons(n, 0.45, rng=s) for n, s in ((160, 3), (100, 53), (4000, 99)))
        self.train, self.valid, self.test = (data, *halves(data.new)) if data else made
        self.tree = DecisionTreeClassifier().fit(self.train.X, self.train.y)
        self.steps = reduced_error_prune(self.tree, self.valid.X, self.valid.y).pruning_
        self.trees = [self.tree.cut(*[s.node for s in self.steps[1 : k + 1]]) for k in range(len(self.steps))]
        sets = (self.train, self.valid, self.test)
        self.errors = np.array([[100 * (1 - tree.score(d.X, d.y)) for tree in self.trees] for d in sets])
        self.figure, (tree, plane, errors) = plots.tall_and_two((9.6, 5.0), (1.25, 1), (1.15, 1))
        self._draw_tree(tree)
        self._draw_plane(plane)
        self._draw_errors(errors)
        self.figure.legend(handles=plots.entries(tree, errors), **{**plots.BELOW, "columnspacing": 1.1})
        self.moving = [self.edges, self.dots, self.ring, self.boxes, *self.curves, self.now]
        self.controls = {"cuts": whole("cuts k", 0, 0, max(1, len(self.steps) - 1))}

    def _draw_tree(self, ax):
        nodes, self.place = self.tree.nodes_, tree_places(self.tree)
        self.links = [(parent, child) for parent, node in nodes.items() for child in node.children.values()]
        ax.set(xlim=(-1, self.tree.n_leaves_), ylim=(-self.tree.depth_ - 0.6, 0.6), xticks=[], yticks=[])
        ax.set_title("The tree")
        for side in ax.spines.values():
            side.set_visible(False)
        lines = [[self.place[a], self.place[b]] for a, b in self.links]
        self.edges = ax.add_collection(LineCollection(lines, lw=1.5, zorder=1))
        self.dots = ax.scatter(*np.array([self.place[t] for t in nodes]).T, s=42, linewidths=1.3, zorder=2)
        (self.ring,) = ax.plot([], [], "o", ms=17, mfc="none", mec=plots.INK, mew=2, zorder=3, label="last cut")
        for k, color in enumerate((NO, YES)):
            ax.plot([], [], "o", ms=7, color=color, label=self.data.classes[k] if self.data else f"class {k}")

    def _draw_plane(self, ax):
        ax.set(xlim=BOX[0], ylim=BOX[1], xticks=[], yticks=[], title="Its boxes")
        if self.data:
            self.data.label(ax)
            ax.tick_params(labelsize=9)
            ax.xaxis.label.set_size(10)
            ax.yaxis.label.set_size(10)
        self.boxes = ax.add_collection(PolyCollection([], ec="white", lw=0.7, zorder=0))
        plots.plot_classes(self.train.X, self.train.y, ax=ax, size=12)

    def _draw_errors(self, ax):
        top = 5 * np.ceil(self.errors.max() / 5 + 0.5)
        ax.set(xlim=(-0.4, len(self.steps) - 0.6), ylim=(0, top), xlabel="cuts k", ylabel="error (%)")
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
        looks = (("training", plots.PURPLE, "--"), ("validation", plots.INK, "-"), ("test", plots.GREEN, "-"))
        self.curves = [ax.plot([], [], ls=ls, color=color, label=name)[0] for name, color, ls in looks]
        dots = {"s": 70, "c": [color for _, color, _ in looks], "edgecolors": "white", "zorder": 4, "clip_on": False}
        self.now = ax.scatter([0, 0, 0], [0, 0, 0], **dots)

    def compute(self, cuts):
        """Return the number of cuts made, the last one, and the tree that they leave."""
        cuts = min(cuts, len(self.steps) - 1)
        return cuts, self.steps[cuts], self.trees[cuts]

    def draw(self, result):
        """Fade what was cut off, ring the last cut, and draw the errors so far."""
        cuts, step, tree = result
        alive = tree.nodes_
        self.edges.set_color([plots.GREY if child in alive else plots.PALE for _, child in self.links])
        faces = [_dot(alive.get(t)) for t in self.tree.nodes_]
        self.dots.set_facecolor([face for face, _ in faces])
        self.dots.set_edgecolor([edge for _, edge in faces])
        self.ring.set_data(*([], []) if step.node is None else np.array([self.place[step.node]]).T)
        _fill(self.boxes, tree)
        for curve, values in zip(self.curves, self.errors):
            curve.set_data(np.arange(cuts + 1), values[: cuts + 1])
        self.now.set_offsets([[cuts, values[cuts]] for values in self.errors])

    def _pure(self):
        leaves = [node for node in self.tree.nodes_.values() if not node.children]
        return "every one pure" if all(min(node.counts) == 0 for node in leaves) else "not every one pure"

    def describe(self, result):
        """Say what the last cut removed and saved, and what the tree errs now."""
        cuts, step, _ = result
        train, valid, test = self.errors[:, cuts]
        rates = f"Errors: training **{train:.1f} %**, validation **{valid:.1f} %**, test **{test:.1f} %**."
        if cuts == 0:
            now = "Now cut." if len(self.steps) > 1 else "Any cut would cost validation errors."
            return f"The whole tree: **{step.n_leaves}** leaves, {self._pure()}. {rates} {now}"
        gone = self.steps[cuts - 1].n_leaves - step.n_leaves
        saved = (
            f"saves **{count(int(step.saved), 'validation error')}**"
            if step.saved
            else "neither saves nor costs errors"
        )
        words = (
            f"Cut {cuts} makes a leaf of a subtree of {gone + 1} leaves and {saved}; **{step.n_leaves}** leaves stay. "
        )
        return words + rates + (" Any other cut would cost validation errors." if cuts == len(self.steps) - 1 else "")


pruning_steps = explorer(PruningSteps)


def _corner():
    """Return points of class 0 all over a square, and of class 1 in its lower right corner, where they prevail."""
    rng = np.random.default_rng(9)
    X = np.vstack([rng.uniform(-2, 2, (60, 2)), np.column_stack([rng.uniform(0.2, 2, 20), rng.uniform(-2, 0.2, 20)])])
    return X, np.repeat([0, 1], [60, 20])


def _rectangle(x0, x1, y0, y1):
    return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]


def _majority(counts):
    """Return the tint of the more frequent class, grey where there is none."""
    if counts[0] == counts[1]:
        return to_rgba(plots.PALE)
    return plots.tint((NO, YES)[int(counts[1] > counts[0])])


def _fill(boxes, tree):
    """Lay the boxes of a tree over the plane, tinted like their answer."""
    found = tree_boxes(tree, *BOX)
    boxes.set_verts([_rectangle(*x, *y) for x, y, _ in found])
    boxes.set_facecolor([plots.tint((NO, YES)[node.value]) for *_, node in found])


def _dot(node):
    """Return face and edge of a node's dot: pale if it was cut off, coloured in a leaf."""
    if node is None:
        return "white", plots.PALE
    return ("white", plots.INK) if node.children else ((NO, YES)[node.value],) * 2


def _at_depth(nodes, depth):
    return [number for number, node in nodes.items() if node.depth == depth]


def _placed(data):
    """Move a ring into the middle of the plane of the moons."""
    data.X[:] = data.X + [0.5, 0.25]
    return data


# --- Pictures of any tree --------------------------------------------------------------------------------------------


def draw_tree(tree, *, ax=None, fontsize=11, small=None):
    """Draw a fitted tree: a box for each question, a tinted one for each answer.

    Leaves say how many of the training samples in them they answer rightly. ``small`` leaves the words out and marks
    nodes by dots; where it is not given, trees with more than 16 leaves are drawn so.
    """
    if ax is None:
        from matplotlib import pyplot as plt  # only here: explorers and scripts work without it

        ax = plt.gca()
    nodes, place = tree.nodes_, tree_places(tree)
    small = tree.n_leaves_ > 16 if small is None else small
    for number, node in nodes.items():
        for condition, child in node.children.items():
            _draw_branch(ax, place[number], place[child], "" if small else _branch(node, condition), 0.88 * fontsize)
        color = plots.CLASS_COLORS[node.value % 5] if hasattr(tree, "classes_") else plots.BLUE
        if small:
            leaf = {"mfc": color, "mec": color} if not node.children else {"mfc": "white", "mec": plots.INK}
            ax.plot(*place[number], "o", ms=6, zorder=3, **leaf)
        else:
            words = _question(tree, node) if node.children else _answer(tree, node)
            fill = "white" if node.children else plots.tint(color)
            _write(ax, place[number], words, fontsize, 3, boxstyle="round,pad=0.35", fc=fill, ec=plots.INK, lw=1)
    ax.set(xlim=(-0.6, tree.n_leaves_ - 0.4), ylim=(-tree.depth_ - 0.4, 0.4))
    ax.axis("off")
    return ax


def _draw_branch(ax, parent, child, words, fontsize):
    """Draw a line with the answer on it, nearer to the child."""
    (x, y), (a, b) = parent, child
    ax.plot([x, a], [y, b], color=plots.GREY, lw=1.4, zorder=1)
    if words:
        at = (x + 0.58 * (a - x), y + 0.58 * (b - y))
        _write(ax, at, words, fontsize, 2, boxstyle="square,pad=0.1", fc="white", ec="none")


def _write(ax, at, words, fontsize, zorder, **box):
    ax.text(*at, words, ha="center", va="center", fontsize=fontsize, bbox=box, zorder=zorder, parse_math=False)


def _question(tree, node):
    name = tree.feature_name(node.feature)
    return name if node.threshold is None else f"{name} ≤ {node.threshold:.3g}?".replace("-", "−")


def _answer(tree, node):
    if not hasattr(tree, "classes_"):
        return f"{node.value:.3g}\n({node.n:g})"
    right = f"{node.counts[node.value]:.3g} of {node.n:.3g}" if node.n else "empty"
    return f"{tree.answer(node)}\n{right}"


def _branch(node, condition):
    return str(condition.value) if node.threshold is None else {"<=": "yes", ">": "no"}[condition.sign]


def tree_places(tree):
    """Return where each node of a tree is drawn: leaves side by side, a parent above the middle of its children."""
    nodes, place, stack, n_leaves = tree.nodes_, {}, [0], 0
    while stack:  # leaves from left to right
        number = stack.pop()
        stack += reversed(nodes[number].children.values())
        if not nodes[number].children:
            place[number], n_leaves = (float(n_leaves), -float(nodes[number].depth)), n_leaves + 1
    for number in reversed(nodes):  # children stand after their parents
        children = [place[child][0] for child in nodes[number].children.values()]
        if children:
            place[number] = (sum(children) / len(children), -float(nodes[number].depth))
    return place


def tree_boxes(tree, *limits):
    """Return the box of each leaf inside the ``limits`` of the features, and the leaf: (low, high), ..., `Node`."""
    nodes, boxes = tree.nodes_, []
    queue = [(0, tuple(limits))]
    for number, box in queue:
        node = nodes[number]
        if not node.children:
            boxes.append((*box, node))
        else:
            j, c = node.feature, min(max(node.threshold, box[node.feature][0]), box[node.feature][1])
            for child, side in zip(node.children.values(), ((box[j][0], c), (c, box[j][1]))):
                queue.append((child, (*box[:j], side, *box[j + 1 :])))
    return [box for box in boxes if all(low < high for low, high in box[:-1])]

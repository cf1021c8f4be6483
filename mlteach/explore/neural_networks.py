"""Explorers of chapter 18: two weights, planes that bend, networks on spirals, staircases of units, saturation."""

import warnings
from functools import cache

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.colors import ListedColormap

from mlteach import datasets, plots
from mlteach.explore.base import Scene, buttons, choice, count, explorer, log_slider, plain, slider, whole
from mlteach.explore.own import Plane
from mlteach.neural_networks import MLP, forward_step, initial_parameters, slope, staircase, two_spirals
from mlteach.neural_networks.backpropagation import forward
from mlteach.optimization import Adam
from mlteach.validation import ConvergenceWarning

TINTS = ListedColormap([plots.tint(plots.BLUE), plots.tint(plots.ORANGE)])


# --- Two weights ---------------------------------------------------------------------------------------------------

INPUT, TARGET = 2.0, 1.0
RANGE = np.linspace(-3.2, 3.2, 65)
TANH_UNIT = [[[1.0]], [0.0], [[1.0]], [0.0]]


def _two_weights(w1, w2):
    """Return z, h, y, J of x -> tanh -> linear, and the slopes of J in y, h, z, w2, w1."""
    net = [[[w1]], [0.0], [[w2]], [0.0]]
    passed = forward_step([[INPUT]], net)
    z, h, y = float(passed.z[0][0, 0]), float(passed.a[1][0, 0]), float(passed.y[0, 0])
    dy = y - TARGET
    dz = dy * w2 * slope("tanh", z)
    return z, h, y, 0.5 * dy**2, dy, dy * w2, dz, dy * h, dz * INPUT


class TwoWeights(Scene):
    """Set the two weights of the smallest network and watch values go forward and slopes come back."""

    caption = (
        "Figure 18.4: left, the network x → tanh → linear with x = 2 and target t = 1: values go forward (above), "
        "slopes of the loss J come back (below). Right, J over both weights (dark is high, white line: J = 0) and "
        "one step downhill at the rate η (without its diamond where it leaves the frame). Look at which numbers each "
        "slope is the product of."
    )
    lines = 2

    def __init__(self):
        self.figure, (net, plane) = plots.canvas(2, size=(9.6, 4.3), widths=(1.35, 1))
        self._draw_net(net)
        self._draw_plane(plane)
        self.moving = [*self.words, self.arrow, self.here, self.there]
        self.controls = {
            "w1": slider("first weight w₁", 0.5, -3.0, 3.0, 0.1, digits=1),
            "w2": slider("second weight w₂", -1.0, -3.0, 3.0, 0.1, digits=1),
            "eta": slider("learning rate η", 0.5, 0.1, 2.0, 0.1, digits=1),
        }

    def _draw_net(self, ax):
        ax.set(xlim=(-0.4, 4.4), ylim=(-1.5, 1.5), title="Forward above, backward below")
        ax.axis("off")
        names = ("x", "z = w₁x", "h = tanh z", "y = w₂h", "J")
        for k, name in enumerate(names):
            ax.plot(k, 0, "o", ms=40, mfc="white", mec=plots.INK, mew=1.6, zorder=3)
            ax.text(k, 0, name.split(" ")[0], ha="center", va="center", fontsize=15, zorder=4)
            ax.text(k, 1.32, name if k else "x", ha="center", va="center", fontsize=11.5, color=plots.GREY)
            if k:
                for y, colour, (end, start) in ((0.09, plots.BLUE, (0.24, 0.76)), (-0.09, plots.ORANGE, (0.76, 0.24))):
                    ax.annotate("", (k - end, y), (k - start, y), arrowprops={"arrowstyle": "->", "color": colour})
        look = {"ha": "center", "va": "center", "fontsize": 14, "zorder": 9}
        self.words = [ax.text(k, 0.62, "", color=plots.BLUE, **look) for k in range(5)]
        self.words += [ax.text(k, -0.62, "", color=plots.ORANGE, **look) for k in range(1, 4)]
        self.words += [ax.text(k, -1.15, "", color=plots.ORANGE, **look) for k in (0.65, 2.75)]

    def _draw_plane(self, ax):
        miss = RANGE[:, None] * forward_step(INPUT * RANGE[:, None], TANH_UNIT).a[1].T - TARGET
        ax.contourf(RANGE, RANGE, np.abs(miss), levels=12, cmap="cividis_r", zorder=0)
        ax.contour(RANGE, RANGE, miss, [0], colors="white")
        ax.set(xlim=(-3.2, 3.2), ylim=(-3.2, 3.2), xlabel="w₁", ylabel="w₂", aspect="equal", title="The loss J")
        (self.arrow,) = ax.plot([], [], color=plots.ORANGE, lw=2.6, zorder=4)
        (self.here,) = ax.plot([], [], "o", ms=10, mfc="white", mec=plots.INK, mew=2, zorder=5)
        (self.there,) = ax.plot([], [], "D", ms=8, mfc=plots.ORANGE, mec="white", mew=1, zorder=6)

    def compute(self, w1, w2, eta):
        """Return the weights, the values, the slopes, and the weights after one step."""
        values = _two_weights(w1, w2)
        after = w1 - eta * values[8], w2 - eta * values[7]
        return w1, w2, values, after, _two_weights(*after)[3]

    def draw(self, result):
        """Write the numbers and move the point."""
        w1, w2, (z, h, y, J, dy, dh, dz, dw2, dw1), after, _ = result
        texts = [f"{plain(v, '.3f')}" for v in (INPUT, z, h, y, J)]
        texts += [f"{plain(v, '.3f')}" for v in (dz, dh, dy)]
        texts += [f"∂J/∂w₁ = {plain(dw1, '.3f')}", f"∂J/∂w₂ = {plain(dw2, '.3f')}"]
        for words, text in zip(self.words, texts):
            words.set_text(text)
        self.here.set_data([w1], [w2])
        self.arrow.set_data([w1, after[0]], [w2, after[1]])  # the frame cuts off what leaves it
        self.there.set_data([after[0]], [after[1]])

    def describe(self, result):
        """Say values, slopes and what one step does."""
        _, _, (z, h, y, J, *_, dw2, dw1), _, J_after = result
        return (
            f"z = {plain(z, '.2f')}, h = {plain(h, '.3f')}, y = {plain(y, '.3f')}, **J = {J:.3f}**; slopes "
            f"**{plain(dw1, '.3f')} in w₁** and **{plain(dw2, '.3f')} in w₂**. One step: J = {J_after:.3f}."
        )


two_weights = explorer(TwoWeights)

# --- Planes that bend ----------------------------------------------------------------------------------------------

EPOCHS = 300
SETS = {"XOR": ("xor", (0, 8, 2)), "moons": ("moons", (2, 6, 0)), "rings": ("rings", (0, 3, 11))}
LINES = np.linspace(-1, 1, 9)
ALONG = np.linspace(-1, 1, 33)
UPRIGHT = np.array([np.column_stack([np.full(33, c), ALONG]) for c in LINES])
GRID_LINES = np.concatenate([UPRIGHT, UPRIGHT[..., ::-1]])
PLANE = np.stack(np.meshgrid(np.linspace(-1, 1, 48), np.linspace(-1, 1, 48)), axis=-1).reshape(-1, 2)


@cache
def _bent_data(name):
    """Return two classes, centred and scaled into the square from -1 to 1."""
    made = {
        "xor": lambda: datasets.xor(80, 0.12),
        "moons": lambda: datasets.moons(80, 0.1),
        "rings": lambda: datasets.rings(80, 0.15, (0.4, 1.0)),
    }[name]()
    X = made.X - (made.X.max(axis=0) + made.X.min(axis=0)) / 2
    return X / (1.08 * np.abs(X).max()), made.y


@cache
def _bending_run(name, start):
    return _bent(*_bent_data(name), start)


def _bent(X, y, start):
    """Return the history of a network 2-2-2-1 on some points."""
    net = MLP((2, 2, 2, 1), "tanh", "sigmoid", epochs=EPOCHS, batch_size=None, optimizer=Adam(0.05), rng=start)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return net.fit(2 * X, y).history_


class BentPlanes(Scene):
    """Play the training of a network with two hidden layers of two units, and watch each layer bend the plane."""

    caption = (
        "Figure 18.6: the same points and the same grid in the input (left; tinted by predicted class), after the "
        "first and after the second hidden layer, in which the output unit draws its straight line. Look at how the "
        "grid bends until a line can cut."
    )
    takes = Plane(
        (-1, 1, -1, 1),
        "the same points and the same grid in the input (left; tinted by predicted class), after the first and after "
        "the second hidden layer, in which the output unit draws its straight line. Look at how the grid bends.",
        most=100,
        each=1,
        held=False,
    )
    play, interval, lines = "step", 120, 2

    def __init__(self, data=None):
        self.data, self.run = data, cache(lambda start: _bent(data.X, data.y, start))
        self.figure, self.axes = plots.canvas(3, size=(9.6, 3.9))
        titles = ("Input x", "Hidden layer 1", "Hidden layer 2")
        self.grids, self.clouds = [], []
        for ax, title in zip(self.axes, titles):
            ax.set(xlim=(-1.12, 1.12), ylim=(-1.12, 1.12), aspect="equal", title=title)
            plots.ticks(ax.xaxis, [-1, 0, 1])
            plots.ticks(ax.yaxis, [-1, 0, 1])
            if data and ax is self.axes[0]:
                data.label(ax)
            grid = LineCollection([], colors=plots.GREY, lw=0.8, alpha=0.8, zorder=1)
            self.grids.append(ax.add_collection(grid))
            names = data.classes if data else ("class 0", "class 1")
            clouds = [
                ax.plot([], [], m, ms=5.5, mfc="white", mec=c, mew=1.5, zorder=3, label=name)[0]
                for name, m, c in zip(names, "os", plots.CLASS_COLORS)
            ]
            self.clouds.append(clouds)
        self.tint = self.axes[0].imshow(
            np.zeros((48, 48)), extent=(-1, 1, -1, 1), origin="lower", cmap=TINTS, vmin=0, vmax=1, zorder=0
        )
        (self.cut,) = self.axes[2].plot([], [], color=plots.INK, lw=2.4, zorder=4, label="output unit's line")
        self.figure.legend(handles=plots.entries(self.axes[2]), **plots.BELOW)
        self.moving = [self.tint, *self.grids, *(c for pair in self.clouds for c in pair), self.cut]
        self.controls = {
            "step": whole("epoch", 20, 0, EPOCHS, step=10),
            "data": buttons("data", {name: name for name in SETS}),
            "start": buttons("start", {"first": 0, "second": 1, "third": 2}),
        }
        if data:
            del self.controls["data"]

    def compute(self, step, start, data=None):
        """Return points, grid and plane in every layer, the output's line, loss and accuracy."""
        if data is None:
            X, y, run = self.data.X, self.data.y, self.run(start)
        else:
            name, seeds = SETS[data]
            X, y, run = *_bent_data(name), _bending_run(name, seeds[start])
        epoch = run[min(step, len(run) - 1)]
        parts = [forward(2 * P, epoch.parameters, "tanh", "sigmoid").a for P in (X, GRID_LINES.reshape(-1, 2), PLANE)]
        right = np.mean((parts[0][-1][:, 0] > 0.5) == y)
        return step, y, [X, *parts[0][1:3]], [GRID_LINES, *parts[1][1:3]], parts[2][-1], epoch, right

    def draw(self, result):
        """Move points and grid of each layer, the tint and the line."""
        _, y, points, grids, p, epoch, _ = result
        for collection, lines in zip(self.grids, grids):
            collection.set_segments(np.asarray(lines).reshape(len(GRID_LINES), 33, 2))
        for pair, places in zip(self.clouds, points):
            for k, cloud in enumerate(pair):
                cloud.set_data(*places[y == k].T)
        self.tint.set_data((p > 0.5).reshape(48, 48).astype(float))
        w, b = epoch.parameters[4][:, 0], epoch.parameters[5][0]
        self.cut.set_data(*plots.line_ends(w, b, self.axes[2]))

    def describe(self, result):
        """Say loss and accuracy at this epoch."""
        step, y, *_, epoch, right = result
        wrong = round((1 - right) * len(y))
        return (
            f"After **{count(step, 'epoch')}** the loss is **{epoch.loss:.2f}**, and the line in hidden layer 2 has "
            f"**{wrong} of {len(y)}** points on the wrong side."
        )


bent_planes = explorer(BentPlanes)

# --- Width, depth and rate on spirals ------------------------------------------------------------------------------

SPIRAL_EPOCHS = 150
VIEW = np.stack(np.meshgrid(np.linspace(-1.2, 1.2, 70), np.linspace(-1.2, 1.2, 70)), axis=-1).reshape(-1, 2)


@cache
def _spirals():
    return two_spirals(80, 1.25, 0.04)


@cache
def _spiral_run(width, depth, eta):
    return _trained(*_spirals(), width, depth, eta)


def _trained(X, y, width, depth, eta):
    """Return the history of one network on some points."""
    layers = (2, *[width] * depth, 1)
    net = MLP(layers, "tanh", "sigmoid", epochs=SPIRAL_EPOCHS, batch_size=None, optimizer=Adam(eta), rng=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return net.fit(2 * X, y).history_


class SpiralNetwork(Scene):
    """Choose width, depth and learning rate of a network and watch it wind itself around two spirals."""

    caption = (
        "Figure 18.7: left, two spirals and the classes that the network gives to the plane; right, its loss epoch by "
        "epoch (rate of Adam, chapter 05). Look at what more units, more layers and a larger rate do to both."
    )
    takes = Plane(
        (-1.2, 1.2, -1.2, 1.2),
        "left, your points and the classes that the network gives to the plane; right, its loss epoch by epoch (rate "
        "of Adam, chapter 05). Look at what more units, more layers and a larger rate do to both.",
        most=80,
        each=1,
        held=False,
    )
    play, interval, lines = "epoch", 150, 2

    def __init__(self, data=None):
        self.figure, (plane, curve) = plots.canvas(2, size=(9.6, 4.4), widths=(1, 1.15))
        X, y = self.points = (data.X, data.y) if data else _spirals()
        self.run = cache(lambda *net: _trained(X, y, *net)) if data else _spiral_run
        self.tint = plane.imshow(
            np.zeros((70, 70)), extent=(-1.2, 1.2, -1.2, 1.2), origin="lower", cmap=TINTS, vmin=0, vmax=1, zorder=0
        )
        plots.plot_classes(X, y, ax=plane, size=26, names=data.classes if data else None)
        plane.set(xlim=(-1.2, 1.2), ylim=(-1.2, 1.2), xlabel="x₁", ylabel="x₂", aspect="equal", title="The plane")
        if data:
            data.label(plane)
        curve.set(xlim=(0, SPIRAL_EPOCHS + 4), yscale="log", ylim=(2e-5, 8), xlabel="epoch", title="The loss")
        curve.axhline(np.log(2), color=plots.GREY, ls="--", lw=1.4, label="ln 2, knowing nothing")
        (self.loss,) = curve.plot([], [], color=plots.BLUE, lw=2, label="mean loss")
        (self.now,) = curve.plot([], [], "o", ms=9, color=plots.ORANGE, label="now")
        self.figure.legend(handles=plots.entries(plane, curve), **plots.BELOW)
        self.moving = [self.tint, self.loss, self.now]
        self.controls = {
            "width": choice("units per layer", [1, 2, 4, 8, 16], value=8),
            "depth": choice("hidden layers", [1, 2, 3], value=1),
            "eta": log_slider("learning rate η", 0.01, 0.001, 1.0, per_decade=2),
            "epoch": whole("epoch", SPIRAL_EPOCHS, 0, SPIRAL_EPOCHS, step=5),
        }

    def compute(self, width, depth, eta, epoch):
        """Return the losses so far, the classes of the plane, and the numbers of the read-out."""
        run = self.run(width, depth, round(eta, 6))
        epoch = min(epoch, len(run) - 1)
        X, y = self.points
        p, q = (forward(2 * P, run[epoch].parameters, "tanh", "sigmoid").y[:, 0] for P in (VIEW, X))
        weights = sum(w.size for w in run[0].parameters)
        losses = np.array([record.loss for record in run[: epoch + 1]])
        return losses, (p > 0.5).astype(float), np.sum((q > 0.5) != y), weights, len(y)

    def draw(self, result):
        """Tint the plane and draw the loss up to now."""
        losses, tint, *_ = result
        self.tint.set_data(tint.reshape(70, 70))
        self.loss.set_data(np.arange(len(losses)), losses)
        self.now.set_data([len(losses) - 1], [losses[-1]])

    def describe(self, result):
        """Say size, loss and errors."""
        losses, _, wrong, weights, n = result
        return (
            f"A network of **{weights} weights and offsets**, after {count(len(losses) - 1, 'epoch')}: mean loss "
            f"**{losses[-1]:.2f}**, **{int(wrong)} of {n}** training points wrong."
        )


spiral_network = explorer(SpiralNetwork)

# --- A staircase of sigmoids ---------------------------------------------------------------------------------------

SPAN = np.linspace(0, 1, 601)
TARGETS = {
    "wave": lambda x: np.sin(2 * np.pi * x) + 0.4 * np.sin(6 * np.pi * x),
    "tent": lambda x: 1 - 2 * np.abs(2 * x - 1),
    "jump": lambda x: np.where(x < 0.37, -0.8, 0.8),
}
UNITS = np.arange(2, 61, 2)


def _stairs(name, units, steepness):
    """Return the staircase with ``units`` sigmoid units on the span, the height of each cell taken at its middle."""
    cells = units + 1
    heights = TARGETS[name]((np.arange(cells) + 0.5) / cells)
    return forward_step(SPAN[:, None], staircase(heights, 0, 1, steepness), "sigmoid").y[:, 0]


@cache
def _stairs_errors(name, steepness):
    truth = TARGETS[name](SPAN)
    errors = np.array([np.abs(_stairs(name, int(n), steepness) - truth) for n in UNITS])
    return errors.max(axis=1), errors.mean(axis=1)


class StaircaseUnits(Scene):
    """Add sigmoid units one step each, and watch the staircase approach the curve."""

    caption = (
        "Figure 18.8: left, a curve (dashed), the output of one hidden layer of sigmoid units, one step each, and the "
        "edges at which the units switch (ticks below); right, its largest and mean error against the number of "
        "units (rings: now). Look at how the error falls, and at what no number of units mends."
    )
    lines = 2

    def __init__(self):
        self.figure, (curve, errors) = plots.canvas(2, size=(9.6, 4.3), widths=(1.35, 1))
        curve.set(xlim=(0, 1), ylim=(-1.75, 1.55), xlabel="x", title="Curve and network")
        (self.truth,) = curve.plot([], [], "--", color=plots.GREY, lw=2.2, zorder=2, label="wanted")
        (self.made,) = curve.plot([], [], color=plots.BLUE, lw=2.2, zorder=3, label="network")
        (self.edges,) = curve.plot([], [], "|", ms=13, mew=1.6, color=plots.INK, zorder=3, label="units")
        errors.set(xscale="log", yscale="log", xlim=(1.8, 66), ylim=(0.003, 3), xlabel="units", title="Error")
        plots.ticks(errors.xaxis, [2, 5, 10, 20, 50])
        plots.ticks(errors.yaxis, [0.01, 0.1, 1])
        (self.worst,) = errors.plot([], [], "s-", ms=4, lw=1.4, color=plots.ORANGE, zorder=2, label="largest error")
        (self.mean,) = errors.plot([], [], "o-", ms=4, lw=1.4, color=plots.BLUE, zorder=2, label="mean error")
        (self.now,) = errors.plot([], [], "o", ms=13, mfc="none", mec=plots.INK, mew=2, zorder=3)
        self.figure.legend(handles=plots.entries(curve, errors), **plots.BELOW)
        self.moving = [self.truth, self.made, self.edges, self.worst, self.mean, self.now]
        self.controls = {
            "units": whole("units n", 6, 2, 60, step=2),
            "steepness": log_slider("steepness per cell, sδ", 10.0, 1.0, 100.0, per_decade=4),
            "target": buttons("curve", {name: name for name in TARGETS}),
        }

    def compute(self, units, steepness, target):
        """Return the curve, the network's output, the edges, and errors for all numbers of units."""
        steepness = round(steepness, 6)
        made = _stairs(target, units, steepness)
        return TARGETS[target](SPAN), made, np.arange(1, units + 1) / (units + 1), _stairs_errors(target, steepness)

    def draw(self, result):
        """Draw curve, staircase, edges and errors."""
        truth, made, edges, (worst, mean) = result
        self.truth.set_data(SPAN, truth)
        self.made.set_data(SPAN, made)
        self.edges.set_data(edges, np.full(len(edges), -1.64))
        self.worst.set_data(UNITS, worst)
        self.mean.set_data(UNITS, mean)
        at = len(edges) // 2 - 1
        self.now.set_data([UNITS[at]] * 2, [worst[at], mean[at]])

    def describe(self, result):
        """Say both errors."""
        truth, made, edges, _ = result
        error = np.abs(made - truth)
        return (
            f"With **{len(edges)} units** the largest error is **{error.max():.2f}**, the mean error "
            f"**{error.mean():.3f}**."
        )


staircase_units = explorer(StaircaseUnits)

# --- Saturation ----------------------------------------------------------------------------------------------------

WIDTH, SAMPLES = 40, 60
BINS = np.linspace(-1, 1, 21)


@cache
def _random_net(depth):
    """Return inputs, and weights of variance 1 / inputs, the same for every scale."""
    rng = np.random.default_rng(18)
    X = rng.normal(size=(SAMPLES, WIDTH))
    return X, initial_parameters((WIDTH,) * (depth + 1) + (1,), "tanh", rng)


def _slopes_by_layer(scale, activation, depth):
    """Return the root mean square of the Delta of each hidden layer, first layer first, and the activations."""
    X, start = _random_net(depth)
    parameters = [p * scale for p in start]
    passed = forward(X, parameters, activation, "identity")
    # y - t set to 1 for every sample; the slopes then follow (18.18)
    Delta, sizes = np.ones((SAMPLES, 1)), []
    for layer in range(depth, 0, -1):
        Delta = Delta @ parameters[2 * layer].T * slope(activation, passed.z[layer - 1])
        sizes.append(float(np.sqrt(np.mean(Delta**2))))
    return np.array(sizes[::-1]), passed


class SaturationDepth(Scene):
    """Scale all weights of a random network and watch its units saturate and its slopes vanish or explode."""

    caption = (
        "Figure 18.10: a random network of 40 units a layer. Left, the outputs of the last hidden layer (those "
        "beyond ±1 at the edge); right, the "
        "size of Δ layer by layer, counted from the input, on a logarithmic axis. Look at both ends of the scale."
    )
    lines = 2

    def __init__(self):
        self.figure, (units, layers) = plots.canvas(2, size=(9.6, 4.3), widths=(1, 1.25))
        self.units, self.layers = units, layers
        units.set(xlim=(-1.02, 1.02), ylim=(0, 1.02), xlabel="output of a unit", title="Last hidden layer: share")
        (self.bars,) = units.plot([], [], color=plots.BLUE, lw=2, drawstyle="steps-post")
        layers.set(xlim=(0.5, 12.5), yscale="log", ylim=(1e-22, 1e11), xlabel="hidden layer", title="Size of Δ")
        plots.ticks(layers.xaxis, [1, 2, 4, 6, 8, 10, 12])
        layers.axhline(1, color=plots.GREY, ls="--", lw=1.3, label="1")
        (self.sizes,) = layers.plot([], [], "o-", color=plots.ORANGE, lw=2, label="root mean square of Δ")
        layers.legend(loc="lower right", fontsize=11)  # whatever the scale, Δ never goes there
        self.moving = [self.bars, self.sizes]
        self.controls = {
            "scale": log_slider("weight scale ω", 1.0, 0.1, 10.0, per_decade=10),
            "activation": buttons("unit", {"sigmoid": "sigmoid", "tanh": "tanh", "ReLU": "relu"}, value="tanh"),
            "depth": whole("hidden layers", 8, 1, 12),
        }

    def compute(self, scale, activation, depth):
        """Return the sizes of Delta by layer, and the outputs of the last hidden layer."""
        sizes, passed = _slopes_by_layer(scale, activation, depth)
        flat = np.mean(slope(activation, passed.z[depth - 1]) < 0.05)
        return sizes, passed.a[depth], flat, activation

    def draw(self, result):
        """Draw histogram and sizes."""
        sizes, last, *_ = result
        shares = np.histogram(np.clip(last, -0.999, 0.999), BINS)[0] / last.size
        self.bars.set_data(BINS, np.append(shares, shares[-1]))
        self.sizes.set_data(np.arange(1, len(sizes) + 1), sizes)

    def describe(self, result):
        """Say how many units are flat and how the slopes change on the way down."""
        sizes, _, flat, _ = result
        share = f"In the last hidden layer **{100 * flat:.0f} %** of the outputs have a slope below 0.05. "
        if len(sizes) == 1:
            return share + "With one hidden layer Δ has nowhere to go: add layers."
        ratio = sizes[0] / sizes[-1] if sizes[-1] > 0 else 0.0
        return share + f"From the last to the first hidden layer Δ changes by a factor of **{_power(ratio)}**."


def _power(ratio):
    """Write a factor as an order of magnitude."""
    if ratio == 0:
        return "0"
    if 0.01 <= ratio <= 100:
        return f"{ratio:.2g}"
    return f"10{str(round(np.log10(ratio))).translate(str.maketrans('-0123456789', '⁻⁰¹²³⁴⁵⁶⁷⁸⁹'))}"


saturation_depth = explorer(SaturationDepth)

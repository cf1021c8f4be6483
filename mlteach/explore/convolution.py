"""Explorers of chapter 20: a kernel that slides, one that is drawn, what a network sees, and few samples."""

from functools import cache

import numpy as np
from matplotlib import colormaps
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.patches import Polygon

from mlteach import datasets, plots
from mlteach.convolution import SmallCNN, as_pictures, conv2d, convolve, cross_correlate, flip, shift
from mlteach.convolution.few_samples import EPOCHS, EVERY, SAMPLES, WAYS, stored_runs
from mlteach.deep_learning import train
from mlteach.explore.base import Scene, buttons, choice, count, explorer, plain, slider, switch, whole
from mlteach.logistic_regression import softmax
from mlteach.optimization import Adam

LOOKS = ((plots.BLUE, "-", "o"), (plots.GREEN, "--", "s"), (plots.ORANGE, "-.", "^"))  # for the three WAYS


def _short(value):
    """Write a number of a tile: no point where none is needed."""
    return plain(value, ".0f") if value == round(value) else plain(value, ".2f").rstrip("0")


# --- A kernel slides -------------------------------------------------------------------------------------------------

SIGNALS = {"1, 2, 3": (1.0, 2.0, 3.0), "one spike: 0, 1, 0": (0.0, 1.0, 0.0), "flat: 2, 2, 2": (2.0, 2.0, 2.0)}
KERNELS = {"0, 1, ½": (0.0, 1.0, 0.5), "−1, 0, 1": (-1.0, 0.0, 1.0), "1, 1, 1": (1.0, 1.0, 1.0)}
OPERATIONS = {"convolution (flip)": True, "cross-correlation (no flip)": False}
ROWS = ("signal f, with zeros", "kernel g, as it slides", "products", "result so far")


class SlideKernel(Scene):
    """Slide a kernel along a signal, flipped or not, and watch the sums of products."""

    caption = (
        "Figure 20.2: the kernel (framed) below the signal, the three products, and their sum, written under the "
        "middle of the kernel. Look at the order of the kernel's entries, and compare the finished result with it."
    )
    play, interval, lines = "place", 900, 2

    def __init__(self):
        self.figure, ax = plots.canvas(1, size=(9.6, 4.0))
        ax.set(xlim=(-3.35, 7.1), ylim=(-0.6, 3.6))
        ax.axis("off")
        for y, (name, colour) in enumerate(zip(ROWS[::-1], (plots.SKY, plots.PALE, plots.ORANGE, plots.PALE))):
            ax.text(-0.65, y, name, ha="right", va="center", fontsize=14, zorder=1)
            for x in range(7) if y in (0, 3) else ():
                if y == 3 or 1 <= x <= 5:
                    ax.add_patch(_tile(x, y, plots.tint(colour, 0.35)))
        self.frame = ax.add_collection(
            PolyCollection([], facecolor=plots.tint(plots.ORANGE), edgecolor=plots.ORANGE, linewidth=2.2, zorder=2)
        )
        look = {"ha": "center", "va": "center", "fontsize": 16, "zorder": 4}
        self.texts = {y: [ax.text(x, y, "", **look) for x in range(7)] for y in range(4)}
        self.moving = [self.frame, *(text for row in self.texts.values() for text in row)]
        self.controls = {
            "place": whole("place of the kernel", 2, 0, 4),
            "flipped": buttons("operation", OPERATIONS, True),
            "signal": choice("signal f", SIGNALS),
            "kernel": choice("kernel g", KERNELS),
        }

    def compute(self, place, flipped, signal, kernel):
        """Return the signal with its zeros, the kernel as it slides, its place, and the whole result."""
        result = (convolve if flipped else cross_correlate)(signal, kernel)
        g = flip(np.array(kernel)) if flipped else np.array(kernel)
        return np.pad(signal, 2), g, place, result, flipped

    def draw(self, result):
        """Write the numbers, and move the frame."""
        f, g, place, sums, _ = result
        for x in range(7):
            under = place <= x < place + 3
            self.texts[3][x].set_text(_short(f[x]))
            self.texts[2][x].set_text(_short(g[x - place]) if under else "")
            self.texts[1][x].set_text(_short(f[x] * g[x - place]) if under else "")
            self.texts[0][x].set_text(_short(sums[x - 1]) if 1 <= x <= place + 1 else "")
        self.frame.set_verts([_corners(place + k, 2) for k in range(3)])

    def describe(self, result):
        """Say the sum at this place, and the result so far."""
        f, g, place, sums, flipped = result
        terms = " + ".join(f"{_short(f[place + k])}·{_short(g[k])}" for k in range(3))
        name = "Convolution" if flipped else "Cross-correlation"
        so_far = ", ".join(_short(s) for s in sums[: place + 1])
        rest = "" if place == 4 else ", …"
        return f"{name}, place {place}: {terms} = **{_short(sums[place])}**. Result: **({so_far}{rest})**."


def _corners(x, y):
    return [(x - 0.45, y - 0.4), (x + 0.45, y - 0.4), (x + 0.45, y + 0.4), (x - 0.45, y + 0.4)]


def _tile(x, y, colour):
    return Polygon(_corners(x, y), facecolor=colour, edgecolor="white", zorder=1)


slide_kernel = explorer(SlideKernel)

# --- A kernel is drawn ------------------------------------------------------------------------------------------------

PRESETS = {
    "left to right": ((-1, 0, 1), (-1, 0, 1), (-1, 0, 1)),
    "top to bottom": ((-1, -1, -1), (0, 0, 0), (1, 1, 1)),
    "mean": ((1 / 9,) * 3,) * 3,
    "edges all round": ((0, -1, 0), (-1, 4, -1), (0, -1, 0)),
    "stroke downwards": ((-1, 2, -1), (-1, 2, -1), (-1, 2, -1)),
    "empty: draw it below": ((0, 0, 0), (0, 0, 0), (0, 0, 0)),
}
ENTRIES = ("top left", "top", "top right", "left", "centre", "right", "bottom left", "bottom", "bottom right")


@cache
def _pictures():
    """Return the pictures, all of 16 x 16 pixels: four real digits, two steps and a spot."""
    digits = datasets.digits().X.reshape(-1, 8, 8) / 16
    four = np.block([[digits[0], digits[1]], [digits[4], digits[7]]])
    ramp = np.tile(np.repeat([0.0, 1.0], 8), (16, 1))
    spot = np.zeros((16, 16))
    spot[7, 7] = 1
    return {"four real digits": four, "dark left, bright right": ramp, "dark above, bright below": ramp.T, "spot": spot}


class KernelDrawing(Scene):
    """Choose a kernel or draw one, and see what it finds in a picture."""

    caption = (
        "Figure 20.4: the picture, the kernel, and its answer at every place, the feature map: orange positive, purple "
        "negative, white 0, the darkest being the strongest answer of this map. Look where the map is silent. The nine "
        "sliders add to the kernel."
    )
    lines = 2

    def __init__(self):
        self.figure, axes = plots.canvas(3, size=(9.6, 3.5), widths=(1, 0.62, 1))
        for ax, title in zip(axes, ("Picture, 16 × 16", "Kernel", "Feature map")):
            ax.set(xticks=[], yticks=[], title=title, aspect="equal")
            ax.spines[:].set_visible(True)
        look = {"interpolation": "nearest", "zorder": 1}
        self.picture = axes[0].imshow(np.zeros((16, 16)), cmap="gray", vmin=0, vmax=1, **look)
        self.kernel = axes[1].imshow(np.zeros((3, 3)), cmap="PuOr_r", vmin=-4, vmax=4, **look)
        self.map = axes[2].imshow(np.zeros((14, 14)), cmap="PuOr_r", vmin=-1, vmax=1, **look)
        axes[2].set(xlim=(-0.1, 18.1), ylim=(18.1, -0.1), facecolor=plots.PALE)
        self.numbers = [
            axes[1].text(j, i, "", ha="center", va="center", fontsize=14, zorder=2) for i, j in np.ndindex(3, 3)
        ]
        self.moving = [self.picture, self.kernel, self.map, *self.numbers]
        self.controls = {
            "preset": choice("kernel", PRESETS),
            "picture": choice("picture", {name: name for name in _pictures()}),
            "stride": whole("stride s", 1, 1, 3),
            "padding": whole("padding p", 0, 0, 2),
            "relu": switch("keep only positive (ReLU)"),
            **{name.replace(" ", "_"): slider(f"add {name}", 0.0, -2.0, 2.0, 1.0, digits=0) for name in ENTRIES},
        }

    def compute(self, preset, picture, stride, padding, relu, **entries):
        """Return picture, kernel and feature map."""
        image = _pictures()[picture]
        added = np.reshape([entries[name.replace(" ", "_")] for name in ENTRIES], (3, 3))
        kernel = np.array(preset, dtype=float) + added
        answers = conv2d(image[None, None], kernel[None, None], stride=stride, padding=padding)[0, 0]
        return image, kernel, np.maximum(answers, 0) if relu else answers, stride, padding

    def draw(self, result):
        """Show all three; the map's colours are scaled to its strongest answer."""
        image, kernel, answers, *_ = result
        self.picture.set_data(image)
        self.kernel.set_data(kernel)
        for text, value in zip(self.numbers, kernel.ravel()):
            text.set_text(_short(value))
            text.set_color("white" if abs(value) > 2.6 else plots.INK)
        start, size = (18 - len(answers)) / 2, len(answers)
        self.map.set_data(answers)
        self.map.set_extent((start, start + size, start + size, start))
        limit = max(np.abs(answers).max(), 1e-9)
        self.map.set_clim(-limit, limit)

    def describe(self, result):
        """Say the size of the map, its strongest answers, and how many places are silent."""
        _, kernel, answers, stride, padding = result
        n = len(answers)
        silent = int(np.sum(np.abs(answers) < 1e-9))
        return (
            f"Stride {stride}, padding {padding}: the map has **{n} × {n}** places. Answers from "
            f"**{plain(answers.min(), '.2f')}** to **{plain(answers.max(), '.2f')}**; {silent} of {n * n} are 0. The "
            f"entries of the kernel sum to {plain(kernel.sum(), '.2f')}."
        )


kernel_drawing = explorer(KernelDrawing)

# --- What a network sees ----------------------------------------------------------------------------------------------

STAGES = {"convolution 1": 1, "pooling 1": 2, "convolution 2": 3, "pooling 2": 4}


@cache
def _trained():
    """Return a network trained on 600 digits, and one picture of each digit that it has not seen."""
    digits = datasets.digits()
    X, y = as_pictures(digits.X) / 16, digits.y.astype(int)
    model = SmallCNN(rng=1)
    train(model, X[:600], y[:600], Adam(0.01), 12, rng=1)
    return model, np.stack([X[600 + np.flatnonzero(y[600:] == k)[2]] for k in range(10)])


class FeatureMaps(Scene):
    """Show a digit to a trained network and look at its maps, stage by stage; then move the digit."""

    caption = (
        "Figure 20.7: left, a digit that the network has not seen before; middle, its feature maps at the chosen stage "
        "(the brightest is the strongest entry); right, what it believes. Move the digit and see which maps move along."
    )
    lines = 2

    def __init__(self):
        self.figure, axes = plots.canvas(3, size=(9.6, 3.4), widths=(0.75, 1.7, 0.8))
        for ax, title in zip(axes[:2], ("Digit, 8 × 8", "Feature maps")):
            ax.set(xticks=[], yticks=[], title=title, aspect="equal")
            ax.spines[:].set_visible(False)
        look = {"interpolation": "nearest", "zorder": 1}
        self.picture = axes[0].imshow(np.zeros((8, 8)), cmap="gray", vmin=0, vmax=1, **look)
        self.maps = axes[1].imshow(np.zeros((4, 8, 3)), extent=(0, 2, 0, 1), **look)
        bars = axes[2]
        bars.set(xlim=(0, 1.02), ylim=(9.6, -0.6), xlabel="probability", title="Belief")
        bars.set_yticks(range(10), range(10))
        plots.ticks(bars.xaxis, [0, 0.5, 1])
        self.bars = bars.add_collection(LineCollection([], colors=plots.BLUE, lw=13, zorder=2))
        self.moving = [self.picture, self.maps, self.bars]
        self.controls = {
            "digit": whole("digit", 3, 0, 9),
            "stage": buttons("stage", STAGES, 1),
            "right": whole("move right by", 0, -2, 2),
            "down": whole("move down by", 0, -2, 2),
        }

    def compute(self, digit, stage, right, down):
        """Return the moved digit, the maps at the stage, and the probabilities."""
        model, pictures = _trained()
        x = shift(pictures[digit], down, right)[None]
        outputs = model.outputs(x)
        return digit, x[0, 0], outputs[stage].data[0], softmax(outputs[-1].data)[0]

    def draw(self, result):
        """Show the digit, lay the maps side by side, and draw the belief."""
        digit, picture, maps, p = result
        self.picture.set_data(picture)
        self.maps.set_data(_mosaic(maps, 4 if len(maps) == 8 else 6))
        self.bars.set_segments([[(0, k), (max(p[k], 1e-4), k)] for k in range(10)])

    def describe(self, result):
        """Say sizes, how much of the maps is silent, and what the network believes."""
        digit, _, maps, p = result
        n, side = maps.shape[:2]
        best = int(p.argmax())
        verdict = "right" if best == digit else f"wrong: the digit is {digit}"
        return (
            f"**{n} maps of {side} × {side}**, {100 * np.mean(maps == 0):.0f} % of their entries 0. The network says "
            f"**{best}** with probability **{p[best]:.2f}** ({verdict})."
        )


def _mosaic(maps, columns):
    """Return maps side by side in one picture of colours, all on the scale of the strongest, with gaps between."""
    side, rows = maps.shape[1], columns // 2
    scale = 48 // side * 8 // columns
    size, gap = scale * side, 48 // columns
    page = np.ones((rows * (size + gap), columns * (size + gap), 3))
    tiles = colormaps["cividis"](maps / max(maps.max(), 1e-9))[..., :3].repeat(scale, 1).repeat(scale, 2)
    for k, tile in enumerate(tiles):
        i, j = (k // columns) * (size + gap), (k % columns) * (size + gap)
        page[i : i + size, j : j + size] = tile
    return page


feature_maps = explorer(FeatureMaps)

# --- Few samples of a new task ----------------------------------------------------------------------------------------


class FrozenLayers(Scene):
    """Learn five new digits from few pictures: with frozen layers, with layers that go on learning, or from nothing."""

    caption = (
        "Figure 20.10: test accuracy on the digits 5 to 9, of networks that learned 0 to 4 before or nothing: means of "
        "twenty, with their range; in grey the nearest neighbour on pixels. Left, as training goes on; right, by the "
        "number of pictures. Look who leads, then switch the moved copies on."
    )
    play, interval, lines = "epoch", 400, 3

    def __init__(self):
        self.figure, (left, right) = plots.canvas(2, size=(9.6, 4.3), widths=(1.1, 1), sharey=True)
        left.set(xlim=(0, EPOCHS), ylim=(0.1, 1), xlabel="epoch", ylabel="test accuracy", title="As training goes on")
        right.set(xlim=(0.8, 38), xscale="log", xlabel="pictures of each new digit", title="At this epoch")
        plots.ticks(right.xaxis, SAMPLES)
        for ax in (left, right):
            ax.axhline(0.2, color=plots.GREY, ls=":", lw=1.4, zorder=1)
        left.text(EPOCHS - 0.3, 0.205, "guessing", color=plots.GREY, ha="right", va="bottom", fontsize=11)
        bands, lines, points = [], [], []
        for (colour, style, marker), way in zip(LOOKS, WAYS):
            area = PolyCollection([], facecolor=colour, alpha=0.16, edgecolor="none", zorder=1.5)
            bands.append(left.add_collection(area))
            lines += left.plot([], [], color=colour, ls=style, zorder=3, label=way)
            points += right.plot([], [], color=colour, ls=style, marker=marker, ms=8, zorder=3)
        self.ranges = [right.add_collection(LineCollection([], colors=c, lw=1.6, zorder=2)) for c, *_ in LOOKS]
        (self.now,) = right.plot([], [], color=plots.INK, ls=":", lw=1.4, zorder=1)
        look = {"color": plots.GREY, "lw": 2.2, "zorder": 2.5}
        (self.level,) = left.plot([], [], ls=(0, (1, 1)), label="nearest neighbour", **look)
        (self.near,) = right.plot([], [], ls=(0, (1, 1)), marker="D", ms=7, **look)
        self.bands, self.lines_, self.points = bands, lines, points
        self.figure.legend(handles=plots.entries(left), **plots.BELOW)
        self.moving = [*bands, *lines, *self.ranges, *points, self.now, self.level, self.near]
        self.controls = {
            "samples": choice("pictures of each new digit", {str(n): n for n in SAMPLES}, 10),
            "copies": switch("moved copies"),
            "epoch": whole("epoch", EPOCHS, 0, EPOCHS, step=EVERY),
        }

    def compute(self, samples, copies, epoch):
        """Return the runs (ways, sizes, sources, records) up to the chosen epoch, and the neighbour's accuracies."""
        runs, c = stored_runs(), int(copies)
        return runs.curves[c, ..., : epoch // EVERY + 1], runs.neighbours[c, 0].mean(axis=1), samples, copies, epoch

    def draw(self, result):
        """Draw the curves as far as they have gone."""
        runs, near, samples, _, epoch = result
        t, k = np.arange(0, epoch + 1, EVERY), SAMPLES.index(samples)
        for way, (area, line, points, bars) in enumerate(zip(self.bands, self.lines_, self.points, self.ranges)):
            here = runs[way, k]
            low, high = here.min(axis=0), here.max(axis=0)
            area.set_verts([np.column_stack([np.append(t, t[::-1]), np.append(low, high[::-1])])])
            line.set_data(t, here.mean(axis=0))
            n, ends = np.array(SAMPLES) * (0.95 + 0.05 * way), runs[way, :, :, -1]
            points.set_data(n, ends.mean(axis=1))
            bars.set_segments([[(x, v.min()), (x, v.max())] for x, v in zip(n, ends)])
        self.now.set_data([samples, samples], [0.1, 1])
        self.level.set_data([0, EPOCHS], [near[k], near[k]])
        self.near.set_data(SAMPLES, near)

    def describe(self, result):
        """Say the mean accuracies, and how often the frozen network beats the one from nothing."""
        runs, near, samples, copies, epoch = result
        k = SAMPLES.index(samples)
        ends = runs[:, k, :, -1]
        said = ", ".join(f"{way} **{100 * a:.0f} %**" for way, a in zip(WAYS, ends.mean(axis=1)))
        wins = int(np.sum(ends[0] > ends[2]))
        return (
            f"{count(samples, 'picture')} of each new digit, {'with' if copies else 'without'} moved copies, epoch "
            f"{epoch}: {said}; nearest neighbour **{100 * near[k]:.0f} %**. Frozen beats from nothing in "
            f"**{wins} of {ends.shape[1]}** pairs."
        )


frozen_layers = explorer(FrozenLayers)

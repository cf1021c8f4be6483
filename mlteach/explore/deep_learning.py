"""Explorers of chapter 19: gradients in a graph, signals in deep networks, penalties, patience, and sub-networks."""

import itertools
from functools import cache

import numpy as np
from matplotlib.ticker import LogLocator, NullFormatter

from mlteach import plots
from mlteach.datasets import moons
from mlteach.deep_learning import Dense, Dropout, Residual, Sequential, Tensor, signal_sizes, train, unpack
from mlteach.explore.base import Scene, buttons, count, explorer, log_slider, plain, slider, whole
from mlteach.optimization import Adam
from mlteach.progress import progress

TINT = {"forward": plots.BLUE_WASH, "back": plots.ORANGE_MIST, "none": plots.GREY_MIST}

# --- A graph, forward and back -------------------------------------------------------------------------------------

PLACES = {"a": (0.55, 0.6), "b": (0.55, 2.4), "c": (2.75, 1.9), "d": (4.75, 1.1), "L": (6.75, 1.1)}
ARROWS = [("a", "c"), ("b", "c"), ("c", "d"), ("a", "d"), ("d", "L")]
MADE = {"a": "a", "b": "b", "c": "c = a × b", "d": "d = a + c", "L": "L = d²"}
VALUE_FROM = {"a": 0, "b": 0, "c": 1, "d": 2, "L": 3}
SLOPE_FROM = {"L": 4, "d": 5, "c": 6, "a": 6, "b": 7}


def _walk(a, b):
    """Return values and gradients of the five Tensors, and the share that reaches a along each of its two edges."""
    a, b = Tensor(a), Tensor(b)
    c = a * b
    d = a + c
    L = d**2
    L.backward()
    tensors = {"a": a, "b": b, "c": c, "d": d, "L": L}
    values = {name: float(t) for name, t in tensors.items()}
    slopes = {name: float(t.grad) for name, t in tensors.items()}
    return values, slopes, (slopes["d"], slopes["c"] * values["b"])


class BackwardWalk(Scene):
    """Walk through a small graph: values forward, gradients back, and watch the shares of a add up."""

    caption = (
        "Figure 19.2: the graph of L = (a + ab)². Blue boxes have their value, orange ones their gradient too; beside "
        "an arrow stands the slope by which it multiplies what flows back, at a's two arrows also the share that "
        "arrives. Look at a, which two arrows leave."
    )
    play, interval, lines = "step", 900, 2

    def __init__(self):
        self.figure, ax = plots.canvas(size=(9.6, 3.7))
        ax.set(xlim=(-0.4, 7.6), ylim=(-0.1, 3.0))
        ax.axis("off")
        for start, end in ARROWS:
            shape = "arc3,rad=0.12" if (start, end) == ("a", "d") else "arc3"
            arrow = {"arrowstyle": "-|>", "lw": 1.8, "color": plots.GREY, "shrinkA": 34, "shrinkB": 52}
            ax.annotate("", PLACES[end], PLACES[start], arrowprops={**arrow, "connectionstyle": shape}, zorder=1)
        box = {"boxstyle": "round,pad=0.45", "ec": plots.INK, "lw": 1.2}
        look = {"ha": "center", "va": "center", "fontsize": 13, "linespacing": 1.5, "zorder": 3}
        self.boxes = {name: ax.text(*at, name, bbox={**box, "fc": "white"}, **look) for name, at in PLACES.items()}
        spots = {
            ("d", "L"): (5.7, 1.5), ("c", "d"): (3.92, 1.74), ("a", "d"): (3.0, 0.3),
            ("a", "c"): (2.55, 1.13), ("b", "c"): (1.82, 2.44),
        }  # fmt: skip
        paper = {"boxstyle": "square,pad=0.12", "fc": "white", "ec": "none"}
        small = {"ha": "center", "va": "center", "fontsize": 12, "color": plots.ORANGE, "weight": "bold", "zorder": 2}
        self.shares = {edge: ax.text(*at, "", bbox=paper, **small) for edge, at in spots.items()}
        self.moving = [*self.boxes.values(), *self.shares.values()]
        self.controls = {
            "step": whole("step", 3, 0, 7),
            "a": slider("input a", 2.0, -3.0, 3.0, 0.5, digits=1),
            "b": slider("input b", 3.0, -3.0, 3.0, 0.5, digits=1),
        }

    def compute(self, step, a, b):
        """Return the step, values, gradients, and the two shares of a."""
        return step, *_walk(a, b)

    def draw(self, result):
        """Write into each box what is known by now, and beside each arrow what has flowed back."""
        step, values, slopes, (direct, through) = result
        for name, text in self.boxes.items():
            lines = [MADE[name]]
            if step >= VALUE_FROM[name]:
                lines.append(f"= {plain(values[name], 'g')}" if name in "ab" else f"value {plain(values[name], 'g')}")
            if step >= SLOPE_FROM[name]:
                slope = direct if name == "a" and step == 6 else slopes[name]
                lines.append(f"dL/d{name} = {plain(slope, 'g')}{' …' if name == 'a' and step == 6 else ''}")
            text.set_text("\n".join(lines))
            state = "back" if step >= SLOPE_FROM[name] else "forward" if step >= VALUE_FROM[name] else "none"
            text.get_bbox_patch().set_facecolor(TINT[state])
        local = {
            ("d", "L"): (5, f"×2d = {plain(2 * values['d'], 'g')}"),
            ("c", "d"): (6, "×1"),
            ("a", "d"): (6, f"×1, share {plain(direct, 'g')}"),
            ("a", "c"): (7, f"×b, share {plain(through, 'g')}"),
            ("b", "c"): (7, f"×a = {plain(values['a'], 'g')}"),
        }
        for edge, (when, words) in local.items():
            self.shares[edge].set_text(words if step >= when else "")

    def describe(self, result):
        """Say what this step did."""
        step, values, slopes, (direct, through) = result
        v, s = ({k: plain(x, "g") for k, x in t.items()} for t in (values, slopes))
        back = [
            "Back: the walk begins with **dL/dL = 1**.",
            f"Back through the square: dL/dd = 1 × 2d = **{s['d']}**.",
            f"Back through +: its slope is 1 on both sides, so dL/dc = **{s['c']}**, and a gets a first share of "
            f"**{plain(direct, 'g')}**.",
            f"Back through ×: b gets {s['c']} × a = **{s['b']}**, a gets {s['c']} × b = {plain(through, 'g')} more, "
            f"together **{s['a']}**.",
        ]
        said = [
            f"The inputs are a = **{v['a']}** and b = **{v['b']}**.",
            f"Forward: c = a × b = **{v['c']}**.",
            f"Forward: d = a + c = **{v['d']}**.",
            f"Forward: L = d² = **{v['L']}**. Now the way back can begin.",
            *back,
        ]
        return f"Step {step} of 7. {said[step]}"


backward_walk = explorer(BackwardWalk)

# --- Signals in a deep network -------------------------------------------------------------------------------------

N_LAYERS, WIDTH = 20, 64


@cache
def _inputs(width):
    rng = np.random.default_rng(19)
    return rng.normal(size=(40, width)), rng.integers(0, 10, 40)


def _log_axis(ax, low, high, every):
    ax.set_yscale("log")
    ax.set_ylim(10.0**low, 10.0**high)
    ax.yaxis.set_major_locator(LogLocator(base=10.0**every, numticks=20))
    ax.yaxis.set_minor_formatter(NullFormatter())
    ax.minorticks_off()


class InitialScale(Scene):
    """Begin a deep network with weights a little too small or too large, and see what twenty layers make of it."""

    caption = (
        "Figure 19.4: size (root mean square, log scale) of the outputs of each layer, left, and of the gradient that "
        "comes back to it, right; 20 layers of 64 units before training. The dashed line is a factor s a layer. Look "
        "at how far a small change of s carries."
    )
    lines = 3

    def __init__(self):
        self.figure, (ahead, back) = plots.canvas(2, size=(9.6, 4.0), sharey=True)
        for ax, title in ((ahead, "Outputs, going forward →"), (back, "Gradients, coming back ←")):
            ax.set(xlim=(-0.5, N_LAYERS + 0.5), xlabel="layer", title=title)
            _log_axis(ax, -8.5, 8.5, 4)
            plots.ticks(ax.xaxis, [0, 5, 10, 15, 20])
            ax.axhline(1, color=plots.PALE, lw=1, zorder=0)
        ahead.set_ylabel("size, as a multiple")
        self.lines_ = [
            ax.plot([], [], "o-", ms=5, color=c, zorder=3)[0] for ax, c in ((ahead, plots.BLUE), (back, plots.ORANGE))
        ]
        self.guides = [ax.plot([], [], "--", color=plots.GREY, lw=1.6, zorder=2)[0] for ax in (ahead, back)]
        self.moving = [*self.guides, *self.lines_]
        self.controls = {
            "scale": log_slider("factor s", 10**0.1, 0.5, 2.0, per_decade=20),
            "activation": buttons("activation", {"relu": "relu", "tanh": "tanh", "none": None}),
        }

    def compute(self, scale, activation):
        """Return the sizes forward and back, as multiples of where they begin, and the factor."""
        rng = np.random.default_rng(5)
        layers = [Dense(WIDTH, WIDTH, activation, rng, scale=scale) for _ in range(N_LAYERS)]
        X, y = _inputs(WIDTH)
        sizes = signal_sizes(Sequential(*layers), X, y)
        return sizes.forward / sizes.forward[0], sizes.backward / sizes.backward[-1], scale, activation

    def draw(self, result):
        """Draw both curves and the dashed guides."""
        ahead, back, scale, _ = result
        layers = np.arange(N_LAYERS + 1)
        for line, values in zip(self.lines_, (ahead, back)):
            line.set_data(layers, np.clip(values, 1e-12, 1e12))
        self.guides[0].set_data(layers, scale**layers)
        self.guides[1].set_data(layers, scale ** (N_LAYERS - layers))

    def describe(self, result):
        """Say what twenty layers did to the signal and to the gradient."""
        ahead, back, scale, activation = result
        return (
            f"Weights begin at **{scale:.3g}** times (19.8), activation {activation or 'none'}: after 20 layers the "
            f"outputs have {_times(ahead[-1])} their size; back at the input the gradient has {_times(back[0])} its "
            f"size."
        )


def _times(x):
    """Write a factor with a digit or two between 0.001 and 1000, and else by its order of magnitude."""
    if 0.1 <= x < 10:
        return f"**{x:.1f}** times"
    if 10 <= x < 1000 or 0.001 <= x < 0.1:
        return f"about **{x:.0f}** times" if x > 1 else f"about **{x:.1g}** times"
    return f"about **10{str(int(np.round(np.log10(x)))).translate(str.maketrans('-0123456789', '⁻⁰¹²³⁴⁵⁶⁷⁸⁹'))}** times"


initial_scale = explorer(InitialScale)

# --- Depth, with and without short cuts ----------------------------------------------------------------------------

NARROW = 32


class ShortCuts(Scene):
    """Make a network deeper, with and without residual blocks, and compare the gradients that reach each layer."""

    caption = (
        "Figure 19.5: size of the gradient at the output of each layer before training (root mean square, log scale), "
        "as a multiple of that at the last layer: plain layers (circles), residual blocks (squares); right, the middle "
        "of the scale enlarged. Look at the left ends, where learning has to begin."
    )
    lines = 3

    def __init__(self):
        self.figure, axes = plots.canvas(2, size=(9.6, 4.0))
        self.plain, self.short = [], []
        for ax, low, high, every, title in zip(axes, (-26.5, -2.2), (13.5, 2.2), (8, 1), ("All sizes", "0.01 to 100")):
            ax.set(xlim=(-0.8, 40.8), xlabel="layer", title=title)
            _log_axis(ax, low, high, every)
            ax.axhline(1, color=plots.PALE, lw=1, zorder=0)
            self.plain += ax.plot([], [], "o-", ms=4, color=plots.BLUE, zorder=3, label="plain layers")
            self.short += ax.plot([], [], "s-", ms=4, color=plots.ORANGE, zorder=4, label="residual blocks")
        axes[0].set_ylabel("size of the gradient")
        axes[0].legend(loc="lower right", fontsize=12)
        self.moving = [*self.plain, *self.short]
        self.controls = {
            "depth": whole("depth", 20, 2, 40),
            "activation": buttons("activation", {"sigmoid": "sigmoid", "tanh": "tanh", "relu": "relu"}),
            "share": buttons("each block adds", {"F": False, "F / √depth": True}),
        }

    def compute(self, depth, activation, share):
        """Return the gradient by layer, plain and residual, as multiples of the last."""
        X, y = _inputs(NARROW)
        sizes = []
        for scale, wrap in ((1.0, lambda layer: layer), (depth**-0.5 if share else 1.0, Residual)):
            rng = np.random.default_rng(7)
            blocks = [wrap(_Scaled(Dense(NARROW, NARROW, activation, rng), scale)) for _ in range(depth)]
            back = signal_sizes(Sequential(*blocks, Dense(NARROW, 10, rng=rng)), X, y).backward[:-1]
            sizes.append(back / back[-1])
        return *sizes, activation

    def draw(self, result):
        """Draw both curves."""
        for lines, back in zip((self.plain, self.short), result):
            for line in lines:
                line.set_data(np.arange(len(back)), np.clip(back, 1e-40, 1e40))

    def describe(self, result):
        """Say what arrives at the input."""
        bare, short, activation = result
        return (
            f"**{len(bare) - 1}** layers, {activation}. At the input the gradient has, without short cuts, "
            f"{_times(bare[0])} the size it has after the last layer, and with them {_times(short[0])}."
        )


class _Scaled(Sequential):
    """Layers whose output is multiplied by a number."""

    def __init__(self, layer, scale):
        super().__init__(layer)
        self.scale = scale

    def forward(self, x, training):
        return super().forward(x, training) * self.scale


short_cuts = explorer(ShortCuts)

# --- Penalty and dropout on forty points ---------------------------------------------------------------------------

EPOCHS = 80
SHARES, PENALTIES = (0.0, 0.2, 0.5, 0.8), (0.0, 0.003, 0.01, 0.03, 0.1)
SIDE = np.linspace(-1, 1, 61)
GRID = np.column_stack([g.ravel() for g in np.meshgrid(0.5 + 2.3 * SIDE, 0.25 + 1.75 * SIDE)])


@cache
def _points(seed):
    """Return forty training points and two hundred for validation, classes 0 and 1."""
    both = moons(40, 0.35, rng=seed), moons(200, 0.35, rng=1000 + seed)
    return [(d.X, (np.asarray(d.y) == np.unique(d.y)[1]).astype(int)) for d in both]


def _small_net(p, rng):
    hidden = Dense(2, 16, "relu", rng), Dropout(p, rng), Dense(16, 16, "relu", rng), Dropout(p, rng)
    return Sequential(*hidden, Dense(16, 2, rng=rng))


@cache
def _run(p, lam, seed=2):
    """Train the small network and return it with its history and snapshots."""
    rng = np.random.default_rng(seed)
    (X, y), check = _points(seed)
    model = _small_net(p, rng)
    history = train(model, X, y, Adam(0.03), EPOCHS, batch_size=40, lam=lam, validation=check, snapshots=True, rng=seed)
    return model, history


def _curves(ax, top):
    ax.set(xlim=(0, EPOCHS), ylim=(0, top), xlabel="epoch", ylabel="mean loss")
    (learn,) = ax.plot([], [], color=plots.BLUE, zorder=3, label="training")
    (check,) = ax.plot([], [], "--", color=plots.ORANGE, zorder=3, label="validation")
    return learn, check


class PenaltyAndDropout(Scene):
    """Hold a network back by dropout and weight decay, and watch boundary and validation curve."""

    caption = (
        "Figure 19.7: left, forty training points and where the network changes its mind; right, loss on them and on "
        "200 others. p is the share of hidden units that are switched off at random in each step of training (19.7). "
        "Look at the gap between the curves."
    )
    play, interval, lines = "epoch", 120, 2

    def __init__(self):
        self.figure, (plane, curves) = plots.canvas(2, size=(9.6, 4.2), widths=(1.1, 1))
        (X, y), _ = _points(2)
        plane.set(xlim=(-1.8, 2.8), ylim=(-1.5, 2.0), title="Probability of class 1", xlabel="x₁", ylabel="x₂")
        self.picture = plane.imshow(
            np.zeros((61, 61)), origin="lower", extent=(-1.8, 2.8, -1.5, 2.0), vmin=-0.35, vmax=1.35, cmap="RdBu_r",
            aspect="auto", interpolation="bilinear", zorder=0,
        )  # fmt: skip
        plots.plot_classes(X, y, ax=plane)
        plane.legend(loc="upper right", fontsize=11)
        self.learn, self.check = _curves(curves, 2.0)
        curves.set_title("Loss")
        (self.best,) = curves.plot([], [], "v", ms=9, color=plots.ORANGE, zorder=5, label="least so far")
        curves.legend(loc="upper left", fontsize=11)
        self.moving = [self.picture, self.learn, self.check, self.best]
        self.controls = {
            "p": buttons("dropout p", {f"{p:g}": p for p in SHARES}),
            "lam": buttons("decay λ", {f"{lam:g}": lam for lam in PENALTIES}, 0.03),
            "epoch": whole("epoch", EPOCHS, 0, EPOCHS),
        }

    def compute(self, p, lam, epoch):
        """Return the history up to the epoch, and the probabilities on the grid."""
        model, history = _run(p, lam)
        unpack(model.parameters(), history.snapshots[epoch])
        scores = model(GRID).data
        return history, epoch, 1 / (1 + np.exp(np.clip(scores[:, 0] - scores[:, 1], -500, 500))), p, lam

    def draw(self, result):
        """Tint the plane and draw the curves as far as the epoch."""
        history, epoch, share, *_ = result
        self.picture.set_data(share.reshape(61, 61))
        epochs, k = np.arange(epoch + 1), int(np.argmin(history.validation_loss[: epoch + 1]))
        self.learn.set_data(epochs, history.train_loss[: epoch + 1])
        self.check.set_data(epochs, np.minimum(history.validation_loss[: epoch + 1], 5))
        self.best.set_data([k], [history.validation_loss[k]])

    def describe(self, result):
        """Say losses and errors at the epoch."""
        history, epoch, _, p, lam = result
        k, wrong = int(np.argmin(history.validation_loss[: epoch + 1])), 100 * history.validation_error[epoch]
        return (
            f"p = {p:g}, λ = {lam:g}, epoch {epoch}: loss **{history.train_loss[epoch]:.2f}** in training, "
            f"**{history.validation_loss[epoch]:.2f}** in validation, where **{wrong:.0f} %** "
            f"are wrong. Least validation loss so far: {history.validation_loss[k]:.2f} after {count(k, 'epoch')}."
        )


penalty_and_dropout = explorer(PenaltyAndDropout)

# --- Patience ------------------------------------------------------------------------------------------------------

RUNS, LONG = 8, 50


@cache
def _long_runs():
    """Return the validation and training losses of eight runs on eight samples, (runs, epochs + 1)."""
    curves = []
    for seed in progress(range(RUNS), "training eight networks"):
        rng = np.random.default_rng(seed)
        (X, y), check = _points(seed)
        history = train(_small_net(0.3, rng), X, y, Adam(0.02), LONG, batch_size=10, validation=check, rng=seed)
        curves.append((history.validation_loss, history.train_loss))
    return np.swapaxes(np.array(curves), 0, 1)


def _stop(losses, patience):
    """Return (best epoch, epoch of the stop) of early stopping on a whole validation curve."""
    best = 0
    for k in range(1, len(losses)):
        if losses[k] < losses[best]:
            best = k
        elif k - best >= patience:
            return best, k
    return best, len(losses) - 1


class PatienceWatch(Scene):
    """Choose how long to wait for something better, and see what is kept and what waiting costs."""

    caption = (
        "Figure 19.8: left, one run with the epoch that is kept (triangle) and the epoch at which training stops "
        "(line; pale, what the validation loss would have done); right, for eight runs on eight samples, how much "
        "validation loss the kept weights lack to the best of all 50 epochs (circles; the line is their mean). Look at "
        "what a little more patience buys."
    )
    lines = 2

    def __init__(self):
        self.figure, (one, many) = plots.canvas(2, size=(9.6, 4.1), widths=(1.25, 1))
        self.learn, self.check = _curves(one, 1.6)
        one.set(xlim=(0, LONG), title="One run")
        (self.rest,) = one.plot([], [], color=plots.GREY, lw=1.5, zorder=1, label="not run")
        (self.kept,) = one.plot([], [], "v", ms=10, color=plots.ORANGE, zorder=5, label="kept")
        (self.end,) = one.plot([0, 0], [0, 1.6], ":", color=plots.INK, lw=2, zorder=2, label="stop")
        one.legend(loc="upper left", fontsize=11, ncols=3)
        many.set(xlim=(0, 21), ylim=(-0.005, 0.12), xlabel="patience", ylabel="lacking to the best", title="Eight runs")
        (self.mean,) = many.plot([], [], color=plots.GREEN, zorder=2)
        (self.dots,) = many.plot([], [], "o", mfc="none", mec=plots.GREEN, mew=1.8, zorder=3)
        self.moving = [self.rest, self.learn, self.check, self.kept, self.end, self.mean, self.dots]
        self.controls = {
            "patience": whole("patience", 8, 1, 20),
            "run": whole("run", 1, 1, RUNS),
        }

    def compute(self, patience, run):
        """Return the run's curves and stop, and what each run lacks at each patience up to this one."""
        validation, training = _long_runs()
        stops = [_stop(losses, patience) for losses in validation]
        lack = np.array([[v[_stop(v, k)[0]] - v.min() for v in validation] for k in range(1, patience + 1)])
        return validation[run - 1], training[run - 1], stops[run - 1], lack, np.mean([end for _, end in stops]), run

    def draw(self, result):
        """Draw the run up to its stop, and the mean lack up to this patience."""
        validation, training, (best, end), lack, *_ = result
        epochs = np.arange(end + 1)
        self.learn.set_data(epochs, training[: end + 1])
        self.check.set_data(epochs, np.minimum(validation[: end + 1], 5))
        self.rest.set_data(np.arange(end, len(validation)), np.minimum(validation[end:], 5))
        self.kept.set_data([best], [validation[best]])
        self.end.set_xdata([end, end])
        patience = len(lack)
        self.mean.set_data(np.arange(1, patience + 1), lack.mean(axis=1))
        self.dots.set_data(np.full(RUNS, patience), lack[-1])

    def describe(self, result):
        """Say what is kept, and the means."""
        validation, _, (best, end), lack, epochs, run = result
        return (
            f"Run {run}, patience **{len(lack)}**: stops after epoch **{end}** and keeps epoch **{best}**, validation "
            f"loss {validation[best]:.2f} (least of all: {validation.min():.2f}). Over eight runs: **{epochs:.0f}** "
            f"epochs, and **{lack[-1].mean():.3f}** lacking on average."
        )


patience_watch = explorer(PatienceWatch)

# --- Sub-networks --------------------------------------------------------------------------------------------------

UNITS = 8
MASKS = np.array(list(itertools.product((0.0, 1.0), repeat=UNITS)))
POINTS = {"clear case": (1.6, -0.4), "doubtful": (0.55, 0.2), "other side": (-0.6, 0.6)}


@cache
def _dropout_net():
    rng = np.random.default_rng(3)
    (X, y), _ = _points(2)
    model = Sequential(Dense(2, UNITS, "tanh", rng), Dropout(0.5, rng), Dense(UNITS, 2, rng=rng))
    train(model, X, y, Adam(0.03), EPOCHS, batch_size=40, rng=3)
    return model


class SubNetworks(Scene):
    """Compare the mean of all 256 sub-networks with one network whose weights are scaled, and with a few samples."""

    caption = (
        "Figure 19.10: what the 256 sub-networks of a net with eight hidden units say about one point (bars: their "
        "share, weighted by how often dropout draws them), their exact mean (solid line), the whole network (dashed), "
        "and the mean of r random ones (dotted). The network was trained with p = 0.5. Compare solid and dashed."
    )
    lines = 3

    def __init__(self):
        self.figure, ax = plots.canvas(size=(9.6, 3.7))
        ax.set(xlim=(0, 1), ylim=(0, 0.92), xlabel="probability of class 1", ylabel="share of sub-networks")
        self.edges = np.linspace(0, 1, 26)
        look = {"align": "edge", "color": plots.LIGHT_BLUE, "ec": "white", "zorder": 1}
        self.bars = ax.bar(self.edges[:-1], np.zeros(25), 0.04, **look)
        (self.exact,) = ax.plot([0, 0], [0, 0.76], color=plots.BLUE, zorder=3, label="mean of all 256")
        (self.scaled,) = ax.plot([0, 0], [0, 0.76], "--", color=plots.ORANGE, zorder=5, label="whole network")
        (self.drawn,) = ax.plot([0, 0], [0, 0.76], ":", color=plots.INK, zorder=4, label="mean of r")
        ax.legend(loc="upper center", ncols=3, fontsize=12)
        self.moving = [*self.bars, self.exact, self.drawn, self.scaled]
        self.controls = {
            "p": slider("dropout p", 0.5, 0.2, 0.8, 0.1, digits=1),
            "point": buttons("point", list(POINTS)),
            "r": log_slider("sampled r", 10.0, 1.0, 1000.0, per_decade=3),
        }

    def compute(self, p, point, r):
        """Return the probability that each sub-network gives, its weight, and the three means."""
        model, r = _dropout_net(), int(round(r))
        place = np.array([POINTS[point]])
        hidden = model.layers[0](place).data
        kept = MASKS.sum(axis=1)
        weight = p ** (UNITS - kept) * (1 - p) ** kept
        scores = model.layers[2](hidden * MASKS / (1 - p)).data
        share = 1 / (1 + np.exp(scores[:, 0] - scores[:, 1]))
        whole_scores = model(place).data[0]
        scaled = 1 / (1 + np.exp(whole_scores[0] - whole_scores[1]))
        few = np.random.default_rng(11).choice(256, r, p=weight)
        return share, weight, float(weight @ share), float(scaled), float(share[few].mean()), r, p

    def draw(self, result):
        """Draw the bars and the three means."""
        share, weight, exact, scaled, drawn, *_ = result
        heights, _ = np.histogram(share, self.edges, weights=weight)
        for bar, height in zip(self.bars, heights):
            bar.set_height(height)
        self.exact.set_xdata([exact, exact])
        self.scaled.set_xdata([scaled, scaled])
        self.drawn.set_xdata([drawn, drawn])

    def describe(self, result):
        """Say the three means."""
        share, weight, exact, scaled, drawn, r, p = result
        spread = float(np.sqrt(weight @ (share - exact) ** 2))
        return (
            f"p = {p:.1f}. Mean of all 256 sub-networks **{exact:.3f}** (they spread by ±{spread:.2f}); the whole "
            f"network **{scaled:.3f}**, one pass; mean of {count(r, 'random sub-network')} **{drawn:.3f}**."
        )


sub_networks = explorer(SubNetworks)

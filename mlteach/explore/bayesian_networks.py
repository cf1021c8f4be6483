"""Explorers of chapter 11: evidence, open paths, costs, samples, learnt tables, rain; and the drawing of networks."""

import itertools
import math
import textwrap
from functools import cache

import numpy as np
from matplotlib.patches import FancyArrowPatch, Rectangle
from matplotlib.path import Path
from matplotlib.ticker import FixedLocator

from mlteach import plots
from mlteach.bayesian_networks import (
    BayesNet,
    LinearGaussian,
    Probit,
    burglary,
    chest_clinic,
    eliminate,
    enumerate_cases,
    late_to_meeting,
    open_path,
)
from mlteach.explore.base import Scene, buttons, choice, explorer, log_slider, plain, slider, switch, whole
from mlteach.probability import normal_pdf

LIGHT_BLUE, LIGHT_ORANGE = plots.LIGHT_BLUE, plots.LIGHT_ORANGE
WIDTH, HEIGHT = 0.86, 0.42  # of a variable's box; neighbours and layers are one apart
METHODS = ("rejection", "weighting", "Gibbs")

# --- Drawing a network ---------------------------------------------------------------------------------------------


def layout(parents):
    """Return a place (x, y) for each variable: parents in higher layers, each layer ordered by its parents' places."""
    layer = {}
    for name, group in parents.items():
        layer[name] = 1 + max((layer[p] for p in group), default=-1)
    place = {}
    for k in range(1 + max(layer.values())):
        row = [name for name in parents if layer[name] == k]
        if k:
            row.sort(key=lambda name: np.mean([place[p][0] for p in parents[name]]))
        for i, name in enumerate(row):
            place[name] = (i - (len(row) - 1) / 2, -float(k))
    return place


def draw(net, *, ax=None, tables=False, evidence=None, place=None):
    """Draw a network in layers on ``ax`` and return it.

    ``tables=True`` writes each table beside its variable; ``evidence``, a dict (which may be empty), writes and shades
    P(first state | evidence) into every box; ``place``, a dict from each variable to its (x, y), replaces `layout`.
    Continuous variables have a double frame.
    """
    ax = ax if ax is not None else _new_axes()
    place = place or layout(net.parents)
    _set_frame(ax, place, tables)
    arrows(ax, net.parents, place)
    marginals = net.marginals(evidence) if evidence is not None else {}
    for name, (x, y) in place.items():
        fixed = evidence is not None and name in evidence
        _box(ax, x, y, fc=plots.PALE if fixed else "white", lw=3 if fixed else 1.6)
        if net.states[name] is None:
            _box(ax, x, y, shrink=0.04, lw=1.2)
        words = _spaced(name)
        if name in marginals:
            p = next(iter(marginals[name].values()))
            ax.add_patch(_bar(x, y, p))
            words += f"\n{_chance(p)}"
        if tables and not net.parents[name] and net.states[name]:
            words += f"\n{_row(net.table(name), net.states[name])}"
        ax.text(x, y, words, ha="center", va="center", fontsize=11, zorder=5)
        if tables and net.parents[name]:
            _write_table(ax, net, name, x, y)
    return ax


def arrows(ax, parents, place, **style):
    """Draw the arrows of a network and return them: a dict from (parent, child) to its arrow."""
    look = {"arrowstyle": "-|>", "mutation_scale": 15, "color": plots.GREY, "lw": 1.8, "zorder": 1, **style}
    made = {}
    for child, group in parents.items():
        for parent in group:
            (x0, y0), (x1, y1) = place[parent], place[child]
            via = _detour(place, (x0, y0), (x1, y1))
            points = [(x0, y0), *via, (x1, y1)]
            points[0], points[-1] = _border(*points[0], *points[1]), _border(*points[-1], *points[-2])
            made[parent, child] = ax.add_patch(FancyArrowPatch(path=Path(points), shrinkA=0, shrinkB=1, **look))
    return made


def _detour(place, start, end):
    """Return corners that lead a long arrow between the boxes of the layers it crosses, none if its way is free."""
    (x0, y0), (x1, y1) = start, end
    corners = []
    for y in {y for _, y in place.values() if min(y0, y1) < y < max(y0, y1)}:
        at = x0 + (x1 - x0) * (y - y0) / (y1 - y0)
        row = sorted(x for x, other in place.values() if other == y)
        if all(abs(at - x) > WIDTH / 2 + 0.1 for x in row):
            continue
        gaps = [row[0] - WIDTH / 2 - 0.1, *((a + b) / 2 for a, b in itertools.pairwise(row)), row[-1] + WIDTH / 2 + 0.1]
        gap = min(gaps, key=lambda g: abs(g - at))
        down = np.sign(y1 - y0)
        corners += [(gap, y - down * HEIGHT * 0.6), (gap, y + down * HEIGHT * 0.6)]
    return sorted(corners, key=lambda c: abs(c[1] - y0))


def _border(x0, y0, x1, y1):
    """Return the point where the line from the middle of one box to another leaves the first box."""
    dx, dy = x1 - x0, y1 - y0
    t = min(WIDTH / 2 / abs(dx) if dx else math.inf, HEIGHT / 2 / abs(dy) if dy else math.inf)
    return x0 + t * dx, y0 + t * dy


def _box(ax, x, y, shrink=0.0, **style):
    look = {"fc": "none", "ec": plots.INK, "lw": 1.6, "zorder": 2, **style}
    corner = (x - WIDTH / 2 + shrink, y - HEIGHT / 2 + shrink)
    return ax.add_patch(Rectangle(corner, WIDTH - 2 * shrink, HEIGHT - 2 * shrink, **look))


def _bar(x, y, p, color=LIGHT_BLUE):
    return Rectangle((x - WIDTH / 2, y - HEIGHT / 2), WIDTH * p, HEIGHT, fc=color, ec="none", zorder=2.5)


def _write_table(ax, net, name, x, y):
    """Write the rows of a table to the side of its box that is turned outwards, a long one farther out."""
    try:
        table = net.table(name)
    except ValueError:
        return  # a continuous law has no rows
    parents, own = net.parents[name], net.states[name]
    lines = [f"{' '.join(_short(p) for p in parents)}  P".strip()]
    for case, row in zip(itertools.product(*(net.states[p] for p in parents)), table.reshape(-1, len(own))):
        lines.append(f"{' '.join(_short(str(v)) for v in case)}  {_row(row, own)}".strip())
    lines = lines if parents else lines[1:]
    text = "\n".join(line.ljust(max(map(len, lines))) for line in lines)
    side, away = -1 if x < 0 else 1, WIDTH / 2 + (0.28 if len(lines) > 6 else 0.05)
    look = {"ha": "left" if side > 0 else "right", "va": "center", "family": "DejaVu Sans Mono", "fontsize": 10}
    ax.text(x + side * away, y, text, **look, zorder=5)


def _row(row, own):
    """Write one distribution: P(true) of a Boolean variable, all entries of another."""
    return f"{row[own.index(True)]:.3g}" if set(own) == {True, False} else " ".join(f"{p:.2g}" for p in row)


def _set_frame(ax, place, tables):
    xs, ys = np.array(list(place.values())).T
    side = 0.95 if tables else 0.5
    ax.set(xlim=(xs.min() - side, xs.max() + side), ylim=(ys.min() - 0.35, ys.max() + 0.35))
    _bare(ax)


def _bare(ax):
    """Leave nothing of the axes."""
    ax.set(xticks=[], yticks=[])
    ax.spines[:].set_visible(False)


def _short(word):
    return word[:1]


def _spaced(name):
    """Break a long name between its words: JohnCalls in two lines."""
    words = "".join(f" {c}" if c.isupper() and k else c for k, c in enumerate(name)).replace("X Ray", "X-ray")
    return textwrap.fill(words, 12)


def _chance(p):
    return f"{p:.3f}" if 0.0005 <= p <= 0.9995 or p in (0, 1) else f"{p:.1g}" if p < 0.5 else f"{p:.5f}"


def _new_axes():
    from matplotlib import pyplot as plt  # only here: explorers and scripts work without it

    return plt.gca()


# --- Evidence on the burglary net ------------------------------------------------------------------------------------

ALARM = ("Burglary", "Earthquake", "Alarm", "JohnCalls", "MaryCalls")
KNOWN = {"?": "open", "true": "true", "false": "false"}


class EvidenceFlow(Scene):
    """Press buttons to observe variables of the burglary network, and watch all others answer."""

    caption = (
        "Figure 11.3: the burglary network. The blue bar in a box is P(true | evidence), the dashed mark what it was "
        "before any evidence; a thick frame marks an observation. Watch the number in Burglary when you add Earthquake."
    )

    def __init__(self):
        self.net, self.prior = burglary(), burglary().marginals()
        self.figure, ax = plots.canvas(size=(9.6, 4.0))
        place = {name: (1.35 * x, y) for name, (x, y) in layout(self.net.parents).items()}
        ax.set(xlim=(-2.2, 2.2), ylim=(-2.35, 0.35))
        _bare(ax)
        arrows(ax, self.net.parents, place)
        self._draw_boxes(ax, place)
        self._draw_tables(ax, place)
        frames = [*self.boxes.values(), *self.bars.values(), *self.marks.values()]
        self.moving = [*frames, *self.words.values(), *self.tables]
        labels = {"JohnCalls": "John calls", "MaryCalls": "Mary calls"}
        rung = {"Alarm": "true"}  # at rest the bars would be too small to see
        self.controls = {name: buttons(labels.get(name, name), KNOWN, rung.get(name)) for name in ALARM}
        self.controls["show"] = switch("show the tables")

    def _draw_boxes(self, ax, place):
        self.place, self.boxes, self.bars, self.marks, self.words = place, {}, {}, {}, {}
        for name, (x, y) in place.items():
            _box(ax, x, y, fc="white", lw=0)
            self.boxes[name] = _box(ax, x, y, zorder=3)
            self.bars[name] = ax.add_patch(_bar(x, y, 0))
            at = x - WIDTH / 2 + WIDTH * self.prior[name][True]
            (self.marks[name],) = ax.plot(
                [at, at], [y - HEIGHT / 2, y + HEIGHT / 2], "--", color=plots.INK, lw=1.5, zorder=4
            )
            self.words[name] = ax.text(x, y, "", ha="center", va="center", fontsize=13, zorder=6)

    def _draw_tables(self, ax, place):
        before = set(ax.texts)
        for name in ALARM:
            _write_table(ax, self.net, name, *place[name])
        self.tables = [text for text in ax.texts if text not in before]

    def compute(self, show, **pressed):
        """Return the evidence, all marginals given it (None if it cannot happen) and whether tables are shown."""
        evidence = {name: value == "true" for name, value in pressed.items() if value != "open"}
        return evidence, self.net.marginals(evidence), show

    def draw(self, result):
        """Fill the bars and frame what was observed."""
        evidence, marginals, show = result
        for name in ALARM:
            p = marginals[name][True]
            self.bars[name].set_width(WIDTH * p)
            self.boxes[name].set_linewidth(4.5 if name in evidence else 1.6)
            self.bars[name].set_facecolor(plots.SKY if name in evidence else LIGHT_BLUE)
            said = str(evidence[name]).lower() if name in evidence else _chance(p)
            self.words[name].set_text(f"{_spaced(name)}\n{said}".replace(" Calls", " calls"))
        for text in self.tables:
            text.set_visible(show)

    def describe(self, result):
        """Say what burglary and earthquake are worth now."""
        evidence, marginals, _ = result
        b, e = marginals["Burglary"][True], marginals["Earthquake"][True]
        seen = ", ".join(f"{self.controls[n].description} = {str(v).lower()}" for n, v in evidence.items())
        words = f"Given {seen}: " if seen else "Nothing observed: "
        words += f"P(burglary) = **{b:.4f}**, {_times(b / self.prior['Burglary'][True])}; "
        return words + f"P(earthquake) = **{e:.4f}**, {_times(e / self.prior['Earthquake'][True])}."


def _times(ratio):
    if 0.995 < ratio < 1.005:
        return "as before any evidence"
    if ratio >= 1:
        return f"{ratio:,.0f} times its prior" if ratio >= 100 else f"{ratio:.3g} times its prior"
    return f"its prior divided by {1 / ratio:,.3g}" if ratio >= 0.01 else "next to nothing" * (ratio > 0) or "excluded"


evidence_flow = explorer(EvidenceFlow)

# --- Open and blocked paths ------------------------------------------------------------------------------------------

CLINIC = chest_clinic()
GIVABLE = ("Smoker", "Tuberculosis", "Cancer", "Shadow", "Bronchitis", "XRay", "ShortBreath")


class OpenPaths(Scene):
    """Choose two variables of the chest clinic and what is given: is a path between them open?"""

    caption = (
        "Figure 11.5: the chest clinic. Grey boxes are given; thick orange arrows are the shortest open path between "
        "the two framed variables, dashed ones lead from a collider to what opens it. With no open path the two are "
        "independent, whatever the tables."
    )
    lines = 3

    def __init__(self):
        self.figure, ax = plots.canvas(size=(9.6, 4.3))
        self.place = {name: (1.25 * x, y) for name, (x, y) in layout(CLINIC.parents).items()}
        ax.set(xlim=(-2.2, 2.2), ylim=(-3.3, 0.3))
        _bare(ax)
        arrows(ax, CLINIC.parents, self.place)
        self.bold = arrows(ax, CLINIC.parents, self.place, color=plots.ORANGE, lw=4.5, mutation_scale=24, zorder=1.5)
        self.boxes = {name: _box(ax, *self.place[name], fc="white") for name in CLINIC.names}
        self.signs = {}
        for name, (x, y) in self.place.items():
            ax.text(x, y, _spaced(name), ha="center", va="center", fontsize=12, zorder=6)
        self.moving = [*self.bold.values(), *self.boxes.values()]
        names = {_spaced(n): n for n in CLINIC.names}
        self.controls = {"x": choice("from X", names, "Tuberculosis"), "y": choice("to Y", names, "XRay")}
        self.controls |= {n: switch(f"given {_spaced(n).lower()}") for n in GIVABLE}

    def compute(self, x, y, **given):
        """Return the two variables, what is given, the open path (None if there is none) and two probabilities."""
        Z = tuple(name for name in GIVABLE if given[name])
        if len({x, y, *Z}) < 2 + len(Z):
            return x, y, Z, None, None
        evidence = dict.fromkeys(Z, True)
        chances = tuple(CLINIC.query(y, {**evidence, **more})[True] for more in ({}, {x: True}))
        return x, y, Z, open_path(CLINIC.parents, x, y, Z), chances

    def draw(self, result):
        """Mark the two variables, what is given, and the path."""
        x, y, Z, path, _ = result
        steps = set(zip(path or [], (path or [])[1:]))
        opening = _opening(path or [], Z)
        for (parent, child), arrow in self.bold.items():
            on_path = (parent, child) in steps or (child, parent) in steps
            arrow.set_visible(on_path or (parent, child) in opening)
            arrow.set_linestyle("-" if on_path else (0, (1.5, 1)))
        for name, box in self.boxes.items():
            box.set_facecolor(plots.BEFORE if name in Z else "white")
            box.set(linewidth=4 if name in (x, y) else 1.6)
            box.set_edgecolor(plots.ORANGE if name in (x, y) else plots.INK)

    def describe(self, result):
        """Name the open path, or say that there is none, with the numbers that show it."""
        x, y, Z, path, chances = result
        if path is None and chances is None:
            return "X, Y and what is given must be **different** variables: choose others, or take a tick away."
        x, y = _spaced(x).lower(), _spaced(y).lower()
        given = f" given {' and '.join(_spaced(n).lower() for n in Z)}" if Z else " with nothing given"
        before, after = chances
        numbers = f"P({y}) = **{before:.4f}** while {x} is unknown, **{after:.4f}** if {x} is true"
        numbers += " (and what is given is true)." if Z else "."
        if path is None:
            return f"**No path is open**{given}: X and Y are independent. {numbers}"
        way = " – ".join(_spaced(n).lower() for n in path)
        silent = " These tables let nothing through." if abs(before - after) < 5e-5 else ""
        return f"**Open**{given}: {way}. {numbers}{silent}"


def _opening(path, Z):
    """Return the arrows that lead from the colliders of a path down to the observed descendants that open them."""
    parents, steps = CLINIC.parents, set()
    for before, middle, after in zip(path, path[1:], path[2:]):
        if {before, after} <= set(parents[middle]) and middle not in Z:
            below = [[middle]]
            while below[0][-1] not in Z:  # the first descendant found in breadth
                way = below.pop(0)
                below += [[*way, child] for child in CLINIC.names if way[-1] in parents[child]]
            steps |= set(zip(below[0], below[0][1:]))
    return steps


open_paths = explorer(OpenPaths)

# --- What exact inference costs --------------------------------------------------------------------------------------

SIZES = np.arange(3, 14)
SHAPES = ("chain", "star", "mesh")
ORDERS = ("smallest table first", "along the arrows", "against the arrows", "shuffled")


def shaped(shape, n):
    """Return n Boolean variables: a chain, one cause with n - 1 effects, or a mesh: parents one and three before."""
    net = BayesNet()
    for k in range(n):
        above = {"chain": [k - 1], "star": [0] if k else [-1], "mesh": [k - 3, k - 1]}[shape]
        parents = [f"X{p}" for p in above if p >= 0]
        rows = {c: 0.2 + 0.5 * sum(c) / (1 + len(c)) for c in itertools.product((True, False), repeat=len(parents))}
        net.add(f"X{k}", parents, rows if parents else 0.4)
    return net


@cache
def costs(shape, order):
    """Return multiplications of enumeration and elimination and the largest table, for every size (3, len(SIZES))."""
    found = []
    for n in SIZES:
        net, asked = shaped(shape, n), f"X{n - 1}"
        hidden = [name for name in net.names if name != asked]
        chosen = {ORDERS[1]: hidden, ORDERS[2]: hidden[::-1], ORDERS[3]: _shuffled(hidden)}.get(order)
        done = eliminate(net, asked, order=chosen)
        found.append((_enumerated(n), done.multiplications, done.largest))
    return np.array(found).T


@cache
def _enumerated(n):
    """Return the products of enumeration; without evidence they depend on the number of variables only."""
    return enumerate_cases(shaped("chain", n), f"X{n - 1}").multiplications


def _shuffled(names):
    return [str(name) for name in np.random.default_rng(1).permutation(names)]


class InferenceCost(Scene):
    """Count the multiplications of enumeration and elimination as a network grows, in an order of your choice."""

    caption = (
        "Figure 11.6: P(last variable), nothing observed, for n Boolean variables: a chain, a star (one cause, n - 1 "
        "effects), a mesh (parents one and three places before). Left, counted multiplications; right, the largest "
        "table that elimination makes. Compare the orders in each shape."
    )
    lines = 3

    def __init__(self):
        self.figure, (left, right) = plots.canvas(2, widths=(3, 2), size=(9.6, 4.0))
        left.set(yscale="log", xlim=(2.6, 13.4), ylim=(3, 4e4), xlabel="variables n", title="Multiplications")
        right.set(yscale="log", xlim=(2.6, 13.4), ylim=(1.5, 2e4), xlabel="variables n", title="Largest table")
        right.plot(SIZES, 2.0**SIZES, ":", color=plots.INK, label="full joint, 2ⁿ")
        (self.slow,) = left.plot([], [], "s--", color=plots.ORANGE, ms=11, mfc="none", label="enumeration")
        (self.fast,) = left.plot([], [], "o-", color=plots.BLUE, ms=6, label="elimination")
        (self.table,) = right.plot([], [], "o-", color=plots.BLUE, ms=6)
        self.now = [ax.axvline(3, color=plots.GREY, lw=1.2) for ax in (left, right)]
        self.figure.legend(handles=plots.entries(left, right), **plots.BELOW)
        self.moving = [self.slow, self.fast, self.table, *self.now]
        self.controls = {
            "shape": buttons("shape", SHAPES),
            "order": choice("order", list(ORDERS)),
            "n": whole("variables n", 10, 3, 13),
        }
        for settings in itertools.product(SHAPES, ORDERS):
            costs(*settings)  # counted once; the controls only look at them

    def compute(self, shape, order, n):
        """Return n, the counts for all sizes, and how the order is called."""
        return n, costs(shape, order), order

    def draw(self, result):
        """Move the three curves and the two lines."""
        n, (slow, fast, largest), _ = result
        self.slow.set_data(SIZES, slow)
        self.fast.set_data(SIZES, fast)
        self.table.set_data(SIZES, largest)
        for line in self.now:
            line.set_xdata([n, n])

    def describe(self, result):
        """Give the counts at n, and what one variable more would cost."""
        n, counts, order = result
        slow, fast, largest = counts[:, n - SIZES[0]].tolist()
        words = (
            f"{n} variables, eliminated {order}: **{fast:,}** multiplications, largest table **{largest:,}** entries. "
        )
        words += f"Enumeration takes **{slow:,}**; the full joint has {2**n:,} entries."
        if n < SIZES[-1]:
            more = counts[1, n - SIZES[0] + 1] - fast
            words += f" One variable more: {abs(more):,} multiplications {'on top' if more >= 0 else 'less'}."
        return words


inference_cost = explorer(InferenceCost)

# --- Samples against the exact posterior -----------------------------------------------------------------------------

RUNS, MOST = 20, 4000
CASES = {
    "John and Mary call": {"JohnCalls": True, "MaryCalls": True},
    "the alarm rings": {"Alarm": True},
    "John calls": {"JohnCalls": True},
}
LOOKS = ((plots.ORANGE, "s", ":"), (plots.BLUE, "o", "-"), (plots.GREEN, "^", "--"))


@cache
def runs(case):
    """Return the exact P(burglary | evidence), running estimates and effective sizes, both (3, RUNS, MOST)."""
    net, evidence = burglary(), CASES[case]
    exact = net.query("Burglary", evidence)[True]
    estimates, sizes = np.full((2, 3, RUNS, MOST), np.nan)
    for run in range(RUNS):
        for k, method in enumerate((net.rejection_sampling, net.likelihood_weighting, net.gibbs)):
            try:
                found = method("Burglary", evidence, MOST, rng=run)
            except ValueError:  # every sample was rejected
                sizes[k, run] = 0
                continue
            estimates[k, run] = found.running(True)
            w = found.weights
            sizes[k, run] = np.divide(np.cumsum(w) ** 2, np.cumsum(w**2), out=np.zeros(MOST), where=np.cumsum(w) > 0)
    return exact, estimates, sizes


class SamplingRace(Scene):
    """Three ways to sample P(burglary | evidence), against the exact answer, as samples arrive."""

    caption = (
        "Figure 11.7: estimates of P(burglary | evidence), divided by the exact value: 1 (black) is right, 0 says "
        "'never', the upper edge stands for 4 and more. Left, one run, sample by sample; right, twenty runs after N "
        "samples. No mark: every sample was rejected. A sample of Gibbs is a sweep after the burn-in."
    )
    lines = 3

    def __init__(self):
        self.figure, (left, right) = plots.canvas(2, widths=(3, 2), size=(9.6, 4.0))
        left.set(xscale="log", xlim=(10, MOST), ylim=(-0.12, 4.12), xlabel="samples N", ylabel="estimate / exact value")
        left.set_title("One run")
        right.set(xlim=(-0.6, 2.6), ylim=(-0.12, 4.12), title="Twenty runs, after N")
        right.xaxis.set_major_locator(FixedLocator([0, 1, 2]))
        right.set_xticklabels(METHODS)
        for ax in (left, right):
            ax.yaxis.set_major_locator(FixedLocator(range(5)))
        self.curves, self.dots = [], []
        for k, (color, marker, line) in enumerate(LOOKS):
            look = {"lw": 4, "zorder": 2.5} if k == 0 else {}  # dots over the line that it often coincides with
            self.curves += left.plot([], [], line, color=color, label=METHODS[k], **look)
            self.dots += right.plot([], [], marker, color=color, mfc="none", ms=6)
        black = [ax.axhline(1, color=plots.INK, lw=1.5, zorder=3) for ax in (left, right)]
        self.now = left.axvline(10, color=plots.GREY, lw=1.2)
        self.figure.legend([*self.curves, black[0]], [*METHODS, "exact"], **plots.BELOW)
        self.moving = [*self.curves, *self.dots, *black, self.now]
        for case in CASES:
            runs(case)  # drawn once; the sliders only look at them
        size = log_slider("samples N", 400, 10, MOST, per_decade=5)
        size.readout_format = ".0f"
        self.controls = {
            "N": size,
            "run": whole("run", 1, 1, RUNS),
            "case": choice("evidence", list(CASES), "the alarm rings"),
        }

    def compute(self, N, run, case):
        """Return N, the exact value, a run's curves (3, N), all runs' estimates after N (3, RUNS), and sizes (3,)."""
        n = min(MOST, round(N))
        exact, estimates, sizes = runs(case)
        return n, exact, estimates[:, run - 1, :n], estimates[:, :, n - 1], sizes[:, run - 1, n - 1]

    def draw(self, result):
        """Move curves and dots."""
        n, exact, curves, ends, _ = result
        at = np.unique(np.geomspace(1, n, 300).astype(int))
        shift = np.linspace(-0.4, 0.4, RUNS)
        for k in range(3):
            self.curves[k].set_data(at, np.minimum(curves[k][at - 1] / exact, 4))
            self.dots[k].set_data(k + shift, np.minimum(ends[k] / exact, 4))
        self.now.set_xdata([n, n])

    def describe(self, result):
        """Give the three estimates of this run, what they rest on, and the spread of twenty."""
        n, exact, curves, ends, sizes = result
        parts = []
        for k, unit in ((0, "kept"), (1, "effective")):
            value = curves[k][-1]
            said = "no estimate" if np.isnan(value) else f"**{value:.3f}**"
            parts.append(f"{METHODS[k]} {said} ({sizes[k]:.0f} {unit})")
        parts.append(f"Gibbs **{curves[2][-1]:.3f}**")
        off = [np.sqrt(np.nanmean((e / exact - 1) ** 2)) if np.isfinite(e).any() else np.nan for e in ends]
        far = ", ".join(f"{100 * o:.0f}" if np.isfinite(o) else "no estimate" for o in off)
        alive = int(np.isfinite(ends[0]).sum())
        few = f" (rejection: {alive})" if alive < RUNS else ""
        words = f"Exact **{exact:.3f}**. After {n} samples: {'; '.join(parts)}. "
        return words + f"Typical error over {RUNS} runs{few}, in per cent of the exact value: **{far}**."


sampling_race = explorer(SamplingRace)

# --- Tables from counts ----------------------------------------------------------------------------------------------

WEEKS = 10_000
DAYS = np.unique(np.geomspace(10, WEEKS, 31).astype(int))


@cache
def _days(seed):
    """Return for each of many days the case of (Car, Jam, Rain), 0 to 7, and whether one was late."""
    columns = late_to_meeting().weighted_sample({}, WEEKS, rng=seed).columns
    return 4 * columns["Car"] + 2 * columns["Jam"] + columns["Rain"], columns["Late"] == 0


class TableCounts(Scene):
    """Learn P(late | car, jam, rain) by counting days, with and without imagined ones."""

    caption = (
        "Figure 11.8: the eight rows of P(late | car, jam, rain), learnt from N days. Left, truth (line), counted "
        "share (cross), estimate with a prior (circle); below each row its number of days. Right, how far the learnt "
        "table is from the true one: each row's KL divergence, averaged with the true share of its days."
    )
    lines = 3

    def __init__(self):
        net = late_to_meeting()
        self.truth = net.table("Late").reshape(8, 2)
        car, jam, rain = (net.table(name) for name in ("Car", "Jam", "Rain"))
        self.share = np.einsum("i,j,k->ijk", car, jam, rain).ravel()
        self.figure, (left, right) = plots.canvas(2, widths=(3, 2), size=(9.6, 4.2))
        self._draw_rows(left)
        self._draw_distance(right)
        self.moving = [*self.numbers, self.raw, self.mild, self.curve, self.bare, self.now]
        size = log_slider("days N", WEEKS, 10, WEEKS, per_decade=5)
        size.readout_format = ".0f"
        self.controls = {
            "N": size,
            "prior": slider("imagined days α", 1.0, 0, 10, 0.5, digits=1),
            "seed": whole("data set", 1, 1, 20),
        }

    def _draw_rows(self, ax):
        words = [f"{'car' if c else 'bike'}\n{'jam' if j else 'free'}\n{'rain' if r else 'dry'}"
                 for c, j, r in itertools.product((1, 0), repeat=3)]  # fmt: skip
        ax.set(xlim=(-0.6, 7.6), ylim=(-0.16, 1.05), ylabel="P(late)", title="The eight rows")
        ax.xaxis.set_major_locator(FixedLocator(range(8)))
        ax.yaxis.set_major_locator(FixedLocator([0, 0.25, 0.5, 0.75, 1]))
        ax.set_xticklabels(words, fontsize=11)
        truth = ax.hlines(self.truth[:, 0], np.arange(8) - 0.35, np.arange(8) + 0.35, color=plots.INK, lw=2.5)
        (self.raw,) = ax.plot([], [], "x", color=plots.ORANGE, ms=10, mew=2.5)
        (self.mild,) = ax.plot([], [], "o", color=plots.BLUE, ms=9, mfc="none", mew=2.2)
        self.numbers = [ax.text(k, -0.1, "", ha="center", va="center", fontsize=11) for k in range(8)]
        self.named = {"truth": truth, "counted": self.raw, "with prior": self.mild}

    def _draw_distance(self, ax):
        ax.set(xscale="log", yscale="log", xlim=(10, WEEKS), ylim=(1e-4, 3), xlabel="days N", ylabel="bits")
        ax.set_title("KL from the truth")
        (self.curve,) = ax.plot([], [], color=plots.BLUE)
        (self.bare,) = ax.plot([], [], ":", color=plots.ORANGE)
        self.now = ax.axvline(10, color=plots.GREY, lw=1.2)
        self.named |= {"bits, with prior": self.curve, "bits, counted": self.bare}
        self.figure.legend(self.named.values(), self.named, **plots.BELOW)

    def compute(self, N, prior, seed):
        """Return N, the prior, the counts (8, 2), counted and smoothed P(late) (8,), and the two curves of bits."""
        n = min(WEEKS, round(N))
        case, late = _days(seed)
        counts = [_count(case[:m], late[:m]) for m in (*DAYS, n)]
        smooth = np.array([self._bits(c, prior) for c in counts])
        return n, prior, counts[-1], _rows(counts[-1], 0), _rows(counts[-1], prior), smooth

    def _bits(self, counts, prior):
        """Return the KL divergence of the estimate and of the plain counts from the true table, averaged over days."""
        with np.errstate(divide="ignore"):
            p = np.nan_to_num(np.stack([_rows(counts, prior), _rows(counts, 0)]))[..., None]
            rows = (self.truth * np.log2(self.truth / np.concatenate([p, 1 - p], axis=-1))).sum(axis=-1)
        return rows @ self.share

    def draw(self, result):
        """Move crosses, dots, numbers and curves."""
        n, _, counts, raw, mild, bits = result
        self.raw.set_data(range(8), raw)
        self.mild.set_data(range(8), mild)
        for text, total in zip(self.numbers, counts.sum(axis=1)):
            text.set_text(f"{int(total):,}")
        finite = np.where(np.isfinite(bits), bits, np.nan)
        self.curve.set_data(DAYS, finite[:-1, 0])
        self.bare.set_data(DAYS, finite[:-1, 1])
        self.now.set_xdata([n, n])

    def describe(self, result):
        """Say how many rows have no data or a zero, and how far both estimates are from the truth."""
        n, prior, counts, raw, _, bits = result
        empty = int(np.sum(counts.sum(axis=1) == 0))
        sure = int(np.sum((counts == 0).any(axis=1))) - empty
        far = [f"**{b:.4f}** bits" if np.isfinite(b) else "**infinitely** far" for b in bits[-1]]
        words = (
            f"{n:,} days: **{empty}** of 8 rows have no day at all, **{sure}** more claim certainty (a count of zero). "
        )
        return words + f"From the truth: with {plain(prior)} imagined days per entry {far[0]}, counted {far[1]}."


def _count(case, late):
    return np.column_stack([np.bincount(case[late], minlength=8), np.bincount(case[~late], minlength=8)])


def _rows(counts, alpha):
    """Return the estimate of P(late) in each row (8,), nan where nothing is known."""
    total = counts.sum(axis=1) + 2 * alpha
    return np.divide(counts[:, 0] + alpha, total, out=np.full(8, np.nan), where=total > 0)


table_counts = explorer(TableCounts)

# --- Rain, umbrella and a patient chairwoman -----------------------------------------------------------------------

RAIN, LATE = np.linspace(-1.5, 9.5, 111), np.linspace(-12, 36, 241)
LAWS = {True: LinearGaussian(0.5, 2.0, 1.5), False: LinearGaussian(2.0, 1.0, 3.0)}
P_UMBRELLA = 0.4
ANSWER = {"?": "open", "yes": "yes", "no": "no"}


class RainyWalk(Scene):
    """Rain and umbrella make one late, the chairwoman waits or not; observe some of it, and ask for the rest."""

    caption = (
        "Figure 11.11: the walk in the rain. Left, minutes late against rain: the two linear-Gaussian laws (mean and "
        "one standard deviation; upright, rain r, faint while it is unknown). Right, the density of the minutes late "
        "before and after the evidence, below the probit curve of her patience. Negative minutes are early."
    )
    lines = 3

    def __init__(self):
        self.figure, (left, right) = plots.canvas(2, size=(9.6, 4.2))
        self._draw_laws(left)
        self._draw_density(right)
        self.moving = [self.seen, self.curve, self.before, self.after]
        self.controls = {
            "umbrella": buttons("umbrella", ANSWER),
            "waits": buttons("she waits", ANSWER),
            "known": switch("rain is known"),
            "r": slider("rain r", 4.0, 0, 8, 0.25),
            "mu": slider("patience μ", 10.0, 2, 25, 0.5, digits=1),
            "sigma": slider("softness σ", 2.0, 0.5, 8, 0.25),
        }

    def _draw_laws(self, ax):
        ax.set(xlim=(0, 8), ylim=(-6, 30), xlabel="rain, mm/h", ylabel="minutes late", title="Late given rain")
        for has, color, line, name in ((True, plots.BLUE, "-", "umbrella"), (False, plots.ORANGE, "--", "no umbrella")):
            mean, sd = LAWS[has].mean([RAIN]), LAWS[has].sigma
            ax.fill_between(RAIN, mean - sd, mean + sd, color=color, alpha=0.18, lw=0)
            ax.plot(RAIN, mean, line, color=color, label=name)
        self.seen = ax.axvline(4, color=plots.INK, lw=1.8, ls="-.")
        ax.legend(loc="upper left")

    def _draw_density(self, ax):
        ax.set(xlim=(-8, 30), ylim=(0, 1.05), xlabel="minutes late", title="Late, and her patience")
        ax.set_ylabel("P(waits), and 4 × density")
        (self.before,) = ax.plot([], [], color=plots.BEFORE, lw=6, label="late, no evidence")
        (self.after,) = ax.plot([], [], color=plots.GREEN, label="late, given the evidence")
        (self.curve,) = ax.plot([], [], "--", color=plots.INK, label="P(waits | late)")
        self.figure.legend(handles=[self.before, self.after, self.curve], **plots.BELOW)

    def compute(self, umbrella, waits, known, r, mu, sigma):
        """Return patience, densities of late before and after, and the posterior of umbrella, waiting and rain."""
        patience = Probit(mu, sigma)
        joint = _joint(patience)  # (umbrella, waits, rain, late)
        prior = joint.sum(axis=(0, 1, 2))
        post = joint.copy()
        if umbrella != "open":
            post[0 if umbrella == "no" else 1] = 0
        if known:
            post *= (np.arange(len(RAIN)) == np.abs(RAIN - r).argmin())[:, None]
        chance = post[:, 0].sum() / post.sum()
        if waits != "open":
            post[:, 1 if waits == "yes" else 0] = 0
        post /= post.sum()
        rain = post.sum(axis=(0, 1, 3)) @ RAIN
        return patience, prior, post.sum(axis=(0, 1, 2)), post[0].sum(), post[:, 0].sum(), rain, chance, known, r, waits

    def draw(self, result):
        """Move the curves and the line of known rain."""
        patience, prior, post, *_, known, r, _ = result
        width = LATE[1] - LATE[0]
        self.curve.set_data(LATE, patience.probability(LATE))
        self.before.set_data(LATE, 4 * prior / prior.sum() / width)
        self.after.set_data(LATE, 4 * post / width)
        self.seen.set_xdata([r, r])
        self.seen.set_alpha(1.0 if known else 0.2)

    def describe(self, result):
        """Give the expected delay and the probabilities of what is still open."""
        _, _, post, umbrella, waiting, rain, chance, known, r, waits = result
        late = post @ LATE
        words = f"Expected delay **{plain(late)}** minutes. P(umbrella) = **{umbrella:.3f}**. "
        words += f"P(she waits) = **{waiting:.3f}**" + (f" (it was {chance:.3f}). " if waits != "open" else ". ")
        return words + (f"Rain is known: {r:g} mm/h." if known else f"Expected rain **{plain(rain, '.2f')}** mm/h.")


def _joint(patience):
    """Return the joint on the grid, (umbrella yes/no, waits yes/no, rain, late), up to a factor."""
    waits = patience.probability(LATE)
    rain = normal_pdf(RAIN, 4.0, 1.5)
    return np.array([[q * rain[:, None] * _late(has) * w for w in (waits, 1 - waits)]
                     for has, q in ((True, P_UMBRELLA), (False, 1 - P_UMBRELLA))])  # fmt: skip


@cache
def _late(has):
    return np.array([LAWS[has].pdf(LATE, [np.full(len(LATE), r)]) for r in RAIN])


rainy_walk = explorer(RainyWalk)

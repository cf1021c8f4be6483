"""Explorers of chapter 01: version spaces with and without bias, their boundaries, and checkers that is learned."""

import functools
import warnings

import numpy as np
from matplotlib.collections import EllipseCollection, LineCollection, PathCollection, PolyCollection
from matplotlib.font_manager import FontProperties
from matplotlib.lines import Line2D
from matplotlib.patches import FancyArrowPatch, Patch, Rectangle
from matplotlib.path import Path
from matplotlib.textpath import TextPath
from matplotlib.transforms import Affine2D

from mlteach import plots
from mlteach.explore.base import Scene, choice, count, explorer, plain, switch, whole
from mlteach.learning_problems import (
    Candidates,
    Checkers,
    all_conjunctions,
    all_intervals,
    all_subsets,
    board_vector,
    candidate_elimination,
    enjoy_sport,
    evaluate,
    greedy_player,
    linear_player,
    list_then_eliminate,
    lms_train,
    play_game,
    votes,
)
from mlteach.validation import ConvergenceWarning

ON_TOP = {"ls": "", "mec": plots.INK, "clip_on": False, "in_layout": False}
NOW = {"marker": "D", "ms": 9, "mfc": "white", "mew": 2, "zorder": 6, **ON_TOP}
STAR = {"marker": "*", "ms": 17, "mfc": plots.YELLOW, "zorder": 5, **ON_TOP}
NO_POINTS = np.empty((2, 0))

ALARM = {
    "ha": "center",
    "va": "center",
    "fontsize": 15,
    "weight": "bold",
    "zorder": 6,
    "bbox": {"fc": "white", "ec": plots.PURPLE, "lw": 2, "boxstyle": "round,pad=0.5"},
}

# --- The version space ---------------------------------------------------------------------------------------------

NUMBERS = tuple(range(1, 11))
CONCEPTS = {"3 to 7": frozenset(range(3, 8)), "primes 2, 3, 5, 7": frozenset({2, 3, 5, 7})}
ORDERS = {"mixed": (5, 1, 10, 7, 3, 6, 2, 8, 4, 9), "counting": NUMBERS}
TOP = 1.125  # height of the labels over the bars
NONE_LEFT = -1.6  # where the picture puts log2 of 0


class VersionSpace(Scene):
    """Show examples one by one and watch the hypotheses die, with and without a language bias."""

    caption = (
        "Figure 1.5: left, how the surviving hypotheses vote on each number; above, the labels seen so far (? not yet "
        "seen). Right, how many survive of all 56 intervals and of all 1024 subsets of 1 to 10; grey, what is still to "
        "come."
    )
    play, interval, lines = "n", 900, 3

    def __init__(self):
        self.figure, (poll, left) = plots.canvas(2, size=(9.6, 4.7), widths=(3.1, 2))
        self._draw_poll(poll)
        self._draw_counts(left)
        entries = [self.yes, self.no, self.inside, *self.curves.values()]
        self.figure.legend(handles=entries, **{**plots.BELOW, "columnspacing": 1.1, "handlelength": 2.2})
        self.moving = [*self.yes, *self.no, self.inside, *self.seen, self.nobody, self.ahead]
        self.moving += [*self.curves.values(), self.now]
        self.controls = {
            "n": whole("examples n", 2, 0, 10),
            "bias": switch("only intervals (bias)", True),
            "concept": choice("concept", list(CONCEPTS)),
            "order": choice("order", list(ORDERS)),
            "flipped": choice("flip the label of", {"none": 0, **{str(k): k for k in NUMBERS}}, 0),
        }

    def _draw_poll(self, ax):
        x = np.array(NUMBERS)
        ax.set(xlim=(0.4, 10.6), ylim=(-0.13, 1.24), xticks=x, xlabel="instance: the number", title="How they vote")
        ax.set(ylabel="share of the survivors", yticks=[0, 0.25, 0.5, 0.75, 1])
        ax.set_yticklabels(["0 %", "25 %", "50 %", "75 %", "100 %"])
        ax.tick_params(axis="x", length=0)
        ax.axhline(0.5, color=plots.GREY, lw=1, ls=":", zorder=0.6)
        self.yes = ax.bar(x, np.ones(10), width=0.72, color=plots.BLUE, zorder=1, label="say yes")
        look = {"fc": plots.ORANGE_STEPS[0], "ec": plots.ORANGE, "lw": 1.2, "zorder": 1}
        self.no = ax.bar(x, np.ones(10), width=0.72, label="say no", **look)
        (self.inside,) = ax.plot([], [], "^", ms=9, color=plots.INK, zorder=3, label="truly yes")
        for number in NUMBERS:
            ax.text(
                number, TOP, "?", ha="center", va="center", fontsize=15, weight="bold", color=plots.GREY, zorder=0.3
            )
        look = {"ls": "", "mec": plots.INK}
        self.seen = [
            ax.plot([], [], marker="o", ms=19, mfc=plots.BLUE, mew=1.4, zorder=3, **look)[0],
            ax.plot([], [], marker="s", ms=17, mfc=plots.ORANGE_STEPS[0], mew=1.4, zorder=3, **look)[0],
            ax.plot([], [], "+", ms=11, mec="white", mew=2.8, zorder=5)[0],
            ax.plot([], [], "_", ms=10, mec=plots.INK, mew=2.8, zorder=5)[0],
            ax.plot([], [], "o", ms=26, mfc="none", mec=plots.PURPLE, mew=2.4, zorder=4)[0],
        ]
        self.nobody = ax.text(5.5, 0.5, "", **ALARM)

    def _draw_counts(self, ax):
        ax.set(xlim=(-0.2, 10.4), ylim=(-2.2, 10.6), xlabel="examples n", ylabel="hypotheses left (log scale)")
        ax.set(title="How many are left", xticks=np.arange(0, 11, 2), yticks=[NONE_LEFT, 0, 2, 4, 6, 8, 10])
        ax.set_yticklabels(["none", "1", "4", "16", "64", "256", "1024"])
        ax.axhline((NONE_LEFT + 0) / 2, color=plots.PALE, lw=1.2, zorder=0.5)
        styles = {
            True: {"color": plots.GREEN, "marker": "o"},
            False: {"color": plots.PURPLE, "marker": "s", "ls": "--"},
        }
        names = {True: "intervals (biased)", False: "all subsets (no bias)"}
        self.ahead = ax.add_collection(LineCollection([], colors=plots.AHEAD, lw=1.6, zorder=1))
        self.curves = {b: ax.plot([], [], ms=5.5, zorder=2, label=names[b], **styles[b])[0] for b in (False, True)}
        (self.now,) = ax.plot([], [], **NOW)

    def compute(self, n, bias, concept, order, flipped):
        """Return the survivors after n examples, how they vote, and how many there are of both kinds."""
        survivors, share = _vote(bias, concept, order, flipped, n)
        both = {b: _eliminate(b, concept, order, flipped)[0].counts for b in (False, True)}
        labels = dict(zip(ORDERS[order][:n], _eliminate(bias, concept, order, flipped)[1]))
        return n, bias, concept, order, flipped, survivors, share, both, labels

    def draw(self, result):
        """Move bars, marks and curves."""
        n, bias, concept, order, flipped, survivors, share, both, labels = result
        for up, down, part in zip(self.yes, self.no, share or [None] * 10):
            up.set_height(part or 0)
            down.set_y(part or 0)
            down.set_height(0 if part is None else 1 - part)
            down.set_visible(part is not None and part < 1)
        self.inside.set_data(sorted(CONCEPTS[concept]), np.full(len(CONCEPTS[concept]), -0.07))
        plus = [k for k, label in labels.items() if label]
        minus = [k for k, label in labels.items() if not label]
        ringed = [flipped] if flipped in labels else []
        for artist, group in zip(self.seen, (plus, minus, plus, minus, ringed)):
            artist.set_data(group, np.full(len(group), TOP))
        self.nobody.set_text("" if survivors else "no hypothesis left: nobody votes")
        self.nobody.set_visible(not survivors)
        heights = {b: np.array([np.log2(c) if c else NONE_LEFT for c in both[b]]) for b in both}
        self.ahead.set_segments([np.column_stack([np.arange(11), heights[b]]) for b in both])
        for b, line in self.curves.items():
            line.set_data(np.arange(n + 1), heights[b][: n + 1])
            line.set_linewidth(2.8 if b == bias else 1.4)
        self.now.set_data([n], [heights[bias][n]])

    def describe(self, result):
        """Say who is left and what they agree on."""
        n, bias, concept, order, flipped, survivors, share, both, labels = result
        kind, wrong_label = "interval" if bias else "subset", flipped in labels
        if not survivors:
            return self._describe_none(concept, order, flipped, both[bias], labels)
        noise = f" The **wrong label** of {flipped} (ringed) has not been noticed." * wrong_label
        if n == 0:
            return f"No example yet: **all {len(survivors)} {kind}s** are left, and they agree on nothing."
        unseen = [k for k in NUMBERS if k not in labels]
        words = f"**{len(survivors)}** of {both[bias][0]} {kind}s {'is' if len(survivors) == 1 else 'are'} left after "
        words += f"**{count(n, 'example')}**. "
        if not unseen:
            return words + f"Every number has been seen: there is nothing to predict.{noise}"
        decided = [k for k in unseen if share[k - 1] in (0, 1)]
        numbers = count(len(unseen), "unseen number")
        if decided:
            words += f"Of {numbers} it decides" if len(survivors) == 1 else f"Of {numbers} they agree on"
            words += f" **{len(decided)}**: {_told(decided, share)}"
            wrong = [k for k in decided if (share[k - 1] == 1) != (k in CONCEPTS[concept])]
            return words + (f"; **wrong** on {_listed(wrong)}." if wrong else ", all right.") + noise
        if all(share[k - 1] == 0.5 for k in unseen):
            return (
                words
                + f"On {numbers if len(unseen) == 1 else 'each of ' + numbers} they split **half and half**.{noise}"
            )
        return words + f"They agree on **none** of {numbers}.{noise}"

    def _describe_none(self, concept, order, flipped, counts, labels):
        killer = counts.index(0)
        last = ORDERS[order][killer - 1]
        words = f"Example {killer} ({last} is {'+' if labels[last] else '−'}) leaves **no interval** that agrees with "
        words += "all the labels: the version space is **empty**, for good. Here "
        if concept == "3 to 7":
            return words + f"the label of {flipped} is wrong (ringed); a concept that is no interval looks the same."
        wrong = (
            f", and the label of {flipped} is wrong (ringed)."
            if flipped in labels
            else "; a wrong label looks the same."
        )
        return words + "the concept, the primes, is no interval" + wrong


version_space = explorer(VersionSpace)


@functools.cache
def _space(bias):
    return all_intervals(NUMBERS) if bias else all_subsets(NUMBERS)


@functools.cache
def _eliminate(bias, concept, order, flipped):
    labels = [(n in CONCEPTS[concept]) != (n == flipped) for n in ORDERS[order]]
    return list_then_eliminate(_space(bias), ORDERS[order], labels), labels


@functools.lru_cache(512)
def _vote(bias, concept, order, flipped, n):
    survivors = _eliminate(bias, concept, order, flipped)[0].history[n]
    return survivors, [votes(survivors, number) for number in NUMBERS] if survivors else None


def _told(numbers, share):
    """Say what the survivors agree on: "4 and 6 yes, 12 no"."""
    sides = [([k for k in numbers if share[k - 1] == 1], "yes"), ([k for k in numbers if share[k - 1] == 0], "no")]
    return ", ".join(f"{_listed(group)} {answer}" for group, answer in sides if group)


def _listed(items):
    *head, last = map(str, items)
    return f"{', '.join(head)} and {last}" if head else last


# --- The boundaries ------------------------------------------------------------------------------------------------

DAY_ORDERS = {"days 1, 2, 3, 4": (0, 1, 2, 3), "days 3, 1, 2, 4": (2, 0, 1, 3), "days 1, 4, 2, 3": (0, 3, 1, 2)}
NEW_DAYS = {
    "A": ("Sunny", "Warm", "Normal", "Strong", "Cool", "Change"),
    "B": ("Rainy", "Cold", "Normal", "Weak", "Warm", "Same"),
    "C": ("Sunny", "Warm", "Normal", "Weak", "Warm", "Same"),
    "D": ("Sunny", "Cold", "Normal", "Strong", "Warm", "Same"),
}
IN_WORDS = 7  # a row with more hypotheses shows dots
PIXELS = 82  # of one unit across the lattice
COLUMNS = (0.25, 1.35, 2.65, 4.0, 5.35, 6.55, 7.75, 9.3)


class BoundarySets(Scene):
    """Step through Candidate-Elimination: S climbs, G sinks, and what lies between is the version space."""

    caption = (
        "Figure 1.7: the version space between its boundaries S and G; lines, where few, join a hypothesis to "
        "those one attribute more general. A row has as many free attributes (?) as its number says. Below, the days."
    )
    play, interval = "n", 1500

    def __init__(self):
        self.data = enjoy_sport()
        self.figure, (lattice, table) = plots.canvas(1, rows=2, size=(9.6, 6.7), height_ratios=(4.6, 1.75))
        self._draw_lattice(lattice)
        self._draw_days(table)
        self._draw_legend(lattice)
        for word in {"?", "✓", *(value for values in self.data.domains for value in values)}:
            _outline(word, 11)  # so that no step has to wait for them
        self.moving = [self.links, self.dots, self.agree, self.many, *self.boxes.values(), self.tags.artist, self.empty]
        self.moving += [*self.veils, self.shade, self.answers.artist]
        self.controls = {
            "n": whole("examples n", 2, 0, 4),
            "order": choice("order", list(DAY_ORDERS)),
            "flipped": choice("flip the label of", {"none": -1, **{f"day {k + 1}": k for k in range(4)}}, -1),
            "new": choice("new day to judge", {"none": "", **{k: k for k in NEW_DAYS}}, ""),
        }

    def _draw_lattice(self, ax):
        ax.set(xlim=(-0.1, 10.1), ylim=(-1.55, 6.55), xticks=[], yticks=range(-1, 7))
        ax.set(ylabel="number of free attributes (?)", title="Specific below, general above")
        ax.set_yticklabels(["∅", *map(str, range(7))])
        ax.spines["bottom"].set_visible(False)
        for level in range(-1, 7):
            ax.axhline(level, color=plots.FAINT, lw=1, zorder=0.4)
        self.links = ax.add_collection(LineCollection([], colors=plots.LINK, lw=0.9, zorder=1))
        (self.dots,) = ax.plot([], [], "o", ms=4.5, color=plots.GREY, zorder=2, label="between")
        (self.agree,) = ax.plot([], [], "^", ms=8, color=plots.GREEN, zorder=2.5, label="says yes to the new day (✓)")
        (self.many,) = ax.plot([], [], "s", ms=8, mfc=plots.ORANGE_STEPS[0], mec=plots.ORANGE, mew=1.8, zorder=2.4)
        self.frames = {
            "S": {"fc": plots.BLUE_STEPS[0], "ec": plots.BLUE, "lw": 2.4},
            "G": {"fc": plots.ORANGE_STEPS[0], "ec": plots.ORANGE, "lw": 2.4, "ls": "--"},
            "between": {"fc": "white", "ec": plots.GREY, "lw": 1},
        }
        self.boxes = {
            name: ax.add_collection(PolyCollection([], zorder=3, **look)) for name, look in self.frames.items()
        }
        self.tags = _Words(ax, 11)
        self.empty = ax.text(5, 2.5, "", **ALARM)

    def _draw_days(self, ax):
        ax.set(xlim=(-0.1, 10.1), ylim=(-0.55, 6.0))
        ax.axis("off")
        for spine in ax.spines.values():
            spine.set_visible(False)
        for place, name in zip(COLUMNS, ("day", *self.data.feature_names, "enjoys sport")):
            ax.text(place, 5.4, name, ha="center", va="center", fontsize=12, weight="bold", zorder=1)
        ax.axhline(4.9, color=plots.INK, lw=1, zorder=1)
        for i, day in enumerate(self.data.X):
            for place, word in zip(COLUMNS, (str(i + 1), *day)):
                ax.text(place, 4.35 - i, word, ha="center", va="center", zorder=1)
        self.veils = [
            ax.add_patch(Rectangle((-0.1, 3.86 - i), 10.2, 0.98, fc="white", alpha=0.68, zorder=3)) for i in range(4)
        ]
        self.shade = ax.add_patch(Rectangle((-0.1, 0), 10.2, 1, fc=(plots.YELLOW, 0.2), ec=plots.INK, lw=1.6, zorder=4))
        self.answers = _Words(ax, 12, zorder=2)

    def _draw_legend(self, ax):
        handles = [
            Patch(**{**self.frames[name], "lw": 2}, label=words)
            for name, words in (("S", "S: most specific"), ("G", "G: most general"))
        ]
        ax.legend(
            handles=[*handles, self.dots, self.agree], loc="lower center", bbox_to_anchor=(0.5, -0.11), ncols=5,
            fontsize=11, frameon=False, columnspacing=1.2, handlelength=1.5,
        )  # fmt: skip

    def compute(self, n, order, flipped, new):
        """Return the boundaries after n days, all that lies between them, and what it says of the new day."""
        found, y, _ = _days(order, flipped)
        return (
            n,
            DAY_ORDERS[order],
            flipped,
            new,
            found,
            y,
            _between(order, flipped, n),
            _judged(order, flipped, n, new),
        )

    def draw(self, result):
        """Move boxes, dots, links and the marks on the days."""
        n, days, flipped, new, found, y, view, (says, _) = result
        self.links.set_segments(view.links)
        self.many.set_data(view.crowd.T)
        for artist, side in ((self.dots, False), (self.agree, True)):
            artist.set_data(view.spots[[(h in says) == side for h in view.dotted]].reshape(-1, 2).T)
        for name, box in self.boxes.items():
            box.set_verts([_frame(place, _width(h)) for h, role, place in view.boxed if role == name])
        self.tags([(_short(h) + (" ✓" if h in says else ""), *place) for h, _, place in view.boxed])
        self.empty.set_visible(not view.size)
        self.empty.set_text("" if view.size else "S and G are empty:\nno conjunction agrees with all the days")
        told = [("yes" if label else "no") + (" (flipped)" if i == flipped else "") for i, label in zip(days, y)]
        cells = [(word, COLUMNS[-1], 4.42 - i) for i, word in zip(days, told)]
        if new:
            cells += [(word, x, 0.35) for word, x in zip((new, *NEW_DAYS[new], "?"), COLUMNS)]
        self.answers(cells)
        for i in range(4):
            self.veils[i].set_visible(i not in days[:n])
        self.shade.set_visible(n > 0)
        self.shade.set_y(3.85 - days[n - 1])

    def describe(self, result):
        """Say what the last day did, and who is left."""
        n, days, flipped, new, found, y, view, (says, decided) = result
        if n == 0:
            words = "Before the first day S covers nothing, G covers everything"
        else:
            words = f"Day {days[n - 1] + 1} ({'yes' if y[n - 1] else 'no'}): "
            words += _what_happened(found.history[n - 1], found.history[n], y[n - 1])
        if not view.size:
            return words + ". The version space is **empty**: a label is wrong, or the concept is no conjunction."
        words += f". **{view.size}** {'hypothesis is' if view.size == 1 else 'hypotheses are'} left, S and G included."
        if new:
            words += f" **{len(says)}** of {view.size} say yes to day {new}: "
            words += {True: "all agree.", False: "all say **no**.", None: "**undecided**."}[decided]
        return words


boundary_sets = explorer(BoundarySets)


@functools.cache
def _width(h):
    return (_glyphs(_short(h) + " ✓", 11)[1] + 12) / PIXELS


@functools.cache
def _days(order, flipped):
    data, days = enjoy_sport(), DAY_ORDERS[order]
    X, y = [data.X[i] for i in days], [data.y[i] != (i == flipped) for i in days]
    # Listing the survivors is quicker here than asking which of all conjunctions lie between S and G
    survivors = list_then_eliminate(all_conjunctions(data.domains), X, y).history
    return candidate_elimination(X, y, data.domains), y, survivors


@functools.cache
def _between(order, flipped, n):
    found, _, survivors = _days(order, flipped)
    return _Lattice(survivors[n], *found.history[n], _width)


@functools.lru_cache(256)
def _judged(order, flipped, n, new):
    view = _between(order, flipped, n)
    if not new or not view.size:
        return frozenset(), None
    says = frozenset(h for h in view.members if h(NEW_DAYS[new]))
    return says, Candidates(view.S, view.G, None, (), enjoy_sport().domains).decide(NEW_DAYS[new])


class _Lattice:
    """A version space and where the picture puts its members: boxes with words where they fit, else dots."""

    def __init__(self, members, S, G, width):
        self.members, self.S, self.G, self.size = members, S, G, len(members)
        rows, places = {}, {}
        for h in members:
            rows.setdefault(-1 if h.is_empty else h.values.count("?"), []).append(h)
        for level, row in rows.items():
            row.sort(key=lambda h: [v == "?" for v in h.values])
            places |= {h: (x, level) for h, x in zip(row, np.linspace(0.1, 9.9, len(row)))}
            ends = [h for h in row if h in S or h in G]
            places |= (len(row) <= IN_WORDS and _fitted(row, level, width)) or _fitted(ends, level, width) or {}
        boxed = {h for h in members if len(places[h]) == 3}
        self.boxed = [(h, self._role(h), places[h][:2]) for h in members if h in boxed]
        self.crowd = _stack([places[h] for h in G if h not in boxed])
        self.dotted = [h for h in members if h not in boxed and h not in G]
        self.spots = _stack([places[h] for h in self.dotted])
        ups = {(h, up) for h in members for up in self._above(h)} if self.size <= 100 else ()
        self.links = [[places[h][:2], places[up][:2]] for h, up in ups]

    def _role(self, h):
        return "S" if h in self.S else "G" if h in self.G else "between"

    def _above(self, h):
        """Return the members that free one more attribute."""
        freed = {(*h.values[:i], "?", *h.values[i + 1 :]) for i, v in enumerate(h.values) if v != "?"}
        return [g for g in self.members if g.values in freed]


def _fitted(row, level, width):
    """Return the places of the boxes of one row, in one line or staggered in two; {} where they do not fit."""
    for lines, shifts in ((1, (0,)), (2, (0.24, -0.24))):
        found = {}
        for start, shift in zip(range(lines), shifts):
            part = row[start::lines]
            widths = np.array([width(h) for h in part])
            gap = (10 - widths.sum()) / max(len(part), 1)
            if gap < 0.05:
                break
            centres = np.cumsum(widths + gap) - (widths + gap) / 2
            found |= {h: (x, level + shift, True) for h, x in zip(part, centres)}
        else:
            return found
    return {}


def _frame(place, width, height=0.46):
    """Return the corners of a box around ``place``."""
    x, y = place
    return [(x + a * width / 2, y + b * height / 2) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]


def _short(h):
    return "∅: nothing" if h.is_empty else " ".join(h.values)


def _what_happened(before, after, label):
    """Say what one example did to the boundaries."""
    if not before.S:
        return "nothing was left before it"
    if not after.S:
        return "no hypothesis survives it"
    if label:
        lost = len(before.G) - len(after.G)
        moved = "**S climbs** to cover it" if after.S != before.S else "S covers it already and stays"
        return moved + (f", G loses {lost} that {'does' if lost == 1 else 'do'} not" if lost else ", G stays")
    if after.G == before.G:
        return "G excludes it already, **nothing changes**"
    return f"**G sinks** to exclude it ({len(before.G)} → {len(after.G)} members), S stays"


# --- Checkers: the board -------------------------------------------------------------------------------------------

SIZE = 6
GAMES = 60
GAME_NUMBERS = np.arange(GAMES + 1)
RATES = (0.01, 0.1, 1.0)
DARK = plots.DARK_SQUARE
TO_MOVE = {"black": "black to move ↓", "red": "red to move ↑"}
TERMS = ("w₀", "w₁ bp", "w₂ rp", "w₃ bk", "w₄ rk", "w₅ bt", "w₆ rt")
MATCHES = (("game 1, learner is black", "black", 14), ("game 2, learner is black", "black", 22),
           ("game 3, learner is red", "red", 9))  # fmt: skip


@functools.cache
def _learned(rate):
    """Return the run of self-play with one learning rate, as every explorer here uses it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return lms_train(GAMES, rate, rng=0, start=Checkers(SIZE))


@functools.cache
def _match(colour, seed):
    """Return a game of the learner, playing ``colour``, against the greedy player that sees two half-moves ahead."""
    learner, greedy = linear_player(_learned(0.1).w, seed), greedy_player(seed + 100, depth=2)
    return play_game(*((learner, greedy) if colour == "black" else (greedy, learner)), Checkers(SIZE))


class CheckersBoard(Scene):
    """Leaf through games between the learner and a greedy player, with what the evaluation function sees."""

    caption = (
        "Figure 1.8: three games on 6x6 between a learner (60 games of self-play) and a greedy player that counts "
        "pieces two half-moves ahead, picked to show a win, a loss and a draw. K marks a king. Right, the value of the "
        "board for the learner, over the game and split into its seven parts."
    )
    play, interval, lines = "k", 900, 3

    def __init__(self):
        self.games = {label: (colour, _match(colour, seed)) for label, colour, seed in MATCHES}
        self.w = _learned(0.1).w
        self.longest = max(len(game.moves) for _, game in self.games.values())
        self.values = {label: self._values(*game) for label, game in self.games.items()}
        self.figure, (square, course, terms) = plots.tall_and_two((9.6, 5.4), (1.25, 1))
        self.show = _Board(square, "The board", 48)
        self._draw_course(course)
        self._draw_terms(terms)
        handles = [*self.show.entries, self.past, self.now, self.end]
        self.figure.legend(handles=handles, **{**plots.BELOW, "columnspacing": 1.1, "fontsize": 11})
        self.moving = [*self.show.artists, self.path, self.past, self.end, self.now, *self.rods, *self.figures]
        self.controls = {
            "k": whole("half-move k", 11, 0, self.longest),
            "match": choice("recorded game", {label: label for label in self.games}),
        }

    def _values(self, colour, game):
        """Return the half-moves of the learner, and the value of every board of a game."""
        own = [k for k in range(1, len(game.positions)) if game.positions[k - 1].turn == colour]
        return own, [evaluate(self.w, position, colour) for position in game.positions]

    def _draw_course(self, ax):
        ax.set(xlim=(0, self.longest + 1), ylim=(-160, 160), yticks=[-100, 0, 100], xlabel="half-move k")
        ax.set(ylabel="value $\\hat V$", title="What the learner thinks")
        ax.axhline(0, color=plots.GREY, lw=0.8, zorder=0.5)
        (self.path,) = ax.plot([], [], color=plots.AHEAD, lw=1.6, zorder=1)
        (self.past,) = ax.plot([], [], "o-", color=plots.GREEN, ms=4, lw=2, zorder=2, label="V̂ after its own moves")
        (self.end,) = ax.plot([], [], label="result", **STAR)
        (self.now,) = ax.plot([], [], label="this board", **NOW)

    def _draw_terms(self, ax):
        names = ["own pieces", "other's pieces", "own kings", "other's kings", "own threatened", "other's threatened"]
        ax.set(xlim=(-185, 185), xlabel="part of $\\hat V$: weight × feature", title="Where the value comes from")
        ax.set(ylim=(6.6, -0.6), yticks=range(7), xticks=[-100, 0, 100])
        ax.set_yticklabels(["constant", *names], fontsize=11)
        ax.tick_params(axis="y", length=0)
        ax.axvline(0, color=plots.INK, lw=1, zorder=3)
        self.rods = ax.barh(range(7), np.ones(7), height=0.62, color=plots.BLUE, zorder=1)
        self.figures = [ax.text(0, k, "", va="center", fontsize=11, zorder=4, in_layout=False) for k in range(7)]

    def compute(self, k, match):
        """Return the board after k half-moves and the seven parts of its value."""
        colour, game = self.games[match]
        last = len(game.moves)
        asked, k = k, min(k, last)
        return asked, k, match, colour, game, game.positions[k], self.w * board_vector(game.positions[k], colour)

    def draw(self, result):
        """Set the board, the course of the game and the parts of the value."""
        asked, k, match, colour, game, position, parts = result
        self.show(position, game.moves[k - 1] if k else None)
        own, value = self.values[match]
        self.path.set_data(own, [value[j] for j in own])
        before = [j for j in own if j <= k]
        self.past.set_data(before, [value[j] for j in before])
        self.now.set_data([k], [np.clip(value[k], -160, 160)])
        over = asked >= len(game.moves)
        self.end.set_data(([len(game.moves)], [_worth(game.winner, colour)]) if over else NO_POINTS)
        for rod, text, part in zip(self.rods, self.figures, parts):
            rod.set_width(part)
            rod.set_facecolor(plots.BLUE if part >= 0 else plots.ORANGE)
            text.set_text(plain(part))
            text.set_position((part + (3 if part >= 0 else -3), text.get_position()[1]))
            text.set_ha("left" if part >= 0 else "right")

    def describe(self, result):
        """Say which move was made and what the board is worth."""
        asked, k, match, colour, game, position, parts = result
        f = position.features() if colour == "black" else position.features().swapped()
        if k == 0:
            words = f"The start; the learner plays {colour}. "
        else:
            mover = game.positions[k - 1].turn
            who = "learner" if mover == colour else "greedy player"
            words = f"Half-move **{k}**: {mover} ({who}) plays **{game.moves[k - 1]}**. "
        words += f"bp {f.bp}, rp {f.rp}, bk {f.bk}, rk {f.rk}, bt {f.bt}, rt {f.rt}"
        words += " (b for its own, r for the other's); " if colour == "red" else "; "
        words += f"V̂ = **{plain(parts.sum())}** for the learner. "
        if asked >= len(game.moves):
            ends = {"draw": "a **draw**", colour: "**the learner wins**"}
            words += f"The game is over after {len(game.moves)} half-moves: "
            words += f"{ends.get(game.winner, '**the greedy player wins**')}."
        elif k and game.positions[k - 1].turn != colour:
            words += "The learner is to move; its V̂ was learnt on boards after its own moves."
        return words.strip()


checkers_board = explorer(CheckersBoard)


def _worth(winner, colour):
    return 0 if winner == "draw" else 100 if winner == colour else -100


# --- Checkers: learning --------------------------------------------------------------------------------------------

TESTS = {
    "a step that loses no man": ". . . . . .  . . . . . .  . b . b . .  . . . . . .  . . . r . .  . . . . r .",
    "crown a man or wait": ". . . b . .  . . . . . .  . . . . . r  r . . . . .  . . . b . .  . . . . . .",
    "take one man or two": ". . . b . .  . . r . r .  . . . . . .  . . r . . .  . . . . . .  r . . . . .",
    "the start of a game": None,
}
PAIRS = (plots.INK, plots.BLUE, plots.BLUE, plots.ORANGE, plots.ORANGE, plots.GREEN, plots.GREEN)
DASHES = (":", "-", "--", "-", "--", "-", "--")


class CheckersLearning(Scene):
    """Follow the weights of the evaluation function over games of self-play, and the move they choose."""

    caption = (
        "Figure 1.9: left, the weights of pieces (p), kings (k) and threatened pieces (t) of black (b, solid) and red "
        "(r, dashed), and the error of the training values. Right, a test position and what the weights of that moment "
        "make of its moves; the arrow is the choice."
    )
    play, interval, lines = "n", 250, 3

    def __init__(self):
        self.tests = {name: Checkers.from_text(text) if text else Checkers(SIZE) for name, text in TESTS.items()}
        self.courses = {rate: _course(_learned(rate)) for rate in RATES}  # now, so that no step has to wait for a run
        self.figure, axes = plots.canvas(2, rows=2, size=(9.6, 6.0), widths=(3, 2), height_ratios=(3, 1.9))
        (weights, square), (misses, moves) = axes
        self._draw_weights(weights)
        self._draw_misses(misses)
        self.show = _Board(square, "Black to move ↓", 34, turn=False)
        self._draw_moves(moves)
        self.moving = [*self.curves, *self.ends, self.here, self.each, self.mean, self.now]
        self.moving += [*self.show.artists, *self.rods, *self.labels]
        self.controls = {
            "n": whole("games of self-play n", 24, 0, GAMES),
            "rate": choice("learning rate η", {f"{rate:g}": rate for rate in RATES}, 0.1),
            "test": choice("test position", {name: name for name in TESTS}),
        }

    def _draw_weights(self, ax):
        ax.set(xlim=(-0.8, GAMES + 0.8), ylim=(-190, 190), ylabel="weight", title="The weights after each game")
        ax.axhline(0, color=plots.GREY, lw=0.8, zorder=0.5)
        self.curves = [ax.plot([], [], color=c, ls=s, lw=2.2, zorder=2)[0] for c, s in zip(PAIRS, DASHES)]
        self.ends = [
            ax.text(GAMES + 1.6, 0, name, color=c, va="center", fontsize=12, zorder=3, clip_on=False)
            for name, c in zip(TERMS, PAIRS)
        ]
        self.here = ax.axvline(0, color=plots.INK, lw=1, zorder=1.5)

    def _draw_misses(self, ax):
        ax.set(xlim=(-0.8, GAMES + 0.8), ylim=(0, 52), xlabel="games of self-play n", ylabel="error (RMS)")
        ax.set_title("Training error")
        (self.each,) = ax.plot([], [], "o", ms=3.5, color=plots.GREY, zorder=1, label="each game")
        (self.mean,) = ax.plot([], [], color=plots.PURPLE, zorder=2, label="mean of 10 games")
        self.now = ax.axvline(0, ymax=0.84, color=plots.INK, lw=1, zorder=1.5)
        ax.legend(loc="upper right", ncols=2, fontsize=11, frameon=False, borderaxespad=0, handlelength=1.4)

    def _draw_moves(self, ax):
        ax.set(xlim=(-1, 1), ylim=(4.6, -0.6), yticks=[], xticks=[], title="Value $\\hat V$ of each move")
        for spine in ax.spines.values():
            spine.set_visible(False)
        ax.axvline(0, color=plots.INK, lw=1, zorder=3)
        self.rods = ax.barh(range(5), np.ones(5), height=0.66, color=plots.SKY, zorder=1)
        self.labels = [ax.text(0, k, "", va="center", fontsize=12, zorder=4) for k in range(5)]

    def compute(self, n, rate, test):
        """Return the course of learning and the value of each move at the test position."""
        W, *_ = self.courses[rate]
        position = self.tests[test]
        legal = position.legal_moves()
        value = np.array([evaluate(W[min(n, len(W) - 1)], position.play(move)) for move in legal])
        return n, rate, self.courses[rate], position, legal, value

    def draw(self, result):
        """Draw the weights up to game n, and the moves as these weights value them."""
        n, _, (W, errors, smooth), position, legal, value = result
        n = min(n, len(W) - 1)
        for line, column in zip(self.curves, W.T):
            line.set_data(GAME_NUMBERS[: n + 1], column[: n + 1])
        for text, y in zip(self.ends, _apart(W[n], 24, -182, 182)):
            text.set_position((n + 1, y))
        self.each.set_data(GAME_NUMBERS[1 : n + 1], errors[:n])
        self.mean.set_data(GAME_NUMBERS[1 : n + 1], smooth[:n])
        for cursor in (self.here, self.now):
            cursor.set_xdata([n, n])
        best = value >= value.max() - 1e-9
        self.show(position, None, [move for move, chosen in zip(legal, best) if chosen])
        span = max(1.0, np.abs(value).max()) * 1.05
        for k, (rod, text) in enumerate(zip(self.rods, self.labels)):
            if k >= len(legal):
                rod.set_width(0)
                text.set_text("")
                continue
            rod.set_width(0.62 * value[k] / span)
            rod.set_facecolor(plots.BLUE if best[k] else plots.SKY)
            text.set_text(f"{legal[k]}:  {plain(value[k])}")
            text.set_weight("bold" if best[k] else "normal")
            text.set_x(0.03 if value[k] < 0 else -0.03)
            text.set_ha("left" if value[k] < 0 else "right")

    def describe(self, result):
        """Say what a piece is worth by now, and which move is chosen."""
        n, rate, (W, *_), position, legal, value = result
        last = len(W) - 1
        at = min(n, last)
        if n == 0:
            words = "Before the first game all weights are **0**. "
        else:
            each = W[at, 1:] / position.men_at_start
            signs = "right" if np.all(each[:5] * [1, -1, 1, -1, -1] > 0) else "not all right"
            words = f"After **{count(at, 'game')}** with η = {rate:g} one piece (1/{position.men_at_start} of its "
            words += f"weight) is worth: own **{plain(each[0], '+.3g')}**, other's **{plain(each[1], '+.3g')}**, "
            words += f"own king {plain(each[2], '+.3g')} more, own threatened **{plain(each[4], '+.3g')}**; "
            words += f"signs of w₁ to w₅ {signs}. "
        best = value >= value.max() - 1e-9
        if best.all():
            words += f"All {len(legal)} moves are worth the same: **chance chooses**. "
        else:
            chosen = " or ".join(str(move) for move, good in zip(legal, best) if good)
            words += f"It chooses **{chosen}** (V̂ = {plain(value.max())}; the worst, {legal[int(value.argmin())]}, "
            words += f"{plain(value.min())}). "
        if last < GAMES and n >= last:
            words += f"Learning **diverged** in game {last + 1}."
        elif np.abs(W).max() > 190:
            words += "Some weights leave the picture."
        return words.strip()


checkers_learning = explorer(CheckersLearning)


def _course(run):
    """Return weights and errors after each game, and the errors' running mean."""
    W = np.array([step.w for step in run.history])
    errors = np.array([step.error for step in run.history[1:]])
    smooth = np.array([errors[max(0, k - 10) : k].mean() for k in range(1, len(errors) + 1)])
    return W, np.minimum(errors, 52), np.minimum(smooth, 52)


def _apart(values, gap, low, high):
    """Return heights for labels near ``values`` that are at least ``gap`` apart and inside the picture."""
    order = np.argsort(values)
    y = np.clip(np.asarray(values, float)[order], low, high)
    for _ in range(200):
        near = gap - np.diff(y)
        if near.max() <= 1e-6:
            break
        push = np.maximum(near, 0) / 2
        y[:-1] -= push
        y[1:] += push
        y = np.clip(y, low, high)
    back = np.empty(len(y))
    back[order] = y
    return back


# --- Pieces --------------------------------------------------------------------------------------------------------


@functools.cache
def _outline(word, size):
    """Return the outline of one word from x = 0 on, in hundredths of an inch, and its width."""
    outline = TextPath((0, 0), word, size=size * 100 / 72, prop=FontProperties(family="DejaVu Sans"))
    left, right = outline.get_extents().intervalx
    return Path(outline.vertices - (left, 0), outline.codes), right - left


@functools.cache
def _glyphs(text, size):
    """Return the outline of a text around the origin, in hundredths of an inch, and its width."""
    parts, x = [], 0.0
    for word in text.split():
        outline, width = _outline(word, size)
        parts.append(Path(outline.vertices + (x, 0), outline.codes))
        x += width + 0.62 * size
    x -= 0.62 * size
    vertices = np.concatenate([part.vertices for part in parts]) - (x / 2, 0.5 * size)  # half a capital's height
    return Path(vertices, np.concatenate([part.codes for part in parts])), x


class _Words:
    """Many short texts as one artist, which is several times faster to draw: call it with (text, x, y) triples."""

    def __init__(self, ax, size, zorder=4):
        self.size = size
        nowhere = {"offsets": np.empty((0, 2)), "offset_transform": ax.transData}
        self.artist = PathCollection([], facecolors=plots.INK, edgecolors="none", zorder=zorder, **nowhere)
        self.artist.set_transform(Affine2D().scale(0.01) + ax.figure.dpi_scale_trans)  # outlines: hundredths of an inch
        ax.add_collection(self.artist)

    def __call__(self, words):
        self.artist.set_paths([_glyphs(text, self.size)[0] for text, _, _ in words])
        self.artist.set_offsets(_stack([place for _, *place in words]))


class _Board:
    """A board on ``ax``: call it with a position to put the pieces on it."""

    def __init__(self, ax, title, unit, *, turn=True):
        self.place, self.turn = {}, turn
        ax.set(xlim=(-0.04, SIZE + 0.04), ylim=(SIZE + 0.04, -0.04), aspect="equal", xticks=[], yticks=[], title=title)
        for side in ax.spines.values():
            side.set_visible(True)
        for row in range(SIZE):
            for column in range(SIZE):
                if (row + column) % 2:
                    ax.add_patch(Rectangle((column, row), 1, 1, fc=DARK, ec="none", zorder=0.4))
                    self.place[len(self.place) + 1] = (column + 0.5, row + 0.5)
        for number, (x, y) in self.place.items():
            ax.text(x - 0.48, y - 0.47, str(number), ha="left", va="top", fontsize=9, color=plots.SLATE, zorder=0.6)
        self.title = ax.text(SIZE, -0.14, "", ha="right", va="bottom", fontsize=12, zorder=3, in_layout=False)
        self.black = _discs(ax, 0.62, fc=plots.INK, ec=plots.INK, lw=1.5)
        self.red = _discs(ax, 0.62, fc=plots.ORANGE, ec=plots.INK, lw=1.5)
        self.ring = _discs(ax, 0.46, fc="none", ec="white", lw=2, zorder=2.5)
        self.danger = _discs(ax, 0.86, fc="none", ec=plots.PURPLE, lw=2.6, zorder=1.5)
        crown = {"marker": "$K$", "ls": "", "ms": 0.27 * unit, "mec": "white", "mfc": "white", "zorder": 3}
        (self.kings,) = ax.plot([], [], **crown)
        self.taken = _discs(ax, 0.62, fc="none", ec=plots.INK, lw=2, ls=":", zorder=2)
        look = {"marker": "o", "ls": "", "mec": plots.INK}
        self.entries = [
            Line2D([], [], ms=12, mfc=plots.INK, label="black", **look),
            Line2D([], [], ms=12, mfc=plots.ORANGE, label="red (ring)", **look),
            Line2D([], [], ms=13, ls="", marker="o", mfc="none", mec=plots.PURPLE, mew=2.4, label="threatened"),
            Patch(fc="none", ec=plots.INK, ls=":", lw=1.8, label="just taken"),
        ]
        self.tracks = ax.add_collection(LineCollection([], colors=plots.GREEN, lw=3, zorder=3.5))
        shrink = 0.33 * unit if turn else 0  # a move that was made ends at the edge of its piece
        look = {"arrowstyle": "-|>", "mutation_scale": 22, "shrinkA": 0, "shrinkB": shrink, "lw": 3, "zorder": 4}
        self.arrows = [ax.add_patch(FancyArrowPatch((0, 0), (1, 1), color=plots.GREEN, **look)) for _ in range(5)]
        pieces = [self.black, self.red, self.ring, self.danger, self.kings, self.taken]
        self.artists = [self.title, *pieces, self.tracks, *self.arrows]

    def __call__(self, position, last, proposed=()):
        letters = [letter for row in str(position).splitlines()[:SIZE] for letter in row.split()]
        dark = [letters[i] for i in range(SIZE * SIZE) if (i // SIZE + i % SIZE) % 2]
        black, red, kings = (
            _stack([self.place[n] for n, letter in enumerate(dark, 1) if letter in kind]) for kind in ("bB", "rR", "BR")
        )
        self.black.set_offsets(black)
        self.red.set_offsets(red)
        self.ring.set_offsets(red)
        self.kings.set_data(kings.T)
        either = [position._replace(turn=turn, quiet=0) for turn in ("black", "red")]
        threats = [move for side in either for move in side.legal_moves() if move.taken]
        self.danger.set_offsets(_stack(sorted({spot for move in threats for spot in self._jumped(move)})))
        self.taken.set_offsets(_stack(self._jumped(last) if last and last.taken else []))
        shown = ([last] if last else []) + list(proposed)
        self.tracks.set_segments([[self.place[n] for n in move.path] for move in shown if len(move.path) > 2])
        for arrow, move in zip(self.arrows, [*shown, *[None] * 5]):
            arrow.set_visible(move is not None)
            if move:
                arrow.set_positions(self.place[move.path[-2]], self.place[move.path[-1]])
        if self.turn:
            self.title.set_text("game over" if position.winner() else TO_MOVE[position.turn])

    def _jumped(self, move):
        """Return the squares that a capture jumps over."""
        return [
            tuple(np.mean([self.place[a], self.place[b]], axis=0).tolist()) for a, b in zip(move.path, move.path[1:])
        ]


def _discs(ax, width, *, fc, ec, lw, ls="-", zorder=2):
    """Prepare discs of a width in squares; ``set_offsets`` says where."""
    look = {"facecolors": fc, "edgecolors": ec, "linewidths": lw, "linestyles": ls, "zorder": zorder}
    nowhere = {"offsets": np.empty((0, 2)), "offset_transform": ax.transData}
    return ax.add_collection(EllipseCollection([width], [width], [0], units="xy", **nowhere, **look))


def _stack(points):
    return np.array(points, float).reshape(-1, 2)

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
from matplotlib.transforms import IdentityTransform

from mlteach import plots
from mlteach.explore.base import Explorer, choice, count, explorer, plain, switch, whole
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


@explorer
def version_space():
    """Show examples one by one and watch the hypotheses die, with and without a language bias."""
    spaces = {True: all_intervals(NUMBERS), False: all_subsets(NUMBERS)}
    figure, (poll, left) = plots.canvas(2, size=(9.6, 4.7), widths=(3.1, 2))
    x = np.array(NUMBERS)
    poll.set(xlim=(0.4, 10.6), ylim=(-0.13, 1.24), xticks=x, xlabel="instance: the number", title="How they vote")
    poll.set(ylabel="share of the survivors", yticks=[0, 0.25, 0.5, 0.75, 1])
    poll.set_yticklabels(["0 %", "25 %", "50 %", "75 %", "100 %"])
    poll.tick_params(axis="x", length=0)
    poll.axhline(0.5, color=plots.GREY, lw=1, ls=":", zorder=0.6)
    yes = poll.bar(x, np.ones(10), width=0.72, color=plots.BLUE, zorder=1, label="say yes")
    no = poll.bar(x, np.ones(10), width=0.72, fc="#FAE6D8", ec=plots.ORANGE, lw=1.2, zorder=1, label="say no")
    (inside,) = poll.plot([], [], "^", ms=9, color=plots.INK, zorder=3, label="truly yes")
    for number in NUMBERS:
        poll.text(number, TOP, "?", ha="center", va="center", fontsize=15, weight="bold", color=plots.GREY, zorder=0.3)
    look = {"ls": "", "mec": plots.INK}
    seen = [
        poll.plot([], [], marker="o", ms=19, mfc=plots.BLUE, mew=1.4, zorder=3, **look)[0],
        poll.plot([], [], marker="s", ms=17, mfc="#FAE6D8", mew=1.4, zorder=3, **look)[0],
        poll.plot([], [], "+", ms=11, mec="white", mew=2.8, zorder=5)[0],
        poll.plot([], [], "_", ms=10, mec=plots.INK, mew=2.8, zorder=5)[0],
        poll.plot([], [], "o", ms=26, mfc="none", mec=plots.PURPLE, mew=2.4, zorder=4)[0],
    ]
    nobody = poll.text(5.5, 0.5, "", **ALARM)

    left.set(xlim=(-0.2, 10.4), ylim=(-2.2, 10.6), xlabel="examples n", ylabel="hypotheses left (log scale)")
    left.set(title="How many are left", xticks=np.arange(0, 11, 2), yticks=[NONE_LEFT, 0, 2, 4, 6, 8, 10])
    left.set_yticklabels(["none", "1", "4", "16", "64", "256", "1024"])
    left.axhline((NONE_LEFT + 0) / 2, color=plots.PALE, lw=1.2, zorder=0.5)
    styles = {True: {"color": plots.GREEN, "marker": "o"}, False: {"color": plots.PURPLE, "marker": "s", "ls": "--"}}
    names = {True: "intervals (biased)", False: "all subsets (no bias)"}
    ahead = left.add_collection(LineCollection([], colors="#C9CDD4", lw=1.6, zorder=1))
    lines = {b: left.plot([], [], ms=5.5, zorder=2, label=names[b], **styles[b])[0] for b in (False, True)}
    (now,) = left.plot([], [], **NOW)
    entries = [yes, no, inside, *lines.values()]
    figure.legend(handles=entries, **{**plots.BELOW, "columnspacing": 1.1, "handlelength": 2.2})

    @functools.cache
    def eliminate(bias, concept, order, flipped):
        labels = [(n in CONCEPTS[concept]) != (n == flipped) for n in ORDERS[order]]
        return list_then_eliminate(spaces[bias], ORDERS[order], labels), labels

    @functools.lru_cache(512)
    def poll_of(bias, concept, order, flipped, n):
        survivors = eliminate(bias, concept, order, flipped)[0].history[n]
        return survivors, [votes(survivors, number) for number in NUMBERS] if survivors else None

    def compute(n, bias, concept, order, flipped):
        survivors, share = poll_of(bias, concept, order, flipped, n)
        both = {b: eliminate(b, concept, order, flipped)[0].counts for b in (False, True)}
        labels = dict(zip(ORDERS[order][:n], eliminate(bias, concept, order, flipped)[1]))
        return n, bias, concept, order, flipped, survivors, share, both, labels

    def draw(result):
        n, bias, concept, order, flipped, survivors, share, both, labels = result
        for up, down, part in zip(yes, no, share or [None] * 10):
            up.set_height(part or 0)
            down.set_y(part or 0)
            down.set_height(0 if part is None else 1 - part)
            down.set_visible(part is not None and part < 1)
        inside.set_data(sorted(CONCEPTS[concept]), np.full(len(CONCEPTS[concept]), -0.07))
        plus = [k for k, label in labels.items() if label]
        minus = [k for k, label in labels.items() if not label]
        ringed = [flipped] if flipped in labels else []
        for artist, group in zip(seen, (plus, minus, plus, minus, ringed)):
            artist.set_data(group, np.full(len(group), TOP))
        nobody.set_text("" if survivors else "no hypothesis left: nobody votes")
        nobody.set_visible(not survivors)
        heights = {b: np.array([np.log2(c) if c else NONE_LEFT for c in both[b]]) for b in both}
        ahead.set_segments([np.column_stack([np.arange(11), heights[b]]) for b in both])
        for b, line in lines.items():
            line.set_data(np.arange(n + 1), heights[b][: n + 1])
            line.set_linewidth(2.8 if b == bias else 1.4)
        now.set_data([n], [heights[bias][n]])

    def describe(result):
        n, bias, concept, order, flipped, survivors, share, both, labels = result
        kind, wrong_label = "interval" if bias else "subset", flipped in labels
        if not survivors:
            killer = both[bias].index(0)
            last = ORDERS[order][killer - 1]
            words = (
                f"Example {killer} ({last} is {'+' if labels[last] else '−'}) leaves **no interval** that agrees with "
            )
            words += "all the labels: the version space is **empty**, for good. Here "
            if concept == "3 to 7":
                return (
                    words + f"the label of {flipped} is wrong (ringed); a concept that is no interval looks the same."
                )
            also = (
                f", and the label of {flipped} is wrong (ringed)." if wrong_label else "; a wrong label looks the same."
            )
            return words + "the concept, the primes, is no interval" + also
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

    return Explorer(
        figure=figure,
        moving=[*yes, *no, inside, *seen, nobody, ahead, *lines.values(), now],
        controls={
            "n": whole("examples n", 5, 0, 10),
            "bias": switch("only intervals (bias)", True),
            "concept": choice("concept", list(CONCEPTS)),
            "order": choice("order", list(ORDERS)),
            "flipped": choice("flip the label of", {"none": 0, **{str(k): k for k in NUMBERS}}, 0),
        },
        compute=compute,
        draw=draw,
        describe=describe,
        caption="Figure 1.3: left, how the surviving hypotheses vote on each number; above, the labels seen so far "
        "(? not yet seen). Right, how many survive of all 56 intervals and of all 1024 subsets of 1 to 10; grey, what "
        "is still to come.",
        play="n",
        interval=900,
    )


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


@explorer
def boundary_sets():
    """Step through Candidate-Elimination: S climbs, G sinks, and what lies between is the version space."""
    data = enjoy_sport()
    every = all_conjunctions(data.domains)
    figure, (lattice, table) = plots.canvas(1, rows=2, size=(9.6, 6.7), height_ratios=(4.6, 1.75))
    lattice.set(xlim=(-0.1, 10.1), ylim=(-1.55, 6.55), xticks=[], yticks=range(-1, 7))
    lattice.set(ylabel="number of free attributes (?)", title="Specific below, general above")
    lattice.set_yticklabels(["∅", *map(str, range(7))])
    lattice.spines["bottom"].set_visible(False)
    for level in range(-1, 7):
        lattice.axhline(level, color="#F2F3F5", lw=1, zorder=0.4)
    links = lattice.add_collection(LineCollection([], colors="#C3C8D0", lw=0.9, zorder=1))
    (dots,) = lattice.plot([], [], "o", ms=4.5, color=plots.GREY, zorder=2, label="between")
    (agree,) = lattice.plot([], [], "^", ms=8, color=plots.GREEN, zorder=2.5, label="says yes to the new day (✓)")
    (many,) = lattice.plot([], [], "s", ms=8, mfc="#FAE6D8", mec=plots.ORANGE, mew=1.8, zorder=2.4)
    frames = {
        "S": {"fc": "#DCECF5", "ec": plots.BLUE, "lw": 2.4},
        "G": {"fc": "#FAE6D8", "ec": plots.ORANGE, "lw": 2.4, "ls": "--"},
        "between": {"fc": "white", "ec": plots.GREY, "lw": 1},
    }
    boxes = {name: lattice.add_collection(PolyCollection([], zorder=3, **look)) for name, look in frames.items()}
    tags = _Words(lattice, 11)
    empty = lattice.text(5, 2.5, "", **ALARM)

    table.set(xlim=(-0.1, 10.1), ylim=(-0.55, 6.0))
    table.axis("off")
    for spine in table.spines.values():
        spine.set_visible(False)
    for place, name in zip(COLUMNS, ("day", *data.feature_names, "enjoys sport")):
        table.text(place, 5.4, name, ha="center", va="center", fontsize=12, weight="bold", zorder=1)
    table.axhline(4.9, color=plots.INK, lw=1, zorder=1)
    for i, day in enumerate(data.X):
        for place, word in zip(COLUMNS, (str(i + 1), *day)):
            table.text(place, 4.35 - i, word, ha="center", va="center", zorder=1)
    veils = [
        table.add_patch(Rectangle((-0.1, 3.86 - i), 10.2, 0.98, fc="white", alpha=0.68, zorder=3)) for i in range(4)
    ]
    shade = table.add_patch(Rectangle((-0.1, 0), 10.2, 1, fc=(plots.YELLOW, 0.2), ec=plots.INK, lw=1.6, zorder=4))
    answers = _Words(table, 12, zorder=2)
    handles = [
        Patch(**{**frames[name], "lw": 2}, label=words)
        for name, words in (("S", "S: most specific"), ("G", "G: most general"))
    ]
    lattice.legend(
        handles=[*handles, dots, agree], loc="lower center", bbox_to_anchor=(0.5, -0.11), ncols=5, fontsize=11,
        frameon=False, columnspacing=1.2, handlelength=1.5,
    )  # fmt: skip

    for word in {"?", "✓", *(value for values in data.domains for value in values)}:
        _outline(word, 11)  # so that no step has to wait for them

    @functools.cache
    def width(h):
        return (_glyphs(_short(h) + " ✓", 11)[1] + 12) / PIXELS

    @functools.cache
    def run(order, flipped):
        days = DAY_ORDERS[order]
        y = [data.y[i] != (i == flipped) for i in days]
        X = [data.X[i] for i in days]
        # Listing the survivors is quicker here than asking which of all conjunctions lie between S and G
        return candidate_elimination(X, y, data.domains), y, list_then_eliminate(every, X, y).history

    @functools.cache
    def between(order, flipped, n):
        found, _, survivors = run(order, flipped)
        return _Lattice(survivors[n], *found.history[n], width)

    @functools.lru_cache(256)
    def judged(order, flipped, n, new):
        view = between(order, flipped, n)
        if not new or not view.size:
            return frozenset(), None
        says = frozenset(h for h in view.members if h(NEW_DAYS[new]))
        return says, Candidates(view.S, view.G, None, (), data.domains).decide(NEW_DAYS[new])

    def compute(n, order, flipped, new):
        found, y, _ = run(order, flipped)
        return n, DAY_ORDERS[order], flipped, new, found, y, between(order, flipped, n), judged(order, flipped, n, new)

    def draw(result):
        n, days, flipped, new, found, y, view, (says, _) = result
        links.set_segments(view.links)
        many.set_data(view.crowd.T)
        for artist, side in ((dots, False), (agree, True)):
            artist.set_data(view.spots[[(h in says) == side for h in view.dotted]].reshape(-1, 2).T)
        for name, box in boxes.items():
            box.set_verts([_frame(place, width(h)) for h, role, place in view.boxed if role == name])
        tags([(_short(h) + (" ✓" if h in says else ""), *place) for h, _, place in view.boxed])
        empty.set_visible(not view.size)
        empty.set_text("" if view.size else "S and G are empty:\nno conjunction agrees with all the days")
        told = [("yes" if label else "no") + (" (flipped)" if i == flipped else "") for i, label in zip(days, y)]
        cells = [(word, COLUMNS[-1], 4.42 - i) for i, word in zip(days, told)]
        if new:
            cells += [(word, x, 0.35) for word, x in zip((new, *NEW_DAYS[new], "?"), COLUMNS)]
        answers(cells)
        for i in range(4):
            veils[i].set_visible(i not in days[:n])
        shade.set_visible(n > 0)
        shade.set_y(3.85 - days[n - 1])

    def describe(result):
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

    return Explorer(
        figure=figure,
        moving=[links, dots, agree, many, *boxes.values(), tags.artist, empty, *veils, shade, answers.artist],
        controls={
            "n": whole("examples n", 2, 0, 4),
            "order": choice("order", list(DAY_ORDERS)),
            "flipped": choice("flip the label of", {"none": -1, **{f"day {k + 1}": k for k in range(4)}}, -1),
            "new": choice("new day to judge", {"none": "", **{k: k for k in NEW_DAYS}}, ""),
        },
        compute=compute,
        draw=draw,
        describe=describe,
        caption="Figure 1.5: the version space between its boundaries S and G; lines join a hypothesis to those one "
        "attribute more general. A row has as many free attributes (?) as its number says. Below, the days.",
        play="n",
        interval=1500,
    )


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
RATES = (0.01, 0.1, 1.0)
DARK = "#D3D7DE"
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


@explorer
def checkers_board():
    """Leaf through games between the learner and a greedy player, with what the evaluation function sees."""
    games = {label: (colour, _match(colour, seed)) for label, colour, seed in MATCHES}
    w = _learned(0.1).w
    longest = max(len(game.moves) for _, game in games.values())
    figure, axes = plots.canvas(2, rows=2, size=(9.6, 5.4), widths=(1.25, 1))
    grid = axes[0, 0].get_gridspec()
    for ax in axes[:, 0]:
        ax.remove()
    show = _Board(figure.add_subplot(grid[:, 0]), "The board", 48)
    course, terms = axes[:, 1]
    course.set(xlim=(0, longest + 1), ylim=(-160, 160), yticks=[-100, 0, 100], xlabel="half-move k")
    course.set(ylabel="value $\\hat V$", title="What the learner thinks")
    course.axhline(0, color=plots.GREY, lw=0.8, zorder=0.5)
    (path,) = course.plot([], [], color="#C9CDD4", lw=1.6, zorder=1)
    (past,) = course.plot([], [], "o-", color=plots.GREEN, ms=4, lw=2, zorder=2, label="V̂ after its own moves")
    (end,) = course.plot([], [], label="result", **STAR)
    (now,) = course.plot([], [], label="this board", **NOW)
    names = ["own pieces", "other's pieces", "own kings", "other's kings", "own threatened", "other's threatened"]
    terms.set(xlim=(-185, 185), xlabel="part of $\\hat V$: weight × feature", title="Where the value comes from")
    terms.set(ylim=(6.6, -0.6), yticks=range(7), xticks=[-100, 0, 100])
    terms.set_yticklabels(["constant", *names], fontsize=11)
    terms.tick_params(axis="y", length=0)
    terms.axvline(0, color=plots.INK, lw=1, zorder=3)
    rods = terms.barh(range(7), np.ones(7), height=0.62, color=plots.BLUE, zorder=1)
    figures = [terms.text(0, k, "", va="center", fontsize=11, zorder=4, in_layout=False) for k in range(7)]
    figure.legend(handles=[*show.entries, past, now, end], **{**plots.BELOW, "columnspacing": 1.1, "fontsize": 11})

    values = {
        label: (
            [k for k in range(1, len(game.positions)) if game.positions[k - 1].turn == colour],
            [evaluate(w, position, colour) for position in game.positions],
        )
        for label, (colour, game) in games.items()
    }

    def compute(k, match):
        colour, game = games[match]
        last = len(game.moves)
        asked, k = k, min(k, last)
        return asked, k, match, colour, game, game.positions[k], w * board_vector(game.positions[k], colour)

    def draw(result):
        asked, k, match, colour, game, position, parts = result
        show(position, game.moves[k - 1] if k else None)
        own, value = values[match]
        path.set_data(own, [value[j] for j in own])
        before = [j for j in own if j <= k]
        past.set_data(before, [value[j] for j in before])
        now.set_data([k], [np.clip(value[k], -160, 160)])
        over = asked >= len(game.moves)
        end.set_data(([len(game.moves)], [_worth(game.winner, colour)]) if over else NO_POINTS)
        for rod, text, part in zip(rods, figures, parts):
            rod.set_width(part)
            rod.set_facecolor(plots.BLUE if part >= 0 else plots.ORANGE)
            text.set_text(plain(part))
            text.set_position((part + (3 if part >= 0 else -3), text.get_position()[1]))
            text.set_ha("left" if part >= 0 else "right")

    def describe(result):
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
            words += "The learner is to move; its V̂ was learned on boards after its own moves."
        return words.strip()

    return Explorer(
        figure=figure,
        moving=[*show.artists, path, past, end, now, *rods, *figures],
        controls={
            "k": whole("half-move k", 11, 0, longest),
            "match": choice("recorded game", {label: label for label in games}),
        },
        compute=compute,
        draw=draw,
        describe=describe,
        caption="Figure 1.6: three games on 6x6 between a learner (60 games of self-play) and a greedy player that "
        "counts pieces two half-moves ahead, picked to show a win, a loss and a draw. K marks a king. Right, the value "
        "of the board for the learner, over the game and split into its seven parts.",
        play="k",
        interval=900,
    )


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


@explorer
def checkers_learning():
    """Follow the weights of the evaluation function over games of self-play, and the move they choose."""
    tests = {name: Checkers.from_text(text) if text else Checkers(SIZE) for name, text in TESTS.items()}
    figure, axes = plots.canvas(2, rows=2, size=(9.6, 6.0), widths=(3, 2), height_ratios=(3, 1.9))
    (weights, square), (misses, moves) = axes
    games = np.arange(GAMES + 1)
    weights.set(xlim=(-0.8, GAMES + 0.8), ylim=(-190, 190), ylabel="weight", title="The weights after each game")
    weights.axhline(0, color=plots.GREY, lw=0.8, zorder=0.5)
    ahead = weights.add_collection(LineCollection([], colors="#D3D7DE", lw=1.2, zorder=1))
    lines = [weights.plot([], [], color=c, ls=s, lw=2.2, zorder=2)[0] for c, s in zip(PAIRS, DASHES)]
    ends = [
        weights.text(GAMES + 1.6, 0, name, color=c, va="center", fontsize=12, zorder=3, clip_on=False)
        for name, c in zip(TERMS, PAIRS)
    ]
    here = weights.axvline(0, color=plots.INK, lw=1, zorder=1.5)
    misses.set(xlim=(-0.8, GAMES + 0.8), ylim=(0, 52), xlabel="games of self-play n", ylabel="error (RMS)")
    misses.set_title("Training error")
    (each,) = misses.plot([], [], "o", ms=3.5, color=plots.GREY, zorder=1, label="each game")
    (mean,) = misses.plot([], [], color=plots.PURPLE, zorder=2, label="mean of 10 games")
    now = misses.axvline(0, ymax=0.84, color=plots.INK, lw=1, zorder=1.5)
    misses.legend(loc="upper right", ncols=2, fontsize=11, frameon=False, borderaxespad=0, handlelength=1.4)
    show = _Board(square, "Black to move ↓", 34, turn=False)
    moves.set(xlim=(-1, 1), ylim=(4.6, -0.6), yticks=[], xticks=[], title="Value $\\hat V$ of each move")
    for spine in moves.spines.values():
        spine.set_visible(False)
    moves.axvline(0, color=plots.INK, lw=1, zorder=3)
    rods = moves.barh(range(5), np.ones(5), height=0.66, color=plots.SKY, zorder=1)
    labels = [moves.text(0, k, "", va="center", fontsize=12, zorder=4) for k in range(5)]

    def course(run):
        W = np.array([step.w for step in run.history])
        errors = np.array([step.error for step in run.history[1:]])
        smooth = np.array([errors[max(0, k - 10) : k].mean() for k in range(1, len(errors) + 1)])
        return W, np.minimum(errors, 52), np.minimum(smooth, 52), _apart(W[-1], 24, -182, 182)

    courses = {rate: course(_learned(rate)) for rate in RATES}  # now, so that no step has to wait for a run

    def compute(n, rate, test):
        W, *_ = courses[rate]
        position = tests[test]
        legal = position.legal_moves()
        value = np.array([evaluate(W[min(n, len(W) - 1)], position.play(move)) for move in legal])
        return n, rate, courses[rate], position, legal, value

    def draw(result):
        n, _, (W, errors, smooth, heights), position, legal, value = result
        n = min(n, len(W) - 1)
        ahead.set_segments([np.column_stack([games[: len(W)], column]) for column in W.T])
        for line, column in zip(lines, W.T):
            line.set_data(games[: n + 1], column[: n + 1])
        for text, y in zip(ends, heights):
            text.set_y(y)
        each.set_data(games[1 : n + 1], errors[:n])
        mean.set_data(games[1 : n + 1], smooth[:n])
        for cursor in (here, now):
            cursor.set_xdata([n, n])
        best = value >= value.max() - 1e-9
        show(position, None, [move for move, chosen in zip(legal, best) if chosen])
        span = max(1.0, np.abs(value).max()) * 1.05
        for k, (rod, text) in enumerate(zip(rods, labels)):
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

    def describe(result):
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

    return Explorer(
        figure=figure,
        moving=[ahead, *lines, *ends, here, each, mean, now, *show.artists, *rods, *labels],
        controls={
            "n": whole("games of self-play n", 20, 0, GAMES),
            "rate": choice("learning rate η", {f"{rate:g}": rate for rate in RATES}, 0.1),
            "test": choice("test position", {name: name for name in TESTS}),
        },
        compute=compute,
        draw=draw,
        describe=describe,
        caption="Figure 1.7: left, the weights of pieces (p), kings (k) and threatened pieces (t) of black (b, solid) "
        "and red (r, dashed), and the error of the training values. Right, a test position and what the "
        "weights of that moment make of its moves; the arrow is the choice.",
        play="n",
        interval=250,
    )


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
    """Return the outline of one word from x = 0 on, in pixels, and its width."""
    outline = TextPath((0, 0), word, size=size * 100 / 72, prop=FontProperties(family="DejaVu Sans"))
    left, right = outline.get_extents().intervalx
    return Path(outline.vertices - (left, 0), outline.codes), right - left


@functools.cache
def _glyphs(text, size):
    """Return the outline of a text around the origin, in pixels, and its width."""
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
        self.artist.set_transform(IdentityTransform())  # outlines are in pixels
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
            ax.text(x - 0.48, y - 0.47, str(number), ha="left", va="top", fontsize=9, color="#5A606B", zorder=0.6)
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

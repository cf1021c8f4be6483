"""Explorers of chapter 28: values by episodes, first and every visit, close decisions, behaviours, endless variance."""

from functools import cache
from typing import NamedTuple

import numpy as np
from matplotlib.colors import LinearSegmentedColormap

from mlteach import plots
from mlteach.explore.base import Scene, buttons, choice, explorer, plain, slider, whole
from mlteach.explore.grids import Words
from mlteach.monte_carlo import (
    Blackjack,
    BlackjackSolution,
    LoopLaw,
    Spread,
    exact_blackjack,
    loop_law,
    loop_ratio_variance,
    mc_estimates,
    play_hands,
    ratio_spread,
)
from mlteach.monte_carlo.stored import COUNTS, RUNS, wrong_decisions

SUMS, CARDS = np.arange(12, 22), np.arange(1, 11)
FACES = ["A", *map(str, range(2, 11))]
HAND = (13, 2, 1)
MARGINS = LinearSegmentedColormap.from_list(
    "margins", [plots.tint(plots.BLUE, 0.6), "white", plots.tint(plots.ORANGE, 0.7)]
)
WRONG = LinearSegmentedColormap.from_list("wrong", ["white", plots.tint(plots.PURPLE, 0.7)])


def stop_late(hand):
    """Stick on 20 and 21 only."""
    return int(hand[0] < 20)


def like_dealer(epsilon):
    """Return the policy that hits below 17, and takes any action with the probability epsilon."""
    return lambda hand: (1 - epsilon / 2, epsilon / 2) if hand[0] > 16 else (epsilon / 2, 1 - epsilon / 2)


# --- Values by episodes --------------------------------------------------------------------------------------------

STOPS = (100, 200, 500, 1000, 2000, 5000, 10_000, 20_000)


@cache
def _evaluation():
    """Return the run that the explorer replays, and the exact answer."""
    return mc_estimates(Blackjack(), stop_late, STOPS[-1], rng=28, at=STOPS), exact_blackjack(stop_late)


class Seen(NamedTuple):
    """One row of the value table after some episodes, and the error of the whole table."""

    episodes: int
    V: np.ndarray  # (10,) estimates by sum, nan where none
    N: np.ndarray  # (10,) visits
    exact: np.ndarray  # (10,)
    spread: np.ndarray  # (10,) exact standard deviation of the return
    errors: np.ndarray  # (stops,) root mean square error over the hands seen so far
    promised: np.ndarray  # (stops,) the same from the exact spread and the visits


class EpisodesAndError(Scene):
    """Let episodes come in and watch the estimates of a policy close in on the exact values."""

    caption = (
        "Figure 28.2: blackjack, stick on 20 and 21 only. Left, estimates of V (dots, bars of two standard "
        "errors) and the exact values (line); right, the error of the whole table. Look how slowly it falls."
    )
    play, interval = "stop", 800

    def __init__(self):
        self.figure, (row, fall) = plots.canvas(2, widths=(1.35, 1))
        row.set(xlim=(11.5, 21.5), ylim=(-1.35, 1.8), xlabel="player's sum", title="Value of a hand")
        plots.ticks(row.xaxis, SUMS)
        (self.line,) = row.plot([], [], color=plots.INK, label="exact")
        self.bars = row.vlines(SUMS, 0, 0, color=plots.BLUE, lw=2.2)
        (self.dots,) = row.plot([], [], "o", ms=9, mfc="white", mec=plots.BLUE, mew=2.2, ls="none", label="estimate")
        row.legend(loc="upper left", ncols=2)
        fall.set(xlim=(80, 26_000), ylim=(0.015, 1.2), xscale="log", yscale="log", xlabel="episodes")
        fall.set_title("Root mean square error")
        plots.ticks(fall.xaxis, [100, 1000, 10_000])
        plots.ticks(fall.yaxis, [0.03, 0.1, 0.3, 1])
        run, exact = _evaluation()
        self.errors, self.promised = _table_errors(run, exact)
        (self.line_down,) = fall.plot([], [], ".-", color=plots.INK, label="exact σ/√N")
        (self.met,) = fall.plot([], [], "o", ms=9, mfc="white", mec=plots.BLUE, mew=2.2, ls="none", label="met")
        fall.legend(loc="upper right")
        self.moving = [self.line, self.bars, self.dots, self.line_down, self.met]
        self.controls = {
            "stop": whole("episodes, stop", 3, 0, len(STOPS) - 1),
            "dealer": choice("dealer shows", dict(zip(FACES, range(1, 11))), 2),
            "ace": buttons("ace", {"usable": 1, "none": 0}, 0),
        }

    def compute(self, stop, dealer, ace):
        """Return what was `Seen` at a stop."""
        run, exact = _evaluation()
        step, hands = run.history[stop + 1], [(int(n), dealer, ace) for n in SUMS]
        V = np.array([step.V.get(hand, np.nan) for hand in hands])
        N = np.array([step.N.get(hand, 0) for hand in hands])
        spread = np.array([exact.spread[hand][stop_late(hand)] for hand in hands])
        values = np.array([exact.V[hand] for hand in hands])
        return Seen(step.episode, V, N, values, spread, self.errors[: stop + 1], self.promised[: stop + 1])

    def draw(self, seen):
        """Place the estimates, their bars and the errors so far."""
        self.line.set_data(SUMS, seen.exact)
        self.dots.set_data(SUMS, seen.V)
        half = 2 * seen.spread / np.sqrt(np.maximum(seen.N, 1))
        low, high = np.clip([seen.V - half, seen.V + half], -1.3, 1.3)
        self.bars.set_segments([[(x, a), (x, b)] for x, a, b in zip(SUMS, low, high) if np.isfinite(a)])
        self.line_down.set_data(STOPS[: len(seen.errors)], seen.promised)
        self.met.set_data(STOPS[: len(seen.errors)], seen.errors)

    def describe(self, seen):
        """Say how many episodes, visits and how large the error is."""
        met = np.isfinite(seen.V)
        least, most = (int(f(seen.N)) for f in (np.min, np.max))
        words = f"After **{seen.episodes:,}** episodes these ten hands were seen **{least} to {most}** times"
        if met.any():
            worst = np.nanmax(np.abs(seen.V - seen.exact))
            words += f"; their largest error is **{worst:.2f}**"
        return (
            words
            + f". Over all hands seen the error is **{seen.errors[-1]:.3f}**; σ/√N promises {seen.promised[-1]:.3f}."
        )


def _table_errors(run, exact):
    """Return the error at each stop over the hands seen, and what the exact spread promises."""
    errors, promised = [], []
    for step in run.history[1:]:
        hands = [hand for hand in step.V if hand[0] > 11]
        errors.append(np.sqrt(np.mean([(step.V[h] - exact.V[h]) ** 2 for h in hands])))
        promised.append(np.sqrt(np.mean([exact.spread[h][stop_late(h)] ** 2 / step.N[h] for h in hands])))
    return np.array(errors), np.array(promised)


episodes_and_error = explorer(EpisodesAndError)


# --- First and every visit -----------------------------------------------------------------------------------------

NS = (1, 2, 3, 5, 8, 12, 20, 35, 60, 100)


class Visits(NamedTuple):
    """Both estimates of the loop's value: exact errors, and 400 simulated runs."""

    n: int
    value: float
    law: LoopLaw
    curves: np.ndarray  # (2, m) root mean square errors up to n episodes: first, every
    first: np.ndarray  # (400,) estimates after n episodes
    every: np.ndarray


class LoopVisits(Scene):
    """Change how long a loop holds an episode and how many episodes there are: first against every visit."""

    caption = (
        "Figure 28.3: a state that leads back to itself and pays 1 a step. Left, 400 runs of both estimates and "
        "the true value (line; what lies beyond 3 stands at the edge); right, their exact errors up to n episodes. "
        "Look which one is nearer, and for how long."
    )

    def __init__(self):
        self.figure, (runs, errors) = plots.canvas(2, widths=(1.2, 1))
        runs.set(xlim=(0, 3), ylim=(-0.6, 1.6), xlabel="estimate, as a multiple of the true value", title="400 runs")
        runs.set_yticks([1, 0], ["first\nvisit", "every\nvisit"])
        runs.axvline(1, color=plots.INK)
        (self.first,) = runs.plot([], [], "o", ms=4, color=plots.BLUE, ls="none", alpha=0.5)
        (self.every,) = runs.plot([], [], "s", ms=4, color=plots.ORANGE, ls="none", alpha=0.5)
        self.means = (
            runs.plot([], [], "|", ms=34, mew=3.5, color=plots.BLUE)[0],
            runs.plot([], [], "|", ms=34, mew=3.5, color=plots.ORANGE)[0],
        )
        errors.set(xlim=(0.85, 120), ylim=(0.02, 2), xscale="log", yscale="log", xlabel="episodes")
        errors.set_title("Error over true value (rms)")
        plots.ticks(errors.xaxis, [1, 3, 10, 30, 100])
        plots.ticks(errors.yaxis, [0.03, 0.1, 0.3, 1])
        (self.one,) = errors.plot([], [], "-o", ms=6, color=plots.BLUE, label="first visit")
        (self.two,) = errors.plot([], [], "--s", ms=6, color=plots.ORANGE, label="every visit")
        self.now = errors.axvline(1, color=plots.GREY, ls=":")
        errors.legend(loc="lower left")
        self.moving = [self.first, self.every, *self.means, self.one, self.two, self.now]
        self.controls = {
            "stay": slider("chance to stay p", 0.9, 0.1, 0.95, 0.05),
            "n": whole("episodes n", 3, 1, 100),
        }

    def compute(self, stay, n):
        """Return the exact errors and 400 runs."""
        value = 1 / (1 - stay)
        laws = [loop_law(stay, k) for k in NS if k <= n]
        curves = np.sqrt([[law.first_mse for law in laws], [law.every_mse for law in laws]])
        T = np.random.default_rng(28).geometric(1 - stay, (400, n))
        every = (T * (T + 1) / 2).sum(axis=1) / T.sum(axis=1)
        return Visits(n, value, loop_law(stay, n), curves, T.mean(axis=1), every)

    def draw(self, seen):
        """Scatter the runs and draw the errors."""
        lift = 0.3 * np.random.default_rng(1).uniform(-1, 1, 400)
        for dots, mark, values, y in (
            (self.first, self.means[0], seen.first, 1),
            (self.every, self.means[1], seen.every, 0),
        ):
            dots.set_data(np.minimum(values / seen.value, 2.97), y + lift)
            mark.set_data([values.mean() / seen.value], [y])
        for line, curve in zip((self.one, self.two), seen.curves):
            line.set_data(NS[: seen.curves.shape[1]], curve / seen.value)
        self.now.set_xdata([seen.n, seen.n])

    def describe(self, seen):
        """Say bias and error of both."""
        law, V = seen.law, seen.value
        first, every = np.sqrt(law.first_mse), np.sqrt(law.every_mse)
        return (
            f"The state is worth **{V:.2f}**. After **{seen.n}** episode{'s' * (seen.n > 1)}: "
            f"first visit, bias 0, error **{first:.2f}**; "
            f"every visit, bias **{plain(law.every_bias, '.2f')}**, error **{every:.2f}**: "
            f"{'every visit' if every < first else 'first visit'} is nearer on average."
        )


loop_visits = explorer(LoopVisits)


# --- How close each decision is ------------------------------------------------------------------------------------


class Decisions(NamedTuple):
    """Exact margins of 100 hands, and how many of 20 runs decide them wrongly."""

    solved: BlackjackSolution
    ace: int
    episodes: int
    margins: np.ndarray  # (10, 10), sums by dealer's cards; positive: hit
    wrong: np.ndarray  # (10, 10), of 20
    share: float  # of all 200 hands and 20 runs


class DecisionMap(Scene):
    """See how close the decisions of blackjack are, and which of them a number of episodes can settle."""

    caption = (
        "Figure 28.4: left, by how much hit beats stick, exactly, in hundredths (orange: hit, blue: stick); right, in "
        "how many of 20 runs of exploring starts the wrong action looked better (blank: none; left, beyond 99). "
        "Compare the pale cells of the left with the dark ones of the right."
    )
    play, interval = "stop", 900

    def __init__(self):
        self.figure, (left, right) = plots.canvas(2, size=(9.6, 4.9))
        edges = np.arange(0.5, 11), np.arange(11.5, 22)  # a mesh is drawn faster than an image, which is enlarged first
        self.margin = left.pcolormesh(*edges, np.zeros((10, 10)), cmap=MARGINS, vmin=-40, vmax=40)
        self.wrong = right.pcolormesh(*edges, np.zeros((10, 10)), cmap=WRONG, vmin=0, vmax=20)
        for ax, title in ((left, "Hit minus stick, in 1/100"), (right, "Runs of 20 that are wrong")):
            ax.set(xlabel="dealer shows", ylabel="player's sum", title=title, aspect="auto")
            ax.set_xticks(CARDS, FACES)
            plots.ticks(ax.yaxis, SUMS)
            ax.grid(False)
        self.numbers, self.counts = Words(9.5, "center"), Words(10.5, "center")
        left.add_artist(self.numbers)
        right.add_artist(self.counts)
        self.moving = [self.margin, self.wrong, self.numbers, self.counts]
        self.controls = {
            "stop": whole("episodes, stop", 2, 0, len(COUNTS) - 1),
            "ace": buttons("ace", {"none": 0, "usable": 1}, 0),
        }

    def compute(self, stop, ace):
        """Return margins and counts."""
        solved, wrong = _solved(), wrong_decisions()[COUNTS[stop]]
        hands = [[(int(n), int(card), ace) for card in CARDS] for n in SUMS]
        margins = np.array([[solved.margin(hand) for hand in row] for row in hands])
        counts = np.array([[wrong[hand] for hand in row] for row in hands])
        return Decisions(solved, ace, COUNTS[stop], margins, counts, sum(wrong.values()) / (200 * RUNS))

    def draw(self, result):
        """Colour and number both maps."""
        hundredths = 100 * result.margins
        self.margin.set_array(hundredths)
        self.wrong.set_array(result.wrong)
        places = [(x, y) for y in SUMS for x in CARDS]
        self.numbers.items = [
            (x, y, plain(value, ".1f" if abs(value) < 0.95 else ".0f"))
            for (x, y), value in zip(places, hundredths.ravel())
            if abs(value) < 99.5
        ]
        self.counts.items = [(x, y, str(n)) for (x, y), n in zip(places, result.wrong.ravel()) if n]

    def describe(self, result):
        """Say how much is wrong, and where most."""
        y, x = np.unravel_index(result.wrong.argmax(), (10, 10))
        most = result.wrong[y, x]
        words = f"After **{result.episodes:,}** episodes **{100 * result.share:.1f} %** of all decisions are wrong "
        words += "(200 hands, 20 runs). "
        if not most:
            return words + "On this map none is."
        margin = 100 * result.margins[y, x]
        return words + (
            f"Worst on this map: **{SUMS[y]}** against **{FACES[x]}**, wrong in **{most}** of 20 runs; "
            f"there {'hit' if margin > 0 else 'stick'} is better by {abs(margin):.2f} hundredths."
        )


@cache
def _solved():
    return exact_blackjack()


decision_map = explorer(DecisionMap)


# --- The behaviour that plays --------------------------------------------------------------------------------------

NHANDS = (10, 20, 50, 100, 200, 500)
REPEATS = 60


class Judged(NamedTuple):
    """Exact spread of both estimates, and the errors of 60 simulated runs."""

    epsilon: float
    offset: float
    spread: Spread
    ordinary: np.ndarray  # (60, len(NHANDS)) estimates
    weighted: np.ndarray


class BehaviourSpread(Scene):
    """Change how much the behaviour explores and what a hand pays back: ordinary against weighted."""

    caption = (
        "Figure 28.6: the value of 13 with a usable ace against a 2 for the policy that sticks on 20 and 21, "
        "judged by hands that another policy plays. Left, 60 runs of 100 hands (beyond ±2.5 at the edge); right, their "
        "errors and the lines of (28.15). Look at the line and at the dots where ε is small."
    )

    def __init__(self):
        self.figure, (runs, fall) = plots.canvas(2, widths=(1.2, 1))
        runs.set(xlim=(-2.6, 2.6), ylim=(-0.6, 1.6), xlabel="estimate minus true value", title="60 runs of 100 hands")
        runs.set_yticks([1, 0], ["ordinary", "weighted"])
        runs.axvline(0, color=plots.INK)
        (self.one,) = runs.plot([], [], "o", ms=6, color=plots.BLUE, ls="none", alpha=0.6)
        (self.two,) = runs.plot([], [], "s", ms=6, color=plots.ORANGE, ls="none", alpha=0.6)
        fall.set(xlim=(8, 620), ylim=(0.05, 30), xscale="log", yscale="log", xlabel="hands", title="Error (rms)")
        plots.ticks(fall.xaxis, [10, 100, 500])
        plots.ticks(fall.yaxis, [0.1, 0.3, 1, 3, 10])
        (self.exact_one,) = fall.plot([], [], color=plots.BLUE, label="ordinary, exact")
        (self.exact_two,) = fall.plot([], [], "--", color=plots.ORANGE, label="weighted, for many hands")
        (self.met_one,) = fall.plot([], [], "o", ms=8, mfc="white", mec=plots.BLUE, mew=2, ls="none")
        (self.met_two,) = fall.plot([], [], "s", ms=8, mfc="white", mec=plots.ORANGE, mew=2, ls="none")
        fall.legend(loc="upper right")
        self.moving = [self.one, self.two, self.exact_one, self.exact_two, self.met_one, self.met_two]
        self.controls = {
            "epsilon": slider("behaviour's ε", 0.6, 0.0, 1.0, 0.05),
            "offset": slider("paid besides, each hand", 0.0, -2.0, 2.0, 0.5, digits=1),
        }

    def compute(self, epsilon, offset):
        """Return exact spread and simulated estimates."""
        behaviour = like_dealer(epsilon)
        spread = ratio_spread(HAND, stop_late, behaviour, offset=offset)
        hands = play_hands(HAND, REPEATS * NHANDS[-1], stop_late, behaviour, rng=28)
        G, rho = (part.reshape(REPEATS, -1) for part in (hands.returns + offset, hands.ratios))
        above, below = np.cumsum(rho * G, axis=1), np.cumsum(rho, axis=1)
        at = np.array(NHANDS) - 1
        ordinary = above[:, at] / NHANDS
        with np.errstate(invalid="ignore", divide="ignore"):
            weighted = np.where(below[:, at] > 0, above[:, at] / below[:, at], offset)  # no ratio: the pay alone
        return Judged(epsilon, offset, spread, ordinary, weighted)

    def draw(self, seen):
        """Scatter the runs, draw exact lines and errors."""
        lift, V, k = 0.3 * np.random.default_rng(1).uniform(-1, 1, REPEATS), seen.spread.value, NHANDS.index(100)
        self.one.set_data(np.clip(seen.ordinary[:, k] - V, -2.5, 2.5), 1 + lift)
        self.two.set_data(np.clip(seen.weighted[:, k] - V, -2.5, 2.5), lift)
        finite = np.isfinite(seen.spread.ordinary)
        for line, spread in ((self.exact_one, seen.spread.ordinary), (self.exact_two, seen.spread.weighted)):
            line.set_data(NHANDS, spread / np.sqrt(NHANDS)) if finite else line.set_data([], [])
        for dots, estimates in ((self.met_one, seen.ordinary), (self.met_two, seen.weighted)):
            dots.set_data(NHANDS, np.sqrt(((estimates - V) ** 2).mean(axis=0)))

    def describe(self, seen):
        """Say the exact spread, and what the ratios leave of a hundred hands."""
        spread = seen.spread
        if not np.isfinite(spread.ordinary):
            return (
                "**The policy is not covered**: this behaviour never hits on 17, 18 or 19, where the policy does. "
                f"No number of hands leads to the true value, {plain(spread.value, '.3f')}."
            )
        k = NHANDS.index(100)
        nearer = int((abs(seen.weighted[:, k] - spread.value) < abs(seen.ordinary[:, k] - spread.value)).sum())
        return (
            f"True value {plain(spread.value, '.3f')}. Standard error with 100 hands: ordinary "
            f"**{spread.ordinary / 10:.2f}** (exact), weighted **{spread.weighted / 10:.2f}** (by (28.15), for many). "
            f"100 hands count like **{100 / spread.ratio_square:.2g}** of the policy's own. "
            f"Weighted is nearer in {nearer} of 60 runs."
        )


behaviour_spread = explorer(BehaviourSpread)


# --- A variance without end ----------------------------------------------------------------------------------------

LONG, PATHS = 20_000, 8
COLOURS = (plots.BLUE, plots.ORANGE, plots.GREEN, plots.PURPLE)


class Jumps(NamedTuple):
    """Running means of rho G on the loop."""

    keep: float
    variance: float
    at: np.ndarray  # (m,) episodes
    means: np.ndarray  # (8, m)


class EndlessVariance(Scene):
    """Change how often the behaviour keeps to the target's action, and see whether running means settle."""

    caption = (
        "Figure 28.7: eight runs of the ordinary estimate on the loop that stays with probability 0.9; the true "
        "value is 1, and what passes 3 leaves the picture. Look where most runs end, and for jumps after a long calm."
    )

    def __init__(self):
        self.figure, ax = plots.canvas(1, size=(9.6, 4.0))
        ax.set(xlim=(1, LONG), ylim=(0, 3), xscale="log", xlabel="episodes", title="Ordinary estimate, eight runs")
        plots.ticks(ax.xaxis, [1, 10, 100, 1000, 10_000])
        self.band = ax.fill_between([1, LONG], [0, 0], [0, 0], color=plots.GREEN_TINT, zorder=0.5)
        self.paths = [ax.plot([], [], lw=1.6, ls=style, color=colour)[0] for style in ("-", "--") for colour in COLOURS]
        ax.axhline(1, color=plots.INK, lw=2.4)
        ax.annotate("exact", (1, 1), (1.01, 1), xycoords=("axes fraction", "data"), va="center", weight="bold")
        self.moving = [self.band, *self.paths]
        self.controls = {
            "keep": slider("behaviour's chance β", 0.95, 0.3, 1.0, 0.05),
            "draw": whole("another draw", 1, 1, 20),
        }

    def compute(self, keep, draw):
        """Return the running means."""
        rng = np.random.default_rng([28, draw])
        steps = rng.geometric(0.1, (PATHS, LONG))
        kept = rng.random((PATHS, LONG)) < keep**steps
        worth = np.where(kept, keep ** -steps.astype(float), 0.0)
        at = np.unique(np.geomspace(1, LONG, 300).astype(int))
        means = np.cumsum(worth, axis=1)[:, at - 1] / at
        return Jumps(keep, loop_ratio_variance(0.9, round(keep, 6)), at, means)

    def draw(self, result):
        """Draw the means, and the band of two standard errors where there is one."""
        for line, mean in zip(self.paths, result.means):
            line.set_data(result.at, np.minimum(mean, 3.2))
        half = 2 * np.sqrt(result.variance / result.at) if np.isfinite(result.variance) else np.zeros(len(result.at))
        low, high = np.clip([1 - half, 1 + half], 0, 3)
        path = np.vstack([np.column_stack([result.at, low]), np.column_stack([result.at, high])[::-1]])
        self.band.get_paths()[0].vertices = path
        self.band.get_paths()[0].codes = None

    def describe(self, result):
        """Say the variance and where the runs stand."""
        last = result.means[:, -1]
        below = (last < 1).sum()
        words = f"Variance of ρG: **{'infinite' if np.isinf(result.variance) else f'{result.variance:.2f}'}**. "
        words += (
            f"After {LONG:,} episodes the eight estimates lie between **{last.min():.2f}** and **{last.max():.2f}**, "
            f"{below} of them below 1"
        )
        if np.isinf(result.variance):
            return words + ": there is no standard error to quote."
        return words + f"; two standard errors are {2 * np.sqrt(result.variance / LONG):.3f} (shaded)."


endless_variance = explorer(EndlessVariance)

"""Explorers of chapter 31: a chain, new evidence about the past, paths in a trellis, climbs, a robot in a corridor."""

from functools import lru_cache

import numpy as np
from matplotlib.collections import LineCollection

from mlteach import plots
from mlteach.explore.base import Scene, buttons, explorer, slider, whole
from mlteach.hidden_markov import HMM, MarkovChain, corridor, particle_filter, umbrella
from mlteach.hidden_markov.stored import EVERY, STARTS, STEPS, THROWS, climbs

MARKS = (("o", "-"), ("s", "--"), ("^", "-."))

# --- A Markov chain -------------------------------------------------------------------------------------------------

LATEST = 30


class ChainPlayground(Scene):
    """Turn the dials of a chain of three states and watch where its law goes."""

    caption = (
        "Figure 31.2: left, the law of the state after n steps (bars) and the stationary law (diamonds, if there is "
        "only one); right, the same law at every n, stationary values dotted. Look at whether the curves settle."
    )
    play, interval = "n", 250

    def __init__(self):
        self.figure, (left, right) = plots.canvas(2, widths=(1, 1.5))
        self.bars = left.bar(range(3), [0.3] * 3, color=plots.CLASS_COLORS[:3], alpha=0.55)
        (self.limit,) = left.plot([], [], "D", color=plots.INK, ms=9, label="stationary")
        left.set(xlim=(-0.6, 2.6), ylim=(0, 1.02), xticks=range(3), xticklabels="ABC", ylabel="probability")
        left.legend(loc="upper right")
        self.curves = [
            right.plot([], [], marker=m, ls=ls, ms=5, color=c, label=name)[0]
            for (m, ls), c, name in zip(MARKS, plots.CLASS_COLORS, "ABC")
        ]
        self.levels = right.add_collection(LineCollection([], colors=plots.CLASS_COLORS[:3], ls=":", lw=1.6))
        (self.now,) = right.plot([], [], color=plots.GREY, lw=1.4)
        right.set(xlim=(0, LATEST), ylim=(0, 1.02), xlabel="steps n")
        right.legend(loc="upper right", ncols=3)
        self.moving = [*self.bars, self.limit, self.levels, self.now, *self.curves]
        self.controls = {
            "onward": slider("onward (A→B→C→A)", 0.75, 0.0, 1.0, 0.05),
            "back": slider("back, of the rest", 0.2, 0.0, 1.0, 0.05),
            "leave": slider("chance to leave C", 0.3, 0.0, 1.0, 0.05),
            "first": buttons("start", {"A": 0, "B": 1, "C": 2}, 0),
            "n": whole("steps n", 4, 0, LATEST),
        }

    def compute(self, onward, back, leave, first, n):
        """Return the chain, its laws, what is stationary, and its periods."""
        step = np.array([1 - onward - (1 - onward) * back, onward, (1 - onward) * back])
        A = np.array([step, np.roll(step, 1), np.roll(step, 2)])
        moves = A[2, :2].sum()
        toward = A[2, :2] / moves if moves > 0 else np.array([0.5, 0.5])
        A[2] = [*(leave * toward), 1 - leave]
        A = A / A.sum(axis=1, keepdims=True)
        chain = MarkovChain(A)
        closed = chain.closed()
        pi = chain.stationary() if len(closed) == 1 else None
        return chain.after(np.eye(3)[first], LATEST), pi, closed, chain.period(closed[0][0]), n

    def draw(self, result):
        """Move bars and curves."""
        laws, pi, _, _, n = result
        for bar, p in zip(self.bars, laws[n]):
            bar.set_height(p)
        self.limit.set_data(range(3), [np.nan] * 3 if pi is None else pi)
        for s, curve in enumerate(self.curves):
            curve.set_data(range(LATEST + 1), laws[:, s])
        self.levels.set_segments([] if pi is None else [[(0, p), (LATEST, p)] for p in pi])
        self.now.set_data([n, n], [0, 1.02])

    def describe(self, result):
        """Say what is stationary, how far the law is from it, and what stops it."""
        laws, pi, closed, period, n = result
        text = f"After {n} steps: A **{laws[n, 0]:.3f}**, B **{laws[n, 1]:.3f}**, C **{laws[n, 2]:.3f}**. "
        if pi is None:
            names = " and ".join("".join("ABC"[s] for s in c) for c in closed)
            return text + f"**{len(closed)} closed classes** ({names}): where it ends hangs on where it starts."
        gap = 0.5 * np.abs(laws[n] - pi).sum()
        text += f"Stationary: {pi[0]:.3f}, {pi[1]:.3f}, {pi[2]:.3f}; distance **{gap:.3f}**."
        return text + (f" Period **{period}**: the law goes round and never settles." if period > 1 else "")


chain_playground = explorer(ChainPlayground)

# --- New evidence about the past ------------------------------------------------------------------------------------

DAYS = 24


@lru_cache(maxsize=512)
def _weather(stay, sensor, seed):
    """Return a world of rain and the umbrellas seen in it."""
    model = umbrella(stay, sensor, 1 - sensor)
    return model, *model.sample(DAYS, rng=seed)


class NewEvidence(Scene):
    """Let observations arrive one by one, and watch the past change."""

    caption = (
        "Figure 31.4: P(rain) for each day, from what was known that day (filter), a few days later (fixed lag), and "
        "today (smoother). Triangles: umbrella seen; grey: it did rain. Look at the days before today as it moves."
    )
    play, interval = "today", 400

    def __init__(self):
        self.figure, ax = plots.canvas(1, size=(9.6, 4.4))
        self.rain = ax.bar(range(1, DAYS + 1), [1.0] * DAYS, width=1.0, color=plots.PALE)
        self.rain[0].set_label("it rained")
        kinds = ((plots.ORANGE, "o", ":", "filter"), (plots.GREEN, "s", "--", "fixed lag"))
        kinds += ((plots.BLUE, "D", "-", "smoother"),)
        self.curves = [ax.plot([], [], color=c, marker=m, ls=ls, ms=6, label=name)[0] for c, m, ls, name in kinds]
        (self.seen,) = ax.plot([], [], "^", color=plots.INK, ms=8, label="umbrella")
        (self.not_seen,) = ax.plot([], [], "_", color=plots.INK, ms=10, mew=2, label="none")
        ax.set(xlim=(0.4, DAYS + 0.6), ylim=(-0.02, 1.14), xlabel="day", ylabel="P(rain)", yticks=(0, 0.5, 1))
        self.figure.legend(handles=[*self.curves, self.seen, self.not_seen, self.rain[0]], **plots.BELOW)
        self.moving = [*self.rain, *self.curves, self.seen, self.not_seen]
        self.controls = {
            "stay": slider("stickiness", 0.8, 0.5, 0.98, 0.02),
            "sensor": slider("sensor reliability", 0.8, 0.5, 0.98, 0.02),
            "lag": whole("lag", 2, 0, 8),
            "seed": whole("record no.", 3, 1, 9),
            "today": whole("today", 16, 1, DAYS),
        }

    def compute(self, stay, sensor, lag, seed, today):
        """Return the three beliefs up to today, states and observations."""
        model, x, z = _weather(round(stay, 4), round(sensor, 4), seed)
        z = z[:today]
        beliefs = [b[:, 0] for b in (model.filter(z), model.fixed_lag(z, lag), model.smooth(z))]
        before = model.smooth(z[:-1])[:, 0] if today > 1 else np.zeros(0)
        return beliefs, before, x, z, lag, today

    def draw(self, result):
        """Move curves and marks."""
        beliefs, _, x, z, _, today = result
        days = np.arange(1, today + 1)
        for bar, state, day in zip(self.rain, x, range(DAYS)):
            bar.set_height(1.0 if state == 0 and day < today else 0.0)
        for curve, belief in zip(self.curves, beliefs):
            curve.set_data(days, belief)
        self.seen.set_data(days[z == 0], np.full((z == 0).sum(), 1.08))
        self.not_seen.set_data(days[z == 1], np.full((z == 1).sum(), 1.08))

    def describe(self, result):
        """Say by how much the last observation moved the past."""
        beliefs, before, x, z, lag, today = result
        filtered, lagged, smooth = beliefs
        wrong = [int(((b > 0.5) != (x[:today] == 0)).sum()) for b in beliefs]
        seen = "an umbrella" if z[-1] == 0 else "no umbrella"
        text = f"Day {today}, {seen}: P(rain today) **{filtered[-1]:.3f}**. "
        if len(before):
            day = int(np.abs(smooth[:-1] - before).argmax())
            moved = abs(smooth[day] - before[day]) > 1e-9
            text += f"It moved day {day + 1} the most: **{before[day]:.3f}** → **{smooth[day]:.3f}**. " if moved else ""
            text += "" if moved else "It moved no earlier day. "
        return text + f"Days judged wrongly: filter {wrong[0]}, lag {lag}: {wrong[1]}, smoother {wrong[2]}."


new_evidence = explorer(NewEvidence)

# --- Paths in a trellis ---------------------------------------------------------------------------------------------

STEPS_SHOWN, TRELLIS = 7, ("up", "middle", "down")


def trellis_model(door, sensor):
    """Return a chain of three rooms in which the direct way between the outer two is a narrow door, or shut."""
    A = np.array([[0.75, 0.25 - door, door], [0.4, 0.1, 0.5], [door, 0.3 - door, 0.7]])
    other = (1 - sensor) / 2
    B = np.array([[sensor, other, other], [0.34, 0.33, 0.33], [other, other, sensor]])
    return HMM([0.5, 0.2, 0.3], A, B)


class TrellisPaths(Scene):
    """Four answers in one trellis: filter, smoother, the states one by one, the path as a whole."""

    caption = (
        "Figure 31.6: states upwards, time to the right. Discs: smoothed probability (area); rings: filtered. Thick "
        "line: Viterbi's path; dashed: the most likely states one by one, crosses where it takes a step that cannot be."
    )

    def __init__(self):
        self.figure, ax = plots.canvas(1, size=(9.6, 4.4))
        times = np.arange(STEPS_SHOWN)
        grid = np.array([(t, 2 - s) for t in times for s in range(3)])
        self.links = ax.add_collection(LineCollection([], colors=plots.LINK, zorder=1))
        self.filtered = ax.scatter(*grid.T, s=100, fc="none", ec=plots.ORANGE, lw=2, zorder=4, label="filter")
        self.smooth = ax.scatter(*grid.T, s=100, c=plots.LIGHT_BLUE, ec=plots.BLUE, zorder=3, label="smoother")
        (self.best,) = ax.plot([], [], color=plots.BLUE, lw=4, alpha=0.75, zorder=5, label="Viterbi's path")
        (self.single,) = ax.plot([], [], "--", color=plots.ORANGE, lw=2.4, zorder=6, label="states one by one")
        (self.broken,) = ax.plot([], [], "X", color=plots.INK, ms=13, zorder=7, label="impossible step")
        self.words = [ax.text(t, -0.55, "", ha="center") for t in times]
        ax.set(xlim=(-0.4, STEPS_SHOWN - 0.6), ylim=(-0.8, 2.5), yticks=(0, 1, 2), yticklabels=TRELLIS[::-1])
        ax.set(xticks=times, xticklabels=times + 1, xlabel="time; what was seen stands below")
        ax.grid(False)
        self.figure.legend(handles=[self.filtered, self.smooth, self.best, self.single, self.broken], **plots.BELOW)
        self.moving = [self.links, self.smooth, self.filtered, self.best, self.single, self.broken, *self.words]
        self.controls = {
            "door": slider("direct door up–down", 0.0, 0.0, 0.2, 0.01),
            "sensor": slider("sensor reliability", 0.6, 0.34, 0.98, 0.02),
            "seed": whole("record no.", 2, 1, 12),
            "seen": whole("observations", 7, 1, STEPS_SHOWN),
        }

    def compute(self, door, sensor, seed, seen):
        """Return the model, both beliefs and both paths with their probabilities given what was seen."""
        model = trellis_model(round(door, 4), round(sensor, 4))
        z = np.random.default_rng(seed).integers(3, size=STEPS_SHOWN)[:seen]
        whole_path, states = model.viterbi(z), model.pointwise(z)
        evidence = model.log_likelihood(z)
        share = [float(np.exp(model.log_joint(path, z) - evidence)) for path in (whole_path, states)]
        return model, z, model.filter(z), model.smooth(z), whole_path, states, share

    def draw(self, result):
        """Move discs, rings and paths."""
        model, z, filtered, smooth, best, states, _ = result
        T, A = len(z), model.transition_
        sizes = np.zeros((2, STEPS_SHOWN, 3))
        sizes[0, :T], sizes[1, :T] = filtered, smooth
        self.filtered.set_sizes(1500 * sizes[0].ravel())
        self.smooth.set_sizes(1500 * sizes[1].ravel())
        steps = [(t, i, j) for t in range(T - 1) for i in range(3) for j in range(3) if A[i, j] > 0]
        self.links.set_segments([[(t, 2 - i), (t + 1, 2 - j)] for t, i, j in steps])
        self.links.set_linewidths([0.4 + 5 * A[i, j] for _, i, j in steps])
        self.best.set_data(range(T), 2 - best)
        self.single.set_data(range(T), 2 - states + 0.06)
        cut = [t for t in range(T - 1) if A[states[t], states[t + 1]] == 0]
        self.broken.set_data([t + 0.5 for t in cut], [2 - (states[t] + states[t + 1]) / 2 for t in cut])
        for t, word in enumerate(self.words):
            word.set_text(TRELLIS[z[t]] if t < T else "")

    def describe(self, result):
        """Name both paths and what they are worth."""
        _, z, _, _, best, states, share = result
        names = [" ".join("UMD"[s] for s in path) for path in (best, states)]
        same = int((best != states).sum())
        text = (
            f"Viterbi **{names[0]}**, probability **{share[0]:.3f}** given what was seen; one by one **{names[1]}**, "
        )
        text += f"**{share[1]:.3f}**" + (", an impossible path. " if share[1] == 0 else ". ")
        return text + (f"They differ at {same} of {len(z)} times." if same else "They are the same path.")


trellis_paths = explorer(TrellisPaths)

# --- Climbs from many starts ----------------------------------------------------------------------------------------


class ManyClimbs(Scene):
    """Baum-Welch from twelve random starts on one record of a casino."""

    caption = (
        "Figure 31.7: left, the log-likelihood of twelve climbs on one record; right, the chance of a six in both "
        "states of each (star: the truth). Look at how many tops there are, then match the states."
    )
    play, interval = "step", 150

    def __init__(self):
        self.figure, (left, right) = plots.canvas(2, widths=(1.5, 1))
        self.curves = left.add_collection(LineCollection([], colors=plots.BLUE, alpha=0.7, lw=1.6))
        (self.ends,) = left.plot([], [], "o", color=plots.BLUE, ms=6)
        left.set(xlim=(0, STEPS + 4), ylim=(-24, 1), xlabel="steps", ylabel="log-likelihood less the best")
        right.plot([0, 1], [0, 1], color=plots.GREY, lw=1, ls=":")
        right.plot([1 / 6, 0.5], [0.5, 1 / 6], "*", color=plots.INK, ms=15, label="truth, and its mirror image")
        (self.dots,) = right.plot([], [], "o", mfc="none", mec=plots.ORANGE, mew=2, ms=10, label="learned")
        right.set(xlim=(-0.03, 1.03), ylim=(-0.03, 1.03), xlabel="P(six | state 0)", ylabel="P(six | state 1)")
        right.set_aspect("equal")
        self.figure.legend(**plots.BELOW)
        self.moving = [self.curves, self.ends, self.dots]
        self.controls = {
            "throws": buttons("throws", {f"{n:,}": n for n in THROWS}, 300),
            "matched": buttons("states", {"as they came": False, "matched": True}, True),
            "step": whole("steps", 16, 0, STEPS, step=EVERY),
        }

    def compute(self, throws, matched, step):
        """Return the curves up to the step and the two chances of a six."""
        runs = climbs()[throws]
        k = step // EVERY
        six = runs[:, k, 1:]
        curves = runs[:, : k + 1, 0] - runs[:, -1, 0].max()
        return curves, np.sort(six, axis=1) if matched else six, step, throws, matched

    def draw(self, result):
        """Move curves and dots."""
        curves, six, step, _, _ = result
        times = EVERY * np.arange(curves.shape[1])
        self.curves.set_segments([np.column_stack([times, curve]) for curve in curves])
        self.ends.set_data(np.full(STARTS, step), curves[:, -1])
        self.dots.set_data(six[:, 0], six[:, 1])

    def describe(self, result):
        """Say how far apart the climbs are, and on which side of the diagonal."""
        curves, six, step, throws, matched = result
        now = np.sort(curves[:, -1])[::-1]
        near = int((now > now[0] - 0.5).sum())
        over = int((six[:, 1] > six[:, 0]).sum())
        names = "Matched: state 1 is the one with more sixes." if matched else ""
        names = names or f"State 1 throws more sixes in **{over}** of 12."
        return (
            f"{throws:,} throws, after {step} steps: **{near}** of 12 climbs are within 0.5 of the best, the last is "
            f"**{now[0] - now[-1]:.1f}** below it. {names}"
        )


many_climbs = explorer(ManyClimbs)

# --- A robot in a corridor ------------------------------------------------------------------------------------------

MOVES, CELLS = 25, 18
DOORS = (2, 5, 11, 13)


@lru_cache(maxsize=256)
def _drive(stay, reliability, seed):
    """Return the corridor's model, a drive through it and the exact beliefs."""
    model = corridor(DOORS, CELLS, stay, reliability)
    x, z = model.sample(MOVES, rng=seed)
    return model, x, z, model.filter(z), model.smooth(z)


@lru_cache(maxsize=512)
def _swarm(stay, reliability, seed, n, time):
    """Return the particles' belief at one time, from the readings up to it."""
    model, _, z, _, _ = _drive(stay, reliability, seed)
    return particle_filter(model, z[:time], n, rng=seed).belief[-1]


class RobotCorridor(Scene):
    """A robot that reads doors and walls finds out where it is."""

    caption = (
        "Figure 31.8: left, the belief over the cells (darker: more likely) as time goes down, the true cell as dots; "
        "right, the belief at one time, exact (bars) and by particles (dots). Ticks with a D are doors."
    )
    play, interval = "time", 250

    def __init__(self):
        self.figure, (left, right) = plots.canvas(2, size=(9.6, 4.8))
        colours = dict(cmap="Blues", vmin=0, vmax=0.8, aspect="auto", extent=(-0.5, CELLS - 0.5, MOVES + 0.5, 0.5))
        self.map = left.imshow(np.zeros((MOVES, CELLS)), interpolation="nearest", **colours)
        (self.way,) = left.plot([], [], "o", color=plots.ORANGE, ms=4.5)
        (self.now,) = left.plot([], [], color=plots.INK, lw=1.2)
        left.set(xlim=(-0.5, CELLS - 0.5), ylim=(MOVES + 0.5, 0.5), ylabel="time", xlabel="cell")
        self.bars = right.bar(range(CELLS), [0.1] * CELLS, color=plots.LIGHT_BLUE, label="exact")
        (self.guess,) = right.plot([], [], "o", color=plots.PURPLE, ms=7, label="particles")
        (self.here,) = right.plot([], [], "v", color=plots.ORANGE, ms=12, label="the robot")
        right.set(xlim=(-0.6, CELLS - 0.4), ylim=(0, 1.08), ylabel="belief", xlabel="cell")
        self.figure.legend(**plots.BELOW)
        for ax in (left, right):
            ax.set_xticks(range(CELLS), ["D" if i in DOORS else "" for i in range(CELLS)])
            ax.grid(False)
        self.moving = [self.map, self.way, self.now, *self.bars, self.guess, self.here]
        self.controls = {
            "reliability": slider("sensor reliability", 0.9, 0.5, 1.0, 0.02),
            "stay": slider("stickiness", 0.3, 0.0, 0.9, 0.05),
            "answer": buttons("belief", {"filter": 0, "smoother": 1}, 0),
            "particles": buttons("particles", {"20": 20, "100": 100, "1,000": 1000}, 100),
            "seed": whole("drive no.", 1, 1, 9),
            "time": whole("time", 13, 1, MOVES),
        }

    def compute(self, reliability, stay, answer, particles, seed, time):
        """Return the exact belief at all times, the particles' at one, and the drive."""
        key = (round(stay, 4), round(reliability, 4), seed)
        _, x, _, filtered, smooth = _drive(*key)
        try:
            swarm = _swarm(*key, particles, time)
        except ValueError:  # a perfect sensor, and no particle in the right place
            swarm = None
        belief = smooth if answer else filtered
        return belief, swarm, x, time, answer, particles

    def draw(self, result):
        """Colour the map, move bars and dots."""
        belief, swarm, x, t, answer, _ = result
        self.map.set_data(belief)
        self.way.set_data(x[:t], np.arange(1, t + 1))
        self.now.set_data([-0.5, CELLS - 0.5], [t, t])
        for bar, p in zip(self.bars, belief[t - 1]):
            bar.set_height(p)
        hidden = swarm is None or answer  # they follow the filter
        self.guess.set_data(range(CELLS), np.full(CELLS, np.nan) if hidden else swarm)
        self.here.set_data([x[t - 1]], [1.03])

    def describe(self, result):
        """Say what is believed of the true cell, and how far the particles are off."""
        belief, swarm, x, t, answer, particles = result
        at, top = belief[t - 1, x[t - 1]], int(belief[t - 1].argmax())
        right = int((belief.argmax(axis=1) == x).sum())
        text = f"Time {t}, robot in cell {x[t - 1]}: belief there **{at:.3f}**, largest in cell **{top}**; the largest "
        text += f"is right at {right} of {MOVES} times. "
        if answer:
            return text + "Particles follow the filter alone."
        if swarm is None:
            return text + f"All {particles} particles have died: none explains an observation."
        gap = 0.5 * np.abs(belief[t - 1] - swarm).sum()
        return text + f"Distance of {particles:,} particles to the exact filter: {gap:.2f}."


robot_corridor = explorer(RobotCorridor)

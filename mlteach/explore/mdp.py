"""Explorers of chapter 27: a grid one edits, sweeps, salmon, the gambler's stakes, and time on ice."""

from functools import lru_cache

import numpy as np

from mlteach import plots
from mlteach.explore.base import Scene, buttons, choice, count, explorer, log_slider, plain, slider, whole
from mlteach.explore.grids import GridPicture
from mlteach.mdp import (
    GridWorld,
    NeverEnds,
    TabularEnv,
    finite_horizon,
    flip_points,
    gambler,
    ice,
    jumping_grid,
    optimal_actions,
    policy_iteration,
    q_from_v,
    salmon,
)

LAYOUTS = {
    "textbook": "...G\n.#.P\nS...",
    "no wall": "...G\n...P\nS...",
    "corridor": ".P.G\n....\nS#.P",
    "pit inside": "...G\n.#P.\nS...",
}
KINDS = {"free": ".", "wall": "#", "+1": "G", "−1": "P"}
LABELS = {"G": "+1", "P": "−1"}
LEAST, MOST = 0.01, 2.0
LOWEST = -11.5  # of the value of a start that is shown
SPANS = ((0.1, -0.25), (MOST, LOWEST))  # of the two panels: largest cost, lowest value


@lru_cache(maxsize=256)
def pieces_of(layout, gamma, slip):
    """Return the world without a step cost, and the pieces of -MOST <= c <= -LEAST with one best policy each."""
    world = GridWorld(layout, rewards={"G": 1.0, "P": -1.0}, slip=slip)
    mdp = world.mdp(gamma)
    bonus = np.repeat(~world.terminal[:, None], 4, axis=1).astype(float)  # walled in, it pays for every step
    return world, mdp, flip_points(mdp, bonus, -MOST, -LEAST / 1.01)


class GridRules(Scene):
    """Edit a grid, set γ, step cost and slip, and watch arrows flip at the exact points."""

    caption = (
        "Figure 27.7: left, values and every optimal arrow; beside it, the value of the start against the step cost, "
        "small costs first, with a dotted line wherever some arrow flips. Look for kinks in its straight pieces."
    )
    together = ("cost", "gamma")
    lines = 3

    def __init__(self):
        self.figure, (grid, *curves) = plots.canvas(3, widths=(1.7, 1, 1))
        world = GridWorld(LAYOUTS["textbook"], rewards={"G": 1.0, "P": -1.0})
        self.picture = GridPicture(grid, world, limit=1.0, size=13, labels=LABELS)
        grid.set_title("Values and all optimal arrows")
        self.lines_, self.dots, self.flips = [], [], []
        for ax, (most, lowest) in zip(curves, SPANS):
            ax.set(xlim=(0, most), ylim=(lowest, 1.1), xlabel="step cost")
            self.lines_ += ax.plot([], [], color=plots.BLUE, zorder=4)
            self.dots += ax.plot([], [], "o", ms=10, mfc=plots.ORANGE, mec="white", zorder=6, clip_on=False)
            self.flips.append(ax.vlines([], lowest, 1.1, color=plots.GREY, lw=1.2, ls=":", zorder=2))
        for artist in (*self.lines_, *self.dots, *self.flips):
            artist.set_in_layout(False)  # lines go on beyond the panel
        curves[0].set(ylabel="value of the start", title="Small costs")
        curves[1].set_title("All costs")
        plots.ticks(curves[0].xaxis, (0, 0.05, 0.1))
        self.moving = [*self.picture.moving, *self.lines_, *self.dots, *self.flips]
        cells = {"none": -1} | {f"row {i + 1}, column {j + 1}": 4 * i + j for i in range(3) for j in range(4)}
        self.controls = {
            "cost": log_slider("step cost", 0.04, LEAST, MOST, per_decade=20),
            "gamma": slider("discount γ", 1.0, 0.5, 1.0, 0.01),
            "slip": slider("slip", 0.2, 0.0, 0.8, 0.05),
            "layout": choice("world", list(LAYOUTS)),
            "cell": choice("edit the cell", cells, 0),  # free in every world: nothing is edited yet
            "kind": choice("so that it is", KINDS, "."),
        }

    def compute(self, cost, gamma, slip, layout, cell, kind):
        """Return the world, its values and arrows at this cost, and the pieces over all costs."""
        text = LAYOUTS[layout].replace("\n", "")
        if cell >= 0:
            text = text[:cell] + kind + text[cell + 1 :]
        if "G" not in text and "P" not in text and gamma == 1:
            return {"why": "there is no end left"}
        if set(text) <= set("#GP"):
            return {"why": "there is no free cell left"}
        try:
            world, mdp, pieces = pieces_of("\n".join(text[k : k + 4] for k in (0, 4, 8)), gamma, slip)
        except NeverEnds as error:
            return {"why": f"from state {error.state} no end can be reached"}
        piece = next((p for p in pieces if p.low <= -cost <= p.high), pieces[-1])
        starts = [s for s in range(world.n_states) if world.letter(s) == "S"]
        start = starts[0] if starts else int(np.argmin(world.terminal))
        return {"world": world, "pieces": pieces, "piece": piece, "cost": cost, "start": start}

    def draw(self, result):
        """Move values, arrows, curve and flips."""
        if "why" in result:
            self.picture.update()
            for line, dot, flips in zip(self.lines_, self.dots, self.flips):
                line.set_data([], [])
                dot.set_data([], [])
                flips.set_segments([])
            return
        piece, s = result["piece"], result["start"]
        V = piece.constant - result["cost"] * piece.slope
        self.picture.update(V, piece.optimal, agent=s, world=result["world"])
        ends = [(p, c) for p in result["pieces"] for c in (p.low, p.high)]  # between them it is straight
        for line, dot, flips, (most, lowest) in zip(self.lines_, self.dots, self.flips, SPANS):
            line.set_data([-c for _, c in ends], [p.constant[s] + c * p.slope[s] for p, c in ends])
            seen = result["cost"] <= most and (V[s] >= lowest or most == MOST)
            dot.set_data(*([[result["cost"]], [max(V[s], lowest)]] if seen else [[], []]))
            dot.set_marker("o" if V[s] >= lowest else "v")
            flips.set_segments([[(-p.low, lowest), (-p.low, 1.1)] for p in result["pieces"][1:]])

    def describe(self, result):
        """Say how many policies there are, and where the next flips lie."""
        if "why" in result:
            return f"With γ = 1 the rewards have no sum here: {result['why']}. Lower γ, or edit another cell."
        piece, s = result["piece"], result["start"]
        value = piece.constant[s] - result["cost"] * piece.slope[s]
        ties = int((piece.optimal.sum(axis=1) > 1)[~result["world"].terminal].sum())
        low = "none" if piece.high >= -LEAST else f"**{-piece.high:.4f}**"
        high = "none" if piece.low <= -MOST else f"**{-piece.low:.4f}**"
        number = len(result["pieces"])
        below = ", below the picture" if value < LOWEST else ""
        return (
            f"The start is worth **{plain(value, '.3f')}**{below}. Between the costs {LEAST} and {MOST:g} the arrows "
            f"flip at {count(number - 1, 'point')}; the next ones are {low} below and {high} above. "
            f"{count(ties, 'state')} with a tie."
        )


grid_rules = explorer(GridRules)

WORLDS = {"4 × 3 world": "four", "jumping grid": "jump", "frozen lake": "ice"}
SWEEPS, LONG = 60, 200


@lru_cache(maxsize=128)
def swept(world, gamma):
    """Return the process, its exact values, the first sweeps, where arrows are optimal, and since when they stay so."""
    mdp = {
        "four": lambda: GridWorld(LAYOUTS["textbook"], rewards={"G": 1.0, "P": -1.0}, step=-0.04, slip=0.2).mdp(gamma),
        "jump": lambda: jumping_grid(gamma),
        "ice": lambda: ice().mdp(gamma),
    }[world]()
    V, Q = [np.zeros(mdp.n_states)], []
    for _ in range(LONG):  # far beyond what is drawn: arrows that are right may be wrong again
        Q.append(q_from_v(mdp, V[-1]))
        V.append(Q[-1].max(axis=1))
    exact = policy_iteration(mdp).V
    V, Q, wrong = np.array(V), np.array(Q), ~optimal_actions(mdp, exact)
    margin = 1e-8 * np.maximum(1, np.abs(V[:-1]).max(axis=1))  # the ties of `optimal_actions`, for all sweeps at once
    greedy = Q >= Q.max(axis=2, keepdims=True) - margin[:, None, None]
    good = (~(greedy & wrong)[:, ~mdp.terminal].any(axis=(1, 2))).tolist()
    settled = LONG - good[::-1].index(False) if False in good else 0
    return mdp, exact, V[: SWEEPS + 1], good, settled


class ValueSweeps(Scene):
    """Watch values spread sweep by sweep, the error shrink by γ, and the arrows settle first."""

    caption = (
        "Figure 27.6: left, values and greedy arrows after k sweeps from zero; right, the largest error, the "
        "line that contraction promises, and, once they are, since when the arrows are optimal."
    )
    play, interval = "k", 350
    lines = 3

    def __init__(self):
        self.figure, (grid, curve) = plots.canvas(2, widths=(1.1, 1))
        grid.set_title("Values after k sweeps")
        self.pictures, labels = {}, {"four": LABELS, "jump": {"A": "A", "a": "A'", "B": "B", "b": "B'"}}
        for name in WORLDS.values():  # one above the other, of which one is shown
            place = grid if not self.pictures else self.figure.add_subplot(grid.get_subplotspec(), facecolor="none")
            form, size = ("{:.1f}", 10) if name == "jump" else ("{:.2f}", 11)
            look = {"labels": labels.get(name, {"G": "+1", "H": "hole"}), "form": form, "size": size}
            self.pictures[name] = GridPicture(place, swept(name, 0.9)[0].world, **look)
            place.spines[:].set_visible(False)
        curve.set(xlim=(0, SWEEPS), ylim=(1e-7, 1e3), yscale="log", xlabel="sweeps k", ylabel="largest error")
        (self.bound,) = curve.plot([], [], color=plots.GREY, ls="--", label="γᵏ times the first error")
        (self.stop,) = curve.plot([], [], color=plots.ORANGE, ls=":", label="bound from the last change")
        (self.error,) = curve.plot([], [], color=plots.BLUE, label="largest error")
        (self.now,) = curve.plot([], [], "o", ms=11, mfc=plots.BLUE, mec="white", zorder=6)
        self.settled = curve.axvline(0, color=plots.GREEN, lw=2, label="arrows optimal since then")
        curve.set_title("The error")
        self.figure.legend(handles=plots.entries(curve), **{**plots.BELOW, "ncols": 2})
        self.moving = [a for p in self.pictures.values() for a in p.moving]
        self.moving += [self.bound, self.stop, self.error, self.now, self.settled]
        self.controls = {
            "k": whole("sweeps k", 2, 0, SWEEPS),
            "gamma": slider("discount γ", 0.9, 0.5, 0.98, 0.02),
            "world": buttons("world", WORLDS),
        }

    def compute(self, k, gamma, world):
        """Return the sweeps, the errors and bounds, and from which sweep the greedy arrows are optimal."""
        mdp, exact, V, good, settled = swept(world, gamma)
        error = np.abs(V - exact).max(axis=1)
        change = np.abs(np.diff(V, axis=0)).max(axis=1)
        bound = change * gamma / (1 - gamma)
        return {"mdp": mdp, "V": V, "k": k, "error": error, "bound": bound, "settled": settled, "gamma": gamma,
                "world": world, "exact": exact, "good": good}  # fmt: skip

    def draw(self, result):
        """Show one world, hide the others, and move the curves."""
        k = result["k"]
        for name, picture in self.pictures.items():
            shown = name == result["world"]
            for artist in picture.moving:
                artist.set_visible(shown)
            if shown:
                limit = float(np.abs(result["exact"]).max()) or 1.0
                picture.update(result["V"][k], optimal_actions(result["mdp"], result["V"][k]), limit=limit)
        sweeps = np.arange(SWEEPS + 1)
        shown = result["error"] > 1e-9
        self.error.set_data(sweeps[shown], result["error"][shown])
        self.bound.set_data(sweeps, result["gamma"] ** sweeps * result["error"][0])
        positive = result["bound"] > 1e-9
        self.stop.set_data(sweeps[1:][positive], result["bound"][positive])
        at = max(result["error"][k], 1e-7)
        self.now.set_data([k], [at])
        self.settled.set_xdata([result["settled"]] * 2)
        self.settled.set_visible(k >= result["settled"])

    def describe(self, result):
        """Say the error, what is promised, and whether the arrows are right."""
        k, error = result["k"], result["error"]
        promised = result["gamma"] ** k * error[0]
        words = f"After **{count(k, 'sweep')}** the largest error is **{error[k]:.3g}**; contraction promises at most "
        words += f"{promised:.3g}"
        words += f", the last change at most {result['bound'][k - 1]:.3g}. " if k else ". "
        right = "all optimal" if result["good"][k] else "not all optimal"
        settled = f", and have been since sweep **{result['settled']}**" if k >= result["settled"] else ""
        return words + f"The greedy arrows are **{right}**{settled}."


value_sweeps = explorer(ValueSweeps)

YEARS = 40


class SalmonFishing(Scene):
    """Fish or leave the salmon: Bellman's values, and forty years that follow from them."""

    caption = (
        "Figure 27.4: left, what fishing and leaving are worth in each state (stars: best); right, forty "
        "years under the best policy, with a dot in each year with fishing. Find the γ at which the river is emptied."
    )
    lines = 3

    def __init__(self):
        self.figure, (bars, years) = plots.canvas(2, widths=(1, 1.15))
        self.names = ("empty", "low", "medium", "high")
        bars.set(xlim=(-0.6, 3.6), ylim=(-0.35, 1.3), xticks=range(4), xticklabels=self.names, yticks=[0, 0.5, 1])
        bars.set(ylabel="worth, relative to the best state", title="Fish or leave?")
        bars.axhline(0, color=plots.INK, lw=1)
        self.fish = bars.bar(np.arange(4) - 0.2, np.zeros(4), 0.36, color=plots.ORANGE, label="fish")
        self.leave = bars.bar(
            np.arange(4) + 0.2, np.zeros(4), 0.36, color=plots.BLUE, hatch="//", ec="white", label="leave"
        )
        (self.stars,) = bars.plot([], [], "*", ms=15, color=plots.INK, label="best")
        years.set(xlim=(-0.5, YEARS), ylim=(-0.4, 3.4), yticks=range(4), yticklabels=self.names, xlabel="year")
        years.set_title("Forty years")
        (self.path,) = years.plot([], [], color=plots.GREY, drawstyle="steps-mid")
        (self.caught,) = years.plot([], [], "o", color=plots.ORANGE, ms=9)
        self.figure.legend(handles=plots.entries(bars), **plots.BELOW)
        self.moving = [*self.fish, *self.leave, self.stars, self.path, self.caught]
        self.controls = {
            "gamma": slider("discount γ", 0.9, 0.0, 0.99, 0.01),
            "restock": whole("cost of restocking", 200, 0, 400, step=20),
            "run": whole("run", 1, 1, 20),
        }

    def compute(self, gamma, restock, run):
        """Return action values, the best actions, and one run of the best policy from the state high."""
        mdp = salmon(gamma, restock=restock)
        found = policy_iteration(mdp)
        env = TabularEnv(mdp, start=3, rng=run)
        s, _ = env.reset()
        states, fishing, money = [s], [], 0.0
        for _ in range(YEARS):
            a = int(found.policy[s])
            fishing.append(a == 0)
            s, reward, *_ = env.step(a)
            states.append(s)
            money += reward
        return {"Q": q_from_v(mdp, found.V), "V": found.V, "best": optimal_actions(mdp, found.V), "states": states,
                "fishing": fishing, "money": money}  # fmt: skip

    def draw(self, result):
        """Move bars, stars and the run."""
        scale = max(np.abs(result["V"]).max(), 1e-9)
        Q = np.where(np.isfinite(result["Q"]), result["Q"], 0.0) / scale
        for k in range(4):
            self.fish[k].set_height(max(Q[k, 0], -0.33))
            self.leave[k].set_height(max(Q[k, 1], -0.33))
        s, a = np.nonzero(result["best"])
        self.stars.set_data(s - 0.2 + 0.4 * a, np.maximum(Q[s, a], 0) + 0.1)
        states = np.array(result["states"])
        self.path.set_data(np.arange(YEARS + 1), states)
        years = np.flatnonzero(result["fishing"])
        self.caught.set_data(years, states[years])

    def describe(self, result):
        """Say where it pays to fish, and what forty years bring."""
        fish = [name for name, row in zip(self.names, result["best"]) if row[0]]
        V = ", ".join(f"{name} {plain(v)}" for name, v in zip(self.names, result["V"]))
        empty = sum(s == 0 for s in result["states"])
        return (
            f"Best: fish in **{', '.join(fish) or 'no state'}**. Values in thousands: {V}. In this run the river was "
            f"fished in {sum(result['fishing'])} of {YEARS} years and empty in {empty}; undiscounted income "
            f"**{plain(result['money'], '.0f')}**."
        )


salmon_fishing = explorer(SalmonFishing)


@lru_cache(maxsize=128)
def played(p, goal):
    """Return the values of the gambler's problem and all optimal stakes."""
    mdp = gambler(p, goal)
    V = policy_iteration(mdp).V
    return V, optimal_actions(mdp, V, tol=1e-12)


class GamblerStakes(Scene):
    """Every optimal stake of the gambler, for any coin and any goal."""

    caption = (
        "Figure 27.8: left, the probability to reach the goal; right, every optimal stake (a dot each). "
        "Where a column has several dots, an argmax would have shown one of them."
    )

    def __init__(self):
        self.figure, (value, stakes) = plots.canvas(2)
        value.set(xlim=(0, 100), ylim=(0, 1), xlabel="capital", ylabel="probability to win", title="Value")
        stakes.set(xlim=(0, 100), ylim=(0, 51), xlabel="capital", ylabel="stake", title="All optimal stakes")
        (self.curve,) = value.plot([], [], color=plots.BLUE)
        (self.fair,) = value.plot([], [], color=plots.GREY, ls=":", label="fair coin")
        (self.dots,) = stakes.plot([], [], ".", ms=6, color=plots.BLUE)
        (self.here,) = stakes.plot([], [], "o", ms=9, mfc="none", mec=plots.ORANGE, mew=2)
        (self.place,) = value.plot([], [], "o", ms=9, color=plots.ORANGE)
        value.legend(loc="upper left")
        self.moving = [self.curve, self.fair, self.dots, self.here, self.place]
        self.controls = {
            "p": slider("chance p", 0.4, 0.2, 0.5, 0.02),
            "goal": whole("goal", 100, 8, 100),
            "capital": whole("capital", 30, 1, 99),
        }

    def compute(self, p, goal, capital):
        """Return values, stakes and the place to look at."""
        V, best = played(round(p, 2), goal)
        return {"V": np.append(V[:-1], 1.0), "best": best, "goal": goal, "s": min(capital, goal - 1), "p": p}

    def draw(self, result):
        """Move curve and dots."""
        goal, s = result["goal"], result["s"]
        self.curve.set_data(np.arange(goal + 1), result["V"])
        self.fair.set_data([0, goal], [0, 1])
        capital, stake = np.nonzero(result["best"][1:goal])
        self.dots.set_data(capital + 1, stake)
        mine = np.flatnonzero(result["best"][s])
        self.here.set_data(np.full(len(mine), s), mine)
        self.place.set_data([s], [result["V"][s]])

    def describe(self, result):
        """List the optimal stakes of one capital."""
        s, best = result["s"], result["best"]
        mine = np.flatnonzero(best[s]).tolist()
        listed = ", ".join(map(str, mine)) if len(mine) <= 8 else f"{mine[0]} to {mine[-1]}, {len(mine)} of them"
        several = int((best[1 : result["goal"]].sum(axis=1) > 1).sum())
        return (
            f"With **{s}** of {result['goal']} the chance to win is **{result['V'][s]:.4f}**; optimal stakes: "
            f"**{listed}**. {several} of {result['goal'] - 1} capitals have more than one optimal stake."
        )


gambler_stakes = explorer(GamblerStakes)

LONGEST = 200


@lru_cache(maxsize=64)
def on_ice(slip):
    """Return the lake's process without discount, its best plan over the longest time, and its value without limit."""
    mdp = ice(slip=slip).mdp(1.0)
    return mdp, finite_horizon(mdp, LONGEST), float(policy_iteration(mdp).V[0])


@lru_cache(maxsize=256)
def stationary_on_ice(slip, gamma):
    """Return the arrows that are best with a discount, and the chances (LONGEST + 1,) they give within n steps."""
    mdp, _, _ = on_ice(slip)
    policy = policy_iteration(mdp.with_gamma(gamma)).policy
    P, r = mdp.under(policy)
    V = [np.zeros(mdp.n_states)]
    for _ in range(LONGEST):
        V.append(r + P @ V[-1])
    return policy, np.array(V)[:, 0]


class IceHorizon(Scene):
    """A time limit against a discount on the frozen lake: two ways to be in a hurry, and they are not the same."""

    caption = (
        "Figure 27.9: left, the chance to reach G and every best arrow with n steps to go, framed where the fixed "
        "policy goes another way; right, the chance from the start within n steps: best plan, and one policy for γ."
    )
    play, interval = "n", 150
    lines = 3

    def __init__(self):
        self.figure, (lake, curve) = plots.canvas(2, widths=(1, 1.2))
        self.picture = GridPicture(lake, ice(), limit=1.0, size=11, labels={"G": "G", "H": "hole"})
        lake.set_title("Best arrows with n steps to go")
        curve.set(
            xlim=(0, LONGEST), ylim=(0, 1), xlabel="steps to go n", ylabel="chance to reach G", title="From the start"
        )
        (self.plan,) = curve.plot([], [], color=plots.BLUE, label="best plan for n steps")
        (self.fixed,) = curve.plot([], [], color=plots.ORANGE, ls="--", label="fixed policy, best for γ")
        self.limit = curve.axhline(0, color=plots.GREY, ls=":", label="no limit at all")
        (self.now,) = curve.plot([], [], "o", ms=11, mfc=plots.BLUE, mec="white", zorder=6)
        self.figure.legend(handles=plots.entries(curve), **plots.BELOW)
        self.moving = [*self.picture.moving, self.plan, self.fixed, self.limit, self.now]
        self.controls = {
            "n": whole("steps to go n", 100, 1, LONGEST),
            "gamma": slider("discount γ", 0.9, 0.5, 1.0, 0.01),
            "slip": choice("slip", {"two thirds": 2 / 3, "one third": 1 / 3, "one tenth": 0.1, "none": 0.0}),
        }

    def compute(self, n, gamma, slip):
        """Return the plan's values and arrows with n steps to go, and the chances of the fixed policy."""
        mdp, plan, endless = on_ice(slip)
        policy, chances = stationary_on_ice(slip, gamma)
        best = plan.optimal[LONGEST - n]
        useful = best & (plan.V[LONGEST - n] > 1e-12)[:, None]
        differs = np.flatnonzero(~best[np.arange(16), policy] & ~mdp.terminal).tolist()
        return {"V": plan.V[LONGEST - n], "best": useful, "plan": plan.V[::-1, 0], "fixed": chances, "n": n,
                "endless": endless, "differs": differs, "gamma": gamma}  # fmt: skip

    def draw(self, result):
        """Move numbers, arrows and curves."""
        self.picture.update(result["V"], result["best"], mark=result["differs"])
        n = np.arange(LONGEST + 1)
        self.plan.set_data(n, result["plan"])
        self.fixed.set_data(n, result["fixed"])
        self.limit.set_ydata([result["endless"]] * 2)
        self.now.set_data([result["n"]], [result["plan"][result["n"]]])

    def describe(self, result):
        """Compare the plan with the fixed policy."""
        n = result["n"]
        return (
            f"With **{count(n, 'step')}** to go the best plan reaches G with probability **{result['plan'][n]:.4f}**, "
            f"the policy that is best for γ = {result['gamma']:.2f} with **{result['fixed'][n]:.4f}**; without a limit "
            f"{result['endless']:.4f} is possible. The two differ in {count(len(result['differs']), 'state')} now."
        )


ice_horizon = explorer(IceHorizon)

"""Explorers of chapter 26: a race of two rules, one run arm by arm, a game of two arms, an arm that drifts."""

from functools import cache, lru_cache

import numpy as np

from mlteach import plots
from mlteach.bandits import (
    UCB,
    BayesOptimal,
    BernoulliBandit,
    DriftingBandit,
    EpsilonGreedy,
    GaussianBandit,
    Thompson,
    exact_on_table,
    mean_curve,
    run_bandit,
    tracking_error,
    upper_bounds,
)
from mlteach.explore.base import Scene, buttons, count, explorer, log_slider, plain, slider, whole

# --- A race --------------------------------------------------------------------------------------------------------

BANDITS, PULLS = 100, 250


@lru_cache(maxsize=400)
def _raced(rule, knob, arms, walk):
    """Return the curves of regret and of the best arm's share for one rule."""
    start = GaussianBandit(arms, 26, n=BANDITS).means
    agent = EpsilonGreedy(knob) if rule == "epsilon" else UCB(knob)
    run = run_bandit(DriftingBandit(start, walk=walk), agent, PULLS, 7)
    return mean_curve(run.regret), run.optimal.mean(axis=0)


class RegretRace(Scene):
    """Set ε, c, the number of arms and their drift, and compare the regret of two rules on the same bandits."""

    caption = (
        "Figure 26.5: left, the mean regret of both rules on the same 100 bandits, with 95 % bands; right, how"
        " often each pulls the best arm, and the ceiling that ε-greedy cannot pass (dotted). Look at where a curve"
        " bends, and whether it goes on rising."
    )
    lines = 2

    def __init__(self):
        self.figure, (regret, share) = plots.canvas(2, size=(9.6, 4.1), widths=(1.15, 1))
        self.t = np.arange(1, PULLS + 1)
        names = (("ε-greedy", plots.BLUE, plots.BLUE_TINT, "-"), ("UCB", plots.ORANGE, plots.ORANGE_TINT, "--"))
        self.bands, self.curves, self.shares = [], [], []
        for name, colour, tint, dash in names:
            (band,) = regret.fill([0, 1, 1], [0, 0, 1], color=tint, zorder=1)
            (curve,) = regret.plot([], [], dash, color=colour, zorder=3, label=name)
            (line,) = share.plot([], [], dash, color=colour, lw=1.6, zorder=2)
            self.bands.append(band), self.curves.append(curve), self.shares.append(line)
        self.ceiling = share.axhline(0.91, color=plots.INK, ls=":", lw=1.8, zorder=3, label="ceiling 1 − ε + ε/k")
        regret.set(xlim=(0, PULLS), ylim=(0, 350), xlabel="pull t", title="Regret")
        share.set(xlim=(0, PULLS), ylim=(0, 1.03), xlabel="pull t", title="Share of the best arm")
        self.figure.legend(handles=plots.entries(regret, share), **plots.BELOW)
        self.moving = [*self.bands, *self.curves, *self.shares, self.ceiling]
        self.controls = {
            "epsilon": slider("exploration ε", 0.1, 0.0, 0.5, 0.05),
            "c": slider("width c", 2.0, 0.0, 4.0, 0.25),
            "arms": whole("arms k", 10, 2, 10),
            "walk": slider("drift ω a pull", 0.0, 0.0, 0.1, 0.02),
        }

    def compute(self, epsilon, c, arms, walk):
        """Return both races."""
        epsilon, c, walk = round(float(epsilon), 4), round(float(c), 4), round(float(walk), 4)
        two = [_raced("epsilon", epsilon, arms, walk), _raced("ucb", c, arms, walk)]
        return two, 1 - epsilon + epsilon / arms, epsilon, c

    def draw(self, result):
        """Move curves and bands."""
        two, ceiling, *_ = result
        for (regret, share), band, curve, line in zip(two, self.bands, self.curves, self.shares):
            outline = np.concatenate([regret.low, regret.high[::-1]])
            band.set_xy(np.column_stack([np.concatenate([self.t, self.t[::-1]]), outline]))
            curve.set_data(self.t, regret.mean)
            line.set_data(self.t, share)
        self.ceiling.set_ydata([ceiling] * 2)

    def describe(self, result):
        """Say regret, and how often the best arm was pulled at the end."""
        two, ceiling, epsilon, c = result
        parts = []
        for name, (regret, share) in zip((f"ε = {epsilon:g}", f"c = {c:g}"), two):
            half = regret.high[-1] - regret.mean[-1]
            parts.append(
                f"{name}: regret **{regret.mean[-1]:.0f} ± {half:.0f}** after {PULLS} pulls, best arm in "
                f"**{100 * share[-100:].mean():.0f} %** of the last 100"
            )
        return f"{parts[0]} (ceiling {100 * ceiling:.0f} %). {parts[1]}."


regret_race = explorer(RegretRace)

# --- One run, arm by arm -------------------------------------------------------------------------------------------

STEPS = 80
RULES = {
    "greedy": EpsilonGreedy(0),
    "ε = 0.1": EpsilonGreedy(0.1),
    "UCB": UCB(1.0),
    "Thompson": Thompson(),
}


@cache
def _watched(rule, world):
    bandit = GaussianBandit(5, 100 + world)
    return bandit, run_bandit(bandit, RULES[rule], STEPS, world, history=True)


class ArmByArm(Scene):
    """Watch one run pull by pull: what the agent believes of each arm, how sure it is, and what it takes next."""

    caption = (
        "Figure 26.3: left, five arms with their true means (bars), the estimates (dots; hollow: never pulled)"
        " and what speaks for an arm above its estimate (whiskers: UCB's bound with c = 1, or one standard deviation "
        "above Thompson's posterior mean); the ring is the arm to be pulled next; right, the regret so far. Play, and "
        "look for an arm that nobody asks again."
    )
    lines = 2
    play, interval = "step", 350

    def __init__(self):
        self.figure, (arms, regret) = plots.canvas(2, size=(9.6, 4.2), widths=(1.5, 1))
        self.bars = arms.bar(range(1, 6), [1] * 5, width=0.62, color=plots.PALE, edgecolor=plots.GREY, zorder=1)
        self.whiskers = [arms.plot([], [], color=plots.ORANGE, lw=3, zorder=2)[0] for _ in range(5)]
        (self.dots,) = arms.plot([], [], "o", ms=10, color=plots.BLUE, zorder=4, label="estimate")
        (self.new,) = arms.plot([], [], "o", ms=10, mfc="white", color=plots.BLUE, zorder=4)
        (self.ring,) = arms.plot([], [], "o", ms=19, mfc="none", mec=plots.INK, mew=2.4, zorder=5, label="next pull")
        self.counts = [arms.text(a, -4.0, "", ha="center", va="center", fontsize=12, zorder=3) for a in range(1, 6)]
        arms.axhline(0, color=plots.INK, lw=0.8, zorder=1.5)
        arms.set(xlim=(0.4, 5.6), ylim=(-4.4, 4.4), xlabel="arm (under it: how often pulled)", title="Reward")
        arms.set_xticks(range(1, 6))
        (self.curve,) = regret.plot([], [], color=plots.INK, zorder=2)
        (self.here,) = regret.plot([0], [0], "o", ms=9, color=plots.ORANGE, zorder=3)
        regret.set(xlim=(0, STEPS), ylim=(0, 130), xlabel="pull t", title="Regret of this run")
        self.figure.legend(handles=plots.entries(arms), **plots.BELOW)
        self.moving = [*self.bars, *self.whiskers, self.dots, self.new, self.ring, *self.counts, self.curve, self.here]
        self.controls = {
            "step": whole("pulls made", 30, 0, STEPS - 1),
            "rule": buttons("rule", {name: name for name in RULES}, "UCB"),
            "world": whole("world", 1, 1, 8),
        }

    def compute(self, step, rule, world):
        """Return what was known before the next pull."""
        bandit, run = _watched(rule, world)
        Q, N = run.history[step]
        top = None
        if rule == "UCB":
            top = upper_bounds(Q, N, step, 1.0)
        if rule == "Thompson":
            mean, variance = run.agent.posterior(Q, N)
            Q, top = mean, mean + np.sqrt(variance)
        return {"q": bandit.means, "Q": Q, "N": N, "top": top, "next": int(run.choices[step]), "rule": rule,
                "regret": np.append(0, run.regret)[: step + 1], "step": step}  # fmt: skip

    def draw(self, result):
        """Move bars, dots, whiskers, ring and curve."""
        arms = np.arange(1, 6)
        old = result["N"] > 0
        for bar, q in zip(self.bars, result["q"]):
            bar.set_height(q)
        for a, line in enumerate(self.whiskers):
            top = None if result["top"] is None else min(result["top"][a], 9)
            line.set_data(([], []) if top is None else ([a + 1] * 2, [result["Q"][a], top]))
        self.dots.set_data(arms[old], result["Q"][old])
        self.new.set_data(arms[~old], result["Q"][~old])
        self.ring.set_data([result["next"] + 1], [result["Q"][result["next"]]])
        for text, n in zip(self.counts, result["N"]):
            text.set_text(f"{n:.0f}")
        self.curve.set_data(np.arange(len(result["regret"])), result["regret"])
        self.here.set_data([result["step"]], result["regret"][-1:])

    def describe(self, result):
        """Say regret, the best arm and its count."""
        best, N = int(np.argmax(result["q"])), result["N"]
        estimate = f"estimate **{plain(result['Q'][best], '.2f')}**" if N[best] else "**never pulled**"
        return (
            f"After {count(result['step'], 'pull')}: regret **{result['regret'][-1]:.1f}**. The best arm is "
            f"**{best + 1}** (mean {plain(result['q'][best], '.2f')}, {estimate}), pulled "
            f"{count(int(N[best]), 'time')}. Next: arm **{result['next'] + 1}**."
        )


arm_by_arm = explorer(ArmByArm)

# --- Two arms, twenty pulls ----------------------------------------------------------------------------------------

BUDGET = 20
RIVALS = {
    "best possible": BayesOptimal(BUDGET),
    "UCB, c = 0.3": UCB(0.3),
    "Thompson": Thompson(),
    "ε = 0.1": EpsilonGreedy(0.1, initial=1.0),
}


@cache
def _game(number):
    """Return the arms' probabilities, the rewards (2, 20) they will give, and what every rival collects by t pulls."""
    rng = np.random.default_rng(260300 + number)  # over the 12 games every rule gets about what it gets over all
    p = rng.random(2)
    table = (rng.random((2, BUDGET)) < p[:, None]).astype(float)
    won = {name: np.append(0, exact_on_table(agent, table).rewards.cumsum()) for name, agent in RIVALS.items()}
    return p, table, won


class PlayTwoArms(Scene):
    """Play two arms yourself: every move of a slider to the right pulls that arm once."""

    caption = (
        "Figure 26.7: left, what your pulls of the two arms gave, from left to right (filled: 1, hollow: 0); "
        "right, your reward and what four rules collect on average with the same luck in as many pulls. You have "
        "20 pulls: move a slider by one, look, decide; do not go back."
    )
    lines = 3

    def __init__(self):
        self.figure, (board, bars) = plots.canvas(2, size=(9.6, 3.9), widths=(1.35, 1))
        (self.ones,) = board.plot([], [], "o", ms=11, color=plots.GREEN, zorder=3, label="paid 1")
        (self.zeros,) = board.plot([], [], "o", ms=11, mfc="white", mec=plots.GREEN, mew=2, zorder=3, label="paid 0")
        self.words = [board.text(10.5, y, "", ha="center", fontsize=13, zorder=3) for y in (1.33, 0.33)]
        board.set(xlim=(0, 21), ylim=(-0.35, 1.75), xlabel="pull of this arm", title="Your pulls")
        board.set_yticks([0, 1], ["B", "A"])
        board.set_xticks([1, 5, 10, 15, 20])
        self.names = ["you", *RIVALS]
        colours = [plots.GREEN, plots.INK, plots.ORANGE, plots.PURPLE, plots.BLUE]
        self.bars = bars.barh(range(5), [1] * 5, color=colours, height=0.62, zorder=2)
        self.values = [bars.text(0, y, "", va="center", fontsize=12, zorder=3) for y in range(5)]
        bars.set(xlim=(0, 23), ylim=(4.6, -0.6), xlabel="reward so far", title="You and the rules")
        bars.set_yticks(range(5), self.names)
        self.figure.legend(handles=plots.entries(board), **plots.BELOW)
        self.moving = [self.ones, self.zeros, *self.words, *self.bars, *self.values]
        self.controls = {
            "a": whole("pulls of A", 2, 0, BUDGET),
            "b": whole("pulls of B", 2, 0, BUDGET),
            "game": whole("game", 1, 1, 12),
        }

    def compute(self, a, b, game):
        """Return what was seen, and the rewards of all players after as many pulls."""
        p, table, won = _game(game)
        t = min(a + b, BUDGET)
        seen = [table[0, :a], table[1, :b]]
        mine = float(sum(s.sum() for s in seen)) if a + b <= BUDGET else np.nan
        return {"seen": seen, "t": t, "over": a + b - BUDGET, "p": p, "rewards": [mine, *(w[t] for w in won.values())],
                "regret": [b, a][int(p[1] > p[0])] * abs(p[0] - p[1])}  # fmt: skip

    def draw(self, result):
        """Lay out the tokens and the bars."""
        places = [(j + 1, 1 - row, r) for row, s in enumerate(result["seen"]) for j, r in enumerate(s)]
        for artist, wanted in ((self.ones, 1), (self.zeros, 0)):
            chosen = [(x, y) for x, y, r in places if r == wanted]
            artist.set_data(*(np.array(chosen).T if chosen else ([], [])))
        for text, name, s, q in zip(self.words, "AB", result["seen"], result["p"]):
            known = f", truth {q:.2f}" if result["over"] == 0 else ""
            text.set_text(f"{name}: {s.sum():.0f} of {len(s)}{known}")
        for bar, text, value in zip(self.bars, self.values, np.nan_to_num(result["rewards"])):
            bar.set_width(value)
            text.set_x(value + 0.3)
            text.set_text(f"{value:.1f}".removesuffix(".0"))

    def describe(self, result):
        """Say what is left, or how it ended."""
        mine, best = result["rewards"][0], result["rewards"][1]
        if result["over"] > 0:
            return f"That makes {BUDGET + result['over']} pulls. You have **{BUDGET}**: move back by {result['over']}."
        if result["over"] < 0:
            return (
                f"**{-result['over']}** of {BUDGET} pulls left. Your reward is **{mine:.0f}**; the best possible rule "
                f"has **{best:.1f}** on average after as many pulls with the same luck."
            )
        ahead = f"{plain(mine - best, '+.1f')} against the best possible rule, which has {best:.1f} on average"
        return (
            f"Game over. The arms pay with probability {result['p'][0]:.2f} and {result['p'][1]:.2f}. Your reward is "
            f"**{mine:.0f}** ({ahead}); your regret **{result['regret']:.2f}**. One game is luck: play several."
        )


play_two_arms = explorer(PlayTwoArms)

# --- An arm that drifts --------------------------------------------------------------------------------------------

LENGTH = 300
ALPHAS = np.linspace(0.01, 1, 199)


@lru_cache(maxsize=200)
def _drifted(walk):
    """Return the path of one drifting mean and its rewards."""
    game = DriftingBandit(2, walk=walk).open(19)
    path, rewards = [], []
    for _ in range(LENGTH):
        path.append(game.means[0])
        rewards.append(game.pull(0))
    return np.array(path), np.array(rewards, dtype=float)


def _estimates(rewards, step):
    """Return the estimates before each reward, for a step or for the mean."""
    agent = EpsilonGreedy(0, step=step).start(BernoulliBandit([0.5, 0.5]))
    out = []
    for r in rewards:
        out.append(agent.Q_[0])
        agent.update(0, r)
    return np.array(out)


class DriftTracking(Scene):
    """Follow a mean that drifts: with a constant step, and with the mean of all rewards."""

    caption = (
        "Figure 26.8: left, a mean that drifts (grey), its rewards (points) and two estimates; top right, the"
        " weight of each of the last 20 rewards; bottom right, the exact long-run error of a constant step α. Look"
        " for the step where the error is least."
    )
    lines = 2

    def __init__(self):
        self.figure, (path, weights, error) = plots.tall_and_two((9.6, 4.4), (1.45, 1))
        self.t = np.arange(1, LENGTH + 1)
        (self.points,) = path.plot([], [], ".", ms=3.5, color=plots.GREY, zorder=1, label="reward")
        (self.truth,) = path.plot([], [], color=plots.INK, lw=3, alpha=0.45, zorder=2, label="true mean")
        (self.mean,) = path.plot([], [], "--", color=plots.ORANGE, zorder=3, label="mean of all")
        (self.recent,) = path.plot([], [], color=plots.BLUE, zorder=4, label="constant step α")
        path.set(xlim=(0, LENGTH), ylim=(-8, 8), xlabel="pull", title="One arm")
        self.bars = weights.bar(np.arange(-19, 1), np.ones(20), width=0.75, color=plots.BLUE, zorder=2)
        weights.set(xlim=(-20, 1), ylim=(0, 1.02), title="Weight of recent rewards", xlabel="0 is the newest")
        (self.hill,) = error.plot([], [], color=plots.BLUE, zorder=2)
        (self.here,) = error.plot([0], [0], "o", ms=9, color=plots.ORANGE, zorder=3)
        error.set(xlim=(0, 1), ylim=(0, 3.7), xlabel="step α", title="Exact error (root mean square)")
        self.figure.legend(handles=plots.entries(path), **plots.BELOW)
        self.moving = [self.points, self.truth, self.mean, self.recent, *self.bars, self.hill, self.here]
        self.controls = {
            "alpha": slider("step α", 0.3, 0.01, 1.0, 0.01),
            "walk": log_slider("drift ω a pull", 0.1, 0.01, 0.5, per_decade=10),
        }

    def compute(self, alpha, walk):
        """Return path, estimates, weights and errors."""
        alpha, walk = round(float(alpha), 4), round(float(walk), 6)
        path, rewards = _drifted(walk)
        errors = tracking_error(ALPHAS, walk)
        return {"path": path, "rewards": rewards, "alpha": alpha, "walk": walk, "recent": _estimates(rewards, alpha),
                "mean": _estimates(rewards, None), "errors": errors, "error": float(tracking_error(alpha, walk)),
                "best": ALPHAS[errors.argmin()], "least": errors.min()}  # fmt: skip

    def draw(self, result):
        """Move paths, bars and the point."""
        self.points.set_data(self.t, result["rewards"])
        for artist, name in ((self.truth, "path"), (self.mean, "mean"), (self.recent, "recent")):
            artist.set_data(self.t, result[name])
        for bar, age in zip(self.bars, np.arange(19, -1, -1)):
            bar.set_height(result["alpha"] * (1 - result["alpha"]) ** age)
        self.hill.set_data(ALPHAS, result["errors"])
        self.here.set_data([result["alpha"]], [result["error"]])

    def describe(self, result):
        """Say the error here, the least one, and both of this path."""
        here, mean = (np.sqrt(np.mean((result[name] - result["path"]) ** 2)) for name in ("recent", "mean"))
        return (
            f"Exact error in the long run at α = {result['alpha']:g}: **{result['error']:.2f}**; least "
            f"**{result['least']:.2f}** at α = **{result['best']:.2f}**. On this path: {here:.2f}, with the mean of "
            f"all rewards {mean:.2f}."
        )


drift_tracking = explorer(DriftTracking)

"""Explorers of chapter 32: a plan with its belief's walk, sensor and costs, the bracket, and a game with the tiger."""

from functools import lru_cache

import numpy as np

from mlteach import plots
from mlteach.explore.base import Scene, buttons, choice, count, explorer, log_slider, plain, slider, switch, whole
from mlteach.pomdp import (
    alpha_history,
    belief_grid,
    belief_update,
    best_plan,
    blind_policies,
    bound_value,
    informed_bound,
    point_based,
    qmdp,
    solve_discretized,
    tiger,
    value_of,
)

LOOKS = {  # of the three actions: colour, marker
    "listen": (plots.BLUE, "o"),
    "open left": (plots.ORANGE, "s"),
    "open right": (plots.GREEN, "^"),
}
P = np.linspace(0, 1, 401)
BELIEFS = np.column_stack([P, 1 - P])
X_LABEL = "belief that the tiger is on the left"
DEEPEST = 4
GROWLS = {
    "left, left, left": "LLL",
    "left, right, left": "LRL",
    "left, right, right": "LRR",
    "right, right, left": "RRL",
    "right, left, left": "RLL",
}
SIDES = {"L": "left", "R": "right"}


@lru_cache(maxsize=1)
def stages():
    """Return the tiger, and its plans for 1 to 4 steps."""
    return tiger(), alpha_history(tiger(), DEEPEST)


class PlanAndWalk(Scene):
    """Walk down a plan with the growls that you hear, and watch the belief move over the alpha vectors."""

    caption = (
        "Figure 32.3: left, one line for each plan that is worth keeping, and their maximum; the dot is the belief. "
        "Right, the best plan: branch to the left if the growl came from the left. Play the growls and follow the dot."
    )
    play, interval = "t", 900
    together = ("t", "horizon")
    lines = 3

    def __init__(self):
        self.figure, (values, tree) = plots.canvas(2, widths=(1.05, 1))
        values.set(xlim=(0, 1), ylim=(-21, 24), xlabel=X_LABEL, ylabel="value", title="Plans with the steps left")
        self.plans = [values.plot([], [], color=c, lw=1.1, alpha=0.75, zorder=2)[0] for c, _ in LOOKS.values()]
        self.best = [values.plot([], [], color=c, lw=5, zorder=3)[0] for c, _ in LOOKS.values()]
        (self.walk,) = values.plot([], [], "o-", color=plots.GREY, ms=6, lw=1.2, zorder=4)
        (self.now,) = values.plot([], [], "o", ms=13, mfc=plots.YELLOW, mec=plots.INK, mew=1.8, zorder=6)
        tree.set(xlim=(-0.04, 1.04), ylim=(-3.45, 0.6), xticks=[], yticks=[], title="The best plan")
        tree.spines[:].set_visible(False)
        self.edges = tree.plot([], [], color=plots.LINK, lw=1.6, zorder=1)[0]
        self.taken = tree.plot([], [], color=plots.INK, lw=4, zorder=2)[0]
        self.nodes = [
            tree.plot([], [], m, ms=15, mfc=c, mec="white", ls="", label=name, zorder=4)[0]
            for name, (c, m) in LOOKS.items()
        ]
        (self.ring,) = tree.plot([], [], "o", ms=23, mfc="none", mec=plots.INK, mew=2.2, zorder=5)
        tree.text(0.12, 0.38, "left growl: left branch", fontsize=11, color=plots.SLATE)
        self.figure.legend(handles=plots.entries(tree), **plots.BELOW)
        self.moving = [*self.plans, *self.best, self.walk, self.now, self.edges, self.taken, *self.nodes, self.ring]
        self.controls = {
            "t": whole("growls heard", 1, 0, DEEPEST - 1),
            "horizon": whole("steps in all", 4, 1, DEEPEST),
            "start": slider("first belief", 0.5, 0.0, 1.0, 0.01),
            "growls": choice("growls", GROWLS),
        }

    def compute(self, t, horizon, start, growls):
        """Return the plans for the steps left, the tree, and the beliefs along the growls heard."""
        world, plans = stages()
        t = min(t, horizon - 1)
        b, beliefs, taken = np.array([start, 1 - start]), [], []
        plan = best_plan(plans[horizon - 1], b)
        tree = [(0, 0, plan, horizon)]
        self._grow(plans, tree, plan, horizon, 0, 0)
        place = 0
        for k in range(t + 1):
            beliefs.append(b)
            taken.append((k, place, plan.action))
            if k < t:
                side = SIDES[growls[k]]
                z = world.observed(side)
                b = self._updated(world, b, plan.action, side)
                plan, place = plans[horizon - k - 2][plan.after[z]], 2 * place + z
        return {"t": t, "left": horizon - t, "plans": plans[horizon - t - 1], "beliefs": np.array(beliefs),
                "taken": taken, "tree": tree, "value": float(b @ plan.vector), "action": plan.action}  # fmt: skip

    @staticmethod
    def _updated(world, b, action, side):
        try:
            return belief_update(world, b, action, side)
        except ValueError:  # impossible from a certain belief; with accuracy 0.85 it never is
            return b

    def _grow(self, plans, tree, plan, left, depth, place):
        for z, i in enumerate(plan.after):
            after = plans[left - 2][i]
            tree.append((depth + 1, 2 * place + z, after, left - 1))
            self._grow(plans, tree, after, left - 1, depth + 1, 2 * place + z)

    def draw(self, result):
        """Move lines, envelope, dot and tree."""
        lines = {name: [] for name in LOOKS}
        for plan in result["plans"]:
            lines[plan.action].append(plan.vector)
        values = {n: BELIEFS @ np.array(v).T if v else np.full((401, 1), -1e9) for n, v in lines.items()}
        top = np.max([v.max(axis=1) for v in values.values()], axis=0)
        for name, thin, thick in zip(LOOKS, self.plans, self.best):
            ends = [(x, y) for v in lines[name] for x, y in ((0, v[1]), (1, v[0]), (np.nan, np.nan))]
            thin.set_data(*(np.array(ends).T if ends else ([], [])))
            thick.set_data(P, np.where(values[name].max(axis=1) >= top - 1e-9, top, np.nan))
        p = result["beliefs"][:, 0]
        height = value_of(result["plans"], result["beliefs"])
        self.walk.set_data(p, height)
        self.now.set_data(p[-1:], height[-1:])
        self._draw_tree(result)

    def _draw_tree(self, result):
        at = {(d, k): ((k + 0.5) / 2**d, -d) for d, k, *_ in result["tree"]}
        ways = [(at[d - 1, k // 2], at[d, k], (np.nan, np.nan)) for d, k, *_ in result["tree"] if d]
        self.edges.set_data(*(np.array(ways).reshape(-1, 2).T if ways else ([], [])))
        for name, nodes in zip(LOOKS, self.nodes):
            here = [at[d, k] for d, k, plan, _ in result["tree"] if plan.action == name]
            nodes.set_data(*(np.array(here).T if here else ([], [])))
        path = np.array([at[d, k] for d, k, _ in result["taken"]])
        self.taken.set_data(*path.T)
        self.ring.set_data(path[-1:, 0], path[-1:, 1])

    def describe(self, result):
        """Say what is believed, what is best, and what it is worth."""
        p = ", ".join(f"{b:.3f}" for b in result["beliefs"][:, 0])
        return (
            f"Belief that the tiger is on the left: {p}. With **{count(result['left'], 'step')}** left, "
            f"{count(len(result['plans']), 'plan')} can be best; here **{result['action']}**, worth "
            f"**{plain(result['value'], '.3f')}**."
        )


plan_and_walk = explorer(PlanAndWalk)

POINTS, MOST_GROWLS = 401, 16


def _crossing(lead):
    """Return the belief of P at which a lead turns positive, between two points by a straight line."""
    i = int(np.argmax(lead >= 0))
    return float(P[i] if i == 0 else P[i] - (P[i] - P[i - 1]) * lead[i] / (lead[i] - lead[i - 1]))


class SensorAndCosts(Scene):
    """Change the sensor and the costs, and count the growls that the best policy waits for."""

    caption = (
        "Figure 32.5: left, value over belief, less that at ½, and what is best there; right, the belief by "
        "net growls, those from the left less those from the right, and where the right door is opened (dashed)."
    )
    lines = 3

    def __init__(self):
        self.figure, (values, steps) = plots.canvas(2, widths=(1.15, 1))
        values.set(xlim=(0, 1), ylim=(-1, 21), xlabel=X_LABEL, ylabel="value above that at ½")
        values.set_title("Value, and what is best where")
        self.best = [values.plot([], [], color=c, lw=5, label=n, zorder=3)[0] for n, (c, _) in LOOKS.items()]
        self.cuts = values.vlines([], -1, 21, color=plots.GREY, lw=1.4, ls="--", zorder=2)
        (self.middle,) = values.plot([], [], "o", ms=11, mfc=plots.YELLOW, mec=plots.INK, mew=1.6, zorder=5)
        steps.set(xlim=(-0.5, MOST_GROWLS + 0.5), ylim=(0.48, 1.02), xlabel="net growls from the left", ylabel="belief")
        steps.set_title("How many growls?")
        steps.set_xticks(range(0, MOST_GROWLS + 1, 2))
        (self.waiting,) = steps.plot([], [], "o", ms=9, color=plots.BLUE, zorder=4)
        (self.opening,) = steps.plot([], [], "^", ms=11, color=plots.GREEN, zorder=4)
        (self.limit,) = steps.plot([], [], color=plots.GREY, lw=1.4, ls="--", zorder=2)
        self.figure.legend(handles=plots.entries(values), **plots.BELOW)
        self.moving = [*self.best, self.cuts, self.middle, self.waiting, self.opening, self.limit]
        self.controls = {
            "accuracy": slider("accuracy", 0.75, 0.5, 0.99, 0.01),
            "cost": log_slider("cost of listening", 1.0, 0.1, 10.0, per_decade=10),
            "bite": whole("the tiger's bite", 100, 10, 300, step=10),
        }

    def compute(self, accuracy, cost, bite):
        """Return the values on the belief grid and the growls that are needed."""
        found = solve_discretized(tiger(accuracy, listen=-cost, bite=-float(bite)), POINTS)
        Q, middle = found.action_values(BELIEFS), found.value([0.5, 0.5])
        best = Q >= Q.max(axis=1, keepdims=True) - 1e-9
        beliefs = 1 / (1 + ((1 - accuracy) / accuracy) ** np.arange(MOST_GROWLS + 1))
        opens = np.flatnonzero(found.act(np.column_stack([beliefs, 1 - beliefs])) != 0)
        limit = _crossing(Q[:, 2] - Q[:, :2].max(axis=1)) if best[:, 2].any() else np.nan
        return {"V": Q.max(axis=1) - middle, "best": best, "beliefs": beliefs, "limit": float(limit), "middle": middle,
                "needed": int(opens[0]) if len(opens) else None, "accuracy": accuracy}  # fmt: skip

    def draw(self, result):
        """Move the pieces of the value, the thresholds and the dots."""
        for a, line in enumerate(self.best):
            line.set_data(P, np.where(result["best"][:, a], result["V"], np.nan))
        limit = result["limit"]
        at = [limit, 1 - limit] if np.isfinite(limit) else []
        self.cuts.set_segments([[(x, -1), (x, 21)] for x in at])
        self.middle.set_data([0.5], [0])
        k, needed = np.arange(MOST_GROWLS + 1), result["needed"]
        waits = k < (MOST_GROWLS + 1 if needed is None else needed)
        self.waiting.set_data(k[waits], result["beliefs"][waits])
        self.opening.set_data(k[~waits], result["beliefs"][~waits])
        self.limit.set_data([-0.5, MOST_GROWLS + 0.5], [limit, limit])

    def describe(self, result):
        """Say how many growls are needed, from which belief on, and what the game is worth."""
        needed, value = result["needed"], f"The game is worth **{plain(result['middle'], '.2f')}** at ½."
        if needed is None:
            return f"{value} With this sensor nobody opens within {MOST_GROWLS} net growls; he listens on."
        if needed == 0:
            return f"{value} He opens at once, **0** growls: the bite is too cheap to wait."
        return (
            f"{value} He opens from the belief **{result['limit']:.3f}** on, which takes "
            f"**{count(needed, 'net growl')}** at accuracy {result['accuracy']:.2f}."
        )


sensor_and_costs = explorer(SensorAndCosts)


@lru_cache(maxsize=1)
def bracket():
    """Return the tiger's exact value over P, and three quick bounds."""
    world = tiger()
    exact = value_of(point_based(world, belief_grid(2, 21), sweeps=250), BELIEFS)  # to 2e-4, ten times as fast
    return {"qmdp": bound_value(qmdp(world), BELIEFS), "informed": bound_value(informed_bound(world), BELIEFS),
            "exact": exact, "blind": bound_value(blind_policies(world).T, BELIEFS)}  # fmt: skip


class BracketBounds(Scene):
    """Bracket the tiger's value from both sides, and refine the grid."""

    caption = (
        "Figure 32.6: left, bounds above and below the exact value; right, the same near the exact value, with the "
        "points of the grid. Add points and watch the grid come down, never under the exact line."
    )
    lines = 2

    def __init__(self):
        self.figure, (wide, near) = plots.canvas(2)
        known = bracket()
        for ax in (wide, near):
            ax.plot(P, known["exact"], color=plots.INK, lw=3, label="exact", zorder=4)
        wide.plot(P, known["qmdp"], color=plots.PURPLE, ls="--", label="QMDP")
        wide.plot(P, known["informed"], color=plots.GREEN, ls="-.", label="informed")
        wide.plot(P, known["blind"], color=plots.BLUE, ls=":", label="blind")
        wide.set(xlim=(0, 1), ylim=(-40, 205), xlabel=X_LABEL, ylabel="value", title="The bracket")
        near.set(xlim=(0, 1), ylim=(17, 50), xlabel=X_LABEL, title="Grid and exact value")
        self.curves = [ax.plot([], [], color=plots.ORANGE, lw=2, label="grid", zorder=5)[0] for ax in (wide, near)]
        (self.dots,) = near.plot([], [], "o", ms=7, color=plots.ORANGE, zorder=6)
        self.spot = [ax.axvline(0.5, color=plots.GREY, lw=1.2, ls=":", zorder=1) for ax in (wide, near)]
        self.figure.legend(handles=plots.entries(wide), **plots.BELOW)
        self.moving = [*self.curves, self.dots, *self.spot]
        self.controls = {
            "points": whole("grid points", 5, 2, 81),
            "p": slider("belief", 0.5, 0.0, 1.0, 0.01),
        }

    def compute(self, points, p):
        """Return the grid's values, and all bounds at one belief."""
        found, b = solve_discretized(tiger(), points), np.array([p, 1 - p])
        here = {name: float(np.interp(p, P, curve)) for name, curve in bracket().items()}
        return {"curve": found.value(BELIEFS), "grid": found.grid[:, 0], "V": found.V, "p": p, "points": points,
                "here": here, "value": found.value(b)}  # fmt: skip

    def draw(self, result):
        """Move the grid's curve, its points and the belief."""
        for curve, spot in zip(self.curves, self.spot):
            curve.set_data(P, result["curve"])
            spot.set_xdata([result["p"]] * 2)
        self.dots.set_data(result["grid"], result["V"])

    def describe(self, result):
        """Write the bracket in order."""
        h = result["here"]
        return (
            f"At {result['p']:.2f}: blind {plain(h['blind'])} ≤ exact **{h['exact']:.2f}** ≤ grid of "
            f"{result['points']} points **{result['value']:.2f}** (too much by "
            f"{plain(max(result['value'] - h['exact'], 0), '.2f')}); "
            f"informed bound {h['informed']:.1f} ≤ QMDP {h['qmdp']:.1f}."
        )


bracket_bounds = explorer(BracketBounds)

LONGEST, GAMES = 10, 30
GAMMA, WORTH = 0.95, 19.371368  # the discount, and V(1/2) of the tiger: what the next game is worth


@lru_cache(maxsize=GAMES)
def drawn(game):
    """Return where the tiger is, and ten growls."""
    rng = np.random.default_rng([32, game])
    left = bool(rng.random() < 0.5)
    return left, np.where(rng.random(LONGEST) < 0.85, left, not left)


def paid(n, pay):
    """Return the discounted reward of n growls and a door that pays ``pay``, with the games that follow at their worth.

    The next game begins after n + 1 steps. Counted like this, nobody does better on average than `WORTH`.
    """
    return -(1 - GAMMA**n) / (1 - GAMMA) + GAMMA**n * (pay + GAMMA * WORTH)


def by_policy(game):
    """Return how often the best policy listens in a game, and what it gets: it opens at a lead of two growls."""
    left, growls = drawn(game)
    lead = np.cumsum(np.where(growls, 1, -1))
    far = np.flatnonzero(np.abs(lead) >= 2)
    n = int(far[0]) + 1 if len(far) else LONGEST
    if not len(far):  # after ten growls back at 1/2, where going on is worth as much as at the start
        return n, paid(n, (1 - GAMMA) * WORTH)
    return n, paid(n, 10 if (lead[n - 1] > 0) == left else -100)


class TigerGame(Scene):
    """Play the tiger: buy growls, then open a door; the best policy hears the same growls."""

    caption = (
        "Figure 32.9: left, the growls that you have bought (arrows) and, if you ask for it, the belief after each; "
        "right, your reward, the policy's, and what it gets on average: discounted, with 19.37 for the next game."
    )
    lines = 3

    def __init__(self):
        self.figure, (ears, bars) = plots.canvas(2, size=(9.6, 3.9), widths=(1.4, 1))
        ears.set(xlim=(0.3, LONGEST + 0.7), ylim=(-0.05, 1.05), xlabel="growl", ylabel="belief: tiger on the left")
        ears.set_title("What you have heard")
        ears.set_xticks(range(1, LONGEST + 1))
        ears.axhline(0.5, color=plots.PALE, lw=1, zorder=0)
        (self.lefts,) = ears.plot([], [], "<", ms=14, color=plots.ORANGE, label="growl from the left", zorder=4)
        (self.rights,) = ears.plot([], [], ">", ms=14, color=plots.GREEN, label="growl from the right", zorder=4)
        (self.belief,) = ears.plot([], [], "o-", color=plots.BLUE, label="belief", zorder=3)
        self.names = ["you", "the policy, same growls", "the policy, on average"]
        self.bars = bars.barh(range(3), [1] * 3, color=[plots.GREEN, plots.INK, plots.GREY], height=0.6, zorder=2)
        self.values = [bars.text(0, y - 0.42, "", va="center", fontsize=12, zorder=3) for y in range(3)]
        bars.set(xlim=(-115, 35), ylim=(2.6, -0.8), xlabel="reward, with the next game", title="You and the policy")
        bars.set_yticks([])
        self.figure.legend(handles=plots.entries(ears), **plots.BELOW)
        self.moving = [self.lefts, self.rights, self.belief, *self.bars, *self.values]
        self.controls = {
            "n": whole("growls bought", 3, 0, LONGEST),
            "door": buttons("door", {"wait": "", "open left": "left", "open right": "right"}),
            "game": whole("game", 3, 1, GAMES),
            "show": switch("show the belief", True),
        }

    def compute(self, n, door, game, show):
        """Return the growls, the beliefs, and the rewards of both players."""
        left, growls = drawn(game)
        lead = np.cumsum(np.where(growls[:n], 1, -1))
        beliefs = 1 / (1 + (0.15 / 0.85) ** lead) if n else np.array([])
        pay = 10 if (door == "right") == left else -100
        mine = paid(n, pay) if door else -(1 - GAMMA**n) / (1 - GAMMA)
        listened, theirs = by_policy(game)
        return {"growls": growls[:n], "beliefs": beliefs, "door": door, "left": left, "mine": mine, "show": show,
                "rewards": [mine, theirs if door else 0, WORTH], "listened": listened,
                "theirs": theirs}  # fmt: skip

    def draw(self, result):
        """Lay out growls, belief and bars."""
        growls, k = result["growls"], np.arange(1, len(result["growls"]) + 1)
        height = result["beliefs"] if result["show"] else np.full(len(k), 0.5)
        for artist, chosen in ((self.lefts, growls), (self.rights, ~growls)):
            artist.set_data(k[chosen], height[chosen])
        self.belief.set_data(*((k, result["beliefs"]) if result["show"] else ([], [])))
        for bar, text, name, value in zip(self.bars, self.values, self.names, result["rewards"]):
            bar.set_width(value)
            hidden = name == self.names[1] and not result["door"]
            text.set_text(f"{name}: {'after you open' if hidden else plain(value, '.1f').removesuffix('.0')}")
            text.set_x(-112)

    def describe(self, result):
        """Say what has been paid, or how it ended."""
        n = len(result["growls"])
        lefts = int(result["growls"].sum())
        heard = f"You have bought {count(n, 'growl')}: **{lefts}** from the left, **{n - lefts}** from the right."
        if not result["door"]:
            return f"{heard} Discounted, that cost {-result['mine']:.2f}. Open a door, or buy another one."
        side = "left" if result["left"] else "right"
        return (
            f"{heard} The tiger was on the **{side}**: your reward is **{plain(result['mine'], '.1f')}**. "
            f"With the same growls the policy listened {count(result['listened'], 'time')} and got "
            f"**{plain(result['theirs'], '.1f')}**; on average it gets {WORTH:.2f}, and nobody gets more."
        )


tiger_game = explorer(TigerGame)

"""Explorers of chapter 29: a walk, a table that rises, a cliff with its exact lines, traces behind an agent."""

import math
from functools import lru_cache

import numpy as np
from matplotlib.collections import LineCollection, PolyCollection

from mlteach import plots
from mlteach.explore.base import Scene, buttons, choice, explorer, log_slider, plain, slider, whole
from mlteach.explore.grids import GridPicture
from mlteach.mdp import policy_evaluation, q_from_v, value_iteration
from mlteach.temporal_difference import (
    CliffWalk,
    HopGrid,
    RandomWalk,
    WindyGrid,
    best_epsilon_soft,
    epsilon_soft,
    expected_sarsa,
    n_step_td,
    one_over_visits,
    optimal_under_exploration,
    q_learning,
    q_learning_deterministic,
    sarsa,
    sarsa_lambda,
    table_after,
)


def _written(picture):
    """Return the moving artists of a grid without its texts, which stay as they are where no numbers are shown."""
    return [artist for artist in picture.moving if not hasattr(artist, "set_text")]


# --- A walk: guesses of n steps -------------------------------------------------------------------------------------

WALKS, LONGEST = 6, 100  # walks that are averaged, and episodes of each
NAMES = "ABCDE"


@lru_cache(maxsize=256)
def _walks(n, alpha):
    """Return the values (walks, episodes + 1, 5) of n-step TD after each episode, from the same walks for all n."""
    world, values = RandomWalk(5), np.full((WALKS, LONGEST + 1, 5), 0.5)
    for k in range(WALKS):
        run = n_step_td(world, None, LONGEST, alpha, rng=k, initial=0.5, n=n, history=True)
        V = [0.5] * 7
        for step, after in zip(run.history, [*run.history[1:], None]):
            V[step.state] = step.value
            if after is None or after.episode > step.episode:
                values[k, step.episode + 1] = V[1:-1]
    return values


class WalkValues(Scene):
    """Learn the values of a random walk from n rewards and a guess."""

    caption = (
        "Figure 29.3: left, the learned values of the five states (one walk) over the exact ones (dashed line); "
        "right, the root mean square error over the states, mean of six walks. Look at where each curve ends."
    )
    play, interval = "episodes", 120

    def __init__(self):
        self.figure, (left, right) = plots.canvas(2, widths=(1, 1.25))
        self.truth = RandomWalk(5).values()[1:-1]
        left.plot(range(5), self.truth, "--", color=plots.GREY, label="exact")
        (self.values,) = left.plot([], [], "o-", color=plots.BLUE, label="learned")
        left.set(xlim=(-0.3, 4.3), ylim=(0, 1), xticks=range(5), xticklabels=NAMES, ylabel="value", title="Values")
        left.legend(loc="upper left")
        (self.other,) = right.plot([], [], color=plots.ORANGE, ls=":", label="whole episodes")
        (self.curve,) = right.plot([], [], color=plots.BLUE, label="some rewards, then a guess")
        (self.now,) = right.plot([], [], "o", ms=10, mfc="white", mec=plots.BLUE, mew=2.2)
        right.set(xlim=(0, LONGEST), ylim=(0, 0.5), xlabel="episodes", ylabel="RMS error", title="Error")
        right.legend(loc="upper right")
        self.moving = [self.values, self.other, self.curve, self.now]
        self.controls = {
            "alpha": log_slider("step size α", 0.1, 0.01, 1.0, per_decade=10, digits=2),
            "n": buttons("rewards before the guess", {"1 (TD)": 1, "2": 2, "4": 4, "all": 1000}, 1),
            "episodes": whole("episodes", 30, 0, LONGEST),
        }

    def compute(self, alpha, n, episodes):
        """Return the values after each episode, those of whole episodes, and the place in time."""
        alpha = min(alpha, 1.0)
        return _walks(n if n < 1000 else math.inf, alpha), _walks(math.inf, alpha), episodes, n

    def draw(self, result):
        """Move values and curves."""
        values, whole_ones, k, _ = result
        error, other = (np.sqrt(((v - self.truth) ** 2).mean(axis=2)).mean(axis=0) for v in (values, whole_ones))
        self.values.set_data(range(5), values[0, k])
        self.curve.set_data(range(LONGEST + 1), error)
        self.other.set_data(range(LONGEST + 1), other)
        self.now.set_data([k], [error[k]])

    def describe(self, result):
        """Say how large the errors are."""
        values, whole_ones, k, n = result
        error, other = (np.sqrt(((v - self.truth) ** 2).mean(axis=2)).mean(axis=0) for v in (values, whole_ones))
        name = "all rewards, no guess" if n == 1000 else f"{n} reward{'s' * (n > 1)}, then a guess"
        words = f"After **{k}** episodes the error is **{error[k]:.2f}** ({name}); after {LONGEST}, **{error[-1]:.2f}**"
        return words + ("." if n == 1000 else f", and with whole episodes **{other[-1]:.2f}**.")


walk_values = explorer(WalkValues)

# --- A table that only rises ----------------------------------------------------------------------------------------

STEPS = 120
SPOTS = ((0, -0.27), (0.28, 0), (0, 0.27), (-0.28, 0))  # of the four numbers of a cell, as (x, y)


@lru_cache(maxsize=32)
def _risen(hop, rule, seed):
    world = HopGrid(hop)
    if rule == "overwrite":
        return q_learning_deterministic(world, 60, 0.9, rng=seed)
    return q_learning(world, 60, one_over_visits, 0.9, 1.0, rng=seed, history=True)


@lru_cache(maxsize=4)
def _sum_of_best(hop):
    mdp = HopGrid(hop).mdp(0.9)
    best = q_from_v(mdp, value_iteration(mdp, 1e-9).V)[:5]
    return float(best[np.isfinite(best)].sum()), float(best[3, 1])


class RisingTable(Scene):
    """Watch a table of Q fill up from the goal, step by step."""

    caption = (
        "Figure 29.4: left, the learned Q of every possible move, the agent as a dot; right, the sum of all "
        "values (line) and the sum of Q* (dashed). Look at how the numbers spread backwards from the goal."
    )
    play, interval = "step", 250

    def __init__(self):
        self.figure, (left, right) = plots.canvas(2, widths=(1.35, 1))
        self.picture = GridPicture(left, HopGrid(0), limit=130, numbers=False, labels={"G": "goal"})
        left.set_title("Q, one number a move")
        cells = HopGrid(0).cells
        look = {"ha": "center", "va": "center", "fontsize": 12, "zorder": 8}
        self.numbers = [[left.text(j + x, i + y, "", **look) for x, y in SPOTS] for i, j in cells]
        for s, (i, j) in enumerate(cells[:5]):
            left.text(j - 0.46, i - 0.46, f"S{s}", ha="left", va="top", fontsize=11, color=plots.DARK_SLATE)
        (self.line,) = right.plot([], [], color=plots.BLUE, label="sum of all Q")
        (self.top,) = right.plot([], [], "--", color=plots.GREY, label="sum of Q*")
        (self.now,) = right.plot([], [], "o", ms=10, mfc="white", mec=plots.BLUE, mew=2.2)
        right.set(xlim=(0, STEPS), ylim=(0, 1150), xlabel="steps", title="All of them together")
        right.legend(loc="lower right")
        self.moving = (
            _written(self.picture) + [t for row in self.numbers for t in row] + [self.line, self.top, self.now]
        )
        self.controls = {
            "hop": buttons("Right may hop", {"never": 0.0, "half the time": 0.5}, 0.0),
            "rule": buttons("rule", {"overwrite": "overwrite", "average": "average"}, "overwrite"),
            "seed": whole("run no.", 7, 1, 9),
            "step": whole("steps", 20, 0, STEPS),
        }

    def compute(self, hop, rule, seed, step):
        """Return Q after the steps, the sums after each of them, two numbers of Q* and the agent's place."""
        run, best = _risen(hop, rule, seed), _sum_of_best(hop)
        Q, sums = table_after(run, 0), [0.0]
        for record in run.history[:STEPS]:
            sums.append(sums[-1] + record.value - Q[record.state, record.action])
            Q[record.state, record.action] = record.value
        agent = run.history[step - 1].next_state if step else run.history[0].state
        falls = int(np.sum(np.diff(sums[: step + 1]) < -1e-9))
        return table_after(run, step), np.array(sums), best, agent, step, falls

    def draw(self, result):
        """Write the numbers and move the curve."""
        Q, sums, (best, _), agent, step, _ = result
        self.picture.update(np.where(np.isfinite(Q), Q, -1).max(axis=1), agent=agent)
        for s, row in enumerate(self.numbers):
            for a, text in enumerate(row):
                text.set_text(f"{Q[s, a]:.3g}" if np.isfinite(Q[s, a]) and s < 5 else "")
        self.line.set_data(range(len(sums)), sums)
        self.top.set_data([0, STEPS], [best, best])
        self.now.set_data([step], [sums[step]])

    def describe(self, result):
        """Say how far the table is, and whether a value fell."""
        Q, sums, (best, right), _, step, falls = result
        zero, every = int((Q[:5] == 0).sum()), int(np.isfinite(Q[:5]).sum())
        return (
            f"After **{step}** steps the values sum to **{sums[step]:.0f}** of {best:.0f}; **{zero}** of {every} are "
            f"0. A value has fallen **{falls}** time{'s' * (falls != 1)}. Q(S3, Right) is **{Q[3, 1]:.1f}**, exactly "
            f"{right:.0f}."
        )


rising_table = explorer(RisingTable)

# --- The cliff with its exact lines ---------------------------------------------------------------------------------

EPISODES, RUNS, WINDOW = 150, 4, 30
LEARNERS = {"Q-learning": q_learning, "SARSA": sarsa, "Expected SARSA": expected_sarsa}
CLIFF = CliffWalk(max_steps=400)


@lru_cache(maxsize=1)
def _cliff():
    return CLIFF.mdp(1.0)


@lru_cache(maxsize=128)
def _lines(epsilon):
    """Return what an exploring agent earns on each of four ways: best soft, middle, top, edge (two ends)."""
    mdp, home = _cliff(), CLIFF.home
    soft, limits = best_epsilon_soft(mdp, epsilon), optimal_under_exploration(mdp, epsilon)
    rows = [policy_evaluation(mdp, epsilon_soft(mdp, CLIFF.path(row), epsilon))[home] for row in (1, 0)]
    return soft, [soft.V[home], *rows, limits.best[home], limits.worst[home]]


@lru_cache(maxsize=128)
def _learned(learner, epsilon, alpha):
    runs = [LEARNERS[learner](CLIFF, EPISODES, alpha, 1.0, epsilon, rng=k) for k in range(RUNS)]
    earned = np.mean([run.returns for run in runs], axis=0)
    smooth = np.convolve(earned, np.ones(WINDOW) / WINDOW, mode="valid")
    return runs[0].Q, smooth


def _greedy_path(policy):
    """Return the cells of a deterministic walk from the start, cut after 40 steps."""
    s, cells = CLIFF.home, [CLIFF.cells[CLIFF.home]]
    for _ in range(40):
        s = CLIFF.P[s][int(policy[s])][0][1]
        cells.append(CLIFF.cells[s])
        if CLIFF.letter(s) == "G":
            break
    return cells


class CliffLines(Scene):
    """Learn on the cliff's edge; the exact lines say what each way is worth to somebody who explores."""

    caption = (
        "Figure 29.5: above, what the learned table says is best (arrows, all ties; one run) and the exactly best "
        "way of an agent that explores (purple); below, reward per episode (mean of 4 runs and 30 episodes) over the "
        "exact lines. Look at which line the curve comes near."
    )

    def __init__(self):
        self.figure, (above, below) = plots.canvas(1, rows=2, size=(9.6, 5.4), height_ratios=(1, 1.25))
        self.picture = GridPicture(above, CLIFF, limit=30, numbers=False, labels={"S": "start", "G": "goal"})
        above.add_collection(
            PolyCollection([[(0.5, 2.5), (10.5, 2.5), (10.5, 3.5), (0.5, 3.5)]], fc=plots.DARK_SLATE, zorder=8)
        )
        above.text(5.5, 3, "cliff: −100 and back to the start", color="white", ha="center", va="center", zorder=9)
        self.way = above.add_collection(LineCollection([], colors=plots.PURPLE, lw=5, alpha=0.5, zorder=4.5))
        (self.curve,) = below.plot([], [], color=plots.INK, label="learner")
        kinds = ((plots.PURPLE, "-"), (plots.GREEN, "--"), (plots.SKY, "-."))
        names = ("best that explores", "middle row", "top row")
        self.levels = [below.plot([], [], color=c, ls=ls, lw=1.8, label=name)[0] for (c, ls), name in zip(kinds, names)]
        self.band = below.add_collection(PolyCollection([], fc=plots.ORANGE_TINT, ec=plots.ORANGE, label="edge"))
        below.set_yscale("symlog", linthresh=1)  # from −13 to −700, depending on ε and α
        below.set(xlim=(0, EPISODES), ylim=(-1000, -10), xlabel="episode", ylabel="reward")
        ticks = (-10, -20, -50, -100, -200, -500, -1000)
        below.set_yticks(ticks, [f"−{-y}" for y in ticks])
        below.minorticks_off()
        self.figure.legend(handles=[self.curve, *self.levels, self.band], **plots.BELOW)
        self.moving = [*_written(self.picture), self.way, self.band, *self.levels, self.curve]
        self.controls = {
            "learner": choice("learner", list(LEARNERS), "SARSA"),
            "epsilon": slider("exploration ε", 0.1, 0.0, 0.3, 0.01),
            "alpha": slider("step size α", 0.5, 0.2, 1.0, 0.1),
        }

    def compute(self, learner, epsilon, alpha):
        """Return the table, the curve, the lines and the exactly best way."""
        epsilon, alpha = round(epsilon, 4), round(alpha, 4)
        soft, lines = _lines(epsilon)
        Q, smooth = _learned(learner, epsilon, alpha)
        return Q, smooth, lines, _greedy_path(soft.policy), learner, epsilon

    def draw(self, result):
        """Move table, way, curve and lines."""
        Q, smooth, lines, way, *_ = result
        free = np.array([CLIFF.letter(s) != "C" for s in range(48)])
        best = (Q == Q.max(axis=1, keepdims=True)) & free[:, None]
        self.picture.update(np.where(free, Q.max(axis=1), 0), best)
        points = [(j, i) for i, j in way]
        self.way.set_segments([points])
        self.curve.set_data(np.arange(len(smooth)) + WINDOW / 2, smooth)
        for line, y in zip(self.levels, lines):
            line.set_data([0, EPISODES], [y, y])
        low, high = lines[4], lines[3]
        self.band.set_verts([[(0, 1.01 * low), (EPISODES, 1.01 * low), (EPISODES, 0.99 * high), (0, 0.99 * high)]])

    def describe(self, result):
        """Say what is earned and what the lines are."""
        _, smooth, lines, way, learner, epsilon = result
        best, middle, top, high, low = (plain(value) for value in lines)
        last = plain(smooth[-1], ".0f")
        row = {2: "the edge", 1: "the middle row", 0: "the top row"}[min(i for i, _ in way)]
        edge = high if lines[3] - lines[4] < 0.05 else f"{low} to {high}"
        return (
            f"{learner}, last 30 episodes: **{last}**. Exact at ε = {epsilon:.2f}: edge **{edge}**, middle "
            f"row **{middle}**, top row **{top}**; best of all **{best}**, along {row}."
        )


cliff_lines = explorer(CliffLines)

# --- Traces behind the agent ----------------------------------------------------------------------------------------

WINDY = WindyGrid()


@lru_cache(maxsize=64)
def _traced(lam, alpha, seed):
    """Return the history of the first episode with traces."""
    run = sarsa_lambda(WINDY, 1, alpha, 1.0, 0.1, rng=seed, lam=lam, max_steps=300, history=True)
    return run.history


class TracesBehind(Scene):
    """Follow an agent through its first episode: what lights up behind it learns from the next error."""

    caption = (
        "Figure 29.9: the windy grid, first episode. Left, the traces: the darker a cell, the larger its share of "
        "the error of this step. Right, what the table holds so far, darker for lower. Look behind the agent."
    )
    play, interval = "step", 120

    def __init__(self):
        self.figure, (left, right) = plots.canvas(2)
        self.traces = GridPicture(left, WINDY, limit=1.0, numbers=False, labels={"S": "start", "G": "goal"})
        self.learned = GridPicture(right, WINDY, limit=1.0, numbers=False, labels={"S": "start", "G": "goal"})
        left.set_title("Traces")
        right.set_title("Learned so far (lowest Q)")
        for ax in (left, right):
            ax.set_xticks(range(10), [f"↑{w}" if w else "" for w in WINDY.WIND])
            ax.tick_params(length=0)
        self.moving = _written(self.traces) + _written(self.learned)
        self.controls = {
            "lam": slider("memory λ", 0.8, 0.0, 1.0, 0.05),
            "alpha": slider("step size α", 0.3, 0.05, 1.0, 0.05),
            "seed": whole("walk no.", 1, 1, 9),
            "step": whole("steps", 40, 1, 150),
        }

    def compute(self, lam, alpha, seed, step):
        """Return the traces and the lowest Q of each cell after the steps, and the agent's place."""
        history = _traced(round(lam, 4), round(alpha, 4), seed)
        step = min(step, len(history))
        Q = np.zeros((70, 4))
        for record in history[:step]:
            delta = record.target - Q[record.state, record.action]
            for (s, a), share in record.traces.items():
                Q[s, a] += alpha * delta * share
        trace = np.zeros(70)
        for (s, _), share in history[step - 1].traces.items():
            trace[s] = max(trace[s], share)
        last = history[step - 1]
        return trace, Q, last.next_state, step, delta

    def draw(self, result):
        """Colour the cells."""
        trace, Q, agent, *_ = result
        self.traces.update(trace, agent=agent)
        low = Q.min(axis=1)
        self.learned.update(low, agent=agent, limit=max(1.0, -float(low.min())))

    def describe(self, result):
        """Say how many cells learn from one step."""
        trace, Q, _, step, delta = result
        lit, error = int((trace > 0.01).sum()), plain(delta, ".2f")
        return (
            f"Step **{step}**, error δ = **{error}**. It changes **{lit}** cell{'s' * (lit != 1)} by more than "
            f"1 % of α times itself; so far **{int((Q != 0).any(axis=1).sum())}** of 70 cells have learned."
        )


traces_behind = explorer(TracesBehind)

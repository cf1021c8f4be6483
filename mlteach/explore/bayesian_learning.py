"""Explorers of chapter 09: candies unwrapped, one hypothesis or all, a Beta belief, and what intervals promise."""

from functools import cache

import numpy as np
from matplotlib.patches import Polygon, Rectangle
from matplotlib.ticker import FixedLocator
from scipy.special import betainc, betaln, gammaln

from mlteach import plots
from mlteach.bayesian_learning import (
    BetaBernoulli,
    CandyBags,
    bayes_optimal,
    map_hypothesis,
    ml_hypothesis,
    vote_weights,
)
from mlteach.evaluation import error_interval, wilson_interval
from mlteach.explore.base import Scene, buttons, choice, count, explorer, slider, switch, whole

LIGHT_BLUE, LIGHT_ORANGE, LIGHT_GREEN = plots.LIGHT_BLUE, plots.LIGHT_ORANGE, plots.LIGHT_GREEN
BAG_COLOURS = (plots.ORANGE, plots.PURPLE, plots.INK, plots.BLUE, plots.GREEN)
BAG_STYLES = ((0, (1, 1)), "-.", "-", "--", (0, (6, 1)))
MOST = 40
PRIORS = {"10, 20, 40, 20, 10 %": (0.1, 0.2, 0.4, 0.2, 0.1), "all alike": (0.2,) * 5}
PRIORS["never bag 5"] = (0.1, 0.2, 0.4, 0.3, 0.0)

# --- Candies unwrapped one by one ----------------------------------------------------------------------------------


class UnwrapCandies(Scene):
    """Unwrap candies from a bag of unknown kind and watch belief and three predictions."""

    caption = (
        "Figure 9.3: candies as they come (filled: lime). Left, belief in each kind of bag after each of them; right, "
        "the chance of lime for the next candy: averaged over all bags, from the most probable bag alone (MAP), and "
        "from the bag that fits best (ML). Look where the three part."
    )
    play, interval, lines = "n", 350, 3

    def __init__(self):
        self.figure, (belief, guess) = plots.canvas(2, size=(9.6, 4.5), widths=(3, 3))
        self._draw_belief(belief)
        self._draw_guess(guess)
        self.moving = [*self.curves, *self.dots, self.now, self.limes, self.cherries]
        self.moving += [self.average, self.map, self.ml, self.at]
        self.controls = {
            "bag": choice("true bag h", {f"{k + 1}: {100 * t:g} % lime": k for k, t in enumerate(CandyBags().lime)}, 3),
            "n": whole("candies N", 10, 0, MOST),
            "draw": whole("draw (seed s)", 1, 1, 30),
            "prior": choice("prior P(h)", list(PRIORS)),
        }

    def _draw_belief(self, ax):
        ax.set(xlim=(-1, MOST + 1), ylim=(-0.04, 1.3), xlabel="candies N", title="Belief in each bag")
        ax.yaxis.set_major_locator(FixedLocator([0, 0.25, 0.5, 0.75, 1]))
        look = [{"color": c, "ls": s, "zorder": 3} for c, s in zip(BAG_COLOURS, BAG_STYLES)]
        self.curves = [ax.plot([], [], **style, label=f"h{k + 1}")[0] for k, style in enumerate(look)]
        self.dots = [ax.plot([0], [0], "o", ms=7, color=c, zorder=4, clip_on=False)[0] for c in BAG_COLOURS]
        (self.now,) = ax.plot([0, 0], [0, 1], color=plots.PALE, lw=6, zorder=1)
        row = {"marker": "o", "ls": "none", "ms": 5, "mec": plots.GREEN, "zorder": 3}
        (self.limes,) = ax.plot([], [], **row, mfc=plots.GREEN)
        (self.cherries,) = ax.plot([], [], **{**row, "mec": plots.ORANGE}, mfc="white")
        ax.legend(loc="upper center", ncols=5, fontsize=11, handlelength=2, columnspacing=1.0, borderaxespad=0)

    def _draw_guess(self, ax):
        ax.set(xlim=(-1, MOST + 1), ylim=(-0.04, 1.3), xlabel="candies N", title="Chance that the next is lime")
        ax.yaxis.set_major_locator(FixedLocator([0, 0.25, 0.5, 0.75, 1]))
        (self.ml,) = ax.plot([], [], ls="none", marker="x", ms=5, mew=1.4, color=plots.GREY, zorder=2, label="ML bag")
        (self.map,) = ax.plot([], [], color=plots.ORANGE, drawstyle="steps-post", ls="--", zorder=3, label="MAP bag")
        (self.average,) = ax.plot([], [], color=plots.BLUE, lw=2.8, zorder=4, label="all bags")
        (self.at,) = ax.plot([0], [0.5], "o", ms=8, color=plots.BLUE, zorder=5, clip_on=False)
        ax.legend(loc="upper center", ncols=3, fontsize=11, handlelength=2, columnspacing=1.2, borderaxespad=0)

    def compute(self, bag, n, draw, prior):
        """Return N, the candies, belief after each, and the three predictions after each."""
        return n, *_unwrapped(bag, draw, prior)

    def draw(self, result):
        """Let the curves grow up to N."""
        n, candies, belief, average, map_says, ml_says = result
        steps = np.arange(len(belief))
        for k in range(5):
            self.curves[k].set_data(steps[: n + 1], belief[: n + 1, k])
            self.dots[k].set_data([n], [belief[n, k]])
        self.now.set_xdata([n, n])
        seen = np.array(candies[:n]) == "lime"
        places = np.arange(1, n + 1)
        self.limes.set_data(places[seen], np.full(seen.sum(), 1.1))
        self.cherries.set_data(places[~seen], np.full((~seen).sum(), 1.1))
        self.average.set_data(steps[: n + 1], average[: n + 1])
        self.map.set_data(steps[: n + 1], map_says[: n + 1])
        self.ml.set_data(steps[1 : n + 1], ml_says[1 : n + 1])
        self.at.set_data([n], [average[n]])

    def describe(self, result):
        """Say the candies, the best bag, and the three chances."""
        n, candies, belief, average, map_says, ml_says = result
        limes = candies[:n].count("lime")
        best = int(np.argmax(belief[n] > belief[n].max() - 1e-9))
        words = (
            f"{count(n, 'candy').replace('candys', 'candies')}, **{limes}** lime: most probable is h{best + 1} with "
        )
        words += f"**{belief[n, best]:.3f}**. Next lime: all bags **{average[n]:.3f}**, MAP bag **{map_says[n]:.2f}**"
        words += f", ML bag **{ml_says[n]:.2f}**. " if n else ", ML bag: none yet, all fit no data equally. "
        share = limes / n if n else 0
        return words + (f"The share of limes so far is {share:.3f}." if n else "")


@cache
def _unwrapped(bag, draw, prior):
    """Return a whole draw: candies, belief, and the predictions by all bags, the MAP bag and the ML bag."""
    bags = CandyBags(PRIORS[prior])
    candies = bags.draw(bag, MOST, rng=draw)
    belief = bags.curves(candies)
    average = belief @ bags.lime
    best = [int(np.argmax(p > p.max() - 1e-9)) for p in belief]
    likelihood = bags.likelihood(candies)
    fits = [0, *(ml_hypothesis(likelihood[: k + 1]) for k in range(MOST))]
    return candies, belief, average, bags.lime[best], bags.lime[fits]


unwrap_candies = explorer(UnwrapCandies)

# --- One hypothesis, or all of them --------------------------------------------------------------------------------

VOTES = {"+ − −": ("+", "−", "−"), "+ + −": ("+", "+", "−"), "+ − +": ("+", "−", "+"), "+ + +": ("+", "+", "+")}
CORNERS = np.array([[0.5, np.sqrt(0.75)], [0.0, 0.0], [1.0, 0.0]])  # h1 above, h2 left, h3 right


class OneOrAll(Scene):
    """Share belief among three hypotheses that vote, and compare the best one with all of them."""

    caption = (
        "Figure 9.4: each point of the triangle is a posterior over three hypotheses, a corner is certainty. "
        "Dotted lines part the regions in which each is the most probable. Right, how often each answer is wrong; "
        "one at random is a hypothesis drawn from the posterior. Find where the most probable hypothesis and the vote "
        "of all disagree, then shade it."
    )
    lines = 3

    def __init__(self):
        self.figure, (plane, bars) = plots.canvas(2, size=(9.6, 4.4), widths=(3, 2.6))
        self._draw_plane(plane)
        self._draw_bars(bars)
        self.moving = [*self.regions, self.point, *self.errors, *self.numbers]
        self.controls = {
            "first": slider("belief P(h₁)", 0.4, 0.0, 1.0, 0.01),
            "second": slider("share s of h₂ in the rest", 0.5, 0.0, 1.0, 0.01),
            "votes": buttons("votes v", {name: name for name in VOTES}, "+ − −"),
            "shade": switch("shade where they disagree"),
        }

    def _draw_plane(self, ax):
        ax.set(xlim=(-0.14, 1.14), ylim=(-0.14, 1.04), title="All posteriors")
        ax.set(xticks=[], yticks=[])
        ax.spines[:].set_visible(False)
        ax.set_aspect("equal")
        ax.add_patch(Polygon(CORNERS, fc="white", ec=plots.INK, lw=1.6, zorder=1))
        centre = CORNERS.mean(axis=0)
        self.regions = [ax.add_patch(Polygon(CORNERS, fc=LIGHT_ORANGE, ec="none", zorder=1.5)) for _ in range(3)]
        for k in range(3):
            middle = (CORNERS[k] + CORNERS[(k + 1) % 3]) / 2
            ax.plot(*np.array([centre, middle]).T, color=plots.GREY, lw=1.2, ls=":", zorder=2)
        for k, (x, y, ha) in enumerate(((0.5, 0.93, "center"), (-0.03, -0.1, "center"), (1.03, -0.1, "center"))):
            ax.text(x, y, f"h{'₁₂₃'[k]}", ha=ha, va="center", fontsize=14, weight="bold", zorder=3)
        (self.point,) = ax.plot([0.5], [0.4], "o", ms=12, mfc="white", mec=plots.INK, mew=2.6, zorder=5)

    def _draw_bars(self, ax):
        ax.set(xlim=(0, 1.16), ylim=(2.7, -0.7), title="Chance of a wrong answer")
        ax.set_yticks(range(3), ["all vote", "most probable", "one at random"])
        ax.xaxis.set_major_locator(FixedLocator([0, 0.25, 0.5, 0.75, 1]))
        colours = (LIGHT_BLUE, LIGHT_ORANGE, plots.PALE)
        self.errors = [
            ax.add_patch(Rectangle((0, k - 0.3), 0.5, 0.6, fc=c, ec=plots.INK)) for k, c in enumerate(colours)
        ]
        self.numbers = [ax.text(0.5, k, "", va="center", fontsize=12, zorder=4) for k in range(3)]

    def compute(self, first, second, votes, shade):
        """Return the posterior, the votes, weights, both answers and the chances of error."""
        belief = np.array([first, (1 - first) * second, 0.0])
        belief[2] = max(1 - belief.sum(), 0.0)
        labels = VOTES[votes]
        weights = vote_weights(belief, labels)
        best, optimal = labels[map_hypothesis(belief)], bayes_optimal(belief, labels)
        errors = [1 - weights[optimal], 1 - weights[best], 1 - sum(w**2 for w in weights.values())]
        return belief, labels, weights, best, optimal, np.clip(errors, 0, 1), shade

    def draw(self, result):
        """Move the point, the regions of disagreement and the bars."""
        belief, labels, _, _, _, errors, shade = result
        for region, piece in zip(self.regions, _disagreement(labels)):
            region.set(xy=piece, visible=shade)
        self.point.set_data(*[[c] for c in belief @ CORNERS])
        for bar, error in zip(self.errors, errors):
            bar.set_width(error)
        for number, error in zip(self.numbers, errors):
            number.set(text=f"{error:.2f}", x=error + 0.02)

    def describe(self, result):
        """Say who wins, and by how much."""
        belief, labels, weights, best, optimal, errors, _ = result
        who = map_hypothesis(belief)
        digits = 3 if np.ptp(np.sort(belief)[1:]) < 0.01 else 2  # a close race for the first place
        shown = ", ".join(f"{p:.{digits}f}" for p in belief)
        words = f"Belief ({shown}), votes {' '.join(labels)}. Most probable is h{'₁₂₃'[who]}, which says **{best}**; "
        words += " and ".join(f"{v} has the weight **{w:.2f}**" for v, w in weights.items())
        tie = len(weights) > 1 and abs(np.ptp(list(weights.values()))) < 1e-9
        words += f", a tie, settled for **{optimal}**. " if tie else f", so all together say **{optimal}**. "
        if best != optimal:
            return (
                words
                + f"They **disagree**: the most probable one errs with {errors[1]:.2f}, the vote with {errors[0]:.2f}."
            )
        return words + f"They agree, and err with **{errors[0]:.2f}**."


one_or_all = explorer(OneOrAll)


def _disagreement(labels):
    """Return three polygons (one per h_k): where h_k is the most probable and its vote loses."""
    pieces = []
    for k in range(3):
        mine = [j for j in range(3) if labels[j] == labels[k]]
        others = [j for j in range(3) if j != k]
        if len(mine) > 1:  # its side has the weight of two, one of them the largest: it cannot lose
            pieces.append(np.tile(CORNERS[k], (3, 1)))
            continue
        # p_k >= p_j for both others, and p_k <= 1/2: a kite cut at p_k = 1/2
        centre = CORNERS.mean(axis=0)
        pieces.append(np.array([centre, *((CORNERS[k] + CORNERS[j]) / 2 for j in others)]))
    return pieces


# --- A belief about a chance ---------------------------------------------------------------------------------------

THETA = np.linspace(0, 1, 401)
LONGEST = 200


class BetaUpdating(Scene):
    """Choose virtual counts, let data come in, and compare the credible interval with two confidence intervals."""

    caption = (
        "Figure 9.7: left, belief about θ before (dashed) and after the data, and the likelihood, drawn with area one "
        "(with a = b = 1 it lies under the posterior); right, 95 % intervals from the same data. Look at small N, and "
        "at data with no success at all."
    )
    play, interval, lines = "n", 300, 3

    def __init__(self):
        self.figure, (density, ends) = plots.canvas(2, size=(9.6, 4.5), widths=(3, 2.4))
        self._draw_density(density)
        self._draw_ends(ends)
        self.moving = [self.prior, self.likelihood, self.after, self.truth, self.target, *self.bars, *self.middles]
        self.controls = {
            "a": slider("virtual successes a", 2.0, 0.5, 30.0, 0.5, digits=1),
            "b": slider("virtual failures b", 2.0, 0.5, 30.0, 0.5, digits=1),
            "theta": slider("true chance θ", 0.7, 0.0, 1.0, 0.05),
            "n": whole("data N", 10, 0, LONGEST),
            "draw": whole("draw (seed s)", 1, 1, 30),
        }

    def _draw_density(self, ax):
        ax.set(xlim=(0, 1), ylim=(0, 16), xlabel="θ", title="Belief about θ")
        (self.truth,) = ax.plot([0.7, 0.7], [0, 16], color=plots.PALE, lw=6, zorder=1)
        (self.prior,) = ax.plot([], [], "--", color=plots.GREY, zorder=2, label="prior")
        (self.likelihood,) = ax.plot([], [], ":", color=plots.ORANGE, lw=5, zorder=3, label="likelihood")
        (self.after,) = ax.plot([], [], color=plots.BLUE, lw=2.8, zorder=4, label="posterior")
        ax.legend(loc="upper center", ncols=3, fontsize=11, handlelength=2, columnspacing=1.2, borderaxespad=0)

    def _draw_ends(self, ax):
        ax.set(xlim=(-0.22, 1.22), ylim=(3.6, -0.6), xlabel="θ", title="95 % intervals")
        ax.set_yticks(range(4), ["prior", "credible", "Wilson", "plain"])
        ax.xaxis.set_major_locator(FixedLocator([0, 0.25, 0.5, 0.75, 1]))
        ax.axvspan(-0.22, 0, color=plots.PALE, zorder=0, alpha=0.6)
        ax.axvspan(1, 1.22, color=plots.PALE, zorder=0, alpha=0.6)
        (self.target,) = ax.plot([0.7, 0.7], [-0.6, 3.6], color=plots.PALE, lw=6, zorder=1)
        colours = (plots.GREY, plots.BLUE, plots.GREEN, plots.ORANGE)
        self.bars = [ax.plot([0, 1], [k, k], color=c, lw=5, zorder=3)[0] for k, c in enumerate(colours)]
        mark = {"marker": "o", "ls": "none", "ms": 9, "mfc": "white", "mew": 2.4, "zorder": 4}
        self.middles = [ax.plot([0.5], [k], mec=c, **mark)[0] for k, c in enumerate(colours)]

    def compute(self, a, b, theta, n, draw):
        """Return prior and posterior, the data's counts, and four intervals with their middles (None: no data)."""
        data = np.random.default_rng(draw).random(LONGEST)[:n] < theta
        prior = BetaBernoulli(a, b)
        after = prior.update(data)
        s = int(data.sum())
        rows = [(prior.interval(), prior.mean()), (after.interval(), after.mean())]
        rows += [(f(s / n, n), s / n) if n else None for f in (wilson_interval, error_interval)]
        return prior, after, s, n, theta, rows

    def draw(self, result):
        """Draw the three curves and the intervals."""
        prior, after, s, n, theta, rows = result
        for line, law in ((self.prior, prior), (self.likelihood, BetaBernoulli(1 + s, 1 + n - s)), (self.after, after)):
            line.set_data(THETA, np.minimum(law.pdf(THETA), 99))
        self.truth.set_xdata([theta, theta])
        self.target.set_xdata([theta, theta])
        for bar, middle, row in zip(self.bars, self.middles, rows):
            bar.set_xdata(row[0] if row else (np.nan, np.nan))
            middle.set_xdata([row[1] if row else np.nan])

    def describe(self, result):
        """Say the counts, the means and the intervals."""
        prior, after, s, n, _, rows = result
        words = f"Beta({prior.a:g}, {prior.b:g}) and **{s}** successes in **{n}** give Beta({after.a:g}, {after.b:g}): "
        words += f"mean **{after.mean():.3f}**, 95 % credible **{rows[1][0].low:.3f}** to **{rows[1][0].high:.3f}**. "
        if not n:
            return words + "Without data there is no confidence interval."
        words += f"The share is {s / n:.3f}; Wilson {rows[2][0].low:.3f} to {rows[2][0].high:.3f}, "
        low, high = rows[3][0]
        return words + f"plain {low:.3f} to {high:.3f}.".replace("-", "−")


beta_updating = explorer(BetaUpdating)

# --- What intervals promise ----------------------------------------------------------------------------------------

GRID = np.linspace(0.005, 0.995, 199)


class CredibleCoverage(Scene):
    """Ask for each true chance how often each interval contains it."""

    caption = (
        "Figure 9.8: for each true θ, the share of all data sets whose 95 % interval contains it, computed exactly. "
        "The shaded hill is the prior: averaged over it the credible interval keeps its promise to the digit."
    )
    lines = 3

    def __init__(self):
        self.figure, ax = plots.canvas(1, size=(9.6, 4.3))
        ax.set(xlim=(0, 1), ylim=(0, 1.2), xlabel="true chance θ", title="How often the interval contains θ")
        ax.yaxis.set_major_locator(FixedLocator([0, 0.25, 0.5, 0.75, 0.95]))
        ax.axhline(0.95, color=plots.INK, lw=1, ls=":", zorder=1)
        (self.hill,) = ax.fill(THETA, 0 * THETA, fc=plots.PALE, ec="none", zorder=0.5, label="prior, own scale")
        (self.plain,) = ax.plot([], [], ls="--", lw=1.6, color=plots.ORANGE, zorder=2, label="plain")
        (self.wilson,) = ax.plot([], [], ls="-.", lw=1.6, color=plots.GREEN, zorder=3, label="Wilson")
        (self.credible,) = ax.plot([], [], lw=2.4, color=plots.BLUE, zorder=4, label="credible")
        ax.legend(loc="upper center", ncols=4, fontsize=12, borderaxespad=0)
        self.moving = [self.hill, self.plain, self.wilson, self.credible]
        self.controls = {
            "n": whole("data N", 20, 2, 100),
            "a": slider("virtual successes a", 1.0, 0.5, 20.0, 0.5, digits=1),
            "b": slider("virtual failures b", 1.0, 0.5, 20.0, 0.5, digits=1),
        }

    def compute(self, n, a, b):
        """Return the prior, the three curves, and the averages over the prior."""
        prior = BetaBernoulli(a, b)
        sets = [_frequentist(n, wilson_interval), _frequentist(n, error_interval)]
        mine = np.array([BetaBernoulli(a + k, b + n - k).interval() for k in range(n + 1)])
        curves = [_coverage(n, ends) for ends in (mine, *sets)]
        averages = [_average_coverage(prior, n, ends) for ends in (mine, *sets)]
        return prior, curves, averages

    def draw(self, result):
        """Draw the hill and the three curves."""
        prior, (credible, wilson, plain_), _ = result
        height = np.minimum(prior.pdf(np.clip(THETA, 1e-3, 1 - 1e-3)), 9)
        self.hill.set_xy(np.column_stack([np.r_[0, THETA, 1], np.r_[0, 0.5 * height / max(height.max(), 1), 0]]))
        for line, values in ((self.credible, credible), (self.wilson, wilson), (self.plain, plain_)):
            line.set_data(*values)

    def describe(self, result):
        """Say averages and worst cases."""
        prior, curves, averages = result
        words = f"If θ comes from Beta({prior.a:g}, {prior.b:g}), the credible interval contains it with "
        words += (
            f"**{averages[0]:.3f}**, Wilson's with **{averages[1]:.3f}**, the plain one with **{averages[2]:.3f}**. "
        )
        worst = [values.min() for _, values in curves]
        words += f"At the worst θ: credible **{worst[0]:.3f}**, Wilson **{worst[1]:.3f}**, "
        return words + f"plain **{worst[2]:.3f}**."


credible_coverage = explorer(CredibleCoverage)


@cache
def _frequentist(n, interval):
    return np.array([interval(k / n, n) for k in range(n + 1)])


def _coverage(n, ends):
    """Return places θ and P(low(k) <= θ <= high(k) | θ) there: a grid, and both sides of every end, where it jumps."""
    jumps = np.clip(ends.ravel()[:, None] + [-1e-9, 1e-9], 1e-9, 1 - 1e-9)
    theta, k = np.sort(np.r_[GRID, jumps.ravel()])[:, None], np.arange(n + 1)
    masses = np.exp(_log_choose(n) + k * np.log(theta) + (n - k) * np.log1p(-theta))
    inside = (ends[:, 0] <= theta) & (theta <= ends[:, 1])
    return theta[:, 0], (masses * inside).sum(axis=1)


def _average_coverage(prior, n, ends):
    """Return the coverage averaged over the prior: for each k its predictive chance times the posterior's share."""
    k = np.arange(n + 1)
    a, b = prior.a + k, prior.b + n - k
    evidence = np.exp(_log_choose(n) + betaln(a, b) - betaln(prior.a, prior.b))
    low, high = np.clip(ends, 0, 1).T
    return float(evidence @ (betainc(a, b, high) - betainc(a, b, low)))


def _log_choose(n):
    k = np.arange(n + 1)
    return gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)

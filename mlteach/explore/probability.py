"""Explorers of chapter 03: a joint table, a medical test, the named laws and their limits, a Gaussian, and Jensen."""

import functools
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from matplotlib.collections import LineCollection, PathCollection, PolyCollection
from matplotlib.font_manager import FontProperties
from matplotlib.patches import Rectangle
from matplotlib.path import Path
from matplotlib.textpath import TextPath
from matplotlib.ticker import FixedLocator, NullLocator
from matplotlib.transforms import Affine2D
from scipy.special import betainc, ndtr

from mlteach import plots
from mlteach.explore.base import Scene, choice, count, explorer, log_slider, plain, slider, whole
from mlteach.probability import JointTable as Table
from mlteach.probability import (
    bernoulli_pmf,
    beta_pdf,
    binomial_pmf,
    conditional_normal,
    covariance,
    entropy,
    exponential_pdf,
    jensen_gap,
    normal_pdf,
    poisson_pmf,
    total_variation,
    uniform_pdf,
)

LIGHT_BLUE, LIGHT_ORANGE, LIGHT_GREEN = plots.LIGHT_BLUE, plots.LIGHT_ORANGE, plots.LIGHT_GREEN

# --- A joint table -------------------------------------------------------------------------------------------------

WEATHER, PLAY = ("dry", "rainy", "snowy"), ("play", "no play")
WEIGHTS = {"dry_play": 64, "dry_not": 16, "rainy_play": 2, "rainy_not": 8, "snowy_play": 1, "snowy_not": 9}


class JointTable(Scene):
    """Edit the joint table of weather and tennis, choose a condition, and check the rules on it."""

    caption = (
        "Figure 3.2: a joint table from six weights, divided by their sum (dry: sunny or cloudy). The frame "
        "marks what is given. Middle, the same numbers as areas: independence would put every split on the dashed "
        "line. Right, the marginal before and the conditional after."
    )

    def __init__(self):
        self.figure, (cells, mosaic, bars) = plots.canvas(3, size=(9.6, 4.4), widths=(3.1, 2.2, 2.5))
        self._draw_cells(cells)
        self._draw_mosaic(mosaic)
        self._draw_bars(bars)
        self.figure.legend(handles=[*self.areas[:2], self.overall, self.before, self.after], **plots.BELOW)
        table = [*self.shades, self.numbers, self.frame]
        areas = [*self.areas, self.tags, self.overall]
        self.moving = [*table, *areas, *self.before, *self.after, self.states, self.heights, self.told, self.nothing]
        labels = [f"w{digit} {w}, {p}" for digit, (w, p) in zip("₁₂₃₄₅₆", ((w, p) for w in WEATHER for p in PLAY))]
        options = {f"{v} = {s}": s for v, names in (("Weather", WEATHER), ("Play", PLAY)) for s in names}
        self.controls = {name: whole(label, value, 0, 100) for label, (name, value) in zip(labels, WEIGHTS.items())}
        self.controls["given"] = choice("given", options, "snowy")

    def _draw_cells(self, ax):
        ax.set(xlim=(-1, 3), ylim=(4, -0.62), title="The joint table")
        _bare(ax)
        for k, name in enumerate((*WEATHER, "sum")):
            ax.text(-0.08, k + 0.5, name, ha="right", va="center", weight="bold", zorder=0.5)
        for k, name in enumerate((*PLAY, "sum")):
            ax.text(k + 0.5, -0.12, name, ha="center", va="bottom", weight="bold", zorder=0.5)
        self.shades = [_cell(ax, i, j) for i in range(3) for j in range(2)]
        ax.add_patch(Rectangle((0, 0), 2, 3, fc="none", ec=plots.INK, lw=1.6, zorder=3))
        self.numbers, self.write_numbers = _lettering(ax, [(j + 0.5, i + 0.5) for i, j in np.ndindex(4, 3)], 13)
        self.frame = ax.add_patch(Rectangle((0, 0), 1, 1, fc="none", ec=plots.GREEN, lw=4, zorder=4))

    def _draw_mosaic(self, ax):
        ax.set(xlim=(0, 1), ylim=(1, 0), xlabel="P(Play | Weather)", title="The same as areas")
        ax.xaxis.set_major_locator(FixedLocator([0, 0.5, 1]))
        ax.yaxis.set_major_locator(NullLocator())
        self.areas = [_cell(ax, 0, 0, hatch=j) for _ in range(3) for j in range(2)]
        self.tags, self.write_tags = _lettering(ax, np.zeros((3, 2)), 11, align=0)
        (self.overall,) = ax.plot([0, 0], [0, 1], "--", color=plots.INK, lw=2, zorder=3, label="P(play)")
        self.areas[0].set_label("play")
        self.areas[1].set_label("no play")

    def _draw_bars(self, ax):
        ax.set(xlim=(-0.6, 2.6), ylim=(-0.13, 1.2), title="Before and after")
        ax.yaxis.set_major_locator(FixedLocator([0, 0.25, 0.5, 0.75, 1]))
        ax.xaxis.set_major_locator(NullLocator())
        ax.spines["bottom"].set_visible(False)
        ax.spines["left"].set_bounds(0, 1)
        ax.axhline(0, color=plots.INK, lw=1, zorder=3)
        look = {"width": 0.36, "edgecolor": plots.INK, "linewidth": 1.2}
        self.before = ax.bar(np.arange(3) - 0.19, 0, color="white", hatch="//", label="before: marginal", **look)
        self.after = ax.bar(np.arange(3) + 0.19, 0, color=LIGHT_GREEN, label="after: conditional", **look)
        self.states, self.name_states = _lettering(ax, [(k, -0.07) for k in range(3)])
        self.heights, self.write_heights = _lettering(ax, np.zeros((3, 2)), 11, align=0)
        self.told, self.tell = _lettering(ax, [(2.6, 1.15)], align=1)
        self.told.set_facecolor(plots.DARK_GREEN)
        self.nothing = ax.text(1, 0.9, "the condition\nnever happens", ha="center", va="center", fontsize=12)
        self.nothing.set_bbox({"fc": "white", "ec": plots.GREY, "boxstyle": "round,pad=0.4"})

    def compute(self, given, **weights):
        """Return the table, what is given, the conditional (None if it never happens), and whether all is zero."""
        w = np.array([weights[name] for name in WEIGHTS], float).reshape(3, 2)
        empty = w.sum() == 0
        w = np.ones_like(w) if empty else w
        table = Table(w / w.sum(), {"Weather": WEATHER, "Play": PLAY})
        evidence = {"Weather" if given in WEATHER else "Play": given}
        possible = table.probability(evidence) > 0
        return table, evidence, table.condition(evidence) if possible else None, empty

    def draw(self, result):
        """Fill the table, split the areas, and set the bars."""
        table, evidence, conditional, _ = result
        (variable, state), p = *evidence.items(), table.p
        row, column = _place(variable, state)
        sums = np.block([[p, p.sum(axis=1, keepdims=True)], [p.sum(axis=0), p.sum()]])
        self.write_numbers([f"{value:.3f}" for value in sums.ravel()])
        self.frame.set_bounds(*((0, row, 3, 1) if row is not None else (column, 0, 1, 4)))
        self._split_areas(p, row, column)
        self._set_bars(table, variable, state, conditional)

    def _split_areas(self, p, row, column):
        top = np.append(0, np.cumsum(p.sum(axis=1)))
        split = np.divide(p[:, 0], p.sum(axis=1), out=np.zeros(3), where=p.sum(axis=1) > 0)
        for (i, j), shade, area in zip(np.ndindex(3, 2), self.shades, self.areas):
            inside = i == row or j == column
            shade.set_alpha(min(1, 0.1 + 1.3 * p[i, j]))
            area.set_bounds((0, split[i])[j], top[i], (split[i], 1 - split[i])[j], top[i + 1] - top[i])
            area.set_alpha(1 if inside else 0.3)
        self.write_tags([name * bool(high > 0.05) for name, high in zip(WEATHER, np.diff(top))])
        left = 0.03 if p[:, 0].sum() > 0.4 else 0.62  # clear of the dashed line
        self.tags.set_offsets([(left, (top[i] + top[i + 1]) / 2) for i in range(3)])
        self.overall.set_xdata([p[:, 0].sum()] * 2)

    def _set_bars(self, table, variable, state, conditional):
        other = "Play" if variable == "Weather" else "Weather"
        prior = table.marginal(other).p
        self.nothing.set_visible(conditional is None)
        self.tell([f"given {variable} = {state}"])
        after = np.zeros(len(prior)) if conditional is None else conditional.p
        for k in range(3):
            known = k < len(prior)
            self.before[k].set_visible(known)
            self.after[k].set_visible(known and conditional is not None)
            self.before[k].set_height(prior[k] if known else 0)
            self.after[k].set_height(after[k] if known else 0)
        self.name_states([*table.states[other], ""][:3])
        self.write_heights(["" if conditional is None else f"{v:.2f}" for v in after] + [""] * (3 - len(prior)))
        self.heights.set_offsets([(k + 0.03, value + 0.045) for k, value in enumerate(np.append(after, 0)[:3])])

    def describe(self, result):
        """Say the conditional in both directions, and whether the two variables depend."""
        table, evidence, conditional, empty = result
        ((_, b),), other = evidence.items(), "Play" if "Weather" in evidence else "Weather"
        a = table.states[other][0]
        p_a, p_b, p_ab = (table.probability(e) for e in ({other: a}, evidence, {other: a, **evidence}))
        if empty:
            words = "**All weights are zero**, so equal ones are shown. "
        elif conditional is None:
            words = f"P({b}) = 0: what never happens **cannot be given**, P({a} | {b}) is not defined. "
        else:
            value = conditional.probability({other: a})
            words = f"P({a} | {b}) = {p_ab:.3f} / {p_b:.3f} = **{value:.3f}**; before, P({a}) = **{p_a:.3f}**. "
            if p_a > 0:
                words += f"The other way, P({b} | {a}) = {p_ab:.3f} / {p_a:.3f} = **{p_ab / p_a:.3f}**. "
        return words + f"Weather and tennis are **{'in' * table.independent()}dependent**."


joint_table = explorer(JointTable)


def _cell(ax, i, j, hatch=None):
    right = j if hatch is None else hatch
    look = {"fc": LIGHT_ORANGE if right else LIGHT_BLUE, "ec": "white", "lw": 1.5, "hatch": "//" if right else None}
    return ax.add_patch(Rectangle((j, i), 1, 1, zorder=1, **look))


def _place(variable, state):
    """Return the row and the column of the table that a condition picks; one of them is None."""
    return (WEATHER.index(state), None) if variable == "Weather" else (None, PLAY.index(state))


# --- A medical test ------------------------------------------------------------------------------------------------

PEOPLE, PRIORS = 1000, np.geomspace(0.001, 0.5, 28)
SEATS = np.column_stack([np.arange(PEOPLE) // 25, np.arange(PEOPLE) % 25])


class BayesRule(Scene):
    """Test a thousand people for a disease and ask who of the positives is ill."""

    caption = (
        "Figure 3.3: squares are ill, circles are well, filled ones test positive. Where the disease is "
        "rare, most filled marks are circles. Right, what a positive and a negative result say at every prevalence."
    )
    lines = 3

    def __init__(self):
        self.figure, (crowd, curve) = plots.canvas(2, size=(9.6, 4.6), widths=(3, 2))
        self._draw_crowd(crowd)
        self._draw_curves(curve)
        self.figure.legend(handles=self.groups, **plots.BELOW)
        self.moving = [*self.groups, self.positive, self.negative, self.now, self.calm, self.here]
        self.controls = {
            "prevalence": log_slider("prevalence π", 0.01, 0.001, 0.5, per_decade=20),
            "sensitivity": slider("sensitivity P(+ | ill)", 0.9, 0.5, 1.0, 0.01),
            "specificity": slider("specificity P(− | well)", 0.91, 0.5, 1.0, 0.01),
        }

    def _draw_crowd(self, ax):
        ax.set(xlim=(-1, 40), ylim=(25, -1), title="1000 people")
        _bare(ax)
        ill = {"marker": "s", "ms": 6, "mec": plots.ORANGE, "mew": 1.6}
        well = {"marker": "o", "ms": 5.5, "mec": plots.BLUE, "mew": 1.1}
        faces = (
            {"mfc": plots.ORANGE, "label": "ill, positive", **ill},
            {"mfc": "white", "label": "ill, negative", **ill},
            {"mfc": plots.BLUE, "label": "well, positive", **well},
            {"mfc": "white", "label": "well, negative", **{**well, "mec": plots.GREY, "ms": 4}},
        )
        self.groups = [ax.plot([], [], ls="none", **face)[0] for face in faces]

    def _draw_curves(self, ax):
        ax.set(xscale="log", xlim=(0.001, 0.5), ylim=(0, 1.25), xlabel="prevalence π", title="What a result means")
        ax.set_ylabel("P(ill | result)")
        ax.yaxis.set_major_locator(FixedLocator([0, 0.25, 0.5, 0.75, 1]))
        ax.spines["left"].set_bounds(0, 1)
        _ticks(ax.xaxis, [0.001, 0.01, 0.1, 0.5])
        ax.plot(PRIORS, PRIORS, ":", color=plots.GREY, lw=1.8, label="no test")
        (self.positive,) = ax.plot([], [], color=plots.ORANGE, zorder=2, label="positive")
        (self.negative,) = ax.plot([], [], "--", color=plots.BLUE, zorder=2, label="negative")
        mark = {"mfc": "white", "mew": 2.2, "zorder": 4, "clip_on": False}
        (self.now,) = ax.plot([0.01], [0.1], "D", ms=11, mec=plots.ORANGE, **mark)
        (self.calm,) = ax.plot([0.01], [0.1], "o", ms=7, mec=plots.BLUE, **mark)
        (self.here,) = ax.plot([0.01, 0.01], [0, 1], color=plots.PALE, lw=7, zorder=0.5)
        ax.legend(loc="upper center", ncols=3, fontsize=11, handlelength=1.8, columnspacing=1.2, borderaxespad=0)

    def compute(self, prevalence, sensitivity, specificity):
        """Return prior, posteriors, how many people each group has, the curves, and whether whole people are rough."""
        prior = float(np.clip(prevalence, PRIORS[0], PRIORS[-1]))
        n_ill = round(PEOPLE * prior)
        hits, alarms = round(n_ill * sensitivity), round((PEOPLE - n_ill) * (1 - specificity))
        counts = (hits, n_ill - hits, alarms, PEOPLE - n_ill - alarms)
        posteriors = _posteriors(prior, sensitivity, specificity)
        exact, seen = np.array([PEOPLE * prior * sensitivity, posteriors[0]]), (hits, hits / max(hits + alarms, 1))
        rough = bool((np.abs(exact - seen) > 0.03 * exact).any())
        return prior, posteriors, counts, _posterior_curves(sensitivity, specificity), rough

    def draw(self, result):
        """Seat the people, and move the curves and the two results."""
        prior, (if_positive, if_negative), counts, (up, down), _ = result
        ends = np.cumsum(counts)
        for group, end, n in zip(self.groups, ends, counts):
            group.set_data(SEATS[end - n : end].T)
        self.positive.set_data(PRIORS, up)
        self.negative.set_data(PRIORS, down)
        self.now.set_data([prior], [if_positive])
        self.calm.set_data([prior], [if_negative])
        self.here.set_xdata([prior, prior])

    def describe(self, result):
        """Count the ill among the positives."""
        prior, (if_positive, if_negative), (hits, missed, alarms, _), _, rough = result
        words = f"Of 1000 people **{hits + missed}** {_are(hits + missed)} ill; the test is positive for **{hits}** of "
        words += f"them and for **{alarms}** of the well. "
        words += f"So **{hits}** of **{hits + alarms}** positives {_are(hits)} ill: " * bool(hits)
        words += f"P(ill | positive) = **{_percent(if_positive)}**, where {_percent(prior)} were ill "
        words += f"before the test; P(ill | negative) = **{_percent(if_negative)}**."
        return words + " (The people are rounded to whole ones; the percentages are exact.)" * rough


bayes_rule = explorer(BayesRule)


@functools.lru_cache(64)
def _posterior_curves(sensitivity, specificity):
    return np.array([_posteriors(prior, sensitivity, specificity) for prior in PRIORS]).T


def _posteriors(prior, sensitivity, specificity):
    """Return P(ill | positive) and P(ill | negative)."""
    ill, well = prior * np.array([sensitivity, 1 - sensitivity]), (1 - prior) * np.array([1 - specificity, specificity])
    table = Table([ill, well], {"Health": ["ill", "well"], "Test": ["+", "-"]})
    return [float(table.condition(Test=sign).p[0]) for sign in "+-"]


def _are(n):
    return "is" if n == 1 else "are"


def _percent(value):
    return f"{100 * value:.3g} %"


# --- The named laws ------------------------------------------------------------------------------------------------


class Law(NamedTuple):
    """One setting of a family: what its dials mean, its moments, and its mass or density."""

    dials: tuple  # the first and the second parameter, such as "mean μ = 0.00"
    mean: float
    sd: float
    x: np.ndarray
    p: np.ndarray  # mass at x, or density at x
    within: float  # probability of mean - sd ... mean + sd


class Family(NamedTuple):
    """A named family of laws; five marks divide its axes from ``span[0]`` to ``span[1]`` and from 0 to ``top``."""

    formula: str
    moments: tuple
    discrete: bool
    span: tuple
    top: float
    law: Callable  # of the two dials, returns a Law


IDLE = "no second parameter"
KS, UNIT = np.arange(41), np.linspace(0.001, 0.999, 500)


def _uniform(u, v):
    a, b = -4 + 6 * u, -3 + 6 * u + 4 * v
    x, sd = np.array([-9, a, a, b, b, 9]), (b - a) / 12**0.5
    p = np.append(np.append([0, 0], uniform_pdf([a, b], a, b)), [0, 0])
    return Law((f"left end a = {plain(a, '.2f')}", f"width b − a = {b - a:.2f}"), (a + b) / 2, sd, x, p, 3**-0.5)


def _normal(u, v):
    mu, sigma = -4 + 8 * u, 10 ** (v - 0.5)
    x = mu + sigma * np.linspace(-6, 6, 400)
    dials = (f"mean μ = {plain(mu, '.2f')}", f"deviation σ = {sigma:.2f}")
    return Law(dials, mu, sigma, x, normal_pdf(x, mu, sigma), float(ndtr(1) - ndtr(-1)))


def _bernoulli(u, _):
    return _counts((f"success p = {u:.2f}", IDLE), u, (u * (1 - u)) ** 0.5, KS[:2], bernoulli_pmf(KS[:2], u))


def _binomial(u, v):
    n = max(1, round(40 * v))
    dials, sd = (f"success p = {u:.2f}", f"trials n = {n}"), (n * u * (1 - u)) ** 0.5
    return _counts(dials, n * u, sd, KS, binomial_pmf(KS, n, u))


def _poisson(u, _):
    ks = np.arange(81)
    return _counts((f"rate λ = {20 * u:.1f}", IDLE), 20 * u, (20 * u) ** 0.5, ks, poisson_pmf(ks, 20 * u))


def _exponential(u, _):
    lam = 10 ** (1.2 * u - 0.6)  # 0.25 ... 4; exactly 1 at 0.5
    x = np.linspace(0, 10, 400)
    return Law((f"rate λ = {lam:.2f}", IDLE), 1 / lam, 1 / lam, x, exponential_pdf(x, lam), 1 - np.exp(-2.0))


def _beta(u, v):
    a, b = 10 ** (2 * u - 0.7), 10 ** (2 * v - 0.7)  # 0.2 ... 20; exactly 1 at 0.35
    mean, sd = a / (a + b), (a * b / (a + b + 1)) ** 0.5 / (a + b)
    ends = np.clip([mean - sd, mean + sd], 0, 1)
    dials = (f"power a = {a:.2f}", f"power b = {b:.2f}")
    return Law(dials, mean, sd, UNIT, beta_pdf(UNIT, a, b), float(np.diff(betainc(a, b, ends))[0]))


def _counts(dials, mean, sd, k, p):
    return Law(dials, mean, sd, k, p, float(p[np.abs(k - mean) <= sd + 1e-9].sum()))


FAMILIES = {
    "uniform": Family(
        r"$p(x)=\dfrac{1}{b-a}$", ("mean (a + b) / 2", "variance (b − a)² / 12"), False, (-4, 8), 1.0, _uniform
    ),
    "normal": Family(
        r"$p(x)=\dfrac{1}{\sqrt{2\pi}\,\sigma}\,e^{-(x-\mu)^2/2\sigma^2}$",
        ("mean μ", "variance σ²"), False, (-8, 8), 1.2, _normal,
    ),
    "Bernoulli": Family(
        r"$P(x)=p^x\,(1-p)^{1-x}$", ("mean p", "variance p (1 − p)"), True, (-0.5, 1.5), 1.0, _bernoulli
    ),
    "binomial": Family(
        r"$P(x)=\binom{n}{x}\,p^x\,(1-p)^{n-x}$", ("mean n p", "variance n p (1 − p)"), True, (0, 40), 0.4, _binomial
    ),
    "Poisson": Family(
        r"$P(x)=\dfrac{\lambda^x}{x!}\,e^{-\lambda}$", ("mean λ", "variance λ"), True, (0, 40), 0.4, _poisson
    ),
    "exponential": Family(
        r"$p(x)=\lambda\,e^{-\lambda x}$", ("mean 1 / λ", "variance 1 / λ²"), False, (0, 8), 2.0, _exponential
    ),
    "Beta": Family(
        r"$p(x)=\dfrac{x^{a-1}\,(1-x)^{b-1}}{B(a,\,b)}$",
        ("mean a / (a + b)", "variance ab / [(a + b)² (a + b + 1)]"), False, (0, 1), 6.0, _beta,
    ),
}  # fmt: skip
MARKS = np.linspace(0, 1, 5)


class Distributions(Scene):
    """Choose a family of distributions and bend it with its parameters."""

    caption = (
        "Figure 3.5: seven families of laws. The two sliders carry the names of the chosen family's parameters; "
        "bars are probabilities, a curve is a density. Each family has its own axes."
    )

    def __init__(self):
        self.figure, (ax, card) = plots.canvas(2, size=(9.6, 4.4), widths=(3, 1.65))
        self._draw_law(ax)
        self._draw_card(card)
        self.figure.legend(**plots.BELOW)
        axis = [self.x_labels, self.y_labels]
        self.moving = [*axis, self.body, self.mean, self.spread, self.heading, self.dials, self.moments]
        self.controls = {
            "name": choice("family", list(FAMILIES), "normal"),
            "first": _dial("width b − a = 1.00"),
            "second": _dial(IDLE),
        }

    def _draw_law(self, ax):
        ax.set(xlim=(-0.03, 1.03), ylim=(0, 1.12), xlabel="x", ylabel="probability or density", title="Its law")
        ax.set(xticks=MARKS, xticklabels=["0"] * 5, yticks=MARKS, yticklabels=["0.00"] * 5)
        ax.tick_params(labelcolor="none")  # they keep the room for the labels of each family
        self.x_labels, self.number_x = _lettering(ax, [(mark, -0.055) for mark in MARKS])
        self.y_labels, self.number_y = _lettering(ax, [(-0.045, mark) for mark in MARKS], align=1)
        look = {"fc": LIGHT_BLUE, "ec": plots.BLUE, "lw": 1.2, "zorder": 1}
        self.body = ax.add_collection(PolyCollection([], label="the law", **look))
        (self.mean,) = ax.plot([], [], "--", color=plots.INK, lw=2, zorder=3, label="mean")
        bar = {"color": plots.ORANGE, "lw": 3, "ms": 16, "mew": 3, "zorder": 3}
        (self.spread,) = ax.plot([], [], "-|", label="mean ± sd", **bar)

    def _draw_card(self, ax):
        ax.set(xlim=(0, 1), ylim=(0, 1), title="The family")
        _bare(ax)
        self.heading, self.write_heading = _lettering(ax, [(0, 0.94), (0, 0.73)], 16, align=0)
        self.dials, self.write_dials = _lettering(ax, [(0, 0.5), (0, 0.41)], 13, align=0)
        self.moments, self.write_moments = _lettering(ax, [(0, 0.25), (0, 0.17)], 12, align=0)

    def compute(self, name, first, second):
        """Return the family and its law at these dials."""
        return name, FAMILIES[name], FAMILIES[name].law(first, second)

    def draw(self, result):
        """Draw the law on the axes of its family, and write its card."""
        name, family, law = result
        low, high = family.span
        x, p, width = (law.x - low) / (high - low), np.minimum(law.p / family.top, 5), 0.8 / (high - low)
        seen = p > 1e-6
        self.body.set_verts(_boxes(x[seen], p[seen], width) if family.discrete else [_area(x, p)])
        middle, reach = (law.mean - low) / (high - low), law.sd / (high - low)
        self.mean.set_data([middle, middle], [0, 1.12])
        self.spread.set_data([middle - reach, middle + reach], [1.07, 1.07])
        places = low + MARKS * (high - low)
        self.number_x(["" if family.discrete and v % 1 else plain(v, ".3g") for v in places])
        self.number_y([f"{mark * family.top:.3g}" for mark in MARKS])
        self.write_heading([f"{name[0].upper()}{name[1:]}", family.formula])
        self.write_dials([dial * (dial != IDLE) for dial in law.dials])
        for control, dial in zip((self.controls["first"], self.controls["second"]), law.dials):
            control.description, control.disabled = dial, dial == IDLE
        self.write_moments(family.moments)

    def describe(self, result):
        """Say mean, spread and how much lies near the mean."""
        name, family, law = result
        words = f"**{name[0].upper()}{name[1:]}** with {' and '.join(d for d in law.dials if d != IDLE)}: "
        words += f"mean **{plain(law.mean, '.3g')}**, standard deviation **{law.sd:.3g}**; "
        words += f"**{_percent(law.within)}** lies within one standard deviation of the mean."
        if family.discrete:
            words += f" Entropy **{entropy(np.append(law.p, max(0.0, 1 - law.p.sum()))):.2f}** bit."
        ends = [end for end, dial in zip("01", law.dials) if name == "Beta" and float(dial.split()[-1]) < 1]
        if ends:
            words += f" The density is **infinite** at {' and at '.join(ends)}."
        elif law.p.max() > 1.12 * family.top:
            words += f" The top, **{law.p.max():.2f}**, is above the axis."
        return words


distributions = explorer(Distributions)


def _dial(widest):
    """A slider from 0 to 1 with no number of its own: its label, at most this wide, says which value it sets."""
    dial = slider(widest, 0.5, 0.0, 1.0, 0.01)
    dial.readout = False
    return dial


# --- From the binomial to the Poisson law --------------------------------------------------------------------------

SUCCESSES, TRIALS = np.arange(26), np.unique(np.geomspace(1, 200, 26).round().astype(int))


class BinomialToPoisson(Scene):
    """Let the trials grow while the expected number of successes stays, and watch the binomial become Poisson."""

    caption = (
        "Figure 3.6: n trials with probability p = λ/n. As n grows and λ stays, the bars settle on the Poisson "
        "points; right, how far the two laws are apart for all numbers of trials up to n, below Le Cam's bound."
    )
    play, interval = "n", 100
    lines = 3

    def __init__(self):
        self.figure, (laws, distance) = plots.canvas(2, size=(9.6, 4.5), widths=(3, 2))
        self._draw_laws(laws)
        self._draw_distance(distance)
        self.figure.legend(**plots.BELOW)
        self.moving = [self.bars, self.points, self.here, self.curve, self.bound, self.now]
        self.controls = {
            "n": whole("trials n", 10, 1, 200),
            "lam": slider("expected successes λ", 3.0, 1.0, 10.0, 0.5, digits=1),
        }

    def _draw_laws(self, ax):
        ax.set(xlim=(-0.7, 25.5), ylim=(0, 0.42), xlabel="successes k", ylabel="probability", title="Two laws")
        look = {"fc": LIGHT_BLUE, "ec": plots.BLUE, "lw": 1.2, "zorder": 1}
        self.bars = ax.add_collection(PolyCollection([], label="binomial(n, λ/n)", **look))
        (self.points,) = ax.plot([], [], "--o", color=plots.ORANGE, lw=1.4, ms=7, zorder=2, label="Poisson(λ)")

    def _draw_distance(self, ax):
        ax.set(xscale="log", yscale="log", xlim=(1, 240), ylim=(1e-3, 1), xlabel="trials n", title="How far apart")
        ax.set_ylabel("total variation")
        _ticks(ax.xaxis, [1, 10, 100])
        _ticks(ax.yaxis, [0.001, 0.01, 0.1, 1])
        self.here = ax.axvline(1, color=plots.PALE, lw=7, zorder=0.5)
        (self.bound,) = ax.plot([], [], ":", color=plots.GREY, lw=2.2, zorder=1, label="Le Cam's bound np²")
        (self.curve,) = ax.plot([], [], color=plots.BLUE, zorder=2, label="distance")
        mark = {"mfc": "white", "mec": plots.INK, "mew": 2, "zorder": 3, "clip_on": False}
        (self.now,) = ax.plot([10], [0.1], "D", ms=9, **mark)

    def compute(self, n, lam):
        """Return both laws and their distance, also for fewer trials; the binomial is None where p exceeds one."""
        k = SUCCESSES
        binomial, far = (binomial_pmf(k, n, lam / n), _distance(n, lam)) if lam <= n else (None, None)
        trials, every = _distances(lam)
        return n, lam, binomial, poisson_pmf(k, lam), far, (trials[trials <= n], every[trials <= n])

    def draw(self, result):
        """Set bars, points and the mark on the curve."""
        n, lam, binomial, poisson, far, (trials, every) = result
        seen = np.zeros(26, bool) if binomial is None else binomial > 1e-6
        self.bars.set_verts(_boxes(SUCCESSES[seen], binomial[seen], 0.8) if seen.any() else [])
        self.points.set_data(SUCCESSES, poisson)
        self.here.set_xdata([n, n])
        self.curve.set_data(trials, every)
        self.bound.set_data(trials, lam**2 / trials)
        self.now.set_data(([], []) if binomial is None else ([n], [far]))

    def describe(self, result):
        """Compare variances, and say how far any event can differ."""
        n, lam, binomial, _, far, _ = result
        if binomial is None:
            words = f"**{count(n, 'trial')}** cannot have λ = **{lam:g}** successes on average: p would be "
            return words + f"{lam / n:.2f}, more than one. The picture shows the Poisson law alone; **raise n**."
        p = lam / n
        words = f"**{count(n, 'trial')}** with p = λ/n = **{p:.3g}**: the variance is {n * p * (1 - p):.3g}, that of "
        words += f"the Poisson law {lam:.3g}. No event differs by more than **{far:.4f}** (total variation); "
        words += f"Le Cam's bound np² = **{n * p * p:.3g}**" + " says nothing, being above one" * (n * p * p > 1) + "."
        high = binomial.max()
        return words + f" The highest bar, **{high:.2f}**, is above the axis." * bool(high > 0.42)


binomial_to_poisson = explorer(BinomialToPoisson)


@functools.lru_cache(64)
def _distances(lam):
    trials = TRIALS[TRIALS >= lam]
    return trials, np.array([_distance(n, lam) for n in trials])


def _distance(n, lam):
    """Return the total variation between binomial(n, lam / n) and Poisson(lam); beyond n the former has nothing."""
    k = np.arange(n + 1)
    q = poisson_pmf(k, lam)
    return total_variation(np.append(binomial_pmf(k, n, lam / n), 0.0), np.append(q, max(0.0, 1 - q.sum())))


# --- A normal law in two dimensions --------------------------------------------------------------------------------

AXIS = np.linspace(-6, 6, 361)
CIRCLE = np.stack([np.cos(np.linspace(0, 2 * np.pi, 121)), np.sin(np.linspace(0, 2 * np.pi, 121))])


class BivariateGaussian(Scene):
    """Tilt and stretch a normal law in the plane and cut it at x."""

    caption = (
        "Figure 3.7: a normal law in the plane, as ellipses one, two and three deviations out, with the line of the "
        "conditional means. Right, the slice at x beside the marginal of y."
    )
    lines = 3

    def __init__(self):
        self.figure, axes = plots.canvas(2, rows=2, size=(9.6, 5.4), widths=(3, 2), height_ratios=(1, 3.4))
        (above, corner), (plane, side) = axes
        self._draw_matrix(corner)
        self._draw_plane(plane)
        self._draw_margin(above)
        self._draw_slice(side)
        self.figure.legend(handles=[self.p_x, self.means, self.cut, self.reach, self.slab], **plots.BELOW)
        plane_parts = [self.matrix, self.rings, self.means, self.cut, self.reach, self.dot]
        self.moving = [*plane_parts, self.p_x, self.cut_above, self.p_y, self.slab, self.level]
        self.controls = {
            "rho": slider("correlation ρ", 0.8, -0.99, 0.99, 0.01),
            "x": slider("slice at x", 2.0, -4.0, 4.0, 0.1, digits=1),
            "s_x": slider("deviation of x, σ_x", 1.5, 0.5, 2.0, 0.1, digits=1),
            "s_y": slider("deviation of y, σ_y", 1.0, 0.5, 2.0, 0.1, digits=1),
        }

    def _draw_matrix(self, ax):
        _bare(ax)
        ax.set(xlim=(0, 1), ylim=(0, 1))
        ax.text(0, 0.95, "covariance Σ", va="center", fontsize=13, zorder=0.5)
        places = [(x, y) for y in (0.55, 0.2) for x in (0.2, 0.48)]
        self.matrix, self.fill_matrix = _lettering(ax, places, 13, align=1)

    def _draw_plane(self, ax):
        ax.set(xlim=(-6, 6), ylim=(-6, 6), xlabel="x", ylabel="y")
        look = {"facecolors": plots.BLUE_STEPS, "edgecolors": plots.BLUE, "lw": 1.2}
        self.rings = ax.add_collection(PolyCollection([], zorder=1, **look))
        (self.means,) = ax.plot([], [], color=plots.INK, lw=1.8, zorder=2, label="E[y | x]")
        (self.cut,) = ax.plot([0, 0], [-6, 6], ":", color=plots.ORANGE, lw=2.2, zorder=3, label="slice at x")
        bar = {"color": plots.ORANGE, "lw": 4.5, "ms": 15, "mew": 3, "zorder": 4}
        (self.reach,) = ax.plot([], [], "-_", label="mean ± sd, given x", **bar)
        (self.dot,) = ax.plot([], [], "o", ms=9, mfc="white", mec=plots.ORANGE, mew=2.4, zorder=5)

    def _draw_margin(self, ax):
        ax.set(xlim=(-6, 6), ylim=(0, 0.85), ylabel="p(x)", title="The joint density and its marginals")
        ax.tick_params(labelbottom=False)
        ax.yaxis.set_major_locator(FixedLocator([0, 0.4, 0.8]))
        (self.p_x,) = ax.plot([], [], "--", color=plots.BLUE, label="marginals")
        (self.cut_above,) = ax.plot([0, 0], [0, 0.85], ":", color=plots.ORANGE, lw=2.2)

    def _draw_slice(self, ax):
        ax.set(xlim=(0, 1.25), ylim=(-6, 6), xlabel="density", title="The slice at x, p(y | x)")
        ax.xaxis.set_major_locator(FixedLocator([0, 0.5, 1]))
        (self.p_y,) = ax.plot([], [], "--", color=plots.BLUE, zorder=2)
        look = {"fc": plots.ORANGE_FIELD, "ec": plots.ORANGE, "lw": 2.2, "zorder": 1}
        self.slab = ax.add_collection(PolyCollection([], label="p(y | x)", **look))
        mark = {"mfc": "white", "mec": plots.ORANGE, "mew": 2.4, "zorder": 5, "clip_on": False}
        (self.level,) = ax.plot([0], [0], "o", ms=9, **mark)

    def compute(self, rho, s_x, s_y, x):
        """Return the covariance, the line of conditional means, and mean and width of the slice."""
        Sigma = np.array([[s_x**2, rho * s_x * s_y], [rho * s_x * s_y, s_y**2]])
        ends = [conditional_normal([0, 0], Sigma, {0: end}).mu[0] for end in (-6, 6)]
        mu, var = conditional_normal([0, 0], Sigma, {0: x})
        return rho, x, Sigma, ends, float(mu[0]), float(var[0, 0]) ** 0.5

    def draw(self, result):
        """Turn the ellipses, and move the cut and its slice."""
        _, x, Sigma, ends, mu, sd = result
        self.fill_matrix([plain(value, ".2f") for value in Sigma.ravel()])
        ellipse = (np.linalg.cholesky(Sigma) @ CIRCLE).T
        self.rings.set_verts([r * ellipse for r in (3, 2, 1)])
        self.means.set_data([-6, 6], ends)
        self.cut.set_xdata([x, x])
        self.cut_above.set_xdata([x, x])
        self.reach.set_data([x, x], [mu - sd, mu + sd])
        self.dot.set_data([x], [mu])
        self.p_x.set_data(AXIS, normal_pdf(AXIS, 0, Sigma[0, 0] ** 0.5))
        self.p_y.set_data(normal_pdf(AXIS, 0, Sigma[1, 1] ** 0.5), AXIS)
        y = mu + sd * np.linspace(-5, 5, 201)
        self.slab.set_verts([np.column_stack([normal_pdf(y, mu, sd), y])])
        self.level.set_data([0], [mu])
        self.level.set_visible(bool(abs(mu) <= 6))

    def describe(self, result):
        """Say what x tells about y."""
        rho, x, Sigma, _, mu, sd = result
        s_x, s_y = np.sqrt(np.diag(Sigma))
        words = f"Given x = **{plain(x)}**, y is normal with mean **{plain(mu, '.2f')}** and standard deviation "
        words += f"**{sd:.3f}**; without x they were 0 and {s_y:.2f}. "
        if abs(rho) < 1e-9:
            words += "With ρ = 0, x tells **nothing** about y."
        else:
            words += f"Knowing x takes **{100 - 100 * sd / s_y:.0f} %** off the width, "
            words += f"{100 * rho**2:.0f} % off the variance of y."
        if abs(x) > 3 * s_x:
            words += f" This x is {abs(x) / s_x:.1f} standard deviations out: **hardly ever seen**."
        words += f" The peak of the slice, {1 / (sd * (2 * np.pi) ** 0.5):.2f}, is off its axis." * bool(sd < 0.319)
        return words + " The conditional mean is **off the picture**." * bool(abs(mu) > 6)


bivariate_gaussian = explorer(BivariateGaussian)


# --- Jensen's inequality -------------------------------------------------------------------------------------------

LINE = np.linspace(-2.6, 2.6, 161)
SPREADS, CURVATURES = np.linspace(0, 2, 21), np.linspace(-1, 1, 9)


class Jensen(Scene):
    """Bend a function and spread a variable, and compare f(E[X]) with E[f(X)]."""

    caption = (
        "Figure 3.8: f(x) = x/2 + c x²/2 and K outcomes between −s and s with binomial weights. The mean of the "
        "points (diamond) lies in their hull (grey), so above a convex function and below a concave one. The bar "
        "beside it is the gap; right, the gap for spreads up to s."
    )

    def __init__(self):
        self.figure, (plane, gaps) = plots.canvas(2, size=(9.6, 4.6), widths=(3, 2))
        self._draw_plane(plane)
        self._draw_gaps(gaps)
        self.figure.legend(**plots.BELOW)
        graph = [self.hull, self.curve, self.points, self.drop, self.gap_line, self.inner, self.outer]
        self.moving = [*graph, self.fan, self.growth, self.now]
        self.controls = {
            "c": slider("curvature c = f″", 1.0, -1.0, 1.0, 0.1, digits=1),
            "s": slider("spread s", 0.8, 0.0, 2.0, 0.1, digits=1),
            "p": slider("weight to the right p", 0.5, 0.0, 1.0, 0.05),
            "k": whole("outcomes K", 2, 2, 9),
        }

    def _draw_plane(self, ax):
        ax.set(xlim=(-2.6, 2.6), ylim=(-3.6, 3.6), xlabel="x", ylabel="f(x)", title="Two averages")
        self.hull = ax.add_collection(PolyCollection([], fc=plots.PALE, ec=plots.GREY, lw=1.2, ls="--", zorder=0.6))
        (self.curve,) = ax.plot([], [], color=plots.INK, zorder=2, label="f")
        face = {"fc": plots.SKY, "ec": plots.BLUE, "linewidths": 1.4}
        self.points = ax.scatter([0], [0], s=40, zorder=3, **face)
        ax.scatter([], [], s=70, label="outcomes (size: weight)", **face)
        (self.drop,) = ax.plot([], [], ":", color=plots.GREY, lw=1.6, zorder=1)
        (self.gap_line,) = ax.plot([], [], color=plots.PURPLE, lw=5, solid_capstyle="butt", zorder=4, label="gap")
        (self.inner,) = ax.plot([], [], "o", ms=11, mfc="white", mec=plots.INK, mew=2, zorder=5, label="f(E[X])")
        (self.outer,) = ax.plot([], [], "D", ms=6, color=plots.ORANGE, mec=plots.INK, zorder=6, label="E[f(X)]")

    def _draw_gaps(self, ax):
        ax.set(xlim=(0, 2), ylim=(-2.2, 2.2), xlabel="spread s", ylabel="gap E[f(X)] − f(E[X])", title="The gap")
        for height, words in ((2.02, "c > 0, convex: above"), (-2.02, "c < 0, concave: below")):
            ax.text(0.04, height, words, va="center", fontsize=11, zorder=3)
        self.fan = ax.add_collection(LineCollection([], colors=plots.GREY, lw=1, zorder=1, label="gap for other c"))
        (self.growth,) = ax.plot([], [], color=plots.PURPLE, zorder=2)
        (self.now,) = ax.plot([1], [0], "D", ms=9, color=plots.ORANGE, mec=plots.INK, zorder=3, clip_on=False)

    def compute(self, c, s, p, k):
        """Return the function, the outcomes with their weights, and the gap, also for other spreads."""

        def f(x):
            return 0.5 * x + 0.5 * c * x**2

        weights, places = binomial_pmf(np.arange(k), k - 1, p), np.linspace(-1, 1, k)
        gap = [jensen_gap(f, spread * places, weights) for spread in (s, *SPREADS)]
        return c, s, f, s * places, weights, gap[0], np.array(gap[1:])

    def draw(self, result):
        """Bend the curve, and put the two averages above each other."""
        _, s, f, x, weights, gap, along = result
        middle = float(weights @ x)
        self.hull.set_verts([np.column_stack([x, f(x)])])
        self.curve.set_data(LINE, f(LINE))
        self.points.set_offsets(np.column_stack([x, f(x)]))
        self.points.set_sizes(np.where(weights > 1e-9, 12 + 330 * weights, 0))
        self.drop.set_data([middle, middle], [-3.6, max(f(middle), f(middle) + gap)])
        self.gap_line.set_data([middle + 0.22, middle + 0.22], [f(middle), f(middle) + gap])
        self.inner.set_data([middle], [f(middle)])
        self.outer.set_data([middle], [f(middle) + gap])
        seen = s + 1e-9 >= SPREADS
        per_curvature = covariance(np.linspace(-1, 1, len(x)), p=weights) / 2 * SPREADS[seen] ** 2
        self.fan.set_segments([np.column_stack([SPREADS[seen], c * per_curvature]) for c in CURVATURES])
        self.growth.set_data(SPREADS[seen], along[seen])
        self.now.set_data([s], [gap])

    def describe(self, result):
        """Say both averages and which is larger."""
        c, s, f, x, weights, gap, _ = result
        middle, variance = float(weights @ x), covariance(x, p=weights)
        words = f"E[X] = {plain(middle, '.2f')}: f(E[X]) = **{plain(f(middle), '.3f')}**, E[f(X)] = "
        words += f"**{plain(f(middle) + gap, '.3f')}**, gap **{plain(gap, '.3f')}**; "
        words += f"Var(X) = {variance:.3f}. "
        if abs(c) < 1e-9:
            return words + "f is a straight line: **equality**, whatever the spread."
        if variance < 1e-12:
            return words + "X is constant: **equality**, whatever the function."
        if c > 0:
            return words + "f is **convex**: the average of f is never below f of the average."
        return words + "f is **concave**: the average of f is never above f of the average."


jensen = explorer(Jensen)


# --- The central limit theorem -------------------------------------------------------------------------------------

MOST, Z = 40, np.linspace(-4.2, 4.2, 421)
LAWS = {"two bumps": "two bumps", "Bernoulli": "a Bernoulli law", "exponential": "the exponential law"}
LAWS["uniform"] = "the uniform law"
WEIGHTED = ("two bumps", "Bernoulli")


class CentralLimit(Scene):
    """Add up independent draws and watch the standardised mean become normal, whatever was added."""

    caption = (
        "Figure 3.11: the law of one draw and of the mean of n, both standardised, against the normal (dashed). "
        "Right, the largest difference of the distribution functions for up to n draws, with two guides to compare "
        "its slope."
    )
    play, interval = "n", 250
    lines = 3

    def __init__(self):
        self.figure, (single, total, distance) = plots.canvas(3, size=(9.6, 4.3), widths=(1.5, 2.6, 1.9))
        self._draw_laws(single, total)
        guides = self._draw_distance(distance)
        self.figure.legend(handles=[self.mean, self.bell, self.curve, *guides], **plots.BELOW)
        self.moving = [self.one, self.mean, self.here, self.curve, self.now]
        self.controls = {
            "base": choice("what is drawn", list(LAWS)),
            "n": whole("draws n", 3, 1, MOST),
            "p": slider("weight to the right p", 0.3, 0.05, 0.95, 0.05),
        }

    def _draw_laws(self, single, total):
        single.set(xlim=(-3.2, 3.2), ylim=(0, 1.1), xlabel="standardised", ylabel="density", title="One draw")
        total.set(xlim=(-4.2, 4.2), ylim=(0, 0.8), xlabel="standardised", title="Mean of n draws")
        look = {"fc": LIGHT_BLUE, "ec": plots.BLUE, "lw": 1.2, "zorder": 1}
        self.one = single.add_collection(PolyCollection([], **look))
        self.mean = total.add_collection(PolyCollection([], label="its law", **look))
        bell = {"color": plots.ORANGE, "lw": 2.4, "zorder": 2, "label": "standard normal"}
        (self.bell,) = total.plot(Z, normal_pdf(Z), "--", **bell)

    def _draw_distance(self, ax):
        ax.set(xscale="log", yscale="log", xlim=(1, 1.2 * MOST), ylim=(2e-4, 0.7))
        ax.set(xlabel="draws n", ylabel="largest |F − Φ|", title="How far apart")
        _ticks(ax.xaxis, [1, 3, 10, 30])
        _ticks(ax.yaxis, [0.001, 0.01, 0.1])
        self.here = ax.axvline(1, color=plots.PALE, lw=7, zorder=0.5)
        guides = [
            ax.plot([1, MOST], [0.3, 0.3 / MOST**power], style, color=plots.GREY, lw=1.8, label=f"as {name}")[0]
            for power, style, name in ((0.5, ":", "1/√n"), (1, "-.", "1/n"))
        ]
        (self.curve,) = ax.plot([], [], "-o", color=plots.BLUE, lw=1.6, ms=3.5, zorder=2, label="distance")
        mark = {"mfc": "white", "mec": plots.INK, "mew": 2, "zorder": 3, "clip_on": False}
        (self.now,) = ax.plot([10], [0.1], "D", ms=9, **mark)
        return guides

    def compute(self, base, n, p):
        """Return the laws of the standardised sums of 1 ... MOST draws."""
        return base, n, p, _sums(base, round(p, 3) if base in WEIGHTED else None)

    def draw(self, result):
        """Draw one draw and the mean of n, and mark their distance."""
        base, n, _, laws = result
        for artist, law in ((self.one, laws[0]), (self.mean, laws[n - 1])):
            if base == "Bernoulli":
                artist.set_verts(_boxes(law.z, law.density, law.z[1] - law.z[0]))
            else:
                artist.set_verts([_area(Z, np.interp(Z, law.z, law.density, left=0, right=0))])
        self.here.set_xdata([n, n])
        self.curve.set_data(np.arange(1, n + 1), [law.distance for law in laws[:n]])
        self.now.set_data([n], [laws[n - 1].distance])

    def describe(self, result):
        """Say how far the mean is from normal, and how lopsided."""
        base, n, p, laws = result
        law, first = laws[n - 1], laws[0]
        what = LAWS[base] + f" with p = {p:.2f}" * (base in WEIGHTED)
        words = f"Mean of **{count(n, 'draw')}** from {what}: its distribution function F "
        words += f"differs from the normal Φ by at most **{law.distance:.4f}**"
        words += f" (one draw: {first.distance:.4f}). " if n > 1 else ". "
        words += f"Its skewness is **{plain(law.skewness, '.2f')}**, that of the normal 0"
        words += ". A bar's area is a probability." if base == "Bernoulli" else "."
        words += " The weight p plays no part here." * (base not in WEIGHTED)
        rare = min(p, 1 - p)
        if base == "Bernoulli" and rare < 0.2:
            words += f" The bar of the rarer result of one draw, {_percent(rare)}, runs off the axis."
        high = law.density.max()
        return words + f" The top, {high:.2f}, is above the axis." * bool(high > 0.8)


central_limit = explorer(CentralLimit)


class Sum(NamedTuple):
    """The standardised sum, or mean, of n draws."""

    z: np.ndarray
    density: np.ndarray
    distance: float  # the largest difference from the normal distribution function
    skewness: float


@functools.lru_cache(64)
def _sums(base, p):
    return [_coin_sum(n, p) for n in range(1, MOST + 1)] if base == "Bernoulli" else _powers(*_base(base, p))


def _base(name, p):
    """Return midpoints and masses of a grid for a law with a density; p is the weight of the right bump.

    The grid is fine enough for three digits of the distance.
    """
    if name == "uniform":
        x = (np.arange(100) + 0.5) / 100
        mass = uniform_pdf(x)
    elif name == "exponential":
        x = (np.arange(280) + 0.5) / 20
        mass = exponential_pdf(x)
    else:
        x = (np.arange(240) - 119.5) / 40
        mass = (1 - p) * normal_pdf(x, -1, 0.35) + p * normal_pdf(x, 1, 0.35)
    return x, mass / mass.sum()


def _powers(x, p):
    """Return the laws of the standardised sums of 1 ... MOST draws: the grid folded with itself."""
    h, mu, sigma = x[1] - x[0], p @ x, covariance(x, p=p) ** 0.5
    skewness = p @ ((x - mu) / sigma) ** 3
    spectrum = np.fft.rfft(p, MOST * len(p))
    laws = []
    for n in range(1, MOST + 1):
        mass = np.fft.irfft(spectrum**n, MOST * len(p))[: n * (len(p) - 1) + 1]
        step = h / (sigma * n**0.5)
        z = (n * (x[0] - mu) / h + np.arange(len(mass))) * step
        edges = (np.append(z[0] - step, z) + step / 2, np.append(0, np.cumsum(mass)))
        far = np.abs(edges[1] - ndtr(edges[0])).max()
        near = np.abs(z) < 6
        laws.append(Sum(z[near], mass[near] / step, float(far), float(skewness / n**0.5)))
    return laws


def _coin_sum(n, p):
    """Return the law of the standardised number of successes; its distribution function jumps at each z."""
    mass, sd = binomial_pmf(np.arange(n + 1), n, p), (n * p * (1 - p)) ** 0.5
    z = (np.arange(n + 1) - n * p) / sd
    F = np.cumsum(mass)
    far = max(np.abs(F - ndtr(z)).max(), np.abs(F - mass - ndtr(z)).max())
    return Sum(z, mass * sd, float(far), (1 - 2 * p) / sd)


# --- Lettering -----------------------------------------------------------------------------------------------------

FONT = FontProperties(family="DejaVu Sans", math_fontfamily="dejavusans")


def _lettering(ax, places, size=12, *, align=0.5):
    """Return many short texts as one artist, repainted far quicker than one by one, and the function that sets them."""
    points = Affine2D().scale(1 / 72) + ax.figure.dpi_scale_trans
    artist = PathCollection([], offsets=places, offset_transform=ax.transData, facecolors=plots.INK, lw=0, zorder=4)
    artist.set_transform(points)
    artist.set_clip_on(False)
    ax.add_collection(artist, autolim=False)
    return artist, lambda texts: artist.set_paths([_word(text, size, align) for text in texts])


@functools.lru_cache(4096)
def _word(text, size, align):
    """Return the outline of a text, centred at mid-height of its digits; ``align`` 0, 0.5, 1 is left, middle, right."""
    letters = [_letter(text, size)] if text.startswith("$") else [_letter(c, size) for c in text]
    if not letters:
        return Path(np.empty((0, 2)))
    ends = np.cumsum([0.0, *(advance for _, advance in letters)])
    outline = np.concatenate([path.vertices + (x, 0) for (path, _), x in zip(letters, ends)])
    return Path(outline - (align * ends[-1], 0.365 * size), np.concatenate([path.codes for path, _ in letters]))


@functools.lru_cache(512)
def _letter(text, size):
    """Return the outline of a letter or formula, and how far the next one stands from it."""
    shape = functools.partial(TextPath, (0, 0), size=size, prop=FONT)
    if text.startswith("$"):
        return shape(s=text), shape(s=text).get_extents().x1
    path = Path(np.empty((0, 2)), np.empty(0, np.uint8)) if text == " " else shape(s=text)
    return path, shape(s=f"|{text}|").get_extents().x1 - shape(s="||").get_extents().x1


# --- Shapes --------------------------------------------------------------------------------------------------------


def _boxes(x, height, width):
    """Return the corners (n, 4, 2) of bars."""
    left, right, zero = x - width / 2, x + width / 2, np.zeros(len(x))
    xs, ys = np.stack([left, left, right, right], axis=1), np.stack([zero, height, height, zero], axis=1)
    return np.stack([xs, ys], axis=-1)


def _area(x, y):
    """Return the outline (n + 2, 2) of the area under a curve."""
    return np.column_stack([np.concatenate([x[:1], x, x[-1:]]), np.concatenate([[0], y, [0]])])


def _bare(ax):
    """Leave nothing of the axes but their title."""
    ax.set(xticks=[], yticks=[])
    ax.spines[:].set_visible(False)


def _ticks(axis, places):
    axis.set_major_locator(FixedLocator(places))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(lambda value, _: f"{value:g}")

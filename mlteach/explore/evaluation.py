"""Explorers of chapter 02: intervals and their promise, thresholds, folds, paired comparisons, and losses."""

import functools
from bisect import bisect_left

import numpy as np
from matplotlib import patheffects
from matplotlib.collections import LineCollection
from matplotlib.patches import Rectangle
from matplotlib.ticker import FixedLocator, MaxNLocator
from scipy.special import bdtr, ndtr

from mlteach import plots
from mlteach.datasets import breast_cancer
from mlteach.evaluation import (
    absolute,
    accuracy,
    auc,
    difference_interval,
    error_interval,
    f1_score,
    hinge,
    huber,
    k_fold,
    logistic,
    outcomes,
    paired_difference_interval,
    precision,
    recall,
    roc_curve,
    squared,
    train_test_split,
    wilson_interval,
    z_value,
    zero_one,
)
from mlteach.explore.base import Scene, choice, count, explorer, log_slider, plain, slider, whole
from mlteach.linear_regression import LinearRegression, design_matrix
from mlteach.probability import binomial_pmf

ON_TOP = {"ls": "", "mec": plots.INK, "clip_on": False, "in_layout": False}
NOW = {"marker": "D", "ms": 9, "mfc": "white", "mew": 2, "zorder": 6, **ON_TOP}
STAR = {"marker": "*", "ms": 17, "mfc": plots.YELLOW, "zorder": 5, **ON_TOP}

# --- Does the interval keep its promise? ---------------------------------------------------------------------------

PER_DECADE = 21  # 30 times its powers come near 10, 100 and 1000
SIZES = np.unique([round(30 * 10 ** (j / PER_DECADE)) for j in range(-16, 33)])
METHODS = {"Wald": error_interval, "Wilson": wilson_interval}
LOWEST, HIGHEST = -4.5, 6.5  # of the window around the true error, in standard deviations of the sample error
FEWEST = 0.005  # share of misses at which the right panel ends
CONFIDENCES = (0.50, 0.68, 0.80, 0.90, 0.95, 0.98, 0.99)


class IntervalCoverage(Scene):
    """Draw the intervals of 100 test sets and see how many miss the true error."""

    caption = (
        "Figure 2.3: 100 test sets from a classifier whose true error is the dashed line. Thick bars with a cross miss "
        "it. The scale follows n and p; grey is below 0 or above 1. Right, the exact share of all test sets whose "
        "interval misses, against the dotted promise."
    )
    play, interval = "seed", 600
    lines = 3

    def __init__(self):
        self.figure, (sets, promise) = plots.canvas(2, size=(9.6, 4.6), widths=(3, 2))
        self._draw_sets(sets)
        self._draw_promise(promise)
        self.figure.legend(**{**plots.BELOW, "columnspacing": 1.2})
        self.moving = [*self.labels, self.marks, *self.beyond, self.hits, self.misses, self.good, self.bad]
        self.moving += [self.promised, *self.kept, self.now]
        size = log_slider("test samples n", 30.0, 5, 1003, per_decade=PER_DECADE)
        size.readout_format = ".0f"
        self.controls = {
            "n": size,
            "p": slider("true error p", 0.3, 0.01, 0.5, 0.01),
            "confidence": choice("confidence", {f"{100 * c:.0f} %": c for c in CONFIDENCES}, 0.95),
            "method": choice("interval", list(METHODS)),
            "seed": whole("new test sets", 1, 1, 30),
        }

    def _draw_sets(self, ax):
        ax.set(xlim=(0, 101), ylim=(LOWEST, HIGHEST), xlabel="test set", ylabel="error")
        ax.set_title("100 test sets, 100 intervals")
        ax.xaxis.set_major_locator(FixedLocator([1, 20, 40, 60, 80, 100]))
        ax.set_yticks([0], ["0.0000"], alpha=0)  # room for the labels, which move
        ax.tick_params(axis="y", length=0)
        beside = {"transform": ax.get_yaxis_transform(), "clip_on": False, "in_layout": False}
        self.labels = [ax.text(-0.03, 0, "", ha="right", va="center", fontsize=12, **beside) for _ in range(10)]
        (self.marks,) = ax.plot([], [], marker=0, ms=5, ls="", color=plots.INK, **beside)  # ticks to the left
        self.beyond = [ax.axhspan(0, 1, fc=plots.PALE, zorder=0.5) for _ in range(2)]
        self.hits = ax.add_collection(LineCollection([], colors=plots.BLUE, lw=1.5, zorder=1, label="hits"))
        self.misses = ax.add_collection(LineCollection([], colors=plots.ORANGE, lw=3.6, zorder=2))
        self.truth = ax.axhline(0, color=plots.INK, lw=1.8, ls="--", zorder=3, label="true error p")
        (self.good,) = ax.plot([], [], "o", ms=3, color=plots.BLUE, zorder=4)
        (self.bad,) = ax.plot([], [], "X", ms=8, mfc=plots.ORANGE, mec="white", mew=0.8, zorder=5, label="misses")

    def _draw_promise(self, ax):
        ax.set(xscale="log", yscale="log", xlim=(5, 1000), ylim=(FEWEST, 1.1), xlabel="test samples n")
        ax.set(ylabel="share that misses", title="Promised and real")
        plots.ticks(ax.xaxis, [5, 10, 30, 100, 300, 1000])
        plots.ticks(ax.yaxis, [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1])
        self.promised = ax.axhline(0.05, color=plots.INK, lw=1.4, ls=":", zorder=1, label="promised")
        looks = ({"color": plots.PURPLE}, {"color": plots.GREEN, "marker": ".", "ms": 7})
        self.kept = [ax.plot([], [], zorder=2, label=name, **look)[0] for name, look in zip(METHODS, looks)]
        (self.now,) = ax.plot([], [], **NOW)

    def compute(self, n, p, confidence, method, seed):
        """Return settings, sample errors, their intervals, which of them hit, and the coverage of both methods."""
        n, p = int(min(SIZES, key=lambda size: abs(size - n))), round(p, 4)
        counts = np.sum(_mistakes(seed)[:, :n] < p, axis=1)
        ends = {k: METHODS[method](k / n, n, confidence) for k in counts.tolist()}
        intervals = np.array([ends[k] for k in counts.tolist()])
        hit = (intervals[:, 0] <= p) & (p <= intervals[:, 1])
        curves = {name: _coverage(name, p, confidence) for name in METHODS}
        return n, p, confidence, method, counts / n, intervals, hit, curves

    def draw(self, result):
        """Draw the hundred intervals and the two curves of coverage."""
        n, p, confidence, method, errors, intervals, hit, curves = result
        place, deviation = np.arange(1, 101), np.sqrt(p * (1 - p) / n)
        low, high = np.clip((intervals.T - p) / deviation, LOWEST, HIGHEST)
        bars = np.stack([np.column_stack([place, low]), np.column_stack([place, high])], axis=1)
        self.hits.set_segments(bars[hit])
        self.misses.set_segments(bars[~hit])
        heights = np.minimum((errors - p) / deviation, HIGHEST)
        self.good.set_data(place[hit], heights[hit])
        self.bad.set_data(place[~hit], heights[~hit])
        self._move_scale(p, deviation)
        self.promised.set_ydata([1 - confidence] * 2)
        for line, (name, curve) in zip(self.kept, curves.items()):
            line.set_data(SIZES, np.maximum(1 - curve, FEWEST))
            line.set_linewidth(2.6 if name == method else 1.4)
        self.now.set_data([n], [max(FEWEST, 1 - curves[method][np.searchsorted(SIZES, n)])])

    def _move_scale(self, p, deviation):
        """Put labels at round errors, and shade what lies below 0 and above 1."""
        zero, one = -p / deviation, (1 - p) / deviation
        self.beyond[0].set(y=min(zero, LOWEST), height=zero - min(zero, LOWEST))
        self.beyond[1].set(y=one, height=max(one, HIGHEST) - one)
        errors = MaxNLocator(5, steps=[1, 2, 5, 10]).tick_values(
            max(0, p + LOWEST * deviation), min(1, p + HIGHEST * deviation)
        )
        heights = (errors - p) / deviation
        shown = (heights > max(zero, LOWEST) - 1e-9) & (heights < min(one, HIGHEST) + 1e-9)
        self.marks.set_data(np.zeros(shown.sum()), heights[shown])
        for k, text in enumerate(self.labels):
            text.set_text(f"{errors[shown][k]:g}" if k < shown.sum() else "")
            text.set_y(heights[shown][k] if k < shown.sum() else 0)

    def describe(self, result):
        """Count the misses, and say whether the promise is kept."""
        n, p, confidence, method, errors, intervals, hit, curves = result
        kept = curves[method][np.searchsorted(SIZES, n)]
        words = f"n = {n}, so np = {plain(n * p)}: **{np.sum(~hit)}** of 100 intervals miss the true error {p:.2f}; "
        words += f"about {100 * (1 - confidence):.0f} should. "
        words += (
            f"Of all possible test sets **{100 * (1 - kept):.1f} %** miss, where {100 * (1 - confidence):.0f} % are "
        )
        words += "promised: it **misses too often**." if kept < confidence - 0.02 else "promised."
        return words + _oddities(errors, intervals)


interval_coverage = explorer(IntervalCoverage)


@functools.cache
def _mistakes(seed):
    return np.random.default_rng(seed).random((100, SIZES[-1]))


@functools.lru_cache(512)
def _coverage(method, p, confidence):
    """Return for every size the exact share of test sets whose interval holds p."""
    ranges = np.array([_covered(METHODS[method], int(n), p, confidence) for n in SIZES])
    return bdtr(ranges[:, 1], SIZES, p) - np.where(ranges[:, 0] > 0, bdtr(ranges[:, 0] - 1.0, SIZES, p), 0.0)


def _oddities(errors, intervals):
    """Say how many intervals have no width, or else how many leave the range of errors."""
    empty, outside = np.sum(np.ptp(intervals, axis=1) == 0), np.sum(((intervals < 0) | (intervals > 1)).any(axis=1))
    if empty:
        has, seen = "has" if empty == 1 else "have", "no mistake" + ", or nothing else," * int(errors.max() == 1)
        return f" **{count(empty, 'interval')}** {has} no width at all: {seen} was seen."
    if outside:
        leaves = "leaves" if outside == 1 else "leave"
        return f" **{count(outside, 'interval')}** {leaves} the range of errors, 0 to 1."
    return ""


def _covered(interval, n, p, confidence):
    """Return the first and the last number of mistakes in n whose interval holds p (at most one half)."""
    first = bisect_left(range(n + 1), True, key=lambda k: interval(k / n, n, confidence).high >= p)
    last = bisect_left(range(n + 1), True, lo=first, key=lambda k: interval(k / n, n, confidence).low > p)
    return first, last - 1


# --- The decision threshold ----------------------------------------------------------------------------------------

PATIENTS = 1000
BINS = np.arange(-0.3, 1.501, 0.06)


class DecisionThreshold(Scene):
    """Move the threshold of a score and watch the confusion matrix, the ROC curve and the cost."""

    caption = (
        "Figure 2.11: a patient is called ill when a linear score reaches τ. (The 1000 scores are quantiles of "
        "284 held-out breast masses; ill means malignant.) The diamond is this τ, the star the cheapest one; a false "
        "alarm costs 1. All points of the dotted line cost the same."
    )
    lines = 3

    def __init__(self):
        self.figure, ((hist, roc), (costs, table)) = plots.canvas(2, rows=2, size=(9.6, 5.7), widths=(3, 2))
        self._draw_scores(hist)
        self._draw_costs(costs)
        self._draw_roc(roc)
        self.numbers = _confusion_table(table)
        self.figure.legend(**plots.BELOW)
        self.moving = [self.well, self.sick, self.cut, *self.said, self.cut_below, self.cost_curve, self.cheap_cost]
        self.moving += [self.now_cost, self.same, self.curve, self.area, self.cheap_rates, self.now_rates]
        self.moving += self.numbers
        self.controls = {
            "threshold": slider("threshold τ", 0.5, -0.3, 1.5, 0.01),
            "prevalence": slider("share of ill π", 0.37, 0.01, 0.9, 0.01),
            "ratio": log_slider("cost of a miss", 1.0, 0.1, 100, per_decade=10),
        }

    def _draw_scores(self, ax):
        ax.set(xlim=(BINS[0], BINS[-1]), ylim=(0, 150), ylabel="patients", title=f"Scores of {PATIENTS} patients")
        ax.set(xticks=np.arange(-0.2, 1.5, 0.2), yticks=[0, 50, 100, 150])
        zeros, fill = np.zeros(len(BINS) - 1), {"fill": True, "lw": 1.6}
        self.well = ax.stairs(zeros, BINS, fc=(plots.BLUE, 0.3), ec=plots.BLUE, label="well", **fill)
        orange = {"fc": (plots.ORANGE, 0.3), "ec": plots.ORANGE, "hatch": "///"}
        self.sick = ax.stairs(zeros, BINS, label="ill", **orange, **fill)
        self.cut = ax.axvline(0.5, color=plots.INK, ls="--", lw=2, zorder=4, label="threshold τ")
        self.said = [
            ax.text(0, 146, words, ha=side, va="top", fontsize=12, zorder=5, clip_on=True)
            for words, side in (("called well ←", "right"), ("→ called ill", "left"))
        ]

    def _draw_costs(self, ax):
        ax.set(xlim=(BINS[0], BINS[-1]), ylim=(0, 1.02), xlabel="score and threshold τ", ylabel="cost (1 = all wrong)")
        ax.set(title="What it costs", xticks=np.arange(-0.2, 1.5, 0.2), yticks=[0, 0.25, 0.5, 0.75, 1])
        self.cut_below = ax.axvline(0.5, color=plots.INK, ls="--", lw=2, zorder=1)
        (self.cost_curve,) = ax.plot([], [], color=plots.PURPLE, zorder=2, drawstyle="steps-pre")
        (self.cheap_cost,) = ax.plot([], [], label="cheapest", **STAR)
        (self.now_cost,) = ax.plot([], [], label="now", **NOW)

    def _draw_roc(self, ax):
        ax.set(xlim=(0, 1), ylim=(0, 1), xlabel="false positive rate", ylabel="true positive rate", aspect="equal")
        ax.set(title="ROC curve", xticks=[0, 0.5, 1], yticks=[0, 0.5, 1])
        ax.plot([0, 1], [0, 1], color=plots.GREY, lw=1, zorder=0.5)
        (self.same,) = ax.plot([], [], color=plots.GREEN, ls=":", lw=2, zorder=1, label="equal cost")
        (self.curve,) = ax.plot([], [], color=plots.PURPLE, zorder=2)
        box = {"fc": "white", "ec": "none", "pad": 1}
        self.area = ax.text(0.97, 0.05, "", ha="right", fontsize=13, zorder=3, bbox=box)
        (self.cheap_rates,) = ax.plot([], [], **STAR)
        (self.now_rates,) = ax.plot([], [], **NOW)

    def compute(self, threshold, prevalence, ratio):
        """Return settings, patients, who is called ill, the rates of every threshold, and their costs."""
        y, s, rates, bars = _patients(prevalence)
        called = (s >= threshold).astype(int)
        n_ill = int(y.sum())
        n_well = PATIENTS - n_ill
        cost = ratio * n_ill * (1 - rates.tpr) + n_well * rates.fpr
        return threshold, ratio, n_ill, n_well, y, called, rates, bars, cost, int(np.argmin(cost))

    def draw(self, result):
        """Move the threshold in all four panels."""
        threshold, ratio, n_ill, n_well, y, called, rates, bars, cost, best = result
        tp, fp, fn, tn = outcomes(y, called)
        self.well.set_data(bars[0])
        self.sick.set_data(bars[1])
        for line in (self.cut, self.cut_below):
            line.set_xdata([threshold, threshold])
        for text, gap in zip(self.said, (-0.02, 0.02)):
            text.set_x(threshold + gap)
        worst = ratio * n_ill + n_well
        ends = np.append(np.minimum(rates.thresholds, BINS[-1]), BINS[0])
        self.cost_curve.set_data(ends[::-1], np.append(cost, cost[-1])[::-1] / worst)
        self.now_cost.set_data([threshold], [(ratio * fn + fp) / worst])
        self.cheap_cost.set_data([np.clip(rates.thresholds[best], BINS[0], BINS[-1])], [cost[best] / worst])
        self.curve.set_data(rates.fpr, rates.tpr)
        self.area.set_text(f"AUC {auc(rates.fpr, rates.tpr):.2f}")
        x, t, steep = fp / n_well, tp / n_ill, n_well / (ratio * n_ill)
        self.now_rates.set_data([x], [t])
        self.cheap_rates.set_data([rates.fpr[best]], [rates.tpr[best]])
        self.same.set_data(*plots.line_ends((steep, -1.0), t - steep * x, self.same.axes))
        for text, number in zip(self.numbers, (tp, fn, fp, tn)):
            text.set_text(str(number))

    def describe(self, result):
        """Give the measures at this threshold, its cost, and the cheapest one."""
        threshold, ratio, n_ill, n_well, y, called, rates, _, cost, best = result
        _, fp, fn, _ = outcomes(y, called)
        words = f"Precision **{precision(y, called):.2f}**, recall **{recall(y, called):.2f}**, F1 "
        words += f"**{f1_score(y, called):.2f}**, accuracy **{accuracy(y, called):.2f}** "
        words += f"(calling everybody well: {n_well / PATIENTS:.2f}). " if called.any() else "(nobody is called ill). "
        words += f"{count(fn, 'miss') if fn == 1 else f'{fn} misses'} at {ratio:.3g} and "
        words += f"{count(fp, 'false alarm')} at 1 cost **{_amount(ratio * fn + fp)}**; "
        least = f"**{_amount(cost[best])}**"
        if not np.isfinite(rates.thresholds[best]):
            return words + f"cheapest is to call **nobody** ill, at {least}."
        if best == len(cost) - 1:
            return words + f"cheapest is to call **everybody** ill, at {least}."
        return words + f"cheapest is τ = **{plain(rates.thresholds[best], '.2f')}**, at {least}."


decision_threshold = explorer(DecisionThreshold)


@functools.cache
def _held_out_scores():
    """Return the scores of ill and of well patients, from a line that was fitted to the other half of the data."""
    data = breast_cancer()
    ill = (data.y == data.target_names.index("malignant")).astype(float)
    inputs = [data.feature_names.index(name) for name in ("mean texture", "mean compactness")]
    parts = train_test_split(data.X[:, inputs], ill, test_size=0.5, rng=0)
    scores = LinearRegression().fit(parts.X_train, parts.y_train).predict(parts.X_test)
    return scores[parts.y_test == 1], scores[parts.y_test == 0]


@functools.lru_cache(128)
def _patients(prevalence):
    """Return labels, scores, ROC curve and bars of the histogram for a share of ill patients."""
    n_ill, (of_ill, of_well) = round(PATIENTS * prevalence), _held_out_scores()
    s = np.append(_spread(of_ill, n_ill), _spread(of_well, PATIENTS - n_ill))
    y = np.append(np.ones(n_ill, int), np.zeros(PATIENTS - n_ill, int))
    return y, s, roc_curve(y, s), [np.histogram(s[y == side], BINS)[0] for side in (0, 1)]


def _spread(values, n):
    """Return n values whose distribution is that of ``values``."""
    return np.quantile(values, (np.arange(n) + 0.5) / n)


def _confusion_table(ax):
    """Draw the empty two by two table; return the texts of its counts: TP, FN, FP, TN."""
    ax.set(xlim=(-0.42, 2), ylim=(0, 2.3), aspect="auto", title="Confusion matrix")
    ax.set(xticks=[], yticks=[])
    ax.spines[:].set_visible(False)
    texts = []
    for row, truly in enumerate(("ill", "well")):
        ax.text(-0.06, 1.5 - row, truly, ha="right", va="center", fontsize=13, zorder=2)
        for column in (0, 1):
            right = row == column
            x, y = column, 1 - row
            wash = plots.BLUE_WASH if right else plots.ORANGE_WASH
            ax.add_patch(Rectangle((x, y), 1, 1, fc=wash, ec="white", lw=3, zorder=1))
            name = (("true positives", "misses (FN)"), ("false alarms (FP)", "true negatives"))[row][column]
            ax.text(x + 0.5, y + 0.14, name, ha="center", va="bottom", fontsize=11, zorder=2)
            size = {"ha": "center", "va": "center", "fontsize": 22, "fontweight": "bold", "zorder": 3}
            texts.append(ax.text(x + 0.5, y + 0.62, "", **size))
    for column, words in enumerate(("called ill", "called well")):
        ax.text(column + 0.5, 2.06, words, ha="center", va="bottom", fontsize=13, zorder=2)
    return texts


def _amount(value):
    return f"{value:,.0f}" if value >= 100 or abs(value - round(value)) < 1e-9 else f"{value:.1f}"


# --- How many folds? -----------------------------------------------------------------------------------------------

N, SETS = 20, 500
FOLDS = np.arange(2, N + 1)
SEEDS = {1: 12, 3: 15, 5: 39}  # by number of inputs; typical: bias and spread are near those of 20,000 data sets
APART = 1.0  # each class mean is this far from the middle, in standard deviations
BARS = np.arange(-47.5, 48, 5)


class FoldCount(Scene):
    """Change the number of folds and see how far, and how systematically, the estimate is off."""

    caption = (
        "Figure 2.5: cross-validation of a linear score for two classes, on 500 data sets whose true error is known. "
        "Left, how far each estimate is off; right, the mean of these gaps (bias) and their standard deviation "
        "(spread), from 2 folds up to k."
    )
    play, interval = "k", 500
    lines = 3

    def __init__(self):
        _estimates_minus_truth(5)
        self.figure, (hist, curves) = plots.canvas(2, size=(9.6, 4.6), widths=(3, 2.6))
        self._draw_histogram(hist)
        self._draw_curves(curves)
        self.figure.legend(**plots.BELOW)
        self.moving = [self.bars, self.reach, self.middle, self.word]
        self.moving += [self.here, self.total, self.spread, self.bias, self.now]
        self.controls = {
            "k": whole("folds k", 10, 2, N),
            "d": choice("inputs of the learner", {"1 input": 1, "3 inputs": 3, "5 inputs": 5}, 5),
        }

    def _draw_histogram(self, ax):
        ax.set(xlim=(-45, 45), ylim=(0, 150), xlabel="estimate − true error (points)", ylabel="data sets")
        ax.set(title=f"{SETS} data sets of {N} samples", xticks=np.arange(-40, 41, 20), yticks=np.arange(0, 141, 20))
        fill = {"fill": True, "fc": (plots.BLUE, 0.3), "ec": plots.BLUE, "lw": 1.6, "zorder": 1}
        self.bars = ax.stairs(np.zeros(len(BARS) - 1), BARS, **fill)
        ax.plot([0, 0], [0, 116], color=plots.INK, lw=1.6, ls="--", zorder=2, label="estimate is right")
        (self.reach,) = ax.plot([], [], "|-", color=plots.BLUE, lw=3, ms=16, mew=3, zorder=3)
        (self.middle,) = ax.plot([], [], "o", color=plots.ORANGE, ms=11, mec="white", mew=1.2, zorder=4)
        self.word = ax.text(0, 145, "", ha="center", va="top", fontsize=12, zorder=5)

    def _draw_curves(self, ax):
        ax.set(xlim=(1.5, N + 0.5), ylim=(-2, 18), xlabel="folds k", ylabel="percentage points")
        ax.set(title="Bias and spread", xticks=[2, 5, 10, 15, 20], yticks=[0, 5, 10, 15])
        ax.axhline(0, color=plots.INK, lw=1, zorder=0.6)
        self.here = ax.axvline(5, color=plots.PALE, lw=7, zorder=0.5)
        (self.total,) = ax.plot([], [], ":", color=plots.INK, lw=1.8, zorder=1, label="both (root mean square)")
        (self.spread,) = ax.plot([], [], "--s", color=plots.BLUE, ms=5, lw=1.8, zorder=2, label="spread")
        (self.bias,) = ax.plot([], [], "-o", color=plots.ORANGE, ms=5, lw=1.8, zorder=3, label="bias")
        self.now = ax.scatter([5, 5], [0, 0], s=95, c=[plots.ORANGE, plots.BLUE], edgecolors=plots.INK, zorder=4)

    def compute(self, k, d):
        """Return settings, the gaps at this k, and for every k their mean, spread and root mean square."""
        gap = _estimates_minus_truth(d)
        means, spreads = gap.mean(axis=1), gap.std(axis=1, ddof=1)
        return k, d, gap[k - 2], means, spreads, np.sqrt(np.mean(gap**2, axis=1))

    def draw(self, result):
        """Draw the histogram of the gaps, and mark k on the curves."""
        k, _, gap, means, spreads, totals = result
        m, s = means[k - 2], spreads[k - 2]
        self.bars.set_data(np.histogram(gap, BARS)[0])
        self.reach.set_data([m - s, m + s], [126, 126])
        self.middle.set_data([m], [126])
        self.word.set_x(m)
        self.word.set_text("mean ± spread")
        self.here.set_xdata([k, k])
        for line, values in ((self.total, totals), (self.spread, spreads), (self.bias, means)):
            line.set_data(FOLDS[: k - 1], values[: k - 1])  # what lies ahead is for the reader to predict
        self.now.set_offsets([[k, m], [k, s]])

    def describe(self, result):
        """Say on how many samples the learner trains, and give bias and spread."""
        k, d, gap, means, spreads, totals = result
        how = "**leave-one-out**" if k == N else f"**{k}** folds"
        rest = f"{N - -(-N // k)}" if N % k == 0 else f"{N - -(-N // k)} or {N - N // k}"
        words = f"With {how} the learner trains {k} times on {rest} of {N} samples. "
        m = means[k - 2]
        words += f"The estimate is on average **{plain(abs(m))}** points too {'high' if m > 0 else 'low'} (bias) and "
        words += f"scatters by **{spreads[k - 2]:.1f}** points (spread) around that. "
        far = np.mean(np.abs(gap) > 10)
        return words + f"**{100 * far:.0f} %** of the data sets get an estimate more than 10 points off."


fold_count = explorer(FoldCount)


@functools.cache
def _estimates_minus_truth(d):
    """Return, for every k, cross-validated minus true error (k, SETS) in points, of least squares on d inputs.

    Two classes of unit variance at -1 and +1 on the first input; the other inputs are noise. The true error is that
    of the rule learnt from all N samples. All data sets go through each fold together, so that it is quick.
    """
    rng = np.random.default_rng(SEEDS[d])
    t = rng.choice([-1.0, 1.0], (SETS, N))
    X = rng.normal(size=(SETS, N, d))
    X[..., 0] += APART * t
    X = design_matrix(X.reshape(-1, d)).reshape(SETS, N, -1)

    def learn(rows):
        A = X[:, rows]
        return np.linalg.solve(A.mT @ A, A.mT @ t[:, rows, None])

    w = learn(np.arange(N))[..., 0]
    size, offset, slope = np.linalg.norm(w[:, 1:], axis=1), w[:, 0], APART * w[:, 1]
    truth = (ndtr((offset - slope) / size) + ndtr((-offset - slope) / size)) / 2
    gaps = []
    for k in FOLDS:
        wrong = [
            np.mean((X[:, test] @ learn(train))[..., 0] * t[:, test] <= 0, axis=1)
            for train, test in k_fold(N, int(k), rng=1)
        ]
        gaps.append(np.mean(wrong, axis=0) - truth)
    return 100 * np.array(gaps)


# --- Paired or not -------------------------------------------------------------------------------------------------

ERROR_A, SHOWN = 0.20, 50
DIFFERENCES = np.linspace(0, 0.1, 21)


class PairedComparison(Scene):
    """Compare two classifiers on one test set, with and without pairing their mistakes."""

    caption = (
        "Figure 2.7: classifier A errs on 20 % of the samples, B on d less, and a share s of B's mistakes are "
        "A's too. Both intervals (95 %) have one centre; the paired one, thick, uses only the samples on which A "
        "and B differ (with d = 0 and s = 1 A and B are one program). Right, how often each leaves 0 outside."
    )
    lines = 3

    def __init__(self):
        self.samples = np.random.default_rng(107).random((SHOWN, 3000))
        self.figure, (sets, power) = plots.canvas(2, size=(9.6, 4.7), widths=(3, 2))
        self._draw_sets(sets)
        self._draw_power(power)
        self.figure.legend(**plots.BELOW)
        self.moving = [self.here, self.truth, self.unpaired, self.paired, self.clear]
        self.moving += [self.by_unpaired, self.by_paired, self.now]
        size = log_slider("test samples n", 300.0, 100, 3000, per_decade=PER_DECADE)
        size.readout_format = ".0f"
        self.controls = {
            "difference": slider("true difference d", 0.05, 0, 0.1, 0.005, digits=3),
            "n": size,
            "overlap": slider("shared mistakes s", 0.7, 0, 1, 0.05),
            "shown": whole("test set read out", 1, 1, SHOWN),
        }

    def _draw_sets(self, ax):
        ax.set(xlim=(0, SHOWN + 1), ylim=(-12, 26), xlabel="test set", ylabel="error of A − error of B (points)")
        ax.set(title=f"{SHOWN} test sets", xticks=[1, 10, 20, 30, 40, 50], yticks=[-10, 0, 10, 20])
        ax.axhline(0, color=plots.INK, lw=1.2, zorder=0.6)
        self.here = ax.axvline(1, color=plots.PALE, lw=8, zorder=0.5)
        halo = [patheffects.withStroke(linewidth=3.6, foreground="white")]
        self.truth = ax.axhline(0, color=plots.GREEN, lw=2.2, ls="--", zorder=7, label="true difference")
        self.truth.set_path_effects(halo)
        thin, thick = (LineCollection([], colors=c, lw=lw) for c, lw in ((plots.ORANGE, 1.5), (plots.BLUE, 4)))
        self.unpaired, self.paired = ax.add_collection(thin), ax.add_collection(thick)
        self.unpaired.set(zorder=3.5, label="as if independent")
        self.paired.set(zorder=3, label="paired")
        look = {"ms": 6, "mfc": "white", "mec": plots.INK, "mew": 1.4, "zorder": 6}
        (self.clear,) = ax.plot([], [], "D", label="paired: 0 outside", **look)

    def _draw_power(self, ax):
        ax.set(xlim=(0, 10), ylim=(0, 102), xlabel="true difference (points)", ylabel="call a difference (%)")
        ax.set(title="How often it shows", xticks=[0, 2, 4, 6, 8, 10], yticks=[0, 20, 40, 60, 80, 100])
        ax.axhline(5, color=plots.GREY, lw=1.4, ls=":", zorder=0.6)
        ax.text(9.9, 6, "5 %", ha="right", va="bottom", fontsize=11, zorder=1)
        (self.by_unpaired,) = ax.plot([], [], "--", color=plots.ORANGE, zorder=2)
        (self.by_paired,) = ax.plot([], [], "-", color=plots.BLUE, zorder=3)
        self.now = ax.scatter([0, 0], [0, 0], s=95, c=[plots.ORANGE, plots.BLUE], edgecolors=plots.INK, zorder=4)
        self.now.set_clip_on(False)

    def compute(self, difference, n, overlap, shown):
        """Return settings, the mistakes of both, both kinds of interval, and how often each calls a difference."""
        n = round(n)
        _, both, only_a, only_b = _joint(difference, overlap)
        u = self.samples[:, :n]
        a_wrong, b_wrong = u < only_a + both, ((u >= only_a) & (u < only_a + both)) | (u >= 1 - only_b)
        wrong_a, wrong_b = a_wrong.sum(axis=1), b_wrong.sum(axis=1)
        a_only = (a_wrong & ~b_wrong).sum(axis=1)
        b_only = wrong_b - (wrong_a - a_only)
        errors = zip((wrong_a / n).tolist(), (wrong_b / n).tolist())
        loose = 100 * np.array([difference_interval(a, n, b, n) for a, b in errors])
        tight = 100 * np.column_stack(_paired_interval(a_only, b_only, n))
        row = shown - 1
        tight[row] = 100 * np.array(paired_difference_interval(np.zeros(n, bool), a_wrong[row], b_wrong[row]))
        return difference, n, shown, wrong_a, wrong_b, loose, tight, 100 * _power(n, round(overlap, 4))

    def draw(self, result):
        """Draw both intervals of every test set, and mark the difference on the curves."""
        difference, n, shown, wrong_a, wrong_b, loose, tight, curves = result
        place = np.arange(1, SHOWN + 1)
        for bars, ends in ((self.unpaired, loose), (self.paired, tight)):
            bars.set_segments([[(x, low), (x, high)] for x, (low, high) in zip(place, np.clip(ends, -60, 60))])
        found = _excludes_zero(tight)
        self.clear.set_data(place[found], (100 * (wrong_a - wrong_b) / n)[found])
        self.truth.set_ydata([100 * difference] * 2)
        self.here.set_xdata([shown, shown])
        for line, curve in zip((self.by_unpaired, self.by_paired), curves):
            line.set_data(100 * DIFFERENCES, curve)
        self.now.set_offsets([[100 * difference, chance] for chance in _at(difference, curves)])

    def describe(self, result):
        """Read out one test set, then count all of them."""
        difference, n, shown, wrong_a, wrong_b, loose, tight, curves = result
        words = f"Test set {shown}: of {n} samples A gets **{wrong_a[shown - 1]}** wrong, B **{wrong_b[shown - 1]}**. "
        words += " ".join(
            _verdict(name, ends[shown - 1], _excludes_zero(ends[[shown - 1]])[0])
            for name, ends in (("As if independent", loose), ("Paired", tight))
        )
        if loose[shown - 1].sum() == 0 == np.ptp(tight[shown - 1]):
            words += " Not one sample is disputed."
        found = [int(_excludes_zero(ends).sum()) for ends in (loose, tight)]
        what = "a difference" if difference else "one that is not there"
        words += f" Of {SHOWN} test sets **{found[0]}** and **{found[1]}** call {what} "
        return words + "(about {:.0f} % and {:.0f} % expected).".format(*_at(difference, curves))


paired_comparison = explorer(PairedComparison)


@functools.lru_cache(512)
def _power(n, overlap):
    return np.array([_chances(d, n, overlap) for d in DIFFERENCES]).T


def _at(difference, curves):
    return [float(np.interp(difference, DIFFERENCES, curve)) for curve in curves]


def _joint(difference, overlap):
    """Return B's error and the chances that both, only A, and only B are wrong."""
    error_b = ERROR_A - difference
    both = overlap * error_b
    return error_b, both, ERROR_A - both, error_b - both


def _paired_interval(only_a, only_b, n, confidence=0.95):
    """Return the ends of many `paired_difference_interval` at once, from counts of what only A and only B get wrong."""
    mean = (only_a - only_b) / n
    half = z_value(confidence) * np.sqrt(((only_a + only_b) / n - mean**2) / n)
    return mean - half, mean + half


def _chances(difference, n, overlap):
    """Return how often the unpaired and the paired interval leave 0 outside.

    Unpaired: the normal approximation, with the half-width at the true errors. Paired: of m disagreements a go against
    A, and 0 is outside when |2 a - m| > z sqrt(m / (1 + z^2 / n)); summed over all likely m.
    """
    error_b, _, only_a, only_b = _joint(difference, overlap)
    q = only_a + only_b
    if q == 0:
        return 0.0, 0.0
    z = z_value(0.95)
    low, high = difference_interval(ERROR_A, n, error_b, n)
    half, deviation = (high - low) / 2, np.sqrt((q - difference**2) / n)
    unpaired = ndtr((difference - half) / deviation) + ndtr((-difference - half) / deviation)
    reach = 4.5 * np.sqrt(n * q) + 2
    m = np.arange(max(1, int(n * q - reach)), min(n, int(n * q + reach)) + 1)
    paired = binomial_pmf(m, n, q) @ _outside(m, only_a / q, z * np.sqrt(m / (1 + z**2 / n)))
    return float(unpaired), float(paired)


def _outside(m, share, limit):
    """Return the chance that |2 a - m| > limit when a is binomial: m trials that succeed with the given share."""
    top, bottom = np.minimum(np.floor((m + limit) / 2), m), np.ceil((m - limit) / 2) - 1
    return 1 - bdtr(top, m, share) + np.where(bottom >= 0, bdtr(np.maximum(bottom, 0), m, share), 0.0)


def _excludes_zero(ends):
    return (ends[:, 0] > 0) | (ends[:, 1] < 0)


def _verdict(name, ends, clear):
    form = ".1f" if all(abs(end) >= 0.05 for end in ends) or not ends.any() else ".2f"
    words = f"{name}: {plain(ends[0], form)} to {plain(ends[1], form)} points, "
    if not clear:
        return words + "0 within: **no difference shown**."
    return words + f"0 outside: **{'B' if ends[0] > 0 else 'A'} errs less**."


# --- Losses --------------------------------------------------------------------------------------------------------

POINTS = np.array([1.2, 2.6, 3.9, 4.8, 6.1, 7.4])
FAR = np.linspace(0, 20, 81)
PLACES = np.linspace(2, 8, 1201)
R = np.linspace(-4, 4, 321)


LOSSES = {  # by the summary that makes their sum least: look, row and marker
    "mean": ({"color": plots.ORANGE, "ls": "-"}, 3, "^"),
    "Huber": ({"color": plots.GREEN, "ls": "-."}, 2, "D"),
    "median": ({"color": plots.BLUE, "ls": "--"}, 1, "s"),
}


class LossShapes(Scene):
    """Pull one point away and see how far it drags the value that minimises each loss."""

    caption = (
        "Figure 2.13: left, losses of a margin and of a residual. Right, six values and an outlier (cross), the "
        "constants that make three sums of losses least, and their way as the outlier came from 0."
    )
    lines = 3

    def __init__(self):
        self.figure, ((classes, strip), (residuals, drag)) = plots.canvas(2, rows=2, size=(9.6, 5.7), widths=(1, 1.15))
        self._draw_classes(classes)
        self._draw_residuals(residuals)
        self._draw_strip(strip)
        self._draw_drag(drag)
        self.moving = [self.side_m, self.at_m, *self.kinks, self.bend, self.outlier, self.side_x]
        self.moving += [
            artists[name] for artists in (self.best, self.written, self.tracks, self.dots) for name in LOSSES
        ]
        self.controls = {
            "delta": log_slider("bend of Huber δ", 2.0, 0.05, 10.1, per_decade=20),
            "outlier": slider("place of the outlier", 8.0, 0, 20, 0.25),
            "margin": slider("margin m", -0.5, -2.5, 3, 0.1, digits=1),
        }

    def _draw_classes(self, ax):
        m = np.linspace(-2.5, 3, 221)
        ax.set(xlim=(-2.5, 3), ylim=(0, 3.6), xlabel="margin m = t f(x)", ylabel="loss", title="Losses for classes")
        ax.set(xticks=[-2, -1, 0, 1, 2, 3], yticks=[0, 1, 2, 3])
        self.side_m = ax.axvline(0, color=plots.PALE, lw=7, zorder=0.5)
        ax.plot([-2.5, 0, np.nan, 0, 3], [1, 1, np.nan, 0, 0], color=plots.INK, lw=2.6, zorder=2, label="0-1")
        ax.plot(m, hinge(m), "--", color=plots.PURPLE, zorder=2, label="hinge")
        ax.plot(m, logistic(m) / np.log(2), "-.", color=plots.SKY, lw=2.8, zorder=2, label="logistic / ln 2")
        (self.at_m,) = ax.plot([], [], **NOW)
        ax.legend(loc="upper right")

    def _draw_residuals(self, ax):
        ax.set(xlim=(-4, 4), ylim=(0, 8), xlabel="residual r", ylabel="loss", title="Losses for numbers")
        ax.set(xticks=[-4, -2, 0, 2, 4], yticks=[0, 2, 4, 6, 8])
        self.kinks = [ax.axvline(0, color=plots.GREY, lw=1.3, ls=":", zorder=1) for _ in range(2)]
        ax.plot(R, squared(R), zorder=2, label="r²", **LOSSES["mean"][0])
        (self.bend,) = ax.plot([], [], zorder=3, label="Huber", **LOSSES["Huber"][0])
        ax.plot(R, absolute(R), zorder=2, label="|r|", **LOSSES["median"][0])
        ax.legend(loc="upper center")

    def _draw_strip(self, ax):
        ax.set(xlim=(-0.5, 20.5), ylim=(-0.7, 3.7), xlabel="value", title="Seven values and their best summaries")
        ax.set(xticks=[0, 5, 10, 15, 20], yticks=[0, 1, 2, 3])
        ax.set_yticklabels(["values", "median, |r|", "Huber", "mean, r²"])
        ax.plot(POINTS, np.zeros(6), "o", ms=9, mfc="white", mec=plots.INK, mew=1.8, zorder=3)
        (self.outlier,) = ax.plot([], [], "X", ms=13, mfc=plots.PURPLE, mec="white", zorder=4)
        self.best, self.written = {}, {}
        for name, (look, row, marker) in LOSSES.items():
            (self.best[name],) = ax.plot([], [], marker, ms=11, color=look["color"], zorder=4)
            self.written[name] = ax.text(0, row, "", va="center", fontsize=13, zorder=5)

    def _draw_drag(self, ax):
        ax.set(xlim=(-0.5, 20.5), ylim=(3.4, 6.8), xlabel="place of the outlier", ylabel="best summary")
        ax.set(title="How far the outlier drags it", xticks=[0, 5, 10, 15, 20], yticks=[4, 5, 6])
        self.side_x = ax.axvline(0, color=plots.PALE, lw=7, zorder=0.5)
        self.tracks, self.dots = {}, {}
        for name, (look, _, marker) in LOSSES.items():
            (self.tracks[name],) = ax.plot([], [], zorder=2, **look)
            (self.dots[name],) = ax.plot([], [], marker, ms=10, color=look["color"], mec=plots.INK, zorder=4)

    def compute(self, delta, outlier, margin):
        """Return settings, the best summaries for every place of the outlier, and those for this one."""
        delta = float(f"{delta:.4g}")
        losses = {"mean": squared, "Huber": functools.partial(huber, delta=delta), "median": absolute}
        everywhere = {name: _tracks(loss) if name == "Huber" else _known_track(loss) for name, loss in losses.items()}
        now = {name: _tracks(loss, np.array([outlier]))[0] for name, loss in losses.items()}
        return delta, outlier, margin, everywhere, now

    def draw(self, result):
        """Bend Huber's loss, move the outlier and what it drags along, and mark the margin."""
        delta, place, margin, everywhere, now = result
        self.side_m.set_xdata([margin, margin])
        self.at_m.set_data([margin] * 3, [zero_one(margin), hinge(margin), logistic(margin) / np.log(2)])
        self.bend.set_data(R, huber(R, delta))
        for line, at in zip(self.kinks, (-delta, delta)):
            line.set_xdata([at, at])
        self.outlier.set_data([place], [0])
        self.side_x.set_xdata([place, place])
        for name, (_, row, _) in LOSSES.items():
            self.best[name].set_data([now[name]], [row])
            self.written[name].set_x(now[name] + 0.75)
            self.written[name].set_text(f"{now[name]:.2f}")
            self.tracks[name].set_data(FAR[FAR <= place], everywhere[name][FAR <= place])
            self.dots[name].set_data([place], [now[name]])

    def describe(self, result):
        """Give the three best summaries, and the three losses of the margin."""
        delta, place, margin, _, now = result
        words = f"With one value at **{place:.2f}** the sum of r² is least at **{now['mean']:.2f}** (mean), that of "
        words += f"|r| at **{now['median']:.2f}** (median), the Huber loss with δ = {delta:.3g} at "
        words += f"**{now['Huber']:.2f}**. At margin m = {plain(margin, '.2f')} the 0-1 loss is "
        words += f"**{zero_one(margin):.0f}**, hinge **{hinge(margin):.2f}**, logistic / ln 2 "
        return words + f"**{logistic(margin) / np.log(2):.2f}**."


loss_shapes = explorer(LossShapes)


def _tracks(loss, outliers=FAR):
    """Return, for each outlier, the place in PLACES where the summed loss of all seven values is least."""
    calm = loss(POINTS - PLACES[:, None]).sum(axis=1)
    return PLACES[np.argmin(calm + loss(outliers[:, None] - PLACES), axis=1)]


_known_track = functools.cache(_tracks)

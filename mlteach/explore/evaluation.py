"""Explorers of chapter 02: intervals and their promise, thresholds, folds, paired comparisons, and losses."""

import functools
from bisect import bisect_left

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.patches import Rectangle
from matplotlib.ticker import FixedLocator, NullLocator
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
from mlteach.explore.base import Explorer, choice, count, explorer, log_slider, plain, slider, whole
from mlteach.linear_regression import LinearRegression, design_matrix
from mlteach.probability import binomial_pmf

ON_TOP = {"ls": "", "mec": plots.INK, "clip_on": False, "in_layout": False}
NOW = {"marker": "D", "ms": 9, "mfc": "white", "mew": 2, "zorder": 6, **ON_TOP}
STAR = {"marker": "*", "ms": 17, "mfc": plots.YELLOW, "zorder": 5, **ON_TOP}

# --- Does the interval keep its promise? ---------------------------------------------------------------------------

PER_DECADE = 21  # 30 times its powers come near 10, 100 and 1000
METHODS = {"normal, ± z": error_interval, "Wilson": wilson_interval}
CONFIDENCES = (0.50, 0.68, 0.80, 0.90, 0.95, 0.98, 0.99)


@explorer
def interval_coverage():
    """Draw the intervals of 100 test sets and see how many miss the true error."""
    sizes = np.unique([round(30 * 10 ** (j / PER_DECADE)) for j in range(-16, 33)])
    mistakes = functools.cache(lambda seed: np.random.default_rng(seed).random((100, sizes[-1])))

    figure, (sets, promise) = plots.canvas(2, size=(9.6, 4.6), widths=(3, 2))
    sets.set(xlim=(0, 101), xlabel="test set", ylabel="error (square-root scale)", title="100 test sets, 100 intervals")
    sets.set_yscale("function", functions=(lambda e: np.sign(e) * np.sqrt(np.abs(e)), lambda u: np.sign(u) * u**2))
    sets.set_ylim(-0.07, 1.05)
    sets.yaxis.set_major_locator(FixedLocator([-0.05, 0, 0.02, 0.1, 0.2, 0.3, 0.5, 0.7, 1]))
    sets.set_yticklabels(["−0.05", "0", "0.02", "0.1", "0.2", "0.3", "0.5", "0.7", "1"])
    sets.xaxis.set_major_locator(FixedLocator([1, 20, 40, 60, 80, 100]))
    sets.axhline(0, color=plots.GREY, lw=0.8, zorder=0.5)
    hits = sets.add_collection(LineCollection([], colors=plots.BLUE, lw=1.5, zorder=1, label="hits"))
    misses = sets.add_collection(LineCollection([], colors=plots.ORANGE, lw=3.6, zorder=2, label="misses"))
    truth = sets.axhline(0.3, color=plots.INK, lw=1.8, ls="--", zorder=3, label="true error p")
    (good,) = sets.plot([], [], "o", ms=3, color=plots.BLUE, zorder=4)
    (bad,) = sets.plot([], [], "X", ms=8, mfc=plots.ORANGE, mec="white", mew=0.8, zorder=5)

    promise.set(xscale="log", xlim=(5, 1000), ylim=(0, 1.02), xlabel="test samples n", ylabel="share that hits")
    promise.set(title="Promised and kept", yticks=np.arange(0, 1.01, 0.2))
    promise.xaxis.set_major_locator(FixedLocator([5, 10, 30, 100, 300, 1000]))
    promise.set_xticklabels(["5", "10", "30", "100", "300", "1000"])
    promise.xaxis.set_minor_locator(NullLocator())
    promised = promise.axhline(0.95, color=plots.INK, lw=1.4, ls=":", zorder=1, label="promised")
    looks = ({"color": plots.PURPLE}, {"color": plots.GREEN, "marker": ".", "ms": 7})
    kept = [promise.plot([], [], zorder=2, label=name, **look)[0] for name, look in zip(METHODS, looks)]
    (now,) = promise.plot([], [], **NOW)
    figure.legend(**{**plots.BELOW, "columnspacing": 1.2})

    @functools.lru_cache(512)
    def coverage(method, p, confidence):
        ranges = np.array([_covered(METHODS[method], int(n), p, confidence) for n in sizes])
        return bdtr(ranges[:, 1], sizes, p) - np.where(ranges[:, 0] > 0, bdtr(ranges[:, 0] - 1.0, sizes, p), 0.0)

    def compute(n, p, confidence, method, seed):
        n, p = min(sizes, key=lambda size: abs(size - n)), round(p, 4)
        counts = np.sum(mistakes(seed)[:, :n] < p, axis=1)
        ends = {k: METHODS[method](k / n, int(n), confidence) for k in counts.tolist()}
        intervals = np.array([ends[k] for k in counts.tolist()])
        hit = (intervals[:, 0] <= p) & (p <= intervals[:, 1])
        return int(n), p, confidence, method, counts / n, intervals, hit, [coverage(m, p, confidence) for m in METHODS]

    def draw(result):
        n, p, confidence, method, errors, intervals, hit, curves = result
        place = np.arange(1, 101)
        shown = np.clip(intervals, -0.07, 1.05)
        bars = np.stack([np.column_stack([place, shown[:, 0]]), np.column_stack([place, shown[:, 1]])], axis=1)
        hits.set_segments(bars[hit])
        misses.set_segments(bars[~hit])
        good.set_data(place[hit], errors[hit])
        bad.set_data(place[~hit], errors[~hit])
        truth.set_ydata([p, p])
        promised.set_ydata([confidence, confidence])
        for line, curve, name in zip(kept, curves, METHODS):
            line.set_data(sizes, curve)
            line.set_linewidth(2.6 if name == method else 1.4)
        now.set_data([n], [curves[list(METHODS).index(method)][np.searchsorted(sizes, n)]])

    def describe(result):
        n, p, confidence, method, errors, intervals, hit, curves = result
        kept = curves[list(METHODS).index(method)][np.searchsorted(sizes, n)]
        words = f"n = **{n}**: **{np.sum(~hit)}** of 100 intervals miss the true error {p:.2f}; "
        words += f"about {100 * (1 - confidence):.0f} should. "
        words += f"Over all possible test sets **{100 * kept:.1f} %** hit, where {100 * confidence:.0f} % are promised"
        words += ": it **falls short**." if kept < confidence - 0.02 else "."
        empty, outside = np.sum(np.ptp(intervals, axis=1) == 0), np.sum(((intervals < 0) | (intervals > 1)).any(axis=1))
        if empty:
            whose, seen = (
                "has" if empty == 1 else "have",
                "no mistake" if errors.max() < 1 else "no mistake, or nothing else,",
            )
            return words + f" **{count(empty, 'interval')}** {whose} no width at all: {seen} was seen."
        if outside:
            whose = "leaves" if outside == 1 else "leave"
            return words + f" **{count(outside, 'interval')}** {whose} the range of errors, 0 to 1."
        return words

    size = log_slider("test samples n", 30.0, 5, 1003, per_decade=PER_DECADE)
    size.readout_format = ".0f"
    return Explorer(
        figure=figure,
        moving=[hits, misses, truth, good, bad, promised, *kept, now],
        controls={
            "n": size,
            "p": slider("true error p", 0.3, 0.01, 0.5, 0.01),
            "confidence": choice("confidence", {f"{100 * c:.0f} %": c for c in CONFIDENCES}, 0.95),
            "method": choice("interval", list(METHODS)),
            "seed": whole("new test sets", 1, 1, 30),
        },
        compute=compute,
        draw=draw,
        describe=describe,
        caption="Figure 2.3: 100 test sets from a classifier whose true error is the dashed line. Thick bars with a "
        "cross miss it. Right, the exact share of all test sets whose interval hits, against the dotted promise.",
        play="seed",
        interval=600,
    )


def _covered(interval, n, p, confidence):
    """Return the first and the last number of mistakes in n whose interval holds p (at most one half)."""
    first = bisect_left(range(n + 1), True, key=lambda k: interval(k / n, n, confidence).high >= p)
    last = bisect_left(range(n + 1), True, lo=first, key=lambda k: interval(k / n, n, confidence).low > p)
    return first, last - 1


# --- The decision threshold ----------------------------------------------------------------------------------------

PATIENTS = 1000
BINS = np.arange(-0.3, 1.501, 0.06)


@explorer
def decision_threshold():
    """Move the threshold of a score and watch the confusion matrix, the ROC curve and the cost."""
    data = breast_cancer()
    ill = (data.y == data.target_names.index("malignant")).astype(float)
    inputs = [data.feature_names.index(name) for name in ("mean texture", "mean compactness")]
    parts = train_test_split(data.X[:, inputs], ill, test_size=0.5, rng=0)
    scores = LinearRegression().fit(parts.X_train, parts.y_train).predict(parts.X_test)
    of_ill, of_well = (scores[parts.y_test == side] for side in (1, 0))

    figure, ((hist, roc), (costs, table)) = plots.canvas(2, rows=2, size=(9.6, 5.7), widths=(3, 2))
    hist.set(xlim=(BINS[0], BINS[-1]), ylim=(0, 150), ylabel="patients", title=f"Scores of {PATIENTS} patients")
    hist.set(xticks=np.arange(-0.2, 1.5, 0.2), yticks=[0, 50, 100, 150])
    zeros = np.zeros(len(BINS) - 1)
    well = hist.stairs(zeros, BINS, fill=True, fc=(plots.BLUE, 0.3), ec=plots.BLUE, lw=1.6, label="well")
    sick = hist.stairs(
        zeros, BINS, fill=True, fc=(plots.ORANGE, 0.3), ec=plots.ORANGE, lw=1.6, hatch="///", label="ill"
    )
    cut = hist.axvline(0.5, color=plots.INK, ls="--", lw=2, zorder=4, label="threshold τ")
    said = [
        hist.text(0, 146, words, ha=side, va="top", fontsize=12, zorder=5, clip_on=True)
        for words, side in (("called well ←", "right"), ("→ called ill", "left"))
    ]

    costs.set(xlim=(BINS[0], BINS[-1]), ylim=(0, 1.02), xlabel="score and threshold τ", ylabel="cost (1 = all wrong)")
    costs.set(title="What it costs", xticks=np.arange(-0.2, 1.5, 0.2), yticks=[0, 0.25, 0.5, 0.75, 1])
    cut_below = costs.axvline(0.5, color=plots.INK, ls="--", lw=2, zorder=1)
    (cost_curve,) = costs.plot([], [], color=plots.PURPLE, zorder=2, drawstyle="steps-pre")
    (cheap_c,) = costs.plot([], [], label="cheapest", **STAR)
    (now_c,) = costs.plot([], [], label="now", **NOW)

    roc.set(xlim=(0, 1), ylim=(0, 1), xlabel="false positive rate", ylabel="true positive rate", aspect="equal")
    roc.set(title="ROC curve", xticks=[0, 0.5, 1], yticks=[0, 0.5, 1])
    roc.plot([0, 1], [0, 1], color=plots.GREY, lw=1, zorder=0.5)
    (same,) = roc.plot([], [], color=plots.GREEN, ls=":", lw=2, zorder=1, label="equal cost")
    (curve,) = roc.plot([], [], color=plots.PURPLE, zorder=2)
    area = roc.text(0.97, 0.05, "", ha="right", fontsize=13, zorder=3, bbox={"fc": "white", "ec": "none", "pad": 1})
    (cheap_r,) = roc.plot([], [], **STAR)
    (now_r,) = roc.plot([], [], **NOW)
    numbers = _confusion_table(table)
    figure.legend(**plots.BELOW)

    @functools.lru_cache(128)
    def patients(prevalence):
        n_ill = round(PATIENTS * prevalence)
        s = np.append(_spread(of_ill, n_ill), _spread(of_well, PATIENTS - n_ill))
        y = np.append(np.ones(n_ill, int), np.zeros(PATIENTS - n_ill, int))
        return y, s, roc_curve(y, s), [np.histogram(s[y == side], BINS)[0] for side in (0, 1)]

    def compute(threshold, prevalence, ratio):
        y, s, rates, bars = patients(prevalence)
        called = (s >= threshold).astype(int)
        n_ill = int(y.sum())
        n_well = PATIENTS - n_ill
        cost = ratio * n_ill * (1 - rates.tpr) + n_well * rates.fpr
        return threshold, ratio, n_ill, n_well, y, called, rates, bars, cost, int(np.argmin(cost))

    def draw(result):
        threshold, ratio, n_ill, n_well, y, called, rates, bars, cost, best = result
        tp, fp, fn, tn = outcomes(y, called)
        well.set_data(bars[0])
        sick.set_data(bars[1])
        for line in (cut, cut_below):
            line.set_xdata([threshold, threshold])
        for text, gap in zip(said, (-0.02, 0.02)):
            text.set_x(threshold + gap)
        worst = ratio * n_ill + n_well
        ends = np.append(np.minimum(rates.thresholds, BINS[-1]), BINS[0])
        cost_curve.set_data(ends[::-1], np.append(cost, cost[-1])[::-1] / worst)
        now_c.set_data([threshold], [(ratio * fn + fp) / worst])
        cheap_c.set_data([np.clip(rates.thresholds[best], BINS[0], BINS[-1])], [cost[best] / worst])
        curve.set_data(rates.fpr, rates.tpr)
        area.set_text(f"AUC {auc(rates.fpr, rates.tpr):.2f}")
        x, t = fp / n_well, tp / n_ill
        now_r.set_data([x], [t])
        cheap_r.set_data([rates.fpr[best]], [rates.tpr[best]])
        steep = n_well / (ratio * n_ill)
        same.set_data(*plots.line_ends((steep, -1.0), t - steep * x, roc))
        for text, number in zip(numbers, (tp, fn, fp, tn)):
            text.set_text(str(number))

    def describe(result):
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

    return Explorer(
        figure=figure,
        moving=[well, sick, cut, *said, cut_below, cost_curve, cheap_c, now_c, same, curve, area, cheap_r, now_r]
        + numbers,
        controls={
            "threshold": slider("threshold τ", 0.5, -0.3, 1.5, 0.01),
            "prevalence": slider("share of ill π", 0.37, 0.01, 0.9, 0.01),
            "ratio": log_slider("cost of a miss", 1.0, 0.1, 100, per_decade=10),
        },
        compute=compute,
        draw=draw,
        describe=describe,
        caption="Figure 2.11: a patient is called ill when a linear score reaches τ. (The 1000 scores are quantiles of "
        "284 held-out breast masses; ill means malignant.) Moving τ moves the point along the ROC curve; the share π "
        "of ill and the price of a miss (a false alarm costs 1) move the cheapest threshold, but hardly the curve. All "
        "points of the dotted line cost the same: its slope is (1 − π) / (π · price).",
    )


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
            ax.add_patch(Rectangle((x, y), 1, 1, fc="#DCEBF5" if right else "#FBE3D3", ec="white", lw=3, zorder=1))
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


@explorer
def fold_count():
    """Change the number of folds and see how far, and how systematically, the estimate is off."""
    gaps = functools.cache(_estimates_minus_truth)
    gaps(5)

    figure, (hist, curves) = plots.canvas(2, size=(9.6, 4.6), widths=(3, 2.6))
    hist.set(xlim=(-45, 45), ylim=(0, 150), xlabel="estimate − true error (points)", ylabel="data sets")
    hist.set(title=f"{SETS} data sets of {N} samples", xticks=np.arange(-40, 41, 20), yticks=np.arange(0, 141, 20))
    bars = hist.stairs(np.zeros(len(BARS) - 1), BARS, fill=True, fc=(plots.BLUE, 0.3), ec=plots.BLUE, lw=1.6, zorder=1)
    hist.plot([0, 0], [0, 116], color=plots.INK, lw=1.6, ls="--", zorder=2, label="estimate is right")
    (reach,) = hist.plot([], [], "|-", color=plots.BLUE, lw=3, ms=16, mew=3, zorder=3)
    (middle,) = hist.plot([], [], "o", color=plots.ORANGE, ms=11, mec="white", mew=1.2, zorder=4)
    word = hist.text(0, 145, "", ha="center", va="top", fontsize=12, zorder=5)

    curves.set(xlim=(1.5, N + 0.5), ylim=(-2, 18), xlabel="folds k", ylabel="percentage points")
    curves.set(title="Bias and spread", xticks=[2, 5, 10, 15, 20], yticks=[0, 5, 10, 15])
    curves.axhline(0, color=plots.INK, lw=1, zorder=0.6)
    here = curves.axvline(5, color=plots.PALE, lw=7, zorder=0.5)
    (total,) = curves.plot([], [], ":", color=plots.INK, lw=1.8, zorder=1, label="both (root mean square)")
    (spread,) = curves.plot([], [], "--s", color=plots.BLUE, ms=5, lw=1.8, zorder=2, label="spread")
    (bias,) = curves.plot([], [], "-o", color=plots.ORANGE, ms=5, lw=1.8, zorder=3, label="bias")
    now = curves.scatter([5, 5], [0, 0], s=95, c=[plots.ORANGE, plots.BLUE], edgecolors=plots.INK, zorder=4)
    figure.legend(**plots.BELOW)

    def compute(k, d):
        gap = gaps(d)
        means, spreads = gap.mean(axis=1), gap.std(axis=1, ddof=1)
        return k, d, gap[k - 2], means, spreads, np.sqrt(np.mean(gap**2, axis=1))

    def draw(result):
        k, _, gap, means, spreads, totals = result
        m, s = means[k - 2], spreads[k - 2]
        bars.set_data(np.histogram(gap, BARS)[0])
        reach.set_data([m - s, m + s], [126, 126])
        middle.set_data([m], [126])
        word.set_x(m)
        word.set_text("mean ± spread")
        here.set_xdata([k, k])
        for line, values in ((total, totals), (spread, spreads), (bias, means)):
            line.set_data(FOLDS, values)
        now.set_offsets([[k, m], [k, s]])

    def describe(result):
        k, d, gap, means, spreads, totals = result
        how = "**leave-one-out**" if k == N else f"**{k}** folds"
        rest = f"{N - -(-N // k)}" if N % k == 0 else f"{N - -(-N // k)} or {N - N // k}"
        words = f"With {how} the learner trains {k} times on {rest} of {N} samples. "
        m = means[k - 2]
        words += f"The estimate is on average **{plain(abs(m))}** points too {'high' if m > 0 else 'low'} (bias) and "
        words += f"scatters by **{spreads[k - 2]:.1f}** points (spread) around that. "
        far = np.mean(np.abs(gap) > 10)
        return words + f"**{100 * far:.0f} %** of the data sets get an estimate more than 10 points off."

    return Explorer(
        figure=figure,
        moving=[bars, reach, middle, word, here, total, spread, bias, now],
        controls={
            "k": whole("folds k", 5, 2, N),
            "d": choice("inputs of the learner d", {"1 input": 1, "3 inputs": 3, "5 inputs": 5}, 5),
        },
        compute=compute,
        draw=draw,
        describe=describe,
        caption="Figure 2.5: cross-validation on 500 small data sets from a known source. Few folds train on too few "
        "samples and call the learner worse than it is (bias); more folds cure that, but the spread, which is "
        "larger, hardly moves.",
        play="k",
        interval=500,
    )


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


@explorer
def paired_comparison():
    """Compare two classifiers on one test set, with and without pairing their mistakes."""
    samples = np.random.default_rng(107).random((SHOWN, 3000))

    figure, (sets, power) = plots.canvas(2, size=(9.6, 4.7), widths=(3, 2))
    sets.set(xlim=(0, SHOWN + 1), ylim=(-22, 42), xlabel="test set", ylabel="error of A − error of B (points)")
    sets.set(title=f"{SHOWN} test sets", xticks=[1, 10, 20, 30, 40, 50], yticks=[-20, -10, 0, 10, 20, 30, 40])
    sets.axhline(0, color=plots.INK, lw=1.2, zorder=0.6)
    here = sets.axvline(1, color=plots.PALE, lw=8, zorder=0.5)
    truth = sets.axhline(0, color=plots.GREEN, lw=1.8, ls="--", zorder=1, label="true difference")
    unpaired = sets.add_collection(
        LineCollection([], colors=plots.ORANGE, lw=1.5, zorder=3.5, label="as if independent")
    )
    paired = sets.add_collection(LineCollection([], colors=plots.BLUE, lw=4, zorder=3, label="paired"))
    (clear,) = sets.plot([], [], "D", ms=6, mfc="white", mec=plots.INK, mew=1.4, zorder=4, label="paired: 0 outside")

    power.set(xlim=(0, 10), ylim=(0, 102), xlabel="true difference (points)", ylabel="call a difference (%)")
    power.set(title="How often it shows", xticks=[0, 2, 4, 6, 8, 10], yticks=[0, 20, 40, 60, 80, 100])
    power.axhline(5, color=plots.GREY, lw=1.4, ls=":", zorder=0.6)
    power.text(9.9, 6, "5 %", ha="right", va="bottom", fontsize=11, zorder=1)
    (by_unpaired,) = power.plot([], [], "--", color=plots.ORANGE, zorder=2)
    (by_paired,) = power.plot([], [], "-", color=plots.BLUE, zorder=3)
    now = power.scatter([0, 0], [0, 0], s=95, c=[plots.ORANGE, plots.BLUE], edgecolors=plots.INK, zorder=4)
    now.set_clip_on(False)
    figure.legend(**plots.BELOW)

    @functools.lru_cache(512)
    def chances(n, overlap):
        return np.array([_chances(d, n, overlap) for d in DIFFERENCES]).T

    def at(difference, curves):
        return [float(np.interp(difference, DIFFERENCES, curve)) for curve in curves]

    def compute(difference, n, overlap, shown):
        n = round(n)
        _, both, only_a, only_b = _joint(difference, overlap)
        u = samples[:, :n]
        a_wrong, b_wrong = u < only_a + both, ((u >= only_a) & (u < only_a + both)) | (u >= 1 - only_b)
        wrong_a, wrong_b = a_wrong.sum(axis=1), b_wrong.sum(axis=1)
        a_only = (a_wrong & ~b_wrong).sum(axis=1)
        b_only = wrong_b - (wrong_a - a_only)
        errors = zip((wrong_a / n).tolist(), (wrong_b / n).tolist())
        loose = 100 * np.array([difference_interval(a, n, b, n) for a, b in errors])
        tight = 100 * np.column_stack(_paired_interval(a_only, b_only, n))
        row = shown - 1
        tight[row] = 100 * np.array(paired_difference_interval(np.zeros(n, bool), a_wrong[row], b_wrong[row]))
        return difference, n, shown, wrong_a, wrong_b, loose, tight, 100 * chances(n, round(overlap, 4))

    def draw(result):
        difference, n, shown, wrong_a, wrong_b, loose, tight, curves = result
        place = np.arange(1, SHOWN + 1)
        for bars, ends in ((unpaired, loose), (paired, tight)):
            bars.set_segments([[(x, low), (x, high)] for x, (low, high) in zip(place, np.clip(ends, -60, 60))])
        found = _excludes_zero(tight)
        clear.set_data(place[found], (100 * (wrong_a - wrong_b) / n)[found])
        truth.set_ydata([100 * difference] * 2)
        here.set_xdata([shown, shown])
        for line, curve in zip((by_unpaired, by_paired), curves):
            line.set_data(100 * DIFFERENCES, curve)
        now.set_offsets([[100 * difference, chance] for chance in at(difference, curves)])

    def describe(result):
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
        return words + "(about {:.0f} % and {:.0f} % expected).".format(*at(difference, curves))

    size = log_slider("test samples n", 300.0, 50, 3000, per_decade=PER_DECADE)
    size.readout_format = ".0f"
    return Explorer(
        figure=figure,
        moving=[here, truth, unpaired, paired, clear, by_unpaired, by_paired, now],
        controls={
            "difference": slider("true difference d", 0.05, 0, 0.1, 0.005, digits=3),
            "n": size,
            "overlap": slider("shared mistakes s", 0.7, 0, 1, 0.05),
            "shown": whole("test set read out", 1, 1, SHOWN),
        },
        compute=compute,
        draw=draw,
        describe=describe,
        caption="Figure 2.7: classifier A errs on 20 % of the samples, B on d less, and a share s of B's mistakes are "
        "A's too. Both intervals (95 %) have one centre; the paired one, thick, uses only the samples on which A "
        "and B differ (with d = 0 and s = 1 A and B are one program). Right, how often each leaves 0 outside.",
    )


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


@explorer
def loss_shapes():
    """Pull one point away and see how far it drags the value that minimises each loss."""
    figure, ((classes, strip), (residuals, drag)) = plots.canvas(2, rows=2, size=(9.6, 5.7), widths=(1, 1.15))
    m = np.linspace(-2.5, 3, 221)
    classes.set(xlim=(-2.5, 3), ylim=(0, 3.6), xlabel="margin m = t f(x)", ylabel="loss", title="Losses for classes")
    classes.set(xticks=[-2, -1, 0, 1, 2, 3], yticks=[0, 1, 2, 3])
    side_m = classes.axvline(0, color=plots.PALE, lw=7, zorder=0.5)
    classes.plot([-2.5, 0, np.nan, 0, 3], [1, 1, np.nan, 0, 0], color=plots.INK, lw=2.6, zorder=2, label="0-1")
    classes.plot(m, hinge(m), "--", color=plots.PURPLE, zorder=2, label="hinge")
    classes.plot(m, logistic(m) / np.log(2), "-.", color=plots.SKY, lw=2.8, zorder=2, label="logistic / ln 2")
    (at_m,) = classes.plot([], [], **NOW)
    classes.legend(loc="upper right")

    looks = {
        "mean": {"color": plots.ORANGE, "ls": "-"},
        "Huber": {"color": plots.GREEN, "ls": "-."},
        "median": {"color": plots.BLUE, "ls": "--"},
    }
    residuals.set(xlim=(-4, 4), ylim=(0, 8), xlabel="residual r", ylabel="loss", title="Losses for numbers")
    residuals.set(xticks=[-4, -2, 0, 2, 4], yticks=[0, 2, 4, 6, 8])
    kinks = [residuals.axvline(0, color=plots.GREY, lw=1.3, ls=":", zorder=1) for _ in range(2)]
    residuals.plot(R, squared(R), zorder=2, label="r²", **looks["mean"])
    (bend,) = residuals.plot([], [], zorder=3, label="Huber", **looks["Huber"])
    residuals.plot(R, absolute(R), zorder=2, label="|r|", **looks["median"])
    residuals.legend(loc="upper center")

    strip.set(xlim=(-0.5, 20.5), ylim=(-0.7, 3.7), xlabel="value", title="Seven values and their best summaries")
    strip.set(xticks=[0, 5, 10, 15, 20], yticks=[0, 1, 2, 3])
    strip.set_yticklabels(["values", "median, |r|", "Huber", "mean, r²"])
    strip.plot(POINTS, np.zeros(6), "o", ms=9, mfc="white", mec=plots.INK, mew=1.8, zorder=3)
    (outlier,) = strip.plot([], [], "X", ms=13, mfc=plots.PURPLE, mec="white", zorder=4)
    markers = {"mean": (3, "^"), "Huber": (2, "D"), "median": (1, "s")}
    best = {
        name: strip.plot([], [], marker, ms=11, color=looks[name]["color"], zorder=4)[0]
        for name, (_, marker) in markers.items()
    }
    written = {name: strip.text(0, y, "", va="center", fontsize=13, zorder=5) for name, (y, _) in markers.items()}

    drag.set(xlim=(-0.5, 20.5), ylim=(3.4, 6.8), xlabel="place of the outlier", ylabel="best summary")
    drag.set(title="How far the outlier drags it", xticks=[0, 5, 10, 15, 20], yticks=[4, 5, 6])
    side_x = drag.axvline(0, color=plots.PALE, lw=7, zorder=0.5)
    lines = {name: drag.plot([], [], zorder=2, **look)[0] for name, look in looks.items()}
    dots = {
        name: drag.plot([], [], marker, ms=10, color=looks[name]["color"], mec=plots.INK, zorder=4)[0]
        for name, (_, marker) in markers.items()
    }

    tracks = functools.cache(_tracks)

    def compute(delta, outlier, margin):
        delta = float(f"{delta:.4g}")
        bent = functools.partial(huber, delta=delta)
        everywhere = {"mean": tracks(squared), "Huber": _tracks(bent), "median": tracks(absolute)}
        losses = {"mean": squared, "Huber": bent, "median": absolute}
        now = {name: _tracks(loss, np.array([outlier]))[0] for name, loss in losses.items()}
        return delta, outlier, margin, everywhere, now

    def draw(result):
        delta, place, margin, everywhere, now = result
        side_m.set_xdata([margin, margin])
        at_m.set_data([margin] * 3, [zero_one(margin), hinge(margin), logistic(margin) / np.log(2)])
        bend.set_data(R, huber(R, delta))
        for line, at in zip(kinks, (-delta, delta)):
            line.set_xdata([at, at])
        outlier.set_data([place], [0])
        side_x.set_xdata([place, place])
        for name in looks:
            best[name].set_data([now[name]], [markers[name][0]])
            written[name].set_x(now[name] + 0.75)
            written[name].set_text(f"{now[name]:.2f}")
            lines[name].set_data(FAR, everywhere[name])
            dots[name].set_data([place], [now[name]])

    def describe(result):
        delta, place, margin, _, now = result
        words = (
            f"With one value at **{place:.2f}** the sum of r² is least at **{now['mean']:.2f}** (mean), that of |r| "
        )
        words += f"at **{now['median']:.2f}** (median), the Huber loss with δ = {delta:.3g} at **{now['Huber']:.2f}**. "
        words += f"At margin m = {plain(margin, '.2f')} the 0-1 loss is **{zero_one(margin):.0f}**, hinge "
        return words + f"**{hinge(margin):.2f}**, logistic / ln 2 **{logistic(margin) / np.log(2):.2f}**."

    return Explorer(
        figure=figure,
        moving=[side_m, at_m, *kinks, bend, outlier, side_x]
        + [artists[name] for artists in (best, written, lines, dots) for name in looks],
        controls={
            "delta": log_slider("bend of Huber δ", 2.0, 0.05, 10.1, per_decade=20),
            "outlier": slider("place of the outlier", 15.0, 0, 20, 0.25),
            "margin": slider("margin m", -0.5, -2.5, 3, 0.1, digits=1),
        },
        compute=compute,
        draw=draw,
        describe=describe,
        caption="Figure 2.12: left, losses of a margin and of a residual. Right, six values and an outlier (cross): "
        "the mean follows it without end, the median only while the outlier is the middle value; Huber's minimiser "
        "stops in between, the later the larger δ is.",
    )


def _tracks(loss, outliers=FAR):
    """Return, for each outlier, the place in PLACES where the summed loss of all seven values is least."""
    calm = loss(POINTS - PLACES[:, None]).sum(axis=1)
    return PLACES[np.argmin(calm + loss(outliers[:, None] - PLACES), axis=1)]

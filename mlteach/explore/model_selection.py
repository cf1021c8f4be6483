"""Explorers of chapter 24: five knobs, learning curves, sixteen subsets, the best of many, the wrong way."""

from functools import cache

import numpy as np

from mlteach import datasets, plots
from mlteach.explore.base import Scene, buttons, choice, explorer, log_slider, slider, whole
from mlteach.model_selection import (
    aic,
    all_subsets,
    backward_elimination,
    bagged_tree_fits,
    bagged_tree_parts,
    best_of_many,
    bic,
    correlations,
    forward_selection,
    gaussian_curve,
    gaussian_log_likelihood,
    leave_one_out_linear,
    linear_bias_variance,
    mallows_cp,
    neighbor_weights,
    pearson_ranking,
    polynomial_weights,
    tree_fits,
)
from mlteach.nearest_neighbors import distances

# --- Five knobs ----------------------------------------------------------------------------------------------------

KNOBS = {
    "degree": range(12),
    "lambda": [10.0**e for e in (3, 2, 1.5, 1, 0.5, 0, -0.5, -1, -1.5, -2, -3, -5)],
    "neighbours": (30, 24, 19, 15, 12, 9, 7, 5, 4, 3, 2, 1),
    "depth": range(12),
    "trees": (1, 2, 3, 4, 6, 9, 14, 20, 30, 50, 100, 200),
}
WORDS = {
    "degree": "polynomial of degree {}",
    "lambda": "degree 15 with penalty λ = {:.3g}",
    "neighbours": "K = {} neighbours",
    "depth": "tree of depth {}",
    "trees": "average of {} fully grown trees",
}
ONE = {"neighbours": "one neighbour", "trees": "one fully grown tree"}
N, NOISE, DRAWS = 30, 0.4, 100
PLACES = np.linspace(0, 1, N)
GRID = np.linspace(0, 1, 51)


def truth(x):
    """Return the function behind the data."""
    return np.sin(2 * np.pi * x * (0.4 + x))


def _words(learner, value):
    return ONE[learner] if value == 1 and learner in ONE else WORDS[learner].format(value)


@cache
def _targets():
    return truth(PLACES) + NOISE * np.random.default_rng(24).normal(size=(DRAWS, N))


@cache
def _fits(learner):
    """Return for each knob position the fits to all drawn data sets, and bias^2 and variance, exact where known."""
    f, T = truth(GRID), _targets()
    if learner == "trees":
        each = bagged_tree_fits(PLACES, T, GRID, max(KNOBS[learner]), rng=5)
        exact = bagged_tree_parts(PLACES, GRID, truth(PLACES), f, NOISE**2)
        return [(each[:, :B].mean(axis=1), exact.bias2.mean(), exact.variance(B).mean()) for B in KNOBS[learner]]
    if learner == "depth":
        more = truth(PLACES) + NOISE * np.random.default_rng(7).normal(size=(2 * DRAWS, N))
        return [_measured(depth, np.vstack([T, more]), f) for depth in KNOBS[learner]]
    kept = []
    for value in KNOBS[learner]:
        if learner == "neighbours":
            L = neighbor_weights(PLACES, GRID, value)
        else:
            L = polynomial_weights(PLACES, GRID, *((value,) if learner == "degree" else (15, value)))
        parts = linear_bias_variance(L, truth(PLACES), f, NOISE**2)
        kept.append((T @ L.T, parts.bias2.mean(), parts.variance.mean()))
    return kept


def _measured(depth, T, f):
    fits = tree_fits(PLACES, T, GRID, depth)
    mean, variance = fits.mean(axis=0), fits.var(axis=0, ddof=1)
    bias2 = (mean - f) ** 2 - variance / len(T)  # the mean of the fits has a variance of its own
    return fits[:DRAWS], bias2.mean(), variance.mean()


class FiveKnobs(Scene):
    """Turn the knob of five learners and watch bias, variance and their sum."""

    caption = (
        "Figure 24.2: left, the true function (dashed), fits to eight data sets (thin) and the mean of a hundred "
        "fits (thick); right, bias², variance and their sum with the noise (dotted) along the knob, and the error "
        "measured on new targets (dots, two standard errors). Positions run from stiff (1) to loose (12); for "
        "the number of trees, from 1 to 200. Look where the sum is least."
    )
    lines = 2
    together = ("position", "learner")

    def __init__(self):
        self.figure, (plane, parts) = plots.canvas(2, size=(9.6, 4.4), widths=(1.15, 1))
        self.thin = [plane.plot([], [], color=plots.SKY, lw=1, zorder=2)[0] for _ in range(8)]
        (self.mean,) = plane.plot([], [], color=plots.ORANGE, lw=3, zorder=3, label="mean fit")
        plane.plot(GRID, truth(GRID), "--", color=plots.INK, zorder=4, label="truth f")
        plane.set(xlim=(0, 1), ylim=(-1.9, 1.9), xlabel="x", title="Eight fits and their mean")
        parts.set(xlim=(0.5, 12.5), ylim=(0, 0.75), xlabel="position of the knob", title="Parts of the error")
        parts.axhline(NOISE**2, color=plots.GREY, ls=":", label="noise σ²")
        (self.bias,) = parts.plot([], [], "-", color=plots.BLUE, label="bias²")
        (self.variance,) = parts.plot([], [], "--", color=plots.ORANGE, label="variance")
        (self.total,) = parts.plot([], [], "-", color=plots.INK, lw=2.8, label="sum with noise")
        self.bars = [parts.plot([], [], color=plots.GREEN, lw=1.6, zorder=3)[0] for _ in range(12)]
        (self.dots,) = parts.plot([], [], "o", ms=5, color=plots.GREEN, zorder=4, label="measured")
        self.here = parts.axvline(4, color=plots.GREY, lw=1.4, zorder=1)
        self.figure.legend(handles=[*plots.entries(plane), *plots.entries(parts)], **{**plots.BELOW, "ncols": 4})
        self.moving = [
            *self.thin, self.mean, self.bias, self.variance, self.total, *self.bars, self.dots, self.here
        ]  # fmt: skip
        self.controls = {
            "position": whole("position of the knob", 6, 1, 12),
            "learner": choice(
                "knob",
                {
                    "degree of a polynomial": "degree",
                    "penalty λ": "lambda",
                    "neighbours K": "neighbours",
                    "depth of a tree": "depth",
                    "number of trees": "trees",
                },
            ),  # fmt: skip
        }
        noise = np.random.default_rng(11).normal(size=(DRAWS, len(GRID)))
        self.new = truth(GRID) + NOISE * noise
        for learner in KNOBS:
            _fits(learner)  # once, so that no step of a slider waits for it

    def compute(self, position, learner):
        """Return the fits at this position and the parts at all of them."""
        kept = _fits(learner)
        errors = np.array([((self.new - fits) ** 2).mean(axis=1) for fits, _, _ in kept])
        return {"fits": kept[position - 1][0], "parts": np.array([part[1:] for part in kept]), "position": position,
                "errors": errors.mean(axis=1), "stderrs": errors.std(axis=1, ddof=1) / np.sqrt(DRAWS),
                "words": _words(learner, KNOBS[learner][position - 1]), "learner": learner}  # fmt: skip

    def draw(self, result):
        """Move the fits and the curves."""
        for line, fit in zip(self.thin, result["fits"]):
            line.set_data(GRID, fit)
        self.mean.set_data(GRID, result["fits"].mean(axis=0))
        places, (bias2, variance) = np.arange(1, 13), result["parts"].T
        self.bias.set_data(places, bias2)
        self.variance.set_data(places, variance)
        self.total.set_data(places, bias2 + variance + NOISE**2)
        self.dots.set_data(places, np.minimum(result["errors"], 1))
        for bar, x, e, s in zip(self.bars, places, result["errors"], result["stderrs"]):
            bar.set_data([x, x], [min(e - 2 * s, 1), min(e + 2 * s, 1)])
        self.here.set_xdata([result["position"]] * 2)

    def describe(self, result):
        """Say the parts here, and where their sum is least."""
        (bias2, variance), k = result["parts"][result["position"] - 1], result["position"] - 1
        total = result["parts"].sum(axis=1) + NOISE**2
        how = "measured on 300 data sets" if result["learner"] == "depth" else "exact"
        return (
            f"**{result['words']}**: bias² **{bias2:.3f}** + variance **{variance:.3f}** + noise {NOISE**2:.2f} = "
            f"**{total[k]:.3f}** ({how}); measured error {result['errors'][k]:.3f} ± {result['stderrs'][k]:.3f}. "
            f"The sum is least, {total.min():.3f}, at position {total.argmin() + 1}."
        )


five_knobs = explorer(FiveKnobs)

# --- Learning curves -----------------------------------------------------------------------------------------------

INPUTS, REPEATS, MOST = 20, 200, 200
WEIGHTS = 0.8 ** np.arange(INPUTS)
SIZES = np.unique(np.round(np.geomspace(4, MOST, 40)).astype(int))
DOTS = np.array([6, 9, 14, 22, 34, 52, 80, 125, 200])


@cache
def _samples(n):
    """Return XᵀX, Xᵀe and eᵀe of the first n rows of each data set: all that least squares needs."""
    rng = np.random.default_rng(5)
    X, e = rng.normal(size=(REPEATS, MOST, INPUTS))[:, :n], rng.normal(size=(REPEATS, MOST))[:, :n]
    return X.transpose(0, 2, 1) @ X, np.einsum("rnd,rn->rd", X, e), np.sum(e**2, axis=1)


def _one_size(n, d, noise):
    """Return mean training and test error of least squares on the first d inputs, over the data sets of n rows."""
    XX, Xe, ee = _samples(n)
    Xt = XX @ WEIGHTS + noise * Xe
    tt = Xt @ WEIGHTS + noise * (Xe @ WEIGHTS) + noise**2 * ee
    w = np.linalg.solve(XX[:, :d, :d], Xt[:, :d, None])[..., 0]
    train = np.mean(tt - np.sum(w * Xt[:, :d], axis=1)) / n
    missed = np.sum((w - WEIGHTS[:d]) ** 2, axis=1) + np.sum(WEIGHTS[d:] ** 2)
    return train, float(np.mean(missed)) + noise**2


class TwoErrors(Scene):
    """Change the size of the model and of the training set, and read the diagnosis off two errors."""

    caption = (
        "Figure 24.3: left, expected training and test error (lines, exact) of least squares on d of 20 inputs, and "
        "means over 200 data sets (dots); right, what the test error at n is made of. Look at the gap between the "
        "curves, and at the level where they meet."
    )
    lines = 2
    together = ("n", "d")

    def __init__(self):
        self.figure, (curves, parts) = plots.canvas(2, size=(9.6, 4.2), widths=(1.7, 1))
        (self.test,) = curves.plot([], [], "-", color=plots.ORANGE, label="test error")
        (self.train,) = curves.plot([], [], "--", color=plots.BLUE, label="training error")
        (self.test_dots,) = curves.plot([], [], "o", color=plots.ORANGE, zorder=3, label="means of 200 sets")
        (self.train_dots,) = curves.plot([], [], "s", color=plots.BLUE, zorder=3)
        (self.floor,) = curves.plot([], [], ":", color=plots.INK, label="noise + bias²")
        self.here = curves.axvline(40, color=plots.GREY, lw=1.4, zorder=1)
        curves.set(xscale="log", xlim=(4, MOST), ylim=(0, 5), xlabel="training samples n", title="Two errors")
        plots.ticks(curves.xaxis, [5, 10, 20, 50, 100, 200])
        self.bars = parts.bar([0, 1, 2], [1, 1, 1], color=[plots.PALE, plots.LIGHT_BLUE, plots.SOFT_ORANGE],
                              edgecolor=plots.INK, width=0.7)  # fmt: skip
        parts.set(ylim=(0, 2.5), xlim=(-0.6, 2.6), title="Parts of the test error at n")
        parts.set_xticks([0, 1, 2], ["noise", "bias²", "variance"])
        self.figure.legend(handles=plots.entries(curves), **plots.BELOW)
        self.moving = [
            self.test, self.train, self.test_dots, self.train_dots, self.floor, self.here, *self.bars
        ]  # fmt: skip
        self.controls = {
            "n": whole("training samples n", 40, 10, 200, step=10),
            "d": whole("inputs in the model d", 4, 1, INPUTS),
            "noise": slider("noise σ", 0.7, 0.1, 1.5, 0.1, digits=1),
        }

    def compute(self, n, d, noise):
        """Return exact curves, measured dots, and the parts at n."""
        s2 = noise**2
        exact = np.array([gaussian_curve(WEIGHTS, d, int(m), s2) for m in SIZES])
        exact[SIZES < d + 2] = np.nan
        dots = [m for m in DOTS if m >= d + 3]
        measured = np.array([_one_size(int(m), d, noise) for m in dots])
        bias2 = float(np.sum(WEIGHTS[d:] ** 2))
        here = gaussian_curve(WEIGHTS, d, n, s2)
        return {"n": n, "d": d, "exact": exact, "dots": dots, "measured": measured, "noise": s2, "bias2": bias2,
                "here": here}  # fmt: skip

    def draw(self, result):
        """Move curves, dots and bars."""
        self.train.set_data(SIZES, result["exact"][:, 0])
        self.test.set_data(SIZES, np.minimum(result["exact"][:, 1], 50))
        self.train_dots.set_data(result["dots"], result["measured"][:, 0])
        self.test_dots.set_data(result["dots"], np.minimum(result["measured"][:, 1], 50))
        level = result["noise"] + result["bias2"]
        self.floor.set_data([1, 1000], [level, level])
        self.here.set_xdata([result["n"]] * 2)
        n, d = result["n"], result["d"]
        variance = result["here"].test - level if n >= d + 2 else 9 if n >= d else 0  # infinite, or undefined
        for bar, height in zip(self.bars, (result["noise"], result["bias2"], variance)):
            bar.set_height(min(height, 9))

    def describe(self, result):
        """Say both errors and the diagnosis."""
        n, d, level = result["n"], result["d"], result["noise"] + result["bias2"]
        if n < d:
            return f"n = **{n}**, d = **{d}**: {n} samples leave {d} weights undetermined; many solutions fit exactly."
        if n < d + 2:
            return (
                f"n = **{n}**, d = **{d}**: the *mean* test error is infinite, since now and then a data set gives "
                "huge weights. From d + 2 samples on it is finite."
            )
        train, test = result["here"]
        variance = test - level
        if max(result["bias2"], variance) < 0.2 * result["noise"]:
            word = "Most of it is **noise**, which only other inputs or better measurements would lower."
        elif variance > result["bias2"]:
            word = "Beyond the noise it is mostly **variance**: a gap, which more samples or fewer inputs would close."
        elif test - train < 0.25 * test:
            word = (
                "Beyond the noise it is mostly **bias**: a narrow gap at a high level, which more inputs would lower."
            )
        else:
            word = (
                "Beyond the noise it is mostly **bias**: more samples would close the gap, and only more inputs "
                "lower the level where the curves meet."
            )
        return (
            f"n = **{n}**, d = **{d}**: training error **{train:.2f}**, test error **{test:.2f}** = noise "
            f"{result['noise']:.2f} + bias² {result['bias2']:.2f} + variance {variance:.2f}. {word}"
        )


two_errors = explorer(TwoErrors)

# --- Sixteen subsets -----------------------------------------------------------------------------------------------

CRITERIA = {
    "training error (RSS/n)": "rss",
    "Cp": "cp",
    "AIC": "aic",
    "BIC": "bic",
    "1 − adjusted R²": "adjusted",
    "leave-one-out": "loo",
}


@cache
def hald_table():
    """Return for each subset of Hald's columns its size, name and criteria, all of them small for good models."""
    data = datasets.hald()
    n, subsets, rows = len(data.y), all_subsets(data.X, data.y), {}
    sigma2, total = subsets[-1].rss / (n - 5), subsets[0].rss
    for S, rss in subsets:
        d, likelihood = len(S) + 1, gaussian_log_likelihood(rss, n)
        loo = (
            leave_one_out_linear(data.X[:, S], data.y)
            if S
            else np.mean((data.y - data.y.mean()) ** 2) / (1 - 1 / n) ** 2
        )
        rows[S] = {"d": d, "rss": rss / n, "cp": mallows_cp(rss, n, d, sigma2), "aic": aic(likelihood, d),
                   "bic": bic(likelihood, d, n), "adjusted": rss / (n - d) / (total / (n - 1)), "loo": loo}  # fmt: skip
    return rows


def subset_name(S):
    """Write a subset with the numbers of its compounds: (0, 1) as 12, the empty one as ∅."""
    return "".join(str(j + 1) for j in S) or "∅"


class SixteenSubsets(Scene):
    """Judge all subsets of four columns by six criteria, and walk forward or backward through them."""

    caption = (
        "Figure 24.5: all sixteen models of Hald's cement, each named by its columns (12 has x₁ and x₂), with the "
        "criterion's excess over its best value (adjusted R²: in thousandths), on an axis that is logarithmic above 1. "
        "Models of one size are spread sideways to be seen. Look which lies at the bottom, and where the walk goes."
    )
    lines = 2

    def __init__(self):
        self.rows = hald_table()
        self.figure, ax = plots.canvas(1, size=(9.6, 4.5))
        ax.set(
            xlim=(0.6, 5.4),
            ylim=(-0.35, 4.7),
            xlabel="fitted numbers, the intercept included",
            ylabel="excess over the best",
        )
        plots.ticks(ax.xaxis, [1, 2, 3, 4, 5])
        steps = [0, 1, 10, 100, 1000]
        ax.set_yticks([self._height(v) for v in steps], ["0", "1", "10", "100", "1,000"])
        (self.path,) = ax.plot([], [], "-", color=plots.GREEN, lw=3, alpha=0.6, zorder=1, label="walk, if any")
        (self.dots,) = ax.plot([], [], "o", ms=9, color=plots.BLUE, zorder=2, label="a subset")
        (self.best,) = ax.plot([], [], "*", ms=22, color=plots.ORANGE, zorder=3, label="best")
        self.names = [ax.text(0, 0, subset_name(S), fontsize=11, ha="center", va="bottom", zorder=4) for S in self.rows]
        self.figure.legend(handles=[self.dots, self.best, self.path], **plots.BELOW)
        self.moving = [self.path, self.dots, self.best, *self.names]
        self.controls = {
            "criterion": choice("criterion", CRITERIA, "rss"),
            "walk": buttons("walk", {"none": "none", "forward": "forward", "backward": "backward"}),
        }

    @staticmethod
    def _height(excess):
        """Linear up to 1, then one step for each factor of ten."""
        excess = np.asarray(excess, dtype=float)
        return np.where(excess <= 1, excess, 1 + np.log10(np.maximum(excess, 1)))

    def compute(self, criterion, walk):
        """Return the excess of each subset in units of the criterion, and the walk."""
        values = np.array([row[criterion] for row in self.rows.values()])
        unit = {"adjusted": 1000, "rss": 1, "loo": 1, "cp": 1, "aic": 1, "bic": 1}[criterion]
        data, steps = datasets.hald(), []
        if walk == "forward":
            order = forward_selection(data.X, data.y)
            steps = [tuple(sorted(order[:k])) for k in range(5)]
        elif walk == "backward":
            steps = [tuple(backward_elimination(data.X, data.y, k)) for k in range(4, -1, -1)]
        return criterion, values, self._height(unit * (values - values.min())), steps

    def draw(self, result):
        """Move dots, names and the walk; neighbours of one size step aside."""
        _, values, height, steps = result
        sizes = np.array([row["d"] for row in self.rows.values()])
        place = sizes.astype(float)
        for d in range(1, 6):
            mine = np.flatnonzero(sizes == d)
            place[mine[np.argsort(height[mine])]] += (0.16 if len(mine) > 4 else 0.22) * (
                np.arange(len(mine)) - (len(mine) - 1) / 2
            )
        self.dots.set_data(place, height)
        best = values.argmin()
        self.best.set_data(place[best : best + 1], height[best : best + 1])
        for text, x, y in zip(self.names, place, height):
            text.set_position((x, y + 0.2))
        keys = list(self.rows)
        where = [keys.index(S) for S in steps]
        self.path.set_data(place[where], height[where])

    def describe(self, result):
        """Say the best model, the runner-up, and the walk."""
        criterion, values, _, steps = result
        order, keys = np.argsort(values, kind="stable"), list(self.rows)
        name = {v: k for k, v in CRITERIA.items()}[criterion]
        first, second = (f"{{{', '.join(str(j + 1) for j in keys[k])}}}" for k in order[:2])
        said = (
            f"By {name}: best **{first}** ({values[order[0]]:.4g}), then {second} ({values[order[1]]:.4g}). "
            if criterion == "adjusted"
            else f"By {name}: best **{first}** ({values[order[0]]:.2f}), then {second} ({values[order[1]]:.2f}). "
        )
        if steps:
            said += f"The walk goes {' → '.join(subset_name(S) for S in steps)}; it looks at the training error alone. "
            said += f"It {'meets' if (0, 1) in steps else 'misses'} 12, the pair with the least training error."
        return said


sixteen_subsets = explorer(SixteenSubsets)

# --- The best of many ----------------------------------------------------------------------------------------------

TOURNAMENTS = 40


@cache
def _chances():
    return np.random.default_rng(13).random((TOURNAMENTS, 1000))


class WinnerOfMany(Scene):
    """Let many models that are all equally good compete on one validation set, and look at the winner."""

    caption = (
        "Figure 24.6: left, the scores of M models in one tournament, the winner marked; right, its mean score "
        "by M (line, exact), the middle 80 % of winners (between thin lines) and the mean of forty tournaments (dots). "
        "Every model has the same true accuracy (dotted): look how far above it the winner is."
    )
    lines = 2
    together = ("m", "n")
    ms = np.unique(np.round(np.geomspace(1, 1000, 31)).astype(int))

    def __init__(self):
        self.figure, (scores, curve) = plots.canvas(2, size=(9.6, 4.2), widths=(1, 1.25))
        (self.bars,) = scores.plot([], [], drawstyle="steps-mid", color=plots.BLUE, zorder=2)
        (self.first,) = scores.plot([], [], "*", ms=20, color=plots.ORANGE, zorder=3)
        self.true = scores.axvline(0.5, color=plots.INK, ls=":", zorder=1)
        scores.set(
            xlim=(0, 1), ylim=(0, 1.12), xlabel="share right", ylabel="models (tallest = 1)", title="One tournament"
        )
        plots.ticks(scores.yaxis, [])
        (self.low,) = curve.plot([], [], "-", lw=1.2, color=plots.ORANGE, zorder=2, label="80 % of winners")
        (self.high,) = curve.plot([], [], "-", lw=1.2, color=plots.ORANGE, zorder=2)
        (self.line,) = curve.plot([], [], color=plots.ORANGE, lw=3, zorder=3, label="winner, exact mean")
        (self.dots,) = curve.plot([], [], "o", ms=6, color=plots.GREEN, zorder=4, label="mean of forty")
        (self.level,) = curve.plot([], [], ":", color=plots.INK, zorder=1, label="true accuracy")
        self.here = curve.axvline(10, color=plots.GREY, lw=1.4, zorder=1)
        curve.set(xscale="log", xlim=(1, 1000), ylim=(0.3, 1.01), xlabel="models M", title="The winner's score")
        plots.ticks(curve.xaxis, [1, 10, 100, 1000])
        self.figure.legend(handles=plots.entries(curve), **plots.BELOW)
        self.moving = [
            self.bars, self.first, self.true, self.low, self.high, self.line, self.dots, self.level, self.here
        ]  # fmt: skip
        self.controls = {
            "m": log_slider("models M", 10, 1, 1000, per_decade=10),
            "n": log_slider("validation samples n", 100, 10, 1000, per_decade=4),
            "p": slider("true accuracy p", 0.5, 0.4, 0.9, 0.05),
        }

    def compute(self, m, n, p):
        """Return scores of forty tournaments, and the exact law for every M."""
        from scipy.special import bdtr

        m, n = round(m), round(n)
        F = bdtr(np.arange(n + 1), n, p)
        scores = np.searchsorted(F, _chances() * (1 - 1e-12)) / n
        best = np.maximum.accumulate(scores, axis=1)
        laws = [best_of_many(int(k), n, p) for k in self.ms]
        return {"m": m, "n": n, "p": p, "one": scores[0, :m], "dots": best[:, self.ms[::3] - 1].mean(axis=0),
                "line": [law.mean for law in laws], "low": [law.low for law in laws],
                "high": [law.high for law in laws], "here": best_of_many(m, n, p)}  # fmt: skip

    def draw(self, result):
        """Move the histogram, the winner and the curves."""
        one, width = result["one"], max(1 / result["n"], 0.02)
        edges = np.arange(-width / 2, 1 + width, width)
        counts = np.histogram(one, edges)[0]
        self.bars.set_data((edges[1:] + edges[:-1]) / 2, counts / counts.max())
        self.first.set_data([one.max()], [counts[np.searchsorted(edges, one.max()) - 1] / counts.max() + 0.05])
        self.true.set_xdata([result["p"]] * 2)
        self.low.set_data(self.ms, result["low"])
        self.high.set_data(self.ms, result["high"])
        self.line.set_data(self.ms, result["line"])
        self.dots.set_data(self.ms[::3], result["dots"])
        self.level.set_data([1, 1000], [result["p"]] * 2)
        self.here.set_xdata([result["m"]] * 2)

    def describe(self, result):
        """Say the winner's score, its mean, and the truth."""
        law = result["here"]
        return (
            f"M = **{result['m']}**, n = **{result['n']}**: this winner has **{result['one'].max():.3f}**; "
            f"winners have **{law.mean:.3f}** on average, 80 % of them {law.low:.2f} to {law.high:.2f}. The true "
            f"accuracy is {result['p']:.2f}: the optimism is **{law.mean - result['p']:.3f}**."
        )


winner_of_many = explorer(WinnerOfMany)

# --- The wrong way -------------------------------------------------------------------------------------------------

WIDEST, CARDS = 5000, 50


@cache
def _noise(draw):
    rng = np.random.default_rng(100 + draw)
    return rng.normal(size=(CARDS, WIDEST)), rng.permutation(np.arange(CARDS) % 2), rng.permutation(CARDS) % 5


@cache
def _two_ways(p, kept, draw):
    """Return the five fold errors of 1-NN on the best columns, chosen on all rows and chosen on each training part."""
    X, y, fold = _noise(draw)
    X = X[:, :p]
    kept = min(kept, p)
    before, errors = pearson_ranking(X, y)[:kept], []
    for k in range(5):
        train, test = fold != k, fold == k
        inside = pearson_ranking(X[train], y[train])[:kept]
        pair = []
        for columns in (before, inside):
            nearest = distances(X[test][:, columns], X[train][:, columns]).argmin(axis=1)
            pair.append(np.mean(y[train][nearest] != y[test]))
        errors.append(pair)
    return np.array(errors), before


class WrongWay(Scene):
    """Choose columns of pure noise before and inside cross-validation."""

    caption = (
        "Figure 24.7: fifty rows of pure noise with labels that mean nothing: every classifier errs on half of "
        "new rows (dotted). Left, correlations of the columns with the labels, and those kept; right, the error by "
        "cross-validation if columns are chosen before the split, and inside it. Look at the left bar."
    )
    lines = 2
    together = ("p", "kept")

    def __init__(self):
        self.figure, (cloud, bars) = plots.canvas(2, size=(9.6, 4.0), widths=(1.4, 1))
        (self.all,) = cloud.plot([], [], drawstyle="steps-mid", color=plots.GREY, label="all columns")
        self.cut = cloud.axvline(0.3, color=plots.ORANGE, lw=2.4, label="kept: beyond this line")
        cloud.set(xlim=(0, 0.7), ylim=(0, 1.1), xlabel="|correlation| with the labels", title="Columns of noise")
        plots.ticks(cloud.yaxis, [])
        self.bars = bars.bar(
            [0, 1], [1, 1], color=[plots.SOFT_ORANGE, plots.LIGHT_BLUE], edgecolor=plots.INK, width=0.6
        )
        bars.axhline(0.5, color=plots.INK, ls=":", zorder=3)
        bars.text(0.5, 0.515, "truth", va="bottom", ha="center", fontsize=12)
        self.dots = [bars.plot([], [], "o", ms=7, mfc="white", mec=plots.INK, zorder=4)[0] for _ in range(2)]
        bars.set(xlim=(-0.6, 1.6), ylim=(0, 1), title="Error by 5 folds")
        bars.set_xticks([0, 1], ["chosen before", "chosen inside"])
        self.figure.legend(handles=plots.entries(cloud), **plots.BELOW)
        self.moving = [self.all, self.cut, *self.bars, *self.dots]
        self.controls = {
            "p": log_slider("columns P", 200, 50, 5000, per_decade=5),
            "kept": whole("columns kept", 20, 10, 100, step=10),
            "draw": whole("data set", 1, 1, 20),
        }

    def compute(self, p, kept, draw):
        """Return correlations, the cut, and both errors."""
        p = round(p)
        errors, before = _two_ways(p, kept, draw)
        X, y, _ = _noise(draw)
        r = np.abs(correlations(X[:, :p], y))
        return {"p": p, "kept": min(kept, p), "asked": kept, "r": r, "cut": r[before].min(), "errors": errors}

    def draw(self, result):
        """Move histogram, cut and bars."""
        edges = np.linspace(0, 0.7, 36)
        counts = np.histogram(result["r"], edges)[0]
        self.all.set_data((edges[1:] + edges[:-1]) / 2, counts / counts.max())
        self.cut.set_xdata([result["cut"]] * 2)
        for j, (bar, dots) in enumerate(zip(self.bars, self.dots)):
            bar.set_height(result["errors"][:, j].mean())
            dots.set_data(j + np.linspace(-0.2, 0.2, 5), result["errors"][:, j])

    def describe(self, result):
        """Say both errors."""
        wrong, right = result["errors"].mean(axis=0)
        fewer = f" ({result['asked']} were asked for)" if result["asked"] > result["kept"] else ""
        return (
            f"The best **{result['kept']}**{fewer} of **{result['p']}** columns of noise have correlations beyond "
            f"**{result['cut']:.2f}**. Chosen before the split: error **{100 * wrong:.0f} %**; chosen inside each "
            f"training part: **{100 * right:.0f} %**. Truth: 50 %. Fifty rows leave much to luck: try others."
        )


wrong_way = explorer(WrongWay)

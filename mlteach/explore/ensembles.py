"""Explorers of chapter 13: votes, means, forests, boosting, gates and cascades."""

import warnings

import numpy as np
from matplotlib.colors import LinearSegmentedColormap, ListedColormap

from mlteach import plots
from mlteach.datasets import moons
from mlteach.ensembles import (
    AdaBoost,
    CascadeClassifier,
    MixtureOfExperts,
    RandomForest,
    ensemble_variance,
    majority_accuracy,
)
from mlteach.explore.base import Scene, buttons, count, explorer, log_slider, plain, slider, whole
from mlteach.explore.own import Curve, Plane
from mlteach.logistic_regression import SoftmaxRegression, softmax
from mlteach.probability import binomial_pmf, normal_pdf
from mlteach.validation import ConvergenceWarning

FIRST, SECOND = plots.BLUE, plots.ORANGE  # the classes in their order
SIDES = ListedColormap([plots.tint(FIRST), plots.tint(SECOND)])
SHARES = LinearSegmentedColormap.from_list(
    "shares",
    [
        (0, plots.tint(FIRST, 0.55)),
        (0.5, plots.tint(FIRST, 0.1)),
        (0.5, plots.tint(SECOND, 0.1)),
        (1, plots.tint(SECOND, 0.55)),
    ],
)
CLASSES = ("class 0", "class 1")
DRAWS = 20_000  # simulated means
BOX = (-1.9, 2.9, -1.5, 2.0)  # the plane of the moons


class MajorityVote(Scene):
    """Ask more voters, or better ones, and see how often their majority is right."""

    caption = (
        "Figure 13.2: left, how many of k independent voters are right, the majorities filled. Right, the chance of a "
        "right majority for the numbers of voters that you have passed."
    )

    def __init__(self):
        self.figure, (bars, curve) = plots.canvas(2, size=(9.6, 3.9))
        bars.set(xlim=(0, 1), ylim=(0, 1.12), xlabel="share of the voters who are right", yticks=[])
        bars.set(ylabel="chance (scaled)", title="How the votes fall")
        style = {"lw": 1.2, "ec": plots.INK}
        self.lost = bars.stairs([0], [0, 1], fill=True, fc="white", label="majority wrong", **style)
        self.won = bars.stairs([0], [0, 1], fill=True, fc=plots.GREEN, label="majority right", **style)
        bars.axvline(0.5, color=plots.INK, ls="--", lw=1.4)
        curve.set(xlim=(0, 42), ylim=(0, 1.03), xlabel="voters k", ylabel="chance of being right")
        curve.set_title("The majority")
        (self.one,) = curve.plot([], [], "--", color=plots.GREY, label="one voter, p")
        (self.line,) = curve.plot([], [], "o-", ms=4, color=plots.GREEN, zorder=3, label="majority")
        (self.now,) = curve.plot([1], [0.5], "D", ms=9, mfc="white", mec=plots.INK, mew=2, zorder=4, clip_on=False)
        self.figure.legend(handles=plots.entries(bars, curve), **plots.BELOW)
        self.moving = [self.lost, self.won, self.one, self.line, self.now]
        self.controls = {
            "k": whole("voters k", 15, 1, 41, step=2),
            "p": slider("accuracy p of each", 0.6, 0.3, 0.95, 0.01),
        }

    def compute(self, k, p):
        """Return k, p, the chances of 0 ... k right votes, and the majority's accuracy up to k voters."""
        chances = binomial_pmf(np.arange(k + 1), k, p)
        return k, p, chances, np.array([majority_accuracy(i, p) for i in range(1, k + 1, 2)])

    def draw(self, result):
        """Split the bars at one half and lengthen the curve."""
        k, p, chances, accuracy = result
        edges = np.linspace(0, 1, k + 2)
        half = (k + 1) // 2
        self.lost.set_data(chances[:half] / chances.max(), edges[: half + 1])
        self.won.set_data(chances[half:] / chances.max(), edges[half:])
        self.one.set_data([0, 42], [p, p])
        self.line.set_data(np.arange(1, k + 1, 2), accuracy)
        self.now.set_data([k], [accuracy[-1]])

    def describe(self, result):
        """Compare the majority with one voter."""
        k, p, _, accuracy = result
        if k == 1:
            return f"A single voter is right with chance **{p:.2f}**. Ask more voters."
        words = f"Each of **{k}** voters is right with chance **{p:.2f}**. Their majority, at least {(k + 1) // 2}, is "
        return words + f"right with chance **{accuracy[-1]:.4f}**."


majority_vote = explorer(MajorityVote)


class MeanOfPredictors(Scene):
    """Average more predictors, more or less alike, and watch what is left of the variance."""

    caption = (
        "Figure 13.3: left, the variance of the mean of n predictors of variance 1, and how much of it they have in "
        "common, up to your n. Right, the law of one predictor and of their mean, with 20,000 simulated means."
    )
    MOST = 50

    def __init__(self):
        rng = np.random.default_rng(13)
        self.common, own = rng.normal(size=DRAWS), rng.normal(size=(DRAWS, self.MOST))
        self.own = np.cumsum(own, axis=1) / np.arange(1, self.MOST + 1)
        self.figure, (curve, law) = plots.canvas(2, size=(9.6, 3.9))
        curve.set(xlim=(0, self.MOST + 1), ylim=(0, 1.06), xlabel="predictors n", ylabel="variance of the mean")
        curve.set_title("What averaging leaves")
        (self.floor,) = curve.plot([], [], "--", color=plots.ORANGE, label="in common, ρσ²")
        (self.line,) = curve.plot([], [], color=plots.GREEN, zorder=3, label="variance of the mean")
        (self.now,) = curve.plot([1], [0.5], "D", ms=9, mfc="white", mec=plots.INK, mew=2, zorder=4, clip_on=False)
        law.set(xlim=(-3.3, 3.3), ylim=(0, 3.0), xlabel="error", ylabel="density", title="One, and the mean")
        self.bins = np.linspace(-3.3, 3.3, 67)
        self.means = law.stairs(np.zeros(66), self.bins, fill=True, fc=plots.tint(plots.GREEN), label="simulated means")
        self.x = np.linspace(-3.3, 3.3, 265)
        law.plot(self.x, normal_pdf(self.x), color=plots.BLUE, ls="--", label="one predictor")
        (self.law,) = law.plot([], [], color=plots.GREEN, zorder=3)
        self.figure.legend(handles=plots.entries(curve, law), **plots.BELOW)
        self.moving = [self.floor, self.line, self.now, self.means, self.law]
        self.controls = {
            "n": whole("predictors n", 10, 1, self.MOST),
            "rho": slider("correlation ρ", 0.6, 0, 1, 0.05),
        }

    def compute(self, n, rho):
        """Return n, rho, the variances of the means of 1 ... n, and simulated means of n."""
        means = np.sqrt(rho) * self.common + np.sqrt(1 - rho) * self.own[:, n - 1]
        return n, rho, ensemble_variance(np.arange(1, n + 1), rho, 1.0), means

    def draw(self, result):
        """Lengthen the curve and narrow the law of the mean."""
        n, rho, variances, means = result
        self.floor.set_data([1, n], [rho, rho])
        self.line.set_data(np.arange(1, n + 1), variances)
        self.now.set_data([n], [variances[-1]])
        self.means.set_data(np.histogram(means, self.bins)[0] / (DRAWS * (self.bins[1] - self.bins[0])))
        self.law.set_data(self.x, normal_pdf(self.x, sigma=np.sqrt(variances[-1])))

    def describe(self, result):
        """Give the two terms of the formula, and what the simulation says."""
        n, rho, variances, means = result
        if n == 1:
            return (
                f"One predictor: variance **1.000**, simulated {means.var():.3f}. Any two correlate by ρ = {rho:.2f}."
            )
        words = f"Mean of **{n}**: ρ + (1 − ρ)/n = {rho:.2f} + {(1 - rho) / n:.3f} = **{variances[-1]:.3f}** times the "
        return words + f"variance of one; the 20,000 simulated means have **{means.var():.3f}**."


mean_of_predictors = explorer(MeanOfPredictors)


class ForestSize(Scene):
    """Grow more trees, and let each split choose among more features."""

    caption = (
        "Figure 13.5: left, the votes of a forest: blue for class 0, orange for class 1, the deeper the clearer. Its "
        "six features are x₁, x₂ and the sine and cosine of 4x₁ and 4x₂. Right, its error on 2,000 new points and "
        "out of bag, tree by tree."
    )
    takes = Plane(
        BOX,
        "left, the votes of a forest: blue for the first class, orange for the second, the deeper the clearer. Its six "
        "features are the picture's x₁ and x₂ and the sine and cosine of 4x₁ and 4x₂. Right, its error on new points "
        "and out of bag, tree by tree.",
        most=160,
        each=10,
    )
    play, interval = "n", 150
    MOST = 60

    def __init__(self, data=None):
        train, self.test = (data, data.new) if data else (moons(160, 0.25, rng=6), moons(2000, 0.25, rng=7))
        self.figure, (plane, curve) = plots.canvas(2, size=(9.6, 4.3), widths=(1.1, 1))
        plane.set(xlim=BOX[:2], ylim=BOX[2:], xlabel="$x_1$", ylabel="$x_2$", title="The votes")
        if data:
            data.label(plane)
        self.grid = plots.mesh(plane, 60)[2]
        self.image = plane.imshow(np.zeros((60, 60)), **_picture(SHARES))
        plots.plot_classes(train.X, train.y, ax=plane, names=data.classes if data else CLASSES, size=20)
        curve.set(xlim=(0, self.MOST + 1), ylim=(0, 32), xlabel="trees n", ylabel="error (%)", title="Tree by tree")
        (oob,) = curve.plot([], [], "--", color=plots.PURPLE, label="out of bag")
        (new,) = curve.plot([], [], color=plots.GREEN, label="new points")
        self.curves = [oob, new]
        dots = {"s": 70, "c": [plots.PURPLE, plots.GREEN], "edgecolors": plots.INK, "zorder": 4, "clip_on": False}
        self.now = curve.scatter([0, 0], [0, 0], **dots)
        self.figure.legend(handles=plots.entries(plane, curve), **plots.BELOW)
        self.runs = {m: self._run(train, m) for m in range(1, 7)}
        if data:
            curve.set_ylim(
                0, max(5, 1.15 * max(np.nanmax(errors) for _, *both, _, _ in self.runs.values() for errors in both))
            )
        self.moving = [self.image, *self.curves, self.now]
        self.controls = {
            "n": whole("trees n", 10, 1, self.MOST),
            "m": whole("features per split m", 2, 1, 6),
        }

    def _run(self, train, m):
        """Return the shares of votes on the grid, both errors, tree by tree, and what single trees are like."""
        model = RandomForest(self.MOST, m, rng=7).fit(_waves(train.X), train.y)
        trees = np.arange(1, self.MOST + 1)[:, None]
        shares = np.cumsum(model.member_predictions(_waves(self.grid)), axis=0) / trees
        said = model.member_predictions(_waves(self.test.X))
        errors = 100 * np.mean((np.cumsum(said, axis=0) / trees > 0.5) != self.test.y, axis=1)
        alone, ones = 100 * np.mean(said != self.test.y), said.sum(axis=0)
        unlike = 100 * np.mean(2 * ones * (self.MOST - ones)) / (self.MOST * (self.MOST - 1))  # of all pairs of trees
        return shares.astype(np.float32), 100 * model.oob_errors_, errors, alone, unlike

    def compute(self, n, m):
        """Return n and the forests with m features per split."""
        return n, self.runs[m]

    def draw(self, result):
        """Colour the plane and lengthen the curves."""
        n, (shares, *errors, _, _) = result
        self.image.set_data(shares[n - 1].reshape(60, 60))
        for curve, values in zip(self.curves, errors):
            curve.set_data(np.arange(1, n + 1), values[:n])
        self.now.set_offsets([[n, values[n - 1]] for values in errors])

    def describe(self, result):
        """Give both errors, and what one tree is like."""
        n, (_, oob, new, alone, unlike) = result
        words = (
            f"**{count(n, 'tree')}**: error **{new[n - 1]:.1f} %** on new points, **{oob[n - 1]:.1f} %** out of bag. "
        )
        return (
            words
            + f"With this m one tree errs on {alone:.1f} % of new points, and two trees disagree on **{unlike:.1f} %**."
        )


forest_size = explorer(ForestSize)


class AdaboostRounds(Scene):
    """Run AdaBoost round by round and watch the weights."""

    caption = (
        "Figure 13.6: left, each point as large as its weight after the round; the line is the stump of the round, "
        "crosses are its mistakes, and the ground shows the sign of the sum of all stumps so far. Right, training "
        "error and bound."
    )
    takes = Plane(
        (-0.9, 9.9, -4.3, 4.3),
        "left, each point as large as its weight after the round; the line is the stump of the round, crosses are its "
        "mistakes, and the ground shows the sign of the sum of all stumps so far. Right, training error and bound.",
        each=1,
        held=False,
    )
    play, interval = "m", 700
    MOST = 30

    def __init__(self, data=None):
        self.data = data
        self.figure, (self.plane, curve) = plots.canvas(2, size=(9.6, 4.2), widths=(1.35, 1))
        ax = self.plane
        ax.set(xlim=(-0.9, 9.9), ylim=(-4.3, 4.3), xlabel="$x_1$", ylabel="$x_2$", title="Points and their weights")
        if data:
            data.label(ax)
        self.grid = plots.mesh(ax, 120)[2]
        self.image = ax.imshow(np.zeros((120, 120)), extent=(*ax.get_xlim(), *ax.get_ylim()), **_flat(SIDES))
        self.clouds = [
            ax.scatter([], [], marker=marker, fc="white", ec=color, lw=1.6, zorder=2, label=name)
            for marker, color, name in zip("os", (FIRST, SECOND), _signs(data))
        ]
        (self.stump,) = ax.plot([], [], color=plots.INK, ls="--", zorder=3, label="stump of the round")
        (self.wrong,) = ax.plot([], [], "x", color=plots.INK, ms=7, mew=1.8, zorder=4, label="its mistakes")
        curve.set(
            xlim=(-0.5, self.MOST + 0.5), ylim=(0, 1.04), xlabel="round m", ylabel="share", title="The sum so far"
        )
        (self.bound,) = curve.plot([], [], "o--", ms=3, color=plots.PURPLE, label="bound")
        (self.error,) = curve.plot([], [], "o-", ms=4, color=plots.GREEN, label="training error")
        self.figure.legend(handles=plots.entries(ax, curve), **plots.BELOW)
        known = {"yours": (data.X, 2 * data.y - 1)} if data else {"ten": _ten_points(), "moons": _large_moons()}
        self.runs = {name: self._run(*points) for name, points in known.items()}
        self.moving = [self.image, *self.clouds, self.stump, self.wrong, self.bound, self.error]
        self.controls = {
            "m": whole("round m", 3, 0, self.MOST),
        }
        if not data:
            self.controls["data"] = buttons("points", {"ten on a line": "ten", "two moons": "moons"})

    def _run(self, X, t):
        model = AdaBoost(self.MOST).fit(X, t)
        return X, t, model, np.vstack([np.zeros((1, len(self.grid))), model.staged_scores(self.grid)]) > 0

    def compute(self, m, data="yours"):
        """Return the round, or the last one of a run that has ended before, and the run of which it is one."""
        run = self.runs[data]
        return min(m, len(run[2].history_) - 1), run

    def draw(self, result):
        """Show the weights after round m, its stump and its mistakes."""
        m, (X, t, model, ground) = result
        record = model.history_[m]
        self.image.set_data(ground[m].reshape(120, 120))
        self.image.set_visible(m > 0)
        size = np.clip(len(t) * record.weights, 0.1, 15) * (160 if len(t) < 20 else 28)
        for cloud, sign in zip(self.clouds, (-1, 1)):
            cloud.set_offsets(X[t == sign])
            cloud.set_sizes(size[t == sign])
        self._show_stump(X, t, record.stump)
        history = model.history_[: m + 1]
        self.bound.set_data(np.arange(m + 1), [r.bound for r in history])
        self.error.set_data(np.arange(1, m + 1), [r.training_error for r in history[1:]])

    def _show_stump(self, X, t, stump):
        if stump is None:
            self.stump.set_data([], [])
            self.wrong.set_data([], [])
            return
        ends = [(stump.threshold,) * 2, self.plane.get_ylim()]
        if stump.feature == 1:
            ends = [self.plane.get_xlim(), (stump.threshold,) * 2]
        self.stump.set_data(*ends)
        self.wrong.set_data(*X[stump.predict(X) != t].T)

    def describe(self, result):
        """Give error, say and bound of the round."""
        m, (X, t, model, _) = result
        if m == 0:
            return f"Before the first round each of the {len(t)} points has weight **{1 / len(t):.3f}**. Press Play."
        record = model.history_[m]
        stump, (above, below) = record.stump, "+−" if record.stump.sign > 0 else "−+"
        axis, threshold = "x₁" if stump.feature == 0 else "x₂", plain(stump.threshold, ".2f")
        if self.data:
            start, unit = self.data.scales[stump.feature]
            axis, threshold = self.data.names[stump.feature], plain(start + unit * stump.threshold, ".4g")
        words = f"Round **{m}**: {above}1 where {axis} > {threshold}, else {below}1, has weighted "
        words += f"error ε = **{record.error:.3f}** and say α = **{record.alpha:.3f}**; the heaviest point now weighs "
        words += f"**{record.weights.max():.3f}**. "
        return (
            words + f"The sum errs on **{record.training_error:.3f}** of the points; the bound is {record.bound:.3f}."
        )


adaboost_rounds = explorer(AdaboostRounds)


class MarginGrowth(Scene):
    """Go on boosting after the last training error and watch the margins."""

    caption = (
        "Figure 13.8: left, the share of training points whose margin is at most the value on the axis; left of 0 are "
        "mistakes. Right, the errors on 200 training and on 2,000 new points, up to your round. The class is the sign "
        "of the sum of six features."
    )
    MOST = 1000

    def __init__(self):
        X, new = (np.random.default_rng(seed).uniform(-1, 1, (n, 6)) for seed, n in ((1, 200), (2, 2000)))
        t, truth = np.sign(X.sum(axis=1)), np.sign(new.sum(axis=1))
        model = AdaBoost(self.MOST, history=False).fit(X, t)
        self.margins = np.sort(model.staged_margins(X, t), axis=1)
        self.errors = 100 * np.array([model.training_errors_, np.mean(model.staged_predict(new) != truth, axis=1)])
        self.clean = 2 + int(np.flatnonzero(model.training_errors_)[-1])  # the round after the last mistake
        self.figure, (share, curve) = plots.canvas(2, size=(9.6, 4.0))
        share.set(xlim=(-1, 1), ylim=(0, 1.02), xlabel="margin t f(x) / Σα", ylabel="share of the points")
        share.set_title("Margins of the training points")
        share.axvline(0, color=plots.GREY, lw=1.2)
        (self.before,) = share.plot(
            [], [], ":", drawstyle="steps-post", color=plots.GREY, label="when the last mistake went"
        )
        (self.line,) = share.plot([], [], drawstyle="steps-post", color=plots.INK, zorder=3, label="margins now")
        curve.set(xlim=(0.9, self.MOST * 1.1), xscale="log", ylim=(0, 42), xlabel="round m", ylabel="error (%)")
        curve.set_title("Errors")
        plots.ticks(curve.xaxis, [1, 3, 10, 30, 100, 300, 1000])
        (train_line,) = curve.plot([], [], "--", color=plots.PURPLE, label="training points")
        (test_line,) = curve.plot([], [], color=plots.GREEN, label="new points")
        self.curves = [train_line, test_line]
        dots = {"s": 60, "c": [plots.PURPLE, plots.GREEN], "edgecolors": plots.INK, "zorder": 4, "clip_on": False}
        self.now = curve.scatter([1, 1], [1, 1], **dots)
        self.figure.legend(handles=plots.entries(share, curve), **plots.BELOW)
        self.moving = [self.before, self.line, *self.curves, self.now]
        rounds = log_slider("rounds m", 10 ** (22 / 12), 1, self.MOST, per_decade=12)
        rounds.readout_format = ".0f"
        self.controls = {"m": rounds}

    def compute(self, m):
        """Return the round, and the sorted margins after it."""
        m = int(round(m))
        return m, self.margins[m - 1]

    def draw(self, result):
        """Draw the distribution of the margins, and the errors so far."""
        m, margins = result
        self.line.set_data(*_steps(margins))
        self.before.set_data(*(_steps(self.margins[self.clean - 1]) if m > self.clean else ([], [])))
        for curve, values in zip(self.curves, self.errors):
            curve.set_data(np.arange(1, m + 1), values[:m])
        self.now.set_offsets([[m, values[m - 1]] for values in self.errors])

    def describe(self, result):
        """Give the least and the median margin, and both errors."""
        m, margins = result
        words = f"After **{count(m, 'round')}** the least margin is **{plain(margins[0], '.3f')}**, the median "
        words += f"{plain(np.median(margins), '.3f')}. "
        train, test = self.errors[:, m - 1]
        return words + f"Error on the training points **{train:.1f} %**, on new points **{test:.1f} %**."


margin_growth = explorer(MarginGrowth)


class GatedExperts(Scene):
    """Let experts and gate find their parts of the line, step by step."""

    caption = (
        "Figure 13.12: left, the lines of the experts, each drawn strong where the gate believes it most, and the "
        "prediction. Right, how much the gate believes each expert."
    )
    takes = Curve(
        (-3, 3),
        "left, the lines of the experts, each drawn strong where the gate believes it most, and the prediction. Right, "
        "how much the gate believes each expert.",
        most=200,
        held=False,
    )
    play, interval = "step", 350
    MOST = 30

    def __init__(self, data=None):
        rng, self.data = np.random.default_rng(4), data
        x = np.sort(rng.uniform(-3, 3, 90))
        self.X, self.y = (data.X, data.y) if data else (x[:, None], _bent(x) + 0.15 * rng.normal(size=90))
        self.x = np.linspace(-3, 3, 241)
        self.runs = {k: self._run(k) for k in (1, 2, 3, 4)}
        self.figure, (plane, gate) = plots.canvas(2, size=(9.6, 4.0), widths=(1.25, 1))
        plane.set(xlim=(-3, 3), ylim=(-2.4, 3.2), xlabel="x", ylabel="y", title="Experts and prediction")
        plane.plot(self.X[:, 0], self.y, "o", ms=5, mfc="white", mec=plots.GREY, mew=1.2, label="data")
        looks = list(
            zip(("Expert 1", "Expert 2", "Expert 3", "Expert 4"), (plots.BLUE, plots.ORANGE, plots.PURPLE, plots.SKY))
        )
        self.thin = [plane.plot([], [], color=c, lw=1.0, ls=":")[0] for _, c in looks]
        self.strong = [plane.plot([], [], color=c, lw=4, alpha=0.6, label=name)[0] for name, c in looks]
        (self.line,) = plane.plot([], [], color=plots.INK, lw=2, zorder=4, label="prediction")
        gate.set(xlim=(-3, 3), ylim=(0, 1.03), xlabel="x", ylabel="belief $g_k(x)$", title="The gate")
        if data:
            data.label(plane)
            data.label_places(gate)
        self.beliefs = [gate.plot([], [], color=c, ls=ls)[0] for (_, c), ls in zip(looks, ("-", "--", "-.", ":"))]
        self.figure.legend(handles=plots.entries(plane), **plots.BELOW)
        self.moving = [*self.thin, *self.strong, self.line, *self.beliefs]
        self.controls = {
            "step": whole("step", 0, 0, self.MOST),
            "k": whole("experts K", 3, 1, 4),
        }

    def _run(self, k):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            return MixtureOfExperts(k, rng=2, tol=0, max_iter=self.MOST).fit(self.X, self.y).history_

    def compute(self, step, k):
        """Return the step, its record, and the experts' answers, the gate and the prediction along x."""
        history = self.runs[k]
        record = history[min(step, len(history) - 1)]
        answers = self.x[:, None] * record.W.T + record.b
        gate = softmax(self.x[:, None] * record.V.T + record.c)
        return step, record, answers, gate, (gate * answers).sum(axis=1)

    def draw(self, result):
        """Lay the lines and the gate's curves."""
        *_, answers, gate, prediction = result
        for k, (thin, strong, belief) in enumerate(zip(self.thin, self.strong, self.beliefs)):
            known = k < gate.shape[1]
            thin.set_data(self.x if known else [], answers[:, k] if known else [])
            mine = gate.argmax(axis=1) == k if known else np.zeros(len(self.x), dtype=bool)
            strong.set_data(self.x[mine], answers[mine, k] if known else [])
            belief.set_data(self.x if known else [], gate[:, k] if known else [])
        self.line.set_data(self.x, prediction)

    def describe(self, result):
        """Give the slopes, and the noise that the experts leave."""
        step, record, *_ = result
        (_, across), (_, up) = self.data.scales if self.data else ((0, 1), (0, 1))
        slopes = ", ".join(plain(w * up / across, ".3g" if self.data else ".2f") for w in record.W[:, 0])
        words = f"After **{count(step, 'step')}**: **{count(len(record.b), 'expert')}** of slope {slopes}; "
        return (
            words
            + "the points deviate from their experts by σ = "
            + (f"**{record.sigma * up:.3g}**." if self.data else f"**{record.sigma:.2f}** (the noise has 0.15).")
        )


gated_experts = explorer(GatedExperts)


class CascadeThreshold(Scene):
    """Ask the cheap model to be surer before it answers alone."""

    caption = (
        "Figure 13.13: left, what the cascade answers; deep colours, where the line is not sure enough and passes the "
        "point on to a forest. Right, how many of 2,000 new points it gets right, against the share that it passes "
        "on, up to your threshold."
    )
    takes = Plane(
        BOX,
        "left, what the cascade answers; deep colours, where the line is not sure enough and passes the point on to a "
        "forest. Right, how many new points it gets right, against the share that it passes on, up to your threshold.",
        each=5,
    )

    def __init__(self, data=None):
        train, self.test = (data, data.new) if data else (moons(200, 0.25, rng=8), moons(2000, 0.25, rng=9))
        model = CascadeClassifier([SoftmaxRegression(lam=1.0), RandomForest(100)]).fit(train.X, train.y)
        self.figure, (self.plane, curve) = plots.canvas(2, size=(9.6, 4.2), widths=(1.1, 1))
        ax = self.plane
        ax.set(xlim=BOX[:2], ylim=BOX[2:], xlabel="$x_1$", ylabel="$x_2$", title="Who answers where")
        if data:
            data.label(ax)
        grid = plots.mesh(ax, 80)[2]
        self.line, self.sides = (
            model.models_[0],
            ListedColormap([*SIDES.colors, *(plots.tint(c, 0.6) for c in (FIRST, SECOND))]),
        )
        self.on_grid, self.on_test = self._answers(model, grid), self._answers(model, self.test.X)
        self.image = ax.imshow(np.zeros((80, 80)), **{**_picture(self.sides), "vmax": 3})
        plots.plot_classes(train.X, train.y, ax=ax, names=data.classes if data else CLASSES, size=20)
        self.edges = [ax.plot([], [], color=plots.INK, ls="--", lw=1.6)[0] for _ in range(2)]
        curve.set(xlim=(-3, 103), ylim=(86, 94), xlabel="passed on to the forest (%)", ylabel="right answers (%)")
        curve.set_title("What the forest's time buys")
        (self.right,) = curve.plot([], [], color=plots.GREEN, label="cascade, 50 % to your threshold")
        self.numbers = np.array([self._numbers(c / 100) for c in range(50, 101)])
        if data:
            curve.set_ylim(self.numbers[:, 0].min() - 3, self.numbers[:, 0].max() + 3)
        first = self.numbers[0, 0] if data else 90
        (self.now,) = curve.plot([0], [first], "o", ms=9, color=plots.GREEN, mec=plots.INK, zorder=4, clip_on=False)
        self.figure.legend(handles=plots.entries(ax, curve), **plots.BELOW)
        self.moving = [self.image, *self.edges, self.right, self.now]
        self.controls = {"threshold": whole("threshold in per cent", 65, 50, 100)}

    @staticmethod
    def _answers(model, X):
        """Return how sure the first stage is, and the class that each stage names."""
        first, second = model.models_
        return first.predict_proba(X).max(axis=1), first.predict(X), second.predict(X)

    def _numbers(self, threshold):
        sure, first, second = self.on_test
        passed = sure < threshold
        return 100 * np.mean(np.where(passed, second, first) == self.test.y), 100 * np.mean(passed)

    def compute(self, threshold):
        """Return the threshold, who answers what on the grid, and the numbers of all lower thresholds."""
        sure, first, second = self.on_grid
        passed = sure < threshold / 100
        return threshold, np.where(passed, 2 + second, first), self.numbers[: threshold - 49]

    def draw(self, result):
        """Colour the plane by answer and by who gives it."""
        threshold, answers, numbers = result
        self.image.set_data(answers.reshape(80, 80))
        w, b = self.line.W_[1] - self.line.W_[0], self.line.b_[1] - self.line.b_[0]
        level = np.log(threshold / (100 - threshold)) if threshold < 100 else 99.0
        for edge, side in zip(self.edges, (level, -level)):
            edge.set_data(*plots.line_ends(w, b, self.plane, side))
        self.right.set_data(numbers[:, 1], numbers[:, 0])
        self.now.set_data(numbers[-1:, 1], numbers[-1:, 0])

    def describe(self, result):
        """Give accuracy and price."""
        threshold, _, numbers = result
        right, passed = numbers[-1]
        words = (
            f"The line answers alone where it is at least **{threshold} %** sure. It passes **{passed:.0f} %** of the "
        )
        words += (
            f"new points on to 100 trees, {passed:.0f} trees per point on average; **{right:.1f} %** of the answers "
        )
        return words + f"are right (line alone {self.numbers[0, 0]:.1f} %)."


cascade_threshold = explorer(CascadeThreshold)


# --- Pieces --------------------------------------------------------------------------------------------------------


def _steps(values):
    """Return the corners of a distribution function from sorted values."""
    return np.concatenate([[-1], values, [1]]), np.concatenate(
        [[0], np.arange(1, len(values) + 1), [len(values)]]
    ) / len(values)


def _flat(cmap):
    return {
        "cmap": cmap,
        "vmin": 0,
        "vmax": 1,
        "origin": "lower",
        "interpolation": "nearest",
        "aspect": "auto",
        "zorder": 0,
    }


def _picture(cmap):
    return {"extent": BOX, **_flat(cmap)}


def _waves(X):
    """Return six features: x1 and x2, which tell the classes apart, and four waves, which hardly do."""
    return np.column_stack([X, np.sin(4 * X), np.cos(4 * X)])


def _signs(data):
    """Return what the legend calls t = -1 and t = +1."""
    return [f"{name} ({sign}1)" for name, sign in zip(data.classes, "−+")] if data else ["t = −1", "t = +1"]


def _ten_points():
    """Return ten points on a line, which no stump separates."""
    return np.column_stack([np.arange(10.0), np.zeros(10)]), np.array([1, 1, 1, -1, -1, -1, 1, 1, 1, -1])


def _large_moons():
    """Return two moons as wide as the ten points."""
    data = moons(80, 0.2, rng=1)
    return 2.6 * (data.X + [1.25, -0.25]), np.where(data.y == 1, 1, -1)


def _bent(x):
    return np.where(x < -1, 2.5 + 1.5 * (x + 1), np.where(x < 1, 2.5 - 2 * (x + 1), -1.5 + 1.5 * (x - 1)))

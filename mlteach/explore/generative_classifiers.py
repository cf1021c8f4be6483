"""Explorers of chapter 10: two Gaussians and their boundary, evidence that repeats itself, smoothed words."""

from functools import cache

import numpy as np
from contourpy import LineType, contour_generator
from matplotlib.collections import LineCollection

from mlteach import plots
from mlteach.datasets import news
from mlteach.evaluation import stratified_k_fold
from mlteach.explore.base import Scene, choice, count, explorer, log_slider, plain, slider, switch, whole
from mlteach.generative_classifiers import STOP_WORDS, GaussianDiscriminant, MultinomialNaiveBayes, Vocabulary

# --- Two Gaussians -------------------------------------------------------------------------------------------------

POINTS, EDGE = 300, 6.0
GRID = np.linspace(-EDGE, EDGE, 81)
CIRCLE = np.array([np.cos(np.linspace(0, 2 * np.pi, 73)), np.sin(np.linspace(0, 2 * np.pi, 73))])


class ClassBoundary(Scene):
    """Move two Gaussian classes and watch the boundary that they make, with a shared and with own covariances."""

    caption = (
        "Figure 10.3: 300 points of two Gaussian classes with the ellipses that a fitted model draws around them "
        "(one and two standard deviations, 39 and 86 % of a class) and the boundary where both classes are equally "
        "probable. Right: the chance of class 1 along the dotted line through both means. Means and "
        "covariances of the points are exactly those of the sliders."
    )
    lines = 3

    def __init__(self):
        self.figure, (plane, cut) = plots.canvas(2, widths=(4, 3), size=(9.6, 4.4))
        self._draw_plane(plane)
        self._draw_cut(cut)
        self.moving = [self.axis, *self.dots, self.ellipses, self.boundary, self.centres, self.chance, self.steps]
        self.controls = {
            "gap": slider("distance of the means", 2.5, 0, 6, 0.25),
            "prior": slider("share of class 1 π₁", 0.5, 0.05, 0.95, 0.05),
            "rho0": slider("correlation in class 0", 0.6, -0.9, 0.9, 0.1, digits=1),
            "rho1": slider("correlation in class 1", 0.6, -0.9, 0.9, 0.1, digits=1),
            "stretch": log_slider("spread of class 1", 1.0, 0.4, 2.5, per_decade=20),
            "shared": switch("one shared covariance", True),
        }

    def _draw_plane(self, ax):
        ax.set(xlim=(-EDGE, EDGE), ylim=(-4, 4), xlabel="$x_1$", ylabel="$x_2$", title="Two classes", aspect="equal")
        (self.axis,) = ax.plot([-EDGE, EDGE], [0, 0], ":", color=plots.GREY, lw=1.4, zorder=1)
        self.dots = []
        for k, name in enumerate(("class 0", "class 1")):
            style = {"marker": plots.CLASS_MARKERS[k], "mec": plots.CLASS_COLORS[k], "mfc": "white", "ls": "", "ms": 4}
            self.dots += ax.plot([], [], mew=1.0, zorder=2, label=name, **style)
        self.ellipses = LineCollection([], colors=plots.INK, linewidths=1.6, linestyles="--", zorder=3)
        self.boundary = LineCollection([], colors=plots.PURPLE, linewidths=3.2, zorder=4, label="boundary")
        ax.add_collection(self.ellipses)
        ax.add_collection(self.boundary)
        (self.centres,) = ax.plot([], [], "P", ms=10, mfc=plots.YELLOW, mec=plots.INK, zorder=5, label="means")
        self.figure.legend(handles=plots.entries(ax), **plots.BELOW)

    def _draw_cut(self, ax):
        ax.set(xlim=(-EDGE, EDGE), ylim=(-0.03, 1.03), xlabel="$x_1$ at $x_2=0$", ylabel="chance of class 1")
        ax.set_title("Along the line of the means")
        ax.axhline(0.5, color=plots.GREY, ls=":", lw=1.2, zorder=0)
        (self.chance,) = ax.plot([], [], color=plots.BLUE, lw=2.8)
        (self.steps,) = ax.plot([0], [0.5], "D", ms=9, mfc=plots.PURPLE, mec="white", zorder=4, clip_on=False)

    def compute(self, gap, prior, rho0, rho1, stretch, shared):
        """Return the points, their classes, the fitted model, the boundary's pieces and the chances along the cut."""
        n1 = round(POINTS * prior)
        X0 = _exact(POINTS - n1, 0) @ _root(rho0, 1).T - [gap / 2, 0]
        X1 = _exact(n1, 1) @ _root(rho1, stretch).T + [gap / 2, 0]
        X, y = np.vstack([X0, X1]), np.repeat([0, 1], [len(X0), n1])
        model = GaussianDiscriminant(shared_covariance=shared).fit(X, y)
        other = GaussianDiscriminant(shared_covariance=not shared).fit(X, y)
        xx, yy = np.meshgrid(GRID, GRID * 2 / 3)
        scores = model.decision_function(np.column_stack([xx.ravel(), yy.ravel()])).reshape(xx.shape)
        flat = np.ptp(scores) < 1e-9  # the same everywhere: its zeros would be rounding errors
        pieces = [] if flat else contour_generator(xx, yy, scores, line_type=LineType.Separate).lines(0)
        along = model.predict_proba(np.column_stack([GRID, 0 * GRID]))[:, 1]
        errors = [_wrong(m, X, y) for m in (model, other)]
        return X, y, model, pieces, along, errors

    def draw(self, result):
        """Move points, ellipses, boundary and the curve of chances."""
        X, y, model, pieces, along, _ = result
        for k, dots in enumerate(self.dots):
            dots.set_data(X[y == k].T)
        rings = [
            mu + r * (np.linalg.cholesky(Sigma) @ CIRCLE).T
            for mu, Sigma in zip(model.means_, model.covariances_)
            for r in (1, 2)
        ]
        self.ellipses.set_segments(rings)
        self.boundary.set_segments(pieces)
        self.centres.set_data(model.means_.T)
        self.chance.set_data(GRID, along)
        turns = np.flatnonzero(np.diff(np.sign(along - 0.5))) if np.ptp(along) > 1e-9 else []
        places = [np.interp(0.5, *_rising(along[i : i + 2], GRID[i : i + 2])) for i in turns]
        self.steps.set_data(places, np.full(len(places), 0.5))

    def describe(self, result):
        """Say what kind of boundary it is and what it costs."""
        _, _, model, pieces, along, errors = result
        here = "" if pieces else "No part of it lies in the picture. "
        if np.ptp(along) < 1e-9 and not pieces:
            words, here = "**No boundary**: both portraits are the same, so only the shares decide. ", ""
        elif hasattr(model, "w_"):
            w, b = model.w_, model.b_
            tail = f"log-odds **{plain(w[0], '.2f')}** x₁ {_signed(w[1])} x₂ {_signed(b)}"
            words = f"One covariance: the boundary is a **straight line**, {tail}. "
        else:
            words = f"Own covariances: the boundary is **{_shape(model)}**. "
        mine, other = errors
        rival = "own covariances" if hasattr(model, "w_") else "one covariance"
        return words + here + f"It is wrong on **{mine:.1f} %** of the points; {rival} would be on {other:.1f} %."


class_boundary = explorer(ClassBoundary)


@cache
def _exact(n, seed):
    """Return n points (n, 2) whose mean is exactly 0 and whose covariance is exactly the identity."""
    z = np.random.default_rng(seed).normal(size=(n, 2))
    z = z - z.mean(axis=0)
    return z @ np.linalg.inv(np.linalg.cholesky(z.T @ z / n)).T


def _root(rho, stretch):
    return stretch * np.linalg.cholesky([[1, rho], [rho, 1]])


def _wrong(model, X, y):
    """Return the per cent of wrong points; a score that is the same everywhere gives all to the larger class."""
    flat = np.ptp(model.decision_function(X)) < 1e-9
    return round(100 * (min(np.mean(y), 1 - np.mean(y)) if flat else 1 - model.score(X, y)), 1)


def _signed(number):
    return f"{'−' if round(number, 2) < 0 else '+'} **{abs(round(number, 2)):.2f}**"


def _rising(p, x):
    """Return both arrays in the order of rising p, as interpolation wants them."""
    order = np.argsort(p)
    return p[order], x[order]


def _shape(model):
    """Name the curve x'Ax + ... = 0 by the signs of A's eigenvalues."""
    A = np.linalg.inv(model.covariances_[0]) - np.linalg.inv(model.covariances_[1])
    values = np.linalg.eigvalsh(A)
    if np.abs(values).max() < 1e-9:
        return "a straight line, since the covariances are equal"
    if np.abs(values).min() < 1e-9:
        return "a parabola or two parallel lines"
    return "an ellipse" if values[0] * values[1] > 0 else "a hyperbola or two crossing lines"


# --- Evidence that repeats itself ----------------------------------------------------------------------------------

MOST = 12


class RepeatedEvidence(Scene):
    """Count the same evidence several times and compare naive Bayes with the exact posterior."""

    caption = (
        "Figure 10.4: d features are all present. Each of the features 2 to d copies the first with chance c, and is "
        "otherwise independent given the class. Left, the chance of class 1 as naive Bayes computes it and as it is; "
        "right, the same as log-odds, where each independent feature adds the same amount."
    )

    def __init__(self):
        self.figure, (chance, odds) = plots.canvas(2)
        self.n = np.arange(1, MOST + 1)
        self.curves = [
            *self._draw(chance, (0, 1.02), "chance of class 1"),
            *self._draw(odds, (-13.5, 13.5), "log-odds"),
        ]
        chance.set_title("What they believe")
        odds.set_title("The same as log-odds")
        self.figure.legend(handles=plots.entries(chance), **plots.BELOW)
        self.moving = self.curves
        self.controls = {
            "d": whole("features d", 8, 1, MOST),
            "c": slider("chance of a copy c", 0.0, 0, 1, 0.05),
            "hit": slider("P(present | class 1)", 0.6, 0.3, 0.7, 0.05),
            "false": slider("P(present | class 0)", 0.4, 0.3, 0.7, 0.05),
            "prior": slider("share of class 1 π₁", 0.3, 0.05, 0.95, 0.05),
        }

    def _draw(self, ax, limits, label):
        ax.set(xlim=(0.5, MOST + 0.5), ylim=limits, xlabel="features d", ylabel=label)
        ax.set_xticks([1, 3, 6, 9, 12])
        (naive,) = ax.plot([], [], "o-", color=plots.ORANGE, lw=5, ms=10, label="naive Bayes")
        (exact,) = ax.plot([], [], "s-", color=plots.BLUE, lw=1.8, ms=4.5, label="exact")
        ring = {"mfc": "none", "mec": plots.INK, "mew": 2.0, "ls": ""}
        (now,) = ax.plot([1, 1], [0.5, 0.5], "o", ms=13, zorder=5, clip_on=False, label="at your d", **ring)
        return naive, exact, now

    def compute(self, d, c, hit, prior, **rates):
        """Return d and the log-odds of class 1 with 1 to 12 features, naive and exact."""
        false = rates["false"]
        start = np.log(prior / (1 - prior))
        naive = start + self.n * np.log(hit / false)
        # A later feature is a copy with chance c, and present by itself with chance (1 - c) theta
        later = np.log((c + (1 - c) * hit) / (c + (1 - c) * false))
        exact = start + np.log(hit / false) + (self.n - 1) * later
        return d, naive, exact

    def draw(self, result):
        """Move both curves in both panels, and the rings at d."""
        d, *odds = result
        for panel, heights in ((self.curves[:3], [1 / (1 + np.exp(-a)) for a in odds]), (self.curves[3:], odds)):
            for curve, h in zip(panel, heights):
                curve.set_data(self.n, h)
            panel[2].set_data([d, d], [h[d - 1] for h in heights])

    def describe(self, result):
        """Say how sure both are."""
        d, naive, exact = result
        p, q = (1 / (1 + np.exp(-a[d - 1])) for a in (naive, exact))
        words = (
            f"With {count(d, 'feature')} present naive Bayes gives class 1 a chance of **{p:.4f}**; it is **{q:.4f}**. "
        )
        same = (p > 0.5) == (q > 0.5)
        return words + (
            "Both choose the same class."
            if same
            else "They choose **different** classes: here the copies cost a mistake."
        )


repeated_evidence = explorer(RepeatedEvidence)


# --- Smoothed words ------------------------------------------------------------------------------------------------

ALPHAS = 10.0 ** np.arange(-4, 2.01, 0.2)
START = 30  # α = 100, where the curves begin
WORDS = ("rain", "fans", "storm", "court", "season", "goals", "shares", "film", "record", "strike")


class WordSmoothing(Scene):
    """Add virtual words to every class of the news corpus and watch probabilities, accuracy and confidence."""

    caption = (
        "Figure 10.6: left, the probability of one word in the five sections of the news corpus (without very common "
        "words such as the and of), as counted (hollow) and smoothed (filled); the dashed line is 1/|V|. Right, "
        "ten-fold cross-validation, drawn from α = 100 down to your α: the share of sentences that are right, and "
        "how sure the model is on average."
    )
    lines = 3

    def __init__(self):
        self.figure, (bars, curve) = plots.canvas(2, widths=(1, 1))
        self.words, self.counts, self.labels, self.curves = _corpus()
        self._draw_bars(bars)
        self._draw_curve(curve)
        self.moving = [*self.raw, *self.smooth, *self.paths, self.now]
        self.controls = {
            "alpha": log_slider("smoothing α", 1.0, 1e-4, 100, per_decade=5, digits=3),
            "word": choice("word", list(WORDS)),
        }

    def _draw_bars(self, ax):
        names = sorted(set(self.labels))
        places = np.arange(len(names))
        ax.set(
            xlim=(-0.6, 4.6), ylim=(0, 38), ylabel="probability, per thousand words", title="One word, five sections"
        )
        ax.set_xticks(places, [name[:9] + "." * (len(name) > 9) for name in names], fontsize=10.5)
        hollow = {"fc": "white", "ec": plots.INK, "lw": 1.6}
        self.raw = ax.bar(places - 0.2, 0 * places, 0.36, label="counted", **hollow).patches
        self.smooth = ax.bar(places + 0.2, 0 * places, 0.36, fc=plots.BLUE, ec=plots.BLUE, label="smoothed").patches
        ax.axhline(1000 / len(self.words), color=plots.ORANGE, ls="--", lw=2, zorder=3, label="1/|V|")
        ax.legend(loc="upper left", ncols=3)

    def _draw_curve(self, ax):
        ax.set(xscale="log", xlim=(ALPHAS[0] / 1.3, ALPHAS[-1] * 1.3), ylim=(0, 1.02), xlabel="smoothing α")
        ax.set_title("On sentences it has not seen")
        self.paths = [
            *ax.plot([], [], "o-", color=plots.GREEN, lw=2.8, ms=5, label="share right"),
            *ax.plot([], [], "s--", color=plots.PURPLE, lw=2.8, ms=5, label="mean confidence"),
        ]
        ax.axhline(0.2, color=plots.GREY, ls=":", lw=1.4, label="guessing")
        ring = {"mfc": "none", "mec": plots.INK, "mew": 2.0, "ls": ""}
        (self.now,) = ax.plot([], [], "o", ms=12, zorder=5, label="at your α", **ring)
        ax.legend(loc="center left")

    def compute(self, alpha, word):
        """Return the smoothing, the word's counts and shares in each class, and the place on the curves."""
        model = MultinomialNaiveBayes(alpha=alpha).fit(self.counts, self.labels)
        j = self.words.index(word)
        rows = [self.counts[self.labels == label] for label in model.classes_]
        times = np.array([int(part[:, j].sum()) for part in rows])
        totals = np.array([int(part.sum()) for part in rows])
        place = int(np.argmin(np.abs(np.log(ALPHAS / alpha))))
        return alpha, word, model, times, totals, model.theta_[:, j], place

    def draw(self, result):
        """Move the bars and the rings."""
        _, _, _, times, totals, theta, place = result
        for bar, share in zip(self.raw, times / totals):
            bar.set_height(1000 * share)
        for bar, share in zip(self.smooth, theta):
            bar.set_height(1000 * share)
        low, high = sorted((place, START))
        for path, curve in zip(self.paths, self.curves):
            path.set_data(ALPHAS[low : high + 1], curve[low : high + 1])
        self.now.set_data([ALPHAS[place]] * 2, [curve[place] for curve in self.curves])

    def describe(self, result):
        """Say what one class makes of the word, and what it does for new sentences."""
        alpha, word, model, times, totals, theta, place = result
        k, size = int(np.argmax(times / totals)), len(self.words)
        words = f"“{word}” is {times[k]} of the {totals[k]} words of {model.classes_[k]}: counted "
        words += f"{1000 * times[k] / totals[k]:.2f}, smoothed **{1000 * theta[k]:.2f}** per thousand. "
        never = 1000 * alpha / (totals[k] + alpha * size)
        words += f"A word that {model.classes_[k]} never used gets **{never:.2g}** per thousand. "
        right, sure = (curve[place] for curve in self.curves)
        return words + f"New sentences: **{100 * right:.0f} %** right, on average **{100 * sure:.0f} %** sure."


word_smoothing = explorer(WordSmoothing)


@cache
def _corpus():
    """Return the vocabulary, the counts, the labels, and accuracy and confidence for each α by cross-validation."""
    data = news()
    words = Vocabulary(data.X, stop_words=STOP_WORDS)
    right, sure = np.zeros((2, len(ALPHAS)))
    for fold in stratified_k_fold(data.y, 10, rng=0):
        known = Vocabulary(data.X[fold.train], stop_words=STOP_WORDS)
        X, X_new = known.counts(data.X[fold.train]), known.counts(data.X[fold.test])
        for i, alpha in enumerate(ALPHAS):
            model = MultinomialNaiveBayes(alpha=alpha).fit(X, data.y[fold.train])
            p = model.predict_proba(X_new)
            right[i] += np.sum(model.classes_[p.argmax(axis=1)] == data.y[fold.test])
            sure[i] += p.max(axis=1).sum()
    return words, words.counts(data.X), data.y, (right / len(data.y), sure / len(data.y))

"""Explorers of chapter 17: two values, functions as points arrive, the price of flexibility, and two summits."""

import warnings
from functools import cache

import numpy as np
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.colors import BoundaryNorm
from matplotlib.patches import Patch

from mlteach import plots
from mlteach.explore.base import Scene, buttons, count, explorer, log_slider, plain, slider, switch, whole
from mlteach.explore.own import Curve
from mlteach.gaussian_processes import GaussianProcess, log_evidence, smooth_kernel
from mlteach.probability import conditional_normal, normal_pdf
from mlteach.validation import ConvergenceWarning

BAND, WIDE_BAND = plots.LIGHT_BLUE, plots.BLUE_WASH
TURN = np.linspace(0, 2 * np.pi, 121)
CIRCLE = np.column_stack([np.cos(TURN), np.sin(TURN)])


def _area(x, low, high):
    """Return the corners of the area between two curves."""
    return np.column_stack([np.append(x, x[::-1]), np.append(high, low[::-1])])


# --- One value tells about another ---------------------------------------------------------------------------------

VALUES = np.linspace(-3, 3, 241)


class ConditionPair(Scene):
    """See one of two correlated values, exactly or with noise, and watch the law of the other."""

    caption = (
        "Figure 17.2: left, the joint law of f₁ and f₂ (ellipses: 1 and 2 standard deviations), the value t₁ that was "
        "seen (line; with noise, a strip of ±σ), and what is known then: mean ± 1 standard deviation of f₂ (thick bar) "
        "and of f₁ (thin). Right, the law of f₂ before (dashed) and after. Look at its middle and at its width."
    )
    lines = 2

    def __init__(self):
        self.figure, (plane, law) = plots.canvas(2, size=(9.6, 4.2), widths=(1, 1.25))
        self._draw_plane(plane)
        self._draw_law(law)
        self.moving = [self.strip, self.ellipses, self.seen, self.bar, self.across, self.after, self.middle]
        self.controls = {
            "rho": slider("correlation ρ", 0.6, -0.95, 0.95, 0.05),
            "seen": slider("value seen t₁", 1.0, -2.0, 2.0, 0.1, digits=1),
            "sigma": slider("noise σ", 0.0, 0.0, 2.0, 0.1, digits=1),
        }

    def _draw_plane(self, ax):
        ax.set(xlim=(-3, 3), ylim=(-3, 3), xlabel="f₁", ylabel="f₂", aspect="equal", title="Both values")
        self.strip = ax.add_collection(PolyCollection([], facecolor=plots.PALE, edgecolor="none", zorder=0.5))
        self.ellipses = ax.add_collection(LineCollection([], colors=plots.GREY, lw=1.8, zorder=1))
        (self.seen,) = ax.plot([0, 0], [-3, 3], color=plots.ORANGE, lw=2.4, zorder=2)
        (self.bar,) = ax.plot([0, 0], [-1, 1], color=plots.BLUE, lw=6, solid_capstyle="butt", zorder=3)
        (self.across,) = ax.plot([0, 0], [0, 0], color=plots.BLUE, lw=2, zorder=3)

    def _draw_law(self, ax):
        ax.set(xlim=(-3, 3), ylim=(0, 1.45), xlabel="f₂", yticks=[], title="What is known of f₂")
        ax.plot(VALUES, normal_pdf(VALUES), "--", color=plots.GREY, zorder=2, label="before")
        (self.after,) = ax.plot([], [], color=plots.BLUE, lw=2.8, zorder=3, label="after seeing t₁")
        (self.middle,) = ax.plot([0, 0], [0, 1], ":", color=plots.BLUE, lw=1.6, zorder=2, label="its mean")
        ax.legend(loc="upper left", fontsize=11)

    def compute(self, rho, seen, sigma):
        """Return the inputs, and mean and standard deviation of f2 given t1 = f1 + noise."""
        law = conditional_normal([0, 0], [[1 + sigma**2, rho], [rho, 1]], {0: seen})
        return rho, seen, sigma, float(law.mu[0]), float(np.sqrt(law.Sigma[0, 0]))

    def draw(self, result):
        """Tilt the ellipses, move what was seen, and draw the law that is left."""
        rho, seen, sigma, mean, sd = result
        root = np.array([[1, 0], [rho, np.sqrt(1 - rho**2)]])
        self.ellipses.set_segments([k * CIRCLE @ root.T for k in (1, 2)])
        ends = np.clip([seen - sigma, seen + sigma], -3, 3)
        self.strip.set_verts([_area(ends, np.full(2, -3.0), np.full(2, 3.0))])
        self.seen.set_xdata([seen, seen])
        believed, doubt = seen / (1 + sigma**2), sigma / np.hypot(1, sigma)  # mean and sd of f1, by (17.2) with c = a
        self.bar.set_data([believed, believed], [mean - sd, mean + sd])
        self.across.set_data([believed - doubt, believed + doubt], [mean, mean])
        self.after.set_data(VALUES, np.minimum(normal_pdf(VALUES, mean, sd), 2))
        self.middle.set_data([mean, mean], [0, min(normal_pdf(mean, mean, sd), 2)])

    def describe(self, result):
        """Say mean and width of what is left."""
        rho, seen, sigma, mean, sd = result
        how = f"with noise σ = {sigma:.1f}" if sigma else "exactly"
        return (
            f"With correlation {plain(rho, '.2f')}, and t₁ = {plain(seen)} seen {how}: f₂ has the mean "
            f"**{plain(mean, '.2f')}** and the standard deviation **{sd:.2f}** (before: 0.00 and 1.00)."
        )


condition_pair = explorer(ConditionPair)

# --- Functions as points arrive ------------------------------------------------------------------------------------

PLACES = np.array([2.5, 7.0, 4.0, 8.5, 1.0, 5.5, 9.5, 3.2, 6.2, 0.3])  # in the order of their coming
TARGETS = np.array([0.7, -0.3, 1.2, -1.0, -0.6, 0.9, -0.2, 1.1, 0.4, -1.1])
GRID = np.linspace(-1, 13, 141)
VERSIONS = {"as measured": 1.0, "all zero": 0.0, "upside down": -1.0}


class PointsArrive(Scene):
    """Let points arrive one by one, and draw functions from the prior and from what the points leave of it."""

    caption = (
        "Figure 17.6: left, five functions of the prior; right, the same five draws from the posterior: the band is "
        "mean ± 2 standard deviations (sd) of f, the pale one that of a new measurement; the ring marks the newest "
        "point. Look at the band near points, between them, and to the right of all."
    )
    takes = Curve(
        (0, 10),
        "left, five functions of the prior; right, the same five draws from the posterior: the band is mean ± 2 "
        "standard deviations (sd) of f, the pale one that of a new measurement; the ring marks the newest point. "
        "Points come by chance; the length scale counts in tenths of the range of x, σ in standard deviations of t.",
        most=30,
        held=False,
        least=2,
    )
    play, interval, lines = "n", 700, 3

    def __init__(self, data=None):
        self.data, self.places, self.targets = data, PLACES, TARGETS
        if data:
            self.places, self.targets = data.X[:, 0], data.y
        self.figure, (prior, after) = plots.canvas(2, size=(9.6, 4.5), widths=(1, 1.7), sharey=True)
        self._draw_prior(prior)
        self._draw_after(after)
        look = {"ncols": 5, "columnspacing": 1.2, "handlelength": 1.6, "fontsize": 11.5}
        swatches = [Patch(fc=BAND, label="f: mean ± 2 sd"), Patch(fc=WIDE_BAND, label="new t: mean ± 2 sd")]
        self.figure.legend(handles=[*swatches, *plots.entries(after)], **{**plots.BELOW, **look})
        self.moving = [self.prior, self.wide, self.band, self.draws, self.mean, self.points, self.last]
        self.controls = {
            "n": whole("points n", min(5, len(self.places)), 0, len(self.places)),
            "length": log_slider("length scale ℓ", 1.0, 0.3, 10, per_decade=10),
            "sigma": slider("noise σ", 0.1, 0.05, 1.0, 0.05),
            "version": buttons("targets t", VERSIONS),
        }

    def _draw_prior(self, ax):
        ax.set(xlim=(-1, 13), ylim=(-3.6, 3.6), xlabel="place x", ylabel="f(x)", title="Prior")
        plots.ticks(ax.xaxis, [0, 4, 8, 12])
        if self.data:
            self.data.label(ax)
            ax.set_ylim(min(-3.6, ax.get_ylim()[0]), max(3.6, ax.get_ylim()[1]))
            self.data.label_places(ax)
        ax.fill_between([-1, 13], -2, 2, color=BAND, lw=0, zorder=0)
        self.prior = ax.add_collection(LineCollection([], colors=plots.INK, lw=1.1, alpha=0.75, zorder=2))
        ax.axhline(0, color=plots.BLUE, zorder=3)

    def _draw_after(self, ax):
        ax.set(xlim=(-1, 13), xlabel="place x", title="Given the points")
        if self.data:
            self.data.label_places(ax)
        self.wide = ax.add_collection(PolyCollection([], facecolor=WIDE_BAND, edgecolor="none", zorder=0.4))
        self.band = ax.add_collection(PolyCollection([], facecolor=BAND, edgecolor="none", zorder=0.5))
        self.draws = ax.add_collection(
            LineCollection([], colors=plots.INK, lw=1.1, alpha=0.75, zorder=2, label="drawn functions")
        )
        (self.mean,) = ax.plot([], [], color=plots.BLUE, lw=2.8, zorder=3, label="mean")
        (self.points,) = ax.plot([], [], "o", mfc="white", mec=plots.ORANGE, mew=2, zorder=4, label="points")
        (self.last,) = ax.plot([], [], "o", ms=14, mfc="none", mec=plots.PURPLE, mew=2, zorder=5)

    def compute(self, n, length, sigma, version):
        """Return the points, mean and band of f and of t on the grid, and draws of prior and posterior."""
        model = GaussianProcess(smooth_kernel(length), sigma**2)
        prior = _prior_draws(length)
        t = version * self.targets[:n]
        if not n:
            mean, sd, after = np.zeros(len(GRID)), np.ones(len(GRID)), prior
        else:
            model.fit(self.places[:n, None], t)
            mean, sd = model.predict(GRID[:, None], return_std=True, noise=False)
            after = model.sample(GRID[:, None], 5, rng=17)
        return t, mean, sd, np.hypot(sd, sigma), prior, after, length

    def draw(self, result):
        """Draw the functions, the bands and the points."""
        t, mean, sd, wide, prior, after, _ = result
        self.prior.set_segments([np.column_stack([GRID, f]) for f in prior])
        self.draws.set_segments([np.column_stack([GRID, f]) for f in after])
        for area, width in ((self.wide, wide), (self.band, sd)):
            area.set_verts([_area(GRID, mean - 2 * width, mean + 2 * width)])
        self.mean.set_data(GRID, mean)
        n = len(t)
        self.points.set_data(self.places[:n], t)
        self.last.set_data(self.places[n - 1 : n] if n else [], t[-1:])

    def describe(self, result):
        """Say mean and standard deviation at three places, and where least is known between the wells."""
        t, mean, sd, wide, *_ = result
        what = f"After **{count(len(t), 'point')}**" if len(t) else "**Before any point**"
        spots = [int(np.argmin(np.abs(GRID - x))) for x in (4.0, 5.5, 12.0)]
        between = sd[(GRID >= 0) & (GRID <= 10)].mean()
        if self.data:
            return what + self._yours(mean, sd, wide, spots, between)
        said = "; ".join(f"{plain(mean[k], '.2f')} ± {sd[k]:.2f} at {GRID[k]:g}" for k in spots)
        return (
            f"{what}, f is (mean ± sd) **{said}** km. A new measurement at 4 km has the sd **{wide[spots[0]]:.2f}**. "
            f"Between 0 and 10 km the mean sd of f is **{between:.2f}**."
        )

    def _yours(self, mean, sd, wide, spots, between):
        """Say the same in the reader's units."""
        (start, step), (middle, unit) = self.data.scales
        x, t = self.data.names
        said = "; ".join(
            f"{plain(middle + unit * mean[k], '.4g')} ± {unit * sd[k]:.3g} at {plain(start + step * GRID[k], '.4g')}"
            for k in spots
        )
        return (
            f", f is (mean ± sd) **{said}** ({x}). A new {t} at the first has the sd **{unit * wide[spots[0]]:.3g}**. "
            f"Over the range of your data the mean sd of f is **{unit * between:.3g}**."
        )


@cache
def _prior_draws(length):
    return GaussianProcess(smooth_kernel(length)).sample(GRID[:, None], 5, rng=17)


points_arrive = explorer(PointsArrive)

# --- What flexibility costs ----------------------------------------------------------------------------------------

EIGHT_X = np.array([1.9, 3.5, 3.9, 4.2, 5.1, 6.3, 6.8, 9.7])
EIGHT_T = np.array([1.1, -0.2, -1.0, -0.6, -0.3, -0.4, 0.0, -0.7])
ROAD = np.linspace(0, 11, 111)
LENGTHS = np.geomspace(0.2, 20, 41)


def _fitted(length, sigma):
    return GaussianProcess(smooth_kernel(length), sigma**2).fit(EIGHT_X[:, None], EIGHT_T)


class EvidenceBalance(Scene):
    """Lengthen the length scale and watch what is paid for fit and for flexibility."""

    caption = (
        "Figure 17.7: left, eight points and the band (pale: of a new measurement); right, the two terms of the log "
        "evidence and their sum, drawn from the shortest length scale up to the one chosen. Look where the sum turns."
    )
    takes = Curve(
        (0.5, 10.5),
        "left, your points and the band (pale: of a new measurement); right, the two terms of the log evidence and "
        "their sum, drawn from the shortest length scale up to the one chosen. Look where the sum turns. The length "
        "scale counts in tenths of the range of x, σ in standard deviations of t.",
        most=30,
        held=False,
        least=3,
    )
    lines = 2

    def __init__(self, data=None):
        self.x, self.t = (data.X[:, 0], data.y) if data else (EIGHT_X, EIGHT_T)
        self.profile = cache(self._profile)
        self.figure, (curve, terms) = plots.canvas(2, size=(9.6, 4.4), widths=(1.25, 1))
        self._draw_data(curve, self.x, self.t)
        self._draw_terms(terms)
        if data:
            data.label(curve)
            terms.set_ylim(-4 * len(self.x), 1.6 * len(self.x))
        self.figure.legend(handles=plots.entries(terms), **plots.BELOW)
        self.moving = [self.wide, self.band, self.mean, *self.curves, *self.dots]
        self.controls = {
            "length": log_slider("length scale ℓ", 0.2 * 10**0.85, 0.2, 20, per_decade=20),
            "sigma": log_slider("noise σ", 0.3, 0.21, 1.2, per_decade=20),
        }

    def _draw_data(self, ax, x, t):
        ax.set(xlim=(0, 11), ylim=(-2.7, 2.7), xlabel="x", ylabel="t", title="Curve and band")
        self.wide = ax.add_collection(PolyCollection([], facecolor=WIDE_BAND, edgecolor="none", zorder=0.4))
        self.band = ax.add_collection(PolyCollection([], facecolor=BAND, edgecolor="none", zorder=0.5))
        (self.mean,) = ax.plot([], [], color=plots.BLUE, lw=2.8, zorder=3)
        ax.plot(x, t, "o", mfc="white", mec=plots.ORANGE, mew=2, zorder=4)

    def _draw_terms(self, ax):
        ax.set(xlim=(0.18, 22), ylim=(-31, 12), xlabel="length scale ℓ", title="ln p(t), by terms", xscale="log")
        plots.ticks(ax.xaxis, [0.2, 0.5, 1, 2, 5, 10, 20])
        ax.axhline(0, color=plots.PALE, lw=1, zorder=0)
        styles = [("complexity", plots.GREEN, "--"), ("fit", plots.ORANGE, "-."), ("sum + constant", plots.BLUE, "-")]
        self.curves = [ax.plot([], [], color=c, ls=s, zorder=3, label=name)[0] for name, c, s in styles]
        self.dots = [ax.plot([1], [0], "o", ms=8, color=c, zorder=4)[0] for _, c, _ in styles]

    def compute(self, length, sigma):
        """Return fit and band on the road, and the terms of the evidence up to the length scale."""
        model = GaussianProcess(smooth_kernel(length), sigma**2).fit(self.x[:, None], self.t)
        mean, sd = model.predict(ROAD[:, None], return_std=True, noise=False)
        return mean, sd, sigma, length, self._evidence(length, sigma), self.profile(sigma)

    def _evidence(self, length, sigma):
        return log_evidence(smooth_kernel(length), sigma**2, self.x[:, None], self.t)

    def _profile(self, sigma):
        """Return total, fit, complexity and constant for each of LENGTHS."""
        return np.array([self._evidence(length, sigma) for length in LENGTHS])

    def draw(self, result):
        """Draw the fit, and the curves as far as the slider has gone."""
        mean, sd, sigma, length, here, profile = result
        for area, width in ((self.wide, np.hypot(sd, sigma)), (self.band, sd)):
            area.set_verts([_area(ROAD, mean - 2 * width, mean + 2 * width)])
        self.mean.set_data(ROAD, mean)
        seen = length * (1 + 1e-9) >= LENGTHS
        values = (here.complexity, here.fit, here.total)
        for curve, dot, column, value in zip(self.curves, self.dots, (2, 1, 0), values):
            curve.set_data(np.append(LENGTHS[seen], length), np.append(profile[seen, column], value))
            dot.set_data([length], [value])

    def describe(self, result):
        """Say the two terms and their sum."""
        _, _, sigma, length, here, _ = result
        return (
            f"At ℓ = {length:.2g} and σ = {sigma:.2g}: fit **{plain(here.fit, '.2f')}**, complexity "
            f"**{plain(here.complexity, '.2f')}**, constant {plain(here.constant, '.2f')}; together ln p(t) = "
            f"**{plain(here.total, '.2f')}**."
        )


evidence_balance = explorer(EvidenceBalance)

# --- Two summits ---------------------------------------------------------------------------------------------------

SIGMAS = np.geomspace(0.03, 1.5, 33)
LEVELS = [-30, -20, -15, -12, -10.5, -9.5, -9, -8.75, -8.66, -8.5, -8.2, -7.9, -7.6, -7.48]


class EvidenceHills(Scene):
    """Start the ascent of the evidence at a place of your choice and see on which summit it ends."""

    caption = (
        "Figure 17.8: left, the fit at the place reached; right, the way of the ascent over length scale and noise, "
        "each dot a step. Guess where another start ends before you show the hills (contours of ln p(t), brighter is "
        "higher)."
    )
    play, interval, lines = "steps", 500, 2

    def __init__(self):
        self.figure, (data, hills) = plots.canvas(2, size=(9.6, 4.4), widths=(1, 1.15))
        EvidenceBalance._draw_data(self, data, EIGHT_X, EIGHT_T)
        self._draw_hills(hills)
        self.moving = [self.wide, self.band, self.mean, *self.contours, self.way, self.start, self.end]
        self.controls = {
            "steps": whole("steps", 20, 0, 20),
            "length": log_slider("start: length scale ℓ", 1.0, 0.3, 20, per_decade=10),
            "sigma": log_slider("start: noise σ", 1.0, 0.1, 1.2, per_decade=10),
            "show": switch("show the hills"),
        }

    def _draw_hills(self, ax):
        ax.set(xlim=(0.2, 30), ylim=(0.03, 1.5), xscale="log", yscale="log", xlabel="length scale ℓ", ylabel="noise σ")
        ax.set_title("Where the ascent goes")
        plots.ticks(ax.xaxis, [0.2, 0.5, 1, 2, 5, 10, 20])
        plots.ticks(ax.yaxis, [0.03, 0.1, 0.3, 1])
        lengths, heights = _landscape()
        shades = BoundaryNorm(LEVELS, 256, extend="both")  # as many shades near the summits as far below
        filled = ax.contourf(lengths, SIGMAS, heights, LEVELS, cmap="cividis", norm=shades, extend="both", zorder=0.5)
        lines = ax.contour(lengths, SIGMAS, heights, LEVELS, colors="white", linewidths=0.7, linestyles="-", zorder=0.6)
        self.contours = [filled, lines]
        (self.way,) = ax.plot([], [], "o-", color=plots.ORANGE, mec="white", ms=7, lw=2, zorder=3)
        (self.start,) = ax.plot([], [], "s", ms=10, mfc="white", mec=plots.ORANGE, mew=2.4, zorder=4, label="start")
        (self.end,) = ax.plot([], [], "*", ms=17, mfc=plots.YELLOW, mec=plots.INK, zorder=5, label="now")
        ax.legend(loc="lower right", fontsize=11, ncols=2)

    def compute(self, steps, length, sigma, show):
        """Return the way so far, the fit at its end, and whether the ascent is over there."""
        way = _ascent(length, sigma)
        k = min(steps, len(way) - 1)
        here = way[k]
        mean, sd = _fitted(here[0], here[1]).predict(ROAD[:, None], return_std=True, noise=False)
        return mean, sd, way[: k + 1], k == len(way) - 1, show

    def draw(self, result):
        """Draw the fit at the place reached, and the way there."""
        mean, sd, way, _, show = result
        for area, width in ((self.wide, np.hypot(sd, way[-1, 1])), (self.band, sd)):
            area.set_verts([_area(ROAD, mean - 2 * width, mean + 2 * width)])
        self.mean.set_data(ROAD, mean)
        for contour in self.contours:
            contour.set_visible(show)
        lengths, sigmas = way[:, 0], np.maximum(way[:, 1], SIGMAS[0])
        self.way.set_data(lengths, sigmas)
        self.start.set_data(lengths[:1], sigmas[:1])
        self.end.set_data(lengths[-1:], sigmas[-1:])

    def describe(self, result):
        """Say where the ascent stands."""
        _, _, way, ended, _ = result
        length, sigma, height = way[-1]
        where = f"ℓ = **{length:.2f}**, σ = **{sigma:.2f}**, ln p(t) = **{plain(height, '.2f')}**"
        begun = f"From ℓ = {way[0, 0]:.2g}, σ = {way[0, 1]:.2g}"
        if sigma < SIGMAS[0]:
            return f"{begun} the ascent leaves the map, towards no noise at all: {where}."
        if ended and len(way) > 1:
            return f"{begun} the ascent ends on a summit: {where}."
        return f"{begun}, after {count(len(way) - 1, 'step')}: {where}."


@cache
def _landscape():
    """Return length scales and ln p(t) for each of SIGMAS and each length scale."""
    lengths, X = np.geomspace(0.2, 30, 43), EIGHT_X[:, None]
    kernels = [smooth_kernel(length) for length in lengths]
    return lengths, np.array([[log_evidence(k, sigma**2, X, EIGHT_T).total for k in kernels] for sigma in SIGMAS])


@cache
def _ascent(length, sigma):
    """Return length scale, noise and ln p(t) of each step of the ascent, until it ends or leaves the map."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = GaussianProcess(smooth_kernel(length).kernel, sigma**2).optimize(EIGHT_X[:, None], EIGHT_T, tol=1e-3)
    way = np.array(
        [(1 / np.sqrt(2 * s.kernel.beta), np.sqrt(s.noise_variance), s.log_evidence) for s in model.history_]
    )
    outside = np.flatnonzero(way[:, 1] < SIGMAS[0])
    return way[: outside[0] + 1] if len(outside) else way


evidence_hills = explorer(EvidenceHills)

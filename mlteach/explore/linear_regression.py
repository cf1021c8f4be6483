"""Explorers of chapter 04: a line by hand, polynomials, basis functions, and the learning rate of LMS."""

import functools
import warnings

import numpy as np
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.ticker import FixedLocator, NullLocator

from mlteach import plots
from mlteach.datasets import noisy_sine
from mlteach.evaluation import rmse
from mlteach.explore.base import Scene, choice, count, explorer, log_slider, plain, slider, whole
from mlteach.explore.own import Curve
from mlteach.linear_regression import (
    LMSRegressor,
    design_matrix,
    fit_line,
    gaussian_features,
    least_squares,
    max_stable_rate,
    piecewise_features,
    polynomial_features,
    sigmoid_features,
)
from mlteach.validation import ConvergenceWarning

# --- A line by hand ------------------------------------------------------------------------------------------------

X5, T5 = np.array([1, 2, 3, 4, 5.0]), np.array([2, 3, 5, 4, 6.0])


class LineByHand(Scene):
    """Move a line and see its squared errors as squares, and as a height on the map of all lines."""

    caption = (
        "Figure 4.2: five points and a line. Left, each miss carries its square; right, the same line as a "
        "diamond on the map of all lines, with the sum of the squares as height (darker is higher). The arrow, "
        "drawn shorter than true, stands at a right angle to the contour."
    )

    def __init__(self):
        self.best = fit_line(X5, T5)
        self.least = float(_sum_of_squares(*self.best))
        self.figure, (data, surface) = plots.canvas(2, size=(9.6, 4.9), widths=(11.5 / 9, 5.5 / 5))
        self._draw_data(data)
        self._draw_surface(surface)
        self.figure.legend(**plots.BELOW)
        self.moving = [self.squares, self.misses, self.line, self.arrow, self.now]
        self.controls = {
            "w0": slider("intercept w₀", 0.5, -1, 3.5, 0.1, digits=1),
            "w1": slider("slope w₁", 0.5, -1, 3, 0.1, digits=1),
        }

    def _draw_data(self, ax):
        ax.set(xlim=(-2, 9.5), ylim=(-1, 8), xlabel="x", ylabel="t", title="The line and its squares", aspect="equal")
        look = {"facecolor": (plots.ORANGE, 0.25), "edgecolor": plots.ORANGE, "lw": 1.2, "zorder": 1}
        self.squares = ax.add_collection(PolyCollection([], **look, label="its squares"))
        self.misses = ax.vlines(X5, 0, 0, color=plots.ORANGE, lw=2, zorder=2)
        (self.line,) = ax.plot([], [], color=plots.INK, zorder=3, label="the line")
        ax.plot(X5, T5, "o", ms=8, color=plots.BLUE, zorder=4, label="data")

    def _draw_surface(self, ax):
        w0s, w1s = np.meshgrid(np.linspace(-1.5, 4, 111), np.linspace(-1.6, 3.4, 101))
        _contours(ax, w0s, w1s, _sum_of_squares(w0s, w1s), self.least * 2.0 ** np.arange(0, 12))
        ax.set(xlim=(-1.5, 4), ylim=(-1.6, 3.4), xlabel="intercept $w_0$", ylabel="slope $w_1$", aspect="equal")
        ax.set_title("Every line is a point")
        ax.plot(*self.best, "*", ms=25, mfc=plots.YELLOW, mec=plots.INK, zorder=4, label="best line")
        self.arrow = ax.quiver(
            [0], [0], [1], [1], color=plots.ORANGE, angles="xy", scale_units="xy", scale=1, width=0.018, zorder=5,
            edgecolor="white", linewidth=0.8,
        )  # fmt: skip
        (self.now,) = ax.plot([], [], "D", ms=8, mfc="white", mec=plots.INK, mew=2, zorder=6, label="now")

    def compute(self, w0, w1):
        """Return the line, its misses and the gradient of their squares."""
        miss = design_matrix(X5[:, None]) @ [w0, w1] - T5
        return w0, w1, miss, 2 * design_matrix(X5[:, None]).T @ miss

    def draw(self, result):
        """Move the line with its squares, and the diamond with its arrow."""
        w0, w1, miss, gradient = result
        self.line.set_data([-2, 9.5], [w0 - 2 * w1, w0 + 9.5 * w1])
        ends = T5 + miss
        side = np.where(w1 >= 0, 1, -1) * miss  # to the side where the line leaves the point alone
        self.squares.set_verts([[(x, t), (x, y), (x + s, y), (x + s, t)] for x, t, y, s in zip(X5, T5, ends, side)])
        self.misses.set_segments([[(x, t), (x, y)] for x, t, y in zip(X5, T5, ends)])
        self.now.set_data([w0], [w1])
        size = np.linalg.norm(gradient)
        self.arrow.set_visible(bool(size > 0.05))
        self.arrow.set_offsets([[w0, w1]])
        self.arrow.set_UVC(*(-gradient / max(size, 1e-12) * (0.35 + 0.75 * size / (size + 60)))[:, None])

    def describe(self, result):
        """Say which line it is, what its squares come to, and which way leads down."""
        w0, w1, miss, gradient = result
        total = miss @ miss
        words = f"The line is y = **{plain(w0)}** {'−' if w1 < 0 else '+'} **{abs(w1):.1f}** x. "
        words += f"Its squares have the total area **{total:.2f}**"
        if total - self.least < 0.005:
            return words + ", the least that any line can reach. The gradient is zero: **no direction leads down**."
        words += f", which is **{total - self.least:.2f}** above the least, {self.least:.2f}. "
        slopes = f"(**{plain(gradient[0])}**, **{plain(gradient[1])}**)"
        return words + f"The gradient is {slopes}; the arrow points against it."


line_by_hand = explorer(LineByHand)


def _sum_of_squares(w0, w1):
    return np.sum((np.multiply.outer(w1, X5) + np.expand_dims(w0, -1) - T5) ** 2, axis=-1)


def _contours(ax, w0s, w1s, height, levels):
    ax.contourf(w0s, w1s, np.log(height), np.log(levels), cmap="cividis_r", alpha=0.75, extend="both")
    ax.contour(w0s, w1s, height, levels[1:], colors="white", linewidths=0.7)


# --- Polynomials ---------------------------------------------------------------------------------------------------

DEGREES = np.arange(10)
GRID = np.linspace(0, 1, 301)
TEST = noisy_sine(1000, noise=1.0, grid=False, rng=100)
SEED = 76  # ten points that show underfitting, a good fit and overfitting clearly


class PolynomialDegree(Scene):
    """Raise the degree of a polynomial through a noisy sine and compare its training and test error."""

    caption = (
        "Figure 4.8: polynomials through a noisy sine. Left, the fit; right, its root mean square error on the "
        "training points and on 1000 test points, for every degree D. The dotted line is the noise σ."
    )
    takes = Curve(
        (0, 1),
        "polynomials. Left, the fit; right, its root mean square error on the training points and on others, for every "
        "degree D. x runs from 0 to 1 in its powers.",
    )

    def __init__(self, data=None):
        self.data = data
        self.figure, (curve, errors) = plots.canvas(2, size=(9.6, 4.5), widths=(3, 2.3))
        curve.set(xlim=(-0.03, 1.03), ylim=(-2.5, 2.5), xlabel="x", ylabel="t", title="Data and polynomial")
        if data:
            data.label(curve)
        else:
            curve.plot(GRID, np.sin(2 * np.pi * GRID), "--", color=plots.GREEN, label="sine")
        (self.points,) = curve.plot([], [], "o", mfc="white", mec=plots.BLUE, mew=1.8, label="data", zorder=3)
        (self.fit,) = curve.plot([], [], color=plots.ORANGE, label="fit", zorder=2)
        self.errors = ErrorPanel(errors, DEGREES, "degree D", (0.01, 0.03, 0.1, 0.3, 1, 3), noise=not data)
        self.figure.legend(**plots.BELOW)
        self.moving = [self.points, self.fit, *self.errors.moving]
        self.controls = {
            "degree": whole("degree D", 3, 0, 9),
            "n": whole("training points N", 10, 10, 100),
            "noise": slider("noise σ", 0.3, 0.05, 0.6, 0.05),
        }
        if data:
            del self.controls["n"], self.controls["noise"]

    def compute(self, degree, n=None, noise=None):
        """Fit all degrees, and return the chosen polynomial with the errors of all."""
        x, t = (self.data.X[:, 0], self.data.y) if self.data else _sine(n, noise)
        models = [least_squares(polynomial_features(x, D), t).w for D in DEGREES]
        train = [rmse(t, polynomial_features(x, D) @ w) for D, w in zip(DEGREES, models)]
        x_test, t_test = (self.data.new.X[:, 0], self.data.new.y) if self.data else _test(noise)
        test = [rmse(t_test, polynomial_features(x_test, D) @ w) for D, w in zip(DEGREES, models)]
        return degree, x, t, models[degree], np.array(train), np.array(test), noise

    def draw(self, result):
        """Move the points, the polynomial and the two error curves."""
        degree, x, t, w, train, test, noise = result
        self.points.set_data(x, t)
        self.fit.set_data(GRID, np.clip(polynomial_features(GRID, degree) @ w, -50, 50))
        self.errors.update(train, test, degree, noise)

    def describe(self, result):
        """Say both errors, and whether this degree is too stiff, too loose or about right."""
        degree, x, _, w, train, test, _ = result
        words = f"Degree **{degree}** with {len(x)} points: training RMS **{_small(train[degree])}**, test RMS "
        words += f"**{test[degree]:.3f}**, largest |w| **{_large(np.abs(w).max())}**. "
        best = int(np.argmin(test))
        if test[degree] <= 1.1 * test[best]:
            return words + f"**About right**: no degree has a test error far below this (least at D = {best})."
        if degree < best:
            return words + f"It **underfits**: the test error still falls, until D = {best}."
        return (
            words + f"It **overfits**: the test error was least at D = {best}, while the training error kept falling."
        )


polynomial_degree = explorer(PolynomialDegree)


# --- Basis functions -----------------------------------------------------------------------------------------------

COUNTS = np.arange(1, 16)
KINDS = {"polynomial": "power", "Gaussian": "Gaussian bump", "sigmoid": "sigmoid step", "piecewise": "bin"}
OFFERED = {"polynomial": "polynomial", "Gaussian": "Gaussian", "sigmoid": "sigmoid", "piecewise constant": "piecewise"}


class BasisFunctions(Scene):
    """Build a curve from weighted basis functions: powers, bumps, smooth steps or bins."""

    caption = (
        "Figure 4.10: a fit is a sum. Thin grey curves are the basis functions, each times its weight; they add "
        "up to the thick orange curve. Right, the error against the number of functions."
    )
    takes = Curve(
        (0, 1),
        "a fit is a sum. Thin grey curves are the basis functions, each times its weight; they add up to the thick "
        "orange curve. Right, the error against the number of functions. Widths are parts of the range of x.",
    )

    def __init__(self, data=None):
        self.figure, (parts, errors) = plots.canvas(2, size=(9.6, 4.5), widths=(3, 2.3))
        self.train, self.test = _sine(30, 0.3), _test(0.3)
        if data:
            self.train, self.test = (data.X[:, 0], data.y), (data.new.X[:, 0], data.new.y)
        self._draw_parts(parts, data)
        self.errors = ErrorPanel(errors, COUNTS, "functions M", (0.1, 0.2, 0.3, 0.5, 1, 2), noise=not data)
        self.figure.legend(**plots.BELOW)
        self.moving = [self.parts, self.total, *self.errors.moving]
        self.controls = {
            "kind": choice("basis functions φ", OFFERED, "Gaussian"),
            "m": whole("number M", 6, 1, 15),
            "width": log_slider("width s", 0.1, 0.01, 1.0, per_decade=10),
        }

    def _draw_parts(self, ax, data):
        ax.set(xlim=(-0.03, 1.03), ylim=(-2.5, 2.5), xlabel="x", ylabel="t", title="Parts and their sum")
        if data:
            data.label(ax)
        ax.plot(*self.train, "o", mfc="white", mec=plots.BLUE, mew=1.8, zorder=3, label="data")
        thin = LineCollection([], colors=plots.GREY, lw=1.3, zorder=1, label="$w_j\\phi_j(x)$")
        self.parts = ax.add_collection(thin)
        (self.total,) = ax.plot([], [], color=plots.ORANGE, lw=2.6, zorder=2, label="their sum")

    def compute(self, kind, m, width):
        """Fit every number of functions of this kind, and return the parts of the chosen one."""
        (x, t), (x_test, t_test) = self.train, self.test
        models = [least_squares(_features(x, kind, M, width), t).w for M in COUNTS]
        train = [rmse(t, _features(x, kind, M, width) @ w) for M, w in zip(COUNTS, models)]
        test = [rmse(t_test, _features(x_test, kind, M, width) @ w) for M, w in zip(COUNTS, models)]
        shapes = _features(GRID, kind, m, width) * models[m - 1]
        return kind, m, width, models[m - 1], shapes, np.array(train), np.array(test)

    def draw(self, result):
        """Move the parts, their sum and the two error curves."""
        _, m, _, _, shapes, train, test = result
        self.parts.set_segments([np.column_stack([GRID, part]) for part in np.clip(shapes, -50, 50).T])
        self.total.set_data(GRID, np.clip(shapes.sum(axis=1), -50, 50))
        self.errors.update(train, test, m, 0.3)

    def describe(self, result):
        """Say both errors, the largest weight, and whether the parts cancel."""
        kind, m, width, w, shapes, train, test = result
        words = f"**{m}** {KINDS[kind]}{'s' * (m > 1)}"
        words += f" of width **{width:.3f}**" if kind in ("Gaussian", "sigmoid") else " (no width)"
        wide = f"{test[m - 1]:.3f}" if test[m - 1] < 10 else _large(test[m - 1])
        words += f": training RMS **{_small(train[m - 1])}**, test RMS **{wide}**, "
        words += f"largest |w| **{_large(np.abs(w).max())}**. "
        best = int(np.argmin(test))
        words += f"Least test RMS: {test[best]:.3f}, at M = {COUNTS[best]}."
        out = np.mean(np.abs(shapes).max(axis=0) > 2.5)  # the share of parts that the picture cannot hold
        if out < 0.5:
            return words
        return words + f" {'All' if out == 1 else 'Most'} parts leave the picture; in the sum they **cancel**."


basis_functions = explorer(BasisFunctions)


def _features(x, kind, m, width):
    if kind == "polynomial":
        return polynomial_features(x, m - 1)
    if kind == "piecewise":
        return piecewise_features(x, np.append(-1e-9, np.arange(1, m + 1) / m))
    make = gaussian_features if kind == "Gaussian" else sigmoid_features
    return make(x, (np.arange(m) + 0.5) / m, width)


def _sine(n, noise):
    """Return n points on a grid whose noise keeps its shape when its size changes."""
    data = noisy_sine(n, noise=noise, rng=SEED)
    return data.X[:, 0], data.y


def _test(noise):
    x = TEST.X[:, 0]
    sine = np.sin(2 * np.pi * x)
    return x, sine + noise * (TEST.y - sine)


class ErrorPanel:
    """Training and test error against the size of the model, with the chosen size marked."""

    def __init__(self, ax, sizes, label, ticks, *, noise=True):
        self.sizes, self.low, self.high = sizes, ticks[0], ticks[-1]
        self._draw_axes(ax, label, ticks)
        self.here = ax.axvline(0, color=plots.PALE, lw=7, zorder=0.5)
        self.noise = ax.axhline(1, color=plots.GREY, lw=1.4, ls=":", zorder=1, label="noise σ" if noise else "_")
        self.noise.set_visible(noise)  # of the reader's own data it is not known
        (self.test,) = ax.plot([], [], "-s", color=plots.ORANGE, ms=5, lw=1.8, label="test")
        (self.train,) = ax.plot([], [], "--o", color=plots.BLUE, ms=5, lw=1.8, label="training")
        look = {"s": 95, "c": [plots.ORANGE, plots.BLUE], "edgecolors": plots.INK, "zorder": 4, "clip_on": False}
        self.now = ax.scatter([0, 0], [1, 1], **look)
        self.moving = [self.here, self.noise, self.test, self.train, self.now]

    def _draw_axes(self, ax, label, ticks):
        sizes = self.sizes
        ax.set(xlim=(sizes[0] - 0.5, sizes[-1] + 0.5), xlabel=label, ylabel="RMS error", title="What it costs")
        ax.set(yscale="log", ylim=(self.low, self.high))
        ax.set_yticks(ticks, [f"{tick:g}" for tick in ticks])
        ax.yaxis.set_minor_locator(NullLocator())
        ax.xaxis.set_major_locator(FixedLocator(sizes[:: 1 if len(sizes) <= 10 else 2]))

    def update(self, train, test, size, noise):
        """Move both curves, the noise and the mark of the chosen size."""
        k = int(np.flatnonzero(self.sizes == size)[0])
        self.here.set_xdata([size, size])
        self.noise.set_ydata([noise, noise])
        self.test.set_data(self.sizes, np.clip(test, self.low / 10, 10 * self.high))
        self.train.set_data(self.sizes, np.clip(train, self.low / 10, 10 * self.high))
        self.now.set_offsets([[size, y] for y in np.clip([test[k], train[k]], self.low, self.high)])


# --- The learning rate of LMS --------------------------------------------------------------------------------------

STEPS, RATES = 60, np.geomspace(0.01, 3, 38)


class LmsRate(Scene):
    """Turn the learning rate of LMS from crawling to diverging and watch path and loss."""

    caption = (
        "Figure 4.6: LMS from the zero line. Left, its path over the contours of the loss; right, the loss "
        "against the step, and the loss after n steps for every learning rate (with small batches its mean over the "
        "last ten steps). Dashed is the limit (4.10) for all samples, dotted what is safe for single ones."
    )
    play, interval = "n", 120

    def __init__(self):
        self.x = np.linspace(0, 2, 20)
        self.t = 0.6 + 1.4 * self.x + np.random.default_rng(3).normal(0, 0.35, 20)
        self.limit, self.single = max_stable_rate(self.x[:, None]), 2 / (1 + self.x.max() ** 2)
        self.best = fit_line(self.x, self.t)
        self.least = float(_losses(self.x, self.t, np.array([self.best]))[0])
        self.run = functools.cache(lambda rate, size: _descend(self.x, self.t, rate, size))
        for size in (20, 5, 1):  # so that no slider has to wait for a first time
            for rate in RATES:
                self.run(rate, size)
        self.figure, axes = plots.canvas(2, rows=2, size=(9.6, 5.0), widths=(1, 1))
        grid = axes[0, 0].get_gridspec()
        for ax in axes[:, 0]:
            ax.remove()
        self._draw_surface(self.figure.add_subplot(grid[:, 0]))
        self.figure.legend(**plots.BELOW)
        self._draw_losses(axes[0, 1])
        self._draw_rates(axes[1, 1])
        self.moving = [self.path, self.now, self.rest, self.curve, self.dot, self.valley, self.mark]
        self.controls = {
            "rate": log_slider("learning rate η", 0.1, 0.01, 3.0, per_decade=20),
            "size": choice("batch size", {"all 20 samples": 20, "5 samples": 5, "1 sample": 1}),
            "n": whole("steps n", 20, 0, STEPS),
        }

    def _draw_surface(self, ax):
        w0s, w1s = np.meshgrid(np.linspace(-1, 3, 81), np.linspace(-0.6, 3.4, 81))
        height = _losses(self.x, self.t, np.stack([w0s, w1s], axis=-1))
        _contours(ax, w0s, w1s, height, self.least * 1.6 ** np.arange(0, 11))
        ax.set(xlim=(-1, 3), ylim=(-0.6, 3.4), xlabel="intercept $w_0$", ylabel="slope $w_1$", title="The way down")
        ax.plot(*self.best, "*", ms=25, mfc=plots.YELLOW, mec=plots.INK, zorder=4, label="best line")
        look = {"color": plots.ORANGE, "ms": 4, "lw": 1.6, "mec": "white", "mew": 0.5, "zorder": 3}
        (self.path,) = ax.plot([], [], "-o", **look, label="path")
        (self.now,) = ax.plot([], [], "D", ms=8, mfc="white", mec=plots.INK, mew=2, zorder=5, label="now")

    def _draw_losses(self, ax):
        ax.set(xlim=(0, STEPS), xlabel="step n", ylabel="loss", title="Loss")
        ax.axhline(self.least, color=plots.GREY, ls=":", lw=1.4)
        ax.text(STEPS, 0.85 * self.least, "least loss", ha="right", va="top", color=plots.INK, fontsize=11)
        (self.rest,) = ax.plot([], [], color=plots.AHEAD, lw=2.2, zorder=1)
        (self.curve,) = ax.plot([], [], color=plots.ORANGE, zorder=2)
        (self.dot,) = ax.plot([0], [1], **_DIAMOND)
        _loss_axis(ax)

    def _draw_rates(self, ax):
        ax.set(xscale="log", xlim=(RATES[0], RATES[-1]), xlabel="learning rate η", ylabel="loss after n")
        ax.axvline(self.limit, color=plots.INK, ls="--", lw=1.4)
        ax.text(self.limit * 1.12, 60, "limit", ha="left", va="top", fontsize=11)
        ax.axvline(self.single, color=plots.INK, ls=":", lw=1.4)
        ax.text(self.single * 0.9, 60, "safe for single samples", ha="right", va="top", fontsize=11)
        (self.valley,) = ax.plot([], [], color=plots.BLUE, zorder=2)
        (self.mark,) = ax.plot([1], [1], **_DIAMOND)
        _loss_axis(ax)
        ax.xaxis.set_major_locator(FixedLocator([0.01, 0.1, 1]))
        ax.set_xticklabels(["0.01", "0.1", "1"])

    def compute(self, rate, size, n):
        """Return the run at this rate, and the loss after n steps at every rate."""
        return rate, size, n, self.run(rate, size), [_after(self.run(r, size)[1], n, size) for r in RATES]

    def draw(self, result):
        """Move the path, the loss curve and the curve over the rates."""
        rate, size, n, (w, loss), ends = result
        self.path.set_data(w[: n + 1].T)
        self.now.set_data(w[n : n + 1].T)
        self.rest.set_data(np.arange(STEPS + 1), loss)
        self.curve.set_data(np.arange(n + 1), loss[: n + 1])
        self.dot.set_data([n], [min(loss[n], 100)])
        self.valley.set_data(RATES, ends)
        self.mark.set_data([rate], [min(_after(loss, n, size), 100)])

    def describe(self, result):
        """Say how far below the limit the rate is, and what it leads to."""
        rate, size, n, (_, loss), _ = result
        ending = _after(loss, n, size)
        lost = f"{ending:.3f}" if ending < 10 else _large(ending)
        how = "all 20 samples" if size == 20 else count(size, "sample")
        words = f"η = **{rate:.3g}** is **{rate / self.limit:.2f}** of the limit **{self.limit:.3f}**. "
        if size < 20:
            words = f"η = **{rate:.3g}**; below **{self.single:.2f}** any batch is safe. "
        when = (
            f"Loss after {count(n, 'step')}"
            if size == 20 or n < 2
            else f"Mean loss of the last {min(n, 10)} of {n} steps"
        )
        words += f"{when} with {how} each: **{lost}**, least {self.least:.3f}. "
        if n == 0:
            return words + "This is the start, the zero line."
        return words + (self._verdict(rate, loss) if size == 20 else self._verdict_of_few(rate, loss))

    def _verdict(self, rate, loss):
        if rate > self.limit:
            return "It **diverges**: every step overshoots by more than the last."
        if rate > self.limit / 2:
            return "It **overshoots** the valley at every step, and still comes lower each time."
        if loss[-1] > 1.02 * self.least:
            return f"It **crawls**: after sixty steps the loss is still {loss[-1] / self.least:.2f} times the least."
        return "It **arrives** within sixty steps, without ever overshooting."

    def _verdict_of_few(self, rate, loss):
        """Judge by the last twenty steps: single ones are a matter of luck."""
        end = loss[-20:].mean() / self.least
        if rate > self.single and end > 3:
            return "The steps are too large: it **does not stay** near the best line."
        if rate < 0.03:
            return "It **crawls**: sixty such steps are not enough."
        if end < 1.25:
            return "It **comes near and trembles** around the best line, the less the smaller η is."
        return "It **trembles widely**, and never comes to rest."


lms_rate = explorer(LmsRate)

_DIAMOND = {"marker": "D", "ms": 8, "mfc": "white", "mec": plots.INK, "mew": 2, "zorder": 3, "clip_on": False, "ls": ""}


def _loss_axis(ax):
    ax.set(yscale="log", ylim=(0.02, 100))
    ax.yaxis.set_major_locator(FixedLocator([0.1, 1, 10, 100]))
    ax.set_yticklabels(["0.1", "1", "10", "100"])
    ax.yaxis.set_minor_locator(NullLocator())


def _descend(x, t, rate, size):
    """Return the weights (STEPS + 1, 2) of a run of LMS and their losses; a stopped run stays where it was."""
    epochs = -(-STEPS * size // len(x))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = LMSRegressor(learning_rate=rate, epochs=epochs, batch_size=size, tol=0, rng=1).fit(x[:, None], t)
    run = np.array([[step.b, step.w[0]] for step in model.history_[: STEPS + 1]])
    run = np.vstack([run, np.repeat(run[-1:], STEPS + 1 - len(run), axis=0)])
    loss = np.minimum(_losses(x, t, run), 1e6)
    far = np.flatnonzero(np.abs(run).max(axis=1) > 1e3)
    if len(far):
        run[far[0] :] = run[far[0]]  # out of sight, and too large to be drawn
    return run, loss


def _after(loss, n, size):
    """Return the loss after n steps; with small batches its mean over the last ten, which hangs less on luck."""
    return loss[n] if size == 20 else np.mean(loss[max(1, n - 9) : n + 1]) if n else loss[0]


def _losses(x, t, w):
    """Return the mean of half the squared errors for weights w (..., 2)."""
    return 0.5 * np.mean((w[..., :1] + w[..., 1:] * x - t) ** 2, axis=-1)


# --- Words ---------------------------------------------------------------------------------------------------------


def _small(value):
    return "below 0.001" if value < 0.001 else f"{value:.3f}"


def _large(value):
    if value >= 1e6:
        return "over a million"
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"

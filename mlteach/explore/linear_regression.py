"""Explorers of chapter 04: a line by hand, polynomials, basis functions, and the learning rate of LMS."""

import functools
import warnings

import numpy as np
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.ticker import FixedLocator, NullLocator

from mlteach import plots
from mlteach.datasets import noisy_sine
from mlteach.evaluation import rmse
from mlteach.explore.base import Explorer, choice, count, explorer, log_slider, plain, slider, whole
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


@explorer
def line_by_hand():
    """Move a line and see its squared errors as squares, and as a height on the map of all lines."""
    figure, (data, surface) = plots.canvas(2, size=(9.6, 4.9), widths=(11.5 / 9, 5.5 / 5))
    data.set(xlim=(-2, 9.5), ylim=(-1, 8), xlabel="x", ylabel="t", title="The line and its squares", aspect="equal")
    squares = data.add_collection(
        PolyCollection(
            [], facecolor=(plots.ORANGE, 0.25), edgecolor=plots.ORANGE, lw=1.2, zorder=1, label="its squares"
        )
    )
    misses = data.vlines(X5, 0, 0, color=plots.ORANGE, lw=2, zorder=2)
    (line,) = data.plot([], [], color=plots.INK, zorder=3, label="the line")
    data.plot(X5, T5, "o", ms=8, color=plots.BLUE, zorder=4, label="data")

    best = fit_line(X5, T5)
    least = float(_sum_of_squares(best.w0, best.w1))
    w0s, w1s = np.meshgrid(np.linspace(-1.5, 4, 111), np.linspace(-1.6, 3.4, 101))
    levels = least * 2.0 ** np.arange(0, 12)
    surface.contourf(
        w0s, w1s, np.log(_sum_of_squares(w0s, w1s)), np.log(levels), cmap="cividis_r", alpha=0.75, extend="both"
    )
    surface.contour(w0s, w1s, _sum_of_squares(w0s, w1s), levels[1:], colors="white", linewidths=0.7)
    surface.set(xlim=(-1.5, 4), ylim=(-1.6, 3.4), xlabel="intercept $w_0$", ylabel="slope $w_1$", aspect="equal")
    surface.set_title("Every line is a point")
    surface.plot(best.w0, best.w1, "*", ms=17, mfc=plots.YELLOW, mec=plots.INK, zorder=4, label="best line")
    arrow = surface.quiver(
        [0], [0], [1], [1], color=plots.ORANGE, angles="xy", scale_units="xy", scale=1, width=0.018, zorder=5,
        edgecolor="white", linewidth=0.8,
    )  # fmt: skip
    (now,) = surface.plot([], [], "D", ms=9, mfc="white", mec=plots.INK, mew=2, zorder=6, label="now")
    figure.legend(**plots.BELOW)

    def compute(w0, w1):
        miss = design_matrix(X5[:, None]) @ [w0, w1] - T5
        return w0, w1, miss, 2 * design_matrix(X5[:, None]).T @ miss

    def draw(result):
        w0, w1, miss, gradient = result
        line.set_data([-2, 9.5], [w0 - 2 * w1, w0 + 9.5 * w1])
        ends = T5 + miss
        side = np.where(w1 >= 0, 1, -1) * miss  # to the side where the line leaves the point alone
        squares.set_verts([[(x, t), (x, y), (x + s, y), (x + s, t)] for x, t, y, s in zip(X5, T5, ends, side)])
        misses.set_segments([[(x, t), (x, y)] for x, t, y in zip(X5, T5, ends)])
        now.set_data([w0], [w1])
        size = np.linalg.norm(gradient)
        arrow.set_visible(bool(size > 0.05))
        arrow.set_offsets([[w0, w1]])
        arrow.set_UVC(*(-gradient / max(size, 1e-12) * (0.35 + 0.75 * size / (size + 60)))[:, None])

    def describe(result):
        w0, w1, miss, gradient = result
        total = miss @ miss
        sign = "−" if w1 < 0 else "+"
        words = f"The line is y = **{plain(w0)}** {sign} **{abs(w1):.1f}** x. "
        words += f"Its squares have the total area **{total:.2f}**"
        if total - least < 0.005:
            return words + ", the least that any line can reach. The gradient is zero: **no direction leads down**."
        words += f", which is **{total - least:.2f}** above the least, {least:.2f}. "
        return (
            words
            + f"The gradient is (**{plain(gradient[0])}**, **{plain(gradient[1])}**); the arrow points against it."
        )

    return Explorer(
        figure=figure,
        moving=[squares, misses, line, arrow, now],
        controls={
            "w0": slider("intercept w₀", 0.5, -1, 3.5, 0.1, digits=1),
            "w1": slider("slope w₁", 0.5, -1, 3, 0.1, digits=1),
        },
        compute=compute,
        draw=draw,
        describe=describe,
        caption="Figure 4.2: five points and a line. Left, each miss carries its square; right, the same line as a "
        "diamond on the map of all lines, with the sum of the squares as height (darker is higher). The arrow, "
        "drawn shorter than true, stands at a right angle to the contour.",
    )


def _sum_of_squares(w0, w1):
    return np.sum((np.multiply.outer(w1, X5) + np.expand_dims(w0, -1) - T5) ** 2, axis=-1)


# --- Polynomials ---------------------------------------------------------------------------------------------------

DEGREES = np.arange(10)
GRID = np.linspace(0, 1, 301)
TEST = noisy_sine(1000, noise=1.0, grid=False, rng=100)
FLOOR, CEILING = 0.01, 3.0


@explorer
def polynomial_degree():
    """Raise the degree of a polynomial through a noisy sine and compare its training and test error."""
    figure, (data, errors) = plots.canvas(2, size=(9.6, 4.5), widths=(3, 2.3))
    data.set(xlim=(-0.03, 1.03), ylim=(-2.5, 2.5), xlabel="x", ylabel="t", title="Data and polynomial")
    data.plot(GRID, np.sin(2 * np.pi * GRID), "--", color=plots.GREEN, label="sine")
    (points,) = data.plot([], [], "o", mfc="white", mec=plots.BLUE, mew=1.8, label="data", zorder=3)
    (fit,) = data.plot([], [], color=plots.ORANGE, label="fit", zorder=2)
    curves, update = _error_panel(errors, DEGREES, "degree D")
    figure.legend(**plots.BELOW)

    def compute(degree, n, noise):
        x, t = _sine(n, noise)
        models = [least_squares(polynomial_features(x, D), t).w for D in DEGREES]
        train = [rmse(t, polynomial_features(x, D) @ w) for D, w in zip(DEGREES, models)]
        x_test, t_test = _test(noise)
        test = [rmse(t_test, polynomial_features(x_test, D) @ w) for D, w in zip(DEGREES, models)]
        return degree, x, t, models[degree], np.array(train), np.array(test), noise

    def draw(result):
        degree, x, t, w, train, test, noise = result
        points.set_data(x, t)
        fit.set_data(GRID, np.clip(polynomial_features(GRID, degree) @ w, -50, 50))
        update(train, test, degree, noise)

    def describe(result):
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

    return Explorer(
        figure=figure,
        moving=[points, fit, *curves],
        controls={
            "degree": whole("degree D", 3, 0, 9),
            "n": whole("training points N", 10, 10, 100),
            "noise": slider("noise σ", 0.3, 0.05, 0.6, 0.05),
        },
        compute=compute,
        draw=draw,
        describe=describe,
        caption="Figure 4.10: polynomials through a noisy sine. The training error only falls with the degree D; the "
        "test error falls, stays near the noise σ, and rises again where the data are too few for the degree.",
    )


# --- Basis functions -----------------------------------------------------------------------------------------------

COUNTS = np.arange(1, 16)


@explorer
def basis_functions():
    """Build a curve from weighted basis functions: powers, bumps, smooth steps or bins."""
    figure, (data, errors) = plots.canvas(2, size=(9.6, 4.5), widths=(3, 2.3))
    x, t = _sine(30, 0.3)
    x_test, t_test = _test(0.3)
    data.set(xlim=(-0.03, 1.03), ylim=(-2.5, 2.5), xlabel="x", ylabel="t", title="Parts and their sum")
    data.plot(x, t, "o", mfc="white", mec=plots.BLUE, mew=1.8, zorder=3, label="data")
    parts = data.add_collection(LineCollection([], colors=plots.GREY, lw=1.3, zorder=1, label="$w_j\\phi_j(x)$"))
    (total,) = data.plot([], [], color=plots.ORANGE, lw=2.6, zorder=2, label="their sum")
    curves, update = _error_panel(errors, COUNTS, "functions M")
    figure.legend(**plots.BELOW)

    def compute(kind, m, width):
        models = [least_squares(_features(x, kind, M, width), t).w for M in COUNTS]
        train = [rmse(t, _features(x, kind, M, width) @ w) for M, w in zip(COUNTS, models)]
        test = [rmse(t_test, _features(x_test, kind, M, width) @ w) for M, w in zip(COUNTS, models)]
        shapes = _features(GRID, kind, m, width) * models[m - 1]
        return kind, m, width, models[m - 1], shapes, np.array(train), np.array(test)

    def draw(result):
        _, m, _, _, shapes, train, test = result
        parts.set_segments([np.column_stack([GRID, part]) for part in np.clip(shapes, -50, 50).T])
        total.set_data(GRID, np.clip(shapes.sum(axis=1), -50, 50))
        update(train, test, m, 0.3)

    def describe(result):
        kind, m, width, w, shapes, train, test = result
        words = f"**{m}** {_KINDS[kind]}{'s' * (m > 1)}"
        words += f" of width **{width:.3g}**" if kind in ("Gaussian", "sigmoid") else " (the width plays no part here)"
        words += f": training RMS **{_small(train[m - 1])}**, test RMS **{_large(test[m - 1])}**, "
        words += f"largest |w| **{_large(np.abs(w).max())}**. "
        best = int(np.argmin(test))
        words += f"The test RMS of this kind is least at M = {COUNTS[best]}, {test[best]:.3f}."
        cancel = np.mean(np.abs(shapes).max(axis=0) > 2.5) >= 0.5
        return words + " Most parts leave the picture; in the sum they **cancel**." * bool(cancel)

    return Explorer(
        figure=figure,
        moving=[parts, total, *curves],
        controls={
            "kind": choice("basis functions φ", {words: kind for kind, words in _OFFERED.items()}, "Gaussian"),
            "m": whole("number M", 6, 1, 15),
            "width": log_slider("width s", 0.1, 0.01, 1.0, per_decade=10),
        },
        compute=compute,
        draw=draw,
        describe=describe,
        caption="Figure 4.8: a fit is a sum. Thin grey curves are the basis functions, each times its weight; they add "
        "up to the thick orange curve. Right, the error against the number of functions.",
    )


_KINDS = {"polynomial": "power", "Gaussian": "Gaussian bump", "sigmoid": "sigmoid step", "piecewise": "bin"}
_OFFERED = {"polynomial": "polynomial", "Gaussian": "Gaussian", "sigmoid": "sigmoid", "piecewise": "piecewise constant"}


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


SEED = 76  # ten points that show underfitting, a good fit and overfitting clearly


def _test(noise):
    x = TEST.X[:, 0]
    sine = np.sin(2 * np.pi * x)
    return x, sine + noise * (TEST.y - sine)


def _error_panel(ax, sizes, label):
    """Set up the axes for training and test error against model size; return the artists and their update."""
    ax.set(xlim=(sizes[0] - 0.5, sizes[-1] + 0.5), xlabel=label, ylabel="RMS error", title="What it costs")
    ax.set(yscale="log", ylim=(FLOOR, CEILING))
    ax.yaxis.set_major_locator(FixedLocator([0.01, 0.03, 0.1, 0.3, 1, 3]))
    ax.yaxis.set_minor_locator(NullLocator())
    ax.set_yticklabels(["0.01", "0.03", "0.1", "0.3", "1", "3"])
    ax.xaxis.set_major_locator(FixedLocator(sizes[:: 1 if len(sizes) <= 10 else 2]))
    here = ax.axvline(0, color=plots.PALE, lw=7, zorder=0.5)
    noise_line = ax.axhline(1, color=plots.GREY, lw=1.4, ls=":", zorder=1, label="noise σ")
    (test_line,) = ax.plot([], [], "-s", color=plots.ORANGE, ms=5, lw=1.8, label="test")
    (train_line,) = ax.plot([], [], "--o", color=plots.BLUE, ms=5, lw=1.8, label="training")
    now = ax.scatter([0, 0], [1, 1], s=95, c=[plots.ORANGE, plots.BLUE], edgecolors=plots.INK, zorder=4, clip_on=False)

    def update(train, test, size, noise):
        k = int(np.flatnonzero(sizes == size)[0])
        here.set_xdata([size, size])
        noise_line.set_ydata([noise, noise])
        test_line.set_data(sizes, np.clip(test, FLOOR / 10, CEILING * 10))
        train_line.set_data(sizes, np.clip(train, FLOOR / 10, CEILING * 10))
        now.set_offsets([[size, y] for y in np.clip([test[k], train[k]], FLOOR, CEILING)])

    return [here, noise_line, test_line, train_line, now], update


# --- The learning rate of LMS --------------------------------------------------------------------------------------

STEPS, RATES = 60, np.geomspace(0.01, 3, 38)


@explorer
def lms_rate():
    """Turn the learning rate of LMS from crawling to diverging and watch path and loss."""
    rng = np.random.default_rng(3)
    x = np.linspace(0, 2, 20)
    t = 0.6 + 1.4 * x + rng.normal(0, 0.35, 20)
    limit, single = max_stable_rate(x[:, None]), 2 / (1 + x.max() ** 2)
    best = fit_line(x, t)
    runs = functools.cache(lambda rate, size: _descend(x, t, rate, size))
    for size in (20, 5, 1):  # so that no slider has to wait for a first time
        for rate in RATES:
            runs(rate, size)
    least = float(_losses(x, t, np.array([best]))[0])

    figure, axes = plots.canvas(2, rows=2, size=(9.6, 5.0), widths=(1, 1))
    grid = axes[0, 0].get_gridspec()
    for ax in axes[:, 0]:
        ax.remove()
    surface, losses, rates = figure.add_subplot(grid[:, 0]), axes[0, 1], axes[1, 1]
    w0s, w1s = np.meshgrid(np.linspace(-1, 3, 81), np.linspace(-0.6, 3.4, 81))
    height = _losses(x, t, np.stack([w0s, w1s], axis=-1))
    levels = least * 1.6 ** np.arange(0, 11)
    surface.contourf(w0s, w1s, np.log(height), np.log(levels), cmap="cividis_r", alpha=0.75, extend="both")
    surface.contour(w0s, w1s, height, levels[1:], colors="white", linewidths=0.7)
    surface.set(xlim=(-1, 3), ylim=(-0.6, 3.4), xlabel="intercept $w_0$", ylabel="slope $w_1$", title="The way down")
    surface.plot(best.w0, best.w1, "*", ms=17, mfc=plots.YELLOW, mec=plots.INK, zorder=4, label="best line")
    (path,) = surface.plot([], [], "-o", color=plots.ORANGE, ms=4, lw=1.6, mec="white", mew=0.5, zorder=3, label="path")
    (now,) = surface.plot([], [], "D", ms=9, mfc="white", mec=plots.INK, mew=2, zorder=5, label="now")
    figure.legend(**plots.BELOW)

    losses.set(xlim=(0, STEPS), yscale="log", ylim=(0.02, 100), xlabel="step n", ylabel="loss", title="Loss")
    losses.axhline(least, color=plots.GREY, ls=":", lw=1.4)
    losses.text(STEPS, 0.85 * least, "least loss", ha="right", va="top", color=plots.INK, fontsize=11)
    (rest,) = losses.plot([], [], color="#C9CDD4", lw=2.2, zorder=1)
    (curve,) = losses.plot([], [], color=plots.ORANGE, zorder=2)
    (dot,) = losses.plot([0], [1], "D", ms=8, mfc="white", mec=plots.INK, mew=2, zorder=3, clip_on=False)

    rates.set(xscale="log", yscale="log", xlim=(RATES[0], RATES[-1]), ylim=(0.02, 100), ylabel="loss after n")
    rates.set_xlabel("learning rate η")
    rates.axvline(limit, color=plots.INK, ls="--", lw=1.4)
    rates.text(limit * 0.93, 60, "limit 2/λ$_{max}$ ", ha="right", va="top", fontsize=11)
    (valley,) = rates.plot([], [], color=plots.BLUE, zorder=2)
    (mark,) = rates.plot([1], [1], "D", ms=8, mfc="white", mec=plots.INK, mew=2, zorder=3, clip_on=False)
    for ax in (losses, rates):
        ax.yaxis.set_major_locator(FixedLocator([0.1, 1, 10, 100]))
        ax.set_yticklabels(["0.1", "1", "10", "100"])
        ax.yaxis.set_minor_locator(NullLocator())
    rates.xaxis.set_major_locator(FixedLocator([0.01, 0.1, 1]))
    rates.set_xticklabels(["0.01", "0.1", "1"])

    def compute(rate, size, n):
        return rate, size, n, runs(rate, size), [runs(r, size)[1][n] for r in RATES]

    def draw(result):
        rate, _, n, (w, loss), ends = result
        path.set_data(w[: n + 1].T)
        now.set_data(w[n : n + 1].T)
        rest.set_data(np.arange(STEPS + 1), loss)
        curve.set_data(np.arange(n + 1), loss[: n + 1])
        dot.set_data([n], [min(loss[n], 100)])
        valley.set_data(RATES, ends)
        mark.set_data([rate], [min(loss[n], 100)])

    def describe(result):
        rate, size, n, (w, loss), _ = result
        how = "all 20 samples" if size == 20 else count(size, "sample")
        words = f"η = **{rate:.3g}** is **{rate / limit:.2f}** of the limit 2/λmax = **{limit:.3f}**. "
        lost = f"{loss[n]:.3f}" if loss[n] < 10 else _large(loss[n])
        words += f"After {count(n, 'step')} with {how} each the loss is **{lost}**, the least is {least:.3f}. "
        return words + (verdict(rate, size, loss) if n else "This is the start, the zero line.")

    def verdict(rate, size, loss):
        if size == 20 and rate > limit:
            return "Above the limit it **diverges**: every step overshoots by more than the last."
        if size == 20 and rate > limit / 2:
            return "It **overshoots** the valley and comes back from the other side, a little lower each time."
        if size == 20:
            if loss[-1] > 1.02 * least:
                return "It **crawls**: even after sixty steps it is not there."
            return "It **arrives** within sixty steps, without ever overshooting."
        if loss[-10:].max() > 2 * loss[0]:
            return (
                f"It **diverges**: small batches bear less than the limit; single samples are safe below {single:.2f}."
            )
        if loss[-10:].mean() > 1.25 * least:
            if rate < limit / 10:
                return "It **crawls**: sixty such steps are not enough."
            return "It **does not settle**: single steps are too large for the noise of their samples."
        return "It **arrives** and trembles around the best line, the less the smaller η is."

    return Explorer(
        figure=figure,
        moving=[path, now, rest, curve, dot, valley, mark],
        controls={
            "rate": log_slider("learning rate η", 0.1, 0.01, 3.0, per_decade=20),
            "size": choice("batch size", {"all 20 samples": 20, "5 samples": 5, "1 sample": 1}),
            "n": whole("steps n", 20, 0, STEPS),
        },
        compute=compute,
        draw=draw,
        describe=describe,
        caption="Figure 4.6: LMS from the zero line. Left, its path over the contours of the loss; right, the loss "
        "against the step, and the loss after n steps against the learning rate: best shortly below the limit, "
        "out of bounds beyond it.",
        play="n",
        interval=120,
    )


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

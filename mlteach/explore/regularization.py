"""Explorers of chapter 06: ridge and its prior, paths, balls and corners, soft threshold, posterior lines, curse."""

import numpy as np
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.patches import Polygon
from matplotlib.ticker import FixedLocator, NullLocator

from mlteach import plots
from mlteach.datasets import diabetes, noisy_sine
from mlteach.evaluation import rmse
from mlteach.explore.base import Explorer, choice, count, explorer, log_slider, plain, slider, switch, whole
from mlteach.linear_regression import design_matrix, polynomial_features, standardize
from mlteach.regularization import (
    BayesianLinearRegression,
    ElasticNet,
    cube_edge,
    inscribed_ball_share,
    lambda_max,
    least_squares_in_ball,
    lq_ball,
    regularization_path,
    ridge_svd,
    shell_share,
    soft_threshold,
)

SHADE = "#F7F1B5"

# --- Ridge and its prior -------------------------------------------------------------------------------------------

LOGS = np.arange(-20, 3.25, 0.5)
GRID = np.linspace(0, 1, 301)
TEST = noisy_sine(1000, noise=1.0, grid=False, rng=100)


@explorer
def ridge_penalty():
    """Turn the penalty of ridge regression: fit, weights, errors, and the prior that the penalty stands for."""
    figure, (data, weights, errors) = plots.tall_and_two((9.6, 5.4), widths=(1, 1.05), heights=(1.3, 1))
    data.set(xlim=(-0.03, 1.03), ylim=(-2.2, 2.2), xlabel="x", ylabel="t", title="Data and polynomial")
    data.plot(GRID, np.sin(2 * np.pi * GRID), "--", color=plots.GREEN, label="sine")
    (points,) = data.plot([], [], "o", mfc="white", mec=plots.BLUE, mew=1.8, label="data", zorder=3)
    (fit,) = data.plot([], [], color=plots.ORANGE, label="fit", zorder=2)

    weights.set(xlim=(-20, 3), ylabel="weights $w_j$", title="The path of the weights")
    weights.set_yscale("symlog", linthresh=1, linscale=0.7)
    weights.set_ylim(-2e4, 2e4)
    _ticks(weights.yaxis, {-1e4: "−10⁴", -100: "−100", -1: "−1", 1: "1", 100: "100", 1e4: "10⁴"})
    weights.axhline(0, color=plots.GREY, lw=1, zorder=1)
    style = {"colors": plots.PURPLE, "lw": 1.5, "zorder": 2}
    odd = weights.add_collection(LineCollection([], label="$w_j$, j odd", **style))
    even = weights.add_collection(LineCollection([], ls="--", label="$w_j$, j even", **style))
    (dots,) = weights.plot([0], [0], "o", ms=6, color=plots.PURPLE, mec="white", mew=0.6, zorder=4, clip_on=False)
    tag = weights.text(0, 0, "", weight="bold", fontsize=13, color=plots.PURPLE, va="center", zorder=5)

    errors.set(xlim=(-20, 3), ylim=(0, 1.0), xlabel="penalty ln λ", ylabel="RMS error", title="What it costs")
    level = errors.axhline(1, color=plots.GREY, lw=1.4, ls=":", zorder=1, label="noise σ")
    (test_line,) = errors.plot([], [], color=plots.ORANGE, label="test", zorder=2)
    (train_line,) = errors.plot([], [], "--", color=plots.BLUE, lw=1.8, label="training", zorder=2)
    now = errors.scatter([0, 0], [1, 1], s=95, c=[plots.ORANGE, plots.BLUE], edgecolors=plots.INK, zorder=4)
    now.set_clip_on(False)
    heres = [ax.axvline(0, color=plots.PALE, lw=7, zorder=0.5) for ax in (weights, errors)]
    handles = [h for ax in (data, weights, errors) for h in ax.get_legend_handles_labels()[0]]
    figure.legend(handles=handles, **{**plots.BELOW, "columnspacing": 1.1, "handlelength": 1.6, "fontsize": 11.5})

    def compute(log, degree, n, noise):
        train = noisy_sine(n, noise=noise, rng=5)
        x, t = train.X[:, 0], train.y
        x_test = TEST.X[:, 0]
        sine = np.sin(2 * np.pi * x_test)
        t_test = sine + noise * (TEST.y - sine)
        svd = ridge_svd(polynomial_features(x, degree, bias=False), t)
        lams = np.exp(np.append(LOGS, log))  # the path, and last the penalty chosen
        W = svd.weights(lams)
        b = np.array([svd.centred.intercept(w) for w in W])

        def values(x):
            return polynomial_features(x, degree, bias=False) @ W.T + b

        on_train = np.sqrt(np.mean((values(x) - t[:, None]) ** 2, axis=0))
        on_test = np.sqrt(np.mean((values(x_test) - t_test[:, None]) ** 2, axis=0))
        return log, noise, x, t, W, on_train, on_test, values(GRID)[:, -1], svd.dof(lams[-1])

    def draw(result):
        log, noise, x, t, W, on_train, on_test, curve, _ = result
        points.set_data(x, t)
        fit.set_data(GRID, np.clip(curve, -50, 50))
        paths = [np.column_stack([LOGS, w]) for w in W[:-1].T]
        odd.set_segments(paths[0::2])
        even.set_segments(paths[1::2])
        dots.set_data(np.full(W.shape[1], log), W[-1])
        j = int(np.abs(W[-1]).argmax())
        left = log > -4
        tag.set(text=f"w{'₁₂₃₄₅₆₇₈₉'[j]}", ha="right" if left else "left")
        far = np.sign(W[-1][j]) * (3 * abs(W[-1][j]) + 0.7)  # outside all the others
        tag.set_position((log - 0.5 if left else log + 0.5, np.clip(far, -1e4, 1e4)))
        level.set_ydata([noise, noise])
        test_line.set_data(LOGS, on_test[:-1])
        train_line.set_data(LOGS, on_train[:-1])
        now.set_offsets([[log, min(on_test[-1], 1.0)], [log, on_train[-1]]])
        for here in heres:
            here.set_xdata([log, log])

    def describe(result):
        log, noise, x, _, W, on_train, on_test, _, dof = result
        best = int(on_test[:-1].argmin())
        words = f"ln λ = **{plain(log, '.1f')}** leaves **{dof:.2f}** of {count(W.shape[1], 'degree')} of freedom "
        words += "(besides the intercept): training RMS "
        words += (
            f"**{on_train[-1]:.3f}**, test RMS **{on_test[-1]:.3f}**, largest |w| **{_number(np.abs(W[-1]).max())}**"
        )
        words += f". As a prior, w ~ N(0, τ²) with τ² = σ²/λ = **{_number(noise**2 / np.exp(log))}**. "
        if on_test[-1] <= 1.03 * on_test[best]:
            if on_test[best] > 1.5 * noise:
                return words + "**About right for this degree**, which is too low for any λ."
            return words + "**About right**: no other λ has a much smaller test error."
        verdict = "Too **stiff**" if log > LOGS[best] else "Too **free**"
        return words + f"{verdict}: the test RMS is least, {on_test[best]:.3f}, at ln λ = {plain(LOGS[best], '.1f')}."

    return Explorer(
        figure=figure,
        moving=[points, fit, odd, even, dots, tag, level, test_line, train_line, now, *heres],
        controls={
            "log": slider("penalty ln λ", -18.0, -20, 3, 0.5, digits=1),
            "degree": whole("degree D", 9, 1, 9),
            "n": choice("training points N", [10, 15, 40]),
            "noise": slider("noise σ", 0.3, 0.05, 0.6, 0.05),
        },
        compute=compute,
        draw=draw,
        describe=describe,
        caption="Figure 6.3: ridge regression on a polynomial. A larger penalty λ pulls the weights towards zero "
        "(right, top; the largest is named; the axis is logarithmic beyond ±1), stiffens the curve and raises the "
        "training error; the test error (right, bottom) is least in between.",
    )


# --- Paths on real data --------------------------------------------------------------------------------------------

STEPS = np.linspace(-1, 5, 61)  # log10 of the penalties
PENALTIES = 10**STEPS
MIXTURES = {"lasso, ρ = 1": 1.0, "elastic net, ρ = 0.5": 0.5, "elastic net, ρ = 0.1": 0.1, "ridge, ρ = 0": 0.0}
COLOURS = (plots.BLUE, plots.ORANGE, plots.GREEN, plots.PURPLE, plots.INK)


@explorer
def lasso_path():
    """Turn the penalty of lasso, elastic net or ridge on the diabetes data: which weights survive, at which error."""
    data = diabetes()
    order = np.random.default_rng(0).permutation(len(data.y))
    train, held = order[:221], order[221:]
    X, t, t_held = standardize(data.X[train]), data.y[train], data.y[held]
    X_held = standardize(data.X[held], like=data.X[train])
    paths = {rho: _Path(rho, X, t, X_held, t_held) for rho in MIXTURES.values()}
    nothing = rmse(t_held, np.full(len(t_held), t.mean()))

    figure, (weights, sizes, errors) = plots.tall_and_two((9.6, 5.2), widths=(1.45, 1), heights=(1, 1.2))
    weights.set(xlim=(-1.75, 5), ylim=(-30, 34), xlabel="penalty λ", ylabel="weights $w_j$")
    weights.set_title("The path of the ten weights")
    weights.axhline(0, color=plots.GREY, lw=1, zorder=1)
    colours = [COLOURS[j % 5] for j in range(10)]
    lines = weights.add_collection(LineCollection([], colors=colours, ls=["-"] * 5 + ["--"] * 5, lw=1.9, zorder=2))
    ends = _spread(paths[0.0].W[0], 3.3)  # at the smallest penalty all kinds are next to least squares
    for name, height, colour in zip(data.feature_names, ends, colours):
        weights.text(-1.13, height, name, ha="right", va="center", color=colour, weight="bold", zorder=0.4)
    (alive,) = weights.plot([0], [0], "o", ms=7, color=plots.INK, zorder=5, clip_on=False, label="weight")
    (dead,) = weights.plot([0], [0], "o", ms=8, mfc="white", mec=plots.INK, mew=1.8, zorder=4, clip_on=False)
    dead.set_label("exactly zero")
    sizes.set(xlim=(-1, 5), ylim=(0, 10.8), ylabel="weights ≠ 0", title="How many survive")
    sizes.yaxis.set_major_locator(FixedLocator([0, 2, 4, 6, 8, 10]))
    (number,) = sizes.plot([], [], color=plots.INK, drawstyle="steps-mid", zorder=2)
    (size_now,) = sizes.plot([0], [1], "D", ms=9, mfc="white", mec=plots.INK, mew=2, zorder=4, clip_on=False)
    errors.set(xlim=(-1, 5), ylim=(48, 80), xlabel="penalty λ", ylabel="RMS error", title="What it costs")
    errors.axhline(nothing, color=plots.GREY, ls=":", lw=1.4, zorder=1, label="mean only")
    (held_line,) = errors.plot([], [], color=plots.ORANGE, zorder=2, label="validation")
    (train_line,) = errors.plot([], [], "--", color=plots.BLUE, lw=1.8, zorder=2, label="training")
    now = errors.scatter([1, 1], [60, 60], s=95, c=[plots.ORANGE, plots.BLUE], edgecolors=plots.INK, zorder=4)
    now.set_clip_on(False)
    for ax in (weights, sizes, errors):
        _ticks(ax.xaxis, {-1: "0.1", 0: "1", 1: "10", 2: "100", 3: "1000", 4: "10⁴", 5: "10⁵"})
    heres = [ax.axvline(1, color=plots.PALE, lw=7, zorder=0.5) for ax in (weights, sizes, errors)]
    handles = [h for ax in (weights, errors) for h in ax.get_legend_handles_labels()[0]]
    figure.legend(handles=handles, **plots.BELOW)

    def compute(lam, rho):
        path = paths[rho]
        near = path.W[min(int(np.searchsorted(PENALTIES, lam)), len(PENALTIES) - 1)]
        model = ElasticNet(lam, rho).fit(X, t, start=near)
        return lam, rho, path, model.w_, rmse(t, model.predict(X)), rmse(t_held, model.predict(X_held))

    def draw(result):
        lam, _, path, w, on_train, on_held = result
        place = np.log10(lam)
        lines.set_segments([np.column_stack([STEPS, weight]) for weight in path.W.T])
        alive.set_data(np.full((w != 0).sum(), place), w[w != 0])
        dead.set_data([place] if np.any(w == 0) else [], [0] if np.any(w == 0) else [])
        number.set_data(STEPS, (path.W != 0).sum(axis=1))
        size_now.set_data([place], [(w != 0).sum()])
        held_line.set_data(STEPS, path.held)
        train_line.set_data(STEPS, path.train)
        now.set_offsets([[place, on_held], [place, on_train]])
        for here in heres:
            here.set_xdata([place, place])

    def describe(result):
        lam, rho, path, w, on_train, on_held = result
        zero = [name for name, weight in zip(data.feature_names, w) if weight == 0]
        kind = "Lasso" if rho == 1 else "Ridge" if rho == 0 else "Elastic net"
        words = f"{kind} with λ = **{_number(lam)}** keeps **{10 - len(zero)}** of 10 weights"
        words += f" ({', '.join(zero)} {'is' if len(zero) == 1 else 'are'} zero)" if 0 < len(zero) < 10 else ""
        words += f": training RMS **{on_train:.1f}**, validation RMS **{on_held:.1f}** (the mean alone {nothing:.1f}). "
        best = int(path.held.argmin())
        words += f"On this path the validation RMS is least, {path.held[best]:.1f}, at λ = {PENALTIES[best]:.3g}, "
        words += f"with {(path.W[best] != 0).sum()} weights."
        if rho == 0:
            return words + " Ridge shrinks all weights and makes **none of them zero**."
        if len(zero) == 10:
            words += f" From λ = {lambda_max(X, t, l1_ratio=rho):.0f} on **all weights are zero**."
        return words

    return Explorer(
        figure=figure,
        moving=[lines, alive, dead, number, size_now, held_line, train_line, now, *heres],
        controls={
            "lam": log_slider("penalty λ", 10**2.8, 0.1, 1e5, per_decade=10),
            "rho": choice("kind, share ρ of |w|₁", MIXTURES),
        },
        compute=compute,
        draw=draw,
        describe=describe,
        caption="Figure 6.6: ten standardised measurements of 221 patients and their weights against λ; the other "
        "221 patients measure the validation error. Lasso sets weights to exactly zero (hollow), one after the "
        "other; ridge never does.",
    )


class _Path:
    """The weights along all penalties and their errors on training and held-out data."""

    def __init__(self, rho, X, t, X_held, t_held):
        path = regularization_path(ElasticNet(l1_ratio=rho, tol=1e-6) if rho else "ridge", X, t, PENALTIES)
        self.W = path.coefficients
        self.train = np.sqrt(np.mean((path.predict(X) - t) ** 2, axis=1))
        self.held = np.sqrt(np.mean((path.predict(X_held) - t_held) ** 2, axis=1))


def _spread(heights, gap):
    """Return the heights moved apart, order kept, so that neighbours are at least ``gap`` away from each other."""
    order = np.argsort(heights)
    placed = heights[order].astype(float)
    for _ in range(60):
        short = gap - np.diff(placed)
        if short.max() <= 1e-9:
            break
        push = np.maximum(short, 0) / 2
        placed[:-1] -= push
        placed[1:] += push
    result = np.empty_like(placed)
    result[order] = placed
    return result


# --- Balls and corners ---------------------------------------------------------------------------------------------

BUDGETS = np.linspace(0.05, 1.6, 63)
LENGTH = 1.5  # of the least-squares solution


@explorer
def penalty_balls():
    """Blow up an lq ball until its budget is used and see where the loss touches it: on a corner or beside."""
    figure, (plane, path) = plots.canvas(2, size=(9.6, 4.9), widths=(1.25, 1))
    plane.set(xlim=(-1.75, 2.45), ylim=(-1.75, 2.05), xlabel="$w_1$", ylabel="$w_2$", aspect="equal")
    plane.set_title("The ball and the loss")
    for cross in (plane.axhline, plane.axvline):
        cross(0, color=plots.GREY, lw=1, zorder=1)
    ball = plane.add_collection(
        PolyCollection([], facecolor=SHADE, edgecolor=plots.INK, lw=2, zorder=0.5, label="budget")
    )
    rings = plane.add_collection(
        LineCollection([], colors=plots.BLUE, lw=1.0, ls="--", zorder=2, label="loss contours")
    )
    (touch,) = plane.plot([], [], color=plots.BLUE, lw=2.2, zorder=3, label="lowest contour that touches")
    (free,) = plane.plot([], [], "x", ms=11, mew=2.8, color=plots.BLUE, zorder=4, label="least squares")
    (best,) = plane.plot([], [], "D", ms=10, mfc=plots.ORANGE, mec=plots.INK, mew=1.5, zorder=6, label="solution")
    for axis in (plane.xaxis, plane.yaxis, path.xaxis):
        axis.set_major_locator(FixedLocator([-1, 0, 0.5, 1, 1.5] if axis is path.xaxis else [-1, 0, 1, 2]))
    flag = plane.text(0, 0, "", weight="bold", fontsize=13, zorder=5, bbox={"fc": "white", "ec": "none", "pad": 1.5})
    path.set(xlim=(0, 1.6), ylim=(-0.75, 1.75), xlabel="budget s", ylabel="weights", title="As the budget grows")
    path.axhline(0, color=plots.GREY, lw=1, zorder=1)
    (first,) = path.plot([], [], color=plots.ORANGE, zorder=2, label="$w_1$")
    (second,) = path.plot([], [], "--", color=plots.PURPLE, zorder=2, label="$w_2$")
    here = path.axvline(1, color=plots.PALE, lw=7, zorder=0.5)
    now = path.scatter([0, 0], [1, 1], s=85, c=[plots.ORANGE, plots.PURPLE], edgecolors=plots.INK, zorder=4)
    path.legend(loc="upper left", fontsize=12)
    figure.legend(
        handles=plane.get_legend_handles_labels()[0], **{**plots.BELOW, "columnspacing": 1.2, "handlelength": 1.5}
    )
    circle = lq_ball(2, n=120)

    def compute(q, budget, correlation, angle):
        H = np.array([[1.0, correlation], [correlation, 1.0]])  # X'X of two features of length one
        root = np.linalg.cholesky(H).T
        w_free = LENGTH * np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))])
        q = round(q, 2)
        unit = _boundary(q)
        along = _lowest(unit, H, w_free, q, BUDGETS)
        lam, (w,) = None, _lowest(_boundary(q, 25), H, w_free, q, np.array([budget]))
        if q in (1, 2):
            w, _, lam = least_squares_in_ball(root, root @ w_free, int(q), budget, intercept=False)
        slope = H @ (w - w_free)
        # Off a corner the solution is zero only if the loss has no slope across it
        zero = (np.abs(w) < 1e-9) & ((q <= 1) | (np.abs(slope) < 1e-9))
        return q, budget, unit, root, w_free, w, lam, zero, along

    def draw(result):
        q, budget, unit, root, w_free, w, _, zero, along = result
        ball.set_verts([budget * unit[::8]])
        ellipse = np.linalg.solve(root, circle.T).T
        radius = np.linalg.norm(root @ (w - w_free))
        rings.set_segments([w_free + r * ellipse for r in (0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0)])
        touch.set_data((w_free + radius * ellipse).T)
        free.set_data([w_free[0]], [w_free[1]])
        best.set_data([w[0]], [w[1]])
        flag.set_text(" and ".join(f"w{'₁₂'[j]} = 0" for j in range(2) if zero[j]))
        flag.set_position((w[0] + 0.12, w[1] - 0.24) if zero[1] else (w[0] - 0.1, w[1] + 0.16))
        flag.set_ha("left" if zero[1] else "right")
        first.set_data(BUDGETS, along[:, 0])
        second.set_data(BUDGETS, along[:, 1])
        now.set_offsets([[budget, w[0]], [budget, w[1]]])
        here.set_xdata([budget, budget])

    def describe(result):
        q, budget, _, root, w_free, w, lam, zero, _ = result
        words = f"Least squares asks for ({plain(w_free[0], '.2f')}, {plain(w_free[1], '.2f')}); with q = {q:.1f} and "
        words += f"the budget {budget:.2f} the solution is (**{plain(w[0], '.3f')}**, **{plain(w[1], '.3f')}**)"
        words += f", the same as for a penalty λ = {lam:.3g}. " if lam else ". "
        if np.allclose(w, w_free, atol=1e-9):
            return words + "The budget is **not used up**: the penalty does nothing."
        if zero.any():
            which = "w₁" if zero[0] else "w₂"
            if q <= 1:
                tie = q < 1 and np.isclose(w_free[0], w_free[1])
                words += f"The loss touches the ball **at a corner**: {which} is **exactly zero**."
                return words + (" The corner on the other axis is equally good: **two solutions**." if tie else "")
            return words + f"**{which} is zero**, but only because the loss has no slope across the axis there."
        if q > 1 and np.abs(w).min() < 0.002:
            return words + "Without a corner **no weight is exactly zero**, but one comes very near."
        edge = (
            "The loss touches the ball **beside its corners**" if q <= 1 else "This ball has **no corners on the axes**"
        )
        return words + f"{edge}: no weight is zero."

    return Explorer(
        figure=figure,
        moving=[ball, rings, touch, free, best, flag, first, second, here, now],
        controls={
            "q": slider("exponent q", 1.0, 0.5, 4.0, 0.1, digits=1),
            "budget": slider("budget s", 0.8, 0.1, 1.5, 0.05),
            "correlation": slider("correlation r", 0.0, -0.9, 0.9, 0.05),
            "angle": slider("direction θ in degrees", 20.0, 0, 90, 1, digits=0),
        },
        compute=compute,
        draw=draw,
        describe=describe,
        caption="Figure 6.4: all weights within the budget |w₁|^q + |w₂|^q ≤ s^q (shaded) and contours of the loss "
        "around least squares (cross, in direction θ). The solution is where the lowest contour touches the ball; for "
        "q ≤ 1 that is often a corner, where a weight is zero.",
    )


def _boundary(q, times=1):
    """Return points all around the unit ball, the four tips among them, close together where it is sharp."""
    if q >= 1:
        return lq_ball(q, n=4000 * times)[:-1]
    share = np.arange(1000 * times) / (1000 * times)
    a, b = share ** (1 / q), (1 - share) ** (1 / q)  # |w1|^q and |w2|^q share the budget
    return np.column_stack([np.concatenate([b, -a, -b, a]), np.concatenate([a, b, -a, -b])])


def _lowest(unit, H, w_free, q, s):
    """Return the weights (m, 2) with the least loss in balls of radius s (m,), given points around the unit ball."""
    a, c = np.sum(unit @ H * unit, axis=1), unit @ H @ w_free  # the loss at s u is s^2 a - 2 s c, plus a constant
    touching = s[:, None] * unit[np.argmin(s[:, None] * a - 2 * c, axis=1)]
    return np.where((np.sum(np.abs(w_free) ** q) <= s**q)[:, None], w_free, touching)


# --- The soft threshold --------------------------------------------------------------------------------------------


@explorer
def soft_threshold_view():
    """One weight: the kink of the absolute penalty, its sub-gradient, and what becomes of the unpenalised weight z."""
    figure, (loss, slope, rules) = plots.canvas(3, size=(9.6, 4.4), widths=(1, 1, 1.1))
    w = np.linspace(-4, 4, 401)
    loss.set(xlim=(-4, 4), ylim=(0, 9), xlabel="weight w", ylabel="objective", title="The objective")
    (square,) = loss.plot([], [], "--", color=plots.GREY, lw=1.8, zorder=2, label="½(w − z)²")
    (price,) = loss.plot([], [], ":", color=plots.GREEN, lw=2.2, zorder=2, label="λ|w|")
    (total,) = loss.plot([], [], color=plots.INK, zorder=3, label="their sum")
    slope.set(xlim=(-4, 4), ylim=(-6, 6), xlabel="weight w", ylabel="slope of the sum", title="Its slope")
    slope.axhline(0, color=plots.GREY, lw=1, zorder=1)
    (left,) = slope.plot([], [], color=plots.INK, zorder=2)
    (right,) = slope.plot([], [], color=plots.INK, zorder=2)
    (jump,) = slope.plot(
        [], [], color=plots.YELLOW, lw=7, solid_capstyle="butt", zorder=1.5, label="sub-gradients at 0"
    )
    (edge,) = slope.plot([], [], "--", color=plots.INK, lw=1.4, zorder=2)
    rules.set(xlim=(-3.3, 3.3), ylim=(-3.3, 3.3), xlabel="z", ylabel="best weight w", title="What becomes of z")
    rules.axhline(0, color=plots.GREY, lw=1, zorder=1)
    rules.plot([-3.3, 3.3], [-3.3, 3.3], color="#C9CDD4", lw=1.6, zorder=1, label="no penalty")
    (hard,) = rules.plot([], [], ":", color=plots.PURPLE, lw=2.4, zorder=2, label="hard")
    (ridge,) = rules.plot([], [], "--", color=plots.BLUE, lw=1.9, zorder=2, label="ridge")
    (soft,) = rules.plot([], [], color=plots.ORANGE, lw=2.6, zorder=3, label="soft (lasso)")
    here = rules.axvline(0, color=plots.PALE, lw=7, zorder=0.5)
    (ridge_now,) = rules.plot([0], [0], "s", ms=8, mfc="white", mec=plots.BLUE, mew=2, zorder=4, clip_on=False)
    (hard_now,) = rules.plot([0], [0], "^", ms=9, mfc="white", mec=plots.PURPLE, mew=2, zorder=4, clip_on=False)
    star = {"ms": 10, "mfc": plots.ORANGE, "mec": plots.INK, "mew": 1.5, "zorder": 5, "clip_on": False}
    marks = [ax.plot([0], [0], "D", label="minimum" if ax is loss else None, **star)[0] for ax in (loss, slope, rules)]
    handles = [h for ax in (loss, slope, rules) for h in ax.get_legend_handles_labels()[0]]
    figure.legend(
        handles=handles, **{**plots.BELOW, "ncols": 5, "columnspacing": 1.4, "handlelength": 1.7, "fontsize": 11.5}
    )
    zs = np.linspace(-3.3, 3.3, 265)

    def compute(z, lam):
        return z, lam, soft_threshold(z, lam), z / (1 + lam), z if abs(z) > lam else 0.0

    def draw(result):
        z, lam, best, shrunk, kept = result
        square.set_data(w, 0.5 * (w - z) ** 2)
        price.set_data(w, lam * np.abs(w))
        total.set_data(w, 0.5 * (w - z) ** 2 + lam * np.abs(w))
        left.set_data([-4, 0], [-4 - z - lam, -z - lam])
        right.set_data([0, 4], [-z + lam, 4 - z + lam])
        for line in (jump, edge):
            line.set_data([0, 0], [-z - lam, -z + lam])
        ends = [-3.3, -lam, np.nan, -lam, lam, np.nan, lam, 3.3]
        hard.set_data(ends, [-3.3, -lam, np.nan, 0, 0, np.nan, lam, 3.3])
        ridge.set_data(zs, zs / (1 + lam))
        soft.set_data(zs, soft_threshold(zs, lam))
        here.set_xdata([z, z])
        ridge_now.set_data([z], [shrunk])
        hard_now.set_data([z], [kept])
        for mark, x, y in zip(marks, (best, best, z), (0.5 * (best - z) ** 2 + lam * abs(best), 0, best)):
            mark.set_data([x], [y])

    def describe(result):
        z, lam, best, shrunk, kept = result
        low, high = plain(-z - lam, ".2f"), plain(-z + lam, ".2f")
        words = f"Without a penalty the weight is z = {plain(z, '.2f')}. The soft threshold makes it "
        words += (
            f"**{plain(best, '.2f')}**, ridge **{plain(shrunk, '.2f')}**, a hard threshold **{plain(kept, '.2f')}**. "
        )
        if lam == 0:
            return words + "With λ = 0 there is **no kink** and nothing is shrunk."
        words += f"At w = 0 the slopes run from {low} to {high}: "
        if abs(z) <= lam:
            return words + "**0 is one of them**, so w = 0 is the minimum."
        return words + "**0 is not among them**, so the minimum is z moved by λ towards 0."

    return Explorer(
        figure=figure,
        moving=[square, price, total, left, right, jump, edge, hard, ridge, soft, here, ridge_now, hard_now, *marks],
        controls={
            "z": slider("unpenalised weight z", 1.5, -3, 3, 0.05),
            "lam": slider("penalty λ", 1.0, 0, 3, 0.05),
        },
        compute=compute,
        draw=draw,
        describe=describe,
        caption="Figure 6.5: one weight under the penalty λ|w|. The kink at w = 0 (left) is a jump of the slope from "
        "−z − λ to −z + λ (middle); where the jump crosses zero, the minimum stays on the kink. Right, the result for "
        "every z, beside ridge's z/(1 + λ) and the hard threshold, which keeps z if |z| > λ.",
    )


# --- Posterior lines -----------------------------------------------------------------------------------------------

TRUTH = np.array([-0.3, 0.5])
MOST = 30


@explorer
def bayesian_line():
    """Let points arrive one by one: the posterior over lines narrows, and with it the predictive band."""
    rng = np.random.default_rng(8)
    x, noise = rng.uniform(-1, 1, MOST), rng.standard_normal(MOST)
    line = np.linspace(-2.1, 2.1, 85)
    figure, (plane, data) = plots.canvas(2, size=(9.6, 4.9), widths=(1, 1.2))
    plane.set(xlim=(-1.6, 1.6), ylim=(-1.6, 1.6), xlabel="intercept $w_0$", ylabel="slope $w_1$", aspect="equal")
    plane.set_title("What is known of the line")
    strip = plane.add_collection(PolyCollection([], facecolor=plots.PALE, edgecolor=plots.GREY, ls=":", zorder=0.5))
    prior = plane.add_collection(LineCollection([], colors=plots.GREY, lw=1.6, ls="--", zorder=1, label="prior, 1 sd"))
    shades = [(plots.BLUE, 0.18), (plots.BLUE, 0.35)]
    blobs = plane.add_collection(PolyCollection([], facecolors=shades, edgecolor=plots.BLUE, lw=1.4, zorder=2))
    plane.add_patch(_swatch(plots.PALE, plots.GREY, "last point, ±σ"))
    plane.add_patch(_swatch((plots.BLUE, 0.35), plots.BLUE, "posterior, 1 and 2 sd"))
    plane.plot(*TRUTH, "*", ms=13, mfc=plots.YELLOW, mec=plots.INK, zorder=5, label="truth")
    (centre,) = plane.plot([], [], "+", ms=12, mew=2.4, color=plots.INK, zorder=4)
    data.set(xlim=(-2, 2), ylim=(-2.6, 2.6), xlabel="x", ylabel="t", title="What it says about t")
    band = data.add_collection(PolyCollection([], facecolor=SHADE, edgecolor=plots.INK, lw=1, ls="--", zorder=0.5))
    data.add_patch(_swatch(SHADE, plots.INK, "mean ± 2 sd of t"))
    draws = data.add_collection(LineCollection([], colors=plots.BLUE, lw=1.0, alpha=0.8, zorder=1, label="drawn lines"))
    data.plot(line, TRUTH[0] + TRUTH[1] * line, ":", color=plots.GREEN, lw=2.2, zorder=2, label="true line")
    (mean,) = data.plot([], [], color=plots.ORANGE, zorder=3, label="mean")
    (points,) = data.plot([], [], "o", mfc="white", mec=plots.INK, mew=1.8, zorder=4, label="data")
    (last,) = data.plot([], [], "o", ms=15, mfc="none", mec=plots.PURPLE, mew=2.2, zorder=5)
    handles = [h for ax in (plane, data) for h in ax.get_legend_handles_labels()[0]]
    figure.legend(
        handles=handles, **{**plots.BELOW, "ncols": 5, "columnspacing": 1.2, "handlelength": 1.6, "fontsize": 11.5}
    )
    circle = lq_ball(2, n=120)

    def compute(n, tau2, sigma2, likelihood):
        t = TRUTH[0] + TRUTH[1] * x[:n] + np.sqrt(sigma2) * noise[:n]
        model = BayesianLinearRegression(tau2, sigma2, intercept=False)
        if n:
            model.fit(design_matrix(x[:n, None]), t)
        else:
            model.start(2)
        return model, t, likelihood, *model.predict(design_matrix(line[:, None]), return_std=True)

    def draw(result):
        model, t, likelihood, centre_line, sd = result
        root = np.linalg.cholesky(model.covariance_)
        blobs.set_verts([model.mean_ + k * circle @ root.T for k in (2, 1)])
        prior.set_segments([np.sqrt(model.prior_variance) * circle])
        centre.set_data(model.mean_[:1], model.mean_[1:])
        n, sigma = len(t), np.sqrt(model.noise_variance)
        strip.set_verts([_strip(x[n - 1], t[-1], sigma)] if n and likelihood else [])
        edges = np.append(centre_line + 2 * sd, (centre_line - 2 * sd)[::-1])
        band.set_verts([np.column_stack([np.append(line, line[::-1]), np.clip(edges, -9, 9)])])
        ends = design_matrix([[-2], [2]]) @ model.sample_weights(8, rng=3).T
        draws.set_segments([[(-2, a), (2, b)] for a, b in ends.T])
        mean.set_data(line, centre_line)
        points.set_data(x[:n], t)
        last.set_data(x[n - 1 : n] if n else [], t[-1:])

    def describe(result):
        model, t, _, _, sd = result
        inside = np.abs(line) < 2.01
        sd, x_least = sd[inside], line[inside][sd[inside].argmin()]
        (w0, w1), (s0, s1) = model.mean_, np.sqrt(np.diag(model.covariance_))
        what = f"After **{count(len(t), 'point')}**" if len(t) else "**Before any point**"
        words = f"{what}: w₀ = **{plain(w0, '.2f')} ± {s0:.2f}**, w₁ = **{plain(w1, '.2f')} ± {s1:.2f}** (mean ± one "
        words += f"standard deviation; the truth is {plain(TRUTH[0])} and {plain(TRUTH[1])}). The band's sd is least, "
        words += f"**{sd.min():.2g}**, at x = {plain(x_least)} and **{sd.max():.2g}** at its widest; the noise "
        words += f"alone has {np.sqrt(model.noise_variance):.2g}."
        if max(s0, s1) > 1.6:
            words += " The posterior is **wider than the picture**."
        missed = np.abs(t) > 2.6
        if missed.any():
            words += f" {count(int(missed.sum()), 'point')} outside the picture."
        return words

    return Explorer(
        figure=figure,
        moving=[strip, prior, blobs, centre, band, draws, mean, points, last],
        controls={
            "n": whole("points N", 2, 0, MOST),
            "tau2": log_slider("prior variance τ²", 0.5, 0.01, 100, per_decade=10),
            "sigma2": log_slider("noise variance σ²", 0.04, 0.01, 1, per_decade=10),
            "likelihood": switch("last point's likelihood", True),
        },
        compute=compute,
        draw=draw,
        describe=describe,
        caption="Figure 6.9: Bayesian linear regression. Left, every line is a point: the posterior narrows around the "
        "truth as points arrive, each of which (grey strip: w₀ + w₁x within σ of t) cuts away lines. Right, lines "
        "drawn from it and the predictive band, widest where there are no data. The slider σ² sets both the noise of "
        "the points and the noise that the model assumes.",
        play="n",
        interval=400,
    )


def _strip(x, t, sigma):
    """Return the corners of the strip of lines that pass within sigma of a point: |t - w0 - w1 x| <= sigma."""
    w1 = np.array([-9.0, 9.0])
    return np.column_stack([np.append(t - sigma - w1 * x, (t + sigma - w1 * x)[::-1]), np.append(w1, w1[::-1])])


def _swatch(face, edge, label):
    """Return a patch out of sight that stands in the legend for a collection of several colours."""
    return Polygon(np.full((3, 2), -99.0), facecolor=face, edgecolor=edge, label=label)


# --- The curse of dimensionality -----------------------------------------------------------------------------------

DIMENSIONS = np.arange(1, 101)
BINS = np.linspace(0, 1, 41)


@explorer
def curse():
    """Add dimensions: volume moves into the shell, balls vanish, and all neighbours become equally far."""
    figure, (volume, spread, ratio) = plots.canvas(3, size=(9.6, 4.3), widths=(1.15, 1, 1))
    reach = _distances()

    volume.set(xlim=(1, 100), xscale="log", ylim=(0, 1.02), xlabel="dimensions d", title="The unit cube")
    volume.set_ylabel("share of volume, or edge")
    (shell,) = volume.plot([], [], color=plots.ORANGE, zorder=3, label="in the outer shell")
    balls = np.array([inscribed_ball_share(int(d)) for d in DIMENSIONS])
    edges = np.array([cube_edge(int(d), 0.01) for d in DIMENSIONS])
    volume.plot(DIMENSIONS, balls, "--", color=plots.BLUE, zorder=2, label="in the inscribed ball")
    volume.plot(DIMENSIONS, edges, ":", color=plots.GREEN, lw=2.6, zorder=2, label="edge of a cube with 1 %")
    colours = [plots.ORANGE, plots.BLUE, plots.GREEN]
    now = volume.scatter([1, 1, 1], [0, 0, 0], s=85, c=colours, edgecolors=plots.INK, zorder=5, clip_on=False)
    spread.set(xlim=(0, 1), ylim=(0, 0.24), xlabel="distance / farthest", ylabel="share of points", title="Neighbours")
    bars = spread.add_collection(PolyCollection([], facecolor=plots.SKY, edgecolor="white", lw=0.5, zorder=2))
    nearest = spread.axvline(0, color=plots.PURPLE, lw=2.2, ls="-.", zorder=3, label="nearest")
    ratio.set(xlim=(1, 100), xscale="log", ylim=(0, 1), xlabel="dimensions d", ylabel="nearest / farthest")
    ratio.set_title("No near, no far")
    (curve,) = ratio.plot([], [], "-.", color=plots.PURPLE, zorder=2)
    (ratio_now,) = ratio.plot([1], [0.5], "D", ms=9, mfc="white", mec=plots.INK, mew=2, zorder=4, clip_on=False)
    for ax in (volume, ratio):
        _ticks(ax.xaxis, {1: "1", 3: "3", 10: "10", 30: "30", 100: "100"})
    heres = [ax.axvline(1, color=plots.PALE, lw=7, zorder=0.5) for ax in (volume, ratio)]
    handles = [h for ax in (volume, spread) for h in ax.get_legend_handles_labels()[0]]
    figure.legend(handles=handles, **plots.BELOW)

    def compute(d, thickness, n):
        shares = np.array([shell_share(int(k), thickness) for k in DIMENSIONS])
        return d, thickness, n, shares, reach[n][0][d - 1], reach[n][1]

    def draw(result):
        d, _, _, shares, histogram, ratios = result
        shell.set_data(DIMENSIONS, shares)
        now.set_offsets(np.column_stack([np.full(3, d), [shares[d - 1], balls[d - 1], edges[d - 1]]]))
        bars.set_verts([[(a, 0), (a, h), (b, h), (b, 0)] for a, b, h in zip(BINS, BINS[1:], histogram) if h > 0])
        nearest.set_xdata([ratios[d - 1]] * 2)
        curve.set_data(DIMENSIONS, ratios)
        ratio_now.set_data([d], [ratios[d - 1]])
        for here in heres:
            here.set_xdata([d, d])

    def describe(result):
        d, thickness, n, shares, _, ratios = result
        words = f"In **{count(d, 'dimension')}** the outer {100 * thickness:.0f} % of the way to the centre hold "
        words += (
            f"**{_percent(shares[d - 1])}** of the cube, the inscribed ball **{_percent(balls[d - 1])}**, and a cube "
        )
        words += f"with 1 % of the volume has edge **{edges[d - 1]:.2f}**. "
        words += f"Seen from a random place, the nearest of {n} random points is on average "
        return words + f"**{ratios[d - 1]:.2g}** times as far away as the farthest."

    return Explorer(
        figure=figure,
        moving=[shell, now, bars, nearest, curve, ratio_now, *heres],
        controls={
            "d": whole("dimensions d", 10, 1, 100),
            "thickness": slider("shell thickness ε", 0.05, 0.01, 0.3, 0.01),
            "n": choice("random points N", [100, 1000]),
        },
        compute=compute,
        draw=draw,
        describe=describe,
        caption="Figure 6.11: a cube in d dimensions. Its volume moves into a thin shell, its inscribed ball vanishes, "
        "and a neighbourhood with 1 % of the volume spans nearly the whole edge (left). The distances from a point to "
        "the others crowd together (middle), until the nearest is almost as far as the farthest (right).",
    )


def _distances(queries=25):
    """Return, for each number of points, the histograms of distance/farthest for each d, and mean nearest/farthest."""
    rng = np.random.default_rng(0)
    found = {}
    for n in (100, 1000):
        centres, points = rng.uniform(size=(queries, 100)), rng.uniform(size=(n, 100))
        squares = np.zeros((queries, n))
        histograms, ratios = [], []
        for k in range(100):
            squares += (centres[:, k, None] - points[:, k]) ** 2
            relative = np.sqrt(squares / squares.max(axis=1, keepdims=True))
            cells = np.minimum((40 * relative).astype(int), 39)
            histograms.append(np.bincount(cells.ravel(), minlength=40) / cells.size)
            ratios.append(relative.min(axis=1).mean())
        found[n] = histograms, np.array(ratios)
    return found


# --- Pieces --------------------------------------------------------------------------------------------------------


def _ticks(axis, labels):
    axis.set_major_locator(FixedLocator(list(labels)))
    axis.set_minor_locator(NullLocator())
    axis.set_ticklabels(list(labels.values()))


def _number(value):
    """Write a number of any size with three digits or in words."""
    if value >= 1e6:
        return f"{value / 1e6:,.3g} million"
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _percent(share):
    if share < 1e-4:
        return "less than 0.01 %"
    return "over 99.9 %" if 0.999 < share < 1 else f"{100 * share:.3g} %"

"""Explorers of chapter 06: ridge, paths, balls and corners, soft threshold, posterior lines, curse."""

import numpy as np
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.patches import Polygon
from matplotlib.ticker import FixedLocator, NullLocator

from mlteach import plots
from mlteach.datasets import diabetes, noisy_sine
from mlteach.evaluation import rmse
from mlteach.explore.base import Scene, choice, count, explorer, log_slider, plain, slider, whole
from mlteach.explore.own import Curve
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

SHADE = plots.HIGHLIGHT
INKS = 2 * (plots.BLUE, plots.ORANGE, plots.GREEN, plots.PURPLE, plots.INK)  # ten paths: five colours, ...
STROKES = 5 * ["-"] + 5 * ["--"]  # ... solid and dashed

# --- Ridge --------------------------------------------------------------------------------------------------------

LOGS = np.arange(-20, 3.25, 0.5)
GRID = np.linspace(0, 1, 301)
TEST = noisy_sine(1000, noise=1.0, grid=False, rng=100)


class RidgePenalty(Scene):
    """Turn the penalty of ridge regression: fit, weights and errors."""

    caption = (
        "Figure 6.3: ridge regression on a polynomial. Left, the fit; right, its weights (logarithmic beyond ±1) "
        "and its errors, for all penalties up to the one chosen (grey band)."
    )
    takes = Curve(
        (0, 1),
        "ridge regression on a polynomial. Left, the fit; right, its weights (logarithmic beyond ±1; x runs from 0 to "
        "1) and its errors, for all penalties up to the one chosen (grey band).",
        most=40,
    )
    lines = 3

    def __init__(self, data=None):
        self.data, self.top = data, 1.4 if data else 1.0
        self.figure, (curve, weights, errors) = plots.tall_and_two((9.6, 5.4), widths=(1, 1.05), heights=(1.7, 1))
        self._draw_data(curve)
        self._draw_weights(weights)
        self._draw_errors(errors)
        self.heres = [ax.axvline(0, color=plots.PALE, lw=7, zorder=0.5) for ax in (weights, errors)]
        handles = plots.entries(curve, weights, errors)
        self.figure.legend(
            handles=handles, **{**plots.BELOW, "columnspacing": 1.1, "handlelength": 1.6, "fontsize": 11.5}
        )
        self.moving = [self.points, self.fit, self.paths, self.dots, *self.tags]
        self.moving += [self.level, self.test, self.train, self.now, *self.heres]
        self.controls = {
            "log": slider("penalty ln λ", -10.0, -20, 3, 0.5, digits=1),
            "degree": whole("degree D", 9, 1, 9),
            "n": choice("training points N", [10, 15, 40]),
            "noise": slider("noise σ", 0.3, 0.05, 0.6, 0.05),
        }
        if data:
            del self.controls["n"], self.controls["noise"]

    def _draw_data(self, ax):
        ax.set(xlim=(-0.03, 1.03), ylim=(-2.2, 2.2), xlabel="x", ylabel="t", title="Data and polynomial")
        if self.data:
            self.data.label(ax)
        else:
            ax.plot(GRID, np.sin(2 * np.pi * GRID), "--", color=plots.GREEN, label="sine")
        (self.points,) = ax.plot([], [], "o", mfc="white", mec=plots.BLUE, mew=1.8, label="data", zorder=3)
        (self.fit,) = ax.plot([], [], color=plots.ORANGE, label="fit", zorder=2)

    def _draw_weights(self, ax):
        self.weights = ax
        ax.set(xlim=(-21.8, 3), ylabel="weights $w_j$", title="The path of the weights")
        ax.set_yscale("symlog", linthresh=1, linscale=0.7)
        ax.set_ylim(-2e4, 2e4)
        _ticks(ax.yaxis, {-1e4: "−10⁴", -100: "−100", -1: "−1", 1: "1", 100: "100", 1e4: "10⁴"})
        ax.axhline(0, color=plots.GREY, lw=1, zorder=1)
        style = {"colors": INKS[:9], "ls": STROKES[:9], "lw": 1.7, "zorder": 2}
        self.paths = ax.add_collection(LineCollection([], **style))
        self.dots = ax.scatter([0] * 9, [0] * 9, s=42, c=INKS[:9], edgecolors="white", linewidths=0.7, zorder=4)
        text = {"weight": "bold", "fontsize": 11.5, "ha": "right", "va": "center", "zorder": 5}
        self.tags = [ax.text(-20.2, 0, f"$w_{j + 1}$", color=ink, **text) for j, ink in enumerate(INKS[:9])]

    def _draw_errors(self, ax):
        ax.set(xlim=(-21.8, 3), ylim=(0, self.top), xlabel="penalty ln λ", ylabel="RMS error", title="What it costs")
        level = "the mean alone" if self.data else "noise σ"
        self.level = ax.axhline(1, color=plots.GREY, lw=1.4, ls=":", zorder=1, label=level)
        (self.test,) = ax.plot([], [], color=plots.ORANGE, label="test", zorder=2)
        (self.train,) = ax.plot([], [], "--", color=plots.BLUE, lw=1.8, label="training", zorder=2)
        self.now = ax.scatter([0, 0], [1, 1], s=95, c=[plots.ORANGE, plots.BLUE], edgecolors=plots.INK, zorder=4)
        self.now.set_clip_on(False)

    def compute(self, log, degree, n=None, noise=1.0):
        """Return the path of the fits over all penalties, and last the fit at ``log``, with their errors."""
        train = self.data or noisy_sine(n, noise=noise, rng=5)
        x, t = train.X[:, 0], train.y
        x_test, t_test = (self.data.new.X[:, 0], self.data.new.y) if self.data else _noisy_test(noise)
        svd = ridge_svd(polynomial_features(x, degree, bias=False), t)
        lams = np.exp(np.append(LOGS, log))  # the path, and last the penalty chosen
        W = svd.weights(lams)
        b = np.array([svd.centred.intercept(w) for w in W])

        def values(x):
            return polynomial_features(x, degree, bias=False) @ W.T + b

        on_train = np.sqrt(np.mean((values(x) - t[:, None]) ** 2, axis=0))
        on_test = np.sqrt(np.mean((values(x_test) - t_test[:, None]) ** 2, axis=0))
        return log, noise, x, t, W, on_train, on_test, values(GRID)[:, -1], svd.dof(lams[-1])

    def draw(self, result):
        """Move points, curve, paths and errors."""
        log, noise, x, t, W, on_train, on_test, curve, _ = result
        self.points.set_data(x, t)
        self.fit.set_data(GRID, np.clip(curve, -50, 50))
        passed = LOGS <= log  # what lies ahead is for the reader to find
        self.paths.set_segments([np.column_stack([LOGS, w])[passed] for w in W[:-1].T])
        self.dots.set_offsets(np.column_stack([np.full(W.shape[1], log), W[-1]]))
        self._name_the_paths(W[0])
        self.level.set_ydata([noise, noise])
        self.test.set_data(LOGS[passed], on_test[:-1][passed])
        self.train.set_data(LOGS[passed], on_train[:-1][passed])
        self.now.set_offsets([[log, min(on_test[-1], self.top)], [log, on_train[-1]]])
        for here in self.heres:
            here.set_xdata([log, log])

    def _name_the_paths(self, w):
        """Write the names at the left ends of the paths, moved apart where they would cover each other."""
        scale = self.weights.yaxis.get_transform()
        low, high = scale.transform(np.array(self.weights.get_ylim()))
        heights = _spread(scale.transform(w), (high - low) / 11)
        heights += min(high - heights.max(), 0) + max(low - heights.min(), 0)
        for tag, height in zip(self.tags, scale.inverted().transform(heights)):
            tag.set(y=height, visible=True)
        for tag in self.tags[len(w) :]:
            tag.set_visible(False)

    def describe(self, result):
        """Say what the penalty leaves, what it costs, and whether another would do better."""
        log, noise, x, _, W, on_train, on_test, _, dof = result
        best = int(on_test[:-1].argmin())
        words = f"ln λ = **{plain(log, '.1f')}** leaves **{dof:.2f}** of {count(W.shape[1], 'degree')} of freedom "
        words += "(besides the intercept): training RMS "
        words += (
            f"**{on_train[-1]:.3f}**, test RMS **{on_test[-1]:.3f}**, largest |w| **{_number(np.abs(W[-1]).max())}**"
        )
        words += ". "
        if on_test[-1] <= 1.03 * on_test[best]:
            if on_test[best] > 1.5 * noise and not self.data:
                return words + "**About right for this degree**, which is too low for any λ."
            return words + "**About right**: no other λ has a much smaller test error."
        if log > LOGS[best]:
            return words + f"Too **stiff**: a smaller λ has a test RMS of {on_test[best]:.3f}."
        return words + "Too **free**: a larger λ predicts better."


ridge_penalty = explorer(RidgePenalty)


def _noisy_test(noise):
    x = TEST.X[:, 0]
    sine = np.sin(2 * np.pi * x)
    return x, sine + noise * (TEST.y - sine)


# --- Paths on real data --------------------------------------------------------------------------------------------

STEPS = np.linspace(-1, 5, 61)  # log10 of the penalties
PENALTIES = 10**STEPS
MIXTURES = {"lasso, ρ = 1": 1.0, "elastic net, ρ = 0.5": 0.5, "elastic net, ρ = 0.1": 0.1, "ridge, ρ = 0": 0.0}


class LassoPath(Scene):
    """Turn the penalty of lasso, elastic net or ridge on the diabetes data: which weights survive, at which error."""

    caption = (
        "Figure 6.6: weights of ten standardised measurements against λ, fitted to 221 patients; the other 221 "
        "measure the validation error. Hollow: exactly zero. Drawn down to the penalty chosen (grey band)."
    )
    lines = 3

    def __init__(self):
        self._split()
        self.figure, panels = plots.tall_and_two((9.6, 5.2), widths=(1.45, 1), heights=(1, 1.2))
        weights, sizes, errors = panels
        self._draw_weights(weights)
        self._draw_sizes(sizes)
        self._draw_errors(errors)
        for ax in panels:
            _ticks(ax.xaxis, {-1: "0.1", 0: "1", 1: "10", 2: "100", 3: "1000", 4: "10⁴", 5: "10⁵"})
        self.heres = [ax.axvline(1, color=plots.PALE, lw=7, zorder=0.5) for ax in panels]
        self.figure.legend(handles=plots.entries(weights, errors), **plots.BELOW)
        self.moving = [self.paths, self.alive, self.dead, self.number, self.size_now]
        self.moving += [self.held, self.train, self.now, *self.heres]
        self.controls = {
            "lam": log_slider("penalty λ", 1.0, 0.1, 1e5, per_decade=10),
            "rho": choice("kind, share ρ of |w|₁", MIXTURES),
        }
        self.controls["lam"].readout_format = ",.3r"  # 2,510, not 2.51e+3

    def _split(self):
        """Deal the patients: half to fit, half to validate; and fit all four paths."""
        data = diabetes()
        order = np.random.default_rng(0).permutation(len(data.y))
        train, held = order[:221], order[221:]
        self.names = data.feature_names
        self.X, self.t, self.t_held = standardize(data.X[train]), data.y[train], data.y[held]
        self.X_held = standardize(data.X[held], like=data.X[train])
        self.mean_only = rmse(self.t_held, np.full(len(self.t_held), self.t.mean()))
        self.kinds = {rho: _Path(rho, self.X, self.t, self.X_held, self.t_held) for rho in MIXTURES.values()}

    def _draw_weights(self, ax):
        ax.set(xlim=(-1.75, 5), ylim=(-30, 34), xlabel="penalty λ", ylabel="weights $w_j$")
        ax.set_title("The path of the ten weights")
        ax.axhline(0, color=plots.GREY, lw=1, zorder=1)
        self.paths = ax.add_collection(LineCollection([], colors=INKS, ls=STROKES, lw=1.9, zorder=2))
        ends = _spread(self.kinds[0.0].W[0], 3.3)  # at the smallest penalty all kinds are next to least squares
        for name, height, colour in zip(self.names, ends, INKS):
            ax.text(-1.13, height, name, ha="right", va="center", color=colour, weight="bold", zorder=0.4)
        (self.alive,) = ax.plot([0], [0], "o", ms=7, color=plots.INK, zorder=5, clip_on=False, label="weight")
        (self.dead,) = ax.plot([0], [0], "o", ms=8, mfc="white", mec=plots.INK, mew=1.8, zorder=4, clip_on=False)
        self.dead.set_label("exactly zero")

    def _draw_sizes(self, ax):
        ax.set(xlim=(-1, 5), ylim=(0, 10.8), ylabel="weights ≠ 0", title="How many survive")
        ax.yaxis.set_major_locator(FixedLocator([0, 2, 4, 6, 8, 10]))
        (self.number,) = ax.plot([], [], color=plots.INK, drawstyle="steps-mid", zorder=2)
        (self.size_now,) = ax.plot([0], [1], "D", ms=9, mfc="white", mec=plots.INK, mew=2, zorder=4, clip_on=False)

    def _draw_errors(self, ax):
        ax.set(xlim=(-1, 5), ylim=(48, 80), xlabel="penalty λ", ylabel="RMS error", title="What it costs")
        ax.axhline(self.mean_only, color=plots.GREY, ls=":", lw=1.4, zorder=1, label="mean only")
        (self.held,) = ax.plot([], [], color=plots.ORANGE, zorder=2, label="validation")
        (self.train,) = ax.plot([], [], "--", color=plots.BLUE, lw=1.8, zorder=2, label="training")
        self.now = ax.scatter([1, 1], [60, 60], s=95, c=[plots.ORANGE, plots.BLUE], edgecolors=plots.INK, zorder=4)
        self.now.set_clip_on(False)

    def compute(self, lam, rho):
        """Return the path of one kind, and its weights and errors at ``lam``."""
        path = self.kinds[rho]
        near = path.W[min(int(np.searchsorted(PENALTIES, lam)), len(PENALTIES) - 1)]
        model = ElasticNet(lam, rho).fit(self.X, self.t, start=near)
        on_train, on_held = rmse(self.t, model.predict(self.X)), rmse(self.t_held, model.predict(self.X_held))
        return lam, rho, path, model.w_, on_train, on_held

    def draw(self, result):
        """Move the paths, the marks on them, and the errors."""
        lam, _, path, w, on_train, on_held = result
        place = np.log10(lam)
        passed = STEPS > place - 1e-9  # what lies ahead is for the reader to find
        self.paths.set_segments([np.column_stack([STEPS, weight])[passed] for weight in path.W.T])
        self.alive.set_data(np.full((w != 0).sum(), place), w[w != 0])
        self.dead.set_data([place] if np.any(w == 0) else [], [0] if np.any(w == 0) else [])
        self.number.set_data(STEPS[passed], (path.W[passed] != 0).sum(axis=1))
        self.size_now.set_data([place], [(w != 0).sum()])
        self.held.set_data(STEPS[passed], path.held[passed])
        self.train.set_data(STEPS[passed], path.train[passed])
        self.now.set_offsets([[place, on_held], [place, on_train]])
        for here in self.heres:
            here.set_xdata([place, place])

    def describe(self, result):
        """Say which weights are left, at which error, and where the path is best."""
        lam, rho, path, w, on_train, on_held = result
        zero, used = ([name for name, weight in zip(self.names, w) if (weight == 0) == z] for z in (True, False))
        kind = "Lasso" if rho == 1 else "Ridge" if rho == 0 else "Elastic net"
        words = f"{kind} with λ = **{_number(lam)}** keeps **{10 - len(zero)}** of 10 weights"
        if zero and used:
            words += f" ({', '.join(used)})" if len(used) <= len(zero) else f" (zero: {', '.join(zero)})"
        words += f": training RMS **{on_train:.1f}**, validation RMS **{on_held:.1f}** "
        words += f"(the mean alone {self.mean_only:.1f}). "
        if len(zero) == 10:
            return words + f"From λ = {lambda_max(self.X, self.t, l1_ratio=rho):,.0f} on **all weights are zero**."
        best = int(np.where(STEPS > np.log10(lam) - 1e-9, path.held, np.inf).argmin())  # of the penalties passed
        words += f"Down to here the validation RMS is least, {path.held[best]:.1f}, at λ = {_number(PENALTIES[best])}, "
        words += f"with {count((path.W[best] != 0).sum(), 'weight')}."
        if rho == 0:
            return words + " Ridge shrinks all weights and makes **none of them zero**."
        return words


lasso_path = explorer(LassoPath)


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
        if short.max(initial=0) <= 1e-9:
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
CIRCLE = lq_ball(2, n=120)


class PenaltyBalls(Scene):
    """Blow up an lq ball and see where the misfit touches it: on a corner or beside."""

    caption = (
        "Figure 6.5: all weights in the ball |w₁|^q + |w₂|^q ≤ s^q (shaded) and ovals of equal misfit around least "
        "squares (cross, in direction θ). The solution is where the smallest oval touches the ball; right, its two "
        "weights for every radius."
    )

    def __init__(self):
        self.figure, (plane, path) = plots.canvas(2, size=(9.6, 4.9), widths=(1.25, 1))
        self._draw_plane(plane)
        for axis in (plane.xaxis, plane.yaxis, path.xaxis):
            axis.set_major_locator(FixedLocator([-1, 0, 0.5, 1, 1.5] if axis is path.xaxis else [-1, 0, 1, 2]))
        self._draw_path(path)
        self.figure.legend(handles=plots.entries(plane), **{**plots.BELOW, "columnspacing": 1.2, "handlelength": 1.5})
        self.moving = [self.ball, self.rings, self.touch, self.free, self.best, self.flag]
        self.moving += [self.first, self.second, self.here, self.now]
        self.controls = {
            "q": slider("exponent q", 1.5, 0.5, 4.0, 0.1, digits=1),
            "budget": slider("radius s", 0.8, 0.1, 1.5, 0.05),
            "correlation": slider("correlation", 0.0, -0.9, 0.9, 0.05),
            "angle": slider("direction θ in degrees", 20.0, 0, 90, 1, digits=0),
        }

    def _draw_plane(self, ax):
        ax.set(xlim=(-1.75, 2.45), ylim=(-1.75, 2.05), xlabel="$w_1$", ylabel="$w_2$", aspect="equal")
        ax.set_title("The ball and the misfit")
        for cross in (ax.axhline, ax.axvline):
            cross(0, color=plots.GREY, lw=1, zorder=1)
        ball = PolyCollection([], facecolor=SHADE, edgecolor=plots.INK, lw=2, zorder=0.5, label="ball")
        self.ball = ax.add_collection(ball)
        rings = LineCollection([], colors=plots.BLUE, lw=1.0, ls="--", zorder=2, label="equal misfit")
        self.rings = ax.add_collection(rings)
        (self.touch,) = ax.plot([], [], color=plots.BLUE, lw=2.2, zorder=3, label="smallest oval that touches")
        (self.free,) = ax.plot([], [], "x", ms=11, mew=2.8, color=plots.BLUE, zorder=4, label="least squares")
        (self.best,) = ax.plot([], [], "D", ms=10, mfc=plots.ORANGE, mec=plots.INK, mew=1.5, zorder=6, label="solution")
        place = {"transform": ax.transAxes, "ha": "right", "va": "bottom"}  # beside the title, where nothing is covered
        self.flag = ax.text(1, 1.015, "", weight="bold", fontsize=13, color=plots.ORANGE, zorder=5, **place)

    def _draw_path(self, ax):
        ax.set(xlim=(0, 1.6), ylim=(-0.75, 1.75), xlabel="radius s", ylabel="weights", title="As the ball grows")
        ax.axhline(0, color=plots.GREY, lw=1, zorder=1)
        (self.first,) = ax.plot([], [], color=plots.ORANGE, zorder=2, label="$w_1$")
        (self.second,) = ax.plot([], [], "--", color=plots.PURPLE, zorder=2, label="$w_2$")
        self.here = ax.axvline(1, color=plots.PALE, lw=7, zorder=0.5)
        self.now = ax.scatter([0, 0], [1, 1], s=85, c=[plots.ORANGE, plots.PURPLE], edgecolors=plots.INK, zorder=4)
        ax.legend(loc="upper left", fontsize=12)

    def compute(self, q, budget, correlation, angle):
        """Return the ball, the loss, and the best weights for this budget and for all others."""
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
        # Off a corner the solution is zero only if the misfit has no slope across it
        zero = (np.abs(w) < 1e-9) & ((q <= 1) | (np.abs(slope) < 1e-9))
        return q, budget, unit, root, w_free, w, lam, zero, along

    def draw(self, result):
        """Move the ball, the contours, the solution and its path."""
        q, budget, unit, root, w_free, w, _, zero, along = result
        self.ball.set_verts([budget * unit[::8]])
        ellipse = np.linalg.solve(root, CIRCLE.T).T
        radius = np.linalg.norm(root @ (w - w_free))
        self.rings.set_segments([w_free + r * ellipse for r in (0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0)])
        self.touch.set_data((w_free + radius * ellipse).T)
        self.free.set_data([w_free[0]], [w_free[1]])
        self.best.set_data([w[0]], [w[1]])
        self.flag.set_text(" and ".join(f"w{'₁₂'[j]} = 0" for j in range(2) if zero[j]))
        self.first.set_data(BUDGETS, along[:, 0])
        self.second.set_data(BUDGETS, along[:, 1])
        self.now.set_offsets([[budget, w[0]], [budget, w[1]]])
        self.here.set_xdata([budget, budget])

    def describe(self, result):
        """Say what is wished for, what the budget buys, and whether a weight is zero."""
        q, budget, _, root, w_free, w, lam, zero, _ = result
        words = f"Least squares asks for ({plain(w_free[0], '.2f')}, {plain(w_free[1], '.2f')}); with q = {q:.1f} and "
        words += f"the radius {budget:.2f} the solution is (**{plain(w[0], '.3f')}**, **{plain(w[1], '.3f')}**)"
        words += f", the same as for a penalty λ = {lam:.3g}. " if lam else ". "
        if np.allclose(w, w_free, atol=1e-9):
            return words + "The ball **contains it**: the penalty does nothing."
        if zero.any():
            which = "w₁" if zero[0] else "w₂"
            if q <= 1:
                tie = q < 1 and np.isclose(w_free[0], w_free[1])
                words += f"The misfit touches the ball **at a corner**: {which} is **exactly zero**."
                return words + (" The corner on the other axis is equally good: **two solutions**." if tie else "")
            return words + f"**{which} is zero**, but only because the misfit has no slope across the axis there."
        if q > 1 and np.abs(w).min() < 0.002:
            return words + "Without a corner **no weight is exactly zero**, but one comes very near."
        corners = "The misfit touches the ball **beside its corners**"
        edge = corners if q <= 1 else "This ball has **no corners on the axes**"
        return words + f"{edge}: no weight is zero."


penalty_balls = explorer(PenaltyBalls)


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

WEIGHTS = np.linspace(-4, 4, 401)
WISHES = np.linspace(-3.3, 3.3, 265)


class SoftThresholdView(Scene):
    """One weight: the kink of the absolute penalty, its sub-gradient, and what becomes of the wish z."""

    caption = (
        "Figure 6.7: one weight with a wish z under the penalty λ|w|. Left, the cost with its kink; middle, "
        "its slope, which jumps at w = 0; right, the result for every wish up to z, beside ridge and the hard "
        "threshold, which keeps z if |z| > λ."
    )

    def __init__(self):
        self.figure, (loss, slope, rules) = plots.canvas(3, size=(9.6, 4.4), widths=(1, 1, 1.1))
        self._draw_loss(loss)
        self._draw_slope(slope)
        self._draw_rules(rules)
        star = {"ms": 10, "mfc": plots.ORANGE, "mec": plots.INK, "mew": 1.5, "zorder": 5, "clip_on": False}
        self.marks = [
            ax.plot([0], [0], "D", label="minimum" if ax is loss else None, **star)[0] for ax in (loss, slope, rules)
        ]
        narrow = {"ncols": 5, "columnspacing": 1.4, "handlelength": 1.7, "fontsize": 11.5}
        self.figure.legend(handles=plots.entries(loss, slope, rules), **{**plots.BELOW, **narrow})
        self.moving = [self.square, self.price, self.total, self.left, self.right, self.jump, self.edge]
        self.moving += [self.hard, self.ridge, self.soft, self.here, self.ridge_now, self.hard_now, *self.marks]
        self.controls = {
            "z": slider("wish z", -2.0, -3, 3, 0.05),
            "lam": slider("penalty λ", 1.0, 0, 3, 0.05),
        }

    def _draw_loss(self, ax):
        ax.set(xlim=(-4, 4), ylim=(0, 9), xlabel="weight w", ylabel="cost", title="The cost")
        (self.square,) = ax.plot([], [], "--", color=plots.GREY, lw=1.8, zorder=2, label="½(w − z)²")
        (self.price,) = ax.plot([], [], ":", color=plots.GREEN, lw=2.2, zorder=2, label="λ|w|")
        (self.total,) = ax.plot([], [], color=plots.INK, zorder=3, label="their sum")

    def _draw_slope(self, ax):
        ax.set(xlim=(-4, 4), ylim=(-6, 6), xlabel="weight w", ylabel="slope of the sum", title="Its slope")
        ax.axhline(0, color=plots.GREY, lw=1, zorder=1)
        (self.left,) = ax.plot([], [], color=plots.INK, zorder=2)
        (self.right,) = ax.plot([], [], color=plots.INK, zorder=2)
        style = {"color": plots.YELLOW, "lw": 7, "solid_capstyle": "butt", "zorder": 1.5}
        (self.jump,) = ax.plot([], [], label="sub-gradients at 0", **style)
        (self.edge,) = ax.plot([], [], "--", color=plots.INK, lw=1.4, zorder=2)

    def _draw_rules(self, ax):
        ax.set(xlim=(-3.3, 3.3), ylim=(-3.3, 3.3), xlabel="wish z", ylabel="best weight w", title="What becomes of z")
        ax.axhline(0, color=plots.GREY, lw=1, zorder=1)
        ax.plot([-3.3, 3.3], [-3.3, 3.3], color=plots.AHEAD, lw=1.6, zorder=1, label="no penalty")
        (self.hard,) = ax.plot([], [], ":", color=plots.PURPLE, lw=2.4, zorder=2, label="hard")
        (self.ridge,) = ax.plot([], [], "--", color=plots.BLUE, lw=1.9, zorder=2, label="ridge")
        (self.soft,) = ax.plot([], [], color=plots.ORANGE, lw=2.6, zorder=3, label="soft (lasso)")
        self.here = ax.axvline(0, color=plots.PALE, lw=7, zorder=0.5)
        hollow = {"mfc": "white", "mew": 2, "zorder": 4, "clip_on": False}
        (self.ridge_now,) = ax.plot([0], [0], "s", ms=8, mec=plots.BLUE, **hollow)
        (self.hard_now,) = ax.plot([0], [0], "^", ms=9, mec=plots.PURPLE, **hollow)

    def compute(self, z, lam):
        """Return z, λ, and what soft threshold, ridge and hard threshold make of z."""
        return z, lam, soft_threshold(z, lam), z / (1 + lam), z if abs(z) > lam else 0.0

    def draw(self, result):
        """Move the cost, its slope and the three rules."""
        z, lam, best, shrunk, kept = result
        w, zs = WEIGHTS, WISHES[WISHES <= z + 1e-9]  # the wishes passed
        self.square.set_data(w, 0.5 * (w - z) ** 2)
        self.price.set_data(w, lam * np.abs(w))
        self.total.set_data(w, 0.5 * (w - z) ** 2 + lam * np.abs(w))
        self.left.set_data([-4, 0], [-4 - z - lam, -z - lam])
        self.right.set_data([0, 4], [-z + lam, 4 - z + lam])
        for line in (self.jump, self.edge):
            line.set_data([0, 0], [-z - lam, -z + lam])
        ends = np.minimum([-3.3, -lam, np.nan, -lam, lam, np.nan, lam, 3.3], z)
        self.hard.set_data(ends, np.where([1, 1, 0, 0, 0, 0, 1, 1], ends, [0, 0, np.nan, 0, 0, np.nan, 0, 0]))
        self.ridge.set_data(zs, zs / (1 + lam))
        self.soft.set_data(zs, soft_threshold(zs, lam))
        self.here.set_xdata([z, z])
        self.ridge_now.set_data([z], [shrunk])
        self.hard_now.set_data([z], [kept])
        for mark, x, y in zip(self.marks, (best, best, z), (0.5 * (best - z) ** 2 + lam * abs(best), 0, best)):
            mark.set_data([x], [y])

    def describe(self, result):
        """Say what becomes of z under each rule, and why."""
        z, lam, best, shrunk, kept = result
        low, high = plain(-z - lam, ".2f"), plain(-z + lam, ".2f")
        words = f"z = {plain(z, '.2f')} becomes **{plain(best, '.2f')}** by the soft threshold, "
        words += f"**{plain(shrunk, '.2f')}** by ridge, **{plain(kept, '.2f')}** by the hard threshold. "
        if lam == 0:
            return words + "With λ = 0 there is **no kink** and nothing is shrunk."
        words += f"At w = 0 the slopes run from {low} to {high}: "
        if abs(z) <= lam:
            return words + "**0 is one of them**, so w = 0 is the minimum."
        return words + "**0 is not among them**, so the minimum is z moved by λ towards 0."


soft_threshold_view = explorer(SoftThresholdView)

# --- Posterior lines -----------------------------------------------------------------------------------------------

TRUTH = np.array([-0.3, 0.5])
MOST = 30
LINE = np.linspace(-2.1, 2.1, 85)


class BayesianLine(Scene):
    """Let points arrive one by one: the posterior over lines narrows, and with it the predictive band."""

    caption = (
        "Figure 6.10: Bayesian linear regression. Left, every line is a point; the grey strip holds the lines that "
        "pass within σ of the last point (ringed). Right, lines drawn from the posterior, and the predictive band. "
        "The slider σ² sets both the noise of the points and the noise that the model assumes."
    )
    takes = Curve(
        (-1.8, 1.8),
        "Bayesian linear regression. Left, every line is a point; the grey strip holds the lines that pass within σ of "
        "the last point (ringed). Right, lines drawn from the posterior, and the predictive band. Intercept, slope and "
        "the variances count in units of the picture, from −1.8 to 1.8 in x. Points come by chance.",
        most=MOST,
        held=False,
        least=2,
    )
    play, interval = "n", 400
    lines = 3

    def __init__(self, data=None):
        rng, self.data = np.random.default_rng(8), data
        self.x, self.noise = rng.uniform(-1, 1, MOST), rng.standard_normal(MOST)
        if data:
            self.x = data.X[:, 0]
        self.figure, (plane, lines) = plots.canvas(2, size=(9.6, 4.9), widths=(1, 1.2))
        self._draw_plane(plane)
        self._draw_data(lines)
        narrow = {"ncols": 5, "columnspacing": 1.2, "handlelength": 1.6, "fontsize": 11.5}
        self.figure.legend(handles=plots.entries(plane, lines), **{**plots.BELOW, **narrow})
        self.moving = [self.strip, self.prior, self.blobs, self.centre]
        self.moving += [self.band, self.draws, self.mean, self.points, self.last]
        self.controls = {
            "n": whole("points N", len(self.x) // 2 if data else 0, 0, len(self.x)),
            "tau2": log_slider("prior variance τ²", 0.5, 0.01, 100, per_decade=10),
            "sigma2": log_slider("noise variance σ²", 0.04, 0.01, 1, per_decade=10),
        }

    def _draw_plane(self, ax):
        ax.set(xlim=(-1.6, 1.6), ylim=(-1.6, 1.6), xlabel="intercept $w_0$", ylabel="slope $w_1$", aspect="equal")
        ax.set_title("What is known of the line")
        self.strip = ax.add_collection(
            PolyCollection([], facecolor=plots.PALE, edgecolor=plots.GREY, ls=":", zorder=0.5)
        )
        self.prior = ax.add_collection(
            LineCollection([], colors=plots.GREY, lw=1.6, ls="--", zorder=1, label="prior, 1 and 2 sd")
        )
        shades = [(plots.BLUE, 0.18), (plots.BLUE, 0.35)]
        self.blobs = ax.add_collection(PolyCollection([], facecolors=shades, edgecolor=plots.BLUE, lw=1.4, zorder=2))
        ax.add_patch(_swatch(plots.PALE, plots.GREY, "last point, ±σ"))
        ax.add_patch(_swatch((plots.BLUE, 0.35), plots.BLUE, "posterior, 1 and 2 sd"))
        if not self.data:
            ax.plot(*TRUTH, "*", ms=13, mfc=plots.YELLOW, mec=plots.INK, zorder=5, label="truth")
        (self.centre,) = ax.plot([], [], "+", ms=12, mew=2.4, color=plots.INK, zorder=4)

    def _draw_data(self, ax):
        ax.set(xlim=(-2, 2), ylim=(-2.6, 2.6), xlabel="x", ylabel="t", title="What it says about t")
        self.band = ax.add_collection(
            PolyCollection([], facecolor=SHADE, edgecolor=plots.INK, lw=1, ls="--", zorder=0.5)
        )
        ax.add_patch(_swatch(SHADE, plots.INK, "mean ± 2 sd of t"))
        self.draws = ax.add_collection(
            LineCollection([], colors=plots.BLUE, lw=1.0, alpha=0.8, zorder=1, label="drawn lines")
        )
        if self.data:
            self.data.label(ax)
        else:
            ax.plot(LINE, TRUTH[0] + TRUTH[1] * LINE, ":", color=plots.GREEN, lw=2.2, zorder=2, label="true line")
        (self.mean,) = ax.plot([], [], color=plots.ORANGE, zorder=3, label="mean")
        (self.points,) = ax.plot([], [], "o", mfc="white", mec=plots.INK, mew=1.8, zorder=4, label="data")
        (self.last,) = ax.plot([], [], "o", ms=15, mfc="none", mec=plots.PURPLE, mew=2.2, zorder=5)

    def compute(self, n, tau2, sigma2):
        """Return the posterior after n points, their targets, and the predictive mean and deviation."""
        if self.data:
            t = self.data.y[:n]
        else:
            t = TRUTH[0] + TRUTH[1] * self.x[:n] + np.sqrt(sigma2) * self.noise[:n]
        model = BayesianLinearRegression(tau2, sigma2, intercept=False)
        if n:
            model.fit(design_matrix(self.x[:n, None]), t)
        else:
            model.start(2)
        return model, t, *model.predict(design_matrix(LINE[:, None]), return_std=True)

    def draw(self, result):
        """Move the belief, the lines drawn from it, and the band."""
        model, t, centre_line, sd = result
        root = np.linalg.cholesky(model.covariance_)
        self.blobs.set_verts([model.mean_ + k * CIRCLE @ root.T for k in (2, 1)])
        self.prior.set_segments([k * np.sqrt(model.prior_variance) * CIRCLE for k in (1, 2)])
        self.centre.set_data(model.mean_[:1], model.mean_[1:])
        n, sigma = len(t), np.sqrt(model.noise_variance)
        self.strip.set_verts([_strip(self.x[n - 1], t[-1], sigma)] if n else [])
        edges = np.append(centre_line + 2 * sd, (centre_line - 2 * sd)[::-1])
        self.band.set_verts([np.column_stack([np.append(LINE, LINE[::-1]), np.clip(edges, -9, 9)])])
        ends = design_matrix([[-2], [2]]) @ model.sample_weights(8, rng=3).T
        self.draws.set_segments([[(-2, a), (2, b)] for a, b in ends.T])
        self.mean.set_data(LINE, centre_line)
        self.points.set_data(self.x[:n], t)
        self.last.set_data(self.x[n - 1 : n] if n else [], t[-1:])

    def describe(self, result):
        """Say how sure the belief is, and how wide the band."""
        model, t, _, sd = result
        inside = np.abs(LINE) < 2.01
        sd, x_least = sd[inside], LINE[inside][sd[inside].argmin()]
        (w0, w1), (s0, s1) = model.mean_, np.sqrt(np.diag(model.covariance_))
        what = f"After **{count(len(t), 'point')}**" if len(t) else "**Before any point**"
        words = f"{what}: w₀ = **{plain(w0, '.2f')} ± {s0:.2f}**, w₁ = **{plain(w1, '.2f')} ± {s1:.2f}** (mean ± one "
        words += "standard deviation"
        words += "). " if self.data else f"; the truth is {plain(TRUTH[0])} and {plain(TRUTH[1])}). "
        words += "The band's sd is least, "
        place = plain(x_least)
        if self.data:
            start, step = self.data.scales[0]
            place = plain(start + step * x_least, ".4g")
        words += f"**{sd.min():.2g}**, at x = {place} and **{sd.max():.2g}** at its widest; the noise "
        words += f"alone has {np.sqrt(model.noise_variance):.2g}."
        if max(s0, s1) > 1.6:
            words += " The posterior is **wider than the picture**."
        missed = np.abs(t) > (np.inf if self.data else 2.6)
        if missed.any():
            words += f" {count(int(missed.sum()), 'point')} outside the picture."
        return words


bayesian_line = explorer(BayesianLine)


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


class Curse(Scene):
    """Add dimensions: volume moves into the shell, balls vanish, and all neighbours become equally far."""

    caption = (
        "Figure 6.12: a cube in p dimensions. Left, shares of its volume, and the edge of a cube with 1 % of it; "
        "middle, distances from a random place to random points, as shares of the farthest; right, the nearest as "
        "a share of the farthest, up to the p chosen."
    )
    lines = 3

    def __init__(self):
        self.figure, (volume, spread, ratio) = plots.canvas(3, size=(9.6, 4.3), widths=(1.15, 1, 1))
        self.reach = _distances()
        self._draw_volume(volume)
        self._draw_spread(spread)
        self._draw_ratio(ratio)
        for ax in (volume, ratio):
            _ticks(ax.xaxis, {1: "1", 3: "3", 10: "10", 30: "30", 100: "100"})
        self.heres = [ax.axvline(1, color=plots.PALE, lw=7, zorder=0.5) for ax in (volume, ratio)]
        self.figure.legend(handles=plots.entries(volume, spread), **plots.BELOW)
        self.moving = [self.shell, self.now, self.bars, self.nearest, self.curve, self.ratio_now, *self.heres]
        self.controls = {
            "d": whole("dimensions p", 10, 1, 100),
            "thickness": slider("shell thickness δ", 0.05, 0.01, 0.3, 0.01),
            "n": choice("random points N", [100, 1000]),
        }

    def _draw_volume(self, ax):
        ax.set(xlim=(1, 100), xscale="log", ylim=(0, 1.02), xlabel="dimensions p", title="The unit cube")
        ax.set_ylabel("share of volume, or edge")
        (self.shell,) = ax.plot([], [], color=plots.ORANGE, zorder=3, label="in the outer shell")
        self.balls = np.array([inscribed_ball_share(int(d)) for d in DIMENSIONS])
        self.edges = np.array([cube_edge(int(d), 0.01) for d in DIMENSIONS])
        ax.plot(DIMENSIONS, self.balls, "--", color=plots.BLUE, zorder=2, label="in the inscribed ball")
        ax.plot(DIMENSIONS, self.edges, ":", color=plots.GREEN, lw=2.6, zorder=2, label="edge of a cube with 1 %")
        colours = [plots.ORANGE, plots.BLUE, plots.GREEN]
        self.now = ax.scatter([1, 1, 1], [0, 0, 0], s=85, c=colours, edgecolors=plots.INK, zorder=5, clip_on=False)

    def _draw_spread(self, ax):
        ax.set(xlim=(0, 1), ylim=(0, 1.05), yticks=[], xlabel="distance / farthest", title="Neighbours")
        ax.set_ylabel("points, fullest bin = 1")
        self.bars = ax.add_collection(PolyCollection([], facecolor=plots.SKY, edgecolor="white", lw=0.5, zorder=2))
        self.nearest = ax.axvline(0, color=plots.PURPLE, lw=2.2, ls="-.", zorder=3, label="nearest")

    def _draw_ratio(self, ax):
        ax.set(xlim=(1, 100), xscale="log", ylim=(0, 1), xlabel="dimensions p", ylabel="nearest / farthest")
        ax.set_title("Nearest and farthest")
        (self.curve,) = ax.plot([], [], "-.", color=plots.PURPLE, zorder=2)
        (self.ratio_now,) = ax.plot([1], [0.5], "D", ms=9, mfc="white", mec=plots.INK, mew=2, zorder=4, clip_on=False)

    def compute(self, d, thickness, n):
        """Return the shares of the shell for all dimensions, and the distances for this one."""
        shares = np.array([shell_share(int(k), thickness) for k in DIMENSIONS])
        return d, thickness, n, shares, self.reach[n][0][d - 1], self.reach[n][1]

    def draw(self, result):
        """Move the shell's curve, the marks and the histogram."""
        d, _, _, shares, histogram, ratios = result
        self.shell.set_data(DIMENSIONS, shares)
        self.now.set_offsets(np.column_stack([np.full(3, d), [shares[d - 1], self.balls[d - 1], self.edges[d - 1]]]))
        bins = zip(BINS, BINS[1:], histogram / histogram.max())
        self.bars.set_verts([[(a, 0), (a, h), (b, h), (b, 0)] for a, b, h in bins if h > 0])
        self.nearest.set_xdata([ratios[d - 1]] * 2)
        self.curve.set_data(DIMENSIONS[:d], ratios[:d])
        self.ratio_now.set_data([d], [ratios[d - 1]])
        for here in self.heres:
            here.set_xdata([d, d])

    def describe(self, result):
        """Say where the volume is, and how near the nearest."""
        d, thickness, n, shares, _, ratios = result
        words = (
            f"In **{count(d, 'dimension')}** the outer shell, {100 * thickness:.0f} % of the way to the centre, holds "
        )
        words += f"**{_percent(shares[d - 1])}** of the cube, the inscribed ball **{_percent(self.balls[d - 1])}**, "
        words += f"and a cube with 1 % of the volume has edge **{self.edges[d - 1]:.2f}**. "
        words += f"Seen from a random place, the nearest of {n} random points is on average "
        return words + f"**{ratios[d - 1]:.2g}** times as far away as the farthest."


curse = explorer(Curse)


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

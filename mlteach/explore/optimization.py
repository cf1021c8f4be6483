"""Explorers of chapter 05: the learning rate, its upper model, noisy gradients, schedules, momentum, and a race."""

import functools

import numpy as np
from contourpy import LineType, contour_generator
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.patches import Rectangle
from matplotlib.patheffects import withStroke
from matplotlib.ticker import FixedLocator, NullLocator

from mlteach import plots
from mlteach.explore.base import Scene, choice, count, explorer, log_slider, plain, slider, switch, whole
from mlteach.linear_regression import design_matrix, least_squares, max_stable_rate
from mlteach.optimization import (
    AdaGrad,
    Adam,
    DoubleWell,
    GradientDescent,
    Himmelblau,
    Momentum,
    Nesterov,
    Newton,
    Quadratic,
    RMSProp,
    Rosenbrock,
    Saddle,
    inverse_sqrt_decay,
    linear_decay,
    minibatch_gradient,
    minimize,
    quadratic_model,
)

AHEAD = plots.AHEAD
NOW = {"mfc": "white", "mec": plots.INK, "mew": 2, "clip_on": False}
BALL = {"mfc": plots.ORANGE, "mec": plots.INK, "mew": 1.8}
STAR = {"marker": "*", "ls": "", "ms": 21, "mfc": plots.YELLOW, "mec": plots.INK}

# --- The learning rate ---------------------------------------------------------------------------------------------

DESCENT_STEPS, DESCENT_START = 100, (-9.0, 5.0)
RATES = np.geomspace(0.001, 10**0.5, 281)
ANGLES = np.linspace(0, 2 * np.pi, 121)
CIRCLE = np.column_stack([np.cos(ANGLES), np.sin(ANGLES)])


class QuadraticDescent(Scene):
    """Turn the learning rate from crawling to diverging on a bowl of any condition number."""

    caption = (
        "Figure 5.2: gradient descent in a bowl with the curvatures μ = 1 and L = κ; an arrow at the edge stands for a "
        "ball outside. Right, the loss against the step, and the factor by which a step multiplies the worse of the "
        "two errors: least at 2/(L + μ), one at 2/L."
    )
    play, interval, lines = "k", 120, 3

    def __init__(self):
        self.figure, (surface, losses, rates) = plots.tall_and_two(size=(9.6, 4.7), widths=(1.15, 1))
        self._draw_surface(surface)
        self._draw_losses(losses)
        self._draw_rates(rates)
        self.figure.legend(**plots.BELOW)
        self.moving = [self.contours, self.path, self.ball, self.rest, self.curve, self.dot]
        self.moving += [self.limit, self.best, self.factors, self.mark]
        self.controls = {
            "rate": log_slider("learning rate η", 10**-0.75, 0.001, 10**0.5, per_decade=20),
            "kappa": log_slider("condition number κ", 10.0, 1, 100, per_decade=10),
            "k": whole("steps k", 20, 0, DESCENT_STEPS),
        }

    def _draw_surface(self, ax):
        ax.set(xlim=(-11, 11), ylim=(-9.5, 9.5), xlabel="$w_1$ (curvature μ = 1)", title="The way down")
        ax.set(ylabel="$w_2$ (curvature L = κ)", aspect="equal")
        self.contours = ax.add_collection(LineCollection([], colors=AHEAD, lw=1.1, zorder=1))
        ax.plot(0, 0, zorder=2, label="minimum", **STAR)
        look = {"color": plots.ORANGE, "ms": 4, "lw": 1.6, "mec": "white", "mew": 0.5}
        (self.path,) = ax.plot([], [], "-o", zorder=3, label="path", **look)
        (self.ball,) = ax.plot([], [], "D", ms=10, zorder=4, label="now", **NOW)
        self.edge = np.array([10.6, 9.1])  # where an arrow stands for a ball that is out of the picture

    def _draw_losses(self, ax):
        ax.set(xlim=(0, DESCENT_STEPS), yscale="log", ylim=(1e-8, 1e4), xlabel="step k")
        ax.set(title="Loss, as a share of the start's", ylabel="share")
        _decades(ax.yaxis, [-8, -4, 0, 4])
        ax.axhline(1, color=plots.GREY, ls=":", lw=1.2, zorder=0.5)
        (self.rest,) = ax.plot([], [], color=AHEAD, zorder=1)
        (self.curve,) = ax.plot([], [], color=plots.ORANGE, zorder=2)
        (self.dot,) = ax.plot([0], [1], "D", ms=8, zorder=3, **NOW)

    def _draw_rates(self, ax):
        ax.set(xscale="log", xlim=(RATES[0], RATES[-1]), ylim=(0, 1.6), xlabel="learning rate η")
        ax.set(ylabel="factor", title="Factor per step, max |1 − ηλ|")
        plots.ticks(ax.xaxis, [0.001, 0.01, 0.1, 1])
        ax.yaxis.set_major_locator(FixedLocator([0, 0.5, 1, 1.5]))
        ax.axhspan(1, 1.6, color=plots.PALE, zorder=0.4)
        ax.text(0.0012, 1.28, "diverges", va="center", fontsize=11, zorder=0.45)
        self.limit = ax.axvline(1, color=plots.INK, ls="--", lw=1.5, zorder=1, label="limit 2/L")
        self.best = ax.axvline(1, color=plots.GREEN, ls=":", lw=2.2, zorder=1, label="best rate 2/(L + μ)")
        (self.factors,) = ax.plot([], [], color=plots.BLUE, zorder=2, label="factor")
        (self.mark,) = ax.plot([1], [1], "D", ms=8, zorder=3, **NOW)

    def compute(self, rate, kappa, k):
        """Return the path of a hundred steps and its loss as a share of the start's."""
        bowl = Quadratic(kappa)
        run = minimize(bowl.gradient, DESCENT_START, GradientDescent(rate), DESCENT_STEPS)
        loss = np.clip(bowl.value(run.w) / bowl.value(DESCENT_START), 1e-30, 1e30)
        return rate, kappa, k, _cut(run.w, 30), loss

    def draw(self, result):
        """Move bowl, path and loss, and the two rates that matter."""
        rate, kappa, k, w, loss = result
        self.contours.set_segments([r * CIRCLE / [1, kappa**0.5] for r in 1.8 * 1.8 ** np.arange(7)])
        self.path.set_data(w[: k + 1].T)
        _put_inside(self.ball, w[k], self.edge)
        self.rest.set_data(np.arange(len(loss)), loss)
        self.curve.set_data(np.arange(k + 1), loss[: k + 1])
        self.dot.set_data([k], [np.clip(loss[k], 1e-8, 1e4)])
        self.limit.set_xdata([2 / kappa] * 2)
        self.best.set_xdata([2 / (kappa + 1)] * 2)
        self.factors.set_data(RATES, np.minimum(_factor(RATES, kappa), 9))
        self.mark.set_data([rate], [min(_factor(rate, kappa), 1.6)])

    def describe(self, result):
        """Say where the rate stands against the limit, and what a step does."""
        rate, kappa, k, _, loss = result
        top = 2 / kappa
        share = _number(loss[k]) if loss[k] >= 1e-12 else "less than 10⁻¹²"
        digits = 4 if 0.99 < rate / top < 1.01 else 3
        words = f"η = **{rate:.{digits}g}** is **{_ratio(rate / top)}** the limit 2/L = **{top:.3g}**; "
        words += f"the best fixed rate is {2 / (kappa + 1):.3g}. "
        words += f"After {count(k, 'step')} the loss is **{share}** times its start. "
        return words + self._pace(rate, kappa)

    def _pace(self, rate, kappa):
        factor = _factor(rate, kappa)
        if factor > 1 + 1e-9:
            return f"It **diverges**: each step multiplies the steep error by **−{factor:.3g}**."
        if factor > 1 - 1e-9:
            return "At the limit itself it **swings for ever** between two walls."
        if factor < 1e-9:
            return "The bowl is round, and the factor is **0**: **one step** hits its bottom."
        steps = int(np.ceil(np.log(1e-6) / np.log(factor) - 1e-9))
        words = f"A step leaves at most **{_share(factor)}** of the distance, so a millionth of it takes "
        words += f"**{steps:,} steps**; "
        if kappa == 1:
            return words + "the bowl is round: **both** axes are equally fast."
        slow_is_flat = rate < 2 / (kappa + 1)
        return words + ("the **flat** axis is the slow one." if slow_is_flat else "the **steep** axis zig-zags.")


quadratic_descent = explorer(QuadraticDescent)


def _factor(rate, kappa):
    """Return the factor of the slower of the two errors, with the curvatures 1 and kappa."""
    return np.maximum(np.abs(1 - rate), np.abs(1 - rate * kappa))


def _cut(w, reach):
    """Return a path that stays at the first point beyond ``reach``: further ones are out of sight."""
    far = np.flatnonzero(np.abs(w).max(axis=1) > reach)
    return (
        w if not len(far) else np.vstack([w[: far[0]], np.repeat(np.clip(w[far[:1]], -1e4, 1e4), len(w) - far[0], 0)])
    )


def _put_inside(mark, w, edge):
    """Put a mark at w; beyond the edges it becomes an arrow on the edge that it passed."""
    beyond = np.abs(w) / edge
    axis = int(beyond.argmax())
    mark.set_marker("D" if beyond[axis] <= 1 else ("<>" if axis == 0 else "v^")[int(w[axis] > 0)])
    mark.set_data(np.clip(w, -edge, edge)[:, None])


def _ratio(value):
    number = f"{value:.3f}" if 0.99 < value < 1.01 else f"{value:.2g}" if value < 10 else f"{value:.0f}"
    return f"{number} {'of' if value < 1 else 'times'}"


def _share(factor):
    return f"{factor:.5f}" if 0.9995 <= factor < 1 else f"{factor:.3f}"


# --- The upper model -----------------------------------------------------------------------------------------------

WAVE_L = 1.3  # the largest curvature of the wave, at 0
LINE = np.linspace(-6.5, 6.5, 261)
CURVATURES = np.geomspace(0.13, 13, 161)
MM_STEPS = 12


class QuadraticUpperModel(Scene):
    """Lay a parabola of curvature L on a function and step to its lowest point."""

    caption = (
        "Figure 5.4: the parabola of curvature L that touches f at w; its lowest point is the gradient step with the "
        "rate 1/L. Right, f after the step (solid) and the model's promise (dashed), for every L."
    )
    play, interval, lines = "k", 700, 3

    def __init__(self):
        self.figure, (plane, steps) = plots.canvas(2, size=(9.6, 4.6), widths=(3, 2.2))
        self._draw_plane(plane)
        self._draw_steps(steps)
        self.figure.legend(**{**plots.BELOW, "columnspacing": 1.1, "handlelength": 1.5})
        self.moving = [self.below, self.model, self.trail, self.drop, self.bottom, self.start, self.end]
        self.moving += [self.level, self.name, self.promised, self.reached, self.mark]
        self.controls = {
            "w": slider("start w", 3.0, -6.0, 6.0, 0.1, digits=1),
            "L": log_slider("estimate of L", 1.3, 0.13, 13, per_decade=20),
            "k": whole("steps made so far k", 0, 0, MM_STEPS),
        }

    def _draw_plane(self, ax):
        ax.set(xlim=(-6.5, 6.5), ylim=(-1.5, 8), xlabel="u", ylabel="height", title="The function and its model")
        hatched = {"fc": plots.ORANGE_HATCH, "ec": plots.ORANGE, "hatch": "///", "lw": 0}
        self.below = ax.add_collection(PolyCollection([], zorder=0.6, label="model below f", **hatched))
        (self.model,) = ax.plot([], [], "--", color=plots.ORANGE, zorder=2, label="model q")
        ax.plot(LINE, _wave(LINE), color=plots.INK, zorder=3, label="f")
        (self.trail,) = ax.plot([], [], "o", ms=7, mfc="white", mec=plots.BLUE, mew=1.4, zorder=3.5, label="earlier")
        (self.drop,) = ax.plot([], [], ":", color=plots.GREY, lw=1.8, zorder=2.5)
        look = {"ms": 11, "mec": plots.INK}
        (self.bottom,) = ax.plot([], [], "v", color=plots.ORANGE, zorder=4, label="lowest point of q", **look)
        (self.start,) = ax.plot([], [], "o", color=plots.BLUE, zorder=5, label="w", **look)
        (self.end,) = ax.plot([], [], "D", ms=9, zorder=6, label="f after the step", **{**NOW, "clip_on": True})

    def _draw_steps(self, ax):
        ax.set(xscale="log", xlim=(CURVATURES[0], CURVATURES[-1]), ylim=(-1.5, 8), xlabel="estimate of L")
        ax.set(title="One step, by L", ylabel="f after the step")
        plots.ticks(ax.xaxis, [0.2, 0.5, 1, 2, 5, 10])
        ax.axvline(WAVE_L, color=plots.INK, ls="--", lw=1.5, zorder=1)
        ax.text(WAVE_L * 1.1, 7.9, "true L = 1.3", ha="left", va="top", fontsize=11)
        self.level = ax.axhline(0, color=plots.BLUE, ls=":", lw=1.8, zorder=1)
        self.name = ax.text(12, 0, "f(w)", color=plots.BLUE, ha="right", va="bottom", fontsize=12, zorder=1)
        (self.promised,) = ax.plot([], [], "--", color=plots.ORANGE, zorder=2)
        (self.reached,) = ax.plot([], [], color=plots.INK, zorder=3)
        (self.mark,) = ax.plot([1], [1], "D", ms=9, zorder=5, **NOW)

    def compute(self, w, L, k):
        """Return the model after k steps, its lowest point, and what every other L would promise and reach."""
        way = minimize(_wave_slope, [w], GradientDescent(1 / L), k).w[:, 0]
        w = float(way[-1])
        q = quadratic_model(lambda u: _wave(u)[0], _wave_slope, [w], 1 / L)
        slope = _wave_slope(w)
        u = w - slope / L
        after, bound = _wave(w - slope / CURVATURES), _wave(w) - slope**2 / CURVATURES / 2
        return w, L, q(LINE[:, None]), u, float(q([u])), after, bound, way

    def draw(self, result):
        """Move the parabola, the step and the two curves."""
        w, L, q, u, low, after, bound, way = result
        self.model.set_data(LINE, np.clip(q, -50, 50))
        self.below.set_verts(_strips(q, _wave(LINE)))
        self.trail.set_data(way[:-1], _wave(way[:-1]))
        self.start.set_data([w], [_wave(w)])
        self.bottom.set_data([np.clip(u, -6.4, 6.4)], [np.clip(low, -1.35, 8)])
        self.end.set_data([u], [_wave(u)])
        self.drop.set_data([u, u], np.clip([low, _wave(u)], -50, 50))
        self.level.set_ydata([_wave(w)] * 2)
        self.name.set_y(_wave(w))
        self.promised.set_data(CURVATURES, np.clip(bound, -50, 50))
        self.reached.set_data(CURVATURES, np.clip(after, -50, 50))
        self.mark.set_data([L], [min(_wave(u), 8)])

    def describe(self, result):
        """Say what the model promised and what the step reached."""
        w, L, q, u, low, *_, way = result
        words = f"Step {len(way)} from w = {plain(w, '.3g')}: the rate 1/L = **{1 / L:.3g}** times the slope "
        words += f"{plain(_wave_slope(w), '.2f')} leads "
        words += f"to u = **{plain(u, '.2f')}**: f goes from {_wave(w):.2f} to **{_wave(u):.2f}**. "
        gap = 100 * np.mean(q < _wave(LINE) - 1e-9)
        if L >= WAVE_L:
            words += "The model is **nowhere below f**"
        elif gap == 0:
            words += "The model is not below f in this picture, but an L below 1.3 **guarantees nothing**"
        else:
            words += f"The model is **below f** on {gap:.0f} % of the picture"
        return words + self._promise(w, u, low, gap)

    def _promise(self, w, u, low, gap):
        promise, out = plain(low, ".2f"), " (out of the picture)" * bool(abs(u) > 6.5)
        if abs(u - w) < 0.005:
            return ", and w is already the minimum: no step."
        if _wave(u) > _wave(w) + 1e-12:
            return f": the step overshoots{out} and **climbs**, where the model promised {promise}."
        if _wave(u) > low + 1e-9:
            return f": f falls less than the model's promise of {promise}{out}."
        return (": " if gap == 0 else ", and yet ") + f"f falls at least to the model's promise of {promise}."


quadratic_upper_model = explorer(QuadraticUpperModel)


def _wave(u):
    """A bowl with a wave on it: the curvature lies between -0.7 and 1.3."""
    return 0.15 * np.square(u) + 1 - np.cos(u)


def _wave_slope(u):
    return 0.3 * np.asarray(u) + np.sin(u)


def _strips(q, f):
    """Return the areas in which the model q lies below f, as polygons."""
    edges = np.flatnonzero(np.diff(np.r_[0, q < f - 1e-9, 0]))
    strips = [(LINE[a:b], np.minimum(q, f)[a:b], f[a:b]) for a, b in zip(edges[::2], edges[1::2])]
    return [np.column_stack([np.append(x, x[::-1]), np.append(low, top[::-1])]) for x, low, top in strips]


# --- Mini-batches --------------------------------------------------------------------------------------------------

N, EPOCHS, CLOUD = 64, 12, 128
REACH95 = float(np.sqrt(2 * np.log(20)))  # 95 % of a Gaussian in the plane lie within so many standard deviations


class BatchNoise(Scene):
    """Change the batch size and see the noise of the gradient, and what it does to descent."""

    caption = (
        "Figure 5.6: gradients of mini-batches at one place around that of all 64 samples (star), with the ellipse "
        "that their covariance predicts. Right, descent with such batches, by samples seen."
    )
    lines = 3

    def __init__(self):
        self.problem = _Regression()
        self.figure, (plane, losses) = plots.canvas(2, size=(9.6, 4.7), widths=(1, 1.15))
        self._draw_gradients(plane)
        self._draw_losses(losses)
        self.figure.legend(**{**plots.BELOW, "ncols": 3})
        self.moving = [self.cloud, self.ellipse, self.full, self.batch, self.curve, self.floor]
        self.controls = {
            "size": log_slider("batch size B", 4.0, 1, 64, per_decade=1 / np.log10(2), digits=2),
            "rate": log_slider("learning rate η", 0.1, 0.01, 10**0.5, per_decade=10),
            "where": choice("gradients taken at", ["start", "least loss"]),
        }
        self._clouds, self._runs = functools.cache(self.problem.cloud), functools.cache(self.problem.descend)
        for size in 2 ** np.arange(7):
            for where in ("start", "least loss"):
                self._clouds(int(size), where)

    def _draw_gradients(self, ax):
        ax.set(xlim=(-5.6, 3.6), ylim=(-5.6, 3.6), xlabel="slope of the loss in $w_0$", ylabel="slope in $w_1$")
        ax.set(title="Mini-batch gradients", aspect="equal")
        ax.axhline(0, color=plots.PALE, lw=1, zorder=0.3)
        ax.axvline(0, color=plots.PALE, lw=1, zorder=0.3)
        look = {"ms": 5, "mfc": plots.SKY, "mec": plots.BLUE, "mew": 0.6}
        (self.cloud,) = ax.plot([], [], "o", zorder=1, label="mini-batches", **look)
        (self.ellipse,) = ax.plot([], [], "--", color=plots.INK, lw=2, zorder=2, label="predicted, 95 %")
        (self.full,) = ax.plot([], [], "*", ms=17, mfc=plots.YELLOW, mec=plots.INK, zorder=3, label="all samples")

    def _draw_losses(self, ax):
        ax.set(xlim=(0, EPOCHS), yscale="log", ylim=(1e-5, 1e2), xlabel="epochs (64 samples each)")
        ax.set(ylabel="excess loss", title="Descent at equal cost")
        _decades(ax.yaxis, [-5, -4, -3, -2, -1, 0, 1, 2])
        look = {"color": plots.GREY, "ms": 5, "lw": 1.8}
        (self.batch,) = ax.plot([], [], "--s", zorder=1, label="B = 64 (no noise)", **look)
        (self.curve,) = ax.plot([], [], color=plots.ORANGE, lw=1.8, zorder=2, label="this B")
        (self.floor,) = ax.plot([], [], ":", color=plots.INK, lw=2.2, zorder=3, label="mean, last third of this B")

    def compute(self, size, rate, where):
        """Return the gradients of many batches at one place, and the losses of descent with such batches."""
        size = 2 ** int(round(np.log2(size)))  # so that the batches share the samples out evenly
        rate = round(rate, 4 - int(np.floor(np.log10(rate))))
        return size, rate, where, self._clouds(size, where), self._runs(size, rate), self._runs(N, rate)

    def draw(self, result):
        """Move the cloud, its ellipse and the two losses."""
        size, _, _, (g, mean, ring, _), loss, reference = result
        self.cloud.set_data(g.T)
        self.ellipse.set_data(ring.T)
        self.full.set_data(mean[:, None])
        self.curve.set_data(np.arange(len(loss)) * size / N, loss)
        self.batch.set_data(np.arange(len(reference)), reference)
        self.floor.set_data([EPOCHS * 2 / 3, EPOCHS], [np.clip(_last_third(loss), 1e-30, 1e30)] * 2)

    def describe(self, result):
        """Say how large the noise is, and how far descent gets with it."""
        size, rate, where, (g, mean, _, inside), loss, reference = result
        noise = self.problem.noise(size, where)
        words = f"B = **{size}**: the gradient at the {where} has length {np.hypot(*mean):.2f}, its noise is "
        if size == N:
            words += "**0**: all samples, no noise. "
        else:
            words += f"**{noise:.2f}**"
            words += f", {noise / self.problem.noise(1, where):.2f} of that of one sample" * (size > 1)
            words += f" (**{100 * inside:.0f} %** of the batches lie in the ellipse). "
        end = _last_third(loss)
        words += f"An epoch makes **{count(N // size, 'step')}** with η = {rate:.3g}; "
        if end > loss[0]:
            what = "this **diverges**" if _runs_away(loss) else "this **hovers above its start**"
            return words + f"{what}; full batches bear η up to {self.problem.limit:.2f}."
        words += f"the last third has the mean excess loss **{_number(end)}**"
        if size == N:
            return words + "."
        return words + f", full batches {_number(_last_third(reference))}."


batch_noise = explorer(BatchNoise)


class _Regression:
    """A straight line through 64 noisy points: its gradients on mini-batches, and descent with them."""

    start = np.array([-1.2, -0.4])

    def __init__(self):
        rng = np.random.default_rng(7)
        x = rng.uniform(-1.6, 1.6, N)
        self.Phi, self.t = design_matrix(x[:, None]), 0.4 + 0.9 * x + rng.normal(0, 0.7, N)
        self.best, self.limit = least_squares(self.Phi, self.t).w, max_stable_rate(x[:, None])

    def gradient(self, w, batch):
        Phi = self.Phi[batch]
        return Phi.T @ (Phi @ w - self.t[batch]) / len(batch)

    def at(self, where):
        return self.start if where == "start" else self.best

    def each(self, where):
        """Return the gradient of every single sample (N, 2)."""
        return self.Phi * (self.Phi @ self.at(where) - self.t)[:, None]

    def covariance(self, size, where):
        return np.cov(self.each(where).T, bias=True) / size * (N - size) / (N - 1)

    def noise(self, size, where):
        return float(np.sqrt(np.trace(self.covariance(size, where))))

    def cloud(self, size, where):
        """Return mini-batch gradients at one place, their mean, the predicted ellipse and the share inside it."""
        w, mean, S = self.at(where), self.each(where).mean(axis=0), self.covariance(size, where)
        draw = minibatch_gradient(self.gradient, N, size, rng=size)
        g = np.array([draw(w) for _ in range(CLOUD)])
        values, vectors = np.linalg.eigh(S)
        angle = np.linspace(0, 2 * np.pi, 121)
        axes = REACH95 * vectors * np.sqrt(np.maximum(values, 0))
        distance = np.linalg.norm((g - mean) @ vectors / np.sqrt(np.maximum(values, 1e-12)), axis=1)
        return g, mean, mean + np.column_stack([np.cos(angle), np.sin(angle)]) @ axes.T, np.mean(distance <= REACH95)

    def descend(self, size, rate):
        """Return the loss above the least, after each step."""
        g = minibatch_gradient(self.gradient, N, size, rng=3)
        w = np.clip(minimize(g, self.start, GradientDescent(rate), EPOCHS * N // size).w, -1e9, 1e9)
        return np.maximum(0.5 * np.mean(((w - self.best) @ self.Phi.T) ** 2, axis=-1), 1e-30)


def _runs_away(loss):
    """Say whether a loss still grows at the end: its last quarter is far above the one before, or off the scale."""
    third, last = (np.mean(part) for part in np.array_split(loss, 4)[2:])
    return bool(last > 100 * third or last > 1e12)


def _last_third(loss):
    return float(np.mean(loss[-(len(loss) // 3) :]))


# --- Schedules -----------------------------------------------------------------------------------------------------

SGD_STEPS, RUNS = 200, 64
LAWS = {
    "constant": (plots.BLUE, "-", "o"),
    "linear to τ": (plots.ORANGE, "--", "s"),
    "1/√k": (plots.GREEN, "-.", "^"),
}


class Schedules(Scene):
    """Let the learning rate fall, or not, and compare how far noisy descent gets."""

    caption = (
        "Figure 5.7: descent on f = ½w² (L = 1) with noise of standard deviation σ in every gradient, 64 runs for each "
        "of three schedules (right). Linear decay ends at 1 % of η₀ after τ steps. Compare the right ends."
    )
    lines = 3

    def __init__(self):
        self.figure, (losses, rates) = plots.canvas(2, size=(9.6, 4.6), widths=(3, 2.2))
        self._draw_panels(losses, rates)
        self.figure.legend(**plots.BELOW)
        self.moving = [*self.means, *self.laws, self.floor, *self.ends]
        self.controls = {
            "start": log_slider("first rate η₀", 0.5, 0.01, 10**0.4, per_decade=10),
            "tau": whole("decay steps τ", 120, 10, SGD_STEPS, step=10),
            "sigma": slider("gradient noise σ", 1.0, 0.0, 2.0, 0.1, digits=1),
        }
        self._run = functools.lru_cache(maxsize=256)(_noisy_runs)

    def _draw_panels(self, losses, rates):
        losses.set(xlim=(0, SGD_STEPS), yscale="log", ylim=(1e-4, 1e2), xlabel="step k", ylabel="mean loss, 64 runs")
        losses.set_title("How far they get")
        rates.set(xlim=(0, SGD_STEPS), ylim=(0, 1.08), xlabel="step k", title="Their rates", ylabel="$η_k$ / $η_0$")
        _decades(losses.yaxis, [-4, -3, -2, -1, 0, 1, 2])
        self.means, self.laws = [], []
        for j, (label, (color, style, marker)) in enumerate(LAWS.items()):
            look = {"color": color, "ls": style, "marker": marker, "markevery": (10 + 13 * j, 40), "mec": "white"}
            self.means += losses.plot([], [], lw=1.8, ms=7, zorder=3, label=label, **look)
            self.laws += rates.plot([], [], ms=7, zorder=3, **look)
        floor = {"color": plots.INK, "ls": ":", "lw": 2.2}
        self.floor = losses.axhline(1, zorder=4, label="floor of the constant rate", **floor)
        self.ends = [ax.axvline(50, color=plots.GREY, lw=1.3, zorder=1) for ax in (losses, rates)]
        self.ends[0].set_label("τ")

    def compute(self, start, tau, sigma):
        """Return the mean losses and the rates of the three schedules; slopes are linear, so start and noise add."""
        loss = []
        for kind in LAWS:
            calm, noisy = self._run(kind, start, tau if kind == "linear to τ" else 0)
            loss.append(np.clip(0.5 * np.mean((calm + sigma * noisy) ** 2, axis=1), 1e-30, 1e30))
        k = np.arange(SGD_STEPS + 1)
        eta = [_law(kind, start, tau) for kind in LAWS]
        return start, tau, sigma, loss, [np.full(len(k), e) if np.isscalar(e) else e(k) for e in eta]

    def draw(self, result):
        """Move losses, rates, floor and the end of the decay."""
        start, tau, sigma, loss, eta = result
        for line, law, f, e in zip(self.means, self.laws, loss, eta):
            line.set_data(np.arange(len(f)), f)
            law.set_data(np.arange(len(e)), e / start)
        self.floor.set_visible(start < 2 and sigma > 0)
        self.floor.set_ydata([max(_floor(start, sigma), 1e-9)] * 2)
        for end in self.ends:
            end.set_xdata([tau, tau])

    def describe(self, result):
        """Say how low each schedule gets, and where the floor is."""
        start, tau, sigma, loss, _ = result
        last = [float(np.mean(f[-20:])) for f in loss]
        words = f"Mean loss over the last 20 of {SGD_STEPS} steps: constant **{_number(last[0])}**, "
        words += f"linear to τ **{_number(last[1])}**, 1/√k **{_number(last[2])}**. "
        if start > 2:
            return words + f"η₀ = {start:.3g} is above the limit 2/L = 2: the constant rate **diverges**."
        if sigma == 0:
            return words + "With no noise there is **no floor** to sink below, and so no need for a falling rate."
        words += f"The floor of the constant rate is ½V = η₀σ²/(4 − 2η₀) = **{_number(_floor(start, sigma))}**"
        if min(last[1:]) > last[0]:
            return words + "; here the falling rates **fall too soon** and are still on their way."
        return words + f"; the best now is **{list(LAWS)[int(np.argmin(last))]}**."


schedules = explorer(Schedules)


def _noisy_runs(kind, start, tau):
    """Return the path from 5 with no noise (steps + 1, 1) and those from 0 with noise (steps + 1, RUNS)."""
    calm = np.arange(RUNS + 1) == 0
    draws = iter(np.random.default_rng(5).normal(size=(SGD_STEPS, RUNS + 1)) * ~calm)
    w = minimize(lambda w: w + next(draws), 5.0 * calm, GradientDescent(_law(kind, start, tau)), SGD_STEPS).w
    return np.split(np.clip(w, -1e9, 1e9), [1], axis=1)


def _law(kind, start, tau):
    if kind == "constant":
        return start
    return linear_decay(start, 0.01 * start, tau) if kind == "linear to τ" else inverse_sqrt_decay(start)


def _floor(rate, sigma):
    """Return the mean loss at which a constant rate stays on f = w^2 / 2."""
    return rate * sigma**2 / (4 - 2 * rate) if rate < 2 else np.inf


# --- Momentum ------------------------------------------------------------------------------------------------------

BALL_STEPS = 60
LEVELS = [0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 1]


class MomentumBalance(Scene):
    """Balance rate and momentum of a heavy ball: crawling, critically damped, ringing, out of control."""

    caption = (
        "Figure 5.8: a heavy ball in the bowl f = ½w² (L = 1). Left, the factor by which a step shrinks the swing "
        "(brighter is faster): left of the dotted curve the ball creeps, right of it it swings, beyond the dashed "
        "limit it leaves."
    )
    play, interval, lines = "k", 150, 3

    def __init__(self):
        self.figure, (table, bowl, path) = plots.tall_and_two(size=(9.6, 4.8), widths=(1.1, 1))
        self._draw_table(table)
        self._draw_bowl(bowl)
        self._draw_path(path)
        self.figure.legend(**plots.BELOW)
        self.moving = [self.veil, self.shout, self.mark, self.trail, self.ball, self.rest, self.curve, self.dot]
        self.controls = {
            "eta": log_slider("learning rate η", 0.1, 0.001, 10, per_decade=20),
            "beta": slider("momentum β", 0.9, 0.0, 0.99, 0.01),
            "k": whole("step k", 20, 0, BALL_STEPS),
            "flipped": switch("wrong sign: w − v"),
        }

    def _draw_table(self, ax):
        etas, betas = np.geomspace(0.001, 10, 161), np.linspace(0, 1, 101)
        factor = np.abs(_roots(*np.meshgrid(etas, betas))).max(axis=0)
        ax.set_facecolor(plots.PALE)
        ax.contourf(etas, betas, factor, LEVELS, cmap="cividis_r")
        ax.contour(etas, betas, factor, LEVELS[1:-1], colors="white", linewidths=0.8)
        for level in LEVELS[2:-2]:
            ax.text(1.4, level**2 + 0.008, f"{level:g}", color="white", ha="center", fontsize=11)
        halo = {"path_effects": [withStroke(linewidth=4.6, foreground=plots.INK)]}
        ax.plot((1 - betas**0.5) ** 2, betas, ":", color=plots.YELLOW, lw=2.6, label="critical, √η = 1 − √β", **halo)
        ax.plot(2 * (1 + betas), betas, "--", color=plots.INK, lw=1.8, label="limit 2(1 + β)/L")
        ax.text(5.9, 0.06, "diverges", rotation=90, ha="center", va="bottom", fontsize=12)
        ax.set(xscale="log", xlim=(0.001, 10), ylim=(0, 1), xlabel="learning rate η", ylabel="momentum β")
        ax.set_title("Factor per step of every ball")
        plots.ticks(ax.xaxis, [0.001, 0.01, 0.1, 1, 10])
        self.veil = ax.add_patch(Rectangle((0.001, 0), 10, 1, fc=plots.PALE, alpha=0.88, zorder=4))
        self.shout = ax.text(0.1, 0.5, "wrong sign:\nthe ball climbs everywhere", ha="center", va="center", zorder=5)
        self.shout.set_fontsize(13)
        (self.mark,) = ax.plot([1], [1], "D", ms=10, zorder=6, **NOW)

    def _draw_bowl(self, ax):
        w = np.linspace(-1.6, 1.6, 81)
        ax.set(xlim=(-1.6, 1.6), ylim=(-0.08, 1.4), xlabel="w", ylabel="f", title="The ball in its bowl ½w²")
        ax.plot(w, 0.5 * w**2, color=plots.GREY, lw=1.8)
        (self.trail,) = ax.plot([], [], "o", ms=6, mfc="white", mec=plots.ORANGE, mew=1.4, zorder=3, label="earlier")
        (self.ball,) = ax.plot([], [], "o", ms=14, zorder=4, label="ball now", **BALL)

    def _draw_path(self, ax):
        ax.set(xlim=(0, BALL_STEPS), ylim=(-1.7, 1.7), xlabel="step k", ylabel="position w", title="Its path")
        ax.axhline(0, color=plots.PALE, lw=1.4, zorder=0.5)
        (self.rest,) = ax.plot([], [], color=AHEAD, lw=1.6, zorder=1)
        (self.curve,) = ax.plot([], [], "-o", color=plots.ORANGE, ms=3.5, lw=1.6, zorder=2)
        (self.dot,) = ax.plot([0], [0], "o", ms=10, zorder=3, clip_on=False, **BALL)

    def compute(self, eta, beta, k, flipped):
        """Return the ball's path and the two roots that rule it."""
        sign = -1.0 if flipped else 1.0  # w - v instead of w + v: the same as a gradient of the other sign
        w = minimize(lambda w: sign * w, [1.0], Momentum(eta, beta), BALL_STEPS).w[:, 0]
        return eta, beta, k, flipped, np.clip(w, -1e12, 1e12), _roots(sign * eta, beta)

    def draw(self, result):
        """Move the mark in the table, and the ball."""
        eta, beta, k, flipped, w, _ = result
        self.veil.set_visible(flipped)
        self.shout.set_visible(flipped)
        self.mark.set_data([eta], [beta])
        self.mark.set_marker("X" if flipped else "D")
        self.trail.set_data(w[:k], 0.5 * w[:k] ** 2)
        self.ball.set_data([w[k]], [0.5 * w[k] ** 2])
        shown = _cut(w[:, None], 5)[:, 0]
        self.rest.set_data(np.arange(len(w)), shown)
        self.curve.set_data(np.arange(k + 1), shown[: k + 1])
        self.dot.set_data([k], [np.clip(w[k], -1.7, 1.7)])

    def describe(self, result):
        """Say the roots, the factor, the place of the ball and how it moves."""
        eta, beta, k, flipped, w, roots = result
        words = f"η = {eta:.3g}, β = {beta:.2f}: the roots are {_complex(roots)}, so a step multiplies the swing by "
        words += f"**{_share(np.abs(roots).max())}**. After {count(k, 'step')} the ball is at w = "
        words += f"**{'−' * bool(w[k] < 0)}{_number(abs(w[k]))}**"
        words += " (off the picture). " if abs(w[k]) > 1.6 else ". "
        return words + self._regime(eta, beta, flipped)

    def _regime(self, eta, beta, flipped):
        limit = 2 * (1 + beta)
        if flipped:
            return "The velocity points downhill, and w − v goes against it: the ball **climbs**, whatever η and β are."
        if eta >= limit:
            return f"**Diverges**: η is not below the limit 2(1 + β)/L = {limit:.2f}."
        if abs(eta - (1 - beta**0.5) ** 2) < 0.03 * eta:
            return "**Critically damped**: the fastest way home without swinging."
        if eta < (1 - beta**0.5) ** 2:
            return "**Over-damped**: it creeps home from one side; more momentum would help."
        if eta < (1 + beta**0.5) ** 2:
            return "**Under-damped**: it swings through the bottom; as long as it swings, the factor is √β."
        return "**Flips** from side to side at every step: η is too large, but below the limit."


momentum_balance = explorer(MomentumBalance)


def _roots(eta, beta):
    """Return the two roots of z^2 - (1 + beta - eta) z + beta, the factors of heavy-ball momentum with L = 1."""
    half = (1 + beta - eta) / 2
    root = np.sqrt(np.asarray(half**2 - beta, complex))
    return np.stack([half + root, half - root])


def _complex(roots):
    if abs(roots[0].imag) > 1e-9:
        return f"{plain(roots[0].real, '.3f')} ± {abs(roots[0].imag):.3f}i"
    return f"{plain(roots[0].real, '.3f')} and {plain(roots[1].real, '.3f')}"


# --- The race ------------------------------------------------------------------------------------------------------

RACE_STEPS = 150
ENDS = (0.0, 0.5, 1.0)
SCALES = 10 ** np.linspace(-1, 1, 11)
RACERS = {
    "descent": (plots.INK, "-", "o"),
    "momentum": (plots.BLUE, "--", "s"),
    "Nesterov": (plots.SKY, "-", "^"),
    "AdaGrad": (plots.GREEN, "-.", "D"),
    "RMSProp": (plots.GREY, "-", "v"),
    "Adam": (plots.ORANGE, "-", "P"),
    "Newton": (plots.PURPLE, "--", "X"),
}
FAMILIES = {"descent, momentum, Nesterov": slice(0, 3), "AdaGrad, RMSProp, Adam": slice(3, 6), "Newton": slice(6, 7)}


class OptimizerRace(Scene):
    """Race seven optimisers down a surface of your choice."""

    caption = (
        "Figure 5.9: seven optimisers from the same start. Left, the paths of one family up to step k; right, the loss "
        "of all seven above the lowest minimum, the other families pale. The slider multiplies all rates but that of "
        "Newton, which makes full steps."
    )
    play, interval, lines = "k", 100, 4

    def __init__(self):
        self.tracks = _tracks()
        self.figure, (plane, losses) = plots.canvas(2, size=(9.6, 4.8), widths=(1.15, 1))
        self._draw_plane(plane)
        self._draw_losses(losses)
        self._draw_racers(plane, losses)
        self.figure.legend(**{**plots.BELOW, "ncols": 4, "handlelength": 2.6})
        self.moving = [*self.names, self.contours, self.minima, *self.paths, *self.curves]
        self.controls = {
            "surface": choice("surface f", list(self.tracks)),
            "family": choice("paths drawn", list(FAMILIES)),
            "scale": log_slider("rates η times", 1.0, 0.1, 10, per_decade=5, digits=2),
            "k": whole("step k", 60, 0, RACE_STEPS),
        }
        self._races = functools.cache(lambda name, scale: self.tracks[name].race(scale))

    def _draw_plane(self, ax):
        ax.set(xlim=(0, 1), ylim=(0, 1), title="Paths down", xticks=ENDS, yticks=ENDS)
        ax.set(xticklabels=["0"] * 3, yticklabels=["−5.5"] * 3)  # to keep the place of the labels that move
        ax.tick_params(labelcolor="none")
        ax.set_xlabel("x")
        ax.set_ylabel("y", labelpad=0)
        self.names = [ax.text(at, -0.035, "", ha="center", va="top", clip_on=False) for at in ENDS]
        self.names += [ax.text(-0.03, at, "", ha="right", va="center", clip_on=False) for at in ENDS]
        self.contours = ax.add_collection(LineCollection([], colors=AHEAD, lw=1, zorder=1))
        (self.minima,) = ax.plot([], [], zorder=2, label="minimum", **{**STAR, "ms": 25})

    def _draw_losses(self, ax):
        ax.set(xlim=(-4, RACE_STEPS + 5), yscale="log", ylim=(1e-8, 1e3), xlabel="step k")
        ax.set(ylabel="loss above the least", title="How far they are")
        _decades(ax.yaxis, range(-8, 4, 2))

    def _draw_racers(self, plane, losses):
        self.paths, self.curves = [], []
        for j, (name, (color, style, marker)) in enumerate(RACERS.items()):
            look = {"color": color, "ls": style, "marker": marker, "mec": plots.INK, "mew": 0.8}
            self.paths += plane.plot([], [], lw=1.8, ms=8, zorder=3 + j / 10, label=name, **look)
            self.curves += losses.plot([], [], lw=1.7, ms=8, zorder=3 + j / 10, **look)

    def compute(self, surface, family, scale, k):
        """Return the seven runs on a surface."""
        scale = float(SCALES[np.argmin(np.abs(np.log(SCALES / scale)))])  # the slider's own positions
        return self.tracks[surface], family, scale, k, self._races(surface, scale)

    def draw(self, result):
        """Change the surface, and move the racers to step k."""
        track, family, _, k, runs = result
        drawn = range(len(RACERS))[FAMILIES[family]]
        for name, value in zip(self.names, np.outer(track.size, ENDS).ravel() + np.repeat(track.corner, 3)):
            name.set_text(plain(value, ".3g"))
        self.contours.set_segments(track.contours)
        self.minima.set_data(track.place(track.surface.minima).T)
        for j, (path, curve, (w, excess, _)) in enumerate(zip(self.paths, self.curves, runs)):
            path.set_data(track.place(w[: k + 1]).T)
            path.set_visible(j in drawn)
            curve.set_data(np.arange(k + 1), excess[: k + 1])
            curve.set_alpha(1 if j in drawn else 0.3)
            for artist in (path, curve):
                artist.set_markevery([k])

    def describe(self, result):
        """Rank the racers, and say who is lost and who stands where there is no lowest point."""
        track, _, scale, k, runs = result
        slope, adaptive = (scale * rate for rate in track.rates)
        words = f"Rates **{slope:.2g}** (descent, momentum, Nesterov) and **{adaptive:.2g}** (AdaGrad, RMSProp, Adam). "
        lost = [name for name, (*_, gone) in zip(RACERS, runs) if gone is not None and gone <= k]
        place = sorted((excess[k], name) for name, (_, excess, _) in zip(RACERS, runs) if name not in lost)
        if k == 0:
            return words + f"All seven start at the same point, **{_number(place[0][0])}** above the lowest minimum."
        words += f"After {count(k, 'step')}: " + " · ".join(f"{name} **{_number(e)}**" for e, name in place) + "."
        if lost:
            words += f" **Diverged**, path cut: {', '.join(lost)}."
        stands = {name: track.stands(w[k]) for name, (w, *_) in zip(RACERS, runs) if name not in lost}
        for what, where in (("no minimum", "slope zero, but **no minimum**"), ("not lowest", "in **a higher valley**")):
            there = [name for name, rest in stands.items() if rest == what]
            words += f" {', '.join(there)}: {where}." * bool(there)
        return words


optimizer_race = explorer(OptimizerRace)


def _tracks():
    """Return the surfaces by name."""
    return {
        "narrow bowl": _Track(Quadratic(30, angle=0.5), ((-12, 12), (-9, 9)), 0.03, 0.3),
        "Rosenbrock": _Track(Rosenbrock(), ((-2, 2), (-1, 3)), 0.001, 0.1),
        "saddle": _Track(Saddle(), ((-2, 2), (-1.7, 1.7)), 0.1, 0.05),
        "two wells": _Track(DoubleWell(), ((-2, 2), (-1.6, 1.6)), 0.02, 0.1),
        "Himmelblau": _Track(Himmelblau(), ((-5.5, 5.5), (-5.5, 5.5)), 0.005, 0.2),
    }


class _Track:
    """A surface to race on: its window, its contours, and the rates of the two families."""

    def __init__(self, surface, window, gradient_rate, adaptive_rate):
        self.surface, self.window, self.rates = surface, window, (gradient_rate, adaptive_rate)
        self.corner, self.size = np.array(window)[:, 0], np.ptp(window, axis=1)
        x, y = (np.linspace(*span, 90) for span in window)
        height = surface.value(np.stack(np.meshgrid(x, y), axis=-1))
        lines = contour_generator(x, y, height, line_type=LineType.Separate).lines
        levels = np.quantile(height, np.linspace(0.03, 0.9, 8) ** 1.5)
        self.contours = [self.place(line) for level in levels for line in lines(level)]
        self.least = float(surface.value(surface.minima).min())
        self.newton = self.run(Newton(surface.hessian), 30)

    def run(self, optimizer, steps=RACE_STEPS):
        """Return path and excess loss of a run, and the step at which it left for good (None if it did not)."""
        path = minimize(self.surface.gradient, self.surface.start, optimizer, steps)
        w = np.vstack([path.w, np.repeat(path.w[-1:], RACE_STEPS - steps, axis=0)])
        with np.errstate(over="ignore", invalid="ignore"):
            excess = np.nan_to_num(self.surface.value(w) - self.least, nan=1e30, posinf=1e30)
        far = np.abs(self.place(w)).max(axis=1) > 20
        lost = int(np.argmax(far)) if far.any() else None
        if lost is not None:
            w[lost:], excess[lost:] = w[lost - 1], 1e30
        return w, np.clip(excess, 1e-30, 1e30), lost

    def place(self, w):
        """Return points in units of the window, from 0 to 1."""
        return (w - self.corner) / self.size

    def race(self, scale):
        """Return the runs of all seven, with their rates times ``scale``."""
        slope, adaptive = scale * self.rates[0], scale * self.rates[1]
        field = [GradientDescent(slope), Momentum(slope), Nesterov(slope)]
        field += [AdaGrad(adaptive), RMSProp(adaptive), Adam(adaptive)]
        return [*(self.run(optimizer) for optimizer in field), self.newton]

    def stands(self, w):
        """Say where a point is: near a minimum (the lowest or not), flat with a way down, or on its way."""
        near = self.surface.minima[np.linalg.norm(self.place(self.surface.minima) - self.place(w), axis=1) < 0.05]
        if len(near):
            return "not lowest" if self.surface.value(near[0]) > self.least + 0.01 else "lowest"
        flat = np.linalg.norm(self.surface.gradient(w)) < 1e-3
        return "no minimum" if flat and np.linalg.eigvalsh(self.surface.hessian(w))[0] < 0 else "on its way"


# --- Pieces --------------------------------------------------------------------------------------------------------


def _decades(axis, powers):
    axis.set_major_locator(FixedLocator([10.0**p for p in powers]))
    axis.set_minor_locator(NullLocator())


def _number(value):
    """Write a number of any size in few signs: 0.0123, 4.5·10⁻⁷."""
    if value < 1e-12:
        return "0"
    if value >= 1e9:
        return "over a billion"
    if 1e-3 <= value < 1e4:
        return f"{value:.3g}" if value < 1000 else f"{value:,.0f}"
    power = int(np.floor(np.log10(value)))
    return f"{value / 10.0**power:.1f}·10{str(power).translate(_SMALL)}"


_SMALL = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")

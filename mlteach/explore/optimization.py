"""Explorers of chapter 05: the learning rate, its upper model, noisy gradients, schedules, momentum, and a race."""

import functools

import numpy as np
from contourpy import LineType, contour_generator
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.patches import Rectangle
from matplotlib.patheffects import withStroke
from matplotlib.ticker import FixedLocator, NullLocator

from mlteach import plots
from mlteach.explore.base import Explorer, choice, count, explorer, log_slider, plain, slider, switch, whole
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

AHEAD = "#C9CDD4"
NOW = {"mfc": "white", "mec": plots.INK, "mew": 2, "clip_on": False}
STAR = {"marker": "*", "ls": "", "ms": 17, "mfc": plots.YELLOW, "mec": plots.INK}

# --- The learning rate ---------------------------------------------------------------------------------------------

DESCENT_STEPS, DESCENT_START = 100, (-9.0, 5.0)
RATES = np.geomspace(0.001, 10**0.5, 281)


@explorer
def quadratic_descent():
    """Turn the learning rate from crawling to diverging on a bowl of any condition number."""
    figure, (surface, losses, rates) = plots.tall_and_two(size=(9.6, 5.0), widths=(1.15, 1))
    surface.set(xlim=(-11, 11), ylim=(-9.5, 9.5), xlabel="$w_1$ (curvature μ = 1)", title="The way down")
    surface.set(ylabel="$w_2$ (curvature L = κ)", aspect="equal")
    contours = surface.add_collection(LineCollection([], colors=AHEAD, lw=1.1, zorder=1))
    surface.plot(0, 0, zorder=2, label="minimum", **STAR)
    (path,) = surface.plot([], [], "-o", color=plots.ORANGE, ms=4, lw=1.6, mec="white", mew=0.5, zorder=3, label="path")
    (ball,) = surface.plot([], [], "D", ms=9, zorder=4, label="now", **{**NOW, "clip_on": True})

    losses.set(xlim=(0, DESCENT_STEPS), yscale="log", ylim=(1e-8, 1e4), xlabel="step n", title="Loss")
    losses.set_ylabel("share of the start")
    _decades(losses.yaxis, [-8, -4, 0, 4])
    losses.axhline(1, color=plots.GREY, ls=":", lw=1.2, zorder=0.5)
    (rest,) = losses.plot([], [], color=AHEAD, zorder=1)
    (curve,) = losses.plot([], [], color=plots.ORANGE, zorder=2)
    (dot,) = losses.plot([0], [1], "D", ms=8, zorder=3, **NOW)

    rates.set(xscale="log", xlim=(RATES[0], RATES[-1]), ylim=(0, 1.6), xlabel="learning rate η")
    rates.set(ylabel="factor", title="Factor per step, max |1 − ηλ|")
    plots.ticks(rates.xaxis, [0.001, 0.01, 0.1, 1])
    rates.yaxis.set_major_locator(FixedLocator([0, 0.5, 1, 1.5]))
    rates.axhspan(1, 1.6, color=plots.PALE, zorder=0.4)
    rates.text(0.0012, 1.28, "diverges", va="center", fontsize=11, zorder=0.45)
    limit = rates.axvline(1, color=plots.INK, ls="--", lw=1.5, zorder=1, label="limit 2/L")
    best = rates.axvline(1, color=plots.GREEN, ls=":", lw=2.2, zorder=1, label="best rate 2/(L + μ)")
    (factors,) = rates.plot([], [], color=plots.BLUE, zorder=2, label="factor")
    (mark,) = rates.plot([1], [1], "D", ms=8, zorder=3, **NOW)
    figure.legend(**plots.BELOW)

    circle = np.exp(1j * np.linspace(0, 2 * np.pi, 121))
    circle = np.column_stack([circle.real, circle.imag])

    def compute(rate, kappa, n):
        bowl = Quadratic(kappa)
        run = minimize(bowl.gradient, DESCENT_START, GradientDescent(rate), DESCENT_STEPS)
        loss = np.clip(bowl.value(run.w) / bowl.value(DESCENT_START), 1e-30, 1e30)
        return rate, kappa, n, _cut(run.w, 30), loss

    def draw(result):
        rate, kappa, n, w, loss = result
        contours.set_segments([r * circle / [1, kappa**0.5] for r in 1.6 * 1.55 ** np.arange(10)])
        path.set_data(w[: n + 1].T)
        ball.set_data(w[n : n + 1].T)
        rest.set_data(np.arange(len(loss)), loss)
        curve.set_data(np.arange(n + 1), loss[: n + 1])
        dot.set_data([n], [np.clip(loss[n], 1e-8, 1e4)])
        limit.set_xdata([2 / kappa] * 2)
        best.set_xdata([2 / (kappa + 1)] * 2)
        factors.set_data(RATES, np.minimum(_factor(RATES, kappa), 9))
        mark.set_data([rate], [min(_factor(rate, kappa), 1.6)])

    def describe(result):
        rate, kappa, n, _, loss = result
        factor, top = _factor(rate, kappa), 2 / kappa
        share = _number(loss[n]) if loss[n] >= 1e-12 else "less than 10⁻¹²"
        words = f"η = **{rate:.3g}** is **{_ratio(rate / top)}** the limit 2/L = **{top:.3g}**; the best fixed rate is "
        words += f"{2 / (kappa + 1):.3g}. After {count(n, 'step')} the loss is **{share}** times its start. "
        if factor > 1 + 1e-9:
            return words + f"It **diverges**: each step multiplies the steep error by **−{factor:.3g}**."
        if factor > 1 - 1e-9:
            return words + "At the limit itself it **swings for ever** between two walls."
        if factor < 1e-9:
            return words + "The bowl is round, and the factor is **0**: **one step** hits its bottom."
        steps = int(np.ceil(np.log(1e-6) / np.log(factor) - 1e-9))
        words += f"A step leaves at most **{_share(factor)}** of the distance, so one millionth is reached in "
        words += f"**{steps:,} steps**; "
        if kappa == 1:
            return words + "the bowl is round: **both** axes are equally fast."
        slow_is_flat = rate < 2 / (kappa + 1)
        return words + ("the **flat** axis is the slow one." if slow_is_flat else "the **steep** axis zig-zags.")

    return Explorer(
        figure=figure,
        moving=[contours, path, ball, rest, curve, dot, limit, best, factors, mark],
        controls={
            "rate": log_slider("learning rate η", 10**-0.75, 0.001, 10**0.5, per_decade=20),
            "kappa": log_slider("condition number κ", 10.0, 1, 100, per_decade=10),
            "n": whole("steps n", 20, 0, DESCENT_STEPS),
        },
        compute=compute,
        draw=draw,
        describe=describe,
        caption="Figure 5.3: gradient descent in a bowl with the curvatures μ = 1 and L = κ. Right, the loss against "
        "the step, and the factor by which a step shrinks the worse of the two errors: least at 2/(L + μ), one at 2/L.",
        play="n",
        interval=120,
    )


def _factor(rate, kappa):
    """Return the factor of the slower of the two errors, with the curvatures 1 and kappa."""
    return np.maximum(np.abs(1 - rate), np.abs(1 - rate * kappa))


def _cut(w, reach):
    """Return a path that stays at the first point beyond ``reach``: further ones are out of sight."""
    far = np.flatnonzero(np.abs(w).max(axis=1) > reach)
    return (
        w if not len(far) else np.vstack([w[: far[0]], np.repeat(np.clip(w[far[:1]], -1e4, 1e4), len(w) - far[0], 0)])
    )


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


@explorer
def quadratic_upper_model():
    """Lay a parabola of curvature L on a function and step to its lowest point."""
    figure, (plane, steps) = plots.canvas(2, size=(9.6, 4.6), widths=(3, 2.2))
    plane.set(xlim=(-6.5, 6.5), ylim=(-1.5, 8), xlabel="v", ylabel="height", title="The function and its model")
    below = plane.add_collection(
        PolyCollection([], fc="#F7D9C4", ec=plots.ORANGE, hatch="///", lw=0, zorder=0.6, label="model below f")
    )
    (model,) = plane.plot([], [], "--", color=plots.ORANGE, zorder=2, label="model q")
    plane.plot(LINE, _wave(LINE), color=plots.INK, zorder=3, label="f")
    (trail,) = plane.plot([], [], "o", ms=7, mfc="white", mec=plots.BLUE, mew=1.4, zorder=3.5, label="earlier")
    (drop,) = plane.plot([], [], ":", color=plots.GREY, lw=1.8, zorder=2.5)
    (bottom,) = plane.plot([], [], "v", ms=11, color=plots.ORANGE, mec=plots.INK, zorder=4, label="lowest point of q")
    (start,) = plane.plot([], [], "o", ms=11, color=plots.BLUE, mec=plots.INK, zorder=5, label="w")
    (end,) = plane.plot([], [], "D", ms=9, zorder=6, label="f after the step", **{**NOW, "clip_on": True})

    steps.set(xscale="log", xlim=(CURVATURES[0], CURVATURES[-1]), ylim=(-1.5, 8), xlabel="estimate of L")
    steps.set(title="One step, by L", ylabel="f after the step")
    plots.ticks(steps.xaxis, [0.2, 0.5, 1, 2, 5, 10])
    steps.axvline(WAVE_L, color=plots.INK, ls="--", lw=1.5, zorder=1)
    steps.text(WAVE_L * 1.1, 7.9, "true L = 1.3", ha="left", va="top", fontsize=11)
    level = steps.axhline(0, color=plots.BLUE, ls=":", lw=1.8, zorder=1)
    name = steps.text(12, 0, "f(w)", color=plots.BLUE, ha="right", va="bottom", fontsize=12, zorder=1)
    (promised,) = steps.plot([], [], "--", color=plots.ORANGE, zorder=2)
    (reached,) = steps.plot([], [], color=plots.INK, zorder=3)
    (mark,) = steps.plot([1], [1], "D", ms=9, zorder=5, **NOW)
    figure.legend(**{**plots.BELOW, "columnspacing": 1.1, "handlelength": 1.5})

    def compute(w, L, n):
        way = minimize(_wave_slope, [w], GradientDescent(1 / L), n).w[:, 0]
        w = float(way[-1])
        q = quadratic_model(lambda v: _wave(v)[0], _wave_slope, [w], 1 / L)
        slope = _wave_slope(w)
        u = w - slope / L
        after, bound = _wave(w - slope / CURVATURES), _wave(w) - slope**2 / CURVATURES / 2
        return w, L, q(LINE[:, None]), u, float(q([u])), after, bound, way

    def draw(result):
        w, L, q, u, low, after, bound, way = result
        model.set_data(LINE, np.clip(q, -50, 50))
        f = _wave(LINE)
        under = np.minimum(q, f)
        runs = _runs(q < f - 1e-9)
        below.set_verts(
            [np.column_stack([np.append(LINE[r], LINE[r][::-1]), np.append(under[r], f[r][::-1])]) for r in runs]
        )
        trail.set_data(way[:-1], _wave(way[:-1]))
        start.set_data([w], [_wave(w)])
        bottom.set_data([np.clip(u, -6.4, 6.4)], [np.clip(low, -1.35, 8)])
        end.set_data([u], [_wave(u)])
        drop.set_data([u, u], np.clip([low, _wave(u)], -50, 50))
        level.set_ydata([_wave(w)] * 2)
        name.set_y(_wave(w))
        promised.set_data(CURVATURES, np.clip(bound, -50, 50))
        reached.set_data(CURVATURES, np.clip(after, -50, 50))
        mark.set_data([L], [min(_wave(u), 8)])

    def describe(result):
        w, L, q, u, low, *_, way = result
        words = f"Step {len(way)} from w = {plain(w, '.3g')}: the rate 1/L = **{1 / L:.3g}** times the slope "
        words += f"{plain(_wave_slope(w), '.2f')} leads "
        words += f"to v = **{plain(u, '.2f')}**: f goes from {_wave(w):.2f} to **{_wave(u):.2f}**. "
        gap = 100 * np.mean(q < _wave(LINE) - 1e-9)
        if L >= WAVE_L:
            words += "The model is **nowhere below f**"
        elif gap == 0:
            words += "The model is not below f in this picture, but an L below 1.3 **guarantees nothing**"
        else:
            words += f"The model is **below f** on {gap:.0f} % of the picture"
        out = " (out of the picture)" * bool(abs(u) > 6.5)
        if abs(u - w) < 0.005:
            return words + ", and w is already the minimum: no step."
        if _wave(u) > _wave(w) + 1e-12:
            return words + f": the step overshoots{out} and **climbs**, where the model promised {plain(low, '.2f')}."
        if _wave(u) > low + 1e-9:
            return words + f": f falls less than the model's promise of {plain(low, '.2f')}{out}."
        return (
            words
            + (": " if gap == 0 else ", and yet ")
            + f"f falls at least to the model's promise of {plain(low, '.2f')}."
        )

    return Explorer(
        figure=figure,
        moving=[below, model, trail, drop, bottom, start, end, level, name, promised, reached, mark],
        controls={
            "w": slider("start w", 3.0, -6.0, 6.0, 0.1, digits=1),
            "L": log_slider("estimate of L", 1.3, 0.13, 13, per_decade=20),
            "n": whole("steps already made", 0, 0, MM_STEPS),
        },
        compute=compute,
        draw=draw,
        describe=describe,
        caption="Figure 5.4: the parabola of curvature L that touches f at w; its lowest point is the gradient step "
        "with the rate 1/L. With L at least 1.3 it lies nowhere below f, and the step cannot climb. Right, f after the "
        "step (solid) and the model's promise (dashed), for every L.",
        play="n",
        interval=700,
    )


def _wave(v):
    """A bowl with a wave on it: the curvature lies between -0.7 and 1.3."""
    return 0.15 * np.square(v) + 1 - np.cos(v)


def _wave_slope(v):
    return 0.3 * np.asarray(v) + np.sin(v)


def _runs(mask):
    """Return the slices in which a mask is true."""
    edges = np.flatnonzero(np.diff(np.r_[0, mask, 0]))
    return [slice(a, b) for a, b in zip(edges[::2], edges[1::2])]


# --- Mini-batches --------------------------------------------------------------------------------------------------

N, EPOCHS, CLOUD = 64, 12, 256
REACH95 = float(np.sqrt(2 * np.log(20)))  # 95 % of a Gaussian in the plane lie within so many standard deviations


@explorer
def batch_noise():
    """Change the batch size and see the noise of the gradient, and what it does to descent."""
    problem = _Regression()
    figure, (plane, losses) = plots.canvas(2, size=(9.6, 4.7), widths=(1, 1.15))
    plane.set(xlim=(-5.6, 3.6), ylim=(-5.6, 3.6), xlabel="slope of the loss in $w_0$", ylabel="slope in $w_1$")
    plane.set(title="Mini-batch gradients", aspect="equal")
    plane.axhline(0, color=plots.PALE, lw=1, zorder=0.3)
    plane.axvline(0, color=plots.PALE, lw=1, zorder=0.3)
    (cloud,) = plane.plot([], [], "o", ms=5, mfc=plots.SKY, mec=plots.BLUE, mew=0.6, zorder=1, label="mini-batches")
    (ellipse,) = plane.plot([], [], "--", color=plots.INK, lw=2, zorder=2, label="predicted, 95 %")
    (full,) = plane.plot([], [], "*", ms=17, mfc=plots.YELLOW, mec=plots.INK, zorder=3, label="all samples")

    losses.set(
        xlim=(0, EPOCHS), yscale="log", ylim=(1e-5, 1e2), xlabel="epochs (64 samples each)", ylabel="excess loss"
    )
    losses.set_title("Descent at equal cost")
    _decades(losses.yaxis, [-5, -4, -3, -2, -1, 0, 1, 2])
    (batch,) = losses.plot([], [], "--s", color=plots.GREY, ms=5, lw=1.8, zorder=1, label="B = 64 (no noise)")
    (curve,) = losses.plot([], [], color=plots.ORANGE, lw=1.8, zorder=2, label="this B")
    (floor,) = losses.plot([], [], ":", color=plots.INK, lw=2.2, zorder=3, label="mean, last third of this B")
    figure.legend(**{**plots.BELOW, "ncols": 3})
    clouds = functools.cache(problem.cloud)
    runs = functools.cache(problem.descend)
    for size in 2 ** np.arange(7):
        for where in ("start", "least loss"):
            clouds(int(size), where)

    def compute(size, rate, where):
        size = 2 ** int(round(np.log2(size)))  # so that the batches share the samples out evenly
        rate = round(rate, 4 - int(np.floor(np.log10(rate))))
        return size, rate, where, clouds(size, where), runs(size, rate), runs(N, rate)

    def draw(result):
        size, _, _, (g, mean, ring, _), loss, reference = result
        cloud.set_data(g.T)
        ellipse.set_data(ring.T)
        full.set_data(mean[:, None])
        curve.set_data(np.arange(len(loss)) * size / N, loss)
        batch.set_data(np.arange(len(reference)), reference)
        floor.set_data([EPOCHS * 2 / 3, EPOCHS], [np.clip(_last_third(loss), 1e-30, 1e30)] * 2)

    def describe(result):
        size, rate, where, (g, mean, _, inside), loss, reference = result
        noise = problem.noise(size, where)
        words = f"B = **{size}**: the gradient at the {where} has length {np.hypot(*mean):.2f}, its noise is "
        if size == N:
            words += "**0**: all samples, no noise. "
        else:
            words += f"**{noise:.2f}**"
            words += f", {noise / problem.noise(1, where):.2f} of that of one sample" * (size > 1)
            words += f" (**{100 * inside:.0f} %** of the batches lie in the ellipse). "
        end = _last_third(loss)
        words += f"An epoch makes **{count(N // size, 'step')}** with η = {rate:.3g}; "
        if end > loss[0]:
            what = "this **diverges**" if _runs_away(loss) else "this **hovers above its start**"
            return words + f"{what}; full batches bear η up to {problem.limit:.2f}."
        words += f"the last third has the mean excess loss **{_number(end)}**"
        if size == N:
            return words + "."
        return words + f", full batches {_number(_last_third(reference))}."

    return Explorer(
        figure=figure,
        moving=[cloud, ellipse, full, batch, curve, floor],
        controls={
            "size": log_slider("batch size B", 4.0, 1, 64, per_decade=1 / np.log10(2), digits=2),
            "rate": log_slider("learning rate η", 0.1, 0.01, 10**0.5, per_decade=10),
            "where": choice("gradients taken at", ["start", "least loss"]),
        },
        compute=compute,
        draw=draw,
        describe=describe,
        caption="Figure 5.6: gradients of random mini-batches around the gradient of all 64 samples (star), with the "
        "ellipse that the covariance S/B · (N − B)/(N − 1) predicts. Right, descent with such batches, by samples "
        "seen: small batches make many noisy steps, large ones few good steps.",
    )


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


@explorer
def schedules():
    """Let the learning rate fall, or not, and compare how far noisy descent gets."""
    figure, (losses, rates) = plots.canvas(2, size=(9.6, 4.6), widths=(3, 2.2))
    losses.set(xlim=(0, SGD_STEPS), yscale="log", ylim=(1e-4, 1e2), xlabel="step k", ylabel="mean loss, 64 runs")
    losses.set_title("How far they get")
    rates.set(xlim=(0, SGD_STEPS), ylim=(0, 1.08), xlabel="step k", title="Their rates", ylabel="$η_k$ / $η_0$")
    _decades(losses.yaxis, [-4, -3, -2, -1, 0, 1, 2])
    looks = {
        "constant": (plots.BLUE, "-", "o"),
        "linear to τ": (plots.ORANGE, "--", "s"),
        "1/√k": (plots.GREEN, "-.", "^"),
    }
    lines, laws = [], []
    for k, (label, (color, style, marker)) in enumerate(looks.items()):
        look = {"color": color, "ls": style, "marker": marker, "markevery": (10 + 13 * k, 40), "ms": 7, "mec": "white"}
        lines += losses.plot([], [], lw=1.8, zorder=3, label=label, **look)
        laws += rates.plot([], [], zorder=3, **look)
    floor = losses.axhline(1, color=plots.INK, ls=":", lw=2.2, zorder=4, label="floor of the constant rate")
    ends = [ax.axvline(50, color=plots.GREY, lw=1.3, zorder=1) for ax in (losses, rates)]
    ends[0].set_label("τ")
    figure.legend(**plots.BELOW)
    noise = np.random.default_rng(5).normal(size=(SGD_STEPS, RUNS + 1)) * (np.arange(RUNS + 1) > 0)

    @functools.lru_cache(maxsize=256)
    def run(kind, start, tau):
        """Return the path from 5 with no noise (steps + 1, 1) and those from 0 with noise (steps + 1, RUNS)."""
        draws = iter(noise)
        w0 = 5.0 * (np.arange(RUNS + 1) == 0)
        w = minimize(lambda w: w + next(draws), w0, GradientDescent(law(kind, start, tau)), SGD_STEPS).w
        return np.split(np.clip(w, -1e9, 1e9), [1], axis=1)

    def losses_of(calm, noisy, sigma):
        """Return the mean loss of the runs; their slopes are linear in w, so start and noise add up."""
        return np.clip(0.5 * np.mean((calm + sigma * noisy) ** 2, axis=1), 1e-30, 1e30)

    def law(kind, start, tau):
        if kind == "constant":
            return start
        return linear_decay(start, 0.01 * start, tau) if kind == "linear to τ" else inverse_sqrt_decay(start)

    def compute(start, tau, sigma):
        loss = [losses_of(*run(kind, start, tau if kind == "linear to τ" else 0), sigma) for kind in looks]
        k = np.arange(SGD_STEPS + 1)
        eta = [law(kind, start, tau) for kind in looks]
        return start, tau, sigma, loss, [np.full(len(k), e) if np.isscalar(e) else e(k) for e in eta]

    def draw(result):
        start, tau, sigma, loss, eta = result
        for line, law, f, e in zip(lines, laws, loss, eta):
            line.set_data(np.arange(len(f)), f)
            law.set_data(np.arange(len(e)), e / start)
        height = _floor(start, sigma)
        floor.set_visible(start < 2 and sigma > 0)
        floor.set_ydata([max(height, 1e-9)] * 2)
        for end in ends:
            end.set_xdata([tau, tau])

    def describe(result):
        start, tau, sigma, loss, _ = result
        last = [float(np.mean(f[-20:])) for f in loss]
        words = f"Mean loss over the last 20 of {SGD_STEPS} steps: constant **{_number(last[0])}**, "
        words += f"linear to τ **{_number(last[1])}**, 1/√k **{_number(last[2])}**. "
        if start > 2:
            return words + f"η₀ = {start:.3g} is above the limit 2/L = 2: the constant rate **diverges**."
        if sigma == 0:
            return words + "With no noise there is **no floor** to sink below, and so no need for a falling rate."
        words += f"The floor of the constant rate is η₀σ²/(4 − 2η₀) = **{_number(_floor(start, sigma))}**"
        if min(last[1:]) > last[0]:
            return words + "; here the falling rates **fall too soon** and are still on their way."
        return words + f"; the best now is **{list(looks)[int(np.argmin(last))]}**."

    return Explorer(
        figure=figure,
        moving=[*lines, *laws, floor, *ends],
        controls={
            "start": log_slider("first rate η₀", 0.5, 0.01, 10**0.4, per_decade=10),
            "tau": whole("decay steps τ", 120, 10, SGD_STEPS, step=10),
            "sigma": slider("gradient noise σ", 1.0, 0.0, 2.0, 0.1, digits=1),
        },
        compute=compute,
        draw=draw,
        describe=describe,
        caption="Figure 5.7: descent on f = ½w² (L = 1) with noise of standard deviation σ in every gradient. A "
        "constant rate stops at a noise floor that grows with the rate; falling rates (right) sink below it, if they "
        "do not fall too soon. Linear decay ends at 1 % of η₀ after τ steps.",
    )


def _floor(rate, sigma):
    """Return the mean loss at which a constant rate stays on f = w^2 / 2."""
    return rate * sigma**2 / (4 - 2 * rate) if rate < 2 else np.inf


# --- Momentum ------------------------------------------------------------------------------------------------------

BALL_STEPS = 60


@explorer
def momentum_balance():
    """Balance rate and momentum of a heavy ball: crawling, critically damped, ringing, out of control."""
    figure, (table, bowl, path) = plots.tall_and_two(size=(9.6, 5.2), widths=(1.1, 1))
    etas, betas = np.geomspace(0.001, 10, 161), np.linspace(0, 1, 101)
    rho = np.abs(_roots(*np.meshgrid(etas, betas))).max(axis=0)
    table.set_facecolor(plots.PALE)
    levels = [0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 1]
    table.contourf(etas, betas, rho, levels, cmap="cividis_r")
    table.contour(etas, betas, rho, levels[1:-1], colors="white", linewidths=0.8)
    for factor in levels[2:-2]:
        table.text(1.4, factor**2 + 0.008, f"{factor:g}", color="white", ha="center", fontsize=11)
    halo = {"path_effects": [withStroke(linewidth=4.6, foreground=plots.INK)]}
    table.plot((1 - betas**0.5) ** 2, betas, ":", color=plots.YELLOW, lw=2.6, label="critical, √η = 1 − √β", **halo)
    table.plot(2 * (1 + betas), betas, "--", color=plots.INK, lw=1.8, label="limit 2(1 + β)/L")
    table.text(5.9, 0.06, "diverges", rotation=90, ha="center", va="bottom", fontsize=12)
    table.set(xscale="log", xlim=(0.001, 10), ylim=(0, 1), xlabel="learning rate η", ylabel="momentum β")
    table.set_title("Factor per step of every ball")
    plots.ticks(table.xaxis, [0.001, 0.01, 0.1, 1, 10])
    veil = table.add_patch(Rectangle((0.001, 0), 10, 1, fc=plots.PALE, alpha=0.88, zorder=4))
    shout = table.text(0.1, 0.5, "printed sign:\nthe ball climbs everywhere", ha="center", va="center", zorder=5)
    shout.set_fontsize(13)
    (mark,) = table.plot([1], [1], "D", ms=10, zorder=6, **NOW)

    w = np.linspace(-1.6, 1.6, 81)
    bowl.set(xlim=(-1.6, 1.6), ylim=(-0.08, 1.4), xlabel="w", ylabel="f", title="The ball in its bowl ½w²")
    bowl.plot(w, 0.5 * w**2, color=plots.GREY, lw=1.8)
    (trail,) = bowl.plot([], [], "o", ms=6, mfc="white", mec=plots.ORANGE, mew=1.4, zorder=3, label="earlier")
    (ball,) = bowl.plot([], [], "o", ms=14, mfc=plots.ORANGE, mec=plots.INK, mew=1.8, zorder=4, label="ball now")
    path.set(xlim=(0, BALL_STEPS), ylim=(-1.7, 1.7), xlabel="step k", ylabel="position w", title="Its path")
    path.axhline(0, color=plots.PALE, lw=1.4, zorder=0.5)
    (rest,) = path.plot([], [], color=AHEAD, lw=1.6, zorder=1)
    (curve,) = path.plot([], [], "-o", color=plots.ORANGE, ms=3.5, lw=1.6, zorder=2)
    (dot,) = path.plot([0], [0], "o", ms=10, mfc=plots.ORANGE, mec=plots.INK, mew=1.8, zorder=3, clip_on=False)
    figure.legend(**plots.BELOW)

    def compute(eta, beta, k, printed):
        sign = -1.0 if printed else 1.0  # w - v instead of w + v: the same as a gradient of the other sign
        w = minimize(lambda w: sign * w, [1.0], Momentum(eta, beta), BALL_STEPS).w[:, 0]
        return eta, beta, k, printed, np.clip(w, -1e12, 1e12), _roots(sign * eta, beta)

    def draw(result):
        eta, beta, k, printed, w, _ = result
        veil.set_visible(printed)
        shout.set_visible(printed)
        mark.set_data([eta], [beta])
        mark.set_marker("X" if printed else "D")
        trail.set_data(w[:k], 0.5 * w[:k] ** 2)
        ball.set_data([w[k]], [0.5 * w[k] ** 2])
        shown = _cut(w[:, None], 5)[:, 0]
        rest.set_data(np.arange(len(w)), shown)
        curve.set_data(np.arange(k + 1), shown[: k + 1])
        dot.set_data([k], [np.clip(w[k], -1.7, 1.7)])

    def describe(result):
        eta, beta, k, printed, w, roots = result
        words = f"η = {eta:.3g}, β = {beta:.2f}: the roots are {_complex(roots)}, so a step multiplies the swing by "
        words += f"**{_share(np.abs(roots).max())}**. After {count(k, 'step')} the ball is at w = "
        words += f"**{'−' * bool(w[k] < 0)}{_number(abs(w[k]))}**"
        words += " (off the picture). " if abs(w[k]) > 1.6 else ". "
        return words + regime(eta, beta, printed)

    def regime(eta, beta, printed):
        limit = 2 * (1 + beta)
        if printed:
            return "The velocity points downhill, and w − v goes against it: the ball **climbs**, whatever η and β are."
        if eta >= limit:
            return f"**Diverges**: η is not below the limit 2(1 + β)/L = {limit:.2f}."
        if abs(eta - (1 - beta**0.5) ** 2) < 0.03 * eta:
            return "**Critically damped**: the fastest way home without swinging."
        if eta < (1 - beta**0.5) ** 2:
            return "**Over-damped**: it creeps home from one side; more momentum would help."
        if eta < (1 + beta**0.5) ** 2:
            return "**Under-damped**: it swings through the bottom; the swing shrinks by √β, whatever η is."
        return "**Flips** from side to side at every step: η is too large, but below the limit."

    return Explorer(
        figure=figure,
        moving=[veil, shout, mark, trail, ball, rest, curve, dot],
        controls={
            "eta": log_slider("learning rate η", 0.1, 0.001, 10, per_decade=20),
            "beta": slider("momentum β", 0.9, 0.0, 0.99, 0.01),
            "k": whole("step k", 20, 0, BALL_STEPS),
            "printed": switch("sign as printed: w − v"),
        },
        compute=compute,
        draw=draw,
        describe=describe,
        caption="Figure 5.8: a heavy ball in the bowl f = ½w² (L = 1). Left, the factor by which a step shrinks the "
        "swing (brighter is faster) for every rate and momentum: left of the dotted curve the ball creeps, right of it "
        "it swings, beyond the dashed limit it leaves the bowl.",
        play="k",
        interval=150,
    )


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


class _Track:
    """A surface to race on: its window, its contours, and the rates of the two families."""

    def __init__(self, surface, window, gradient_rate, adaptive_rate):
        self.surface, self.window, self.rates = surface, window, (gradient_rate, adaptive_rate)
        self.corner, self.size = np.array(window)[:, 0], np.ptp(window, axis=1)
        x, y = (np.linspace(*span, 90) for span in window)
        height = surface.value(np.stack(np.meshgrid(x, y), axis=-1))
        lines = contour_generator(x, y, height, line_type=LineType.Separate).lines
        levels = np.quantile(height, np.linspace(0.02, 0.92, 13) ** 1.5)
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


RACERS = {
    "descent": (plots.INK, "-", "o"),
    "momentum": (plots.BLUE, "--", "s"),
    "Nesterov": (plots.SKY, "-", "^"),
    "AdaGrad": (plots.GREEN, "-.", "D"),
    "RMSProp": (plots.GREY, "-", "v"),
    "Adam": (plots.ORANGE, "-", "P"),
    "Newton": (plots.PURPLE, "--", "X"),
}


@explorer
def optimizer_race():
    """Race seven optimisers down a surface of your choice."""
    tracks = {
        "narrow bowl": _Track(Quadratic(30, angle=0.5), ((-12, 12), (-9, 9)), 0.03, 0.6),
        "Rosenbrock": _Track(Rosenbrock(), ((-2, 2), (-1, 3)), 0.001, 0.1),
        "saddle": _Track(Saddle(), ((-2, 2), (-1.7, 1.7)), 0.1, 0.05),
        "two wells": _Track(DoubleWell(), ((-2, 2), (-1.6, 1.6)), 0.02, 0.1),
        "Himmelblau": _Track(Himmelblau(), ((-5.5, 5.5), (-5.5, 5.5)), 0.005, 0.2),
    }
    figure, (plane, losses) = plots.canvas(2, size=(9.6, 5.0), widths=(1.15, 1))
    plane.set(xlim=(0, 1), ylim=(0, 1), title="Seven paths down", xticks=ENDS, yticks=ENDS)
    plane.set(xticklabels=["0"] * 3, yticklabels=["−5.5"] * 3)  # to keep the place of the labels that move
    plane.tick_params(labelcolor="none")
    plane.set_xlabel("x")
    plane.set_ylabel("y", labelpad=0)
    names = [plane.text(at, -0.035, "", ha="center", va="top", clip_on=False) for at in ENDS]
    names += [plane.text(-0.03, at, "", ha="right", va="center", clip_on=False) for at in ENDS]
    contours = plane.add_collection(LineCollection([], colors=AHEAD, lw=1, zorder=1))
    (minima,) = plane.plot([], [], zorder=2, label="minimum", **STAR)
    losses.set(
        xlim=(-4, RACE_STEPS + 5), yscale="log", ylim=(1e-8, 1e3), xlabel="step k", ylabel="loss above the least"
    )
    losses.set(ylabel="loss above the least", title="How far they are")
    _decades(losses.yaxis, range(-8, 4, 2))
    paths, curves = [], []
    for j, (name, (color, style, marker)) in enumerate(RACERS.items()):
        look = {"color": color, "ls": style, "marker": marker, "mec": plots.INK, "mew": 0.8}
        paths += plane.plot([], [], lw=1.8, ms=9, zorder=3 + j / 10, label=name, **look)
        curves += losses.plot([], [], lw=1.7, ms=8, zorder=3 + j / 10, **look)
    figure.legend(**{**plots.BELOW, "ncols": 4, "handlelength": 2.6})
    races = functools.cache(lambda name, scale: tracks[name].race(scale))

    def compute(surface, scale, k):
        scale = float(SCALES[np.argmin(np.abs(np.log(SCALES / scale)))])  # the slider's own positions
        return tracks[surface], scale, k, races(surface, scale)

    def draw(result):
        track, _, k, runs = result
        for name, value in zip(names, np.outer(track.size, ENDS).ravel() + np.repeat(track.corner, 3)):
            name.set_text(plain(value, ".3g"))
        contours.set_segments(track.contours)
        minima.set_data(track.place(track.surface.minima).T)
        for path, curve, (w, excess, _) in zip(paths, curves, runs):
            path.set_data(track.place(w[: k + 1]).T)
            path.set_markevery([k])
            curve.set_data(np.arange(k + 1), excess[: k + 1])
            curve.set_markevery([k])

    def describe(result):
        track, scale, k, runs = result
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

    return Explorer(
        figure=figure,
        moving=[*names, contours, minima, *paths, *curves],
        controls={
            "surface": choice("surface f", list(tracks)),
            "scale": log_slider("rates η times", 1.0, 0.1, 10, per_decade=5, digits=2),
            "k": whole("step k", 60, 0, RACE_STEPS),
        },
        compute=compute,
        draw=draw,
        describe=describe,
        caption="Figure 5.9: seven optimisers from the same start; the marker shows where each one is at step k. "
        "Right, their loss above the lowest minimum. The slider multiplies all rates but that of Newton, which makes "
        "full steps.",
        play="k",
        interval=100,
    )


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

"""Explorers of chapter 30: cells and their error, a fit that grows, noise of gradients, a corridor, tries."""

import math
from functools import lru_cache

import numpy as np
from matplotlib.collections import LineCollection, PolyCollection

from mlteach import plots
from mlteach.explore.base import Scene, buttons, explorer, log_slider, plain, slider, switch, whole
from mlteach.mdp import policy_evaluation, value_iteration
from mlteach.policy_search import (
    Hats,
    ShortCorridor,
    cells_mdp,
    climb_corridor,
    discretize,
    estimator_moments,
    exact_policy_gradient,
    interpolated_value_iteration,
    line_model,
    line_value,
    perturbation_search,
    policy_of,
    three_rounds,
    two_features,
)

# --- Cells and their error ------------------------------------------------------------------------------------------

FINE = np.linspace(-2, 2, 401)
COUNTS = (3, 5, 7, 9, 11, 15, 21, 31, 41, 61, 81, 121, 161)


@lru_cache(maxsize=512)
def _solved(kind, n):
    """Return the values on the fine points of the line, by ``n`` cells or by interpolation between ``n`` points."""
    if kind == "cells":
        V = value_iteration(cells_mdp(line_model, -2, 2, n, 0.9), 1e-4).V
        return V[discretize(FINE[:, None], -2, 2, n)]
    hats = Hats(-2, 2, n)
    return hats.value(interpolated_value_iteration(line_model, hats, 0.9, tol=1e-4).V, FINE[:, None])


@lru_cache(maxsize=4)
def _errors(kind):
    exact = line_value(FINE)
    return np.array([np.abs(_solved(kind, n) - exact).max() for n in COUNTS])


def many(count):
    """Return a large number in words that fit into a picture."""
    return f"{count:,}" if count < 10**7 else f"{count:.1e}".replace("e+0", "e").replace("e+", "e")


class GridResolution(Scene):
    """Cut a line into cells, solve, and see how far the values are from the exact ones."""

    caption = (
        "Figure 30.2: left, the exact value on the line (dashed) and the one computed with n points (solid); right, "
        "the largest error against n, both axes logarithmic. Look at the steps, and at how unevenly the error falls."
    )

    def __init__(self):
        self.figure, (left, right) = plots.canvas(2, widths=(1.15, 1))
        left.plot(FINE, line_value(FINE), "--", color=plots.GREY, label="exact")
        (self.curve,) = left.plot([], [], color=plots.BLUE, label="computed")
        left.set(xlim=(-2, 2), ylim=(-42, 2), xlabel="place s", ylabel="value", title="Value")
        left.legend(loc="lower center")
        (self.other,) = right.plot([], [], ":", color=plots.ORANGE, label="interpolated")
        (self.line,) = right.plot([], [], color=plots.BLUE, label="cells")
        (self.now,) = right.plot([], [], "o", ms=10, mfc="white", mec=plots.INK, mew=2.2)
        right.set(xscale="log", yscale="log", xlim=(2.8, 180), ylim=(5e-4, 90))
        right.set(xlabel="points n", ylabel="largest error", title="Error")
        plots.ticks(right.xaxis, (3, 5, 11, 21, 41, 81, 161))
        plots.ticks(right.yaxis, (0.001, 0.01, 0.1, 1, 10))
        right.legend(loc="lower left")
        self.rows = right.text(0.97, 0.95, "", transform=right.transAxes, ha="right", va="top", fontsize=12)
        self.moving = [self.curve, self.other, self.line, self.now, self.rows]
        self.controls = {
            "n": whole("points n", 21, 3, 161, step=2),
            "kind": buttons("between them", {"cells": "cells", "interpolate": "hats"}, "cells"),
            "d": whole("sensors D", 2, 1, 8),
        }

    def compute(self, n, kind, d):
        """Return the computed values, the errors and the number of cells with d sensors."""
        values = _solved(kind, n)
        return values, float(np.abs(values - line_value(FINE)).max()), n, d

    def draw(self, result):
        """Move the curves."""
        values, error, n, d = result
        self.rows.set_text(f"{d} sensor{'s' * (d > 1)}: {many(n**d)} cells")
        self.curve.set_data(FINE, values)
        self.line.set_data(COUNTS, _errors("cells"))
        self.other.set_data(COUNTS, _errors("hats"))
        self.now.set_data([n], [error])

    def describe(self, result):
        """Say how large the error is, and how many cells there would be."""
        _, error, n, d = result
        return (
            f"**{n}** points, largest error **{error:.3g}** (values reach down to −9.7). With **{d}** such "
            f"sensor{'s' * (d > 1)} there would be {n}{'¹²³⁴⁵⁶⁷⁸'[d - 1]} = **{n**d:,}** cells."
        )


grid_resolution = explorer(GridResolution)

# --- A fit that grows -----------------------------------------------------------------------------------------------

ROUNDS = 30


class DivergingFit(Scene):
    """Repeat targets and least squares in a world of two states, and watch the weight shrink or grow."""

    caption = (
        "Figure 30.4: left, the line of values V = w x over the features 1 and 2, its two targets (squares) and the "
        "next fit (dashed); right, the weight round by round, on a logarithmic axis. Is the fit steeper?"
    )
    play, interval = "rounds", 200

    def __init__(self):
        self.figure, (left, right) = plots.canvas(2)
        (self.now,) = left.plot([], [], color=plots.BLUE, label="values now")
        (self.next,) = left.plot([], [], "--", color=plots.ORANGE, label="next fit")
        (self.targets,) = left.plot([], [], "s", ms=9, color=plots.GREEN, label="targets")
        left.set(
            xlim=(0, 2.3), ylim=(0, 2.4), xlabel="feature x", ylabel="value / w", title="One round", xticks=(0, 1, 2)
        )
        left.legend(loc="upper left")
        right.axhline(1, color=plots.GREY, lw=1)
        (self.line,) = right.plot([], [], "o-", ms=4, color=plots.BLUE)
        (self.mark,) = right.plot([], [], "o", ms=10, mfc="white", mec=plots.BLUE, mew=2.2)
        right.set(
            yscale="log", xlim=(0, ROUNDS), ylim=(1e-4, 1e4), xlabel="round", ylabel="weight w", title="All rounds"
        )
        plots.ticks(right.yaxis, (1e-4, 0.01, 1, 100, 1e4))
        self.moving = [self.now, self.next, self.targets, self.line, self.mark]
        self.controls = {
            "gamma": slider("discount γ", 0.75, 0.5, 1.0, 0.01),
            "share": slider("weight of state 1", 0.5, 0.0, 1.0, 0.05),
            "rounds": whole("round", 10, 0, ROUNDS),
        }

    def compute(self, gamma, share, rounds):
        """Return the factor of a round, the discount and the place in time."""
        return two_features(min(gamma, 1.0), min(max(share, 0.0), 1.0)), gamma, rounds

    def draw(self, result):
        """Move line, targets, fit and weights."""
        factor, gamma, k = result
        x = np.array([0, 2.3])
        self.now.set_data(x, x)
        self.next.set_data(x, factor * x)
        self.targets.set_data([1, 2], [2 * gamma, 2 * gamma])
        w = factor ** np.arange(ROUNDS + 1.0)
        self.line.set_data(range(ROUNDS + 1), w)
        self.mark.set_data([k], [w[k]])

    def describe(self, result):
        """Say by which factor the weight changes."""
        factor, gamma, k = result
        words = "grows for ever" if factor > 1 + 1e-12 else "stays" if factor > 1 - 1e-12 else "shrinks to 0"
        return (
            f"Both targets are 2γw = **{2 * gamma:.2f}** w. Each round multiplies w by **{factor:.3f}**: it "
            f"**{words}**; it would stay at γ = **{gamma / factor:.3f}**. After **{k}** rounds "
            f"w = **{factor**k:.3g}**; the true value is 0."
        )


diverging_fit = explorer(DivergingFit)

# --- Noise of the gradient ------------------------------------------------------------------------------------------

NAMES = ("total return", "total − J", "to go", "to go − V")
THIRD = [7, 9]  # action 1 in states 3 and 4, where the third round is played: rewards of two rounds lie before it


def _four(mdp, theta, shift):
    """Return the moments of four estimators; the baselines know the world that pays ``shift`` more."""
    pi = policy_of(mdp, theta)
    V = policy_evaluation(mdp, pi)
    left = np.array([3, 2, 2, 1, 1, 0])  # rounds that are left
    V = V + shift * np.array([sum(mdp.gamma**k for k in range(n)) for n in left])
    kinds = ({"weight": "total"}, {"weight": "total", "baseline": float(V[0])}, {}, {"baseline": V})
    return [estimator_moments(mdp, theta, 0, shift=shift, **kind) for kind in kinds]


@lru_cache(maxsize=256)
def _noise(gamma, preference, shift):
    mdp, theta = three_rounds(gamma), np.tile([0.0, preference], (6, 1))
    return _four(mdp, theta, shift), float(exact_policy_gradient(mdp, theta, 0).ravel()[THIRD].sum())


class GradientNoise(Scene):
    """Four estimators of one gradient: the same mean, very different noise."""

    caption = (
        "Figure 30.5: left, what each estimator says of the preference for action 1 in the third round, in each of the "
        "32 possible episodes (area: probability), and the exact slope (line); right, the variance, all states "
        "together. Compare means and spreads: 'to go' drops the rewards of the first two rounds."
    )

    def __init__(self):
        self.figure, (left, right) = plots.canvas(2, widths=(1.5, 1))
        self.exact = left.axvline(0, color=plots.INK, lw=1.8)
        self.clouds = [
            left.scatter([], [], s=[], color=c, alpha=0.55, lw=0.6, ec="white") for c in plots.CLASS_COLORS[:4]
        ]
        (self.means,) = left.plot([], [], "|", ms=26, mew=3, color=plots.INK)
        left.set(xlim=(-32, 32), ylim=(3.6, -0.6), xlabel="estimate of the slope", title="Every possible episode")
        left.set_yticks(range(4), NAMES)
        corners = [[(1e-2, k - 0.3), (1e-2, k - 0.3)] for k in range(4)]
        self.bars = right.add_collection(PolyCollection(corners, fc=plots.CLASS_COLORS[:4]))
        right.set(xscale="log", xlim=(0.5, 3000), ylim=(3.6, -0.6), xlabel="variance", title="Noise", yticks=[])
        plots.ticks(right.xaxis, (1, 10, 100, 1000))
        self.moving = [self.exact, *self.clouds, self.means, self.bars]
        self.controls = {
            "shift": slider("added to every reward", 0.0, -10.0, 10.0, 0.5),
            "preference": slider("preference for action 1", 0.0, -2.0, 2.0, 0.1),
            "gamma": slider("discount γ", 0.9, 0.0, 1.0, 0.05),
        }

    def compute(self, shift, preference, gamma):
        """Return the moments of the four estimators and the exact slope."""
        moments, slope = _noise(round(min(gamma, 1.0), 4), round(preference, 4), round(shift, 4))
        return moments, slope, shift

    def draw(self, result):
        """Move dots, means and bars."""
        moments, slope, _ = result
        self.exact.set_xdata([slope, slope])
        lift = np.linspace(-0.28, 0.28, 32)
        for k, (cloud, m) in enumerate(zip(self.clouds, moments)):
            cloud.set_offsets(np.column_stack([np.clip(m.values[:, THIRD].sum(axis=1), -31.5, 31.5), k + lift]))
            cloud.set_sizes(1600 * m.probabilities)
        self.means.set_data([m.mean[THIRD].sum() for m in moments], range(4))
        ends = [max(m.variance, 0.5) for m in moments]
        self.bars.set_verts([[(0.5, k - 0.3), (x, k - 0.3), (x, k + 0.3), (0.5, k + 0.3)] for k, x in enumerate(ends)])

    def describe(self, result):
        """Say mean and variance."""
        moments, slope, _ = result
        each = ", ".join(f"{name} **{m.variance:.3g}**" for name, m in zip(NAMES, moments))
        slope, mean = (plain(value, ".3f") for value in (slope, moments[0].mean[THIRD].sum()))
        return f"Exact slope, third round, **{slope}**; all four means are **{mean}**. Variances: {each}."


gradient_noise = explorer(GradientNoise)

# --- The corridor ---------------------------------------------------------------------------------------------------

EPISODES = 400
PLACES = np.linspace(0.02, 0.98, 200)


@lru_cache(maxsize=256)
def _climb(alpha, p, baseline, seed):
    """Return the probability of right after each episode of one run."""
    start = math.log(p / (1 - p)) / 2
    return climb_corridor(alpha, (-start, start), EPISODES, seed, learn=baseline)


class CorridorClimb(Scene):
    """REINFORCE walks up the exact curve of the corridor."""

    caption = (
        "Figure 30.6: left, the exact value of the corridor against the probability of right, and where REINFORCE "
        "stands after each tenth episode (dots, darker later; episodes are cut after 100 steps); right, its value, "
        "with the best one (dashed). Look at where the dots end."
    )
    play, interval = "episodes", 60

    def __init__(self):
        self.figure, (left, right) = plots.canvas(2)
        best = ShortCorridor.best
        left.plot(PLACES, ShortCorridor.value(PLACES), color=plots.GREY, label="exact")
        left.plot([best], [ShortCorridor.value(best)], "*", ms=15, color=plots.ORANGE, label="best, 2 − √2")
        self.dots = left.scatter(
            [0], [1], s=36, c=[0.0], cmap="Blues", vmin=-0.4, vmax=1, ec=plots.INK, lw=0.5, zorder=5
        )
        (self.now,) = left.plot([], [], "o", ms=11, mfc="white", mec=plots.BLUE, mew=2.4, zorder=6)
        left.set(xlim=(0, 1), ylim=(-80, 0), xlabel="probability of right", ylabel="value", title="Where it stands")
        left.legend(loc="lower center")
        right.axhline(ShortCorridor.value(best), ls="--", color=plots.ORANGE, lw=1.8)
        self.path = right.add_collection(LineCollection([], colors=plots.BLUE, lw=2))
        right.set(
            xlim=(0, EPISODES), ylim=(-80, 0), xlabel="episode", ylabel="exact value of its policy", title="Climb"
        )
        self.moving = [self.dots, self.now, self.path]
        self.controls = {
            "alpha": log_slider("step size α", 0.002, 0.0001, 0.1, per_decade=4, digits=4),
            "baseline": switch("learnt baseline", True),
            "p": slider("first probability", 0.05, 0.05, 0.95, 0.05),
            "seed": whole("run no.", 1, 1, 9),
            "episodes": whole("episodes", 250, 0, EPISODES),
        }

    def compute(self, alpha, baseline, p, seed, episodes):
        """Return the probability of right after each episode, its exact value, and the place in time."""
        right = _climb(float(f"{alpha:.4g}"), round(p, 4), bool(baseline), seed)
        held = np.clip(right, 1e-6, 1 - 1e-6)
        return right, ShortCorridor.value(held), episodes

    def draw(self, result):
        """Move the dots and the curve."""
        right, values, k = result
        shown, low = slice(0, k + 1, 10), np.maximum(values, -79)
        self.dots.set_offsets(np.column_stack([right[shown], low[shown]]))
        self.dots.set_array(np.arange(0, k + 1, 10) / max(k, 1))
        self.now.set_data([right[k]], [low[k]])
        self.path.set_segments([np.column_stack([np.arange(k + 1), low[: k + 1]])])

    def describe(self, result):
        """Say where it stands."""
        right, values, k = result
        value = plain(values[k]) if values[k] > -1000 else "below −1000"
        return (
            f"After **{k}** episodes right has probability **{right[k]:.2f}** (best 0.59), worth **{value}** (best "
            f"−11.66). Always left and always right never arrive."
        )


corridor_climb = explorer(CorridorClimb)

# --- Tries that add up ----------------------------------------------------------------------------------------------

MOST = 60
A1, A2 = np.meshgrid(np.linspace(-2, 3, 90), np.linspace(-4, 1.5, 90))


def _hill(a, b, stretch):
    return -((a - 1) ** 2) - stretch * (b + 2) ** 2


class Perturbations(Scene):
    """Climb a hill by trying small changes, with or without noise in the results."""

    caption = (
        "Figure 30.7: left, contours of the hill, the way of the search, and the tries of the present round (small "
        "dots); right, the height round by round, the top at 0. Look at how the way ends near the star."
    )
    play, interval = "rounds", 150

    def __init__(self):
        self.figure, (left, right) = plots.canvas(2)
        levels = -np.array([30, 20, 12, 7, 3.5, 1.2, 0.2])
        self.contours = {
            s: left.contour(A1, A2, _hill(A1, A2, s), levels, colors=plots.GREY, linewidths=1) for s in (1, 4)
        }
        left.plot([1], [-2], "*", ms=15, color=plots.ORANGE)
        self.tries = left.scatter([], [], s=12, color=plots.GREEN, zorder=4)
        (self.way,) = left.plot([], [], "o-", ms=4, color=plots.BLUE, zorder=5)
        left.set(xlim=(-1, 2.2), ylim=(-3.2, 0.6), xlabel="knob a", ylabel="knob b", title="The way")
        right.axhline(0, ls="--", color=plots.ORANGE, lw=1.8)
        (self.height,) = right.plot([], [], color=plots.BLUE)
        right.set(xlim=(0, MOST), ylim=(-18, 1), xlabel="round", ylabel="height", title="Height")
        self.moving = [*self.contours.values(), self.tries, self.way, self.height]
        self.controls = {
            "epsilon": log_slider("try ε", 0.1, 0.01, 1.0, per_decade=4, digits=3),
            "eta": log_slider("step η", 0.2, 0.01, 1.0, per_decade=4, digits=3),
            "n": whole("tries a round", 30, 2, 60),
            "noise": slider("noise of a result", 0.0, 0.0, 2.0, 0.1),
            "how": buttons("step", {"combined": "combined", "best of": "best"}, "combined"),
            "stretch": buttons("hill", {"round": 1, "steep in b": 4}, 1),
            "rounds": whole("rounds", 20, 0, MOST),
        }

    def compute(self, epsilon, eta, n, noise, how, stretch, rounds):
        """Return the rounds of the search."""
        draw = np.random.default_rng(7).standard_normal

        def measured(t):
            return _hill(t[0], t[1], stretch) + (noise * draw() if noise else 0.0)

        found = perturbation_search(measured, [0.0, 0.0], epsilon=epsilon, eta=eta, n=n, rounds=rounds, rng=0, how=how)
        way = np.array([r.theta for r in found.history])
        return way, found.history[-1].tried, _hill(way[:, 0], way[:, 1], stretch), stretch, n

    def draw(self, result):
        """Move way, tries and height."""
        way, tried, heights, stretch, _ = result
        for s, lines in self.contours.items():
            lines.set_visible(s == stretch)
        self.way.set_data(*way.T)
        self.tries.set_offsets(tried if len(tried) else np.empty((0, 2)))
        self.height.set_data(range(len(heights)), np.maximum(heights, -17.8))

    def describe(self, result):
        """Say where it stands and what it cost."""
        way, _, heights, _, n = result
        a, b = way[-1]
        x, y, height = (plain(value, ".2f") for value in (a, b, heights[-1]))
        return (
            f"After **{len(way) - 1}** rounds and **{n * (len(way) - 1)}** tries it stands at ({x}, {y}), "
            f"height **{height}**, **{math.hypot(a - 1, b + 2):.2f}** from the top (1, −2)."
        )


perturbations = explorer(Perturbations)

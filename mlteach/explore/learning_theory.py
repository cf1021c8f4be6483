"""Explorers of chapter 25: a tilted lunch, promises for finitely many rules, the game of shattering, rays, one sine."""

from functools import cache

import numpy as np
from contourpy import contour_generator
from matplotlib.collections import PolyCollection
from matplotlib.patches import PathPatch
from matplotlib.path import Path

from mlteach import plots
from mlteach.explore.base import Scene, buttons, choice, explorer, log_slider, plain, slider, whole
from mlteach.learning_theory import (
    VC_DIMENSION,
    agnostic_gap,
    agnostic_sample_size,
    contrary,
    dkw_gap,
    growth_function,
    majority,
    nearest,
    no_free_lunch,
    pac_error,
    pac_sample_size,
    ray_gap,
    ray_gaps,
    refusal,
    sine_frequency,
    sine_points,
    trial,
    vc_gap,
    witness,
)

# --- A tilted lunch ------------------------------------------------------------------------------------------------

POINTS = 9
SHOWN = {"every other point": (0, 2, 4, 6, 8), "the left half": (0, 1, 2, 3, 4)}
LEARNERS = {"nearest": nearest, "majority": majority, "contrary": contrary}


@cache
def _lunch(train):
    """Return each learner's accuracy on functions with 0, ..., 8 changes, and how many such functions there are."""
    count = np.array([2 * np.prod([(8 - i) / (i + 1) for i in range(c)]) for c in range(POINTS)])
    table = {
        name: np.array([no_free_lunch(f, POINTS, 5, train=train, weight=_changes(c)) for c in range(POINTS)])
        for name, f in LEARNERS.items()
    }
    return table, count


def _changes(c):
    return lambda labels: float(np.count_nonzero(np.diff(labels)) == c)


class TiltedLunch(Scene):
    """Tilt the average over all functions, and see which learner gains."""

    caption = (
        "Figure 25.2: left, twelve functions drawn from the tilted law, one a row; points marked below are shown "
        "to the learner. Right, accuracy on the unseen points, exactly, over all 512 functions. Look where the three "
        "curves meet."
    )
    lines = 2

    def __init__(self):
        self.draws = np.random.default_rng(25).random((12, POINTS))
        for train in SHOWN.values():
            _lunch(train)  # now, not when a button is pressed
        self.figure, (left, right) = plots.canvas(2, size=(9.6, 4.1), widths=(1, 1.25))
        two = plots.mpl.colors.ListedColormap([plots.ORANGE_TINT, plots.BLUE])
        self.rows = left.imshow(
            np.zeros((12, POINTS)), cmap=two, vmin=0, vmax=1, aspect="auto", interpolation="nearest"
        )
        left.set(title="Functions: 0 pale, 1 dark", xlabel="point (▲ shown)", ylim=(12.6, -0.6))
        left.set_xticks(range(POINTS), [str(i + 1) for i in range(POINTS)])
        left.set_yticks([])
        (self.marks,) = left.plot([], [], "^", ms=10, color=plots.INK, zorder=4)
        self.tilts = np.linspace(-3, 3, 61)
        right.axhline(0.5, color=plots.GREY, ls=":", lw=1.6)
        self.curves, self.dots = {}, {}
        for name, color, style in zip(LEARNERS, plots.CLASS_COLORS, ("-", "--", "-.")):
            (self.curves[name],) = right.plot([], [], style, color=color, label=name, zorder=2)
            (self.dots[name],) = right.plot([0], [0.5], "o", ms=9, color=color, zorder=3)
        right.set(xlim=(-3.1, 3.1), ylim=(0, 1.02), xlabel="tilt β", title="Accuracy on unseen points")
        self.figure.legend(handles=plots.entries(right), **plots.BELOW)
        self.moving = [self.rows, self.marks, *self.curves.values(), *self.dots.values()]
        self.controls = {
            "tilt": slider("tilt β", 1.5, -3, 3, 0.1, digits=1),
            "shown": buttons("shown", {name: name for name in SHOWN}),
        }

    def compute(self, tilt, shown):
        """Return twelve drawn functions and the three accuracies along all tilts."""
        stay = 1 / (1 + np.exp(-tilt))
        steps = (self.draws[:, 1:] > stay).astype(int)
        first = (self.draws[:, :1] < 0.5).astype(int)
        rows = np.column_stack([first, (first + steps.cumsum(axis=1)) % 2])
        table, count = _lunch(SHOWN[shown])
        weights = count * np.exp(-np.append(self.tilts, tilt)[:, None] * np.arange(POINTS))
        weights /= weights.sum(axis=1, keepdims=True)
        return {"tilt": tilt, "rows": rows, "train": SHOWN[shown], "curves": {n: weights @ a for n, a in table.items()}}

    def draw(self, result):
        """Draw functions, curves and dots."""
        self.rows.set_data(result["rows"])
        self.marks.set_data(result["train"], np.full(len(result["train"]), 12.05))
        for name, values in result["curves"].items():
            self.curves[name].set_data(self.tilts, values[:-1])
            self.dots[name].set_data([result["tilt"]], values[-1:])

    def describe(self, result):
        """Say the three accuracies."""
        now = {name: values[-1] for name, values in result["curves"].items()}
        best = max(now, key=now.get)
        words = ", ".join(f"{name} **{value:.3f}**" for name, value in now.items())
        if max(now.values()) - min(now.values()) < 5e-4:
            return f"Tilt 0, all functions alike: {words}. **No learner beats a coin.**"
        kind = "smooth" if result["tilt"] > 0 else "restless"
        return f"Tilt β = {plain(result['tilt'])}, {kind} functions weigh more: {words}. Best here: **{best}**."


tilted_lunch = explorer(TiltedLunch)

# --- Promises for finitely many rules ------------------------------------------------------------------------------

SIZES = {
    "1 rule": 1,
    "1,000 rules": 1000,
    "conjunctions of 10 bits, 3¹⁰": 3**10,
    "conjunctions of 100 bits, 3¹⁰⁰": 3**100,
    "all functions of 5 bits, 2³²": 2**32,
    "all functions of 10 bits, 2¹⁰²⁴": 2**1024,
}


class FinitePromise(Scene):
    """Choose family, error, risk and sample size: what is promised?"""

    caption = (
        "Figure 25.5: left, the bound on the probability of failure over the sample size, for a consistent "
        "learner (solid) and an agnostic one (dashed); above 1 it promises nothing. Right, the error that N examples "
        "buy. Look how far the curves move when |H| grows."
    )
    lines = 3
    together = ("family", "epsilon")

    def __init__(self):
        self.figure, (left, right) = plots.canvas(2, size=(9.6, 4.1))
        self.N = np.logspace(1, 6, 300)
        left.axhspan(0, 2.2, color=plots.FAINT, zorder=0)
        left.text(5.75, 1.0, "promises nothing", ha="right", color=plots.SLATE, fontsize=12, zorder=1)
        (self.fast,) = left.plot([], [], color=plots.BLUE, zorder=2, label="consistent learner")
        (self.slow,) = left.plot([], [], "--", color=plots.ORANGE, zorder=2, label="agnostic learner")
        (self.risk,) = left.plot([], [], ":", color=plots.INK, lw=1.8, zorder=2, label="risk δ")
        (self.sizes,) = left.plot([], [], "D", ms=8, color=plots.INK, zorder=3, label="sample size needed")
        left.set(xlim=(1, 6), ylim=(-6, 2.2), xlabel="sample size N", title="Bound on the risk of failure")
        left.set_xticks(range(1, 7), ["10", "100", "1,000", "10⁴", "10⁵", "10⁶"])
        left.set_yticks(range(-6, 3, 2), ["10⁻⁶", "10⁻⁴", "0.01", "1", "100"])
        (self.error,) = right.plot([], [], color=plots.BLUE, zorder=2)
        (self.gap,) = right.plot([], [], "--", color=plots.ORANGE, zorder=2)
        (self.here,) = right.plot([], [], "o", ms=9, color=plots.INK, zorder=3, label="your N")
        right.set(xlim=(1, 6), ylim=(0, 1.02), xlabel="sample size N", title="Error promised, at risk δ")
        right.set_xticks(range(1, 7), ["10", "100", "1,000", "10⁴", "10⁵", "10⁶"])
        self.figure.legend(handles=plots.entries(left, right), **(plots.BELOW | {"ncols": 5}))
        self.moving = [self.fast, self.slow, self.risk, self.sizes, self.error, self.gap, self.here]
        self.controls = {
            "family": choice("family H", {name: name for name in SIZES}, "conjunctions of 10 bits, 3¹⁰"),
            "epsilon": slider("error ε", 0.1, 0.01, 0.5, 0.01),
            "delta": log_slider("risk δ", 0.05, 0.0005, 0.5, per_decade=5),
            "n": log_slider("sample size N", 100, 10, 1e6, per_decade=10),
        }

    def compute(self, family, epsilon, delta, n):
        """Return both bounds and sample sizes."""
        h, epsilon, delta, n = SIZES[family], float(epsilon), min(float(delta), 1.0), round(n)
        return {
            "h": h,
            "epsilon": epsilon,
            "delta": delta,
            "n": n,
            "sizes": (pac_sample_size(h, epsilon, delta), agnostic_sample_size(h, epsilon, delta)),
            "errors": (pac_error(h, n, delta), agnostic_gap(h, n, delta)),
            "capacity": pac_error(h, 1, delta),
        }

    def draw(self, result):
        """Draw both bounds, the sizes and the errors."""
        x, log_h, epsilon = np.log10(self.N), pac_error(result["h"], 1, 1.0), result["epsilon"]
        for curve, rate in ((self.fast, epsilon), (self.slow, 2 * epsilon**2)):
            curve.set_data(x, np.clip((log_h - rate * self.N) / np.log(10), -9, 9))
        self.risk.set_data([1, 6], np.full(2, np.log10(result["delta"])))
        self.sizes.set_data(np.log10(np.maximum(result["sizes"], 1)), np.full(2, np.log10(result["delta"])))
        self.error.set_data(x, np.minimum(result["capacity"] / self.N, 2))
        self.gap.set_data(x, np.minimum(np.sqrt(result["capacity"] / (2 * self.N)), 2))
        self.here.set_data(np.full(2, np.log10(result["n"])), np.minimum(result["errors"], 2))

    def describe(self, result):
        """Say sample sizes and errors."""
        (fast, slow), (error, gap) = result["sizes"], result["errors"]
        held = [f"{v:.3f}" if v < 1 else "1, which promises nothing" for v in (error, gap)]
        return (
            f"For ε = {result['epsilon']:.3g} and δ = {result['delta']:.3g} a consistent learner needs **{fast:,}** "
            f"examples, an agnostic one **{slow:,}**. With N = {result['n']:,} the promise is: consistent, error at "
            f"most **{held[0]}**; agnostic, training error plus **{held[1]}**."
        )


finite_promise = explorer(FinitePromise)

# --- The game of shattering ----------------------------------------------------------------------------------------

PLACES = {
    "four in a ring": [(-1.4, 0.1), (0.2, 1.2), (1.5, -0.1), (0.1, -1.1)],
    "three in a triangle": [(-1.2, -0.8), (1.3, -0.6), (0.2, 1.1)],
    "three on a line": [(-1.4, -0.7), (0.2, 0.1), (1.4, 0.7)],
    "one inside three": [(-1.3, -0.9), (1.4, -0.7), (0.1, 1.2), (0.1, -0.1)],
    "one point twice": [(-1.0, -0.4), (1.1, 0.5), (1.1, 0.5)],
    "five on a circle": [(1.2 * np.cos(a), 1.2 * np.sin(a)) for a in (0.3, 1.4, 2.9, 3.9, 5.2)],
    "four and a fifth": [(-1.4, 0.1), (0.2, 1.2), (1.5, -0.1), (0.1, -1.1), (0.4, 0.3)],
}
GAMES = {
    "lines": "lines",
    "circles, positive inside": "circles",
    "circles, inside or outside": "circles or outside",
    "rectangles": "rectangles",
    "convex sets": "convex",
    "intervals (of x alone)": "intervals",
}
LETTERS = "ABCDE"
TILE = ((-0.46, -0.46), (0.46, -0.46), (0.46, 0.46), (-0.46, 0.46))
EMPTY = Path([(0, 0)])
WHY = {
    "same place": "{both} lie in one place and cannot be told apart.",
    "between": "{one} lies between {others}.",
    "inside": "{one} lies inside the triangle {others}.",
    "crossing": "the segments {plus} and {minus} cross, so one point would have to be on both sides.",
    "chords": "{plus} and {minus} cross in a point q, with |q{p0}|·|q{p1}| ≥ |q{m0}|·|q{m1}|: a circle around {plus} "
    "needs the opposite.",
    "one circle": "{plus} and {minus} alternate on one circle, and another circle meets it at most twice.",
    "pierced": "on the paraboloid z = x² + y² segment and triangle of {plus} and {minus} meet.",
    "box": "{one} lies in the box of {others}.",
}


def _why(reason):
    """Put a refusal into words."""
    plus, minus = ("".join(LETTERS[i] for i in side) for side in (reason.positive, reason.negative))
    one, others = (plus, minus) if len(plus) == 1 else (minus, plus)
    both, last = f"{plus} and {minus}", f"{others[0]} and {others[-1]}" if len(others) == 2 else others
    ends = {"p0": plus[0], "p1": plus[-1], "m0": minus[0], "m1": minus[-1]}
    words = WHY[reason.kind].format(plus=plus, minus=minus, one=one, others=last, both=both, **ends)
    return words[:1].lower() + words[1:] if reason.kind in ("crossing", "pierced") else words


class ShatteringGame(Scene):
    """Place points; the family tries every labelling, and each failure is shown with its reason."""

    caption = (
        "Figure 25.6: left, the labelling being tried (filled: positive), with a shape of the family that makes "
        "it, or the points that forbid it, joined by lines. Right, all labellings: tinted if possible, crossed out if "
        "not. Look for the first cross."
    )
    lines = 3
    play, interval = "turn", 500
    together = ("turn", "points", "family")

    def __init__(self):
        self.figure, (plane, board) = plots.canvas(2, size=(9.6, 4.3), widths=(1.25, 1))
        self.xs, self.ys = np.linspace(-3, 3, 61), np.linspace(-2.3, 2.3, 47)
        self.grid = np.column_stack([g.ravel() for g in np.meshgrid(self.xs, self.ys)])
        self.region = plane.add_patch(PathPatch(EMPTY, fc=plots.BLUE_TINT, ec=plots.BLUE, lw=1.2, zorder=1))
        (self.joined_plus,) = plane.plot([], [], "-", color=plots.BLUE, lw=2.6, zorder=2)
        (self.joined_minus,) = plane.plot([], [], "--", color=plots.ORANGE, lw=2.6, zorder=2)
        (self.plus,) = plane.plot([], [], "o", ms=13, color=plots.BLUE, mec=plots.INK, zorder=3)
        (self.minus,) = plane.plot([], [], "s", ms=11, mfc="white", mec=plots.ORANGE, mew=2.4, zorder=3)
        (self.chosen,) = plane.plot([], [], "o", ms=22, mfc="none", mec=plots.GREY, mew=1.4, zorder=2.5)
        self.names = [plane.text(0, 0, c, fontsize=14, weight="bold", zorder=4) for c in LETTERS]
        plane.set(xlim=(-3, 3), ylim=(-2.3, 2.3), aspect="equal", xlabel="x₁", ylabel="x₂", title="The labelling tried")

        board.set(xlim=(-0.5, 7.5), ylim=(3.5, -0.5), xticks=[], yticks=[], title="All labellings")
        tiles = [[(x + a, y + b) for a, b in TILE] for y in range(4) for x in range(8)]
        self.tiles = board.add_collection(PolyCollection(tiles, zorder=1))
        states = ("white", plots.FAINT, plots.GREEN_TINT, plots.ORANGE_TINT)  # none, not yet, possible, impossible
        self.tints = np.array([plots.mpl.colors.to_rgb(c) for c in states])
        (self.small_plus,) = board.plot([], [], "o", ms=5.5, color=plots.BLUE, zorder=2)
        (self.small_minus,) = board.plot([], [], "s", ms=4.5, mfc="white", mec=plots.ORANGE, mew=1.3, zorder=2)
        (self.crosses,) = board.plot([], [], "x", ms=26, mew=2.6, color=plots.INK, alpha=0.75, zorder=3)
        (self.frame,) = board.plot([], [], color=plots.INK, lw=2.4, zorder=4)
        self.moving = [self.region, self.joined_plus, self.joined_minus, self.plus, self.minus, self.chosen]
        self.moving += [*self.names, self.tiles, self.small_plus, self.small_minus, self.crosses, self.frame]
        self.controls = {
            "turn": whole("labelling", 3, 0, 32),
            "family": choice("family", GAMES),
            "points": choice("points", {name: name for name in PLACES}),
            "moved": choice("point to move", {c: i for i, c in enumerate(LETTERS)}, 1),
            "right": slider("move right by", 0.0, -1.5, 1.5, 0.1, digits=1),
            "up": slider("move up by", 0.0, -1.0, 1.0, 0.1, digits=1),
        }

    def compute(self, turn, family, points, moved, right, up):
        """Let the family try all labellings up to this turn; after the last one show the first that failed."""
        X = np.array(PLACES[points], dtype=float)
        if moved < len(X):
            X[moved] += (right, up)
        if family == "intervals":
            X[:, 1] = 0
        given = X[:, 0] if family == "intervals" else X
        tried = trial(given, family)
        total, done = len(tried.possible), turn >= len(tried.possible)
        failed = np.flatnonzero(~tried.possible)
        k = turn if not done else int(failed[0]) if len(failed) else total - 1
        y = tried.labels[k]
        shape = witness(given, y, family)
        region = shape.score(self.grid[:, :1] if family == "intervals" else self.grid) if shape else None
        return {"X": X, "y": y, "k": k, "turn": min(turn, total - 1), "done": done, "tried": tried, "family": family,
                "region": region, "reason": refusal(given, y, family), "moved": X[moved : moved + 1]}  # fmt: skip

    def draw(self, result):
        """Draw the plane with shape or reason, and the board of labellings."""
        X, y, reason, tried = result["X"], result["y"], result["reason"], result["tried"]
        self.region.set_path(self._outline(result["region"]))
        self.plus.set_data(*X[y == 1].T)
        self.minus.set_data(*X[y == 0].T)
        self.chosen.set_data(*result["moved"].T)
        for i, name in enumerate(self.names):
            name.set_visible(i < len(X))
            twin = any(np.allclose(X[i], x) for x in X[:i]) if i < len(X) else False
            name.set_position(X[i] + (0.14, -0.42 if twin else 0.14) if i < len(X) else (0, 0))
        self._join(X, reason)

        m = len(tried.possible)
        state = np.zeros(32, dtype=int)
        state[:m] = 1
        state[: result["turn"] + 1] = np.where(tried.possible, 2, 3)[: result["turn"] + 1]
        self.tiles.set_facecolors(self.tints[state])
        places = np.array([(k % 8, k // 8) for k in range(m)], dtype=float)
        small = places[:, None] + X * (0.13, -0.15)  # (m, n, 2)
        for artist, label in ((self.small_plus, 1), (self.small_minus, 0)):
            artist.set_data(*small[tried.labels == label].T)
        self.crosses.set_data(*places[state[:m] == 3].T)
        x, y0 = result["k"] % 8, result["k"] // 8
        self.frame.set_data(
            x + np.array([-0.47, 0.47, 0.47, -0.47, -0.47]), y0 + np.array([-0.47, -0.47, 0.47, 0.47, -0.47])
        )

    def _outline(self, score):
        """Return the border of the place where the score is positive."""
        if score is None or score.max() <= 0:
            return EMPTY
        z = np.minimum(score, 1e6).reshape(len(self.ys), len(self.xs))
        pieces = contour_generator(self.xs, self.ys, z, fill_type="OuterCode").filled(0, 1e9)
        return Path(np.concatenate(pieces[0]), np.concatenate(pieces[1]))

    def _join(self, X, reason):
        """Join the points of a refusal: positives by a solid line, negatives by a dashed one; boxes by their sides."""
        for line, side in ((self.joined_plus, "positive"), (self.joined_minus, "negative")):
            ends = X[list(getattr(reason, side))] if reason else np.zeros((0, 2))
            if reason and reason.kind == "box" and side == "positive":
                (a, b), (c, d) = ends.min(axis=0), ends.max(axis=0)
                ends = np.array([(a, b), (c, b), (c, d), (a, d)])
            line.set_data(*(np.vstack([ends, ends[:1]]) if len(ends) else ends).T)

    def describe(self, result):
        """Say the verdict, and the count."""
        tried, n, family = result["tried"], len(result["X"]), result["family"]
        total, so_far = len(tried.possible), int(tried.possible[: result["turn"] + 1].sum())
        labels = " ".join(f"{LETTERS[i]}{'+' if v else '−'}" for i, v in enumerate(result["y"]))
        verdict = f"**impossible**: {_why(result['reason'])}" if result["reason"] else "possible."
        words = f"Labelling {result['k']}, {labels}: {verdict} "
        if not result["done"]:
            return words + f"Tried {result['turn'] + 1} of {total}, possible **{so_far}**."
        most = f"(no {n} points allow more than {growth_function(n, family)})"
        if so_far == total:
            return f"**Shattered**: all {total} labellings are possible, so the VC dimension is at least {n}."
        vc = VC_DIMENSION[family]
        known = "infinite" if np.isinf(vc) else vc
        rest = f" Other places may do better: the VC dimension is {known}." if n <= vc else ""
        return f"First failure: {words}In all **{so_far}** of {total} {most}: not shattered.{rest}"


shattering_game = explorer(ShatteringGame)

# --- Rays: bound and truth -----------------------------------------------------------------------------------------

RUNS = 400


@cache
def _gaps(n):
    return ray_gaps(n, RUNS, n)


class RayLimits(Scene):
    """Rays on the line: the largest gap of 400 samples, its exact law, and the VC bound."""

    caption = (
        "Figure 25.8: left, one sample of negatives: training and true error of the ray that begins at θ, and "
        "where they differ most. Right, the largest gap in 400 samples, with three limits that it passes in a share δ "
        "of samples at most. Look how far the VC bound stands from the bars."
    )
    lines = 3

    def __init__(self):
        self.figure, (left, right) = plots.canvas(2, size=(9.6, 4.1))
        left.plot([0, 1], [1, 0], color=plots.INK, lw=2, label="true error", zorder=2)
        (self.steps,) = left.plot([], [], color=plots.BLUE, lw=2, zorder=3, label="training error")
        (self.gap,) = left.plot([], [], color=plots.ORANGE, lw=4, zorder=4, label="largest gap")
        left.set(xlim=(0, 1), ylim=(0, 1.02), xlabel="beginning θ of the ray", title="Errors of all rays, one sample")
        self.figure.legend(handles=plots.entries(left), **plots.BELOW)
        self.edges = np.linspace(0, 5, 61)
        self.bars = right.stairs(
            np.zeros(60), self.edges, fill=True, fc=plots.LIGHT_BLUE, ec=plots.BLUE, lw=1, zorder=1
        )
        self.limits, self.texts = {}, {}
        for k, (name, color, style) in enumerate(
            (("exact", plots.GREEN, "-"), ("one rule", plots.PURPLE, "--"), ("VC bound", plots.ORANGE, "-."))
        ):
            (self.limits[name],) = right.plot([], [], style, color=color, lw=2.6, zorder=2)
            self.texts[name] = right.text(0, 0, name, color=color, fontsize=12, weight="bold", zorder=3, va="top")
            self.texts[name].set_y(1.0 - 0.1 * k)
        right.set(xlim=(0, 5), ylim=(0, 1.05), xlabel="gap, in units of 1/√N", yticks=[])
        right.set_title("Largest gap, 400 samples")
        self.moving = [self.steps, self.gap, self.bars, *self.limits.values(), *self.texts.values()]
        self.controls = {
            "n": log_slider("sample size N", 100, 10, 1000, per_decade=5),
            "delta": log_slider("risk δ", 0.05, 0.0032, 0.5, per_decade=5),
            "sample": whole("sample shown", 1, 1, 20),
        }

    def compute(self, n, delta, sample):
        """Return one sample with its gap, all gaps and the three limits."""
        n, delta = round(n), float(delta)
        x = np.sort(np.random.default_rng((sample, n)).random(n))
        i = np.arange(1, n + 1)
        above, below = i / n - x, x - (i - 1) / n
        j = int(np.maximum(above, below).argmax())
        level = 1 - i[j] / n if above[j] >= below[j] else 1 - (i[j] - 1) / n
        limits = {"exact": ray_gap(n, round(delta, 9)), "one rule": dkw_gap(n, delta), "VC bound": vc_gap(1, n, delta)}
        return {"n": n, "delta": delta, "x": x, "at": x[j], "level": level, "gaps": _gaps(n), "limits": limits}

    def draw(self, result):
        """Draw the steps, the bars and the limits."""
        n, x, root = result["n"], result["x"], np.sqrt(result["n"])
        shares = 1 - np.arange(n + 1) / n
        self.steps.set_data(np.concatenate([[0], np.repeat(x, 2), [1]]), np.repeat(shares, 2))
        self.gap.set_data([result["at"]] * 2, [result["level"], 1 - result["at"]])
        counts = np.histogram(result["gaps"] * root, self.edges)[0]
        self.bars.set_data(0.68 * counts / counts.max())
        for name, value in result["limits"].items():
            place = min(value * root, 4.97)
            self.limits[name].set_data([place, place], [0, self.texts[name].get_position()[1]])
            self.texts[name].set_x(place + 0.05 if place < 3.8 else place - 0.05)
            self.texts[name].set_ha("left" if place < 3.8 else "right")

    def describe(self, result):
        """Say the limits and how often they were passed."""
        passed = {name: int((result["gaps"] > value).sum()) for name, value in result["limits"].items()}
        limits = result["limits"]
        return (
            f"N = {result['n']}, δ = {result['delta']:.3g}: exact limit **{limits['exact']:.4f}** (passed in "
            f"{passed['exact']} of {RUNS} samples), Hoeffding's limit for one rule **{limits['one rule']:.4f}** "
            f"({passed['one rule']}), VC bound **{limits['VC bound']:.4f}** ({passed['VC bound']}): "
            f"**{limits['VC bound'] / limits['exact']:.1f}** times the exact one."
        )


ray_limits = explorer(RayLimits)

# --- One sine ------------------------------------------------------------------------------------------------------


class OneSine(Scene):
    """Choose any labels for five points: one number ω makes them."""

    caption = (
        "Figure 25.9: left, sin ωx over x on a logarithmic axis, and five points whose labels it must hit "
        "(filled: positive, above the line). Right, the ω of each of the 32 labellings. Look how ω grows when a point "
        "near 0 turns negative."
    )
    lines = 2
    play, interval = "turn", 500

    def __init__(self):
        self.figure, (wave, table) = plots.canvas(2, size=(9.6, 4.1), widths=(1.6, 1))
        self.x = 2.0 ** np.linspace(-5.6, 0, 2600)
        wave.axhline(0, color=plots.GREY, lw=1.2)
        (self.wave,) = wave.plot([], [], color=plots.SKY, lw=1.3, zorder=2)
        (self.plus,) = wave.plot([], [], "o", ms=12, color=plots.BLUE, mec=plots.INK, zorder=3)
        (self.minus,) = wave.plot([], [], "s", ms=11, mfc="white", mec=plots.ORANGE, mew=2.4, zorder=3)
        wave.set(xlim=(-5.6, 0), ylim=(-1.25, 1.25), xlabel="x", title="sin ωx")
        wave.set_xticks(range(-5, 1), ["1/32", "1/16", "1/8", "1/4", "1/2", "1"])
        every = [sine_frequency(self._labels(k, 5)) / np.pi for k in range(32)]
        table.plot(range(32), every, "o", ms=5, color=plots.GREY, zorder=1)
        (self.here,) = table.plot([], [], "o", ms=11, color=plots.BLUE, mec=plots.INK, zorder=3)
        table.set(xlim=(-1, 32), ylim=(0, 66), xlabel="labelling", title="ω / π")
        self.moving = [self.wave, self.plus, self.minus, self.here]
        self.controls = {"turn": whole("labelling", 13, 0, 31)}

    @staticmethod
    def _labels(k, n):
        return [(k >> i) & 1 for i in range(n)]

    def compute(self, turn):
        """Return labels, frequency and heights."""
        y = np.array(self._labels(turn, 5))
        omega = sine_frequency(y)
        return {"turn": turn, "y": y, "omega": omega, "heights": np.sin(omega * sine_points(5))}

    def draw(self, result):
        """Draw the wave and the points."""
        self.wave.set_data(np.log2(self.x), np.sin(result["omega"] * self.x))
        x = np.log2(sine_points(5))
        for artist, label in ((self.plus, 1), (self.minus, 0)):
            mine = result["y"] == label
            artist.set_data(x[mine], result["heights"][mine])
        self.here.set_data([result["turn"]], [result["omega"] / np.pi])

    def describe(self, result):
        """Say the labels and ω."""
        labels = " ".join("+" if v else "−" for v in result["y"][::-1])
        times = "" if result["omega"] < 4 else f"{result['omega'] / np.pi:.0f} "
        right = int(((result["heights"] > 0) == (result["y"] == 1)).sum())
        return (
            f"Labels at x = 1/32, 1/16, 1/8, 1/4, 1/2: {labels}. The sine with ω = **{times}π** "
            f"has the right sign at **{right}** of 5 points."
        )


one_sine = explorer(OneSine)

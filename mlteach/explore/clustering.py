"""Explorers of chapter 21: steps of k-means, the bound of EM, EM on a plane, the way to k-means, how many groups."""

import warnings
from functools import cache
from typing import NamedTuple

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgb

from mlteach import plots
from mlteach.clustering import (
    EMBound,
    GaussianMixture,
    KMeans,
    MixtureStep,
    elbow,
    em_bound,
    one_mean_em,
    one_mean_log_joint,
    silhouette,
)
from mlteach.clustering.squares import nearest
from mlteach.explore.base import Scene, choice, count, explorer, log_slider, plain, slider, whole
from mlteach.explore.own import Cloud
from mlteach.probability import normal_pdf
from mlteach.validation import ConvergenceWarning

TURN = np.linspace(0, 2 * np.pi, 73)
CIRCLE = np.column_stack([np.cos(TURN), np.sin(TURN)])
INKS = np.array([to_rgb(c) for c in plots.CLASS_COLORS])
PAPER = {"boxstyle": "circle,pad=0.15", "fc": "white", "ec": plots.INK}
TINTS = np.array([plots.tint(c, 0.22) for c in plots.CLASS_COLORS])


def _clouds(centers, n, root, seed):
    """Return n points (n, 2) in clouds that take turns."""
    rng, y = np.random.default_rng(seed), np.arange(n) % len(centers)
    return np.asarray(centers, dtype=float)[y] + rng.normal(size=(n, 2)) @ np.asarray(root, dtype=float)


def _ellipses(step):
    """Return the outlines at 1 and 2 standard deviations of each component of a record."""
    roots = np.linalg.cholesky(step.covariances)
    return [mean + s * CIRCLE @ root.T for mean, root in zip(step.means, roots) for s in (1, 2)]


def _markers(ax, k=3, **style):
    """Return one line of marks for each cluster: colour and shape differ."""
    return [
        ax.plot([], [], m, ms=6, mfc=plots.tint(c, 0.5), mec=c, mew=1.1, ls="none", zorder=2, **style)[0]
        for c, m in zip(plots.CLASS_COLORS[:k], plots.CLASS_MARKERS)
    ]


# --- k-means, half a step at a time --------------------------------------------------------------------------------

TRIPLE = _clouds([[-2.6, 1.4], [-2.6, -1.4], [2.9, 0.0]], 90, 0.55 * np.eye(2), 21)
STARTS = {
    "two in the right cloud": [[-2.0, 0.4], [2.7, 0.9], [3.1, -0.9]],
    "one in each cloud": [[-1.6, 2.2], [-1.6, -2.2], [1.6, 1.0]],
    "all in the middle": [[-0.4, 0.2], [0.0, -0.4], [0.4, 0.2]],
    "one far outside": [[-2.6, 0.6], [-2.2, -0.8], [-4.6, 3.4]],
}
ANY_STARTS = {
    "all in the middle": STARTS["all in the middle"],
    "side by side": [[-3.0, 0.0], [0.2, 0.0], [3.4, 0.0]],
    "in three corners": [[-4.0, -3.0], [-4.0, 3.0], [4.4, -3.0]],
    "one far outside": STARTS["one far outside"],
}
HALF_STEPS = 60  # of your data at most


class HalfSteps(NamedTuple):
    """How far a run of k-means has come."""

    now: int  # half steps so far: after odd ones the points have chosen, after even ones the centres have moved
    end: int  # half steps of the whole run
    centers: list  # (3, 2) after each move, the start first
    labels: np.ndarray | None  # (n,), None at the start
    J: list  # distortion after each half step
    regions: np.ndarray | None  # of the centres by which the points have chosen: the nearest one of each place


class KMeansSteps(Scene):
    """Choose a start, walk through k-means half a step at a time, and see where it ends."""

    caption = (
        "Figure 21.2: left, the points, the centres (large crosses, numbered), their way, and the regions by which "
        "the points have chosen; right, the distortion J after each half step. Look where the "
        "centres end, and how low J gets."
    )
    takes = Cloud(
        (-5, 5.4, -3.9, 3.9),
        "left, the points, the centres (large crosses, numbered), their way, and the regions by which the points have "
        "chosen; right, the distortion J after each half step. Look where the centres end, and how low J gets.",
    )
    play, interval, lines = "step", 700, 2

    def __init__(self, data=None):
        self.X, self.starts = (data.X, ANY_STARTS) if data else (TRIPLE, STARTS)
        self.figure, (plane, curve) = plots.canvas(2, size=(9.6, 4.3), widths=(1.45, 1))
        plane.set(xlim=(-5, 5.4), ylim=(-3.9, 3.9), xlabel="x₁", ylabel="x₂", title="Points and centres")
        if data:
            data.label(plane)
        self.grid = plots.mesh(plane, 260)[2]
        self.regions = plane.imshow(
            np.ones((260, 260, 3)), extent=(-5, 5.4, -3.9, 3.9), origin="lower", aspect="auto", zorder=0.5
        )
        (self.idle,) = plane.plot(*self.X.T, "o", ms=6, mfc="white", mec=plots.GREY, ls="none", zorder=2)
        self.groups = _markers(plane)
        self.ways = [plane.plot([], [], color=c, lw=1.6, zorder=3)[0] for c in plots.CLASS_COLORS[:3]]
        (self.centers,) = plane.plot([], [], "X", ms=15, mfc=plots.INK, mec="white", mew=1.6, ls="none", zorder=4)
        self.names = [
            plane.text(0, 0, f"{k + 1}", fontsize=12, weight="bold", zorder=5, ha="center", va="center", bbox=PAPER)
            for k in range(3)
        ]
        most, limits, levels = 16, (36, 1500), [50, 100, 200, 500, 1000]
        if data:
            most, limits, levels = self._reach()
        curve.set(xlim=(-0.5, most + 0.5), ylim=limits, yscale="log", xlabel="half step", title="Distortion J")
        plots.ticks(curve.xaxis, range(0, most + 1, 4 * (1 + most // 32)))
        plots.ticks(curve.yaxis, levels)
        (self.path,) = curve.plot([], [], "-o", ms=5, color=plots.BLUE, zorder=3)
        self.moving = [self.regions, self.idle, *self.groups, *self.ways, self.centers, *self.names, self.path]
        self.controls = {
            "step": whole("half step", 3, 0, most),
            "start": choice("start", {name: name for name in self.starts}, "all in the middle"),
            "x": slider("move centre 1 right by", 0.0, -2.0, 4.0, 0.5, digits=1),
            "y": slider("move centre 1 up by", 0.0, -2.0, 2.0, 0.5, digits=1),
        }

    def _reach(self):
        """Return how many half steps your data need at most, and the limits and levels of their distortions."""
        runs = [KMeans(3, init=start).fit(self.X).history_ for start in self.starts.values()]
        J = np.array([value for run in runs for record in run for value in (record.half, record.distortion)], float)
        high = np.nanmax(J)
        low = max(np.nanmin(J), high / 1000)
        levels = [float(f"{level:.1g}") for level in np.geomspace(low, high, 4)]
        return min(HALF_STEPS, max(16, *(2 * len(run) + 3 for run in runs))), (0.8 * low, 1.5 * high), sorted({*levels})

    def compute(self, step, start, x, y):
        """Return the `HalfSteps` of a run from a start whose first centre is moved by x and y."""
        first = np.array(self.starts[start]) + np.array([[x, y], [0, 0], [0, 0]])
        records = KMeans(3, init=first).fit(self.X).history_
        end = 2 * len(records) - 1
        now = min(step, end)
        centers = [record.centers for record in records[: now // 2 + 1]]
        labels = records[(now - 1) // 2].labels if now else None
        J = [value for k, r in enumerate(records) for value in ([r.distortion] if k == 0 else [r.half, r.distortion])]
        regions = nearest(self.grid, records[(now - 1) // 2].centers)[0] if now else None
        return HalfSteps(now, end, centers, labels, J[:now], regions)

    def draw(self, result):
        """Place points, centres and regions."""
        now, _, centers, labels, J, regions = result
        c = centers[-1]
        self.regions.set_data((TINTS[regions] if now else np.ones((260 * 260, 3))).reshape(260, 260, 3))
        self.idle.set_visible(labels is None)
        for k, (group, way, name) in enumerate(zip(self.groups, self.ways, self.names)):
            mine = self.X[labels == k] if labels is not None else self.X[:0]
            group.set_data(*mine.T)
            way.set_data(*np.array([center[k] for center in centers]).T)
            name.set_position(c[k] + [0.3, 0.42])
        self.centers.set_data(*c.T)
        self.path.set_data(range(1, len(J) + 1), J)

    def describe(self, result):
        """Say which half step it is, and the distortion."""
        now, end, labels, J = result.now, result.end, result.labels, result.J
        if not now:
            return "**Start**: three centres, and no point has chosen yet. The distortion J is not defined."
        sizes = np.bincount(labels, minlength=3)
        what = "the points have chosen" if now % 2 else "the centres have moved to the means"
        if not now % 2 and not sizes.all():
            what += f", and centre {1 + int(np.argmin(sizes))}, chosen by nobody, to the farthest point"
        last = " No point changed: **k-means has ended**." if now == end else ""
        listed = ", ".join(map(str, sizes))
        return f"Half step **{now}**: {what}. **J = {J[-1]:.1f}**; the centres have {listed} points.{last}"


k_means_steps = explorer(KMeansSteps)

# --- The bound of EM -----------------------------------------------------------------------------------------------

LINE = np.array([-2.9, -2.4, -2.2, -1.9, -1.7, -1.2, 0.6, 1.1, 1.4, 4.3, 4.8, 5.1, 5.6])
FIXED, REACH = 1.0, np.linspace(-5, 8, 131)


def _likelihoods():
    return np.array([_bound(theta, np.full((len(LINE), 2), 0.5)).log_likelihood for theta in REACH.tolist()])


def _bound(theta, q):
    return em_bound(one_mean_log_joint(LINE, theta, FIXED), q)


class Touch(NamedTuple):
    """The bound at one step of EM."""

    t: int  # step
    moved: bool  # has the M-step been taken?
    path: np.ndarray  # theta_0, theta_1, ...
    height: float  # log-likelihood at theta_t, where the bound touches it
    bound: np.ndarray  # the bound at every second place of REACH
    there: EMBound  # at theta_(t + 1)


class BoundTouch(Scene):
    """Watch EM climb: the bound touches the likelihood, its top is the next parameter, and it touches again there."""

    caption = (
        "Figure 21.5: right, the log-likelihood ℓ of the unknown mean θ (thick), the bound that touches it at the "
        "current θ (dashed), and its top; left, the data and both components at that θ. Look where the bound touches."
    )
    play, interval, lines = "step", 900, 2

    def __init__(self):
        self.figure, (data, hill) = plots.canvas(2, size=(9.6, 4.3), widths=(1, 1.35))
        data.set(xlim=(-5, 8), ylim=(-0.03, 0.27), xlabel="x", yticks=[], title="Data and components")
        data.plot(LINE, np.full(len(LINE), -0.012), "|", ms=13, mew=2, color=plots.INK, zorder=2)
        spread = np.linspace(-5, 8, 200)
        self.spread = spread
        data.plot(
            spread, 0.5 * normal_pdf(spread, FIXED, 1), ls="-.", color=plots.GREEN, zorder=2, label="known: ½N(1, 1)"
        )
        (self.part,) = data.plot([], [], color=plots.ORANGE, lw=2.6, zorder=3, label="unknown: ½N(θ, 1)")
        data.legend(loc="upper right", fontsize=11)
        hill.set(xlim=(-5, 8), ylim=(-87, -46), xlabel="unknown mean θ", title="Log-likelihood and bound")
        hill.plot(REACH, _likelihoods(), color=plots.BLUE, lw=3, zorder=2, label="ℓ(θ)")
        (self.bound,) = hill.plot([], [], "--", color=plots.ORANGE, zorder=3, label="bound at θₜ")
        (self.at,) = hill.plot([], [], "o", ms=10, color=plots.INK, zorder=5, label="touches at θₜ")
        (self.top,) = hill.plot([], [], "^", ms=11, mfc="white", mec=plots.ORANGE, mew=2, zorder=4, label="top: θₜ₊₁")
        hill.legend(loc="lower center", ncols=2, fontsize=11)
        self.moving = [self.part, self.bound, self.at, self.top]
        self.controls = {
            "step": whole("half step", 1, 0, 14),
            "start": slider("start θ₀", -4.0, -4.4, 7.6, 0.4, digits=1),
        }

    def compute(self, step, start):
        """Return the `Touch` after so many half steps from a start."""
        path = one_mean_em(LINE, start, FIXED, 8)
        t, moved = step // 2, step % 2 == 1
        L = one_mean_log_joint(LINE, path[t], FIXED)
        q = np.exp(L - L.max(axis=1, keepdims=True))
        q /= q.sum(axis=1, keepdims=True)
        bound = np.array([_bound(theta, q).bound for theta in REACH[::2].tolist()])
        here, there = _bound(path[t], q), _bound(path[t + 1], q)
        return Touch(t, moved, path, here.log_likelihood, bound, there)

    def draw(self, result):
        """Draw the component, the bound and the two marks."""
        t, moved, path, height, bound, there = result
        theta = path[t + 1] if moved else path[t]
        self.part.set_data(self.spread, 0.5 * normal_pdf(self.spread, float(theta), 1))
        self.bound.set_data(REACH[::2], bound)
        self.at.set_data([path[t]], [height])
        self.top.set_data([path[t + 1]] if moved else [], [there.bound] if moved else [])

    def describe(self, result):
        """Say what the half step has done to bound and likelihood."""
        t, moved, path, height, _, there = result
        if not moved:
            return (
                f"E-step at **θ{_low(t)} = {plain(path[t], '.3f')}**: the bound touches ℓ there, both are "
                f"**{plain(height, '.3f')}**."
            )
        return (
            f"M-step: the top of the bound is **{plain(there.bound, '.3f')}**, at **θ{_low(t + 1)} = "
            f"{plain(path[t + 1], '.3f')}**. There ℓ, never below the bound, is "
            f"**{plain(there.log_likelihood, '.3f')}** (it was {plain(height, '.3f')} at θ{_low(t)})."
        )


def _low(t):
    return "".join("₀₁₂₃₄₅₆₇₈₉"[int(digit)] for digit in str(t))


bound_touch = explorer(BoundTouch)

# --- EM on the plane -----------------------------------------------------------------------------------------------

_RNG = np.random.default_rng(5)
_TURNS = np.array([[[1.5, 0.0], [0.9, 0.35]], [[0.4, 0.0], [-0.2, 1.1]], [[0.6, 0.0], [0.2, 0.5]]])
_WHO = _RNG.choice(3, 240, p=[0.4, 0.35, 0.25])
TILTED = np.array([[-1.6, -0.4], [2.2, 0.9], [0.4, -2.2]])[_WHO] + np.einsum(
    "nij,nj->ni", _TURNS[_WHO], _RNG.normal(size=(240, 2))
)
EM_STARTS = {
    "crowded in the middle": [[0.0, -0.3], [0.2, 0.1], [0.4, -0.3]],
    "side by side": [[-3.0, 0.0], [0.0, 0.0], [3.0, 0.0]],
    "two in the right cloud": [[-1.0, -1.0], [2.2, 1.8], [2.2, 0.0]],
}


@cache
def _em_records(start):
    return _em(TILTED, start)


def _em(X, start):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return GaussianMixture(3, means=EM_STARTS[start], covariances=1.0, tol=0, max_iter=30).fit(X)


class Climb(NamedTuple):
    """EM so far."""

    records: list[MixtureStep]  # the start first
    shares: np.ndarray  # (n, 3), under the last of them


class EmClimb(Scene):
    """Let EM fit three ellipses, step by step, from a start of your choice."""

    caption = (
        "Figure 21.6: left, the points, coloured by their shares in the three components (ellipses: 1 and 2 standard "
        "deviations, means numbered); right, the log-likelihood after each step. Look for slow stretches."
    )
    takes = Cloud(
        (-6.4, 5, -4.4, 4.6),
        "left, the points, coloured by their shares in the three components (ellipses: 1 and 2 standard deviations, "
        "means numbered); right, the log-likelihood after each step. Look for slow stretches.",
        least=6,
    )
    play, interval, lines = "step", 300, 2

    def __init__(self, data=None):
        self.X, self.run = (data.X, cache(lambda start: _em(data.X, start))) if data else (TILTED, _em_records)
        self.figure, (plane, curve) = plots.canvas(2, size=(9.6, 4.4), widths=(1.4, 1))
        plane.set(xlim=(-6.4, 5), ylim=(-4.4, 4.6), xlabel="x₁", ylabel="x₂", title="Shares and ellipses")
        if data:
            data.label(plane)
        self.points = plane.scatter(*self.X.T, s=26, lw=0.4, edgecolors="white", zorder=2)
        self.ellipses = plane.add_collection(
            LineCollection([], colors=np.repeat(plots.CLASS_COLORS[:3], 2), lw=2.2, zorder=3)
        )
        self.names = [plane.text(0, 0, f"{k + 1}", weight="bold", ha="center", va="center", bbox=PAPER, zorder=4)
                      for k in range(3)]  # fmt: skip
        curve.set(xlim=(-0.6, 30.6), ylim=(-1260, -690), xlabel="step", title="Log-likelihood ℓ")
        if data:
            ell = [record.log_likelihood for start in EM_STARTS for record in self.run(start).history_]
            curve.set_ylim(min(ell) - 0.05 * np.ptp(ell) - 1, max(ell) + 0.05 * np.ptp(ell) + 1)
        (self.path,) = curve.plot([], [], color=plots.BLUE, zorder=3)
        (self.dot,) = curve.plot([0], [-1000], "o", ms=8, color=plots.BLUE, zorder=4)
        self.moving = [self.points, self.ellipses, *self.names, self.path, self.dot]
        self.controls = {
            "step": whole("step", 6, 0, 30),
            "start": choice("start", {name: name for name in EM_STARTS}, "side by side"),
        }

    def compute(self, step, start):
        """Return the records up to the step, and the shares at it."""
        records = self.run(start).history_[: step + 1]
        now = GaussianMixture.from_parameters(*records[-1][:3])
        return Climb(records, now.responsibilities(self.X))

    def draw(self, result):
        """Colour the points and draw the ellipses."""
        records, r = result
        self.points.set_facecolors(r @ INKS[:3])
        self.ellipses.set_segments(_ellipses(records[-1]))
        for name, mean in zip(self.names, records[-1].means):
            name.set_position(mean)
        heights = [record.log_likelihood for record in records]
        self.path.set_data(range(len(heights)), heights)
        self.dot.set_data([len(heights) - 1], heights[-1:])

    def describe(self, result):
        """Say likelihood, its last rise, and the weights."""
        records, r = result
        now, step = records[-1], len(records) - 1
        rise = f" (up by {plain(now.log_likelihood - records[-2].log_likelihood, '.2f')})" if step else ""
        weights = ", ".join(f"{w:.2f}" for w in now.weights)
        undecided = np.mean(r.max(axis=1) < 0.9)
        return (
            f"After **{count(step, 'step')}**: ℓ = **{plain(now.log_likelihood)}**{rise}. Weights **{weights}**; "
            f"**{100 * undecided:.0f} %** of the points have no component with a share of 0.9."
        )


em_climb = explorer(EmClimb)

# --- From soft to hard ---------------------------------------------------------------------------------------------

NEAR = _clouds([[-1.9, -0.9], [1.9, -0.9], [0.0, 1.7]], 120, 0.75 * np.eye(2), 8)
NEAR_START = np.array([[-1.0, -1.0], [1.0, -1.0], [0.0, 1.0]])


@cache
def _soft(sigma):
    return _softened(NEAR, sigma)


def _softened(X, sigma):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return GaussianMixture(
            3, covariance="fixed", means=NEAR_START, covariances=sigma**2, tol=1e-7, max_iter=200, history=False
        ).fit(X)  # fmt: skip


class Soft(NamedTuple):
    """A mixture with one standard deviation for all components."""

    sigma: float
    model: GaussianMixture
    shares: np.ndarray  # (n, 3)
    way: np.ndarray  # from 0 at the first mean to 1 at the second
    share: np.ndarray  # of component 1 on this way


class SoftToHard(Scene):
    """Shrink the common standard deviation of a mixture and watch it turn into k-means."""

    caption = (
        "Figure 21.7: left, the points coloured by their shares, the means of the mixture (circles) and the centres of "
        "k-means from the same start (crosses); right, the share of component 1 on the way from its mean to that of 2. "
        "Look how far the circles are from the crosses."
    )
    takes = Cloud(
        (-4.4, 4.4, -3.4, 4.2),
        "left, the points coloured by their shares, the means of the mixture (circles) and the centres of k-means from "
        "the same start (crosses); right, the share of component 1 on the way from its mean to that of 2. Look how far "
        "the circles are from the crosses.",
        most=300,
    )
    lines = 2

    def __init__(self, data=None):
        self.X, self.run = (data.X, cache(lambda sigma: _softened(data.X, sigma))) if data else (NEAR, _soft)
        self.figure, (plane, way) = plots.canvas(2, size=(9.6, 4.3), widths=(1.2, 1))
        self.hard = KMeans(3, init=NEAR_START).fit(self.X)
        plane.set(xlim=(-4.4, 4.4), ylim=(-3.4, 4.2), xlabel="x₁", ylabel="x₂", title="Shares and means")
        if data:
            data.label(plane)
        self.points = plane.scatter(*self.X.T, s=30, lw=0.4, edgecolors="white", zorder=2)
        plane.plot(*self.hard.centers_.T, "X", ms=13, mfc=plots.INK, mec="white", ls="none", zorder=3, label="k-means")
        (self.means,) = plane.plot(
            [], [], "o", ms=19, mfc="none", mec=plots.INK, mew=2.4, ls="none", zorder=4, label="mixture"
        )
        plane.legend(loc="upper left", fontsize=11)
        way.set(xlim=(0, 1), ylim=(-0.03, 1.03), xlabel="way from mean 1 to mean 2", title="Share of component 1")
        (self.share,) = way.plot([], [], color=plots.BLUE, lw=2.8, zorder=3)
        self.moving = [self.points, self.means, self.share]
        self.controls = {"sigma": log_slider("standard deviation σ", 1.0, 0.1, 2.5, per_decade=20)}

    def compute(self, sigma):
        """Return the fitted mixture, its shares, and the share of component 1 between two means."""
        model = self.run(sigma)
        t = np.linspace(0, 1, 101)
        between = model.means_[0] + t[:, None] * (model.means_[1] - model.means_[0])
        return Soft(sigma, model, model.responsibilities(self.X), t, model.responsibilities(between)[:, 0])

    def draw(self, result):
        """Colour the points and move the means."""
        self.points.set_facecolors(result.shares @ INKS[:3])
        self.means.set_data(*result.model.means_.T)
        self.share.set_data(result.way, result.share)

    def describe(self, result):
        """Say how many points are shared, how far the means are from the centres, and how many labels agree."""
        sigma, model, r = result.sigma, result.model, result.shares
        shared = int((r.max(axis=1) < 0.99).sum())
        off = np.linalg.norm(model.means_ - self.hard.centers_, axis=1).max()
        same, n = int((r.argmax(axis=1) == self.hard.labels_).sum()), len(self.X)
        if np.ptp(model.means_, axis=0).max() < 0.3:
            return f"At σ = {sigma:.2g} **all three means have fallen together**, at the mean of the data: no groups."
        return (
            f"At σ = {sigma:.2g}: **{shared} of {n}** points are shared (no component has 0.99). The means are at most "
            f"**{off:.2f}** from the centres of k-means, and **{same} of {n}** labels agree."
        )


soft_to_hard = explorer(SoftToHard)

# --- How many groups? ----------------------------------------------------------------------------------------------

SETS = {
    "three clouds": _clouds([[-2.6, -1.2], [2.4, -1.4], [0.2, 2.0]], 150, 0.6 * np.eye(2), 1),
    "two groups of three": _clouds(
        [[-2.4, -0.7], [-3.4, -2.4], [-1.4, -2.4], [2.4, 2.7], [1.4, 1.0], [3.4, 1.0]], 180, 0.3 * np.eye(2), 2
    ),
    "two long ones": _clouds([[0, 0.9], [0, -0.9]], 150, [[2.0, 0], [0, 0.3]], 3),
    "one cloud": _clouds([[0, 0]], 150, [[1.6, 0.0], [0.5, 1.1]], 4),
}
KS = np.arange(1, 9)


class Verdicts(NamedTuple):
    """What three rules say of K = 1, ..., 8 clusters."""

    X: np.ndarray  # the data
    labels: list  # of k-means, for each K
    J: np.ndarray  # distortions
    silhouettes: np.ndarray  # nan for K = 1
    bic: np.ndarray  # of a Gaussian mixture
    outlines: list  # of its components at 2 standard deviations, for each K


@cache
def _verdicts(name):
    return _judged(SETS[name])


def _judged(X):
    """Return the `Verdicts` on some points."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        labels = [KMeans(int(k), history=False).fit(X).labels_ for k in KS]
        mixtures = [GaussianMixture(int(k), n_init=3, history=False).fit(X) for k in KS]
    silhouettes = np.array([np.nan, *(silhouette(X, z) for z in labels[1:])])
    bic = np.array([mixture.bic(X) for mixture in mixtures])
    return Verdicts(X, labels, elbow(X, KS), silhouettes, bic, [_ellipses(m.history_[-1])[1::2] for m in mixtures])


class HowMany(Scene):
    """Raise the number of clusters and let three rules judge it."""

    caption = (
        "Figure 21.8: left, the clusters of k-means, one colour and mark each, and the components of a Gaussian "
        "mixture (ellipses: 2 standard deviations); right, from K = 1 up to yours: distortion, mean silhouette, and "
        "the BIC of the mixture. Look where each of the three rules says stop."
    )
    takes = Cloud(
        (-6, 6, -4.2, 4.2),
        "left, the clusters of k-means, one colour and mark each, and the components of a Gaussian mixture (ellipses: "
        "2 standard deviations); right, from K = 1 up to yours: distortion, mean silhouette, and the BIC of the "
        "mixture. Look where each of the three rules says stop.",
        most=300,
        least=20,
    )
    lines = 2

    def __init__(self, data=None):
        self.yours = _judged(data.X) if data else None
        self.figure, axes = plots.canvas(2, rows=3, size=(9.6, 4.7), widths=(1.45, 1), sharex="col")
        grid = axes[0, 0].get_gridspec()
        for ax in axes[:, 0]:
            ax.remove()
        plane = self.figure.add_subplot(grid[:, 0])
        plane.set(xlim=(-6, 6), ylim=(-4.2, 4.2), xlabel="x₁", ylabel="x₂", title="Clusters and ellipses")
        if data:
            data.label(plane)
        self.groups = [
            plane.plot([], [], "os^Dv<>P"[k], ms=6, mfc=plots.tint(c, 0.5), mec=c, ls="none", zorder=2)[0]
            for k, c in enumerate([*plots.CLASS_COLORS, *plots.CLASS_COLORS[:3]])
        ]
        self.ellipses = plane.add_collection(LineCollection([], colors=plots.INK, lw=1.6, ls="--", zorder=3))
        self.curves = []
        names = ("J, share of that at K = 1", "mean silhouette", "BIC, less its least")
        limits = ((-0.05, 1.08), (0, 0.95), (-40, 640))
        if data:
            s, bic = self.yours.silhouettes, np.ptp(self.yours.bic)
            limits = (-0.05, 1.08), (min(0, np.nanmin(s) - 0.05), 1), (-0.06 * bic - 1, 1.06 * bic + 1)
        for ax, name, limit in zip(axes[:, 1], names, limits):
            ax.set(xlim=(0.6, 8.4), ylim=limit)
            ax.set_title(name, fontsize=11.5)
            plots.ticks(ax.xaxis, KS)
            self.curves.append(ax.plot([], [], "-o", ms=6, color=plots.BLUE, zorder=3)[0])
        axes[2, 1].set_xlabel("clusters K")
        self.moving = [*self.groups, self.ellipses, *self.curves]
        self.controls = {
            "k": whole("clusters K", 5, 1, 8),
            "name": choice("data", {name: name for name in SETS}),
        }
        if data:
            del self.controls["name"]
            return
        for name in SETS:
            _verdicts(name)

    def compute(self, k, name=None):
        """Return K and what the three rules say of the data."""
        return k, self.yours or _verdicts(name)

    def draw(self, result):
        """Mark the clusters and draw the curves as far as K."""
        k, (X, labels, J, s, bic, outlines) = result
        self.ellipses.set_segments(outlines[k - 1])
        for j, group in enumerate(self.groups):
            group.set_data(*X[labels[k - 1] == j].T)
        for curve, values in zip(self.curves, (J / J[0], s, bic - bic.min())):
            curve.set_data(KS[:k], values[:k])

    def describe(self, result):
        """Say the three numbers, and the best K so far by silhouette and BIC."""
        k, (_, _, J, s, bic, _) = result
        mean = f"mean silhouette **{s[k - 1]:.2f}**" if k > 1 else "no silhouette"
        high = f"highest silhouette at K = **{2 + int(np.argmax(s[1:k]))}**, " if k > 1 else ""
        return (
            f"K = **{k}**: distortion **{100 * J[k - 1] / J[0]:.0f} %** of that at K = 1, {mean}, BIC "
            f"**{plain(bic[k - 1], '.0f')}**. Up to here: {high}least BIC at K = **{1 + int(np.argmin(bic[:k]))}**."
        )


how_many = explorer(HowMany)

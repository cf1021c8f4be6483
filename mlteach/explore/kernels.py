"""Explorers of chapter 15: rings lifted out of their plane, a Gram matrix, mistakes of a perceptron, kernel ridge."""

import numpy as np
from contourpy import LineType, contour_generator
from matplotlib.collections import LineCollection
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.patches import Polygon

from mlteach import plots
from mlteach.datasets import noisy_sine, rings
from mlteach.explore.base import Scene, buttons, choice, count, explorer, log_slider, plain, whole
from mlteach.explore.own import Curve, Plane
from mlteach.kernels import (
    KernelPerceptron,
    KernelRidge,
    dual_ridge,
    is_positive_semidefinite,
    linear_kernel,
    polynomial_kernel,
    rbf_kernel,
    sigmoid_kernel,
)

PENALTIES = np.logspace(-6, 2, 81)
MISTAKES = 200  # of a run that are shown at most
SIGNED = LinearSegmentedColormap.from_list("signed", [plots.ORANGE, "white", plots.BLUE])


def _kernel(name, beta):
    """Return a kernel by its name in the list of an explorer."""
    made = {"linear": lambda: linear_kernel, "sigmoid, γ = −1": lambda: sigmoid_kernel(beta, -1.0)}
    made |= {"quadratic": lambda: polynomial_kernel(2, beta), "RBF": lambda: rbf_kernel(beta)}
    return made[name]()


def _three(value):
    """Write a number with three digits that count, in full."""
    value = float(f"{value:.3g}")
    return f"{value:,.0f}".replace("-", "−") if abs(value) >= 1000 else plain(value, ".3g")


class _Rings:
    """Two rings of points in a panel, and the boundary between them on a grid."""

    def __init__(self, ax, X, y, size=36, names=("inner ring", "outer ring")):
        self.x1 = self.x2 = np.linspace(-3.8, 3.8, 61)
        self.grid = np.stack(np.meshgrid(self.x1, self.x2), axis=-1).reshape(-1, 2)
        ax.set(xlim=(-3.8, 3.8), ylim=(-3.8, 3.8), xlabel="$x_1$", ylabel="$x_2$", aspect="equal")
        look = {"s": size, "facecolors": "white", "linewidths": 1.6, "zorder": 3}
        self.points = [
            ax.scatter(*X[y == k].T, marker=marker, edgecolors=colour, label=name, **look)
            for k, (name, marker, colour) in enumerate(zip(names, "os", plots.CLASS_COLORS))
        ]
        self.boundary = ax.add_collection(LineCollection([], colors=plots.INK, lw=2.2, zorder=2, label="boundary"))

    def cut(self, height, level=0.0):
        """Draw where ``height`` (of every grid point) passes ``level``."""
        height = height.reshape(len(self.x2), len(self.x1))
        self.boundary.set_segments(
            contour_generator(self.x1, self.x2, height, line_type=LineType.Separate).lines(level)
        )


class LiftedRings(Scene):
    """Choose a kernel and its width, and see whether a plane can pass between two lifted rings."""

    caption = (
        "Figure 15.2: left, 80 points of two rings. Right, the same points over their plane, each at its height h(x), "
        "scaled to 1 at most; thin lines join it to height zero. The yellow plane passes between the rings where it "
        "can; its trace in the left picture is the boundary. The linear kernel has no β."
    )
    takes = Plane(
        (-3.8, 3.8, -3.8, 3.8),
        "left, the points. Right, the same over their plane, each at its height h(x), its mean similarity to the first "
        "class less that to the second, scaled to 1 at most. The yellow plane passes between the classes where it can; "
        "its trace in the left picture is the boundary. The linear kernel has no β.",
        most=80,
    )

    def __init__(self, data=None):
        own = (data, data.new) if data else None
        self.data, self.new = own or (rings(80, 0.25, (1, 2.6), rng=1), rings(1000, 0.25, (1, 2.6), rng=2))
        self.what = "points" if data else "rings"
        self.inner, self.outer = (self.data.X[self.data.y == k] for k in (0, 1))
        radius, angle = np.meshgrid(np.linspace(0, 3.6, 19), np.linspace(0, 2 * np.pi, 49))
        self.net = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=-1)  # (49, 19, 2)
        self.figure, (plane, space) = plots.canvas(2, size=(9.6, 4.6), widths=(2, 2.8))
        plane.set_title("In the plane")
        self.rings = _Rings(plane, self.data.X, self.data.y, **({"names": data.classes} if data else {}))
        if data:
            data.label(plane)
        self._draw_space(space)
        for text, name in zip(self.names, data.names if data else ()):
            text.set_text(name)
        self.figure.legend(handles=[*plots.entries(plane), self.cut, self.wires], **plots.BELOW)
        self.moving = [self.rings.boundary, self.floor, self.wires, self.cut, self.stems, *self.lifted, *self.names]
        self.controls = {
            "kernel": choice("kernel k", ["linear", "quadratic", "RBF"], "RBF"),
            "beta": log_slider("inverse width β", 0.01, 0.01, 100, per_decade=10),
            "turn": whole("turn the picture (degrees)", 30, 0, 90, step=5),
        }

    def _draw_space(self, ax):
        ax.set(xlim=(-6.0, 5.6), ylim=(-4.9, 4.8), aspect="equal")
        ax.set_title("Lifted by the kernel")
        ax.axis("off")
        self.floor = ax.add_collection(LineCollection([], colors=plots.INK, lw=1, zorder=0.5))
        self.wires = ax.add_collection(LineCollection([], colors=plots.GREY, lw=0.7, zorder=1, label="all points"))
        self.cut = Polygon(np.zeros((4, 2)), fc=plots.YELLOW, ec=plots.INK, alpha=0.45, zorder=2, label="plane")
        ax.add_patch(self.cut)
        self.stems = ax.add_collection(LineCollection([], lw=0.8, alpha=0.7, zorder=2.5))
        look = {"ls": "", "ms": 6, "mfc": "white", "mew": 1.6, "zorder": 3}
        colours = zip("os", plots.CLASS_COLORS)
        self.lifted = [ax.plot([], [], marker=marker, mec=colour, **look)[0] for marker, colour in colours]
        self.names = [ax.text(0, 0, name, ha="center", va="center") for name in ("$x_1$", "$x_2$", "height")]

    def compute(self, kernel, beta, turn):
        """Return the heights of rings, net and grid, the level of the plane, and the errors."""
        k = _kernel(kernel, beta)

        def height(X):
            return k(X, self.inner).mean(axis=1) - k(X, self.outer).mean(axis=1)

        inner, outer = height(self.inner), height(self.outer)
        level = _best_level(inner, outer)
        wrong = int((inner <= level).sum() + (outer > level).sum())
        errors = wrong, int(np.sum((height(self.new.X) > level) != (self.new.y == 0)))
        net = height(self.net.reshape(-1, 2)).reshape(self.net.shape[:2])
        return turn, (inner, outer), net, height(self.rings.grid), level, errors

    def draw(self, result):
        """Lift the points and the net, lay the plane, and draw its trace."""
        turn, heights, net, grid, level, _ = result
        unit = max(np.abs(net).max(), *(np.abs(z).max() for z in heights)) or 1.0
        self.rings.cut(grid, level)
        net = _project(self.net, net / unit, turn)
        self.wires.set_segments([*net[::2], *np.swapaxes(net, 0, 1)[2::2]])
        stems = []
        for line, X, z in zip(self.lifted, (self.inner, self.outer), heights):
            top = _project(X, z / unit, turn)
            line.set_data(*top.T)
            stems.append(np.stack([_project(X, 0 * z, turn), top], axis=1))
        self.stems.set(
            segments=np.concatenate(stems), color=np.repeat(plots.CLASS_COLORS[:2], [len(z) for z in heights], axis=0)
        )
        corners = 3.6 * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1], [-1, -1]])
        self.cut.set_xy(_project(corners, np.full(5, level / unit), turn)[:4])
        floor, top = (_project(corners, np.full(5, z), turn) for z in (-1.0, 1.0))
        post = int(floor[:4, 0].argmin())  # the leftmost corner carries the axis of height
        self.floor.set_segments([floor, np.array([floor[post], top[post]])])
        sides = _project(4.3 * np.array([[[0, -1], [0, 1]], [[-1, 0], [1, 0]]]), np.full((2, 2), -1.0), turn)
        front = [side[side[:, 1].argmin()] for side in sides]  # of two opposite edges the nearer one has the name
        for name, place in zip(self.names, [*front, top[post] + [0, 0.35]]):
            name.set_position(place)

    def describe(self, result):
        """Say whether a plane separates the lifted rings, and how it does on new points."""
        _, (inner, outer), _, _, _, (wrong, new) = result
        unit = max(np.abs(inner).max(), np.abs(outer).max()) or 1.0
        gap = (inner.min() - outer.max()) / unit
        if gap > 0:
            words = f"**A plane separates** the lifted {self.what}: the gap is **{gap:.2f}** of the largest height. "
        else:
            words = f"**No level plane separates** the lifted {self.what}: the best leaves **{wrong}** of "
            words += f"{len(self.data.y)} points wrong. "
        return words + f"Of {len(self.new.y)} new points **{new}** {'is' if new == 1 else 'are'} wrong."


def _best_level(above, below):
    """Return the middle of the gap between two sets of heights, or the level with the fewest errors."""
    if above.min() > below.max():
        return (above.min() + below.max()) / 2
    heights = np.sort(np.concatenate([above, below]))
    levels = (heights[1:] + heights[:-1]) / 2
    wrong = (above <= levels[:, None]).sum(axis=1) + (below > levels[:, None]).sum(axis=1)
    return levels[wrong.argmin()]


def _project(X, z, turn):
    """Return where points (x1, x2, z) lie on the paper, seen from above at 25 degrees."""
    cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    across, away = cos * X[..., 0] - sin * X[..., 1], sin * X[..., 0] + cos * X[..., 1]
    return np.stack([across, 0.42 * away + 2.4 * z], axis=-1)


lifted_rings = explorer(LiftedRings)


class GramPicture(Scene):
    """Look at a Gram matrix as a picture, and at the eigenvalues that tell kernels from others."""

    caption = (
        "Figure 15.3: left, the Gram matrix of 60 points of two rings: blue where k(x, x′) is positive, orange where "
        "it is negative, darkest at the largest size; by ring, the inner one has the points 1 to 30. Right, its "
        "eigenvalues divided by the largest in size, on an axis that is logarithmic away from zero."
    )
    takes = Plane(
        (-2.2, 2.2, -2.2, 2.2),
        "left, the Gram matrix of your points: blue where k(x, x′) is positive, orange where it is negative, darkest "
        "at the largest size; by class, lines part the two. Right, its eigenvalues divided by the largest in size, on "
        "an axis that is logarithmic away from zero.",
        most=60,
        each=1,
        held=False,
    )

    def __init__(self, data=None):
        self.data = data or rings(60, 0.2, (0.6, 1.6), rng=4)
        angle, n = np.arctan2(self.data.X[:, 1], self.data.X[:, 0]), len(self.data.X)
        self.by_group = "by class and angle" if data else "by ring and angle"
        self.orders = {"as they came": np.arange(n), self.by_group: np.lexsort((angle, self.data.y))}
        self.figure, (picture, values) = plots.canvas(2, size=(9.6, 4.4), widths=(2, 2.6))
        picture.set(xlabel="point x′", ylabel="point x", title="Gram matrix K")
        self.image = picture.imshow(np.zeros((n, n)), cmap=SIGNED, vmin=-1, vmax=1, extent=(0.5, n + 0.5, n + 0.5, 0.5))
        (self.border,) = picture.plot([], [], color=plots.INK, lw=1)
        values.set(xlim=(0, n + 1), ylim=(-1.6, 1.6), xlabel="eigenvalue, largest first", title="Its eigenvalues")
        values.set_yscale("symlog", linthresh=1e-4, linscale=0.6)
        values.set_yticks([-1, -0.01, 0, 0.01, 1], ["−1", "−0.01", "0", "0.01", "1"])
        values.minorticks_off()
        values.axhline(0, color=plots.INK, lw=1, zorder=0.5)
        self.bars = [
            values.add_collection(LineCollection([], colors=colour, lw=3.4, label=name))
            for colour, name in ((plots.BLUE, "positive"), (plots.ORANGE, "negative"))
        ]
        values.legend(loc="lower left")
        self.moving = [self.image, self.border, *self.bars]
        self.controls = {
            "kernel": choice("function k", ["linear", "quadratic", "RBF", "sigmoid, γ = −1"], "RBF"),
            "beta": log_slider("inverse width β", 1.0, 0.01, 100, per_decade=10),
            "order": buttons("points in order", list(self.orders), self.by_group),
        }

    def compute(self, kernel, beta, order):
        """Return the Gram matrix and its eigenvalues, largest first."""
        K = _kernel(kernel, beta)(self.data.X[self.orders[order]])
        return K, np.linalg.eigvalsh(K)[::-1], order != "as they came"

    def draw(self, result):
        """Colour the matrix, and set a bar for each eigenvalue."""
        K, values, by_ring = result
        n = len(K)
        middle, end = np.sum(self.data.y == 0) + 0.5, [0.5, n + 0.5]
        self.border.set_data(*([*end, np.nan, middle, middle], [middle, middle, np.nan, *end]) if by_ring else ([], []))
        self.image.set_data(K / np.abs(K).max())
        values = values / np.abs(values).max()
        places = np.arange(1, n + 1)
        for bars, some in zip(self.bars, (values > 0, values < 0)):
            ends = np.column_stack([places[some], values[some]])
            bars.set_segments(np.stack([ends * [1, 0], ends], axis=1))

    def describe(self, result):
        """Say whether the eigenvalues allow a kernel, and how many of them matter."""
        K, values, _ = result
        relative = values / np.abs(values).max()
        if not is_positive_semidefinite(K):
            negative = int((relative < -1e-10).sum())
            words = f"**Not a kernel**: {count(negative, 'eigenvalue')} below zero, the least **{_three(values[-1])}**"
            return words + f" (largest {_three(values[0])}). One such set of points is enough to tell."
        needed = int(np.searchsorted(np.cumsum(values) / values.sum(), 0.99)) + 1
        words = f"**No negative eigenvalue** beyond rounding on these points; the largest is **{_three(values[0])}**. "
        return words + f"**{needed}** of {len(K)} make 99 % of the sum: so many features would nearly do."


gram_picture = explorer(GramPicture)


class KernelPerceptronRun(Scene):
    """Play the mistakes of a kernel perceptron and watch the boundary bend around the inner ring."""

    caption = (
        "Figure 15.6: the boundary after the first mistakes of a kernel perceptron; a filled point has been mistaken, "
        "a larger one twice. Right, how many of the 80 points are on the wrong side after each mistake."
    )
    takes = Plane(
        (-3.8, 3.8, -3.8, 3.8),
        "the boundary after the first mistakes of a kernel perceptron; a filled point has been mistaken, a larger one "
        "twice or more. Right, how many points are on the wrong side after each mistake, of the first 200.",
        most=80,
        each=1,
        held=False,
    )
    play, interval = "step", 250

    def __init__(self, data=None):
        self.data, self.first = data or rings(80, 0.25, (1, 2.6), rng=1), data.classes[0] if data else "the inner ring"
        X, y = self.data.X, self.data.y
        self.figure, (plane, errors) = plots.canvas(2, size=(9.6, 4.6), widths=(2.6, 2.2))
        plane.set_title("The boundary so far")
        self.rings = _Rings(plane, X, y, **({"names": data.classes} if data else {}))
        if data:
            data.label(plane)
        self.runs = {name: self._run(_kernel(name, 0.5)) for name in ("quadratic", "RBF")}
        most = max(len(wrong) for *_, wrong in self.runs.values()) - 1
        top = max(45, max(wrong.max() for *_, wrong in self.runs.values()) + 5)
        errors.set(xlim=(0, most + 1), ylim=(0, top), xlabel="mistakes made", ylabel="points on the wrong side")
        errors.set_title("Is it learning?")
        plots.ticks(errors.xaxis, range(0, most + 1, 5 * (1 + most // 50)))
        (self.line,) = errors.plot([], [], color=plots.PURPLE)
        (self.now,) = errors.plot([0], [0], "o", ms=10, color=plots.PURPLE, mec=plots.INK, zorder=3, clip_on=False)
        self.figure.legend(handles=plots.entries(plane), **plots.BELOW)
        self.moving = [*self.rings.points, self.rings.boundary, self.line, self.now]
        self.controls = {
            "kernel": buttons("kernel k", ["quadratic", "RBF"], "RBF"),
            "step": whole("mistakes", min(8, most), 0, most),
        }

    def _run(self, kernel):
        """Return the model, its samples by mistake, k(grid, points) + 1, and the errors after each mistake."""
        X, y = self.data.X, self.data.y
        model = KernelPerceptron(kernel).fit(X, y)
        samples = np.array([mistake.sample for mistake in model.history_[1 : MISTAKES + 1]])
        signs = 2.0 * y - 1
        moves = signs[samples, None] * (kernel(X)[samples] + 1)
        scores = np.vstack([np.zeros(len(X)), np.cumsum(moves, axis=0)])
        return model, samples, kernel(self.rings.grid, X) + 1, ((scores > 0) != (y == 1)).sum(axis=1)

    def compute(self, kernel, step):
        """Return how often each point was mistaken so far, the scores on the grid, and the errors up to now."""
        model, samples, K, wrong = self.runs[kernel]
        step = min(step, len(samples))
        a = np.bincount(samples[:step], minlength=len(self.data.y))
        epoch = model.history_[step].epoch
        return model, a, K @ (a * (2.0 * self.data.y - 1)), wrong[: step + 1], epoch

    def draw(self, result):
        """Fill and enlarge the mistaken points, and bend the boundary."""
        _, a, height, wrong, _ = result
        for k, points in enumerate(self.rings.points):
            mine = a[self.data.y == k]
            points.set_facecolors([plots.CLASS_COLORS[k] if n else "white" for n in mine])
            points.set_sizes(36 + 28 * np.minimum(mine, 4) ** 2)
        self.rings.cut(height)
        self.line.set_data(np.arange(len(wrong)), wrong)
        self.now.set_data([len(wrong) - 1], [wrong[-1]])

    def describe(self, result):
        """Say how many mistakes were made, on how many points, and what is still wrong."""
        model, a, height, wrong, epoch = result
        made = int(a.sum())
        if made == 0:
            return f"No mistake yet: y(x) = 0 everywhere counts as {self.first}, and **{wrong[0]}** points are wrong."
        words = f"**{count(made, 'mistake')}** at **{count(int((a > 0).sum()), 'point')}**, in pass {epoch}. "
        if made == model.n_mistakes_ and not wrong[-1]:
            return words + "**No** point is on the wrong side: the run has **ended**, the next pass is clean."
        words += f"**{count(int(wrong[-1]), 'point')}** on the wrong side"
        return words + ("." if (height > 0).any() and (height < 0).any() else "; no boundary, y(x) has one sign.")


kernel_perceptron_run = explorer(KernelPerceptronRun)


class KernelRidgeFit(Scene):
    """Choose the penalty and the width of kernel ridge regression, and see of which bumps the curve is made."""

    caption = (
        "Figure 15.8: left, 25 targets, the curve of kernel ridge regression, and its parts, one bump a_n k(x_n, x) "
        "for each point (grey). Right, the errors on these points and on 400 new ones, from λ = 100 down to your λ; "
        "a dot on the upper edge stands for more."
    )
    takes = Curve(
        (0, 1),
        "left, targets, the curve of kernel ridge regression, and its parts, one bump for each point (grey). Right, "
        "the errors on these points and on new ones, from λ = 100 down to your λ; a dot on the upper edge stands for "
        "more.",
        most=25,
    )

    def __init__(self, data=None):
        own = (data, data.new) if data else None
        self.train, self.new = own or (noisy_sine(25, 0.3, grid=False, rng=3), noisy_sine(400, 0.3, grid=False, rng=4))
        self.noise = "" if data else " (noise 0.3)"
        self.x = np.linspace(0, 1, 201)
        self.figure, (curve, errors) = plots.canvas(2, size=(9.6, 4.5), widths=(3, 2))
        curve.set(xlim=(0, 1), ylim=(-2.1, 2.1), xlabel="x", ylabel="t", title="A sum of bumps")
        self.bumps = curve.add_collection(LineCollection([], colors=plots.GREY, lw=0.8, zorder=1, label="bumps"))
        if data:
            data.label(curve)
        else:
            curve.plot(self.x, np.sin(2 * np.pi * self.x), color=plots.GREEN, ls="--", zorder=1.5, label="sine")
        (self.fit,) = curve.plot([], [], color=plots.ORANGE, lw=2.6, zorder=2, label="kernel ridge")
        points = {"mfc": "white", "mec": plots.BLUE, "mew": 1.6, "zorder": 3}
        curve.plot(self.train.X[:, 0], self.train.y, "o", label="targets", **points)
        errors.set(xscale="log", xlim=(1e-6, 100), ylim=(0, 1.7), xlabel="penalty λ", ylabel="RMSE")
        errors.set_title("What it costs")
        plots.ticks(errors.xaxis, [0.0001, 0.01, 1, 100])
        (on_train,) = errors.plot([], [], color=plots.BLUE, ls="--", label="these points")
        (on_new,) = errors.plot([], [], color=plots.ORANGE, label="new points")
        if not data:
            errors.axhline(0.3, color=plots.GREY, lw=1, ls=":", zorder=0.5, label="noise")
        self.errors = [on_train, on_new]
        dots = {"s": 80, "c": [plots.BLUE, plots.ORANGE], "edgecolors": plots.INK, "zorder": 4, "clip_on": False}
        self.now = errors.scatter([1, 1], [1, 1], **dots)
        small = {**plots.BELOW, "columnspacing": 1, "handlelength": 1.5, "fontsize": 11.5}
        self.figure.legend(handles=plots.entries(curve), **small | {"loc": "outside lower left"})
        self.figure.legend(handles=plots.entries(errors), **small | {"loc": "lower right"})
        self.moving = [self.bumps, self.fit, *self.errors, self.now]
        self.controls = {
            "lam": log_slider("penalty λ", 0.1, 1e-6, 100, per_decade=10, digits=3),
            "beta": log_slider("inverse width β", 10.0, 0.1, 1000, per_decade=10),
        }

    def compute(self, lam, beta):
        """Return the model, its bumps, the errors from the largest penalty down to this one, and its freedom."""
        X, t, k = self.train.X, self.train.y, rbf_kernel(beta)
        model, K = KernelRidge(k, lam).fit(X, t), k(X)
        penalties = np.append(PENALTIES[PENALTIES > 1.001 * lam][::-1], lam)
        a = np.column_stack([dual_ridge(K, t, one) for one in penalties])
        on_train, on_new = (
            np.sqrt(np.mean((y[:, None] - k(X_, X) @ a) ** 2, axis=0)) for X_, y in ((X, t), (self.new.X, self.new.y))
        )
        values = np.linalg.eigvalsh(K)
        dof = float(np.sum(values / (values + lam)))
        return model, k(self.x[:, None], X) * model.alpha_, (penalties, on_train, on_new), dof

    def draw(self, result):
        """Draw bumps and curve, and the errors as far as the penalty has come."""
        _, bumps, (penalties, *curves), _ = result
        self.bumps.set_segments([np.column_stack([self.x, bump]) for bump in bumps.T])
        self.fit.set_data(self.x, bumps.sum(axis=1))
        for line, curve in zip(self.errors, curves):
            line.set_data(penalties, curve)
        self.now.set_offsets([[penalties[-1], min(curve[-1], 1.7)] for curve in curves])

    def describe(self, result):
        """Say how large the dual weights are, how free the curve is, and what it costs."""
        model, _, (_, on_train, on_new), dof = result
        words = f"Root mean squared error **{on_train[-1]:.3f}** on these points, **{on_new[-1]:.3f}** on new "
        words += f"ones{self.noise}. Effective degrees of freedom **{dof:.1f}** of {len(self.train.y)}, "
        return words + f"largest dual weight **{_three(np.abs(model.alpha_).max())}**."


kernel_ridge_fit = explorer(KernelRidgeFit)

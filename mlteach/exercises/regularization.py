"""Exercises of chapter 06: ridge, degrees of freedom, a lasso sweep, paths, a posterior, the gap, leave-one-out."""

import numpy as np

from mlteach.exercises.base import Wrong, exercise, expect_close, letters
from mlteach.regularization import ElasticNet, Lasso, Ridge, regularization_path


def _problem(seed, n=12, p=3):
    """Return inputs (n, p) far from centred, of different spreads, and targets (n,) with a large mean."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) * np.arange(1, p + 1) + np.arange(p) - 2.0
    return X, 7 + X @ rng.normal(size=p) + rng.normal(size=n)


def _centred_problem(seed, n=12, p=4):
    """Return centred inputs and targets whose lasso has zeros, weights to start from, and a penalty."""
    X, t = _problem(seed, n, p)
    A, t = X - X.mean(axis=0), t - t.mean()
    w = np.random.default_rng(seed + 70).normal(size=p)
    w[1] = 0.0
    return A, t, w, 0.3 * np.abs(A.T @ t).max()


# --- 6.1 -----------------------------------------------------------------------------------------------------------


def ridge(X, t, lam):
    A, t = X - X.mean(axis=0), t - t.mean()
    return np.linalg.solve(A.T @ A + lam * np.eye(A.shape[1]), A.T @ t)


def _raw_ridge(X, t, lam):
    return np.linalg.solve(X.T @ X + lam * np.eye(X.shape[1]), X.T @ t)


@exercise(
    "6.1",
    "Ridge with a free intercept",
    start="Remove the intercept first: centre X and t.",
    hints=[
        "With A = X - X.mean(axis=0) and t - t.mean() the intercept drops out, and (6.6) holds.",
        "Solve (A'A + lam I) w = A't with np.linalg.solve; the identity has as many rows as X has columns.",
        "np.linalg.solve(A.T @ A + lam * np.eye(A.shape[1]), A.T @ (t - t.mean())).",
    ],
    solution=ridge,
    explanation="(6.3) puts the plane through the mean point, so only deviations from the means are left for (6.6).",
)
def _(answer):
    for seed, p, lam in ((1, 3, 3.0), (2, 2, 0.4), (3, 20, 5.0)):  # the last has more weights than samples
        X, t = _problem(seed, p=p)
        n, wanted = len(t), ridge(X, t, lam)
        ones = np.column_stack([np.ones(n), X])
        everything = _raw_ridge(ones, t, lam)
        free = np.diag(np.append(0.0, np.full(p, lam)))
        expect_close(
            answer(X, t, lam),
            wanted,
            "The vector of weights",
            known=[
                (_raw_ridge(X, t, lam), "There is no intercept in your model: centre X and t first."),
                (everything[1:], "You penalised the intercept too. Centre X and t, and leave out the column of ones."),
                (everything, "You added a column of ones and penalised it too; and b is not to be returned."),
                (np.linalg.solve(ones.T @ ones + free, ones.T @ t), "The intercept comes first here; return w alone."),
                (ridge(X, t, lam * n), "Your λ is N times too large: the loss is a sum here, not a mean."),
                (ridge(X, t, lam / n), "Your λ is N times too small: the loss is a sum here, not a mean."),
                (ridge(X, t, 2 * lam), "Your λ is doubled. Both halves in the cost cancel the 2 of the derivative."),
                (ridge(X, t, lam**2), "Your λ is squared; (6.6) has λ itself."),
                (ridge(X, t, lam / 2), "Your λ is halved. Both halves in the cost cancel the 2 of the derivative."),
                (np.linalg.lstsq(X - X.mean(axis=0), t, rcond=None)[0], "This is least squares: λ has no effect."),
                (_raw_ridge(X, t - t.mean(), lam), "You centred t alone; the columns of X must be centred, too."),
                (_raw_ridge(X - X.mean(), t - t.mean(), lam), "Each column has its own mean: X.mean(axis=0)."),
                (_raw_ridge(X - X.mean(), t, lam), "Each column has its own mean: X.mean(axis=0). Centre t as well."),
                (
                    np.linalg.lstsq(
                        (X - X.mean(axis=0)).T @ (X - X.mean(axis=0)) + lam, X.T @ (t - t.mean()), rcond=None
                    )[0],
                    "You added λ to every entry of A'A; add it to the diagonal only, lam * np.eye(p).",
                ),
                (
                    (lambda Z: np.linalg.solve(Z.T @ Z + lam * np.eye(p), Z.T @ (t - t.mean())))(
                        (X - X.mean(axis=0)) / X.std(axis=0)
                    ),
                    "You standardised X. That is wise in practice, but here the weights of X itself are wanted.",
                ),
            ],
        )
    return "Right. It also works with more weights than samples, where least squares has no unique answer."


# --- 6.2 -----------------------------------------------------------------------------------------------------------


@exercise(
    "6.2",
    "Degrees of freedom, on paper",
    start="All that (6.10) needs is given.",
    hints=[
        "Each singular value d contributes d²/(d² + λ).",
        "Square the singular values first: 9, 1 and 0.25.",
        "With λ = 1 the shrinkage factors are 9/10, 1/2 and 0.25/1.25.",
        "0.9 + 0.5 + 0.2.",
    ],
    solution=1.6,
    explanation="0.9 + 0.5 + 0.2: wide directions are nearly free, the middle one counts half, the narrow one a fifth.",
)
def _(answer):
    expect_close(
        answer,
        1.6,
        "The number of degrees of freedom",
        rtol=0,
        atol=0.005,
        reveal=False,
        known=[
            (3 / 4 + 1 / 2 + 0.5 / 1.5, "Square the singular values: d²/(d² + λ)."),
            (3 / 10 + 1 / 2 + 0.5 / 1.25, "That is d/(d² + λ), which belongs to the weights; the fit has d²/(d² + λ)."),
            (3.0, "Three is the count at λ = 0. The penalty takes part of each direction away."),
            (1.4, "These are the shares that the penalty takes away, λ/(d² + λ); add what is left."),
            (1.6 / 3, "Add the three factors; do not average them."),
            (2.6, "That includes the free intercept; (6.10) leaves it out."),
        ],
    )
    return "Right: 0.9 + 0.5 + 0.2."


# --- 6.3 -----------------------------------------------------------------------------------------------------------


def sweep(w, A, t, lam):
    w = np.array(w, dtype=float)
    for j, x in enumerate(A.T):
        r = t - A @ w + w[j] * x
        z = x @ r
        w[j] = np.sign(z) * max(abs(z) - lam, 0) / (x @ x)
    return w


def _sweep_with(
    w, A, t, lam, *, own=True, fresh=True, divide=True, threshold=1.0, inside=False, signed=True, hard=False
):
    """Return a sweep with one thing changed, to recognise typical slips."""
    new = w.copy()
    for j, x in enumerate(A.T):
        base = new if fresh else w
        z = x @ (t - A @ base + (base[j] * x if own else 0))
        c = x @ x
        if inside:
            z = z / c
            new[j] = np.sign(z) * max(abs(z) - lam, 0)
        elif hard:
            new[j] = z / c if abs(z) > lam else 0.0
        else:
            new[j] = (np.sign(z) if signed else 1) * max(abs(z) - threshold * lam, 0) / (c if divide else 1)
    return new


@exercise(
    "6.3",
    "One sweep",
    start="For each j, begin with the residual that the other weights leave: t - A @ w + w[j] * A[:, j].",
    hints=[
        "z is the inner product of column j with that residual. Soft-threshold it by lam.",
        "Divide by the squared length of the column, after the threshold.",
        "Store w[j] at once, so that the next column sees it. Start with w = np.array(w, dtype=float).",
    ],
    solution=sweep,
    explanation="(6.22). Each weight is set to its exact minimum, and the next one already knows it.",
)
def _(answer):
    for seed, p in ((4, 4), (5, 3), (6, 5), (None, 2)):
        if seed is None:  # the example of the text, not centred
            A, t, w, lam = np.array([[1.0, 1], [1, 0], [0, 1]]), np.array([3.0, 2, 1]), np.array([1.0, -1]), 1.0
        else:
            A, t, w, lam = _centred_problem(seed, p=p)
        wanted = sweep(w, A, t, lam)
        slips = [
            ({"own": False}, "Add the own part back: the residual r_j leaves out column j, w[j] * A[:, j]."),
            (
                {"fresh": False},
                "All updates use the old weights. Store each new weight at once; the next column sees it.",
            ),
            ({"divide": False}, "Divide by the squared length of the column, A[:, j] @ A[:, j]."),
            ({"threshold": 0.5}, "Your threshold is lam/2. With the ½ in the cost it is lam."),
            ({"threshold": 2.0}, "Your threshold is 2 lam. With the ½ in the cost it is lam."),
            ({"threshold": 0.0}, "Nothing is thresholded: this is the sweep without a penalty."),
            (
                {"hard": True},
                "You keep z as it is beyond the threshold (a hard one); the soft one also takes lam away.",
            ),
            ({"signed": False}, "The sign of z is lost: a negative z gives a negative weight, np.sign(z) * max(...)."),
            ({"inside": True}, "You divided before the threshold; then the threshold must be divided as well."),
        ]
        expect_close(
            answer(w, A, t, lam),
            wanted,
            "The vector of weights after one sweep",
            known=[(_sweep_with(w, A, t, lam, **slip), words) for slip, words in slips]
            + [(sweep(w, A - A.mean(axis=0), t - t.mean(), lam), "There is no intercept here: do not centre A and t.")]
            + [(sweep(w[::-1], A[:, ::-1], t, lam)[::-1], "You went through the columns backwards; begin with j = 0.")]
            + [(sweep(wanted, A, t, lam), "This is the result of two sweeps; one is wanted.")]
            + [(sweep(np.zeros(p), A, t, lam), "You started from zero; start from the w that is given.")],
        )
    return "Right. Repeat it until the duality gap closes."


# --- 6.4 -----------------------------------------------------------------------------------------------------------


def mystery_paths(X, t, lams):
    """Return three regularisation paths by letter; which is which is the question."""
    kinds = ElasticNet(l1_ratio=0.5), Ridge(), Lasso()
    return {letter: regularization_path(kind, X, t, lams) for letter, kind in zip("ABC", kinds)}


@exercise(
    "6.4",
    "Read the paths",
    start="Compare the right ends of the curves, then the solid lines.",
    hints=[
        "One kind never reaches zero. Of the two others, one keeps the near copies together.",
        "Look at the right end, where λ is large: in which panel do the curves approach zero without ever reaching it?",
        "Look at the solid lines in the two other panels: where do the near copies run together, and where does one of "
        "them stay at zero while the other has all the weight?",
        "Ridge is smooth everywhere (B). The lasso lets one copy wait at zero (C). The elastic net keeps both (A).",
    ],
    solution="BCA",
    explanation="Ridge shrinks smoothly; lasso and elastic net have kinks and zeros; only the lasso parts the copies.",
)
def _(answer):
    panels = letters(answer, "ABC", once=True)
    if panels[0] != "B":
        raise Wrong(
            f"Panel {panels[0]} is not ridge: some of its curves lie exactly on zero over a range of λ. Ridge only "
            "comes near zero."
        )
    if panels != "BCA":
        raise Wrong("Ridge is right. Lasso and elastic net are exchanged: which of them keeps near copies together?")
    return "Right. No numbers are needed: zeros tell ridge from the others, and the twins tell those two apart."


# --- 6.5 -----------------------------------------------------------------------------------------------------------


@exercise(
    "6.5",
    "A posterior by hand",
    start="(6.31) with one column of ones, then (6.33).",
    hints=[
        "Precisions add: that of the prior is 1/4, each measurement adds 1.",
        "The posterior precision is 1/4 + 3 = 3.25; the posterior variance is its inverse.",
        "The mean is (sum of the measurements / noise variance) / precision = 9 / 3.25.",
        "A prediction has the noise on top: variance 1 + 1/3.25.",
    ],
    solution=(2.769, 1.308),
    explanation="m = 9/3.25 = 2.769, the mean 3 of the data pulled towards 0; variance 1 + 1/3.25 = 1.308.",
)
def _(answer):
    right = (9 / 3.25, 1 + 1 / 3.25)
    if isinstance(answer, (tuple, list)) and any(part is None for part in answer):
        raise Wrong("Two numbers are wanted, the mean and the variance; one of yours is missing.")
    expect_close(
        answer,
        right,
        "Your pair",
        names="the posterior mean, the predictive variance",
        rtol=0,
        atol=0.0015,
        reveal=False,
        known=[
            (right[::-1], "Both numbers are right, in the wrong order: the mean first."),
            ((3.0, 1 + 1 / 3), "That ignores the prior: precision 1/4 is to be added to the 3 of the data."),
            ((9 / 7, 1 + 1 / 7), "You used 4 as the precision of the prior; 4 is its variance, the precision is 1/4."),
            (
                (9 / 3.5, 1 + 1 / 3.5),
                "You used 1/2, one over the standard deviation; a precision is one over the variance, 1/4.",
            ),
            (
                (9 / (3 + 1 / 16), 1 + 1 / (3 + 1 / 16)),
                "You used 1/16 as the prior's precision. In N(0, 4) the 4 is the variance, not the standard deviation.",
            ),
            ((3.0, ...), "3 is the mean of the data. The mean must be pulled towards the prior's mean 0."),
            ((..., 1 / 3.25), "Your variance is that of w alone; a measurement has noise on top."),
            ((..., np.sqrt(right[1])), "Your second number is the standard deviation, not its square."),
            ((..., 1 + 3.25), "For the variance, invert the precision 3.25 before adding the noise."),
            ((..., 1 + 1 / 3), "Your variance ignores the prior, whose precision 1/4 is added to the 3 of the data."),
        ],
    )
    return "Right. The prior counts like a quarter of a measurement with the value 0."


# --- 6.6 -----------------------------------------------------------------------------------------------------------


def gap(w, A, t, lam):
    r = t - A @ w
    u = min(1, lam / np.abs(A.T @ r).max()) * r
    cost = 0.5 * r @ r + lam * np.abs(w).sum()
    return cost - (u @ t - 0.5 * u @ u)


@exercise(
    "6.6",
    "A certificate",
    start="Compute the residual r = t - A @ w, and from it the largest |x_j . r|.",
    hints=[
        "Shrink the residual until it is allowed: s = min(1, lam / max|A'r|), u = s r.",
        "The dual value is D(u) = u.t - ½ u.u; the cost is ½ r.r + lam * sum|w|.",
        "Return the cost minus the dual value: one number, never negative.",
    ],
    solution=gap,
    explanation="(6.25). The gap is zero exactly at the minimum, and bounds the distance from it everywhere else.",
)
def _(answer):
    for seed in (7, 8, 9):
        A, t, start, lam = _centred_problem(seed)
        near = start
        for _ in range(200):
            near = sweep(near, A, t, lam)
        # A rough start, a place where the residual is allowed as it is (s = 1), and one where nothing is used
        slack = 1.3 * np.abs(A.T @ (t - A @ (0.9 * near))).max()
        for w, price in ((start, lam), (0.9 * near, slack), (np.zeros(4), lam)):
            r = t - A @ w
            steepest, cost = np.abs(A.T @ r).max(), 0.5 * r @ r + price * np.abs(w).sum()
            s = min(1, price / steepest)

            def with_factor(f, r=r, t=t, cost=cost):
                return cost - (f * r @ t - 0.5 * f**2 * r @ r)

            expect_close(
                answer(w, A, t, price),
                with_factor(s),
                "The duality gap",
                known=[
                    (with_factor(1), "You used u = r without shrinking it; it violates |x_j.u| ≤ λ. Multiply by s."),
                    (with_factor(price / steepest), "s must not exceed 1: take min(1, λ/max|x_j.r|)."),
                    (
                        with_factor(price / (A.T @ r).max()),
                        "Take the largest absolute value of x_j.r, not the largest.",
                    ),
                    (cost - s * r @ t + s**2 * r @ r, "In D(u) the term u.u has the factor ½."),
                    (cost - s * r @ t - 0.5 * s**2 * r @ r, "In D(u) the term ½ u.u is subtracted: D = u.t - ½ u.u."),
                    (cost, "This is the cost alone; subtract the dual value D(u)."),
                    (s * r @ t - 0.5 * s**2 * r @ r, "This is the dual value alone; the gap is the cost minus it."),
                    (with_factor(s) + 0.5 * r @ r, "The squared error in the cost has the factor ½."),
                    (
                        with_factor(s) - price * (np.abs(w).sum() - w.sum()),
                        "The penalty is the sum of absolute values, np.abs(w).sum().",
                    ),
                ],
            )
    return "Right. A number like this tells when to stop, whatever the method."


# --- 6.7 -----------------------------------------------------------------------------------------------------------


def leave_one_out(X, t, lam):
    A, y = X - X.mean(axis=0), t - t.mean()
    H = A @ np.linalg.solve(A.T @ A + lam * np.eye(A.shape[1]), A.T)
    h = 1 / len(t) + np.diag(H)
    return np.mean(((y - H @ y) / (1 - h)) ** 2)


@exercise(
    "6.7",
    "Leave one out, with a penalty",
    start="Centre X and t, and form the hat matrix (6.9).",
    hints=[
        "With A = X - X.mean(axis=0): H = A (A'A + lam I)^-1 A'. The residuals are (t - mean) - H (t - mean).",
        "The leverages are h = 1/N + np.diag(H): the intercept has its share.",
        "np.mean((r / (1 - h)) ** 2).",
    ],
    solution=leave_one_out,
    explanation="Leave n out, and put its prediction in the place of t_n: the same weights minimise the full cost "
    "too, because the miss of that sample is zero. The fit is linear in t; solve for the miss. λ may be anything.",
)
def _(answer):
    x, t5 = np.arange(1.0, 6)[:, None], np.array([2.0, 3, 5, 4, 6])
    for X, t, lam in (
        (x, t5, 1.0),
        (*_problem(10), 3.0),
        (*_problem(11, n=9, p=2), 0.5),
        (*_problem(12, n=8, p=11), 2.0),
    ):
        n = len(t)
        A, y = X - X.mean(axis=0), t - t.mean()
        H = A @ np.linalg.solve(A.T @ A + lam * np.eye(A.shape[1]), A.T)
        r, h, g = y - H @ y, np.diag(H), X @ np.linalg.solve(X.T @ X + lam * np.eye(X.shape[1]), X.T)
        ones = np.column_stack([np.ones(n), X])
        G = ones @ np.linalg.solve(ones.T @ ones + lam * np.eye(ones.shape[1]), ones.T)
        expect_close(
            answer(X, t, lam),
            leave_one_out(X, t, lam),
            "The leave-one-out error",
            known=[
                (np.mean(r**2), "This is the training error; divide each residual by 1 - h."),
                (np.mean((r / (1 - h)) ** 2), "The free intercept has leverage, too: h = 1/N + diag(H)."),
                (np.sum((r / (1 - h - 1 / n)) ** 2), "This is the sum of the squared misses; the mean is wanted."),
                (np.sqrt(leave_one_out(X, t, lam)), "This is the root of the mean; the mean of the squares is wanted."),
                (np.mean(r**2 / (1 - h - 1 / n)), "Divide the residual by 1 - h before squaring, not after."),
                (np.mean(r / (1 - h - 1 / n)), "Square the misses before averaging."),
                (leave_one_out(X, t, 0.0) if X.shape[1] < n - 1 else np.nan, "λ has no effect in your function."),
                (
                    np.mean(((t - G @ t) / (1 - np.diag(G))) ** 2),
                    "You penalised the column of ones. Centre X and t, and add 1/N to the leverages.",
                ),
                (
                    np.mean(((t - g @ t) / (1 - np.diag(g))) ** 2),
                    "There is no intercept in your model: centre X and t.",
                ),
                (
                    np.mean((r / (1 - (h.sum() + 1) / n)) ** 2),
                    "You used the mean leverage for all; each sample has its own.",
                ),
            ],
        )
    return "Right. With the formula one fit takes the place of N: the cheapest way to choose ridge's λ."

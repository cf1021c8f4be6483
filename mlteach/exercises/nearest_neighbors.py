"""Tasks and exercises of chapter 14: votes, borders, bias and variance, scaling, distances, local fits."""

import numpy as np

from mlteach.exercises.base import exercise, expect_close, expect_function

# --- 14.a ----------------------------------------------------------------------------------------------------------


@exercise(
    "14.a",
    "Count the votes",
    start="What are the squared distances of the six points from (2, 2)?",
    hints=[
        "Class 0: 8, 1, 8. Class 1: 2, 1, 13.",
        "The nearest three have the squared distances 1, 1, 2; the next two 8 and 8.",
        "Of the nearest three two are of class 1; of the nearest five still two.",
    ],
    solution=(0.6667, 0.4),
    explanation="K = 3: (2, 1), (3, 2), (1, 3), so 2/3. K = 5: also (0, 0) and (4, 4), so 2/5.",
)
def _(share_3, share_5):
    expect_close(
        (share_3, share_5),
        (2 / 3, 2 / 5),
        "The pair of shares",
        rtol=0,
        atol=0.0051,
        reveal=False,
        names="K = 3, K = 5",
        known=[
            ((1 / 3, 3 / 5), "These are the shares of class 0; class 1 is asked for."),
            ((2, 2), "These are the numbers of votes; divide each by its K."),
            ((2 / 6, 2 / 6), "You divided by the number of all points; divide by K."),
            ((2 / 5, 2 / 3), "The two shares are exchanged: K = 3 comes first."),
            ((1 / 3, ...), "For K = 3 this is the share of class 0, or you took (0, 0) in place of (1, 3)."),
            ((2 / 3, 3 / 5), "For K = 5 this is the share of class 0: (0, 0) and (4, 4) are 8 away, (5, 0) is 13."),
            ((2 / 3, 1 / 2), "This is the share for K = 4, or for all six; the nearest five are asked for."),
            ((1.0, 1.0), "This names a class. The share of class 1 among the neighbours is asked for."),
            ((1.0, 0.0), "This names the class. The share of class 1 among the neighbours is asked for."),
            ((1.0, ...), "You missed (2, 1), which is as near as (3, 2)."),
            ((2 / 3, 1 / 3), "For K = 5 you divided two votes by six; five points vote."),
            ((1 / 2, 1 / 2), "This is the share among all six points; the nearest K vote."),
            ((2 / 3, 1 / 5), "For K = 5 two of the five are of class 1: (3, 2) and (1, 3)."),
            ((67, 40), "A share lies between 0 and 1: not in per cent, please."),
            ((66.67, 40), "A share lies between 0 and 1: not in per cent, please."),
        ],
    )
    return "Right: with K = 5 the answer turns to class 0."


# --- 14.b ----------------------------------------------------------------------------------------------------------


@exercise(
    "14.b",
    "The border of a cell",
    start="At which point (x1, 0) are both stored points equally far?",
    hints=[
        "Write (14.3) with a = (1, 0) and b = (4, 2).",
        "2 (3 x1 + 2 x2) = 20 - 1, and on the axis x2 = 0.",
        "6 x1 = 19.",
    ],
    solution=3.1667,
    explanation="(x - 1)² = (x - 4)² + 4 gives 6x = 19, x = 3.167: the line leans, because b lies higher.",
)
def _(answer):
    expect_close(
        answer,
        19 / 6,
        "The border",
        rtol=0,
        atol=0.0051,
        reveal=False,
        known=[
            (2.5, "This is halfway in x1 only. The points also differ in x2, so the border leans (14.3)."),
            (3.5, "You added |x1| and |x2| (Manhattan); (14.1) adds squares."),
            (20 / 6, "You left out |a|² = 1 on the right side of (14.3)."),
            (21 / 6, "You added |a|² = 1 on the right side of (14.3); it is subtracted."),
            (19 / 3, "The factor 2 on the left side of (14.3) is missing."),
            (19 / 8, "The left side of (14.3) has b - a = (3, 2), not b."),
            (19 / 10, "You put x1 for x2 as well; on the axis x2 = 0."),
            (16 / 6, "The sum of squares of b is 4² + 2² = 20."),
            (17 / 6, "You added 2 where its square belongs: |b|² = 16 + 4."),
            (
                1 + np.hypot(3, 2) / 2,
                "You walked half of the distance between the points along the axis; the border leans.",
            ),
        ],
    )
    return "Right: farther than halfway, since the orange point lies off the axis."


# --- 14.c ----------------------------------------------------------------------------------------------------------


@exercise(
    "14.c",
    "Bias and variance by hand",
    start="What is f at the neighbours, and its mean?",
    hints=[
        "f is 0.01, 0.04, 0.16, 0.25 at the four neighbours, and 0 at the query.",
        "K = 1: the bias is 0.01, the variance 0.04. K = 4: the bias is 0.46/4, the variance 0.04/4.",
        "Noise 0.04, plus the squared bias, plus the variance.",
    ],
    solution=(0.0801, 0.063225),
    explanation="K = 1: 0.04 + 0.01² + 0.04 = 0.0801. K = 4: 0.04 + 0.115² + 0.01 = 0.0632.",
)
def _(error_1, error_4):
    expect_close(
        (error_1, error_4),
        (0.0801, 0.063225),
        "The pair of errors",
        rtol=0,
        atol=0.00006,
        reveal=False,
        names="K = 1, K = 4",
        known=[
            ((0.0401, 0.023225), "The first term of (14.5) is missing: a new target has noise of its own, 0.04."),
            ((0.09, 0.165), "You added the bias itself; (14.5) adds its square."),
            ((0.0801, 0.093225), "The variance of a mean of four is a quarter of 0.04."),
            ((0.0801, 0.07245), "You averaged the squared gaps; the bias is the gap of the mean, squared."),
            ((0.08, 0.05), "The squared bias is missing."),
            ((0.0801, 0.05000625), "You averaged the places, then took f. Take f at each neighbour, then the mean."),
            ((0.0401, 0.053225), "The variance is missing: 0.04/K."),
            ((0.0001, 0.013225), "This is the squared bias alone; add noise and variance."),
            ((0.063225, 0.0801), "The two errors are exchanged: K = 1 comes first."),
            ((0.0801, 0.04 + 0.46**2 + 0.01), "For K = 4 divide the sum of f by four."),
            ((0.0801, 0.04 + 0.0625 + 0.01), "For K = 4 the mean of all four neighbours counts, not the farthest."),
            ((0.0801, 0.04 + 0.013225 + 0.02), "The variance is 0.04/K, not 0.04 over the root of K."),
            ((0.0801, 0.04 + 0.013225 + 0.04 / 16), "The variance is 0.04/K, not 0.04/K²."),
            ((0.09, 0.0525), "You took the places for the targets: the bias needs f(x) = x² at each neighbour."),
            ((0.0801, 0.0525), "For K = 4 you took the places for the targets: the bias needs f(x) = x² at each."),
            ((0.0401, ...), "For K = 1 a term is missing: noise of the new target 0.04, and variance 0.04/1."),
            ((0.0032 + 0.0001, ...), "0.04 is the variance already; do not square it."),
        ],
    )
    return "Right: the larger bias of four neighbours is cheaper than the variance of one."


# --- 14.d ----------------------------------------------------------------------------------------------------------


@exercise(
    "14.d",
    "One neighbour and the best",
    start="What is r, the chance of the rarer class, at each kind of place?",
    hints=[
        "r is 0.1 at one half of the places and 0.4 at the other.",
        "R* is the mean of r. R is the mean of 2r(1 - r), taken place by place.",
        "R* = (0.1 + 0.4)/2, R = (0.18 + 0.48)/2.",
    ],
    solution=(0.25, 0.33),
    explanation="R* = 0.25; R = (2·0.1·0.9 + 2·0.4·0.6)/2 = 0.33, below the bound 2·0.25·0.75 = 0.375.",
)
def _(best, one):
    expect_close(
        (best, one),
        (0.25, 0.33),
        "The pair",
        rtol=0,
        atol=0.0006,
        reveal=False,
        names="R*, R",
        known=[
            ((0.25, 0.375), "For R you put the mean R* into 2r(1 - r). Take 2r(1 - r) at each place, then the mean."),
            ((0.25, 0.5), "2R* is the bound; R itself is the mean of 2r(1 - r)."),
            ((0.35, ...), "You averaged η. The best guess errs with r = min(η, 1 - η), which is 0.4 where η = 0.6."),
            ((0.25, 0.165), "The two draws can differ in two ways: 2r(1 - r)."),
            ((0.33, 0.25), "The two are exchanged: R* comes first."),
            ((0.5, 0.66), "Each kind of place is one half of all: take means, not sums."),
            ((0.75, ...), "This is the chance to be right; errors are asked for."),
            ((0.25, 0.67), "This is the chance that the two labels agree; the error is one minus it."),
            ((0.25, 0.455), "You put the mean of η into 2η(1 - η). Take 2r(1 - r) at each place, then the mean."),
            ((0.25, 0.18), "This R belongs to the places with η = 0.1; average over both kinds."),
            ((0.25, 0.48), "This R belongs to the places with η = 0.6; average over both kinds."),
            ((0.4, ...), "R* is an average over both kinds of places."),
            ((0.1, ...), "R* is an average over both kinds of places."),
            ((0.25, 0.25), "One neighbour does not reach R*: its label is a draw, too (14.6)."),
        ],
    )
    return "Right: between R* and 2R*(1 - R*) = 0.375."


# --- 14.e ----------------------------------------------------------------------------------------------------------


def scale_inside(train, test):
    return (test - train.mean(axis=0)) / train.std(axis=0, ddof=1)


def _scaling_cases():
    rng = np.random.default_rng(0)
    return [
        (np.array([[1.0, 10.0], [2.0, 40.0], [6.0, 70.0]]), np.array([[3.0, 40.0], [0.0, 100.0]])),
        (rng.normal(5, 2, (6, 3)) * [1, 30, 0.1], rng.normal(4, 3, (4, 3)) * [1, 30, 0.1]),
        (rng.normal(-2, 1, (4, 1)), rng.normal(0, 1, (3, 1))),
    ]


_CONVENTION = "You divided by N; here the standard deviation divides by N - 1 (ddof=1)."
SCALING_SLIPS = [
    (lambda a, b: (b - a.mean(axis=0)) / a.std(axis=0), _CONVENTION),
    (
        lambda a, b: (b - b.mean(axis=0)) / b.std(axis=0, ddof=1),
        "You used mean and spread of test; those of train are wanted.",
    ),
    (lambda a, b: (b - b.mean(axis=0)) / b.std(axis=0), "You used mean and spread of test; those of train are wanted."),
    (
        lambda a, b: (b - np.vstack([a, b]).mean(axis=0)) / np.vstack([a, b]).std(axis=0, ddof=1),
        "You used mean and spread of train and test together. Test must stay unseen: train only.",
    ),
    (
        lambda a, b: (b - np.vstack([a, b]).mean(axis=0)) / np.vstack([a, b]).std(axis=0),
        "You used mean and spread of train and test together. Test must stay unseen: train only.",
    ),
    (lambda a, b: scale_inside(b, a), "You scaled train by means and spreads of test: train and test are exchanged."),
    (lambda a, b: (a - a.mean(axis=0)) / a.std(axis=0, ddof=1), "You returned train; the scaled test is wanted."),
    (lambda a, b: b - a.mean(axis=0), "Divide by the standard deviations, too (14.8)."),
    (lambda a, b: b / a.std(axis=0, ddof=1), "Subtract the means of train first (14.8)."),
    (
        lambda a, b: b - a.mean(axis=0) / a.std(axis=0, ddof=1),
        "Put brackets round the difference: subtract, then divide.",
    ),
    (lambda a, b: (b - a.mean(axis=0)) * a.std(axis=0, ddof=1), "You multiplied by the standard deviation; divide."),
    (lambda a, b: (b + a.mean(axis=0)) / a.std(axis=0, ddof=1), "You added the mean; subtract it."),
    (
        lambda a, b: (b - a.mean(axis=0)) / a.std(ddof=1),
        "You took one spread for everything; each feature has its own (axis=0).",
    ),
    (
        lambda a, b: (b - a.mean()) / a.std(axis=0, ddof=1),
        "You took one mean for everything; each feature has its own (axis=0).",
    ),
    (lambda a, b: (b - np.median(a, axis=0)) / a.std(axis=0, ddof=1), "You took the median; (14.8) takes the mean."),
    (lambda a, b: (b - a.mean(axis=0)) / a.var(axis=0, ddof=1), "You divided by the variance; take its root."),
    (
        lambda a, b: (b - a.mean(axis=0)) / b.std(axis=0, ddof=1),
        "The means are those of train, the spreads those of test: take both from train.",
    ),
    (
        lambda a, b: (b - b.mean(axis=0)) / a.std(axis=0, ddof=1),
        "The spreads are those of train, the means those of test: take both from train.",
    ),
    (
        lambda a, b: (b - a.mean()) / a.std(ddof=1),
        "You took one mean and one spread for everything; each feature has its own (axis=0).",
    ),
    (
        lambda a, b: (b - a.min(axis=0)) / np.ptp(a, axis=0),
        "This is min-max scaling; (14.8) uses mean and standard deviation.",
    ),
]


@exercise(
    "14.e",
    "Scaled inside the fold",
    start="Which means and spreads may the model know?",
    hints=[
        "Means and standard deviations of the columns of train: axis=0.",
        "np.std divides by N unless you give it ddof=1.",
        "(test - train.mean(axis=0)) / train.std(axis=0, ddof=1).",
    ],
    solution=scale_inside,
)
def _(answer):
    expect_function(
        answer, scale_inside, _scaling_cases(), "The scaled test", slips=SCALING_SLIPS, rtol=1e-5, atol=1e-6
    )
    return "Right. The scaled test set has neither mean 0 nor spread 1, and should not."


# --- 14.f ----------------------------------------------------------------------------------------------------------


@exercise(
    "14.f",
    "A distance behind a kernel",
    start="What are k(x, x), k(x', x') and k(x, x')?",
    hints=[
        "x · x = 5, x' · x' = 1, x · x' = 2.",
        "The kernel values are 36, 4 and 9.",
        "36 + 4 - 2 · 9.",
    ],
    solution=22.0,
    explanation="k(x, x) = 6² = 36, k(x', x') = 2² = 4, k(x, x') = 3² = 9; 36 + 4 - 18 = 22.",
)
def _(answer):
    expect_close(
        answer,
        22.0,
        "The squared distance",
        rtol=1e-4,
        reveal=False,
        known=[
            (2.0, "This is the plain squared distance |x - x'|²; put the kernel in place of the inner products."),
            (4.0, "You squared the plain distance; (14.9) needs three kernel values."),
            (9.0, "This is k(x, x') alone, or you put |x - x'|² into the kernel; (14.9) has three terms."),
            (31.0, "The last term of (14.9) has the factor 2."),
            (58.0, "The last term of (14.9) is subtracted."),
            (40.0, "The last term of (14.9) is missing."),
            (18.0, "You left out the + 1 inside the kernel."),
            (np.sqrt(22.0), "This is the distance; its square is asked for."),
            (8.0 - 6.0, "You forgot to square inside the kernel."),
            (36 + 4 - 2 * 3, "You forgot to square k(x, x')."),
        ],
    )
    return "Right: six features, and none of them was computed."


# --- 14.g ----------------------------------------------------------------------------------------------------------


@exercise(
    "14.g",
    "A cube for five per cent",
    start="Which share does a cube of edge ℓ hold in 20 dimensions?",
    hints=["ℓ to the power 20.", "Solve ℓ²⁰ = 0.05 (14.10).", "0.05 ** (1 / 20)."],
    solution=0.8609,
    explanation="0.05^(1/20) = 0.861: 86 per cent of the range of every feature.",
)
def _(answer):
    expect_close(
        answer,
        0.05 ** (1 / 20),
        "The edge",
        rtol=0,
        atol=0.0006,
        reveal=False,
        known=[
            (0.05**20, "You took the power 20; the edge is the 20th root of the share."),
            (0.05 / 20, "You divided by 20; take the 20th root of the share."),
            (0.05, "This is the share itself, the edge in one dimension."),
            (0.95 ** (1 / 20), "This cube holds 95 %; it should hold 5 %."),
            (0.01 ** (1 / 20), "This cube holds 1 %; it should hold 5 %."),
            (0.5 ** (1 / 20), "This cube holds 50 %; it should hold 5 %."),
            (0.05 ** (1 / 10), "This is the edge in ten dimensions."),
            (0.05**0.5, "This is the edge in two dimensions."),
            (5 ** (1 / 20), "Five per cent is the share 0.05."),
            (1 - 0.05 ** (1 / 20), "This is what is left of the edge."),
            (0.05 ** (1 / 20) / 2, "This is half of the edge."),
            (86.09, "An edge of the unit cube is at most 1: not in per cent, please."),
            (86.1, "An edge of the unit cube is at most 1: not in per cent, please."),
        ],
    )
    return "Right: a neighbourhood that spans nearly everything."


# --- 14.h ----------------------------------------------------------------------------------------------------------

_X, _T = np.array([0.0, 1.0, 3.0]), np.array([2.0, 6.0, 1.0])


def _kernel_mean(exponent):
    q = np.exp(-exponent)
    return float(q @ _T / q.sum())


_GAPS = np.abs(_X - 1)


@exercise(
    "14.h",
    "A weighted mean by hand",
    start="How far is each point from the query, and what is 2τ²?",
    hints=[
        "The distances are 1, 0, 2, and 2τ² = 4.5.",
        "The weights are exp(-1/4.5), 1, exp(-4/4.5).",
        "(0.8007 · 2 + 1 · 6 + 0.4111 · 1) / (0.8007 + 1 + 0.4111).",
    ],
    solution=round(_kernel_mean(_GAPS**2 / 4.5), 4),
    explanation="Weights 0.8007, 1, 0.4111; 8.0126 / 2.2119 = 3.623.",
)
def _(answer):
    q = np.exp(-(_GAPS**2) / 4.5)
    expect_close(
        answer,
        _kernel_mean(_GAPS**2 / 4.5),
        "The weighted mean",
        rtol=0,
        atol=0.0006,
        reveal=False,
        known=[
            (_kernel_mean(_GAPS**2 / 2), "This is the answer for τ = 1; here τ = 1.5."),
            (_kernel_mean(_GAPS**2 / 2.25), "The factor 2 in the exponent is missing: divide by 2τ² = 4.5."),
            (_kernel_mean(_GAPS**2 / 3), "You divided by 2τ; τ is squared in the exponent."),
            (_kernel_mean(_GAPS / 4.5), "The distance is squared in the exponent."),
            (_kernel_mean(_GAPS**2 / 9), "You divided by (2τ)²; only τ is squared: 2τ² = 4.5."),
            (_kernel_mean(_GAPS**2 / 1.5), "You divided by τ; divide by 2τ² = 4.5."),
            (_kernel_mean(_GAPS**2), "The bandwidth is missing: divide by 2τ² = 4.5."),
            (_kernel_mean(_GAPS / 1.5), "The exponent is minus the squared distance over 2τ²."),
            (_kernel_mean(-(_GAPS**2) / 4.5), "The minus in the exponent is missing: far points would count most."),
            (float(_T.mean()), "This is the plain mean; weight the targets."),
            (float(q @ _T), "Divide by the sum of the weights (14.12)."),
            (float(q @ _T) / 3, "Divide by the sum of the weights, not by the number of points."),
            (6.0, "This is the nearest target alone; the others count, too."),
            (float(q[[0, 2]] @ _T[[0, 2]] / q[[0, 2]].sum()), "The point on the query counts, with the weight 1."),
            (_kernel_mean(_X**2 / 4.5), "You took distances from 0; the query is 1."),
        ],
    )
    return "Right: near its own 6, drawn down by the others."


# --- 14.1 ----------------------------------------------------------------------------------------------------------


def vote(X, t, query, K):
    far = np.sum((X - query) ** 2, axis=1)
    rows = np.argsort(far, kind="stable")[:K]
    classes, counts = np.unique(t[rows], return_counts=True)
    return int(classes[np.argmax(counts)])


def voting(order=None, K=None, choose=None):
    """Return a voter with one thing done another way."""

    def wrong(X, t, query, k):
        far = np.sum((X - query) ** 2, axis=1)
        rows = order(X, query) if order else np.argsort(far, kind="stable")
        classes, counts = np.unique(t[rows[: K(k) if K else k]], return_counts=True)
        return int(choose(classes, counts) if choose else classes[np.argmax(counts)])

    return wrong


def _met_first(X, t, query, K):
    labels = t[np.argsort(np.sum((X - query) ** 2, axis=1), kind="stable")[:K]].tolist()
    return max(labels, key=labels.count)


def _partitioned(X, t, query, K):
    rows = np.argpartition(np.sum((X - query) ** 2, axis=1), min(K, len(X) - 1))[:K]
    classes, counts = np.unique(t[rows], return_counts=True)
    return int(classes[np.argmax(counts)])


def _all_as_near(X, t, query, K):
    far = np.sum((X - query) ** 2, axis=1)
    classes, counts = np.unique(t[far <= np.sort(far)[K - 1]], return_counts=True)
    return int(classes[np.argmax(counts)])


def _by_distance(X, t, query, K):
    far = np.linalg.norm(X - query, axis=1)
    rows = np.argsort(far, kind="stable")[:K]
    classes = np.unique(t[rows])
    return int(classes[np.argmax([np.sum(1 / (far[rows][t[rows] == c] + 1e-12)) for c in classes])])


_STABLE = "Of equal distances the earlier row is nearer: np.argsort needs kind='stable' for it."
_TWO_FEATURES = "You used the first two features only; the distance adds all of them (axis=1)."
VOTE_SLIPS = [
    (
        voting(order=lambda X, q: np.argsort(-np.sum((X - q) ** 2, axis=1), kind="stable")),
        "You asked the farthest points; sort by rising distance.",
    ),
    (
        voting(order=lambda X, q: np.argsort(np.abs(X - q).sum(axis=1), kind="stable")),
        "You used the Manhattan distance; (14.1) adds squares.",
    ),
    (
        voting(order=lambda X, q: np.argsort(np.abs(X - q).max(axis=1), kind="stable")),
        "You used the largest difference; (14.1) adds the squares of all.",
    ),
    (
        voting(order=lambda X, q: np.argsort(np.abs(np.sum(X - q, axis=1)), kind="stable")),
        "Square the differences before you add them: they cancel otherwise.",
    ),
    (
        voting(order=lambda X, q: np.argsort(np.abs(X - q)[:, 0], kind="stable")),
        "You used the first feature only; the distance adds all of them (axis=1).",
    ),
    (
        voting(order=lambda X, q: np.argsort(np.sum((X - q) ** 2, axis=1)[::-1], kind="stable") * -1 + len(X) - 1),
        "Of equal distances the earlier row is nearer; yours takes the later one.",
    ),
    (
        voting(order=lambda X, q: np.argsort(np.sum(X**2, axis=1), kind="stable")),
        "You measured from the origin; measure from the query.",
    ),
    (
        voting(order=lambda X, q: np.argsort(np.sum(X - q, axis=1), kind="stable")),
        "Square the differences before you add them: they cancel otherwise, and negative sums come first.",
    ),
    (voting(order=lambda X, q: np.argsort(np.sum((X - q) ** 2, axis=1))), _STABLE),
    (voting(order=lambda X, q: np.argsort(np.linalg.norm(X - q, axis=1))), _STABLE),
    (_partitioned, _STABLE),
    (_met_first, "Of equal votes the smallest class wins; yours takes the one that it meets first."),
    (_all_as_near, "You let every point vote that is as near as the K-th; exactly K vote, of equals the earlier rows."),
    (
        voting(order=lambda X, q: np.argsort(np.sum((X - q) ** 2, axis=1), kind="stable")[1:]),
        "You left out the nearest point. A new query is not among the stored points: all of them may vote.",
    ),
    (
        lambda X, t, q, K: vote(X[np.any(X != q, axis=1)], t[np.any(X != q, axis=1)], q, K),
        "You left out the points on the query. They are its nearest: let them vote.",
    ),
    (
        voting(order=lambda X, q: np.argsort(np.sum((X - q) ** 2, axis=1), kind="stable")[::-1]),
        "You asked the farthest points; sort by rising distance.",
    ),
    (voting(order=lambda X, q: np.argsort(np.sum((X - q)[:, :2] ** 2, axis=1), kind="stable")), _TWO_FEATURES),
    (voting(order=lambda X, q: np.argsort(-(X @ q), kind="stable")), "The largest inner product is not the nearest."),
    (
        lambda X, t, q, K: t[np.argsort(np.sum((X - q) ** 2, axis=1), kind="stable")[K - 1]],
        "You returned the class of the K-th neighbour; all K of them vote.",
    ),
    (
        lambda X, t, q, K: t[np.argsort(np.sum((X - q) ** 2, axis=1), kind="stable")[:K]].max(),
        "You returned the largest class among the neighbours; the most frequent one is wanted.",
    ),
    (_by_distance, "You weighted the votes by 1/distance; here all K count alike."),
    (voting(K=lambda k: 1), "You asked one neighbour only; K of them vote."),
    (voting(K=lambda k: 3), "You always ask three neighbours; use the argument K."),
    (voting(K=lambda k: 5), "You always ask five neighbours; use the argument K."),
    (voting(K=lambda k: k + 1), "You asked K + 1 neighbours."),
    (voting(K=lambda k: max(k - 1, 1)), "You asked K - 1 neighbours."),
    (voting(K=lambda k: 10**6), "All points voted; only the K nearest may."),
    (
        voting(choose=lambda classes, counts: classes[len(counts) - 1 - np.argmax(counts[::-1])]),
        "Of equal votes the smallest class wins; yours takes the largest.",
    ),
    (voting(choose=lambda classes, counts: counts.max()), "You returned the number of votes; the class is wanted."),
    (voting(choose=lambda classes, counts: np.argmax(counts)), "You returned the place of the class in a list."),
    (voting(choose=lambda classes, counts: classes[0]), "You returned the smallest class among the neighbours."),
    (
        lambda X, t, q, K: np.mean(t[np.argsort(np.sum((X - q) ** 2, axis=1), kind="stable")[:K]]),
        "You averaged the labels; classes are names: count them.",
    ),
    (
        lambda X, t, q, K: round(np.mean(t[np.argsort(np.sum((X - q) ** 2, axis=1), kind="stable")[:K]])),
        "You averaged the labels and rounded; classes are names: count them.",
    ),
    (
        lambda X, t, q, K: int(np.median(t[np.argsort(np.sum((X - q) ** 2, axis=1), kind="stable")[:K]])),
        "You took the median of the labels; classes are names: count them.",
    ),
]


def vote_cases():
    """Cases that tell the slips apart: the chapter's five points, ties of both kinds, labels that are no indices."""
    five = np.array([[0, 0], [1, 0], [0, 1], [5, 5], [6, 5.0]]), np.array([0, 0, 0, 1, 1])
    rng = np.random.default_rng(1)
    X, t = rng.integers(-4, 5, (14, 2)).astype(float), rng.choice([-3, 2, 7, 40], 14)
    row = np.array([[-1.0], [1.0], [-2.0], [2.0], [3.0]]), np.array([9, 4, 4, 9, 4])
    cases = [(*five, np.array([5.0, 5.0]), K) for K in (1, 3, 5)]
    cases += [(X, t, rng.integers(-4, 5, 2).astype(float), K) for K in (1, 2, 3, 4, 5, 7, 9) for _ in range(3)]
    cases += [(*row, np.array([0.0]), K) for K in (1, 2, 3, 4, 5)]
    lattice, many = rng.integers(0, 4, (60, 2)).astype(float), rng.choice([1, 5, 6], 60)  # full of equal distances
    cases += [
        (lattice, many, np.array([a, b]), K) for a, b in ((1.0, 1.0), (1.5, 2.0), (2.0, 0.0)) for K in (2, 3, 6, 8)
    ]
    deep = np.column_stack([X, rng.integers(-9, 10, (14, 2))])  # four features, the last two count most
    return cases + [(deep, t, np.array([1.0, -2.0, 0.5, c]), K) for c in (-6.0, 3.0) for K in (1, 3, 4)]


@exercise(
    "14.1",
    "A classifier in a few lines",
    start="What are the distances from the query, and how are the K smallest found?",
    hints=[
        "np.sum((X - query) ** 2, axis=1), then np.argsort(..., kind='stable')[:K].",
        "np.unique(t[rows], return_counts=True) gives the classes in sorted order, and their votes.",
        "np.argmax returns the first of equal maxima, so the smallest class wins a tie.",
    ],
    solution=vote,
)
def _(answer):
    expect_function(answer, vote, vote_cases(), "The class", slips=VOTE_SLIPS)
    return "Right, ties and all."


# --- 14.2 ----------------------------------------------------------------------------------------------------------


def loo_error(X, t, K):
    D = np.sum((X[:, None] - X) ** 2, axis=2)
    np.fill_diagonal(D, np.inf)
    wrong = 0
    for n in range(len(X)):
        rows = np.argsort(D[n], kind="stable")[:K]
        classes, counts = np.unique(t[rows], return_counts=True)
        wrong += classes[np.argmax(counts)] != t[n]
    return wrong / len(X)


def leaving(mask=None, first=0, last=None, D=None, out=None):
    """Return a leave-one-out error with one thing done another way."""

    def wrong(X, t, K):
        table = D(X) if D else np.sum((X[:, None] - X) ** 2, axis=2)
        table = mask(table) if mask else table
        errors = 0
        for n in range(len(X)):
            rows = np.argsort(table[n], kind="stable")[first : (last(K) if last else K) + first]
            classes, counts = np.unique(t[rows], return_counts=True)
            errors += classes[np.argmax(counts)] != t[n]
        return out(errors, len(X)) if out else errors / len(X)

    return wrong


def _without_self(D):
    D = D.copy()
    np.fill_diagonal(D, np.inf)
    return D


def _left_out(voter, labels=np.delete):
    """Return a leave-one-out error in which another voter judges each point."""

    def wrong(X, t, K):
        return float(np.mean([voter(np.delete(X, n, 0), labels(t, n), X[n], K) != t[n] for n in range(len(X))]))

    return wrong


def leaving_unstable(X, t, K):
    table = _without_self(np.sum((X[:, None] - X) ** 2, axis=2))
    said = []
    for row in np.argsort(table, axis=1)[:, :K]:
        classes, counts = np.unique(t[row], return_counts=True)
        said.append(classes[np.argmax(counts)])
    return float(np.mean(said != t))


LOO_SLIPS = [
    (leaving(), "Each point votes for itself: this is the training error. Leave the point itself out."),
    (
        leaving(mask=lambda D: np.where(D == 0, np.inf, D)),
        "You leave out every point at distance 0; only the point itself may go, its twin stays.",
    ),
    (
        leaving(first=1),
        "You drop the first of each sorted row. That may be its twin, if two points coincide: drop the point itself.",
    ),
    (leaving(mask=_without_self, out=lambda e, N: e), "This is the number of wrong points; divide by N."),
    (leaving(mask=_without_self, out=lambda e, N: 1 - e / N), "This is the share of right answers; errors are wanted."),
    (leaving(mask=_without_self, out=lambda e, N: e / (N - 1)), "Divide by N: each of the N points is judged once."),
    (leaving(mask=_without_self, last=lambda K: max(K - 1, 1)), "Only K - 1 neighbours vote; K are wanted."),
    (leaving(mask=_without_self, last=lambda K: 3), "Three neighbours vote, whatever K is; use the argument K."),
    (leaving(last=lambda K: K + 1), "K + 1 points vote, the point itself among them; it may not vote for itself."),
    (leaving(mask=_without_self, last=lambda K: K + 1), "You asked K + 1 of the others; K vote."),
    (_left_out(voting(order=lambda X, q: np.argsort(np.sum((X - q) ** 2, axis=1)))), _STABLE),
    (_left_out(voting(order=lambda X, q: np.argsort(np.linalg.norm(X - q, axis=1)))), _STABLE),
    (leaving_unstable, _STABLE),
    (_left_out(_met_first), "Of equal votes the smallest class wins; yours takes the one that it meets first."),
    (lambda X, t, K: loo_error(X, -t, K), "Of equal votes the smallest class wins; yours takes the largest."),
    (
        lambda X, t, K: loo_error(X[::-1], t[::-1], K),
        "Of equal distances the earlier row is nearer; yours takes the later one.",
    ),
    (
        _left_out(vote, labels=lambda t, n: t[:-1]),
        "You took the point out of X but not its label out of t: afterwards rows and labels do not belong together.",
    ),
    (lambda X, t, K: loo_error(X[:, :1], t, K), "You used the first feature only; the distance adds all of them."),
    (
        leaving(mask=_without_self, D=lambda X: np.abs(X[:, None] - X).max(axis=2)),
        "You used the largest difference; (14.1) adds the squares of all.",
    ),
    (leaving(mask=_without_self, last=lambda K: 1), "Only one neighbour votes; K are wanted."),
    (
        leaving(mask=_without_self, D=lambda X: np.abs(X[:, None] - X).sum(axis=2)),
        "You used the Manhattan distance; (14.1) adds squares.",
    ),
    (
        leaving(mask=lambda D: -np.where(np.eye(len(D)) > 0, -np.inf, D)),
        "You asked the farthest points; sort by rising distance.",
    ),
]


def loo_cases():
    """The chapter's line of five points first; then a cloud with twins of equal and of different labels."""
    rng = np.random.default_rng(3)
    X, t = rng.integers(-3, 4, (16, 2)).astype(float), rng.choice([-1, 5, 8], 16)
    line = np.array([[0.0], [1], [2], [8], [9]]), np.array([0, 0, 1, 1, 1])
    twins = np.array([[0.0, 0], [0, 0], [0, 0], [3, 1], [3, 1], [9, 9]]), np.array([2, 2, 3, 3, 2, 3])
    lattice = rng.integers(0, 4, (60, 2)).astype(float), rng.choice([1, 5, 6], 60)  # full of equal distances
    return [(*data, K) for data in (line, (X, t), twins, lattice) for K in (1, 2, 3, 4)]


@exercise(
    "14.2",
    "Leave one out",
    start="How do you keep a point from voting for itself?",
    hints=[
        "Compute all distances at once: a table of shape (N, N).",
        "Put np.inf on its diagonal, so that no point is its own neighbour; twins stay at distance 0.",
        "Then vote row by row as in 14.1, and divide the number of misses by N.",
    ],
    solution=loo_error,
)
def _(answer):
    expect_function(answer, loo_error, loo_cases(), "The error", slips=LOO_SLIPS, rtol=0, atol=1e-4)
    return "Right: one table of distances, and no refitting."


# --- 14.3 ----------------------------------------------------------------------------------------------------------


def local_line(x, t, query, tau):
    q = np.exp(-((x - query) ** 2) / (2 * tau**2))
    mean_x, mean_t = q @ x / q.sum(), q @ t / q.sum()
    w = q @ ((x - mean_x) * (t - mean_t)) / (q @ (x - mean_x) ** 2)
    return w, mean_t - w * mean_x


def lining(weight):
    """Return the line with other weights."""

    def wrong(x, t, query, tau):
        q = weight(x, query, tau)
        mean_x, mean_t = q @ x / q.sum(), q @ t / q.sum()
        w = q @ ((x - mean_x) * (t - mean_t)) / (q @ (x - mean_x) ** 2)
        return w, mean_t - w * mean_x

    return wrong


def _near(x, query, tau):
    return np.exp(-((x - query) ** 2) / (2 * tau**2))


def _through_origin(x, t, query, tau):
    q = _near(x, query, tau)
    return q @ (x * t) / (q @ x**2), 0.0


def _plain_means(x, t, query, tau):
    q, x0, t0 = _near(x, query, tau), x.mean(), t.mean()
    slope = q @ ((x - x0) * (t - t0)) / (q @ (x - x0) ** 2)
    return slope, t0 - slope * x0


def _one_side(x, t, query, tau):
    A = np.column_stack([x, np.ones(len(x))])
    return np.linalg.solve(A.T @ A, A.T @ (_near(x, query, tau) * t))


def _other_side(x, t, query, tau):
    A = np.column_stack([x, np.ones(len(x))])
    return np.linalg.solve(A.T @ (_near(x, query, tau)[:, None] * A), A.T @ t)


LINE_SLIPS = [
    (lining(lambda x, c, tau: np.ones_like(x)), "This is the line of chapter 04: the weights are missing."),
    (
        lining(lambda x, c, tau: np.exp(-((x - c) ** 2) / tau**2)),
        "The points are weighted twice (q² in place of q), or the 2 in 2τ² is missing.",
    ),
    (lining(lambda x, c, tau: np.exp(-((x - c) ** 2) / (2 * tau))), "τ is squared in the exponent: 2τ²."),
    (
        lining(lambda x, c, tau: np.exp(-((x - c) ** 2) / (4 * tau**2))),
        "The points are weighted by the root of q (multiply rows by √q on *both* sides), or you divided by (2τ)².",
    ),
    (lining(lambda x, c, tau: np.exp(-np.abs(x - c) / (2 * tau**2))), "The distance is squared in the exponent."),
    (lining(lambda x, c, tau: np.exp(-(x**2) / (2 * tau**2))), "Weigh by the distance from the query, not from 0."),
    (
        lining(lambda x, c, tau: 1 - np.exp(-((x - c) ** 2) / (2 * tau**2))),
        "Your weights grow with the distance; near points must count most.",
    ),
    (lining(lambda x, c, tau: np.exp(-((x - c) ** 2) / 2)), "The bandwidth is missing in the exponent: 2τ²."),
    (lambda x, t, c, tau: local_line(x, t, c, tau)[::-1], "Slope first, then intercept: the two are exchanged."),
    (
        lambda x, t, c, tau: (local_line(x, t, c, tau)[0], np.dot(local_line(x, t, c, tau), [c, 1])),
        "The second number is the value at the query; the intercept, the value at 0, is wanted.",
    ),
    (
        lambda x, t, c, tau: np.dot(local_line(x, t, c, tau), [c, 1]),
        "This is the value at the query; slope and intercept are wanted.",
    ),
    (
        lambda x, t, c, tau: (
            local_line(x, t, c, tau)[0],
            (lambda q: q @ t / q.sum())(np.exp(-((x - c) ** 2) / (2 * tau**2))),
        ),
        "The second number is the weighted mean of t; subtract slope times weighted mean of x.",
    ),
    (_through_origin, "Your line goes through the origin; fit the intercept, too: A has a column of ones."),
    (_plain_means, "Measure x and t from their *weighted* means, with the same weights as in the sums."),
    (_one_side, "The weights stand on the right side of (14.14) only; AᵀQA has them, too."),
    (_other_side, "The weights stand on the left side of (14.14) only; AᵀQt has them, too."),
    (
        lining(lambda x, c, tau: np.exp((x - c) ** 2 / (2 * tau**2))),
        "The minus in the exponent is missing: far points would count most.",
    ),
    (lining(lambda x, c, tau: np.exp(-((x - c) ** 2) / tau)), "The exponent is divided by 2τ², not by τ."),
    (
        lining(lambda x, c, tau: np.exp(-((x - c) ** 2) * tau**2 / 2)),
        "Divide by 2τ² in the exponent; you multiplied by τ².",
    ),
    (lining(lambda x, c, tau: np.exp(-np.abs(x - c) / tau)), "The exponent is minus the squared distance over 2τ²."),
    (
        lambda x, t, c, tau: (local_line(x, t, c, tau)[0], -local_line(x, t, c, tau)[1]),
        "The intercept has the wrong sign: weighted mean of t minus slope times weighted mean of x.",
    ),
    (
        lambda x, t, c, tau: (local_line(x, t, c, tau)[0], t.mean() - local_line(x, t, c, tau)[0] * x.mean()),
        "For the intercept take the *weighted* means of x and t.",
    ),
    (lambda x, t, c, tau: (0.0, local_line(x, t, c, tau)[1]), "The slope is 0: you fitted a constant."),
    (
        lambda x, t, c, tau: (0.0, (lambda q: q @ t / q.sum())(np.exp(-((x - c) ** 2) / (2 * tau**2)))),
        "You fitted a constant, as Nadaraya-Watson does; a line is wanted.",
    ),
]


def line_cases():
    """The chapter's four squares first; then noisy points, another query and other bandwidths."""
    rng = np.random.default_rng(5)
    x = np.sort(rng.uniform(-2, 3, 12))
    t = np.sin(2 * x) + 0.3 * rng.normal(size=12)
    squares = np.arange(4.0), np.arange(4.0) ** 2
    return [
        (*squares, 0.9, 0.5),
        (*squares, 2.2, 0.8),
        (x, t, 0.4, 0.7),
        (x, t, -1.3, 1.6),
        (x[::-1], t[::-1], 2.5, 0.5),
    ]


@exercise(
    "14.3",
    "A line around a query",
    start="What does each point count?",
    hints=[
        "q = np.exp(-(x - query) ** 2 / (2 * tau ** 2)).",
        "With A = np.column_stack([x, np.ones(len(x))]) solve A.T @ (q[:, None] * A) v = A.T @ (q * t).",
        "Or: slope = weighted covariance over weighted variance, intercept = mean of t - slope * mean of x.",
    ],
    solution=local_line,
)
def _(answer):
    expect_function(
        answer, local_line, line_cases(), "The line", slips=LINE_SLIPS, names="slope, intercept", rtol=1e-5, atol=1e-6
    )
    return "Right: one small fit, valid at one place."


# --- 14.4 ----------------------------------------------------------------------------------------------------------


def fold_errors(X, t, K, fold):
    from mlteach.linear_regression import standardize
    from mlteach.nearest_neighbors import KNNClassifier

    errors = []
    for number in np.unique(fold):
        train, test = fold != number, fold == number
        model = KNNClassifier(K).fit(standardize(X[train]), t[train])
        said = model.predict(standardize(X[test], like=X[train]))
        errors.append(float(np.mean(said != t[test])))
    return errors


def folding(scale=None, out=None, learn=None, K=None):
    """Return fold errors with one thing done another way."""

    def z(A, like):
        return (A - like.mean(axis=0)) / like.std(axis=0, ddof=1)

    def wrong(X, t, k, fold):
        from mlteach.nearest_neighbors import KNNClassifier

        errors = []
        for number in np.unique(fold):
            train, test = learn(fold, number) if learn else (fold != number, fold == number)
            A, B = scale(X, X[train], X[test], z) if scale else (z(X[train], X[train]), z(X[test], X[train]))
            errors.append(float(np.mean(KNNClassifier(K or k).fit(A, t[train]).predict(B) != t[test])))
        return out(errors, fold) if out else errors

    return wrong


FOLD_SLIPS = [
    (folding(scale=lambda X, A, B, z: (A, B)), "Nothing is standardised: one feature decides who is near."),
    (
        folding(scale=lambda X, A, B, z: (z(A, X), z(B, X))),
        "Means and spreads come from all rows, the test rows too; take them from the train rows of each fold.",
    ),
    (
        folding(scale=lambda X, A, B, z: (z(A, A), z(B, B))),
        "The test rows are scaled by their own means and spreads; use those of the train rows.",
    ),
    (
        folding(scale=lambda X, A, B, z: (z(A, A), B)),
        "The test rows are not scaled, or like= got train rows that were scaled already; it wants the raw ones: "
        "like=X[train].",
    ),
    (
        folding(scale=lambda X, A, B, z: (A, z(B, A))),
        "The train rows are not scaled; both parts must be measured alike.",
    ),
    (folding(out=lambda e, f: [1 - v for v in e]), "These are shares of right answers; error rates are wanted."),
    (folding(out=lambda e, f: float(np.mean(e))), "This is the mean; a list with one error for each fold is wanted."),
    (
        folding(out=lambda e, f: [v * m for v, m in zip(e, np.unique(f, return_counts=True)[1])]),
        "These are numbers of wrong rows; divide by the number of rows in the fold.",
    ),
    (
        folding(learn=lambda f, number: (f == number, f != number)),
        "You learn from the fold and judge the rest: it is the other way round.",
    ),
    (
        folding(learn=lambda f, number: (f == f, f == number)),
        "The rows of the fold are among those you learn from; leave them out.",
    ),
    (
        folding(out=lambda e, f: e[::-1]),
        "The errors are in reverse order: one for each fold, by rising number of the fold.",
    ),
    (folding(K=1), "One neighbour votes; K are wanted."),
    (
        lambda X, t, K, fold: [
            fold_errors(X, t, K, fold)[i] for i in np.argsort(np.unique(fold, return_index=True)[1])
        ],
        "The errors stand in the order in which the folds first appear; the folds are wanted by rising number.",
    ),
    (
        folding(scale=lambda X, A, B, z: (z(A, B), z(B, B))),
        "Means and spreads come from the test rows; take them from the train rows.",
    ),
    (
        folding(learn=lambda f, number: (f != number, f != number)),
        "You judge the rows that you learnt from: this is the training error. Judge the rows of the fold.",
    ),
    (
        folding(out=lambda e, f: [v * m / len(f) for v, m in zip(e, np.unique(f, return_counts=True)[1])]),
        "You divided by the number of all rows; divide by the number of rows in the fold.",
    ),
    (
        folding(
            scale=lambda X, A, B, z: ((A - A.min(axis=0)) / np.ptp(A, axis=0), (B - A.min(axis=0)) / np.ptp(A, axis=0))
        ),
        "This is min-max scaling; standardise with mean and standard deviation.",
    ),
    (lambda X, t, K, fold: fold_errors(X, t, 5, fold), "Five neighbours vote, whatever K is; use the argument K."),
    (lambda X, t, K, fold: fold_errors(X, t, K + 1, fold), "K + 1 neighbours vote; K are wanted."),
]


def fold_cases():
    """Features of very different units, of which the small one matters; folds that differ in place and size."""
    cases = []
    for seed, K in ((0, 3), (1, 5), (2, 1), (3, 3), (4, 5)):
        rng = np.random.default_rng(seed)
        t, fold = rng.integers(0, 2, 26), np.arange(26) % (3 + seed % 2) + 4 * (seed % 3)
        X = np.column_stack([t + 0.6 * rng.normal(size=26), rng.normal(size=26), 100 * rng.normal(size=26)])
        cases.append((X + 0.8 * fold[:, None] * [1, 1, 100], t, K, fold))
    X, t, K, fold = cases[1]
    mixed = np.random.default_rng(7).permutation(26)  # the folds do not appear by rising number
    return [*cases, (X[mixed], t[mixed], K, fold[mixed])]


@exercise(
    "14.4",
    "An honest estimate",
    start="For each fold: which rows may decide means and spreads?",
    hints=[
        "For each number in np.unique(fold): train = fold != number, test = fold == number.",
        "standardize(X[train]) for those stored, standardize(X[test], like=X[train]) for the others.",
        "Then KNNClassifier(K).fit(..., t[train]).predict(...), and np.mean(said != t[test]), in a list.",
    ],
    solution=fold_errors,
)
def _(answer):
    expect_function(answer, fold_errors, fold_cases(), "The list of errors", slips=FOLD_SLIPS, rtol=0, atol=1e-4)
    return "Right: nothing of a test fold leaks into its scaling."

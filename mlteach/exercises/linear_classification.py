"""Tasks of chapter 07: distances, claims, a far point, a pass, bounds, Fisher, a cut, scores, the mean of a run."""

import numpy as np

from mlteach.exercises.base import Wrong, exercise, expect_close, expect_function, expect_set, letters, numbers

# --- 7.a --------------------------------------------------------------------------------------------------------------

_LINE = np.array([1.7, -1.0]), -4.9


def _distances(length):
    w, b = _LINE
    return (np.array([5, 4.5]) @ w + b) / length, abs(b) / length


def _for_each(pair, words):
    """Return the mistake for both numbers, and for either of them."""
    return [(pair, words), ((pair[0], ...), words), ((..., pair[1]), words)]


@exercise(
    "7.a",
    "How far from the line?",
    start="Compute y at the point first, then divide by the length of w.",
    hints=[
        "y(5, 4.5) = 1.7 * 5 - 4.5 - 4.9. The sign tells the side.",
        "The length of w is the root of 1.7² + 1²; b is not part of it.",
        "-0.9 / √3.89 and 4.9 / √3.89.",
    ],
    solution=tuple(round(float(v), 4) for v in _distances(np.sqrt(3.89))),
    explanation="By (7.2) r = y(x)/|w| = -0.9/1.9723; by (7.3) the line is |b|/|w| = 4.9/1.9723 from the origin.",
)
def _(signed, origin):
    answer = [*numbers(signed, "The signed distance"), *numbers(origin, "The distance of the origin")]
    r, origin = _distances(np.sqrt(3.89))
    expect_close(
        answer,
        (r, origin),
        "The pair of distances",
        names="the signed distance, the distance of the origin",
        rtol=0,
        atol=0.006,
        reveal=False,
        known=[
            ((-0.9, 4.9), "These are y and |b|; divide both by the length of w."),
            ((origin, r), "The two numbers are swapped: first the point, then the origin."),
            (_distances(0.7), "The length of w is √(1.7² + 1²), not 1.7 - 1."),
            (_distances(2.7), "The length of w is √(1.7² + 1²), not 1.7 + 1."),
            ((-0.9, ...), "The first number is y; divide it by the length of w."),
            ((-r, ...), "The point is on the other side: y(5, 4.5) is negative, so is its signed distance."),
            ((-2.25 / np.sqrt(3.89), ...), "You put the point in as (4.5, 5); it is (5, 4.5)."),
            ((8.9 / np.sqrt(3.89), ...), "b is -4.9: y = 1.7 * 5 - 4.5 - 4.9."),
            ((..., 4.9), "The second number is |b|; divide it by the length of w."),
            ((..., -origin), "The second number is a distance and not signed: |b|/|w|."),
            *_for_each(_distances(3.89), "You divided by |w|²; the distance divides by |w| once."),
            *_for_each(
                _distances(np.sqrt(3.89 + 4.9**2)), "You divided by the length of (b, w); b is no part of the normal."
            ),
        ],
    )
    return "Right: y/|w| with its sign, and |b|/|w| without one."


# --- 7.b --------------------------------------------------------------------------------------------------------------

_LINES = np.array([[0, 1], [-1, -0.5], [1, -0.5]]), np.array([-1.0, -1.0, -1.0])
_PLACES = {
    "A": (0, 2.5), "B": (-0.2, -0.3), "C": (-3, 2), "D": (-2, -1), "E": (3, 2), "F": (2, -1), "G": (0, -3.5),
    "H": (0.6, 0.4),
}  # fmt: skip


def _letters(condition):
    W, b = _LINES
    return {letter for letter, place in _PLACES.items() if condition(int(np.sum(W @ place + b > 0)))}


@exercise(
    "7.b",
    "Read the claims",
    start="Count for each point how many arrows point to its side.",
    hints=[
        "A point is clear if exactly one class claims it. List all others.",
        "Inside the triangle no class claims anything. Beyond a corner of the triangle two claims overlap.",
        "Two points lie in the triangle, and three beyond a corner.",
    ],
    solution=sorted(_letters(lambda claims: claims != 1)),
    explanation="B and H are claimed by none, C, E and G by two. A, D and F have one claim each.",
)
def _(answer):
    if isinstance(answer, (list, tuple, set, frozenset)) and not len(answer):
        raise Wrong("The list is empty; one versus rest with three lines always has ambiguous regions.")
    got = set(letters(answer, "ABCDEFGH", ordered=False))
    none, many = _letters(lambda claims: claims == 0), _letters(lambda claims: claims > 1)
    clear = set(_PLACES) - none - many
    if got & clear and got != clear:
        extra = sorted(got & clear)
        raise Wrong(f"{', '.join(extra)}: exactly one claim, so clear. Follow the three arrows for each point.")
    expect_set(
        got,
        none | many,
        "Your ambiguous points",
        known=[
            (none, "These are claimed by nobody. Points claimed by two classes are ambiguous as well."),
            (many, "These are claimed by two classes. Points claimed by nobody are ambiguous as well."),
            (clear, "These are the clear points, with exactly one claim. The others are wanted."),
        ],
    )
    return "Right: two of them are claimed by nobody, three by two classes."


# --- 7.c --------------------------------------------------------------------------------------------------------------


@exercise(
    "7.c",
    "How far is too far?",
    start="Find out first which N, q, μ and v belong to these points.",
    hints=[
        "μ is the mean of t x, here 2; v is the mean of x², here (1 + 4 + 9) * 2 / 6 = 14/3.",
        "Put N = 6, q = 1, μ = 2 and v = 14/3 into (7.15): x* = (2 D - 14/3) / (D + 7 * 2) is to be 1.",
        "2 D - 14/3 = D + 14.",
    ],
    solution=round(56 / 3, 4),
    explanation="2D - 14/3 = D + 14 gives D = 56/3. The cell below (7.15) shows D = 20 just beyond it.",
)
def _(answer):
    expect_close(
        answer,
        56 / 3,
        "The distance D",
        rtol=0,
        atol=0.01,
        reveal=False,
        known=[
            (50 / 3, "You used Nμ = 12 in the denominator; it is (N + q) μ = 14."),
            (7 / 3, "At D = v/μ the boundary does not move at all; set x* = 1."),
            (14 + 28, "You used the sum of squares 28 for v; v is their mean, 28/6."),
            (14, "v is missing: the numerator of (7.15) is μ D - v."),
            (14 / 3, "That is v; asked is the D at which x* = 1."),
            (2.0, "That is the limit of the boundary for a far point; asked is the D at which it reaches 1."),
            (62 / 3, "You counted seven points in N; the six at ±1, ±2, ±3 are N, the new one is q = 1."),
            *(
                (14 + v, "v is the mean of x² over the six points, (1 + 4 + 9) * 2 / 6 = 14/3.")
                for v in (14, 7 / 3, 4, 5.6)
            ),
            (35 / 3, "The denominator is q D + (N + q) μ = D + 14; yours lacks μ."),
            (28 / 3, "v is subtracted in (7.15): the numerator is μ D - v."),
            (20.0, "At 20 the boundary has already passed 1; solve x* = 1 exactly."),
        ],
    )
    return "Right: 56/3. Beyond it the point x = 1 is on the wrong side."


# --- 7.d --------------------------------------------------------------------------------------------------------------

_FOUR = np.array([[1, 1, 2], [1, 2, 1], [1, -1, 1], [1, -1, -1]]), np.array([1, -1, 1, -1])


@exercise(
    "7.d",
    "One pass by hand",
    start="The first score is 0, a mistake: add the first sample, with a 1 in front.",
    hints=[
        "Write the samples as (1, 1, 2), (1, 2, 1), (1, -1, 1), (1, -1, -1). A score is (b, w₁, w₂) times that.",
        "After the first sample the weights are (1, 1, 2). The second has the score 1 + 2 + 2 = 5 and t = -1.",
        "After the second they are (0, -1, 1). The third is right, the fourth has the score 0 + 1 - 1 = 0.",
    ],
    solution=((-1, 0, 2), 3),
    explanation="""
    (0, 0, 0), score 0: add, (1, 1, 2). Score 5 against t = -1: subtract, (0, -1, 1). Score 2, right. Score 0: subtract,
    (-1, 0, 2). The second sample is still wrong, so another pass follows.
    """,
)
def _(weights, mistakes):
    weights = numbers(weights, "b, w₁, w₂")
    X, t = _FOUR
    start = np.zeros(3)
    expect_close(
        weights,
        (-1, 0, 2),
        "The triple of weights",
        names="b, w₁, w₂",
        reveal=False,
        known=[
            ((0, 2, -1), "The bias comes first: (b, w₁, w₂)."),
            (_weights(start, X, t, fresh=False), "You judged all samples by the old weights; use those of the moment."),
            ((0, -1, 1), "The last sample has the score 0 + 1 - 1 = 0, and a score of 0 is a mistake."),
            ((0, 0, 0), "A score of 0 is a mistake: otherwise the start is never left."),
            ((1, 1, 2), "The second sample has the score 1 + 2 + 2 = 5 and t = -1: a mistake, so subtract it."),
            ((1, -2, 0), "The last sample has t = -1: it is subtracted, not added."),
            (_weights(_weights(start, X, t), X, t), "These are the weights after two passes; one pass is wanted."),
            (_weights(start, X, t, bias=0.0), "The bias stays what it was; it learns too, from the 1 in front of x."),
            (_weights(start, X, t, rate=2.0), "Your steps are twice as long: (t - o) x is 2 t x. Add t x."),
            (_weights(start, X, t, label=False), "You added x on every mistake; for t = -1 it is subtracted: t x."),
            (_weights(start, X, t, rate=-1.0), "You subtracted t x, which makes the mistake worse."),
            (_until_clean(start, X, t)[0], "You repeated passes until one was clean; one pass is wanted."),
            (_delta(start, X, t), "You added (t - w . x) x, the delta rule; the perceptron adds t x on a mistake."),
        ],
    )
    expect_close(
        mistakes,
        3,
        "The number of mistakes",
        reveal=False,
        known=[
            (4, "The third sample is right: its score is 0 + 1 + 1 = 2, and t = +1."),
            (2, "Two of three: a score of 0 counts as well, at the first and at the last sample."),
        ],
    )
    return "Right: three mistakes. The second sample is wrong again now, so the run goes on."


def _pass(w, X, t, *, fresh=True, strict=False, every=False, label=True, rate=1.0, bias=1.0):
    """Return the weights after each row of a pass, by default as they should be; options change one thing each."""
    path, start = [], w
    for x, sign in zip(X, t):
        score = sign * ((w if fresh else start) @ x)
        if every or score < 0 or (score == 0 and not strict):
            w = w + rate * (sign if label else 1) * x * np.append(bias, np.ones(len(x) - 1))
        path.append(w)
    return np.array(path)


def _weights(w, X, t, **change):
    return _pass(w, X, t, **change)[-1]


def _until_clean(w, X, t):
    """Return the last weights, and those after each row, if passes are repeated until one has no mistake."""
    path, found = [], True
    while found:
        was = w
        path.extend(_pass(w, X, t))
        w = path[-1]
        found = not np.array_equal(was, w)
    return w, np.array(path)


def _delta(w, X, t, every=True):
    """Return the weights of a pass with the delta rule, on every row or on mistakes only."""
    for x, sign in zip(X, t):
        if every or sign * (w @ x) <= 0:
            w = w + (sign - w @ x) * x
    return w


# --- 7.e --------------------------------------------------------------------------------------------------------------


@exercise(
    "7.e",
    "A bound on paper",
    start="Start with R, the length of the longest input.",
    hints=[
        "Write the inputs as (1, x) and the separator as (b, w) = (-2, 1).",
        "R is the length of the longest (1, x), which is (1, 4).",
        "The values t y are 2, 1 and 2. Divide the least by the length of (b, w), the root of 5.",
        "R = √17, γ = 1/√5, and the bound is R²/γ² = 17 * 5.",
    ],
    solution=(round(17**0.5, 4), round(5**-0.5, 4), 85),
    explanation="R² = 1 + 16 = 17 and γ² = 1/5. A better separator has a wider γ and a smaller bound.",
)
def _(R, gamma, bound):
    answer = [*numbers(R, "R"), *numbers(gamma, "γ"), *numbers(bound, "The bound")]
    R, gamma = np.sqrt(17), 1 / np.sqrt(5)
    expect_close(
        answer,
        (R, gamma, 85),
        "The triple R, γ, bound",
        names="R, γ, the bound",
        rtol=0.0015,
        atol=0,
        reveal=False,
        known=[
            ((4, 1, 16), "The bias is not folded in: the inputs are (1, x), the separator (-2, 1)."),
            ((gamma, R, ...), "R and γ are swapped: R is the length of the longest input."),
            ((4, ..., ...), "R must include the 1 in front: the length of (1, 4)."),
            ((17, ..., ...), "Your first number is R²; give R."),
            ((..., 1, ...), "Your γ is not divided by the length of (b, w) = (-2, 1), the root of 5."),
            ((..., 0.2, ...), "Your γ is divided by |(b, w)|² = 5, or squared; the margin divides by the length, √5."),
            ((..., -gamma, ...), "γ counts t: for x = 1 it is t y = (-1)(1 - 2) = 1, divided by the length."),
            *(
                ((..., k * gamma, ...), "γ belongs to the worst point: the least of t y is 1, at x = 1.")
                for k in (2, 5 / 3, 5)
            ),
            ((R, gamma, R / gamma), "R and γ are right; the bound is the square of their ratio."),
            ((R, gamma, 1 / 85), "R and γ are right; the bound is (R/γ)², not (γ/R)²."),
        ],
    )
    return "Right: 17 times 5. The perceptron cannot make more than 85 mistakes here, in any order."


# --- 7.f --------------------------------------------------------------------------------------------------------------


def fisher_direction(X, y):
    m0, m1 = X[y == 0].mean(axis=0), X[y == 1].mean(axis=0)
    A = X - np.where((y == 1)[:, None], m1, m0)
    w = np.linalg.solve(A.T @ A, m1 - m0)
    return w / np.linalg.norm(w)


def _direction_with(X, y, matrix):
    m0, m1 = X[y == 0].mean(axis=0), X[y == 1].mean(axis=0)
    return _unit(np.linalg.solve(matrix, m1 - m0))


def _unit(v):
    return v / np.linalg.norm(v)


def _length(value, wanted):
    """Return the length of a vector of the wanted form, and nothing that could explain any other value."""
    try:
        value = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        return 1.0
    return np.linalg.norm(value) if value.shape == wanted.shape and np.isfinite(value).all() else 1.0


def _pooled(X, y):
    A = X - np.where((y == 1)[:, None], X[y == 1].mean(axis=0), X[y == 0].mean(axis=0))
    return A.T @ A


def _covariances(X, y, **options):
    return sum(np.atleast_2d(np.cov(X[y == k].T, **options)) for k in (0, 1))


def _clouds(seed, d):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.repeat([0, 1], [9, 26]))
    shapes = rng.normal(size=(2, d, d)) + np.eye(d)
    X = np.einsum("ni,nij->nj", rng.normal(size=(35, d)), shapes[y]) + y[:, None] * rng.normal(size=d) * 1.5 + 2
    return X, y


@exercise(
    "7.f",
    "Fisher's direction",
    start="The mean of each class comes first.",
    hints=[
        "Subtract from each row the mean of its class; the scatter within is A'A of what is left.",
        "m0 = X[y == 0].mean(axis=0), likewise m1. S_W adds up the outer products of both classes, without averaging.",
        "Solve S_W w = m1 - m0 with np.linalg.solve, then divide by the length.",
        "A = X - np.where((y == 1)[:, None], m1, m0); w = np.linalg.solve(A.T @ A, m1 - m0); w / norm(w).",
    ],
    solution=fisher_direction,
    explanation="(7.32) with the pooled scatter. The total scatter gives the same direction, by (7.35) and (7.37).",
)
def _(answer):
    for seed, d in ((1, 2), (2, 3), (3, 4)):
        X, y = _clouds(seed, d)
        value = answer(X, y)
        wanted, S = fisher_direction(X, y), _pooled(X, y)
        gap = X[y == 1].mean(axis=0) - X[y == 0].mean(axis=0)
        size = _length(value, wanted)
        backwards = S @ gap
        expect_close(
            value,
            wanted,
            "The direction",
            known=[
                (-wanted, "Your direction points from class 1 to class 0; the other way is wanted."),
                (size * wanted, "The direction is right; divide it by its length."),
                (_unit(gap), "This is the line between the means; the scatter within is missing."),
                (gap, "This is the difference of the means; the scatter within is missing."),
                (
                    _direction_with(X, y, _covariances(X, y)),
                    "You added the covariances of the classes; S_W adds the scatters, so large classes weigh more.",
                ),
                (
                    _direction_with(X, y, _covariances(X, y, bias=True)),
                    "You added the covariances of the classes; S_W adds the scatters, so large classes weigh more.",
                ),
                *(
                    (_direction_with(X, y, np.cov(X[y == k].T)), f"This is the scatter of class {k} only; add both.")
                    for k in (0, 1)
                ),
                (_direction_with(X, y, X.T @ X), "Subtract from each row the mean of its class before you multiply."),
                (
                    _unit(np.linalg.solve(S, X[y == 1].sum(axis=0) - X[y == 0].sum(axis=0))),
                    "You took sums for the means; the classes differ in size.",
                ),
                (
                    _unit(np.linalg.solve(S, np.full(d, X[y == 1].mean() - X[y == 0].mean()))),
                    "Your means are single numbers; axis=0 gives one for each feature.",
                ),
                (_unit((1 / S) @ gap), "You inverted each entry of S_W; the inverse matrix is wanted: solve."),
                (_unit(backwards), "You multiplied by S_W; its inverse is wanted: solve."),
                (
                    _direction_with(X, y, np.diag(np.diag(S))),
                    "You used the diagonal of S_W only; the products of different features belong to it.",
                ),
            ],
        )
    return "Right. No direction has a larger J."


# --- 7.g --------------------------------------------------------------------------------------------------------------


def _cut(p1=0.9, low=-1.0, high=3.0, variance=3.0):
    return (low + high) / 2 - np.log((1 - p1) / p1) * variance / (high - low)


@exercise(
    "7.g",
    "A cut for unequal classes",
    start="Begin with the weight w: the difference of the means, divided by the variance.",
    hints=[
        "w = (3 - (-1))/3 = 4/3. In one dimension Σ is the variance, not the standard deviation.",
        "The cut is where w x = c - ln(p₂/p₁), with c = w (m₁ + m₂)/2; (m₁ + m₂)/2 is 1 here.",
        "4/3 x = 4/3 - ln(0.1/0.9) = 4/3 + ln 9.",
    ],
    solution=round(float(_cut()), 4),
    explanation="x = 1 + 3/4 ln 9 = 2.6479: away from the frequent class, so that it has more room.",
)
def _(answer):
    expect_close(
        answer,
        _cut(),
        "The cut",
        rtol=0,
        atol=0.006,
        reveal=False,
        known=[
            (2 - _cut(), "The cut moves away from the frequent class, not towards it: mind the sign of ln(p₂/p₁)."),
            (-0.6, "That is the mean of all samples; it lies on the side of the frequent class."),
            (1, "Halfway is right for equal frequencies only."),
            (_cut() - 1, "Halfway is missing: the cut for equal frequencies is (m₁ + m₂)/2 = 1."),
            (_cut(variance=1.0), "The variance is 3: w = (m₂ - m₁)/3."),
            (_cut(variance=np.sqrt(3)), "You divided by the standard deviation; Σ is the variance, 3."),
            (_cut(variance=9.0), "You squared the variance; Σ is the variance itself, 3."),
            (4 / 3 + np.log(9), "That is the cut for w x; divide it by w = 4/3."),
            (1 + np.log(9), "ln 9 is left undivided: divide it by w = 4/3, too."),
            (1 + 4 / 3 * np.log(9), "You multiplied ln 9 by w = 4/3; divide by it."),
            (1 + 0.75 * np.log10(9), "You took the logarithm to base 10; the Gaussian wants the natural one."),
            (1 + 0.75 * np.log(10), "p₁/p₂ is 0.9/0.1 = 9; you took 1/0.1."),
            (1 + 0.75 * 9, "The logarithm of p₁/p₂ = 9 is wanted."),
        ],
    )
    return "Right: 1 + 3/4 ln 9. The frequent class gets more room."


# --- 7.h --------------------------------------------------------------------------------------------------------------


@exercise(
    "7.h",
    "How many directions?",
    start="How many dimensions do the K vectors from the common mean to the class means span at most?",
    hints=[
        "K vectors whose weighted sum is zero span at most K - 1 dimensions.",
        "There are no more directions than features, either: the answer is the smaller of K - 1 and d.",
        "The smaller of 9 and 64; the smaller of 4 and 2.",
    ],
    solution=(9, 2),
    explanation="At most K - 1 by (7.36), and never more than the d features: min(9, 64) and min(4, 2).",
)
def _(digits, plane):
    answer = [*numbers(digits, "The number for the digits"), *numbers(plane, "The number for the five classes")]
    expect_close(
        answer,
        (9, 2),
        "The pair of numbers",
        names="the number for the digits, the number for the five classes",
        reveal=False,
        known=[
            ((2, 9), "The two numbers are swapped: first the digits, then the five classes."),
            ((10, ...), "Ten vectors, but their weighted sum is zero: one dimension less."),
            ((64, ...), "64 features; but the scatter between ten classes has at most K - 1 directions."),
            ((63, ...), "Classes lose one, not features: at most K - 1 for ten classes."),
            ((45, ...), "45 is the number of pairs of classes; asked is the number of directions, at most K - 1."),
            ((..., 4), "K - 1 is 4, but in the plane of two features there are only so many directions."),
            ((..., 5), "At most K - 1 = 4, and no more than there are features."),
            ((..., 1), "Classes lose one, not features: the smaller of K - 1 and d."),
            ((..., 10), "10 is the number of pairs of classes; asked is the number of directions."),
        ],
    )
    return "Right: the smaller of K - 1 and d."


# --- 7.1 --------------------------------------------------------------------------------------------------------------


def scores(X, y, X_new):
    T = np.eye(y.max() + 1)[y]
    W = np.linalg.lstsq(np.column_stack([np.ones(len(X)), X]), T, rcond=None)[0]
    return np.column_stack([np.ones(len(X_new)), X_new]) @ W


def _scores_with(X, y, X_new, *, ones=True, low=0.0):
    T = np.where(np.eye(y.max() + 1)[y] == 1, 1.0, low)
    if not ones:
        return X_new @ np.linalg.lstsq(X, T, rcond=None)[0]
    W = np.linalg.lstsq(np.column_stack([np.ones(len(X)), X]), T, rcond=None)[0]
    return np.column_stack([np.ones(len(X_new)), X_new]) @ W


def _scores_without_inverse(X, y, X_new):
    A = np.column_stack([np.ones(len(X)), X])
    return np.column_stack([np.ones(len(X_new)), X_new]) @ (A.T @ A @ A.T @ np.eye(y.max() + 1)[y])


def _classes(seed, k, n=30, d=2, new=7):
    rng = np.random.default_rng(seed)
    y = np.append(np.arange(k), rng.integers(0, k, n - k))
    X = rng.normal(size=(n, d)) + 2 * rng.normal(size=(k, d))[y] + 1
    return X, y, rng.normal(size=(new, d)) * 2


@exercise(
    "7.1",
    "Scores by least squares",
    start="Make the one-hot matrix T first: np.eye(K)[y].",
    hints=[
        "Put a column of ones in front of X and of X_new.",
        "np.linalg.lstsq(X1, T, rcond=None)[0] has shape (d + 1, K); multiply the new rows with it.",
        "W = lstsq(column_stack([ones, X]), np.eye(y.max() + 1)[y], rcond=None)[0]; return column_stack([ones, X_new]) "
        "@ W.",
    ],
    solution=scores,
    explanation="All K regressions share their inputs, so one call of lstsq solves them. The rows sum to one (7.13).",
)
def _(answer):
    for seed, k, d in ((1, 3, 2), (2, 4, 3), (3, 2, 1)):
        X, y, X_new = _classes(seed, k, d=d)
        value = answer(X, y, X_new)
        wanted = scores(X, y, X_new)
        if isinstance(value, tuple) and len(value) == 4:
            raise Wrong("lstsq returns four things; the weights are the first: lstsq(...)[0]. Multiply X_new by them.")
        weights = np.linalg.lstsq(np.column_stack([np.ones(len(X)), X]), np.eye(k)[y], rcond=None)[0]
        expect_close(
            value,
            wanted,
            "The matrix of scores",
            known=[
                (_scores_with(X, y, X_new, ones=False), "There is no bias: put a column of ones in front of X."),
                (_scores_with(X, y, X_new, low=-1.0), "Your targets are -1 and +1; one-hot targets are 0 and 1."),
                (
                    _scores_without_inverse(X, y, X_new),
                    "The inverse of X'X is missing; lstsq takes care of it.",
                ),
                (wanted - np.eye(k)[y].mean(axis=0), "You centred the targets; add their mean back to the scores."),
                (wanted.argmax(axis=1), "These are the predicted classes; return the scores themselves."),
                (wanted.max(axis=1), "These are the largest scores; return all of them."),
                (weights, "These are the weights; multiply the rows of X_new by them."),
                (wanted - weights[0], "The bias is lost: put a column of ones in front of X_new, too."),
                (
                    np.column_stack([X_new, np.ones(len(X_new))]) @ weights,
                    "The ones stand in front of X and behind X_new; put them on the same side.",
                ),
                (wanted.clip(0, 1), "You cut the scores to [0, 1]; they are wanted as they are."),
                (wanted[:, ::-1], "The columns are in reverse order; column k belongs to class k."),
                (
                    scores(X - X.mean(axis=0), y, X_new - X_new.mean(axis=0)),
                    "You subtracted from X_new its own mean; subtract that of X.",
                ),
                (scores(X, y, X), "These are the scores of the training rows; X_new was asked."),
                (
                    np.exp(wanted) / np.exp(wanted).sum(axis=1, keepdims=True),
                    "You sent the scores through a softmax; they are wanted as they are.",
                ),
            ],
        )
    return "Right. Each row sums to one, though single scores may leave [0, 1]."


# --- 7.2 --------------------------------------------------------------------------------------------------------------


def averaged_pass(w, X, t):
    total = np.zeros(len(w))
    for x, sign in zip(X, t):
        if sign * (w @ x) <= 0:
            w = w + sign * x
        total = total + w
    return total / len(X)


def _mean(**change):
    return lambda w, X, t: _pass(w, X, t, **change).mean(axis=0)


def _mean_before(w, X, t):
    return np.vstack([[w], _pass(w, X, t)[:-1]]).mean(axis=0)


def _sum_of_changes(w, X, t):
    """Return the sum over the weights after mistakes only, divided by the number of all rows."""
    path = np.vstack([[w], _pass(w, X, t)])
    return path[1:][np.any(np.diff(path, axis=0) != 0, axis=1)].sum(axis=0) / len(X)


def _mean_delta(every):
    def mean(w, X, t):
        path = [w := _delta(w, X[k : k + 1], t[k : k + 1], every) for k in range(len(X))]
        return np.mean(path, axis=0)

    return mean


def _mean_with_sign_of_zero(zero):
    def mean(w, X, t):
        path = [w := w if (np.sign(w @ x) or zero) == sign else w + sign * x for x, sign in zip(X, t)]
        return np.mean(path, axis=0)

    return mean


def _mean_of_passes(w, X, t, most=100):
    path = []
    for _ in range(most):
        was = w
        path.extend(_pass(w, X, t))
        w = path[-1]
        if np.array_equal(was, w):
            break
    return np.mean(path, axis=0)


def _mean_without_t(w, X, t):
    path = [w := w + sign * x if w @ x <= 0 else w for x, sign in zip(X, t)]
    return np.mean(path, axis=0)


def _mean_of_changes(w, X, t):
    """Return the mean over the weights after mistakes only."""
    path = np.vstack([[w], _pass(w, X, t)])
    return path[1:][np.any(np.diff(path, axis=0) != 0, axis=1)].mean(axis=0)


_SEPARATOR = np.array([0.3, 1.0, -0.7, 0.4])


def _separable_rows():
    w, X, _ = _rows(13)  # the first pass leaves mistakes, and some rows want more than one step
    return 4 * w, X, np.sign(X @ _SEPARATOR)


def _rows(seed, n=14, d=3):
    rng = np.random.default_rng(seed)
    X = np.column_stack([np.ones(n), rng.normal(size=(n, d)) * 2 + 0.5])
    return rng.normal(size=d + 1) * (seed % 2), X, rng.permutation(np.where(np.arange(n) < n // 2 + 1, 1.0, -1.0))


def _hand_rows():
    X, t = _FOUR
    return np.zeros(3), X.astype(float), t.astype(float)


@exercise(
    "7.2",
    "The mean of a run",
    start="Loop over the rows as the blackboard does, and add w to a sum after each of them.",
    hints=[
        "for x, sign in zip(X, t): the score to test is sign * (w @ x), with the w of this moment.",
        "Write w = w + sign * x, which makes a new array; w += ... would change the caller's.",
        "After the if, and not inside it: total = total + w. At the end return total / len(X).",
    ],
    solution=averaged_pass,
    explanation="Weights that last count often, weights that fail at once count once. The start itself does not count.",
)
def _(answer):
    expect_function(
        answer,
        averaged_pass,
        [_hand_rows(), _separable_rows(), *map(_rows, (1, 2, 3, 4))],
        "The mean of the weights",
        slips=[
            (
                _weights,
                "These are the last weights; the mean over all rows is wanted. (If you kept a list: w += ... changes "
                "the one array that all its entries are; write w = w + ....)",
            ),
            (_mean_without_t, "A mistake is t (w . x) <= 0; you test w . x without t."),
            (
                lambda w, X, t: _pass(w, X, t).sum(axis=0),
                "This is the sum of the weights; divide it by the number of rows.",
            ),
            (_mean_before, "You added w before the row was judged; add it after the correction."),
            (_mean_of_changes, "You averaged over mistakes only; weights count after every row, as long as they last."),
            (_sum_of_changes, "You add w on mistakes only; add it after every row, outside the if."),
            *(
                (lambda w, X, t, k=k: _pass(w, X, t).sum(axis=0) / (len(X) + k), "Divide by the number of rows, m.")
                for k in (-1, 1)
            ),
            (_mean_delta(True), "You added (t - w . x) x, the delta rule; the perceptron adds t x on a mistake."),
            (_mean_delta(False), "You added (t - w . x) x, the delta rule; the perceptron adds t x on a mistake."),
            (_mean_with_sign_of_zero(1), "A score of 0 is a mistake for both classes, not a vote for +1."),
            (_mean_with_sign_of_zero(-1), "A score of 0 is a mistake for both classes, not a vote for -1."),
            (_mean_of_passes, "You repeated passes until one was clean; one pass is wanted."),
            (
                lambda w, X, t: np.vstack([[w], _pass(w, X, t)]).mean(axis=0),
                "You counted the start too; the mean is over the weights after each of the rows.",
            ),
            (_mean(strict=True), "A score of 0 is a mistake here: test with <=, or a start from 0 goes wrong."),
            (_mean(fresh=False), "You tested all rows with the old weights; use the weights of this moment."),
            (_mean(every=True), "You updated on every row; only mistakes count."),
            (_mean(label=False), "You added x on every mistake; for class -1 it is subtracted: t x."),
            (_mean(rate=2.0), "Your steps are twice as long: (t - o) x is 2 t x. Add t x."),
            (_mean(rate=-1.0), "You subtracted t x, which makes the mistake worse."),
            (_mean(bias=0.0), "The bias stays what it was; it learns too, from the 1 in front of x."),
            (lambda w, X, t: averaged_pass(0 * w, X, t), "You started from 0; start from the w that is given."),
        ],
    )
    return "Right. Repeat it over many epochs and you have the averaged perceptron."


# --- 7.3 --------------------------------------------------------------------------------------------------------------


def mistake_bound(v, X, t):
    gamma = np.min(t * (X @ v)) / np.linalg.norm(v)
    R = np.linalg.norm(X, axis=1).max()
    return (R / gamma) ** 2 if gamma > 0 else np.inf


def _bound_with(v, X, t, *, size=None, rows=None, power=2, pick=np.min):
    """Return the bound with one thing changed, to recognise typical slips."""
    gamma = pick(t * (X @ v)) / (np.linalg.norm(v) if size is None else size)
    return (np.linalg.norm(X if rows is None else rows, axis=1).max() / gamma) ** power


def _separated(seed, d):
    rng = np.random.default_rng(seed)
    v, X = rng.normal(size=d + 1) * 3, np.column_stack([np.ones(25), rng.normal(size=(25, d)) * 2])
    X = X[np.abs(X @ v) > 0.3]
    t = np.sign(X @ v)
    return v, X, t


@exercise(
    "7.3",
    "The bound of a plane",
    start="The margin of the theorem belongs to a unit vector; v is none.",
    hints=[
        "γ is the least of t * (X @ v), divided by the length of v. R is the length of the longest row of X.",
        "If γ is zero or negative, v does not separate, and the theorem promises nothing: return np.inf.",
        "gamma = np.min(t * (X @ v)) / norm(v); R = norm(X, axis=1).max(); (R / gamma) ** 2 if gamma > 0 else np.inf.",
    ],
    solution=mistake_bound,
    explanation="Every separating plane gives a bound, (7.24); `perceptron_bound` looks for the plane with the least.",
)
def _(answer):
    for seed, d in ((1, 2), (2, 3), (3, 1)):
        v, X, t = _separated(seed, d)
        value = answer(v, X, t)
        bound, lengths = mistake_bound(v, X, t), np.linalg.norm(X, axis=1)
        longest = lengths.max()
        expect_close(
            value,
            bound,
            "The bound",
            known=[
                (
                    _bound_with(v, X, t, size=1.0),
                    "Divide the margin by the length of v; the theorem's u has length one.",
                ),
                (
                    _bound_with(v, X, t, size=np.linalg.norm(v[1:])),
                    "You divided by the length of w alone; with the bias folded in it is that of (b, w).",
                ),
                (_bound_with(v, X, t, power=1), "This is R/γ; the bound is its square."),
                (_bound_with(v, X, t, rows=X[:, 1:]), "R counts the 1 in front: take the length of the whole row."),
                (
                    _bound_with(v, X, t, size=v @ v),
                    "You divided the margin by |v|²; the theorem's u is v divided by its length.",
                ),
                (
                    _bound_with(v, X, t, rows=X[:, 1:], size=np.linalg.norm(v[1:])),
                    "The bias is not folded in: R and the length of v include the first entry.",
                ),
                *(
                    (bound * (R / longest) ** 2, "R is the length of the longest row, the largest of norm(X, axis=1).")
                    for R in (lengths.mean(), lengths.min(), np.linalg.norm(X), np.linalg.norm(X, axis=0).max())
                ),
                (_bound_with(v, X, t, pick=np.mean), "γ is the least of the margins, not their mean."),
                (_bound_with(v, X, t, pick=np.max), "γ is the least of the margins, not the largest."),
                (np.inf, "This v separates, so the bound is finite. Is t part of your margin?"),
            ],
        )
        for flipped in (-t, np.where(np.arange(len(t)) == 0, -t, t)):
            if np.allclose(numbers(answer(v, X, flipped), "The bound"), bound):
                raise Wrong("With other labels your bound is the same: γ is the least of t * (X @ v), with its sign.")
            if numbers(answer(v, X, flipped), "The bound") != [np.inf]:
                raise Wrong("A v with a point on its wrong side gives no bound: return np.inf where γ is not positive.")
    on_plane = answer(np.array([0.0, 1.0]), np.array([[1.0, 0.0], [1.0, 1.0]]), np.array([-1.0, 1.0]))
    if numbers(on_plane, "The bound") != [np.inf]:
        raise Wrong("A point on the plane has margin 0, so v does not separate strictly: return np.inf.")
    return "Right. Any separating plane gives a bound that holds for every order of the samples."

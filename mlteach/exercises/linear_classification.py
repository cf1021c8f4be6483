"""Tasks of chapter 07: distances, claims, a far point, a pass, bounds, Fisher, a cut, scores, the mean of a run."""

import numpy as np
from numpy import sqrt

from mlteach.exercises.base import Wrong, exercise, expect_set, letters
from mlteach.exercises.tasks import number, task

LENGTH = float(sqrt(1.7**2 + 1))

task("7.a", "How far from the line?",
    start="What is y at the event, and what turns a score into a distance?",
    hints=[
        "y(5, 4.5) = 1.7 * 5 - 4.5 - 4.9. The sign tells the side.",
        "The length of w is the root of 1.7² + 1²; b is not part of it.",
        "-0.9 / √3.89 and 4.9 / √3.89.",
    ],
    slips="""
        (-0.9, 4.9)             | These are y and |b|; divide both by the length of w.
        (4.9 / LENGTH, -0.9 / LENGTH) | The two numbers are swapped: first the point, then the origin.
        (-0.9 / 0.7, 4.9 / 0.7) | The length of w is √(1.7² + 1²), not 1.7 - 1.
        (-0.9 / 2.7, 4.9 / 2.7) | The length of w is √(1.7² + 1²), not 1.7 + 1.
        (-0.9 / 1.7, 4.9 / 1.7) | You divided by w₁ alone, which gives the distance along the first axis; divide by the
            length of w, √(1.7² + 1²).
        (-0.9 / sqrt(1.89), 4.9 / sqrt(1.89)) | The squares of w₁ and w₂ are added: √(1.7² + 1²), also where w₂ is
            negative.
        """,
    signed=number("The signed distance", "(1.7 * 5 - 4.5 - 4.9) / sqrt(1.7**2 + 1**2)", to=0.006, slips="""
        -0.9                     | The first number is y; divide it by the length of w.
        0.9 / LENGTH             | The point is on the other side: y(5, 4.5) is negative, so is its signed distance.
        -2.25 / LENGTH           | You put the point in as (4.5, 5); it is (5, 4.5).
        8.9 / LENGTH             | b is -4.9: y = 1.7 * 5 - 4.5 - 4.9.
        -0.9 / 3.89              | You divided by |w|²; the distance divides by |w| once.
        -0.9 / sqrt(3.89 + 4.9**2) | You divided by the length of (b, w); b is no part of the normal.
        -0.5                     | That is rounded too far: two decimals, please.
        """),
    origin=number("The distance of the origin", "4.9 / sqrt(1.7**2 + 1**2)", to=0.006, slips="""
        4.9                        | The second number is |b|; divide it by the length of w.
        -4.9 / LENGTH              | The second number is a distance and not signed: |b|/|w|.
        4.9 / 3.89                 | You divided by |w|²; the distance divides by |w| once.
        4.9 / sqrt(3.89 + 4.9**2)  | You divided by the length of (b, w); b is no part of the normal.
        sqrt(5**2 + 4.5**2)        | That is how far the event is from the origin. Asked is how far the line is:
            |b|/|w|.
        2.5                        | That is rounded too far: two decimals, please.
        """),
    right="Right: y/|w| with its sign, and |b|/|w| without one.",
    explanation="By (7.2) r = y(x)/|w| = -0.9/1.9723; by (7.3) the line is |b|/|w| = 4.9/1.9723 from the origin.",
)  # fmt: skip

PLACES = {
    "A": (0, 2.5), "B": (-0.2, -0.3), "C": (-3, 2), "D": (-2, -1), "E": (3, 2), "F": (2, -1), "G": (0, -3.5),
    "H": (0.6, 0.4),
}  # fmt: skip


def claimed(condition):
    """Return the places whose number of claims, of three classes, meets a condition."""
    W, b = np.array([[0, 1], [-1, -0.5], [1, -0.5]]), np.array([-1.0, -1.0, -1.0])
    return {letter for letter, place in PLACES.items() if condition(int(np.sum(W @ place + b > 0)))}


@exercise(
    "7.b",
    "Read the claims",
    start="Which of the three classes claim A? And which claim B?",
    hints=[
        "A point is clear if exactly one class claims it. List all others.",
        "Inside the triangle no class claims anything. Beyond a corner of the triangle two claims overlap.",
        "Two points lie in the triangle, and three beyond a corner.",
    ],
    solution=sorted(claimed(lambda claims: claims != 1)),
    explanation="B and H are claimed by none, C, E and G by two. A, D and F have one claim each.",
)
def read_the_claims(answer):
    got = set(letters(answer, "ABCDEFGH", ordered=False))
    none, many = claimed(lambda claims: claims == 0), claimed(lambda claims: claims > 1)
    clear = set(PLACES) - none - many
    if got & clear and got != clear:
        extra = ", ".join(sorted(got & clear))
        raise Wrong(f"{extra}: exactly one claim, so clear. Follow the three arrows for each point.")
    known = [
        (none, "These are claimed by nobody. Points claimed by two classes are ambiguous as well."),
        (many, "These are claimed by two classes. Points claimed by nobody are ambiguous as well."),
        (clear, "These are the clear points, with exactly one claim. The others are wanted."),
    ]
    expect_set(got, none | many, "Your ambiguous points", known=known)
    return "Right: two of them are claimed by nobody, three by two classes."


task("7.c", "How far is too far?",
    start="Which N, q, μ and v belong to these points?",
    hints=[
        "μ is the mean of t x, here 2; v is the mean of x², here (1 + 4 + 9) * 2 / 6 = 14/3.",
        "Put N = 6, q = 1, μ = 2 and v = 14/3 into (7.15): x* = (2 D - 14/3) / (D + 7 * 2) is to be 1.",
        "2 D - 14/3 = D + 14.",
    ],
    D=number("The distance D", "((6 + 1) * 2 + 14 / 3) / (2 - 1)", to=0.01, slips="""
        50 / 3     | You used Nμ = 12 in the denominator; it is (N + q) μ = 14.
        7 / 3      | At D = v/μ the boundary does not move at all; set x* = 1.
        14 + 28    | You used the sum of squares 28 for v; v is their mean, 28/6.
        14         | v is missing: the numerator of (7.15) is μ D - v.
        14 / 3     | That is v; asked is the D at which x* = 1.
        2          | That is the limit of the boundary for a far point; asked is the D at which it reaches 1.
        62 / 3     | You counted seven points in N; the six at ±1, ±2, ±3 are N, the new one is q = 1.
        14 + 14    | v is the mean of x² over the six points, (1 + 4 + 9) * 2 / 6 = 14/3.
        14 + 7 / 3 | v is the mean of x² over the six points, (1 + 4 + 9) * 2 / 6 = 14/3.
        14 + 4     | v is the mean of x² over the six points, (1 + 4 + 9) * 2 / 6 = 14/3.
        14 + 5.6   | v is the mean of x² over the six points, (1 + 4 + 9) * 2 / 6 = 14/3.
        35 / 3     | The denominator is q D + (N + q) μ = D + 14; yours lacks μ.
        28 / 3     | v is subtracted in (7.15): the numerator is μ D - v.
        20         | At 20 the boundary has already passed 1; solve x* = 1 exactly.
        """),
    right="Right: 56/3. Beyond it the point x = 1 is on the wrong side.",
    explanation="2D - 14/3 = D + 14 gives D = 56/3. The cell below (7.15) shows D = 20 just beyond it.",
)  # fmt: skip

task("7.d", "One pass by hand",
    start="What is the score of the first sample, and is it a mistake?",
    hints=[
        "Write the samples as (1, 1, 2), (1, 2, 1), (1, -1, 1), (1, -1, -1). A score is (b, w₁, w₂) times that.",
        "After the first sample the weights are (1, 1, 2). The second has the score 1 + 2 + 2 = 5 and t = -1.",
        "After the second they are (0, -1, 1). The third is right, the fourth has the score 0 + 1 - 1 = 0.",
    ],
    weights=number("The triple of weights", (-1, 0, 2), names="b, w₁, w₂", slips="""
        (0, 2, -1)  | The bias comes first: (b, w₁, w₂).
        (0, -1, 3)  | You corrected at every sample, also at the third, which is right, or judged all samples by the
            old weights. Only mistakes of the weights of the moment count.
        (0, -1, 1)  | The last sample has the score 0 + 1 - 1 = 0, and a score of 0 is a mistake.
        (0, 0, 0)   | A score of 0 is a mistake: otherwise the start is never left.
        (1, 1, 2)   | The second sample has the score 1 + 2 + 2 = 5 and t = -1: a mistake, so subtract it.
        (1, -2, 0)  | The last sample has t = -1: it is subtracted, not added.
        (-2, -2, 1) | These are the weights after two passes; one pass is wanted.
        (0, 0, 2)   | The bias stays what it was; it learns too, from the 1 in front of x.
        (-2, 0, 4)  | Your steps are twice as long: (t - o) x is 2 t x. Add t x.
        (2, 3, 3)   | You added x on every mistake; for t = -1 it is subtracted: t x.
        (-1, -1, -4) | You subtracted t x, which makes the mistake worse.
        (-1, -2, 4) | You repeated passes until one was clean; one pass is wanted.
        (-16, 0, 5) | You added (t - w . x) x, the delta rule; the perceptron adds t x on a mistake.
        """),
    mistakes=number("The number of mistakes", 3, slips="""
        4 | The third sample is right: its score is 0 + 1 + 1 = 2, and t = +1.
        2 | Two of three: a score of 0 counts as well, at the first and at the last sample.
        1 | Count every correction of the pass, not one of them only.
        """),
    right="Right: three mistakes. The second sample is wrong again now, so the run goes on.",
    explanation="""
    (0, 0, 0), score 0: add, (1, 1, 2). Score 5 against t = -1: subtract, (0, -1, 1). Score 2, right. Score 0: subtract,
    (-1, 0, 2). The second sample is still wrong, so another pass follows.
    """,
)  # fmt: skip

R, GAMMA = float(sqrt(17)), float(1 / sqrt(5))

task("7.e", "A bound on paper",
    start="What do the inputs and the separator look like with the bias folded in?",
    hints=[
        "Write the inputs as (1, x) and the separator as (b, w) = (-2, 1).",
        "R is the length of the longest (1, x), which is (1, 4).",
        "The values t y are 2, 1 and 2. Divide the least by the length of (b, w), the root of 5.",
        "R = √17, γ = 1/√5, and the bound is R²/γ² = 17 * 5.",
    ],
    slips="""
        (4, 1, 16)       | The bias is not folded in: the inputs are (1, x), the separator (-2, 1).
        (GAMMA, R, ...)  | R and γ are swapped: R is the length of the longest input.
        """,
    R=number("R", "sqrt(1 + 4**2)", rtol=0.0015, slips="""
        4  | R must include the 1 in front: the length of (1, 4).
        17 | Your first number is R²; give R.
        5  | The length of (1, 4) is √(1 + 16), not 1 + 4.
        sqrt(2) | That is the length of the shortest input, (1, 1); R is that of the longest, (1, 4).
        """),
    gamma=number("γ", "1 / sqrt(2**2 + 1**2)", rtol=0.0015, slips="""
        1             | Your γ is not divided by the length of (b, w) = (-2, 1), the root of 5.
        0.2           | Your γ is divided by |(b, w)|² = 5, or squared; the margin divides by the length, √5.
        -GAMMA        | γ counts t: for x = 1 it is t y = (-1)(1 - 2) = 1, divided by the length.
        2 * GAMMA     | γ belongs to the worst point: the least of t y is 1, at x = 1.
        5 / 3 * GAMMA | γ belongs to the worst point: the least of t y is 1, at x = 1.
        5 * GAMMA     | γ belongs to the worst point: the least of t y is 1, at x = 1.
        1 / R         | You divided by the length of an input; divide by that of (b, w) = (-2, 1).
        """),
    bound=number("The bound", "17 * 5", rtol=0.0015, slips="""
        R / GAMMA | R and γ are right; the bound is the square of their ratio.
        1 / 85    | R and γ are right; the bound is (R/γ)², not (γ/R)².
        0.0118    | R and γ are right; the bound is (R/γ)², not (γ/R)².
        17 / GAMMA | R and γ are right; γ is squared, too: R²/γ².
        17        | R and γ are right. 17 is R² alone: divide it by γ² = 1/5.
        """),
    right="Right: 17 times 5. The perceptron cannot make more than 85 mistakes here, in any order.",
    explanation="R² = 1 + 16 = 17 and γ² = 1/5. A better separator has a wider γ and a smaller bound.",
)  # fmt: skip


def fisher_direction(X, y):
    m0, m1 = X[y == 0].mean(axis=0), X[y == 1].mean(axis=0)
    A = X - np.where((y == 1)[:, None], m1, m0)
    S = A.T @ A
    w = np.linalg.solve(S, m1 - m0)
    return w / np.linalg.norm(w)


def clouds():
    cases = []
    for seed, d in ((1, 2), (2, 3), (3, 4)):
        rng = np.random.default_rng(seed)
        y = rng.permutation(np.repeat([0, 1], [9, 26]))
        shapes = rng.normal(size=(2, d, d)) + np.eye(d)
        X = np.einsum("ni,nij->nj", rng.normal(size=(35, d)), shapes[y]) + y[:, None] * rng.normal(size=d) * 1.5 + 2
        cases.append((X, y))
    return cases


def not_of_length_one(case, got, wanted):
    """Say so if a direction is right but for its length."""
    got = np.asarray(got, dtype=float)
    if got.shape == wanted.shape and np.isfinite(got).all() and np.allclose(got, np.linalg.norm(got) * wanted):
        return "The direction is right; divide it by its length."
    return None


task("7.f", "Fisher's direction", fisher_direction, cases=clouds, what="The direction", complain=not_of_length_one,
    start="Which properties of the two classes does (7.32) need?",
    hints=[
        "Subtract from each row the mean of its class; the scatter within is A'A of what is left.",
        "m0 = X[y == 0].mean(axis=0), likewise m1. S_W adds up the outer products of both classes, without averaging.",
        "Solve S_W w = m1 - m0 with np.linalg.solve, then divide by the length.",
        "A = X - np.where((y == 1)[:, None], m1, m0); w = np.linalg.solve(A.T @ A, m1 - m0); w / norm(w).",
    ],
    slips="""
        m1 - m0) => m0 - m1) | Your direction points from class 1 to class 0; the other way is wanted.
        w / np.linalg.norm(w) => w | The direction is right; divide it by its length.
        np.linalg.solve(S, m1 - m0) => m1 - m0 | This is the line between the means; the scatter within is missing.
        return w / np.linalg.norm(w) => return m1 - m0 | This is the difference of the means; the scatter within is
            missing.
        S = A.T @ A => S = np.cov(X[y == 0].T) + np.cov(X[y == 1].T) | You added the covariances of the classes; S_W
            adds the scatters, so large classes weigh more.
        S = A.T @ A => S = np.cov(X[y == 0].T, bias=True) + np.cov(X[y == 1].T, bias=True) | You added the covariances
            of the classes; S_W adds the scatters, so large classes weigh more.
        S = A.T @ A => S = np.cov(X[y == 0].T) | This is the scatter of class 0 only; add both.
        S = A.T @ A => S = np.cov(X[y == 1].T) | This is the scatter of class 1 only; add both.
        S = A.T @ A => S = X.T @ X | Subtract from each row the mean of its class before you multiply.
        S, m1 - m0 => S, X[y == 1].sum(axis=0) - X[y == 0].sum(axis=0) | You took sums for the means; the classes differ
            in size.
        S, m1 - m0 => S, np.full(len(S), X[y == 1].mean() - X[y == 0].mean()) | Your means are single numbers; axis=0
            gives one for each feature.
        np.linalg.solve(S, m1 - m0) => (1 / S) @ (m1 - m0) | You inverted each entry of S_W; the inverse matrix is
            wanted: solve.
        np.linalg.solve(S, m1 - m0) => S @ (m1 - m0) | You multiplied by S_W; its inverse is wanted: solve.
        return w / np.linalg.norm(w) => return np.linalg.eigh(np.cov(X.T))[1][:, -1] | That is the direction of the
            largest spread. It knows nothing of the classes; use their means and the scatter within.
        return w / np.linalg.norm(w) => return np.linalg.svd(X - X.mean(axis=0))[2][0] | That is the direction of the
            largest spread. It knows nothing of the classes; use their means and the scatter within.
        S = A.T @ A => S = np.diag((A**2).sum(axis=0)) | You used the diagonal of S_W only; the products of different
            features belong to it.
        """,
    right="Right. No direction has a larger J.",
    explanation="(7.32) with the pooled scatter. The total scatter gives the same direction, by (7.35) and (7.37).",
)  # fmt: skip

task("7.g", "A cut for unequal classes",
    start="Where would you cut if both classes were equally frequent, and which way does the cut move?",
    hints=[
        "w = (3 - (-1))/3 = 4/3. In one dimension Σ is the variance, not the standard deviation.",
        "The cut is where w x = c - ln(p₂/p₁), with c = w (m₁ + m₂)/2; (m₁ + m₂)/2 is 1 here.",
        "4/3 x = 4/3 - ln(0.1/0.9) = 4/3 + ln 9.",
    ],
    cut=number("The cut", "(-1 + 3) / 2 + np.log(0.9 / 0.1) * 3 / (3 + 1)", to=0.006, slips="""
        1 - 0.75 * np.log(9)          | The cut moves away from the frequent class, not towards it: mind the sign of
            ln(p₂/p₁).
        -0.6                       | That is the mean of all samples; it lies on the side of the frequent class.
        1                          | Halfway is right for equal frequencies only.
        0.75 * np.log(9)              | Halfway is missing: the cut for equal frequencies is (m₁ + m₂)/2 = 1.
        1 + np.log(9) / 4             | The variance is 3: w = (m₂ - m₁)/3.
        1 + np.log(9) * sqrt(3) / 4   | You divided by the standard deviation; Σ is the variance, 3.
        1 + np.log(9) * 9 / 4         | You squared the variance; Σ is the variance itself, 3.
        4 / 3 + np.log(9)             | That is the cut for w x; divide it by w = 4/3.
        1 + np.log(9)                 | ln 9 is left undivided: divide it by w = 4/3, too.
        1 + 4 / 3 * np.log(9)         | You multiplied ln 9 by w = 4/3; divide by it.
        1 + 0.75 * np.log10(9)     | You took the logarithm to base 10; the Gaussian wants the natural one.
        1 + 0.75 * np.log(10)         | p₁/p₂ is 0.9/0.1 = 9; you took 1/0.1.
        1 + 0.75 * np.log(0.9)        | p₁/p₂ is 0.9/0.1 = 9; you took the logarithm of 0.9 alone.
        1 + 1.5 * np.log(9)           | m₂ - m₁ is 3 - (-1) = 4, not 2.
        2 + 0.75 * np.log(9)          | Halfway is (m₁ + m₂)/2 = 1; you took half the difference.
        np.log(9) / 2                 | ln(p₁/p₂)/2 belongs to the text's example, with means at ±1 and variance 1.
        1 + 0.75 * 9               | The logarithm of p₁/p₂ = 9 is wanted.
        """),
    right="Right: 1 + 3/4 ln 9. The frequent class gets more room.",
    explanation="x = 1 + 3/4 ln 9 = 2.6479: away from the frequent class, so that it has more room.",
)  # fmt: skip

task("7.h", "How many directions?",
    start="How many dimensions do the K vectors from the common mean to the class means span at most?",
    hints=[
        "K vectors whose weighted sum is zero span at most K - 1 dimensions.",
        "There are no more directions than features, either: the answer is the smaller of K - 1 and d.",
        "The smaller of 9 and 64; the smaller of 4 and 2.",
    ],
    slips="(2, 9) | The two numbers are swapped: first the digits, then the five classes.",
    digits=number("The number for the digits", "min(10 - 1, 64)", slips="""
        10 | Ten vectors, but their weighted sum is zero: one dimension less.
        64 | 64 features; but the scatter between ten classes has at most K - 1 directions.
        63 | Classes lose one, not features: at most K - 1 for ten classes.
        45 | 45 is the number of pairs of classes; asked is the number of directions, at most K - 1.
        """),
    plane=number("The number for the five classes", "min(5 - 1, 2)", slips="""
        4  | K - 1 is 4, but in the plane of two features there are only so many directions.
        5  | At most K - 1 = 4, and no more than there are features.
        1  | Classes lose one, not features: the smaller of K - 1 and d.
        10 | 10 is the number of pairs of classes; asked is the number of directions.
        """),
    right="Right: the smaller of K - 1 and d.",
    explanation="At most K - 1 by (7.36), and never more than the d features: min(9, 64) and min(4, 2).",
)  # fmt: skip


def scores(X, y, X_new):
    T = np.eye(y.max() + 1)[y]
    A = np.column_stack([np.ones(len(X)), X])
    W = np.linalg.lstsq(A, T, rcond=None)[0]
    Y = np.column_stack([np.ones(len(X_new)), X_new]) @ W
    return Y


def samples():
    cases = []
    for seed, k, d in ((1, 3, 2), (2, 4, 3), (3, 2, 1)):
        rng = np.random.default_rng(seed)
        y = np.append(np.arange(k), rng.integers(0, k, 30 - k))
        X = rng.normal(size=(30, d)) + 2 * rng.normal(size=(k, d))[y] + 1
        cases.append((X, y, rng.normal(size=(7, d)) * 2))
    return cases


def matrix_of_scores(value):
    if isinstance(value, tuple) and len(value) == 4:
        raise Wrong("lstsq returns four things; the weights are the first: lstsq(...)[0]. Multiply X_new by them.")
    return value


task("7.1", "Scores by least squares", scores, cases=samples, what="The matrix of scores", read=matrix_of_scores,
    start="What are the targets of the K regressions?",
    hints=[
        "Put a column of ones in front of X and of X_new.",
        "np.linalg.lstsq(X1, T, rcond=None)[0] has shape (d + 1, K); multiply the new rows with it.",
        "W = lstsq(column_stack([ones, X]), np.eye(y.max() + 1)[y], rcond=None)[0]; return column_stack([ones, X_new]) "
        "@ W.",
    ],
    slips="""
        A = np.column_stack([np.ones(len(X)), X]) => A = X ;; np.column_stack([np.ones(len(X_new)), X_new]) => X_new |
            There is no bias: put a column of ones in front of X.
        [y] => [y] * 2 - 1 | Your targets are -1 and +1; one-hot targets are 0 and 1.
        np.eye(y.max() + 1)[y] => y | Your targets are the numbers of the classes; give each class a column of its own,
            one-hot.
        [y] => [y][:, 1:] | The first class has no column: all K classes have one.
        [y] => [y][:, :-1] | The last class has no column: all K classes have one.
        np.linalg.lstsq(A, T, rcond=None)[0] => np.linalg.solve(A.T @ A + np.eye(A.shape[1]), A.T @ T) | Your weights
            pay a penalty; plain least squares has none.
        np.linalg.lstsq(A, T, rcond=None)[0] => A.T @ T | The inverse of X'X is missing; lstsq takes care of it.
        np.linalg.lstsq(A, T, rcond=None)[0] => A.T @ T / len(X) | The inverse of X'X is missing; lstsq takes care of
            it.
        return Y => return Y / Y.sum(axis=0) | You divided each column by its sum; the scores are wanted as they are.
        np.linalg.lstsq(A, T, rcond=None)[0] => A.T @ A @ A.T @ T | The inverse of X'X is missing; lstsq takes care of
            it.
        return Y => return Y - T.mean(axis=0) | You centred the targets; add their mean back to the scores.
        return Y => return Y.argmax(axis=1) | These are the predicted classes; return the scores themselves.
        return Y => return Y.max(axis=1) | These are the largest scores; return all of them.
        return Y => return W | These are the weights; multiply the rows of X_new by them.
        return Y => return Y - W[0] | The bias is lost: put a column of ones in front of X_new, too.
        [np.ones(len(X_new)), X_new] => [X_new, np.ones(len(X_new))] | The ones stand in front of X and behind X_new;
            put them on the same side.
        return Y => return Y.clip(0, 1) | You cut the scores to [0, 1]; they are wanted as they are.
        return Y => return Y[:, ::-1] | The columns are in reverse order; column k belongs to class k.
        A = np => X_new = X_new - X_new.mean(axis=0); X = X - X.mean(axis=0); A = np | You subtracted from X_new its own
            mean; subtract that of X.
        np.column_stack([np.ones(len(X_new)), X_new]) => A | These are the scores of the training rows; X_new was asked.
        return Y => return np.exp(Y) / np.exp(Y).sum(axis=1, keepdims=True) | You sent the scores through a softmax;
            they are wanted as they are.
        """,
    right="Right. Each row sums to one, though single scores may leave [0, 1].",
    explanation="All K regressions share their inputs, so one call of lstsq solves them. The rows sum to one (7.13).",
)  # fmt: skip


def averaged_pass(w, X, t):
    total = np.zeros(len(w))
    for x, sign in zip(X, t):
        score = w @ x
        if sign * score <= 0:
            w = w + sign * x
        total = total + w
    return total / len(X)


def until_clean(w, X, t):
    """Return the mean of the weights over passes that are repeated until one has no mistake."""
    path = []
    for _ in range(100):
        before = w
        for x, sign in zip(X, t):
            w = w + sign * x if sign * (w @ x) <= 0 else w
            path.append(w)
        if w is before:
            break
    return np.mean(path, axis=0)


def mean_of_changes(w, X, t):
    """Return the mean over the weights after mistakes only."""
    path = []
    for x, sign in zip(X, t):
        if sign * (w @ x) <= 0:
            w = w + sign * x
            path.append(w)
    return np.mean(path, axis=0)


def rows():
    hand = np.array([[1.0, 1, 2], [1, 2, 1], [1, -1, 1], [1, -1, -1]])
    cases = [(np.zeros(3), hand, np.array([1.0, -1, 1, -1]))]
    for seed in (13, 1, 2, 3, 4):
        rng = np.random.default_rng(seed)
        X = np.column_stack([np.ones(14), rng.normal(size=(14, 3)) * 2 + 0.5])
        w = rng.normal(size=4) * (seed % 2)
        cases.append((w, X, rng.permutation(np.where(np.arange(14) < 8, 1.0, -1.0))))
    w, X, _ = cases[1]  # separable: the first pass leaves mistakes, and some rows want more than one step
    cases[1] = 4 * w, X, np.sign(X @ [0.3, 1.0, -0.7, 0.4])
    return cases


task("7.2", "The mean of a run", averaged_pass, cases=rows, what="The mean of the weights",
    start="Which weights enter the mean after a row that was right?",
    hints=[
        "for x, sign in zip(X, t): the score to test is sign * (w @ x), with the w of this moment.",
        "Write w = w + sign * x, which makes a new array; w += ... would change the caller's.",
        "After the if, and not inside it: total = total + w. At the end return total / len(X).",
    ],
    slips=["""
        total / len(X) => w | These are the last weights; the mean over all rows is wanted. (If you kept a list: w +=
            ... changes the one array that all its entries are; write w = w + ....)
        if sign * score => if score | A mistake is t (w . x) <= 0; you test w . x without t.
        total / len(X) => total | This is the sum of the weights; divide it by the number of rows.
        total = total + w => pass ;; score = w @ x => score = w @ x; total = total + w | You added w before the row was
            judged; add it after the correction.
        total = total + w => pass ;; w = w + sign * x => w = w + sign * x; total = total + w | You add w on mistakes
            only; add it after every row, outside the if.
        total / len(X) => total / (len(X) - 1) | Divide by the number of rows, m.
        total / len(X) => total / (len(X) + 1) | Divide by the number of rows, m.
        if sign * score <= 0 => if True ;; + sign * x => + (sign - score) * x | You added (t - w . x) x, the delta rule;
            the perceptron adds t x on a mistake.
        + sign * x => + (sign - score) * x | You added (t - w . x) x, the delta rule; the perceptron adds t x on a
            mistake.
        if sign * score <= 0 => if sign != (np.sign(score) or 1) | A score of 0 is a mistake for both classes, not a
            vote for +1.
        if sign * score <= 0 => if sign != (np.sign(score) or -1) | A score of 0 is a mistake for both classes, not a
            vote for -1.
        total = np.zeros(len(w)) => total = w ;; total / len(X) => total / (len(X) + 1) | You counted the start too; the
            mean is over the weights after each of the rows.
        <= 0 => < 0 | A score of 0 is a mistake here: test with <=, or a start from 0 goes wrong.
        total = np.zeros(len(w)) => total = np.zeros(len(w)); start = w ;; score = w @ x => score = start @ x | You
            tested all rows with the old weights; use the weights of this moment.
        if sign * score <= 0 => if True | You updated on every row; only mistakes count.
        + sign * x => + x | You added x on every mistake; for class -1 it is subtracted: t x.
        + sign * x => + 2 * sign * x | Your steps are twice as long: (t - o) x is 2 t x. Add t x.
        + sign * x => - sign * x | You subtracted t x, which makes the mistake worse.
        + sign * x => + sign * x * (np.arange(len(x)) > 0) | The bias stays what it was; it learns too, from the 1 in
            front of x.
        total = np.zeros(len(w)) => total = np.zeros(len(w)); w = 0 * w | You started from 0; start from the w that is
            given.
        total = np.zeros(len(w)) => total = w | Your sum starts from w. It starts from 0: the start itself does not
            count.
        """,
        (until_clean, "You repeated passes until one was clean; one pass is wanted."),
        (mean_of_changes, "You averaged over mistakes only; weights count after every row, as long as they last."),
    ],
    right="Right. Repeat it over many epochs and you have the averaged perceptron.",
    explanation="Weights that last count often, weights that fail at once count once. The start itself does not count.",
)  # fmt: skip


def mistake_bound(v, X, t):
    gamma = np.min(t * (X @ v)) / np.linalg.norm(v)
    R = np.linalg.norm(X, axis=1).max()
    return (R / gamma) ** 2 if gamma > 0 else np.inf


def planes():
    """Return planes that separate, the same with some labels turned, and one with a point on it."""
    cases = []
    for seed, d in ((1, 2), (2, 3), (3, 1)):
        rng = np.random.default_rng(seed)
        v, X = rng.normal(size=d + 1) * 3, np.column_stack([np.ones(25), rng.normal(size=(25, d)) * 2])
        X = X[np.abs(X @ v) > 0.3]
        t = np.sign(X @ v)
        cases += [(v, X, t), (v, X, -t), (v, X, np.where(np.arange(len(t)) == 0, -t, t))]
    return [*cases, (np.array([0.0, 1.0]), np.array([[1.0, 0.0], [1.0, 1.0]]), np.array([-1.0, 1.0]))]


def no_bound(case, got, wanted):
    """Say what is wrong where no bound is to be had, or where one is."""
    v, X, t = case
    if np.isfinite(wanted):
        return "This v separates, so the bound is finite. Is t part of your margin?" if got == np.inf else None
    if np.min(t * (X @ v)) == 0:
        return "A point on the plane has margin 0, so v does not separate strictly: return np.inf."
    return "A v with a point on its wrong side gives no bound: return np.inf where γ is not positive."


BOUND_SLIPS = """
/ np.linalg.norm(v) => | Divide the margin by the length of v; the theorem's u has length one.
norm(v) => norm(v[1:]) | You divided by the length of w alone; with the bias folded in it is that of (b, w).
** 2 => | This is R/γ; the bound is its square.
norm(X, => norm(X[:, 1:], | R counts the 1 in front: take the length of the whole row.
/ np.linalg.norm(v) => / (v @ v) | You divided the margin by |v|²; the theorem's u is v divided by its length.
norm(v) => norm(v[1:]) ;; norm(X, => norm(X[:, 1:], | The bias is not folded in: R and the length of v include
    the first entry.
.max() => .mean() | R is the length of the longest row, the largest of norm(X, axis=1).
.max() => .min() | R is the length of the longest row, the largest of norm(X, axis=1).
np.linalg.norm(X, axis=1).max() => np.linalg.norm(X) | R is the length of the longest row, the largest of
    norm(X, axis=1).
axis=1 => axis=0 | R is the length of the longest row, the largest of norm(X, axis=1).
np.min( => np.mean( | γ is the least of the margins, not their mean.
np.min( => np.max( | γ is the least of the margins, not the largest.
"""

task("7.3", "The bound of a plane", mistake_bound, cases=planes, what="The bound", complain=no_bound,
    start="For which vectors does the theorem define a margin? Is v one of them?",
    hints=[
        "γ is the least of t * (X @ v), divided by the length of v. R is the length of the longest row of X.",
        "If γ is zero or negative, v does not separate, and the theorem promises nothing: return np.inf.",
        "gamma = np.min(t * (X @ v)) / norm(v); R = norm(X, axis=1).max(); (R / gamma) ** 2 if gamma > 0 else np.inf.",
    ],
    slips=[BOUND_SLIPS, """
        t * (X @ v) => X @ v | This v separates, so the bound is finite. Is t part of your margin?
        t * (X @ v) => abs(X @ v) | With other labels your bound is the same: γ is the least of t * (X @ v), with its
            sign.
        R / gamma => R / np.mean(t * (X @ v)) * np.linalg.norm(v) | γ is the least of the margins, not their mean.
        R / gamma => R / np.max(t * (X @ v)) * np.linalg.norm(v) | γ is the least of the margins, not the largest.
        R / gamma => np.max(np.linalg.norm(X, axis=1) / (t * (X @ v))) * np.linalg.norm(v) | You took the largest
            quotient of one row; R and γ are each found over all rows, and then divided.
        if gamma > 0 else np.inf => | A v with a point on its wrong side gives no bound: return np.inf where γ is not
            positive.
        else np.inf => else 0.0 | A v with a point on its wrong side gives no bound: return np.inf where γ is not
            positive.
        """,
        BOUND_SLIPS.replace(" | ", " ;; if gamma > 0 else np.inf => | "),  # two mistakes
    ],
    right="Right. Any separating plane gives a bound that holds for every order of the samples.",
    explanation="Every separating plane gives a bound, (7.24); `perceptron_bound` looks for the plane with the least.",
)  # fmt: skip

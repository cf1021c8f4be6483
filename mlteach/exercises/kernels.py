"""Tasks of chapter 15: features of kernels, distances, non-kernels, rules, a perceptron, ridge, strings, means."""

import math
from itertools import combinations

import numpy as np

from mlteach.exercises.base import Wrong, exercise, letters, numbers
from mlteach.exercises.tasks import number, spelt, task

R2, R3 = math.sqrt(2), math.sqrt(3)
ROOTS, POWERS = np.array([1, R3, R3, 1]), np.array([1.0, 3, 9, 27])

task("15.a", "Four features of a cube",
    start="Multiply out (x x' + 1)³ first. Which powers of x x' are there, and how often?",
    hints=[
        "(u + 1)³ = 1 + 3u + 3u² + u³ with u = x x'.",
        "Each term c (x x')^j is a product of √c x^j and √c x'^j.",
        "The features of x are 1, √3 x, √3 x² and x³. Insert x = 3.",
    ],
    answer=number("Your list", "(1, 3**0.5 * 3, 3**0.5 * 3**2, 3**3)", to=0.006,
        names=[f"the feature of power {j}" for j in range(4)], slips="""
        POWERS                 | These are the plain powers: their inner product has no factors 3. Where does each 3 go?
        ROOTS**2 * POWERS       | Each coefficient stands in both points, so it appears squared: take its root.
        (ROOTS * POWERS)[::-1]  | The features are right, but in falling powers: begin with power 0.
        ROOTS * [1, 2, 4, 8]    | These are the features of x = 2; here x = 3.
        ROOTS                   | These are the features of x = 1, the factors alone; here x = 3.
        (1, 3, 3, 1)            | These are the coefficients of (u + 1)³; the features of x = 3 are wanted.
        (1, 3 * R2, 9, 0)       | These are the features of (x x' + 1)²; the kernel here is the cube.
        (1, 3 * R2, 9)          | These are the features of (x x' + 1)²; the cube has four.
        (1, 9, 81, 729)         | These are powers of x x' for x = x' = 3; the features belong to one point.
        (1, 27, 243, 729)       | These are the terms of k(3, 3); a feature is the root of each.
        (1, 3 * R2, 9 * R2, 27) | The factor √2 belongs to the square; here each 3 is shared, so it is √3.
        (1, 3 * R3, 9, 27)      | Your x² lacks its factor: (u + 1)³ has 3u² as well as 3u.
        (1, 3, 9 * R3, 27)      | Your x lacks its factor: (u + 1)³ has 3u as well as 3u².
        ROOTS * np.sqrt(POWERS) | Only the coefficient is shared between the points: x keeps its whole power.
        POWERS / ROOTS          | Multiply each power by the root of its coefficient; you divide.
        3 * ROOTS * POWERS      | The powers are one too high: the first feature is the constant 1.
        -ROOTS * POWERS         | Take the positive roots, as the task asks.
        ROOTS * POWERS * [1, -1, 1, -1] | Take the positive roots, as the task asks.
        ROOTS * POWERS * [1, -1, 1, 1]  | Take the positive roots, as the task asks.
        (27, 27 * R3, 9 * R3, 1)     | The powers and the factors do not fit: √3 x goes with power 1.
        (1, 9, 9 * R3, 27)      | The factor of x is the root of its coefficient 3; yours is 3 itself.
        (1, 3 * R3, 27, 27)     | The factor of x² is the root of its coefficient 3; yours is 3 itself.
        ROOTS * POWERS - [1, 0, 0, 0] | The first feature is the constant: 3 to the power 0 is 1.
        R3 * POWERS             | Only x and x² have the coefficient 3: the constant and x³ have 1, and no root.
        ROOTS * POWERS * [1, 1, 1, R3] | x³ has the coefficient 1 in (u + 1)³: no root there.
        (1, 6, 9, 0)            | These are the terms of a square; here a cube, and two points share each coefficient.
        (1, 6, 9)               | These are the terms of a square; here a cube, and two points share each coefficient.
        (3 * R3, 9 * R3, 27)    | The constant 1 of (u + 1)³ is a feature too: four numbers are wanted.
        """),
    right="Right. Four features, and the kernel never writes them down.",
    explanation="Each coefficient of (u + 1)³ is shared evenly between x and x', so its root stands in each feature.",
)  # fmt: skip

task("15.b", "A distance between images",
    start="Three kernel values are enough. Which?",
    hints=[
        "k(x, x) = (2 + 1)² = 9, k(x', x') = (4 + 1)² = 25, k(x, x') = (2 + 1)² = 9.",
        "(15.4): the squared distance is 9 + 25 - 2 · 9. (15.5): the cosine is 9 / √(9 · 25).",
    ],
    distance=number("The distance", "((2 + 1)**2 + (4 + 1)**2 - 2 * (2 + 1)**2)**0.5", to=0.006, slips="""
        16            | That is the squared distance: take the root.
        5             | In 9 + 25 - 2 · 9 the kernel of the pair counts twice.
        25            | In 9 + 25 - 2 · 9 the kernel of the pair counts twice; and take the root.
        R2            | That is the distance of the points themselves; their images are asked for.
        2             | That belongs to the points themselves; use kernel values in (15.4).
        math.sqrt(34) | The term -2 k(x, x') of (15.4) is missing.
        math.sqrt(52) | The term 2 k(x, x') is subtracted.
        math.sqrt(8)  | You left out the + 1 of the kernel.
        8             | You left out the + 1 of the kernel, and the root of the distance.
        0             | k(x, x) and k(x, x') are both 9, but k(x', x') = 25 takes part, too.
        """),
    cosine=number("The cosine", "(2 + 1)**2 / ((2 + 1)**2 * (4 + 1)**2)**0.5", to=0.006, slips="""
        0.8            | That is the sine of the angle; the cosine is asked for.
        9 / 225        | Divide by √(k(x, x) k(x', x')): the root is missing.
        9 / 34         | Divide by the root of the product of k(x, x) and k(x', x'), not by their sum.
        1 / R2         | That is the cosine of the points themselves; use kernel values in (15.5).
        0.5            | You left out the + 1 of the kernel: k(x, x') = (2 + 1)².
        9              | That is k(x, x'); divide it by √(k(x, x) k(x', x')).
        0.36           | That is the squared cosine, or 9 / k(x', x'): divide by √(9 · 25).
        1              | You divide by k(x, x) alone: both lengths belong under the root, √(9 · 25).
        math.acos(0.6) | That is the angle; the cosine is asked for.
        math.degrees(math.acos(0.6)) | That is the angle; the cosine is asked for.
        """),
    right="Right: lengths and angles in six dimensions, from three numbers.",
    explanation="The squared distance is 9 + 25 - 18 = 16, and the cosine 9 / (3 · 5) = 0.6.",
)  # fmt: skip

SQUARES = np.array([[0.0, 1, 9], [1, 0, 4], [9, 4, 0]])


@exercise(
    "15.c",
    "Catch a non-kernel",
    start="Write down the 3 by 3 matrix first. What stands on its diagonal?",
    hints=[
        "K = [[0, 1, 9], [1, 0, 4], [9, 4, 0]], and c . K c = 2 c1 c2 + 18 c1 c3 + 8 c2 c3.",
        "The diagonal is zero, so two weights of opposite sign are enough.",
    ],
    solution=(1.0, 0.0, -1.0),
    explanation="With c = (1, 0, -1) the sum is -18: a squared length cannot be negative, so there are no features.",
)
def any_weights_of_negative_sum(answer):
    c = np.array(numbers(answer, "c1, c2, c3"))
    if not np.isfinite(c).all():
        raise Wrong("The weights must be finite numbers.")
    if not c.any():
        raise Wrong("All weights are zero: then the sum is zero for every function. Take others.")
    c = c / np.abs(c).max()
    value = round(float(c @ SQUARES @ c), 9) + 0.0
    if value < 0:
        return f"Right: scaled to a largest weight of 1 they give {value:.3g}, and no squared length is negative."
    if np.count_nonzero(c) == 1:
        raise Wrong("One weight alone gives k(x, x) = 0, and zero is allowed. Let two points take part.")
    if (c >= 0).all() or (c <= 0).all():
        raise Wrong("All entries of K are at least zero, so weights of one sign give no negative sum: mix the signs.")
    raise Wrong(
        f"Scaled to a largest weight of 1 your weights give the sum {value:.3g}, which a squared length may be. "
        "The points 0 and 3 are farthest apart: give weights to these two alone, of opposite sign."
    )


WHY = {
    "A": "A is one: a product of kernels, a positive multiple and a sum.",
    "B": "B is one: cos(x - x') = cos x cos x' + sin x sin x' has two features.",
    "C": "C is none in general: with k1 = x x' and k2 = 2 x x' it is -x x', negative on the diagonal.",
    "D": "D is none: at 0 and 1 the Gram matrix is [[1, 1], [1, 0]], with a negative determinant.",
    "E": "E is one: a product of the linear and the Gaussian kernel.",
    "F": "F is none: k(0, 0) = 0 but k(0, 1) = 1, so the point 0 would have no length and still an inner product.",
}
LOOK = {
    "A": "go through its sum and product one by one.",
    "B": "write cos(x - x') with the cosines and sines of x and x'.",
    "E": "look at its two factors one by one.",
}


def letter_by_letter(answer):
    chosen = letters(answer, "ABCDEF", ordered=False)
    if chosen == "CDF":
        raise Wrong("These are the ones that are not kernels; name the kernels.")
    for letter in "CDF":
        if letter in chosen:
            raise Wrong(f"{letter} should not be there. {WHY[letter]}")
    for letter, words in LOOK.items():
        if letter not in chosen:
            raise Wrong(f"Your answer lacks {letter}: {words}")


task("15.d", "Kernel or not?", guard=letter_by_letter,
    start="Which rule builds it? And where none does, which two points break (15.7)?",
    hints=[
        "A difference is not among the rules. For the other doubtful ones try the points 0 and 1.",
        "cos(x - x') = cos x cos x' + sin x sin x'. What are its features?",
        "At 0 and 1: D gives [[1, 1], [1, 0]], F gives [[0, 1], [1, 3]]. Look at the determinants.",
    ],
    answer=spelt("Your choice", "ABE", "ABCDEF", ordered=False),
    right="Right. A proof for each kernel, a counterexample for each other.",
    explanation=" ".join(WHY.values()),
)  # fmt: skip


def bump_features(x, beta, n):
    j = np.arange(n)
    factorials = np.array([math.factorial(i) for i in j], dtype=float)
    envelope = np.exp(-beta * x**2)
    return envelope * np.sqrt((2 * beta) ** j / factorials) * float(x) ** j


task("15.e", "Features of a bump", bump_features, what="The list of features",
    cases=[(0.5, 1.0, 3), (-1.5, 0.7, 5), (2.0, 0.3, 1), (0.0, 2.0, 4), (1.2, 1.6, 6)],
    start="(15.11) has one feature for each j. Which j comes first?",
    hints=[
        "Each feature is exp(-beta x²) times √((2 beta)^j / j!) times x^j.",
        "j = np.arange(n); math.factorial(j) for each j.",
    ],
    slips="""
        np.sqrt((2 * beta) ** j / factorials) => (2 * beta) ** j / factorials | The root is missing: (2 beta)^j / j! is
            shared between the two points.
        np.exp(-beta * x**2) => 1.0       | The factor exp(-beta x²) is missing.
        -beta * x**2 => -(x**2)           | The factor in front is exp(-beta x²); your beta is 1.
        -beta * x**2 => -beta * abs(x)    | In the factor exp(-beta x²) the x is squared.
        -beta * x**2 => -beta * x         | In the factor exp(-beta x²) the x is squared.
        -beta * x**2 => -2 * beta * x**2 | The factor in front is exp(-beta x²), without a 2: each point brings its own.
        -beta * x**2 => -beta * x**2 / 2  | The factor in front is exp(-beta x²): no half. Each point brings the whole
            of its own exponent.
        -beta * x**2 => beta * x**2       | The exponent in front is -beta x², with a minus.
        np.sqrt((2 * beta) ** j / factorials) => (2 * beta) ** j / np.sqrt(factorials) | (2 beta)^j stands under the
            root together with 1 / j!.
        (2 * beta) ** j => 2 * beta**j   | The power j belongs to 2 beta as a whole: (2 * beta) ** j, not 2 * beta ** j.
        (2 * beta) => beta                | It is (2 beta)^j: the 2 comes from the 2 x x' of the square.
        (2 * beta) => 2.0                 | It is (2 beta)^j; your features leave out beta there.
        np.arange(n) => np.arange(1, n + 1) | The first feature is the one with j = 0.
        / factorials =>                   | The j! is missing under the root.
        np.sqrt((2 * beta) ** j / factorials) * float(x) ** j => np.sqrt((2 * beta) ** j / factorials * abs(x) ** j) |
            The power of x stands outside the root: each point brings its own x^j.
        return envelope * np.sqrt((2 * beta) ** j / factorials) => return np.exp(-(x**2) / 2) / np.sqrt(factorials) |
            These are the features for beta = ½, as in Figure 15.4; use the beta that is given.
        np.sqrt((2 * beta) ** j / factorials) => np.sqrt((2 * beta) ** j) / factorials | j! stands under the root,
            together with (2 beta)^j.
        math.factorial(i) => max(i, 1)    | Under the root stands j!, the factorial: 1, 1, 2, 6, 24, not j itself.
        float(x) ** j => abs(x) ** j      | Your features lose the sign of x: odd powers of a negative x are negative.
        """,
    right="Right. Each of them is finite; there is no last one.",
    explanation="Inner products of these lists approach the Gaussian kernel as n grows.",
)  # fmt: skip

task("15.f", "Two words that share a lot",
    start="Which letters do both words have, and at how many places each? Then runs of two, of three, of four.",
    hints=[
        "l stands at 2 places in lulu and at 3 in lull: that makes 2 · 3. Go on with u.",
        "Runs of two that both have: lu and ul. Runs of three: lul.",
    ],
    answer=number("Your count", "2 * 3 + 2 * 1 + 2 * 1 + 1 * 1 + 1 * 1", to=1e-6, slips="""
        8    | 8 is what single letters give, or the places in one word alone: multiply the places, and count longer
            runs too.
        4    | 4 is what the runs of two and three give (or the set kernel of the letters); in (15.14) all runs count,
            from single letters on.
        5    | You count each shared run once; it counts (places in lulu) times (places in lull).
        6    | You take the smaller number of places, or the letter l alone; multiply the numbers of places, and add
            over all shared runs.
        7    | You count the places in lull only; multiply them by the places in lulu.
        15   | You add the numbers of places; they are multiplied.
        11   | One is lacking: lu stands at two places in lulu, and lul is a run of both words.
        10   | Two are lacking: look for runs of two and of three letters that both words have.
        13   | One too many: lulu itself is no run of lull, and ulu and ll are in one word only.
        16   | That is k of one of the words with itself.
        3    | That is the length of the longest shared run; all shared runs count.
        0.75 | That is the cosine (15.5); the kernel itself is asked for.
        """),
    right="Right: the table of run lengths would add up to the same 12.",
    explanation="l 2 · 3, u 2 · 1, lu 2 · 1, ul 1 · 1, lul 1 · 1: together 6 + 2 + 2 + 1 + 1 = 12.",
)  # fmt: skip


def one_pass(K, t):
    a = np.zeros(len(t))
    for n in range(len(t)):
        score = np.sum(a * t * K[:, n])
        if t[n] * score <= 0:
            a[n] += 1
    return a


def gram(X, gamma=0.0):
    X = np.asarray(X, dtype=float)
    return (X @ X.T + gamma) ** 2


task("15.g", "One pass of the kernel perceptron", one_pass, what="The list of counts",
    cases=[
        (gram([[1, 0], [0, 2], [1, 1]]), np.array([1, -1, 1])),
        (gram([[1, 0], [2, 0], [0, 1], [1, 3], [2, 1], [0.5, 0.5]], 1), np.array([-1, -1, 1, 1, -1, 1])),
        (np.eye(4) + 0.5, np.array([-1, 1, 1, -1])),
        (np.array([[2.0, -0.5, 0.4], [-0.5, 2.0, -0.7], [0.4, -0.7, 3.0]]), np.array([1, 1, -1])),
        (np.array([[1, 1.0, 0], [1, 1, 0], [0, 0, 1]]), np.array([1, 1, -1])),
        (np.array([[9.0, 3], [3, 2]]), np.array([1, -1])),  # one correction does not mend the second point
    ],
    start="Begin with a = 0. What does the machine say of the first point, and does that count as a mistake?",
    hints=[
        "For n = 0, 1, ...: y = sum of a[m] t[m] K[m, n] over all m, with the a of this moment.",
        "If t[n] y ≤ 0, add one to a[n]. After the last point return a.",
    ],
    slips="""
        <= 0 => < 0 | Your machine never starts: a mistake is t y ≤ 0, a score of zero included.
        if t[n] * score <= 0 => while t[n] * np.sum(a * t * K[:, n]) <= 0 | You correct a point until it is right: each
            visit adds one at most.
        np.zeros(len(t)) => np.ones(len(t)) | All counts begin at zero, not at one.
        t[n] * score <= 0 => True | Every point counts as a mistake in your pass. Use the counts of this moment, which
            earlier mistakes have changed, and add one only where t y ≤ 0.
        a * t * K => a * K | The labels are missing in the score: y = Σ a t K.
        += 1 => += t[n] | a counts mistakes, so it grows by one; the label comes in with the score.
        t[n] * score => score | A mistake is t y ≤ 0; you look at the score without the label.
        <= 0 => <= 1 | A mistake is t y ≤ 0; you ask for a margin of 1.
        range(len(t)) => [*range(len(t))] * 2 | These are the counts after two passes; one is wanted.
        range(len(t)) => [*range(len(t))] * 50 | You go on until a pass is free of mistakes; one pass is wanted.
        range(len(t)) => reversed(range(len(t))) | You go through the points backwards: take them in the given order.
        += 1 => += 1; break | You stop after the first point or the first mistake: go on to the last point.
        K[:, n] => (K[:, n] + 1) | You added 1 to the kernel: use K as it is.
        return a => return a * t | You return a t; the counts a alone are wanted.
        return a => return K @ (a * t) | You return the scores after the pass; the counts a are wanted.
        return a => return a.sum() | You return the number of mistakes; their count at each point is wanted.
        """,
    right="Right. Chapter 07 updated a weight vector; this machine keeps a list of its mistakes.",
    explanation="The first point is always a mistake: with a = 0 every score is zero, and zero counts as wrong.",
)  # fmt: skip

task("15.h", "Kernel ridge by hand",
    start="Write down the 2 by 2 Gram matrix of the points 0 and 2. What does λ do to it?",
    hints=[
        "K = [[1, 1], [1, 5]], so K + λI = [[2, 1], [1, 6]].",
        "2 a1 + a2 = 4 and a1 + 6 a2 = 13. Then y(1) = a1 k(0, 1) + a2 k(2, 1).",
    ],
    slips="""
        (2, 1, ...)        | The two weights are exchanged: a1 belongs to x = 0.
        (1.75, 2.25, ...)  | You solved K a = t: λ is missing on the diagonal.
        (-0.25, 2.25, ...) | You added λ to every entry of K; it belongs on the diagonal only.
        (4, 0.9, ...)      | You added λ to K and left the other entries out: K has 1 in its corners.
        (2, 13 / 6, ...)   | You divided by the diagonal alone: the entries 1 off the diagonal couple the points.
        (0, 2.6, ...)      | With the kernel x x' the entries would be [[0, 0], [0, 4]]: the + 1 is missing.
        (4, 2.6, ...)      | With the kernel x x' the entries would be [[0, 0], [0, 4]]: the + 1 is missing.
        (3, 4, ...)        | 3 and 4 are the weights of the features 1 and x, the primal side; the dual weights are
            asked for.
        (3, 11, ...)       | 3 and 11 are the fitted values y(0) and y(2); the dual weights are asked for.
        (-3, 4, ...)       | You subtracted λ on the diagonal; it is added.
        (4, 13, ...)       | These are the targets; a solves (K + λI) a = t.
        """,
    a1=number("a1", "(4 * (5 + 1) - 1 * 13) / ((1 + 1) * (5 + 1) - 1 * 1)", to=0.006),
    a2=number("a2", "((1 + 1) * 13 - 1 * 4) / ((1 + 1) * (5 + 1) - 1 * 1)", to=0.006),
    y=number("y(1)", "1 * (0 * 1 + 1) + 2 * (2 * 1 + 1)", to=0.006, slips="""
        6   | In y(1) both points take part: k(0, 1) = 0 · 1 + 1 = 1.
        3   | y(1) weighs each a with the kernel between its point and 1: k(0, 1) = 1, k(2, 1) = 3.
        4   | You left out the + 1 of the kernel in y(1): k(0, 1) = 1 and k(2, 1) = 3.
        5   | k(2, 1) = 2 · 1 + 1 = 3, not 2.
        11  | That is y(2); y(1) is asked for.
        8   | λ changes the weights only; in y(1) it plays no part.
        8.5 | Your y(1) belongs to the weights without λ.
        34  | You multiplied the kernel values by the targets; multiply them by a.
        43  | You multiplied the kernel values by the targets; multiply them by a.
        """),
    right="Right: the targets 4 and 13 are not met, y(0) = 3 and y(2) = 11; λ takes λa from each.",
    explanation="a = (1, 2), k(0, 1) = 1 and k(2, 1) = 3, so y(1) = 1 + 6 = 7.",
)  # fmt: skip

task("15.i", "Two bills",
    start="Which side solves a 30 by 30 system, and which a 60 by 60 one?",
    hints=[
        "The primal builds half of a 30 by 30 matrix from 60 rows, and solves it.",
        "Primal: 60 · 30² / 2 + 30³ / 6. For the dual exchange the roles of 60 and 30.",
    ],
    primal=number("The primal side", "60 * 30**2 / 2 + 30**3 / 6", to=0.6, slips="""
        27000  | That builds the matrix; it has to be solved as well.
        4500   | That solves the system; its matrix has to be built as well.
        58500  | Half of the symmetric matrix is enough.
        81000  | Half of the symmetric matrix is enough, and Cholesky's factors take a sixth of the cube.
        54000  | Half of the matrix is enough, and its solution takes a sixth of the cube: add both.
        36000  | Cholesky's factors take a sixth of the cube, not a third.
        63000  | That is twice the bill, or half of the matrix with the cube of 60: the primal's cube is that of 30.
        """),
    dual=number("The dual side", "60**2 * 30 / 2 + 60**3 / 6", to=0.6, slips="""
        54000  | That builds the matrix; it has to be solved as well.
        36000  | That solves the system; its matrix has to be built as well.
        144000 | Half of the symmetric matrix is enough.
        324000 | Half of the symmetric matrix is enough, and Cholesky's factors take a sixth of the cube.
        108000 | Half of the matrix is enough, and it has to be solved as well.
        31500  | That is the primal's: for the dual exchange the roles of N and M.
        126000 | Cholesky's factors take a sixth of the cube, not a third.
        270000 | Cholesky's factors take a sixth of the cube, not the whole.
        63000  | The matrix has 60² entries, of which you build half, and each takes 30 products: 30² is the primal's.
        58500  | The system of the dual is 60 by 60: the cube is that of 60.
        """),
    right="Right: with twice as many points as features the dual costs nearly three times as much.",
    explanation="Primal 27,000 + 4,500 = 31,500; dual 54,000 + 36,000 = 90,000.",
)  # fmt: skip


def normalised(K):
    length = np.sqrt(np.diag(K))
    return K / np.outer(length, length)


task("15.1", "Every image of length one", normalised, what="The normalised matrix",
    cases=[
        (np.array([[4.0, 2.0, -3.0], [2.0, 25.0, 1.0], [-3.0, 1.0, 9.0]]),),
        (np.array([[0.25, 0.1], [0.1, 16.0]]),),
        (gram([[1, 2], [0, 3], [-1, 1], [2, -2]], 0.5),),
        (np.array([[7.0]]),),
    ],
    start="(15.5) divides each entry by two lengths. Where do you read the lengths off?",
    hints=[
        "The length of the image of point i is the root of K[i, i].",
        "length = np.sqrt(np.diag(K)); divide K[i, j] by length[i] length[j], for instance with np.outer.",
    ],
    slips="""
        np.sqrt(np.diag(K)) => np.diag(K) | The roots are missing: divide by √(K[i,i] K[j,j]).
        np.outer(length, length) => np.diag(K)[:, None] | You divide each row by its own diagonal entry, and the result
            is not symmetric: divide by √(K[i,i] K[j,j]).
        np.outer(length, length) => np.diag(K) | You divide each column by its own diagonal entry, and the result is not
            symmetric: divide by √(K[i,i] K[j,j]).
        np.outer(length, length) => length[:, None] | You divide by the length of one of the two images only.
        np.outer(length, length) => length | You divide by the length of one of the two images only.
        np.outer(length, length) => K.max() | You divide by the largest entry: that leaves the lengths as different as
            before.
        np.outer(length, length) => np.linalg.norm(K, axis=1, keepdims=True) | You divide by the length of a row of K;
            the length of an image is the root of its diagonal entry.
        np.outer(length, length) => (np.add.outer(length**2, length**2) / 2) | You divide by the mean of the two
            diagonal entries; take the root of their product.
        np.outer(length, length) => np.sqrt(np.add.outer(length**2, length**2)) | Under the root stands the product of
            the two diagonal entries, not their sum.
        return K / np.outer(length, length) => return np.arccos(np.minimum(K / np.outer(length, length) + 1e-15, 1)) |
            These are the angles; (15.5) is their cosine.
        return K / np.outer(length, length) => return np.trunc(K / np.outer(length, length) + 1e-9) | Your result
            holds whole numbers: an array made with dtype=int cuts fractions off.
        K / np.outer => K * np.outer | You multiply by the lengths; divide by them.
        np.outer(length, length) => np.linalg.norm(K) | You divide by one number for the whole matrix; each entry has
            its own.
        np.outer(length, length) => length.sum() | You divide by one number for the whole matrix; each entry has its
            own.
        np.outer(length, length) => np.trace(K) | You divide by one number for the whole matrix; each entry has its own.
        """,
    right="Right. This is how long and short words are compared on equal terms.",
    explanation="The diagonal becomes one; what remains is the cosine of the angle between two images.",
)  # fmt: skip


def shared_pieces(s, u, p):
    mine = [s[i : i + p] for i in range(len(s) - p + 1)]
    other = [u[i : i + p] for i in range(len(u) - p + 1)]
    return sum(mine.count(piece) * other.count(piece) for piece in set(mine))


def scattered(s, u, p):
    return sum(a == b for a in combinations(s, p) for b in combinations(u, p))


def run_table(s, u):
    run = np.zeros((len(s) + 1, len(u) + 1))
    for i, j in np.ndindex(len(s), len(u)):
        run[i + 1, j + 1] = (s[i] == u[j]) * (1 + run[i, j])
    return run


def every_length(s, u, p):
    return run_table(s, u).sum()


def runs_of_length(s, u, p):
    return np.sum(run_table(s, u) == p)


def cosine(s, u, p):
    length = math.sqrt(shared_pieces(s, s, p) * shared_pieces(u, u, p))
    return shared_pieces(s, u, p) / length if length else 0.0


task("15.2", "Pieces that two words share", shared_pieces, what="The count",
    cases=[
        ("banana", "ananas", 2),
        ("banana", "bandana", 3),
        ("aaaa", "aaa", 2),
        ("miss", "Mississippi", 1),
        ("sette", "siete", 2),
        ("to", "two", 3),
        ("tree", "tree", 4),
        ("abc", "xyz", 1),
    ],
    start="How many pieces of length p has a word of n letters?",
    hints=[
        "A piece begins at position 0, 1, ..., n - p. There are n - p + 1 of them, or none if the word is shorter.",
        "Count the pairs of places, one in each word, whose pieces are equal.",
    ],
    slips=["""
        mine.count(piece) * other.count(piece) => (piece in other) | You count each shared piece once; it counts (times
            in s) times (times in u).
        mine.count(piece) * other.count(piece) => min(mine.count(piece), other.count(piece)) | You take the smaller
            count; the counts are multiplied.
        mine.count(piece) * other.count(piece) => (piece in other) * max(mine.count(piece), other.count(piece)) | You
            take the larger count; the counts are multiplied.
        mine.count(piece) * other.count(piece) => (piece in other) * (mine.count(piece) + other.count(piece)) | You add
            the two counts; they are multiplied.
        * other.count(piece) => * (piece in other) | You look at the counts in the first word only: a piece also counts
            for each of its places in the second.
        mine.count(piece) * => | You look at the counts in the second word only.
        mine.count => s.count ;; other.count => u.count | str.count skips places that overlap: 'aaaa' holds 'aa' three
            times.
        len(s) - p + 1 => len(s) ;; len(u) - p + 1 => len(u) | Your pieces at the end of a word are shorter than p: the
            last one begins at n - p.
        range(len(s) - p + 1) => range(0, len(s) - p + 1, p) ;; range(len(u) - p + 1) => range(0, len(u) - p + 1, p) |
            You cut the words into pieces side by side; places may overlap.
        len(s) - p + 1 => len(s) - p ;; len(u) - p + 1 => len(u) - p | The last piece is missing: it begins at n - p.
        set(mine)) => set(mine)) + (shared_pieces(s, u, p + 1) if p < len(s) else 0) | You count all lengths from p on;
            only length p is wanted.
        set(mine)) => set(mine)) + (shared_pieces(s, u, p - 1) if p > 1 else 0) | You count all lengths up to p; only
            length p is wanted.
        mine = => s, u = s.lower(), u.lower(); mine = | Capital letters count as letters of their own: change nothing in
            the words.
        sum(mine.count(piece) * other.count(piece) for piece in set(mine)) => sum(a == b for a, b in zip(mine, other)) |
            You compare pieces at the same place only; any two places may match.
        """,
        (scattered, "A piece is a run of neighbouring letters; yours may have gaps."),
        (cosine, "You return the cosine (15.5); the kernel itself is wanted."),
        (every_length, "That is (15.14) with all lengths; only substrings of p letters count."),
        (runs_of_length, "A common run longer than p holds pieces of length p, too: count entries of p and more."),
    ],
    right="Right. Its features are the counts of all pieces of length p.",
    explanation="Counting pairs of places is the same as Σ over pieces of (count in s) times (count in u).",
)  # fmt: skip


def distance_to_mean(K, k_x, k_xx):
    return k_xx - 2 * np.mean(k_x) + np.mean(K)


def mean_cases():
    rng = np.random.default_rng(15)
    points, places = rng.normal(size=(5, 2)), rng.normal(size=(3, 2)) * 2
    cases = [(np.array([[1.0, 2.0], [2.0, 5.0]]), np.array([3.0, 4.0]), 10.0)]
    for n, x in zip((5, 3, 1), places):
        cases.append((gram(points[:n], 1), (points[:n] @ x + 1) ** 2, float((x @ x + 1) ** 2)))
    return cases


task("15.3", "How far is a point from the mean of a class?", distance_to_mean, cases=mean_cases,
    what="The squared distance",
    start="What is the squared length of φ(x) - (1/N) Σ φ(x_n), in inner products?",
    hints=[
        "|u - v|² = u·u - 2 u·v + v·v with u = φ(x) and v = (1/N) Σ φ(x_n).",
        "u·v is the mean of the k(x_n, x); v·v is the mean of all entries of K.",
    ],
    slips="""
        return k_xx - 2 * np.mean(k_x) + np.mean(K) => return np.sqrt(k_xx - 2 * np.mean(k_x) + np.mean(K)) | You return
            the distance; its square is wanted.
        2 * np.mean(k_x) => np.mean(k_x) | The middle term has a factor 2: |u - v|² = u·u - 2 u·v + v·v.
        np.mean(k_x) => np.sum(k_x) ;; np.mean(K) => np.sum(K) | You sum where the mean is wanted: divide by N and by
            N².
        np.mean(K) => np.sum(K) / len(K) | The last term is the mean over all N² entries of K, not over N.
        np.mean(K) => np.mean(np.diag(K)) | That is the mean squared distance to the points; the squared distance to
            their mean takes all entries of K.
        + np.mean(K) => | The squared length of the mean itself is missing.
        - 2 => + 2 | The middle term is subtracted.
        k_xx - 2 => 1 - 2 | You put 1 for k(x, x), which holds for normalised kernels only.
        2 * np.mean(k_x) + np.mean(K) => np.mean(K) | The term with k(x_n, x) is missing.
        - 2 * np.mean(k_x) => | The term with k(x_n, x) is missing.
        + np.mean(K) => + np.mean(k_x) ** 2 | The squared length of the mean is the mean of all entries of K, not a
            square of the k(x_n, x).
        return k_xx - 2 * np.mean(k_x) + np.mean(K) => return (k_xx - np.mean(k_x)) ** 2 | That squares a difference of
            kernel values; a squared length has three terms, u·u - 2 u·v + v·v.
        np.mean(K) => np.trace(K) / len(K) ** 2 | All N² entries of K count, not the diagonal alone.
        k_xx - 2 => np.sqrt(k_xx) - 2 | k(x, x) is the squared length of φ(x): no root.
        k_xx - 2 => k_xx**2 - 2 | k(x, x) is a squared length already.
        np.mean(K) => (np.sum(K) - np.trace(K)) / (len(K) * max(len(K) - 1, 1)) | All N² entries of K count, the
            diagonal too: divide by N², not by N(N - 1).
        k_xx - 2 * np.mean(k_x) + np.mean(K) => np.min(k_xx - 2 * k_x + np.diag(K)) | That is the squared distance to
            the nearest point; the mean of the class is wanted.
        """,
    right="Right. The nearest mean in a space that nobody visits.",
    explanation="The mean itself is never computed, and for the Gaussian kernel it need not be the image of any point.",
)  # fmt: skip


def leave_one_out(K, t, lam):
    G = np.linalg.inv(K + lam * np.eye(len(t)))
    a = G @ t
    return a / np.diag(G)


X = np.array([0.0, 0.5, 1.1, 1.8, 3.0])

task("15.4", "Leave one out, for nothing", leave_one_out, what="The list of residuals", rtol=1e-5,
    cases=[
        (np.array([[1.0, 1.0], [1.0, 5.0]]), np.array([4.0, 13.0]), 1.0),
        (np.exp(-(np.subtract.outer(X, X) ** 2)), np.array([1.0, 0.2, -0.4, 2.0, 0.7]), 0.3),
        ((np.outer(X, X) + 1) ** 2 + 0.4 * np.eye(5), np.array([0.5, -1.0, 1.5, 0.3, 2.2]), 2.5),
    ],
    start="What do all the other points predict for point n?",
    hints=[
        "Without point n: keep = [every other index]; a = solve(K[keep, keep] + λI, t[keep]); y = K[n, keep] @ a.",
        "The short way: with G = (K + λI)⁻¹ the residuals are t - y = λ G t, and the diagonal of the matrix that "
        "turns t into y is 1 - λ G[n, n].",
        "So by the shortcut of chapter 06 the answer is λ (G t)[n] / (λ G[n, n]); λ cancels.",
    ],
    slips="""
        a / np.diag(G) => lam * a | These are the residuals of the fit to all points, λa. Leave each point out of its
            own fit.
        a / np.diag(G) => a | These are the dual weights a; divide each by its diagonal entry of the inverse of K + λI.
        a / np.diag(G) => -a / np.diag(G) | The sign is wrong: target minus prediction.
        a / np.diag(G) => lam * a / np.diag(G) | λ is one factor too many: the residual λa_n is divided by λ times the
            diagonal entry of the inverse.
        a / np.diag(G) => t - a / np.diag(G) | These are the predictions; the residuals, target minus prediction, are
            wanted.
        a / np.diag(G) => K @ a | These are the predictions of the fit to all points; the residuals without each point
            are wanted.
        a / np.diag(G) => a / (lam * np.diag(G) ** 2) | You divide by 1 - h_n twice; in the residual it is not squared.
        a / np.diag(G) => np.sqrt(lam) * a / np.sqrt(np.diag(G)) | You divide by the root of 1 - h_n; the residual is
            divided by 1 - h_n itself.
        a / np.diag(G) => (a / np.diag(G)) ** 2 | Do not square them yet: the residuals are wanted.
        a / np.diag(G) => np.mean((a / np.diag(G)) ** 2) | You return their mean square; return one residual for each
            point.
        np.diag(G) => np.diag(K + lam * np.eye(len(t))) | Divide by the diagonal of the inverse, not of K + λI itself.
        a / np.diag(G) => lam * a / (1 - np.diag(G)) | The diagonal of the matrix that turns t into y is 1 - λ times
            that of the inverse of K + λI.
        a / np.diag(G) => t - K @ a + np.diag(K) * a | You drop a_n from the fit to all points; without point n the
            other weights change too.
        a / np.diag(G) => lam * a / np.diag(K @ G) | Divide the residual by 1 - h_n, not by h_n, the diagonal of the
            matrix that turns t into y.
        np.diag(G) => np.mean(np.diag(G)) | Each point has its own diagonal entry; you divide by their mean.
        lam * np.eye(len(t)) => lam | λ belongs on the diagonal of K only, not in every entry.
        lam * np.eye => lam**2 * np.eye | λ is not squared on the diagonal.
        lam * np.eye => 2 * lam * np.eye | λ stands once on the diagonal; you take 2λ.
        lam * np.eye => len(t) * lam * np.eye | λ itself stands on the diagonal, not Nλ.
        K + lam * np.eye(len(t)) => K | λ is missing on the diagonal.
        """,
    right="Right: N fits for the price of one, and so λ and β can be chosen without another data set.",
    explanation="y = K G t = (I - λ G) t, so t - y = λ G t and 1 - h_n = λ G[n, n]. Their ratio is a_n / G[n, n].",
)  # fmt: skip

"""Tasks and exercises of chapter 14: votes, borders, bias and variance, scaling, distances, local fits."""

import numpy as np

from mlteach.exercises.tasks import number, task

task("14.a", "Count the votes",
    start="What are the squared distances of the six points from (2, 2)?",
    hints=[
        "Class 0: 8, 1, 8. Class 1: 2, 1, 13.",
        "The nearest three have the squared distances 1, 1, 2; the next two 8 and 8.",
        "Of the nearest three two are of class 1; of the nearest five still two.",
    ],
    slips="""
        (1 / 3, 3 / 5) | These are the shares of class 0; class 1 is asked for.
        (2, 2)         | These are the numbers of votes; divide each by its K.
        (2 / 6, 2 / 6) | You divided by the number of all points; divide by K.
        (1, 1)         | This names a class. The share of class 1 among the neighbours is asked for.
        (1, 0)         | This names the class. The share of class 1 among the neighbours is asked for.
        (1 / 2, 1 / 2) | This is the share among all six points, or among two and four; the nearest 3 vote, then the
            nearest 5.
        """,
    share_3=number("The share for K = 3", "2 / 3", to=0.0051, slips="""
        1 / 3 | For K = 3 this is the share of class 0, or you took (0, 0) in place of (1, 3).
        1     | You missed (2, 1), which is as near as (3, 2).
        2     | This is the number of votes; divide it by K = 3.
        (1 + 0.5**0.5) / (2 + 0.5**0.5) | Here each neighbour has one vote, whatever its distance.
        """),
    share_5=number("The share for K = 5", "2 / 5", to=0.0051, slips="""
        3 / 5 | For K = 5 this is the share of class 0: (0, 0) and (4, 4) are 8 away, (5, 0) is 13.
        1 / 2 | This is the share for K = 4, or for all six; the nearest five are asked for.
        1 / 3 | For K = 5 you divided two votes by six; five points vote.
        1 / 5 | For K = 5 two of the five are of class 1: (3, 2) and (1, 3).
        2     | This is the number of votes; divide it by K = 5.
        2 / 3 | Divide by K = 5, the number of voters, not by the size of the class.
        """),
    right="Right: with K = 5 the answer turns to class 0.",
    explanation="K = 3: (2, 1), (3, 2), (1, 3), so 2/3. K = 5: also (0, 0) and (4, 4), so 2/5.",
)  # fmt: skip

task("14.b", "The border of a cell",
    start="At which point (x1, 0) are both stored points equally far?",
    hints=[
        "Write (14.3) with a = (1, 0) and b = (4, 2).",
        "2 (3 x1 + 2 x2) = 20 - 1, and on the axis x2 = 0.",
        "6 x1 = 19.",
    ],
    answer=number("The border", "(4**2 + 2**2 - 1**2) / (2 * (4 - 1))", to=0.0051, slips="""
        2.5     | This is halfway in x1 only. The points also differ in x2, so the border leans (14.3).
        3.5     | You added |x1| and |x2| (Manhattan), and (14.1) adds squares; or you added |a|² = 1 on the right side
            of (14.3), and it is subtracted.
        20 / 6  | You left out |a|² = 1 on the right side of (14.3).
        19 / 3  | The factor 2 on the left side of (14.3) is missing.
        19 / 8  | The left side of (14.3) has b - a = (3, 2), not b.
        19 / 10 | You put x1 for x2 as well; on the axis x2 = 0.
        16 / 6  | The sum of squares of b is 4² + 2² = 20.
        17 / 6  | You added 2 where its square belongs: |b|² = 16 + 4.
        1 + 13**0.5 / 2 | You walked half of the distance between the points along the axis; the border leans.
        13 / 6 | That is the distance from the blue point. Its x₁ is 1: add it.
        4 | That is where the orange point lies. You leave blue where both are equally far.
        1 | That is where the line through both points, or the blue point itself, meets the axis. You leave blue where
            both are equally far.
        """),
    right="Right: farther than halfway, since the orange point lies off the axis.",
    explanation="(x - 1)² = (x - 4)² + 4 gives 6x = 19, x = 3.167: the line leans, because b lies higher.",
)  # fmt: skip

task("14.c", "Bias and variance by hand",
    start="What is f at the neighbours, and its mean?",
    hints=[
        "f is 0.01, 0.04, 0.16, 0.25 at the four neighbours, and 0 at the query.",
        "K = 1: the bias is 0.01, the variance 0.04. K = 4: the bias is 0.46/4, the variance 0.04/4.",
        "Noise 0.04, plus the squared bias, plus the variance.",
    ],
    slips="""
        (0.0401, 0.023225) | The first term of (14.5) is missing: a new target has noise of its own, 0.04.
        (0.09, 0.165)      | You added the bias itself; (14.5) adds its square.
        (0.08, 0.05)       | The squared bias is missing.
        (0.0401, 0.053225) | The variance is missing: 0.04/K.
        (0.0001, 0.013225) | This is the squared bias alone; add noise and variance.
        (0.09, 0.0525)     | You took the places for the targets: the bias needs f(x) = x² at each neighbour.
        """,
    error_1=number("The error for K = 1", "0.04 + (0.1**2)**2 + 0.04 / 1", to=0.00006, slips="""
        0.0401          | For K = 1 a term is missing: noise of the new target 0.04, and variance 0.04/1.
        0.0032 + 0.0001 | 0.04 is the variance already; do not square it.
        """),
    error_4=number("The error for K = 4", "0.04 + ((0.1**2 + 0.2**2 + 0.4**2 + 0.5**2) / 4)**2 + 0.04 / 4", to=0.00006,
        slips="""
        0.093225                | The variance of a mean of four is a quarter of 0.04.
        0.07245                 | You averaged the squared gaps; the bias is the gap of the mean, squared.
        0.05000625              | You averaged the places, then took f. Take f at each neighbour, then the mean.
        0.04 + 0.46**2 + 0.01   | For K = 4 divide the sum of f by four.
        0.04 + 0.0625 + 0.01    | For K = 4 the mean of all four neighbours counts, not the farthest.
        0.04 + 0.013225 + 0.02  | The variance is 0.04/K, not 0.04 over the root of K.
        0.04 + 0.013225 + .0025 | The variance is 0.04/K, not 0.04/K².
        0.0525                  | For K = 4 you took the places for the targets: the bias needs f(x) = x² at each.
        """),
    right="Right: the larger bias of four neighbours is cheaper than the variance of one.",
    explanation="K = 1: 0.04 + 0.01² + 0.04 = 0.0801. K = 4: 0.04 + 0.115² + 0.01 = 0.0632.",
)  # fmt: skip

task("14.d", "One neighbour and the best",
    start="What is r, the chance of the rarer class, at each kind of place?",
    hints=[
        "r is 0.1 at one half of the places and 0.4 at the other.",
        "R* is the mean of r. R is the mean of 2r(1 - r), taken place by place.",
        "R* = (0.1 + 0.4)/2, R = (0.18 + 0.48)/2.",
    ],
    slips="""
        (0.5, 0.66) | Each kind of place is one half of all: take means, not sums.
        """,
    best=number("R*", "(0.1 + (1 - 0.6)) / 2", to=0.0006, slips="""
        0.35 | You averaged η. The best guess errs with r = min(η, 1 - η), which is 0.4 where η = 0.6.
        0.75 | This is the chance to be right; errors are asked for.
        0.4  | R* is an average over both kinds of places.
        0.1  | R* is an average over both kinds of places.
        """),
    one=number("R", "(2 * 0.1 * (1 - 0.1) + 2 * 0.4 * (1 - 0.4)) / 2", to=0.0006, slips="""
        0.375 | For R you put the mean R* into 2r(1 - r). Take 2r(1 - r) at each place, then the mean.
        0.5   | 2R* is the bound; R itself is the mean of 2r(1 - r).
        0.165 | The two draws can differ in two ways: 2r(1 - r).
        0.67  | This is the chance that the two labels agree; the error is one minus it.
        0.455 | You put the mean of η into 2η(1 - η). Take 2r(1 - r) at each place, then the mean.
        0.18  | This R belongs to the places with η = 0.1; average over both kinds.
        0.48  | This R belongs to the places with η = 0.6; average over both kinds.
        0.25  | One neighbour does not reach R*: its label is a draw, too (14.6).
        0.815 | One neighbour errs with chance 2η(1 - η), not 1 - η².
        """),
    right="Right: between R* and 2R*(1 - R*) = 0.375.",
    explanation="R* = 0.25; R = (2·0.1·0.9 + 2·0.4·0.6)/2 = 0.33, below the bound 2·0.25·0.75 = 0.375.",
)  # fmt: skip


def scale_inside(train, test):
    mean = train.mean(axis=0)
    spread = train.std(axis=0, ddof=1)
    return (test - mean) / spread


def scaling_cases():
    rng = np.random.default_rng(0)
    return [
        (np.array([[1.0, 10.0], [2.0, 40.0], [6.0, 70.0]]), np.array([[3.0, 40.0], [0.0, 100.0]])),
        (rng.normal(5, 2, (6, 3)) * [1, 30, 0.1], rng.normal(4, 3, (4, 3)) * [1, 30, 0.1]),
        (rng.normal(-2, 1, (4, 1)), rng.normal(0, 1, (3, 1))),
    ]


task("14.e", "Scaled inside the fold", scale_inside, cases=scaling_cases, what="The scaled test", rtol=1e-5, atol=1e-6,
    start="Which means and spreads may the model know?",
    hints=[
        "Means and standard deviations of the columns of train: axis=0.",
        "np.std divides by N unless you give it ddof=1.",
        "(test - train.mean(axis=0)) / train.std(axis=0, ddof=1).",
    ],
    slips="""
        , ddof=1 => | You divided by N; here the standard deviation divides by N - 1 (ddof=1).
        train.mean => test.mean ;; train.std => test.std | You used mean and spread of test; those of train are wanted.
        train.mean => test.mean ;; train.std(axis=0, ddof=1) => test.std(axis=0) | You used mean and spread of test;
            those of train are wanted.
        train.mean => np.vstack([train, test]).mean ;; train.std => np.vstack([train, test]).std | You used mean and
            spread of train and test together. Test must stay unseen: train only.
        train.mean => np.vstack([train, test]).mean ;; train.std => np.vstack([train, test]).std ;; , ddof=1 => | You
            used mean and spread of train and test together. Test must stay unseen: train only.
        train.mean => test.mean ;; train.std => test.std ;; (test - mean) => (train - mean) | You scaled train by means
            and spreads of test: train and test are exchanged.
        test - mean => train - mean | You returned train; the scaled test is wanted.
        (test - mean) / spread => test - mean | Divide by the standard deviations, too (14.8).
        (test - mean) / spread => test / spread | Subtract the means of train first (14.8).
        (test - mean) / spread => test - mean / spread | Put brackets round the difference: subtract, then divide.
        / spread => * spread | You multiplied by the standard deviation; divide.
        test - mean => test + mean | You added the mean; subtract it.
        std(axis=0, => std( | You took one spread for everything; each feature has its own (axis=0).
        mean(axis=0) => mean() | You took one mean for everything; each feature has its own (axis=0).
        mean(axis=0) => mean() ;; std(axis=0, => std( | You took one mean and one spread for everything; each feature
            has its own (axis=0).
        train.mean(axis=0) => np.median(train, axis=0) | You took the median; (14.8) takes the mean.
        train.std => train.var | You divided by the variance; take its root.
        train.std => test.std | The means are those of train, the spreads those of test: take both from train.
        train.mean => test.mean | The spreads are those of train, the means those of test: take both from train.
        train.mean => train.min ;; train.std(axis=0, ddof=1) => np.ptp(train, axis=0) | This is min-max scaling; (14.8)
            uses mean and standard deviation.
        (test - mean) / spread => test / spread - mean | Subtract the mean first, then divide.
        """,
    right="Right. The scaled test set has neither mean 0 nor spread 1, and should not.",
)  # fmt: skip

task("14.f", "A distance behind a kernel",
    start="What are k(x, x), k(x', x') and k(x, x')?",
    hints=["x · x = 5, x' · x' = 1, x · x' = 2.", "The kernel values are 36, 4 and 9.", "36 + 4 - 2 · 9."],
    answer=number("The squared distance", "(5 + 1)**2 + (1 + 1)**2 - 2 * (2 + 1)**2", rtol=1e-4, slips="""
        2       | This is the plain squared distance |x - x'|²; put the kernel in place of the inner products. If you
            did: you forgot to square inside the kernel.
        4       | You squared the plain distance; (14.9) needs three kernel values.
        9       | This is k(x, x') alone, or you put |x - x'|² into the kernel; (14.9) has three terms.
        31      | The last term of (14.9) has the factor 2.
        58      | The last term of (14.9) is subtracted.
        40      | The last term of (14.9) is missing.
        18      | You left out the + 1 inside the kernel.
        22**0.5 | This is the distance; its square is asked for.
        34      | You forgot to square k(x, x').
        16 | That is the squared difference of √k. A distance is k(x, x) + k(y, y) - 2 k(x, y).
        -10 | k(x, x) is (1 + x'x)²: the square is missing in the first two terms. A squared distance is not negative.
        8 | x'y is 2 here: (1 + 2)² = 9.
        32 | That is the difference of k(x, x) and k(y, y). A distance is k(x, x) + k(y, y) - 2 k(x, y).
        """),
    right="Right: six features, and none of them was computed.",
    explanation="k(x, x) = 6² = 36, k(x', x') = 2² = 4, k(x, x') = 3² = 9; 36 + 4 - 18 = 22.",
)  # fmt: skip

task("14.g", "A cube for five per cent",
    start="Which share does a cube of edge ℓ hold in 20 dimensions?",
    hints=["ℓ to the power 20.", "Solve ℓ²⁰ = 0.05 (14.10).", "0.05 ** (1 / 20)."],
    answer=number("The edge", "0.05**(1 / 20)", to=0.0006, slips="""
        0.05**20           | You took the power 20; the edge is the 20th root of the share.
        0.05 / 20          | You divided by 20; take the 20th root of the share.
        0.05               | This is the share itself, the edge in one dimension.
        0.95**(1 / 20)     | This cube holds 95 %; it should hold 5 %.
        0.01**(1 / 20)     | This cube holds 1 %; it should hold 5 %.
        0.5**(1 / 20)      | This cube holds 50 %; it should hold 5 %.
        0.05**(1 / 10)     | This is the edge in ten dimensions.
        0.05**0.5          | This is the edge in two dimensions.
        5**(1 / 20)        | Five per cent is the share 0.05.
        1 - 0.05**(1 / 20) | This is what is left of the edge.
        0.05**(1 / 20) / 2 | This is half of the edge.
        1 | The volume is the edge to the power d: the d-th root of 0.05, not d times it.
        """),
    right="Right: a neighbourhood that spans nearly everything.",
    explanation="0.05^(1/20) = 0.861: 86 per cent of the range of every feature.",
)  # fmt: skip

GAPS, TARGETS = np.array([1.0, 0.0, 2.0]), np.array([2.0, 6.0, 1.0])


def smooth(exponents):
    q = np.exp(-exponents)
    return float(q @ TARGETS / q.sum())


task("14.h", "A weighted mean by hand",
    start="How far is each point from the query, and what is 2τ²?",
    hints=[
        "The distances are 1, 0, 2, and 2τ² = 4.5.",
        "The weights are exp(-1/4.5), 1, exp(-4/4.5).",
        "(0.8007 · 2 + 1 · 6 + 0.4111 · 1) / (0.8007 + 1 + 0.4111).",
    ],
    answer=number("The weighted mean", "smooth((np.array([0, 1, 3]) - 1)**2 / (2 * 1.5**2))", to=0.0006, slips="""
        smooth(GAPS**2 / 2)       | This is the answer for τ = 1; here τ = 1.5.
        smooth(GAPS**2 / 2.25)    | The factor 2 in the exponent is missing: divide by 2τ² = 4.5.
        smooth(GAPS**2 / 3)       | You divided by 2τ; τ is squared in the exponent.
        smooth(GAPS / 4.5)        | The distance is squared in the exponent.
        smooth(GAPS**2 / 9)       | You divided by (2τ)²; only τ is squared: 2τ² = 4.5.
        smooth(GAPS**2 / 1.5)     | You divided by τ; divide by 2τ² = 4.5.
        smooth(GAPS**2)           | The bandwidth is missing: divide by 2τ² = 4.5.
        smooth(GAPS / 1.5)        | The exponent is minus the squared distance over 2τ².
        smooth(-GAPS**2 / 4.5)    | The minus in the exponent is missing: far points would count most.
        3                         | This is the plain mean; weight the targets.
        np.exp(-GAPS**2 / 4.5) @ TARGETS     | Divide by the sum of the weights (14.12).
        np.exp(-GAPS**2 / 4.5) @ TARGETS / 3 | Divide by the sum of the weights, not by the number of points.
        6                         | This is the nearest target alone; the others count, too.
        1.6608                    | The point on the query counts, with the weight 1.
        smooth(np.array([0, 1, 9]) / 4.5) | You took distances from 0; the query is 1.
        2 | That is the median of t. Weigh each t by its kernel.
        4 | That is the mean of the two nearest targets. Here all count, with weights.
        (6 + 2 / 1 + 1 / 2) / 2.5 | You weighed by one over the distance, with 1 at the query. Use the kernel.
        (1 + 3 * np.exp(-8 / 9)) / (np.exp(-2 / 9) + 1 + np.exp(-8 / 9)) | You averaged x. The answer averages t.
        np.exp(-2 / 9) + 1 + np.exp(-8 / 9) | That is the sum of the weights, the divisor.
        """),
    right="Right: near its own 6, drawn down by the others.",
    explanation="Weights 0.8007, 1, 0.4111; 8.0126 / 2.2119 = 3.623.",
)  # fmt: skip


def vote(X, t, query, K):
    far = np.sum((X - query) ** 2, axis=1)
    rows = np.argsort(far, kind="stable")[:K]
    classes, counts = np.unique(t[rows], return_counts=True)
    return int(classes[np.argmax(counts)])


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


task("14.1", "A classifier in a few lines", vote, cases=vote_cases, what="The class",
    start="What are the distances from the query, and how are the K smallest found?",
    hints=[
        "np.sum((X - query) ** 2, axis=1), then np.argsort(..., kind='stable')[:K].",
        "np.unique(t[rows], return_counts=True) gives the classes in sorted order, and their votes.",
        "np.argmax returns the first of equal maxima, so the smallest class wins a tie.",
    ],
    slips="""
        argsort(far => argsort(-far | You asked the farthest points; sort by rising distance.
        [:K] => [::-1][:K] | You asked the farthest points; sort by rising distance.
        np.sum((X - query) ** 2, axis=1) => abs(X - query).sum(axis=1) | You used the Manhattan distance; (14.1) adds
            squares.
        np.sum((X - query) ** 2, axis=1) => abs(X - query).max(axis=1) | You used the largest difference; (14.1) adds
            the squares of all.
        np.sum((X - query) ** 2, axis=1) => abs(np.sum(X - query, axis=1)) | Square the differences before you add them:
            they cancel otherwise.
        np.sum((X - query) ** 2, axis=1) => np.sum(X - query, axis=1) | Square the differences before you add them: they
            cancel otherwise, and negative sums come first.
        np.sum((X - query) ** 2, axis=1) => abs(X - query)[:, 0] | You used the first feature only; the distance adds
            all of them (axis=1).
        (X - query) ** 2 => (X - query)[:, :2] ** 2 | You used the first two features only; the distance adds all of
            them (axis=1).
        (X - query) ** 2 => X**2 | You measured from the origin; measure from the query.
        np.sum((X - query) ** 2, axis=1) => -(X @ query) | The largest inner product is not the nearest.
        np.argsort(far, => (len(far) - 1) - np.argsort(far[::-1], | Of equal distances the earlier row is nearer; yours
            takes the later one.
        , kind="stable" => | Of equal distances the earlier row is nearer: np.argsort needs kind='stable' for it.
        np.sum((X - query) ** 2, axis=1) => np.linalg.norm(X - query, axis=1) ;; , kind="stable" => | Of equal distances
            the earlier row is nearer: np.argsort needs kind='stable' for it.
        np.argsort(far, kind="stable") => np.argpartition(far, min(K, len(X) - 1)) | Of equal distances the earlier row
            is nearer: np.argsort needs kind='stable' for it.
        return int(classes[np.argmax(counts)]) => labels = t[rows].tolist(); return max(labels, key=labels.count) | Of
            equal votes the smallest class wins; yours takes the one that it meets first.
        classes[np.argmax(counts)] => classes[::-1][np.argmax(counts[::-1])] | Of equal votes the smallest class wins;
            yours takes the largest.
        np.argsort(far, kind="stable")[:K] => far <= np.sort(far)[K - 1] | You let every point vote that is as near as
            the K-th; exactly K vote, of equals the earlier rows.
        [:K] => [1 : K + 1] | You left out the nearest point. A new query is not among the stored points: all of them
            may vote.
        np.argsort(far, kind="stable")[:K] => [n for n in np.argsort(far, kind="stable") if far[n]][:K] | You left out
            the points on the query. They are its nearest: let them vote.
        [:K] => [K - 1 : K] | You returned the class of the K-th neighbour; all K of them vote.
        classes[np.argmax(counts)] => classes.max() | You returned the largest class among the neighbours; the most
            frequent one is wanted.
        classes[np.argmax(counts)] => classes[0] | You returned the smallest class among the neighbours.
        classes, counts = np.unique(t[rows], return_counts=True) => q = 1 / (np.sqrt(far[rows]) + 1e-12); classes =
            np.unique(t[rows]); counts = [np.sum(q[t[rows] == c]) for c in classes] | You weighted the votes by
            1/distance; here all K count alike.
        [:K] => [:1] | You asked one neighbour only; K of them vote.
        [:K] => [:3] | You always ask three neighbours; use the argument K.
        [:K] => [:5] | You always ask five neighbours; use the argument K.
        [:K] => [: K + 1] | You asked K + 1 neighbours.
        [:K] => [: max(K - 1, 1)] | You asked K - 1 neighbours.
        [:K] => | All points voted; only the K nearest may.
        classes[np.argmax(counts)] => counts.max() | You returned the number of votes; the class is wanted.
        classes[np.argmax(counts)] => np.argmax(counts) | You returned the place of the class in a list.
        int(classes[np.argmax(counts)]) => np.mean(t[rows]) | You averaged the labels; classes are names: count them.
        int(classes[np.argmax(counts)]) => round(np.mean(t[rows])) | You averaged the labels and rounded; classes are
            names: count them.
        classes[np.argmax(counts)] => np.median(t[rows]) | You took the median of the labels; classes are names: count
            them.
        """,
    right="Right, ties and all.",
)  # fmt: skip


def loo_error(X, t, K):
    D = np.sum((X[:, None] - X) ** 2, axis=2)
    np.fill_diagonal(D, np.inf)
    wrong = 0
    for n in range(len(X)):
        rows = np.argsort(D[n], kind="stable")[:K]
        classes, counts = np.unique(t[rows], return_counts=True)
        wrong += classes[np.argmax(counts)] != t[n]
    return wrong / len(X)


def loo_cases():
    """The chapter's line of five points first; then a cloud with twins of equal and of different labels."""
    rng = np.random.default_rng(3)
    X, t = rng.integers(-3, 4, (16, 2)).astype(float), rng.choice([-1, 5, 8], 16)
    line = np.array([[0.0], [1], [2], [8], [9]]), np.array([0, 0, 1, 1, 1])
    twins = np.array([[0.0, 0], [0, 0], [0, 0], [3, 1], [3, 1], [9, 9]]), np.array([2, 2, 3, 3, 2, 3])
    lattice = rng.integers(0, 4, (60, 2)).astype(float), rng.choice([1, 5, 6], 60)  # full of equal distances
    return [(*data, K) for data in (line, (X, t), twins, lattice) for K in (1, 2, 3, 4)]


task("14.2", "Leave one out", loo_error, cases=loo_cases, what="The error", rtol=0, atol=1e-4,
    start="How do you keep a point from voting for itself?",
    hints=[
        "Compute all distances at once: a table of shape (N, N).",
        "Put np.inf on its diagonal, so that no point is its own neighbour; twins stay at distance 0.",
        "Then vote row by row as in 14.1, and divide the number of misses by N.",
    ],
    slips="""
        np.fill_diagonal(D, np.inf) => pass | Each point votes for itself: this is the training error. Leave the point
            itself out.
        np.fill_diagonal(D, np.inf) => D[D == 0] = np.inf | You leave out every point at distance 0; only the point
            itself may go, its twin stays.
        np.fill_diagonal(D, np.inf) => pass ;; [:K] => [1 : K + 1] | You drop the first of each sorted row. That may be
            its twin, if two points coincide: drop the point itself.
        np.fill_diagonal(D, np.inf) => pass ;; [:K] => [: K + 1] | K + 1 points vote, the point itself among them; it
            may not vote for itself.
        / len(X) => | This is the number of wrong points; divide by N.
        wrong / len(X) => 1 - wrong / len(X) | This is the share of right answers; errors are wanted.
        / len(X) => / (len(X) - 1) | Divide by N: each of the N points is judged once.
        [:K] => [: max(K - 1, 1)] | Only K - 1 neighbours vote; K are wanted.
        [:K] => [:3] | Three neighbours vote, whatever K is; use the argument K.
        [:K] => [:1] | Only one neighbour votes; K are wanted.
        [:K] => [: K + 1] | You asked K + 1 of the others; K vote.
        , kind="stable" => | Of equal distances the earlier row is nearer: np.argsort needs kind='stable' for it.
        rows = np.argsort(D[n], kind="stable")[:K] => rest = np.delete(np.arange(len(X)), n);
            rows = rest[np.argsort(D[n, rest])[:K]] | Of equal distances the earlier row is nearer: np.argsort needs
            kind='stable' for it.
        np.argsort(D[n], => (len(X) - 1) - np.argsort(D[n][::-1], | Of equal distances the earlier row is nearer; yours
            takes the later one.
        wrong += classes[np.argmax(counts)] => labels = t[rows].tolist(); wrong += max(labels, key=labels.count) | Of
            equal votes the smallest class wins; yours takes the one that it meets first.
        classes[np.argmax(counts)] => classes[::-1][np.argmax(counts[::-1])] | Of equal votes the smallest class wins;
            yours takes the largest.
        t[rows] => t[rows - (rows > n)] | You took the point out of X but not its label out of t: afterwards rows and
            labels do not belong together.
        X[:, None] - X => X[:, None, :1] - X[:, :1] | You used the first feature only; the distance adds all of them.
        np.sum((X[:, None] - X) ** 2, axis=2) => abs(X[:, None] - X).max(axis=2) | You used the largest difference;
            (14.1) adds the squares of all.
        np.sum((X[:, None] - X) ** 2, axis=2) => abs(X[:, None] - X).sum(axis=2) | You used the Manhattan distance;
            (14.1) adds squares.
        np.inf => -np.inf ;; argsort(D => argsort(-D | You asked the farthest points; sort by rising distance.
        classes[np.argmax(counts)] != => np.round(t[rows].mean()) != | You round the mean of the labels. Classes are
            names: count the votes.
        [:K] => [: min(K + 1, len(X) - 1)] | You ask K + 1 neighbours. The point itself is out already.
        np.fill_diagonal(D, np.inf) => pass ;; [:K] => [:K]; rows = rows[rows != n]; rows = rows if len(rows) else
            np.array([0]) |
            The point itself is one of your K: leave it out before you take the K nearest.
        """,
    right="Right: one table of distances, and no refitting.",
)  # fmt: skip


def local_line(x, t, query, tau):
    q = np.exp(-((x - query) ** 2) / (2 * tau**2))
    mean_x = q @ x / q.sum()
    mean_t = q @ t / q.sum()
    slope = q @ ((x - mean_x) * (t - mean_t)) / (q @ (x - mean_x) ** 2)
    return slope, mean_t - slope * mean_x


def line_cases():
    """The chapter's four squares first; then noisy points, another query and other bandwidths."""
    rng = np.random.default_rng(5)
    x = np.sort(rng.uniform(-2, 3, 12))
    t = np.sin(2 * x) + 0.3 * rng.normal(size=12)
    squares = np.arange(4.0), np.arange(4.0) ** 2
    cases = [(*squares, 0.9, 0.5), (*squares, 2.2, 0.8), (x, t, 0.4, 0.7), (x, t, -1.3, 1.6)]
    return [*cases, (x[::-1], t[::-1], 2.5, 0.5)]


task("14.3", "A line around a query", local_line, cases=line_cases, what="The line", names="slope, intercept",
    rtol=1e-5, atol=1e-6,
    start="What does each point count?",
    hints=[
        "q = np.exp(-(x - query) ** 2 / (2 * tau ** 2)).",
        "With A = np.column_stack([x, np.ones(len(x))]) solve A.T @ (q[:, None] * A) v = A.T @ (q * t).",
        "Or: slope = weighted covariance over weighted variance, intercept = mean of t - slope * mean of x.",
    ],
    slips="""
        np.exp(-((x - query) ** 2) / (2 * tau**2)) => np.ones(len(x)) | This is the line of chapter 04: the weights are
            missing.
        (2 * tau**2) => tau**2 | The points are weighted twice (q² in place of q), or the 2 in 2τ² is missing.
        (2 * tau**2) => (2 * tau) | τ is squared in the exponent: 2τ².
        (2 * tau**2) => (4 * tau**2) | The points are weighted by the root of q (multiply rows by √q on *both* sides),
            or you divided by (2τ)².
        (2 * tau**2) => 2 | The bandwidth is missing in the exponent: 2τ².
        (2 * tau**2) => tau | The exponent is divided by 2τ², not by τ.
        / (2 * tau**2) => * tau**2 / 2 | Divide by 2τ² in the exponent; you multiplied by τ².
        ((x - query) ** 2) => abs(x - query) | The distance is squared in the exponent.
        ((x - query) ** 2) / (2 * tau**2) => abs(x - query) / tau | The exponent is minus the squared distance over 2τ².
        x - query => x | Weigh by the distance from the query, not from 0.
        np.exp(- => 1 - np.exp(- | Your weights grow with the distance; near points must count most.
        np.exp(- => np.exp( | The minus in the exponent is missing: far points would count most.
        slope, mean_t - slope * mean_x => mean_t - slope * mean_x, slope | Slope first, then intercept: the two are
            exchanged.
        mean_t - slope * mean_x => mean_t + slope * (query - mean_x) | The second number is the value at the query; the
            intercept, the value at 0, is wanted.
        slope, mean_t - slope * mean_x => mean_t + slope * (query - mean_x) | This is the value at the query; slope and
            intercept are wanted.
        mean_t - slope * mean_x => mean_t | The second number is the weighted mean of t; subtract slope times weighted
            mean of x.
        q @ x / q.sum() => 0.0 ;; q @ t / q.sum() => 0.0 | Your line goes through the origin; fit the intercept, too: A
            has a column of ones.
        q @ x / q.sum() => x.mean() ;; q @ t / q.sum() => t.mean() | Measure x and t from their *weighted* means, with
            the same weights as in the sums.
        return slope, mean_t - slope * mean_x => A = np.vstack([x, np.ones(len(x))]); return
            np.linalg.solve(A @ A.T, A @ (q * t)) | The weights stand on the right side of (14.14) only; AᵀQA has them,
            too.
        return slope, mean_t - slope * mean_x => A = np.vstack([x, np.ones(len(x))]); return
            np.linalg.solve(q * A @ A.T, A @ t) | The weights stand on the left side of (14.14) only; AᵀQt has them,
            too.
        mean_t - slope * mean_x => slope * mean_x - mean_t | The intercept has the wrong sign: weighted mean of t minus
            slope times weighted mean of x.
        mean_t - slope * mean_x => t.mean() - slope * x.mean() | For the intercept take the *weighted* means of x and t.
        return slope, => return 0.0, | The slope is 0: you fitted a constant.
        slope, mean_t - slope * mean_x => 0.0, mean_t | You fitted a constant, as Nadaraya-Watson does; a line is
            wanted.
        np.exp(-((x - query) ** 2) / (2 * tau**2)) => (np.abs(x - query) <= tau) + 1e-12 | You cut a window. The
            weights fall off smoothly, by the Gaussian kernel.
        slope = q @ => B = np.column_stack([q * x, np.ones(len(x))]); return tuple(np.linalg.lstsq(B, q * t,
            rcond=None)[0]); slope = q @ |
            You multiplied x and t by q, but not the column of ones.
        """,
    right="Right: one small fit, valid at one place.",
)  # fmt: skip


def fold_errors(X, t, K, fold):
    from mlteach.linear_regression import standardize
    from mlteach.nearest_neighbors import KNNClassifier

    errors = []
    for k in np.unique(fold):
        train, test = fold != k, fold == k
        model = KNNClassifier(K).fit(standardize(X[train]), t[train])
        said = model.predict(standardize(X[test], like=X[train]))
        errors.append(float(np.mean(said != t[test])))
    return errors


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


task("14.4", "An honest estimate", fold_errors, cases=fold_cases, what="The list of errors", rtol=0, atol=1e-4,
    start="For each fold: which rows may decide means and spreads?",
    hints=[
        "For each k in np.unique(fold): train = fold != k, test = fold == k.",
        "standardize(X[train]) for those stored, standardize(X[test], like=X[train]) for the others.",
        "Then KNNClassifier(K).fit(..., t[train]).predict(...), and np.mean(said != t[test]), in a list.",
    ],
    slips="""
        standardize(X[train]) => X[train] ;; standardize(X[test], like=X[train]) => X[test] | Nothing is standardised:
            one feature decides who is near.
        standardize(X[train]) => standardize(X)[train] ;; standardize(X[test], like=X[train]) => standardize(X)[test] |
            Means and spreads come from all rows, the test rows too; take them from the train rows of each fold.
        , like=X[train] => | The test rows are scaled by their own means and spreads; use those of the train rows.
        standardize(X[test], like=X[train]) => X[test] | The test rows are not scaled, or like= got train rows that were
            scaled already; it wants the raw ones: like=X[train].
        standardize(X[train]) => X[train] | The train rows are not scaled; both parts must be measured alike.
        standardize(X[train]) => standardize(X[train], like=X[test]) ;; X[test], like=X[train] => X[test] | Means and
            spreads come from the test rows; take them from the train rows.
        model = => low, high = X[train].min(axis=0), X[train].max(axis=0); model = ;; standardize(X[train]) =>
            (X[train] - low) / (high - low) ;; standardize(X[test], like=X[train]) => (X[test] - low) / (high - low) |
            This is min-max scaling; standardise with mean and standard deviation.
        said != t => said == t | These are shares of right answers; error rates are wanted.
        return errors => return float(np.mean(errors)) | This is the mean; a list with one error for each fold is
            wanted.
        np.mean(said => np.sum(said | These are numbers of wrong rows; divide by the number of rows in the fold.
        np.mean(said => 1 / len(X) * np.sum(said | You divided by the number of all rows; divide by the number of rows
            in the fold.
        train, test => test, train | You learn from the fold and judge the rest: it is the other way round.
        fold != k => fold == fold | The rows of the fold are among those you learn from; leave them out.
        fold == k => fold != k | You judge the rows that you learnt from: this is the training error. Judge
            the rows of the fold.
        np.unique(fold) => np.unique(fold)[::-1] | The errors are in reverse order: one for each fold, by rising number
            of the fold.
        np.unique(fold) => dict.fromkeys(fold.tolist()) | The errors stand in the order in which the folds first appear;
            the folds are wanted by rising number.
        Classifier(K) => Classifier(1) | One neighbour votes; K are wanted.
        Classifier(K) => Classifier(5) | Five neighbours vote, whatever K is; use the argument K.
        Classifier(K) => Classifier(K + 1) | K + 1 neighbours vote; K are wanted.
        """,
    right="Right: nothing of a test fold leaks into its scaling.",
    explanation="Means and spreads are a part of what is learnt: each fold has its own, from the rows of the others.",
)  # fmt: skip

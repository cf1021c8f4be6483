"""Tasks and exercises of chapter 25: lunches, tails, sample sizes, labellings, mistakes, Radon's groups and luck."""

import math
from math import comb, exp, log, log2, sqrt  # noqa: F401  the formulas use them

import numpy as np

from mlteach.exercises.tasks import number, task

task("25.a", "A tilted lunch",
    start="Which label does each unseen point get, and in which of the functions is that right?",
    hints=[
        "The second point takes the label of the first, the third that of the fourth.",
        "Right answers: 2 and 2 for the constants; 1, 2, 1 for 0001, 0011, 0111; the same for their opposites.",
    ],
    smooth=number("The accuracy over the eight", "12 / 16", to=6e-3, slips="""
        12      | That is the number of right answers. Divide by all 16: two points in eight functions.
        1.5     | That is the mean number of right points. There are two: divide by 2.
        0.5     | That is the average over all sixteen functions. Smooth functions favour this learner.
        1       | With one change between the shown points, one of the two unseen points may be wrong.
        0.667   | The two constant functions belong to the eight.
        0.875   | The two shown points do not count: only unseen points do.
        """),
    every=number("The accuracy over all sixteen", "16 / 32", to=6e-3, slips="""
        0.75  | That is the average over the eight smooth functions. Over all functions every learner has the same.
        0     | A learner is not wrong everywhere: each unseen point is right in half of the functions.
        1     | Nobody can know the labels of unseen points if every function is possible.
        """),
    right="Right. The same learner: what changed is the law over functions.",
    explanation="Constants: 4 of 4 points. 0001, 0011, 0111: 1 + 2 + 1 of 6, and the same for their opposites: "
    "together "
    "12 of 16. Over all functions (25.1) says one half.",
)  # fmt: skip

task("25.b", "One rule, fixed in advance",
    start="What are N and ε here? The 24 errors themselves are not needed.",
    hints=["(25.4): exp(-2Nε²).", "Set exp(-2Nε²) = δ and solve for ε."],
    bound=number("The bound", "exp(-2 * 200 * 0.1**2)", to=6e-4, slips="""
        exp(-200 * 0.1**2)      | The exponent has a factor 2.
        2 * exp(-4)             | That is for both sides. Asked is one side: the training error too low.
        exp(-2 * 24 * 0.1**2)   | N is the number of examples, 200, not of errors.
        1 - exp(-4)             | That is the probability that all is well. Asked is the risk.
        4                       | That is the exponent.
        """),
    epsilon=number("ε", "sqrt(log(1 / 0.05) / (2 * 200))", to=6e-4, slips="""
        sqrt(log(1 / 0.05) / 200)         | Divide by 2N.
        sqrt(log(2 / 0.05) / 400)         | That is for both sides. Asked is one side.
        log(1 / 0.05) / 400               | Take the root.
        sqrt(log2(1 / 0.05) / 400)        | Use the natural logarithm; you used base 2.
        sqrt(math.log10(1 / 0.05) / 400)  | Use the natural logarithm; you used base 10.
        0.12 + sqrt(log(20) / 400)        | That is the limit for the true error. Asked is ε, the part that is added.
        log(1 / 0.05) / 200               | That is (25.10), for a consistent learner. This rule made errors.
        """),
    right="Right. With 24 errors on 200, the true error is at most 0.12 + 0.087, with risk 0.05.",
    explanation="exp(-2 · 200 · 0.01) = e⁻⁴ = 0.0183. ε = √(ln 20/400) = 0.0865.",
)  # fmt: skip

task("25.c", "The best of 2,000 settings",
    start="How large is the family from which the winner was chosen?",
    hints=["(25.6) with |H| = 2,000, N = 800, δ = 0.05.", "(25.7) with ε = 0.04; round up."],
    gap=number("The gap", "sqrt((log(2000) + log(1 / 0.05)) / (2 * 800))", to=6e-4, slips="""
        sqrt(log(20) / 1600)                 | That is for one setting, fixed in advance. You chose among 2,000.
        sqrt((log(2000) + log(20)) / 800)    | Divide by 2N.
        (log(2000) + log(20)) / 1600         | Take the root.
        (log(2000) + log(20)) / 800          | That is for a consistent learner. The winner may have made errors.
        sqrt((log(2000) - log(20)) / 1600)   | ln 1/δ is added: a smaller risk costs more.
        sqrt((log2(2000) + log2(20)) / 1600) | Use the natural logarithm; you used base 2.
        sqrt((log(2000) + log(40)) / 1600)   | That is for both sides. Asked is one: by how much the truth is worse.
        sqrt(2000 * log(20) / 1600)          | The size of the family counts by its logarithm.
        """),
    n=number("The number of examples", "math.ceil((log(2000) + log(1 / 0.05)) / (2 * 0.04**2))", to=1e-6, slips="""
        (log(2000) + log(20)) / 0.0032                   | Examples come whole: round up.
        2512                                             | That is how many more are needed. Asked is how many in all.
        3311                                             | Round up: with 3,311 the gap is still above 0.04.
        math.ceil((log(2000) + log(20)) / 0.04**2)       | Divide by 2ε².
        math.ceil((log(2000) + log(20)) / 0.04)          | That is for a consistent learner: here it is 2ε².
        math.ceil(log(20) / (2 * 0.04**2))               | You chose among 2,000 settings: ln 2000 is missing.
        math.ceil((log2(2000) + log2(20)) / 0.0032)      | Use the natural logarithm; you used base 2.
        math.ceil((log(2000) + log(40)) / 0.0032)        | That is for both sides. Asked is one.
        math.ceil((log(2000) - log(20)) / 0.0032)        | ln 1/δ is added: a smaller risk costs more.
        """),
    right="Right. Half the gap costs four times the examples.",
    explanation="√((7.601 + 2.996)/1600) = 0.0814. (7.601 + 2.996)/(2 · 0.0016) = 3311.4: 3,312 examples.",
)  # fmt: skip


def sample_size(h_size, epsilon, delta, consistent):
    capacity = math.log(h_size) + math.log(1 / delta)
    if consistent:
        return math.ceil(capacity / epsilon)
    return math.ceil(capacity / (2 * epsilon**2))


SIZES = [(3**10, 0.1, 0.05, True), (3**10, 0.1, 0.05, False), (1000, 0.05, 0.05, True), (2**20, 0.01, 0.02, False),
         (7, 0.3, 0.01, True), (7, 0.3, 0.01, False)]  # fmt: skip

task("25.d", "Sample sizes", sample_size, cases=SIZES, what="The sample size",
    start="Which of the two formulas has ε, and which ε²?",
    hints=["ln|H| + ln 1/δ is common to both.", "math.ceil(... / epsilon) and math.ceil(... / (2 * epsilon**2))."],
    slips="""
        math.log(h_size) + math.log(1 / delta) => math.log2(h_size) + math.log2(1 / delta) | Use the natural
            logarithm; you
            used base 2.
        math.log(h_size) + math.log(1 / delta) => math.log10(h_size) + math.log10(1 / delta) | Use the natural
            logarithm;
            you used base 10.
        + math.log(1 / delta) => + math.log(delta) | ln 1/δ is positive: a smaller risk costs more examples.
        + math.log(1 / delta) => + math.log(2 / delta) | That is for both sides. (25.9) and (25.7) have
            one.
        + math.log(1 / delta) => | The risk δ is missing: ln 1/δ is added.
        math.log(h_size) => h_size | The size of the family counts by its logarithm.
        (2 * epsilon**2) => epsilon**2 | In the agnostic case divide by 2ε²; the 2 is missing.
        (2 * epsilon**2) => (2 * epsilon) | In the agnostic case ε is squared.
        if consistent => if not consistent | The two cases are exchanged: the consistent learner needs fewer.
        math.ceil(capacity / epsilon) => math.floor(capacity / epsilon) ;; math.ceil(capacity / (2 * epsilon**2)) =>
            math.floor(capacity / (2 * epsilon**2)) | Round up: one example less is not enough.
        math.ceil(capacity / epsilon) => capacity / epsilon ;; math.ceil(capacity / (2 * epsilon**2)) =>
            capacity / (2 * epsilon**2) | Examples come whole: round up.
        math.ceil(capacity / epsilon) => round(capacity / epsilon) ;; math.ceil(capacity / (2 * epsilon**2)) =>
            round(capacity / (2 * epsilon**2)) | Round up, not to the nearest.
        math.ceil(capacity / epsilon) => math.ceil(capacity / (2 * epsilon**2)) | You use the agnostic formula in both
            cases.
        """,
    right="Right. 140 and 700 for conjunctions of ten bits.",
    explanation="(25.9) and (25.7), rounded up.",
)  # fmt: skip

task("25.e", "Labellings by intervals",
    start="Which labellings does an interval make? List them by how many points it holds.",
    hints=[
        "An interval holds a run of neighbours, or nothing.",
        "1 + 5 + 4 + 3 + 2 + 1; equal points get equal labels.",
    ],
    five=number("The number for five points", "1 + 5 * 6 / 2", to=1e-6, slips="""
        15 | The empty labelling is missing: an interval may hold no point.
        32 | That is all labellings. An interval cannot hold 1 and 3 without 2.
        10 | Those are the intervals with two different end points. One point, and none, count too.
        11 | That is for four points. Of five different points it is more.
        6  | That is what rays make.
        25 | Intervals with different end points can hold the same points: count the labellings.
        """),
    tied=number("The number for 1, 2, 2, 5, 9", "1 + 4 * 5 / 2", to=1e-6, slips="""
        16 | The two 2s cannot be told apart: they get the same label. There are four different places.
        10 | The empty labelling is missing.
        22 | There are four places, not six.
        20 | Equal points get equal labels: count as for four points.
        7  | There are four different places, not three.
        """),
    right="Right. 1 + n(n + 1)/2 for n different places: far fewer than 2ⁿ.",
    explanation="One labelling with no point, n with one, n - 1 with two, …: 1 + n(n + 1)/2 is 16 for five "
    "places and 11 "
    "for four.",
)  # fmt: skip


def count_rectangles(X):
    n, count = len(X), 0
    for m in range(2**n):
        y = (m >> np.arange(n)) & 1
        inside, outside = X[y == 1], X[y == 0]
        if len(inside) == 0:
            count += 1
            continue
        low, high = inside.min(axis=0), inside.max(axis=0)
        held = np.all((outside >= low) & (outside <= high), axis=1)
        count += not held.any()
    return count


def rectangle_sets():
    rng = np.random.default_rng(3)
    return [
        (np.array([(-1.4, 0.1), (0.2, 1.2), (1.5, -0.1), (0.1, -1.1)]),),
        (np.array([(0.0, 0.0), (2.0, 1.0), (0.0, 0.0), (1.0, 3.0)]),),
        (np.array([(0.0, 1.0), (1.0, 1.0), (2.0, 1.0), (1.0, 0.0)]),),
        (rng.normal(size=(5, 2)).round(2),),
        (np.array([(3.0, 4.0)]),),
        (np.array([(0.0, 0.0), (1.0, 2.0), (2.0, 1.0), (3.0, 3.0), (4.0, 5.0)]),),
    ]


HELD = "held = np.all((outside >= low) & (outside <= high), axis=1)"

task("25.f", "The referee of rectangles", count_rectangles, cases=rectangle_sets, what="The number of labellings",
    start="Which rectangle is the best try for given positives, and when does it fail?",
    hints=[
        "Count from 0 to 2ⁿ - 1: the binary digits are the labels. The box reaches from min to max of the positives.",
        "A negative is held if low <= x <= high in both coordinates. With no positive there is nothing to hold.",
    ],
    slips=f"""
        count += 1 => count += 0 | The empty labelling is missing: a rectangle may hold no point.
        {HELD} => held = np.all((outside > low) & (outside < high), axis=1) | The box is closed: a negative on its edge,
            or in the same place as a positive, is held too.
        {HELD} => held = np.any((outside >= low) & (outside <= high), axis=1) | A negative is held only if it is
            inside in
            *both* coordinates.
        {HELD} => held = ((outside >= low) & (outside <= high))[:, 0] | Look at both coordinates, not at the first
            alone.
        not held.any() => held.any() | You count the labellings that fail.
        not held.any() => not held.all() | One negative in the box is enough to fail.
        return count => return count / 2**n | Asked is the number of labellings, not their share.
        return count => return 2**n - count | That is the number of labellings that fail.
        return count => return 2**n | Not every labelling is possible.
        """,
    right="Right. A ring of four points is shattered; no five points are.",
    explanation="The smallest box around the positives is inside every other rectangle that holds them: if it "
    "fails, all "
    "fail.",
)  # fmt: skip

task("25.g", "Sauer's limit",
    start="Which binomial coefficients are added for d = 3?",
    hints=["C(10, 0) + C(10, 1) + C(10, 2) + C(10, 3).", "Compare 2ⁿ with the sum for n = 3, 4."],
    most=number("The most labellings", "comb(10, 0) + comb(10, 1) + comb(10, 2) + comb(10, 3)", to=1e-6, slips="""
        175                                      | C(10, 0) = 1 belongs to the sum.
        120                                      | That is the last term alone. Add those before it.
        56                                       | That is for d = 2. The sum runs up to i = 3.
        386                                      | That is for d = 4. The sum runs up to i = 3.
        1000                                     | That is n to the power d. Sauer's sum is smaller.
        (math.e * 10 / 3)**3                     | That is the power (en/d)ᵈ, which is larger than the sum.
        1024                                     | That is all of them.
        848                                      | Those are missing at least. Asked is how many can be made.
        1001                                     | n to the power d plus 1 is a coarser limit than the sum.
        2 * (comb(9, 0) + comb(9, 1) + comb(9, 2)) | That is what lines make. Another family with d = 3 may make more.
        """),
    least=number("The least n", "3 + 1", to=1e-6, slips="""
        3  | Some three points are shattered. At which n can that no longer be?
        5  | It happens earlier: at four points the limit is 15 of 16.
        10 | It happens much earlier.
        8  | That is 2³, a number of labellings. Asked is a number of points.
        """),
    right="Right. At ten points at least 848 of 1,024 labellings are missing.",
    explanation="1 + 10 + 45 + 120 = 176. At n = 3 all 8 are possible, at n = 4 at most 1 + 4 + 6 + 4 = 15 of 16.",
)  # fmt: skip

task("25.h", "The VC bound for rays",
    start="What are d, N and δ in (25.16)?",
    hints=["d = 1: the root of (ln 2N + 1 + ln 4/δ)/N.", "Divide the result by 0.0675."],
    gap=number("The gap", "sqrt((1 * (log(2 * 400 / 1) + 1) + log(4 / 0.05)) / 400)", to=6e-4, slips="""
        sqrt((log(400) + 1 + log(80)) / 400)     | The labellings of 2N points count: ln 2N.
        sqrt((log(800) + log(80)) / 400)         | The + 1 beside ln(2N/d) is missing.
        sqrt((log(800) + 1 + log(20)) / 400)     | The risk enters as ln 4/δ.
        sqrt((log(800) + 1 + log(80)) / 800)     | Divide by N, not by 2N.
        (log(800) + 1 + log(80)) / 400           | Take the root.
        sqrt(log(20) / 800)                      | That is for one rule, (25.4). Here all rays are meant.
        """),
    factor=number("The factor", "0.17369 / 0.0675", to=0.012, slips="""
        0.0675 / 0.17369   | The other way round: how many times as large is the bound?
        0.17369 - 0.0675   | Divide: how many times as much is asked.
        """),
    right="Right. The bound holds for every law and every family with d = 1; for rays less is needed.",
    explanation="√((ln 800 + 1 + ln 80)/400) = 0.1737, and 0.1737/0.0675 = 2.57.",
)  # fmt: skip

task("25.i", "Three rounds of halving",
    start="What does the majority of the five say in round 1, and who leaves?",
    hints=[
        "In round 1 three of five say 1; the truth is 0.",
        "001 and 011 stay. In round 2 they are even: the vote is 1.",
    ],
    mistakes=number("The number of mistakes", 1, to=1e-6, slips="""
        0 | In round 1 three of the five say 1, and the truth is 0.
        2 | In round 2 the two survivors disagree: a tie counts as 1, which is right.
        3 | Only those that were never wrong may vote in the next round.
        """),
    alive=number("The number of survivors", 2, to=1e-6, slips="""
        3 | Those three said 1 and were wrong: they leave.
        5 | Whoever was wrong in round 1 leaves.
        1 | That is after round 2. Asked is after round 1.
        """),
    right="Right. log₂ 5 = 2.3: at most two mistakes were possible.",
    explanation="Round 1: vote 1, truth 0, a mistake; 001 and 011 stay. Round 2: a tie, vote 1, right; 011 "
    "stays. Round 3: "
    "right.",
)  # fmt: skip


def radon_side(X):
    A = np.vstack([X.T, np.ones(len(X))])
    lam = np.linalg.svd(A)[2][-1]
    return [i for i in range(len(X)) if lam[i] * lam[0] > 0]


def radon_sets():
    rng = np.random.default_rng(8)
    return [
        (np.array([(-1.4, 0.1), (0.2, 1.2), (1.5, -0.1), (0.1, -1.1)]),),
        (np.array([(0.0, 0.0), (4.0, 0.0), (1.0, 3.0), (1.5, 1.0)]),),
        (np.array([(1.5, 1.0), (4.0, 0.0), (1.0, 3.0), (0.0, 0.0)]),),
        (np.array([[2.0], [5.0], [3.0]]),),
        (rng.normal(size=(5, 3)).round(2) + 2,),
        (rng.normal(size=(6, 4)).round(2),),
        (np.array([(2.0, 1.0), (3.0, 1.5), (2.5, 3.0), (4.0, 4.0)]),),
    ]


task("25.1", "Radon's groups", radon_side, cases=radon_sets, what="The group of point 0",
    start="How many equations does (25.13) have, and how many unknowns?",
    hints=[
        "Put the points into the columns of a matrix, add a row of ones, and take a vector of its null space.",
        "np.linalg.svd(A)[2][-1] is such a vector; the group of point 0 has its sign.",
    ],
    slips="""
        np.vstack([X.T, np.ones(len(X))]) => X.T | The second equation is missing: the λ sum to 0.
        lam[i] * lam[0] > 0 => lam[i] * lam[0] < 0 | That is the other group: point 0 may have a negative λ. Take
            those with its sign.
        [2][-1] => [2][0] | That is no solution: take the vector that belongs to the singular value 0.
        lam[i] * lam[0] > 0 => lam[i] * lam[0] > 0 and i > 0 | Point 0 belongs to its own group.
        """,
    right="Right. Label this group 1 and the other 0, and no half-space does it.",
    explanation="k + 1 equations, k + 2 unknowns: a null vector exists, and its signs are the groups.",
)  # fmt: skip


def union_labellings(n, k):
    return sum(math.comb(n + 1, 2 * j) for j in range(k + 1))


task("25.2", "Unions of intervals", union_labellings,
    cases=[(5, 1), (4, 2), (6, 2), (1, 1), (7, 3), (3, 5), (9, 2)], what="The number of labellings",
    start="A labelling is a row of runs. What do you choose to fix j runs of positives?",
    hints=[
        "There are n + 1 places between and beside the points. A run begins at one of them and ends at another.",
        "Exactly j runs: C(n + 1, 2j). Add j = 0, ..., k.",
    ],
    slips="""
        n + 1, 2 * j => n, 2 * j | Runs begin and end *between* the points or beside them: there are n + 1 such places.
        n + 1, 2 * j => n + 1, j | A run has two ends: choose 2j places for j runs.
        range(k + 1) => range(1, k + 1) | The empty labelling is missing: j = 0.
        range(k + 1) => range(k, k + 1) | "At most k" includes fewer intervals.
        range(k + 1) => range(k) | k runs are allowed, too.
        sum(math.comb(n + 1, 2 * j) for j in range(k + 1)) => 2**n | Not every labelling is possible: only k runs of
            positives are allowed.
        sum(math.comb(n + 1, 2 * j) for j in range(k + 1)) => 1 + n * (n + 1) // 2 | That is for one interval.
        """,
    right="Right. It equals C(n, 0) + ... + C(n, 2k): the VC dimension is 2k, and Sauer's limit is reached.",
    explanation="Choose the 2j ends of j runs among the n + 1 gaps.",
)  # fmt: skip


def rectangle_size(epsilon, delta):
    return math.ceil(4 / epsilon * math.log(4 / delta))


task("25.3", "The tightest rectangle", rectangle_size,
    cases=[(0.1, 0.05), (0.05, 0.1), (0.3, 0.01), (0.01, 0.5), (0.2, 0.2)], what="The sample size",
    start="With which probability does one strip hold none of N examples?",
    hints=["One strip is missed with (1 - ε/4)^N <= exp(-εN/4).", "Four strips: 4 exp(-εN/4) <= δ."],
    slips="""
        4 / epsilon => 1 / epsilon | Each strip has probability ε/4, so the rate is ε/4.
        math.log(4 / delta) => math.log(1 / delta) | There are four strips: the union bound multiplies by 4.
        math.log(4 / delta) => math.log(delta / 4) | The logarithm of 4/δ, not of δ/4: N is positive.
        math.log(4 / delta) => math.log2(4 / delta) | Use the natural logarithm; you used base 2.
        math.log(4 / delta) => math.log10(4 / delta) | Use the natural logarithm; you used base 10.
        math.ceil(4 / epsilon * math.log(4 / delta)) => 4 / epsilon * math.log(4 / delta) | Examples come whole:
            round up.
        math.ceil(4 / epsilon * math.log(4 / delta)) => math.ceil(math.log(1 / delta) / epsilon) | Four strips, each of
            probability ε/4: both fours are missing.
        math.ceil(4 => math.floor(4 | Round up: one example less is not enough.
        math.ceil(4 / epsilon * math.log(4 / delta)) => math.ceil(math.log(4 / delta) / -math.log(1 - epsilon / 4)) |
            That
            is (1 - ε/4)^N itself. Asked is the bound with 1 - z <= exp(-z).
        """,
    right="Right. Infinitely many rectangles, and no VC dimension was needed.",
    explanation="4 exp(-εN/4) <= δ gives N >= (4/ε) ln(4/δ).",
)  # fmt: skip


def chance_of_luck(M, N, p, k):
    lucky = sum(math.comb(N, j) * p**j * (1 - p) ** (N - j) for j in range(k + 1))
    return 1 - (1 - lucky) ** M


task("25.4", "The luckiest rule", chance_of_luck,
    cases=[(1000, 10, 0.5, 0), (1000, 10, 0.5, 1), (3, 5, 0.3, 1), (1, 4, 0.2, 2), (20, 8, 0.7, 3)],
    what="The probability", rtol=1e-6,
    start="With which probability does one rule make at most k errors? And all M more than k?",
    hints=["One rule: add binomial probabilities from 0 to k.", "At least one = 1 - none = 1 - (1 - P)^M."],
    slips="""
        return 1 - (1 - lucky) ** M => return M * lucky | That is the union bound, which may exceed 1. Asked is the
            probability itself.
        return 1 - (1 - lucky) ** M => return min(1.0, M * lucky) | That is the union bound, cut at 1. Asked is the
            probability itself.
        return 1 - (1 - lucky) ** M => return 1 - lucky**M | That is the probability that *not all* are so lucky.
        return 1 - (1 - lucky) ** M => return lucky | That is for one rule.
        return 1 - (1 - lucky) ** M => return (1 - lucky) ** M | That is the probability that none is so lucky.
        return 1 - (1 - lucky) ** M => return lucky**M | That is the probability that *all* are so lucky.
        range(k + 1) => range(k) | At most k errors: k itself counts.
        range(k + 1) => range(k, k + 1) | "At most k" includes fewer errors.
        p**j * (1 - p) ** (N - j) => p ** (N - j) * (1 - p) ** j | p is the probability of an error, and j counts
            errors:
            the two are exchanged.
        math.comb(N, j) * => | The j errors can be any of the examples: a binomial coefficient is missing.
        """,
    right="Right. A thousand coin tossers, ten examples: 62 % that one has no error at all.",
    explanation="P = Σ C(N, j) pʲ(1 - p)^(N - j) for j <= k; then 1 - (1 - P)^M.",
)  # fmt: skip

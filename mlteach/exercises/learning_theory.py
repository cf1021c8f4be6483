"""Tasks and exercises of chapter 25: lunches, tails, sample sizes, labellings, mistakes, Radon's groups and luck."""

import math
from math import comb, exp, log, log2, sqrt  # noqa: F401  the formulas use them

import numpy as np

from mlteach.exercises.tasks import number, task
from mlteach.learning_theory import dichotomies

task("25.a", "A tilted lunch",
    start="Which label does each unseen point get, and in which of the functions is that right?",
    hints=[
        "The second point takes the label of the first, the third that of the fourth.",
        "Right answers: 2 and 2 for the constants; 1, 2, 1 for 0001, 0011, 0111; the same for their opposites.",
    ],
    smooth=number("The accuracy over the eight", "12 / 16", to=6e-3, slips="""
        12      | That is the number of right answers. Divide by all 16: two points in eight functions.
        1.5     | That is the mean number of right points. There are two: divide by 2.
        0.5     | One half is the average over all sixteen functions. Smooth functions favour this learner.
        1       | With one change between the shown points, one of the two unseen points may be wrong.
        0.667   | The two constant functions belong to the eight.
        0.875   | The two shown points do not count: only unseen points do.
        0.625   | That comes out if both unseen points get the same label. Each takes that of its nearer shown point.
        0.8     | That is over five functions: 1110, 1100 and 1000 have at most one change, too.
        5 / 7   | That is over seven functions: both constants, 0000 and 1111, belong to the eight.
        11 / 14 | That is over seven functions. With at most one change there are eight.
        6 / 16  | Divide by the unseen points of the functions that you counted: two in each.
        1 / 3   | The constants belong to the eight, and one change may leave both points right, as in 0011.
        0.5625  | The accuracy is a mean over points, not a product of two shares.
        6       | Those are the right answers of half of the functions. Asked is a share of the unseen points.
        0.25    | That is the share of wrong answers.
        """, say=lambda w: f"The accuracy over the eight is not {w:g}. That would be {16 * w:.3g} right "
        "answers of 16: how many of the two are right in each function?"),
    every=number("The accuracy over all sixteen", "16 / 32", to=6e-3, slips="""
        0.75  | That is the average over the eight smooth functions. Over all functions every learner has the same.
        0     | A learner is not wrong everywhere: each unseen point is right in half of the functions.
        1     | One point of two is right in the mean: the accuracy is their share. Nobody is right everywhere.
        0.25  | That is the average over the eight rough functions, or the share of functions with both points right.
        0.625 | The eight functions with more changes do not have 0.5: as many answers are wrong there as right before.
        0.375 | Those are the right answers of the eight smooth functions alone, over the points of all sixteen.
        16    | That is the number of right answers. Divide by all 32: two points in sixteen functions.
        0.875 | The two shown points do not count: only unseen points do.
        """, say=lambda w: f"The accuracy over all sixteen is not {w:g}. What does (25.1) give for every learner?"),
    slips="(0.5, 0.25) | Those are shares of functions with both points right. Accuracy counts points.",
    right="Right. The same learner: what changed is the law over functions.",
    explanation="Constants: 4 of 4 points. 0001, 0011, 0111: 1 + 2 + 1 of 6, and the same for their opposites: "
    "together "
    "12 of 16. Over all functions (25.1) says one half.",
)  # fmt: skip

task("25.b", "One rule, fixed in advance",
    start="What are N and ε here? The 24 errors themselves are not needed.",
    hints=["(25.4): exp(-2Nε²).", "Set exp(-2Nε²) = δ and solve for ε."],
    bound=number("The bound", "exp(-2 * 200 * 0.1**2)", to=6e-4, slips="""
        exp(-200 * 0.1**2)      | The exponent is half of what it should be: it has a factor 2, and N = 200.
        2 * exp(-4)             | That is for both sides. Asked is one side: the training error too low.
        exp(-2 * 24 * 0.1**2)   | N is the number of examples, 200, not of errors.
        1 - exp(-4)             | That is the probability that all is well. Asked is the risk.
        4                       | That is the exponent.
        -4                      | That is the exponent.
        exp(4)                  | The exponent is negative: a probability is at most 1.
        exp(-2 * 176 * 0.1**2)  | N counts all 200 examples, right and wrong ones.
        exp(-2 * 200 * 0.12**2) | 0.12 is the training error. ε is 0.1.
        exp(-2 * 200 * 0.05**2) | 0.05 is the risk of the second question. Here ε is 0.1.
        exp(-2 * 0.1**2)        | N is missing in the exponent.
        2**-4                   | The base is e, not 2.
        0.0012517               | That is Chernoff's bound for one value of p. The true p is unknown: use (25.4).
        0                       | Much too small: the exponent is -2Nε², with ε squared, and the 24 errors do not enter.
        0.12                    | That is the training error. Asked is a probability.
        exp(-4) / 2             | Half is too little: (25.4) holds for one side as it stands.
        0.25 / 200 / 0.1**2     | That is Chebyshev's inequality. Hoeffding's is sharper.
        0.1                     | That is ε. Asked is the probability to be so far off.
        """, say=lambda w: f"The bound is not {w:.4g}. Put N = 200 and ε = 0.1 into (25.4)."),
    epsilon=number("ε", "sqrt(log(1 / 0.05) / (2 * 200))", to=6e-4, slips="""
        sqrt(log(1 / 0.05) / 200)         | Divide by 2N, and N is 200; δ is 0.05 itself, not squared.
        sqrt(log(2 / 0.05) / 400)         | That is for both sides. Asked is one side.
        log(1 / 0.05) / 400               | Take the root.
        sqrt(log2(1 / 0.05) / 400)        | Use the natural logarithm; you used base 2.
        sqrt(math.log10(1 / 0.05) / 400)  | Use the natural logarithm; you used base 10.
        0.12 + sqrt(log(20) / 400)        | That is the limit for the true error. Asked is ε, the part that is added.
        log(1 / 0.05) / 200               | That is (25.10), for a consistent learner. This rule made errors.
        0.12 - sqrt(log(20) / 400)        | The true error may be above 0.12. Asked is ε alone.
        1.645 * sqrt(0.12 * 0.88 / 200)   | That is a normal interval with the sample's variance. (25.4) needs neither.
        1.96 * sqrt(0.12 * 0.88 / 200)    | That is a normal interval with the sample's variance. (25.4) needs neither.
        sqrt(log(1 / 0.95) / 400)         | δ is the risk, 0.05, not the confidence 0.95.
        sqrt(log(20) / 48)                | N is the number of examples, 200, not of errors.
        sqrt(log(20) / 352)               | N counts all 200 examples, right and wrong ones.
        sqrt(log(20)) / 400               | The root covers the division by 2N, too.
        sqrt(2 * log(20) / 200)           | The 2 belongs below: divide by 2N.
        0.1                               | That is the ε of the first question. Now δ is given, and ε follows.
        0.05                              | That is δ, the risk. Asked is the ε that belongs to it.
        sqrt(20 / 400)                    | 1/δ enters by its logarithm.
        sqrt(log(10) / 400)               | δ is 0.05: ln 1/δ is ln 20.
        sqrt(0.25 / 200 / 0.05)           | That is Chebyshev's inequality. Hoeffding's is sharper.
        log(20)                           | That is ln 1/δ. Divide by 2N and take the root.
        sqrt(log(20))                     | The division by 2N is missing.
        """, say=lambda w: f"ε is not {w:.4g}: exp(-2Nε²) would be {exp(-min(400 * float(w)**2, 700)):.2g}, not 0.05."),
    right="Right. With 24 errors on 200, the true error is at most 0.12 + 0.087, with risk 0.05.",
    explanation="exp(-2 · 200 · 0.01) = e⁻⁴ = 0.0183. ε = √(ln 20/400) = 0.0865.",
)  # fmt: skip


def enough(n):
    """Say which gap n examples give."""
    if not 10 <= n < 1e12:
        return None
    if n % 1:
        return f"The number of examples is not {n:.6g}: examples come whole, and fewer than needed are too few."
    gap = sqrt((log(2000) + log(20)) / (2 * n))
    return f"With {n:.6g} examples (25.6) gives {gap:.3g}: {'too much' if gap > 0.04 else 'fewer are enough'}."


task("25.c", "The best of 2,000 settings",
    start="How large is the family from which the winner was chosen?",
    hints=["(25.6) with |H| = 2,000, N = 800, δ = 0.05.", "(25.7) with ε = 0.04; round up."],
    gap=number("The gap", "sqrt((log(2000) + log(1 / 0.05)) / (2 * 800))", to=6e-4, slips="""
        sqrt(log(20) / 1600)                 | That is for one setting, fixed in advance. You chose among 2,000.
        sqrt((log(2000) + log(20)) / 800)    | Divide by 2N.
        (log(2000) + log(20)) / 1600         | Take the root.
        (log(2000) + log(20)) / 800          | That is for a consistent learner. The winner may have made errors.
        sqrt((log(2000) - log(20)) / 1600)   | That comes out if ln 1/δ is subtracted, and also with
            logarithms of base 10. Both are natural, and they are added.
        sqrt((log2(2000) + log2(20)) / 1600) | Too large by the logarithm of base 2; or δ and the 2 of 2N are both
            missing.
        sqrt((log(2000) + log(40)) / 1600)   | That is for both sides. Asked is one: by how much the truth is worse.
        sqrt(2000 * log(20) / 1600)          | The size of the family counts by its logarithm.
        sqrt((2000 + log(20)) / 1600)        | The size of the family counts by its logarithm.
        sqrt(2 * (log(2000) + log(20)) / 800) | Twice too much. The 2 stands below: 2N. And the distance to the best
            setting of all, twice the root, is not asked.
        2 * sqrt((log(2000) + log(40)) / 1600) | That is how far the winner may be from the best setting of all. Asked
            is how far its own two errors may be apart.
        sqrt(log(2000) / 1600)               | The risk is missing: δ = 0.05, not 0.95, enters as ln 1/δ.
        sqrt((log(800) + log(20)) / 4000)    | |H| is the number of settings, N the number of examples.
        sqrt((log(2000) + log(20)) / 4000)   | N is the number of examples, 800.
        sqrt((log(800) + log(20)) / 1600)    | |H| is the number of settings, 2,000.
        sqrt(log(2000) * log(20) / 1600)     | The two logarithms are added, not multiplied.
        sqrt(log(2000) + log(20)) / 1600     | The root covers the division by 2N, too.
        sqrt(log(2000) + log(20))            | The division by 2N is missing.
        sqrt((2 * log(2000) + log(20)) / 1600) | ln|H| is added once.
        sqrt(2020 / 1600)                    | Both |H| and 1/δ count by their logarithms.
        sqrt(log(2000) + log(20) / 1600)     | Both logarithms are divided by 2N: mind the brackets.
        0.04                                 | That is the gap of the second question. First: what do 800 examples give?
        """, say=lambda w: f"The gap is not {w:.4g}: 2,000 exp(-2Nε²) would be "
        f"{2000 * exp(-min(1600 * float(w)**2, 700)):.2g}, not 0.05."),
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
        math.ceil(math.log10(40000) / 0.0032)            | Use the natural logarithm; you used base 10.
        math.ceil((log(2000) + log(20)) / 0.08)          | ε is squared.
        math.ceil((log(2000) + log(20)) / 0.08**2)       | The square belongs to ε alone: 2ε², not (2ε)².
        math.ceil(log(2000) / 0.0032)                    | The risk is missing: ln 1/δ is added.
        math.ceil((log(2000) + log(1 / 0.95)) / 0.0032)  | δ is the risk, 0.05, not 0.95.
        math.ceil((log(800) + log(20)) / 0.0032)         | |H| is the number of settings, 2,000.
        math.ceil((log(2000) + log(20)) / (2 * 0.02**2)) | ε is 0.04 itself, not half of it.
        math.ceil(log(2000) * log(20) / 0.0032)          | The two logarithms are added, not multiplied.
        1628                                             | The gap falls like 1/√N: half of it needs four times as many.
        1600                                             | The gap falls like 1/√N: half of it needs four times as many.
        3200                                             | The gap at 800 is a little above 0.08: solve (25.7) for N.
        2511                                             | That is how many more are needed. Asked is how many in all.
        3313                                             | One too many: 3,312 are enough.
        800                                              | With 800 the gap is 0.081.
        """, say=enough),
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
        + math.log(1 / delta) => * math.log(1 / delta) | The two logarithms are added, not multiplied.
        + math.log(1 / delta) => + math.log(1 / (1 - delta)) | δ is the risk itself: a small δ costs more.
        + math.log(1 / delta) => + 1 / delta | The risk counts by its logarithm: ln 1/δ.
        + math.log(1 / delta) => + math.log2(1 / delta) | Both logarithms are natural; that of 1/δ has base 2.
        + math.log(1 / delta) => + math.log10(1 / delta) | Both logarithms are natural; that of 1/δ has base 10.
        math.log(h_size) => math.log2(h_size) | Both logarithms are natural; that of the family has base 2.
        math.log(h_size) => math.log10(h_size) | Both logarithms are natural; that of the family has base 10.
        math.log(h_size) => h_size * math.log(2) | h_size counts the hypotheses: its logarithm is ln h_size.
        math.log(h_size) => h_size * math.log(3) | h_size counts the hypotheses: its logarithm is ln h_size.
        math.log(h_size) + => | The size of the family is missing: ln|H| is added.
        math.log(h_size) => h_size | The size of the family counts by its logarithm.
        (2 * epsilon**2) => epsilon**2 | In the agnostic case divide by 2ε²; the 2 is missing.
        (2 * epsilon**2) => (2 * epsilon) | In the agnostic case ε is squared.
        (2 * epsilon**2) => (2 * epsilon) ** 2 | The square belongs to ε alone: 2ε², not (2ε)².
        (2 * epsilon**2) => (epsilon**2 / 4) | The constant of (25.7) is 2 below, not 4 above.
        (2 * epsilon**2) => (epsilon**2 / 8) | That is the constant of the VC bound. (25.7) divides by 2ε².
        math.ceil(capacity / (2 * epsilon**2)) => math.ceil(math.sqrt(capacity / (2 * epsilon))) | The root belongs to
            (25.6), which gives ε. Solved for N there is none, and ε is squared.
        math.ceil(capacity / (2 * epsilon**2)) => math.ceil(math.sqrt(capacity / (2 * epsilon**2))) | The root belongs
            to
            (25.6), which gives ε. Solved for N there is none.
        capacity / epsilon => capacity * epsilon ;; capacity / (2 * epsilon**2) => capacity * (2 * epsilon**2) | A
            smaller ε costs more examples: divide by it.
        capacity / epsilon => capacity * epsilon | A smaller ε costs more examples: divide by it.
        capacity / (2 * epsilon**2) => capacity * (2 * epsilon**2) | A smaller ε costs more examples: divide by it.
        + math.log(1 / delta) => + math.log(1 / (2 * delta)) | δ stands alone: ln 1/δ.
        math.log(h_size) => math.log(h_size + 1) | The family has h_size members, as given.
        math.log(h_size) => 2 * math.log(h_size) | ln|H| is added once.
        math.log(h_size) => math.log(math.log(h_size)) | One logarithm of the size is enough.
        math.log(h_size) => math.log(2 * h_size) ;; + math.log(1 / delta) => + math.log(2 / delta) | Each logarithm has
            a 2 too many.
        (2 * epsilon**2) => (epsilon**2 / 2) | In the agnostic case divide by 2ε², not by ε²/2.
        (2 * epsilon**2) => 2 * epsilon**2 | a / 2 * b multiplies by b: put 2ε² into brackets.
        capacity / epsilon => capacity / (2 * epsilon) | The 2 belongs to the agnostic case alone.
        capacity / epsilon => capacity / epsilon**2 | For a consistent learner it is 1/ε, without a square.
        capacity / epsilon => capacity / -math.log(1 - epsilon) | That is (1 - ε)^N itself. (25.9) uses
            1 - ε <= exp(-ε).
        capacity / (2 => (capacity + math.log(2)) / (2 | That is for both sides. (25.7) has one.
        capacity / epsilon => math.log(h_size) / epsilon + math.log(1 / delta) ;; capacity / (2 * epsilon**2) =>
            math.log(h_size) / (2 * epsilon**2) + math.log(1 / delta) | Both logarithms are divided: mind the brackets.
        capacity / epsilon => math.log(h_size) + math.log(1 / delta) / epsilon ;; capacity / (2 * epsilon**2) =>
            math.log(h_size) + math.log(1 / delta) / (2 * epsilon**2) | Both logarithms are divided: mind the brackets.
        math.ceil(capacity / epsilon) => math.ceil(math.log(h_size) / epsilon) +
            math.ceil(math.log(1 / delta) / epsilon) ;; math.ceil(capacity / (2 * epsilon**2)) =>
            math.ceil(math.log(h_size) / (2 * epsilon**2)) + math.ceil(math.log(1 / delta) / (2 * epsilon**2)) | Round
            once, at the end.
        math.ceil(capacity / epsilon) => math.ceil(capacity / epsilon) + 1 ;; math.ceil(capacity / (2 * epsilon**2)) =>
            math.ceil(capacity / (2 * epsilon**2)) + 1 | One too many: rounding up is enough.
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
        11 | Two different end points, or nothing: the intervals that hold one point alone are missing.
        6  | That is what rays make. An interval has two ends.
        20 | An interval has no direction: [a, b] counts once. And it may hold one point, or none.
        22 | Too many: there are five points, not six, and only the inside is positive.
        31 | That is all labellings but one. An interval cannot hold 1 and 3 without 2.
        12 | That is what rays to both sides make, and more. An interval has two ends.
        14 | That is what lines make of four points. Here it is intervals, and five points.
        26 | Those are two of each, and more: an interval is given by its two ends, in one order.
        120 | Not orders of the points: choose the first and the last point of the run.
        21 | There are five points, not six; and the empty labelling counts.
        5  | Those hold one point. An interval may hold several, or none.
        17 | The empty labelling counts once.
        25 | Intervals with different end points can hold the same points: count the labellings.
        """, say=lambda w: f"The number for five points is not {w:g}. Runs of 1 to 5 neighbours, and nothing: how "
        "many are there of each?"),
    tied=number("The number for 1, 2, 2, 5, 9", "1 + 4 * 5 / 2", to=1e-6, slips="""
        16 | The two 2s cannot be told apart: they get the same label. There are four different places.
        10 | The empty labelling is missing.
        22 | There are four places, not six.
        20 | Equal points get equal labels: count as for four points.
        7  | There are four different places, not three. (And one point alone counts.)
        32 | That is all labellings of five points. Which can an interval make, if two points lie in one place?
        12 | The empty labelling counts once, and the two 2s are one place.
        14 | The two 2s are one place, and only the inside is positive. Count for four different places.
        9 | The two 2s are one place among four. Runs of 1, 2, 3, 4 places, and nothing: how many of each?
        15 | The two 2s cannot be told apart, and the empty labelling counts.
        6  | Those are two different end points. One place alone, and none, count too.
        5  | That is what rays make. An interval has two ends.
        8  | The double point does not halve the number. Count for four different places.
        13 | The two 2s are one place: they get the same label. Count for four different places.
        """, say=lambda w: f"The number for 1, 2, 2, 5, 9 is not {w:g}. How many different places are there, and how "
        "many runs of them?"),
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


def halves(X):
    """Yield the positives and the negatives of every labelling."""
    for m in range(2 ** len(X)):
        y = (m >> np.arange(len(X))) & 1
        yield X[y == 1], X[y == 0]


def two_boxes_apart(X):
    count = 0
    for a, b in halves(X):
        meet = len(a) and len(b) and np.all((a.min(axis=0) <= b.max(axis=0)) & (b.min(axis=0) <= a.max(axis=0)))
        count += not meet
    return count


def either_colour(X):
    count = 0
    for a, b in halves(X):
        free = [len(u) == 0 or not np.all((v >= u.min(axis=0)) & (v <= u.max(axis=0)), axis=1).any()
                for u, v in ((a, b), (b, a))]  # fmt: skip
        count += any(free)
    return count


def boxes_of_pairs(X):
    made = {(False,) * len(X)}
    for a in X:
        for b in X:
            made.add(tuple(np.all((X >= np.minimum(a, b)) & (X <= np.maximum(a, b)), axis=1)))
    return len(made)


def squares_only(X):
    count = 0
    for a, b in halves(X):
        low = a.min(axis=0) if len(a) else 0
        wide = (a.max(axis=0) - low).max() if len(a) else -1
        count += not np.all((b >= low) & (b <= low + wide), axis=1).any()
    return count


def around_the_mean(X):
    count = 0
    for a, b in halves(X):
        mean = a.mean(axis=0) if len(a) else 0
        wide = np.abs(a - mean).max(axis=0) if len(a) else -1
        count += not np.all(np.abs(b - mean) <= wide, axis=1).any()
    return count


OTHER_REFEREES = [
    (squares_only, "The box need not be a square: each side has its own length."),
    (around_the_mean, "The smallest box goes from the least to the largest value: its centre is not the mean."),
    (two_boxes_apart, "The box of the negatives does not matter: the two boxes may overlap, if no negative lies in the "
     "box of the positives."),
    (either_colour, "Rectangles are positive inside. It is not enough that the box of the negatives is free."),
    (boxes_of_pairs, "Two points as corners do not give every box: its four sides may need four points."),
    (lambda X: 1 + len(X) * (len(X) + 1) // 2, "That counts runs on a line, as in 25.e. A box has two coordinates."),
    (lambda X: sum(comb(len(X), i) for i in range(5)), "That is Sauer's limit for d = 4. These points may allow less."),
    (lambda X: dichotomies(X, "lines"), "That is what lines make."),
    (lambda X: dichotomies(X, "convex"), "That is what convex sets make: the box is larger than the hull."),
    (lambda X: dichotomies(X, "circles"), "That is what discs make."),
]  # fmt: skip

HELD = "held = np.all((outside >= low) & (outside <= high), axis=1)"

task("25.f", "The referee of rectangles", count_rectangles, cases=rectangle_sets, what="The number of labellings",
    start="Which rectangle is the best try for given positives, and when does it fail?",
    hints=[
        "Count from 0 to 2ⁿ - 1: the binary digits are the labels. The box reaches from min to max of the positives.",
        "A negative is held if low <= x <= high in both coordinates. With no positive there is nothing to hold.",
    ],
    slips=[f"""
        count += 1 => count += 0 | One labelling is missing. With no positive, or with all, nothing can fail.
        range(2**n) => range(1, 2**n - 1) | Two labellings are missing: no positive, and all. Neither can fail.
        range(2**n) => range(2 ** (n - 1)) | Each of the n points has two labels: you go through half of the labellings.
        inside.min(axis=0), inside.max(axis=0) => inside.min(), inside.max() | Each coordinate has its own least and
            largest value.
        inside.min(axis=0), inside.max(axis=0) => X.min(axis=0), X.max(axis=0) | The box goes around the positives, not
            around all points.
        {HELD} => held = np.all((outside >= low) & (outside < high), axis=1) | The box is closed on all sides: its
            upper and right edge belong to it.
        {HELD} => held = np.all((outside > low) & (outside <= high), axis=1) | The box is closed on all sides: its
            lower and left edge belong to it.
        {HELD} => held = ((outside >= low) & (outside <= high))[:, 1] | Look at both coordinates, not at the second
            alone.
        not held.any() => not held[:1].any() | Every negative must stay outside, not the first alone.
        not held.any() => not held[-1:].any() | Every negative must stay outside, not the last alone.
        count += not held.any() => if held.any(): break; count += 1 | Go on after a labelling that fails: others may be
            possible.
        for m in range(2**n): => for m in range(1, 2**n, 2): | The first point may be negative, too: you go through half
            of the labellings.
        count += not held.any() => count += (~held).sum() | Count labellings, not the negatives outside the box.
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
        """, *OTHER_REFEREES],
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
        8                                        | That is 2³, for three points. Asked are ten points.
        15                                       | That is for four points. Asked are ten.
        165                                      | Two terms are missing: the sum begins at i = 0.
        166                                      | A term is missing: i runs through 0, 1, 2, 3.
        131                                      | A term is missing: i runs through 0, 1, 2, 3.
        121                                      | Terms are missing: i runs through 0, 1, 2, 3.
        130                                      | That is for nine points, or without two of the terms. Asked are ten.
        232                                      | That is for eleven points. Asked are ten.
        821                                      | Order does not count: 10·9/2, not 10·9.
        720                                      | Order does not count, and the terms before belong to it.
        744                                      | That is the power (en/d)ᵈ, which is larger than the sum.
        220                                      | That is one binomial coefficient of 12. Add those of 10.
        286                                      | That is one binomial coefficient of 13. Add those of 10.
        57                                       | The last term is missing; the first counts once.
        80                                       | 2³ labellings of three points do not repeat. Add binomial
            coefficients.
        512                                      | Much less than half: the number grows like n³, not like 2ⁿ.
        7                                        | Those are the labellings of three points without one. Asked are ten.
        30                                       | Not n times d: add binomial coefficients.
        1001                                     | n to the power d plus 1 is a coarser limit than the sum.
        2 * (comb(9, 0) + comb(9, 1) + comb(9, 2)) | That is what lines make. Another family with d = 3 may make more.
        """, say=lambda w: f"The most labellings is not {w:g}. Sauer's sum has d + 1 terms: which?"),
    least=number("The least n", "3 + 1", to=1e-6, slips="""
        3  | Some three points are shattered. At which n can that no longer be?
        5  | It happens earlier: at four points the limit is 15 of 16.
        10 | It happens much earlier.
        8  | That is 2³, a number of labellings. Asked is a number of points.
        15 | That is a number of labellings. Asked is a number of points.
        16 | That is a number of labellings. Asked is a number of points.
        2  | Two points may be shattered, since three may.
        1  | One point may be shattered, since three may.
        6  | It happens earlier: at four points the limit is 15 of 16.
        7  | It happens earlier: at four points the limit is 15 of 16.
        9  | It happens much earlier: at four points the limit is 15 of 16.
        11 | It happens much earlier: of ten points only 176 labellings of 1,024 can be made.
        """, say=lambda w: f"The least n is not {w:g}: d = 3 is the largest number of points that "
        f"{'can be' if w > 3 else 'are somewhere'} shattered."),
    right="Right. At ten points at least 848 of 1,024 labellings are missing.",
    explanation="1 + 10 + 45 + 120 = 176. At n = 3 all 8 are possible, at n = 4 at most 1 + 4 + 6 + 4 = 15 of 16.",
)  # fmt: skip

task("25.h", "The VC bound for rays",
    start="What are d, N and δ in (25.16)?",
    hints=["d = 1: the root of (ln 2N + 1 + ln 4/δ)/N.", "Divide the result by 0.0675."],
    gap=number("The gap", "sqrt((1 * (log(2 * 400 / 1) + 1) + log(4 / 0.05)) / 400)", to=6e-4, slips="""
        sqrt((log(400) + 1 + log(80)) / 400)     | In a logarithm a factor 2 is missing: the labellings of 2N points
            count, and the risk enters as ln 4/δ.
        sqrt((log(800) + log(80)) / 400)         | A 1 is added to ln(2N/d), outside the logarithm.
        sqrt((log(800) + 1 + log(20)) / 400)     | The risk enters as ln 4/δ.
        sqrt((log(800) + 1 + log(80)) / 800)     | Too small: divide by N, not by 2N; and δ stands below, 4/δ.
        (log(800) + 1 + log(80)) / 400           | Take the root.
        sqrt(log(20) / 800)                      | That is for one rule, (25.4). Here all rays are meant.
        sqrt(log(40) / 800)                      | That is the exact limit, or Hoeffding's. Asked is (25.16).
        sqrt((2 * (log(400) + 1) + log(80)) / 400) | That is d = 2, for intervals. Rays have VC dimension 1.
        sqrt((2 * (log(800) + 1) + log(80)) / 400) | Rays have VC dimension 1, not 2.
        sqrt((3 * (log(800 / 3) + 1) + log(80)) / 400) | That is d = 3, for lines. Rays have VC dimension 1.
        sqrt((math.log10(800) + 1 + math.log10(80)) / 400) | Use the natural logarithm; you used base 10.
        sqrt((log2(800) + 1 + log2(80)) / 400)   | Use the natural logarithm; you used base 2.
        sqrt((log(2000) + 1 + log(80)) / 1000)   | That is for N = 1,000. Here N is 400.
        sqrt((log(1600) + 1 + log(80)) / 800)    | N is 400 everywhere; in the logarithm stands 2N.
        sqrt((log(800) + 1 + log(4 / 0.95)) / 400) | δ is the risk, 0.05, not 0.95.
        sqrt((log(800) + 1 + log(160)) / 400)    | In a logarithm a factor 2 is too much: 2N/d, and 4/δ.
        sqrt((log(800) + 1) / 400)               | The risk is missing: ln 4/δ is added.
        sqrt((log(800) + 1 + 80) / 400)          | The risk enters by its logarithm, ln 4/δ.
        sqrt((log(800) + 1) / 400) + sqrt(log(80) / 400) | One root over the sum, not a sum of roots.
        sqrt((log(800) + 1 - log(80)) / 400)     | ln 4/δ is added: a smaller risk costs more.
        sqrt((log(401) + log(20)) / 800)         | That is (25.6) with the 401 labellings. (25.16) has 2N points, and
            other
            constants.
        sqrt((log(801) + log(20)) / 800)         | That is (25.6) with labellings in the place of rules. (25.16) has
            other
            constants.
        (log(800) + 1 + log(80)) / 800           | Take the root, and divide by N.
        sqrt((log(800) - 1 + log(80)) / 400)     | The 1 beside ln(2N/d) is added.
        sqrt(log(800) * log(80) / 400)           | The logarithms are added, not multiplied.
        sqrt((log(800) + 1 + 2 * log(80)) / 400) | ln 4/δ is added once.
        sqrt(log(80) / 400)                      | The labellings are missing: d (ln 2N/d + 1).
        sqrt(8 * (log(800) + 1 + log(80)) / 400) | That has the larger constants of 25.9.1. Asked is (25.16).
        sqrt(log(800) + 1 + log(80)) / 400       | The root covers the division by N, too.
        sqrt(log(800) + 1 + log(80))             | The division by N is missing.
        0.17369 / 0.0675                         | That is the factor. First the bound itself.
        """, say=lambda w: f"The gap is not {w:.4g}. What are d, N and δ in (25.16)?"),
    factor=number("The factor", "0.17369 / 0.0675", to=0.012, slips="""
        0.0675 / 0.17369   | The other way round: how many times as large is the bound?
        0.17369 - 0.0675   | Divide: how many times as much is asked.
        2.66               | That is for N = 1,000. Divide your own bound for N = 400 by 0.0675.
        2.44               | That is for N = 100. Divide your own bound for N = 400 by 0.0675.
        0.17369 / 0.0679   | Divide by the exact limit, 0.0675, not by Hoeffding's.
        0.17369 / 0.0675 - 1 | That is how much is added. Asked is how many times as much it is.
        0.17369 / 0.0612   | Divide by the exact limit, 0.0675, not by Hoeffding's.
        257                | That is in per cent. Asked is how many times as much.
        0.17369 * 0.0675   | Divide: how many times 0.0675 is the bound?
        0.17369            | That is the bound. Divide it by 0.0675.
        (0.17369 / 0.0675)**2 | That is the square. Compare the limits themselves.
        """, say=lambda w: f"The factor is not {w:.4g}: {w:.4g} times 0.0675 is {w * 0.0675:.4g}. Is that your bound?"),
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
        2 | In round 2 the two survivors disagree: a tie counts as 1, which is right. (log₂ 5 = 2.3 is a limit only.)
        3 | A mistake is a round in which the vote was wrong, however many hypotheses were.
        1.6 | Count the mistakes of the vote, not of the hypotheses.
        4 | There are three rounds only. A mistake is a round in which the vote was wrong.
        5 | That is the number of hypotheses. A mistake is a round in which the vote was wrong.
        log2(5) | That is the limit (25.21). Asked is what happens here.
        2.3     | That is the limit (25.21). Asked is what happens here.
        2.32    | That is the limit (25.21). Asked is what happens here.
        """, say=lambda w: f"The number of mistakes is not {w:g}. What does the vote say in each round?"),
    alive=number("The number of survivors", 2, to=1e-6, slips="""
        3 | Those three said 1 and were wrong: they leave.
        5 | Whoever was wrong in round 1 leaves.
        1 | That is after round 2. Asked is after round 1.
        0 | Whoever was right in round 1 stays, and some were.
        6 | Nobody joins. Which of the five say 0 in round 1?
        4 | Too many: everyone who was wrong in round 1 leaves, not one alone.
        2.5 | Halving is a limit. Count the hypotheses that were right in round 1.
        """, say=lambda w: f"The number of survivors is not {w:g}. Which of the five say 0 in round 1?"),
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
        (np.array([(3.0, 1.0), (1.0, 2.0), (5.0, 2.0), (3.0, 6.0)]),),  # from here svd makes the first λ positive
        (np.array([(3.0, 6.0), (1.0, 2.0), (5.0, 2.0), (3.0, 1.0)]),),
        (np.array([(4.0, 0.0), (1.0, 1.0), (0.0, 4.0), (0.0, 0.0)]),),
        *((X,) for X in rng.normal(size=(4, 5, 3)).round(2)),
    ]


def all_or_none(X):
    return list(range(len(X)))


def sums_to_one(X):
    A = np.vstack([X.T, np.ones(len(X))])
    lam = np.linalg.lstsq(A, np.eye(len(A))[-1], rcond=None)[0]
    return [i for i in range(len(X)) if lam[i] * lam[0] > 0]


def last_left_out(X):
    A = np.vstack([X.T, np.ones(len(X))])
    lam = np.linalg.solve(A[:, :-1], -A[:, -1])
    return [i for i in range(len(lam)) if lam[i] > 0]


def by_the_widest_direction(X):
    side = (X - X.mean(axis=0)) @ np.linalg.svd(X - X.mean(axis=0))[2][0]
    return [i for i in range(len(X)) if side[i] * side[0] > 0]


task("25.1", "Radon's groups", radon_side, cases=radon_sets, what="The group of point 0",
    start="How many equations does (25.13) have, and how many unknowns?",
    hints=[
        "Put the points into the columns of a matrix, add a row of ones, and take a vector of its null space.",
        "np.linalg.svd(A)[2][-1] is such a vector; the group of point 0 has its sign.",
    ],
    slips=["""
        np.vstack([X.T, np.ones(len(X))]) => X.T | The second equation is missing: the λ sum to 0.
        lam[i] * lam[0] > 0 => lam[i] * lam[0] < 0 | That is the other group: point 0 may have a negative λ. Take
            those with its sign.
        [2][-1] => [2][0] | That is no solution: take the vector that belongs to the singular value 0.
        lam[i] * lam[0] > 0 => lam[i] * lam[0] > 0 and i > 0 | Point 0 belongs to its own group.
        lam[i] * lam[0] > 0 => lam[i] * lam[0] < 0 or i == 0 | Those are the other group and point 0. Take the λ that
            have the sign of point 0.
        lam[i] * lam[0] > 0 => lam[i] > 0 | With λ also -λ solves (25.13): which sign comes out is chance. Compare with
            the sign at point 0.
        lam[i] * lam[0] > 0 => lam[i] < 0 | With λ also -λ solves (25.13): which sign comes out is chance. Compare with
            the sign at point 0.
        lam[i] * lam[0] > 0 => lam[i] * lam[-1] > 0 | Compare with the sign at point 0, not at the last point.
        lam[i] * lam[0] > 0 => abs(lam[i]) >= abs(lam[0]) | The signs of λ make the groups, not the sizes.
        lam[i] * lam[0] > 0 => lam[i] >= lam[0] | The signs of λ make the groups, not the sizes.
        range(len(X)) => range(len(X) - 1) | The last point belongs to one of the groups, too.
        return [i for i in range(len(X)) if lam[i] * lam[0] > 0] => return min([i for i in range(len(X)) if lam[i] > 0],
            [i for i in range(len(X)) if lam[i] < 0], key=len) | That is the smaller group. Asked is that of point 0.
        return [i for i in range(len(X)) if lam[i] * lam[0] > 0] => return max([i for i in range(len(X)) if lam[i] > 0],
            [i for i in range(len(X)) if lam[i] < 0], key=len) | That is the larger group. Asked is that of point 0.
        return [i for i in range(len(X)) if lam[i] * lam[0] > 0] => return sorted(np.argsort(lam)[:len(X) // 2]) | The
            signs of λ make the groups, and these may have different sizes.
        return [i for i in range(len(X)) if lam[i] * lam[0] > 0] => return sorted(np.argsort(((X - X[0]) **
            2).sum(axis=1))
            [:len(X) // 2]) | Near points need not stand together. Solve (25.13).
        [i for i => [i + 1 for i | The points are numbered from 0.
        [2][-1] => [2][:, -1] | The solution is the last row of that matrix, not its last column.
        [2][-1] => [2][-2] | That is no solution: take the vector that belongs to the singular value 0.
        X.T, np => X.T[:2], np | Every coordinate gives an equation, not the first two alone.
        np.vstack([X.T, np.ones(len(X))]) => (X - X.mean(axis=0)).T | Without the row of ones λ = (1, ..., 1) solves
            the system of centred points, too: the second equation is missing.
        """,
        (all_or_none, "Those are all points. (25.13) wants λ ≠ 0; its positive and its negative λ are two groups."),
        (sums_to_one, "The λ sum to 0, not to 1: the right side of every equation is 0."),
        (last_left_out, "Those have the sign of the last point. Asked are all with the sign of point 0."),
        (by_the_widest_direction, "That cuts the points by a line, and such groups never meet. Solve (25.13)."),
        (lambda X: list(range((len(X) + 1) // 2)), "The numbers of the points say nothing: solve (25.13)."),
    ],
    right="Right. Label this group 1 and the other 0, and no half-space does it.",
    explanation="k + 1 equations, k + 2 unknowns: a null vector exists, and its signs are the groups.",
)  # fmt: skip


def union_labellings(n, k):
    return sum(math.comb(n + 1, 2 * j) for j in range(k + 1))


INTERVALS = "(1 + n * (n + 1) // 2)"
SUM = "sum(math.comb(n + 1, 2 * j) for j in range(k + 1))"

task("25.2", "Unions of intervals", union_labellings,
    cases=[(5, 1), (4, 2), (6, 2), (1, 1), (7, 3), (3, 5), (9, 2)], what="The number of labellings",
    start="A labelling is a row of runs. What do you choose to fix j runs of positives?",
    hints=[
        "There are n + 1 places between and beside the points. A run begins at one of them and ends at another.",
        "Exactly j runs: C(n + 1, 2j). Add j = 0, ..., k.",
    ],
    slips=[f"""
        n + 1, 2 * j => n, 2 * j | Runs begin and end *between* the points or beside them: there are n + 1 such places.
        n + 1, 2 * j => n + 1, j | A run has two ends: choose 2j places for j runs.
        range(k + 1) => range(1, k + 1) | The empty labelling is missing: j = 0.
        range(k + 1) => range(k, k + 1) | "At most k" includes fewer intervals.
        range(k + 1) => range(k) | k runs are allowed, too.
        sum(math.comb(n + 1, 2 * j) for j in range(k + 1)) => 2**n | Not every labelling is possible: only k runs of
            positives are allowed.
        sum(math.comb(n + 1, 2 * j) for j in range(k + 1)) => 1 + n * (n + 1) // 2 | That is for one interval.
        {SUM} => 1 + math.comb(n + 1, 2 * k) | "At most k" includes every number of runs from 0 to k, not 0 and k alone.
        {SUM} => {INTERVALS}**k | Intervals that overlap or touch make one run: you count labellings several times.
        {SUM} => min(2**n, {INTERVALS}**k) | Intervals that overlap or touch make one run: you count labellings several
            times.
        {SUM} => k * n * (n + 1) // 2 + 1 | k intervals at once make more labellings than k times one interval.
        {SUM} => k * {INTERVALS} | k intervals at once make more labellings than k times one interval.
        {SUM} => sum(math.comb(n * (n + 1) // 2, j) for j in range(k + 1)) | Intervals that overlap or touch make one
            run: you count labellings several times.
        {SUM} => sum(math.comb(n * (n + 1) // 2 + 1, j) for j in range(k + 1)) | Intervals that overlap or touch make
            one run, and the empty one adds nothing: you count labellings several times.
        {SUM} => math.comb({INTERVALS}, k) | Intervals that overlap or touch make one run. Count runs.
        {SUM} => math.comb(n, 2 * k) | Fewer ends count, too, and they lie between and beside the points. Add all j.
        {SUM} => math.comb(n + 1, k) | A run has two ends, and fewer runs count, too: add over j.
        {SUM} => math.comb(n, k) | That chooses k points. Choose the two ends of each run, for every number of runs.
        {SUM} => (n + 1) ** (2 * k) | The 2j ends differ, and their order does not count.
        {SUM} => (math.e * n / (2 * k)) ** (2 * k) | That is the power (en/d)ᵈ of (25.15), a limit. Asked is the number.
        {SUM} => 2**n - math.comb(n, 2 * k + 1) | More labellings fail than those with 2k + 1 ends: longer ones, too.
        {SUM} => sum(math.comb(n + 1, 2) ** j for j in range(k + 1)) | Intervals that overlap or touch make one run: you
            count labellings several times.
        {SUM} => sum(math.comb(n + 1, 2 * j) * math.factorial(j) for j in range(k + 1)) | The order of the intervals
            does
            not count.
        {SUM} => sum(math.comb(max(n - j + 1, 0), j) for j in range(k + 1)) | That counts runs of one point each. A run
            may be longer.
        {SUM} => sum(math.comb(n + 1, 2 * j) * 2**j for j in range(k + 1)) | The 2j ends fix the labelling: nothing is
            left to choose.
        {SUM} => 2 * k | That is the VC dimension. Asked is the number of labellings of n points.
        {SUM} => sum(math.comb(n + 1, j) for j in range(2 * k + 1)) | Too many: there are n + 1 places
            between and beside n points, and a run has two ends, so that only even numbers of ends count.
        {SUM} => sum(math.comb(n, j) for j in range(k + 1)) | That counts at most k positive *points*. A run may hold
            many.
        {SUM} => sum(math.comb(n, j) for j in range(2 * k)) | The last term is missing: k runs have 2k ends.
        {SUM} => 2 * sum(math.comb(n - 1, j) for j in range(2 * k + 1)) | Too many: beside the row all is
            negative, so a row that begins and ends positive has one run more than its changes seem to say.
        {SUM} => 2 * sum(math.comb(n - 1, j) for j in range(k + 1)) | A run of positives ends, too: up to 2k changes
            are possible.
        {SUM} => sum(math.comb(n, 2 * j) + math.comb(n, 2 * j + 1) for j in range(k + 1)) | Too many: k runs have 2k
            ends,
            and a run at the left end has its beginning beside the first point.
        {SUM} => 2 * {SUM} | Only the inside is positive: the opposite labellings do not count again.
        {SUM} => math.prod(math.comb(n + 1, 2) for j in range(k)) | Intervals that overlap or touch make one run. Count
            runs.
        2 * j => 2 * k | j runs have 2j ends: the number changes from term to term.
        n + 1 => n - 1 | The places beside the first and the last point count, too: n + 1 in all.
        range(k + 1) => range(k + 2) | At most k runs: the sum ends at j = k.
        """],
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
        math.ceil(4 => round(4 | Round up, not to the nearest.
        math.ceil(4 / epsilon * math.log(4 / delta)) => math.ceil(4 / epsilon * math.log(4 / delta)) + 1 | One too many:
            rounding up is enough.
        math.ceil(4 / epsilon * math.log(4 / delta)) => 4 * math.ceil(4 / epsilon * math.log(4 / delta)) | One sample
            serves all four strips.
        4 / epsilon => 16 / epsilon | The 4 of the strips stands in the logarithm; outside stands 4/ε alone.
        4 / epsilon * math.log(4 / delta) => 16 / epsilon * math.log(1 / delta) | The risks of the strips are added:
            4 exp(...) <= δ puts the 4 into the logarithm.
        4 / epsilon => 4 / epsilon**2 | A strip is missed with (1 - ε/4)^N: no square comes in.
        4 / epsilon => epsilon / 4 | Solve for N: the rate ε/4 divides.
        4 / epsilon => 1 / (4 * epsilon) | Divide by the rate ε/4: the 4 comes up.
        4 / epsilon => 2 / epsilon | Each strip has probability ε/4, so the rate is ε/4.
        4 / epsilon * math.log(4 / delta) => 2 / epsilon * math.log(2 / delta) | A rectangle has four sides, not two.
        math.log(4 / delta) => math.log(2 / delta) | There are four strips: the union bound multiplies by 4.
        math.log(4 / delta) => math.log(1 / (4 * delta)) | The union bound multiplies by 4: 4 exp(-εN/4) <= δ. Solve
            again.
        math.log(4 / delta) => math.log(4) / delta | The risk stands inside the logarithm.
        math.log(4 / delta) => (4 + math.log(1 / delta)) | ln(4/δ) is ln 4 + ln 1/δ: the 4 counts by its logarithm.
        math.log(4 / delta) => math.log(4 / (1 - delta)) | δ is the risk itself.
        math.log(4 / delta) => -math.log(1 - (1 - delta) ** 0.25) | The strips are not independent: add the four risks.
        math.ceil(4 / epsilon * math.log(4 / delta)) => math.ceil(math.log(4 / delta) / (2 * (epsilon / 4) ** 2)) | That
            is Hoeffding's rate. A strip that holds no example is rarer: (1 - ε/4)^N.
        math.ceil(4 / epsilon * math.log(4 / delta)) => math.ceil(math.log(4 / delta) / (2 * epsilon**2)) | That
            is Hoeffding's rate. A strip that holds no example is rarer: (1 - ε/4)^N.
        math.ceil(4 / epsilon * math.log(4 / delta)) => math.ceil(math.log(4 / delta) / -math.log(1 - epsilon)) | Each
            strip has probability ε/4; and asked is the bound with 1 - z <= exp(-z).
        4 / epsilon * math.log(4 / delta) => 8 / epsilon * math.log(8 / delta) | A rectangle has four sides, not eight.
        4 / epsilon * math.log(4 / delta) => 3 / epsilon * math.log(3 / delta) | A rectangle has four sides, not three.
        4 / epsilon * math.log(4 / delta) => 4 / epsilon + math.log(4 / delta) | The rate divides the logarithm: 4/ε
            *times* ln 4/δ.
        4 / epsilon => 4 * epsilon | Solve for N: the rate ε/4 divides.
        4 / epsilon => (4 / epsilon) ** 2 | A strip is missed with (1 - ε/4)^N: no square comes in.
        math.ceil(4 / epsilon * math.log(4 / delta)) => math.ceil(4 / epsilon) * math.ceil(math.log(4 / delta)) | Round
            once, at the end.
        math.ceil(4 / epsilon * math.log(4 / delta)) => math.ceil(math.log(1 / delta) / -math.log(1 - epsilon / 4)) |
            That
            is one strip, with (1 - ε/4)^N itself. There are four, and asked is the bound with 1 - z <= exp(-z).
        math.ceil(4 / epsilon * math.log(4 / delta)) => math.ceil(4 / epsilon * math.log(4) - math.log(delta)) | Both
            parts
            of ln 4/δ are multiplied by 4/ε: mind the brackets.
        math.ceil(4 / epsilon * math.log(4 / delta)) => math.ceil(4 / epsilon * math.log(1 / delta) + math.log(4)) |
            Both
            parts of ln 4/δ are multiplied by 4/ε: mind the brackets.
        math.log(4 / delta) => math.exp(4 / delta) | Solve 4 exp(-εN/4) <= δ with a logarithm.
        math.ceil(4 / epsilon * math.log(4 / delta)) => math.ceil(math.log(4 / delta) / -math.log(1 - epsilon / 4)) |
            That
            is (1 - ε/4)^N itself. Asked is the bound with 1 - z <= exp(-z).
        """,
    right="Right. Infinitely many rectangles, and no VC dimension was needed.",
    explanation="4 exp(-εN/4) <= δ gives N >= (4/ε) ln(4/δ).",
)  # fmt: skip

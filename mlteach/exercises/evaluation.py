"""Tasks of chapter 02: spread of an error, intervals, folds, paired tests, confusion matrices, ROC, losses, costs."""

import math
from math import erfc, sqrt

import numpy as np

from mlteach.exercises.base import Wrong
from mlteach.exercises.tasks import number, spelt, task

task("2.a", "Mean and spread of a sample error",
    start="Which value has the sample error on average? (2.3) says it.",
    hints=[
        "(2.3): the expectation is p itself. (2.4): the variance is p (1 - p) / n; take the root.",
        "The root of 0.2 · 0.8 / 100. For half of it the variance must be a quarter: n four times as large.",
    ],
    expectation=number("The expectation", 0.2, slips="""
        20   | These are 20 mistakes; the sample error is their share, 20 of 100.
        0.04 | That is the standard deviation; give the expectation first.
        0.8  | That is the accuracy; the error is one letter in five.
        """),
    deviation=number("The standard deviation", "sqrt(0.2 * (1 - 0.2) / 100)", rtol=1e-3, slips="""
        0.0016          | That is the variance (2.4); the standard deviation is its root.
        0.4             | That is the spread of one letter. Divide the variance by n = 100 before you take the root.
        0.004           | Divide by n under the root; you divided the root by n.
        0.16            | That is the variance of a single letter: divide it by n and take the root.
        4               | That is the spread of the number of mistakes; the share has a hundredth of it.
        sqrt(0.2 / 100) | The factor 1 - p is missing under the root.
        0.05            | You used the worst case p (1 - p) = 1/4; here p = 0.2 is known.
        """),
    letters=number("The number of letters", "100 * 2**2", slips="""
        200   | Twice as many letters halve the variance, not the standard deviation.
        300   | That many are needed besides the first 100; how many are it in all?
        50    | Fewer letters make the spread larger.
        1600  | Four times as many are enough: the spread goes with the root of n.
        10000 | That many divide the spread by ten.
        """),
    right="Right. Half the spread costs four times as many letters.",
    explanation="sqrt(0.16 / 100) = 0.04; with 400 letters it is sqrt(0.16 / 400) = 0.02.",
)  # fmt: skip

Z2 = 1.96**2

task("2.b", "No mistake in fifty",
    start="What is the share of mistakes here, and what does the root in (2.8) become?",
    hints=[
        "The sample error is 0. In (2.8) the root is 0; in (2.10) it is z / (2 n).",
        "(2.10) becomes (z²/2n + z²/2n) / (1 + z²/n) = z² / (n + z²).",
    ],
    wald=number("The end by (2.8)", 0.0, to=1e-6, slips="""
        Z2 / (50 + Z2)         | That is the end by (2.10); give the one by (2.8) first.
        0.0713                 | That is the end by (2.10); give the one by (2.8) first.
        0.071                  | That is the end by (2.10); give the one by (2.8) first.
        1.96 * 0.5 / sqrt(50)  | You used the worst case 1/4 for the variance; (2.8) takes the measured error.
        0.1386                 | You used the worst case 1/4 for the variance; (2.8) takes the measured error.
        3 / 50                 | That is the rule of three, 3 / n. A good rule, but (2.8) is asked for.
        1.96 / 50              | That is z / n. (2.8) has the root of p (1 - p) / n instead, which is 0 here.
        1                      | That is the end for the share of right letters; the error is asked for, 0 of 50.
        """),
    wilson=number("The end by (2.10)", "(1.96**2 / 100 + 1.96**2 / 100) / (1 + 1.96**2 / 50)", rtol=5e-3, slips="""
        0                      | Wilson's interval does not shrink to a point: the term z²/4n² under the root stays.
        Z2 / 50                | The division by 1 + z²/n is missing.
        Z2 / 100 / (1 + Z2/50) | That is the centre of the interval; add the half-width.
        Z2 / 100               | You kept only z²/2n; add the root, and divide by 1 + z²/n.
        1.96 / (50 + 1.96)     | z is to be squared.
        3 / 50                 | That is the rule of three, 3 / n; use (2.10).
        Z2 / (20 + Z2)         | That is for twenty letters; here are fifty.
        1 - 0.05 ** (1 / 50)   | That is the exact one-sided bound; use (2.10).
        50 / (50 + Z2)         | That is one minus it. The error is near 0, not near 1.
        0.03806                | About half is missing: z²/2n and the root both count, and z is squared in (2.10).
        (Z2 / 100 + Z2 / sqrt(200)) / (1 + Z2 / 50) | Under the root of (2.10) stands z²/4n²: n is squared there, too.
        1.645**2 / (50 + 1.645**2) | You used z = 1.645, for 90 %; 95 % has z = 1.96.
        0.051                  | You used z = 1.645, for 90 %; 95 % has z = 1.96.
        """),
    right="Right. Fifty right answers leave room for an error of 7 %.",
    explanation="3.8416 / 53.8416 = 0.0713: an error of 7 % is compatible with fifty right answers.",
)  # fmt: skip

task("2.c", "Count the fits",
    start="How many fits does one degree cost, and what happens at the end?",
    hints=[
        "Six degrees, ten folds each; then one more fit of the winner on all 240 samples.",
        "Each fold has 24 of the 240 samples; the fit learns from the others.",
    ],
    fits=number("The number of fits", "6 * 10 + 1", slips="""
        60  | The refit of the winner is missing.
        10  | Ten fits for each of six degrees.
        11  | Ten fits for each of six degrees, and one more.
        6   | Each degree is fitted once for every fold.
        7   | Each degree is fitted once for every fold.
        66  | Only the winner is refitted, not all six.
        16  | Degrees times folds, not degrees plus folds.
        17  | Degrees times folds, not degrees plus folds.
        62  | The test set asks the winner, but no fit happens there.
        70  | The winner is refitted once, on all training samples, not once for every fold.
        54  | Each of the ten folds is left out once: ten fits for each degree, not nine, and the refit.
        55  | Each of the ten folds is left out once: ten fits for each degree, not nine.
        216 | That is the number of samples; give the fits first.
        """),
    size=number("The number of training samples", "(300 - 60) * 9 / 10", slips="""
        240 | One fold of the 240 is left out.
        270 | The 60 test samples are locked away first: ten folds of 240.
        24  | That is the size of the fold left out; the fit learns from the others.
        30  | The 60 test samples are locked away first, and the fit learns from nine folds.
        300 | Neither the test samples nor the fold left out may teach.
        210 | You took 30 samples for a fold; a fold is a tenth of 240.
        54  | You took nine tenths of the 60 test samples. They are locked away; the folds are made of the other 240.
        """),
    right="Right. And the test set is asked once, after all 61.",
    explanation="6 · 10 + 1 fits; 300 - 60 = 240 samples in ten folds of 24, so 216 teach.",
)  # fmt: skip

D, DISPUTED = 14 / 200, 30 / 200
VARIANCE = DISPUTED - D**2

task("2.d", "Paired or not",
    start="How many questions does only the first program get wrong?",
    hints=[
        "Take the questions that both get wrong away from each program's mistakes: that leaves b and c.",
        "50 - 28 = 22 only the first, 36 - 28 = 8 only the second: b = 22, c = 8, n = 200.",
        "The difference is (22 - 8) / 200. Its variance is (30/200 - 0.07²) / 200.",
    ],
    difference=number("The difference", "(22 - 8) / 200", rtol=5e-3, slips="""
        14                          | These are questions; the difference is their share, 14 of 200.
        1.96 * sqrt(VARIANCE / 200) | That is the half-width; give the difference first.
        14 / 30                     | Divide by all 200 questions, not by the disputed ones.
        0.47                        | Divide by all 200 questions, not by the disputed ones.
        DISPUTED                    | That is the share of the disputed questions, b + c; the difference takes b - c.
        22 / 200                    | That is b/n alone; subtract what only the second gets wrong.
        50 / 200                    | That is the error of the first program alone.
        36 / 200                    | That is the error of the second program alone.
        """),
    half=number("The half-width", "1.96 * sqrt((30 / 200 - 0.07**2) / 200)", rtol=6.5e-3, slips="""
        1.96 * sqrt((0.25 * 0.75 + 0.18 * 0.82) / 200) | That is (2.16), as if the two had different questions. Use the
            disputed ones, (2.17).
        1.96 * sqrt(DISPUTED / 200)          | The square of the difference is missing under the root: (b + c)/n - d².
        1.96 * sqrt((DISPUTED - D) / 200)    | The difference is to be squared under the root.
        1.96 * sqrt((DISPUTED + D**2) / 200) | Subtract the square of the difference under the root.
        1.96 * sqrt(0.43 / 200)          | b and c count what only one program gets wrong: 50 - 28 and 36 - 28.
        1.96 * sqrt((0.43 - D**2) / 200) | b and c count what only one program gets wrong: 50 - 28 and 36 - 28.
        1.96 * sqrt((58 / 200 - D**2) / 200) | You counted the 28 questions that both get wrong among the disputed ones:
            b + c is 22 + 8.
        1.96 * sqrt(D * (1 - D) / 200)   | The difference is no error rate: (2.8) does not hold for it, (2.17) does.
        sqrt(VARIANCE / 200)             | z is missing: the half-width is 1.96 standard deviations.
        VARIANCE / 200                   | That is the variance; take the root, times z.
        1.96 * sqrt(VARIANCE)            | You did not divide by n under the root.
        1.96 * sqrt(VARIANCE) / 200      | n belongs under the root: divide the variance by n, not the root.
        1.96 * sqrt(VARIANCE / 30)       | n counts all 200 questions, not the disputed ones only.
        1.96 * VARIANCE / 200            | The root is missing.
        2 * 1.96 * sqrt(VARIANCE / 200)  | That is the whole width; the half-width is asked for.
        1.96 * sqrt((30 - D**2) / 200)   | The disputed questions enter as a share, 30/200.
        """),
    right="Right: 0.017 to 0.123. As if independent it would be -0.010 to 0.150, and nothing would show.",
    explanation="1.96 · sqrt(0.1451 / 200) = 0.0528: the interval from 0.017 to 0.123 leaves zero outside.",
)  # fmt: skip

task("2.e", "Four measures from four counts",
    start="Recall looks at the people who are ill: how many of the 40 were found?",
    hints=[
        "Recall divides by TP + FN, precision by TP + FP, specificity by TN + FP.",
        "30/40, 30/50, 140/160, and F1 = 2 · 30 / (2 · 30 + 20 + 10).",
    ],
    recall=number("Recall", "30 / (30 + 10)", slips="""
        0.6   | Recall and precision are swapped: recall divides by all that *are* positive, TP + FN.
        0.15  | Divide by the positives, TP + FN, not by everybody.
        0.85  | That is the accuracy; recall looks at the positives only.
        0.875 | That is the specificity.
        """),
    precision=number("Precision", "30 / (30 + 20)", slips="""
        0.75 | Recall and precision are swapped: recall divides by all that *are* positive, TP + FN.
        0.15 | Divide by all that were called positive, TP + FP, not by everybody.
        0.85 | That is the accuracy; precision looks at those called positive.
        """),
    specificity=number("Specificity", "140 / (140 + 20)", rtol=5.8e-3, slips="""
        0.125     | That is the false positive rate; the specificity is one minus it.
        140 / 150 | Divide by all negatives, TN + FP, not by all that were called negative.
        0.7       | Divide by the negatives, TN + FP, not by everybody.
        0.85      | That is the accuracy; specificity looks at the negatives only.
        """),
    f1=number("F1", "2 * 30 / (2 * 30 + 20 + 10)", rtol=5.1e-3, slips="""
        0.675      | That is the plain mean of precision and recall; F1 is the harmonic one.
        0.68       | That is the plain mean of precision and recall; F1 is the harmonic one.
        0.5        | TP counts twice, above and below: 2 TP / (2 TP + FP + FN).
        1          | TP counts twice below as well: 2 TP / (2 TP + FP + FN).
        1 / 3      | The factor 2 is missing: 2 TP / (2 TP + FP + FN).
        sqrt(0.45) | That is the geometric mean; F1 is the harmonic one.
        0.75 * 0.6 | That is the product of precision and recall. F1 is twice that, divided by their sum.
        0.85       | That is the accuracy; TN does not enter F1.
        """),
    right="Right. Accuracy would have said 0.85 and hidden that four of ten alarms are false.",
    explanation="(2.22) and (2.23): 30/40, 30/50, 140/160 and 60/90.",
)  # fmt: skip

task("2.f", "Count the pairs",
    start="How many pairs of a positive and a negative are there?",
    hints=[
        "3 · 2 = 6 pairs. Count those in which the positive scores higher; a tie counts one half.",
        "0.8 wins both, 0.6 wins one and ties one, 0.4 wins one: 2 + 1.5 + 1.",
    ],
    area=number("The AUC", "(2 + 1.5 + 1) / (3 * 2)", rtol=6e-3, slips="""
        4.5   | Divide by the number of pairs, 6.
        4 / 6 | The tie 0.6 against 0.6 counts one half; you counted it as lost.
        5 / 6 | The tie 0.6 against 0.6 counts one half; you counted it as won.
        0.25  | That is one minus it: count pairs in which the positive scores *higher*.
        4 / 5 | Leave no pair out: with the tie there are 6 pairs, and it counts one half.
        0.9   | Divide by the number of pairs, 3 · 2 = 6, not by the number of samples.
        0.45  | A pair is a positive and a negative: 3 · 2 = 6. You divided by all ten pairs of the five samples.
        0.15  | That is the difference of the mean scores. The AUC counts pairs; by how much one wins does not matter.
        """),
    right="Right: 4.5 of 6 pairs.",
    explanation="(2.27): 4.5 of 6 pairs.",
)  # fmt: skip


def unbalanced(a):
    """Show that the pulls of the five values do not balance at a constant."""
    if not np.isfinite(a):
        return "The constant of the Huber loss is finite."
    pulls = np.clip(np.array([1, 2, 4, 7, 40]) - a, -3, 3)
    words, side = ", ".join(f"{pull:.3g}" for pull in pulls), "up" if pulls.sum() > 0 else "down"
    return f"At {a:.4g} the pulls are {words}: they add up to {pulls.sum():.3g}, not 0. Move {side}."


task("2.g", "Three losses, three answers",
    start="Which statistic does each loss choose? (2.34) answers two of the three.",
    hints=[
        "Squared loss: the mean. Absolute loss: the median. Huber: the pulls, cut off at ±3, must add up to zero.",
        "Guess that the constant a is between 4 and 7: then 1 pulls with -3 and 40 with +3, and 2, 4, 7 with y - a.",
        "-3 + (2 - a) + (4 - a) + (7 - a) + 3 = 0. Check: 1 - a is below -3, and 2 - a and 7 - a are within ±3.",
    ],
    squares=number("The constant of the squared loss", "(1 + 2 + 4 + 7 + 40) / 5", slips="""
        4    | That is the median; the squared loss chooses the mean.
        3.5  | You left out the outlier; it pulls too.
        54   | Divide the sum by 5.
        13.5 | Divide the sum by 5: the outlier is one of the values.
        20.5 | That is the middle between the least and the greatest value; the squared loss chooses the mean.
        """),
    absolute=number("The constant of the absolute loss", 4.0, slips="""
        10.8 | That is the mean. The absolute loss chooses the median.
        3    | You left out the outlier; it pulls too.
        3.5  | You left out the outlier; it pulls too.
        20.5 | That is the middle between the least and the greatest value; the median is the middle *sample*.
        2    | As many values must lie below the median as above it.
        7    | As many values must lie below the median as above it.
        5.5  | As many values must lie below the median as above it.
        """),
    huber=number("The constant of the Huber loss", "(2 + 4 + 7 - 3 + 3) / 3", rtol=1e-3, say=unbalanced, slips="""
        10.8   | That is the mean; here 40 may pull with 3 only.
        3.5    | You left out the 40. It still pulls, with 3.
        17 / 4 | With a near 4.3 the value 1 is further than 3 away: it pulls with -3, not with 1 - a.
        16 / 3 | You forgot that 1 pulls too, with -3.
        10 / 3 | You forgot that 40 pulls too, with +3.
        4      | That is the median. There the pulls -3, -2, 0, 3, 3 add up to 1, not 0: move up.
        2.5    | That is the constant of the text's example. Here the values and the bound of the pulls are others.
        4.3    | Give at least two decimals, or a fraction.
        """),
    right="Right. The outlier drags the mean to 10.8; Huber's constant is only 1/3 above the median.",
    explanation="13 - 3a = 0 gives a = 13/3; there 1 - a = -3.33 and 40 - a = 35.67 are cut off, 7 - a = 2.67 is not.",
)  # fmt: skip


def not_whole(n):
    return f"{n:.10g} is no whole number of samples: round up." if n % 1 else f"The number of samples is not {n:.10g}."


task("2.1", "How many to test?",
    start="Which value of p makes p (1 - p) largest?",
    hints=[
        "(2.11): n is at least z² p (1 - p) / ε², with ε the half-width 0.02.",
        "Unknown p: 1.96² / (4 · 0.02²). About 0.1: 1.96² · 0.09 / 0.02². Round up.",
    ],
    unknown=number("The number for an unknown error", 2401, to=1e-6, say=not_whole, slips="""
        9604 | You left out the factor 1/4 (the largest p (1 - p)), or took 0.02 as the whole width.
        2500 | You used z = 2; the task says z = 1.96.
        2400 | In the computer 1.96² / 4 / 0.02² is 2400.9999...: int() cuts that off. Round up instead.
        98   | Square the quotient z / ε as well.
        49   | Square the quotient z / (2 ε) as well.
        1225 | z is squared, too: z² / (4 ε²).
        1692 | That is for 90 % confidence; 95 % has z = 1.96.
        4147 | That is for 99 % confidence; 95 % has z = 1.96.
        4148 | That is for 99 % confidence; 95 % has z = 1.96.
        4160 | That is for 99 % confidence; 95 % has z = 1.96.
        600  | Your interval has the half-width 0.04; 0.02 is the half-width, not the whole.
        601  | Your interval has the half-width 0.04; 0.02 is the half-width, not the whole.
        865  | That is the number for an error of about 0.1; give the unknown one first.
        """),
    tenth=number("The number for an error of about 0.1", 865, to=1e-6, say=not_whole, slips="""
        864   | Round up: with 864 samples the half-width is a little above 0.02.
        900   | You used z = 2; the task says z = 1.96.
        961   | You used p instead of p (1 - p).
        960   | You used p instead of p (1 - p).
        960.4 | You used p instead of p (1 - p), and the number is not whole.
        96    | You used p² instead of p (1 - p).
        97    | You used p² instead of p (1 - p).
        29.4  | The quotient is to be squared: z² p (1 - p) / ε².
        29    | The quotient is to be squared: z² p (1 - p) / ε².
        30    | The quotient is to be squared: z² p (1 - p) / ε².
        17    | The quotient is to be squared: z² p (1 - p) / ε².
        18    | The quotient is to be squared: z² p (1 - p) / ε².
        9604  | The factor p (1 - p) is missing.
        441   | z is squared, too: z² p (1 - p) / ε².
        3457  | 0.02 is the half-width already; do not halve it.
        3458  | 0.02 is the half-width already; do not halve it.
        216   | Your interval has the half-width 0.04; 0.02 is the half-width, not the whole.
        217   | Your interval has the half-width 0.04; 0.02 is the half-width, not the whole.
        609   | That is for 90 % confidence; 95 % has z = 1.96.
        610   | That is for 90 % confidence; 95 % has z = 1.96.
        2401  | An error of 0.1 is known here, so p (1 - p) = 0.09 takes the place of 1/4.
        """),
    right="Right. A small error needs fewer samples for the same half-width, though not for the same relative one.",
    explanation="1.96² · 0.25 / 0.0004 = 2401 and 1.96² · 0.09 / 0.0004 = 864.36, rounded up.",
)  # fmt: skip


def recall_precision(C):
    correct = np.diag(C)
    recalls = correct / C.sum(axis=1)
    precisions = correct / C.sum(axis=0)
    return recalls, precisions


def confusion_cases():
    rng, cases = np.random.default_rng(3), []
    for K in (3, 2, 5):
        C = rng.integers(1, 30, (K, K)) + 20 * np.diag(np.arange(1, K + 1))
        C[K - 2, K - 1] += 90  # one class is mostly called another: the diagonal is not the largest entry
        cases.append((C,))
    return cases


task("2.2", "Rows and columns", recall_precision, cases=confusion_cases, what="The result", names="recalls, precisions",
    start="Which sum counts all samples that are of a class, and which all that were called it?",
    hints=[
        "np.diag(C) holds the correct ones. A row is a true class, so recall divides by the sum of the row.",
        "C.sum(axis=1) adds along each row, C.sum(axis=0) down each column. Return recalls, then precisions.",
    ],
    slips="""
        return recalls, precisions => return precisions, recalls | You divided by the column sums. A column is
            everything *called* a class, which gives precision; return the recalls first.
        axis=1 => axis=0 | You divided by the column sums. A column is everything *called* a class, which gives
            precision; recall divides by the sum of the row.
        axis=0 => axis=1 | You divided by the row sums; that is recall.
        = correct / C.sum(axis=1) => = C.max(axis=1) / C.sum(axis=1) | The right answers stand on the diagonal, not
            where a row is largest.
        = correct / C.sum(axis=0) => = C.max(axis=0) / C.sum(axis=0) | The right answers stand on the diagonal, not
            where a column is largest.
        C.sum(axis=1) => (C.sum(axis=1) - correct) | The diagonal belongs to the sum: divide by the whole row.
        C.sum(axis=0) => (C.sum(axis=0) - correct) | The diagonal belongs to the sum: divide by the whole column.
        np.diag => np.trace | np.trace adds the diagonal up; np.diag gives one entry for each class.
        np.diag(C) => C[0, 0] | C[0, 0] belongs to the first class alone; each class has its own entry of the diagonal.
        correct / C.sum(axis=1) => C / C.sum(axis=1, keepdims=True) ;; correct / C.sum(axis=0) => C / C.sum(axis=0) |
            You divided the whole matrix; only its diagonal is wanted: np.diag(C).
        correct / C.sum(axis=1) => correct // C.sum(axis=1) ;; correct / C.sum(axis=0) => correct // C.sum(axis=0) |
            // cuts off to whole numbers; divide with /.
        / C.sum(axis=1) => | These are counts; divide them by the sum of the row.
        / C.sum(axis=0) => | These are counts; divide them by the sum of the column.
        C.sum(axis=1) => C.sum() | You divided by all samples; divide by the sum of one row.
        C.sum(axis=0) => C.sum() | You divided by all samples; divide by the sum of one column.
        return recalls => recalls = (C.sum() - C.sum(axis=0) - C.sum(axis=1) + 2 * correct) / C.sum(); return recalls |
            That is the accuracy of one class against the rest: it counts true negatives.
        return recalls => recalls = correct * 0 + np.trace(C) / C.sum(); return recalls | That is the accuracy; one
            value for each class is wanted.
        return recalls, precisions => return recalls.mean(), precisions.mean() | That is the mean over the classes;
            return one value for each.
        return recalls => recalls = 1 - recalls; return recalls | These are the shares of mistakes; one minus them is
            wanted.
        return recalls, precisions => return recalls | Return two arrays: the recalls and the precisions.
        """,
    right="Right. The diagonal is shared; only the denominator tells the two apart.",
    explanation="Equation (2.24): the same diagonal, divided by row sums for recall and by column sums for precision.",
)  # fmt: skip

task("2.3", "The right point of the curve",
    start="Two mistakes can happen to a person. How probable is each, and what does it cost?",
    hints=[
        "A miss happens with probability 0.1 (1 - TPR), a false alarm with probability 0.9 FPR.",
        "Cost = 0.5 (1 - TPR) + 0.9 FPR. Work it out for all five points.",
    ],
    answer=spelt("The point", "B", "ABCDE", slips="""
        A | A is the cheapest if a miss costs no more than a false alarm. Here it costs five times as much. Its expected
            cost is 0.318 for each person, and another point has less.
        C | C is nearest to the corner, and comes second; but nine in ten people can raise a false alarm. Its expected
            cost is 0.250 for each person, and another point has less.
        D | D would be the cheapest if half of the people were ill. Only 10 % are. Its expected cost is 0.425 for each
            person, and another point has less.
        E | E misses almost nobody, but raises an alarm for seven in ten healthy people. Its expected cost is 0.635 for
            each person, and another point has less.
        """),
    right="Right: 0.242 for each person. Cost depends on the share of ill people, which the ROC curve does not show.",
    explanation="0.5 (1 - TPR) + 0.9 FPR is 0.318, 0.242, 0.250, 0.425, 0.635 for A to E.",
)  # fmt: skip


def sign_test(b, c):
    n = b + c
    tail = sum(math.comb(n, k) for k in range(min(b, c) + 1)) / 2**n
    return min(1.0, 2 * tail)


def chi_squared(b, c, correction=0):
    """Return the p-value of McNemar's test in its approximate form."""
    return erfc(sqrt(max(abs(b - c) - correction, 0) ** 2 / (b + c) / 2))


task("2.4", "A coin for the disputed cases", sign_test, what="The p-value",
    cases=[(3, 6), (12, 4), (0, 7), (5, 5), (1, 0), (20, 31)],
    start="How probable are 0, 1, ..., min(b, c) heads in b + c throws of a fair coin?",
    hints=[
        "Equation (2.6) with p = 1/2: the probability of k heads in n throws is comb(n, k) / 2**n, with n = b + c.",
        "Add up k = 0 to min(b, c), both included, double it, and cut off at 1 with min(1, ...).",
    ],
    slips=["""
        min(1.0, 2 * tail) => 2 * tail | A probability above 1: when b = c the two tails overlap. Cut off at 1.
        min(b, c) + 1 => min(b, c) | The sum stops too early: k = min(b, c) belongs to it.
        min(1.0, => max(1.0, | Never *more* than 1 wants min(1, ...), not max(1, ...).
        min(b, c) => max(b, c) | You return 1 for every split. Sum up to the smaller of b and c, and divide by 2**(b +
            c).
        min(b, c) => b | Start from the rarer side, min(b, c), whichever program it belongs to.
        min(b, c) => c | Start from the rarer side, min(b, c), whichever program it belongs to.
        range(min(b, c) + 1) => [min(b, c)] | You took the one outcome k = min(b, c); add all more uneven ones.
        range(min(b, c) + 1) => [min(b, c)] ;; min(1.0, 2 * tail) => 2 * tail | You took the one outcome k = min(b, c);
            add all more uneven ones.
        range(min(b, c) + 1) => [min(b, c)] ;; 2 * tail => tail | You took the one outcome k = min(b, c); add all more
            uneven ones.
        2 * tail => tail | That is one tail only. A split uneven the other way counts as well: double it.
        n = b + c => n = max(b, c) | The coin is thrown for every disputed case: n is b + c, not the larger of the two.
        """,
        (chi_squared, "That is the χ² form of McNemar's test, an approximation; sum up the coin exactly."),
        (lambda b, c: chi_squared(b, c, 1), "That is the χ² form with its correction; sum up exactly."),
    ],
    right="Right. Three against six gives 0.508: such a split is what a fair coin does every other time.",
    explanation="This is McNemar's exact test. The samples on which both programs agree never enter.",
)  # fmt: skip


def cheapest_threshold(y, scores, cost_fp, cost_fn):
    best, least = np.inf, cost_fn * np.sum(y == 1)  # nobody is called positive
    for threshold in np.unique(scores)[::-1]:
        called = scores >= threshold
        cost = cost_fp * np.sum(called & (y == 0)) + cost_fn * np.sum(~called & (y == 1))
        if cost < least:
            best, least = threshold, cost
    return best


def threshold_cases():
    rng, cases = np.random.default_rng(7), []
    for trial in range(60):
        y = np.append([0, 1], rng.integers(0, 2, int(rng.integers(4, 25))))
        cases.append((y, np.round(rng.normal(0.5 * y, 0.6), 1), *((1, 1), (1, 5), (4, 1), (30, 1))[trial % 4]))
    return cases


def one_threshold(value):
    if value is None or value is ...:
        raise Wrong("Your function ends without returning a value.")
    try:
        return float(np.reshape(np.asarray(value) + 0, ()).astype(np.float32))
    except (TypeError, ValueError):  # text, several numbers, a complex one
        raise Wrong("Return one number, the threshold.") from None


def complain_of_threshold(case, got, wanted):
    y, scores, cost_fp, cost_fn = case
    what = f"With {len(y)} samples, a false alarm at {cost_fp} and a miss at {cost_fn}"
    if np.isfinite(got) and not np.isclose(scores, got).any():
        return f"{what} you return {got:g}, which is none of the scores and not np.inf."
    return f"{what} you return {got:g}; {wanted:g} is cheaper, or as cheap and larger."


def place_of(order):
    """Return a function that gives the place of the threshold among all in rising or falling order, inf included."""

    def place(y, scores, *costs):
        tried = np.append(np.unique(scores), np.inf)[::order]
        return int(np.flatnonzero(tried == cheapest_threshold(y, scores, *costs))[0])

    return place


PLACE = "That is a place in the list; return the threshold that stands there."

task("2.5", "The cheapest threshold", cheapest_threshold, cases=threshold_cases, what="The threshold",
    read=one_threshold, complain=complain_of_threshold,
    start="For one threshold: who is called positive, and what do the mistakes cost?",
    hints=[
        "called = scores >= threshold; FP = np.sum(called & (y == 0)); FN = np.sum(~called & (y == 1)).",
        "Go through np.unique(scores) from the largest down, after np.inf, and replace the best only if the cost is "
        "strictly lower: then ties keep the larger threshold.",
    ],
    slips=["""
        best, least = np.inf, cost_fn * np.sum(y == 1) => best, least = np.inf, np.inf | Sometimes it is cheapest to
            call nobody positive: try np.inf as well.
        cost < least => cost <= least | On a tie the largest threshold is wanted; you return the smallest.
        >= threshold => > threshold | A score equal to the threshold counts as positive: use >=, not >.
        best, least = np => cost_fp, cost_fn = cost_fn, cost_fp; best, least = np | The costs are swapped: a miss is FN,
            a false alarm is FP.
        best, least = np => cost_fp = cost_fn = 1; best, least = np | You return the one with the fewest mistakes; use
            the costs.
        return best => return cost_fp / (cost_fp + cost_fn) | That is (2.28), which needs calibrated scores. Count costs
            on the data.
        return best => return cost_fn / (cost_fp + cost_fn) | That is (2.28) for calibrated scores, and upside down.
            Count the costs.
        best, least = np => y = 1 - y; best, least = np | The roles of 0 and 1 in y are swapped.
        best, least = np => cost_fp, cost_fn = cost_fp / np.sum(y == 0), cost_fn / np.sum(y == 1); best, least = np |
            You weigh rates; the total cost counts people: FP and FN are numbers, not shares.
        best, least = np => cost_fp, cost_fn = 1, 5; best, least = np | You use the same costs whatever is given.
        best, least = np => cost_fp, cost_fn = 4, 1; best, least = np | You use the same costs whatever is given.
        best, least = np => cost_fp, cost_fn = 30, 1; best, least = np | You use the same costs whatever is given.
        return best => return least | That is the least cost; return the threshold that has it.
        np.sum(y == 1)  => 1 ;; np.sum(called & (y == 0)) => np.mean(called[y == 0]) ;;
            np.sum(~called & (y == 1)) => np.mean(~called[y == 1]) |
            You weigh rates; the total cost counts people: FP and FN are numbers, not shares.
        cost < least => cost > least | You return the dearest threshold, or call positive what lies below it. A score of
            at least the threshold is positive, and the least cost is wanted.
        >= threshold => < threshold | You call positive what lies below the threshold; positive is a score of at least
            it.
        np.unique(scores)[::-1] => scores | On a tie you keep the threshold that comes first in the list; the largest is
            wanted.
        np.sum(called & (y == 0)) => np.sum(called) | You count everybody who is called positive as a false alarm; only
            those with y = 0 are.
        cost_fn * np.sum(y == 1)  => cost_fn * len(y) ;; np.sum(~called & (y == 1)) => np.sum(~called) | You count
            everybody who is called negative as a miss; only those with y = 1 are.
        """,
        (place_of(-1), PLACE),
        (place_of(1), PLACE),
    ],
    right="Right. Choose it on validation data, never on the test set.",
    explanation="Between two neighbouring scores nothing changes, so the scores are enough, and inf for nobody.",
)  # fmt: skip

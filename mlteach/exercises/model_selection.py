"""Tasks and exercises of chapter 24: parts of an error, optimism, leave-one-out, prices, columns, winners, nesting."""

import math

import numpy as np
from numpy import log

from mlteach.exercises.tasks import number, spelt, task

task("24.a", "Three parts by hand",
    start="What do the fits say on average?",
    hints=["The mean fit is 3. How far is it from f, and the fits from it?", "3 + (5 - 3)² + (4 + 0 + 0 + 4)/4."],
    bias2=number("bias²", "(5 - (1 + 3 + 3 + 5) / 4) ** 2", to=6e-3, slips="""
        -2  | That is the bias. Square it.
        2   | That is the bias, or the variance. Asked is the square of the bias.
        6   | That is the mean of (f - fit)²: the variance is in it already. Average the fits first, then square.
        1   | The mean of the four fits is 3; compare it with f = 5.
        9   | That is the expected error. bias² comes first.
        """),
    variance=number("The variance", "((1 - 3) ** 2 + 0 + 0 + (5 - 3) ** 2) / 4", to=6e-3, slips="""
        8 / 3          | Divide by 4: these are all the data sets there are, not a sample of them.
        8              | That is the sum of the squares. The variance is their mean.
        2**0.5         | That is the standard deviation. Square it.
        6              | Those are distances from f. The variance is around the mean fit.
        1              | Those are distances, not squared.
        """),
    error=number("The expected error", "3 + (5 - 3) ** 2 + 2", to=6e-3, slips="""
        6   | A new target has noise of its own: add its variance.
        5   | bias² is missing. Noise, bias² and variance: three parts.
        7   | Noise, bias² and variance: three parts. One is missing, or the bias is not squared.
        11  | The mean of (f - fit)² holds the variance already; it was added twice.
        13  | The mean of (f - fit)², 6, holds bias² already.
        15  | The noise is given as a variance: do not square it.
        """),
    right="Right. Four of the nine are bias: more data sets like these would not help.",
    explanation="The mean fit is 3: bias² = (5 - 3)² = 4, variance (4 + 0 + 0 + 4)/4 = 2, and 3 + 4 + 2 = 9.",
)  # fmt: skip

task("24.b", "Two errors and a verdict",
    start="What does the model take for noise?",
    hints=["s² = 1 + 1 = 2; put it into (24.4).", "2 (1 - 9/30) and 2 (1 + 9/20); the variance is 2 · 9/20."],
    train=number("The training error", "(1 + 1) * (1 - 9 / 30)", to=6e-3, slips="""
        0.7   | What is left out acts as noise, too: s² = 1 + 1.
        2     | That is s². The fit lowers the training error by the share d/n.
        2.9   | That is the test error. The training error comes first.
        2.6   | Minus: training is kinder than s².
        0.6   | That is s² d/n. The training error is the rest.
        1.7   | The factor 1 - d/n belongs to all of s²: what is left out is fitted in part as well.
        2 * (1 - 10 / 30) | This least squares has no intercept: d is 9.
        """),
    test=number("The test error", "(1 + 1) * (1 + 9 / (30 - 9 - 1))", to=6e-3, slips="""
        1.45             | What is left out acts as noise, too: s² = 1 + 1.
        2 * (1 + 9 / 30) | The divisor is n - d - 1, not n: new inputs, too, are random.
        2 * (1 + 9 / 21) | The divisor is n - d - 1.
        0.9              | That is the variance alone. Add s².
        1.1              | Plus: the test error lies above s².
        2 * (1 + 10 / 19) | This least squares has no intercept: d is 9.
        """),
    part=spelt("The larger part", "B", "BV", slips="""
        V | Compare s² - σ², the bias², with s² d/(n - d - 1), the variance.
        """),
    right="Right. Nearly even: here both more samples and more inputs would help.",
    explanation="s² = 2: train 2 · 0.7 = 1.4, test 2 · 1.45 = 2.9. Beyond the noise: bias² 1, variance 0.9.",
)  # fmt: skip

task("24.c", "The price of five neighbours",
    start="How much of its own target does each fitted value hold?",
    hints=["h = 1/K for every point, and df is their sum.", "3.2 + 2 · 2 · 8/40."],
    df=number("The degrees of freedom", "40 / 5", to=6e-3, slips="""
        5    | That is K. Large K is stiff: df = n/K.
        0.2  | That is one leverage. Sum over the 40 points.
        200  | Divide n by K; you multiplied.
        40   | That would be K = 1: each fit its own target. Here it is one of five in a mean.
        35   | Not n - K: each of the n points has leverage 1/K. Sum them.
        9    | The neighbours' mean has no further intercept.
        """),
    error=number("The expected error", "3.2 + 2 * 2 * 8 / 40", to=6e-3, slips="""
        3.6  | The optimism has a factor 2.
        5.2  | The training error holds noise already. Add the optimism 2σ² df/n, not σ².
        0.8  | That is the optimism. Add it to the training error.
        2.4  | Add the optimism: new targets cost more.
        35.2 | Divide the optimism by n.
        4.8  | The noise variance is 2 already; do not square it.
        """),
    right="Right. With K = 1 the training error is 0 and all of the price is optimism: 2σ².",
    explanation="df = 40/5 = 8; 2 · 2 · 8/40 = 0.8; 3.2 + 0.8 = 4.",
)  # fmt: skip


def loo(H, t):
    residual = t - H @ t
    h = np.diag(H)
    return np.mean((residual / (1 - h)) ** 2)


def hats():
    """Return hat matrices with targets: the chapter's line, a mean, ridge on patients, a kernel smoother."""
    from mlteach import datasets

    A = np.column_stack([np.ones(5), np.arange(1.0, 6)])
    cases = [(A @ np.linalg.pinv(A), np.array([2.0, 3, 5, 4, 6]))]
    cases.append((np.full((4, 4), 0.25), np.array([1.0, 2.0, 4.0, 9.0])))
    data = datasets.diabetes()
    X = (data.X[:20] - data.X[:20].mean(axis=0)) / data.X.std(axis=0)
    cases.append((1 / 20 + X @ np.linalg.solve(X.T @ X + 3 * np.eye(10), X.T), data.y[:20]))
    rng = np.random.default_rng(4)
    W = np.exp(-((rng.random((7, 1)) - rng.random(7)) ** 2)) * rng.random((7, 7))
    cases.append((W / W.sum(axis=1, keepdims=True), rng.normal(size=7)))
    Z = rng.normal(size=(6, 2)) + 1  # ridge through the origin: rows that do not sum to 1
    cases.append((Z @ np.linalg.solve(Z.T @ Z + np.eye(2), Z.T), rng.normal(size=6)))
    return cases


task("24.d", "Leave one out from one fit", loo, cases=hats, what="The leave-one-out error",
    start="What are the residuals, and what are the leverages?",
    hints=["The fits are H @ t, the leverages np.diag(H).", "np.mean(((t - H @ t) / (1 - np.diag(H))) ** 2)."],
    slips="""
        np.mean((residual / (1 - h)) ** 2) => np.sum((residual / (1 - h)) ** 2) | That is PRESS, the sum. Take the mean.
        np.mean((residual / (1 - h)) ** 2) => np.mean(residual**2 / (1 - h)) | Square after dividing: 1 - h is
            squared, too.
        np.mean((residual / (1 - h)) ** 2) => np.mean(residual / (1 - h)) | The square is missing.
        np.mean((residual / (1 - h)) ** 2) => np.mean(residual**2) | That is the training error. Divide by 1 - h.
        (1 - h) => h | Divide by 1 - h, what the sample does not hold of itself.
        (1 - h) => (1 - h - 1 / len(t)) | The intercept's 1/n is in H already; you took it off once more.
        residual / (1 - h) => residual + h * t | You left the sample's own term out. The weights of the others must
            then sum to 1 again: divide by 1 - h.
        (1 - h) => (1 + h) | Divide by 1 - h: without the sample its error grows.
        h = np.diag(H) => h = np.mean(np.diag(H)) | With the mean leverage for all that is generalised cross-validation.
        h = np.diag(H) => h = np.diag(H) - 1 / len(t) | The intercept's leverage 1/n counts: H has it already.
        h = np.diag(H) => h = H.sum(axis=1) | The leverage is the diagonal entry, not the sum of a row.
        np.mean((residual / (1 - h)) ** 2) => np.sqrt(np.mean((residual / (1 - h)) ** 2)) | Asked is the mean square,
            not its
            root.
        np.mean((residual / (1 - h)) ** 2) => np.mean(np.abs(residual / (1 - h))) | Square the errors; you took their
            sizes.
        """,
    right="Right. On twenty patients that saves nineteen ridge fits, and it is exact.",
    explanation="(24.9). For the mean of four targets h = 1/4: each error grows by 4/3.",
)  # fmt: skip

CHANGE = 30 * log(37 / 40)

task("24.e", "Is the column worth it?",
    start="By how much does -2ℓ fall?",
    hints=["-2ℓ changes by n ln(37/40).", "30 ln 0.925 = -2.339; add 2, or ln 30."],
    aic_change=number("The change of AIC", "30 * log(37 / 40) + 2", to=0.045, slips="""
        CHANGE              | That is the change of the misfit. The new number has its price.
        -(CHANGE + 2)       | Negative means better: new minus old.
        CHANGE / 2 + 2      | -2ℓ changes by n ln(RSS ratio), not by half of it.
        -3 + 2              | The misfit is n ln(RSS/n), not RSS.
        CHANGE + 1          | AIC charges 2 for a number.
        CHANGE - 2          | The price is added.
        CHANGE + 4          | One number is new: AIC rises by 2, not by 4.
        CHANGE + log(30)    | That is the change of BIC. AIC comes first.
        30 * np.log10(0.925) + 2 | Use the natural logarithm.
        """),
    bic_change=number("The change of BIC", "30 * log(37 / 40) + log(30)", to=0.045, slips="""
        CHANGE + 2 * log(30)   | One more number costs ln n, not 2 ln n.
        -(CHANGE + log(30))    | Negative means better: new minus old.
        CHANGE - log(30)       | The price is added.
        CHANGE + 2             | That is the change of AIC.
        CHANGE + np.log10(30)  | Use the natural logarithm.
        CHANGE                 | That is the change of the misfit. The new number has its price.
        """),
    right="Right. AIC takes the column, narrowly; BIC does not.",
    explanation="30 ln 0.925 = -2.339. AIC: -2.339 + 2 = -0.339. BIC: -2.339 + 3.401 = 1.062.",
)  # fmt: skip

task("24.f", "Counting fits",
    start="How many columns are left to try at each step?",
    hints=["12, then 11, then 10.", "C(12, 3) = 12 · 11 · 10 / 6."],
    forward=number("Fits of forward selection", "12 + 11 + 10", to=0.1, slips="""
        78   | That is to the end, 12 + 11 + ... + 1. Three columns are enough.
        34   | The model without columns is no try: count 12, 11 and 10.
        30   | The first step tries all twelve.
        72   | That is backward elimination from twelve down to three.
        36   | One column less is left at each step.
        1320 | Add the steps; the choice of one step is kept.
        3    | Each step tries all columns that are left.
        """),
    every=number("Fits of the search", "math.comb(12, 3)", to=0.1, slips="""
        1320 | The order of the three does not matter: divide by 3! = 6.
        4096 | That is the number of all subsets, 2¹². Asked are the triples.
        1728 | No column twice, and the order does not matter.
        298  | Only the triples are asked for, not the smaller subsets.
        """),
    right="Right. Forward selection looks at 33 models, and may miss the best of 220.",
    explanation="12 + 11 + 10 = 33; 12 · 11 · 10 / 6 = 220.",
)  # fmt: skip

task("24.g", "The better of two coins",
    start="With which probability has the better one at most 0 right, at most 1 right?",
    hints=["F(0) = 1/4, F(1) = 3/4, and M = 2.", "½ [(1 - 1/16) + (1 - 9/16)]."],
    best=number("The expected share", "((1 - (1 / 4) ** 2) + (1 - (3 / 4) ** 2)) / 2", to=6e-3, slips="""
        0.5    | That is one of them. Asked is the better one.
        1.375  | That is the expected number right. Divide by n = 2.
        0.75   | Independent, but not always different: they may tie.
        1      | F(j) is squared before it is subtracted from 1.
        0.9375 | That is the chance that the better one has at least one right, the first term alone.
        0.4375 | That is the chance that the better one has both right, the last term alone.
        0.3125 | That is the worse one: 1 minus the answer.
        """),
    right="Right. Nobody knows anything, and the winner gets 69 % right.",
    explanation="F = 1/4, 3/4; (1 - 1/16 + 1 - 9/16)/2 = 22/32 = 0.6875.",
)  # fmt: skip

task("24.h", "Fits, and what to report",
    start="What happens for one outer fold?",
    hints=["Four inner folds for each of ten candidates, and one fit of the chosen one.", "5 (4 · 10 + 1)."],
    fits=number("The number of fits", "5 * (4 * 10 + 1)", to=0.1, slips="""
        200 | The chosen candidate is fitted once more in each outer fold.
        50  | That is one flat cross-validation with five folds.
        41  | That is one outer fold.
        201 | The chosen candidate is fitted in each of the five outer folds, not once.
        204 | Outer and inner folds are exchanged: 5 outer, 4 inner.
        164 | There are five outer folds, not four.
        246 | The choice on all samples, for use, is no part of the estimate: 41 fits less.
        206 | A last fit on all samples, for use, is no part of the estimate.
        250 | In each outer fold the chosen candidate is fitted once, not all ten.
        """),
    report=spelt("The number to report", "N", "FNL", slips="""
        F | That is a winner's score: it was chosen because it was small.
        L | Taking the least of the outer errors is choosing again. Average them.
        """),
    right="Right. The least of anything is no estimate.",
    explanation="5 (4 · 10 + 1) = 205 fits; the mean over the outer folds is the estimate.",
)  # fmt: skip

task("24.i", "What would help?",
    start="Is the training error high, or the gap wide?",
    hints=["1 % on training pictures, as people: no bias to speak of.", "What closes a gap?"],
    two=spelt("The pair", "BD", "ABCD", ordered=False, slips="""
        B | Name two: one letter is missing.
        D | Name two: one letter is missing.
        A | Name two; and training longer lowers the training error, which is low already.
        C | Name two; and a larger network has more variance, not less.
        AC | Both lower the training error, which is low already. The gap is the problem.
        AB | Training longer lowers the training error, which is low already.
        BC | A larger network has more variance, not less.
        CD | A larger network has more variance, not less.
        AD | Training longer lowers the training error, which is low already.
        """),
    right="Right. A wide gap: more samples, or a stiffer model.",
    explanation="High variance: B and D. A and C attack a bias that is not there.",
)  # fmt: skip


def decompose(fits, f, sigma2):
    mean = np.mean(fits, axis=0)
    bias2 = np.mean((mean - f) ** 2)
    variance = np.mean((fits - mean) ** 2)
    return bias2, variance, sigma2 + bias2 + variance


def tables():
    """Return tables of fits: the chapter's three data sets, and uneven ones."""
    rng = np.random.default_rng(6)
    return [
        (np.array([[1.0], [4.0], [4.0]]), np.array([2.0]), 0.5),
        (rng.normal(size=(6, 4)) * [1, 2, 3, 0.5] + [0, 1, -1, 2], np.array([0.5, 0.0, -2.0, 1.0]), 0.3),
        (rng.normal(size=(3, 7)) + 4, rng.normal(size=7), 0.0),
    ]


task("24.1", "The three parts from a table of fits", decompose, cases=tables, what="The parts",
    names="bias², variance, error",
    start="Over which axis do you average to get the mean fit?",
    hints=[
        "np.mean(fits, axis=0) is the mean fit at each place.",
        "bias2 = mean of (mean fit - f)²; variance = mean of (fits - mean fit)².",
    ],
    slips="""
        np.mean((mean - f) ** 2) => np.mean((fits - f) ** 2) | That holds the variance already: average the fits
            first, then
            square.
        np.mean((mean - f) ** 2) => np.mean(mean - f) ** 2 | Square at each place, then average over the places.
        np.mean((mean - f) ** 2) => np.mean(mean - f) | That is the mean bias, with its sign. Square at each place.
        np.mean((mean - f) ** 2) => np.mean(np.abs(mean - f)) | That is the bias. Square it.
        np.mean((fits - mean) ** 2) => np.mean(np.var(fits, axis=0, ddof=1)) | Divide by R, not by R - 1.
        np.mean((fits - mean) ** 2) => np.mean(np.std(fits, axis=0)) | That is a standard deviation. Square it.
        np.mean((fits - mean) ** 2) => np.var(fits) | Scatter around the mean fit at each place, not around one mean
            of all.
        sigma2 + bias2 + variance => bias2 + variance | A new target has noise: add sigma2.
        sigma2 + bias2 => sigma2**2 + bias2 | sigma2 is a variance already.
        np.mean(fits, axis=0) => np.mean(fits, axis=1, keepdims=True) | Average over the data sets (rows), not over the
            places.
        return bias2, variance, sigma2 => return variance, bias2, sigma2 | The order is bias², variance, error.
        """,
    right="Right. The first two numbers are what a knob trades.",
    explanation="(24.1), averaged over the places.",
)  # fmt: skip


def forward(X, t, k):
    chosen = []
    while len(chosen) < k:
        left = [j for j in range(X.shape[1]) if j not in chosen]
        sums = []
        for j in left:
            A = np.column_stack([np.ones(len(t)), X[:, chosen + [j]]])
            w = np.linalg.lstsq(A, t, rcond=None)[0]
            sums.append(np.sum((t - A @ w) ** 2))
        chosen.append(left[int(np.argmin(sums))])
    return chosen


def choices():
    """Return the cement, and random problems with unequal means and tied columns."""
    from mlteach import datasets

    data, rng = datasets.hald(), np.random.default_rng(9)
    cases = [(data.X, data.y, 2), (data.X, data.y, 4), (data.X, data.y, 0)]
    for n, p, k in ((15, 5, 3), (20, 6, 4), (12, 4, 2)):
        X = rng.normal(size=(n, p)) @ rng.normal(size=(p, p)) + 5 * rng.normal(size=p)
        cases.append((X, X @ rng.normal(size=p) + 8 + rng.normal(size=n), k))
    return cases


def _best_of_all(X, t, k):
    from itertools import combinations

    def rss(S):
        A = np.column_stack([np.ones(len(t)), X[:, list(S)]])
        return np.sum((t - A @ np.linalg.lstsq(A, t, rcond=None)[0]) ** 2)

    return list(min(combinations(range(X.shape[1]), k), key=rss))


def _backward(X, t, k):
    from mlteach.model_selection import backward_elimination

    return backward_elimination(X, t, k)


def _stagewise(X, t, k):
    chosen, r, A = [], t - t.mean(), X - X.mean(axis=0)
    for _ in range(k):
        gain = (A.T @ r) ** 2 / (A**2).sum(axis=0)
        gain[chosen] = -1
        chosen.append(int(gain.argmax()))
        a = A[:, chosen[-1]]
        r = r - a * (a @ r) / (a @ a)
    return chosen


def _the_same_again(X, t, k):
    return forward(X, t, 1) * k


task("24.2", "Forward selection", forward, cases=choices, what="The columns",
    start="Which model do you fit for a column that is tried?",
    hints=[
        "All chosen columns, the one that is tried, and a column of ones.",
        "Compute the RSS for each column left, and append the best.",
    ],
    slips=["""
        np.ones(len(t)), X => X | The intercept is missing: put a column of ones beside the others.
        return chosen => return [j + 1 for j in chosen] | Columns are counted from 0.
        return chosen => return sorted(chosen) | Keep the order of choice.
        chosen + [j] => [j] | Fit each column together with those chosen so far. Alone they are ranked as by a filter.
        np.argmin(sums) => np.argmax(sums) | The residual sum of squares should be small.
        chosen.append(left[int(np.argmin(sums))]) => chosen.append(int(np.argmin(sums))) | The index counts among the
            columns
            that are left: look the column up there.
        """,
        (_best_of_all, "That is the best subset of this size. Forward selection keeps what it chose first."),
        (_backward, "That is backward elimination. Start with no column and add."),
        (_stagewise, "The old weights stayed as they were. Fit all chosen columns anew with each one that is tried."),
        (_the_same_again, "The same column comes again. Try only columns that are left, beside those chosen."),
    ],
    right="Right. On the cement it begins with x4, and never finds the best pair.",
    explanation="At each step one fit for each column that is left; the best is kept for ever.",
)  # fmt: skip


def nested_error(inner, outer):
    chosen = np.argmin(inner, axis=1)
    return np.mean(outer[np.arange(len(outer)), chosen])


def experiments():
    """Return tables of inner and outer errors in which every short cut gives another number."""
    rng = np.random.default_rng(3)
    first = (
        np.array([[0.30, 0.25, 0.40], [0.20, 0.35, 0.30], [0.50, 0.20, 0.10]]),
        np.array([[0.35, 0.40, 0.20], [0.30, 0.10, 0.45], [0.55, 0.15, 0.50]]),
    )
    return [first, *((rng.random((k, m)), rng.random((k, m))) for k, m in ((5, 4), (4, 7)))]


def _across(inner, outer):
    return outer[np.argmin(inner, axis=0), np.arange(inner.shape[1])].mean()


task("24.3", "Judge the procedure", nested_error, cases=experiments, what="The nested error",
    start="Which candidate would you have chosen without outer fold i?",
    hints=["The one with the least inner error in row i.", "Average outer[i, chosen[i]] over i."],
    slips=["""
        np.mean(outer[np.arange(len(outer)), chosen]) => inner.mean(axis=0).min() | That is a flat estimate: the least
            of the inner errors, a winner's score. Judge on the outer folds.
        np.argmin(inner, axis=1) => np.argmin(outer, axis=1) | You chose with the outer errors: that is the leak which
            nesting
            prevents.
        np.argmin(inner, axis=1) => np.argmin(inner.mean(axis=0)) + np.zeros(len(inner), int) | Choose in each outer
            fold
            anew: the mean over all of them has seen every fold.
        np.argmin(inner, axis=1) => np.argmax(inner, axis=1) | Those are errors: the least is best.
        np.mean(outer[np.arange(len(outer)), chosen]) => np.mean(inner[np.arange(len(outer)), chosen]) | Those are inner
            errors, of winners. Judge on the outer folds.
        np.mean(outer[np.arange(len(outer)), chosen]) => np.min(outer[np.arange(len(outer)), chosen]) | The least of
            the outer
            errors is a winner's score. Average them.
        np.mean(outer[np.arange(len(outer)), chosen]) => outer.mean(axis=0).min() | The least mean over candidates is
            flat
            selection on the outer folds.
        np.mean(outer[np.arange(len(outer)), chosen]) => np.sum(outer[np.arange(len(outer)), chosen]) | Take the mean
            over the
            outer folds; you took the sum.
        outer[np.arange(len(outer)), chosen] => outer[:, chosen] | Pair each outer fold with its own choice: row i,
            column
            chosen[i].
        """,
        (_across, "A row is an outer fold: choose along it, among the candidates (axis=1)."),
    ],
    right="Right. The choice may differ from fold to fold; the procedure is what is judged.",
    explanation="Row by row: the least inner error chooses, the outer error judges.",
)  # fmt: skip

__all__ = ["decompose", "forward", "loo", "math", "nested_error"]

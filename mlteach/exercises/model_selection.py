"""Tasks and exercises of chapter 24: parts of an error, optimism, leave-one-out, prices, columns, winners, nesting."""

import math

import numpy as np
from numpy import log

from mlteach.exercises.tasks import number, spelt, task

CHANGE = 30 * log(37 / 40)


def say_mean_fit(v):
    return f"bias² = {v:g} would put the mean of the fits {abs(v) ** 0.5:.3g} away from f = 5. How far is it?"


def say_scatter(v):
    return f"That would make the four squared distances from the mean fit sum to {4 * v:g}. What is their sum?"


def say_parts(v):
    return f"Without the noise, 3, your error leaves {v - 3:g} for bias² and variance. What is their sum?"


def say_level(v):
    return f"Divided by s² = 2 that is {v / 2:.3g}. Which factor of s² does (24.4) have here?"


def say_optimism(v):
    return f"That leaves an optimism of {v - 3.2:.3g} beyond the training error. What is 2σ² df/n?"


def say_price(v):
    return f"Beside the fall of RSS, -3, that is a price of {30 * v + 3:.3g}. What is 2σ², with the largest model's σ²?"


def say_aic(v):
    return f"Beside a price of 2 that leaves {v - 2:.3g} for the misfit. What is the change of n ln(RSS/n)?"


def say_bic(v):
    return f"Beside the misfit, n ln(37/40) = -2.339, that leaves a price of {v - CHANGE:.3g}. What is ln n?"


task("24.a", "Three parts by hand",
    start="What do the fits say on average?",
    hints=["The mean fit is 3. How far is it from f, and the fits from it?", "3 + (5 - 3)² + (4 + 0 + 0 + 4)/4."],
    bias2=number("bias²", "(5 - (1 + 3 + 3 + 5) / 4) ** 2", to=6e-3, say=say_mean_fit, slips="""
        -2  | That is the bias. Square it.
        2   | That is the bias, or the variance. Asked is the square of the bias.
        6   | That is the mean of (f - fit)²: the variance is in it already. Average the fits first, then square.
        1   | The mean of the four fits is 3; compare it with f = 5.
        9   | That is the expected error. bias² comes first.
        7   | The noise is a part of its own. bias² compares the mean fit with f, without noise.
        0   | f is 5, and one fit is 5: but the bias is that of the mean of all four fits.
        """),
    variance=number("The variance", "((1 - 3) ** 2 + 0 + 0 + (5 - 3) ** 2) / 4", to=6e-3, say=say_scatter, slips="""
        8 / 3          | Divide by 4: these are all the data sets there are, not a sample of them.
        8              | That is the sum of the squares. The variance is their mean.
        2**0.5         | That is the standard deviation. Square it.
        6              | Those are distances from f. The variance is around the mean fit.
        1              | Those are distances, not squared.
        5              | Noise is no part of the variance: it holds for the fits alone, and f is the same for all.
        4              | That is one squared distance, or bias². The variance is the mean of all four around 3.
        """),
    error=number("The expected error", "3 + (5 - 3) ** 2 + 2", to=6e-3, say=say_parts, slips="""
        6   | A new target has noise of its own: add its variance.
        5   | Noise, bias² and variance: bias² is missing, or the variance was taken off.
        7   | Noise, bias² and variance: three parts. One is missing, or the bias is not squared.
        11  | The mean of (f - fit)² holds the variance already; it was added twice.
        13  | The mean of (f - fit)², 6, holds bias² already.
        15  | The noise is given as a variance: do not square it.
        3   | Three parts are added, noise 3, bias² and variance; none is taken off, and there is no root.
        """),
    right="Right. Four of the nine are bias: more data sets like these would not help.",
    explanation="The mean fit is 3: bias² = (5 - 3)² = 4, variance (4 + 0 + 0 + 4)/4 = 2, and 3 + 4 + 2 = 9.",
)  # fmt: skip

task("24.b", "Two errors and a verdict",
    start="What does the model take for noise?",
    hints=["s² = 1 + 1 = 2; put it into (24.4).", "2 (1 - 9/30) and 2 (1 + 9/20); the variance is 2 · 9/20."],
    train=number("The training error", "(1 + 1) * (1 - 9 / 30)", to=6e-3, say=say_level, slips="""
        0.7   | What is left out acts as noise, too: s² = 1 + 1.
        2     | That is s². The fit lowers the training error by the share d/n.
        2.9   | That is the test error. The training error comes first.
        2.6   | Minus: training is kinder than s².
        0.6   | That is s² d/n. The training error is the rest.
        1.7   | The factor 1 - d/n belongs to all of s²: what is left out is fitted in part as well.
        2 * (1 - 10 / 30) | On the training samples n - d dimensions are left free, 21: no intercept, and no further 1.
        """),
    test=number("The test error", "(1 + 1) * (1 + 9 / (30 - 9 - 1))", to=6e-3, say=say_level, slips="""
        1.45             | What is left out acts as noise, too: s² = 1 + 1.
        2 * (1 + 9 / 30) | The divisor is n - d - 1, not n: new inputs, too, are random.
        2 * (1 + 9 / 21) | The divisor is n - d - 1.
        0.9              | That is the variance alone. Add s².
        1.1              | Plus: the test error lies above s².
        3                | s² n/(n - d - 1) counts one too many: s² (1 + d/(n - d - 1)) is s² (n - 1)/(n - d - 1).
        2                | That is s², the level for endless data. The weights scatter: add their part.
        1.4              | That is the training error, which comes first.
        2 * (1 + 9 / 19) | The divisor is n - d - 1 = 20, with d = 9 and no intercept.
        2 * (1 + 10 / 19) | This least squares has no intercept: d is 9.
        """),
    part=spelt("The larger part", "B", "BV", slips="""
        BV | One letter: which of the two is larger?
        V | Compare s² - σ², the bias², with s² d/(n - d - 1), the variance.
        """),
    right="Right. Nearly even: here both more samples and more inputs would help.",
    explanation="s² = 2: train 2 · 0.7 = 1.4, test 2 · 1.45 = 2.9. Beyond the noise: bias² 1, variance 0.9.",
)  # fmt: skip

task("24.c", "The price of five neighbours",
    start="How much of its own target does each fitted value hold?",
    hints=["h = 1/K for every point, and df is their sum.", "3.2 + 2 · 1.5 · 8/40."],
    df=number("The degrees of freedom", "40 / 5", to=6e-3, slips="""
        5    | That is K. Large K is stiff: df = n/K.
        0.2  | That is one leverage. Sum over the 40 points.
        200  | Divide n by K; you multiplied.
        40   | That would be K = 1: each fit its own target. Here it is one of five in a mean.
        35   | Not n - K: each of the n points has leverage 1/K. Sum them.
        32   | That is n - df, what the fit leaves free. Asked is df itself, n/K.
        9    | The neighbours' mean has no further intercept.
        10   | A point is one of its own five neighbours: its share is 1/5, not 1/4.
        7.8  | All 40 points count, no 1 is taken off.
        """),
    error=number("The expected error", "3.2 + 2 * 1.5 * 8 / 40", to=6e-3, say=say_optimism, slips="""
        3.5  | The optimism has a factor 2.
        3.6  | The optimism has the noise variance in it: 2σ² df/n.
        4.7  | The training error holds noise already. Add the optimism 2σ² df/n, not σ².
        0.6  | That is the optimism. Add it to the training error.
        2.6  | Add the optimism: new targets cost more.
        27.2 | Divide the optimism by n.
        4.1  | The noise variance is 1.5 already; do not square it.
        3.2 + 2 * 1.5**0.5 * 8 / 40 | σ² is 1.5 already: do not take its root.
        4    | You divided by 1 - df/n. The noise variance is known here: add 2σ² df/n.
        5    | That is generalised cross-validation, which guesses the noise. It is given: add 2σ² df/n.
        4.48 | That takes the training error for σ². The noise variance is given: 1.5.
        18.2 | n/df is upside down: more freedom, more optimism.
        19.2 | That is train + 2 df. The optimism is 2σ² df/n.
        """),
    right="Right. With K = 1 the training error is 0 and all of the price is optimism: 2σ².",
    explanation="df = 40/5 = 8; 2 · 1.5 · 8/40 = 0.6; 3.2 + 0.6 = 3.8.",
)  # fmt: skip


def loo(H, t):
    residual = t - H @ t
    h = np.diag(H)
    errors = residual / (1 - h)
    return np.mean(errors**2)


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
        np.mean(errors**2) => np.sum(errors**2) | That is PRESS, the sum. Take the mean.
        np.mean(errors**2) => np.mean(residual**2 / (1 - h)) | Square after dividing: 1 - h is squared, too.
        np.mean(errors**2) => np.mean(errors) | The square is missing.
        np.mean(errors**2) => np.mean(residual**2) | That is the training error. Divide by 1 - h.
        (1 - h) => h | Divide by 1 - h, what the sample does not hold of itself.
        (1 - h) => (1 - h - 1 / len(t)) | The intercept's 1/n is in H already; you took it off once more.
        residual / (1 - h) => residual + h * t | You left the sample's own term out. The weights of the others must then
            sum to 1 again: divide by 1 - h.
        (1 - h) => (1 + h) | Divide by 1 - h: without the sample its error grows.
        h = np.diag(H) => h = np.mean(np.diag(H)) | With the mean leverage for all that is generalised cross-validation.
        h = np.diag(H) => h = np.diag(H) - 1 / len(t) | The intercept's leverage 1/n counts: H has it already.
        h = np.diag(H) => h = H.sum(axis=1) | The leverage is the diagonal entry, not the sum of a row.
        residual / (1 - h) => t - (H @ t - h * t) / (H.sum(axis=1) - h) | You made the weights of the others sum to 1.
            That is 1 - h only where a row of H sums to 1; divide the residual by 1 - h.
        residual / (1 - h) => t / (1 - h) - H @ t | A bracket: the whole residual is divided by 1 - h.
        residual / (1 - h) => t - H @ t / (1 - h) | A bracket: the whole residual is divided by 1 - h.
        np.mean(errors**2) => np.var(errors) | The mean of the squares, without taking a mean off.
        h = np.diag(H) => h = (H**2).sum(axis=1) | The leverage is the diagonal entry. The sum of squares of a row is
            equal to it only without a penalty.
        t - H @ t => t - np.diag(H) * t | A fitted value mixes all targets: H @ t, not the diagonal alone.
        t - H @ t => H @ t | Those are the fits. The residual is target minus fit.
        t - H @ t => t - H.T @ t | The fits are H @ t: row i of H makes fit i.
        residual / (1 - h) => residual * (1 - h) | Divide by 1 - h: without the sample its error grows.
        residual / (1 - h) => residual / (1 - h) ** 2 | One factor 1 - h for each residual; the square comes after.
        np.mean(errors**2) => np.mean(residual) ** 2 / np.mean(1 - h) ** 2 | Square each error, then average: residuals
            of both signs cancel.
        np.mean(errors**2) => np.mean(errors) ** 2 | Square each error, then average: errors of both signs cancel.
        np.mean(errors**2) => np.sum(errors**2) / (len(t) - np.trace(H)) | Divide by n: the lost degrees of freedom are
            paid by 1 - h already.
        np.mean(errors**2) => np.sum(errors**2) / (len(t) - 1) | Divide by n: all n samples are left out once.
        np.mean(errors**2) => errors | Those are the n errors. Square them and take the mean.
        np.mean(errors**2) => errors**2 | Those are the n squared errors. Take their mean.
        np.mean(errors**2) => np.sqrt(np.mean(errors**2)) | Asked is the mean square, not its root.
        np.mean(errors**2) => np.mean(np.abs(errors)) | Square the errors; you took their sizes.
        """,
    right="Right. On twenty patients that saves nineteen ridge fits, and it is exact.",
    explanation="(24.9). For the mean of four targets h = 1/4: each error grows by 4/3.",
)  # fmt: skip

task("24.e", "Is the column worth it?",
    start="By how much does the misfit fall, and what does one more number cost?",
    hints=[
        "Cp: σ² comes from the largest model, 26.4/(30 - 8). -2ℓ changes by n ln(37/40).",
        "(-3 + 2 · 1.2)/30; 30 ln 0.925 = -2.339, then add 2, or ln 30.",
    ],
    cp_change=number("The change of Cp", "(37 - 40 + 2 * 26.4 / (30 - 8)) / 30", to=6e-4, say=say_price, slips="""
        -0.1                       | That is the change of the training error. The new number has its price.
        0.08                       | That is the price alone. RSS has fallen, too.
        0.02                       | Negative means better: new minus old.
        -0.6                       | Divide by n, too: Cp is an error per sample.
        -0.5                       | That is the textbook form, in units of the noise. (24.8) is an error per sample.
        (-3 + 1.2) / 30            | The price of a number is 2σ², not σ².
        (-3 - 2.4) / 30            | The price is added.
        (-3 + 2 * 0.88) / 30       | σ² is RSS of the largest model over n minus its 8 fitted numbers, not over n.
        (-3 + 2 * 26.4 / 21) / 30  | The 8 fitted numbers hold the intercept: divide by 30 - 8.
        (-3 + 2 * 1.2**0.5) / 30   | The price has σ², not σ.
        (-3 + 1.2 * log(30)) / 30  | That is the price of BIC. Cp charges 2σ².
        (-3 + 2) / 30              | The price is 2σ²; the noise variance is not 1.
        CHANGE + 2                 | That is the change of AIC. Cp comes first.
        """),
    aic_change=number("The change of AIC", "30 * log(37 / 40) + 2", to=6e-3, say=say_aic, slips="""
        CHANGE              | That is the change of the misfit. The new number has its price.
        -(CHANGE + 2)       | Negative means better: new minus old.
        CHANGE / 2 + 2      | -2ℓ changes by n ln(RSS ratio), not by half of it.
        CHANGE / 2 + 1      | That is half of AIC: the misfit is -2ℓ, and the price 2.
        2 * CHANGE + 2      | n ln(RSS/n) is -2ℓ already: do not double it.
        -CHANGE + 2         | The misfit falls: ln(37/40), new over old.
        -3 + 2              | The misfit is n ln(RSS/n), not RSS.
        CHANGE + 1          | AIC charges 2 for a number.
        CHANGE - 2          | The price is added.
        CHANGE + 4          | One number is new: AIC rises by 2, not by 4.
        CHANGE + log(30)    | That is the change of BIC, which comes last.
        30 * np.log10(0.925) + 2 | Use the natural logarithm.
        30 * np.log2(0.925) + 2  | Use the natural logarithm.
        """),
    bic_change=number("The change of BIC", "30 * log(37 / 40) + log(30)", to=6e-3, say=say_bic, slips="""
        CHANGE + 2 * log(30)   | One more number costs ln n, not 2 ln n.
        CHANGE + log(30) / 2   | -2ℓ goes with ln n; half of it goes with -ℓ.
        CHANGE / 2 + log(30)   | -2ℓ changes by n ln(RSS ratio), not by half of it.
        2 * CHANGE + log(30)   | n ln(RSS/n) is -2ℓ already: do not double it.
        -CHANGE + log(30)      | The misfit falls: ln(37/40), new over old.
        -(CHANGE + log(30))    | Negative means better: new minus old.
        CHANGE - log(30)       | The price is added.
        CHANGE + 2             | That is the change of AIC.
        CHANGE + 2 + log(30)   | The price ln n stands in the place of 2, not beside it.
        CHANGE + np.log10(30)  | Use the natural logarithm.
        CHANGE                 | That is the change of the misfit. The new number has its price.
        CHANGE + 30            | The price is ln n, not n.
        -3 + log(30)           | The misfit is n ln(RSS/n), not RSS.
        """),
    right="Right. Cp and AIC take the column, narrowly; BIC does not.",
    explanation="Cp: (-3 + 2 · 26.4/22)/30 = -0.02. 30 ln 0.925 = -2.339; AIC: + 2 = -0.339; BIC: + 3.401 = 1.062.",
)  # fmt: skip

task("24.f", "Counting fits",
    start="How many columns are left to try at each step?",
    hints=["12, then 11, then 10.", "C(12, 3) = 12 · 11 · 10 / 6."],
    forward=number("Fits of forward selection", "12 + 11 + 10", to=0.1,
        say=lambda v: f"The first step has 12 of your {v:g} tries. How many have the others?", slips="""
        78   | That is to the end, 12 + 11 + ... + 1. Three columns are enough.
        34   | The model without columns is no try: count 12, 11 and 10.
        30   | The first step tries all twelve.
        72   | That is backward elimination from twelve down to three.
        36   | One column less is left at each step.
        1320 | Add the steps; the choice of one step is kept.
        3    | Each step tries all columns that are left.
        23   | Three columns take three steps: 12, 11 and 10 tries.
        55   | That is the text's example of ten columns. Here there are twelve, and three steps.
        220  | That is the search over all triples. Forward selection keeps each choice.
        """),
    every=number("Fits of the search", "math.comb(12, 3)", to=0.1,
        say=lambda v: f"A triple has 6 orders: yours would be {6 * v:g} ordered ones. How many are there?", slips="""
        1320 | The order of the three does not matter: divide by 3! = 6.
        4096 | That is the number of all subsets, 2¹². Asked are the triples.
        1728 | No column twice, and the order does not matter.
        298  | Only the triples are asked for, not the smaller subsets.
        299  | Only the triples are asked for, not the smaller subsets.
        4095 | Those are all subsets but the empty one. Asked are the triples.
        66   | Those are the pairs. Asked are the triples.
        36   | Three of twelve can be chosen in more ways: 12 · 11 · 10, by the 6 orders.
        364  | No column may come twice in a triple.
        120  | That is the text's example of ten columns. Here there are twelve.
        33   | That is forward selection. The search tries all triples.
        """),
    right="Right. Forward selection looks at 33 models, and may miss the best of 220.",
    explanation="12 + 11 + 10 = 33; 12 · 11 · 10 / 6 = 220.",
)  # fmt: skip

task("24.g", "The better of two coins",
    start="With which probability has the better one at most 0 right, at most 1 right?",
    hints=["F(0) = 1/4, F(1) = 3/4, and M = 2.", "½ [(1 - 1/16) + (1 - 9/16)]."],
    best=number("The expected share", "((1 - (1 / 4) ** 2) + (1 - (3 / 4) ** 2)) / 2", to=6e-3,
        say=lambda v: f"That is {2 * v:.4g} right of 2. What is the chance of more than 0, of more than 1?", slips="""
        0.5    | That is one of them. Asked is the better one.
        1.375  | That is the expected number right. Divide by n = 2.
        0.75   | Independent, but not always different: they may tie.
        1      | F(j) is squared before it is subtracted from 1.
        0.9375 | That is the chance that the better one has at least one right, the first term alone.
        0.4375 | That is the chance that the better one has both right, the last term alone.
        0.3125 | That is the worse one: 1 minus the answer.
        15 / 32  | Half of the first term alone. The sum has j = 0 and j = 1.
        7 / 32   | Half of the last term alone. The sum has j = 0 and j = 1.
        0.625    | That is F(0)² + F(1)². Each is subtracted from 1, and the sum divided by n.
        27 / 32  | F(1) is the chance of at most 1 right, 3/4: you took the chance of exactly 1.
        11 / 32  | Divide by n = 2 once only.
        9 / 16   | That is the chance that the better one has at most 1 right.
        (1 - 1/64 + 1 - 27/64) / 2 | The power is M, the number of models: 2.
        (1 - 1/4 + 1 - 9/16) / 2 | Both are squared, F(0) and F(1).
        """),
    right="Right. Nobody knows anything, and the winner gets 69 % right.",
    explanation="F = 1/4, 3/4; (1 - 1/16 + 1 - 9/16)/2 = 22/32 = 0.6875.",
)  # fmt: skip

task("24.h", "Fits, and what to report",
    start="What happens for one outer fold?",
    hints=["Four inner folds for each of ten candidates, and one fit of the chosen one.", "5 (4 · 10 + 1)."],
    fits=number("The number of fits", "5 * (4 * 10 + 1)", to=0.1,
        say=lambda v: f"That is {v / 5:g} fits in each of the five outer folds. How many has one?", slips="""
        200 | The chosen candidate is fitted once more in each outer fold.
        50  | That is one flat cross-validation with five folds.
        41  | That is one outer fold.
        201 | The chosen candidate is fitted in each of the five outer folds, not once.
        204 | Outer and inner folds are exchanged: 5 outer, 4 inner, and one more fit for each of the 5.
        164 | There are five outer folds, not four.
        246 | The choice on all samples, for use, is no part of the estimate: 41 fits less.
        206 | A last fit on all samples, for use, is no part of the estimate.
        250 | In each outer fold the chosen candidate is fitted once, not all ten.
        220 | Only the chosen candidate is fitted once more, after all inner folds, not in each of them.
        210 | The further fit is one for each outer fold, not for each candidate.
        45  | Each outer fold has an inner cross-validation of its own: 40 fits and one more, five times.
        40  | That is the inner cross-validation of one outer fold.
        255 | Five outer folds, four inner: 4 · 10 fits and one of the chosen candidate, for each outer fold.
        225 | The chosen candidate is fitted once more on all inner samples together, not in each inner fold.
        55  | The inner folds are missing: each of ten candidates is fitted four times in an outer fold.
        """),
    report=spelt("The number to report", "N", "FNL", slips="""
        F | That is a winner's score: it was chosen because it was small.
        FN | One number is reported. Which of them was not chosen for being small?
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
        ABD | Name two. Training longer lowers the training error, which is low already.
        BCD | Name two. A larger network has more variance, not less.
        ABC | Name two. Training longer and a larger network lower a training error that is low already.
        ACD | Name two. Training longer and a larger network lower a training error that is low already.
        ABCD | Name two. Two of the four lower the training error, which is low already.
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
        np.mean((mean - f) ** 2) => np.mean((fits - f) ** 2) | That holds the variance already: average the fits first,
            then square.
        np.mean((mean - f) ** 2) => np.mean(mean - f) ** 2 | Square at each place, then average over the places.
        np.mean((mean - f) ** 2) => np.mean(mean - f) | That is the mean bias, with its sign. Square at each place.
        np.mean((mean - f) ** 2) => np.mean(np.abs(mean - f)) | That is the bias. Square it.
        np.mean((fits - mean) ** 2) => np.mean(np.var(fits, axis=0, ddof=1)) | Divide by R, not by R - 1.
        np.mean((fits - mean) ** 2) => np.mean(np.std(fits, axis=0)) | That is a standard deviation. Square it.
        np.mean((fits - mean) ** 2) => np.var(fits) | Scatter around the mean fit at each place, not around one mean of
            all.
        sigma2 + bias2 + variance => bias2 + variance | A new target has noise: add sigma2.
        sigma2 + bias2 => sigma2**2 + bias2 | sigma2 is a variance already.
        np.mean(fits, axis=0) => np.mean(fits, axis=1, keepdims=True) | Average over the data sets (rows), not over the
            places.
        return bias2, variance, sigma2 => return variance, bias2, sigma2 | The order is bias², variance, error.
        np.mean((mean - f) ** 2) => np.sum((mean - f) ** 2) ;; np.mean((fits - mean) ** 2) => np.var(fits, axis=0).sum()
            | Average over the places; you took sums.
        np.mean((fits - mean) ** 2) => np.mean((fits - f) ** 2) | Those are distances from f. The variance is around the
            mean fit.
        np.mean((fits - mean) ** 2) => np.mean(np.sum((fits - mean) ** 2, axis=0)) | Divide the squares by R, the number
            of data sets.
        np.mean((fits - mean) ** 2) => np.mean(np.abs(fits - mean)) | Square the distances from the mean fit.
        np.mean((mean - f) ** 2) => np.sum((mean - f) ** 2) / len(fits) | bias² is averaged over the m places, not over
            the R data sets.
        np.mean((mean - f) ** 2) => np.mean((mean - f) ** 2) + sigma2 ;; sigma2 + bias2 => bias2 | The noise is a part
            of its own, no part of bias².
        np.mean((fits - mean) ** 2) => np.mean((fits - mean) ** 2) + sigma2 ;; sigma2 + bias2 => bias2 | The noise is a
            part of its own, no part of the variance.
        np.mean((mean - f) ** 2) => (mean - f) ** 2 ;; np.mean((fits - mean) ** 2) => np.var(fits, axis=0) | Those are
            the parts at each place. Average them over the places.
        sigma2 + bias2 => np.sqrt(sigma2) + bias2 | sigma2 is the variance of the noise: add it as it is.
        return bias2, variance, sigma2 + bias2 + variance => return bias2, variance | Return three numbers: the expected
            error is missing.
        return bias2, variance, sigma2 + bias2 + variance => return bias2, variance, np.sqrt(sigma2 + bias2 + variance)
            | Asked is the expected squared error, not its root.
        return bias2, variance, sigma2 + bias2 + variance => return bias2, variance, sigma2 | The third number is the
            whole error: noise, bias² and variance together.
        np.mean(fits, axis=0) => np.median(fits, axis=0) | The mean fit is a mean, not a median: (24.1) holds around it
            alone.
        np.mean(fits, axis=0) => fits[-1] | The mean of all rows is meant, not one of them.
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
    X = np.array([[0.0, 1, 2], [1, 0, 3], [2, 3, 1], [3, 2, 5], [9, 4, 4], [1, 5, 0]])  # one row of high leverage
    return [*cases, (X, np.array([5.0, 1, 8, 0, 2, 2]), 2)]


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
        return chosen => return chosen[::-1] | Give the columns in the order of choice, the first one first.
        return chosen => return X[:, chosen] | Those are the columns themselves. Return their numbers.
        return chosen => return sums | Those are sums of squares. Return the numbers of the columns.
        np.sum((t - A @ w) ** 2) => -np.corrcoef(X[:, j], t)[0, 1] | A correlation of -1 is perfect, too, and columns
            work together: compare residual sums of squares.
        np.sum((t - A @ w) ** 2) => abs(np.corrcoef(X[:, j], t)[0, 1]) | That prefers the column with the least
            correlation.
        np.sum((t - A @ w) ** 2) => -abs(w[-1]) | The size of a weight hangs on the unit of its column. Compare the
            residual sums of squares.
        X[:, chosen + [j]] => X ;; np.sum((t - A @ w) ** 2) => -abs(w[j + 1]) | Those are the weights of one fit with
            all columns, which hang on units. Start with none, and fit for each column that is tried.
        X[:, chosen + [j]] => X ;; np.sum((t - A @ w) ** 2) => -abs(w[j + 1]) * X[:, j].std() | Those are the weights of
            one fit with all columns. Start with none, and fit for each column that is tried.
        np.sum((t - A @ w) ** 2) => np.sum(np.abs(t - A @ w)) | Square the residuals; you summed their sizes.
        np.sum((t - A @ w) ** 2) => np.sum(((t - A @ w) / (1 - np.diag(A @ np.linalg.pinv(A)))) ** 2) | That is the
            leave-one-out error. Asked is the residual sum of squares.
        chosen + [j] => chosen ;; np.sum((t - A @ w) ** 2) => -abs(np.corrcoef(X[:, j], t - A @ w)[0, 1]) | You ask
            which column goes best with the residuals. One that overlaps with the chosen ones shows less there than it
            gains in a new fit.
        len(chosen) < k => len(chosen) < k - 1 | One column is missing: stop when k are chosen.
        chosen.append(left[int(np.argmin(sums))]) => chosen.append(int(np.argmin(sums))) | The index counts among the
            columns that are left: look the column up there.
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
    errors = outer[np.arange(len(outer)), chosen]
    return np.mean(errors)


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
        np.mean(errors) => inner.mean(axis=0).min() | That is a flat estimate: the least of the inner errors, a winner's
            score. Judge on the outer folds.
        np.argmin(inner, axis=1) => np.argmin(outer, axis=1) | You chose with the outer errors: that is the leak which
            nesting prevents.
        np.argmin(inner, axis=1) => np.argmin(inner.mean(axis=0)) + np.zeros(len(inner), int) | Choose in each outer
            fold anew: the mean over all of them has seen every fold.
        np.argmin(inner, axis=1) => np.argmax(inner, axis=1) | Those are errors: the least is best.
        np.mean(errors) => np.mean(inner[np.arange(len(outer)), chosen]) | Those are inner errors, of winners. Judge on
            the outer folds.
        np.mean(errors) => np.min(errors) | The least of the outer errors is a winner's score. Average them.
        np.mean(errors) => outer.mean(axis=0).min() | The least mean over candidates is flat selection on the outer
            folds.
        np.mean(errors) => np.sum(errors) | Take the mean over the outer folds; you took the sum.
        outer[np.arange(len(outer)), chosen] => outer[:, chosen] | Pair each outer fold with its own choice: row i,
            column chosen[i].
        np.mean(errors) => np.mean(outer) | That is the mean of all candidates. Only the one chosen without fold i
            counts in row i.
        np.mean(errors) => np.min(outer) | The least of all outer errors is a winner's score. Choose by the inner
            errors, and average.
        np.mean(errors) => np.std(errors) | That is the spread of the outer errors. Take their mean.
        np.mean(errors) => np.mean(errors + inner.min(axis=1)) / 2 | Do not mix the two: inner errors choose, outer ones
            judge.
        np.mean(errors) => np.max(errors) | That is the worst fold. Take the mean over the outer folds.
        np.mean(errors) => np.median(errors) | Take the mean over the outer folds, not the median.
        np.mean(errors) => outer[np.unravel_index(inner.argmin(), inner.shape)] | That is one cell, where the inner
            error is least of all. Every outer fold has its own choice; average over them.
        np.mean(errors) => ((inner + outer) / 2).min(axis=1).mean() | Do not mix the two: inner errors choose, outer
            ones judge.
        np.mean(errors) => np.sqrt(np.mean(errors ** 2)) | The entries are errors already: take their plain mean.
        np.mean(errors) => np.mean(errors) - inner.min(axis=1).mean() | That is by how much the inner errors were too
            kind. Asked is the outer error itself.
        np.mean(errors) => np.sum(errors) / outer.shape[1] | Divide by the number of outer folds (rows), not of
            candidates.
        np.mean(errors) => chosen | Those are the chosen candidates. Look up their outer errors, and average.
        np.mean(errors) => errors | Those are the outer errors, one for each fold. Average them.
        np.argmin(inner, axis=1) => np.full(len(inner), np.bincount(np.argmin(inner, axis=1)).argmax()) | You gave all
            folds the candidate that is chosen most often. That one has seen every fold.
        """,
        (_across, "A row is an outer fold: choose along it, among the candidates (axis=1)."),
    ],
    right="Right. The choice may differ from fold to fold; the procedure is what is judged.",
    explanation="Row by row: the least inner error chooses, the outer error judges.",
)  # fmt: skip

__all__ = ["decompose", "forward", "loo", "math", "nested_error"]

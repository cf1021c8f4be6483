"""Tasks and exercises of chapter 08: odds, one sample, a bias, Newton steps, intervals, penalties, softmax, a law."""

import numpy as np
from numpy import exp, log, log10

from mlteach.exercises.base import Wrong, call, expect_function, numbers
from mlteach.exercises.probe import Probed
from mlteach.exercises.slips import wrong_functions
from mlteach.exercises.tasks import number, task


def sigma(a):
    return 1 / (1 + exp(-np.asarray(a, dtype=float)))


task("8.a", "An odds ratio at work",
    start="Which odds belong to a risk of 0.2?",
    hints=[
        "The odds are 0.2 / 0.8 = 1/4. The treatment multiplies them by 3.",
        "Odds o belong to the probability o / (1 + o).",
        "(3/4) / (1 + 3/4).",
    ],
    answer=number("The risk", "1 - 1 / (1 + 3 * 0.2 / (1 - 0.2))", to=0.0006, slips="""
        0.6                 | You multiplied the probability by 3. The odds ratio multiplies the odds, p / (1 - p).
        0.75                | This is the new odds. The risk is odds / (1 + odds).
        0.375               | You took the risk 0.2 for odds and multiplied it by 3; the odds are 0.2 / 0.8.
        sigma(0.2 + log(3)) | You took 0.2 for the log-odds; it is the risk. The odds are 0.2 / 0.8.
        0.25                | These are the odds without the treatment; it multiplies them by 3.
        1 / 65              | You multiplied the log-odds by 3; the odds are multiplied by 3.
        log(0.75)           | These are the new log-odds; the risk is σ of them.
        1 / 13              | You divided the odds by 3; the treatment multiplies them.
        3                   | This is the odds ratio itself; the risk with the treatment is wanted.
        sigma(log(0.25) + 3) | You added 3 to the log-odds; the odds are multiplied by 3, so add ln 3.
        0.2 / 3 | You divided the risk by 3. The treatment multiplies the odds.
        12 / 13 | The odds are upside down: p / (1 - p).
        0.2 | This is the risk without the treatment.
        3 / 7 - 0.2 | This is by how much the risk grows. The risk itself is wanted.
        1.5 | These are the odds of three times the risk. Multiply the odds by 3, and turn them into a risk.
        0.2 * log(3) | ln 3 is added to the log-odds; it multiplies nothing.
        sigma(3) | σ takes the log-odds, ln(1/4) + ln 3, not the odds ratio.
        3 / 7 / 0.2 | That is by what the risk is multiplied. The risk itself is wanted.
        """),
    right="Right: the odds are three times as large, the risk is not.",
    explanation="Odds 1/4 become 3/4, and p = (3/4) / (7/4) = 3/7 = 0.429: a bit more than twice the risk.",
)  # fmt: skip


def sample(a, t):
    """Return p, the loss and its derivatives by b, w1 and w2 for the score a and the target t."""
    p = sigma(a)
    return p, -log(p if t else 1 - p), p - t, (p - t) * 2, (p - t) * 0.5


P, LOSS = sample(1.5, 0)[:2]
SLOPES = P * np.array([1, 2, 0.5])

task("8.b", "One sample by hand",
    start="What is the score of this sample?",
    hints=[
        "a = 1 * 2 - 2 * 0.5 + 0.5 = 1.5. Then p = 1 / (1 + exp(-a)).",
        "For t = 0 the loss is -ln(1 - p). Its derivatives are (p - t) times 1, x1 and x2.",
        "p = 1 / (1 + exp(-1.5)); loss = ln(1 + exp(1.5)); derivatives p, 2 p and 0.5 p.",
    ],
    answer=number("The answer", "sample(1 * 2 - 2 * 0.5 + 0.5, 0)", to=0.002,
        names="p, the loss, the derivative by b, the derivative by w1, the derivative by w2", slips="""
        sample(1.5, 1)  | This is the loss for t = 1; the target here is 0.
        sample(1.0, 0)  | The score is 1.0 in your answer: the bias 0.5 is missing.
        sample(3.5, 0)  | The score is 3.5 in your answer: w2 is -2, so w2 x2 is -1.
        sample(0.5, 0)  | The score is 0.5 in your answer: the bias is added.
        sample(-0.5, 0) | The score is -0.5 in your answer: multiply each weight by its input.
        sample(-3.0, 0) | The score is -3 in your answer: x1 = 2 belongs to w1, x2 = 0.5 to w2.
        (P, P**2, ..., ..., ...)           | This is the squared error; the logistic loss is wanted.
        (P, P**2 / 2, ..., ..., ...)       | This is the squared error; the logistic loss is wanted.
        (P, -LOSS, ..., ..., ...)          | The loss is minus the logarithm of a probability, so it is positive.
        (P, LOSS / log(2), ..., ..., ...)  | You took the logarithm with base 2; the natural one is wanted.
        (P, LOSS / log(10), ..., ..., ...) | You took the logarithm with base 10; the natural one is wanted.
        (P, -log(P), ..., ..., ...)        | The loss is that of t = 1; for t = 0 it is -ln(1 - p).
        (..., ..., *-SLOPES)               | The derivatives have the wrong sign: prediction minus target, times input.
        (..., ..., *(SLOPES * P * (1 - P))) | Your derivatives have a factor p (1 - p) that belongs to the squared
            error; here it cancels.
        (..., ..., *(2 * SLOPES * P * (1 - P))) | These are derivatives of the squared error (8.4); those of the
            logistic loss are wanted.
        (..., ..., *(SLOPES * (1 - P)))    | Your derivatives have a factor 1 - p too many: they are (p - t) times 1,
            x1, x2.
        (..., ..., P, P, P)                | The derivatives by w1 and w2 also have the factors x1 and x2.
        (..., ..., P, P, -2 * P)           | You multiplied by the weights; the derivative by w1 is (p - t) times x1.
        (..., ..., *SLOPES[[1, 2, 0]])     | The derivatives are right, but in another order: b first, then w1 and w2.
        (1 - P, ..., ..., ..., ...)        | Your p is the chance of t = 0; p is that of t = 1.
        (1.5, ..., ..., ..., ...)          | 1.5 is the score a; p is σ(a).
        (P, ..., *((P - 1) * SLOPES / P))  | Your derivatives are those for t = 1; the target here is 0.
        (P, ..., *((1 - P) * SLOPES / P))  | You took t - p with t = 1. The residual is p - t, and the target here is 0.
        """),
    right="Right: the gradient is (p - t) times (1, x).",
    explanation="By (8.8) the loss is ln(1 + e^1.5) for t = 0; by (8.9) its gradient is (p - 0)(1, 2, 0.5).",
)  # fmt: skip

task("8.c", "A bias alone",
    start="What does the first row of the gradient say at the minimum?",
    hints=[
        "The chances add up to the number of ones: 40 σ(b) = 30.",
        "So σ(b) = 3/4, and b is the logit of 3/4.",
        "ln(0.75 / 0.25).",
    ],
    answer=number("The bias", "log(30 / 40 / (1 - 30 / 40))", to=0.0011, slips="""
        0.75        | This is p; the bias is its logit, ln(p / (1 - p)).
        3           | These are the odds; the bias is their logarithm.
        log(0.75)   | This is ln p; the bias is ln(p / (1 - p)).
        log10(3)    | You took the logarithm with base 10; the natural one is wanted.
        np.log2(3)     | You took the logarithm with base 2; the natural one is wanted.
        -log(3)     | The wrong sign: ones are more frequent, so b is positive.
        sigma(0.75) | You applied σ to 3/4; b is the score whose σ is 3/4.
        log(4 / 3)  | This is -ln p; the bias is ln(p / (1 - p)).
        0           | With b = 0 the model expects 20 ones; there are 30.
        log(30) | This is the logarithm of a count; the bias is that of the odds, ln(p / (1 - p)).
        log(4) | You divided all 40 by the 10 zeros. The odds divide the ones by the zeros.
        log(0.25) | This is ln(1 - p); the bias is ln(p / (1 - p)).
        1 | This is Newton's first step from 0. It is not yet at the minimum.
        20 | This is a difference of counts. The bias is the logarithm of their quotient.
        1 / 3 | The odds are upside down, ones to zeros; and the bias is their logarithm.
        0.25 | This is the share of zeros, or how far the share lies from a half; the bias is ln(p / (1 - p)).
        """),
    right="Right: without a feature the model predicts the share of ones.",
    explanation="By (8.9) the sum of p equals the sum of t: 40 p = 30. The log-odds of 3/4 are ln 3 = 1.0986.",
)  # fmt: skip

PHI, T = np.column_stack([np.ones(6), np.arange(6.0)]), np.array([0, 0, 1, 0, 1, 1.0])
G, H = PHI.T @ (0.5 - T), PHI.T @ PHI / 4


def half_right(pair):
    b, w = pair
    if abs(b + 2) <= 0.002:
        return "b is right; w is not. The second row of H d = (0, 3.5) gives it."
    if abs(w - 0.8) <= 0.002:
        return "w is right; b is not. Newton's step also moves b, although the slope there is zero."
    r1, r2 = H @ pair
    return f"The step is not ({b:.4g}, {w:.4g}): H times it is ({r1:.4g}, {r2:.4g}), not minus the gradient."


task("8.d", "The first step of Newton",
    start="With all p = 1/2, what are the gradient (8.9) and the Hessian (8.10)?",
    hints=[
        "The gradient is (0, -3.5). Each weight is 1/4, so H = [[6, 15], [15, 55]] / 4.",
        "Solve H d = (0, 3.5) for the step d; the determinant of H is 6.5625.",
        "d = (-3.75 * 3.5, 1.5 * 3.5) / 6.5625.",
    ],
    answer=number("The pair (b, w)", (-2.0, 0.8), to=0.002, names="b, w", say=half_right, slips="""
        (2, -0.8)                       | You went uphill: subtract H⁻¹ times the gradient.
        (0.8, -2)                       | The bias comes first.
        -np.linalg.solve(4 * H, G)      | The weights p (1 - p) = 1/4 are missing in the Hessian.
        np.linalg.solve(4 * H, PHI.T @ T) | This is least squares with the targets t; Newton's targets are
            z = a + (t - p) / (p (1 - p)).
        (-1, 0.4)                       | p (1 - p) is 1/4, not 1/2.
        (-1 / 3, 2 / 15)                | You divided the gradient by N but not the Hessian: sums or means, both alike.
        (-0.125, 0.05)                  | In the targets z divide t - p by p (1 - p) = 1/4; you multiplied.
        -G                              | This is a step of gradient descent with rate 1; Newton's also solves with H.
        G                               | This is the gradient; the new weights are wanted, zero minus H⁻¹ times it.
        -H @ G                          | You multiplied by the Hessian; solve with it instead.
        -G / np.diag(H)                 | You divided by the diagonal of H; the whole matrix counts, so b moves too.
        (-15 / 7, 20 / 21)              | This is the first step on the eight points; here there are six others.
        (-2.14, 0.95)                   | This is the first step on the eight points; here there are six others.
        (-8, 3.2)                       | The weights p (1 - p) = 1/4 belong in the Hessian once; you have them twice.
        (-3.035, 1.214)                 | This is the minimum after many steps; the first step is wanted.
        """),
    right="Right. Five more such steps and it stands at (-3.035, 1.214).",
    explanation="H = [[1.5, 3.75], [3.75, 13.75]] and the gradient (0, -3.5) give the step (-2, 0.8) from zero.",
)  # fmt: skip

ENDS = np.array([-1, 1])

task("8.e", "The interval of an odds ratio",
    start="For which number is the interval symmetric?",
    hints=[
        "3 w = 1.2, with standard error 0.3.",
        "The interval for 3 w is 1.2 - 1.96 * 0.3 to 1.2 + 1.96 * 0.3; then take exponentials.",
        "np.exp(1.2 - 0.588), np.exp(1.2 + 0.588).",
    ],
    answer=number("The interval", "tuple(exp(3 * 0.4 + ENDS * 1.96 * 3 * 0.1))", to=0.012,
        names="the lower end, the upper end", slips="""
        (0.612, 1.788)          | This is the interval for 3 w; take exponentials for the odds ratio.
        exp([0.204, 0.596])     | This is the interval for one year; three years multiply w and its error by 3.
        (0.204, 0.596)          | This is the interval for w: multiply it by 3, then take exponentials.
        3 * exp([0.204, 0.596]) | Odds ratios of three years multiply: cube that of one year, or take exp(3 w).
        exp(1.2 + ENDS * 0.196) | The error of 3 w is three times that of w.
        exp(1.2 + ENDS * 0.196 * 3**0.5) | 3 w is three times one estimate, not a sum of three: its error is 3 times as
            large, not √3 times.
        exp([0.9, 1.5])         | One standard error each way gives 68 %; 95 % needs 1.96 of them.
        exp(1.2) + ENDS * 0.588 | Make the interval for 3 w first, and exponentiate its ends.
        exp(1.2) * (1 + ENDS * 0.588) | Make the interval for 3 w first, and exponentiate its ends.
        exp(1.2) + ENDS * exp(0.588) | Exponentiate the ends of the interval, not its half width.
        exp(1.2 + ENDS * 1.645 * 0.3) | 1.645 gives 90 %; 95 % needs 1.96.
        exp([0.6, 1.8])         | You took 2 standard errors; to two decimals 95 % needs 1.96.
        sigma(1.2 + ENDS * 0.588) | These are probabilities. The odds ratio is the exponential, not σ.
        2 ** (1.2 + ENDS * 0.588) | The base is e, not 2.
        exp(-1.2 - ENDS * 0.588) | This is the odds ratio upside down: w is positive, so it exceeds 1.
        exp(1.2 + ENDS * 2.576 * 0.3) | 2.576 gives 99 %; 95 % needs 1.96.
        3 * exp(0.4) + ENDS * 0.588 | Odds ratios multiply, they do not add: make the interval for 3 w, and
            exponentiate.
        """),
    right="Right: longer above than below, because it was made on the scale of w.",
    explanation="exp(1.2 ± 0.588) = 1.84 to 5.98, around exp(1.2) = 3.32: longer above than below.",
)  # fmt: skip

task("8.f", "The price of a weight",
    start="What must vanish at the minimum of E + lam w² / 2?",
    hints=[
        "Both points have the same loss ln(1 + exp(-w)), with derivative -sigma(-w).",
        "So lam w = 2 sigma(-w), and sigma(-ln 3) = 1 / (1 + 3).",
        "lam = 2 * (1/4) / ln 3.",
    ],
    answer=number("The penalty", "2 / (1 + exp(log(3))) / log(3)", to=0.0011, slips="""
        0.25 / log(3)     | You counted one point, or took the mean; in (8.17) E is the sum over both.
        1.5 / log(3)      | You took sigma(w) = 3/4; the residual of the point with t = 1 is p - 1 = -1/4.
        0.5               | Divide by w = ln 3: the derivative of the penalty is lam w.
        1 / log(3)        | The derivative of lam w² / 2 is lam w, without a factor one half or two.
        0.5 / log(3) ** 2 | The derivative of lam w² / 2 is lam w, not lam w².
        0.5 / 3           | w is ln 3, not 3.
        2 * sigma(-3) / 3 | w is ln 3, not 3.
        0.5 * log(3)      | Divide by w = ln 3 instead of multiplying: lam w is 2 sigma(-w).
        log(3)            | This is w; the penalty is wanted.
        0.5 / log10(3)    | ln is the natural logarithm; you took base 10.
        0                 | With lam = 0 the two points are separable, and there is no minimiser.
        2 * 0.1875 / log(3) | You took the slope p (1 - p) of σ. The slope of the loss is p - t.
        0.575364 / 0.603474 | You made loss and penalty equal. At the minimum their slopes cancel.
        0.75 / log(3) | The slope of the loss is p - t, 1/4 for each of the two points.
        """),
    right="Right: lam w balances the pull 2 sigma(-w) of the two points.",
    explanation="lam ln 3 = 2 sigma(-ln 3) = 2 / (1 + 3) = 1/2, so lam = 0.455.",
)  # fmt: skip

task("8.g", "One softmax sample",
    start="Which probabilities belong to these scores?",
    hints=[
        "p = (2, 1, 1) / 4. The loss is minus the logarithm of the chance of the true class, the second.",
        "The derivative by b_k is p_k - t_k with t = (0, 1, 0).",
        "ln 4, and 0.5, 0.25 - 1, 0.25.",
    ],
    answer=number("The answer", "(-log(1 / (2 + 1 + 1)), 2 / 4, 1 / 4 - 1, 1 / 4)", to=0.0015,
        names="the loss, the derivative by b1, the derivative by b2, the derivative by b3", slips="""
        (..., -0.5, 0.75, -0.25)   | The derivatives have the wrong sign: prediction minus target.
        (..., 2 / 3, -0.5, 0.5)    | You took a sigmoid per class; the softmax divides by the sum over the classes.
        (..., 0.5, 0.75, 0.25)     | The derivative by b2, the bias of the true class, is p_2 - 1, and negative.
        (-log(0.5 * 0.25 * 0.75), ..., ..., ...) | You added a yes/no loss for each class; the softmax loss (8.23)
            counts the true class alone.
        (..., 0.5, 0.25, 0.25)     | These are the probabilities; subtract the one-hot target (0, 1, 0).
        (..., 0.25, -3 / 16, 3 / 16) | Your derivatives have a factor p (1 - p) too many: they are p - t.
        (-log(0.5 * 0.25 * 0.25), ..., ..., ...) | You added the losses of all classes; only the observed one counts.
        (log(2), ..., ..., ...)    | This is the loss of class 1; the sample is of class 2.
        (-log(4), ..., ..., ...)   | The loss is minus the logarithm of a probability, so it is positive.
        (2, ..., ..., ...)         | You took the logarithm with base 2; the natural one is wanted.
        (log10(4), ..., ..., ...)  | You took the logarithm with base 10; the natural one is wanted.
        (4, ..., ..., ...)         | This is the sum of the exponentials; the loss is minus the logarithm of p_2.
        (..., log(2), -1, 0)       | You subtracted the target from the scores; take their softmax first.
        (0.25, ..., ..., ...)      | This is the chance of the true class; the loss is minus its logarithm.
        (..., -0.5, 0.25, 0.25)    | The sample is of class 2: the one of its target stands second.
        (..., 0.5, 0.25, -0.75)    | The sample is of class 2: the one of its target stands second.
        (..., 1, -1, 0)            | You used a one-hot prediction; the probabilities are wanted.
        (0, ..., ..., ...) | This is the score of the true class; the loss is minus the logarithm of its chance.
        (log(3), ..., ..., ...) | Is e⁰ counted as 1, twice? The exponentials are 2, 1 and 1.
        (log(4 / 3), ..., ..., ...) | This is -ln(1 - p); the loss is minus the logarithm of p of the true class.
        (..., 0.5, -0.1875, 0.25) | p (1 - p) is the slope of a sigmoid; the derivative by b2 is p - 1.
        (..., 0, -0.75, 0) | The other classes have slopes too: p_k - t_k for each.
        """),
    right="Right: the three derivatives add up to zero, because a shift of all scores changes nothing.",
    explanation="p = (0.5, 0.25, 0.25); the loss is -ln 0.25 = ln 4, and p - t = (0.5, -0.75, 0.25).",
)  # fmt: skip

A = -log(0.2)

task("8.h", "A fifth member",
    start="What is the law as the exponential of one expression?",
    hints=[
        "(1 - q) q^y = exp(y ln q + ln(1 - q)). Read off θ and A, and write A with θ alone.",
        "A = -ln(1 - exp(θ)), so A' = exp(θ) / (1 - exp(θ)) = q / (1 - q). Differentiate once more for the variance.",
        "A'' = exp(θ) / (1 - exp(θ))² = q / (1 - q)². Put in q = 0.8.",
    ],
    answer=number("The answer", "(-log(1 - 0.8), 0.8 / (1 - 0.8), 0.8 / (1 - 0.8) ** 2)", to=0.002,
        names="A, the mean, the variance", slips="""
        (-A, ..., ...)             | A enters with a minus sign: exp(θ y - A), so A = -ln(1 - q), which is positive.
        (A, 5, 25)                 | You differentiated by q. The derivatives are by θ = ln q.
        (A, 4, 4)                  | The variance is A'', not A'. Equal mean and variance belong to the Poisson law.
        (-log(0.8), 0.25, 0.3125)  | You swapped q and 1 - q.
        (..., 5, ...)              | 5 is the mean of a count that starts at 1; here y starts at 0.
        (A, 4, 25)                 | 25 is the derivative of q / (1 - q) by q; differentiate by θ = ln q.
        (A, 4, 5)                  | 5 is 1 / (1 - q); the variance is A'', the second derivative by θ.
        (..., 1.25, ...)           | 1.25 is 1 / q; the mean is A'(θ).
        (..., 0.25, ...)           | 0.25 belongs to q = 0.2: the mean is q / (1 - q).
        (A, 4, np.sqrt(20))           | This is the standard deviation; the variance is its square.
        (A, 4, 4.47)               | This is the standard deviation; the variance is its square.
        (A, 4, 36)                 | 36 is the mean of y²; subtract the square of the mean.
        (log(0.8), ..., ...)       | This is θ = ln q; A is -ln(1 - q).
        (5, ..., ...)              | 5 is the sum of all q^y, the normaliser; A is its logarithm.
        (-log(0.8), ..., ...)      | This is -ln q; A is -ln(1 - q).
        (-log10(0.2), ..., ...)    | You took the logarithm with base 10; the natural one is wanted.
        (-np.log2(0.2), ..., ...)     | You took the logarithm with base 2; the natural one is wanted.
        (A, 0.8, 0.16)             | These are mean and variance of a coin; differentiate A = -ln(1 - exp(θ)) by θ.
        (A, 4, 16)                 | This is the square of the mean; the variance is A''.
        (..., ..., 0.16) | This is the variance of a coin; here it is the second derivative of A by θ.
        """),
    right="Right: variance 20 with mean 4, five times what a Poisson law would allow.",
    explanation="A = -ln 0.2 = 1.6094, mean 0.8 / 0.2 = 4, variance 0.8 / 0.04 = 20: much larger than the mean.",
)  # fmt: skip


def mystery_curve(x):
    """Return the curve of the picture, whose weight and bias are to be read off."""
    return sigma(1.5 * np.asarray(x) - 4.5)


FAR = 1.465  # from p = 0.5 to p = 0.9
READINGS = [
    (0.375, "This is the slope of p at the middle. The slope of the log-odds, w, is four times that."),
    (0.4, "You took the rise of p, or of ln p. Take that of the log-odds ln(p / (1 - p)), divided by the distance."),
    (0.4 / FAR, "You took the rise of p, 0.4. Take the rise of the log-odds ln(p / (1 - p))."),
    (log10(9) / FAR, "You used the logarithm with base 10; the natural one is wanted."),
    (FAR / log(9), "This is one over w: divide the rise of the log-odds by the distance."),
    (log(9), "This is the rise of the log-odds; divide it by the distance of the two points."),
    (9 / FAR, "You took the odds 9; take their logarithm."),
    (0.9 / FAR, "You took p = 0.9 itself. Take the log-odds ln(p / (1 - p)) there."),
]


def misread(pair):
    """Say which reading gives a wrong w: the nearest one, since some lie within the width of the pencil."""
    w, b = pair
    if abs(w - 1.5) <= 0.075:
        return "w is right; b is not. w x + b must be 0 where p = 0.5."
    value, words = min(READINGS, key=lambda reading: abs(w - reading[0]) / reading[0])
    plain = f"w is not {w:.4g}. Divide the rise of the log-odds by the distance of the two points."
    return words if abs(w - value) <= 0.03 * value else plain


task("8.1", "Read the curve", guard=lambda answer: numbers(answer, "w, b"),
    start="Which score belongs to p = 0.5, and which to p = 0.9?",
    hints=[
        "p = 0.5 at x = 3 (score 0), and p = 0.9 at about x = 4.46 (score ln 9).",
        "Between the two points the score w x + b rises from 0 to ln 9 = 2.197. So w = 2.197 divided by the distance.",
        "w = 2.197 / 1.46 and b = -3 w.",
    ],
    answer=number("The pair (w, b)", (1.5, -4.5), rtol=0.05, names="w, b", say=misread, slips="""
        (-1.5, ...) | The curve rises, so w is positive.
        (1.5, 4.5)  | w is right; b has the wrong sign: w x + b must be 0 at x = 3.
        (1.5, -3)   | w is right; b is -3 w, not the place of the middle itself.
        (1.5, 3)    | w is right; b is -3 w, not the place of the middle itself.
        """),
    right="Right: the log-odds rise by ln 9 between the two marked points.",
    explanation="Log-odds 0 at x = 3 and ln 9 at x = 4.465: w = 2.197 / 1.465 = 1.5, and 3 w + b = 0 gives b = -4.5.",
)  # fmt: skip


def total_loss(a, t):
    m = (2 * t - 1) * a
    losses = np.maximum(-m, 0) + np.log1p(np.exp(-np.abs(m)))
    return np.sum(losses)


def small_scores():
    cases = [(np.array([1.0, 1.0]), np.array([1, 0]))]
    for seed, size in ((1, 7), (2, 12), (3, 5)):
        rng = np.random.default_rng(seed)
        cases.append((rng.normal(0.3, 2, size), np.append([0, 1], rng.integers(0, 2, size - 2))))
    return cases


def all_scores():
    large = (([1000, -1000], [0, 1]), ([800, -900, 40], [1, 1, 0]), ([-1000, 1000], [0, 1]))
    return small_scores() + [(np.array(a, dtype=float), np.array(t)) for a, t in large]


def expect_first(answer, solution, cases, what, table, complain=None):
    """Raise Wrong for a mistake that shows with small scores, before large ones let the answer overflow."""
    listed, changed = wrong_functions(solution, table), Probed(solution)
    expect_function(answer, solution, cases, what, slips=listed, changed=changed, complain=complain)


def does_not_survive(case, got, wanted):
    """Say what becomes of the loss of large scores."""
    value = float(np.asarray(got, dtype=float).squeeze())
    scores, targets = (", ".join(f"{entry:g}" for entry in part) for part in case)
    lead = f"For scores {scores} and targets {targets} the loss is {wanted:.6g}"
    if not np.isfinite(value):
        return f"{lead}; yours is {value}. An exponential overflows, or a logarithm of 0 is taken."
    if abs(value) > 1e300 or (value == 0 and wanted > 1):
        return (f"{lead}, not {value:.6g}: an infinite logarithm was replaced by a number (nan_to_num?). "
                "Rewrite the formula so that none arises.")  # fmt: skip
    return f"{lead}, not {value:.6g}: clipping p, or the scores, changes the loss."


LOSS_SLIPS = """
    np.sum(losses) => np.mean(losses) | This is the mean over the samples; the sum is wanted.
    np.sum(losses) => losses          | These are the losses of the samples one by one; add them up.
    (2 * t - 1) => (1 - 2 * t)        | The classes are swapped: for t = 1 the loss is ln(1 + exp(-a)).
    (2 * t - 1) * a => a              | You used -ln p for every sample; those with t = 0 cost -ln(1 - p).
    (2 * t - 1) => t                  | You read t as -1 and 1; here it is 0 and 1: put 2 t - 1 in its place.
    np.sum(losses) => np.sum(losses) / np.log(2)  | You took logarithms with base 2; natural ones are wanted.
    np.sum(losses) => np.sum(losses) / np.log(10) | You took logarithms with base 10; natural ones are wanted.
    (2 * t - 1) * a => -a             | The term -t a of (8.8) is missing.
    + np.log1p(np.exp(-np.abs(m))) => | The logarithm ln(1 + exp(-|a|)) is missing: what is left counts only scores on
        the wrong side.
    np.maximum(-m, 0) + np.log1p(np.exp(-np.abs(m))) => np.maximum(1 - m, 0) | This is the hinge loss; the logistic loss
        is wanted.
    np.sum(losses) => np.sum((t - 1 / (1 + np.exp(-a))) ** 2) | This is the squared error; the logistic loss is wanted.
    np.sum(losses) => np.sum(t * losses) | The samples with t = 0 are missing: they cost -ln(1 - p).
    np.sum(losses) => np.sum((1 - t) * losses) | The samples with t = 1 are missing: they cost -ln p.
"""

task("8.2", "A loss that survives", total_loss, cases=all_scores, what="The loss", complain=does_not_survive,
    guard=lambda answer: expect_first(answer, total_loss, small_scores(), "The loss", LOSS_SLIPS),
    start="What is the loss in terms of scores, and which exponentials could overflow?",
    hints=[
        "Let m = (2 t - 1) a, positive for a score on the right side. The loss of one sample is ln(1 + exp(-m)).",
        "For m < 0 write ln(1 + exp(-m)) = -m + ln(1 + exp(m)); both cases are max(-m, 0) + log1p(exp(-|m|)).",
        "np.sum(np.maximum(-m, 0) + np.log1p(np.exp(-np.abs(m)))); np.logaddexp(0, -m) does the same.",
    ],
    slips=LOSS_SLIPS,
    right="Right, however large the scores. And tiny losses? That of score 50 with t = 1 is 1.9e-22. To keep it, put "
    "the sign in first, ln(1 + exp(-m)) with m = (2 t - 1) a, and take np.log1p or np.logaddexp.",
    explanation="log1p keeps the digits where exp(-|m|) is tiny, and no exponential is larger than one.",
)  # fmt: skip


def penalised_step(Phi, t, v, lam):
    p = 1 / (1 + np.exp(-Phi @ v))
    only_w = np.append(0.0, np.ones(len(v) - 1))
    g = Phi.T @ (p - t) + lam * only_w * v
    H = Phi.T @ ((p * (1 - p))[:, None] * Phi) + lam * np.diag(only_w)
    return v - np.linalg.solve(H, g)


def step_cases():
    x8 = np.column_stack([np.ones(8), np.arange(0.5, 4.1, 0.5)])
    cases = [(x8, np.array([0, 0, 1, 0, 1, 0, 1, 1.0]), np.array([0.3, -0.2]), 0.7)]
    for seed, n, m, lam in ((1, 25, 3, 3.0), (2, 40, 2, 0.0), (3, 18, 1, 12.5)):
        rng = np.random.default_rng(seed)
        Phi = np.column_stack([np.ones(n), rng.normal(0.5, 1.5, size=(n, m))])
        t = rng.permutation(np.where(np.arange(n) < n // 2 + 2, 1.0, 0.0))
        cases.append((Phi, t, rng.normal(0, 0.5, size=m + 1), lam))
    return cases


def two_steps(Phi, t, v, lam):
    return penalised_step(Phi, t, penalised_step(Phi, t, v, lam), lam)


task("8.3", "A penalised Newton step", penalised_step, cases=step_cases, what="The vector of new weights",
    start="Write down gradient and Hessian of (8.17): what do they add to (8.9) and (8.10), and where not?",
    hints=[
        "p = 1 / (1 + exp(-Phi @ v)). The gradient is Phi.T @ (p - t) plus lam times v with its first entry set to 0.",
        "The Hessian is Phi.T @ R @ Phi, R = diag(p (1 - p)), plus lam diag(0, 1, ..., 1). Solve H delta = gradient.",
        "mask = np.append(0, np.ones(len(v) - 1)); H = Phi.T @ ((p * (1 - p))[:, None] * Phi) + lam * np.diag(mask).",
    ],
    slips=["""
        np.append(0.0, => np.append(1.0, | You penalise the bias, the first entry of v; it stays free.
        * only_w * v => * v | In the gradient you penalise the bias, the first entry of v; it stays free.
        np.diag(only_w) => np.eye(len(v)) | In the Hessian you penalise the bias, the first entry of v; it stays free.
        np.append(0.0, np.ones(len(v) - 1)) => np.append(np.ones(len(v) - 1), 0.0) | You left the last entry of v free;
            the bias is the first.
        only_w = => lam = lam * len(t); only_w = | You divided loss or gradient by N but not the penalty; in (8.17) E is
            a sum over the samples.
        return v - np.linalg.solve(H, g)
            => r = p * (1 - p); return np.linalg.solve(H, Phi.T @ (r * (Phi @ v + (t - p) * r))) | In the targets z
            (8.14) divide t - p by p (1 - p); you multiplied.
        np.append(0.0, np.ones(len(v) - 1)) => np.zeros(len(v)) | The penalty is missing: lam enters the gradient and
            the Hessian, see (8.17).
        + lam * only_w * v => | The penalty is missing in the gradient: add lam (0, w).
        + lam * np.diag(only_w) => | The penalty is missing in the Hessian: add lam diag(0, 1, ..., 1).
        only_w = => lam = 2 * lam; only_w = | The penalty is lam w² / 2: its derivative is lam w, its curvature lam,
            without a 2.
        only_w = => lam = lam / 2; only_w = | The penalty is lam w² / 2: its derivative is lam w, its curvature lam; you
            took half of each.
        + lam * only_w => + 2 * lam * only_w | In the gradient the penalty lam w² / 2 gives lam w; you took 2 lam w.
        + lam * only_w => + lam / 2 * only_w | In the gradient the penalty lam w² / 2 gives lam w; you took half of it.
        + lam * only_w => - lam * only_w | The gradient of the penalty has the wrong sign: add lam (0, w).
        (p - t) => (t - p) | The gradient holds prediction minus target, p - t; you took t - p.
        return v - => return v + | You went uphill: subtract the step, do not add it.
        (p * (1 - p))[:, None] * Phi => Phi | The weights p (1 - p) are missing in the Hessian.
        (p * (1 - p))[ => p[ | The weights in the Hessian are p (1 - p); you took p.
        (p * (1 - p))[:, None] * => 0.25 * | The weights p (1 - p) are 1/4 at v = 0 alone; take those of this v.
        (p * (1 - p))[ => (p * p)[ | The weights in the Hessian are p (1 - p); you took p squared.
        np.linalg.solve(H, g) => H @ g | You multiplied by the Hessian; solve with it instead.
        return v - => return - | This is the step; add it to v and return the new weights.
        return v - => return | This is minus the step; return v minus it.
        p = 1 / => v = 0 * v; p = 1 / | You started from zero weights; start from v.
        return v - np.linalg.solve(H, g) => return v - Phi.T @ (p - t) | This is a step of gradient descent with rate 1,
            without the penalty; Newton's solves with H.
        np.linalg.solve(H, g) => g | This is a step of gradient descent with rate 1; Newton's also solves with H.
        p = 1 / (1 + np.exp(-Phi @ v)) => p = Phi @ v | Those are the scores. The probabilities are σ of them.
        -Phi @ v)) => 0 * Phi @ v)) | You took p = 1/2, which holds at v = 0 alone.
        lam * np.diag(only_w) => lam | You added lam to every entry of H. It belongs to the diagonal, without the bias.
        """,
        (two_steps, "You took two steps; one is wanted."),
    ],
    right="Right. A few more of these and the gradient of (8.17) is zero.",
    explanation="R need not be built: multiply each row of Phi by its weight. solve is safer than the inverse.",
)  # fmt: skip


def softmax_step_direction(W, X, y):
    A = X @ W.T
    E = np.exp(A - A.max(axis=1, keepdims=True))
    P = E / E.sum(axis=1, keepdims=True)
    T = np.eye(len(W))[y]
    return (P - T).T @ X


def classes(seed, n, k, m):
    """Return weights, rows and labels of k classes; with an odd seed the last class is absent."""
    rng = np.random.default_rng(seed)
    X = np.column_stack([np.ones(n), rng.normal(0.3, 1.2, size=(n, m))])
    return rng.normal(size=(k, m + 1)), X, rng.integers(0, max(2, k - seed % 2), n)


def small_classes():
    return [classes(2, 15, 3, 3), classes(1, 12, 4, 2), classes(3, 9, 5, 1)]


def all_classes():
    W, X, y = classes(4, 10, 3, 2)
    return [*small_classes(), (500 * W, X, y)]


DIRECTION_SLIPS = """
    P = E / E.sum(axis=1, keepdims=True) => P = E | The exponentials are not yet probabilities: divide each row by its
        sum.
    return (P - T).T @ X => return np.vstack([((P - T).T @ X)[:-1], 0 * X[:1]]) | Here no class is the reference: the
        last
        row of W has a gradient too.
    return (P - T) => return (T - P) | This is the direction downhill; the gradient itself is wanted: prediction minus
        target.
    (P - T).T @ X => (P - T).T @ X / len(y) | This is the mean over the samples; the sum is wanted.
    P = E / E.sum(axis=1, keepdims=True) => P = np.eye(len(W))[A.argmax(axis=1)] | You used one-hot predictions; the
        probabilities are wanted.
    E.sum(axis=1 => E.sum(axis=0 | Your softmax sums over the samples; it must sum over the classes.
    A.max(axis=1, keepdims=True) => A.max() ;; E.sum(axis=1 => E.sum(axis=0 | Your softmax sums over the samples; it
        must sum over the classes.
    P = E / E.sum(axis=1, keepdims=True) => P = 1 / (1 + np.exp(-A)) | You took a sigmoid per class; the softmax divides
        by the sum over the classes.
    (P - T).T => P.T | The targets are missing: prediction minus target.
    A.max(axis=1, keepdims=True) => A.max() ;; E.sum(axis=1, keepdims=True) => E.sum() | Your softmax sums over the
        whole table; take each row alone.
    (P - T).T => ((P - T) * P * (1 - P)).T | The factor p (1 - p) cancels: prediction minus target, times input.
    (P - T).T => ((P - T) * T).T | A sample also pushes down the classes it is not of: p - 0 times input.
    return (P - T) => return W - (P - T) | This is the weights after a step; the gradient is wanted.
    [y] => [y - 1] | Classes count from 0 to K - 1; you shifted them by one.
    P = E / E.sum(axis=1, keepdims=True) => P = A | You took the scores; the probabilities are their softmax.
    P = E / E.sum(axis=1, keepdims=True) => P = np.exp(A) | These are exponentials of the scores; divide each row by its
        sum.
"""


def counted_classes(case, got, wanted):
    W, X, y = case
    if np.shape(got) == (len(np.unique(y)), X.shape[1]) != wanted.shape:
        return "You counted the classes in y; a class may be absent. K is the number of rows of W."
    return None


def for_every_class(answer):
    """Raise Wrong for a function that stops where K is not 3, or where a class is absent, or that is wrong."""
    call(answer, *small_classes()[0])
    W, X, y = small_classes()[1]
    for labels, words in (
        (np.arange(12) % 4, "It works for three classes and stops for 4: take K from W, its number of rows."),
        (y, "It works if every class has a sample, and stops if one is absent: take K from W."),
    ):
        try:
            call(answer, W, X, labels)
        except Wrong:
            raise Wrong(words) from None
    cases = small_classes()
    expect_first(answer, softmax_step_direction, cases, "The gradient", DIRECTION_SLIPS, complain=counted_classes)


task("8.4", "The gradient of softmax regression", softmax_step_direction, cases=all_classes, what="The gradient",
    guard=for_every_class,
    nan="For large scores your gradient is not finite: subtract the largest score of each row first.",
    start="Which shapes have the scores, the probabilities and the targets?",
    hints=[
        "The scores are X @ W.T, shape (N, K). Take the softmax of each row; subtract the largest score first.",
        "One-hot targets: np.eye(K)[y] with K = len(W). Do not take K from the labels: a class may be absent.",
        "(P - np.eye(len(W))[y]).T @ X.",
    ],
    slips=DIRECTION_SLIPS,
    right="Right. Its K rows add up to the zero vector, because a shift of all scores changes nothing.",
    explanation="This is (8.24) for all classes at once. The K rows of the result add up to the zero vector.",
)  # fmt: skip

"""Tasks and exercises of chapter 08: odds, one sample, a bias, Newton steps, intervals, penalties, softmax, a law."""

import numpy as np

from mlteach.exercises.base import Wrong, exercise, expect_close, expect_function, numbers


def _sigma(a):
    return 1 / (1 + np.exp(-np.asarray(a, dtype=float)))


# --- 8.a -----------------------------------------------------------------------------------------------------------


@exercise(
    "8.a",
    "An odds ratio at work",
    start="Which odds belong to a risk of 0.2?",
    hints=[
        "The odds are 0.2 / 0.8 = 1/4. The treatment multiplies them by 3.",
        "Odds o belong to the probability o / (1 + o).",
        "(3/4) / (1 + 3/4).",
    ],
    solution=round(3 / 7, 4),
    explanation="Odds 1/4 become 3/4, and p = (3/4) / (7/4) = 3/7 = 0.429: a bit more than twice the risk.",
)
def _(answer):
    expect_close(
        answer,
        3 / 7,
        "The risk",
        rtol=0,
        atol=0.0006,
        reveal=False,
        known=[
            (0.6, "You multiplied the probability by 3. The odds ratio multiplies the odds, p / (1 - p)."),
            (0.75, "This is the new odds. The risk is odds / (1 + odds)."),
            (0.375, "You took the risk 0.2 for odds and multiplied it by 3; the odds are 0.2 / 0.8."),
            (float(_sigma(0.2 + np.log(3))), "You took 0.2 for the log-odds; it is the risk. The odds are 0.2 / 0.8."),
            (0.25, "These are the odds without the treatment; it multiplies them by 3."),
            (1 / 65, "You multiplied the log-odds by 3; the odds are multiplied by 3."),
            (np.log(0.75), "These are the new log-odds; the risk is σ of them."),
            (1 / 13, "You divided the odds by 3; the treatment multiplies them."),
            (3.0, "This is the odds ratio itself; the risk with the treatment is wanted."),
            (42.9, "A risk lies between 0 and 1: not in per cent, please."),
            (43.0, "A risk lies between 0 and 1: not in per cent, please."),
            (
                float(_sigma(np.log(0.25) + 3)),
                "You added 3 to the log-odds; the odds are multiplied by 3, so add ln 3.",
            ),
        ],
    )
    return "Right: the odds are three times as large, the risk is not."


# --- 8.b -----------------------------------------------------------------------------------------------------------


def _sample(a=1.5, t=0.0):
    p = float(_sigma(a))
    loss = -np.log(p) if t == 1 else -np.log(1 - p)
    return p, float(loss), p - t, 2 * (p - t), 0.5 * (p - t)


@exercise(
    "8.b",
    "One sample by hand",
    start="Compute the score a = w . x + b first.",
    hints=[
        "a = 1 * 2 - 2 * 0.5 + 0.5 = 1.5. Then p = 1 / (1 + exp(-a)).",
        "For t = 0 the loss is -ln(1 - p). Its derivatives are (p - t) times 1, x1 and x2.",
        "p = 1 / (1 + exp(-1.5)); loss = ln(1 + exp(1.5)); derivatives p, 2 p and 0.5 p.",
    ],
    solution=tuple(round(v, 4) for v in _sample()),
    explanation="By (8.8) the loss is ln(1 + e^1.5) for t = 0; by (8.9) its gradient is (p - 0)(1, 2, 0.5).",
)
def _(answer):
    right = np.array(_sample())
    p, loss = right[:2]
    slopes = p * np.array([1, 2, 0.5])
    expect_close(
        answer,
        right,
        "The answer",
        rtol=0,
        atol=0.002,
        reveal=False,
        names="p, the loss, the derivative by b, the derivative by w1, the derivative by w2",
        known=[
            (_sample(t=1.0), "This is the loss for t = 1; the target here is 0."),
            (_sample(a=1.0), "The score is 1.0 in your answer: the bias 0.5 is missing."),
            (_sample(a=3.5), "The score is 3.5 in your answer: w2 is -2, so w2 x2 is -1."),
            (_sample(a=0.5), "The score is 0.5 in your answer: the bias is added."),
            (_sample(a=-0.5), "The score is -0.5 in your answer: multiply each weight by its input."),
            (_sample(a=-3.0), "The score is -3 in your answer: x1 = 2 belongs to w1, x2 = 0.5 to w2."),
            ((p, p**2, ..., ..., ...), "This is the squared error; the logistic loss is wanted."),
            ((p, -loss, ..., ..., ...), "The loss is minus the logarithm of a probability, so it is positive."),
            ((p, loss / np.log(2), ..., ..., ...), "You took the logarithm with base 2; the natural one is wanted."),
            ((p, loss / np.log(10), ..., ..., ...), "You took the logarithm with base 10; the natural one is wanted."),
            ((p, -np.log(p), ..., ..., ...), "The loss is that of t = 1; for t = 0 it is -ln(1 - p)."),
            ((..., ..., *-slopes), "The derivatives have the wrong sign: prediction minus target, times input."),
            (
                (..., ..., *(slopes * p * (1 - p))),
                "Your derivatives have a factor p (1 - p) that belongs to the squared error; here it cancels.",
            ),
            (
                (..., ..., *(2 * slopes * p * (1 - p))),
                "These are derivatives of the squared error (8.4); those of the logistic loss are wanted.",
            ),
            (
                (..., ..., *(slopes * (1 - p))),
                "Your derivatives have a factor 1 - p too many: they are (p - t) times 1, x1, x2.",
            ),
            ((..., ..., p, p, p), "The derivatives by w1 and w2 also have the factors x1 and x2."),
            ((..., ..., p, p, -2 * p), "You multiplied by the weights; the derivative by w1 is (p - t) times x1."),
            (
                (..., ..., *slopes[[1, 2, 0]]),
                "The derivatives are right, but in another order: b first, then w1 and w2.",
            ),
            ((1 - p, ..., ..., ..., ...), "Your p is the chance of t = 0; p is that of t = 1."),
            ((1.5, ..., ..., ..., ...), "1.5 is the score a; p is σ(a)."),
            (
                (p, ..., *((p - 1) * np.array([1, 2, 0.5]))),
                "Your derivatives are those for t = 1; the target here is 0.",
            ),
        ],
    )
    return "Right: the gradient is (p - t) times (1, x)."


# --- 8.c -----------------------------------------------------------------------------------------------------------


@exercise(
    "8.c",
    "A bias alone",
    start="What does the first row of the gradient say at the minimum?",
    hints=[
        "The chances add up to the number of ones: 40 σ(b) = 30.",
        "So σ(b) = 3/4, and b is the logit of 3/4.",
        "ln(0.75 / 0.25).",
    ],
    solution=round(float(np.log(3)), 4),
    explanation="By (8.9) the sum of p equals the sum of t: 40 p = 30. The log-odds of 3/4 are ln 3 = 1.0986.",
)
def _(answer):
    expect_close(
        answer,
        np.log(3),
        "The bias",
        rtol=0,
        atol=0.0011,
        reveal=False,
        known=[
            (0.75, "This is p; the bias is its logit, ln(p / (1 - p))."),
            (3.0, "These are the odds; the bias is their logarithm."),
            (np.log(0.75), "This is ln p; the bias is ln(p / (1 - p))."),
            (np.log10(3), "You took the logarithm with base 10; the natural one is wanted."),
            (np.log2(3), "You took the logarithm with base 2; the natural one is wanted."),
            (np.log(1 / 3), "The wrong sign: ones are more frequent, so b is positive."),
            (float(_sigma(0.75)), "You applied σ to 3/4; b is the score whose σ is 3/4."),
            (np.log(4 / 3), "This is -ln p; the bias is ln(p / (1 - p))."),
            (0.0, "With b = 0 the model expects 20 ones; there are 30."),
        ],
    )
    return "Right: without a feature the model predicts the share of ones."


# --- 8.d -----------------------------------------------------------------------------------------------------------

_X6, _T6 = np.column_stack([np.ones(6), np.arange(6.0)]), np.array([0, 0, 1, 0, 1, 1.0])


@exercise(
    "8.d",
    "The first step of Newton",
    start="With all p = 1/2, what are the gradient (8.9) and the Hessian (8.10)?",
    hints=[
        "The gradient is (0, -3.5). Each weight is 1/4, so H = [[6, 15], [15, 55]] / 4.",
        "Solve H d = (0, 3.5) for the step d; the determinant of H is 6.5625.",
        "d = (-3.75 * 3.5, 1.5 * 3.5) / 6.5625.",
    ],
    solution=(-2.0, 0.8),
    explanation="H = [[1.5, 3.75], [3.75, 13.75]] and the gradient (0, -3.5) give the step (-2, 0.8) from zero.",
)
def _(answer):
    g = _X6.T @ (0.5 - _T6)
    H = _X6.T @ _X6 / 4
    at_end = irls_steps(_X6, _T6, 12)
    expect_close(
        answer,
        (-2.0, 0.8),
        "The pair (b, w)",
        rtol=0,
        atol=0.002,
        reveal=False,
        names="b, w",
        known=[
            ((2.0, -0.8), "You went uphill: subtract H⁻¹ times the gradient."),
            ((0.8, -2.0), "The bias comes first."),
            (-np.linalg.solve(4 * H, g), "The weights p (1 - p) = 1/4 are missing in the Hessian."),
            (
                np.linalg.solve(4 * H, _X6.T @ _T6),
                "This is least squares with the targets t; Newton's targets are z = a + (t - p) / (p (1 - p)).",
            ),
            ((-1.0, 0.4), "p (1 - p) is 1/4, not 1/2."),
            ((-0.125, 0.05), "In the targets z divide t - p by p (1 - p) = 1/4; you multiplied."),
            (-g, "This is a step of gradient descent with rate 1; Newton's also solves with H."),
            (g, "This is the gradient; the new weights are wanted, zero minus H⁻¹ times it."),
            (-H @ g, "You multiplied by the Hessian; solve with it instead."),
            (-g / np.diag(H), "You divided by the diagonal of H; the whole matrix counts, so b moves too."),
            ((-15 / 7, 20 / 21), "This is the first step on the eight points; here there are six others."),
            ((-2.14, 0.95), "This is the first step on the eight points; here there are six others."),
            ((-8.0, 3.2), "The weights p (1 - p) = 1/4 belong in the Hessian once; you have them twice."),
            (at_end, "This is the minimum after many steps; the first step is wanted."),
            ((-2.0, ...), "b is right; w is not. The second row of H d = (0, 3.5) gives it."),
            ((..., 0.8), "w is right; b is not. Newton's step also moves b, although the slope there is zero."),
        ],
    )
    return "Right. Five more such steps and it stands at (-3.035, 1.214)."


def irls_steps(Phi, t, steps):
    v = np.zeros(Phi.shape[1])
    for _ in range(steps):
        v = penalised_step(Phi, t, v, 0.0)
    return v


# --- 8.e -----------------------------------------------------------------------------------------------------------


@exercise(
    "8.e",
    "The interval of an odds ratio",
    start="For which number is the interval symmetric?",
    hints=[
        "3 w = 1.2, with standard error 0.3.",
        "The interval for 3 w is 1.2 - 1.96 * 0.3 to 1.2 + 1.96 * 0.3; then take exponentials.",
        "np.exp(1.2 - 0.588), np.exp(1.2 + 0.588).",
    ],
    solution=(round(float(np.exp(0.612)), 3), round(float(np.exp(1.788)), 3)),
    explanation="exp(1.2 ± 0.588) = 1.84 to 5.98, around exp(1.2) = 3.32: longer above than below.",
)
def _(answer):
    mid = np.exp(1.2)
    expect_close(
        answer,
        np.exp([0.612, 1.788]),
        "The interval",
        rtol=0,
        atol=0.012,
        reveal=False,
        names="the lower end, the upper end",
        known=[
            ((0.612, 1.788), "This is the interval for 3 w; take exponentials for the odds ratio."),
            (np.exp([0.204, 0.596]), "This is the interval for one year; three years multiply w and its error by 3."),
            (
                3 * np.exp([0.204, 0.596]),
                "Odds ratios of three years multiply: cube that of one year, or take exp(3 w).",
            ),
            (np.exp([1.2 - 0.196, 1.2 + 0.196]), "The error of 3 w is three times that of w."),
            (
                np.exp([1.2 - 1.96 * 0.1 * 3**0.5, 1.2 + 1.96 * 0.1 * 3**0.5]),
                "3 w is three times one estimate, not a sum of three: its error is 3 times as large, not √3 times.",
            ),
            (np.exp([0.9, 1.5]), "One standard error each way gives 68 %; 95 % needs 1.96 of them."),
            ((mid - 0.588, mid + 0.588), "Make the interval for 3 w first, and exponentiate its ends."),
            ((mid - np.exp(0.588), mid + np.exp(0.588)), "Exponentiate the ends of the interval, not its half width."),
            (np.exp([1.2 - 1.645 * 0.3, 1.2 + 1.645 * 0.3]), "1.645 gives 90 %; 95 % needs 1.96."),
            (np.exp([0.6, 1.8]), "You took 2 standard errors; to two decimals 95 % needs 1.96."),
        ],
    )
    return "Right: longer above than below, because it was made on the scale of w."


# --- 8.f -----------------------------------------------------------------------------------------------------------


@exercise(
    "8.f",
    "The price of a weight",
    start="What must vanish at the minimum of E + lam w² / 2?",
    hints=[
        "Both points have the same loss ln(1 + exp(-w)), with derivative -sigma(-w).",
        "So lam w = 2 sigma(-w), and sigma(-ln 3) = 1 / (1 + 3).",
        "lam = 2 * (1/4) / ln 3.",
    ],
    solution=round(float(0.5 / np.log(3)), 4),
    explanation="lam ln 3 = 2 sigma(-ln 3) = 2 / (1 + 3) = 1/2, so lam = 0.455.",
)
def _(answer):
    ln3 = np.log(3)
    expect_close(
        answer,
        0.5 / ln3,
        "The penalty",
        rtol=0,
        atol=0.0011,
        reveal=False,
        known=[
            (0.25 / ln3, "You counted one point, or took the mean; in (8.17) E is the sum over both."),
            (1.5 / ln3, "You took sigma(w) = 3/4; the residual of the point with t = 1 is p - 1 = -1/4."),
            (0.5, "Divide by w = ln 3: the derivative of the penalty is lam w."),
            (1 / ln3, "The derivative of lam w² / 2 is lam w, without a factor one half or two."),
            (0.5 / ln3**2, "The derivative of lam w² / 2 is lam w, not lam w²."),
            (0.5 / 3, "w is ln 3, not 3."),
            (2 * float(_sigma(-3.0)) / 3, "w is ln 3, not 3."),
            (0.5 * ln3, "Divide by w = ln 3 instead of multiplying: lam w is 2 sigma(-w)."),
            (ln3, "This is w; the penalty is wanted."),
            (0.5 / np.log10(3), "ln is the natural logarithm; you took base 10."),
            (0.0, "With lam = 0 the two points are separable, and there is no minimiser."),
        ],
    )
    return "Right: lam w balances the pull 2 sigma(-w) of the two points."


# --- 8.g -----------------------------------------------------------------------------------------------------------


@exercise(
    "8.g",
    "One softmax sample",
    start="Which probabilities belong to these scores?",
    hints=[
        "p = (2, 1, 1) / 4. The loss is minus the logarithm of the chance of the true class, the second.",
        "The derivative by b_k is p_k - t_k with t = (0, 1, 0).",
        "ln 4, and 0.5, 0.25 - 1, 0.25.",
    ],
    solution=(round(float(np.log(4)), 4), 0.5, -0.75, 0.25),
    explanation="p = (0.5, 0.25, 0.25); the loss is -ln 0.25 = ln 4, and p - t = (0.5, -0.75, 0.25).",
)
def _(answer):
    ln4 = np.log(4)
    expect_close(
        answer,
        (ln4, 0.5, -0.75, 0.25),
        "The answer",
        rtol=0,
        atol=0.0015,
        reveal=False,
        names="the loss, the derivative by b1, the derivative by b2, the derivative by b3",
        known=[
            ((..., -0.5, 0.75, -0.25), "The derivatives have the wrong sign: prediction minus target."),
            (
                (..., *(_sigma([np.log(2), 0, 0]) - [0, 1, 0])),
                "You took a sigmoid per class; the softmax divides by the sum over the classes.",
            ),
            ((..., 0.5, 0.75, 0.25), "The derivative by b2, the bias of the true class, is p_2 - 1, and negative."),
            (
                (-np.log(0.5 * 0.25 * 0.75), ..., ..., ...),
                "You added a yes/no loss for each class; the softmax loss (8.23) counts the true class alone.",
            ),
            ((..., 0.5, 0.25, 0.25), "These are the probabilities; subtract the one-hot target (0, 1, 0)."),
            ((np.log(2), ..., ..., ...), "This is the loss of class 1; the sample is of class 2."),
            ((-ln4, ..., ..., ...), "The loss is minus the logarithm of a probability, so it is positive."),
            ((2.0, ..., ..., ...), "You took the logarithm with base 2; the natural one is wanted."),
            ((np.log10(4), ..., ..., ...), "You took the logarithm with base 10; the natural one is wanted."),
            ((4.0, ..., ..., ...), "This is the sum of the exponentials; the loss is minus the logarithm of p_2."),
            ((..., np.log(2), -1.0, 0.0), "You subtracted the target from the scores; take their softmax first."),
            ((0.25, ..., ..., ...), "This is the chance of the true class; the loss is minus its logarithm."),
            ((..., -0.5, 0.25, 0.25), "The sample is of class 2: the one of its target stands second."),
            ((..., 0.5, 0.25, -0.75), "The sample is of class 2: the one of its target stands second."),
            ((..., 1.0, -1.0, 0.0), "You used a one-hot prediction; the probabilities are wanted."),
        ],
    )
    return "Right: the three derivatives add up to zero, because a shift of all scores changes nothing."


# --- 8.h -----------------------------------------------------------------------------------------------------------


@exercise(
    "8.h",
    "A fifth member",
    start="Write the law as the exponential of one expression and compare it with the form of the family.",
    hints=[
        "(1 - q) q^y = exp(y ln q + ln(1 - q)). Read off θ and A, and write A with θ alone.",
        "A = -ln(1 - exp(θ)), so A' = exp(θ) / (1 - exp(θ)) = q / (1 - q). Differentiate once more for the variance.",
        "A'' = exp(θ) / (1 - exp(θ))² = q / (1 - q)². Put in q = 0.8.",
    ],
    solution=(round(-float(np.log(0.2)), 4), 4.0, 20.0),
    explanation="A = -ln 0.2 = 1.6094, mean 0.8 / 0.2 = 4, variance 0.8 / 0.04 = 20: much larger than the mean.",
)
def _(answer):
    A = -np.log(0.2)
    expect_close(
        answer,
        (A, 4, 20),
        "The answer",
        rtol=0,
        atol=0.002,
        reveal=False,
        names="A, the mean, the variance",
        known=[
            ((-A, ..., ...), "A enters with a minus sign: exp(θ y - A), so A = -ln(1 - q), which is positive."),
            ((A, 5, 25), "You differentiated by q. The derivatives are by θ = ln q."),
            ((A, 4, 4), "The variance is A'', not A'. Equal mean and variance belong to the Poisson law."),
            ((-np.log(0.8), 0.25, 0.3125), "You swapped q and 1 - q."),
            ((..., 5, ...), "5 is the mean of a count that starts at 1; here y starts at 0."),
            ((A, 4, 25), "25 is the derivative of q / (1 - q) by q; differentiate by θ = ln q."),
            ((A, 4, 5), "5 is 1 / (1 - q); the variance is A'', the second derivative by θ."),
            ((..., 1.25, ...), "1.25 is 1 / q; the mean is A'(θ)."),
            ((..., 0.25, ...), "0.25 belongs to q = 0.2: the mean is q / (1 - q)."),
            ((A, 4, np.sqrt(20)), "This is the standard deviation; the variance is its square."),
            ((A, 4, 36), "36 is the mean of y²; subtract the square of the mean."),
            ((np.log(0.8), ..., ...), "This is θ = ln q; A is -ln(1 - q)."),
            ((-np.log(0.8), ..., ...), "This is -ln q; A is -ln(1 - q)."),
            ((-np.log10(0.2), ..., ...), "You took the logarithm with base 10; the natural one is wanted."),
            ((-np.log2(0.2), ..., ...), "You took the logarithm with base 2; the natural one is wanted."),
            ((A, 0.8, 0.16), "These are mean and variance of a coin; differentiate A = -ln(1 - exp(θ)) by θ."),
            ((A, 4, 16), "This is the square of the mean; the variance is A''."),
            ((A, 4, 4.47), "This is the standard deviation; the variance is its square."),
        ],
    )
    return "Right: variance 20 with mean 4, five times what a Poisson law would allow."


# --- 8.1 -----------------------------------------------------------------------------------------------------------


def mystery_curve(x):
    """Return the curve of the picture, whose weight and bias are to be read off."""
    return _sigma(1.5 * np.asarray(x) - 4.5)


@exercise(
    "8.1",
    "Read the curve",
    start="Which score belongs to p = 0.5, and which to p = 0.9?",
    hints=[
        "p = 0.5 at x = 3 (score 0), and p = 0.9 at about x = 4.46 (score ln 9).",
        "Between the two points the score w x + b rises from 0 to ln 9 = 2.197. So w = 2.197 divided by the distance.",
        "w = 2.197 / 1.46 and b = -3 w.",
    ],
    solution=(1.5, -4.5),
    explanation="Log-odds 0 at x = 3 and ln 9 at x = 4.465: w = 2.197 / 1.465 = 1.5, and 3 w + b = 0 gives b = -4.5.",
)
def _(answer):
    w, b = numbers(answer, "w, b")
    if not np.isfinite([w, b]).all():
        raise Wrong(f"Both numbers must be finite; got {w:g} and {b:g}.")
    if abs(w - 1.5) <= 0.075 and abs(b + 4.5) <= 0.225:
        return "Right: the log-odds rise by ln 9 between the two marked points."
    if abs(w + 1.5) <= 0.075:
        raise Wrong("The curve rises, so w is positive.")
    if abs(b - 1.5) <= 0.075 and abs(w + 4.5) <= 0.225:
        raise Wrong("The right values in the wrong order: w first, then b.")
    slips = [
        (0.375, 0.012, "This is the slope of p at the middle. The slope of the log-odds, w, is four times that."),
        (
            0.4,
            0.012,
            "You took the rise of p, 0.4. Take that of the log-odds ln(p / (1 - p)), divided by the distance.",
        ),
        (0.4 / 1.465, 0.012, "You took the rise of p, 0.4. Take the rise of the log-odds ln(p / (1 - p))."),
        (np.log10(9) / 1.465, 0.012, "You used the logarithm with base 10; the natural one is wanted."),
        (1.465 / np.log(9), 0.012, "This is one over w: divide the rise of the log-odds by the distance."),
        (np.log(9), 0.05, "This is the rise of the log-odds; divide it by the distance of the two points."),
        (9 / 1.465, 0.2, "You took the odds 9; take their logarithm."),
        (0.9 / 1.465, 0.012, "You took p = 0.9 itself. Take the log-odds ln(p / (1 - p)) there."),
        (np.log(0.9 / 0.5) / 1.465, 0.012, "You took the logarithm of p; take that of p / (1 - p)."),
    ]
    for value, width, words in slips:
        if abs(w - value) <= width:
            raise Wrong(words)
    if abs(w - 1.5) > 0.075:
        raise Wrong(f"w is not {w:.4g}. Divide the rise of the log-odds by the distance of the two points.")
    if abs(b - 4.5) <= 0.225:
        raise Wrong("w is right; b has the wrong sign: w x + b must be 0 at x = 3.")
    if abs(abs(b) - 3) <= 0.2:
        raise Wrong("w is right; b is -3 w, not the place of the middle itself.")
    raise Wrong("w is right; b is not. w x + b must be 0 where p = 0.5.")


# --- 8.2 -----------------------------------------------------------------------------------------------------------


def total_loss(a, t):
    margin = (2 * t - 1) * a
    return np.sum(np.maximum(-margin, 0) + np.log1p(np.exp(-np.abs(margin))))


def _each_loss(a, t):
    return np.logaddexp(0, -(2 * t - 1) * a)


_LOSS_SLIPS = [
    (lambda a, t: _each_loss(a, t).mean(), "This is the mean over the samples; the sum is wanted."),
    (_each_loss, "These are the losses of the samples one by one; add them up."),
    (lambda a, t: total_loss(a, 1 - t), "The classes are swapped: for t = 1 the loss is ln(1 + exp(-a))."),
    (
        lambda a, t: total_loss(a, np.ones(len(a))),
        "You used -ln p for every sample; those with t = 0 cost -ln(1 - p).",
    ),
    (
        lambda a, t: np.logaddexp(0, -t * a).sum(),
        "You read t as -1 and 1; here it is 0 and 1: put 2 t - 1 in its place.",
    ),
    (lambda a, t: total_loss(a, t) / np.log(2), "You took logarithms with base 2; natural ones are wanted."),
    (lambda a, t: total_loss(a, t) / np.log(10), "You took logarithms with base 10; natural ones are wanted."),
    (lambda a, t: np.logaddexp(0, a).sum(), "The term -t a of (8.8) is missing."),
    (
        lambda a, t: np.maximum(-(2 * t - 1) * a, 0).sum(),
        "The logarithm ln(1 + exp(-|a|)) is missing: what is left counts only scores on the wrong side.",
    ),
    (lambda a, t: np.maximum(1 - (2 * t - 1) * a, 0).sum(), "This is the hinge loss; the logistic loss is wanted."),
    (lambda a, t: np.sum((t - _sigma(a)) ** 2), "This is the squared error; the logistic loss is wanted."),
    (
        lambda a, t: -np.sum(t * np.log(_sigma(a))),
        "The samples with t = 0 are missing: they cost -ln(1 - p).",
    ),
]


@exercise(
    "8.2",
    "A loss that survives",
    start="Write the loss with scores, as in (8.8), and take no exponential of a large positive number.",
    hints=[
        "Let m = (2 t - 1) a, positive for a score on the right side. The loss of one sample is ln(1 + exp(-m)).",
        "For m < 0 write ln(1 + exp(-m)) = -m + ln(1 + exp(m)); both cases are max(-m, 0) + log1p(exp(-|m|)).",
        "np.sum(np.maximum(-m, 0) + np.log1p(np.exp(-np.abs(m)))); np.logaddexp(0, -m) does the same.",
    ],
    solution=total_loss,
    explanation="log1p keeps the digits where exp(-|m|) is tiny, and no exponential is larger than one.",
)
def _(answer):
    cases = [(np.array([1.0, 1.0]), np.array([1, 0]))]
    for seed, size in ((1, 7), (2, 12), (3, 5)):
        rng = np.random.default_rng(seed)
        cases.append((rng.normal(0.3, 2, size), np.append([0, 1], rng.integers(0, 2, size - 2))))
    expect_function(answer, total_loss, cases, "The loss", slips=_LOSS_SLIPS)
    for a, t in (([1000, -1000], [0, 1]), ([800, -900, 40.0], [1, 1, 0]), ([-1000.0, 1000], [0, 1])):
        value = np.asarray(answer(np.array(a, dtype=float), np.array(t)), dtype=float)
        value = value.reshape(()) if value.size == 1 else value
        wanted = total_loss(np.array(a, dtype=float), np.array(t))
        case = f"For scores {a} and targets {t} the loss is {wanted:.6g}"
        if value.shape != () or not np.isfinite(value):
            raise Wrong(f"{case}; yours is {value}. An exponential overflows, or a logarithm of 0 is taken.")
        if abs(value) > 1e300 or (value == 0 and wanted > 1):
            raise Wrong(f"{case}, not {value:.6g}: an infinite logarithm was replaced by a number (nan_to_num?). "
                        "Rewrite the formula so that none arises.")  # fmt: skip
        if not np.isclose(value, wanted, rtol=1e-6, atol=1e-9):
            raise Wrong(f"{case}, not {value:.6g}: clipping p, or the scores, changes the loss.")
    a, t = np.array([50.0]), np.array([1])
    if not np.isclose(answer(a, t), total_loss(a, t), rtol=1e-6, atol=0):
        return ("Right. One refinement: for score 50 and t = 1 the loss is 1.9e-22, and yours is rounded away. Put the "
                "sign in first, ln(1 + exp(-m)) with m = (2 t - 1) a, and take np.log1p or np.logaddexp.")  # fmt: skip
    return "Right, from tiny losses to huge ones."


# --- 8.3 -----------------------------------------------------------------------------------------------------------


def penalised_step(Phi, t, v, lam):
    p = 1 / (1 + np.exp(-Phi @ v))
    only_w = np.append(0.0, np.ones(len(v) - 1))
    g = Phi.T @ (p - t) + lam * only_w * v
    H = Phi.T @ ((p * (1 - p))[:, None] * Phi) + lam * np.diag(only_w)
    return v - np.linalg.solve(H, g)


def _mask(v, bias):
    return np.append(bias, np.ones(len(v) - 1))


def _step_with(sign=1.0, inverse=True, start=True, bias=(0, 0), slope=1.0, bend=1.0, fresh=False, pull=1.0, r=None):
    """Return a step with one thing changed, to recognise typical slips; `bias` is its penalty in g and in H."""

    def step(Phi, t, v, lam):
        v = 0 * v if fresh else v
        p = _sigma(Phi @ v)
        weights = p * (1 - p) if r is None else r(p)
        H = Phi.T @ (weights[:, None] * Phi) + bend * lam * np.diag(_mask(v, bias[1]))
        g = pull * Phi.T @ (p - t) + slope * lam * _mask(v, bias[0]) * v
        return (v if start else 0 * v) - sign * (np.linalg.solve(H, g) if inverse else H @ g)

    return step


def _mean_step(Phi, t, v, lam):
    return penalised_step(Phi, t, v, lam * len(t))


def _last_free(Phi, t, v, lam):
    return penalised_step(Phi[:, ::-1], t, v[::-1], lam)[::-1]


def _targets_times_weight(Phi, t, v, lam):
    a = Phi @ v
    r = _sigma(a) * _sigma(-a)
    H = Phi.T @ (r[:, None] * Phi) + lam * np.diag(_mask(v, 0))
    return np.linalg.solve(H, Phi.T @ (r * (a + (t - _sigma(a)) * r)))


def _twice(Phi, t, v, lam):
    return penalised_step(Phi, t, penalised_step(Phi, t, v, lam), lam)


def _descent(Phi, t, v, lam):
    return v - Phi.T @ (_sigma(Phi @ v) - t) - lam * np.append(0, v[1:])


_STEP_SLIPS = [
    (_step_with(bias=(1, 1)), "You penalise the bias, the first entry of v; it stays free."),
    (_step_with(bias=(1, 0)), "In the gradient you penalise the bias, the first entry of v; it stays free."),
    (_step_with(bias=(0, 1)), "In the Hessian you penalise the bias, the first entry of v; it stays free."),
    (_last_free, "You left the last entry of v free; the bias is the first."),
    (_mean_step, "You divided loss or gradient by N but not the penalty; in (8.17) E is a sum over the samples."),
    (_twice, "You took two steps; one is wanted."),
    (_targets_times_weight, "In the targets z (8.14) divide t - p by p (1 - p); you multiplied."),
    (_step_with(slope=0.0, bend=0.0), "The penalty is missing: lam enters the gradient and the Hessian, see (8.17)."),
    (_step_with(slope=0.0), "The penalty is missing in the gradient: add lam (0, w)."),
    (_step_with(bend=0.0), "The penalty is missing in the Hessian: add lam diag(0, 1, ..., 1)."),
    (
        _step_with(slope=2.0, bend=2.0),
        "The penalty is lam w² / 2: its derivative is lam w, its curvature lam, without a 2.",
    ),
    (
        _step_with(slope=0.5, bend=0.5),
        "The penalty is lam w² / 2: its derivative is lam w, its curvature lam; you took half of each.",
    ),
    (_step_with(slope=2.0), "In the gradient the penalty lam w² / 2 gives lam w; you took 2 lam w."),
    (_step_with(slope=0.5), "In the gradient the penalty lam w² / 2 gives lam w; you took half of it."),
    (_step_with(slope=-1.0), "The gradient of the penalty has the wrong sign: add lam (0, w)."),
    (_step_with(pull=-1.0), "The gradient holds prediction minus target, p - t; you took t - p."),
    (_step_with(sign=-1.0), "You went uphill: subtract the step, do not add it."),
    (_step_with(r=np.ones_like), "The weights p (1 - p) are missing in the Hessian."),
    (_step_with(r=lambda p: p), "The weights in the Hessian are p (1 - p); you took p."),
    (_step_with(inverse=False), "You multiplied by the Hessian; solve with it instead."),
    (_step_with(start=False), "This is the step; add it to v and return the new weights."),
    (_step_with(start=False, sign=-1.0), "This is minus the step; return v minus it."),
    (_step_with(fresh=True), "You started from zero weights; start from v."),
    (
        lambda Phi, t, v, lam: v - Phi.T @ (_sigma(Phi @ v) - t),
        "This is a step of gradient descent with rate 1, without the penalty; Newton's solves with H.",
    ),
    (_descent, "This is a step of gradient descent with rate 1; Newton's also solves with H."),
]


@exercise(
    "8.3",
    "A penalised Newton step",
    start="Write down gradient and Hessian of (8.17): what do they add to (8.9) and (8.10), and where not?",
    hints=[
        "p = 1 / (1 + exp(-Phi @ v)). The gradient is Phi.T @ (p - t) plus lam times v with its first entry set to 0.",
        "The Hessian is Phi.T @ R @ Phi, R = diag(p (1 - p)), plus lam diag(0, 1, ..., 1). Solve H delta = gradient.",
        "mask = np.append(0, np.ones(len(v) - 1)); H = Phi.T @ ((p * (1 - p))[:, None] * Phi) + lam * np.diag(mask).",
    ],
    solution=penalised_step,
    explanation="R need not be built: multiply each row of Phi by its weight. solve is safer than the inverse.",
)
def _(answer):
    x8 = np.column_stack([np.ones(8), np.arange(0.5, 4.1, 0.5)])
    cases = [(x8, np.array([0, 0, 1, 0, 1, 0, 1, 1.0]), np.array([0.3, -0.2]), 0.7)]
    for seed, n, m, lam in ((1, 25, 3, 3.0), (2, 40, 2, 0.0), (3, 18, 1, 12.5)):
        rng = np.random.default_rng(seed)
        Phi = np.column_stack([np.ones(n), rng.normal(0.5, 1.5, size=(n, m))])
        t = rng.permutation(np.where(np.arange(n) < n // 2 + 2, 1.0, 0.0))
        cases.append((Phi, t, rng.normal(0, 0.5, size=m + 1), lam))
    expect_function(answer, penalised_step, cases, "The vector of new weights", slips=_STEP_SLIPS)
    return "Right. A few more of these and the gradient of (8.17) is zero."


# --- 8.4 -----------------------------------------------------------------------------------------------------------


def softmax_step_direction(W, X, y):
    A = X @ W.T
    P = np.exp(A - A.max(axis=1, keepdims=True))
    P /= P.sum(axis=1, keepdims=True)
    P[np.arange(len(y)), y] -= 1
    return P.T @ X


def _direction_with(W, X, y, *, axis=1, hard=False, target=True, slope=False, by_row=False):
    """Return the gradient with one thing changed, to recognise typical slips; `by_row` takes the largest of each."""
    A = X @ W.T
    P = np.exp(A - A.max(axis=1 if by_row else None, keepdims=True))
    P = P / P.sum(axis=axis, keepdims=True)
    if hard:
        P = np.eye(len(W))[A.argmax(axis=1)]
    return ((P - np.eye(len(W))[y] * target) * (P * (1 - P) if slope else 1)).T @ X


def _own_class_only(W, X, y):
    A = X @ W.T
    T = np.eye(len(W))[y]
    P = np.exp(A) / np.exp(A).sum(axis=1, keepdims=True)
    return (T * (P - 1)).T @ X


def _classes(seed, n, k, m):
    rng = np.random.default_rng(seed)
    X = np.column_stack([np.ones(n), rng.normal(0.3, 1.2, size=(n, m))])
    return rng.normal(size=(k, m + 1)), X, rng.integers(0, max(2, k - seed % 2), n)


@exercise(
    "8.4",
    "The gradient of softmax regression",
    start="Which shapes have the scores, the probabilities and the targets?",
    hints=[
        "The scores are X @ W.T, shape (N, K). Take the softmax of each row; subtract the largest score first.",
        "One-hot targets: np.eye(K)[y] with K = len(W). Do not take K from the labels: a class may be absent.",
        "(P - np.eye(len(W))[y]).T @ X.",
    ],
    solution=softmax_step_direction,
    explanation="This is (8.24) for all classes at once. The K rows of the result add up to the zero vector.",
)
def _(answer):
    for seed, n, k, m in ((2, 15, 3, 3), (1, 12, 4, 2), (3, 9, 5, 1)):
        W, X, y = _classes(seed, n, k, m)
        try:
            value = answer(W, X, y)
        except Wrong:
            if len(np.unique(y)) == k:
                raise
            try:
                answer(W, X, np.arange(n) % k)
            except Wrong:
                raise Wrong(
                    f"It works for three classes and stops for {k}: take K from W, its number of rows."
                ) from None
            raise Wrong("It works if every class has a sample, and stops if one is absent: take K from W.") from None
        wanted = softmax_step_direction(W, X, y)
        if value is not None and np.shape(value) == (len(np.unique(y)), m + 1) != wanted.shape:
            raise Wrong("You counted the classes in y; a class may be absent. K is the number of rows of W.")
        expect_close(
            value,
            wanted,
            "The gradient",
            known=[
                (-wanted, "This is the direction downhill; the gradient itself is wanted: prediction minus target."),
                (wanted / n, "This is the mean over the samples; the sum is wanted."),
                (_direction_with(W, X, y, hard=True), "You used one-hot predictions; the probabilities are wanted."),
                (_direction_with(W, X, y, axis=0), "Your softmax sums over the samples; it must sum over the classes."),
                (
                    _direction_with(W, X, y, axis=0, by_row=True),
                    "Your softmax sums over the samples; it must sum over the classes.",
                ),
                (
                    (_sigma(X @ W.T) - np.eye(k)[y]).T @ X,
                    "You took a sigmoid per class; the softmax divides by the sum over the classes.",
                ),
                (_direction_with(W, X, y, target=False), "The targets are missing: prediction minus target."),
                (_direction_with(W, X, y, axis=None), "Your softmax sums over the whole table; take each row alone."),
                (
                    _direction_with(W, X, y, slope=True),
                    "The factor p (1 - p) cancels: prediction minus target, times input.",
                ),
                (_own_class_only(W, X, y), "A sample also pushes down the classes it is not of: p - 0 times input."),
                (W - wanted, "This is the weights after a step; the gradient is wanted."),
                (softmax_step_direction(W, X, y - 1), "Classes count from 0 to K - 1; you shifted them by one."),
                ((X @ W.T - np.eye(k)[y]).T @ X, "You took the scores; the probabilities are their softmax."),
            ],
        )
    W, X, y = _classes(4, 10, 3, 2)
    value = np.asarray(answer(500 * W, X, y), dtype=float)
    if not np.isfinite(value).all():
        raise Wrong("For large scores your gradient is not finite: subtract the largest score of each row first.")
    expect_close(value, softmax_step_direction(500 * W, X, y), "The gradient for large scores")
    return "Right. Its K rows add up to the zero vector, because a shift of all scores changes nothing."

"""Tasks and exercises of chapter 10: Bayes' rule, planes, pooled variances, counts, naive Bayes, text, log space."""

import numpy as np

from mlteach.exercises.base import Wrong, brief, call, exercise, expect_close, expect_function


def _numbers(answer):
    """Return a tuple of answers with (1,) and [x] as plain numbers."""
    if not isinstance(answer, (tuple, list)):
        return answer
    return tuple(np.ravel(part)[0] if np.size(part) == 1 else part for part in answer)


# --- 10.a ----------------------------------------------------------------------------------------------------------


@exercise(
    "10.a",
    "A positive test",
    start="What are the joint probabilities, ill and positive, healthy and positive?",
    hints=[
        "Ill and positive: 0.01 * 0.9. Healthy and positive: 0.99 * 0.05.",
        "Divide the first by the sum of both (10.1).",
        "0.009 / (0.009 + 0.0495).",
    ],
    solution=0.1538,
    explanation="0.009 / 0.0585 = 0.154: most alarms come from the many healthy people.",
)
def _(answer):
    expect_close(
        answer,
        0.009 / 0.0585,
        "The chance",
        rtol=0,
        atol=0.0006,
        reveal=False,
        known=[
            (0.009, "This is the joint probability, ill and positive. Divide it by that of all positive tests."),
            (0.9, "This is the chance of a positive test in the ill; the other way round is wanted."),
            (0.0585, "This is the chance of a positive test, the denominator of (10.1)."),
            (0.0495, "These are the false alarms: 0.05 of the healthy, 0.0495 healthy and positive."),
            (0.9 / 0.95, "You gave both the same share: one person in a hundred is ill, 99 are healthy."),
            (0.009 / 0.0495, "These are the odds, ill against healthy; divide by the sum of both instead."),
            (
                0.009 / 0.059,
                "If you divided by 0.059: the false alarms come from 99 %, not from all. If not: round, not cut.",
            ),
            (0.95, "This is the chance of a negative test in the healthy."),
            (0.009 / 0.054, "You rounded the share of the healthy: it is 0.99, so 0.99 * 0.05."),
            (0.01, "This is the chance before the test."),
            (15.4, "A chance lies between 0 and 1: not in per cent, please."),
            (15.38, "A chance lies between 0 and 1: not in per cent, please."),
        ],
    )
    return "Right: a good test and a rare illness make mostly false alarms."


# --- 10.b ----------------------------------------------------------------------------------------------------------

_OFFSET = -2 + np.log(0.25)


@exercise(
    "10.b",
    "A plane by hand",
    start="Σ is diagonal. What is its inverse?",
    hints=[
        "Σ⁻¹ has 1/2 and 2 on the diagonal, and w = Σ⁻¹ (μ1 - μ0).",
        "μ0 = 0, so b = -½ μ1 · w + ln(π1/π0), and π1 = 1/5.",
        "b = -½ (2 * 1 + 1 * 2) + ln(0.2 / 0.8).",
    ],
    solution=(1.0, 2.0, round(float(_OFFSET), 4)),
    explanation="w = (2/2, 1/0.5) = (1, 2); b = -½ (2 + 2) + ln(1/4) = -2 - 1.3863.",
)
def _(answer):
    expect_close(
        answer,
        (1.0, 2.0, _OFFSET),
        "The plane",
        rtol=0,
        atol=0.0012,
        reveal=False,
        names="w1, w2, b",
        known=[
            ((4.0, 0.5, ...), "You multiplied by Σ; (10.3) multiplies by its inverse."),
            ((2.0, 1.0, ...), "This is the difference of the means; Σ⁻¹ is missing."),
            ((-1.0, -2.0, ...), "The sign of w: it points from class 0 to class 1."),
            ((2 / np.sqrt(2), 1 / np.sqrt(0.5), ...), "You divided by the standard deviations; Σ holds variances."),
            ((1.0, 2.0, -2.0), "The shares are missing in b: ln(π1/π0)."),
            ((1.0, 2.0, -2 + 0.25), "In b stands the logarithm of the quotient of the shares, not the quotient."),
            ((1.0, 2.0, -2 - np.log(0.25)), "ln(π1/π0) with the rarer class on top is negative; yours is positive."),
            ((1.0, 2.0, -2 + np.log(0.2)), "Divide the share of class 1 by that of class 0: ln(0.2 / 0.8)."),
            ((1.0, 2.0, -4 + np.log(0.25)), "The factor ½ in b is missing."),
            ((1.0, 2.0, 2 + np.log(0.25)), "The term of class 1 in b has a minus: -½ μ1ᵀΣ⁻¹μ1."),
            ((1.0, 2.0, -_OFFSET), "b has the wrong sign."),
            ((1.0, 2.0, -2 + np.log10(0.25)), "You took the logarithm with base 10; the natural one is wanted."),
            ((1.0, 2.0, np.log(0.25)), "The terms with the means are missing in b."),
            ((1.0, 2.0, -2.5 + np.log(0.25)), "You used μ1·μ1 in b; μ1ᵀΣ⁻¹μ1 = μ1·w is wanted."),
            ((2.0, 1.0, _OFFSET), "w1 and w2 are exchanged, or Σ⁻¹ is missing."),
        ],
    )
    return "Right: the feature with the small variance counts most."


# --- 10.c ----------------------------------------------------------------------------------------------------------


@exercise(
    "10.c",
    "One variance for two classes",
    start="What are the two means, and the squared distances from them?",
    hints=[
        "The means are 2 and 7. The squared distances are 4, 4 and 4, 1, 0, 9.",
        "Their sum is 22; divide it by the number of all samples (10.5).",
        "v = 22/6, and w = (7 - 2) / v.",
    ],
    solution=(round(22 / 6, 4), round(30 / 22, 4)),
    explanation="Q = 8 + 14 = 22 around the class means, v = 22/6 = 3.667; w = 5 / 3.667 = 1.364.",
)
def _(answer):
    v = 22 / 6
    everything = np.array([0, 4, 5, 6, 7, 10])
    expect_close(
        _numbers(answer),
        (v, 5 / v),
        "The answer",
        rtol=0,
        atol=0.0012,
        reveal=False,
        names="the variance, w",
        known=[
            (
                (everything.var(), ...),
                "You took distances from the mean of all; take them from the mean of each class.",
            ),
            ((3.75, ...), "You took the plain mean of 4 and 3.5; weight them with the shares 2/6 and 4/6."),
            ((22 / 4, ...), "You divided by N - K; maximum likelihood divides by N."),
            ((22 / 5, ...), "You divided by N - 1; maximum likelihood divides by N."),
            ((22.0, ...), "This is the sum of the squares; divide it by N."),
            ((np.sqrt(v), ...), "This is the standard deviation; the variance is wanted."),
            ((3.5, ...), "This is the variance of class 1 alone; class 0 belongs to it."),
            ((4.0, ...), "This is the variance of class 0 alone; class 1 belongs to it."),
            (((8 + 14 / 3) / 2, ...), "You averaged two variances with N_k - 1; add up all squares and divide by N."),
            ((7.5, ...), "You added the two variances; (10.5) weights them with the shares."),
            ((v, 5 / np.sqrt(v)), "The variance is right. w divides by the variance, not by its root."),
            ((v, -5 / v), "The variance is right; w has the wrong sign: it points to class 1."),
            ((v, 5 * v), "The variance is right. w is the difference of the means divided by it."),
            ((v, 5.0), "The variance is right. w is the difference of the means divided by it."),
            ((v, 1.36), "w is rounded too far; three decimals or better, please."),
            ((v, ...), "The variance is right; w is not. It is (μ1 - μ0) / v."),
        ],
    )
    return "Right. Every sample counts once, around the mean of its own class."


# --- 10.d ----------------------------------------------------------------------------------------------------------


@exercise(
    "10.d",
    "Counting parameters",
    start="Shares, means, covariances: count them one after the other.",
    hints=[
        "Of four shares 3 are free; the means have 4 * 6 entries.",
        "A symmetric 6 x 6 matrix has 6 * 7 / 2 = 21 different entries; once, or four times.",
        "3 + 24 + 21 and 3 + 24 + 84.",
    ],
    solution=(48, 111),
    explanation="(K - 1) + K d + d (d + 1) / 2 = 48; with K covariances 3 + 24 + 4 * 21 = 111.",
)
def _(answer):
    expect_close(
        _numbers(answer),
        (48, 111),
        "The count",
        rtol=0,
        atol=0.1,
        reveal=False,
        names="shared, own",
        known=[
            ((49, 112), "The shares sum to one: only K - 1 of them are free."),
            ((45, 108), "The shares are missing."),
            ((63, 171), "A covariance is symmetric: 21 of its 36 entries are free."),
            ((42, 87), "A symmetric matrix also has its diagonal: d (d + 1) / 2 entries, not d (d - 1) / 2."),
            ((30, 93), "Every class has a mean of its own: K d entries, not d."),
            ((111, 48), "The right numbers in the wrong order: shared first."),
            ((24, 87), "The means are missing: every class has six entries."),
            ((21, 84), "The shares and the means are missing."),
            ((27, 27), "The covariances are missing."),
            ((33, 51), "You counted only variances; the covariances are parameters too."),
            ((48, 69), "The first is right. With own covariances each of the four classes has 21 entries."),
            ((48, ...), "The first is right; the second is not. Each of the four classes has its own 21 entries."),
        ],
    )
    return "Right. Own covariances more than double the bill."


# --- 10.e ----------------------------------------------------------------------------------------------------------

_YES, _NO = 9 / 14 * 3 / 9 * 2 / 9 * 3 / 9 * 6 / 9, 5 / 14 * 2 / 5 * 2 / 5 * 4 / 5 * 2 / 5


@exercise(
    "10.e",
    "A hot and rainy day",
    start="Multiply the share of Yes with four shares from the table, then the same for No.",
    hints=[
        "Yes: 9/14 * 3/9 * 2/9 * 3/9 * 6/9.",
        "No: 5/14 * 2/5 * 2/5 * 4/5 * 2/5. Then divide by the sum.",
        "0.01058 / (0.01058 + 0.01829).",
    ],
    solution=round(_YES / (_YES + _NO), 4),
    explanation="Yes 0.01058, No 0.01829; 0.01058 / 0.02887 = 0.367.",
)
def _(answer):
    yes, no = _YES * 14 / 9, _NO * 14 / 5
    expect_close(
        answer,
        _YES / (_YES + _NO),
        "The chance",
        rtol=0,
        atol=0.0006,
        reveal=False,
        known=[
            (_YES, "This is the joint probability of Yes; divide it by the sum of both."),
            (_NO, "This is the joint probability of No."),
            (_YES / _NO, "These are the odds, Yes against No; divide by the sum of both."),
            (_NO / (_YES + _NO), "This is the chance of No."),
            (yes / (yes + no), "The shares of the classes, 9/14 and 5/14, are missing."),
            (
                _YES * (9 / 14) ** 3 / (_YES * (9 / 14) ** 3 + _NO * (5 / 14) ** 3),
                "The share of the class enters once, not once per attribute.",
            ),
            (_YES + _NO, "This is the sum of both joint probabilities, the denominator."),
            (36.66, "A chance lies between 0 and 1: not in per cent, please."),
            (36.7, "A chance lies between 0 and 1: not in per cent, please."),
            (
                0.8586572,
                "You took the share of Yes among the rainy days; the share of rain among the days of Yes is wanted.",
            ),
            (0.5365126, "The day is hot, not mild."),
            (0.1617076, "The wind is weak on this day, not strong."),
            (0.4463874, "These estimates are smoothed; the raw counts are wanted."),
            (0.204583, "This is the day of the text; here it is rain, hot, high, weak."),
        ],
    )
    return "Right: they stay at home, but it is no longer a clear case."


# --- 10.f ----------------------------------------------------------------------------------------------------------


@exercise(
    "10.f",
    "tf-idf by hand",
    start="How many of the three words are rain, and how many of the four documents contain it?",
    hints=[
        "tf = 2/3: two of the three words of the first document.",
        "Two of the four documents contain rain: idf = ln(4/2).",
        "2/3 * ln 2.",
    ],
    solution=round(float(2 / 3 * np.log(2)), 4),
    explanation="tf-idf = 2/3 * ln(4/2) = 0.462. The two occurrences in one document count as one document.",
)
def _(answer):
    expect_close(
        answer,
        2 / 3 * np.log(2),
        "The weight",
        rtol=0,
        atol=0.0006,
        reveal=False,
        known=[
            (2 * np.log(2), "You used the count 2; tf is its share in the words of this document, 2/3."),
            (np.log(2), "This is the idf alone; multiply it by tf = 2/3."),
            (2 / 3 * np.log(4), "This is 2/3 ln N; in the logarithm N is divided by the documents that contain rain."),
            (np.log(2) / 2, "tf is the share of rain in the words of the first document, 2/3."),
            (2 / 9 * np.log(2), "tf divides by the words of this document, 3, not of all."),
            (2 / 3 * (np.log(5 / 3) + 1), "Here nothing is smoothed or added to the logarithm: ln(N / n_j)."),
            (2 / 3 * np.log(3), "N counts documents, 4, and n_j those that contain the word, 2."),
            (2 / 3, "This is tf alone; multiply it by ln(N / n_j)."),
            (2 / 3 * np.log(4 / 3), "n_j counts documents that contain the word, 2, not its occurrences, 3."),
            (3 / 9 * np.log(2), "tf counts inside this document, not in all of them."),
            (2 / 3 * np.log10(2), "You took the logarithm with base 10; the natural one is wanted."),
            (2 / 3 * np.log2(2), "You took the logarithm with base 2; the natural one is wanted."),
            (-2 / 3 * np.log(2), "The quotient is N / n_j, so the logarithm is not negative."),
            (2 / 3 * 2, "The logarithm of N / n_j is missing."),
            (2 / 3 * (np.log(2) + 1), "Here nothing is added to the logarithm; (10.13) has no 1."),
        ],
    )
    return "Right."


# --- 10.g ----------------------------------------------------------------------------------------------------------


@exercise(
    "10.g",
    "An urn and a coin",
    start="How many words has the class, and how many documents?",
    hints=[
        "The urn counts words: 3 of 7 are rain. The coin counts documents: 2 of 3 contain it.",
        "The urn gets 2 virtual copies of each of the five words; the coin 2 documents with the word and 2 without.",
        "(3 + 2) / (7 + 2 * 5) and (2 + 2) / (3 + 2 * 2).",
    ],
    solution=(round(5 / 17, 4), round(4 / 7, 4)),
    explanation="Urn: (3 + 2) / (7 + 10) = 0.294. Coin: (2 + 2) / (3 + 4) = 0.571.",
)
def _(answer):
    urn, coin = 5 / 17, 4 / 7
    expect_close(
        _numbers(answer),
        (urn, coin),
        "The answer",
        rtol=0,
        atol=0.0006,
        reveal=False,
        names="urn, coin",
        known=[
            ((coin, urn), "The right numbers in the wrong order: the urn first."),
            ((3 / 7, 2 / 3), "There is no smoothing in these shares; α is 2."),
            ((4 / 12, 3 / 5), "You smoothed with α = 1; here it is 2."),
            ((3 / 7, ...), "The urn is not smoothed."),
            ((4 / 12, ...), "You smoothed the urn with α = 1; here it is 2."),
            ((5 / 9, ...), "In the urn each of the five words gets α: the divisor is 7 + 5 α."),
            ((5 / 11, ...), "The divisor of the urn is T_k + α |V|, not T_k + 2 α."),
            (
                (5 / 13, ...),
                "The divisor of the urn is 7 + 2 · 5: seven words, and α for every word of the vocabulary.",
            ),
            ((5 / 12, ...), "The divisor of the urn gets α |V| = 10, not 5."),
            ((5 / 7, ...), "In the urn the virtual words are missing below."),
            ((4 / 17, ...), "The urn counts how often the word occurs, 3, not in how many documents."),
            ((urn, 2 / 3), "The urn is right; the coin is not smoothed."),
            ((urn, 3 / 5), "The urn is right; the coin is smoothed with α = 1, here it is 2."),
            ((urn, 4 / 5), "The urn is right. The coin has two sides: its divisor is N_k + 2 α."),
            ((urn, 5 / 7), "The urn is right. The coin counts documents that contain the word, 2."),
            ((urn, 4 / 13), "The urn is right. The coin has two sides, not five: its divisor is N_k + 2 α."),
            ((urn, ...), "The urn is right; the coin is not."),
            ((..., coin), "The coin is right; the urn is not."),
        ],
    )
    return "Right: the urn counts words, the coin documents."


# --- 10.1 ----------------------------------------------------------------------------------------------------------


def chances(log_joint):
    shifted = log_joint - log_joint.max(axis=1, keepdims=True)
    p = np.exp(shifted)
    return p / p.sum(axis=1, keepdims=True)


def _divided(log_joint):
    p = np.exp(log_joint)
    return p / p.sum(axis=1, keepdims=True)


_CHANCE_SLIPS = [
    (lambda J: np.exp(J), "These are the joint probabilities; divide each row by its sum."),
    (lambda J: np.exp(J - J.max(axis=1, keepdims=True)), "The division by the sum of the row is missing."),
    (lambda J: J - np.logaddexp.reduce(J, axis=1, keepdims=True), "These are logarithms; take the exponential."),
    (lambda J: chances(J.T).T, "Each row must sum to one; yours sums over the samples."),
    (lambda J: J, "These are the logarithms as they came; take the exponential and divide by the sum of the row."),
    (lambda J: chances(J * np.log(10)), "You took powers of 10; the logarithms are natural ones, so np.exp is wanted."),
    (
        lambda J: np.exp(J - J.max(axis=1, keepdims=True)) / np.exp(J - J.max(axis=1, keepdims=True)).sum(),
        "You divided by the sum of the whole table; each row has its own.",
    ),
    (lambda J: np.exp(J) / np.exp(J).sum(), "You divided by the sum of the whole table; each row has its own."),
    (lambda J: J / J.sum(axis=1, keepdims=True), "You divided the logarithms; take the exponential first."),
    (lambda J: np.eye(J.shape[1])[J.argmax(axis=1)], "You return the winner only; the chances of all are wanted."),
]


@exercise(
    "10.1",
    "Chances that survive",
    start="Bayes' rule divides by the sum. What can be subtracted from a whole row without changing the result?",
    hints=[
        "A factor that all classes share cancels in (10.1): subtract one number from the whole row of logarithms.",
        "Subtract the largest of each row, so that the largest exponential is 1 (10.14).",
        "A = J - J.max(axis=1, keepdims=True); p = np.exp(A); p / p.sum(axis=1, keepdims=True).",
    ],
    solution=chances,
    explanation="After the subtraction the sum of each row lies between 1 and K. exp(-inf) is 0, as it should be.",
)
def _(answer):
    easy = np.log([[0.027, 0.017], [0.0206, 0.0053]])
    more = np.log(np.random.default_rng(0).uniform(0.01, 0.9, size=(4, 3)))
    expect_function(answer, chances, [(easy,), (more,), (more[:1] - 3.0,)], "The table", slips=_CHANCE_SLIPS)
    for J, where in (
        (np.array([[-5000.0, -5001.0, -5003.0]]), "entries such as -5000"),
        (np.array([[2000.0, 1999.0]]), "entries such as 2000 (a density may be large)"),
        (np.array([[-5000.0, -5002.0], [-10.0, -11.0]]), "rows of very different size"),
        (np.array([[-np.inf, -3.0, -4.0]]), "a class with -inf"),
    ):
        value = np.asarray(answer(J.copy()), dtype=float)
        if value.shape != J.shape or not np.isfinite(value).all():
            raise Wrong(f"For {where}, {J.tolist()}, your function gives {np.round(value, 4).tolist()}. "
                        "Subtract the largest of each row before the exponential.")  # fmt: skip
        if not np.allclose(value, chances(J), atol=1e-7):
            raise Wrong(f"For {where}, {J.tolist()}, the chances are {np.round(chances(J), 4).tolist()}; "
                        f"yours are {np.round(value, 4).tolist()}.")  # fmt: skip
    return "Right, from ordinary numbers to documents of any length."


# --- 10.2 ----------------------------------------------------------------------------------------------------------


def plane(mu_0, mu_1, Sigma, pi_1):
    w = np.linalg.solve(Sigma, mu_1 - mu_0)
    b = -0.5 * (mu_1 + mu_0) @ w + np.log(pi_1 / (1 - pi_1))
    return w, float(b)


def _plane_with(matrix=None, prior="log", half=0.5, sign=1.0, swap=False, own=True):
    """Return a plane with one thing changed, to recognise typical slips."""

    def wrong(mu_0, mu_1, Sigma, pi_1):
        if swap:
            mu_0, mu_1, pi_1 = mu_1, mu_0, 1 - pi_1
        M = np.linalg.inv(Sigma) if matrix is None else matrix(Sigma)
        w = M @ (mu_1 - mu_0)
        odds = pi_1 / (1 - pi_1)
        shares = {"log": np.log(odds), "none": 0.0, "plain": odds, "minus": -np.log(odds), "alone": np.log(pi_1)}
        shares = {**shares, "ten": np.log10(odds)}[prior]
        means = mu_1 @ M @ mu_1 - (mu_0 @ M @ mu_0 if own else 0.0)
        return w, float(-sign * half * means + shares)

    return wrong


_PLANE_SLIPS = [
    (_plane_with(matrix=lambda S: S), "You multiplied by Σ; (10.3) multiplies by its inverse."),
    (_plane_with(matrix=lambda S: np.eye(len(S))), "Σ⁻¹ is missing: this is the plane between the nearest means."),
    (_plane_with(matrix=lambda S: np.diag(1 / np.diag(S))), "You used only the variances; Σ has correlations, too."),
    (_plane_with(prior="none"), "The shares are missing in b: ln(π1 / (1 - π1))."),
    (_plane_with(prior="plain"), "In b stands the logarithm of π1 / (1 - π1), not the quotient itself."),
    (_plane_with(prior="minus"), "The sign of the shares: a rare class 1 needs a smaller b."),
    (_plane_with(prior="alone"), "ln π1 alone is not enough; divide by the share of class 0, 1 - π1."),
    (_plane_with(half=1.0), "The factor ½ in b is missing."),
    (_plane_with(sign=-1.0), "The terms with the means in b have the wrong signs: minus for class 1."),
    (_plane_with(swap=True), "The classes are swapped: σ(w·x + b) must be the chance of class 1."),
    (_plane_with(own=False), "The term of class 0, +½ μ0ᵀΣ⁻¹μ0, is missing in b."),
    (_plane_with(prior="ten"), "You took the logarithm with base 10; the natural one is wanted."),
    (
        _plane_with(matrix=lambda S: np.diag(np.diag(S) ** -0.5)),
        "You divided by the standard deviations; (10.3) multiplies by Σ⁻¹.",
    ),
    (
        lambda mu_0, mu_1, Sigma, pi_1: (
            np.linalg.solve(Sigma, mu_1 - mu_0),
            -0.5 * (mu_1 - mu_0) @ np.linalg.solve(Sigma, mu_1 - mu_0) + np.log(pi_1 / (1 - pi_1)),
        ),
        "w is right. In b stands the sum of the means, -½ (μ1 + μ0)·w, not their difference.",
    ),
    (
        lambda mu_0, mu_1, Sigma, pi_1: (
            np.linalg.solve(Sigma, mu_1 - mu_0),
            -0.5 * mu_1 @ np.linalg.solve(Sigma, mu_1 - mu_0) + np.log(pi_1 / (1 - pi_1)),
        ),
        "w is right. In b μ0 is missing: -½ (μ1 + μ0)·w. Without it the formula holds for μ0 = 0 only.",
    ),
    (
        lambda mu_0, mu_1, Sigma, pi_1: (
            np.linalg.solve(Sigma, mu_1 - mu_0),
            -0.5 * (mu_1 @ mu_1 - mu_0 @ mu_0) + np.log(pi_1 / (1 - pi_1)),
        ),
        "w is right. In b Σ⁻¹ is missing: -½ μ1ᵀΣ⁻¹μ1 + ½ μ0ᵀΣ⁻¹μ0.",
    ),
    (
        lambda mu_0, mu_1, Sigma, pi_1: (np.linalg.solve(Sigma, mu_1 + mu_0), plane(mu_0, mu_1, Sigma, pi_1)[1]),
        "w takes the difference of the means, μ1 - μ0, not their sum.",
    ),
    (
        lambda *args: tuple(part / np.linalg.norm(plane(*args)[0]) for part in plane(*args)),
        "You scaled w to length one: the boundary stays, but σ(w·x + b) is no longer the chance.",
    ),
    (
        lambda mu_0, mu_1, Sigma, pi_1: (plane(mu_0, mu_1, Sigma, pi_1)[0], -plane(mu_0, mu_1, Sigma, pi_1)[1]),
        "w is right; b has the wrong sign.",
    ),
]


@exercise(
    "10.2",
    "The plane of two Gaussians",
    start="Solve with Σ for w; then compute the three terms of b.",
    hints=[
        "w = np.linalg.solve(Sigma, mu_1 - mu_0).",
        "-½ μ1ᵀΣ⁻¹μ1 + ½ μ0ᵀΣ⁻¹μ0 is -½ (μ1 + μ0)·w.",
        "b = -0.5 * (mu_1 + mu_0) @ w + np.log(pi_1 / (1 - pi_1)).",
    ],
    solution=plane,
    explanation="Multiplying (μ1 + μ0)ᵀΣ⁻¹(μ1 - μ0) out, the mixed terms cancel because Σ is symmetric.",
)
def _(answer):
    cases = [(np.array([-1.0, 0.0]), np.array([1.0, 2.0]), np.array([[2, 0.5], [0.5, 1]]), 0.3)]
    for seed, d in ((1, 3), (2, 2), (3, 1)):
        rng = np.random.default_rng(seed)
        A = rng.normal(size=(d, d)) + 2 * np.eye(d)
        cases.append((rng.normal(size=d), rng.normal(size=d), A @ A.T, float(rng.uniform(0.1, 0.9))))
    expect_function(answer, plane, cases, "The plane", slips=_PLANE_SLIPS, names="w, b")
    return "Right: logistic regression without a single iteration."


# --- 10.3 ----------------------------------------------------------------------------------------------------------


def urns_of_words(X, y, alpha):
    T = np.array([X[y == label].sum(axis=0) for label in np.unique(y)]) + alpha
    return T / T.sum(axis=1, keepdims=True)


def _smoothed_counts(X, y, alpha):
    return np.array([X[y == label].sum(axis=0) for label in np.unique(y)]) + alpha


def _urns_with(rows):
    def wrong(X, y, alpha):
        return np.array([rows(X[y == label], alpha, X) for label in np.unique(y)])

    return wrong


_URN_SLIPS = [
    (lambda X, y, alpha: urns_of_words(X, y, 0 * alpha), "There is no smoothing in your estimates."),
    (lambda X, y, alpha: urns_of_words(X, y, 1.0), "You add 1 to every count; add alpha."),
    (
        _urns_with(lambda A, a, X: (A.sum(axis=0) + a) / (A.sum() + a)),
        "Your rows do not sum to one: every one of the d words gets alpha, so the divisor gets alpha times d.",
    ),
    (
        _urns_with(lambda A, a, X: (A.sum(axis=0) + a) / A.sum()),
        "Your rows do not sum to one: the virtual words are missing in the divisor.",
    ),
    (
        _urns_with(lambda A, a, X: (A.sum(axis=0) + a) / (A.sum() + 2 * a)),
        "The divisor is that of coins (10.15); with d words in an urn it is T_k + alpha d.",
    ),
    (
        _urns_with(lambda A, a, X: (A.sum(axis=0) + a) / (len(A) + 2 * a)),
        "You divided by the number of documents; divide by the number of words of the class.",
    ),
    (
        _urns_with(lambda A, a, X: ((A > 0).sum(axis=0) + a) / (len(A) + 2 * a)),
        "These are the coins of (10.15): in how many documents a word occurs. Here words are counted.",
    ),
    (
        _urns_with(lambda A, a, X: ((A > 0).sum(axis=0) + a) / ((A > 0).sum() + a * A.shape[1])),
        "You counted documents that contain the word; count how often it occurs.",
    ),
    (
        _urns_with(lambda A, a, X: ((A + a) / (A.sum(axis=1, keepdims=True) + a * A.shape[1])).sum(axis=0)),
        "You smoothed document by document and added up; add up the counts of the class first.",
    ),
    (
        _urns_with(lambda A, a, X: ((A + a) / (A.sum(axis=1, keepdims=True) + a * A.shape[1])).mean(axis=0)),
        "You averaged over the documents; add up the counts of the class first, then divide.",
    ),
    (
        _urns_with(lambda A, a, X: (A.sum(axis=0) + a) / (X.sum() + a * A.shape[1])),
        "You divided by the words of all classes; each class has its own urn.",
    ),
    (
        _urns_with(lambda A, a, X: (A.sum(axis=0) + a) / (X.sum(axis=0) + a)),
        "You divided by how often the word occurs in all classes; divide by all words of this class.",
    ),
    (
        _urns_with(lambda A, a, X: (A.sum(axis=0) + a) / (A.sum() + 3 * a)),
        "The divisor gets alpha for each of the d words, X.shape[1]; you have 3, as in the example.",
    ),
    (
        _urns_with(lambda A, a, X: (A.sum(axis=0) + a) / (A.sum() + A.shape[1])),
        "The divisor gets alpha times d, not d.",
    ),
    (
        _urns_with(lambda A, a, X: (A.sum(axis=0) + 1) / (A.sum() + a * A.shape[1])),
        "Above you add 1 to the count; add alpha.",
    ),
    (
        _urns_with(lambda A, a, X: (A.sum(axis=0) + a / A.shape[1]) / (A.sum() + a)),
        "Every word gets alpha, not alpha divided by d.",
    ),
    (
        _urns_with(lambda A, a, X: (A.mean(axis=0) + a) / (A.mean(axis=0) + a).sum()),
        "You took the mean over the documents; add up the counts of the class, then add alpha.",
    ),
    (
        lambda X, y, alpha: np.array(
            [(X[y == c].sum(axis=0) + alpha) / (X[y == c].sum() + alpha * len(np.unique(y))) for c in np.unique(y)]
        ),
        "The divisor gets alpha times the number of words, d, not the number of classes.",
    ),
    (
        lambda X, y, alpha: _smoothed_counts(X, y, alpha) / _smoothed_counts(X, y, alpha).sum(axis=0),
        "Your columns sum to one: the rows must. Divide by all words of the class.",
    ),
    (
        lambda X, y, alpha: _smoothed_counts(X, y, alpha) / _smoothed_counts(X, y, alpha).sum(),
        "You divided by the sum of the whole table; each class has its own urn.",
    ),
    (
        lambda X, y, alpha: np.array(
            [urns_of_words(X, y, alpha)[np.unique(y).tolist().index(c)] for c in dict.fromkeys(y.tolist())]
        ),
        "The classes come in sorted order, not in the order in which they appear.",
    ),
    (lambda X, y, alpha: urns_of_words(X, y, alpha).T, "The table is transposed: one row for each class."),
    (lambda X, y, alpha: np.log(urns_of_words(X, y, alpha)), "These are logarithms; the probabilities are wanted."),
    (lambda X, y, alpha: urns_of_words(X, y, alpha)[::-1], "The classes come in sorted order."),
    (
        _urns_with(lambda A, a, X: A.sum(axis=0) + a),
        "These are the smoothed counts; divide each row by its sum.",
    ),
    (
        lambda X, y, alpha: urns_of_words(
            np.vstack([X[np.isin(y, range(len(set(y))))], 0 * X[: len(set(y))]]),
            np.append(y[np.isin(y, range(len(set(y))))], range(len(set(y)))),
            alpha,
        ),
        "Labels need not be 0, 1, 2, ...: take them from np.unique(y).",
    ),
]


@exercise(
    "10.3",
    "Urns of words",
    start="How often does each word occur in all documents of one class together?",
    hints=[
        "X[y == label].sum(axis=0) are the counts T_kj of one class.",
        "Add alpha to every count, and divide the row by its sum: that is T_k + alpha d.",
        "T = np.array([X[y == c].sum(axis=0) for c in np.unique(y)]) + alpha; T / T.sum(axis=1, keepdims=True).",
    ],
    solution=urns_of_words,
    explanation="Dividing the smoothed counts by their own sum makes every row sum to one, whatever alpha is.",
)
def _(answer):
    urn = np.array([[2, 1, 0], [1, 0, 1], [0, 3, 1], [0, 0, 4], [1, 0, 2]])
    cases = [(urn, np.array([0, 0, 0, 1, 1]), 1.0)]
    for seed, k, d, alpha in ((1, 3, 4, 0.5), (2, 2, 6, 2.5), (3, 4, 5, 0.1)):
        rng = np.random.default_rng(seed)
        y = np.append(np.arange(k)[::-1], rng.integers(0, k, 9))
        cases.append((rng.poisson(1.4, size=(len(y), d)), 3 * y - 2, alpha))
    expect_function(answer, urns_of_words, cases, "The table", slips=_URN_SLIPS)
    return "Right: one urn for each class, and no word that cannot be drawn."


# --- 10.4 ----------------------------------------------------------------------------------------------------------

_LOW, _HIGH = ((-1 + s * np.sqrt(4 + 24 * np.log(2))) / 3 for s in (-1, 1))


@exercise(
    "10.4",
    "Two thresholds",
    start="Write a(x) of (10.2) for two normal laws with variances 1 and 4, and set it to zero.",
    hints=[
        "a(x) = -½ ln 4 - (x - 1)²/8 + x²/2; the factor 1/√v of each density gives the first term.",
        "Times 8: 3x² + 2x - 1 - 8 ln 2 = 0.",
        "x = (-1 ± √(4 + 24 ln 2)) / 3.",
    ],
    solution=(round(float(_LOW), 4), round(float(_HIGH), 4)),
    explanation="3x² + 2x - (1 + 8 ln 2) = 0 has the roots -1.848 and 1.181: the wide class wins on both sides.",
)
def _(answer):
    def ends(c):
        return tuple((-1 + s * np.sqrt(4 + 3 * c)) / 3 for s in (-1, 1))

    wide = np.sort(np.roots([1 / 2 - 1 / 32, 1 / 16, -1 / 32 - np.log(4)]).real)
    known = [
        (wide, "You squared the 4 once more: it is the variance already, not the standard deviation."),
        (ends(0.0), "The factors 1/√v of the densities are missing: they give -½ ln 4."),
        (ends(16 * np.log(2)), "The first term of a is -½ ln 4 = -ln 2; the ½ is missing in yours."),
        (ends(-8 * np.log(2)), "The sign of ½ ln 4: the wide class has the lower peak."),
        ((_HIGH, _LOW), "The right numbers in the wrong order: the smaller first."),
        ((-1.3596, 1.3596), "These are the ends of the text, for equal means; here class 1 has the mean 1."),
        ((-_HIGH, -_LOW), "The mean of class 1 is 1: (x - 1)², not (x + 1)²."),
        ((-1.85, 1.18), "Rounded too far: three decimals or better, please."),
        ((-1.3596 + 1, 1.3596 + 1), "You moved the ends of the text by 1; the mean of class 0 stays at 0."),
        ((0.5, 0.5), "Halfway between the means is right only for equal variances."),
        ((_LOW, ...), "The smaller end is right; the larger is not."),
        ((..., _HIGH), "The larger end is right; the smaller is not."),
    ]
    expect_close(
        _numbers(answer),
        (_LOW, _HIGH),
        "The interval",
        rtol=0,
        atol=0.0012,
        reveal=False,
        names="the smaller end, the larger end",
        known=known,
    )
    return "Right: inside lives the narrow class, outside on both sides the wide one."


# --- 10.5 ----------------------------------------------------------------------------------------------------------


def section_of(texts, labels, sentence, alpha):
    vocabulary = {word for text in texts for word in text.lower().split()}
    scores = {}
    for label in sorted(set(labels)):
        urn = [word for text, other in zip(texts, labels) if other == label for word in text.lower().split()]
        scores[label] = np.log(labels.count(label) / len(labels))
        for word in sentence.lower().split():
            if word in vocabulary:
                scores[label] += np.log((urn.count(word) + alpha) / (len(urn) + alpha * len(vocabulary)))
    return max(scores, key=scores.get)


def _section_with(
    prior=True,
    unknown=False,
    smooth=None,
    size=True,
    logs=True,
    lower=True,
    once=False,
    own=False,
    seen=False,
    asked_too=False,
    everybody=False,
    by_words=False,
    best=max,
):
    """Return a classifier with one thing changed, to recognise typical slips."""

    def wrong(texts, labels, sentence, alpha):
        alpha = alpha if smooth is None else smooth
        split = (lambda t: t.lower().split()) if lower else str.split
        words = {w for t in texts for w in split(t)} | (set(split(sentence)) if asked_too else set())
        joint = {}
        for label in sorted(set(labels)):
            mine = [split(t) for t, other in zip(texts, labels) if other == label]
            urn = [w for text in mine for w in (sorted(set(text)) if seen else text)]
            whole = sum(len(split(t)) for t in texts) if everybody else len(urn)
            share = len(urn) / sum(len(split(t)) for t in texts) if by_words else len(mine) / len(labels)
            factors = [share] if prior else [1.0]
            d = len(set(urn)) if own else len(words)
            asked = sorted(set(split(sentence))) if once else split(sentence)
            for word in asked:
                if word in words or unknown:
                    factors.append((urn.count(word) + alpha) / (whole + alpha * (d if size else 1)))
            joint[label] = np.log(factors).sum() if logs else np.prod(factors)
        return best(joint, key=joint.get)

    return wrong


def _coins(texts, labels, sentence, alpha):
    """Return the class by Bernoulli naive Bayes (10.15), which is not asked for."""
    words = sorted({w for t in texts for w in t.lower().split()})
    scores = {}
    for label in sorted(set(labels)):
        mine = [t.lower().split() for t, other in zip(texts, labels) if other == label]
        theta = [(sum(w in text for text in mine) + alpha) / (len(mine) + 2 * alpha) for w in words]
        present = [w in sentence.lower().split() for w in words]
        scores[label] = np.log(len(mine)) + sum(np.log(q if here else 1 - q) for q, here in zip(theta, present))
    return max(scores, key=scores.get)


_SECTION_SLIPS = [
    (_section_with(logs=False), "For a long sentence your products underflow to 0; add logarithms."),
    (_section_with(prior=False), "The shares of the classes are missing: start with ln of the share."),
    (_section_with(unknown=True), "A word that no text contains says nothing; pass over it."),
    (_section_with(smooth=1.0), "You add 1 to every count; add alpha."),
    (_section_with(smooth=1e-9), "There is no smoothing in your counts; add alpha."),
    (_section_with(smooth=0.0), "There is no smoothing in your counts; add alpha."),
    (_section_with(size=False), "The divisor gets alpha times the number of words in the vocabulary, not alpha."),
    (_section_with(own=True), "Count the vocabulary of all texts in the divisor, not that of the class alone."),
    (_section_with(once=True), "A word that occurs twice in the sentence counts twice."),
    (_section_with(seen=True), "A word that occurs twice in a text counts twice in its urn."),
    (_section_with(asked_too=True), "The vocabulary comes from the texts alone, not from the sentence."),
    (_section_with(everybody=True), "Divide by the words of the class, not by the words of all texts."),
    (_section_with(by_words=True), "The share of a class is that of its texts, not of its words."),
    (_section_with(best=min), "You take the least probable class; take the most probable one."),
    (_coins, "These are the coins of (10.15); the multinomial model (10.16) is wanted."),
    (lambda texts, labels, sentence, alpha: labels[0], "You always return the first label."),
    (_section_with(lower=False), "Capitals: make texts and sentence lower case before you split them."),
    (lambda texts, labels, sentence, alpha: max(sorted(set(labels)), key=labels.count), "You ignore the sentence."),
    (
        lambda texts, labels, sentence, alpha: min(sorted(set(labels)), key=labels.count),
        "You take the least probable class; take the most probable one.",
    ),
]


def _corpora():
    """Return questions (texts, labels, sentence, alpha) on which the slips give different answers."""
    vocabulary = ["rain", "wind", "goal", "match", "share", "film", "sun"]
    cases = [
        (
            ["rain wind rain", "goal match", "rain sun", "match goal goal"],
            ["weather", "sport"] * 2,
            "rain match rain",
            1.0,
        )
    ]
    rng = np.random.default_rng(5)
    for _ in range(36):
        n = int(rng.integers(4, 8))
        labels = ["sport", "weather", *rng.choice(["sport", "weather", "weather"], n - 2).tolist()]
        habits = {"sport": rng.dirichlet(np.ones(7) / 2), "weather": rng.dirichlet(np.ones(7) / 2)}
        texts = [" ".join(rng.choice(vocabulary, rng.integers(1, 6), p=habits[label])) for label in labels]
        words = rng.choice([*vocabulary, "snow", "fans"], rng.integers(2, 6)).tolist()
        words = [word.title() if rng.random() < 0.4 else word for word in words]
        cases.append((texts, labels, " ".join(words), float(rng.choice([0.2, 0.5, 3.0]))))
    two = ["sport", "weather"]
    cases += [
        (["goal goal goal goal goal", "rain wind sun film goal"], two, "goal film Goal", 0.5),  # a zero must not kill
        (["goal match", "rain wind"], two, "rain goal rain match rain", 0.5),  # repeated words count
        (["goal match film share", "rain wind sun share share"], two, "share rain film " * 300, 0.5),  # products vanish
    ]
    return cases


@exercise(
    "10.5",
    "From raw text to a class",
    start="Split the texts, count the words of each class, and add logarithms.",
    hints=[
        "The vocabulary is the set of all words of all texts; text.lower().split() gives the words of one text.",
        "For each class: ln(share), then for each word of the sentence that the vocabulary has, ln of (10.16).",
        "np.log((urn.count(word) + alpha) / (len(urn) + alpha * len(vocabulary))); return the best label.",
    ],
    solution=section_of,
    explanation="Ten lines from text to class: tokens, vocabulary, urns, logarithms, the largest score.",
)
def _(answer):
    cases = _corpora()
    wanted = [section_of(*case) for case in cases]
    try:
        got = [call(answer, *case) for case in cases]
    except Wrong as problem:
        if "math domain error" not in str(problem):
            raise
        raise Wrong("You take the logarithm of 0: add alpha to every count, and pass over unknown words.") from None
    if any(not isinstance(label, str) for label in got):
        odd = next(label for label in got if not isinstance(label, str))
        raise Wrong(f"One of the labels is wanted, such as 'weather'; your function returns {brief(odd)}.")
    got = [str(label) for label in got]
    if got == wanted:
        return "Right: a text classifier in ten lines."
    for wrong, words in _SECTION_SLIPS:
        if got == [wrong(*case) for case in cases]:
            raise Wrong(words)
    if len(set(got)) == 1:
        raise Wrong(f"Your function returns {got[0]!r} whatever it is given. Use its arguments.")
    k = next(k for k in range(len(cases)) if got[k] != wanted[k])
    texts, labels, sentence, alpha = cases[k]
    shown = sentence if len(sentence) < 80 else f"{sentence[:30]}... ({len(sentence.split())} words)"
    raise Wrong(f"For the texts {texts} of {labels}, the sentence {shown!r} and alpha = {alpha:g} the class is "
                f"{wanted[k]!r}; yours is {got[k]!r}.")  # fmt: skip

"""Tasks and exercises of chapter 10: Bayes' rule, planes, pooled variances, counts, naive Bayes, text, log space."""

import numpy as np
from numpy import log

from mlteach.exercises.base import Wrong, brief, call
from mlteach.exercises.tasks import number, task

task("10.a", "A positive test",
    start="What are the joint probabilities, ill and positive, healthy and positive?",
    hints=[
        "Ill and positive: 0.01 * 0.9. Healthy and positive: 0.99 * 0.05.",
        "Divide the first by the sum of both (10.1).",
        "0.009 / (0.009 + 0.0495).",
    ],
    answer=number("The chance", "0.01 * 0.9 / (0.01 * 0.9 + 0.99 * 0.05)", to=0.0006, slips="""
        0.18 | You divided by the false-alarm rate. Divide by the chance of a positive test, of ill and healthy
            together.
        2 / 3 | One person in a hundred is ill, not one in ten.
        0.009 / (0.009 + 0.99 * 0.95) | 0.95 is the chance of a negative test in the healthy; of a positive one it is
            0.05.
        0.001 / (0.001 + 0.9405) | This is the chance of being ill after a negative test.
        0.009          | This is the joint probability, ill and positive. Divide it by that of all positive tests.
        0.9            | This is the chance of a positive test in the ill; the other way round is wanted.
        0.0585         | This is the chance of a positive test, the denominator of (10.1).
        0.0495         | These are the false alarms: 0.05 of the healthy, 0.0495 healthy and positive.
        0.9 / 0.95     | You gave both the same share: one person in a hundred is ill, 99 are healthy.
        0.009 / 0.0495 | These are the odds, ill against healthy; divide by the sum of both instead.
        0.009 / 0.059  | If you divided by 0.059: the false alarms come from 99 %, not from all. If not: round, not cut.
        0.95           | This is the chance of a negative test in the healthy.
        0.009 / 0.054  | You rounded the share of the healthy: it is 0.99, so 0.99 * 0.05.
        0.01           | This is the chance before the test.
        0.85           | Differences of the two rates say nothing about a person: divide joint probabilities (10.1).
        """),
    right="Right: a good test and a rare illness make mostly false alarms.",
    explanation="0.009 / 0.0585 = 0.154: most alarms come from the many healthy people.",
)  # fmt: skip

OFFSET = float(-2 + log(0.25))

task("10.b", "A plane by hand",
    start="Σ is diagonal. What is its inverse?",
    hints=[
        "Σ⁻¹ has 1/2 and 2 on the diagonal, and w = Σ⁻¹ (μ1 - μ0).",
        "μ0 = 0, so b = -½ μ1 · w + ln(π1/π0), and π1 = 1/5.",
        "b = -½ (2 * 1 + 1 * 2) + ln(0.2 / 0.8).",
    ],
    answer=number("The plane", "[2 / 2, 1 / 0.5, -0.5 * (2 * 1 + 1 * 2) + log(0.2 / 0.8)]", names="w1, w2, b",
        to=0.0012, slips="""
        (4, 0.5, ...)              | You multiplied by Σ; (10.3) multiplies by its inverse.
        (2, 1, ...)                | This is the difference of the means; Σ⁻¹ is missing. Or w1 and w2 are exchanged.
        (-1, -2, ...)              | The sign of w: it points from class 0 to class 1.
        (2 / 2**0.5, 1 / 0.5**0.5, ...) | You divided by the standard deviations; Σ holds variances.
        (1, 2, -2)                 | The shares are missing in b: ln(π1/π0).
        (1, 2, -2 + 0.25)          | In b stands the logarithm of the quotient of the shares, not the quotient.
        (1, 2, -2 - log(0.25))     | ln(π1/π0) with the rarer class on top is negative; yours is positive.
        (1, 2, -2 + log(0.2))      | Divide the share of class 1 by that of class 0: ln(0.2 / 0.8).
        (1, 2, -2 + 0.2)           | In b stands the logarithm of the quotient of the shares, not the share.
        (1, 2, -4 + log(0.25))     | The factor ½ in b is missing.
        (1, 2, 2 + log(0.25))      | The term of class 1 in b has a minus: -½ μ1ᵀΣ⁻¹μ1.
        (1, 2, -OFFSET)            | b has the wrong sign.
        (1, 2, -2 + np.log10(.25)) | You took the logarithm with base 10; the natural one is wanted.
        (1, 2, log(0.25))          | The terms with the means are missing in b.
        (1, 2, -2.5 + log(0.25))   | You used μ1·μ1 in b; μ1ᵀΣ⁻¹μ1 = μ1·w is wanted.
        (1, 2, -4) | You took the logarithm with base 2; the natural one is wanted.
        (0.5, 1, ...) | The half belongs to the quadratic terms in b, not to w.
        """),
    right="Right: the feature with the small variance counts most.",
    explanation="w = (2/2, 1/0.5) = (1, 2); b = -½ (2 + 2) + ln(1/4) = -2 - 1.3863.",
)  # fmt: skip

V = 22 / 6

task("10.c", "One variance for two classes",
    start="What are the two means, and the squared distances from them?",
    hints=[
        "The means are 2 and 7. The squared distances are 4, 4 and 4, 1, 0, 9.",
        "Their sum is 22; divide it by the number of all samples (10.5).",
        "v = 22/6, and w = (7 - 2) / v.",
    ],
    variance=number("The variance", "(4 + 4 + 4 + 1 + 0 + 9) / 6", to=0.0012, slips="""
        np.var([0, 4, 5, 6, 7, 10]) | You took distances from the mean of all; take them from the mean of each class.
        3.75             | You took the plain mean of 4 and 3.5; weight them with the shares 2/6 and 4/6.
        22 / 4           | You divided by N - K; maximum likelihood divides by N.
        22 / 5           | You divided by N - 1; maximum likelihood divides by N.
        (2 * 8 + 4 * 14 / 3) / 6 | You divided by N_k - 1; maximum likelihood adds all squares and divides by N.
        22               | This is the sum of the squares; divide it by N.
        V**0.5           | This is the standard deviation; the variance is wanted.
        3.5              | This is the variance of class 1 alone; class 0 belongs to it.
        4                | This is the variance of class 0 alone; class 1 belongs to it.
        (8 + 14 / 3) / 2 | You averaged two variances with N_k - 1; add up all squares and divide by N.
        7.5              | You added the two variances; (10.5) weights them with the shares.
        23 / 6 | Each class counts by its own number of samples: you exchanged the two weights.
        """),
    w=number("w", "(7 - 2) / V", to=0.0012, slips="""
        5 / V**0.5 | The variance is right. w divides by the variance, not by its root.
        -5 / V     | The variance is right; w has the wrong sign: it points to class 1.
        5 * V      | The variance is right. w is the difference of the means divided by it.
        5          | The variance is right. w is the difference of the means divided by it.
        """),
    right="Right. Every sample counts once, around the mean of its own class.",
    explanation="Q = 8 + 14 = 22 around the class means, v = 22/6 = 3.667; w = 5 / 3.667 = 1.364.",
)  # fmt: skip

task("10.d", "Counting parameters",
    start="Which numbers describe the shares, the means, the covariances, and how many of them are free?",
    hints=[
        "Of four shares 3 are free; the means have 4 * 6 entries.",
        "A symmetric 6 x 6 matrix has 6 * 7 / 2 = 21 different entries; once, or four times.",
        "3 + 24 + 21 and 3 + 24 + 84.",
    ],
    shared=number("The number with a shared covariance", "(4 - 1) + 4 * 6 + 6 * 7 // 2", to=0.1, slips="""
        49 | The shares sum to one: only K - 1 of them are free.
        45 | The shares are missing.
        63 | A covariance is symmetric: 21 of its 36 entries are free.
        42 | A symmetric matrix also has its diagonal: d (d + 1) / 2 entries, not d (d - 1) / 2.
        30 | Every class has a mean of its own: K d entries, not d.
        24 | The means are missing: every class has six entries.
        21 | The shares and the means are missing; or you counted logistic regression, K - 1 rows of weights.
        27 | The covariances are missing.
        33 | You counted only variances; the covariances are parameters too.
        39 | You exchanged features and classes: six features, four classes.
        28 | One variance for all features would be a ball. A covariance matrix has 21 free entries.
        37 | You exchanged features and classes in the covariance: six features give 6 * 7 / 2 entries.
        111 | Shared means that one covariance serves all classes: 21 entries once.
        """),
    own=number("The number with own covariances", "(4 - 1) + 4 * 6 + 4 * (6 * 7 // 2)", to=0.1, slips="""
        112 | The shares sum to one: only K - 1 of them are free.
        108 | The shares are missing.
        171 | A covariance is symmetric: 21 of its 36 entries are free.
        87  | The first is right. Here means, or diagonals, are missing: K d entries, and d (d + 1) / 2 for each matrix.
        93  | Every class has a mean of its own: K d entries, not d.
        84  | The first is right. The shares and the means belong to the second number as well.
        51  | You counted only variances; the covariances are parameters too.
        69  | The first is right. With own covariances each of the four classes has 21 entries.
        90 | Each of the four classes has a covariance of its own, none follows from the others.
        120 | The shares are counted once for all classes: three free numbers.
        31  | One variance a class would be a ball. A covariance matrix has 21 free entries.
        """),
    right="Right. Own covariances more than double the bill.",
    explanation="(K - 1) + K d + d (d + 1) / 2 = 48; with K covariances 3 + 24 + 4 * 21 = 111.",
)  # fmt: skip

YES, NO = 9 / 14 * 3 / 9 * 2 / 9 * 3 / 9 * 6 / 9, 5 / 14 * 2 / 5 * 2 / 5 * 4 / 5 * 2 / 5

task("10.e", "A hot and rainy day",
    start="What is the joint probability of this day and Yes, and what of this day and No?",
    hints=[
        "Yes: 9/14 * 3/9 * 2/9 * 3/9 * 6/9.",
        "No: 5/14 * 2/5 * 2/5 * 4/5 * 2/5. Then divide by the sum.",
        "0.01058 / (0.01058 + 0.01829).",
    ],
    answer=number("The chance", "YES / (YES + NO)", to=0.0006, slips="""
        YES                         | This is the joint probability of Yes; divide it by the sum of both.
        NO                          | This is the joint probability of No.
        YES / NO                    | These are the odds, Yes against No; divide by the sum of both.
        NO / (YES + NO)             | This is the chance of No.
        YES / 9 / (YES / 9 + NO / 5) | The shares of the classes, 9/14 and 5/14, are missing.
        YES * 9**3 / (YES * 9**3 + NO * 5**3) | The share of the class enters once, not once per attribute.
        YES + NO                    | This is the sum of both joint probabilities, the denominator.
        0.8586572                   | You took the share of Yes among the rainy days; the share of rain among the days
            of Yes is wanted.
        2 * YES / (2 * YES + NO)    | The day is hot, not mild.
        YES / 2 / (YES / 2 + NO * 1.5) | The wind is weak on this day, not strong.
        0.4463874                   | These estimates are smoothed; the raw counts are wanted.
        0.204583                    | This is the day of the text; here it is rain, hot, high, weak.
        9 / 14 | This is the share of Yes alone; the four attributes of the day are missing.
        YES / (9 / 14) | This is the likelihood of Yes; multiply it by the share 9/14, and divide by the sum of both.
        YES * 9 / 6 / (YES * 9 / 6 + NO * 5 / 2) | The wind is missing.
        2 * YES / (2 * YES + NO / 4) | The humidity is high on this day, not normal.
        9 / 14 * 3 / 9 * 2 / 9 / (9 / 14 * 3 / 9 * 2 / 9 + 5 / 14 * 2 / 5 * 2 / 5) | Humidity and wind are missing.
        14 / 32 | Multiply the shares of the attributes, do not add them.
        YES * 5 / 9 / (YES * 5 / 9 + NO * 9 / 5) | You exchanged the shares of Yes and No.
        (3 / 5 + 2 / 4 + 3 / 7 + 6 / 8) / 4 | Chances of single attributes are not averaged: multiply those of the
            attributes, given the class.
        """),
    right="Right: they stay at home, but it is no longer a clear case.",
    explanation="Yes 0.01058, No 0.01829; 0.01058 / 0.02887 = 0.367.",
)  # fmt: skip

task("10.f", "tf-idf by hand",
    start="How many of the three words are rain, and how many of the four documents contain it?",
    hints=[
        "tf = 2/3: two of the three words of the first document.",
        "Two of the four documents contain rain: idf = ln(4/2).",
        "2/3 * ln 2.",
    ],
    answer=number("The weight", "2 / 3 * log(4 / 2)", to=0.0006, slips="""
        2 * log(2)             | You used the count 2; tf is its share in the words of this document, 2/3.
        log(2)                 | This is the idf alone; multiply it by tf = 2/3.
        2 / 3 * log(4)         | This is 2/3 ln N; in the logarithm N is divided by the documents that contain rain.
        log(2) / 2             | tf is the share of rain in the words of the first document, 2/3.
        2 / 9 * log(2)         | tf divides by the words of this document, 3, not of all.
        2 / 3 * (log(5/3) + 1) | Here nothing is smoothed or added to the logarithm: ln(N / n_j).
        2 / 3 * log(3)         | N counts documents, 4, and n_j those that contain the word, 2.
        2 / 3                  | This is tf alone; multiply it by ln(N / n_j). Or you took the logarithm with base 2.
        2 / 3 * log(4 / 3)     | n_j counts documents that contain the word, 2, not its occurrences, 3.
        3 / 9 * log(2)         | tf counts inside this document, and each time that the word occurs: 2 of 3.
        2 / 3 * np.log10(2)    | You took the logarithm with base 10; the natural one is wanted.
        -2 / 3 * log(2)        | The quotient is N / n_j, so the logarithm is not negative.
        2 / 3 * 2              | The logarithm of N / n_j is missing.
        2 / 3 * (log(2) + 1)   | Here nothing is added to the logarithm; (10.14) has no 1.
        2 / 3 * log(5 / 3) | Here nothing is smoothed: ln(N / n_j).
        """),
    right="Right.",
    explanation="tf-idf = 2/3 * ln(4/2) = 0.462. The two occurrences in one document count as one document.",
)  # fmt: skip

task("10.g", "An urn and a coin",
    start="How many words has the class, and how many documents?",
    hints=[
        "The urn counts words: 3 of 7 are rain. The coin counts documents: 2 of 3 contain it.",
        "The urn gets 2 virtual copies of each of the five words; the coin 2 documents with the word and 2 without.",
        "(3 + 2) / (7 + 2 * 5) and (2 + 2) / (3 + 2 * 2).",
    ],
    slips="""
        (3 / 7, 2 / 3)  | There is no smoothing in these shares; α is 2.
        (4 / 12, 3 / 5) | You smoothed with α = 1; here it is 2.
        """,
    urn=number("The urn", "(3 + 2) / (7 + 2 * 5)", to=0.0006, slips="""
        3 / 7  | The urn is not smoothed.
        4 / 12 | You smoothed the urn with α = 1; here it is 2.
        5 / 9  | In the urn each of the five words gets α: the divisor is 7 + 5 α.
        5 / 11 | The divisor of the urn is T_k + α |V|, not T_k + 2 α.
        5 / 13 | The divisor of the urn is 7 + 2 · 5: seven words, and α for every word of the vocabulary.
        5 / 12 | The divisor of the urn gets α |V| = 10, not 5.
        5 / 7  | In the urn the virtual words are missing below.
        4 / 17 | The urn counts how often the word occurs, 3, not in how many documents.
        4 / 15 | The urn counts how often the word occurs, 3 of 7 words, not in how many documents.
        4 / 13 | The urn counts how often the word occurs, 3 of 7 words, not documents; and five words get α.
        7 / 18 | The urn puts all words of the class together; it takes no mean over documents.
        """),
    coin=number("The coin", "(2 + 2) / (3 + 2 * 2)", to=0.0006, slips="""
        2 / 7 | Above, the two virtual documents with the word are missing.
        2 / 3  | The urn is right; the coin is not smoothed.
        3 / 5  | The urn is right; the coin is smoothed with α = 1, here it is 2.
        4 / 5  | The urn is right. The coin has two sides: its divisor is N_k + 2 α.
        5 / 7  | The urn is right. The coin counts documents that contain the word, 2.
        4 / 3  | The urn is right. Below, the two virtual documents with the word and the two without are missing.
        4 / 13 | The urn is right. The coin has two sides, not five: its divisor is N_k + 2 α.
        """),
    right="Right: the urn counts words, the coin documents.",
    explanation="Urn: (3 + 2) / (7 + 10) = 0.294. Coin: (2 + 2) / (3 + 4) = 0.571.",
)  # fmt: skip


def chances(log_joint):
    shifted = log_joint - log_joint.max(axis=1, keepdims=True)
    p = np.exp(shifted)
    return p / p.sum(axis=1, keepdims=True)


def chance_cases():
    more = np.log(np.random.default_rng(0).uniform(0.01, 0.9, size=(4, 3)))
    return [
        (np.log([[0.027, 0.017], [0.0206, 0.0053]]),), (more,), (more[:1] - 3.0,),
        (np.array([[-5000.0, -5001.0, -5003.0]]),),
        (np.array([[2000.0, 1999.0]]),),  # a density may be large
        (np.array([[-5000.0, -5002.0], [-10.0, -11.0]]),),
        (np.array([[-np.inf, -3.0, -4.0]]),), (np.array([[-np.inf, -2000.0, -2001.0]]),),
    ]  # fmt: skip


task("10.1", "Chances that survive", chances, cases=chance_cases, what="The table",
    start="Bayes' rule divides by the sum. What can be subtracted from a whole row without changing the result?",
    hints=[
        "A factor that all classes share cancels in (10.1): subtract one number from the whole row of logarithms.",
        "Subtract the largest of each row, so that the largest exponential is 1 (10.15).",
        "A = J - J.max(axis=1, keepdims=True); p = np.exp(A); p / p.sum(axis=1, keepdims=True).",
    ],
    nan="For entries such as -5000 or 2000, rows of very different size, or a class with -inf your table has nan: 0/0, "
    "or inf/inf. Subtract the largest of each row before the exponential.",
    slips="""
        shifted = log_joint - log_joint.max(axis=1, keepdims=True) => shifted = log_joint
            | For entries such as -5000 every exponential is 0, and 0/0 is nan. Subtract the largest of each row before
            the exponential.
        log_joint.max(axis=1, keepdims=True) => log_joint.max() | One number for all does not help rows of very
            different size: subtract the largest of each row.
        - log_joint.max(axis=1, keepdims=True) => ;; np.exp(shifted) => np.exp(shifted) + 1e-300 | For entries such as
            -5000 a tiny number in the place of 0 makes all classes equal. Subtract the largest of each row instead.
        - log_joint.max(axis=1, keepdims=True) => ;; p / p.sum(axis=1, keepdims=True)
            => np.nan_to_num(p / p.sum(axis=1, keepdims=True)) | For entries such as -5000 your rows are 0 and no longer
            sum to one. Subtract the largest of each row before the exponential.
        shifted = => log_joint = np.where(np.isinf(log_joint), 0.0, log_joint); shifted = | A class with -inf has the
            probability 0, and its chance is 0: leave the -inf as it is.
        return p / p.sum(axis=1, keepdims=True) => return np.exp(log_joint) | These are the joint probabilities; divide
            each row by its sum.
        / p.sum(axis=1, keepdims=True) =>  | The division by the sum of the row is missing.
        p / p.sum(axis=1, keepdims=True) => shifted - np.log(p.sum(axis=1, keepdims=True)) | These are logarithms; take
            the exponential.
        log_joint.max(axis=1 => log_joint.max(axis=0 ;; p.sum(axis=1 => p.sum(axis=0 | Each row must sum to one; yours
            sums over the samples.
        p.sum(axis=1 => p.sum(axis=0       | Each row must sum to one; yours sums over the samples.
        return p / p.sum(axis=1, keepdims=True) => return log_joint | These are the logarithms as they came; take the
            exponential and divide by the sum of the row.
        np.exp(shifted) => 10**shifted     | You took powers of 10; the logarithms are natural ones, so np.exp is
            wanted.
        p.sum(axis=1, keepdims=True) => p.sum() | You divided by the sum of the whole table; each row has its own.
        log_joint.max(axis=1, keepdims=True) => log_joint.max() ;; p.sum(axis=1, keepdims=True) => p.sum() | You divided
            by the sum of the whole table; each row has its own.
        - log_joint.max(axis=1, keepdims=True) => ;; p.sum(axis=1, keepdims=True) => p.sum() | You divided by the sum of
            the whole table; each row has its own.
        p / p.sum(axis=1, keepdims=True) => log_joint / log_joint.sum(axis=1, keepdims=True) | You divided the
            logarithms; take the exponential first.
        p / p.sum(axis=1, keepdims=True) => np.eye(p.shape[1])[p.argmax(axis=1)] | You return the winner only; the
            chances of all are wanted.
        np.exp(shifted) => 2.0**shifted | The logarithms are natural: the base is e, not 2.
        shifted = log_joint - => log_joint = np.where(np.isinf(log_joint), -1000.0, log_joint); shifted = log_joint - |
            -1000 is not -∞: other classes may lie lower. Leave the -inf as it is.
        shifted = log_joint - log_joint.max(axis=1, keepdims=True) => shifted = log_joint ;; p / p.sum(axis=1,
            keepdims=True) => np.where(np.isnan(p / p.sum(axis=1, keepdims=True)), 1 / p.shape[1], p / p.sum(axis=1,
            keepdims=True)) |
            For entries such as -5000 you make all classes equal. Subtract the largest of each row before the
            exponential.
        """,
    right="Right, from ordinary numbers to documents of any length.",
    explanation="After the subtraction the sum of each row lies between 1 and K. exp(-inf) is 0, as it should be.",
)  # fmt: skip


def plane(mu_0, mu_1, Sigma, pi_1):
    w = np.linalg.solve(Sigma, mu_1 - mu_0)
    b = -0.5 * (mu_1 + mu_0) @ w + np.log(pi_1 / (1 - pi_1))
    return w, float(b)


def plane_cases():
    cases = [(np.array([-1.0, 0.0]), np.array([1.0, 2.0]), np.array([[2, 0.5], [0.5, 1]]), 0.3)]
    for seed, d in ((1, 3), (2, 2), (3, 1)):
        rng = np.random.default_rng(seed)
        A = rng.normal(size=(d, d)) + 2 * np.eye(d)
        cases.append((rng.normal(size=d), rng.normal(size=d), A @ A.T, float(rng.uniform(0.1, 0.9))))
    return cases


task("10.2", "The plane of two Gaussians", plane, cases=plane_cases, what="The plane", names="w, b",
    start="What does (10.3) ask of Σ, and where does the share enter?",
    hints=[
        "w = np.linalg.solve(Sigma, mu_1 - mu_0).",
        "-½ μ1ᵀΣ⁻¹μ1 + ½ μ0ᵀΣ⁻¹μ0 is -½ (μ1 + μ0)·w.",
        "b = -0.5 * (mu_1 + mu_0) @ w + np.log(pi_1 / (1 - pi_1)).",
    ],
    slips="""
        np.linalg.solve(Sigma, mu_1 - mu_0) => Sigma @ (mu_1 - mu_0) | You multiplied by Σ; (10.3) multiplies by its
            inverse.
        np.linalg.solve(Sigma, mu_1 - mu_0) => mu_1 - mu_0 | Σ⁻¹ is missing: this is the plane between the nearest
            means.
        np.linalg.solve(Sigma, mu_1 - mu_0) => (mu_1 - mu_0) / np.diag(Sigma) | You used only the variances; Σ has
            correlations, too.
        np.linalg.solve(Sigma, mu_1 - mu_0) => (mu_1 - mu_0) / np.diag(Sigma)**0.5 | You divided by the standard
            deviations; (10.3) multiplies by Σ⁻¹.
        + np.log(pi_1 / (1 - pi_1)) =>           | The shares are missing in b: ln(π1 / (1 - π1)).
        np.log(pi_1 / (1 - pi_1)) => pi_1 / (1 - pi_1) | In b stands the logarithm of π1 / (1 - π1), not the quotient
            itself.
        + np.log => - np.log                     | The sign of the shares: a rare class 1 needs a smaller b.
        pi_1 / (1 - pi_1) => pi_1                | ln π1 alone is not enough; divide by the share of class 0, 1 - π1.
        -0.5 * => -1.0 *                         | The factor ½ in b is missing.
        -0.5 * => 0.5 *                         | The terms with the means in b have the wrong signs: minus for class 1.
        w = np => mu_0, mu_1, pi_1 = mu_1, mu_0, 1 - pi_1; w = np | The classes are swapped: σ(w·x + b) must be the
            chance of class 1.
        (mu_1 + mu_0) @ w => mu_1 @ np.linalg.solve(Sigma, mu_1) | The term of class 0, +½ μ0ᵀΣ⁻¹μ0, is missing in b.
        np.log => np.log10                       | You took the logarithm with base 10; the natural one is wanted.
        (mu_1 + mu_0) @ w => (mu_1 - mu_0) @ w   | w is right. In b stands the sum of the means, -½ (μ1 + μ0)·w, not
            their difference.
        (mu_1 + mu_0) @ w => mu_1 @ w            | w is right. In b μ0 is missing: -½ (μ1 + μ0)·w. Without it the
            formula holds for μ0 = 0 only.
        (mu_1 + mu_0) @ w => (mu_1 @ mu_1 - mu_0 @ mu_0) | w is right. In b Σ⁻¹ is missing: -½ μ1ᵀΣ⁻¹μ1 + ½ μ0ᵀΣ⁻¹μ0.
        return w, => return np.linalg.solve(Sigma, mu_1 + mu_0), | w takes the difference of the means, μ1 - μ0, not
            their sum.
        return w, float(b) => return w / np.linalg.norm(w), b / np.linalg.norm(w) | You scaled w to length one: the
            boundary stays, but σ(w·x + b) is no longer the chance.
        float(b) => -float(b)                    | w is right; b has the wrong sign.
        np.linalg.solve(Sigma, mu_1 - mu_0) => 1 / np.where(Sigma == 0, np.inf, Sigma) @ (mu_1 - mu_0) | You inverted
            the entries. The inverse of the matrix is wanted.
        """,
    right="Right: logistic regression without a single iteration.",
    explanation="Multiplying (μ1 + μ0)ᵀΣ⁻¹(μ1 - μ0) out, the mixed terms cancel because Σ is symmetric.",
)  # fmt: skip


def urns_of_words(X, y, alpha):
    T = np.array([X[y == label].sum(axis=0) for label in np.unique(y)])
    total = T.sum(axis=1, keepdims=True)
    return (T + alpha) / (total + alpha * X.shape[1])


def urn_cases():
    urn = np.array([[2, 1, 0], [1, 0, 1], [0, 3, 1], [0, 0, 4], [1, 0, 2]])
    cases = [(urn, np.array([0, 0, 0, 1, 1]), 1.0)]
    for seed, k, d, alpha in ((1, 3, 4, 0.5), (2, 2, 6, 2.5), (3, 4, 5, 0.1)):
        rng = np.random.default_rng(seed)
        y = np.append(np.arange(k)[::-1], rng.integers(0, k, 9))
        cases.append((rng.poisson(1.4, size=(len(y), d)), 3 * y - 2, alpha))
    return cases


task("10.3", "Urns of words", urns_of_words, cases=urn_cases, what="The table",
    start="How often does each word occur in all documents of one class together?",
    hints=[
        "X[y == label].sum(axis=0) are the counts T_kj of one class.",
        "Add alpha to every count, and divide the row by its sum: that is T_k + alpha d.",
        "T = np.array([X[y == c].sum(axis=0) for c in np.unique(y)]) + alpha; T / T.sum(axis=1, keepdims=True).",
    ],
    slips="""
        return => alpha = 0; return             | There is no smoothing in your estimates.
        return => alpha = 1.0; return           | You add 1 to every count; add alpha.
        alpha * X.shape[1] => alpha             | Your rows do not sum to one: every one of the d words gets alpha, so
            the divisor gets alpha times d.
        (total + alpha * X.shape[1]) => total   | Your rows do not sum to one: the virtual words are missing in the
            divisor.
        alpha * X.shape[1] => 2 * alpha         | The divisor is that of coins (10.16); with d words in an urn it is
            T_k + alpha d.
        total + alpha * X.shape[1] => np.unique(y, return_counts=True)[1][:, None] + 2 * alpha | You divided by the
            number of documents; divide by the number of words of the class.
        T = np => X = X > 0; T = np ;; total + alpha * X.shape[1]
            => np.unique(y, return_counts=True)[1][:, None] + 2 * alpha | These are the coins of (10.16): in how many
            documents a word occurs. Here words are counted.
        T = np => X = X > 0; T = np             | You counted documents that contain the word; count how often it
            occurs.
        T = np.array([X[ => S = (X + alpha) / (X.sum(axis=1, keepdims=True) + alpha * X.shape[1]); T = np.array([S[ ;;
            return (T + alpha) / (total + alpha * X.shape[1]) => return T | You smoothed document by document and added
            up; add up the counts of the class first.
        T = np.array([X[ => S = (X + alpha) / (X.sum(axis=1, keepdims=True) + alpha * X.shape[1]); T = np.array([S[ ;;
            return (T + alpha) / (total + alpha * X.shape[1]) => return T / total | You averaged over the documents; add
            up the counts of the class first, then divide.
        total + alpha => X.sum() + alpha        | You divided by the words of all classes; each class has its own urn.
        (total + alpha * X.shape[1]) => (X.sum(axis=0) + alpha) | You divided by how often the word occurs in all
            classes; divide by all words of this class.
        alpha * X.shape[1] => 3 * alpha         | The divisor gets alpha for each of the d words, X.shape[1]; you have
            3, as in the example.
        alpha * X.shape[1] => X.shape[1]        | The divisor gets alpha times d, not d.
        (T + alpha) => (T + 1)                  | Above you add 1 to the count; add alpha.
        return => alpha = alpha / X.shape[1]; return | Every word gets alpha, not alpha divided by d.
        label].sum(axis=0) => label].mean(axis=0) | You took the mean over the documents; add up the counts of the
            class, then add alpha.
        X.shape[1] => len(T)                    | The divisor gets alpha times the number of words, d, not the number of
            classes.
        (total + alpha * X.shape[1]) => (T + alpha).sum(axis=0) | Your columns sum to one: the rows must. Divide by all
            words of the class.
        (total + alpha * X.shape[1]) => (T + alpha).sum() | You divided by the sum of the whole table; each class has
            its own urn.
        np.unique(y) => dict.fromkeys(y.tolist()) | The classes come in sorted order, not in the order in which they
            appear.
        return (T => return ((T ;; X.shape[1]) => X.shape[1])).T | The table is transposed: one row for each class.
        return (T => return np.log((T ;; X.shape[1]) => X.shape[1])) | These are logarithms; the probabilities are
            wanted.
        np.unique(y) => np.unique(y)[::-1]      | The classes come in sorted order.
        / (total + alpha * X.shape[1]) =>       | These are the smoothed counts; divide each row by its sum.
        np.unique(y) => range(len(np.unique(y))) | Labels need not be 0, 1, 2, ...: take them from np.unique(y).
        total + alpha * X.shape[1] => np.array([[np.sum(y == label)] for label in np.unique(y)]) + alpha * X.shape[1] |
            You divide by the documents of the class. The urn counts its words.
        alpha * X.shape[1] => alpha * T.size | α is added once for each word of the vocabulary, not for each class as
            well.
        alpha * X.shape[1] => alpha * np.sum(T > 0, axis=1, keepdims=True) | The vocabulary has all words, also those
            that the class never uses.
        """,
    right="Right: one urn for each class, and no word that cannot be drawn.",
    explanation="Each of the d words gets alpha, so the divisor gets alpha d: every row sums to one, for any alpha.",
)  # fmt: skip


def ends(c):
    return (-1 - (4 + 3 * c) ** 0.5) / 3, (-1 + (4 + 3 * c) ** 0.5) / 3


LOW, HIGH = map(float, ends(8 * log(2)))

task("10.4", "Two thresholds",
    start="What holds for a(x) of (10.2) where both classes are equally probable?",
    hints=[
        "a(x) = -½ ln 4 - (x - 1)²/8 + x²/2; the factor 1/√v of each density gives the first term.",
        "Times 8: 3x² + 2x - 1 - 8 ln 2 = 0.",
        "x = (-1 ± √(4 + 24 ln 2)) / 3.",
    ],
    slips="""
        tuple(np.sort(np.roots([15 / 32, 1 / 16, -1 / 32 - log(4)]))) | You squared the 4 once more: it is the variance
            already, not the standard deviation.
        ends(0)                  | The factors 1/√v of the densities are missing: they give -½ ln 4.
        ends(16 * log(2))        | The first term of a is -½ ln 4 = -ln 2; the ½ is missing in yours.
        (-1.3596, 1.3596)        | These are the ends of the text, for equal means; here class 1 has the mean 1.
        (-HIGH, -LOW)            | The mean of class 1 is 1: (x - 1)², not (x + 1)².
        (-1.3596 + 1, 1.3596 + 1) | You moved the ends of the text by 1; the mean of class 0 stays at 0.
        (np.nan, np.nan)         | The sign of ½ ln 4: the wide class has the lower peak.
        (0.5, 0.5)               | Halfway between the means is right only for equal variances.
        (0, ...) | The variances differ: there are two borders, and neither lies at a mean or halfway.
        ends(4 * log(2)) | The first term of a is -½ ln 4 = -ln 2, and times 8 it is 8 ln 2.
        """,
    low=number("The smaller end", "(-1 - (4 + 24 * log(2)) ** 0.5) / 3", to=0.0012),
    high=number("The larger end", "(-1 + (4 + 24 * log(2)) ** 0.5) / 3", to=0.0012),
    right="Right: inside lives the narrow class, outside on both sides the wide one.",
    explanation="3x² + 2x - (1 + 8 ln 2) = 0 has the roots -1.848 and 1.181: the wide class wins on both sides.",
)  # fmt: skip


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


def corpora():
    """Return questions (texts, labels, sentence, alpha) on which the slips give different answers."""
    vocabulary = ["rain", "wind", "goal", "match", "share", "film", "sun"]
    example = ["rain wind rain", "goal match", "rain sun", "match goal goal"]
    cases = [(example, ["weather", "sport"] * 2, "rain match rain", 1.0)]
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
    return cases + [
        (["goal goal goal goal goal", "rain wind sun film goal"], two, "goal film Goal", 0.5),  # a zero must not kill
        (["goal match", "rain wind"], two, "rain goal rain match rain", 0.5),  # repeated words count
        (["goal match film share", "rain wind sun share share"], two, "share rain film " * 300, 0.5),  # products vanish
        (["goal", "rain wind", "rain sun"], ["sport", "weather", "weather"], "snow", 1.0),  # the larger share decides
        (["goal match film", "Rain Wind goal"], two, "rain goal rain", 0.5),  # capitals in a text
        (["training trains sun", "rain wind film"], two, "rain rain sun", 0.5),  # a word inside a longer one is none
    ]


def a_label(label):
    if not isinstance(label, str):
        raise Wrong(f"One of the labels is wanted, such as 'weather'; your function returns {brief(label)}.")
    return str(label)


def no_logarithm_of_zero(answer):
    try:
        for case in corpora():
            call(answer, *case)
    except Wrong as problem:
        if "math domain error" in str(problem):
            words = "You take the logarithm of 0: add alpha to every count, and pass over unknown words."
            raise Wrong(words) from None


def coins(texts, labels, sentence, alpha):
    words = sorted({w for t in texts for w in t.lower().split()})
    present = np.array([w in sentence.lower().split() for w in words])
    scores = {}
    for label in sorted(set(labels)):
        mine = [t.lower().split() for t, other in zip(texts, labels) if other == label]
        theta = np.array([(sum(w in text for text in mine) + alpha) / (len(mine) + 2 * alpha) for w in words])
        scores[label] = np.log(len(mine)) + np.log(np.where(present, theta, 1 - theta)).sum()
    return max(scores, key=scores.get)


task("10.5", "From raw text to a class", section_of, cases=corpora, what="The class", read=a_label,
    guard=no_logarithm_of_zero,
    start="What must be counted for each class, and what keeps a thousand factors from vanishing?",
    hints=[
        "The vocabulary is the set of all words of all texts; text.lower().split() gives the words of one text.",
        "For each class: ln(share), then for each word of the sentence that the vocabulary has, ln of (10.17).",
        "np.log((urn.count(word) + alpha) / (len(urn) + alpha * len(vocabulary))); return the best label.",
    ],
    slips=["""
        np.log(labels.count(label) / len(labels)) => labels.count(label) / len(labels) | The share of the class enters
            by its logarithm, as the words do.
        np.log(labels.count(label) / len(labels)) => np.log(labels.count(label) / len(labels)) * len([w for w in
            sentence.lower().split() if w in vocabulary]) |
            The share of the class enters once, not once for each word.
        len(urn) + => labels.count(label) + | Divide by the words of the class, not by its documents.
        if word in vocabulary: => if word in urn: | A word that a class lacks counts too, by its smoothed share.
        + alpha * len(vocabulary)) => ) | alpha is missing below: each word of the vocabulary adds it to the divisor.
        return max => return labels[0] if not any(w in vocabulary for w in sentence.lower().split()) else max | With no
            known word the share of the classes decides, not the order of the labels.
        np.log(labels.count(label) / len(labels)) => labels.count(label) / len(labels) ;; += np.log( => *= ( | For a
            long sentence your products underflow to 0; add logarithms.
        np.log(labels.count(label) / len(labels)) => 0.0 | The shares of the classes are missing: start with ln of the
            share.
        if word in vocabulary: => if True:          | A word that no text contains says nothing; pass over it.
        scores = {} => scores = {}; alpha = 1.0     | You add 1 to every count; add alpha.
        scores = {} => scores = {}; alpha = 1e-9    | There is no smoothing in your counts; add alpha.
        scores = {} => scores = {}; alpha = 0.0     | There is no smoothing in your counts; add alpha.
        alpha * len(vocabulary) => alpha            | The divisor gets alpha times the number of words in the
            vocabulary, not alpha.
        alpha * len(vocabulary) => alpha * len(set(urn)) | Count the vocabulary of all texts in the divisor, not that of
            the class alone.
        urn.count(word) => " ".join(urn).count(word) | Count whole words: a word inside a longer one is another word.
        sentence.lower().split() => set(sentence.lower().split()) | A word that occurs twice in the sentence counts
            twice.
        text.lower().split()] => set(text.lower().split())] | A word that occurs twice in a text counts twice in its
            urn.
        for text in texts for => for text in [*texts, sentence] for | The vocabulary comes from the texts alone, not
            from the sentence.
        len(urn) + => sum(len(text.split()) for text in texts) + | Divide by the words of the class, not by the words of
            all texts.
        labels.count(label) / len(labels) => len(urn) | The share of a class is that of its texts, not of its words.
        return max => return min                    | You take the least probable class; take the most probable one.
        return max(scores, key=scores.get) => return labels[0] | You always return the first label.
        sentence.lower() => sentence                | Capitals: make texts and sentence lower case before you split
            them.
        text.lower().split()} => text.split()} ;; text.lower().split()] => text.split()] | Capitals: make texts and
            sentence lower case before you split them.
        text.lower().split()} => text.split()} ;; text.lower().split()] => text.split()] ;; sentence.lower() => sentence
            | Capitals: make texts and sentence lower case before you split them.
        scores.get) => lambda label: labels.count(label)) | You ignore the sentence.
        return max(scores, key=scores.get) => return min(scores, key=lambda label: labels.count(label)) | You take the
            least probable class; take the most probable one.
        """,
        (coins, "These are the coins of (10.16); the multinomial model (10.17) is wanted."),
    ],
    right="Right: a text classifier in ten lines.",
    explanation="Ten lines from text to class: tokens, vocabulary, urns, logarithms, the largest score.",
)  # fmt: skip

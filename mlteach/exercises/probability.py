"""Tasks and exercises of chapter 03: events, conditionals, Bayes' rule, moments, Jensen, means, a divergence."""

from itertools import product
from statistics import NormalDist

import numpy as np

from mlteach.exercises.base import Wrong, exercise, expect_close, expect_function


@exercise(
    "3.a",
    "A loaded die",
    start="Which outcomes belong to the event? Add up their probabilities, the third axiom (3.1).",
    hints=[
        "Less than four means one, two or three eyes.",
        "The second event has the outcomes 1, 2, 3 and 5. Or by (3.2), where both events have 2 and 3.",
    ],
    solution=(0.7, 0.8),
    explanation="P(A) = 0.4 + 0.1 + 0.2 = 0.7 and P(prime) = 0.1 + 0.2 + 0.1 = 0.4. Both happen for 2 and 3, with "
    "probability 0.3, so P(A or prime) = 0.7 + 0.4 - 0.3 = 0.8.",
)
def _(small, small_or_prime):
    _exchanged(small, small_or_prime, (0.7, 0.8))
    expect_close(
        small,
        0.7,
        "P(less than four)",
        known=[
            (0.75, "Less than four: four itself does not belong to it."),
            (
                0.5,
                "That is right for a fair die (or 1 and 2 alone). This die is loaded: add the numbers of 1, 2 and 3.",
            ),
            (2 / 3, "That is 'at most four' for a fair die. This die is loaded, and four is not less than four."),
            (0.3, "That is 'not less than four', or 2 and 3 without 1: add up 1, 2 and 3 eyes."),
            (0.4, "That is one eye alone, or a prime. Add up 1, 2 and 3 eyes."),
            (0.6, "Two eyes are less than four as well."),
            (0.8, "That is the second event, with a prime. Less than four alone comes first."),
            (0.25, "That is 'more than four'. Less than four is asked for."),
            (0.7 / 3, "You divided by three. Add the probabilities of the outcomes, no more."),
        ],
        rtol=5e-3,
        reveal=False,
    )
    expect_close(
        small_or_prime,
        0.8,
        "P(less than four, or a prime)",
        known=[
            (1.1, "No probability exceeds one. The outcomes 2 and 3 lie in both events: subtract them once (3.2)."),
            (1, "This happens for certain only if every number of eyes belongs to it. Do 4 and 6?"),
            (0.3, "That is the probability of both. At least one is asked for."),
            (0.7, "That is 'less than four' alone. Five is a prime and not less than four."),
            (0.28, "You multiplied the two probabilities. Add them, and subtract that of both."),
            (0.82, "You subtracted the product P(A) P(B). 'Both' is the event of 2 and 3 eyes: add up those two."),
            (0.4, "That is the probability of a prime. One eye belongs to the event too."),
            (0.85, "Four is neither less than four nor a prime."),
            (0.9, "Both 2 and 3 lie in both events: subtract the two of them once. (Two is a prime.)"),
            (0.5, "Subtract the outcomes in both events once, not twice."),
            (2 / 3, "That is right for a fair die. This one is loaded."),
        ],
        rtol=5e-3,
        reveal=False,
    )
    return "Right. The third axiom needs no fairness."


def _exchanged(first, second, right):
    """Say so if two answers, both right, stand in each other's place."""
    got = [np.ravel(value) for value in (first, second)]
    if any(value.dtype.kind not in "iuf" or value.size != 1 for value in got):
        return  # expect_close will say what is wrong with them
    if np.allclose(np.concatenate(got), right[::-1], rtol=5e-3):
        raise Wrong("The two answers are exchanged.")


def given_column(P):
    return P / P.sum(axis=0)


@exercise(
    "3.b",
    "Given the column",
    start="Which numbers must sum to one in P(x | y): those of a row, of a column, or all of them?",
    hints=[
        "Given y, only the entries of column y are left. They must sum to one: equation (3.4).",
        "P.sum(axis=0) holds the sum of each column; dividing by it works column by column.",
    ],
    solution=given_column,
    explanation="Equations (3.3) and (3.4): the sum over x is P(y), and each column is divided by its own sum.",
)
def _(answer):
    rng = np.random.default_rng(31)
    tables = [np.array([[0.576, 0.02, 0.064, 0.01], [0.144, 0.08, 0.016, 0.09]])]
    tables += [rng.dirichlet(np.full(r * c, 0.7)).reshape(r, c) for r, c in ((3, 3), (5, 2))]
    rows = [lambda P: P.sum(axis=1, keepdims=True), lambda P: P.sum(axis=0)]
    expect_function(
        answer,
        given_column,
        [(P,) for P in tables],
        "The table of P(x | y)",
        slips=[
            (lambda P: P / rows[0](P), "You divide by the sums of the rows: that is P(y | x). Given y, the columns sum "
             "to one."),
            (lambda P: P / P.sum(), "That is the joint table again: its entries sum to one already. Divide each "
             "column by its own sum."),
            (lambda P: P / (rows[0](P) * rows[1](P)), "You divide by both marginals. Divide by P(y) only, the sums of "
             "the columns."),
            (lambda P: P * rows[1](P), "You multiply by P(y): that is the wrong way round. Divide by it."),
            (lambda P: P / P.max(axis=0), "You divide by the largest entry of each column. Divide by its sum."),
            (lambda P: P / P.mean(axis=0), "You divide by the mean of each column. Divide by its sum."),
            (lambda P: rows[0](P) * rows[1](P), "That is the product of the marginals, the joint table if x and y were "
             "independent."),
        ],
    )  # fmt: skip
    return "Right. Divide by P.sum(axis=1, keepdims=True) and you have P(y | x)."


def after_tests(prior, found, alarm, k):
    ill, well = prior * found**k, (1 - prior) * alarm**k
    return ill / (ill + well)


@exercise(
    "3.c",
    "Several positive tests",
    start="Start with k = 1, which is Bayes' rule (3.8), then look at (3.12).",
    hints=[
        "Given the state of health the tests are independent, so their probabilities multiply: found**k and alarm**k.",
        "Two numbers compete: prior * found**k for ill, (1 - prior) * alarm**k for well. Normalise them.",
    ],
    solution=after_tests,
    explanation="Equation (3.12) with n = k pieces of evidence; alpha makes the two posteriors sum to one. In odds, "
    "each test multiplies by found / alarm.",
)
def _(answer):
    rng = np.random.default_rng(32)
    cases = [(0.01, 0.9, 0.09, 1), (0.01, 0.9, 0.09, 2)]
    cases += [(*rng.uniform((0.02, 0.6, 0.05), (0.4, 0.95, 0.4)), k) for k in (0, 3, 5, 2)]

    def one(prior, found, alarm, k):
        return after_tests(prior, found, alarm, 1)

    expect_function(
        answer,
        after_tests,
        cases,
        "The probability of being ill",
        slips=[
            (lambda prior, found, alarm, k: prior * found**k, "That is P(ill and all positive), not yet divided by "
             "P(all positive)."),
            (lambda prior, found, alarm, k: found**k, "That is P(all positive | ill), the likelihood. The prior and "
             "the false alarms are missing."),
            (lambda *case: 1 - after_tests(*case), "That is the probability of being well."),
            (lambda prior, found, alarm, k: found**k / (found**k + alarm**k), "The prior is missing: you treat ill and "
             "well as equally probable."),
            (lambda prior, found, alarm, k: prior * found**k / (prior * found**k + alarm**k), "The well have the prior "
             "1 - prior; you forgot it in the denominator."),
            (lambda prior, found, alarm, k: prior / (1 - prior) * (found / alarm) ** k, "That is the odds, ill against "
             "well. The probability is odds / (1 + odds)."),
            (lambda prior, found, alarm, k: after_tests(prior, found, 1 - alarm, k), "alarm is the probability of a "
             "positive test for the well; you used 1 - alarm."),
            (lambda prior, found, alarm, k: after_tests(prior, 1 - found, alarm, k), "found is the probability of a "
             "positive test for the ill; you used 1 - found, that of a negative one."),
            (lambda *case: 1 - (1 - one(*case)) ** case[3], "The chances of single tests do not combine like that. "
             "Multiply likelihoods."),
            (one, "This is the answer for one test, whatever k is."),
            (lambda prior, found, alarm, k: prior * found**k / (prior * found**k + (1 - prior) * alarm), "Each of the "
             "k tests is a false alarm: alarm**k."),
            (lambda *case: one(*case) ** case[3], "You raise the posterior to the power k. Raise found and alarm to it "
             "instead."),
            (lambda prior, found, alarm, k: prior, "That is the prior: the tests are missing."),
            (lambda prior, found, alarm, k: after_tests(prior, found, alarm, max(k, 1)), "No test, k = 0, leaves the "
             "prior as it is."),
            (lambda prior, found, alarm, k: after_tests(prior, k * found, k * alarm, 1) if k else prior, "Likelihoods "
             "of k tests multiply: found**k, not k * found."),
            (lambda prior, found, alarm, k: prior * (found / (prior * found + (1 - prior) * alarm)) ** k, "The "
             "denominator multiplies P(positive) k times, as if the tests were independent. They are so only given the "
             "state of health: add prior * found**k and (1 - prior) * alarm**k."),
            (lambda prior, found, alarm, k: after_tests(0.5, prior * found, (1 - prior) * alarm, k), "You raise the "
             "prior to the power k too. It enters once, the likelihoods k times."),
            (lambda prior, found, alarm, k: prior * found**k + (1 - prior) * alarm**k, "That is P(all positive), the "
             "denominator alone."),
            (lambda prior, found, alarm, k: prior * found**k / (prior * found**k + (1 - prior) * (1 - alarm**k)), "The "
             "well are all positive with alarm**k; you used 1 - alarm**k."),
            (lambda prior, found, alarm, k: after_tests(prior, 1 - found, 1 - alarm, k), "That is the probability "
             "after k negative tests."),
            (lambda prior, found, alarm, k: after_tests(prior, found, alarm, k) if k else 0.0, "No test, k = 0, leaves "
             "the prior as it is."),
            (lambda prior, found, alarm, k: after_tests(prior, found, alarm, k + 1), "You count one test too many."),
            (lambda prior, found, alarm, k: after_tests(prior, found, alarm, k - 1), "You count one test too few."),
            (lambda prior, found, alarm, k: after_tests(prior, found, 1 - found, k), "You take 1 - found for the false "
             "alarms. found is about the ill, alarm about the well: two numbers of their own."),
            (lambda prior, found, alarm, k: prior * found / (prior * found + (1 - prior) * alarm**k), "Each of the k "
             "tests is positive for the ill as well: found**k."),
            (lambda prior, found, alarm, k: prior * found**k / (prior * found + (1 - prior) * alarm), "The "
             "denominator has k tests too: found**k and alarm**k."),
            (lambda prior, found, alarm, k: after_tests(prior, found, alarm, 2), "This is the answer for two tests, "
             "whatever k is."),
        ],
    )  # fmt: skip
    return "Right. Without conditional independence it would be wrong: 3.14.2."


@exercise(
    "3.d",
    "The mean of a call",
    start="Which weights belong to 3, 8 and 25 minutes? Look at (3.18).",
    hints=[
        "Weight each mean by the probability of its kind (3.18).",
        "Without complaints the weights 0.6 and 0.3 must be divided by their sum, as in (3.4).",
    ],
    solution=(6.7, 14 / 3),
    explanation="Total expectation (3.18): 1.8 + 2.4 + 2.5 = 6.7 minutes. Given that it is no complaint, the weights "
    "are 0.6 / 0.9 and 0.3 / 0.9, so (1.8 + 2.4) / 0.9 = 4.667 minutes.",
)
def _(call, call_without_complaint):
    _exchanged(call, call_without_complaint, (6.7, 14 / 3))
    expect_close(
        call,
        6.7,
        "The mean length of a call",
        known=[
            (12, "That is the plain mean of 3, 8 and 25. Weight each by the probability of its kind."),
            (36, "That is the sum of 3, 8 and 25. Weight each by the probability of its kind."),
            (8, "That is the middle one of the three. Weight each by the probability of its kind."),
            (4.2, "The complaints are missing here."),
            (14 / 3, "That is the mean without complaints. The mean of all calls comes first."),
            (402, "In minutes, please."),
            (6.7 / 3, "You divided by three once more. The weights sum to one already."),
        ],
        rtol=5e-3,
        reveal=False,
    )
    expect_close(
        call_without_complaint,
        14 / 3,
        "The mean length of a call that is no complaint",
        known=[
            (4.2, "The weights 0.6 and 0.3 sum to 0.9. Divide by it: they are conditional probabilities (3.4)."),
            (5.5, "That is the plain mean of 3 and 8. Questions are twice as frequent as faults."),
            (6.7, "That is the mean of all calls."),
            (6.7 / 0.9, "The complaints are still in the sum."),
            (2.1, "The weights 0.6 and 0.3 are not divided by 2. Divide by their sum, 0.9: conditional probabilities."),
            (1.4, "The weights 0.6 and 0.3 are not divided by 3. Divide by their sum, 0.9: conditional probabilities."),
            (7, "Divide by the probability of no complaint, 0.6 + 0.3."),
            (4.4, "Only one weight is divided by 0.9. Divide both."),
        ],
        rtol=5e-3,
        reveal=False,
    )
    return "Right. 0.9 × 4.667 + 0.1 × 25 is 6.7 again."


def _two_dice():
    cells = [(a + b, a - b) for a, b in product(range(1, 7), repeat=2)]
    joint = cells.count((12, 0)) / 36
    marginals = [s for s, _ in cells].count(12) / 36 * [d for _, d in cells].count(0) / 36
    return 0.0, joint, marginals


@exercise(
    "3.e",
    "Two dice on paper",
    start="Write S and D with the two dice X and Y, and recall (3.20).",
    hints=[
        "S = X + Y and D = X - Y, so SD = X² - Y². Both dice have the same law. What is E[D]?",
        "S = 12 happens in one of the 36 pairs, and then D = 0 for certain. D = 0 happens in six of them.",
    ],
    solution=_two_dice(),
    explanation="E[SD] = E[X²] - E[Y²] = 0 and E[D] = 0, so the covariance is 0. P(S=12, D=0) = 1/36, because only "
    "the pair (6, 6) does it. The product is 1/36 times 1/6 = 1/216. So S and D are uncorrelated and dependent.",
)
def _(cov, joint, marginals):
    expect_close(
        cov,
        0,
        "The covariance of S and D",
        known=[
            (35 / 6, "35/6 is the variance of S, and also of D. The covariance is Var(X) - Var(Y)."),
            (35 / 12, "35/12 is the variance of one die. In the covariance it enters once with each sign."),
            (-35 / 12, "-35/12 is minus the variance of one die. It enters once with each sign: Var(X) - Var(Y)."),
            (-35 / 6, "The variances of the two dice enter with opposite signs: Var(X) - Var(Y)."),
            (7, "7 is E[S]. The covariance is E[SD] - E[S] E[D], and E[D] = 0."),
        ],
        atol=1e-6,
        reveal=False,
    )
    expect_close(
        joint,
        1 / 36,
        "P(S=12, D=0)",
        known=[
            (1 / 216, "You multiplied the marginals, but S = 12 forces D = 0. Count pairs."),
            (1 / 6, "1/6 is P(D=0), the six doubles. Only one of them has the sum 12."),
            (1, "That is P(D=0 | S=12). The joint probability is P(S=12) times that."),
            (1 / 11, "The eleven sums are not equally probable. Count pairs: there are 36."),
            (0, "It can happen: both dice show six."),
        ],
        rtol=5e-3,
        reveal=False,
    )
    expect_close(
        marginals,
        1 / 216,
        "P(S=12) P(D=0)",
        known=[
            (1 / 36, "That is the joint probability again. P(S=12) = 1/36 has to be multiplied by P(D=0)."),
            (1 / 1296, "D = 0 happens for six pairs, the doubles, not for one."),
            (1 / 6, "That is P(D=0) alone. Multiply it by P(S=12)."),
            (1 / 11 / 36, "The eleven differences are not equally probable: six of the 36 pairs have D = 0."),
            (1 / 66, "The eleven sums are not equally probable: one of the 36 pairs has S = 12."),
            (
                1 / 121,
                "Neither the eleven sums nor the eleven differences are equally probable. Count pairs: there are 36.",
            ),
            (1 / 6 + 1 / 36, "You added the two probabilities. Multiply them."),
        ],
        rtol=5e-3,
        reveal=False,
    )
    return "Right. Covariance zero, and yet P(S, D) is not P(S) P(D): uncorrelated, but dependent."


@exercise(
    "3.f",
    "Rare deaths",
    start="Which law has the number of deaths in one corps and one year? Then put k = 0 into (3.27).",
    hints=[
        "P(0) of the Poisson law with rate 0.7, times the number of corps-years.",
        "Twenty independent years: their variances add, and each is 0.7 by (3.28). The standard deviation is the root.",
    ],
    solution=(280 * np.exp(-0.7), 14**0.5),
    explanation="280 exp(-0.7) = 139.0. The variance of one year is 0.7, of twenty independent ones 14, so the "
    "standard deviation is 3.74.",
)
def _(no_death, deviation):
    _exchanged(no_death, deviation, (280 * np.exp(-0.7), 14**0.5))
    expect_close(
        no_death,
        280 * np.exp(-0.7),
        "The expected number of corps-years without a death",
        known=[
            (np.exp(-0.7), "That is the probability for one corps-year. Multiply it by 280."),
            (280 * 0.7 * np.exp(-0.7), "That is for one death. For none, k = 0: the power and the factorial are one."),
            (280 * (1 - np.exp(-0.7)), "That is the number of corps-years with at least one death."),
            (196, "280 times 0.7 is the expected number of deaths. How probable is none in one corps-year?"),
            (84, "1 - 0.7 would be right if 0.7 were the probability of a death. It is a mean; use (3.27) with k = 0."),
            (280 * np.exp(0.7), "The sign of the exponent: exp(-0.7)."),
            (140, "That takes P(0) as one half. It is exp(-0.7), a little less."),
            (144, "That is what was observed. What does the law expect?"),
            (280 * np.exp(-14), "exp(-14) is for twenty years together. One corps and one year has the rate 0.7."),
            (20 * np.exp(-0.7), "That is for one corps in twenty years. There are 280 corps-years."),
        ],
        rtol=5e-3,
        reveal=False,
    )
    expect_close(
        deviation,
        14**0.5,
        "The standard deviation of the deaths in twenty years",
        known=[
            (14, "14 is the variance, and the mean. The standard deviation is the root."),
            (0.7**0.5, "That is for one year. Twenty independent years: their variances add."),
            (20 * 0.7**0.5, "You added standard deviations. Variances of independent years add."),
            (0.7, "That is the variance of one year. Add twenty of them and take the root."),
            ((0.7 / 20) ** 0.5, "That is the deviation of the mean of twenty years. Their sum is asked for."),
            (0.7 * 20**0.5, "0.7 is the variance of one year, not its standard deviation."),
            (196**0.5, "That is for all 14 corps. One corps in twenty years is asked for."),
            (196, "One corps in twenty years has the mean 14. The standard deviation is the root of the variance."),
            (20**0.5, "The rate is missing: each year brings the variance 0.7."),
            (
                (20 * 0.7 * 0.3) ** 0.5,
                "0.7 is a rate, not a probability: the variance of a year is 0.7 (3.28), not p (1 - p).",
            ),
        ],
        rtol=5e-3,
        reveal=False,
    )
    return "Right. 3.15 counts 144 such corps-years, and compares the totals of the corps with 3.74."


@exercise(
    "3.g",
    "Time and speed",
    start="Which function of the speed is the time, and is it convex?",
    hints=["60 km take 2 hours at 30 km/h. How long at 90 km/h?", "The mean speed is 60 km/h, which takes one hour."],
    solution=(4 / 3, 1.0),
    explanation="(2 + 2/3) / 2 = 4/3 hours against 60 / 60 = 1 hour. The time 60 / v is convex in v, so by (3.42) its "
    "mean is at least the time at the mean speed.",
)
def _(mean_time, time_at_mean_speed):
    _exchanged(mean_time, time_at_mean_speed, (4 / 3, 1))
    expect_close(
        mean_time,
        4 / 3,
        "The mean time",
        known=[
            (1, "That is the time at the mean speed. Compute both times and take their mean."),
            (8 / 3, "That is the sum of the two times. Each has probability one half."),
            (80, "In hours, please: 80 minutes are 4/3 hours."),
            (60, "In hours, please. (And is it the mean of the two times?)"),
            (2 / 3, "That is the time at 90 km/h alone."),
            (3 / 4, "You divided the wrong way round: 60 km at 30 km/h take 60 / 30 hours."),
            (2, "That is the time at 30 km/h alone."),
            (
                45,
                "45 km/h is the whole way over the mean time, a speed. Hours are asked for: the mean of the two times.",
            ),
        ],
        rtol=5e-3,
        reveal=False,
    )
    expect_close(
        time_at_mean_speed,
        1,
        "The time at the mean speed",
        known=[
            (4 / 3, "That is the mean time. Take the mean of the speeds first, then the time."),
            (60, "In hours, please. (Or is it the mean speed?)"),
            (0.5, "The mean of 30 and 90 is 60, not 120."),
            (2 / 3, "That is the time at 90 km/h. The mean speed is 60 km/h."),
            (2, "That is the time at 30 km/h. The mean speed is 60 km/h."),
        ],
        rtol=5e-3,
        reveal=False,
    )
    return "Right. 60 / v is convex, so the mean time is longer than the time at the mean speed."


def mean_within(mu, sigma, n, a, b):
    law = NormalDist(mu, sigma / n**0.5)
    return law.cdf(b) - law.cdf(a)


def _with_spread(spread):
    def slip(mu, sigma, n, a, b):
        law = NormalDist(mu, spread(sigma, n))
        return law.cdf(b) - law.cdf(a)

    return slip


@exercise(
    "3.h",
    "The mean of many draws",
    start="What are mean and standard deviation of the mean of n draws? Equation (3.48).",
    hints=[
        "The mean of n draws is nearly normal with mean mu and standard deviation sigma / n**0.5.",
        "Standardise both limits, z = (b - mu) / (sigma / n**0.5), and subtract: cdf at b minus cdf at a.",
    ],
    solution=mean_within,
    explanation="By (3.48) the mean has the standard deviation sigma / sqrt(n); by (3.51) the standardised mean is "
    "nearly standard normal, so the probability is the difference of two values of its distribution function.",
)
def _(answer):
    cases = [(3.5, 1.7, 36, 3.0, 4.0), (0.0, 2.5, 10, -0.4, 1.1), (7.0, 3.0, 50, 6.2, 7.1), (-2.0, 0.8, 5, -2.9, -2.1)]
    expect_function(
        answer,
        mean_within,
        cases,
        "The probability",
        slips=[
            (_with_spread(lambda sigma, n: sigma), "You use the spread of one draw. The mean of n draws has sigma / "
             "n**0.5 (3.48)."),
            (_with_spread(lambda sigma, n: sigma / n), "You divide sigma by n. The variance is divided by n, so the "
             "standard deviation by its root."),
            (_with_spread(lambda sigma, n: sigma**2 / n), "sigma² / n is the variance of the mean; standardise by its "
             "root."),
            (_with_spread(lambda sigma, n: sigma * n**0.5), "sigma times n**0.5 is the spread of the sum; the mean has "
             "sigma / n**0.5."),
            (lambda mu, sigma, n, a, b: NormalDist(mu, sigma / n**0.5).cdf(b), "That is P(mean <= b). Subtract the "
             "part below a."),
            (lambda mu, sigma, n, a, b: mean_within(mu, sigma, n, b, a), "The order is reversed: cdf at b minus cdf at "
             "a."),
            (lambda mu, sigma, n, a, b: mean_within(0.0, sigma, n, a, b), "The mean mu is not subtracted from the "
             "limits."),
            (lambda mu, sigma, n, a, b: 1 - mean_within(mu, sigma, n, a, b), "That is the probability of lying "
             "outside."),
            (lambda mu, sigma, n, a, b: NormalDist(mu, sigma / n**0.5).pdf(b) - NormalDist(mu, sigma / n**0.5).pdf(a),
             "You subtract densities; use cdf, not pdf."),
            (lambda mu, sigma, n, a, b: NormalDist().pdf((b - mu) * n**0.5 / sigma)
             - NormalDist().pdf((a - mu) * n**0.5 / sigma), "You subtract densities; use cdf, not pdf."),
            (lambda mu, sigma, n, a, b: mean_within(n * mu, n * sigma, n, a, b), "That is the law of the sum, with "
             "mean n mu and spread sigma n**0.5. The mean of n draws has mu and sigma / n**0.5 (3.48)."),
            (lambda mu, sigma, n, a, b: 2 * NormalDist(mu, sigma / n**0.5).cdf(b) - 1, "You take the limits to lie "
             "symmetrically around mu. In general subtract the cdf at a."),
            (lambda mu, sigma, n, a, b: NormalDist(mu, sigma / n**0.5).cdf(a), "That is P(mean <= a), the part below "
             "the interval."),
            (lambda mu, sigma, n, a, b: 1 - NormalDist(mu, sigma / n**0.5).cdf(b), "That is P(mean > b), the part "
             "above the interval."),
            (lambda mu, sigma, n, a, b: mean_within(mu, sigma, n - 1, a, b), "You divide by n - 1. The variance of the "
             "mean is sigma² / n (3.48)."),
            (_with_spread(lambda sigma, n: (sigma / n) ** 0.5), "sigma is the standard deviation already; only n "
             "stands under the root."),
            (_with_spread(lambda sigma, n: sigma**2 / n**0.5), "sigma² is the variance. Divide sigma by n**0.5."),
            (_with_spread(lambda sigma, n: 1), "The limits minus mu are not divided by sigma / n**0.5."),
            (lambda mu, sigma, n, a, b: NormalDist().cdf(b) - NormalDist().cdf(a), "The limits are not standardised: "
             "subtract mu, divide by sigma / n**0.5."),
            (lambda mu, sigma, n, a, b: NormalDist(mu, sigma / n**0.5).cdf(b) + NormalDist(mu, sigma / n**0.5).cdf(a),
             "You add the two values of the cdf. Subtract them."),
        ],
    )  # fmt: skip
    return "Right. The law of the draws has left nothing but mu and sigma."


def variance_of_sum(a, Sigma):
    return a @ Sigma @ a


@exercise(
    "3.1",
    "The variance of a weighted sum",
    start="Write out the case of two variables with (3.17) and (3.21).",
    hints=[
        "Var(a1 X1 + a2 X2) = a1² Var(X1) + a2² Var(X2) + 2 a1 a2 Cov(X1, X2).",
        "In general it is the double sum of a_i a_j Sigma_ij over all i and j, which is a @ Sigma @ a.",
    ],
    solution=variance_of_sum,
    explanation="Multiply out the square of the sum of a_i (X_i - E X_i) and take expectations. For all weights the "
    "result is a variance, so no covariance matrix can make it negative.",
)
def _(answer):
    rng = np.random.default_rng(33)
    for d in (2, 3, 5):
        M = rng.normal(size=(d, d))
        a, Sigma = rng.normal(size=d) * 2, M @ M.T + 0.2 * np.eye(d)
        right, diagonal = a @ Sigma @ a, np.diag(Sigma)
        upper = sum(a[i] * a[j] * Sigma[i, j] for i in range(d) for j in range(i + 1, d))
        expect_close(
            answer(a, Sigma),
            right,
            f"The variance for {d} variables",
            known=[
                (a**2 @ diagonal, "The covariances are missing: this holds for uncorrelated variables only."),
                (a @ diagonal, "Weights enter squared (3.17), and the covariances are missing."),
                (Sigma.sum(), "The weights are missing."),
                (a**2 @ diagonal + upper, "Each covariance appears twice in (3.21); you have it once."),
                (np.sqrt(right), "That is the standard deviation; the variance is its square."),
                (a**2 @ Sigma @ a**2, "a_i and a_j each appear once in the term i, j; you squared them all."),
                ((a @ Sigma).sum(), "Both variables of a covariance bring their weight; you have a_i without a_j."),
                ((a**2 @ Sigma).sum(), "In the term i, j the weights are a_i a_j; you squared a_i."),
                (a**2 @ diagonal + Sigma.sum() - diagonal.sum(), "The covariances need their weights a_i a_j."),
                (right + 2 * upper, "Each covariance appears twice in (3.21); you have it four times."),
                (a**2 @ diagonal - 2 * upper, "The covariances enter with plus (3.21); the signs are in the weights."),
                (abs(a) @ Sigma @ abs(a), "The weights keep their signs in a_i a_j."),
                (a @ np.linalg.inv(Sigma) @ a, "Sigma itself is wanted between the weights, not its inverse."),
                ((a @ np.sqrt(diagonal)) ** 2, "That treats all variables as fully correlated. Use all entries of "
                 "Sigma."),
                (2 * right, "You doubled everything. The sum over all i and j has each covariance twice already."),
                (a**2 @ diagonal + 2 * right, "The sum over all i and j is the whole already; you have it twice, "
                 "and the variances once more."),
                (a**2 @ diagonal + right, "The variances are counted twice."),
                (diagonal.sum(), "The weights are missing, and the covariances too."),
                (variance_of_sum(a[:2], Sigma[:2, :2]), "That takes in the first two variables only. Sum over all."),
                (Sigma @ a, "That is the vector of Cov(X_i, sum). Multiply by a once more."),
            ],
        )  # fmt: skip
    return "Right. This quadratic form is why covariance matrices are positive semi-definite."


def first_given(mu, Sigma, x2):
    slope = Sigma[0, 1] / Sigma[1, 1]
    return mu[0] + slope * (x2 - mu[1]), Sigma[0, 0] - slope * Sigma[0, 1]


@exercise(
    "3.2",
    "The best guess",
    start="In (3.37) let a be the first coordinate and b the second; every block is then one number.",
    hints=[
        "The slope is Sigma[0, 1] / Sigma[1, 1]: divide by the variance of the variable that is known.",
        "Mean: mu[0] + slope (x2 - mu[1]). Variance: Sigma[0, 0] - slope Sigma[0, 1].",
    ],
    solution=first_given,
    explanation="Equation (3.37) with one coordinate in each part. The mean depends on x2, the variance does not.",
)
def _(answer):
    rng = np.random.default_rng(36)
    for _ in range(4):
        M = rng.normal(size=(2, 2))
        mu, Sigma, x2 = rng.normal(size=2) * 3, M @ M.T + 0.3 * np.eye(2), rng.normal() * 2
        got = answer(mu, Sigma, x2)
        if isinstance(got, str) or not hasattr(got, "__len__") or len(got) != 2:
            raise Wrong("Return two numbers, (mean, variance).")
        mean, variance = got
        if np.size(mean) != 1 or np.size(variance) != 1:
            raise Wrong("Return two numbers; one of yours is an array of several.")
        mean, variance = (v if np.ndim(v) == 0 else np.ravel(v)[0] for v in got)
        (v1, c), (_, v2) = Sigma
        right = v1 - c**2 / v2
        expect_close(
            mean,
            mu[0] + c / v2 * (x2 - mu[1]),
            "The mean",
            known=[
                (mu[0] + c / v1 * (x2 - mu[1]), "You divide by the variance of the first variable. Divide by that of "
                 "the known one, Sigma[1, 1]."),
                (mu[0] + c / v2 * x2, "The mean of the second variable is not subtracted: use x2 - mu[1]."),
                (c / v2 * (x2 - mu[1]), "The mean of the first variable, mu[0], is missing."),
                (mu[0] + c * (x2 - mu[1]), "The covariance must be divided by the variance of the known variable."),
                (mu[0] + c / np.sqrt(v1 * v2) * (x2 - mu[1]), "The slope is the covariance over Sigma[1, 1], not the "
                 "correlation; they agree only for equal variances."),
                (mu[0], "That is the mean without the observation."),
                (mu[1] + c / v1 * (x2 - mu[0]), "That guesses the second variable from the first. Swap their roles."),
                (mu[0] - c / v2 * (x2 - mu[1]), "The sign of the deviation is wrong: x2 - mu[1], added."),
                (mu[0] + c / np.sqrt(v2) * (x2 - mu[1]), "Divide by the variance Sigma[1, 1], not by its root."),
                (mu[0] + c / v2 * (x2 - mu[0]), "The deviation is x2 - mu[1]; you subtract the mean of the first."),
                (x2, "That is the observation itself. (3.37) shrinks the deviation x2 - mu[1] and adds it to mu[0]."),
                (mu[0] + v2 / c * (x2 - mu[1]), "The slope is upside down: the covariance over Sigma[1, 1]."),
                (mu[0] + c / np.sqrt(v1 * v2) * v1 / v2 * (x2 - mu[1]), "Sigma holds variances; the slope ρ σ_1/σ_2 "
                 "of (3.35) needs their roots."),
                (mu[0] + c / v2**2 * (x2 - mu[1]), "Sigma holds variances: the covariance is divided by Sigma[1, 1] "
                 "once, not by its square."),
                (right, "You return (variance, mean); (mean, variance) is wanted."),
            ],
        )  # fmt: skip
        expect_close(
            variance,
            right,
            "The variance",
            known=[
                (np.sqrt(right), "That is the standard deviation; return the variance."),
                (v1, "That is the variance without the observation. Subtract what the second variable explains."),
                (v1 + c**2 / v2, "The sign is wrong: an observation removes variance."),
                (v2 - c**2 / v1, "That is the variance of the second variable given the first. Swap their roles."),
                (v1 - c**2, "The squared covariance must be divided by Sigma[1, 1]."),
                (v1 - c**2 / v1, "Divide by the variance of the known variable, Sigma[1, 1]."),
                (v1 - c / v2, "Subtract G times the covariance, so the covariance enters squared."),
                (c**2 / v2, "That is what the second variable explains. Subtract it from Sigma[0, 0]."),
                (v1 * (1 - c / np.sqrt(v1 * v2)), "The factor is 1 - ρ², with the square."),
                (v1 - c**2 / v2 * (x2 - mu[1]), "The variance does not depend on the observed value."),
                (v1 / (v1 * v2 - c**2), "That is an entry of another inverse. (3.37) subtracts from Sigma[0, 0]."),
                (v2 / (v1 * v2 - c**2), "That is the entry of the inverse of Sigma, one over the variance."),
                (v1**2 * (1 - c**2 / (v1 * v2)), "Sigma[0, 0] is the variance already; do not square it."),
                (1 - c**2 / (v1 * v2), "This is 1 - ρ². Multiply by the variance of the first variable."),
            ],
        )
    return "Right. In units of standard deviations the guess moves by ρ times the deviation (3.35)."


def poisson_kl(lam, mu):
    return lam * np.log(lam / mu) + mu - lam


@exercise(
    "3.3",
    "Divergence of two Poisson laws",
    start="Write down ln(P(k) / Q(k)) first: the factorials cancel.",
    hints=[
        "Take the logarithm of each factor of (3.27). What is left is a number times k, plus a number.",
        "ln(P(k) / Q(k)) = k ln(lam / mu) - lam + mu. Take the expectation under P, where E[K] = lam.",
    ],
    solution=poisson_kl,
    explanation="E[K ln(lam / mu) - lam + mu] with E[K] = lam. It is zero for mu = lam and positive otherwise, as "
    "(3.46) promises.",
)
def _(answer):
    rng = np.random.default_rng(37)
    for lam, mu in [(0.7, 1.5), (4.0, 2.5), *rng.uniform(0.3, 9, size=(4, 2)), (400.0, 300.0), (1e4, 9e3), (1e6, 9e5)]:
        right, value = poisson_kl(lam, mu), answer(float(lam), float(mu))
        if lam > 100 and not (np.size(value) == 1 and np.allclose(value, right)):
            raise Wrong(f"For small rates this is right; for lam = {lam:.0f} it is not. Do you add up terms? The task "
                        "wants none: a finite sum runs out of numbers. Which expectation is known?")  # fmt: skip
        expect_close(
            value,
            right,
            f"The divergence for lam = {lam:.3g} and mu = {mu:.3g}",
            known=[
                (poisson_kl(mu, lam), "That is KL(Q ‖ P): the expectation must be taken under P, with rate lam."),
                (right / np.log(2), "That is in bits; nats are wanted, so use the natural logarithm."),
                (lam * np.log(lam / mu), "The factors exp(-lam) and exp(-mu) are missing: they add mu - lam."),
                (lam * np.log(lam / mu) + lam - mu, "The sign of mu - lam is wrong: ln(e^-lam / e^-mu) = mu - lam."),
                (np.log(lam / mu) + mu - lam, "K ln(lam / mu) has the expectation lam ln(lam / mu)."),
                (mu * np.log(lam / mu) + mu - lam, "K has the expectation lam under P, not mu."),
                (lam * np.log(mu / lam) + mu - lam, "The ratio in the logarithm is upside down: ln(P / Q), lam / mu."),
                (lam * np.log2(lam / mu) + mu - lam, "You take the logarithm to base 2 in one term only. Nats are "
                 "wanted: np.log."),
                (right / np.log(10), "That has the logarithm to base 10; nats are wanted."),
                (mu - lam, "The term K ln(lam / mu) is missing; its expectation is lam ln(lam / mu)."),
                (mu - lam * np.log(mu), "That is the cross-entropy without its factorials. Subtract the same with lam "
                 "for mu."),
                (right + poisson_kl(mu, lam), "That is KL(P ‖ Q) + KL(Q ‖ P). Only the first is wanted."),
            ],
        )  # fmt: skip
    return "Right. It is half the deviance that a Poisson regression minimises."


def independences(P):
    P_xy = P.sum(axis=2)
    plain = np.allclose(P_xy, np.outer(P_xy.sum(axis=1), P_xy.sum(axis=0)), rtol=0, atol=1e-9)
    given_z = True
    for z in range(P.shape[2]):
        S = P[:, :, z] / P[:, :, z].sum()  # P(x, y | z)
        given_z = given_z and np.allclose(S, np.outer(S.sum(axis=1), S.sum(axis=0)), rtol=0, atol=1e-9)
    return plain, given_z


def _tables(rng, a, b, c):
    """Return joint tables (a, b, c), each with whether X and Y are independent, and independent given Z."""
    x, y, z = rng.dirichlet(np.full(a, 3)), rng.dirichlet(np.full(b, 3)), rng.dirichlet(np.full(c, 3))
    z_x, z_xy = rng.dirichlet(np.ones(c), size=a), rng.dirichlet(np.ones(c), size=(a, b))
    x_z, y_z = rng.dirichlet(np.ones(a), size=c), rng.dirichlet(np.ones(b), size=c)
    cause = np.einsum("k,ki,kj->ijk", z, x_z, y_z)
    half = cause.copy()
    half[:, :, -1] = rng.dirichlet(np.ones(a * b)).reshape(a, b) * z[-1]  # only the last slice is no product
    other = cause.copy()
    other[:, :, 0] = rng.dirichlet(np.ones(a * b)).reshape(a, b) * z[0]  # only the first is none
    return [
        (cause, (False, True)),
        (np.einsum("i,j,ijk->ijk", x, y, z_xy), (True, False)),
        (rng.dirichlet(np.ones(a * b * c)).reshape(a, b, c), (False, False)),
        (half, (False, False)),
        (other, (False, False)),
        (np.einsum("i,j,k->ijk", x, y, z), (True, True)),
        (np.einsum("i,j,ik->ijk", x, y, z_x), (True, True)),
    ]


def _deceptive_tables(rng):
    """Return tables whose X and Y are uncorrelated but dependent, or products only in [0, 0] or on the diagonal."""
    circle = np.array([[4, 6, 2], [2, 4, 6], [6, 2, 4]]) / 36
    x, tables = np.array([0.3, 0.4, 0.3]), []
    for y_x in ([0.8, 0.2, 0.8], [0.5, 0.2, 0.9]):  # P(y = 1 | x); in the second 0.5 is also P(y = 1)
        xy = np.column_stack([x * (1 - np.array(y_x)), x * y_x])
        tables += [(np.einsum("ij,k->ijk", xy, rng.dirichlet(np.full(c, 3))), (False, False)) for c in (2, 3)]
    return [*tables, (np.einsum("ij,k->ijk", circle, [0.4, 0.6]), (False, False))]


def _covariance_zero(T):
    x, y = np.arange(T.shape[0]), np.arange(T.shape[1])
    return np.isclose(x @ T @ y, (x @ T.sum(axis=1)) * (T.sum(axis=0) @ y))


def _first_entry(T):
    return np.isclose(T[0, 0], T[0].sum() * T[:, 0].sum())


def _diagonal(T):
    return np.allclose(np.diag(T), np.diag(np.outer(T.sum(axis=1), T.sum(axis=0))))


def _against_margins(P):  # P(x, y | z) = P(x) P(y), with the margins of the whole table
    return np.allclose(P / P.sum(axis=(0, 1)), np.outer(P.sum(axis=(1, 2)), P.sum(axis=(0, 2)))[:, :, None])


def _undivided(P):
    return all(np.allclose(S, np.outer(S.sum(axis=1), S.sum(axis=0))) for S in np.moveaxis(P, 2, 0))


def _first_slice(P):
    return independences(P[:, :, :1])[1]


def _last_slice(P):
    return independences(P[:, :, -1:])[1]


def _some_slice(P):
    return any(independences(P[:, :, [z]])[1] for z in range(P.shape[2]))


def _all_three(P):
    return np.allclose(P, np.einsum("i,j,k->ijk", P.sum(axis=(1, 2)), P.sum(axis=(0, 2)), P.sum(axis=(0, 1))))


@exercise(
    "3.4",
    "Two kinds of independence",
    start="Which two-dimensional tables does each question need: one table, or one for each z?",
    hints=[
        "Plain: sum over z (3.3) and compare the table with the outer product of its margins (3.10). Given Z: do the "
        "same inside every slice P[:, :, z], divided by its sum (3.11).",
        "S = P[:, :, z] / P[:, :, z].sum() is P(x, y | z); np.allclose(S, np.outer(S.sum(axis=1), S.sum(axis=0))) must "
        "hold for all z.",
    ],
    solution=independences,
    explanation="Equations (3.10) and (3.11). All four pairs of answers occur: neither kind of independence implies "
    "the other.",
)
def _(answer):
    rng = np.random.default_rng(38)
    cases = [case for shape in ((2, 2, 2), (3, 2, 4), (2, 3, 2)) for _ in range(3) for case in _tables(rng, *shape)]
    cases += _deceptive_tables(rng)
    pairs = []
    for P, _ in cases:
        got = answer(P)
        got = got.tolist() if isinstance(got, np.ndarray) else got
        truth = (bool, np.bool_, int, np.integer)
        if not isinstance(got, (tuple, list)) or len(got) != 2 or not all(isinstance(g, truth) for g in got):
            raise Wrong("Return two truth values: (independent, independent given Z).")
        pairs.append(tuple(map(bool, got)))
    right = [wanted for _, wanted in cases]
    if pairs == right:
        return "Right. A multiplication of likelihoods (3.12) needs the second kind."
    if pairs == [pair[::-1] for pair in right]:
        raise Wrong("The two answers are exchanged: the plain one comes first.")
    if pairs == [(g, g) for _, g in right]:
        raise Wrong("Both your answers are the conditional one. The first asks about X and Y alone: sum over z.")
    if pairs == [(not p, not g) for p, g in right]:
        raise Wrong("Both answers are reversed: True means independent.")
    for axis, name in enumerate(("first", "second")):
        if pairs == [tuple(map(bool, independences(np.moveaxis(P, axis, 2)))) for P, _ in cases]:
            raise Wrong(f"You sum over the {name} axis and condition on it; z runs along the third.")
    plain, given_z = zip(*pairs)
    if list(plain) == [_all_three(P) for P, _ in cases]:
        raise Wrong("You ask whether all three are independent. Sum over z first, and look at X and Y alone.")
    for wrong, words in (
        (_covariance_zero, "You test whether the covariance is zero. That is less than independence: compare the whole "
         "table with the product of its margins."),
        (_first_entry, "You compare one entry only. Every entry must be the product of its margins."),
        (_diagonal, "You compare the diagonal only. Every entry must be the product of its margins."),
    ):  # fmt: skip
        slices = [all(wrong(S / S.sum()) for S in np.moveaxis(P, 2, 0)) for P, _ in cases]
        if list(plain) == [bool(wrong(P.sum(axis=2))) for P, _ in cases] or list(given_z) == slices:
            raise Wrong(words)
    if list(plain) != [p for p, _ in right]:
        bad, said = next((P, p) for (P, wanted), p in zip(cases, plain) if p != wanted[0])
        raise Wrong(f"The first answer is wrong for a table of shape {bad.shape}: {said} instead of {not said}. "
                    "Sum over z, then compare with (3.10), up to rounding.")  # fmt: skip
    for wrong, words in (
        (_against_margins, "Inside a slice compare with the margins of that slice, P(x | z) and P(y | z)."),
        (_undivided, "A slice P[:, :, z] is not yet P(x, y | z): divide it by its sum before you compare."),
        (_first_slice, "One slice, such as the first, is not enough: (3.11) must hold for every z."),
        (_last_slice, "The last slice alone is not enough: (3.11) must hold for every z."),
        (_some_slice, "Some slice is not enough: (3.11) must hold for every z."),
        (_all_three, "You ask whether all three are independent. (3.11) asks about X and Y inside each slice."),
    ):
        if list(given_z) == [bool(wrong(P)) for P, _ in cases]:
            raise Wrong(f"The second answer is wrong. {words}")
    if list(given_z) == list(plain):
        raise Wrong("Both your answers are always the same; 3.5.1 shows that neither implies the other.")
    bad, said = next((P, g) for (P, wanted), g in zip(cases, given_z) if g != wanted[1])
    raise Wrong(f"The second answer is wrong for a table of shape {bad.shape}: {said} instead of {not said}. "
                "Test (3.11) in every slice P[:, :, z], up to rounding.")  # fmt: skip

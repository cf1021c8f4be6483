"""Tasks and exercises of chapter 03: events, conditionals, Bayes' rule, moments, Jensen, means, a divergence."""

import numpy as np

from mlteach.exercises.base import Wrong
from mlteach.exercises.tasks import number, task

task("3.a", "A loaded die",
    start="Which outcomes belong to the event? Add up their probabilities, the third axiom (3.1).",
    hints=[
        "Less than four means one, two or three eyes.",
        "The second event has the outcomes 1, 2, 3 and 5. Or by (3.2), where both events have 2 and 3.",
    ],
    small=number("P(less than four)", "0.4 + 0.1 + 0.2", rtol=5e-3, slips="""
        0.75    | Less than four: four itself does not belong to it.
        0.5     | That is right for a fair die (or 1 and 2 alone). This die is loaded: add the numbers of 1, 2 and 3.
        2 / 3   | That is 'at most four' for a fair die. This die is loaded, and four is not less than four.
        0.3     | That is 'not less than four', or 2 and 3 without 1: add up 1, 2 and 3 eyes.
        0.4     | That is one eye alone, or a prime. Add up 1, 2 and 3 eyes.
        0.6     | Two eyes are less than four as well.
        0.8     | That is the second event, with a prime. Less than four alone comes first.
        0.25    | That is 'more than four'. Less than four is asked for.
        0.7 / 3 | You divided by three. Add the probabilities of the outcomes, no more.
        """),
    small_or_prime=number("P(less than four, or a prime)", "0.7 + 0.4 - 0.3", rtol=5e-3, slips="""
        1.1   | No probability exceeds one. The outcomes 2 and 3 lie in both events: subtract them once (3.2).
        1     | This happens for certain only if every number of eyes belongs to it. Do 4 and 6?
        0.3   | That is the probability of both. At least one is asked for.
        0.7   | That is 'less than four' alone. Five is a prime and not less than four.
        0.28  | You multiplied the two probabilities. Add them, and subtract that of both.
        0.82  | You subtracted the product P(A) P(B). 'Both' is the event of 2 and 3 eyes: add up those two.
        0.4   | That is the probability of a prime. One eye belongs to the event too.
        0.85  | Four is neither less than four nor a prime.
        0.9   | Both 2 and 3 lie in both events: subtract the two of them once. (Two is a prime.)
        0.5   | Subtract the outcomes in both events once, not twice.
        2 / 3 | That is right for a fair die. This one is loaded.
        0.1 | That is five alone, which the primes add. Add it to those less than four.
        """),
    right="Right. The third axiom needs no fairness.",
    explanation="P(A) = 0.4 + 0.1 + 0.2 = 0.7 and P(prime) = 0.1 + 0.2 + 0.1 = 0.4. Both happen for 2 and 3, with "
    "probability 0.3, so P(A or prime) = 0.7 + 0.4 - 0.3 = 0.8.",
)  # fmt: skip


def given_column(P):
    return P / P.sum(axis=0)


def joint_tables():
    rng = np.random.default_rng(31)
    tables = [np.array([[0.576, 0.02, 0.064, 0.01], [0.144, 0.08, 0.016, 0.09]])]
    tables += [rng.dirichlet(np.full(r * c, 0.7)).reshape(r, c) for r, c in ((3, 3), (5, 2))]
    return [(P,) for P in tables]


task("3.b", "Given the column", given_column, cases=joint_tables, what="The table of P(x | y)",
    start="Which numbers must sum to one in P(x | y): those of a row, of a column, or all of them?",
    hints=[
        "Given y, only the entries of column y are left. They must sum to one: equation (3.4).",
        "P.sum(axis=0) holds the sum of each column; dividing by it works column by column.",
    ],
    slips="""
        P.sum(axis=0) => P.sum(axis=1, keepdims=True) | You divide by the sums of the rows: that is P(y | x). Given y,
            the columns sum to one.
        P.sum(axis=0) => P.sum() | That is the joint table again: its entries sum to one already. Divide each column by
            its own sum.
        P.sum(axis=0) => np.outer(P.sum(axis=1), P.sum(axis=0)) | You divide by both marginals. Divide by P(y) only, the
            sums of the columns.
        P / => P * | You multiply by P(y): that is the wrong way round. Divide by it.
        P.sum(axis=0) => P.max(axis=0) | You divide by the largest entry of each column. Divide by its sum.
        P.sum(axis=0) => P.mean(axis=0) | You divide by the mean of each column. Divide by its sum.
        P / P.sum(axis=0) => np.outer(P.sum(axis=1), P.sum(axis=0)) | That is the product of the marginals, the joint
            table if x and y were independent.
        P.sum(axis=0) => np.sqrt((P**2).sum(axis=0)) | You scale columns to length one. Probabilities sum to one.
        P / P.sum(axis=0) => np.exp(P) / np.exp(P).sum(axis=0) | That is a softmax. Divide the entries themselves by
            the sum of their column.
        """,
    right="Right. Divide by P.sum(axis=1, keepdims=True) and you have P(y | x).",
    explanation="Equations (3.3) and (3.4): the sum over x is P(y), and each column is divided by its own sum.",
)  # fmt: skip


def after_tests(prior, found, alarm, k):
    ill = prior * found**k
    well = (1 - prior) * alarm**k
    return ill / (ill + well)


def test_cases():
    rng = np.random.default_rng(32)
    cases = [(0.01, 0.9, 0.09, 1), (0.01, 0.9, 0.09, 2)]
    return cases + [(*rng.uniform((0.02, 0.6, 0.05), (0.4, 0.95, 0.4)), k) for k in (0, 3, 5, 2)] + [(0.3, 0.8, 0.0, 2)]


task("3.c", "Several positive tests", after_tests, cases=test_cases, what="The probability of being ill",
    start="What does Bayes' rule (3.8) say for k = 1, and what does (3.12) add?",
    hints=[
        "Given the state of health the tests are independent, so their probabilities multiply: found**k and alarm**k.",
        "Two numbers compete: prior * found**k for ill, (1 - prior) * alarm**k for well. Normalise them.",
    ],
    slips="""
        ill / (ill + well) => ill | That is P(ill and all positive), not yet divided by P(all positive).
        ill / (ill + well) => found**k | That is P(all positive | ill), the likelihood. The prior and the false alarms
            are missing.
        ill / ( => well / ( | That is the probability of being well.
        prior * found => found ;; (1 - prior) * alarm => alarm | The prior is missing: you treat ill and well as equally
            probable.
        (1 - prior) * alarm => alarm | The well have the prior 1 - prior; you forgot it in the denominator.
        ill / (ill + well) => ill / well | That is the odds, ill against well. The probability is odds / (1 + odds).
        alarm**k => (1 - alarm)**k | alarm is the probability of a positive test for the well; you used 1 - alarm.
        found**k => (1 - found)**k | found is the probability of a positive test for the ill; you used 1 - found, that
            of a negative one.
        found**k => found ;; alarm**k => alarm ;; ill / (ill + well) => 1 - (well / (ill + well)) ** k | The chances of
            single tests do not combine like that. Multiply likelihoods.
        found**k => found ;; alarm**k => alarm | This is the answer for one test, whatever k is.
        alarm**k => alarm | Each of the k tests is a false alarm: alarm**k.
        found**k => found ;; alarm**k => alarm ;; ill / (ill + well) => (ill / (ill + well)) ** k | You raise the
            posterior to the power k. Raise found and alarm to it instead.
        ill / (ill + well) => prior | That is the prior: the tests are missing.
        ill = prior => k = max(k, 1); ill = prior | No test, k = 0, leaves the prior as it is.
        found**k => (k * found if k else 1) ;; alarm**k => (k * alarm if k else 1) | Likelihoods of k tests multiply:
            found**k, not k * found.
        ill / (ill + well) => ill / (prior * found + (1 - prior) * alarm) ** k | The denominator multiplies P(positive)
            k times, as if the tests were independent. They are so only given the state of health: add prior * found**k
            and (1 - prior) * alarm**k.
        prior * found**k => (prior * found) ** k ;; (1 - prior) * alarm**k => ((1 - prior) * alarm) ** k | You raise the
            prior to the power k too. It enters once, the likelihoods k times.
        ill / (ill + well) => ill + well | That is P(all positive), the denominator alone.
        alarm**k => (1 - alarm**k) | The well are all positive with alarm**k; you used 1 - alarm**k.
        found**k => (1 - found)**k ;; alarm**k => (1 - alarm)**k | That is the probability after k negative tests.
        ill / (ill + well) => ill / (ill + well) if k else 0.0 | No test, k = 0, leaves the prior as it is.
        ill = prior => k += 1; ill = prior | You count one test too many.
        ill = prior => k -= 1; ill = prior | You count one test too few.
        alarm**k => (1 - found)**k | You take 1 - found for the false alarms. found is about the ill, alarm about the
            well: two numbers of their own.
        found**k => found | Each of the k tests is positive for the ill as well: found**k.
        ill / (ill + well) => ill / (prior * found + (1 - prior) * alarm) | The denominator has k tests too: found**k
            and alarm**k.
        ill = prior => k = 2; ill = prior | This is the answer for two tests, whatever k is.
        """,
    right="Right. Without conditional independence it would be wrong: 3.14.2.",
    explanation="Equation (3.12) with n = k pieces of evidence; alpha makes the two posteriors sum to one. In odds, "
    "each test multiplies by found / alarm.",
)  # fmt: skip

task("3.d", "The mean of a call",
    start="Which weights belong to 3, 8 and 25 minutes? Look at (3.18).",
    hints=[
        "Weight each mean by the probability of its kind (3.18).",
        "Without complaints the weights 0.6 and 0.3 must be divided by their sum, as in (3.4).",
    ],
    call=number("The mean length of a call", "0.6 * 3 + 0.3 * 8 + 0.1 * 25", rtol=5e-3, slips="""
        12      | That is the plain mean of 3, 8 and 25. Weight each by the probability of its kind.
        36      | That is the sum of 3, 8 and 25. Weight each by the probability of its kind.
        8       | That is the middle one of the three. Weight each by the probability of its kind.
        4.2     | The complaints are missing here.
        14 / 3  | That is the mean without complaints. The mean of all calls comes first.
        402     | In minutes, please.
        6.7 / 3 | You divided by three once more. The weights sum to one already.
        670 | Per cent are hundredths: 0.6 x 3 + ...
        """),
    call_without_complaint=number("The mean length of a call that is no complaint", "(0.6 * 3 + 0.3 * 8) / (0.6 + 0.3)",
        rtol=5e-3, slips="""
        4.2       | The weights 0.6 and 0.3 sum to 0.9. Divide by it: they are conditional probabilities (3.4).
        5.5       | That is the plain mean of 3 and 8. Questions are twice as frequent as faults.
        6.7       | That is the mean of all calls.
        6.7 / 0.9 | The complaints are still in the sum.
        2.1       | The weights 0.6 and 0.3 are not divided by 2. Divide by their sum, 0.9: conditional probabilities.
        1.4       | The weights 0.6 and 0.3 are not divided by 3. Divide by their sum, 0.9: conditional probabilities.
        7         | Divide by the probability of no complaint, 0.6 + 0.3.
        4.4       | Only one weight is divided by 0.9. Divide both.
        25 | That is the mean length of a complaint. Asked are the calls that are none.
        42 | Divide by the probability of no complaint, 0.9, not by that of a complaint.
        """),
    right="Right. 0.9 × 4.667 + 0.1 × 25 is 6.7 again.",
    explanation="Total expectation (3.18): 1.8 + 2.4 + 2.5 = 6.7 minutes. Given that it is no complaint, the weights "
    "are 0.6 / 0.9 and 0.3 / 0.9, so (1.8 + 2.4) / 0.9 = 4.667 minutes.",
)  # fmt: skip

task("3.e", "Two dice on paper",
    start="What are S and D in terms of the two dice, and what does (3.20) say?",
    hints=[
        "S = X + Y and D = X - Y, so SD = X² - Y². Both dice have the same law. What is E[D]?",
        "S = 12 happens in one of the 36 pairs, and then D = 0 for certain. D = 0 happens in six of them.",
    ],
    cov=number("The covariance of S and D", "35 / 12 - 35 / 12", to=1e-6, slips="""
        35 / 6   | 35/6 is the variance of S, and also of D. The covariance is Var(X) - Var(Y).
        35 / 12  | 35/12 is the variance of one die. In the covariance it enters once with each sign.
        -35 / 12 | -35/12 is minus the variance of one die. It enters once with each sign: Var(X) - Var(Y).
        -35 / 6  | The variances of the two dice enter with opposite signs: Var(X) - Var(Y).
        7        | 7 is E[S]. The covariance is E[SD] - E[S] E[D], and E[D] = 0.
        """),
    joint=number("P(S=12, D=0)", "1 / 36", rtol=5e-3, slips="""
        1 / 216 | You multiplied the marginals, but S = 12 forces D = 0. Count pairs.
        1 / 6   | 1/6 is P(D=0), the six doubles. Only one of them has the sum 12.
        1       | That is P(D=0 | S=12). The joint probability is P(S=12) times that.
        1 / 11  | The eleven sums are not equally probable. Count pairs: there are 36.
        0       | It can happen: both dice show six.
        """),
    marginals=number("P(S=12) P(D=0)", "1 / 36 * 6 / 36", rtol=5e-3, slips="""
        1 / 36         | That is the joint probability again. P(S=12) = 1/36 has to be multiplied by P(D=0).
        1 / 1296       | D = 0 happens for six pairs, the doubles, not for one.
        1 / 6          | That is P(D=0) alone. Multiply it by P(S=12).
        1 / 11 / 36    | The eleven differences are not equally probable: six of the 36 pairs have D = 0.
        1 / 66         | The eleven sums are not equally probable: one of the 36 pairs has S = 12.
        1 / 121        | Neither the eleven sums nor the eleven differences are equally probable. Count pairs: there are
            36.
        1 / 6 + 1 / 36 | You added the two probabilities. Multiply them.
        """),
    right="Right. Covariance zero, and yet P(S, D) is not P(S) P(D): uncorrelated, but dependent.",
    explanation="E[SD] = E[X²] - E[Y²] = 0 and E[D] = 0, so the covariance is 0. P(S=12, D=0) = 1/36, because only "
    "the pair (6, 6) does it. The product is 1/36 times 1/6 = 1/216. So S and D are uncorrelated and dependent.",
)  # fmt: skip

task("3.f", "Rare deaths",
    start="Which law has the number of deaths in one corps and one year? Then put k = 0 into (3.27).",
    hints=[
        "P(0) of the Poisson law with rate 0.7, times the number of corps-years.",
        "Twenty independent years: their variances add, and each is 0.7 by (3.28). The standard deviation is the root.",
    ],
    no_death=number("The expected number of corps-years without a death", "280 * np.exp(-0.7)", rtol=5e-3, slips="""
        np.exp(-0.7)             | That is the probability for one corps-year. Multiply it by 280.
        280 * 0.7 * np.exp(-0.7) | That is for one death. For none, k = 0: the power and the factorial are one.
        280 * (1 - np.exp(-0.7)) | That is the number of corps-years with at least one death.
        196                   | 280 times 0.7 is the expected number of deaths. How probable is none in one corps-year?
        84                    | 1 - 0.7 would be right if 0.7 were the probability of a death. It is a mean; use (3.27)
            with k = 0.
        280 * np.exp(0.7)        | The sign of the exponent: exp(-0.7).
        140                   | That takes P(0) as one half. It is exp(-0.7), a little less.
        144                   | That is what was observed. What does the law expect?
        280 * np.exp(-14)        | exp(-14) is for twenty years together. One corps and one year has the rate 0.7.
        20 * np.exp(-0.7)        | That is for one corps in twenty years. There are 280 corps-years.
        """),
    deviation=number("The standard deviation of the deaths in twenty years", "(20 * 0.7) ** 0.5", rtol=5e-3, slips="""
        0.7**0.5             | That is for one year. Twenty independent years: their variances add.
        20 * 0.7**0.5        | You added standard deviations. Variances of independent years add.
        0.7                  | That is the variance of one year. Add twenty of them and take the root.
        (0.7 / 20) ** 0.5    | That is the deviation of the mean of twenty years. Their sum is asked for.
        0.7 * 20**0.5        | 0.7 is the variance of one year, not its standard deviation.
        14                   | 14 is the variance, and the mean; or it is for all 14 corps. The standard deviation is
            the root, for one corps.
        196                  | One corps in twenty years has the mean 14. The standard deviation is the root of the
            variance.
        20**0.5              | The rate is missing: each year brings the variance 0.7.
        (20 * .7 * .3)**0.5  | 0.7 is a rate, not a probability: the variance of a year is 0.7 (3.28), not p (1 - p).
        """),
    right="Right. 3.15 counts 144 such corps-years, and compares the totals of the corps with 3.74.",
    explanation="280 exp(-0.7) = 139.0. The variance of one year is 0.7, of twenty independent ones 14, so the "
    "standard deviation is 3.74.",
)  # fmt: skip

task("3.g", "Time and speed",
    start="Which function of the speed is the time, and is it convex?",
    hints=["60 km take 2 hours at 30 km/h. How long at 90 km/h?", "The mean speed is 60 km/h, which takes one hour."],
    mean_time=number("The mean time", "(60 / 30 + 60 / 90) / 2", rtol=5e-3, slips="""
        (4 / 3) ** 0.5 | That is the geometric mean of the two times. The mean time is their sum over 2.
        1     | That is the time at the mean speed. Compute both times and take their mean.
        8 / 3 | That is the sum of the two times. Each has probability one half.
        80    | In hours, please: 80 minutes are 4/3 hours.
        60    | In hours, please. (And is it the mean of the two times?)
        2 / 3 | That is the time at 90 km/h alone.
        3 / 4 | You divided the wrong way round: 60 km at 30 km/h take 60 / 30 hours.
        2     | That is the time at 30 km/h alone.
        45    | 45 km/h is the whole way over the mean time, a speed. Hours are asked for: the mean of the two times.
        """),
    time_at_mean_speed=number("The time at the mean speed", "60 / ((30 + 90) / 2)", rtol=5e-3, slips="""
        4 / 3 | That is the mean time. Take the mean of the speeds first, then the time.
        60    | In hours, please. (Or is it the mean speed?)
        0.5   | The mean of 30 and 90 is 60, not 120.
        2 / 3 | That is the time at 90 km/h. The mean speed is 60 km/h.
        2     | That is the time at 30 km/h. The mean speed is 60 km/h.
        """),
    right="Right. 60 / v is convex, so the mean time is longer than the time at the mean speed.",
    explanation="(2 + 2/3) / 2 = 4/3 hours against 60 / 60 = 1 hour. The time 60 / v is convex in v, so by (3.42) its "
    "mean is at least the time at the mean speed.",
)  # fmt: skip


def mean_within(mu, sigma, n, a, b):
    from statistics import NormalDist

    cdf = NormalDist().cdf
    spread = sigma / n**0.5
    low, high = (a - mu) / spread, (b - mu) / spread
    return cdf(high) - cdf(low)


task("3.h", "The mean of many draws", mean_within, what="The probability",
    cases=[(3.5, 1.7, 36, 3.0, 4.0), (0.0, 2.5, 10, -0.4, 1.1), (7.0, 3.0, 50, 6.2, 7.1), (-2.0, 0.8, 5, -2.9, -2.1)],
    start="What are mean and standard deviation of the mean of n draws? Equation (3.48).",
    hints=[
        "The mean of n draws is nearly normal with mean mu and standard deviation sigma / n**0.5.",
        "Standardise both limits, z = (b - mu) / (sigma / n**0.5), and subtract: cdf at b minus cdf at a.",
    ],
    slips="""
        sigma / n**0.5 => sigma | You use the spread of one draw. The mean of n draws has sigma / n**0.5 (3.48).
        sigma / n**0.5 => sigma / n | You divide sigma by n. The variance is divided by n, so the standard deviation by
            its root.
        sigma / n**0.5 => sigma**2 / n | sigma² / n is the variance of the mean; standardise by its root.
        sigma / n**0.5 => sigma * n**0.5 | sigma times n**0.5 is the spread of the sum; the mean has sigma / n**0.5.
        cdf(high) - cdf(low) => cdf(high) | That is P(mean <= b). Subtract the part below a.
        cdf(high) - cdf(low) => cdf(low) - cdf(high) | The order is reversed: cdf at b minus cdf at a.
        (a - mu) => a ;; (b - mu) => b | The mean mu is not subtracted from the limits.
        cdf(high) - cdf(low) => 1 - cdf(high) + cdf(low) | That is the probability of lying outside.
        NormalDist().cdf => NormalDist().pdf | You subtract densities; use cdf, not pdf.
        NormalDist().cdf => lambda z: NormalDist().pdf(z) / spread | You subtract densities; use cdf, not pdf.
        sigma / n**0.5 => sigma * n**0.5; mu = n * mu | That is the law of the sum, with mean n mu and spread sigma
            n**0.5. The mean of n draws has mu and sigma / n**0.5 (3.48).
        cdf(high) - cdf(low) => 2 * cdf(high) - 1 | You take the limits to lie symmetrically around mu. In general
            subtract the cdf at a.
        cdf(high) - cdf(low) => cdf(low) | That is P(mean <= a), the part below the interval.
        cdf(high) - cdf(low) => 1 - cdf(high) | That is P(mean > b), the part above the interval.
        n**0.5 => (n - 1) ** 0.5 | You divide by n - 1. The variance of the mean is sigma² / n (3.48).
        sigma / n**0.5 => (sigma / n) ** 0.5 | sigma is the standard deviation already; only n stands under the root.
        sigma / n => sigma**2 / n | sigma² is the variance. Divide sigma by n**0.5.
        sigma / n**0.5 => 1 | The limits minus mu are not divided by sigma / n**0.5.
        low, high = (a - mu) / spread, (b - mu) / spread => low, high = a, b | The limits are not standardised: subtract
            mu, divide by sigma / n**0.5.
        cdf(high) - cdf(low) => cdf(high) + cdf(low) | You add the two values of the cdf. Subtract them.
        cdf(high) - cdf(low) => 1 - 2 * cdf(low) | That is right if the limits lie symmetrically about mu. They need
            not: use both.
        cdf(high) - cdf(low) => cdf(high + 0.5 / n / spread) - cdf(low - 0.5 / n / spread) | A mean of measurements is
            no count: nothing is to be corrected by a half.
        """,
    right="Right. The law of the draws has left nothing but mu and sigma.",
    explanation="By (3.48) the mean has the standard deviation sigma / sqrt(n); by (3.51) the standardised mean is "
    "nearly standard normal, so the probability is the difference of two values of its distribution function.",
)  # fmt: skip


def variance_of_sum(a, Sigma):
    return a @ Sigma @ a


def covariances():
    rng, cases = np.random.default_rng(33), []
    for d in (2, 3, 5):
        M = rng.normal(size=(d, d))
        cases.append((rng.normal(size=d) * 2, M @ M.T + 0.2 * np.eye(d)))
    return cases


task("3.1", "The variance of a weighted sum", variance_of_sum, cases=covariances, what="The variance",
    start="What do (3.17) and (3.21) say of two variables?",
    hints=[
        "Var(a1 X1 + a2 X2) = a1² Var(X1) + a2² Var(X2) + 2 a1 a2 Cov(X1, X2).",
        "In general it is the double sum of a_i a_j Sigma_ij over all i and j, which is a @ Sigma @ a.",
    ],
    slips="""
        a @ Sigma @ a => a**2 @ np.diag(Sigma) | The covariances are missing: this holds for uncorrelated variables
            only.
        a @ Sigma @ a => a @ np.diag(Sigma) | Weights enter squared (3.17), and the covariances are missing.
        a @ Sigma @ a => Sigma.sum() | The weights are missing.
        a @ Sigma @ a => (a @ Sigma @ a + a**2 @ np.diag(Sigma)) / 2 | Each covariance appears twice in (3.21); you have
            it once.
        a @ Sigma @ a => (a @ Sigma @ a) ** 0.5 | That is the standard deviation; the variance is its square.
        a @ Sigma @ a => a**2 @ Sigma @ a**2 | a_i and a_j each appear once in the term i, j; you squared them all.
        a @ Sigma @ a => (a @ Sigma).sum() | Both variables of a covariance bring their weight; you have a_i without
            a_j.
        a @ Sigma @ a => (a**2 @ Sigma).sum() | In the term i, j the weights are a_i a_j; you squared a_i.
        a @ Sigma @ a => a**2 @ np.diag(Sigma) + Sigma.sum() - np.trace(Sigma) | The covariances need their weights a_i
            a_j.
        a @ Sigma @ a => 2 * a @ Sigma @ a - a**2 @ np.diag(Sigma) | Each covariance appears twice in (3.21); you have
            it four times.
        a @ Sigma @ a => 2 * a**2 @ np.diag(Sigma) - a @ Sigma @ a | The covariances enter with plus (3.21); the signs
            are in the weights.
        a @ Sigma @ a => abs(a) @ Sigma @ abs(a) | The weights keep their signs in a_i a_j.
        a @ Sigma @ a => a @ np.linalg.inv(Sigma) @ a | Sigma itself is wanted between the weights, not its inverse.
        a @ Sigma @ a => (a @ np.sqrt(np.diag(Sigma))) ** 2 | That treats all variables as fully correlated. Use all
            entries of Sigma.
        a @ Sigma @ a => 2 * a @ Sigma @ a | You doubled everything. The sum over all i and j has each covariance twice
            already.
        a @ Sigma @ a => a**2 @ np.diag(Sigma) + 2 * a @ Sigma @ a | The sum over all i and j is the whole already; you
            have it twice, and the variances once more.
        a @ Sigma @ a => a**2 @ np.diag(Sigma) + a @ Sigma @ a | The variances are counted twice.
        a @ Sigma @ a => np.trace(Sigma) | The weights are missing, and the covariances too.
        a @ Sigma @ a => a[:2] @ Sigma[:2, :2] @ a[:2] | That takes in the first two variables only. Sum over all.
        a @ Sigma @ a => a @ Sigma | That is the vector of Cov(X_i, sum). Multiply by a once more.
        """,
    right="Right. This quadratic form is why covariance matrices are positive semi-definite.",
    explanation="Multiply out the square of the sum of a_i (X_i - E X_i) and take expectations. For all weights the "
    "result is a variance, so no covariance matrix can make it negative.",
)  # fmt: skip


def first_given(mu, Sigma, x2):
    v1, c, v2 = Sigma[0, 0], Sigma[0, 1], Sigma[1, 1]
    mean = mu[0] + c / v2 * (x2 - mu[1])
    variance = v1 - c**2 / v2
    return mean, variance


def gaussians():
    rng, cases = np.random.default_rng(36), []
    for _ in range(4):
        M = rng.normal(size=(2, 2))
        cases.append((rng.normal(size=2) * 3, M @ M.T + 0.3 * np.eye(2), rng.normal() * 2))
    return cases


def one_each(result):
    """Return (mean, variance) as two numbers where each is an array of one."""
    if isinstance(result, (tuple, list)) and len(result) == 2 and all(np.size(part) == 1 for part in result):
        return tuple(np.ravel(part)[0] for part in result)
    return result


task("3.2", "The best guess", first_given, cases=gaussians, what="The result", names="mean, variance", read=one_each,
    start="What are the blocks of (3.37) if a is the first coordinate and b the second?",
    hints=[
        "The slope is Sigma[0, 1] / Sigma[1, 1]: divide by the variance of the variable that is known.",
        "Mean: mu[0] + slope (x2 - mu[1]). Variance: Sigma[0, 0] - slope Sigma[0, 1].",
    ],
    slips="""
        c / v2 * ( => c / v1 * ( | You divide by the variance of the first variable. Divide by that of the known one,
            Sigma[1, 1].
        (x2 - mu[1]) => x2 | The mean of the second variable is not subtracted: use x2 - mu[1].
        mu[0] + c => c | The mean of the first variable, mu[0], is missing.
        c / v2 * ( => c * ( | The covariance must be divided by the variance of the known variable.
        c / v2 * ( => c / (v1 * v2) ** 0.5 * ( | The slope is the covariance over Sigma[1, 1], not the correlation; they
            agree only for equal variances.
        mu[0] + c / v2 * (x2 - mu[1]) => mu[0] | That is the mean without the observation.
        mu[0] + c / v2 * (x2 - mu[1]) => mu[1] + c / v1 * (x2 - mu[0]) | That guesses the second variable from the
            first. Swap their roles.
        mu[0] + c => mu[0] - c | The sign of the deviation is wrong: x2 - mu[1], added.
        c / v2 * ( => c / v2**0.5 * ( | Divide by the variance Sigma[1, 1], not by its root.
        x2 - mu[1] => x2 - mu[0] | The deviation is x2 - mu[1]; you subtract the mean of the first.
        mu[0] + c / v2 * (x2 - mu[1]) => x2 | That is the observation itself. (3.37) shrinks the deviation x2 - mu[1]
            and adds it to mu[0].
        c / v2 * ( => v2 / c * ( | The slope is upside down: the covariance over Sigma[1, 1].
        c / v2 * ( => c / (v1 * v2) ** 0.5 * v1 / v2 * ( | Sigma holds variances; the slope ρ σ_1/σ_2 of (3.35) needs
            their roots.
        c / v2 * ( => c / v2**2 * ( | Sigma holds variances: the covariance is divided by Sigma[1, 1] once, not by its
            square.
        return mean, variance => return variance, mean | You return (variance, mean); (mean, variance) is wanted.
        return mean, variance => return mean | Return two numbers, (mean, variance).
        return mean, variance => return mean, variance**0.5 | That is the standard deviation; return the variance.
        v1 - c**2 / v2 => v1 | That is the variance without the observation. Subtract what the second variable explains.
        v1 - c**2 => v1 + c**2 | The sign is wrong: an observation removes variance.
        v1 - c**2 / v2 => v2 - c**2 / v1 | That is the variance of the second variable given the first. Swap their
            roles.
        c**2 / v2 => c**2 | The squared covariance must be divided by Sigma[1, 1].
        c**2 / v2 => c**2 / v1 | Divide by the variance of the known variable, Sigma[1, 1].
        c**2 / v2 => c / v2 | Subtract G times the covariance, so the covariance enters squared.
        v1 - c**2 / v2 => c**2 / v2 | That is what the second variable explains. Subtract it from Sigma[0, 0].
        v1 - c**2 / v2 => v1 * (1 - c / (v1 * v2) ** 0.5) | The factor is 1 - ρ², with the square.
        c**2 / v2 => c**2 / v2 * (x2 - mu[1]) | The variance does not depend on the observed value.
        v1 - c**2 / v2 => v1 / (v1 * v2 - c**2) | That is an entry of another inverse. (3.37) subtracts from Sigma[0,
            0].
        v1 - c**2 / v2 => v2 / (v1 * v2 - c**2) | That is the entry of the inverse of Sigma, one over the variance.
        v1 - c**2 / v2 => v1 * (v1 - c**2 / v2) | Sigma[0, 0] is the variance already; do not square it.
        v1 - c**2 / v2 => 1 - c**2 / (v1 * v2) | This is 1 - ρ². Multiply by the variance of the first variable.
        """,
    right="Right. In units of standard deviations the guess moves by ρ times the deviation (3.35).",
    explanation="Equation (3.37) with one coordinate in each part. The mean depends on x2, the variance does not.",
)  # fmt: skip


def poisson_kl(lam, mu):
    return lam * np.log(lam / mu) + mu - lam


def rates():
    some = np.random.default_rng(37).uniform(0.3, 9, size=(4, 2)).tolist()
    return [(0.7, 1.5), (4.0, 2.5), *some, (400.0, 300.0), (1e4, 9e3), (1e6, 9e5)]


def large_rates(case, got, wanted):
    if case[0] > 100:
        return (
            f"For small rates this is right; for lam = {case[0]:.0f} it is not. Do you add up terms? The task wants "
            "none: a finite sum runs out of numbers. Which expectation is known?"
        )
    return None


task("3.3", "Divergence of two Poisson laws", poisson_kl, cases=rates, what="The divergence", complain=large_rates,
    start="What is ln(P(k) / Q(k)), and what cancels?",
    hints=[
        "Take the logarithm of each factor of (3.27). What is left is a number times k, plus a number.",
        "ln(P(k) / Q(k)) = k ln(lam / mu) - lam + mu. Take the expectation under P, where E[K] = lam.",
    ],
    slips="""
        lam * np.log(lam / mu) + mu - lam => mu * np.log(mu / lam) + lam - mu | That is KL(Q ‖ P): the expectation must
            be taken under P, with rate lam.
        lam * np.log(lam / mu) + mu - lam => lam * np.log2(lam / mu) + (mu - lam) / np.log(2) | That is in bits; nats
            are wanted, so use the natural logarithm.
        + mu - lam => | The factors exp(-lam) and exp(-mu) are missing: they add mu - lam.
        + mu - lam => + lam - mu | The sign of mu - lam is wrong: ln(e^-lam / e^-mu) = mu - lam.
        lam * np => np | K ln(lam / mu) has the expectation lam ln(lam / mu).
        lam * np => mu * np | K has the expectation lam under P, not mu.
        lam / mu => mu / lam | The ratio in the logarithm is upside down: ln(P / Q), lam / mu.
        np.log => np.log2 | You take the logarithm to base 2 in one term only. Nats are wanted: np.log.
        lam * np.log(lam / mu) + mu - lam => (lam * np.log(lam / mu) + mu - lam) / np.log(10) | That has the logarithm
            to base 10; nats are wanted.
        lam * np.log(lam / mu) + mu => mu | The term K ln(lam / mu) is missing; its expectation is lam ln(lam / mu).
        lam * np.log(lam / mu) + mu - lam => mu - lam * np.log(mu) | That is the cross-entropy without its factorials.
            Subtract the same with lam for mu.
        lam * np.log(lam / mu) + mu - lam => (lam - mu) * np.log(lam / mu) | That is KL(P ‖ Q) + KL(Q ‖ P). Only the
            first is wanted.
        lam * np.log(lam / mu) + mu - lam => (lam - mu) ** 2 / (2 * mu) | That is the approximation for lam near mu.
            Asked is the divergence itself.
        lam * np.log(lam / mu) + mu - lam => np.log(lam / mu) + mu / lam - 1 | That is the divergence of two
            exponential laws. Sum over counts.
        """,
    right="Right. It is half the deviance that a Poisson regression minimises.",
    explanation="E[K ln(lam / mu) - lam + mu] with E[K] = lam. It is zero for mu = lam and positive otherwise, as "
    "(3.46) promises.",
)  # fmt: skip


def independences(P):
    def is_product(T):
        return np.allclose(T, np.outer(T.sum(axis=1), T.sum(axis=0)), rtol=0, atol=1e-9)

    plain = is_product(P.sum(axis=2))
    given_z = all(is_product(P[:, :, z] / P[:, :, z].sum()) for z in range(P.shape[2]))
    return plain, given_z


def honest_tables(rng, a, b, c):
    """Return joint tables (a, b, c) with all pairs of answers; in two of them one slice only is no product."""
    x, y, z = rng.dirichlet(np.full(a, 3)), rng.dirichlet(np.full(b, 3)), rng.dirichlet(np.full(c, 3))
    z_x, z_xy = rng.dirichlet(np.ones(c), size=a), rng.dirichlet(np.ones(c), size=(a, b))
    x_z, y_z = rng.dirichlet(np.ones(a), size=c), rng.dirichlet(np.ones(b), size=c)
    cause = np.einsum("k,ki,kj->ijk", z, x_z, y_z)
    half, other = cause.copy(), cause.copy()
    half[:, :, -1] = rng.dirichlet(np.ones(a * b)).reshape(a, b) * z[-1]
    other[:, :, 0] = rng.dirichlet(np.ones(a * b)).reshape(a, b) * z[0]
    return [
        cause,
        np.einsum("i,j,ijk->ijk", x, y, z_xy),
        rng.dirichlet(np.ones(a * b * c)).reshape(a, b, c),
        half,
        other,
        np.einsum("i,j,k->ijk", x, y, z),
        np.einsum("i,j,ik->ijk", x, y, z_x),
    ]


def deceptive_tables(rng):
    """Return tables whose X and Y are uncorrelated but dependent, or products only in [0, 0] or on the diagonal."""
    circle = np.array([[4, 6, 2], [2, 4, 6], [6, 2, 4]]) / 36
    x, tables = np.array([0.3, 0.4, 0.3]), [np.einsum("ij,k->ijk", circle, [0.4, 0.6])]
    for y_x in ([0.8, 0.2, 0.8], [0.5, 0.2, 0.9]):  # P(y = 1 | x); in the second 0.5 is also P(y = 1)
        xy = np.column_stack([x * (1 - np.array(y_x)), x * y_x])
        tables += [np.einsum("ij,k->ijk", xy, rng.dirichlet(np.full(c, 3))) for c in (2, 3)]
    return tables


def all_tables():
    rng = np.random.default_rng(38)
    shapes = ((2, 2, 2), (3, 2, 4), (2, 3, 2))
    tables = [P for shape in shapes for _ in range(3) for P in honest_tables(rng, *shape)]
    empty = np.einsum("i,jk->ijk", [0.3, 0.7], [[0.0, 0.2], [0.5, 0.3]])  # one pair (y, z) never comes
    return [(P,) for P in [*tables, *deceptive_tables(rng), empty]]


def two_truths(got):
    got = got.tolist() if isinstance(got, np.ndarray) else got
    truth = (bool, np.bool_, int, np.integer)
    if not isinstance(got, (tuple, list)) or len(got) != 2 or not all(isinstance(g, truth) for g in got):
        raise Wrong("Return two truth values: (independent, independent given Z).")
    return tuple(map(bool, got))


def wrong_for_a_table(case, got, wanted):
    which = 0 if got[0] != wanted[0] else 1
    name, advice = (
        ("first", "Sum over z, then compare with (3.10), up to rounding."),
        ("second", "Test (3.11) in every slice P[:, :, z], up to rounding."),
    )[which]
    said = f"{got[which]} instead of {wanted[which]}"
    return f"The {name} answer is wrong for a table of shape {case[0].shape}: {said}. {advice}"


PRODUCT = "np.allclose(T, np.outer(T.sum(axis=1), T.sum(axis=0)), rtol=0, atol=1e-9)"
SLICES = "all(is_product(P[:, :, z] / P[:, :, z].sum()) for z in range(P.shape[2]))"
MARGINS = "P.sum(axis=(1, 2)), P.sum(axis=(0, 2))"

task("3.4", "Two kinds of independence", independences, cases=all_tables, what="The answer", read=two_truths,
    complain=wrong_for_a_table,
    start="Which two-dimensional tables does each question need: one table, or one for each z?",
    hints=[
        "Plain: sum over z (3.3) and compare the table with the outer product of its margins (3.10). Given Z: do the "
        "same inside every slice P[:, :, z], divided by its sum (3.11).",
        "S = P[:, :, z] / P[:, :, z].sum() is P(x, y | z); np.allclose(S, np.outer(S.sum(axis=1), S.sum(axis=0))) must "
        "hold for all z.",
    ],
    slips=f"""
        {PRODUCT} => bool((T == np.outer(T.sum(axis=1), T.sum(axis=0))).all()) | Compare up to rounding: np.allclose.
        {PRODUCT} => np.allclose(T, np.outer(T.sum(axis=1), T.sum(axis=0)), atol=0.05) | Your tolerance is so wide that
            dependent tables pass: allow for rounding only.
        range(P.shape[2]) => range(min(P.shape[0], P.shape[2])) | You do not look at every slice: z runs along the third
            axis, which has its own length.
        return plain, given_z => return given_z, plain | The two answers are exchanged: the plain one comes first.
        return plain, given_z => return given_z, given_z | Both your answers are the conditional one. The first asks
            about X and Y alone: sum over z.
        return plain, given_z => return plain, plain | Both your answers are always the same; 3.5.1 shows that neither
            implies the other.
        return plain, given_z => return not plain, not given_z | Both answers are reversed: True means independent.
        plain = is => P = np.moveaxis(P, 0, 2); plain = is | You sum over the first axis and condition on it; z runs
            along the third.
        plain = is => P = np.moveaxis(P, 1, 2); plain = is | You sum over the second axis and condition on it; z runs
            along the third.
        is_product(P.sum(axis=2)) => np.allclose(P, np.einsum("i,j,k->ijk", {MARGINS}, P.sum(axis=(0, 1)))) | You ask
            whether all three are independent. Sum over z first, and look at X and Y alone.
        {PRODUCT} => abs(np.arange(len(T)) @ (T - np.outer(T.sum(axis=1), T.sum(axis=0))) @ np.arange(len(T[0]))) < 1e-9
            | You test whether the covariance is zero. That is less than independence: compare the whole table with the
            product of its margins.
        {PRODUCT} => abs(T[0, 0] - T[0].sum() * T[:, 0].sum()) < 1e-9 | You compare one entry only. Every entry must be
            the product of its margins.
        {PRODUCT} => np.allclose(np.diag(T), np.diag(np.outer(T.sum(axis=1), T.sum(axis=0)))) | You compare the diagonal
            only. Every entry must be the product of its margins.
        {SLICES} => np.allclose(P / P.sum(axis=(0, 1)), np.outer({MARGINS})[:, :, None]) | The second answer is wrong.
            Inside a slice compare with the margins of that slice, P(x | z) and P(y | z): X and Y need not be
            independent of Z.
        P[:, :, z] / P[:, :, z].sum() => P[:, :, z] | The second answer is wrong. A slice P[:, :, z] is not yet P(x, y |
            z): divide it by its sum before you compare.
        range(P.shape[2]) => [0] | The second answer is wrong. One slice, such as the first, is not enough: (3.11) must
            hold for every z.
        range(P.shape[2]) => [-1] | The second answer is wrong. The last slice alone is not enough: (3.11) must hold for
            every z.
        all(is => any(is | The second answer is wrong. Some slice is not enough: (3.11) must hold for every z.
        """,
    right="Right. A multiplication of likelihoods (3.12) needs the second kind.",
    explanation="Equations (3.10) and (3.11). All four pairs of answers occur: neither kind of independence implies "
    "the other.",
)  # fmt: skip

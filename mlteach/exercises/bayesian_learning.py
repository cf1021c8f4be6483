"""Tasks and exercises of chapter 09: posteriors, predictions, votes, counts, a normal law, and a Beta belief."""

import numpy as np

from mlteach.exercises.base import Wrong, brief, exercise, expect_close, expect_function, numbers

PRIOR, Q = np.array([0.1, 0.2, 0.4, 0.2, 0.1]), np.array([0, 0.25, 0.5, 0.75, 1])


def _share(weights):
    return np.asarray(weights) / np.sum(weights)


@exercise(
    "9.a",
    "Lime, then cherry",
    start="For each bag: prior, times the chance of lime, times the chance of cherry.",
    hints=[
        "The likelihood of h2 is 1/4 x 3/4. Which bags cannot give both flavours?",
        "The products are 0, 0.0375, 0.1, 0.0375, 0; divide each by their sum.",
    ],
    solution=[0, 3 / 14, 4 / 7, 3 / 14, 0],
    explanation="0.2 x 3/16 = 0.0375, 0.4 x 1/4 = 0.1, 0.0375 again; their sum is 0.175.",
)
def _(answer):
    known = [
        (PRIOR * Q * (1 - Q), "Those are the products. Divide each by their sum, the evidence."),
        (_share(Q * (1 - Q)), "The prior is missing: you normalised the likelihoods."),
        (Q * (1 - Q), "Those are the likelihoods. Multiply by the prior, and normalise."),
        (_share(PRIOR * Q), "That is after the lime. The cherry is missing: multiply by 1 - q."),
        (_share(PRIOR * (1 - Q)), "That is after a cherry alone. The lime is missing: multiply by q."),
        (_share(PRIOR * Q**2), "That is after two limes. The second candy is cherry: 1 - q."),
        (_share(PRIOR * (1 - Q) ** 2), "That is after two cherries. The first candy is lime: q."),
        (_share(PRIOR**2 * Q * (1 - Q)), "You used the prior twice. It enters once, before all data."),
        (PRIOR, "That is the prior. Both candies say something."),
        (
            PRIOR * Q * (1 - Q) / 0.5,
            "You divided by P(lime), the evidence of one candy. Divide by the sum of your products.",
        ),
        (PRIOR * Q * (1 - Q) * 40 / 13, "13/40 is the evidence of two limes. Divide by the sum of your own products."),
        (
            _share(PRIOR * (Q * (1 - Q) > 0)),
            "You only struck out h1 and h5. The others give both flavours with unequal ease.",
        ),
        (_share(PRIOR * (Q * (1 - Q)) ** 2), "You used the candies twice. Each of them is one factor."),
        (np.full(5, 0.2), "The bags are neither equally common nor equally good at giving both flavours."),
    ]
    expect_close(
        answer, [0, 3 / 14, 4 / 7, 3 / 14, 0], "Your list of beliefs", known=known, rtol=3e-3, atol=1e-3, reveal=False
    )
    return "Right. Two bags are excluded for ever, and h3 leads by more than before."


@exercise(
    "9.b",
    "The third candy",
    start="Average the bags' chances of lime, weighed by the posterior: (9.4).",
    hints=[
        "After lime and cherry the posterior is 0, 3/14, 4/7, 3/14, 0, which is symmetric.",
        "After two cherries the posterior is that of two limes with the bags in reverse order.",
    ],
    solution=(0.5, 1 - 19 / 26),
    explanation="3/14 x 1/4 + 4/7 x 1/2 + 3/14 x 3/4 = 1/2; after two cherries 1 - 19/26 = 7/26.",
)
def _(mixed, cherry):
    known = [
        (0.65, "That is after one lime. The cherry counts, too."),
        (0.35, "That is after one cherry. The lime counts, too."),
        (4 / 7, "That is the belief in h3. Average the chances of lime over all bags."),
        (0.0875, "That is P(lime, cherry and lime). Divide by P(lime and cherry): average with the posterior."),
        (0.175, "That is P(lime, then cherry), the evidence. Asked is the next candy, given these two."),
        (0.25, "With the bag unknown the candies are not independent: average the chances of lime with the posterior."),
    ]
    expect_close(mixed, 0.5, "The chance after lime and cherry", known=known, rtol=3e-3, reveal=False)
    one = _share(PRIOR * (1 - Q))
    known = [
        (19 / 26, "That is the chance of cherry. Asked is lime."),
        (0.35, "That is after one cherry. There are two."),
        (float(one @ (1 - Q)), "That is the chance that the second candy is cherry."),
        (0.25, "That is the most probable bag's chance. Average over all bags."),
        (0.0, "That is the ML bag's chance. Average over all bags that are left."),
        (0.5, "That is the chance before any candy."),
        (0.0875, "That is P(cherry, cherry and lime). Divide by P(two cherries): average with the posterior."),
        (0.325, "That is P(two cherries), the evidence. Asked is the next candy, given these two."),
    ]
    expect_close(cherry, 7 / 26, "The chance after two cherries", known=known, rtol=3e-3, reveal=False)
    return "Right. One of each cancels out in a symmetric prior; two cherries make lime rare."


@exercise(
    "9.c",
    "A mushroom",
    start="Add up the belief behind each class, then use (9.8).",
    hints=[
        "Poisonous has 0.35 + 0.10. What has edible?",
        "The chance of an error is one minus the weight of the class that is given.",
    ],
    solution=("edible", 0.45),
    explanation="Edible has 0.25 + 0.20 + 0.10 = 0.55, poisonous 0.45. The Bayes optimal answer is edible and wrong "
    "with 0.45. (Who would eat it? What an error costs does not enter (9.7); chapter 11 adds it.)",
)
def _(class_, error):
    if not isinstance(class_, str):
        raise Wrong(f'The class is a word in quotation marks, "poisonous" or "edible"; got {brief(class_)}.')
    name = class_.strip().lower()
    if name in ("poisonous", "p"):
        raise Wrong("The most probable hypothesis says poisonous. Add up the belief behind each class.")
    if name not in ("edible", "e"):
        raise Wrong(f'The class is "poisonous" or "edible"; got {brief(class_)}.')
    known = [
        (0.55, "That is the chance of being right."),
        (0.65, "That is how often the most probable hypothesis is not the true one. Ask for the class."),
        (0.35, "That is the belief in one hypothesis. Two of them say poisonous."),
        (0.40, "That is the share of hypotheses that say poisonous. They have unequal weights."),
        (0.60, "You counted hypotheses. They have unequal weights."),
        (0.10, "That is how much more belief edible has. Asked is how often it is wrong, (9.8)."),
        (1 - 0.45**2 - 0.55**2, "That is the error of a hypothesis drawn at random. All of them vote here."),
        (0.75, "Several hypotheses say edible: add their beliefs."),
    ]
    expect_close(error, 0.45, "The chance of an error", known=known, rtol=1e-3, reveal=False)
    return "Right. Edible it is, with 0.55. (Whether to eat it is another question: errors have prices.)"


@exercise(
    "9.d",
    "Eighty candies",
    start="Each dial is a share of counts: of all candies, of the cherries, of the limes.",
    hints=[
        "There are 50 limes, of which 20 are red.",
        "P(cherry | red) = theta theta1 / (theta theta1 + (1 - theta) theta2).",
    ],
    solution=([30 / 80, 24 / 30, 20 / 50], 24 / 44),
    explanation="30/80, 24/30 and 20/50; of 44 red candies 24 are cherries, and Bayes' rule says the same.",
)
def _(thetas, red_cherry):
    theta, one, two = 30 / 80, 24 / 30, 20 / 50
    known = [
        ([theta, 24 / 80, 20 / 80], "You divided by all candies. theta1 is the share of red among the cherries."),
        ([theta, one, 20 / 80], "theta2 is the share of red among the 50 limes, not among all candies."),
        (
            [theta, 24 / 44, 20 / 44],
            "Those are shares among the red ones, P(flavour | red). Asked is P(red | flavour).",
        ),
        ([theta, two, one], "theta1 belongs to the cherries, theta2 to the limes: exchange them."),
        ([50 / 80, one, two], "theta is the share of cherries, not of limes."),
        ([theta, 6 / 30, 30 / 50], "Those are the shares of green paper."),
        ([theta, 25 / 32, 21 / 52], "You added one to each count. Maximum likelihood does not."),
        ([31 / 82, 25 / 32, 21 / 52], "You added one to each count. Maximum likelihood does not."),
        ([30, 24, 20], "Those are counts. A dial is a share: divide each by its total."),
        ([theta, one, 30 / 50], "theta2 is the share of red among the limes; that is the share of green."),
        ([50 / 80, two, one], "You exchanged cherries and limes: theta and theta1 belong to the cherries."),
        ([0.6, 0.75, 0.25], "Those are the dials of the example above. Here are other counts."),
        ([theta, one, 20 / 30], "Of 80 candies 30 are cherries, so there are 50 limes."),
    ]
    expect_close(thetas, [theta, one, two], "Your list of dials", known=known, rtol=1e-3, reveal=False)
    known = [
        (one, "That is P(red | cherry). Asked is P(cherry | red)."),
        (theta, "That is P(cherry). The red paper says something."),
        (theta * one, "That is P(cherry and red). Divide by P(red)."),
        (44 / 80, "0.55 is P(red): divide P(cherry and red) by it. (If you did, and rounded: give three digits.)"),
        (20 / 80, "That is P(lime and red)."),
        (one / (44 / 80), "P(red | cherry) wants the factor P(cherry) before you divide by P(red)."),
        (20 / 44, "That is P(lime | red)."),
        (one / (one + two), "The flavours are not equally common: weigh with theta and 1 - theta."),
    ]
    expect_close(red_cherry, 24 / 44, "P(cherry | red)", known=known, rtol=2e-3, reveal=False)
    return "Right. Count and divide, and Bayes' rule turns it round."


@exercise(
    "9.e",
    "Four weights",
    start="The mean first, then the squared deviations from it.",
    hints=["The deviations are -3, 0, 0, 3.", "Divide the sum of squares by N = 4, and by N - 1 = 3."],
    solution=(15.0, 4.5, 6.0),
    explanation="The sum of squares is 18: 18/4 = 4.5, and 18/3 = 6.",
)
def _(mean, ml_variance, unbiased):
    known = [
        (60.0, "That is the sum. Divide by N."),
        (20.0, "You divided by N - 1. A mean divides by N."),
        (14.0, "That is the mean of the five weights above. Here are four others."),
    ]
    expect_close(mean, 15.0, "The mean", known=known, reveal=False)
    known = [
        (6.0, "Maximum likelihood divides by N. You divided by N - 1."),
        (18.0, "That is the sum of squares. Divide by N."),
        (4.5**0.5, "That is the standard deviation. Asked is the variance."),
        (1.5, "Those are mean absolute deviations. Square them first."),
        (0.0, "Deviations sum to zero. Square them first."),
        (3.6, "You divided by N + 1. Maximum likelihood divides by N."),
    ]
    expect_close(ml_variance, 4.5, "The ML variance", known=known, rtol=1e-3, reveal=False)
    known = [
        (4.5, "That is the ML variance again. Unbiased divides by N - 1."),
        (18.0, "That is the sum of squares. Divide by N - 1."),
        (4.5 * 5 / 4, "The factor is N/(N - 1) with N = 4 here, not 5."),
        (4.5 * 3 / 4, "The correction goes the other way: (9.15) says that ML is too small."),
        (6.0**0.5, "That is the standard deviation. Asked is the variance."),
        (9.0, "You divided by N - 2. Only one mean was estimated: N - 1."),
        (3.6, "You divided by N + 1. Unbiased divides by N - 1."),
    ]
    expect_close(unbiased, 6.0, "The unbiased variance", known=known, rtol=1e-3, reveal=False)
    return "Right. For four data the difference is a third."


@exercise(
    "9.f",
    "Five of fourteen",
    start="Successes go to a, failures to b, (9.17).",
    hints=[
        "There are 14 - 5 = 9 failures.",
        "The mean is a/(a + b). The peak is where (a - 1)/theta = (b - 1)/(1 - theta).",
    ],
    solution=(9, 11, 9 / 20, 8 / 18),
    explanation="Beta(9, 11): the mean is 9/20, the mode (9 - 1)/(20 - 2) = 4/9.",
)
def _(a, b, beta_mean, mode):
    known = [
        ((18, ...), "The 14 are all candies. Add the 5 successes to a."),
        ((..., 16), "The 14 are all candies. Add the 9 failures to b."),
        ((5, 9), "Those are the counts. The virtual ones of the prior are missing."),
        ((13, 7), "You exchanged successes and failures."),
        ((10, 12), "You added one more to each. (9.17) adds the counts to a and b, and nothing else."),
        ((6, 10), "You started from the uniform law. The prior here is Beta(4, 2)."),
        ((4, 2), "That is the prior. The 14 candies count, too."),
        ((..., 14), "The 14 are all candies. Add the 9 failures to b."),
        ((8, 10), "(9.17) adds the counts to a and b as they are."),
    ]
    expect_close(numbers((a, b), "a, b"), (9, 11), "The posterior", known=known, reveal=False, names="a, b")
    known = [
        (5 / 14, "That is the ML estimate. The mean of the posterior is a/(a + b)."),
        (8 / 18, "That is the mode. The mean is a/(a + b)."),
        (11 / 20, "That is the mean chance of failure."),
        (8 / 20, "The mean is a/(a + b); one is taken off for the mode only."),
        (4 / 6, "That is the mean of the prior."),
        (9 / 11, "Those are odds. The mean is a/(a + b)."),
        (6 / 16, "That is the mean with a uniform prior. Here it is Beta(4, 2)."),
    ]
    expect_close(beta_mean, 9 / 20, "The mean", known=known, rtol=1e-3, reveal=False)
    known = [
        (9 / 20, "That is the mean. The exponents are a - 1 and b - 1."),
        (5 / 14, "That is the peak of the likelihood. The prior has a say, too."),
        (10 / 22, "The exponents are a - 1 and b - 1: take one off each, instead of adding it."),
        (9 / 19, "The exponents are a - 1 and b - 1: take one off each."),
        (3 / 4, "That is the mode of the prior."),
        (8 / 20, "Both exponents lose one: divide by a + b - 2."),
        (8 / 19, "Both exponents lose one: divide by a + b - 2."),
        (10 / 18, "That is the mode for failures."),
        (9 / 18, "The exponent of theta is a - 1 = 8."),
    ]
    expect_close(mode, 8 / 18, "The mode", known=known, rtol=2e-3, reveal=False)
    return "Right. The prior's mean is 2/3, the data say 0.36, and 6 against 14 weighs them."


@exercise(
    "9.g",
    "No parcel lost",
    start="What are s and N, if a loss is a success?",
    hints=[
        "s = 0 and N = 18 in (9.12), (9.19) and (9.18).",
        "Beta(1, 49) becomes Beta(1 + 0, 49 + 18); its mean is a/(a + b).",
    ],
    solution=(0.0, 1 / 20, 1 / 68),
    explanation="0/18 = 0, 1/20 = 0.05, and 1/(1 + 49 + 18) = 1/68 = 0.0147.",
)
def _(ml, add_one, with_prior):
    known = [
        (1.0, "That is the share of parcels that arrived. Asked is the chance of a loss."),
        (1 / 20, "That is the add-one rule. Maximum likelihood is the share itself."),
        (1 / 18, "No parcel was lost: s = 0."),
    ]
    expect_close(ml, 0.0, "The ML estimate", known=known, reveal=False)
    known = [
        (1 / 19, "Both counts get one more, so N grows by two."),
        (1 / 18, "The added ones count in the denominator as well: N + 2."),
        (19 / 20, "That is the chance that it arrives."),
        (0.0, "That is maximum likelihood. Add one to each count."),
        (0.5 / 19, "That is Beta(1/2, 1/2). The add-one rule adds one to each count."),
        (2 / 20, "One is added to each count: (0 + 1)/(18 + 2)."),
    ]
    expect_close(add_one, 1 / 20, "The add-one estimate", known=known, rtol=1e-3, reveal=False)
    known = [
        (67 / 68, "That is the chance that it arrives."),
        (1 / 20, "That is the add-one rule again. The prior is Beta(1, 49)."),
        (18 / 68, "The 18 parcels arrived: the numerator counts losses, 1 + 0."),
        (49 / 68, "A loss is a success here: its virtual count is 1."),
        (2 / 68, "No parcel was lost, so the numerator stays at the virtual 1."),
        (1 / 50, "That is the mean of the prior. The 18 parcels count, too."),
        (1 / 67, "Those are odds, or the loss is missing in the sum: divide by a + b."),
        (19 / 68, "The parcels arrived: they are failures here, and go to b."),
        (2 / 70, "You added one more to each count. The prior is all there is to add."),
        (0.0, "That is the mode, or maximum likelihood. The prediction is the mean."),
        (1 / 18, "The prior is worth 50 parcels: 1/(50 + 18)."),
    ]
    expect_close(with_prior, 1 / 68, "The chance with the prior", known=known, rtol=4e-3, reveal=False)
    return "Right. Never seen is not impossible, and other firms' losses say how possible."


def next_lime(prior, q, limes, cherries):
    prior, q = np.asarray(prior), np.asarray(q)
    weight = prior * q**limes * (1 - q) ** cherries
    return float(weight @ q / weight.sum())


@exercise(
    "9.1",
    "The next lime",
    start="Posterior first, (9.1), then the average (9.4).",
    hints=["weight = prior * q**limes * (1 - q)**cherries, in numpy.", "Divide by its sum, then average q with it."],
    solution=next_lime,
    explanation="In numpy 0.0**0 is 1, so bags of one flavour need no special case.",
)
def _(answer):
    cases = [(PRIOR, Q, 3, 0), (PRIOR, Q, 1, 4), (PRIOR, Q, 0, 0), (PRIOR, Q, 2, 1)]
    cases += [
        (np.array([0.3, 0.7]), np.array([0.35, 0.8]), 4, 2),
        (np.array([0.5, 0.2, 0.3]), np.array([0.9, 0, 0.6]), 2, 3),
    ]

    def weights(prior, q, limes, cherries):
        return prior * q**limes * (1 - q) ** cherries

    def joint(prior, q, limes, cherries):
        return float(weights(prior, q, limes, cherries) @ q)

    def best(prior, q, limes, cherries):
        return float(q[np.argmax(weights(prior, q, limes, cherries))])

    def fitting(prior, q, limes, cherries):
        return float(q[np.argmax(weights(1, q, limes, cherries))])

    def flat(prior, q, limes, cherries):
        return next_lime(np.ones(len(q)), q, limes, cherries)

    def exchanged(prior, q, limes, cherries):
        return next_lime(prior, q, cherries, limes)

    def no_cherries(prior, q, limes, cherries):
        return next_lime(prior, q, limes, 0)

    def once(prior, q, limes, cherries):
        return next_lime(prior, q, min(limes, 1), min(cherries, 1))

    expect_function(
        answer,
        next_lime,
        cases,
        "The chance of lime",
        slips=[
            (joint, "That is P(data and lime). Normalise the weights first."),
            (best, "That is the most probable bag's chance (MAP). Average over all bags."),
            (fitting, "That is the best-fitting bag's chance (ML). Average over all bags."),
            (flat, "The prior is missing."),
            (exchanged, "Limes have the chance q, cherries 1 - q: you exchanged them."),
            (no_cherries, "The cherries are missing: each has the chance 1 - q."),
            (once, "Each candy is a factor: q to the power of limes."),
            (lambda *case: 1 - next_lime(*case), "That is the chance of cherry."),
            (
                lambda prior, q, limes, cherries: next_lime(prior, q, limes + cherries, 0),
                "You took the cherries for limes: a cherry has the chance 1 - q.",
            ),
            (
                lambda prior, q, limes, cherries: next_lime(prior, q, limes + 1, cherries),
                "You counted the next lime before it came: that is the chance after one lime more.",
            ),
            (
                lambda prior, q, limes, cherries: next_lime(prior, 1 - q, limes, cherries),
                "q is the share of limes; you took it for that of cherries.",
            ),
            (
                lambda prior, q, limes, cherries: (limes + 1) / (limes + cherries + 2),
                "That is the add-one rule, for a dial. Here there are a few bags: average their q.",
            ),
            (
                lambda prior, q, limes, cherries: limes / (limes + cherries) if limes + cherries else 0.5,
                "That is the share of limes so far. Weigh the bags, and average their q.",
            ),
            (lambda *case: float(weights(*case).sum()), "That is the evidence P(D). Asked is the next candy."),
            (lambda prior, q, limes, cherries: float(prior @ q), "That is the chance before any data."),
        ],
    )
    return "Right. The whole of 9.2 in two lines."


def bayes_vote(belief, tables):
    chances = np.asarray(belief) @ np.asarray(tables)
    v = int(np.argmax(chances))
    return v, 1 - chances[v]


@exercise(
    "9.2",
    "Vote",
    start="Equation (9.7): which sum is compared?",
    hints=["belief @ tables has one chance per class.", "The error is one minus the largest, (9.8)."],
    solution=bayes_vote,
    explanation="Equation (9.7) as a product of a row and a matrix.",
)
def _(answer):
    cases = [
        (np.array([0.4, 0.3, 0.3]), np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 1.0]])),
        (np.array([0.4, 0.3, 0.3]), np.array([[0.9, 0.1], [0.4, 0.6], [0.3, 0.7]])),
        (np.array([0.1, 0.5, 0.2, 0.2]),
         np.array([[0.2, 0.1, 0.7], [0.5, 0.3, 0.2], [0.0, 0.9, 0.1], [0.1, 0.8, 0.1]])),
        (np.array([0.6, 0.4]), np.array([[0.3, 0.45, 0.25], [0.2, 0.1, 0.7]])),
    ]  # fmt: skip

    def of_map(belief, tables):
        v = int(np.argmax(tables[np.argmax(belief)]))
        return v, 1 - (belief @ tables)[v]

    def of_map_alone(belief, tables):
        row = tables[np.argmax(belief)]
        return int(np.argmax(row)), 1 - row.max()

    def equal(belief, tables):
        mean = tables.mean(axis=0)
        return int(np.argmax(mean)), 1 - mean.max()

    def hard(belief, tables):
        votes = np.bincount(tables.argmax(axis=1), weights=belief, minlength=tables.shape[1])
        return int(np.argmax(votes)), 1 - votes.max()

    def gibbs(belief, tables):
        return bayes_vote(belief, tables)[0], 1 - ((belief @ tables) ** 2).sum()

    def alone(belief, tables):
        return bayes_vote(belief, tables)[0], 1 - tables[np.argmax(belief)].max()

    def second(belief, tables):
        return bayes_vote(belief, tables)[0], (belief @ tables).min()

    def best_pair(belief, tables):
        joint = (belief[:, None] * tables).max(axis=0)
        return int(np.argmax(joint)), 1 - joint.max()

    def right_chance(belief, tables):
        v, error = bayes_vote(belief, tables)
        return v, 1 - error

    expect_function(
        answer,
        bayes_vote,
        cases,
        "Class and error",
        names="class, error",
        slips=[
            (of_map, "You ask the most probable hypothesis only. All of them vote."),
            (of_map_alone, "You ask the most probable hypothesis only. All of them vote."),
            (equal, "All hypotheses have equal weight in your vote. Weigh them with belief."),
            (hard, "Each hypothesis gives chances, not one class: average the rows before you choose."),
            (gibbs, "That is the error of one hypothesis drawn at random. All of them vote: (9.8)."),
            (alone, "The class is right. Its error is one minus its averaged chance, not that of one row."),
            (second, "The error is one minus the largest chance; with three classes that is not the smallest."),
            (best_pair, "You look for the largest single product. Add up over the hypotheses first, (9.7)."),
            (lambda belief, tables: (bayes_vote(belief, tables)[0] + 1, bayes_vote(belief, tables)[1]),
             "Classes are counted from 0, as the columns are."),
            (right_chance, "You return the chance of being right. Asked is the chance of an error."),
            (lambda belief, tables: bayes_vote(belief, tables)[::-1], "The class first, then the error."),
        ],
    )  # fmt: skip
    return "Right. A row times a matrix, and no classifier with the same knowledge errs less often."


def sequence_chance(a, b, data):
    chance = 1.0
    for x in data:
        chance *= (a if x else b) / (a + b)
        a, b = a + x, b + 1 - x
    return chance


@exercise(
    "9.3",
    "The whole sequence",
    start="What is the chance of the first entry? And of the second, after the first has been counted?",
    hints=["A success has the chance a/(a + b); then a grows by one.", "Multiply the chances. Empty: 1."],
    solution=sequence_chance,
    explanation="The product is B(a + s, b + f)/B(a, b), the evidence: the order of the data does not matter.",
)
def _(answer):
    cases = [
        (1.0, 1.0, [1, 1, 0]),
        (2.0, 3.5, [0, 1, 1, 1]),
        (0.5, 1.5, [0, 0, 0, 0, 1]),
        (4.0, 2.0, [1]),
        (3.0, 2.0, []),
    ]

    def no_update(a, b, data):
        return float(np.prod([(a if x else b) / (a + b) for x in data]))

    def binomial(a, b, data):
        from math import comb

        return comb(len(data), sum(data)) * sequence_chance(a, b, data)

    def at_end(a, b, data):
        a, b = a + sum(data), b + len(data) - sum(data)
        return no_update(a, b, data)

    def after(a, b, data):
        chance = 1.0
        for x in data:
            a, b = a + x, b + 1 - x
            chance *= (a if x else b) / (a + b)
        return chance

    def only_success(a, b, data):
        chance = 1.0
        for x in data:
            chance *= a / (a + b)
            a, b = a + x, b + 1 - x
        return chance

    def added(a, b, data):
        chances = [sequence_chance(a, b, data[: k + 1]) / sequence_chance(a, b, data[:k]) for k in range(len(data))]
        return float(sum(chances))

    def last_factor(a, b, data):
        return sequence_chance(a, b, data) / sequence_chance(a, b, data[:-1]) if data else 1.0

    def numerator_only(a, b, data):
        return sequence_chance(a, b, data) * float(np.prod([1 + k / (a + b) for k in range(len(data))]))

    def one_sided(a, b, data):
        chance = 1.0
        for x in data:
            chance *= (a if x else b) / (a + b)
            a = a + x
        return chance

    def last_mean(a, b, data):
        return (a + sum(data)) / (a + b + len(data))

    def total_only(a, b, data):
        chance = 1.0
        for k, x in enumerate(data):
            chance *= (a if x else b) / (a + b + k)
        return chance

    expect_function(
        answer,
        sequence_chance,
        cases,
        "The chance of the sequence",
        slips=[
            (no_update, "You predict every entry with the prior. Update after each of them."),
            (binomial, "That is the chance of so many successes in any order. Asked is this sequence."),
            (at_end, "You predict with the final belief, which has seen the answers. Predict, then update."),
            (after, "You update before you predict. The entry must not count for its own prediction."),
            (only_success, "A failure has the chance b/(a + b)."),
            (last_mean, "That is the chance that the next one is a success. Asked is the sequence so far."),
            (lambda a, b, data: sequence_chance(1, 1, data), "You start from Beta(1, 1). The prior is Beta(a, b)."),
            (added, "You add the chances. All entries came: multiply."),
            (last_factor, "That is the chance of the last entry alone. Multiply those of all entries."),
            (numerator_only, "The denominator grows as well: it is a + b of the present belief."),
            (one_sided, "A failure counts, too: it adds one to b."),
            (total_only, "Only the denominator grows in your product. a grows with each success, b with each failure."),
            (lambda a, b, data: sequence_chance(b, a, data), "You exchanged a and b: a belongs to 1."),
            (lambda a, b, data: np.log(sequence_chance(a, b, data)), "That is the logarithm."),
        ],
    )
    return "Right. It is the evidence, and with it one can choose a prior (9.7)."


def fit_wrappers(cherry, red):
    cherry, red = np.asarray(cherry), np.asarray(red)
    return cherry.mean(), red[cherry == 1].mean(), red[cherry == 0].mean()


@exercise(
    "9.4",
    "Wrappers",
    start="Which candies does each of the three parts of (9.13) count?",
    hints=["cherry == 1 selects the cherries: red[cherry == 1].", "Each dial is a mean of zeros and ones."],
    solution=fit_wrappers,
    explanation="Equation (9.13): three problems, each solved by counting.",
)
def _(answer):
    rng = np.random.default_rng(94)
    cases = [(np.repeat([1, 0], [60, 40]), np.repeat([1, 0, 1, 0], [45, 15, 10, 30]))]
    for n, p in ((11, 0.4), (17, 0.7)):
        cherry = (rng.random(n) < p).astype(int)
        cherry[:2] = 0, 1
        cases.append((cherry, (rng.random(n) < 0.3 + 0.4 * cherry).astype(int)))
    cases.append((np.array([1, 0, 0]), np.array([0, 1, 0])))

    def of_all(cherry, red):
        return cherry.mean(), (cherry * red).mean(), ((1 - cherry) * red).mean()

    def turned(cherry, red):
        return red.mean(), cherry[red == 1].mean(), cherry[red == 0].mean()

    def exchanged(cherry, red):
        a, b, c = fit_wrappers(cherry, red)
        return a, c, b

    def among_red(cherry, red):
        return cherry.mean(), (cherry * red).sum() / red.sum(), ((1 - cherry) * red).sum() / red.sum()

    def as_places(cherry, red):
        return cherry.mean(), red[cherry].mean(), red[1 - cherry].mean()

    def add_one(cherry, red):
        parts = (cherry, red[cherry == 1], red[cherry == 0])
        return tuple((part.sum() + 1) / (len(part) + 2) for part in parts)

    expect_function(
        answer,
        fit_wrappers,
        cases,
        "The dials",
        names="theta, theta1, theta2",
        slips=[
            (of_all, "You divided by all candies. theta1 is the share of red among the cherries alone."),
            (turned, "You turned the arrow round: theta is the share of cherries, theta1 of red among them."),
            (among_red, "Those are shares among the red ones, P(flavour | red). Asked is P(red | flavour)."),
            (as_places, "red[cherry] takes 0 and 1 as places. A condition selects: red[cherry == 1]."),
            (lambda c, r: (1 - c.mean(), *fit_wrappers(c, r)[1:]), "theta is the share of cherries, not of limes."),
            (
                lambda c, r: (*fit_wrappers(c, r)[:2], ((1 - c) * r).mean()),
                "theta2 is the share of red among the limes, not among all candies.",
            ),
            (
                lambda c, r: (*fit_wrappers(c, r)[:2], 1 - r[c == 1].mean()),
                "theta2 is a dial of its own: red among the limes, not green among the cherries.",
            ),
            (exchanged, "theta1 belongs to the cherries, theta2 to the limes: exchange them."),
            (add_one, "You added one to each count. Maximum likelihood does not."),
            (lambda c, r: fit_wrappers(1 - c, r), "A 1 in cherry means cherry: you took it for lime."),
            (lambda c, r: fit_wrappers(c, 1 - r), "Those are the shares of green paper."),
            (lambda c, r: (c.mean(), r.mean(), r.mean()), "theta1 and theta2 are shares within one flavour."),
            (lambda c, r: (c.sum(), r[c == 1].sum(), r[c == 0].sum()), "Those are counts. Divide each by its total."),
        ],
    )
    return "Right. Complete data make learning a matter of counting."


def normal_belief(x, sigma, mu_0, tau):
    precision = 1 / tau**2 + len(x) / sigma**2
    return (mu_0 / tau**2 + np.sum(x) / sigma**2) / precision, precision**-0.5


@exercise(
    "9.5",
    "Two precisions",
    start="Precisions add: one from the prior, one from each datum.",
    hints=[
        "What is the precision of the prior, and what is that of one datum? Which total do N data bring?",
        "precision = 1/tau**2 + len(x)/sigma**2; the mean is (mu_0/tau**2 + sum(x)/sigma**2)/precision, "
        "np.sum([]) is 0.",
    ],
    solution=normal_belief,
    explanation="Equation (9.22). Without data the prior stays.",
)
def _(answer):
    cases = [
        (np.array([11.0, 13, 14, 15, 17]), 2.0, 10.0, 3.0),
        (np.array([1.5, -0.5, 4.2]), 0.7, 1.0, 2.5),
        (np.array([5.3]), 3.0, -1.0, 0.4),
        (np.array([]), 2.0, 3.0, 1.7),
        (np.array([0.2, 0.9, 0.4, 1.8, 0.6, 0.3]), 1.3, 0.5, 0.8),
    ]

    def swapped(x, sigma, mu_0, tau):
        return normal_belief(x, tau, mu_0, sigma)

    def not_squared(x, sigma, mu_0, tau):
        return normal_belief(x, sigma**0.5, mu_0, tau**0.5)

    def variance(x, sigma, mu_0, tau):
        mean, sd = normal_belief(x, sigma, mu_0, tau)
        return mean, sd**2

    def precision(x, sigma, mu_0, tau):
        mean, sd = normal_belief(x, sigma, mu_0, tau)
        return mean, sd**-2

    def predict(x, sigma, mu_0, tau):
        mean, sd = normal_belief(x, sigma, mu_0, tau)
        return mean, np.hypot(sd, sigma)

    def one_datum(x, sigma, mu_0, tau):
        return normal_belief(x[:1] * 0 + (np.mean(x) if len(x) else 0), sigma, mu_0, tau)

    def with_mean(mean):
        return lambda *case: (mean(*case), normal_belief(*case)[1])

    def total(x, sigma, mu_0, tau):
        return 1 / tau**2 + len(x) / sigma**2

    one_more = with_mean(lambda x, sigma, mu_0, tau: (mu_0 + np.sum(x)) / (1 + len(x)))
    crossed = with_mean(lambda x, s, mu_0, tau: (mu_0 / s**2 + np.sum(x) / tau**2) / total(x, s, mu_0, tau))
    mean_for_sum = with_mean(
        lambda x, s, mu_0, tau: (mu_0 / tau**2 + (np.mean(x) if len(x) else 0) / s**2) / total(x, s, mu_0, tau)
    )
    no_centre = with_mean(lambda x, s, mu_0, tau: np.sum(x) / s**2 / total(x, s, mu_0, tau))
    not_divided = with_mean(lambda x, s, mu_0, tau: mu_0 / tau**2 + np.sum(x) / s**2)

    def roots_first(x, sigma, mu_0, tau):
        return normal_belief(x, sigma, mu_0, tau)[0], 1 / (1 / tau + len(x) / sigma)

    def share(x, sigma, mu_0, tau):
        return (float(np.mean(x)), sigma / len(x) ** 0.5) if len(x) else (mu_0, tau)

    expect_function(
        answer,
        normal_belief,
        cases,
        "Mean and standard deviation",
        names="mean, sd",
        slips=[
            (swapped, "You exchanged sigma and tau: tau belongs to the prior, sigma to the data."),
            (not_squared, "A precision is one over the variance: square sigma and tau."),
            (variance, "That is the variance. Asked is the standard deviation: take the root."),
            (precision, "That is the precision. The standard deviation is its root, inverted."),
            (predict, "That is the spread of the next value. Asked is that of the mean."),
            (one_datum, "Each datum brings a precision of its own: N / sigma**2."),
            (one_more, "You count the prior as one datum. Its weight is the precision 1/tau**2."),
            (crossed, "The precision 1/tau**2 belongs to mu_0, and 1/sigma**2 to the data: you exchanged them."),
            (mean_for_sum, "The data weigh N/sigma**2 in all: use their sum, or N times their mean."),
            (no_centre, "mu_0 is missing in the mean: it has the weight 1/tau**2."),
            (not_divided, "Divide the weighted sum by the precision."),
            (roots_first, "Precisions add, one over the variance each. Take the root at the end."),
            (share, "The prior is missing: add its precision 1/tau**2, and its mean with that weight."),
        ],
    )
    return "Right. The prior is worth sigma^2/tau^2 data."

"""Tasks and exercises of chapter 09: posteriors, predictions, votes, counts, a normal law, and a Beta belief."""

import numpy as np

from mlteach.exercises.base import Wrong, brief, exercise, expect_close
from mlteach.exercises.tasks import number, task

PRIOR, Q = np.array([0.1, 0.2, 0.4, 0.2, 0.1]), np.array([0, 0.25, 0.5, 0.75, 1])


def share(weights):
    return weights / weights.sum()


task("9.a", "Lime, then cherry",
    start="What is the prior of each bag, and how likely does it make these two candies?",
    hints=[
        "The likelihood of h2 is 1/4 x 3/4. Which bags cannot give both flavours?",
        "The products are 0, 0.0375, 0.1, 0.0375, 0; divide each by their sum.",
    ],
    answer=number("Your list of beliefs", "share(PRIOR * Q * (1 - Q))", to=1e-3, rtol=3e-3, slips="""
        PRIOR * Q * (1 - Q)              | Those are the products. Divide each by their sum, the evidence.
        share(Q * (1 - Q))               | The prior is missing: you normalised the likelihoods.
        Q * (1 - Q)                      | Those are the likelihoods. Multiply by the prior, and normalise.
        share(PRIOR * Q)                 | That is after the lime. The cherry is missing: multiply by 1 - q.
        share(PRIOR * (1 - Q))           | That is after a cherry alone. The lime is missing: multiply by q.
        share(PRIOR * Q**2)              | That is after two limes. The second candy is cherry: 1 - q.
        share(PRIOR * (1 - Q) ** 2)      | That is after two cherries. The first candy is lime: q.
        share(PRIOR**2 * Q * (1 - Q))    | You used the prior twice. It enters once, before all data.
        PRIOR                            | That is the prior. Both candies say something.
        PRIOR * Q * (1 - Q) / 0.5        | You divided by P(lime), the evidence of one candy. Divide by the sum of your
            products.
        PRIOR * Q * (1 - Q) * 40 / 13    | 13/40 is the evidence of two limes. Divide by the sum of your own products.
        share(PRIOR * (Q * (1 - Q) > 0)) | You only struck out h1 and h5. The others give both flavours with unequal
            ease.
        share(PRIOR * (Q * (1 - Q))**2)  | You used the candies twice. Each of them is one factor.
        np.full(5, 0.2)                  | The bags are neither equally common nor equally good at giving both flavours.
        (3 / 14, 4 / 7, 3 / 14)          | Five beliefs are wanted: h1 and h5 have the belief 0.
        """),
    right="Right. Two bags are excluded for ever, and h3 leads by more than before.",
    explanation="0.2 x 3/16 = 0.0375, 0.4 x 1/4 = 0.1, 0.0375 again; their sum is 0.175.",
)  # fmt: skip

task("9.b", "The third candy",
    start="What does each bag say of the next candy, and how far is it believed?",
    hints=[
        "After lime and cherry the posterior is 0, 3/14, 4/7, 3/14, 0, which is symmetric.",
        "After two cherries the posterior is that of two limes with the bags in reverse order.",
    ],
    mixed=number("The chance after lime and cherry", "3 / 14 * 1 / 4 + 4 / 7 * 1 / 2 + 3 / 14 * 3 / 4", rtol=3e-3,
        slips="""
        0.65   | That is after one lime. The cherry counts, too.
        0.35   | That is after one cherry. The lime counts, too.
        4 / 7  | That is the belief in h3. Average the chances of lime over all bags.
        0.0875 | That is P(lime, cherry and lime). Divide by P(lime and cherry): average with the posterior.
        0.175  | That is P(lime, then cherry), the evidence. Asked is the next candy, given these two.
        0.25   | With the bag unknown the candies are not independent: average the chances of lime with the posterior.
        """),
    cherry=number("The chance after two cherries", "share(PRIOR * (1 - Q) ** 2) @ Q", rtol=3e-3, slips="""
        19 / 26 | That is the chance of cherry. Asked is lime.
        0.35    | That is after one cherry. There are two.
        0.65    | That is the chance that the second candy is cherry.
        0.25    | That is the most probable bag's chance. Average over all bags.
        0       | That is the ML bag's chance. Average over all bags that are left.
        0.5     | That is the chance before any candy.
        0.0875  | That is P(cherry, cherry and lime). Divide by P(two cherries): average with the posterior.
        0.325   | That is P(two cherries), the evidence. Asked is the next candy, given these two.
        """),
    right="Right. One of each cancels out in a symmetric prior; two cherries make lime rare.",
    explanation="3/14 x 1/4 + 4/7 x 1/2 + 3/14 x 3/4 = 1/2; after two cherries 1 - 19/26 = 7/26.",
)  # fmt: skip


@exercise(
    "9.c",
    "A mushroom",
    start="How much belief stands behind each class?",
    hints=[
        "Poisonous has 0.35 + 0.10. What has edible?",
        "The chance of an error is one minus the weight of the class that is given.",
    ],
    solution=("edible", 0.45),
    explanation="Edible has 0.25 + 0.20 + 0.10 = 0.55, poisonous 0.45. The Bayes optimal answer is edible and wrong "
    "with 0.45. (Who would eat it? What an error costs does not enter (9.7); chapter 11 adds it.)",
)
def class_and_error(class_, error):
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


THETA, ONE, TWO = 30 / 80, 24 / 30, 20 / 50

task("9.d", "Eighty candies",
    start="Of which candies is each dial a share?",
    hints=[
        "There are 50 limes, of which 20 are red.",
        "P(cherry | red) = theta theta1 / (theta theta1 + (1 - theta) theta2).",
    ],
    thetas=number("Your list of dials", "[30 / 80, 24 / 30, 20 / (80 - 30)]", names="theta, theta1, theta2", rtol=1e-3,
        slips="""
        (THETA, 24 / 80, 20 / 80)   | You divided by all candies. theta1 is the share of red among the cherries.
        (THETA, ONE, 20 / 80)       | theta2 is the share of red among the 50 limes, not among all candies.
        (THETA, 24 / 44, 20 / 44)   | Those are shares among the red ones, P(flavour | red). Asked is P(red | flavour).
        (THETA, TWO, ONE)           | theta1 belongs to the cherries, theta2 to the limes: exchange them.
        (50 / 80, ONE, TWO)         | theta is the share of cherries, not of limes.
        (THETA, 6 / 30, 30 / 50)    | Those are the shares of green paper.
        (THETA, 25 / 32, 21 / 52)   | You added one to each count. Maximum likelihood does not.
        (31 / 82, 25 / 32, 21 / 52) | You added one to each count. Maximum likelihood does not.
        (30, 24, 20)                | Those are counts. A dial is a share: divide each by its total.
        (THETA, ONE, 30 / 50)       | theta2 is the share of red among the limes; that is the share of green.
        (50 / 80, TWO, ONE)         | You exchanged cherries and limes: theta and theta1 belong to the cherries.
        (0.6, 0.75, 0.25)           | Those are the dials of the example above. Here are other counts.
        (THETA, ONE, 20 / 30)       | Of 80 candies 30 are cherries, so there are 50 limes.
        """),
    red_cherry=number("P(cherry | red)", "THETA * ONE / (THETA * ONE + (1 - THETA) * TWO)", rtol=2e-3, slips="""
        ONE               | That is P(red | cherry). Asked is P(cherry | red).
        THETA             | That is P(cherry). The red paper says something.
        THETA * ONE       | That is P(cherry and red). Divide by P(red).
        44 / 80           | 0.55 is P(red): divide P(cherry and red) by it. (If you did, and rounded: give three
            digits.)
        20 / 80           | That is P(lime and red).
        ONE / (44 / 80)   | P(red | cherry) wants the factor P(cherry) before you divide by P(red).
        20 / 44           | That is P(lime | red).
        ONE / (ONE + TWO) | The flavours are not equally common: weigh with theta and 1 - theta.
        """),
    right="Right. Count and divide, and Bayes' rule turns it round.",
    explanation="30/80, 24/30 and 20/50; of 44 red candies 24 are cherries, and Bayes' rule says the same.",
)  # fmt: skip

task("9.e", "Four weights",
    start="What is the mean, and how far is each value from it?",
    hints=["The deviations are -3, 0, 0, 3.", "Divide the sum of squares by N = 4, and by N - 1 = 3."],
    mean=number("The mean", "(12 + 15 + 15 + 18) / 4", slips="""
        60 | That is the sum. Divide by N.
        20 | You divided by N - 1. A mean divides by N.
        14 | That is the mean of the five weights above. Here are four others.
        """),
    ml_variance=number("The ML variance", "((12 - 15)**2 + (18 - 15)**2) / 4", rtol=1e-3, slips="""
        6        | Maximum likelihood divides by N. You divided by N - 1.
        18       | That is the sum of squares. Divide by N.
        4.5**0.5 | That is the standard deviation. Asked is the variance.
        1.5      | Those are mean absolute deviations. Square them first.
        0        | Deviations sum to zero. Square them first.
        3.6      | You divided by N + 1. Maximum likelihood divides by N.
        """),
    unbiased=number("The unbiased variance", "((12 - 15)**2 + (18 - 15)**2) / (4 - 1)", rtol=1e-3, slips="""
        4.5         | That is the ML variance again. Unbiased divides by N - 1.
        18          | That is the sum of squares. Divide by N - 1.
        4.5 * 5 / 4 | The factor is N/(N - 1) with N = 4 here, not 5.
        4.5 * 3 / 4 | The correction goes the other way: (9.15) says that ML is too small.
        6**0.5      | That is the standard deviation. Asked is the variance.
        9           | You divided by N - 2. Only one mean was estimated: N - 1.
        3.6         | You divided by N + 1. Unbiased divides by N - 1.
        """),
    right="Right. For four data the difference is a third.",
    explanation="The sum of squares is 18: 18/4 = 4.5, and 18/3 = 6.",
)  # fmt: skip

task("9.f", "Five of fourteen",
    start="Which of the two parameters does each observation raise?",
    hints=[
        "There are 14 - 5 = 9 failures.",
        "The mean is a/(a + b). The peak is where (a - 1)/theta = (b - 1)/(1 - theta).",
    ],
    slips="""
        (5, 9, ..., ...)   | Those are the counts. The virtual ones of the prior are missing.
        (13, 7, ..., ...)  | You exchanged successes and failures.
        (10, 12, ..., ...) | You added one more to each. (9.18) adds the counts to a and b, and nothing else.
        (6, 10, ..., ...)  | You started from the uniform law. The prior here is Beta(4, 2).
        (4, 2, ..., ...)   | That is the prior. The 14 candies count, too.
        (8, 10, ..., ...)  | (9.18) adds the counts to a and b as they are.
        """,
    a=number("a", "4 + 5", slips="18 | The 14 are all candies. Add the 5 successes to a."),
    b=number("b", "2 + (14 - 5)", slips="""
        16 | The 14 are all candies. Add the 9 failures to b.
        14 | The 14 are all candies. Add the 9 failures to b.
        """),
    beta_mean=number("The mean", "9 / (9 + 11)", rtol=1e-3, slips="""
        5 / 14  | That is the ML estimate. The mean of the posterior is a/(a + b).
        8 / 18  | That is the mode. The mean is a/(a + b).
        11 / 20 | That is the mean chance of failure.
        8 / 20  | The mean is a/(a + b); one is taken off for the mode only.
        4 / 6   | That is the mean of the prior.
        9 / 11  | Those are odds. The mean is a/(a + b).
        6 / 16  | That is the mean with a uniform prior. Here it is Beta(4, 2).
        """),
    mode=number("The mode", "(9 - 1) / (9 + 11 - 2)", rtol=2e-3, slips="""
        9 / 20  | That is the mean. The exponents are a - 1 and b - 1.
        5 / 14  | That is the peak of the likelihood. The prior has a say, too.
        10 / 22 | The exponents are a - 1 and b - 1: take one off each, instead of adding it.
        9 / 19  | The exponents are a - 1 and b - 1: take one off each.
        3 / 4   | That is the mode of the prior.
        8 / 20  | Both exponents lose one: divide by a + b - 2.
        8 / 19  | Both exponents lose one: divide by a + b - 2.
        10 / 18 | That is the mode for failures.
        9 / 18  | The exponent of theta is a - 1 = 8.
        """),
    right="Right. The prior's mean is 2/3, the data say 0.36, and 6 against 14 weighs them.",
    explanation="Beta(9, 11): the mean is 9/20, the mode (9 - 1)/(20 - 2) = 4/9.",
)  # fmt: skip

task("9.g", "No parcel lost",
    start="What are s and N, if a loss is a success?",
    hints=[
        "s = 0 and N = 18 in (9.12), (9.20) and (9.19).",
        "Beta(1, 49) becomes Beta(1 + 0, 49 + 18); its mean is a/(a + b).",
    ],
    ml=number("The ML estimate", "0 / 18", slips="""
        1      | That is the share of parcels that arrived. Asked is the chance of a loss.
        1 / 20 | That is the add-one rule. Maximum likelihood is the share itself.
        1 / 18 | No parcel was lost: s = 0.
        """),
    add_one=number("The add-one estimate", "(0 + 1) / (18 + 2)", rtol=1e-3, slips="""
        1 / 19   | Both counts get one more, so N grows by two.
        1 / 18   | The added ones count in the denominator as well: N + 2.
        19 / 20  | That is the chance that it arrives.
        0        | That is maximum likelihood. Add one to each count.
        0.5 / 19 | That is Beta(1/2, 1/2). The add-one rule adds one to each count.
        2 / 20   | One is added to each count: (0 + 1)/(18 + 2).
        """),
    with_prior=number("The chance with the prior", "(1 + 0) / (1 + 49 + 18)", to=6e-5, slips="""
        67 / 68 | That is the chance that it arrives.
        1 / 20  | That is the add-one rule again. The prior is Beta(1, 49).
        18 / 68 | The 18 parcels arrived: the numerator counts losses, 1 + 0.
        49 / 68 | A loss is a success here: its virtual count is 1.
        2 / 68  | No parcel was lost, so the numerator stays at the virtual 1.
        1 / 50  | That is the mean of the prior. The 18 parcels count, too.
        1 / 67  | Those are odds, or the loss is missing in the sum: divide by a + b.
        19 / 68 | The parcels arrived: they are failures here, and go to b.
        2 / 70  | You added one more to each count. The prior is all there is to add.
        0       | That is the mode, or maximum likelihood. The prediction is the mean.
        1 / 18  | The prior is worth 50 parcels: 1/(50 + 18).
        """),
    right="Right. Never seen is not impossible, and other firms' losses say how possible.",
    explanation="0/18 = 0, 1/20 = 0.05, and 1/(1 + 49 + 18) = 1/68 = 0.0147.",
)  # fmt: skip


def next_lime(prior, q, limes, cherries):
    prior, q = np.asarray(prior), np.asarray(q)
    weight = prior * q**limes * (1 - q) ** cherries
    return float(weight @ q / weight.sum())


task("9.1", "The next lime", next_lime, what="The chance of lime",
    cases=[
        (PRIOR, Q, 3, 0), (PRIOR, Q, 1, 4), (PRIOR, Q, 0, 0), (PRIOR, Q, 2, 1),
        (np.array([0.3, 0.7]), np.array([0.35, 0.8]), 4, 2),
        (np.array([0.5, 0.2, 0.3]), np.array([0.9, 0, 0.6]), 2, 3),
    ],
    start="What is believed of each hypothesis, and what does each say of the next candy?",
    hints=["weight = prior * q**limes * (1 - q)**cherries, in numpy.", "Divide by its sum, then average q with it."],
    slips="""
        / weight.sum() => | That is P(data and lime). Normalise the weights first.
        weight @ q / weight.sum() => q[np.argmax(weight)] | That is the most probable bag's chance (MAP). Average over
            all bags.
        weight = prior * => weight = ;; weight @ q / weight.sum() => q[np.argmax(weight)] | That is the best-fitting
            bag's chance (ML). Average over all bags.
        weight = prior * => weight =                                  | The prior is missing.
        q**limes * (1 - q) ** cherries => q**cherries * (1 - q)**limes | Limes have the chance q, cherries 1 - q: you
            exchanged them.
        * (1 - q) ** cherries =>                                | The cherries are missing: each has the chance 1 - q.
        q**limes => q**min(limes, 1) ;; ** cherries => ** min(cherries, 1) | Each candy is a factor: q to the power of
            limes.
        float(weight => float(1 - weight                        | That is the chance of cherry.
        q**limes * (1 - q) ** cherries => q**(limes + cherries) | You took the cherries for limes: a cherry has the
            chance 1 - q.
        q**limes => q**(limes + 1)       | You counted the next lime before it came: that is the chance after one lime
            more.
        np.asarray(q) => 1 - np.asarray(q) | q is the share of limes; you took it for that of cherries.
        weight @ q / weight.sum() => (limes + 1) / (limes + cherries + 2) | That is the add-one rule, for a dial. Here
            there are a few bags: average their q.
        weight @ q / weight.sum() => limes / (limes + cherries) if limes + cherries else 0.5 | That is the share of
            limes so far. Weigh the bags, and average their q.
        weight @ q / weight.sum() => weight.sum() | That is the evidence P(D). Asked is the next candy.
        weight @ q / weight.sum() => prior @ q    | That is the chance before any data.
        """,
    right="Right. The whole of 9.2 in two lines.",
    explanation="In numpy 0.0**0 is 1, so bags of one flavour need no special case.",
)  # fmt: skip


def bayes_vote(belief, tables):
    chances = np.asarray(belief) @ np.asarray(tables)
    v = int(np.argmax(chances))
    return v, 1 - chances[v]


task("9.2", "Vote", bayes_vote, what="Class and error", names="class, error",
    cases=[
        (np.array([0.4, 0.3, 0.3]), np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 1.0]])),
        (np.array([0.4, 0.3, 0.3]), np.array([[0.9, 0.1], [0.4, 0.6], [0.3, 0.7]])),
        (np.array([0.1, 0.5, 0.2, 0.2]),
         np.array([[0.2, 0.1, 0.7], [0.5, 0.3, 0.2], [0.0, 0.9, 0.1], [0.1, 0.8, 0.1]])),
        (np.array([0.6, 0.4]), np.array([[0.3, 0.45, 0.25], [0.2, 0.1, 0.7]])),
    ],
    start="Equation (9.7): which sum is compared?",
    hints=["belief @ tables has one chance per class.", "The error is one minus the largest, (9.8)."],
    slips="""
        argmax(chances) => argmax(tables[np.argmax(belief)]) | You ask the most probable hypothesis only. All of them
            vote.
        np.asarray(belief) @ np.asarray(tables) => tables[np.argmax(belief)] | You ask the most probable hypothesis
            only. All of them vote.
        np.asarray(belief) @ np.asarray(tables) => tables.mean(axis=0) | All hypotheses have equal weight in your vote.
            Weigh them with belief.
        np.asarray(belief) @ np.asarray(tables) => belief @ np.eye(tables.shape[1])[tables.argmax(axis=1)] | Each
            hypothesis gives chances, not one class: average the rows before you choose.
        1 - chances[v] => 1 - (chances**2).sum() | That is the error of one hypothesis drawn at random. All of them
            vote: (9.8).
        1 - chances[v] => 1 - tables[np.argmax(belief)].max() | The class is right. Its error is one minus its averaged
            chance, not that of one row.
        1 - chances[v] => chances.min() | The error is one minus the largest chance; with three classes that is not the
            smallest.
        np.asarray(belief) @ np.asarray(tables) => (belief[:, None] * tables).max(axis=0) | You look for the largest
            single product. Add up over the hypotheses first, (9.7).
        return v, => return v + 1,                           | Classes are counted from 0, as the columns are.
        1 - chances[v] => chances[v]                         | You return the chance of being right. Asked is the chance
            of an error.
        return v, 1 - chances[v] => return 1 - chances[v], v | The class first, then the error.
        """,
    right="Right. A row times a matrix, and no classifier with the same knowledge errs less often.",
    explanation="Equation (9.7) as a product of a row and a matrix.",
)  # fmt: skip


def sequence_chance(a, b, data):
    chance = 1.0
    for x in data:
        chance *= (a if x else b) / (a + b)
        a, b = a + x, b + 1 - x
    return chance


task("9.3", "The whole sequence", sequence_chance, what="The chance of the sequence",
    cases=[
        (1.0, 1.0, [1, 1, 0]), (2.0, 3.5, [0, 1, 1, 1]), (0.5, 1.5, [0, 0, 0, 0, 1]), (4.0, 2.0, [1]), (3.0, 2.0, []),
    ],
    start="What is the chance of the first entry? And of the second, after the first has been counted?",
    hints=["A success has the chance a/(a + b); then a grows by one.", "Multiply the chances. Empty: 1."],
    slips="""
        a, b = a + x, b + 1 - x => pass | You predict every entry with the prior. Update after each of them.
        return chance => return chance * np.prod([(len(data) - k) / (k + 1) for k in range(sum(data))]) | That is the
            chance of so many successes in any order. Asked is this sequence.
        chance = 1.0 => chance, a, b = 1.0, a + sum(data), b + len(data) - sum(data) ;; a, b = a + x, b + 1 - x => pass
            | You predict with the final belief, which has seen the answers. Predict, then update.
        (a if x else b) / (a + b) => (a + 1 if x else b + 1) / (a + b + 1) | You update before you predict. The entry
            must not count for its own prediction.
        (a if x else b) => a                  | A failure has the chance b/(a + b).
        return chance => return a / (a + b)   | That is the chance that the next one is a success. Asked is the sequence
            so far.
        chance = 1.0 => chance, a, b = 1.0, 1, 1 | You start from Beta(1, 1). The prior is Beta(a, b).
        chance = 1.0 => chance = 0.0 ;; chance *= => chance += | You add the chances. All entries came: multiply.
        chance *= => chance =                 | That is the chance of the last entry alone. Multiply those of all
            entries.
        chance = 1.0 => chance, n = 1.0, a + b ;; / (a + b) => / n | The denominator grows as well: it is a + b of the
            present belief.
        a, b = a + x, b + 1 - x => a = a + x  | A failure counts, too: it adds one to b.
        for x in data => for k, x in enumerate(data) ;; / (a + b) => / (a + b + k) ;; a, b = a + x, b + 1 - x => pass
            | Only the denominator grows in your product. a grows with each success, b with each failure.
        chance = 1.0 => chance, a, b = 1.0, b, a | You exchanged a and b: a belongs to 1.
        return chance => return np.log(chance)   | That is the logarithm.
        chance = 1.0 => chance = float(len(data) > 0) | An empty product is 1: nothing happened yet, with certainty.
        """,
    right="Right. It is the evidence, and with it one can choose a prior (9.7).",
    explanation="The product is B(a + s, b + f)/B(a, b), the evidence: the order of the data does not matter.",
)  # fmt: skip


def fit_wrappers(cherry, red):
    cherry, red = np.asarray(cherry), np.asarray(red)
    theta = cherry.mean()
    theta1 = red[cherry == 1].mean()
    theta2 = red[cherry == 0].mean()
    return theta, theta1, theta2


def wrapper_cases():
    rng = np.random.default_rng(94)
    cases = [(np.repeat([1, 0], [60, 40]), np.repeat([1, 0, 1, 0], [45, 15, 10, 30]))]
    for n, p in ((11, 0.4), (17, 0.7)):
        cherry = (rng.random(n) < p).astype(int)
        cherry[:2] = 0, 1
        cases.append((cherry, (rng.random(n) < 0.3 + 0.4 * cherry).astype(int)))
    return [*cases, (np.array([1, 0, 0]), np.array([0, 1, 0]))]


task("9.4", "Wrappers", fit_wrappers, cases=wrapper_cases, what="The dials", names="theta, theta1, theta2",
    start="Which candies does each of the three parts of (9.13) count?",
    hints=["cherry == 1 selects the cherries: red[cherry == 1].", "Each dial is a mean of zeros and ones."],
    slips="""
        red[cherry == 1] => (cherry * red) ;; red[cherry == 0] => ((1 - cherry) * red) | You divided by all candies.
            theta1 is the share of red among the cherries alone.
        np.asarray(cherry), np.asarray(red) => np.asarray(red), np.asarray(cherry) | You turned the arrow round: theta
            is the share of cherries, theta1 of red among them.
        red[cherry == 1] => cherry[red == 1] ;; red[cherry == 0] => 1 - cherry[red == 1] | Those are shares among the
            red ones, P(flavour | red). Asked is P(red | flavour).
        red[cherry == 1] => red[cherry] ;; red[cherry == 0] => red[1 - cherry] | red[cherry] takes 0 and 1 as places. A
            condition selects: red[cherry == 1].
        theta = cherry => theta = 1 - cherry     | theta is the share of cherries, not of limes.
        red[cherry == 0] => ((1 - cherry) * red) | theta2 is the share of red among the limes, not among all candies.
        red[cherry == 0] => 1 - red[cherry == 1] | theta2 is a dial of its own: red among the limes, not green among the
            cherries.
        theta1, theta2 => theta2, theta1         | theta1 belongs to the cherries, theta2 to the limes: exchange them.
        return theta, theta1, theta2 =>
            return tuple((part.sum() + 1) / (len(part) + 2) for part in (cherry, red[cherry == 1], red[cherry == 0]))
            | You added one to each count. Maximum likelihood does not.
        np.asarray(cherry), => 1 - np.asarray(cherry), | A 1 in cherry means cherry: you took it for lime.
        np.asarray(red) => 1 - np.asarray(red)         | Those are the shares of green paper.
        red[cherry == 1] => red ;; red[cherry == 0] => red | theta1 and theta2 are shares within one flavour.
        return theta, theta1, theta2 => return cherry.sum(), red[cherry == 1].sum(), red[cherry == 0].sum() | Those are
            counts. Divide each by its total.
        """,
    right="Right. Complete data make learning a matter of counting.",
    explanation="Equation (9.13): three problems, each solved by counting.",
)  # fmt: skip


def normal_belief(x, sigma, mu_0, tau):
    precision = 1 / tau**2 + len(x) / sigma**2
    mean = (mu_0 / tau**2 + np.sum(x) / sigma**2) / precision
    return mean, precision**-0.5


task("9.5", "Two precisions", normal_belief, what="Mean and standard deviation", names="mean, sd",
    cases=[
        (np.array([11.0, 13, 14, 15, 17]), 2.0, 10.0, 3.0),
        (np.array([1.5, -0.5, 4.2]), 0.7, 1.0, 2.5),
        (np.array([5.3]), 3.0, -1.0, 0.4),
        (np.array([]), 2.0, 3.0, 1.7),
        (np.array([0.2, 0.9, 0.4, 1.8, 0.6, 0.3]), 1.3, 0.5, 0.8),
    ],
    start="How precise is the prior, and how precise is each datum?",
    hints=[
        "What is the precision of the prior, and what is that of one datum? Which total do N data bring?",
        "precision = 1/tau**2 + len(x)/sigma**2; the mean is (mu_0/tau**2 + sum(x)/sigma**2)/precision, "
        "np.sum([]) is 0.",
    ],
    slips="""
        precision = => sigma, tau = tau, sigma; precision = | You exchanged sigma and tau: tau belongs to the prior,
            sigma to the data.
        precision = => sigma, tau = sigma**0.5, tau**0.5; precision = | A precision is one over the variance: square
            sigma and tau.
        precision**-0.5 => 1 / precision | That is the variance. Asked is the standard deviation: take the root.
        precision**-0.5 => precision     | That is the precision. The standard deviation is its root, inverted.
        precision**-0.5 => np.hypot(precision**-0.5, sigma) | That is the spread of the next value. Asked is that of the
            mean.
        len(x) / sigma => min(len(x), 1) / sigma ;; np.sum(x) => np.sum(x) / max(len(x), 1) | Each datum brings a
            precision of its own: N / sigma**2.
        (mu_0 / tau**2 + np.sum(x) / sigma**2) / precision => (mu_0 + np.sum(x)) / (1 + len(x)) | You count the prior as
            one datum. Its weight is the precision 1/tau**2.
        mu_0 / tau**2 + np.sum(x) / sigma**2 => mu_0 / sigma**2 + np.sum(x) / tau**2 | The precision 1/tau**2 belongs to
            mu_0, and 1/sigma**2 to the data: you exchanged them.
        np.sum(x) => np.sum(x) / max(len(x), 1) | The data weigh N/sigma**2 in all: use their sum, or N times their
            mean.
        mu_0 / tau**2 + =>               | mu_0 is missing in the mean: it has the weight 1/tau**2.
        / sigma**2) / precision => / sigma**2) | Divide the weighted sum by the precision.
        precision**-0.5 => 1 / (1 / tau + len(x) / sigma) | Precisions add, one over the variance each. Take the root at
            the end.
        return mean, precision**-0.5 => return (np.mean(x), sigma / len(x) ** 0.5) if len(x) else (mu_0, tau) | The
            prior is missing: add its precision 1/tau**2, and its mean with that weight.
        """,
    right="Right. The prior is worth sigma^2/tau^2 data.",
    explanation="Equation (9.23). Without data the prior stays.",
)  # fmt: skip

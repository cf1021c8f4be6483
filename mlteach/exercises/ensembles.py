"""Tasks and exercises of chapter 13: votes, the variance of a mean, bags, points left out, boosting, a cascade."""

import numpy as np

from mlteach.exercises.base import Wrong
from mlteach.exercises.tasks import number, task

task("13.a", "Three unequal voters",
    start="Which outcomes have at least two voters right?",
    hints=[
        "All three right has the chance 0.6 * 0.7 * 0.9. Three more outcomes have exactly one voter wrong.",
        "Exactly one wrong: 0.4 * 0.7 * 0.9 + 0.6 * 0.3 * 0.9 + 0.6 * 0.7 * 0.1.",
        "0.378 + 0.252 + 0.162 + 0.042.",
    ],
    answer=number("The chance", "0.6 * 0.7 * 0.9 + 0.4 * 0.7 * 0.9 + 0.6 * 0.3 * 0.9 + 0.6 * 0.7 * 0.1",
        to=0.0006, slips="""
        0.378    | This is the chance that all three are right; two of three are a majority as well.
        0.456    | This is the chance of exactly two right; three right are a majority as well.
        0.988    | This is the chance that at least one is right; a majority needs two.
        0.166    | This is the chance that the majority is wrong; that it is right is wanted.
        0.8246   | You gave all three voters the mean chance; their chances differ, so add up the four outcomes.
        2.2 / 3  | This is the mean of the three chances; a majority is right when two or three of them are.
        0.9      | This is the best voter alone; the majority of all three is wanted.
        0.7      | This is the middle voter alone; the majority of all three is wanted.
        0.784    | You gave every voter the chance 0.7; their chances are 0.6, 0.7 and 0.9.
        0.252    | This is one outcome of four: only the first voter wrong. Add the other three.
        0.162    | This is one outcome of four: only the second voter wrong. Add the other three.
        0.042    | This is one outcome of four: only the third voter wrong. Add the other three.
        1.59     | You counted 'all three right' three times; each pair contains it.
        0.53 | That is the mean of the three products of pairs. Add the four ways in which two or three are right.
        0.154 | That is exactly one right voter. A majority has two or three.
        0.63 | Two of the four ways are missing: each pair may be right, and all three.
        0.582 | One of the four ways is missing: only the first voter wrong.
        0.672 | One of the four ways is missing: only the second voter wrong.
        0.792 | One of the four ways is missing: only the third voter wrong.
        1.968 | In the three ways with two right the third voter is wrong: multiply by that chance, too.
        1.212 | The pairs contain all three voters each: subtract their product twice.
        """),
    right="Right, and less than the 0.9 of the best voter alone: equal votes waste the better voice.",
    explanation="0.378 + 0.252 + 0.162 + 0.042 = 0.834: less than the 0.9 of the best voter alone.",
)  # fmt: skip

task("13.b", "How many predictors?",
    start="Which part of (13.5) does not fall with n?",
    hints=[
        "The part that stays is 0.2 * 9 = 1.8, the part that falls 0.8 * 9 / n = 7.2 / n.",
        "For n = 12 add 7.2 / 12. Then solve 1.8 + 7.2 / n = 2.2 for n.",
        "1.8 + 0.6, and 7.2 / 0.4.",
    ],
    variance=number("The variance", "0.2 * 9 + (1 - 0.2) * 9 / 12", to=0.006, slips="""
        9 / 12               | This is the variance for independent predictors; ρ is 0.2.
        0.6                  | You left out the part that does not fall: ρσ² = 1.8 stays whatever n is.
        1.8                  | This is the limit for many predictors; for twelve add (1 - ρ)σ²/12.
        0.15 + 7.2           | You divided the wrong part by n: the part with 1 - ρ falls, the part with ρ stays.
        0.2 * 81 + 0.8 * 81 / 12 | You squared the 9; it is the variance σ² already.
        0.2 * 3 + 0.8 * 3 / 12   | You used the deviation σ = 3; the variance σ² = 9 is wanted.
        2.4**0.5             | This is the deviation of the mean; its variance is wanted.
        1.8 + 9 / 12         | The second part has the factor 1 - ρ: it is 0.8 * 9 / 12.
        1.8 + 7.2 / 144      | The second part is divided by n, not by n².
        9                    | This is the variance of one predictor; the mean of twelve is wanted.
        2.4 / 12             | You divided by n once more; (13.5) is already the variance of the mean.
        9 * (1 + 11 * 0.2)   | This is 12 times too much: divide (1 + 11ρ)σ² by n = 12.
        345.6 | That is the variance of the sum. Divide by n² for the mean.
        0.9 | The correlated part is not divided by n: ρσ² stays.
        1.08 | ρ is the correlation itself: do not square it.
        """),
    n=number("n", "(1 - 0.2) * 9 / (2.2 - 0.2 * 9)", to=0.01, slips="""
        17        | With 17 the variance is 1.8 + 7.2/17 = 2.22, still above 2.2.
        19        | At most 2.2 allows 2.2 itself: there is a smaller n.
        4         | With 4 the variance is 3.6. You left out the part that does not fall: ρσ² = 1.8 stays.
        5         | With 5 the variance is 3.24. You left out the part that does not fall: ρσ² = 1.8 stays.
        9 / 2.2   | You left out the part that does not fall: ρσ² = 1.8 stays. And n is a whole number.
        7.2 / 2.2 | You left out the part that does not fall: ρσ² = 1.8 stays. And n is a whole number.
        23        | The falling part is 0.8 * 9 / n = 7.2 / n, not 9 / n.
        22.5      | The falling part is 0.8 * 9 / n = 7.2 / n, not 9 / n. And n is a whole number.
        6         | With 6 the variance is 3. For 2.2, 7.2 / n has to be 0.4 or less.
        36        | With 36 the variance is 2, well below 2.2: there is a smaller n.
        """),
    right="Right. No n brings it below 1.8: only a smaller ρ does.",
    explanation="1.8 + 7.2/12 = 2.4. At most 2.2 means 7.2/n at most 0.4, so n is at least 18.",
)  # fmt: skip

OUT = (7 / 8) ** 8

task("13.c", "A small bag",
    start="What is the chance that one draw misses the point?",
    hints=[
        "One draw misses it with chance 7/8, and the eight draws are independent.",
        "So it is left out with chance (7/8)**8. Each of the eight points is in with one minus that.",
        "(7/8)**8, and 8 * (1 - (7/8)**8).",
    ],
    chance=number("The chance", "(7 / 8)**8", to=0.0011, slips="""
        0.0024 | That is the chance that all eight draws differ. Asked is that one point is never drawn.
        0.125**8 | That is the chance that one point is drawn each time. It is missed with chance 7/8 a draw.
        np.exp(-1) | 1/e is the limit for many points; here there are eight.
        0.37       | 1/e is the limit for many points; here there are eight.
        1 - OUT    | This is the chance that the point is in the sample; that it is left out is wanted.
        0.632      | This is the limit of the share that is in, for many points; the chance of being left out is wanted.
        7 / 8      | This is the chance that one draw misses it; all eight draws have to.
        1 / 8      | This is the chance that one draw takes it; all eight draws have to miss it.
        0          | Draws with replacement may take a point twice, so others are left out.
        0.875**7   | There are eight draws, so eight factors 7/8.
        """),
    distinct=number("The number of different points", "8 * (1 - (7 / 8)**8)", to=0.006, slips="""
        8 * OUT              | This is the mean number of points left out; those in the sample are wanted.
        1 - OUT              | This is the share; the number of different points is eight times as large.
        8 * (1 - np.exp(-1)) | You used 1 - 1/e, the limit for many points; here there are eight.
        8                    | Eight draws with replacement seldom give eight different points.
        5                    | The mean is asked for, with three digits; it is no whole number.
        7                    | Each point is in with the chance 1 - (7/8)^8, not 7/8.
        """),
    right="Right: eight draws show a bit more than five different points.",
    explanation="(7/8)^8 = 0.3436 and 8 (1 - 0.3436) = 5.251: a bit more than five different points of eight.",
)  # fmt: skip

task("13.d", "Out of the bag by hand",
    start="Which trees may vote on point C?",
    hints=[
        "Only trees that drew a point zero times vote on it. On C these are trees 2, 3 and 4, and they say +, +, -.",
        "Point E was in every bag, so nobody may vote on it: it does not count at all.",
        "A +, B + (wrong), C +, D +, F + (wrong): two wrong of five.",
    ],
    answer=number("The out-of-bag error", "2 / 5", to=0.0011, slips="""
        0       | You let all five trees vote on every point. A tree may vote only on points that it did not draw.
        1 / 3   | You divided by all six points. Nobody may vote on E, so five points count.
        0.5     | You counted E as a mistake. Nobody may vote on it, so it does not count at all.
        5 / 11  | You counted single votes from outside the bags, 5 wrong of 11. Take a majority for each point first.
        13 / 30 | This is the mean of the trees' own errors outside their bags. Take a vote for each point first.
        1 / 19  | You let each tree vote on the points that it drew; the others are wanted.
        0.2     | One of the mistakes is missing, or all votes were counted: look at B and at F.
        4 / 6   | Two votes are wrong, on B and on F, and E has none: two of five.
        0.6     | This is the share of right points; the error is wanted.
        2       | This is the number of mistakes; divide it by the number of points that have a vote.
        0.8 | A point is a mistake if the sum of its votes is wrong, or zero, not if a single vote is.
        1 / 6 | E was in every bag and has no vote: five points count. And a tie counts as a mistake.
        0.25 | A point with one vote counts too: five points have votes.
        """),
    right="Right. The vote of all trees makes no mistake here, and is far too proud of itself.",
    explanation="Votes from outside the bag: A, B (one vote each), C, D, F (2 to 1) all get +. B and F are wrong, 2/5.",
)  # fmt: skip

W = np.array([0.10, 0.20, 0.30, 0.15, 0.25])
ALPHA = float(np.log(0.65 / 0.35))


def pair(rate, w=W, wrong=(1, 3)):
    """Return the new weights of points 1 and 2 if those of the wrong points are multiplied by exp(rate)."""
    new = w * np.where(np.isin(np.arange(5), wrong), np.exp(rate), 1)
    return tuple(new[:2] / new.sum())


task("13.e", "One round of AdaBoost",
    start="Which weights does the weighted error add up?",
    hints=[
        "Points 2 and 4 are wrong: their weights add up to 0.35. Then (13.11) gives alpha.",
        "Multiply the weights of 2 and 4 by e^alpha = 0.65 / 0.35, then divide all five by their sum.",
        "The sum is 1.3: point 1 gets 0.1 / 1.3, point 2 gets 0.2 * (0.65 / 0.35) / 1.3.",
    ],
    slips="""
        (0.35, ALPHA, 0.1, 0.2 * 0.65 / 0.35) | Divide the new weights by their sum, 1.3, so that they sum to one again.
        (0.35, ALPHA, *pair(ALPHA, W, (0, 2, 4))) | You raised the weights of the points that are right; raise the wrong
            ones.
        (0.35, ALPHA, *pair(ALPHA / 2))       | The wrong weights are multiplied by e^alpha; you used e^(alpha/2).
        (0.35, ALPHA, *pair(2 * ALPHA))       | You used e^alpha twice. The wrong weights are multiplied by e^alpha and
            the right ones stay.
        (0.35, ALPHA, *pair(np.log(ALPHA)))   | The wrong weights are multiplied by e^alpha, not by alpha.
        (0.35, ALPHA, *pair(np.log(1.5), np.full(5, 0.2))) | You started from equal weights; the given ones count.
        (0.35, ALPHA, 0.1, 0.2)               | These are the old weights.
        (0.35, ALPHA, 0.1 * 0.35 / 0.65, 0.2) | You lowered the right ones by e^(-alpha); now divide by the sum.
        (0.35, ALPHA, 0.2 / 0.7, 0.1 / 1.3)   | Exchange the two: point 1 was right, so its weight falls.
        (0.35, ALPHA, 0.1 * np.exp(-ALPHA / 2), 0.2 * np.exp(ALPHA / 2)) | Divide the new weights by their sum, so that
            they sum to one again.
        """,
    eps=number("The weighted error", "0.20 + 0.15", to=0.0011, slips="""
        0.4   | You counted points, two of five; the weighted error adds up their weights.
        0.65  | This is the weight of the points that are right; the error adds up the wrong ones.
        0.175 | Do not divide by the number of wrong points: their weights add up.
        0.07  | Do not divide by the number of points: the weights sum to one already.
        0.2   | Two points are wrong, 2 and 4.
        0.15  | Two points are wrong, 2 and 4.
        0.55  | You counted the points from 0; the first point, with the weight 0.10, is point 1.
        """),
    alpha=number("alpha", "np.log((1 - 0.35) / 0.35)", to=0.0006, slips="""
        ALPHA / 2            | (13.11) has no factor 1/2 in this chapter: alpha = ln((1 - eps)/eps).
        -ALPHA               | The fraction is upside down: (1 - eps) / eps.
        0.65 / 0.35          | This is (1 - eps) / eps; alpha is its natural logarithm.
        np.log10(0.65 / .35) | You took the logarithm with base 10; the natural one is wanted.
        np.log2(0.65 / 0.35) | You took the logarithm with base 2; the natural one is wanted.
        np.log(1.5)          | You used the share of wrong points, 0.4; the weighted error is 0.35.
        """),
    first=number("The new weight of point 1", "0.1 / (0.65 + 0.35 * 0.65 / 0.35)", to=0.0011, slips="""
        0.1      | That is the old weight. Point 1 is right, so only the sum changes: divide by 1.3.
        0.1 / 0.65 | That is its share among the right points alone; divide by the sum of all, 1.3.
        0.05 | Halving keeps the sum at less than one: divide by the sum of all new weights.
        """),
    second=number("The new weight of point 2", "0.2 * 0.65 / 0.35 / (0.65 + 0.35 * 0.65 / 0.35)", to=0.0011, slips="""
        0.2 * 0.65 / 0.35 | Divide the new weight by the sum of all, 1.3.
        0.2 / 1.3         | Multiply the weight by e^alpha first, then divide by 1.3.
        0.2               | That is the old weight. Point 2 is wrong: times e^alpha, then divided by 1.3.
        0.2 / 0.35        | That is its share among the wrong points alone; they carry one half of the weight together.
        0.5 | Half the weight goes to all mistakes together; this point has its share of it.
        """),
    right="Right: points 2 and 4 now carry one half of the weight together.",
    explanation="""
        eps = 0.35, alpha = ln(0.65/0.35) = 0.619. The wrong weights now total one half: 0.2/0.7 for point 2; the right
        ones total the other half: 0.1/1.3 for point 1.""",
)  # fmt: skip

EXACT = np.log(60) / -np.log(2 * np.sqrt(0.35 * 0.65))

task("13.f", "Rounds until nothing is wrong",
    start="Below which value must the bound fall, if errors come in steps of 1/60?",
    hints=[
        "Each round multiplies the bound by 2 sqrt(0.35 * 0.65) = 0.9539.",
        "An error below 1/60 is zero: solve 0.9539**M < 1/60.",
        "M > ln(60) / -ln(0.9539) = 86.8.",
    ],
    answer=number("M", "int(np.ceil(np.log(60) / -np.log(2 * np.sqrt(0.35 * (1 - 0.35)))))", to=0.01, slips="""
        86    | After 86 rounds the bound is still above 1/60: round up.
        EXACT | Rounds are whole numbers: take the next one.
        86.8  | Rounds are whole numbers: take the next one.
        91    | This comes from the weaker bound (13.16) with γ = 0.15; the product (13.15) allows fewer rounds.
        90    | This comes from the weaker bound (13.16) with γ = 0.15; the product (13.15) allows fewer rounds.
        46    | You used exp(-4γ²) for a round; with (13.15) a round gives the factor 2 sqrt(ε(1 - ε)).
        88    | After 87 rounds the bound is below 1/60 already.
        4     | You multiplied by ε itself in each round; the factor is 2 sqrt(ε(1 - ε)) = 0.954.
        6     | You left out the factor 2 or the root: each round multiplies the bound by 2 sqrt(ε(1 - ε)).
        44    | You squared the factor of a round: each round multiplies the bound by 2 sqrt(ε(1 - ε)).
        3     | You left out the root and the factor: each round multiplies the bound by 2 sqrt(ε(1 - ε)).
        45    | That answer belongs to N = 50 and ε = 0.3; here N = 60 and ε = 0.35.
        15    | The bound must fall below one point in 60, that is 1/60, not below one half.
        60 | That is the number of points. The bound must fall below 1/60.
        17 | The edge is 1/2 minus the error, 0.15, not the error itself.
        14 | The edge stands squared in (13.16): e^(-2γ²) a round.
        38 | Both logarithms need the same base.
        12 | You took twice the error as the factor of a round: it is 2 sqrt(ε(1 - ε)).
        102 | One mistake of 60 is an error of 1/60, not of 1/120.
        182 | The bound has its exact factor 2√(ε(1 - ε)), or e^(-2γ²): a factor 2 is missing in the exponent.
        """),
    right="Right. It is a guarantee for the worst case; the truth is usually far quicker.",
    explanation="ln 60 / -ln(2 sqrt(0.35 * 0.65)) = 86.8, so 87 rounds make the bound smaller than one point in 60.",
)  # fmt: skip

task("13.g", "What a cascade costs",
    start="Which share of all cases does each stage see, and which share does it keep?",
    hints=[
        "Stage 1 sees everything, stage 2 sees 0.2, stage 3 sees 0.2 * 0.25 = 0.05 of all cases.",
        "Cost: each stage costs for what it sees. Accuracy: each stage counts for what it keeps: 0.8, 0.15, 0.05.",
        "2 + 0.2 * 15 + 0.05 * 300, and 0.8 * 0.98 + 0.15 * 0.95 + 0.05 * 0.9.",
    ],
    cost=number("The cost", "2 + 0.2 * 15 + 0.2 * 0.25 * 300", to=0.01, slips="""
        18.85    | A case in stage 3 has paid for stages 1 and 2 as well: charge each stage for what it sees.
        80       | Stage 3 gets 25 % of what stage 2 gets, 0.2 * 0.25 = 0.05 of all cases.
        18       | Every case pays for stage 1, too.
        317      | Not every case pays for every stage: most stop early.
        300      | Most cases never reach stage 3.
        239      | Stage 1 passes on 20 %, and keeps 80 %; stage 2 passes on 25 % of what it gets.
        194      | You passed on what each stage keeps; it passes on 20 %, then 25 %.
        140      | The shares multiply: 0.2 * 0.25 of all cases reach stage 3.
        5        | Your sum lacks the third stage: 5 % of all cases reach it.
        17       | Your sum lacks the second stage: 20 % of all cases reach it.
        20 / 317 | The mean cost of a case is wanted, in the units given, not a share.
        317 / 3 | Not every case sees all stages: 20 % reach the second, 5 % the third.
        65 | The third stage gets 25 % of what the second gets: 0.2 x 0.25 of all.
        """),
    accuracy=number("The accuracy", "0.8 * 0.98 + 0.2 * 0.75 * 0.95 + 0.2 * 0.25 * 0.9", to=0.0006, slips="""
        0.98 * 0.95 * 0.9        | A case is judged by one stage only, so the accuracies do not multiply.
        (0.98 + 0.95 + 0.9) / 3  | Weigh each stage by the share of cases that it keeps: 0.8, 0.15 and 0.05.
        0.98 + 0.2 * .95 + .05 * .9 | Weigh each stage by what it keeps (0.8, 0.15, 0.05), not what it sees.
        0.8 * 0.98 + 0.2 * 0.95  | Stage 2 keeps only three quarters of the 20 %; stage 3 judges the rest.
        0.8 * 0.98 + 0.2 * 0.9   | Stage 2 keeps three quarters of the 20 %: weigh it by 0.15.
        0.8 * 0.98 + 0.2 * 0.95 + 0.05 * 0.9 | Stage 2 keeps 0.15 of all cases, not 0.2.
        0.8 * 0.98 + 0.15 * 0.95 | Your sum lacks the third stage, which judges 0.05 of all cases.
        0.98 * (0.8 + 0.15 * 0.95 + 0.05 * 0.95 * 0.9) | A case is judged by one stage only: do not multiply the
            accuracies of the stages before it.
        1 - 0.9715               | This is the error; the accuracy is wanted.
        0.9                      | This is stage 3 alone; most cases are judged by stage 1.
        0.98                     | This is stage 1 alone; a fifth of the cases is judged later.
        0.9665 | The second stage passes on 25 % and keeps 75 % of what it gets: you exchanged them.
        """),
    right="Right: a fifteenth of the cost of stage 3 for everybody.",
    explanation="2 + 3 + 15 = 20 in place of 300, and 0.784 + 0.1425 + 0.045 = 0.9715.",
)  # fmt: skip


def best_vote(votes, p):
    weights = np.log(p / (1 - p))
    return 1 if np.sum(weights * votes) > 0 else -1


def a_sign(value):
    """Return a vote as it came, unless it is a number that is no vote."""
    if isinstance(value, (bool, np.bool_)):
        raise Wrong(f"Return the number +1 or -1; got {value}.")
    if isinstance(value, (int, float, np.number)) and value not in (1, -1):
        raise Wrong(f"The vote is +1 or -1; got {value:.4g}. Return the sign of the sum.")
    return value


task("13.1", "The best vote", best_vote, what="The vote", read=a_sign,
    cases=[
        (np.array([-1, -1, 1]), np.array([0.6, 0.7, 0.9])),
        (np.array([1, 1, -1]), np.array([0.6, 0.7, 0.9])),
        (np.array([-1, 1, -1]), np.array([0.86, 0.9, 0.68])),
        (np.array([1, 1, -1]), np.array([0.12, 0.91, 0.75])),
        (np.array([-1, 1, 1, -1, 1]), np.array([0.82, 0.66, 0.93, 0.92, 0.06])),
        (np.array([1, 1, 1, 1]), np.array([0.74, 0.66, 0.07, 0.65])),
        (np.array([-1, -1, 1, 1, 1]), np.array([0.75, 0.7, 0.65, 0.55, 0.6])),
        (np.array([1, -1, -1, -1]), np.array([0.999, 0.9, 0.9, 0.9])),
        (np.array([1, -1, -1]), np.array([0.85, 0.7, 0.7])),
        (np.array([-1, 1, 1]), np.array([0.97, 0.86, 0.85])),
        (np.array([1, -1, -1]), np.array([0.98, 0.91, 0.8])),
    ],
    start="Which weight does (13.3) give a voter who is right with chance p?",
    hints=[
        "Add up ln(p / (1 - p)) times the vote; the sign of the sum is the answer.",
        "np.log(p / (1 - p)) gives all weights at once; multiply by votes and sum.",
    ],
    slips="""
        np.log(p / (1 - p)) => abs(p - 0.5) | You weigh each vote by |p - 1/2|; (13.3) has the log-odds, with their
            sign.
        np.sum(weights * votes) => votes[np.argmax(abs(p - 0.5))] * np.sign(p - 0.5)[np.argmax(abs(p - 0.5))] | You
            follow the most certain voter alone; several weaker ones together may know more.
        np.log(p / (1 - p)) => -np.log(1 - p) | You weigh each vote by -ln(1 - p); (13.3) has ln(p / (1 - p)).
        np.log(p / (1 - p)) => np.log(np.clip(p, 0.1, 0.9) / (1 - np.clip(p, 0.1, 0.9))) | You clip p: a voter who is
            almost sure counts by its full log-odds.
        np.log(p / (1 - p)) => np.log(np.clip(p, 0.01, 0.99) / (1 - np.clip(p, 0.01, 0.99))) | You clip p: a voter who
            is almost sure counts by its full log-odds.
        np.log(p / (1 - p)) => 1           | You count votes and ignore p: weigh each vote by (13.3).
        np.log(p / (1 - p)) => p           | You weigh each vote by p; (13.3) weighs it by the log-odds ln(p / (1 - p)).
        np.log(p / (1 - p)) => p - 0.5     | You weigh each vote by p - 1/2, or by 2p - 1; (13.3) has the log-odds
            ln(p / (1 - p)).
        np.log(p / (1 - p)) => p / (1 - p) | You weigh each vote by its odds; (13.3) takes their logarithm.
        np.log(p / (1 - p)) => np.log(p)   | You weigh each vote by ln p; (13.3) has ln(p / (1 - p)).
        np.log(p / (1 - p)) => abs(np.log(p / (1 - p))) | A voter below one half counts against its own vote: do not
            take the weight's absolute value.
        np.log(p / (1 - p)) => np.maximum(np.log(p / (1 - p)), 0) | A voter below one half is worth hearing: the
            opposite of its vote counts.
        np.log(p / (1 - p)) => np.sign(p - 0.5) | You turn the votes below one half, and then count all alike: weigh
            each vote by (13.3).
        np.sum(weights * votes) => votes[np.argmax(p)] | You follow the best voter alone; several weaker ones together
            may know more.
        > 0 => < 0 | The sign is the wrong way round.
        """,
    right="Right. It is the vote that Bayes' rule would cast, if the voters err independently.",
)  # fmt: skip


def oob_error(in_bag, votes, y):
    out = in_bag == 0
    total = (votes * out).sum(axis=0)
    voted = out.any(axis=0)
    return np.mean((total * y <= 0)[voted])


def oob_case(seed, B, N, skill):
    rng = np.random.default_rng(seed)
    in_bag = np.array([np.bincount(rng.integers(0, N, N), minlength=N) for _ in range(B)])
    y = np.where(rng.uniform(size=N) < 0.5, 1, -1)
    votes = np.where((rng.uniform(size=(B, N)) < skill) | ((in_bag > 0) & (rng.uniform(size=(B, N)) < 0.7)), y, -y)
    return in_bag, votes, y


def oob_cases():
    drawn = [[1, 2, 1, 0, 2, 0], [1, 1, 0, 1, 1, 2], [0, 2, 0, 0, 1, 3], [2, 3, 0, 0, 1, 0], [1, 0, 2, 1, 2, 0]]
    said = ["+++--+", "+-++--", "+-++--", "+--+-+", "++++--"]  # the table of 13.d
    votes, y = (np.array([[1 if c == "+" else -1 for c in row] for row in rows]) for rows in (said, ["+-++--"]))
    return [(np.array(drawn), votes, y[0]), oob_case(1, 4, 20, 0.5), oob_case(2, 7, 25, 0.6), oob_case(3, 2, 30, 0.7)]


task("13.2", "Out of the bag, by program", oob_error, cases=oob_cases, what="The out-of-bag error",
    start="Which entries of votes may be counted?",
    hints=[
        "out = in_bag == 0 marks the votes that count; (votes * out).sum(axis=0) is the balance of each point.",
        "A point is wrong when balance * y <= 0, and counts only if out.any(axis=0).",
        "np.mean((balance * y <= 0)[out.any(axis=0)]).",
    ],
    slips="""
        (votes * out).sum => votes.sum ;; [voted] => | You let every tree vote on every point; only those that did not
            draw it may.
        (votes * out).sum => votes.sum | You let every tree vote on every point; only those that did not draw it may.
        in_bag == 0 => in_bag > 0 | You count the trees that drew the point; those that did not are wanted.
        in_bag == 0 => in_bag > 0 ;; [voted] => | You count the trees that drew the point; those that did not are
            wanted.
        votes * out => votes * (in_bag > 0) | You count the trees that drew the point; those that did not are wanted.
        votes * out => votes * in_bag ;; [voted] => | You weigh votes by the number of draws; only trees with no draw of
            the point vote.
        votes * out => votes * (1 - in_bag) | 1 - in_bag is negative for a point drawn twice: test in_bag == 0.
        out.any(axis=0) => total != 0 | You leave tied points out; the task counts a tie as a mistake.
        np.mean => np.sum | This is the number of mistakes; divide it by the number of points that have a vote.
        np.mean => 1 / len(y) * np.sum | You divide by all points; those that every tree drew do not count.
        [voted] => | Points that every tree drew have no vote; they do not count at all.
        (total * y <= 0)[voted] => (votes != y)[out] | You count single votes; take the majority for each point first.
        np.mean((total * y <= 0)[voted]) => np.mean([np.mean((v != y)[o]) for v, o in zip(votes, out) if o.any()]) | You
            average the errors of single trees; take the majority for each point first.
        <= 0 => < 0 | You count a tie as right; the task counts it as a mistake.
        total * y <= 0 => np.where(total >= 0, 1, -1) != y | A tie counts as a mistake whatever the label is; you decide
            it for +1.
        total * y <= 0 => np.where(total > 0, 1, -1) != y | A tie counts as a mistake whatever the label is; you decide
            it for -1.
        in_bag == 0 => in_bag != 1 | in_bag counts draws: a point drawn twice is in the bag as well. Test for 0.
        <= 0 => > 0 | This is the accuracy; the error is wanted.
        np.mean((total * y <= 0)[voted]) => np.mean(((votes != y) & out).any(axis=0)[voted]) | A point is a mistake if
            the sum of its votes is wrong, or zero, not if a single vote is.
        out = in_bag == 0 => out = (in_bag == 0) & (in_bag == 0).all(axis=0) | A point votes in each tree that did not
            draw it; it need not be missed by all trees.
        """,
    right="Right. Every point is judged by trees that have never seen it, and no test set was spent.",
)  # fmt: skip


def margins(H, eps, t):
    alpha = np.log((1 - eps) / eps)
    return t * (alpha @ H) / alpha.sum()


def margin_cases():
    rng = np.random.default_rng(13)
    stumps = np.array([[1] * 3 + [-1] * 7, [1] * 9 + [-1], [-1] * 6 + [1] * 4])
    cases = [(stumps, np.array([0.3, 3 / 14, 2 / 11]), np.array([1, 1, 1, -1, -1, -1, 1, 1, 1, -1]))]
    for rounds, n in ((5, 4), (2, 7)):
        H, eps = np.where(rng.uniform(size=(rounds, n)) < 0.5, 1, -1), rng.uniform(0.05, 0.45, rounds)
        cases.append((H, eps, np.where(rng.uniform(size=n) < 0.5, 1, -1)))
    return cases


task("13.3", "Margins", margins, cases=margin_cases, what="The list of margins",
    start="Which weights do the errors eps give to the rounds?",
    hints=[
        "alpha = np.log((1 - eps) / eps), and alpha @ H is the weighted vote f of every point.",
        "Multiply by the labels t, and divide by the sum of alpha (13.17).",
    ],
    slips="""
        / alpha.sum() => | Divide by the sum of alpha: margins lie between -1 and 1.
        alpha.sum() => len(eps) | You divide by the number of rounds; divide by the sum of alpha.
        alpha.sum() => len(t) | You divide by the number of points; divide by the sum of alpha.
        np.log((1 - eps) / eps) => np.ones(len(eps)) | You weigh all rounds equally; round m has the weight alpha_m.
        np.log((1 - eps) / eps) => 1 - eps | You weigh the rounds by 1 - eps; the weight is alpha = ln((1 - eps) / eps).
        np.log((1 - eps) / eps) => eps | You weigh the rounds by eps, so the worst counts most; the weight is
            alpha = ln((1 - eps) / eps).
        np.log((1 - eps) / eps) => np.log(eps) | You weigh the rounds by ln eps; the weight is
            alpha = ln((1 - eps) / eps).
        np.log((1 - eps) / eps) => 0.5 - eps | You weigh the rounds by the edge 1/2 - eps; the weight is
            alpha = ln((1 - eps) / eps).
        np.log((1 - eps) / eps) => (1 - eps) / eps | You weigh the rounds by (1 - eps) / eps; alpha is its logarithm.
        t * (alpha => (alpha | Your margin lacks the label t: the margin is negative where the vote is wrong.
        (alpha @ H) / alpha.sum() => np.sign(alpha @ H) | You take the sign of the vote; the margin keeps its size.
        t * (alpha => abs(alpha | You take the absolute value: where the vote is wrong the margin is negative.
        t * (alpha => -t * (alpha | The sign is wrong: alpha is ln((1 - eps) / eps).
        t * (alpha @ H) / alpha.sum() => (t * (alpha @ H) / alpha.sum()).min() | You return the least margin; the
            margins of all points are wanted.
        / alpha.sum() => / np.sqrt(np.sum(alpha**2)) | Divide by the sum of the weights, not by their length: a margin
            of 1 means that all agree.
        t * (alpha @ H) => alpha @ (H == t) | That is the share of the say that is right, from 0 to 1. The margin
            subtracts the wrong share.
        """,
    right="Right. On the ten points the least margin after three rounds is 0.176.",
)  # fmt: skip


def best_stump_1d(x, t, w):
    values = np.unique(x)
    best = None
    for threshold in (values[:-1] + values[1:]) / 2:
        for side in (1, -1):
            h = np.where(x > threshold, side, -side)
            error = np.sum(w[h != t])
            if best is None or error < best[2]:
                best = threshold, side, error
    return best


def stump_cases():
    rng = np.random.default_rng(4)
    t = np.array([1, 1, 1, -1, -1, -1, 1, 1, 1, -1])
    second = np.array([1 / 14] * 6 + [1 / 6] * 3 + [1 / 14])
    third = np.array([1 / 22] * 3 + [1 / 6] * 3 + [7 / 66] * 3 + [1 / 22])
    cases, shuffled = [(np.arange(10.0), t, second)], rng.permutation(10)
    cases += [(np.arange(10.0)[shuffled] * 3 - 4, sign * t[shuffled], third[shuffled]) for sign in (1, -1)]
    for n in (7, 12):
        w = rng.uniform(0.5, 2, n)
        cases.append((rng.integers(0, 6, n) * 0.7 + 1, np.where(rng.uniform(size=n) < 0.5, 1, -1), w / w.sum()))
    return [*cases, (np.array([2.0, 5, 3, 9]), np.array([1, -1, 1, 1]), np.array([0.25, 0.1, 0.35, 0.3]))]


task("13.4", "The best weighted stump", best_stump_1d, cases=stump_cases, what="The stump",
    names="the threshold, the side, the error",
    start="Which thresholds need to be tried?",
    hints=[
        "One threshold between each two neighbouring different values of x (np.unique sorts them), and two sides.",
        "h = np.where(x > threshold, side, -side); its weighted error is w[h != t].sum().",
        "Keep the triple (threshold, side, error) with the smallest error.",
    ],
    slips="""
        (values[:-1] + values[1:]) / 2 => [(values[0] + values[-1]) / 2] | You try one threshold. Try the middle of
            each pair of neighbours.
        (values[:-1] + values[1:]) / 2 => ((values[:-1] + values[1:]) / 2)[1:] | The first threshold is missing.
        (values[:-1] + values[1:]) / 2 => ((values[:-1] + values[1:]) / 2)[:-1] | The last threshold is missing.
        np.sum(w[h != t]) => np.sum(w[h != t] ** 2) | The error is the sum of the weights of the mistakes, not of their
            squares.
        np.sum(w[h != t]) => np.mean(h != t) | You ignore the weights w: a mistake costs the weight of its point.
        np.sum(w[h != t]) => np.sum(h != t) | You ignore the weights w: a mistake costs the weight of its point.
        (1, -1) => (1,) | You try only one side; a stump may say +1 below its threshold as well.
        (1, -1) => (-1,) | You try only one side; a stump may say +1 above its threshold as well.
        (values[:-1] + values[1:]) / 2 => values[:-1] | Put the threshold halfway between two neighbouring values, not
            on one of them.
        np.unique(x) => x | Sort x before you take neighbours: the points come in any order.
        np.unique(x) => np.sort(x) | Repeated values of x are one value: a threshold lies between two different ones
            (np.unique).
        values = np.unique(x) => x = np.sort(x); values = np.unique(x) | You sorted x alone; the labels t and the
            weights w have to keep to their points.
        (values[:-1] + values[1:]) / 2: => [values[0] - 1, *(values[:-1] + values[1:]) / 2, values[-1] + 1]: | You try a
            threshold beyond all values; the task wants those between two of them.
        return best => return *best[:2], np.mean(np.where(x > best[0], best[1], -best[1]) != t) | Your error is the
            share of wrong points; add up their weights.
        return best => return best[0], -best[1], best[2] | The side is the label above the threshold; you return the one
            below.
        error < best[2] => error > best[2] | You found the largest error; the smallest is wanted.
        """,
    right="Right. On the ten points, in the second round, it is the stump at 8.5 of the text.",
)  # fmt: skip

"""Tasks and exercises of chapter 11: products, posteriors, paths, costs, weights, counts, and a probit."""

from statistics import NormalDist

import numpy as np

from mlteach.exercises.base import Wrong, brief, call, exercise, truth
from mlteach.exercises.slips import wrong_values
from mlteach.exercises.tasks import number, task


def rounded(right, table):
    """Return the mistakes of a table, also rounded to three or two digits where they could be no other value."""
    known = wrong_values(table, globals())
    taken = [*known, *((float(f"{right:.{digits}g}"), "") for digits in (3, 2, 1))]
    for digits in (3, 2):
        for value, words in known[:]:
            rough = float(f"{value:.{digits}g}"), words
            if rough not in taken and not any(abs(rough[0] - v) <= 6e-3 * v and words != w for v, w in taken):
                known.append(rough)
                taken.append(rough)
    return known


CASE = 0.65 * 0.95 * 0.25 * 0.20 * 0.60 * 0.95

task("11.a", "A case of the meeting",
    start="Which row of each table of Figure 11.2 speaks of this case?",
    hints=[
        "Go through the boxes from the top. Each gives the chance of its own value, in the row of its parents' values.",
        "P(c) P(not j) P(r) P(l | c, not j, r) P(w | l) P(d | l), equation (11.3). No jam is 1 - 0.05.",
    ],
    answer=number("The joint probability", "0.65 * 0.95 * 0.25 * 0.20 * 0.60 * 0.95", rtol=3e-3, slips=rounded(CASE, """
        CASE / 0.20 * 0.85 | You took the row T T T of Late. Car, no jam, rain is the row T F T, 0.20.
        CASE / 0.20 * 0.10 | You took the row T F F of Late. Car, no jam, rain is the row T F T, 0.20.
        CASE / 0.25        | P(r) = 0.25 is missing; or you took 0.80 for Late, another row or the chance of being in
            time. Car, no jam, rain is the row T F T, 0.20.
        CASE / 0.20 * 0.60 | You took 0.60 for Late, a row of the bicycle, or 0.75, a dry day, for Rain. Car, no jam,
            rain is the row T F T, 0.20.
        CASE / 0.20 * 0.05 | You took 0.05 for Late, a row of the bicycle, or 0.15, the row of somebody in time, for
            Wait. Car, no jam, rain is the row T F T, 0.20.
        CASE / 0.95 * 0.05 | You took 0.05, the chance of a jam or of no demonstration. There is no jam, and she gives
            it: both 0.95.
        CASE / 0.65 * 0.35 | 0.35 is the chance of the bicycle. She goes by car: 0.65.
        CASE / 0.65 * 0.35 / 0.20 * 0.60 | You took the bicycle, with its chance 0.35 and its row of Late, 0.60. She
            goes by car: 0.65, and the row T F T, 0.20.
        CASE / 0.95 * 0.05 / 0.20 * 0.85 | You took a jam, with its chance 0.05 and its row of Late, 0.85. There is
            none: 0.95, and the row T F T, 0.20.
        0.02               | That is rounded too far: give three digits.
        CASE / 0.60 / 0.95 * 0.15 * 0.50 | For Wait and Demo you took the rows for somebody in time.
        CASE / 0.60 * 0.40 | 0.40 is the chance that the chairwoman does not wait.
        CASE / 0.95 * 0.50 | For Demo you took the row of somebody in time: P(d | l) is 0.95.
        0.20 * 0.60 * 0.95 | The parents are part of the case: multiply by P(c), P(not j) and P(r), too.
        CASE / 0.60 / 0.95 | Wait and Demo are part of the case: multiply by their chances given Late.
        CASE / 0.20        | The factor of Late itself is missing: P(l | c, not j, r).
        CASE / 0.60        | The factor of Wait is missing: P(w | l).
        CASE / 0.65        | The factor of Car is missing: P(c).
        CASE / 0.95        | A factor 0.95 is missing: that of Jam, P(not j), or that of Demo, P(d | l).
        0.65 + 0.95 + 0.25 + 0.20 + 0.60 + 0.95 | You added the factors. The chain rule multiplies them.
        0.00529921875      | That is the case of the text. Here it is the car, no jam, rain, late, and she waits.
        10 * CASE          | The digits are right, the decimal point is not: count the noughts.
        0.1 * CASE         | The digits are right, the decimal point is not: count the noughts.
        """)),
    right="Right. A case of six variables, and only six numbers were needed.",
    explanation="0.65 x 0.95 x 0.25 x 0.20 x 0.60 x 0.95 = 0.0176.",
)  # fmt: skip

ALARM, SILENT = 0.002 * 0.95 + 0.998 * 0.94, 0.002 * 0.29 + 0.998 * 0.001  # P(alarm) with a burglar, and without
THERE = 0.01 * ALARM / (0.01 * ALARM + 0.99 * SILENT)
HERE = 0.001 * ALARM / (0.001 * ALARM + 0.999 * SILENT)


def one_chance(answer):
    if isinstance(answer, dict) or np.size(answer) == 2:
        raise Wrong("Those are chances of both values, burglar and no burglar. Asked is one number, that of a burglar.")


task("11.b", "Another town", guard=one_chance,
    start="Which two cases compete once the alarm rings, and what is still hidden in both?",
    hints=[
        "Take the two lines of 11.3.1 and change what depends on P(b).",
        "With a burglar: 0.01 (0.002 x 0.95 + 0.998 x 0.94). Without: 0.99 (...). Then normalise (11.5).",
    ],
    answer=number("P(burglar | alarm)", "0.01 * ALARM / (0.01 * ALARM + 0.99 * SILENT)", rtol=1.2e-3,
        slips=rounded(THERE, """
        0.01 * ALARM                 | That is P(burglar and alarm), not yet divided by P(alarm).
        0.01 * ALARM + 0.99 * SILENT | That is P(alarm). Divide P(burglar and alarm) by it.
        1 - THERE                    | That is the chance that there is no burglar.
        HERE                         | That is the answer for the first town, P(b) = 0.001. Here it is 0.01.
        10 * HERE                    | Ten times the prior is not ten times the posterior. Normalise anew.
        THERE / (1 - THERE)          | Those are the odds. The probability is odds / (1 + odds).
        0.01 * ALARM / (0.01 * ALARM + 0.999 * SILENT) | Without a burglar the prior is now 0.99, not 0.999: the prior
            odds grow 10.09 times, not ten times.
        0.01 * 0.945 / (0.01 * 0.945 + 0.99 * 0.1455) | Earthquake and no earthquake are not equally likely: weigh the
            rows with 0.002 and 0.998.
        0.0094 / (0.0094 + 0.99 * 0.001) | You left the earthquake out. Sum over it in both lines.
        0.0095 / (0.0095 + 0.99 * 0.29)  | You took the earthquake as certain. Sum over both of its cases.
        ALARM                        | That is P(alarm | burglar), the other way round.
        """)),
    right="Right. The prior odds, 1 : 999 in the first town, are 1 : 99 here, about ten times as high, and so are the "
    "posterior odds: 0.37 becomes 0.86.",
    explanation="With a burglar 0.01 x 0.94002 = 0.0094002, without 0.99 x 0.001578 = 0.0015622; the share of the "
    "first is 0.857. The odds are about ten times those of Figure 11.1's town.",
)  # fmt: skip

STATEMENTS = (
    ("Asia and X-ray given Shadow", True, "the only path runs through Shadow, a chain there, and Shadow is given."),
    ("Tuberculosis and Cancer", True, "their paths meet in the colliders Shadow and ShortBreath, and nothing is "
     "given."),
    ("Tuberculosis and Cancer given X-ray", False, "X-ray is a descendant of the collider Shadow, and opens it."),
    ("Cancer and Bronchitis", False, "the fork at Smoker is open as long as Smoker is unknown."),
    ("X-ray and Bronchitis given Shadow and Smoker", True, "Shadow and Smoker block every path: look at each of them."),
)  # fmt: skip


@exercise(
    "11.c",
    "Five statements",
    start="Which paths join each pair, and is there a junction that blocks each of them?",
    hints=[
        "Chain and fork are blocked by an observed middle; a collider is blocked unless it or something below it is "
        "observed.",
        "In 2 one way collides at Shadow, the other at ShortBreath; in 3 X-ray lies below Shadow; in 4 look at Smoker.",
    ],
    solution=np.array([answer for _, answer, _ in STATEMENTS]),
    explanation="; ".join(f"{k}. {'true' if a else 'false'}: {why}" for k, (_, a, why) in enumerate(STATEMENTS, 1)),
)
def five_statements(answer):
    parts = answer.tolist() if isinstance(answer, np.ndarray) else answer
    if not isinstance(parts, (list, tuple)) or len(parts) != 5:
        raise Wrong(f"Five answers are wanted, a list of True and False; got {brief(answer)}.")
    if any(isinstance(part, str) for part in parts):
        raise Wrong(f"Write True or False, without quotation marks; got {brief(answer)}.")
    given = [truth(part, f"Answer {k}") for k, part in enumerate(parts, 1)]
    wrong = [k for k in range(5) if given[k] != STATEMENTS[k][1]]
    if len(wrong) == 5:
        raise Wrong("All five are the wrong way round: True means independent.")
    if wrong:
        raise Wrong(" ".join(f"Number {k + 1} ({STATEMENTS[k][0]}) is not right: {STATEMENTS[k][2]}" for k in wrong))
    return "Right. No number was needed: arrows alone decide these."


def not_the_free_entries(products, entries):
    if isinstance(entries, int) and entries == 3**30 - 1:  # which no tolerance could tell from 3^30
        raise Wrong("That is the number of free entries, one less. Asked is how many entries the table has.")


task("11.d", "The price of a chain", guard=not_the_free_entries,
    start="What does it cost to eliminate the first variable, and how often is that done?",
    hints=[
        "P(x1) P(x2 | x1) has 3 x 3 entries: nine multiplications, and a vector over x2 is left. How often?",
        "29 variables are eliminated. The full joint has an entry for each case of all 30 variables.",
    ],
    products=number("The number of multiplications", "(30 - 1) * 3**2", rtol=1e-9, slips="""
        270       | You eliminated all 30. The last one is asked, so it stays: 29 steps.
        29 * 3    | Each step fills a table of 3 x 3 entries, not of 3.
        30 * 3    | Each step fills a table of 3 x 3 entries, not of 3; and the last variable stays.
        29 * 4    | That is for two states. Here each step fills 3 x 3 entries.
        29 * 27   | A step multiplies a vector into a 3 x 3 table: nine products, not 27.
        29 * 6    | Count the entries of the product, not the additions: 3 x 3 a step.
        28 * 9    | One step too few: the 29 variables before the last are all eliminated.
        261 + 3   | You counted the three divisions at the end as well. Only products of factors count.
        261 - 6   | The last step fills a 3 x 3 table, too: 29 steps of nine products.
        29 * 15   | Only multiplications are counted, not the six additions of each step.
        30 * 4    | That is for two states. Here each of 29 steps fills 3 x 3 entries.
        2**31 - 4 | That is what enumeration takes with two states. Eliminate, with three.
        2 * 3**30 - 4    | That is the size of enumeration, which walks through all cases. Elimination has nine products
            a step.
        (3**31 - 9) // 2 | That is the size of enumeration, which walks through all cases. Elimination has nine products
            a step.
        3**30     | That is the size of the full joint. The first answer is what elimination does.
        """),
    entries=number("The number of entries", "3**30", rtol=5e-3, slips="""
        2**30     | The variables have three states, not two.
        264       | Those are the entries of the network's own tables: 3 + 29 x 9. The joint has one for each case.
        270       | Those are entries of 30 tables of 3 x 3. The joint has one for each case of all variables.
        176       | Those are the free numbers of the network's tables. The joint has an entry for each case.
        30**3     | Powers the other way round: each of 30 variables triples the number of cases.
        90        | Cases multiply: each of the 30 variables triples their number.
        3**29     | One variable is missing.
        2e14      | The size is right. Give three digits, or the power itself.
        2.1e14    | The size is right. Give three digits, or the power itself.
        """),
    right="Right. 261 products against two hundred million million entries.",
    explanation="Each of the 29 eliminations costs 3 x 3 products: 261. The joint has 3^30 = 205,891,132,094,649 "
    "entries.",
)  # fmt: skip

task("11.e", "A weight and a share",
    start="Which variables were drawn, which were observed, and what does each give to the weight (11.12)?",
    hints=[
        "Walk through the network from the top: what was drawn gives no factor, what was observed gives one (11.12).",
        "The weight is P(a | not b, e) P(m | a). Rejection keeps a case if both are true: P(a, m) = P(a) P(m | a).",
    ],
    weight=number("The weight", "0.29 * 0.70", rtol=3e-3, slips=rounded(0.203, """
        0.999 * 0.002 * 0.90 | Those are the factors of what was drawn. The weight has those of what was observed.
        0.29 * 0.70 * 0.90   | John's call was drawn, not observed: it has no factor in the weight.
        0.71 * 0.70          | 0.71 is the chance that the alarm is silent. It rings.
        0.29 * 0.30          | 0.30 is the chance that Mary does not call. She calls.
        0.29                 | Mary's call is evidence, too: multiply by P(m | a).
        0.70                 | The alarm is evidence, too: multiply by P(a | not b, e).
        0.94 * 0.70          | That is the row of Alarm with a burglar and no earthquake. It is the other way round
            here.
        0.95 * 0.70          | That is the row of Alarm with both causes. There is no burglar here.
        0.001 * 0.70         | That is the row of Alarm without any cause. There is an earthquake here.
        0.29 * 0.90          | 0.90 is John's chance. Mary calls with P(m | a) = 0.70.
        0.29 * 0.01          | 0.01 is Mary's chance if the alarm is silent. It rings.
        0.999 * 0.002 * 0.29 * 0.70 | Burglary and Earthquake were drawn, not observed: no factors for them.
        0.999 * 0.002 * 0.29 * 0.70 * 0.90 | That is the joint of the case. The weight has observed factors only.
        0.29 + 0.70          | You added the factors. The weight is their product.
        0.63                 | Those are the chances of the two calls. Observed are the alarm and Mary's call; John's
            was drawn.
        0.002516 * 0.70      | That is P(evidence). The weight uses the values drawn: no burglar, an earthquake.
        """)),
    share=number("The share kept", "0.002516 * 0.70", rtol=5e-3, slips=rounded(0.0017612, """
        0.002516             | Mary must call, too: multiply by P(m | a).
        0.002516 * 0.90      | 0.90 is John's chance. Mary calls with P(m | a) = 0.70.
        0.002516 * 0.63      | John's call is no evidence: do not ask for it.
        0.002084             | That is P(j, m), both calls. The evidence is the alarm and Mary's call.
        0.203                | That is the weight. Rejection keeps the share P(a, m) of all cases.
        0.70                 | That is P(m | a), or the sum of both. The alarm must ring, too: multiply.
        1 - 0.002516 * 0.70  | That is the share that is rejected.
        0.2516 * 0.70        | That is in per cent: divide it by 100.
        0.002516 * 0.70 + (1 - 0.002516) * 0.01 | That is P(m). Mary's false calls do not count: the alarm must ring.
        """)),
    right="Right. About one case in 570 survives rejection; weighting uses all, unequally.",
    explanation="0.29 x 0.70 = 0.203, and 0.002516 x 0.70 = 0.00176.",
)  # fmt: skip

N = np.array([0, 3, 7])

task("11.f", "Never seen, not impossible",
    start="How many samples are there in all, counted and imagined?",
    hints=["Add 2 to each count, and divide by their sum.", "0 + 2, 3 + 2 and 7 + 2, out of 10 + 3 x 2."],
    answer=number("The row", "(N + 2) / (10 + 3 * 2)", rtol=2e-3, slips="""
        N / 10                   | Those are the shares of the counts. The imagined samples are missing.
        (N + 2) / 12             | You added alpha once to the sum. Each of the three states has it: 10 + 3 x 2.
        (N + 2) / 10             | The imagined samples count in the denominator as well: 10 + 3 x 2.
        (N + 2) / 14             | 10 + 2 x 2 would be right for two states. There are three.
        (N + 1) / 13             | That is alpha = 1. Here it is 2.
        N + 2                    | Divide by their sum, so that the row sums to one.
        (N + 2 / 3) / 12         | You shared out two samples among the states. Each state has two of its own.
        (N + 1) / 12             | That is the peak of the posterior density. (11.17) is its mean: add 2, not 1.
        (N + 1) / 16             | Add 2 to each count, not 1.
        np.array([0, 5, 9]) / 14 | Imagined samples are there for the unseen state above all: it gets 2 as well.
        N / 16                   | Add 2 to each count, too.
        np.ones(3) / 3           | Those are equal chances, what the imagined samples alone would say. The counts are
            missing.
        np.array([2, 3, 7]) / 16 | Every state has imagined samples, also those that were seen: add 2 to each count.
        np.array([2, 3, 7]) / 12 | Every state has imagined samples, also those that were seen: add 2 to each count.
        """),
    right="Right. It sums to one, and nothing is excluded.",
    explanation="Equation (11.17) with K = 3: 2/16, 5/16, 9/16.",
)  # fmt: skip

Phi = NormalDist().cdf

task("11.g", "Will she wait?",
    start="How is the delay distributed, given rain and no umbrella, and what is it compared with?",
    hints=[
        "Rain is known, so (11.18) gives the delay: mean 2 r + 1 and standard deviation 3.",
        "(11.21) with m = 7, s = 3, and the patience 10 with its spread 2.",
    ],
    answer=number("P(she waits)", "Phi((10 - (2 * 3 + 1)) / (3**2 + 2**2) ** 0.5)", rtol=1.2e-3,
        slips=rounded(Phi(3 / 13**0.5), """
        1 - Phi(3 / 13**0.5)  | That is the chance that she does not wait.
        Phi(1.5)              | You took the delay as exactly 7 minutes. It has a spread of 3, which adds to that of her
            patience.
        Phi(1.0)              | Her patience has a spread, too: variances add, 3**2 + 2**2.
        Phi(3 / 5)            | Variances add, not standard deviations: sqrt(3**2 + 2**2).
        Phi(3 / 13)           | Divide by the standard deviation sqrt(13), not by the variance.
        Phi(3 / 22**0.5)      | The rain is known, so its spread does not enter: the variance of the delay is 3**2.
        Phi(1 / 22**0.5)      | The rain is known to be 3 mm/h. You averaged over it.
        Phi(1 / 13**0.5)      | You took the mean rain of 4 mm/h. It rains 3: the mean delay is 7.
        Phi(6.5 / (1.5**2 + 4) ** 0.5) | Those are the numbers with an umbrella. Without: 2 r + 1, sigma 3.
        Phi(3.5)              | That is too sure. 3 is the rain in mm/h, not the delay; 3.5 minutes would be with an
            umbrella. First find the law of the delay without one (11.18).
        Phi(6.5 / 13**0.5)    | 0.5 r + 2 is the mean delay with an umbrella. Without one it is 2 r + 1.
        Phi(4 / 13**0.5)      | The mean delay is 2 r + 1. You left the 1 out.
        Phi(7 / 13**0.5)      | 3 is the rain in mm/h, not the delay in minutes. The mean delay is 2 r + 1.
        Phi(3 / 5**0.5)       | Square both, and add: the variance of the difference is 3**2 + 2**2, neither 3 + 2 nor
            3**2 - 2**2.
        1 - Phi(1.5)          | You took the delay as exactly 7 minutes, and the chance that she does not wait.
        1 - Phi(1.0)          | Her patience has a spread, too; and that is the chance that she does not wait.
        0.5                   | At a delay of exactly 10 minutes. Here the mean delay is 7.
        NormalDist().pdf(3 / 13**0.5) | That is the density at z = 3/sqrt(13). The chance is the area below it, Phi(z).
        1 / (1 + np.exp(-3 / 13**0.5)) | That is the sigmoid, and without its factor 1.702. (11.21) has Phi.
        1 / (1 + np.exp(-1.702 * 3 / 13**0.5)) | That is the sigmoid, which only comes near. (11.21) has Phi.
        """)),
    right="Right. A point estimate of 7 minutes would have said 0.933: uncertainty makes her patience less sure.",
    explanation="The delay minus the patience has the mean -3 and the variance 9 + 4 = 13, so P(w) = Phi(3/sqrt(13)) = "
    "0.797.",
)  # fmt: skip


def ask(P, query, evidence):
    index = tuple(evidence.get(axis, slice(None)) for axis in range(P.ndim))
    left = [axis for axis in range(P.ndim) if axis not in evidence]
    others = tuple(k for k, axis in enumerate(left) if axis != query)
    p = P[index].sum(axis=others)
    return p / p.sum()


def ask_cases():
    rings = np.array([[0.95, 0.94], [0.29, 0.001]])
    alarm = np.stack([rings, 1 - rings], axis=2) * np.outer([0.001, 0.999], [0.002, 0.998])[:, :, None]
    wide = np.random.default_rng(111).dirichlet(np.full(72, 0.6)).reshape(2, 3, 4, 3)
    cases = [(alarm, 0, {2: 0}), (alarm, 1, {2: 0, 0: 1})]
    asked = [(2, {0: 1}), (3, {1: 2, 0: 0}), (1, {3: 2}), (2, {}), (1, {0: 1, 2: 3, 3: 0})]
    return cases + [(wide, query, evidence) for query, evidence in asked]


def one_by_one(P, query, evidence):
    """Multiply the answers to single observations."""
    p = np.ones(P.shape[query])
    for axis, value in evidence.items():
        p = p * ask(P, query, {axis: value})
    return p / p.sum()


def no_axis_error(answer):
    """Add to an error about an axis what usually lies behind it."""
    try:
        for case in ask_cases():
            call(answer, *case)
    except Wrong as wrong:
        if "axis" in str(wrong) and "Error" in str(wrong):
            more = "When an observed axis is taken out, those after it move up: does your function count with that?"
            raise Wrong(f"{wrong} {more}") from None
        raise


task("11.1", "Ask a table", ask, cases=ask_cases, what="P(query | evidence)", guard=no_axis_error,
    start="In (11.5), which axes are fixed, which are summed over, and which one is left?",
    hints=[
        "Build an index with one entry per axis: the observed number, or slice(None).",
        "After indexing, the observed axes are gone: the query's axis has moved. Count the axes that are left.",
        "np.moveaxis(P, query, -1) first is another way; or zero out what disagrees, then sum over all other axes.",
    ],
    slips=["""
        / p.sum() =>                              | That is P(query, evidence): divide by its sum, so that it sums to
            one.
        for k, axis in enumerate(left) if axis != query => for k in range(len(left)) if k != query | Indexing removes
            the observed axes, so the query's axis has moved: count those left before.
        index = => evidence = {}; index =         | You ignore the evidence: that is P(query) alone.
        index = => evidence = {k: v for k, v in evidence.items() if v}; index = | State 0 is an observation, too: ask
            whether the axis is in evidence, not whether its number is true.
        if axis != query => if axis == query      | You sum over the query's own axis. Sum over all others.
        evidence.get(axis, slice(None)) => slice(evidence.get(axis), evidence[axis] + 1 if axis in evidence else None)
            ;; sum(axis=others) => sum(axis=query) | You sum over the query's own axis. Sum over all others.
        if axis != query => if k != min(query, len(left) - 1) | Indexing removes the observed axes, so the query's axis
            has moved: count those left before.
        .sum(axis=others) => .mean(axis=others) ;; / p.sum() => | You take means over the hidden variables. Add up, and
            divide by the sum.
        P[index].sum => (P[index] > 0).sum        | You count cases. Add up their probabilities.
        .sum(axis=others) => .max(axis=others)    | You take the largest entry over the hidden variables. Their
            probabilities are added.
        / p.sum() => / P.sum(axis=tuple(k for k in range(P.ndim) if k != query)) | You return the evidence's chance
            given the query: normalise over the query's values.
        index = => evidence = dict(list(evidence.items())[:1]); index = | You use the first observation only. All of
            them restrict the table.
        / p.sum() => / p.max()                    | You divide by the largest entry. Divide by the sum, so that it sums
            to one.
        """,
        (one_by_one, "You multiply the answers to single observations. Condition on all of them at once."),
    ],
    right="Right. On a table this always works; networks are for when there is no room for the table.",
    explanation="Indexing removes the observed axes, so the others are counted anew before the sum.",
)  # fmt: skip

GRAPHS = (
    {"Burglary": (), "Earthquake": (), "Alarm": ("Burglary", "Earthquake"), "John": ("Alarm",), "Mary": ("Alarm",)},
    {"a": (), "b": ("a",), "c": ("a",), "d": ("b", "c"), "e": ("d", "a"), "f": ()},
    {"Rain": (), "Sun": (), "Rainbow": ("Rain", "Sun"), "Photo": ("Rainbow",), "Umbrella": ("Rain",)},
    {"Car": (), "Jam": (), "Rain": (), "Late": ("Car", "Jam", "Rain"), "Wait": ("Late",), "Demo": ("Late",)},
    {"Flu": (), "Cold": (), "Fever": ("Flu", "Cold"), "Cough": ("Flu", "Cold")},  # two children share both parents
)


def blanket(parents, name):
    found = set(parents[name])
    for child, group in parents.items():
        if name in group:
            found |= {child, *group}
    return found - {name}


def ancestors_and_children(parents, name):
    found = set(parents[name])
    for _ in parents:
        found |= {above for member in found for above in parents[member]}
    return found | {child for child in parents if name in parents[child]}


def as_set(value):
    value = value.tolist() if isinstance(value, np.ndarray) and value.ndim == 1 else value
    if not isinstance(value, (set, frozenset, list, tuple)) or not all(isinstance(v, str) for v in value):
        raise Wrong(f"Return a set of names; got {brief(value)}.")
    if len(set(value)) < len(value):
        raise Wrong(f"A variable occurs twice in {brief(value)}; a set is wanted.")
    return set(value)


task("11.2", "Who shields it", blanket, what="The blanket", read=as_set,
    cases=[(graph, name) for graph in GRAPHS for name in graph],
    start="Which tables mention the variable, as (11.8) asks, and who else stands in them?",
    hints=[
        "A child of name is a key whose tuple of parents contains name.",
        "Collect parents[name]; for every child the child itself and all its parents; at the end take name away.",
    ],
    slips=["""
        {child, *group} => {child}              | The children's other parents are missing (explaining away).
        found |= {child, *group} => pass        | Those are the parents. Children, and their other parents, belong to it
            as well.
        set(parents[name]) => set() ;; {child, *group} => {child} | Those are the children. Parents and co-parents
            belong to it.
        found - {name} => {*found, name}        | The variable itself does not belong to its blanket.
        found - {name} => found                 | The variable itself does not belong to its blanket.
        found - {name} => set(parents) - {name} | Those are all others. The blanket is the smallest set that shields.
        set(parents[name]) => set()             | The parents are missing.
        {child, *group} => set(group)           | The children themselves are missing.
        {child, *group} => {child, *(d for d in parents if child in parents[d])} | Those are parents, children and
            grandchildren. Not the grandchildren, the children's other parents shield.
        {child, *group} => {child, *group, *(d for d in parents if child in parents[d])} | The grandchildren are
            shielded by the children.
        in group => in str(group)               | You look for the name inside a text, and Rain is found in Rainbow. Ask
            whether it is one of the parents: name in parents[child].
        set(parents[name]) => {*parents[name], *(q for p in parents[name] for q in parents[p])} | The grandparents are
            shielded by the parents.
        set(parents[name]) => {*parents[name], *(c for c in parents if {*parents[c]} & {*parents[name]})} | Siblings are
            shielded.
        set(parents[name]) => {*parents[name], *(c for c in parents if {*parents[c]} & {*parents[name]})} ;;
            {child, *group} => {child} | Those are parents, children and siblings. Not the siblings, the children's
            other parents belong to it.
        {child, *group} => {child, next((p for p in group if p != name), child)} | A child may have several other
            parents: all of them belong to it.
        {child, *group} => {child, group[0], group[-1]} | A child may have several other parents: all of them belong to
            it.
        {child, *group} => {child}; found ^= {*group} | ^= takes out what was there already: a parent that two children
            share is lost. Use |=.
        found |= {child, *group} => found |= {child, *group}; break | You stop after the first child. Every child
            counts, with its other parents.
        in group => in group[:1]                | You find a child only where the name stands first among its parents:
            ask with `in`.
        found - {name} => set(parents) - found - {name} | That is everything outside the blanket.
        {child, *group} => {child} ;; found - {name} => found|{c for c in parents if {*parents[c]} & found} - {name} |
            You added the children of every neighbour. Siblings and grandchildren are shielded; the children's other
            parents belong to it.
        """,
        (ancestors_and_children, "Of all ancestors only parents belong to it. The children's other parents do, too."),
    ],
    right="Right. Gibbs sampling needs no more than that to redraw a variable.",
    explanation="Equation (11.8): the tables that mention a variable are its own and its children's.",
)  # fmt: skip


def redraw_chance(p, children):
    yes, no = p, 1 - p
    for if_true, if_false in children:
        yes, no = yes * if_true, no * if_false
    return yes / (yes + no)


GIBBS = [
    (0.94, [(0.7, 0.3)]), (0.94, [(0.9, 0.05), (0.7, 0.01)]), (0.001, [(0.9, 0.05), (0.7, 0.01)]),
    (0.3, [(0.2, 0.6)]), (0.3, []), (0.62, [(0.5, 0.1), (0.2, 0.9), (0.35, 0.4)]), (0.15, [(0.05, 0.4)]),
    (0.8, [(0.1, 0.7), (0.45, 0.3)]),
]  # fmt: skip


def no_zeros_and_ones(answer):
    drawn = [call(answer, *case) for case in GIBBS * 9]
    if not all(np.ndim(x) == 0 and isinstance(x, (bool, int, float, np.generic)) and x in (0, 1) for x in drawn):
        return
    if [bool(x) for x in drawn] == [redraw_chance(*case) > 0.5 for case in GIBBS * 9]:
        raise Wrong("Your function returns the likelier value, 0 or 1. Return the chance of true.")
    raise Wrong("Your function draws: it returns 0 or 1 only. Return the chance of true, and draw nothing.")


task("11.3", "One step of Gibbs", redraw_chance, cases=GIBBS, what="The chance of true", guard=no_zeros_and_ones,
    start="What does each child contribute to the two sides of (11.8), X true and X false?",
    hints=[
        "X true: p times the first number of every pair. X false: 1 - p times the second ones.",
        "Divide the first product by the sum of both.",
    ],
    slips="""
        / (yes + no) =>               | That is only the part for true, not yet normalised.
        p, 1 - p => 1, 1              | The variable's own table is missing: start with p and 1 - p.
        yes / (yes + no) => p         | The children are missing: each of them is evidence about X.
        in children => in children[:1]  | You use the first child only.
        in children => in children[-1:] | You use the last child only.
        p, 1 - p => p, 1              | X false starts with 1 - p.
        for if_true, if_false => for if_false, if_true | The two numbers of a pair are exchanged: first X true, then X
            false.
        yes / (yes => no / (yes       | That is the chance of false.
        / (yes + no) => / no          | Those are the odds; divide by the sum of both, not by the other one.
        no * if_false => no * (1 - if_true) | The second number of a pair is not one minus the first: both are chances
            of the same value, in two worlds.
        in children => in [np.sum(children, axis=0)] * bool(children) | The children's factors multiply; you added them
            up, or averaged them.
        yes * if_true, no * if_false => yes + if_true, no + if_false | Multiply the factors; you added them.
        yes / (yes + no) => yes / (yes + no) if children else 0.5 | Without children the chance is p itself: an empty
            product is 1.
        yes / (yes + no) => yes / (yes + no) if children else 0.0 | Without children the chance is p itself: an empty
            product is 1.
        yes / (yes + no) => yes / (yes + no) if children else 1.0 | Without children the chance is p itself: divide p by
            p + (1 - p).
        / (yes + no) => / np.prod([sum(pair) for pair in children]) | The two numbers of a pair need not sum to one.
            Divide once, at the end, by the sum for true and false.
        no * if_false => no           | The children count for X false as well: 1 - p times their second numbers.
        yes * if_true, no * if_false => yes * if_true / (if_true + if_false), no | The children count for X false as
            well: 1 - p times their second numbers.
        """,
    right="Right. Draw a uniform number, compare, and Gibbs has made a step.",
    explanation="Equation (11.8), normalised over the two states.",
)  # fmt: skip


def learn_table(parent, child, shape, alpha):
    counts = np.zeros(shape)
    np.add.at(counts, (parent, child), 1)
    total = counts.sum(axis=1, keepdims=True)
    return (counts + alpha) / (total + alpha * shape[1])


def table_cases():
    rng = np.random.default_rng(114)
    candies = (np.repeat([0, 0, 1, 1], [45, 15, 10, 30]), np.repeat([0, 1, 0, 1], [45, 15, 10, 30]))
    cases = [(*candies, (2, 2), 1.0), (*candies, (2, 2), 0.0)]
    for n, shape, alpha in ((40, (3, 2), 0.5), (60, (2, 4), 2.0)):
        cases.append((rng.integers(0, shape[0], n), rng.integers(0, shape[1] - 1, n), shape, alpha))
    return [*cases, (np.array([0, 0, 1, 3, 3, 3, 1]), np.array([0, 1, 1, 0, 0, 0, 1]), (5, 3), 1.5)]


def a_place_for_every_state(answer):
    for *data, shape, alpha in table_cases():
        try:
            found = np.shape(np.asarray(call(answer, *data, shape, alpha), dtype=float))
        except (TypeError, ValueError):
            return  # told elsewhere
        if len(found) == 2 and found not in (shape, shape[::-1]):
            raise Wrong(f"With shape = {shape} your table has the shape {found}. Its shape is given: states that never "
                        "occur have their row or column, too.")  # fmt: skip


task("11.4", "A table from data", learn_table, cases=table_cases, what="The table", guard=a_place_for_every_state,
    start="Which sums must be one, those of the rows or of the columns?",
    hints=[
        "np.add.at(counts, (parent, child), 1) counts pairs, also repeated ones; counts[parent, child] += 1 does not.",
        "Add alpha to every entry, also where nothing was counted, and divide each row by its sum.",
    ],
    slips="""
        np.add.at(counts, (parent, child), 1) => counts[parent, child] += 1 | counts[parent, child] += 1 counts a pair
            once, however often it occurs. Use np.add.at.
        (counts + alpha) / (total + alpha * shape[1]) => counts | Those are bare counts. Add alpha, then divide by the
            row's sum.
        / (total + alpha * shape[1]) =>               | Those are counts. Divide each row by its sum.
        total + alpha * shape[1] => (counts + alpha).sum(axis=0) | You divide by the sums of the columns: that is
            P(parent | child).
        total + alpha * shape[1] => (counts + alpha).sum() | You divide by the sum of all entries: that is the joint.
            Divide each row by its own sum.
        total = => alpha = 0; total =                 | The imagined samples are missing: add alpha to every entry.
        total = => alpha = alpha / shape[1]; total =  | You share alpha out among the states; every entry has alpha of
            its own.
        total = => counts = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1); total = | You add alpha to
            shares. Add it to the counts, and divide then.
        (total + alpha * shape[1]) => total           | The imagined samples belong in the denominator, too.
        shape[1] => 2                                 | 2 alpha in the denominator is right for two states only: K
            alpha, K from shape.
        shape[1] => shape[0]                          | K is the number of the child's states, shape[1]; you took that
            of the parent's, shape[0].
        alpha * shape[1] => alpha                     | Each state has alpha imagined samples, so the row's sum grows by
            K times alpha.
        counts = => parent, child, shape = child, parent, shape[::-1]; counts = | Parent and child are exchanged.
        return (counts => return ((counts ;; shape[1]) => shape[1])).T | The table is transposed: rows belong to the
            parent.
        total = => counts = np.where(counts, counts, alpha); alpha = 0; total = | Every entry gets alpha imagined
            samples, not only those that were never counted.
        (counts + alpha) => np.where(counts, counts, alpha) | Every entry gets alpha imagined samples, not only those
            that were never counted.
        total = => alpha = alpha - 1; total =         | With alpha - 1 you have the peak of the posterior density.
            (11.17) is its mean: add alpha.
        (counts + alpha) / (total + alpha * shape[1]) => np.where(total, (counts + alpha) / (total + alpha * shape[1]),
            0) | A row without data keeps its imagined samples: with alpha > 0 it is uniform.
        """,
    right="Right. Do this for every variable, and the network has learnt.",
    explanation="Equation (11.17). With alpha > 0 a row without data becomes uniform.",
)  # fmt: skip

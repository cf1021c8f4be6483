"""Tasks and exercises of chapter 11: products, posteriors, paths, costs, weights, counts, and a probit."""

from statistics import NormalDist

import numpy as np

from mlteach.exercises.base import Wrong, brief, call, exercise, expect_close, expect_function, truth


def _rounded(known, right):
    """Return known mistakes, also rounded to three or two digits, unless ``right`` rounds to the same."""
    own = [float(f"{right:.{digits}g}") for digits in (3, 2, 1)]
    rough = [(float(f"{value:.{digits}g}"), words) for digits in (3, 2) for value, words in known]
    return [*known, *((value, words) for value, words in rough if value not in own)]


CAR_LATE = [0.65, 0.95, 0.25, 0.20, 0.60, 0.95]


@exercise(
    "11.a",
    "A case of the meeting",
    start="Six variables, six factors: one from each table of Figure 11.2.",
    hints=[
        "Go through the boxes from the top. Each gives the chance of its own value, in the row of its parents' values.",
        "P(c) P(not j) P(r) P(l | c, not j, r) P(w | l) P(d | l), equation (11.3). No jam is 1 - 0.05.",
    ],
    solution=float(np.prod(CAR_LATE)),
    explanation="0.65 x 0.95 x 0.25 x 0.20 x 0.60 x 0.95 = 0.0176.",
)
def _(answer):
    car, dry, rain, late, wait, demo = CAR_LATE
    others = {0.85: "the row T T T of Late", 0.10: "the row T F F of Late"}
    others[0.80] = "0.80 for Late, another row or the chance of being in time"
    others[0.60] = "0.60 for Late, a row of the bicycle, or 0.75, a dry day, for Rain"
    others[0.05] = "0.05 for Late, a row of the bicycle, or 0.15, the row of somebody in time, for Wait"
    known = [
        (car * dry * rain * row * wait * demo, f"You took {words}. Car, no jam, rain is the row T F T, 0.20.")
        for row, words in others.items()
    ]
    known += [
        (
            car * 0.05 * rain * late * wait * demo,
            "You took 0.05, the chance of a jam or of no demonstration. There is no jam, and she gives it: both 0.95.",
        ),
        (0.35 * dry * rain * late * wait * demo, "0.35 is the chance of the bicycle. She goes by car: 0.65."),
        (car * dry * rain * late * 0.15 * 0.50, "For Wait and Demo you took the rows for somebody in time."),
        (car * dry * rain * late * 0.40 * demo, "0.40 is the chance that the chairwoman does not wait."),
        (car * dry * rain * late * wait * 0.50, "For Demo you took the row of somebody in time: P(d | l) is 0.95."),
        (late * wait * demo, "The parents are part of the case: multiply by P(c), P(not j) and P(r), too."),
        (car * dry * rain * late, "Wait and Demo are part of the case: multiply by their chances given Late."),
        (car * dry * rain * wait * demo, "The factor of Late itself is missing: P(l | c, not j, r)."),
        (sum(CAR_LATE), "You added the factors. The chain rule multiplies them."),
        (0.00529921875, "That is the case of the text. Here it is the car, no jam, rain, late, and she waits."),
        (10 * float(np.prod(CAR_LATE)), "The digits are right, the decimal point is not: count the noughts."),
        (0.1 * float(np.prod(CAR_LATE)), "The digits are right, the decimal point is not: count the noughts."),
    ]
    right = float(np.prod(CAR_LATE))
    expect_close(answer, right, "The joint probability", known=_rounded(known, right), rtol=3e-3, reveal=False)
    return "Right. A case of six variables, and only six numbers were needed."


def _posterior(prior, e=0.002):
    yes = prior * (e * 0.95 + (1 - e) * 0.94)
    no = (1 - prior) * (e * 0.29 + (1 - e) * 0.001)
    return yes, no


def _even(prior):
    """Return the posterior of somebody who gives both cases of Earthquake the same weight."""
    yes, no = _posterior(prior, 0.5)
    return yes / (yes + no)


@exercise(
    "11.b",
    "Another town",
    start="Two numbers compete: burglar and alarm, no burglar and alarm. Earthquake is summed out of both.",
    hints=[
        "Take the two lines of 11.3.1 and change what depends on P(b).",
        "With a burglar: 0.01 (0.002 x 0.95 + 0.998 x 0.94). Without: 0.99 (...). Then normalise (11.5).",
    ],
    solution=_posterior(0.01)[0] / sum(_posterior(0.01)),
    explanation="With a burglar 0.01 x 0.94002 = 0.0094002, without 0.99 x 0.001578 = 0.0015622; the share of the "
    "first is 0.857. The odds are about ten times those of Figure 11.1's town.",
)
def _(answer):
    yes, no = _posterior(0.01)
    old = _posterior(0.001)
    known = [
        (yes, "That is P(burglar and alarm), not yet divided by P(alarm)."),
        (yes + no, "That is P(alarm). Divide P(burglar and alarm) by it."),
        (no / (yes + no), "That is the chance that there is no burglar."),
        (old[0] / sum(old), "That is the answer for the first town, P(b) = 0.001. Here it is 0.01."),
        (10 * old[0] / sum(old), "Ten times the prior is not ten times the posterior. Normalise anew."),
        (yes / no, "Those are the odds. The probability is odds / (1 + odds)."),
        (yes / (yes + 0.999 * no / 0.99), "Without a burglar the prior is now 0.99, not 0.999."),
        (_even(0.01), "Earthquake and no earthquake are not equally likely: weigh the rows with 0.002 and 0.998."),
        (0.0094 / (0.0094 + 0.99 * 0.001), "You left the earthquake out. Sum over it in both lines."),
        (0.0095 / (0.0095 + 0.99 * 0.29), "You took the earthquake as certain. Sum over both of its cases."),
        (0.94002, "That is P(alarm | burglar), the other way round."),
        (0.94, "That is P(alarm | burglar, no earthquake), the other way round."),
    ]  # fmt: skip
    right = yes / (yes + no)
    expect_close(answer, right, "P(burglar | alarm)", known=_rounded(known, right), rtol=1.2e-3, reveal=False)
    return "Right. Ten times the prior odds are ten times the posterior odds: 0.37 becomes 0.86."


STATEMENTS = (
    ("Asia and X-ray given Shadow", True, "the only path runs through Shadow, a chain there, and Shadow is given."),
    (
        "Tuberculosis and Cancer",
        True,
        "their paths meet in the colliders Shadow and ShortBreath, and nothing is given.",
    ),
    ("Tuberculosis and Cancer given X-ray", False, "X-ray is a descendant of the collider Shadow, and opens it."),
    ("Cancer and Bronchitis", False, "the fork at Smoker is open as long as Smoker is unknown."),
    ("X-ray and Bronchitis given Shadow and Smoker", True, "Shadow and Smoker block every path: look at each of them."),
)


@exercise(
    "11.c",
    "Five statements",
    start="For each pair list the paths, then look for a junction that blocks each of them.",
    hints=[
        "Chain and fork are blocked by an observed middle; a collider is blocked unless it or something below it is "
        "observed.",
        "In 2 one way collides at Shadow, the other at ShortBreath; in 3 X-ray lies below Shadow; in 4 look at Smoker.",
    ],
    solution=np.array([answer for _, answer, _ in STATEMENTS]),
    explanation="; ".join(f"{k}. {'true' if a else 'false'}: {why}" for k, (_, a, why) in enumerate(STATEMENTS, 1)),
)
def _(answer):
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
        words = " ".join(f"Number {k + 1} ({STATEMENTS[k][0]}) is not right: {STATEMENTS[k][2]}" for k in wrong)
        raise Wrong(words)
    return "Right. No number was needed: arrows alone decide these."


def _expect_exact_slip(entries):
    """Refuse 3^30 - 1 typed as a whole number, which no tolerance could tell from 3^30."""
    if isinstance(entries, int) and entries == 3**30 - 1:
        raise Wrong("That is the number of free entries, one less. Asked is how many entries the table has.")


@exercise(
    "11.d",
    "The price of a chain",
    start="What does it cost to eliminate the first variable? It makes a product with 3 x 3 entries.",
    hints=[
        "P(x1) P(x2 | x1) has 3 x 3 entries: nine multiplications, and a vector over x2 is left. How often?",
        "29 variables are eliminated. The full joint has an entry for each case of all 30 variables.",
    ],
    solution=(29 * 9, 3**30),
    explanation="Each of the 29 eliminations costs 3 x 3 products: 261. The joint has 3^30 = 205,891,132,094,649 "
    "entries.",
)
def _(products, entries):
    known = [
        (270, "You eliminated all 30. The last one is asked, so it stays: 29 steps."),
        (29 * 3, "Each step fills a table of 3 x 3 entries, not of 3."),
        (30 * 3, "Each step fills a table of 3 x 3 entries, not of 3; and the last variable stays."),
        (29 * 4, "That is for two states. Here each step fills 3 x 3 entries."),
        (29 * 27, "A step multiplies a vector into a 3 x 3 table: nine products, not 27."),
        (29 * 6, "Count the entries of the product, not the additions: 3 x 3 a step."),
        (28 * 9, "One step too few: the 29 variables before the last are all eliminated."),
        (29 * 9 + 3, "You counted the three divisions at the end as well. Only products of factors count."),
        (29 * 9 + 3 - 9, "The last step fills a 3 x 3 table, too: 29 steps of nine products."),
        (29 * 15, "Only multiplications are counted, not the six additions of each step."),
        (30 * 4, "That is for two states. Here each of 29 steps fills 3 x 3 entries."),
        (2**31 - 4, "That is what enumeration takes with two states. Eliminate, with three."),
        (3**30, "That is the size of the full joint. The first answer is what elimination does."),
    ]
    expect_close(products, 261, "The number of multiplications", known=known, rtol=1e-9, reveal=False)
    known = [
        (2**30, "The variables have three states, not two."),
        (2**30 - 2, "The variables have three states; and entries are asked for, not products."),
        (264, "Those are the entries of the network's own tables: 3 + 29 x 9. The joint has one for each case."),
        (270, "Those are entries of 30 tables of 3 x 3. The joint has one for each case of all variables."),
        (29 * 6 + 2, "Those are the free numbers of the network's tables. The joint has an entry for each case."),
        (30**3, "Powers the other way round: each of 30 variables triples the number of cases."),
        (90, "Cases multiply: each of the 30 variables triples their number."),
        (3**29, "One variable is missing."),
        (2**30 - 1, "The variables have three states; and all entries are asked for."),
    ]
    _expect_exact_slip(entries)
    expect_close(entries, 3**30, "The number of entries", known=known, rtol=5e-3, reveal=False)
    return "Right. 261 products against two hundred million million entries."


@exercise(
    "11.e",
    "A weight and a share",
    start="Which variables were observed? Only their chances enter the weight, given their parents' values.",
    hints=[
        "Walk through the network from the top: what was drawn gives no factor, what was observed gives one (11.12).",
        "The weight is P(a | not b, e) P(m | a). Rejection keeps a case if both are true: P(a, m) = P(a) P(m | a).",
    ],
    solution=(0.29 * 0.70, 0.002516 * 0.70),
    explanation="0.29 x 0.70 = 0.203, and 0.002516 x 0.70 = 0.00176.",
)
def _(weight, share):
    known = [
        (0.999 * 0.002 * 0.90, "Those are the factors of what was drawn. The weight has those of what was observed."),
        (0.29 * 0.70 * 0.90, "John's call was drawn, not observed: it has no factor in the weight."),
        (0.71 * 0.70, "0.71 is the chance that the alarm is silent. It rings."),
        (0.29 * 0.30, "0.30 is the chance that Mary does not call. She calls."),
        (0.29, "Mary's call is evidence, too: multiply by P(m | a)."),
        (0.70, "The alarm is evidence, too: multiply by P(a | not b, e)."),
        (0.94 * 0.70, "That is the row of Alarm with a burglar and no earthquake. It is the other way round here."),
        (0.95 * 0.70, "That is the row of Alarm with both causes. There is no burglar here."),
        (0.001 * 0.70, "That is the row of Alarm without any cause. There is an earthquake here."),
        (0.29 * 0.90, "0.90 is John's chance. Mary calls with P(m | a) = 0.70."),
        (0.29 * 0.01, "0.01 is Mary's chance if the alarm is silent. It rings."),
        (0.999 * 0.002 * 0.29 * 0.70, "Burglary and Earthquake were drawn, not observed: no factors for them."),
        (0.999 * 0.002 * 0.29 * 0.70 * 0.90, "That is the joint of the case. The weight has observed factors only."),
        (0.29 + 0.70, "You added the factors. The weight is their product."),
        (0.63, "Those are the chances of the two calls. Observed are the alarm and Mary's call; John's was drawn."),
        (0.002516 * 0.70, "That is P(evidence). The weight uses the values drawn: no burglar, an earthquake."),
    ]  # fmt: skip
    expect_close(weight, 0.203, "The weight", known=_rounded(known, 0.203), rtol=3e-3, reveal=False)
    known = [
        (0.002516, "Mary must call, too: multiply by P(m | a)."),
        (0.002516 * 0.90, "0.90 is John's chance. Mary calls with P(m | a) = 0.70."),
        (0.002516 * 0.70 * 0.90, "John's call is no evidence: do not ask for it."),
        (0.002084, "That is P(j, m), both calls. The evidence is the alarm and Mary's call."),
        (0.203, "That is the weight. Rejection keeps the share P(a, m) of all cases."),
        (0.70, "That is P(m | a). The alarm must ring, too."),
        (0.002516 + 0.70, "Both must happen: multiply."),
        (1 - 0.002516 * 0.70, "That is the share that is rejected."),
        (
            0.002516 * 0.70 + (1 - 0.002516) * 0.01,
            "That is P(m). Mary's false calls do not count: the alarm must ring.",
        ),
    ]
    expect_close(share, 0.0017612, "The share kept", known=_rounded(known, 0.0017612), rtol=5e-3, reveal=False)
    return "Right. About one case in 570 survives rejection; weighting uses all, unequally."


@exercise(
    "11.f",
    "Never seen, not impossible",
    start="Each state gets two imagined samples. How many are there then in all?",
    hints=["Add 2 to each count, and divide by their sum.", "0 + 2, 3 + 2 and 7 + 2, out of 10 + 3 x 2."],
    solution=[2 / 16, 5 / 16, 9 / 16],
    explanation="Equation (11.17) with K = 3: 2/16, 5/16, 9/16.",
)
def _(answer):
    n = np.array([0, 3, 7])
    known = [
        (n / 10, "Those are the shares of the counts. The imagined samples are missing."),
        ((n + 2) / 12, "You added alpha once to the sum. Each of the three states has it: 10 + 3 x 2."),
        ((n + 2) / 10, "The imagined samples count in the denominator as well: 10 + 3 x 2."),
        ((n + 2) / 14, "10 + 2 x 2 would be right for two states. There are three."),
        ((n + 1) / 13, "That is alpha = 1. Here it is 2."),
        (n + 2, "Divide by their sum, so that the row sums to one."),
        ((n + 2 / 3) / 12, "You shared out two samples among the states. Each state has two of its own."),
        ((n + 1) / 12, "That is the peak of the posterior density. (11.17) is its mean: add 2, not 1."),
        ((n + 1) / 16, "Add 2 to each count, not 1."),
        (np.array([0, 5, 9]) / 14, "Imagined samples are there for the unseen state above all: it gets 2 as well."),
        (n / 16, "Add 2 to each count, too."),
        (np.array([2, 3, 7]) / 16, "Every state has imagined samples, also those that were seen: add 2 to each count."),
        (np.array([2, 3, 7]) / 12, "Every state has imagined samples, also those that were seen: add 2 to each count."),
    ]
    expect_close(answer, (n + 2) / 16, "The row", known=known, rtol=2e-3, reveal=False)
    return "Right. It sums to one, and nothing is excluded."


@exercise(
    "11.g",
    "Will she wait?",
    start="How is the delay distributed, given rain and no umbrella? Then use (11.21).",
    hints=[
        "Rain is known, so (11.18) gives the delay: mean 2 r + 1 and standard deviation 3.",
        "(11.21) with m = 7, s = 3, and the patience 10 with its spread 2.",
    ],
    solution=NormalDist().cdf(3 / 13**0.5),
    explanation="The delay minus the patience has the mean -3 and the variance 9 + 4 = 13, so P(w) = Phi(3/sqrt(13)) = "
    "0.797.",
)
def _(answer):
    Phi = NormalDist().cdf
    known = [
        (1 - Phi(3 / 13**0.5), "That is the chance that she does not wait."),
        (
            Phi(1.5),
            "You took the delay as exactly 7 minutes. It has a spread of 3, which adds to that of her patience.",
        ),
        (Phi(1.0), "Her patience has a spread, too: variances add, 3**2 + 2**2."),
        (Phi(3 / 5), "Variances add, not standard deviations: sqrt(3**2 + 2**2)."),
        (Phi(3 / 13), "Divide by the standard deviation sqrt(13), not by the variance."),
        (Phi(3 / 22**0.5), "The rain is known, so its spread does not enter: the variance of the delay is 3**2."),
        (Phi(1 / 22**0.5), "The rain is known to be 3 mm/h. You averaged over it."),
        (Phi(1 / 13**0.5), "You took the mean rain of 4 mm/h. It rains 3: the mean delay is 7."),
        (Phi((10 - 3.5) / (1.5**2 + 4) ** 0.5), "Those are the numbers with an umbrella. Without: 2 r + 1, sigma 3."),
        (
            Phi(3.5),
            "That is too sure. 3 is the rain in mm/h, not the delay; 3.5 minutes would be with an umbrella. "
            "First find the law of the delay without one (11.18).",
        ),
        (Phi(6.5 / 13**0.5), "0.5 r + 2 is the mean delay with an umbrella. Without one it is 2 r + 1."),
        (Phi(4 / 13**0.5), "The mean delay is 2 r + 1. You left the 1 out."),
        (Phi(7 / 13**0.5), "3 is the rain in mm/h, not the delay in minutes. The mean delay is 2 r + 1."),
        (Phi(3 / 5**0.5), "Square both: the variances are 3**2 and 2**2, not 3 and 2."),
        (1 - Phi(1.5), "You took the delay as exactly 7 minutes, and the chance that she does not wait."),
        (1 - Phi(1.0), "Her patience has a spread, too; and that is the chance that she does not wait."),
        (0.5, "At a delay of exactly 10 minutes. Here the mean delay is 7."),
    ]
    right = Phi(3 / 13**0.5)
    expect_close(answer, right, "P(she waits)", known=_rounded(known, right), rtol=1.2e-3, reveal=False)
    return "Right. A point estimate of 7 minutes would have said 0.933: uncertainty makes her patience less sure."


def ask(P, query, evidence):
    index = tuple(evidence.get(axis, slice(None)) for axis in range(P.ndim))
    left = [axis for axis in range(P.ndim) if axis not in evidence]
    others = tuple(k for k, axis in enumerate(left) if axis != query)
    p = P[index].sum(axis=others)
    return p / p.sum()


def _expect_no_axis_error(answer, cases):
    """Add to an error about an axis what usually lies behind it."""
    try:
        for case in cases:
            call(answer, *case)
    except Wrong as wrong:
        if "axis" in str(wrong) and "Error" in str(wrong):
            raise Wrong(f"{wrong} When an observed axis is taken out, those after it move up: does your function count "
                        "with that?") from None  # fmt: skip
        raise


@exercise(
    "11.1",
    "Ask a table",
    start="Put the evidence in, sum over what is left except the query, normalise: (11.5).",
    hints=[
        "Build an index with one entry per axis: the observed number, or slice(None).",
        "After indexing, the observed axes are gone: the query's axis has moved. Count the axes that are left.",
        "np.moveaxis(P, query, -1) first is another way; or zero out what disagrees, then sum over all other axes.",
    ],
    solution=ask,
    explanation="Indexing removes the observed axes, so the others are counted anew before the sum.",
)
def _(answer):
    rng = np.random.default_rng(111)
    alarm = np.einsum("b,e,bea->bea", [0.001, 0.999], [0.002, 0.998],
                      [[[0.95, 0.05], [0.94, 0.06]], [[0.29, 0.71], [0.001, 0.999]]])  # fmt: skip
    wide = rng.dirichlet(np.full(72, 0.6)).reshape(2, 3, 4, 3)
    cases = [
        (alarm, 0, {2: 0}),
        (alarm, 1, {2: 0, 0: 1}),
        (wide, 2, {0: 1}),
        (wide, 3, {1: 2, 0: 0}),
        (wide, 1, {3: 2}),
    ]
    cases += [(wide, 2, {}), (wide, 1, {0: 1, 2: 3, 3: 0})]

    def joint(P, query, evidence):
        p = ask(P, query, evidence)
        index = tuple(evidence.get(axis, slice(None)) for axis in range(P.ndim))
        return p * P[index].sum()

    def prior(P, query, evidence):
        return ask(P, query, {})

    def not_moved(P, query, evidence):
        p = P[tuple(evidence.get(axis, slice(None)) for axis in range(P.ndim))]
        p = p.sum(axis=tuple(axis for axis in range(p.ndim) if axis != query))
        return p / p.sum()

    def by_max(P, query, evidence):
        p = np.moveaxis(P, query, -1)[tuple(evidence.get(k, slice(None)) for k in range(P.ndim) if k != query)]
        p = p.reshape(-1, P.shape[query]).max(axis=0)
        return p / p.sum()

    def swapped(P, query, evidence):
        return joint(P, query, evidence) / ask(P, query, {})

    def other_way(P, query, evidence):
        return ask(np.where(P > 0, 1.0, 0.0), query, evidence)

    _expect_no_axis_error(answer, cases)
    expect_function(
        answer,
        ask,
        cases,
        "P(query | evidence)",
        slips=[
            (joint, "That is P(query, evidence): divide by its sum, so that it sums to one."),
            (not_moved, "Indexing removes the observed axes, so the query's axis has moved: count those left before."),
            (prior, "You ignore the evidence: that is P(query) alone."),
            (other_way, "You count cases. Add up their probabilities."),
            (by_max, "You take the largest entry over the hidden variables. Their probabilities are added."),
            (swapped, "You return the evidence's chance given the query: normalise over the query's values."),
        ],
    )
    return "Right. On a table this always works; networks are for when there is no room for the table."


GRAPHS = (
    {"Burglary": (), "Earthquake": (), "Alarm": ("Burglary", "Earthquake"), "John": ("Alarm",), "Mary": ("Alarm",)},
    {"a": (), "b": ("a",), "c": ("a",), "d": ("b", "c"), "e": ("d", "a"), "f": ()},
    {"Rain": (), "Sun": (), "Rainbow": ("Rain", "Sun"), "Photo": ("Rainbow",), "Umbrella": ("Rain",)},
)


def blanket(parents, name):
    found = set(parents[name])
    for child, group in parents.items():
        if name in group:
            found |= {child, *group}
    return found - {name}


@exercise(
    "11.2",
    "Who shields it",
    start="Three groups: parents, children, and whom the children have as parents besides.",
    hints=[
        "A child of name is a key whose tuple of parents contains name.",
        "Collect parents[name]; for every child the child itself and all its parents; at the end take name away.",
    ],
    solution=blanket,
    explanation="Equation (11.8): the tables that mention a variable are its own and its children's.",
)
def _(answer):
    def children(parents, name):
        return {child for child, group in parents.items() if name in group}

    slips = (
        (lambda g, n: set(g[n]) | children(g, n), "The children's other parents are missing (explaining away)."),
        (lambda g, n: set(g[n]), "Those are the parents. Children, and their other parents, belong to it as well."),
        (lambda g, n: children(g, n), "Those are the children. Parents and co-parents belong to it."),
        (lambda g, n: blanket(g, n) | {n}, "The variable itself does not belong to its blanket."),
        (lambda g, n: set(g) - {n}, "Those are all others. The blanket is the smallest set that shields."),
        (lambda g, n: blanket(g, n) - set(g[n]), "The parents are missing."),
        (lambda g, n: blanket(g, n) - children(g, n), "The children themselves are missing."),
        (lambda g, n: set(g[n]) | children(g, n) | {d for c in children(g, n) for d in children(g, c)},
         "Those are parents, children and grandchildren. Not the grandchildren, the children's other parents shield."),
        (lambda g, n: blanket(g, n) | {d for c in children(g, n) for d in children(g, c)}, "The grandchildren are "
         "shielded by the children."),
        (_by_substring, "You look for the name inside a text, and Rain is found in Rainbow. Ask whether it is one of "
         "the parents: name in parents[child]."),
        (lambda g, n: blanket(g, n) | {p for q in g[n] for p in g[q]}, "The grandparents are shielded by the parents."),
        (lambda g, n: blanket(g, n) | {c for q in g[n] for c in children(g, q)} - {n}, "Siblings are shielded."),
    )  # fmt: skip
    cases = [(graph, name) for graph in GRAPHS for name in graph]
    got = [_as_set(call(answer, graph, name)) for graph, name in cases]
    if got == [blanket(*case) for case in cases]:
        return "Right. Gibbs sampling needs no more than that to redraw a variable."
    for wrong, words in slips:
        if got == [wrong(*case) for case in cases]:
            raise Wrong(words)
    for (graph, name), mine in zip(cases, got):
        if mine != blanket(graph, name):
            raise Wrong(f"For {name} in {brief(graph)} you return {_listed(mine)}; it should be "
                        f"{_listed(blanket(graph, name))}.")  # fmt: skip
    return None


def _by_substring(parents, name):
    """Return the blanket of somebody who writes ``name in str(parents[child])``."""
    found = set(parents[name])
    for child, group in parents.items():
        if name in str(group):
            found |= {child, *group}
    return found - {name}


def _as_set(value):
    value = value.tolist() if isinstance(value, np.ndarray) and value.ndim == 1 else value
    if isinstance(value, (set, frozenset, list, tuple)) and all(isinstance(v, str) for v in value):
        if len(set(value)) < len(value):
            raise Wrong(f"A variable occurs twice in {brief(value)}; a set is wanted.")
        return set(value)
    raise Wrong(f"Return a set of names; got {brief(value)}.")


def _listed(names):
    return "{" + ", ".join(sorted(names)) + "}" if names else "the empty set"


def redraw_chance(p, children):
    yes, no = p, 1 - p
    for if_true, if_false in children:
        yes, no = yes * if_true, no * if_false
    return yes / (yes + no)


def _mixed_sum(p, children):
    """Return the chance of somebody who adds the children's factors and multiplies by p and 1 - p."""
    if not children:
        return p
    yes, no = p * sum(a for a, _ in children), (1 - p) * sum(b for _, b in children)
    return yes / (yes + no)


@exercise(
    "11.3",
    "One step of Gibbs",
    start="Two numbers compete, X true and X false: (11.8). What does each child contribute to them?",
    hints=[
        "X true: p times the first number of every pair. X false: 1 - p times the second ones.",
        "Divide the first product by the sum of both.",
    ],
    solution=redraw_chance,
    explanation="Equation (11.8), normalised over the two states.",
)
def _(answer):
    cases = [(0.94, [(0.7, 0.3)]), (0.94, [(0.9, 0.05), (0.7, 0.01)]), (0.001, [(0.9, 0.05), (0.7, 0.01)])]
    cases += [(0.3, [(0.2, 0.6)]), (0.3, [])]
    cases += [(0.62, [(0.5, 0.1), (0.2, 0.9), (0.35, 0.4)]), (0.15, [(0.0, 0.4)]), (0.8, [(0.1, 0.7), (0.45, 0.3)])]

    drawn = [call(answer, *case) for case in cases * 3]
    if all(np.ndim(x) == 0 and isinstance(x, (bool, int, float, np.generic)) and x in (0, 1) for x in drawn):
        raise Wrong("Your function draws: it returns 0 or 1 only. Return the chance of true, and draw nothing.")

    def product(children, k):
        return float(np.prod([pair[k] for pair in children]))

    def no_prior(p, children):
        return product(children, 0) / (product(children, 0) + product(children, 1))

    expect_function(
        answer,
        redraw_chance,
        cases,
        "The chance of true",
        slips=[
            (lambda p, c: p * product(c, 0), "That is only the part for true, not yet normalised."),
            (no_prior, "The variable's own table is missing: start with p and 1 - p."),
            (lambda p, c: p, "The children are missing: each of them is evidence about X."),
            (lambda p, c: redraw_chance(p, c[:1]), "You use the first child only."),
            (lambda p, c: redraw_chance(p, c[-1:]), "You use the last child only."),
            (lambda p, c: p * product(c, 0) / (p * product(c, 0) + product(c, 1)), "X false starts with 1 - p."),
            (lambda p, c: redraw_chance(p, [pair[::-1] for pair in c]), "The two numbers of a pair are exchanged: "
             "first X true, then X false."),
            (lambda p, c: 1 - redraw_chance(p, c), "That is the chance of false."),
            (lambda p, c: p * product(c, 0) / ((1 - p) * product(c, 1)), "Those are the odds; divide by the sum of "
             "both, not by the other one."),
            (lambda p, c: redraw_chance(p, [(a, 1 - a) for a, _ in c]), "The second number of a pair is not one minus "
             "the first: both are chances of the same value, in two worlds."),
            (_mixed_sum, "The children's factors multiply; you added them up."),
            (lambda p, c: (p + sum(a for a, _ in c)) / (1 + sum(a + b for a, b in c)), "Multiply the factors; you "
             "added them."),
        ],
    )  # fmt: skip
    return "Right. Draw a uniform number, compare, and Gibbs has made a step."


def learn_table(parent, child, shape, alpha):
    counts = np.full(shape, float(alpha))
    np.add.at(counts, (parent, child), 1)
    return counts / counts.sum(axis=1, keepdims=True)


def _expect_shape(table, case):
    """Say what a smaller table lacks: states that never occur have their place, too."""
    *_, shape, _ = case
    try:
        found = np.shape(np.asarray(table, dtype=float))
    except (TypeError, ValueError):
        return  # told elsewhere
    if len(found) == 2 and found not in (shape, shape[::-1]):
        raise Wrong(f"With shape = {shape} your table has the shape {found}. Its shape is given: states that never "
                    "occur have their row or column, too.")  # fmt: skip


@exercise(
    "11.4",
    "A table from data",
    start="Count the pairs first; which sums must be one, those of the rows or of the columns?",
    hints=[
        "np.add.at(counts, (parent, child), 1) counts pairs, also repeated ones; counts[parent, child] += 1 does not.",
        "Add alpha to every entry, also where nothing was counted, and divide each row by its sum.",
    ],
    solution=learn_table,
    explanation="Equation (11.17). With alpha > 0 a row without data becomes uniform.",
)
def _(answer):
    rng = np.random.default_rng(114)
    candies = (np.repeat([0, 0, 1, 1], [45, 15, 10, 30]), np.repeat([0, 1, 0, 1], [45, 15, 10, 30]))
    cases = [(*candies, (2, 2), 1.0), (*candies, (2, 2), 0.0)]
    for n, shape, alpha in ((40, (3, 2), 0.5), (60, (2, 4), 2.0)):
        cases.append((rng.integers(0, shape[0], n), rng.integers(0, shape[1] - 1, n), shape, alpha))
    cases.append((np.array([0, 0, 1, 3, 3, 3, 1]), np.array([0, 1, 1, 0, 0, 0, 1]), (5, 3), 1.5))

    def once(parent, child, shape, alpha):
        counts = np.full(shape, float(alpha))
        counts[parent, child] += 1
        return counts / counts.sum(axis=1, keepdims=True)

    def counts(parent, child, shape, alpha):
        table = np.full(shape, float(alpha))
        np.add.at(table, (parent, child), 1)
        return table

    def by_column(*case):
        return counts(*case) / counts(*case).sum(axis=0)

    def over_all(*case):
        return counts(*case) / counts(*case).sum()

    def only_above(parent, child, shape, alpha):
        return (counts(parent, child, shape, alpha)) / (counts(parent, child, shape, 0).sum(axis=1, keepdims=True))

    def two_states(parent, child, shape, alpha):
        total = counts(parent, child, shape, 0).sum(axis=1, keepdims=True) + 2 * alpha
        return counts(parent, child, shape, alpha) / total

    def from_rows(parent, child, shape, alpha):
        total = counts(parent, child, shape, 0).sum(axis=1, keepdims=True) + shape[0] * alpha
        return counts(parent, child, shape, alpha) / total

    def one_alpha(parent, child, shape, alpha):
        return counts(parent, child, shape, alpha) / (
            counts(parent, child, shape, 0).sum(axis=1, keepdims=True) + alpha
        )

    for case in cases:
        _expect_shape(call(answer, *case), case)
    expect_function(
        answer,
        learn_table,
        cases,
        "The table",
        slips=[
            (once, "counts[parent, child] += 1 counts a pair once, however often it occurs. Use np.add.at."),
            (lambda p, c, s, a: counts(p, c, s, 0), "Those are bare counts. Add alpha, then divide by the row's sum."),
            (lambda *case: counts(*case), "Those are counts. Divide each row by its sum."),
            (by_column, "You divide by the sums of the columns: that is P(parent | child)."),
            (over_all, "You divide by the sum of all entries: that is the joint. Divide each row by its own sum."),
            (lambda p, c, s, a: learn_table(p, c, s, 0), "The imagined samples are missing: add alpha to every entry."),
            (only_above, "The imagined samples belong in the denominator, too."),
            (two_states, "2 alpha in the denominator is right for two states only: K alpha, K from shape."),
            (from_rows, "K is the number of the child's states, shape[1]; you took that of the parent's, shape[0]."),
            (one_alpha, "Each state has alpha imagined samples, so the row's sum grows by K times alpha."),
            (lambda p, c, s, a: learn_table(c, p, s[::-1], a), "Parent and child are exchanged."),
            (lambda p, c, s, a: learn_table(p, c, s, a).T, "The table is transposed: rows belong to the parent."),
        ],
    )  # fmt: skip
    return "Right. Do this for every variable, and the network has learnt."

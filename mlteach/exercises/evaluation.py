"""Exercises of chapter 02: intervals, sample sizes, confusion matrices, ROC, paired tests, losses and thresholds."""

from math import comb, erfc, sqrt

import numpy as np

from mlteach.exercises.base import Wrong, exercise, expect_close


def interval(mistakes, n, z):
    error = mistakes / n
    half = z * (error * (1 - error) / n) ** 0.5
    return error - half, error + half


@exercise(
    "2.1",
    "An interval from counts",
    start="Turn the count into a share first, then use (2.8).",
    hints=[
        "The sample error is mistakes / n. The standard deviation is the root of error (1 - error) / n.",
        "Return (error - z * s, error + z * s) with s the standard deviation.",
    ],
    solution=interval,
    explanation="Equation (2.8). The variance of a mean of n values is that of one value divided by n.",
)
def _(answer):
    for mistakes, n, z in ((12, 40, 1.96), (31, 250, 1.2816), (70, 90, 2.5758), (1, 20, 1.96), (0, 20, 1.96)):
        error = mistakes / n
        s2 = error * (1 - error) / n

        def around(half, centre=error):
            return np.array([centre - half, centre + half])

        centre = (error + z**2 / (2 * n)) / (1 + z**2 / n)
        wilson = around(z * np.sqrt(s2 + z**2 / (4 * n**2)) / (1 + z**2 / n), centre)
        got = _pair(answer(mistakes, n, z), "Return two numbers, (low, high).")
        low, high = around(z * np.sqrt(s2))
        expect_close(
            got,
            [low, high],
            f"The interval for {mistakes} of {n} with z = {z:g}",
            known=[
                ([high, low], "The ends are swapped: return (low, high)."),
                (around(z * s2), "The root is missing: s is the root of error (1 - error) / n."),
                (around(z * np.sqrt(s2 * n)), "You did not divide by n: that is the spread of one answer, not of n."),
                (around(z * np.sqrt(s2 / n)), "You divided by n twice."),
                (around(z * np.sqrt(s2 * n) / n), "Divide by n under the root; you divide by n outside it."),
                (around(np.sqrt(s2)), "z is missing: the half-width is z standard deviations."),
                (wilson, "That is Wilson's interval (2.10), the better one; here the plain (2.8) is wanted."),
                (around(1.96 * np.sqrt(s2)), f"You use 1.96 whatever z is given; here z = {z:g}."),
                (around(z * np.sqrt(s2) / 2), "The half-width is z times s; you halved it."),
                (
                    around(z * 0.5 / np.sqrt(n)),
                    "You used the worst case 1/4 for error (1 - error), which is known here.",
                ),
                (around(z * np.sqrt(error / n)), "The factor 1 - error is missing under the root."),
                (n * around(z * np.sqrt(s2)), "These are counts. Return shares: divide by n."),
                (np.clip([low, high], 0, 1), "Do not clip: (2.8) may leave [0, 1], and it should be seen to."),
                *((np.round([low, high], d), "Do not round the ends: they are to be compared.") for d in (2, 3, 4)),
            ],
        )
    return "Right. For few samples or an error near 0 or 1 prefer Wilson's interval (2.10)."


@exercise(
    "2.2",
    "How many to test?",
    start="Which value of p makes p (1 - p) largest?",
    hints=[
        "(2.11): n is at least z² p (1 - p) / ε², with ε the half-width 0.02.",
        "Unknown p: 1.96² / (4 · 0.02²). About 0.1: 1.96² · 0.09 / 0.02². Round up.",
    ],
    solution=(2401, 865),
    explanation="1.96² · 0.25 / 0.0004 = 2401 and 1.96² · 0.09 / 0.0004 = 864.36, rounded up.",
)
def _(answer):
    got = _pair(answer, "Enter two whole numbers.")
    if got[0] != np.round(got[0]):
        raise Wrong(f"{got[0]:.2f} is no whole number of samples: round up.")
    expect_close(
        got[0],
        2401,
        "The number for an unknown error",
        known=[
            (9604, "You left out the factor 1/4 (the largest p (1 - p)), or took 0.02 as the whole width."),
            (2500, "You used z = 2; the task says z = 1.96."),
            (2400, "In the computer 1.96² / 4 / 0.02² is 2400.9999...: int() cuts that off. Round up instead."),
            (98, "Square the quotient z / ε as well."),
            (49, "Square the quotient z / (2 ε) as well."),
            (1692, "That is for 90 % confidence; 95 % has z = 1.96."),
            (600, "Your interval has the half-width 0.04; 0.02 is the half-width, not the whole."),
            (601, "Your interval has the half-width 0.04; 0.02 is the half-width, not the whole."),
            (865, "That is the number for an error of about 0.1; give the unknown one first."),
        ],
        reveal=False,
        rtol=0,
        atol=1e-6,
    )
    expect_close(
        got[1],
        865,
        "The number for an error of about 0.1",
        known=[
            (864, "Round up: with 864 samples the half-width is a little above 0.02."),
            *((v, "Round up to a whole number of samples.") for v in (864.36, got[1]) if 864 < v < 865),
            (900, "You used z = 2; the task says z = 1.96."),
            (961, "You used p instead of p (1 - p)."),
            (960, "You used p instead of p (1 - p)."),
            (960.4, "You used p instead of p (1 - p), and the number is not whole."),
            (2401, "An error of 0.1 is known here, so p (1 - p) = 0.09 takes the place of 1/4."),
        ],
        reveal=False,
        rtol=0,
        atol=1e-6,
    )
    return "Right. A small error needs fewer samples for the same half-width, though not for the same relative one."


def recall_precision(C):
    correct = np.diag(C)
    return correct / C.sum(axis=1), correct / C.sum(axis=0)


@exercise(
    "2.3",
    "Rows and columns",
    start="Which sum counts all samples that are of a class, and which all that were called it?",
    hints=[
        "np.diag(C) holds the correct ones. A row is a true class, so recall divides by the sum of the row.",
        "C.sum(axis=1) adds along each row, C.sum(axis=0) down each column. Return recalls, then precisions.",
    ],
    solution=recall_precision,
    explanation="Equation (2.21): the same diagonal, divided by row sums for recall and by column sums for precision.",
)
def _(answer):
    rng = np.random.default_rng(3)
    for K in (3, 2, 5):
        C = rng.integers(1, 30, (K, K)) + 20 * np.diag(np.arange(1, K + 1))
        correct, rows, columns = np.diag(C), C.sum(axis=1), C.sum(axis=0)
        got = answer(C.copy())
        if not isinstance(got, (tuple, list, np.ndarray)) or len(got) != 2:
            raise Wrong("Return two arrays: the recalls and the precisions.")
        total = C.sum()
        one_against_rest = (total - rows - columns + 2 * correct) / total
        swapped = "You divided by the column sums. A column is everything *called* a class, which gives precision; "
        for what, value, wanted, other, words in (
            ("recalls", got[0], correct / rows, correct / columns, swapped + "return the recalls first."),
            ("precisions", got[1], correct / columns, correct / rows, "You divided by the row sums; that is recall."),
        ):
            expect_close(
                value,
                wanted,
                f"The array of {what} for {K} classes",
                known=[
                    (other, words),
                    (correct / total, "You divided by all samples; divide by the sum of one row or column."),
                    (one_against_rest, "That is the accuracy of one class against the rest: it counts true negatives."),
                    (np.full(K, correct.sum() / total), "That is the accuracy; one value for each class is wanted."),
                    (wanted.mean(), "That is the mean over the classes; return one value for each."),
                    (1 - wanted, "These are the shares of mistakes; one minus them is wanted."),
                ],
            )
    return "Right. The diagonal is shared; only the denominator tells the two apart."


ROC_POINTS = {"A": (0.02, 0.40), "B": (0.08, 0.66), "C": (0.20, 0.86), "D": (0.45, 0.96), "E": (0.70, 0.99)}


def _cheapest(share, miss, alarm):
    return min(ROC_POINTS, key=lambda k: share * miss * (1 - ROC_POINTS[k][1]) + (1 - share) * alarm * ROC_POINTS[k][0])


@exercise(
    "2.4",
    "The right point of the curve",
    start="Two mistakes can happen to a person. How probable is each, and what does it cost?",
    hints=[
        "A miss happens with probability 0.1 (1 - TPR), a false alarm with probability 0.9 FPR.",
        "Cost = 0.5 (1 - TPR) + 0.9 FPR. Work it out for all five points.",
    ],
    solution="B",
    explanation="0.5 (1 - TPR) + 0.9 FPR is 0.318, 0.242, 0.250, 0.425, 0.635 for A to E.",
)
def _(answer):
    letter = answer.strip().upper() if isinstance(answer, str) else None
    if letter not in ROC_POINTS:
        raise Wrong('Enter one of the letters "A" to "E" as a string.')
    f, t = ROC_POINTS[letter]
    cost = 0.5 * (1 - t) + 0.9 * f
    reasons = {
        "A": "A is the cheapest if a miss costs no more than a false alarm. Here it costs five times as much.",
        "C": "C is nearest to the corner, and comes second; but nine in ten people can raise a false alarm.",
        "D": "D would be the cheapest if half of the people were ill. Only 10 % are.",
        "E": "E misses almost nobody, but raises an alarm for seven in ten healthy people.",
    }
    if letter != _cheapest(0.1, 5, 1):
        raise Wrong(f"{reasons[letter]} Its expected cost is {cost:.3f} for each person, and another point has less.")
    return "Right: 0.242 for each person. Cost depends on the share of ill people, which the ROC curve does not show."


def sign_test(b, c):
    n = b + c
    tail = sum(comb(n, k) for k in range(min(b, c) + 1)) / 2**n
    return min(1.0, 2 * tail)


def _chi_squared(b, c, correction=0):
    """Return the p-value of McNemar's test in its approximate form."""
    return erfc(sqrt(max(abs(b - c) - correction, 0) ** 2 / (b + c) / 2))


def _tail(b, c, last):
    n = b + c
    return sum(comb(n, k) for k in range(last + 1)) / 2**n


@exercise(
    "2.5",
    "A coin for the disputed cases",
    start="How probable are 0, 1, ..., min(b, c) heads in b + c throws of a fair coin?",
    hints=[
        "Equation (2.6) with p = 1/2: the probability of k heads in n throws is comb(n, k) / 2**n, with n = b + c.",
        "Add up k = 0 to min(b, c), both included, double it, and cut off at 1 with min(1, ...).",
    ],
    solution=sign_test,
    explanation="This is McNemar's exact test. The samples on which both programs agree never enter.",
)
def _(answer):
    for b, c in ((3, 6), (12, 4), (0, 7), (5, 5), (1, 0), (20, 31)):
        n, low = b + c, min(b, c)
        right = sign_test(b, c)
        expect_close(
            answer(b, c),
            right,
            f"The p-value for b = {b}, c = {c}",
            known=[
                (2 * _tail(b, c, low), "A probability above 1: when b = c the two tails overlap. Cut off at 1."),
                (_tail(b, c, low), "That is one tail only. A split uneven the other way counts as well: double it."),
                (min(1, 2 * _tail(b, c, low - 1)), "The sum stops too early: k = min(b, c) belongs to it."),
                (
                    2 * comb(n, low) / 2**n,
                    "You took the one outcome k = min(b, c); add all more uneven ones.",
                ),
                (comb(n, low) / 2**n, "You took the one outcome k = min(b, c); add all more uneven ones."),
                (
                    _chi_squared(b, c),
                    "That is the χ² form of McNemar's test, an approximation; sum up the coin exactly.",
                ),
                (_chi_squared(b, c, 1), "That is the χ² form with its correction, an approximation; sum up exactly."),
                (min(1, 2 * _tail(b, c, b)), "Start from the rarer side, min(b, c), whichever program it belongs to."),
                (min(1, 2 * _tail(b, c, c)), "Start from the rarer side, min(b, c), whichever program it belongs to."),
                (min(1, 2 * _tail(b, c, max(b, c))), "Sum up to the smaller of b and c; you went up to the larger."),
            ],
        )
    return "Right. Three against six gives 0.508: such a split is what a fair coin does every other time."


@exercise(
    "2.6",
    "Three losses, three answers",
    start="Which statistic does each loss choose? (2.28) answers two of the three.",
    hints=[
        "Squared loss: the mean. Absolute loss: the median. Huber: the pulls, cut off at ±3, must add up to zero.",
        "Guess that the constant c is between 4 and 7: then 1 pulls with -3 and 40 with +3, and 2, 4, 7 with y - c.",
        "-3 + (2 - c) + (4 - c) + (7 - c) + 3 = 0. Check: 1 - c is below -3, and 2 - c and 7 - c are within ±3.",
    ],
    solution=(10.8, 4.0, 13 / 3),
    explanation="13 - 3c = 0 gives c = 13/3; there 1 - c = -3.33 and 40 - c = 35.67 are cut off, 7 - c = 2.67 is not.",
)
def _(answer):
    words = "Enter three numbers: for the squared, the absolute and the Huber loss."
    if not isinstance(answer, (tuple, list, np.ndarray)) or np.shape(answer) != (3,):
        raise Wrong(words)
    try:
        squares, absolute, huber = (float(value) for value in answer)
    except (TypeError, ValueError):
        raise Wrong(words) from None
    if 0 < abs(absolute - 4) < 0.05:
        raise Wrong(f"The constant of the absolute loss is not {absolute:.8g}: it is one of the five values, exactly.")
    trimmed, half_up = "You left out the outlier; it pulls too.", "That is the mean."
    expect_close(
        squares,
        10.8,
        "The constant of the squared loss",
        known=[
            (4, "That is the median; the squared loss chooses the mean."),
            (3.5, trimmed),
            (54, "Divide the sum by 5."),
        ],
        reveal=False,
    )
    expect_close(
        absolute,
        4,
        "The constant of the absolute loss",
        known=[(10.8, half_up + " The absolute loss chooses the median."), (3, trimmed), (3.5, trimmed)],
        reveal=False,
    )
    expect_close(
        huber,
        13 / 3,
        "The constant of the Huber loss",
        known=[
            (4, "At 4 the pulls are -3, -2, 0, 3, 3: they add up to 1. Move a little further."),
            (10.8, "That is the mean; here 40 may pull with 3 only."),
            (3.5, "You left out the 40. It still pulls, with 3."),
            (14 / 4, "You left out the 40. It still pulls, with 3."),
            (17 / 4, "With c near 4.3 the value 1 is further than 3 away: it pulls with -3, not with 1 - c."),
            (16 / 3, "You forgot that 1 pulls too, with -3."),
            (10 / 3, "You forgot that 40 pulls too, with +3."),
            (4.3, "Give at least two decimals, or a fraction."),
            (5, "A cut-off of 3 does not move the 40 to c + 3 and average once; solve for the c that balances."),
        ],
        reveal=False,
        rtol=1e-3,
    )
    return "Right. The outlier drags the mean to 10.8; Huber's constant is only 1/3 above the median."


def cheapest_threshold(y, scores, cost_fp, cost_fn):
    best, least = np.inf, cost_fn * np.sum(y == 1)  # nobody is called positive
    for threshold in np.unique(scores)[::-1]:
        called = scores >= threshold
        cost = cost_fp * np.sum(called & (y == 0)) + cost_fn * np.sum(~called & (y == 1))
        if cost < least:
            best, least = threshold, cost
    return best


def _variant(y, scores, cost_fp, cost_fn, *, strict=False, smallest=False, nobody=True):
    tried = np.unique(scores)
    tried = np.append(tried, np.inf) if nobody else tried
    called = scores > tried[:, None] if strict else scores >= tried[:, None]
    costs = cost_fp * np.sum(called & (y == 0), axis=1) + cost_fn * np.sum(~called & (y == 1), axis=1)
    where = np.flatnonzero(costs == costs.min())
    return tried[where[0] if smallest else where[-1]]


@exercise(
    "2.7",
    "The cheapest threshold",
    start="For one threshold: who is called positive, and what do the mistakes cost?",
    hints=[
        "called = scores >= threshold; FP = np.sum(called & (y == 0)); FN = np.sum(~called & (y == 1)).",
        "Go through np.unique(scores) from the largest down, after np.inf, and replace the best only if the cost is "
        "strictly lower: then ties keep the larger threshold.",
    ],
    solution=cheapest_threshold,
    explanation="Between two neighbouring scores nothing changes, so the scores are enough, and inf for nobody.",
)
def _(answer):
    cases = list(_threshold_cases())
    got = [_threshold(answer(y.copy(), scores.copy(), *costs)) for y, scores, *costs in cases]
    wanted = [cheapest_threshold(*case) for case in cases]
    if got == wanted:
        return "Right. Choose it on validation data, never on the test set."
    slips = (
        (_variant_of(nobody=False), "Sometimes it is cheapest to call nobody positive: try np.inf as well."),
        (_variant_of(smallest=True), "On a tie the largest threshold is wanted; you return the smallest."),
        (_variant_of(strict=True), "A score equal to the threshold counts as positive: use >=, not >."),
        (lambda y, s, fp, fn: _variant(y, s, fn, fp), "The costs are swapped: a miss is FN, a false alarm is FP."),
        (
            lambda y, s, fp, fn: _variant(y, s, 1, 1),
            "You return the one with the fewest mistakes; use the costs.",
        ),
        (
            lambda y, s, fp, fn: fp / (fp + fn),
            "That is (2.24), which needs calibrated scores. Count costs on the data.",
        ),
        (
            lambda y, s, fp, fn: fn / (fp + fn),
            "That is (2.24) for calibrated scores, and upside down. Count the costs.",
        ),
        (lambda y, s, fp, fn: _variant(1 - y, s, fp, fn), "The roles of 0 and 1 in y are swapped."),
    )
    for slip, words in slips:
        if np.allclose(got, [slip(*case) for case in cases]):
            raise Wrong(words)
    k = next(k for k in range(len(cases)) if got[k] != wanted[k])
    y, scores, cost_fp, cost_fn = cases[k]
    case = f"With {len(y)} samples, a false alarm at {cost_fp} and a miss at {cost_fn}"
    if np.isfinite(got[k]) and got[k] not in scores:
        raise Wrong(f"{case} you return {got[k]:g}, which is none of the scores and not np.inf.")
    raise Wrong(f"{case} you return {got[k]:g}; {wanted[k]:g} is cheaper, or as cheap and larger.")


def _threshold_cases():
    rng = np.random.default_rng(7)
    for trial in range(60):
        y = np.append([0, 1], rng.integers(0, 2, int(rng.integers(4, 25))))
        yield y, np.round(rng.normal(0.5 * y, 0.6), 1), *((1, 1), (1, 5), (4, 1), (30, 1))[trial % 4]


def _threshold(value):
    if value is None or value is ...:
        raise Wrong("Your function ends without returning a value.")
    if not isinstance(value, (int, float, np.number, np.ndarray)) or np.ndim(value) != 0 or np.iscomplexobj(value):
        raise Wrong("Return one number, the threshold.")
    return float(value)


def _variant_of(**keywords):
    return lambda *case: _variant(*case, **keywords)


def _pair(value, words):
    if not isinstance(value, (tuple, list, np.ndarray)) or np.shape(value) != (2,):
        raise Wrong(words)
    try:
        return np.array([float(part) for part in value])
    except (TypeError, ValueError):
        raise Wrong(words) from None

"""Tasks and exercises of chapter 12: paths, gains, losses of a split, thresholds, gaps, pruning."""

import numpy as np

from mlteach.exercises.base import Wrong, exercise, expect_close, expect_function, letters, numbers


def _plain(answer):
    """Return a tuple of answers with (1,) and [x] as plain numbers."""
    if not isinstance(answer, (tuple, list)):
        return answer
    return tuple(np.ravel(part)[0] if np.size(part) == 1 else part for part in answer)


def _bits(*counts):
    """Return the entropy of class counts, in bits."""
    p = np.array([c for c in counts if c]) / sum(counts)
    return float(-(p * np.log2(p)).sum())


# --- 12.a ----------------------------------------------------------------------------------------------------------


@exercise(
    "12.a",
    "Days on which they play",
    start="How many of the 36 combinations does each of the three Yes paths cover?",
    hints=[
        "A path fixes the attributes that it asks; all others are free.",
        "Sunny and Normal leaves three temperatures and two winds free: six combinations.",
        "6 + 12 + 6.",
    ],
    solution=24,
    explanation="Sunny and Normal: 3 * 2 = 6; Overcast: 3 * 2 * 2 = 12; Rain and Weak: 3 * 2 = 6.",
)
def _(answer):
    expect_close(
        answer,
        24,
        "The number",
        rtol=0,
        atol=0.01,
        reveal=False,
        known=[
            (3, "This is the number of Yes paths. Each of them covers several combinations."),
            (9, "These are the Yes rows of the table; combinations that never occurred count too."),
            (8, "Temperature is never asked, but it still has three values."),
            (12, "Either these are the combinations with No, or those of Overcast alone."),
            (6, "This is one path alone, Sunny and Normal or Rain and Weak; add up all three."),
            (18, "One of the three Yes paths is missing."),
            (36, "These are all combinations; the tree says No to some of them."),
            (14, "This is the number of rows in the table."),
            (24 / 36, "This is the share of the combinations; their number is wanted."),
            (5, "This is the number of leaves, or of No rows."),
        ],
    )
    return "Right. From 14 days the tree has an opinion on all 36 combinations."


# --- 12.b ----------------------------------------------------------------------------------------------------------

_HUNGRY, _FED = _bits(5, 2), _bits(1, 4)
_GAIN_B = 1 - (7 * _HUNGRY + 5 * _FED) / 12


@exercise(
    "12.b",
    "The gain of Hungry",
    start="What is the entropy of 5 and 2, and of 1 and 4?",
    hints=[
        "Before the question: 6 against 6, one bit.",
        "H(5/7) = 0.863 and H(1/5) = 0.722; their weights are 7/12 and 5/12.",
        "1 - 7/12 * 0.8631 - 5/12 * 0.7219.",
    ],
    solution=round(_GAIN_B, 4),
    explanation="1 - (7 * 0.8631 + 5 * 0.7219) / 12 = 0.196 bits.",
)
def _(answer):
    expect_close(
        answer,
        _GAIN_B,
        "The gain",
        rtol=0,
        atol=0.0006,
        reveal=False,
        known=[
            (-_GAIN_B, "This has the wrong sign: the gain is the entropy before minus the entropy left."),
            (1 - _GAIN_B, "This is the entropy that is left. The gain is what the question takes away."),
            (1 - (_HUNGRY + _FED) / 2, "You took the plain mean of the two entropies; weight them with 7/12 and 5/12."),
            (1 - (5 * _HUNGRY + 7 * _FED) / 12, "The weights are exchanged: seven guests were hungry, five were not."),
            (1 - _HUNGRY - _FED, "The weights are missing: 7/12 and 5/12."),
            (_GAIN_B * np.log(2), "You took natural logarithms; bits need base 2."),
            (_GAIN_B * np.log10(2), "You took logarithms with base 10; bits need base 2."),
            (1 - (7 * 20 / 49 + 5 * 8 / 25) / 12, "You subtracted Gini indices from one bit; take entropies."),
            (0.5 - (7 * 20 / 49 + 5 * 8 / 25) / 12, "This is the decrease of the Gini index; the entropy is wanted."),
            (0.25, "This is the decrease of the misclassification loss; the entropy is wanted."),
            (1 - _HUNGRY, "You looked at the hungry guests alone; the others count too, each group by its share."),
            (
                1 - 7 / 12 * _HUNGRY,
                "The second group is missing: the five guests who were not hungry have entropy too.",
            ),
            (1 - 5 / 12 * _FED, "The first group is missing: the seven hungry guests have entropy too."),
            (_HUNGRY, "This is the entropy of the hungry guests."),
            (_FED, "This is the entropy of the guests who were not hungry."),
            (
                _GAIN_B / _bits(7, 5),
                "If you rounded: three decimals or better, please. If you divided by the entropy of 7 and 5: do not; "
                "the gain itself is wanted.",
            ),
            (19.57, "The gain is in per cent: divide it by 100."),
            (19.6, "The gain is in per cent: divide it by 100."),
        ],
    )
    return "Right. Hungry tells a fifth of a bit."


# --- 12.c ----------------------------------------------------------------------------------------------------------

_SUNNY = _bits(2, 3)
_TEMPERATURE, _WIND = _SUNNY - 2 / 5, _SUNNY - 3 / 5 * _bits(1, 2) - 2 / 5


@exercise(
    "12.c",
    "The sunny branch",
    start="Count Yes and No among the five sunny days, for each temperature and for each wind.",
    hints=[
        "The five sunny days have 2 Yes and 3 No: 0.971 bits. Only they count from here on.",
        "Hot: 0 Yes, 2 No. Mild: 1 and 1. Cool: 1 and 0. Weak: 1 and 2. Strong: 1 and 1.",
        "0.971 - 2/5 * 1, and 0.971 - 3/5 * 0.918 - 2/5 * 1.",
    ],
    solution=(round(_TEMPERATURE, 4), round(_WIND, 4)),
    explanation="Temperature: 0.971 - 2/5 = 0.571. Wind: 0.971 - 3/5 * 0.918 - 2/5 = 0.020.",
)
def _(answer):
    mean_t, mean_w = _SUNNY - 1 / 3, _SUNNY - (_bits(1, 2) + 1) / 2
    root_t = _bits(9, 5) - (4 * _bits(2, 2) + 6 * _bits(4, 2) + 4 * _bits(3, 1)) / 14
    root_w = _bits(9, 5) - (8 * _bits(6, 2) + 6) / 14
    more = _bits(9, 5) - _SUNNY
    expect_close(
        _plain(answer),
        (_TEMPERATURE, _WIND),
        "The gains",
        rtol=0,
        atol=0.0006,
        reveal=False,
        names="Temperature, Wind",
        known=[
            ((_WIND, _TEMPERATURE), "The right numbers in the wrong order: Temperature first."),
            ((root_t, root_w), "These are the gains at the root. In this branch only the five sunny days count."),
            ((_TEMPERATURE + more, _WIND + more), "You started from the 0.940 bits of all days; the branch has 0.971."),
            ((mean_t, mean_w), "You took plain means of the children's entropies; weight them by their days."),
            ((mean_t, ...), "For Temperature you took the plain mean of three entropies; weight them by their days."),
            ((..., mean_w), "For Wind you took the plain mean of two entropies; weight them with 3/5 and 2/5."),
            ((2 / 5, 3 / 5 * _bits(1, 2) + 2 / 5), "These are the entropies that are left; subtract them from 0.971."),
            ((_TEMPERATURE * np.log(2), _WIND * np.log(2)), "You took natural logarithms; bits need base 2."),
            ((_SUNNY - 1, _SUNNY - 1 - _bits(1, 2)), "The weights of the children are missing."),
            (
                (_SUNNY, ...),
                "That is the gain of Humidity, whose two groups are pure; Temperature leaves two mild days.",
            ),
            ((0.0200, _SUNNY), "These are the gains on the rainy days; take the sunny ones."),
            ((0.57, 0.02), "Three decimals or better, please."),
            ((_TEMPERATURE, ...), "Temperature is right; Wind is not."),
            ((..., _WIND), "Wind is right; Temperature is not."),
        ],
    )
    return "Right. Humidity gains the whole 0.971 here, so the branch asks Humidity."


# --- 12.d ----------------------------------------------------------------------------------------------------------

_GINI_D = 0.375 - 70 / 120 * 24 / 49
_ENTROPY_D = _bits(90, 30) - 70 / 120 * _bits(40, 30)


@exercise(
    "12.d",
    "Three losses, one split",
    start="What are the shares before the split, and in the child that is not pure?",
    hints=[
        "Before: 3/4 and 1/4. The impure child has 4/7 and 3/7, and the weight 70/120.",
        "Misclassification: 1/4 before, 70/120 * 3/7 after.",
        "Gini: 0.375 - 70/120 * 24/49. Entropy: 0.8113 - 70/120 * 0.9852.",
    ],
    solution=(0.0, round(_GINI_D, 4), round(_ENTROPY_D, 4)),
    explanation="1/4 - 70/120 * 3/7 = 0; 0.375 - 0.2857 = 0.089; 0.8113 - 0.5747 = 0.237.",
)
def _(answer):
    gini_mean, entropy_mean = 0.375 - 12 / 49, _bits(90, 30) - _bits(40, 30) / 2
    expect_close(
        _plain(answer),
        (0.0, _GINI_D, _ENTROPY_D),
        "The decreases",
        rtol=0,
        atol=0.0006,
        reveal=False,
        names="misclassification, Gini, entropy",
        known=[
            ((_ENTROPY_D, _GINI_D, 0.0), "The right numbers in the wrong order: misclassification, Gini, entropy."),
            ((0.0, _ENTROPY_D, _GINI_D), "Gini and entropy are exchanged."),
            ((0.25, 2 / 7, 0.5747), "These are the losses after the split; the decreases are wanted."),
            ((0.25, 0.375, _bits(90, 30)), "These are the losses before the split; the decreases are wanted."),
            (
                (1 / 4 - 3 / 14, ..., ...),
                "You took the plain mean of the two children; weight them with 70/120 and 50/120.",
            ),
            ((1 / 4 - 3 / 7, ..., ...), "The weight of the impure child is missing: 70/120."),
            (
                (0.0, gini_mean, ...),
                "For Gini you took the plain mean of the children; the weights are 70/120, 50/120.",
            ),
            ((0.0, 0.375 - 24 / 49, ...), "For Gini the weight of the impure child is missing: 70/120."),
            ((0.0, _GINI_D / 2, ...), "Gini is 1 - p² - (1 - p)² = 2p(1 - p); the factor 2 is missing."),
            ((0.0, _GINI_D, entropy_mean), "For the entropy you took the plain mean; the weights are 70/120, 50/120."),
            ((0.0, _GINI_D, _bits(90, 30) - _bits(40, 30)), "For the entropy the weight 70/120 is missing."),
            ((0.0, _GINI_D, _ENTROPY_D * np.log(2)), "The entropy is in nats; bits need base 2."),
            ((0.0, 0.08, 0.23645), "This is the example of the text; here the node has 90 and 30."),
            ((0.0, _GINI_D, ...), "Misclassification and Gini are right; the entropy is not."),
            ((0.0, ..., _ENTROPY_D), "Misclassification and entropy are right; Gini is not."),
            ((..., _GINI_D, _ENTROPY_D), "Gini and entropy are right; misclassification is not: 30 mistakes of 120."),
        ],
    )
    return "Right. Fifty examples are settled for good, and misclassification does not notice."


# --- 12.e ----------------------------------------------------------------------------------------------------------

_GAIN_E = _bits(4, 3) - 4 / 7 * _bits(1, 3)
_GAIN_LOW = _bits(4, 3) - 5 / 7 * _bits(4, 1)


@exercise(
    "12.e",
    "The best cut",
    start="Sort the values first. Between which neighbours does the class change?",
    hints=[
        "Sorted: 3 No, 4 No, 7 Yes, 9 No, 12 Yes, 15 Yes, 21 Yes. The class changes at 5.5, 8 and 10.5.",
        "At 5.5 the right side is 4 Yes, 1 No; at 10.5 the left side is 1 Yes, 3 No, the right side pure.",
        "At 10.5 the gain is 0.9852 - 4/7 * 0.8113.",
    ],
    solution=(10.5, round(_GAIN_E, 4)),
    explanation="Gains: 5.5: 0.470, 8: 0.128, 10.5: 0.522.",
)
def _(answer):
    cut, gain = numbers(answer, "the cut, its gain")
    if np.isclose(gain, 10.5, atol=0.01) and np.isclose(cut, _GAIN_E, atol=0.001):
        raise Wrong("The right numbers in the wrong order: the cut first.")
    for place, words in (
        (5.5, "The cut at 5.5 gains 0.470; another one gains more."),
        (8, "The cut at 8 gains 0.128; others gain more."),
        (9, "A cut lies midway between two neighbours, not on a value."),
        (12, "A cut lies midway between two neighbours, not on a value."),
    ):
        if abs(cut - place) < 1e-6:
            raise Wrong(words)
    if 9 < cut < 12 and abs(cut - 10.5) > 1e-6:
        raise Wrong(f"Any cut between 9 and 12 parts these values alike; midway is asked for, and you have {cut:g}.")
    if abs(cut - 10.5) > 1e-6:
        raise Wrong(f"The cut at {cut:g} is not the best. Compute the gains where the class changes, in sorted order.")
    expect_close(
        gain,
        _GAIN_E,
        "The gain",
        rtol=0,
        atol=0.0006,
        reveal=False,
        known=[
            (4 / 7 * _bits(1, 3), "The cut is right. This is the entropy left; subtract it from 0.9852."),
            (_bits(4, 3) - _bits(1, 3), "The cut is right. The weight 4/7 of the left side is missing."),
            (_bits(4, 3) - _bits(1, 3) / 2, "The cut is right. Weight the sides with 4/7 and 3/7, not with halves."),
            (_bits(4, 3) - 3 / 7 * _bits(1, 3), "The cut is right. The weights are exchanged: four values lie left."),
            (1 - 4 / 7 * _bits(1, 3), "The cut is right. Before the split there are 4 Yes and 3 No: 0.985, not 1."),
            (_GAIN_E * np.log(2), "The cut is right. The gain is in nats; bits need base 2."),
            (_GAIN_LOW, "The cut is right; this is the gain at 5.5."),
            (0.128, "The cut is right; this is the gain at 8."),
            (0.52, "The gain is rounded too far; three decimals or better, please."),
        ],
    )
    return "Right. The value 7 stays on the wrong side, and that is the price of one cut."


# --- 12.f ----------------------------------------------------------------------------------------------------------


@exercise(
    "12.f",
    "Two gaps",
    start="Send the day down all three branches of Outlook. With which weights?",
    hints=[
        "Sunny 5/14, Overcast 4/14, Rain 5/14.",
        "Among the five sunny days humidity is High three times, Normal twice; Rain and Strong says No.",
        "5/14 * 2/5 + 4/14 + 0.",
    ],
    solution=round(6 / 14, 4),
    explanation="Sunny 5/14 * 2/5 = 2/14, Overcast 4/14, Rain with a strong wind 0: together 6/14 = 0.429.",
)
def _(answer):
    expect_close(
        answer,
        6 / 14,
        "The chance",
        rtol=0,
        atol=0.0006,
        reveal=False,
        known=[
            (9 / 14, "This is the share of Yes at the root; the wind is known and must be used."),
            (11 / 14, "You took a weak wind; it is strong, and the Rain branch says No."),
            (
                5 / 14 * 1 / 2 + 4 / 14,
                "Humidity's shares are those of the five sunny days, 3/5 and 2/5, not of all 14.",
            ),
            (1 / 3 * 2 / 5 + 1 / 3, "The branches of Outlook do not weigh the same: 5/14, 4/14, 5/14."),
            (4 / 14, "This is Overcast alone; a part of the sunny branch says Yes too."),
            (2 / 14, "This is the sunny branch alone; Overcast says Yes too."),
            (8 / 14, "This is the chance of No."),
            (5 / 14, "This is the weight of one branch, Sunny or Rain; it still has to be multiplied and added."),
            (5 / 14 + 4 / 14, "On sunny days only the share 2/5 with normal humidity says Yes."),
            (2 / 5, "This is the sunny branch after its question; Outlook is missing too."),
            (2 / 5 + 4 / 14, "The sunny branch has the weight 5/14: multiply."),
            (5 / 14 * 2 / 5 + 4 / 14 + 5 / 14 * 3 / 5, "Rain and Strong says No: the shares were used above already."),
            (
                3 / 6,
                "If you counted the six windy days of the table: walk down the tree with (12.10) instead. If you did "
                "walk: the weights are 5/14, 4/14, 5/14, and on sunny days only Normal, 2/5, says Yes.",
            ),
            (0, "One branch alone says No here. Outlook is missing, so all three branches have their say."),
            (1, "One branch alone says Yes here. Outlook is missing, so all three branches have their say."),
            (1 / 3, "The branches of Outlook do not weigh the same, and a part of the sunny branch says Yes too."),
            (42.9, "The chance is in per cent: divide it by 100."),
        ],
    )
    return "Right. The day is three sevenths of a Yes, and every branch had its say."


# --- 12.g ----------------------------------------------------------------------------------------------------------


@exercise(
    "12.g",
    "Prune by hand",
    start="How many validation errors would each node make as a leaf, with the label of its training examples?",
    hints=[
        "As leaves: A says Yes, 11 errors; B says Yes, 5; C says Yes, 3; D says No, 2.",
        "D saves 4 - 2 = 2 errors, B saves 6 - 5 = 1, C would add one. The best cut comes first.",
        "D, then B. A as a leaf would make 11 errors where 7 are left.",
    ],
    solution=("DB", 7),
    explanation="D saves two errors (10 to 8), B one (8 to 7). C disappears with B. Cutting A would bring 11 errors.",
)
def _(order, errors):
    order = letters(order, "ABCD")
    (errors,) = numbers(errors, "the number of errors")
    if order == "BD":
        raise Wrong("Both cuts are right, but the best cut comes first: compare what each saves.")
    if "A" in order:
        raise Wrong(
            "A's leaf takes the majority of its training examples, Yes, and makes 11 errors; the tree below it makes "
            "fewer."
        )
    if "C" in order:
        raise Wrong(
            "C's leaf takes the majority of its training examples, Yes, and makes 3 errors where its subtree makes 2."
        )
    if order == "D":
        raise Wrong("After D another cut still saves an error. Go on until every cut would cost errors.")
    if order == "B":
        raise Wrong("Another cut saves more than B, and your answer lacks it.")
    if order != "DB":
        raise Wrong(f"{order} is not the order. Each node is cut at most once; the best cut comes first.")
    expect_close(
        errors,
        7,
        "The number of errors",
        rtol=0,
        atol=0.01,
        reveal=False,
        known=[
            (10, "The order is right. 10 is the number before any cut; subtract what the two cuts save."),
            (8, "The order is right. 8 is the number after the first cut."),
            (9, "The order is right. The first cut saves two errors, the second one."),
            (3, "The order is right. 3 errors are saved; how many are left?"),
            (5, "The order is right. B alone makes 5 errors; D adds its own."),
            (2, "The order is right. D alone makes 2 errors; B adds its own."),
            (11, "The order is right. A would make 11 errors as a leaf; it is not cut."),
            (6, "The order is right. 6 are the errors below B before the cut; count those of B and D as leaves."),
        ],
    )
    return "Right. Two leaves are left, and three errors fewer."


# --- 12.1 ----------------------------------------------------------------------------------------------------------


def gain(values, labels):
    def entropy(group):
        shares = np.array([group.count(c) for c in set(group)]) / len(group)
        return -np.sum(shares * np.log2(shares))

    left = 0.0
    for v in set(values):
        group = [c for value, c in zip(values, labels) if value == v]
        left += len(group) / len(labels) * entropy(group)
    return entropy(labels) - left


def _impurity(kind):
    def loss(group):
        p = np.array([group.count(c) for c in set(group)]) / len(group)
        if kind == "gini":
            return 1 - np.sum(p**2)
        if kind == "errors":
            return 1 - p.max()
        base = {"bits": 2, "nats": np.e, "tens": 10, "classes": max(len(p), 2)}[kind]
        return -np.sum(p * np.log(p)) / np.log(base)

    return loss


def _gain_with(kind="bits", weights="share", before=True):
    """Return a gain with one thing changed, to recognise typical slips."""
    loss = _impurity(kind)

    def wrong(values, labels):
        groups = [[c for v, c in zip(values, labels) if v == value] for value in sorted(set(values), key=repr)]
        w = {
            "share": [len(g) / len(labels) for g in groups],
            "mean": [1 / len(groups)] * len(groups),
            "none": [1.0] * len(groups),
            "counts": [len(g) for g in groups],
        }[weights]
        left = sum(a * loss(g) for a, g in zip(w, groups))
        return loss(labels) - left if before else left

    return wrong


def _split_of(values, labels):
    return _impurity("bits")(values)


def _ratio(values, labels):
    split = _split_of(values, labels)
    return gain(values, labels) / split if split else 0.0


def _two_classes(values, labels):
    """Return the gain with the formula for two classes, by the share of the first label."""

    def H(group):
        p = group.count(labels[0]) / len(group)
        return sum(-q * np.log2(q) for q in (p, 1 - p) if q > 0)

    groups = [[c for v, c in zip(values, labels) if v == value] for value in set(values)]
    return H(labels) - sum(len(g) / len(labels) * H(g) for g in groups)


def _every_example(values, labels):
    """Return the gain with a sum over the examples instead of the different values."""
    left = 0.0
    for v in values:
        group = [c for value, c in zip(values, labels) if value == v]
        left += len(group) / len(labels) * _impurity("bits")(group)
    return _impurity("bits")(labels) - left


def _refuse_log_of_zero(answer, example):
    """Say what is wrong with a function that takes the logarithm of a share that is zero."""
    try:
        with np.errstate(all="ignore"):
            found = answer(*map(list, example))
        failed = isinstance(found, (float, np.floating)) and np.isnan(found)
    except Wrong as problem:
        failed = "math domain error" in str(problem)
    if failed:
        raise Wrong("A class may be absent from a group. Its share is 0, and 0 log 0 counts as 0: leave it out.")


_GAIN_SLIPS = [
    (_every_example, "You sum over all examples, so a value that occurs n times counts n times: use set(values)."),
    (_gain_with(weights="mean"), "You took the plain mean of the groups' entropies; weight them by their size."),
    (_gain_with(weights="none"), "The weights |S_v|/|S| of the groups are missing."),
    (_gain_with(weights="counts"), "Weight the groups with their share of the examples, not with their number."),
    (_gain_with("nats"), "The gain is in nats; bits need base 2."),
    (_gain_with("tens"), "The gain is in units of base 10; bits need base 2."),
    (_gain_with("classes"), "The base of the logarithm is 2 for any number of classes."),
    (_gain_with("gini"), "This is the decrease of the Gini index; the entropy is wanted."),
    (_gain_with("errors"), "This is the decrease of the misclassification loss; the entropy is wanted."),
    (_gain_with(before=False), "This is the entropy that is left; subtract it from the entropy of the labels."),
    (lambda values, labels: _impurity("bits")(labels), "This is the entropy of the labels; subtract what is left."),
    (_split_of, "This is the split information, the entropy of the values."),
    (_ratio, "This is the gain ratio; do not divide by the split information."),
    (_two_classes, "There may be more than two classes; sum over all of them."),
    (
        lambda values, labels: -gain(values, labels),
        "This has the wrong sign: the gain is the entropy before minus the entropy left.",
    ),
]


@exercise(
    "12.1",
    "Information gain",
    start="Write the entropy of a list of labels first.",
    hints=[
        "Shares: [group.count(c) / len(group) for c in set(group)]. Only labels that occur: no log of 0.",
        "For each value in set(values) collect the labels of its examples.",
        "entropy(labels) minus the sum of len(group) / len(labels) * entropy(group).",
    ],
    solution=gain,
    explanation="Labels that do not occur in a group are never looked at, so 0 log 0 does not arise.",
)
def _(answer):
    outlook = list("SSORRROSSRSOOR")
    play = [c == "Y" for c in "NNYYYNYNYYYYYN"]
    words = [["Yes" if p else "No" for p in play]]
    rng = np.random.default_rng(12)
    cases = [
        (outlook, words[0]),
        (list("aabbbcc"), [1, 1, 2, 3, 3, 3, 2]),
        (list("xxxx"), ["p", "q", "q", "q"]),
        (list("xyyy"), ["p", "p", "p", "p"]),
        ([3, 1, 1, 2, 3, 3, 2, 2, 2], list("uvuvwwuuw")),
        (rng.integers(0, 4, 30).tolist(), rng.integers(0, 4, 30).tolist()),
    ]
    _refuse_log_of_zero(answer, cases[0])
    expect_function(answer, gain, cases, "The gain", slips=_GAIN_SLIPS)
    return "Right, for any number of values and classes."


# --- 12.2 ----------------------------------------------------------------------------------------------------------


def best_cut(x, y):
    order = np.argsort(x)
    x, y = np.asarray(x)[order], np.asarray(y)[order]

    def entropy(group):
        p = np.mean(group)
        return -sum(q * np.log2(q) for q in (p, 1 - p) if q > 0)

    best = (None, -1.0)
    for k in range(1, len(x)):
        if x[k] > x[k - 1]:
            left = (k * entropy(y[:k]) + (len(y) - k) * entropy(y[k:])) / len(y)
            if entropy(y) - left > best[1]:
                best = (x[k - 1] + x[k]) / 2, entropy(y) - left
    return best


def _cut_with(sort=True, place="middle", kind="bits", weighted=True, repeats=False, worst=False, interior=False):
    """Return a search with one thing changed, to recognise typical slips."""
    loss = _impurity(kind)

    def wrong(x, y):
        order = np.argsort(x, kind="stable") if sort else np.arange(len(x))
        x, y = np.asarray(x, float)[order], np.asarray(y)[order].tolist()
        found = []
        for k in range(2 if interior else 1, len(x) - interior):
            if x[k] == x[k - 1] and not repeats:
                continue
            w = k / len(y) if weighted else 0.5
            left = w * loss(y[:k]) + (1 - w) * loss(y[k:])
            where = {"middle": (x[k - 1] + x[k]) / 2, "left": x[k - 1], "right": x[k]}[place]
            found.append((loss(y) - left, where))
        g, where = (min if worst else max)(found, key=lambda pair: pair[0])
        return where, g

    return wrong


def _cut_by_mask(midpoints, nan=False):
    """Return a search over given candidates c that splits by x <= c; ``nan`` leaves 0 log 0 as it is."""

    def H(group):
        p = np.mean(group)
        if nan and p in (0, 1):
            return np.nan
        return _impurity("bits")(group.tolist())

    def wrong(x, y):
        best = (None, -1.0)
        for c in midpoints(x):
            left = x <= c
            if left.all() or not left.any():
                continue
            g = H(y) - left.mean() * H(y[left]) - (1 - left.mean()) * H(y[~left])
            if g > best[1]:
                best = (c, g)
        return best

    return wrong


def _cut_scan(sort_x=True, sort_y=True, changes=False, first=False, rising=True):
    """Return a scan of neighbours that sorts too little, or looks only where the class changes."""
    H = _impurity("bits")

    def wrong(x, y):
        order = np.argsort(x, kind="stable")
        x, y = x[order] if sort_x else x, (y[order] if sort_y else y).tolist()
        found = []
        for k in range(1, len(x)):
            if (rising and x[k] <= x[k - 1]) or (changes and y[k] == y[k - 1]):
                continue
            left = (k * H(y[:k]) + (len(y) - k) * H(y[k:])) / len(y)
            found.append((H(y) - left, (x[k - 1] + x[k]) / 2))
        g, where = found[0] if first else max(found, key=lambda pair: pair[0])
        return where, g

    return wrong


def _all_midpoints(x):
    return (np.sort(x)[1:] + np.sort(x)[:-1]) / 2


def _unsorted_midpoints(x):
    return (x[1:] + x[:-1]) / 2


def _swapped_cut(x, y):
    return best_cut(x, y)[::-1]


def _cut_left_over(x, y):
    where, g = best_cut(x, y)
    return where, _impurity("bits")(np.asarray(y).tolist()) - g


_CUT_SLIPS = [
    (_cut_by_mask(_all_midpoints), "The midpoint of two equal values is that value, no cut: use np.unique(x)."),
    (_cut_by_mask(_unsorted_midpoints), "Sort the values before you take midpoints."),
    (_cut_by_mask(np.sort), "A cut lies midway between two neighbours; yours is the value to its left."),
    (_cut_with(sort=False), "Sort the values first, and the labels with them."),
    (_cut_with(sort=False, repeats=True), "Sort the values first, and the labels with them."),
    (_cut_scan(sort_x=False, sort_y=False), "Sort the values first, and the labels with them."),
    (_cut_scan(sort_x=False, sort_y=False, rising=False), "Sort the values first, and the labels with them."),
    (_cut_scan(sort_y=False), "You sorted the values; the labels must move with them: y[np.argsort(x)]."),
    (_cut_scan(sort_y=False, rising=False), "You sorted the values; the labels must move with them: y[np.argsort(x)]."),
    (
        _cut_scan(changes=True),
        "You cut only where neighbours differ in class. A value that occurs with both classes needs its two sides too.",
    ),
    (_cut_scan(changes=True, first=True), "You take the first change of class; compare the gains of all cuts."),
    (
        _cut_scan(changes=True, first=True, rising=False),
        "You take the first change of class; compare the gains of all cuts.",
    ),
    (_cut_with(place="left"), "A cut lies midway between two neighbours; yours is the value to its left."),
    (_cut_with(place="right"), "A cut lies midway between two neighbours; yours is the value to its right."),
    (_cut_with(repeats=True), "Equal values cannot be parted: cut only where the sorted values differ."),
    (_cut_with(kind="gini"), "You used the Gini index; the entropy is wanted."),
    (_cut_with(kind="errors"), "You used the misclassification loss; the entropy is wanted."),
    (_cut_with(kind="nats"), "The gain is in nats; bits need base 2."),
    (_cut_with(weighted=False), "Weight the two sides by their shares of the examples."),
    (_cut_with(worst=True), "You return the cut with the smallest gain; take the largest."),
    (_cut_with(interior=True), "A side may hold a single example: the first and the last gap count too."),
    (_swapped_cut, "All is right, but in another order: the cut first, then its gain."),
    (_cut_left_over, "The cut is right; the second number is the entropy left, not the gain."),
]


@exercise(
    "12.2",
    "Where to cut",
    start="Sort the values and the labels together; then try every gap between different neighbours.",
    hints=[
        "order = np.argsort(x); x, y = x[order], y[order]. A gap before position k exists if x[k] > x[k - 1].",
        "Left of it lie k examples, right of it n - k; their entropies are weighted with k/n and (n - k)/n.",
        "Keep the best (x[k - 1] + x[k]) / 2 and its gain; both sides may be pure, so 0 log 0 = 0.",
    ],
    solution=best_cut,
    explanation="n - 1 gaps at most, each judged by (12.4). Running counts would make it one pass after sorting.",
)
def _(answer):
    cases = [(np.array([40.0, 48, 60, 72, 80, 90]), np.array([0, 0, 1, 1, 1, 0]))]
    cases.append((np.array([3.0, 1, 2, 5, 8]), np.array([0, 1, 0, 0, 0])))
    cases.append((np.array([2.0, 2, 2, 7, 7, 4, 4]), np.array([0, 0, 1, 1, 1, 1, 0])))
    cases.append((np.array([5.0, 1, 9, 2, 7, 3, 8, 6]), np.array([1, 0, 1, 0, 1, 0, 0, 1])))
    cases.append((np.array([4.0, 1, 9, 2, 3, 6, 5, 8, 7]), np.array([0, 0, 1, 1, 0, 1, 0, 1, 1])))
    for seed in (3, 8, 21):
        rng = np.random.default_rng(seed)
        x = rng.integers(-9, 10, 17) / 2
        cases.append((x, (x + rng.normal(0, 2.5, 17) > 1).astype(int)))
    found = answer(*cases[1])  # here every cut leaves a pure side
    if isinstance(found, (tuple, list)) and len(found) == 2 and any(part is None or part != part for part in found):
        raise Wrong(
            "Given x = [3, 1, 2, 5, 8], y = [0, 1, 0, 0, 0], your function finds no cut. A pure side gives 0 log 0, "
            "which is nan, and nan is never the largest: count it as 0."
        )
    if np.ndim(found) == 0 and isinstance(found, (int, float, np.number)):
        raise Wrong("Your function returns one number; return two, the cut and its gain.")
    expect_function(answer, best_cut, cases, "The answer", slips=_CUT_SLIPS, names="the cut, its gain")
    return "Right. Every numeric attribute of every node goes through this search."


# --- 12.3 ----------------------------------------------------------------------------------------------------------


def chance(tree, day):
    if not isinstance(tree, tuple):
        return tree
    attribute, branches = tree
    if attribute in day:
        return chance(branches[day[attribute]][1], day)
    total = sum(count for count, _ in branches.values())
    return sum(count / total * chance(below, day) for count, below in branches.values())


def _chance_with(weights="share", known=True, deep=True, most="max"):
    """Return a walk with one thing changed, to recognise typical slips."""

    def wrong(tree, day, level=0):
        if not isinstance(tree, tuple):
            return tree
        attribute, branches = tree
        if attribute in day and known:
            return wrong(branches[day[attribute]][1], day, level + 1)
        if weights == "common":
            return wrong(max(branches.values(), key=lambda branch: branch[0])[1], day, level + 1)
        total = sum(count for count, _ in branches.values()) if deep or not level else 14
        parts = [
            (1 / len(branches) if weights == "equal" else count if weights == "count" else count / total, below)
            for count, below in branches.values()
        ]
        return sum(w * wrong(below, day, level + 1) for w, below in parts)

    return wrong


def _chance_at_gaps(at_gap):
    """Return a walk that answers ``at_gap(branches)`` where an attribute is missing."""

    def wrong(tree, day):
        while isinstance(tree, tuple):
            attribute, branches = tree
            if attribute not in day:
                return at_gap(branches)
            tree = branches[day[attribute]][1]
        return tree

    return wrong


def _leaves_only(branches):
    total = sum(count for count, _ in branches.values())
    return sum(count / total * below for count, below in branches.values() if not isinstance(below, tuple))


_CHANCE_SLIPS = [
    (_chance_at_gaps(_leaves_only), "Below a gap you count leaves only; call yourself on the subtrees too."),
    (_chance_at_gaps(lambda branches: 0.5), "A gap does not mean one half: send a share of the day down every branch."),
    (_chance_with(weights="common"), "You follow the most common branch; send a share of the day down every branch."),
    (_chance_with(weights="equal"), "The branches do not weigh the same: take count / sum of the counts of this node."),
    (_chance_with(weights="count"), "Divide the counts by their sum at this node."),
    (_chance_with(known=False), "Where the attribute is known, follow its branch alone."),
    (_chance_with(deep=False), "Divide by the sum of this node's counts, not by that of the root."),
    (lambda tree, day: 1 - chance(tree, day), "This is the chance of No."),
    (lambda tree, day: round(chance(tree, day)), "Return the chance itself, not the decision."),
    (lambda tree, day: chance(tree, day) > 0.5, "Return the chance itself, not the decision."),
]

_LEAF = {"Sunny": (5, ("Humidity", {"High": (3, 0.0), "Normal": (2, 1.0)})), "Overcast": (4, 1.0)}
_TENNIS = ("Outlook", {**_LEAF, "Rain": (5, ("Wind", {"Weak": (3, 1.0), "Strong": (2, 0.0)}))})
_DEEP = (
    "a",
    {
        0: (7, ("b", {0: (1, 0.2), 1: (6, ("c", {0: (4, 0.9), 1: (2, 0.05)}))})),
        1: (13, ("c", {0: (3, 0.7), 1: (10, ("b", {0: (8, 0.35), 1: (2, 0.6)}))})),
        2: (4, 0.8),
    },
)


@exercise(
    "12.3",
    "A walk with gaps",
    start="What does your function return for a leaf? For a known attribute? For a missing one?",
    hints=[
        "A leaf is a number: isinstance(tree, tuple) tells inner nodes from leaves.",
        "If the attribute is in day, go down branches[day[attribute]][1] and call yourself.",
        "Else return the sum of count / total * chance(below, day) over (count, below) in branches.values().",
    ],
    solution=chance,
    explanation="The recursion multiplies shares along a path and adds over paths, as (12.10) does.",
)
def _(answer):
    cases = [
        (_TENNIS, {"Wind": "Strong"}),
        (_TENNIS, {"Outlook": "Sunny", "Temperature": "Hot"}),
        (_TENNIS, {"Outlook": "Rain", "Wind": "Weak"}),
        (_TENNIS, {}),
        (_TENNIS, {"Humidity": "High", "Wind": "Weak"}),
        (_DEEP, {"c": 1}),
        (_DEEP, {"a": 1, "b": 0}),
        (_DEEP, {}),
        (_DEEP, {"a": 0, "b": 1, "c": 0}),
        (_DEEP, {"a": 2}),
        (0.25, {"a": 1}),
        (("a", {0: (2, 1), 1: (3, ("b", {0: (1, 0), 1: (3, 1)}))}), {}),
    ]
    try:
        answer(_TENNIS, {"Wind": "Strong"})
    except Wrong as problem:
        if "KeyError: 'Outlook'" in str(problem):
            raise Wrong(
                "Your function stops with KeyError: 'Outlook' on a day without its outlook. An attribute may be "
                "missing: ask whether it is in day first."
            ) from None
        raise
    expect_function(answer, chance, cases, "The chance", slips=_CHANCE_SLIPS)
    return "Right. Gaps cost certainty, never an answer."


# --- 12.4 ----------------------------------------------------------------------------------------------------------


def best_pruning(node):
    errors, children = node["errors"], node["children"]
    if not children:
        return errors, 1
    below = [best_pruning(child) for child in children]
    kept, leaves = sum(e for e, _ in below), sum(n for _, n in below)
    return (errors, 1) if errors <= kept else (kept, leaves)


def _pruning_with(keep_ties=False, pruned_below=True, leaves_only=False, root_only=False):
    """Return a pruning with one thing changed, to recognise typical slips."""

    def full(node):
        errors, children = node["errors"], node["children"]
        if not children:
            return errors, 1
        below = [full(child) for child in children]
        return sum(e for e, _ in below), sum(n for _, n in below)

    def wrong(node):
        errors, children = node["errors"], node["children"]
        if not children:
            return errors, 1
        below = [wrong(child) for child in children]
        kept, leaves = sum(e for e, _ in below), sum(n for _, n in below)
        if root_only:
            kept, leaves = full(node)
        bar = kept if pruned_below else full(node)[0]
        cut = errors < bar if keep_ties else errors <= bar
        return (errors, 1) if cut else (kept, leaves)

    return full if leaves_only else wrong


def _children_only(node):
    """Return the pruning that looks at the children as leaves, and no further."""
    errors, children = node["errors"], node["children"]
    below = sum(child["errors"] for child in children)
    return (errors, 1) if not children or errors <= below else (below, len(children))


def _counting(leaf, inner):
    """Return a pruning that counts a leaf as ``leaf`` and adds ``inner`` for each inner node that stays."""

    def wrong(node):
        errors, children = node["errors"], node["children"]
        if not children:
            return errors, leaf
        below = [wrong(child) for child in children]
        kept, leaves = sum(e for e, _ in below), inner + sum(n for _, n in below)
        return (errors, leaf) if errors <= kept else (kept, leaves)

    return wrong


def _two_levels(node):
    """Return the pruning that looks at children and grandchildren, and no further."""
    errors, below = node["errors"], [_children_only(child) for child in node["children"]]
    kept, leaves = sum(e for e, _ in below), sum(n for _, n in below)
    return (errors, 1) if not below or errors <= kept else (kept, leaves)


def _added_up(add, count):
    """Return a pruning that adds up the children's errors and counts their leaves in another way."""

    def wrong(node):
        errors, children = node["errors"], node["children"]
        if not children:
            return errors, 1
        below = [wrong(child) for child in children]
        kept, leaves = add(e for e, _ in below), count([n for _, n in below])
        return (errors, 1) if errors <= kept else (kept, leaves)

    return wrong


def _best_first(node):
    """Return errors and leaves after reduced-error pruning, the best cut first (12.8.3)."""

    def size(t, cut):
        below = [] if id(t) in cut else [size(child, cut) for child in t["children"]]
        return (sum(e for e, _ in below), sum(n for _, n in below)) if below else (t["errors"], 1)

    def inner(t, cut):
        below = [] if id(t) in cut else t["children"]
        return [t][: len(below)] + [u for child in below for u in inner(child, cut)]

    cut = set()
    while True:
        saved = [(size(t, cut)[0] - t["errors"], -size(t, cut)[1], id(t)) for t in inner(node, cut)]
        if not saved or max(saved)[0] < 0:
            return size(node, cut)
        cut.add(max(saved)[2])


_PRUNING_SLIPS = [
    (_best_first, "You cut best first, as in 12.8.3. (12.12) goes from the leaves up: children first."),
    (_two_levels, "You look two levels down only. Call yourself on the children."),
    (_added_up(sum, len), "Add up the leaves of the children; do not count the children."),
    (_added_up(max, sum), "Add up the errors of the children; do not take the largest."),
    (_added_up(min, sum), "Add up the errors of the children; do not take the smallest."),
    (_children_only, "You look at the children as leaves only. Each child may have a better subtree: call yourself."),
    (_counting(1, 1), "You count inner nodes too; only leaves are wanted."),
    (_counting(0, 1), "You count the inner nodes; the leaves are wanted."),
    (_counting(0, 0), "A node without children is itself one leaf."),
    (_pruning_with(keep_ties=True), "Where a leaf is as good as its subtree, take the leaf: the smaller tree."),
    (_pruning_with(pruned_below=False), "Compare a node with its children after they were pruned, not before."),
    (_pruning_with(leaves_only=True), "This is the tree without any pruning."),
    (_pruning_with(root_only=True), "Prune the children too, not the root alone."),
    (lambda node: best_pruning(node)[::-1], "The right numbers in the wrong order: errors first, then leaves."),
    (lambda node: (node["errors"], 1), "This is the root as a leaf; keep the children where they make fewer errors."),
]


@exercise(
    "12.4",
    "The best pruning",
    start="What does a node without children return?",
    hints=[
        "Call yourself on every child first; add up their errors and their leaves.",
        "If the node as a leaf makes no more errors than that sum, it becomes a leaf: (errors, 1).",
        "Otherwise return the two sums.",
    ],
    solution=best_pruning,
    explanation="Subtrees do not influence each other, so the best pruning is made of best prunings (12.12).",
)
def _(answer):
    def tree(errors, *children):
        return {"errors": errors, "children": list(children)}

    cases = [
        tree(10, tree(4, tree(3, tree(1), tree(1)), tree(3)), tree(2, tree(3), tree(1))),
        tree(5),
        tree(5, tree(1, tree(2), tree(2)), tree(2)),
        tree(9, tree(6, tree(1), tree(2)), tree(4, tree(1), tree(0, tree(0), tree(0)))),
        tree(20, tree(9, tree(7, tree(1), tree(3)), tree(2)), tree(8, tree(5), tree(6)), tree(1)),
        tree(4, tree(2, tree(2), tree(0)), tree(2, tree(1), tree(1))),
        tree(7, tree(3, tree(1), tree(2, tree(1), tree(2))), tree(6, tree(1), tree(2), tree(1))),
        tree(
            9,
            tree(6, tree(5, tree(0), tree(1)), tree(4, tree(4), tree(3))),
            tree(2),
            tree(3, tree(0), tree(5)),
        ),
        tree(6, tree(3, tree(4), tree(1)), tree(4, tree(2), tree(3))),
        tree(5, tree(1, tree(3), tree(2)), tree(1, tree(3), tree(2))),  # best first would cut the root (12.8.6)
        tree(20, tree(9, tree(8, tree(1), tree(1)), tree(2)), tree(3)),
        tree(30, tree(15, tree(12, tree(7, tree(1), tree(2)), tree(2)), tree(1)), tree(4, tree(3), tree(2))),
    ]
    cases = [(case,) for case in cases]
    expect_function(answer, best_pruning, cases, "The answer", slips=_PRUNING_SLIPS, names="errors, leaves")
    return "Right. One pass from the leaves to the root finds the best of all prunings."

"""Tasks and exercises of chapter 12: paths, gains, losses of a split, thresholds, gaps, pruning."""

import numpy as np
from numpy import log, log10

from mlteach.exercises.base import Wrong, call, letters, numbers
from mlteach.exercises.tasks import number, spelt, task


def bits(*counts):
    """Return the entropy of class counts, in bits."""
    p = np.array([c for c in counts if c]) / sum(counts)
    return float(-(p * np.log2(p)).sum())


def stopped(case, sign, words):
    """Return a guard that says ``words`` of a function that stops on a case with ``sign`` in its error."""

    def guard(answer):
        try:
            call(answer, *case)
        except Wrong as problem:
            if sign in str(problem):
                raise Wrong(words) from None

    return guard


NATS, TENS = log(2), log10(2)  # one bit in other units

task("12.a", "Days on which they play",
    start="How many of the 36 combinations does each of the three Yes paths cover?",
    hints=[
        "A path fixes the attributes that it asks; all others are free.",
        "Sunny and Normal leaves three temperatures and two winds free: six combinations.",
        "6 + 12 + 6.",
    ],
    answer=number("The number", "3 * 2 + 3 * 2 * 2 + 3 * 2", to=0.01, slips="""
        3       | This is the number of Yes paths. Each of them covers several combinations.
        9       | These are the Yes rows of the table; combinations that never occurred count too.
        8       | Temperature is never asked, but it still has three values.
        12      | Either these are the combinations with No, or those of Overcast alone.
        6       | This is one path alone, Sunny and Normal or Rain and Weak; add up all three.
        18      | One of the three Yes paths is missing.
        36      | These are all combinations; the tree says No to some of them.
        14      | This is the number of rows in the table.
        24 / 36 | This is the share of the combinations; their number is wanted.
        5       | This is the number of leaves, or of No rows.
        30      | One path is too wide: Sunny asks Humidity and Rain asks Wind, so each has six combinations, not
            twelve.
        16      | Overcast leaves all three others free: 3 * 2 * 2 combinations, not four.
        21      | Two attributes are free after Sunny and Normal, and after Rain and Weak: 3 * 2 combinations, not
            three.
        """),
    right="Right. From 14 days the tree has an opinion on all 36 combinations.",
    explanation="Sunny and Normal: 3 * 2 = 6; Overcast: 3 * 2 * 2 = 12; Rain and Weak: 3 * 2 = 6.",
)  # fmt: skip

HUNGRY, FED = bits(5, 2), bits(1, 4)
GAIN_B = 1 - (7 * HUNGRY + 5 * FED) / 12
GINI_B = (7 * 20 / 49 + 5 * 8 / 25) / 12

task("12.b", "The gain of Hungry",
    start="What is the entropy of 5 and 2, and of 1 and 4?",
    hints=[
        "Before the question: 6 against 6, one bit.",
        "H(5/7) = 0.863 and H(1/5) = 0.722; their weights are 7/12 and 5/12.",
        "1 - 7/12 * 0.8631 - 5/12 * 0.7219.",
    ],
    answer=number("The gain", "bits(6, 6) - 7 / 12 * bits(5, 2) - 5 / 12 * bits(1, 4)", to=0.0006, slips="""
        1 - GAIN_B                       | This is the entropy that is left. The gain is what the question takes away.
        1 - (HUNGRY + FED) / 2           | You took the plain mean of the two entropies; weight them with 7/12 and 5/12.
        1 - (5 * HUNGRY + 7 * FED) / 12  | The weights are exchanged: seven guests were hungry, five were not.
        1 - (HUNGRY + bits(1, 5)) / 2    | You took groups of six; seven guests were hungry, five were not.
        bits(7, 5) - 1 + GAIN_B          | You started from the entropy of hungry or not, 7 and 5; start from that of
            the answers, 6 and 6: one bit.
        1 - (5 * HUNGRY + 1 * FED) / 6   | You weighted with the guests who waited, 5/6 and 1/6; weight with all guests
            of a group, 7/12 and 5/12.
        1 - HUNGRY - FED                 | The weights are missing: 7/12 and 5/12.
        GAIN_B * NATS                  | You took natural logarithms; bits need base 2.
        GAIN_B * TENS                | You took logarithms with base 10; bits need base 2.
        1 - GINI_B                       | You subtracted Gini indices from one bit; take entropies.
        0.5 - GINI_B                     | This is the decrease of the Gini index; the entropy is wanted.
        0.25                             | This is the decrease of the misclassification loss; the entropy is wanted.
        1 - HUNGRY                       | You looked at the hungry guests alone; the others count too, each group by
            its share.
        1 - 7 / 12 * HUNGRY              | The second group is missing: the five guests who were not hungry have entropy
            too.
        1 - 5 / 12 * FED                 | The first group is missing: the seven hungry guests have entropy too.
        HUNGRY                           | This is the entropy of the hungry guests.
        FED                              | This is the entropy of the guests who were not hungry.
        GAIN_B / bits(7, 5)              | If you rounded: three decimals or better, please. If you divided by the
            entropy of 7 and 5: do not; the gain itself is wanted.
        """),
    right="Right. Hungry tells a fifth of a bit.",
    explanation="1 - (7 * 0.8631 + 5 * 0.7219) / 12 = 0.196 bits.",
)  # fmt: skip

SUNNY, DRY = bits(2, 3), bits(1, 2)
WARMTH, WIND = SUNNY - 2 / 5, SUNNY - 3 / 5 * DRY - 2 / 5
WARMTH_MEAN, WIND_MEAN = SUNNY - 1 / 3, SUNNY - (DRY + 1) / 2
WARMTH_ROOT = bits(9, 5) - (4 * bits(2, 2) + 6 * bits(4, 2) + 4 * bits(3, 1)) / 14
WIND_ROOT = bits(9, 5) - (8 * bits(6, 2) + 6) / 14

task("12.c", "The sunny branch",
    start="How many Yes and No are among the five sunny days, for each temperature and for each wind?",
    hints=[
        "The five sunny days have 2 Yes and 3 No: 0.971 bits. Only they count from here on.",
        "Hot: 0 Yes, 2 No. Mild: 1 and 1. Cool: 1 and 0. Weak: 1 and 2. Strong: 1 and 1.",
        "0.971 - 2/5 * 1, and 0.971 - 3/5 * 0.918 - 2/5 * 1.",
    ],
    answer=number("The pair of gains", "(bits(2, 3) - 2 / 5 * bits(1, 1), bits(2, 3) - 3 / 5 * bits(1, 2) - 2 / 5)",
        to=0.00055, names="Temperature, Wind", slips="""
        (WARMTH_ROOT, WIND_ROOT)           | These are the gains at the root. In this branch only the five sunny days
            count.
        (bits(9, 5) - 2 / 5, bits(9, 5) - 3 / 5 * DRY - 2 / 5) | You started from the 0.940 bits of all days; the branch
            has 0.971.
        (1 - 2 / 5, 1 - 3 / 5 * DRY - 2 / 5) | You started from one bit; the branch has 2 Yes and 3 No: 0.971.
        (WARMTH_MEAN, WIND_MEAN) | You took plain means of the children's entropies; weight them by their days.
        (WARMTH_MEAN, ...)                 | For Temperature you took the plain mean of three entropies; weight them by
            their days.
        (..., WIND_MEAN)                   | For Wind you took the plain mean of two entropies; weight them with 3/5 and
            2/5.
        (2 / 5, 3 / 5 * DRY + 2 / 5)       | These are the entropies that are left; subtract them from 0.971.
        (WARMTH * NATS, WIND * NATS)   | You took natural logarithms; bits need base 2.
        (WARMTH * TENS, WIND * TENS) | You took logarithms with base 10; bits need base 2.
        (SUNNY - 1, SUNNY - 1 - DRY)       | The weights of the children are missing.
        (0.48 - 0.2, 0.48 - 3 / 5 * 4 / 9 - 0.2) | These are the decreases of the Gini index; the entropy is wanted.
        (0.2, 0)                           | These are the decreases of the misclassification loss; take the entropy.
        (WARMTH / bits(2, 2, 1), WIND / SUNNY) | These are gain ratios; do not divide by the split information.
        (SUNNY, ...)                       | That is the gain of Humidity, whose two groups are pure; Temperature leaves
            two mild days.
        (WIND, SUNNY)                      | These are the gains on the rainy days; take the sunny ones.
        (..., WIND_ROOT)                   | For Wind you took the gain at the root; here only the five sunny days
            count.
        (..., SUNNY - 2 / 5 * DRY - 3 / 5) | The weights of Wind are exchanged: three days are weak, two strong.
        (..., SUNNY)                       | That is the gain of Humidity, whose two groups are pure; Wind leaves both
            mixed.
        (0.57, 0.02)                       | Three decimals or better, please.
        """),
    right="Right. Humidity gains the whole 0.971 here, so the branch asks Humidity.",
    explanation="Temperature: 0.971 - 2/5 = 0.571. Wind: 0.971 - 3/5 * 0.918 - 2/5 = 0.020.",
)  # fmt: skip

GINI, ENTROPY = 0.375 - 70 / 120 * 24 / 49, bits(90, 30) - 70 / 120 * bits(40, 30)

task("12.d", "Three losses, one split",
    start="What are the shares before the split, and in the child that is not pure?",
    hints=[
        "Before: 3/4 and 1/4. The impure child has 4/7 and 3/7, and the weight 70/120.",
        "Misclassification: 1/4 before, 70/120 * 3/7 after.",
        "Gini: 0.375 - 70/120 * 24/49. Entropy: 0.8113 - 70/120 * 0.9852.",
    ],
    answer=number("The list of decreases", """(1 / 4 - 70 / 120 * 3 / 7, 1 - (3 / 4)**2 - (1 / 4)**2
        - 70 / 120 * (1 - (4 / 7)**2 - (3 / 7)**2), bits(90, 30) - 70 / 120 * bits(40, 30))""",
        to=0.0006, names="misclassification, Gini, entropy", slips="""
        (ENTROPY, GINI, 0)               | The right numbers in the wrong order: misclassification, Gini, entropy.
        (0, ENTROPY, GINI)               | Gini and entropy are exchanged.
        (0.25, 2 / 7, 0.5747)            | These are the losses after the split; the decreases are wanted.
        (0.25, 0.375, bits(90, 30))      | These are the losses before the split; the decreases are wanted.
        (1 / 4 - 50 / 120 * 3 / 7, 0.375 - 50 / 120 * 24 / 49, bits(90, 30) - 50 / 120 * bits(40, 30)) | The weights are
            exchanged: the impure child has 70 of the 120.
        (1 / 4 - 3 / 14, ..., ...)       | You took the plain mean of the two children; weight them with 70/120 and
            50/120.
        (1 / 4 - 3 / 7, ..., ...)        | The weight of the impure child is missing: 70/120.
        (0, 0.375 - 12 / 49, ...)        | For Gini you took the plain mean of the children; the weights are 70/120,
            50/120.
        (0, 0.375 - 24 / 49, ...)        | For Gini the weight of the impure child is missing: 70/120.
        (0, GINI / 2, ...)               | Gini is 1 - p² - (1 - p)² = 2p(1 - p); the factor 2 is missing.
        (0, GINI, bits(90, 30) - bits(40, 30) / 2) | For the entropy you took the plain mean; the weights are 70/120,
            50/120.
        (0, GINI, bits(90, 30) - bits(40, 30)) | For the entropy the weight 70/120 is missing.
        (0, GINI, ENTROPY * NATS)      | The entropy is in nats; bits need base 2.
        (0, GINI, ENTROPY * TENS)    | The entropy is in units of base 10; bits need base 2.
        (0, 0.08, 0.23645)               | This is the example of the text; here the node has 90 and 30.
        (30 / 120, GINI, ENTROPY)        | Misclassification: 30 mistakes of 120 before the split, and after it?
        (30, ..., ...)                   | 30 counts mistakes; (12.6) takes their share, before the split and after it.
        (0, 0.375 - 50 / 120 * 24 / 49, ...) | For Gini the weights are exchanged: the impure child has 70 of the 120.
        (0, GINI, bits(90, 30) - 50 / 120 * bits(40, 30)) | For the entropy the weights are exchanged: the impure child
            has 70 of the 120.
        (0, GINI, ENTROPY - 50 / 120) | The pure child has entropy 0: nothing is subtracted for it.
        (0, GINI, ENTROPY / bits(70, 50)) | For the entropy you divided by the split information: that is the gain
            ratio. The decrease itself is wanted.
        """),
    right="Right. Fifty examples are settled for good, and misclassification does not notice.",
    explanation="1/4 - 70/120 * 3/7 = 0; 0.375 - 0.2857 = 0.089; 0.8113 - 0.5747 = 0.237.",
)  # fmt: skip

LEFT, GAIN_E = bits(1, 3), bits(4, 3) - 4 / 7 * bits(1, 3)


def between(cut, gain):
    cut, _ = numbers((cut, gain), "the cut, its gain")
    if 9 < cut < 12 and cut != 10.5:
        raise Wrong(f"Any cut between 9 and 12 parts these values alike; midway is asked for, and you have {cut:g}.")


task("12.e", "The best cut", guard=between,
    start="Sort the values first. Between which neighbours does the class change?",
    hints=[
        "Sorted: 3 No, 4 No, 7 Yes, 9 No, 12 Yes, 15 Yes, 21 Yes. The class changes at 5.5, 8 and 10.5.",
        "At 5.5 the right side is 4 Yes, 1 No; at 10.5 the left side is 1 Yes, 3 No, the right side pure.",
        "At 10.5 the gain is 0.9852 - 4/7 * 0.8113.",
    ],
    cut=number("The cut", "(9 + 12) / 2", to=1e-6, slips="""
        5.5 | The cut at 5.5 gains 0.470; another one gains more.
        8   | The cut at 8 gains 0.128; others gain more.
        9   | A cut lies midway between two neighbours, not on a value.
        12  | A cut lies midway between two neighbours, not on a value.
        3.5 | The class does not change at 3.5. Compute the gains where it does, in sorted order.
        13.5 | The class does not change at 13.5. Compute the gains where it does, in sorted order.
        18  | The class does not change at 18. Compute the gains where it does, in sorted order.
        15  | The cut lies between neighbours in sorted order; 9 and 21 are neighbours in the list only.
        """),
    gain=number("The gain", "bits(4, 3) - 4 / 7 * bits(1, 3)", to=0.0006, slips="""
        4 / 7 * LEFT                    | The cut is right. This is the entropy left; subtract it from 0.9852.
        bits(4, 3) - LEFT               | The cut is right. The weight 4/7 of the left side is missing.
        bits(4, 3) - LEFT / 2           | The cut is right. Weight the sides with 4/7 and 3/7, not with halves.
        bits(4, 3) - 3 / 7 * LEFT       | The cut is right. The weights are exchanged: four values lie left.
        1 - 4 / 7 * LEFT                | The cut is right. Before the split there are 4 Yes and 3 No: 0.985, not 1.
        GAIN_E * NATS                 | The cut is right. The gain is in nats; bits need base 2.
        24 / 49 - 4 / 7 * 3 / 8         | The cut is right. This is the decrease of the Gini index; take the entropy.
        GAIN_E / bits(4, 3)             | The cut is right. This is the gain ratio; the gain itself is wanted.
        bits(4, 3) - 5 / 7 * bits(4, 1) | The cut is right; this is the gain at 5.5.
        0.128                           | The cut is right; this is the gain at 8.
        0.52                            | The gain is rounded too far; three decimals or better, please.
        """),
    right="Right. The value 7 stays on the wrong side, and that is the price of one cut.",
    explanation="Gains: 5.5: 0.470, 8: 0.128, 10.5: 0.522.",
)  # fmt: skip

task("12.f", "Two gaps",
    start="Send the day down all three branches of Outlook. With which weights?",
    hints=[
        "Sunny 5/14, Overcast 4/14, Rain 5/14.",
        "Among the five sunny days humidity is High three times, Normal twice; Rain and Strong says No.",
        "5/14 * 2/5 + 4/14 + 0.",
    ],
    answer=number("The chance", "5 / 14 * 2 / 5 + 4 / 14 + 5 / 14 * 0", to=0.0006, slips="""
        9 / 14           | This is the share of Yes at the root; the wind is known and must be used. If you walked: on
            sunny days only Normal, 2/5, says Yes, and Rain with a strong wind says No.
        11 / 14          | You took a weak wind; it is strong, and the Rain branch says No.
        5 / 28 + 4 / 14  | Humidity's shares are those of the five sunny days, 3/5 and 2/5, not of all 14.
        2 / 15 + 1 / 3   | The branches of Outlook do not weigh the same: 5/14, 4/14, 5/14.
        4 / 14           | This is Overcast alone; a part of the sunny branch says Yes too.
        2 / 14           | This is the sunny branch alone; Overcast says Yes too.
        8 / 14           | This is the chance of No.
        5 / 14           | This is the weight of one branch, Sunny or Rain; it still has to be multiplied and added.
        2 / 5            | This is the sunny branch after its question; Outlook is missing too.
        2 / 5 + 4 / 14   | The sunny branch has the weight 5/14: multiply.
        3 / 6            | If you counted the six windy days of the table: walk down the tree with (12.10) instead. If
            you did walk: the weights are 5/14, 4/14, 5/14, and on sunny days only Normal, 2/5, says Yes.
        0                | One branch alone says No here. Outlook is missing, so all three branches have their say.
        1                | One branch alone says Yes here. Outlook is missing, so all three branches have their say.
        1 / 3            | The branches of Outlook do not weigh the same, and a part of the sunny branch says Yes too.
        9 / 14 * 6 / 14  | You multiplied the shares of Yes and of windy days; walk down the tree with (12.10) instead.
        """),
    right="Right. The day is three sevenths of a Yes, and every branch had its say.",
    explanation="Sunny 5/14 * 2/5 = 2/14, Overcast 4/14, Rain with a strong wind 0: together 6/14 = 0.429.",
)  # fmt: skip


def cut_nodes(order, errors):
    order = letters(order, "ABCD")
    if "A" in order:
        raise Wrong(
            "A's leaf takes the majority of its training examples, Yes, and makes 11 errors; the tree below it makes "
            "fewer."
        )
    if "C" in order:
        raise Wrong(
            "C's leaf takes the majority of its training examples, Yes, and makes 3 errors where its subtree makes 2."
        )
    if len(set(order)) < len(order):
        raise Wrong(f"{order} is not the order. Each node is cut at most once; the best cut comes first.")


task("12.g", "Prune by hand", guard=cut_nodes,
    start="How many validation errors would each node make as a leaf, with the label of its training examples?",
    hints=[
        "As leaves: A says Yes, 11 errors; B says Yes, 5; C says Yes, 3; D says No, 2.",
        "D saves 4 - 2 = 2 errors, B saves 6 - 5 = 1, C would add one. The best cut comes first.",
        "D, then B. A as a leaf would make 11 errors where 7 are left.",
    ],
    order=spelt("The order", "DB", "ABCD", slips="""
        BD | Both cuts are right, but the best cut comes first: compare what each saves.
        D  | After D another cut still saves an error. Go on until every cut would cost errors.
        B  | Another cut saves more than B, and your answer lacks it.
        """),
    errors=number("The number of errors", "10 - (4 - 2) - (6 - 5)", to=0.01, slips="""
        10 | The order is right. 10 is the number before any cut; subtract what the two cuts save.
        8  | The order is right. 8 is the number after the first cut.
        9  | The order is right. The first cut saves two errors, the second one.
        3  | The order is right. 3 errors are saved; how many are left?
        13 | The order is right. The cuts save three errors: subtract them from 10, do not add them.
        5  | The order is right. B alone makes 5 errors; D adds its own.
        2  | The order is right. D alone makes 2 errors; B adds its own.
        11 | The order is right. A would make 11 errors as a leaf; it is not cut.
        6  | The order is right. 6 are the errors below B before the cut; count those of B and D as leaves.
        """),
    right="Right. Two leaves are left, and three errors fewer.",
    explanation="D saves two errors (10 to 8), B one (8 to 7). C disappears with B. Cutting A would bring 11 errors.",
)  # fmt: skip


def gain(values, labels):
    def entropy(group):
        shares = np.array([group.count(c) for c in set(group)]) / len(group)
        return -np.sum(shares * np.log2(shares))

    left = 0.0
    for v in set(values):
        group = [c for value, c in zip(values, labels) if value == v]
        left += len(group) / len(labels) * entropy(group)
    return entropy(labels) - left


rng = np.random.default_rng(12)
GAIN_CASES = [
    (list("SSORRROSSRSOOR"), ["Yes" if c == "Y" else "No" for c in "NNYYYNYNYYYYYN"]),
    (list("aabbbcc"), [1, 1, 2, 3, 3, 3, 2]),
    (list("xxxx"), ["p", "q", "q", "q"]),
    (list("xyyy"), ["p", "p", "p", "p"]),
    ([3, 1, 1, 2, 3, 3, 2, 2, 2], list("uvuvwwuuw")),
    (rng.integers(0, 4, 30).tolist(), rng.integers(0, 4, 30).tolist()),
]
ABSENT = "A class may be absent from a group. Its share is 0, and 0 log 0 counts as 0: leave it out."

task("12.1", "Information gain", gain, cases=GAIN_CASES, what="The gain", nan=ABSENT,
    guard=stopped(GAIN_CASES[0], "math domain error", ABSENT),
    start="What is the entropy of a list of labels?",
    hints=[
        "Shares: [group.count(c) / len(group) for c in set(group)]. Only labels that occur: no log of 0.",
        "For each value in set(values) collect the labels of its examples.",
        "entropy(labels) minus the sum of len(group) / len(labels) * entropy(group).",
    ],
    slips="""
        set(values) => values | You sum over all examples, so a value that occurs n times counts n times: use
            set(values).
        len(group) / len(labels) * => 1 / len(set(values)) * | You took the plain mean of the groups' entropies; weight
            them by their size.
        len(group) / len(labels) * => | The weights |S_v|/|S| of the groups are missing.
        len(group) / len(labels) * => len(group) * | Weight the groups with their share of the examples, not with their
            number.
        np.log2 => np.log   | The gain is in nats; bits need base 2.
        np.log2 => np.log10 | The gain is in units of base 10; bits need base 2.
        np.log2(shares)) => np.log2(shares)) / np.log2(max(len(shares), 2)) | The base of the logarithm is 2 for any
            number of classes.
        -np.sum(shares * np.log2(shares)) => 1 - np.sum(shares**2) | This is the decrease of the Gini index; the entropy
            is wanted.
        -np.sum(shares * np.log2(shares)) => 1 - shares.max() | This is the decrease of the misclassification loss; the
            entropy is wanted.
        entropy(labels) - left => left | This is the entropy that is left; subtract it from the entropy of the labels.
        entropy(labels) - left => entropy(labels) | This is the entropy of the labels; subtract what is left.
        entropy(labels) - left => entropy(values) | This is the split information, the entropy of the values.
        left = 0.0 => left = 0.0; values = [v == values[0] for v in values] | You split into two groups only; an
            attribute may have more values.
        in set(group)]) / len(group) => in set(group)]) / len(labels) ;; len(group) / len(labels) * => | Inside a group
            the shares are those of the group: divide by its own size, and weight its entropy.
        in set(group)]) / len(group) => in set(group)]) / len(labels) | Inside a group the shares are those of the
            group: divide by its own size.
        * entropy(group) => * (len(set(group)) > 1) | A mixed group has the entropy of its shares, not always one bit.
        entropy(labels) - left => (entropy(labels) - left) / max(entropy(values), 1e-9) | This is the gain ratio; do not
            divide by the split information.
        shares = np.array([group.count(c) for c in set(group)]) / len(group) => p = group.count(labels[0]) / len(group);
            shares = np.array([q for q in (p, 1 - p) if q > 0]) | There may be more than two classes; sum over all of
            them.
        shares = np.array([group.count(c) for c in set(group)]) / len(group) => p = group.count("Yes") / len(group);
            shares = np.array([q for q in (p, 1 - p) if q > 0]) | You count the label "Yes" of one example; labels may
            be anything: sum over set(group).
        """,
    right="Right, for any number of values and classes.",
    explanation="Labels that do not occur in a group are never looked at, so 0 log 0 does not arise.",
)  # fmt: skip


def best_cut(x, y):
    order = np.argsort(x, kind="stable")
    x, y = np.asarray(x)[order], np.asarray(y)[order]

    def entropy(group):
        p = np.mean(group)
        return -sum(q * np.log2(q) for q in (p, 1 - p) if q > 0)

    best = (None, -1.0)
    for k in range(1, len(x)):
        if x[k] > x[k - 1]:
            left = k * entropy(y[:k]) + (len(y) - k) * entropy(y[k:])
            gained = entropy(y) - left / len(y)
            if gained > best[1]:
                best = (x[k - 1] + x[k]) / 2, gained
    return best


def by_mask(midpoints, score=gain):
    """Return a search over given candidates c that splits by x <= c and takes the best score."""

    def search(x, y):
        sides = [(c, (x <= c).tolist()) for c in midpoints(x)]
        sides = [(c, left) for c, left in sides if len(set(left)) == 2]
        cut, left = max(sides, key=lambda pair: score(pair[1], y.tolist()))
        return cut, gain(left, y.tolist())

    return search


def gaps(x):
    return (np.unique(x)[1:] + np.unique(x)[:-1]) / 2


def purity(left, y):
    sides = [np.array([c for a, c in zip(left, y) if a is side]) for side in (True, False)]
    return -sum(len(side) * side.mean() * (1 - side.mean()) for side in sides)


def ratio(left, y):
    return gain(left, y) / bits(left.count(True), left.count(False))


def first_peak(x, y):
    gains = [gain((x < c).tolist(), y.tolist()) for c in gaps(x)]
    k = next((k for k in range(len(gains) - 1) if gains[k + 1] < gains[k]), len(gains) - 1)
    return gaps(x)[k], gains[k]


def finds_a_cut(answer):
    found = call(answer, np.array([3.0, 1, 2, 5, 8]), np.array([0, 1, 0, 0, 0]))  # here every cut leaves a pure side
    if isinstance(found, (tuple, list)) and len(found) == 2 and any(part is None or part != part for part in found):
        raise Wrong(
            "Given x = [3, 1, 2, 5, 8], y = [0, 1, 0, 0, 0], your function finds no cut. A pure side gives 0 log 0, "
            "which is nan, and nan is never the largest: count it as 0."
        )
    if isinstance(found, (int, float, np.number)):
        raise Wrong("Your function returns one number; return two, the cut and its gain.")


def cut_cases():
    cases = [(np.array([40.0, 48, 60, 72, 80, 90]), np.array([0, 0, 1, 1, 1, 0]))]
    cases.append((np.array([3.0, 1, 2, 5, 8]), np.array([0, 1, 0, 0, 0])))
    cases.append((np.array([2.0, 2, 2, 7, 7, 4, 4]), np.array([0, 0, 1, 1, 1, 1, 0])))
    cases.append((np.array([5.0, 1, 9, 2, 7, 3, 8, 6]), np.array([1, 0, 1, 0, 1, 0, 0, 1])))
    cases.append((np.array([4.0, 1, 9, 2, 3, 6, 5, 8, 7]), np.array([0, 0, 1, 1, 0, 1, 0, 1, 1])))
    cases.append((np.array([3.0, 1, 3, 1]), np.array([0, 0, 1, 1])))  # one gap, and it gains nothing
    # here the Gini index and the gain ratio would cut elsewhere
    cases.append((np.array([7.0, 19, 2, 10, 5, 3, 16, 6]) / 7, np.array([0, 1, 0, 0, 1, 1, 1, 1])))
    for seed in (678, 1506):
        rng = np.random.default_rng(seed)
        x = rng.integers(-5, 6, 12) / 2
        cases.append((x, (x + rng.normal(0, 2.5, 12) > 1).astype(int)))
    return cases


task("12.2", "Where to cut", best_cut, cases=cut_cases, what="The answer", names="the cut, its gain", guard=finds_a_cut,
    start="Between which neighbours can a cut lie?",
    hints=[
        "order = np.argsort(x); x, y = x[order], y[order]. A gap before position k exists if x[k] > x[k - 1].",
        "Left of it lie k examples, right of it n - k; their entropies are weighted with k/n and (n - k)/n.",
        "Keep the best (x[k - 1] + x[k]) / 2 and its gain; both sides may be pure, so 0 log 0 = 0.",
    ],
    slips=[
        (by_mask(lambda x: (np.sort(x)[1:] + np.sort(x)[:-1]) / 2),
            "The midpoint of two equal values is that value, no cut: use np.unique(x)."),
        (by_mask(lambda x: (x[1:] + x[:-1]) / 2), "Sort the values before you take midpoints."),
        (by_mask(lambda x: sorted((x[1:] + x[:-1]) / 2)[::-1]), "Sort the values before you take midpoints."),
        (by_mask(gaps, purity), "You choose the cut by the Gini index; choose it by the gain that you return."),
        (by_mask(gaps, ratio), "You choose the cut by the gain ratio; choose it by the gain that you return."),
        """
        np.argsort(x, kind="stable") => np.arange(len(x)) | Sort the values first, and the labels with them.
        np.argsort(x, kind="stable") => np.arange(len(x)) ;; x[k] > x[k - 1] => x[k] != x[k - 1] | Sort the values
            first, and the labels with them.
        np.argsort(x, kind="stable") => np.arange(len(x)) ;; x[k] > x[k - 1] => True | Sort the values first, and the
            labels with them.
        np.asarray(y)[order] => np.asarray(y) | You sorted the values; the labels must move with them: y[np.argsort(x)].
        np.asarray(y)[order] => np.asarray(y) ;; x[k] > x[k - 1] => True | You sorted the values; the labels must move
            with them: y[np.argsort(x)].
        (x[k - 1] + x[k]) / 2 => x[k - 1] | A cut lies midway between two neighbours; yours is the value to its left.
        (x[k - 1] + x[k]) / 2 => x[k] | A cut lies midway between two neighbours; yours is the value to its right.
        (x[k - 1] + x[k]) / 2 => k | That is a position in the sorted list. Return the value midway between neighbours.
        (x[k - 1] + x[k]) / 2 => round((x[k - 1] + x[k]) / 2, 2) | You round the cut. Return it as it is.
        x[k] > x[k - 1] => True | Equal values cannot be parted: cut only where the sorted values differ.
        x[k] > x[k - 1] => x[k - 1] < x[k] < x[-1] | The last gap is never tried.
        x[k] > x[k - 1] => y[k] != y[k - 1] | Equal values cannot be parted: cut only where the sorted values differ.
        x[k] > x[k - 1] => x[k] > x[k - 1] and y[k] != y[k - 1] | You cut only where neighbours differ in class. A value
            that occurs with both classes needs its two sides too.
        x[k] > x[k - 1] => best[0] is None and x[k] > x[k - 1] and y[k] != y[k - 1] | You take the first change of
            class; compare the gains of all cuts.
        x[k] > x[k - 1] => best[0] is None and y[k] != y[k - 1] | You take the first change of class; compare the gains
            of all cuts.
        -sum(q * np.log2(q) for q in (p, 1 - p) if q > 0) => 2 * p * (1 - p) | You used the Gini index; the entropy is
            wanted.
        -sum(q * np.log2(q) for q in (p, 1 - p) if q > 0) => min(p, 1 - p) | You used the misclassification loss; the
            entropy is wanted.
        np.log2 => np.log | The gain is in nats; bits need base 2.
        k * entropy(y[:k]) + (len(y) - k) * entropy(y[k:]) => (entropy(y[:k]) + entropy(y[k:])) / 2 * len(y) | Weight
            the two sides by their shares of the examples.
        gained > best[1] => gained < best[1] ;; -1.0 => 2.0 | You return the cut with the smallest gain; take the
            largest.
        range(1, len(x)) => range(2, len(x) - 1) | A side may hold a single example: the first and the last gap count
            too.
        return best => return best[::-1] | All is right, but in another order: the cut first, then its gain.
        return best => return np.median(x), best[1] | Your cut is the median. Try every gap, and take the one with the
            largest gain.
        gained > best[1] => best[0] is None and gained > 1e-12 | You return the first cut that gains anything; compare
            the gains of all cuts.
        k * entropy(y[:k]) + (len(y) - k) * entropy(y[k:]) => len(set(x[:k])) * entropy(y[:k]) + len(set(x[k:])) *
            entropy(y[k:]) ;; left / len(y) => left / len(set(x)) | Your weights count distinct values; count examples.
        return best => return best[0], entropy(y) - best[1] | The cut is right; the second number is the entropy left,
            not the gain.
        """,
        (first_peak, "You stop at the first gap after which the gain falls; a later one may gain more. Try them all."),
    ],
    right="Right. Every numeric attribute of every node goes through this search.",
    explanation="n - 1 gaps at most, each judged by (12.4). Running counts would make it one pass after sorting.",
)  # fmt: skip


def chance(tree, day):
    if not isinstance(tree, tuple):
        return tree
    attribute, branches = tree
    if attribute in day:
        return chance(branches[day[attribute]][1], day)
    total = sum(count for count, _ in branches.values())
    return sum(count / total * chance(below, day) for count, below in branches.values())


SUNNY_DAYS = (5, ("Humidity", {"High": (3, 0.0), "Normal": (2, 1.0)}))
RAINY_DAYS = (5, ("Wind", {"Weak": (3, 1.0), "Strong": (2, 0.0)}))
TENNIS = ("Outlook", {"Sunny": SUNNY_DAYS, "Overcast": (4, 1.0), "Rain": RAINY_DAYS})
DEEP = (
    "a",
    {
        0: (7, ("b", {0: (1, 0.2), 1: (6, ("c", {0: (4, 0.9), 1: (2, 0.05)}))})),
        1: (13, ("c", {0: (3, 0.7), 1: (10, ("b", {0: (8, 0.35), 1: (2, 0.6)}))})),
        2: (4, 0.8),
    },
)
WALKS = [
    (TENNIS, {"Wind": "Strong"}),
    (TENNIS, {"Outlook": "Sunny", "Temperature": "Hot"}),
    (TENNIS, {"Outlook": "Rain", "Wind": "Weak"}),
    (TENNIS, {}),
    (TENNIS, {"Humidity": "High", "Wind": "Weak"}),
    (DEEP, {"c": 1}),
    (DEEP, {"a": 1, "b": 0}),
    (DEEP, {}),
    (DEEP, {"a": 0, "b": 1, "c": 0}),
    (DEEP, {"a": 2}),
    (0.25, {"a": 1}),
    (("a", {0: (2, 1), 1: (3, ("b", {0: (1, 0), 1: (3, 1)}))}), {}),
]


NO_OUTLOOK = (
    "Your function stops with KeyError: 'Outlook' on a day without its outlook. An attribute may be missing: ask "
    "whether it is in day first."
)
WHOLE_LEAF = (
    "Your function stops with TypeError where a leaf is the whole number 0 or 1. A leaf need not be a float: ask "
    "isinstance(tree, tuple)."
)


def walks_on(answer):
    stopped(WALKS[0], "KeyError: 'Outlook'", NO_OUTLOOK)(answer)
    stopped(WALKS[-1], "non-iterable int", WHOLE_LEAF)(answer)


task("12.3", "A walk with gaps", chance, cases=WALKS, what="The chance",
    guard=walks_on,
    start="What does your function return for a leaf? For a known attribute? For a missing one?",
    hints=[
        "A leaf is a number: isinstance(tree, tuple) tells inner nodes from leaves.",
        "If the attribute is in day, go down branches[day[attribute]][1] and call yourself.",
        "Else return the sum of count / total * chance(below, day) over (count, below) in branches.values().",
    ],
    slips=["""
        for count, below in branches.values()) => for count, below in branches.values() if not isinstance(below, tuple))
            | Below a gap you count leaves only; call yourself on the subtrees too.
        sum(count / total * chance(below, day) for count, below in branches.values()) => 0.5 | A gap does not mean one
            half: send a share of the day down every branch.
        sum(count / total * chance(below, day) for count, below in branches.values()) =>
            chance(max(branches.values(), key=lambda branch: branch[0])[1], day) | You follow the most common branch;
            send a share of the day down every branch.
        count / total => 1 / len(branches) | The branches do not weigh the same: take count / sum of the counts of this
            node.
        count / total * => count * | Divide the counts by their sum at this node.
        attribute in day => False | Where the attribute is known, follow its branch alone.
        chance(tree, day): => chance(tree, day, n=None): ;; total = sum => total = n or sum ;; chance(below, day) =>
            chance(below, day, total) | Divide by the sum of this node's counts, not by that of the root.
        chance(tree, day): => chance(tree, day, n=None): ;; total = sum => total = n or sum ;; chance(below, day) =>
            chance(below, day, 14) ;; [1], day) => [1], day, 14) | Divide by the sum of this node's counts, not by that
            of the root.
        return tree => return 1 - tree | This is the chance of No.
        return sum( => return 1 - sum( | At every gap you return the chance of No.
        sum(count / total * chance(below, day) for count, below in branches.values()) =>
            chance(list(branches.values())[0][1], day) | You follow the first branch; send a share of the day down every
            branch.
        sum(count / total * chance(below, day) for count, below in branches.values()) =>
            max(chance(below, day) for _, below in branches.values()) | You take the largest of the branches' chances;
            take their mean, weighted with the counts.
        sum(count / total * chance(below, day) for count, below in branches.values()) =>
            np.prod([chance(below, day) for _, below in branches.values()]) | You multiply the branches' chances; take
            their mean, weighted with the counts.
        chance(below, day) => chance(below, {}) | Below a gap you forget the rest of the day: pass day on.
        count / total => count / 14 | Divide by the sum of this node's counts, not always by 14.
        return chance( => total = sum(count for count, _ in branches.values()); return branches[day[attribute]][0] /
            total * chance( | A known value is certain: follow its branch with the weight 1, not with its share.
        attribute in day => day.get(attribute) | A known value may be 0 or False: ask `attribute in day`.
        """,
        (lambda tree, day: round(chance(tree, day)), "Return the chance itself, not the decision."),
        (lambda tree, day: float(chance(tree, day) > 0.5), "Return the chance itself, not the decision."),
    ],
    right="Right. Gaps cost certainty, never an answer.",
    explanation="The recursion multiplies shares along a path and adds over paths, as (12.10) does.",
)  # fmt: skip


def best_pruning(node):
    errors, children = node["errors"], node["children"]
    if not children:
        return errors, 1
    below = [best_pruning(child) for child in children]
    kept = sum(e for e, _ in below)
    leaves = sum(n for _, n in below)
    return (errors, 1) if errors <= kept else (kept, leaves)


def leaf_errors(node):
    below = [e for child in node["children"] for e in leaf_errors(child)]
    return below or [node["errors"]]


def best_first(node):
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


def pruning_cases():
    def tree(errors, *children):
        return {"errors": errors, "children": list(children)}

    return [
        (tree(10, tree(4, tree(3, tree(1), tree(1)), tree(3)), tree(2, tree(3), tree(1))),),
        (tree(5),),
        (tree(5, tree(1, tree(2), tree(2)), tree(2)),),
        (tree(9, tree(6, tree(1), tree(2)), tree(4, tree(1), tree(0, tree(0), tree(0)))),),
        (tree(20, tree(9, tree(7, tree(1), tree(3)), tree(2)), tree(8, tree(5), tree(6)), tree(1)),),
        (tree(4, tree(2, tree(2), tree(0)), tree(2, tree(1), tree(1))),),
        (tree(7, tree(3, tree(1), tree(2, tree(1), tree(2))), tree(6, tree(1), tree(2), tree(1))),),
        (tree(9, tree(6, tree(5, tree(0), tree(1)), tree(4, tree(4), tree(3))), tree(2), tree(3, tree(0), tree(5))),),
        (tree(6, tree(3, tree(4), tree(1)), tree(4, tree(2), tree(3))),),
        (tree(5, tree(1, tree(3), tree(2)), tree(1, tree(3), tree(2))),),  # best first would cut the root (12.8.7)
        (tree(20, tree(9, tree(8, tree(1), tree(1)), tree(2)), tree(3)),),
        (tree(30, tree(15, tree(12, tree(7, tree(1), tree(2)), tree(2)), tree(1)), tree(4, tree(3), tree(2))),),
    ]


task("12.4", "The best pruning", best_pruning, cases=pruning_cases, what="The answer", names="errors, leaves",
    start="What does a node without children return?",
    hints=[
        "Call yourself on every child first; add up their errors and their leaves.",
        "If the node as a leaf makes no more errors than that sum, it becomes a leaf: (errors, 1).",
        "Otherwise return the two sums.",
    ],
    slips=[
        (best_first, "You cut best first, as in 12.8.3. (12.12) goes from the leaves up: children first."),
        """
        best_pruning(node): => best_pruning(node, depth=1): ;; [best_pruning(child) => [best_pruning(child, depth - 1)
            if depth else (child["errors"], 1) | You look two levels down only. Call yourself on the children.
        [best_pruning(child) => [(child["errors"], 1) | You look at the children as leaves only. Each child may have a
            better subtree: call yourself.
        sum(n for _, n in below) => len(below) | Add up the leaves of the children; do not count the children.
        sum(e for => max(e for | Add up the errors of the children; do not take the largest.
        sum(e for => min(e for | Add up the errors of the children; do not take the smallest.
        sum(n for => 1 + sum(n for | You count inner nodes too; only leaves are wanted.
        sum(n for => 1 + sum(n for ;; return errors, 1 => return errors, 0 ;; (errors, 1) => (errors, 0) | You count the
            inner nodes; the leaves are wanted.
        return errors, 1 => return errors, 0 ;; (errors, 1) => (errors, 0) | A node without children is itself one leaf.
        errors <= kept => errors < kept | Where a leaf is as good as its subtree, take the leaf: the smaller tree.
        errors <= kept => errors <= sum(leaf_errors(node)) | Compare a node with its children after they were pruned,
            not before.
        (errors, 1) if => (errors, leaves) if | A node that is pruned is one leaf; the leaves below it are gone.
        errors <= kept => False | This is the tree without any pruning.
        (errors, 1) if errors <= kept else (kept, leaves) => errors + kept, leaves | You add a node's own errors to
            those below it; compare the two, and take the smaller.
        in children] => in children[:2]] | A node may have more than two children: go through all of them.
        [best_pruning(child) for child in children] => [(e, 1) for e in leaf_errors(node)] | Prune the children too, not
            the root alone.
        errors <= kept => True | This is the root as a leaf; keep the children where they make fewer errors.
        """,
    ],
    right="Right. One pass from the leaves to the root finds the best of all prunings.",
    explanation="Subtrees do not influence each other, so the best pruning is made of best prunings (12.12).",
)  # fmt: skip

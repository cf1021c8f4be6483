"""Tasks and exercises of chapter 32: counting plans, beliefs, vectors by hand, pruning, bounds, price of a growl."""

import math

import numpy as np

from mlteach.exercises.tasks import chosen, number, task


def _always(words):
    """Return what is said of a wrong number that no table lists: a question, or how to begin."""
    return lambda value: words


def _both_doors(p):
    """Return what opening right and listening pay at a belief, in words."""
    if not 0 <= p <= 1:
        return "A belief is a probability, between 0 and 1."
    pays = 110 * p - 100
    return f"At {p:.4g} opening right pays {pays:.4g} on average, and listening -1. Ask where both pay the same."


def _seen_doors(p):
    """Return what opening right and listening are worth to QMDP at a belief, in words."""
    if not 0 <= p <= 1:
        return "A belief is a probability, between 0 and 1."
    return f"At {p:.4g} opening right is worth {90 + 110 * p:.4g} to QMDP, and listening 189. Ask where both are equal."


def _two_sides(p):
    """Return the proportion of left to right that a belief means, in words."""
    if not 0 < p < 1:
        return "A belief is a probability, between 0 and 1."
    return f"Then left and right stand as {p:.3g} to {1 - p:.3g}. They stand as hunch times chance on each side."


task("32.a", "How many plans?",
    start="How many nodes has a plan of three steps?",
    hints=["A history of two steps is two pairs (action, observation).",
           "A plan has 1 + 2 + 4 nodes, with an action each."],
    histories=number("The number of histories", "(3 * 2) ** 2", to=1e-6, slips="""
        6    | That is one step. After two steps each of the 6 pairs is followed by 6.
        12   | The choices of the two steps multiply: 6 times 6.
        9    | Observations belong to the history, too.
        4    | Those are the histories of observations. The actions belong to it, too.
        81   | One of the two has three values, the other two: 3 times 2 for each step.
        216  | That is after three steps.
        42   | Those are the histories of one and of two steps. Asked are those of two.
        43   | That counts the empty history and those of one step, too. Asked are those of two.
        10   | In each step action and observation multiply, and so do the steps: (3 · 2) · (3 · 2).
        25   | In each step 3 actions and 2 observations give 3 · 2 pairs, not 3 + 2.
        5    | Action and observation multiply: 3 · 2 pairs in one step. And there are two steps.
        13   | Actions and observations multiply: 9 sequences of actions, each with 4 of observations.
        18   | The second step has an observation, too: 3 · 2 · 3 · 2.
        108  | That has a third action. Two steps are two actions and two observations.
        24   | The second step has as many pairs as the first: 6 · 6.
        21   | The order counts: first one pair, then the other.
        30   | The same pair may come twice: 6 choices in the second step, too.
        64   | Two steps with 6 pairs each: 6 to the power 2, not 2 to the power 6.
        16   | That is with two actions. The tiger has three: listen, open left, open right.
        27   | That is the number of plans of two steps. A history is one path: two pairs.
        1296 | Those are four pairs. Two steps are two actions and two observations.
        2187 | That is the number of plans. Histories come first.
        """, say=_always("How many pairs of action and observation has one step, and two of them in a row?")),
    plans=number("The number of plans", "3 ** (1 + 2 + 4)", to=1e-6, slips="""
        27    | That is the number of plans of two steps: 1 + 2 = 3 nodes.
        6561  | A plan of three steps has 1 + 2 + 4 = 7 nodes, not 8.
        81    | The last level has four nodes: one for each pair of observations.
        128   | Each of the 7 nodes has one of three actions: 3 to the power 7.
        343   | Each of the 7 nodes chooses out of 3: 3 to the power 7, not 7 to the power 3.
        21    | The choices at the nodes multiply, they do not add.
        36    | That is the number of histories.
        216   | Those are the histories of three steps. A plan has an action at each of its 1 + 2 + 4 nodes.
        7     | That is the number of nodes. At each of them stands one of three actions.
        729   | The root is a node, too: 1 + 2 + 4.
        3**15 | That is a plan of four steps: 15 nodes.
        3**31 | That is a plan of five steps: 31 nodes.
        3**9  | Three levels have 1, 2 and 4 nodes, not three each.
        3**5  | Each of the two nodes in the middle has two branches: the last level has four nodes.
        3**13 | The branches are observations, and there are two: 1 + 2 + 4 nodes, not 1 + 3 + 9.
        3**14 | The first action stands alone: before it nothing is observed. 1 + 2 + 4 nodes, not 2 + 4 + 8.
        3**12 | The nodes are 1 + 2 + 4 = 7, and 3 actions at each: 3 to the power 7.
        2**13 | You exchanged actions and observations: the tree branches by observations, the nodes hold actions.
        6**7  | At a node one chooses the action only. The observations are the branches, and all of them are there.
        2217  | Those are the plans of one, two and three steps together.
        14    | The choices at the nodes multiply, and there are three: 3 to the power 7.
        4     | That is the number of paths through the plan. Each of its 7 nodes has one of three actions.
        8     | Those are the sequences of three observations. A plan has 7 nodes with one of three actions each.
        12    | A plan fixes what to do after every observation: an action at each of 7 nodes.
        9     | A plan fixes what to do after every observation: an action at each of 7 nodes.
        """, say=_always("How many nodes has the tree, and how many actions can stand at each?")),
    right="Right. At eight steps there are more plans than atoms in a galaxy.",
    explanation="Histories: (3 · 2)² = 36. Plans: 7 nodes with 3 actions each, 3⁷ = 2187.",
)  # fmt: skip

task("32.b", "A growl against a hunch",
    start="How likely is a growl from the left, all in all?",
    hints=["Weigh each side by how likely it makes the growl.", "0.8 · 0.3 against 0.2 · 0.7; their sum is P(z)."],
    belief=number("The new belief", "0.8 * 0.3 / (0.8 * 0.3 + 0.2 * 0.7)", to=6e-4, slips="""
        0.24   | That is the product. Divide by the probability of the growl, so that both beliefs sum to one.
        0.8    | That is the belief from an even start. Your hunch was 0.3.
        0.3    | That is the belief before the growl. A tiger on the right is heard on the left, too, but only with 0.2.
        0.3684 | That is the belief in the right door.
        0.9032 | You swapped the two sides of the hunch.
        0.0968 | You weighed by the chance of a growl from the right.
        0.38   | That is the probability of the growl.
        0.7083 | That is with the accuracy 0.85 of the tiger so far. This ear has 0.8.
        0.55   | A mean of hunch and growl is no update. Multiply, then divide by the sum.
        0.85   | That is the ear of before, from an even start. This ear has 0.8, and your hunch was 0.3.
        0.8727 | That is after two growls from the left. You heard one.
        0.48   | You divide by ½, the chance of a growl from an even start. Here it is 0.8 · 0.3 + 0.2 · 0.7.
        0.1579 | You weighed the left side by 0.2, the chance of a wrong growl. This one was heard on the left.
        0.2553 | The other side is weighed, too: 0.7 times the chance 0.2 of a wrong growl.
        0.5455 | The other side is weighed, too: 0.7 times the chance 0.2 of a wrong growl.
        0.5333 | Multiply hunch and accuracy on each side before you divide by the sum.
        0.4286 | Divide by the sum of both sides; and a tiger on the right is heard on the left with 0.2.
        0.3871 | You divide by the chance of a growl from the right.
        12 / 7 | Those are the odds, left to right. The belief is left over left and right together.
        0.56   | You took the hunch of the right side. And divide by the sum of both.
        0.14   | That is the product of the right side. Asked is the left, divided by the sum of both.
        """, say=_two_sides),
    chance=number("The probability of the growl", "0.8 * 0.3 + 0.2 * 0.7", to=6e-4, slips="""
        0.24  | The growl may also come from a tiger on the right.
        0.8   | That is the probability if the tiger is on the left. It is there with 0.3.
        0.62  | That is the probability of a growl from the right.
        0.14  | That is the part of the tiger on the right. Add the other one.
        0.6316 | That is the new belief.
        0.5   | Only with an even hunch.
        0.5789 | That is the chance of a second growl from the left. Asked is the first: weigh with 0.3 and 0.7.
        0.745 | That is a second growl of the ear of before. Asked is this one: weigh with 0.3 and 0.7.
        0.56  | You took the wrong side of the hunch, and only one: add the chances over both sides.
        0.44  | Weigh the wrong growl, too: 0.2 times 0.7.
        0.3   | That is the hunch that the tiger is there. How likely was the growl?
        0.06  | That is a tiger on the left, heard on the right.
        0.2   | That is the chance of a growl from the left if the tiger is on the right. It may be on the left.
        0.36  | That is with the accuracy 0.85 of the tiger so far. This ear has 0.8.
        """, say=_always("It is a mean of 0.8 and 0.2, of the tiger on the left and on the right. Which weights?")),
    right="Right. One growl turns the hunch round, and no more.",
    explanation="0.8 · 0.3 = 0.24, 0.2 · 0.7 = 0.14. P(z) = 0.38, and 0.24/0.38 = 0.632.",
)  # fmt: skip


def update(b, P, sensor, z):
    predicted = b @ P
    joint = sensor[:, z] * predicted
    return joint / joint.sum()


WAIT_P, WAIT_O = np.array([[0.8, 0.2], [0.05, 0.95]]), np.array([[0.85, 0.15], [0.4, 0.6]])
PUMP_P = np.array([[0.88, 0.1, 0.02], [0.0, 0.8, 0.2], [0.1, 0.0, 0.9]])
PUMP_O = np.array([[0.6, 0.3, 0.1], [0.3, 0.2, 0.5], [0.05, 0.75, 0.2]])

task("32.c", "Your own filter",
    update,
    cases=[
        (np.array([0.6, 0.4]), WAIT_P, WAIT_O, 1),
        (np.array([0.6, 0.4]), WAIT_P, WAIT_O, 0),
        (np.array([0.2, 0.5, 0.3]), PUMP_P, PUMP_O, 2),
        (np.array([1.0, 0.0, 0.0]), PUMP_P, PUMP_O, 0),
        (np.array([0.1, 0.2, 0.7]), PUMP_P, PUMP_O, 1),
    ],
    what="The belief",
    slips="""
    b @ P => P @ b | You go backwards in time: b(s) p(s' | s) is summed over the old state, the first index of P.
    b @ P => b | The state moves before it is observed: predict with P first.
    joint / joint.sum() => (sensor[:, z] * b) / (sensor[:, z] * b).sum() @ P | You weigh the state that was left, and
        then move. The observation tells of the state reached: predict with P first, then weigh.
    sensor[:, z] * predicted => predicted | The observation is not used.
    sensor[:, z] => sensor[z] | You took row z: the columns of the sensor are the observations, the rows the
        states reached.
    joint / joint.sum() => joint | Divide by the sum: a belief sums to one.
    joint / joint.sum() => joint / joint.max() | Divide by the sum, not by the largest entry.
    sensor[:, z] * predicted => sensor[:, z] + predicted | Multiply by the chance of the observation; do not add it.
    joint / joint.sum() => joint / np.linalg.norm(joint) | A belief sums to one: divide by the sum, not by the length.
    joint / joint.sum() => joint / sensor[:, z].sum() | Divide by the chance of the observation, the sum of what you
        weighed, not by the sum of the sensor's column.
    joint / joint.sum() => joint / (sensor[:, z] * b).sum() | The divisor weighs the state that was left. Divide by the
        sum of what you have, and the belief sums to one.
    joint / joint.sum() => joint / len(joint) | Divide by the sum, not by the number of states.
    joint / joint.sum() => joint.sum() | That is the chance of the observation. The belief is each part divided by it.
    joint / joint.sum() => np.exp(joint) / np.exp(joint).sum() | No exponential: these are probabilities already. Divide
        them by their sum.
    joint / joint.sum() => joint / joint.sum() @ P | You move once more after the observation. One step moves once.
    b @ P => b @ P @ P | You move twice. One step moves once.
    joint = sensor[:, z] * predicted => joint = (sensor[:, z] @ P) * b | You weigh and move the wrong way round: the
        belief moves, b @ P, and then the sensor weighs it.
    joint = sensor[:, z] * predicted => joint = (P @ sensor[:, z]) * b | That is the belief of the state that was left,
        after a look at the next one. Asked is the state reached.
    sensor[:, z] * predicted => sensor[:, z] * predicted * b | The old belief is in the prediction already: it counts
        once.
    sensor[:, z] * predicted => sensor[:, z] ** 2 * predicted | The observation counts once.
    sensor[:, z] * predicted => (1 - sensor[:, z]) * predicted | You weigh by the chance that z does not come.
    sensor[:, z] * predicted => predicted / sensor[:, z] | Weigh: multiply by the chance of the observation.
    sensor[:, z] => sensor[:, z - 1] | You took another column: observations are numbered from 0, like the columns.
    sensor[:, z] => sensor[:, 0] | You took the first column for every z.
    b @ P => b[-1] * P[-1] | Only the last old state is left: add over all of them, do not overwrite.
    b @ P => b[0] * P[0] | Only the first old state is there: add over all of them.
    b @ P => b * np.diag(P) | That is staying where one is. The state may also have come from another one.
    sensor[:, z] * predicted => predicted @ sensor | Those are the chances of all observations. You saw one, z: weigh
        the states with its column.
    joint / joint.sum() => b @ ((P * sensor[:, z]) / (P @ sensor[:, z])[:, None]) | You divide for each old state apart.
        Add over the old states first, then divide once.
    joint / joint.sum() => (b[:, None] * P * sensor[:, z]) / joint.sum() | That is the table of old and new state. Sum
        over the old one.
    joint / joint.sum() => (joint / joint.sum() + b) / 2 | No mean with the old belief: it is in the prediction already.
    b @ P => P[b.argmax()] | You move from the most likely state only. Every state counts, with its belief.
    joint / joint.sum() => np.eye(len(b))[joint.argmax()] | That is the most likely state, with certainty. A belief
        keeps the probabilities of all.
    """,
    start="Which comes first, the move or the observation?",
    hints=["Predict: b @ P. Then weigh by the column sensor[:, z].", "Divide by the sum at the end."],
    right="Right. Below it follows the plant.",
    explanation="b @ P is where the state may be; sensor[:, z] weighs it; the sum is P(z | b, a).",
)  # fmt: skip

task("32.d", "The last step",
    start="What does each action pay on average, if nothing comes after it?",
    hints=["ρ(b, open right) = 10 x - 100 (1 - x).", "Set it equal to -1, the cost of listening."],
    reward=number("The pay of opening right", "0.95 * 10 + 0.05 * -100", to=6e-3, slips="""
        -94.5 | You opened the tiger's door. It is on the left with 0.95: the right door is safe.
        9.5   | The tiger may be on the right: 0.05 times -100 counts, too.
        -90   | Weigh both rewards with the belief.
        10    | Only if you were sure.
        5     | The treasure, too, is there with 0.95 only: weigh the 10.
        -5    | That is the part of the bite. The treasure pays 10, with 0.95.
        -90.5 | The bite, too, comes with a probability, 0.05.
        -45   | That is at ½. Here the tiger is on the left with 0.95.
        -6.5  | That is at 0.85, after one growl. Here the tiger is on the left with 0.95.
        6.68  | That is after two growls, at 0.970. Here the tiger is on the left with 0.95.
        -1    | That is what listening pays.
        22.9015 | One step is left: nothing comes after it.
        14.5  | The bite is a loss: subtract it.
        5.5   | That is how much more than listening it pays. Asked is what it pays itself.
        3.5   | No growl is bought here: the step is the opening.
        4.275 | It is the first and only step: no discount.
        """, say=_always("It is a mean of 10 and -100. Which of them comes with 0.95, which with 0.05?")),
    limit=number("The belief from which it pays", "99 / 110", to=6e-4, slips="""
        0.9091 | That is where opening pays 0. Its rival, listening, pays -1.
        0.5    | Acting on the likelier side forgets what a bite costs.
        0.1    | That is the belief below which the left door is opened.
        98 / 110 | That is where opening pays -2. Listening costs 1.
        0.9697 | That is the belief after two growls. Ask where both actions pay the same.
        0.99   | Opening right pays 10 x - 100 (1 - x): both terms grow with x, by 110 in all.
        1.1    | Opening right pays 10 x - 100 (1 - x) = 110 x - 100. A probability is at most 1.
        0.0909 | That is where opening left pays 0. Asked is the right door, against listening.
        0.9182 | Compare with -1, not with +1.
        0.9603 | That is the threshold for an endless game. Here is one step only.
        0.95   | That is the belief of the first question. Ask where both actions pay the same.
        0.85   | After one growl opening pays -6.5, less than -1. Ask where both pay the same.
        """, say=_both_doors),
    right="Right. At 0.85, after one growl, opening still costs 6.5 on average.",
    explanation="9.5 - 5 = 4.5. 10 x - 100 (1 - x) = -1 gives 110 x = 99, x = 0.9.",
)  # fmt: skip

task("32.e", "A vector by hand",
    start="If the tiger is on the left, which growls come how often, and what does each lead to?",
    hints=["From the left: -1 + 0.95 (0.85 · 10 + 0.15 · (-1)).",
           "From the right the growls come the other way round."],
    left=number("The value if it is on the left", "-1 + 0.95 * (0.85 * 10 + 0.15 * -1)", to=6e-3, slips="""
        7.35     | The discount of the second step is missing.
        6.9825   | The discount belongs to the second step, not to the first.
        8.35     | That is the second step alone. Listening costs 1, and tomorrow is discounted.
        7.9325   | That is the second step, discounted. Listening first costs 1.
        7.075    | After a growl from the right you listen: -1, not 0.
        -16.0575 | That is the value if the tiger is on the right.
        0.4675   | You swapped the chances: a tiger on the left is heard on the left with 0.85.
        -7.175   | After a growl from the right you listen; nobody opens the tiger's door.
        8.5      | Opening right is not certain: with 0.15 the growl comes from the right.
        3.275    | The growls are not even: one from the tiger's side comes with 0.85.
        -4.5625  | That is the mean over both sides. A vector has a value for each state.
        7.2175   | Listening costs 1: after a growl from the right it is -1, not +1.
        8.9325   | Listening first costs 1: subtract it.
        6.535875 | The second step is discounted once.
        -81.8925 | After a growl from the left the plan opens the right door: a treasure, if the tiger is on the left.
        6.41     | The ear has 0.85 again.
        5.9825   | Listening costs 1 at first, and 1 only after a growl from the right.
        6.925    | All that comes in the second step is discounted, the listening as well.
        """, say=_always("It is -1 and 0.95 times a mean of two rewards. Which growls come how often, and then?")),
    on_the_right=number("The value if it is on the right", "-1 + 0.95 * (0.15 * -100 + 0.85 * -1)", to=6e-3, slips="""
        -16.85   | The discount of the second step is missing.
        -15.0575 | That is the second step, discounted. Listening first costs 1.
        -81.8925 | You swapped the chances: a tiger on the right is heard on the left with 0.15.
        -15.25   | After a growl from the right you listen: -1, not 0.
        -15.85   | That is the second step alone.
        6.9325   | That is the value if the tiger is on the left.
        -0.3825  | A tiger on the right bites whoever opens right: -100 after a growl from the left.
        -96      | Opening right is not certain: a tiger on the right is heard on the left with 0.15 only.
        -1.95    | After a growl from the left you open, and that growl comes with 0.15.
        1.6175   | A tiger on the right bites whoever opens right: -100, not 10.
        -48.975  | The growls are not even: one from the tiger's side comes with 0.85.
        -4.5625  | That is the mean over both sides. A vector has a value for each state.
        -14.4425 | Listening costs 1: after a growl from the right it is -1, not +1.
        -14.0575 | Listening first costs 1: subtract it.
        -16.0075 | The discount belongs to the second step, not to the first.
        -15.304625 | The second step is discounted once.
        -20.76   | The ear has 0.85 again.
        -17.0075 | Listening costs 1 at first, and 1 only after a growl from the right.
        -16.1    | All that comes in the second step is discounted, the listening as well.
        """, say=_always("It is -1 and 0.95 times a mean of two rewards. Which growls come how often, and then?")),
    right="Right. It is one of the five plans of two steps that are best at some belief.",
    explanation="-1 + 0.95 · 8.35 = 6.9325, and -1 + 0.95 · (-15.85) = -16.0575.",
)  # fmt: skip


def _about(plans):
    """Return what is wrong with a set of plans of 32.f that no line of the table lists."""
    if 3 in plans:
        return "Plan 2 is above plan 3 in both states."
    if 4 in plans:
        return "At every belief plan 0 or plan 2 lies above plan 4."
    corner = "Where the {} state is certain, plan {} pays {}, more than any other."
    lost = {0: corner.format("second", 0, 10), 1: corner.format("first", 1, 9)}
    return next(words for plan, words in lost.items() if plan not in plans)


LISTED = [
    ({0, 1, 2, 4}, "Those are the ones that no single other one dominates. Plan 4 lies below 0 or 2 everywhere."),
    ({0, 1}, "Plan 2 is above both where they cross: 5.1 against 5."),
    ({3, 4}, "Those are the ones that can go. Asked are those that are needed."),
    ({0, 1, 4}, "Plan 2 is above 0, 1 and 4 where 0 and 1 cross."),
    ({1, 2, 3}, "The plans are numbered from 0. And plan 2 is above plan 3 in both states."),
    ({3}, "If 3 is their number: asked is which ones. Plan 3 itself lies below plan 2 in both states."),
    ({2}, "That is the best one at the even belief. Asked are all that are best at some belief."),
]
SUBSETS = [{k for k in range(5) if n >> k & 1} for n in range(1, 32)]
LISTED += [(w, _about(w)) for w in SUBSETS if w != {0, 1, 2} and all(w != known for known, _ in LISTED)]

task("32.f", "Who is needed?",
    start="Where do two neighbouring lines cross, and who lies above that point?",
    hints=["Plan 3 lies under plan 2 everywhere.", "Draw plans 0, 1 and 2; plan 4 lies under 0 or 2 everywhere."],
    kept=chosen("The set of plans that are needed", {0, 1, 2}, 5, noun="plan", slips=LISTED),
    pointwise=number("The number that the pointwise test keeps", 4, to=1e-6, slips="""
        3 | That is how many are needed. No single plan is better than plan 4 in both states, so the test keeps it.
        5 | Plan 2 is better than plan 3 in both states.
        1 | That is how many it throws out.
        2 | Compare pairs: one plan must be at least as good in both states.
        0 | Of two plans that beat each other in one state each, both stay.
        """, say=_always("It keeps some of five. Which plan has another one that is at least as good in both states?")),
    right="Right. A mixture of plans 0 and 2 does what neither does alone: it lies above plan 4.",
    explanation="Plans 0, 1, 2 form the envelope. 3 lies under 2; 4 under 0 or 2 at every belief, but "
                "under neither everywhere.",
)  # fmt: skip

task("32.g", "What QMDP thinks",
    start="What is each action worth if the tiger is in sight from tomorrow on?",
    hints=["In sight, the game is worth 10/(1 - 0.95) = 200.", "Open right: 0.8 · 200 + 0.2 · 90. Listen: 189."],
    opening=number("The value of opening", "0.8 * (10 + 0.95 * 200) + 0.2 * (-100 + 0.95 * 200)", to=6e-3, slips="""
        200  | Only if the tiger is on the left for sure.
        112  | You opened the tiger's door.
        140  | What comes after the bite counts, too: -100 + 0.95 · 200.
        -12  | That is the reward of the step alone. The future is worth 0.95 · 200.
        188  | The future is discounted: 0.95 · 200 = 190.
        189  | That is listening.
        90   | That is its value if the tiger is on the right.
        160  | The tiger may be on the right, with 0.2: there opening right is worth 90.
        145  | That is at ½. Here the tiger is on the left with 0.8.
        183.5 | That is at 0.85. Here the tiger is on the left with 0.8.
        180  | The future is discounted after a bite, too: -100 + 0.95 · 200 = 90.
        168  | The future is worth 0.95 · 200 = 190: discount it once.
        158  | In sight the game is worth 200 from tomorrow on, discounted 190: it is added to 10 and to -100.
        8    | The treasure pays 10 and the bite costs 100; and the future, 0.95 · 200, is added.
        6.4015 | That goes on with the exact 19.37. QMDP believes in 200 from tomorrow on.
        87.2 | That is the informed bound at ½.
        190  | That is the future alone. Add what the step pays on average.
        157.1 | From tomorrow on the tiger is in sight: the game goes on with 200, whatever door is open today.
        167.55 | In sight the game goes on with a safe door, 200, not with listening, 189.
        """, say=_always("It is a mean, 0.8 to 0.2, of two values: a reward and 0.95 · 200 each. Which rewards?")),
    limit=number("The belief from which it opens", "99 / 110", to=6e-4, slips="""
        0.9603 | That is the exact threshold. QMDP opens earlier.
        0.9091 | Compare opening with listening, 189, not with 190.
        0.5    | Compare 90 + 110 x with 189.
        1      | Compare it with listening, 189, not with the safe door, 200.
        109 / 110 | Listening is worth -1 + 0.95 · 200 = 189, not 199: tomorrow is discounted.
        0.9697 | That is the belief after two growls. Ask where 90 + 110 x = 189.
        98 / 110 | Listening costs 1: it is worth 190 - 1 = 189.
        0.945  | Opening right is worth 90 + 110 x, not 200 x.
        0.95   | There opening is worth 194.5, more than 189: it begins earlier.
        0.85   | There opening is worth 183.5, less than 189.
        0.8    | There opening is worth 178, less than 189.
        0.1    | That is where the left door begins.
        """, say=_seen_doors),
    right="Right. QMDP opens as if there were no tomorrow: after any action the future is worth the same 190.",
    explanation="0.8 · 200 + 0.2 · 90 = 178. 90 + 110 x = 189 gives x = 0.9, the threshold of the last step.",
)  # fmt: skip

task("32.h", "A free growl",
    start="Which door would you open after the growl, and is it worth opening?",
    hints=["After one growl the belief is the accuracy itself.", "At 0.85 opening pays -6.5, so one listens anyway."],
    poor=number("The price at 0.85", 0.0, to=6e-3, slips="""
        -5.5 | You need not open: after the growl you may still listen for -1.
        -6.5 | That is what opening would pay. One may listen instead.
        -1   | That is the value with the growl, and without it.
        1    | The growl is free; what changes is the decision, and here it does not.
        5.5  | That is the price at 0.95.
        38.5 | Without the growl nobody must open: the last step is worth -1, by listening.
        -7.5 | The growl is free, and after it you may still listen.
        39.4 | That is the sensor's price in the endless game. Here one step is left.
        44   | Without the growl nobody must open: the last step is worth -1, by listening.
        9.5  | The growl may be wrong: with 0.15 it costs 100. And you need not open after it.
        11   | The growl may be wrong: with 0.15 it costs 100. And you need not open after it.
        -0.95 | Nothing is discounted: the growl is for now. And after it you listen, as before.
        -2   | The growl is free: subtract from the value with it the value without it, -1.
        7.5  | That step would pay -6.5. One listens instead, as without the growl.
        6.5  | Opening would lose that. One listens instead, as without the growl.
        """, say=_always("It is the value of the best action after the growl, less -1. Which action is best at 0.85?")),
    good=number("The price at 0.95", "0.95 * 10 + 0.05 * -100 + 1", to=6e-3, slips="""
        4.5  | That is the value with the growl. Subtract the value without it, -1.
        3.5  | Without the growl the last step is worth -1: subtract that.
        0    | At 0.95 the growl changes what is done.
        10.5 | The growl may be wrong: with 0.05 it costs 100.
        11   | The growl may be wrong: with 0.05 it costs 100.
        5.225 | Nothing is discounted: both are the same step.
        5.275 | Nothing is discounted: both are the same step.
        6.5  | Subtract -1, once: 4.5 + 1.
        9.5  | The growl may be wrong: with 0.05 it costs 100. And subtract the value without it, -1.
        2.75 | After either growl you open the other door and gain as much: no half.
        42.6 | That is the largest price of the sensor in the endless game. Here one step is left.
        39.4 | That is the sensor's price in the endless game. Here one step is left.
        -1   | That is the value without the growl.
        49.5 | Without the growl nobody must open: the last step is worth -1, by listening.
        """, say=_always("It is the value of the best action after the growl, less -1. What does it pay at 0.95?")),
    right="Right. Information that changes no decision is worth nothing.",
    explanation="Without: -1. At 0.85: max(-1, -6.5) = -1, price 0. At 0.95: 4.5, price 5.5.",
)  # fmt: skip


def growls_needed(accuracy, threshold):
    k, odds = 0, 1.0
    if accuracy <= 0.5 < threshold:
        raise ValueError("such an ear never gets there")
    while odds / (1 + odds) < threshold - 1e-12:
        odds = odds * accuracy / (1 - accuracy)
        k = k + 1
    return k


def _odds(p):
    return p / (1 - p)


def _unrounded(accuracy, threshold):
    return math.log(_odds(threshold)) / math.log(_odds(accuracy))


def _some_growl_right(accuracy, threshold):
    return math.ceil(math.log(1 - threshold) / math.log(1 - accuracy) - 1e-9)


def _all_growls_right(accuracy, threshold):
    return math.ceil(math.log(1 - threshold) / math.log(accuracy) - 1e-9)


def _reached(case, got, wanted):
    """Return how far so many growls lead, in words."""
    (accuracy, threshold), k = case, float(np.asarray(got).squeeze())
    if k < 0 or k > 100 or k % 1:
        return f"Given accuracy = {accuracy}, threshold = {threshold}: {k:.4g} is no number of growls."
    belief = 1 / (1 + ((1 - accuracy) / accuracy) ** k)
    where = "which does not reach it" if k < wanted else "but fewer reach it, too"
    return f"Given accuracy = {accuracy}, threshold = {threshold}: {k:.0f} growls lead to {belief:.4f}, {where}."


UP = "A number of growls is whole, and one too few does not reach the threshold: round up."
OTHER_GROWLS = [
    (_unrounded, f"That is where the threshold is crossed. {UP}"),
    (lambda q, t: round(_unrounded(q, t)), f"You round to the nearest. {UP}"),
    (_some_growl_right, "That is until some growl is right with that probability. But growls that agree multiply the "
                        "odds: each by accuracy / (1 - accuracy)."),
    (lambda q, t: math.ceil(math.log(t) / math.log(q) - 1e-9), "Powers of the accuracy fall; the belief rises. Growls "
                                                               "that agree multiply the odds."),
    (_all_growls_right, "Powers of the accuracy are not the belief. Growls that agree multiply the odds: each by "
                        "accuracy / (1 - accuracy)."),
    (lambda q, t: math.ceil(math.log(_odds(t)) / math.log(q) - 1e-9), "The odds of the threshold are right. One growl "
                                                "multiplies them by accuracy / (1 - accuracy), not by accuracy."),
    (lambda q, t: math.ceil(t / q - 1e-9), "Beliefs do not add. Each growl multiplies the odds."),
    (lambda q, t: math.ceil((t - 0.5) / (q - 0.5) - 1e-9), "Beliefs do not add: the second growl moves less than the "
                                                           "first. Each multiplies the odds."),
    (lambda q, t: math.ceil(_odds(t) / _odds(q)), "Odds multiply, they do not add: count the factors, by a loop "
                                                         "or by logarithms."),
]  # fmt: skip

task("32.1", "Growls needed",
    growls_needed,
    cases=[(0.85, 0.9603), (0.6, 0.95), (0.75, 0.75), (0.75, 0.89), (0.75, 0.5), (0.99, 0.96), (0.55, 0.93)],
    what="The number of growls",
    complain=_reached,
    slips=["""
    odds / (1 + odds) < threshold - 1e-12 => odds / (1 + odds) <= threshold + 1e-12 | A belief that equals the
        threshold is enough: "at least", not "more than".
    odds / (1 + odds) => odds | Compare the belief with the threshold, not the odds: it is odds / (1 + odds).
    k, odds = 0, 1.0 => k, odds = 1, 1.0 | That is one growl too many: at ½ none has been heard, so count from 0.
    return k => return max(k, 1) | At ½ you are there already, if no more is asked for: 0 growls.
    k, odds = 0, 1.0 => k, odds = 0, 0.5 | The odds of ½ are 1 to 1.
    odds * accuracy / (1 - accuracy) => odds * accuracy / (1 - accuracy) ** 2 | Each growl multiplies by
        accuracy / (1 - accuracy), once.
    odds * accuracy / (1 - accuracy) => odds / (1 - accuracy) | The numerator is missing: accuracy / (1 - accuracy).
    return k => return k if abs(odds / (1 + odds) - threshold) < 1e-9 else k - 1 | You round down: after so many growls
        the belief is still below the threshold. Round up.
    return k => return max(k - 1, 0) | That is one growl too few: count the first one, too, and stop only when the
        belief has reached the threshold.
    return k => return odds / (1 + odds) | That is the belief in the end. Asked is how many growls it took.
    return k => return odds | Those are the odds in the end. Asked is how many growls it took.
    odds * accuracy / (1 - accuracy) => odds + accuracy / (1 - accuracy) | Odds multiply, they do not add: each growl
        multiplies them by accuracy / (1 - accuracy).
    odds * accuracy / (1 - accuracy) => odds * (accuracy / (1 - accuracy)) ** 2 | Each growl multiplies the odds once.
    """, *OTHER_GROWLS],
    start="By which factor does one growl multiply the odds?",
    hints=["Odds start at 1 and grow by accuracy / (1 - accuracy).",
           "The belief is odds / (1 + odds); count until it reaches."],
    right="Right. The same number as on the slider: 2 growls at 0.85.",
    explanation="After n net growls the odds are (q / (1 - q))^n; find the first n with belief at least the threshold.",
)  # fmt: skip


def backup_vector(P, sensor, r, gamma, after):
    value = np.array(r, dtype=float)
    for z in range(sensor.shape[1]):
        value = value + gamma * P @ (sensor[:, z] * after[z])
    return value


LISTEN_O = np.array([[0.85, 0.15], [0.15, 0.85]])
AFTER = np.array([[10.0, -100.0], [-1.0, -1.0]])
AFTER3 = np.array([[3.0, -1.0, 2.0], [0.5, 4.0, -2.0], [1.0, 1.5, 6.0]])


def _best_look(P, sensor, r, gamma, after):
    return r + gamma * P @ (sensor * after.T).max(axis=1)


def _best_look_last(P, sensor, r, gamma, after):
    return r + gamma * (P @ (sensor * after.T)).max(axis=1)


def _best_plan(P, sensor, r, gamma, after):
    return max((r + gamma * P @ plan for plan in after), key=sum)


def _of_the_old_state(P, sensor, r, gamma, after):
    return r + gamma * np.einsum("st,tz,zs->s", P, sensor, after)


def _reward_each_time(P, sensor, r, gamma, after):
    return backup_vector(P, sensor, r, gamma, after) + (len(r) * len(after) - 1) * r


def _likeliest_look(P, sensor, r, gamma, after):
    return r + gamma * P @ after[sensor.argmax(axis=1), np.arange(len(r))]


SUM_Z = "Nobody chooses the observation: sum over z, with no maximum."

task("32.2", "One vector, backed up",
    backup_vector,
    cases=[
        (np.eye(2), LISTEN_O, np.array([-1.0, -1.0]), 0.95, AFTER),
        (WAIT_P, WAIT_O, np.array([2.0, -4.0]), 0.9, np.array([[6.5, -3.3], [4.5, 2.5]])),
        (PUMP_P, PUMP_O, np.array([5.0, 3.0, -9.0]), 0.8, AFTER3),
        (PUMP_P, PUMP_O[:, :2] / PUMP_O[:, :2].sum(axis=1, keepdims=True), np.array([1.0, 0.0, 2.0]), 1.0, AFTER3[:2]),
    ],
    what="The vector",
    slips=["""
    P @ (sensor[:, z] * after[z]) => sensor[:, z] * (P @ after[z]) | The observation depends on the state
        reached, so it stands inside the sum over s'.
    P @ (sensor[:, z] * after[z]) => sensor[:, z] * after[z] | The value ahead is that of the next state: sum
        over s' with P.
    P @ (sensor[:, z] * after[z]) => P @ after[z] | The chance of the observation is missing.
    P @ (sensor[:, z] * after[z]) => P.T @ (sensor[:, z] * after[z]) | The sum runs over the next state, the
        second index of P.
    gamma * P @ => P @ | The discount is missing.
    P @ (sensor[:, z] * after[z]) => P @ after[z] / sensor.shape[1] | You go on with the mean of the
        plans. Each observation has its own plan and its own chance: weigh with the sensor.
    P @ (sensor[:, z] * after[z]) => P @ after.max(axis=0) / sensor.shape[1] | The plan follows what was observed, not
        what would be best in the state: weigh after[z] with the sensor.
    value + gamma => value + (r if z else 0) + gamma | The reward of the step counts once, not for each z.
    np.array(r, dtype=float) => gamma * np.array(r, dtype=float) | The first reward is not discounted.
    np.array(r, dtype=float) => np.zeros(len(r)) | The reward of the step itself is missing.
    after[z]) => after[0]) | Each observation goes on with its own plan, after[z].
    range(sensor.shape[1]) => range(sensor.shape[1] - 1) | The last observation is missing.
    range(sensor.shape[1]) => range(1, sensor.shape[1]) | The first observation is missing: z begins at 0.
    range(sensor.shape[1]) => range(1) | Only the first observation is there: the sum runs over all z.
    value + gamma => np.array(r) + gamma | Each z begins anew from r, so that only the last one is left. Add to what
        you have.
    value + gamma => value - gamma | What comes after is added, not subtracted.
    value + gamma => value + gamma / sensor.shape[1] | The chances of the observations sum to 1 already: sum over z, no
        mean.
    gamma * P => gamma ** 2 * P | One step is discounted once.
    value + gamma * P @ => gamma * value + gamma * P @ | The discount falls on what comes after, once; not on what was
        added before.
    gamma * P => gamma ** z * P | All observations come after one step: each has the discount γ, not a power of it.
    np.array(r, dtype=float) => P @ np.array(r, dtype=float) | The reward is that of the state that is left, r(s): no
        mean over s'.
    np.array(r, dtype=float) => np.full(len(r), np.mean(r)) | The reward is that of each state, r(s), not their mean.
    after[z]) => after[::-1][z]) | Observation z goes on with after[z]; you took the vectors in another order.
    after[z]) => after[z].max()) | What comes after depends on the state reached: after[z] is a vector over s'.
    after[z]) => after[z].mean()) | What comes after depends on the state reached: after[z] is a vector over s'.
    (sensor[:, z] * after[z]) => (sensor[:, z] / sensor[:, z].sum() * after[z]) | The chances sum to one over z, for
        each s'. Do not scale a column.
    (sensor[:, z] * after[z]) => (sensor[:, z] + after[z]) | Multiply what comes after by the chance of z.
    P @ (sensor[:, z] * after[z]) => P @ (sensor[:, z] * (P @ after[z])) | The state moves once in one step.
    return value => return value.sum() | A plan has a value in each state: no sum over s.
    return value => return value.max() | A plan has a value in each state, and cannot choose the state: no maximum.
    return value => return value.mean() | A plan has a value in each state; the mean over a belief comes later.
    """, (_best_look, SUM_Z), (_best_look_last, SUM_Z),
        (_of_the_old_state, "What comes after is the value of the state reached: after[z] at s', not at s."),
        (_reward_each_time, "The reward of the step counts once, not for each s' and z."),
        (_likeliest_look, "You follow the likeliest observation of each state. Sum over all z, each with its chance."),
        (_best_plan, "You go on with one plan whatever is observed. Observation z goes on with after[z].")],
    start="What follows if s' is reached and z is observed, and how likely is that?",
    hints=["Inside: sensor[:, z] * after[z], a vector over s'.", "P @ (...) sums over s'; then γ, then r."],
    right="Right. With the tiger it is the vector of 32.e.",
    explanation="α(s) = r(s) + γ Σ_z Σ_s' p(s'|s) o(z|s') α_z(s').",
)  # fmt: skip


def informed_sweep(Q, P, sensor, R, gamma):
    new = np.array(R, dtype=float)
    for a in range(R.shape[1]):
        for z in range(sensor.shape[2]):
            reached = P[:, a] * sensor[a, :, z]
            new[:, a] += gamma * (reached @ Q).max(axis=1)
    return new


BOTH_P = np.stack([WAIT_P, np.array([[0.95, 0.05], [0.9, 0.1]])], axis=1)
BOTH_O = np.stack([WAIT_O, np.array([[0.7, 0.3], [0.2, 0.8]])])
BOTH_R = np.array([[2.0, -1.0], [-4.0, -2.5]])
THREE_P = np.stack([PUMP_P, np.roll(PUMP_P, 1, axis=0), PUMP_P[::-1]], axis=1)
THREE_O = np.stack([PUMP_O, PUMP_O[::-1], np.roll(PUMP_O, 1, axis=1)])
FOUR_O = np.concatenate([THREE_O[..., :2], THREE_O[..., 2:] * np.array([0.4, 0.6])], axis=2)[:2]  # (2, 3, 4)


def _sweep_while_it_changes(Q, P, sensor, R, gamma):
    Q = Q.astype(float)
    for s in range(len(Q)):
        for a in range(R.shape[1]):
            Q[s, a] = informed_sweep(Q, P, sensor, R, gamma)[s, a]
    return Q


def _sweep_to_the_end(Q, P, sensor, R, gamma):
    for _ in range(400):
        Q = informed_sweep(Q, P, sensor, R, gamma)
    return Q


def _best_look_of_a_sweep(Q, P, sensor, R, gamma):
    return R + gamma * np.einsum("sat,atz,tb->sazb", P, sensor, Q).max(axis=(2, 3))


def _most_likely_look(Q, P, sensor, R, gamma):
    return R + gamma * np.einsum("sat,at,tb->sab", P, sensor.max(axis=2), Q).max(axis=2)


def _sweep_of_all_states(Q, P, sensor, R, gamma):
    return R + gamma * np.einsum("sat,atz,tb->azb", P, sensor, Q).max(axis=2).sum(axis=1)


def _sweep(terms):
    """Return a sweep that adds γ times a function of p o Q, indexed s, a, s', z, a', to the rewards."""
    return lambda Q, P, sensor, R, gamma: R + gamma * terms(np.einsum("sat,atz,tb->satzb", P, sensor, Q))


def _sensor_of_the_next(Q, P, sensor, R, gamma):
    return R + gamma * np.einsum("sat,btz,tb->sazb", P, sensor, Q).max(axis=3).sum(axis=2)


def _likeliest_of_a_row(Q, P, sensor, R, gamma):
    best = np.einsum("sat,atz,tb->sazb", P, sensor, Q).max(axis=3)
    z = np.einsum("sat,atz->saz", P, sensor).argmax(axis=2)
    return R + gamma * np.take_along_axis(best, z[:, :, None], axis=2)[:, :, 0]


def _reward_of_the_next(Q, P, sensor, R, gamma):
    return np.einsum("sat,atz,tb->sazb", P, sensor, R + gamma * Q).max(axis=3).sum(axis=2)


EACH_ACTION = "Every action has an entry of its own: no maximum and no sum over a, the action of this step."
OTHER_SWEEPS = [
    (_sweep(lambda t: t.sum(axis=2).max(axis=3).sum(axis=2).max(axis=1, keepdims=True)), EACH_ACTION),
    (_sweep(lambda t: t.sum(axis=2).sum(axis=1).max(axis=2).sum(axis=1)[:, None]), EACH_ACTION),
    (lambda Q, P, sensor, R, gamma: informed_sweep(Q, P, sensor, R, gamma) - R + R.max(axis=1)[:, None], EACH_ACTION),
    (lambda *case: informed_sweep(*case).sum(axis=1), EACH_ACTION),
    (_sweep(lambda t: t.max(axis=(2, 4)).sum(axis=2)), "Nobody chooses s': sum over s', maximum over a'."),
    (_sweep(lambda t: np.maximum(t.sum(axis=2).max(axis=3), 0).sum(axis=2)), "Values may be negative: do not begin a "
     "maximum at 0."),
    (_sensor_of_the_next, "The observation belongs to the action of this step: sensor[a], not that of the next one."),
    (_likeliest_of_a_row, "You follow the likeliest observation only. Sum over all z, each with its chance."),
    (_reward_of_the_next, "The reward is that of this step, R(s, a), outside of sum and maximum."),
    (lambda Q, P, sensor, R, gamma: (Q + informed_sweep(Q, P, sensor, R, gamma)) / 2, "No mean of old and new: asked "
     "is the right-hand side itself."),
    (lambda Q, P, sensor, R, gamma: informed_sweep(R, P, sensor, R, gamma), "What comes after is Q(s', a'), not the "
     "reward of the next step alone."),
    (_sweep_while_it_changes, "You overwrite Q while you still read it. Read the old table, write a new one."),
    (_sweep_to_the_end, "Asked is one sweep, not its repetition."),
    (_best_look_of_a_sweep, SUM_Z),
    (
        _most_likely_look,
        "You keep only the most likely observation of each state. Sum over all z, each with its chance.",
    ),
    (_sweep_of_all_states, "You sum over s, too. The bound has a value of its own for each s: sum over s' and z only."),
]  # fmt: skip

task("32.3", "The informed bound, one sweep",
    informed_sweep,
    cases=[
        (np.array([[6.0, 5.0], [-1.0, 3.0]]), BOTH_P, BOTH_O, BOTH_R, 0.9),
        (np.zeros((2, 2)), BOTH_P, BOTH_O, BOTH_R, 0.9),
        (np.array([[6.0, 5.0], [-1.0, 3.0]]), BOTH_P, BOTH_O, BOTH_R, 0.5),
        (AFTER3, THREE_P, THREE_O, AFTER3.T, 0.95),
        (AFTER3 - 4.0, THREE_P, THREE_O, AFTER3.T, 0.6),
        (AFTER3[:, :2] - 1.0, THREE_P[:, :2], FOUR_O, AFTER3.T[:, 1:], 0.8),
    ],
    what="The table",
    slips=["""
    (reached @ Q).max(axis=1) => reached @ Q.max(axis=1) | That is QMDP: it chooses in s' itself, as if it were
        seen. The maximum stands outside the sum over s'.
    P[:, a] * sensor[a, :, z] => P[:, a] * sensor[a, :, z][:, None] | Like this the observation changes no
        choice. It weighs the state reached, the second index of P, and each z has a maximum of its own.
    P[:, a] * sensor[a, :, z] => P[:, a] | The chance of the observation is missing.
    gamma * (reached => (reached | The discount is missing.
    new[:, a] += gamma => new[:, a] = gamma | Add over the observations; do not overwrite.
    new[:, a] += gamma * => new[:, a] += (gamma - 1) * R[:, a] / sensor.shape[2] + gamma * | The reward of this step is
        not discounted.
    (reached @ Q).max(axis=1) => (reached @ Q)[:, a] | The next action is chosen anew, after the observation.
    np.array(R, dtype=float) => np.zeros(R.shape) | The reward is missing.
    np.array(R, dtype=float) => np.array(Q, dtype=float) | The sweep begins with the rewards R, not with the old Q.
    new[:, a] += gamma => new[:, a] -= gamma | What comes after is added, not subtracted.
    new[:, a] += gamma => new[:, a] += gamma / sensor.shape[2] | The chances of the observations sum to 1 already: sum
        over z, no mean.
    (reached @ Q).max(axis=1) => (reached @ Q).min(axis=1) | The best next action: the largest, not the smallest.
    (reached @ Q).max(axis=1) => (reached @ Q).mean(axis=1) | The best next action: the largest, not the mean over a'.
    (reached @ Q).max(axis=1) => (reached @ Q).sum(axis=1) | One next action is taken, the best: no sum over a'.
    (reached @ Q).max(axis=1) => (reached @ Q).max() | The next action is chosen for each s apart: one maximum a row.
    (reached @ Q).max(axis=1) => (reached / reached.sum(axis=1, keepdims=True) @ Q).max(axis=1) | Do not divide by the
        chance of z: it is the weight of its maximum in the sum.
    (reached @ Q).max(axis=1) => reached.sum(axis=1) * Q.max(axis=1) | What comes after is the value of the state
        reached: Q(s', a'), not Q(s, a').
    (reached @ Q).max(axis=1) => (reached * Q[:, a]).max(axis=1) | The maximum is over the next action; sum over s'.
    reached = P[:, a] * sensor[a, :, z] => reached = P[:, a].T * sensor[a, :, z] | The sum runs over the next state, the
        last index of P.
    sensor[a, :, z] => sensor[0, :, z] | The sensor depends on the action: sensor[a].
    P[:, a] => P[:, 0] | The move depends on the action: P[:, a].
    range(sensor.shape[2]) => range(1, sensor.shape[2]) | The first observation is missing: z begins at 0.
    range(sensor.shape[2]) => range(sensor.shape[2] - 1) | The last observation is missing.
    gamma * (reached => gamma ** 2 * (reached | One step is discounted once.
    return new => return new.max(axis=1) | Asked is the table Q, a value for each state and action: no maximum over a.
    return new => return new.max(axis=0) | Asked is the table Q, a value for each state and action.
    return new => return new.argmax(axis=1) | Those are the best actions. Asked is the table of values.
    return new => return new - Q | That is the change. Asked is the new table itself.
    """, *OTHER_SWEEPS],
    start="What is known when the next action is chosen: the state, or the observation?",
    hints=["For each z: (P[:, a] * sensor[a, :, z]) @ Q has a row for s and a column for a'.",
           "Maximum over a', sum over z."],
    right="Right. Repeat it and you have the informed bound.",
    explanation="Σ_z max_a' Σ_s' p(s'|s,a) o(z|s',a) Q(s',a'): the maximum between the two sums.",
)  # fmt: skip


def plan_value(b, P, sensor, R, gamma, steps):
    if steps == 0:
        return 0.0
    values = []
    for a in range(R.shape[1]):
        value = b @ R[:, a]
        for z in range(sensor.shape[2]):
            joint = sensor[a, :, z] * (b @ P[:, a])
            chance = joint.sum()
            if chance > 0:
                value = value + gamma * chance * plan_value(joint / chance, P, sensor, R, gamma, steps - 1)
        values.append(value)
    return max(values)


TIGER_P = np.stack([np.eye(2), np.full((2, 2), 0.5), np.full((2, 2), 0.5)], axis=1)
TIGER_O = np.stack([LISTEN_O, np.full((2, 2), 0.5), np.full((2, 2), 0.5)])
TIGER_R = np.array([[-1.0, -100.0, 10.0], [-1.0, 10.0, -100.0]])
SURE_O = np.stack([np.eye(2), np.array([[0.7, 0.3], [0.2, 0.8]])])


def _seen(P, R, gamma, steps):
    """Return Q of the MDP in sight, with so many steps to go."""
    Q = np.zeros(R.shape)
    for _ in range(steps):
        Q = R + gamma * P @ Q.max(axis=1)
    return Q


def _looks(b, P, sensor, a):
    """Yield the chance of each observation that can come, with the belief after it."""
    for z in range(sensor.shape[2]):
        joint = sensor[a, :, z] * (b @ P[:, a])
        if joint.sum() > 0:
            yield joint.sum(), joint / joint.sum()


def _of_actions(b, P, sensor, R, gamma, steps):
    """Return what each first action is worth, with a step to go at least."""
    return [
        b @ R[:, a] + gamma * sum(p * plan_value(c, P, sensor, R, gamma, steps - 1) for p, c in _looks(b, P, sensor, a))
        for a in range(R.shape[1])
    ]


def _greedy(b, P, sensor, R, gamma, steps):
    if steps == 0:
        return 0.0
    a = int(np.argmax(b @ R))
    return b @ R[:, a] + gamma * sum(p * _greedy(c, P, sensor, R, gamma, steps - 1) for p, c in _looks(b, P, sensor, a))


def _best_observation(b, P, sensor, R, gamma, steps):
    if steps == 0:
        return 0.0
    after = [
        max(p * _best_observation(c, P, sensor, R, gamma, steps - 1) for p, c in _looks(b, P, sensor, a))
        for a in range(R.shape[1])
    ]
    return max(b @ R + gamma * np.array(after))


def _likely_observation(b, P, sensor, R, gamma, steps):
    if steps == 0:
        return 0.0
    after = [max(_looks(b, P, sensor, a), key=lambda look: look[0])[1] for a in range(R.shape[1])]
    return max(
        b @ R[:, a] + gamma * _likely_observation(c, P, sensor, R, gamma, steps - 1) for a, c in enumerate(after)
    )


def _informed(b, P, sensor, R, gamma, steps):
    Q = np.zeros(R.shape)
    for _ in range(steps):
        Q = informed_sweep(Q, P, sensor, R, gamma)
    return (b @ Q).max()


def _one_action_for_all(b, P, sensor, R, gamma, steps):
    values = np.zeros(R.shape[1])
    for a in range(R.shape[1]):
        c = b
        for k in range(steps):
            values[a], c = values[a] + gamma**k * c @ R[:, a], c @ P[:, a]
    return values.max()


def _maxima_apart(b, P, sensor, R, gamma, steps):
    if steps == 0:
        return 0.0
    after = [
        sum(p * _maxima_apart(c, P, sensor, R, gamma, steps - 1) for p, c in _looks(b, P, sensor, a))
        for a in range(R.shape[1])
    ]
    return (b @ R).max() + gamma * max(after)


def _belief_lost(b, P, sensor, R, gamma, steps):
    if steps == 0:
        return 0.0
    values = []
    for a in range(R.shape[1]):
        value, looks = b @ R[:, a], list(_looks(b, P, sensor, a))
        b = b @ P[:, a]
        values.append(value + gamma * sum(p * _belief_lost(c, P, sensor, R, gamma, steps - 1) for p, c in looks))
    return max(values)


def _stops_at_impossible(b, P, sensor, R, gamma, steps):
    if steps == 0:
        return 0.0
    values = []
    for a in range(R.shape[1]):
        value = b @ R[:, a]
        for z in range(sensor.shape[2]):
            joint = sensor[a, :, z] * (b @ P[:, a])
            if joint.sum() == 0:
                break
            value += gamma * joint.sum() * _stops_at_impossible(joint / joint.sum(), P, sensor, R, gamma, steps - 1)
        values.append(value)
    return max(values)


def _drops_the_action(b, P, sensor, R, gamma, steps):
    if steps == 0:
        return 0.0
    values = [0.0]
    for a in range(R.shape[1]):
        looks = list(_looks(b, P, sensor, a))
        if len(looks) == sensor.shape[2]:
            after = sum(p * _drops_the_action(c, P, sensor, R, gamma, steps - 1) for p, c in looks)
            values.append(b @ R[:, a] + gamma * after)
    return max(values[1:] or values)


SKIP = "An impossible observation adds nothing, but the others and the reward still count."
OTHER_VALUES = [
    (lambda b, P, sensor, R, gamma, steps: (b @ R).max(), "That is one step. Add what comes after, discounted."),
    (lambda *case: plan_value(*case) / max(case[-1], 1), "No mean over the steps: V is the sum of discounted rewards."),
    (_informed, "That is the informed bound with so many steps: it chooses for each s apart. Choose for the belief."),
    (_one_action_for_all, "You repeat one action. After each observation the best one is chosen anew."),
    (_maxima_apart, "One action is chosen for both: the maximum is over reward and what comes after together."),
    (_belief_lost, "You overwrite b, which the next action still needs."),
    (_stops_at_impossible, SKIP), (_drops_the_action, SKIP),
    (lambda b, P, sensor, R, gamma, steps: (b @ _seen(P, R, gamma, steps)).max(), "That is QMDP with so many steps: "
     "after the first it chooses as if the state were seen. The next action knows b and z only."),
    (lambda b, P, sensor, R, gamma, steps: b @ _seen(P, R, gamma, steps).max(axis=1), "That is the mean of the values "
     "of an MDP in sight. Choose for the belief, not for each state: the maximum over actions stands outside."),
    (_greedy, "You take the action with the best reward now. Compare the actions with what comes after."),
    (_best_observation, SUM_Z),
    (_likely_observation, "You follow one observation only. Sum over all, each with its chance."),
    (lambda b, *rest: plan_value(np.eye(len(b))[np.argmax(b)], *rest), "You begin in the most likely state, as if it "
     "were certain. Every state counts, with its belief."),
    (lambda *case: int(np.argmax(_of_actions(*case))) if case[-1] else 0.0, "That is the best action. Asked is its "
     "value."),
    (lambda *case: _of_actions(*case)[0] if case[-1] else 0.0, "That is the value of the first action only. Take the "
     "best of all."),
    (lambda *case: _of_actions(*case)[-1] if case[-1] else 0.0, "That is the value of the last action only. Take the "
     "best of all."),
]  # fmt: skip

task("32.4", "Bellman's equation, by recursion",
    plan_value,
    cases=[
        (np.array([0.5, 0.5]), TIGER_P, TIGER_O, TIGER_R, 0.95, 3),
        (np.array([0.9, 0.1]), TIGER_P, TIGER_O, TIGER_R, 0.95, 2),
        (np.array([0.6, 0.4]), BOTH_P, BOTH_O, BOTH_R, 0.9, 3),
        (np.array([1.0, 0.0]), BOTH_P, SURE_O, BOTH_R, 0.8, 3),
        (np.array([1.0, 0.0]), np.stack([np.eye(2)] * 2, axis=1), np.stack([np.eye(2)] * 2), BOTH_R, 0.8, 2),
        (np.array([0.0, 1.0]), np.stack([np.eye(2)] * 2, axis=1), np.stack([np.eye(2)] * 2), BOTH_R, 0.8, 2),
        (np.array([0.2, 0.5, 0.3]), THREE_P, THREE_O, AFTER3.T, 0.7, 2),
        (np.array([0.2, 0.5, 0.3]), THREE_P, THREE_O, AFTER3.T, 0.7, 1),
        (np.array([0.2, 0.5, 0.3]), THREE_P, THREE_O, AFTER3.T, 0.7, 0),
    ],
    what="The value",
    slips=["""
    gamma * chance * plan_value => gamma * plan_value | Weigh each observation with its probability.
    plan_value(joint / chance, => plan_value(joint, | The recursion needs a belief: divide by P(z | b, a).
        (Then the factor is counted once.)
    gamma * chance * => chance * | The discount is missing.
    value = b @ R[:, a] => value = gamma * b @ R[:, a] | The first reward is not discounted.
    joint = sensor[a, :, z] * (b @ P[:, a]) => joint = (sensor[a, :, z] * b) @ P[:, a] | You weigh the state that was
        left. The observation tells of the state reached: predict first, then weigh.
    gamma * chance * plan_value(joint / chance, => 0 * plan_value(joint / chance, | What comes after is missing.
    sensor[a, :, z] * (b @ P[:, a]) => sensor[a, :, z] * b | The state moves before it is observed.
    gamma, steps - 1) => gamma, steps - 2 if steps > 1 else 0) | You go down two steps at a time.
    if steps == 0: => if steps <= 1: | With one step left the reward still counts. V is 0 only when no step is left.
    return 0.0 => return max(b @ R) | With no step left nothing is paid: like this one step too many is played.
    return max(values) => return sum(values) / len(values) | The best action, not the mean over actions.
    b @ R[:, a] => R[:, a].max() | The reward is the mean over the belief, ρ(b, a).
    b @ R[:, a] => R[:, a].mean() | The reward is the mean over the belief, ρ(b, a), not over even states.
    b @ R[:, a] => R[:, a].sum() | The reward is the mean over the belief, ρ(b, a): weigh with b.
    b @ R[:, a] => R[b.argmax(), a] | That is the reward of the most likely state. Take the mean over the belief.
    b @ R[:, a] => (b @ P[:, a]) @ R[:, a] | The reward is that of the state before the move: weigh with b itself.
    plan_value(joint / chance, => plan_value(b @ P[:, a], | You predict, and let the observation go: that is acting
        blindly. Hand on the belief after z.
    plan_value(joint / chance, => plan_value(b, | You hand on the old belief. What comes after begins with the new one.
    plan_value(joint / chance, => plan_value(np.eye(len(b))[joint.argmax()], | You hand on the most likely state as if
        it were certain. Hand on the belief.
    gamma * chance * plan_value => gamma / sensor.shape[2] * plan_value | The observations are not equally likely: weigh
        each with its probability.
    b @ P[:, a] => P[:, a] @ b | You go backwards in time: sum over the old state, the first index of P.
    sensor[a, :, z] => sensor[0, :, z] | The sensor depends on the action: sensor[a].
    gamma * chance * => gamma ** 2 * chance * | One step is discounted once.
    gamma * chance * => gamma ** (steps - 1) * chance * | Each call discounts the one below it: γ once, no power.
    value + gamma => value - gamma | What comes after is added, not subtracted.
    return max(values) => return sum(values) | One action is taken, the best: no sum over actions.
    return max(values) => return min(values) | The best action: the largest value, not the smallest.
    value = value + gamma => value = b @ R[:, a] + gamma | Each z begins anew from the reward, so that only the last one
        is left. Add to what you have.
    value = value + gamma => value = value + (b @ R[:, a] if z else 0) + gamma | The reward of the step counts once, not
        for each z.
    """, *OTHER_VALUES],
    nan="The value is not a number: an observation of chance 0 has no belief after it. Leave it out.",
    start="What is V with no step left?",
    hints=["For each action: ρ(b, a) + γ Σ_z P(z) V(b').", "joint = sensor[a, :, z] * (b @ P[:, a]); its sum is P(z)."],
    right="Right. It agrees with the vectors, and takes (|A| |Z|)^h times as long.",
    explanation="The maximum over actions of reward plus discounted mean over observations; an "
                "impossible one is skipped.",
)  # fmt: skip

"""Tasks and exercises of chapter 32: counting plans, beliefs, vectors by hand, pruning, bounds, price of a growl."""

import numpy as np

from mlteach.exercises.tasks import chosen, number, task

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
        2187 | That is the number of plans. Histories come first.
        """),
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
        14348907 | That is a plan of four steps: 15 nodes.
        """),
    right="Right. At eight steps there are more plans than atoms in a galaxy.",
    explanation="Histories: (3 · 2)² = 36. Plans: 7 nodes with 3 actions each, 3⁷ = 2187.",
)  # fmt: skip

task("32.b", "A growl against a hunch",
    start="How likely is a growl from the left, all in all?",
    hints=["Weigh each side by how likely it makes the growl.", "0.8 · 0.3 against 0.2 · 0.7; their sum is P(z)."],
    belief=number("The new belief", "0.8 * 0.3 / (0.8 * 0.3 + 0.2 * 0.7)", to=6e-4, slips="""
        0.24   | That is the product. Divide by the probability of the growl, so that both beliefs sum to one.
        0.8    | That is the belief from an even start. Your hunch was 0.3.
        0.3    | That is the belief before the growl.
        0.3684 | That is the belief in the right door.
        0.9032 | You swapped the two sides of the hunch.
        0.0968 | You weighed by the chance of a growl from the right.
        0.38   | That is the probability of the growl.
        0.7083 | That is with the accuracy 0.85 of the tiger so far. This ear has 0.8.
        0.55   | A mean of hunch and growl is no update. Multiply, then divide by the sum.
        """),
    chance=number("The probability of the growl", "0.8 * 0.3 + 0.2 * 0.7", to=6e-4, slips="""
        0.24  | The growl may also come from a tiger on the right.
        0.8   | That is the probability if the tiger is on the left. It is there with 0.3.
        0.62  | That is the probability of a growl from the right.
        0.14  | That is the part of the tiger on the right. Add the other one.
        0.6316 | That is the new belief.
        0.5   | Only with an even hunch.
        0.36  | That is with the accuracy 0.85 of the tiger so far. This ear has 0.8.
        """),
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
    """,
    start="Which comes first, the move or the observation?",
    hints=["Predict: b @ P. Then weigh by the column sensor[:, z].", "Divide by the sum at the end."],
    right="Right. Below it follows the plant.",
    explanation="b @ P is where the state may be; sensor[:, z] weighs it; the sum is P(z | b, a).",
)  # fmt: skip

task("32.d", "The last step",
    start="What does each action pay on average, if nothing comes after it?",
    hints=["ρ(b, open right) = 10 p - 100 (1 - p).", "Set it equal to -1, the cost of listening."],
    reward=number("What opening right pays", "0.95 * 10 + 0.05 * -100", to=6e-3, slips="""
        -94.5 | You opened the tiger's door. It is on the left with 0.95: the right door is safe.
        9.5   | The tiger may be on the right: 0.05 times -100 counts, too.
        -90   | Weigh both rewards with the belief.
        10    | Only if you were sure.
        14.5  | The bite is a loss: subtract it.
        5.5   | That is how much more than listening it pays. Asked is what it pays itself.
        3.5   | No growl is bought here: the step is the opening.
        4.275 | It is the first and only step: no discount.
        """),
    limit=number("The belief from which it pays", "99 / 110", to=6e-4, slips="""
        0.9091 | That is where opening pays 0. Its rival, listening, pays -1.
        0.5    | Acting on the likelier side forgets what a bite costs.
        0.1    | That is the belief below which the left door is opened.
        0.89   | Listening costs: compare with -1, not with 1 or 2.
        0.9182 | Compare with -1, not with +1.
        0.9603 | That is the threshold for an endless game. Here is one step only.
        0.95   | That is the belief of the first question. Ask where both actions pay the same.
        0.85   | After one growl opening pays -6.5, less than -1. Ask where both pay the same.
        """),
    right="Right. At 0.85, after one growl, opening still costs 6.5 on average.",
    explanation="9.5 - 5 = 4.5. 10 p - 100 (1 - p) = -1 gives 110 p = 99, p = 0.9.",
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
        """),
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
        """),
    right="Right. It is one of the five plans of two steps that are best at some belief.",
    explanation="-1 + 0.95 · 8.35 = 6.9325, and -1 + 0.95 · (-15.85) = -16.0575.",
)  # fmt: skip

task("32.f", "Who is needed?",
    start="Where do two neighbouring lines cross, and who lies above that point?",
    hints=["Plan 3 lies under plan 2 everywhere.", "Draw plans 0, 1 and 2; plan 4 lies under 0 or 2 everywhere."],
    kept=chosen("The set of plans that are needed", {0, 1, 2}, 5, noun="plan", slips="""
        {0, 1, 2, 4} | Those are the ones that no single other one dominates. Plan 4 lies below 0 or 2 everywhere.
        {0, 1} | Plan 2 is above both where they cross: 5.1 against 5.
        {3, 4} | Those are the ones that can go. Asked are those that are needed.
        {0, 1, 4} | Plan 2 is above 0, 1 and 4 where 0 and 1 cross.
        {0, 1, 2, 3} | Plan 2 is above plan 3 in both states.
        {0, 1, 2, 3, 4} | Plan 2 is above plan 3 in both states.
        """),
    pointwise=number("How many the pointwise test keeps", 4, to=1e-6, slips="""
        3 | That is how many are needed. No single plan is better than plan 4 in both states, so the test keeps it.
        5 | Plan 2 is better than plan 3 in both states.
        1 | That is how many it throws out.
        2 | Compare pairs: one plan must be at least as good in both states.
        """),
    right="Right. A mixture of plans 0 and 2 does what neither does alone: it lies above plan 4.",
    explanation="Plans 0, 1, 2 form the envelope. 3 lies under 2; 4 under 0 or 2 at every belief, but "
                "under neither everywhere.",
)  # fmt: skip

task("32.g", "What QMDP thinks",
    start="What is each action worth if the tiger is in sight from tomorrow on?",
    hints=["In sight, the game is worth 10/(1 - 0.95) = 200.", "Open right: 0.8 · 200 + 0.2 · 90. Listen: 189."],
    opening=number("Opening right at 0.8", "0.8 * (10 + 0.95 * 200) + 0.2 * (-100 + 0.95 * 200)", to=6e-3, slips="""
        200  | Only if the tiger is on the left for sure.
        112  | You opened the tiger's door.
        140  | What comes after the bite counts, too: -100 + 0.95 · 200.
        -12  | That is the reward of the step alone. The future is worth 0.95 · 200.
        188  | The future is discounted: 0.95 · 200 = 190.
        189  | That is listening.
        90   | That is its value if the tiger is on the right.
        160  | The tiger may be on the right, with 0.2: there opening right is worth 90.
        167.55 | In sight the game goes on with a safe door, 200, not with listening, 189.
        """),
    limit=number("The belief from which it opens", "99 / 110", to=6e-4, slips="""
        0.9603 | That is the exact threshold. QMDP opens earlier.
        0.9091 | Compare opening with listening, 189, not with 190.
        0.5    | Compare 90 + 110 p with 189.
        0.945  | Opening right is worth 90 + 110 p, not 200 p.
        0.95   | There opening is worth 194.5, more than 189: it begins earlier.
        0.85   | There opening is worth 183.5, less than 189.
        0.8    | There opening is worth 178, less than 189.
        0.1    | That is where the left door begins.
        """),
    right="Right. QMDP opens as if there were no tomorrow: after any action the future is worth the same 190.",
    explanation="0.8 · 200 + 0.2 · 90 = 178. 90 + 110 p = 189 gives p = 0.9, the threshold of the last step.",
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
        """),
    good=number("The price at 0.95", "0.95 * 10 + 0.05 * -100 + 1", to=6e-3, slips="""
        4.5  | That is the value with the growl. Subtract the value without it, -1.
        3.5  | Without the growl the last step is worth -1: subtract that.
        0    | At 0.95 the growl changes what is done.
        10.5 | The growl may be wrong.
        49.5 | Without the growl nobody must open: the last step is worth -1, by listening.
        """),
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


task("32.1", "Growls needed",
    growls_needed,
    cases=[(0.85, 0.9603), (0.6, 0.95), (0.75, 0.9), (0.75, 0.5), (0.99, 0.96), (0.55, 0.93)],
    what="The number of growls",
    slips="""
    odds / (1 + odds) < threshold - 1e-12 => odds / (1 + odds) <= threshold + 1e-12 | A belief that equals the
        threshold is enough: "at least", not "more than".
    odds / (1 + odds) => odds | Compare the belief with the threshold, not the odds: p = odds / (1 + odds).
    k, odds = 0, 1.0 => k, odds = 1, 1.0 | At ½ no growl has been heard: count from 0.
    return k => return max(k, 1) | At ½ you are there already, if no more is asked for: 0 growls.
    k, odds = 0, 1.0 => k, odds = 0, 0.5 | The odds of ½ are 1 to 1.
    odds * accuracy / (1 - accuracy) => odds * accuracy / (1 - accuracy) ** 2 | Each growl multiplies by
        accuracy / (1 - accuracy), once.
    odds * accuracy / (1 - accuracy) => odds / (1 - accuracy) | The numerator is missing: accuracy / (1 - accuracy).
    """,
    start="By which factor does one growl multiply the odds?",
    hints=["Odds start at 1 and grow by accuracy / (1 - accuracy).",
           "The belief is odds / (1 + odds); count until it reaches."],
    right="Right. The same number as on the slider: 2 growls at 0.85.",
    explanation="After k net growls the odds are (q / (1 - q))^k; find the first k with belief at least the threshold.",
)  # fmt: skip


def backup_vector(P, sensor, r, gamma, after):
    value = np.array(r, dtype=float)
    for z in range(sensor.shape[1]):
        value = value + gamma * P @ (sensor[:, z] * after[z])
    return value


LISTEN_O = np.array([[0.85, 0.15], [0.15, 0.85]])
AFTER = np.array([[10.0, -100.0], [-1.0, -1.0]])
AFTER3 = np.array([[3.0, -1.0, 2.0], [0.5, 4.0, -2.0], [1.0, 1.5, 6.0]])

task("32.2", "One vector, backed up",
    backup_vector,
    cases=[
        (np.eye(2), LISTEN_O, np.array([-1.0, -1.0]), 0.95, AFTER),
        (WAIT_P, WAIT_O, np.array([2.0, -4.0]), 0.9, np.array([[6.5, -3.3], [4.5, 2.5]])),
        (PUMP_P, PUMP_O, np.array([5.0, 3.0, -9.0]), 0.8, AFTER3),
        (PUMP_P, PUMP_O[:, :2] / PUMP_O[:, :2].sum(axis=1, keepdims=True), np.array([1.0, 0.0, 2.0]), 1.0, AFTER3[:2]),
    ],
    what="The vector",
    slips="""
    P @ (sensor[:, z] * after[z]) => sensor[:, z] * (P @ after[z]) | The observation depends on the state
        reached, so it stands inside the sum over s'.
    P @ (sensor[:, z] * after[z]) => sensor[:, z] * after[z] | The value ahead is that of the next state: sum
        over s' with P.
    P @ (sensor[:, z] * after[z]) => P @ after[z] | The chance of the observation is missing.
    P @ (sensor[:, z] * after[z]) => P.T @ (sensor[:, z] * after[z]) | The sum runs over the next state, the
        second index of P.
    gamma * P @ => P @ | The discount is missing.
    P @ (sensor[:, z] * after[z]) => P @ after[z] / sensor.shape[1] | The observations are not equally likely: weigh
        with the sensor.
    P @ (sensor[:, z] * after[z]) => P @ after.max(axis=0) / sensor.shape[1] | The plan follows what was observed, not
        what would be best in the state: weigh after[z] with the sensor.
    value + gamma => value + (r if z else 0) + gamma | The reward of the step counts once, not for each z.
    np.array(r, dtype=float) => gamma * np.array(r, dtype=float) | The first reward is not discounted.
    np.array(r, dtype=float) => np.zeros(len(r)) | The reward of the step itself is missing.
    after[z]) => after[0]) | Each observation goes on with its own plan, after[z].
    range(sensor.shape[1]) => range(sensor.shape[1] - 1) | The last observation is missing.
    """,
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

task("32.3", "The informed bound, one sweep",
    informed_sweep,
    cases=[
        (np.array([[6.0, 5.0], [-1.0, 3.0]]), BOTH_P, BOTH_O, BOTH_R, 0.9),
        (np.zeros((2, 2)), BOTH_P, BOTH_O, BOTH_R, 0.9),
        (np.array([[6.0, 5.0], [-1.0, 3.0]]), BOTH_P, BOTH_O, BOTH_R, 0.5),
        (AFTER3, THREE_P, THREE_O, AFTER3.T, 0.95),
        (AFTER3 - 4.0, THREE_P, THREE_O, AFTER3.T, 1.0),
    ],
    what="The table",
    slips="""
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
    """,
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

task("32.4", "Bellman's equation, by recursion",
    plan_value,
    cases=[
        (np.array([0.5, 0.5]), TIGER_P, TIGER_O, TIGER_R, 0.95, 3),
        (np.array([0.9, 0.1]), TIGER_P, TIGER_O, TIGER_R, 0.95, 2),
        (np.array([0.6, 0.4]), BOTH_P, BOTH_O, BOTH_R, 0.9, 3),
        (np.array([1.0, 0.0]), BOTH_P, SURE_O, BOTH_R, 0.8, 3),
        (np.array([1.0, 0.0]), np.stack([np.eye(2)] * 2, axis=1), np.stack([np.eye(2)] * 2), BOTH_R, 0.8, 2),
        (np.array([0.2, 0.5, 0.3]), THREE_P, THREE_O, AFTER3.T, 0.7, 2),
        (np.array([0.2, 0.5, 0.3]), THREE_P, THREE_O, AFTER3.T, 0.7, 0),
    ],
    what="The value",
    slips="""
    gamma * chance * plan_value => gamma * plan_value | Weigh each observation with its probability.
    plan_value(joint / chance, => plan_value(joint, | The recursion needs a belief: divide by P(z | b, a).
        (Then the factor is counted once.)
    gamma * chance * => chance * | The discount is missing.
    value = b @ R[:, a] => value = gamma * b @ R[:, a] | The first reward is not discounted.
    joint = sensor[a, :, z] * (b @ P[:, a]) => joint = (sensor[a, :, z] * b) @ P[:, a] | You weigh the state that was
        left. The observation tells of the state reached: predict first, then weigh.
    gamma * chance * plan_value(joint / chance, => 0 * plan_value(joint / chance, | What comes after is missing.
    sensor[a, :, z] * (b @ P[:, a]) => sensor[a, :, z] * b | The state moves before it is observed.
    gamma, steps - 1) => gamma, steps - 2 if steps > 1 else 0) | One step less each time.
    return max(values) => return sum(values) / len(values) | The best action, not the mean over actions.
    b @ R[:, a] => R[:, a].max() | The reward is the mean over the belief, ρ(b, a).
    """,
    start="What is V with no step left?",
    hints=["For each action: ρ(b, a) + γ Σ_z P(z) V(b').", "joint = sensor[a, :, z] * (b @ P[:, a]); its sum is P(z)."],
    right="Right. It agrees with the vectors, and takes (|A| |Z|)^h times as long.",
    explanation="The maximum over actions of reward plus discounted mean over observations; an "
                "impossible one is skipped.",
)  # fmt: skip

"""Tasks and exercises of chapter 27: laws, returns, Bellman's equations, sweeps, flips, ties, deadlines, models."""

import itertools
import math

import numpy as np

from mlteach.exercises.forms import Wrong
from mlteach.exercises.tasks import chosen, number, spelt, task

task("27.a", "What may follow",
    start="Where does it go if it slides to the left of up, and where if it slides to the right?",
    hints=["It goes up with 0.8. Left of up is left, right of up is right; each has 0.1.",
           "To the left is the wall, so it stays. To the right is the pit."],
    top=number("The probability of the top row", 0.8, to=6e-3, slips="""
        0.9 | That is the probability not to fall. If it slides to the left, the wall keeps it where it is.
        1   | It may slide off: 0.8 is for where it wants to go.
        0.6 | 0.2 is for both sides together, 0.1 each: 0.8 remain.
        0   | Rows and columns are counted from 1: it stands in the middle row, between wall and pit.
        0.1 | That is one of the two sides. Up is where it wants to go.
        0.7 | It cannot slide back: one slide goes to the left of up, one to the right. 0.8 remain for up.
        """, say=lambda p: "It reaches the top row exactly if it goes where it wants. The text says how often."),
    pit=number("The probability of the pit", 0.1, to=6e-3, slips="""
        0.2 | 0.2 is for both sides together; the pit lies on one of them.
        0   | It wants to go up, but it may slide to the right.
        0.8 | That is for where it wants to go.
        0.05 | Each side has 0.1, not the two together.
        0.08 | To slide is one event with 0.1. It need not go up as well: nothing is multiplied.
        """, say=lambda p: "It falls exactly if it slides to the right. The text says how often."),
    stay=number("The probability to stay", 0.1, to=6e-3, slips="""
        0   | Where would it slide to on the left? There is a wall.
        0.2 | Only one of the two sides is a wall.
        0.8 | That is for where it wants to go.
        0.9 | That is the probability not to fall. To stay is to run against the wall.
        1   | It stays for sure only if every way is shut. Here one slide of the two runs against a wall.
        0.05 | Each side has 0.1, not the two together.
        0.08 | To slide is one event with 0.1. It need not go up as well: nothing is multiplied.
        """, say=lambda p: "It stays if it slides to the left, against the wall. Do your three numbers sum to 1?"),
    slips="""
        (0.9, 0.05, 0.05) | That gives both sides 0.1 together. Each of them has 0.1, and 0.8 remain for up.
        (8 / 9, 1 / 9, 0) | That leaves out that it may stay and shares the rest anew. To stay is one of three outcomes.
        (1 / 3, 1 / 3, 1 / 3) | The three outcomes are not alike: where it wants to go has 0.8, each side 0.1.
        """,
    right="Right. A wall is one more place where the agent may end: the present one.",
    explanation="Up with 0.8. It slides right with 0.1, into the pit, and left with 0.1, against the wall: it stays.",
)  # fmt: skip


def other_return(G):
    if G > 6:
        return f"{G:g} is more than the sum without a discount, 6. What comes late counts for less."
    if G > 4:
        return f"The first reward counts in full, 4. So the third has {G - 4:g} here: 2 times which power of γ?"
    return "The first reward counts in full, and no reward is negative: the return is above 4."


task("27.b", "Two returns",
    start="Which power of γ stands before the first reward, and which before the third?",
    hints=["4 + 0.5 · 0 + 0.25 · 2.", "3 for ever: 3(1 + γ + γ² + …) = 3/(1 - γ)."],
    three=number("The first return", "4 + 0.5 * 0 + 0.5**2 * 2", to=6e-3, slips="""
        5    | The third reward is two steps late: γ², not γ.
        6    | That is the sum without a discount.
        2.25 | The first reward is not discounted: it starts with γ⁰ = 1.
        3    | That would be the rewards in reverse: 2, 0, 4.
        15   | That is the return of the endless rewards. The three rewards come first.
        4.25 | The third reward is two steps late: γ², not γ³.
        5.28 | That has γ = 0.8, which is for the endless rewards.
        4    | That is the first reward alone. The third one is discounted, not lost.
        2    | That is the mean of the three rewards. A return is a sum, with powers of γ.
        1.5  | That is the return divided by 3. A return is a sum, not a mean.
        1    | That is the return from the second reward on. The first reward, 4, belongs to it.
        0.5  | That is the third reward's part alone.
        9    | That is a division by γ. What comes late counts for less.
        12   | What comes late counts for less: the return of three rewards lies below their sum, 6.
        """, say=other_return),
    ever=number("The endless return", "3 / (1 - 0.8)", to=6e-3, slips="""
        5     | That is 1/(1 - γ), for a reward of 1.
        3.75  | That is 3/γ. A geometric series has the sum 1/(1 - γ).
        12    | The first reward is not discounted: the series starts with 1.
        0.6   | That is 3(1 - γ). Divide.
        6     | That has γ = 0.5, which is for the three rewards.
        30    | That has γ = 0.9.
        3     | That is the first reward alone: it is paid for ever.
        18    | One reward too many: the first of the endless rewards is in 3/(1 - γ) already.
        75    | Divide by 1 - γ once, not twice.
        2.4   | That is the second reward's part alone.
        np.inf | With γ < 1 the series has a finite sum: late rewards count for less and less.
        """, say=lambda G: f"After the first reward the same begins again, a step later: 3 + 0.8 · {G:g} is "
        f"{3 + 0.8 * G:g}, not {G:g}."),
    right="Right. And 1/(1 - γ) is about how many steps ahead the agent looks: 5 here.",
    explanation="4 + 0 + 0.25 · 2 = 4.5, and 3/(1 - 0.8) = 15.",
)  # fmt: skip

task("27.c", "Bellman by hand",
    start="Which of the two equations has one unknown only?",
    hints=["V(1) = 2 + 0.8 V(1).", "V(0) = 0 + 0.8 V(1)."],
    V0=number("V(0)", "0.8 * 2 / (1 - 0.8)", to=6e-3, slips="""
        5    | That is for staying in 0. This policy goes.
        18   | That is for γ = 0.9.
        10   | One step passes before state 1 is reached: discount its value once.
        9    | γ is 0.8 here, and going from state 0 pays nothing: V(0) = 0 + 0.8 V(1).
        4    | That is 0.8 · 5. Staying in state 1 pays 2, not 1.
        6.4  | That is discounted twice. One step passes.
        1.6  | That counts one reward in state 1. It is paid for ever.
        0    | Going pays nothing at once, but what follows has a value.
        9.6  | That is 0.8 · 12. V(1) = 2 + 0.8 V(1).
        12.5 | Discounting multiplies by γ; that divides by it.
        7.2  | That is 0.8 · 9, with a value of the text. Solve for V(1) with γ = 0.8 first.
        """, say=lambda v: f"Going pays nothing, and a step later V(1) holds. Is {v:g} the discounted V(1)?"),
    V1=number("V(1)", "2 / (1 - 0.8)", to=6e-3, slips="""
        20   | That is for γ = 0.9.
        4    | That is V = 0.8 · 5 for going. This policy stays in state 1.
        2    | That is the first reward alone.
        5    | Staying in state 1 pays 2, not 1.
        2.5  | That is 2/γ. V(1) = 2 + 0.8 V(1).
        8.4  | State 1 is followed by itself: V(1), not V(0), stands on the right.
        12   | The first 2 is counted twice: 2/(1 - γ) holds all rewards.
        """, say=lambda v: f"Put it into the equation of state 1: 2 + 0.8 · {v:g} is {2 + 0.8 * v:g}, not {v:g}."),
    slips="""
        (2, 2.5) | That has V(1) = 2/γ. State 1 pays 2 again and again: V(1) = 2 + 0.8 V(1).
        (2, 2)   | That is the reward of state 1, once and not discounted. It is paid for ever, and a step later from 0.
        (2.88, 3.6) | Those are two steps. The rewards go on for ever: solve the equation of state 1.
        (5, 4)   | That is the policy "stay in 0, go in 1". Here it is the other way round.
        (16, 20) | That has V(1) for γ = 0.9. Here γ = 0.8, also for V(1).
        (6.4, 8) | That discounts the first reward too. It is paid at once: V(1) = 2 + 0.8 V(1).
        (40 / 9, 50 / 9) | That pays in every second step only, with γ². State 1 pays in every step.
        """,
    right="Right. With γ = 0.8, too, this is the best policy.",
    explanation="V(1) = 2 + 0.8 V(1) gives 10, and V(0) = 0.8 · 10 = 8.",
)  # fmt: skip


def states_by_number(go, stay_here, changed):
    """Raise Wrong for lists that are no choice of states, if the two values are right."""
    if not (isinstance(changed, list) and all(type(s) is int for s in changed) and same_numbers((go, stay_here))):
        return
    if changed == []:
        raise Wrong("Some state changes. Compare each action value with the value of its own state, 5 and 4.")
    if changed == [0, 0]:
        raise Wrong("That is the new policy, stay in both. Asked are the states whose action is another one now.")
    if changed == [2]:
        raise Wrong("The states are called 0 and 1.")


def same_numbers(answers):
    """Whether the two action values are right."""
    return all(isinstance(q, (int, float)) for q in answers) and np.allclose(answers, (3.2, 5.2), atol=6e-3)


task("27.d", "A greedy step",
    start="What does the first step pay, and where does it lead? From there on V holds.",
    hints=["Q(0, go) = 0 + 0.8 · V(1). Q(1, stay) = 2 + 0.8 · V(1).", "Compare each with the value of its own state."],
    go=number("Q(0, go)", 3.2, to=6e-3, slips="""
        4    | Go leads from 0 to 1 and takes a step: 0.8 · V(1).
        8    | That is the optimal value. Q_π goes on with the policy as it is, V(1) = 4.
        4.2  | Going pays nothing, not 1.
        5    | That is V(0), the value of staying.
        5.2  | That is Q(1, stay). Q(0, go) comes first.
        8.1  | That is the example of the text, with γ = 0.9. Here γ = 0.8.
        3.6  | That has γ = 0.9. Here γ = 0.8.
        -1.8 | That is the advantage Q(0, go) - V(0). Asked is the action value itself.
        0    | That is the reward alone. What follows has a value: V(1), discounted.
        2.56 | That is discounted twice. Going takes one step.
        1.6  | That is 0.8 times the reward of state 1. The policy is worth V(1) = 4 there.
        8.2  | V(0) has no part in it: who goes leaves state 0 at once.
        0.8  | γ multiplies V(1), not 1 - γ.
        7.2  | That is 0.8 · 9, with a value of the text. Here V(1) = 4.
        9    | That is a value of the text, for γ = 0.9. Here γ = 0.8.
        5.12 | That is 0.8 times a new value. Q_π goes on with the old policy, V(1) = 4.
        """),
    stay_here=number("Q(1, stay)", 5.2, to=6e-3, slips="""
        6    | Stay leads from 1 to 1 and takes a step: 2 + 0.8 · V(1).
        10   | That is staying for ever. Q_π stays once and follows the policy from then on.
        3.2  | Staying in 1 pays 2 at once.
        4    | That is V(1), the value of going.
        4.8  | The reward comes at once: only V(1) is discounted.
        4.2  | Staying pays 2 in state 1, not 1.
        10.1 | That is the example of the text, with γ = 0.9. Here γ = 0.8.
        5.6  | That has γ = 0.9. Here γ = 0.8.
        1.2  | That is the advantage Q(1, stay) - V(1). Asked is the action value itself.
        2    | That is the reward alone. What follows has a value: V(1), discounted.
        6.16 | That stays twice. Q_π stays once; then V(1) = 4 holds.
        9.2  | V(1) is in it twice: once discounted, as what follows, and once as it is.
        2.8  | γ multiplies V(1), not 1 - γ.
        7.2  | V(1) takes the place of the reward's discount: 2 + 0.8 · V(1), nothing else.
        3.6  | That discounts the reward, not V(1).
        """),
    changed=chosen("The set of states that change", {1}, 2, noun="state", slips="""
        {0, 1} | In state 0, going is worth 3.2 and staying 5.
        {0}    | In state 0, going is worth 3.2 and staying 5. Look at state 1.
        """),
    guard=states_by_number,
    right="Right. The next round changes state 0 as well: only then does state 1 have its full value.",
    explanation="Q(0, go) = 0.8 · 4 = 3.2 < 5: keep staying. Q(1, stay) = 2 + 3.2 = 5.2 > 4: change.",
)  # fmt: skip


def sweep(P, R, gamma, V):
    Q = R + gamma * (P @ V)
    return Q.max(axis=1)


TWO_P = np.array([[[1.0, 0], [0, 1]], [[0, 1], [1, 0]]])
TWO_R = np.array([[1.0, 0], [2, 0]])
P3 = np.array([[[0.2, 0.5, 0.3], [0.7, 0.1, 0.2]], [[0, 0.4, 0.6], [1, 0, 0]], [[0.25, 0.25, 0.5], [0.1, 0.6, 0.3]]])
R3 = np.array([[1.0, -2], [0.5, 3], [-1, 2.5]])
SHUT = np.array([[1.0, -np.inf], [0.5, 3], [-np.inf, 2.5]])
V3 = np.array([4.0, -1.5, 7])
BARRED = np.array([[1.0, -2], [-np.inf, 3], [-np.inf, 2.5]])  # the row of a barred action holds zeros


def sweep_in_place(P, R, gamma, V):
    V = np.array(V, dtype=float)
    for s in range(len(V)):
        V[s] = (R[s] + gamma * (P[s] @ V)).max()
    return V


def reward_inside(P, R, gamma, V):
    return (P * (R[:, :, None] + gamma * V)).sum(axis=2).max(axis=1)


def sweeps_to_the_end(P, R, gamma, V):
    for _ in range(1000):
        V = sweep(P, R, gamma, V)
    return V


def last_possible(P, R, gamma, V):
    return np.array([q[np.isfinite(q)][-1] for q in R + gamma * (P @ V)])


task("27.e", "The heart of value iteration", sweep,
    cases=[(TWO_P, TWO_R, 0.9, np.array([1.0, 2])), (P3, R3, 0.7, V3), (P3, SHUT, 0.7, V3), (P3, R3, 1.0, -V3),
           (P3, -R3, 0.5, V3), (TWO_P, TWO_R, 0.9, np.zeros(2)), (TWO_P, TWO_R, 0.9, np.array([10.0, 20])),
           (P3, BARRED, 0.8, V3), (P3, np.where(SHUT > 0, -20 * SHUT, SHUT), 0.7, V3)],  # all that is possible costs
    what="The new values",
    start="For each state and action: what is paid at once, and what is expected to follow?",
    hints=["Q[s, a] = R[s, a] + gamma * sum over s' of P[s, a, s'] * V[s'].",
           "P @ V has shape (S, A). Then the maximum over a."],
    slips=["""
        R + gamma * (P @ V) => gamma * (R + P @ V) | The reward comes at once; only what follows is discounted.
        gamma * (P @ V) => (P @ V) | The discount is missing.
        R + gamma * (P @ V) => gamma * (P @ V) | The rewards are missing.
        return Q.max(axis=1) => return Q[np.arange(len(Q)), R.argmax(axis=1)] | That takes the action with the best
            reward *now*. The best action has the largest sum of reward and what follows.
        return Q.max(axis=1) => return R.max(axis=1) + gamma * (P @ V).max(axis=1) | One action must serve for both:
            add first, then take the maximum.
        P @ V => np.where(P > 0, V, -np.inf).max(axis=2) | The next state is drawn: average V with P, do not pick the
            best.
        Q.max(axis=1) => Q[:, 0] | That is the first action alone. Take the best one.
        Q.max(axis=1) => Q[:, -1] | That is the last action: each one overwrites the one before. Keep the best.
        Q.max(axis=1) => Q.mean(axis=1) | That is the mean over the actions, the random policy. Take the best one.
        Q.max(axis=1) => Q.argmax(axis=1) | Those are the actions. Asked are the values: max, not argmax.
        Q.max(axis=1) => Q.max(axis=0) | The maximum runs over the actions, for each state: the other axis.
        Q.max(axis=1) => Q.min(axis=1) | That is the worst action.
        P @ V => P.transpose(2, 1, 0) @ V | P[s, a, s'] is summed over s', its last index.
        R + gamma * (P @ V) => R + gamma * V[:, None] | What follows
            is the value of the *next* state, averaged with P, not that of the present one.
        return Q.max(axis=1) => return Q | Those are the action values. The new value of a state is the best of them.
        R + gamma => np.where(np.isinf(R), 0, R) + gamma | An action with reward −∞ is not possible. With 0 in its
            place it can be the best: leave −∞, the maximum never takes it.
        R + gamma => np.where(R < 0, -np.inf, R) + gamma | A negative reward is a reward. Only −∞ bars an action.
        P @ V => V[P.argmax(axis=2)] | That is the value of the likeliest next state. Average over all of them with P.
        P @ V => P[:, :, -1] * V[-1] | Only the last next state is left: each one overwrites the one before. Add up.
        R + gamma * (P @ V) => R * len(V) + gamma * (P @ V) | The reward is added once for every next state. It is paid
            once.
        return Q.max(axis=1) => return R.mean(axis=1) + gamma * (P @ V).max(axis=1) | One action must serve for both:
            its own reward and what follows it. Add first, then take the maximum.
        P @ V => (P * V).mean(axis=2) | The probabilities weigh already: sum over s', do not divide by their number.
        P @ V => (P > 0) @ V / (P > 0).sum(axis=2).clip(1) | That takes the possible next states as equally likely.
            Weigh them with P.
        Q.max(axis=1) => Q[np.arange(len(Q)), (P @ V).argmax(axis=1)] | That chooses the action by what follows alone.
            Its reward counts in the choice, too.
        return Q.max(axis=1) => return Q.max(axis=1) - V | Those are the changes. Asked are the new values.
        return Q.max(axis=1) => return np.abs(Q.max(axis=1) - V) | Those are the sizes of the changes. Asked are the
            new values.
        return Q.max(axis=1) => return V + Q.max(axis=1) | The new value replaces the old one; it is not added to it.
        return Q.max(axis=1) => return np.maximum(V, Q.max(axis=1)) | A value may fall in a sweep: the old one has no
            say in the maximum.
        return Q.max(axis=1) => return np.maximum(0, Q.max(axis=1)) | The best of negative values is negative: a
            maximum that starts at 0 never finds it. Start with the first action, or with −∞.
        return Q.max(axis=1) => return Q.max(axis=1), Q.argmax(axis=1) | Return the values alone, without the actions.
        return Q.max(axis=1) => return Q.sum(axis=1) | That adds the actions up. One of them is chosen: the best.
        return Q.max(axis=1) => return Q.max() | That is one number for all. Every state has its own best action.
        return Q.max(axis=1) => return np.log(np.exp(Q).sum(axis=1)) | That is a soft maximum, which lies above the
            largest action value. Take the maximum itself.
        R + gamma * (P @ V) => gamma * R + P @ V | The discount is at the wrong term: what comes later shrinks, not
            the reward at once.
        R + gamma * (P @ V) => (1 - gamma) * R + gamma * (P @ V) | That is a weighted mean. The reward counts in full.
        R + gamma * (P @ V) => R - gamma * (P @ V) | What follows is added to the reward.
        R + gamma * (P @ V) => R + gamma * (P @ (V + R.max(axis=1))) | The reward of the next state is in its value
            already.
        """,
        (sweeps_to_the_end, "That repeats the sweep until nothing changes. Asked is one sweep."),
        (last_possible, "That is the last possible action: each one overwrites the one before. Keep the best."),
        (sweep_in_place, "A sweep sees the old values alone: you use new ones as soon as they are there."),
        (reward_inside, "0 · (−∞) is not a number: add R outside the sum over s', where nothing multiplies it."),
    ],
    right="Right. Repeat it and you have value iteration: the next cell does.",
    explanation="Q = R + gamma * (P @ V) has shape (S, A); its maximum over the actions is the new value.",
)  # fmt: skip

task("27.f", "Two lines cross",
    start="Write both values as lines in the cost c. Where are they equal?",
    hints=["0.90 - 9c = 0.70 - 4c.", "0.20 = 5c. At a smaller cost the prize counts more."],
    cost=number("The cost", 0.04, to=6e-4, slips="""
        0.2          | That is the difference of the prizes. Divide it by the difference of the steps.
        5            | That is the difference of the steps.
        25           | Divide the other way round: prize over steps.
        0.1          | Prize over steps of the long way alone. Both ways cost: take differences.
        0.175        | Prize over steps of the short way alone. Both ways cost: take differences.
        1.6 / 13     | Subtract, do not add: 0.90 - 0.70 and 9 - 4.
        0.2 / 13     | The steps are subtracted too: 9 - 4.
        0.2 / 9      | Those are the steps of the long way alone: divide by the difference, 9 - 4.
        0.2 / 4      | Those are the steps of the short way alone: divide by the difference, 9 - 4.
        0.54         | That is the value at the crossing. Asked is the cost there.
        0.075        | That is a difference of quotients. Divide the difference of the prizes by that of the steps.
        0.02         | That is the cost of the second question. The first asks where both ways are equally good.
        0.32         | The prizes are subtracted too: 0.90 - 0.70.
        """, say=lambda c: f"Try it: at the cost {c:g} the long way is worth {0.9 - 9 * c:g} and the short one "
        f"{0.7 - 4 * c:g}. Asked is where they are equal."),
    way=spelt("The better way", "L", "LS", slips="""
        S | At 0.02 the long way is worth 0.90 - 0.18 and the short one 0.70 - 0.08.
        LS | They tie at the first cost only. At 0.02 one is better: put 0.02 into both lines.
        SL | They tie at the first cost only. At 0.02 one is better: put 0.02 into both lines.
        """),
    right="Right. Below 0.04 the long, safe way; above it the short one.",
    explanation="0.90 - 9c = 0.70 - 4c at c = 0.04. At 0.02: 0.72 against 0.62.",
)  # fmt: skip


def actions_by_number(value, actions):
    """Raise Wrong for lists that are no choice of actions, if the value is right."""
    if not (isinstance(value, (int, float)) and value == 4 and isinstance(actions, (list, tuple, set))):
        return
    if len(actions) == 0:
        raise Wrong("Some action is optimal in every state: the one, or those, with the largest sum.")
    if all(type(a) is int for a in actions) and list(actions) == [2, 2]:
        raise Wrong("Those are the two action values. Which actions have the larger one?")
    if all(type(a) is int for a in actions) and list(actions) == [1, 2]:
        raise Wrong("The actions are called 0, stay, and 1, go.")


task("27.g", "Three steps to go",
    start="With one step to go: V₁ = (1, 2). What then with two, and with three?",
    hints=["Two to go in state 0: stay 1 + V₁(0), go 0 + V₁(1).",
           "V₂ = (2, 4). Three to go in state 0: 1 + 2 or 0 + 4."],
    value=number("V₃(0)", 4, to=6e-3, slips="""
        3    | That is staying three times. What if it goes first?
        3.42 | That has the discount 0.9. Here there is none.
        2    | That is with two steps to go.
        6    | That is V₃(1), from the other state.
        5    | Going takes a step and pays nothing: then two steps remain.
        1    | That is with one step to go.
        8    | That is with one step too many, and from the other state.
        0    | That is going in every step. To stay pays.
        18   | That is the value without a deadline, with γ = 0.9. Here three steps remain, without discount.
        20   | That is the other state without a deadline, with γ = 0.9. Here three steps remain, without discount.
        5.42 | That has the discount 0.9, and it is the other state.
        2.88 | That has the discount 0.8. Here there is none.
        2.71 | That is staying three times with the discount 0.9.
        1.9  | That is with two steps to go and the discount 0.9.
        3.24 | That is 0.9² · 4: no discount here.
        7    | There are three steps in all, and one of them goes to state 1 and pays nothing.
        4 / 3 | That is the mean of a step. Asked is the sum of three.
        8 / 3 | That is the mean over the actions. Take the best one in every step.
        10   | That adds both states. Asked is the value from state 0.
        np.inf | Three steps are finitely many, so is their sum.
        """),
    actions=chosen("The set of actions", {0, 1}, 2, noun="action", slips="""
        {0}   | Staying gives 1 + 1. What does going give?
        {1}   | Going gives 0 + 2. What does staying give?
        """),
    guard=actions_by_number,
    right="Right. With one step to go stay, with two a tie, with three go: the clock decides.",
    explanation="V₁ = (1, 2). Two to go in 0: stay 1 + 1, go 0 + 2, a tie. V₂ = (2, 4), so V₃(0) = max(1 + 2, 0 "
    "+ 4) = 4.",
)  # fmt: skip


def value_of(P, R, gamma, pi):
    P_pi = np.einsum("sa,sat->st", pi, P)
    r_pi = (pi * R).sum(axis=1)
    return np.linalg.solve(np.eye(len(P)) - gamma * P_pi, r_pi)


PI3 = np.array([[0.2, 0.8], [1, 0], [0.55, 0.45]])


def values_of_the_best(P, R, gamma, pi):
    V = np.zeros(len(P))
    for _ in range(400):
        V = (R + gamma * (P @ V)).max(axis=1)
    return V


def cut_off(sweeps):
    def value_of(P, R, gamma, pi):
        V = np.zeros(len(P))
        for _ in range(sweeps):
            V = (pi * (R + gamma * (P @ V))).sum(axis=1)
        return V

    return value_of


def stopped(change):
    def value_of(P, R, gamma, pi):
        V, new = np.ones(len(P)) * np.inf, np.zeros(len(P))
        while np.abs(new - V).max() >= change:
            V, new = new, (pi * (R + gamma * (P @ new))).sum(axis=1)
        return new

    return value_of


def one_lot_for_ever(P, R, gamma, pi):
    I = np.eye(len(P))
    each = [np.linalg.solve(I - gamma * P[:, a], R[:, a]) for a in range(R.shape[1])]
    return (pi * np.transpose(each)).sum(axis=1)


def mean_of_tables(P, R, gamma, pi):
    I, s, mean = np.eye(len(P)), np.arange(len(P)), np.zeros(len(P))
    for table in itertools.product(range(R.shape[1]), repeat=len(P)):
        table = list(table)
        mean += pi[s, table].prod() * np.linalg.solve(I - gamma * P[s, table], R[s, table])
    return mean


def largest_share(P, R, gamma, pi):
    V = np.zeros(len(P))
    for _ in range(300):
        V = (pi * (R + gamma * (P @ V))).max(axis=1)
    return V


CUT = "The series is cut off, and what is left out still counts. Solve the linear system: that is exact."
DRAWN = "That draws an action once and keeps it for ever. The policy draws anew in every step: average P and R first."

task("27.1", "A policy that draws lots", value_of,
    cases=[(TWO_P, TWO_R, 0.9, np.full((2, 2), 0.5)), (P3, R3, 0.7, PI3), (P3, R3, 0.0, PI3),
           (P3, -R3, 0.95, PI3[::-1])],
    what="The values",
    start="Which chain does the policy make? Average rows and rewards over the actions first.",
    hints=["P_pi[s, s'] = sum over a of pi[s, a] P[s, a, s'].", "Solve (I - gamma P_pi) V = r_pi."],
    slips=["""
        gamma * P_pi => P_pi.T * gamma | The matrix is transposed: row s holds the law of what follows s.
        (pi * R).sum(axis=1) => R.mean(axis=1) | Weigh the rewards with the policy; you took all actions alike.
        (pi * R).sum(axis=1) => R.min(axis=1) | That is the worst reward. The policy draws its action.
        np.einsum("sa,sat->st", pi, P) => pi[:, -1:] * P[:, -1] | Only the last action is left: each one overwrites the
            one before. Add up the rows.
        (pi * R).sum(axis=1) => (pi * R)[:, -1] | Only the last action's reward is left: each one overwrites the one
            before. Add up.
        np.einsum("sa,sat->st", pi, P) => P[np.arange(len(P)), pi.argmin(axis=1)] ;; (pi * R).sum(axis=1) =>
            R[np.arange(len(P)), pi.argmin(axis=1)] | That follows the unlikeliest action alone. The policy draws lots.
        (pi * R).sum(axis=1) => R.max(axis=1) | That is the best reward. The policy draws its action.
        "sa,sat->st", pi, P => "sa,sat->st", np.full(pi.shape, 1 / pi.shape[1]), P | Weigh the
            rows of P with the policy; you took all actions alike.
        return np.linalg.solve(np.eye(len(P)) - gamma * P_pi, r_pi) => return r_pi + gamma * P_pi @ r_pi | Two steps
            are not for ever: solve the system.
        - gamma * P_pi => + gamma * P_pi | The sign: V - γ P V = r.
        np.einsum("sa,sat->st", pi, P) => P[np.arange(len(P)), pi.argmax(axis=1)] ;; (pi * R).sum(axis=1) =>
            R[np.arange(len(P)), pi.argmax(axis=1)] | That follows the likeliest action alone. The policy draws lots.
        np.einsum("sa,sat->st", pi, P) => P.mean(axis=1) ;; (pi * R).sum(axis=1) => R.mean(axis=1) | You took all
            actions alike. Weigh rows and rewards with the policy.
        (pi * R).sum(axis=1) => (pi * R).mean(axis=1) | The shares of pi weigh already: sum over the actions, do not
            divide by their number.
        (pi * R).sum(axis=1) => R.sum(axis=1) | The rewards are added up without their shares: weigh them with pi.
        (pi * R).sum(axis=1) => R[:, 0] | That is the reward of the first action alone. The policy draws its action.
        (pi * R).sum(axis=1) => R[np.arange(len(P)), pi.argmax(axis=1)] | P is averaged, but the rewards are those of
            the likeliest action. Average both.
        np.einsum("sa,sat->st", pi, P) => P[np.arange(len(P)), pi.argmax(axis=1)] | The rewards are averaged, but P is
            that of the likeliest action. Average both.
        np.einsum("sa,sat->st", pi, P) => P.sum(axis=1) | The rows of P are added up without their shares: a row must
            sum to 1. Weigh them with pi.
        np.einsum("sa,sat->st", pi, P) => P[:, 0] | Those are the rows of the first action alone. The policy draws.
        np.linalg.solve(np.eye(len(P)) - gamma * P_pi, r_pi) => r_pi / (1 - gamma) | That is a state that is never
            left. The chain moves on: its matrix belongs into the system.
        return np.linalg.solve => return -r_pi + np.linalg.solve | The first reward is missing. It is paid at once.
        return np.linalg.solve => return gamma * np.linalg.solve | That is discounted once too often: the first reward
            counts in full.
        return np.linalg.solve => return (1 - gamma) * np.linalg.solve | That is the value of a step on average,
            (1 - γ) V. Asked is V.
        gamma * P_pi, r_pi) => gamma * P_pi, P_pi @ r_pi) | The reward belongs to the state that is left, not to the
            next one: r_pi alone stands on the right.
        np.eye(len(P)) - gamma * P_pi => (1 - gamma) * np.eye(len(P)) - P_pi | γ belongs to P_pi, not to the identity.
        np.linalg.solve(np.eye(len(P)) - gamma * P_pi, r_pi) => (np.eye(len(P)) - gamma * P_pi) @ r_pi | That
            multiplies by the matrix. V is what it must be multiplied with to give r: solve.
        return np.linalg.solve(np.eye(len(P)) - gamma * P_pi, r_pi) => return r_pi | Those are the rewards of one step.
            The chain goes on: solve the system.
        return np.linalg.solve => return R + gamma * P @ np.linalg.solve | Those are the action values. Asked are the
            values of the states, their mean under pi.
        return np.linalg.solve(np.eye(len(P)) - gamma * P_pi, r_pi) => return (R + gamma * P @
            np.linalg.solve(np.eye(len(P)) - gamma * P_pi, r_pi)).max(axis=1) | That takes the best action once, and
            follows pi from then on. Asked are the values of pi itself.
        np.linalg.solve(np.eye(len(P)) - gamma * P_pi, r_pi) => np.linalg.solve(np.eye(len(P)) - gamma * P_pi,
            r_pi).mean() | That is the mean over the states. Every state has its own value.
        np.linalg.solve(np.eye(len(P)) - gamma * P_pi, r_pi) => np.linalg.solve(np.eye(len(P)) - gamma * P_pi,
            r_pi).max() | That is the best state's value. Every state has its own.
        """,
        *((cut_off(n), CUT) for n in (5, 10, 20, 50, 100, 200)),
        *((stopped(change), CUT) for change in (1e-1, 1e-2, 1e-3, 1e-4)),
        (one_lot_for_ever, DRAWN),
        (mean_of_tables, DRAWN),
        (largest_share, "That takes the action with the largest share of the value. A mean is a sum over all actions."),
        (values_of_the_best, "Those are the values of the best policy. This one draws lots, whatever is best."),
    ],
    right="Right. A random policy is a policy: one linear system.",
    explanation="P_pi and r_pi are averages over the actions; then (27.5).",
)  # fmt: skip


def sweeps_needed(gamma, first_change, epsilon):
    k = 1
    while gamma**k / (1 - gamma) * first_change > epsilon:
        k += 1
    return k


def sweeps_by_logarithm(gamma, first_change, epsilon):
    return math.log(epsilon * (1 - gamma) / first_change) / math.log(gamma)


def up(sweeps):
    return lambda gamma, first_change, epsilon: max(1, math.ceil(sweeps(gamma, first_change, epsilon)))


UP = [
    (lambda g, d, e: math.log(1 / e) / (1 - g), "ln(1/ε)/(1 - γ) says how the number grows, not what it is. Count with "
        "the bound γ^k/(1 - γ) · first_change itself."),
    (lambda g, d, e: math.log(d / e) / (1 - g), "1/(1 - γ) stands for 1/ln(1/γ), which is near it only if γ is near 1, "
        "and the bound has a 1 - γ besides. Count with the bound itself."),
    (lambda g, d, e: math.log(d / e / (1 - g)) / (1 - g), "1/(1 - γ) is near 1/ln(1/γ) only if γ is near 1. Divide by "
        "ln(1/γ)."),
    (lambda g, d, e: math.log(d / e / (1 - g)), "That is the exponent for e. Each sweep multiplies by γ: divide by "
        "ln(1/γ)."),
    (lambda g, d, e: math.log2(d / e / (1 - g)), "That is the exponent for 2, as if each sweep halved the error. It "
        "multiplies it by γ."),
    (lambda g, d, e: math.log10(d / e / (1 - g)), "That is the exponent for 10. Each sweep multiplies the error by γ."),
    (lambda g, d, e: math.log(e) / math.log(g), "That asks when γ^k is at most epsilon. The bound has first_change and "
        "1/(1 - γ) besides."),
    (lambda g, d, e: math.log(e * g / (1 - g) / d) / math.log(g), "epsilon is multiplied by γ/(1 - γ), but the bound "
        "is: bring it to the other side and it turns over."),
    (lambda g, d, e: math.log(e / d) / math.log(g) / (1 - g), "1/(1 - γ) multiplies the error, not the number of "
        "sweeps: it belongs inside the logarithm."),
    (lambda g, d, e: 1 / (1 - g), "1/(1 - γ) is how far ahead the agent looks. The number of sweeps hangs on epsilon, "
        "too."),
    (lambda g, d, e: d / e, "That would be right if each sweep took the same amount away. Each one multiplies by γ."),
    (lambda g, d, e: g / (1 - g) * d / e, "That would be right if each sweep took the same amount away. Each one "
        "multiplies by γ."),
    (lambda g, d, e: math.log(d / e) / math.log(1 / (1 - g)), "A sweep multiplies the error by γ, not by 1 - γ."),
]  # fmt: skip


task("27.2", "How many sweeps?", sweeps_needed,
    cases=[(0.9, 2.0, 1e-6), (0.5, 3.0, 0.3), (0.5, 4.0, 1.0), (0.99, 1.0, 0.01), (0.8, 0.001, 10.0), (0.3, 40.0, 1e-3),
           (0.75, 5.0, 5.0)],
    what="The number of sweeps",
    start="By how much can the k-th sweep change a value, if the first changed it by first_change?",
    hints=["The k-th change is at most γ^(k-1) times the first.",
           "(27.12): the error after k sweeps is at most γ^k/(1 - γ) times first_change."],
    slips=["""
        gamma**k / (1 - gamma) * first_change => gamma**k * first_change | That bounds
            the next change. The error may be 1/(1 - γ) times as large.
        gamma**k / (1 - gamma) * first_change => gamma ** (k - 1) / (1 - gamma) * first_change | One sweep
            too many: the k-th change is γ^(k-1) times the first, and the error γ/(1 - γ) times that.
        gamma**k / (1 - gamma) * first_change => gamma ** (k - 1) * first_change | That is
            the k-th change itself. The error is up to γ/(1 - γ) times as large.
        gamma**k / (1 - gamma) => gamma**k * (1 - gamma) | Divide by 1 - γ.
        k = 1 => k = 0 | At least one sweep: first_change is known only after it.
        first_change > epsilon => first_change > 10 * epsilon | The error must be at most epsilon.
        gamma**k / (1 - gamma) => gamma ** (k + 1) / (1 - gamma) | One γ too many: the k-th change is γ^(k-1) times the
            first.
        first_change > epsilon => first_change >= epsilon | A bound that equals epsilon is good enough: one
            sweep less will do.
        (1 - gamma) * first_change => (1 - gamma) ** 2 * first_change | Divide by 1 - γ once, as (27.12) does.
        (1 - gamma) * first_change => (1 + gamma) * first_change | The divisor of (27.12) is 1 - γ.
        (1 - gamma) * first_change => (1 - gamma) | first_change is missing: the k-th change is γ^(k-1) times it.
        * first_change > epsilon => / first_change > epsilon | The changes are shares of first_change: multiply by it.
        gamma**k / (1 - gamma) => 2 * gamma**k / (1 - gamma) | The factor 2 belongs to what the greedy policy loses. The
            values themselves are within the bound of (27.12).
        gamma**k / (1 - gamma) => 2 * gamma ** (k + 1) / (1 - gamma) ** 2 | That is what the greedy policy may lose.
            Asked is the error of the values.
        gamma**k / (1 - gamma) => gamma**k / (1 - gamma) / 2 | The bound of (27.12) has no factor of a half.
        gamma**k / (1 - gamma) => (1 - gamma) ** k / (1 - gamma) | A sweep multiplies the error by γ, not by 1 - γ.
        gamma**k / (1 - gamma) => gamma * (1 - gamma) ** (k - 1) / (1 - gamma) | A sweep multiplies the change by γ, not
            by 1 - γ.
        return k => return k + 1 | That is one sweep more than it needs.
        return k => return k - 1 | That is one sweep too few: the first one counts, too.
        return k => return -k | The sign: both logarithms are negative, so their quotient is not.
        return k => return max(k, 2) | One sweep may be enough.
        return k => return gamma**k / (1 - gamma) * first_change | That is the bound that is reached. Asked is the
            number of sweeps.
        return k => return gamma / (1 - gamma) * first_change | That is the bound on the error after one sweep. Asked is
            how many sweeps it takes.
        """,
        *((up(sweeps), words) for sweeps, words in UP),
        (
            lambda *given: int(sweeps_by_logarithm(*given)) + 1,
            "int(…) + 1 is one too many where the quotient is whole, and it can fall below 1. Round up, at least 1.",
        ),
        (
            lambda *given: math.ceil(-sweeps_by_logarithm(*given)),
            "The quotient in the logarithm is upside down: epsilon (1 - γ) over first_change; ln γ is negative, too.",
        ),
        (
            lambda *given: math.ceil(sweeps_by_logarithm(*given)),
            "At least one sweep: first_change is known only after it.",
        ),
        (lambda *given: max(1, sweeps_by_logarithm(*given)), "A number of sweeps is whole: round up."),
        (
            lambda *given: max(1, math.floor(sweeps_by_logarithm(*given))),
            "Round up: with fewer sweeps the bound is above epsilon.",
        ),
        (
            lambda *given: max(1, round(sweeps_by_logarithm(*given))),
            "Round up, always: with fewer sweeps the bound is above epsilon.",
        ),
    ],
    right="Right. The bound is safe, and often far too large: the sweeps of the 4 × 3 world needed fewer.",
    explanation="Changes shrink: ‖V_k - V_(k-1)‖ ≤ γ^(k-1) first_change. With (27.12) the error is at most "
    "γ^k/(1 - γ) first_change.",
)  # fmt: skip


def best_actions(P, R, gamma, V, tol):
    Q = R + gamma * (P @ V)
    return Q >= Q.max(axis=1, keepdims=True) - tol


TIED = np.array([[1.0, 1.0 + 1e-12], [2, 1], [5, 5.5]])
EVEN = np.array([[1.0, 1.0], [2, 1], [5, 5.5]])
LARGE = 1000 + np.array([[0.0, 1e-3], [2, 1], [5, 5.5]])
SAME = np.repeat(np.array([[0.2, 0.3, 0.5], [0.1, 0.9, 0], [1, 0, 0]])[:, None], 2, axis=1)
MANY = np.random.default_rng(27)  # four states, three actions: many gaps of many sizes
P4 = MANY.multinomial(20, np.full(4, 0.25), (4, 3)) / 20
R4 = MANY.integers(-8, 9, (4, 3)) / 4
V4 = np.array([2.0, -3, 0.5, 6])


def sets_as_lists(P, R, gamma, V, tol):
    return [np.flatnonzero(row).tolist() for row in best_actions(P, R, gamma, V, tol)]


task("27.3", "All of them", best_actions,
    cases=[(TWO_P, TWO_R, 0.9, np.array([18.0, 20]), 1e-9), (P3, R3, 0.5, V3, 0.0),
           (TWO_P, TWO_R, 0.5, np.array([0, 1.05]), 0.0), (SAME, TIED, 0.5, V3, 1e-8),
           (SAME, TIED, 0.5, V3, 0.6), (P3, SHUT, 0.7, V3, 1e-9),
           (P3, R3, 0.9, V3, 2.0), (SAME, TIED - 7, 0.5, -V3, 1e-8), (SAME, EVEN, 0.5, V3, 1e-8),
           (P3, R3, 0.2, 2 * V3, 1e-8), (SAME, LARGE, 0.5, V3, 1e-8), (SAME, LARGE, 0.5, V3, 2e-3),
           *((P4, R4, g, v, tol) for g in (0.3, 0.8, 0.95) for v in (V4, -4 * V4) for tol in (0.1, 0.5, 1.5, 3.0))],
    what="The set of best actions",
    start="What is the best action value of each state, and which ones come within tol of it?",
    hints=["Q = R + gamma * (P @ V).", "Compare Q with its row maximum, kept as a column."],
    slips=["""
        Q.max(axis=1, keepdims=True) - tol => Q.max() - tol | Each state has its own best value: the maximum of its row.
        Q >= Q.max(axis=1, keepdims=True) - tol => Q == Q.max(axis=1, keepdims=True) | Two action
            values that differ by a rounding error are a tie: use tol.
        Q >= Q.max(axis=1, keepdims=True) - tol => np.arange(Q.shape[1]) == Q.argmax(axis=1)[:, None] | argmax names
            one action. All that tie are asked for.
        R + gamma * (P @ V) => gamma * (P @ V) | The rewards belong to the action values.
        R + gamma * (P @ V) => R + P @ V | The discount is missing.
        Q.max(axis=1, keepdims=True) => V[:, None] | Compare with the best of the row: V is given, and need not be V*.
        axis=1 => axis=0 | The maximum runs over the actions of a state: the other axis.
        - tol => + tol | Within tol *below* the best.
        - tol => - 1e-8 | Your tolerance is a fixed number, or a fixed number of digits. Use tol,
            whatever it is.
        Q >= Q.max(axis=1, keepdims=True) - tol => Q <= Q.min(axis=1, keepdims=True) + tol | Those are the worst
            actions.
        Q >= Q.max(axis=1, keepdims=True) - tol => np.abs(Q - V[:, None]) <= tol | Compare with the
            best of the row: V is given, and need not be V* here.
        Q >= Q.max(axis=1, keepdims=True) - tol => R >= R.max(axis=1, keepdims=True) - tol | Those pay
            best now. Compare action values, with what follows.
        Q >= Q.max(axis=1, keepdims=True) - tol => np.isclose(Q, Q.max(axis=1, keepdims=True), atol=tol) | np.isclose
            adds a relative tolerance of its own, 1e-5: set rtol=0.
        Q >= Q.max(axis=1, keepdims=True) - tol => np.isclose(Q, Q.max(axis=1, keepdims=True), rtol=tol, atol=0) | That
            tolerance is a share of the best value. tol is a difference: rtol=0, atol=tol.
        Q.max(axis=1, keepdims=True) - tol => Q.max(axis=1, keepdims=True) * (1 - tol) | That tolerance is a share of
            the best value. tol is a difference: subtract it.
        Q >= Q.max(axis=1, keepdims=True) - tol => Q / Q.max(axis=1, keepdims=True) >= 1 - tol | That tolerance is a
            share of the best value, and a negative one turns it round. tol is a difference.
        Q >= Q.max(axis=1, keepdims=True) - tol => (Q - Q.max(axis=1, keepdims=True)) ** 2 <= tol | tol bounds the
            difference itself, not its square.
        Q >= => Q > | "Within tol" includes a difference of tol, and with tol = 0 the best itself.
        - tol => - 2 * tol | tol is the whole difference: there is no factor 2.
        - tol => - gamma * tol | tol is the difference of the action values as they are, without a discount.
        Q >= Q.max(axis=1, keepdims=True) - tol => Q < Q.max(axis=1, keepdims=True) - tol | Those are the actions that
            are not good enough. True is for the others.
        Q >= Q.max(axis=1, keepdims=True) - tol => Q <= Q.max(axis=1, keepdims=True) - tol | The comparison is the other
            way round: those lie at least tol below the best.
        Q >= Q.max(axis=1, keepdims=True) - tol => np.abs(Q - Q[:, :1]) <= tol | That compares with the first action.
            Compare with the best one.
        Q >= Q.max(axis=1, keepdims=True) - tol => np.abs(Q) >= np.abs(Q).max(axis=1, keepdims=True) - tol | The best
            value is the largest, not the largest in size: a loss is no gain.
        Q >= Q.max(axis=1, keepdims=True) - tol => Q >= np.abs(Q.max(axis=1, keepdims=True)) - tol | The best value may
            be negative: leave its sign.
        Q >= Q.max(axis=1, keepdims=True) - tol => (Q >= Q.max(axis=1, keepdims=True) - tol) & (Q > 0) | The best value
            may be negative: an action need not gain anything to be the best.
        Q.max(axis=1, keepdims=True) - tol => Q.mean(axis=1, keepdims=True) - tol | That compares with the mean of the
            actions. Compare with the best.
        R + gamma * (P @ V) => gamma * (R + P @ V) | The reward comes at once; only what follows is discounted.
        R + gamma * (P @ V) => gamma * R + P @ V | The discount is at the wrong term: what comes later shrinks.
        R + gamma * (P @ V) => R - gamma * (P @ V) | What follows is added to the reward.
        P @ V => P.transpose(2, 1, 0) @ V | P[s, a, s'] is summed over s', its last index.
        P @ V => V[P.argmax(axis=2)] | That is the value of the likeliest next state. Average over all of them with P.
        P @ V => np.where(P > 0, V, -np.inf).max(axis=2) | The next state is drawn: average V with P, do not pick the
            best.
        R + gamma => np.where(np.isinf(R), 0, R) + gamma | An action with reward −∞ is not possible. With 0 in its
            place it can be the best: leave −∞.
        return Q >= Q.max(axis=1, keepdims=True) - tol => D = np.abs(Q - Q.max(axis=1, keepdims=True)); return
            np.where(np.isinf(D), 0, D) <= tol | An action with reward −∞ is infinitely far from the best. With 0 in
            the place of that distance it counts as one of the best.
        return Q >= Q.max(axis=1, keepdims=True) - tol => return (Q >= Q.max(axis=1, keepdims=True) - tol).T | A row is
            a state, a column an action: (S, A).
        return Q >= Q.max(axis=1, keepdims=True) - tol => return (Q >= Q.max(axis=1, keepdims=True) - tol).sum(axis=1) |
            That is how many there are. Asked is which ones, as an array (S, A).
        return Q >= Q.max(axis=1, keepdims=True) - tol => B = Q >= Q.max(axis=1, keepdims=True) - tol; return B /
            B.sum(axis=1, keepdims=True) | That is a policy that draws among the best. Asked is True or False for each.
        return Q >= Q.max(axis=1, keepdims=True) - tol => return np.where(Q >= Q.max(axis=1, keepdims=True) - tol, Q, 0)
            | Those are the values of the best actions. Asked is True or False for each action.
        return Q >= Q.max(axis=1, keepdims=True) - tol => return np.argwhere(Q >= Q.max(axis=1, keepdims=True) - tol) |
            Those are the pairs (s, a). Asked is an array (S, A) with True for them.
        return Q >= Q.max(axis=1, keepdims=True) - tol => return Q.max(axis=1) >= V - tol | That is one answer a state.
            Asked is one for each action.
        """,
    ],
    right="Right. Sets can be compared; the first index of a maximum cannot.",
    explanation="Q >= Q.max(axis=1, keepdims=True) - tol.",
)  # fmt: skip


def plan_values(P, R, steps):
    V = np.zeros((steps + 1, len(P)))
    for t in range(steps - 1, -1, -1):
        V[t] = (R + P @ V[t + 1]).max(axis=1)
    return V


FALLS_P = np.array([[[0, 1.0, 0], [0, 1, 0]], [[0, 0, 1], [0, 0.5, 0.5]], [[0, 0, 1], [0.1, 0, 0.9]]])
FALLS_R = np.array([[2.0, 1], [-1, -2], [-1, -1.5]])  # with more steps to go state 0 is worth less


def rows_that_are_one(P, R, steps):
    V = np.zeros(len(P))
    for _ in range(steps):
        V = (R + P @ V).max(axis=1)
    return np.tile(V, (steps + 1, 1))


def plan_in_place(P, R, steps):
    V = np.zeros((steps + 1, len(P)))
    for t in range(steps - 1, -1, -1):
        V[t] = V[t + 1]
        for s in range(len(P)):
            V[t, s] = (R[s] + P[s] @ V[t]).max()
    return V


task("27.4", "Backward in time", plan_values,
    cases=[(TWO_P, TWO_R, 3), (P3, R3, 4), (P3, SHUT, 2), (P3, R3, 0), (P3, R3, 1), (P3, -np.abs(R3), 3),
           (P4, R4, 5), (FALLS_P, FALLS_R, 3), (P3, SHUT - 4, 3)],
    what="The table of values",
    start="Which row is known at once, and which one follows from it?",
    hints=["The last row is 0: no step to go.", "V[t] = max over a of R + P @ V[t + 1], for t = steps - 1, ..., 0."],
    slips=["""
        return V => return V[::-1] | Row 0 has all steps to go, the last row none: the table is upside down.
        R + P @ V[t + 1] => P @ V[t + 1] | The rewards are missing.
        .max(axis=1) => .mean(axis=1) | The best action, not the mean over the actions.
        range(steps - 1, -1, -1) => range(steps) ;; V[t + 1] => V[t - 1] | That goes forward: row t has t + 1 steps to
            go, as if row 0 were next to the end. Row 0 has all steps to go.
        P @ V[t + 1] => P[:, :, -1] * V[t + 1, -1] | Only the last next state is left: each one overwrites the one
            before. Add up.
        range(steps - 1, -1, -1) => range(steps) | Every row has the best reward at once and nothing
            else. What follows is row t + 1, which must be there before row t: go backward, and use it.
        return V => return V[:-1] | The last row, with no step to go, belongs to the table.
        R + P @ V[t + 1] => R + 0.9 * P @ V[t + 1] | There is no discount here.
        range(steps - 1, -1, -1) => range(steps - 1, 0, -1) | Row 0 is never filled: the last t is 0.
        np.zeros((steps + 1, len(P))) => np.zeros((steps + 1, len(P)), dtype=int) | A table of
            whole numbers cuts off what is not whole: leave out dtype=int.
        (R + P @ V[t + 1]).max(axis=1) => R.max(axis=1) + (P @ V[t + 1]).max(axis=1) | One action must serve for both:
            add first, then take the maximum.
        (R + P @ V[t + 1]).max(axis=1) => (R + P @ V[t + 1])[np.arange(len(P)), R.argmax(axis=1)] | That takes the
            action with the best reward *now*. The best one has the largest sum of reward and what follows.
        P @ V[t + 1] => np.where(P > 0, V[t + 1], -np.inf).max(axis=2) | The next state is drawn: average with P, do not
            pick the best.
        V = np.zeros((steps + 1, len(P))) => V = np.zeros((steps + 1, len(P))); V[steps] = R.max(axis=1) | With no
            step to go nothing is paid any more: the last row is 0.
        V = np.zeros((steps + 1, len(P))) => V = np.ones((steps + 1, len(P))) | With no step to go nothing can be won:
            the last row is 0.
        V = np.zeros((steps + 1, len(P))) => V = np.zeros((steps + 2, len(P))) ;; range(steps - 1 => range(steps | One
            row too many: steps + 1 of them, from all steps to go down to none.
        range(steps - 1, -1, -1) => range(steps - 2, -1, -1) | The row before the last has one step to go: it is paid.
        range(steps - 1, -1, -1) => range(steps - 1, 0, -1) ;; return V => V[0] = V[1]; return V | Row 0 is only a copy
            of row 1. It has one step more to go.
        .max(axis=1) => .min(axis=1) | That is the worst action.
        .max(axis=1) => .sum(axis=1) | That adds the actions up. One of them is chosen: the best.
        (R + P @ V[t + 1]).max(axis=1) => (R + P @ V[t + 1])[:, -1] | That is the last action: each one overwrites the
            one before. Keep the best.
        (R + P @ V[t + 1]).max(axis=1) => (R + P @ V[t + 1])[:, 0] | That is the first action alone. Take the best one.
        V[t] = (R + P @ V[t + 1]).max(axis=1) => V[t] = V[t + 1] + (R + P @ V[t + 1]).max(axis=1) | The rewards of later
            steps are in P @ V[t + 1] already: do not add V[t + 1] again.
        V[t] = (R + P @ V[t + 1]).max(axis=1) => V[t] = V[t + 1] + R.max(axis=1) | The best reward of the same state,
            step after step: but the state changes. What follows is P @ V[t + 1].
        V[t] = (R + P @ V[t + 1]).max(axis=1) => V[t] = np.maximum(V[t + 1], (R + P @ V[t + 1]).max(axis=1)) | A step
            more may cost: the agent must act. A value may fall, also below 0, where no maximum may start.
        P @ V[t + 1] => P.transpose(2, 1, 0) @ V[t + 1] | P[s, a, s'] is summed over s', its last index.
        P @ V[t + 1] => V[t + 1][P.argmax(axis=2)] | That is the likeliest next state. Average over all of them with P.
        R + P @ V[t + 1] => R - P @ V[t + 1] | What follows is added to the reward.
        R + P @ V[t + 1] => np.where(np.isinf(R), 0, R) + P @ V[t + 1] | An action with reward −∞ is not possible. With
            0 in its place it can be the best: leave −∞.
        return V => return V[0] | That is the first row. The whole table is asked for, down to no step to go.
        return V => return V[1:] | Row 0, with all steps to go, is missing.
        return V => return V[:, 0] | That is the first state alone. Every row has all states.
        return V => return V.T | A row is a time, a column a state: (steps + 1, S).
        return V => return np.cumsum(V, axis=0) | A row is a sum over its later steps already: do not add rows up.
        return V => return V / np.maximum(np.arange(steps, -1, -1), 1)[:, None] | Those are means of a step. Asked are
            the sums.
        return V => return np.array([R + P @ v for v in V]) | Those are action values. A row holds the best of each
            state.
        return V => return np.array([(R + P @ v).argmax(axis=1) for v in V[1:]]).reshape(steps, len(P)) | Those are the
            actions. Asked are the values.
        """,
        (rows_that_are_one, "All rows are one and the same array, which later steps overwrite. Keep a copy of each."),
        (plan_in_place, "Row t is made of row t + 1 alone: you use new values of row t as soon as they are there."),
    ],
    right="Right. Its rows are the sweeps of value iteration, read from below.",
    explanation="V[steps] = 0, and V[t] = max over a of R + P @ V[t + 1].",
)  # fmt: skip


def model_of(diary, S, A):
    N, total = np.zeros((S, A, S)), np.zeros((S, A))
    for s, a, r, t in diary:
        N[s, a, t] += 1
        total[s, a] += r
    n = N.sum(axis=2)
    P = np.where(n[:, :, None] > 0, N / np.maximum(n, 1)[:, :, None], 1 / S)
    R = total / np.maximum(n, 1)
    return P, R


DIARY = [
    (0, 0, 1.0, 0),
    (0, 0, 3.0, 1),
    (0, 0, -1.0, 1),
    (1, 1, 2.0, 2),
    (2, 0, 0.5, 0),
    (2, 0, 0.5, 2),
    (1, 1, 4.0, 0),
    (1, 1, 4.0, 0),
    (0, 1, -3.0, 2),
]


def rewards_by_next(diary, S, A):
    N, total = np.zeros((S, A, S)), np.zeros((S, A, S))
    for s, a, r, t in diary:
        N[s, a, t] += 1
        total[s, a, t] += r
    return model_of(diary, S, A)[0], total / np.maximum(N, 1)


def rewards_added(diary, S, A):
    P, R = rewards_by_next(diary, S, A)
    return P, R.sum(axis=2)


def median_rewards(diary, S, A):
    P, R = model_of(diary, S, A)
    for s, a, _, _ in diary:
        R[s, a] = np.median([r for i, j, r, _ in diary if (i, j) == (s, a)])
    return P, R


task("27.5", "From a diary", model_of,
    cases=[(DIARY, 3, 2), (7 * [(0, 0, 2.0, 0)] + 2 * [(0, 0, 1.0, 1)] + [(0, 0, 5.0, 2)], 3, 1), ([], 2, 2),
           (DIARY[3:4], 4, 3)],
    what="The model",
    start="Count first. Which counts do you divide by which?",
    hints=["N[s, a, t] += 1 for each entry, and the rewards summed in a table (S, A).",
           "Divide by N.sum(axis=2) where it is not 0."],
    slips=["""
        1 / S => 0 | The rows of pairs that were never tried must sum to one: all states alike.
        1 / S => 1 / A | A row runs over the S next states: 1/S.
        R = total / np.maximum(n, 1) => R = total | Those are the sums of the rewards. Asked are their means.
        return P, R => return N, R | Those are the counts. Divide by the number of tries of the pair.
        N / np.maximum(n, 1)[:, :, None] => N / max(len(diary), 1) | Divide by
            how often the *pair* was tried, not by the length of the diary.
        N[s, a, t] += 1 => N[s, a, t] = 1 | Count every visit: += 1.
        N[s, a, t] += 1 => N[t, a, s] += 1 | The first
            index is the state that was left, the last the one that was reached.
        total[s, a] += r => total[s, a] = r | That keeps the last reward of a pair. Add them up.
        n = N.sum(axis=2) => n = N.sum(axis=0).T | A pair's tries are summed over the next states, the last axis.
        return P, R => return R, P | First P, then R.
        N / np.maximum(n, 1)[:, :, None] => N / np.maximum(N.sum(axis=(1, 2)), 1)[:, None, None] | That divides by the
            visits of the state. Divide by how often the *pair* (s, a) was tried.
        R = total / np.maximum(n, 1) => R = total / max(len(diary), 1) | Divide the rewards by how often the *pair* was
            tried, not by the length of the diary.
        1 / S => np.eye(S)[:, None] | A pair that was never tried leads to all states alike, not back to its own.
        total[s, a] += r => total[s, a] = r ;; R = total / np.maximum(n, 1) => R = total | That is the last reward of a
            pair. Asked is the mean of all of them.
        np.where(n[:, :, None] > 0, N / np.maximum(n, 1)[:, :, None], 1 / S) => N / n[:, :, None] ;; total /
            np.maximum(n, 1) => total / n | Pairs that were never tried give 0/0. Treat them first: 1/S and reward 0.
        P = np.where => N += 1; n = N.sum(axis=2); P = np.where | One visit too many of every triple: the shares of
            (27.17) are of the counts as they are.
        P = np.where => N += 1 / S; n = N.sum(axis=2); P = np.where ;; R = total / np.maximum(n, 1) => R = total /
            np.maximum(n - 1, 1) | That counts one visit more, spread over all states, for pairs that were tried, too.
        np.where(n[:, :, None] > 0 => np.where(N > 0 | A next state that a tried pair never led to has the share 0. Only
            pairs that were never tried are uniform.
        np.where(n[:, :, None] > 0 => np.where(n.sum(axis=1)[:, None, None] > 0 | Ask for the pair, not for the state: a
            state may have been visited without this action.
        1 / S => 1 / max((n.sum(axis=1) > 0).sum(), 1) | All S states alike, also those that the diary never visited.
        1 / S => 1 / (S * A) | A row runs over the S next states and sums to 1: 1/S.
        N / np.maximum(n, 1)[:, :, None] => N / np.maximum(N.sum(axis=0), 1) | That divides by how often s' was reached
            with a. Divide by how often (s, a) was tried.
        N / np.maximum(n, 1)[:, :, None] => N / np.maximum(N.sum(axis=1), 1)[:, None, :] | That divides by how often s'
            came after s, the share of actions. Divide by how often (s, a) was tried.
        P = np.where(n[:, :, None] > 0, N / np.maximum(n, 1)[:, :, None], 1 / S) => M, m = N.sum(axis=1), N.sum(axis=(1,
            2)); P = np.repeat(np.where(m[:, None] > 0, M / np.maximum(m, 1)[:, None], 1 / S)[:, None], A, axis=1) |
            That is one law a state, whatever was done. Count each action by itself.
        R = total / np.maximum(n, 1) => R = total / np.maximum(n.sum(axis=1, keepdims=True), 1) | The rewards are
            divided by the visits of the state. Divide by how often the *pair* was tried.
        R = total / np.maximum(n, 1) => R = total / (n + 1) | Divide by the number of tries. For pairs without any, ask
            first; adding 1 spoils all others.
        R = total / np.maximum(n, 1) => R = total / np.maximum((N > 0).sum(axis=2), 1) | That divides by the number of
            different next states. Divide by the number of tries.
        R = total / np.maximum(n, 1) => R = np.where(n > 0, total / np.maximum(n, 1), -np.inf) | −∞ would bar what was
            never tried. The task wants reward 0.
        R = total / np.maximum(n, 1) => R = np.where(n > 0, total / np.maximum(n, 1), total.sum() /
            max(len(diary), 1)) | A pair that was never tried has reward 0 here, not the mean of all.
        R = total / np.maximum(n, 1) => R = np.where(n > 0, total / np.maximum(n, 1), np.nan) | Pairs that were never
            tried give 0/0. Treat them first: reward 0.
        R = total / np.maximum(n, 1) => R = (total / np.maximum(n, 1)).astype(int) | A table of whole numbers cuts off
            what is not whole: means need floats.
        total[s, a] += r => total[s, a] = r if N[s, a].sum() == 1 else max(total[s, a], r) ;; R =
            total / np.maximum(n, 1) => R = total | That is the largest reward of a pair. Asked is the mean.
        total[s, a] += r => total[s, a] = (total[s, a] + r) / 2 ;; R = total / np.maximum(n, 1) => R = total | That
            halves at every entry, so the last rewards weigh most. A mean weighs all alike: add up, divide once.
        total[s, a] += r => total[t, a] += r | The reward belongs to the pair that was left, (s, a), not to s'.
        for s, a, r, t in diary => for s, a, r, t in set(diary) | An entry that occurs twice counts twice.
        for s, a, r, t in diary => for s, a, r, t in diary[1:] | The first entry of the diary is left out.
        for s, a, r, t in diary => for s, a, r, t in diary[:-1] | The last entry of the diary is left out.
        N[s, a, t] += 1 => N[s, a, t] += s != t | To stay is a transition, too: count it.
        return P, R => return P.transpose(0, 2, 1), R | The order of the axes is s, a, s'.
        return P, R => return P.transpose(1, 0, 2), R.T | The state comes first, then the action.
        return P, R => return P | The rewards are asked for, too: return P, R.
        return P, R => return N / max(len(diary), 1), R | Those are shares of the whole diary. Divide by how often the
            *pair* was tried, and give untried pairs the uniform law.
        """,
        (rewards_by_next, "Those are rewards for each next state. Asked is one mean for each pair."),
        (rewards_added, "That adds up the means of the next states. The mean of a pair weighs them with their shares."),
        (median_rewards, "That is the median of the rewards. Asked is the mean."),
    ],
    right="Right. Plan with it as if it were true, and look at the counts before you trust it.",
    explanation="Counts over counts, sums over counts; 1/S where a pair was never tried.",
)  # fmt: skip

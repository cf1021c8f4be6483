"""Tasks and exercises of chapter 29: one step by many rules, a bug hunt, ends and cuts, returns, traces, trembling."""

import numpy as np

from mlteach.exercises.forms import Wrong
from mlteach.exercises.tasks import number, task

task("29.a", "One step, and the last one",
    start="What does the step suggest the value should be?",
    hints=["The target is r + γ V(s').", "The target is -1 + 0.5 · 6 = 2; at the end it is -1 alone."],
    value=number("The new value", "4 + 0.25 * (-1 + 0.5 * 6 - 4)", to=6e-3, slips="""
        2     | That is the target. Move a quarter of the way towards it.
        -2    | That is the error δ. Add α times it to the old value.
        -0.5  | That is αδ, the change. Add it to the old value.
        4.25  | You forgot the discount of V(s').
        4.5   | δ is target minus V(s): either V(s) is not subtracted, or δ has the wrong sign.
        4.75  | γ multiplies V(s'), not V(s), and s is the state that learns.
        3.75  | You forgot the reward.
        4     | The reward is negative here, -1; and V(s) is subtracted as it is, without γ.
        3.625 | Only V(s') is discounted, not the reward.
        2.5   | A quarter of the way goes towards the target: the old value keeps three quarters.
        2.75  | That is the value if the episode ends. The ordinary step comes first.
        2.25  | You exchanged α and γ: γ stands in the target, α before the error.
        0.5   | That is α times the target. The old value keeps three quarters, and counts.
        5.5   | It is the guess of s that learns, not that of s'.
        1     | You forgot the discount of V(s'), and an error is not yet a value: add α times it to V(s).
        5     | That is r + V(s'). Discount V(s'), and move only a quarter of the way.
        3     | The target is r + γ V(s'): neither part may be left out, and only a quarter of the way is taken.
        6     | That is the guess of s'. Discounted, it is a part of the target.
        """, say=lambda v:
            f"A quarter of the way from 4 leads to {v:.4g} if the target is {4 + (v - 4) / 0.25:.4g}. What is r + γ "
            "V(s')?"),
    at_the_end=number("The value at the end", "4 + 0.25 * (-1 - 4)", to=6e-3, slips="""
        -1    | That is the target. Move a quarter of the way towards it.
        3.5   | A terminated state has no value: V(s') does not count.
        3     | The target is the reward, -1: it is neither 0, nor is the reward simply added to the value.
        -1.25 | That is the change. Add it to the old value.
        -5    | That is the error δ. Add α times it to the old value.
        3.75  | The target is the reward alone, and V(s) is subtracted from it.
        5.25  | Add α times δ: δ is negative here.
        0     | Nothing follows, but this step itself paid -1; and the guess moves only a quarter of the way.
        4     | The last step teaches, too: its target is the reward.
        3.25  | The target is the reward alone, -1: its sign counts, and no guess is added.
        1.5   | You went half of the way. α is a quarter, and γ has no part in the last step.
        0.25  | A quarter of the way goes towards the target: the old value keeps three quarters.
        -0.25 | That is α times the target. The old value keeps three quarters, and counts.
        2.875 | The reward is not discounted.
        4.25  | A terminated state has no value: V(s') does not count.
        """, say=lambda v:
            f"A quarter of the way from 4 leads to {v:.4g} if the target is {4 + (v - 4) / 0.25:.4g}. What is left of "
            "it at the end?"),
    right="Right. Nothing else is needed than the two values and the reward.",
    explanation="δ = -1 + 3 - 4 = -2, so 4 - 0.5 = 3.5. At the end the target is -1: 4 + 0.25 · (-5) = 2.75.",
)  # fmt: skip

task("29.b", "Means and halves",
    start="What is the first step size in either case?",
    hints=["With 1/(1 + k) the value is the mean of its targets.", "With one half: 10, then 8, then half of that, ..."],
    mean=number("The value with 1/(1 + k)", "(6 + 0 + 9) / 3", to=6e-3, slips="""
        6.25 | The first guess is forgotten: the first step size is 1.
        3.75 | The present visit does not count: the first step size is 1, not one half.
        6.5  | That is the value with α = ½. The mean comes first.
        15   | The mean is the sum of the targets over their number, and the first guess is not added to it.
        9    | That is the last target, or their sum with weights 1, ½, ⅓. Only the first step has size 1, and each step
            moves by α times the difference: in the end all three count alike.
        3    | That is the mean of the first two targets. A third one follows.
        6    | That is the first target, or the median. All three count alike.
        6.8519 | The step size shrinks from visit to visit, 1, ½, ⅓. You took ⅓ throughout.
        7.5  | The first guess is forgotten, and there are three targets: the 0 is one of them.
        25 / 3 | The first guess is no target: it is forgotten at the first step.
        4.5  | The first target counts, too.
        2 / 3 | Each step starts from the value that the one before has left, not from 10.
        10   | That is the first guess. It is forgotten at the first step, whose size is 1.
        """, say=lambda v:
            f"With 1/(1 + k) the value is a mean. Three targets with the mean {v:.4g} sum to {3 * v:.4g}; what do "
            "these sum to?"),
    half=number("The value with one half", "10 / 8 + 6 / 8 + 0 / 4 + 9 / 2", to=6e-3, slips="""
        5    | That is the mean. With α = ½ the last target counts half.
        5.25 | The first guess, 10, still counts an eighth.
        4    | That is the value before the last target.
        8    | That is the value after the first target.
        6    | The value begins at 10, not at the first target: in the end both count an eighth.
        6.25 | That is the mean of all four numbers. With α = ½ the last target counts half.
        5.375 | Begin with the first target, 6.
        2.5  | Each target in turn pulls the value half of the way, from where the one before has left it.
        7.5  | Each target in turn pulls the value half of the way: neither their sum nor their mean is halved.
        6.375 | You halved the step size from visit to visit. Here it is ½ throughout.
        7.75 | That is one step too many: each target is used once.
        11.75 | Half of the old value and half of the target: you added the whole target.
        17.5 | Move by half of the difference between target and value, not by half of the target.
        8.5  | The target 0 counts, too: it pulls the value half of the way down.
        """, say=lambda v:
            f"The last step goes halfway to 9. It ends at {v:.4g} if it begins at {2 * v - 9:.4g}. Where is the value "
            "after 6 and 0?"),
    right="Right. A constant step never forgets entirely, and never settles.",
    explanation="The mean of 6, 0, 9 is 5. With one half: 10, 8, 4, 6.5.",
)  # fmt: skip

task("29.c", "Two readings of four episodes",
    start="What is B worth? And where did A lead?",
    hints=["B was left three times and paid 1, 1, 0.", "A paid 1.5 on average and led to B half of the time."],
    td=number("V(A) by batch TD", "(0 + 3) / 2 + 1 / 2 * 2 / 3", to=6e-3, slips="""
        2       | That is Monte Carlo's answer (TD comes first), or V(B) was taken for 1, or for ½ and counted whole.
            B was left three times, and follows A half of the time.
        1.5     | That is the mean reward of A. In half of the cases B follows.
        13 / 6  | A led to B only half of the time.
        2 / 3   | That is V(B). Add what A itself pays.
        11 / 3  | Divide by the two visits to A.
        1.75    | V(B) is 2/3: B was left three times.
        5 / 3   | A led to B in half of its own visits, not in a quarter, and B paid in two of its three.
        1.875   | V(B) is not 3/4, that was the example: here B was left three times and paid 1, 1, 0.
        1 / 3   | That is half of V(B), what comes after A. A itself pays, too.
        1       | That is the return of one episode. TD takes what A pays on average, and V(B) from all visits to B.
        3       | That is the return of one episode. TD takes what A pays on average, and V(B) from all visits to B.
        10 / 3  | A paid 3 in one of its two visits: its mean reward is half of that.
        11 / 12 | A was left twice: the other two episodes say nothing of what A pays or where it leads.
        11 / 9  | A was left twice, not three times.
        3 / 4   | That was the example. Here A is left twice, once to B and once to the end, and pays itself.
        """, say=lambda v:
            f"A pays 1.5 on average, and B follows half of the time. Your value makes B worth {2 * (v - 1.5):.4g}: "
            "what did B pay?"),
    mc=number("V(A) by Monte Carlo", "(0 + 1 + 3) / 2", to=6e-3, slips="""
        1.5     | The first return includes what B paid after A: 0 + 1.
        11 / 6  | That is TD's answer. Monte Carlo takes the mean of the returns seen from A.
        4       | That is the sum of both returns. Take their mean.
        4 / 3   | A was left twice, not three times.
        1.25    | Only the two episodes that passed through A tell of A.
        1       | That is the return of one of the two episodes, or the sum of both over four. A was left twice: take
            the mean of its two returns.
        3       | That is the return of one of the two episodes. Take the mean of both.
        2 / 3   | That is V(B). The returns that were seen from A are wanted.
        1.2     | Of the five returns only the two from A count.
        0       | In the example the only return from A was 0. Here A was left twice, and both times something was paid.
        3 / 4   | That was B of the example. The returns that were seen from A are wanted.
        5 / 3   | Returns from B do not count: A was left twice.
        """, say=lambda v:
            f"Two returns with the mean {v:.4g} sum to {2 * v:.4g}. What did the two episodes "
            "through A return?"),
    right="Right. TD uses what other episodes say about B, Monte Carlo only those that passed through A.",
    explanation="V(B) = 2/3. TD: 3/2 + 1/2 · 2/3 = 11/6. Monte Carlo: (1 + 3)/2 = 2.",
)  # fmt: skip

task("29.d", "One step, three targets",
    start="Which of the three numbers at s' does each rule take?",
    hints=["SARSA takes what is done, Q-learning the best, Expected SARSA the mean.",
           "Expected SARSA: 0.7 times the largest plus 0.3 times the mean of all three, put into the target."],
    by_sarsa=number("SARSA's value", "4 + 0.2 * (-1 + 0.5 * -4 - 4)", to=6e-3, slips="""
        -3   | That is the target. Move a fifth of the way towards it.
        3.6  | That is Q-learning's. SARSA takes the action that the agent takes.
        2.2  | You forgot the discount.
        -1.4 | That is the change. Add it to the old value.
        3.4  | Either Q(s, a) is not subtracted from the target, or the third action counts 4: it is worth -4.
        1.1  | You exchanged α and γ.
        5.4  | Add α times δ: δ is negative here.
        3.2  | You took the first action of s'. The agent takes the third.
        3.1333 | That is the mean of the three. SARSA takes the action that the agent takes.
        -7   | That is the error δ. Add α times it to the old value.
        3    | Reward and action are both negative here, -1 and -4, and both count.
        2.8  | The reward counts, and the guess is discounted once, by γ.
        -1.6 | A fifth of the way goes towards the target: the old value keeps four fifths.
        2.7  | Only the guess is discounted, not the reward.
        -0.6 | That is α times the target. The old value keeps four fifths, and counts.
        3.46 | That is Expected SARSA's. SARSA takes the action that the agent takes.
        """, say=lambda v:
            f"A fifth of the way from 4 leads to {v:.4g} if the target is {4 + 5 * (v - 4):.4g}. "
            "What is r + γ Q(s', a') for the third action?"),
    by_q=number("Q-learning's value", "4 + 0.2 * (-1 + 0.5 * 6 - 4)", to=6e-3, slips="""
        2    | That is the target. Move a fifth of the way towards it.
        2.6  | That is SARSA's. Q-learning takes the best action of s'.
        4.2  | You forgot the discount.
        3.2  | You took 2, the first action's value or the place of the best one. The best one is worth 6.
        4.4  | δ is target minus Q(s, a): either Q(s, a) is not subtracted, or δ has the wrong sign.
        2.1  | You exchanged α and γ.
        -0.4 | That is the change. Add it to the old value.
        3.1333 | That is the mean of the three. Q-learning takes the best action of s'.
        -2   | That is the error δ. Add α times it to the old value.
        3.8  | You forgot the reward.
        2.4  | The guess is added to the reward, and a fifth of the way goes towards their sum.
        4    | The reward is negative here, -1; and a step changes the value.
        3.4  | That is the sum of the three. Q-learning takes the best action of s'.
        3.7  | Only the guess is discounted, not the reward.
        0.4  | That is α times the target. The old value keeps four fifths, and counts.
        3    | The guess is missing: the episode goes on in s'.
        3.46 | That is Expected SARSA's. Q-learning takes the best action of s'.
        """, say=lambda v:
            f"A fifth of the way from 4 leads to {v:.4g} if the target is {4 + 5 * (v - 4):.4g}. "
            "What is r + γ Q(s', a') for the best action?"),
    expected=number("Expected SARSA's value", "4 + 0.2 * (-1 + 0.5 * (0.7 * 6 + 0.3 * (2 + 6 - 4) / 3) - 4)", to=6e-3,
        slips="""
        3.4  | Exploring may take the best action, too: its chance is 0.7 + 0.1.
        3.39 | Exploring may take the best action, too: the mean is over all three.
        3.54 | Each action is explored with the chance ε/3, not ε, and the third one counts with its minus sign.
        3.2733 | You exchanged ε and 1 - ε.
        3.1333 | That is the mean over three equal chances. The best action is taken more often.
        3.6  | That is Q-learning's. Exploration counts here.
        2.6  | That is SARSA's. Take the mean over what the agent might do.
        1.3  | That is the target. Move a fifth of the way towards it.
        4.6  | That is the mean at s'. Put it into the target.
        3.92 | You forgot the discount.
        -0.54 | That is the change. Add it to the old value.
        -2.7 | That is the error δ. Add α times it to the old value.
        3.3  | When the agent explores it takes any of the three alike, not the action that was seen.
        1.96 | You exchanged α and γ.
        3.42 | With probability ε any action happens: their mean, times ε, is missing.
        3.5533 | ε is 0.3 here: each of the three has ε/3 = 0.1.
        2.76 | With probability 1 - ε the agent takes the best action of s', not the one that was seen.
        3.1  | That is halfway between the other two. Here the three actions have their own chances.
        3.11 | You exchanged ε and 1 - ε, and the random part is over all three.
        3.48 | There are three actions: each is explored with the chance ε/3.
        3.66 | You forgot the reward.
        3.86 | The reward is negative here, -1.
        3.56 | Only the guess is discounted, not the reward.
        1.84 | A fifth of the way goes towards the target: the old value keeps four fifths.
        4.26 | δ is target minus Q(s, a): Q(s, a) is not subtracted.
        4.54 | Add α times δ: δ is negative here.
        0.26 | That is α times the target. The old value keeps four fifths, and counts.
        3.04 | Only the random part is there: with probability 1 - ε the agent takes the best action.
        """, say=lambda v:
            f"That comes out if the mean at s' is {2 * (5 * (v - 4) + 5):.4g}. What is 1 - ε "
            "times the best plus ε times the mean of all three?"),
    right="Right. One step, and the three already disagree.",
    explanation="""
    SARSA: target -3, 4 + 0.2 · (-7) = 2.6. Q-learning: target 2, 4 + 0.2 · (-2) = 3.6.
    Expected SARSA: 0.7 · 6 + 0.3 · 4/3 = 4.6, target -1 + 2.3 = 1.3, 4 + 0.2 · (1.3 - 4) = 3.46.
    """,
)  # fmt: skip


def my_step(Q, s, a, r, s2, over, alpha, gamma, choose):
    a2 = choose(Q[s2])
    target = r if over else r + gamma * Q[s2][a2]
    return Q[s][a] + alpha * (target - Q[s][a]), a2


def best(row):
    return int(np.argmax(row))


def second(row):
    return int(np.argsort(row)[-2])


def one_draw(answer):
    """Raise Wrong unless the next action is drawn from a row, once: learned from and returned."""
    drawn, bare = [], []

    def choose(row):
        bare.extend([np.ndim(row)] if np.ndim(row) != 1 else [])
        drawn.append(len(drawn) % len(row))
        return drawn[-1]

    twice = False
    try:
        value, after = answer(TABLE.copy(), 0, 1, -1.0, 1, False, 0.5, 1.0, choose)
        learned = [a for a in drawn if abs(float(value) - (2 + 0.5 * (-1 + TABLE[1, a] - 2))) < 1e-6]
        twice = len(learned) == 1 and after in drawn and after != learned[0]
    except Exception:  # another matter: the cases will tell
        drawn = drawn or None
    if bare:
        given = "the whole table" if bare[0] else "the number of a state"
        raise Wrong(f"choose takes one row of the table, that of the state in which the agent will act, not {given}.")
    if drawn == []:
        raise Wrong("You never call choose, which draws the next action from a row of the table.")
    if twice:
        raise Wrong("You learn from one action and return another: draw a2 at s2 once, and use it for both.")


def any_at_the_end(result):
    """Return the result with a number for an action that is None: at the end any will do."""
    if isinstance(result, tuple | list) and len(result) == 2 and result[1] is None:
        return result[0], 0
    return result


TABLE = np.array([[1.0, 2.0, 7.0, -3.0], [4.0, 9.0, 0.5, 3.0], [-2.0, 1.0, 0.0, 8.0]])

task("29.e", "The bug hunt",
    my_step,
    cases=[
        (TABLE, 0, 0, -1.0, 1, False, 0.5, 1.0, best),
        (TABLE, 0, 0, 2.0, 2, False, 0.25, 0.9, second),
        (TABLE[:, :1], 2, 0, -1.0, 1, True, 0.5, 1.0, best),  # one action only: at the end any will do
        (TABLE, 1, 3, 0.5, 0, False, 0.1, 0.5, second),
        (TABLE[:, 3:], 1, 0, 3.0, 2, True, 0.2, 0.8, best),
    ],
    what="The step", names="new value, next action", guard=one_draw, read=any_at_the_end,
    slips="""
    choose(Q[s2]) => choose(Q[s]) ;; r if over else r + gamma * Q[s2][a2] => r + gamma * Q[s2][a2] | That is still the
        colleague's step. Two of its lines are wrong: where is a2 drawn, and what does the end add?
    choose(Q[s2]) => choose(Q[s]) | You draw the next action at the old state, s. Where will the agent act next?
    r if over else r + gamma * Q[s2][a2] => r + gamma * Q[s2][a2] | A terminated state has no value.
    r if over else r + gamma * Q[s2][a2] => 0 if over else r + gamma * Q[s2][a2] | The last reward counts, too.
    r if over else r + gamma * Q[s2][a2] => r + gamma * Q[s2][a2] if over else r | The mask stands the wrong way round:
        the guess is left out at the end, not before.
    Q[s2][a2] => max(Q[s2]) | That is Q-learning. SARSA learns from the action that it takes.
    Q[s2][a2] => Q[s2][a] | You take the value of the old action a in s2. SARSA takes that of the next one, a2.
    Q[s2][a2] => Q[s][a2] | The guess stands in the row of s2.
    target - Q[s][a] => target | Move towards the target: subtract the old value.
    gamma * Q => Q | The discount is missing.
    (target - Q[s][a]), a2 => (target - Q[s][a]), a | Return the action to be taken next, not the one that was taken.
    return Q[s][a] + alpha => return alpha | That is the change. Add it to the old value.
    alpha * (target - Q[s][a]) => (0 if over else alpha) * (target - Q[s][a]) | The last step teaches, too: its target
        is r.
    alpha * (target - Q[s][a]) => (1 if over else alpha) * (target - Q[s][a]) | At the end r is the target, not yet the
        value: move a share α of the way, as always.
    alpha * (target - Q[s][a]) => (1 - alpha) * (target - Q[s][a]) | α is the weight of the target, 1 - α that of the
        old value. You exchanged them.
    alpha * (target - Q[s][a]) => (target - Q[s][a]) | That is the target. Move only a share α of the way towards it.
    Q[s][a] + alpha => Q[s][a] - alpha | You move away from the target: δ is target minus old value, and it is added.
    Q[s][a] + alpha * (target - Q[s][a]) => Q[s2][a2] + alpha * (target - Q[s2][a2]) | It is the pair (s, a) that
        learns, not the next one.
    Q[s][a] + alpha * (target - Q[s][a]) => Q[s2][a2] + alpha * (target - Q[s][a]) | It is the pair (s, a) that learns,
        not the next one.
    Q[s2][a2] => sum(Q[s2]) / len(Q[s2]) | That is the mean over the actions. SARSA learns from the one that it takes.
    Q[s2][a2] => min(Q[s2]) | That is the worst action of s2. SARSA learns from the one that it takes.
    Q[s2][a2] => Q[s][a] | The guess is that of the next pair, s2 and a2, not of the old one.
    r + gamma * Q[s2][a2] => gamma * (r + Q[s2][a2]) | Only the guess is discounted, not the reward.
    r if over else r + gamma * Q[s2][a2] => gamma * (r if over else r + Q[s2][a2]) | Only the guess is discounted, not
        the reward.
    r if over else r + gamma * Q[s2][a2] => r if over else gamma * Q[s2][a2] | The reward of the step is missing.
    r if over else r + gamma * Q[s2][a2] => r if over else r - gamma * Q[s2][a2] | The guess is added to the reward, not
        subtracted.
    (target - Q[s][a]), a2 => (target - Q[s][a]) | Return two things, the new value and the next action.
    (target - Q[s][a]), a2 => (target - Q[s][a]), s2 | Return the next action, not the next state.
    (target - Q[s][a]), a2 => (target - Q[s][a]), int(np.argmax(Q[s2])) | You learn from the action that was drawn, and
        do the best one instead. SARSA does what it drew.
    return Q[s][a] + alpha * (target - Q[s][a]), a2 => return Q, a2 | Return the new value of the pair, not the table.
    alpha * (target - Q[s][a]) => alpha * target - Q[s][a] | α multiplies the whole error, target minus old value: mind
        the brackets.
    alpha * (target - Q[s][a]) => alpha * (r if over else r + gamma * (Q[s2][a2] - Q[s][a])) | γ discounts the guess
        alone: the old value is subtracted as it is, at the end, too.
    alpha * (target - Q[s][a]) => alpha * (r - Q[s][a] if over else r + gamma * (Q[s2][a2] - Q[s][a])) | γ discounts the
        guess alone: the old value is subtracted as it is.
    Q[s][a] + alpha * (target - Q[s][a]) => Q[s2][a] + alpha * (target - Q[s2][a]) | It is the pair (s, a) that learns:
        its own old value is moved.
    r if over else r + gamma * Q[s2][a2] => r + gamma * max(Q[s2]) | That is Q-learning, and without a mask. SARSA takes
        the action that it does, and nothing follows an end.
    return Q[s][a] + alpha * (target - Q[s][a]), a2 => return a2 | Return two things, the new value and the next action.
    """,
    start="At which state does the agent stand when it takes its next action?",
    hints=["Where is a2 drawn? What is added at the end?", "a2 = choose(Q[s2]); the target is r alone if over."],
    right="Right. He tuned ε for a week; the curve looked plausible all the time.",
    explanation="a2 must be drawn at s2, once, and returned; a terminated state has no value.",
)  # fmt: skip

task("29.f", "News travels backwards",
    start="In which order are the three moves of a walk overwritten?",
    slips="(0, 90, ...) | The first two are exchanged: Q(S1, up) comes first.",
    hints=["Each walk carries the news one move back.", "In the second walk, S0 is overwritten before S1."],
    up=number("Q(S1, up)", "0.9 * 100", to=6e-3, slips="""
        100 | That is the move into the goal. From S1 it is one step farther.
        81  | That is two steps from the goal; S1 is one step from S4.
        0   | After the first walk S4 is worth 100, and the second walk uses it.
        72.9 | From S1 the goal is two moves away: the second of them has its 100, the first is discounted once.
        1   | Entering the goal pays 100.
        0.9 | Entering the goal pays 100.
        190 | Only entering the goal pays. The move up to S4 pays 0.
        10  | The discount keeps nine tenths.
        45  | Values are overwritten, not averaged: nothing of the old one stays.
        50  | Values are overwritten, not averaged; and from S1 the value of S4 is discounted once.
        """, say=lambda v: "The move pays nothing and leads to S4. What is the best value of S4 after the first walk?"),
    to_the_right=number("Q(S0, right)", 0.0, to=6e-3, slips="""
        81  | S0 was overwritten before S1: at that time S1 was still worth 0.
        90  | That is Q(S1, up). When S0 was overwritten, S1 was worth 0.
        72.9 | S0 was overwritten before S1: at that time S1 was still worth 0.
        """, say=lambda v: "In both walks S0 was overwritten when all values of S1 were still 0."),
    walks=number("The number of walks", 3, to=1e-6, slips="""
        2 | In the second walk S0 is overwritten before S1 has its 90.
        1 | In the first walk all values ahead of S0 are 0.
        4 | Count again: 100 after one walk, 90 after two.
        9 | Those are the moves. A walk has three of them.
        6 | Each walk carries the news one move back, and there are three moves.
        0 | Before the first walk all values are 0.
        """, say=lambda v: "Each walk carries the news one move back. How many moves lead from S0 to the goal?"),
    right="Right. One walk, one move back; traces will be faster.",
    explanation="Walk 1 writes 100 at S4. Walk 2 writes 0 at S0, then 90 at S1. Walk 3 writes 81 at S0.",
)  # fmt: skip

task("29.g", "An end and a cut",
    start="Does the world go on after s'?",
    hints=["Terminated: nothing follows. Truncated: somebody looked at the clock.",
           "The first target is the reward alone, the second r + γ max Q."],
    terminated=number("The target if terminated", 1.0, to=6e-3, slips="""
        5.5 | A terminated state has no value. That is the target if truncated.
        0   | The reward of the step counts.
        6   | A terminated state has no value.
        4.5 | A terminated state has no value, and the reward counts.
        5   | A terminated state has no value, and the reward counts.
        5.9 | A terminated state has no value.
        5.4 | A terminated state has no value, and the reward is not discounted.
        0.9 | The reward is not discounted.
        10  | A terminated state has no value.
        -4  | The target is what the step suggests: the reward. Nothing is subtracted from it here.
        """, say=lambda v:
            f"The reward is 1; {v:.4g} would need something more. What follows a terminated "
            "step?"),
    truncated=number("The target if truncated", "1 + 0.9 * 5", to=6e-3, slips="""
        1   | Truncated is not terminated: the world would go on, and s' keeps its value.
        6   | The discount is missing.
        4.5 | The reward counts, too.
        5   | That is the guess for s'. Discount it and add the reward.
        5.4 | Only the guess is discounted, not the reward.
        0   | The step paid, and the world would go on: both count.
        5.9 | The discount belongs to the guess, not to the reward.
        3.5 | Reward and discounted guess are added.
        1.9 | The guess is the best action's value, 5, times γ.
        5.05 | One step, one discount: γ, not γ².
        4.95 | The target itself is not discounted again: γ stands before the guess only.
        4.05 | That is γ² times the guess. One step, one discount, and the reward counts.
        0.9 | The reward is not discounted, and the discounted guess is added.
        -3.5 | Reward and discounted guess are added.
        """, say=lambda v:
            f"Without the reward your target leaves {v - 1:.4g} for the future. What is γ times "
            "the best action's value?"),
    right="Right.",
    explanation="Terminated: r = 1. Truncated: 1 + 0.9 · 5 = 5.5.",
)  # fmt: skip

task("29.h", "Two returns of one episode",
    start="Which rewards come first, and where does the guess stand?",
    hints=["G⁽²⁾ = 5 + 0.5 · 0 + 0.25 · V(s₂).", "From the end: G₂ = 4, G₁ = 0.5 (0.5 · 3 + 0.5 · 4), then G₀."],
    two_step=number("The two-step return", "5 + 0.5 * 0 + 0.5**2 * 3", to=6e-4, slips="""
        6.5    | The guess is discounted twice: γ².
        8      | The guess is discounted by γ².
        5.25   | After two rewards the guess is that of s₂, not of s₁; λ has no part in it.
        5.5    | That is the one-step return, with V(s₁).
        6      | The third reward, 4, has no place in it: after two rewards comes the guess V(s₂) = 3.
        5      | After the two rewards, 5 and 0, a guess follows: γ² V(s₂).
        5.6875 | That is the λ-return. The two-step return comes first.
        5.375  | The guess is discounted by γ², one γ for each reward before it; λ has no part in it.
        6.25   | There is one guess only, after the last of the two rewards.
        6.75   | The third reward comes after the guess is made: two rewards, then V(s₂).
        7.75   | A reward of 0 is a reward, too: the two are 5 and 0.
        2.875  | The first reward is not discounted: the guess has γ², the rewards γ⁰ and γ¹.
        2.75   | At time 0 the return begins with the first reward, 5.
        2      | That is a return of time 1. At time 0 it begins with the first reward, 5.
        0.75   | That is the guess. The rewards that were seen come first.
        9      | That is the plain sum of all rewards. After two of them comes the guess, and γ discounts.
        """, say=lambda v:
            f"After the rewards, 5 and 0, your value leaves {v - 5:.4g} for the guess. What is "
            "γ² V(s₂)?"),
    mixed=number("The λ-return", "5 + 0.5 * (0.5 * 1 + 0.5 * (0 + 0.5 * (0.5 * 3 + 0.5 * 4)))", to=6e-3, slips="""
        1.75   | That is the λ-return of time 1. One step more.
        5.75   | That is the two-step return, and also a mean with other weights. One reward has ½, two have ¼, the full
            return what is left.
        6      | That is λ = 1: all rewards, no guess. Or the guess at time 0 was V(s₂).
        5.5    | That is what λ = 0 gives. Here half of the bracket is the λ-return of time 1: what is it?
        6.375  | The bracket is discounted by γ.
        7.25   | Each bracket is discounted by γ.
        6.125  | In each bracket the guess has the weight 1 - λ, and each bracket is discounted by γ, the inner one,
            too.
        5.5625 | The last return is its reward, 4: the end has no guess to mix with.
        4.9375 | The weights ½, ¼, ⅛ do not sum to one: what is left goes to the full return.
        4.1875 | The weights ½ and ¼ leave ¼ for the full return.
        6.0625 | You exchanged the guesses: after the first reward comes V(s₁), after the second V(s₂).
        5.6429 | The weights need no scaling: the full return takes what is left, so that they sum to one.
        5.625  | Three returns are mixed: with weights ½, ¼ and what is left, the whole return being the third.
        0.6875 | The first reward is missing: every return begins with it.
        5.4375 | The bracket has two parts, the guess and the next λ-return; the last λ-return is its reward, 4. As a
            sum over n: all the weight that is left goes to the full return.
        5.84375 | The weights begin with 1 - λ for one reward: (1 - λ)λ⁰.
        6.4375 | The rewards are discounted in the full return, too.
        9      | That is the plain sum of the rewards. Discount, and mix with the guesses.
        4      | That is the λ-return of time 2. Two steps more.
        5.5833 | The weights fall by λ and sum to one: ½, ¼, and what is left for the full return.
        """, say=lambda v:
            f"After the first reward, 5, your value leaves {v - 5:.4g} for γ times the bracket. "
            "What is the λ-return of time 1?"),
    right="Right. The mixture lies between its parts 5.5, 5.75 and 6.",
    explanation="5 + 0 + 0.25 · 3 = 5.75. G₂ = 4, G₁ = 0.5 · 3.5 = 1.75, G₀ = 5 + 0.5 · (0.5 + 0.875) = 5.6875.",
)  # fmt: skip


def q_update(Q, s, a, r, s2, terminated, alpha, gamma):
    Q = np.array(Q, dtype=float)
    target = r if terminated else r + gamma * Q[s2].max()
    Q[s, a] += alpha * (target - Q[s, a])
    return Q


task("29.1", "One step of Q-learning",
    q_update,
    cases=[
        (np.array([[1.0, 0.0], [3.0, 5.0]]), 0, 0, 2.0, 1, False, 0.5, 0.9),
        (TABLE, 0, 1, -1.0, 1, False, 0.25, 1.0),
        (TABLE, 2, 3, 1.5, 0, True, 0.3, 0.8),
        (TABLE, 1, 0, 0.0, 1, False, 0.1, 0.5),
        (-TABLE, 1, 3, 2.0, 2, False, 0.2, 0.7),
        (TABLE - 10, 1, 2, -1.0, 0, False, 0.4, 0.9),  # nothing but negative values ahead
        (TABLE, 0, 2, -1.0, 0, False, 0.5, 0.9),  # back into the same state, by its best action
        (TABLE, 0, 3, 2.0, 1, True, 0.25, 0.9),
    ],
    what="The table",
    slips="""
    Q[s2].max() => Q[s].max() | The maximum is over the actions in the next state, s2.
    Q[s2].max() => Q[s2, a] | That is the same action again. Q-learning takes the best one of s2.
    Q[s2].max() => max(0.0, Q[s2].max()) | All values of a row may be negative: begin with one of them, not with 0.
    Q[s2].max() => Q[s2].argmax() | That is the place of the best action. Its value is wanted.
    Q[s2].max() => np.delete(Q[s2], a).max() | In s2 every action is possible, also the one just taken.
    Q[s2].max() => Q[:, s2 % Q.shape[1]].max() | States are rows: the maximum runs over Q[s2].
    Q[s2].max() => Q.max() | The maximum runs over one row, that of s2.
    Q[s2].max() => Q[s2].mean() | That is the mean over the actions; Q-learning takes the best.
    Q[s2].max() => abs(Q[s2]).max() | The largest value, not the largest size: values may be negative.
    r if terminated else r + gamma => r + gamma | A terminated state has no value: the target is r alone.
    r if terminated else r + gamma * Q[s2].max() => r + gamma * Q[s2].max() if terminated else r | The mask stands the
        wrong way round: the guess is left out at the end, not before.
    r if terminated else r => r if s2 == len(Q) - 1 else r | Whether the episode ends is what terminated says, not the
        number of s2.
    r if terminated else r => r if s2 == 0 else r | Whether the episode ends is what terminated says, not the number of
        s2.
    r + gamma * Q[s2].max() => gamma * (r + Q[s2].max()) | Only the guess is discounted, not the reward.
    r if terminated else => 0 if terminated else | The last reward counts, too.
    target - Q[s, a] => target | Move towards the target: subtract the old value.
    Q[s, a] += alpha => Q[s2, a] += alpha | It is the value of s that learns, not that of s2.
    Q[s, a] += alpha * (target - Q[s, a]) => Q[s2, a] += alpha * (target - Q[s2, a]) | It is the value of s that learns,
        not that of s2.
    Q[s, a] += alpha * (target - Q[s, a]) => Q[s] += alpha * (target - Q[s]) | Only the action that was taken learns:
        Q[s, a], not the whole row.
    Q[s, a] += alpha * => Q[s, a] += (0 if terminated else alpha) * | The last step teaches, too: its target is r.
    return Q => return Q[s, a] | That is the new value alone. Return the whole table.
    return Q => return Q[s] | That is one row. Return the whole table.
    target = => Q[s, a] *= 1 - alpha; target = ;; alpha * (target - Q[s, a]) => alpha * target | The target is that of
        the old table: where s2 is s, shrink the value only after the maximum was taken.
    target = => Q[s2] *= not terminated; target = | Leave the row of s2 as it is: a mask in the target is enough.
    alpha * (target - Q[s, a]) => target - Q[s, a] | The step size is missing.
    gamma * Q => Q | The discount is missing.
    alpha * (target - Q[s, a]) => (1 if terminated else alpha) * (target - Q[s, a]) | At the end r is the target, not
        yet the value: move a share α of the way, as always.
    alpha * (target - Q[s, a]) => (1 - alpha) * (target - Q[s, a]) | α is the weight of the target, 1 - α that of the
        old value. You exchanged them.
    Q[s, a] += alpha => Q[s, a] -= alpha | You move away from the target: δ is target minus old value, and it is added.
    Q[s, a] += alpha * (target - Q[s, a]) => Q[s, a] = alpha * (target - Q[s, a]) | That is the change. Add it to the
        old value.
    Q[s, a] += alpha * (target - Q[s, a]) => Q[s, a] = alpha * target | The old value keeps a share 1 - α: α multiplies
        the whole error, target minus old value.
    Q[s, a] += alpha * (target - Q[s, a]) => b = Q[s].argmax(); Q[s, b] += alpha * (target - Q[s, b]) | The action that
        was taken learns, a, not the best one of s.
    dtype=float => dtype=int | A table of whole numbers cuts the decimals off: values are floats.
    return Q => new = np.zeros_like(Q); new[s, a] = Q[s, a]; return new | The other entries keep their values: begin
        with a copy of the table.
    r if terminated else r + gamma * Q[s2].max() => gamma * (r if terminated else r + Q[s2].max()) | Only the guess is
        discounted, not the reward.
    else r + gamma => else gamma | The reward of the step is missing.
    r + gamma * Q[s2].max() => r - gamma * Q[s2].max() | The guess is added to the reward, not subtracted.
    Q[s, a] += alpha * (target - Q[s, a]) => Q[s, a] += alpha * r + (0 if terminated else gamma * Q[s2].max()) - Q[s, a]
        | α multiplies the whole error, target minus old value: mind the brackets.
    alpha * (target - Q[s, a]) => alpha * (r if terminated else r + gamma * (Q[s2].max() - Q[s, a])) | γ discounts the
        guess alone: the old value is subtracted as it is, at the end, too.
    alpha * (target - Q[s, a]) => alpha * (r - Q[s, a] if terminated else r + gamma * (Q[s2].max() - Q[s, a])) | γ
        discounts the guess alone: the old value is subtracted as it is.
    Q[s, a] += alpha * (target - Q[s, a]) => b = Q[s2].argmax(); Q[s, b] += alpha * (target - Q[s, b]) | The action that
        was taken learns, a. The best one of s2 is only a part of the target.
    Q[s2].max() => np.sort(Q[s2])[-2] | That is the second best action of s2; Q-learning takes the best.
    Q[s2].max() => Q[s2].min() | That is the worst action of s2; Q-learning takes the best.
    Q[s2].max() => Q[s2].sum() | That is the sum over the actions; Q-learning takes the best one's value.
    Q[s2].max() => Q[s, a] | The guess is that of the next state, s2, not of the old pair.
    """,
    start="Which row holds the maximum, and which entry changes?",
    hints=["The target: r, plus γ max Q[s2] unless terminated.", "Q = np.array(Q, dtype=float) makes a copy."],
    right="Right. Everything else in Q-learning is walking.",
    explanation="Only Q[s, a] changes, by α times the difference between target and old value.",
)  # fmt: skip


def td_lambda_episode(V, states, rewards, alpha, gamma, lam):
    V = np.array(V, dtype=float)
    e = np.zeros(len(V))
    T = len(rewards)
    for t in range(T):
        s, s2 = states[t], states[t + 1]
        ahead = 0.0 if t == T - 1 else V[s2]
        delta = rewards[t] + gamma * ahead - V[s]
        e *= gamma * lam
        e[s] += 1
        V += alpha * delta * e
    return V


def monte_carlo_episode(V, states, rewards, alpha, gamma, lam):
    V, G = np.array(V, dtype=float), 0.0
    for s, r in zip(states[-2::-1], rewards[::-1]):
        G = r + gamma * G
        V[s] += alpha * (G - V[s])
    return V


def backward_episode(V, states, rewards, alpha, gamma, lam):
    V, G = np.array(V, dtype=float), 0.0
    for t in reversed(range(len(rewards))):
        ahead = 0.0 if t == len(rewards) - 1 else V[states[t + 1]]
        G = rewards[t] + gamma * ((1 - lam) * ahead + lam * G)
        V[states[t]] += alpha * (G - V[states[t]])
    return V


task("29.2", "An episode with traces",
    td_lambda_episode,
    cases=[
        (np.array([0.5, 0.5, 0.5]), [0, 1, 2], [0.0, 1.0], 0.1, 1.0, 0.5),
        (np.array([1.0, -2.0, 3.0, 0.7]), [0, 1, 0, 2, 3], [1.0, -1.0, 2.0, 0.5], 0.3, 0.9, 0.7),
        (np.array([1.0, -2.0, 3.0, 0.7]), [2, 2, 1, 3], [0.0, 4.0, -2.0], 0.2, 0.8, 1.0),
        (np.array([1.0, 2.0, 5.0]), [1, 0, 1, 2], [1.0, 1.0, 1.0], 0.5, 1.0, 0.0),
        (np.array([2.0, -1.0, 4.0]), [1, 2, 1, 2, 0], [1.0, 0.5, -1.0, 2.0], 0.4, 0.9, 0.6),  # ends in state 0
    ],
    what="The values",
    slips=[
    (monte_carlo_episode, "Those are whole returns, the same for every λ. Traces send each one-step error back."),
    (backward_episode, "Those are λ-returns, learned from the end. Here learning goes forwards, one step after the "
                       "other, and each error uses the values of its own time."),
    """
    T = len(rewards) => T = len(rewards); new = V.copy() ;; V += => new += ;; return V => return new | You make all
        changes at the end of the episode. Here each step changes the values at once, and the next δ sees that.
    e *= gamma * lam => e[s] = e[s] + 1 ;; e[s] += 1 => e *= gamma * lam | First the old traces fade, then the present
        state gets its 1.
    e[s] += 1 => V = V + alpha * delta * e ;; V += alpha * delta * e => e[s] += 1 | The present state must be lit before
        the error is sent back: it learns, too.
    0.0 if t == T - 1 else V[s2] => 0.0 if s2 == len(V) - 1 else V[s2] | The episode ends with the last of states,
        whichever its number.
    delta = rewards[t] => delta = (t < T - 1) * rewards[t] | The last reward counts, too: only the guess is left out.
    delta = rewards[t] => delta = rewards[min(t + 1, T - 1)] | The reward of the step from states[t] is rewards[t].
    V += alpha * delta * e => V[s] += alpha * delta * e[s] | Only the present state learned. Send the error back.
    e *= gamma * lam => e *= lam | Traces fade by γλ, not by λ alone.
    e *= gamma * lam => e *= gamma | Traces fade by γλ, not by γ alone.
    e[s] += 1 => e[s] = 1 | Those are replacing traces. Accumulating ones grow by 1 at each visit.
    0.0 if t == T - 1 else V[s2] => V[s2] | The episode terminates in the last state, which has no value.
    V += alpha * delta * e => V[s] += alpha * delta | Only the present state learned. Send the error back.
    V += alpha * delta * e => V += alpha * e | The error δ is missing.
    V += alpha * delta * e => V += delta * e | The step size is missing.
    gamma * ahead - V[s] => ahead - V[s] | The discount of the guess is missing.
    gamma * ahead - V[s] => gamma * lam * ahead - V[s] | λ belongs to the traces. The error is that of one step, with γ
        alone.
    gamma * ahead - V[s] => gamma * ahead | An error is target minus value: subtract V(s).
    gamma * ahead - V[s] => gamma * ahead - ahead | An error is target minus the value of the state that was left.
    delta = rewards[t] => delta = gamma**t * rewards[t] | The error is that of one step: its reward is not discounted.
    delta = rewards[t] => delta = rewards[max(t - 1, 0)] | The reward of the step from states[t] is rewards[t].
    e *= gamma * lam => e *= 1 | The traces never fade: before each step multiply them all by γλ.
    e *= gamma * lam => e[s] *= gamma * lam | All traces fade at each step, not only that of the present state.
    e *= gamma * lam => e *= alpha * lam | Traces fade by γλ; α stands only where the values change.
    e *= gamma * lam => e *= 1 - lam | Traces fade by γλ: λ itself says how much is kept.
    e[s] += 1 => e[s] += 1 - lam | The present state gets a whole 1: the factor 1 - λ is used up in (29.18).
    e[s] += 1 => e[s] += alpha | The present state gets a whole 1; α stands only where the values change.
    e[s] += 1 => e[s2] += 1 | The state that is left gets the 1, states[t], not the one that is entered.
    e[s] += 1 => e[s] += e[s] == 0 | A state gets its 1 at every visit, not only at the first.
    np.zeros(len(V)) => np.ones(len(V)) | Before the first step no state has a trace.
    range(T) => range(T - 1) | The last step teaches, too: the one that ends the episode.
    range(T) => range(1, T) | The first step teaches, too.
    V += alpha * delta * e => V -= alpha * delta * e | You move away from the target: αδe is added.
    V += alpha * delta * e => V += alpha * delta * (e > 0) | Each state learns by its trace, not all that are lit alike.
    T = len(rewards) => T = len(rewards); V[states[-1]] = 0 | The value of the last state is left out of the target; its
        entry in V stays as it was.
    return V => V[states[-1]] = 0; return V | The value of the last state is left out of the target; its entry in V
        stays as it was.
    0.0 if t == T - 1 else V[s2] => rewards[t] if t == T - 1 else V[s2] | The last reward counts once: nothing follows
        it.
    V += alpha * delta * e => for k in range(t + 1): V[states[k]] += alpha * delta * (gamma * lam) ** k | The weight is
        (γλ)ᵏ for the state of k steps ago: the latest one has 1, the first one least.
    V += alpha * delta * e => for k in range(t + 1): V[states[k]] += alpha * delta * gamma ** (t - k) * lam | The
        weight is (γλ)ᵏ for the state of k steps ago: λ has the same power as γ.
    V += alpha * delta * e => for x in range(len(V)): V[x] += alpha * (rewards[t] + gamma * (0.0 if t == T - 1 else
        V[s2]) - V[s]) * e[x] | One step has one error: compute it before any value changes.
    V += alpha * delta * e => V += alpha * delta * e / e.sum() | The traces are weights as they are: they need not sum
        to one.
    V += alpha * delta * e => V += alpha * delta * e; V[s] += alpha * delta | The present state learns once: its 1 is
        among the traces.
    return V => return e | Those are the traces. Return the values.
    """],
    start="What happens to the old traces before the present state gets its own?",
    hints=["δ; e ← γλe; e(s) ← e(s) + 1; V ← V + αδe.", "The last step has no guess: it ends the episode."],
    right="Right. Three lines more than TD(0).",
    explanation="δ first, with the values as they are; then fade, light up, and let every lit state learn.",
)  # fmt: skip


def tremble_world(P, R, epsilon):
    P, R = np.asarray(P, dtype=float), np.asarray(R, dtype=float)
    P_soft = (1 - epsilon) * P + epsilon * P.mean(axis=1, keepdims=True)
    R_soft = (1 - epsilon) * R + epsilon * R.mean(axis=1, keepdims=True)
    return P_soft, R_soft


def one_after_the_other(P, R, epsilon):
    P, R = np.array(P, dtype=float), np.array(R, dtype=float)
    for a in range(P.shape[1]):
        P[:, a] = (1 - epsilon) * P[:, a] + epsilon * P.mean(axis=1)
        R[:, a] = (1 - epsilon) * R[:, a] + epsilon * R.mean(axis=1)
    return P, R


SMALL_P = np.array(
    [
        [[0.5, 0.5, 0.0], [0.0, 0.2, 0.8], [1.0, 0.0, 0.0]],
        [[0.1, 0.9, 0.0], [0.3, 0.3, 0.4], [0.0, 0.0, 1.0]],
        [[0.0, 0.0, 1.0], [0.6, 0.4, 0.0], [0.25, 0.5, 0.25]],
    ]
)
SMALL_R = np.array([[1.0, -2.0, 0.5], [0.0, 4.0, 3.0], [2.0, 2.5, -1.0]])

task("29.3", "A trembling hand",
    tremble_world,
    cases=[
        (SMALL_P[:, :2], SMALL_R[:, :2], 0.1),
        (SMALL_P, SMALL_R, 0.3),
        (SMALL_P, SMALL_R, 0.0),
        (SMALL_P, SMALL_R, 1.0),
    ],
    what="The world", names="P, R",
    slips=[(one_after_the_other, "Each action's mean must be that of the old world: yours contains what has trembled "
                                 "already. Write into new arrays."),
    """
    return P_soft, R_soft => return P, R | Nothing trembles: that is the world as it was.
    return P_soft, R_soft => return P, R_soft | The moves tremble, too, not the rewards alone.
    epsilon * P.mean(axis=1, keepdims=True) => epsilon * (P.sum(axis=1, keepdims=True) - P) / max(1, P.shape[1] - 1) |
        Exploring may take the intended action, too: each has the chance ε/(number of actions).
    (1 - epsilon) * P + epsilon * P.mean => epsilon * P + (1 - epsilon) * P.mean | You exchanged ε and 1 - ε.
    epsilon * P.mean(axis=1, keepdims=True) => epsilon / P.shape[2] | A random action, not a random next state: take the
        mean of P over the actions.
    epsilon * P.mean(axis=1, keepdims=True) => epsilon / 4 * P.sum(axis=1, keepdims=True) | The number of actions is
        that of P, not always four.
    P.mean(axis=1 => P.mean(axis=0 | The mean runs over the actions of one state, axis 1.
    P.mean(axis=1 => P.sum(axis=1 | Each action has the chance ε/(number of actions): the mean, not the sum.
    (1 - epsilon) * P + => P + | The intended action keeps only 1 - ε; rows must sum to one.
    (1 - epsilon) * R + epsilon * R.mean(axis=1, keepdims=True) => R | The rewards tremble, too.
    return P_soft, R_soft => return R_soft, P_soft | First P, then R.
    return P_soft, R_soft => return P_soft | Return both, P and R.
    + epsilon * P.mean(axis=1, keepdims=True) => + 0 | With probability ε any action happens, and leads somewhere: the
        rows of P must sum to one.
    (1 - epsilon) * P + => 0 * P + | That is the random part alone. With probability 1 - ε the intended action happens.
    (1 - epsilon) * P + => (1 - epsilon + epsilon / P.shape[1]) * P + | The mean over all actions contains the intended
        one already: rows must sum to one.
    epsilon * P.mean(axis=1, keepdims=True) => epsilon / len(P) * P.sum(axis=1, keepdims=True) | Divide by the number of
        actions, not of states.
    epsilon * P.mean(axis=1, keepdims=True) => epsilon / 2 * P.sum(axis=1, keepdims=True) | The number of actions is
        that of P, not always two.
    P.mean(axis=1, keepdims=True) => P.mean(axis=(0, 1)) | The mean runs over the actions of one state, not of all.
    P.mean(axis=1, keepdims=True) => P.max(axis=1, keepdims=True) | A random action, each alike: the mean, not the
        largest.
    R.mean(axis=1, keepdims=True) => R.mean() | The mean of the rewards runs over the actions of one state, not over the
        whole table.
    R.mean(axis=1 => R.mean(axis=0 | The mean of the rewards runs over the actions of one state, axis 1.
    R.mean(axis=1 => R.sum(axis=1 | Of the rewards, too, the mean over the actions is taken, not the sum.
    R.mean(axis=1 => R.max(axis=1 | A random action, each alike: the mean of the rewards, not the largest.
    (1 - epsilon) * R + => R + | The intended action's reward counts 1 - ε, as in P.
    (1 - epsilon) * R + => 0 * R + | The intended action's reward counts 1 - ε, as in P.
    + epsilon * R.mean(axis=1, keepdims=True) => + 0 | With probability ε any action happens, and pays: the rewards need
        that part, too.
    (1 - epsilon) * R + epsilon * R.mean(axis=1, keepdims=True) => R.mean(axis=1, keepdims=True) + 0 * R | Those are
        the rewards of an agent that never does what it means: with probability 1 - ε it does.
    (1 - epsilon) * R + epsilon * R.mean => epsilon * R + (1 - epsilon) * R.mean | In the rewards you exchanged ε and
        1 - ε.
    epsilon * R.mean(axis=1, keepdims=True) => epsilon * (R.sum(axis=1, keepdims=True) - R) / max(1, R.shape[1] - 1) |
        Exploring may take the intended action, too, and its reward: each has the chance ε/(number of actions).
    epsilon * P.mean(axis=1, keepdims=True) => epsilon / P.shape[1] * P | With probability ε any action happens, not
        only the intended one: take the mean over all.
    epsilon * P.mean(axis=1, keepdims=True) => epsilon / P.shape[1] | A random action leads where P says: take the mean
        of P over the actions, not of ones.
    P.mean(axis=1, keepdims=True) => P[:, :1] | Any action alike, not one of them: take the mean over all.
    P.mean(axis=1, keepdims=True) => P[:, -1:] | Any action alike, not one of them: take the mean over all.
    (1 - epsilon) * R + epsilon * R.mean(axis=1, keepdims=True) => R - epsilon | With probability ε another action's
        reward is paid: a mean over the actions, not a fee.
    """],
    start="With which probability does each action really happen if a is meant?",
    hints=["1 - ε for the one meant, and ε/|A| for every one.", "P.mean(axis=1, keepdims=True): a random action."],
    right="Right. Solve this world, and you have the best line of every exploring agent.",
    explanation="Both P and R become (1 - ε) times themselves plus ε times their mean over the actions.",
)  # fmt: skip

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
        4.75  | γ multiplies V(s'), and δ has three parts: r, γ V(s') and -V(s).
        3.75  | You forgot the reward.
        4     | The reward is negative here, -1.
        3.625 | Only V(s') is discounted, not the reward.
        2.5   | A quarter of the way goes towards the target: the old value keeps three quarters.
        2.75  | That is the value if the episode ends. The ordinary step comes first.
        """),
    at_the_end=number("The value at the end", "4 + 0.25 * (-1 - 4)", to=6e-3, slips="""
        -1    | That is the target. Move a quarter of the way towards it.
        3.5   | A terminated state has no value: V(s') does not count.
        3     | The target is the reward, -1: it is neither 0, nor is the reward simply added to the value.
        -1.25 | That is the change. Add it to the old value.
        -5    | That is the error δ. Add α times it to the old value.
        3.75  | δ is target minus V(s): V(s) is not subtracted.
        5.25  | Add α times δ: δ is negative here.
        4.25  | A terminated state has no value: V(s') does not count.
        """),
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
        15   | That is the sum of the targets. Divide by their number.
        9    | That is the last target. Only the first step has size 1.
        3    | That is the mean of the first two targets. A third one follows.
        6    | That is the first target, or the median. All three count alike.
        """),
    half=number("The value with one half", "10 / 8 + 6 / 8 + 0 / 4 + 9 / 2", to=6e-3, slips="""
        5    | That is the mean. With α = ½ the last target counts half.
        5.25 | The first guess, 10, still counts an eighth.
        4    | That is the value before the last target.
        8    | That is the value after the first target.
        6    | The value begins at 10, not at the first target.
        6.25 | That is the mean of all four numbers. With α = ½ the last target counts half.
        5.375 | Begin with the first target, 6.
        """),
    right="Right. A constant step never forgets entirely, and never settles.",
    explanation="The mean of 6, 0, 9 is 5. With one half: 10, 8, 4, 6.5.",
)  # fmt: skip

task("29.c", "Two readings of four episodes",
    start="What is B worth? And where did A lead?",
    hints=["B was left three times and paid 1, 1, 0.", "A paid 1.5 on average and led to B half of the time."],
    td=number("V(A) by batch TD", "(0 + 3) / 2 + 1 / 2 * 2 / 3", to=6e-3, slips="""
        2       | That is the mean of the returns, Monte Carlo's answer (TD comes first), or V(B) was taken for 1.
        1.5     | That is the mean reward of A. In half of the cases B follows.
        13 / 6  | A led to B only half of the time.
        2 / 3   | That is V(B). Add what A itself pays.
        11 / 3  | Divide by the two visits to A.
        1.75    | V(B) is 2/3: B was left three times.
        5 / 3   | A led to B in half of its own visits, not in a quarter.
        1.875   | V(B) is not 3/4, that was the example: here B was left three times and paid 1, 1, 0.
        """),
    mc=number("V(A) by Monte Carlo", "(0 + 1 + 3) / 2", to=6e-3, slips="""
        1.5     | The first return includes what B paid after A: 0 + 1.
        11 / 6  | That is TD's answer. Monte Carlo takes the mean of the returns seen from A.
        4       | That is the sum of both returns. Take their mean.
        4 / 3   | A was left twice, not three times.
        1.25    | Only the two episodes that passed through A tell of A.
        1       | That is the return of one of the two episodes. Take the mean of both.
        3       | That is the return of one of the two episodes. Take the mean of both.
        """),
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
        3.4  | δ is target minus Q(s, a): Q(s, a) is not subtracted.
        1.1  | You exchanged α and γ.
        5.4  | Add α times δ: δ is negative here.
        3.2  | You took the first action of s'. The agent takes the third.
        3.1333 | That is the mean of the three. SARSA takes the action that the agent takes.
        """),
    by_q=number("Q-learning's value", "4 + 0.2 * (-1 + 0.5 * 6 - 4)", to=6e-3, slips="""
        2    | That is the target. Move a fifth of the way towards it.
        2.6  | That is SARSA's. Q-learning takes the best action of s'.
        4.2  | You forgot the discount.
        3.2  | You took the first action of s', worth 2. The best one is worth 6.
        4.4  | δ is target minus Q(s, a): either Q(s, a) is not subtracted, or δ has the wrong sign.
        2.1  | You exchanged α and γ.
        -0.4 | That is the change. Add it to the old value.
        3.1333 | That is the mean of the three. Q-learning takes the best action of s'.
        """),
    expected=number("Expected SARSA's value", "4 + 0.2 * (-1 + 0.5 * (0.7 * 6 + 0.3 * (2 + 6 - 4) / 3) - 4)", to=6e-3,
        slips="""
        3.4  | Exploring may take the best action, too: its chance is 0.7 + 0.1.
        3.39 | Exploring may take the best action, too: the mean is over all three.
        3.54 | Each action is explored with the chance ε/3, not ε.
        3.2733 | You exchanged ε and 1 - ε.
        3.1333 | That is the mean over three equal chances. The best action is taken more often.
        3.6  | That is Q-learning's. Exploration counts here.
        2.6  | That is SARSA's. Take the mean over what the agent might do.
        1.3  | That is the target. Move a fifth of the way towards it.
        4.6  | That is the mean at s'. Put it into the target.
        3.92 | You forgot the discount.
        -0.54 | That is the change. Add it to the old value.
        """),
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
        bare.extend([row] if np.ndim(row) == 0 else [])
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
        raise Wrong("choose takes a row of the table, Q[s2], not the number of a state.")
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
        """),
    to_the_right=number("Q(S0, right)", 0.0, to=6e-3, slips="""
        81  | S0 was overwritten before S1: at that time S1 was still worth 0.
        90  | That is Q(S1, up). When S0 was overwritten, S1 was worth 0.
        72.9 | S0 was overwritten before S1: at that time S1 was still worth 0.
        """),
    walks=number("The number of walks", 3, to=1e-6, slips="""
        2 | In the second walk S0 is overwritten before S1 has its 90.
        1 | In the first walk all values ahead of S0 are 0.
        4 | Count again: 100 after one walk, 90 after two.
        9 | Those are the moves. A walk has three of them.
        """),
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
        """),
    truncated=number("The target if truncated", "1 + 0.9 * 5", to=6e-3, slips="""
        1   | Truncated is not terminated: the world would go on, and s' keeps its value.
        6   | The discount is missing.
        4.5 | The reward counts, too.
        5   | That is the guess for s'. Discount it and add the reward.
        5.4 | Only the guess is discounted, not the reward.
        """),
    right="Right.",
    explanation="Terminated: r = 1. Truncated: 1 + 0.9 · 5 = 5.5.",
)  # fmt: skip

task("29.h", "Two returns of one episode",
    start="Which rewards come first, and where does the guess stand?",
    hints=["G⁽²⁾ = 2 + 0.5 · 0 + 0.25 · V(s₂).", "From the end: G₂ = 4, G₁ = 0.5 (0.5 · 3 + 0.5 · 4), then G₀."],
    two_step=number("The two-step return", "2 + 0.5 * 0 + 0.5**2 * 3", to=6e-4, slips="""
        3.5    | The guess is discounted twice: γ².
        5      | The guess is discounted by γ².
        2.25   | After two rewards the guess is that of s₂, not of s₁.
        2.5    | That is the one-step return, with V(s₁).
        3      | That is the return of all rewards. After two of them comes the guess V(s₂).
        2      | Those are the two rewards. A guess follows, γ² V(s₂).
        2.6875 | That is the λ-return. The two-step return comes first.
        """),
    mixed=number("The λ-return", "2 + 0.5 * (0.5 * 1 + 0.5 * (0 + 0.5 * (0.5 * 3 + 0.5 * 4)))", to=6e-3, slips="""
        1.75   | That is the λ-return of time 1. One step more.
        2.75   | That is the two-step return, and also the plain mean of all three. The weights fall by λ.
        3      | That is λ = 1: all rewards, no guess. Or the guess at time 0 was V(s₂).
        2.5    | That is λ = 0: one reward, then the guess.
        3.375  | The bracket is discounted by γ.
        4.25   | Each bracket is discounted by γ.
        3.125  | The guess has the weight 1 - λ.
        2.5625 | The last return is its reward, 4: the end has no guess to mix with.
        2.3125 | The weights ½, ¼, ⅛ do not sum to one: what is left goes to the full return.
        1.9375 | The weights ½ and ¼ leave ¼ for the full return.
        """),
    right="Right. The mixture lies between its parts 2.5, 2.75 and 3.",
    explanation="2 + 0 + 0.25 · 3 = 2.75. G₂ = 4, G₁ = 0.5 · 3.5 = 1.75, G₀ = 2 + 0.5 · (0.5 + 0.875) = 2.6875.",
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
    slips="""
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
    """,
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
    slips="""
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
    """,
    start="With which probability does each action really happen if a is meant?",
    hints=["1 - ε for the one meant, and ε/|A| for every one.", "P.mean(axis=1, keepdims=True): a random action."],
    right="Right. Solve this world, and you have the best line of every exploring agent.",
    explanation="Both P and R become (1 - ε) times themselves plus ε times their mean over the actions.",
)  # fmt: skip

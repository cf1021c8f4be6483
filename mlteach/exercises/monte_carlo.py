"""Tasks and exercises of chapter 28: returns, a hand, episodes needed, visits, margins, softness, ratios, variance."""

import numpy as np

from mlteach.exercises.tasks import number, task


def broken_link(G):
    """Return the first step, from the end, at which a list of returns leaves (28.1)."""
    if G.shape != (4,):
        return None
    if abs(G[3] - 4) > 0.006:
        return "After the last step nothing follows: what is its return?"
    t = next((t for t in (2, 1, 0) if abs(G[t] - (2, 0, -1)[t] - 0.5 * G[t + 1]) > 0.006), None)
    return t if t is None else f"G{t} does not fit your G{t + 1}: (28.1) adds half of it to the reward {(2, 0, -1)[t]}."


def chance_of_21(value):
    """Return how often 21 would have to come for such a value of a hit."""
    if not -1 <= value <= 0.903:
        return "A hit pays −1, or 0.903 on average with 21: no mean of the two lies outside."
    return f"That is the mean if 21 has the chance {(value + 1) / 1.903:.3f}. How many cards of thirteen make it?"


def error_of_visits(N):
    """Return the standard error that so many visits leave."""
    return f"With N = {N:g} visits the standard error is 0.96 / √N = {0.96 / N**0.5:.4g}, not 0.01." if N > 0 else None


def visits_in(episodes):
    """Return how many visits so many episodes bring."""
    return f"In {episodes:,.0f} episodes the hand comes {episodes / 50:,.0f} times. Compare that with the visits."


def sum_of_three(mean):
    """Return what the returns of three visits would sum to."""
    return f"Three returns with the mean {mean:.4g} sum to {3 * mean:.4g}. Which returns follow the steps 0, 2 and 3?"


def error_of_margin(N):
    """Return two standard errors of the difference after so many visits of each action."""
    words = "visits of each action two standard errors of the difference are"
    return f"With {N:g} {words} {2 * (1.69 / N) ** 0.5:.3g}. They should be the margin, 0.04." if N > 0 else None


def outside(value):
    """Return whether a mean of 2, 6 and −3 can have that value, and what to add up."""
    if not -3 <= value <= 6:
        return "A mean of the three values lies between −3 and 6."
    return f"{value:.4g} is another mean of 2, 6 and −3. Multiply each by its own probability 0.2, 0.3, 0.5, and add."


def weight_of_best(value):
    """Return the probability of the best action that such a step would need."""
    if not 5 / 3 <= value <= 6:
        return "Three actions alike make 1.67, the best alone makes 6: an ε-greedy step lies between the two."
    return f"That is right if the best action has the chance {(value + 0.5) / 6.5:.3f}. What does (28.10) give it?"


def no_product(rho):
    """Return the question that a product of factors 2 and 0 answers."""
    return f"Each factor is 1 / ½ or 0 / ½, one for each action. Can three such factors multiply to {rho:.4g}?"


def quotient_at(beta):
    """Return the quotient of the series at such a limit."""
    if not 0 < beta <= 1:
        return "β is a probability, and above 0."
    return f"At β = {beta:g} the quotient of the series, p/β, is {0.7 / beta:.3g}. What is it at the limit?"


def mean_square_of(variance):
    """Return the mean square that such a variance would need."""
    return f"With the mean 1 that needs a mean square of {variance + 1:.4g}. What does (28.18) give for 0.7 and 0.8?"


task("28.a", "Returns, backwards",
    start="Where does one begin: which return is known at once?",
    hints=[
        "After the last step nothing follows: G₃ is the last reward.",
        "G₂ = −1 + 0.5 · 4. Then G₁ from G₂, and G₀ from G₁.",
    ],
    returns=number("The list of returns",
        "[2 + 0.5 * 0 + 0.25 * -1 + 0.125 * 4, 0 + 0.5 * -1 + 0.25 * 4, -1 + 0.5 * 4, 4]",
        to=0.006, names=["G0", "G1", "G2", "G3"], say=broken_link, slips="""
        [4, 1, 0.5, 2.25]       | The values are right, but from the end to the start. Asked is G0 first.
        [5, 3, 3, 4]            | You added without discounting: each later reward counts half as much as the one
            before.
        [0.25, 0.5, 2, 0]       | Those are the discounted rewards that come later: the next reward itself is missing.
        [2, 0, -1, 4]           | Those are the rewards. A return adds, with discount, all that follows.
        [2, 1, -0.5, 3.75]      | You ran forwards: a return looks at what comes after, not before.
        [2, 2, 1, 5]            | Those are running sums from the start. A return looks at what comes after.
        [1.125, 0.25, 0.5, 2]   | Every return is halved once too often: the next reward is not discounted.
        [0.5, 1, 4, 0]          | The returns are one step off: the reward of the own step belongs to its return.
        [2.25, 0.5, 1, 0]       | The last return is the last reward, 4: nothing follows, but that reward is paid.
        [1.75, -0.5, -1, 0]     | You began with a last return of 0. Zero is what follows the last step; its own
            reward, 4, is paid.
        [2.75, 1.5, 3, 4]       | The third reward is −1: you lost its sign.
        [2.25, 0.25, 0.25, 0.5] | You discounted from the start of the episode. Each return counts its own next reward
            in full.
        [2, -0.5, 1, 4]         | You stopped after the next reward but one. A return takes half of the next *return*.
        [3.5, 1.5, 1, 4]        | All later rewards were halved once. A reward two steps away is halved twice.
        [2.25, 0.5, 1, 4, 0]    | G4 = 0 stands after the end and starts the recursion. Asked are the four before it.
        [1.25, 1, 1.5, 4]       | Those are means of the rewards that follow. A return is their discounted sum.
        [2.5, 0.5, 1, 4]        | G0 takes half of G1, like every return before the end; you added G1 whole.
        [2.25, 1, 1, 4]         | G1 takes half of G2, like every return before the end; you added G2 whole.
        [2.5, 1, 1, 4]          | Only the last step was halved. Each step backwards halves the next return once more.
        [3.75, 3.5, 3, 4]       | G2 takes half of G3, like every return before the end; you added G3 whole.
        [1.25, 1.5, -3, 4]      | You subtracted half of the next return. It is added.
        [1.25, -1.5, -3, 4]     | G2 is −1 plus 2: half of what follows is added.
        [2, 0, 0, 4]            | The discount came in twice a step: γ², a quarter, for γ.
        [30, 14, 7, 4]          | You divided by γ. What comes later counts half, not double.
        [4.106, 2.34, 2.6, 4]   | That is γ = 0.9. Here γ = 0.5.
        [2.25, 0.5, 1, 2]       | The last reward is the next one at its own step: it is not discounted there.
        [2.25, 0.25, -0.25, 0.5] | G0 is right. Each later return begins anew, with its own next reward in full.
        [2, 0, -0.25, 0.5]      | Those are the terms of G0. Each return is a sum that begins with its own next reward.
        [2, 2, 1.75, 2.25]      | Those are the partial sums of G0. G0 itself is the last of them; a return looks ahead.
        [3.75, -0.5, 1, 2]      | You took the rewards in the reverse order. 2 is paid first, 4 last.
        [3.75, 3.5, 3.5, 4]     | The discounts are the wrong way round: the next reward counts in full.
        [2.25, 2.25, 2.25, 2.25] | That is G0 four times. Each later return leaves out what was paid before it.
        [2.5, 1, 2, 4]          | The third reward, −1, is left out.
        [2.75, 1.5, 1, 4]       | The second reward is 0: nothing is added for it.
        """),
    right="Right. One pass from the end, and each reward is touched once.",
    explanation="G3 = 4, G2 = -1 + 2 = 1, G1 = 0 + 0.5 = 0.5, G0 = 2 + 0.25 = 2.25.",
)  # fmt: skip

task("28.b", "Hitting on twenty",
    start="Which cards do not lose, and how likely are they?",
    hints=["Only an ace keeps a hard 20 alive: it makes 21.", "(1/13) · 0.903 + (12/13) · (−1)."],
    value=number("The value of a hit", "1 / 13 * 0.903 - 12 / 13", to=0.0006, say=chance_of_21, slips="""
        0.903 / 13         | The other twelve cards lose: they count −1 each.
        -12 / 13           | The ace does not lose: it makes 21, worth 0.903.
        0.903 / 13 + 12/13 | Above 21 the reward is −1: the sign.
        0.903 / 10 - 9/10  | Ten cards differ, but tens are four of thirteen: each other card has 1/13.
        1 / 13 - 12 / 13   | 21 does not always win: it is worth 0.903.
        0.903              | That is the value of 21. Hitting reaches it with one card of thirteen.
        0.903 / 13 - 1     | The loss has a chance too: twelve cards of thirteen.
        4/13 * 0.903 - 9/13 | It is the ace that makes 21, not a ten: one card of thirteen.
        2/13 * 0.903 - 11/13 | One card of thirteen is an ace, not two.
        0.903/52 - 51/52   | Suits do not matter: four aces in 52 cards are one in thirteen.
        0.0903 - 12/13     | The ace has the chance 1/13, not 1/10.
        0.903 - 1          | Weigh the two outcomes with their chances, 1/13 and 12/13.
        -1                 | The ace saves you: one card of thirteen makes 21.
        0.704              | That is the value of sticking.
        0.903 / 13 - 9/13  | Tens are four cards of thirteen: twelve cards lose, not nine.
        0.903 / 13 - 8/13  | Twelve cards of thirteen lose: 2 to 9, and the four that count 10.
        0.903 / 13 - 11/13 | The chances must sum to 1: one ace and twelve other cards.
        (0.903 - 11) / 12  | There are thirteen cards: one ace and twelve that lose.
        (0.903 - 12) / 12  | There are thirteen cards: one ace and twelve that lose.
        0.903 - 12         | That is a sum over the thirteen cards. Each of them has the chance 1/13.
        0.903 - 12 / 13    | The 21 has a chance too: one card of thirteen makes it.
        12/13 * 0.903 - 1/13 | The chances are exchanged: the ace, one card of thirteen, makes 21.
        -0.903 / 13 - 12/13 | 21 is worth +0.903: only the other twelve cards lose.
        0.903 / 2 - 1 / 2  | The two outcomes are not equally likely: 1/13 and 12/13.
        12 / 13            | That is the chance to lose. A value weighs what is paid, −1 and 0.903.
        1 / 13             | That is the chance of the ace. A value weighs what is paid, −1 and 0.903.
        (0.903 - 12 * 0.903) / 13 | Above 21 you lose the whole stake: −1, whatever 21 is worth.
        -9 / 10            | Tens are four cards of thirteen, so twelve cards lose, and the ace is worth 0.903.
        """),
    right="Right. Sticking is worth +0.704: this decision is not close.",
    explanation="Only the ace survives: (0.903 - 12) / 13 = -0.854.",
)  # fmt: skip

task("28.c", "Two digits",
    start="Put σ and the wanted error into (28.3). What is unknown?",
    hints=["0.96 / √N = 0.01.", "N = (0.96 / 0.01)². One visit takes 50 episodes."],
    visits=number("The number of visits", "(0.96 / 0.01)**2", to=1, say=error_of_visits, slips="""
        96             | The square is missing: N = (σ / error)², not σ / error.
        92.16          | Square the error, 0.01, as well: N = σ² / error².
        (1.96 * 0.96 / 0.01)**2 | That makes 1.96 standard errors 0.01. Asked is one.
        0.96 / 0.0001  | Square σ as well: N = σ² / error².
        960            | Square both, σ and the error: (0.96 / 0.01)².
        10000          | σ is 0.96, not 1: it counts, squared.
        4 * 9216       | That makes two standard errors 0.01. Asked is one.
        460800         | Those are the episodes. Asked first are the visits.
        480000         | Those are episodes, and σ is to be squared: N = σ² / error² visits.
        9216 / 50      | You divided by 50. The visits do not depend on how often the hand comes.
        0.96**2        | That is σ², the variance of one return. Divide it by the squared error.
        0.96 * 0.01    | Solve σ / √N = 0.01 for N: it is σ² / error².
        100            | That is one over the error. σ / √N = 0.01 gives N = (σ / 0.01)².
        2 * 9216       | One mean, one variance: no factor 2.
        (0.96 / 0.001)**2 | The error is 0.01, not 0.001.
        """),
    episodes=number("The number of episodes", "50 * (0.96 / 0.01)**2", to=50, say=visits_in, slips="""
        9216           | One of 50 episodes has the hand: the episodes are 50 times the visits.
        9216 / 50      | The other way: 50 episodes make one visit.
        50 * 96        | The square is missing: the visits are (0.96 / 0.01)².
        50**2 * 9216   | The 50 counts once: it turns visits into episodes.
        50 * 92.16     | Square the error as well: the visits are (0.96 / 0.01)².
        50 * 9600      | Square σ as well: the visits are (0.96 / 0.01)².
        50 * 4 * 9216  | That makes two standard errors 0.01. Asked is one.
        9216 * 0.98    | One of 50 has the hand: 1/50 of the episodes are the visits, so divide the visits by 0.02.
        49 * 9216      | 50 episodes bring one visit on average, that one included: times 50.
        51 * 9216      | 50 episodes bring one visit on average, that one included: times 50.
        50**0.5 * 9216 | The 50 stands outside the root of (28.3): episodes are 50 times the visits.
        """),
    right="Right. A third digit would cost a hundred times as much.",
    explanation="N = (0.96 / 0.01)^2 = 9216 visits, 50 times as many episodes: 460,800.",
)  # fmt: skip

task("28.d", "First and every",
    start="Write the return after each of the five steps. Which belong to X?",
    hints=["The returns are 11, 10, 8, 8, 5.", "X is visited at the steps 0, 2 and 3: 11, 8 and 8."],
    first=number("First visit", "1 + 2 + 0 + 3 + 5", to=0.006, say=lambda value:
        "First visit is one return, that of step 0. It sums what is paid from there to the end.", slips="""
        8      | That is the return after a later visit. The first visit is at the start of the episode.
        1      | That is the reward of the first step. The return adds all that follows.
        4      | You added what was paid in X. The return after X counts all later rewards, whoever earned them.
        9      | 9 is the mean over all visits of X. Asked here is the first visit alone.
        10     | 10 is the return after the second step, that of Y: it lacks the reward of the first one.
        6      | Z is paid 5 after X: that belongs to the return as well.
        3      | The return does not stop where X comes again: it runs to the end of the episode.
        11 / 5 | A return is the sum of the rewards, not their mean.
        11 / 3 | First visit divides by the episodes that contain X, here one, not by the visits.
        27     | Those are all three returns of X together. First visit takes one.
        5      | That is the return after the last step, in Z. X is visited first at the start.
        12     | The third reward is 0: the rewards sum to 11.
        """),
    every=number("Every visit", "((1 + 2 + 0 + 3 + 5) + (0 + 3 + 5) + (3 + 5)) / 3", to=0.006, say=sum_of_three,
        slips="""
        27      | That is the sum over the three visits. Take their mean.
        42 / 5  | That is the mean over all five steps. Only three of them are in X.
        27 / 5  | Divide by the visits of X, three, not by the steps.
        4 / 3   | Those are the rewards paid in X. Average returns: all that follows each visit.
        8       | 8 is the return after the later visits. Every visit averages all three of X, the first one too, and
            no other state.
        19 / 2  | X is visited three times, at the steps 0, 2 and 3: two equal returns count twice.
        11      | That is first visit alone.
        23 / 3  | The reward of its own step belongs to each return.
        4       | Z is paid 5 at the end: that belongs to every return.
        11 / 3  | The return does not stop where X comes again: it runs to the end of the episode.
        27 / 2  | X is visited three times: divide by three.
        27 / 4  | X is visited three times: divide by three.
        19 / 3  | Three visits, three returns: the second 8 counts as well.
        10      | That is the return after Y. Asked is the mean over the visits of X.
        29 / 3  | Those are the first three steps. X is visited at the steps 0, 2 and 3.
        37 / 4  | The return of Y is among them. X is visited at the steps 0, 2 and 3.
        10 / 3  | You added from the start. A return adds what comes after, to the end of the episode.
        5       | That is the return after the last step, in Z.
        11 / 5  | Average returns over the visits, not rewards over the steps.
        """),
    right="Right. The later visits have less time left to be paid: here they pull the mean down.",
    explanation="Returns 11, 10, 8, 8, 5. First visit of X: 11. All three: (11 + 8 + 8) / 3 = 9.",
)  # fmt: skip

task("28.e", "Enough visits",
    start="Which two variances add up, and what is squared?",
    hints=["Put the three numbers into (28.9).", "4 (0.5² + 1.2²) / 0.04²."],
    visits=number("The number of visits", "4 * (0.5**2 + 1.2**2) / 0.04**2", to=2, say=error_of_margin, slips="""
        (0.5**2 + 1.2**2) / 0.04**2        | That is a quarter of it. (28.9) makes the margin two standard errors,
            a factor 4 above the line; the margin itself enters as it is, squared.
        2 * (0.5**2 + 1.2**2) / 0.04**2    | That is half of it. Two standard errors, squared, are a factor 4, and
            the two variances are added, not averaged.
        4 * ((0.5 + 1.2) / 2)**2 / 0.04**2 | Square each standard deviation, then add: no mean of the two.
        4 * (0.5 * 1.2)**2 / 0.04**2       | Variances add; you multiplied them.
        1.96**2 * (0.5**2 + 1.2**2) / 0.04**2 | (28.9) takes two standard errors, not 1.96.
        65                                 | The square is missing: N = 4 (σ₀² + σ₁²) / m².
        4 * (0.5 + 1.2) / 0.04**2          | Variances add, not standard deviations: square 0.5 and 1.2.
        4 * (0.5 + 1.2)**2 / 0.04**2       | Square each, then add: variances of independent means add.
        4 * (0.5**2 + 1.2**2) / 0.04       | The margin is squared, and so is each standard deviation.
        4 * 0.5**2 / 0.04**2                 | Both actions are uncertain: both variances count.
        4 * 1.2**2 / 0.04**2                 | Both actions are uncertain: both variances count.
        400 * 4 * (0.5**2 + 1.2**2) / 0.04**2 | Those are episodes of exploring starts. Asked are visits of
            each action.
        2 * 4 * (0.5**2 + 1.2**2) / 0.04**2 | Those are the visits of both actions together. Asked are those of
            each.
        4 * (1.2**2 - 0.5**2) / 0.04**2     | Variances of independent means add, also for a difference.
        4 * (1.2 - 0.5)**2 / 0.04**2        | The variances add, each squared by itself, also for a difference.
        4 * (0.5**2 + 1.2**2)**0.5 / 0.04**2 | You took the root of the summed variances and not that of the rest: N
            has variances above the line and the squared margin below.
        2 * (0.5**2 + 1.2**2) / 0.04        | N has squares throughout: the two variances, the square of two standard
            errors, and the squared margin.
        (0.5**2 + 1.2**2)**0.5 / 0.04       | That is σ over m. N is its square, times 4 for two standard errors.
        16 * (0.5**2 + 1.2**2) / 0.04**2    | That is four times too much: the 4 is the square of two standard errors
            already, and the margin enters whole, not halved.
        8 * 4 * (0.5**2 + 1.2**2) / 0.04**2 | The factor is 4, two standard errors squared, and it comes in once.
        4 * (0.5 + 1.2**2) / 0.04**2        | Square both standard deviations; 0.5 is not squared yet.
        4 * (0.5**2 + 1.2) / 0.04**2        | Square both standard deviations; 1.2 is not squared yet.
        4 * 2 * 1.2**2 / 0.04**2            | The actions have different variances: add the two, do not double one.
        4 * 2 * 0.5**2 / 0.04**2            | The actions have different variances: add the two, do not double one.
        4 * (0.5**2 + 1.2**2)               | The squared margin below the line is missing.
        200 * 4 * (0.5**2 + 1.2**2) / 0.04**2 | Those are episodes. Asked are visits of each action.
        """),
    right="Right. With half the margin it would be 16,900.",
    explanation="4 (0.25 + 1.44) / 0.0016 = 4225.",
)  # fmt: skip

task("28.f", "One soft step",
    start="Which action is best, and with which probability does the ε-greedy policy take it?",
    hints=["V_π weighs Q with π. The ε-greedy policy gives 0.1 to each action and 0.7 more to the best.",
           "0.2 · 2 + 0.3 · 6 − 0.5 · 3, and 0.1 · 2 + 0.8 · 6 − 0.1 · 3."],
    old=number("V of π", "0.2 * 2 + 0.3 * 6 + 0.5 * -3", to=0.006, say=outside, slips="""
        3.7   | The sign of the third action value: −3.
        5 / 3 | That is the plain mean. Weigh with π.
        6     | That is the best action value. V weighs all of them with π.
        5     | That is the sum of the values. V weighs each with its probability under π.
        -1.5  | That is the part of the third action alone. V adds all three, each weighed with π.
        -3    | That is the value of the action that π likes best. V weighs all three with π.
        1.8   | That is the part of the best action alone. V adds all three, each weighed with π.
        2.2   | The third action has the value −3 and the probability ½: its part is −1.5.
        0.7/3 | The probabilities of π sum to 1 already: nothing is divided by three.
        0.1 * 2 + 0.1 * 6 - 0.1 * 3 | ε has no part in V_π: weigh with π itself.
        0.3 * 2 + 0.2 * 6 - 0.5 * 3 | Each value has its own probability, in the order given: 0.2, 0.3, 0.5.
        """),
    new=number("The ε-greedy step", "0.1 * 2 + (1 - 0.3 + 0.1) * 6 + 0.1 * -3", to=0.006, say=weight_of_best,
        slips="""
        0.7 * 6 + 0.3 * 2 + 0.3 * -3  | The probabilities must sum to 1: ε is shared by all three actions, 0.1 each.
        0.7 * 6 + 0.1 * 2 + 0.1 * -3  | Your probabilities sum to 0.9: the best action explores too, 1 − ε + ε/3.
        0.7 * 6                       | The exploring part is 0.1 for each of the three actions; 0.7 comes on top of it.
        0.7 * 6 + 0.15 * 2 - 0.15 * 3 | ε is shared by all actions, the best one too: it has 1 − ε + ε/3.
        0.9 * 6 + 0.05 * 2 - 0.05 * 3 | The best action has 1 − ε + ε/3 = 0.8, each other one ε/3.
        0.7 * 6 + 0.3 * 2             | The ε-greedy probabilities are 0.1, 0.8 and 0.1: all three parts count.
        6                             | That is the greedy step. The policy must stay ε-soft.
        0.7 * 6 + 0.3 * (2 + 6 - 3)   | The exploring part is the mean, ε/3 times the sum, not ε times the sum.
        0.7 * 6 + 0.3 * 0.7           | Exploring takes all actions alike, not as π does.
        0.3 * 6 + 0.7 * 5 / 3         | ε and 1 − ε are exchanged.
        0.3 * 2 + 0.4 * 6 - 0.3 * 3   | Each other action has ε/3 = 0.1, not ε.
        0.1 * 2 + 0.1 * 6 - 0.8 * 3   | The best action is the one with the largest Q, not the one that π likes.
        0.5                           | That is the exploring part. The best action gets 0.7 more.
        0.8 * 6 + 0.2 * 2 - 0.2 * 3   | The other two share 1 − 0.8: 0.1 for each of them, not 0.2.
        4.7 / 0.7                     | That is how many times better the step is. Asked is its value.
        4.0                           | That is the gain. Asked is the value of the step itself.
        0.7                           | That is V of π again. The step draws its action from the ε-greedy policy.
        5 / 3                         | That is the plain mean, ε = 1. With ε = 0.3 the best action gets 0.7 more.
        5.3                           | The ε-greedy probabilities are 0.1, 0.8 and 0.1, and the third value is −3.
        0.3 * 6 + 0.35 * 2 - 0.35 * 3 | ε and 1 − ε are exchanged: the best action has 1 − ε + ε/3.
        0.85 * 6 + 0.15 * 2 - 0.15 * 3 | There are three actions, not two: ε/3 for each.
        0.8 * 6 + 0.2 * 5 / 3         | That is ε = 0.2, as in the text. Here ε = 0.3.
        0.8 * 6 + 0.1 * 2             | The third action explores as well: 0.1 times −3.
        0.8                           | That is the probability of the best action. Weigh the values with it.
        0.3 * 6                       | That is the part of the best action under π. The ε-greedy policy gives it 0.8.
        1                             | That is the number of the best action, or the sum of the probabilities. Asked
            is what the step is worth.
        0.8 * 2 + 0.1 * 6 - 0.1 * 3   | The best action is the second, with the value 6.
        0.7 * 0.7 + 0.3 * 6           | With 1 − ε the step takes the best action, with ε any of the three alike.
        0.7 * 0.7 + 0.3 * 5 / 3       | ε-greedy replaces π: with 1 − ε it takes the best action, not one of π's.
        4.7 + 0.7                     | That adds V of π. The step is worth its own mean of Q, which holds all that
            follows.
        4.7 / 3                       | The probabilities sum to 1 already: nothing is divided by three.
        """),
    right="Right. 4.7 is at least 0.7, as (28.11) promises.",
    explanation="0.4 + 1.8 - 1.5 = 0.7; 0.2 + 4.8 - 0.3 = 4.7.",
)  # fmt: skip

task("28.g", "The ratio of a hand",
    start="What would each target have done with 13, with 17 and with 20?",
    hints=["Three actions, each with b = ½. A target that surely takes the same action contributes 1 / ½.",
           "Below 20: 13 hit, 17 hit, 20 stick, all as played. Below 17: it would have stuck on 17."],
    rho=number("The first ratio", "(1 / 0.5)**3", to=0.0006, say=no_product, slips="""
        1      | The behaviour took these actions with probability ½ each: the target is likelier, by 2 a step.
        0.125  | That is b over π, upside down: π / b.
        2      | The ratio multiplies over all three actions, the last stick too.
        4      | There are three actions: hit, hit, stick.
        6      | The ratios multiply; you added them.
        16     | Three actions, three factors: the win is no action.
        0      | The target does what was played on all three hands: it hits on 13 and 17, and sticks on 20.
        3      | That is the sum of π's probabilities. Multiply the quotients π/b, one a step.
        1.5    | That is the sum of b's probabilities. Multiply the quotients π/b, one a step.
        0.5    | That is the probability of one action under b. The ratio is π/b, multiplied over three actions.
        0.25   | That is the probability of two actions under b. The ratio is π/b, multiplied over three actions.
        9      | Each factor is 1 / ½ = 2, and there are three of them: 2³.
        32     | Only the player's actions count, three of them: cards and dealer cancel.
        64     | Only the player's actions count, three of them, each once.
        -8     | A ratio of probabilities is never negative.
        """),
    other=number("The second ratio", "(1 / 0.5) * (0 / 0.5) * (1 / 0.5)", to=0.0006, say=no_product, slips="""
        8     | On 17 this target sticks; the player hit. One factor is 0.
        4     | On 17 this target sticks; the player hit. That factor is 0, and the product with it.
        2     | One factor is 0, so the product is 0: the target would never have played this hand.
        1     | One factor is 0, so the product is 0: the target would never have played this hand.
        0.125 | That is b over π, upside down; and one factor is 0.
        -1    | A ratio of probabilities is never negative. What would this target have done on 17?
        -8    | A ratio of probabilities is never negative. What would this target have done on 17?
        0.25  | Those are probabilities under b. And one factor is 0: what would this target have done on 17?
        0.5   | Those are probabilities under b. And one factor is 0: what would this target have done on 17?
        6     | The ratios multiply; you added them. What would this target have done on 17?
        3     | The ratios multiply; you added. What would this target have done on 17?
        4 / 3 | That is the mean of the factors 2, 0 and 2. They multiply.
        16    | On 17 this target sticks; the player hit. One factor is 0.
        float("inf") | π stands above the line: 0 over ½ is 0.
        """),
    right="Right. For the second target the whole hand, win and all, counts nothing.",
    explanation="2 · 2 · 2 = 8. The second target would have stuck on 17: a factor 0.",
)  # fmt: skip


def off_policy_estimates(ratios, returns):
    ratios, returns = np.asarray(ratios, dtype=float), np.asarray(returns, dtype=float)
    total = ratios.sum()
    ordinary = (ratios * returns).mean()
    if total == 0:
        return ordinary, 0.0, 0.0
    weighted = (ratios * returns).sum() / total
    return ordinary, weighted, total**2 / (ratios**2).sum()


def _visits(seed, n, share=0.5):
    rng = np.random.default_rng(seed)
    return np.where(rng.random(n) < share, rng.choice([0.36, 1.8, 3.24, 8.0], n), 0.0), rng.normal(1, 2, n).round(2)


def _array(got, wanted):
    """Return what came as an array of the wanted shape, or None."""
    try:
        got = np.asarray(got, dtype=float)
    except (TypeError, ValueError):
        return None
    return got if got.shape == np.shape(wanted) and np.isfinite(got).all() else None


def sums_of(case, got, wanted):
    """Return the sums of the first wrong case, beside the first wrong number."""
    ratios, returns = case
    if _array(got, wanted) is None:
        return None
    k = np.flatnonzero(~np.isclose(got, wanted))[0]
    shown = ", ".join(f"{r:g}" for r in ratios)
    return (
        f"Given the ratios {shown}: here N = {len(ratios)}, Σρ = {ratios.sum():.4g}, Σρ² = {(ratios**2).sum():.4g} and "
        f"ΣρG = {(ratios * returns).sum():.4g}. Your {['ordinary', 'weighted', 'effective'][k]} one is {got[k]:.4g}. "
        "Which of these sums should it divide by which?"
    )


task("28.h", "Both estimates", off_policy_estimates, complain=sums_of,
    cases=lambda: [
        (np.array([3.24, 0.36, 3.24, 0.04]), np.array([2.8, 1.0, 2.8, 0.0])),
        (np.array([2.0, 0.0, 4.0]), np.array([-1.0, 5.0, 0.5])),
        (np.array([3.24]), np.array([2.8])),
        (np.zeros(3), np.array([1.0, -1.0, 4.0])),
        (np.array([0.04, 0.2]), np.array([3.0, -1.0])),
        _visits(1, 12), _visits(2, 40, 0.9),
    ],
    what="The triple (ordinary, weighted, effective)",
    n=3,
    names=["ordinary", "weighted", "effective"],
    start="Which sum do the two estimates share, and what does each divide it by?",
    hints=[
        "Both begin with the sum of ratio times return. One divides by the number of visits, one by the sum of ratios.",
        "Where the sum of ratios is 0 there is nothing to divide by: return 0 for the second and the third number.",
    ],
    slips="""
        (ratios * returns).mean()               => (ratios * returns).sum() | The ordinary estimate is a mean: divide
            by the number of visits, zeros included.
        (ratios * returns).mean()               => (ratios * returns)[ratios > 0].mean() if total else 0.0 | Visits
            with ratio 0 count too: the ordinary estimate divides by all of them.
        (ratios * returns).sum() / total        => returns[ratios > 0].mean() | Without the ratios as weights this is
            the mean of what the behaviour earned.
        (ratios * returns).sum() / total        => (ratios * returns).mean() | That is the ordinary estimate again.
            Weighted divides by the sum of the ratios.
        (ratios * returns).mean()               => returns.mean() | The plain mean of the returns values the
            behaviour. Multiply each return by its ratio first.
        (ratios * returns).sum() / total        => (ratios * returns).sum() / returns.sum() | The weighted estimate
            divides by the sum of the ratios, not of the returns.
        if total == 0:                          => if False: | Where all ratios are 0 the quotients are 0/0. Return 0
            for both there.
        ordinary, weighted, total**2            => weighted, ordinary, total**2 | The order is ordinary, weighted,
            effective.
        total**2 / (ratios**2).sum()            => total / (ratios**2).sum() | The sum of ratios is squared in the
            effective number.
        total**2 / (ratios**2).sum()            => (ratios**2).sum() / total**2 | The effective number is upside down.
        total**2 / (ratios**2).sum()            => len(ratios) | That is the number of visits, N. The effective number
            squares the ratios before it sums them, in the denominator.
        total**2 / (ratios**2).sum() => len(ratios) ;; ordinary, 0.0, 0.0 => ordinary, 0.0, len(ratios) | That is the
            number of visits, N. The effective number squares the ratios before it sums them, in the denominator.
        total**2 / (ratios**2).sum()            => len(ratios) / (ratios**2).mean() | That takes the mean ratio as 1,
            which it is over many visits only. Here its sum is known: square it.
        total**2 / (ratios**2).sum()            => (ratios > 0).sum() | Those are the visits that count at all. Large
            ratios and small ones do not count alike.
        total**2 / (ratios**2).sum()            => total | That is the sum of the ratios. Square it, and divide by the
            sum of the squared ratios.
        (ratios * returns).mean() => returns.mean() ;; return ordinary, 0.0, 0.0 => return 0.0, 0.0, 0.0 | The plain
            mean of the returns values the behaviour. Multiply each return by its ratio first.
        (ratios * returns).mean() => (ratios * returns).sum() / (len(ratios) - 1) | The ordinary estimate divides by
            N: one less would make it too large.
        (ratios * returns).mean() => (ratios * returns).sum() / max(1, len(ratios) - 1) | The ordinary estimate divides
            by N: one less would make it too large.
        (ratios * returns).mean() => (ratios * returns).sum() / (len(ratios) + 1) | The ordinary estimate divides by N,
            the number of visits, not by one more.
        (ratios * returns).mean() => ratios.mean() | That is the mean ratio. The ordinary estimate is the mean of
            ratio times return.
        (ratios * returns).mean() => ratios.mean() * returns.mean() | Multiply each return by its own ratio, then take
            the mean: a product of two means is another thing.
        (ratios * returns).mean() => (returns / np.where(ratios > 0, ratios, 1)).mean() | Multiply by the ratio; you
            divided by it.
        (ratios * returns).sum() / total => (ratios * returns).mean() / total | That divides twice: by N and by the
            sum of the ratios. Divide the sum by the sum.
        (ratios * returns).sum() / total => (ratios * returns).sum() / (ratios**2).sum() | The weighted estimate
            divides by the sum of the ratios themselves, not of their squares.
        (ratios * returns).sum() / total => (ratios * returns).sum() / (ratios > 0).sum() | The weighted estimate
            divides by the sum of the ratios, not by how many of them are above 0.
        (ratios * returns).sum() / total => returns.sum() / total | The returns above the line need their ratios as
            weights, the same that are summed below it.
        (ratios * returns).sum() / total => returns.mean() | The weighted estimate weighs each return with its ratio;
            the plain mean values the behaviour.
        (ratios * returns).sum() / total => (ratios * returns).sum() / ratios.max() | The weighted estimate divides by
            the sum of the ratios, not by the largest.
        total**2 / (ratios**2).sum() => (ratios**2).sum() / (ratios**2).sum() | That is 1 whatever the ratios are: the
            square of the sum stands above the line, the sum of the squares below.
        total**2 / (ratios**2).sum() => (ratios * returns).sum()**2 / (ratios * returns @ (ratios * returns)) | The
            effective number asks about the ratios alone: the returns have no part in it.
        total**2 / (ratios**2).sum() => total**2 / len(ratios) | Below the line stands the sum of the squared ratios,
            not N.
        total**2 / (ratios**2).sum() => total**2 | Divide by the sum of the squared ratios.
        total**2 / (ratios**2).sum() => 1 / (ratios**2).sum() | That is right for ratios that sum to 1. These do not:
            the square of their sum stands above the line.
        total**2 / (ratios**2).sum() => len(ratios) / (ratios**2).sum() | Above the line stands the square of the
            ratios' sum, not N.
        total**2 / (ratios**2).sum() => len(ratios)**2 / (ratios**2).sum() | That takes the mean ratio as 1, which it
            is over many visits only. Here its sum is known: square it.
        total**2 / (ratios**2).sum() => total**2 / (ratios**2).sum() / len(ratios) | That is the effective share.
            Asked is the number: do not divide by N.
        total**2 / (ratios**2).sum() => total**2 / (ratios**2).mean() | Below the line stands the sum of the squared
            ratios, not their mean.
        total**2 / (ratios**2).sum() => total / ratios.max() | Compare with the squared ratios, not with the largest
            one: asked is (Σρ)² / Σρ².
        total**2 / (ratios**2).sum() => total / (ratios**2).sum()**0.5 | That is the root of the effective number.
        total**2 / (ratios**2).sum() => total**2 // (ratios**2).sum() | The effective number is no count: keep its
            fraction.
        total**2 / (ratios**2).sum() => np.exp(-sum(w * np.log(w) for w in ratios / total if w > 0)) | That comes from
            the entropy of the weights, another way to count. Asked is (Σρ)² / Σρ².
        total**2 / (ratios**2).sum() => total**2 / (ratios**2).sum() - 1 | Nothing is subtracted from (Σρ)² / Σρ².
        (ratios * returns).mean() => np.median(ratios * returns) | The ordinary estimate is the mean, not the median:
            large ratios are rare and decide.
        (ratios * returns).mean() => (ratios * returns).mean() / total if total else 0.0 | The ordinary estimate does
            not divide by the ratios' sum: that is the weighted one.
        (ratios * returns).mean() => (np.minimum(ratios, 1) * returns).mean() | You cut the ratios at 1. That makes the
            estimate biased: large ratios make up for what b does too rarely.
        (ratios * returns).sum() / total => (np.minimum(ratios, 1) * returns).sum() / np.minimum(ratios, 1).sum() | You
            cut the ratios at 1. Weigh with the ratios themselves.
        (ratios * returns).sum() / total => (ratios * returns).sum() / ratios.mean() | Divide by the sum of the ratios,
            not by their mean.
        (ratios * returns).sum() / total => (ratios**2 * returns).sum() / (ratios**2).sum() | The weights are the
            ratios, not their squares.
        (ratios * returns).sum() / total => (ratios * returns).sum() | Divide by the sum of the ratios.
        return ordinary, 0.0, 0.0 => return ordinary, 0.0, len(ratios) | Where all ratios are 0 no visit counts: the
            effective number is 0 there.
        return ordinary, 0.0, 0.0 => return ordinary, 0.0, 1.0 | Where all ratios are 0 no visit counts: the effective
            number is 0 there.
        return ordinary, 0.0, 0.0 => return ordinary, returns.mean(), 0.0 | Where all ratios are 0 the visits say
            nothing about the target: the weighted estimate is 0 there, by agreement.
        if total == 0: => if (ratios == 0).any(): | One ratio of 0 is no harm: only where all are 0 there is nothing to
            divide by.
        if total == 0: => if ratios[0] == 0: | Ask whether all ratios are 0, not whether the first one is.
        if total == 0: => if total < 1: | Ask whether all ratios are 0. A small sum is no reason to give up.
        ordinary, weighted, total**2 / (ratios**2).sum() => ordinary, total**2 / (ratios**2).sum(), weighted | The
            order is ordinary, weighted, effective.
        ordinary, weighted, total**2 / (ratios**2).sum() => total**2 / (ratios**2).sum(), ordinary, weighted | The
            order is ordinary, weighted, effective.
        ordinary, weighted, total**2 / (ratios**2).sum() => ordinary, weighted | The third number is missing: the
            effective number of visits.
        ordinary, weighted, total**2 / (ratios**2).sum() => ordinary, weighted ;; ordinary, 0.0, 0.0 => ordinary, 0.0 |
            The third number is missing: the effective number of visits.
        """,
    right="Right. Run the next cell: your function values a player who never played.",
    explanation="ordinary = mean(ρ G), weighted = sum(ρ G) / sum(ρ), effective = sum(ρ)² / sum(ρ²).",
)  # fmt: skip

task("28.i", "Where the variance ends",
    start="For which β does the series in (28.18) converge?",
    hints=[
        "It is a geometric series with the quotient p/β.",
        "(1 − 0.7) / (0.8 − 0.7) is the mean square; the mean is 1.",
    ],
    limit=number("The limit of β", "0.7", to=0.0006, say=quotient_at, slips="""
        0.9  | That is the p of the text. Here p = 0.7.
        0.49 | The quotient of the series is p/β: it is below 1 where β is above p itself.
        0.3  | That is 1 − p. The quotient of the series is p/β.
        0.8  | That is the β of the second question. Asked is the limit.
        0.875 | That is the quotient p/β at β = 0.8. At the limit it is 1.
        1    | β = 1 is on-policy, with no spread at all. The variance is finite for smaller β already.
        0.5  | The quotient of the series is p/β = 1.4 at β = 0.5: it diverges.
        0.7**0.5 | The quotient of the series is p/β, with β itself: one β of the squared ratio cancels with b.
        1 / 0.7 | β is a probability. The quotient p/β is 1 at the limit.
        0.35 | The quotient of the series is p/β, not p/(2β).
        0    | At small β the quotient p/β is above 1, and the series diverges.
        0.95 | That is where the explorer opens. Asked is the limit for p = 0.7.
        """),
    variance=number("The variance", "(1 - 0.7) / (0.8 - 0.7) - 1", to=0.006, say=mean_square_of, slips="""
        3        | That is the mean square of ρG. The variance is less by the squared mean, 1.
        0.3/0.8  | The series has the quotient 0.7/0.8: its sum is 8.
        2**0.5   | That is the standard deviation. Asked is the variance.
        1        | Put p = 0.7 and β = 0.8 into (28.18), with 1 − p above the line, and subtract the squared mean, 1,
            once. (1 is the squared mean itself, and the variance for 0.9 and 0.95.)
        0.875    | That is the quotient p/β of the series.
        8        | 8 is the sum of the series alone. With (1 − p)/β before it, it makes the mean square, 3.
        7        | 7 comes with p or β above the line. There stands 1 − p, and then the squared mean is subtracted.
        -1       | A variance is not negative. Here p = 0.7, below β.
        -2       | A variance is not negative. Here p = 0.7, below β.
        3 - 0.49 | The mean of ρG is V = 1: subtract 1.
        6        | Above the line stands 1 − p, not p.
        4        | The squared mean is subtracted, not added.
        2.4      | The factor before the series is (1 − p)/β: the 1/β is missing, and the squared mean is not
            subtracted yet.
        1.4      | The factor before the series is (1 − p)/β: the 1/β is missing.
        3 / 0.8  | The 1/β before the series is in (28.18) already; and the squared mean is not subtracted yet.
        3 / 0.8 - 1 | The 1/β before the series is in (28.18) already.
        float("inf") | At β = 0.8, above p = 0.7, the series has the quotient 0.875: it converges.
        10       | Above the line stands 1 − p, not 1; and the squared mean is subtracted.
        9        | Above the line stands 1 − p, not 1.
        30       | Below the line β − p stands once, not squared; and the squared mean is subtracted.
        29       | Below the line β − p stands once, not squared. (29 is the variance at β = 0.71.)
        1 / 3    | The quotient is upside down; and the squared mean is subtracted.
        1 / 3 - 1 | The quotient is upside down: (1 − p) stands above the line.
        -3       | A variance is not negative. Below the line stands β − p, 0.1.
        -4       | A variance is not negative. Below the line stands β − p, 0.1.
        0        | ρG is 0 or large: it has a spread. Only with β = 1 the variance is 0.
        0.25     | That is the variance of one factor, 1/β − 1. ρ multiplies one for each left, and their number is
            random.
        3**0.5   | That is the root of the mean square. Subtract the squared mean from it, and take no root.
        """),
    right="Right. At β = 0.75 it would be 5, at 0.71 already 29.",
    explanation="Finite for β > p = 0.7. At 0.8: 0.3 / 0.1 - 1 = 2.",
)  # fmt: skip


def soft_policy(q, epsilon):
    q = np.asarray(q, dtype=float)
    top = q == q.max()
    p = np.full(len(q), epsilon / len(q))
    p[top] += (1 - epsilon) / top.sum()
    return p


def no_policy(case, got, wanted):
    """Return which property of an ε-greedy policy the probabilities lack."""
    q, epsilon = case
    p = _array(got, wanted)
    if p is None:
        return None
    given = f"Given q = {np.asarray(q).tolist()}, epsilon = {epsilon:g}:"
    if abs(p.sum() - 1) > 1e-6:
        return f"{given} your probabilities sum to {p.sum():.4g}, not to 1."
    top = q == np.max(q)
    if np.ptp(p[top]) > 1e-6:
        shown = f"{p[top].min():.3g} and {p[top].max():.3g}"
        return f"{given} equally good best actions are equally likely; yours have {shown}."
    a = np.flatnonzero(~np.isclose(p, wanted) & ~top)
    return (
        f"{given} action {a[0]} is not best and gets only its share of ε; yours gets {p[a[0]]:.4g}." if len(a) else None
    )


task("28.1", "ε-greedy, with ties", soft_policy, complain=no_policy,
    cases=[
        (np.array([1.0, 3.0]), 0.2),
        (np.array([2.0, 6.0, -3.0]), 0.3),
        (np.array([0.5, -2.0, 0.5, 0.1]), 0.4),
        (np.array([-3.0, -1.0, -1.0, -1.0, -7.0]), 0.1),
        (np.array([1.0, 2.0, 0.0]), 0.0),
        (np.array([1.0, 2.0, 0.0]), 1.0),
        (np.array([0.0, 0.0]), 0.5),
        (np.array([1, 3, 3, 2]), 0.2),
        (np.array([0.7, 0.699, 0.2]), 0.3),
        (np.array([4.0]), 0.3),
    ],
    what="The policy",
    start="How much does every action get, and what is left for the best ones?",
    hints=[
        "Every action gets ε/A. What remains is 1 − ε.",
        "The best actions share 1 − ε: divide it by how many there are.",
    ],
    slips="""
        epsilon / len(q)) => 0.0) | The exploring part is missing: each action gets ε/A.
        epsilon / len(q)) => epsilon) | The exploring part is shared: ε/A for each action.
        (1 - epsilon) / top.sum() => 1 - epsilon | Two best actions each get the whole greedy part: the sum is above 1.
        p[top] += (1 - epsilon) / top.sum() => p[q.argmax()] += 1 - epsilon | Only the first of several best actions
            gets the greedy part. They share it.
        p[top] += => p[top] = | The best actions explore too: they get ε/A besides their share of 1 − ε.
        epsilon / len(q)) => epsilon / max(1, len(q) - top.sum())) ;; p[top] += => p[top] = | ε is shared by all
            actions, the best ones too.
        epsilon / len(q)) => epsilon / max(1, len(q) - 1)) ;; p[top] += => p[top] = | ε is shared by all A actions,
            the best ones too: each gets ε/A.
        epsilon / len(q)) => 0.0) ;; (1 - epsilon) / top.sum() => 1 / top.sum() | That is the greedy policy: it never
            explores.
        epsilon / len(q)) => 0.0) ;; p[top] += (1 - epsilon) / top.sum() => p[q.argmax()] += 1 | That is the greedy
            policy: it never explores.
        q = np.asarray(q, dtype=float) => kind = np.asarray(q).dtype ;; return p => return p.astype(kind) |
            Probabilities are no whole numbers: where q holds integers, your probabilities took over their type.
        epsilon / len(q)) => 1 / len(q)) ;; (1 - epsilon) / top.sum() => 0 | Every action has the same probability:
            the values do not enter.
        p[top] += (1 - epsilon) / top.sum() => p[len(q) - 1 - q[::-1].argmax()] += 1 - epsilon | Only the last of
            several best actions gets the greedy part. They share it.
        epsilon / len(q)) => epsilon / 2) | ε is shared by all A actions; there need not be two.
        epsilon / len(q)) => epsilon / 3) | ε is shared by all A actions; there need not be three.
        q == q.max() => q > q.max() - 0.01 | Values that are nearly the largest are no ties: only equal ones share.
        q.max() => q.min() | Those are the worst actions: take the largest value.
        (1 - epsilon) / top.sum() => (1 - epsilon) / len(q) | The greedy part is shared by the best actions alone, not
            by all.
        (1 - epsilon) / top.sum() => 1 - epsilon ;; return p => return p / p.sum() | The best actions share 1 − ε.
            Dividing everything by the sum afterwards takes from the exploring part as well: it is ε/A for each.
        p[top] += (1 - epsilon) / top.sum() => p[top] = (1 - epsilon + epsilon / len(q)) / top.sum() | Several best
            actions share 1 − ε only; ε/A is for each of them, and you shared that too.
        epsilon / len(q)) => epsilon / max(1, len(q) - top.sum())) ;; p[top] += => p[top] = ;; return p => return p /
            p.sum() | ε is shared by all actions, the best ones too.
        epsilon / len(q)) => epsilon / max(1, len(q) - 1)) | ε is shared by all A actions, not by A − 1: the sum is
            above 1.
        epsilon / len(q)) => (1 - epsilon) / len(q)) ;; (1 - epsilon) / top.sum() => epsilon / top.sum() | ε is for
            exploring, 1 − ε for the best actions; you exchanged them.
        q == q.max() => q == max(0.0, q.max()) | Your search for the best begins at 0: where all values are negative,
            no action is best. Begin with the first value.
        q == q.max() => np.abs(q) == np.abs(q).max() | Compare the values with their signs: −3 is less than 2.
        q == q.max() => q >= q.mean() | Only the largest value is greedy; you take all above the mean.
        q == q.max() => q > 0 | Only the largest value is greedy; you take all above 0.
        q == q.max() => q != q.max() | The greedy part went to all but the best actions.
        p[top] += (1 - epsilon) / top.sum() => p += (1 - epsilon) * np.exp(q) / np.exp(q).sum() | That is a softmax:
            the greedy part goes to the best actions only, however near the others are.
        p[top] += (1 - epsilon) / top.sum() => p = np.exp(q) / np.exp(q).sum() | That is a softmax of the values. The
            ε-greedy policy looks only at which is largest.
        p[top] += (1 - epsilon) / top.sum() => p = np.exp(q / epsilon) / np.exp(q / epsilon).sum() | That is a softmax
            with ε as temperature. The ε-greedy policy looks only at which value is largest.
        p[top] += (1 - epsilon) / top.sum() => p += (1 - epsilon) * q / q.sum() | The greedy part is not shared in
            proportion to the values: the best actions get all of it.
        p[top] += (1 - epsilon) / top.sum() => p[top] += (1 - epsilon) / min(2, top.sum()) | There may be more than two
            best actions: count them.
        return p => return int(q.argmax()) | That is the best action. Asked is the probability of each action.
        return p => return p[q.argmax()] | That is the probability of the best action. Asked are those of all actions.
        return p => return p @ q | That is the value of the step. Asked are the probabilities.
        return p => return p.cumsum() | Those are running sums. Asked is the probability of each action.
        return p => return np.sort(p) | Leave the probabilities in the order of the actions: you sorted them.
        return p => return top / top.sum() if top.sum() > 1 else p | Where several actions tie you stop exploring:
            ε/A stays for each.
        return p => return np.full(len(q), 1 / len(q)) if top.sum() > 1 else p | A tie is no reason to take all actions
            alike: the best ones share the greedy part.
        return p => return p / p.max() | Do not divide by the largest: probabilities sum to 1.
        epsilon / len(q)) => epsilon / (len(q) + 1)) | There are A actions: ε/A for each, not ε/(A + 1).
        epsilon / len(q)) => epsilon / len(np.unique(q))) | ε is shared by all actions: equal values are several
            actions.
        epsilon / len(q)) => epsilon / top.sum()) | ε is shared by all actions, not by the best ones.
        p[top] += (1 - epsilon) / top.sum() => p[top] = (1 - epsilon - epsilon / len(q)) / top.sum() | The best actions
            get ε/A besides their share of 1 − ε; you subtracted it.
        p[top] += (1 - epsilon) / top.sum() => p[np.argsort(q)[-2:]] += (1 - epsilon) / 2 | You take the two largest.
            Only actions with the largest value share the greedy part.
        p[top] += (1 - epsilon) / top.sum() => p[top] += (1 - epsilon) / (top.sum() + 1) | Divide by how many best
            actions there are, not by one more.
        p[top] += (1 - epsilon) / top.sum() => p[top] += 1 / top.sum() | What is left for the best is 1 − ε, not 1.
        """,
    right="Right. Every action keeps a chance, and ties are no matter of order.",
    explanation="epsilon / A for each action, and (1 - epsilon) shared by those with the largest value.",
)  # fmt: skip


def learn_episode(Q, N, states, actions, rewards, gamma):
    Q, N = np.array(Q, dtype=float), np.array(N)
    G, pairs = 0.0, list(zip(states, actions))
    for t in range(len(pairs) - 1, -1, -1):
        G = rewards[t] + gamma * G
        if pairs[t] not in pairs[:t]:
            N[pairs[t]] += 1
            Q[pairs[t]] += (G - Q[pairs[t]]) / N[pairs[t]]
    return Q, N


def _before(seed, S, A):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(S, A)).round(2), rng.integers(1, 6, (S, A))


def moved_by(case, got, wanted):
    """Return what the first wrong pair did, and the return that its move would need."""
    Q, N, states, actions, rewards, gamma = case
    if len(got) != 2 or _array(got[0], Q) is None or _array(got[1], N) is None:
        return None
    pairs, (new, counts) = list(zip(states, actions)), map(np.asarray, got)
    given = f"Given states = {states}, actions = {actions}, rewards = {rewards}, gamma = {gamma:g}:"
    for s, a in np.argwhere(~np.isclose(counts, wanted[1])):
        met = "was met: it counts one visit more" if (s, a) in pairs else "was not met: its count stays"
        return f"{given} the pair ({s}, {a}) {met}. Yours went from {N[s, a]} to {counts[s, a]:g}."
    s, a = np.argwhere(~np.isclose(new, wanted[0]))[0]
    if (s, a) not in pairs:
        return f"{given} the pair ({s}, {a}) was not met: its mean stays. Yours moved."
    moved = Q[s, a] + (new[s, a] - Q[s, a]) * (N[s, a] + 1)
    return (
        f"{given} the pair ({s}, {a}) is met first at step {pairs.index((s, a))}. Its mean, so far of {N[s, a]} "
        f"returns, went from {Q[s, a]:g} to {new[s, a]:.4g}, as if the return there were {moved:.4g}. Is it?"
    )


task("28.2", "One episode of control", learn_episode, complain=moved_by,
    cases=lambda: [
        (np.zeros((2, 2)), np.zeros((2, 2), int), [0, 1], [1, 0], [1.0, 2.0], 0.5),
        (np.zeros((2, 2)), np.zeros((2, 2), int), [0, 0, 1, 0], [1, 1, 0, 1], [1.0, 2.0, 3.0, 4.0], 1.0),
        (*_before(1, 3, 2), [2, 0, 2, 2, 1, 0], [1, 0, 0, 1, 1, 1], [1.0, -1.0, 2.0, 0.5, 3.0, -2.0], 0.9),
        (*_before(2, 2, 3), [1, 1, 1, 0], [2, 0, 2, 2], [5.0, 0.0, -1.0, 1.0], 0.8),
    ],
    what="The pair (Q, N)",
    n=2,
    names=["Q", "N"],
    start="In which direction does one walk through the episode, and when does a pair count?",
    hints=[
        "Go backwards with G = R + γ G. A pair counts if it does not stand earlier in the episode.",
        "First N[s, a] += 1, then Q[s, a] += (G - Q[s, a]) / N[s, a], on copies of the arrays.",
    ],
    slips="""
        if pairs[t] not in pairs[:t]: => if True: | You count every visit of a pair. Asked are first visits.
        if pairs[t] not in pairs[:t]: => if pairs[t] not in pairs[t + 1:]: | You keep the last visit of each pair.
            The first one is asked for.
        if pairs[t] not in pairs[:t]: => if states[t] not in states[:t]: | You look at states. Another action in the
            same state is another pair.
        if pairs[t] not in pairs[:t]: => if pairs.count(pairs[t]) == 1: | You leave out pairs that repeat. Their
            first visit counts.
        G = rewards[t] + gamma * G => G = gamma * (rewards[t] + G) | The reward of its own step is not discounted.
        G = rewards[t] + gamma * G => G = rewards[t] + G | The discount is missing: G = R + γ G.
        (G - Q[pairs[t]]) / N[pairs[t]] => (G - Q[pairs[t]]) / (N[pairs[t]] + 1) | Count first, then divide by the
            new count, not by one more.
        (G - Q[pairs[t]]) / N[pairs[t]] => G / N[pairs[t]] | Move by the error G − Q, not by G.
        range(len(pairs) - 1, -1, -1) => range(len(pairs)) | You run forwards: a return collects what comes after its
            step, so G must come from the end.
        range(len(pairs) - 1, -1, -1) => range(len(pairs) - 1, 0, -1) | The walk ends one step early: the first step
            of the episode, t = 0, is left out.
        G = rewards[t] + gamma * G => G = rewards[-1] | The last reward is the return only where nothing else is paid
            and γ = 1, as in blackjack.
        G = rewards[t] + gamma * G => G = rewards[t] + gamma * G if pairs[t] not in pairs[:t] else G | A later visit
            of a pair is not averaged, but its reward belongs to the returns before it: move G first, then ask.
        (G - Q[pairs[t]]) / => ((G - rewards[t]) / gamma - Q[pairs[t]]) / | The reward of its own step is missing:
            move G first, then the mean.
        (G - Q[pairs[t]]) / => (gamma**t * G - Q[pairs[t]]) / | A return counts its own next reward in full; you
            discount from the start of the episode.
        Q[pairs[t]] += (G - Q[pairs[t]]) / N[pairs[t]] => Q[pairs[t]] += G | Those are sums of returns. Move the mean
            by a share of the error.
        N[pairs[t]] += 1 => N[pairs[t]] += 0 ;; / N[pairs[t]] => / (N[pairs[t]] + 1) | The counts must grow as well:
            N + 1 for each pair that is met.
        return Q, N => return N, Q | The order is Q, N.
        N[pairs[t]] += 1 => N[pairs[t]] += 1; old = N[pairs[t]] - 1 ;; / N[pairs[t]] => / old | Divide by the count that
            includes this visit: count first, then move the mean.
        N[pairs[t]] += 1 => N[pairs[t]] += 1; old = max(1, N[pairs[t]] - 1) ;; / N[pairs[t]] => / old | Divide by the
            count that includes this visit: count first, then move the mean.
        Q[pairs[t]] += (G - Q[pairs[t]]) / N[pairs[t]] => Q[pairs[t]] = G | You replace the mean by the newest return.
            What was learnt before has the weight N − 1 of N.
        Q[pairs[t]] += (G - Q[pairs[t]]) / N[pairs[t]] => Q[pairs[t]] = G / N[pairs[t]] | The old mean is lost: move it
            by a share of the error G − Q.
        Q[pairs[t]] += (G - Q[pairs[t]]) / N[pairs[t]] => Q[pairs[t]] = (Q[pairs[t]] + G) / 2 | Half old, half new is
            the mean of two returns only. The share of the new one is 1/N.
        Q[pairs[t]] += (G - Q[pairs[t]]) / N[pairs[t]] => Q[pairs[t]] = max(Q[pairs[t]], G) | You keep the best return
            ever seen. A value is the mean.
        Q[pairs[t]] += (G - Q[pairs[t]]) / N[pairs[t]] => Q[pairs[t]] += G - Q[pairs[t]] if N[pairs[t]] == 1 else 0 |
            Pairs that were met in earlier episodes learn from this one too.
        (G - Q[pairs[t]]) / N[pairs[t]] => (Q[pairs[t]] - G) / N[pairs[t]] | The error is the other way round: the mean
            moves towards the return.
        / N[pairs[t]] => * 0.1 | A constant step never becomes a mean: the share of the new return is 1/N.
        / N[pairs[t]] => / len(pairs) | Divide by the count of this pair, not by the length of the episode.
        / N[pairs[t]] => / N[states[t]].sum() | Divide by the count of the pair, not by that of the state.
        / N[pairs[t]] => / N.sum() | Divide by the count of this pair, not by all counts.
        / N[pairs[t]] => * gamma / N[pairs[t]] | The discount belongs to the return, not to the step of the mean.
        (G - Q[pairs[t]]) / => (rewards[t] - Q[pairs[t]]) / | You average the next reward. The return adds, with
            discount, all that follows it.
        (G - Q[pairs[t]]) / => (sum(gamma**k * r for k, r in enumerate(rewards)) - Q[pairs[t]]) / | Every pair got the
            return of the whole episode. Its own begins at its own step.
        (G - Q[pairs[t]]) / => (sum(rewards) - Q[pairs[t]]) / | Every pair got the sum of all rewards. Its return
            begins at its own step, and is discounted.
        G = rewards[t] + gamma * G => G = rewards[t] + gamma * (Q[states[t + 1]].max() if t + 1 < len(pairs) else 0) |
            That guesses the rest by the largest Q of the next state. Monte Carlo adds what was really paid.
        G = rewards[t] + gamma * G => G = rewards[t] + gamma * (Q[pairs[t + 1]] if t + 1 < len(pairs) else 0) | That
            guesses the rest by the next pair's Q. Monte Carlo adds what was really paid.
        G = rewards[t] + gamma * G => G = G + gamma**(len(pairs) - 1 - t) * rewards[t] | The discounts are the wrong way
            round: the own reward counts in full, the last one least.
        Q, N = np.array(Q, dtype=float), np.array(N) => Q, N = np.zeros(np.shape(Q)), np.zeros(np.shape(N)) | You start
            from zeros: the means and counts so far are given, and this episode is added to them.
        Q, N = np.array(Q, dtype=float), np.array(N) => Q, N = np.zeros(np.shape(Q)), np.array(N) | You start from
            Q = 0: the means so far are given, and this episode moves them.
        Q[pairs[t]] += (G - Q[pairs[t]]) / N[pairs[t]] => Q[pairs[t]] = (1 - 1 / N[pairs[t]]) * Q[pairs[t]] + G | The
            old mean has the weight 1 − 1/N, so the new return has 1/N, not 1.
        Q[pairs[t]] += (G - Q[pairs[t]]) / N[pairs[t]] => Q[pairs[t]] = (Q[pairs[t]] + G) / N[pairs[t]] | The old mean
            stands for N − 1 returns: weigh it with N − 1 before you add and divide.
        Q[pairs[t]] += (G - Q[pairs[t]]) / N[pairs[t]] => Q[states[t]] += (G - Q[states[t]]) / N[pairs[t]] | You move
            all actions of the state. Only the pair that was met learns.
        (G - Q[pairs[t]]) / => (G / (len(pairs) - t) - Q[pairs[t]]) / | You divide the return by the steps that are
            left. A return is a sum, not a mean.
        (G - Q[pairs[t]]) / N[pairs[t]] => (G - Q[pairs[t]]) / N[pairs[t]]**0.5 | The share of the new return is 1/N,
            not 1/√N.
        G = rewards[t] + gamma * G => G = (rewards[t - 1] if t else 0) + gamma * G | The rewards are one step off:
            rewards[t] is paid for the action of step t.
        G = rewards[t] + gamma * G => G = rewards[t] + gamma**2 * G | One step back is one discount: γ, not γ².
        G = rewards[t] + gamma * G => G = rewards[t] - gamma * G | What follows is added, not subtracted.
        G = rewards[t] + gamma * G => G = rewards[t] * gamma**t | That is one discounted reward. A return adds all that
            follow.
        G = rewards[t] + gamma * G => G = rewards[t] + (gamma if pairs[t] not in pairs[:t] else 1) * G | Every step
            discounts, also a later visit of a pair.
        if pairs[t] not in pairs[:t]: => if G > 0 and pairs[t] not in pairs[:t]: | Returns that are not positive count
            as well.
        if pairs[t] not in pairs[:t]: => if not any(pairs[k] in pairs[:k] for k in range(t, len(pairs))): | You stop at
            the first repeated pair. Leave that visit out and go on.
        N[pairs[t]] += 1 => N[pairs[t]] += 2 | A first visit adds one to the count.
        return Q, N => return Q.argmax(axis=1), N | That is the greedy policy. Asked are the means Q themselves.
        Q, N = np.array(Q, dtype=float), np.array(N) => Q, N = np.array(Q, dtype=float), np.zeros(np.shape(N)) | You
            start counting at 0: the counts so far are given, and each first visit adds one.
        np.array(Q, dtype=float) => np.array(Q, dtype=int) | The copy of Q holds whole numbers: the digits are cut off.
            Copy it as floats.
        N[pairs[t]] += 1 => N[states[t]] += 1 | You count all actions of the state. Only the pair that was met counts.
        N[pairs[t]] += 1 => N[pairs[t]] += pairs.count(pairs[t]) | You count every visit of a pair. Asked are first
            visits.
        N[pairs[t]] += 1 => N[pairs[t]] = 1 | The counts so far are lost: each first visit adds one to them.
        range(len(pairs) - 1, -1, -1) => range(len(pairs) - 2, -1, -1) | The last step of the episode is left out: its
            reward is paid, and its pair was met.
        if pairs[t] not in pairs[:t]: => if pairs[t] not in pairs[max(0, t - 1):t]: | You compare with the step just
            before. A pair may come back later: look at all earlier steps.
        if pairs[t] not in pairs[:t]: => if actions[t] not in actions[:t]: | You look at actions. The same action in
            another state is another pair.
        if pairs[t] not in pairs[:t]: => if pairs[t] not in pairs[1:t]: | The very first step is not compared: a pair
            that began the episode counts once.
        if pairs[t] not in pairs[:t]: => if pairs[t] in pairs[:t]: | That is the opposite: a visit is the first where
            the pair does not stand before it.
        if pairs[t] not in pairs[:t]: => if states[t] not in states[:t] and actions[t] not in actions[:t]: | State and
            action count together: a pair is new unless this action was taken in this state before.
        list(zip(states, actions)) => list(zip(actions, states)) | State first, then action: Q and N have a row for
            each state.
        return Q, N => return Q | Return both arrays, the means and the counts.
        """,
    right="Right. With a greedy choice and a random start around it, this is exploring starts.",
    explanation="Backwards, G = R + gamma G; at the first visit of a pair count it and move its mean by (G - Q) / N.",
)  # fmt: skip


def ordinary_values(states, actions, rewards, pi, b, gamma, n_states):
    found, G, rho = np.zeros(n_states), 0.0, 1.0
    for t in range(len(states) - 1, -1, -1):
        s, a = states[t], actions[t]
        G = rewards[t] + gamma * G
        rho = rho * pi[s][a] / b[s][a]
        found[s] = rho * G
    return found


PI0 = np.array([[0.1, 0.9], [0.0, 1.0], [0.4, 0.6]])
PI3, B3 = np.array([[0.1, 0.9], [0.7, 0.3], [0.4, 0.6]]), np.array([[0.5, 0.5], [0.2, 0.8], [0.6, 0.4]])


def ratio_or_return(case, got, wanted):
    """Return how the product of the first wrong state would come about."""
    states, actions, rewards, pi, b, gamma, _ = case
    if _array(got, wanted) is None:
        return None
    s = int(np.flatnonzero(~np.isclose(got, wanted))[-1])
    if s not in states:
        return f"Given states = {states}: state {s} was not visited, so it has 0; yours has {got[s]:.4g}."
    t = states.index(s)
    G = sum(gamma**k * r for k, r in enumerate(rewards[t:]))
    rho = np.prod([pi[i][j] / b[i][j] for i, j in zip(states[t:], actions[t:])])
    return (
        f"Given states = {states}, actions = {actions}, rewards = {rewards}, gamma = {gamma:g}: state {s} comes "
        f"first at step {t}. From there ρ = {rho:.4g} and G = {G:.4g}; your product is {got[s]:.4g}. "
        "Which of the two differs?"
    )


task("28.3", "Off policy, every state", ordinary_values, complain=ratio_or_return,
    cases=lambda: [
        ([0, 1], [1, 1], [1.0, 2.0], np.array([[0.1, 0.9]] * 2), np.full((2, 2), 0.5), 0.9, 2),
        ([0, 1, 0, 2], [1, 0, 0, 1], [1.0, -2.0, 0.5, 3.0], PI3, B3, 0.8, 3),
        ([2, 2, 2, 1], [0, 1, 1, 0], [0.0, 1.0, 4.0, -1.0], PI3, B3, 1.0, 3),
        ([1], [1], [2.5], PI3, B3, 0.5, 3),
        ([1, 0, 1], [0, 1, 1], [1.0, 2.0, 3.0], PI3, B3, 0.5, 3),
        ([0, 1, 0], [1, 0, 0], [1.0, 2.0, 3.0], PI0, B3, 0.9, 3),
        ([2, 1, 0], [1, 0, 1], [2.0, -1.0, 4.0], PI0, B3, 0.9, 3),
    ],
    what="The array of products ρG",
    start="Which steps belong to the ratio of a visit at step t?",
    hints=[
        "Backwards: G = R + γ G, and ρ times π/b of this step. ρ of a state's value includes its own action.",
        "Walk from the end to the start and overwrite: what remains at the end is the first visit.",
    ],
    slips="""
        rho = rho * pi[s][a] / b[s][a] => rho = rho * b[s][a] / pi[s][a] | The ratio is upside down: π over b.
        rho = rho * pi[s][a] / b[s][a] => rho = pi[s][a] / b[s][a] | The ratios of all later steps multiply; you kept
            one.
        G = rewards[t] + gamma * G => G = rewards[t] + gamma * rho * G | The ratio enters the return again and again.
            Keep G and ρ apart, and multiply at the end.
        G = rewards[t] + gamma * G => G = rewards[t] + G | The discount is missing: G = R + γ G.
        found[s] = rho * G => found[s] += rho * G | You add all visits. Asked is the first one.
        found[s] = rho * G => found[s] = found[s] or rho * G | You keep the last visit of a state. Asked is the first
            one.
        found[s] = rho * G => found[s] = rho * G if rho else found[s] | A ratio of 0 makes the product 0: write it
            too, or a later visit of the same state is left standing.
        rho = rho * pi[s][a] / b[s][a] => rho = rho * (pi[s][a] / b[s][a] or 1) | An action that π never takes makes
            the whole ratio 0. You leave its factor out.
        rho = rho * pi[s][a] / b[s][a] => rho = rho + pi[s][a] / b[s][a] | Ratios multiply along an episode; you add
            them.
        found[s] = rho * G => found[s] = np.prod([pi[i][j] / b[i][j] for i, j in zip(states, actions)]) * G | You
            take the ratio of the whole episode. It runs from the visit to the end: what came before it is settled.
        found[s] = rho * G => found[s] = np.prod([pi[i][j] / b[i][j] for i, j in zip(states[:t + 1], actions)]) * G |
            Your ratio runs from the start up to the visit. It runs from the visit to the end.
        G = rewards[t] + gamma * G => G = pi[s][a] / b[s][a] * (rewards[t] + gamma * G) ;; found[s] = rho * G =>
            found[s] = G | That is a ratio for each reward (28.16). It has the same mean, but asked is ρG, one
            ratio for the whole return.
        G = rewards[t] + gamma * G => G = gamma * (rewards[t] + G) | The reward of its own step is not discounted.
        np.zeros(n_states) => np.full(n_states, np.nan) | A state that was not visited has 0 here.
        found[s] = rho * G => found[s] = G | Those are the returns of the behaviour. Multiply by the ratio.
        found[s] = rho * G => found[s] = rho * G / (pi[s][a] / b[s][a]) | The ratio of a state's value includes the
            action taken in it.
        rho = rho * pi[s][a] / b[s][a] => own, rho = rho, rho * pi[s][a] / b[s][a] ;; found[s] = rho * G => found[s] =
            own * G | The ratio of a state's value includes the action taken in it. (It is left out for a pair.)
        rho = rho * pi[s][a] / b[s][a] => rho = rho * (b[s][a] / pi[s][a] if pi[s][a] else 0) | The ratio is upside
            down: π over b.
        rho = rho * pi[s][a] / b[s][a] => rho = rho * pi[s][a] | Divide by b: the episode was drawn with its
            probabilities.
        rho = rho * pi[s][a] / b[s][a] => rho = rho / b[s][a] | π stands above the line: how likely the target makes
            the action.
        rho = rho * pi[s][a] / b[s][a] => rho = rho * b[s][a] | That is the probability of the actions under b. The
            ratio is π over b.
        rho = rho * pi[s][a] / b[s][a] => rho = rho * pi[s][a] * b[s][a] | Divide by b; you multiplied.
        rho = rho * pi[s][a] / b[s][a] => rho = rho * (pi[s][a] - b[s][a]) | A ratio is a quotient, π over b, not a
            difference.
        rho = rho * pi[s][a] / b[s][a] => rho = rho + pi[s][a] / b[s][a] ;; 0.0, 1.0 => 0.0, 0.0 | Ratios multiply along
            an episode; you add them.
        rho = rho * pi[s][a] / b[s][a] => rho = rho * gamma * pi[s][a] / b[s][a] | The discount belongs to the return
            alone: probabilities are not discounted.
        rho = rho * pi[s][a] / b[s][a] => rho = rho * min(1, pi[s][a] / b[s][a]) | You cut the ratios at 1. That makes
            the estimate biased: large ratios make up for what b does too rarely.
        rho = rho * pi[s][a] / b[s][a] => rho = rho * pi[s][1] / b[s][1] | The ratio asks for the action that was taken,
            not for action 1.
        rho = rho * pi[s][a] / b[s][a] => rho = rho * pi[s][0] / b[s][0] | The ratio asks for the action that was taken,
            not for action 0.
        rho = rho * pi[s][a] / b[s][a] => rho = rho * max(pi[s]) / max(b[s]) | The ratio asks for the action that was
            taken, not for the likeliest.
        rho = rho * pi[s][a] / b[s][a] => rho = rho * (np.argmax(pi[s]) == a) / b[s][a] | The target draws its actions
            with the probabilities π; you make it greedy.
        rho = rho * pi[s][a] / b[s][a] => rho = rho * pi[s][a] / b[s][a] or 1.0 | A ratio of 0 stays 0 for all earlier
            steps: what π never does, it never began. You start again with 1.
        rho = rho * pi[s][a] / b[s][a] => rho = rho * pi[s][a] / b[s][a] if t + 1 < len(states) else rho | The last
            action is a choice too: its ratio belongs to the product.
        rho = rho * pi[s][a] / b[s][a] => rho = rho * pi[s][a] / b[s][a] if t > 0 else rho | The first action is a
            choice too: its ratio belongs to the product.
        rho = rho * pi[s][a] / b[s][a] => rho = rho * (pi[s][a] / b[s][a] if s not in states[:t] else 1) | A later
            visit is no first one, but its action was drawn by b: its ratio belongs to the product.
        0.0, 1.0 => 0.0, 0.0 | A product begins with 1: with 0 it stays 0.
        G = rewards[t] + gamma * G => G = rewards[t] + gamma * G if s not in states[:t] else G | A later visit is no
            first one, but its reward belongs to the returns before it.
        G = rewards[t] + gamma * G => G = rewards[t] | That is the next reward. The return adds, with discount, all
            that follows it.
        G = rewards[t] + gamma * G => G = gamma**t * rewards[t] + G | The discount counts from the start of the
            episode: a return counts its own next reward in full.
        found[s] = rho * G => found[s] = rho * sum(gamma**k * r for k, r in enumerate(rewards)) | Every state got the
            return of the whole episode. Its own begins at its first visit.
        found[s] = rho * G => found[s] = rho | That is the ratio alone. Multiply it by the return.
        found[s] = rho * G => found[s] = G if rho else 0.0 | That is what weighted sampling makes of one visit: ρG over
            ρ. Asked is ρG.
        found[s] = rho * G => found[s] = rho * G / states.count(s) | One visit of each state counts, the first: nothing
            is divided.
        found[s] = rho * G => found[s] += rho * G / states.count(s) | That is the mean over all visits. Asked is the
            first one.
        found[s] = rho * G => found[s] = (rho - 1) * G | The product is ρG, without the 1 subtracted.
        range(len(states) - 1, -1, -1) => range(len(states)) | You run forwards: return and ratio collect what comes
            after the visit, so both must come from the end.
        range(len(states) - 1, -1, -1) => range(len(states)) ;; found[s] = rho * G => found[s] = rho * G if s not in
            states[:t] else found[s] | You run forwards: return and ratio collect what comes after the visit, so both
            must come from the end.
        pi[s][a] / b[s][a] => pi[a][s] / b[a][s] | State first, then action: the policies have a row for each state.
        return found => return found[sorted(set(states))] | A state that was not visited has its place too, with 0:
            the array has n_states entries.
        np.zeros(n_states) => np.zeros(max(states) + 1) | The array has n_states entries: states that were not visited
            have their place too, with 0.
        np.zeros(n_states) => np.zeros(len(states)) | The array has one entry for each state, n_states of them, not
            one for each step.
        np.zeros(n_states) => np.zeros(len(states)) ;; found[s] = rho * G => found[t] = rho * G | The array has one
            entry for each state, n_states of them, not one for each step.
        return found => return found.sum() | Asked is an array with one entry for each state, not their sum.
        return found => return found[states[0]] | That is the first state of the episode alone. Asked are all states.
        return found => return found / rho if rho else found | Nothing is divided: that is what weighted sampling does.
            Asked is ρG.
        found[s] = rho * G => found[s] = max(found[s], rho * G) | You keep the largest product. Asked is that of the
            first visit.
        found[s] = rho * G => found[s] = (rho if t == 0 else 1) * G | Each state has its own ratio, from its first visit
            to the end; not the first step alone.
        found[s] = rho * G => found[s] = rho * G / len(states) | Nothing is divided by the length of the episode.
        found[s] = rho * G => found[s] = rho**0.5 * G | The ratio enters as it is, not its root.
        found[s] = rho * G => found[s] = rho**2 * G | The ratio enters once, not squared.
        found[s] = rho * G => found[s] = rho * abs(G) | Returns keep their sign.
        G = rewards[t] + gamma * G => G = (rewards[t + 1] if t + 1 < len(states) else 0) + gamma * G | The rewards are
            one step off: rewards[t] is paid for the action of step t.
        G = rewards[t] + gamma * G => G = (rewards[t - 1] if t else 0) + gamma * G | The rewards are one step off:
            rewards[t] is paid for the action of step t.
        G = rewards[t] + gamma * G => G = rewards[t] + gamma**2 * G | One step back is one discount: γ, not γ².
        rho = rho * pi[s][a] / b[s][a] => rho = sum(pi[i][j] for i, j in zip(states[t:], actions[t:])) / sum(b[i][j] for
            i, j in zip(states[t:], actions[t:])) | Probabilities of actions in a row multiply; you added them.
        rho = rho * pi[s][a] / b[s][a] => rho = np.mean([pi[i][j] / b[i][j] for i, j in zip(states[t:], actions[t:])]) |
            That is the mean of the ratios. They multiply along the episode.
        rho = rho * pi[s][a] / b[s][a] => rho = rho * b[s][a] / max(pi[s][a], 1e-12) | The ratio is upside down: π over
            b.
        rho = rho * pi[s][a] / b[s][a] => rho = rho * np.exp(pi[s][a] - b[s][a]) | The ratio is the quotient of the
            probabilities; no exponentials.
        range(len(states) - 1, -1, -1) => range(len(states) - 2, -1, -1) | The last step of the episode is left out: its
            reward is paid, and its action was drawn.
        range(len(states) - 1, -1, -1) => range(len(states) - 1, 0, -1) | The walk ends one step early: the first step
            of the episode, t = 0, is left out.
        """,
    right="Right. Sum such arrays over episodes and divide by the visits of each state: (28.14), ordinary.",
    explanation="G and rho backwards, rho including the step itself; overwriting leaves the first visit.",
)  # fmt: skip

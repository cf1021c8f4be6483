"""Tasks and exercises of chapter 26: regret, running means, probabilities, bounds, values of two arms, preferences."""

import numpy as np

from mlteach.exercises.tasks import number, spelt, task

task("26.a", "Four pulls",
    start="Which arm is best, and what does each pull give up against it, on average?",
    hints=[
        "The gaps of the three arms are 0.7, 0.4 and 0.",
        "Pulls 2, 1, 3, 2: add their gaps. The rewards play no part.",
    ],
    regret=number("The regret", "0.4 + 0.7 + 0 + 0.4", to=6e-4, slips="""
        0.6          | You took the rewards that came out. Regret compares expected rewards.
        1.6          | You counted against the number of pulls paid. Regret compares means: 0.9 - q(A).
        2.1          | That is what the pulls are worth on average. Regret is what they fall short of 4 · 0.9.
        0.375        | That is the mean a pull. Asked is the sum.
        1.1          | There are four pulls, and arm 2 was pulled twice.
        3.6          | That is what the best arm would give. Subtract what your pulls are worth.
        1.9          | The first arm's gap is 0.9 - 0.2 = 0.7, and arm 3 has none.
        1            | That is 4 pulls minus 3 rewards. Regret compares means: 0.9 - q(A).
        0.7          | 0.7 is the gap of arm 1. Add the gaps of all four pulls, each against the best arm.
        0.8          | Arm 1 was pulled as well: it gives up 0.9 - 0.2.
        1.8          | Arm 2 was pulled twice, arm 1 once.
        -0.1         | You measured against arm 2. The best arm has the largest mean.
        """),
    best=number("The arm", 3, to=1e-6, slips="""
        2   | Arm 2 paid most often, but the best arm has the largest mean; and the arms are numbered from 1.
        1   | Arm 1 has the smallest mean.
        0.9 | That is the mean of the best arm. Asked is its number.
        """),
    right="Right. Whatever the coins did, these four choices cost 1.5.",
    explanation="The best mean is 0.9. Gaps: 0.9 - 0.5, 0.9 - 0.2, 0 and 0.9 - 0.5, together 1.5.",
)  # fmt: skip

task("26.b", "The fourth reward",
    start="Count first: the how-manieth reward of this arm is it?",
    hints=["It is the fourth: the step is 1/4.", "The error is 2 - 6 = -4: Q moves by a quarter of it."],
    value=number("The new Q", "6 + (2 - 6) / 4", to=6e-4, slips="""
        6 - 4 / 3 | You divided by 3. Count the new reward first: it is the fourth.
        2         | 2 is the reward itself, and it is (6 + 2)/4. But 6 stands for three rewards: Q moves by a quarter
            of the error.
        4         | That is the mean of Q and R. Q stands for three rewards already.
        7         | The sign of the error: R - Q is negative here.
        -4        | That is the error. The new value comes first.
        3         | Move Q by a quarter of the error 2 - 6.
        20        | That is the sum of the four rewards. Divide it by four.
        20 / 3    | The sum 20 is that of four rewards.
        5.2       | You divided by 5. The new reward is the fourth.
        6         | That is the old Q. It moves towards the new reward.
        6.5       | You added a quarter of the reward. Add a quarter of the error R - Q.
        0.5       | That is a quarter of the reward. Add a quarter of the error to the old Q.
        """),
    error=number("The error", "2 - 6", to=6e-4, slips="""
        2  | That is the target. The error is target minus estimate.
        4  | The error is R - Q, and it is negative here.
        -1 | That is the change of Q: the error times the step.
        -3 | Take the error against the old Q, before the update.
        5  | That is the new value.
        3  | That is new Q minus R. The error is R minus the old Q.
        """),
    right="Right. The mean of four rewards that sum to 18 + 2 = 20 is 5.",
    explanation="Q + (R - Q)/N = 6 + (2 - 6)/4 = 5. The error is R - Q = -4, the target R = 2.",
)  # fmt: skip

task("26.c", "How often the greedy arm?",
    start="In how many ways can the greedy arm be taken?",
    hints=[
        "It may be taken on purpose, or by the random draw among all four arms.",
        "0.8 + 0.2/4; a random arm is worth the mean of the four.",
    ],
    share=number("The probability", "1 - 0.2 + 0.2 / 4", to=6e-4, slips="""
        0.8             | The random draw takes the greedy arm too, once in four.
        0.8 + 0.2 / 3   | The random draw is among all four arms, not among the three others.
        0.05            | That is the probability of each other arm.
        0.2             | That is how often it explores.
        0.95            | ε = 0.2 here; the greedy arm gets 1 - ε + ε/4.
        0.925           | That is for ε = 0.1.
        0.75            | The random draw may hit the greedy arm: ε/4 is added, not subtracted.
        1.6             | The random draw hits each arm with probability ε/4, not 4ε.
        0.79            | That is the expected reward. The probability comes first.
        """),
    ceiling=number("The expected reward", "0.8 * 1 + 0.2 * (1 + 0 + 0 - 1.2) / 4", to=6e-4, slips="""
        0.8               | The exploring pulls have a mean reward too: that of a random arm, -0.05.
        0.85              | Other arms are pulled with probability 0.05 each, and one of them has mean -1.2.
        1                 | That would be without exploring.
        0.8 + 0.2 * -0.2  | A random arm is worth (1 + 0 + 0 - 1.2)/4.
        0.95 * 1          | The other arms count, too: their means are 0, 0 and -1.2.
        0.72              | The random draw is among all four arms, the best one included.
        0.91              | The mean of the last arm is -1.2, not 1.2.
        0.8425            | A random arm, worth -0.05, is drawn with probability 0.2; the best is taken on purpose
            with 0.8.
        0.21              | That is what it gives up a pull. Asked is what it earns.
        """),
    right="Right. However long it learns, it cannot pass 0.79 with this ε.",
    explanation="0.8 + 0.2/4 = 0.85. A random arm is worth -0.05, so 0.8 · 1 + 0.2 · (-0.05) = 0.79.",
)  # fmt: skip


def bounds(Q, N, t, c):
    width = c * np.sqrt(np.log(t) / np.maximum(N, 1))
    return np.where(N > 0, Q + width, np.inf)


def tables():
    rng = np.random.default_rng(26)
    cases = [
        (np.array([0.5, 0.6]), np.array([10, 100]), 110, 2.0),
        (np.array([0.4, 0.0, 0.9]), np.array([3, 0, 2]), 5, 0.7),
        (np.array([0.3, 0.0, 0.0]), np.array([1.0, 0.0, 0.0]), 1, 2.0),  # as after the first pull, counts as floats
    ]
    N = rng.integers(0, 6, size=(3, 4))
    cases.append((rng.normal(size=(3, 4)), N, 19, 1.3))
    return cases


task("26.d", "Your upper bounds", bounds, cases=tables, what="The bounds",
    start="What is added to Q, and what for an arm with N = 0?",
    hints=[
        "c √(ln t / N), entry by entry: numpy does all arms of all bandits at a time.",
        "np.where(N > 0, Q + width, np.inf), with np.maximum(N, 1) inside the root so that nothing is divided by 0.",
    ],
    slips="""
        np.log(t) / np.maximum(N, 1) => np.log(np.maximum(N, 1)) / t | N and t are exchanged: the bound shrinks with
            the arm's own count.
        c * np.sqrt => np.sqrt | The factor c is missing.
        np.log(t) / np.maximum(N, 1) => np.log10(t) / np.maximum(N, 1) | Use the natural logarithm; you used base 10.
        np.sqrt(np.log(t) / np.maximum(N, 1)) => np.log(t) / np.maximum(N, 1) | The root is missing.
        np.log(t) / np.maximum(N, 1) => 1 / np.maximum(N, 1) | ln t is missing: without it the bounds would never
            widen again.
        np.sqrt(np.log(t) / np.maximum(N, 1)) => np.sqrt(np.log(t)) / np.maximum(N, 1) | N stands under the root, too.
        Q + width, np.inf => Q + width, Q | An arm that was never pulled comes first: its bound is infinite.
        Q + width, np.inf => Q + width, 0 | An arm that was never pulled comes first: its bound is infinite.
        np.where(N > 0, Q + width, np.inf) => Q + width | For N = 0 the bound is infinite; np.maximum(N, 1) alone
            pretends one pull.
        Q + width => Q - width | That is the lower bound. Optimism takes the upper one.
        Q + width => width | Add the estimate Q.
        np.maximum(N, 1) => (N + 1) | N is the number of pulls itself: no 1 is added.
        np.maximum(N, 1) => N ;; np.where(N > 0, Q + width, np.inf) => Q + width | A division by N = 0 is not always
            infinite: after one pull ln 1 = 0, and 0/0 is nan. Give the arms with N = 0 their own case.
        c * np.sqrt(np.log(t) => np.sqrt(2 * np.log(t) | That is (26.7), where c is √2. Use the c that is given.
        np.log(t) => np.log(N.sum()) | t is given; in a table of several bandits N.sum() counts the pulls of all.
        Q + width, np.inf => Q + width, 1e9 | For N = 0 the bound is np.inf, not a large number.
        Q + width => Q * width | The doubt is added to Q.
        """,
    right="Right. The next cell lets your bounds play the test bed.",
    explanation="(26.8), with an infinite bound for an arm that was never pulled, so that all are tried first.",
)  # fmt: skip

task("26.e", "The price of never stopping",
    start="Suppose all means are known. What does one exploring pull cost on average?",
    hints=["A random arm costs the mean of the gaps: (0 + 0.2 + 0.4)/3.", "One pull in ten explores: 1,000 of 10,000."],
    cost=number("The regret", "10_000 * 0.1 * (0 + 0.2 + 0.4) / 3", to=0.6, slips="""
        300   | The random draw takes the best arm as well: divide by three arms.
        600   | Divide by the number of arms: the random arm costs the mean of the gaps.
        2000  | Only every tenth pull explores.
        0.02  | That is the cost of one pull. Multiply by 10,000.
        20    | 10,000 pulls, not 1,000.
        100   | The mean gap of the three arms is 0.2.
        1800  | That is what the other pulls are: they cost nothing here.
        400/3 | Each arm, the best one too, is drawn with probability 0.1/3: add 0, 0.2 and 0.4 times that.
        8 * np.log(10_000) * (1 / 0.2 + 1 / 0.4) | That is the leading term of UCB's bound (26.11).
        """),
    kind=spelt("The growth", "B", "ABC", slips="""
        A | It does not stop growing: every pull adds the same amount on average.
        C | A logarithm grows ever more slowly. Here every pull adds the same amount on average.
        """),
    right="Right. And that is what an agent pays that makes no mistake at all when it exploits.",
    explanation="Each pull costs ε times the mean gap, 0.1 · 0.2 = 0.02: 200 after 10,000 pulls, in proportion to T.",
)  # fmt: skip

task("26.f", "Two pulls, solved by hand",
    start="The first pull is worth 1/2 whatever you do. What do you know after it?",
    hints=[
        "After a success the arm's mean is 2/3, after a failure 1/3; the other arm's is 1/2.",
        "1/2 + 1/2 · max(2/3, 1/2) + 1/2 · max(1/3, 1/2).",
    ],
    value=number("The value", "1/2 + 1/2 * 2/3 + 1/2 * 1/2", to=6e-4, slips="""
        1       | 1 is what two blind pulls give, and staying whatever came. Let the first pull decide: stay or change?
        7 / 6   | After a failure change to the other arm, which is worth 1/2.
        4 / 3   | Only after a success, in half of the games, is the arm worth 2/3.
        7 / 12  | That is the second pull alone. Add the first.
        13 / 24 | That is the mean a pull. Asked is the sum.
        1.25    | A success makes Beta(2, 1), with mean 2/3. The share of successes, 1, forgets the prior.
        1.125   | A success makes Beta(2, 1), with mean 2/3, not 3/4.
        5 / 6   | After a failure there is a second pull as well: of which arm?
        """),
    gain=number("The gain", "1/2 + 1/2 * 2/3 + 1/2 * 1/2 - 1", to=6e-4, slips="""
        13 / 12 | That is the value. Subtract what two blind pulls are worth.
        1 / 6   | The gain comes after a success only, in half of the games.
        1 / 24  | Asked is the gain over both pulls together.
        7 / 12  | Two blind pulls give 1, not 1/2.
        0       | Knowledge is worth something here: after a success you stay, after a failure you leave.
        """),
    right="Right. A twelfth of a reward is what one observation is worth here.",
    explanation="1/2 + 1/2 · 2/3 + 1/2 · 1/2 = 13/12; two blind pulls give 1.",
)  # fmt: skip

task("26.g", "One step of preference",
    start="Which probabilities do equal preferences give?",
    hints=[
        "π = (1/2, 1/2): the pulled arm gets α(R - B)(1 - 1/2), the other α(R - B)(0 - 1/2).",
        "R - B = 2 - 5 = -3.",
    ],
    pulled=number("The pulled arm's H", "0.4 * (2 - 5) * (1 - 0.5)", to=6e-4, slips="""
        0.4  | Subtract the baseline from the reward: 2 - 5.
        0.6  | The reward was below the baseline: the preference falls.
        -1.2 | Multiply by 1 - π of the pulled arm.
        -1.5 | Multiply by the step 0.4.
        1.4  | The baseline is subtracted: R - B.
        1    | Multiply by the step 0.4, and subtract the baseline 5 from the reward.
        1.2  | R - B = 2 - 5 is negative, and the factor 1 - π of the pulled arm is missing.
        -3   | That is R - B. Multiply by the step and by 1 - π.
        -0.24 | The step 0.4 enters once.
        0    | The pulled arm moves: its factor 1 - π is ½, and R - B = -3.
        1 / (1 + np.exp(1.2)) | That is a probability after the step. Asked are the preferences.
        """),
    other=number("The other arm's H", "0.4 * (2 - 5) * (0 - 0.5)", to=6e-4, slips="""
        0    | The arms that were not pulled move too, the other way.
        -0.6 | The other arm moves against the pulled one: its preference rises.
        -0.4 | Subtract the baseline from the reward: 2 - 5.
        """),
    slips="""
        (0.6, -0.6) | R - B = 2 - 5 is negative: the pulled arm falls, the other one rises. The pulled arm's comes
            first.
        """,
    right="Right. A reward of 2 is bad news where 5 is usual: the arm loses.",
    explanation="0.4 · (2 - 5) · (1 - 0.5) = -0.6 and 0.4 · (2 - 5) · (0 - 0.5) = +0.6.",
)  # fmt: skip

task("26.h", "What the first reward still weighs",
    start="How often has the first reward been multiplied by 1 - α since it came?",
    hints=[
        "(26.19): reward i of n weighs α(1 - α)^(n-i).",
        "0.2 · 0.8³ for the first of four; 0.8⁴ is left for Q₀.",
    ],
    first=number("The first reward's weight", "0.2 * 0.8**3", to=6e-5, slips="""
        0.2 * 0.8**4 | The reward came with weight α and was shrunk three times since, not four.
        0.25         | That is its weight in the mean. A constant step forgets.
        0.2          | That is the newest reward's weight.
        0.8**3       | It came with weight α = 0.2.
        0.8**4       | That is the weight of the starting value. The first reward's comes first.
        0.2**4       | α only once: afterwards it is multiplied by 1 - α.
        0.2 * 0.8**2 | Three rewards came after the first: three factors 1 - α.
        0.2**3 * 0.8 | α once and 1 - α three times: you have it the other way round.
        0.1 * 0.9**3 | That is for α = 0.1.
        """),
    start_weight=number("The starting value's weight", "0.8**4", to=6e-5, slips="""
        0.8**3       | Four updates, four factors.
        0.1024       | That is the first reward's weight.
        0            | With a constant step the starting value never vanishes wholly.
        0.2**4       | Each update multiplies it by 1 - α, not by α.
        1 - 0.8**4   | That is what the four rewards weigh together.
        0.2 * 0.8**4 | The start was there before the first step: it has no factor α.
        0.8**5       | Four rewards, four factors.
        0.8          | That is its weight after one reward.
        0.2          | α is the newest reward's weight.
        1 - 0.1024   | The other three rewards have weights, too.
        """),
    right="Right. The weights sum to 1: 0.5904 for the four rewards, 0.4096 for the start.",
    explanation="0.2 · 0.8³ = 0.1024 and 0.8⁴ = 0.4096.",
)  # fmt: skip


def policy(Q, epsilon):
    best = Q == Q.max(axis=-1, keepdims=True)
    greedy = best / best.sum(axis=-1, keepdims=True)
    return epsilon / Q.shape[-1] + (1 - epsilon) * greedy


POLICIES = [
    (np.array([1.0, 4.0, 2.0, 0.0]), 0.1),
    (np.array([3.0, 1.0, 3.0]), 0.3),
    (np.array([[0.5, -2.0, 0.0, 0.5, 0.5], [0.0, -1.0, -3.0, -2.0, -0.5]]), 0.25),
]

task("26.1", "ε-greedy with ties", policy, cases=POLICIES, what="The probabilities",
    start="How much does every arm get from exploring, and who shares the rest?",
    hints=["Every arm gets ε/k; the largest Q share 1 - ε equally.", "best = Q == Q.max(axis=-1, keepdims=True)."],
    slips="""
        epsilon / Q.shape[-1] + (1 - epsilon) * greedy => np.where(best, 1 - epsilon, epsilon / (Q.shape[-1] - 1)) |
            The greedy arm has 1 - ε + ε/k: exploring may take it, too.
        epsilon / Q.shape[-1] + (1 - epsilon) * greedy => np.where(best, (1 - epsilon) * greedy, epsilon / Q.shape[-1])
            | The greedy arm has 1 - ε + ε/k: exploring may take it, too. Your probabilities sum to less than 1.
        epsilon / Q.shape[-1] + (1 - epsilon) * greedy => np.where(best, (1 - epsilon) * greedy, epsilon /
            (Q.shape[-1] - 1)) | Exploring draws among all k arms, the greedy one too: ε/k each.
        epsilon / Q.shape[-1] + (1 - epsilon) * greedy => np.where(best, (1 - epsilon) * greedy, epsilon /
            (Q.shape[-1] - best.sum(axis=-1, keepdims=True))) | Exploring draws among all k arms, the greedy ones too:
            ε/k each.
        epsilon / Q.shape[-1] + (1 - epsilon) * greedy => np.where(best, (1 - epsilon + epsilon / Q.shape[-1]) *
            greedy, epsilon / Q.shape[-1]) | Only 1 - ε is shared; each arm has its ε/k beside. Yours sum to less
            than 1 in a tie.
        epsilon / Q.shape[-1] + (1 - epsilon) * greedy => greedy | That is the greedy part alone. Exploring gives every
            arm ε/k.
        epsilon / Q.shape[-1] => epsilon / len(Q) | In a table len(Q) counts the bandits. The arms are the last axis.
        epsilon / Q.shape[-1] => epsilon / Q.size | In a table Q.size counts the arms of all bandits. k is the length of
            the last axis.
        epsilon / Q.shape[-1] => epsilon / 10 | Ten arms are the test bed. Here k is the length of the last axis.
        Q.max(axis=-1, keepdims=True) => Q.max(axis=0, keepdims=True) ;; best.sum(axis=-1, keepdims=True) =>
            best.sum(axis=0, keepdims=True) | The arms of one bandit stand in a row: the last axis, not the first.
        Q == Q.max(axis=-1, keepdims=True) => Q == Q.max() ;; best.sum(axis=-1, keepdims=True) => best.sum() | The
            largest of each row, not of the whole table.
        greedy = best / best.sum(axis=-1, keepdims=True) => greedy = np.eye(Q.shape[-1])[Q.argmax(axis=-1)] | argmax
            takes the first of several equal arms. Ties share the probability.
        greedy = best / best.sum(axis=-1, keepdims=True) => greedy = best | With a tie these probabilities sum to more
            than 1: share among the best.
        epsilon / Q.shape[-1] + => epsilon + | Exploring gives each of the k arms ε/k.
        (1 - epsilon) * greedy => greedy | The greedy part has only 1 - ε to give.
        best.sum(axis=-1, keepdims=True) => best.sum() | Share within each row: the sum runs over the arms of one
            bandit.
        Q == Q.max(axis=-1, keepdims=True) => Q == Q.max() | The largest of each row, not of the whole table.
        Q == Q.max(axis=-1, keepdims=True) => Q == Q.min(axis=-1, keepdims=True) | Greedy means the largest Q.
        """,
    right="Right. This one line plays a single bandit, thousands of them, or a table of all states.",
    explanation="ε/k for all, and 1 - ε shared by the arms whose Q is largest.",
)  # fmt: skip


def softmax_base(Q, b):
    scores = Q * np.log(b)
    powers = np.exp(scores - scores.max())
    return powers / powers.sum()


task("26.2", "Powers of a base", softmax_base, what="The probabilities",
    cases=[(np.array([1.0, 2.0, 3.0]), 2.0), (np.array([1.0, 2.0, 3.0]), 0.5), (np.array([-1.0, 0.3, 2.2, 0.0]), 7.0),
           (np.array([0.0, 1000.0, 1000.5]), 40.0), (np.array([0.0, 0.2, 1000.0]), 0.1)],
    start="How is b^Q written with exp, and what may be subtracted from all exponents?",
    hints=["b^Q = exp(Q ln b).", "Subtract the largest exponent before exp: the quotient stays, nothing overflows."],
    slips="""
        Q * np.log(b) => Q / b | You used b as a temperature: exp(Q/b). Here it is a base: b^Q = exp(Q ln b).
        Q * np.log(b) => Q * b | b is a base, not a factor of the exponent: b^Q = exp(Q ln b).
        Q * np.log(b) => Q | The base is missing: b^Q = exp(Q ln b).
        Q * np.log(b) => Q * np.log10(b) | Use the natural logarithm; you used base 10.
        powers / powers.sum() => powers | Divide by the sum.
        scores = Q * np.log(b) => scores = Q ** b | That is Q^b. Base and exponent are exchanged.
        np.exp(scores - scores.max()) => Q ** b | That is Q^b. Base and exponent are exchanged.
        np.exp(scores - scores.max()) => b ** Q | b^Q overflows for Q = 1,000. What may be subtracted from all
            exponents?
        np.exp(scores - scores.max()) => b ** (Q - Q.max()) | With b < 1 the smallest Q has the largest power, and
            yours overflows there. Subtract the largest exponent Q ln b, not the largest Q.
        np.exp(scores - scores.max()) => Q | Those are shares of the values. Take powers of b first.
        Q * np.log(b) => Q * abs(np.log(b)) | For b < 1 the logarithm is negative: there small values win.
        """,
    right="Right. With b = ½ small values win; with b = 1 nobody does.",
    explanation="Q = (1, 2, 3) and b = 2: 2, 4 and 8 of 14.",
)  # fmt: skip


def best_value(n, s1, f1, s2, f2):
    if n == 0:
        return 0.0
    m1, m2 = (1 + s1) / (2 + s1 + f1), (1 + s2) / (2 + s2 + f2)
    first = m1 * (1 + best_value(n - 1, s1 + 1, f1, s2, f2)) + (1 - m1) * best_value(n - 1, s1, f1 + 1, s2, f2)
    second = m2 * (1 + best_value(n - 1, s1, f1, s2 + 1, f2)) + (1 - m2) * best_value(n - 1, s1, f1, s2, f2 + 1)
    return max(first, second)


task("26.3", "The best possible value", best_value, what="The value", rtol=1e-9,
    cases=[(2, 0, 0, 0, 0), (1, 3, 1, 0, 2), (3, 1, 0, 0, 2), (5, 2, 1, 0, 0), (4, 0, 3, 1, 1), (5, 1, 0, 3, 1),
           (0, 1, 2, 3, 4)],
    start="What is a pull worth, and in which state does it leave you?",
    hints=[
        "The posterior mean of an arm with s successes and f failures is (1 + s)/(2 + s + f).",
        "m (1 + V after a success) + (1 - m) (V after a failure), for each arm; take the larger.",
    ],
    slips="""
        return max(first, second) => return (first + second) / 2 | You averaged over the arms. The best player takes
            the better one.
        return max(first, second) => return first | You pull the first arm for ever. Take the larger of the two.
        return max(first, second) => return max(m1, m2) + best_value(n - 1, s1, f1, s2, f2) | What the pull teaches is
            lost: the counts must go on.
        return max(first, second) => return first if m1 >= m2 else second | That is the greedy player. Compare the
            values of the pulls, not their means: knowledge is worth something.
        (1 + s1) / (2 + s1 + f1), (1 + s2) / (2 + s2 + f2) => (s1 / max(s1 + f1, 1)), (s2 / max(s2 + f2, 1)) | With a
            uniform prior the mean is (1 + s)/(2 + s + f), ½ before the first pull.
        first = m1 * (1 + best_value => first = m1 * (best_value | The reward of the pull itself is missing.
        m1 * (1 + best_value => m1 * (best_value ;; m2 * (1 + best_value => m2 * (best_value | The reward of the pull
            itself is missing: a success pays 1.
        (1 + s1) / (2 + s1 + f1), => (1 + s1) / (1 + s1 + f1), | A uniform prior counts as one success and one
            failure: 2 + s + f.
        (2 + s1 + f1) => (1 + s1 + f1) ;; (2 + s2 + f2) => (1 + s2 + f2) | A uniform prior counts as one success and one
            failure: 2 + s + f.
        (1 + s1) / (2 + s1 + f1), (1 + s2) / (2 + s2 + f2) => (s1 / (s1 + f1) if s1 + f1 else 0.5), (s2 / (s2 + f2) if
            s2 + f2 else 0.5) | With a uniform prior the mean is (1 + s)/(2 + s + f): one success makes 2/3, not 1.
        (1 + s1) / (2 + s1 + f1), (1 + s2) / (2 + s2 + f2) => 0.5, 0.5 | The means move with what was seen:
            (1 + s)/(2 + s + f).
        (1 + s1) / => (1 + f1) / ;; (1 + s2) / => (1 + f2) / | Successes and failures are exchanged in the mean.
        (1 - m1) * best_value(n - 1, s1, f1 + 1, s2, f2) => (1 - m1) * (1 + best_value(n - 1, s1, f1 + 1, s2, f2)) ;;
            (1 - m2) * best_value(n - 1, s1, f1, s2, f2 + 1) => (1 - m2) * (1 + best_value(n - 1, s1, f1, s2, f2 + 1)) |
            A failure pays nothing: the 1 belongs to the success.
        s1, f1 + 1, s2, f2 => s1, f1, s2, f2 ;; s1, f1, s2, f2 + 1 => s1, f1, s2, f2 | A failure is counted, too: f
            grows by 1.
        s1 + 1, f1, s2, f2 => s1, f1, s2, f2 ;; s1, f1, s2 + 1, f2 => s1, f1, s2, f2 | A success is counted, too: s
            grows by 1.
        s1, f1, s2 + 1, f2 => s1 + 1, f1, s2, f2 ;; s1, f1, s2, f2 + 1 => s1, f1 + 1, s2, f2 | A pull of the second arm
            changes s2 or f2.
        return max(first, second) => return first + second | Only one of the arms is pulled: take the larger value.
        """,
    right="Right. best_value(10, 0, 0, 0, 0) is 6.0218: nobody can do better with two unknown coins.",
    explanation="(26.15), with the posterior means of Beta(1 + s, 1 + f).",
)  # fmt: skip


def commit_regret(m, T, gap):
    from math import erfc

    wrong = 0.5 * erfc(gap * (m / 2) ** 0.5 / 2**0.5)
    return m * gap + (T - 2 * m) * gap * wrong


task("26.4", "Explore, then commit", commit_regret, what="The regret", rtol=1e-7,
    cases=[(10, 1000, 0.5), (1, 50, 0.2), (40, 300, 0.1), (25, 50, 0.8)],
    start="What does the trial cost, and how likely does the worse arm win it?",
    hints=[
        "In the trial the worse arm is pulled m times; after a wrong verdict it is kept for the other T - 2m.",
        "The difference of the two means is N(Δ, 2/m): a wrong verdict has probability Φ(-Δ√(m/2)).",
    ],
    slips="""
        (T - 2 * m) => (T - m) | The trial takes m pulls of each arm: T - 2m are left.
        (T - 2 * m) => T | The trial's 2m pulls are over: T - 2m are left.
        m * gap + => 2 * m * gap + | Only the worse arm costs in the trial: m pulls of it.
        m * gap + => 0 * gap + | The trial costs something, too: m pulls of the worse arm.
        (m / 2) ** 0.5 => m ** 0.5 | The difference of two means has variance 2/m, and
            Φ(-x) = ½ erfc(x/√2): a factor √2 is missing.
        (m / 2) ** 0.5 => (2 * m) ** 0.5 | The difference of two means has variance 2/m; you used 1/(2m).
        wrong = 0.5 * => wrong = | erfc(x/√2) counts both tails: a wrong verdict is one of them.
        erfc(gap * (m / 2) ** 0.5 / 2**0.5) => erfc(-gap * (m / 2) ** 0.5 / 2**0.5) | That is the probability of a
            right verdict.
        * gap * wrong => * wrong | Each pull of the worse arm costs Δ.
        m * gap + => m + ;; * gap * wrong => * wrong | That is how often the worse arm is pulled. Each pull costs Δ.
        m * gap + (T - 2 * m) * gap * wrong => m * gap | That is the trial alone. A wrong verdict costs, too.
        gap * (m / 2) ** 0.5 => gap * 0.5 ** 0.5 | A mean of m rewards has variance 1/m: m is missing in the
            probability.
        0.5 * erfc(gap * (m / 2) ** 0.5 / 2**0.5) => 2.718281828459045 ** (-m * gap**2 / 4) | That is an upper bound of
            the probability of a wrong verdict. Asked is the exact one.
        """,
    right="Right. Too short a trial commits to the wrong arm, too long a one wastes pulls.",
    explanation="mΔ for the trial, (T - 2m)Δ Φ(-Δ√(m/2)) for what follows it.",
)  # fmt: skip

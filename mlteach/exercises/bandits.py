"""Tasks and exercises of chapter 26: regret, running means, probabilities, bounds, values of two arms, preferences."""

import numpy as np

from mlteach.exercises.tasks import number, spelt, task


def say_regret(v):
    """Say why the regret of four pulls cannot be v, or ask for the gaps."""
    if v < 0:
        return f"The regret is not {v:g}: no pull is worth more than 0.9 on average, so it is never negative."
    if v > 2.8:
        return f"The regret is not {v:g}: no pull gives up more than 0.7, and there are four."
    return f"The regret is not {v:g}. Go pull by pull, arms 2, 1, 3, 2: what does each give up against 0.9? Add these."


task("26.a", "Four pulls",
    start="Which arm is best, and what does each pull give up against it, on average?",
    hints=[
        "The gaps of the three arms are 0.7, 0.4 and 0.",
        "Pulls 2, 1, 3, 2: add their gaps. The rewards play no part.",
    ],
    regret=number("The regret", "0.4 + 0.7 + 0 + 0.4", to=6e-4, say=say_regret, slips="""
        0.6          | You took the rewards that came out. Regret compares expected rewards.
        1.6          | That is the sum of the three means. Regret adds the gaps 0.9 - q(A) of the four pulls.
        4.4          | Count each gap as often as its arm was pulled, not four times.
        0.5          | Regret is a sum over the pulls, not a mean over those that cost something.
        1.1 / 3      | That is the mean gap of the three arms. Add the gaps of the arms that were pulled.
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
        -0.6         | You took the rewards that came out. Regret compares expected rewards.
        0.15         | You took the rewards that came out, a pull. Regret adds the gaps 0.9 - q(A) of all pulls.
        3            | 3 is the sum of the rewards that came out. Regret compares expected rewards.
        0.75         | That is the mean of the rewards that came out. Regret adds what each pull gives up on average.
        0.525        | That is what a pull is worth on average. Regret adds what each falls short of 0.9.
        0.4          | That is the gap of arm 2, once. Add the gaps of all four pulls.
        0.9          | That is the mean of the best arm. Each pull gives up 0.9 - q(A).
        1.2          | Arm 1 gives up 0.9 - 0.2 = 0.7, not 0.4.
        0            | Only a pull of the best arm costs nothing. Which pulls were of other arms?
        5.7          | Subtract what the pulls are worth from 4 · 0.9: you added it.
        0.81         | The gaps are added as they are, without a square.
        0.1 / 3      | You measured against the mean of the arms. Regret compares with the best one.
        6            | You multiplied by the number of pulls. The sum over the four pulls is the regret already.
        """),
    best=number("The arm", 3, to=1e-6, slips="""
        2   | Arm 2 paid most often, but the best arm has the largest mean; and the arms are numbered from 1.
        1   | Arm 1 has the smallest mean.
        0.9 | That is the mean of the best arm. Asked is its number.
        0.5 | That is a mean, and arm 2's. Asked is the number of the arm with the largest mean.
        0   | The arms are numbered from 1, and the first has the smallest mean.
        4   | There are three arms, numbered from 1.
        """),
    right="Right. Whatever the coins did, these four choices cost 1.5.",
    explanation="The best mean is 0.9. Gaps: 0.9 - 0.5, 0.9 - 0.2, 0 and 0.9 - 0.5, together 1.5.",
)  # fmt: skip


def say_mean(v):
    """Say why the new mean cannot be v, or ask how far it moves."""
    if not 2 <= v <= 6:
        return f"The new Q is not {v:g}: a mean moves from 6 towards the new reward 2, and cannot leave that stretch."
    return f"The new Q is not {v:g}. Q goes 1/N of the way from 6 to 2: how many rewards are there with the 2?"


def say_error(v):
    """Ask for target and estimate."""
    return f"The error is not {v:g}. It is the target minus the old estimate, with no step: which numbers are these?"


task("26.b", "The fourth reward",
    start="Count first: how many rewards of this arm are there now?",
    hints=["It is the fourth: the step is 1/4.", "The error is 2 - 6 = -4: Q moves by a quarter of it."],
    value=number("The new Q", "6 + (2 - 6) / 4", to=6e-4, say=say_mean, slips="""
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
        5.5       | You subtracted a quarter of the reward. Add a quarter of the error R - Q.
        8         | You added Q and R. Q moves by a quarter of the error R - Q.
        8 / 3     | Q = 6 stands for three rewards: their sum is 18, not 6.
        10        | You moved by the whole error, and away from the reward. Q moves a quarter of the way towards it.
        22 / 3    | You moved away from the reward, and by a third. The step is a quarter, and R - Q is negative.
        -1        | That is the change of Q. Add it to the old Q.
        1         | That is the size of the change. Q was 6 and moves down by it.
        4.5       | That is the old sum over four. The new reward belongs to the sum.
        18        | That is the sum of the first three rewards. Add the new one, and divide by four.
        22        | You moved away from the reward, and by four errors. Q moves towards it by a quarter of the error.
        4.25      | You made the step twice.
        12        | You multiplied Q and R. Q moves by a quarter of the error R - Q.
        -10       | You moved by four errors. The step is a quarter.
        """),
    error=number("The error", "2 - 6", to=6e-4, say=say_error, slips="""
        2  | That is the target. The error is target minus estimate.
        4  | The error is R - Q, and it is negative here.
        -1 | That is the change of Q: the error times the step.
        -3 | Take the error against the old Q, before the update.
        5  | That is the new value.
        3  | That is new Q minus R. The error is R minus the old Q.
        1  | That is the size of the change of Q. The error is R minus the old Q, before the step.
        0.25   | That is the step. The error is R minus the old Q.
        1 / 3  | The error is R minus the old Q. It is no step.
        -4 / 3 | That is a third of the error. The error itself has no step in it.
        4 / 3  | The error is R - Q, without a step, and it is negative here.
        8      | The error is the difference R - Q, not the sum.
        -8     | The error is R - Q: from 2 subtract 6, do not add it.
        -16    | That is four times the error. It has no factor: the step 1/4 comes later.
        -0.8   | The error itself has no step in it.
        6      | That is the old Q. The error is R minus it.
        0      | The reward differs from the old Q: the error is their difference.
        """),
    right="Right. The mean of four rewards that sum to 18 + 2 = 20 is 5.",
    explanation="Q + (R - Q)/N = 6 + (2 - 6)/4 = 5. The error is R - Q = -4, the target R = 2.",
)  # fmt: skip


def say_share(v):
    """Say why the best arm cannot have the share v, or ask for its two parts."""
    if not 0 <= v <= 1:
        return f"The probability is not {v:g}: it lies between 0 and 1."
    if v < 0.8:
        return f"The probability is not {v:g}: the best arm is taken on purpose in 0.8 of the pulls already."
    return f"The probability is not {v:g}. On purpose 1 - ε; and how likely does a draw among four arms hit it?"


def say_ceiling(v):
    """Say why the mean reward cannot be v, or ask for its two parts."""
    if not -1.2 <= v <= 1:
        return f"The expected reward is not {v:g}: all arms are worth between -1.2 and 1."
    return (
        f"The expected reward is not {v:g}. Four pulls in five are worth 1, the others what a random arm is worth:"
        " the mean of 1, 0, 0 and -1.2."
    )


task("26.c", "How often the greedy arm?",
    start="In how many ways can the greedy arm be taken?",
    hints=[
        "It may be taken on purpose, or by the random draw among all four arms.",
        "0.8 + 0.2/4; a random arm is worth the mean of the four.",
    ],
    share=number("The probability", "1 - 0.2 + 0.2 / 4", to=6e-4, say=say_share, slips="""
        0.8             | The random draw takes the greedy arm too, once in four.
        0.8 + 0.2 / 3   | The random draw is among all four arms, not among the three others.
        0.05            | That is the probability of each other arm.
        0.2             | That is how often it explores. Add the two ways of taking the greedy arm, 1 - ε and ε/4.
        0.95            | ε = 0.2 here; the greedy arm gets 1 - ε + ε/4.
        0.925           | That is for ε = 0.1.
        0.75            | The random draw may hit the greedy arm: ε/4 is added, not subtracted.
        1.6             | The random draw hits each arm with probability ε/4, not 4ε.
        0.79            | That is the expected reward. The probability comes first.
        0.4             | You exchanged ε and 1 - ε: it explores with probability 0.2.
        0.25            | That is a random draw among four. On purpose it is taken with probability 1 - ε.
        0.15            | That is how often the other three are pulled together.
        0.9             | That would be for two arms: the random draw is among four here.
        1               | It goes on exploring: the greedy arm has 1 - ε + ε/4.
        0.6             | ε is subtracted once; and the random draw may hit the greedy arm.
        1 / 15          | The draw is among all four arms. And asked is how often the best arm is pulled.
        """),
    ceiling=number("The expected reward", "0.8 * 1 + 0.2 * (1 + 0 + 0 - 1.2) / 4", to=6e-4, say=say_ceiling, slips="""
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
        0.84              | The best arm's part of the random draw is counted twice: 0.85 of the best arm, or 0.8 of it
            and 0.2 of a random one.
        0.77              | The other three arms have 0.05 each, 0.15 together, if the best one has 0.85.
        0.81              | A random arm is worth (1 + 0 + 0 - 1.2)/4, which is negative.
        0.74              | The best arm, worth 1, is in the random draw as well: (1 + 0 + 0 - 1.2)/4.
        -0.05             | That is what a random arm is worth. It is drawn with probability 0.2 only.
        -0.01             | That is the part of the exploring pulls. Add 0.8 times the best value.
        0.16              | You exchanged ε and 1 - ε: it explores with probability 0.2.
        0.56              | The random draw does not always hit the last arm: it is worth the mean of the four.
        0.61              | The last arm is pulled with probability ε/4 = 0.05, not 0.2.
        0.67              | The last arm is pulled with probability ε/4 = 0.05; 0.15 is that of three arms.
        0.75              | The mean of a random arm, -0.05, is drawn with probability 0.2 only.
        1.04              | The last arm's mean is -1.2, and it is one of four arms that the draw may hit.
        0.68              | Other arms pay too: 0.8 of the best arm, and 0.2 of a random one.
        0.95 * 1 - 0.06   | The greedy arm is pulled with 0.85: 0.05 of it is the draw's quarter.
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
        (np.array([0.0, 5.0, -1.0]), np.array([4, 0, 2]), 6, 0.9),  # a mean that is 0, and a start that is not
    ]
    N = rng.integers(0, 6, size=(3, 4))
    cases.append((rng.normal(size=(3, 4)), N, 19, 1.3))
    cases.append((rng.normal(size=(2, 3)), np.array([[0, 7, 1], [2, 3, 4]]), 9, 0.6))
    return cases


def odd_bounds(case, got, wanted):
    """Say that only the arms with N = 0 are wrong, or how wide the doubt of another one is."""
    (Q, N, t, c), got = case, np.asarray(got, dtype=float)
    if (
        got.shape != np.shape(wanted)
        or np.isnan(got).any()
        or any(np.allclose(got, np.round(wanted, d)) for d in (1, 2, 3))
    ):
        return None
    tried, right = N > 0, np.isclose(got, wanted)
    if right[tried].all():
        return f"Right where N > 0. Where N is 0 the bound is np.inf; yours is {got[~right][0]:.4g}."
    q, n, mine, wide = (np.asarray(x)[tried & ~right][0] for x in (Q, N, got, wanted))
    return (
        f"For an arm with Q = {q:.4g}, N = {n:g}, at t = {t} and c = {c:g} you add {mine - q:.5g} to Q. The doubt"
        f" there is {wide - q:.5g}: c times the root of ln t / N."
    )


task("26.d", "Your upper bounds", bounds, cases=tables, what="The bounds", complain=odd_bounds,
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
        c * np.sqrt(np.log(t) / np.maximum(N, 1)) => np.sqrt(c * np.log(t) / np.maximum(N, 1)) | c stands before the
            root, not under it.
        c * np.sqrt => c**2 * np.sqrt | c enters once, not squared.
        c * np.sqrt => c + np.sqrt | c is a factor of the root: it is not added.
        c * np.sqrt => np.sqrt(c) * np.sqrt | c stands before the root, not under it.
        np.log(t) => np.log2(t) | Use the natural logarithm; you used base 2.
        np.log(t) => (2 * np.log(t)) | The 2 of (26.7) is the square of c = √2. In (26.8) c stands for all of it.
        np.log(t) / np.maximum(N, 1) => np.log(t) / (2 * np.maximum(N, 1)) | The 2 of Hoeffding's exponent is in c
            already: (26.8) has ln t over N.
        np.log(t) => np.log(t + 1) | t counts the pulls so far: no 1 is added.
        np.log(t) => np.log(max(t - 1, 1)) | t counts the pulls so far: no 1 is subtracted.
        np.log(t) => np.log(np.maximum(N, 1)) | The logarithm is of t, the pulls of all arms together. With its own N
            a neglected arm would never be asked again.
        np.log(t) => t | The logarithm of t is missing: its doubts would grow far too fast.
        np.log(t) => np.log(t)**2 | ln t enters once under the root, not squared: it stands under the root with N.
        np.log(t) / np.maximum(N, 1) => np.log(t / np.maximum(N, 1)) | Only t stands in the logarithm: N divides it.
        np.log(t) / np.maximum(N, 1) => np.log(np.maximum(t / np.maximum(N, 1), 1)) | Only t stands in the logarithm: N
            divides it.
        np.log(t) / np.maximum(N, 1) => np.maximum(N, 1) / np.log(t) | The fraction is upside down: the doubt shrinks
            with the arm's own N and grows with ln t.
        np.log(t) / np.maximum(N, 1) => np.log(t) / t | Divide by the arm's own N: each arm has its own doubt.
        np.log(t) / np.maximum(N, 1) => np.log(t) / np.sum(N, axis=-1, keepdims=True) | Divide by the arm's own N: each
            arm has its own doubt.
        Q + width => (Q + c) * width / c | Only the root is multiplied by c: Q is added to the product.
        Q + width => width - Q | Q is added to the doubt, not subtracted.
        Q + width => Q / np.maximum(N, 1) + width | Q is the mean already: it is not divided by N again.
        Q + width => Q + 2 * width | The doubt is added once: the bound lies one width above Q.
        Q + width => Q + width.max(axis=-1, keepdims=True) | Each arm has a doubt of its own, by its own N.
        Q + width => np.maximum(Q, width) | The doubt is added to Q: do not take the larger of the two.
        Q + width => np.minimum(Q + width, 1) | Nothing is cut off: a bound may exceed 1, and must, to compare arms.
        np.where(N > 0, Q + width, np.inf) => np.where(N > 0, Q + width, np.inf).sum(axis=-1) | Each arm has its own
            bound: nothing is summed.
        N > 0 => N > 1 | An arm that was pulled once has a mean: only N = 0 is infinite.
        N > 0 => Q != 0 | Whether an arm is new is said by its N. A mean may be 0, and a start may be anything.
        np.maximum(N, 1) => N ;; N > 0 => Q != 0 | Whether an arm is new is said by its N. A mean may be 0, and a start
            may be anything.
        N > 0 => Q > 0 | Whether an arm is new is said by its N. A mean may be 0 or less, and a start may be anything.
        N > 0 => (N > 0).all(axis=-1, keepdims=True) | Only the arm with N = 0 is infinite: the others of its row keep
            their bounds.
        N > 0 => (N > 0).all() | Only the arms with N = 0 are infinite: the others keep their bounds.
        Q + width, np.inf => Q + width, -np.inf | An arm that was never pulled comes first: its bound is plus infinity.
        Q + width, np.inf => Q + width, np.nan | An arm that was never pulled comes first: give it np.inf.
        np.where(N > 0, Q + width, np.inf) => np.where(N > 0, Q + width, np.inf).argmax(axis=-1) | That is the arm to
            pull. Asked are the bounds of all arms.
        np.where(N > 0, Q + width, np.inf) => np.where(N > 0, Q + width, np.inf).max(axis=-1) | That is the largest
            bound. Asked are the bounds of all arms.
        """,
    right="Right. The next cell lets your bounds play the test bed.",
    explanation="(26.8), with an infinite bound for an arm that was never pulled, so that all are tried first.",
)  # fmt: skip


def say_price(v):
    """Say why the regret cannot be v, or ask for its factors."""
    if v > 4000:
        return f"The regret is not {v:g}: even the worst arm, pulled always, costs 4,000."
    if v < 1:
        return (
            f"The regret is not {v:g}. Knowing the order does not end the exploring: one pull in ten of 10,000 is still"
            " random."
        )
    return f"The regret is not {v:g}. How many of 10,000 pulls explore, and what does a random arm cost on average?"


task("26.e", "The price of never stopping",
    start="Suppose all means are known. What does one exploring pull cost on average?",
    hints=["A random arm costs the mean of the gaps: (0 + 0.2 + 0.4)/3.", "One pull in ten explores: 1,000 of 10,000."],
    cost=number("The regret", "10_000 * 0.1 * (0 + 0.2 + 0.4) / 3", to=0.6, say=say_price, slips="""
        300   | The random draw takes the best arm as well: divide by three arms.
        600   | Divide by the number of arms: the random arm costs the mean of the gaps.
        2000  | Only every tenth pull explores.
        0.02  | That is the cost of one pull. Multiply by 10,000.
        20    | 10,000 pulls, not 1,000.
        100   | The mean gap of the three arms is 0.2.
        1800  | That is what the other pulls are: they cost nothing here.
        400/3 | Each arm, the best one too, is drawn with probability 0.1/3: add 0, 0.2 and 0.4 times that.
        8 * np.log(10_000) * (1 / 0.2 + 1 / 0.4) | That is the leading term of UCB's bound (26.11).
        400   | 0.4 is the gap of the worst arm. A random arm costs the mean of the three gaps.
        200/3 | The arm with gap 0.4 is drawn as often as that with 0.2: add both.
        1000  | That is how many pulls explore. What does each cost on average?
        2000/3 | That is how many pulls of poor arms there are. Each costs its own gap.
        6000  | Only every tenth pull explores, and a random arm costs the mean of the gaps, not their sum.
        3000  | Only every tenth pull explores, and the random draw takes the best arm as well.
        4000  | Only every tenth pull explores, and a random arm costs the mean gap, not the largest.
        9000  | That is how many pulls exploit, and they cost nothing here.
        2700  | The exploring pulls cost, one in ten; and the random draw takes the best arm as well.
        5400  | The exploring pulls cost, one in ten; and a random arm costs the mean of the gaps.
        0.2   | That is the mean gap, the cost of one exploring pull. How many of them are there?
        0.03  | That is the cost of one pull, and the draw takes the best arm as well. Multiply by 10,000.
        0.06  | That is ε times the sum of the gaps, for one pull. Take their mean, and multiply by 10,000.
        0.04  | That is for one pull, with the largest gap. Take the mean of the gaps, and multiply by 10,000.
        180   | The draw takes any arm with probability 0.1 in all 10,000 pulls: no factor 0.9.
        0.02 * np.log(10_000) | Every pull adds 0.02: multiply by T, not by ln T.
        0.2 * np.log(10_000)  | One pull in ten costs 0.2 on average, for ever: multiply by T, not by ln T.
        np.log(10_000)        | That is ln T alone. Every pull costs ε times the mean gap.
        0.6   | That is the sum of the gaps. A random arm costs their mean, in one pull of ten.
        60    | 10,000 pulls, not 1,000; and a random arm costs the mean of the gaps.
        40    | 10,000 pulls, not 1,000; and a random arm costs the mean of the gaps, not the largest.
        """),
    kind=spelt("The growth", "B", "ABC", slips="""
        A | It does not stop growing: every pull adds the same amount on average.
        C | A logarithm grows ever more slowly. Here every pull adds the same amount on average.
        """),
    right="Right. And that is what an agent pays that makes no mistake at all when it exploits.",
    explanation="Each pull costs ε times the mean gap, 0.1 · 0.2 = 0.02: 200 after 10,000 pulls, in proportion to T.",
)  # fmt: skip


def say_two(v):
    """Say why two pulls cannot be worth v, or ask for the second one."""
    if v < 1:
        return f"The value is not {v:.4g}: two blind pulls give 1 already, so the best play gives no less."
    if v > 4 / 3:
        return f"The value is not {v:.4g}: even who knows both coins has 2/3 a pull on average, 4/3 in all."
    return (
        f"The value is not {v:.4g}. The first pull is worth 1/2. What is the best second pull worth after a success,"
        " what after a failure, and how often does each happen?"
    )


def say_gain(v):
    """Ask for what is compared."""
    return f"The gain is not {v:.4g}. It is the best value minus what two blind pulls are worth: 1/2 each."


task("26.f", "Two pulls, solved by hand",
    start="The first pull is worth 1/2 whatever you do. What do you know after it?",
    hints=[
        "After a success the arm's mean is 2/3, after a failure 1/3; the other arm's is 1/2.",
        "1/2 + 1/2 · max(2/3, 1/2) + 1/2 · max(1/3, 1/2).",
    ],
    value=number("The value", "1/2 + 1/2 * 2/3 + 1/2 * 1/2", to=6e-4, say=say_two, slips="""
        1       | 1 is what two blind pulls give, and staying whatever came. Let the first pull decide: stay or change?
        7 / 6   | After a failure change to the other arm, which is worth 1/2.
        4 / 3   | Only after a success, in half of the games, is the arm worth 2/3.
        7 / 12  | That is the second pull alone. Add the first.
        13 / 24 | That is the mean a pull. Asked is the sum.
        1.25    | A success makes Beta(2, 1), with mean 2/3. The share of successes, 1, forgets the prior.
        1.125   | A success makes Beta(2, 1), with mean 2/3, not 3/4.
        5 / 6   | After a failure there is a second pull as well: of which arm?
        2 / 3   | That is the arm's mean after a success. Add the first pull, and weigh success and failure.
        1 / 2   | That is the first pull. There are two.
        3 / 4   | After a success stay: that arm's mean is 2/3. And after a failure there is a second pull too.
        11 / 12 | You leave after a success and stay after a failure: the other way round.
        17 / 12 | The second pull is worth 2/3 only after a success, in half of the games.
        3 / 2   | Nobody knows the better arm: after a success its mean is 2/3, after a failure take the other, 1/2.
        2       | That would need coins that never fail. The first pull is worth 1/2.
        7 / 8   | After a success the mean is 2/3, and after a failure the other arm's is 1/2.
        """),
    gain=number("The gain", "1/2 + 1/2 * 2/3 + 1/2 * 1/2 - 1", to=6e-4, say=say_gain, slips="""
        13 / 12 | That is the value. Subtract what two blind pulls are worth.
        1 / 6   | The gain comes after a success only, in half of the games.
        1 / 24  | Asked is the gain over both pulls together.
        7 / 12  | Two blind pulls give 1, not 1/2.
        0       | Knowledge is worth something here: after a success you stay, after a failure you leave.
        1 / 3   | The gain is what 13/12 has more than two blind pulls, which give 1.
        1 / 4   | A success makes the mean 2/3, not 1: the gain is what the value has more than 1.
        1 / 8   | A success makes the mean 2/3, not 3/4: the gain is what the value has more than 1.
        5 / 12  | Two blind pulls give 1/2 each, together 1. Subtract that.
        11 / 12 | That is what the value lacks to 2. Subtract two blind pulls, which give 1.
        1 / 13  | That is the gain as a share of the value. Asked is the difference.
        1       | That is what two blind pulls give. How much more is the best value?
        1 / 2   | That is one blind pull. How much more than two of them is the best value?
        2 / 3   | That is the arm's mean after a success. Asked is what the value exceeds 1 by.
        """),
    right="Right. A twelfth of a reward is what one observation is worth here.",
    explanation="1/2 + 1/2 · 2/3 + 1/2 · 1/2 = 13/12; two blind pulls give 1.",
)  # fmt: skip


def say_pulled(v):
    """Say which way the pulled arm goes, or ask for the factors."""
    if v > 0:
        return f"The pulled arm's H is not {v:.4g}: a reward of 2 lies below the baseline 5, so it falls from 0."
    return f"The pulled arm's H is not {v:.4g}. It is a product of three: the step, R - B and 1 - π. What is each?"


def say_other(v):
    """Say which way the other arm goes, or ask for the factors."""
    if v < 0:
        return f"The other arm's H is not {v:.4g}: the pulled arm falls, so the other one rises from 0."
    return f"The other arm's H is not {v:.4g}. It is a product of three: the step, R - B and 0 - π. What is each?"


task("26.g", "One step of preference",
    start="Which probabilities do equal preferences give?",
    hints=[
        "π = (1/2, 1/2): the pulled arm gets α(R - B)(1 - 1/2), the other α(R - B)(0 - 1/2).",
        "R - B = 2 - 5 = -3.",
    ],
    pulled=number("The pulled arm's H", "0.4 * (2 - 5) * (1 - 0.5)", to=6e-4, say=say_pulled, slips="""
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
        -0.3 | The factor 1 - π is ½, and it enters once.
        0.8  | That is α R. Subtract the baseline from the reward, and multiply by 1 - π.
        2.8  | The baseline is subtracted, R - B; and the factor 1 - π is missing.
        4.4  | The step is added to the preference, which was 0, not to the baseline.
        -1   | The reward is missing: (R - B) is 2 - 5.
        -2   | The reward is missing, R - B is 2 - 5; and so is the factor 1 - π.
        0.2  | Multiply by R - B, too: 2 - 5.
        1.5  | R - B = 2 - 5 is negative, and the step 0.4 is missing.
        3    | R - B = 2 - 5 is negative. Multiply it by the step and by 1 - π.
        2    | That is the reward. The preference moves by α(R - B)(1 - π).
        3.5  | The baseline is subtracted, R - B; and the step 0.4 is missing.
        -0.75 | Multiply by the step 0.4; the factor 1 - π = ½ enters once.
        0.3  | R - B = 2 - 5 is negative, and the factor 1 - π = ½ enters once.
        0.5  | That is the probability π. Asked is the preference after the step.
        -6   | Multiply by 1 - π = ½ and by the step 0.4: do not divide.
        -2.4 | Multiply by 1 - π = ½: do not divide by it.
        -7.5 | Multiply by the step 0.4 and by 1 - π.
        1 / (1 + np.exp(0.6)) | That is a probability after a step of one arm. Asked are the preferences.
        1 / (1 + np.exp(1.2)) | That is a probability after the step. Asked are the preferences.
        """),
    other=number("The other arm's H", "0.4 * (2 - 5) * (0 - 0.5)", to=6e-4, say=say_other, slips="""
        0    | The arms that were not pulled move too, the other way.
        -0.6 | The other arm moves against the pulled one: its preference rises.
        -0.4 | Subtract the baseline from the reward: 2 - 5.
        1.2  | The factor of an arm that was not pulled is 0 - π = -½.
        -1.2 | The factor of an arm that was not pulled is 0 - π = -½.
        0.3  | The factor 0 - π is -½, and it enters once.
        1.5  | Multiply by the step 0.4.
        3    | Multiply by the step 0.4 and by 0 - π = -½.
        -1.4 | The baseline is subtracted: R - B.
        0.5  | That is the probability π. Asked is the preference after the step.
        0.24 | The step 0.4 enters once.
        """),
    slips="""
        (0.6, -0.6) | R - B = 2 - 5 is negative: the pulled arm falls, the other one rises. The pulled arm's comes
            first.
        (1.4, 2.6)  | The step is added to the preferences, which were 0, not to the reward.
        """,
    right="Right. A reward of 2 is bad news where 5 is usual: the arm loses.",
    explanation="0.4 · (2 - 5) · (1 - 0.5) = -0.6 and 0.4 · (2 - 5) · (0 - 0.5) = +0.6.",
)  # fmt: skip


def say_first(v):
    """Say why the first reward cannot weigh v, or ask for the factors."""
    if not 0 < v <= 0.2:
        return f"The first reward's weight is not {v:.4g}: it came with weight 0.2 and has only shrunk since."
    return (
        f"The first reward's weight is not {v:.4g}. How many rewards came after it, and what did each multiply it by?"
    )


def say_start(v):
    """Say why the start cannot weigh v, or ask for the factors."""
    if not 0 < v <= 1:
        return f"The starting value's weight is not {v:.4g}: it was 1 and has only shrunk since."
    return f"The starting value's weight is not {v:.4g}. It was 1. By what does each of four updates multiply it?"


task("26.h", "What the first reward still weighs",
    start="How often has the first reward been multiplied by 1 - α since it came?",
    hints=[
        "(26.19): reward i of n weighs α(1 - α)^(n-i).",
        "0.2 · 0.8³ for the first of four; 0.8⁴ is left for Q₀.",
    ],
    first=number("The first reward's weight", "0.2 * 0.8**3", to=6e-5, say=say_first, slips="""
        0.2 * 0.8**4 | The reward came with weight α and was shrunk three times since, not four.
        0.25         | That is its weight in the mean. A constant step forgets.
        0.2          | That is the newest reward's weight.
        0.8**3       | It came with weight α = 0.2.
        0.8**4       | That is the weight of the starting value. The first reward's comes first.
        0.2**4       | α only once: afterwards it is multiplied by 1 - α.
        0.2 * 0.8**2 | Three rewards came after the first: three factors 1 - α.
        0.2**3 * 0.8 | α once and 1 - α three times: you have it the other way round.
        0.1 * 0.9**3 | That is for α = 0.1.
        0.2 * 0.8    | That is the weight of the last reward but one. Three rewards came after the first.
        0.2**2       | α only once: afterwards it is multiplied by 1 - α, three times.
        0.8          | That is the factor of one update. The first reward came with weight α and met it three times.
        0.2 * 0.8**5 | Three rewards came after the first: three factors 1 - α.
        0.2**2 * 0.8**2 | α once and 1 - α three times.
        1 - 0.8**4   | That is what the four rewards weigh together. Asked is the first one's weight.
        1 - 0.8**3   | That is what the three later rewards weigh together. Asked is the first one's weight.
        0            | With a constant step no reward vanishes wholly.
        1            | Only a step of 1 would give it all the weight, and then only until the next reward.
        3 * 0.2 * 0.8 | 1 - α is multiplied three times, not times three: a power.
        """),
    start_weight=number("The starting value's weight", "0.8**4", to=6e-5, say=say_start, slips="""
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
        1            | That is its weight before the first reward. Each of four updates multiplies it by 1 - α.
        0.8**2       | Four rewards, four factors.
        0.25         | With a constant step each update multiplies the start by 1 - α.
        4 * 0.8      | 1 - α is multiplied four times, not times four: a power.
        1 - 0.8**3   | Each of four updates multiplies the start by 1 - α: nothing is taken from 1.
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
    (np.array([[0.99, 1.0, 0.2], [3.1, 0.0, 3.0], [2.0, 2.0, -1.0]]), 0.4),  # a near tie is none
]


def odd_policy(case, got, wanted):
    """Say that the probabilities of a row do not sum to 1, or that other arms than the best ones are favoured."""
    Q, got = np.atleast_2d(case[0]), np.asarray(got, dtype=float)
    if got.shape != np.shape(wanted) or any(np.allclose(got, np.round(wanted, d)) for d in range(5)):
        return None
    for q, p in zip(Q, np.atleast_2d(got)):
        given, best = f"For Q = {q.tolist()} and ε = {case[1]:g}", q == q.max()
        if abs(p.sum() - 1) > 1e-6:
            return (
                f"{given} your probabilities sum to {p.sum():.4g}. Each arm gets ε/k, and the arms with the largest"
                " Q share 1 - ε: that makes 1."
            )
        mine = p > p.min() + 1e-9
        if mine.any() and not best.all() and (mine != best).any():
            return (
                f"{given} you favour the arms with Q = {q[mine].tolist()}. All arms with the largest Q, {q.max():g},"
                " share the 1 - ε, and no others."
            )
        if not np.isclose(p[~best], case[1] / len(q)).all():
            return f"{given} an arm that is not best has its ε/k of the random draw only. Yours has {p[~best][0]:.4g}."
    return None


task("26.1", "ε-greedy with ties", policy, cases=POLICIES, what="The probabilities", complain=odd_policy,
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
        epsilon / Q.shape[-1] + (1 - epsilon) * greedy => np.full(Q.shape, 1 / Q.shape[-1]) | That is a random draw
            alone. The arms with the largest Q get 1 - ε beside.
        epsilon / Q.shape[-1] + (1 - epsilon) * greedy => np.where(best.sum(axis=-1, keepdims=True) > 1, 1 /
            Q.shape[-1], epsilon / Q.shape[-1] + (1 - epsilon) * best) | In a tie only the best arms share the 1 - ε:
            the others keep their ε/k.
        epsilon / Q.shape[-1] + (1 - epsilon) * greedy => np.cumsum(epsilon / Q.shape[-1] + (1 - epsilon) * greedy,
            axis=-1) | Those are cumulative sums. Asked is the probability of each arm.
        epsilon / Q.shape[-1] + (1 - epsilon) * greedy => (epsilon / Q.shape[-1] + (1 - epsilon) * greedy).max(axis=-1)
            | That is the largest probability. Asked are those of all arms.
        epsilon / Q.shape[-1] + (1 - epsilon) * greedy => (1 - epsilon) * greedy | Exploring is missing: every arm gets
            ε/k beside.
        epsilon / Q.shape[-1] + (1 - epsilon) * greedy => epsilon / Q.shape[-1] + 0 * greedy | That is the exploring
            part alone. The arms with the largest Q share the rest, 1 - ε.
        epsilon / Q.shape[-1] + (1 - epsilon) * greedy => (1 - epsilon) / Q.shape[-1] + epsilon * greedy | You exchanged
            ε and 1 - ε: ε is the share of the random pulls.
        epsilon / Q.shape[-1] + (1 - epsilon) * greedy => (epsilon / Q.shape[-1] + (1 - epsilon) * best) /
            best.sum(axis=-1, keepdims=True) | Only 1 - ε is shared among the best. ε/k belongs to each arm.
        epsilon / Q.shape[-1] + (1 - epsilon) * greedy => (epsilon / Q.shape[-1] + (1 - epsilon) * best) / (epsilon +
            (1 - epsilon) * best.sum(axis=-1, keepdims=True)) | Share the 1 - ε among the best, and all sums to 1 by
            itself. To divide all by its sum shrinks the exploring part as well.
        epsilon / Q.shape[-1] + (1 - epsilon) * greedy => epsilon / Q.shape[-1] - (1 - epsilon) * greedy | The greedy
            part is added.
        epsilon / Q.shape[-1] + => epsilon / (Q.shape[-1] - 1) + | Exploring draws among all k arms: ε/k each.
        epsilon / Q.shape[-1] + => epsilon / 4 + | Four arms are one example. Here k is the length of the last axis.
        epsilon / Q.shape[-1] + => epsilon * Q.shape[-1] + | Exploring gives each of the k arms ε/k, not kε.
        epsilon / Q.shape[-1] + => epsilon * Q / Q.sum(axis=-1, keepdims=True) + | Exploring draws all arms alike,
            whatever their Q.
        (1 - epsilon) * greedy => (1 - epsilon / Q.shape[-1]) * greedy | The greedy part is 1 - ε. The ε/k comes
            beside it, for every arm.
        (1 - epsilon) * greedy => (1 - epsilon + epsilon / Q.shape[-1]) * greedy | You add the greedy arm's ε/k twice:
            every arm has it already.
        greedy = best / best.sum(axis=-1, keepdims=True) => greedy = best / Q.shape[-1] | Only the best arms share the
            1 - ε: divide by how many they are, not by k.
        greedy = best / best.sum(axis=-1, keepdims=True) => greedy = np.eye(Q.shape[-1])[Q.shape[-1] - 1 - Q[...,
            ::-1].argmax(axis=-1)] | You take the last of several equal arms. Ties share the probability.
        Q == Q.max(axis=-1, keepdims=True) => Q == Q.max(axis=0, keepdims=True) | The arms of one bandit stand in a row:
            take the largest along the last axis, not the first.
        best.sum(axis=-1, keepdims=True) => best.sum(axis=0, keepdims=True) | The arms of one bandit stand in a row:
            count the ties along the last axis, not the first.
        Q == Q.max(axis=-1, keepdims=True) => abs(Q) == abs(Q).max(axis=-1, keepdims=True) | The largest Q, not the one
            farthest from 0: a negative value is a poor one.
        Q == Q.max(axis=-1, keepdims=True) => Q >= Q.mean(axis=-1, keepdims=True) | Greedy means the largest Q, not all
            above the mean.
        """,
    right="Right. This one line plays a single bandit, thousands of them, or a table of all states.",
    explanation="ε/k for all, and 1 - ε shared by the arms whose Q is largest.",
)  # fmt: skip


def softmax_base(Q, b):
    scores = Q * np.log(b)
    powers = np.exp(scores - scores.max())
    return powers / powers.sum()


def odd_shares(case, got, wanted):
    """Say that the shares are negative, do not sum to 1, or are wrong for large values only."""
    got = np.asarray(got, dtype=float)
    if got.shape != np.shape(wanted):
        return None
    given = f"For Q = {case[0].tolist()} and b = {case[1]:g}"
    if np.max(np.abs(case[0])) > 100:
        return (
            f"{given} yours are {np.round(got, 4).tolist()}; they should be {np.round(wanted, 4).tolist()}. Only"
            " differences of exponents count: subtract the largest one, and nothing needs to be cut off."
        )
    if np.any(got < 0):
        return f"{given} some of yours are negative. Powers of b are positive, and so are their shares."
    if abs(got.sum() - 1) > 1e-6:
        return f"{given} yours sum to {got.sum():.4g}. Shares of a sum make 1: what is divided by what?"
    if any(np.allclose(got, np.round(wanted, d)) for d in range(1, 5)) or np.any(got[:1] == 0):
        return None
    ratios = [" : ".join(f"{r:.4g}" for r in p / p[0]) for p in (got, wanted)]
    return f"{given} yours stand as {ratios[0]}. The powers b^Q stand as {ratios[1]}."


task("26.2", "Powers of a base", softmax_base, what="The probabilities", complain=odd_shares,
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
        Q * np.log(b) => Q / np.log(b) | b^Q = exp(Q ln b): multiply by ln b. The temperature is its inverse, 1/ln b.
        Q * np.log(b) => Q * np.log2(b) | Use the natural logarithm with exp; you used base 2.
        Q * np.log(b) => -Q * np.log(b) | A minus too many: with b > 1 large values must win.
        Q * np.log(b) => Q * np.log(b + 1) | The base is b itself: no 1 is added.
        Q * np.log(b) => Q * np.log(b) / Q.max() | Q is the exponent as it is: to divide it by its largest changes the
            ratios. Subtract the largest exponent.
        Q * np.log(b) => Q / Q.sum() * np.log(b) | Q is the exponent as it is: it is not made a share first.
        Q * np.log(b) => abs(Q) * np.log(b) | A negative Q gives a small power. Keep its sign.
        scores.max()) => scores.mean()) | With the mean or the smallest exponent subtracted, the largest may still
            overflow. Subtract the largest: then no power exceeds 1.
        np.exp(scores - scores.max()) => np.exp(scores.max() - scores) | The difference is the other way round: the
            largest exponent is subtracted from each.
        np.exp(scores - scores.max()) => np.exp(scores / abs(scores).max()) | To divide the exponents by their largest
            changes the ratios. Subtract it.
        np.exp(scores - scores.max()) => np.exp(scores / scores.max()) | To divide the exponents by their largest
            changes the ratios. Subtract it.
        np.exp(scores - scores.max()) => b ** (scores - scores.max()) | The base enters twice: b^Q is exp(Q ln b), or b
            to the power Q without the logarithm.
        np.exp(scores - scores.max()) => np.exp2(scores - scores.max()) | That is a power of 2. With ln b in the
            exponent use exp.
        np.exp(scores - scores.max()) => (scores - scores.min()) | The powers are missing: take exp of the exponents.
        powers / powers.sum() => powers / len(Q) | Divide by the sum of the powers, not by the number of arms.
        powers / powers.sum() => powers / np.sqrt((powers**2).sum()) | Divide by the sum of the powers, not by their
            length as a vector: probabilities sum to 1.
        powers / powers.sum() => np.log(powers / powers.sum()) | Those are logarithms of the probabilities.
        powers / powers.sum() => powers.sum() | That is the sum to divide by. Asked are the shares of all arms.
        powers / powers.sum() => powers.argmax() | That is the likeliest arm. Asked are the probabilities of all arms.
        powers / powers.sum() => (powers == powers.max()) / (powers == powers.max()).sum() | That is greedy. Soft-max
            gives every arm a share.
        powers / powers.sum() => powers / (powers.sum() - powers) | Those are odds. Divide by the sum of all powers.
        powers / powers.sum() => 1 - powers / powers.sum() | Those are the probabilities of the other arms.
        powers / powers.sum() => np.cumsum(powers / powers.sum()) | Those are cumulative sums. Asked is each arm's own.
        powers / powers.sum() => (powers / powers.sum()).max() | That is the largest probability. Asked are all.
        powers / powers.sum() => np.sort(powers / powers.sum()) | Keep the order of the arms: do not sort.
        scores = Q * np.log(b) => scores = Q ;; powers / powers.sum() => (powers / powers.sum()) ** b | b is the base of
            the powers: b^Q. It is no exponent of the shares.
        scores = Q * np.log(b) => scores = Q ;; powers / powers.sum() => b * powers / powers.sum() | b is the base of
            the powers: b^Q. It is no factor of the shares.
        scores = Q * np.log(b) => scores = (Q - Q.min()) / (Q.max() - Q.min()) * np.log(b) | Q is the exponent as it is:
            to scale it changes the ratios.
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


def odd_value(case, got, wanted):
    """Say what the value of a short game consists of."""
    n, s1, f1, s2, f2 = case
    if np.size(got) != 1:
        return None
    given = f"With n = {n}, s1 = {s1}, f1 = {f1}, s2 = {s2}, f2 = {f2} yours is {float(np.squeeze(got)):.5g}"
    if n == 0:
        return f"{given}. With no pull left nothing more is won."
    means = f"{(1 + s1) / (2 + s1 + f1):.4g} and {(1 + s2) / (2 + s2 + f2):.4g}"
    if n == 1:
        return f"{given}. One pull is worth the larger of the means, {means}."
    if n == 2 and s1 + f1 + s2 + f2 == 0:
        return (
            f"{given}, but 13/12 is right: 1/2 + 1/2 · 2/3 + 1/2 · 1/2, as in 26.f. What do you have after a success?"
        )
    return (
        f"{given}; it should be {wanted:.5g}. The means are {means}, and one pull is right: what does a pull leave"
        " behind, in counts and in pulls?"
    )


task("26.3", "The best possible value", best_value, what="The value", rtol=1e-9, complain=odd_value,
    cases=[(2, 0, 0, 0, 0), (1, 3, 1, 0, 2), (3, 1, 0, 0, 2), (5, 2, 1, 0, 0), (4, 0, 3, 1, 1), (5, 1, 0, 3, 1),
           (0, 1, 2, 3, 4)],
    start="What is a pull worth, and in which state does it leave you?",
    hints=[
        "The posterior mean of an arm with s successes and f failures is (1 + s)/(2 + s + f).",
        "m (1 + V after a success) + (1 - m) (V after a failure), for each arm; take the larger.",
    ],
    slips=["""
        return max(first, second) => return (first + second) / 2 | You averaged over the arms. The best player takes
            the better one.
        return max(first, second) => return first | You pull the first arm for ever. Take the larger of the two.
        return max(first, second) => return max(m1, m2) + best_value(n - 1, s1, f1, s2, f2) | What the pull teaches is
            lost: the counts must go on, and the next pull may go to the other arm.
        return max(first, second) => return second if m1 > m2 else first | You take the arm with the smaller mean.
            Compare what the two pulls are worth, and take the larger.
        return max(first, second) => return (m1 * first + m2 * second) / (m1 + m2) | You mix the arms by their means.
            The best player takes the better pull.
        return max(first, second) => return m1 + m2 + best_value(n - 1, s1, f1, s2, f2) | A pull takes one arm, and
            leaves its counts changed.
        return max(first, second) => return (m1 + best_value(n - 1, s1 + 1, f1, s2, f2)) if m1 >= m2 else (m2 +
            best_value(n - 1, s1, f1, s2 + 1, f2)) | Not every pull succeeds: after a failure, with probability 1 - m, f
            grows.
        return max(first, second) => return first if m1 >= m2 else second | That is the greedy player. Compare the
            values of the pulls, not their means: knowledge is worth something.
        (1 + s1) / (2 + s1 + f1), (1 + s2) / (2 + s2 + f2) => (s1 / max(s1 + f1, 1)), (s2 / max(s2 + f2, 1)) | With a
            uniform prior the mean is (1 + s)/(2 + s + f), ½ before the first pull.
        return max(first, second) => return second | Only the second arm earns anything in yours. Take the larger of
            the two pulls, and count the 1 of a success for both.
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
        (1 - m1) * best_value(n - 1, s1, f1 + 1, s2, f2) => (1 - m1) * (1 + best_value(n - 1, s1, f1 + 1, s2, f2)) ;; (1
            - m2) * best_value(n - 1, s1, f1, s2, f2 + 1) => (1 - m2) * (1 + best_value(n - 1, s1, f1, s2, f2 + 1)) |
            Every pull earns 1 in yours. A failure pays nothing, and chance chooses between success and failure, not
            you.
        s1, f1 + 1, s2, f2 => s1, f1, s2, f2 ;; s1, f1, s2, f2 + 1 => s1, f1, s2, f2 | A failure is counted, too: f
            grows by 1.
        s1 + 1, f1, s2, f2 => s1, f1, s2, f2 ;; s1, f1, s2 + 1, f2 => s1, f1, s2, f2 | A success is counted, too: s
            grows by 1.
        s1, f1, s2 + 1, f2 => s1 + 1, f1, s2, f2 ;; s1, f1, s2, f2 + 1 => s1, f1 + 1, s2, f2 | A pull of the second arm
            changes s2 or f2.
        return max(first, second) => return first + second | Only one of the arms is pulled: take the larger value.
        return max(first, second) => return min(first, second) | That is the worst play. Take the larger of the two.
        return max(first, second) => return max(first, second) / n | That is a mean a pull. Asked is the sum over all
            n pulls.
        return max(first, second) => return 1 if first >= second else 2 | That is an arm. Asked is what the best pull is
            worth.
        return max(first, second) => return max(m1, m2) | That is one pull. Add what the pulls after it are worth.
        return 0.0 => return 1.0 | With no pull left nothing more is won: V₀ = 0.
        return 0.0 => return max((1 + s1) / (2 + s1 + f1), (1 + s2) / (2 + s2 + f2)) | With no pull left nothing more
            is won: V₀ = 0. Yours makes one pull too many.
        return 0.0 => return s1 + s2 | Asked are the successes of the n pulls to come, without those that were seen.
        return 0.0 => return s1 + s2 ;; m1 * (1 + best_value => m1 * (best_value ;; m2 * (1 + best_value => m2 *
            (best_value | Asked are the successes of the n pulls to come, without those that were seen.
        n == 0 => n <= 1 | The last pull pays, too: with one pull left the value is the larger mean.
        n == 0: => n <= 1: ;; return 0.0 => return max((1 + s1) / (2 + s1 + f1), (1 + s2) / (2 + s2 + f2)) | With no
            pull left nothing more is won: V₀ = 0.
        (1 + s1) / (2 + s1 + f1), (1 + s2) / (2 + s2 + f2) => (0.5 + s1) / (1 + s1 + f1), (0.5 + s2) / (1 + s2 + f2) | A
            uniform prior counts as one success and one failure, not as half of each: (1 + s)/(2 + s + f).
        (1 + s1) / (2 + s1 + f1), (1 + s2) / (2 + s2 + f2) => (1 + s1) / (3 + s1 + f1), (1 + s2) / (3 + s2 + f2) | A
            uniform prior counts as one success and one failure: 2 + s + f.
        (1 + s1) / (2 + s1 + f1), (1 + s2) / (2 + s2 + f2) => s1 / (2 + s1 + f1), s2 / (2 + s2 + f2) | A uniform prior
            adds one success above the line, too: 1 + s.
        (1 + s1) / (2 + s1 + f1), (1 + s2) / (2 + s2 + f2) => (1 + s2) / (2 + s2 + f2), (1 + s1) / (2 + s1 + f1) | The
            means of the two arms are exchanged.
        best_value(n - 1, s1 + 1, f1, s2, f2) => best_value(n - 1, s1, f1 + 1, s2, f2) ;; (1 - m1) * best_value(n - 1,
            s1, f1 + 1, s2, f2) => (1 - m1) * best_value(n - 1, s1 + 1, f1, s2, f2) ;; best_value(n - 1, s1, f1, s2 + 1,
            f2) => best_value(n - 1, s1, f1, s2, f2 + 1) ;; (1 - m2) * best_value(n - 1, s1, f1, s2, f2 + 1) => (1 - m2)
            * best_value(n - 1, s1, f1, s2 + 1, f2) | After a success s grows, after a failure f: you have it the other
            way round.
        best_value(n - 1, s1 + 1, f1, s2, f2) => best_value(n - 1, s1 + 1, f1 + 1, s2, f2) ;; best_value(n - 1, s1, f1,
            s2 + 1, f2) => best_value(n - 1, s1, f1, s2 + 1, f2 + 1) | After a success only s grows.
        best_value(n - 1, s1, f1 + 1, s2, f2) => best_value(n - 1, s1 + 1, f1 + 1, s2, f2) ;; best_value(n - 1, s1, f1,
            s2, f2 + 1) => best_value(n - 1, s1, f1, s2 + 1, f2 + 1) | After a failure only f grows.
        best_value(n - 1, s1 + 1, f1, s2, f2) => best_value(n - 1, s1, f1, s2 + 1, f2) ;; best_value(n - 1, s1, f1 + 1,
            s2, f2) => best_value(n - 1, s1, f1, s2, f2 + 1) | A pull of the first arm changes s1 or f1.
        + (1 - m1) * best_value(n - 1, s1, f1 + 1, s2, f2) => ;; + (1 - m2) * best_value(n - 1, s1, f1, s2, f2 + 1) => |
            After a failure the game goes on as well: its value is missing.
        m1 * (1 + best_value(n - 1, s1 + 1, f1, s2, f2)) => m1 + best_value(n - 1, s1 + 1, f1, s2, f2) ;; m2 * (1 +
            best_value(n - 1, s1, f1, s2 + 1, f2)) => m2 + best_value(n - 1, s1, f1, s2 + 1, f2) | What follows a
            success counts with the probability of a success, too.
        (1 - m1) * best_value(n - 1, s1, f1 + 1, s2, f2) => best_value(n - 1, s1, f1 + 1, s2, f2) ;; (1 - m2) *
            best_value(n - 1, s1, f1, s2, f2 + 1) => best_value(n - 1, s1, f1, s2, f2 + 1) | What follows a failure
            counts with the probability of a failure, 1 - m.
        (1 - m1) * best_value(n - 1, s1, f1 + 1, s2, f2) => (1 - m1) * (best_value(n - 1, s1, f1 + 1, s2, f2) - 1) ;; (1
            - m2) * best_value(n - 1, s1, f1, s2, f2 + 1) => (1 - m2) * (best_value(n - 1, s1, f1, s2, f2 + 1) - 1) | A
            failure pays 0. It costs nothing but the pull.
        m1 * (1 + best_value(n - 1, s1 + 1, f1, s2, f2)) => m1 * (1 + 0.9 * best_value(n - 1, s1 + 1, f1, s2, f2)) ;; (1
            - m1) * best_value(n - 1, s1, f1 + 1, s2, f2) => (1 - m1) * 0.9 * best_value(n - 1, s1, f1 + 1, s2, f2) ;;
            m2 * (1 + best_value(n - 1, s1, f1, s2 + 1, f2)) => m2 * (1 + 0.9 * best_value(n - 1, s1, f1, s2 + 1, f2))
            ;; (1 - m2) * best_value(n - 1, s1, f1, s2, f2 + 1) => (1 - m2) * 0.9 * best_value(n - 1, s1, f1, s2, f2 +
            1) | Nothing is discounted here: every success counts 1.
        """,
        (lambda n, *counts: best_value(n, 0, 0, 0, 0), "Start from the counts that are given, not from none."),
        (lambda n, s1, f1, s2, f2: best_value(n, f1, s1, f2, s2), "Successes and failures are exchanged."),
        (lambda n, *counts: best_value(n, *counts) - n / 2,
            "That is the gain over blind pulls of fresh coins. Asked is the value."),
        (lambda n, *counts: best_value(n, *counts) - best_value(max(n - 1, 0), *counts),
            "That is what the last pull adds. Asked is the value of all n."),
        (lambda n, *counts: n - best_value(n, *counts), "Those are the failures. Asked are the successes."),
    ],
    right="Right. best_value(10, 0, 0, 0, 0) is 6.0218: nobody can do better with two unknown coins.",
    explanation="(26.15), with the posterior means of Beta(1 + s, 1 + f).",
)  # fmt: skip


def commit_regret(m, T, gap):
    from math import erfc

    wrong = 0.5 * erfc(gap * (m / 2) ** 0.5 / 2**0.5)
    return m * gap + (T - 2 * m) * gap * wrong


def odd_regret(case, got, wanted):
    """Say what the regret consists of."""
    (m, T, gap), rest = case, case[1] - 2 * case[0]
    if np.size(got) != 1 or any(np.allclose(got, round(wanted, d)) for d in range(4)):
        return None
    after = "no pull is left after it"
    if rest:
        after = f"a wrong verdict, with probability {(wanted / gap - m) / rest:.4g}, spoils the other {rest} pulls"
    return (
        f"With m = {m}, T = {T}, gap = {gap:g} yours is {float(np.squeeze(got)):.5g}; it should be {wanted:.5g}."
        f" The trial costs {m * gap:g}; {after}. Which part differs?"
    )


task("26.4", "Explore, then commit", commit_regret, what="The regret", rtol=1e-7, complain=odd_regret,
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
        gap * (m / 2) ** 0.5 / 2**0.5 => gap / 2**0.5 | A mean of m rewards has variance 1/m: m is missing in the
            probability.
        gap * (m / 2) ** 0.5 / 2**0.5 => gap * m / 2 / 2**0.5 | 2/m is the variance of the difference. Divide the gap by
            its root.
        gap * (m / 2) ** 0.5 / 2**0.5 => gap * m / 2**0.5 | Divide the gap by the standard deviation √(2/m) of the
            difference.
        gap * (m / 2) ** 0.5 / 2**0.5 => gap * (m / 4) ** 0.5 / 2**0.5 | The difference of two means has variance 2/m,
            and Φ(-x) = ½ erfc(x/√2): a factor √2 is too many.
        gap * (m / 2) ** 0.5 / 2**0.5 => gap * (2 / m) ** 0.5 / 2**0.5 | The longer the trial, the rarer a wrong
            verdict: divide the gap by √(2/m).
        gap * (m / 2) ** 0.5 / 2**0.5 => gap / m ** 0.5 / 2**0.5 | The longer the trial, the rarer a wrong verdict:
            divide the gap by √(2/m).
        gap * (m / 2) ** 0.5 / 2**0.5 => (m / 2) ** 0.5 / 2**0.5 | The gap is missing in the probability: the larger it
            is, the rarer a wrong verdict.
        gap * (m / 2) ** 0.5 / 2**0.5 => gap**2 * (m / 2) ** 0.5 / 2**0.5 | The gap enters the probability once, not
            squared.
        gap * (m / 2) ** 0.5 / 2**0.5 => gap * ((m - 1) / 2) ** 0.5 / 2**0.5 | Each arm has m rewards, and the variance
            1 is known: no 1 is subtracted.
        wrong = 0.5 * erfc(gap * (m / 2) ** 0.5 / 2**0.5) => wrong = 0.5 - 0.5 * erfc(gap * (m / 2) ** 0.5 / 2**0.5) |
            That is ½ erf. Φ(-x) is ½ erfc(x/√2), the tail.
        wrong = 0.5 * erfc(gap * (m / 2) ** 0.5 / 2**0.5) => wrong = 0.5 | A trial is better than a coin: the worse arm
            wins it with probability Φ(-Δ√(m/2)).
        m * gap + (T - 2 * m) * gap * wrong => T * gap * wrong | In the trial the worse arm is pulled m times, whatever
            the verdict.
        m * gap + (T - 2 * m) * gap * wrong => m * gap - (T - 2 * m) * gap * wrong | What follows the trial costs, too:
            add it.
        m * gap + (T - 2 * m) * gap * wrong => (m * gap + (T - 2 * m) * gap * wrong) / T | That is a mean a pull. Asked
            is the sum.
        m * gap + (T - 2 * m) * gap * wrong => (T - 2 * m) * wrong | Each pull of the worse arm costs Δ, and the trial
            pulls it m times.
        m * gap + (T - 2 * m) * gap * wrong => T * gap | That is the regret of the worse arm for ever. It is kept only
            after a wrong verdict.
        m * gap + (T - 2 * m) * gap * wrong => wrong | That is the probability of a wrong verdict. What does it cost?
        m * gap + => m + | Each pull of the worse arm costs Δ, in the trial as well.
        m * gap + => m * gap / 2 + | In the trial the worse arm is pulled m times, not m/2.
        m * gap + => m * gap * wrong + | In the trial the worse arm is pulled m times for certain.
        (T - 2 * m) => (T - 2 * m - 1) | After 2m pulls T - 2m are left: no 1 is subtracted.
        (T - 2 * m) => (T - 2 * m + 1) | After 2m pulls T - 2m are left: no 1 is added.
        (T - 2 * m) => (T - m / 2) | The trial takes m pulls of each of two arms: T - 2m are left.
        m * gap + (T - 2 * m) => 2 * m * gap + (T - m) | Only the worse arm costs in the trial, m pulls; and 2m pulls
            are over after it.
        m * gap + (T - 2 * m) => m * gap / 2 + (T - m) | Each arm is pulled m times: the trial has 2m pulls.
        m * gap + (T - 2 * m) => gap + (T - 2) | The trial has m pulls of each arm, not one.
        m * gap + => m * gap * (1 - wrong) + | In the trial the worse arm is pulled m times, whatever the verdict.
        m * gap + => m**0.5 * gap + | In the trial the worse arm is pulled m times: no root.
        * gap * wrong => * gap * wrong**2 | One wrong verdict is enough: its probability is not squared.
        * gap * wrong => * gap * wrong * (1 - wrong) | The worse arm is kept after a wrong verdict, with its probability
            alone.
        (T - 2 * m) * gap * wrong => T * gap * wrong - 2 * m | The 2m pulls of the trial are taken from T: they cost gap
            times the probability each, too.
        m * gap + (T - 2 * m) * gap * wrong => max(m * gap, (T - 2 * m) * gap * wrong) | Trial and wrong verdict both
            cost: add them.
        m * gap + (T - 2 * m) * gap * wrong => m + (T - 2 * m) * gap**2 * wrong | Each pull of the worse arm costs Δ
            once, in the trial and after it.
        (m / 2) ** 0.5 => (T / 2) ** 0.5 | The verdict rests on the m rewards of the trial, not on T.
        0.5 * erfc(gap * (m / 2) ** 0.5 / 2**0.5) => 2.718281828459045 ** (-2 * m * gap**2) | That is Hoeffding's bound
            for rewards in [0, 1]. Asked is the exact probability, of normal rewards.
        0.5 * erfc(gap * (m / 2) ** 0.5 / 2**0.5) => 2.718281828459045 ** (-m * gap**2 / 2) | That is an upper bound of
            an error of one mean. Asked is the exact probability, for the difference of two.
        0.5 * erfc(gap * (m / 2) ** 0.5 / 2**0.5) => (m / 4 / np.pi) ** 0.5 * np.exp(-m * gap**2 / 4) | That is the
            density at 0. Asked is the probability below it.
        """,
    right="Right. Too short a trial commits to the wrong arm, too long a one wastes pulls.",
    explanation="mΔ for the trial, (T - 2m)Δ Φ(-Δ√(m/2)) for what follows it.",
)  # fmt: skip

"""Tasks and exercises of chapter 30: cells, one step of many methods, scores, returns, baselines, tries that add up."""

import numpy as np

from mlteach.exercises.slips import wrong_values
from mlteach.exercises.tasks import chosen, number, task


def _no_place(value):
    """Say why a number cannot be one of the places 0 to 12."""
    if value % 1:
        return "A place is a whole number. Divide the distance from the left end, -1.2, by the gap, and round."
    if value < 0 or value > 12:
        return "Thirteen points, counted from 0, have the places 0 to 12. Measure from the left end, -1.2."
    return f"Point {value:.0f} lies at {-1.2 + 0.15 * value:.2f}. Is no other one nearer to -0.65?"


def _other_error(value):
    """Say which error δ would give the weights, or that none does."""
    first, second = (value[0] - 3) / 0.1, (value[1] - 1) / 0.2
    if abs(first - second) < 0.1:
        return (
            f"Your weights move by {first / 10:.3g} times φ(s). That should be α δ with α = 0.1 and δ the target "
            "r + γ Q(s', a') minus Q(s, a) = 3 · 1 + 1 · 2."
        )
    return (
        f"The weights move by α δ φ(s), the second one twice as far as the first; yours move by {value[0] - 3:.3g} "
        f"and {value[1] - 1:.3g}."
    )


def _other_fit(value):
    """Say that a wrong factor is no minimum of the squared errors."""
    slope = 2 * (2 * value - 3) + 3 * (3 * value - 3)
    return (
        f"With w' = {value:.3g} w the two errors are {2 * value - 3:.3g} w and {3 * value - 3:.3g} w. Multiplied by "
        f"their features and added they give {slope:.3g} w; at the minimum that is 0."
    )


def _other_factor(value):
    """Say what remains of the factor at a wrong critical discount."""
    return f"At γ = {value:.3g} a round multiplies w by γ · 15/13 = {value * 15 / 13:.3g}. At the critical γ it is 1."


def _other_score(value):
    """Say why two numbers are no score of action 0, or which probabilities they belong to."""
    if abs(value.sum()) > 0.02:
        return "The entries of this score sum to 0: one more in both preferences changes no probability."
    if 0 <= value[0] <= 1:
        return f"That would be right if π(0) were {1 - value[0]:.3g}. The odds are e⁰ to e^(ln 3), 1 to 3."
    return "The score of an action is its feature minus a mean of features: no entry is beyond 1 here."


def _other_walker(p, who):
    """Return a function that says which walker has a wrong value, or that none has."""

    def say(v):
        if v > -11.65:
            return "No walker is worth more than -11.66 (30.19), and each step costs 1. Put p into the formula again."
        if not np.isfinite(v):
            return f"Only p = 0 and p = 1 never arrive. {who} has p = {p:g}."
        root = np.sqrt((2 - v) ** 2 + 16 * v)
        low, high = sorted((v - 2 + side * root) / (2 * v) for side in (1, -1))
        return f"That is the value at p = {low:.3g} and at p = {high:.3g}. {who} has p = {p:g}."

    return say


def _other_step(value):
    """Say what is wrong with a step: its length or its direction."""
    if abs(size := float(np.hypot(*value))) < 1e-9:
        return "For neither knob is not moving it the best of the three averages: there is a step."
    if abs(size - 1) > 0.02:
        return f"A step has the length η = 1; yours has {size:.3g}. Divide A by its own length."
    if min(value) <= 0:
        return "The length is right, a sign is not: for both knobs the upward tries did better than the downward ones."
    return (
        f"The length is right, the direction not: with 7 - 1 = 6 for a, you have {6 * value[1] / value[0]:.3g} for b. "
        "Up minus down: b was moved up once and down twice."
    )


task("30.a", "Cells of a robot",
    start="How many combinations do four sensors have? And which of the 13 points is nearest?",
    hints=["Multiply the numbers of cells of all sensors.", "13 points have 12 gaps: (-0.65 + 1.2) / 1.8 · 12 = 3.67."],
    count=number("The number of cells", "20**4", to=0.5, slips="""
        80    | Cells multiply, they do not add: each cell of one sensor goes with all of the others.
        20    | That is one sensor. There are four.
        400   | That is two sensors. There are four.
        8000  | That is three sensors. There are four.
        20**5 | That is five sensors. There are four.
        4**20 | Base and exponent are exchanged: that is twenty sensors with 4 cells each.
        260   | The 13 points belong to the car. Each of the robot's four sensors has 20 cells.
        1600  | That is 4 · 20 · 20. Each of the four sensors makes twenty times as many cells.
        160   | Each further sensor makes twenty times as many cells, not twice as many.
        13**4 | Each of the robot's sensors has 20 cells; the 13 points belong to the car.
        19**4 | Count the 20 cells themselves, not the gaps between them.
        21**4 | Count the 20 cells themselves, not their 21 edges.
        20 * 19 * 18 * 17 | Two sensors may well show the same number: each has all 20 cells, whatever the others show.
        4845  | Sensors are told apart, and may show the same number: nothing is chosen without order here.
        24    | Four sensors with 20 cells each, all combined: 20 times itself, four times.
        4     | That is the place of the car's point. The number of cells comes first.
        """, say=lambda value: "One sensor has 20 cells, and each further one makes twenty times as many."),
    place=number("The place", 4, to=1e-6, slips="""
        3  | 13 points have 12 gaps between them, and 3.67 is nearer to 4: neither 13 cells nor decimals cut off.
        2  | Point 2 lies at -0.90. Is no other one nearer to -0.65?
        5  | Places are counted from 0.
        8  | Count from the left end, -1.2.
        9  | Count from the left end, -1.2, and from 0.
        7  | That is 0.55 times 12 or 13. Divide by the length of the axis, 1.8, as well.
        12 | That is the right end, or the place of +0.65: the car stands at -0.65.
        -4 | No place is negative: measure from the left end, -0.65 - (-1.2).
        -0.6 | That is where the nearest point lies. Which number has it, counted from 0?
        0.55 | That is the distance from the left end. How many gaps are that?
        0.15 | That is the gap between two points. How many of them lie left of the car?
        (-0.65 + 1.2) / 0.15 | That is the place on the scale. The nearest point has a whole number.
        3.67  | That is the place on the scale. The nearest point has a whole number.
        3.6667 | That is the place on the scale. The nearest point has a whole number.
        3.667 | That is the place on the scale. The nearest point has a whole number.
        (-0.65 + 1.2) / 1.8 * 13 | 13 points have 12 gaps between them; a place is a whole number.
        3.97  | 13 points have 12 gaps between them; a place is a whole number.
        """, say=_no_place),
    right="Right. One more sensor, and the table is twenty times as large.",
    explanation="20⁴ = 160,000. (-0.65 + 1.2)/1.8 · 12 = 3.67, so point 4.",
)  # fmt: skip

task("30.b", "Half a gradient",
    start="What does the linear Q say of (s, a) at first, and how wrong is it?",
    hints=["Q(s, a) = 3 · 1 + 1 · 2 = 5; the target is -1 + 0.5 · 6.", "δ = -3; add 0.1 · δ · φ(s)."],
    weights=number("The new weights", [2.7, 0.4], to=6e-3, slips="""
        [3.3, 1.6]  | The error is target minus guess: 2 - 5. It is negative.
        [2.7, 0.7]  | Each weight moves by its own feature: the second one twice as far.
        [2.4, 0.7]  | The features are exchanged: φ(s) = (1, 2), the first weight moves by 1 times the error.
        [0, -5]     | The step size is missing.
        [-0.3, -0.6] | That is the change. Add it to the old weights.
        [3, 1]      | Those are the old weights: your δ is 0. Is the discount missing in the target, -1 + 0.5 · 6?
        [2.9, 0.8]  | You took δ = -1. The reward is -1, not 1, and Q(s, a) = 3 · 1 + 1 · 2.
        [2.8, 0.6]  | You took δ = -2. Is the reward missing in the target, or a feature in Q(s, a) = 3 · 1 + 1 · 2?
        [2.75, 0.5] | Only the next guess is discounted, not the reward.
        [3.2, 1.4]  | The guess Q(s, a) = 5 must be subtracted from the target.
        [2.4, -0.2] | You took δ = -6. The target is -1 + 0.5 · 6, Q(s, a) is 3 · 1 + 1 · 2, and the error counts once.
        [2.5, 0]    | You took δ = -5. Is the target missing, or are the features exchanged in Q(s, a)?
        [2.1, 0.7]  | The error is multiplied by the features φ(s) = (1, 2), not by the weights.
        [2.7, 1]    | The second weight moves as well: by α δ times its feature 2.
        [3, 0.4]    | The first weight moves as well: by α δ times its feature 1.
        [2.7, -0.2] | The features enter once: α δ φ, not their squares.
        [2.94, 0.88] | Do not divide by the length of φ or its square: the step is α δ φ(s).
        [2.85, 0.7] | Half of it: the ½ before the square cancels its 2. The step is α δ φ(s).
        [1.5, -2]   | You took 0.5 as the step size. That is γ; α = 0.1.
        [0.3, -4.4] | The discount and the step size are exchanged: γ = 0.5, α = 0.1.
        [2.9, 1.3]  | The old weights stay whole: add α δ φ(s), do not mix with 1 - α.
        -3          | That is the error δ. Each weight moves by α δ times its own feature.
        2           | That is the target. There are two weights, and each moves by α δ times its feature.
        5           | That is Q(s, a) before the step. The new weights are asked for, two numbers.
        3.5         | That is Q(s, a) after the step. The new weights are asked for, two numbers.
        4.7         | That moves Q(s, a) itself, as a table does. Here the two weights move.
        """, say=_other_error),
    right="Right. Every state that shares these features has moved with it.",
    explanation="δ = -1 + 3 - 5 = -3; θ = (3, 1) + 0.1 · (-3) · (1, 2) = (2.7, 0.4).",
)  # fmt: skip

task("30.c", "Another pair of features",
    start="What are the two targets, in terms of w?",
    hints=["Both targets are 3γw. Minimise (2w' - 3γw)² + (3w' - 3γw)².", "w' = γ (2 · 3 + 3 · 3) / (2² + 3²) w."],
    factor=number("The factor at γ = 1", "(2 * 3 + 3 * 3) / (2**2 + 3**2)", to=6e-3, slips="""
        1.2   | That is the factor for features 1 and 2.
        1.0   | That is the factor if only the second state counts, or if each led to itself: both targets are 3γw.
        1.5   | That is the factor if only the first state counts: 3 / 2.
        13 / 15 | That is its reciprocal, the critical γ. The factor comes first.
        1.25  | Least squares weighs each state by its feature: it is no mean of the two ratios.
        3     | Divide by the sum of the squared features.
        10 / 13 | Both states lead to the second one: both targets are 3γw.
        12 / 13 | Both states lead to the second one: both targets are 3γw, not one of them 2γw.
        18 / 13 | Each target is multiplied by the feature of its own state, 2 and 3: not twice by 3.
        6 / 13 | The term of the second state is missing above.
        9 / 13 | The term of the first state is missing above.
        5 / 13 | The targets are missing above: both are 3γw.
        15 / 4 | The square of the second feature is missing below.
        15 / 9 | The square of the first feature is missing below.
        15 / 25 | Square the features, then add: 2² + 3², not (2 + 3)².
        25 / 13 | Above, each feature goes with its target 3, not the sum of the features with itself.
        15 / 6 | Below stands the sum of the squared features, not their product.
        0.9 * 15 / 13 | That is the factor at γ = 0.9. γ = 1 is asked for.
        """, say=_other_fit),
    critical=number("The critical γ", "13 / 15", to=6e-3, slips="""
        5 / 6 | That is the critical γ of features 1 and 2.
        15 / 13 | That is the factor at γ = 1. The critical γ makes the factor 1.
        2 / 3 | That is the ratio of the features. Set γ times the factor to 1.
        1     | At γ = 1 the factor is above 1 already.
        2 / 13 | That is what the factor exceeds 1 by. Set γ times the factor to 1.
        11 / 13 | Divide 1 by the factor, do not take its excess from 1.
        """, say=_other_factor),
    right="Right. Nearer features, a milder factor; but it is above 1 for some γ < 1 all the same.",
    explanation="w' = γ · 15/13 w. It grows for γ > 13/15 = 0.867.",
)  # fmt: skip

task("30.d", "A score by hand",
    start="What are the two probabilities?",
    hints=["e⁰ = 1 and e^(ln 3) = 3: the probabilities are ¼ and ¾.", "One for the action taken, minus π."],
    score=number("The score of action 0", [0.75, -0.75], to=6e-3, slips="""
        [1, 0]        | You forgot to subtract the mean of the features, Σ π x.
        [0.25, 0.75]  | Those are the probabilities. The score is the feature of the action minus their mean.
        [-0.25, 0.25] | That is the score of action 1.
        [-0.75, 0.75] | The sign: taking action 0 speaks for action 0.
        [0.25, -0.25] | One for the action taken, minus its probability, which is ¼: 1 - ¼.
        [0.5, -0.5]   | That is for θ = (0, 0). Here e^(ln 3) = 3: the probabilities are ¼ and ¾.
        [2 / 3, -2 / 3] | Odds of 1 to 3 are probabilities ¼ and ¾.
        [0.75, 0]     | The mean has two entries, ¼ and ¾. Subtract both.
        [0.1875, -0.1875] | That is the gradient of π itself. The score is the gradient of log π.
        [1, -1]       | You took π = (0, 1), the preferences shared out. A softmax takes exp first: odds of 1 to 3.
        [1 / (1 + np.exp(-3)), -1 / (1 + np.exp(-3))] | You took e³. The preference is ln 3, and e^(ln 3) = 3.
        [1.25, 0.75]  | The mean of the features is subtracted, not added.
        [-0.25, -0.75] | That is the mean of the features, taken away from nothing. It is subtracted from x = (1, 0).
        [0.75, 0.25]  | That is one minus π in both entries. The feature of action 0 is (1, 0): the second is 0 - ¾.
        [0.25, 0]     | The mean of the features has both entries, and it is subtracted from (1, 0).
        [0.75, 0.75]  | Action 1 was not taken: its entry is 0 - ¾.
        [1, -np.log(3)] | That is x - θ. Subtract the mean of the features, weighted by the probabilities.
        [3, -3]       | Do not divide by π once more: ∇log π is the feature minus the mean feature.
        [0, 0]        | That is the mean of the score over both actions. The score of action 0 is asked for.
        0.75          | That is the first entry. A score has one entry for each weight: two.
        0.25          | That is π(0). The score is a vector, with one entry for each weight.
        -np.log(4)    | That is log π(0) itself. The score is its gradient, with one entry for each weight.
        """, say=_other_score),
    right="Right. A rare action has a large score: when it does happen, it says a lot.",
    explanation="π = (¼, ¾); (1, 0) - (¼, ¾) = (¾, -¾).",
)  # fmt: skip


def my_gradient(scores, rewards, gamma, baseline):
    scores = np.asarray(scores, dtype=float)
    T = len(rewards)
    G, ahead = np.zeros(T), 0.0
    for t in reversed(range(T)):
        ahead = rewards[t] + gamma * ahead
        G[t] = ahead
    fade = gamma ** np.arange(T)
    return (fade * (G - baseline)) @ scores


SCORES = np.array([[0.75, -0.75], [-0.25, 0.25], [0.5, -0.4]])
LONGER = np.array([[1.0, 0.2, -0.3], [0.4, -0.6, 0.1], [-0.7, 0.5, 0.9], [0.3, 0.3, -1.1]])

task("30.e", "The gradient of one episode",
    my_gradient,
    cases=[
        (SCORES, [2.0, -1.0, 4.0], 0.5, 0.0),
        (SCORES, [2.0, -1.0, 4.0], 1.0, 1.5),
        (LONGER, [-1.0, 3.0, 0.5, -2.0], 0.9, np.array([0.5, -1.0, 2.0, 0.3])),
        (LONGER[:1], [3.0], 0.7, 1.0),
        (LONGER, [1.0, 1.0, 1.0, 1.0], 0.8, 0.0),
    ],
    what="The gradient",
    slips="""
    G[t] = ahead => G[t] = rewards[t] | Those are the rewards alone. An action is judged by all that follows it.
    rewards[t] + gamma * ahead => rewards[t] + ahead | The discount inside the returns is missing.
    (G - baseline) => (G[0] - baseline) | That is G_0 for all steps: earlier rewards are no merit of an action.
    gamma ** np.arange(T) => np.ones(T) | The factor γᵗ is missing.
    gamma ** np.arange(T) => gamma ** np.arange(1, T + 1) | The first step has the factor γ⁰ = 1.
    (G - baseline) => (G + baseline) | The baseline is subtracted.
    (G - baseline) => (G - G.mean()) | Not the mean of this episode: a baseline must not know the actions.
    (G - baseline) => G | The baseline is missing.
    baseline)) @ scores => baseline)).sum() * scores.mean(axis=0) | Each score goes with its own return; no means first.
    rewards[t] + gamma * ahead => rewards[t] + ahead ;; gamma ** np.arange(T) => np.ones(T) | The discount is missing:
        inside the returns, and as γᵗ before them.
    G[t] = ahead => G[T - 1 - t] = ahead | The returns stand in reverse order: turn the list back after the loop.
    gamma ** np.arange(T) => gamma * np.arange(T) | γᵗ is a power, not a product.
    (G - baseline) => (G[0] - baseline) ;; gamma ** np.arange(T) => np.ones(T) | That is the total return (30.13),
        the same for all steps: earlier rewards are no merit of an action.
    rewards[t] + gamma * ahead => rewards[t] - np.broadcast_to(baseline, T)[t] + gamma * ahead ;; (G - baseline) => G |
        The baseline is subtracted from the return once, not from every reward.
    (fade * (G => -(fade * (G | We climb, and the return comes first: G - b, with no minus sign. That is for libraries
        that minimise.
    G[t] = ahead => G[t] = ahead - rewards[t] | The reward that is paid for a_t itself belongs to G_t.
    G[t] = ahead => G[t] = (ahead - rewards[t]) / gamma | Those are the returns from the next step on. The reward that
        is paid for a_t itself belongs to G_t.
    G[t] = ahead => G[t] = gamma * ahead | The first reward after the action is not discounted: G_t = r + γ (...).
    baseline)) @ scores => baseline)) @ scores / T | A sum over the steps, not their mean: do not divide by T.
    (fade * (G - baseline)) => (fade * G - baseline) | γᵗ multiplies the baseline as well: γᵗ (G - b).
    (fade * (G - baseline)) => (fade * (fade * G - baseline)) | G_t begins at step t with a full reward: no γᵗ inside
        it, one γᵗ before it.
    (fade * (G - baseline)) => (fade * (fade * (G - baseline))) | γᵗ stands there once. G_t begins with a full reward.
    (fade * (G - baseline)) => (G - fade * baseline) | γᵗ multiplies the return as well: γᵗ (G - b).
    gamma ** np.arange(T) => gamma ** np.arange(T)[::-1] | γᵗ counts from the start: the first step has the factor 1.
    gamma ** np.arange(T) => gamma ** np.arange(T, 0, -1) | γᵗ counts from the start: the first step has the factor 1.
    gamma ** np.arange(T) => gamma | The factor is γ to the power of the step, 1 at the first.
    gamma ** np.arange(T) => np.ones(T) ;; (G - baseline) => G | The factor γᵗ and the baseline are missing.
    (G - baseline) => G[0] | That is G_0 for all steps, and the baseline is missing.
    (G - baseline) => G[0] ;; gamma ** np.arange(T) => np.ones(T) | That is the total return (30.13), the same for all
        steps, and with no baseline.
    (G - baseline) => (np.cumsum(fade * rewards) - baseline) | Those are the rewards up to step t. What counts is what
        follows the action.
    (G - baseline) => (np.cumsum(rewards) - baseline) | Those are the rewards up to step t. What counts is what follows
        the action.
    (G - baseline) => (G - G.mean()) / (G.std() + 1e-8) | Not mean and spread of this episode: they know the actions.
        Subtract the baseline that is given.
    (G - baseline) => (G - baseline) / (G.std() + 1e-8) | Do not divide by the spread of the returns: that changes the
        mean of the estimate.
    (G - baseline) => ((G - G.mean()) / (G.std() + 1e-9) - baseline) | Do not standardise the returns: their mean and
        spread know the actions.
    (G - baseline) => baseline | That is the baseline alone. It is subtracted from the return.
    (fade * (G - baseline)) @ scores => (fade * (G - baseline))[:-1] @ scores[:-1] | The last step counts as well.
    (fade * (G - baseline)) @ scores => (fade * (G - baseline))[1:] @ scores[1:] | The first step counts as well.
    (G - baseline) => (G - np.mean(baseline)) | A baseline of length T has its own number for each step, not one mean.
    (G - baseline) => (G - np.ravel(baseline)[0]) | A baseline of length T has its own number for each step.
    (G - baseline) => (G - gamma * baseline) | The baseline stands for the return from step t on: it is not discounted
        once more.
    (G - baseline) => (G / np.arange(T, 0, -1) - baseline) | The return is a sum of rewards, not their mean.
    (fade * (G - baseline)) => (fade * (G - rewards) - baseline) | The reward that is paid for a_t itself belongs to
        G_t, and γᵗ multiplies the baseline as well.
    (G - baseline) => (rewards + gamma * np.append(np.broadcast_to(baseline, T)[1:], 0) - baseline) | That is a TD
        error, with the baseline for the next value, as an actor-critic has it. REINFORCE takes the whole return.
    (G - baseline) => np.maximum(G - baseline, 0) | Worse than expected counts against the action: do not cut at zero.
    (G - baseline) => abs(G - baseline) | Worse than expected counts against the action: keep the sign.
    (fade * (G - baseline)) @ scores => (fade * (G - baseline))[:, None] * scores | Those are the terms of the sum, one
        row a step. Add the rows.
    (fade * (G - baseline)) @ scores => ((fade * (G - baseline))[:, None] * scores).sum(axis=1) | Sum over the steps,
        not over the weights: the gradient has one entry for each weight.
    (fade * (G - baseline)) @ scores => (fade * (G - baseline)).sum() * scores.sum(axis=0) | Each score goes with its
        own return: multiply step by step, then add.
    (fade * (G - baseline)) @ scores => ((fade * (G - baseline))[:, None] * scores).sum() | One number for all weights.
        The gradient has one entry for each: sum over the steps alone.
    (fade * (G - baseline)) @ scores => (fade * (G - baseline)) | Those are the numbers that multiply the scores. The
        scores are missing.
    (fade * (G - baseline)) @ scores => fade[0] * (G[0] - baseline) * scores[0] | That is the first step alone. Add all.
    """,
    start="With which number is the score of step t multiplied?",
    hints=["From the end: G_t = r + γ G_{t+1}.", "Σ_t γᵗ (G_t - b) times row t of scores: a vector times a matrix."],
    right="Right. That is all REINFORCE knows of the world.",
    explanation="Returns from the end, then (γᵗ (G_t - b_t)) @ scores.",
)  # fmt: skip

BASELINES = """
[1, 2] | The mean of earlier episodes is known before this action is drawn: it may be used.
[1] | A baseline may depend on the state, and on earlier episodes.
[1, 2, 3, 4] | Q(s, a) depends on the action itself: it cannot be taken out of the sum over the actions.
[1, 2, 4, 5] | The return of this very episode knows the action. G - G = 0: nothing is learnt.
[1, 2, 3, 4, 5] | Two of them know the action that they are to judge.
[2, 4] | A constant, however silly, leaves the mean alone; it only adds noise.
[1, 4] | V(s) is known before the action is drawn, too: it depends on the state alone.
[4] | That one may be used. Which others are known before the action is drawn?
[1, 2, 3] | Q(s, a) depends on the action itself; the mean of earlier episodes does not.
[2, 3] | Q(s, a) depends on the action itself; a constant and the mean of earlier episodes do not.
[2, 3, 4] | Q(s, a) depends on the action itself; a constant does not.
[2, 4, 5] | The return of this very episode knows the action; a constant does not.
[2] | V is the usual choice. Which others are known before the action is drawn?
[3, 5] | Those are the two that do not leave the mean alone.
"""

ABOUT = {
    1: "A constant does not know the action: it may be used.",
    2: "V(s) depends on the state alone: it may be used.",
    3: "Q(s, a) depends on the action itself.",
    4: "The mean of earlier episodes is known before this action is drawn.",
    5: "The return of this very episode knows the action.",
}


def _subsets(right, listed):
    """Return the mistakes of a table, and all other wrong choices with a sentence for each number that is wrong."""
    known = wrong_values(listed, {})
    for mask in range(1, 2 ** len(ABOUT)):
        choice = {k for k in ABOUT if mask >> (k - 1) & 1}
        if choice != right and all(set(other) != choice for other, _ in known):
            known.append((sorted(choice), " ".join(ABOUT[k] for k in sorted(choice ^ right, key=lambda k: k in right))))
    return known


task("30.f", "Which baselines leave the mean alone?",
    baselines=chosen("The baselines", {1, 2, 4}, 5, first=1, noun="baseline", slips=_subsets({1, 2, 4}, BASELINES)),
    start="Which of the five is known before the action is drawn?",
    hints=["The proof of (30.15) takes b out of the sum over the actions.", "3 and 5 know the action."],
    right="Right. What is known before the action is drawn may be subtracted.",
    explanation="1, 2 and 4 do not depend on the action; 3 and 5 do.",
)  # fmt: skip

task("30.g", "Two walkers in the corridor",
    start="With which probability does each of them go right?",
    hints=["The coin: p = ½. ε-greedy with ε = 0.1: right with 1 - ε + ε/2 = 0.95.", "Put p into (30.19)."],
    coin=number("The coin's value", "2 * (0.5 - 2) / (0.5 * (1 - 0.5))", to=6e-2, slips="""
        12  | Steps cost 1 each: the value is negative.
        -6  | Twice that: the numerator is 2 (p - 2) = -3, the denominator p (1 - p) = 1/4.
        -11.66 | That is the best policy, with p = 0.59. The coin has p = ½.
        -44.21 | That is the ε-greedy walker. The coin comes first.
        -3  | That is the numerator. Divide by p (1 - p).
        0.5 | That is the probability of right. Put it into (30.19).
        -10 | That is the value of the middle cell. The walker begins in the first one.
        20  | The numerator is 2 (p - 2), not 2 (p + 2): each step costs 1, values are negative.
        -1.5 | That is p - 2. The numerator is twice that, and it is divided by p (1 - p).
        """, say=_other_walker(0.5, "The coin")),
    greedy=number("The ε-greedy value", "2 * (0.95 - 2) / (0.95 * (1 - 0.95))", to=6e-2, slips="""
        44.21 | Steps cost 1 each: the value is negative.
        -22.105 | Twice that: the numerator is 2 (p - 2).
        -11.717 | That is p = ½ + ε/2, or the best p = 0.59. Here right is preferred: it has 1 - ε + ε/2 = 0.95.
        -24.44 | With ε = 0.1 half of the exploring steps go right, too: p = 0.95, not 0.9.
        -12   | That is the coin. The ε-greedy walker goes right with probability 0.95.
        -82.1 | The ε-greedy walker that prefers right: p = 0.95; you took p = 0.05.
        0.95  | That is the probability of right. Put it into (30.19).
        -42.22 | You took p = 0.1, the chance to explore. Right is preferred: 1 - ε + ε/2.
        -84.1 | You halved ε twice: p = 0.975. Right has 1 - ε + ε/2 = 0.95.
        -43.16 | That is the value of the middle cell. The walker begins in the first one.
        -2.1  | That is the numerator. Divide by p (1 - p).
        """, say=_other_walker(0.95, "The ε-greedy walker")),
    right="Right. A fair coin is nearly four times as good as the rule that explores a little.",
    explanation="p = ½: -3 / 0.25 = -12. p = 0.95: -2.1 / 0.0475 = -44.2.",
)  # fmt: skip

task("30.h", "A round of six tries",
    start="What is the mean result of the tries that moved a up, and of those that moved it down?",
    hints=["a: up 8 and 6, same 3 and 6, down 1 and 1. b: up 8, same 6, 3, 1, down 6 and 1.",
           "A = (7 - 1, 8 - 3.5) = (6, 4.5), of length 7.5."],
    step=number("The step", [0.8, 0.6], to=6e-3, slips="""
        [6, 4.5]   | That is A. Make it as long as η = 1: divide by its length 7.5.
        [0.6, 0.8] | Exchanged, if yours is A = (6, 4.5): the first entry belongs to a. If not: b moved up once, down
            twice.
        [-0.8, -0.6] | Results are to rise: up minus down.
        [1, 0]     | b suggests something, too: its upward try gave 8, the downward ones 3.5 on average.
        [0.5714, 0.4286] | The length of A is √(6² + 4.5²), not the sum of its entries.
        [0.7071, 0.7071] | The averages differ: a counts more than b. Take averages, not the best or the worst try.
        [0.9965, 0.083] | Those come from sums. Averages: b was moved up once, down twice.
        [1, 0.75]  | The length of A is √(6² + 4.5²), not its largest entry.
        [1, 1]     | That is the best copy. The combined step averages all of them.
        [0, 1]     | A knob stays only if not moving it beats both, up and down.
        [0, 0]     | No: for neither knob is not moving it the best of the three averages.
        [0.4722, 0.8815] | Those come from up minus same. Take up minus down.
        [0.9989, -0.0476] | Those come from same minus down. Take up minus down.
        [6 / 56.25, 4.5 / 56.25] | You divided by the squared length. Divide A by its length 7.5.
        [3, 2.25]  | No halving, and not yet of length 1: A is up minus down, divided by its own length.
        [0.4, 0.3] | The step has the length η = 1: do not halve A/|A|.
        [12, 1]    | Those are differences of sums. Take averages, then make the step as long as η = 1.
        [2, 1 / 6] | Those are sums divided by all six tries. Each average has its own number of tries; then the length.
        [7, 8]     | Those are the averages of the tries that moved up. Subtract those that moved down; then the length.
        [0.6585, 0.7526] | Those are the averages of the upward tries alone. Subtract those of the downward tries first.
        [6, 1]     | Averages for both: b was moved up once and down twice. Then make the step as long as η = 1.
        [1, 0.1667] | The length of A is √(...), and b needs averages: it was moved up once, down twice.
        7.5        | That is the length of A. The step is A divided by it: two numbers.
        """, say=_other_step),
    right="Right. Six noisy results, and a direction for both knobs at once.",
    explanation="a: 7 against 1; b: 8 against 3.5. A = (6, 4.5), divided by 7.5: (0.8, 0.6).",
)  # fmt: skip


def fitted_round(Phi, Phi_next, rewards, gamma, theta):
    Phi, Phi_next = np.asarray(Phi, dtype=float), np.asarray(Phi_next, dtype=float)
    ahead = gamma * Phi_next @ np.asarray(theta)
    y = (rewards + ahead).max(axis=1)
    return np.linalg.lstsq(Phi, y, rcond=None)[0]


def _fitted_case(seed, n, A, m):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, m)), rng.normal(size=(n, A, m)), rng.normal(size=(n, A)), 0.9, rng.normal(size=m)


task("30.1", "One round of fitted value iteration",
    fitted_round,
    cases=[
        (np.array([[1.0], [2.0]]), np.array([[[2.0]], [[2.0]]]), np.zeros((2, 1)), 0.9, np.array([1.0])),
        _fitted_case(1, 7, 3, 2),
        _fitted_case(2, 12, 2, 4),
        (*_fitted_case(3, 6, 4, 3)[:3], 0.5, np.array([1.0, -2.0, 0.5])),
    ],
    what="The weights",
    slips="""
    .max(axis=1) => .mean(axis=1) | The best action, not the mean: that would be the value of a random policy.
    .max(axis=1) => .min(axis=1) | Rewards are to be large: take the maximum.
    gamma * Phi_next => Phi_next | The discount is missing.
    (rewards + ahead).max(axis=1) => np.max(rewards, axis=1) + ahead.max(axis=1) | The reward stands
        inside the maximum: each action has its own reward and its own next state.
    np.linalg.lstsq(Phi, y, rcond=None)[0] => y | Those are the targets. Fit the features to them.
    np.linalg.lstsq(Phi, y, rcond=None)[0] => Phi.T @ y | Least squares also divides by ΦᵀΦ.
    np.linalg.lstsq(Phi, y, rcond=None)[0] => Phi.T @ y / len(Phi) | Least squares divides by the matrix ΦᵀΦ, not by n.
    .max(axis=1) => .max(axis=1).clip(0) | A target may be negative: do not begin the search for the largest at 0.
    .max(axis=1) => .sum(axis=1) | One action is taken, the best: no sum over the actions.
    .max(axis=1) => [:, 0] | That is the first action. The target is that of the best.
    .max(axis=1) => [:, -1] | That is the last action. The target is that of the best.
    (rewards + ahead).max(axis=1) => (rewards + ahead) | One target a state: the maximum over the actions is missing.
    (rewards + ahead).max(axis=1) => (rewards + ahead).argmax(axis=1) | That is which action is best. The target is
        what it is worth.
    (rewards + ahead).max(axis=1) => abs(rewards + ahead).max(axis=1) | The largest value, with its sign.
    (rewards + ahead).max(axis=1) => (gamma * rewards + ahead).max(axis=1) | Only the next value is discounted, not the
        reward.
    (rewards + ahead).max(axis=1) => np.max(rewards, axis=1) | The next value is missing: that is the best reward alone.
    (rewards + ahead).max(axis=1) => ahead.max(axis=1) | The reward is missing in the target.
    (rewards + ahead).max(axis=1) => (rewards - ahead).max(axis=1) | What follows is added to the reward.
    (rewards + ahead).max(axis=1) => (rewards + ahead)[range(len(rewards)), np.argmax(rewards, axis=1)] | You chose the
        action with the largest reward. The best action has the largest sum of reward and next value.
    (rewards + ahead).max(axis=1) => (rewards + ahead)[range(len(rewards)), ahead.argmax(axis=1)] | You chose the action
        with the best next state. The best action has the largest sum of reward and next value.
    (rewards + ahead).max(axis=1) => (rewards + ahead).max(axis=1) - Phi @ theta | Fit the targets themselves, not what
        they differ from the present values by.
    (rewards + ahead).max(axis=1) => (rewards + np.maximum(ahead, 0)).max(axis=1) | Next values may be negative: keep
        them.
    Phi_next @ np.asarray(theta) => (Phi @ np.asarray(theta))[:, None] | Those are the values of the states themselves.
        The target needs the next ones.
    (rewards + ahead).max(axis=1) =>
        (np.exp(rewards + ahead) * (rewards + ahead)).sum(axis=1) / np.exp(rewards + ahead).sum(axis=1) | The target is
        that of the best action: no softmax mean.
    (rewards + ahead).max(axis=1) => np.log(np.exp(rewards + ahead).sum(axis=1)) | The target is that of the best
        action: no soft maximum.
    (rewards + ahead).max(axis=1) => np.max(rewards, axis=1) + ahead.mean(axis=1) | One maximum, of reward plus next
        value, action by action: no mean.
    (rewards + ahead).max(axis=1) => np.mean(rewards, axis=1) + ahead.max(axis=1) | One maximum, of reward plus next
        value, action by action: no mean.
    (rewards + ahead).max(axis=1) => np.full(len(Phi), (rewards + ahead).max()) | Each state has its own maximum, over
        its own actions.
    (rewards + ahead).max(axis=1) => (rewards + ahead).max(axis=1) - (rewards + ahead).max(axis=1).mean() | Fit the
        targets as they are: no mean is taken off.
    (rewards + ahead).max(axis=1) => (rewards + ahead).max(axis=1) / len(Phi) | Fit the targets as they are: nothing is
        divided by n.
    np.linalg.lstsq(Phi, y, rcond=None)[0] => theta | Those are the old weights. Fit new ones to the targets.
    np.linalg.lstsq(Phi, y, rcond=None)[0] => (theta + np.linalg.lstsq(Phi, y, rcond=None)[0]) / 2 | The fit replaces
        the old weights: they are not mixed.
    np.linalg.lstsq(Phi, y, rcond=None)[0] => np.linalg.lstsq(
        Phi_next[range(len(Phi)), (rewards + ahead).argmax(axis=1)], y, rcond=None)[0] | The targets are values of the
        states: fit them by the features of the states, not of what follows.
    np.linalg.lstsq(Phi, y, rcond=None)[0] => np.linalg.lstsq(
        Phi - gamma * Phi_next[range(len(Phi)), (rewards + ahead).argmax(axis=1)],
        np.asarray(rewards)[range(len(Phi)), (rewards + ahead).argmax(axis=1)], rcond=None)[0] | That lets the target
        move with the new weights. In a round the targets are made with the old ones and stand still.
    np.linalg.lstsq(Phi, y, rcond=None)[0] => y.mean() / Phi.mean(axis=0) | Least squares, not a ratio of means.
    gamma * Phi_next => gamma**2 * Phi_next | The discount enters once, the state is one step away.
    np.linalg.lstsq(Phi, y, rcond=None)[0] => Phi @ np.linalg.lstsq(Phi, y, rcond=None)[0] | Those are the fitted
        values. The weights are asked for.
    np.linalg.lstsq(Phi, y, rcond=None)[0] => theta + np.linalg.lstsq(Phi, y, rcond=None)[0] | The fit gives the new
        weights themselves: the old ones are not added.
    np.linalg.lstsq(Phi, y, rcond=None)[0] => np.linalg.solve(Phi.T @ Phi + np.eye(Phi.shape[1]), Phi.T @ y) | That is
        ridge regression. (30.6) has no penalty.
    np.linalg.lstsq(Phi, y, rcond=None)[0] => np.linalg.solve(Phi.T @ Phi + 0.1 * np.eye(Phi.shape[1]), Phi.T @ y) |
        That is ridge regression. (30.6) has no penalty.
    np.linalg.lstsq(Phi, y, rcond=None)[0] => np.linalg.solve(Phi.T @ Phi + 0.01 * np.eye(Phi.shape[1]), Phi.T @ y) |
        That is ridge regression. (30.6) has no penalty.
    np.linalg.lstsq(Phi, y, rcond=None)[0] => theta + 0.1 * Phi.T @ (y - Phi @ theta) | That is a gradient step towards
        the targets. A round fits them by least squares.
    np.linalg.lstsq(Phi, y, rcond=None)[0] => theta + Phi.T @ (y - Phi @ theta) | That is a gradient step towards the
        targets. A round fits them by least squares.
    np.linalg.lstsq(Phi, y, rcond=None)[0] => theta + Phi.T @ (y - Phi @ theta) / len(Phi) | That is a gradient step
        towards the targets. A round fits them by least squares.
    np.linalg.lstsq(Phi, y, rcond=None)[0] =>
        np.linalg.lstsq(np.c_[np.ones(len(Phi)), Phi], y, rcond=None)[0][1:] | Phi has all features: no column of ones
        is added.
    np.linalg.lstsq(Phi, y, rcond=None)[0] => np.linalg.lstsq(np.c_[np.ones(len(Phi)), Phi], y, rcond=None)[0] | Phi has
        all features: no column of ones is added.
    np.linalg.lstsq(Phi, y, rcond=None)[0] => np.linalg.lstsq(Phi, rewards + ahead, rcond=None)[0].max(axis=1) | The
        maximum is taken of the targets, before the fit: not of the weights, after it.
    np.linalg.lstsq(Phi, y, rcond=None)[0] => np.linalg.lstsq(Phi, (rewards + gamma * Phi_next @
        np.linalg.lstsq(Phi, y, rcond=None)[0]).max(axis=1), rcond=None)[0] | Those are two rounds. One is asked for.
    """,
    start="What is the target of one state, and what is fitted to the targets?",
    hints=["(30.6): y_i = max over a of r + γ φ(s')·θ.", "np.linalg.lstsq(Phi, y, rcond=None)[0]"],
    right="Right. Call it again and again; 30.6 says when that is safe.",
    explanation="Phi_next @ theta has shape (n, A); add rewards, take the maximum over actions, fit.",
)  # fmt: skip


def score(theta, x, a):
    x, theta = np.asarray(x, dtype=float), np.asarray(theta, dtype=float)
    h = x @ theta
    p = np.exp(h - h.max())
    p = p / p.sum()
    return x[a] - p @ x


def _large_preferences(case, got, wanted):
    """Say so if only large preferences go wrong."""
    if abs(np.asarray(case[1]) @ np.asarray(case[0])).max() > 500:
        return "It is right for small preferences, not for those of a thousand: first subtract the largest from all."
    return None


X3 = np.array([[1.0, 0.5], [-0.3, 2.0], [0.0, -1.0]])

task("30.2", "The score of a softmax policy",
    score,
    cases=[
        ([0.0, np.log(3.0)], np.eye(2), 0),
        ([0.4, -1.2], X3, 2),
        ([1.5, 0.3], X3, 0),
        ([1.0, 2.0, -0.5], np.array([[1.0, 0.0, 2.0], [0.5, 1.5, -1.0]]), 1),
        ([600.0, 900.0], X3, 1),
        ([-600.0, -900.0], X3, 1),
    ],
    what="The score",
    complain=_large_preferences,
    slips="""
    x[a] - p @ x => x[a] | The mean of the features under the policy is missing: the probabilities must sum to one.
    x[a] - p @ x => p @ x - x[a] | The sign: the feature of the action that was taken comes first.
    x[a] - p @ x => x[a] - x.mean(axis=0) | The mean is weighted by the probabilities.
    x[a] - p @ x => p[a] * (x[a] - p @ x) | That is the gradient of π. The score is the gradient of log π: divide by π.
    np.exp(h - h.max()) => np.exp(h) | exp of a preference of a thousand overflows: first subtract the largest one.
    np.exp(h - h.max()) => np.exp(h - h[0]) | Subtract the largest preference, not the first: exp(900) overflows.
    np.exp(h - h.max()) => np.exp(np.clip(h, -50, 50)) | Clipping changes the policy. Subtract the largest preference.
    x[a] - p @ x => x[a] - x[h.argmax()] | The mean under the policy, not the features of the best action.
    x[a] - p @ x => 1 - p[a] | That is the change by a preference. The features multiply it.
    x[a] - p @ x => np.eye(len(x))[a] - p | That is the slope by the preferences, one entry an action. By the weights:
        features in the place of ones.
    x[a] - p @ x => p @ x | That is the mean of the features under the policy. It is subtracted from x[a].
    x[a] - p @ x => x[a] + p @ x | The mean of the features is subtracted.
    x[a] - p @ x => x[a] - x.sum(axis=0) | The mean is weighted by the probabilities: no plain sum.
    x[a] - p @ x => x[a] * (1 - p[a]) | The mean runs over all actions, not over the one that was taken alone.
    x[a] - p @ x => x[a] - p @ x + p[a] * x[a] | The mean runs over all actions, the one that was taken among them.
    x[a] - p @ x => (x[a] - p @ x) / p[a] | Do not divide by π: (30.10) is the gradient of log π already.
    x[a] - p @ x => (x[a] - p @ x) * theta | The derivative by θ leaves no θ as a factor: only in the probabilities.
    x[a] - p @ x => x[a] - p @ x / len(x) | The probabilities sum to one: no division by the number of actions.
    x[a] - p @ x => x - p @ x | Those are the scores of all actions. Return the row of a.
    x[a] - p @ x => p - p[a] | The score has one entry for each weight: features, not probabilities.
    x[a] - p @ x => h[a] - p @ h | Those are preferences, a number. The score has one entry for each weight: features.
    x[a] - p @ x => np.log(p[a]) | That is log π. The score is its gradient.
    x[a] - p @ x => p[a] * x[a] | The feature of the action taken counts fully, and the mean of all is subtracted.
    x[a] - p @ x => p[a] | That is π. The score is the gradient of its logarithm.
    x[a] - p @ x => x[a - 1] - p @ x | Actions are counted from 0: no a - 1.
    x[a] - p @ x => x[h.argmax()] - p @ x | The feature of the action that was taken, not of the best one.
    x[a] - p @ x => x[a] - p[a] | Subtract the mean of the features, a vector, not a probability.
    x[a] - p @ x => x[a] - theta | Subtract the mean of the features under the policy, not the weights.
    x[a] - p @ x => x[a] - p @ x - theta | The weights themselves are not subtracted.
    x[a] - p @ x => (x[a] - p @ x) / np.linalg.norm(x[a] - p @ x) | A score keeps its length: rare actions have long
        ones.
    x[a] - p @ x => x[(a + 1) % len(x)] - p @ x | Actions are counted from 0: no a + 1.
    x[a] - p @ x => x[min(a + 1, len(x) - 1)] - p @ x | Actions are counted from 0: no a + 1.
    x[a] - p @ x => (x[a] - p @ x).sum() | The score has one entry for each weight: do not add them.
    x[a] - p @ x => (x - p @ x).sum(axis=0) | That adds the scores of all actions. Return that of a.
    x[a] - p @ x => x[a] - (p**2) @ x | The probabilities enter once: no square.
    x[a] - p @ x => x[a] * (1 - 1 / (1 + np.exp(-h[a]))) | That is a sigmoid, of one preference alone. (30.9) shares out
        among all actions.
    x[a] - p @ x => x[a] * p[a] - p @ x | The feature of the action taken counts fully: log π has θᵀx(s, a) in it.
    p = p / p.sum() => p = p | The probabilities are not divided by their sum.
    p = np.exp(h - h.max()) => p = h | Preferences are no probabilities: exp first, then share out.
    np.exp(h - h.max()) => np.exp(h.min() - h) | The sign: a larger preference is likelier.
    np.exp(h - h.max()) => np.exp(-h) | The sign: a larger preference is likelier.
    np.exp(h - h.max()) => np.exp(h.max() - h) | The sign: a larger preference is likelier.
    np.exp(h - h.max()) => np.exp(h / abs(h).max()) | Dividing changes the policy. Subtract the largest preference.
    np.exp(h - h.max()) => np.exp(h / 1000) | Dividing changes the policy. Subtract the largest preference.
    np.exp(h - h.max()) => 2.0 ** (h - h.max()) | The base is e, not 2.
    x[a] - p @ x => x[a] - (np.exp(x - x.max(axis=0)) / np.exp(x - x.max(axis=0)).sum(axis=0) * x).sum(axis=0) | The
        softmax is taken of the preferences θᵀx, one number an action, not of the features.
    """,
    start="Which mean of the features is subtracted?",
    hints=["(30.10): x(s, a) minus the mean of x(s, b) under the policy.",
           "Subtract the largest preference before exp: exp(900) overflows."],
    right="Right. Its mean under the policy is zero, which is why baselines work.",
    explanation="x[a] - p @ x, with p the softmax of x @ theta.",
)  # fmt: skip


def car_step(position, velocity, action):
    velocity = velocity + 0.001 * (action - 1) - 0.0025 * np.cos(3 * position)
    velocity = min(max(velocity, -0.07), 0.07)
    position = min(max(position + velocity, -1.2), 0.6)
    velocity = 0.0 if position <= -1.2 and velocity < 0 else velocity
    return position, velocity


task("30.3", "The car itself",
    car_step,
    cases=[
        (-0.5, 0.0, 2),
        (-1.19, -0.05, 0),
        (0.48, 0.03, 1),
        (-0.9, 0.069, 2),
        (0.1, -0.0695, 0),
        (0.59, 0.06, 2),
        (0.45, 0.001, 0),
        (-1.2, 0.01, 2),
        (-1.1993, -0.001, 0),
        (-1.18, -0.06, 2),
        (-1.0, -0.03, 0),
    ],
    what="The car", names="position, velocity",
    slips="""
    0.0 if position <= -1.2 and velocity < 0 else velocity => velocity | The wall at -1.2 stops the car: v = 0 there.
    0.0 if position <= -1.2 and velocity < 0 => -velocity if position <= -1.2 and velocity < 0 |
        The wall at -1.2 stops the car: it does not bounce.
    (action - 1) => action | Action 0 pushes back, 1 does nothing, 2 pushes forward: action - 1.
    - 0.0025 * np.cos => + 0.0025 * np.cos | Gravity pulls downhill: minus.
    np.cos(3 * position) => np.cos(position) | The slope of the hill is that of sin(3x).
    np.cos(3 * position) => 3 * np.cos(position) | The 3 stands inside the cosine: cos(3x), not 3 cos x.
    np.cos(3 * position) => np.cos(position) ** 3 | The 3 is a factor of x inside the cosine, no power.
    np.cos(3 * position) => np.cos(np.radians(3 * position)) | The angle is in radians as it stands: do not convert.
    np.cos(3 * position) => np.cos(np.degrees(3 * position)) | The angle is in radians as it stands: do not convert.
    np.cos(3 * position) => np.cos(3 * (position + velocity)) | Gravity acts where the car is, not where it is going.
    - 0.0025 * np.cos(3 * position) => - 0.0025 | Gravity depends on the slope: the cosine is missing.
    - 0.0025 * np.cos(3 * position) => - 0 | Gravity is missing.
    - 0.0025 * np.cos => - 0.025 * np.cos | Gravity is 0.0025: look at the zeros.
    - 0.0025 * np.cos => - 0.00025 * np.cos | Gravity is 0.0025: look at the zeros.
    0.001 * (action - 1) => 0.01 * (action - 1) | The engine pushes by 0.001: look at the zeros.
    0.001 * (action - 1) => 0.0001 * (action - 1) | The engine pushes by 0.001: look at the zeros.
    0.001 * (action - 1) => (action - 1) | The engine pushes by 0.001, not by 1.
    0.001 * (action - 1) => 0 | The engine is missing.
    0.001 * (action - 1) - 0.0025 => 0.0025 * (action - 1) - 0.001 | The two constants are exchanged: the engine has
        0.001, gravity 0.0025.
    0.001 * (action - 1) => 0.001 * (1 - action) | Action 2 pushes forward, action 0 back: action - 1.
    0.001 * (action - 1) => 0.001 * (action - 2) | Action 1 does not push: action - 1.
    0.001 * (action - 1) => 0.001 * (action + 1) | Action 1 does not push: action - 1.
    velocity + 0.001 => 0.001 | The old velocity is missing: the pushes change it, they do not replace it.
    velocity = min(max(velocity, -0.07), 0.07) => velocity = velocity ;; < 0 else velocity =>
        < 0 else min(max(velocity, -0.07), 0.07) | The speed is held within ±0.07 first: the position moves by the held
        one.
    velocity = min(max(velocity, -0.07), 0.07) => velocity = min(velocity, 0.07) | The speed is held on both sides:
        backwards, too, it is at most 0.07.
    velocity = min(max(velocity, -0.07), 0.07) => velocity = max(velocity, -0.07) | The speed is held on both sides:
        forwards, too, it is at most 0.07.
    velocity = min(max(velocity, -0.07), 0.07) => velocity = min(max(velocity, 0), 0.07) | A velocity may be negative:
        it is held within ±0.07.
    min(max(position + velocity, -1.2), 0.6) => position + velocity | The position is held within [-1.2, 0.6].
    min(max(position + velocity, -1.2), 0.6) => max(position + velocity, -1.2) | The position has an upper end: 0.6.
    min(max(position + velocity, -1.2), 0.6) => min(position + velocity, 0.6) | The position has a lower end: -1.2.
    min(max(position + velocity, -1.2), 0.6) => min(max(position + velocity, -1.2), 0.5) | The goal is at 0.5; the world
        ends at 0.6.
    min(max(position + velocity, -1.2), 0.6) => min(max(position + velocity, -0.6), 0.6) | The lower end is -1.2.
    min(max(position + velocity, -1.2), 0.6) => min(max(position - velocity, -1.2), 0.6) | A positive velocity moves the
        car forward: add it.
    velocity = velocity + 0.001 => old, velocity = velocity, velocity + 0.001 ;;
        position + velocity, -1.2 => position + (old + velocity) / 2, -1.2 | The position moves by the new velocity, not
        by the mean of old and new.
    0.0 if position <= -1.2 and velocity < 0 => 0.0 if position <= -1.2 or position >= 0.6 | Only the wall at -1.2 stops
        the car; at 0.6 there is none.
    0.0 if position <= -1.2 and velocity < 0 => 0.0 if position >= 0.5 | The car is stopped by the wall at -1.2, not at
        the goal.
    0.0 if position <= -1.2 and velocity < 0 => 0.0 if position <= -1.2 and velocity < 0 or position >= 0.5 | The goal
        does not stop the car: only the wall at -1.2 does.
    0.0 if position <= -1.2 and velocity < 0 => 0.0 if velocity < 0 | The wall stops the car only where the wall is, at
        -1.2.
    0.0 if position <= -1.2 and velocity < 0 => 0.07 if position <= -1.2 and velocity < 0 | The wall stops the car: v =
        0 there.
    0.0 if position <= -1.2 and velocity < 0 => -velocity / 2 if position <= -1.2 and velocity < 0 | The wall at -1.2
        stops the car: it does not bounce.
    position = min(max => old = position; position = min(max ;;
        return position, velocity => return old if position <= -1.2 else position, velocity | The wall stops the car at
        -1.2, not where it was a step before.
    velocity = velocity + 0.001 => old, velocity = velocity, velocity + 0.001 ;;
        velocity = min(max(velocity, -0.07), 0.07) => velocity = velocity if abs(velocity) <= 0.07 else old | Too fast
        becomes ±0.07, not the velocity of before.
    velocity = min(max(velocity, -0.07), 0.07) => velocity = velocity if abs(velocity) <= 0.07 else 0.0 | Too fast
        becomes ±0.07: the car is held, not stopped.
    velocity = velocity + 0.001 => velocity = 0.99 * velocity + 0.001 | (30.1) has no friction: the old velocity counts
        fully.
    (action - 1) => [-1, 1, 0][action] | Action 1 does nothing, action 2 pushes forward.
    (action - 1) => [0, 1, -1][action] | Action 0 pushes back, 1 does nothing, 2 pushes forward.
    (action - 1) => [0, -1, 1][action] | Action 0 pushes back, 1 does nothing, 2 pushes forward.
    return position, velocity => return round(position, 2), round(velocity, 2) | Do not round: a push is 0.001.
    return position, velocity => return round(position, 3), round(velocity, 3) | Do not round: a push is 0.001.
    return position, velocity => return round(position, 4), round(velocity, 4) | Do not round: a push is 0.001.
    return position, velocity => return position - velocity, velocity | That is the position before the step.
    return position, velocity => return velocity, position | The order is position, velocity.
    np.cos(3 * position) => np.sin(3 * position) | The hill is sin(3x); its slope is a cosine.
    position + velocity, -1.2 => position, -1.2 | The position moves by the new velocity.
    velocity = min(max(velocity, -0.07), 0.07) => velocity = velocity | The speed is held within ±0.07.
    velocity = velocity + 0.001 => old, velocity = velocity, velocity + 0.001 ;;
        position + velocity, -1.2 => position + old, -1.2 | The position moves by the new velocity, not by the old one.
    """,
    start="Which comes first, the new velocity or the new position?",
    hints=["Velocity first, held within ±0.07; then the position with the new velocity, held in [-1.2, 0.6].",
           "At the wall -1.2 a negative velocity becomes 0."],
    right="Right. It agrees with Gymnasium's MountainCar-v0.",
    explanation="New velocity, clipped; new position, clipped; the wall stops the car.",
)  # fmt: skip


def combined(signs, results, eta):
    signs, results = np.asarray(signs), np.asarray(results, dtype=float)
    A = np.zeros(signs.shape[1])
    for j in range(len(A)):
        low = results[signs[:, j] == -1].mean()
        same = results[signs[:, j] == 0].mean()
        high = results[signs[:, j] == 1].mean()
        A[j] = 0 if same > low and same > high else high - low
    size = np.sqrt((A**2).sum())
    return A if size == 0 else eta * A / size


def _other_length(case, got, wanted):
    """Say so if a step has another length than η."""
    size, eta = float(np.linalg.norm(np.asarray(got, dtype=float))), case[2]
    if np.shape(got) == np.shape(wanted) and np.any(wanted) and abs(size - eta) > 1e-6 * eta:
        return f"Every step has the length η, here {eta:g}; yours has {size:.3g}. Divide A by its own length |A|."
    return None


SIGNS = np.array([[1, 1], [1, 0], [0, 0], [0, -1], [-1, -1], [-1, 0]])
MORE = np.array([[1, 0, -1], [0, 1, 0], [-1, -1, 1], [1, 1, 1], [0, -1, -1], [-1, 0, 0], [1, -1, 0], [0, 0, 1]])

task("30.4", "A step from many tries",
    combined,
    cases=[
        (SIGNS, np.array([8.0, 6.0, 3.0, 6.0, 1.0, 1.0]), 1.0),
        (SIGNS, np.array([1.0, 2.0, 9.0, 8.0, 2.0, 1.5]), 0.5),
        (MORE, np.array([1.0, 4.0, -2.0, 3.0, 0.5, 2.5, -1.0, 6.0]), 0.2),
        (MORE, np.array([5.0, 1.0, 2.0, -3.0, 0.0, 2.5, 4.0, -1.0]), 2.0),
        (MORE, np.array([7.0, 4.0, 2.0, -1.0, 0.0, -4.0, -4.0, -4.0]), 0.7),
        (SIGNS, np.array([1.0, 1.0, 9.0, 9.0, 9.0, 1.0]), 0.3),
        (SIGNS, np.array([3.0, 3.0, 3.0, 3.0, 3.0, 3.0]), 0.3),
    ],
    what="The step",
    complain=_other_length,
    slips="""
    else high - low => else low - high | Results are to rise: up minus down.
    same > low and same > high => same > low or same > high | Stay only if "same" beats both.
    0 if same > low and same > high else high - low => high - low | Where leaving the entry alone was best, it stays.
    A if size == 0 else eta * A / size => eta * A / size | Where A is zero there is no step: 0/0 is not a number.
    A if size == 0 else eta * A / size => A if size == 0 else A / size | The step has the length η.
    A if size == 0 else eta * A / size => eta * A | Divide by the length of A: results have any scale.
    np.sqrt((A**2).sum()) => abs(A).sum() | The length of A is the root of its squared entries.
    np.sqrt((A**2).sum()) => (A**2).sum() | That is the squared length of A: take the root.
    np.sqrt((A**2).sum()) => abs(A).max() | The length of A is the root of its squared entries, not the largest one.
    A = np.zeros => A, B = np.zeros(signs.shape[1]), np.zeros ;; A[j] = 0 if => B[j] = high - low; A[j] = 0 if ;;
        np.sqrt((A**2).sum()) => np.sqrt((B**2).sum()) | The length is that of A as it is after the zeros are set.
    np.sqrt((A**2).sum()) => A.sum() | The length of A is the root of its squared entries.
    same > low and same > high => same < low and same < high | Stay where "same" is the best of three, not the worst.
    same > low and same > high => same > high | Stay only if "same" beats both: down may be better still.
    same > low and same > high => same > low | Stay only if "same" beats both: up may be better still.
    same > low and same > high => same >= low and same >= high | Stay only if "same" is better than both, not equal.
    same > low and same > high => same > (low + high) / 2 | "Same" must beat both averages, not their mean.
    else high - low => else high - same | Up minus down: the unmoved tries only decide whether to stay.
    else high - low => else same - low | Up minus down: the unmoved tries only decide whether to stay.
    same > low and same > high => same > results.mean() | "Same" must beat the averages of this knob's up and down, not
        the mean of all tries.
    size = np.sqrt => A = signs.T @ (results - results.mean()); size = np.sqrt | No sums of all results: average each
        kind, up minus down, and stay where "same" is best.
    size = np.sqrt => A = np.linalg.lstsq(signs, results, rcond=None)[0]; size = np.sqrt | That is a regression. (30.20)
        compares three averages, knob by knob.
    size = np.sqrt => A = np.linalg.lstsq(np.c_[signs, np.ones(len(signs))], results, rcond=None)[0][:-1]; size =
        np.sqrt | That is a regression. (30.20) compares three averages, knob by knob.
    size = np.sqrt => A = signs[np.argsort(results)[len(results) // 2 :]].mean(axis=0); size = np.sqrt | That is the
        mean of the better half of the tries. (30.20) averages results, knob by knob.
    0 if same > low and same > high else high - low => 0 if low > same and low > high else high - same | Signs 0 and -1
        are exchanged: 0 is not moved, -1 is down.
    0 if same > low and same > high else high - low => 0 if high > same and high > low else same - low | Signs 0 and 1
        are exchanged: 0 is not moved, 1 is up.
    else high - low => else (high if high > low else -low) | Up minus down, not the better of the two alone.
    else high - low => else high | The downward tries are missing: up minus down.
    else high - low => else np.sign(high - low) | How much better counts, not only which way.
    else high - low => else (high - same if high > low else same - low) | Up minus down, not the better one minus same.
    0 if same > low and same > high else high - low => 0 if same >= low and same >= high else np.sign(high - low) | How
        much better counts, not only which way.
    0 if same > low and same > high else high - low => high - results[signs[:, j] < 1].mean() | Three averages: the
        tries that did not move the knob are not among the downward ones.
    0 if same > low and same > high else high - low => results[signs[:, j] > -1].mean() - low | Three averages: the
        tries that did not move the knob are not among the upward ones.
    else high - low => else results[signs[:, j] == 1].max() - results[signs[:, j] == -1].min() | Averages, not the best
        upward and the worst downward try.
    0 if same > low and same > high else high - low => np.argmax([low, same, high]) - 1.0 | How much better counts, not
        only which of the three was best.
    == -1].mean() => == -1].sum() ;; == 0].mean() => == 0].sum() ;; == 1].mean() => == 1].sum() | Averages, not sums:
        each kind has its own number of tries.
    results[signs[:, j] == -1].mean() => np.median(results[signs[:, j] == -1]) ;;
        results[signs[:, j] == 0].mean() => np.median(results[signs[:, j] == 0]) ;;
        results[signs[:, j] == 1].mean() => np.median(results[signs[:, j] == 1]) | The mean of each kind, not the
            median.
    == -1].mean() => == -1].max() ;; == 0].mean() => == 0].max() ;; == 1].mean() => == 1].max() | Averages, not the best
        try of each kind: that one was lucky.
    == -1].mean() => == -1].max() ;; == 1].mean() => == 1].max() | Averages, not the best try of each kind: that one was
        lucky.
    0 if same > low and same > high else high - low =>
        results[signs[:, j] == 1].max() - results[signs[:, j] == -1].max() | Averages, not the best try of each kind:
        that one was lucky; and a knob stays where "same" is best.
    == -1].mean() => == -1].sum() ;; == 1].mean() => == 1].sum() | Averages, not sums: the kinds have different numbers
        of tries.
    np.sqrt((A**2).sum()) => np.sqrt((A**2).sum()) ;; 0 if same > low and same > high else high - low =>
        (results * signs[:, j]).sum() | Averages, not sums: the kinds have different numbers of tries; and a knob stays
        where "same" is best.
    == -1].mean() => == -1].mean() - results.mean() ;; else high - low => else high | Up minus down: two averages, no
        third.
    A if size == 0 else eta * A / size => eta * signs[results.argmax()] | That is the best copy. The combined step
        averages all of them.
    A if size == 0 else eta * A / size =>
        eta * signs[results.argmax()] / max(np.linalg.norm(signs[results.argmax()]), 1e-9) | That is the best copy. The
        combined step averages all of them.
    A if size == 0 else eta * A / size => signs[results.argmax()] | That is the best copy. The combined step averages
        all of them.
    A if size == 0 else eta * A / size => eta * np.sign(A) | The entries keep their proportions: divide A by its length.
    A if size == 0 else eta * A / size => A if size == 0 else eta**2 * A / size | The step has the length η, not η².
    A if size == 0 else eta * A / size => A if size == 0 else A / (eta * size) | η multiplies the step.
    A if size == 0 else eta * A / size => A | That is A. Give it the length η.
    A if size == 0 else eta * A / size => A if size == 0 or not A.all() else eta * A / size | Where one knob stays, the
        others still step, with the length η.
    A if size == 0 else eta * A / size => A * 0 if not A.all() else eta * A / size | Where one knob stays, the others
        still step, with the length η.
    """,
    start="Which three averages does each entry need?",
    hints=["Mean result of the tries with sign -1, 0, 1 in column j.", "No step where A = 0; else η A / |A|."],
    right="Right. A robot needs nothing else to learn to walk.",
    explanation="Averages by sign, up minus down unless same is best, then a step of length η.",
)  # fmt: skip

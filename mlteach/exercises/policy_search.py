"""Tasks and exercises of chapter 30: cells, one step of many methods, scores, returns, baselines, tries that add up."""

import numpy as np

from mlteach.exercises.tasks import chosen, number, task

task("30.a", "Cells of a robot",
    start="How many combinations do four sensors have? And which of the 13 points is nearest?",
    hints=["Multiply the numbers of cells of all sensors.", "13 points have 12 gaps: (-0.65 + 1.2) / 1.8 · 12 = 3.67."],
    count=number("The number of cells", "20**4", to=0.5, slips="""
        80    | Cells multiply, they do not add: each cell of one sensor goes with all of the others.
        8000  | That is three sensors. There are four.
        24    | Four sensors with 20 cells each, all combined: 20 times itself, four times.
        4     | That is the place of the car's point. The number of cells comes first.
        """),
    place=number("The place", 4, to=1e-6, slips="""
        3  | 13 points have 12 gaps between them, and 3.67 is nearer to 4: neither 13 cells nor decimals cut off.
        5  | Places are counted from 0.
        8  | Count from the left end, -1.2.
        (-0.65 + 1.2) / 0.15 | That is the place on the scale. The nearest point has a whole number.
        3.67  | That is the place on the scale. The nearest point has a whole number.
        3.6667 | That is the place on the scale. The nearest point has a whole number.
        3.667 | That is the place on the scale. The nearest point has a whole number.
        (-0.65 + 1.2) / 1.8 * 13 | 13 points have 12 gaps between them; a place is a whole number.
        3.97  | 13 points have 12 gaps between them; a place is a whole number.
        """),
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
        [3, 1]      | The discount is missing in the target: -1 + 0.5 · 6.
        [2.9, 0.8]  | The reward is -1, not 1.
        [2.8, 0.6]  | The reward is missing in the target.
        [2.75, 0.5] | Only the next guess is discounted, not the reward.
        [3.2, 1.4]  | The guess Q(s, a) = 5 must be subtracted from the target.
        [2.4, -0.2] | You took δ = -6. The next guess belongs to the target, and the error counts once.
        """),
    right="Right. Every state that shares these features has moved with it.",
    explanation="δ = -1 + 3 - 5 = -3; θ = (3, 1) + 0.1 · (-3) · (1, 2) = (2.7, 0.4).",
)  # fmt: skip

task("30.c", "Another pair of features",
    start="What are the two targets, in terms of w?",
    hints=["Both targets are 3γw. Minimise (2w' - 3γw)² + (3w' - 3γw)².", "w' = γ (2 · 3 + 3 · 3) / (2² + 3²) w."],
    factor=number("The factor at γ = 1", "(2 * 3 + 3 * 3) / (2**2 + 3**2)", to=6e-3, slips="""
        1.2   | That is the factor for features 1 and 2.
        1.0   | That is the factor if only the second state counts.
        1.5   | That is the factor if only the first state counts: 3 / 2.
        13 / 15 | That is its reciprocal, the critical γ. The factor comes first.
        1.25  | Least squares weighs each state by its feature: it is no mean of the two ratios.
        3     | Divide by the sum of the squared features.
        10 / 13 | Both states lead to the second one: both targets are 3γw.
        0.9 * 15 / 13 | That is the factor at γ = 0.9. γ = 1 is asked for.
        """),
    critical=number("The critical γ", "13 / 15", to=6e-3, slips="""
        5 / 6 | That is the critical γ of features 1 and 2.
        15 / 13 | That is the factor at γ = 1. The critical γ makes the factor 1.
        2 / 3 | That is the ratio of the features. Set γ times the factor to 1.
        1     | At γ = 1 the factor is above 1 already.
        """),
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
        """),
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
    (fade * (G => -(fade * (G | We climb: no minus sign. That is for libraries that minimise.
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

task("30.f", "Which baselines leave the mean alone?",
    baselines=chosen("The baselines", {1, 2, 4}, 5, first=1, noun="baseline", slips=BASELINES),
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
        """),
    greedy=number("The ε-greedy value", "2 * (0.95 - 2) / (0.95 * (1 - 0.95))", to=6e-2, slips="""
        44.21 | Steps cost 1 each: the value is negative.
        -22.105 | Twice that: the numerator is 2 (p - 2).
        -11.717 | Right is preferred, so it has 1 - ε + ε/2 = 0.95, not ½ + ε/2.
        -24.44 | With ε = 0.1 half of the exploring steps go right, too: p = 0.95, not 0.9.
        -12   | That is the coin. The ε-greedy walker goes right with probability 0.95.
        -82.1 | The ε-greedy walker that prefers right: p = 0.95; you took p = 0.05.
        """),
    right="Right. A fair coin is nearly four times as good as the rule that explores a little.",
    explanation="p = ½: -3 / 0.25 = -12. p = 0.95: -2.1 / 0.0475 = -44.2.",
)  # fmt: skip

task("30.h", "A round of six tries",
    start="What is the mean score of the tries that moved a up, and of those that moved it down?",
    hints=["a: up 8 and 6, same 3 and 5, down 2 and 0. b: up 8, same 6, 3, 0, down 5 and 2.",
           "A = (7 - 1, 8 - 3.5) = (6, 4.5), of length 7.5."],
    step=number("The step", [0.8, 0.6], to=6e-3, slips="""
        [6, 4.5]   | That is A. Make it as long as η = 1: divide by its length 7.5.
        [0.6, 0.8] | The first entry belongs to a.
        [-0.8, -0.6] | Scores are to rise: up minus down.
        [1, 0]     | b suggests something, too: its upward try scored 8, the downward ones 3.5.
        [0.5714, 0.4286] | The length of A is √(6² + 4.5²), not the sum of its entries.
        [0.7071, 0.7071] | The averages differ: a counts more than b.
        [0.9965, 0.083] | Those come from sums. Averages: b was moved up once, down twice.
        [1, 0.75]  | The length of A is √(6² + 4.5²), not its largest entry.
        [1, 1]     | That is the best copy. The combined step averages all of them.
        [0, 1]     | A knob stays only if not moving it beats both, up and down.
        [0, 0]     | No: for neither knob is not moving it the best of the three averages.
        """),
    right="Right. Six noisy scores, and a direction for both knobs at once.",
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
    (rewards + ahead).max(axis=1) => np.max(rewards, axis=1) + ahead.max(axis=1) | The reward stands inside the maximum.
    np.linalg.lstsq(Phi, y, rcond=None)[0] => y | Those are the targets. Fit the features to them.
    np.linalg.lstsq(Phi, y, rcond=None)[0] => Phi.T @ y | Least squares also divides by ΦᵀΦ.
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
    slips="""
    x[a] - p @ x => x[a] | The mean of the features under the policy is missing: the probabilities must sum to one.
    x[a] - p @ x => p @ x - x[a] | The sign: the feature of the action that was taken comes first.
    x[a] - p @ x => x[a] - x.mean(axis=0) | The mean is weighted by the probabilities.
    x[a] - p @ x => p[a] * (x[a] - p @ x) | That is the gradient of π. The score is the gradient of log π: divide by π.
    np.exp(h - h.max()) => np.exp(h) | exp of a preference of a thousand overflows: subtract the largest one first.
    np.exp(h - h.max()) => np.exp(h - h[0]) | Subtract the largest preference, not the first: exp(900) overflows.
    np.exp(h - h.max()) => np.exp(np.clip(h, -50, 50)) | Clipping changes the policy. Subtract the largest preference.
    x[a] - p @ x => x[a] - x[h.argmax()] | The mean under the policy, not the features of the best action.
    x[a] - p @ x => 1 - p[a] | That is the change by a preference. The features multiply it.
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
    ],
    what="The car", names="position, velocity",
    slips="""
    0.0 if position <= -1.2 and velocity < 0 else velocity => velocity | The wall at -1.2 stops the car: v = 0 there.
    0.0 if position <= -1.2 and velocity < 0 => -velocity if position <= -1.2 and velocity < 0 |
        The wall at -1.2 stops the car: it does not bounce.
    (action - 1) => action | Action 0 pushes back, 1 does nothing, 2 pushes forward: action - 1.
    - 0.0025 * np.cos => + 0.0025 * np.cos | Gravity pulls downhill: minus.
    np.cos(3 * position) => np.cos(position) | The slope of the hill is that of sin(3x).
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


def combined(signs, scores, eta):
    signs, scores = np.asarray(signs), np.asarray(scores, dtype=float)
    A = np.zeros(signs.shape[1])
    for j in range(signs.shape[1]):
        low = scores[signs[:, j] == -1].mean()
        same = scores[signs[:, j] == 0].mean()
        high = scores[signs[:, j] == 1].mean()
        A[j] = 0 if same > low and same > high else high - low
    size = np.sqrt((A**2).sum())
    return A if size == 0 else eta * A / size


SIGNS = np.array([[1, 1], [1, 0], [0, 0], [0, -1], [-1, -1], [-1, 0]])
MORE = np.array([[1, 0, -1], [0, 1, 0], [-1, -1, 1], [1, 1, 1], [0, -1, -1], [-1, 0, 0], [1, -1, 0], [0, 0, 1]])

task("30.4", "A step from many tries",
    combined,
    cases=[
        (SIGNS, np.array([8.0, 6.0, 3.0, 5.0, 2.0, 0.0]), 1.0),
        (SIGNS, np.array([1.0, 2.0, 9.0, 8.0, 2.0, 1.5]), 0.5),
        (MORE, np.array([1.0, 4.0, -2.0, 3.0, 0.5, 2.5, -1.0, 6.0]), 0.2),
        (MORE, np.array([5.0, 1.0, 2.0, -3.0, 0.0, 2.5, 4.0, -1.0]), 2.0),
        (SIGNS, np.array([1.0, 1.0, 9.0, 9.0, 9.0, 1.0]), 0.3),
        (SIGNS, np.array([3.0, 3.0, 3.0, 3.0, 3.0, 3.0]), 0.3),
    ],
    what="The step",
    slips="""
    else high - low => else low - high | Scores are to rise: up minus down.
    same > low and same > high => same > low or same > high | Stay only if "same" beats both.
    0 if same > low and same > high else high - low => high - low | Where leaving the entry alone was best, it stays.
    A if size == 0 else eta * A / size => eta * A / size | Where A is zero there is no step: 0/0 is not a number.
    A if size == 0 else eta * A / size => A if size == 0 else A / size | The step has the length η.
    A if size == 0 else eta * A / size => eta * A | Divide by the length of A: scores have any scale.
    np.sqrt((A**2).sum()) => abs(A).sum() | The length of A is the root of its squared entries.
    """,
    start="Which three averages does each entry need?",
    hints=["Mean score of the tries with sign -1, 0, 1 in column j.", "No step where A = 0; else η A / |A|."],
    right="Right. A robot needs nothing else to learn to walk.",
    explanation="Averages by sign, up minus down unless same is best, then a step of length η.",
)  # fmt: skip

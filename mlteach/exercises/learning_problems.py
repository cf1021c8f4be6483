"""Exercises of chapter 01: version spaces, counting and asking, Find-S, and LMS."""

from itertools import combinations

import numpy as np

from mlteach.exercises.base import Wrong, exercise, expect_close
from mlteach.learning_problems import all_intervals, version_space, votes


def survivors(rules, examples):
    return [rule for rule in rules if all((x in rule) == label for x, label in examples.items())]


@exercise(
    "1.1",
    "Who survives?",
    start="Start from (1.2): a rule stays if it gives every example its label.",
    hints=[
        "x in rule is what the rule says of x. Compare it with the label, for every x.",
        "Loop over examples.items() and keep a rule if all comparisons agree.",
    ],
    solution=survivors,
    explanation="Equations (1.2) and (1.3). Negative examples strike out rules too.",
)
def _(answer):
    rng = np.random.default_rng(1)
    for size in (6, 7, 8):
        points = rng.permutation(20)[:size].tolist()
        rules = [set(c) for n in range(size + 1) for c in combinations(points, n)]
        rng.shuffle(rules)
        target = set(points[: size // 2])
        shown = points[1:-1:2] + [points[0]]
        examples = {x: x in target for x in shown}
        got = answer([set(rule) for rule in rules], dict(examples))
        wanted = survivors(rules, examples)
        if isinstance(got, (int, np.integer)) and not isinstance(got, bool):
            raise Wrong("Return the list of the rules themselves, not their number.")
        if not isinstance(got, (list, tuple)) or not all(isinstance(rule, (set, frozenset)) for rule in got):
            raise Wrong("Return a list with the surviving rules, each of them a set as in `rules`.")
        got, case = [set(rule) for rule in got], f"{len(rules)} rules and {len(examples)} examples"
        if got == wanted:
            continue
        if sorted(map(sorted, got)) == sorted(map(sorted, wanted)):
            raise Wrong("The right rules, but not in the order in which they were given.")
        if got == [r for r in rules if all(x in r for x, label in examples.items() if label)]:
            raise Wrong("You look at the positive examples only. A rule that covers a negative example must go.")
        if got == [r for r in rules if all(x not in r for x, label in examples.items() if not label)]:
            raise Wrong("You look at the negative examples only. A rule must also cover the positive ones.")
        if got == [r for r in rules if any((x in r) == label for x, label in examples.items())]:
            raise Wrong("You keep rules that are right about some example; they must be right about all of them.")
        if got == [r for r in rules if r not in wanted]:
            raise Wrong("You return the rules that are struck out; the others survive.")
        if any(rule not in rules for rule in got):
            raise Wrong("You return a set that is not one of the rules.")
        kind = "struck out a rule that fits" if any(r not in got for r in wanted) else "kept a rule that does not fit"
        raise Wrong(f"For {case} {len(wanted)} rules survive; you return {len(got)} and {kind}.")
    return "Right. With all subsets each example strikes out exactly half, by (1.5)."


TYPES = ["classification", "regression", "clustering", "reinforcement", "regression"]
BIASES = ["none", "search", "language"]


@exercise(
    "1.2",
    "Name the type, name the bias",
    start="Ask first: is there a wanted output for each input? Then: is it a class or a number?",
    hints=[
        "Labels that are classes: classification. Numbers: regression, also if they are whole. No labels: clustering.",
        "Rewards instead of right answers: reinforcement. A learner that says nothing new assumes nothing.",
        "With all subsets nothing is restricted, so a bias can only lie in the choice of a survivor.",
    ],
    solution=[*TYPES, *BIASES],
    explanation="Section 1.3 for the types, section 1.5.2 for the biases.",
)
def _(answer):
    words = list(answer) if isinstance(answer, (list, tuple, np.ndarray)) else []
    if len(words) != 8 or not all(isinstance(word, str) for word in words):
        raise Wrong("Enter eight words in quotation marks, five types and three biases.")
    words = [str(word).strip().lower() for word in words]
    for place, word in zip("abcdefgh", words):
        known = set(TYPES) if place < "f" else set(BIASES)
        if word not in known:
            raise Wrong(f"({place}) must be one of {', '.join(sorted(known))}; you wrote {word!r}.")
    wrong = [place for place, word, right in zip("abcdefgh", words, [*TYPES, *BIASES]) if word != right]
    if not wrong:
        return "Right. Types are read off the experience, biases off what a learner could not have deduced."
    place, word = wrong[0], words["abcdefgh".index(wrong[0])]
    why = {
        "a": "There is a finding for each photograph, and it is one of two classes.",
        "b": "There is a wanted output for each day, and it is a number of litres.",
        "c": "Nobody gives the groups: there are inputs only.",
        "d": "Nobody says which movement was right; there is only a reward.",
        "e": "Rents are given. The input is a whole number, but what counts for the type is the output.",
        "f": "It never says anything that is not in the data, so it needs no assumption.",
        "g": "Its space is not restricted; it prefers one of the survivors.",
        "h": "It prefers no survivor; what lets it answer is that only conjunctions are allowed.",
    }[place]
    more = f" ({len(wrong) - 1} more to mend.)" if len(wrong) > 1 else ""
    raise Wrong(f"({place}) is not {word!r}. {why}{more}")


def _poll():
    """Return the instances, the examples and the share of yes votes of exercise 1.3."""
    instances, examples = range(1, 13), {3: False, 6: True, 8: True, 12: False}
    VS = version_space(all_intervals(instances), list(examples), list(examples.values()))
    return instances, examples, {x: votes(VS, x) for x in instances}


@exercise(
    "1.3",
    "Read the votes",
    start="Decided means: the bar is empty or full.",
    hints=[
        "A share strictly between 0 and 1 is a dispute, whoever has the majority.",
        "Leave out the four examples; among the others find all with share 0 and all with share 1.",
    ],
    solution=[1, 2, 7],
    explanation="No interval can contain 6 and 1 or 2 without 3, and every interval with 6 and 8 contains 7.",
)
def _(answer):
    instances, examples, share = _poll()
    values = np.asarray(list(answer) if isinstance(answer, (set, frozenset)) else answer, dtype=float).ravel()
    if isinstance(answer, (bool, np.bool_)) or not values.size or not np.isin(values, list(instances)).all():
        raise Wrong("Enter a list of numbers between 1 and 12.")
    got = set(values.astype(int).tolist())
    decided = {x for x in instances if share[x] in (0, 1)}
    wanted = decided - set(examples)
    if got == wanted:
        return "Right. The language decides them, not the teacher."
    if got == decided:
        raise Wrong("These are all decided, but some of them are examples. Which were decided without being asked?")
    if got == {x for x in wanted if share[x] == 1}:
        raise Wrong("Those are decided as yes. A unanimous no is a decision too.")
    if got == {x for x in wanted if share[x] == 0}:
        raise Wrong("Those are decided as no. A unanimous yes is a decision too.")
    if got == set(instances) - decided:
        raise Wrong("These are the disputed ones; the others are wanted.")
    if got <= set(examples):
        raise Wrong("These are examples. Look at the numbers that nobody asked about.")
    if got == {x for x in instances if x not in examples and share[x] != 0.5}:
        raise Wrong("A majority is not a decision: the survivors must be of one mind.")
    extra, missing = sorted(got - wanted), len(wanted - got)
    words = [f"{extra} should not be there"] * bool(extra) + [f"{missing} missing"] * bool(missing)
    raise Wrong(f"Not quite: {' and '.join(words)}. Take unseen numbers whose bar is empty or full.")


@exercise(
    "1.4",
    "One step of LMS on paper",
    start="Compute V̂ = w . x first, then the error V_train - V̂.",
    hints=[
        "V̂ = 0 + 10 · 0.5 - 10 · 1 = -5, so the error is 20 - (-5).",
        "Each weight changes by η · error · its own feature; the feature of w0 is the 1.",
    ],
    solution=[2.5, 11.25, -7.5],
    explanation="Equation (1.19): the error is 25, and the step is 2.5 times the feature vector.",
)
def _(answer):
    w, x, eta = np.array([0, 10, -10.0]), np.array([1, 0.5, 1.0]), 0.1
    step = eta * (20 - w @ x) * x
    expect_close(
        answer,
        w + step,
        "The new weight vector",
        known=[
            (w - step, "You moved the wrong way: the board is worth more than V̂ says, so V̂ must rise."),
            (w + 2 * step, "That is twice the step; the factor ½ in (1.18) cancels the 2 of the derivative."),
            (w + eta * 25, "Each weight moves by its own feature; you moved all of them by the same amount."),
            (w + step * [0, 1, 1], "w0 learns too: its feature is the 1."),
            (w + eta * 20 * x, "The error is V_train - V̂, and V̂ is not zero here."),
            (w + eta * 15 * x, "V̂ is -5: mind its sign in the error."),
            (w + 25 * x, "The learning rate is missing."),
            (step, "That is the step; add it to the weights."),
            (25 * x, "That is the error times the features; the learning rate is missing, and the old weights."),
            (
                step * [1, 1, -1],
                "Each part of the step has the sign of error times feature; then add it to the weights.",
            ),
        ],
        reveal=False,
    )
    return "Right. V̂ of this board is now 0.625, a good part of the way from -5 to 20."


def least_general(X, y):
    values = None
    for x, label in zip(X, y):
        if label and values is None:
            values = list(x)
        elif label:
            values = [v if v == a else "?" for v, a in zip(values, x)]
    return values


@exercise(
    "1.5",
    "The least general fit",
    start="Take the first positive row as it is; then loosen what disagrees with the other positive rows.",
    hints=[
        "Skip the rows whose label is False.",
        "A place that is '?' stays '?'; a value that differs from the row's becomes '?'.",
        "Go through values and row together with zip, once for each further positive row.",
    ],
    solution=least_general,
    explanation="Find-S, equation (1.13), for data with at least one positive row.",
)
def _(answer):
    rng, cases = np.random.default_rng(5), []
    words = np.array(["a", "b", "c"])
    for _ in range(40):
        n, m = int(rng.integers(3, 7)), int(rng.integers(3, 6))
        X = words[rng.choice(3, size=(n, m), p=[0.7, 0.2, 0.1])].tolist()
        y = (rng.random(n) < 0.6).tolist()
        y[int(rng.integers(n))] = True
        got = answer([list(x) for x in X], list(y))
        if not isinstance(got, (list, tuple, np.ndarray)) or len(got) != m:
            raise Wrong(f"Return a list with one entry per attribute: {m} for these rows.")
        cases.append((X, y, [str(v) for v in got], least_general(X, y)))
    wrong = [case for case in cases if case[2] != case[3]]
    if wrong:
        _explain_fit(cases, *wrong[0])
    return "Right. By (1.13) everything that covers the positives lies above it."


def _explain_fit(cases, X, y, got, wanted):
    """Say what is wrong with the conjunction of exercise 1.5."""
    positive = [x for x, label in zip(X, y) if label]
    if all(mine == ["?"] * len(mine) for _, _, mine, _ in cases):
        raise Wrong("You return only '?'. That covers everything; ask for each value that all positives share.")
    if all(mine == least_general(X, [True] * len(X)) for X, _, mine, _ in cases):
        raise Wrong("You generalised over all rows. Find-S does not look at the negative ones.")
    if all(mine == least_general(X, [not label for label in y]) for X, y, mine, _ in cases if not all(y)):
        raise Wrong("You generalised over the negative rows; take those with the label True.")
    if all(mine == least_general(X, [True, *y[1:]]) for X, y, mine, _ in cases):
        raise Wrong("You start from the first row even where it is negative; start from the first positive one.")
    if all(any(mine == x for x, label in zip(X, y) if label) for X, y, mine, _ in cases):
        raise Wrong("You return a single positive row. It must be loosened until it covers all positive rows.")
    if all(v in ("?", a) for x in positive for v, a in zip(got, x)):
        raise Wrong(f"For the positive rows {positive} you return {got}. Keep every value that they share.")
    raise Wrong(
        f"For the positive rows {positive} you return {got}, which does not cover them all; {wanted} does. Look at "
        "every positive row, and let a place that became '?' stay so."
    )


@exercise(
    "1.6",
    "Twenty questions",
    start="Each question leaves at least half of the hypotheses in the worst case: (1.9).",
    hints=[
        "log2 973 is about 9.93. A number of questions is whole and must not be smaller than that.",
        "A number of mistakes is whole and must not be larger than 9.93.",
    ],
    solution=(10, 9),
    explanation="(1.9) rounds up, (1.8) rounds down: 2^9 = 512 < 973 <= 1024 = 2^10. Ten is a bound only: the empty "
    "conjunction and the 96 that cover a single day differ on one day each, so if every answer is no, all 96 days "
    "must be asked.",
)
def _(answer):
    if not isinstance(answer, (tuple, list, np.ndarray)) or np.shape(answer) != (2,):
        raise Wrong("Enter two numbers, (questions, mistakes).")
    questions, mistakes = (np.asarray(value, dtype=float).item() for value in answer)
    if abs(questions - np.log2(973)) < 0.05 and questions != round(questions):
        raise Wrong("A number of questions is whole: round up.")
    if abs(mistakes - np.log2(973)) < 0.05 and mistakes != round(mistakes):
        raise Wrong("A number of mistakes is whole: round down.")
    if questions == 96:
        raise Wrong("Well seen: that is what it really takes, if every answer is no. The question is what (1.9) says.")
    if (questions, mistakes) in ((13, 12), (12, 13)):
        raise Wrong("That comes from the 5120 conjunctions as written; 973 of them are different.")
    if (questions, mistakes) == (9, 10):
        raise Wrong("Right numbers, wrong places: a lower bound is rounded up, an upper bound down.")
    expect_close(
        questions,
        10,
        "The least number of questions",
        known=[
            (9, "Nine yes-or-no answers tell only 512 hypotheses apart. Round up."),
            (972, "That is one hypothesis a question. (1.9) counts halves."),
            (973, "That is the number of hypotheses; take its logarithm to base 2."),
            (487, "Halve not once but again and again."),
            (7, "That is the natural logarithm; each answer is one of two, so the base is 2."),
            (3, "That is the logarithm to base 10; each answer is one of two, so the base is 2."),
        ],
        reveal=False,
        rtol=1e-6,
    )
    expect_close(
        mistakes,
        9,
        "The largest number of mistakes",
        known=[
            (10, "After ten mistakes fewer than one hypothesis would be left, 973/1024. Round down."),
            (973, "That is the number of hypotheses; take its logarithm to base 2."),
        ],
        reveal=False,
        rtol=1e-6,
    )
    return (
        "Right. The same logarithm, rounded up for questions and down for mistakes. Ten is a bound only: if every "
        "answer is no, a concept that covers a single day, or none, takes all 96 questions."
    )


def best_question(rules, instances):
    def left_at_worst(x):
        yes = sum(x in rule for rule in rules)
        return max(yes, len(rules) - yes)

    return min(sorted(instances), key=left_at_worst)


@exercise(
    "1.7",
    "The best question",
    start="For one instance, count the rules that say yes. How many are left after the unlucky answer?",
    hints=[
        "The unlucky answer leaves max(yes, len(rules) - yes).",
        "Take the instance with the smallest such number; min over the sorted instances breaks ties as asked.",
    ],
    solution=best_question,
    explanation="The split nearest to one half. On thresholds this is binary search.",
)
def _(answer):
    rng = np.random.default_rng(7)
    cases = []
    while len(cases) < 30:
        points = sorted(rng.permutation(30)[:9].tolist())
        bias = rng.uniform(0.1, 0.9, 9)
        rules = [{x for x, p in zip(points, bias) if rng.random() < p} for _ in range(int(rng.integers(7, 14)))]
        order = rng.permutation(points).tolist()
        yes = {x: sum(x in rule for rule in rules) for x in order}
        right = best_question(rules, order)
        if right not in (max(order, key=yes.get), min(order, key=yes.get)):
            got = answer([set(rule) for rule in rules], list(order))
            cases.append((yes, len(rules), order, right, got))
    if any(isinstance(got, bool) or not isinstance(got, (int, np.integer)) or got not in yes
           for yes, _, _, _, got in cases):  # fmt: skip
        raise Wrong("Return one of the given instances.")
    if all(got == right for *_, right, got in cases):
        return "Right. A question whose answer is already decided would leave everything as it is."
    if all(yes[got] == max(yes.values()) for yes, *_, got in cases):
        raise Wrong("You take the instance with the most yes votes. A nearly unanimous question teaches little.")
    if all(yes[got] == min(yes.values()) for yes, *_, got in cases):
        raise Wrong("You take the instance with the fewest yes votes. A nearly unanimous question teaches little.")
    if all(max(yes[got], n - yes[got]) == max(max(v, n - v) for v in yes.values()) for yes, n, *_, got in cases):
        raise Wrong("You take the most uneven split; the most even one is wanted.")
    if all(max(yes[got], n - yes[got]) == max(yes[right], n - yes[right]) for yes, n, _, right, got in cases):
        raise Wrong("Your question is as good, but on a tie the smallest instance is wanted.")
    yes, n, _, right, got = next(case for case in cases if case[3] != case[4])
    if max(yes[got], n - yes[got]) == max(yes[right], n - yes[right]):
        raise Wrong(
            f"With {n} rules you ask about {got}, which {yes[got]} of them call a yes. The question {right} leaves as "
            "few in the worst case, and on a tie the smallest instance is wanted."
        )
    raise Wrong(
        f"With {n} rules you ask about {got}, which leaves {max(yes[got], n - yes[got])} in the worst case; "
        f"another question leaves {max(yes[right], n - yes[right])}."
    )


def training_values(X, w, outcome):
    return np.append(X[1:] @ w, outcome)


def _moving_values(X, w, outcome, eta=0.1):
    """Return the training values with an LMS step after each: what exercise 1.8 does not ask for."""
    values = []
    for n, x in enumerate(X):
        values.append(X[n + 1] @ w if n + 1 < len(X) else outcome)
        w = w + eta * (values[-1] - x @ w) * x
    return np.array(values)


@exercise(
    "1.8",
    "Training values of a game",
    start="Equation (1.21): each board gets the present value of its successor, the last one the outcome.",
    hints=[
        "X @ w gives the present values of all boards.",
        "Shift them by one: V_train of board n is the value of board n + 1. Put the outcome at the end.",
    ],
    solution=training_values,
    explanation="np.append(X[1:] @ w, outcome): as many values as there are boards.",
)
def _(answer):
    rng = np.random.default_rng(8)
    for k, outcome in ((6, 100.0), (4, -100.0), (5, 0.0), (1, 100.0)):
        X, w = np.column_stack([np.ones(k), rng.uniform(size=(k, 6))]), rng.normal(size=7) * 50
        value = X @ w
        right = np.append(value[1:], outcome)
        known = [
            (value, "These are the values of the boards themselves; V_train looks at the successor."),
            (np.full(k, outcome), "You give every board the outcome. (1.21) does so for the last one only."),
            (np.append(value[:-1], outcome), "Only the last value was replaced; the others must be shifted by one."),
            (value[1:], "The last board is missing: its training value is the outcome."),
            (np.append(outcome, value[:-1]), "You shifted the wrong way: a board learns from the one after it."),
            (np.append(value, outcome), "One value too many: the first board's own value is nobody's target."),
            (right - value, "That is the error V_train - V̂; V_train itself is wanted."),
            (np.append(outcome, value[1:]), "The outcome belongs to the last board, not to the first."),
            (np.append(value[1:], 100.0), "The last board gets 100 whoever won; it must get `outcome`."),
            (_moving_values(X, w, outcome), "You update the weights in between; use the same w for all boards."),
        ]
        expect_close(answer(X.copy(), w.copy(), outcome), right, f"The array of {k} training values", known=known)
    return "Right. Feed them to (1.19) one by one, with the weights updated in between, and you have lms_train."

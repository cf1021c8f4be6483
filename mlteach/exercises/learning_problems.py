"""Tasks and exercises of chapter 01: types and biases, version spaces by counting, Find-S, boundaries, and LMS."""

from itertools import combinations

import numpy as np

from mlteach.exercises.base import Wrong, brief, call, exercise, points, truth
from mlteach.exercises.tasks import number, task
from mlteach.learning_problems import all_intervals, enjoy_sport, version_space, votes

TYPES = ["classification", "regression", "clustering", "reinforcement"]
BIASES = ["none", "search", "language"]


def words_of(answer, right):
    """Return the words of a list, an array or a string with commas, in lower case, as many as ``right`` has."""
    answer = answer.split(",") if isinstance(answer, str) else answer
    words = list(answer) if isinstance(answer, (list, tuple, np.ndarray)) else []
    if len(words) != len(right) or not all(isinstance(word, str) for word in words):
        raise Wrong(f"Enter {len(right)} words in quotation marks, from {', '.join(sorted(right))}.")
    words = [str(word).strip().lower().removesuffix(" bias").removesuffix(" learning") for word in words]
    for place, word in zip("abcd", words):
        if word not in right:
            raise Wrong(f"({place}) must be one of {', '.join(sorted(right))}; you wrote {word!r}.")
    return words


def expect_words(answer, right, why):
    """Raise Wrong at the first word that is not right, with the reason why it is another."""
    words = words_of(answer, right)
    wrong = [place for place, word, wanted in zip("abcd", words, right) if word != wanted]
    if wrong:
        more = f" ({len(wrong) - 1} more to mend.)" if len(wrong) > 1 else ""
        place = "abcd".index(wrong[0])
        raise Wrong(f"({wrong[0]}) is not {words[place]!r}. {why[place]}{more}")


@exercise(
    "1.a",
    "Name the type",
    start="Ask first: is there a wanted output for each input? Then: is it a class or a number?",
    hints=[
        "Labels that are classes: classification. Numbers: regression. No labels: clustering.",
        "Rewards instead of right answers: reinforcement. A whole number as input does not make a class of the output.",
    ],
    solution=TYPES,
    explanation="Section 1.3: types are read off the experience and the wanted output.",
)
def name_the_type(answer):
    why = [
        "There is a finding for each photograph, and it is one of two classes.",
        "Rents are given, and they are numbers. That the input is a whole number does not matter.",
        "Nobody gives the groups: there are inputs only.",
        "Nobody says which movement was right; there is only a reward.",
    ]
    expect_words(answer, TYPES, why)
    return "Right. Types are read off the experience and the wanted output."


task("1.b", "Count the survivors",
    start="A subset that survives is free to choose on the numbers that nobody has asked about. How many are those?",
    hints=[
        "The second time 2 comes, all survivors already say yes to it: nobody is struck out.",
        "Five numbers are free. The evaluations are the survivors before each of the four examples, added up.",
        "2 ** 5, and 256 + 128 + 64 + 64.",
    ],
    answer=number("The answer", "2**5, 2**8 + 2**7 + 2**6 + 2**6", to=1e-6,
        names="the number of survivors, the number of evaluations", slips="""
        (512, 32)   | The survivors come first, then the evaluations.
        (16, 480)   | You let every example strike out half. The second 2 says nothing new: nobody contradicts it.
        (16, ...)   | Four examples, but only three different numbers. The second 2 strikes out nobody.
        (8, ...)    | 2³ counts the ways to label the three numbers; the five others are free.
        (5, ...)    | Five numbers are free; each of them may be in the set or not.
        (224, ...)  | These are struck out; the others survive.
        (256, ...)  | This is the whole space before the first example.
        (64, ...)   | These are left after 2 and 5; the last example, 7, strikes out half of them.
        (..., 288)  | Add the survivors before each example, not after it: all 256 are asked about the first.
        (..., 992)  | Four examples, so four terms: 256, 128, 64 and what is left when the second 2 strikes out nobody.
        (..., 2016) | That is the sum for the six answers of section 1.1; here there are other examples.
        (..., 256)  | The first example alone is put to 256 hypotheses; the three others cost evaluations too.
        (..., 496)  | You went on halving to the end. Write down how many survive before each of the four examples.
        (..., 480)  | The second 2 strikes out nobody, so 7 is put to 64 hypotheses again.
        (..., 448)  | The second 2 strikes out nobody, but it is put to all survivors like any example.
        (..., 1024) | n |H| is the bound; those already struck out are not asked again.
        (..., 544)  | The 32 that survive the last example are not asked any more.
        (..., 4)    | Each example is put to every survivor; you counted the examples.
        """),
    right="Right. A repeated example costs evaluations and teaches nothing.",
    explanation="Three different numbers are fixed, so 2^5 subsets survive. By (1.4) the four examples are put to 256, "
    "128, 64 and 64 hypotheses: the repeated one strikes out nobody, but it is asked.",
)  # fmt: skip


def poll():
    """Return the instances, the examples and the share of yes votes of task 1.c."""
    instances, examples = range(1, 13), {3: False, 6: True, 8: True, 12: False}
    VS = version_space(all_intervals(instances), list(examples), list(examples.values()))
    return instances, examples, {x: votes(VS, x) for x in instances}


@exercise(
    "1.c",
    "Decided unasked",
    start="Which intervals agree with the teacher, and where do all of them give the same answer?",
    hints=[
        "Where may an interval begin that contains 6 but not 3? Where may one end that contains 8 but not 12?",
        "They begin at 4, 5 or 6 and end at 8, 9, 10 or 11. Which other numbers are in all of them, which in none?",
    ],
    solution=[1, 2, 7],
    explanation="No interval can contain 6 and 1 or 2 without 3, and every interval with 6 and 8 contains 7.",
)
def decided_unasked(answer):
    instances, examples, share = poll()
    if isinstance(answer, (set, frozenset)) and not answer:
        answer = [False] * 12
    got = points(answer, 12, first=1)
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
    if not got:
        raise Wrong("You chose none. Is 7 in all intervals that are left?")
    if got <= set(examples):
        raise Wrong("These are examples. Look at the numbers that nobody asked about.")
    if got == {x for x in instances if x not in examples and share[x] != 0.5}:
        raise Wrong("A majority is not a decision: the survivors must be of one mind.")
    shown, disputed = sorted(got & set(examples)), sorted(got - decided)
    words = [f"the survivors disagree about {', '.join(map(str, disputed))}"] * bool(disputed)
    words += [f"the teacher was asked about {', '.join(map(str, shown))}"] * bool(shown)
    words += ["not all that are decided unasked are in your list"] * bool(wanted - got)
    raise Wrong(
        f"Not quite: {'; '.join(words)}. Take numbers without a label on which all intervals that are left agree."
    )


@exercise(
    "1.d",
    "Name the bias",
    start="Does the learner say anything that is not in the data? If so, what lets it?",
    hints=[
        "A learner that says nothing new assumes nothing.",
        "With all subsets nothing is restricted, so a bias can only lie in the choice of a survivor.",
    ],
    solution=BIASES,
    explanation="Section 1.5.2: a restricted space is a language bias, a preferred survivor a search bias.",
)
def name_the_bias(answer):
    why = [
        "It never says anything that is not in the data, so it needs no assumption.",
        "Its space is not restricted; it prefers one of the survivors.",
        "It prefers no survivor; what lets it answer is that only intervals are allowed.",
    ]
    expect_words(answer, BIASES, why)
    return "Right. Ask what a learner could not have deduced from the data."


task("1.e", "Count the conjunctions",
    start="What may stand in each of the three places, and which of the written ones say the same?",
    hints=[
        "Instances: 4 * 2 * 3. In a conjunction each place may also hold ? or ∅.",
        "All conjunctions with a ∅ are one hypothesis; without ∅ each place has one way more than it has values.",
        "4 * 2 * 3, 6 * 4 * 5 and 1 + 5 * 3 * 4.",
    ],
    answer=number("The answer", "4 * 2 * 3, 6 * 4 * 5, 1 + 5 * 3 * 4", to=1e-6,
        names="the number of instances, the number written, the number of different ones", slips="""
        (24, 61, 120)     | The conjunctions as written come before the different ones.
        (61, 120, 24)     | The instances come first, then the conjunctions as written, then the different ones.
        (120, 24, 61)     | The instances come first, then the conjunctions as written, then the different ones.
        (120, 61, 24)     | The instances come first, then the conjunctions as written, then the different ones.
        (24, 60, 61)      | In writing, each place may hold ? and ∅: two ways more than it has values.
        (96, 5120, 973)   | These are the numbers of Aldo's days; here the attributes have 4, 2 and 3 values.
        (2**24, ..., ...) | 2²⁴ counts the concepts, sets of instances; the instances themselves are wanted.
        (9, ..., ...)     | The numbers of values are multiplied, not added.
        (..., 60, ...)    | In writing, each place may hold ? and ∅: two ways more than it has values.
        (..., 24, ...)    | A conjunction may also hold ? or ∅ in each place.
        (..., 15, ...)    | The ways of the three places are multiplied, not added.
        (..., ..., 60)    | The conjunction that says no to everything is missing: one more.
        (..., ..., 120)   | All conjunctions with a ∅ say no to everything; count them once.
        (..., ..., 121)   | Without ∅ each place has one way more than it has values, not two.
        (..., ..., 24)    | ? is allowed in each place: one way more than it has values.
        (..., ..., 25)    | ? is allowed in each place: one way more than it has values.
        (..., ..., 62)    | The conjunction that says no to everything counts once.
        (..., ..., 63)    | The conjunction that says no to everything counts once, not once for each attribute.
        (..., ..., 2**24) | 2²⁴ counts all concepts; most of them are no conjunction.
        """),
    right="Right: 61 of 2²⁴ concepts.",
    explanation="Equation (1.11): 4 · 2 · 3 = 24, 6 · 4 · 5 = 120, and 1 + 5 · 3 · 4 = 61.",
)  # fmt: skip

task("1.f", "Two boundaries by hand",
    start="What is S after the positive day, and in which ways can ⟨?, ?, ?⟩ be lowered to exclude the other?",
    hints=[
        "Sunny or Cloudy for the sky, Cold, Strong: four ways. Keep those that lie above ⟨Sunny, Warm, Strong⟩.",
        "Members keep some of the values Sunny, Warm, Strong and have ? elsewhere; Sunny or Strong must be among them.",
        "(Sunny, Warm, Weak) gets a yes from the members that do not ask for Strong.",
    ],
    answer=number("The answer", (2, 6, 2), to=1e-6,
        names="the size of G, the size of the version space, the number of yes votes", slips="""
        (6, 2, 2)     | The members of G come first, then the version space, then the yes votes.
        (4, ..., ...) | Four ways exclude the negative day, but two of them do not lie above S: drop those.
        (3, ..., ...) | ⟨Cloudy, ?, ?⟩ and ⟨?, Cold, ?⟩ do not cover the positive day: neither is in G.
        (1, ..., ...) | The negative day differs from the positive one in sky and in wind: either may exclude it.
        (..., 8, ...) | Eight conjunctions cover the positive day. Which of them cover the negative one too?
        (..., 7, ...) | Not only ⟨?, ?, ?⟩ covers the negative day: so does ⟨?, Warm, ?⟩.
        (..., 3, ...) | S and G hold three; the version space also has what lies between them.
        (..., 2, ...) | The version space is everything from S up to G, not G alone.
        (..., 4, ...) | Four keep Sunny, and two more keep Strong without Sunny: either excludes the negative day.
        (..., 5, ...) | Count again: of the 8 choices of values to keep, only two keep neither Sunny nor Strong.
        (..., ..., 0) | S says no to the new day, but others need not: ask each member.
        (..., ..., 1) | Not only the member of G: ⟨Sunny, Warm, ?⟩ says yes too.
        (..., ..., 4) | ⟨?, ?, ?⟩ and ⟨?, Warm, ?⟩ would say yes, but they cover the negative day: not members.
        (..., ..., 3) | A member that asks for Strong says no to a day with weak wind.
        (..., ..., 6) | S does not cover the new day, so not all members do.
        """),
    right="Right. Two of six: the version space does not decide this day.",
    explanation="G = {⟨Sunny, ?, ?⟩, ⟨?, ?, Strong⟩}. Of the 8 conjunctions above S, each with some of its values, "
    "⟨?, ?, ?⟩ and ⟨?, Warm, ?⟩ cover the negative day. ⟨Sunny, ?, ?⟩ and ⟨Sunny, Warm, ?⟩ say yes to the new day.",
)  # fmt: skip

W, X = np.array([0, 10, -10.0]), np.array([1, 0.5, 1.0])
STEP = 0.1 * 25 * X

task("1.g", "One step of LMS on paper",
    start="What does the player think that this board is worth, and how far off is that?",
    hints=[
        "V̂ = 0 + 10 · 0.5 - 10 · 1 = -5, so the error is 20 - (-5).",
        "Each weight changes by η · error · its own feature; the feature of w0 is the 1.",
    ],
    answer=number("The new weight vector", "W + 0.1 * (20 - W @ X) * X", slips="""
        W - STEP              | You moved the wrong way: the board is worth more than V̂ says, so V̂ must rise.
        W + 2 * STEP          | That is twice the step; the factor ½ in (1.19) cancels the 2 of the derivative.
        W + 0.1 * 25          | Each weight moves by its own feature; you moved all of them by the same amount.
        W + STEP * [0, 1, 1]  | w0 learns too: its feature is the 1.
        W + 0.1 * 20 * X      | The error is V_train - V̂, and V̂ is not zero here.
        W + 0.1 * 15 * X      | V̂ is -5: mind its sign in the error.
        W + 25 * X            | The learning rate is missing.
        W                     | These are the old weights; add the step to them.
        W + STEP / 2          | That is half the step; the ½ of (1.19) cancels the 2 of the derivative.
        W + [2.5, 2.5, -2.5]  | Each weight moves by its own feature, and up, whatever its sign: V̂ must rise.
        W + STEP * [1, 1, -1] | A step adds η · error · feature; that w2 is negative does not turn its sign.
        W + STEP * X          | You used the features twice: each weight moves by η · error · its feature, once.
        STEP                  | That is the step; add it to the weights.
        25 * X                | That is the error times the features; the learning rate is missing, and the old weights.
        STEP * [1, 1, -1]     | Each part of the step has the sign of error times feature; then add it to the weights.
        """),
    right="Right. V̂ of this board is now 0.625, a good part of the way from -5 to 20.",
    explanation="Equation (1.20): the error is 25, and the step is 2.5 times the feature vector.",
)  # fmt: skip


def survivors(rules, examples):
    return [rule for rule in rules if all((x in rule) == label for x, label in examples.items())]


def read_rules(got):
    """Return a list of rules as a tuple of frozen sets."""
    got = list(got) if hasattr(got, "__next__") else got
    if got is None:
        raise Wrong("Your function returns None for some rules and examples. Does it return the list in every case?")
    if isinstance(got, (int, np.integer)) and not isinstance(got, bool):
        raise Wrong("Return the list of the rules themselves, not their number.")
    if not isinstance(got, (list, tuple)) or not all(isinstance(rule, (set, frozenset)) for rule in got):
        raise Wrong("Return a list with the surviving rules, each of them a set as in `rules`.")
    return tuple(map(frozenset, got))


def complain_of_rules(case, got, right):
    """Say which rule was kept, struck out or made up."""
    rules, examples = case
    if sorted(map(sorted, got)) == sorted(map(sorted, right)):
        return "The right rules, but not in the order in which they were given."
    if any(rule not in rules for rule in got):
        return "You return a set that is not one of the rules."
    what = f"With the examples {examples}" if examples else "With no examples at all"
    for rule in got:
        if rule not in right:
            x = next(x for x in examples if (x in rule) != examples[x])
            said = f"says {'yes' if x in rule else 'no'} to {x}"
            return f"{what} you kept a rule that does not fit: {set(rule) or 'the empty set'} {said}."
    if len(got) > len(right):
        return f"{what} {len(right)} rules survive; you return {len(got)}: some of them twice."
    rule = next(rule for rule in right if rule not in got)
    return f"{what} you struck out a rule that fits: {set(rule) or 'the empty set, which says no to every number'}."


def rules_and_examples():
    """Return cases for exercise 1.1: the numbers of section 1.1 first, then shuffled spaces, and two extreme ones."""
    opening = [{2, 3, 5, 7}, {3, 5, 7, 9}, {3, 4, 5, 6, 7}, {3, 5, 7}]
    cases, rng = [(opening, {1: False, 3: True, 5: True, 6: False, 7: True, 10: False})], np.random.default_rng(1)
    for size in (5, 6, 7):
        instances = rng.permutation(20)[:size].tolist()
        rules = [set(c) for n in range(size + 1) for c in combinations(instances, n)]
        rng.shuffle(rules)
        target, shown = set(instances[: size // 2]), instances[1:-1:2] + [instances[0]]
        cases.append((rules, {x: x in target for x in shown}))
    return [*cases, (opening, {}), (opening, {3: False}), ([{4}, set(), {2, 4}, {6}], {2: False, 9: False})]


task("1.1", "Who survives?", survivors, cases=rules_and_examples, what="The list", read=read_rules,
    complain=complain_of_rules,
    start="What does (1.2) ask of a rule that is to stay?",
    hints=[
        "x in rule is what the rule says of x. Compare it with the label, for every x.",
        "Loop over examples.items() and keep a rule if all comparisons agree.",
    ],
    slips="""
        examples.items()) => examples.items() if label) | You look at the positive examples only. A rule that covers a
            negative example must go.
        examples.items()) => examples.items() if not label) | You look at the negative examples only. A rule must also
            cover the positive ones.
        all( => any( | You keep rules that are right about some example; they must be right about all of them.
        if all( => if not all( | You return the rules that are struck out; the others survive.
        == label => != label | You keep the rules that are wrong about every example: compare with ==, not with !=.
        examples.items()) => list(examples.items())[:1]) | You look at the first example only. Do you return before the
            loop has seen them all?
        examples.items()) => list(examples.items())[-1:]) | Only the last example counts: a later agreement must not
            forgive an earlier contradiction.
        (x in rule) == label => x in rule == label | No rule survives. In Python `x in rule == label` means `x in rule
            and rule == label`. Write (x in rule) == label.
        == label => | You keep the rules that say yes to every example, whatever its label.
        if all((x in rule) == label for x, label in examples.items()) => | You return all rules; those that contradict
            an example must go.
        if all((x in rule) == label for x, label in examples.items())
            => if rule == {x for x, label in examples.items() if label} | You keep only the set of the positive
            examples. A rule may also say yes to numbers that nobody asked about.
        """,
    right="Right. With all subsets each new example strikes out exactly half, by (1.5).",
    explanation="Equations (1.2) and (1.3). Negative examples strike out rules too.",
)  # fmt: skip


def least_general(X, y):
    h = None
    for x, label in zip(X, y):
        if label:
            h = list(x) if h is None else [a if a == b else "?" for a, b in zip(h, x)]
    covered = [x for x, label in zip(X, y) if not label and all(a in ("?", b) for a, b in zip(h, x))]
    return h, not covered


@exercise(
    "1.2",
    "Does anything fit?",
    start="What is the least that covers all positive rows, and what does (1.14) say of every other conjunction?",
    hints=[
        "For h_S skip the rows whose label is False; a place that became '?' stays '?'.",
        "By (1.14), if some conjunction fits, h_S fits. So look whether h_S covers a negative row.",
        "A row is covered if in each place h_S has '?' or the row's value.",
    ],
    solution=least_general,
    explanation="Find-S, and section 1.6.3: some conjunction fits if and only if h_S covers no negative row.",
)
def does_anything_fit(answer):
    cases = []
    for X, y in rows_and_labels():
        h, fits = read_fit(call(answer, X, y), X, y)
        cases.append((X, y, h, fits))
    wrong = [case for case in cases if case[2] != least_general(*case[:2])[0]]
    if wrong:
        explain_fit(cases, *wrong[0][:3])
    wrong = [case for case in cases if case[3] != least_general(*case[:2])[1]]
    if wrong:
        explain_verdict(cases, *wrong[0])
    return "Right. Find-S alone tells whether the version space is empty; nothing has to be listed."


def read_fit(got, X, y):
    """Return the words of h_S and the verdict from what the student's function returns."""
    what = f"For the rows {X} with the labels {y}"
    if not isinstance(got, (list, tuple)) or len(got) != 2:
        raise Wrong(f"{what} return two things, the list h_S and True or False; got {brief(got)}.")
    h, fits = got
    if not isinstance(h, (list, tuple, np.ndarray)) or len(h) != len(X[0]):
        raise Wrong(f"{what} h_S is a list with one entry per attribute, {len(X[0])} in all; got {brief(h)}.")
    return [str(v) for v in h], truth(fits, "The second thing that you return")


def rows_and_labels():
    """Return cases for exercise 1.2: Aldo's days, three of the tennis days, no negative row, and random rows."""
    sport = enjoy_sport()
    cases = [([list(x) for x in sport.X], [bool(label) for label in sport.y])]
    cases.append(
        ([["Sunny", "Hot", "High"], ["Overcast", "Hot", "High"], ["Rain", "Mild", "High"]], [False, True, True])
    )
    cases.append(([["a", "b", "a"], ["b", "a", "c"]], [True, True]))
    first, second, third, fourth = ["a", "a", "a"], ["b", "b", "b"], ["a", "b", "a"], ["a", "c", "a"]
    for two in ([second, fourth], [fourth, second]):  # h_S covers the last of two negative rows, or the first
        cases.append(([first, two[0], third, two[1]], [True, False, True, False]))
    rng, words = np.random.default_rng(5), np.array(["a", "b", "c"])
    for _ in range(40):
        n, m = int(rng.integers(3, 7)), int(rng.integers(3, 6))
        y = (rng.random(n) < 0.6).tolist()
        y[int(rng.integers(n))] = True
        cases.append((words[rng.choice(3, size=(n, m), p=[0.6, 0.25, 0.15])].tolist(), y))
    return cases


def found_s(X, y):
    return least_general(X, y)[0] if any(y) else None


def explain_fit(cases, X, y, got):
    """Say what is wrong with the conjunction of exercise 1.2."""
    positive, wanted = [x for x, label in zip(X, y) if label], found_s(X, y)
    strange = [v for place, v in enumerate(got) if v != "?" and v not in {x[place] for x in X}]
    if strange:
        raise Wrong(f"{strange[0]!r} is no value of its attribute. Where the positive rows differ, write '?'.")
    if all(mine == ["?"] * len(mine) for _, _, mine, _ in cases):
        raise Wrong("Your h_S is always '?'. That covers everything; ask for each value that all positives share.")
    if all(mine == found_s(X, [True] * len(X)) for X, _, mine, _ in cases):
        raise Wrong("You generalised over all rows. Find-S does not look at the negative ones.")
    if all(mine == found_s(X, [not label for label in y]) for X, y, mine, _ in cases if not all(y)):
        raise Wrong("You generalised over the negative rows; take those with the label True.")
    if all(mine == found_s(X, [True, *y[1:]]) for X, y, mine, _ in cases):
        raise Wrong("You start from the first row even where it is negative; start from the first positive one.")
    if all(any(mine == x for x, label in zip(X, y) if label) for X, y, mine, _ in cases):
        raise Wrong("You return a single positive row. It must be loosened until it covers all positive rows.")
    if all(v in ("?", a) for x in positive for v, a in zip(got, x)):
        raise Wrong(f"For the positive rows {positive} you return {got}. Keep every value that they share.")
    raise Wrong(
        f"For the positive rows {positive} you return {got}, which does not cover them all; {wanted} does. Look at "
        "every positive row, and let a place that became '?' stay so."
    )


def explain_verdict(cases, X, y, h, fits):
    """Say what is wrong with the True or False of exercise 1.2, h_S being right."""
    right = [least_general(X, y)[1] for X, y, _, _ in cases]
    said = [case[3] for case in cases]
    if all(mine is not wanted for mine, wanted in zip(said, right)):
        raise Wrong("True and False are exchanged: if h_S covers a negative row, nothing fits.")
    if all(said):
        raise Wrong("You always say True. Does h_S cover a negative row? Then by (1.14) no conjunction fits.")
    if not any(said):
        raise Wrong("You always say False. Where h_S covers no negative row, h_S itself fits.")
    negative = [x for x, label in zip(X, y) if not label]
    covered = [x for x in negative if all(a in ("?", b) for a, b in zip(h, x))]
    what = f"For h_S = {h} and the negative rows {negative} you say {fits}"
    if covered:
        raise Wrong(f"{what}, but h_S covers {covered[0]}: by (1.14) nothing fits. Look at every negative row.")
    raise Wrong(f"{what}, but h_S covers none of them: it fits.")


def training_values(X, w, outcome):
    values = X @ w
    return np.append(values[1:], outcome)


def moving_values(X, w, outcome, eta=0.1):
    """Return the training values with an LMS step after each: what exercise 1.3 does not ask for."""
    values = []
    for n, x in enumerate(X):
        values.append(X[n + 1] @ w if n + 1 < len(X) else outcome)
        w = w + eta * (values[-1] - x @ w) * x
    return np.array(values)


def games():
    rng = np.random.default_rng(8)
    rows = np.array([[1.0, 0, 0, 0, 0, 0, 0], [1, 1, 0, 0, 0, 0, 0], [1, 1, 1, 0, 0, 0, 0]])
    cases = [(rows, np.array([5.0, 7, 18, 0, 0, 0, 0]), 100.0)]  # the boards of section 1.8.3
    for k, outcome in ((6, 100.0), (4, -100.0), (5, 0.0), (1, 100.0), (1, -100.0)):
        X = np.column_stack([np.ones(k), rng.uniform(size=(k, 6))])
        cases.append((X, rng.normal(size=7) * 50, outcome))
    return cases


task("1.3", "Training values of a game", training_values, cases=games, what="The array of training values",
    start="Where does (1.22) take the training value of a board from, and where that of the last one?",
    hints=[
        "X @ w gives the present values of all boards.",
        "Shift them by one: V_train of board n is the value of board n + 1. Put the outcome at the end.",
    ],
    slips=["""
        np.append(values[1:], outcome) => values | These are the values of the boards themselves; V_train looks at the
            successor.
        np.append(values[1:], outcome) => values * 0 + outcome | You give every board the outcome. (1.22) does so for
            the last one only.
        values[1:] => values[:-1] | Only the last value was replaced; the others must be shifted by one.
        np.append(values[1:], outcome) => values[1:] | The last board is missing: its training value is the outcome.
        values[1:], outcome => outcome, values[:-1] | You shifted the wrong way: a board learns from the one after it.
        values[1:] => values | One value too many: the first board's own value is nobody's target.
        outcome) => outcome) - values | That is the error V_train - V̂; V_train itself is wanted.
        values[1:], outcome => outcome, values[1:] | The outcome belongs to the last board, not to the first.
        values[1:], outcome => values[1:], 100.0 | The last board gets 100 whoever won; it must get `outcome`.
        values[1:], outcome => values[1:], values[-1] | The last board keeps its own value; its training value is the
            outcome.
        values[1:], outcome => values[1:], values[-1] + outcome | The outcome replaces the value of the last board; it
            is not added to it.
        values[1:], outcome => values[1:], values[0] | The values are shifted in a circle: the last board got the value
            of the first, not the outcome.
        values[1:], outcome => values[1:], abs(outcome) | The last board gets +100 also for a loss; it must get
            `outcome` with its sign.
        X @ w => X[:, 1:] @ w[1:] | w0 is missing: the first entry of each board is 1 and belongs to it.
        """,
        (moving_values, "You update the weights in between; use the same w for all boards."),
    ],
    right="Right. Feed them to (1.20) one by one, with the weights updated in between, and you have lms_train.",
    explanation="np.append(X[1:] @ w, outcome): as many values as there are boards.",
)  # fmt: skip


def best_question(rules, instances):
    def left_at_worst(x):
        yes = sum(x in rule for rule in rules)
        return max(yes, len(rules) - yes)

    return min(sorted(instances), key=left_at_worst)


def rules_and_instances():
    """Return thirty cases in which neither the most nor the fewest yes votes lead to the best question."""
    rng, cases = np.random.default_rng(7), []
    while len(cases) < 30:
        numbers = sorted(rng.permutation(30)[:11].tolist())
        bias = rng.uniform(0.1, 0.9, 11)
        rules = [{x for x, p in zip(numbers, bias) if rng.random() < p} for _ in range(int(rng.integers(7, 14)))]
        order = rng.permutation(numbers)[:9].tolist()  # the rules speak of two more
        yes = {x: sum(x in rule for rule in rules) for x in order}
        if best_question(rules, order) not in (max(order, key=yes.get), min(order, key=yes.get)):
            cases.append((rules, order))
    return cases


def one_number(got):
    """Return the number in a 0-d array, a float without fraction or an integer, as a word."""
    got = got.item() if isinstance(got, (np.ndarray, np.generic)) and np.ndim(got) == 0 else got
    got = int(got) if isinstance(got, float) and got.is_integer() else got
    return str(got) if isinstance(got, int) and not isinstance(got, bool) else brief(got)


def complain_of_question(case, got, right):
    """Say what the question leaves in the worst case."""
    rules, instances = case
    if got not in map(str, instances):
        return f"Return one of the given instances {instances}; got {got}."
    n, yes = len(rules), {str(x): sum(x in rule for rule in rules) for x in instances}
    worst = {x: max(v, n - v) for x, v in yes.items()}
    if worst[got] == worst[right]:
        return (
            f"With {n} rules you ask about {got}, which {yes[got]} of them call a yes. The question {right} leaves as "
            "few in the worst case, and on a tie the smallest instance is wanted."
        )
    left = f"which leaves {worst[got]} in the worst case; another question leaves {worst[right]}."
    return f"With {n} rules you ask about {got}, {left}"


task("1.4", "The best question", best_question, cases=rules_and_instances, what="The instance", read=one_number,
    complain=complain_of_question,
    start="How many rules are left after the unlucky answer to one question?",
    hints=[
        "The unlucky answer leaves max(yes, len(rules) - yes).",
        "Take the instance with the smallest such number; min over the sorted instances breaks ties as asked.",
    ],
    slips="""
        max(yes, len(rules) - yes) => -yes | You take the instance with the most yes votes. A nearly unanimous question
            teaches little.
        max(yes, len(rules) - yes) => yes | You take the instance with the fewest yes votes. A nearly unanimous question
            teaches little.
        min(sorted => max(sorted | You take the most uneven split; the most even one is wanted.
        max(yes, len(rules) - yes) => -yes ;; sorted(instances) => instances | You take the instance with the most yes
            votes. A nearly unanimous question teaches little.
        max(yes, len(rules) - yes) => yes ;; sorted(instances) => instances | You take the instance with the fewest yes
            votes. A nearly unanimous question teaches little.
        min(sorted(instances) => max(instances | You take the most uneven split; the most even one is wanted.
        min(sorted(instances), => min(sorted(instances)[::-1], | Your question is as good, but on a tie the smallest
            instance is wanted.
        sorted(instances) => instances | Your question is as good, but on a tie the smallest instance is wanted.
        """,
    right="Right. A question whose answer is already decided would leave everything as it is.",
    explanation="The split nearest to one half. On thresholds this is binary search.",
)  # fmt: skip

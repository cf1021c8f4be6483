"""Tasks of chapter 00: how a check answers."""

import numpy as np

from mlteach.course import chapters
from mlteach.exercises.base import Wrong, exercise, letters, points
from mlteach.exercises.tasks import number, spelt, task

task("0.a", "Read the line",
    start="Which line does the sentence under the picture name after 200 steps?",
    hints=["The sentence reads: mark = intercept + slope × hours.", "Put 4.25 in place of the hours."],
    mark=number("The predicted mark", 64.4, to=1, slips="""
        10 + 2 * 4.25        | That is the prediction of the line before any step. Let the explorer take its 200 steps
            first.
        36.5                 | Either the intercept is missing, or you added the slope once. Multiply it by the hours,
            4.25, and add the intercept.
        27.6                 | That is the intercept alone: add slope × hours.
        27.6 * 4.25 + 8.65   | Intercept and slope are exchanged: the hours multiply the slope.
        (27.6 + 8.65) * 4.25 | The hours multiply the slope only, not the intercept.
        27.6 + 8.65 * 4      | That is the mark for 4 hours; the thirteenth student has 4.25.
        27.6 + 8.65 * 5      | That is the mark for 5 hours; the thirteenth student has 4.25.
        """),
    right="Right. Nobody knows the true mark; chapter 04 says how sure one may be.",
    explanation="After 200 steps the line is near mark = 27.6 + 8.65 × hours; at 4.25 hours it says 64.4.",
)  # fmt: skip


@exercise(
    "0.b",
    "Three ingredients",
    start="For each of the three changes ask: is it about which rules there are, how bad one is, or how one walks?",
    hints=["A parabola is a rule; ten or a hundred is how bad a miss is.", "The length of a step belongs to the walk."],
    solution="wrm",
    explanation="The length of a step belongs to the walk; parabolas enlarge the set of rules; counting misses without "
    "the square changes the measure.",
)
def three_ingredients(answer):
    word = letters(answer, "RMW")
    if len(word) != 3:
        raise Wrong(f"Three letters are wanted, one for each change; got {len(word)}.")
    reasons = (
        ("W", "The length of a step changes neither the rules nor the measure, only the walk."),
        ("R", "Parabolas are new rules to choose from."),
        ("M", "Ten instead of a hundred says how bad a miss is: that is the measure."),
    )
    for place, (mine, (right, why)) in enumerate(zip(word, reasons), 1):
        if mine != right:
            raise Wrong(f"Change {place} is not {mine.lower()}. {why}")
    return "Right. Keep the three apart and every later method falls into place."


def miss(w0, w1, hours, mark):
    return w0 + w1 * hours - mark


task("0.c", "Your first miss", miss, cases=[(0, 10, 5, 45), (20, 8, 4, 60), (31, 3.5, 6.5, 44)], what="The miss",
    start="Write the body of the function in place of the dots. What does the line predict for these hours?",
    hints=[
        "The line predicts w0 + w1 * hours.",
        "Above means prediction minus mark, in this order: w0 + w1 * hours - mark.",
    ],
    slips="""
        w0 + w1 * hours - mark => mark - w0 - w1 * hours | The sign is the wrong way round: above means prediction minus
            mark, not mark minus prediction.
        w0 + w1 * hours - mark => abs(w0 + w1 * hours - mark) | You return the size of the miss. Keep its sign: where
            the line promises too little it is negative.
        - mark =>                | You return the prediction itself; subtract the true mark.
        - mark => + mark         | You add the mark; subtract it.
        w0 + w1 * hours - mark => (w0 + w1 * hours - mark) ** 2 | You squared the miss; keep its sign here.
        w0 + w1 * hours => w1 + w0 * hours | Slope and intercept are exchanged.
        w0 + w1 => w1            | You left out the intercept w0.
        w1 * hours => w1         | The hours are missing: the line is w0 + w1 * hours.
        w0 + w1 * => (w0 + w1) * | The hours multiply the slope only: w0 + w1 * hours, without brackets.
        w0 + w1 * hours - mark => max(0, w0 + w1 * hours - mark) | You return 0 where the line promises too little.
            There the miss is negative.
        w0 + w1 * hours - mark => int(w0 + w1 * hours - mark)   | You cut the fraction off: leave out int.
        w0 + w1 * hours - mark => round(w0 + w1 * hours - mark) | You round the miss: leave out round.
        """,
    right="Right. The mean of the squares of these numbers is the height of the map.",
    explanation="The prediction is read off the line; the miss is how far it lies above what happened.",
)  # fmt: skip

task("0.d", "Two predictions",
    start="What does the line `best` say at 4.25 hours, and what at 0 hours?",
    hints=["mark = intercept + slope × hours, twice.", "With no hours the slope does not matter."],
    slips="""
        (64.4, 27.6) | That is the line after 200 steps, as in 0.a. Take the numbers of `best`.
        (64, 28)     | Give both numbers to one decimal.
        """,
    thirteenth=number("The mark of the thirteenth student", "27.8 + 8.59 * 4.25", to=0.06, slips="""
        64   | Give the first number to one decimal.
        36.5 | The intercept is missing in your first number.
        36.4 | In your first number the slope counts once. Multiply it by 4.25.
        62.2 | Your first number is for 4 hours; the thirteenth student has 4.25.
        64.4 | The first number is a little too large: take `best`, and round at the end.
        """),
    idle=number("The mark for no study", 27.8, to=0.06, slips="""
        27.6 | 27.6 is the intercept after 200 steps, as in 0.a. Take the numbers of `best`.
        28   | Give the second number to one decimal.
        0    | With no hours the line still says something: its intercept.
        8.59 | 8.59 is the slope. With 0 hours the slope has nothing to multiply.
        36.4 | Your second number is for one hour. With no study the hours are 0.
        """),
    right="Right. The second lies outside the data: a line goes on, whether students do or not.",
    explanation="27.8 + 8.59 × 4.25 = 64.3, and 27.8 for nobody's work. No student of ours is near 0 hours, so the "
    "second number is a bold one.",
)  # fmt: skip


def prerequisites():
    """Return {number: numbers of the chapters that it names as prerequisites}."""
    numbers = {c.slug: c.number for c in chapters()}
    return {c.number: {numbers[need] for need in c.needs} for c in chapters()}


def before(chapter):
    """Return the numbers of all chapters that come before one, through all its prerequisites."""
    needs = prerequisites()[chapter]
    return needs.union(*map(before, needs))


@exercise(
    "0.e",
    "The way to chapter 08",
    start="Find 08 on the map or in the list. What does it need, and what do those need?",
    hints=[
        "The list under the map says after which chapters each one comes.",
        "Look up each of those, too, until you reach chapters that need no other.",
    ],
    solution=sorted(before(8)),
    explanation="Chapter 08 names its own prerequisites; each of them has some of its own.",
)
def way_to_chapter_08(answer):
    wanted, needs = before(8), prerequisites()
    found = points(answer, 33, noun="chapter")
    if 8 in found:
        raise Wrong("08 itself is not a chapter before 08.")
    if found == needs[8]:
        raise Wrong("These are the ones that 08 names itself. Now look up what those need.")
    if found - wanted == {0}:
        raise Wrong("Leave out 00: it is a help for every chapter, but no chapter names it.")
    if found > wanted:
        extra = ", ".join(f"{k:02d}" for k in sorted(found - wanted))
        raise Wrong(f"All that 08 needs is in your list, and more: it can be read without {extra}.")
    for k in sorted({8} | found & wanted, reverse=True):
        if not needs[k] <= found:
            raise Wrong(f"Look at {k:02d} again: it needs a chapter that is not in your list.")
    return "Right. 00 asks for nothing and helps with everything."


def height(w0, w1, hours, marks):
    return np.mean((w0 + w1 * hours - marks) ** 2)


task("0.1", "The height of the map", height, what="The height",
    cases=[
        (0, 10, np.array([1.0, 2.0]), np.array([13.0, 16.0])),
        (20, 8, np.array([1.0, 3.0, 6.0]), np.array([30.0, 40.0, 75.0])),
        (5, 3, np.array([4.0]), np.array([20.0])),
    ],
    start="How far is the line from each student's mark, for all of them at once?",
    hints=["Square the misses with ** 2.", "np.mean((w0 + w1 * hours - marks) ** 2), after import numpy as np."],
    slips="""
        np.mean => np.sum | You add the squares up; the height is their mean.
        ** 2 =>           | The square is missing: misses up and down cancel.
        ** 2) => ) ** 2   | You square the mean; take the mean of the squares.
        (w0 + w1 * hours - marks) ** 2 => abs(w0 + w1 * hours - marks) | You take the size of each miss; take its
            square.
        w0 + w1 => w1     | You left out the intercept w0.
        ** 2) => ** 2) * len(hours) / 2 | You divide by 2. Divide by len(hours).
        ** 2) => [:1] ** 2) | You use the first student only; take the mean over all.
        np.mean => np.array | Those are all the squared misses; take their mean.
        """,
    right="Right. Learning a line means finding where this number is least.",
    explanation="An array minus an array works entry by entry, so one line serves any number of students.",
)  # fmt: skip

task("0.2", "Which line is best?",
    start="How high is the map at each of the three lines?",
    hints=["The sliders of the first explorer can be set to each line.", "A has about 60, B about 23, C about 39."],
    order=spelt("The order", "BCA", "ABC", once=True, slips="""
        ACB | That is the order from the largest to the smallest. Begin with the smallest.
        ABC | A is not the best of the three: B misses by less. Set all three with the sliders.
        CAB | C is not the best of the three: B misses by less. Set all three with the sliders.
        CBA | C is not the best of the three: B misses by less. Set all three with the sliders.
        BAC | B is best, but the other two are exchanged. Compare their root mean squares in the read-out.
        """),
    right="Right: 23, 39 and 60. No line has less than 21.",
    explanation="The mean squared misses are 60 for A, 23 for B and 39 for C. The best line of all, 27.8 + 8.59 × "
    "hours, has 21.",
)  # fmt: skip


def step(w0, w1, hours, marks, rate):
    misses = w0 + w1 * hours - marks
    steep0, steep1 = 2 * np.mean(misses), 2 * np.mean(misses * hours)
    return w0 - rate * steep0, w1 - rate * steep1


HOURS, MARKS = np.array([1.0, 2.0, 5.0]), np.array([30.0, 41.0, 72.0])

task("0.3", "One step downhill", step, what="The new line", names="w0, w1",
    cases=[
        (0.0, 10.0, np.array([1.0, 2.0]), np.array([13.0, 16.0]), 0.1),
        (10.0, 4.0, HOURS, MARKS, 0.1),
        (50.0, -3.0, HOURS[1:], MARKS[1:], 0.03),
        (0.0, 20.0, HOURS, MARKS, 0.2),
    ],
    start="By how much does the old line miss, and of what are both steepnesses means?",
    hints=[
        "misses = w0 + w1 * hours - marks, once, before anything changes.",
        "The steepnesses are 2 * np.mean(misses) and 2 * np.mean(misses * hours); subtract rate times each.",
    ],
    slips="""
        w0 - rate => w0 + rate ;; w1 - rate => w1 + rate | You walk uphill: subtract, and let a miss be the prediction
            minus the mark.
        steep0, steep1 = => w0 = w0 - rate * 2 * np.mean(misses); misses = w0 + w1 * hours - marks; steep0, steep1 =
            ;; w0 - rate * steep0 => w0 | The second steepness uses the new w0. Compute both from the old line first.
        2 * np.mean(misses * hours) => 2 * np.mean(misses) | In the direction of w1 take the mean of miss × hours.
        2 * np.mean(misses), => 2 * np.sum(misses), ;; 2 * np.mean(misses * hours) => 2 * np.sum(misses * hours) | You
            add the misses up; take twice their mean.
        2 * np.mean(misses), => np.mean(misses), ;; 2 * np.mean(misses * hours) => np.mean(misses * hours) | The factor
            two of both steepnesses is missing.
        w0 - rate * => w0 - ;; w1 - rate * => w1 - | The rate is missing: subtract rate times each steepness.
        np.mean(misses * hours) => np.mean(misses) * np.mean(hours) | Multiply each miss by its hours, then take the
            mean.
        steep0, steep1 = => misses = misses**2; steep0, steep1 = | The misses are not squared here.
        steep0, steep1 = => steep1, steep0 = | The two steepnesses are exchanged: the one with the hours belongs to w1.
        w0 - rate => -rate ;; w1 - rate => -rate | You return the change. Add it to the old w0 and w1.
        w0 - rate => rate ;; w1 - rate => rate | You return rate times the steepness. Subtract it from the old w0 and
            w1.
        w0 - rate * => 1 * ;; w1 - rate * => 1 * | You return the two steepnesses. Subtract rate times each.
        w1 - rate * steep1 => w1 | You leave w1 as it was. It moves as well.
        w0 - rate * steep0 => w0 | You leave w0 as it was. It moves as well.
        , w1 - rate * steep1 =>  | You return w0 alone. Return both, w0 and w1, with a comma between them.
        w0 - rate * steep0, =>   | You return w1 alone. Return both, w0 and w1, with a comma between them.
        np.mean(misses), => misses, ;; np.mean(misses * hours) => misses * hours | You move by the misses of all
            students; take their means.
        """,
    right="Right. Repeat it 200 times with rate 0.05, and you have the explorer.",
    explanation="Downhill is minus. Chapter 04 derives the two steepnesses, chapter 05 asks how long a step may be.",
)  # fmt: skip

"""Tasks of chapter 00: how a check answers."""

import numpy as np

from mlteach.course import chapters
from mlteach.exercises.base import Wrong, exercise, expect_close, expect_function, expect_set, letters, numbers, points


@exercise(
    "0.a",
    "Read the line",
    start="Set the explorer to 200 steps and read the line from the sentence under the picture.",
    hints=["The sentence reads: mark = intercept + slope × hours.", "Put 4.25 in place of the hours."],
    solution=64.4,
    explanation="After 200 steps the line is near mark = 27.6 + 8.65 × hours; at 4.25 hours it says 64.4.",
)
def _(answer):
    (value,) = numbers(answer, "the predicted mark")
    if abs(value - 64.4) <= 1:
        return "Right. Nobody knows the true mark; chapter 04 says how sure one may be."
    if abs(value - (10 + 2 * 4.25)) < 1:
        raise Wrong("That is the prediction of the line before any step. Let the explorer take its 200 steps first.")
    if abs(value - 8.65 * 4.25) < 1:
        raise Wrong("The intercept is missing: the line is intercept + slope × hours.")
    raise Wrong(
        f"{value:g} is off. Take intercept + slope × 4.25 with the numbers under the picture after 200 steps.",
        plain=True,
    )


@exercise(
    "0.b",
    "Three ingredients",
    start="For each of the three changes ask: is it about which rules there are, how bad one is, or how one walks?",
    hints=["A parabola is a rule, ten or a hundred is how bad a miss is.", "Rules, measure, walk: in this very order."],
    solution="rmw",
    explanation="Parabolas enlarge the set of rules; counting misses without the square changes the measure; the "
    "length of a step belongs to the walk.",
)
def _(answer):
    word = letters(answer, "RMW")
    if len(word) != 3:
        raise Wrong(f"Three letters are wanted, one for each change; got {len(word)}.")
    reasons = (
        ("R", "Parabolas are new rules to choose from."),
        ("M", "Ten instead of a hundred says how bad a miss is: that is the measure."),
        ("W", "The length of a step changes neither the rules nor the measure, only the walk."),
    )
    for place, (mine, (right, why)) in enumerate(zip(word, reasons), 1):
        if mine != right:
            raise Wrong(f"Change {place} is not {mine.lower()}. {why}")
    return "Right. Keep the three apart and every later method falls into place."


def miss(w0, w1, hours, mark):
    return w0 + w1 * hours - mark


@exercise(
    "0.c",
    "Your first miss",
    start="Replace the dots by: return the prediction minus the mark.",
    hints=[
        "The line predicts w0 + w1 * hours.",
        "Above means prediction minus mark, in this order: w0 + w1 * hours - mark.",
    ],
    solution=miss,
    explanation="The prediction is read off the line; the miss is how far it lies above what happened.",
)
def _(answer):
    turned = "The sign is the wrong way round: above means prediction minus mark, not mark minus prediction."
    unsigned = "You return the size of the miss. Keep its sign: where the line promises too little it is negative."
    expect_function(
        answer,
        miss,
        [(0, 10, 5, 45), (20, 8, 4, 60), (31, 3.5, 6, 44)],
        "The miss",
        slips=[
            (lambda w0, w1, hours, mark: mark - w0 - w1 * hours, turned),
            (lambda w0, w1, hours, mark: abs(w0 + w1 * hours - mark), unsigned),
            (lambda w0, w1, hours, mark: w0 + w1 * hours, "You return the prediction itself; subtract the true mark."),
            (lambda w0, w1, hours, mark: (w0 + w1 * hours - mark) ** 2, "You squared the miss; keep its sign here."),
            (lambda w0, w1, hours, mark: w1 + w0 * hours - mark, "Slope and intercept are exchanged."),
            (lambda w0, w1, hours, mark: w1 * hours - mark, "You left out the intercept w0."),
            (lambda w0, w1, hours, mark: w0 + w1 - mark, "The hours are missing: the line is w0 + w1 * hours."),
        ],
    )
    return "Right. The mean of the squares of these numbers is the height of the map."


@exercise(
    "0.d",
    "Two predictions",
    start="Both come from the same line, with 4.25 hours and with 0 hours.",
    hints=["mark = intercept + slope × hours, twice.", "With no hours the slope does not matter."],
    solution=(64.3, 27.8),
    explanation="27.8 + 8.59 × 4.25 = 64.3, and 27.8 for nobody's work. No student of ours is near 0 hours, so the "
    "second number is a bold one.",
)
def _(thirteenth, idle):
    expect_close(
        (thirteenth, idle),
        (64.3, 27.8),
        "Your pair of predictions",
        names="thirteenth student, no study",
        rtol=0,
        atol=0.15,
        reveal=False,
        known=[
            ((..., 0), "With no hours the line still says something: its intercept."),
            ((..., 8.59), "8.59 is the slope. With 0 hours the slope has nothing to multiply."),
            ((36.5, ...), "The intercept is missing in your first number."),
        ],
    )
    return "Right. The second lies outside the data: a line goes on, whether students do or not."


def _before(slug):
    """Return the numbers of all chapters that come before one, through all its prerequisites."""
    plan = {c.slug: c for c in chapters()}
    open_, found = list(plan[slug].needs), set()
    while open_:
        need = plan[open_.pop()]
        found.add(need.number)
        open_ += need.needs
    return found


@exercise(
    "0.e",
    "The way to chapter 08",
    start="Start at 08 on the map, and follow the arrows backwards.",
    hints=[
        "The list under the map says after which chapters each one comes.",
        "Look up each of those, too.",
    ],
    solution=sorted(_before("logistic_regression")),
    explanation="Chapter 08 names its own prerequisites; each of them has some of its own.",
)
def _(answer):
    wanted = _before("logistic_regression")
    direct = {c.number for c in chapters() if c.slug in next(k for k in chapters() if k.number == 8).needs}
    found = points(answer, 33)
    if 8 in found:
        raise Wrong("08 itself is not a chapter before 08.")
    if found == direct:
        raise Wrong("These are the ones that 08 names itself. Now follow their own arrows backwards.")
    expect_set(found, wanted, "Your list")
    return "Right. 00 asks for nothing and helps with everything."


def height(w0, w1, hours, marks):
    return np.mean((w0 + w1 * hours - marks) ** 2)


@exercise(
    "0.1",
    "The height of the map",
    start="Start from the misses of all students at once: w0 + w1 * hours - marks works on arrays.",
    hints=["Square the misses with ** 2.", "np.mean((w0 + w1 * hours - marks) ** 2), after import numpy as np."],
    solution=height,
    explanation="An array minus an array works entry by entry, so one line serves any number of students.",
)
def _(answer):
    expect_function(
        answer,
        height,
        [
            (0, 10, np.array([1.0, 2.0]), np.array([13.0, 16.0])),
            (20, 8, np.array([1.0, 3.0, 6.0]), np.array([31.0, 40.0, 75.0])),
            (5, 3, np.array([4.0]), np.array([20.0])),
        ],
        "The height",
        slips=[
            (lambda w0, w1, x, t: np.sum((w0 + w1 * x - t) ** 2), "You add the squares up; the height is their mean."),
            (lambda w0, w1, x, t: np.mean(w0 + w1 * x - t), "The square is missing: misses up and down cancel."),
            (
                lambda w0, w1, x, t: np.mean(w0 + w1 * x - t) ** 2,
                "You square the mean; take the mean of the squares.",
            ),
            (lambda w0, w1, x, t: np.mean(abs(w0 + w1 * x - t)), "You take the size of each miss; take its square."),
            (lambda w0, w1, x, t: np.mean((w1 * x - t) ** 2), "You left out the intercept w0."),
        ],
    )
    return "Right. Learning a line means finding where this number is least."


@exercise(
    "0.2",
    "Which line is best?",
    start="Compute the height of the map for each of the three lines.",
    hints=["The sliders of the first explorer can be set to each line.", "A has about 23, B about 39, C about 60."],
    solution="ABC",
    explanation="The mean squared misses are 23, 39 and 60. The best line of all, 27.8 + 8.59 × hours, has 21.",
)
def _(answer):
    order = letters(answer, "ABC", once=True)
    if order[0] != "A":
        raise Wrong(f"{order[0]} is not the best of the three: A misses by less. Set all three with the sliders.")
    if order != "ABC":
        raise Wrong("A is best, but the other two are exchanged. Compare their root mean squares in the read-out.")
    return "Right."


def step(w0, w1, hours, marks, rate):
    misses = w0 + w1 * hours - marks
    return w0 - rate * 2 * np.mean(misses), w1 - rate * 2 * np.mean(misses * hours)


@exercise(
    "0.3",
    "One step downhill",
    start="Start from the misses of the old line; both slopes are means of them.",
    hints=[
        "misses = w0 + w1 * hours - marks, once, before anything changes.",
        "The slopes are 2 * np.mean(misses) and 2 * np.mean(misses * hours); subtract rate times each.",
    ],
    solution=step,
    explanation="Downhill is minus. Chapter 04 derives the two slopes, chapter 05 asks how long a step may be.",
)
def _(answer):
    def uphill(w0, w1, x, t, rate):
        a, b = step(w0, w1, x, t, rate)
        return 2 * w0 - a, 2 * w1 - b

    def one_after_the_other(w0, w1, x, t, rate):
        w0 = step(w0, w1, x, t, rate)[0]
        return w0, step(w0, w1, x, t, rate)[1]

    def without_hours(w0, w1, x, t, rate):
        slope = 2 * np.mean(w0 + w1 * x - t)
        return w0 - rate * slope, w1 - rate * slope

    def sums(w0, w1, x, t, rate):
        return step(w0, w1, x, t, rate * len(x))

    hours, marks = np.array([1.0, 2.0, 5.0]), np.array([30.0, 41.0, 72.0])
    expect_function(
        answer,
        step,
        [(10.0, 4.0, hours, marks, 0.1), (50.0, -3.0, hours[1:], marks[1:], 0.03), (0.0, 20.0, hours, marks, 0.2)],
        "The new line",
        names="w0, w1",
        slips=[
            (uphill, "You walk uphill: subtract rate times the slope."),
            (one_after_the_other, "The slope of w1 uses the new w0. Compute both slopes from the old line first."),
            (without_hours, "The slope of w1 is the mean of miss × hours; you left out the hours."),
            (sums, "You add the misses up; the slope is twice their mean."),
            (lambda w0, w1, x, t, r: step(w0, w1, x, t, r / 2), "The factor two of both slopes is missing."),
        ],
    )
    return "Right. Repeat it two hundred times and you have the explorer."

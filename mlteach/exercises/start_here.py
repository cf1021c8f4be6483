"""Exercises of chapter 00: how a check answers."""

from mlteach.exercises.base import Wrong, exercise, expect_close


def miss(w0, w1, hours, mark):
    return w0 + w1 * hours - mark


@exercise(
    "0.1",
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
    expect_close(
        answer(0, 10, 5, 45),
        5,
        "The miss of mark = 10 × hours for a student with 5 hours and mark 45",
        known=[
            (-5, turned),
            (50, "You return the prediction itself; subtract the true mark from it."),
            (25, "You squared the miss; here its sign matters, so leave it as it is."),
            (-35, "Slope and intercept are exchanged, or the hours are missing: the line is w0 + w1 * hours."),
        ],
    )
    expect_close(
        answer(20, 8, 4, 60),
        -8,
        "The miss of mark = 20 + 8 × hours for a student with 4 hours and mark 60",
        known=[(8, unsigned), (-28, "You left out the intercept w0.")],
    )
    return "Right. The mean of the squares of these numbers is the height of the map."


@exercise(
    "0.2",
    "Read the line",
    start="Set the explorer to 200 steps and read the line from the sentence under the picture.",
    hints=["The sentence reads: mark = intercept + slope × hours.", "Put 4.25 in place of the hours."],
    solution=64.4,
    explanation="After 200 steps the line is near mark = 27.6 + 8.65 × hours; at 4.25 hours it says 64.4.",
)
def _(answer):
    value = float(answer)
    if not abs(value - 64.4) <= 1:
        if abs(value - (10 + 2 * 4.25)) < 1:
            raise Wrong(
                "That is the prediction of the line before any step. Let the explorer take its 200 steps first."
            )
        raise Wrong(
            f"{value:g} is off. Take intercept + slope × 4.25 with the numbers under the picture after 200 steps."
        )
    return "Right. Nobody knows the true mark; chapter 04 says how sure one may be."

"""Typical wrong answers to the exercises of chapter 00, each with words that the check must say."""

WRONG = {
    "0.1": [
        (lambda w0, w1, hours, mark: mark - w0 - w1 * hours, "prediction minus mark"),
        (lambda w0, w1, hours, mark: abs(w0 + w1 * hours - mark), "sign"),
        (lambda w0, w1, hours, mark: w0 + w1 * hours, "subtract"),
        (lambda hours: hours, "does not take the arguments"),
        (lambda w0, w1, hours, mark: "sixty", "number"),
    ],
    "0.2": [(18.5, "before any step"), (50, "off"), ("sixty-four", "should be a number; got the text")],
}

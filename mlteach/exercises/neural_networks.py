"""Tasks and exercises of chapter 18: units, slopes, networks, losses, backpropagation, bumps and a training step."""

import numpy as np

from mlteach.exercises.base import Wrong, brief, call, exercise, expect_close, expect_function, numbers
from mlteach.neural_networks import sigmoid


def _row(given, size):
    """Return a row or column of the right length as a flat list of numbers; all else as it came."""
    try:
        array = np.asarray(given)
    except (TypeError, ValueError, RuntimeError):
        return given
    flat = array.ndim == 2 and array.size == size and array.dtype.kind in "biuf"
    return array.ravel() if flat else given


# --- Tasks of the core ---------------------------------------------------------------------------------------------


@exercise(
    "18.a",
    "One and not the other",
    start="Which inputs should push the sum up, which down, and how much must be missing at (0, 0)?",
    hints=[
        "x₁ pushes up and x₂ pushes down. At (0, 0) the sum is b: it must be negative.",
        "w₁ = 1, w₂ = -1: now find a b below 0 with w₁ + b at least 0.",
    ],
    solution=(1.0, -1.0, -0.5),
    explanation="Sums at 00, 01, 10, 11: -0.5, -1.5, 0.5, -0.5. Only 10 fires. Any b from -1 to below 0 will do.",
)
def _(w1, w2, b):
    w1, w2, b = (numbers(v, name)[0] for v, name in ((w1, "w₁"), (w2, "w₂"), (b, "b")))
    if not np.isfinite([w1, w2, b]).all():
        raise Wrong(f"All three must be finite numbers; got {w1:g}, {w2:g}, {b:g}.")
    sums = {"00": b, "01": w2 + b, "10": w1 + b, "11": w1 + w2 + b}
    fires = {state: z >= 0 for state, z in sums.items()}
    wanted = {"00": False, "01": False, "10": True, "11": False}
    if fires == wanted:
        return "Right. One line is enough, since only one corner has to be cut off."
    table = "".join("1" if f else "0" for f in fires.values())
    named = {
        "0001": "That is AND: it fires at 11 only. The second input must hinder, not help.",
        "0111": "That is OR. The second input must hinder: give it a negative weight.",
        "0100": "That is 'x₂ and not x₁': the two weights are exchanged.",
        "1101": "Turned round: your unit fires exactly where it should not. Change all three signs.",
        "0000": "It never fires. At (1, 0) the sum must reach 0: raise b, or w₁.",
        "1111": "It always fires. At (0, 0) the sum is b, which must be below 0.",
        "0011": "It copies x₁: at (1, 1) the second input must pull the sum below 0.",
        "1010": "It says 'not x₂'. At (0, 0) the sum is b, which must be below 0.",
        "1011": "At (0, 0) the sum is b, which must be below 0; and at (1, 1) x₂ must pull it below 0.",
    }
    if b == 0 and fires["00"]:
        raise Wrong("At (0, 0) the sum is b = 0, and 0 is enough to fire: b must be below 0.")
    if table in named:
        raise Wrong(named[table])
    state = next(s for s in fires if fires[s] != wanted[s])
    raise Wrong(
        f"At x = ({state[0]}, {state[1]}) the sum is {sums[state]:g}, so the unit "
        f"{'fires' if fires[state] else 'is silent'}; it should {'fire' if wanted[state] else 'be silent'}."
    )


@exercise(
    "18.b",
    "Slopes from outputs",
    start="The table gives each slope in terms of the output a.",
    hints=["Sigmoid: a(1 - a). tanh: 1 - a².", "0.9 x 0.1, and 1 - 0.81. ReLU is a straight line for positive z."],
    solution=(0.09, 0.19, 1.0),
    explanation="0.9 x 0.1 = 0.09; 1 - 0.9² = 0.19; a ReLU unit that puts out 0.9 has z = 0.9 > 0, so slope 1.",
)
def _(sigmoid_slope, tanh_slope, relu_slope):
    s, t = sigmoid(0.9) * (1 - sigmoid(0.9)), 1 - np.tanh(0.9) ** 2
    known = [
        (s, "That is the slope at z = 0.9. Here 0.9 is the output a: a(1 - a)."),
        (0.19, "That is the slope of tanh. The sigmoid has a(1 - a)."),
        (0.1, "That is 1 - a. Multiply by a."),
        (0.25, "That is the largest slope, at a = ½. Here a = 0.9."),
        (0.81, "That is a². The slope is a(1 - a)."),
        (0.9, "That is the output itself. The slope is a(1 - a)."),
    ]
    expect_close(sigmoid_slope, 0.09, "The slope of the sigmoid unit", known=known, rtol=0, atol=1e-4, reveal=False)
    known = [
        (t, "That is the slope at z = 0.9. Here 0.9 is the output a: 1 - a²."),
        (0.09, "That is the slope of the sigmoid. tanh has 1 - a²."),
        (0.1, "Square the output: 1 - a²."),
        (0.81, "That is a². The slope is 1 minus that."),
        (0.36, "That is the sigmoid's formula four times. tanh has 1 - a²."),
        (1.0, "That is the largest slope, at a = 0. Here a = 0.9."),
    ]
    expect_close(tanh_slope, 0.19, "The slope of the tanh unit", known=known, rtol=0, atol=1e-4, reveal=False)
    known = [
        (0.9, "That is the output. The slope of a straight line through 0 with z = a is the same everywhere."),
        (0.0, "The unit puts out 0.9, so its sum is positive: it is on."),
    ]
    expect_close(relu_slope, 1.0, "The slope of the ReLU unit", known=known, rtol=0, atol=1e-4, reveal=False)
    return "Right. Same output, slopes of 0.09, 0.19 and 1: that is why ReLU passes slopes on so well."


@exercise(
    "18.c",
    "XOR elsewhere",
    start="Hidden values first: what are x₁ + x₂ and x₁ + x₂ - 1?",
    hints=["At (0.5, 1) the sums are 1.5 and 0.5, both positive.", "y = h₁ - 2 h₂; at (2, 1): 3 - 2 x 2."],
    solution=(0.5, -1.0),
    explanation="(0.5, 1): h = (1.5, 0.5), y = 0.5. (2, 1): h = (3, 2), y = -1.",
)
def _(first, second):
    known = [
        (1.0, "That is h₁ - h₂ (or XOR by rounding): the second hidden unit has the weight -2."),
        (2.5, "The second weight is -2, not 2."),
        (1.5, "That is h₁. The second hidden unit is on, too: x₁ + x₂ - 1 = 0.5."),
        (-3.5, "The offset of the second unit is -1: h₂ = x₁ + x₂ - 1."),
        (0.0, "The network is no rule for 0 and 1 only: put x₁ = 0.5 into (18.5)."),
    ]
    expect_close(first, 0.5, "The first y", known=known, rtol=0, atol=1e-6, reveal=False)
    known = [
        (1.0, "That is h₁ - h₂. The second hidden unit has the weight -2."),
        (7.0, "The second weight is -2, not 2."),
        (3.0, "That is h₁. The second hidden unit is on, too: x₁ + x₂ - 1 = 2."),
        (0.0, "The output unit is linear: no ReLU cuts off what is below 0."),
        (-5.0, "The offset of the second unit is -1: h₂ = x₁ + x₂ - 1."),
    ]
    expect_close(second, -1.0, "The second y", known=known, rtol=0, atol=1e-6, reveal=False)
    return "Right. XOR is what it computes at four corners; elsewhere it is three planes with two folds."


@exercise(
    "18.d",
    "How many numbers?",
    start="Count layer by layer: which numbers does one unit own?",
    hints=[
        "A unit has a weight for each input and an offset: 10-20 has 11 x 20. 20-20: 21 x 20.",
        "The last layers: 21 x 3, and 41 x 3.",
    ],
    solution=(703, 563),
    explanation="11 x 20 + 21 x 20 + 21 x 3 = 220 + 420 + 63 = 703; 11 x 40 + 41 x 3 = 440 + 123 = 563.",
)
def _(deep, wide):
    known = [
        (660, "The offsets are missing: one for each unit, 20 + 20 + 3."),
        (53, "Those are the units. A weight joins each pair of units of neighbouring layers."),
        (43, "Those are the offsets. Add the weights."),
        (700, "The offsets of the output layer are missing."),
        (713, "The inputs have no offsets: only units do."),
        (640, "A layer is missing: 10 x 20, 20 x 20 and 20 x 3, and the offsets."),
        (563, "That is the number for 10-40-3: the two are exchanged."),
        (283, "The layer between the two hidden ones is missing: 20 x 20 and its offsets."),
        (12000, "Layers add, they do not multiply."),
    ]
    expect_close(deep, 703, "The number for 10-20-20-3", known=known, rtol=0, atol=1e-6, reveal=False)
    known = [
        (520, "The offsets are missing: one for each unit, 40 + 3."),
        (43, "Those are the offsets. Add the weights."),
        (53, "Those are the units. A weight joins each pair of units of neighbouring layers."),
        (560, "The offsets of the output layer are missing."),
        (573, "The inputs have no offsets: only units do."),
        (1200, "Layers add, they do not multiply."),
    ]
    expect_close(wide, 563, "The number for 10-40-3", known=known, rtol=0, atol=1e-6, reveal=False)
    return "Right. The same 40 hidden units: one above the other they have more weights than side by side."


P = np.exp([1.0, 0.0, -1.0]) / np.exp([1.0, 0.0, -1.0]).sum()


@exercise(
    "18.e",
    "Softmax by hand",
    start="Probabilities first: three exponentials, divided by their sum.",
    hints=["y = (0.665, 0.245, 0.090). The loss looks at the true class only.", "-ln 0.090, and y - (0, 0, 1)."],
    solution=(float(-np.log(P[2])), P - [0, 0, 1]),
    explanation="y = (0.665, 0.245, 0.090); the loss is -ln 0.090 = 2.41, the slopes (0.67, 0.24, -0.91).",
)
def _(loss, slopes):
    known = [
        (-np.log(P[0]), "That is the loss if the first class were true."),
        (-np.log(P[1]), "That is the loss if the second class were true."),
        (P[2], "That is the probability of the true class. The loss is minus its logarithm."),
        (np.log(P[2]), "The logarithm of a probability is negative: the loss is minus it."),
        (-np.log10(P[2]), "The logarithm is the natural one."),
        (-np.log2(P[2]), "The logarithm is the natural one."),
        (-np.log(P).sum(), "Only the true class counts: its target is 1, the others' 0."),
        (
            0.5 * np.sum((P - [0, 0, 1]) ** 2),
            "That is half the squared error. Softmax goes with cross-entropy.",
        ),
        (np.sum((P - [0, 0, 1]) ** 2), "That is the squared error. The softmax goes with the cross-entropy."),
        (1 - P[2], "The loss is -ln y of the true class, not 1 - y."),
    ]
    expect_close(loss, -np.log(P[2]), "The loss", known=known, rtol=0, atol=0.006, reveal=False)
    known = [
        ((P - [0, 0, 1])[::-1], "They are in reverse order: the sums were (1, 0, -1), and the third class is true."),
        (P, "Those are the probabilities. Subtract the targets (0, 0, 1)."),
        ([0, 0, 1] - P, "The slope is y - t, not t - y."),
        (P - [1, 0, 0], "The third class is true: t = (0, 0, 1)."),
        (P - [0, 1, 0], "The third class is true: t = (0, 0, 1)."),
        (P * (1 - P), "Those are slopes of y. The slope of the loss is y - t."),
        ((P - [0, 0, 1]) * P * (1 - P), "The slope is y - t alone: the factor y(1 - y) cancels."),
        (P[2] - 1, "Three slopes are wanted, one for each sum."),
    ]
    expect_close(_row(slopes, 3), P - [0, 0, 1], "The list of slopes", known=known, rtol=0, atol=0.006, reveal=False)
    return "Right. They sum to 0: what the true class gains, the others lose."


@exercise(
    "18.f",
    "Backward by hand",
    start="Forward first, as in 18.4; then from the output to the left.",
    hints=[
        "z = (0.9, -0.4): the second unit is off, a = (0.9, 0), y = 0.7 x 0.9 + 0.3.",
        "Δ of the output is y - t = 0.8; hidden: slope of ReLU times weight times 0.8. Then x₂ Δ₁.",
    ],
    solution=(0.93, [0.56, 0.0], -0.56),
    explanation="z = (0.9, -0.4), a = (0.9, 0), y = 0.93, Δ = 0.8; hidden Δ = (0.7 x 0.8, 0); x₂ Δ₁ = -0.56.",
)
def _(y, deltas, slope):
    known = [
        (0.63, "The offset of the output, 0.3, is missing."),
        (1.17, "The second hidden unit has a negative sum: ReLU makes it 0."),
        (0.69, "You took |z| of the second unit. ReLU makes a negative sum 0."),
        (0.8, "That is y - t."),
        (0.86, "An offset of the hidden layer is missing: z₁ = 0.5 + 0.3 + 0.1."),
        (0.51, "x₂ is -1: -0.3 times -1 is +0.3."),
        (0.58, "Weights of a unit stand in a column of W₁: z₁ = 0.5 x₁ - 0.3 x₂ + 0.1."),
        (0.5, "That is y of the example, x = (2, 1). Here x = (1, -1)."),
    ]
    expect_close(y, 0.93, "y", known=known, rtol=0, atol=1e-4, reveal=False)
    known = [
        ([0.56, -0.48], "The second hidden unit is off: its slope is 0, and so is its Δ."),
        ([0.56, 0.48], "The second hidden unit is off: its slope is 0, and so is its Δ."),
        ([-0.56, 0.0], "The Δ of the output is y - t = +0.8."),
        ([-0.56, 0.48], "The Δ of the output is y - t = +0.8, and the second hidden unit is off."),
        ([0.504, 0.0], "The slope of ReLU is 1, not the output 0.9."),
        ([0.72, 0.0], "Those are the slopes of the second layer, a Δ. The Δ of hidden units are g' w Δ."),
        ([0.7, 0.0], "Multiply by the Δ of the output, 0.8."),
        ([0.8, 0.8], "The weights of the output are missing: g' w Δ."),
        ([0.8, 0.0], "The weight of the output is missing: g' w Δ."),
        ([0.651, 0.0], "You multiplied by y. The Δ of the output is y - t = 0.8."),
        ([0.77, -0.13], "Output minus target is for output units only. Hidden units have g' w Δ, (18.16)."),
    ]
    expect_close(_row(deltas, 2), [0.56, 0.0], "The pair of Δ", known=known, rtol=0, atol=1e-4, reveal=False)
    known = [
        (0.56, "That is x₁ Δ₁, the slope in the weight from x₁ (or in the offset). x₂ is -1."),
        (0.168, "A weight's slope is the value before it times the Δ behind it. The weight itself is not in it."),
        (-0.168, "A weight's slope is the value before it times the Δ behind it. The weight itself is not in it."),
        (0.0, "That is the slope in the weight to the second hidden unit. Asked is the first."),
        (-0.8, "The Δ of the first hidden unit is 0.56, not that of the output."),
        (-0.3, "That is the weight itself. Its slope is x₂ Δ₁."),
        (-0.9, "That is x₂ times the output of the unit. The slope is x₂ Δ₁."),
    ]
    expect_close(slope, -0.56, "The slope", known=known, rtol=0, atol=1e-4, reveal=False)
    return "Right. A unit that is off passes nothing on and learns nothing: all slopes of its weights are 0."


@exercise(
    "18.g",
    "Shapes on the way back",
    start="(18.17) and (18.18): a row for each sample, a column for each unit.",
    hints=["D₂ has a column for each of the 3 output units.", "The slope in W₁ has the shape of W₁ itself."],
    solution=((50, 3), (50, 20), (10, 20)),
    explanation="D₂ is 50 x 3, D₁ = (D₂ W₂ᵀ) ⊙ g'(Z₁) is 50 x 20, and A₀ᵀ D₁ is 10 x 20, as W₁: it sums over samples.",
)
def _(D2, D1, slopes):
    wanted = (
        ("The shape of D₂", D2, (50, 3)),
        ("The shape of D₁", D1, (50, 20)),
        ("The shape of the slope", slopes, (10, 20)),
    )
    for name, given, shape in wanted:
        n, k = shape
        known = [
            ((k, n), "A row for each sample, a column for each unit: exchange the two." if n == 50 else
             "W has a row for each input and a column for each unit: exchange the two."),
            ((50, 10), "That is the shape of the input table X."),
            ((20, 3), "That is the shape of W₂."),
            ((1, k), "One row for each of the 50 samples: the sum over samples comes later, in (18.17)."),
            ((11, 20), "The offsets have slopes of their own, apart: only the weights are asked for."),
            ((50, 3), "That is D₂, which has a column for each output unit. Go one layer down by (18.18)."),
            ((50, 20), "That is D₁. The slope has the shape of W₁: A₀ᵀ D₁ sums over the samples."),
        ]  # fmt: skip
        known = [(value, words) for value, words in known if value != shape]
        expect_close(_row(given, 2), shape, name, known=known, rtol=0, atol=1e-6, reveal=False)
    return "Right. Slopes have the shape of what they belong to: the first test of any backward step."


@exercise(
    "18.h",
    "Steps for a promise",
    start="How wide may a cell be?",
    hints=[
        "Λδ/2 = 0.05 gives δ = 0.1/3.",
        "The span of 2 then has 60 cells. How many inner edges are between 60 cells?",
    ],
    solution=59,
    explanation="3 δ/2 = 0.05 gives δ = 1/30; 2 / δ = 60 cells have 59 inner edges, a unit for each.",
)
def _(units):
    known = [
        (60, "That is the number of cells. 60 cells have fewer inner edges, and each edge takes a unit."),
        (120, "That is for Λδ, the bound of sigmoids, in cells. Steps have Λδ/2, and units are one fewer than cells."),
        (119, "That is for Λδ, the bound of sigmoids. True steps have Λδ/2."),
        (61, "One unit for each *inner* edge: one fewer than cells, not one more."),
        (30, "The span is 2 long, and units are one fewer than cells."),
        (29, "The span is 2 long: 60 cells of 1/30."),
        (40, "Λ = 3 is missing: the error is Λδ/2."),
        (20, "Λ = 3 is missing: the error is Λδ/2."),
        (19, "Λ = 3 is missing: the error is Λδ/2."),
    ]
    expect_close(units, 59, "The number of units", known=known, rtol=0, atol=1e-6, reveal=False)
    return "Right. And in ten dimensions, 60 cells along each of them, it would be 60¹⁰ cells."


# --- Exercises at the end ------------------------------------------------------------------------------------------


def _network_cases(seed, outputs=(1, 2, 3)):
    """Return X, W1, b1, W2, b2: first the shape of 18.4, then others; no matrix is square twice."""
    rng = np.random.default_rng(seed)
    hand = (
        np.array([[2.0, 1.0]]),
        np.array([[0.5, 0.2], [-0.3, 0.4]]),
        np.array([0.1, -0.2]),
        np.array([[0.7], [-0.6]]),
        np.array([0.3]),
    )
    cases = [hand]
    for (n, d, m), k in zip(((4, 3, 5), (3, 2, 2), (6, 4, 3)), outputs):
        shapes = ((n, d), (d, m), m, (m, k), k)
        cases.append(tuple(rng.normal(size=shape) for shape in shapes))
    return cases


def delta_below(D, W, A):
    return D @ W.T * A * (1 - A)


def _delta_cases():
    rng = np.random.default_rng(182)
    cases = [(np.array([[-0.5]]), np.array([[0.7], [-0.6]]), np.array([[0.8, 0.6]]))]
    for n, m, k in ((4, 3, 2), (2, 5, 3), (3, 2, 4)):
        cases.append((rng.normal(size=(n, k)), rng.normal(size=(m, k)), rng.uniform(0.1, 0.9, size=(n, m))))
    return cases


@exercise(
    "18.1",
    "One layer down",
    start="(18.18), with the slope of the sigmoid written by its output.",
    hints=["D @ W.T has the shape (n, m).", "Multiply entry by entry with A * (1 - A)."],
    solution=delta_below,
    explanation="The Δ go back through the transposed weights; A(1 - A) is the slope, since A is the output already.",
)
def _(answer):
    def s(Z):
        return sigmoid(Z) * (1 - sigmoid(Z))

    slips = [
        (lambda D, W, A: D @ W.T, "The slope of the units below is missing: times A(1 - A)."),
        (lambda D, W, A: D @ W.T * s(A), "A holds outputs already, not sums: the slope is A(1 - A)."),
        (lambda D, W, A: D @ W.T * (1 - A**2), "That is the slope of tanh. Sigmoid units have A(1 - A)."),
        (lambda D, W, A: D @ W.T * A, "That multiplies by the output. The slope is A(1 - A)."),
        (lambda D, W, A: D @ W.T * (1 - A), "The slope is A(1 - A); A is missing."),
        (lambda D, W, A: D @ W.T * (A > 0), "That is the slope of ReLU. Sigmoid units have A(1 - A)."),
        (lambda D, W, A: A.T @ D, "That is the slope of the weights, (18.17). The Δ go back by (18.18)."),
        (lambda D, W, A: (D @ W.T * A * (1 - A)).mean(axis=0), "A row for each sample is wanted: take no mean."),
        (lambda D, W, A: D @ W.T * A * (1 - A) / len(D), "The factor 1/N is in D already."),
        (lambda D, W, A: D.sum(axis=1, keepdims=True) * A * (1 - A), "The weights are missing: D @ W.T."),
        (lambda D, W, A: (D @ W.T * A * (1 - A)).T, "A row for each sample, a column for each unit: transpose."),
    ]
    expect_function(answer, delta_below, _delta_cases(), "The Δ below", slips=slips)
    return "Right. Repeat it and you have backpropagation through any number of layers."


def differences(f, w, eps):
    w = np.array(w, dtype=float)
    slopes = np.zeros_like(w)
    for place in np.ndindex(w.shape):
        up, down = w.copy(), w.copy()
        up[place] += eps
        down[place] -= eps
        slopes[place] = (f(up) - f(down)) / (2 * eps)
    return slopes


def _cube(w):
    return float(np.sum(np.asarray(w) ** 3))


def _mixed(w):
    w = np.asarray(w)
    return float(np.sum(w**2 * np.arange(1, w.size + 1).reshape(w.shape)) + w.flat[0] * w.flat[-1] ** 2)


def _shaped(W):
    """Return the sum of cubes of a layer's outputs; only a (3, 2) array will do."""
    return float(np.sum((np.array([[1.0, -0.5, 2.0], [0.3, 1.2, -0.4]]) @ W) ** 3))


@exercise(
    "18.2",
    "Differences",
    start="Move one entry of a copy up and down by eps.",
    hints=["np.ndindex(w.shape) visits the places of an array of any shape.", "(f(up) - f(down)) / (2 * eps)."],
    solution=differences,
    explanation="Central differences have an error of the order eps²; copies keep w as it was.",
)
def _(answer):
    def variant(form):
        def wrong(f, w, eps):
            slopes = np.zeros(w.shape)
            for place in np.ndindex(w.shape):
                e = np.zeros(w.shape)
                e[place] = eps
                slopes[place] = form(f, w, e, eps)
            return slopes

        return wrong

    def all_at_once(f, w, eps):
        return np.full(w.shape, (f(w + eps) - f(w - eps)) / (2 * eps))

    # large steps on curved functions tell one-sided from central differences; _shaped wants the shape of w
    cases = [
        (_cube, np.array([1.0, -2.0, 0.5]), 0.1),
        (_shaped, np.array([[0.4, -1.0], [1.5, 0.3], [-0.7, 2.0]]), 0.15),
        (_mixed, np.array([[0.3, -1.2], [2.0, 0.7], [1.1, -0.4]]), 0.2),
        (_cube, np.array([[[1.5, -0.5]]]), 0.3),
        (_mixed, np.array([1.7, 0.2]), 0.05),
    ]
    slips = [
        (variant(lambda f, w, e, h: (f(w + e) - f(w)) / h), "That is one-sided. Move the entry down as well."),
        (variant(lambda f, w, e, h: (f(w) - f(w - e)) / h), "That is one-sided. Move the entry up as well."),
        (variant(lambda f, w, e, h: (f(w + e) - f(w - e)) / h), "The distance between the two places is 2 eps."),
        (variant(lambda f, w, e, h: (f(w + e) - f(w - e)) / 2 * h), "/ 2 * eps multiplies by eps: write / (2 * eps)."),
        (variant(lambda f, w, e, h: f(w + e) - f(w - e)), "Divide by the distance, 2 eps."),
        (variant(lambda f, w, e, h: (f(w - e) - f(w + e)) / (2 * h)), "The difference is up minus down."),
        (variant(lambda f, w, e, h: (f(w + e) + f(w - e)) / (2 * h)), "Subtract the two values; you added them."),
        (all_at_once, "You moved all entries at once. Move one at a time."),
        (lambda f, w, eps: differences(f, w, eps).ravel(), "The result has the shape of w: do not flatten it."),
    ]
    expect_function(answer, differences, cases, "The array of differences", slips=slips)
    return "Right. Two forward steps for each weight: the price that backpropagation saves."


def bump_weights(left, right, height, s):
    W1 = np.array([[s, s]])
    b1 = np.array([-s * left, -s * right])
    W2 = np.array([[height], [-height]])
    return W1, b1, W2, np.zeros(1)


@exercise(
    "18.3",
    "A bump",
    start="Which weight and which offset make a unit compute σ(s(x - left))?",
    hints=[
        "Multiply out s(x - left): the weight is s, the offset -s times the edge.",
        "The output weights are height and -height, b2 is 0.",
    ],
    solution=bump_weights,
    explanation="σ(s x - s left) and σ(s x - s right), one counted up and one down.",
)
def _(answer):
    for left, right, height, s in ((1.0, 3.0, 2.5, 20.0), (-0.5, 0.3, -1.5, 35.0), (0.2, 0.9, 0.7, 8.0)):
        parts = call(answer, left, right, height, s)
        if not isinstance(parts, list | tuple) or len(parts) != 4:
            raise Wrong(f"Return four arrays W1, b1, W2, b2; got {brief(parts)}.")
        try:
            W1, b1, W2, b2 = (np.asarray(p, dtype=float) for p in parts)
            b2 = b2.reshape(1) if b2.size == 1 else b2
        except (TypeError, ValueError):
            raise Wrong(f"W1, b1, W2, b2 must hold numbers; got {brief(parts)}.") from None
        shapes = [(1, 2), (2,), (2, 1), (1,)]
        for name, part, shape in zip(("W1", "b1", "W2", "b2"), (W1, b1, W2, b2), shapes):
            if part.shape != shape:
                raise Wrong(f"{name} must have the shape {shape}; got {part.shape}.")
        x = np.linspace(left - 1, right + 1, 41)[:, None]
        y = sigmoid(x @ W1 + b1) @ W2 + b2
        wanted = height * (sigmoid(s * (x - left)) - sigmoid(s * (x - right)))
        given = f"left={left:g}, right={right:g}, height={height:g}, s={s:g}"
        if not np.allclose(y, wanted, rtol=0, atol=1e-7):
            raise Wrong(_bump_fault(y[:, 0], wanted[:, 0], x[:, 0], (left, right, height, s), given, (W1, b1, W2, b2)))
    return "Right. A hundred of these side by side follow any curve."


def _bump_fault(y, wanted, x, case, given, weights):
    left, right, height, s = case
    b2 = weights[3]

    def up(edge, steepness=s):
        return sigmoid(steepness * (x - edge))

    known = [
        (
            sigmoid(s * x - left) - sigmoid(s * x - right),
            "s(x - left) is s x - s left: the offset is -s times the edge.",
        ),
        (
            sigmoid(s * x + s * left) - sigmoid(s * x + s * right),
            "The offsets have the wrong sign: -s left and -s right.",
        ),
        (up(left) + up(right), "The second unit must count down: its output weight is -height."),
        (up(right) - up(left), "Up at left and down at right: yours goes the other way."),
        (up(left, 1.0) - up(right, 1.0), "The steepness s is missing from the first layer."),
        ((up(left) - up(right)) / height, "The height is missing from the output weights."),
    ]
    for shape, words in known:
        if np.allclose(y, height * shape, rtol=0, atol=1e-7):
            return words
    if np.allclose(y - b2[0], wanted, rtol=0, atol=1e-7):
        return f"b2 must be 0: outside the bump the network should be 0, yours is {b2[0]:g}."
    worst = int(np.argmax(np.abs(y - wanted)))
    return f"Given {given}: at x = {x[worst]:.3g} your network gives {y[worst]:.6g}; (18.21) gives {wanted[worst]:.6g}."


def train_step(X, t, W1, b1, W2, b2, eta):
    A = np.tanh(X @ W1 + b1)
    y = sigmoid(A @ W2 + b2)
    D2 = (y - t[:, None]) / len(t)
    D1 = D2 @ W2.T * (1 - A**2)
    return W1 - eta * X.T @ D1, b1 - eta * D1.sum(axis=0), W2 - eta * A.T @ D2, b2 - eta * D2.sum(axis=0)


def _step_with(top=None, slope=None, sign=1.0, mean=True, old=True, half=False):
    """Return a training step with one thing changed."""

    def wrong(X, t, W1, b1, W2, b2, eta):
        A = np.tanh(X @ W1 + b1)
        z = A @ W2 + b2
        y = sigmoid(z)
        D2 = (top(y, t[:, None], z) if top else y - t[:, None]) / (len(t) if mean else 1)
        W2_new, b2_new = W2 - sign * eta * A.T @ D2, b2 - sign * eta * D2.sum(axis=0)
        D1 = D2 @ (W2 if old else W2_new).T * (slope(A, X @ W1 + b1) if slope else 1 - A**2)
        if half:
            return W1, b1, W2_new, b2_new
        return W1 - sign * eta * X.T @ D1, b1 - sign * eta * D1.sum(axis=0), W2_new, b2_new

    return wrong


def _hidden_target(X, t, W1, b1, W2, b2, eta):
    new = train_step(X, t, W1, b1, W2, b2, eta)
    D1 = (np.tanh(X @ W1 + b1) - t[:, None]) / len(t)
    return W1 - eta * X.T @ D1, b1 - eta * D1.sum(axis=0), new[2], new[3]


def _offset_means(X, t, W1, b1, W2, b2, eta):
    new = train_step(X, t, W1, b1, W2, b2, eta)
    return new[0], b1 + (new[1] - b1) / len(t), new[2], b2 + (new[3] - b2) / len(t)


def _sigmoid_hidden(X, t, W1, b1, W2, b2, eta):
    A = sigmoid(X @ W1 + b1)
    D2 = (sigmoid(A @ W2 + b2) - t[:, None]) / len(t)
    D1 = D2 @ W2.T * A * (1 - A)
    return W1 - eta * X.T @ D1, b1 - eta * D1.sum(axis=0), W2 - eta * A.T @ D2, b2 - eta * D2.sum(axis=0)


@exercise(
    "18.4",
    "One step of training",
    start="Forward, keep the hidden outputs, then (18.17) and (18.18).",
    hints=[
        "D2 = (y - t) / n as a column, (n, 1). Then D1 = D2 @ W2.T * (1 - A**2).",
        "Slopes: X.T @ D1, D1.sum(axis=0), A.T @ D2, D2.sum(axis=0). Subtract eta times each.",
    ],
    solution=train_step,
    explanation="All slopes are taken at the old weights; sigmoid with cross-entropy gives y - t.",
)
def _(answer):
    rng = np.random.default_rng(185)
    cases = []
    for (X, W1, b1, W2, b2), eta in zip(_network_cases(185, (1, 1, 1)), (0.5, 0.1, 2.0, 0.7)):
        t = rng.integers(0, 2, len(X)).astype(float)
        t[0] = 1.0
        cases.append((X, t, W1, b1, W2, b2, eta))
    no_offsets = lambda X, t, W1, b1, W2, b2, eta: (  # noqa: E731
        train_step(X, t, W1, b1, W2, b2, eta)[0],
        b1,
        train_step(X, t, W1, b1, W2, b2, eta)[2],
        b2,
    )
    slips = [
        (_step_with(sign=-1.0), "You walk uphill: subtract eta times the slope."),
        (_step_with(mean=False), "That is the slope of the sum. Divide by n: the loss is a mean."),
        (
            _step_with(top=lambda y, t, z: (y - t) * y * (1 - y)),
            "That is squared error behind a sigmoid. With cross-entropy the Δ of the output is y - t.",
        ),
        (_step_with(top=lambda y, t, z: z - t), "The output unit is a sigmoid: y = σ(z), then y - t."),
        (_step_with(slope=lambda A, Z: np.ones_like(A)), "The slope of tanh, 1 - A², is missing on the way down."),
        (_step_with(slope=lambda A, Z: A * (1 - A)), "Hidden units are tanh: the slope is 1 - A²."),
        (_step_with(slope=lambda A, Z: 1 - A), "The slope of tanh is 1 - A²: square the output."),
        (_step_with(slope=lambda A, Z: 1 - Z**2), "1 - A² wants the outputs A, not the sums."),
        (_hidden_target, "Output minus target is for the output only. Hidden units have D2 @ W2.T * (1 - A²)."),
        (_offset_means, "The slope of an offset is the sum of the rows of D, not their mean: D has its 1/n already."),
        (_sigmoid_hidden, "Hidden units are tanh: A = np.tanh(X @ W1 + b1)."),
        (lambda *a: train_step(*a[:-1], 1.0), "eta is missing: subtract eta times the slope."),
        (
            lambda *a: tuple(p - q for p, q in zip(a[2:6], train_step(*a[:-1], 1.0))),
            "Those are the slopes. Return the weights after the step: old minus eta times slope.",
        ),
        (
            lambda *a: tuple(q - p for p, q in zip(a[2:6], train_step(*a))),
            "Those are the steps alone. Add them to the old weights.",
        ),
        (_step_with(old=False), "You used the new W2 on the way down. All slopes are taken at the old weights."),
        (_step_with(half=True), "The first layer did not move: send the Δ one layer down."),
        (_step_with(top=lambda y, t, z: np.round(y) - t), "The Δ uses the probability y, not the rounded class."),
        (no_offsets, "The offsets did not move. Their slopes are the sums of the rows of Δ."),
    ]
    expect_function(answer, train_step, cases, "The new weights", slips=slips, names="W1, b1, W2, b2")
    return "Right. This is all that training is; the rest is repetition."

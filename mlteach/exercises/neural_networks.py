"""Tasks and exercises of chapter 18: units, slopes, networks, losses, backpropagation, bumps and a training step."""

import numpy as np
from numpy import exp, log

from mlteach.exercises.base import Wrong, brief, exercise, numbers
from mlteach.exercises.tasks import number, task
from mlteach.neural_networks import sigmoid

FIRES = {  # at 00, 01, 10, 11
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
def fires_at_10_only(w1, w2, b):
    w1, w2, b = (numbers(v, name)[0] for v, name in ((w1, "w₁"), (w2, "w₂"), (b, "b")))
    if not np.isfinite([w1, w2, b]).all():
        raise Wrong(f"All three must be finite numbers; got {w1:g}, {w2:g}, {b:g}.")
    sums = {"00": b, "01": w2 + b, "10": w1 + b, "11": w1 + w2 + b}
    fires = "".join("1" if z >= 0 else "0" for z in sums.values())
    if fires == "0010":
        return "Right. One line is enough, since only one corner has to be cut off."
    if b == 0:
        raise Wrong("At (0, 0) the sum is b = 0, and 0 is enough to fire: b must be below 0.")
    if fires in FIRES:
        raise Wrong(FIRES[fires])
    state, now = next((state, now) for state, now, right in zip(sums, fires, "0010") if now != right)
    is_on, wanted = ("fires", "be silent") if now == "1" else ("is silent", "fire")
    raise Wrong(f"At x = ({state[0]}, {state[1]}) the sum is {sums[state]:g}, so the unit {is_on}; it should {wanted}.")


AT_Z, TANH_AT_Z = float(sigmoid(0.9) * (1 - sigmoid(0.9))), float(1 - np.tanh(0.9) ** 2)

task("18.b", "Slopes from outputs",
    start="What is each slope, in terms of the output a?",
    hints=["Sigmoid: a(1 - a). tanh: 1 - a².", "0.9 x 0.1, and 1 - 0.81. ReLU is a straight line for positive z."],
    sigmoid_slope=number("The slope of the sigmoid unit", "0.9 * (1 - 0.9)", to=1e-4, slips="""
        AT_Z | That is the slope at z = 0.9. Here 0.9 is the output a: a(1 - a).
        0.19 | That is the slope of tanh. The sigmoid has a(1 - a).
        0.1  | That is 1 - a. Multiply by a.
        0.25 | That is the largest slope, at a = ½. Here a = 0.9.
        0.81 | That is a². The slope is a(1 - a).
        0.9  | That is the output itself. The slope is a(1 - a).
        0.081 | The slope is a (1 - a): a stands there once, not squared.
        """),
    tanh_slope=number("The slope of the tanh unit", "1 - 0.9**2", to=1e-4, slips="""
        TANH_AT_Z | That is the slope at z = 0.9. Here 0.9 is the output a: 1 - a².
        0.09 | That is the slope of the sigmoid. tanh has 1 - a².
        0.1  | Square the output: 1 - a².
        0.81 | That is a². The slope is 1 minus that.
        0.36 | That is the sigmoid's formula four times. tanh has 1 - a².
        1    | That is the largest slope, at a = 0. Here a = 0.9.
        0.01 | Square the output, not one minus the output: 1 - a².
        """),
    relu_slope=number("The slope of the ReLU unit", 1.0, to=1e-4, slips="""
        0.9 | That is the output. The slope of a straight line through 0 with z = a is the same everywhere.
        0   | The unit puts out 0.9, so its sum is positive: it is on.
        0.09 | That is the sigmoid's formula. A ReLU unit that is on is a straight line.
        """),
    right="Right. Same output, slopes of 0.09, 0.19 and 1: that is why ReLU passes slopes on so well.",
    explanation="0.9 x 0.1 = 0.09; 1 - 0.9² = 0.19; a ReLU unit that puts out 0.9 has z = 0.9 > 0, so slope 1.",
)  # fmt: skip

task("18.c", "XOR elsewhere",
    start="Hidden values first: what are x₁ + x₂ and x₁ + x₂ - 1?",
    hints=["At (0.5, 1) the sums are 1.5 and 0.5, both positive.", "y = h₁ - 2 h₂; at (2, 1): 3 - 2 x 2."],
    first=number("y at (0.5, 1)", "0.5 + 1 - 2 * (0.5 + 1 - 1)", to=1e-6, slips="""
        -1.5 | The second hidden unit has the offset -1.
        -1 | The hidden units are ReLU: they return their sum if it is positive, not 1.
        1    | That is h₁ - h₂ (or XOR by rounding): the second hidden unit has the weight -2.
        2.5  | The weights are 1 and -2, in this order: the second is not 2.
        1.5  | That is h₁. The second hidden unit is on, too: x₁ + x₂ - 1 = 0.5.
        -3.5 | The offset of the second unit is -1: h₂ = x₁ + x₂ - 1.
        -2.5 | The weights 1 and -2 are exchanged: y = h₁ - 2 h₂.
        0    | The network is no rule for 0 and 1 only: put x₁ = 0.5 into (18.5).
        """),
    second=number("y at (2, 1)", "2 + 1 - 2 * (2 + 1 - 1)", to=1e-6, slips="""
        1  | That is h₁ - h₂, or y without its sign. The second hidden unit has the weight -2, and y may be negative.
        7  | The second weight is -2, not 2.
        3  | That is h₁. The second hidden unit is on, too: x₁ + x₂ - 1 = 2.
        0  | The output unit is linear: no ReLU cuts off what is below 0.
        -5 | The offset of the second unit is -1: h₂ = x₁ + x₂ - 1.
        2  | That is h₂. The output is h₁ - 2 h₂.
        -4 | The weights 1 and -2 are exchanged: y = h₁ - 2 h₂.
        """),
    right="Right. XOR is what it computes at four corners; elsewhere it is three planes with two folds.",
    explanation="(0.5, 1): h = (1.5, 0.5), y = 0.5. (2, 1): h = (3, 2), y = -1.",
)  # fmt: skip

task("18.d", "How many numbers?",
    start="Count layer by layer: which numbers does one unit own?",
    hints=[
        "A unit has a weight for each input and an offset: 10-20 has 11 x 20. 20-20: 21 x 20.",
        "The last layers: 21 x 3, and 41 x 3.",
    ],
    deep=number("The number for 10-20-20-3", "(10 + 1) * 20 + (20 + 1) * 20 + (20 + 1) * 3", to=1e-6, slips="""
        660   | The offsets are missing: one for each unit, 20 + 20 + 3.
        53    | Those are the units. A weight joins each pair of units of neighbouring layers.
        43    | Those are the offsets. Add the weights.
        700   | The offsets of the output layer are missing.
        713   | The inputs have no offsets: only units do.
        640   | A layer is missing: 10 x 20, 20 x 20 and 20 x 3, and the offsets.
        563   | That is the number for 10-40-3.
        283   | The layer between the two hidden ones is missing: 20 x 20 and its offsets.
        12000 | Layers add, they do not multiply.
        743 | Each unit has one offset.
        220   | That is the first layer alone.
        756   | An offset is a further input of a layer, not a further unit: (10 + 1) x 20, and so on.
        663 | Each unit has an offset of its own, also in the hidden layers: not one for a layer.
        """),
    wide=number("The number for 10-40-3", "(10 + 1) * 40 + (40 + 1) * 3", to=1e-6, slips="""
        520  | The offsets are missing: one for each unit, 40 + 3.
        43   | Those are the offsets. Add the weights.
        53   | Those are the units. A weight joins each pair of units of neighbouring layers.
        560  | The offsets of the output layer are missing.
        573  | The inputs have no offsets: only units do.
        1200 | Layers add, they do not multiply.
        703  | That is the number for 10-20-20-3.
        """),
    right="Right. The same 40 hidden units: one above the other they have more weights than side by side.",
    explanation="11 x 20 + 21 x 20 + 21 x 3 = 220 + 420 + 63 = 703; 11 x 40 + 41 x 3 = 440 + 123 = 563.",
)  # fmt: skip

P = exp([1.0, 0.0, -1.0]) / exp([1.0, 0.0, -1.0]).sum()
LOSS, SLOPES = float(-log(P[2])), P - [0, 0, 1]

task("18.e", "Softmax by hand",
    start="Which probabilities do the three scores give?",
    hints=["y = (0.665, 0.245, 0.090). The loss looks at the true class only.", "-ln 0.090, and y - (0, 0, 1)."],
    loss=number("The loss", "-log(exp(-1) / (exp(1) + exp(0) + exp(-1)))", to=0.006, slips="""
        1 | That is minus the score of the true class. The loss is minus the logarithm of its softmax.
        np.log(1 + np.e) | That is a sigmoid for each class. The softmax divides by the sum over all classes.
        -np.log(1 - np.exp(-1) / (np.e + 1 + np.exp(-1))) | That is -ln(1 - y). The loss is -ln y of the true class.
        -log(P[0])             | That is the loss if the first class were true.
        -log(P[1])             | That is the loss if the second class were true.
        P[2]                   | That is the probability of the true class. The loss is minus its logarithm.
        -LOSS                  | The logarithm of a probability is negative: the loss is minus it.
        LOSS / log(10)         | The logarithm is the natural one.
        LOSS / log(2)          | The logarithm is the natural one.
        -log(P).sum()          | Only the true class counts: its target is 1, the others' 0.
        0.5 * (SLOPES**2).sum() | That is half the squared error. Softmax goes with cross-entropy.
        (SLOPES**2).sum()      | That is the squared error. The softmax goes with the cross-entropy.
        1 - P[2]               | The loss is -ln y of the true class, not 1 - y.
        """),
    slopes=number("The list of slopes", SLOPES, to=0.006, slips="""
        SLOPES[::-1]           | They are in reverse order: the sums were (1, 0, -1), and the third class is true.
        P                      | Those are the probabilities. Subtract the targets (0, 0, 1).
        -SLOPES                | The slope is y - t, not t - y.
        P - [1, 0, 0]          | The third class is true: t = (0, 0, 1).
        P - [0, 1, 0]          | The third class is true: t = (0, 0, 1).
        P * (1 - P)            | Those are slopes of y. The slope of the loss is y - t.
        SLOPES * P * (1 - P)   | The slope is y - t alone: the factor y(1 - y) cancels.
        P[2] - 1               | Three slopes are wanted, one for each sum.
        (0, 0, -0.909969) | The other classes have slopes too: y - t for each.
        """),
    right="Right. They sum to 0: what the true class gains, the others lose.",
    explanation="y = (0.665, 0.245, 0.090); the loss is -ln 0.090 = 2.41, the slopes (0.67, 0.24, -0.91).",
)  # fmt: skip

task("18.f", "Backward by hand",
    start="What comes out on the way forward, and what does the way back begin with?",
    hints=[
        "z = (0.9, -0.4): the second unit is off, a = (0.9, 0), y = 0.7 x 0.9 + 0.3.",
        "Δ of the output is y - t = 0.8; hidden: slope of ReLU times weight times 0.8. Then x₂ Δ₁.",
    ],
    y=number("y", "0.7 * (0.5 * 1 - 0.3 * -1 + 0.1) + 0.3", to=1e-4, slips="""
        0.63 | The offset of the output, 0.3, is missing.
        0.56 | All offsets are missing: 0.1 and -0.2 in the hidden layer, 0.3 at the output.
        1.17 | The second hidden unit has a negative sum: ReLU makes it 0.
        0.69 | You took |z| of the second unit. ReLU makes a negative sum 0.
        0.8  | That is y - t.
        0.86 | An offset of the hidden layer is missing: z₁ = 0.5 + 0.3 + 0.1.
        0.51 | x₂ is -1: -0.3 times -1 is +0.3.
        0.58 | Weights of a unit stand in a column of W₁: z₁ = 0.5 x₁ - 0.3 x₂ + 0.1.
        0.5  | That is y of the example, x = (2, 1). Here x = (1, -1).
        0.32 | That is the loss. First comes y, the output.
        """),
    deltas=number("The pair of Δ", "[0.7 * (0.93 - 0.13), 0.0]", to=1e-4, slips="""
        (0.56, -0.48) | The second hidden unit is off: its slope is 0, and so is its Δ.
        (0.56, 0.48)  | The second hidden unit is off: its slope is 0, and so is its Δ.
        (-0.56, 0)    | The Δ of the output is y - t = +0.8.
        (-0.56, 0.48) | The Δ of the output is y - t = +0.8, and the second hidden unit is off.
        (0.504, 0)    | The slope of ReLU is 1, not the output 0.9.
        (0.72, 0)     | Those are the slopes of the second layer, a Δ. The Δ of hidden units are g' w Δ.
        (0.7, 0)      | Multiply by the Δ of the output, 0.8.
        (0.8, 0.8)    | The weights of the output are missing: g' w Δ.
        (0.8, 0)      | The weight of the output is missing: g' w Δ.
        (0.651, 0)    | You multiplied by y. The Δ of the output is y - t = 0.8.
        (0.77, -0.13) | Output minus target is for output units only. Hidden units have g' w Δ, (18.16).
        """),
    slope=number("The slope", "-1 * 0.7 * (0.93 - 0.13)", to=1e-4, slips="""
        0.56   | That is x₁ Δ₁, the slope in the weight from x₁ (or in the offset). x₂ is -1.
        0.168  | A weight's slope is the value before it times the Δ behind it. The weight itself is not in it.
        0.72 | That is the slope in the weight from the first hidden unit to the output.
        -0.168 | A weight's slope is the value before it times the Δ behind it. The weight itself is not in it.
        0      | That is the slope in the weight to the second hidden unit. Asked is the first.
        -0.8   | The Δ of the first hidden unit is 0.56, not that of the output.
        -0.3   | That is the weight itself. Its slope is x₂ Δ₁.
        -0.9   | That is x₂ times the output of the unit. The slope is x₂ Δ₁.
        """),
    right="Right. A unit that is off passes nothing on and learns nothing: all slopes of its weights are 0.",
    explanation="z = (0.9, -0.4), a = (0.9, 0), y = 0.93, Δ = 0.8; hidden Δ = (0.7 x 0.8, 0); x₂ Δ₁ = -0.56.",
)  # fmt: skip

OTHER_SHAPES = """
        (50, 10) | That is the shape of the input table X.
        (20, 3)  | That is the shape of W₂.
        (11, 20) | The offsets have slopes of their own, apart: only the weights are asked for.
"""

task("18.g", "Shapes on the way back",
    start="What do (18.17) and (18.18) say of each sample and each unit?",
    hints=["D₂ has a column for each of the 3 output units.", "The slope in W₁ has the shape of W₁ itself."],
    D2=number("The shape of D₂", (50, 3), to=1e-6, slips=OTHER_SHAPES + """
        (3, 50)  | A row for each sample, a column for each unit: exchange the two.
        (1, 3)   | One row for each of the 50 samples: the sum over samples comes later, in (18.17).
        (50, 20) | That is D₁, of the hidden units. D₂ has a column for each output unit.
        (50, 1) | The network has three outputs: a column for each.
        """),
    D1=number("The shape of D₁", (50, 20), to=1e-6, slips=OTHER_SHAPES + """
        (20, 50) | A row for each sample, a column for each unit: exchange the two.
        (1, 20)  | One row for each of the 50 samples: the sum over samples comes later, in (18.17).
        (50, 3)  | That is D₂, which has a column for each output unit. Go one layer down by (18.18).
        """),
    slopes=number("The shape of the slope", (10, 20), to=1e-6, slips=OTHER_SHAPES + """
        (20, 10) | W has a row for each input and a column for each unit: exchange the two.
        (1, 20)  | That is the shape of the slope in the offsets. W₁ has a row for each of the 10 inputs.
        (50, 3)  | That is D₂, which has a column for each output unit. Go one layer down by (18.18).
        (50, 20) | That is D₁. The slope has the shape of W₁: A₀ᵀ D₁ sums over the samples.
        """),
    right="Right. Slopes have the shape of what they belong to: the first test of any backward step.",
    explanation="D₂ is 50 x 3, D₁ = (D₂ W₂ᵀ) ⊙ g'(Z₁) is 50 x 20, and A₀ᵀ D₁ is 10 x 20, as W₁: it sums over samples.",
)  # fmt: skip

task("18.h", "Steps for a promise",
    start="How wide may a cell be?",
    hints=[
        "Λδ/2 = 0.05 gives δ = 0.1/3.",
        "The span of 2 then has 60 cells. How many inner edges are between 60 cells?",
    ],
    units=number("The number of units", 59, to=1e-6, slips="""
        60  | That is the number of cells. 60 cells have fewer inner edges, and each edge takes a unit.
        120 | That is for Λδ, in cells. The heights stand in the middles, so the bound is Λδ/2; and units are one fewer
            than cells.
        119 | That is for Λδ. The heights stand in the middles of the cells, at most δ/2 away: the bound is Λδ/2.
        61  | One unit for each *inner* edge: one fewer than cells, not one more.
        30  | The span is 2 long, and units are one fewer than cells.
        29  | The span is 2 long: 60 cells of 1/30.
        40  | Λ = 3 is missing: the error is Λδ/2.
        20  | Λ = 3 is missing: the error is Λδ/2.
        19  | Λ = 3 is missing: the error is Λδ/2.
        58 | n - 1 steps have n heights: 60 pieces need 59 units.
        6 | A steeper function needs more units: multiply by the slope.
        39 | The error of a piece is half of what the function changes along it; and 3 is the largest change per unit
            of x.
        239 | A height in the middle of a piece is wrong by half its change: δ = 2 · 0.05/3.
        """),
    right="Right. And in ten dimensions, 60 cells along each of them, it would be 60¹⁰ cells.",
    explanation="3 δ/2 = 0.05 gives δ = 1/30; 2 / δ = 60 cells have 59 inner edges, a unit for each.",
)  # fmt: skip


def delta_below(D, W, A):
    slope = A * (1 - A)
    return D @ W.T * slope


def delta_cases():
    rng = np.random.default_rng(182)
    cases = [(np.array([[-0.5]]), np.array([[0.7], [-0.6]]), np.array([[0.8, 0.6]]))]
    for n, m, k in ((4, 3, 2), (2, 5, 3), (3, 2, 4)):
        cases.append((rng.normal(size=(n, k)), rng.normal(size=(m, k)), rng.uniform(0.1, 0.9, size=(n, m))))
    return cases


task("18.1", "One layer down", delta_below, cases=delta_cases, what="The Δ below",
    start="What is the slope of the sigmoid, in terms of its output?",
    hints=["D @ W.T has the shape (n, m).", "Multiply entry by entry with A * (1 - A)."],
    slips="""
        W.T * slope => W.T   | The slope of the units below is missing, or is that of ReLU: times A(1 - A).
        A * (1 - A) => sigmoid(A) * (1 - sigmoid(A)) | A holds outputs already, not sums: the slope is A(1 - A).
        A * (1 - A) => 1 - A**2 | That is the slope of tanh. Sigmoid units have A(1 - A).
        A * (1 - A) => A     | That multiplies by the output. The slope is A(1 - A).
        A * (1 - A) => 1 - A | The slope is A(1 - A); A is missing.
        D @ W.T * slope => A.T @ D | That is the slope of the weights, (18.17). The Δ go back by (18.18).
        D @ W.T * slope => (D @ W.T * slope).mean(axis=0) | A row for each sample is wanted: take no mean.
        W.T * slope => W.T * slope / len(D) | The factor 1/N is in D already.
        D @ W.T => D.sum(axis=1, keepdims=True) | The weights are missing: D @ W.T.
        D @ W.T * slope => (D @ W.T * slope).T | A row for each sample, a column for each unit: transpose.
        D @ W.T * slope => D @ W.T + slope | The slope multiplies what comes from above; it is not added.
        return D @ W.T * slope => return np.tile((D @ W.T * slope).sum(axis=0), (len(D), 1)) | Each sample has a Δ of
            its own: do not sum over samples.
        """,
    right="Right. Repeat it and you have backpropagation through any number of layers.",
    explanation="The Δ go back through the transposed weights; A(1 - A) is the slope, since A is the output already.",
)  # fmt: skip


def differences(f, w, eps):
    w = np.array(w, dtype=float)
    slopes = np.zeros_like(w)
    for place in np.ndindex(w.shape):
        up, down = w.copy(), w.copy()
        up[place] += eps
        down[place] -= eps
        slopes[place] = (f(up) - f(down)) / (2 * eps)
    return slopes


def cube(w):
    return float(np.sum(np.asarray(w) ** 3))


def mixed(w):
    w = np.asarray(w)
    return float(np.sum(w**2 * np.arange(1, w.size + 1).reshape(w.shape)) + w.flat[0] * w.flat[-1] ** 2)


def shaped(W):
    """Return the sum of cubes of a layer's outputs; only a (3, 2) array will do."""
    return float(np.sum((np.array([[1.0, -0.5, 2.0], [0.3, 1.2, -0.4]]) @ W) ** 3))


task("18.2", "Differences", differences, what="The array of differences",
    cases=[  # large steps on curved functions tell one-sided from central differences
        (cube, np.array([1.0, -2.0, 0.5]), 0.1),
        (shaped, np.array([[0.4, -1.0], [1.5, 0.3], [-0.7, 2.0]]), 0.15),
        (mixed, np.array([[0.3, -1.2], [2.0, 0.7], [1.1, -0.4]]), 0.2),
        (cube, np.array([[[1.5, -0.5]]]), 0.3),
        (mixed, np.array([1.7, 0.2]), 0.05),
    ],
    start="What happens to the loss when one entry moves up by eps, and down?",
    hints=["np.ndindex(w.shape) visits the places of an array of any shape.", "(f(up) - f(down)) / (2 * eps)."],
    slips="""
        - f(down)) / (2 * eps) => - f(w)) / eps | That is one-sided. Move the entry down as well.
        (f(up) - f(down)) / (2 * eps) => (f(w) - f(down)) / eps | That is one-sided. Move the entry up as well.
        / (2 * eps) => / eps     | The distance between the two places is 2 eps.
        / (2 * eps) => / 2 * eps | / 2 * eps multiplies by eps: write / (2 * eps).
        / (2 * eps) =>           | Divide by the distance, 2 eps.
        f(up) - f(down) => f(down) - f(up) | The difference is up minus down.
        f(up) - f(down) => f(up) + f(down) | Subtract the two values; you added them.
        up[place] += => up += ;; down[place] -= => down -= | You moved all entries at once. Move one at a time.
        return slopes => return slopes.ravel() | The result has the shape of w: do not flatten it.
        / (2 * eps) => / (2 * eps**2) | Divide by 2 eps, not by its square.
        up[place] += eps => up[place] += eps / 2 ;; down[place] -= eps => down[place] -= eps / 2 | You moved by eps/2
            each way: then the distance is eps.
        (f(up) - f(down)) / (2 * eps) => (f(up) - 2 * f(w) + f(down)) / eps**2 | That is the second difference, of the
            curvature. Asked is the slope.
        up[place] += eps => up[place] *= 1 + eps ;; down[place] -= eps => down[place] *= 1 - eps | Your step grows with
            the entry. Move each by eps itself.
        w = np.array(w, dtype=float) => w = np.array(w, dtype=float); eps = 1e-6 | You took a step of your own. Use
            eps.
        up, down = w.copy(), w.copy() => w = w - 0; up, down = w.copy(), w.copy() ;; slopes[place] = (f(up) - f(down))
            / (2 * eps) => slopes[place] = (f(up) - f(down)) / (2 * eps); w = down |
            The entry that was moved stays moved. Put it back, or take a fresh copy.
        np.ndindex(w.shape) => range(len(w)) | With one index you move a whole row. Visit every entry:
            np.ndindex(w.shape).
        """,
    right="Right. Two forward steps for each weight: the price that backpropagation saves.",
    explanation="Central differences have an error of the order eps²; copies keep w as it was.",
)  # fmt: skip


def bump_weights(left, right, height, s):
    W1 = np.array([[s, s]])
    b1 = np.array([-s * left, -s * right])
    W2 = np.array([[height], [-height]])
    return W1, b1, W2, np.zeros(1)


PLACES = np.array([2.0, -0.1, 0.55, *np.linspace(-1.6, 4.4, 241)])  # the middles of the bumps first


def network_curve(parts):
    """Return the outputs of a network at all places, since other weights may make the same curve."""
    if not isinstance(parts, list | tuple) or len(parts) != 4:
        raise Wrong(f"Return four arrays W1, b1, W2, b2; got {brief(parts)}.")
    try:
        W1, b1, W2, b2 = (np.asarray(p, dtype=float) for p in parts)
    except (TypeError, ValueError):
        raise Wrong(f"W1, b1, W2, b2 must hold numbers; got {brief(parts)}.") from None
    b2 = b2.reshape(1) if b2.size == 1 else b2
    for name, part, shape in zip(("W1", "b1", "W2", "b2"), (W1, b1, W2, b2), [(1, 2), (2,), (2, 1), (1,)]):
        if part.shape != shape:
            raise Wrong(f"{name} must have the shape {shape}; got {part.shape}.")
    y = (sigmoid(PLACES[:, None] @ W1 + b1) @ W2 + b2)[:, 0]
    if abs(b2[0]) > 0.01 and np.allclose(y[[3, -1]], b2, rtol=0, atol=1e-3):
        raise Wrong(f"b2 must be 0: outside the bump the network should be 0, yours is {b2[0]:g}.")
    return y


task("18.3", "A bump", bump_weights, what="The curve of your network", read=network_curve, rtol=0, atol=1e-7,
    cases=[(1.0, 3.0, 2.5, 20.0), (-0.5, 0.3, -1.5, 35.0), (0.2, 0.9, 0.7, 8.0)],
    names=[f"y at x = {x:.4g}" for x in PLACES],
    start="Which weight and which offset make a unit compute σ(s(x - left))?",
    hints=[
        "Multiply out s(x - left): the weight is s, the offset -s times the edge.",
        "The output weights are height and -height, b2 is 0.",
    ],
    slips="""
        [-s * left, -s * right] => [-left, -right] | s(x - left) is s x - s left: the offset is -s times the edge.
        [-s * left, -s * right] => [s * left, s * right] | The offsets have the wrong sign: -s left and -s right.
        [-height] => [height]         | The second unit must count down: its output weight is -height.
        [height], [-height] => [-height], [height] | Up at left and down at right: yours goes the other way.
        [[s, s]] => [[1.0, 1.0]] ;; [-s * left, -s * right] => [-left, -right] | The steepness s is missing from the
            first layer.
        [height], [-height] => [1.0], [-1.0] | The height is missing from the output weights.
        [[s, s]] => [[1.0, 1.0]]      | The weight of s(x - left) is s: multiply it out.
        -s * left, -s * right => -s * left, -s * left | Both steps stand at left, and cancel. The second one stands at
            right.
        [s, s] => [s, -s] ;; -s * right => s * right | Your second unit falls at right, and then it is subtracted.
            Subtract one that rises.
        [s, s] => [s, -s] ;; -s * right => s * right ;; [-height] => [height] | A rising and a falling unit add up to
            height outside and twice that inside: the offset of the output is missing.
        -s * left, -s * right => -left / s, -right / s | The unit steps where s x + b = 0: b is -s times the place.
        [height], [-height] => [s * height], [-s * height] | The output weights are the height. Steepness belongs to
            the first layer.
        [s, s] => [-s, -s] | The units fall where they should rise: the sign of W1.
        -s * right => -s * (right - left) | The second step stands at right, not at the width of the bump.
        """,
    right="Right. A hundred of these side by side follow any curve.",
    explanation="σ(s x - s left) and σ(s x - s right), one counted up and one down.",
)  # fmt: skip


def train_step(X, t, W1, b1, W2, b2, eta):
    A = np.tanh(X @ W1 + b1)
    z = A @ W2 + b2
    y = 1 / (1 + np.exp(-z))
    D2 = (y - t[:, None]) / len(t)
    D1 = D2 @ W2.T * (1 - A**2)
    return W1 - eta * X.T @ D1, b1 - eta * D1.sum(axis=0), W2 - eta * A.T @ D2, b2 - eta * D2.sum(axis=0)


def step_cases():
    """Return the network of 18.4, then others; no matrix is square twice."""
    rng = np.random.default_rng(185)
    W1, W2 = np.array([[0.5, 0.2], [-0.3, 0.4]]), np.array([[0.7], [-0.6]])
    cases = [(np.array([[2.0, 1.0]]), np.ones(1), W1, np.array([0.1, -0.2]), W2, np.array([0.3]), 0.5)]
    for (n, d, m), eta in zip(((4, 3, 5), (3, 2, 2), (6, 4, 3)), (0.1, 2.0, 0.7)):
        X, *weights = (rng.normal(size=shape) for shape in ((n, d), (d, m), m, (m, 1), 1))
        t = rng.integers(0, 2, n).astype(float)
        t[:2] = 1.0, 0.0
        cases.append((X, t, *weights, eta))
    return cases


task("18.4", "One step of training", train_step, cases=step_cases, what="The new weights", names="W1, b1, W2, b2",
    start="What do the hidden units put out, and where do (18.17) and (18.18) need it?",
    hints=[
        "D2 = (y - t) / n as a column, (n, 1). Then D1 = D2 @ W2.T * (1 - A**2).",
        "Slopes: X.T @ D1, D1.sum(axis=0), A.T @ D2, D2.sum(axis=0). Subtract eta times each.",
    ],
    slips="""
        return W1 => eta = -eta; return W1 | You walk uphill: subtract eta times the slope.
        / len(t) =>                | That is the slope of the sum. Divide by n: the loss is a mean.
        (y - t[:, None]) => (y - t[:, None]) * y * (1 - y) | That is squared error behind a sigmoid. With cross-entropy
            the Δ of the output is y - t.
        (y - t => (z - t           | The output unit is a sigmoid: y = σ(z), then y - t.
        * (1 - A**2) =>            | The slope of tanh, 1 - A², is missing on the way down.
        (1 - A**2) => A * (1 - A)  | Hidden units are tanh: the slope is 1 - A².
        1 - A**2 => 1 - A          | The slope of tanh is 1 - A²: square the output.
        1 - A**2 => 1 - (X @ W1 + b1) ** 2 | 1 - A² wants the outputs A, not the sums.
        D2 @ W2.T * (1 - A**2) => (A - t[:, None]) / len(t) | Output minus target is for the output only. Hidden units
            have D2 @ W2.T * (1 - A²).
        D1.sum(axis=0) => D1.mean(axis=0) ;; D2.sum(axis=0) => D2.mean(axis=0) | The slope of an offset is the sum of
            the rows of D, not their mean: D has its 1/n already.
        np.tanh(X @ W1 + b1) => sigmoid(X @ W1 + b1) ;; (1 - A**2) => A * (1 - A) | Hidden units are tanh:
            A = np.tanh(X @ W1 + b1).
        return W1 => eta = 1; return W1 | eta is missing: subtract eta times the slope.
        W1 - eta * X.T => X.T ;; b1 - eta * D1 => D1 ;; W2 - eta * A.T => A.T ;; b2 - eta * D2 => D2 | Those are the
            slopes. Return the weights after the step: old minus eta times slope.
        W1 - eta => -eta ;; b1 - eta => -eta ;; W2 - eta => -eta ;; b2 - eta => -eta | Those are the steps alone. Add
            them to the old weights.
        D2 @ W2.T => D2 @ (W2 - eta * A.T @ D2).T | You used the new W2 on the way down. All slopes are taken at the old
            weights.
        W1 - eta * X.T @ D1, b1 - eta * D1.sum(axis=0) => W1, b1 | The first layer did not move: send the Δ one layer
            down.
        (y - t => (np.round(y) - t | The Δ uses the probability y, not the rounded class.
        b1 - eta * D1.sum(axis=0) => b1 ;; b2 - eta * D2.sum(axis=0) => b2 | The offsets did not move. Their slopes are
            the sums of the rows of Δ.
        (1 - A**2) => (A > 0) | That is the slope of a ReLU. The hidden units are tanh.
        (1 - A**2) => (1 - np.tanh(A) ** 2) | A is tanh already: its slope is 1 - A².
        np.tanh(X @ W1 + b1) => np.maximum(0, X @ W1 + b1) ;; (1 - A**2) => (A > 0) | Those are ReLU units. The hidden
            units are tanh.
        """,
    right="Right. This is all that training is; the rest is repetition.",
    explanation="All slopes are taken at the old weights; sigmoid with cross-entropy gives y - t.",
)  # fmt: skip

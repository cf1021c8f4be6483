"""Tasks and exercises of chapter 19: gradients in a graph, starts, depth, decay, patience and dropout."""

import numpy as np

from mlteach.exercises.base import Wrong, brief, call, exercise, expect_close, expect_function, numbers
from mlteach.exercises.forms import as_numbers

# --- Tasks of the core ---------------------------------------------------------------------------------------------


@exercise(
    "19.a",
    "There and back",
    start="Forward first: what are c, d and L?",
    hints=[
        "c = -15, d = -12, L = 144. The walk back begins with dL/dd = 2d.",
        "dL/dd = -24 = dL/dc. b gets -24 times a; a gets -24 along one arrow and -24 times b along the other.",
    ],
    solution=(96.0, -72.0),
    explanation="d = -12, dL/dd = 2d = -24. b gets -24 x 3 = -72. a gets -24 back from d and -24 x (-5) = 120 from c.",
)
def _(slope_a, slope_b):
    known = [
        (-24, "That is the share that d sends back to a. c sends another one; add it."),
        (120, "That is the share that c sends back to a. d sends another one; add it."),
        (-144, "The two shares have opposite signs: b is negative. One is -24, the other -24 times b."),
        (144, "That is the value of L. Asked is how fast it changes with a."),
        (-2880, "Shares that arrive at the same value are added, not multiplied."),
        (64, "That is the worked example, at a = 2 and b = 3. Here a = 3 and b = -5."),
        (48, "The square has the slope 2d; yours seems to be d."),
        (-4, "That is 1 + b, the slope of d. The square multiplies it by 2d."),
        (-96, "The sign is wrong: d = -12, so dL/dd = -24, and -24 times b is positive."),
        (-72, "That is dL/db; it comes second."),
    ]
    expect_close(slope_a, 96, "dL/da", known=known, reveal=False)
    known = [
        (-24, "That is dL/dc. c = a b has the slope a by b."),
        (120, "The slope of c = a b by b is a, not b."),
        (32, "That is the worked example, at a = 2 and b = 3. Here a = 3 and b = -5."),
        (-36, "The square has the slope 2d, not d."),
        (3, "That is dc/db. What comes back to c multiplies it."),
        (96, "That is dL/da. One arrow only leaves b, with the slope a."),
        (72, "The sign is wrong: d = -12, so dL/dd = -24."),
    ]
    expect_close(slope_b, -72, "dL/db", known=known, reveal=False)
    return "Right. Forks add, chains multiply."


X_B, G_B = np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([[1.0, 0.0], [2.0, -1.0]])


@exercise(
    "19.b",
    "Gradients of a layer",
    start="Which of the two products of (19.4) belongs to W?",
    hints=[
        "W gets the transpose of X times G. Row j of the result belongs to input j.",
        "b was copied to both rows, so its gradient is the sum of the rows of G.",
    ],
    solution=([[7.0, -3.0], [10.0, -4.0]], [3.0, -1.0]),
    explanation="XᵀG = [[1 + 6, 0 - 3], [2 + 8, 0 - 4]]; the rows of G sum to [3, -1].",
)
def _(W_grad, b_grad):
    known = [
        (X_B @ G_B, "That is X G. The transpose is missing: XᵀG."),
        (G_B @ X_B.T, "That is G Xᵀ. The sum runs over the samples, the rows of both: XᵀG."),
        (G_B.T @ X_B, "That is the transpose. Row j belongs to input j, as in W: XᵀG."),
        (G_B @ X_B, "That is G X. The sum runs over the samples, the rows of both: XᵀG."),
        (X_B.T * G_B, "That is a product entry by entry. (19.4) is a product of matrices."),
        (X_B * G_B, "That is a product entry by entry. (19.4) is a product of matrices, with X transposed."),
        (X_B.T @ G_B / 2, "You took the mean over the samples. The gradient is their sum; a mean is in G already."),
    ]
    expect_close(W_grad, X_B.T @ G_B, "dL/dW", known=known, reveal=False)
    known = [
        (G_B, "b is one row that was copied to both samples. Add up what comes back to the copies."),
        ([1, 1], "You summed along the rows. Sum over the samples: one number for each output."),
        ([1.5, -0.5], "You took the mean. The shares of the copies add."),
        ([1, 0], "That is the share of the first sample only."),
        ([2, -1], "That is the share of the second sample only."),
        (2, "One number for each output is wanted: sum over the samples only."),
    ]
    if np.shape(b_grad) == (1, 2):  # a row, as keepdims=True gives it
        b_grad = np.ravel(b_grad)
    expect_close(b_grad, [3, -1], "dL/db", known=known, reveal=False)
    return "Right. Every dense layer of every library does these two lines."


@exercise(
    "19.c",
    "A start for relu",
    start="Which of the two rules of (19.8) is for relu?",
    hints=["sqrt(2/n) with n = 200.", "By (19.9) the factor of each layer multiplies: 1.5 to the power of 8."],
    solution=(0.1, 1.5**8),
    explanation="sqrt(2/200) = 0.1; 1.5^8 = 25.6.",
)
def _(std, factor):
    known = [
        (0.01, "That is the variance 2/n. Asked is the standard deviation."),
        (200**-0.5, "That is the rule for tanh. relu loses half of the mean square: 2/n."),
        (0.005, "That is 1/n. Take 2/n for relu, and the root."),
        (0.15, "That is 1.5 times the right start. First the right one."),
        (10, "That is the root of n/2; the rule has n below."),
    ]
    expect_close(std, 0.1, "The standard deviation", known=known, rtol=1e-3, reveal=False)
    known = [
        (12, "The factors of the layers multiply: a power, not a product with 8."),
        (1.5, "That is the factor of one layer. There are 8."),
        (1.5**7, "That is seven layers. There are 8."),
        (1.5**16, "Sizes grow by 1.5 a layer; you squared (that is the mean square)."),
        (1.5**4, "The factor of a layer is s itself, not its root."),
        (8**1.5, "The other way round: 1.5 to the power of 8."),
        (3**8, "The factor of a layer is 1.5; the 2 of relu is in the right start already."),
    ]
    expect_close(factor, 1.5**8, "The factor", known=known, rtol=5e-3, reveal=False)
    return "Right. Half as much again, and eight layers make it 26 times."


@exercise(
    "19.d",
    "With and without short cut",
    start="What is the slope of one block x + F(x)?",
    hints=["Plain: a product of 20 slopes of 0.2.", "Residual: each block has the slope 1 + 0.2."],
    solution=(0.2**20, 1.2**20),
    explanation="0.2^20 = 1.05e-14; 1.2^20 = 38.3.",
)
def _(plain, residual):
    plain = float(np.ravel(numbers(plain, "The plain part"))[0])
    known = [
        (4.0, "Slopes along a chain multiply: a power, not 20 times 0.2."),
        (0.2, "That is one layer. There are 20."),
        (0.2**10, "The example had ten layers; here are 20."),
        (0.1**20, "The slope is 0.2 here."),
        (1.2**20, "That is the answer for residual blocks; it comes second."),
    ]
    for wrong, words in known:
        if np.isclose(plain, wrong, rtol=1e-3, atol=0):
            raise Wrong(words)
    if not np.isclose(plain, 0.2**20, rtol=0.01, atol=0):
        if np.isclose(plain, 0.2**20, rtol=0.06, atol=0):
            raise Wrong("The plain part is rounded too far: give three significant digits.")
        raise Wrong(f"The plain part is not {brief(plain)}: the slopes of 20 layers, 0.2 each, multiply.")
    known = [
        (5.0, "You added: 1 + 20 x 0.2. Blocks stand one after the other, so their slopes multiply."),
        (1.2, "That is one block. There are 20."),
        (1.2**10, "The example had ten layers; here are 20."),
        (1.1**20, "The slope of F is 0.2 here."),
        (1 + 0.2**20, "Each block has its own short cut: (1 + 0.2) in every block, not one short cut over all."),
        (0.8**20, "The short cut adds 1 to the slope; you subtracted."),
        (0.2**20, "That is the answer for plain layers. A block has the slope 1 + 0.2."),
    ]
    expect_close(residual, 1.2**20, "The residual part", known=known, rtol=5e-3, reveal=False)
    return "Right. Fifteen powers of ten apart, for one plus sign."


@exercise(
    "19.e",
    "A decaying weight",
    start="First shrink, then step.",
    hints=["1 - ηλ is 0.95.", "0.95 x 2 - 0.1 x 3; and 0.95 to the power of 10."],
    solution=(1.6, 0.95**10),
    explanation="0.95 x 2 - 0.3 = 1.6; 0.95^10 = 0.599.",
)
def _(after, left):
    known = [
        (1.7, "That is the step without decay. The penalty adds λw to the slope."),
        (1.65, "The slope of λ/2 w² is λw = 1: the whole slope is 3 + 1, yours seems to be 3.5."),
        (0.7, "You decayed by λ itself: the factor is 1 - ηλ."),
        (1.5, "The slope of λ/2 w² is λw, not 2λw."),
        (1.9, "That is the decay alone. The slope 3 counts as well."),
        (2.4, "Go down the slope: subtract."),
        (2.2, "The decay is right. Then go down the slope: subtract η times 3."),
        (1.8, "The decay goes the other way: it makes the weight smaller."),
        (1.615, "Both parts use the old weight: 0.95 w - η times the slope."),
        (0.4, "That is the length of the step. What is the weight after it?"),
    ]
    expect_close(after, 1.6, "The weight", known=known, rtol=0, atol=0.001, reveal=False)
    known = [
        (0.5, "The part shrinks by 5 % of what is left each time: a power, not 1 - 10 x 0.05."),
        (0.95, "That is one step. There are ten."),
        (0.5**10, "The factor of a step is 1 - ηλ = 0.95, not λ."),
        (1 - 0.95**10, "That is the part that is lost."),
        (2 * 0.95**10, "That is the weight. Asked is the part of it that is left."),
        (0.9**10, "The factor of a step is 1 - ηλ = 0.95."),
        (0.05**10, "0.05 is what is lost in a step; what is left is 0.95."),
    ]
    expect_close(left, 0.95**10, "The part that is left", known=known, rtol=0, atol=0.0015, reveal=False)
    return "Right. A weight that nothing holds up has lost 40 % after ten steps."


@exercise(
    "19.f",
    "Two epochs of patience",
    start="Write down the best epoch so far after each epoch.",
    hints=["0.58 after epoch 4 is better than 0.60 after epoch 2.", "Epochs 5 and 6 bring nothing better than 0.58."],
    solution=(6, 4),
    explanation="Best so far: 0, 1, 2, 2, 4, 4, 4. After epoch 6 two epochs have brought nothing better: stop, keep 4.",
)
def _(stop, kept):
    if np.isclose(numbers(stop, "The stop"), 4) and np.isclose(numbers(kept, "The kept epoch"), 6):
        raise Wrong("You exchanged the two: first when training stops, then which epoch is kept.")
    if np.isclose(numbers(stop, "The stop"), 7) and np.isclose(numbers(kept, "The kept epoch"), 5):
        raise Wrong("Epochs are counted from 0: the first loss, 0.90, is that of epoch 0.")
    known = [
        (3, "Epoch 3 is the first that is not better; patience 2 waits for another one, and epoch 4 is better."),
        (4, "After epoch 4 the loss is the best so far: training goes on."),
        (5, "One epoch without a better one is not yet patience 2."),
        (7, "Training has stopped before that: epochs 5 and 6 brought nothing better than epoch 4."),
        (8, "Training has stopped before that: epochs 5 and 6 brought nothing better than epoch 4."),
    ]
    expect_close(stop, 6, "The stop", known=known, rtol=0, atol=1e-9, reveal=False)
    known = [
        (7, "Epoch 7 would be best, but training never gets there. That is the price of little patience."),
        (6, "That is the last epoch. Kept are the best weights, not the last ones."),
        (2, "Epoch 4 is better: 0.58 against 0.60."),
        (5, "Count from epoch 0: 0.58 comes after epoch 4."),
        (0.58, "That is the loss. Asked is the epoch."),
    ]
    expect_close(kept, 4, "The kept epoch", known=known, rtol=0, atol=1e-9, reveal=False)
    return "Right. The 0.50 after epoch 7 is never seen."


@exercise(
    "19.g",
    "What a unit passes on",
    start="p = 0.2 is the share that is dropped.",
    hints=["Kept units are divided by 1 - p = 0.8.", "The variance is p/(1 - p) times h²."],
    solution=(3.75, 2.25),
    explanation="3/0.8 = 3.75; 0.2/0.8 x 9 = 2.25.",
)
def _(passed, spread):
    known = [
        (15, "You divided by p. What stays is divided by the probability of staying, 1 - p."),
        (3, "Kept units are scaled up, by 1/(1 - p)."),
        (2.4, "You multiplied by 1 - p: that is the older habit, after training. In training divide."),
        (0.6, "You multiplied by p. What stays is divided by 1 - p."),
    ]
    expect_close(passed, 3.75, "What is passed on", known=known, rtol=1e-3, reveal=False)
    known = [
        (1.5, "That is the standard deviation. The variance is its square."),
        (0.75, "h is squared in the variance: p/(1 - p) h²."),
        (0.25, "That is p/(1 - p). Multiply by h² = 9."),
        (36, "The fraction is upside down: p/(1 - p)."),
        (1.44, "That is p(1 - p)h², the variance without scaling up. Divide it by (1 - p)²."),
        (11.25, "That is the mean square h²/(1 - p). Subtract the square of the mean, h²."),
        (1.8, "That is p h². It has to be divided by 1 - p."),
    ]
    expect_close(spread, 2.25, "The variance", known=known, rtol=1e-3, reveal=False)
    return "Right. The mean stays 3, and the next layer has to live with a standard deviation of 1.5."


# --- Exercises -----------------------------------------------------------------------------------------------------


def quotient_shares(g, a, b):
    return g / b, -g * a / b**2


@exercise(
    "19.1",
    "The two shares of a quotient",
    start="What is the slope of a/b by a, and by b?",
    hints=["dy/da = 1/b and dy/db = -a/b².", "Multiply both by g."],
    solution=quotient_shares,
    explanation="The second share is also -g y / b, which saves a division.",
)
def _(answer):
    g, a, b = np.array([1.0, -2.0, 0.5]), np.array([3.0, 1.5, -4.0]), np.array([2.0, -0.5, 5.0])
    slips = [
        (lambda g, a, b: (g / b, g * a / b**2), "The share of b has the wrong sign: a larger b makes a/b smaller."),
        (lambda g, a, b: (g / b, -g * a / b), "The slope by b is -a/b²: the square is missing."),
        (lambda g, a, b: (1 / b, -a / b**2), "Those are the slopes. Multiply them by g, which comes back."),
        (lambda g, a, b: (-g * a / b**2, g / b), "You exchanged the two: first dL/da, then dL/db."),
        (lambda g, a, b: (g / b, -g / b**2), "The slope by b is -a/b²: a is missing."),
        (lambda g, a, b: (g * b, g * a), "Those are the shares of a product. y is a/b."),
        (lambda g, a, b: (g * b, -g * a / b**2), "The slope by a is 1/b."),
    ]
    square = [[0.3, -1.0], [2.0, 0.5]], [[-1.0, 2.0], [0.7, 4.0]], [[0.4, 1.5], [3.0, -2.0]]
    cases = [(g, a, b), tuple(np.array(values) for values in square)]
    expect_function(answer, quotient_shares, cases, "The shares", slips=slips, names="dL/da, dL/db")
    return "Right. One more operation, and the engine can divide."


def undo_copies(g, shape):
    g = g.sum(axis=tuple(range(g.ndim - len(shape))))
    short = tuple(i for i, n in enumerate(shape) if n == 1)
    return g.sum(axis=short, keepdims=True)


def _only_leading(g, shape):
    return g.sum(axis=tuple(range(g.ndim - len(shape))))


def _mean_of_copies(g, shape):
    whole = undo_copies(g, shape)
    return whole * (whole.size / g.size)


@exercise(
    "19.2",
    "Undo the copies",
    start="Along which axes was the array copied?",
    hints=[
        "First sum over the leading axes that shape does not have, then over those where shape has a 1.",
        "g.sum(axis=..., keepdims=True) keeps an axis of length 1.",
    ],
    solution=undo_copies,
    explanation="Every copy is an arrow of the graph, and shares of arrows add (19.2).",
)
def _(answer):
    g = np.arange(12.0).reshape(3, 4) - 2.5
    cases = [(g, (4,)), (g, (1, 4)), (g, (3, 1)), (g, ()), (g, (3, 4)), (g.reshape(2, 2, 3), (2, 1)), (g, (1, 1))]
    slips = [
        (_mean_of_copies, "You took the mean. The shares of copies add."),
        (lambda g, shape: g.max() * np.ones(shape), "The shares of copies add; you took the largest."),
        (lambda g, shape: np.full(shape, g.sum()), "You summed over everything. Sum over the copied axes only."),
    ]
    for values, shape in cases:
        came = _joined(call(answer, values.copy(), shape))
        wanted = undo_copies(values, shape)
        given = f"g of shape {values.shape}, shape = {shape}"
        if np.shape(came) != wanted.shape and np.size(came) != 1:
            if shape and len(shape) == values.ndim and np.shape(came) == tuple(n for n in shape if n != 1):
                raise Wrong(f"For {given} the axis of length 1 is lost: use keepdims=True.")
            if np.shape(came) == values.shape:
                raise Wrong(f"For {given} nothing was summed: the result has the shape {values.shape}.")
            raise Wrong(f"For {given} the result has the shape {np.shape(came)}; it should have {wanted.shape}.")
    expect_function(lambda g, shape: _joined(answer(g, shape)), undo_copies, cases, "The gradient", slips=slips)
    if (kept := np.shape(_joined(call(answer, g.copy(), (1, 1))))) != (1, 1):
        raise Wrong(f"For shape = (1, 1) the result has the shape {kept}: axes of length 1 stay.")
    return "Right. This is all that broadcasting costs an engine."


def _joined(came):
    """Read a list of arrays, such as list(result), as the array that it is the rows of."""
    if isinstance(came, (list, tuple)) and came and all(isinstance(row, np.ndarray) for row in came):
        if len({row.shape for row in came}) == 1:
            return np.array(came)
    try:
        np.shape(came)
    except ValueError:
        raise Wrong(f"An array is wanted, with rows of equal length; got {brief(came)}.") from None
    return came


def backward_pass(edges):
    grads = [0.0] * len(edges)
    grads[-1] = 1.0
    for k in reversed(range(len(edges))):
        for j, slope in edges[k]:
            grads[j] += grads[k] * slope
    return grads


def _overwriting(edges):
    grads = [0.0] * len(edges)
    grads[-1] = 1.0
    for k in reversed(range(len(edges))):
        for j, slope in edges[k]:
            grads[j] = grads[k] * slope
    return grads


def _wrong_order(edges):
    grads = [0.0] * len(edges)
    grads[-1] = 1.0
    for k in range(len(edges)):
        for j, slope in edges[k]:
            grads[j] += grads[k] * slope
    return grads


def _slopes_only(edges):
    grads = [0.0] * len(edges)
    grads[-1] = 1.0
    for k in reversed(range(len(edges))):
        for j, slope in edges[k]:
            grads[j] += slope
    return grads


def _adding_up(edges):
    grads = [0.0] * len(edges)
    grads[-1] = 1.0
    for k in reversed(range(len(edges))):
        for j, slope in edges[k]:
            grads[j] += grads[k] + slope
    return grads


def _no_start(edges):
    return [0.0] * len(edges)


def _all_ones(edges):
    grads = [1.0] * len(edges)
    for k in reversed(range(len(edges))):
        for j, slope in edges[k]:
            grads[j] += grads[k] * slope
    return grads


@exercise(
    "19.3",
    "The backward pass",
    start="Begin with 1 at the last value and 0 everywhere else.",
    hints=[
        "Go through the values from the last to the first; each passes its gradient on to what it was made from.",
        "for k in reversed(range(len(edges))): for j, slope in edges[k]: add grads[k] * slope to grads[j].",
    ],
    solution=backward_pass,
    explanation="The order of making, read backwards, is all that step 3 of the algorithm asks for.",
)
def _(answer):
    example = [[], [], [(0, 3.0), (1, 2.0)], [(0, 1.0), (2, 1.0)], [(3, 16.0)]]
    twice = [[], [(0, 2.0), (0, 5.0)], [(0, -1.0), (1, 0.5)], [(1, 3.0), (2, -2.0)]]
    late = [[], [(0, 2.0)], [], [(1, 3.0), (2, 1.0)]]  # an input that is made in the middle
    idle = [[], [(0, 2.0)], [(0, 3.0)], [(1, 4.0), (1, 4.0)]]  # value 2 is used by nobody; one pair stands twice
    loose = [[], [], [(0, 1.5)], [(2, -2.0)], [(2, 0.25), (3, 4.0), (2, 1.0)]]
    slips = [
        (_overwriting, "Where several arrows meet, you keep the last share only. Shares add: += instead of =."),
        (
            _wrong_order,
            "Only the last value passes its gradient on. Go through all values, backwards: from the last to the first.",
        ),
        (_slopes_only, "You add the slopes alone. Multiply each by the gradient of the value that was made."),
        (_adding_up, "Along an arrow gradient and slope multiply; you add them."),
        (_no_start, "Nothing flows: dL/dL = 1 at the last value is missing."),
        (_all_ones, "Only the last value begins with 1; all others begin with 0."),
        (lambda edges: backward_pass(edges)[::-1], "The list is in the opposite order: entry k belongs to value k."),
        (lambda edges: backward_pass(edges)[:-1], "The last entry is missing: dL/dL = 1 belongs to the list."),
    ]
    cases = [example, twice, loose, late, idle]
    wanted = [backward_pass(edges) for edges in cases]
    got = [_gradient_list(call(answer, [list(e) for e in edges]), len(edges)) for edges in cases]
    if all(_same(a, b) for a, b in zip(got, wanted)):
        return "Right. With the operations of the chapter around it, this is the engine."
    for wrong, words in slips:
        if all(_same(a, wrong(edges)) for a, edges in zip(got, cases)):
            raise Wrong(words)
    if all(_same(a, got[0]) for a in got):
        raise Wrong("Your function returns the same list whatever it is given. Use its argument.")
    for edges, mine, right in zip(cases, got, wanted):
        if not _same(mine, right):
            raise Wrong(f"For edges = {edges} your list is {brief(mine)}; it should be {brief(right)}.")
    return None


def _same(a, b):
    return len(a) == len(b) and np.allclose(a, b, rtol=1e-6, atol=1e-9)


def _gradient_list(came, n):
    """Read a list of numbers; one that is shorter or longer is told by the slips or by its length."""
    values = as_numbers(came, "The list of gradients", np.zeros(n)).ravel().tolist()
    if len(values) not in (n, n - 1):
        raise Wrong(f"One gradient for each of the {n} values is wanted; the list has {len(values)} entries.")
    return values


def early_stop(losses, patience):
    best = 0
    for k in range(1, len(losses)):
        if losses[k] < losses[best]:
            best = k
        elif k - best >= patience:
            return k, best
    return len(losses) - 1, best


def _bad_in_a_row(losses, patience):
    """Count epochs that are worse than the one before."""
    bad, best = 0, 0
    for k in range(1, len(losses)):
        best = k if losses[k] < losses[best] else best
        bad = bad + 1 if losses[k] >= losses[k - 1] else 0
        if bad >= patience:
            return k, best
    return len(losses) - 1, best


def _not_strict(losses, patience):
    best = 0
    for k in range(1, len(losses)):
        if losses[k] <= losses[best]:
            best = k
        elif k - best >= patience:
            return k, best
    return len(losses) - 1, best


def _one_more(losses, patience):
    return early_stop(losses, patience + 1)


def _one_less(losses, patience):
    return early_stop(losses, max(patience - 1, 1))


def _whole_best(losses, patience):
    return early_stop(losses, patience)[0], int(np.argmin(losses))


@exercise(
    "19.4",
    "Patience",
    start="Keep the number of the best epoch so far.",
    hints=[
        "Compare every epoch with the best so far, not with the one before.",
        "Stop after epoch k as soon as k - best is as large as the patience; return k and best.",
    ],
    solution=early_stop,
    explanation="This is what train does between two epochs.",
)
def _(answer):
    losses = [0.90, 0.70, 0.60, 0.65, 0.58, 0.60, 0.62, 0.50]
    wavy = [1.0, 0.8, 0.85, 0.83, 0.82, 0.81, 0.79, 0.9]
    cases = [
        (losses, 2), (losses, 1), (losses, 3), (wavy, 2), (wavy, 4), (wavy, 5), ([0.5, 0.6, 0.7], 5),
        ([0.5, 0.4, 0.4, 0.4, 0.3], 2), ([0.3], 1), ([3.0, 2.0, 1.0], 1), ([0.2, 0.5, 0.1], 1),
    ]  # fmt: skip
    slips = [
        (_bad_in_a_row, "You compare each epoch with the one before. Patience counts epochs since the best one."),
        (_not_strict, "An equal loss is not better: only a strictly smaller one starts the counting anew."),
        (_one_more, "You stop one epoch too late: with patience 2, two epochs without a better one are enough."),
        (_one_less, "You stop one epoch too early: patience counts the epochs that brought nothing better."),
        (_whole_best, "You keep the best epoch of the whole list. Training that has stopped cannot know later ones."),
        (lambda l, p: early_stop(l, p)[::-1], "You exchanged the two: first the stop, then the epoch that is kept."),
        (lambda l, p: (early_stop(l, p)[0],) * 2, "You keep the last epoch. Kept is the best one so far."),
        (lambda l, p: (len(l) - 1, int(np.argmin(l))), "You never stop: after `patience` epochs without a better one."),
        (lambda l, p: (early_stop(l, p)[0], l[early_stop(l, p)[1]]), "The second number is the epoch, not its loss."),
        (lambda l, p: tuple(n + 1 for n in early_stop(l, p)), "Epochs are counted from 0: losses[0] is epoch 0."),
    ]
    expect_function(answer, early_stop, cases, "Stop and kept epoch", slips=slips, names="stop, kept")
    return "Right. Two numbers, and no validation loss of the future in them."


def dropout_pass(h, g, u, p):
    mask = (u >= p) / (1 - p)
    return h * mask, g * mask


@exercise(
    "19.5",
    "Dropout, there and back",
    start="Make the mask first: what is multiplied with h?",
    hints=[
        "The mask is 1/(1 - p) where u >= p, and 0 elsewhere.",
        "A product with a constant has that constant as slope.",
    ],
    solution=dropout_pass,
    explanation="The mask is a constant for the engine, so the same mask acts on the way back.",
)
def _(answer):
    h, g = np.array([3.0, -1.0, 2.0, 0.5, 4.0, 0.0]), np.array([1.0, 2.0, -1.0, 0.5, 3.0, 1.5])
    u = np.array([0.10, 0.95, 0.40, 0.39, 0.70, 0.80])
    cases = [
        (h, g, u, 0.4),
        (h, g, u, 0.1),
        (np.outer(h, [1, 2.0]), np.outer(g, [1, -1.0]), np.outer(u, [1, 0.5]), 0.2),
    ]
    slips = [
        (lambda h, g, u, p: (h * (u >= p), g * (u >= p)), "What stays is not scaled up: divide by 1 - p."),
        (lambda h, g, u, p: (h * (u >= p) / (1 - p), g), "The way back lacks the mask: no gradient for dropped units."),
        (
            lambda h, g, u, p: (h * (u >= p) / (1 - p), g * (u >= p)),
            "The way back lacks the factor 1/(1 - p): the slope is the whole mask.",
        ),
        (
            lambda h, g, u, p: (h * (u >= p) / (1 - p), g / (1 - p)),
            "The way back lacks the mask: no gradient for dropped units.",
        ),
        (
            lambda h, g, u, p: (h * (u >= p), g * (u >= p) / (1 - p)),
            "What is passed on is not scaled up: divide it by 1 - p, as you do on the way back.",
        ),
        (
            lambda h, g, u, p: (h * (u >= p) / (1 - p), g * (h * (u >= p) != 0) / (1 - p)),
            "A kept unit with h = 0 gets its gradient too: take the mask from u, not from what was passed on.",
        ),
        (lambda h, g, u, p: (h * (u < p) / p, g * (u < p) / p), "You keep what should be dropped."),
        (lambda h, g, u, p: (h * (u < p) / (1 - p), g * (u < p) / (1 - p)), "You keep what should be dropped."),
        (lambda h, g, u, p: (h * (u < p), g * (u < p)), "You keep what should be dropped, and nothing is scaled up."),
        (
            lambda h, g, u, p: (h * (u > p) / (1 - p), g * (u > p) / (1 - p)),
            "A unit is dropped where u < p; at u = p it stays.",
        ),
        (lambda h, g, u, p: (h * (u >= p) * (1 - p), g * (u >= p) * (1 - p)), "Divide by 1 - p; you multiplied."),
        (
            lambda h, g, u, p: (h * (u >= p) / p, g * (u >= p) / p),
            "Divide by 1 - p, the probability of staying, not by p.",
        ),
        (
            lambda h, g, u, p: dropout_pass(h, g, u, p)[::-1],
            "You exchanged the two: first what is passed on, then the gradient.",
        ),
    ]  # fmt: skip
    expect_function(answer, dropout_pass, cases, "The two arrays", slips=slips, names="passed on, gradient")
    return "Right. The same mask, there and back."

"""Tasks and exercises of chapter 19: gradients in a graph, starts, depth, decay, patience and dropout."""

import sys

import numpy as np

from mlteach.exercises.base import Wrong, brief, call
from mlteach.exercises.tasks import number, task

task("19.a", "There and back",
    start="Forward first: what are c, d and L?",
    hints=[
        "c = -15, d = -12, L = 144. The walk back begins with dL/dd = 2d.",
        "dL/dd = -24 = dL/dc. b gets -24 times a; a gets -24 along one arrow and -24 times b along the other.",
    ],
    slope_a=number("dL/da", "2 * (3 + 3 * -5) * (1 + -5)", slips="""
        -24   | That is the share that d sends back to a. c sends another one; add it.
        120   | That is the share that c sends back to a. d sends another one; add it.
        -144  | The two shares have opposite signs: b is negative. One is -24, the other -24 times b.
        144   | That is the value of L. Asked is how fast it changes with a.
        -2880 | Shares that arrive at the same value are added, not multiplied.
        64    | That is the worked example, at a = 2 and b = 3. Here a = 3 and b = -5.
        48    | The square has the slope 2d; yours seems to be d.
        -4    | That is 1 + b, the slope of d. The square multiplies it by 2d.
        -96   | The sign is wrong: d = -12, so dL/dd = -24, and -24 times b is positive.
        -72   | That is dL/db; it comes second.
        216   | The sign of b is lost: b = -5, so c = -15 and d = -12.
        -160  | That is for a = -5 and b = 3: the two are exchanged.
        """),
    slope_b=number("dL/db", "2 * (3 + 3 * -5) * 3", slips="""
        -24 | That is dL/dc. c = a b has the slope a by b.
        120 | The slope of c = a b by b is a, not b.
        32  | That is the worked example, at a = 2 and b = 3. Here a = 3 and b = -5.
        -36 | The square has the slope 2d, not d.
        3   | That is dc/db. What comes back to c multiplies it.
        96  | That is dL/da. One arrow only leaves b, with the slope a.
        72  | The sign is wrong: d = -12, so dL/dd = -24.
        108 | The sign of b is lost: b = -5, so c = -15 and d = -12.
        200 | That is for a = -5 and b = 3: the two are exchanged.
        """),
    right="Right. Forks add, chains multiply.",
    explanation="d = -12, dL/dd = 2d = -24. b gets -24 x 3 = -72. a gets -24 back from d and -24 x (-5) = 120 from c.",
)  # fmt: skip

X_B, G_B = np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([[1.0, 0.0], [2.0, -1.0]])

task("19.b", "Gradients of a layer",
    start="Which of the two products of (19.4) belongs to W?",
    hints=[
        "W gets the transpose of X times G. Row j of the result belongs to input j.",
        "b was copied to both rows, so its gradient is the sum of the rows of G.",
    ],
    W_grad=number("dL/dW", X_B.T @ G_B, slips="""
        X_B @ G_B       | That is X G. The transpose is missing: XᵀG.
        G_B @ X_B.T     | That is G Xᵀ. The sum runs over the samples, the rows of both: XᵀG.
        G_B.T @ X_B     | That is the transpose. Row j belongs to input j, as in W: XᵀG.
        G_B @ X_B       | That is G X. The sum runs over the samples, the rows of both: XᵀG.
        X_B.T * G_B     | That is a product entry by entry. (19.4) is a product of matrices.
        X_B * G_B       | That is a product entry by entry. (19.4) is a product of matrices, with X transposed.
        X_B.T           | What comes back is missing: multiply Xᵀ by G.
        X_B.T @ G_B / 2 | You took the mean over the samples. The gradient is their sum; a mean is in G already.
        """),
    b_grad=number("dL/db", G_B.sum(axis=0), slips="""
        G_B         | b is one row that was copied to both samples. Add up what comes back to the copies.
        (1, 1)      | You summed along the rows. Sum over the samples: one number for each output.
        (1.5, -0.5) | You took the mean. The shares of the copies add.
        (1, 0)      | That is the share of the first sample only.
        (2, -1)     | That is the share of the second sample only.
        (2, 2)      | You counted the samples. Add up what comes back to them, the rows of G.
        2           | One number for each output is wanted: sum over the samples only.
        """),
    right="Right. Every dense layer of every library does these two lines.",
    explanation="XᵀG = [[1 + 6, 0 - 3], [2 + 8, 0 - 4]]; the rows of G sum to [3, -1].",
)  # fmt: skip

task("19.c", "A start for relu",
    start="Which of the two rules of (19.8) is for relu?",
    hints=["sqrt(2/n) with n = 200.", "By (19.9) the factor of each layer multiplies: 1.5 to the power of 8."],
    std=number("The standard deviation", "(2 / 200) ** 0.5", rtol=1e-3, slips="""
        0.01          | That is the variance 2/n. Asked is the standard deviation.
        200**-0.5     | That is the rule for tanh. relu loses half of the mean square: 2/n.
        0.005         | That is 1/n. Take 2/n for relu, and the root.
        0.15          | That is 1.5 times the right start. First the right one.
        10            | That is the root of n/2; the rule has n below.
        2 / 200**0.5  | The root is that of 2/n, the 2 as well.
        (6 / 200)**.5 | That is the bound of a uniform start. Its standard deviation is the root of 2/n.
        """),
    factor=number("The factor", "1.5**8", rtol=5e-3, slips="""
        12      | The factors of the layers multiply: a power, not a product with 8.
        1.5     | That is the factor of one layer. There are 8.
        1.5**7  | That is seven layers. There are 8.
        1.5**9  | That is nine layers. There are 8.
        1.5**8 - 1 | That is how much is added. Asked is the factor itself.
        0.15**8 | You took the start, 0.15, to the power of 8. A layer has the factor 1.5.
        1.5**16 | Sizes grow by 1.5 a layer; you squared (that is the mean square).
        1.5**4  | The factor of a layer is s itself, not its root.
        8**1.5  | The other way round: 1.5 to the power of 8.
        3**8    | The factor of a layer is 1.5; the 2 of relu is in the right start already.
        """),
    right="Right. Half as much again, and eight layers make it 26 times.",
    explanation="sqrt(2/200) = 0.1; 1.5^8 = 25.6.",
)  # fmt: skip

task("19.d", "With and without short cut",
    start="What is the slope of one block x + F(x)?",
    hints=["Plain: a product of 20 slopes of 0.2.", "Residual: each block has the slope 1 + 0.2."],
    plain=number("The plain part", "0.2**20", to=1e-22, rtol=0.01, slips="""
        4       | Slopes along a chain multiply: a power, not 20 times 0.2.
        0.2     | That is one layer. There are 20.
        0.2**10 | The example had ten layers; here are 20.
        0.2**19 | That is 19 layers. There are 20.
        0.2**21 | That is 21 layers. There are 20.
        0.1**20 | The slope is 0.2 here.
        1.2**20 | That is the answer for residual blocks; it comes second.
        1e-14   | The plain part is rounded too far: give three significant digits.
        1.1e-14 | The plain part is rounded too far: give three significant digits.
        0       | It is small, but not 0: the slopes of 20 layers, 0.2 each, multiply.
        """),
    residual=number("The residual part", "(1 + 0.2) ** 20", rtol=5e-3, slips="""
        5           | You added: 1 + 20 x 0.2. Blocks stand one after the other, so their slopes multiply.
        1.2         | That is one block. There are 20.
        1.2**10     | The example had ten layers; here are 20.
        1.2**19     | That is 19 blocks. There are 20.
        1.2**21     | That is 21 blocks. There are 20.
        24          | The slopes of the blocks multiply: a power, not 20 times 1.2.
        1.1**20     | The slope of F is 0.2 here.
        1 + 0.2**20 | Each block has its own short cut: (1 + 0.2) in every block, not one short cut over all.
        0.8**20     | The short cut adds 1 to the slope; you subtracted.
        0.2**20     | That is the answer for plain layers. A block has the slope 1 + 0.2.
        """),
    right="Right. Fifteen powers of ten apart, for one plus sign.",
    explanation="0.2^20 = 1.05e-14; 1.2^20 = 38.3.",
)  # fmt: skip

task("19.e", "A decaying weight",
    start="What does the penalty add to the slope of a weight?",
    hints=["1 - ηλ is 0.95.", "0.95 x 5 - 0.1 x 3; and 0.95 to the power of 10."],
    after=number("The weight", "(1 - 0.1 * 0.5) * 5 - 0.1 * 3", to=0.001, slips="""
        4.7   | That is the step without decay. The penalty adds λw to the slope.
        4.65  | The slope of λ/2 w² is λw = 2.5: the whole slope is 3 + 2.5, yours seems to be 3.5.
        2.2   | You decayed by λ itself: the factor is 1 - ηλ.
        4.2   | The slope of λ/2 w² is λw, not 2λw.
        4.575 | The slope of λ/2 w² is λw: the 2 of the square takes the ½ away.
        4.075 | You added the penalty λ/2 w² itself to the slope. Added is its slope, λw.
        3.45  | You added λw² to the slope. The slope of λ/2 w² is λw.
        4.75  | That is the decay alone. The slope 3 counts as well.
        5.55  | Go down the slope: subtract.
        5.05  | The decay is right. Then go down the slope: subtract η times 3.
        4.95  | The decay goes the other way: it makes the weight smaller.
        4.465 | Both parts use the old weight: 0.95 w - η times the slope.
        0.55  | That is the length of the step. What is the weight after it?
        """),
    left=number("The part that is left", "(1 - 0.1 * 0.5) ** 10", to=0.0015, slips="""
        0.5          | The part shrinks by 5 % of what is left each time: a power, not 1 - 10 x 0.05.
        0.95         | That is one step. There are ten.
        0.95**9      | That is nine steps. There are ten.
        0.95**11     | That is eleven steps. There are ten.
        0.5**10      | The factor of a step is 1 - ηλ = 0.95, not λ, nor ηλ.
        1 - 0.95**10 | That is the part that is lost.
        5 * 0.95**10 | That is the weight. Asked is the part of it that is left.
        round(5 * 0.95**10, 2) | That is the weight. Asked is the part of it that is left.
        0.9**10      | The factor of a step is 1 - ηλ = 0.95.
        """),
    right="Right. A weight that nothing holds up has lost 40 % after ten steps.",
    explanation="0.95 x 5 - 0.3 = 4.45; 0.95^10 = 0.599.",
)  # fmt: skip

task("19.f", "Two epochs of patience",
    start="Which epoch is the best so far, after each epoch?",
    hints=["0.58 after epoch 4 is better than 0.60 after epoch 2.", "Epochs 5 and 6 bring nothing better than 0.58."],
    slips="""
        (7, 5) | Epochs are counted from 0: the first loss, 0.90, is that of epoch 0.
        """,
    stop=number("The stop", 6, to=1e-9, slips="""
        3 | Epoch 3 is the first that is not better; patience 2 waits for another one, and epoch 4 is better.
        4 | After epoch 4 the loss is the best so far: training goes on.
        5 | One epoch without a better one is not yet patience 2.
        7 | Training has stopped before that: epochs 5 and 6 brought nothing better than epoch 4.
        8 | Training has stopped before that: epochs 5 and 6 brought nothing better than epoch 4.
        """),
    kept=number("The kept epoch", 4, to=1e-9, slips="""
        7    | Epoch 7 would be best, but training never gets there. That is the price of little patience.
        6    | That is the last epoch. Kept are the best weights, not the last ones.
        2    | Epoch 4 is better: 0.58 against 0.60.
        5    | Count from epoch 0: 0.58 comes after epoch 4.
        0.58 | That is the loss. Asked is the epoch.
        """),
    right="Right. The 0.50 after epoch 7 is never seen.",
    explanation="Best so far: 0, 1, 2, 2, 4, 4, 4. After epoch 6 two epochs have brought nothing better: stop, keep 4.",
)  # fmt: skip

task("19.g", "What a unit passes on",
    start="What must a kept unit pass on, so that the mean stays h?",
    hints=["Kept units are divided by 1 - p = 0.8.", "The variance is p/(1 - p) times h²."],
    passed=number("What is passed on", "3 / (1 - 0.2)", rtol=1e-3, slips="""
        15  | You divided by p. What stays is divided by the probability of staying, 1 - p.
        3   | Kept units are scaled up, by 1/(1 - p).
        2.4 | You multiplied by 1 - p: that is the older habit, after training. In training divide.
        0.6 | You multiplied by p. What stays is divided by 1 - p.
        3.6 | You multiplied by 1 + p. What stays is divided by 1 - p.
        """),
    spread=number("The variance", "0.2 / (1 - 0.2) * 3**2", rtol=1e-3, slips="""
        1.5   | That is the standard deviation. The variance is its square.
        0.75  | h is squared in the variance: p/(1 - p) h².
        0.25  | That is p/(1 - p). Multiply by h² = 9.
        36    | The fraction is upside down: p/(1 - p).
        0.16  | That is p(1 - p), the variance of keeping or not. What is kept counts h/(1 - p): multiply by its square.
        1.44  | That is p(1 - p)h², the variance without scaling up. Divide it by (1 - p)².
        11.25 | That is the mean square h²/(1 - p). Subtract the square of the mean, h².
        1.8   | That is p h². It has to be divided by 1 - p.
        9     | That is h². Multiply it by p/(1 - p).
        0.8 * 9 | That is (1 - p)h². The variance is p/(1 - p) h².
        0.75**2 | That is the squared distance of the kept value from the mean. Weigh it with 1 - p, and add p h² for
            the dropped one.
        """),
    right="Right. The mean stays 3, and the next layer has to live with a standard deviation of 1.5.",
    explanation="3/0.8 = 3.75; 0.2/0.8 x 9 = 2.25.",
)  # fmt: skip


def quotient_shares(g, a, b):
    return g / b, -g * a / b**2


def table(*rows):
    return np.array(rows)


task("19.1", "The two shares of a quotient", quotient_shares, what="The shares", names="dL/da, dL/db",
    cases=[
        (table(1.0, -2.0, 0.5), table(3.0, 1.5, -4.0), table(2.0, -0.5, 5.0)),
        (table([0.3, -1.0], [2.0, 0.5]), table([-1.0, 2.0], [0.7, 4.0]), table([0.4, 1.5], [3.0, -2.0])),
    ],
    start="What is the slope of a/b by a, and by b?",
    hints=["dy/da = 1/b and dy/db = -a/b².", "Multiply both by g."],
    slips="""
        -g * a => g * a           | The share of b has the wrong sign: a larger b makes a/b smaller.
        a / b**2 => a / b         | The slope by b is -a/b²: the square is missing.
        g / b, -g * a => 1 / b, -a | Those are the slopes. Multiply them by g, which comes back.
        g / b, -g * a / b**2 => -g * a / b**2, g / b | You exchanged the two: first dL/da, then dL/db.
        -g * a / b**2 => -g / b**2 | The slope by b is -a/b²: a is missing.
        * a / b**2 => * a**2 / b**2 | The slope by b is -a/b²: a is not squared.
        -g * a / b**2 => g / a    | The slope of a/b by b is -a/b², not 1/a.
        return g / b => g = g.sum(); return g / b | g counts entry by entry: do not sum it.
        g / b, -g * a / b**2 => g * b, g * a | Those are the shares of a product. y is a/b.
        return g / b => return g * b | The slope by a is 1/b.
        """,
    right="Right. One more operation, and the engine can divide.",
    explanation="The second share is also -g y / b, which saves a division.",
)  # fmt: skip


def undo_copies(g, shape):
    g = g.sum(axis=tuple(range(g.ndim - len(shape))))
    short = tuple(i for i, n in enumerate(shape) if n == 1)
    return g.sum(axis=short, keepdims=True)


def joined(came):
    """Read a list of arrays, such as list(result), as the array that it is the rows of."""
    try:
        return np.array(came) if isinstance(came, (list, tuple)) and len(came) else came
    except ValueError:
        raise Wrong(f"An array is wanted, with rows of equal length; got {brief(came)}.") from None


G = np.arange(12.0).reshape(3, 4) - 2.5


def axes_stay(answer):
    """Raise Wrong where a single number has lost its axes, though others keep them."""
    kept, single, other = (np.shape(joined(call(answer, G, shape))) for shape in ((1, 1), (1,), (3, 1)))
    if kept != (1, 1) and other == (3, 1):
        raise Wrong(f"For shape = (1, 1) the result has the shape {kept}: axes of length 1 stay.")
    if single == () and other == (3, 1):
        raise Wrong("For shape = (1,) the result has the shape (): axes of length 1 stay.")


task("19.2", "Undo the copies", undo_copies, what="The gradient", read=joined, guard=axes_stay,
    cases=[
        (G, (4,)), (G, (1, 4)), (G, (3, 1)), (G, ()), (G, (3, 4)), (G.reshape(2, 2, 3), (2, 1)), (G, (1, 1)),
        (G[0], (1,)), (G, (1,)),
    ],
    start="Along which axes was the array copied?",
    hints=[
        "First sum over the leading axes that shape does not have, then over those where shape has a 1.",
        "g.sum(axis=..., keepdims=True) keeps an axis of length 1.",
    ],
    slips="""
        keepdims=True => keepdims=False | An axis of length 1 is lost: use keepdims=True.
        g = g.sum => return g; g = g.sum | Nothing was summed: your result has the shape of g, not that of the original.
        g = g.sum => g = g.mean ;; return g.sum => return g.mean | You took the mean. The shares of copies add.
        g = g.sum => g = g.max ;; return g.sum => return g.max | The shares of copies add; you took the largest.
        g = g.sum(axis=tuple(range(g.ndim - len(shape)))) => g = g[(0,) * (g.ndim - len(shape))] ;; g.sum(axis=short,
            keepdims=True) => g[tuple(slice(0, 1) if n == 1 else slice(None) for n in shape)] | You keep what comes back
            to the first copy. The shares of all copies add.
        range(g.ndim - len(shape)) => range(len(shape) - g.ndim, 0) | The axes that shape lacks are the leading ones:
            sum over axis 0, not over the last.
        g = g.sum => return g.ravel()[: int(np.prod(shape))].reshape(shape); g = g.sum | You cut off the rest of g. It
            belongs to other copies, whose shares add.
        g = g.sum => return g.sum(axis=0); g = g.sum | You sum over axis 0 always. Sum where shape lacks an axis or has
            a 1.
        g = g.sum => rows = g.sum(axis=0); return rows.reshape(shape) if rows.size == np.prod(shape) else rows; g =
            g.sum | You sum over axis 0 always. Sum where shape lacks an axis or has a 1.
        return g.sum(axis=short, keepdims=True) => return np.full(shape, g.sum()) | You summed over everything. Sum over
            the copied axes only.
        g = g.sum => return np.full(shape, g.max()); g = g.sum | The shares of copies add; you took the largest of all.
        return g.sum(axis=short, keepdims=True) => return g | You summed over the axes that shape lacks only. Where
            shape has a 1, g has copies as well.
        return g.sum(axis=short, keepdims=True) => return g if g.ndim == 1 else g.sum(axis=short, keepdims=True) | For
            shape = (1,) the one entry was copied: sum over all of g.
        """,
    right="Right. This is all that broadcasting costs an engine.",
    explanation="Every copy is an arrow of the graph, and shares of arrows add (19.2).",
)  # fmt: skip


def backward_pass(edges):
    grads = [0.0] * len(edges)
    grads[-1] = 1.0
    for k in reversed(range(len(edges))):
        for j, slope in edges[k]:
            grads[j] += grads[k] * slope
    return grads


def walks_forward(edges):
    slopes = [0.0] * len(edges)
    slopes[0] = 1.0
    for k in range(len(edges)):
        for j, slope in edges[k]:
            slopes[k] += slopes[j] * slope
    return slopes


def each_value_once(answer):
    """Raise Wrong where the work grows with the number of paths, counted in calls of functions."""
    doublings, calls, profile = [[]] + [[(k, 1.0), (k, 1.0)] for k in range(12)], [], sys.getprofile()
    sys.setprofile(lambda frame, event, arg: calls.append(event))
    try:
        call(answer, doublings)
    finally:
        sys.setprofile(profile)
    if len(calls) > 10_000:
        raise Wrong("You walk along every path: 12 doublings have 4,096 of them. Let each value pass its gradient on "
                    "once, after all shares have come.")  # fmt: skip


task("19.3", "The backward pass", backward_pass, what="The list of gradients", guard=each_value_once,
    cases=[
        (([[], [], [(0, 3.0), (1, 2.0)], [(0, 1.0), (2, 1.0)], [(3, 16.0)]]),),
        (([[], [(0, 2.0), (0, 5.0)], [(0, -1.0), (1, 0.5)], [(1, 3.0), (2, -2.0)]]),),
        (([[], [], [(0, 1.5)], [(2, -2.0)], [(2, 0.25), (3, 4.0), (2, 1.0)]]),),
        (([[], [(0, 2.0)], [], [(1, 3.0), (2, 1.0)]]),),  # an input that is made in the middle
        (([[], [(0, 2.0)], [(0, 3.0)], [(1, 4.0), (1, 4.0)]]),),  # nobody uses value 2; one pair stands twice
    ],
    start="Which of the derivatives do you know before the walk begins?",
    hints=[
        "Go through the values from the last to the first; each passes its gradient on to what it was made from.",
        "for k in reversed(range(len(edges))): for j, slope in edges[k]: add grads[k] * slope to grads[j].",
    ],
    slips=["""
        grads[j] += => grads[j] =       | Where several arrows meet, you keep the last share only. Shares add: +=
            instead of =.
        reversed(range(len(edges))) => range(len(edges)) | Only the last value passes its gradient on. Go through all
            values, backwards: from the last to the first.
        grads[k] * slope => slope       | You add the slopes alone. Multiply each by the gradient of the value that was
            made.
        grads[k] * slope => grads[k]    | The slopes are forgotten: along an arrow the gradient is multiplied by its
            slope.
        grads[k] * slope => grads[k] + slope | Along an arrow gradient and slope multiply; you add them.
        grads[-1] = 1.0 => pass         | Nothing flows: dL/dL = 1 at the last value is missing.
        [0.0] * len(edges) => [1.0] * len(edges) | Only the last value begins with 1; all others begin with 0.
        return grads => return grads[::-1] | The list is in the opposite order: entry k belongs to value k.
        return grads => return grads[:-1] | The last entry is missing: dL/dL = 1 belongs to the list.
        return grads => return grads[:-1] + [0.0] | The last entry is dL/dL, which is 1, not 0.
        in edges[k] => in set(edges[k]) | The same pair may stand twice, and then it counts twice: do not make a set of
            them.
        in edges[k] => in dict(edges[k]).items() | The same j may stand twice, and both shares count: a dict keeps the
            last only.
        in edges[k] => in edges[k][:1]  | You pass the gradient on to the first pair only. All pairs of a value get a
            share.
        return grads => uses = [sum(j == k for pairs in edges for j, _ in pairs) for k in range(len(edges))]; return [d
            / max(n, 1) for d, n in zip(grads, uses)] | You take the mean of the shares that arrive. They add.
        grads[k] * slope => abs(grads[k] * slope) | Slopes keep their sign: take no absolute values.
        [0.0] * len(edges) => [1.0] * len(edges) ;; grads[j] += => grads[j] *= | You multiply the shares that arrive at
            a value. They add.
        reversed(range(len(edges))) => range(len(edges) - 1, max(k for k, pairs in enumerate(edges) if not pairs), -1)
            | You stop at the first input on the way back. One may be made in the middle: go on.
        """,
        (walks_forward, "You walk forward: those are the slopes of all values by the first one. Asked are those of the "
         "last value: walk back."),
    ],
    right="Right. With the operations of the chapter around it, this is the engine.",
    explanation="The order of making, read backwards, is all that step 3 of the algorithm asks for.",
)  # fmt: skip


def early_stop(losses, patience):
    best = 0
    for k in range(1, len(losses)):
        if losses[k] < losses[best]:
            best = k
        elif k - best >= patience:
            return k, best
    return len(losses) - 1, best


LOSSES = [0.90, 0.70, 0.60, 0.65, 0.58, 0.60, 0.62, 0.50]
WAVY = [1.0, 0.8, 0.85, 0.83, 0.82, 0.81, 0.79, 0.9]

task("19.4", "Patience", early_stop, what="Stop and kept epoch", names="stop, kept",
    cases=[
        (LOSSES, 2), (LOSSES, 1), (LOSSES, 3), (WAVY, 2), (WAVY, 4), (WAVY, 5), ([0.5, 0.6, 0.7], 5),
        ([0.5, 0.4, 0.4, 0.4, 0.3], 2), ([0.3], 1), ([3.0, 2.0, 1.0], 1), ([0.2, 0.5, 0.1], 1),
        ([0.5, 0.4995, 0.499, 0.4985], 2), ([90.0, 70.0, 80.0, 85.0], 2),  # small gains count, large losses occur
    ],
    start="What must be remembered from one epoch to the next?",
    hints=[
        "Compare every epoch with the best so far, not with the one before.",
        "Stop after epoch k as soon as k - best is as large as the patience; return k and best.",
    ],
    slips="""
        k - best >= patience => k >= patience and all(losses[i] >= losses[i - 1] for i in range(k, k - patience, -1))
            | You compare each epoch with the one before. Patience counts epochs since the best one.
        best = 0 => best, waited = 0, 0 ;; k - best >= patience => (waited := waited + 1) >= patience | Your counter is
            never set back: a better epoch starts the counting anew.
        losses[k] < losses[best] => losses[k] <= losses[best] | An equal loss is not better: only a strictly smaller one
            starts the counting anew.
        losses[k] < losses[best] => losses[k] < losses[best] - 0.005 | A small gain is a gain: ask for no least size,
            and do not round the losses.
        >= patience => > patience          | You stop one epoch too late: with patience 2, two epochs without a better
            one are enough.
        >= patience => >= max(patience - 1, 1) | You stop one epoch too early: patience counts the epochs that brought
            nothing better.
        return k, best => return k, int(np.argmin(losses)) | You keep the best epoch of the whole list. Training that
            has stopped cannot know later ones.
        return k, best => return best, k ;; return len(losses) - 1, best => return best, len(losses) - 1 | You exchanged
            the two: first the stop, then the epoch that is kept.
        return k, best => return k, k ;; return len(losses) - 1, best => return len(losses) - 1, len(losses) - 1 | You
            keep the last epoch. Kept is the best one so far.
        return k, best => pass             | You never stop: after `patience` epochs without a better one.
        return k, best => return best, best ;; return len(losses) - 1, best => return best, best | You return the kept
            epoch twice. The first number is the epoch after which training stops.
        return k, best => return k + 1, best | Your stop is one epoch too late: training ends after epoch k itself.
        return k, best => return k, k - patience - 1 | Your kept epoch is one too early: at the stop the best one is
            `patience` epochs back.
        return k, best => return k, losses[best] ;; - 1, best => - 1, losses[best] | The second number is the epoch, not
            its loss.
        return k, best => return k + 1, best + 1 ;; return len(losses) - 1, best => return len(losses), best + 1
            | Epochs are counted from 0: losses[0] is epoch 0.
        """,
    right="Right. Two numbers, and no validation loss of the future in them.",
    explanation="This is what train does between two epochs.",
)  # fmt: skip


def dropout_pass(h, g, u, p):
    mask = (u >= p) / (1 - p)
    return h * mask, g * mask


H, BACK = np.array([3.0, -1.0, 2.0, 0.5, 4.0, 0.0]), np.array([1.0, 2.0, -1.0, 0.5, 3.0, 1.5])
U = np.array([0.10, 0.95, 0.40, 0.39, 0.70, 0.80])

task("19.5", "Dropout, there and back", dropout_pass, what="The two arrays", names="passed on, gradient",
    cases=[
        (H, BACK, U, 0.4),
        (H, BACK, U, 0.1),
        (np.outer(H, [1, 2.0]), np.outer(BACK, [1, -1.0]), np.outer(U, [1, 0.5]), 0.2),
    ],
    start="Make the mask first: what is multiplied with h?",
    hints=[
        "The mask is 1/(1 - p) where u >= p, and 0 elsewhere.",
        "A product with a constant has that constant as slope.",
    ],
    slips="""
        / (1 - p) => * 1          | What stays is not scaled up: divide by 1 - p.
        g * mask => g             | The way back lacks the mask: no gradient for dropped units.
        g * mask => g * (u >= p)  | The way back lacks the factor 1/(1 - p): the slope is the whole mask.
        g * mask => g / (1 - p)   | The way back lacks the mask: no gradient for dropped units.
        g * mask => g * h * mask  | h does not enter the slope: that of h m by h is the mask m alone.
        g * mask => g * mask / (1 - p) | The way back is scaled twice: 1/(1 - p) is in the mask already.
        g * mask => g * (h * mask > 0) / (1 - p) | That is the slope of relu. Take the mask from u; the sign of h does
            not matter.
        (1 - p) => np.mean(u >= p) | Divide by 1 - p, not by the share that happened to stay.
        (u >= p) => u             | u itself is no mask: compare it with p.
        h * mask => h * (u >= p)  | What is passed on is not scaled up: divide it by 1 - p, as you do on the way back.
        g * mask => g * mask * (h != 0) | A kept unit with h = 0 gets its gradient too: take the mask from u, not from
            what was passed on.
        (u >= p) / (1 - p) => (u < p) / p | You keep what should be dropped.
        u >= p => u < p           | You keep what should be dropped.
        (u >= p) / (1 - p) => (u < p) | You keep what should be dropped, and nothing is scaled up.
        u >= p => u < 1 - p       | You keep as many, but others: a unit is dropped where u < p.
        u >= p => u > p           | A unit is dropped where u < p; at u = p it stays.
        / (1 - p) => * (1 - p)    | Divide by 1 - p; you multiplied.
        / (1 - p) => / p          | Divide by 1 - p, the probability of staying, not by p.
        h * mask, g * mask => g * mask, h * mask | You exchanged the two: first what is passed on, then the gradient.
        """,
    right="Right. The same mask, there and back.",
    explanation="The mask is a constant for the engine, so the same mask acts on the way back.",
)  # fmt: skip

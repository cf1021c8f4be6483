"""Tasks and exercises of chapter 20: sliding sums, kernels, counts, sizes, pooling, gradients."""

import numpy as np

from mlteach.exercises.base import Wrong, exercise
from mlteach.exercises.forms import as_numbers
from mlteach.exercises.tasks import number, task

F, G = np.array([2, -1, 3]), np.array([1, 0, 4])
PLAIN, FLIPPED = np.convolve(F, G), np.correlate(F, G, "full")

task("20.a", "With and without the flip",
    start="What does each entry of f add to the result?",
    hints=[
        "The copies are 2·(1, 0, 4), -1·(1, 0, 4) one place later, 3·(1, 0, 4) two places later.",
        "For f ⋆ g do the same with the flipped kernel (4, 0, 1).",
    ],
    convolution=number("f * g", PLAIN, slips="""
        FLIPPED       | That is f ⋆ g: you slid the kernel along without a flip. Convolution flips it.
        FLIPPED[::-1] | That is g ⋆ f. Each entry of f sends out a copy of g, in its own order.
        PLAIN[::-1]   | The numbers are right, from right to left. Begin where the two first overlap.
        [11]          | That is the one place where the kernel lies wholly inside. Asked are all five places.
        [-1, 11, -4]  | Those are the three places in the middle. Asked are all five, also where they overlap partly.
        F * G         | You multiplied entry by entry. Slide, and add up at every place.
        F + G         | You added the two. Each entry of f sends out a copy of g, times that entry.
        """),
    correlation=number("f ⋆ g", FLIPPED, slips="""
        PLAIN         | That is f * g again. Cross-correlation slides the kernel as it is.
        PLAIN[::-1]   | That is f * g reversed. Cross-correlation slides the kernel as it is: 1, 0, 4.
        FLIPPED[::-1] | That is g ⋆ f, or the places from right to left. Begin where the kernel's last entry meets f's
            first.
        [14]          | That is the one place where the kernel lies wholly inside. Asked are all five places.
        [-4, 14, -1]  | Those are the three places in the middle. Asked are all five.
        """),
    right="Right. The same products, in another order of the kernel.",
    explanation="f * g: (2, 0, 8) + (0, -1, 0, -4) + (0, 0, 3, 0, 12). f ⋆ g is the convolution with (4, 0, 1).",
)  # fmt: skip


def feature_map(image, kernel, padding):
    image = np.pad(np.asarray(image, dtype=float), padding)
    kernel = np.asarray(kernel, dtype=float)
    (h, w), (kh, kw) = image.shape, kernel.shape
    result = np.zeros((h - kh + 1, w - kw + 1))
    for i in range(h - kh + 1):
        for j in range(w - kw + 1):
            result[i, j] = np.sum(image[i : i + kh, j : j + kw] * kernel)
    return result


IMAGE, KERNEL = np.array([[2, 0, 1], [1, 3, 0], [0, 1, 4]]), np.array([[1, -1], [0, 2]])

task("20.b", "A feature map by hand",
    start="Which four products belong to the top left corner?",
    hints=["Top left: 2·1 + 0·(-1) + 1·0 + 3·2.", "Then one step right, one step down, and both."],
    answer=number("The feature map", feature_map(IMAGE, KERNEL, 0), slips="""
        feature_map(IMAGE, KERNEL[::-1, ::-1], 0) | That is the convolution: you flipped the kernel. Leave it as it is.
        feature_map(IMAGE, KERNEL[::-1], 0)       | You flipped the kernel upside down. Leave it as it is.
        feature_map(IMAGE, KERNEL[:, ::-1], 0)    | You flipped the kernel from left to right. Leave it as it is.
        feature_map(IMAGE, KERNEL.T, 0)           | You took the transposed kernel: -1 stands top right, 0 bottom left.
        feature_map(IMAGE, abs(KERNEL), 0)        | The sign of -1 got lost.
        feature_map(IMAGE, KERNEL, 0).T           | Rows and columns are exchanged: the first row has the two places at
            the top.
        feature_map(IMAGE, KERNEL, 0) / 4         | Those are means of four products. Asked are sums.
        """),
    right="Right. Four windows, four dot products.",
    explanation="2 - 0 + 0 + 6 = 8; 0 - 1 + 0 + 0 = -1; 1 - 3 + 0 + 2 = 0; 3 - 0 + 0 + 8 = 11.",
)  # fmt: skip


@exercise(
    "20.c",
    "A kernel for horizontal edges",
    start="What must every column sum to?",
    hints=[
        "Every column must sum to 0; then what changes from left to right only gives 0.",
        "Positive above, negative below: ones in the first row, 0 in the second, -1 in the third.",
    ],
    solution=[[1, 1, 1], [0, 0, 0], [-1, -1, -1]],
    explanation="Columns sum to 0. Bright above and dark below: the positive entries meet the bright pixels.",
)
def horizontal_edges(answer):
    kernel = as_numbers(answer, "The kernel", np.zeros((3, 3)))
    if kernel.shape == (9,):
        kernel = kernel.reshape(3, 3)
    if kernel.shape != (3, 3):
        raise Wrong(f"A kernel of 3 x 3 numbers is wanted; got the shape {kernel.shape}.")
    if not np.isfinite(kernel).all():
        raise Wrong("The kernel must hold finite numbers.")
    if not kernel.any():
        raise Wrong("A kernel of zeros is silent everywhere, also where it should answer.")
    scale = np.abs(kernel).max()
    columns, rows = kernel.sum(axis=0), kernel.sum(axis=1)
    if np.abs(columns).max() > 1e-6 * scale:
        if np.abs(rows).max() <= 1e-6 * scale:
            raise Wrong("Yours answers to changes from left to right, where it should be silent: its rows sum to 0.")
        worst = int(np.abs(columns).argmax())
        flat = abs(columns.sum()) <= 1e-6 * scale
        total = "The whole kernel sums to 0, so flat regions are silent, but column" if flat else "Column"
        raise Wrong(
            f"{total} {worst} sums to {columns[worst]:g}: a picture that is bright in this column only gets that "
            f"answer. Every column must sum to 0."
        )
    first, second = float(rows[0]), float(rows[0] + rows[1])  # windows with one bright row, and with two
    if first < -1e-6 * scale and second < -1e-6 * scale:
        raise Wrong("Yours answers with a negative number where it is bright above: turn it upside down.")
    if min(first, second) <= 1e-6 * scale:
        bright = "one bright row above two dark ones" if first <= 1e-6 * scale else "two bright rows above a dark one"
        raise Wrong(f"On {bright} yours answers {min(first, second):g}. It should be positive there, too.")
    return "Right. It finds horizontal edges, that is changes from top to bottom."


task("20.d", "Three layers of one size",
    start="At how many places does the kernel fit?",
    hints=[
        "The map has 8 x 8 = 64 places.",
        "Dense: 100 inputs for each of 64 outputs. Local: 9 for each of 64. Shared: 9.",
    ],
    dense=number("The dense layer", "100 * 8**2", slips="""
        10000  | That is 100 x 100. The map is smaller than the picture: the kernel fits at 8 x 8 places.
        4900   | The kernel fits at 10 - 3 + 1 = 8 places in a row, not at 7.
        8100   | The kernel fits at 10 - 3 + 1 = 8 places in a row, not at 9.
        64     | That is the number of outputs. A dense layer joins each of them to all 100 pixels.
        100    | That is the number of inputs. A dense layer joins each of them to all outputs.
        800    | A row has 8 places, the map 8 x 8.
        6464   | That is with biases. Asked are the weights alone.
        576    | That is the local layer. In a dense layer each output sees all 100 pixels.
        9      | That is the shared layer. The dense one comes first.
        802816 | That is the layer of the text, from 32 x 32 pixels. Here the picture has 10 x 10.
        """),
    local=number("The local layer", "9 * 8**2", slips="""
        900 | The kernel fits at 8 x 8 = 64 places, not at 100.
        441 | The kernel fits at 10 - 3 + 1 = 8 places in a row, not at 7.
        729 | The kernel fits at 10 - 3 + 1 = 8 places in a row, not at 9.
        64  | That is the number of places. Each of them has nine weights of its own.
        192 | A window has 3 x 3 = 9 pixels, not 3.
        640 | That is with biases. Asked are the weights alone.
        9   | That is the shared layer. Not shared, every place has nine weights of its own.
        72  | A row has 8 places, the map 8 x 8.
        """),
    shared=number("The shared layer", "3**2", slips="""
        10  | That is with a bias. Asked are the weights alone.
        3   | The kernel has 3 x 3 entries.
        576 | That is the local layer again. Shared, all places use the same nine weights.
        64  | That is the number of places. All of them use the same weights.
        18  | One kernel is enough.
        """),
    right="Right. And with 1,000 x 1,000 pixels the last number is still 9.",
    explanation="10 - 3 + 1 = 8 places in a row, 64 in all: 64 x 100, 64 x 9, and 9.",
)  # fmt: skip

task("20.e", "Sizes through a network",
    start="What does (20.9) make of the size, layer by layer?",
    hints=[
        "Layer 1: (28 + 4 - 5)/1 + 1. Layer 2: (28 - 2)/2 + 1. Layer 3 begins with what layer 2 leaves.",
        "Layer 3 has six channels as its input: 5 x 5 x 6 weights and a bias for each of 16 kernels.",
    ],
    sizes=number("The list of side lengths", [28, 14, 10], slips="""
        [24, 12, 8]      | You left out the padding of the first layer.
        [26, 13, 9]      | Padding 2 stands on both sides: 2p = 4 pixels more.
        [28, 14, 9]      | Layer 3: 14 - 5 + 1, the last place counts as well.
        [27, 13, 9]      | One is missing: the quotient plus 1.
        [27, 13, 8]      | One is missing: the quotient plus 1.
        [28, 27, 23]     | Pooling has stride 2.
        [28, 28, 24]     | Pooling makes the picture smaller: put its window of 2 with stride 2 into (20.9).
        [28, 14, 14]     | Layer 3 has no padding.
        [28, 14, 24]     | Layer 3 sees what pooling has left, 14 pixels in a row.
        [784, 196, 100]  | Those are numbers of pixels. Asked are side lengths.
        [28, 14, 16]     | 16 is the number of maps. Asked is their side length.
        [32, 16, 12]     | 32 is the padded picture. At how many places does the kernel fit into it?
        [28, 14, 10, 16] | Three side lengths are wanted, without the number of maps.
        """),
    parameters=number("The number of parameters", "(5 * 5 * 6 + 1) * 16", slips="""
        416    | The kernels of layer 3 span all six maps of layer 1: 5 x 5 x 6 weights each.
        400    | The kernels span all six maps, and each has a bias.
        2400   | The 16 biases are missing.
        2401   | Every map has its own bias: 16, not 1.
        2496   | One bias for each map, not for each map and channel.
        241600 | The weights are shared: the number of places does not matter.
        156    | That is layer 1.
        151    | That is one kernel with its bias. There are 16.
        2572   | That is layers 1 and 3 together. Asked is layer 3.
        2406   | One bias for each of the 16 maps, not for each input map.
        """),
    right="Right. LeNet-5, which read cheques in the 1990s, begins so (its 16 kernels see some of the maps each).",
    explanation="28 + 4 - 5 + 1 = 28; 28/2 = 14; 14 - 5 + 1 = 10; (5 x 5 x 6 + 1) x 16 = 2416.",
)  # fmt: skip

task("20.f", "Two ways of pooling",
    start="Where in the matrix does each region lie?",
    hints=["Top left: 1, 3, 4, 2.", "Their maximum is 4, their mean 2.5."],
    maxima=number("Max pooling", [[4, 6], [2, 7]], slips="""
        [[2.5, 2.5], [1, 4]] | Those are the means. Max pooling comes first.
        [[4, 2], [6, 7]]     | Rows and columns are exchanged.
        [[1, 0], [0, 1]]     | Those are the minima.
        [[4, 3], [4, 5]]     | That is stride 1, cut off. With stride 2 the regions do not overlap.
        [[10, 10], [4, 16]]  | Those are sums.
        [[4, 3, 6], [4, 5, 6], [2, 5, 7]] | That is stride 1. With stride 2 the regions do not overlap.
        """),
    means=number("Average pooling", [[2.5, 2.5], [1, 4]], slips="""
        [[4, 6], [2, 7]]     | Those are the maxima again.
        [[10, 10], [4, 16]]  | Those are sums. Divide by 4.
        [[5, 5], [2, 8]]     | Divide by 4, the number of pixels in a region, not by 2.
        [[2.5, 1], [2.5, 4]] | Rows and columns are exchanged.
        [[2.5, 2], [1, 4]]   | Those are medians. Asked are means.
        [[10 / 3, 10 / 3], [4 / 3, 16 / 3]] | Divide by 4, the number of pixels in a region, not by 3.
        """),
    right="Right. A quarter of the numbers is left.",
    explanation="Regions: 1, 3, 4, 2; 0, 2, 2, 6; 0, 1, 2, 1; 5, 3, 1, 7.",
)  # fmt: skip

task("20.g", "What a unit sees",
    start="How far apart, in pixels of the picture, do the neighbours of each layer stand?",
    hints=[
        "A layer adds (k - 1) times the product of the strides before it.",
        "The first sees 5. The strides before the four layers multiply to 1, 1, 2, 2.",
    ],
    answer=number("The list of receptive fields", [5, 6, 10, 12], slips="""
        [5, 6, 8, 9]        | The strides are missing: after pooling, neighbours stand two pixels apart.
        [5, 7, 11, 15]      | A layer's own stride does not count, only those before it.
        [5, 7, 10, 12]      | You added up the kernels. A layer adds k - 1 neighbours, times the strides before it.
        [4, 5, 9, 11]       | Add the pixel itself: 1 + the sum.
        [5, 10, 12, 24]     | Pooling does not double what a unit sees. It adds k - 1 neighbours.
        [5, 6, 10, 14]      | Before the last layer stands one stride of 2. Its own does not count.
        [5, 2, 3, 2]        | Those are the kernels. A deep unit sees through all layers below it.
        [5, 5, 9, 9]        | Pooling counts like a layer with a kernel of 2.
        [5, 5, 7, 7]        | Pooling counts like a layer with a kernel of 2, and its stride counts for those after it.
        12                  | That is the last one. All four are wanted.
        [25, 36, 100, 144]  | Those are areas. Asked is the side, as (20.11) counts it.
        """),
    right="Right. Two small layers with pooling see 12 pixels in a row.",
    explanation="1 + 4·1 = 5; 5 + 1·1 = 6; 6 + 2·2 = 10; 10 + 1·2 = 12.",
)  # fmt: skip

task("20.h", "Backwards through a kernel",
    start="At which two places was each weight used?",
    hints=[
        "Kernel: 1·(2, -1, 3) - 2·(-1, 3, 1), the two windows times their slopes.",
        "Signal: 1·(1, 0, -1) laid at place 0 plus -2·(1, 0, -1) laid at place 1.",
    ],
    kernel=number("The list of the kernel's slopes", [4, -7, 1], slips="""
        [2, -1, 3]     | That is the first place alone. The weights are shared: add what the second place says.
        [2, -6, -2]    | That is the second place alone. Add what the first place says.
        [0, 5, 5]      | The second slope is -2, not 2.
        [1, 2, 4]      | You added the windows. Each counts with its slope.
        [1, -7, 4]     | You flipped the kernel's slopes: w0 met the entries 2 and -1.
        [-5, 5, -1]    | The slopes are exchanged: 1 belongs to the first place.
        [2, -3.5, 0.5] | You took the mean over the places. Gradients add up.
        [1, -2, -1, 2] | Those are the slopes for the signal. The kernel's three come first.
        """),
    signal=number("The list of the signal's slopes", [1, -2, -1, 2], slips="""
        [1, 0, -1, 0]  | That is what the first place sends back. Add the second, one place further.
        [0, -2, 0, 2]  | That is what the second place sends back. Add the first.
        [-1, 2, 1, -2] | You flipped the kernel: the first slope sends back (1, 0, -1) as it is.
        [1, 2, -1, -2] | The second slope is -2, not 2.
        [-1, 2]        | Those are the outputs or slopes of valid places. All four entries of the signal get a slope.
        [-2, 1, 2, -1] | The slopes are exchanged: 1 belongs to the first place.
        [4, -7, 1]     | Those are the slopes for the kernel again.
        [1, -2, -1]    | The last entry is missing: the second place reaches it.
        """),
    right="Right. The way back through a cross-correlation is a convolution.",
    explanation="Kernel: (2, -1, 3) - 2 (-1, 3, 1). Signal: (1, 0, -1, 0) - 2 (0, 1, 0, -1).",
)  # fmt: skip

task("20.i", "What learns",
    start="What does a new head need for each class?",
    hints=[
        "The head: 144 features, three classes, 144·3 + 3 parameters.",
        "Then add what is not frozen: 1,168 for the second convolutional layer, 80 for the first.",
    ],
    frozen=number("With frozen layers, the number", "144 * 3 + 3", slips="""
        725  | That is the head for five classes. Here there are three.
        432  | The biases of the head are missing, one for each class.
        195  | That is for pictures of 8 x 8 pixels. Here the head sees 16 maps of 3 x 3.
        1248 | Those are the frozen layers. What learns is the new head.
        0    | The new head learns.
        1683 | That is fine tuning. With all layers frozen, only the head learns. That number comes first.
        51   | The head sees 16 maps of 3 x 3 places, not 16 numbers.
        147  | The head has a weight for each feature and class: 144·3 of them, not 144.
        """),
    half=number("With the first layer frozen, the number", "144 * 3 + 3 + 1168", slips="""
        515  | You froze the second convolutional layer and let the first one learn.
        1893 | That is for five classes. Here there are three.
        1168 | The head learns, too.
        1683 | That is fine tuning: the 80 parameters of the first layer are frozen.
        435  | That is with all layers frozen. The second convolutional layer learns here.
        """),
    tuned=number("Fine-tuned, the number", "144 * 3 + 3 + 1168 + 80", slips="""
        1973 | That is for five classes. Here there are three.
        1248 | The head learns, too.
        1603 | The first layer learns now, too: 80 more.
        435  | That is with all layers frozen.
        """),
    right="Right. Frozen, only a quarter of the parameters learns.",
    explanation="144·3 + 3 = 435; 435 + 1168 = 1603; 1603 + 80 = 1683.",
)  # fmt: skip


def slide(signal, kernel, stride):
    signal, kernel = np.asarray(signal, dtype=float), np.asarray(kernel, dtype=float)
    n, k = len(signal), len(kernel)
    starts = range(0, n - k + 1, stride)
    return np.array([signal[i : i + k] @ kernel for i in starts])


SIGNALS = [
    ([1.0, 2.0, 3.0, 4.0, 5.0], [1.0, 0.0, -2.0], 1),
    ([2.0, -1.0, 0.5, 3.0, 1.0, 4.0, -2.0, 0.137], [1.0, 3.0, -1 / 3], 2),
    ([2.0, -1.0, 0.5, 3.0, 1.0, 4.0, -2.0], [1.0, 3.0, 0.5, 2.0], 3),
    ([1.0, 5.0, -3.0, 2.0, 7.0, 1.5], [2.0, -1.0], 2),
    ([3.0, -1.0, 2.0], [1.0, 2.0, 4.0], 2),
]

task("20.1", "A kernel that strides", slide, cases=[(np.array(f), np.array(g), s) for f, g, s in SIGNALS],
    what="The result",
    start="At which places may the kernel begin?",
    hints=[
        "It begins at 0, s, 2s, ... as long as it fits: range(0, n - k + 1, stride).",
        "At each of them the dot product of the window signal[i : i + k] with the kernel.",
    ],
    slips="""
        @ kernel => @ kernel[::-1] | You flipped the kernel: that is a convolution.
        n - k + 1 => n - k | The last place is missing: the kernel may begin at n - k, too.
        in starts => in starts[: (n - k) // stride] | The last place is missing: there are floor((n - k)/s) + 1 of them.
        n, k = len(signal) => signal, stride = signal[::stride], 1; n, k = len(signal) | You thinned out the signal. The
            stride moves the kernel; its window still holds neighbours.
        + 1, stride) => + 1) | The stride is not used: the kernel moves by stride.
        range(0, n - k + 1, stride) => range((n - k) // stride + 1) | You took the first places, not every stride-th
            one.
        np.array([signal[i : i + k] @ kernel for i in starts]) => np.correlate(signal, kernel, "full")[::stride] | Those
            are all places of overlap. Asked are the valid ones.
        np.array([signal[i : i + k] @ kernel for i in starts]) => np.correlate(signal, kernel, "same")[::stride] | That
            is mode 'same'. Asked are the valid places.
        + 1, stride) => + 1, 2) | The stride is 2 whatever it is given.
        in starts => in starts[:1] | That is the first place only. Go on by stride until the kernel no longer fits.
        + 1, stride) => + 1, k) | The kernel moves by stride, not by its own length.
        @ kernel => @ kernel / k | Those are means. Asked are sums.
        range(0, => range(1, | The first place is 0.
        n - k + 1 => n ;; @ kernel => @ kernel[: n - i] | Your kernel goes on beyond the end of the signal. Keep the
            places where all of it fits.
        """,
    right="Right. One number for each place, floor((n - k)/s) + 1 of them.",
)  # fmt: skip


def picture_cases():
    rng = np.random.default_rng(5)
    cases = [
        (np.arange(12.0).reshape(3, 4), np.array([[1.0, 2.0], [3.0, 4.0]]), 0),
        (rng.integers(-4, 9, (4, 5)).astype(float), np.array([[1.0, -2.0, 0.5], [3.0, 0.0, 1.0]]), 1),
        (rng.integers(-4, 9, (5, 4)).astype(float), np.array([[1.0, -2.0, 0.5], [3.0, 0.0, 1.0], [2.0, 7.0, 4.0]]), 2),
        (rng.integers(-4, 9, (3, 3)).astype(float), np.array([[2.0]]), 1),
    ]
    cases[2][0][1:4] += 0.137
    return cases


task("20.2", "A feature map", feature_map, cases=picture_cases, what="The feature map",
    start="How large is the image once zeros stand round it?",
    hints=[
        "The padded picture has h + 2p rows; the kernel fits at h + 2p - kh + 1 of them.",
        "At each place sum the products of window and kernel.",
    ],
    slips="""
        np.asarray(kernel, dtype=float) => np.asarray(kernel)[::-1, ::-1] | You flipped the kernel: that is a
            convolution.
        np.asarray(kernel, dtype=float) => np.asarray(kernel)[::-1] | You flipped the kernel upside down. Leave it as it
            is.
        np.asarray(kernel, dtype=float) => np.asarray(kernel)[:, ::-1] | You flipped the kernel sideways. Leave it as it
            is.
        return result => return np.maximum(result, 0) | You left out what is negative. That is the detector.
        , padding) => , 2 * padding) | The padding is doubled: p rows of zeros on each side.
        , padding) => , ((padding, padding), (0, 0))) | The columns get zeros, too, not only rows.
        , padding) => , padding, constant_values=1) | The padding holds ones. Zeros are wanted.
        , padding) => , 0) | The padding is not used.
        , padding) => , 1) | The padding is 1 whatever it is given.
        , padding) => , len(kernel) // 2) | Use the padding that is given, not the one for 'same'.
        return result => return result[:-1, :-1] | The last row and the last column of places are missing.
        , padding) => , padding, mode="edge") | The padding repeats the border. Zeros are wanted.
        , padding) => , ((0, 2 * padding), (0, 2 * padding))) | The zeros stand on one side only. They stand all round.
        , padding) => , ((0, padding), (0, padding))) | The zeros stand on one side only. They stand all round.
        np.asarray(kernel, dtype=float) => np.asarray(kernel).T | You took the transposed kernel.
        return result => return result / kernel.size | Those are means. Asked are sums.
        """,
    right="Right. Slow, but it is all that a layer does.",
)  # fmt: skip


def pool_max(image, size):
    image = np.asarray(image)
    rows, columns = image.shape[0] // size, image.shape[1] // size
    whole = image[: rows * size, : columns * size]
    return whole.reshape(rows, size, columns, size).max(axis=(1, 3))


def pool_partly(rest):
    """Return a function that keeps regions which the picture does not fill, and fills them with ``rest``."""

    def pool(image, size):
        h, w = (-(-n // size) * size for n in image.shape)
        whole = np.full((h, w), rest)
        whole[: image.shape[0], : image.shape[1]] = image
        return pool_max(whole, size)

    return pool


def pool_overlapping(image, size):
    return np.lib.stride_tricks.sliding_window_view(image, (size, size)).max(axis=(2, 3))


def pool_cases():
    rng = np.random.default_rng(6)
    return [
        (np.array([[1.0, 1, 2, 4], [5, 6, 7, 8], [3, 2, 1, 0], [1, 2, 3, 4]]), 2),
        (rng.permutation(42).reshape(6, 7).astype(float) - 50, 3),
        (rng.permutation(35).reshape(5, 7) / 3 - 6.0, 2),
        (rng.permutation(12).reshape(3, 4).astype(float) - 6, 1),
    ]


task("20.3", "Max pooling", pool_max, cases=pool_cases, what="The pooled picture",
    start="How many whole regions fit into a row?",
    hints=[
        "rows = h // size, columns = w // size; region (i, j) is image[i*size:(i+1)*size, j*size:(j+1)*size].",
        "Or cut off the rest, reshape to (rows, size, columns, size), and take the maximum over axes 1 and 3.",
    ],
    slips=[
        (pool_overlapping, "Your regions overlap: they move by 1. They stand side by side."),
        (pool_partly(-np.inf), "You keep regions that are not filled. Rows and columns left over are left out."),
        (pool_partly(0.0), "You fill the rest with zeros. Rows and columns left over are left out."), """
        .max( => .min( | Those are the minima.
        .max(axis=(1, 3)) => .max(axis=(1, 3), initial=0) | Maxima may be negative: do not start from 0.
        rows, columns = => size = 2; rows, columns = | The size is 2 whatever it is given.
        .max(axis=(1, 3)) => .max(axis=(1, 3)).T | Rows and columns are exchanged.
        .max( => .mean( | Those are the means.
        whole.reshape(rows, size, columns, size).max(axis=(1, 3)) => whole[::size, ::size] | That is the first pixel of
            each region.
        image[: rows * size, : columns * size] => image[image.shape[0] % size :, image.shape[1] % size :] | You leave
            out rows and columns at the beginning. Those at the end are left out.
        (rows, size, columns, size).max(axis=(1, 3)) => (rows, columns, size, size).max(axis=(2, 3)) | The reshape mixes
            up regions: (rows, size, columns, size), and the maximum over axes 1 and 3.
        """,
    ],
    right="Right. What does not fill a region is lost: mind the sizes.",
)  # fmt: skip

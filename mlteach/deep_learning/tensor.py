"""Reverse-mode automatic differentiation, whole: numbers that remember how they were made.

A `Tensor` holds an array. Each operation makes a new Tensor from its operands and keeps, for every operand, an edge:
the operand, and a function that turns dL/d(result) into dL/d(operand). `Tensor.backward` starts at the last result
with dL/dL = 1 and walks the edges back, each Tensor after all that were made from it (19.2).

To read it: `node`, then `Tensor.backward`, then any operation; the derivative stands right under what it belongs to.
Plain numbers and arrays are constants: no gradient flows into them.

Derived in section 19.2 of the chapter.
"""

import numpy as np

quiet = np.errstate(over="ignore", divide="ignore", invalid="ignore")  # a diverging run is reported by `train`


def node(name, data, *edges):
    """Return the Tensor that an operation made; an edge is a pair (operand, function from dL/d(result) to its share).

    This is how a new operation is added. The share may have the shape that broadcasting gave to the operand.

    >>> def cube(x):
    ...     return node("cube", x.data**3, (x, lambda g: g * 3 * x.data**2))
    >>> x = Tensor(2.0)
    >>> cube(x).backward()
    >>> print(x.grad)
    12.0
    """
    made = Tensor.__new__(Tensor)
    made.data, made.grad, made.name = data, None, name
    made.edges = tuple(edge for edge in edges if edge[0].variable)
    made.variable = bool(made.edges)
    return made


def constant(value):
    """Return a Tensor as it is, and anything else as a Tensor into which no gradient flows."""
    if isinstance(value, Tensor):
        return value
    made = Tensor(value)
    made.variable = False
    return made


class Tensor:
    """An array with its gradient: ``data``, and after `backward` on some result L also ``grad`` = dL/d(data).

    >>> w, x = Tensor([2.0, -1.0]), np.array([3.0, 5.0])
    >>> L = ((w * x).sum() - 4) ** 2
    >>> L.backward()
    >>> w.grad                                # 2 (w.x - 4) x
    array([-18., -30.])
    """

    __slots__ = ("__weakref__", "data", "edges", "grad", "name", "variable")
    __array_ufunc__ = None  # array + Tensor is our business, not numpy's

    def __init__(self, data):
        if isinstance(data, Tensor):
            raise TypeError("data is a Tensor already; Tensor(x.data) makes a new one that forgets how x was made.")
        try:
            given = np.asarray(data)
        except ValueError:
            raise ValueError("data must be one array; its rows have different lengths.") from None
        if given.dtype.kind not in "fiub":
            raise TypeError(f"data must hold real numbers; got an array of type {given.dtype}.")
        self.data, self.grad, self.name = np.array(given, dtype=float), None, ""
        self.edges, self.variable = (), True

    # --- The backward pass -----------------------------------------------------------------------------------------

    def graph(self):
        """Return all Tensors that gradients reach from here, each before everything that was made from it."""
        order, seen, stack = [], set(), [(self, False)]
        while stack:  # no recursion: a chain may have thousands of links
            tensor, finished = stack.pop()
            if finished:
                order.append(tensor)
            elif id(tensor) not in seen:
                seen.add(id(tensor))
                stack.append((tensor, True))
                stack.extend((parent, False) for parent, _ in tensor.edges)
        return order

    @quiet
    def backward(self, gradient=None):
        """Set ``grad`` of every Tensor that went into this one; gradients of earlier calls are forgotten.

        ``gradient`` is dL/d(self), 1 where self is the loss itself.
        """
        if not self.variable:
            raise ValueError("nothing here depends on a Tensor, so there is nothing to differentiate.")
        if gradient is None and self.data.size != 1:
            raise ValueError(f"backward starts at one number; got shape {self.shape}. Take .sum() or .mean() first.")
        gradient = np.ones(self.shape) if gradient is None else np.array(gradient, dtype=float)
        if gradient.shape != self.shape:
            raise ValueError(f"gradient must have the shape {self.shape} of the Tensor; got {gradient.shape}.")
        order = self.graph()
        for tensor in order:
            tensor.grad = None
        # 1. dL/dL = 1
        self.grad = gradient
        # 2. From the last to the first: every share of dL/d(tensor) has come in before it is passed on
        for tensor in reversed(order):
            # 3. Pass it along every edge, and add up what arrives (19.2)
            for parent, share in tensor.edges:
                g = _fit(share(tensor.grad), parent.data.shape)
                parent.grad = g if parent.grad is None else parent.grad + g
        for tensor in order:
            if not tensor.edges:
                tensor.grad = np.array(tensor.grad)  # an array of its own, which may be changed

    # --- Arithmetic, entry by entry --------------------------------------------------------------------------------

    @quiet
    def __add__(self, other):
        a, b = self, _operand(self, other, "+")
        return node("+", a.data + b.data, (a, lambda g: g), (b, lambda g: g))

    @quiet
    def __sub__(self, other):
        a, b = self, _operand(self, other, "-")
        return node("−", a.data - b.data, (a, lambda g: g), (b, lambda g: -g))

    @quiet
    def __mul__(self, other):
        a, b = self, _operand(self, other, "*")
        return node("×", a.data * b.data, (a, lambda g: g * b.data), (b, lambda g: g * a.data))

    @quiet
    def __truediv__(self, other):
        a, b = self, _operand(self, other, "/")
        y = a.data / b.data
        return node("/", y, (a, lambda g: g / b.data), (b, lambda g: -g * y / b.data))

    @quiet
    def __pow__(self, other):
        a, n = self, _operand(self, other, "**")
        y = a.data**n.data
        less = np.where(n.data == 0, 1.0, n.data - 1)  # x ** 0 has the slope 0 everywhere, also at x = 0
        base = np.where(a.data > 0, a.data, 1.0)  # 0 ** n does not move with n
        return node("**", y, (a, lambda g: g * n.data * a.data**less), (n, lambda g: g * y * np.log(base)))

    def __neg__(self):
        return node("neg", -self.data, (self, lambda g: -g))

    def __radd__(self, other):
        return constant(other) + self

    def __rsub__(self, other):
        return constant(other) - self

    def __rmul__(self, other):
        return constant(other) * self

    def __rtruediv__(self, other):
        return constant(other) / self

    def __rpow__(self, other):
        return constant(other) ** self

    # --- Functions, entry by entry ---------------------------------------------------------------------------------

    @quiet
    def exp(self):
        """Return e to the power of every entry."""
        y = np.exp(self.data)
        return node("exp", y, (self, lambda g: g * y))

    @quiet
    def log(self):
        """Return the natural logarithm of every entry."""
        return node("log", np.log(self.data), (self, lambda g: g / self.data))

    def tanh(self):
        """Return the hyperbolic tangent of every entry."""
        y = np.tanh(self.data)
        return node("tanh", y, (self, lambda g: g * (1 - y * y)))

    def sigmoid(self):
        """Return 1 / (1 + exp(-a)) of every entry a, with no overflow."""
        y = 0.5 * (1 + np.tanh(0.5 * self.data))
        return node("σ", y, (self, lambda g: g * y * (1 - y)))

    def relu(self):
        """Return every entry that is positive, and 0 for the others; the slope at 0 is taken as 0."""
        return node("relu", np.maximum(self.data, 0), (self, lambda g: g * (self.data > 0)))

    # --- Sums and products of arrays -------------------------------------------------------------------------------

    @quiet
    def sum(self, axis=None, keepdims=False):
        """Return the sum of all entries, or along an axis."""
        y = np.asarray(self.data.sum(axis=axis, keepdims=keepdims))
        open_axes = y.shape if axis is None or keepdims else np.expand_dims(y, axis).shape
        return node("sum", y, (self, lambda g: np.broadcast_to(g.reshape(open_axes), self.shape)))

    def mean(self, axis=None, keepdims=False):
        """Return the mean of all entries, or along an axis."""
        total = self.sum(axis, keepdims)
        return total * (total.size / self.size)

    @quiet
    def __matmul__(self, other):
        A, B = self, constant(other)
        try:
            C = np.asarray(A.data @ B.data)
        except ValueError:
            raise ValueError(f"@ needs (..., n, k) @ (k, m) with the same k; got {A.shape} @ {B.shape}.") from None
        if A.ndim == B.ndim == 2:  # every layer of a network; below, vectors and stacks of matrices
            return node("@", C, (A, lambda G: G @ B.data.T), (B, lambda G: A.data.T @ G))  # (19.4)
        a = A.data[None, :] if A.ndim == 1 else A.data
        b = B.data[:, None] if B.ndim == 1 else B.data
        whole = np.shape(a @ b)
        return node(
            "@", C,
            (A, lambda G: _fit(G.reshape(whole) @ np.swapaxes(b, -1, -2), a.shape).reshape(A.shape)),
            (B, lambda G: _fit(np.swapaxes(a, -1, -2) @ G.reshape(whole), b.shape).reshape(B.shape)),
        )  # fmt: skip

    def __rmatmul__(self, other):
        return constant(other) @ self

    # --- Other shapes ----------------------------------------------------------------------------------------------

    def reshape(self, *shape):
        """Return the same entries in another shape."""
        return node("reshape", self.data.reshape(*shape), (self, lambda g: g.reshape(self.shape)))

    def transpose(self, *axes):
        """Return the array with its axes in another order: the opposite one where none is given."""
        axes = axes[0] if len(axes) == 1 and not isinstance(axes[0], int) else axes or range(self.ndim)[::-1]
        return node("T", self.data.transpose(axes), (self, lambda g: g.transpose(np.argsort(axes))))

    def __getitem__(self, key):
        key = key.data.astype(int) if isinstance(key, Tensor) else key

        def share(g):
            whole = np.zeros(self.shape)
            np.add.at(whole, key, g)  # an entry that was taken twice gets both shares
            return whole

        return node("[ ]", np.asarray(self.data[key]), (self, share))

    T = property(transpose, doc="The array with its axes in the opposite order.")
    shape = property(lambda self: self.data.shape, doc="The shape of ``data``.")
    ndim = property(lambda self: self.data.ndim, doc="The number of axes.")
    size = property(lambda self: self.data.size, doc="The number of entries.")

    def __len__(self):
        return len(self.data)

    def __float__(self):
        return float(self.data.item())

    def __repr__(self):
        return f"Tensor({np.array2string(self.data, separator=', ', prefix='Tensor(')})"


def _fit(g, shape):
    """Sum a gradient over the axes along which broadcasting copied its operand (19.5)."""
    if g.shape == shape:
        return g
    g = g.sum(axis=tuple(range(g.ndim - len(shape))))
    copied = tuple(i for i, n in enumerate(shape) if n == 1 and g.shape[i] != 1)
    return g.sum(axis=copied, keepdims=True) if copied else g.reshape(shape)


def _operand(a, other, sign):
    b = constant(other)
    if a.shape != b.shape:
        try:
            np.broadcast_shapes(a.shape, b.shape)
        except ValueError:
            raise ValueError(f"the shapes of {sign} do not fit together: {a.shape} and {b.shape}.") from None
    return b

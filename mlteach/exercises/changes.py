"""Mistakes that nobody listed: every single-step change of a solution, with words for the kind of change.

A change is made in the solution's syntax tree: an operator, a sign, a comparison, an axis, a power, a divisor, an
index, a name used for another, a step left out. Where a student's answer equals one changed solution on every case,
the words of that change explain it: "with a plus where a minus belongs". They never quote the solution.
"""

import ast
import copy
import inspect
import itertools
import re
import textwrap
import time

import numpy as np

ROUNDS = 20_000  # a changed loop may never end
LONGEST = 0.05  # seconds that a changed function may take; without a change none takes 0.01

# What stands in the changed solution, and what it should have been.
OPERATORS = {
    ast.Add: (ast.Sub, "with a minus where a plus belongs"),
    ast.Sub: (ast.Add, "with a plus where a minus belongs"),
    ast.Mult: (ast.Div, "with a division where a product belongs"),
    ast.Div: (ast.Mult, "with a product where a division belongs"),
    ast.BitAnd: (ast.BitOr, "with an or where an and belongs"),
    ast.BitOr: (ast.BitAnd, "with an and where an or belongs"),
    ast.FloorDiv: (ast.Div, "without rounding down to a whole number"),
    ast.And: (ast.Or, "with an or where an and belongs"),
    ast.Or: (ast.And, "with an and where an or belongs"),
}
STRICT = "with a comparison that should include equality"
WEAK = "with a comparison that should not include equality"
TURNED = "with a comparison the other way round"
COMPARISONS = {
    ast.Lt: [(ast.LtE, WEAK), (ast.Gt, TURNED)],
    ast.Gt: [(ast.GtE, WEAK), (ast.Lt, TURNED)],
    ast.LtE: [(ast.Lt, STRICT), (ast.GtE, TURNED)],
    ast.GtE: [(ast.Gt, STRICT), (ast.LtE, TURNED)],
    ast.Eq: [(ast.NotEq, "with an equality turned into its opposite")],
    ast.NotEq: [(ast.Eq, "with an equality turned into its opposite")],
    ast.In: [(ast.NotIn, "with a membership turned into its opposite")],
    ast.NotIn: [(ast.In, "with a membership turned into its opposite")],
}
LARGEST, SMALLEST = "with the largest where the smallest belongs", "with the smallest where the largest belongs"
OTHER_BASE = "with a logarithm of another base"
FUNCTIONS = {
    "argmin": [("argmax", LARGEST)],
    "argmax": [("argmin", SMALLEST)],
    "min": [("max", LARGEST), ("mean", "with a mean where the smallest belongs")],
    "max": [("min", SMALLEST), ("mean", "with a mean where the largest belongs")],
    "minimum": [("maximum", LARGEST)],
    "maximum": [("minimum", SMALLEST)],
    "sum": [
        ("mean", "with a mean where a sum belongs"),
        ("prod", "with a product where a sum belongs"),
        ("max", "with the largest where a sum belongs"),
    ],
    "prod": [("sum", "with a sum where a product belongs")],
    "mean": [
        ("sum", "with a sum where a mean belongs"),
        ("median", "with a median where a mean belongs"),
        ("max", "with the largest where a mean belongs"),
        ("min", "with the smallest where a mean belongs"),
    ],
    "var": [("std", "with a standard deviation where a variance belongs")],
    "std": [("var", "with a variance where a standard deviation belongs")],
    "log": [("log2", OTHER_BASE), ("log10", OTHER_BASE)],
    "log2": [("log", OTHER_BASE), ("log10", OTHER_BASE)],
    "log10": [("log", OTHER_BASE)],
    "exp": [("exp2", "with a power of 2 where one of e belongs")],
    "zeros": [("ones", "with ones where zeros belong")],
    "ones": [("zeros", "with zeros where ones belong")],
    "any": [("all", "with all where any belongs")],
    "all": [("any", "with any where all belongs")],
    "floor": [("ceil", "rounded up where it should be rounded down")],
    "ceil": [("floor", "rounded down where it should be rounded up")],
    "union": [("intersection", "with an intersection where a union belongs")],
    "intersection": [("union", "with a union where an intersection belongs")],
}
MISSING = {
    "sqrt": "without a square root",
    "exp": "without an exponential",
    "log": "without a logarithm",
    "log2": "without a logarithm",
    "abs": "without an absolute value",
    "square": "without a square",
    "inv": "without an inverse",
    "pinv": "without an inverse",
    "sorted": "without sorting",
    "sort": "without sorting",
    "set": "with repeated values counted again",
    "unique": "with repeated values counted again",
    "maximum": "without a bound",
    "minimum": "without a bound",
    "clip": "without a bound",
    "round": "without rounding",
    "cumsum": "without adding up along the way",
    "reversed": "in the other direction",
}
VAGUE = "with one quantity in the place of another"
HARDLY_CLEAR = {VAGUE, "without a term", "without a factor"}
NEAR = ("with a number that is one too large", "with a number that is one too small")
ENDS = {
    "np.log({})": "with a logarithm taken at the end",
    "np.exp({})": "with an exponential taken at the end",
    "np.asarray({})[::-1]": "in reverse order",
    "np.sort({})": "sorted at the end",
    "1 - {}": "as one minus the right value",
    "np.round({}, 2)": "rounded at the end",
    "np.round({}, 1)": "rounded at the end",
    "np.round({})": "rounded at the end",
    "np.maximum({}, 0)": "with negative values cut off at 0",
    "np.minimum({}, 1)": "with values cut off at 1",
}
SOME = {
    "list({})[:1]": "with the first one only",
    "list({})[-1:]": "with the last one only",
    "list({})[1:]": "with the first one left out",
    "list({})[:-1]": "with the last one left out",
}
COUNTS = ("len(", ".size", ".shape", "n", "N")


def changes(tree, params=(), own=False):
    """Yield words and place of each change while ``tree`` is changed in that way; afterwards it is as it was.

    Words call the parameters by their names, and all quantities if the function is the reader's ``own``.
    """
    names = sorted(
        {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)} | {*params}
    )
    grows = _feeds_itself(tree)
    for words, place in _each_change(tree, names, names if own else params):
        if grows or not _feeds_itself(tree):
            yield words, place


def _each_change(tree, names, known):
    for parent in list(ast.walk(tree)):
        for field, value in ast.iter_fields(parent):
            if isinstance(value, ast.expr):
                place = place_of(value)
                for words, new in _expressions(value, names, known):
                    setattr(parent, field, _located(new))
                    yield words, place
                    setattr(parent, field, value)
            elif isinstance(value, list):
                yield from _in_list(value, names, known)


def _feeds_itself(tree):
    """Say whether a loop puts something into itself, or sets it to itself twice over: it would fill the memory."""
    loops = (ast.For, ast.While, ast.comprehension)
    inside = [part for loop in ast.walk(tree) if isinstance(loop, loops) for part in ast.walk(loop)]
    given = [node for node in inside if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name)]
    other = {target.id: node.value.id for node in given for target in node.targets if isinstance(target, ast.Name)}
    for node in inside:
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ("append", "extend", "insert", "add"):
            whole, parts = getattr(node.func.value, "id", None), {getattr(part, "id", "") for part in node.args}
            if whole in parts | {other.get(part) for part in parts} or other.get(whole) in parts:
                return True
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            if _times(node.target.id, [node.value]):
                return True
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            if any(_times(node.targets[0].id, _members(part)) > 1 for part in ast.walk(node.value)):
                return True
    return False


def _times(name, nodes):
    return sum(isinstance(node, ast.Name) and node.id == name for node in nodes)


def _members(node):
    """Return what a sum, a call or a list is made of; a list in a call counts as what it holds."""
    if isinstance(node, ast.BinOp):
        return [node.left, node.right]
    parts = getattr(node, "args" if isinstance(node, ast.Call) else "elts", [])
    flat = [inner for part in parts for inner in getattr(part, "elts", [part])]
    return [part.value if isinstance(part, ast.Starred) else part for part in flat]


OPPOSITES = {
    STRICT: WEAK,
    WEAK: STRICT,
    "with a special case left out": "a special case too many",
    "with a special case made the rule": "a special case that should be the rule",
    "with one of the steps left out": "a step too many",
    "with a value overwritten where it should be added to": "a value added to where it should be set",
    "with one of the conditions left out": "a condition too many",
    "with one of two cases left out": "a case too many",
    "with one of two values only": "a value too many",
    "with the first one left out": "a round too many, the first",
    "with the first round left out": "a round too many, the first",
    "with the last one left out": "a round too many, the last",
    "with repeated values counted again": "repeated values counted once, where each of them counts",
    "with a logarithm taken at the end": "a logarithm is missing at the end",
    "with an exponential taken at the end": "an exponential is missing at the end",
    "sorted at the end": "sorting is missing at the end",
    "as one minus the right value": "it is one minus the right value",
    "with negative values cut off at 0": "negative values should be cut off at 0",
    "with values cut off at 1": "values should be cut off at 1",
    "rounded up where it should be rounded down": "rounded down where it should be rounded up",
    "rounded down where it should be rounded up": "rounded up where it should be rounded down",
    "rounded at the end": "rounding is missing at the end",
}
TURNS = {"too small": "too large", "too short": "too long", "too few": "too many", "twice as": "half as"}


def opposite(words):
    """Return what is wrong with a function that a change of these words makes right.

    >>> opposite("with a minus where a plus belongs"), opposite("without a square")
    ('a plus where a minus belongs', 'a square too many')
    """
    if words in OPPOSITES:
        return OPPOSITES[words].removeprefix("with ")
    exchanged = re.fullmatch("with (.+) where (.+) (belongs?)", words)
    if exchanged:
        return f"{exchanged[2]} where {exchanged[1]} {exchanged[3]}"
    if words.startswith("without "):
        return f"{words.removeprefix('without ')} too many"
    for one, other in (*TURNS.items(), *((b, a) for a, b in TURNS.items())):
        if one in words:
            return words.replace(one, other).removeprefix("with ")
    return words.removeprefix("with ")


def _located(node):
    """Give new nodes a place in the text, which a compiler wants; those that have one keep theirs."""
    if not hasattr(node, "lineno"):
        if "lineno" in node._attributes:
            node.lineno = node.end_lineno = 1
            node.col_offset = node.end_col_offset = 0
        for child in ast.iter_child_nodes(node):
            _located(child)
    return node


def place_of(node):
    """Return where a node stands, in the words of the function itself: "x - m, in line 2"."""
    text = ast.unparse(node).strip().partition("\n")[0].strip().replace(" if _item()", "")
    line = getattr(getattr(node, "target", node), "lineno", 0)
    return f"{text if len(text) <= 60 else text[:57] + '...'} in line {line}"


def _numbers(tree):
    """Yield words while one number of a formula is changed wherever it stands, or two are exchanged."""
    places = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and type(node.value) in (int, float)]
    numbers = sorted({node.value for node in places})
    twists = [({a: b, b: a}, "with two numbers exchanged") for a, b in itertools.combinations(numbers, 2)]
    twists += [({a: b}, f"with {b:g} where {a:g} belongs") for a, b in itertools.permutations(numbers, 2) if a and b]
    for a in numbers:
        twists += [({a: a + 1}, NEAR[0]), ({a: a - 1}, NEAR[1])] * (a >= 5 and isinstance(a, int))
        twists += [({a: 1 - a}, "with one minus a number in its place")] * (0 < a < 1)
        twists += [({a: a**2}, "with a number squared"), ({a: abs(a) ** 0.5}, "with the root of a number")]
    twists += [({a: a**2 for a in numbers}, "with all numbers squared")]
    twists += [({a: abs(a) ** 0.5 for a in numbers}, "with the roots of all numbers")]
    for node in places:
        value = node.value
        for step, words in ((1, NEAR[0]), (-1, NEAR[1])) if isinstance(value, int) and value >= 5 else ():
            node.value = value + step
            yield words, ""
            node.value = value
    for twist, words in twists:
        before = [node.value for node in places]
        for node in places:
            node.value = twist.get(node.value, node.value)
        yield words, ""
        for node, value in zip(places, before):
            node.value = value


def _in_list(block, names, params):
    """Yield the changes of a list: of its expressions, and of its statements and their order."""
    for k, node in enumerate(list(block)):
        place = place_of(node)
        options = _expressions(node, names, params) if isinstance(node, ast.expr) else _statements(node)
        for words, new in options:
            block[k] = _located(new)
            yield words, place
            block[k] = node
    simple = (ast.Assign, ast.AugAssign, ast.Expr)
    for k, (one, other) in enumerate(itertools.pairwise(list(block))):
        if isinstance(one, simple) and isinstance(other, simple):
            block[k : k + 2] = other, one
            yield "with two steps in the other order", place_of(one)
            block[k : k + 2] = one, other
        if isinstance(one, (ast.For, ast.While)) and isinstance(other, ast.Return):
            one.body.append(other)
            yield "with a return inside the loop, in its first round", place_of(other)
            one.body.pop()


def _statements(node):
    """Yield words and a replacement for a statement."""
    if isinstance(node, ast.AugAssign):
        if type(node.op) in OPERATORS:
            new, words = OPERATORS[type(node.op)]
            yield words, ast.AugAssign(node.target, new(), node.value)
        yield "with a value overwritten where it should be added to", ast.Assign([node.target], node.value)
    if isinstance(node, (ast.If, ast.While)):
        yield "with a condition turned round", type(node)(ast.UnaryOp(ast.Not(), node.test), node.body, node.orelse)
    if isinstance(node, ast.If):
        yield "with a special case left out", ast.If(ast.Constant(False), node.body, node.orelse)
        yield "with a special case made the rule", ast.If(ast.Constant(True), node.body, node.orelse)
    if isinstance(node, (ast.Assign, ast.AugAssign, ast.Break, ast.Continue)) or _is_call(node):
        yield "with one of the steps left out", ast.Pass()
    if isinstance(node, ast.comprehension) and node.ifs:
        yield "without the condition of a selection", ast.comprehension(node.target, node.iter, [], node.is_async)
    if isinstance(node, (ast.For, ast.comprehension)):
        for form, words in SOME.items():
            new = copy.copy(node)
            new.iter = _wrapped(form, node.iter)
            yield words, new
    if isinstance(node, ast.Return) and node.value is not None:
        for form, words in ENDS.items():
            several = isinstance(node.value, ast.Tuple)
            parts = [_wrapped(form, part) for part in (node.value.elts if several else [node.value])]
            yield words, ast.Return(ast.Tuple(parts, ast.Load()) if several else parts[0])


def _wrapped(form, node):
    """Return the expression of a form such as "np.log({})" with a node in the place of the braces."""
    expression = ast.parse(form.format("_it"), mode="eval").body
    for parent in ast.walk(expression):
        for field, value in ast.iter_fields(parent):
            if isinstance(value, ast.Name) and value.id == "_it":
                setattr(parent, field, node)
            elif isinstance(value, list):
                value[:] = [node if isinstance(part, ast.Name) and part.id == "_it" else part for part in value]
    return expression


def _is_call(node):
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and not _is_guard(node.value)


def _is_guard(node):
    return isinstance(node.func, ast.Name) and node.func.id in ("_round", "_item")


def _expressions(node, names, params):
    """Yield words and a replacement for an expression."""
    kind = type(node)
    if kind is ast.Call and _is_guard(node):
        return
    if kind is ast.BinOp:
        yield from _operations(node, params)
    elif kind is ast.UnaryOp:
        yield ("with the other sign" if isinstance(node.op, ast.USub) else "without a not"), node.operand
    elif kind is ast.BoolOp:
        new, words = OPERATORS[type(node.op)]
        yield words, ast.BoolOp(new(), node.values)
        for value in node.values if len(node.values) == 2 else ():
            yield "with one of the conditions left out", value
    elif kind is ast.Compare and len(node.ops) == 1:
        for new, words in COMPARISONS.get(type(node.ops[0]), ()):
            yield words, ast.Compare(node.left, [new()], node.comparators)
    elif kind is ast.Call and not _is_guard(node):
        yield from _calls(node)
    elif kind is ast.Subscript and isinstance(node.ctx, ast.Load):
        yield from _subscripts(node)
    elif kind is ast.Slice:
        yield from _slices(node.lower, node.upper, node.step)
    elif kind is ast.Attribute and node.attr == "T":
        yield "without a transpose", node.value
    elif kind is ast.Constant and type(node.value) in (int, float):
        yield from _constants(node.value)
    elif kind is ast.IfExp:
        yield from (("with one of two cases left out", case) for case in (node.body, node.orelse))
    elif kind is ast.Name and isinstance(node.ctx, ast.Load) and node.id in names:
        for name in names:
            if name != node.id:
                mine, other = (word if word in params else "another quantity" for word in (name, node.id))
                yield VAGUE if mine == other else f"with {mine} where {other} belongs", ast.Name(name, ast.Load())


def _of(node, params):
    """Return " with eta" if eta is the one parameter in an expression."""
    found = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)} & {*params}
    return f" with {found.pop()}" if len(found) == 1 else ""


def _without(kind, lost, params):
    """Return "without the factor 3" if the lost part is a number, else "without a factor", with its parameter."""
    if isinstance(lost, ast.Constant) and type(lost.value) in (int, float):
        return f"without the {kind} {lost.value:g}"
    return f"without a {kind.removesuffix(' by')}{_of(lost, params)}"


def _operations(node, params):
    left, op, right = node.left, type(node.op), node.right
    if op in OPERATORS:
        new, words = OPERATORS[op]
        yield words, ast.BinOp(left, new(), right)
    if op in (ast.Add, ast.Sub):
        yield from ((_without("term", lost, params), kept) for kept, lost in ((left, right), (right, left)))
    if op is ast.Sub:
        yield "with a difference the other way round", ast.BinOp(right, ast.Sub(), left)
    if op is ast.Mult:
        yield "with a plus where a product belongs", ast.BinOp(left, ast.Add(), right)
        yield from ((_without("factor", lost, params), kept) for kept, lost in ((left, right), (right, left)))
    if op is ast.Div:
        text = ast.unparse(right)
        counted = any(word in text for word in COUNTS[:3]) or text in COUNTS[3:]
        words = "without a division by a number of points" if counted else _without("division by", right, params)
        yield words, left
        yield "with a fraction upside down", ast.BinOp(right, ast.Div(), left)
        for sign, size in ((ast.Sub(), "small"), (ast.Add(), "large")):
            yield (
                f"with a divisor that is one too {size}",
                ast.BinOp(left, op(), ast.BinOp(right, sign, ast.Constant(1))),
            )
    if op is ast.MatMult:
        yield "with a matrix product in the other order", ast.BinOp(right, op(), left)
        yield from (
            (f"without a matrix factor{_of(lost, params)}", kept) for kept, lost in ((left, right), (right, left))
        )
    if op is ast.Pow:
        power = right.value if isinstance(right, ast.Constant) else None
        yield {2: "without a square", 0.5: "without a square root"}.get(power, "without a power"), left
        if power == 2:
            yield "with absolute values where squares belong", ast.Call(ast.Name("abs", ast.Load()), [left], [])
            yield from _squares_of_sums(left)


def _calls(node):
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    for other, words in FUNCTIONS.get(name, ()):
        yield words, ast.Call(_renamed(node.func, other), node.args, node.keywords)
    if name in MISSING and node.args:
        yield MISSING[name], node.args[0]
    yield from _sums_of_squares(node, name)
    if name == "solve" and len(node.args) == 2:
        yield "with a product where a system is to be solved", ast.BinOp(node.args[0], ast.MatMult(), node.args[1])
    if name in ("max", "min") and len(node.args) == 2:
        yield from (("with one of two values only", value) for value in node.args)
    for k, keyword in enumerate(node.keywords):
        rest = node.keywords[:k] + node.keywords[k + 1 :]
        if keyword.arg == "axis":
            yield f"with a {name} over everything, not along one axis", ast.Call(node.func, node.args, rest)
            if ast.unparse(keyword.value) in ("0", "1", "-1"):
                other = ast.keyword("axis", ast.Constant(int(ast.unparse(keyword.value) == "0")))
                yield f"with a {name} over the other axis", ast.Call(node.func, node.args, [*rest, other])
        if keyword.arg == "ddof":
            yield "with n where n - 1 belongs", ast.Call(node.func, node.args, rest)
    if name in ("var", "std") and not any(keyword.arg == "ddof" for keyword in node.keywords):
        more = [*node.keywords, ast.keyword("ddof", ast.Constant(1))]
        yield "with n - 1 where n belongs", ast.Call(node.func, node.args, more)
    if name == "range":
        *start, stop = node.args[:2]
        for words, sign in (("with one round too few", ast.Sub()), ("with one round too many", ast.Add())):
            yield words, ast.Call(node.func, [*start, ast.BinOp(stop, sign, ast.Constant(1)), *node.args[2:]], [])
        if not start:
            yield "with the first round left out", ast.Call(node.func, [ast.Constant(1), stop], [])


def _sums_of_squares(node, name):
    """Yield the square of a sum, or of a mean, in the place of that of squares: of sum(r**2) and of (r**2).sum()."""
    inner = node.args[0] if node.args else getattr(node.func, "value", None)
    if name in ("sum", "mean") and isinstance(inner, ast.BinOp) and _squares(inner):
        func = node.func if node.args else ast.Attribute(inner.left, name, ast.Load())
        call = ast.Call(func, [inner.left, *node.args[1:]] if node.args else [], node.keywords)
        yield f"with the square of a {name} where a {name} of squares belongs", _square(call)


def _squares_of_sums(node):
    """Yield the sum, or the mean, of squares in the place of the square of it: of sum(r) ** 2 and of r.sum() ** 2."""
    name = getattr(getattr(node, "func", None), "attr", getattr(getattr(node, "func", None), "id", ""))
    if isinstance(node, ast.Call) and name in ("sum", "mean"):
        words = f"with a {name} of squares where the square of a {name} belongs"
        if node.args:
            yield words, ast.Call(node.func, [_square(node.args[0]), *node.args[1:]], node.keywords)
        else:
            yield words, ast.Call(ast.Attribute(_square(node.func.value), name, ast.Load()), [], node.keywords)


def _squares(node):
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow) and getattr(node.right, "value", None) == 2


def _square(node):
    return ast.BinOp(node, ast.Pow(), ast.Constant(2))


def _renamed(func, name):
    return (
        ast.Attribute(func.value, name, ast.Load()) if isinstance(func, ast.Attribute) else ast.Name(name, ast.Load())
    )


def _subscripts(node):
    if isinstance(node.slice, ast.Slice):
        yield "with a part of a list where the whole is taken, or the whole for a part", node.value
        if ast.unparse(node.slice) in ("1:", ":-1"):
            other = ast.Slice(None, ast.Constant(-1)) if node.slice.lower else ast.Slice(ast.Constant(1))
            yield "with a list shifted by one", ast.Subscript(node.value, other, ast.Load())


def _slices(lower, upper, step):
    """Yield slices whose ends lie one place off."""
    if upper is None:
        return
    more, fewer = (ast.BinOp(upper, sign, ast.Constant(1)) for sign in (ast.Add(), ast.Sub()))
    yield "with a part of a list that is one too long", ast.Slice(lower, more, step)
    yield "with a part of a list that is one too short", ast.Slice(lower, fewer, step)
    if lower is None:
        yield "with a part of a list that begins one too late", ast.Slice(ast.Constant(1), more, step)
        yield "with the last of them alone", ast.Slice(fewer, upper, step)


def _constants(value):
    if isinstance(value, int) and value > 0:
        yield from zip(NEAR, (ast.Constant(value + 1), ast.Constant(value - 1)))
    elif value == 0:
        yield "with 1 where 0 belongs", ast.Constant(1)
    else:
        yield "with a number that is twice as large", ast.Constant(2 * value)
        yield "with a number that is half as large", ast.Constant(value / 2)


NEAR_BY = {*NEAR, *ENDS.values()}


class Changes:
    """All changed forms of a function, or of a formula with its names; made once, when the first one is needed.

    ``each`` asks for other changes of a formula: one number wherever it stands, or two exchanged.
    """

    def __init__(self, solution, names=None, each=False):
        self.solution, self.names, self.each = solution, names, each
        self._made, self._values = None, {}

    def made(self):
        """Return a list of ``(function, words)``."""
        if self._made is None:
            self._made = list(self._make())
        return self._made

    def explain(self, cases, agrees, differs, late=lambda: False):
        """Return the words, each once, of all changes that give what came.

        cases     pairs of a number and the arguments; the value of each is kept under that number
        agrees    function of the number and a value: is it what the student's answer gives?
        differs   function of the number and a value: is it another one than the right one?
        late      function that says whether to end the search
        """
        found = {}
        for i, (function, words) in enumerate(self.made()):
            values = ((k, self._value(i, function, k, case)) for k, case in cases)
            if words not in found and explains(values, agrees, differs):
                found[words] = True
            if late():
                break
        return list(found)

    def _value(self, i, function, k, case):
        if (i, k) not in self._values:
            try:
                with np.errstate(all="ignore"):
                    self._values[i, k] = function(*case)
            except Exception:  # a change may do anything
                self._values[i, k] = None
        return self._values[i, k]

    def _make(self):
        formula = isinstance(self.solution, str)
        text = f"def formula(): return {self.solution}" if formula else source(self.solution)
        tree = ast.parse(text)
        function = tree.body[-1]
        space = {"np": np, "log2": np.log2, "log10": np.log10}
        space |= self.names if formula else self.solution.__globals__
        params = [a.arg for a in function.args.args]
        limit_loops(function)
        ast.fix_missing_locations(tree)
        seen = set()
        for words, _ in _numbers(function) if self.each else changes(function, params):
            if formula and words in NEAR_BY and not self.each:
                continue  # every answer near by would be such a change of a formula with its numbers
            try:
                code = compile(tree, "changed solution", "exec")
            except (SyntaxError, ValueError, TypeError):
                continue
            key = (words, ast.unparse(tree)) if formula else len(seen)
            if key not in seen:
                seen.add(key)
                yield function_of(code, space, function.name), words


def limit_loops(function):
    """Count the rounds of all loops, and the calls of a function that calls itself, so that a changed one ends."""
    for node in ast.walk(function):
        if isinstance(node, (ast.For, ast.While)) or _calls_itself(node):
            node.body.insert(0, ast.Expr(ast.Call(ast.Name("_round", ast.Load()), [], [])))
        elif isinstance(node, ast.comprehension):
            node.ifs.insert(0, ast.Call(ast.Name("_item", ast.Load()), [], []))


def counters():
    """Return the counters of one call under the names that ``limit_loops`` gave them; they raise when it is enough."""
    rounds, end = iter(range(ROUNDS)), time.thread_time() + LONGEST

    def item():
        if time.thread_time() > end:
            raise TimeoutError
        return True

    def round():
        next(rounds)
        item()

    return {"_round": round, "_item": item}


def _calls_itself(node):
    calls = [n.func for n in ast.walk(node) if isinstance(n, ast.Call)] if isinstance(node, ast.FunctionDef) else []
    return any(isinstance(f, ast.Name) and f.id == node.name for f in calls)


def function_of(code, space, name):
    """Return a function of the compiled code that may do at most so many rounds of its loops."""

    def changed(*args):
        inner = {**space, **counters()}
        exec(code, inner)
        return inner[name](*copy.deepcopy(args))

    return changed


def source(function):
    """Return the text of a function, without the indentation of the place where it stands."""
    return textwrap.dedent(inspect.getsource(function))


def explains(values, agrees, differs):
    """Say whether the values, pairs of a number and a value, all agree and some of them differ from the right ones."""
    other = False
    for k, value in values:
        try:
            if value is None or not agrees(k, value):
                return False
            other = other or differs(k, value)
        except Exception:  # another kind of value, or no such part
            return False
    return other

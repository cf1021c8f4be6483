"""Mistakes as data: tables of edits of a solution's own text, and tables of wrong values, each line with its words.

Of a function, ``old => new | words``; each edit must hit exactly one place of its body, ``;;`` parts several::

    N / len(x)  => N             | Those are the counts N. The weights are their share of n: they sum to 1.
    return w, m => return m, w   | The order is w, m.
    N = len(x) => N = 3 ;; / N => / (N - 1) | Two places at once.

Of a value, ``wrong value | words``, where the value is an expression in the names of the module that holds the table::

    10        | That is the median of the group. The squared distances are least from its mean.
    (..., w1) | The second entry is that of the example; the first may be anything.

A line that is indented deeper goes on with the words of the line above. The first bar between spaces parts mistake and
words: write ``a|b`` for an operator.
"""

import textwrap

from mlteach.exercises.changes import source


def entries(table):
    """Return the entries of a table as pairs of texts, what stands left of the bar and the words.

    >>> entries('''
    ... 2 * w => w | A factor 2
    ...     is missing.
    ... ''')
    [('2 * w => w', 'A factor 2 is missing.')]
    """
    lines = []
    for line in textwrap.dedent(table).splitlines():
        if line[:1].isspace() and line.strip():
            lines[-1] += " " + line.strip()
        elif line.strip():
            lines.append(line.rstrip())
    return [_parted(line) for line in lines]


def _parted(line):
    place = line.find(" | ", line.find(" => ") + 1)
    if place < 0:
        raise ValueError(f"a line of a table of mistakes is 'mistake | words'; got {line!r}.")
    return line[:place].strip(), line[place + 3 :].strip()


def wrong_functions(solution, slips):
    """Return pairs of a wrong function and its words, from a table of edits, a list of pairs, or a list of both."""
    parts = [slips] if isinstance(slips, str) else slips
    found = []
    for part in parts:
        if isinstance(part, str):
            found += [(edited(solution, edits), words) for edits, words in entries(part)]
        else:
            found.append(part)
    return found


def edited(solution, edits):
    """Return the function whose text is the solution's after the edits ``old => new``, parted by ``;;``."""
    text = source(solution)
    for edit in edits.split(" ;; "):
        old, arrow, new = edit.partition("=>")
        old, new = old.strip(), new.strip()
        head = text[: text.index(":\n")] if text.count(old) != 1 else ""  # what stands in the body once is meant there
        if not arrow or text.count(old, len(head)) != 1:
            raise ValueError(
                f"an edit is 'old => new', and old stands once in the solution; {old!r} stands there "
                f"{text.count(old, len(head))} times:\n{text}"
            )
        text = head + text[len(head) :].replace(old, new)
    space = dict(solution.__globals__)
    exec(compile(text, f"{solution.__name__} after {edits}", "exec"), space)
    return space[solution.__name__]


def wrong_values(table, names):
    """Return pairs of a wrong value and its words; ``names`` is the namespace of the table's module."""
    if not isinstance(table, str):
        return list(table)
    return [(eval(value, dict(names)), words) for value, words in entries(table)]

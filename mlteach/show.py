"""What a notebook shows folded: the shipped source of an algorithm, and what an experiment prints before the guess."""

import contextlib
import inspect
import io
import sys
import textwrap
from pathlib import Path
from typing import NamedTuple


class Source(NamedTuple):
    """The source of one Python object: its name, its file and its text."""

    name: str
    file: str
    text: str


class Sources(tuple):
    """What ``show`` returns: folded and highlighted in a notebook, one line for each object elsewhere."""

    def __repr__(self):
        return "\n".join(f"the shipped {s.name}: {s.file}, {s.text.count(chr(10)) + 1} lines" for s in self)

    def _repr_markdown_(self):
        return "\n\n".join(map(_folded, self))


def show(*things):
    """Return the source of functions, methods, classes or modules of the package, ready to be displayed folded.

    >>> show(show)[0].text.splitlines()[0]
    'def show(*things):'
    >>> show(Source)
    the shipped Source: mlteach/show.py, 6 lines
    """
    if not things:
        raise TypeError("show needs at least one function, method, class or module.")
    return Sources(map(_source, things))


def _source(thing):
    try:
        text, file = inspect.getsource(thing), inspect.getsourcefile(inspect.unwrap(thing))
    except TypeError:
        raise TypeError(f"show needs a function, method, class or module; got {type(thing).__name__}.") from None
    except OSError:
        raise ValueError(f"show cannot find the source of {thing!r}; it works for code kept in a file.") from None
    module = thing.__name__ if inspect.ismodule(thing) else inspect.unwrap(thing).__module__
    if module == "__main__":
        raise ValueError(f"show is for the package's code; {thing.__name__} is defined in this notebook.")
    package = Path(sys.modules[module.partition(".")[0]].__file__).parent
    name = getattr(thing, "__qualname__", thing.__name__)
    return Source(name, Path(file).relative_to(package.parent).as_posix(), textwrap.dedent(text).rstrip())


def _folded(source):
    fence = "````" if "```" in source.text else "```"
    summary = f"the shipped <code>{source.name}</code> ({source.file})"
    return f"<details><summary>{summary}</summary>\n\n{fence}python\n{source.text}\n{fence}\n\n</details>"


class Printed(str):
    """What a block has printed: folded in a notebook, as it is elsewhere."""

    __repr__ = str.__str__

    def _repr_markdown_(self):
        return f"<details><summary>Guess first, then open what came out</summary>\n\n```text\n{self}\n```\n\n</details>"


@contextlib.contextmanager
def guess_first():
    """Fold what the block below prints, so that a prediction can be made with the notebook already run.

    >>> with guess_first():
    ...     print("heads")
    heads
    """
    from IPython.display import display

    with contextlib.redirect_stdout(io.StringIO()) as out:
        yield
    display(Printed(out.getvalue().rstrip("\n")))

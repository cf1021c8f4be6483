"""Show the shipped source of a function or class in a notebook, so that no algorithm is pasted."""

import inspect
import textwrap


class Source:
    """The source of one Python object: highlighted in a notebook, plain text elsewhere."""

    def __init__(self, text):
        self.text = text

    def __repr__(self):
        return self.text

    def _repr_markdown_(self):
        return f"```python\n{self.text}\n```"


def show(thing):
    """Return the source of a function, method or class, ready to be displayed.

    >>> show(show).text.splitlines()[0]
    'def show(thing):'
    """
    try:
        source = inspect.getsource(thing)
    except TypeError:
        raise TypeError(f"show needs a function, method, class or module; got {type(thing).__name__}.") from None
    except OSError:
        raise ValueError(
            f"show cannot find the source of {thing!r}; it works for code that is kept in a file."
        ) from None
    return Source(textwrap.dedent(source).rstrip())

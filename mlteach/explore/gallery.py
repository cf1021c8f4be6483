"""One door to all explorers: choose a chapter, choose an explorer, move its sliders."""

import html

import ipywidgets as W

from mlteach.chapter import numbers
from mlteach.course import chapters
from mlteach.explore.base import ALIVE, REGISTRY


class Gallery(W.VBox):
    """Two lists, chapters and their explorers, above the explorer that is chosen; each is built when first shown."""

    def __init__(self):
        self.shelves = shelves()
        self.chapter = W.Dropdown(description="chapter", options=list(self.shelves))
        self.choice = W.Dropdown(description="explorer", layout=W.Layout(flex="1 1 auto", width="auto"))
        self._built = {}
        super().__init__([W.HBox([self.chapter, self.choice])])
        self.chapter.observe(self._fill, "value")
        self.choice.observe(self._show, "value")
        self._fill()

    @property
    def explorer(self):
        """The explorer that is shown."""
        return self._built[self.choice.value]

    def _fill(self, _=None):
        names = self.shelves[self.chapter.value]
        self.choice.options = [(f"{name}: {_promise(name)}", name) for name in names]
        self.choice.value = names[0]

    def _show(self, _=None):
        name = self.choice.value
        if name is None:  # the list is being changed
            return
        if name not in self._built:
            self._built[name] = REGISTRY[name]()
        self.children = self.children[0], self._built[name]

    def __repr__(self):
        return "\n".join(f"{chapter}: {', '.join(names)}" for chapter, names in self.shelves.items())

    def _repr_mimebundle_(self, **kwargs):
        return {**super()._repr_mimebundle_(**kwargs), "text/html": listed(), "text/plain": repr(self)}


def shelves():
    """Return the names of the explorers by chapter, in the order of their figures, as a dict from "05 Optimisation".

    >>> shelves()["00 Start here"]
    ['first_fit']
    """
    mine = {}
    for name in sorted(REGISTRY, key=_figure):
        mine.setdefault(REGISTRY[name].__module__.rpartition(".")[2], []).append(name)
    return {f"{c.number:02d} {c.title}": mine[c.slug] for c in chapters() if c.slug in mine}


def listed():
    """Return all explorers by chapter as HTML: what a notebook shows of the gallery with no kernel."""
    rows = [f"<dt><b>{c}</b></dt>" + "".join(map(_entry, names)) for c, names in shelves().items()]
    return f"<p><i>{ALIVE}</i></p><dl>{''.join(rows)}</dl>"


def gallery():
    """Return all explorers by chapter, in one widget."""
    return Gallery()


def _figure(name):
    """Return the number of an explorer's figure in its chapter."""
    found = "".join(numbers(getattr(REGISTRY[name], "caption", ""), "fig")).partition(".")[2]
    return int(found) if found.isdigit() else 0  # a new one has a name until it is counted


def _entry(name):
    return f"<dd><code>explore.{name}()</code> {html.escape(_promise(name))}</dd>"


def _promise(name):
    return REGISTRY[name].__doc__.strip().splitlines()[0].rstrip(".")

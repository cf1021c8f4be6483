"""One door to all explorers: choose a chapter, choose an explorer, move its sliders, and give it a file of yours."""

import functools
import html
import re

import ipywidgets as W

from mlteach import chapter as cells
from mlteach.chapter import numbers
from mlteach.course import chapters
from mlteach.explore.base import ALIVE, REGISTRY
from mlteach.explore.own import read_csv, takes_data

SHORT, LONG = "1 1 260px", "3 1 420px"  # two lists beside each other where there is room


class Gallery(W.VBox):
    """Two lists, chapters and their explorers, above the explorer that is chosen; the one before it is given back.

    Between them a `Loader` hides, which gives the explorer the columns of a CSV file.
    """

    def __init__(self):
        self.shelves = shelves()
        self.chapter = W.Dropdown(description="chapter", options=list(self.shelves), layout=_part(SHORT))
        self.choice = W.Dropdown(description="explorer", layout=_part(LONG))
        self.explorer, self.link = None, W.HTMLMath()
        lists = W.HBox([self.chapter, self.choice], layout=W.Layout(width="100%", flex_flow="row wrap"))
        self.loader = Loader(self._show_yours)
        super().__init__([lists, self.link, self.loader])
        self.chapter.observe(self._fill, "value")
        self.choice.observe(self._show, "value")
        self._fill()

    def _fill(self, _=None):
        names = self.shelves[self.chapter.value]
        self.choice.options = [(f"{name}: {_promise(name)}", name) for name in names]
        self.choice.value = names[0]

    def _show(self, _=None):
        name = self.choice.value
        if name is None:  # the list is being changed
            return
        if self.explorer is not None and self.explorer.name == name:
            return
        self.link.value = f'<div class="mlteach-words">{_way(name)}</div>'
        self.loader.ask(name)
        self._put(REGISTRY[name]())

    def _show_yours(self, *data):
        self._put(REGISTRY[self.explorer.name](*data))  # what is seen: a list may be ahead of it

    def _put(self, explorer):
        left, self.explorer = self.explorer, explorer
        self.children = *self.children[:3], self.explorer
        if left is not None:
            left.free()

    def __repr__(self):
        return "\n".join(f"{chapter}: {', '.join(names)}" for chapter, names in self.shelves.items())

    def _repr_mimebundle_(self, **kwargs):
        return {**super()._repr_mimebundle_(**kwargs), "text/html": listed(), "text/plain": repr(self)}


def _part(flex):
    return W.Layout(flex=flex, width="auto", min_width="0")


class Loader(W.Accordion):
    """A CSV file, the choice of its columns, and a button that calls ``show(X, y)`` or ``show(X)`` with them."""

    def __init__(self, show):
        self.show, self.table, self.takes = show, None, None
        self.upload = W.FileUpload(accept=".csv,.tsv,.txt", description="CSV file", layout=W.Layout(width="auto"))
        self.inputs = W.SelectMultiple(rows=6, layout=_part(SHORT))
        self.target = W.Dropdown(layout=_part(SHORT))
        self.button = W.Button(description="Show these columns", disabled=True, layout=W.Layout(width="auto"))
        self.words = W.HTML()
        columns = W.HBox([self.inputs, self.target], layout=W.Layout(flex_flow="row wrap", align_items="flex-start"))
        line = W.HBox([self.upload, self.button])
        super().__init__([W.VBox([line, columns, self.words])], titles=["Your own data: a CSV file"])
        self.selected_index = None  # folded
        self.upload.observe(self._read, "value")
        self.button.on_click(self._use)

    def ask(self, name):
        """Ask for what the explorer ``name`` takes."""
        self.takes = REGISTRY[name].takes
        if self.takes:
            self.inputs.description, *target = self.takes.arguments
            self.target.description = target[0] if target else ""
            self.target.layout.visibility = "visible" if target else "hidden"
            self._say(f"{name} takes {self.takes.asks}. The first line of the file holds the names of the columns.")
        else:
            self._say(f"{name} takes no data. These explorers do: {', '.join(takes_data())}.")
        self._offer()

    def _read(self, change):
        if not change.new:
            return
        file = change.new[0]
        try:
            self.table = read_csv(file["content"])
        except ValueError as error:
            self.table = None
            self._say(f"{file['name']}: {error}")
        else:
            self._say(f"{file['name']}: {len(self.table):,} rows. Choose columns, several with Ctrl or Shift.")
        self._offer()

    def _offer(self):
        """Offer the columns: all of numbers but the last are chosen first, and the last one of all as the target."""
        names = self.table.columns if self.table else []
        self.inputs.options = self.target.options = names
        if names:
            numbers = [name for name in names if self.table[name].dtype.kind == "f"]
            first = [name for name in numbers if name != names[-1]] or numbers
            one = self.takes is not None and "x" in self.takes.arguments
            self.inputs.value, self.target.value = first[:1] if one else first, names[-1]
        self.button.disabled = not (names and self.takes)

    def _use(self, _):
        inputs, target = list(self.inputs.value), [self.target.value][: len(self.takes.arguments) - 1]
        table = self.table.complete([*inputs, *target])
        columns = [table[inputs] if inputs else None] + [table[[name]] for name in target]
        left = len(self.table) - len(table) if inputs else 0
        try:
            self.show(*columns)
        except (TypeError, ValueError) as error:
            self._say(str(error))
        else:
            gaps = f" {left:,} row{'s' * (left > 1)} with missing numbers left out." * bool(left)
            self._say(f"Shown below. What was done with your columns stands under the picture.{gaps}")

    def _say(self, words):
        self.words.value = f'<div role="status" class="mlteach-words">{html.escape(words)}</div>'


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
    rows = [f"<li><b>{c}</b><ul>{''.join(map(_entry, names))}</ul></li>" for c, names in shelves().items()]
    return f"<p><i>{ALIVE}</i></p><ul>{''.join(rows)}</ul>"


def gallery():
    """Return all explorers by chapter, in one widget."""
    return Gallery()


def _figure(name):
    """Return the number of an explorer's figure in its chapter."""
    found = "".join(numbers(getattr(REGISTRY[name], "caption", ""), "fig")).partition(".")[2]
    return int(found) if found.isdigit() else 0  # a new one has a name until it is counted


def _entry(name):
    return f"<li><code>explore.{name}()</code> {html.escape(_promise(name))}</li>"


def _way(name):
    """Return what an explorer promises, and where it stands in the course: its chapter, with a link, and its figure."""
    chapter = next(c for c in chapters() if c.slug == REGISTRY[name].__module__.rpartition(".")[2])
    file = chapter.notebook.rpartition("/")[2]
    look = "color: var(--jp-content-link-color); text-decoration: underline"  # JupyterLab takes both away
    title = f"chapter {chapter.number:02d}, {html.escape(chapter.title)}"
    link = f'<a href="{file}" target="_blank" style="{look}">{title}</a>'
    where = f"It stands in {link}, at Figure {chapter.number}.{_figure(name)}"
    question = questions(chapter).get(name)
    asked = f", where the answer is. <b>Predict.</b> {_in_html(question)}" if question else "."
    return f"<b>{html.escape(_promise(name))}.</b> {where}{asked}"


@functools.cache
def questions(chapter):
    """Return what a chapter asks before each explorer, its last prediction, as a dict from the explorer's name."""
    found, asked = {}, ""
    for cell in cells.read(chapter).cells if chapter.written else ():
        if cells.is_text(cell):
            predictions = [b.body for b in cells.blocks(cells.source(cell)) if b.kind == "predict"]
            asked = predictions[-1] if predictions else "" if cells.heading_level(cell) else asked
        else:
            names = [name for name in cells.explorers(cells.source(cell)) if name in REGISTRY]
            found |= dict.fromkeys(names if asked else (), asked)
            asked = "" if names else asked
    return found


def _in_html(text):
    """Return a prediction as HTML; its formulas stay as they are, for MathJax."""
    parts = re.split(r"(\$[^$]+\$)", html.escape(text, quote=False))
    for k in range(0, len(parts), 2):
        for mark, tag in ((r"\*\*(.+?)\*\*", "b"), (r"\*(.+?)\*", "i"), (r"`(.+?)`", "code")):
            parts[k] = re.sub(mark, rf"<{tag}>\1</{tag}>", parts[k])
    return re.sub(r"\n\n+|\n(?=\d\. )", "<br>", "".join(parts)).replace("\n", " ")


def _promise(name):
    return REGISTRY[name].__doc__.strip().splitlines()[0].rstrip(".")

"""One reader of chapters: their cells, each with its kind, and the labels that everything refers to.

The normaliser, book, slides, `renumber` and the tests ask here how a chapter is written; CONTRIBUTING.md ("How a
chapter's cells look") says the same in words. A cell is a dict as in the notebook's file (nbformat 4).

Kinds of text    opening, section, deeper, exercise, caption, predict, turn, watch, answer, formula, text
Kinds of code    explorer, gallery, task, figure, drawing, confirming, imports, blackboard, experiment
Labels           sec 5.2 or 5.2.1, eq 5.3, fig 5.1, ex 5.2, turn 5.a; a new one may have a name for a number: 5.?rates
"""

import json
import re
from typing import NamedTuple

from mlteach import course

# How a block of text begins, in the order in which it is asked; group 1, where there is one, is its heading.
BLOCKS = {
    "opening": re.compile(r"# (.+)\n*"),
    "deeper": re.compile(r"#+ \d+(?:\.\d+)+ · (Deeper: .+)\n*"),
    "exercise": re.compile(r"### Exercise \S+ · (.+)\n*"),
    "section": re.compile(r"#+ (?:\d+(?:\.\d+)* · )?(.+)\n*"),
    "predict": re.compile(r"\*\*Predict\b(?:\.?\*\*)?\s*"),
    "turn": re.compile(r"\*\*Your turn [\d.a-z]+\*\*[^.]*\.\s*"),
    "watch": re.compile(r"> \*\*Watch out\.\*\*\s*"),
    "caption": re.compile(r"\*(Figure \d+\.\d+: .+?)\*\s*(?:\n\n|$)", re.S),
    "answer": re.compile(r"<details"),
}
NEXT = re.compile(r"\n\n(?=\*\*(?:Predict\b|Your turn)|> \*\*Watch out)")  # where a new block begins inside a cell
# How the first line of a code cell begins; JupyterLab shows the cells of FOLDED by that line alone.
MARKS = {"figure": "Figure", "drawing": "Draw", "confirming": "Confirm", "imports": "Tools", "blackboard": "Blackboard"}
FOLDED = ("figure", "drawing", "confirming", "imports")
MARK = re.compile(rf"# ({'|'.join(MARKS.values())})\b")
NEW = r"\d+\.\?\w+"
LABELS = {
    "eq": re.compile(rf"\\tag\{{(\d+\.\d+|{NEW})\}}()"),
    "fig": re.compile(rf"^\*?Figure (\d+\.\d+|{NEW}): ?(.*)", re.M),
    "ex": re.compile(rf"^### Exercise (\d+\.\d+|{NEW}) · (.+)$", re.M),
    "turn": re.compile(rf"^\*\*Your turn (\d+\.[a-z]|{NEW})\*\*()", re.M),
    "sec": re.compile(r"^#+ (\d+(?:\.(?:\d+|\?\w+))+) · (.+)$", re.M),
}
EXPLORER = re.compile(r"explore\.(\w+)\(\)")  # also where a browser has joined two lines
TASK = re.compile(r"^check\(\s*[\"']([\w.?]+)", re.M)
HEADING = re.compile(r"^(#+) (.+)$", re.M)
PART = re.compile(r"^(?=#+ )", re.M)
FENCED = re.compile(r"```.*?```", re.S)
NO_WORDS = re.compile(r"\$\$.*?\$\$|\$[^$]*\$|<details.*?</details>", re.S)
# What a call looks like that confirms, or shows shipped code; plt.show() is none.
CALLS = {name: re.compile(rf"(?<![.\w]){name}\(") for name in ("confirm", "check", "show")}


class Label(NamedTuple):
    """Something with a number: its kind ("eq", "fig", "ex", "turn", "sec"), its number, its title or ""."""

    kind: str
    number: str
    title: str


class Block(NamedTuple):
    """A piece of a text cell: its kind, its text, its heading or caption, and the text without these and its mark."""

    kind: str
    text: str
    head: str
    body: str


def source(cell):
    """Return the text of a cell, which a file holds as a list of lines."""
    return "".join(cell["source"])


def is_text(cell):
    """Say whether a cell is Markdown."""
    return cell["cell_type"] == "markdown"


def heading_level(cell):
    """Return how many # the heading has that a Markdown cell begins with, or None."""
    match = HEADING.match(source(cell)) if is_text(cell) else None
    return len(match[1]) if match else None


def headings(text):
    """Return the headings in a text as pairs ("##", "5.2 · Title"); what stands in fenced code is none."""
    return HEADING.findall(FENCED.sub("", text))


def parts(cell):
    """Return a cell cut before each of its headings: pairs of a heading, "5.2 · Title", or None, and what follows."""
    if not is_text(cell):
        return [(None, source(cell))]
    found = []
    for part in filter(None, PART.split(source(cell))):
        match = HEADING.match(part)
        found.append((match[2], part[match.end() :]) if match else (None, part))
    return found


def is_deeper(text):
    """Say whether a text begins with the heading of a section for depth."""
    return bool(BLOCKS["deeper"].match(text))


def in_depth(cells):
    """Say for each cell whether it is depth: a heading "Deeper" and all up to the next of its level or above."""
    depth, answers = None, []
    for cell in cells:
        level = heading_level(cell)
        if level and depth and level <= depth:
            depth = None
        if level and depth is None and is_deeper(source(cell)):
            depth = level
        answers.append(depth is not None)
    return answers


def mark(source):
    """Return the kind of code that the first line names, or None."""
    match = MARK.match(source)
    return next(kind for kind, word in MARKS.items() if word == match[1]) if match else None


def folded(source):
    """Say whether JupyterLab hides this code under its first line: a comment such as "# Confirm (5.3): ..."."""
    return mark(source) in FOLDED


def blocks(text):
    """Return a text cell as its blocks: a prediction, a task or a warning begins a new one.

    >>> [(b.kind, b.body) for b in blocks("It falls.\\n\\n**Your turn 5.a** (two minutes). How far?")]
    [('text', 'It falls.'), ('turn', 'How far?')]
    """
    found = []
    for part in NEXT.split(text):
        hits = ((kind, form.match(part)) for kind, form in BLOCKS.items())
        kind, match = next(((kind, match) for kind, match in hits if match), (None, None))
        if match is None:
            found.append(Block("formula" if r"\tag" in part else "text", part, "", part))
        else:
            body = part[match.end() :].strip()
            body = re.sub(r"^> ?", "", body, flags=re.M).strip() if kind == "watch" else body
            found.append(Block(kind, part, match[1] if match.re.groups else "", body))
    return found


def kind(cell):
    """Return the kind of a cell; that of a text cell is the kind of its first block."""
    text = source(cell)
    if is_text(cell):
        return blocks(text)[0].kind
    if explorer(text):
        return "explorer"
    if "gallery" in EXPLORER.findall(text):
        return "gallery"
    return "task" if task(text) else mark(text) or "experiment"


def caption(cell):
    """Return the text of a caption cell (``*Figure 4.1: ...*``), or None."""
    match = BLOCKS["caption"].match(source(cell)) if cell is not None and is_text(cell) else None
    return " ".join(match[1].split()) if match else None


def explorers(source):
    """Return the names of the explorers that a cell calls, the gallery among them."""
    from mlteach.explore import REGISTRY

    return [name for name in EXPLORER.findall(source) if name in REGISTRY or name == "gallery"]


def shows_yours(source):
    """Say whether a cell calls an explorer with data of the reader's; such a picture carries its caption itself."""
    from mlteach.explore import REGISTRY

    return any(name in REGISTRY for name in re.findall(r"explore\.(\w+)\([^)]", source))


def explorer(source):
    """Return the name of the explorer that a cell shows, or None."""
    return next((name for name in explorers(source) if name != "gallery"), None)


def task(source):
    """Return the number of the task that a cell checks, or None."""
    match = TASK.search(source)
    return match[1] if match else None


def calls(name, source):
    """Say whether code calls confirm, check or show."""
    return bool(CALLS[name].search(source))


def labels(text, kind=None):
    """Return the labels that stand in a text, or those of one kind.

    >>> labels("## 5.2 · Which way?\\n\\n$$a=b\\\\tag{5.3}$$")
    [Label(kind='eq', number='5.3', title=''), Label(kind='sec', number='5.2', title='Which way?')]
    """
    forms = LABELS if kind is None else {kind: LABELS[kind]}
    return [Label(k, *found) for k, form in forms.items() for found in form.findall(text)]


def numbers(text, kind):
    """Return the numbers of all labels of one kind in a text, such as ["5.1", "5.2"]."""
    return [label.number for label in labels(text, kind)]


def cell_labels(cell):
    """Return the labels of a cell; a code cell has the figure that its explorer's caption names."""
    from mlteach.explore import REGISTRY

    if is_text(cell):
        return labels(source(cell))
    name = explorer(source(cell))
    return labels(REGISTRY[name].caption, "fig") if name else []


def words(text):
    """Count prose words: no formulas, no folded answers."""
    return len(re.findall(r"[A-Za-z]{2,}", NO_WORDS.sub(" ", text)))


# What a reader with a clock needs: words a minute, lines of open code a minute, and minutes for one of these.
PACE, CODE_PACE = 130, 12
EACH = {"explorer": 4, "display": 40 / 60, "inline": 4 / 60, "predict": 1, "caption": 1}
STATED = {word: n for n, word in enumerate("zero one two three four five six seven eight nine ten".split())}


def minutes(cells, level=2, tasks=True):
    """Return the core's sections up to the exercises as pairs: "5.2 · Title", and the minutes that a reader needs.

    level   3 parts the sections into their subsections; what stands before the first one is the section's own
    tasks   whether the tasks of the core are solved, too
    """
    found = []
    for cell, deep in zip(cells, in_depth(cells)):
        text = source(cell)
        if heading_level(cell) == 2 and "Exercises" in text.partition("\n")[0]:
            break
        if deep and not is_deeper(text):
            continue
        if not tasks:
            text = _untasked(cell)
        for part in filter(None, PART.split(text)) if is_text(cell) else [text]:
            match = HEADING.match(part) if is_text(cell) and not deep else None
            if match and (len(match[1]) == 2 or (2 < len(match[1]) <= level and labels(match[0], "sec"))):
                found.append((match[2], 0.0))
            if found:
                found[-1] = (found[-1][0], found[-1][1] + _cell_minutes({**cell, "source": part}))
    return found


def _untasked(cell):
    """Return the text of a cell without its tasks."""
    if is_text(cell):
        return "\n\n".join(block.text for block in blocks(source(cell)) if block.kind != "turn")
    return "" if task(source(cell)) else source(cell)


def _cell_minutes(cell):
    text = source(cell)
    if not is_text(cell):
        lines = sum(bool(line.strip()) for line in text.splitlines())
        return EACH["explorer"] if explorer(text) else 0 if folded(text) else lines / CODE_PACE
    inside = re.sub(r"\$\$.*?\$\$", " ", text, flags=re.S)
    total = len(re.findall(r"[A-Za-z]{2,}", re.sub(r"\$[^$]*\$", " ", inside))) / PACE
    total += text.count("$$") / 2 * EACH["display"] + len(re.findall(r"\$[^$]+\$", inside)) * EACH["inline"]
    total += text.count("**Predict") * EACH["predict"] + len(re.findall(r"^\*Figure ", text, re.M)) * EACH["caption"]
    return total + sum(STATED.get(word, 3) for word in re.findall(r"\*\*Your turn[^*]*\*\* \((\w+) minute", text))


class Chapter:
    """A chapter's cells with what is asked about them.

    cells    the cells as dicts, their sources as text
    depth    for each cell, whether it is depth
    texts    pairs of number and text of the Markdown cells; codes: of the code cells
    prose    all Markdown as one text
    tasks    pairs of a cell's number and the task that it checks
    end      the number of the cell where the exercises begin
    """

    def __init__(self, number, cells):
        self.number = number
        self.cells = [{**cell, "source": source(cell)} for cell in cells]
        self.depth = in_depth(self.cells)
        self.texts = [(i, cell["source"]) for i, cell in enumerate(self.cells) if is_text(cell)]
        self.codes = [(i, cell["source"]) for i, cell in enumerate(self.cells) if not is_text(cell)]
        self.prose = "\n\n".join(text for _, text in self.texts)
        self.code = "\n".join(code for _, code in self.codes)
        self.tasks = [(i, task(code)) for i, code in self.codes if task(code)]
        heads = [i for i, text in self.texts if re.match(r"## .*Exercises", text)]
        self.end = heads[0] if heads else len(self.cells)

    def outputs(self, i):
        """Return the outputs of a cell."""
        return self.cells[i].get("outputs", [])

    def pictures(self, i):
        """Return the outputs of a cell that hold a picture."""
        return [output for output in self.outputs(i) if "image/png" in output.get("data", {})]

    def draws(self, i):
        """Say whether a cell draws a picture that is not an explorer's, which would carry its own caption."""
        return bool(self.pictures(i)) and not explorer(self.cells[i]["source"])

    def in_core(self, i):
        """Say whether a cell is core; the heading of a depth section is: it says what the section gives."""
        return not self.depth[i] or is_deeper(self.cells[i]["source"])

    def headings(self):
        """Return all headings as pairs ("##", "5.2 · Title")."""
        return headings(self.prose)

    def numbers(self, kind):
        """Return the numbers of all labels of one kind, in the order of the cells."""
        return [label.number for cell in self.cells for label in cell_labels(cell) if label.kind == kind]


def read(chapter):
    """Return the committed notebook of a chapter of the course (`course.chapters`) as a `Chapter`."""
    notebook = json.loads(chapter.path.read_text(encoding="utf-8"))
    return Chapter(chapter.number, notebook["cells"])


def tasks():
    """Return the numbers of the tasks of each chapter, {Chapter: [number, ...]}, in the order of its notebook."""
    found = {}
    for c in course.chapters():
        if c.written:
            cells = json.loads(c.path.read_text(encoding="utf-8"))["cells"]
            found[c] = list(dict.fromkeys(id for cell in cells for id in TASK.findall(source(cell))))
    return found

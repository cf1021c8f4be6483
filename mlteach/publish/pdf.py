"""Chapters for print: a PDF that looks like a textbook.

    python -m mlteach.publish.pdf build/print 05 12        all chapters where none is named

Sphinx makes one page of a chapter, as for the book, but in another order: the core first; then depth, the answers to
predictions, hints and solutions, the answers of the self-test. Where something was folded stands a reference to it.
Folded code is left out; an explorer becomes three stills, as different as they can be. `print.css` is the layout,
Chromium the printer.
"""

import contextlib
import html
import io
import json
import re
import shutil
import sys
from pathlib import Path

import numpy as np

from mlteach import __version__, chapter, exercises
from mlteach.course import chapters
from mlteach.publish import book, figures, frames, settings
from mlteach.publish.browser import FLAGS, find_chromium

STILLS, TRIED = 3, 12  # of an explorer: shown, and compared with each other
SHORT = 14  # lines of code that no page break cuts
FOLD = re.compile(r"<details[^>]*>\s*<summary>(.*?)</summary>\s*(.*?)\s*</details>", re.S)
AWAY = re.compile(r"\[([^\]\n]+)\]\((?!https?:|#)[^)\n]*\)")  # a link to another file: paper has none
# What a task's cell holds for the reader to fill in, and how it asks for the check
BLANK = re.compile(r"^(?:from mlteach|import |from |check\(|[\w, ]+ = [\[\](){}., ]+$|def \w+\(.*\): \.\.\.|\s*$)")
# A formula that is too wide gets smaller letters, down to three fifths; what is wider still is named.
FIT = """() => { const wide = [];
  for (const box of document.querySelectorAll('div.math')) {
    const set = box.querySelector('mjx-container'), share = box.clientWidth / (set?.scrollWidth || 1);
    if (share < 1) set.style.setProperty('font-size', `${Math.max(0.6, 0.98 * share) * 100}%`, 'important');
    if (set && set.scrollWidth > box.clientWidth + 1) wide.push(set.getAttribute('aria-label') || box.id || '?'); }
  return wide; }"""
WIDTH = 620  # CSS pixels of a line: A4 without the margins of print.css, at 96 to an inch


class Back:
    """What stands at the end of a printed chapter: depth, answers, tasks, and the answers of the self-test.

    Each answer and task is kept with the number of the section to which it belongs.
    """

    def __init__(self):
        self.where, self.depth, self.answers, self.tasks, self.cards = "", [], [], [], []

    def answer(self, text):
        """Keep an answer; return the reference that takes its place."""
        self.answers.append((self.where, text))
        n = len(self.answers)
        return f'<p class="see"><a href="#answer-{n}">Answer {n} at the end</a></p>'

    def unfolded(self, text):
        """Return a text of Markdown with a reference for everything folded."""
        return FOLD.sub(lambda fold: f"\n{self.answer(fold[2])}\n", text)


def arranged(notebook, stem, places, pictures):
    """Return the cells of a chapter in the order of print.

    places     where labels stand, as `book.targets` has it
    pictures   a function from the name of an explorer to its stills: pairs of an address and words as HTML
    """
    back, core = Back(), []
    places = {label: page for label, page in places.items() if page == stem}
    for cell, deep in zip(notebook["cells"], chapter.in_depth(notebook["cells"])):
        text = chapter.source(cell)
        for number in chapter.numbers(text, "sec")[:1] if chapter.is_text(cell) else ():
            back.where = number
        if chapter.is_text(cell):
            if chapter.is_deeper(text):
                core.append(_markdown(_pointer(text)))
            text = back.unfolded(AWAY.sub(r"\1", text)).replace(" · Deeper: ", " · ")
            made = [_markdown(book.text_cell(text, stem, places))]
        else:
            made = code_cells(cell, back, pictures)
        (back.depth if deep else core).extend(made)
    return [*core, *the_end(back, stem, places)]


def _pointer(text):
    number, title = re.match(r"#+ ([\d.]+) · Deeper: (.+)", text).groups()
    return f'<p class="see"><a href="#{book.anchor("sec", number)}">Deeper, at the end: {number} · {title}</a></p>'


def code_cells(cell, back, pictures):
    """Return what print has of a code cell: code that is open, what it prints and draws, stills, references."""
    source, kind = chapter.source(cell), chapter.kind(cell)
    if kind == "explorer":
        return [_shown(stills_html(chapter.explorer(source), pictures))]
    if kind == "gallery":
        return []
    if kind == "task":
        return task_cells(source, back)
    outputs = [_output(output, back) for output in cell["outputs"]]
    hidden = kind in chapter.FOLDED or re.fullmatch(r"(?:from \S+ import .+\n+)*(?:show|selftest)\(.*\)", source)
    return [_code(source, outputs, hidden)] if outputs or not hidden else []


def _output(output, back):
    """Return an output with nothing folded in it."""
    data = output.get("data", {})
    text = "".join(data.get("text/markdown", ""))
    if "<code>" in text.partition("</summary>")[0]:  # shipped code: its name and place
        names = "".join(data["text/plain"]).splitlines()
        return book._page("".join(f'<p class="see">{html.escape(name)}</p>' for name in names))
    if "<details" in text:
        return book._page(back.unfolded(text))
    if "<details" in "".join(data.get("text/html", "")):
        cards = FOLD.findall("".join(data["text/html"]))
        back.cards += [(question[: question.index("</b>") + 4], answer) for question, answer in cards]
        asked = "".join(f'<p class="card">{question}</p>' for question, _ in cards)
        see = '<p class="see"><a href="#cards">Answers at the end</a></p>'
        return book._with_mathematics(book._page(asked + see))
    return book._with_mathematics(output)


def task_cells(source, back):
    """Return what a task gives the reader: its data, and where to find help."""
    task = chapter.task(source)
    back.tasks.append((back.where, task))
    given = "\n".join(line for line in source.splitlines() if not BLANK.match(line))
    see = f'<p class="see"><a href="#{_help(task)}">Hints and solution of {task} at the end</a></p>'
    return [*([_code(given, [])] if given.strip() else []), _shown(see)]


def stills_html(name, pictures):
    """Return the stills of an explorer, one under the other, with its caption."""
    number = book.figure_number(name)
    id = f' id="{book.anchor("fig", number)}"' if number else ""
    rows = [f'<div class="still"><img src="{address}" alt=""><p>{words}</p></div>' for address, words in pictures(name)]
    caption = html.escape(book.REGISTRY[name].caption)
    return f'<div class="stills"{id}>{"".join(rows)}<p class="caption">{caption}</p></div>'


def stills(name):
    """Return the stills of an explorer: as it begins, and the settings that differ most from that and each other."""
    shown, every, start = frames.ready(name)
    asked = settings.named(name, every, shown.controls, start)
    alone = [{**start, key: n * k // 2} for key in every if (n := len(every[key]) - 1) for k in (0, 2, 1)]
    tried = [start]
    for setting in [*asked, *alone]:
        if setting not in tried and len(tried) < TRIED:
            tried.append(setting)
    seen = [shown.snapshot(**_values(every, one))[0][::4, ::4].astype(float) for one in tried]
    return [figures.still(name, **_values(every, tried[k])) for k in sorted(farthest(seen, STILLS))]


def _values(every, setting):
    return {key: every[key][place] for key, place in setting.items()}


def farthest(pictures, n):
    """Return the numbers of ``n`` pictures: the first, and always the one that differs most from all before it.

    >>> farthest([np.zeros(2), np.ones(2), np.full(2, 5.0), np.full(2, 4.5)], 3)
    [0, 2, 1]
    """
    picked = [0]
    while len(picked) < min(n, len(pictures)):
        away = [min(abs(one - pictures[k]).mean() for k in picked) for one in pictures]
        if max(away) == 0:
            break
        picked.append(int(np.argmax(away)))
    return picked


# --- The end of a chapter --------------------------------------------------------------------------------------------


def the_end(back, stem, places):
    """Return the cells behind the core, each part with a letter."""
    letters = iter("ABCD")
    cells = []
    if back.depth:
        cells += [_markdown(f"## {next(letters)} · Depth"), *back.depth]
    if back.answers:
        cells.append(_markdown(f"## {next(letters)} · Answers to predictions"))
        for n, (where, text) in enumerate(back.answers, 1):
            head = f'<div id="answer-{n}"></div>\n\n**Answer {n}** {_to(where)}'
            cells.append(_markdown(f"{head}\n\n{book.text_cell(text, stem, places)}"))
    if back.tasks:
        rows = "".join(_task_html(where, task) for where, task in back.tasks)
        cells += [_markdown(f"## {next(letters)} · Hints and solutions"), _shown(rows)]
    if back.cards:
        rows = "".join(f'<p class="card">{number} {answer}</p>' for number, answer in _inside(back.cards))
        cells += [_markdown(f'<div id="cards"></div>\n\n## {next(letters)} · Answers of the self-test')]
        cells += [_code("", [book._with_mathematics(book._page(rows))], hidden=True)]
    return cells


def _inside(cards):
    return ((number, answer.removeprefix("<p>").removesuffix("</p>")) for number, answer in cards)


def _to(where):
    return f'(to <a href="#{book.anchor("sec", where)}">{where}</a>)' if where else ""


def _help(task):
    return f"help-{task.replace('.', '-')}"


def _task_html(where, task):
    known = exercises.REGISTRY[task]
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exercises.solution(task)
    hints = "".join(f"<li>{html.escape(hint)}</li>" for hint in known.hints)
    solution = f"<pre>{html.escape(out.getvalue().rstrip())}</pre>"
    head = f"<p><b>{task} · {html.escape(known.title)}</b> {_to(where)}</p>"
    return f'<div class="solution" id="{_help(task)}">{head}<ol>{hints}</ol>{solution}</div>'


# --- Cells and pages -------------------------------------------------------------------------------------------------


def _markdown(text):
    return {"cell_type": "markdown", "metadata": {}, "source": text}


def _code(source, outputs, hidden=False):  # MyST-NB leaves out a cell with no code, so a hidden one has some
    tags = {"tags": ["remove-input"] if hidden else ["short"] * (source.count("\n") < SHORT)}
    return {"cell_type": "code", "execution_count": None, "metadata": tags, "source": source or "0", "outputs": outputs}


def _shown(text):
    return _code("", [book._page(text)], hidden=True)


def page(c, folder):
    """Make the page of a chapter (`course.chapters`) in the folder; return its path."""
    from sphinx.cmd.build import main as sphinx

    notebooks, stem, folder = book.read_notebooks(), c.path.stem, Path(folder)
    notebook = figures.redrawn(notebooks[stem], folder.parent / "figures")
    source = folder / "source"
    shutil.rmtree(folder, ignore_errors=True)
    source.mkdir(parents=True)
    cells = [
        {**cell, "id": f"cell-{k}"} for k, cell in enumerate(arranged(notebook, stem, book.targets(notebooks), stills))
    ]
    text = json.dumps({**notebook, "cells": cells}, ensure_ascii=False)
    (source / f"{stem}.ipynb").write_text(text, encoding="utf-8")
    how = ["-q", "-W", "--keep-going", "-t", "print", "-D", f"root_doc={stem}", "-c", str(book.HERE / "sphinx")]
    if sphinx([*how, str(source), str(folder)]):
        raise SystemExit(f"the page of chapter {c.number} has faults: see the warnings above.")
    path = folder / f"{stem}.html"
    path.write_text(path.read_text(encoding="utf-8").replace("</head>", f"{heads(c)}</head>", 1), encoding="utf-8")
    return path


def heads(c):
    """Return the running heads of a chapter, from its second page on, and the line over its title, as a style."""
    title, words = f"{c.number:02d} · {c.title}", f"mlteach {__version__} · {c.part}"
    head = f'@page {{ @top-left {{ content: "{words}" }} @top-right {{ content: "{title}" }} }}'
    first = '@page :first { @top-left { content: "" } @top-right { content: "" } }'
    return f'<style>{head} {first} h1::before {{ content: "{c.part}" }}</style>'


def printed(path, target):
    """Print a page with Chromium; formulas that are too wide for it are an error."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as p:
        program = p.chromium.launch(executable_path=find_chromium(), args=list(FLAGS))
        try:
            tab = program.new_page(viewport={"width": WIDTH, "height": 900})
            tab.set_default_timeout(600_000)
            tab.emulate_media(media="print")
            tab.goto(Path(path).resolve().as_uri())
            tab.evaluate("MathJax.startup.promise.then(() => document.fonts.ready).then(() => 0)")
            if wide := tab.evaluate(FIT):
                raise SystemExit(f"{path}: {len(wide)} formulas are wider than the page: {wide}")
            tab.pdf(path=target, prefer_css_page_size=True, print_background=True, tagged=True, outline=True)
        finally:
            program.close()


def write(c, folder):
    """Write the PDF of a chapter into the folder; return its path."""
    folder = Path(folder).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"{c.path.stem}.pdf"
    printed(page(c, folder / "pages" / c.path.stem), target)
    return target


def main(folder, *only):
    """Write the PDFs of the chapters whose number or slug is given, or of all."""
    known = {name: c for c in chapters() if c.written for name in (f"{c.number:02d}", c.slug)}
    if unknown := [name for name in only if name not in known]:
        sys.exit(f"there is no chapter {', '.join(unknown)}; name a number such as 05, or one of {', '.join(known)}.")
    if find_chromium() is None:
        sys.exit("Printing needs Chromium or Chrome, and none was found: install one, or set CHROMIUM=path.")
    for c in dict.fromkeys(known[name] for name in only or known):
        print(write(c, folder))


if __name__ == "__main__":
    main(*sys.argv[1:])

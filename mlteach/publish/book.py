"""The book: a static site of all notebooks whose explorers move with no kernel and no server.

    python -m mlteach.publish.book build/book

Sphinx with MyST-NB makes the pages, in the theme Furo: contents, search, previous and next, light and dark, narrow
screens. This module turns each notebook into what they take: numbered equations that can be linked to, explorers as
films (`frames`), tasks with their hints and solutions folded, since nobody can check an answer without a kernel.
"""

import base64
import contextlib
import html
import io
import json
import re
import shutil
import sys
import time
from importlib import metadata
from pathlib import Path

from mlteach import chapter, exercises, plots
from mlteach.course import ROOT, chapters
from mlteach.explore import REGISTRY
from mlteach.explore.gallery import shelves
from mlteach.publish import frames, lookup

HERE = Path(__file__).resolve().parent
# What no reference is looked for in: formulas, code, tags, links, headings
LEAVE = re.compile(r"(\$\$.*?\$\$|\$[^$]+\$|```.*?```|`[^`]*`|<[^>\n]+>|\[[^\]\n]*\]\([^)\n]*\)|^#+ .*?$)", re.S | re.M)
REFERENCE = re.compile(
    r"(?P<eq>\((?P<eqn>\d+\.\d+)\))|(?P<fig>Figure (?P<fign>\d+\.\d+))|(?P<ex>Exercise (?P<exn>\d+\.\d+))"
    r"|(?P<sec>(?<![\d.])(?P<secn>\d+\.\d+\.\d+)(?![\d.]*\d))"
)
PROMISE = "Machine learning, one slider at a time: an interactive course that derives, shows and confirms."
POINT = re.compile(r"\s*\*\*((?:(?!\*\*).)+[.?])\*\*\s*(?:\n|$)")  # the bold sentence under a heading
FORMULA = re.compile(r"^(?P<margin>[ >]*)\$\$(?P<tex>.+?)\$\$[ ]*$", re.S | re.M)


def targets(notebooks):
    """Return where equations, figures, exercises and sections stand: dict from ("eq", "5.3") to the page's stem.

    notebooks   dict from stem, such as "05_optimization", to the notebook
    """
    return {
        (label.kind, label.number): stem
        for stem, notebook in notebooks.items()
        for cell in notebook["cells"]
        for label in chapter.cell_labels(cell)
    }


def anchor(kind, number):
    """Return the id of an equation, a figure, an exercise or a section: "eq-5-3"."""
    return f"{kind}-{number.replace('.', '-')}"


def linked(text, stem, places, suffix=".html"):
    """Turn references such as (5.3), Figure 5.1, Exercise 5.2 and 5.6.1 into links to their places."""

    def link(match):
        kind = next(k for k in ("eq", "fig", "ex", "sec") if match[k])
        number = match[f"{kind}n"]
        page = places.get((kind, number))
        if page is None:
            return match[0]
        return f'<a href="{"" if page == stem else page + suffix}#{anchor(kind, number)}">{match[0]}</a>'

    parts = LEAVE.split(text)
    return "".join(part if k % 2 else REFERENCE.sub(link, part) for k, part in enumerate(parts))


def formula(match):
    """Turn a displayed formula into HTML that MathJax finds, with its number as its id."""
    tex, margin = match["tex"], match["margin"]
    tags = chapter.numbers(tex, "eq")
    lines = html.escape(re.sub(r"\n[ >]*", " ", tex.strip()), quote=False)
    name = f' id="{anchor("eq", tags[0])}"' if tags else ""
    block = f'<div class="math notranslate nohighlight"{name}>\\[{lines}\\]</div>'
    return f"{margin.rstrip()}\n{margin}{block}\n{margin.rstrip()}"


def text_cell(source, stem, places):
    """Return the text of a Markdown cell as the book has it."""
    if source.startswith("# "):
        source = re.sub(r"[^.\n]*Run All Cells.*", "", source)  # how to bring the notebook to life
    own = chapter.LABELS["fig"].match(source)  # a caption does not refer to itself
    begin = own.start(2) if own else 0
    source = source[:begin] + linked(source[begin:], stem, places)
    source = FORMULA.sub(formula, source)
    for kind in ("fig", "ex", "sec"):
        form = chapter.LABELS[kind]
        source = form.sub(lambda m, k=kind: f'<div id="{anchor(k, m[1])}"></div>\n\n{m[0]}', source)
    return source


def code_cell(cell, stem, places):
    """Return a code cell as the book has it: explorers as players, tasks with their hints, checks folded."""
    source, kind = chapter.source(cell), chapter.kind(cell)
    tags, outputs, more = [], cell["outputs"], {}
    if kind == "explorer":
        outputs, tags = [_page(explorer_html(chapter.explorer(source)))], ["remove-input"]
    elif kind == "gallery":
        outputs, tags = [_page(gallery_html(places))], ["remove-input"]
    elif kind == "task":
        outputs = [_page(help_html(chapter.task(source)))]
    elif kind in chapter.FOLDED:
        tags, more = ["hide-input"], {"mystnb": {"code_prompt_show": source.splitlines()[0].lstrip("# ")}}
        more["mystnb"]["code_prompt_hide"] = more["mystnb"]["code_prompt_show"]
    else:
        outputs = [_with_mathematics(output) for output in outputs]
    return {**cell, "outputs": outputs, "metadata": {"tags": tags, **more}}


def explorer_html(name, folder="explorers/"):
    """Return the element that plays an explorer's film, with its still picture inside."""
    caption = html.escape(REGISTRY[name].caption)
    number = figure_number(name)
    id = f' id="{anchor("fig", number)}"' if number else ""
    return (
        f'<ml-explorer{id} name="{name}" src="{folder}{name}.js">'
        f'<img src="{folder}{name}.png" alt="{caption}" width="960" height="560" loading="lazy"></ml-explorer>'
    )


def figure_number(name):
    """Return the number of an explorer's figure, or None."""
    return next(iter(chapter.numbers(REGISTRY[name].caption, "fig")), None)


def gallery_html(places):
    """Return the list of all explorers by chapter, with links to them."""
    rows = []
    for shelf, names in shelves().items():
        rows.append(f"<dt><b>{shelf}</b></dt>")
        for name in names:
            number = figure_number(name)
            promise = html.escape(REGISTRY[name].__doc__.strip().splitlines()[0])
            link = f"{places['fig', number]}.html#{anchor('fig', number)}"
            rows.append(f'<dd><a href="{link}">Figure {number}</a> {promise}</dd>')
    return f'<dl class="gallery">{"".join(rows)}</dl>'


def help_html(task):
    """Return the hints and the solution of a task, each folded."""
    texts = exercises.REGISTRY[task].hints
    hints = [_fold(f"Hint {k}", f"<p>{html.escape(text)}</p>") for k, text in enumerate(texts, 1)]
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exercises.solution(task)
    answer = _fold("Solution", f"<pre>{html.escape(out.getvalue().rstrip())}</pre>")
    note = "<small>To have an answer checked, open this chapter in JupyterLab.</small>"
    return f'<div class="task-help">{"".join(hints)}{answer}{note}</div>'


def _fold(summary, inside):
    return f"<details><summary>{summary}</summary>{inside}</details>"


def page(notebook, stem, places):
    """Return the notebook that Sphinx gets."""
    cells = []
    for cell in notebook["cells"]:
        if chapter.is_text(cell):
            cells.append({**cell, "source": text_cell(chapter.source(cell), stem, places), "metadata": {}})
        else:
            cells.append(code_cell(cell, stem, places))
    if told := story(notebook):
        cells.insert(1, {"cell_type": "markdown", "metadata": {}, "id": "story", "source": told})
    return {**notebook, "cells": cells}


def story(notebook):
    """Return the points of the core in their order, folded, each with a link to its section."""
    lines, cells = [], notebook["cells"]
    for cell, deep in zip(cells, chapter.in_depth(cells)):
        for heading, part in chapter.parts(cell) if chapter.is_text(cell) and not deep else ():
            number, point = re.match(r"([\d.]+) · ", heading or ""), POINT.match(part)
            if number and point:
                lines.append(f'- {point[1]} <a href="#{anchor("sec", number[1])}">{number[1]}</a>')
    title = f"<details><summary><b>The chapter in {len(lines)} sentences</b></summary>"
    return "\n".join([title, "", *lines, "", "</details>"]) if lines else ""


def _page(text):
    return {"output_type": "display_data", "metadata": {}, "data": {"text/html": text, "text/plain": ""}}


def _with_mathematics(output):
    """Mark the formulas between dollars in an HTML output, so that MathJax finds them."""
    data = output.get("data", {})
    if "text/html" not in data:
        return output
    mark = r'<span class="math notranslate nohighlight">\\(\1\\)</span>'
    return {**output, "data": {**data, "text/html": re.sub(r"\$([^$]+)\$", mark, "".join(data["text/html"]))}}


# --- What a page needs beside its text -------------------------------------------------------------------------------


def sections(notebooks):
    """Return what the search knows: for every numbered section its page, heading, point, bold terms and text."""
    found, titles = [], {Path(c.notebook).stem: f"{c.number:02d} · {c.title}" for c in chapters()}
    for stem, notebook in notebooks.items():
        cells, start = notebook["cells"], len(found)
        for cell, deep in zip(cells, chapter.in_depth(cells)):
            for heading, part in chapter.parts(cell) if chapter.is_text(cell) else ():
                number = re.match(r"([\d.]+) · ", heading or "")
                if heading and (number or len(found) == start):
                    page = f"{stem}.html" + (f"#{anchor('sec', number[1])}" if number else "")
                    found.append({"page": page, "chapter": titles[stem], "heading": _said(heading), "deep": deep})
                    point = POINT.match(part)
                    found[-1] |= {"point": _said(point[1]) if point else "", "terms": "", "text": ""}
                if len(found) > start:
                    found[-1]["text"] += f" {_said(part)}"
    homes = {section["page"]: section for section in reversed(found)}
    for term in lookup.collected(notebooks):
        homes[f"{term.stem}.html#{anchor('sec', term.section)}"]["terms"] += f" {_said(term.name)}."
    return found


def _said(text):
    """Return a text of Markdown as words: no displayed formulas, marks or addresses."""
    text = re.sub(r"\$\$.*?\$\$|<[^>]+>|^[|:\- ]+$", " ", text, flags=re.S | re.M)
    text = re.sub(r"\$([^$]*)\$", lambda m: m[1] if re.fullmatch(r"[\w =+<>.,-]{1,12}", m[1]) else "…", text)
    text = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", text)
    return " ".join(re.sub(r"[*`|$]|^> ?|\\[a-zA-Z]+", " ", text, flags=re.M).split())


PLAIN = "n|p|w"  # classes of code that look like the text around them, in light and in dark
EMPTY = r"<th[^>]*>\s*(?:<p>\s*</p>)?\s*</th>"


def polished(page, description=""):
    """Return a page of HTML as readers with a screen reader, a search engine and a tab bar want it.

    Folds have their own words for a name and hold no links, captions of the contents their level, no table an empty
    header; the page has a description and a picture for its tab. Names and brackets of code, which no style colours,
    are no elements of their own: they were half of all that a page has.
    """
    page = re.sub(rf'<span class="(?:{PLAIN})">([^<]*)</span>', r"\1", page)
    page = re.sub(r"<summary aria-label=[^>]*>", "<summary>", page)
    page = re.sub(
        r"<summary>.*?</summary>", lambda m: re.sub(r'<a class="headerlink".*?</a>', "", m[0]), page, flags=re.S
    )
    page = re.sub(r"<summary>.*?</summary>", lambda m: re.sub(r"</?a\b[^>]*>", "", m[0]), page, flags=re.S)
    page = page.replace('<aside class="sidebar-drawer">', '<aside class="sidebar-drawer" aria-label="Chapters">')
    page = page.replace('<aside class="toc-drawer">', '<aside class="toc-drawer" aria-label="On this page">')
    page = page.replace('<div id="search-results">', '<h1>Search</h1><div id="search-results">')
    page = page.replace('class="caption" role="heading"', 'class="caption" role="heading" aria-level="2"')
    page = re.sub(rf"<thead>\s*<tr[^>]*>(?:\s*{EMPTY})+\s*</tr>\s*</thead>", "", page)
    page = re.sub(EMPTY, "<td></td>", page)
    head = '<link rel="icon" href="_static/favicon.svg" type="image/svg+xml">'
    if description:
        head += f'<meta name="description" content="{html.escape(description)}">'
    return page.replace("</head>", f"{head}</head>", 1)


def favicon():
    """Return the picture in the tab: a line through points."""
    dots = "".join(f'<circle cx="{x}" cy="{y}" r="3" fill="{plots.ORANGE}"/>' for x, y in ((7, 21), (14, 20), (24, 8)))
    line = f'<path d="M3 27 29 5" stroke="{plots.BLUE}" stroke-width="4" stroke-linecap="round"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">{line}{dots}</svg>'


# --- Building --------------------------------------------------------------------------------------------------------


def read_notebooks():
    """Return all notebooks that are written: dict from stem to notebook."""
    written = [Path(c.notebook) for c in chapters() if c.written]
    return {path.stem: json.loads((ROOT / path).read_text(encoding="utf-8")) for path in written}


def index():
    """Return the first page: what the course is, one explorer, the chapters by part."""
    lines = [
        "# Machine learning, one slider at a time",
        "",
        "Every chapter derives its methods step by step, and a cell under each result confirms it.",
        "The explorers on these pages move: nothing has to be installed. Try this one.",
        "",
        explorer_html("first_fit").replace(' id="fig-0-2"', ""),
        "",
        '<p class="doors"><a href="00_start_here.html">Start here</a>',
        '<a href="00_start_here.html#sec-0-4">All explorers</a>',
        '<a href="00_start_here.html#sec-0-5">Map of the chapters</a>',
        '<a href="paths.html">Paths</a>',
        '<a href="teaching.html">For lecturers</a></p>',
        "",
    ]
    for part in dict.fromkeys(c.part for c in chapters() if c.written):
        mine = [c for c in chapters() if c.part == part and c.written]
        lines += [f"## {part}", ""]
        lines += [f"- [{c.number:02d} · {c.title}]({Path(c.notebook).name}): {c.promise}" for c in mine]
        stems = "\n".join(Path(c.notebook).stem for c in mine)
        lines += ["", f"```{{toctree}}\n:hidden:\n:caption: {part}\n\n{stems}\n```", ""]
    lines += ["## To look things up", ""]
    lines += [f'- <a href="{name}.html">{title}</a>: {promise}' for name, (title, promise) in lookup.PAGES.items()]
    names = "\n".join(lookup.PAGES)
    lines += ["", f"```{{toctree}}\n:hidden:\n:caption: To look things up\n\n{names}\n```", ""]
    lines += ["```{toctree}\n:hidden:\n:caption: Teaching\n\npaths\nteaching\n```", ""]
    return "\n".join(lines)


def lookups(notebooks, places):
    """Return the pages with terms, symbols, people and papers as Markdown: dict from stem to text."""
    return lookup.pages(notebooks, anchor, lambda text: linked(text, "", places))


def stills(notebook):
    """Yield the name and the still picture (PNG bytes) of every explorer in a notebook."""
    for cell in notebook["cells"]:
        name = None if chapter.is_text(cell) else chapter.explorer(chapter.source(cell))
        for output in cell.get("outputs", []) if name else []:
            if "image/png" in output.get("data", {}):
                yield name, base64.b64decode("".join(output["data"]["image/png"]))


def build(target, films=None, names=()):
    """Build the book in the folder ``target``; return the seconds that explorers and pages took.

    films   the folder in which films are kept between two builds; beside the target where it is not given
    names   the explorers that shall move; all where none are given
    """
    from sphinx.cmd.build import main as sphinx

    from mlteach.publish import teaching  # which is made with the rule of the slides, and they with this module

    target = Path(target).resolve()
    films = Path(films or target.parent / "explorers").resolve()
    begun = time.monotonic()
    names = list(names) or sorted(REGISTRY)
    frames.write_all(films, names)
    middle = time.monotonic()
    notebooks = read_notebooks()
    places = targets(notebooks)
    source = target.parent / "book-source"
    shutil.rmtree(source, ignore_errors=True)
    source.mkdir(parents=True)
    for stem, notebook in notebooks.items():
        text = json.dumps(teaching.signed(page(notebook, stem, places), stem), ensure_ascii=False)
        (source / f"{stem}.ipynb").write_text(text, encoding="utf-8")
    texts = {"index": index(), **lookups(notebooks, places), **teaching.pages(notebooks)}
    for name, text in texts.items():
        (source / f"{name}.md").write_text(text, encoding="utf-8")
    teaching.draw_paths(source / "paths.png")
    code = sphinx(["-q", "-W", "--keep-going", "-j", "auto", "-c", str(HERE / "sphinx"), str(source), str(target)])
    if code:
        raise SystemExit("the book has faults: see the warnings above.")
    words = f"const SECTIONS = {json.dumps(sections(notebooks), ensure_ascii=False)};\n"
    (target / "_static" / "sections.js").write_text(words, encoding="utf-8")
    (target / "_static" / "favicon.svg").write_text(favicon(), encoding="utf-8")
    promises = {Path(c.notebook).stem: f"{c.title}: {c.promise}" for c in chapters() if c.written}
    for path in target.glob("*.html"):
        text = polished(path.read_text(encoding="utf-8"), promises.get(path.stem, PROMISE))
        path.write_text(text, encoding="utf-8")
    place = target / "explorers"
    place.mkdir(exist_ok=True)
    for name in names:
        shutil.copy2(films / f"{name}.js", place)
    for notebook in notebooks.values():
        for name, picture in stills(notebook):
            (place / f"{name}.png").write_bytes(picture)
    return middle - begun, time.monotonic() - middle


def colours():
    """Return the colours of `mlteach.plots` as variables of CSS: ``var(--light-blue)`` is ``LIGHT_BLUE``."""
    lines = [f"  --{name.lower().replace('_', '-')}: {value};" for name, value in plots.COLOURS.items()]
    return "\n".join([":root {", *lines, "}\n"])


def mathjax():
    """Return the folder with MathJax that a package of the registry has brought."""
    files = metadata.files("sphinx-mathjax-offline")
    return Path(next(f for f in files if f.name == "tex-svg-full.js").locate()).parent


def main(target):
    """Build the book and say how large it is and how long it took."""
    explorers, pages = build(target)
    files = [p for p in Path(target).rglob("*") if p.is_file() and ".doctrees" not in p.parts]
    films = [p.stat().st_size for p in files if p.parent.name == "explorers" and p.suffix == ".js"]
    total = sum(p.stat().st_size for p in files)
    print(f"{target}/index.html: {len(list(Path(target).glob('*.html')))} pages, {total / 1e6:.0f} MB in all")
    print(f"{len(films)} explorers, {sum(films) / len(films) / 1e6:.2f} MB on average, {max(films) / 1e6:.2f} at most")
    print(f"explorers in {explorers:.0f} s, pages in {pages:.0f} s")


if __name__ == "__main__":
    main(sys.argv[1])

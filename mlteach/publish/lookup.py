"""What one looks up in the book: its terms, its symbols, the people and papers behind it, on three pages with links.

Terms are read from the marks in the text (`mlteach.glossary`). ``data/lookup`` says what a letter means and lists the
papers; in which sections they stand is read from the text as well.
"""

import csv
import functools
import html
import re
import tomllib
from pathlib import Path
from typing import NamedTuple

from mlteach import chapter, glossary
from mlteach.course import DATA, chapters
from mlteach.glossary import key, plain

PAGES = {
    "glossary": ("Index and glossary", "every term, what it means and where it is defined"),
    "symbols": ("Symbols", "what a letter means in each chapter"),
    "people": ("People and papers", "who found it, in what, and which sections say so"),
}
LOOKUP = DATA / "lookup"
OTHERS = "Greek letters and numbers"
YEAR = re.compile(r"(?<!\d)1[789]\d\d(?![\ds])|(?<!\d)20[0-4]\d(?![\ds])")
PERSON = re.compile(
    r"(?<![A-Za-z])(?:[A-Z][a-z]?\.-?[ ]?)+(?:(?:van der|van|von|de|Van) )?([A-ZÅ]['’]?\w+(?:-[A-Z]\w+)?)"
)
STOP = re.compile(r"(?<=[a-z\d)*][.?])\s+(?=[A-Z])|\n+")  # between two sentences of "Where it comes from"


def pages(notebooks, anchor, linked):
    """Return the pages as Markdown, dict from the file's stem to its text.

    anchor   book.anchor; linked: takes a text and makes links of its references
    """
    made = {"glossary": _terms(notebooks, anchor, linked), "symbols": _symbols(notebooks, anchor)}
    return {**made, "people": _people(notebooks, anchor)}


def _link(stem, number, anchor, words=""):
    """Return a link to a section."""
    return f'<a href="{stem}.html#{anchor("sec", number)}">{words or number}</a>'


def _page(stem, lead, lines):
    return "\n".join([f"# {PAGES[stem][0]}", "", lead, "", *lines, ""])


# --- Terms -----------------------------------------------------------------------------------------------------------


def index(found):
    """Return the index: terms in the order of the alphabet, each with its definitions, the first first.

    "overfits" and "overfitting", "hyper-parameter" and "hyper-parameters" are one term.
    """
    groups = {}
    for term in found:
        groups.setdefault(key(term.name), []).append(term)
    named = {min((t.name for t in group), key=_noun): group for group in groups.values()}
    return dict(sorted(named.items(), key=lambda pair: (_letter_of(pair[0]) == OTHERS, plain(pair[0]))))


def _letter_of(name):
    """Return the heading under which a term stands."""
    first = plain(name)[0].upper()
    return first if "A" <= first <= "Z" else OTHERS


def _noun(name):
    return not name.endswith("ing"), len(name), name


def _terms(notebooks, anchor, linked):
    titles = {c.number: c.title for c in chapters()}
    lines, letter = [], ""
    for name, group in index(collected(notebooks)).items():
        if _letter_of(name) != letter:
            letter = _letter_of(name)
            lines += ["", f"## {letter}", ""]
        said = [f"{linked(t.sentence)} {_where(t, titles, anchor)}" for t in group]
        id = re.sub(r"[^\w+]+", "-", plain(name)).strip("-")
        lines.append(f'- <b id="term-{id}">{_bold(name)}</b>: {said[0]}')
        lines += [f"  - {more}" for more in said[1:]]
    lead = "Every term with the sentence that defines it, and the section where that stands. Where two chapters define"
    return _page("glossary", lead + " a term, both are here.", lines)


def _where(term, titles, anchor):
    return f"<small>{_link(term.stem, term.section, anchor)} {titles[term.chapter]}</small>"


def _bold(name):
    return re.sub(r"\$([^$]+)\$", r"$\1$", name)


def collected(notebooks):
    """Return the terms of these notebooks (dict from stem to notebook), chapter 00 left out."""
    proper = glossary.proper_names([notebook for stem, notebook in notebooks.items() if int(stem[:2])])
    return [t for stem, notebook in notebooks.items() if int(stem[:2]) for t in _of(stem, notebook, proper)]


def _of(stem, notebook, proper):
    return glossary.collect(notebook, int(stem[:2]), stem, proper)


# --- Symbols ---------------------------------------------------------------------------------------------------------


class Symbol(NamedTuple):
    """A letter of one chapter: how it is written, what it means, and the section whose formulas have it first."""

    tex: str
    meaning: str
    section: str | None
    stem: str


def symbols(notebooks):
    """Return the letters of each chapter: dict from stem to a list of Symbols."""
    table = tomllib.loads((LOOKUP / "symbols.toml").read_text(encoding="utf-8"))
    found = {}
    for stem, notebook in notebooks.items():
        known = list(formulas(notebook)) if stem[3:] in table else []
        for tex, said in table.get(stem[3:], {}).items():
            meaning, section = said if isinstance(said, list) else (said, next(iter(uses(known, tex)), None))
            found.setdefault(stem, []).append(Symbol(tex, meaning, section, stem))
    return found


def uses(formulas, tex):
    """Return the numbers of the sections whose formulas have a symbol, in the order of the text."""
    form, hint = _letter(tex), tex.replace(" ", "")
    return [number for number, text in formulas if hint in text.replace(" ", "") and form.search(text)]


def _letter(tex):
    """Return the form that finds a symbol in formulas, alone and not as a part of another name."""
    ahead = r"(?![A-Za-z])" if re.search(r"[A-Za-z]$", tex) else ""
    before = r"(?<!\\tilde)(?<!\\hat)"
    if not tex.startswith("\\"):
        before = r"(?:(?<![A-Za-z\\{])|(?<=_[A-Za-z])|(?<![a-z]\{)(?<=\{))(?<!\\mathbf )(?<!\\mathcal )" + before
    return re.compile(before + re.escape(tex).replace(r"\ ", r"\s*") + ahead)


def formulas(notebook):
    """Yield the sections of a notebook with their formulas: pairs of a number and a text."""
    section = None
    for text in glossary.texts(notebook):
        for heading, part in chapter.parts({"cell_type": "markdown", "source": text}):
            numbered = re.match(r"([\d.]+) · ", heading or "")
            section = numbered[1] if numbered else section
            found = " ; ".join(re.findall(r"\$\$.*?\$\$|\$[^$]+\$", part, re.S))
            yield section, re.sub(r"(?<!\{)\\text\{[^}]*\}", " ", found)


def _symbols(notebooks, anchor):
    titles = {Path(c.notebook).stem: f"{c.number:02d} · {c.title}" for c in chapters()}
    lead = (
        'As a rule a letter keeps its meaning within a chapter. <a href="00_start_here.html#sec-0-8">Notation</a> has '
        "those that all chapters share; here are those of each chapter, with the section that brings them."
    )
    lines = []
    for stem, rows in symbols(notebooks).items():
        lines += ["", f"## {titles[stem]}", "", "| symbol | meaning | section |", "| --- | --- | --- |"]
        lines += [f"| ${s.tex}$ | {s.meaning} | {_link(stem, s.section, anchor)} |" for s in rows]
    return _page("symbols", lead, lines)


# --- People and papers -----------------------------------------------------------------------------------------------


class Paper(NamedTuple):
    """A paper or a book: its authors, year, title and place; ``cited_as`` where the text has other words than these."""

    authors: tuple
    year: str
    title: str
    place: str
    cited_as: str


@functools.cache
def literature():
    """Return all papers and books of ``data/lookup/literature.csv``."""
    with (LOOKUP / "literature.csv").open(encoding="utf-8", newline="") as file:
        return [Paper(**{**row, "authors": tuple(row["authors"].split("; "))}) for row in csv.DictReader(file)]


def surname(author):
    """Return the name under which an author stands.

    >>> surname("L. van der Maaten"), surname("Student (W. S. Gosset)"), surname("K. Spärck Jones")
    ('van der Maaten', 'Student', 'Spärck Jones')
    """
    return re.sub(r"^(?:[^\W\d_]+\.[- ]?)+", "", re.sub(r" \(.*\)", "", author)).strip()


def origins(notebooks):
    """Return what each chapter says of where it comes from: dict from stem to its section's number and sentences."""
    found = {}
    for stem, notebook in notebooks.items():
        for cell in filter(chapter.is_text, notebook["cells"]):
            for heading, part in chapter.parts(cell):
                if heading and heading.endswith(" · Where it comes from"):
                    found[stem] = heading.split(" · ")[0], STOP.split(part.strip())
    return found


def cites(sentence, paper):
    """Say whether a sentence cites a paper: by its own words, or its first author with the year or the title."""
    if paper.cited_as:
        return paper.cited_as in sentence
    if surname(paper.authors[0]) not in sentence:
        return False
    named = re.search(rf"(?<!\w){re.escape(surname(paper.authors[0]))}(?!\w)", sentence)
    return bool(named) and (paper.year in YEAR.findall(sentence) or paper.title in sentence)


def citations(notebooks):
    """Return for each paper the sections that cite it: pairs of stem and number."""
    told = origins(notebooks)
    return {
        paper: [(stem, number) for stem, (number, said) in told.items() if any(cites(s, paper) for s in said)]
        for paper in literature()
    }


def people(cited):
    """Return for each author of the ``citations`` the sections that cite a work of theirs, by the alphabet."""
    found = {}
    for paper, places in cited.items():
        for author in paper.authors:
            if author != "others":
                found.setdefault(_one(author), set()).update(places)
    return {name: sorted(found[name]) for name in sorted(found, key=plain)}


def _one(author):
    name = surname(author)
    first = re.sub(r"\s*\(.*", "", author)[: -len(name)].strip() if author != name else ""
    return f"{name}, {first}" if first else name


def _people(notebooks, anchor):
    cited = citations(notebooks)
    papers = sorted(cited.items(), key=lambda pair: (plain(surname(pair[0].authors[0])), pair[0].year))
    lines, letter = ["## Papers and books", ""], ""
    for paper, places in papers:
        first = plain(surname(paper.authors[0]))[0].upper()
        if first != letter:
            lines += ["", f"### {first}", ""]
            letter = first
        lines.append(f"- {reference(paper)} <small>{_links(places, anchor)}</small>")
    lines += ["", "## People", ""]
    lines += [
        f"- {html.escape(name)} <small>{_links(places, anchor)}</small>" for name, places in people(cited).items()
    ]
    lead = "What the chapters cite where they say where things come from, and the sections that do."
    return _page("people", lead, lines)


def reference(paper):
    """Return a paper as it stands in a bibliography, in Markdown."""
    *others, last = paper.authors
    names = f"{', '.join(others)} and {last}" if others else last
    title = html.escape(paper.title, quote=False).replace("^n", "ⁿ")
    return f"{names} ({paper.year}). *{title}*. {paper.place}."


def _links(places, anchor):
    return ", ".join(_link(stem, number, anchor) for stem, number in places)

"""Pages of the book for lecturers, made from the notebooks: one for each chapter, and one with four paths.

A page has a plan of 90 minutes, questions to the room, tasks for the lab, misconceptions, what students find hard, and
what to skip. All but two things come from the chapter itself: ``data/teaching.toml`` says what is hard, and in which
order a lecturer leaves sections out. The minutes are those of a reader (`chapter.minutes`) without the tasks. Sections
are left out, in that order, until a lecture is full; where it has room, tasks are solved in it.
"""

import html
import re
from pathlib import Path
from typing import NamedTuple

import matplotlib as mpl

from mlteach import chapter, exercises, paths, plots
from mlteach.course import chapters
from mlteach.exercises.base import load, sort_key
from mlteach.explore import REGISTRY
from mlteach.explore.start_here import plot_paths
from mlteach.publish import book, slides
from mlteach.publish.slides import for_lecturers as notes

LECTURE, ROOM = slides.LECTURE, 2  # minutes, and how many more may be planned
ANSWER = 40  # words of an answer to a misconception, at most if its first sentence is no longer
MOST = {"questions": 6, "watches": 4, "mistakes": 6}  # of these on a page
REFERENCE = re.compile(  # of a section to formulas, figures and other sections
    r"\((?P<eq>\d+\.\d+)\)|Figure (?P<fig>\d+\.\d+)|[Ss]ections? (?P<sec>\d+\.\d+(?:\.\d+)?)"
    r"|(?<![\d.])(?P<sub>\d+\.\d+\.\d+)(?![\d.]*\d)"
)
NO_LEAD = re.compile(r"\$\$|^(?:#|\*|\||> |\d\. |- )|:$|\bpackage\b|\bshipped\b")  # a point, a list, or about code
POINTS_ON = re.compile(r"\bcell\b|^Which .*\?$|^(?:\S+ ){0,7}\S+:$")  # of an answer's last sentence: to what follows
ORDER = re.compile(r"\bcomes? (?:first|before)\b|\border\b|^Right so far")  # words about the form of an answer
QUOTED = re.compile(r'"([^"]+)"\s+(?=[^a-z\s])')  # the misconception of a Watch-out, where the sentence ends with it


class Section(NamedTuple):
    """A piece of the core: a numbered heading, its point or "", its text, and its minutes in a lecture."""

    number: str
    title: str
    point: str
    cells: list
    minutes: float


class Task(NamedTuple):
    """A task of the core: its number, its section, and the minutes that the text gives it."""

    number: str
    section: str
    minutes: int


class Plan(NamedTuple):
    """A lecture: the sections that it keeps, the tasks that it has room for, and the sections that it leaves out."""

    kept: list
    tasks: list
    left: list

    @property
    def minutes(self):
        """How long it takes."""
        return sum(section.minutes for section in self.kept) + sum(task.minutes for task in self.tasks)


def core(cells):
    """Return the numbered pieces of the core, subsections apart from what their section says before them."""
    spoken, last = {}, None
    for section in slides.sections(cells):
        if section.number or last is None:
            spoken[section.number] = last = section
        else:  # a heading without a number
            last.cells.extend(section.cells)
    found = []
    for heading, minutes in chapter.minutes(cells, level=3, tasks=False):
        number, _, title = heading.partition(" · ")
        if not title.startswith(slides.OUTSIDE):
            said = spoken.get(number, slides.Section(number, title, "", []))
            found.append(Section(number, title, said.point, said.cells, minutes))
    return found


def texts(cells, kinds):
    """Yield the blocks of some kinds in the core, each with its section and the cell that follows, or None."""
    for section in core(cells):
        for k, (_, cell) in enumerate(section.cells):
            following = next((after for _, after in section.cells[k + 1 : k + 2]), None)
            for block in chapter.blocks(cell["source"]) if chapter.is_text(cell) else ():
                if block.kind in kinds:
                    yield section, block, following


def inside(number, other):
    """Say whether section ``number`` is ``other`` or a part of it.

    >>> inside("5.1.2", "5.1"), inside("5.12", "5.1")
    (True, False)
    """
    return f"{number}.".startswith(f"{other}.")


def tasks(cells):
    """Return the tasks of the core in order."""
    found = []
    for section, block, _ in texts(cells, ("turn",)):
        match = re.match(r"\*\*Your turn ([\d.a-z]+)\*\* \((\w+) minute", block.text)
        found.append(Task(match[1], section.number, chapter.STATED.get(match[2], 3)))
    return found


def plan(cells, skip):
    """Return a lecture of about 90 minutes: sections are left out in the order of ``skip`` until it fits."""
    kept, left = core(cells), []
    for number in skip:
        if sum(section.minutes for section in kept) > LECTURE + ROOM:
            left += [section for section in kept if inside(section.number, number)]
            kept = [section for section in kept if not inside(section.number, number)]
    made = Plan(kept, [], left)
    shown = {section.number for section in kept}
    for task in tasks(cells):
        if task.section in shown and made.minutes + task.minutes <= LECTURE:
            made.tasks.append(task)
    return made


# --- Who needs what --------------------------------------------------------------------------------------------------


def citations(notebooks):
    """Return which sections cite a section of any core: dict from its number to theirs, both as fine as headings."""
    cores = [section for notebook in notebooks for section in core(notebook["cells"])]
    owner = {
        (label.kind, label.number): section.number
        for section in cores
        for _, cell in section.cells
        for label in chapter.cell_labels(cell)
    }
    found = {}
    for section in cores:
        for _, cell in section.cells:
            text = re.sub(r"\\tag\{[^}]*\}", "", cell["source"]) if chapter.is_text(cell) else ""
            for match in REFERENCE.finditer(text):
                kind = match.lastgroup
                cited = owner.get((kind, match[kind])) if kind in ("eq", "fig") else match[kind]
                if cited and not inside(section.number, cited):
                    found.setdefault(cited, set()).add(section.number)
    return found


def citing(number, cited):
    """Return the sections after section ``number`` that cite it or a part of it; earlier ones only point ahead."""
    users = set().union(*(users for other, users in cited.items() if inside(other, number)))
    return sorted((u for u in users if not inside(u, number) and _order(u) > _order(number)), key=_order)


def _order(number):
    return [int(part) for part in number.split(".")]


# --- The page of a chapter -------------------------------------------------------------------------------------------


def name(stem):
    """Return the name of the page for lecturers of a chapter."""
    return f"teaching_{stem}"


def pages(notebooks):
    """Return all pages for lecturers: dict from the page's name to its Markdown."""
    load()
    cited, places = citations(notebooks.values()), book.targets(notebooks)
    found = {"teaching": index(notebooks), "paths": paths_page()}
    for c in chapters():
        if c.written:
            stem = Path(c.notebook).stem
            found[name(stem)] = page(c, notebooks[stem]["cells"], cited, places)
    return found


def signed(notebook, stem):
    """Return a chapter's page with a line at its foot that leads to the page for lecturers."""
    line = f'<p class="lecturers"><a href="{name(stem)}.html">For lecturers: a plan of {LECTURE} minutes</a></p>'
    return {
        **notebook,
        "cells": [*notebook["cells"], {"cell_type": "markdown", "id": "lecturers", "metadata": {}, "source": line}],
    }


def draw_paths(target):
    """Save the map of the paths as a picture."""
    with mpl.rc_context(plots.STYLE):
        figure, ax = plots.canvas(size=(9.8, 5.8), dpi=160)
        plot_paths(ax=ax)
        figure.savefig(target)


def page(c, cells, cited, places):
    """Return the page for lecturers of a chapter."""
    skip = notes()[c.slug]["skip"]
    lecture = plan(cells, skip)
    parts = [
        f"# Teaching {c.number:02d} · {c.title}",
        f'*{c.promise}.* A plan for <a href="{Path(c.notebook).stem}.html">the chapter</a>, made from it; its minutes '
        "are those that a reader needs.",
        f"## A plan of {LECTURE} minutes",
        plan_table(lecture),
        plan_words(lecture, cells),
        "## Questions to the room",
        questions(cells, lecture),
        "## For the lab",
        lab(c, cells, lecture),
        "## Misconceptions",
        misconceptions(c, cells),
        "## What students find hard",
        linked(" ".join(notes()[c.slug]["hard"].split()), places),
        "## What to skip",
        skipped(cells, skip, cited),
    ]
    return "\n\n".join(parts) + "\n"


def plan_table(lecture):
    """Return the sections of a lecture as a table: minutes, the section with its point, what to move and to solve."""
    rows, begun = ["| minutes | section, its point, what to move and to solve |", "| ---: | --- |"], 0.0
    for number in dict.fromkeys(_top(section.number) for section in lecture.kept):
        mine = [section for section in lecture.kept if inside(section.number, number)]
        solved = [task for task in lecture.tasks if inside(task.section, number)]
        ended = begun + sum(section.minutes for section in mine) + sum(task.minutes for task in solved)
        title = section_link(number, next((s.title for s in mine if s.number == number), mine[0].title))
        point = next((section.point for section in mine if section.point), "")
        without = sorted((s.number for s in lecture.left if inside(s.number, number)), key=_order)
        words = f"{title}<br>{_cell(point)}" if point else title
        words += f" *Without {_listed(map(section_link, without))}.*" if without else ""
        if shown := [figure_link(explorer) for section in mine for explorer in explorers(section)]:
            words += f"<br>*Move {_listed(shown)}.*"
        if solved:
            words += f"<br>*Solve {_listed([f'task {task.number}' for task in solved])}.*"
        rows.append(f"| {round(ended) - round(begun)} | {words} |")  # so that they add up
        begun = ended
    return _table(rows)


def plan_words(lecture, cells):
    """Say how long a lecture is, and what it leaves out."""
    words = f"**{lecture.minutes:.0f} minutes in all**"
    if lecture.minutes < LECTURE - 5:
        words += ", which is all that the chapter has: let the rest be the first lab"
    words += ". Questions and explorers are in the minutes"
    if not lecture.tasks:
        words += "; the tasks are left to the lab."
    elif len(lecture.tasks) < len(tasks(cells)):
        words += ", and so are the tasks that the table names; the others are left to the lab."
    else:
        words += ", and so are all tasks of the core."
    if not lecture.left:
        return words + " No section of the core is left out."
    gone = [f"{section_link(s.number, s.title)} ({_minutes(s.minutes)})" for s in _grouped(lecture.left)]
    return (
        f"{words}\n\nLeft out: {_listed(gone)}. The deck of slides has all of the core and shares 90 minutes over it; "
        "whoever keeps this plan passes over their slides."
    )


def questions(cells, lecture):
    """Return predictions to ask, those before an explorer first, in the order of the lecture."""
    shown, found, told = {section.number for section in lecture.kept}, [], (None, "")
    for section, block, following in texts(cells, ("text", "predict")):
        if block.kind == "text":
            told = section, block.text
            continue
        film = chapter.explorer(following["source"]) if following and not chapter.is_text(following) else None
        asked = question(block.body, "" if film or told[0] is not section else told[1])
        if section.number in shown and asked:
            found.append((film is None, len(found), section.number, asked, film))
    chosen = sorted(sorted(found)[: MOST["questions"]], key=lambda row: row[1])
    lines = [
        f"- {asked} ({section_link(number)}{', then ' + figure_link(film) if film else ''})"
        for _, _, number, asked, film in chosen
    ]
    return "\n".join(["Hands up before anything moves; the answer is folded under each.", "", *lines])


def question(body, told=""):
    """Return what a prediction asks, with the sentences before it for which there is room, or "" if it is too long.

    told   the text before it, whose last paragraph may lead to the question

    >>> question("Look at the bowl. Does it (a) rise or (b) fall? Then press play.")
    'Look at the bowl. Does it (a) rise or (b) fall?'
    >>> question("Does it (a) rise or (b) fall?", "Why?\\n\\nLift the bowl. Tilt it.")
    'Lift the bowl. Tilt it. Does it (a) rise or (b) fall?'
    """
    items = re.findall(r"^1\. (.+)$", body, re.M)  # of a list, the first question
    last = told.strip().split("\n\n")[-1]
    led = [] if NO_LEAD.search(last) else slides.split(last)
    sentences = led + slides.split(" ".join([body.split("\n\n")[0], *items]))
    asked = [k for k, sentence in enumerate(sentences) if k >= len(led) and ("?" in sentence or "(a)" in sentence)]
    if not asked or "$$" in body.split("\n\n")[0]:
        return ""
    begin, end = asked[0], asked[0] + 1
    while end in asked and slides.n_words(" ".join(sentences[begin : end + 1])) <= slides.QUESTION_WORDS:
        end += 1
    while begin and slides.n_words(" ".join(sentences[begin - 1 : end])) <= slides.QUESTION_WORDS:
        begin -= 1
    text = " ".join(sentences[max(begin, len(led)) if begin else 0 : end])  # all that leads to it, or nothing
    return text if slides.n_words(text) <= slides.ASKED_WORDS else ""


def lab(c, cells, lecture):
    """Return the tasks that the lecture leaves, by section, and the exercises."""
    solved = {task.number for task in lecture.tasks}
    rest = [task for task in tasks(cells) if task.number not in solved]
    shown = {section.number for section in lecture.kept}
    lines = [
        f"- **{task.number}** {exercises.REGISTRY[task.number].title} ({section_link(task.section)}, "
        f"{_minutes(task.minutes)}{'' if task.section in shown else '; the plan leaves this section out'})"
        for task in rest
    ]
    larger = sorted((id for id in exercises.REGISTRY if re.fullmatch(rf"{c.number}\.\d+", id)), key=sort_key)
    link = f'<a href="{Path(c.notebook).stem}.html#ex-{{}}">Exercise {{}}</a>'
    named = [f"{link.format(id.replace('.', '-'), id)} {exercises.REGISTRY[id].title}" for id in larger]
    total = sum(task.minutes for task in rest)
    first = (
        f"{len(rest)} tasks of the core, {total} minutes by the text"
        if rest
        else "The lecture solves the tasks of the core"
    )
    return "\n".join(
        [f"{first}; then the larger ones.", "", *lines, *([f"- At the end: {_listed(named)}"] if named else [])]
    )


def misconceptions(c, cells):
    """Return what the Watch-outs warn of, and the mistake that the check of each task expects first."""
    lines = [
        f"- “{claim}” {answer} ({section_link(number)})" for claim, answer, number in watches(cells)[: MOST["watches"]]
    ]
    heard = expected(c)[: MOST["mistakes"]]
    if heard:
        lines += ["", "The checks expect these mistakes first:", ""]
        lines += [f"- {id}, {exercises.REGISTRY[id].title}: “{_plain(words)}”" for id, words in heard]
    return "\n".join(lines).strip()


def watches(cells):
    """Return the Watch-outs of the core that quote a misconception: what is said, the answer, and the section."""
    found = []
    for section, block, _ in texts(cells, ("watch",)):
        if said := QUOTED.match(block.body):
            sentences = slides.split(block.body[said.end() :].split("\n\n")[0])
            sentences = sentences[:-1] if sentences[1:] and POINTS_ON.search(sentences[-1]) else sentences
            fit = [k for k in range(len(sentences)) if slides.n_words(" ".join(sentences[: k + 1])) <= ANSWER]
            answer = " ".join(sentences[: 1 + max(fit, default=0)])
            found.append((said[1], re.sub(r":$", ".", answer), section.number))
    return found


def expected(c):
    """Return for each task the first mistake of its table whose words speak of the matter: pairs of task and words."""
    load(c.number)
    ids = sorted((id for id in exercises.REGISTRY if id.split(".")[0] == str(c.number)), key=sort_key)
    found = []
    for id in ids:
        words = [words for _, words in exercises.REGISTRY[id].mistakes() if len(words) >= 40]
        words = [each for each in words if not ORDER.search(each)]
        if words:
            found.append((id, words[0]))
    return found


def skipped(cells, skip, cited):
    """Return what may be skipped: depth, and sections of the core in the order in which to leave them out."""
    sections = core(cells)
    lines = []
    for k, number in enumerate(skip):
        mine = [s for s in sections if inside(s.number, number)]
        users = citing(number, cited)
        others = [user for user in users if not any(inside(user, gone) for gone in skip[:k])]
        needed = "only what is left out before it cites it" if users else "no later core section cites it"
        if others:
            needed = f"cited by {_listed(map(section_link, others))}: state its result"
        title = next((s.title for s in mine if s.number == number), mine[0].title)
        lines.append(f"1. {section_link(number, title)} ({_minutes(sum(s.minutes for s in mine))}; {needed})")
    heads = [
        chapter.headings(chapter.source(cell))[0][1]
        for cell in cells
        if chapter.is_text(cell) and chapter.is_deeper(chapter.source(cell))
    ]
    deep = [section_link(*_parted(head)) for head in heads]
    first = ["If time is short, leave out first:", "", *lines, ""] if lines else ["The core is short: keep it all.", ""]
    if not deep:
        return "\n".join([*first, "There is no depth."])
    count = "One section is" if len(deep) == 1 else f"{len(deep)} sections are"
    head = f"<summary>{count} depth: no core section needs them</summary>"
    return "\n".join([*first, f"<details>{head}\n\n{'<br>'.join(deep)}\n\n</details>"])


# --- The pages above them --------------------------------------------------------------------------------------------


def index(notebooks):
    """Return the page that leads to all others."""
    stems = {Path(c.notebook).stem: c for c in chapters() if c.written}
    lines = [
        "# For lecturers",
        "",
        "`TEACHING.md`, beside the project's README, says how to adopt the course in an afternoon: the first lecture, "
        "a deck or a live kernel, the lab, progress and feedback. "
        '<a href="paths.html">Four paths</a> lead through it in a semester, in half of one, or in a weekend.',
        "",
        f"For each chapter there is a page: a plan of {LECTURE} minutes, questions to the room, tasks for the lab, "
        "misconceptions, what students find hard, and what to skip.",
        "",
    ]
    for part in dict.fromkeys(c.part for c in stems.values()):
        lines += [f"## {part}", ""]
        lines += [f"- [{c.number:02d} · {c.title}]({name(stem)}.md)" for stem, c in stems.items() if c.part == part]
        lines += [""]
    listed = "\n".join(name(stem) for stem in stems)
    return "\n".join([*lines, f"```{{toctree}}\n:hidden:\n\n{listed}\n```", ""])


def paths_page():
    """Return the page of the paths: the map, and for each path its weeks with their sections."""
    lines = [
        "# Paths",
        "",
        "Nobody teaches 33 chapters in one go. Four paths lead through them; each is checked against what its chapters "
        "need, and its minutes are a reader's, tasks included.",
        "",
        '<div class="map">',
        "",
        "![The four paths as rows of boxes, one for each week, with arrows from what is needed to what needs it]"
        "(paths.png)",
        "",
        "</div>",
        "",
        "*An arrow leads from a week to one that needs it, unless another arrow says so already.*",
        "",
    ]
    for path in paths.paths():
        lines += [f"## {path.title}", "", path.aim, ""]
        rows = [f"| {path.unit} | sections | minutes |", "| ---: | --- | ---: |"]
        for k, stop in enumerate(path.stops, 1):
            links = "<br>".join(_sections_of(number, stop) for number in stop.numbers)
            rows.append(f"| {k} | **{stop.title}**<br>{links} | {paths.minutes(stop):.0f} |")
        lines += [_table(rows)]
        total = sum(map(paths.minutes, path.stops))
        lines += ["", f"{total / 60:.0f} hours in all; {path.promise}", ""]
        if path.enough:
            lines += ["Of some chapters less than half is enough:", ""]
            lines += [f"- {enough.words} ({section_link(enough.section)})" for enough in path.enough]
            lines += [""]
    return "\n".join(lines)


def _sections_of(number, stop):
    c = chapters()[number]
    links = ", ".join(section_link(section) for section in stop.sections if section.split(".")[0] == str(number))
    return f'<a href="{Path(c.notebook).stem}.html">{c.number:02d} {c.title}</a>: {links}'


# --- Small things ----------------------------------------------------------------------------------------------------


def section_link(number, title=""):
    """Return a link to a section of any chapter, by its number and, if given, its title."""
    stem = Path(chapters()[int(number.split(".")[0])].notebook).stem
    words = f"{number} · {title}" if title else number
    return f'<a href="{stem}.html#sec-{number.replace(".", "-")}">{words}</a>'


def figure_link(explorer):
    """Return a link to an explorer."""
    number = next(iter(chapter.numbers(REGISTRY[explorer].caption, "fig")))
    stem = Path(chapters()[int(number.split(".")[0])].notebook).stem
    return f'<a href="{stem}.html#fig-{number.replace(".", "-")}">Figure {number}</a>'


def explorers(section):
    """Return the explorers of a section."""
    codes = [cell["source"] for _, cell in section.cells if not chapter.is_text(cell)]
    return [found for code in codes if (found := chapter.explorer(code))]


def linked(text, places):
    """Return a text whose formulas, figures and sections are links; a number in brackets is a formula's."""
    parts = re.split(r"(<a .*?</a>)", book.linked(text, "", places))

    def section(match):
        return section_link(match[0]) if ("sec", match[0]) in places else match[0]

    plain = (re.sub(r"(?<![\d.])\d+\.\d+(?![\d.]*\d)", section, part) for part in parts[::2])
    return "".join(piece for pair in zip(plain, [*parts[1::2], ""]) for piece in pair)


def _top(number):
    return ".".join(number.split(".")[:2])


def _table(rows):
    """Return a table in which no word is broken on a phone."""
    return "\n".join(['<div class="plan">', "", *rows, "", "</div>"])


def _parted(head):
    number, _, title = head.partition(" · ")
    return number, title.removeprefix("Deeper: ")


def _grouped(left):
    """Return the sections that are left out, each with its subsections as one."""
    found = []
    for section in left:
        if found and inside(section.number, found[-1].number):
            found[-1] = found[-1]._replace(minutes=found[-1].minutes + section.minutes)
        else:
            found.append(section)
    return found


def _minutes(minutes):
    return f"{minutes:.0f} minutes" if minutes >= 1.5 else "a minute"


def _listed(items):
    """Return items as a list in words.

    >>> _listed(["a", "b", "c"])
    'a, b and c'
    """
    *rest, last = items
    return f"{', '.join(rest)} and {last}" if rest else last


def _plain(text):
    """Return a text in which no letter is Markdown's or HTML's."""
    text = re.sub(r"(?<!\w)\*(\w+)\*(?!\w)", r"\1", text)  # stressed words
    return re.sub(r"([\\*_$\[\]|~])", r"\\\1", html.escape(text, quote=False))


def _cell(text):
    return text.replace("|", r"\|")

"""Paths through the course and pages for lecturers: they fit, they need nothing that they leave out, they are whole."""

import re
from pathlib import Path

import matplotlib as mpl
import pytest
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

from mlteach import chapter, paths, plots
from mlteach.classroom.command import _parser
from mlteach.course import ROOT, chapters
from mlteach.exercises import REGISTRY
from mlteach.explore.start_here import plot_paths
from mlteach.publish import book, teaching

NOTEBOOKS = book.read_notebooks()
PLACES = book.targets(NOTEBOOKS)
CITED = teaching.citations(NOTEBOOKS.values())
CHAPTERS = chapters()
NUMBER = {c.slug: c.number for c in CHAPTERS}
WRITTEN = [c for c in CHAPTERS if c.written]
PATHS = paths.paths()
by_slug = pytest.mark.parametrize("c", WRITTEN, ids=lambda c: c.slug)
by_path = pytest.mark.parametrize("path", PATHS, ids=lambda path: path.slug)


def cells(c):
    return NOTEBOOKS[Path(c.notebook).stem]["cells"]


def order(number):
    return [int(part) for part in number.split(".")]


# --- Paths -----------------------------------------------------------------------------------------------------------


def faults(path):
    """Return in words what is wrong with a path."""
    sections = [section for stop in path.stops for section in stop.sections]
    unknown = [s for s in sections if s not in paths.core(order(s)[0])]
    if unknown:
        return [f"{unknown} are no sections of a core"]
    found = [f"{s} stands twice" for s in set(sections) if sections.count(s) > 1]
    for stop in path.stops:
        if not path.least <= paths.minutes(stop) <= path.most:
            found.append(f"{stop.title} has {paths.minutes(stop):.0f} minutes")
    enough = {entry.needs: entry for entry in path.enough}
    for number in dict.fromkeys(order(s)[0] for s in sections):
        alone = enough.get(CHAPTERS[number].slug)
        for need in CHAPTERS[number].needs:
            if not (alone and alone.alone):
                found += lacking(sections, number, need, enough)
    for cited, users in CITED.items():
        for user in users:
            top, mine = (".".join(n.split(".")[:2]) for n in (cited, user))
            if mine in sections and top != mine and order(top) < order(mine):
                if top not in sections[: sections.index(mine)]:
                    found.append(f"{user} cites {cited}, which does not come before it")
    used = {need for s in sections for need in CHAPTERS[order(s)[0]].needs}
    return found + [f"nothing needs {need}" for need in enough if need not in used]


def lacking(sections, number, need, enough):
    """Say what chapter ``number`` lacks of a chapter that it needs: it, more than half of it, or words."""
    begin = next(k for k, s in enumerate(sections) if order(s)[0] == number)
    before = [s for s in sections[:begin] if order(s)[0] == NUMBER[need]]
    whole = paths.core(NUMBER[need])
    if not before:
        return [f"{number} needs {need}, which does not come before it"]
    if sum(whole[s] for s in before) >= sum(whole.values()) / 2:
        return []
    if need not in enough:
        return [f"{number} needs {need}, of which less than half comes before it, and no words say what is enough"]
    section = enough[need].section
    return [] if section in before else [f"{number} is to find {section} of {need} enough, which is not before it"]


@by_path
def test_a_path_has_what_its_chapters_need_and_fits_its_weeks(path):
    assert faults(path) == []
    assert len(path.stops) == {"semester": 14, "supervised": 7, "decisions": 7, "weekend": 4}[path.slug]
    for entry in path.enough:
        assert len(entry.words.split()) >= 8
        assert order(entry.section)[0] == NUMBER[entry.needs]
        assert re.search(rf"\b{NUMBER[entry.needs]:02d}\b", entry.words)


def test_a_weekend_has_ten_hours_with_its_breaks():
    weekend = next(path for path in PATHS if path.slug == "weekend")
    assert 8 * 60 <= sum(map(paths.minutes, weekend.stops)) <= 9 * 60


@by_path
def test_a_broken_path_is_found_out(path):
    first, second, *rest = path.stops
    assert any("does not come before" in fault for fault in faults(path._replace(stops=path.stops[::-1])))
    assert any("less than half" in fault for fault in faults(path._replace(enough=())))
    assert any("minutes" in fault for fault in faults(path._replace(least=149)))
    twice = path._replace(stops=(*path.stops, first))
    assert any("stands twice" in fault for fault in faults(twice))
    depth = path._replace(stops=(first._replace(sections=("5.2.1",)), second, *rest))
    assert faults(depth) == ["['5.2.1'] are no sections of a core"]


def test_minutes_of_a_stop_are_those_of_its_chapters():
    found = dict(chapter.minutes(cells(CHAPTERS[5])))
    stop = paths.Stop("two", ("5.1", "5.4"))
    mine = [m for heading, m in found.items() if heading.startswith(("5.1 ", "5.4 "))]
    assert paths.minutes(stop) == sum(mine) > 10


def test_needs_are_those_of_the_chapters_without_what_others_need_already():
    stops = [("3.1",), ("4.2",), ("5.1",), ("7.1",), ("4.3",)]
    path = PATHS[0]._replace(stops=tuple(paths.Stop("", sections) for sections in stops))
    assert [paths.needs(path, k) for k in range(5)] == [[], [0], [1], [2], [1]]


@pytest.fixture(scope="module")
def path_map():
    """Return the axes of the map, drawn as in the notebook."""
    with mpl.rc_context(plots.STYLE):
        figure, ax = plots.canvas(size=(9.8, 5.8), dpi=110)
        plot_paths(ax=ax)
        figure.canvas.draw()
    return ax


def test_the_map_has_every_stop_and_its_words_stay_in_the_boxes(path_map):
    boxes = [patch.get_window_extent() for patch in path_map.patches if isinstance(patch, FancyBboxPatch)]
    words = [text.get_window_extent() for text in path_map.texts]
    assert len(boxes) == sum(len(path.stops) for path in PATHS)
    for k, word in enumerate(words):
        for box in (box for box in boxes if box.overlaps(word)):
            inside = box.x0 < word.x0 and word.x1 < box.x1 and box.y0 < word.y0 and word.y1 < box.y1
            assert inside, path_map.texts[k]
        assert not any(word.overlaps(other) for other in words[:k]), path_map.texts[k]


def test_arrows_and_numbers_of_the_map_are_the_needs(path_map):
    boxes = [patch.get_bbox().padded(1e-6) for patch in path_map.patches if isinstance(patch, FancyBboxPatch)]
    stops = [(path, k) for path in PATHS for k in range(len(path.stops))]
    drawn = set()
    for arrow in (patch for patch in path_map.patches if isinstance(patch, FancyArrowPatch)):
        ends = arrow._path_original.vertices[[0, -1]]
        begin, end = (next(stops[k] for k, box in enumerate(boxes) if box.contains(*point)) for point in ends)
        drawn.add((begin[0].slug, begin[1], end[0].slug, end[1]))
    for text in path_map.texts:
        if text.get_text().startswith("after"):
            path, k = next(stop for stop, box in zip(stops, boxes) if box.contains(*text.get_position()))
            others = text.get_text().removeprefix("after").split(",")
            drawn |= {(path.slug, int(other) - 1, path.slug, k) for other in others}
    assert drawn == {(path.slug, i, path.slug, k) for path, k in stops for i in paths.needs(path, k)}


# --- Plans -----------------------------------------------------------------------------------------------------------


@by_slug
def test_a_plan_takes_ninety_minutes_and_says_what_it_leaves_out(c):
    skip = teaching.notes()[c.slug]["skip"]
    lecture = teaching.plan(cells(c), skip)
    core = [section.number for section in teaching.core(cells(c))]
    assert sorted([s.number for s in (*lecture.kept, *lecture.left)], key=order) == sorted(core, key=order)
    assert 25 <= lecture.minutes <= 45 if c.number == 0 else 86 <= lecture.minutes <= 92
    rows = [int(n) for n in re.findall(r"^\| (\d+) \|", teaching.plan_table(lecture), re.M)]
    words = teaching.plan_words(lecture, cells(c))
    assert sum(rows) == round(lecture.minutes)
    assert min(rows) >= 1
    assert f"**{sum(rows)} minutes in all**" in words
    for section in teaching._grouped(lecture.left):
        assert teaching.section_link(section.number, section.title) in words
    assert ("No section of the core is left out" in words) == (not lecture.left)


@by_slug
def test_minutes_without_tasks_and_by_subsection_add_up(c):
    whole, parts = chapter.minutes(cells(c)), chapter.minutes(cells(c), level=3)
    assert sum(m for _, m in whole) == pytest.approx(sum(m for _, m in parts))
    assert [h for h, _ in whole] == [h for h, _ in parts if h.partition(" ")[0].count(".") == 1]
    stated = sum(task.minutes for task in teaching.tasks(cells(c)))
    saved = sum(m for _, m in whole) - sum(m for _, m in chapter.minutes(cells(c), tasks=False))
    assert stated < saved < stated + 25  # and the words of the tasks


def test_sections_are_left_out_in_their_order_until_a_lecture_fits():
    text = " ".join(["word"] * 130 * 20)  # twenty minutes
    made = [_text(f"## 5.{k} · Part\n\n**A point holds.**\n\n{text}") for k in range(1, 7)]
    made[1]["source"] += "\n\n**Your turn 5.a** (three minutes). Go."
    lecture = teaching.plan(made, ["5.6", "5.2", "5.1"])
    assert [s.number for s in lecture.kept] == ["5.1", "5.3", "5.4", "5.5"]
    assert [s.number for s in lecture.left] == ["5.6", "5.2"]
    assert lecture.tasks == []  # the only one is in a section that is left out
    assert [t.number for t in teaching.plan(made[:4], []).tasks] == ["5.a"]


def test_who_cites_whom():
    cells = [
        _text("## 5.1 · One\n\n$$a\\tag{5.1}$$ and (5.1)."),
        _text("## 5.2 · Two\n\nBy (5.1)."),
        _text("### 5.2.1 · Part\n\nAs section 5.1 and Figure 5.9 say."),
        _text("### 5.2.2 · Deeper: more\n\nBy (5.1)."),
        _text("## 6.1 · Three\n\nSee 5.2.1."),
    ]
    found = teaching.citations([{"cells": cells}])
    assert found == {"5.1": {"5.2", "5.2.1"}, "5.2.1": {"6.1"}}
    assert teaching.citing("5.2", found) == ["6.1"]
    assert teaching.citing("5.1", found) == ["5.2", "5.2.1"]
    assert teaching.citing("6.1", {"6.1": {"5.2"}}) == []  # which only points ahead


def _text(source):
    return {"cell_type": "markdown", "metadata": {}, "source": source}


# --- Pages -----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def pages():
    return teaching.pages(NOTEBOOKS)


PARTS = ["A plan of 90 minutes", "Questions to the room", "For the lab", "Misconceptions"]
PARTS += ["What students find hard", "What to skip"]


@by_slug
def test_a_page_has_every_part_and_none_is_empty(c, pages):
    head, *rest = re.split(r"^## ", pages[teaching.name(Path(c.notebook).stem)], flags=re.M)
    assert head.startswith(f"# Teaching {c.number:02d} · {c.title}\n")
    parts = dict(part.split("\n", 1) for part in rest)
    assert list(parts) == PARTS
    for title, text in parts.items():
        assert len(text.split()) >= (8 if c.number == 0 else 20), title
    small = 1 if c.number == 0 else 2
    assert len(re.findall(r"^- .*(?:\?|\(b\))", parts["Questions to the room"], re.M)) >= small
    assert len(re.findall(r"^- “", parts["Misconceptions"], re.M)) >= 2 * (c.number > 0)
    assert len(re.findall(r"^- [\d.a-z]+, ", parts["Misconceptions"], re.M)) >= 4


@by_slug
def test_tasks_are_in_the_lecture_or_in_the_lab(c, pages):
    text = pages[teaching.name(Path(c.notebook).stem)]
    core = [task.number for task in teaching.tasks(cells(c))]
    inside = [id for id in chapter.tasks()[c] if not id.split(".")[1].isdigit()]
    assert core == inside
    solved, lab = re.findall(r"task (\d+\.[a-z])\b", text), re.findall(r"^- \*\*([\d.a-z]+)\*\* ", text, re.M)
    assert sorted(solved + lab) == sorted(core)
    larger = re.findall(r"Exercise (\d+\.\d+)</a>", text)
    assert larger == [id for id in chapter.tasks()[c] if id not in inside]
    assert all(REGISTRY[id].title in text for id in larger + lab)


def test_every_link_of_the_pages_leads_to_something(pages):
    names = {f"{name}.html" for name in pages} | {f"{stem}.html" for stem in NOTEBOOKS}
    for name, text in pages.items():
        for target in re.findall(r'href="([^"]+)"', text) + re.findall(r"\]\(([^)]+\.md)\)", text):
            page, _, anchor = target.replace(".md", ".html").partition("#")
            assert page in names, (name, target)
            if anchor:
                kind, *number = anchor.split("-")
                assert PLACES.get((kind, ".".join(number))) == page.removesuffix(".html"), (name, target)


def test_misconceptions_are_quoted_from_the_notebook(pages):
    for c in WRITTEN:
        text = "\n".join(chapter.source(cell) for cell in cells(c))
        for claim, answer, _ in teaching.watches(cells(c)):
            assert f'"{claim}"' in text
            assert not answer.endswith("?"), f"{claim}: the answer is left open"
            assert answer[:-1] in " ".join(re.sub(r"^> ?", "", text, flags=re.M).split())


@by_slug
def test_what_is_hard_is_said_and_what_to_skip_exists(c):
    note = teaching.notes()[c.slug]
    hard = " ".join(note["hard"].split())
    assert 2 <= len(re.findall(r"[.!?](?: |$)", hard)) <= 4
    numbers = re.findall(rf"(?<![\d.])({c.number}\.\d+(?:\.\d+)?)(?!\d)", hard)
    known = {number for kind, number in PLACES if kind in ("eq", "sec", "fig", "ex")}
    assert set(numbers) <= known
    assert set(re.findall(r"\d+\.\d+(?:\.\d+)?", hard)) == set(numbers)  # no decimals: they would be links
    core = [section.number for section in teaching.core(cells(c))]
    assert len(note["skip"]) >= 2 * (c.number > 0)
    for number in note["skip"]:
        assert any(teaching.inside(section, number) for section in core), number


def test_numbers_in_words_are_links():
    found = teaching.linked("In 5.9, as (5.9) says; 5.13.3, but 2.5 percent and 5.99.", PLACES)
    section, formula, part = (f'<a href="05_optimization.html#{id}">' for id in ("sec-5-9", "eq-5-9", "sec-5-13-3"))
    two = '<a href="02_evaluation.html#sec-2-5">2.5</a>'  # so the words must have no decimals
    assert found == f"In {section}5.9</a>, as {formula}(5.9)</a> says; {part}5.13.3</a>, but {two} percent and 5.99."


def test_there_is_one_note_for_each_chapter():
    assert list(teaching.notes()) == [c.slug for c in WRITTEN]


def test_the_lists_lead_to_every_page(pages):
    listed = re.findall(r"^- \[.*\]\((teaching_.*)\.md\)$", pages["teaching"], re.M)
    assert listed == [teaching.name(Path(c.notebook).stem) for c in WRITTEN]
    assert set(pages) == {"teaching", "paths", *listed}
    assert 'href="teaching.html"' in book.index()
    assert 'href="paths.html"' in book.index()
    stem = "05_optimization"
    last = teaching.signed(NOTEBOOKS[stem], stem)["cells"][-1]["source"]
    assert f'href="{teaching.name(stem)}.html"' in last


def test_the_page_of_paths_has_every_section_with_its_minutes(pages):
    text = pages["paths"]
    for path in PATHS:
        mine = text.partition(f"## {path.title}\n")[2].partition("\n## ")[0]
        for k, stop in enumerate(path.stops, 1):
            row = next(line for line in mine.splitlines() if line.startswith(f"| {k} | **{stop.title}**<br>"))
            assert [n for n in re.findall(r">(\d+\.\d+)</a>", row)] == list(stop.sections)
            assert row.endswith(f"| {paths.minutes(stop):.0f} |")
        assert all(entry.words in mine for entry in path.enough)


# --- TEACHING.md -----------------------------------------------------------------------------------------------------


def test_what_teaching_md_names_exists():
    text = (ROOT / "TEACHING.md").read_text(encoding="utf-8")
    made = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in set(re.findall(r"`make (\w+)", text)):
        assert re.search(rf"^{target}:", made, re.M), target
    named = set(re.findall(r"`mlteach (\w+)", text))
    assert named == {"lab", "update", "progress", "grade"}
    for command in named:
        with pytest.raises(SystemExit, match="^0$"):
            _parser().parse_args([command, "--help"])
    for path in re.findall(r"`((?:data|tests)/[\w.]+)`|\]\(([\w./]+)\)", text):
        assert (ROOT / "".join(path)).exists(), path

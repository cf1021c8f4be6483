"""Chapters for print: what stands where, nothing folded, no reference into the void; and one of them on paper."""

import os
import re
import zlib

import numpy as np
import pytest

from mlteach import chapter as reader
from mlteach.course import chapters
from mlteach.publish import book, pdf
from mlteach.publish.browser import find_chromium

WRITTEN = [c for c in chapters() if c.written]
NOTEBOOKS = book.read_notebooks()
PLACES = book.targets(NOTEBOOKS)
LETTERED = re.compile(r"^## [A-D] · (.+)$", re.M)


def fake(name):
    return [(f"{name}-{k}", f"setting {k}") for k in range(3)]


def arranged(c):
    return pdf.arranged(NOTEBOOKS[c.path.stem], c.path.stem, PLACES, fake)


def written(cells):
    """Return all that a reader of the cells gets: text, code and outputs that are text or HTML."""
    texts = []
    for cell in cells:
        if cell["cell_type"] == "markdown" or "remove-input" not in cell["metadata"]["tags"]:
            texts.append(reader.source(cell))
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            texts.append("".join(output.get("text", "") or data.get("text/html") or data.get("text/plain", "")))
    return "\n\n".join(texts)


@pytest.mark.parametrize("c", WRITTEN, ids=lambda c: c.slug)
def test_nothing_is_folded_and_every_reference_leads_somewhere(c):
    text = written(arranged(c))
    assert "<details" not in text
    assert "<summary" not in text
    ids = re.findall(r'\bid="([^"]+)"', text)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([^"]+)"', text)) <= set(ids)
    assert not re.findall(r'href="(?!#|https?:)[^"]*"', text)
    assert not re.findall(r"\]\([^)#\s]*\.(?:ipynb|md|html)", text)


@pytest.mark.parametrize("c", WRITTEN, ids=lambda c: c.slug)
def test_every_label_answer_and_task_is_printed_once(c):
    notebook, cells = NOTEBOOKS[c.path.stem], arranged(c)
    text = written(cells)
    for label in (label for cell in notebook["cells"] for label in reader.cell_labels(cell)):
        if label.kind != "turn":
            assert text.count(f'id="{book.anchor(label.kind, label.number)}"') == 1, label
    source = "".join(map(reader.source, notebook["cells"]))
    answers = [int(n) for n in re.findall(r'id="answer-(\d+)"', text)]
    assert answers == list(range(1, len(answers) + 1))
    assert len(answers) >= source.count("<details>")
    tasks = {reader.task(reader.source(cell)) for cell in notebook["cells"] if not reader.is_text(cell)} - {None}
    assert tasks == {task for task in tasks if text.count(f'id="{pdf._help(task)}"') == 1}


@pytest.mark.parametrize("c", WRITTEN, ids=lambda c: c.slug)
def test_depth_stands_behind_the_core_and_the_core_refers_to_it(c):
    notebook, text = NOTEBOOKS[c.path.stem], written(arranged(c))
    heads = [reader.source(cell) for cell in notebook["cells"] if reader.is_text(cell)]
    deep = [re.match(r"#+ ([\d.]+)", head)[1] for head in heads if reader.is_deeper(head)]
    if deep:
        core, _, depth = text.partition("\n## A · Depth\n")
        for number in deep:
            assert f'id="{book.anchor("sec", number)}"' in depth
            assert f"Deeper, at the end: {number} · " in core


def test_the_end_has_its_parts_in_order():
    titles = LETTERED.findall(written(arranged(next(c for c in WRITTEN if c.slug == "decision_trees"))))
    assert titles == ["Depth", "Answers to predictions", "Hints and solutions", "Answers of the self-test"]


def test_a_task_keeps_its_data_and_nothing_to_fill_in():
    back = pdf.Back()
    cells = pdf.task_cells(
        'import numpy as np\nfrom mlteach.exercises import check\n\ntree = {"a": 1,\n        "b": 2}\n\n\n'
        'def walk(tree): ...\n\n\nmy_a, my_b = [..., ...], ...\n\ncheck("12.a", my_a)',
        back,
    )
    assert [cell["source"] for cell in cells] == ['tree = {"a": 1,\n        "b": 2}', "0"]
    assert "remove-input" in cells[1]["metadata"]["tags"]
    assert back.tasks == [("", "12.a")]


def test_stills_are_as_different_as_they_can_be():
    pictures = [np.zeros(2), np.ones(2), np.full(2, 5.0), np.full(2, 4.5)]
    assert pdf.farthest(pictures, 3) == [0, 2, 1]
    assert pdf.farthest(pictures[:2], 3) == [0, 1]
    assert pdf.farthest(pictures[:1] * 3, 3) == [0]


def test_each_still_has_settings_of_its_own():
    found = pdf.stills("first_fit")
    assert len({words.split(". ")[0] for _, words in found}) == len({address for address, _ in found}) == 3
    assert all(" = " in words for _, words in found)


def test_an_unknown_chapter_and_a_missing_browser_are_named(monkeypatch, tmp_path):
    with pytest.raises(SystemExit, match=r"no chapter 99; name a number such as 05"):
        pdf.main(tmp_path, "99")
    monkeypatch.setattr(pdf, "find_chromium", lambda: None)
    with pytest.raises(SystemExit, match="CHROMIUM=path"):
        pdf.main(tmp_path)


# --- On paper --------------------------------------------------------------------------------------------------------


def contents(data):
    """Return what is drawn on each page of a PDF by Chromium, whose objects stand there in the open."""
    objects = {int(n): body for n, body in re.findall(rb"\n(\d+) 0 obj\n?(.*?)endobj", data, re.S)}
    found = []
    for body in objects.values():
        if re.search(rb"/Type /Page\b", body):
            stream = objects[int(re.search(rb"/Contents (\d+) 0 R", body)[1])]
            found.append(zlib.decompress(re.search(rb"stream\r?\n(.*?)\r?\nendstream", stream, re.S)[1]))
    return found


@pytest.mark.browser
@pytest.mark.xdist_group("pages")
@pytest.mark.skipif(find_chromium() is None and os.environ.get("CI") != "true", reason="NO CHROMIUM FOUND")
def test_a_chapter_on_paper(tmp_path):
    c = WRITTEN[0]
    data = pdf.write(c, tmp_path).read_bytes()
    pages = contents(data)
    assert len(pages) > 5
    for k, page in enumerate(pages[:-1], 1):
        drawn = len(re.findall(rb"\bT[jJ]\b", page)) + 30 * len(re.findall(rb"\bDo\b", page))
        assert drawn > 30, f"page {k} is nearly empty"
    names = [reader.explorer(reader.source(cell)) for cell in NOTEBOOKS[c.path.stem]["cells"] if cell.get("outputs")]
    assert len(re.findall(rb"/Subtype /Image\b", data)) >= 3 * len(list(filter(None, names)))
    assert data.count(b"/Title") > 5  # headings are bookmarks
    text = (tmp_path / "pages" / c.path.stem / f"{c.path.stem}.html").read_text(encoding="utf-8")
    for wanted in (c.title, "Hints and solutions", "Answers of the self-test", "@top-right"):
        assert wanted in text

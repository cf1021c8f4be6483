"""The structure of every notebook, as far as a machine can see it, and the files that belong to a chapter."""

import ast
import contextlib
import csv
import functools
import importlib
import io
import json
import re
import warnings
from pathlib import Path

import pattern
import pytest

from mlteach import chapter as reader
from mlteach import course, exercises, explore, notebooks, renumber, selftest

ROOT = Path(__file__).resolve().parent.parent
WRITTEN = [c for c in course.chapters() if c.written]
CHAPTERS = [c for c in WRITTEN if c.slug != "start_here"]
PARTS = ("A problem worth solving", "When it breaks", "On real data", "Exercises", "Self-test", "In one minute")


@functools.cache
def load(chapter):
    return reader.read(chapter)


def mend(chapter):
    return f"run make notebooks ONLY={chapter.number:02d}"


def rows(kind, chapter):
    path = ROOT / "data" / kind / f"{chapter.slug}.csv"
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


each = pytest.mark.parametrize("chapter", WRITTEN, ids=lambda c: c.slug)
each_full = pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda c: c.slug)


@each
def test_pattern_of_a_chapter(chapter):
    found = pattern.of(load(chapter))
    for fault in found:
        if isinstance(fault, pattern.Warned):
            warnings.warn(f"{chapter.slug}: {fault}", stacklevel=1)
    wrong = [fault for fault in found if not isinstance(fault, pattern.Warned)]
    assert not wrong, "\n".join([f"{len(wrong)} faults", *wrong])


def test_every_notebook_is_a_chapter():
    names = {path.name for path in (ROOT / "notebooks").glob("*.ipynb")}
    assert names == {Path(c.notebook).name for c in WRITTEN}


@each
def test_tasks_and_self_tests_run_alone(chapter):
    """In a fresh kernel a cell reaches its check, and a self-test opens; what follows a check may need the chapter."""
    codes = [reader.source(c) for c in load(chapter).cells if c["cell_type"] == "code"]
    found = [code for code in codes if reader.TASK.search(code) or code.startswith("selftest(")]
    assert len(found) >= 8
    for code in found:
        room = {}
        for statement in ast.parse(code).body:
            text = ast.unparse(statement)
            with contextlib.redirect_stdout(io.StringIO()):
                exec(compile(text, "cell", "exec"), room)
            if text.startswith(("check(", "selftest(")):
                break


@each
def test_committed_in_normal_form(chapter):
    text = (ROOT / chapter.notebook).read_text(encoding="utf-8")
    assert notebooks.to_text(notebooks.normalise(json.loads(text))) == text, mend(chapter)


@each
def test_executed_without_errors_and_small(chapter):
    assert (ROOT / chapter.notebook).stat().st_size < 600_000
    for i, source in load(chapter).codes:
        assert load(chapter).cells[i]["execution_count"] is not None, mend(chapter)
        outputs = load(chapter).outputs(i)
        assert not [o for o in outputs if o["output_type"] == "error" or o.get("name") == "stderr"], source


@each
def test_no_machine_in_the_file(chapter):
    text = (ROOT / chapter.notebook).read_text(encoding="utf-8")
    assert not re.search(r"/(home|root|work|tmp|Users)/|0x[0-9a-f]{8}|https?://", text)


@each
def test_cells_import_first_and_have_no_magic(chapter):
    for _, source in load(chapter).codes:
        assert not re.search(r"^\s*[!%]|sys\.path|pip install", source, flags=re.M)
    assert re.match(r"(#.*\n)?(import|from) ", load(chapter).codes[0][1])


@each
def test_headings_are_numbered_in_order(chapter):
    found = load(chapter).headings()
    assert found[0] == ("#", f"{chapter.number:02d} · {chapter.title}")
    assert [level for level, _ in found].count("#") == 1
    for (level, _), (deeper, name) in zip(found, found[1:]):
        assert len(deeper) <= len(level) + 1, name
    numbers = [name.partition(" · ")[0] for level, name in found if level == "##"]
    assert numbers == [f"{chapter.number}.{k}" for k in range(1, len(numbers) + 1)], mend(chapter)


@each_full
def test_parts_of_a_chapter(chapter):
    names = [name for level, name in load(chapter).headings() if level == "##"]
    where = []
    for part in PARTS:
        hits = [i for i, name in enumerate(names) if name.endswith(part)]
        assert hits, f"no section '{part}'"
        where.append(hits[0])
    assert where == sorted(where)


@each_full
def test_equations_are_numbered_in_order_and_checked(chapter):
    tags = load(chapter).numbers("eq")
    assert tags == [f"{chapter.number}.{k}" for k in range(1, len(tags) + 1)], mend(chapter)
    assert len(tags) >= 10
    checks = sum(reader.calls("confirm", source) for _, source in load(chapter).codes)
    assert checks >= len(tags) / 2, f"{checks} cells check {len(tags)} equations"


@each
def test_pictures_have_captions_numbered_in_order(chapter):
    mine, numbers = load(chapter), []
    for i, source in mine.codes:
        for picture in mine.pictures(i):
            alt = picture["metadata"]["image/png"]["alt"]
            if reader.shows_yours(source):
                assert alt.startswith("Your data: ")
                continue
            name = reader.explorer(source)
            under = explore.REGISTRY[name].caption if name else reader.caption(mine.cells[i + 1])
            assert alt == under, f"{mend(chapter)}\n{source}"
            (label,) = reader.labels(alt, "fig")
            assert len(label.title) >= 30, alt
            numbers.append(label.number)
    assert numbers == [f"{chapter.number}.{k}" for k in range(1, len(numbers) + 1)], mend(chapter)
    assert numbers == mine.numbers("fig"), mend(chapter)


@each
def test_exercises_are_those_of_the_module(chapter):
    prose, code = load(chapter).prose, load(chapter).code
    mine = [e for e in exercises.REGISTRY.values() if e.id.split(".")[0] == str(chapter.number)]
    known = [(e.id, e.title) for e in mine if e.id.split(".")[1].isdigit()]
    assert [(label.number, label.title) for label in reader.labels(prose, "ex")] == known
    lettered = [e.id for e in mine if not e.id.split(".")[1].isdigit()]
    assert reader.numbers(prose, "turn") == lettered
    printed = "".join("".join(o.get("text", "")) for i, _ in load(chapter).codes for o in load(chapter).outputs(i))
    for task in mine:
        assert f'check("{task.id}"' in code
        assert f"{task.id} not attempted yet" in printed, mend(chapter)
    assert len(mine) >= (4 if chapter.number else 1)


@each
def test_every_explorer_is_shown(chapter):
    importlib.import_module(f"mlteach.explore.{chapter.slug}")
    mine = {n for n, make in explore.REGISTRY.items() if make.__module__.endswith(f".{chapter.slug}")}
    assert mine
    assert mine == set(reader.explorers(load(chapter).code)) - {"gallery"}


@each
def test_self_test_is_there(chapter):
    cards = selftest.selftest(chapter.slug)
    assert all(card.question and card.answer for card in cards)
    assert f'selftest("{chapter.slug}")' in load(chapter).code
    assert all(re.fullmatch(r"Q\d+|ours", card.source) for card in cards)


@each_full
def test_curriculum_map_is_true(chapter):
    names = {name for _, name in load(chapter).headings()}
    table = rows("curriculum", chapter)
    assert table
    for row in table:
        assert row["source"] in {"S0", "S1", "S2", "S3", "S4"}
        assert row["section"]
        assert row["topic"]
        assert row["heading"] in names, row
        for name in filter(None, row["name"].split()):
            module, _, attribute = name.rpartition(".")
            thing = importlib.import_module(f"mlteach.{module}")
            assert hasattr(thing, attribute), row


@each_full
def test_errata_name_tests_that_exist(chapter):
    table = rows("errata", chapter)
    assert len({(row["source"], row["id"]) for row in table}) == len(table)
    for row in table:
        assert row["kind"] in {"formula", "statement", "notation"}, row
        assert row["printed"]
        assert row["right"]
        if row["kind"] == "formula":
            assert row["test"], row
        if row["test"]:
            file, name = row["test"].split("::")
            assert re.search(rf"^def {name}\(", (ROOT / file).read_text(encoding="utf-8"), flags=re.M), row


def test_questions_of_the_second_source_appear_once():
    placed = [card.source for c in WRITTEN for card in selftest.selftest(c.slug) if card.source != "ours"]
    assert len(placed) == len(set(placed))
    assert {int(q[1:]) for q in placed} <= set(range(1, 78))


@each
def test_prose_keeps_the_house_style(chapter):
    prose = re.sub(r"\$\$.*?\$\$|\$[^$]*\$|`[^`]*`", "", load(chapter).prose, flags=re.S)
    assert "!" not in prose.replace("![", "[")
    words = ["it is easy to see", "clearly,", "obviously", "optimize", "regularize", "color", "behavior", "neighbor"]
    found = re.findall(r"\b(?:" + "|".join(words) + r")", prose, flags=re.I)
    assert not found, found


@each
def test_no_mark_is_shown_raw(chapter):
    """JupyterLab ends no emphasis inside a word, and a doubled backslash breaks the line of a formula."""
    prose = re.sub(r"\$\$.*?\$\$|`[^`]*`", "", load(chapter).prose, flags=re.S)
    broken = [formula for formula in re.findall(r"\$([^$]*)\$", prose) if re.search(r"\\\\[a-zA-Z]", formula)]
    assert [formula for formula in broken if "\\begin" not in formula] == []
    assert re.findall(r"\*\*[^*\n]*\*[^*\n]+\*\w[^*\n]*\*\*", re.sub(r"\$[^$]*\$", "", prose)) == []


@each
def test_links_lead_somewhere(chapter):
    for target in re.findall(r"\]\(([^)#]+\.ipynb)\)", load(chapter).prose):
        assert (ROOT / "notebooks" / target).exists(), target


def test_readme_index_is_true():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert course.index() in readme, "run make notebooks ONLY=00"


@each
def test_every_number_in_the_files_of_a_chapter_has_its_label(chapter):
    """Equations, figures, sections and tasks that the chapter, its code, its cards and its tests name are there."""
    rewrite = renumber.Rewriter(chapter.number, renumber.counted(load(chapter)))
    for path, slug in renumber.files():
        if slug == chapter.slug:
            assert renumber.rewritten(path, True, rewrite) == path.read_text(encoding="utf-8"), mend(chapter)
    assert not rewrite.complaints, "\n".join(rewrite.complaints)

"""A student's copy: nothing of theirs is lost or altered, whatever they did and wherever an update was cut off."""

import copy
import json
import multiprocessing
import os
import random
import sys
import zlib

import nbformat
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure

from mlteach import record
from mlteach.chapter import tasks
from mlteach.classroom import command, copies, grade, merge, progress
from mlteach.exercises import check
from mlteach.explore.start_here import plot_progress


def cell(source, kind="code", **more):
    extra = {"outputs": [], "execution_count": None} if kind == "code" else {}
    name = f"id-{zlib.crc32(source.encode())}"
    return {"cell_type": kind, "id": name, "metadata": {}, "source": source, **extra, **more}


def notebook(cells):
    return {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}


def sources(cells):
    return [merge.text(c) for c in cells]


BASE = [
    cell("# 05 · Walking downhill", "markdown"),
    cell("A step goes against the slope.", "markdown"),
    cell("eta = 0.1\nx = 3.0\nprint(x)"),
    cell('my_step = ...\ncheck("5.a", my_step)'),
    cell("Where does it end?", "markdown"),
    cell('def walk(x):\n    ...\n\ncheck("5.b", walk)'),
    cell("The end.", "markdown"),
]


def changed(base, **new):
    """Return a copy with the cells at the places k1, k2, ... replaced; None takes one away."""
    places = {int(k[1:]): text for k, text in new.items()}
    cells = [cell(places.get(k, merge.text(c)) or "", c["cell_type"]) if k in places else c for k, c in enumerate(base)]
    return [c for k, c in enumerate(cells) if places.get(k, "") is not None]


# --- Merging, case by case --------------------------------------------------------------------------------------------


def test_what_was_not_touched_is_corrected_and_what_was_stays():
    mine = copy.deepcopy(BASE)
    mine[3]["source"] = 'my_step = -0.6\ncheck("5.a", my_step)'
    new = changed(BASE, k1="A step goes against the gradient.", k2="eta = 0.2\nx = 3.0\nprint(x)")
    cells, counts = merge.merge(BASE, mine, new)
    assert sources(cells) == [*sources(new)[:3], 'my_step = -0.6\ncheck("5.a", my_step)', *sources(new)[4:]]
    assert counts["corrected"] == 2


def test_what_both_changed_stays_and_the_new_one_follows_as_text():
    mine = copy.deepcopy(BASE)
    mine[5]["source"] = 'def walk(x):\n    return x - 1\n\ncheck("5.b", walk)'
    new = changed(BASE, k5='def walk(x, eta):\n    ...\n\ncheck("5.b", walk)')
    cells, counts = merge.merge(BASE, mine, new)
    assert merge.text(cells[5]) == merge.text(mine[5])
    assert cells[6]["cell_type"] == "markdown"
    assert merge.text(new[5]) in cells[6]["source"]
    assert counts["beside"] == 1
    assert len(cells) == len(BASE) + 1


def test_a_task_is_paired_by_its_number_though_all_its_words_are_new():
    mine = copy.deepcopy(BASE)
    mine[3] = cell('check("5.a", -0.6)', id=mine[3]["id"])
    new = changed(BASE, k3='answer_of_mine_in_other_words = None\ncheck("5.a", answer_of_mine_in_other_words)')
    cells, _ = merge.merge(BASE, mine, new)
    assert sources(cells)[3] == 'check("5.a", -0.6)'
    assert sources(cells)[4].startswith(merge.NOTICE)


def test_new_cells_come_in_and_removed_ones_go_but_not_those_of_the_student():
    mine = copy.deepcopy(BASE)
    mine.insert(3, cell("plot(x)  # mine"))
    mine[5]["source"] = "Where does it end? In the valley."  # touched, and the course removes it
    new = [*changed(BASE, k2=None, k4=None)[:2], cell("A new paragraph.", "markdown"), *BASE[3:4], *BASE[5:]]
    cells, counts = merge.merge(BASE, mine, new)
    found = sources(cells)
    assert "eta = 0.1\nx = 3.0\nprint(x)" not in found
    assert "Where does it end? In the valley." in found
    assert found.index("plot(x)  # mine") == 2  # behind what stood before the cell that went
    assert (counts["added"], counts["removed"]) == (1, 1)


def test_outputs_of_the_student_stay_and_pictures_nobody_ran_are_renewed():
    ran = {"output_type": "stream", "name": "stdout", "text": "3.0\n"}
    base = [{**c, "outputs": [ran]} if c["cell_type"] == "code" else c for c in copy.deepcopy(BASE)]
    new = copy.deepcopy(base)
    new[2]["outputs"] = [{**ran, "text": "3.00\n"}]
    untouched, own = copy.deepcopy(base), copy.deepcopy(base)
    untouched[2]["outputs"] = [{**ran, "text": ["3.0\n"]}]  # as another program writes the same
    own[2]["outputs"] = [{**ran, "text": "7.0\n"}]
    assert merge.merge(base, untouched, new).cells[2]["outputs"] == new[2]["outputs"]
    assert merge.merge(base, own, new).cells[2]["outputs"] == own[2]["outputs"]


def test_the_order_is_the_students_if_they_have_changed_it():
    mine = [BASE[4], *BASE[:4], *BASE[5:]]
    new = [*BASE[:4], cell("New, behind the task.", "markdown"), *BASE[4:]]
    cells, _ = merge.merge(BASE, mine, new)
    assert sources(cells)[0] == "Where does it end?"
    assert sources(cells)[5] == "New, behind the task."


def test_a_cell_that_was_removed_stays_removed():
    mine = [c for k, c in enumerate(BASE) if k != 1]
    cells, counts = merge.merge(BASE, mine, changed(BASE, k1="A step goes against the slope, always."))
    assert sources(cells) == sources(mine)
    assert counts["left out"] == 1


def test_other_line_ends_are_no_change_and_cells_without_an_id_get_one():
    mine = [{key: value for key, value in c.items() if key != "id"} for c in copy.deepcopy(BASE)]
    for c in mine:
        c["source"] = c["source"].replace("\n", "\r\n")
    mine.insert(2, {"cell_type": "markdown", "metadata": {}, "source": "half a smile: \ud83d"})
    new = changed(BASE, k2="eta = 0.2\nx = 3.0\nprint(x)")
    cells, counts = merge.merge(BASE, mine, new)
    assert counts["corrected"] == 1
    assert counts["beside"] == 0
    assert cells[2]["source"] == "half a smile: \ud83d"
    assert len({c["id"] for c in cells}) == len(BASE) + 1


def test_a_corrected_cell_is_found_by_its_words():
    new = changed(BASE, k1="A step goes against the slope, and the slope alone.", k6="The very end.")
    assert merge.pairs(BASE, new) == {k: k for k in range(7)}


# --- Merging, at random -----------------------------------------------------------------------------------------------


def edited(cells, rng):
    """Return what a student may have made of cells, and the cells that hold words of their own."""
    mine, own = copy.deepcopy(cells), []
    for c in mine:
        if rng.random() < 0.3:
            c["source"] = f"{merge.text(c)}\nown {rng.random()}"
            own.append(c)
        if c["cell_type"] == "code" and rng.random() < 0.3:
            c["outputs"] = [{"output_type": "stream", "name": "stdout", "text": f"{rng.random()}\n"}]
    for _ in range(rng.randrange(4)):
        kind = rng.choice(["cut", "own", "move", "split", "double"])
        k = rng.randrange(len(mine)) if mine else None
        if kind == "own" or k is None:
            own.append(cell(f"own {rng.random()}", rng.choice(["code", "markdown"])))
            mine.insert(rng.randint(0, len(mine)), own[-1])
        elif kind == "cut" and mine[k] not in own:
            del mine[k]
        elif kind == "move":
            mine.insert(rng.randrange(len(mine)), mine.pop(k))
        elif kind == "split" and "\n" in merge.text(mine[k]):
            head, _, tail = merge.text(mine[k]).partition("\n")
            mine[k]["source"] = f"{head} own {rng.random()}"
            own.append(mine[k])
            own.append(cell(f"{tail}\nown {rng.random()}", mine[k]["cell_type"]))
            mine.insert(k + 1, own[-1])
        elif kind == "double":
            mine.insert(k, {**copy.deepcopy(mine[k]), "id": f"copy-{rng.random()}"[:20].replace(".", "")})
    return mine, [c for c in own if any(c is m for m in mine)]


def released(cells, rng):
    """Return what the course may have made of its cells in a new version."""
    new = copy.deepcopy(cells)
    for c in new:
        if rng.random() < 0.3:
            c["source"] = f"{merge.text(c)}\ncorrected {rng.random()}"
            c["id"] = rng.choice([c["id"], f"new-{rng.random()}"[:20].replace(".", "")])
    for _ in range(rng.randrange(4)):
        if new and rng.random() < 0.5:
            del new[rng.randrange(len(new))]
        else:
            new.insert(rng.randint(0, len(new)), cell(f"news {rng.random()}", rng.choice(["code", "markdown"])))
    return new


def check_merge(seed):
    rng = random.Random(seed)
    mine, own = edited(BASE, rng)
    new = released(BASE, rng)
    before = json.dumps([BASE, mine, new])
    cells, counts = merge.merge(BASE, mine, new)
    assert json.dumps([BASE, mine, new]) == before  # nothing is changed in place
    nbformat.validate(nbformat.from_dict(notebook(cells)))
    # 1. Every word of the student's is there, once and as it was
    for c in own:
        assert sum(merge.same(c, other) for other in cells) >= 1
    # 2. Every change of the course has come in, as a cell or as text, but for what the student had removed
    quoted = [merge.text(c) for c in cells if merge.text(c).startswith(merge.NOTICE)]
    old = sources(BASE)
    arrived = 0
    for c in new:
        if merge.text(c) not in old:
            arrived += any(merge.same(c, other) for other in cells) or any(merge.text(c) in text for text in quoted)
    assert arrived + counts["left out"] >= sum(merge.text(c) not in old for c in new)
    # 3. Once more changes nothing, from the new version on or after an update that was cut off
    assert sources(merge.merge(new, cells, new).cells) == sources(cells)
    again = merge.merge(BASE, cells, new).cells
    assert all(any(merge.same(c, other) for other in again) for c in own)
    assert {text for text in sources(cells) if text not in old} == {text for text in sources(again) if text not in old}


@given(st.integers(0, 2**32))
@settings(max_examples=150, deadline=None)
def test_whatever_both_did_nothing_is_lost(seed):
    check_merge(seed)


@pytest.mark.slow
@given(st.integers(0, 2**32))
@settings(max_examples=1000, deadline=None)
def test_whatever_both_did_nothing_is_lost_a_thousand_times(seed):
    check_merge(seed)


# --- A copy and its updates -------------------------------------------------------------------------------------------


@pytest.fixture
def course(tmp_path):
    """Return a function that writes a version of a small course and returns its folder."""

    def write(number, **chapters):
        folder = tmp_path / f"course-{number}"
        folder.mkdir()
        for name, cells in chapters.items():
            (folder / f"{name[1:]}.ipynb").write_text(json.dumps(notebook(cells)), encoding="utf-8")
        return folder

    return write


@pytest.fixture(autouse=True)
def no_server(monkeypatch):
    monkeypatch.setattr("jupyter_server.serverapp.list_running_servers", lambda: [])


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))["cells"]


def answer(path, k=3, text='my_step = -0.6\ncheck("5.a", my_step)'):
    document = json.loads(path.read_text(encoding="utf-8"))
    document["cells"][k]["source"] = text
    path.write_text(json.dumps(document), encoding="utf-8")


@pytest.fixture
def versions(course):
    """Return two versions of a course of three chapters."""
    one = course(1, c05_walk=BASE, c06_same=BASE[:2], c07_plain=BASE[:3])
    walk = changed(BASE, k1="A step goes against the corrected slope.")
    two = course(2, c05_walk=walk, c06_same=BASE[:2], c07_plain=BASE[1:3], c08_more=BASE)
    return one, two


def test_a_copy_is_made_once_and_never_over_something_else(versions, tmp_path):
    copies.make(tmp_path / "mine", versions[0])
    assert copies.is_copy(tmp_path / "mine")
    assert sorted(p.name for p in (tmp_path / "mine").glob("*.ipynb")) == [
        "05_walk.ipynb",
        "06_same.ipynb",
        "07_plain.ipynb",
    ]
    with pytest.raises(copies.Trouble, match="is there already"):
        copies.make(tmp_path / "mine", versions[0])
    with pytest.raises(copies.Trouble, match="no notebooks of the course"):
        copies.make(tmp_path / "other", tmp_path)
    assert not (tmp_path / "other").exists()


def test_a_copy_in_the_empty_folder_where_one_stands(versions, tmp_path, monkeypatch):
    (tmp_path / "here").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "here")
    monkeypatch.chdir(tmp_path / "link")
    copies.make(".", versions[0])
    assert len(list(copies.Path.cwd().glob("*.ipynb"))) == 3
    assert copies.is_copy(tmp_path / "link")


def test_an_update_brings_corrections_and_can_be_taken_back(versions, tmp_path):
    mine = tmp_path / "mine"
    copies.make(mine, versions[0])
    answer(mine / "05_walk.ipynb")
    (mine / "notes.txt").write_text("my own")
    before = {p.name: p.read_bytes() for p in mine.glob("*.*") if p.is_file()}
    lines = {line.notebook: line.words for line in copies.update(mine, versions[1])}
    assert lines == {"05_walk.ipynb": "1 cell corrected", "07_plain.ipynb": "corrected", "08_more.ipynb": "new"}
    assert sources(read(mine / "05_walk.ipynb"))[1] == "A step goes against the corrected slope."
    assert sources(read(mine / "05_walk.ipynb"))[3].startswith("my_step = -0.6")
    assert copies.update(mine, versions[1]) == []
    answer(mine / "07_plain.ipynb", 0, "Written after the update.")
    lines = copies.undo(mine)
    assert {p.name: p.read_bytes() for p in mine.glob("*.*") if p.is_file() and "kept" not in p.name} == before
    (kept,) = mine.glob("07_plain (kept *).ipynb")
    assert sources(read(kept))[0] == "Written after the update."
    assert kept.name in " ".join(line.words for line in lines)
    assert copies.update(mine, versions[1]) != []
    copies.undo(mine)
    with pytest.raises(copies.Trouble, match="no update"):
        copies.undo(mine)


def test_two_versions_behind(versions, course, tmp_path):
    copies.make(tmp_path / "mine", versions[0])
    answer(tmp_path / "mine" / "05_walk.ipynb")
    three = course(3, c05_walk=changed(BASE, k1="A step goes against a slope.", k4="Where?"), c08_more=BASE)
    copies.update(tmp_path / "mine", three)
    found = sources(read(tmp_path / "mine" / "05_walk.ipynb"))
    assert [found[1], found[4]] == ["A step goes against a slope.", "Where?"]
    assert (tmp_path / "mine" / "06_same.ipynb").exists()  # no longer part of the course: the student's now


def test_what_cannot_be_read_or_written_is_left_alone_and_said(versions, tmp_path, monkeypatch):
    mine = tmp_path / "mine"
    odd = json.dumps(notebook([{**BASE[0], "id": [1]}]))
    contents = {"{ half a note": "no notebook that can be read", "[" * 100_000: "no notebook that can be read"}
    for content, words in (contents | {'{"cells": 3}': "nbformat 4", odd: "nbformat 4"}).items():
        copies.make(mine, versions[0])
        whole = (mine / "05_walk.ipynb").read_bytes()
        (mine / "05_walk.ipynb").write_text(content)
        lines = {line.notebook: line.words for line in copies.update(mine, versions[1])}
        assert words in lines["05_walk.ipynb"]
        assert (mine / "05_walk.ipynb").read_text() == content
        (mine / "05_walk.ipynb").write_bytes(whole)  # mended: now its corrections arrive
        assert copies.update(mine, versions[1]) == [copies.Line("05_walk.ipynb", "corrected")]
        assert copies.update(mine, versions[1]) == []
        copies.shutil.rmtree(mine)
    copies.make(mine, versions[0])
    answer(mine / "05_walk.ipynb")
    before = (mine / "05_walk.ipynb").read_bytes()
    monkeypatch.setattr(copies.os, "access", lambda path, how: "05_walk" not in str(path))
    lines = {line.notebook: line.words for line in copies.update(mine, versions[1])}
    assert "may not be written" in lines["05_walk.ipynb"]
    assert (mine / "05_walk.ipynb").read_bytes() == before
    backups = set((mine / ".mlteach").glob("backup-*.zip"))
    monkeypatch.setattr(copies, "_replace", lambda *where: os.open(tmp_path / "no" / "folder", os.O_RDONLY))
    monkeypatch.setattr(copies.os, "access", lambda path, how: True)
    assert "cannot be written" in copies.update(mine, versions[1])[0].words
    assert set((mine / ".mlteach").glob("backup-*.zip")) == backups  # the last update is still the one that wrote


def test_what_nests_too_deeply_for_us_is_left_alone(versions, tmp_path, monkeypatch):
    mine = tmp_path / "mine"
    copies.make(mine, versions[0])
    answer(mine / "05_walk.ipynb")
    seen, deep = merge.seen, {**BASE[2], "outputs": [[]]}
    for _ in range(sys.getrecursionlimit()):
        deep["outputs"] = [deep["outputs"]]
    monkeypatch.setattr(merge, "seen", lambda cell: seen(deep if merge.same(cell, BASE[2]) else cell))
    before = (mine / "05_walk.ipynb").read_bytes()
    monkeypatch.setattr(copies, "_base", lambda files: {name: {"sha": copies._sha(c)} for name, c in files.items()})
    lines = {line.notebook: line.words for line in copies.update(mine, versions[1])}
    assert lines["05_walk.ipynb"] == "left alone: something in it nests too deeply"
    assert lines["07_plain.ipynb"] == "corrected"
    assert (mine / "05_walk.ipynb").read_bytes() == before


def test_what_is_no_file_of_its_own_is_left_alone(versions, tmp_path):
    mine = tmp_path / "mine"
    copies.make(mine, versions[0])
    (mine / "05_walk.ipynb").rename(tmp_path / "elsewhere.ipynb")
    (mine / "05_walk.ipynb").symlink_to(tmp_path / "elsewhere.ipynb")
    (mine / "07_plain.ipynb").unlink()
    (mine / "07_plain.ipynb").mkdir()
    (mine / "08_more.ipynb").symlink_to(tmp_path / "nowhere")
    before = (tmp_path / "elsewhere.ipynb").read_bytes()
    lines = copies.update(mine, versions[1])
    assert [line.words for line in lines] == ["left alone: it is no file of its own"] * 3
    assert (tmp_path / "elsewhere.ipynb").read_bytes() == before
    assert (mine / "05_walk.ipynb").is_symlink()
    assert (mine / "08_more.ipynb").is_symlink()


def test_what_is_saved_while_an_update_runs_stays(versions, tmp_path, monkeypatch):
    mine = tmp_path / "mine"
    copies.make(mine, versions[0])
    back_up = copies._back_up
    monkeypatch.setattr(copies, "_back_up", lambda *where: (back_up(*where), answer(mine / "05_walk.ipynb")))
    lines = {line.notebook: line.words for line in copies.update(mine, versions[1])}
    assert "somebody has just written it" in lines["05_walk.ipynb"]
    assert sources(read(mine / "05_walk.ipynb"))[3].startswith("my_step = -0.6")
    monkeypatch.undo()
    monkeypatch.setattr("jupyter_server.serverapp.list_running_servers", lambda: [])
    assert copies.update(mine, versions[1]) == [copies.Line("05_walk.ipynb", "1 cell corrected")]
    assert sources(read(mine / "05_walk.ipynb"))[3].startswith("my_step = -0.6")


def test_a_full_disk_costs_nothing(versions, tmp_path, monkeypatch, capsys):
    mine = tmp_path / "mine"
    copies.make(mine, versions[0])
    answer(mine / "05_walk.ipynb")
    before, room, fsync = {path: path.read_bytes() for path in mine.glob("*.ipynb")}, [0], os.fsync

    def full(file):
        if not room[0]:
            raise OSError(28, "No space left on device")
        room[0] -= 1
        fsync(file)

    monkeypatch.setattr(copies.os, "fsync", full)
    monkeypatch.setattr(copies.update, "__defaults__", (versions[1],))
    for room[0] in range(3):
        assert command.main(["update", str(mine)]) == 1
        assert "No space left" in capsys.readouterr().err
        assert not list(mine.rglob("*.part"))
        assert sources(read(mine / "05_walk.ipynb"))[3].startswith("my_step = -0.6")
    monkeypatch.setattr(copies.os, "fsync", fsync)
    assert command.main(["update", str(mine)]) == 0
    assert sources(read(mine / "05_walk.ipynb"))[1] == "A step goes against the corrected slope."
    for _ in list((mine / ".mlteach").glob("backup-*.zip")):
        assert command.main(["update", str(mine), "--undo"]) == 0
    assert {path: path.read_bytes() for path in mine.glob("*.ipynb")} == before


@pytest.mark.parametrize("year", [1970, 2026])
def test_a_clock_that_is_wrong_or_put_back(year, versions, course, tmp_path, monkeypatch):
    mine, three = tmp_path / "mine", course(3, c05_walk=changed(BASE, k1="Third."))
    copies.make(mine, versions[0])
    os.utime(mine / "05_walk.ipynb", (0, 0))
    seen = []
    for hour, version in enumerate((versions[1], three)):
        stamp = f"{year}-10-25-02{30 - hour:02d}00-000000"
        monkeypatch.setattr(copies, "_stamp", lambda stamp=stamp: stamp)
        monkeypatch.setattr(copies.time, "time", lambda: 5.0)
        seen.append({path.name: path.read_bytes() for path in mine.glob("*.ipynb")})
        copies.update(mine, version)
    for before in reversed(seen):
        copies.undo(mine)
        assert {path.name: path.read_bytes() for path in mine.glob("*.ipynb")} == before


def test_what_is_damaged_is_said(versions, tmp_path, monkeypatch, capsys):
    mine = tmp_path / "mine"
    copies.make(mine, versions[0])
    copies.update(mine, versions[1])
    (backup,) = (mine / ".mlteach").glob("backup-*.zip")
    backup.write_bytes(b"PK")
    assert command.main(["update", str(mine), "--undo"]) == 1
    assert "is damaged" in capsys.readouterr().err
    copies.update(mine, versions[0])
    assert len(list((mine / ".mlteach").glob("backup-*.zip"))) == 2
    (mine / ".mlteach" / "state.json").write_text("")
    assert command.main(["update", str(mine)]) == 1
    assert "missing or damaged" in capsys.readouterr().err


@pytest.mark.parametrize("ids", [True, False])
def test_a_renamed_notebook_gets_its_corrections(ids, versions, tmp_path):
    mine = tmp_path / "mine"
    copies.make(mine, versions[0])
    answer(mine / "05_walk.ipynb")
    if not ids:  # a program of another day has taken them out
        cells = [{key: value for key, value in c.items() if key != "id"} for c in read(mine / "05_walk.ipynb")]
        (mine / "05_walk.ipynb").write_text(json.dumps(notebook(cells)))
    (mine / "05_walk.ipynb").rename(mine / "my walk.ipynb")
    (mine / "notes.ipynb").write_text(json.dumps(notebook([cell("my own"), copy.deepcopy(BASE[1])])))
    before = {path.name: path.read_bytes() for path in mine.glob("*.ipynb")}
    lines = {line.notebook: line.words for line in copies.update(mine, versions[1])}
    assert lines["my walk.ipynb"] == "1 cell corrected (of 05_walk.ipynb)"
    found = sources(read(mine / "my walk.ipynb"))
    assert found[1] == "A step goes against the corrected slope."
    assert found[3].startswith("my_step = -0.6")
    assert not (mine / "05_walk.ipynb").exists()
    assert (mine / "notes.ipynb").read_bytes() == before["notes.ipynb"]
    assert copies.update(mine, versions[1]) == []
    copies.undo(mine)
    assert {path.name: path.read_bytes() for path in mine.glob("*.ipynb")} == before


def test_of_several_that_could_be_a_renamed_notebook_none_is_touched(versions, tmp_path):
    mine = tmp_path / "mine"
    both = notebook(copy.deepcopy(BASE) + [cell("of two chapters")])
    for files in ({"one": 1, "two": 1}, {"both": both}, {"half": "{ half a note"}):
        copies.make(mine, versions[0])
        whole = json.loads((mine / "05_walk.ipynb").read_text())
        for name, content in files.items():
            text = content if isinstance(content, str) else json.dumps(whole if content == 1 else content)
            (mine / f"{name}.ipynb").write_text(text)
        (mine / "05_walk.ipynb").unlink()
        if "both" in files:
            (mine / "07_plain.ipynb").unlink()
        before = {name: (mine / f"{name}.ipynb").read_bytes() for name in files}
        lines = {line.notebook: line.words for line in copies.update(mine, versions[1])}
        assert lines["05_walk.ipynb"] == "was not there any more: written again"
        assert {name: (mine / f"{name}.ipynb").read_bytes() for name in files} == before
        copies.shutil.rmtree(mine)


class Killed(BaseException):
    """The machine goes off."""


@pytest.mark.parametrize("at", range(8))
def test_killed_at_any_write_an_update_is_done_again(versions, tmp_path, monkeypatch, at):
    mine = tmp_path / "mine"
    copies.make(mine, versions[0])
    answer(mine / "05_walk.ipynb")
    replace, count = os.replace, iter(range(100))

    def killed(*places):
        if next(count) == at:
            raise Killed
        return replace(*places)

    monkeypatch.setattr(copies.os, "replace", killed)
    try:
        copies.update(mine, versions[1])
        assert at >= 6  # backup, three notebooks, base and state
    except Killed:
        for path in mine.glob("*.ipynb"):
            nbformat.validate(nbformat.read(path, as_version=4))  # nothing is half written
    monkeypatch.setattr(copies.os, "replace", replace)
    copies.update(mine, versions[1])
    found = sources(read(mine / "05_walk.ipynb"))
    assert found[1] == "A step goes against the corrected slope."
    assert found[3].startswith("my_step = -0.6")
    assert len(found) == len(BASE)
    assert copies.update(mine, versions[1]) == []


def test_no_update_under_an_open_tab_or_beside_another(versions, tmp_path, monkeypatch):
    mine = tmp_path / "mine"
    copies.make(mine, versions[0])
    (mine / ".mlteach" / "lock").touch()
    with pytest.raises(copies.Trouble, match="another update"):
        copies.update(mine, versions[1])
    os.utime(mine / ".mlteach" / "lock", (0, 0))  # of an update that was cut off long ago
    for root in (mine, tmp_path):
        monkeypatch.setattr(
            "jupyter_server.serverapp.list_running_servers", lambda root=root: [{"root_dir": str(root)}]
        )
        with pytest.raises(copies.Trouble, match="JupyterLab is running"):
            copies.update(mine, versions[1])
    elsewhere, crashed = {"root_dir": str(versions[0])}, {"root_dir": str(mine), "pid": 1}
    monkeypatch.setattr("jupyter_server.serverapp.list_running_servers", lambda: [elsewhere, crashed])
    monkeypatch.setattr(copies.os, "getuid", lambda: 12345, raising=False)  # the first process is not ours
    assert copies.update(mine, versions[1]) != []
    with pytest.raises(copies.Trouble, match="holds no copy"):
        copies.update(tmp_path, versions[1])


def test_old_backups_and_bases_go(versions, course, tmp_path):
    mine = tmp_path / "mine"
    copies.make(mine, versions[0])
    for k in range(3, 11):
        copies.update(mine, course(k, c05_walk=changed(BASE, k1=f"Version {k}.")))
    assert len(list((mine / ".mlteach").glob("backup-*.zip"))) == copies.BACKUPS
    assert len(list((mine / ".mlteach").glob("base-*.json"))) == copies.BACKUPS + 1


# --- What checks remember ---------------------------------------------------------------------------------------------


def test_checks_remember_where_there_is_a_copy(tmp_path, monkeypatch, capsys):
    monkeypatch.delenv("MLTEACH_RECORD", raising=False)
    monkeypatch.chdir(tmp_path)
    check("5.a", ...)
    assert record.place() is None
    (tmp_path / ".mlteach").mkdir()
    (tmp_path / "own").mkdir()
    monkeypatch.chdir(tmp_path / "own")
    check("5.a", ...)
    assert record.read(record.place()) == {}  # nothing was attempted
    for answer in (99.0, "nonsense", 98.0):
        check("05.A", answer)
    done = record.read(tmp_path / ".mlteach" / "record.jsonl")
    assert [(id, t.solved, t.attempts) for id, t in done.items()] == [("5.a", False, 3)]
    monkeypatch.setenv("MLTEACH_RECORD", "0")
    assert record.place() is None
    capsys.readouterr()


def test_attempts_are_counted_up_to_the_first_that_solves(tmp_path, monkeypatch):
    path = tmp_path / "record.jsonl"
    monkeypatch.setenv("MLTEACH_RECORD", str(path))
    for task, ok in (("5.a", False), ("5.b", True), ("5.a", True), ("5.a", False), ("5.a", True)):
        record.note(task, ok)
    with open(path, "a") as file:
        file.write('\n[]\n{"ok": true}\n{"task": ["5.a"], "ok": 1, "when": 2}\n{"task": "5.c", "o')  # cut off
    monkeypatch.setenv("MLTEACH_RECORD", str(path))
    record.note("5.d", True)
    done = record.read(path)
    found = {id: t[:2] for id, t in done.items() if "[" not in id}
    assert found == {"5.a": (True, 2), "5.b": (True, 1), "5.d": (True, 1)}
    assert record.read(tmp_path / "none") == record.read(tmp_path) == {}


def test_a_check_answers_where_nothing_can_be_remembered(tmp_path, monkeypatch, capsys):
    monkeypatch.delenv("MLTEACH_RECORD", raising=False)
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    check("5.a", 99.0)
    monkeypatch.setenv("MLTEACH_RECORD", str(tmp_path))
    check("5.a", 99.0)
    assert capsys.readouterr().out.count("5.a") >= 2


def _write_many(path, name):
    os.environ["MLTEACH_RECORD"] = str(path)
    for k in range(200):
        record.note(f"{name}.{k}", True)


def test_two_kernels_do_not_disturb_one_another(tmp_path):
    path = tmp_path / "record.jsonl"
    context = multiprocessing.get_context("spawn")
    both = [context.Process(target=_write_many, args=(path, name)) for name in (1, 2)]
    for process in both:
        process.start()
    for process in both:
        process.join(60)
    assert len(record.read(path)) == 400


def test_progress_as_a_picture(tmp_path, monkeypatch):
    monkeypatch.setenv("MLTEACH_RECORD", str(tmp_path / "record.jsonl"))
    record.note("5.a", True)
    record.note("5.b", False)
    axes = plot_progress(record.solved(), ax=Figure().add_subplot())
    assert axes.get_title() == f"1 of {sum(map(len, tasks().values()))} tasks solved"
    filled = [p for p in axes.collections if len(p.get_offsets()) and p.get_facecolor()[0][0] < 0.5]
    assert [len(p.get_offsets()) for p in filled] == [1]


def test_progress_by_chapter_and_what_is_handed_in():
    done = {"5.a": record.Task(True, 3, "2026-01-02T10:00:00"), "5.b": record.Task(False, 1, "2026-01-02T10:05:00")}
    lines = progress.table(done).splitlines()
    (line,) = (line for line in lines if line.startswith("05"))
    assert " 1 of 12" in line
    assert line.endswith("tried: 5.b")
    assert lines[-1].split()[0] == "1"
    assert json.loads(progress.export(done))["tasks"]["5.a"] == {
        "solved": True,
        "attempts": 3,
        "when": "2026-01-02T10:00:00",
    }


# --- The command, and a lecturer's table ------------------------------------------------------------------------------


def test_the_command(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert command.main(["progress"]) == 1
    assert "there is no copy of the course here" in capsys.readouterr().err
    assert command.main(["lab", "mine", "--only-copy"]) == 0
    assert (tmp_path / "mine" / "00_start_here.ipynb").is_file()
    monkeypatch.chdir(tmp_path / "mine")
    assert command.main(["update"]) == 0
    assert "up to date" in capsys.readouterr().out
    assert command.main(["progress", "--off"]) == 0
    monkeypatch.delenv("MLTEACH_RECORD", raising=False)
    assert record.place() is None
    assert command.main(["progress", "--on"]) == 0
    record.note("5.a", True)
    assert command.main(["progress", "--export", "mine.json"]) == 0
    assert json.loads((tmp_path / "mine" / "mine.json").read_text())["tasks"]["5.a"]["solved"]
    capsys.readouterr()
    assert command.main(["progress"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].strip().startswith("1 of ")
    assert command.main(["update", str(tmp_path)]) == 1
    assert command.main(["grade", str(tmp_path / "nowhere")]) == 1


class Server:
    """JupyterLab that is asked to end twice, and ends."""

    begun = []

    def __init__(self, command, env):
        self.words, self.asked = command, 0
        Server.begun.append(self)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        assert error == (None, None, None)

    def poll(self):
        return 0 if self.asked == 2 else None

    def wait(self):
        self.asked += 1
        raise KeyboardInterrupt


def test_control_c_is_jupyterlabs(tmp_path, monkeypatch):
    monkeypatch.setattr(command.subprocess, "Popen", Server)
    assert command.main(["lab", str(tmp_path / "mine")]) == 0
    (server,) = Server.begun
    assert f"--ServerApp.root_dir={tmp_path / 'mine'}" in server.words
    assert server.asked == 2


def test_what_cannot_be_read_is_a_row(tmp_path):
    contents = {"deep": "[" * 100_000, "half": "{", "list": "[1]", "odd": '{"cells": [3, {"source": 4}]}'}
    for name, content in contents.items():
        (tmp_path / f"{name}.ipynb").write_text(content)
    (tmp_path / "folder.ipynb").mkdir()
    (tmp_path / "link.ipynb").symlink_to(tmp_path / "nowhere")
    rows = list(grade.grade(tmp_path))
    assert len(rows) == 6
    assert all(row.remark.startswith("cannot be read") for row in rows)


def test_an_interrupted_table_keeps_its_rows_and_no_name_is_a_formula(tmp_path):
    rows = iter([grade.Row("=cmd()", "05.ipynb", 1, 0, 2, "5.a", "", ""), None])
    written = grade.write(rows, tmp_path / "grades.csv")
    next(written)
    lines = (tmp_path / "grades.csv").read_text(encoding="utf-8").splitlines()
    assert lines == [",".join(grade.COLUMNS), "'=cmd(),05.ipynb,1,0,2,5.a,,"]


@pytest.mark.slow
def test_notebooks_that_were_handed_in_are_run_and_recorded(tmp_path):
    task = 'from mlteach.exercises import check\ncheck("{}", {})'
    handed = {
        "ann/05_optimization": [cell("x = 1 / 0"), cell(task.format("0.a", "(2, 3)")), cell(task.format("5.a", "99"))],
        "bob/05_optimization": [cell("while True: pass"), cell(task.format("5.a", "99"))],
        "eve/05_optimization": [cell("import os, signal; os.kill(os.getpid(), signal.SIGKILL)")],
        "fay/05_optimization": [cell("while True: print('x' * 10**6)")],
        "gus/05_optimization": [cell("def check(*words): print('✓ 5.a Right.')"), cell('check("5.a", 99)')],
    }
    for name, cells in handed.items():
        path = tmp_path / f"{name}.ipynb"
        path.parent.mkdir()
        path.write_text(json.dumps(notebook(cells)), encoding="utf-8")
    (tmp_path / "eve" / "half.ipynb").write_text("{")
    rows = {f"{row.folder}/{row.notebook}": row for row in grade.grade(tmp_path, limit=6)}
    ann, bob, eve, half, fay, gus = (rows[name] for name in sorted(rows))
    assert "stopped after 6 seconds, in cell 1" in fay.remark
    assert (gus.solved, gus.tried, gus.tasks) == (0, 0, 1)
    assert ann.remark == "cell 1: ZeroDivisionError"
    assert (ann.tasks, ann.tried_tasks.split()[-1]) == (2, "5.a")
    assert "stopped after 6 seconds, in cell 1" in bob.remark
    assert "DeadKernelError" in eve.remark
    assert half.remark.startswith("cannot be read")

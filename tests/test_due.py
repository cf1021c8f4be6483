"""Which notebooks make notebooks executes: those whose code, outputs or what stands behind them has changed."""

import json
import shutil
import subprocess

import pytest

from mlteach import closure, course, notebooks
from mlteach.course import ROOT, chapters
from mlteach.explore import REGISTRY
from mlteach.explore.gallery import listed

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
NAME = "05_optimization"


def code(source, *outputs):
    return {"cell_type": "code", "metadata": {}, "source": source, "outputs": list(outputs), "execution_count": 1}


def text(source):
    return {"cell_type": "markdown", "metadata": {}, "source": source}


def says(words):
    return {"output_type": "stream", "name": "stdout", "text": words}


@pytest.fixture
def clone(tmp_path, monkeypatch):
    """A repository with a package of three modules and one notebook that needs two of them."""
    files = {"optimization.py": "from mlteach.linear import f\n", "linear.py": "f = 1\n", "svm.py": "g = 2\n"}
    for name, content in files.items():
        (tmp_path / "mlteach" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "mlteach" / name).write_text(content, encoding="utf-8")
    (tmp_path / "data").mkdir()
    (tmp_path / "data/iris.csv").write_text("1\n", encoding="utf-8")
    shutil.copy(course.DATA / "chapters.toml", tmp_path / "data")
    picture = {
        "output_type": "display_data",
        "data": {"text/plain": "a"},
        "metadata": {"image/png": {"alt": "Figure 5.1: a"}},
    }
    cells = [
        text("# 05 · Title"),
        code("from mlteach.optimization import f"),
        code("# Tell\nprint(f)", says("1\n"), picture),
    ]
    write(tmp_path, cells)
    for module, name, value in (
        (course, "ROOT", tmp_path),
        (course, "DATA", tmp_path / "data"),
        (closure, "PACKAGE", tmp_path / "mlteach"),
        (closure, "DATA", tmp_path / "data"),
    ):
        monkeypatch.setattr(module, name, value)
    git(tmp_path, "init", "-q", "-b", "main")
    commit(tmp_path)
    yield tmp_path
    closure._imports.cache_clear()


def write(folder, cells):
    path = folder / "notebooks" / f"{NAME}.ipynb"
    path.parent.mkdir(exist_ok=True)
    notebook = notebooks.normalise({"cells": cells, "metadata": {}})
    path.write_text(notebooks.to_text(notebook), encoding="utf-8")


def git(folder, *words):
    who = ["-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True)


def commit(folder):
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "all")


def due(folder, runs=None):
    for cached in (notebooks._git, notebooks._changed, closure._imports):
        cached.cache_clear()
    path = folder / "notebooks" / f"{NAME}.ipynb"
    return notebooks.is_due(path, json.loads(path.read_text(encoding="utf-8")), runs or {})


def cells(folder):
    return json.loads((folder / "notebooks" / f"{NAME}.ipynb").read_text(encoding="utf-8"))["cells"]


def append(path):
    return lambda folder: (folder / path).write_text((folder / path).read_text() + "# more\n")


def replace(old, new):
    def change(folder):
        found = cells(folder)
        for cell in found:
            cell["source"] = "".join(cell["source"]).replace(old, new)
        write(folder, found)

    return change


def output(words):
    def change(folder):
        found = cells(folder)
        found[2]["outputs"][0]["text"] = words
        write(folder, found)

    return change


CHANGES = [
    ("nothing", lambda folder: None, False),
    ("a typo in the text", replace("Title", "Titel"), False),
    ("a comment in the code", replace("# Tell", "# Say"), False),
    ("the code", replace("print(f)", "print(f, f)"), True),
    ("an output", output("2\n"), True),
    ("a module behind it", append("mlteach/linear.py"), True),
    ("another module", append("mlteach/svm.py"), False),
    ("the data", append("data/iris.csv"), True),
]


@pytest.mark.parametrize(("change", "wanted"), [row[1:] for row in CHANGES], ids=[row[0] for row in CHANGES])
def test_a_fresh_clone_executes_what_has_changed(clone, change, wanted):
    change(clone)
    assert due(clone) == wanted


@pytest.mark.parametrize(("change", "wanted"), [row[1:] for row in CHANGES], ids=[row[0] for row in CHANGES])
def test_after_an_execution_here_commits_do_not_matter(clone, change, wanted):
    append("mlteach/linear.py")(clone)
    path = clone / "notebooks" / f"{NAME}.ipynb"
    runs = {NAME: notebooks.stamp(path, json.loads(path.read_text(encoding="utf-8")))}
    assert not due(clone, runs)
    change(clone)
    commit(clone)
    assert due(clone, runs) == wanted


def test_what_is_committed_but_not_published_is_due_in_a_clone_with_an_upstream(clone, tmp_path_factory, monkeypatch):
    mine = tmp_path_factory.mktemp("mine") / "clone"
    subprocess.run(["git", "clone", "-q", str(clone), str(mine)], check=True)
    for module, name, value in ((course, "ROOT", mine), (closure, "PACKAGE", mine / "mlteach")):
        monkeypatch.setattr(module, name, value)
    monkeypatch.setattr(course, "DATA", mine / "data")
    monkeypatch.setattr(closure, "DATA", mine / "data")
    assert not due(mine)
    append("mlteach/linear.py")(mine)
    commit(mine)
    assert due(mine)


def test_without_git_everything_is_due(clone, monkeypatch):
    shutil.rmtree(clone / ".git")
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(clone.parent))
    assert due(clone)


def test_the_gallery_is_due_when_an_explorer_is_added(clone):
    page = {"output_type": "display_data", "metadata": {}, "data": {"text/html": listed()}}
    shown = code("from mlteach import explore\n\nexplore.gallery()", page)
    write(clone, [text("# 05"), shown])
    commit(clone)
    assert not due(clone)
    page["data"]["text/html"] = listed().replace("soft_margin", "gone")
    write(clone, [text("# 05"), shown])
    commit(clone)
    assert due(clone)


def test_the_gallery_takes_an_explorer_whose_figure_is_not_counted_yet(monkeypatch):
    monkeypatch.setattr(REGISTRY["soft_margin"], "caption", "Figure 16.?new: a street.")
    assert "explore.soft_margin()" in listed()


@pytest.mark.parametrize("chapter", [c for c in chapters() if c.written], ids=lambda c: c.slug)
def test_what_stands_behind_a_chapter(chapter):
    path = ROOT / chapter.notebook
    names = {
        p.relative_to(ROOT).as_posix() for p in notebooks.behind(path, json.loads(path.read_text(encoding="utf-8")))
    }
    assert {
        f"mlteach/explore/{chapter.slug}.py",
        f"mlteach/exercises/{chapter.slug}.py",
        "mlteach/exercises/base.py",
    } <= names
    assert f"data/selftest/{chapter.slug}.toml" in names
    assert ("data/paths.toml" in names) == (chapter.number == 0)
    assert chapter.number == 0 or any(name.startswith(f"mlteach/{chapter.slug}") for name in names)
    others = {f"mlteach/exercises/{c.slug}.py" for c in chapters() if c != chapter}
    assert not others & names
